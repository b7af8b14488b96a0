/* ==== ROOM eval: run a bound condition over batches, or over statistics. Uses: expr like value mem error base ==== */

/* A condition is evaluated node by node over whole batches into two bitmaps: true_bits and valid_bits, true being a subset
   of valid. FALSE is valid and not true. Bitmaps are arrays of 64-bit words whose bits behind the last row are 0. */

typedef struct taco__pred_eval_block {
    struct taco__pred_eval_block *next;
    size_t                        size, used;
} taco__pred_eval_block;

typedef struct taco__pred_eval_state {
    const taco_array     **columns;
    size_t                 rows, words;
    taco__mem             *mem;
    taco__pred_eval_block *blocks; /* scratch, newest first */
    taco_error            *err;
} taco__pred_eval_state;

#define TACO__PRED_EVAL_HEAD ((sizeof(taco__pred_eval_block) + 63) & ~(size_t)63)

/* Scratch that lives to the end of the call, not cleared: an arena whose pieces may be large. */
TACO__FN void *taco__pred_eval_alloc(taco__pred_eval_state *v, size_t size)
{
    taco__pred_eval_block *b = v->blocks;
    size_t                 need = (size + 63) & ~(size_t)63, cap, total;
    if (size > SIZE_MAX - 64 || !b || need > b->size - b->used) {
        cap = TACO__MAX(need, v->words * 64 + 4096); /* eight bitmaps */
        if (size > SIZE_MAX - 64 || !taco__checked_add_size(cap, TACO__PRED_EVAL_HEAD, &total)) {
            TACO__FAIL(v->err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u bytes",
                       TACO__U(size));
            return NULL;
        }
        b = (taco__pred_eval_block *)taco__mem_resize(v->mem, NULL, 0, total, v->err);
        if (!b) {
            return NULL;
        }
        b->next = v->blocks;
        b->size = cap;
        b->used = 0;
        v->blocks = b;
    }
    b->used += need;
    return (uint8_t *)b + TACO__PRED_EVAL_HEAD + b->used - need;
}
/* Gives back what was taken since `block` was the newest and had `used` bytes taken; NULL and 0 give back everything. */
TACO__FN void taco__pred_eval_release(taco__pred_eval_state *v, taco__pred_eval_block *block,
                                      size_t used)
{
    while (v->blocks != block) {
        taco__pred_eval_block *b = v->blocks;
        v->blocks = b->next;
        taco__mem_free(v->mem, b, TACO__PRED_EVAL_HEAD + b->size);
    }
    if (block) {
        block->used = used;
    }
}
/* Room for one bit a row. */
TACO__FN uint64_t *taco__pred_eval_alloc_bitmap(taco__pred_eval_state *v)
{
    return (uint64_t *)taco__pred_eval_alloc(v, v->words * 8);
}

/* ---- bitmaps ---- */

TACO__INLINE uint64_t
taco__pred_eval_last_word(size_t rows) /* the bits of the last word that are rows */
{
    return rows % 64 ? UINT64_MAX >> (64 - rows % 64) : UINT64_MAX;
}
/* An Arrow bitmap as words; NULL is all ones. Reads no byte behind the last row's. */
TACO__FN void taco__pred_eval_load_bitmap(const uint8_t *bitmap, size_t rows, uint64_t *out)
{
    size_t i, n = rows / 64, left = rows % 64;
    for (i = 0; i < n; i++) {
        out[i] = bitmap ? taco__load_le64(bitmap + i * 8) : UINT64_MAX;
    }
    if (left) {
        uint8_t last[8] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
        if (bitmap) {
            memcpy(last, bitmap + n * 8, TACO__BITMAP_BYTES(left));
        }
        out[n] = taco__load_le64(last) & taco__pred_eval_last_word(rows);
    }
}
/* Words back to an Arrow bitmap of (rows + 7) / 8 bytes. */
TACO__FN void taco__pred_eval_store_bitmap(const uint64_t *bits, size_t rows, uint8_t *out)
{
    size_t  i, n = rows / 64, left = rows % 64;
    uint8_t last[8];
    for (i = 0; i < n; i++) {
        taco__put_le64(out + i * 8, bits[i]);
    }
    if (left) {
        taco__put_le64(last, bits[n]);
        memcpy(out + n * 8, last, TACO__BITMAP_BYTES(left));
    }
}
/* All rows alike, the bits behind them 0. */
TACO__FN void taco__pred_eval_fill_bitmap(const taco__pred_eval_state *v, uint64_t *bits, bool set)
{
    memset(bits, set ? 0xFF : 0, v->words * 8);
    if (v->words) {
        bits[v->words - 1] &= taco__pred_eval_last_word(v->rows);
    }
}

/* ---- kernels: 64 values to a word ---- */

/* Each packs the outcomes of 64 rows into bytes first, which compilers vectorise, and then eight bytes into eight bits
   with a multiplication that moves bit 0 of byte i to bit 56 + i. */
