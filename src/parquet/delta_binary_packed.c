/* delta_binary_packed.c - DELTA_BINARY_PACKED: integers as packed differences

   In: a header, then blocks of deltas; out: int32 or int64. Spec: Encodings.md "Delta Encoding".

       header      values of a block (a multiple of 128), miniblocks of a block, values, first value
       block       minimal delta, a byte with the bit width of each miniblock, the miniblocks
       miniblock   deltas above the minimum, in that many bits each

   A delta is what was packed plus the block's minimum, a value the sum of all deltas before it. All
   arithmetic wraps ("overflow should be allowed"), so that sums in 64 bits are right in their low
   32. Miniblocks of one width are read as one run. The last one may lack its padding. */
#include "parquet.h"
#include "../base/base.h"
#include "../arrow/arrow.h"
#include "../base/simd.h"

/* A block has a multiple of 128 values, a miniblock a multiple of 32. No page holds 2^31 values. */
static bool taco__delta_int_check_header(const taco__delta_int *d, size_t from, uint64_t block,
                                         uint64_t minis, uint64_t count, taco_error *err)
{
    if (!block || block % 128 || block > INT32_MAX || !minis || block % minis ||
        block / minis % 32) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, from,
                   "delta block of %u values in %u miniblocks, must be a multiple of 128 in "
                   "multiples of 32",
                   block, minis);
        return false;
    }
    if (d->left > count) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, from, "delta header counts %u values, the page %u",
                   d->left, count);
        return false;
    }
    return true;
}

TACO__FN bool taco__delta_int_open(taco__delta_int *d, taco_bytes bytes, size_t from,
                                   uint64_t count, unsigned bits, taco_error *err)
{
    taco__byte_reader c = taco__byte_reader_init(bytes);
    uint64_t block, minis;
    memset(d, 0, sizeof *d);
    d->bytes = bytes;
    d->bits = bits;
    d->at = from;
    if (from == bytes.len) { return true; }
    c.at += from;
    block = taco__byte_reader_varint(&c);
    minis = taco__byte_reader_varint(&c);
    d->left = taco__byte_reader_varint(&c);
    d->value = (uint64_t)taco__zigzag_decode(taco__byte_reader_varint(&c));
    d->at = taco__byte_reader_position(&c);
    if (c.bad) {
        bool cut = c.at == c.end;
        TACO__FAIL(err, cut ? TACO_ERR_TRUNCATED : TACO_ERR_CORRUPT, from,
                   cut ? "delta header is cut off"
                       : "delta header has a number longer than 64 bits");
        return false;
    }
    if (!taco__delta_int_check_header(d, from, block, minis, count, err)) { return false; }
    d->minis = d->mini = (size_t)minis;
    d->per_mini = (size_t)(block / minis);
    return true;
}

/* Parses the header of a block: the minimum delta, then one byte for the bit width of each
   miniblock. */
static bool taco__delta_int_next_block(taco__delta_int *d, taco_error *err)
{
    taco__byte_reader c = taco__byte_reader_init(d->bytes);
    c.at += d->at;
    d->least = (uint64_t)taco__zigzag_decode(taco__byte_reader_varint(&c));
    d->widths = taco__byte_reader_position(&c);
    if (c.bad && c.at != c.end) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, d->at, "minimal delta is longer than 64 bits");
        return false;
    }
    if (!taco__byte_reader_take(&c, d->minis)) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, d->at,
                   "delta block is cut off, %u more values expected", d->left);
        return false;
    }
    d->at = taco__byte_reader_position(&c);
    d->mini = 0;
    return true;
}

/* Begins the next run of miniblocks of one width, and the next block if this one is used up. Called
   while values are left. */
