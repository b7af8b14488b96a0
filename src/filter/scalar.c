/* scalar.c - one typed value: the common type of a comparison, order, and values as keys

   In: types of columns (taco_field), and values from literals (scalar_parse.c), statistics and
   cells. Out: a taco__scalar, compared with another one as DuckDB does it (its type rules and its
   order: NaN is the greatest number, a TIMESTAMP is an instant, BOOL = 1.5 is allowed).

   Two sides are compared in a domain: exact numbers in 256 bits at their own scales, so that
   nothing overflows or is rounded; floating point in the wider type; bytes as bytes. A value of a
   fixed-width column also has a key, an integer of the same order: binding a predicate turns
   constants into ranges of keys of the column's own type (predicate_test.c), so that no value is
   converted row by row.

   Start reading at taco__scalar_common_type and taco__scalar_compare. */
#include "value.h"
#include "../base/base.h"
#include "../arrow/arrow.h"

/* A type without parameters. */
TACO__FN taco__scalar_type taco__scalar_simple_type(taco_type id)
{
    taco__scalar_type t;
    memset(&t, 0, sizeof t);
    t.id = id;
    return t;
}

/* The type a column has in expressions: FIXED is BINARY, INT96 is a TIMESTAMP of microseconds, as
   DuckDB reads them. */
TACO__FN taco__scalar_type taco__scalar_type_of_field(const taco_field *f)
{
    taco__scalar_type t = taco__scalar_simple_type(f->type);
    t.unit = f->unit;
    t.utc = f->type == TACO_TIMESTAMP && f->utc;
    t.precision = f->precision;
    t.scale = f->scale;
    if (f->type == TACO_FIXED) {
        t.id = TACO_BINARY;
    } else if (f->type == TACO_INT96) {
        t.id = TACO_TIMESTAMP;
        t.unit = TACO_MICRO;
    }
    return t;
}

/* The name of a column type in messages; "?" for an invalid number. */
TACO__FN const char *taco__scalar_type_name(taco_type id)
{
    const char *name = taco__type_keyword(id);
    return name ? name : "?";
}

/* These classes rely on the order of enum taco_type; BOOL is in none of them. */
TACO__FN bool taco__scalar_is_int(taco_type id)
{
    return id >= TACO_INT8 && id <= TACO_UINT64;
}

TACO__FN bool taco__scalar_is_float(taco_type id)
{
    return id == TACO_HALF || id == TACO_FLOAT || id == TACO_DOUBLE;
}

TACO__FN bool taco__scalar_is_number(taco_type id)
{
    return id >= TACO_INT8 && id <= TACO_DECIMAL;
}

TACO__FN bool taco__scalar_is_bytes(taco_type id)
{
    return id == TACO_TEXT || id == TACO_BINARY || id == TACO_UUID;
}

TACO__FN bool taco__scalar_is_nested(taco_type id)
{
    return id == TACO_LIST || id == TACO_MAP || id == TACO_STRUCT;
}

/* Single values; bytes are borrowed, and the caller sets the parameters of the type. */
TACO__FN TACO__NOINLINE taco__scalar taco__scalar_make_null(void)
{
    taco__scalar v;
    memset(&v, 0, sizeof v);
    return v;
}

TACO__FN taco__scalar taco__scalar_make_int(taco_type id, int64_t x)
{
    taco__scalar v = taco__scalar_make_null();
    v.type.id = id;
    v.d = taco__i256_from_i64(x);
    return v;
}

TACO__FN taco__scalar taco__scalar_make_double(taco_type id, double x)
{
    taco__scalar v = taco__scalar_make_null();
    v.type.id = id;
    v.f = x;
    return v;
}

TACO__FN taco__scalar taco__scalar_make_bytes(taco_type id, taco_bytes b)
{
    taco__scalar v = taco__scalar_make_null();
    v.type.id = id;
    v.b = b;
    return v;
}

/* ---- conversions as DuckDB makes them ---- */

