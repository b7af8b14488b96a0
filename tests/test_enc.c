/* parquet/rle.c, plain.c, delta_*.c, byte_stream_split.c: every decoder against small encoders
   written here. One large read, and reads and skips of random lengths, must return the same values;
   every truncated input must fail cleanly; each error has its code, offset and text. Inputs are
   copied to allocations of exactly their size, so that a sanitizer detects any read past the end.
   */
#include "../src/parquet/spacing.c"
#include "../src/parquet/delta_binary_packed.c"
#include "../src/parquet/byte_stream_split.c"
#include "../src/base/base.h"
#include "../src/arrow/arrow.h"
#include "../src/parquet_write/parquet_write.h"
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

static size_t at_most(size_t limit, size_t n)
{
    return n < limit ? n : limit;
} /* TACO__MIN would call rnd twice */

/* ---- a byte and bit writer ---- */

typedef struct out {
    uint8_t *p;
    size_t n, cap;
    unsigned bits; /* used in the last byte; 0 = none begun */
} out;

static void put8(out *o, unsigned x)
{
    if (o->n == o->cap) {
        o->cap = o->cap * 2 + 64;
        o->p = (uint8_t *)realloc(o->p, o->cap);
    }
    o->p[o->n++] = (uint8_t)x;
    o->bits = 0;
}

static void put_bytes(out *o, const void *p, size_t n)
{
    size_t i;
    for (i = 0; i < n; i++) {
        put8(o, ((const uint8_t *)p)[i]);
    }
}

static void put32(out *o, uint32_t x)
{
    unsigned k;
    for (k = 0; k < 32; k += 8) {
        put8(o, x >> k & 0xFF);
    }
}

static void put_varint(out *o, uint64_t x)
{
    for (; x >= 128; x >>= 7) {
        put8(o, (unsigned)(x & 127) | 128);
    }
    put8(o, (unsigned)x);
}

static void put_zigzag(out *o, uint64_t x)
{
    put_varint(o, (x << 1) ^ (uint64_t)((int64_t)x >> 63));
}

static void put_bits(out *o, uint64_t x, unsigned width)
{
    unsigned k;
    for (k = 0; k < width; k++) {
        unsigned b = o->bits;
        if (!b) { put8(o, 0); }
        o->p[o->n - 1] = (uint8_t)(o->p[o->n - 1] | (unsigned)(x >> k & 1) << b);
        o->bits = (b + 1) & 7;
    }
}

/* The bytes in an allocation of exactly their size; the writer is emptied. */
static taco_bytes done(out *o)
{
    uint8_t *p = (uint8_t *)calloc(1, o->n ? o->n : 1);
    taco_bytes b = taco__bytes_of(p, o->n);
    if (o->n) { memcpy(p, o->p, o->n); }
    free(o->p);
    memset(o, 0, sizeof *o);
    return b;
}

static taco_bytes exact(const void *p, size_t n)
{
    out o;
    memset(&o, 0, sizeof o);
    put_bytes(&o, p, n);
    return done(&o);
}

static void drop(taco_bytes b)
{
    free((void *)(uintptr_t)b.data);
}

static void *room(size_t n)
{
    return malloc(n + TACO__PAD);
}

static taco_error err;

static void clear(void)
{
    memset(&err, 0, sizeof err);
}

#define CHECK_FAIL(call, status, at, message)                                                      \
    do {                                                                                           \
        clear();                                                                                   \
        CHECK(!(call));                                                                            \
        CHECK(err.code == (status));                                                               \
        CHECK(err.offset == (uint64_t)(at));                                                       \
        CHECK_TEXT(taco_text(), (message));                                                        \
    } while (0)

static const char *taco_text(void)
{
    return err.text;
}

static taco__mem mem;

static taco__buf new_buf(void)
{
    taco__buf b;
    memset(&b, 0, sizeof b);
    b.mem = &mem;
    return b;
}

static unsigned bits_of(uint64_t x)
{
    unsigned n = 0;
    for (; x; x >>= 1) {
        n++;
    }
    return n;
}

/* ---- RLE / bit-packed hybrid ---- */

/* Random runs of at least n values below `limit` (0: 2^width); v gets the values. */
static taco_bytes rle_make(unsigned width, uint64_t limit, size_t n, uint32_t *v, bool cut)
{
    out o;
    size_t i = 0, k;
    uint64_t top = limit ? limit : (uint64_t)1 << width;
    memset(&o, 0, sizeof o);
    while (i < n) {
        if (rnd() % 5 == 0) {
            put_varint(&o, rnd() & 1); /* an empty run of either kind */
            if (!(o.p[o.n - 1] & 1)) {
                for (k = 0; k < (width + 7) / 8; k++) {
                    put8(&o, 0);
                }
            }
        }
        if (rnd() & 1) {
            size_t m = at_most(n - i, 1 + below(rnd() % 8 == 0 ? 1000 : 20));
            uint32_t x = (uint32_t)(rnd() % top);
            put_varint(&o, (uint64_t)m << 1);
            for (k = 0; k < (width + 7) / 8; k++) {
                put8(&o, x >> 8 * k & 0xFF);
            }
            for (k = 0; k < m; k++) {
                v[i++] = x;
            }
        } else {
            size_t groups = 1 + below(rnd() % 8 == 0 ? 200 : 4), from = i, bits;
            put_varint(&o, (uint64_t)groups << 1 | 1);
            bits = o.n;
            for (k = 0; k < groups * 8; k++) {
                uint32_t x = (uint32_t)(rnd() % top);
                if (i < n) { v[i++] = x; }
                put_bits(&o, x, width);
            }
            if (cut && i == n) { /* as some writers end a page */
                o.n = bits + ((i - from) * width + 7) / 8;
            }
            o.bits = 0;
        }
    }
    return done(&o);
}

static void rle_indices(void)
{
    unsigned width, round;
    size_t i;
    for (width = 0; width <= 32; width++) {
        for (round = 0; round < 12; round++) {
            size_t n = below(2500),
                   entries = width >= 31 ? (size_t)1 << 31
                                         : ((size_t)1 << width) -
                                               (width ? below(((size_t)1 << width) / 2) : 0);
            uint32_t *v = (uint32_t *)malloc(n * 4 + 4);
            int32_t *got = (int32_t *)room(n * 4);
            taco_bytes b =
                rle_make(width, width > 31 ? (uint64_t)1 << 31 : entries, n, v, (round & 1) != 0);
            taco__rle r;
            clear();
            CHECK(taco__rle_open(&r, b, width, &err));
            CHECK(taco__rle_read_indices(&r, got, n, entries, &err));
            CHECK(memcmp(got, v, n * 4) == 0);
            CHECK(taco__rle_open(&r, b, width, &err));
            for (i = 0; i < n;) {
                size_t m = at_most(n - i, below(70));
                if (rnd() & 1) {
                    CHECK(taco__rle_skip(&r, m, &err));
                } else if (rnd() & 1) {
                    size_t equal = 99999, k, want = 0;
                    for (k = 0; k < m; k++) {
                        want += v[i + k] == v[i];
                    }
                    CHECK(taco__rle_skip_count(&r, m, v[i], &equal, &err));
                    CHECK(equal == want);
                } else {
                    memset(got, 0x55, n * 4);
                    CHECK(taco__rle_read_indices(&r, got, m, entries, &err));
                    CHECK(memcmp(got, v + i, m * 4) == 0);
                }
                i += m;
            }
            CHECK(err.code == TACO_OK);
            free(v);
            free(got);
            drop(b);
        }
    }
}

