/* scalar.c - typed scalars: literals, statistics and the order of SQL. */
#include "filter.h"
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

/* The word that messages use for a column type, "?" for a number that is none. */
TACO__FN const char *taco__scalar_type_name(taco_type id)
{
    const char *name = taco__type_keyword(id);
    return name ? name : "?";
}

/* The classes below follow from the order of enum taco_type; BOOL is in none of them. */
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

/* Makers of single values. Bytes are borrowed. */
TACO__FN taco__scalar taco__scalar_make_null(void)
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

/* An exact value as d * 10^-scale. Days count as seconds, so that dates and instants compare. */
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

/* Order of a * 10^-sa and b * 10^-sb without rounding. */
static int taco__scalar_compare_exact(taco__i256 a, int32_t sa, taco__i256 b, int32_t sb)
{
    /* a side that overflows when it is scaled up is larger in magnitude than anything the other can
       hold */
    bool below = taco__i256_is_negative(&a), above = taco__i256_is_negative(&b);
    if (sa < sb && !taco__i256_mul10(&a, sb - sa)) { return below ? -1 : 1; }
    if (sb < sa && !taco__i256_mul10(&b, sa - sb)) { return above ? 1 : -1; }
    return taco__i256_compare(&a, &b);
}

/* 128 bits to floating point as DuckDB's hugeint does it: both halves rounded on their own, in the
   target's width. * Each operation in single is cast: where FLT_EVAL_METHOD is not 0 (x87, s390),
   it runs wider than its operands. */
TACO__FN double taco__scalar_i256_to_double(const taco__i256 *a, bool single)
{
    uint64_t sign = (uint64_t)((int64_t)a->w[1] >> 63);
    if (taco__i256_is_i64(a)) {
        return single ? (double)(float)(int64_t)a->w[0] : (double)(int64_t)a->w[0];
    }
    /* beyond 128 bits, by magnitude: the halves of negative ones would cancel */
    if (a->w[2] != sign || a->w[3] != sign) {
        taco__i256 m = taco__i256_is_negative(a) ? taco__i256_negate(*a) : *a;
        double d =
            (((double)m.w[3] * 18446744073709551616.0 + (double)m.w[2]) * 18446744073709551616.0 +
             (double)m.w[1]) *
                18446744073709551616.0 +
            (double)m.w[0];
        d = single ? (double)(float)d : d;
        return taco__i256_is_negative(a) ? -d : d;
    }
    if (a->w[1] == UINT64_MAX) {
        return single ? (double)(float)(-(float)(UINT64_MAX - a->w[0]) - 1.0f)
                      : -(double)(UINT64_MAX - a->w[0]) - 1.0;
    }
    return single
               ? (double)(float)((float)a->w[0] + (float)(int64_t)a->w[1] * 18446744073709551616.0f)
               : (double)a->w[0] + (double)(int64_t)a->w[1] * 18446744073709551616.0;
}

/* DECIMAL to FLOAT or DOUBLE: numbers the target holds exactly are divided once; of others, whole
   and fraction apart. */
TACO__FN double taco__scalar_decimal_to_double(const taco__i256 *d, int32_t scale, bool single)
{
    static const double ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,
                                 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
                                 1e20, 1e21, 1e22, 1e23, 1e24, 1e25, 1e26, 1e27, 1e28, 1e29,
                                 1e30, 1e31, 1e32, 1e33, 1e34, 1e35, 1e36, 1e37, 1e38};
    int64_t limit = single ? (int64_t)1 << 24 : (int64_t)1 << 53;
    taco__i256 whole = *d, part;
    double p = 1.0, r;
    int32_t s;
    bool small = taco__i256_is_i64(d) && (int64_t)d->w[0] <= limit && (int64_t)d->w[0] >= -limit;
    for (s = scale; s > 38; s -= 38) {
        p *= 1e38;
    }
    p *= ten[TACO__MAX(s, 0)];
    if (small || scale <= 0) {
        r = taco__scalar_i256_to_double(d, single);
        return single ? (double)(float)((float)r / (float)p) : r / p;
    }
    whole = taco__i256_div10(*d, scale, false);
    part = whole;
    taco__i256_mul10(&part, scale); /* cannot overflow: not larger than d */
    part = taco__i256_add(*d, taco__i256_negate(part));
    if (single) {
        return (double)(float)((float)taco__scalar_i256_to_double(&whole, true) +
                               (float)((float)taco__scalar_i256_to_double(&part, true) / (float)p));
    }
    return taco__scalar_i256_to_double(&whole, false) +
           taco__scalar_i256_to_double(&part, false) / p;
}

