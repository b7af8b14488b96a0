/* bit_unpack.c - kernels that unpack integers of 0 to 64 bits, for Parquet's RLE and delta
   encodings

   Values are packed from the least significant bit up (Parquet Encodings.md, RLE), so that eight
   values of width w take w bytes and begin at a byte: such a group is the unit here. From outside
   in:
     taco__bit_unpack32, 64   any first value and count; the rest of a group that was begun before
     _aligned                 whole groups; the last ones from a copy, as kernels read ahead
     _groups                  chooses the kernel: AVX2 where the processor has it, vectors of ARM or
                              WebAssembly, or plain C
   A kernel may read TACO__BIT_UNPACK_OVERREAD bytes after its groups and writes whole groups, which
   is why callers leave TACO__PAD bytes after their values. */
#include "base.h"
#include "simd.h"

/* The kernels below unpack `groups` groups of eight and may read this many bytes past the last
   group; callers make sure that those bytes exist. */
#define TACO__BIT_UNPACK_OVERREAD 16

#ifdef TACO_SMALL
/* Any width: a load of four bytes, and a fifth where a value may reach into it. */
static void taco__bit_unpack32_plain(const uint8_t *src, unsigned width, size_t groups,
                                     uint32_t *dst)
{
    const uint32_t mask = (uint32_t)TACO__LOW_BITS(width);
    unsigned i, bit;
    for (; groups; groups--, src += width, dst += 8) {
        for (i = 0, bit = 0; i < 8; i++, bit += width) {
            const uint8_t *p = src + (bit >> 3);
            unsigned shift = bit & 7;
            dst[i] = (taco__load_le32(p) >> shift | (uint32_t)p[4] << 1 << (31 - shift)) & mask;
        }
    }
}
#else
/* One group; width is constant after inlining, so that every load, shift and mask is, too. */
TACO__INLINE void taco__bit_unpack_group32(const uint8_t *src, unsigned width, uint32_t *dst)
{
    const uint32_t mask = (uint32_t)TACO__LOW_BITS(width);
    if (width <= 8) { /* all eight lie in one word */
        uint64_t x = taco__load_le64(src);
        dst[0] = (uint32_t)x & mask;
        dst[1] = (uint32_t)(x >> width) & mask;
        dst[2] = (uint32_t)(x >> 2 * width) & mask;
        dst[3] = (uint32_t)(x >> 3 * width) & mask;
        dst[4] = (uint32_t)(x >> 4 * width) & mask;
        dst[5] = (uint32_t)(x >> 5 * width) & mask;
        dst[6] = (uint32_t)(x >> 6 * width) & mask;
        dst[7] = (uint32_t)(x >> 7 * width) & mask;
    } else {
        dst[0] = (uint32_t)taco__load_le64(src) & mask;
        dst[1] = (uint32_t)(taco__load_le64(src + (width >> 3)) >> (width & 7)) & mask;
        dst[2] = (uint32_t)(taco__load_le64(src + (2 * width >> 3)) >> (2 * width & 7)) & mask;
        dst[3] = (uint32_t)(taco__load_le64(src + (3 * width >> 3)) >> (3 * width & 7)) & mask;
        dst[4] = (uint32_t)(taco__load_le64(src + (4 * width >> 3)) >> (4 * width & 7)) & mask;
        dst[5] = (uint32_t)(taco__load_le64(src + (5 * width >> 3)) >> (5 * width & 7)) & mask;
        dst[6] = (uint32_t)(taco__load_le64(src + (6 * width >> 3)) >> (6 * width & 7)) & mask;
        dst[7] = (uint32_t)(taco__load_le64(src + (7 * width >> 3)) >> (7 * width & 7)) & mask;
    }
}

