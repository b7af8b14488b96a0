/* value.h - integers of 256 bits and typed scalars: what literals and statistics become */
#ifndef TACO__VALUE_H
#define TACO__VALUE_H

#include "../base/base.h"
#include "../parquet/parquet.h"

/* ---- types ---- */

/* Two's complement, w[0] least significant. */
typedef struct taco__i256 {
    uint64_t w[4];
} taco__i256;

/* The type of a value in SQL: a taco_type with its parameters. */
typedef struct taco__scalar_type {
    taco_type id;
    taco_unit unit;           /* TIME, TIMESTAMP */
    bool utc;                 /* TIMESTAMP: an instant */
    int32_t precision, scale; /* DECIMAL; integers beyond INT64 are DECIMAL(39, 0) */
} taco__scalar_type;

/* One value. All exact kinds (BOOL, integers, DECIMAL, DATE, TIME, TIMESTAMP) keep their number in
   256 bits, so that comparing an INT64 with a DECIMAL(76, 30), or a TIMESTAMP of one unit with one
   of another, is one code path without overflow. */
typedef struct taco__scalar {
    taco__scalar_type type; /* TACO_NULL: the SQL NULL */
    /* exact kinds; DECIMAL: unscaled number, DATE: days, TIME and TIMESTAMP: their unit */
    taco__i256 d;
    double f;     /* HALF, FLOAT, DOUBLE */
    taco_bytes b; /* TEXT, BINARY, UUID; borrowed */
} taco__scalar;

/* The domain that two values are compared in, once both have DuckDB's common type
   (taco__scalar_common_type). */
typedef enum taco__compare_domain {
    TACO__DOMAIN_NONE = 0, /* cannot be compared, or one is NULL */
    TACO__DOMAIN_EXACT,    /* integers, decimals, dates, instants: no rounding */
    TACO__DOMAIN_F32,      /* HALF, FLOAT */
    TACO__DOMAIN_F64,
    TACO__DOMAIN_BYTES
} taco__compare_domain;

/* Keys of infinity: higher keys are NaN. */
#define TACO__SCALAR_INF32_KEY ((int64_t)0x7F800000)
#define TACO__SCALAR_INF64_KEY ((int64_t)0x7FF << 52)

/* ---- int256.c ---- */

TACO__FN taco__i256 taco__i256_from_i64(int64_t x);
TACO__FN taco__i256 taco__i256_from_u64(uint64_t x);
TACO__FN TACO__NOINLINE int taco__i256_compare(const taco__i256 *a, const taco__i256 *b);
TACO__FN TACO__NOINLINE taco__i256 taco__i256_add(taco__i256 a, taco__i256 b);
TACO__FN TACO__NOINLINE taco__i256 taco__i256_negate(taco__i256 a);
TACO__FN bool taco__i256_multiply_add(taco__i256 *a, uint32_t m, uint32_t c);
TACO__FN bool taco__i256_mul10(taco__i256 *a, int32_t k);
TACO__FN taco__i256 taco__i256_div10(taco__i256 a, int32_t k, bool round);
TACO__FN bool taco__i256_is_i64(const taco__i256 *a);
TACO__FN taco__i256 taco__i256_from_le(const uint8_t *p, size_t width);
TACO__FN bool taco__i256_from_be(taco_bytes b, taco__i256 *out);

TACO__INLINE bool taco__i256_is_negative(const taco__i256 *a)
{
    return (a->w[3] >> 63) != 0;
}

/* ---- scalar.c ---- */

