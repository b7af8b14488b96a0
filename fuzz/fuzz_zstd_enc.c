/* clang -g -O1 -fsanitize=fuzzer,address,undefined fuzz/fuzz_zstd_enc.c -o build/fuzz_zstd_enc

   The first byte chooses the ZSTD level and what else is done; the rest is encoded and decoded
   again. A reused state must not affect the result: a fresh encoder writes the same frame. */
#define TACO_PARQUET_IMPLEMENTATION
#include "../extra/taco_parquet_write.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool ok)
{
    if (!ok) { abort(); }
}

static void check_same(taco__buf *out, taco_bytes in)
{
    check(out->len == in.len && (in.len == 0 || memcmp(out->data, in.data, in.len) == 0));
    taco__buf_free(out);
}

/* With an encoder that has written what came before. */
static void zstd(taco__mem *mem, int level, taco_bytes in, bool fresh)
{
    static uint8_t literals[TACO__ZSTD_LITERALS(SIZE_MAX)];
    static taco__zstd_decoder decoder = {.literals = literals};
    static taco__mem kept;
    static taco__zstd_encoder *encoders[TACO__ZSTD_ENCODE_MAX_LEVEL + 1];
    size_t cap = 0, size = 0, again = 0;
    uint8_t *to, *same;
    taco__buf out = {mem, NULL, 0, 0};
    if (!encoders[level]) {
        if (!kept.used) { taco__mem_init(&kept, NULL); }
        encoders[level] = taco__zstd_encode_open(&kept, level, NULL);
    }
    check(encoders[level] && taco__zstd_encode_bound(in.len, &cap));
    to = (uint8_t *)malloc(cap);
    check(taco__zstd_encode(encoders[level], in, true, to, cap, &size, NULL) == TACO_OK);
    check(size <= cap);
    if (fresh) {
        taco__zstd_encoder *e = taco__zstd_encode_open(mem, level, NULL);
        same = (uint8_t *)malloc(size);
        check(e && same);
        check(taco__zstd_encode(e, in, true, same, size, &again, NULL) == TACO_OK);
        check(again == size && memcmp(to, same, size) == 0);
        check(taco__zstd_encode(e, in, true, same, size - 1, &again, NULL) == TACO_ERR_ARGUMENT);
        free(same);
        taco__zstd_encode_close(e);
    }
    check(taco__zstd_decode(&decoder, taco__bytes_of(to, size), &out, in.len, NULL) == TACO_OK);
    check_same(&out, in);
    free(to);
}

static void others(taco__mem *mem, taco_bytes in)
{
    static taco__snappy_encoder snappy;
    static taco__lz4_encoder lz4;
    taco__deflater *flate;
    taco__lz4_decoder z;
    size_t cap = 0, size = 0;
    taco__buf out = {mem, NULL, 0, 0};
    uint8_t *to;
    check(taco__snappy_encode_bound(in.len, &cap));
    to = (uint8_t *)malloc(cap);
    check(taco__snappy_encode(&snappy, in, to, cap, &size, NULL) == TACO_OK);
    check(taco__snappy_decode(taco__bytes_of(to, size), &out, in.len, NULL) == TACO_OK);
    check_same(&out, in);
    free(to);
    check(taco__lz4_encode_bound(in.len, &cap));
    to = (uint8_t *)malloc(cap);
    check(taco__lz4_encode(&lz4, in, to, cap, &size, NULL) == TACO_OK);
    check(taco__lz4_decode_init(&z, taco__bytes_of(to, size), &out, in.len, NULL) == TACO_OK &&
          taco__lz4_decode_block(&z, NULL) == TACO_OK);
    taco__lz_output_finish(&z.out);
    check_same(&out, in);
    free(to);
    flate = taco__deflate_open(mem, NULL);
    check(flate && taco__deflate_bound(in.len, &cap));
    to = (uint8_t *)malloc(cap);
    check(taco__deflate_gzip(flate, in, to, cap, &size, NULL) == TACO_OK);
    check(taco__gzip_decode_any(taco__bytes_of(to, size), &out, in.len, NULL) == TACO_OK);
    check_same(&out, in);
    free(to);
    taco__deflate_close(flate);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    taco__mem mem;
    if (size == 0) { return 0; }
    taco__mem_init(&mem, NULL);
    zstd(&mem, 1 + data[0] % TACO__ZSTD_ENCODE_MAX_LEVEL, taco__bytes_of(data + 1, size - 1),
         data[0] / 32 == 0);
    if (data[0] / 32 == 1) { others(&mem, taco__bytes_of(data + 1, size - 1)); }
    check(mem.used == 0);
    return 0;
}