/* An exact value as d * 10^-scale. Times have the scale of their unit, and days are converted to
   seconds, so that dates and instants can be compared. */
static void taco__scalar_to_exact(const taco__scalar *v, taco__i256 *d, int32_t *scale)
{
    *d = v->d;
    *scale = 0;
    if (v->type.id == TACO_DECIMAL) {
        *scale = v->type.scale;
    } else if (v->type.id == TACO_TIME || v->type.id == TACO_TIMESTAMP) {
        *scale = 3 * (int32_t)v->type.unit;
    } else if (v->type.id == TACO_DATE) {
        *d = taco__i256_from_i64((int64_t)v->d.w[0] * 86400); /* days are 32 bits */
    }
}

/* Order of a * 10^-sa and b * 10^-sb, without rounding. */
static int taco__scalar_compare_exact(taco__i256 a, int32_t sa, taco__i256 b, int32_t sb)
{
    /* if scaling up overflows, that side is larger in magnitude than anything the other can hold */
    bool neg_a = taco__i256_is_negative(&a), neg_b = taco__i256_is_negative(&b);
    if (sa < sb && !taco__i256_mul10(&a, sb - sa)) { return neg_a ? -1 : 1; }
    if (sb < sa && !taco__i256_mul10(&b, sa - sb)) { return neg_b ? 1 : -1; }
    return taco__i256_compare(&a, &b);
}

/* A DOUBLE rounded to FLOAT (single), or as it is. The sum, difference, product or quotient of two
   FLOATs may be taken in double precision and rounded by this: 53 bits are more than twice 24, so
   that the result is that of one rounding. */
static double taco__scalar_round(double x, bool single)
{
    return single ? taco__f32_widen(taco__num_f64_to_f32(x)) : x;
}

/* Rounded once. */
static double taco__scalar_u64_to_double(uint64_t x, bool single)
{
    return taco__num_u64_to_f64(x, single);
}

static double taco__scalar_i64_to_double(int64_t x, bool single)
{
    return x < 0 ? -taco__scalar_u64_to_double(0 - (uint64_t)x, single)
                 : taco__scalar_u64_to_double((uint64_t)x, single);
}

/* Beyond 128 bits: by magnitude, because the halves of a negative number would cancel. */
static double taco__scalar_wide_to_double(const taco__i256 *a, bool single)
{
    const double two64 = 18446744073709551616.0;
    bool neg = taco__i256_is_negative(a);
    taco__i256 m = neg ? taco__i256_negate(*a) : *a;
    double d = 0;
    int i;
    for (i = 4; i-- > 0;) {
        d = d * two64 + (double)m.w[i];
    }
    d = taco__scalar_round(d, single);
    return neg ? -d : d;
}

/* A whole number to FLOAT (single) or DOUBLE. 128 bits as DuckDB's hugeint does it: both halves
   rounded to DOUBLE on their own. */
TACO__FN double taco__scalar_i256_to_double(const taco__i256 *a, bool single)
{
    const double two64 = 18446744073709551616.0;
    uint64_t sign = 0 - (a->w[1] >> 63);
    if (taco__i256_is_i64(a)) { return taco__scalar_i64_to_double((int64_t)a->w[0], single); }
    if (a->w[2] != sign || a->w[3] != sign) { return taco__scalar_wide_to_double(a, single); }
    if (a->w[1] == UINT64_MAX) {
        return taco__scalar_round(-taco__scalar_u64_to_double(~a->w[0], false) - 1.0, single);
    }
    return taco__scalar_round(taco__scalar_u64_to_double(a->w[0], false) +
                                  taco__scalar_i64_to_double((int64_t)a->w[1], false) * two64,
                              single);
}