static bool taco__delta_int_next_miniblock(taco__delta_int *d, taco_error *err)
{
    uint64_t size, step, need, have;
    if (d->mini == d->minis && !taco__delta_int_next_block(d, err)) { return false; }
    d->width = d->bytes.data[d->widths + d->mini];
    /* DuckDB writes INT32 deltas of 33 bits, against the specification; other readers accept
       them */
    if (d->width > 64) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, d->widths + d->mini,
                   "deltas of %u bits, at most 64 are allowed", TACO__U(d->width));
        return false;
    }
    d->mini++;
    d->mini_left = d->per_mini;
    size = (uint64_t)d->per_mini / 8 * d->width;
    need = (TACO__MIN(d->left, (uint64_t)d->per_mini) * d->width + 7) / 8;
    have = d->bytes.len - d->at;
    /* miniblocks of one width are one run, as long as they are present and have values */
    for (step = size; d->mini < d->minis && d->bytes.data[d->widths + d->mini] == d->width &&
                      d->mini_left < d->left && size + step <= have;
         d->mini++) {
        d->mini_left += d->per_mini;
        size += step;
        need = TACO__MIN((TACO__MIN(d->left, (uint64_t)d->mini_left) * d->width + 7) / 8, size);
    }
    if (need > have) { /* the last miniblock may lack its padding */
        TACO__FAIL(err, TACO_ERR_TRUNCATED, d->at, "deltas of %u bytes, %u are left", need, have);
        return false;
    }
    d->run = d->at;
    d->at += (size_t)TACO__MIN(size, have);
    d->used = 0;
    return true;
}

/* How many of the next n values come from the current miniblock, TACO__STACK_VALUES at most; 0 on
   failure. Counts them as read. */
TACO__INLINE size_t taco__delta_int_available(taco__delta_int *d, size_t n, taco_error *err)
{
    size_t m;
    if (!d->mini_left && !taco__delta_int_next_miniblock(d, err)) { return 0; }
    m = TACO__MIN(TACO__MIN(n, d->mini_left), (size_t)TACO__STACK_VALUES);
    d->mini_left -= m;
    d->left -= m;
    return m;
}

/* The header has said how many values there are; fails if n is more than are left. */
static bool taco__delta_int_check_left(const taco__delta_int *d, size_t n, taco_error *err)
{
    if (n > d->left) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, d->at, "values end, %u more expected", n - d->left);
        return false;
    }
    return true;
}

/* The next m deltas of the miniblock, above its minimum. */
TACO__INLINE void taco__delta_int_unpack32(taco__delta_int *d, size_t m, uint32_t *dst)
{
    if (TACO__UNLIKELY(d->width > 32)) { /* arithmetic wraps: the low 32 bits are enough */
        uint64_t wide[TACO__STACK_VALUES + 8];
        size_t i;
        taco__bit_unpack64(d->bytes.data + d->run, d->bytes.len - d->run, d->width, d->used, m,
                           wide);
        for (i = 0; i < m; i++) {
            dst[i] = (uint32_t)wide[i];
        }
    } else {
        taco__bit_unpack32(d->bytes.data + d->run, d->bytes.len - d->run, d->width, d->used, m,
                           dst);
    }
    d->used += m;
}

/* out[i] = sum + the first i + 1 deltas, each being v[i] + least; `sum` takes the place of
   out[-1]. */
TACO__INLINE uint64_t taco__delta_int_sum64_plain(uint64_t *out, const uint32_t *v, size_t n,
                                                  uint64_t sum, uint64_t least)
{
    size_t i;
    for (i = 0; i < n; i++) {
        out[i] = sum += least + v[i];
    }
    return sum;
}

/* May work in place. */
TACO__INLINE uint32_t taco__delta_int_sum32_plain(uint32_t *out, const uint32_t *v, size_t n,
                                                  uint32_t sum, uint32_t least)
{
    size_t i;
    for (i = 0; i < n; i++) {
        out[i] = sum += least + v[i];
    }
    return sum;
}

#if TACO__X86
/* Prefix sums of eight: within each half, then the low half's total is added to the high half. */
TACO__INLINE TACO__TARGET("avx2") __m256i taco__delta_int_prefix(__m256i x)
{
    __m256i low;
    x = _mm256_add_epi32(x, _mm256_slli_si256(x, 4));
    x = _mm256_add_epi32(x, _mm256_slli_si256(x, 8));
    low = _mm256_permute2x128_si256(x, x, 0x08); /* 0, low half */
    return _mm256_add_epi32(x, _mm256_shuffle_epi32(low, 0xFF));
}