/* What the writer makes of indices without runs: one header for up to 8191 groups of eight. */
static void rle_long_runs(void)
{
    static const size_t sizes[] = {1, 504, 505, 512, 20000, 65528, 65529, 131073};
    static const size_t entries[] = {2, 200, 40000, 1 << 20};
    uint32_t *v = (uint32_t *)room(131073 * 4);
    int32_t *got = (int32_t *)room(131073 * 4);
    size_t s, e, i;
    for (s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (e = 0; e < 4; e++) {
            const size_t n = sizes[s], groups = (n + 7) / 8;
            const unsigned width = bits_of(entries[e] - 1);
            taco__buf b = new_buf();
            taco__rle r;
            for (i = 0; i < n; i++) {
                v[i] = i % 8 < 2 ? (uint32_t)(i % 2) : (uint32_t)below(entries[e]);
            }
            CHECK(taco__encode_indices(&b, v, n, entries[e], &err));
            CHECK(b.len <= 1 + groups * width + 2 * (groups / 8191 + 1));
            CHECK(taco__rle_open(&r, taco__bytes_of(b.data + 1, b.len - 1), width, &err));
            CHECK(taco__rle_read_indices(&r, got, n, entries[e], &err));
            CHECK(memcmp(got, v, n * 4) == 0);
            taco__buf_free(&b);
        }
    }
    free(v);
    free(got);
    clear();
}

static void rle_dict(void)
{
    static const size_t widths[] = {1, 2, 4, 8, 12, 16, 32, 7};
    size_t w, i, k;
    for (w = 0; w < TACO__COUNT(widths); w++) {
        size_t width = widths[w], entries = 1 + below(3000), n = 4000;
        uint8_t *dict = (uint8_t *)malloc(entries * width), *got = (uint8_t *)room(n * width),
                *want = (uint8_t *)malloc(n * width);
        uint32_t *v = (uint32_t *)malloc(n * 4);
        unsigned bw = bits_of(entries - 1);
        taco_bytes b = rle_make(bw, entries, n, v, true);
        taco__rle r;
        for (i = 0; i < entries * width; i++) {
            dict[i] = (uint8_t)rnd();
        }
        for (i = 0; i < n; i++) {
            memcpy(want + i * width, dict + v[i] * width, width);
        }
        clear();
        CHECK(taco__rle_open(&r, b, bw, &err));
        CHECK(taco__rle_read_dict(&r, got, dict, width, entries, n, &err));
        CHECK(memcmp(got, want, n * width) == 0);
        taco__take_fixed(got, dict, width, (const int32_t *)v, n);
        CHECK(memcmp(got, want, n * width) == 0);
        CHECK(taco__rle_open(&r, b, bw, &err));
        for (i = 0; i < n; i += k) {
            k = at_most(n - i, 1 + below(300));
            CHECK(taco__rle_read_dict(&r, got, dict, width, entries, k, &err));
            CHECK(memcmp(got, want + i * width, k * width) == 0);
        }
        free(dict);
        free(got);
        free(want);
        free(v);
        drop(b);
    }
}

static void rle_levels(void)
{
    unsigned max, round;
    size_t i;
    for (max = 0; max < 300; max = max < 9 ? max + 1 : max * 3) {
        for (round = 0; round < 6; round++) {
            size_t n = below(2000);
            unsigned width = bits_of(max);
            uint32_t *v = (uint32_t *)malloc(n * 4 + 4);
            int16_t *got = (int16_t *)room(n * 2);
            uint8_t *mask = (uint8_t *)calloc(1, n / 8 + 3);
            taco_bytes b = rle_make(width, max + (uint64_t)1, n, v, true);
            taco__rle r;
            size_t ones = 0;
            clear();
            CHECK(taco__rle_open(&r, b, width, &err));
            for (i = 0; i < n;) {
                size_t k, m = at_most(n - i, 1 + below(n));
                CHECK(taco__rle_read_levels(&r, got, m, max, &err));
                for (k = 0; k < m; k++) {
                    CHECK((uint32_t)got[k] == v[i + k]);
                    ones += v[i + k] == max;
                }
                i += m;
            }
            CHECK(taco__rle_open(&r, b, width, &err));
            CHECK(taco__rle_skip_count(&r, n, max, &i, &err));
            CHECK(i == ones);
            free(v);
            free(got);
            free(mask);
            drop(b);
        }
    }
}

static void rle_validity(void)
{
    unsigned round;
    size_t i, k;
    for (round = 0; round < 200; round++) {
        size_t n = 1 + below(3000), bytes = TACO__BITMAP_BYTES(n + 11);
        uint32_t *v = (uint32_t *)malloc(n * 4);
        uint8_t *map = (uint8_t *)malloc(bytes);
        taco_bytes b = rle_make(1, 0, n, v, (round & 1) != 0);
        taco__rle r;
        size_t ones;
        memset(map, 0xAA, bytes);
        clear();
        CHECK(taco__rle_open(&r, b, 1, &err));
        for (i = 0; i < n;) {
            size_t m = at_most(n - i, below(200)), want = 0;
            for (k = 0; k < m; k++) {
                want += v[i + k];
            }
            if (rnd() % 4 == 0) {
                unsigned level = (unsigned)(rnd() & 1);
                CHECK(taco__rle_skip_count(&r, m, level, &ones, &err));
                CHECK(ones == (level ? want : m - want));
                for (k = 0; k < m; k++) {
                    taco__bitmap_write(map, 11 + i + k, v[i + k], 1);
                }
            } else {
                CHECK(taco__rle_read_validity(&r, map, 11 + i, m, &ones, &err));
                CHECK(ones == want);
            }
            i += m;
        }
        for (i = 0; i < n; i++) {
            CHECK(taco__bitmap_get(map, 11 + i) == (v[i] != 0));
        }
        CHECK(map[0] == 0xAA && (map[1] & 7) == 2);
        free(v);
        free(map);
        drop(b);
    }
}

/* The legacy encoding, on the example of Encodings.md and on random levels. */
static void bit_packed(void)
{
    static const uint8_t example[] = {0x05, 0x39, 0x77}; /* 0 to 7, 3 bits each */
    taco_bytes b = exact(example, 3);
    taco__rle r;
    int16_t *got = (int16_t *)room(1000 * 2);
    size_t i, ones = 0;
    uint8_t map[40];
    clear();
    CHECK(taco__rle_open_msb(&r, b, 3, &err));
    CHECK(taco__rle_read_levels(&r, got, 3, 7, &err));
    CHECK(taco__rle_read_levels(&r, got + 3, 5, 7, &err));
    for (i = 0; i < 8; i++) {
        CHECK(got[i] == (int16_t)i);
    }
    CHECK_FAIL(taco__rle_read_levels(&r, got, 1, 7, &err), TACO_ERR_TRUNCATED, 3,
               "at byte 3: values end, 1 more expected");
    clear();
    CHECK(taco__rle_open_msb(&r, b, 1, &err));
    CHECK(taco__rle_skip(&r, 3, &err) && taco__rle_read_validity(&r, map, 2, 21, &ones, &err));
    CHECK(ones == 12 && taco__rle_open_msb(&r, b, 1, &err));
    CHECK(taco__rle_skip_count(&r, 24, 1, &ones, &err) && ones == 12);
    for (i = 0; i < 21; i++) {
        CHECK(taco__bitmap_get(map, 2 + i) ==
              ((example[(i + 3) / 8] >> (7 - (i + 3) % 8) & 1) != 0));
    }
    drop(b);
    free(got);
}

