/* number_format.c - integers and binary floating point to text, independent of the locale

   A double is written with the fewest digits that read back as the same double, and of those texts
   the one nearest to it, as Python's repr does; floats and half floats by the same code in their
   own width. The method is Schubfach's (R. Giulietti, 2020): the interval of reals that round to
   the value is scaled by a power of ten so that it is one to ten units wide, and a multiple of ten
   or of one is taken inside it. 128 bits of the power are enough. taco__num_pow10 makes these
   powers, for number_parse.c too. Start with taco__num_format_f64. IEEE 754; JSON's grammar, RFC
   8259 §6. */
#include "base.h"

/* ---- powers of ten ---- */

/* 5^(27 j) for j = -13..12 as 128 bits with the top bit set, rounded up. Any power of ten between
   10^-342 and 10^324 is one of these times a small power of five: 632 bytes of tables instead of
   the 10 kB of a full one. */
static const uint64_t taco__num_pow5_far[26][2] = {
    {UINT64_C(0x8049A4AC0C5811AE), UINT64_C(0x205B896D777D6279)},
    {UINT64_C(0xCF42894A5DCE35EA), UINT64_C(0x52064CAC828675BA)},
    {UINT64_C(0xA76C582338ED2621), UINT64_C(0xAF2AF2B80AF6F24F)},
    {UINT64_C(0x873E4F75E2224E68), UINT64_C(0x5A7744A6E804A292)},
    {UINT64_C(0xDA7F5BF590966848), UINT64_C(0xAF39A475506A899F)},
    {UINT64_C(0xB080392CC4349DEC), UINT64_C(0xBD8D794D96AACFB4)},
    {UINT64_C(0x8E938662882AF53E), UINT64_C(0x547EB47B7282EE9D)},
    {UINT64_C(0xE65829B3046B0AFA), UINT64_C(0x0CB4A5A3112A5113)},
    {UINT64_C(0xBA121A4650E4DDEB), UINT64_C(0x92F34D62616CE414)},
    {UINT64_C(0x964E858C91BA2655), UINT64_C(0x3A6A07F8D510F870)},
    {UINT64_C(0xF2D56790AB41C2A2), UINT64_C(0xFAE27299423FB9C4)},
    {UINT64_C(0xC428D05AA4751E4C), UINT64_C(0xAA97E14C3C26B887)},
    {UINT64_C(0x9E74D1B791E07E48), UINT64_C(0x775EA264CF55347E)},
    {UINT64_C(0x8000000000000000), UINT64_C(0x0000000000000000)},
    {UINT64_C(0xCECB8F27F4200F3A), UINT64_C(0x0000000000000000)},
    {UINT64_C(0xA70C3C40A64E6C51), UINT64_C(0x999090B65F67D924)},
    {UINT64_C(0x86F0AC99B4E8DAFD), UINT64_C(0x69A028BB3DED71A4)},
    {UINT64_C(0xDA01EE641A708DE9), UINT64_C(0xE80E6F4820CC9496)},
    {UINT64_C(0xB01AE745B101E9E4), UINT64_C(0x5EC05DCFF72E7F90)},
    {UINT64_C(0x8E41ADE9FBEBC27D), UINT64_C(0x14588F13BE847308)},
    {UINT64_C(0xE5D3EF282A242E81), UINT64_C(0x8F1668C8A86DA5FB)},
    {UINT64_C(0xB9A74A0637CE2EE1), UINT64_C(0x6D953E2BD7173693)},
    {UINT64_C(0x95F83D0A1FB69CD9), UINT64_C(0x4ABDAF101564F98F)},
    {UINT64_C(0xF24A01A73CF2DCCF), UINT64_C(0xBC633B39673C8CED)},
    {UINT64_C(0xC3B8358109E84F07), UINT64_C(0x0A862F80EC4700C9)},
    {UINT64_C(0x9E19DB92B4E31BA9), UINT64_C(0x6C07A2C26A8346D2)},
};