/* 10^n as a double, n >= 0. Rounded beyond 10^22, the last one that a double holds exactly. */
static double taco__scalar_power_of_ten(int32_t n)
{
#ifdef TACO_SMALL
    double p = 1.0;
    static const uint8_t digit = '1';
    taco__num_parse_digits one;
    memset(&one, 0, sizeof one);
    one.at = &digit;
    one.end = &digit + 1;
    one.first = 1;
    one.count = 1;
    for (; n > 38; n -= 38) {
        p *= 1e38;
    }
    one.exponent = TACO__MAX(n, 0);
    return p * taco__num_parse_to_f64(&one, false);
#else
    static const double ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,
                                 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
                                 1e20, 1e21, 1e22, 1e23, 1e24, 1e25, 1e26, 1e27, 1e28, 1e29,
                                 1e30, 1e31, 1e32, 1e33, 1e34, 1e35, 1e36, 1e37, 1e38};
    double p = 1.0;
    for (; n > 38; n -= 38) {
        p *= 1e38;
    }
    return p * ten[TACO__MAX(n, 0)];
#endif
}

/* Whether the processor rounds to the nearest, as it does unless a program has set something
   else. */
static bool taco__scalar_rounds_to_nearest(void)
{
    volatile const double little = 1.0 / 36028797018963968.0; /* 2^-55 */
    TACO__ROUNDED above = 1.0 + little, below = 1.0 - little;
    return taco__f64_to_bits(above) == taco__f64_to_bits(1.0) &&
           taco__f64_to_bits(below) == taco__f64_to_bits(1.0);
}

/* The number nearest to d / 10^scale, in integers. */
static double taco__scalar_nearest_quotient(int64_t d, int32_t scale, bool single)
{
    char text[48];
    double wide = 0;
    float narrow = 0;
    size_t n = taco__num_format_i64(text, d);
    text[n++] = 'e';
    n += taco__num_format_i64(text + n, -(int64_t)scale);
    if (!single) {
        (void)taco__num_parse_f64(taco__bytes_of(text, n), &wide);
        return wide;
    }
    (void)taco__num_parse_f32(taco__bytes_of(text, n), &narrow);
    return taco__f32_widen(narrow);
}

/* d / 10^scale, which is the nearest number where the target holds both exactly. */
static double taco__scalar_quotient(const taco__i256 *d, int32_t scale, bool single)
{
    int64_t limit = single ? (int64_t)1 << 24 : (int64_t)1 << 53, x = (int64_t)d->w[0];
    if (scale > 0 && scale <= (single ? 10 : 22) && taco__i256_is_i64(d) && x <= limit &&
        x >= -limit && !taco__scalar_rounds_to_nearest()) {
        return taco__scalar_nearest_quotient(x, scale, single);
    }
    return taco__scalar_round(taco__scalar_i256_to_double(d, single) /
                                  taco__scalar_round(taco__scalar_power_of_ten(scale), single),
                              single);
}

/* DECIMAL to FLOAT or DOUBLE: numbers that the target holds exactly are divided once; for others,
   whole part and fraction are converted separately. */
TACO__FN double taco__scalar_decimal_to_double(const taco__i256 *d, int32_t scale, bool single)
{
    int64_t limit = single ? (int64_t)1 << 24 : (int64_t)1 << 53;
    taco__i256 whole, part;
    bool small = taco__i256_is_i64(d) && (int64_t)d->w[0] <= limit && (int64_t)d->w[0] >= -limit;
    if (small || scale <= 0) { return taco__scalar_quotient(d, scale, single); }
    whole = taco__i256_div10(*d, scale, false);
    part = whole;
    taco__i256_mul10(&part, scale); /* cannot overflow: not greater than d */
    part = taco__i256_add(*d, taco__i256_negate(part));
    return taco__scalar_round(taco__scalar_i256_to_double(&whole, single) +
                                  taco__scalar_quotient(&part, scale, single),
                              single);
}

