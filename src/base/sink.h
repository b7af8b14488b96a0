/* sink.h - output: a sink of bytes, and a buffer before it that gathers small pieces

   For the writers. taco_sink (api/taco_parquet_write.h) is where bytes go: memory, a file, or
   functions of the caller's. Closing a sink either keeps what was written or leaves nothing. A
   taco__output takes over a sink and writes to it in order, 256 KiB at a time, and may replace
   bytes written before. All functions are in sink.c. */
#ifndef TACO__BASE_SINK_H
#define TACO__BASE_SINK_H

#include "../api/taco_parquet_write.h"
#include "base.h"
#include "temporary.h"

/* Fits in a core's own cache, so that bytes are read, checksummed and written while they are in
   it. */
#define TACO__OUTPUT_BYTES 262144

typedef struct taco__output {
    taco_sink sink;
    taco__mem *mem;
    uint8_t *data; /* TACO__OUTPUT_BYTES of room, the first `used` bytes not yet written */
    size_t used;
    uint64_t at;   /* position of data[0] in the output */
    bool anywhere; /* the sink can replace written bytes at any time, not only at the end */
} taco__output;

#ifndef TACO_NO_STDIO
TACO__FN TACO__COLD taco_status taco__sink_open_error(const char *path, taco_error *err);

/* taco_sink_file, but a file that is kept becomes *staged when the sink is closed, and is still to
   be renamed. staged_mem must live until then. A device is written to at once. */
TACO__FN taco_status taco__sink_file_staged(taco_sink *out, const char *path,
                                            const taco_options *opt, taco__mem *staged_mem,
                                            taco__staged *staged, taco_error *err);

/* A file that is changed in place. It is locked before it is read, until taco__update_close: a
   second writer is refused. All zeros: no file is open. */
typedef struct taco__update {
    FILE *f;
    const char *path; /* borrowed */
    taco__plat_id id;
} taco__update;

TACO__FN bool taco__update_open(taco__update *u, const char *path, taco_error *err);
/* False with an error if the path no longer leads to the locked file. */
TACO__FN bool taco__update_check(const taco__update *u, taco_error *err);
TACO__FN void taco__update_close(taco__update *u);
TACO__FN bool taco__sink_append_open(taco_sink *out, taco__update *u, uint64_t begin,
                                     taco__mem *mem, taco_error *err);
#endif
TACO__FN void taco__sink_abort(const taco_sink *sink);
TACO__FN bool taco__sink_check(const taco_sink *sink, taco_error *err);
TACO__FN taco_bytes taco__sink_name(const taco_sink *sink);
/* Why the last call of a file sink failed, ": no space left on the device"; "" if not known. The
   sink may already be closed. */
TACO__FN const char *taco__sink_cause(const taco_sink *sink);

/* Used between open and close; close is called exactly once, even after a failure. */
TACO__FN bool taco__output_open(taco__output *o, const taco_sink *sink, taco__mem *mem,
                                taco_error *err);
TACO__FN uint64_t taco__output_position(const taco__output *o);
TACO__FN bool taco__output_flush(taco__output *o, taco_error *err);
TACO__FN uint8_t *taco__output_reserve(taco__output *o, size_t len, taco_error *err);
/* Skips len bytes, which someone else writes. */
TACO__FN bool taco__output_skip(taco__output *o, uint64_t len, taco_error *err);
TACO__FN bool taco__output_write(taco__output *o, const void *data, size_t len, taco_error *err);
/* Writes bytes at a place that is not in the buffer. */
TACO__FN bool taco__output_write_at(const taco__output *o, uint64_t at, const void *data,
                                    size_t len, taco_error *err);
TACO__FN bool taco__output_patch(taco__output *o, uint64_t at, const void *data, size_t len,
                                 taco_error *err);
TACO__FN bool taco__output_close(taco__output *o, bool keep, taco_error *err);

#endif /* TACO__BASE_SINK_H */
