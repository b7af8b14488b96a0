/* predicate_kernels.c - the loops that test the values of an array

   In: a taco__test (predicate_test.c) and an array without a dictionary, in the column's own
   storage. Out: 64-bit words with a bit per row that passes; bits of NULL rows may be anything.

   taco__pred_kernel_test chooses one loop for the batch, so that no row has to decide:
   - one range of keys of INT32, INT64, FLOAT, DOUBLE and DECIMAL(38) and what is stored like them,
     compared in place, with AVX2 if available;
   - other keys converted TACO__PRED_KERNEL_STEP at a time (taco__pred_kernel_keys), then compared
     with the range, or looked up among several by binary search;
   - bytes against one text, a list, a range or a pattern (like.c).
   A loop makes 64 results as bytes, which compilers vectorise, and packs them into a word. The
   compiler's vectors are good enough but for 64-bit values, which have kernels by hand. */
#include "predicate.h"
#include "../base/base.h"
#include "../base/simd.h"

/* ---- one range of numbers ---- */

/* Defines a kernel over n values at x: sets the bit of x[i] to `condition`. */
#define TACO__PRED_KERNEL(name, type, parameters, condition)                                       \
    TACO__FN void name(const type *x, size_t n, uint64_t *out, parameters)                         \
    {                                                                                              \
        uint8_t flags[64];                                                                         \
        size_t i, w = 0;                                                                           \
        for (; n >= 64; n -= 64, x += 64) {                                                        \
            for (i = 0; i < 64; i++) {                                                             \
                flags[i] = (uint8_t)(condition);                                                   \
            }                                                                                      \
            out[w++] = taco__pred_kernel_pack_flags(flags);                                        \
        }                                                                                          \
        if (n) {                                                                                   \
            memset(flags, 0, sizeof flags);                                                        \
            for (i = 0; i < n; i++) {                                                              \
                flags[i] = (uint8_t)(condition);                                                   \
            }                                                                                      \
            out[w] = taco__pred_kernel_pack_flags(flags);                                          \
        }                                                                                          \
    }
#define TACO__PRED_KERNEL_RANGE(type) type lo, type hi

#ifdef TACO_SMALL
/* Sets the bit of every value from lo to hi. */
TACO__FN void taco__pred_kernel_range_i32(const int32_t *x, size_t n, uint64_t *out, int32_t lo,
                                          int32_t hi)
{
    TACO__PRED_KERNEL_EACH((x[row] >= lo) & (x[row] <= hi))
}
#else

/* x in [lo, hi] as one unsigned comparison: below lo wraps to above hi - lo. */
TACO__PRED_KERNEL(taco__pred_kernel_in_i32, int32_t, TACO__PRED_KERNEL_RANGE(int32_t),
                  (uint32_t)x[i] - (uint32_t)lo <= (uint32_t)hi - (uint32_t)lo)
TACO__PRED_KERNEL(taco__pred_kernel_in_i64, int64_t, TACO__PRED_KERNEL_RANGE(int64_t),
                  (uint64_t)x[i] - (uint64_t)lo <= (uint64_t)hi - (uint64_t)lo)
TACO__PRED_KERNEL(taco__pred_kernel_in_f32, float, TACO__PRED_KERNEL_RANGE(float),
                  (x[i] >= lo) & (x[i] <= hi))
TACO__PRED_KERNEL(taco__pred_kernel_in_f64, double, TACO__PRED_KERNEL_RANGE(double),
                  (x[i] >= lo) & (x[i] <= hi))
/* not below lo: NaN, the greatest, is in */
TACO__PRED_KERNEL(taco__pred_kernel_from_f32, float, float lo, !(x[i] < lo))
TACO__PRED_KERNEL(taco__pred_kernel_from_f64, double, double lo, !(x[i] < lo))
TACO__PRED_KERNEL(taco__pred_kernel_nan_f32, float, float lo, (x[i] != x[i]) & (lo == lo))
TACO__PRED_KERNEL(taco__pred_kernel_nan_f64, double, double lo, (x[i] != x[i]) & (lo == lo))