static void rle_errors(void)
{
    taco__rle r;
    int32_t got[64];
    int16_t lev[64];
    uint8_t map[16];
    size_t ones;
    static const uint8_t high[] = {0x02, 0x07, 0x03,
                                   /* 1 x 7; eight of 3 bits: 0 1 2 3 4 7 7 7 */
                                   0x88, 0xC6, 0xFF};
    static const uint8_t wide[] = {0x03, 0, 1, 2, 3, 4, 0x8B, 6, 7, 0x07, 0x8B};
    static const uint8_t lng[] = {0xFF, 0xFF, 0xFF, 0xFF, 0x1F, 0};
    static const uint8_t two[] = {0x08, 0x02};
    taco_bytes b;

    CHECK_FAIL(taco__rle_open(&r, taco__bytes_of(high, 6), 33, &err), TACO_ERR_CORRUPT, 0,
               "at byte 0: bit width 33, at most 32 is allowed");
    clear();
    CHECK(taco__rle_open(&r, taco__bytes_of(NULL, 0), 3, &err));
    CHECK_FAIL(taco__rle_read_indices(&r, got, 4, 8, &err), TACO_ERR_TRUNCATED, 0,
               "at byte 0: values end, 4 more expected");
    clear();
    CHECK(taco__rle_open(&r, taco__bytes_of(high, 6), 3, &err) &&
          taco__rle_read_indices(&r, got, 0, 0, &err));
    CHECK_FAIL(taco__rle_read_indices(&r, got, 1, 0, &err), TACO_ERR_CORRUPT, 0,
               "at byte 0: dictionary index, but the dictionary is empty");
    CHECK_FAIL(taco__rle_read_indices(&r, got, 1, 7, &err), TACO_ERR_CORRUPT, 1,
               "at byte 1: dictionary index 7, dictionary has 7 entries");
    clear();
    CHECK(taco__rle_open(&r, taco__bytes_of(high, 6), 3, &err) && taco__rle_skip(&r, 1, &err));
    CHECK_FAIL(taco__rle_read_levels(&r, lev, 8, 5, &err), TACO_ERR_CORRUPT, 4,
               "at byte 4: level 7, the column's maximum is 5");
    b = exact(wide, 9);
    clear();
    CHECK(taco__rle_open(&r, b, 8, &err) && taco__rle_skip(&r, 2, &err));
    CHECK_FAIL(taco__rle_read_indices(&r, got, 6, 100, &err), TACO_ERR_CORRUPT, 6,
               "at byte 6: dictionary index 139, dictionary has 100 entries");
    CHECK_FAIL(taco__rle_read_dict(&r, got, wide, 1, 100, 6, &err), TACO_ERR_CORRUPT, 6,
               "at byte 6: dictionary index 139, dictionary has 100 entries");
    drop(b);
    b = exact(wide, 10);
    clear();
    CHECK(taco__rle_open(&r, b, 8, &err) && taco__rle_skip(&r, 8, &err));
    CHECK_FAIL(taco__rle_skip(&r, 5, &err), TACO_ERR_TRUNCATED, 10,
               "at byte 10: values end, 5 more expected");
    drop(b);
    b = exact(wide, 11); /* a run of 24, of which one value exists */
    clear();
    CHECK(taco__rle_open(&r, b, 8, &err) && taco__rle_skip(&r, 8, &err));
    CHECK(taco__rle_read_indices(&r, got, 1, 140, &err) && got[0] == 139);
    CHECK_FAIL(taco__rle_skip(&r, 5, &err), TACO_ERR_TRUNCATED, 11,
               "at byte 11: values end, 5 more expected");
    drop(b);
    clear();
    CHECK(taco__rle_open(&r, taco__bytes_of(lng, 6), 8, &err));
    CHECK_FAIL(taco__rle_skip(&r, 5, &err), TACO_ERR_CORRUPT, 0,
               "at byte 0: run header is longer than 32 bits");
    b = exact(lng, 4);
    CHECK(taco__rle_open(&r, b, 8, &err));
    CHECK_FAIL(taco__rle_skip(&r, 5, &err), TACO_ERR_TRUNCATED, 0,
               "at byte 0: run header is cut off");
    drop(b);
    clear();
    CHECK(taco__rle_open(&r, taco__bytes_of(two, 2), 9, &err));
    CHECK_FAIL(taco__rle_skip(&r, 5, &err), TACO_ERR_TRUNCATED, 1,
               "at byte 1: repeated value of 2 bytes, 1 are left");
    clear();
    CHECK(taco__rle_open(&r, taco__bytes_of(two, 2), 1, &err));
    CHECK_FAIL(taco__rle_read_validity(&r, map, 0, 4, &ones, &err), TACO_ERR_CORRUPT, 1,
               "at byte 1: level 2, the column's maximum is 1");
    clear();
    CHECK(taco__rle_open(&r, taco__bytes_of(NULL, 0), 0,
                         &err)); /* a dictionary of one needs no runs */
    memset(got, 1, sizeof got);
    CHECK(taco__rle_read_indices(&r, got, 40, 1, &err) && got[0] == 0 && got[39] == 0);
}

/* ---- PLAIN ---- */

static void plain_fixed(void)
{
    static const uint8_t bytes[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12,
                                    13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24};
    taco_bytes b = exact(bytes, 24);
    taco__plain p;
    uint64_t v64[3 + 8];
    uint32_t v32[6 + 16];
    uint8_t raw[24 + TACO__PAD];
    clear();
    taco__plain_open(&p, b);
    CHECK(taco__plain_read(&p, v64, 8, true, 2, &err) && v64[1] == taco__load_le64(bytes + 8));
    CHECK_FAIL(taco__plain_read(&p, v64, 8, true, 2, &err), TACO_ERR_TRUNCATED, 24,
               "at byte 24: values end, 1 more expected");
    clear();
    taco__plain_open(&p, b);
    CHECK(taco__plain_skip(&p, 4, 1, &err) && taco__plain_read(&p, v32, 4, true, 5, &err) &&
          v32[4] == 0x18171615);
    CHECK(taco__plain_read(&p, v32, 4, true, 0, &err) && taco__plain_skip(&p, 4, 0, &err));
    taco__plain_open(&p, b);
    CHECK(taco__plain_skip(&p, 12, 1, &err) && taco__plain_read(&p, raw, 12, false, 1, &err) &&
          memcmp(raw, bytes + 12, 12) == 0);
    CHECK_FAIL(taco__plain_skip(&p, 12, SIZE_MAX, &err), TACO_ERR_TRUNCATED, 24,
               SIZE_MAX > UINT32_MAX ? "at byte 24: values end, 18446744073709551615 more expected"
                                     : "at byte 24: values end, 4294967295 more expected");
    clear();
    taco__plain_open(&p, b);
    CHECK(taco__plain_read(&p, raw, 0, false, 5, &err)); /* FIXED of width 0 */
    drop(b);
}

static void plain_bits(void)
{
    unsigned round;
    for (round = 0; round < 300; round++) {
        uint8_t src[100], map[104];
        size_t i, n = 800, at = 0;
        taco_bytes b;
        taco__plain p;
        for (i = 0; i < sizeof src; i++) {
            src[i] = (uint8_t)rnd();
        }
        b = exact(src, sizeof src);
        taco__plain_open(&p, b);
        clear();
        while (at < n) {
            size_t m = at_most(n - at, below(100));
            if (rnd() & 1) {
                CHECK(taco__plain_skip_bits(&p, m, &err));
            } else {
                CHECK(taco__plain_read_bits(&p, map, 3, m, &err));
                for (i = 0; i < m; i++) {
                    CHECK(taco__bitmap_get(map, 3 + i) == taco__bitmap_get(src, at + i));
                }
            }
            at += m;
        }
        CHECK_FAIL(taco__plain_read_bits(&p, map, 0, 1, &err), TACO_ERR_TRUNCATED, 100,
                   "at byte 100: values end, 1 more expected");
        drop(b);
    }
}

/* random texts back to back */
typedef struct texts {
    uint8_t *p;
    int32_t *o;
    size_t n;
} texts;

