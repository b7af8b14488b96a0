/* bitmap.c - bitmaps at any bit offset: read, write, fill, count, copy, and positions of ones

   Validity bitmaps of Arrow and BOOLEAN values of Parquet begin at any bit and have any length, so
   words of 64 bits are read from unaligned addresses and combined by shifts. Every function works
   on the n bits from `bit` on, and no other byte is read or written, because it may belong to
   another column, or not exist. taco__bitmap_read and _write handle the ends of a range, words the
   middle. */
#include "base.h"

/* 64 bits from bit on; they lie in 8 bytes, or in 9 when bit is not a multiple of 8. */
TACO__INLINE uint64_t taco__bitmap_read64(const uint8_t *bitmap, size_t bit)
{
    const uint8_t *p = bitmap + (bit >> 3);
    unsigned s = bit & 7;
    uint64_t x = taco__load_le64(p);
    return s ? x >> s | (uint64_t)p[8] << (64 - s) : x;
}

/* The n <= 64 bits from bit on, in the low bits of the result. */
TACO__FN uint64_t taco__bitmap_read(const uint8_t *bitmap, size_t bit, size_t n)
{
    const uint8_t *p;
    size_t have, k = 0;
    uint64_t x = 0;
    if (n == 64) { return taco__bitmap_read64(bitmap, bit); }
    if (!n) { return 0; } /* the bitmap may be NULL */
    p = bitmap + (bit >> 3);
    x = (uint64_t)p[0] >> (bit & 7);
    for (have = 8 - (bit & 7); have < n; have += 8) {
        x |= (uint64_t)p[++k] << have;
    }
    return x & TACO__LOW_BITS(n);
}

/* Stores the low n <= 64 bits of x at bit. The first and last byte keep their other bits. */
TACO__FN void taco__bitmap_write(uint8_t *bitmap, size_t bit, uint64_t x, size_t n)
{
    uint8_t *p = bitmap + (bit >> 3);
    unsigned s = bit & 7, take, mask;
    if (n == 64 && !s) {
        taco__put_le64(p, x);
        return;
    }
    while (n) {
        take = (unsigned)TACO__MIN(n, (size_t)(8 - s));
        mask = ((1U << take) - 1) << s;
        *p = (uint8_t)((*p & ~mask) | (((unsigned)(x & 0xFF) << s) & mask));
        x >>= take;
        n -= take;
        s = 0;
        p++;
    }
}

TACO__FN void taco__bitmap_fill(uint8_t *bitmap, size_t bit, size_t n, bool value)
{
    uint64_t word = value ? UINT64_MAX : 0;
    size_t head = TACO__MIN(n, (8 - (bit & 7)) & 7);
    taco__bitmap_write(bitmap, bit, word, head);
    bit += head;
    n -= head;
    if (n >= 8) { memset(bitmap + (bit >> 3), value ? 0xFF : 0, n >> 3); }
    taco__bitmap_write(bitmap, bit + (n & ~(size_t)7), word, n & 7);
}

TACO__FN size_t taco__bitmap_count(const uint8_t *bitmap, size_t bit, size_t n)
{
    size_t ones = 0;
    for (; n >= 64; n -= 64, bit += 64) {
        ones += taco__bitmap_popcount(taco__bitmap_read64(bitmap, bit));
    }
    return ones + taco__bitmap_popcount(taco__bitmap_read(bitmap, bit, n));
}

/* Copies n bits and returns how many of them are ones. The bitmaps must not overlap. */
TACO__FN size_t taco__bitmap_copy(uint8_t *dst, size_t dst_bit, const uint8_t *src, size_t src_bit,
                                  size_t n)
{
    size_t ones, head = TACO__MIN(n, (8 - (dst_bit & 7)) & 7);
    uint64_t x = taco__bitmap_read(src, src_bit, head);
    taco__bitmap_write(dst, dst_bit, x, head);
    ones = taco__bitmap_popcount(x);
    dst_bit += head;
    src_bit += head;
    n -= head;
    for (; n >= 64; n -= 64, dst_bit += 64, src_bit += 64) {
        x = taco__bitmap_read64(src, src_bit);
        taco__put_le64(dst + (dst_bit >> 3), x);
        ones += taco__bitmap_popcount(x);
    }
    x = taco__bitmap_read(src, src_bit, n);
    taco__bitmap_write(dst, dst_bit, x, n);
    return ones + taco__bitmap_popcount(x);
}

/* Words of zeros cost one test, words of ones no bit tests; the rest goes from one to the next.
   `flip` is all ones to find zeros. */
TACO__INLINE size_t taco__bitmap_select_body(const uint8_t *bitmap, size_t bit, size_t n,
                                             uint64_t flip, int32_t *dst)
{
    size_t i, k = 0;
    for (i = 0; i < n; i += 64) {
        uint64_t x = i + 64 <= n ? taco__bitmap_read64(bitmap, bit + i)
                                 : taco__bitmap_read(bitmap, bit + i, n - i);
        x = (x ^ flip) & TACO__LOW_BITS(n - i);
        if (x == UINT64_MAX) {
            size_t j;
            for (j = 0; j < 64; j++) { /* compilers make this a few wide stores */
                dst[k + j] = (int32_t)(i + j);
            }
            k += 64;
            continue;
        }
        for (; x; x &= x - 1) {
            dst[k++] = (int32_t)(i + taco__plat_ctz64(x));
        }
    }
    return k;
}

#if TACO__X86
/* With BMI1, where the lowest one is found and cleared by one instruction each. */
static TACO__NOINLINE TACO__TARGET("bmi") size_t
    taco__bitmap_select_bmi(const uint8_t *bitmap, size_t bit, size_t n, uint64_t flip,
                            int32_t *dst)
{
    return taco__bitmap_select_body(bitmap, bit, n, flip, dst);
}
#endif

static size_t taco__bitmap_select_flipped(const uint8_t *bitmap, size_t bit, size_t n,
                                          uint64_t flip, int32_t *dst)
{
#if TACO__X86
    if (TACO__CPU_HAS("bmi")) { return taco__bitmap_select_bmi(bitmap, bit, n, flip, dst); }
#endif
    return taco__bitmap_select_body(bitmap, bit, n, flip, dst);
}

/* Writes the positions, counted from bit, of the ones among n bits, in order. Returns how many. n <
   2^31. dst has room for all of them; nothing beyond that is written. */
TACO__FN size_t taco__bitmap_select(const uint8_t *bitmap, size_t bit, size_t n, int32_t *dst)
{
    return taco__bitmap_select_flipped(bitmap, bit, n, 0, dst);
}

/* The same for the zeros. */
TACO__FN size_t taco__bitmap_select_zeros(const uint8_t *bitmap, size_t bit, size_t n, int32_t *dst)
{
    return taco__bitmap_select_flipped(bitmap, bit, n, UINT64_MAX, dst);
}