#if TACO__X86
/* The three 64-bit kernels with AVX2, four rows per comparison. They return how many rows they have
   done, a multiple of 64. */
TACO__TARGET("avx2")

static size_t taco__pred_kernel_in_i64_avx2(const int64_t *x, size_t n, uint64_t *out, int64_t lo,
                                            int64_t hi)
{
    __m256i l = _mm256_set1_epi64x(lo), h = _mm256_set1_epi64x(hi);
    size_t i, k;
    for (i = 0; i + 64 <= n; i += 64) {
        uint64_t outside = 0;
        for (k = 0; k < 64; k += 4) {
            __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)(x + i + k));
            __m256i m = _mm256_or_si256(_mm256_cmpgt_epi64(l, v), _mm256_cmpgt_epi64(v, h));
            outside |= (uint64_t)(unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(m)) << k;
        }
        out[i / 64] = ~outside;
    }
    return i;
}
TACO__TARGET("avx2")

static size_t taco__pred_kernel_in_f64_avx2(const double *x, size_t n, uint64_t *out, double lo,
                                            double hi)
{
    __m256d l = _mm256_set1_pd(lo), h = _mm256_set1_pd(hi);
    size_t i, k;
    for (i = 0; i + 64 <= n; i += 64) {
        uint64_t inside = 0;
        for (k = 0; k < 64; k += 4) {
            __m256d v = _mm256_loadu_pd(x + i + k);
            __m256d m =
                _mm256_and_pd(_mm256_cmp_pd(v, l, _CMP_GE_OQ), _mm256_cmp_pd(v, h, _CMP_LE_OQ));
            inside |= (uint64_t)(unsigned)_mm256_movemask_pd(m) << k;
        }
        out[i / 64] = inside;
    }
    return i;
}
TACO__TARGET("avx2")

static size_t taco__pred_kernel_from_f64_avx2(const double *x, size_t n, uint64_t *out, double lo)
{
    __m256d l = _mm256_set1_pd(lo);
    size_t i, k;
    for (i = 0; i + 64 <= n; i += 64) {
        uint64_t inside = 0;
        for (k = 0; k < 64; k += 4) {
            inside |= (uint64_t)(unsigned)_mm256_movemask_pd(
                          _mm256_cmp_pd(_mm256_loadu_pd(x + i + k), l, _CMP_NLT_UQ))
                      << k;
        }
        out[i / 64] = inside;
    }
    return i;
}
#endif

/* Sets the bit of every value from lo to hi. */
TACO__FN void taco__pred_kernel_range_i32(const int32_t *x, size_t n, uint64_t *out, int32_t lo,
                                          int32_t hi)
{
    taco__pred_kernel_in_i32(x, n, out, lo, hi);
}

/* The same for 64-bit values, with the kernel for this machine; the portable one does the
   remainder. */
static void taco__pred_kernel_range_i64(const int64_t *x, size_t n, uint64_t *out, int64_t lo,
                                        int64_t hi)
{
    size_t done = 0;
#if TACO__X86
    done = TACO__CPU_HAS("avx2") ? taco__pred_kernel_in_i64_avx2(x, n, out, lo, hi) : 0;
#endif
    taco__pred_kernel_in_i64(x + done, n - done, out + done / 64, lo, hi);
}

static void taco__pred_kernel_range_f64(const double *x, size_t n, uint64_t *out, double lo,
                                        double hi)
{
    size_t done = 0;
#if TACO__X86
    done = TACO__CPU_HAS("avx2") ? taco__pred_kernel_in_f64_avx2(x, n, out, lo, hi) : 0;
#endif
    taco__pred_kernel_in_f64(x + done, n - done, out + done / 64, lo, hi);
}