static texts texts_make(size_t n, size_t longest)
{
    texts t;
    size_t i, k;
    bool alike = rnd() & 1; /* stretches of one length, which have a way of their own */
    t.n = n;
    t.o = (int32_t *)malloc((n + 1) * 4);
    t.p = (uint8_t *)malloc(n * longest + 1);
    t.o[0] = 0;
    for (i = 0; i < n; i++) {
        size_t len = rnd() % 4 ? below(1 + longest / 8) : below(longest + 1), from = (size_t)t.o[i];
        len = alike && i && rnd() % 180 ? from - (size_t)t.o[i - 1] : len;
        for (k = 0; k < len; k++) {
            t.p[from + k] = (uint8_t)('a' + (rnd() % 9 ? 0 : below(26)));
        }
        t.o[i + 1] = (int32_t)(from + len);
    }
    return t;
}

static void texts_free(texts *t)
{
    free(t->p);
    free(t->o);
}

/* The n texts from `first` on stand in data from text `at` on. */
static bool texts_same(const texts *t, size_t first, const taco__buf *data, const int32_t *o,
                       size_t at, size_t n)
{
    size_t i;
    for (i = 0; i < n; i++) {
        size_t len = (size_t)(t->o[first + i + 1] - t->o[first + i]);
        if ((size_t)(o[at + i + 1] - o[at + i]) != len ||
            (len && memcmp(data->data + o[at + i], t->p + t->o[first + i], len) != 0)) {
            return false;
        }
    }
    return (size_t)o[at + n] == data->len;
}

enum { PLAIN, DLEN, DBA };

typedef struct text_reader {
    int kind;
    taco__plain plain;
    taco__delta_len delta_len;
    taco__delta_bytes delta_bytes;
} text_reader;

static bool text_open(text_reader *t, int kind, taco_bytes b, size_t count)
{
    t->kind = kind;
    switch (kind) {
    case PLAIN: taco__plain_open(&t->plain, b); return true;
    case DLEN: return taco__delta_len_open(&t->delta_len, b, 0, count, &err);
    default:
        taco__delta_bytes_init(&t->delta_bytes, &mem);
        return taco__delta_bytes_open(&t->delta_bytes, b, count, &err);
    }
}

static void text_close(text_reader *t)
{
    if (t->kind == DBA) { taco__delta_bytes_free(&t->delta_bytes); }
}

static bool text_read(text_reader *t, taco__buf *data, int32_t *o, size_t n)
{
    return t->kind == PLAIN  ? taco__plain_read_text(&t->plain, data, o, n, &err)
           : t->kind == DLEN ? taco__delta_len_read_text(&t->delta_len, data, o, n, &err)
                             : taco__delta_bytes_read_text(&t->delta_bytes, data, o, n, &err);
}

static bool text_skip(text_reader *t, size_t n)
{
    return t->kind == PLAIN  ? taco__plain_skip_text(&t->plain, n, &err)
           : t->kind == DLEN ? taco__delta_len_skip(&t->delta_len, n, &err)
                             : taco__delta_bytes_skip(&t->delta_bytes, n, &err);
}

static void delta_put(out *o, const uint64_t *v, size_t n, unsigned bits, size_t block,
                      size_t minis);

static taco_bytes text_make(int kind, const texts *t)
{
    out o;
    uint64_t *a = (uint64_t *)calloc(t->n + 1, 8), *b = (uint64_t *)calloc(t->n + 1, 8);
    size_t i;
    memset(&o, 0, sizeof o);
    for (i = 0; i < t->n; i++) {
        const uint8_t *p = t->p + t->o[i], *q = i ? t->p + t->o[i - 1] : p;
        size_t len = (size_t)(t->o[i + 1] - t->o[i]), before = (size_t)(p - q);
        while (kind == DBA && a[i] < len && a[i] < before && p[a[i]] == q[a[i]]) {
            a[i]++;
        }
        b[i] = len - a[i];
        if (kind == PLAIN) {
            put32(&o, (uint32_t)len);
            put_bytes(&o, p, len);
        }
    }
    if (kind == DBA) { delta_put(&o, a, t->n, 32, 128, 4); }
    if (kind != PLAIN) {
        delta_put(&o, b, t->n, 32, 256, 2);
        for (i = 0; i < t->n; i++) {
            put_bytes(&o, t->p + t->o[i] + a[i], (size_t)b[i]);
        }
    }
    free(a);
    free(b);
    return done(&o);
}

static void text_all(void)
{
    int kind;
    size_t round, i, m;
    for (kind = PLAIN; kind <= DBA; kind++) {
        for (round = 0; round < 60; round++) {
            texts t =
                texts_make(round == 0 ? 0 : 1 + below(1200), round % 7 == 0 ? 500 : 1 + below(60));
            taco_bytes b = text_make(kind, &t);
            taco__buf data = new_buf();
            int32_t *o = (int32_t *)malloc((t.n + 2) * 4);
            text_reader r;
            clear();
            CHECK(text_open(&r, kind, b, t.n) && text_read(&r, &data, o, t.n));
            CHECK(texts_same(&t, 0, &data, o, 0, t.n));
            text_close(&r);
            CHECK(text_open(&r, kind, b, t.n + 5)); /* reads go on where the last one ended */
            data.len = 0;
            for (i = 0; i < t.n; i += m) {
                m = at_most(t.n - i, below(400));
                CHECK(text_read(&r, &data, o + i, m));
            }
            CHECK(texts_same(&t, 0, &data, o, 0, t.n));
            text_close(&r);
            CHECK(text_open(&r, kind, b, t.n));
            for (i = 0; i < t.n; i += m) {
                m = at_most(t.n - i, below(300));
                if (rnd() & 1) {
                    CHECK(text_skip(&r, m));
                } else {
                    data.len = 0;
                    CHECK(text_read(&r, &data, o, m));
                    CHECK(texts_same(&t, i, &data, o, 0, m));
                }
            }
            CHECK(err.code == TACO_OK);
            CHECK(!text_skip(&r, 1) && err.code == TACO_ERR_TRUNCATED);
            text_close(&r);
            taco__buf_free(&data);
            free(o);
            drop(b);
            texts_free(&t);
        }
    }
    CHECK(mem.used == 0);
}

/* Every cut of an input fails, and reads no byte behind it. */
static void text_cut(void)
{
    int kind;
    size_t cut;
    for (kind = PLAIN; kind <= DBA; kind++) {
        texts t = texts_make(150, 20);
        taco_bytes whole = text_make(kind, &t);
        for (cut = 0; cut < whole.len; cut++) {
            taco_bytes b = exact(whole.data, cut);
            taco__buf data = new_buf();
            int32_t o[152];
            text_reader r;
            clear();
            if (text_open(&r, kind, b, t.n)) { CHECK(!text_read(&r, &data, o, t.n)); }
            CHECK(err.code == TACO_ERR_TRUNCATED || err.code == TACO_ERR_CORRUPT);
            CHECK(err.offset <= cut);
            text_close(&r);
            clear();
            if (text_open(&r, kind, b, t.n)) { CHECK(!text_skip(&r, t.n)); }
            text_close(&r);
            taco__buf_free(&data);
            drop(b);
        }
        drop(whole);
        texts_free(&t);
    }
}