/* 5^0 to 5^26, exact */
static const uint64_t taco__num_pow5_near[27] = {
    1,
    5,
    25,
    125,
    625,
    3125,
    15625,
    78125,
    390625,
    1953125,
    9765625,
    48828125,
    244140625,
    1220703125,
    UINT64_C(6103515625),
    UINT64_C(30517578125),
    UINT64_C(152587890625),
    UINT64_C(762939453125),
    UINT64_C(3814697265625),
    UINT64_C(19073486328125),
    UINT64_C(95367431640625),
    UINT64_C(476837158203125),
    UINT64_C(2384185791015625),
    UINT64_C(11920928955078125),
    UINT64_C(59604644775390625),
    UINT64_C(298023223876953125),
    UINT64_C(1490116119384765625),
};

/* floor(log2(5^p)), exact for |p| <= 360; >> of a negative number is avoided by a bias of 1000. */
TACO__INLINE int32_t taco__num_log2_pow5(int32_t p)
{
    return (int32_t)(((uint32_t)p * 304339U + (1000U << 17)) >> 17) - 1000;
}

/* floor(log10(2^q)), and floor(log10(3/4 * 2^q)), exact for -1074 <= q < 972. */
TACO__INLINE int32_t taco__num_log10_pow2(int32_t q, bool narrow)
{
    return (int32_t)(((uint32_t)q * 1262611U + (400U << 22) - (narrow ? 524028U : 0U)) >> 22) - 400;
}

/* 10^p for -342 <= p <= 324, as 5^(27 j) times 5^near, with 27 j + near = p. Exact where 5^p fits
   in 128 bits: 0 <= p <= 55. */
TACO__FN taco__num_power_of_10 taco__num_pow10(int32_t p)
{
    taco__num_power_of_10 r;
    uint32_t far = (uint32_t)(p + 351) / 27, near = (uint32_t)(p + 351) % 27;
    uint64_t high = taco__num_pow5_far[far][0], low = taco__num_pow5_far[far][1], top, mid, carry,
             lost;
    int32_t log = taco__num_log2_pow5(p);
    r.exponent = p + log;
    if (near) {
        /* 2..61 */
        unsigned shift = (unsigned)(log - taco__num_log2_pow5((int32_t)far * 27 - 351));
        lost = taco__plat_mul64(low, taco__num_pow5_near[near], &carry);
        mid = taco__plat_mul64(high, taco__num_pow5_near[near], &top);
        mid += carry;
        top += mid < carry;
        high = top << (64 - shift) | mid >> shift;
        low = mid << (64 - shift) | lost >> shift;
        if (lost << (64 - shift)) {
            low++;
            high += low == 0;
        }
    }
    r.high = high;
    r.low = low;
    return r;
}

/* ---- integers ---- */

/* x < 10^8, without leading zeros. Branches only once per two digits: short numbers, by far the
   most frequent, take one or two branches. */
static char *taco__num_put32(char *dst, uint32_t x)
{
    if (x >= 10000) { return taco__num_put4(taco__num_put32(dst, x / 10000), x % 10000); }
    if (x >= 100) {
        dst = x >= 1000 ? taco__num_put2(dst, x / 100) : (*dst = (char)('0' + x / 100), dst + 1);
        return taco__num_put2(dst, x % 100);
    }
    return x >= 10 ? taco__num_put2(dst, x) : (*dst = (char)('0' + x), dst + 1);
}

/* In groups of eight digits: a division of 64 bits by a constant for each group, the rest in 32
   bits. */
TACO__FN size_t taco__num_format_u64(char *dst, uint64_t x)
{
    char *p = dst;
    if (x < 100000000) {
        p = taco__num_put32(p, (uint32_t)x);
    } else if (x < UINT64_C(10000000000000000)) {
        p = taco__num_put32(p, (uint32_t)(x / 100000000));
        p = taco__num_put8(p, (uint32_t)(x % 100000000));
    } else {
        uint64_t low = x % UINT64_C(10000000000000000);
        p = taco__num_put32(p, (uint32_t)(x / UINT64_C(10000000000000000)));
        p = taco__num_put8(p, (uint32_t)(low / 100000000));
        p = taco__num_put8(p, (uint32_t)(low % 100000000));
    }
    return (size_t)(p - dst);
}

TACO__FN size_t taco__num_format_i64(char *dst, int64_t x)
{
    if (x < 0) {
        *dst = '-';
        return 1 + taco__num_format_u64(dst + 1, 0 - (uint64_t)x);
    }
    return taco__num_format_u64(dst, (uint64_t)x);
}

/* ---- binary floating point to the shortest decimal ---- */