/* v[i] < 2^29, so that eight of them do not overflow. Only one addition depends on the previous
   eight. */
TACO__TARGET("avx2")

static uint64_t taco__delta_int_sum64_avx2(uint64_t *out, const uint32_t *v, size_t n, uint64_t sum,
                                           uint64_t least)
{
    const __m256i low = _mm256_setr_epi64x((int64_t)least, (int64_t)(2 * least),
                                           (int64_t)(3 * least), (int64_t)(4 * least));
    const __m256i high = _mm256_add_epi64(low, _mm256_set1_epi64x((int64_t)(4 * least)));
    const __m256i step = _mm256_set1_epi64x((int64_t)(8 * least));
    const __m256i last = _mm256_setr_epi32(7, 7, 7, 7, 7, 7, 7, 7);
    const __m256i even = _mm256_set1_epi64x(0xFFFFFFFF);
    __m256i base = _mm256_set1_epi64x((int64_t)sum);
    size_t i;
    for (i = 0; i + 8 <= n; i += 8) {
        __m256i x =
            taco__delta_int_prefix(_mm256_loadu_si256((const __m256i *)(const void *)(v + i)));
        __m256i a = _mm256_cvtepu32_epi64(_mm256_castsi256_si128(x));
        __m256i b = _mm256_cvtepu32_epi64(_mm256_extracti128_si256(x, 1));
        _mm256_storeu_si256((__m256i *)(void *)(out + i),
                            _mm256_add_epi64(_mm256_add_epi64(a, low), base));
        _mm256_storeu_si256((__m256i *)(void *)(out + i + 4),
                            _mm256_add_epi64(_mm256_add_epi64(b, high), base));
        base = _mm256_add_epi64(
            base,
            _mm256_add_epi64(step, _mm256_and_si256(_mm256_permutevar8x32_epi32(x, last), even)));
    }
    return taco__delta_int_sum64_plain(out + i, v + i, n - i, i ? out[i - 1] : sum, least);
}

/* May work in place. */
TACO__TARGET("avx2")

static uint32_t taco__delta_int_sum32_avx2(uint32_t *out, const uint32_t *v, size_t n, uint32_t sum,
                                           uint32_t least)
{
    const __m256i low = _mm256_mullo_epi32(_mm256_set1_epi32((int)least),
                                           _mm256_setr_epi32(1, 2, 3, 4, 5, 6, 7, 8));
    const __m256i step = _mm256_set1_epi32((int)(8 * least));
    const __m256i last = _mm256_set1_epi32(7);
    __m256i base = _mm256_set1_epi32((int)sum);
    size_t i;
    for (i = 0; i + 8 <= n; i += 8) {
        __m256i x =
            taco__delta_int_prefix(_mm256_loadu_si256((const __m256i *)(const void *)(v + i)));
        _mm256_storeu_si256((__m256i *)(void *)(out + i),
                            _mm256_add_epi32(_mm256_add_epi32(x, low), base));
        base = _mm256_add_epi32(base, _mm256_add_epi32(step, _mm256_permutevar8x32_epi32(x, last)));
    }
    return taco__delta_int_sum32_plain(out + i, v + i, n - i, i ? out[i - 1] : sum, least);
}
#endif

TACO__INLINE uint64_t taco__delta_int_sum64(uint64_t *out, const uint32_t *v, size_t n,
                                            uint64_t sum, uint64_t least, unsigned width)
{
#if TACO__X86
    if (width < 30 && TACO__CPU_HAS("avx2")) {
        return taco__delta_int_sum64_avx2(out, v, n, sum, least);
    }
#endif
    (void)width;
    return taco__delta_int_sum64_plain(out, v, n, sum, least);
}

