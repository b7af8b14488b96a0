/* int256.c - typed scalars: literals, statistics and the order of SQL. */
#include "filter.h"
#include "../base/base.h"

/* Sign-extends; every number of a file that has up to 64 bits enters through these two. */
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

/* Signed order. Only the top word carries a sign: flipping its sign bit makes it an unsigned
   one. */
TACO__FN int taco__i256_compare(const taco__i256 *a, const taco__i256 *b)
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

/* Sums wrap; callers keep operands below 255 bits, where they cannot. */
TACO__FN taco__i256 taco__i256_add(taco__i256 a, taco__i256 b) /* wraps */
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

TACO__FN taco__i256 taco__i256_negate(taco__i256 a) /* wraps */
{
    int i;
    for (i = 0; i < 4; i++) {
        a.w[i] = ~a.w[i];
    }
    return taco__i256_add(a, taco__i256_from_i64(1));
}

/* a * m + c of the magnitude a, by 32-bit limbs; false when the result needs more than 255 bits. */
TACO__FN bool taco__i256_multiply_add(taco__i256 *a, uint32_t m, uint32_t c)
{
    uint64_t carry = c;
    int i;
    for (i = 0; i < 8; i++) {
        uint64_t limb = (a->w[i / 2] >> (i & 1) * 32) & UINT32_MAX;
        carry += limb * m;
        a->w[i / 2] = (a->w[i / 2] & ~((uint64_t)UINT32_MAX << (i & 1) * 32)) | (carry & UINT32_MAX)
                                                                                    << (i & 1) * 32;
        carry >>= 32;
    }
    return carry == 0 && !taco__i256_is_negative(a);
}

/* Divides the magnitude a in place and returns the remainder. */
static uint32_t taco__i256_divide(taco__i256 *a, uint32_t m)
{
    uint64_t rem = 0;
    int i;
    for (i = 7; i >= 0; i--) {
        uint64_t cur = rem << 32 | ((a->w[i / 2] >> (i & 1) * 32) & UINT32_MAX);
        a->w[i / 2] = (a->w[i / 2] & ~((uint64_t)UINT32_MAX << (i & 1) * 32)) | (cur / m)
                                                                                    << (i & 1) * 32;
        rem = cur % m;
    }
    return (uint32_t)rem;
}

static uint32_t taco__i256_power_of_ten(int32_t k) /* 10^k, k in 0..9 */
{
    uint32_t p = 1;
    for (; k > 0; k--) {
        p *= 10;
    }
    return p;
}

/* a *= 10^k, signed; false on overflow, a is then unspecified. */
TACO__FN bool taco__i256_mul10(taco__i256 *a, int32_t k)
{
    bool neg = taco__i256_is_negative(a), ok = true;
    if (neg) {
        *a = taco__i256_negate(*a);
        ok = !taco__i256_is_negative(a);
    }
    for (; ok && k > 0; k -= 9) {
        ok = taco__i256_multiply_add(a, taco__i256_power_of_ten(TACO__MIN(k, 9)), 0);
    }
    if (neg) { *a = taco__i256_negate(*a); }
    return ok;
}

/* a / 10^k rounded half away from zero, or towards zero. */
TACO__FN taco__i256 taco__i256_div10(taco__i256 a, int32_t k, bool round)
{
    bool neg = taco__i256_is_negative(&a);
    uint32_t last = 0;
    if (neg) { a = taco__i256_negate(a); }
    for (; k > 1;
         k -= TACO__MIN(
             k - 1,
             9)) { /* all but the last digit: what was cut before cannot change the rounding */
        taco__i256_divide(&a, taco__i256_power_of_ten(TACO__MIN(k - 1, 9)));
    }
    if (k == 1) { last = taco__i256_divide(&a, 10); }
    if (round && last >= 5) { a = taco__i256_add(a, taco__i256_from_i64(1)); }
    return neg ? taco__i256_negate(a) : a;
}

/* True when the low word alone, sign-extended, is the number. */
TACO__FN bool taco__i256_is_i64(const taco__i256 *a)
{
    uint64_t sign = (a->w[0] >> 63) ? UINT64_MAX : 0;
    return a->w[1] == sign && a->w[2] == sign && a->w[3] == sign;
}

TACO__FN taco__i256 taco__i256_from_le(const uint8_t *p,
                                       size_t width) /* 1 <= width <= 32, sign-extended */
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

/* Big-endian two's complement of any length; empty is 0. False when it needs more than 256 bits. */
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