/* digits * 10^exponent */
typedef struct taco__num_shortest_decimal {
    uint64_t digits;
    int32_t exponent;
} taco__num_shortest_decimal;

/* floor(m * power / 2^128), the last bit set where the quotient is not exact. `power` is an upper
   bound: an exact quotient shows as a fraction below 2^62, and no inexact one for m below 2^62
   comes that close to an integer from either side (computed for every binary exponent by continued
   fractions). */
TACO__INLINE uint64_t taco__num_scale_sticky(uint64_t m, const taco__num_power_of_10 *power)
{
    uint64_t carry, whole, low = taco__plat_mul64(m, power->low, &carry),
                           mid = taco__plat_mul64(m, power->high, &whole);
    mid += carry;
    whole += mid < carry;
    return whole | (mid != 0 || low >> 62 != 0);
}

/* The shortest decimal that rounds to c * 2^q, and among those the nearest. `narrow`: the next
   value below is half as far as the next above, c being a power of two. All is counted in quarters
   of 10^k, where 10^k is the largest power of ten not above the width of the interval that rounds
   to the value; ends belong to it where c is even. */
static taco__num_shortest_decimal taco__num_find_shortest(uint64_t c, int32_t q, bool narrow)
{
    taco__num_shortest_decimal r;
    int32_t k = taco__num_log10_pow2(q, narrow);
    taco__num_power_of_10 power = taco__num_pow10(-k);
    unsigned shift = (unsigned)(q + 1 + power.exponent); /* 0..5 */
    uint64_t value = taco__num_scale_sticky(4 * c << shift, &power);
    uint64_t below = taco__num_scale_sticky((4 * c - (narrow ? 1 : 2)) << shift, &power) + (c & 1);
    uint64_t above = taco__num_scale_sticky((4 * c + 2) << shift, &power) - (c & 1);
    uint64_t s = value / 4, tens = s / 10;
    bool low, high;
    r.exponent = k + 1;
    r.digits = tens;
    if (s >= 10) { /* at most one multiple of 10^(k+1) lies inside */
        low = below <= 40 * tens;
        high = 40 * tens + 40 <= above;
        if (low != high) {
            r.digits = tens + high;
            return r;
        }
    }
    r.exponent = k;
    low = below <= 4 * s;
    high = 4 * s + 4 <= above;
    if (low != high) {
        r.digits = s + high;
    } else { /* both: the nearer, or the even one of two as near */
        r.digits = s + (value > 4 * s + 2 || (value == 4 * s + 2 && (s & 1)));
    }
    return r;
}

/* `1.5e-07`: n digits, of which the first is before the point, and an exponent of two or three. */
static char *taco__num_put_scientific(char *p, const char *digits, size_t n, int32_t exponent)
{
    *p++ = digits[0];
    if (n > 1) {
        *p++ = '.';
        memcpy(p, digits + 1, n - 1);
        p += n - 1;
    }
    *p++ = 'e';
    *p++ = exponent < 0 ? '-' : '+';
    exponent = exponent < 0 ? -exponent : exponent;
    if (exponent >= 100) { *p++ = (char)('0' + exponent / 100); }
    return taco__num_put2(p, (uint32_t)exponent % 100);
}

/* `1.5`, `100.0`, `0.001`, `1e+16`, `1.5e-07`: positional from 10^-4 up to 10^16, as Python prints.
   Copies of constant length are wider than the digits; dst has room for them. */
static size_t taco__num_format_shortest(char *dst, taco__num_shortest_decimal d)
{
    char digits[24];
    size_t n = taco__num_format_u64(digits, d.digits), whole;
    int32_t point = (int32_t)n + d.exponent; /* digits before the point */
    char *p = dst;
    while (n > 1 && digits[n - 1] == '0') {
        n--;
    }
    if (point > 0 && point <= 16) {
        whole = TACO__MIN((size_t)point, n);
        memcpy(p, digits, 17);
        p += whole;
        for (; whole < (size_t)point; whole++) {
            *p++ = '0';
        }
        *p++ = '.';
        if (n <= (size_t)point) {
            *p++ = '0';
        } else {
            memcpy(p, digits + point, n - (size_t)point);
            p += n - (size_t)point;
        }
        return (size_t)(p - dst);
    }
    if (point <= 0 && point > -4) {
        memcpy(p, "0.000", 5);
        p += 2 - point;
        memcpy(p, digits, n);
        return (size_t)(p - dst) + n;
    }
    return (size_t)(taco__num_put_scientific(p, digits, n, point - 1) - dst);
}

