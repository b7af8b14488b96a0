/* number_parse.c - text to integers and floating point, rounded correctly, independent of the
   locale

   Numbers come from JSON, from queries and from casts of text. taco__num_scan_ finds how far a
   number reaches in a grammar; taco__num_parse_ converts one that takes all of its bytes. As Eisel
   and Lemire showed, 19 digits times a 128-bit power of ten nearly always decide the rounding. Here
   the product is taken as an interval, both ends of which are rounded; only where they differ is
   the number so near a halfway point that all its digits are needed, and these are compared with it
   exactly, with big integers. So the result is right for any error bound that is, and the bound is
   easy: taco__num_pow10 is never more than 3 units off. With TACO_SMALL big integers do all of it,
   slowly. Start with taco__num_parse_nearest. IEEE 754; RFC 8259 §6. */
#include "base.h"

/* ---- grammars ---- */

/* Where the digits end that begin at i. */
TACO__INLINE size_t taco__num_scan_digits(taco_bytes b, size_t i)
{
    while (i < b.len && taco__ascii_is_digit(b.data[i])) {
        i++;
    }
    return i;
}

/* The grammars differ in strictness: JSON's is strict, because a lax reader hides a broken writer;
   SQL's accepts what people type, without a sign, which is an operator there. Neither accepts hex,
   underscores, spaces or a locale's comma. */

/* Skips an exponent at i; returns i if there is none, or it is incomplete. */
static size_t taco__num_scan_exponent(taco_bytes b, size_t i)
{
    size_t j = i, end;
    if (j >= b.len || (b.data[j] | 0x20) != 'e') { return i; }
    j++;
    j += j < b.len && (b.data[j] == '+' || b.data[j] == '-');
    end = taco__num_scan_digits(b, j);
    return end > j ? end : i;
}

/* Length of the JSON number (RFC 8259 §6) that b begins with; 0 if there is none or it is
   incomplete, like `1.`, `1e`, `-` and `01`. *integral is set if it has neither fraction nor
   exponent. */
TACO__FN size_t taco__num_scan_json(taco_bytes b, bool *integral)
{
    size_t i = b.len && b.data[0] == '-', first = i, end;
    *integral = true;
    i = taco__num_scan_digits(b, i);
    if (i == first || (b.data[first] == '0' && i > first + 1)) { return 0; }
    if (i < b.len && b.data[i] == '.') {
        *integral = false;
        end = taco__num_scan_digits(b, i + 1);
        if (end == i + 1) { return 0; }
        i = end;
    }
    if (i < b.len && (b.data[i] | 0x20) == 'e') {
        *integral = false;
        end = taco__num_scan_exponent(b, i);
        return end > i ? end : 0;
    }
    return i;
}

/* Length of the SQL numeric literal that b begins with: `12`, `1.5`, `.5`, `5.`, `1e6`, no sign; 0
   if there is none. */
TACO__FN size_t taco__num_scan_sql(taco_bytes b, bool *integral)
{
    size_t whole = taco__num_scan_digits(b, 0), i = whole, end;
    *integral = true;
    if (i < b.len && b.data[i] == '.') {
        i = taco__num_scan_digits(b, i + 1);
        if (whole == 0 && i == 1) { return 0; }
        *integral = false;
    }
    if (i == 0) { return 0; }
    end = taco__num_scan_exponent(b, i);
    *integral = *integral && end == i;
    return end;
}

/* ---- text to integers ---- */

/* All of b is digits and the value fits; no sign, no spaces. *out is untouched on failure. */
TACO__FN bool taco__num_parse_u64(taco_bytes b, uint64_t *out)
{
    uint64_t x = 0;
    size_t i;
    for (i = 0; i < b.len; i++) {
        uint32_t d = (uint32_t)b.data[i] - '0';
        if (d > 9 || x > UINT64_MAX / 10 || (x == UINT64_MAX / 10 && d > UINT64_MAX % 10)) {
            return false;
        }
        x = x * 10 + d;
    }
    if (b.len) { *out = x; }
    return b.len > 0;
}

