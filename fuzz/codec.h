/* What every decoder must guarantee for any input; targets pass their decoder to codec_check. */
#ifndef FUZZ_CODEC_H
#define FUZZ_CODEC_H
#define TACO_PARQUET_IMPLEMENTATION
#include "../extra/taco_parquet_write.h"

#include "holds.h"

#define LIMIT ((size_t)1 << 20)

typedef taco_status (*codec)(taco_bytes in, taco__buf *out, size_t limit, taco_error *err);

/* What decodes has to decode the same into exactly the room it needs, and with a limit one lower
   not at all. */
static void codec_check(codec run, taco_bytes in)
{
    taco__mem mem;
    taco__buf out, again;
    taco_error err;
    taco_status st;
    taco__mem_init(&mem, NULL);
    memset(&out, 0, sizeof out);
    memset(&err, 0, sizeof err);
    out.mem = &mem;
    again = out;
    st = run(in, &out, LIMIT, &err);
    HOLDS(st == err.code && (st == TACO_OK ? out.len <= LIMIT : out.len == 0 && err.text[0]));
    HOLDS(out.cap <= LIMIT + LIMIT / 2);
    if (st == TACO_OK) {
        memset(&err, 0, sizeof err);
        HOLDS(taco__buf_reset(&again, out.len, &err));
        HOLDS(run(in, &again, out.len, &err) == TACO_OK && again.len == out.len);
        HOLDS(out.len == 0 || memcmp(out.data, again.data, out.len) == 0);
        again.len = 0;
        HOLDS(out.len == 0 || run(in, &again, out.len - 1, NULL) == TACO_ERR_LIMIT);
    }
    taco__buf_free(&out);
    taco__buf_free(&again);
    HOLDS(mem.used == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