TACO__INLINE uint32_t taco__delta_int_sum32(uint32_t *out, const uint32_t *v, size_t n,
                                            uint32_t sum, uint32_t least)
{
#if TACO__X86
    if (TACO__CPU_HAS("avx2")) { return taco__delta_int_sum32_avx2(out, v, n, sum, least); }
#endif
    return taco__delta_int_sum32_plain(out, v, n, sum, least);
}

TACO__FN bool taco__delta_int_read64(taco__delta_int *d, int64_t *dst, size_t n, taco_error *err)
{
    uint64_t *out = (uint64_t *)dst;
    uint32_t v[TACO__STACK_VALUES + 8];
    if (!taco__delta_int_check_left(d, n, err)) { return false; }
    if (n && !d->begun) {
        d->begun = true;
        d->left--;
        *out++ = d->value;
        n--;
    }
    while (n) {
        uint64_t sum, least;
        size_t i, m = taco__delta_int_available(d, n, err);
        if (!m) { return false; }
        sum = d->value;
        least = d->least;
        if (!d->width) {
            for (i = 0; i < m; i++) {
                out[i] = sum += least;
            }
        } else if (d->width <= 32) {
            taco__delta_int_unpack32(d, m, v);
            sum = taco__delta_int_sum64(out, v, m, sum, least, d->width);
        } else {
            taco__bit_unpack64(d->bytes.data + d->run, d->bytes.len - d->run, d->width, d->used, m,
                               out);
            d->used += m;
            for (i = 0; i < m; i++) {
                out[i] = sum += least + out[i];
            }
        }
        d->value = sum;
        out += m;
        n -= m;
    }
    return true;
}

TACO__FN bool taco__delta_int_read32(taco__delta_int *d, int32_t *dst, size_t n, taco_error *err)
{
    uint32_t *out = (uint32_t *)dst;
    if (!taco__delta_int_check_left(d, n, err)) { return false; }
    if (n && !d->begun) {
        d->begun = true;
        d->left--;
        *out++ = (uint32_t)d->value;
        n--;
    }
    while (n) {
        size_t m = taco__delta_int_available(d, n, err);
        if (!m) { return false; }
        taco__delta_int_unpack32(d, m, out);
        d->value = taco__delta_int_sum32(out, out, m, (uint32_t)d->value, (uint32_t)d->least);
        out += m;
        n -= m;
    }
    return true;
}

/* Skipped values still have to be summed, because each is the previous one plus a delta. */
TACO__FN bool taco__delta_int_skip(taco__delta_int *d, size_t n, taco_error *err)
{
    uint64_t v[TACO__STACK_VALUES + 8];
    uint32_t v32[TACO__STACK_VALUES + 8];
    if (!taco__delta_int_check_left(d, n, err)) { return false; }
    if (n && !d->begun) {
        d->begun = true;
        d->left--;
        n--;
    }
    while (n) {
        size_t i, m = taco__delta_int_available(d, n, err);
        uint64_t sum = d->least * m;
        if (!m) { return false; }
        if (d->width <= 32) {
            taco__delta_int_unpack32(d, m, v32);
            for (i = 0; i < m; i++) {
                sum += v32[i];
            }
        } else {
            taco__bit_unpack64(d->bytes.data + d->run, d->bytes.len - d->run, d->width, d->used, m,
                               v);
            d->used += m;
            for (i = 0; i < m; i++) {
                sum += v[i];
            }
        }
        d->value += sum;
        n -= m;
    }
    return true;
}

/* Walks the blocks without unpacking: each takes bytes of the page, so the loop is bounded by
   them. */
TACO__FN bool taco__delta_int_find_end(const taco__delta_int *d, size_t *end, taco_error *err)
{
    taco__delta_int w = *d;
    w.left -= w.left ? 1 : 0;
    while (w.left) {
        if (!taco__delta_int_next_miniblock(&w, err)) { return false; }
        w.left -= TACO__MIN(w.left, (uint64_t)w.mini_left);
    }
    *end = w.at;
    return true;
}