static void text_errors(void)
{
    static const uint8_t plain[] = {2, 0, 0, 0, 'a', 'b', 5, 0, 0, 0, 'c', 'd'};
    taco__buf data = new_buf();
    int32_t o[8];
    text_reader r;
    out w;
    taco_bytes b = exact(plain, 12);
    static const uint64_t negative[] = {1, 1, (uint64_t)-3}, lengths[] = {2, 3},
                          prefixes[] = {0, 3};
    uint8_t flba[4 * 2 + TACO__PAD];
    memset(&w, 0, sizeof w);
    clear();
    CHECK(text_open(&r, PLAIN, b, 2));
    CHECK_FAIL(text_read(&r, &data, o, 2), TACO_ERR_TRUNCATED, 6,
               "at byte 6: text of 5 bytes, 2 are left");
    CHECK_FAIL(text_skip(&r, 2), TACO_ERR_TRUNCATED, 6, "at byte 6: text of 5 bytes, 2 are left");
    drop(b);
    b = exact(plain, 9);
    CHECK(text_open(&r, PLAIN, b, 2));
    CHECK_FAIL(text_read(&r, &data, o, 2), TACO_ERR_TRUNCATED, 6,
               "at byte 6: length of 4 bytes, 3 are left");
    drop(b);
    b = exact(plain, 6);
    CHECK(text_open(&r, PLAIN, b, 2));
    CHECK_FAIL(text_read(&r, &data, o, 3), TACO_ERR_TRUNCATED, 6,
               "at byte 6: values end, 2 more expected");
    data.len = INT32_MAX - 1; /* only the arithmetic looks at it */
    CHECK_FAIL(text_read(&r, &data, o, 1), TACO_ERR_LIMIT, TACO_NO_OFFSET,
               "2147483652 bytes of text in one batch, 32-bit offsets reach 2147483647: read fewer "
               "rows at a time");
    data.len = 0;
    drop(b);

    delta_put(&w, negative, 3, 32, 128, 4);
    b = done(&w);
    clear();
    CHECK(text_open(&r, DLEN, b, 3));
    CHECK_FAIL(text_read(&r, &data, o, 3), TACO_ERR_CORRUPT, 10, "at byte 10: length -3 of a text");
    drop(b);
    delta_put(&w, lengths, 2, 32, 128, 4);
    put_bytes(&w, "abcd", 4);
    b = done(&w);
    clear();
    CHECK(text_open(&r, DLEN, b, 3));
    CHECK_FAIL(text_read(&r, &data, o, 2), TACO_ERR_TRUNCATED, 10,
               "at byte 10: texts of 5 bytes, 4 are left");
    CHECK_FAIL(text_open(&r, DLEN, b, 1), TACO_ERR_CORRUPT, 0,
               "at byte 0: delta header counts 2 values, the page 1");
    drop(b);
    delta_put(&w, prefixes, 2, 32, 128, 4);
    delta_put(&w, lengths, 2, 32, 128, 4);
    put_bytes(&w, "abcde", 5);
    b = done(&w);
    clear();
    CHECK(text_open(&r, DBA, b, 2));
    CHECK_FAIL(text_read(&r, &data, o, 2), TACO_ERR_CORRUPT, 10,
               "at byte 10: prefix of 3 bytes, the text before has 2");
    text_close(&r);
    clear();
    CHECK(text_open(&r, DBA, b, 2));
    CHECK_FAIL(taco__delta_bytes_read_fixed(&r.delta_bytes, flba, 3, 2, &err), TACO_ERR_CORRUPT, 10,
               "at byte 10: value of 2 bytes, the type has 3");
    text_close(&r);
    drop(b);
    taco__buf_free(&data);
}

static void dba_fixed(void)
{
    size_t width, i, m;
    for (width = 1; width < 80; width += 7) {
        texts t;
        taco_bytes b;
        text_reader r;
        uint8_t *got = (uint8_t *)room(500 * width);
        t.n = 500;
        t.p = (uint8_t *)malloc(500 * width);
        t.o = (int32_t *)malloc(501 * 4);
        for (i = 0; i < 500 * width; i++) {
            t.p[i] = (uint8_t)(rnd() % (width * 5) == 0);
        }
        for (i = 0; i <= 500; i++) {
            t.o[i] = (int32_t)(i * width);
        }
        b = text_make(DBA, &t);
        clear();
        CHECK(text_open(&r, DBA, b, 500) &&
              taco__delta_bytes_read_fixed(&r.delta_bytes, got, width, 500, &err));
        CHECK(memcmp(got, t.p, 500 * width) == 0);
        text_close(&r);
        CHECK(text_open(&r, DBA, b, 500));
        for (i = 0; i < 500; i += m) {
            m = at_most(500 - i, below(200));
            if (rnd() & 1) {
                CHECK(taco__delta_bytes_skip(&r.delta_bytes, m, &err));
            } else {
                CHECK(taco__delta_bytes_read_fixed(&r.delta_bytes, got, width, m, &err));
                CHECK(memcmp(got, t.p + i * width, m * width) == 0);
            }
        }
        text_close(&r);
        free(got);
        drop(b);
        texts_free(&t);
    }
    CHECK(mem.used == 0);
}

/* ---- DELTA_BINARY_PACKED ---- */

static void delta_put(out *o, const uint64_t *v, size_t n, unsigned bits, size_t block,
                      size_t minis)
{
    size_t i = 1, k, m, per = block / minis;
    put_varint(o, block);
    put_varint(o, minis);
    put_varint(o, n);
    put_zigzag(o, n ? v[0] : 0);
    while (i < n) {
        uint64_t least, mask = bits == 32 ? UINT32_MAX : UINT64_MAX;
        size_t in = at_most(n - i, block);
        unsigned width;
        least = v[i] - v[i - 1];
        for (k = 0; k < in; k++) {
            uint64_t d = v[i + k] - v[i + k - 1];
            bool less = bits == 32 ? (int32_t)(uint32_t)d < (int32_t)(uint32_t)least
                                   : (int64_t)d < (int64_t)least;
            least = less ? d : least;
        }
        put_zigzag(o, bits == 32 ? (uint64_t)(int64_t)(int32_t)(uint32_t)least : least);
        for (m = 0; m < minis; m++) {
            for (k = m * per, width = 0; k < (m + 1) * per && k < in; k++) {
                unsigned w = bits_of((v[i + k] - v[i + k - 1] - least) & mask);
                width = TACO__MAX(w, width);
            }
            put8(o, m * per < in ? width : 0xEE); /* unneeded ones may be anything */
        }
        for (m = 0; m < minis && m * per < in; m++) {
            for (k = m * per, width = 0; k < (m + 1) * per && k < in; k++) {
                unsigned w = bits_of((v[i + k] - v[i + k - 1] - least) & mask);
                width = TACO__MAX(w, width);
            }
            for (k = m * per; k < (m + 1) * per; k++) {
                put_bits(o, k < in ? (v[i + k] - v[i + k - 1] - least) & mask : rnd(), width);
            }
            o->bits = 0;
        }
        i += in;
    }
}

static void delta_all(void)
{
    static const size_t blocks[][2] = {{128, 4},  {128, 1},  {256, 8},
                                       {2048, 8}, {1024, 1}, {384, 3}};
    unsigned bits, round;
    size_t i, k, m;
    for (bits = 32; bits <= 64; bits += 32) {
        for (round = 0; round < 200; round++) {
            size_t n = round < 3 ? round : below(3000), width = bits / 8;
            uint64_t *v = (uint64_t *)malloc(n * 8 + 8), x = rnd();
            uint8_t *want = (uint8_t *)malloc(n * 8 + 8), *got = (uint8_t *)room(n * 8);
            unsigned range = (unsigned)below(bits + (size_t)1);
            out o;
            taco_bytes b;
            taco__delta_int d;
            memset(&o, 0, sizeof o);
            for (i = 0; i < n; i++) {
                x += (rnd() & TACO__LOW_BITS(range)) - (range ? (uint64_t)1 << (range - 1) : 0) +
                     (rnd() % 300 == 0 ? rnd() : 0);
                v[i] = bits == 32 ? (uint64_t)(int64_t)(int32_t)(uint32_t)x : x;
                if (bits == 32) {
                    int32_t y = (int32_t)(uint32_t)x;
                    memcpy(want + i * 4, &y, 4);
                } else {
                    memcpy(want + i * 8, &x, 8);
                }
            }
            delta_put(&o, v, n, bits, blocks[round % 6][0], blocks[round % 6][1]);
            k = o.n;
            put_bytes(&o, "next part", round & 1 ? 9 : 0);
            b = done(&o);
            clear();
            CHECK(taco__delta_int_open(&d, b, 0, n, bits, &err) &&
                  taco__delta_int_find_end(&d, &i, &err) && i == k);
            CHECK(bits == 32 ? taco__delta_int_read32(&d, (int32_t *)(void *)got, n, &err)
                             : taco__delta_int_read64(&d, (int64_t *)(void *)got, n, &err));
            CHECK(memcmp(got, want, n * width) == 0);
            CHECK(taco__delta_int_open(&d, b, 0, n, bits, &err));
            for (i = 0; i < n; i += m) {
                m = at_most(n - i, below(300));
                if (rnd() & 1) {
                    CHECK(taco__delta_int_skip(&d, m, &err));
                    continue;
                }
                CHECK(bits == 32 ? taco__delta_int_read32(&d, (int32_t *)(void *)got, m, &err)
                                 : taco__delta_int_read64(&d, (int64_t *)(void *)got, m, &err));
                CHECK(memcmp(got, want + i * width, m * width) == 0);
            }
            CHECK(err.code == TACO_OK);
            CHECK(!taco__delta_int_skip(&d, 1, &err) && err.code == TACO_ERR_TRUNCATED);
            free(v);
            free(want);
            free(got);
            drop(b);
        }
    }
}