/* Sets the bit of every value that is not less than lo, including NaN. */
static void taco__pred_kernel_at_least_f64(const double *x, size_t n, uint64_t *out, double lo)
{
    size_t done = 0;
#if TACO__X86
    done = TACO__CPU_HAS("avx2") ? taco__pred_kernel_from_f64_avx2(x, n, out, lo) : 0;
#endif
    taco__pred_kernel_from_f64(x + done, n - done, out + done / 64, lo);
}
#endif

/* ---- keys of columns ---- */

/* The body of a case of taco__pred_kernel_keys: a loop, or with TACO_SMALL one step of a shared
   loop. */
#ifdef TACO_SMALL
#define TACO__PRED_KERNEL_STEPS for (i = 0; i < n; i++)
#define TACO__PRED_KERNEL_KEYS(expression)                                                         \
    out[i] = (int64_t)(expression);                                                                \
    break
#else
#define TACO__PRED_KERNEL_STEPS
#define TACO__PRED_KERNEL_KEYS(expression)                                                         \
    for (i = 0; i < n; i++) {                                                                      \
        out[i] = (int64_t)(expression);                                                            \
    }                                                                                              \
    break
#endif

/* Keys of rows [from, from + n) of a plain array whose keys have 64 bits. UINT64 comes with its top
   bit flipped. */
TACO__FN void taco__pred_kernel_keys(const taco_array *a, size_t from, size_t n, int64_t *out)
{
    size_t i;
    TACO__PRED_KERNEL_STEPS switch (a->field->type)
    {
    case TACO_BOOL: TACO__PRED_KERNEL_KEYS(taco__bitmap_get(a->v.u8, from + i));
    case TACO_INT8: TACO__PRED_KERNEL_KEYS(a->v.i8[from + i]);
    case TACO_INT16: TACO__PRED_KERNEL_KEYS(a->v.i16[from + i]);
    case TACO_INT32:
    case TACO_DATE: TACO__PRED_KERNEL_KEYS(a->v.i32[from + i]);
    case TACO_UINT8: TACO__PRED_KERNEL_KEYS(a->v.u8[from + i]);
    case TACO_UINT16: TACO__PRED_KERNEL_KEYS(a->v.u16[from + i]);
    case TACO_UINT32: TACO__PRED_KERNEL_KEYS(a->v.u32[from + i]);
    case TACO_UINT64: TACO__PRED_KERNEL_KEYS(a->v.u64[from + i] ^ (uint64_t)1 << 63);
    case TACO_HALF:
        TACO__PRED_KERNEL_KEYS(taco__scalar_key_f32(taco__num_f16_to_f32(a->v.u16[from + i])));
    case TACO_FLOAT: TACO__PRED_KERNEL_KEYS(taco__scalar_key_f32(a->v.f32[from + i]));
    case TACO_DOUBLE: TACO__PRED_KERNEL_KEYS(taco__scalar_key_f64(a->v.f64[from + i]));
    case TACO_INT96: TACO__PRED_KERNEL_KEYS(taco__scalar_key_int96(a->v.u8 + (from + i) * 12));
    case TACO_TIME:
        if (a->field->width == 4) { TACO__PRED_KERNEL_KEYS(a->v.i32[from + i]); }
        TACO__PRED_KERNEL_KEYS(a->v.i64[from + i]);
    default: TACO__PRED_KERNEL_KEYS(a->v.i64[from + i]); /* INT64, TIMESTAMP */
    }
}

/* The key of a DECIMAL, which is its unscaled number. One outside the range of keys is clamped to
   its end, which no literal reaches. */