/* One loop for each width, so that everything in it except the addresses is constant. */
static void taco__bit_unpack32_plain(const uint8_t *src, unsigned width, size_t groups,
                                     uint32_t *dst)
{
#define TACO__BITS_CASE(w)                                                                         \
    case w:                                                                                        \
        for (; groups; groups--, src += (w), dst += 8) {                                           \
            taco__bit_unpack_group32(src, (w), dst);                                               \
        }                                                                                          \
        break;
    switch (width) {
        TACO__BITS_CASE(1)
        TACO__BITS_CASE(2)
        TACO__BITS_CASE(3)
        TACO__BITS_CASE(4)
        TACO__BITS_CASE(5)
        TACO__BITS_CASE(6)
        TACO__BITS_CASE(7)
        TACO__BITS_CASE(8)
        TACO__BITS_CASE(9)
        TACO__BITS_CASE(10)
        TACO__BITS_CASE(11)
        TACO__BITS_CASE(12)
        TACO__BITS_CASE(13)
        TACO__BITS_CASE(14)
        TACO__BITS_CASE(15)
        TACO__BITS_CASE(16)
        TACO__BITS_CASE(17)
        TACO__BITS_CASE(18)
        TACO__BITS_CASE(19)
        TACO__BITS_CASE(20)
        TACO__BITS_CASE(21)
        TACO__BITS_CASE(22)
        TACO__BITS_CASE(23)
        TACO__BITS_CASE(24)
        TACO__BITS_CASE(25)
        TACO__BITS_CASE(26)
        TACO__BITS_CASE(27)
        TACO__BITS_CASE(28)
        TACO__BITS_CASE(29)
        TACO__BITS_CASE(30)
        TACO__BITS_CASE(31)
        TACO__BITS_CASE(32)
    default: memset(dst, 0, groups * 8 * sizeof *dst); break;
    }
#undef TACO__BITS_CASE
}
#endif

#if TACO__X86
/* Widths 1..25: a byte shuffle brings the four bytes that hold a value into its lane, a shift per
   lane aligns it. The low half of the vector serves values 0..3, loaded at src, the high half 4..7,
   loaded width / 2 bytes later. With `check` the top bit of some lane of the result is set when a
   value is larger than max: see taco__bit_unpack_any_above_body. */
TACO__INLINE TACO__TARGET("avx2") __m256i
    taco__bit_unpack32_body(const uint8_t *src, unsigned width, size_t groups, uint32_t *dst,
                            bool check, uint32_t max)
{
    const int half = (int)(width / 2);
    const __m256i low_byte = _mm256_setr_epi8(0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12, 0,
                                              0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12);
    /* 16-bit products are exact and faster than 32-bit ones, which matters in short runs */
    const __m256i bit = _mm256_sub_epi32(
        _mm256_mullo_epi16(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7),
                           _mm256_set1_epi32((int)width)),
        _mm256_inserti128_si256(_mm256_setzero_si256(), _mm_set1_epi32(half * 8), 1));
    const __m256i shift = _mm256_and_si256(bit, _mm256_set1_epi32(7));
    const __m256i pick = _mm256_add_epi8(_mm256_shuffle_epi8(_mm256_srli_epi32(bit, 3), low_byte),
                                         _mm256_set1_epi32(0x03020100));
    const __m256i mask = _mm256_set1_epi32((int)TACO__LOW_BITS(width));
    const __m256i most = _mm256_set1_epi32((int)max);
    __m256i any = _mm256_setzero_si256();
    for (; groups; groups--, src += width, dst += 8) {
        __m128i low = _mm_loadu_si128((const __m128i *)(const void *)src);
        __m128i high = _mm_loadu_si128((const __m128i *)(const void *)(src + half));
        __m256i x = _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
        x = _mm256_srlv_epi32(_mm256_shuffle_epi8(x, pick), shift);
        x = _mm256_and_si256(x, mask);
        _mm256_storeu_si256((__m256i *)(void *)dst, x);
        if (check) { /* of 25 bits at most, no value has the top bit itself */
            any = _mm256_or_si256(any, _mm256_sub_epi32(most, x));
        }
    }
    return any;
}

static TACO__TARGET("avx2") void taco__bit_unpack32_avx2(const uint8_t *src, unsigned width,
                                                         size_t groups, uint32_t *dst)
{
    (void)taco__bit_unpack32_body(src, width, groups, dst, false, 0);
}

