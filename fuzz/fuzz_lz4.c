/* clang -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -o fuzz_lz4 fuzz_lz4.c
   Room lz4: any bytes as a block, as frames and as a page with the deprecated codec LZ4. What decodes has to decode the
   same into exactly the room it needs, and with a limit one lower not at all. */
#define TACO_PARQUET_IMPLEMENTATION
#include "../taco_parquet.h"

#define LIMIT ((size_t)1 << 20)
#define HOLDS(cond)                                                                                \
    do {                                                                                           \
        if (!(cond)) {                                                                             \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

static int how;

static taco_status run(taco_bytes in, taco__buf *out, size_t limit, taco_error *err)
{
    taco__lz4   z;
    taco_status st;
    if (how == 0) {
        return taco__lz4_decode_raw(in, out, limit, err);
    }
    if (how >= 2) { /* pages that promise much, a little, nothing */
        static const size_t expected[3] = {300, 13, 0};
        return taco__lz4_decode(in, out, expected[how - 2], limit, err);
    }
    st = taco__lz4_begin(&z, in, out, limit, err);
    st = st == TACO_OK ? taco__lz4_frames(&z, in, err) : st;
    if (st == TACO_OK) {
        taco__copy_end(&z.out);
    }
    return st;
}

static void check(taco_bytes in)
{
    taco__mem   mem;
    taco__buf   out, again;
    taco_error  err;
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (how = 0; how < 5; how++) {
        check(taco__base_bytes(data, size));
    }
    return 0;
}