TACO__FN taco__i256 taco__pred_kernel_decimal_key(const taco_array *a, size_t i)
{
    taco__i256 d = taco__i256_from_i64(0), lo, hi;
    taco__scalar_type t = taco__scalar_simple_type(TACO_DECIMAL);
    taco_bytes b = taco__pred_kernel_bytes(a, i);
    bool fits = true, neg;
    if (!a->offsets) {
        d = b.len ? taco__i256_from_le(b.data, TACO__MIN(b.len, (size_t)32)) : d;
        neg = taco__i256_is_negative(&d);
    } else {
        fits = taco__i256_from_be(b, &d);
        neg = b.len && (b.data[0] & 0x80);
    }
    if (!fits || b.len == 32) {
        taco__scalar_key_bounds(&t, &lo, &hi);
        if (!fits || taco__i256_compare(&d, &lo) < 0 || taco__i256_compare(&d, &hi) > 0) {
            d = neg ? lo : hi;
        }
    }
    return d;
}

/* ---- tests of keys ---- */

/* Whether a key is in one of the ranges: only the last range whose lower end is not above it can
   contain it. */
static bool taco__pred_kernel_in_ranges(const taco__test *t, int64_t key)
{
    size_t above = 0;
    TACO__LOWER_BOUND(above, t->n, i, t->lo64[i] <= key);
    return above > 0 && key <= t->hi64[above - 1];
}

/* The same with keys of 256 bits. */
static bool taco__pred_kernel_in_wide_ranges(const taco__test *t, taco__i256 key)
{
    size_t above = 0;
    TACO__LOWER_BOUND(above, t->n, i, taco__i256_compare(&t->lo[i], &key) <= 0);
    return above > 0 && taco__i256_compare(&key, &t->hi[above - 1]) <= 0;
}

#ifndef TACO_SMALL
/* Whether 16 little-endian bytes are between lo and hi, both of which fit in 128 bits. Without
   branches, because the outcome of comparing decimals is not predictable. */
TACO__INLINE bool taco__pred_kernel_in_range_128(const uint8_t *p, const taco__i256 *lo,
                                                 const taco__i256 *hi)
{
    uint64_t low = taco__load_le64(p);
    int64_t high = (int64_t)taco__load_le64(p + 8), a = (int64_t)lo->w[1], b = (int64_t)hi->w[1];
    return ((high > a) | ((high == a) & (low >= lo->w[0]))) &
           ((high < b) | ((high == b) & (low <= hi->w[0])));
}

/* DECIMAL of 16 bytes, the only width that needs speed: 128-bit comparisons against one range. */
static void taco__pred_kernel_decimal128(const taco_array *a, size_t n, const taco__test *t,
                                         uint64_t *out)
{
    taco__i256 lo, hi, least = taco__i256_from_i64(0), most;
    const uint8_t *p = a->v.u8;
    /* the extremes of 128 bits, to clamp ranges that reach beyond */
    least.w[1] = (uint64_t)1 << 63;
    least.w[2] = least.w[3] = UINT64_MAX;
    most = taco__i256_add(taco__i256_negate(least), taco__i256_from_i64(-1));
    lo = taco__i256_compare(&t->lo[0], &least) < 0 ? least : t->lo[0];
    hi = taco__i256_compare(&t->hi[0], &most) > 0 ? most : t->hi[0];
    if (taco__i256_compare(&lo, &most) > 0 || taco__i256_compare(&hi, &least) < 0) {
        memset(out, 0, (n + 63) / 64 * 8);
        return;
    }
    TACO__PRED_KERNEL_EACH(taco__pred_kernel_in_range_128(p + row * 16, &lo, &hi))
}

/* Whether floating-point arithmetic compares with a bound as keys do. Where denormals are zero it
   takes the least numbers and 0 to be equal, which only matters to a bound among them; a compiler
   that rules out NaN may do anything with one. */
static bool taco__pred_kernel_is_plain_bound(int64_t key, bool single)
{
    int64_t least = single ? (int64_t)1 << 23 : (int64_t)1 << 52;
    return !TACO__FINITE_MATH && (key >= least || key <= -least);
}

/* FLOAT and DOUBLE against one range of keys, in floating-point arithmetic. Keys above infinity's
   are NaN: a range that begins there contains only NaN, and one that ends there contains everything
   from its lower end on. */
