/* int256.c - integers of 256 bits: every exact number of SQL in one type

   In and out: a taco__i256, two's complement in four words, least significant first. DECIMALs have
   up to 76 digits, which is 253 bits; integers, dates and times up to 64. There is room for one
   step beyond either end of a type, so that ranges can be open, and for the sum of two such
   numbers.

   It only has what comparing values and parsing text needs: order, sum, multiplication and division
   by powers of ten, and reading both byte orders (little-endian in Arrow, big-endian in Parquet).
   Multiplication and division work on the magnitude, in limbs of 32 bits whose products fit 64. */
#include "value.h"
#include "../base/base.h"

/* Sign-extends. Every number of up to 64 bits in a file enters through these two functions. */
TACO__FN taco__i256 taco__i256_from_i64(int64_t x)
{
    taco__i256 r;
    r.w[0] = (uint64_t)x;
    r.w[1] = r.w[2] = r.w[3] = x < 0 ? UINT64_MAX : 0;
    return r;
}

TACO__FN taco__i256 taco__i256_from_u64(uint64_t x)
{
    taco__i256 r;
    r.w[0] = x;
    r.w[1] = r.w[2] = r.w[3] = 0;
    return r;
}

/* Signed order: < 0, 0 or > 0. Only the top word is signed: flipping its top bit makes an unsigned
   comparison correct. */
TACO__FN TACO__NOINLINE int taco__i256_compare(const taco__i256 *a, const taco__i256 *b)
{
    int i;
    if (a->w[3] != b->w[3]) {
        return (a->w[3] ^ (uint64_t)1 << 63) < (b->w[3] ^ (uint64_t)1 << 63) ? -1 : 1;
    }
    for (i = 2; i >= 0; i--) {
        if (a->w[i] != b->w[i]) { return a->w[i] < b->w[i] ? -1 : 1; }
    }
    return 0;
}

/* Wraps, but callers keep operands below 255 bits, so it cannot happen. */
TACO__FN TACO__NOINLINE taco__i256 taco__i256_add(taco__i256 a, taco__i256 b)
{
    uint64_t carry = 0;
    int i;
    for (i = 0; i < 4; i++) {
        uint64_t s = a.w[i] + b.w[i], t = s + carry;
        carry = (uint64_t)(s < a.w[i]) | (uint64_t)(t < s);
        a.w[i] = t;
    }
    return a;
}

/* Wraps only for the least number, which is its own negative. */
TACO__FN TACO__NOINLINE taco__i256 taco__i256_negate(taco__i256 a)
{
    int i;
    for (i = 0; i < 4; i++) {
        a.w[i] = ~a.w[i];
    }
    return taco__i256_add(a, taco__i256_from_i64(1));
}

/* Limbs, two of which a division takes; how many decimal digits fit one. With TACO_SMALL that is a
   division of 32 bits, which small processors have. */
#ifdef TACO_SMALL
typedef uint32_t taco__i256_two_limbs;
#define TACO__I256_LIMB   16
#define TACO__I256_DIGITS 4
#else
typedef uint64_t taco__i256_two_limbs;
#define TACO__I256_LIMB   32
#define TACO__I256_DIGITS 9
#endif
#define TACO__I256_LIMBS     (256 / TACO__I256_LIMB)
#define TACO__I256_LIMB_MASK (((uint64_t)1 << TACO__I256_LIMB) - 1)
#define TACO__I256_SHIFT(i)  ((i)*TACO__I256_LIMB % 64)

/* Limb i, least significant first. */
static taco__i256_two_limbs taco__i256_limb(const taco__i256 *a, int i)
{
    return (taco__i256_two_limbs)(a->w[i * TACO__I256_LIMB / 64] >> TACO__I256_SHIFT(i) &
                                  TACO__I256_LIMB_MASK);
}

static void taco__i256_set_limb(taco__i256 *a, int i, taco__i256_two_limbs limb)
{
    uint64_t *w = &a->w[i * TACO__I256_LIMB / 64];
    *w = (*w & ~(TACO__I256_LIMB_MASK << TACO__I256_SHIFT(i))) | (limb & TACO__I256_LIMB_MASK)
                                                                     << TACO__I256_SHIFT(i);
}

/* a * m + c of the magnitude a, m and c being limbs; false when the result needs more than 255
   bits. */