/* Any number as FLOAT (single) or DOUBLE. */
TACO__FN double taco__scalar_to_double(const taco__scalar *v, bool single)
{
    if (taco__scalar_is_float(v->type.id) ||
        (!TACO__WITH_DECIMALS && v->type.id == TACO_DECIMAL)) { /* a literal, which has both */
        return taco__scalar_round(v->f, single);
    }
    if (v->type.id == TACO_DECIMAL) {
        return taco__scalar_decimal_to_double(&v->d, v->type.scale, single);
    }
    if (!TACO__WITH_DECIMALS && v->type.id != TACO_UINT64) {
        return taco__scalar_i64_to_double((int64_t)v->d.w[0], single);
    }
    if (v->type.id == TACO_UINT64) { return taco__scalar_u64_to_double(v->d.w[0], single); }
    return taco__scalar_i256_to_double(&v->d, single);
}

/* The domain in which values of a type are compared once both sides have it. HALF is a FLOAT, as in
   DuckDB. */
TACO__FN taco__compare_domain taco__scalar_domain_of(taco_type id)
{
    switch (id) {
    case TACO_HALF:
    case TACO_FLOAT: return TACO__DOMAIN_F32;
    case TACO_DOUBLE: return TACO__DOMAIN_F64;
    case TACO_TEXT:
    case TACO_BINARY:
    case TACO_UUID: return TACO__DOMAIN_BYTES;
    case TACO_NULL:
    case TACO_INTERVAL:
    case TACO_LIST:
    case TACO_MAP:
    case TACO_STRUCT: return TACO__DOMAIN_NONE;
    default: return TACO__DOMAIN_EXACT;
    }
}

/* The number of digits an integer type has when combined with a DECIMAL. */
TACO__FN int32_t taco__scalar_decimal_digits(const taco__scalar_type *t)
{
    switch (t->id) {
    case TACO_BOOL: return 1;
    case TACO_INT8:
    case TACO_UINT8: return 3;
    case TACO_INT16:
    case TACO_UINT16: return 5;
    case TACO_INT32:
    case TACO_UINT32: return 10;
    case TACO_INT64: return 19;
    case TACO_UINT64: return 20;
    default: return t->precision;
    }
}

/* DECIMAL, except the integers beyond INT64, which are DECIMAL(39, 0) here and HUGEINT in
   DuckDB. */
static bool taco__scalar_is_decimal(const taco__scalar_type *t)
{
    return t->id == TACO_DECIMAL && t->precision != 39;
}

/* The integer type that holds both: the wider of two with the same signedness; for a signed and an
   unsigned one, the signed type one size above the unsigned. */
static taco_type taco__scalar_common_int(taco_type a, taco_type b)
{
    bool ua = a >= TACO_UINT8, ub = b >= TACO_UINT8;
    taco_type u = ua ? a : b, s = ua ? b : a, need;
    if (a == TACO_BOOL || b == TACO_BOOL) { return a == TACO_BOOL ? b : a; }
    if (ua == ub) { return TACO__MAX(a, b); }
    if (u == TACO_UINT64) { return TACO_DECIMAL; /* DuckDB's HUGEINT */ }
    need = (taco_type)(TACO_INT8 + (u - TACO_UINT8) + 1);
    return TACO__MAX(s, need);
}

/* taco__scalar_common_type of two numbers or BOOLs. Equality allows more than order: BOOL = 1.5 is
   allowed, BOOL < 1.5 is not. *out may be *a. */
static bool taco__scalar_common_number(const taco__scalar_type *a, const taco__scalar_type *b,
                                       bool equality, taco__scalar_type *out)
{
    taco__scalar_type t = *a;
    bool one_bool = (a->id == TACO_BOOL) != (b->id == TACO_BOOL);
    bool floats = taco__scalar_is_float(a->id) || taco__scalar_is_float(b->id);
    bool doubles = a->id == TACO_DOUBLE || b->id == TACO_DOUBLE;
    if (one_bool && !equality &&
        (floats || taco__scalar_is_decimal(a) || taco__scalar_is_decimal(b))) {
        return false;
    }
    if (floats) {
        t = taco__scalar_simple_type(doubles ? TACO_DOUBLE : TACO_FLOAT);
    } else if (a->id == TACO_DECIMAL || b->id == TACO_DECIMAL) {
        int32_t whole = TACO__MAX(taco__scalar_decimal_digits(a) - a->scale,
                                  taco__scalar_decimal_digits(b) - b->scale);
        t = taco__scalar_simple_type(TACO_DECIMAL);
        t.scale = TACO__MAX(a->scale, b->scale);
        t.precision = whole + t.scale;
    } else {
        t.id = taco__scalar_common_int(a->id, b->id);
        t.precision = t.id == TACO_DECIMAL ? 39 : 0;
    }
    *out = t;
    return true;
}