/* The same, and true when a value is larger than max < 2^31. */
static TACO__TARGET("avx2") bool taco__bit_unpack32_above_avx2(const uint8_t *src, unsigned width,
                                                               size_t groups, uint32_t *dst,
                                                               uint32_t max)
{
    const __m256i any = taco__bit_unpack32_body(src, width, groups, dst, true, max);
    return _mm256_movemask_ps(_mm256_castsi256_ps(any)) != 0;
}
#elif TACO__V16
/* Widths 1..25, in the same way with vectors of four values: those of the second begin width / 2
   bytes after those of the first. */
TACO__INLINE bool taco__bit_unpack32_body(const uint8_t *src, unsigned width, size_t groups,
                                          uint32_t *dst, bool check, uint32_t max)
{
    const taco__v16 mask = taco__v16_fill32((uint32_t)TACO__LOW_BITS(width));
    const taco__v16 most = taco__v16_fill32(max);
    taco__v16 any = taco__v16_fill32(0), pick[2], shift[2];
    uint32_t from[8], by[8];
    unsigned i;
    for (i = 0; i < 8; i++) {
        unsigned bit = i * width - (i < 4 ? 0 : width / 2 * 8);
        from[i] = (bit >> 3) * 0x01010101U + 0x03020100U;
        by[i] = TACO__V16_BY32(bit & 7);
    }
    for (i = 0; i < 2; i++) {
        pick[i] = taco__v16_load(from + 4 * i);
        shift[i] = taco__v16_load(by + 4 * i);
    }
    for (; groups; groups--, src += width, dst += 8) {
        taco__v16 x = taco__v16_pick(taco__v16_load(src), pick[0]);
        taco__v16 y = taco__v16_pick(taco__v16_load(src + width / 2), pick[1]);
        x = taco__v16_and(taco__v16_shift32(x, shift[0]), mask);
        y = taco__v16_and(taco__v16_shift32(y, shift[1]), mask);
        taco__v16_store(dst, x);
        taco__v16_store(dst + 4, y);
        if (check) {
            any =
                taco__v16_or(any, taco__v16_or(taco__v16_sub32(most, x), taco__v16_sub32(most, y)));
        }
    }
    return check && taco__v16_any_top32(any);
}

static void taco__bit_unpack32_v16(const uint8_t *src, unsigned width, size_t groups, uint32_t *dst)
{
    (void)taco__bit_unpack32_body(src, width, groups, dst, false, 0);
}

/* The same, and true when a value is larger than max < 2^31. */
static bool taco__bit_unpack32_above_v16(const uint8_t *src, unsigned width, size_t groups,
                                         uint32_t *dst, uint32_t max)
{
    return taco__bit_unpack32_body(src, width, groups, dst, true, max);
}
#endif

/* Fewer groups are unpacked before the vectors would be set up (measured in Node). */
#define TACO__BIT_UNPACK_V16_GROUPS 10

TACO__INLINE void taco__bit_unpack_groups32(const uint8_t *src, unsigned width, size_t groups,
                                            uint32_t *dst)
{
#if TACO__X86
    if (width - 1 < 25 && TACO__CPU_HAS("avx2")) {
        taco__bit_unpack32_avx2(src, width, groups, dst);
        return;
    }
#elif TACO__V16
    if (width - 1 < 25 && groups >= TACO__BIT_UNPACK_V16_GROUPS) {
        taco__bit_unpack32_v16(src, width, groups, dst);
        return;
    }
#endif
    taco__bit_unpack32_plain(src, width, groups, dst);
}

/* How many of the groups a kernel may read in place, with avail bytes present. */
TACO__INLINE size_t taco__bit_unpack_safe_groups(size_t avail, unsigned width, size_t groups)
{
    size_t room = (size_t)width + TACO__BIT_UNPACK_OVERREAD;
    /* in nearly all cases without a division, which is slow */
    if (TACO__LIKELY((uint64_t)groups * width + TACO__BIT_UNPACK_OVERREAD <= avail)) {
        return groups;
    }
    return avail < room ? 0 : TACO__MIN(groups, (avail - room) / width + 1);
}

