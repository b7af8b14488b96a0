/* codecs REPS LEVEL0.parquet MIXED - compares the library's decoders with the peers that the build
   found, in one process.

   Work: ZSTD decodes the pages of LEVEL0.parquet as they are, and blocks of 1 MiB of MIXED
   compressed by libzstd at levels 1, 3 and 13. Gzip (as in Parquet: inflate and a CRC), Snappy and
   LZ4 decode blocks of 128 KiB of the pages' plain bytes and of 1 MiB of MIXED, compressed by zlib,
   snappy and lz4. CRC-32 runs over MIXED's first MiB, 64 times. Every side decodes block by block
   into a buffer it reuses, with one decoder state for all of them; ours appends to a buffer that it
   proves to have room, as the page reader does. Each block's result is compared byte by byte before
   anything is timed. Times are CPU time, medians of REPS runs that alternate. Exit status 1 when a
   target is missed. Built with TACO_NO_SIMD only the CRC has a target of its own, 3 GB/s. */
#include "bench.h"
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif
#ifdef HAVE_LIBDEFLATE
#include <libdeflate.h>
#endif
#ifdef HAVE_SNAPPY
#include <snappy-c.h>
#endif
#ifdef HAVE_LZ4
#include <lz4.h>
#endif

static size_t reps;
static int missed;
static taco__mem mem;
static taco__buf ours;  /* what we decode into */
static uint8_t *theirs; /* what they decode into */
static uint8_t literals[TACO__ZSTD_LITERALS(SIZE_MAX)];
static taco__zstd_decoder state = {.literals = literals};

typedef bool (*decoder)(const bench_block *b, uint8_t *out);

static bool taco_decode(taco_status s, const bench_block *b, uint8_t *out)
{
    (void)out;
    return s == TACO_OK && ours.len == b->plain;
}

static bool taco_zstd(const bench_block *b, uint8_t *out)
{
    ours.len = 0;
    return taco_decode(
        taco__zstd_decode(&state, taco__bytes_of(b->data, b->len), &ours, b->plain, NULL), b, out);
}

static bool taco_flate(const bench_block *b, uint8_t *out)
{
    ours.len = 0;
    return taco_decode(
        taco__gzip_decode_any(taco__bytes_of(b->data, b->len), &ours, b->plain, NULL), b, out);
}

static bool taco_snappy(const bench_block *b, uint8_t *out)
{
    ours.len = 0;
    return taco_decode(taco__snappy_decode(taco__bytes_of(b->data, b->len), &ours, b->plain, NULL),
                       b, out);
}

static bool taco_lz4(const bench_block *b, uint8_t *out)
{
    ours.len = 0;
    return taco_decode(taco__lz4_decode_raw(taco__bytes_of(b->data, b->len), &ours, b->plain, NULL),
                       b, out);
}
#ifdef HAVE_ZSTD
static ZSTD_DCtx *zstd_state;

static bool lib_zstd(const bench_block *b, uint8_t *out)
{
    return ZSTD_decompressDCtx(zstd_state, out, b->plain, b->data, b->len) == b->plain;
}

static size_t pack_zstd(uint8_t *to, size_t cap, const uint8_t *from, size_t len, int level)
{
    return ZSTD_compress(to, cap, from, len, level);
}
#endif
#ifdef HAVE_ZLIB
static z_stream zlib_state; /* reset for every block, as libzstd's is reused */

static bool lib_zlib(const bench_block *b, uint8_t *out)
{
    union {
        const uint8_t *in;
        uint8_t *out;
    } u;

    u.in = b->data;
    zlib_state.next_in = u.out;
    zlib_state.avail_in = (uInt)b->len;
    zlib_state.next_out = out;
    zlib_state.avail_out = (uInt)b->plain;
    return inflateReset(&zlib_state) == Z_OK && inflate(&zlib_state, Z_FINISH) == Z_STREAM_END &&
           zlib_state.total_out == b->plain;
}