static void taco__pred_kernel_float_range(const taco_array *a, size_t n, int64_t lo, int64_t hi,
                                          uint64_t *out)
{
    bool single = a->field->type == TACO_FLOAT;
    int64_t inf = single ? TACO__SCALAR_INF32_KEY : TACO__SCALAR_INF64_KEY;
    if (lo > inf) {
        if (single) {
            taco__pred_kernel_nan_f32(a->v.f32, n, out, 0);
        } else {
            taco__pred_kernel_nan_f64(a->v.f64, n, out, 0);
        }
    } else if (hi > inf) {
        if (single) {
            taco__pred_kernel_from_f32(a->v.f32, n, out, taco__scalar_f32_from_key(lo));
        } else {
            taco__pred_kernel_at_least_f64(a->v.f64, n, out, taco__scalar_f64_from_key(lo));
        }
    } else if (single) {
        taco__pred_kernel_in_f32(a->v.f32, n, out, taco__scalar_f32_from_key(lo),
                                 taco__scalar_f32_from_key(hi));
    } else {
        taco__pred_kernel_range_f64(a->v.f64, n, out, taco__scalar_f64_from_key(lo),
                                    taco__scalar_f64_from_key(hi));
    }
}
#endif

/* Tests keys against several ranges. */
static void taco__pred_kernel_key_ranges(const taco__test *t, const int64_t *keys, size_t n,
                                         uint64_t *out)
{
    TACO__PRED_KERNEL_EACH(taco__pred_kernel_in_ranges(t, keys[row]))
}

/* Chooses the loop for the batch: on the column's own storage if it has a kernel, else on keys a
   piece at a time. */
static void taco__pred_kernel_test_keys(const taco_array *a, size_t n, const taco__test *t,
                                        uint64_t *out)
{
    int64_t keys[TACO__PRED_KERNEL_STEP];
    taco_type type = a->field->type;
    size_t at, k;
    if (t->n == 0) {
        memset(out, 0, (n + 63) / 64 * 8);
#ifndef TACO_SMALL
    } else if (type == TACO_DECIMAL && t->n == 1 && a->field->width == 16) {
        taco__pred_kernel_decimal128(a, n, t, out);
#endif
    } else if (TACO__WITH_DECIMALS && type == TACO_DECIMAL) {
        TACO__PRED_KERNEL_EACH(
            taco__pred_kernel_in_wide_ranges(t, taco__pred_kernel_decimal_key(a, row)))
#ifndef TACO_SMALL
    } else if (t->n == 1 && (type == TACO_FLOAT || type == TACO_DOUBLE) &&
               taco__pred_kernel_is_plain_bound(t->lo64[0], type == TACO_FLOAT) &&
               taco__pred_kernel_is_plain_bound(t->hi64[0], type == TACO_FLOAT)) {
        taco__pred_kernel_float_range(a, n, t->lo64[0], t->hi64[0], out);
    } else if (t->n == 1 && (type == TACO_INT64 || type == TACO_TIMESTAMP ||
                             (type == TACO_TIME && a->field->width != 4))) {
        taco__pred_kernel_range_i64(a->v.i64, n, out, t->lo64[0], t->hi64[0]);
    } else if (t->n == 1 && (type == TACO_INT32 || type == TACO_DATE)) {
        taco__pred_kernel_in_i32(a->v.i32, n, out, (int32_t)t->lo64[0], (int32_t)t->hi64[0]);
#endif
    } else {
        for (at = 0; at < n; at += k) {
            k = TACO__MIN(n - at, (size_t)TACO__PRED_KERNEL_STEP);
            taco__pred_kernel_keys(a, at, k, keys);
#ifndef TACO_SMALL
            if (t->n == 1) {
                taco__pred_kernel_range_i64(keys, k, out + at / 64, t->lo64[0], t->hi64[0]);
                continue;
            }
#endif
            taco__pred_kernel_key_ranges(t, keys, k, out + at / 64);
        }
    }
}