/* Groups from the start of src, of which at most avail bytes exist. */
static void taco__bit_unpack_aligned32(const uint8_t *src, size_t avail, unsigned width,
                                       size_t groups, uint32_t *dst)
{
    size_t safe = taco__bit_unpack_safe_groups(avail, width, groups);
    taco__bit_unpack_groups32(src, width, safe, dst);
    /* the last ones, from a padded copy: less than 2 * 32 + 16 bytes */
    if (groups > safe) {
        uint8_t tail[2 * 32 + 3 * TACO__BIT_UNPACK_OVERREAD];
        memset(tail, 0, sizeof tail);
        memcpy(tail, src + safe * width,
               TACO__MIN(avail - safe * width, (size_t)(2 * 32 + TACO__BIT_UNPACK_OVERREAD)));
        taco__bit_unpack_groups32(tail, width, groups - safe, dst + safe * 8);
    }
}

/* Unpacks the n values from the first-th on of the packed run at src; (first + n) * width bits lie
   in avail bytes. */
TACO__FN void taco__bit_unpack32(const uint8_t *src, size_t avail, unsigned width, size_t first,
                                 size_t n, uint32_t *dst)
{
    size_t skip = first & 7, step = (first >> 3) * width;
    if (!width) {
        memset(dst, 0, n * sizeof *dst);
        return;
    }
    src += step;
    avail -= step;
    if (skip && n) { /* the rest of a group that an earlier call began */
        uint32_t group[8];
        size_t m = TACO__MIN(n, 8 - skip);
        taco__bit_unpack_aligned32(src, avail, width, 1, group);
        memcpy(dst, group + skip, m * sizeof *dst);
        dst += m;
        n -= m;
        step = TACO__MIN((size_t)width, avail);
        src += step;
        avail -= step;
    }
    if (n) { taco__bit_unpack_aligned32(src, avail, width, (n + 7) / 8, dst); }
}

/* Any width, with loads of 8 bytes, and a ninth where a value may reach into it. */
static void taco__bit_unpack64_plain(const uint8_t *src, unsigned width, size_t groups,
                                     uint64_t *dst)
{
    const uint64_t mask = TACO__LOW_BITS(width);
    unsigned i, bit;
#ifndef TACO_SMALL
    if (width <= 57) { /* shifted by up to 7, a value still lies in one word */
        for (; groups; groups--, src += width, dst += 8) {
            for (i = 0, bit = 0; i < 8; i++, bit += width) {
                dst[i] = (taco__load_le64(src + (bit >> 3)) >> (bit & 7)) & mask;
            }
        }
        return;
    }
#endif
    for (; groups; groups--, src += width, dst += 8) {
        for (i = 0, bit = 0; i < 8; i++, bit += width) {
            const uint8_t *p = src + (bit >> 3);
            unsigned shift = bit & 7;
            dst[i] = (taco__load_le64(p) >> shift | (uint64_t)p[8] << 1 << (63 - shift)) & mask;
        }
    }
}

#if TACO__X86
/* Widths 33..57: as for 32 bits, with two values in each half of a vector and two vectors to a
   group. */
static TACO__TARGET("avx2") void taco__bit_unpack64_avx2(const uint8_t *src, unsigned width,
                                                         size_t groups, uint64_t *dst)
{
    const __m256i mask = _mm256_set1_epi64x((int64_t)TACO__LOW_BITS(width));
    const __m256i low_byte = _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 8, 8, 8, 8, 8, 0, 0,
                                              0, 0, 0, 0, 0, 0, 8, 8, 8, 8, 8, 8, 8, 8);
    __m256i pick[2], shift[2];
    const uint8_t *from[4];
    unsigned i, k;
    /* values 4k..4k+3; a half begins with the byte in which its first value does */
    for (k = 0; k < 2; k++) {
        const int low = (int)(4 * k * width & ~7U), high = (int)((4 * k + 2) * width & ~7U);
        const __m256i bit = _mm256_sub_epi32(
            _mm256_mullo_epi16(_mm256_add_epi32(_mm256_setr_epi32(0, 0, 1, 0, 2, 0, 3, 0),
                                                _mm256_set1_epi64x(4 * (int)k)),
                               _mm256_set1_epi64x((int)width)),
            _mm256_setr_epi32(low, 0, low, 0, high, 0, high, 0));
        shift[k] = _mm256_and_si256(bit, _mm256_set1_epi32(7));
        pick[k] = _mm256_add_epi8(_mm256_shuffle_epi8(_mm256_srli_epi32(bit, 3), low_byte),
                                  _mm256_set1_epi64x(0x0706050403020100));
    }
    for (i = 0; i < 4; i++) {
        from[i] = src + (2 * i * width >> 3);
    }
    for (; groups; groups--, dst += 8) {
        for (k = 0; k < 2; k++) {
            __m128i low = _mm_loadu_si128((const __m128i *)(const void *)from[2 * k]);
            __m128i high = _mm_loadu_si128((const __m128i *)(const void *)from[2 * k + 1]);
            __m256i x = _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
            x = _mm256_srlv_epi64(_mm256_shuffle_epi8(x, pick[k]), shift[k]);
            _mm256_storeu_si256((__m256i *)(void *)(dst + 4 * k), _mm256_and_si256(x, mask));
        }
        for (i = 0; i < 4; i++) {
            from[i] += width;
        }
    }
}
#elif TACO__NEON
/* The same with a vector for every two values. In WebAssembly it would be slower than plain C: a
   product of 64 bits is no single instruction on x86. */
