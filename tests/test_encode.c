/* The Snappy, LZ4 and gzip encoders: the decoders read their output back; failures. */
#include "test.h"
#include "../src/codec/lz4_decode.c"
#include "../src/base/base.h"
#include "../src/codec/encode.h"
#include "../taco_parquet.h"
#include "../extra/taco_parquet_write.h"
#include "encode.h"

static taco__mem mem;
static taco_error err;
static taco__snappy_encoder snappy;
static taco__lz4_encoder lz4;
static taco__deflater *flate;

/* Encodes n bytes and decodes them; *size is what they took. */
static bool snappy_and_back(const uint8_t *data, size_t n, size_t *size)
{
    size_t bound = 0;
    uint8_t *to;
    taco__buf out;
    bool same;
    memset(&out, 0, sizeof out);
    out.mem = &mem;
    CHECK(taco__snappy_encode_bound(n, &bound));
    to = (uint8_t *)malloc(bound);
    same = !taco__snappy_encode(&snappy, taco__bytes_of(data, n), to, bound, size, &err) &&
           !taco__snappy_decode(taco__bytes_of(to, *size), &out, n, &err) && out.len == n &&
           (n == 0 || memcmp(out.data, data, n) == 0);
    taco__buf_free(&out);
    free(to);
    return same;
}

static bool lz4_and_back(const uint8_t *data, size_t n, size_t *size)
{
    size_t bound = 0;
    uint8_t *to;
    taco__buf out;
    bool same;
    taco__lz4_decoder z;
    memset(&out, 0, sizeof out);
    out.mem = &mem;
    CHECK(taco__lz4_encode_bound(n, &bound));
    to = (uint8_t *)malloc(bound);
    same = !taco__lz4_encode(&lz4, taco__bytes_of(data, n), to, bound, size, &err) &&
           !taco__lz4_decode_init(&z, taco__bytes_of(to, *size), &out, n, &err) &&
           !taco__lz4_decode_block(&z, &err);
    if (same) { taco__lz_output_finish(&z.out); }
    same = same && out.len == n && (n == 0 || memcmp(out.data, data, n) == 0);
    taco__buf_free(&out);
    free(to);
    return same;
}

static bool gzip_and_back(const uint8_t *data, size_t n, size_t *size)
{
    size_t bound = 0;
    uint8_t *to;
    taco__buf out;
    bool same;
    memset(&out, 0, sizeof out);
    out.mem = &mem;
    CHECK(taco__deflate_bound(n, &bound));
    to = (uint8_t *)malloc(bound);
    same = !taco__deflate_gzip(flate, taco__bytes_of(data, n), to, bound, size, &err) &&
           !taco__gzip_decode_any(taco__bytes_of(to, *size), &out, n, &err) && out.len == n &&
           (n == 0 || memcmp(out.data, data, n) == 0);
    taco__buf_free(&out);
    free(to);
    return same;
}

static void every_size(void)
{
    static const size_t sizes[] = {1000,  2047,  2048,   2049,   4096,   65535,
                                   65536, 65537, 131071, 131072, 131073, 300000};
    size_t n, i, size = 0;
    unsigned kind;
    uint8_t *data = (uint8_t *)malloc(300000);
    for (n = 0; n < 300 + TACO__COUNT(sizes); n++) {
        i = n < 300 ? n : sizes[n - 300];
        for (kind = 0; kind < ENCODE_KINDS; kind++) {
            encode_fill(data, i, kind, (uint32_t)n);
            CHECK(snappy_and_back(data, i, &size));
            CHECK(lz4_and_back(data, i, &size));
            CHECK(gzip_and_back(data, i, &size));
        }
    }
    encode_fill(data, 300000, 4, 1);
    CHECK(snappy_and_back(data, 300000, &size) && size < 240000);
    CHECK(lz4_and_back(data, 300000, &size) && size < 240000);
    CHECK(gzip_and_back(data, 300000, &size) && size < 150000);
    encode_fill(data, 300000, 2, 1);
    CHECK(snappy_and_back(data, 300000, &size) && size < 15000);
    CHECK(lz4_and_back(data, 300000, &size) && size < 1300);
    CHECK(gzip_and_back(data, 300000, &size) && size < 400);
    encode_fill(data, 300000, 0, 1); /* stored */
    CHECK(gzip_and_back(data, 300000, &size) && size < 300000 + 80);
    free(data);
}

/* Matches of each length up to 300, and from distances about the limits of the forms of a copy */
static void lengths_and_distances(void)
{
    static const size_t distances[] = {1, 2, 3, 4, 7, 8, 2047, 2048, 65534, 65535, 65536, 65537};
    uint8_t *data = (uint8_t *)malloc(70000);
    size_t k, n, size = 0;
    for (k = 0; k < TACO__COUNT(distances); k++) {
        for (n = 4; n < 300; n += k < 8 ? 1 : 37) {
            size_t i, d = distances[k];
            encode_fill(data, d + n + 40, 0, (uint32_t)(k + n));
            for (i = d; i < d + n; i++) {
                data[i] = data[i - d];
            }
            CHECK(snappy_and_back(data, d + n + 40, &size));
            CHECK(lz4_and_back(data, d + n + 40, &size));
            CHECK(gzip_and_back(data, d + n + 40, &size));
        }
    }
    free(data);
}

static void too_small(void)
{
    uint8_t data[100], to[200];
    size_t size = 1, bound = 0;
    encode_fill(data, sizeof data, 4, 1);
    CHECK(taco__snappy_encode(&snappy, taco__bytes_of(data, 100), to, 147, &size, &err) ==
          TACO_ERR_ARGUMENT);
    CHECK(size == 0);
    CHECK_TEXT(err.text,
               "a Snappy block of 100 bytes of data may take 148 bytes, there is room for 147");
    memset(&err, 0, sizeof err);
    CHECK(taco__lz4_encode(&lz4, taco__bytes_of(data, 100), to, 115, &size, &err) ==
          TACO_ERR_ARGUMENT);
    CHECK_TEXT(err.text,
               "an LZ4 block of 100 bytes of data may take 116 bytes, there is room for 115");
    memset(&err, 0, sizeof err);
    CHECK(taco__deflate_gzip(flate, taco__bytes_of(data, 100), to, 137, &size, &err) ==
          TACO_ERR_ARGUMENT);
    CHECK_TEXT(err.text, "gzip of 100 bytes of data may take 138 bytes, there is room for 137");
    memset(&err, 0, sizeof err);
    mem.limit = 1000;
    CHECK(!taco__deflate_open(&mem, &err) && err.code == TACO_ERR_LIMIT);
    memset(&err, 0, sizeof err);
    taco__deflate_close(NULL);
    CHECK(!taco__deflate_bound(SIZE_MAX, &bound));
    CHECK(!taco__snappy_encode_bound(SIZE_MAX, &bound) &&
          !taco__lz4_encode_bound(SIZE_MAX, &bound));
}

int main(void)
{
    taco__mem_init(&mem, NULL);
    flate = taco__deflate_open(&mem, &err);
    if (!flate) { return 1; }
    RUN(every_size);
    RUN(lengths_and_distances);
    RUN(too_small);
    taco__deflate_close(flate);
    CHECK(err.code == TACO_OK && mem.used == 0);
    return test_end("test_encode");
}