/* The same with an optional '-' before it. */
TACO__FN bool taco__num_parse_i64(taco_bytes b, int64_t *out)
{
    bool negative = b.len > 0 && b.data[0] == '-';
    uint64_t x;
    if (b.len == 0 ||
        !taco__num_parse_u64(taco__bytes_of(b.data + negative, b.len - negative), &x) ||
        x > (uint64_t)INT64_MAX + negative) {
        return false;
    }
    *out = negative ? (int64_t)(0 - x) : (int64_t)x;
    return true;
}

/* ---- big integers, for the few numbers near a halfway point ---- */

#define TACO__NUM_PARSE_MAX_DIGITS 800 /* a halfway point between two doubles has at most 767 */
/* Limbs of 32 bits: 801 digits take 84, 2^54 * 5^1125 takes 84, and the two sides of a comparison
   are near each other. */
#define TACO__BIGNUM_LIMBS 144

typedef struct taco__bignum {
    uint32_t n, limb[TACO__BIGNUM_LIMBS]; /* least significant first */
} taco__bignum;

/* b = b * by + add. The bounds above make sure that it fits; a carry beyond would be dropped, never
   written. */
static TACO__NOINLINE void taco__bignum_mul(taco__bignum *b, uint32_t by, uint32_t add)
{
    uint64_t carry = add;
    uint32_t i;
    for (i = 0; i < b->n; i++) {
        carry += (uint64_t)b->limb[i] * by;
        b->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry && b->n < TACO__BIGNUM_LIMBS) { b->limb[b->n++] = (uint32_t)carry; }
}

/* b = b * 5^p; 5^13 is the greatest power in 32 bits. */
static void taco__bignum_mul_pow5(taco__bignum *b, int64_t p)
{
    for (; p >= 13; p -= 13) {
        taco__bignum_mul(b, 1220703125U, 0);
    }
    for (; p > 0; p--) {
        taco__bignum_mul(b, 5, 0);
    }
}

/* b = b * 2^bits: whole limbs are moved, the rest is a product. */
static TACO__NOINLINE void taco__bignum_shift(taco__bignum *b, int64_t bits)
{
    uint32_t limbs = (uint32_t)(bits / 32), i;
    taco__bignum_mul(b, 1U << (bits % 32), 0);
    if (!limbs || b->n + limbs > TACO__BIGNUM_LIMBS) { return; }
    for (i = b->n; i-- > 0;) {
        b->limb[i + limbs] = b->limb[i];
    }
    memset(b->limb, 0, limbs * sizeof b->limb[0]);
    b->n += limbs;
}

/* < 0, 0, > 0. Leading limbs are never 0, so the longer is the greater. */
static int taco__bignum_compare(const taco__bignum *a, const taco__bignum *b)
{
    uint32_t i;
    if (a->n != b->n) { return a->n < b->n ? -1 : 1; }
    for (i = a->n; i-- > 0;) {
        if (a->limb[i] != b->limb[i]) { return a->limb[i] < b->limb[i] ? -1 : 1; }
    }
    return 0;
}

#ifdef TACO_SMALL
/* a = a - b, where b is not larger. */
static void taco__bignum_subtract(taco__bignum *a, const taco__bignum *b)
{
    uint64_t borrow = 0;
    uint32_t i;
    for (i = 0; i < a->n; i++) {
        borrow = a->limb[i] - (i < b->n ? b->limb[i] : (uint64_t)0) - borrow;
        a->limb[i] = (uint32_t)borrow;
        borrow >>= 63;
    }
    while (a->n && a->limb[a->n - 1] == 0) {
        a->n--;
    }
}

static TACO__NOINLINE int64_t taco__bignum_bits(const taco__bignum *a)
{
    return 32 * (int64_t)a->n + 32 - (int64_t)taco__plat_clz64(a->limb[a->n - 1]);
}
#endif

/* ---- decimal text ---- */

/* The first 19 digits of more than 19, leading zeros not counted. */
static TACO__COLD void taco__num_parse_truncate(taco__num_parse_digits *d)
{
    const uint8_t *p;
    int64_t all = d->count, zeros = 0, used = 0;
    d->first = 0;
    for (p = d->at; p < d->end; p++) {
        if (*p == '.') { continue; }
        if (used == 0 && *p == '0') {
            zeros++;
            d->at = p + 1;
        } else if (used < 19) {
            d->first = d->first * 10 + (uint64_t)(*p - '0');
            used++;
        } else if (*p != '0') {
            d->more = true;
            break;
        }
    }
    d->count = all - zeros;
}