/* Types whose values are dates or instants, which can be compared with each other. */
static bool taco__scalar_is_day_or_instant(taco_type id)
{
    return id == TACO_DATE || id == TACO_TIMESTAMP;
}

/* Sets *out, which may be *a, to the type in which values of a and b are compared, as DuckDB
   chooses it; false if they cannot be. With NULL it is the other type. */
TACO__FN bool taco__scalar_common_type(const taco__scalar_type *a, const taco__scalar_type *b,
                                       bool equality, taco__scalar_type *out)
{
    taco__scalar_type t = *a;
    if (a->id == TACO_NULL || b->id == TACO_NULL) {
        *out = a->id == TACO_NULL ? *b : *a;
        return !taco__scalar_is_nested(out->id) && out->id != TACO_INTERVAL;
    }
    if ((taco__scalar_is_number(a->id) || a->id == TACO_BOOL) &&
        (taco__scalar_is_number(b->id) || b->id == TACO_BOOL)) {
        return taco__scalar_common_number(a, b, equality, out);
    }
    if (taco__scalar_is_day_or_instant(a->id) && taco__scalar_is_day_or_instant(b->id)) {
        t.id = TACO__MAX(a->id, b->id); /* TIMESTAMP comes after DATE */
        t.unit = a->id == TACO_DATE   ? b->unit
                 : b->id == TACO_DATE ? a->unit
                                      : TACO__MAX(a->unit, b->unit);
        t.utc = a->utc || b->utc;
    } else if (a->id == TACO_TIME && b->id == TACO_TIME) {
        t.unit = TACO__MAX(a->unit, b->unit);
    } else if (a->id != b->id || taco__scalar_is_nested(a->id) || a->id == TACO_INTERVAL) {
        return false;
    }
    *out = t;
    return true;
}

/* Three-way order of two values that are not NULL, in a domain taco__scalar_common_type allowed. */
TACO__FN int taco__scalar_compare(taco__compare_domain dom, const taco__scalar *a,
                                  const taco__scalar *b)
{
    bool single = dom == TACO__DOMAIN_F32;
    taco__i256 x, y;
    int32_t sx, sy;
    int64_t p, q;
    switch (dom) {
    case TACO__DOMAIN_F32:
    case TACO__DOMAIN_F64: /* by keys, because small processors have no double comparison */
        p = taco__scalar_key_f64(taco__scalar_to_double(a, single));
        q = taco__scalar_key_f64(taco__scalar_to_double(b, single));
        return (p > q) - (p < q);
    case TACO__DOMAIN_BYTES: return taco__bytes_compare(a->b, b->b);
    case TACO__DOMAIN_EXACT:
        taco__scalar_to_exact(a, &x, &sx);
        taco__scalar_to_exact(b, &y, &sy);
        return taco__scalar_compare_exact(x, sx, y, sy);
    default: return 0;
    }
}

/* ---- keys ---- */

/* Whether columns of a type are tested by key: all comparable types except bytes. */
TACO__FN bool taco__scalar_has_key(taco_type id)
{
    return taco__scalar_domain_of(id) != TACO__DOMAIN_NONE && !taco__scalar_is_bytes(id);
}

/* INT96 (nanoseconds of the day, then the Julian day; 2440588 is 1970-01-01) to microseconds,
   truncated as DuckDB does, limited to int64. */