TACO__FN bool taco__i256_multiply_add(taco__i256 *a, uint32_t m, uint32_t c)
{
    taco__i256_two_limbs carry = c;
    int i;
    for (i = 0; i < TACO__I256_LIMBS; i++) {
        carry += taco__i256_limb(a, i) * m;
        taco__i256_set_limb(a, i, carry);
        carry >>= TACO__I256_LIMB;
    }
    return carry == 0 && !taco__i256_is_negative(a);
}

/* Divides the magnitude a in place by a limb and returns the remainder. */
static uint32_t taco__i256_divide(taco__i256 *a, uint32_t m)
{
    taco__i256_two_limbs rem = 0;
    int i;
    for (i = TACO__I256_LIMBS - 1; i >= 0; i--) {
        taco__i256_two_limbs now = rem << TACO__I256_LIMB | taco__i256_limb(a, i);
        taco__i256_set_limb(a, i, now / m);
        rem = now % m;
    }
    return (uint32_t)rem;
}

/* 10^k for k from 0 to 9, which fits in a limb. */
static uint32_t taco__i256_power_of_ten(int32_t k)
{
    uint32_t p = 1;
    for (; k > 0; k--) {
        p *= 10;
    }
    return p;
}

/* a *= 10^k, signed; false on overflow, after which *a is undefined. */
TACO__FN bool taco__i256_mul10(taco__i256 *a, int32_t k)
{
    bool neg = taco__i256_is_negative(a), ok = true;
    if (neg) {
        *a = taco__i256_negate(*a);
        ok = !taco__i256_is_negative(a);
    }
    for (; ok && k > 0; k -= TACO__I256_DIGITS) {
        ok =
            taco__i256_multiply_add(a, taco__i256_power_of_ten(TACO__MIN(k, TACO__I256_DIGITS)), 0);
    }
    if (neg) { *a = taco__i256_negate(*a); }
    return ok;
}

/* a / 10^k, rounded half away from zero, or towards zero. The last digit is divided off separately,
   because it alone decides the rounding. */
TACO__FN taco__i256 taco__i256_div10(taco__i256 a, int32_t k, bool round)
{
    bool neg = taco__i256_is_negative(&a);
    uint32_t last = 0;
    if (neg) { a = taco__i256_negate(a); }
    while (k > 1) {
        int32_t step = TACO__MIN(k - 1, TACO__I256_DIGITS);
        taco__i256_divide(&a, taco__i256_power_of_ten(step));
        k -= step;
    }
    if (k == 1) { last = taco__i256_divide(&a, 10); }
    if (round && last >= 5) { a = taco__i256_add(a, taco__i256_from_i64(1)); }
    return neg ? taco__i256_negate(a) : a;
}

/* True if the low word alone, sign-extended, is the number. */
TACO__FN bool taco__i256_is_i64(const taco__i256 *a)
{
    uint64_t sign = (a->w[0] >> 63) ? UINT64_MAX : 0;
    return a->w[1] == sign && a->w[2] == sign && a->w[3] == sign;
}

/* Little-endian two's complement of 1 to 32 bytes, sign-extended. */
TACO__FN taco__i256 taco__i256_from_le(const uint8_t *p, size_t width)
{
    taco__i256 r = taco__i256_from_i64((p[width - 1] & 0x80) ? -1 : 0);
    size_t i;
    if (width == 16) {
        r.w[0] = taco__load_le64(p);
        r.w[1] = taco__load_le64(p + 8);
        return r;
    }
    for (i = 0; i < width; i++) {
        r.w[i / 8] = (r.w[i / 8] & ~((uint64_t)0xFF << i % 8 * 8)) | (uint64_t)p[i] << i % 8 * 8;
    }
    return r;
}

/* Big-endian two's complement of any length; empty is 0. False if it needs more than 256 bits:
   leading bytes that only repeat the sign do not count. */
TACO__FN bool taco__i256_from_be(taco_bytes b, taco__i256 *out)
{
    uint8_t le[32];
    size_t i, n;
    uint8_t fill = (uint8_t)(b.len && (b.data[0] & 0x80) ? 0xFF : 0);
    while (b.len > 32 && b.data[0] == fill) {
        b.data++;
        b.len--;
    }
    if (b.len > 32 || (b.len == 32 && ((b.data[0] ^ fill) & 0x80))) { return false; }
    n = b.len;
    for (i = 0; i < 32; i++) {
        le[i] = i < n ? b.data[n - 1 - i] : fill;
    }
    *out = taco__i256_from_le(le, 32);
    return true;
}