/* ---- tests of bytes ---- */

/* Whether a text is in the list. Uses binary search, because the list may come from a file of
   ids. */
static bool taco__pred_kernel_in_list(const taco__test *t, taco_bytes b)
{
    size_t lo = 0, hi = t->n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        int order = taco__bytes_compare(t->list[mid], b);
        if (order == 0) { return true; }
        if (order < 0) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return false;
}

/* Whether a text is between the two of the test, each end open, closed or absent. */
TACO__FN bool taco__pred_kernel_in_byte_range(const taco__test *t, taco_bytes b)
{
    int low = t->has_low ? taco__bytes_compare(b, t->low) : 1,
        high = t->has_high ? taco__bytes_compare(b, t->high) : -1;
    return (t->open_low ? low > 0 : low >= 0) && (t->open_high ? high < 0 : high <= 0);
}

#ifndef TACO_SMALL
/* Equality with one text, the most common test: compares all lengths, then the bytes of the few
   that remain. */
static void taco__pred_kernel_equal_bytes(const taco_array *a, size_t n, taco_bytes text,
                                          uint64_t *out)
{
    const int32_t *offsets = a->offsets;
    size_t w;
    if (!offsets || text.len > INT32_MAX) {
        TACO__PRED_KERNEL_EACH(taco__bytes_equal(taco__pred_kernel_bytes(a, row), text))
        return;
    }
    TACO__PRED_KERNEL_EACH((uint32_t)offsets[row + 1] - (uint32_t)offsets[row] ==
                           (uint32_t)text.len)
    for (w = 0; text.len && w < (n + 63) / 64; w++) {
        uint64_t left = out[w];
        for (; left; left &= left - 1) {
            size_t i = w * 64 + taco__plat_ctz64(left);
            if (memcmp(a->v.u8 + offsets[i], text.data, text.len) != 0) {
                out[w] &= ~((uint64_t)1 << i % 64);
            }
        }
    }
}
#endif

/* One loop for each kind of test, so that no row has to decide. */
static void taco__pred_kernel_test_bytes(const taco_array *a, size_t n, const taco__test *t,
                                         uint64_t *out)
{
#ifndef TACO_SMALL
    if (t->mode == TACO__TEST_LIST && t->n == 1) {
        taco__pred_kernel_equal_bytes(a, n, t->list[0], out);
        return;
    }
#endif
    if (t->mode == TACO__TEST_LIST) {
        TACO__PRED_KERNEL_EACH(taco__pred_kernel_in_list(t, taco__pred_kernel_bytes(a, row)))
    } else if (t->mode == TACO__TEST_RANGE) {
        TACO__PRED_KERNEL_EACH(taco__pred_kernel_in_byte_range(t, taco__pred_kernel_bytes(a, row)))
    } else if (TACO__WITH_LIKE) {
        TACO__PRED_KERNEL_EACH(taco__like_match(&t->like, taco__pred_kernel_bytes(a, row)))
    }
}

/* Sets the bits of the n rows of an array without a dictionary that pass a test; bits of NULL rows
   may be anything. */
TACO__FN void taco__pred_kernel_test(const taco_array *a, size_t n, const taco__test *t,
                                     uint64_t *out)
{
    if (t->mode == TACO__TEST_KEYS) {
        taco__pred_kernel_test_keys(a, n, t, out);
    } else {
        taco__pred_kernel_test_bytes(a, n, t, out);
    }
}

/* Looks rows up by index: pass has a byte for each of the entries from `from` on, and one more for
   indices outside, which NULL rows may have. */
TACO__FN void taco__pred_kernel_look_up(const int32_t *index, size_t n, const uint8_t *pass,
                                        uint32_t from, uint32_t entries, uint64_t *out)
{
    TACO__PRED_KERNEL_EACH(
        pass[(uint32_t)index[row] - from < entries ? (uint32_t)index[row] - from : entries])
}
