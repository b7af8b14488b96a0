/* base/bitmap.c, bit_unpack.c: bitmaps at every offset compared with a bit-by-bit model, unpacking
   kernels with a bit-by-bit reader. Inputs end where the allocation ends, so that a sanitizer
   detects any read past the end. */
#include "cpu.h"

#include "../src/base/bitmap.c"
#include "../src/base/bit_unpack.c"
#include "../taco_parquet.h"
#include "../extra/taco_parquet_write.h"
#include "test.h"

static uint64_t seed = 88172645463325252U;

static uint64_t rnd(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

static size_t below(size_t n)
{
    return (size_t)(rnd() % n);
}

static uint8_t *noise(size_t n)
{
    uint8_t *p = (uint8_t *)malloc(n ? n : 1);
    size_t i;
    for (i = 0; i < n; i++) {
        p[i] = (uint8_t)rnd();
    }
    return p;
}

/* The first `width` bits at a bit position, one by one. */
static uint64_t bits_at(const uint8_t *p, uint64_t bit, unsigned width)
{
    uint64_t x = 0;
    unsigned k;
    for (k = 0; k < width; k++, bit++) {
        x |= (uint64_t)((unsigned)p[bit >> 3] >> (bit & 7) & 1U) << k;
    }
    return x;
}

static void get_put(void)
{
    size_t bit, n, i;
    CHECK(taco__bitmap_read(NULL, 0, 0) == 0 && taco__bitmap_count(NULL, 0, 0) == 0);
    for (bit = 0; bit < 16; bit++) {
        for (n = 0; n <= 64; n++) {
            size_t bytes = TACO__BITMAP_BYTES(bit + n);
            uint8_t *a = noise(bytes), *b = (uint8_t *)malloc(bytes ? bytes : 1);
            uint64_t x = rnd();
            CHECK(taco__bitmap_read(a, bit, n) == bits_at(a, bit, (unsigned)n));
            memcpy(b, a, bytes);
            taco__bitmap_write(b, bit, x, n);
            CHECK(bits_at(b, bit, (unsigned)n) == (x & TACO__LOW_BITS(n)));
            for (i = 0; i < bytes * 8; i++) {
                if (i < bit || i >= bit + n) {
                    CHECK(taco__bitmap_get(a, i) == taco__bitmap_get(b, i));
                }
            }
            free(a);
            free(b);
        }
    }
}

static void fill_count(void)
{
    size_t round, i;
    for (round = 0; round < 3000; round++) {
        size_t bit = below(70), n = below(300), bytes = TACO__BITMAP_BYTES(bit + n), ones = 0;
        bool value = (rnd() & 1) != 0;
        uint8_t *a = noise(bytes), *b = (uint8_t *)malloc(bytes ? bytes : 1);
        for (i = 0; i < n; i++) {
            ones += taco__bitmap_get(a, bit + i);
        }
        CHECK(taco__bitmap_count(a, bit, n) == ones);
        memcpy(b, a, bytes);
        taco__bitmap_fill(b, bit, n, value);
        for (i = 0; i < bytes * 8; i++) {
            CHECK(taco__bitmap_get(b, i) ==
                  (i < bit || i >= bit + n ? taco__bitmap_get(a, i) : value));
        }
        free(a);
        free(b);
    }
}

static void copy(void)
{
    size_t round, i;
    for (round = 0; round < 5000; round++) {
        size_t from = below(20), to = below(20), n = below(400);
        size_t sb = TACO__BITMAP_BYTES(from + n), db = TACO__BITMAP_BYTES(to + n);
        uint8_t *s = noise(sb), *d = noise(db), *e = (uint8_t *)malloc(db ? db : 1);
        size_t ones;
        memcpy(e, d, db);
        ones = taco__bitmap_copy(d, to, s, from, n);
        CHECK(ones == taco__bitmap_count(s, from, n));
        for (i = 0; i < db * 8; i++) {
            bool want =
                i < to || i >= to + n ? taco__bitmap_get(e, i) : taco__bitmap_get(s, from + i - to);
            CHECK(taco__bitmap_get(d, i) == want);
        }
        free(s);
        free(d);
        free(e);
    }
}

static void select_ones(void)
{
    size_t round, i;
    for (round = 0; round < 1000; round++) {
        size_t bit = below(20), n = below(400), bytes = TACO__BITMAP_BYTES(bit + n), ones, k = 0;
        uint8_t *a = noise(bytes);
        int32_t *out;
        if (round % 3 == 0) { memset(a, 0xFF, bytes); }
        ones = taco__bitmap_count(a, bit, n);
        out = (int32_t *)malloc(ones * 4 + 1);
        CHECK(taco__bitmap_select(a, bit, n, out) == ones);
        for (i = 0; i < n; i++) {
            if (taco__bitmap_get(a, bit + i)) { CHECK(out[k++] == (int32_t)i); }
        }
        CHECK(k == ones);
        free(out);
        out = (int32_t *)malloc((n - ones) * 4 + 1);
        CHECK(taco__bitmap_select_zeros(a, bit, n, out) == n - ones);
        for (i = k = 0; i < n; i++) {
            if (!taco__bitmap_get(a, bit + i)) { CHECK(out[k++] == (int32_t)i); }
        }
#if TACO__X86
        if (ones && TACO__CPU_HAS("bmi")) { /* both ways give the same */
            int32_t *other = (int32_t *)malloc(ones * 4);
            free(out);
            out = (int32_t *)malloc(ones * 4);
            CHECK(taco__bitmap_select_body(a, bit, n, 0, out) == ones);
            CHECK(taco__bitmap_select_bmi(a, bit, n, 0, other) == ones);
            CHECK(memcmp(out, other, ones * 4) == 0);
            free(other);
        }
#endif
        free(a);
        free(out);
    }
}

static void unpack_all_widths(void)
{
    unsigned width;
    size_t round, i;
    for (width = 0; width <= 64; width++) {
        for (round = 0; round < 60; round++) {
            size_t first = below(40), n = below(round < 30 ? 20 : 300);
            size_t need = (size_t)(((first + n) * width + 7) / 8),
                   bytes = need + below(3) * below(40);
            uint8_t *src = noise(bytes);
            uint32_t *d32 = (uint32_t *)malloc(n * 4 + TACO__PAD);
            uint64_t *d64 = (uint64_t *)malloc(n * 8 + TACO__PAD);
            if (width <= 32) {
                taco__bit_unpack32(src, bytes, width, first, n, d32);
                for (i = 0; i < n; i++) {
                    CHECK(d32[i] == bits_at(src, (uint64_t)(first + i) * width, width));
                }
                taco__bit_unpack_msb(src, width, first, n, d32);
                for (i = 0; i < n; i++) {
                    uint64_t k, x = 0, at = (uint64_t)(first + i) * width;
                    for (k = at; k < at + width; k++) {
                        x = x << 1 | ((unsigned)src[k >> 3] >> (7 - (k & 7)) & 1U);
                    }
                    CHECK(d32[i] == x);
                }
            }
            taco__bit_unpack64(src, bytes, width, first, n, d64);
            for (i = 0; i < n; i++) {
                CHECK(d64[i] == bits_at(src, (uint64_t)(first + i) * width, width));
            }
            free(src);
            free(d32);
            free(d64);
        }
    }
}

#if TACO__X86
#define UNPACK32(src, width, groups, dst) taco__bit_unpack32_avx2(src, width, groups, dst)
#define UNPACK64(src, width, groups, dst) taco__bit_unpack64_avx2(src, width, groups, dst)
#define ABOVE(src, width, groups, dst, max)                                                        \
    taco__bit_unpack32_above_avx2(src, width, groups, dst, max)
#elif TACO__V16
#define UNPACK32(src, width, groups, dst) taco__bit_unpack32_v16(src, width, groups, dst)
#if TACO__NEON
#define UNPACK64(src, width, groups, dst) taco__bit_unpack64_neon(src, width, groups, dst)
#endif
#define ABOVE(src, width, groups, dst, max)                                                        \
    taco__bit_unpack32_above_v16(src, width, groups, dst, max)
#endif

#if TACO__X86 || TACO__V16
/* Kernels with vectors give what plain C gives: every width, 1 to 40 groups, with the overread at
   the end of the allocation. */
static void twins_of_width(unsigned width, size_t groups)
{
    uint8_t *src = noise(groups * width + TACO__BIT_UNPACK_OVERREAD);
    uint32_t a[320], b[320];
#ifdef UNPACK64
    uint64_t c[320], d[320];
#endif
    if (width <= 25) {
        uint32_t max = (uint32_t)(TACO__LOW_BITS(width) - below(3) % (TACO__LOW_BITS(width) + 1));
        taco__bit_unpack32_plain(src, width, groups, a);
        UNPACK32(src, width, groups, b);
        CHECK(memcmp(a, b, groups * 8 * sizeof *a) == 0);
        memset(b, 0, sizeof b);
        CHECK(ABOVE(src, width, groups, b, max) ==
              taco__bit_unpack_any_above_plain(a, groups * 8, max));
        CHECK(memcmp(a, b, groups * 8 * sizeof *a) == 0);
    }
#ifdef UNPACK64
    taco__bit_unpack64_plain(src, width, groups, c);
    UNPACK64(src, width, groups, d);
    CHECK(memcmp(c, d, groups * 8 * sizeof *c) == 0);
#endif
    free(src);
}
#endif

static void twins(void)
{
#if TACO__X86 || TACO__V16
    unsigned width;
    size_t groups;
#if TACO__X86
    if (!TACO__CPU_HAS("avx2")) {
        SKIP("no AVX2");
        return;
    }
#endif
    for (width = 1; width <= 57; width++) {
        for (groups = 1; groups <= 40; groups++) {
            twins_of_width(width, groups);
        }
    }
#else
    SKIP("one twin alone");
#endif
}

static void any_above(void)
{
    size_t i;
    uint32_t a[256];
    for (i = 0; i < 4000; i++) {
        size_t n = below(256), k;
        uint32_t max = (uint32_t)(rnd() & 0x7FFFFFFF);
        bool want = false;
        for (k = 0; k < n; k++) {
            a[k] = (uint32_t)below(max + (size_t)1);
        }
        if (n && i % 2) { a[below(n)] = i % 4 == 1 ? max + 1 : UINT32_MAX - (uint32_t)below(1000); }
        for (k = 0; k < n; k++) {
            want = want || a[k] > max;
        }
#if TACO__X86
        if (TACO__CPU_HAS("avx2")) { CHECK(taco__bit_unpack_any_above_avx2(a, n, max) == want); }
#endif
        CHECK(taco__bit_unpack_any_above_plain(a, n, max) == want);
    }
}

/* Unpacked and compared in one step or in two, from any value on, in exactly the bytes there
   are. */
static void unpack_above(void)
{
    size_t round, i;
    for (round = 0; round < 3000; round++) {
        unsigned width = 1 + (unsigned)below(31);
        size_t n = rnd() % 2 ? below(200) : 8 * below(30),
               first = rnd() % 2 ? below(30) : 8 * below(4);
        size_t len = ((first + n) * width + 7) / 8 + (rnd() % 2 ? below(40) : 0);
        uint8_t *src = noise(len);
        uint32_t *want = (uint32_t *)malloc((n + 16) * 4), *got = (uint32_t *)malloc((n + 16) * 4);
        uint32_t max = (uint32_t)(TACO__LOW_BITS(width) & 0x7FFFFFFF);
        bool above = false;
        max -= rnd() % 2 ? (uint32_t)below((size_t)max + 1) / 64 : 0;
        taco__bit_unpack32(src, len, width, first, n, want);
        for (i = 0; i < n; i++) {
            above = above || want[i] > max;
        }
        CHECK(taco__bit_unpack32_above(src, len, width, first, n, got, max) == above);
        CHECK(memcmp(want, got, n * 4) == 0);
        free(src);
        free(want);
        free(got);
    }
}

int main(void)
{
    RUN(get_put);
    RUN(fill_count);
    RUN(copy);
    RUN(select_ones);
    RUN(unpack_all_widths);
    RUN(twins);
    RUN(any_above);
    RUN(unpack_above);
    cpu_lacks = "avx2"; /* the same without */
    RUN(unpack_all_widths);
    RUN(any_above);
    RUN(unpack_above);
    cpu_lacks = "bmi";
    RUN(select_ones);
    return test_end("test_bits");
}
