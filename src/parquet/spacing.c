/* spacing.c - packed values moved to their rows, with gaps for nulls; levels to bits

   In: values without nulls, as decoders leave them, and the validity of the rows; out: the same
   buffer with every value at its row, as Arrow wants it. The values only move up, so that going
   from the last row to the first works in place:

       validity 1 0 1 1,  values a b c .   ->   a a b c      a null's row holds anything

   taco__spacing_level_word turns levels into bits, the only form in which nested columns are
   counted and assembled. */
#include "parquet.h"
#include "../base/base.h"
#include "../base/simd.h"

/* Moves from the last row to the first, in place, a word of validity at a time. Stops when rows and
   values coincide. */
TACO__INLINE void taco__spacing_move(uint8_t *v, size_t width, const uint8_t *validity, size_t bit,
                                     size_t rows, size_t valid)
{
    while (valid < rows) { /* the values [0, valid) belong to rows [0, rows) */
        size_t k, first, m = (rows - 1) % 64 + 1;
        uint64_t x;
        rows -= m;
        x = taco__bitmap_read(validity, bit + rows, m);
        if (x == TACO__LOW_BITS(m)) {
            valid -= m;
            memmove(v + rows * width, v + valid * width, m * width);
            continue;
        }
        first = x ? taco__plat_ctz64(x) : m;
        /* without a branch: a null row gets a copy of the value before it */
        for (k = m; k-- > first;) {
            memcpy(v + (rows + k) * width, v + (valid - 1) * width, width);
            valid -= x >> k & 1;
        }
        memset(v + rows * width, 0, first * width);
    }
}

TACO__FN void taco__spacing_values(void *values, size_t width, const uint8_t *validity, size_t bit,
                                   size_t n_rows, size_t n_valid)
{
    uint8_t *v = (uint8_t *)values;
#ifdef TACO_SMALL
    taco__spacing_move(v, width, validity, bit, n_rows, n_valid);
#else
    switch (width) {
    case 1: taco__spacing_move(v, 1, validity, bit, n_rows, n_valid); break;
    case 2: taco__spacing_move(v, 2, validity, bit, n_rows, n_valid); break;
    case 4: taco__spacing_move(v, 4, validity, bit, n_rows, n_valid); break;
    case 8: taco__spacing_move(v, 8, validity, bit, n_rows, n_valid); break;
    case 12: taco__spacing_move(v, 12, validity, bit, n_rows, n_valid); break;
    case 16: taco__spacing_move(v, 16, validity, bit, n_rows, n_valid); break;
    default: taco__spacing_move(v, width, validity, bit, n_rows, n_valid); break;
    }
#endif
}

TACO__FN void taco__spacing_offsets(int32_t *offsets, const uint8_t *validity, size_t bit,
                                    size_t n_rows, size_t n_valid)
{
    while (n_valid < n_rows) {
        size_t k, m = (n_rows - 1) % 64 + 1;
        uint64_t x;
        n_rows -= m;
        x = taco__bitmap_read(validity, bit + n_rows, m);
        for (k = m; k-- > 0;) {
            offsets[n_rows + k + 1] = offsets[n_valid];
            n_valid -= x >> k & 1;
        }
    }
}

TACO__FN void taco__spacing_bits(uint8_t *values, size_t values_bit, const uint8_t *validity,
                                 size_t bit, size_t n_rows, size_t n_valid)
{
    while (n_valid < n_rows) {
        size_t ones, m = (n_rows - 1) % 64 + 1;
        uint64_t x, packed, spread = 0;
        n_rows -= m;
        x = taco__bitmap_read(validity, bit + n_rows, m);
        ones = taco__bitmap_popcount(x);
        n_valid -= ones;
        packed = taco__bitmap_read(values, values_bit + n_valid, ones);
        for (; x; x &= x - 1, packed >>= 1) {
            spread |= (packed & 1) << taco__plat_ctz64(x);
        }
        taco__bitmap_write(values, values_bit + n_rows, spread, m);
    }
}

#ifndef TACO_SMALL
/* A word with bit i set if levels[i] >= least, for 64 levels. */
TACO__INLINE uint64_t taco__spacing_mask_plain(const int16_t *levels, int16_t least)
{
    uint64_t x = 0, part;
    unsigned i, j;
    for (i = 0; i < 64; i += 8) {
        uint8_t yes[8];
        for (j = 0; j < 8; j++) {
            yes[j] = levels[i + j] >= least;
        }
        part = taco__load_le64(yes) * 0x0102040810204080U >>
               56; /* moves each byte's lowest bit to the top byte */
        x |= part << i;
    }
    return x;
}

#if TACO__X86
/* The same, 32 levels a step: compared, narrowed to bytes, and their sign bits collected. */
TACO__TARGET("avx2") static uint64_t taco__spacing_mask_avx2(const int16_t *levels, int16_t least)
{
    /* least > INT16_MIN: levels are not negative */
    const __m256i below = _mm256_set1_epi16((int16_t)(least - 1));
    uint64_t x = 0;
    unsigned i;
    for (i = 0; i < 64; i += 32) {
        __m256i a = _mm256_loadu_si256((const __m256i *)(const void *)(levels + i));
        __m256i b = _mm256_loadu_si256((const __m256i *)(const void *)(levels + i + 16));
        __m256i both =
            _mm256_packs_epi16(_mm256_cmpgt_epi16(a, below), _mm256_cmpgt_epi16(b, below));
        x |= (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_permute4x64_epi64(both, 0xD8)) << i;
    }
    return x;
}
#endif
#endif

TACO__FN uint64_t taco__spacing_level_word(const int16_t *levels, size_t n, int16_t least)
{
    uint64_t x = 0;
    size_t i;
#ifndef TACO_SMALL
    if (n == 64) {
#if TACO__X86
        if (TACO__CPU_HAS("avx2")) { return taco__spacing_mask_avx2(levels, least); }
#endif
        return taco__spacing_mask_plain(levels, least);
    }
#endif
    for (i = 0; i < n; i++) {
        x |= (uint64_t)(levels[i] >= least) << i;
    }
    return x;
}