static size_t pack_gzip(uint8_t *to, size_t cap, const uint8_t *from, size_t len, int level)
{
    z_stream z;

    union {
        const uint8_t *in;
        uint8_t *out;
    } u;

    u.in = from;
    memset(&z, 0, sizeof z);
    z.next_in = u.out;
    z.avail_in = (uInt)len;
    z.next_out = to;
    z.avail_out = (uInt)cap;
    if (deflateInit2(&z, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK ||
        deflate(&z, Z_FINISH) != Z_STREAM_END) {
        bench_fail("zlib", "does not compress");
    }
    deflateEnd(&z);
    return z.total_out;
}
#endif
#ifdef HAVE_LIBDEFLATE
static struct libdeflate_decompressor *deflate_state;

static bool lib_deflate(const bench_block *b, uint8_t *out)
{
    size_t n;
    return libdeflate_gzip_decompress(deflate_state, b->data, b->len, out, b->plain, &n) ==
               LIBDEFLATE_SUCCESS &&
           n == b->plain;
}
#endif
#ifdef HAVE_SNAPPY
static bool lib_snappy(const bench_block *b, uint8_t *out)
{
    size_t n = b->plain;
    return snappy_uncompress((const char *)b->data, b->len, (char *)out, &n) == SNAPPY_OK &&
           n == b->plain;
}

static size_t pack_snappy(uint8_t *to, size_t cap, const uint8_t *from, size_t len, int level)
{
    (void)level;
    return snappy_compress((const char *)from, len, (char *)to, &cap) == SNAPPY_OK ? cap : 0;
}
#endif
#ifdef HAVE_LZ4
static bool lib_lz4(const bench_block *b, uint8_t *out)
{
    return LZ4_decompress_safe((const char *)b->data, (char *)out, (int)b->len, (int)b->plain) ==
           (int)b->plain;
}

static size_t pack_lz4(uint8_t *to, size_t cap, const uint8_t *from, size_t len, int level)
{
    (void)level;
    return (size_t)LZ4_compress_default((const char *)from, (char *)to, (int)len, (int)cap);
}
#endif

static double run(decoder d, const bench_blocks *b, uint8_t *out)
{
    double begin = bench_cpu();
    size_t i;
    for (i = 0; i < b->n; i++) {
        if (!d(&b->at[i], out)) {
            bench_fail("codecs", "a decoder refused its block while it was timed");
        }
    }
    return bench_cpu() - begin;
}

/* One line of the table; least is the ratio of speeds that is asked for, 0 = none. */
static void compare(const char *what, const char *peer, decoder mine, decoder other,
                    const bench_blocks *b, double least)
{
    double *a = (double *)bench_alloc(reps * sizeof *a),
           *o = (double *)bench_alloc(reps * sizeof *o);
    size_t i;
    taco_error err;
    bool good;
    double speed, ratio;
#ifdef TACO_NO_SIMD
    least = 0;
#endif
    memset(&err, 0, sizeof err);
    ours.len = 0;
    if (!taco__buf_reset(&ours, b->largest, &err)) { bench_fail("memory", err.text); }
    for (i = 0; i < b->n; i++) {
        memset(theirs, 0xA5, b->at[i].plain);
        if (!mine(&b->at[i], NULL) || !other(&b->at[i], theirs) ||
            memcmp(ours.data, theirs, b->at[i].plain) != 0) {
            bench_fail(what, "the results differ");
        }
    }
    for (i = 0; i < reps; i++) {
        o[i] = run(other, b, theirs);
        a[i] = run(mine, b, NULL);
    }
    speed = (double)b->plain / bench_median(a, reps) * 1e-6;
    ratio = speed / ((double)b->plain / bench_median(o, reps) * 1e-6);
    good = least <= 0 || ratio >= least;
    missed += !good;
    printf("%-26s %-11s %7.0f MB/s  %5.2f x", what, peer, speed, ratio);
    if (least > 0) { printf(" (%.1f) %s", least, good ? "ok" : "MISS"); }
    printf("\n");
    fflush(stdout);
    free(a);
    free(o);
}

/* Compressed blocks of `step` bytes of what is at plain, in memory of their own. */
static bench_blocks pack(size_t (*one)(uint8_t *, size_t, const uint8_t *, size_t, int), int level,
                         const uint8_t *plain, size_t len, size_t step)
{
    bench_blocks b;
    size_t at;
    memset(&b, 0, sizeof b);
    for (at = 0; at < len; at += step) {
        size_t n = len - at < step ? len - at : step, cap = n + n / 4 + 4096, size;
        uint8_t *to = (uint8_t *)bench_alloc(cap);
        size = one(to, cap, plain + at, n, level);
        bench_add(&b, (uint8_t *)realloc(to, size + TACO__PAD), size, n);
    }
    return b;
}

static void drop(bench_blocks *b)
{
    size_t i;
    for (i = 0; i < b->n; i++) {
        union {
            const uint8_t *in;
            uint8_t *out;
        } u;

        u.in = b->at[i].data;
        free(u.out);
    }
    free(b->at);
}

static void packed(const char *what, const char *peer, decoder mine, decoder other,
                   size_t (*one)(uint8_t *, size_t, const uint8_t *, size_t, int), int level,
                   const uint8_t *plain, size_t len, size_t step, double least)
{
    bench_blocks b = pack(one, level, plain, len, step);
    compare(what, peer, mine, other, &b, least);
    drop(&b);
}

static void crc(const uint8_t *p, size_t len)
{
    double *v = (double *)bench_alloc(reps * sizeof *v), speed;
    uint32_t x = 0;
    size_t i, k;
#if TACO__X86
    const char *how = "carry-less multiply";
    double least = 20;
    if (!TACO__CPU_HAS("pclmul")) {
        how = "plain C";
        least = 3;
    }
#else
    const char *how = "plain C";
    double least = 3;
#endif
#ifdef HAVE_ZLIB
    if (taco__crc32(0, p, len) != crc32(0, p, (uInt)len)) {
        bench_fail("CRC-32", "the results differ");
    }
#endif
    for (i = 0; i < reps; i++) {
        v[i] = bench_cpu();
        for (k = 0; k < 64; k++) {
            x ^= taco__crc32((uint32_t)k, p, len);
        }
        v[i] = bench_cpu() - v[i];
    }
    speed = (double)len * 64 / bench_median(v, reps) * 1e-9;
    missed += speed < least;
    printf("%-26s %-19s %5.1f GB/s      (%.0f) %s%s\n", "CRC-32", how, speed, least,
           speed >= least ? "ok" : "MISS", x ? "" : " ");
    free(v);
}

int main(int argc, char **argv)
{
    size_t level0_len, mixed_len, len, at, i, mib = (size_t)1 << 20;
    uint8_t *level0, *mixed, *plain;
    bench_blocks pages;
    taco_options options;
    if (argc != 4) { bench_fail("codecs", "REPS LEVEL0.parquet MIXED"); }
    reps = (size_t)atoi(argv[1]);
    memset(&options, 0, sizeof options);
    options.limits.max_memory = (uint64_t)1 << 30;
    taco__mem_init(&mem, &options);
    ours.mem = &mem;
    level0 = bench_slurp(argv[2], &level0_len);
    mixed = bench_slurp(argv[3], &mixed_len);
    pages = bench_pages(argv[2], level0, level0_len);
    theirs = (uint8_t *)bench_alloc((pages.largest > mib ? pages.largest : mib) + TACO__PAD);
    plain = (uint8_t *)bench_alloc(pages.plain);
    for (i = len = 0; i < pages.n; i++, len += ours.len) {
        if (!taco_zstd(&pages.at[i], NULL)) { bench_fail(argv[2], "a page is refused"); }
        memcpy(plain + len, ours.data, ours.len);
    }
    len = len < 48 * mib ? len : 48 * mib;
    printf("%-26s %-11s %12s  %s\n", TACO__X86 ? "decoder" : "decoder, plain C", "peer", "speed",
           "of the peer's (least)");
#ifdef HAVE_ZSTD
    zstd_state = ZSTD_createDCtx();
    compare("zstd, pages of level0", "libzstd", taco_zstd, lib_zstd, &pages, .9);
    packed("zstd 1, mixed", "libzstd", taco_zstd, lib_zstd, pack_zstd, 1, mixed, mixed_len, mib,
           .9);
    packed("zstd 3, mixed", "libzstd", taco_zstd, lib_zstd, pack_zstd, 3, mixed, mixed_len, mib,
           .9);
    at = mixed_len; /* the writer is slow: every fourth MiB */
    for (i = 0; i * 4 * mib < mixed_len; i++) {
        memmove(mixed + i * mib, mixed + i * 4 * mib,
                at - i * 4 * mib < mib ? at - i * 4 * mib : mib);
    }
    packed("zstd 13, mixed", "libzstd", taco_zstd, lib_zstd, pack_zstd, 13, mixed, mixed_len / 4,
           mib, .9);
    ZSTD_freeDCtx(zstd_state);
#else
    printf("MISSING libzstd\n");
#endif
    free(mixed);
    mixed = bench_slurp(argv[3], &mixed_len);
#ifdef HAVE_ZLIB
    if (inflateInit2(&zlib_state, 15 + 16) != Z_OK) { bench_fail("zlib", "does not start"); }
    packed("gzip, mixed", "zlib", taco_flate, lib_zlib, pack_gzip, 6, mixed, mixed_len, mib, 2);
    packed("gzip, pages of level0", "zlib", taco_flate, lib_zlib, pack_gzip, 6, plain, len, mib / 8,
           2);
    inflateEnd(&zlib_state);
#ifdef HAVE_LIBDEFLATE
    deflate_state = libdeflate_alloc_decompressor();
    packed("gzip, mixed", "libdeflate", taco_flate, lib_deflate, pack_gzip, 6, mixed, mixed_len,
           mib, 0);
    packed("gzip, pages of level0", "libdeflate", taco_flate, lib_deflate, pack_gzip, 6, plain, len,
           mib / 8, 0);
    libdeflate_free_decompressor(deflate_state);
#else
    printf("MISSING libdeflate\n");
#endif
#else
    printf("MISSING zlib\n");
#endif
#ifdef HAVE_SNAPPY
    packed("snappy, pages of level0", "snappy", taco_snappy, lib_snappy, pack_snappy, 0, plain, len,
           mib / 8, .9);
    packed("snappy, mixed", "snappy", taco_snappy, lib_snappy, pack_snappy, 0, mixed, mixed_len,
           mib, .9);
#else
    printf("MISSING snappy\n");
#endif
#ifdef HAVE_LZ4
    packed("lz4, pages of level0", "lz4", taco_lz4, lib_lz4, pack_lz4, 0, plain, len, mib / 8, .9);
    packed("lz4, mixed", "lz4", taco_lz4, lib_lz4, pack_lz4, 0, mixed, mixed_len, mib, .9);
#else
    printf("MISSING lz4\n");
#endif
    crc(mixed, mib);
    taco__buf_free(&ours);
    free(pages.at);
    free(plain);
    free(level0);
    free(mixed);
    free(theirs);
    return missed != 0;
}