static void delta_cut(void)
{
    unsigned bits;
    size_t i, cut;
    for (bits = 32; bits <= 64; bits += 32) {
        uint64_t v[300];
        int64_t got[300 + 8];
        out o;
        taco_bytes b;
        taco__delta_int d;
        memset(&o, 0, sizeof o);
        for (i = 0; i < 289; i++) { /* 1 + 2 * 128 + 32: the last miniblock is full */
            v[i] = bits == 32 ? rnd() >> 40 : rnd();
        }
        delta_put(&o, v, 289, bits, 128, 4);
        b = done(&o);
        for (cut = 0; cut < b.len; cut++) {
            taco_bytes part = exact(b.data, cut);
            clear();
            if (taco__delta_int_open(&d, part, 0, 289, bits, &err)) {
                CHECK(bits == 32 ? !taco__delta_int_read32(&d, (int32_t *)(void *)got, 289, &err)
                                 : !taco__delta_int_read64(&d, got, 289, &err));
            }
            CHECK(err.code == TACO_ERR_TRUNCATED && err.offset <= cut);
            clear();
            if (taco__delta_int_open(&d, part, 0, 289, bits, &err)) {
                CHECK(!taco__delta_int_skip(&d, 289, &err));
            }
            drop(part);
        }
        drop(b);
    }
}

static void delta_errors(void)
{
    static const struct {
        uint8_t bytes[16];
        size_t n;
        unsigned bits;
        taco_status code;
        uint64_t at;
        const char *text;
    } bad[] = {
        {{0x80}, 1, 32, TACO_ERR_TRUNCATED, 0, "at byte 0: delta header is cut off"},
        {{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 1, 1, 1},
         13,
         32,
         TACO_ERR_CORRUPT,
         0,
         "at byte 0: delta header has a number longer than 64 bits"},
        {{0, 4, 5, 0},
         4,
         32,
         TACO_ERR_CORRUPT,
         0,
         "at byte 0: delta block of 0 values in 4 miniblocks, must be a multiple of 128 in "
         "multiples of 32"},
        {{0x80, 1, 0, 5, 0},
         5,
         32,
         TACO_ERR_CORRUPT,
         0,
         "at byte 0: delta block of 128 values in 0 miniblocks, must be a multiple of 128 in "
         "multiples of 32"},
        {{0x80, 1, 8, 5, 0},
         5,
         32,
         TACO_ERR_CORRUPT,
         0,
         "at byte 0: delta block of 128 values in 8 miniblocks, must be a multiple of 128 in "
         "multiples of 32"},
        {{0x80, 1, 4, 0x80, 1, 0},
         6,
         32,
         TACO_ERR_CORRUPT,
         0,
         "at byte 0: delta header counts 128 values, the page 100"},
        {{0x80, 1, 4, 3, 0},
         5,
         32,
         TACO_ERR_TRUNCATED,
         5,
         "at byte 5: delta block is cut off, 2 more values expected"},
        {{0x80, 1, 4, 3, 0, 0, 1, 0, 0},
         9,
         32,
         TACO_ERR_TRUNCATED,
         5,
         "at byte 5: delta block is cut off, 2 more values expected"},
        {{0x80, 1, 4, 3, 0, 0, 65, 0, 0, 0},
         10,
         32,
         TACO_ERR_CORRUPT,
         6,
         "at byte 6: deltas of 65 bits, at most 64 are allowed"},
        {{0x80, 1, 4, 3, 0, 0, 65, 0, 0, 0},
         10,
         64,
         TACO_ERR_CORRUPT,
         6,
         "at byte 6: deltas of 65 bits, at most 64 are allowed"},
        {{0x80, 1, 4, 3, 0, 0, 8, 9, 9, 9, 7},
         11,
         32,
         TACO_ERR_TRUNCATED,
         10,
         "at byte 10: deltas of 2 bytes, 1 are left"},
    };

    int64_t got[3 + 8];
    taco__delta_int d;
    size_t i;
    for (i = 0; i < TACO__COUNT(bad); i++) {
        taco_bytes b = exact(bad[i].bytes, bad[i].n);
        clear();
        CHECK(!(taco__delta_int_open(&d, b, 0, 100, bad[i].bits, &err) &&
                (bad[i].bits == 32 ? taco__delta_int_read32(&d, (int32_t *)(void *)got, 3, &err)
                                   : taco__delta_int_read64(&d, got, 3, &err))));
        CHECK(err.code == bad[i].code);
        CHECK(err.offset == bad[i].at);
        CHECK_TEXT(err.text, bad[i].text);
        drop(b);
    }
    clear();
    CHECK(taco__delta_int_open(&d, taco__bytes_of(NULL, 0), 0, 9, 64, &err) &&
          taco__delta_int_read64(&d, got, 0, &err));
    CHECK_FAIL(taco__delta_int_read64(&d, got, 3, &err), TACO_ERR_TRUNCATED, 0,
               "at byte 0: values end, 3 more expected");
    /* the padding of the last miniblock may be missing, and a stride of 5 needs no bits at all */
    {
        static const uint8_t cut[] = {0x80, 1, 4, 4, 6, 2, 4, 9, 9, 9, 0x21, 0x03},
                             stride[] = {0x80, 1, 4, 64, 0, 10, 0, 0, 0, 0};
        int64_t many[64 + 8];
        taco_bytes b = exact(cut, sizeof cut);
        clear();
        CHECK(taco__delta_int_open(&d, b, 0, 4, 64, &err) &&
              taco__delta_int_read64(&d, got, 4, &err));
        CHECK(got[0] == 3 && got[1] == 5 && got[2] == 8 && got[3] == 12);
        drop(b);
        CHECK(taco__delta_int_open(&d, taco__bytes_of(stride, sizeof stride), 0, 64, 64, &err));
        CHECK(taco__delta_int_read64(&d, many, 64, &err) && many[63] == 315);
    }
}

/* ---- BYTE_STREAM_SPLIT ---- */