/* Any number as FLOAT (single) or DOUBLE. */
TACO__FN double taco__scalar_to_double(const taco__scalar *v, bool single)
{
    if (taco__scalar_is_float(v->type.id)) { return single ? (double)(float)v->f : v->f; }
    if (v->type.id == TACO_DECIMAL) {
        return taco__scalar_decimal_to_double(&v->d, v->type.scale, single);
    }
    if (v->type.id == TACO_UINT64) { return single ? (double)(float)v->d.w[0] : (double)v->d.w[0]; }
    return taco__scalar_i256_to_double(&v->d, single);
}

/* Where values of a type are compared once both sides have it. HALF is a FLOAT, as in DuckDB. */
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

/* Digits of an integer type when it meets a DECIMAL. */
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

/* DECIMAL, but not the integers beyond INT64, which are DECIMAL(39, 0) here and HUGEINT in
   DuckDB. */
static bool taco__scalar_is_decimal(const taco__scalar_type *t)
{
    return t->id == TACO_DECIMAL && t->precision != 39;
}

/* The integer type that holds both: the wider of two of one sign; of a signed and an unsigned one,
   the signed type a size above the unsigned. */
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

/* Sets *out to the type in which values of a and b are compared, as DuckDB chooses it; false when
   they cannot be. Equality allows more than order: BOOL = 1.5 is allowed, BOOL < 1.5 is not. */