TACO__FN int64_t taco__scalar_key_int96(const uint8_t *p)
{
    int64_t nanos = (int64_t)taco__load_le64(p),
            day = (int64_t)(int32_t)taco__load_le32(p + 8) - 2440588;
#ifdef TACO_SMALL /* no division of 64 bits */
    int64_t us = (int64_t)taco__i256_div10(taco__i256_from_i64(nanos), 3, false).w[0];
#else
    int64_t us = nanos / 1000;
#endif
    if (day > 106751990 || day < -106751990) { return day > 0 ? INT64_MAX : INT64_MIN; }
    day *= INT64_C(86400000000);
    return us > 0 && day > INT64_MAX - us   ? INT64_MAX
           : us < 0 && day < INT64_MIN - us ? INT64_MIN
                                            : day + us;
}

/* The key of a value: an integer that sorts as the value does. */
TACO__FN taco__i256 taco__scalar_to_key(const taco__scalar *v)
{
    if (v->type.id == TACO_DOUBLE) { return taco__i256_from_i64(taco__scalar_key_f64(v->f)); }
    return taco__scalar_is_float(v->type.id)
               ? taco__i256_from_i64(taco__scalar_key_f32(taco__num_f64_to_f32(v->f)))
               : v->d;
}

/* The value with a key of type *t. Keys above infinity's are NaN, whatever their bits. */
TACO__FN taco__scalar taco__scalar_from_key(const taco__scalar_type *t, taco__i256 key)
{
    taco__scalar v = taco__scalar_make_null();
    v.type = *t;
    if (t->id == TACO_DOUBLE) {
        v.f = taco__scalar_f64_from_key((int64_t)key.w[0]);
    } else if (taco__scalar_is_float(t->id)) {
        v.f = taco__f32_widen(taco__scalar_f32_from_key((int64_t)key.w[0]));
    } else {
        v.d = key;
    }
    return v;
}

/* The least and greatest key that a column of the type can hold. */
TACO__FN void taco__scalar_key_bounds(const taco__scalar_type *t, taco__i256 *lo, taco__i256 *hi)
{
    static const uint8_t bits[] = {0, 1, 8, 16, 32, 64, 8, 16, 32, 64}; /* NULL to UINT64 */
    if (t->id == TACO_BOOL || (t->id >= TACO_UINT8 && t->id <= TACO_UINT64)) {
        *lo = taco__i256_from_i64(0);
        *hi = taco__i256_from_u64(UINT64_MAX >> (64 - bits[t->id]));
    } else if (t->id == TACO_DECIMAL) {
        /* 254 bits: more than 76 digits, and one step beyond does not wrap */
        memset(hi, 0xFF, sizeof *hi);
        hi->w[3] >>= 2;
        *lo = taco__i256_negate(*hi);
    } else if (t->id == TACO_DOUBLE) {
        *lo = taco__i256_from_i64(-TACO__SCALAR_INF64_KEY);
        *hi = taco__i256_from_i64(INT64_MAX);
    } else if (taco__scalar_is_float(t->id)) {
        *lo = taco__i256_from_i64(-TACO__SCALAR_INF32_KEY);
        *hi = taco__i256_from_i64(INT32_MAX);
    } else {
        unsigned n = t->id >= TACO_INT8 && t->id <= TACO_INT64 ? bits[t->id]
                     : t->id == TACO_DATE                      ? 32
                                                               : 64;
        *lo = taco__i256_from_i64(INT64_MIN >> (64 - n));
        *hi = taco__i256_from_i64(INT64_MAX >> (64 - n));
    }
}

/* Whether a column of the type can hold the number; for DECIMAL, the unscaled number. */
TACO__FN bool taco__scalar_fits(const taco__scalar_type *t, const taco__i256 *d)
{
    taco__i256 lo, hi;
    if (t->id == TACO_DECIMAL) { /* |d| < 10^precision */
        hi = taco__i256_from_i64(1);
        lo = taco__i256_is_negative(d) ? taco__i256_negate(*d) : *d;
        return !taco__i256_mul10(&hi, t->precision) || taco__i256_compare(&lo, &hi) < 0;
    }
    taco__scalar_key_bounds(t, &lo, &hi);
    return taco__i256_compare(&lo, d) <= 0 && taco__i256_compare(d, &hi) <= 0;
}