static void split(void)
{
    static const size_t widths[] = {2, 4, 8, 1, 3, 12, 16, 37};
    size_t w, round, i, k, m;
    for (w = 0; w < TACO__COUNT(widths); w++) {
        for (round = 0; round < 20; round++) {
            size_t n = below(400), width = widths[w];
            uint8_t *v = (uint8_t *)malloc(n * width + 1), *got = (uint8_t *)room(n * width);
            out o;
            taco_bytes b;
            taco__stream_split s;
            memset(&o, 0, sizeof o);
            for (i = 0; i < n * width; i++) {
                v[i] = (uint8_t)rnd();
            }
            for (k = 0; k < width; k++) {
                for (i = 0; i < n; i++) {
                    put8(&o, v[i * width + k]);
                }
            }
            b = done(&o);
            clear();
            CHECK(taco__stream_split_open(&s, b, width, &err) &&
                  taco__stream_split_read(&s, got, false, n, &err));
            CHECK(memcmp(got, v, n * width) == 0);
            if (width == 2 || width == 4 ||
                width == 8) { /* numbers are native: storing them little-endian gives v */
                taco__stream_split_open(&s, b, width, &err);
                CHECK(taco__stream_split_read(&s, got, true, n, &err));
                taco__plain_swap_bytes(got, width, n);
                CHECK(memcmp(got, v, n * width) == 0);
            }
            CHECK(taco__stream_split_open(&s, b, width, &err));
            for (i = 0; i < n; i += m) {
                m = at_most(n - i, below(150));
                if (rnd() & 1) {
                    CHECK(taco__stream_split_skip(&s, m, &err));
                } else {
                    CHECK(taco__stream_split_read(&s, got, false, m, &err));
                    CHECK(memcmp(got, v + i * width, m * width) == 0);
                }
            }
            CHECK(!taco__stream_split_read(&s, got, false, 1, &err) &&
                  err.code == TACO_ERR_TRUNCATED);
            CHECK(err.offset == b.len);
            CHECK_TEXT(strstr(err.text, ": ") + 2, "values end, 1 more expected");
            CHECK(taco__stream_split_read(&s, got, false, 0, &err)); /* nothing is there */
            CHECK(taco__stream_split_open(&s, taco__bytes_of(NULL, 0), 0, &err) &&
                  taco__stream_split_read(&s, got, false, 5, &err)); /* values without bytes */
#if TACO__X86
            if (TACO__CPU_HAS("avx2") && (width == 2 || width == 4 || width == 8) && n) {
                uint8_t *twin = (uint8_t *)room(n * width);
                size_t a = taco__stream_split_read_avx2(b.data, n, (unsigned)width, got, n);
                CHECK(taco__stream_split_read_plain(b.data, n, width, twin, n) >= a);
                CHECK(memcmp(got, twin, a * width) == 0);
                free(twin);
            }
#elif TACO__V16
            if ((width == 2 || width == 4 || width == 8) && n) {
                uint8_t *twin = (uint8_t *)room(n * width);
                size_t a = taco__stream_split_read_v16(b.data, n, (unsigned)width, got, n);
                size_t c = taco__stream_split_read_plain(b.data, n, width, twin, n);
                CHECK(a == (n & ~(size_t)15));
                CHECK(memcmp(got, twin, TACO__MIN(a, c) * width) == 0);
                free(twin);
            }
#endif
            free(v);
            free(got);
            drop(b);
        }
    }
    {
        taco__stream_split s;
        CHECK_FAIL(taco__stream_split_open(&s, taco__bytes_of("abcde", 5), 4, &err),
                   TACO_ERR_CORRUPT, 0, "at byte 0: 5 bytes in 4 streams of equal length");
    }
}

/* ---- buffers ---- */

/* The writer's, for every width and number of values. */
static void split_written(void)
{
    uint8_t v[20 * 40];
    size_t width, n, i;
    for (i = 0; i < sizeof v; i++) {
        v[i] = (uint8_t)rnd();
    }
    for (width = 1; width <= 20; width++) {
        for (n = 0; n <= 40; n++) {
            taco__buf b = new_buf();
            taco_bytes in = exact(v, width * n);
            bool same = true;
            CHECK(taco__encode_byte_stream_split(&b, in.data, width, n, &err));
            CHECK(b.len == width * n);
            for (i = 0; i < width * n; i++) {
                same = same && b.data[i] == v[i % n * width + i / n];
            }
            CHECK(same);
            taco__buf_free(&b);
            drop(in);
        }
    }
}

static void spacing(void)
{
    static const size_t widths[] = {1, 2, 4, 8, 12, 16, 5};
    size_t round, i, w;
    for (round = 0; round < 700; round++) {
        size_t n = below(500), bit = below(70), width = widths[round % 7], valid, k = 0;
        uint8_t *map = (uint8_t *)calloc(1, TACO__BITMAP_BYTES(n + bit) + 1),
                *v = (uint8_t *)malloc(n * width + 1);
        uint8_t *bits = (uint8_t *)calloc(1, n / 8 + 3);
        int32_t *o = (int32_t *)malloc((n + 1) * 4);
        size_t nulls = below(4);
        for (i = 0; i < n; i++) { /* none, few, many, all null; and long stretches of each */
            bool null = nulls == 0   ? rnd() % 40 == 0
                        : nulls == 1 ? rnd() % 2 == 0
                        : nulls == 2 ? (i / 100) % 2 == 0
                                     : round % 2 == 0;
            taco__bitmap_write(map, bit + i, !null, 1);
        }
        valid = taco__bitmap_count(map, bit, n);
        for (i = 0; i < valid; i++) {
            for (w = 0; w < width; w++) {
                v[i * width + w] = (uint8_t)((i * 7 + w) * 31);
            }
            taco__bitmap_write(bits, 6 + i, i % 3 == 0, 1);
        }
        for (i = 0; i <= valid; i++) {
            o[i] = (int32_t)(i * i + 4);
        }
        taco__spacing_values(v, width, map, bit, n, valid);
        taco__spacing_offsets(o, map, bit, n, valid);
        taco__spacing_bits(bits, 6, map, bit, n, valid);
        CHECK(o[0] == 4);
        for (i = 0; i < n; i++) {
            bool yes = taco__bitmap_get(map, bit + i);
            CHECK(o[i] == (int32_t)(k * k + 4));
            for (w = 0; yes && w < width; w++) {
                CHECK(v[i * width + w] == (uint8_t)((k * 7 + w) * 31));
            }
            CHECK(taco__bitmap_get(bits, 6 + i) == (yes && k % 3 == 0));
            k += yes;
            CHECK(o[i + 1] == (int32_t)(k * k + 4));
        }
        free(map);
        free(v);
        free(o);
        free(bits);
    }
}

static void narrowing(void)
{
    size_t n, i;
    for (n = 0; n < 50; n++) {
        int32_t *a = (int32_t *)malloc(n * 4 + 4), *b = (int32_t *)malloc(n * 4 + 4);
        for (i = 0; i < n; i++) {
            a[i] = b[i] = (int32_t)(uint32_t)rnd();
        }
        taco__values_narrow(a, 1, n);
        taco__values_narrow(b, 2, n);
        free(a);
        a = (int32_t *)malloc(n * 4 + 4);
        for (i = 0; i < n; i++) {
            a[i] = (int32_t)i - 20;
        }
        taco__values_narrow(a, 1, n);
        for (i = 0; i < n; i++) {
            CHECK(((const int8_t *)(const void *)a)[i] == (int8_t)((int32_t)i - 20));
        }
        for (i = 0; i < n; i++) {
            int32_t x = (int32_t)i * 1000 - 20;
            memcpy((uint8_t *)b + 4 * i, &x, 4);
        }
        taco__values_narrow(b, 2, n);
        for (i = 0; i < n; i++) {
            int16_t x;
            memcpy(&x, (uint8_t *)b + 2 * i, 2);
            CHECK(x == (int16_t)(uint16_t)((uint32_t)i * 1000U - 20U));
        }
        free(a);
        free(b);
    }
}