static void taco__bit_unpack64_neon(const uint8_t *src, unsigned width, size_t groups,
                                    uint64_t *dst)
{
    const taco__v16 mask = taco__v16_fill64(TACO__LOW_BITS(width));
    taco__v16 pick[4], shift[4];
    unsigned i, k;
    for (k = 0; k < 4; k++) {
        uint64_t from[2], by[2];
        for (i = 0; i < 2; i++) {
            unsigned bit = (2 * k * width & 7) + i * width;
            from[i] = (bit >> 3) * 0x0101010101010101U + 0x0706050403020100U;
            by[i] = TACO__V16_BY64(bit & 7);
        }
        pick[k] = taco__v16_load(from);
        shift[k] = taco__v16_load(by);
    }
    for (; groups; groups--, src += width, dst += 8) {
        for (k = 0; k < 4; k++) {
            taco__v16 x = taco__v16_load(src + (2 * k * width >> 3));
            x = taco__v16_shift64(taco__v16_pick(x, pick[k]), shift[k]);
            taco__v16_store(dst + 2 * k, taco__v16_and(x, mask));
        }
    }
}
#endif

TACO__INLINE void taco__bit_unpack_groups64(const uint8_t *src, unsigned width, size_t groups,
                                            uint64_t *dst)
{
#if TACO__X86
    if (width <= 57 && groups > 1 && TACO__CPU_HAS("avx2")) {
        taco__bit_unpack64_avx2(src, width, groups, dst);
        return;
    }
#elif TACO__NEON
    if (width <= 57 && groups >= TACO__BIT_UNPACK_V16_GROUPS) {
        taco__bit_unpack64_neon(src, width, groups, dst);
        return;
    }
#endif
    taco__bit_unpack64_plain(src, width, groups, dst);
}

static void taco__bit_unpack_aligned64(const uint8_t *src, size_t avail, unsigned width,
                                       size_t groups, uint64_t *dst)
{
    size_t safe = taco__bit_unpack_safe_groups(avail, width, groups);
    taco__bit_unpack_groups64(src, width, safe, dst);
    if (groups > safe) {
        uint8_t tail[2 * 64 + 3 * TACO__BIT_UNPACK_OVERREAD];
        memset(tail, 0, sizeof tail);
        memcpy(tail, src + safe * width,
               TACO__MIN(avail - safe * width, (size_t)(2 * 64 + TACO__BIT_UNPACK_OVERREAD)));
        taco__bit_unpack_groups64(tail, width, groups - safe, dst + safe * 8);
    }
}

/* The same for widths up to 64. */
TACO__FN void taco__bit_unpack64(const uint8_t *src, size_t avail, unsigned width, size_t first,
                                 size_t n, uint64_t *dst)
{
    size_t skip = first & 7, step = (first >> 3) * width;
    if (!width) {
        memset(dst, 0, n * sizeof *dst);
        return;
    }
    src += step;
    avail -= step;
    if (skip && n) {
        uint64_t group[8];
        size_t m = TACO__MIN(n, 8 - skip);
        taco__bit_unpack_aligned64(src, avail, width, 1, group);
        memcpy(dst, group + skip, m * sizeof *dst);
        dst += m;
        n -= m;
        step = TACO__MIN((size_t)width, avail);
        src += step;
        avail -= step;
    }
    if (n) { taco__bit_unpack_aligned64(src, avail, width, (n + 7) / 8, dst); }
}