TACO__INLINE uint64_t taco__pred_kernel_pack_flags(const uint8_t *flags)
{
    uint64_t w = 0;
    int      i;
    for (i = 0; i < 8; i++) {
        w |= ((taco__load_le64(flags + i * 8) * UINT64_C(0x0102040810204080)) >> 56) << i * 8;
    }
    return w;
}
#define TACO__PRED_KERNEL(name, type, parameters, condition)                                       \
    TACO__FN void name(const type *x, size_t n, uint64_t *out, parameters)                         \
    {                                                                                              \
        uint8_t flags[64];                                                                         \
        size_t  i, w = 0;                                                                          \
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
/* The same for conditions that need the row's number, `row`, and do not vectorise: a loop inside a function that has n
   and out. No word is written twice, so no row waits for the one before it. */
#define TACO__PRED_KERNEL_EACH(condition)                                                          \
    {                                                                                              \
        uint8_t flags[64] = {0};                                                                   \
        size_t  row = 0, bit;                                                                      \
        while (row < n) {                                                                          \
            size_t more = TACO__MIN(n - row, (size_t)64);                                          \
            for (bit = 0; bit < more; bit++, row++) {                                              \
                flags[bit] = (uint8_t)(condition);                                                 \
            }                                                                                      \
            memset(flags + more, 0, 64 - more);                                                    \
            out[(row - 1) / 64] = taco__pred_kernel_pack_flags(flags);                             \
        }                                                                                          \
    }

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
/* The three 64-bit kernels with AVX2, four rows to a comparison. They return how many rows they did, a multiple of 64. */
TACO__TARGET("avx2")
TACO__FN size_t taco__pred_kernel_in_i64_avx2(const int64_t *x, size_t n, uint64_t *out, int64_t lo,
                                              int64_t hi)
{
    __m256i l = _mm256_set1_epi64x(lo), h = _mm256_set1_epi64x(hi);
    size_t  i, k;
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
TACO__FN size_t taco__pred_kernel_in_f64_avx2(const double *x, size_t n, uint64_t *out, double lo,
                                              double hi)
{
    __m256d l = _mm256_set1_pd(lo), h = _mm256_set1_pd(hi);
    size_t  i, k;
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
TACO__FN size_t taco__pred_kernel_from_f64_avx2(const double *x, size_t n, uint64_t *out, double lo)
{
    __m256d l = _mm256_set1_pd(lo);
    size_t  i, k;
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
/* The kernel for this machine; the portable one does what is left of the last word. */
TACO__FN void taco__pred_kernel_range_i64(const int64_t *x, size_t n, uint64_t *out, int64_t lo,
                                          int64_t hi)
{
    size_t done = 0;
#if TACO__X86
    done = TACO__CPU_HAS("avx2") ? taco__pred_kernel_in_i64_avx2(x, n, out, lo, hi) : 0;
#endif
    taco__pred_kernel_in_i64(x + done, n - done, out + done / 64, lo, hi);
}
TACO__FN void taco__pred_kernel_range_f64(const double *x, size_t n, uint64_t *out, double lo,
                                          double hi)
{
    size_t done = 0;
#if TACO__X86
    done = TACO__CPU_HAS("avx2") ? taco__pred_kernel_in_f64_avx2(x, n, out, lo, hi) : 0;
#endif
    taco__pred_kernel_in_f64(x + done, n - done, out + done / 64, lo, hi);
}
TACO__FN void taco__pred_kernel_at_least_f64(const double *x, size_t n, uint64_t *out, double lo)
{
    size_t done = 0;
#if TACO__X86
    done = TACO__CPU_HAS("avx2") ? taco__pred_kernel_from_f64_avx2(x, n, out, lo) : 0;
#endif
    taco__pred_kernel_from_f64(x + done, n - done, out + done / 64, lo);
}

/* ---- keys of columns ---- */

#define TACO__PRED_KERNEL_STEP 512 /* rows converted at a time, a multiple of 64 */

/* INT96 to microseconds, cut as DuckDB cuts them, held at the ends of int64. */
TACO__FN int64_t taco__pred_kernel_int96_key(const uint8_t *p)
{
    int64_t nanos = (int64_t)taco__load_le64(p),
            day = (int64_t)(int32_t)taco__load_le32(p + 8) - 2440588;
    int64_t us = nanos / 1000;
    if (day > 106751990 || day < -106751990) {
        return day > 0 ? INT64_MAX : INT64_MIN;
    }
    day *= INT64_C(86400000000);
    return us > 0 && day > INT64_MAX - us   ? INT64_MAX
           : us < 0 && day < INT64_MIN - us ? INT64_MIN
                                            : day + us;
}
#define TACO__PRED_KERNEL_KEYS(field, expression)                                                  \
    for (i = 0; i < n; i++) {                                                                      \
        out[i] = (int64_t)(expression);                                                            \
    }                                                                                              \
    break
/* Keys of rows [from, from + n) of a plain array whose keys have 64 bits. UINT64 comes with its top bit flipped. */
TACO__FN void taco__pred_kernel_keys(const taco_array *a, size_t from, size_t n, int64_t *out)
{
    size_t i;
    switch (a->field->type) {
    case TACO_BOOL: TACO__PRED_KERNEL_KEYS(u8, taco__bitmap_get(a->v.u8, from + i));
    case TACO_INT8: TACO__PRED_KERNEL_KEYS(i8, a->v.i8[from + i]);
    case TACO_INT16: TACO__PRED_KERNEL_KEYS(i16, a->v.i16[from + i]);
    case TACO_INT32:
    case TACO_DATE: TACO__PRED_KERNEL_KEYS(i32, a->v.i32[from + i]);
    case TACO_UINT8: TACO__PRED_KERNEL_KEYS(u8, a->v.u8[from + i]);
    case TACO_UINT16: TACO__PRED_KERNEL_KEYS(u16, a->v.u16[from + i]);
    case TACO_UINT32: TACO__PRED_KERNEL_KEYS(u32, a->v.u32[from + i]);
    case TACO_UINT64: TACO__PRED_KERNEL_KEYS(u64, a->v.u64[from + i] ^ (uint64_t)1 << 63);
    case TACO_HALF:
        TACO__PRED_KERNEL_KEYS(u16, taco__scalar_key_f32(taco__num_f16_to_f32(a->v.u16[from + i])));
    case TACO_FLOAT: TACO__PRED_KERNEL_KEYS(f32, taco__scalar_key_f32(a->v.f32[from + i]));
    case TACO_DOUBLE: TACO__PRED_KERNEL_KEYS(f64, taco__scalar_key_f64(a->v.f64[from + i]));
    case TACO_INT96:
        TACO__PRED_KERNEL_KEYS(u8, taco__pred_kernel_int96_key(a->v.u8 + (from + i) * 12));
    case TACO_TIME:
        if (a->field->width == 4) {
            TACO__PRED_KERNEL_KEYS(i32, a->v.i32[from + i]);
        }
        TACO__PRED_KERNEL_KEYS(i64, a->v.i64[from + i]);
    default: TACO__PRED_KERNEL_KEYS(i64, a->v.i64[from + i]); /* INT64, TIMESTAMP */
    }
}
/* Bytes of row i of a plain TEXT, BINARY, FIXED, UUID or wide DECIMAL array. */
TACO__INLINE taco_bytes taco__pred_kernel_bytes(const taco_array *a, size_t i)
{
    taco_bytes b;
    if (a->offsets) {
        b.data = a->v.u8 + a->offsets[i];
        b.len = (size_t)(a->offsets[i + 1] - a->offsets[i]);
    } else {
        b.len = (size_t)a->field->width;
        b.data = a->v.u8 + i * b.len;
    }
    return b;
}
/* A DECIMAL of a plain array. One beyond the range of keys is held at its end, where no literal reaches. */
TACO__FN taco__i256 taco__pred_kernel_decimal_key(const taco_array *a, size_t i)
{
    taco__i256        d = taco__i256_from_i64(0), lo, hi;
    taco__scalar_type t = taco__scalar_simple_type(TACO_DECIMAL);
    taco_bytes        b = taco__pred_kernel_bytes(a, i);
    bool              fits = true, neg;
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

/* ---- tests ---- */

/* Number of ranges whose lower end is not above the key, less one, is the only range it can be in. */
TACO__FN bool taco__pred_kernel_in_ranges(const taco__test *t, int64_t key)
{
    size_t lo = 0, hi = t->n;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (t->lo64[mid] <= key) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo > 0 && key <= t->hi64[lo - 1];
}
/* The same with keys of 256 bits. */
TACO__FN bool taco__pred_kernel_in_wide_ranges(const taco__test *t, taco__i256 key)
{
    size_t lo = 0, hi = t->n;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (taco__i256_compare(&t->lo[mid], &key) <= 0) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo > 0 && taco__i256_compare(&key, &t->hi[lo - 1]) <= 0;
}
/* Without branches: which way a comparison of decimals goes is not predictable. */
TACO__INLINE bool taco__pred_kernel_in_range_128(const uint8_t *p, const taco__i256 *lo,
                                                 const taco__i256 *hi)
{
    uint64_t low = taco__load_le64(p);
    int64_t  high = (int64_t)taco__load_le64(p + 8), a = (int64_t)lo->w[1], b = (int64_t)hi->w[1];
    return ((high > a) | ((high == a) & (low >= lo->w[0]))) &
           ((high < b) | ((high == b) & (low <= hi->w[0])));
}
/* DECIMAL of 16 bytes, the only width whose speed matters: 128-bit comparisons against the first range. */
TACO__FN void taco__pred_kernel_decimal128(const taco_array *a, size_t n, const taco__test *t,
                                           uint64_t *out)
{
    taco__i256     lo, hi, least = taco__i256_from_i64(0), most;
    const uint8_t *p = a->v.u8;
    least.w[1] = (uint64_t)1
                 << 63; /* the ends of 128 bits, so that ranges that reach beyond are cut to them */
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
/* FLOAT and DOUBLE against one range of keys, in the column's own arithmetic. */
TACO__FN void taco__pred_kernel_float_range(const taco_array *a, size_t n, int64_t lo, int64_t hi,
                                            uint64_t *out)
{
    bool    single = a->field->type == TACO_FLOAT;
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
/* Keys against more than one range. */
TACO__FN void taco__pred_kernel_key_ranges(const taco__test *t, const int64_t *keys, size_t n,
                                           uint64_t *out){
    TACO__PRED_KERNEL_EACH(taco__pred_kernel_in_ranges(t, keys[row]))}
/* Chooses the loop once for the batch: the column's own storage where it has a kernel, else keys a piece at a time. */
TACO__FN void taco__pred_kernel_test_keys(const taco_array *a, size_t n, const taco__test *t,
                                          uint64_t *out)
{
    int64_t   keys[TACO__PRED_KERNEL_STEP];
    taco_type type = a->field->type;
    size_t    at, k;
    if (t->n == 0) {
        memset(out, 0, (n + 63) / 64 * 8);
    } else if (type == TACO_DECIMAL && t->n == 1 && a->field->width == 16) {
        taco__pred_kernel_decimal128(a, n, t, out);
    } else if (type == TACO_DECIMAL) {
        TACO__PRED_KERNEL_EACH(
            taco__pred_kernel_in_wide_ranges(t, taco__pred_kernel_decimal_key(a, row)))
    } else if (t->n == 1 && (type == TACO_FLOAT || type == TACO_DOUBLE)) {
        taco__pred_kernel_float_range(a, n, t->lo64[0], t->hi64[0], out);
    } else if (t->n == 1 && (type == TACO_INT64 || type == TACO_TIMESTAMP ||
                             (type == TACO_TIME && a->field->width != 4))) {
        taco__pred_kernel_range_i64(a->v.i64, n, out, t->lo64[0], t->hi64[0]);
    } else if (t->n == 1 && (type == TACO_INT32 || type == TACO_DATE)) {
        taco__pred_kernel_in_i32(a->v.i32, n, out, (int32_t)t->lo64[0], (int32_t)t->hi64[0]);
    } else {
        for (at = 0; at < n; at += k) {
            k = TACO__MIN(n - at, (size_t)TACO__PRED_KERNEL_STEP);
            taco__pred_kernel_keys(a, at, k, keys);
            if (t->n == 1) {
                taco__pred_kernel_range_i64(keys, k, out + at / 64, t->lo64[0], t->hi64[0]);
                continue;
            }
            taco__pred_kernel_key_ranges(t, keys, k, out + at / 64);
        }
    }
}
/* Binary search: a list may come from a file of ids. */
TACO__FN bool taco__pred_kernel_in_list(const taco__test *t, taco_bytes b)
{
    size_t lo = 0, hi = t->n;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        int    c = taco__bytes_compare(t->list[mid], b);
        if (c == 0) {
            return true;
        }
        if (c < 0) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return false;
}
/* Between two texts, each end open, closed or absent. */
TACO__FN bool taco__pred_kernel_in_byte_range(const taco__test *t, taco_bytes b)
{
    int low = t->has_low ? taco__bytes_compare(b, t->low) : 1,
        high = t->has_high ? taco__bytes_compare(b, t->high) : -1;
    return (t->open_low ? low > 0 : low >= 0) && (t->open_high ? high < 0 : high <= 0);
}
/* Lengths first: they differ far more often than the bytes do. */
TACO__INLINE bool taco__pred_kernel_same_bytes(taco_bytes b, taco_bytes want)
{
    return b.len == want.len && (want.len == 0 || memcmp(b.data, want.data, want.len) == 0);
}
/* One text for equality, the commonest test: lengths first, then the bytes of the few that are left. */
TACO__FN void taco__pred_kernel_equal_bytes(const taco_array *a, size_t n, taco_bytes want,
                                            uint64_t *out)
{
    const int32_t *offsets = a->offsets;
    size_t         w;
    if (!offsets || want.len > INT32_MAX) {
        TACO__PRED_KERNEL_EACH(taco__pred_kernel_same_bytes(taco__pred_kernel_bytes(a, row), want))
        return;
    }
    TACO__PRED_KERNEL_EACH((uint32_t)offsets[row + 1] - (uint32_t)offsets[row] ==
                           (uint32_t)want.len)
    for (w = 0; want.len && w < (n + 63) / 64; w++) {
        uint64_t left = out[w];
        for (; left; left &= left - 1) {
            size_t i = w * 64 + taco__plat_ctz64(left);
            if (memcmp(a->v.u8 + offsets[i], want.data, want.len) != 0) {
                out[w] &= ~((uint64_t)1 << i % 64);
            }
        }
    }
}
/* One loop for each kind of test, so that nothing is decided row by row. */
TACO__FN void taco__pred_kernel_test_bytes(const taco_array *a, size_t n, const taco__test *t,
                                           uint64_t *out)
{
    if (t->mode == TACO__TEST_LIST && t->n == 1) {
        taco__pred_kernel_equal_bytes(a, n, t->list[0], out);
    } else if (t->mode == TACO__TEST_LIST) {
        TACO__PRED_KERNEL_EACH(taco__pred_kernel_in_list(t, taco__pred_kernel_bytes(a, row)))
    } else if (t->mode == TACO__TEST_RANGE) {
        TACO__PRED_KERNEL_EACH(taco__pred_kernel_in_byte_range(t, taco__pred_kernel_bytes(a, row)))
    } else {
        TACO__PRED_KERNEL_EACH(taco__like_match(&t->like, taco__pred_kernel_bytes(a, row)))
    }
}
/* A test of an array without a dictionary; NULLs are not looked at. */
TACO__FN void taco__pred_kernel_test(const taco_array *a, size_t n, const taco__test *t,
                                     uint64_t *out)
{
    if (t->mode == TACO__TEST_KEYS) {
        taco__pred_kernel_test_keys(a, n, t, out);
    } else {
        taco__pred_kernel_test_bytes(a, n, t, out);
    }
}
/* Verdict by index; pass has one entry more, for indices outside. */
TACO__FN void taco__pred_kernel_look_up(const int32_t *index, size_t n, const uint8_t *pass,
                                        uint32_t from, uint32_t entries,
                                        uint64_t *out){TACO__PRED_KERNEL_EACH(
    pass[(uint32_t)index[row] - from < entries ? (uint32_t)index[row] - from : entries])}
/* The entries [*from, *from + *n) of the dictionary that rows use, when those are not many more than the rows: all of a
   short one; of a long one that follows the rows, as values that differ in every row do, a stretch. */
TACO__FN
    bool taco__pred_eval_used_entries(const taco_array *a, size_t rows, size_t *from, size_t *n)
{
    size_t   i, most = rows * 4 + 64;
    uint32_t low = UINT32_MAX, high = 0;
    *from = 0;
    *n = a->dictionary->length;
    if (*n <= rows) {
        return true;
    }
    for (i = 0; i < rows; i++) {
        uint32_t k = (uint32_t)a->v.i32[i];
        low = TACO__MIN(low, k);
        high = TACO__MAX(high, k);
    }
    if (rows && high < *n && high - low < most) {
        *from = low & ~(uint32_t)7; /* bitmaps begin at bytes */
        *n = (size_t)high - *from + 1;
    }
    return *n <= most + 8;
}
/* Verdicts on n of the dictionary's entries, then one look-up a row. Where the entries that pass lie side by side, as a
   single one does, the look-up is a comparison of indices. Indices of NULL rows may be anything: they are kept inside. */
TACO__FN bool taco__pred_eval_test_dictionary(taco__pred_eval_state *v, const taco_array *a,
                                              size_t from, size_t n, const taco__test *t,
                                              uint64_t *out)
{
    taco_array     d = *a->dictionary;
    size_t         i, hits = 0, first = 0, last = 0;
    uint64_t      *words = (uint64_t *)taco__pred_eval_alloc(v, (n + 63) / 64 * 8 + 8);
    uint8_t       *pass = (uint8_t *)taco__pred_eval_alloc(v, n + 1);
    const int32_t *index = a->v.i32;
    if (!words || !pass) {
        return false;
    }
    if (d.offsets) {
        d.offsets += from;
    } else {
        d.v.u8 += d.field->type == TACO_BOOL ? 0 : (size_t)d.field->width * from;
    }
    taco__pred_kernel_test(&d, n, t, words);
    for (i = 0; i < n; i++) {
        pass[i] = (uint8_t)(words[i / 64] >> i % 64 & 1);
        if (pass[i]) {
            first = hits++ ? first : i;
            last = i;
        }
    }
    pass[n] = 0;
    if (hits == 0) {
        taco__pred_eval_fill_bitmap(v, out, false);
    } else if (hits == last - first + 1) {
        taco__pred_kernel_in_i32(index, v->rows, out, (int32_t)(from + first),
                                 (int32_t)(from + last));
    } else {
        taco__pred_kernel_look_up(index, v->rows, pass, (uint32_t)from, (uint32_t)n, out);
    }
    return true;
}
/* The array of a column, checked against what the condition was bound to. */
TACO__FN const taco_array *taco__pred_eval_column(taco__pred_eval_state *v, const taco__expr *e)
{
    const taco_array *a = v->columns[e->column];
    const taco_field *f = a && a->dictionary ? a->dictionary->field : a ? a->field : NULL;
    if (!f || a->length < v->rows || f->type != e->field->type ||
        (f->width != e->field->width && f->type != TACO_DECIMAL)) {
        TACO__FAIL(v->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "the condition needs column %q as %s with %u rows", &e->name,
                   taco__scalar_type_name(e->field->type), TACO__U(v->rows));
        return NULL;
    }
    return a;
}
/* A TEST: its outcome on the stored values, then NOT, then the NULLs of column and list. */
TACO__FN bool taco__pred_eval_test(taco__pred_eval_state *v, const taco__expr *e, uint64_t *yes,
                                   uint64_t *valid)
{
    const taco_array *a = taco__pred_eval_column(v, e);
    const taco__test *t = e->test;
    size_t            i, from, n;
    if (!a) {
        return false;
    }
    if (a->dictionary && taco__pred_eval_used_entries(a, v->rows, &from, &n)) {
        if (!taco__pred_eval_test_dictionary(v, a, from, n, t, yes)) {
            return false;
        }
    } else if (a->dictionary) { /* far more entries than rows: only those that are used */
        memset(yes, 0, v->words * 8);
        for (i = 0; i < v->rows; i++) {
            uint64_t   one = 0;
            taco_array entry = *a->dictionary;
            uint32_t   k = (uint32_t)a->v.i32[i];
            if (k < entry.length) {
                if (entry.offsets) {
                    entry.offsets += k;
                } else if (entry.field->type == TACO_BOOL) {
                    continue; /* two entries never outnumber the rows */
                } else {
                    entry.v.u8 += (size_t)entry.field->width * k;
                }
                taco__pred_kernel_test(&entry, 1, t, &one);
                yes[i / 64] |= one << i % 64;
            }
        }
    } else {
        taco__pred_kernel_test(a, v->rows, t, yes);
    }
    taco__pred_eval_load_bitmap(a->validity, v->rows, valid);
    for (i = 0; i < v->words; i++) {
        uint64_t in = yes[i] & valid[i], known = t->null_rest ? in : valid[i];
        yes[i] = e->neg ? known & ~in : in;
        valid[i] = known;
    }
    if (t->null_false) { /* NULL rows are outside, which is a known answer */
        for (i = 0; i < v->words; i++) {
            yes[i] |= e->neg ? ~valid[i] : 0;
        }
        taco__pred_eval_fill_bitmap(v, valid, true);
        yes[v->words - 1] &= taco__pred_eval_last_word(v->rows);
    }
    return true;
}

/* ---- values row by row: columns with columns ---- */

typedef struct taco__pred_operand {
    const taco__expr *e;
    const taco_array *a, *plain; /* COLUMN: the array, and the one with its values */
    uint64_t         *yes;       /* a condition as a value */
    uint64_t         *valid;
} taco__pred_operand;

TACO__FN bool taco__pred_eval_node(taco__pred_eval_state *v, const taco__expr *e, bool only_true,
                                   uint64_t *yes, uint64_t *valid);

/* Prepares a side: finds the array, or evaluates a condition that is used as a value. */
TACO__FN bool taco__pred_eval_operand_init(taco__pred_eval_state *v, const taco__expr *e,
                                           taco__pred_operand *s)
{
    memset(s, 0, sizeof *s);
    s->e = e;
    s->valid = taco__pred_eval_alloc_bitmap(v);
    if (!s->valid) {
        return false;
    }
    if (e->kind == TACO__PRED_CONST) {
        taco__pred_eval_fill_bitmap(v, s->valid, e->type.id != TACO_NULL);
        return true;
    }
    if (e->kind == TACO__PRED_COLUMN) {
        s->a = taco__pred_eval_column(v, e);
        if (!s->a) {
            return false;
        }
        s->plain = s->a->dictionary ? s->a->dictionary : s->a;
        taco__pred_eval_load_bitmap(s->a->validity, v->rows, s->valid);
        return true;
    }
    s->yes = taco__pred_eval_alloc_bitmap(v);
    return s->yes && taco__pred_eval_node(v, e, false, s->yes, s->valid);
}
/* The place of row i in s->plain, false when it has none (an index of a NULL row may be anything). */
TACO__INLINE bool taco__pred_eval_operand_place(const taco__pred_operand *s, size_t i, size_t *out)
{
    *out = s->a->dictionary ? (size_t)(uint32_t)s->a->v.i32[i] : i;
    return *out < s->plain->length;
}
/* Row i as a scalar. The slow way, for pairs of types without a loop of their own. */
TACO__FN taco__scalar taco__pred_eval_operand_scalar(const taco__pred_operand *s, size_t i)
{
    taco__scalar v = taco__scalar_make_null();
    taco_type    type;
    int64_t      key;
    size_t       at;
    if (s->e->kind == TACO__PRED_CONST) {
        return s->e->value;
    }
    if (s->e->kind != TACO__PRED_COLUMN) {
        return taco__expr_bool_value(s->yes[i / 64] >> i % 64 & 1);
    }
    v.type = s->e->type;
    if (!taco__pred_eval_operand_place(s, i, &at)) {
        return v;
    }
    type = s->plain->field->type;
    if (taco__scalar_is_bytes(v.type.id)) {
        v.b = taco__pred_kernel_bytes(s->plain, at);
    } else if (type == TACO_DECIMAL) {
        v.d = taco__pred_kernel_decimal_key(s->plain, at);
    } else {
        taco__pred_kernel_keys(s->plain, at, 1, &key);
        if (type == TACO_UINT64) {
            v.d = taco__i256_from_u64((uint64_t)key ^ (uint64_t)1 << 63);
        } else {
            v = taco__scalar_from_key(&v.type, taco__i256_from_i64(key));
        }
    }
    return v;
}
/* Sides whose 64-bit keys compare as they are: integers, and dates and times of one unit. */
TACO__FN bool taco__pred_eval_keys_compare(const taco__scalar_type *a, const taco__scalar_type *b)
{
    bool ints = (taco__scalar_is_int(a->id) || a->id == TACO_BOOL) &&
                (taco__scalar_is_int(b->id) || b->id == TACO_BOOL);
    if (ints) {
        return (a->id == TACO_UINT64) == (b->id == TACO_UINT64);
    }
    return a->id == b->id &&
           (a->id == TACO_DATE ||
            ((a->id == TACO_TIME || a->id == TACO_TIMESTAMP) && a->unit == b->unit));
}
/* Keys of n rows of a side, n at most TACO__PRED_KERNEL_STEP. */
TACO__FN void taco__pred_eval_operand_keys(const taco__pred_operand *s, size_t from, size_t n,
                                           int64_t *out)
{
    size_t i;
    if (s->e->kind == TACO__PRED_COLUMN && !s->a->dictionary) {
        taco__pred_kernel_keys(s->plain, from, n, out);
        return;
    }
    for (i = 0; i < n; i++) {
        taco__scalar x = taco__pred_eval_operand_scalar(s, from + i);
        out[i] = (int64_t)(x.d.w[0] ^ (x.type.id == TACO_UINT64 ? (uint64_t)1 << 63 : 0));
    }
}
/* The same as floating point numbers, rounded to FLOAT where that is the domain. */
TACO__FN void taco__pred_eval_operand_floats(const taco__pred_operand *s, size_t from, size_t n,
                                             bool single, double *out)
{
    size_t i;
    if (s->e->kind == TACO__PRED_COLUMN && !s->a->dictionary &&
        s->plain->field->type == TACO_DOUBLE && !single) {
        memcpy(out, s->plain->v.f64 + from, n * sizeof *out);
        return;
    }
    if (s->e->kind == TACO__PRED_COLUMN && !s->a->dictionary &&
        s->plain->field->type == TACO_FLOAT) {
        for (i = 0; i < n; i++) {
            out[i] = (double)s->plain->v.f32[from + i];
        }
        return;
    }
    for (i = 0; i < n; i++) {
        taco__scalar x = taco__pred_eval_operand_scalar(s, from + i);
        out[i] = taco__scalar_to_double(&x, single);
    }
}
/* out: x < y (less) or x = y, of rows [from, from + n); n at most TACO__PRED_KERNEL_STEP. */
TACO__FN void taco__pred_eval_compare_rows(const taco__expr *e, const taco__pred_operand *x,
                                           const taco__pred_operand *y, size_t from, size_t n,
                                           bool less, uint64_t *out)
{
    union {
        int64_t k[TACO__PRED_KERNEL_STEP];
        double  f[TACO__PRED_KERNEL_STEP];
    } a, b;
    if (e->domain == TACO__DOMAIN_EXACT && taco__pred_eval_keys_compare(&x->e->type, &y->e->type)) {
        taco__pred_eval_operand_keys(x, from, n, a.k);
        taco__pred_eval_operand_keys(y, from, n, b.k);
        TACO__PRED_KERNEL_EACH(less ? a.k[row] < b.k[row] : a.k[row] == b.k[row])
    } else if (e->domain == TACO__DOMAIN_F32 || e->domain == TACO__DOMAIN_F64) {
        taco__pred_eval_operand_floats(x, from, n, e->domain == TACO__DOMAIN_F32, a.f);
        taco__pred_eval_operand_floats(y, from, n, e->domain == TACO__DOMAIN_F32, b.f);
        if (less) {
            TACO__PRED_KERNEL_EACH((a.f[row] < b.f[row]) |
                                   ((b.f[row] != b.f[row]) & (a.f[row] == a.f[row])))
        } else {
            TACO__PRED_KERNEL_EACH((a.f[row] == b.f[row]) |
                                   ((b.f[row] != b.f[row]) & (a.f[row] != a.f[row])))
        }
    } else {
        size_t i;
        memset(out, 0, (n + 63) / 64 * 8);
        for (i = 0; i < n; i++) {
            size_t row = from + i;
            if (x->valid[row / 64] & y->valid[row / 64] & (uint64_t)1 << row % 64) {
                taco__scalar p = taco__pred_eval_operand_scalar(x, row),
                             q = taco__pred_eval_operand_scalar(y, row);
                int c = taco__scalar_compare(e->domain, &p, &q);
                out[i / 64] |= (uint64_t)(less ? c < 0 : c == 0) << i % 64;
            }
        }
    }
}
/* Two sides that are not a column and a constant. GT and LE swap the sides, NE, LE and GE negate: two loops are enough. */
TACO__FN bool taco__pred_eval_compare(taco__pred_eval_state *v, const taco__expr *e, uint64_t *yes,
                                      uint64_t *valid)
{
    taco__pred_operand x, y;
    bool               equal = e->op == TACO__OP_EQ || e->op == TACO__OP_NE,
         swap = e->op == TACO__OP_GT || e->op == TACO__OP_LE;
    bool   negate = e->op == TACO__OP_NE || e->op == TACO__OP_LE || e->op == TACO__OP_GE;
    size_t at, i;
    if (!taco__pred_eval_operand_init(v, e->first, &x) ||
        !taco__pred_eval_operand_init(v, e->first->next, &y)) {
        return false;
    }
    for (at = 0; at < v->rows; at += TACO__PRED_KERNEL_STEP) {
        size_t n = TACO__MIN(v->rows - at, (size_t)TACO__PRED_KERNEL_STEP);
        taco__pred_eval_compare_rows(e, swap ? &y : &x, swap ? &x : &y, at, n, !equal,
                                     yes + at / 64);
    }
    for (i = 0; i < v->words; i++) {
        uint64_t both = x.valid[i] & y.valid[i], in = yes[i] & both;
        if (e->nullsafe) { /* two NULLs are equal, a NULL and a value differ */
            in |= ~(x.valid[i] | y.valid[i]);
            both = UINT64_MAX;
        }
        yes[i] = negate ? both & ~in : in;
        valid[i] = both;
    }
    yes[v->words - 1] &= taco__pred_eval_last_word(v->rows);
    valid[v->words - 1] &= taco__pred_eval_last_word(v->rows);
    return true;
}
/* LIKE whose pattern is a column. */
TACO__FN bool taco__pred_eval_like(taco__pred_eval_state *v, const taco__expr *e, uint64_t *yes,
                                   uint64_t *valid)
{
    taco__pred_operand x, y;
    taco__like_pattern k = e->test->like;
    size_t             i;
    if (!taco__pred_eval_operand_init(v, e->first, &x) ||
        !taco__pred_eval_operand_init(v, e->first->next, &y)) {
        return false;
    }
    k.mode = TACO__LIKE_FULL;
    memset(yes, 0, v->words * 8);
    for (i = 0; i < v->words; i++) {
        valid[i] = x.valid[i] & y.valid[i];
    }
    for (i = 0; i < v->rows; i++) {
        if (valid[i / 64] >> i % 64 & 1) {
            k.pattern = taco__pred_eval_operand_scalar(&y, i).b;
            yes[i / 64] |=
                (uint64_t)(taco__like_match(&k, taco__pred_eval_operand_scalar(&x, i).b) != e->neg)
                << i % 64;
        }
    }
    return true;
}

/* ---- nodes ---- */

/* IS on a column needs its validity only, whatever its type. */
TACO__FN bool taco__pred_eval_is(taco__pred_eval_state *v, const taco__expr *e, uint64_t *yes,
                                 uint64_t *valid)
{
    const taco__expr *c = e->first;
    uint64_t         *set = NULL;
    size_t            i;
    if (c->kind == TACO__PRED_COLUMN) {
        const taco_array *a = v->columns[c->column];
        if (!a || a->length < v->rows) {
            return taco__pred_eval_column(v, c) != NULL;
        }
        taco__pred_eval_load_bitmap(a->validity, v->rows, valid);
    } else {
        set = taco__pred_eval_alloc_bitmap(v);
        if (!set || !taco__pred_eval_node(v, c, false, set, valid)) {
            return false;
        }
    }
    for (i = 0; i < v->words; i++) {
        uint64_t x = e->is == TACO__IS_NULL   ? ~valid[i]
                     : e->is == TACO__IS_TRUE ? set[i]
                                              : valid[i] & ~set[i];
        yes[i] = e->neg ? ~x : x;
    }
    yes[v->words - 1] &= taco__pred_eval_last_word(v->rows);
    taco__pred_eval_fill_bitmap(v, valid, true);
    return true;
}
/* Calls the predicate with byte bitmaps, which is what Arrow has, and takes words back. */
TACO__FN bool taco__pred_eval_call_custom(taco__pred_eval_state *v, const taco__expr *e,
                                          const taco_array *a, size_t rows, uint64_t *yes,
                                          uint64_t *valid)
{
    size_t   bytes = (rows + 63) / 64 * 8;
    uint8_t *t = (uint8_t *)taco__pred_eval_alloc(v, bytes),
            *ok = (uint8_t *)taco__pred_eval_alloc(v, bytes);
    size_t i;
    if (!t || !ok) {
        return false;
    }
    memset(t, 0, bytes);
    taco__pred_eval_load_bitmap(a->validity, rows, valid);
    taco__pred_eval_store_bitmap(valid, rows, ok);
    if (!e->custom.eval(e->custom.ctx, a, rows, t, ok, v->err)) {
        TACO__FAIL(v->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "the condition on column %q failed",
                   &e->name);
        return false;
    }
    taco__pred_eval_load_bitmap(t, rows, yes);
    taco__pred_eval_load_bitmap(ok, rows, valid);
    for (i = 0; i < (rows + 63) / 64; i++) {
        yes[i] &= valid[i];
    }
    return true;
}
/* The caller's function never sees a dictionary with indices: it judges the entries, the rows look them up. */
TACO__FN bool taco__pred_eval_custom(taco__pred_eval_state *v, const taco__expr *e, uint64_t *yes,
                                     uint64_t *valid)
{
    const taco_array *a = taco__pred_eval_column(v, e);
    taco_array        d;
    uint64_t         *dyes, *dvalid;
    size_t            i, from, n;
    if (!a || !a->dictionary) {
        return a && taco__pred_eval_call_custom(v, e, a, v->rows, yes, valid);
    }
    d = *a->dictionary;
    if (taco__pred_eval_used_entries(a, v->rows, &from, &n) && d.offsets) {
        d.offsets += from;
        d.validity = d.validity ? d.validity + from / 8 : NULL;
        d.length = n;
    } else {
        from = 0;
        n = d.length;
    }
    dyes = (uint64_t *)taco__pred_eval_alloc(v, (n + 64) / 64 * 8);
    dvalid = (uint64_t *)taco__pred_eval_alloc(v, (n + 64) / 64 * 8);
    if (!dyes || !dvalid || !taco__pred_eval_call_custom(v, e, &d, n, dyes, dvalid)) {
        return false;
    }
    taco__pred_eval_load_bitmap(a->validity, v->rows, valid);
    memset(yes, 0, v->words * 8);
    for (i = 0; i < v->rows; i++) {
        uint32_t k = (uint32_t)a->v.i32[i] - (uint32_t)from;
        uint64_t in = k < n, t = in ? dyes[k / 64] >> k % 64 & 1 : 0,
                 ok = in ? dvalid[k / 64] >> k % 64 & 1 : 0;
        yes[i / 64] |= t << i % 64;
        valid[i / 64] &= ~((ok ^ 1) << i % 64);
    }
    for (i = 0; i < v->words; i++) {
        yes[i] &= valid[i];
    }
    return true;
}
/* only_true: the caller does not tell FALSE from NULL, so that a branch ends as soon as no row can become TRUE. */
TACO__FN bool taco__pred_eval_junction(taco__pred_eval_state *v, const taco__expr *e,
                                       bool only_true, uint64_t *yes, uint64_t *valid)
{
    const taco__expr *c = e->first;
    bool              is_and = e->kind == TACO__PRED_AND;
    uint64_t         *t = taco__pred_eval_alloc_bitmap(v), *ok = taco__pred_eval_alloc_bitmap(v);
    taco__pred_eval_block *block;
    size_t                 i, used;
    if (!t || !ok || !taco__pred_eval_node(v, c, only_true, yes, valid)) {
        return false;
    }
    block = v->blocks; /* what a child takes is given back before the next: a chain may be long */
    used = block->used;
    for (c = c->next; c; c = c->next) {
        uint64_t open = 0; /* rows the rest can still change */
        for (i = 0; i < v->words; i++) {
            uint64_t rows = i + 1 == v->words ? taco__pred_eval_last_word(v->rows) : UINT64_MAX;
            open |= is_and ? (only_true ? yes[i] : (yes[i] | ~valid[i]) & rows) : ~yes[i] & rows;
        }
        if (!open) {
            return true;
        }
        if (!taco__pred_eval_node(v, c, only_true, t, ok)) {
            return false;
        }
        taco__pred_eval_release(v, block, used);
        for (i = 0; i < v->words; i++) {
            uint64_t both = valid[i] & ok[i];
            if (is_and) { /* known when both are, or when one is FALSE */
                valid[i] = both | (valid[i] & ~yes[i]) | (ok[i] & ~t[i]);
                yes[i] &= t[i];
            } else { /* known when both are, or when one is TRUE */
                valid[i] = both | yes[i] | t[i];
                yes[i] |= t[i];
            }
        }
    }
    return true;
}
/* Fills yes and valid for every row of the batch. Recursion is as deep as the tree, which has a limit. */
TACO__FN bool taco__pred_eval_node(taco__pred_eval_state *v, const taco__expr *e, bool only_true,
                                   uint64_t *yes, uint64_t *valid)
{
    size_t i;
    switch (e->kind) {
    case TACO__PRED_CONST:
        taco__pred_eval_fill_bitmap(v, yes, e->type.id != TACO_NULL && e->value.d.w[0] != 0);
        taco__pred_eval_fill_bitmap(v, valid, e->type.id != TACO_NULL);
        return true;
    case TACO__PRED_AND:
    case TACO__PRED_OR: return taco__pred_eval_junction(v, e, only_true, yes, valid);
    case TACO__PRED_NOT:
        if (!taco__pred_eval_node(v, e->first, false, yes, valid)) {
            return false;
        }
        for (i = 0; i < v->words; i++) {
            yes[i] = valid[i] & ~yes[i];
        }
        return true;
    case TACO__PRED_CMP: return taco__pred_eval_compare(v, e, yes, valid);
    case TACO__PRED_LIKE: return taco__pred_eval_like(v, e, yes, valid);
    case TACO__PRED_IS: return taco__pred_eval_is(v, e, yes, valid);
    case TACO__PRED_TEST: return taco__pred_eval_test(v, e, yes, valid);
    case TACO__PRED_CUSTOM: return taco__pred_eval_custom(v, e, yes, valid);
    default:
        TACO__FAIL(v->err, TACO_ERR_STATE, TACO_NO_OFFSET, "the condition is not bound");
        return false;
    }
}
/* Sets the bits of true_bits, least significant first and (rows + 7) / 8 bytes long, of rows for which e is TRUE; bits
   behind the last row are 0. columns holds an array of at least `rows` rows for every column taco__expr_mark_columns names;
   the others may be NULL. mem pays for scratch that is gone when the call returns. */
TACO__FN bool taco__pred_eval(const taco__expr *e, const taco_array **columns, size_t rows,
                              uint8_t *true_bits, taco__mem *mem, taco_error *err)
{
    taco__pred_eval_state v;
    uint64_t             *yes, *valid;
    bool                  ok;
    memset(&v, 0, sizeof v);
    v.columns = columns;
    v.rows = rows;
    v.words = (rows + 63) / 64;
    v.mem = mem;
    v.err = err;
    if (!e->bound) {
        TACO__FAIL(err, TACO_ERR_STATE, TACO_NO_OFFSET, "the condition is not bound");
        return false;
    }
    if (rows == 0) {
        return true;
    }
    yes = taco__pred_eval_alloc_bitmap(&v);
    valid = taco__pred_eval_alloc_bitmap(&v);
    ok = yes && valid && taco__pred_eval_node(&v, e, true, yes, valid);
    if (ok) {
        taco__pred_eval_store_bitmap(yes, rows, true_bits);
    }
    taco__pred_eval_release(&v, NULL, 0);
    return ok;
}

/* ---- pruning: which results the rows of a range may have ---- */

/* False when the range is known not to hold the number of that key. */
TACO__FN bool taco__pred_prune_may_hold(const taco__scalar_type *type, const taco__column_stats *r,
                                        const taco__i256 *key)
{
    taco__scalar v = taco__scalar_from_key(type, *key);
    uint8_t      plain[8];
    size_t       n = r->physical == 1 || r->physical == 4 ? 4 : 8;
    if (!r->holds) {
        return true;
    }
    switch (type->id) {
    case TACO_INT32:
    case TACO_UINT32:
    case TACO_INT64:
    case TACO_UINT64:
    case TACO_DATE:
    case TACO_TIME:
    case TACO_TIMESTAMP:
    case TACO_DECIMAL: /* narrower integers are stored wide and cut when they are read */
        if (r->physical != 1 && r->physical != 2) {
            return true;
        }
        taco__put_le64(plain, v.d.w[0]);
        return r->holds(r->holds_ctx, taco__bytes_of(plain, n));
    case TACO_FLOAT:
    case TACO_DOUBLE:
        if ((r->physical != 4 && r->physical != 5) || v.f != v.f) {
            return true;
        }
        if (v.f == 0) { /* -0 equals 0 */
            memset(plain, 0, 8);
            if (r->holds(r->holds_ctx, taco__bytes_of(plain, n))) {
                return true;
            }
            plain[n - 1] = 0x80;
            return r->holds(r->holds_ctx, taco__bytes_of(plain, n));
        }
        taco__put_le64(plain, n == 4 ? taco__f32_to_bits((float)v.f) : taco__f64_to_bits(v.f));
        return r->holds(r->holds_ctx, taco__bytes_of(plain, n));
    default: return true;
    }
}
/* The values of the column lie in [min, max] by key; a set of MAY_TRUE (some value inside the ranges) and MAY_FALSE. */
TACO__FN unsigned taco__pred_prune_keys(const taco__test *t, const taco__scalar_type *type,
                                        const taco__column_stats *r)
{
    taco__i256 lo, hi, inf, nan;
    unsigned   may = 0;
    size_t     i;
    bool       nans = taco__scalar_is_float(type->id), inside = false, nan_in = false;
    taco__scalar_key_bounds(type, &lo, &hi);
    nan = hi;
    inf = taco__i256_from_i64(type->id == TACO_DOUBLE ? TACO__SCALAR_INF64_KEY
                                                      : TACO__SCALAR_INF32_KEY);
    if (r->has_min) {
        lo = taco__scalar_to_key(&r->min);
    }
    if (r->has_max) {
        hi = taco__scalar_to_key(&r->max);
    } else if (nans) {
        hi = inf;
    }
    for (i = 0; i < t->n; i++) {
        if (taco__i256_compare(&t->lo[i], &hi) <= 0 && taco__i256_compare(&lo, &t->hi[i]) <= 0 &&
            (taco__i256_compare(&t->lo[i], &t->hi[i]) != 0 ||
             taco__pred_prune_may_hold(type, r, &t->lo[i]))) {
            may |= TACO__MAY_TRUE;
        }
        inside = inside || (taco__i256_compare(&t->lo[i], &lo) <= 0 &&
                            taco__i256_compare(&hi, &t->hi[i]) <= 0);
        nan_in = nan_in || taco__i256_compare(&t->hi[i], &nan) >= 0;
    }
    may |= inside ? 0U : (unsigned)TACO__MAY_FALSE;
    if (nans) { /* the bounds never speak of NaN: any float column may hold some */
        may |= nan_in ? (unsigned)TACO__MAY_TRUE : (unsigned)TACO__MAY_FALSE;
    }
    return may;
}
/* The same for bytes. Bounds may be cut, but all values lie between them. */
TACO__FN unsigned taco__pred_prune_bytes(const taco__test *t, const taco__column_stats *r)
{
    taco_bytes min = r->min.b, max = r->max.b;
    bool       all = r->has_min && r->has_max;
    unsigned   may = 0;
    size_t     i, n = t->like.fixed.len;
    if (t->mode == TACO__TEST_LIST) {
        for (i = 0; i < t->n; i++) {
            if ((!r->has_min || taco__bytes_compare(t->list[i], min) >= 0) &&
                (!r->has_max || taco__bytes_compare(t->list[i], max) <= 0) &&
                (!r->holds || r->holds(r->holds_ctx, t->list[i]))) {
                may |= TACO__MAY_TRUE;
            }
        }
        return may | (all && may && taco__bytes_equal(min, max) ? 0U : (unsigned)TACO__MAY_FALSE);
    }
    if (t->mode == TACO__TEST_RANGE) {
        int above = t->has_high && r->has_min ? taco__bytes_compare(min, t->high) : -1;
        int below = t->has_low && r->has_max ? taco__bytes_compare(max, t->low) : 1;
        may = (t->open_high ? above < 0 : above <= 0) && (t->open_low ? below > 0 : below >= 0)
                  ? (unsigned)TACO__MAY_TRUE
                  : 0U;
        if (!(all && taco__pred_kernel_in_byte_range(t, min) &&
              taco__pred_kernel_in_byte_range(t, max))) {
            may |= TACO__MAY_FALSE;
        }
        return may;
    }
    if (t->like.mode == TACO__LIKE_SUFFIX || t->like.mode == TACO__LIKE_INFIX) {
        return TACO__MAY_TRUE | (n ? (unsigned)TACO__MAY_FALSE : 0U);
    }
    /* EQUAL, PREFIX and FULL begin with `fixed`: everything between two texts that do does too */
    may = TACO__MAY_TRUE | TACO__MAY_FALSE;
    if ((r->has_max && taco__bytes_compare(max, t->like.fixed) < 0) ||
        (r->has_min &&
         taco__bytes_compare(taco__bytes_of(min.data, TACO__MIN(min.len, n)), t->like.fixed) > 0)) {
        may = TACO__MAY_FALSE;
    } else if (t->like.mode == TACO__LIKE_PREFIX && all && min.len >= n && max.len >= n &&
               (n == 0 || (memcmp(min.data, t->like.fixed.data, n) == 0 &&
                           memcmp(max.data, t->like.fixed.data, n) == 0))) {
        may = TACO__MAY_TRUE;
    }
    return may;
}
/* Whether knowing more of a column than its bounds may help: a condition on it alone, or one that asks for single values
   (`points`). */
TACO__FN bool taco__pred_prune_needs_more(const taco__expr *e, size_t column, bool points)
{
    const taco__expr *c;
    size_t            i;
    if (e->kind == TACO__PRED_TEST && e->column == column) {
        const taco__test *t = e->test;
        for (i = 0; points && t->mode == TACO__TEST_KEYS && i < t->n; i++) {
            if (taco__i256_compare(&t->lo[i], &t->hi[i]) == 0) {
                return true;
            }
        }
        return !points || t->mode == TACO__TEST_LIST;
    }
    if (e->kind == TACO__PRED_CUSTOM && e->column == column) {
        return !points;
    }
    for (c = e->first; c; c = c->next) {
        if (taco__pred_prune_needs_more(c, column, points)) {
            return true;
        }
    }
    return false;
}
/* The results that a caller's function gives for the entries, and for NULL where `null` is set. */
TACO__FN unsigned taco__pred_prune_custom_entries(const taco__expr *e, const taco_array *a,
                                                  taco__mem *mem)
{
    taco__pred_eval_state v;
    unsigned              may = 0;
    uint64_t             *yes, *valid;
    size_t                i;
    memset(&v, 0, sizeof v);
    v.mem = mem;
    v.rows = a->length;
    v.words = (v.rows + 63) / 64;
    yes = taco__pred_eval_alloc_bitmap(&v);
    valid = taco__pred_eval_alloc_bitmap(&v);
    if (!yes || !valid || !taco__pred_eval_call_custom(&v, e, a, v.rows, yes, valid)) {
        may = TACO__MAY_ANY;
    } else {
        for (i = 0; i < v.words; i++) {
            uint64_t rows = i + 1 == v.words ? taco__pred_eval_last_word(v.rows) : UINT64_MAX;
            may |= yes[i] ? (unsigned)TACO__MAY_TRUE : 0U;
            may |= valid[i] & ~yes[i] ? (unsigned)TACO__MAY_FALSE : 0U;
            may |= rows & ~valid[i] ? (unsigned)TACO__MAY_NULL : 0U;
        }
    }
    taco__pred_eval_release(&v, NULL, 0);
    return may;
}
TACO__FN unsigned taco__pred_prune_custom(const taco__expr *e, const taco__column_stats *r)
{
    static const uint8_t zeros[64] = {0};
    unsigned may = e->custom.prune ? e->custom.prune(e->custom.ctx, r) : (unsigned)TACO__MAY_ANY;
    unsigned have = 0;
    if (!r->entries) {
        return may;
    }
    if (r->entries->length && !(r->row_count >= 0 && r->null_count == r->row_count)) {
        have = taco__pred_prune_custom_entries(e, r->entries, r->mem);
    }
    if (r->null_count != 0) { /* what it says of a NULL it is asked, too */
        taco_array null = *r->entries;
        null.length = null.null_count = 1;
        null.validity = zeros;
        null.offsets = null.offsets ? (const int32_t *)(const void *)zeros : NULL;
        null.v.any = zeros;
        have |= e->field->width > (int32_t)sizeof zeros
                    ? (unsigned)TACO__MAY_ANY
                    : taco__pred_prune_custom_entries(e, &null, r->mem);
    }
    return may & have;
}
/* Outcomes of a test on the entries. */
TACO__FN unsigned taco__pred_prune_entries(const taco__expr *e, const taco__column_stats *r)
{
    const taco_array     *a = r->entries;
    taco__pred_eval_state v;
    uint64_t             *in;
    size_t                i;
    unsigned              may = 0;
    memset(&v, 0, sizeof v);
    v.mem = r->mem;
    v.words = (a->length + 63) / 64;
    in = a->field->type == e->field->type && a->length ? taco__pred_eval_alloc_bitmap(&v) : NULL;
    if (!in) {
        return a->length ? TACO__MAY_TRUE | TACO__MAY_FALSE : 0;
    }
    taco__pred_kernel_test(a, a->length, e->test, in);
    for (i = 0; i < v.words; i++) {
        uint64_t rows = i + 1 == v.words ? taco__pred_eval_last_word(a->length) : UINT64_MAX;
        may |= in[i] & rows ? (unsigned)TACO__MAY_TRUE : 0U;
        may |= ~in[i] & rows ? (unsigned)TACO__MAY_FALSE : 0U;
    }
    taco__pred_eval_release(&v, NULL, 0);
    return may;
}
/* A TEST against bounds: the values first, then NULLs, then NOT, in the order taco__pred_eval_test has them. */
TACO__FN unsigned taco__pred_prune_test(const taco__expr *e, const taco__column_stats *r)
{
    const taco__test *t = e->test;
    taco__scalar_type type = taco__scalar_type_of_field(e->field);
    bool              only_nulls = r->row_count >= 0 && r->null_count == r->row_count;
    unsigned          may = only_nulls                   ? 0
                            : t->mode == TACO__TEST_KEYS ? taco__pred_prune_keys(t, &type, r)
                                                         : taco__pred_prune_bytes(t, r);
    if (may && r->entries) {
        may &= taco__pred_prune_entries(e, r);
    }
    if (t->null_rest && (may & TACO__MAY_FALSE)) {
        may = (may & ~(unsigned)TACO__MAY_FALSE) | TACO__MAY_NULL;
    }
    if (r->null_count != 0) {
        may |= t->null_false ? TACO__MAY_FALSE : TACO__MAY_NULL;
    }
    if (e->neg) {
        may = (may & TACO__MAY_NULL) | (may & TACO__MAY_TRUE ? (unsigned)TACO__MAY_FALSE : 0U) |
              (may & TACO__MAY_FALSE ? (unsigned)TACO__MAY_TRUE : 0U);
    }
    return may;
}
/* IS turns results of its operand into TRUE and FALSE. */
TACO__FN unsigned taco__pred_prune_is(const taco__expr *e, unsigned child)
{
    unsigned yes = e->is == TACO__IS_NULL   ? TACO__MAY_NULL
                   : e->is == TACO__IS_TRUE ? TACO__MAY_TRUE
                                            : TACO__MAY_FALSE;
    unsigned in = (child & yes) != 0, out = (child & ~yes) != 0;
    return (in ? (e->neg ? (unsigned)TACO__MAY_FALSE : (unsigned)TACO__MAY_TRUE) : 0U) |
           (out ? (e->neg ? (unsigned)TACO__MAY_TRUE : (unsigned)TACO__MAY_FALSE) : 0U);
}
/* The results that rows of a row group or page may have: a set of taco__outcomes that misses none. Without MAY_TRUE nothing
   matches; MAY_TRUE alone means that every row does. ranges is indexed as the columns were when e was bound; entries of
   columns that e does not read are not looked at. */
TACO__FN unsigned taco__pred_prune(const taco__expr *e, const taco__column_stats *ranges)
{
    const taco__expr *c;
    unsigned          may, both;
    switch (e->kind) {
    case TACO__PRED_CONST:
        return e->type.id == TACO_NULL ? TACO__MAY_NULL
               : e->value.d.w[0]       ? TACO__MAY_TRUE
                                       : TACO__MAY_FALSE;
    case TACO__PRED_TEST: return taco__pred_prune_test(e, &ranges[e->column]);
    case TACO__PRED_CUSTOM: return taco__pred_prune_custom(e, &ranges[e->column]);
    case TACO__PRED_NOT:
        may = taco__pred_prune(e->first, ranges);
        return (may & TACO__MAY_NULL) | (may & TACO__MAY_TRUE ? (unsigned)TACO__MAY_FALSE : 0U) |
               (may & TACO__MAY_FALSE ? (unsigned)TACO__MAY_TRUE : 0U);
    case TACO__PRED_IS:
        c = e->first;
        if (c->kind == TACO__PRED_COLUMN) {
            const taco__column_stats *r = &ranges[c->column];
            may = (r->null_count != 0 ? (unsigned)TACO__MAY_NULL : 0U) |
                  (r->row_count >= 0 && r->null_count == r->row_count ? 0U
                                                                      : (unsigned)TACO__MAY_TRUE);
            return taco__pred_prune_is(e, may);
        }
        return taco__pred_prune_is(e, taco__pred_prune(c, ranges));
    case TACO__PRED_AND:
    case TACO__PRED_OR: /* TRUE and FALSE trade places between the two */
        both = e->kind == TACO__PRED_AND ? TACO__MAY_TRUE : TACO__MAY_FALSE;
        may = taco__pred_prune(e->first, ranges);
        for (c = e->first->next; c && may != (both ^ (TACO__MAY_TRUE | TACO__MAY_FALSE));
             c = c->next) {
            unsigned m = taco__pred_prune(c, ranges), r = 0,
                     decide = both ^ (TACO__MAY_TRUE | TACO__MAY_FALSE);
            r |= (may | m) & decide;
            r |= may & m & both;
            r |= (may & TACO__MAY_NULL) && (m & (TACO__MAY_NULL | both)) ? (unsigned)TACO__MAY_NULL
                                                                         : 0U;
            r |= (m & TACO__MAY_NULL) && (may & (TACO__MAY_NULL | both)) ? (unsigned)TACO__MAY_NULL
                                                                         : 0U;
            may = r;
        }
        return may;
    default: return TACO__MAY_ANY;
    }
}