/* Types. */
TACO__FN taco__scalar_type taco__scalar_simple_type(taco_type id);
TACO__FN taco__scalar_type taco__scalar_type_of_field(const taco_field *f);
TACO__FN const char *taco__scalar_type_name(taco_type id);
TACO__FN bool taco__scalar_is_int(taco_type id);
TACO__FN bool taco__scalar_is_float(taco_type id);
TACO__FN bool taco__scalar_is_number(taco_type id);
TACO__FN bool taco__scalar_is_bytes(taco_type id);
TACO__FN bool taco__scalar_is_nested(taco_type id);
/* Single values. */
TACO__FN TACO__NOINLINE taco__scalar taco__scalar_make_null(void);
TACO__FN taco__scalar taco__scalar_make_int(taco_type id, int64_t x);
TACO__FN taco__scalar taco__scalar_make_double(taco_type id, double x);
TACO__FN taco__scalar taco__scalar_make_bytes(taco_type id, taco_bytes b);
/* Numbers as FLOAT (single) or DOUBLE, rounded as DuckDB does it. */
TACO__FN double taco__scalar_i256_to_double(const taco__i256 *a, bool single);
TACO__FN double taco__scalar_decimal_to_double(const taco__i256 *d, int32_t scale, bool single);
TACO__FN double taco__scalar_to_double(const taco__scalar *v, bool single);
/* Comparing two values: the type they are compared in, its domain, their order. */
TACO__FN taco__compare_domain taco__scalar_domain_of(taco_type id);
TACO__FN int32_t taco__scalar_decimal_digits(const taco__scalar_type *t);
TACO__FN bool taco__scalar_common_type(const taco__scalar_type *a, const taco__scalar_type *b,
                                       bool equality, taco__scalar_type *out);
TACO__FN int taco__scalar_compare(taco__compare_domain dom, const taco__scalar *a,
                                  const taco__scalar *b);
/* Keys: values of fixed-width columns as integers in the same order. */
TACO__FN bool taco__scalar_has_key(taco_type id);
TACO__FN int64_t taco__scalar_key_int96(const uint8_t *p);
TACO__FN taco__i256 taco__scalar_to_key(const taco__scalar *v);
TACO__FN taco__scalar taco__scalar_from_key(const taco__scalar_type *t, taco__i256 key);
TACO__FN void taco__scalar_key_bounds(const taco__scalar_type *t, taco__i256 *lo, taco__i256 *hi);
TACO__FN bool taco__scalar_fits(const taco__scalar_type *t, const taco__i256 *d);
/* A minimum or maximum from the statistics of a file. */
TACO__FN bool taco__scalar_from_statistics(const taco_field *f, int32_t physical, taco_bytes b,
                                           taco__scalar *out);

/* ---- keys: every fixed-width column as integers in the order of SQL ---- */

/* A key is an integer that sorts as the value does, so that any comparison with a constant becomes
   a closed range of keys. FLOAT and DOUBLE turn their sign and magnitude into two's complement:
   -0.0 is 0 and NaN is the greatest. */
TACO__INLINE int32_t taco__scalar_key_f32(float x)
{
    uint32_t b = taco__f32_to_bits(x), m = b & 0x7FFFFFFFU;
    return m > 0x7F800000U ? INT32_MAX : b >> 31 ? -(int32_t)m : (int32_t)m;
}

TACO__INLINE int64_t taco__scalar_key_f64(double x)
{
    uint64_t b = taco__f64_to_bits(x), m = b & INT64_MAX;
    return m > (uint64_t)0x7FF << 52 ? INT64_MAX : b >> 63 ? -(int64_t)m : (int64_t)m;
}

/* NaN equals NaN and is greater than every number; -0.0 equals 0.0. */
TACO__INLINE int taco__scalar_compare_double(double a, double b)
{
    int64_t x = taco__scalar_key_f64(a), y = taco__scalar_key_f64(b);
    return (x > y) - (x < y);
}

TACO__INLINE float taco__scalar_f32_from_key(int64_t k)
{
    return k < 0 ? taco__f32_from_bits((uint32_t)1 << 31 | (uint32_t)-k)
                 : taco__f32_from_bits((uint32_t)k);
}

TACO__INLINE double taco__scalar_f64_from_key(int64_t k)
{
    return k < 0 ? taco__f64_from_bits((uint64_t)1 << 63 | (uint64_t)-k)
                 : taco__f64_from_bits((uint64_t)k);
}

#endif /* TACO__VALUE_H */