/* Values packed from the most significant bit down. Only levels of old files are stored this way,
   so there is no fast path. (first + n) * width bits are at src. */
TACO__FN void taco__bit_unpack_msb(const uint8_t *src, unsigned width, size_t first, size_t n,
                                   uint32_t *dst)
{
    uint64_t bit = (uint64_t)first * width;
    size_t i;
    unsigned k;
    for (i = 0; i < n; i++) {
        uint32_t x = 0;
        for (k = 0; k < width; k++, bit++) {
            x = x << 1 | ((unsigned)src[bit >> 3] >> (7 - (bit & 7)) & 1);
        }
        dst[i] = x;
    }
}

/* True when one of v[0..n) is larger than max, which is less than 2^31: then max - v or v itself
   has the top bit. */
#ifdef TACO_SMALL
TACO__INLINE bool taco__bit_unpack_any_above_body(const uint32_t *v, size_t n, uint32_t max)
{
    uint32_t all = 0;
    for (; n; n--, v++) {
        all |= (max - *v) | *v;
    }
    return all >> 31 != 0;
}
#else
TACO__INLINE bool taco__bit_unpack_any_above_body(const uint32_t *v, size_t n, uint32_t max)
{
    uint32_t any[8] = {0, 0, 0, 0, 0, 0, 0, 0}, all = 0;
    size_t i, j;
    for (i = 0; i + 8 <= n; i += 8) {
        for (j = 0; j < 8; j++) {
            any[j] |= (max - v[i + j]) | v[i + j];
        }
    }
    for (; i < n; i++) {
        all |= (max - v[i]) | v[i];
    }
    for (j = 0; j < 8; j++) {
        all |= any[j];
    }
    return all >> 31 != 0;
}
#endif

TACO__FN bool taco__bit_unpack_any_above_plain(const uint32_t *v, size_t n, uint32_t max)
{
    return taco__bit_unpack_any_above_body(v, n, max);
}

#if TACO__X86
TACO__FN TACO__TARGET("avx2") bool taco__bit_unpack_any_above_avx2(const uint32_t *v, size_t n,
                                                                   uint32_t max)
{
    const __m256i top = _mm256_set1_epi32((int)max);
    __m256i any = _mm256_setzero_si256();
    size_t i;
    for (i = 0; i + 8 <= n; i += 8) {
        __m256i x = _mm256_loadu_si256((const __m256i *)(const void *)(v + i));
        any = _mm256_or_si256(any, _mm256_or_si256(_mm256_sub_epi32(top, x), x));
    }
    return _mm256_movemask_ps(_mm256_castsi256_ps(any)) != 0 ||
           taco__bit_unpack_any_above_body(v + i, n - i, max);
}
#endif

/* taco__bit_unpack32, and whether a value is larger than max < 2^31: in one pass if whole groups
   are unpacked in place. */
TACO__FN bool taco__bit_unpack32_above(const uint8_t *src, size_t avail, unsigned width,
                                       size_t first, size_t n, uint32_t *dst, uint32_t max)
{
#if TACO__X86
    size_t at = (first >> 3) * width;
    if (((first | n) & 7) == 0 && width - 1 < 25 && TACO__CPU_HAS("avx2") &&
        taco__bit_unpack_safe_groups(avail - at, width, n >> 3) == n >> 3) {
        return taco__bit_unpack32_above_avx2(src + at, width, n >> 3, dst, max);
    }
#elif TACO__V16
    size_t at = (first >> 3) * width;
    if (((first | n) & 7) == 0 && width - 1 < 25 && n >> 3 >= TACO__BIT_UNPACK_V16_GROUPS &&
        taco__bit_unpack_safe_groups(avail - at, width, n >> 3) == n >> 3) {
        return taco__bit_unpack32_above_v16(src + at, width, n >> 3, dst, max);
    }
#endif
    taco__bit_unpack32(src, avail, width, first, n, dst);
    return taco__bit_unpack_any_above(dst, n, max);
}
