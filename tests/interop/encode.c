/* cc -O1 tests/interop/encode.c -o build/interop_encode -lzstd -lz -llz4 -lsnappy &&
   build/interop_encode [FILE...] What our encoders write, the reference libraries read back:
   generated data, and files whole and in pieces of 128 KiB. Prints the number of round trips;
   non-zero at the first difference. */
#include <stdio.h>
#include <stdlib.h>
#define TACO_STATIC
#define TACO_PARQUET_IMPLEMENTATION
#include "../../extra/taco_parquet_write.h"
#include "../encode.h"
#include <lz4.h>
#include <snappy-c.h>
#include <zlib.h>
#include <zstd.h>

static taco__mem mem;
static taco_error err;
static taco__zstd_encoder *zstd[TACO__ZSTD_ENCODE_MAX_LEVEL + 1];
static taco__snappy_encoder snappy;
static taco__lz4_encoder lz4;
static taco__deflater *flate;
static size_t done;

static void fail(const char *what, size_t n)
{
    printf("%s of %u bytes: %s\n", what, (unsigned)n, err.text);
    exit(1);
}

static void check(const char *what, const uint8_t *data, const uint8_t *back, size_t n, bool same)
{
    if (!same || (n && memcmp(data, back, n) != 0)) { fail(what, n); }
    done++;
}

static void zstd_one(int level, const uint8_t *data, size_t n)
{
    size_t cap = 0, size = 0;
    uint8_t *to, *back = (uint8_t *)malloc(n + 1);
    taco__zstd_encode_bound(n, &cap);
    to = (uint8_t *)malloc(cap);
    if (taco__zstd_encode(zstd[level], taco__bytes_of(data, n), n & 1, to, cap, &size, &err)) {
        fail("zstd", n);
    }
    check("zstd", data, back, n,
          ZSTD_decompress(back, n, to, size) == n && ZSTD_getFrameContentSize(to, size) == n);
    free(to);
    free(back);
}

static bool gunzip(const uint8_t *in, size_t size, uint8_t *out, size_t n)
{
    z_stream z;
    memset(&z, 0, sizeof z);
    z.next_in = (Bytef *)(uintptr_t)in;
    z.avail_in = (uInt)size;
    z.next_out = out;
    z.avail_out = (uInt)n + 1;
    if (inflateInit2(&z, 31) != Z_OK) { return false; }
    if (inflate(&z, Z_FINISH) != Z_STREAM_END || z.avail_in || z.total_out != n) {
        inflateEnd(&z);
        return false;
    }
    return inflateEnd(&z) == Z_OK;
}

static void others(const uint8_t *data, size_t n)
{
    size_t cap = 0, cap2 = 0, size = 0, plain = n;
    uint8_t *to, *back = (uint8_t *)malloc(n + 1);
    taco__snappy_encode_bound(n, &cap);
    taco__deflate_bound(n, &cap2);
    cap = TACO__MAX(cap, cap2); /* that of LZ4 is less than both */
    to = (uint8_t *)malloc(cap);
    if (taco__snappy_encode(&snappy, taco__bytes_of(data, n), to, cap, &size, &err)) {
        fail("snappy", n);
    }
    check("snappy", data, back, n,
          snappy_uncompress((char *)to, size, (char *)back, &plain) == SNAPPY_OK && plain == n);
    if (taco__lz4_encode(&lz4, taco__bytes_of(data, n), to, cap, &size, &err)) { fail("lz4", n); }
    check("lz4", data, back, n,
          LZ4_decompress_safe((char *)to, (char *)back, (int)size, (int)n) == (int)n);
    if (taco__deflate_gzip(flate, taco__bytes_of(data, n), to, cap, &size, &err)) {
        fail("gzip", n);
    }
    check("gzip", data, back, n, gunzip(to, size, back, n));
    free(to);
    free(back);
}

static void generated(void)
{
    static const size_t sizes[] = {1000,   4096,   16384,  65791,  65792,   131071,
                                   131072, 131073, 262144, 262145, 1000000, 3000000};
    uint8_t *data = (uint8_t *)malloc(3000000);
    size_t i, n;
    unsigned kind;
    int level;
    for (i = 0; i < 301 + TACO__COUNT(sizes); i++) {
        n = i < 301 ? i : sizes[i - 301];
        for (kind = 0; kind < ENCODE_KINDS; kind++) {
            encode_fill(data, n, kind, (uint32_t)i);
            others(data, n);
            for (level = 1; level <= TACO__ZSTD_ENCODE_MAX_LEVEL; level++) {
                if (n < 70000 || (level + i + kind) % 8 == 0) { zstd_one(level, data, n); }
            }
        }
    }
    free(data);
}

static void file(const char *name)
{
    FILE *f = fopen(name, "rb");
    uint8_t *data = (uint8_t *)malloc(8000000);
    size_t n = f ? fread(data, 1, 8000000, f) : 0, i;
    int level;
    for (level = 1; level <= TACO__ZSTD_ENCODE_MAX_LEVEL; level += 2) {
        zstd_one(level, data, n);
        for (i = 0; i < n; i += 131072) {
            zstd_one(level, data + i, TACO__MIN(n - i, (size_t)131072));
        }
    }
    others(data, n);
    if (f) { fclose(f); }
    free(data);
}

int main(int argc, char **argv)
{
    int i;
    taco__mem_init(&mem, NULL);
    flate = taco__deflate_open(&mem, &err);
    if (!flate) { return 1; }
    for (i = 1; i <= TACO__ZSTD_ENCODE_MAX_LEVEL; i++) {
        zstd[i] = taco__zstd_encode_open(&mem, i, &err);
        if (!zstd[i]) { return 1; }
    }
    generated();
    for (i = 1; i < argc; i++) {
        file(argv[i]);
    }
    for (i = 1; i <= TACO__ZSTD_ENCODE_MAX_LEVEL; i++) {
        taco__zstd_encode_close(zstd[i]);
    }
    taco__deflate_close(flate);
    printf("%u round trips\n", (unsigned)done);
    return mem.used != 0;
}