/* A value of any binary format: its sign, biased exponent and fraction of `bits` bits; `bias` is
   that of the exponent of the fraction's last bit. Integers need no search: all their digits are
   written. */
static size_t taco__num_format_binary(char *dst, bool negative, uint32_t exponent,
                                      uint64_t fraction, unsigned bits, int32_t bias)
{
    taco__num_shortest_decimal d;
    uint64_t c = exponent ? fraction | (uint64_t)1 << bits : fraction;
    int32_t q = (int32_t)(exponent ? exponent : 1) - bias;
    size_t sign = negative;
    dst[0] = '-';
    dst += sign;
    d.digits = 0;
    d.exponent = 0;
    if (q <= 0 && q >= -(int32_t)bits && (c & (((uint64_t)1 << -q) - 1)) == 0) { /* an integer */
        d.digits = c >> -q;
    } else if (c) {
        d = taco__num_find_shortest(c, q, fraction == 0 && exponent > 1);
    }
    return sign + taco__num_format_shortest(dst, d);
}

/* Values that are not numbers: bare words, which callers quote if their format requires it. */
static TACO__COLD size_t taco__num_format_nonfinite(char *dst, bool negative, bool nan)
{
    const char *s = nan ? "NaN" : negative ? "-Infinity" : "Infinity";
    size_t n = strlen(s);
    memcpy(dst, s, n);
    return n;
}

/* The fewest digits that read back as x in its own width, nearest to x if there are several;
   `-0.0`, and the words NaN, Infinity, -Infinity. */
TACO__FN size_t taco__num_format_f64(char *dst, double x)
{
    uint64_t bits = taco__f64_to_bits(x), fraction = bits & ((UINT64_C(1) << 52) - 1);
    uint32_t exponent = (uint32_t)(bits >> 52) & 0x7FF;
    if (TACO__UNLIKELY(exponent == 0x7FF)) {
        return taco__num_format_nonfinite(dst, bits >> 63 != 0, fraction != 0);
    }
    return taco__num_format_binary(dst, bits >> 63 != 0, exponent, fraction, 52, 1075);
}

TACO__FN size_t taco__num_format_f32(char *dst, float x)
{
    uint32_t bits = taco__f32_to_bits(x), fraction = bits & 0x7FFFFF,
             exponent = (bits >> 23) & 0xFF;
    if (TACO__UNLIKELY(exponent == 0xFF)) {
        return taco__num_format_nonfinite(dst, bits >> 31 != 0, fraction != 0);
    }
    return taco__num_format_binary(dst, bits >> 31 != 0, exponent, fraction, 23, 150);
}

/* bits: an IEEE binary16, Parquet's FLOAT16. */
TACO__FN size_t taco__num_format_f16(char *dst, uint16_t bits)
{
    uint32_t fraction = bits & 0x3FFU, exponent = (bits >> 10) & 0x1FU;
    if (exponent == 0x1F) {
        return taco__num_format_nonfinite(dst, bits >> 15 != 0, fraction != 0);
    }
    return taco__num_format_binary(dst, bits >> 15 != 0, exponent, fraction, 10, 25);
}

/* IEEE binary16 to a float, exactly; preserves the payloads of NaNs. */
TACO__FN float taco__num_f16_to_f32(uint16_t bits)
{
    uint32_t sign = (uint32_t)(bits >> 15) << 31, exponent = (bits >> 10) & 0x1FU,
             fraction = bits & 0x3FFU;
    if (exponent == 0x1F) { return taco__f32_from_bits(sign | 0x7F800000U | fraction << 13); }
    if (exponent == 0) { /* a subnormal number: its first 1 becomes the bit that is not stored */
        unsigned shift = fraction ? taco__plat_clz64(fraction) - 53 : 0;
        if (!fraction) { return taco__f32_from_bits(sign); }
        exponent = 1 - shift; /* may wrap, which adding the bias undoes */
        fraction = fraction << shift & 0x3FFU;
    }
    return taco__f32_from_bits(sign | (exponent + 112) << 23 | fraction << 13);
}