TACO__FN bool taco__scalar_common_type(const taco__scalar_type *a, const taco__scalar_type *b,
                                       bool equality, taco__scalar_type *out)
{
    taco__scalar_type t = *a;
    bool na, nb;
    if (a->id == TACO_NULL || b->id == TACO_NULL) {
        *out = a->id == TACO_NULL ? *b : *a;
        return !taco__scalar_is_nested(out->id) && out->id != TACO_INTERVAL;
    }
    na = taco__scalar_is_number(a->id) || a->id == TACO_BOOL;
    nb = taco__scalar_is_number(b->id) || b->id == TACO_BOOL;
    if (na && nb) {
        bool one_bool = (a->id == TACO_BOOL) != (b->id == TACO_BOOL);
        bool floats = taco__scalar_is_float(a->id) || taco__scalar_is_float(b->id);
        if (one_bool && !equality &&
            (floats || taco__scalar_is_decimal(a) || taco__scalar_is_decimal(b))) {
            return false;
        }
        if (floats) {
            t = taco__scalar_simple_type(a->id == TACO_DOUBLE || b->id == TACO_DOUBLE ? TACO_DOUBLE
                                                                                      : TACO_FLOAT);
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
    } else if ((a->id == TACO_DATE || a->id == TACO_TIMESTAMP) &&
               (b->id == TACO_DATE || b->id == TACO_TIMESTAMP)) {
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
    taco__i256 x, y;
    int32_t sx, sy;
    switch (dom) {
    case TACO__DOMAIN_F32:
        return taco__scalar_compare_double(taco__scalar_to_double(a, true),
                                           taco__scalar_to_double(b, true));
    case TACO__DOMAIN_F64:
        return taco__scalar_compare_double(taco__scalar_to_double(a, false),
                                           taco__scalar_to_double(b, false));
    case TACO__DOMAIN_BYTES: return taco__bytes_compare(a->b, b->b);
    case TACO__DOMAIN_EXACT:
        taco__scalar_to_exact(a, &x, &sx);
        taco__scalar_to_exact(b, &y, &sy);
        return taco__scalar_compare_exact(x, sx, y, sy);
    default: return 0;
    }
}

/* Columns that TEST by key: all that compare, except bytes. */
TACO__FN bool taco__scalar_has_key(taco_type id)
{
    return taco__scalar_domain_of(id) != TACO__DOMAIN_NONE && !taco__scalar_is_bytes(id);
}

/* Between values and keys, in both directions. Keys behind infinity are NaN, whatever their
   bits. */
TACO__FN taco__i256 taco__scalar_to_key(const taco__scalar *v)
{
    if (v->type.id == TACO_DOUBLE) { return taco__i256_from_i64(taco__scalar_key_f64(v->f)); }
    return taco__scalar_is_float(v->type.id)
               ? taco__i256_from_i64(taco__scalar_key_f32((float)v->f))
               : v->d;
}

TACO__FN taco__scalar taco__scalar_from_key(const taco__scalar_type *t, taco__i256 key)
{
    taco__scalar v = taco__scalar_make_null();
    v.type = *t;
    if (t->id == TACO_DOUBLE) {
        v.f = taco__scalar_f64_from_key((int64_t)key.w[0]);
    } else if (taco__scalar_is_float(t->id)) {
        v.f = (double)taco__scalar_f32_from_key((int64_t)key.w[0]);
    } else {
        v.d = key;
    }
    return v;
}

/* The least and greatest key a column of the type can hold. */
TACO__FN void taco__scalar_key_bounds(const taco__scalar_type *t, taco__i256 *lo, taco__i256 *hi)
{
    static const uint8_t bits[] = {0, 1, 8, 16, 32, 64, 8, 16, 32, 64};
    if (t->id == TACO_BOOL || (t->id >= TACO_UINT8 && t->id <= TACO_UINT64)) {
        *lo = taco__i256_from_i64(0);
        *hi = taco__i256_from_u64(UINT64_MAX >> (64 - bits[t->id]));
    } else if (
        t->id ==
        TACO_DECIMAL) { /* 254 bits: more than 76 digits, and one step beyond does not wrap */
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

/* True when a column of that type can hold the number: a cast from text refuses the others. */
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

/* Reads a minimum or maximum of column f stored as physical type `physical` (the numbers of
   parquet.thrift's Type). False when it says nothing that can be relied on: wrong length, NaN, an
   order the format leaves undefined. The bytes of TEXT, BINARY and UUID values are borrowed. */
TACO__FN bool taco__scalar_from_statistics(const taco_field *f, int32_t physical, taco_bytes b,
                                           taco__scalar *out)
{
    static const uint8_t sizes[] = {1, 4, 8, 12, 4, 8};
    int64_t x = 0;
    *out = taco__scalar_make_null();
    out->type = taco__scalar_type_of_field(f);
    if (physical < 0 || physical > 7 || (physical < 6 && b.len != sizes[physical])) {
        return false;
    }
    if (physical == 1) {
        x = (int32_t)taco__load_le32(b.data);
    } else if (physical == 2) {
        x = (int64_t)taco__load_le64(b.data);
    } else if (physical == 0) {
        x = b.data[0] != 0;
    }
    switch (f->type) {
    case TACO_BOOL: out->d = taco__i256_from_i64(x); return physical == 0;
    case TACO_INT8:
    case TACO_INT16:
    case TACO_UINT8:
    /* values keep their low bits only: bounds that do not fit order nothing */
    case TACO_UINT16:
        out->d = taco__i256_from_i64(x);
        return physical == 1 && taco__scalar_fits(&out->type, &out->d);
    case TACO_INT32:
    case TACO_DATE: out->d = taco__i256_from_i64(x); return physical == 1;
    case TACO_INT64:
    case TACO_TIMESTAMP: out->d = taco__i256_from_i64(x); return physical == 2;
    case TACO_TIME: out->d = taco__i256_from_i64(x); return physical == 1 || physical == 2;
    case TACO_UINT32: out->d = taco__i256_from_i64(x & UINT32_MAX); return physical == 1;
    case TACO_UINT64: out->d = taco__i256_from_u64((uint64_t)x); return physical == 2;
    case TACO_HALF:
        out->f = b.len == 2 ? (double)taco__num_f16_to_f32(taco__load_le16(b.data)) : 0;
        return b.len == 2 && out->f == out->f;
    case TACO_FLOAT:
        out->f = physical == 4 ? (double)taco__f32_from_bits(taco__load_le32(b.data)) : 0;
        return physical == 4 && out->f == out->f;
    case TACO_DOUBLE:
        out->f = physical == 5 ? taco__f64_from_bits(taco__load_le64(b.data)) : 0;
        return physical == 5 && out->f == out->f;
    case TACO_DECIMAL:
        out->d = taco__i256_from_i64(x);
        return physical == 1 || physical == 2 ||
               (physical >= 6 && b.len && taco__i256_from_be(b, &out->d));
    case TACO_TEXT:
    case TACO_BINARY: out->b = b; return physical == 6;
    case TACO_FIXED:
    case TACO_UUID: out->b = b; return physical == 7 && b.len == (size_t)f->width;
    default: return false; /* INT96, INTERVAL and nested columns have no order */
    }
}