/* Reads the exponent that begins with the 'e' at *at, and skips it; 0 without skipping if no digit
   follows. */
static int64_t taco__num_parse_exponent(const uint8_t **at, const uint8_t *end)
{
    const uint8_t *p = *at + 1;
    int64_t x = 0;
    bool negative = p < end && *p == '-';
    p += negative || (p < end && *p == '+');
    if (p == end || !taco__ascii_is_digit(*p)) { return 0; }
    /* the cap lies beyond what any count of zeros in memory balances */
    for (; p < end && taco__ascii_is_digit(*p); p++) {
        if (x < (INT64_C(1) << 56)) { x = x * 10 + (*p - '0'); }
    }
    *at = p;
    return negative ? -x : x;
}

/* Reads all of b, the part after its sign, as a number: `12`, `1.5`, `.5`, `5.`, `1e6`. False when
   it is none. */
TACO__FN bool taco__num_parse_text(taco_bytes b, taco__num_parse_digits *d)
{
    const uint8_t *p = b.data, *end = p + b.len, *point = NULL;
    uint64_t x = 0;
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
    if (d->count == 0) { return false; }
    d->end = p;
    d->first = x;
    if (p < end && (*p | 0x20) == 'e') { d->exponent += taco__num_parse_exponent(&p, end); }
    if (d->count > 19) { taco__num_parse_truncate(d); }
    return p == end;
}

/* ---- rounding ---- */

/* A binary format: the bits of its significand, the leading one included, and the exponents of its
   least and greatest normal numbers as 1.x * 2^e. */
typedef struct taco__num_parse_format {
    int32_t significand, least, greatest;
} taco__num_parse_format;

static const taco__num_parse_format taco__num_parse_binary64 = {53, -1022, 1023};
static const taco__num_parse_format taco__num_parse_binary32 = {24, -126, 127};

/* The bits of infinity: an exponent one above the largest, with fraction 0. */
static uint64_t taco__num_parse_infinity(const taco__num_parse_format *f)
{
    return (uint64_t)(f->greatest - f->least + 2) << (f->significand - 1);
}

/* Rounds m * 2^(top - 63), where the top bit of m is set, to nearest-even; `rest`: more bits follow
   below m. Below the least normal number the format has fewer bits to give. */
static uint64_t taco__num_parse_round(uint64_t m, bool rest, int32_t top,
                                      const taco__num_parse_format *f)
{
    int32_t width = top >= f->least ? f->significand : f->significand - (f->least - top);
    uint64_t bits, below;
    if (width < 0) { return 0; }
    if (top > f->greatest) { return taco__num_parse_infinity(f); }
    bits = width ? m >> (64 - width) : 0;
    below = m << width; /* the bits that are cut off, one half at the top */
    if (top >= f->least) {
        bits += (uint64_t)(top - f->least)
                << (f->significand - 1); /* the top bit itself adds the 1 of the exponent */
    }
    if (below >> 63 && (below << 1 || rest || (bits & 1))) {
        bits++; /* a carry into the exponent is right, up to infinity */
    }
    return bits;
}

#ifndef TACO_SMALL
/* Rounds w * 10^p, with the upper bound of 10^p, or if `lower` with a lower bound. *sure is set
   when both would round alike. */
