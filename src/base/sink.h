/* sink.h - what the folder offers to the others. */
#ifndef TACO__BASE_SINK_H
#define TACO__BASE_SINK_H

#include "../api/taco_parquet_write.h"
#include "base.h"

/* ---- output in order, with small pieces gathered
   ----------------------------------------------------- */

#define TACO__OUTPUT_BYTES                                                                         \
    262144 /* what a core's own cache holds: bytes are read, summed and written there */

typedef struct taco__output {
    taco_sink sink;
    taco__mem *mem;
    uint8_t *data;
    size_t used;
    uint64_t at;   /* of data[0] in the output */
    bool anywhere; /* the sink replaces what was written at any time, not only at the end */
} taco__output;

/* ---- sink.c ---- */

#ifndef TACO_NO_STDIO
TACO__FN TACO__COLD taco_status taco__sink_open_error(const char *path, taco_error *err);
#endif
#ifndef TACO_NO_STDIO
TACO__FN bool taco__sink_append_open(taco_sink *out, const char *path, uint64_t begin,
                                     taco__mem *mem, taco_error *err);
#endif
TACO__FN void taco__sink_abort(const taco_sink *sink);
TACO__FN bool taco__sink_check(const taco_sink *sink, taco_error *err);
TACO__FN bool taco__output_open(taco__output *o, const taco_sink *sink, taco__mem *mem,
                                taco_error *err);
TACO__FN taco_bytes taco__sink_name(const taco_sink *sink);
TACO__FN uint64_t taco__output_position(const taco__output *o);
TACO__FN bool taco__output_flush(taco__output *o, taco_error *err);
TACO__FN uint8_t *taco__output_reserve(taco__output *o, size_t len, taco_error *err);
TACO__FN bool taco__output_write(taco__output *o, const void *data, size_t len, taco_error *err);
TACO__FN bool taco__output_patch(taco__output *o, uint64_t at, const void *data, size_t len,
                                 taco_error *err);
TACO__FN bool taco__output_close(taco__output *o, bool keep, taco_error *err);

#endif /* TACO__BASE_SINK_H */