/* ---- values from the PLAIN bytes of statistics ---- */

/* A BOOLEAN, INT32 or INT64 from its PLAIN bytes, sign-extended; 0 for other physical types. */
static int64_t taco__scalar_plain_int(int32_t physical, taco_bytes b)
{
    switch (physical) {
    case TACO__PQ_BOOLEAN: return b.data[0] != 0;
    case TACO__PQ_INT32: return (int32_t)taco__load_le32(b.data);
    case TACO__PQ_INT64: return (int64_t)taco__load_le64(b.data);
    default: return 0;
    }
}

/* The same for a floating-point column; false for NaN. */
static bool taco__scalar_plain_float(const taco_field *f, int32_t physical, taco_bytes b,
                                     double *out)
{
    *out = 0;
    if (f->type == TACO_HALF && b.len == 2) {
        *out = taco__f32_widen(taco__num_f16_to_f32(taco__load_le16(b.data)));
    } else if (f->type == TACO_FLOAT && physical == TACO__PQ_FLOAT) {
        *out = taco__f32_widen(taco__f32_from_bits(taco__load_le32(b.data)));
    } else if (f->type == TACO_DOUBLE && physical == TACO__PQ_DOUBLE) {
        *out = taco__f64_from_bits(taco__load_le64(b.data));
    } else {
        return false;
    }
    return *out == *out;
}

/* Reads a minimum or maximum of column f, stored as a physical type (TACO__PQ_INT32, ...). False if
   it cannot be relied on: wrong length, NaN, an order the format leaves undefined (INT96, INTERVAL,
   nested columns). The bytes of TEXT, BINARY and UUID are borrowed. */
TACO__FN bool taco__scalar_from_statistics(const taco_field *f, int32_t physical, taco_bytes b,
                                           taco__scalar *out)
{
    static const uint8_t sizes[] = {1, 4, 8, 12, 4, 8}; /* BOOLEAN to DOUBLE */
    bool is32 = physical == TACO__PQ_INT32, is64 = physical == TACO__PQ_INT64;
    int64_t x;
    *out = taco__scalar_make_null();
    out->type = taco__scalar_type_of_field(f);
    if (physical < TACO__PQ_BOOLEAN || physical > TACO__PQ_FIXED ||
        (physical < TACO__PQ_BYTE_ARRAY && b.len != sizes[physical])) {
        return false;
    }
    x = taco__scalar_plain_int(physical, b);
    out->d = taco__i256_from_i64(x);
    switch (f->type) {
    case TACO_BOOL: return physical == TACO__PQ_BOOLEAN;
    case TACO_INT8:
    case TACO_INT16:
    case TACO_UINT8:
    case TACO_UINT16:
        /* values keep only their low bits, so bounds that do not fit are meaningless */
        return is32 && taco__scalar_fits(&out->type, &out->d);
    case TACO_INT32:
    case TACO_DATE: return is32;
    case TACO_INT64:
    case TACO_TIMESTAMP: return is64;
    case TACO_TIME: return is32 || is64;
    case TACO_UINT32: out->d = taco__i256_from_i64(x & UINT32_MAX); return is32;
    case TACO_UINT64: out->d = taco__i256_from_u64((uint64_t)x); return is64;
    case TACO_HALF:
    case TACO_FLOAT:
    case TACO_DOUBLE: return taco__scalar_plain_float(f, physical, b, &out->f);
    case TACO_DECIMAL:
        return is32 || is64 ||
               (physical >= TACO__PQ_BYTE_ARRAY && b.len && taco__i256_from_be(b, &out->d));
    case TACO_TEXT:
    case TACO_BINARY: out->b = b; return physical == TACO__PQ_BYTE_ARRAY;
    case TACO_FIXED:
    case TACO_UUID: out->b = b; return physical == TACO__PQ_FIXED && b.len == (size_t)f->width;
    default: return false;
    }
}