static uint64_t taco__num_parse_round_product(uint64_t w, const taco__num_power_of_10 *power,
                                              bool lower, bool *sure,
                                              const taco__num_parse_format *f)
{
    unsigned lead = taco__plat_clz64(w);
    uint64_t carry, high, mid, low;
    int32_t top = 64 + power->exponent - (int32_t)lead;
    w <<= lead;
    low = taco__plat_mul64(w, power->low, &carry);
    mid = taco__plat_mul64(w, power->high, &high);
    mid += carry;
    high += mid < carry;
    /* 3 less in mid changes nothing above it, and is not 0 */
    *sure = (mid & (UINT64_MAX >> 1)) > 3;
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

#endif

/* All digits of a number as a big integer; returns the exponent of ten of its last digit. Of more
   than 800 digits the rest counts as one that is not 0: no halfway point has so many, any excess
   decides. */
static int64_t taco__num_parse_bignum(const taco__num_parse_digits *d, taco__bignum *b)
{
    const uint8_t *p;
    int64_t used = 0;
    b->n = 0;
    for (p = d->at; p < d->end && used < TACO__NUM_PARSE_MAX_DIGITS; p++) {
        if (*p != '.') {
            taco__bignum_mul(b, 10, (uint32_t)(*p - '0'));
            used++;
        }
    }
    for (; p < d->end; p++) {
        if (*p != '.' && *p != '0') {
            taco__bignum_mul(b, 10, 1);
            return d->exponent + (d->count - used) - 1;
        }
    }
    return d->exponent + (d->count - used);
}

#ifdef TACO_SMALL
/* The bits of the nearest number of a format, without the sign: all digits times 10^p, divided bit
   by bit. */
static uint64_t taco__num_parse_scale(const taco__num_parse_digits *d, int64_t p,
                                      const taco__num_parse_format *f)
{
    taco__bignum a, b;
    uint64_t m = 0;
    int64_t top, ten = taco__num_parse_bignum(d, &a);
    int i;
    (void)p;
    b.n = 1;
    b.limb[0] = 1;
    taco__bignum_mul_pow5(ten > 0 ? &a : &b, ten > 0 ? ten : -ten);
    /* a / b * 2^(top + ten) is the number, and a / b is between 1/2 and 2 */
    top = taco__bignum_bits(&a) - taco__bignum_bits(&b);
    taco__bignum_shift(top > 0 ? &b : &a, top > 0 ? top : -top);
    if (taco__bignum_compare(&a, &b) < 0) {
        taco__bignum_shift(&a, 1);
        top--;
    }
    for (i = 0; i < 64; i++) {
        m <<= 1;
        if (taco__bignum_compare(&a, &b) >= 0) {
            taco__bignum_subtract(&a, &b);
            m |= 1;
        }
        taco__bignum_shift(&a, 1);
    }
    return taco__num_parse_round(m, a.n != 0, (int32_t)(top + ten), f);
}
#else
/* The digits lie between two neighbours, `bits` and the next: compares them with the point halfway,
   exactly, after both were multiplied by powers of 5 and 2 until they are integers. */
static TACO__COLD uint64_t taco__num_parse_exact(const taco__num_parse_digits *d, uint64_t bits,
                                                 const taco__num_parse_format *f)
{
    taco__bignum all, half;
    uint64_t c = bits & (((uint64_t)1 << (f->significand - 1)) - 1),
             biased = bits >> (f->significand - 1);
    int64_t q = f->least - f->significand + 1 + (int64_t)(biased ? biased - 1 : 0), ten;
    int order;
    /* half = c * 2^(q - 1) */
    c = 2 * (biased ? c | (uint64_t)1 << (f->significand - 1) : c) + 1;
    q--;
    ten = taco__num_parse_bignum(d, &all);
    half.n = 2;
    half.limb[0] = (uint32_t)c;
    half.limb[1] = (uint32_t)(c >> 32);
    half.n -= half.limb[1] == 0;
    taco__bignum_mul_pow5(ten > 0 ? &all : &half, ten > 0 ? ten : -ten);
    taco__bignum_shift(ten > q ? &all : &half, ten > q ? ten - q : q - ten);
    order = taco__bignum_compare(&all, &half);
    return bits + (order > 0 || (order == 0 && (bits & 1)));
}

/* The bits of the nearest number of a format, without the sign, of digits that are not all 0, times
   10^p. */
static uint64_t taco__num_parse_scale(const taco__num_parse_digits *d, int64_t p,
                                      const taco__num_parse_format *f)
{
    taco__num_power_of_10 power;
    uint64_t upper, lower;
    bool exact, sure;
    power = taco__num_pow10((int32_t)p);
    exact = p >= 0 && p <= 55;
    upper = taco__num_parse_round_product(d->first + d->more, &power, false, &sure, f);
    if (!d->more && (exact || sure)) { return upper; }
    lower = taco__num_parse_round_product(d->first, &power, !exact, &sure, f);
    return upper == lower ? upper : taco__num_parse_exact(d, lower, f);
}
#endif

/* The bits of x, a number of format `from` without its sign, in another format. */
static uint64_t taco__num_convert(uint64_t x, const taco__num_parse_format *from,
                                  const taco__num_parse_format *to)
{
    int32_t below = from->significand - 1, e = (int32_t)(x >> below);
    uint64_t m = x & (((uint64_t)1 << below) - 1), infinity = taco__num_parse_infinity(from);
    unsigned lead;
    if (x >= infinity) { /* NaN is quiet */
        return taco__num_parse_infinity(to) | (uint64_t)(x > infinity) << (to->significand - 2);
    }
    m |= (uint64_t)(e != 0) << below;
    if (m == 0) { return 0; }
    lead = taco__plat_clz64(m);
    return taco__num_parse_round(
        m << lead, false, TACO__MAX(e, 1) - 1 + from->least - below + 63 - (int32_t)lead, to);
}

/* As (double)x, (float)x and (double)x do it, in integers: neither the host's rounding mode nor
   denormals that are taken for zero change them, and a processor that has no doubles is not made to
   bring their arithmetic. */
TACO__FN double taco__num_f32_to_f64(float x)
{
    uint64_t b = taco__f32_to_bits(x);
    return taco__f64_from_bits(
        taco__num_convert(b & INT32_MAX, &taco__num_parse_binary32, &taco__num_parse_binary64) |
        b >> 31 << 63);
}

TACO__FN float taco__num_f64_to_f32(double x)
{
    uint64_t b = taco__f64_to_bits(x);
    return taco__f32_from_bits(
        (uint32_t)(taco__num_convert(b & INT64_MAX, &taco__num_parse_binary64,
                                     &taco__num_parse_binary32) |
                   b >> 63 << 31));
}

/* The nearest DOUBLE, or (single) the nearest FLOAT as DOUBLE. */
TACO__FN double taco__num_u64_to_f64(uint64_t x, bool single)
{
    unsigned lead = x ? taco__plat_clz64(x) : 0;
    uint64_t bits =
        x ? taco__num_parse_round(x << lead, false, 63 - (int32_t)lead,
                                  single ? &taco__num_parse_binary32 : &taco__num_parse_binary64)
          : 0;
    return single ? taco__num_f32_to_f64(taco__f32_from_bits((uint32_t)bits))
                  : taco__f64_from_bits(bits);
}

/* The bits of the nearest number of a format, without the sign. */
static uint64_t taco__num_parse_nearest(const taco__num_parse_digits *d,
                                        const taco__num_parse_format *f)
{
    int64_t p = d->exponent + (d->count > 19 ? d->count - 19 : 0);
    /* below 10^19 * 10^-343, which is less than half the least double */
    if (d->first == 0 || p < -342) { return 0; }
    if (p > 308) { return taco__num_parse_infinity(f); }
    return taco__num_parse_scale(d, p, f);
}

/* Splits b into an optional sign and the digits of a number that takes the rest of it. */
static bool taco__num_parse_signed(taco_bytes b, taco__num_parse_digits *d, bool *negative)
{
    size_t sign = b.len && (b.data[0] == '-' || b.data[0] == '+');
    *negative = sign && b.data[0] == '-';
    return b.len > sign && taco__num_parse_text(taco__bytes_of(b.data + sign, b.len - sign), d);
}

/* The double nearest to the number. */
TACO__FN double taco__num_parse_to_f64(const taco__num_parse_digits *d, bool negative)
{
    return taco__f64_from_bits(taco__num_parse_nearest(d, &taco__num_parse_binary64) |
                               (uint64_t)negative << 63);
}

/* The double nearest to the number in b, ties to even: an optional sign, then all of b is an SQL or
   JSON number. Too large becomes infinite, too small 0. False if b is not a number. */
TACO__FN bool taco__num_parse_f64(taco_bytes b, double *out)
{
    taco__num_parse_digits d;
    bool negative;
    if (!taco__num_parse_signed(b, &d, &negative)) { return false; }
    *out = taco__num_parse_to_f64(&d, negative);
    return true;
}

/* The nearest float, rounded once. */
TACO__FN bool taco__num_parse_f32(taco_bytes b, float *out)
{
    taco__num_parse_digits d;
    bool negative;
    if (!taco__num_parse_signed(b, &d, &negative)) { return false; }
    *out = taco__f32_from_bits((uint32_t)taco__num_parse_nearest(&d, &taco__num_parse_binary32) |
                               (uint32_t)negative << 31);
    return true;
}