static void decimals(void)
{
    static const int32_t i32[] = {-2, 1};
    static const int64_t i64[] = {-3000000000, 5000000000};
    static const uint8_t three[] = {0xFF, 0xFE, 0x01, 0x01, 0x02, 0x03};
    uint8_t want[32], got[64], lng[40];
    static const int32_t o[] = {0, 0, 3, 6}, o40[] = {0, 40};
    size_t i, width;
    for (width = 16; width <= 32; width += 16) {
        taco__values_decimal_int32(got, width, i32, 2);
        memset(want, 0xFF, 32);
        want[0] = 0xFE;
        CHECK(memcmp(got, want, width) == 0 && got[width] == 1 && got[2 * width - 1] == 0);
        taco__values_decimal_int64(got, width, i64, 2);
        CHECK(taco__load_le64(got) == (uint64_t)i64[0] && got[width - 1] == 0xFF &&
              taco__load_le64(got + width) == 5000000000U);
        clear();
        CHECK(taco__values_decimal_fixed(got, width, three, 3, 2, &err));
        CHECK(got[0] == 1 && got[1] == 0xFE && got[2] == 0xFF && got[width - 1] == 0xFF);
        CHECK(got[width] == 3 && got[width + 2] == 1 && got[width + 3] == 0);
        CHECK(taco__values_decimal_text(got, width, three, o, 1, &err) && got[0] == 0 &&
              got[width - 1] == 0);
        CHECK(taco__values_decimal_text(got, width, three, o + 1, 2, &err) && got[0] == 1 &&
              got[width] == 3);
        memset(lng, 0xFF, 40);
        lng[39] = 0x80;
        CHECK(taco__values_decimal_text(got, width, lng, o40, 1, &err) && got[0] == 0x80 &&
              got[width - 1] == 0xFF);
        lng[40 - width] = 0x7F; /* the sign no longer repeats */
        CHECK_FAIL(taco__values_decimal_text(got, width, lng, o40, 1, &err), TACO_ERR_CORRUPT,
                   TACO_NO_OFFSET,
                   width == 16 ? "value 0: a decimal of 40 bytes, which do not fit in the 16 that "
                                 "its precision takes"
                               : "value 0: a decimal of 40 bytes, which do not fit in the 32 that "
                                 "its precision takes");
        memset(lng, 0, 40);
        lng[3] = 1;
        CHECK(!taco__values_decimal_fixed(got, width, lng, 40, 1, &err));
    }
    for (i = 0; i < 16; i++) {
        lng[i] = (uint8_t)(i + 1);
    }
    CHECK(taco__values_decimal_fixed(got, 16, lng, 16, 1, &err) && got[0] == 16 && got[15] == 1);
}

static void decimal_widths(void) /* every length against sign extension byte by byte */
{
    size_t len, round, i, width;
    for (width = 16; width <= 32; width += 16) {
        for (len = 0; len <= width; len++) {
            for (round = 0; round < 4; round++) {
                uint8_t *src = (uint8_t *)malloc(len + 1), got[32];
                for (i = 0; i < len; i++) {
                    src[i + 1] = (uint8_t)rnd();
                }
                clear();
                CHECK(taco__values_decimal_fixed(got, width, src + 1, len, 1, &err));
                for (i = 0; i < width; i++) {
                    CHECK(got[i] == (i < len ? src[len - i] : len && src[1] & 0x80 ? 0xFF : 0));
                }
                free(src);
            }
        }
    }
}

static void levels_mask(void)
{
    int16_t levels[64];
    size_t round, i;
    for (round = 0; round < 300; round++) {
        size_t n = round % 3 ? 64 : below(65);
        int16_t least = (int16_t)below(5);
        uint64_t word = 0;
        for (i = 0; i < n; i++) {
            levels[i] = (int16_t)below(round % 2 ? 5 : 32768);
            word |= (uint64_t)(levels[i] >= least) << i;
        }
        CHECK(taco__spacing_level_word(levels, n, least) == word);
#if TACO__X86
        if (TACO__CPU_HAS("avx2") && n == 64) {
            CHECK(taco__spacing_mask_plain(levels, least) ==
                  taco__spacing_mask_avx2(levels, least));
        }
#endif
    }
}

/* Sums in vectors and one by one, in place and not; the largest deltas that may be summed up in 32
   bits. */
static void delta_sums(void)
{
#if TACO__X86
    size_t round, i;
    if (!TACO__CPU_HAS("avx2")) { SKIP("no AVX2"); }
    for (round = 0; round < 500 && TACO__CPU_HAS("avx2"); round++) {
        size_t n = below(140);
        unsigned width = (unsigned)below(30);
        uint64_t sum = rnd(), least = rnd() % 3 ? rnd() : below(100), a[140], b[140];
        uint32_t *v = (uint32_t *)malloc((n + 8) * 4), *w = (uint32_t *)malloc((n + 8) * 4);
        for (i = 0; i < n; i++) {
            v[i] = (uint32_t)(rnd() % 2 ? rnd() & TACO__LOW_BITS(width) : TACO__LOW_BITS(width));
        }
        CHECK(taco__delta_int_sum64_plain(a, v, n, sum, least) ==
              taco__delta_int_sum64_avx2(b, v, n, sum, least));
        CHECK(memcmp(a, b, n * 8) == 0);
        for (i = 0; i < n; i++) {
            v[i] = w[i] = (uint32_t)rnd();
        }
        CHECK(taco__delta_int_sum32_plain(v, v, n, (uint32_t)sum, (uint32_t)least) ==
              taco__delta_int_sum32_avx2(w, w, n, (uint32_t)sum, (uint32_t)least));
        CHECK(memcmp(v, w, n * 4) == 0);
        free(v);
        free(w);
    }
#else
    SKIP("one twin alone");
#endif
}

static void take(void)
{
    texts t = texts_make(200, 60);
    taco__buf src = new_buf(), data = new_buf();
    int32_t idx[500], o[501];
    uint8_t map[100], sel[100];
    size_t i;
    clear();
    CHECK(taco__buf_append(&src, t.p, (size_t)t.o[200], &err));
    for (i = 0; i < 500; i++) {
        idx[i] = (int32_t)below(200);
    }
    for (i = 0; i < 100; i++) {
        map[i] = (uint8_t)rnd();
    }
    CHECK(taco__take_bytes(&data, o, src.data, src.len, t.o, idx, 500, &err));
    memset(sel, 0, sizeof sel);
    i = taco__take_bits(sel, 9, map, 3, idx, 500);
    CHECK(i == taco__bitmap_count(sel, 9, 500));
    for (i = 0; i < 500; i++) {
        size_t len = (size_t)(t.o[idx[i] + 1] - t.o[idx[i]]);
        CHECK((size_t)(o[i + 1] - o[i]) == len &&
              memcmp(data.data + o[i], t.p + t.o[idx[i]], len) == 0);
        CHECK(taco__bitmap_get(sel, 9 + i) == taco__bitmap_get(map, 3 + (size_t)idx[i]));
    }
    CHECK(taco__take_bytes(&data, o, src.data, src.len, t.o, idx, 0, &err) &&
          (size_t)o[0] == data.len);
    taco__buf_free(&data);
    taco__buf_free(&src);
    texts_free(&t);
}

int main(void)
{
    taco__mem_init(&mem, NULL);
    RUN(rle_indices);
    RUN(rle_long_runs);
    RUN(rle_dict);
    RUN(rle_levels);
    RUN(rle_validity);
    RUN(bit_packed);
    RUN(rle_errors);
    RUN(plain_fixed);
    RUN(plain_bits);
    RUN(text_all);
    RUN(text_cut);
    RUN(text_errors);
    RUN(dba_fixed);
    RUN(delta_all);
    RUN(delta_cut);
    RUN(delta_errors);
    RUN(split);
    RUN(split_written);
    RUN(spacing);
    RUN(narrowing);
    RUN(decimals);
    RUN(decimal_widths);
    RUN(levels_mask);
    RUN(delta_sums);
    RUN(take);
    return test_end("test_enc");
}
