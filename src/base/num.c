/* ==== ROOM num: numbers to text and back, UTF-8, never asking the locale. Uses: plat base error mem. Spec: IEEE 754, RFC 8259 §6, RFC 3629 ==== */

/* 5^(27 j) for j = -13..12 as 128 bits with the top bit set, rounded up. Any power of ten between 10^-342 and 10^324 is
   one of these times a small power of five: 632 bytes of tables instead of the 10 kB of a full one. */
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
static const char taco__num_pairs[] = "0001020304050607080910111213141516171819"
                                      "2021222324252627282930313233343536373839"
                                      "4041424344454647484950515253545556575859"
                                      "6061626364656667686970717273747576777879"
                                      "8081828384858687888990919293949596979899";

typedef struct
    taco__num_power_of_10 { /* 10^p = (high:low) * 2^(exponent - 127), rounded up by less than 3 units of low */
    uint64_t high, low;
    int32_t  exponent;
} taco__num_power_of_10;

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
/* -342 <= p <= 324. Exact where 5^p fits in 128 bits: 0 <= p <= 55. */
TACO__FN taco__num_power_of_10 taco__num_pow10(int32_t p)
{
    taco__num_power_of_10 r;
    uint32_t              far = (uint32_t)(p + 351) / 27, near = (uint32_t)(p + 351) % 27;
    uint64_t high = taco__num_pow5_far[far][0], low = taco__num_pow5_far[far][1], top, mid, carry,
             lost;
    int32_t log = taco__num_log2_pow5(p);
    r.exponent = p + log;
    if (near) {
        unsigned shift = (unsigned)(log - taco__num_log2_pow5((int32_t)far * 27 - 351)); /* 2..61 */
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

/* ---- integers to text ---- */

TACO__INLINE char *taco__num_put2(char *dst, uint32_t x) /* x < 100 */
{
    memcpy(dst, taco__num_pairs + 2 * x, 2);
    return dst + 2;
}
TACO__INLINE char *taco__num_put4(char *dst, uint32_t x) /* x < 10^4 */
{
    return taco__num_put2(taco__num_put2(dst, x / 100), x % 100);
}
TACO__INLINE char *taco__num_put8(char *dst, uint32_t x) /* x < 10^8 */
{
    return taco__num_put4(taco__num_put4(dst, x / 10000), x % 10000);
}
/* Branches once for each two digits. Short numbers, the most frequent by far, take one or two. */
TACO__FN char *taco__num_put32(char *dst, uint32_t x) /* x < 10^8, without leading zeros */
{
    if (x >= 10000) {
        return taco__num_put4(taco__num_put32(dst, x / 10000), x % 10000);
    }
    if (x >= 100) {
        dst = x >= 1000 ? taco__num_put2(dst, x / 100) : (*dst = (char)('0' + x / 100), dst + 1);
        return taco__num_put2(dst, x % 100);
    }
    return x >= 10 ? taco__num_put2(dst, x) : (*dst = (char)('0' + x), dst + 1);
}
/* Writes x in decimal, at most 20 bytes and no NUL. Returns the length, as all the functions of this kind do. */
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
TACO__FN size_t taco__num_format_i64(char *dst, int64_t x) /* at most 20 bytes */
{
    if (x < 0) {
        *dst = '-';
        return 1 + taco__num_format_u64(dst + 1, 0 - (uint64_t)x);
    }
    return taco__num_format_u64(dst, (uint64_t)x);
}

/* ---- binary floating point to the shortest decimal ---- */

typedef struct taco__num_shortest_decimal { /* digits * 10^exponent */
    uint64_t digits;
    int32_t  exponent;
} taco__num_shortest_decimal;

/* floor(m * power / 2^128), the last bit set where the quotient is not exact. `power` is an upper bound: an exact
   quotient shows as a fraction below 2^62, and no inexact one for m below 2^62 comes that close to an integer from
   either side (computed for every binary exponent by continued fractions). */
TACO__INLINE uint64_t taco__num_scale_sticky(uint64_t m, const taco__num_power_of_10 *power)
{
    uint64_t carry, whole, low = taco__plat_mul64(m, power->low, &carry),
                           mid = taco__plat_mul64(m, power->high, &whole);
    mid += carry;
    whole += mid < carry;
    return whole | (mid != 0 || low >> 62 != 0);
}
/* The shortest decimal that rounds to c * 2^q, and among those the nearest. `narrow`: the next value below is half as
   far as the next above, c being a power of two. All is counted in quarters of 10^k, where 10^k is the largest power of
   ten not above the width of the interval that rounds to the value; ends belong to it where c is even. */
TACO__FN taco__num_shortest_decimal taco__num_find_shortest(uint64_t c, int32_t q, bool narrow)
{
    taco__num_shortest_decimal r;
    int32_t                    k = taco__num_log10_pow2(q, narrow);
    taco__num_power_of_10      power = taco__num_pow10(-k);
    unsigned                   shift = (unsigned)(q + 1 + power.exponent); /* 0..5 */
    uint64_t                   value = taco__num_scale_sticky(4 * c << shift, &power);
    uint64_t below = taco__num_scale_sticky((4 * c - (narrow ? 1 : 2)) << shift, &power) + (c & 1);
    uint64_t above = taco__num_scale_sticky((4 * c + 2) << shift, &power) - (c & 1);
    uint64_t s = value / 4, tens = s / 10;
    bool     low, high;
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
/* `1.5`, `100.0`, `0.001`, `1e+16`, `1.5e-07`: positional from 10^-4 up to 10^16, as Python prints. */
TACO__FN size_t taco__num_format_shortest(char *dst, taco__num_shortest_decimal d)
{
    char    digits[24];
    size_t  n = taco__num_format_u64(digits, d.digits), whole;
    int32_t point = (int32_t)n + d.exponent; /* digits before the point */
    char   *p = dst;
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
    *p++ = digits[0];
    if (n > 1) {
        *p++ = '.';
        memcpy(p, digits + 1, n - 1);
        p += n - 1;
    }
    point--;
    *p++ = 'e';
    *p++ = point < 0 ? '-' : '+';
    point = point < 0 ? -point : point;
    if (point >= 100) {
        *p++ = (char)('0' + point / 100);
    }
    return (size_t)(taco__num_put2(p, (uint32_t)point % 100) - dst);
}
/* Any binary format: sign, biased exponent and fraction, `bits` of fraction, `bias` of the exponent of its last bit. */
TACO__FN size_t taco__num_format_binary(char *dst, bool negative, uint32_t exponent,
                                        uint64_t fraction, unsigned bits, int32_t bias)
{
    taco__num_shortest_decimal d;
    uint64_t                   c = exponent ? fraction | (uint64_t)1 << bits : fraction;
    int32_t                    q = (int32_t)(exponent ? exponent : 1) - bias;
    size_t                     sign = negative;
    dst[0] = '-';
    dst += sign;
    d.digits = 0;
    d.exponent = 0;
    if (q <= 0 && q >= -(int32_t)bits &&
        (c & (((uint64_t)1 << -q) - 1)) == 0) { /* an integer, exact as it stands */
        d.digits = c >> -q;
    } else if (c) {
        d = taco__num_find_shortest(c, q, fraction == 0 && exponent > 1);
    }
    return sign + taco__num_format_shortest(dst, d);
}
/* What is no number: bare words, which the callers quote where their format has to. */
TACO__COLD size_t taco__num_format_nonfinite(char *dst, bool negative, bool nan)
{
    const char *s = nan ? "NaN" : negative ? "-Infinity" : "Infinity";
    size_t      n = strlen(s);
    memcpy(dst, s, n);
    return n;
}
/* The fewest digits that read back as x in its own width, nearest to x if there are several; `-0.0`, and the words NaN,
   Infinity, -Infinity. dst has room for 32 bytes. */
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
TACO__FN size_t taco__num_format_f16(char *dst, uint16_t bits)
{
    uint32_t fraction = bits & 0x3FFU, exponent = (bits >> 10) & 0x1FU;
    if (exponent == 0x1F) {
        return taco__num_format_nonfinite(dst, bits >> 15 != 0, fraction != 0);
    }
    return taco__num_format_binary(dst, bits >> 15 != 0, exponent, fraction, 10, 25);
}
/* IEEE binary16 to a float, exactly; NaN payloads are kept. */
TACO__FN float taco__num_f16_to_f32(uint16_t bits)
{
    uint32_t sign = (uint32_t)(bits >> 15) << 31, exponent = (bits >> 10) & 0x1FU,
             fraction = bits & 0x3FFU;
    if (exponent == 0x1F) {
        return taco__f32_from_bits(sign | 0x7F800000U | fraction << 13);
    }
    if (exponent == 0) {
        float f = (float)fraction / 16777216.0F; /* 2^-24, both exact */
        return taco__f32_from_bits(sign | taco__f32_to_bits(f));
    }
    return taco__f32_from_bits(sign | (exponent + 112) << 23 | fraction << 13);
}

/* ---- the grammars ---- */

TACO__INLINE bool taco__ascii_is_digit(uint8_t c)
{
    return (uint8_t)(c - '0') < 10;
}
TACO__INLINE size_t taco__num_scan_digits(taco_bytes b, size_t i)
{
    while (i < b.len && taco__ascii_is_digit(b.data[i])) {
        i++;
    }
    return i;
}
/* Two grammars differ in what they let pass: JSON's is strict, since a lax reader hides a broken writer; SQL's takes what
   people type, without a sign, which is an operator there. Neither takes hex, underscores, spaces or a locale's comma. */

/* Steps over an exponent at i, or returns i where there is none, or none that is whole. */
TACO__FN size_t taco__num_scan_exponent(taco_bytes b, size_t i)
{
    size_t j = i, end;
    if (j >= b.len || (b.data[j] | 0x20) != 'e') {
        return i;
    }
    j++;
    j += j < b.len && (b.data[j] == '+' || b.data[j] == '-');
    end = taco__num_scan_digits(b, j);
    return end > j ? end : i;
}
/* Length of the JSON number (RFC 8259 §6) b begins with; 0 when there is none or when it is cut short, as `1.`, `1e`,
   `-` and `01` are. *integral is set where it has neither fraction nor exponent. */
TACO__FN size_t taco__num_scan_json(taco_bytes b, bool *integral)
{
    size_t i = b.len && b.data[0] == '-', first = i, end;
    *integral = true;
    i = taco__num_scan_digits(b, i);
    if (i == first || (b.data[first] == '0' && i > first + 1)) {
        return 0;
    }
    if (i < b.len && b.data[i] == '.') {
        *integral = false;
        end = taco__num_scan_digits(b, i + 1);
        if (end == i + 1) {
            return 0;
        }
        i = end;
    }
    if (i < b.len && (b.data[i] | 0x20) == 'e') {
        *integral = false;
        end = taco__num_scan_exponent(b, i);
        return end > i ? end : 0;
    }
    return i;
}
/* Length of the SQL numeric literal b begins with: `12`, `1.5`, `.5`, `5.`, `1e6`, no sign; 0 when there is none. */
TACO__FN size_t taco__num_scan_sql(taco_bytes b, bool *integral)
{
    size_t whole = taco__num_scan_digits(b, 0), i = whole, end;
    *integral = true;
    if (i < b.len && b.data[i] == '.') {
        i = taco__num_scan_digits(b, i + 1);
        if (whole == 0 && i == 1) {
            return 0;
        }
        *integral = false;
    }
    if (i == 0) {
        return 0;
    }
    end = taco__num_scan_exponent(b, i);
    *integral = *integral && end == i;
    return end;
}

/* ---- text to integers ---- */

/* All of b is digits and the value fits; no sign, no spaces. *out is untouched on failure. */
TACO__FN bool taco__num_parse_u64(taco_bytes b, uint64_t *out)
{
    uint64_t x = 0;
    size_t   i;
    for (i = 0; i < b.len; i++) {
        uint32_t d = (uint32_t)b.data[i] - '0';
        if (d > 9 || x > UINT64_MAX / 10 || (x == UINT64_MAX / 10 && d > UINT64_MAX % 10)) {
            return false;
        }
        x = x * 10 + d;
    }
    if (b.len) {
        *out = x;
    }
    return b.len > 0;
}
TACO__FN bool taco__num_parse_i64(taco_bytes b, int64_t *out) /* the same with an optional '-' */
{
    bool     negative = b.len > 0 && b.data[0] == '-';
    uint64_t x;
    if (b.len == 0 ||
        !taco__num_parse_u64(taco__bytes_of(b.data + negative, b.len - negative), &x) ||
        x > (uint64_t)INT64_MAX + negative) {
        return false;
    }
    *out = negative ? (int64_t)(0 - x) : (int64_t)x;
    return true;
}

/* ---- decimal text to binary floating point ---- */

/* As Eisel and Lemire showed, 19 digits times a 128-bit power of ten nearly always decide the rounding. Here the product is
   taken as an interval, whose ends are rounded both; only where they differ, the number lies so near a halfway point that
   all its digits are needed, and these are compared with it exactly. So the result is right for any error bound that is,
   and the bound is easy: the table is never more than 3 units off. */

typedef struct taco__num_parse_format { /* bits of the significand, exponents of 1.0-like values */
    int32_t significand, least, greatest;
} taco__num_parse_format;

typedef struct
    taco__num_parse_digits { /* the digits of a number as text: all of them * 10^exponent */
    const uint8_t *at,
        *end; /* a point may be among them, and zeros in front unless there are more than 19 */
    int64_t  count, exponent;
    uint64_t first; /* the first 19 of them, or all */
    bool     more;  /* others than 0 follow those */
} taco__num_parse_digits;

#define TACO__NUM_PARSE_MAX_DIGITS 800 /* a halfway point between two doubles has at most 767 */
#define TACO__BIGNUM_LIMBS                                                                         \
    144 /* of 32 bits: 801 digits take 84, 2^54 * 5^1125 takes 84, and the two sides are near each other */

typedef struct taco__bignum {
    uint32_t n, limb[TACO__BIGNUM_LIMBS]; /* least significant first */
} taco__bignum;

/* b = b * by + add. The room is enough by the bounds above; a carry beyond it would be dropped, never written. */
TACO__FN void taco__bignum_mul(taco__bignum *b, uint32_t by, uint32_t add)
{
    uint64_t carry = add;
    uint32_t i;
    for (i = 0; i < b->n; i++) {
        carry += (uint64_t)b->limb[i] * by;
        b->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry && b->n < TACO__BIGNUM_LIMBS) {
        b->limb[b->n++] = (uint32_t)carry;
    }
}
TACO__FN void taco__bignum_mul_pow5(taco__bignum *b, int64_t p)
{
    for (; p >= 13; p -= 13) {
        taco__bignum_mul(b, 1220703125U, 0);
    }
    for (; p > 0; p--) {
        taco__bignum_mul(b, 5, 0);
    }
}
/* b = b * 2^bits: whole limbs are moved, the rest is a product. */
TACO__FN void taco__bignum_shift(taco__bignum *b, int64_t bits)
{
    uint32_t limbs = (uint32_t)(bits / 32), i;
    taco__bignum_mul(b, 1U << (bits % 32), 0);
    if (!limbs || b->n + limbs > TACO__BIGNUM_LIMBS) {
        return;
    }
    for (i = b->n; i-- > 0;) {
        b->limb[i + limbs] = b->limb[i];
    }
    memset(b->limb, 0, limbs * sizeof b->limb[0]);
    b->n += limbs;
}
/* < 0, 0, > 0. Leading limbs are never 0, so the longer is the greater. */
TACO__FN int taco__bignum_compare(const taco__bignum *a, const taco__bignum *b)
{
    uint32_t i;
    if (a->n != b->n) {
        return a->n < b->n ? -1 : 1;
    }
    for (i = a->n; i-- > 0;) {
        if (a->limb[i] != b->limb[i]) {
            return a->limb[i] < b->limb[i] ? -1 : 1;
        }
    }
    return 0;
}
/* The first 19 digits of more than 19, zeros in front not counted. */
TACO__COLD void taco__num_parse_truncate(taco__num_parse_digits *d)
{
    const uint8_t *p;
    int64_t        all = d->count, zeros = 0, taken = 0;
    d->first = 0;
    for (p = d->at; p < d->end; p++) {
        if (*p == '.') {
            continue;
        }
        if (taken == 0 && *p == '0') {
            zeros++;
            d->at = p + 1;
        } else if (taken < 19) {
            d->first = d->first * 10 + (uint64_t)(*p - '0');
            taken++;
        } else if (*p != '0') {
            d->more = true;
            break;
        }
    }
    d->count = all - zeros;
}
/* Reads the exponent at p, steps over it, and returns it; 0 and no step where there is none. */
TACO__FN int64_t taco__num_parse_exponent(const uint8_t **at, const uint8_t *end)
{
    const uint8_t *p = *at + 1;
    int64_t        x = 0;
    bool           negative = p < end && *p == '-';
    p += negative || (p < end && *p == '+');
    if (p == end || !taco__ascii_is_digit(*p)) {
        return 0;
    }
    for (; p < end && taco__ascii_is_digit(*p);
         p++) { /* the cap lies beyond what any count of zeros in memory balances */
        if (x < (INT64_C(1) << 56)) {
            x = x * 10 + (*p - '0');
        }
    }
    *at = p;
    return negative ? -x : x;
}
/* Takes all of b, behind its sign, for a number: `12`, `1.5`, `.5`, `5.`, `1e6`. False when it is none. */
TACO__FN bool taco__num_parse_text(taco_bytes b, taco__num_parse_digits *d)
{
    const uint8_t *p = b.data, *end = p + b.len, *point = NULL;
    uint64_t       x = 0;
    d->more = false;
    d->exponent = 0;
    d->at = p;
    for (; p < end && taco__ascii_is_digit(*p); p++) {
        x = x * 10 + (uint64_t)(*p - '0');
    }
    d->count = p - d->at;
    if (p < end && *p == '.') {
        point = ++p;
        for (; p < end && taco__ascii_is_digit(*p); p++) {
            x = x * 10 + (uint64_t)(*p - '0');
        }
        d->count += p - point;
        d->exponent = -(int64_t)(p - point);
    }
    if (d->count == 0) {
        return false;
    }
    d->end = p;
    d->first = x;
    if (p < end && (*p | 0x20) == 'e') {
        d->exponent += taco__num_parse_exponent(&p, end);
    }
    if (d->count > 19) {
        taco__num_parse_truncate(d);
    }
    return p == end;
}
/* Rounds m * 2^(top - 63), where the top bit of m is set, `rest` telling that more follows below it, to nearest-even. */
TACO__FN uint64_t taco__num_parse_round(uint64_t m, bool rest, int32_t top,
                                        const taco__num_parse_format *f)
{
    int32_t  keep = top >= f->least ? f->significand : f->significand - (f->least - top);
    uint64_t infinity = (uint64_t)(f->greatest - f->least + 2) << (f->significand - 1), bits, below;
    if (keep < 0) {
        return 0;
    }
    if (top > f->greatest) {
        return infinity;
    }
    bits = keep ? m >> (64 - keep) : 0;
    below = m << keep; /* the bits that go, the half at the top */
    if (top >= f->least) {
        bits += (uint64_t)(top - f->least)
                << (f->significand - 1); /* the top bit itself adds the 1 of the exponent */
    }
    if (below >> 63 && (below << 1 || rest || (bits & 1))) {
        bits++; /* a carry into the exponent is right, up to infinity */
    }
    return bits;
}
/* Rounds w * 10^p, 10^p taken as the upper bound, or where `lower` as a lower bound that is never above the truth.
   *sure is set when both would round alike. */
TACO__FN uint64_t taco__num_parse_round_product(uint64_t w, const taco__num_power_of_10 *power,
                                                bool lower, bool *sure,
                                                const taco__num_parse_format *f)
{
    unsigned lead = taco__plat_clz64(w);
    uint64_t carry, high, mid, low;
    int32_t  top = 64 + power->exponent - (int32_t)lead;
    w <<= lead;
    low = taco__plat_mul64(w, power->low, &carry);
    mid = taco__plat_mul64(w, power->high, &high);
    mid += carry;
    high += mid < carry;
    *sure = (mid & (UINT64_MAX >> 1)) >
            3;   /* taking 3 away changes nothing above, and something is left */
    if (lower) { /* 3 units of power->low times w are less than 3 of mid */
        high -= mid < 3;
        mid -= 3;
    }
    if (!(high >> 63)) {
        high = high << 1 | mid >> 63;
        mid <<= 1;
        top--;
    }
    return taco__num_parse_round(high, (mid | low) != 0, top, f);
}
/* The digits lie between two neighbours, `bits` and the next: compares them with the point halfway, exactly. */
TACO__COLD uint64_t taco__num_parse_exact(const taco__num_parse_digits *d, uint64_t bits,
                                          const taco__num_parse_format *f)
{
    taco__bignum   have, half;
    const uint8_t *p;
    uint64_t       c = bits & (((uint64_t)1 << (f->significand - 1)) - 1),
             biased = bits >> (f->significand - 1);
    int64_t q = f->least - f->significand + 1 + (int64_t)(biased ? biased - 1 : 0), taken = 0, ten;
    int     order;
    c = 2 * (biased ? c | (uint64_t)1 << (f->significand - 1) : c) + 1; /* half = c * 2^(q - 1) */
    q--;
    have.n = 0;
    for (p = d->at; p < d->end && taken < TACO__NUM_PARSE_MAX_DIGITS; p++) {
        if (*p != '.') {
            taco__bignum_mul(&have, 10, (uint32_t)(*p - '0'));
            taken++;
        }
    }
    ten = d->exponent + (d->count - taken);
    for (; p < d->end; p++) {
        if (*p != '.' &&
            *p !=
                '0') { /* more than 800 digits: no halfway point has so many, any excess decides */
            taco__bignum_mul(&have, 10, 1);
            ten--;
            break;
        }
    }
    half.n = 2;
    half.limb[0] = (uint32_t)c;
    half.limb[1] = (uint32_t)(c >> 32);
    half.n -= half.limb[1] == 0;
    taco__bignum_mul_pow5(ten > 0 ? &have : &half, ten > 0 ? ten : -ten);
    taco__bignum_shift(ten > q ? &have : &half, ten > q ? ten - q : q - ten);
    order = taco__bignum_compare(&have, &half);
    return bits + (order > 0 || (order == 0 && (bits & 1)));
}
/* The bits of the nearest number of a format, without the sign. */
TACO__FN uint64_t taco__num_parse_nearest(const taco__num_parse_digits *d,
                                          const taco__num_parse_format *f)
{
    taco__num_power_of_10 power;
    uint64_t              upper, lower;
    bool                  exact, sure;
    int64_t               p = d->exponent + (d->count > 19 ? d->count - 19 : 0);
    if (d->first == 0 ||
        p < -342) { /* below 10^19 * 10^-343, which is less than half the least double */
        return 0;
    }
    if (p > 308) {
        return (uint64_t)(f->greatest - f->least + 2) << (f->significand - 1);
    }
    power = taco__num_pow10((int32_t)p);
    exact = p >= 0 && p <= 55;
    upper = taco__num_parse_round_product(d->first + d->more, &power, false, &sure, f);
    if (!d->more && (exact || sure)) {
        return upper;
    }
    lower = taco__num_parse_round_product(d->first, &power, !exact, &sure, f);
    return upper == lower ? upper : taco__num_parse_exact(d, lower, f);
}
/* The double nearest to the number b spells, ties to even: an optional sign, then all of b is an SQL or JSON number.
   Beyond the largest it is infinite, below the least it is 0. False when b spells no number. */
TACO__FN bool taco__num_parse_f64(taco_bytes b, double *out)
{
    static const taco__num_parse_format binary64 = {53, -1022, 1023};
    size_t                              sign = b.len && (b.data[0] == '-' || b.data[0] == '+');
    taco__num_parse_digits              d;
    if (b.len == sign || !taco__num_parse_text(taco__bytes_of(b.data + sign, b.len - sign), &d)) {
        return false;
    }
    *out = taco__f64_from_bits(taco__num_parse_nearest(&d, &binary64) |
                               (uint64_t)(sign && b.data[0] == '-') << 63);
    return true;
}
TACO__FN bool taco__num_parse_f32(taco_bytes b,
                                  float     *out) /* the float nearest to it, rounded once */
{
    static const taco__num_parse_format binary32 = {24, -126, 127};
    size_t                              sign = b.len && (b.data[0] == '-' || b.data[0] == '+');
    taco__num_parse_digits              d;
    if (b.len == sign || !taco__num_parse_text(taco__bytes_of(b.data + sign, b.len - sign), &d)) {
        return false;
    }
    *out = taco__f32_from_bits((uint32_t)taco__num_parse_nearest(&d, &binary32) |
                               (uint32_t)(sign && b.data[0] == '-') << 31);
    return true;
}

/* ---- decimals: two's complement integers with a scale ---- */

#define TACO__DECIMAL_MAX_BYTES 1024 /* of one value, sign bytes not counted: 2,466 digits */
#define TACO__DECIMAL_MAX_SCALE 10000
#define TACO__DECIMAL_CHARS     2488 /* 9 * ceil(1024 * 8 * log10(2) / 9), and a margin */

/* A decimal of 16 bytes is the common one, and nearly always one of 8: this has a quick way. Longer ones are divided by 10^9
   until nothing is left, which takes time as the square of their length and so has a limit. */

/* Writes the magnitude in limb[0..n), least significant first, in front of end; the limbs are used up. */
TACO__FN char *taco__decimal_format_limbs(char *end, uint32_t *limb, size_t n)
{
    char *p = end;
    while (n && limb[n - 1] == 0) {
        n--;
    }
    while (n > 2) {
        uint64_t rest = 0;
        size_t   i;
        for (i = n; i-- > 0;) {
            rest = rest << 32 | limb[i];
            limb[i] = (uint32_t)(rest / 1000000000);
            rest %= 1000000000;
        }
        while (n && limb[n - 1] == 0) {
            n--;
        }
        p -= 9;
        p[0] = (char)('0' + rest / 100000000);
        taco__num_put8(p + 1, (uint32_t)(rest % 100000000));
    }
    if (n || p == end) {
        char     head[20];
        uint64_t x = (n > 0 ? limb[0] : 0) | (uint64_t)(n > 1 ? limb[1] : 0) << 32;
        size_t   len = taco__num_format_u64(head, x);
        p -= len;
        memcpy(p, head, len);
    }
    return p;
}
/* Appends sign, digits and the point: exactly `scale` digits behind it, at least one before. */
TACO__FN bool taco__decimal_append_digits(taco__buf *out, bool negative, const char *digits,
                                          size_t n, int32_t scale, taco_error *err)
{
    size_t s = scale > 0 ? (size_t)scale : 0, whole = n > s ? n - s : 0;
    char  *p;
    if (s > TACO__DECIMAL_MAX_SCALE) {
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                   "decimal of scale %u, at most %u is written as text", TACO__U(s),
                   TACO__U(TACO__DECIMAL_MAX_SCALE));
        return false;
    }
    if (!taco__buf_reserve(out, 3 + n + s, err)) {
        return false;
    }
    p = (char *)out->data + out->len;
    if (negative) {
        *p++ = '-';
    }
    if (whole) {
        memcpy(p, digits, whole);
        p += whole;
    } else {
        *p++ = '0';
    }
    if (s) {
        *p++ = '.';
        if (n < s) {
            memset(p, '0', s - n);
            p += s - n;
        }
        memcpy(p, digits + whole, n - whole);
        p += n - whole;
    }
    out->len = (size_t)((uint8_t *)p - out->data);
    return true;
}
/* The digits of a big-endian two's complement integer in front of `end`, where TACO__DECIMAL_CHARS bytes are free.
   NULL when it is too long: the conversion takes time as the square of the length. */
TACO__FN char *taco__decimal_format_magnitude(char *end, taco_bytes b, bool *negative,
                                              taco_error *err)
{
    uint32_t limb[TACO__DECIMAL_MAX_BYTES / 4 + 1];
    uint8_t  fill = b.len && b.data[0] >> 7 ? 0xFF : 0;
    bool     carry = fill != 0;
    size_t   i, n;
    *negative = carry;
    while (b.len && b.data[0] == fill) { /* the sign is known, sign bytes say nothing more */
        b.data++;
        b.len--;
    }
    if (b.len > TACO__DECIMAL_MAX_BYTES) {
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                   "decimal of %u bytes, at most %u are converted", TACO__U(b.len),
                   TACO__U(TACO__DECIMAL_MAX_BYTES));
        return NULL;
    }
    n = b.len / 4 + 1;
    memset(limb, 0, n * sizeof limb[0]);
    for (i = 0; i < b.len; i++) {
        limb[i / 4] |= (uint32_t)(uint8_t)(b.data[b.len - 1 - i] ^ fill) << (8 * (i % 4));
    }
    for (i = 0; i < n && carry; i++) { /* -x = ~x + 1 */
        carry = ++limb[i] == 0;
    }
    return taco__decimal_format_limbs(end, limb, n);
}
/* Appends a big-endian two's complement decimal of any length as text; no bytes are 0. A scale below 1 adds nothing. */
TACO__FN bool taco__decimal_append_be(taco__buf *out, taco_bytes b, int32_t scale, taco_error *err)
{
    char text[TACO__DECIMAL_CHARS], *end = text + sizeof text, *p;
    bool negative;
    p = taco__decimal_format_magnitude(end, b, &negative, err);
    return p && taco__decimal_append_digits(out, negative, p, (size_t)(end - p), scale, err);
}
/* Appends a little-endian two's complement decimal of `width` bytes, at most 32, as text. */
TACO__FN bool taco__decimal_append_le(taco__buf *out, const uint8_t *le, int32_t width,
                                      int32_t scale, taco_error *err)
{
    uint8_t be[32];
    size_t  n = width > 0 ? TACO__MIN((size_t)width, sizeof be) : 0, i;
    uint8_t sign = n && le[n - 1] >> 7 ? 0xFF : 0;
    for (i = 8; i < n && le[i] == sign; i++) {
    }
    if (i == n && (le[7] ^ sign) < 0x80) { /* fits an int64_t, as nearly all do */
        uint64_t x = taco__load_le64(le);
        char     text[20];
        size_t   len = taco__num_format_u64(text, sign ? 0 - x : x);
        return taco__decimal_append_digits(out, sign != 0, text, len, scale, err);
    }
    for (i = 0; i < n; i++) {
        be[i] = le[n - 1 - i];
    }
    return taco__decimal_append_be(out, taco__bytes_of(be, n), scale, err);
}
/* The double nearest to such a decimal, big-endian; 0 when it is too long to convert. */
TACO__FN double taco__decimal_be_to_f64(taco_bytes b, int32_t scale)
{
    static const taco__num_parse_format binary64 = {53, -1022, 1023};
    char                                text[TACO__DECIMAL_CHARS], *end = text + sizeof text, *p;
    taco__num_parse_digits              d;
    bool                                negative;
    p = taco__decimal_format_magnitude(end, b, &negative, NULL);
    if (!p) {
        return 0;
    }
    taco__num_parse_text(taco__bytes_of(p, (size_t)(end - p)), &d);
    d.exponent = -(int64_t)scale;
    return taco__f64_from_bits(taco__num_parse_nearest(&d, &binary64) | (uint64_t)negative << 63);
}
TACO__FN double taco__decimal_le_to_f64(const uint8_t *le, int32_t width,
                                        int32_t scale) /* and little-endian, at most 32 */
{
    uint8_t be[32];
    size_t  n = width > 0 ? TACO__MIN((size_t)width, sizeof be) : 0, i;
    for (i = 0; i < n; i++) {
        be[i] = le[n - 1 - i];
    }
    return taco__decimal_be_to_f64(taco__bytes_of(be, n), scale);
}

/* ---- UTF-8 ---- */

/* Length of the well-formed character at p, RFC 3629 §4: no overlong forms, no surrogates, nothing above U+10FFFF.
   Otherwise 0, and *bad is how many bytes make up the broken one: the longest that could have begun a character. */
TACO__FN size_t taco__utf8_char(const uint8_t *p, size_t left, size_t *bad)
{
    uint8_t c = p[0], low = 0x80, high = 0xBF;
    size_t  need, i;
    *bad = 1;
    if (c < 0x80) {
        return 1;
    }
    if (c < 0xC2 || c > 0xF4) {
        return 0;
    }
    need = c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
    low = c == 0xE0 ? 0xA0 : c == 0xF0 ? 0x90 : low;
    high = c == 0xED ? 0x9F : c == 0xF4 ? 0x8F : high;
    for (i = 1; i < need; i++) {
        if (i >= left || p[i] < low || p[i] > high) {
            *bad = i;
            return 0;
        }
        low = 0x80;
        high = 0xBF;
    }
    return need;
}
/* True when b is well-formed UTF-8. */
TACO__FN bool taco__utf8_valid(taco_bytes b)
{
    size_t i = 0, bad, n;
    while (i < b.len) {
        uint64_t x;
        if (b.len - i >= 8) {
            memcpy(&x, b.data + i, 8);
            if (!(x & UINT64_C(0x8080808080808080))) {
                i += 8;
                continue;
            }
        }
        do { /* as far as the next ASCII character, so that other scripts do not try 8 at each letter */
            n = b.data[i] < 0x80 ? 1 : taco__utf8_char(b.data + i, b.len - i, &bad);
            if (!n) {
                return false;
            }
            i += n;
        } while (i < b.len && (n > 1 || b.len - i < 8));
    }
    return true;
}
