/* func_number.c - arithmetic, rounding, signs: integers, DECIMAL and floating point

   Integer overflow is an error, as in DuckDB; division by zero is null. DECIMALs are computed in
   256 bits and checked against the result's precision.

   Example: 9223372036854775807 + 1 is an error (overflow of BIGINT in +), 1 // 0 is NULL, and
   DECIMAL(4, 1) * DECIMAL(4, 1) is a DECIMAL(8, 2). */
#include "sql.h"
#include "../base/base.h"
#include "../base/json.h"
#include "../filter/filter.h"

/* ---- arithmetic ---- */

/* "overflow of INTEGER in +": the result does not fit its type. */
TACO__FN TACO__COLD bool taco__func_number_fail_overflow(taco__func_call *x)
{
    char type[64];
    taco__sql_type_text(x->out->type, type, sizeof type);
    TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "overflow of %s in %s", type, x->name);
    return false;
}

/* An id without a case for the type of its result. */
static TACO__COLD bool taco__func_number_fail_case(const taco__func_call *x)
{
    TACO__FAIL(x->err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET, "%s of this type is not supported",
               x->name);
    return false;
}

/* a - b; false on overflow. The sum wraps in unsigned arithmetic, where C defines it. */
TACO__INLINE bool taco__func_number_sub64(int64_t a, int64_t b, int64_t *out)
{
    *out = (int64_t)((uint64_t)a - (uint64_t)b);
    return ((a ^ b) & (a ^ *out)) >= 0;
}

/* a * b; false on overflow. */
TACO__FN bool taco__func_number_mul64(int64_t a, int64_t b, int64_t *out)
{
    /* the frequent case needs no division */
    if (a >= INT32_MIN && a <= INT32_MAX && b >= INT32_MIN && b <= INT32_MAX) {
        *out = a * b;
        return true;
    }
    if (a == 0 || b == 0) {
        *out = 0;
        return true;
    }
    if (a == -1 || b == -1) { return taco__func_number_sub64(0, a == -1 ? b : a, out); }
    /* a and b are not 0 or -1: the quotients are defined */
    if (b > 0 ? (a > INT64_MAX / b || a < INT64_MIN / b)
              : (a < INT64_MAX / b || a > INT64_MIN / b)) {
        return false;
    }
    *out = a * b;
    return true;
}

/* Smallest and greatest value of an integer type. */
static void taco__func_number_limits(taco_type t, int64_t *lo, int64_t *hi)
{
    static const uint8_t bits[] = {0, 1, 8, 16, 32, 64, 8, 16, 32};
    if (t >= TACO_UINT8 && t <= TACO_UINT32) {
        *lo = 0;
        *hi = (int64_t)(UINT32_MAX >> (32 - bits[t]));
    } else {
        unsigned n = t >= TACO_INT8 && t <= TACO_INT64 ? bits[t] : 64;
        *lo = INT64_MIN >> (64 - n);
        *hi = INT64_MAX >> (64 - n);
    }
}

/* Arithmetic of integers up to 64 bits over a batch, with a check for overflow of the narrower
   type. */
static bool taco__func_number_int(taco__func_call *x)
{
    int64_t lo, hi, r = 0;
    size_t i;
    bool narrow = x->out->type->t.id != TACO_INT64;
    taco__func_number_limits(x->out->type->t.id, &lo, &hi);
    for (i = 0; i < x->out->n; i++) {
        int64_t a, b;
        bool ok = true;
        if (!taco__vec_is_valid(x->out, i)) { continue; }
        a = TACO__FUNC_ARG_INT(0);
        b = x->n > 1 ? TACO__FUNC_ARG_INT(1) : 0;
        switch (x->id) {
        case TACO__FUNC_ADD: ok = taco__func_number_add64(a, b, &r); break;
        case TACO__FUNC_SUB: ok = taco__func_number_sub64(a, b, &r); break;
        case TACO__FUNC_MUL: ok = taco__func_number_mul64(a, b, &r); break;
        case TACO__FUNC_ABS: ok = a >= 0 ? (r = a, true) : taco__func_number_sub64(0, a, &r); break;
        case TACO__FUNC_NEG:
            if (lo == 0) { /* unsigned numbers wrap */
                r = (int64_t)((0 - (uint64_t)a) & (uint64_t)hi);
            } else {
                ok = taco__func_number_sub64(0, a, &r);
            }
            break;
        case TACO__FUNC_IDIV:
        case TACO__FUNC_MOD: /* fractions are truncated */
            if (b == 0) {
                if (!taco__func_set_null(x, i)) { return false; }
                continue;
            }
            /* the quotient may not fit, which is an error for the remainder, too */
            if (b == -1) {
                ok = taco__func_number_sub64(0, a, &r) && (!narrow || r <= hi);
                r = x->id == TACO__FUNC_MOD ? 0 : r;
            } else {
                r = x->id == TACO__FUNC_MOD ? a % b : a / b;
            }
            break;
        default: return taco__func_number_fail_case(x);
        }
        if (!ok || (narrow && (r < lo || r > hi))) { return taco__func_number_fail_overflow(x); }
        x->out->v.i[i] = r;
    }
    return true;
}

/* The whole number towards zero. */
static double taco__func_number_cut(double d)
{
    return d < 0 ? -taco__math_floor(-d) : taco__math_floor(d);
}

/* round(d, digits), half away from zero, or trunc(d, digits); negative digits are before the point.
   If scaling overflows, the number has no such digit: the result is d itself, or 0. */
static double taco__func_number_round_double(double d, int64_t digits, bool cut)
{
    double (*whole)(double) = cut ? taco__func_number_cut : taco__math_round;
    double m, r;
    int64_t k;
    if (digits == 0) { return whole(d); }
    digits = TACO__MAX(-400, TACO__MIN(digits, 400));
    k = digits < 0 ? -digits : digits;
    /* higher powers of ten are not exact, and accumulate rounding errors */
    m = k > 22 ? taco__math_pow(10, (double)k) : 1;
    for (; k > 0 && k <= 22; k--) {
        m *= 10;
    }
    if (digits < 0) {
        r = whole(d / m) * m;
        return taco__f64_is_finite(r) ? r : cut ? d : 0;
    }
    r = whole(d * m) / m;
    return taco__f64_is_finite(r) ? r : d;
}

/* Arithmetic and rounding of FLOAT and DOUBLE over a batch; FLOAT results are rounded to FLOAT. */
static bool taco__func_number_double(taco__func_call *x)
{
    bool single = x->out->type->t.id == TACO_FLOAT;
    size_t i;
    for (i = 0; i < x->out->n; i++) {
        double a, b, r;
        if (!taco__vec_is_valid(x->out, i)) { continue; }
        a = TACO__FUNC_ARG_DOUBLE(0);
        b = x->n > 1 && taco__sql_type_physical(x->a[1].type) == TACO__PHYS_DBL
                ? TACO__FUNC_ARG_DOUBLE(1)
                : 0;
        switch (x->id) {
        case TACO__FUNC_ADD: r = a + b; break;
        case TACO__FUNC_SUB: r = a - b; break;
        case TACO__FUNC_MUL: r = a * b; break;
        case TACO__FUNC_IDIV:
            if (b == 0) {
                if (!taco__func_set_null(x, i)) { return false; }
                continue;
            } /* fall through */
        case TACO__FUNC_DIV:
            r = b == 0
                    ? (a == 0 || taco__f64_is_nan(a)
                           ? taco__f64_from_bits((uint64_t)0x7FF8 << 48)
                           : taco__f64_from_bits(
                                 (uint64_t)((a < 0) != (taco__f64_to_bits(b) >> 63 != 0) ? 0xFFF0
                                                                                         : 0x7FF0)
                                 << 48))
                    : a / b;
            break;
        case TACO__FUNC_MOD_NULL:
            if (b == 0) {
                if (!taco__func_set_null(x, i)) { return false; }
                continue;
            } /* fall through */
        case TACO__FUNC_MOD: r = taco__math_fmod(a, b); break;
        case TACO__FUNC_ABS: r = taco__f64_from_bits(taco__f64_to_bits(a) & INT64_MAX); break;
        case TACO__FUNC_NEG:
            r = taco__f64_from_bits(taco__f64_to_bits(a) ^ (uint64_t)1 << 63);
            break;
        case TACO__FUNC_FLOOR: r = taco__math_floor(a); break;
        case TACO__FUNC_CEIL: r = -taco__math_floor(-a); break;
        case TACO__FUNC_SQRT:
            if (a < 0) {
                TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                           "square root of a negative number");
                return false;
            }
            r = taco__math_sqrt(a);
            break;
        case TACO__FUNC_ROUND:
        case TACO__FUNC_TRUNC:
            r = taco__func_number_round_double(a, x->n > 1 ? TACO__FUNC_ARG_INT(1) : 0,
                                               x->id == TACO__FUNC_TRUNC);
            break;
        default: return taco__func_number_fail_case(x);
        }
        x->out->v.f[i] = single ? (double)(float)r : r;
    }
    return true;
}

/* Multiplies magnitudes of up to 128 bits each. */
static taco__i256 taco__func_number_mul_big(taco__i256 a, taco__i256 b)
{
    bool neg = taco__i256_is_negative(&a) != taco__i256_is_negative(&b);
    taco__i256 r = taco__i256_from_i64(0);
    size_t i, j;
    a = taco__i256_is_negative(&a) ? taco__i256_negate(a) : a;
    b = taco__i256_is_negative(&b) ? taco__i256_negate(b) : b;
    for (i = 0; i < 4; i++) {
        uint64_t carry = 0, m = b.w[i / 2] >> (i % 2 * 32) & UINT32_MAX;
        for (j = 0; i + j < 8; j++) {
            size_t at = i + j;
            unsigned s = (unsigned)(at % 2 * 32);
            uint64_t d = j < 4 ? (a.w[j / 2] >> (j % 2 * 32) & UINT32_MAX) : 0,
                     t = d * m + (r.w[at / 2] >> s & UINT32_MAX) + carry;
            r.w[at / 2] = (r.w[at / 2] & ~((uint64_t)UINT32_MAX << s)) | (t & UINT32_MAX) << s;
            carry = t >> 32;
        }
    }
    return neg ? taco__i256_negate(r) : r;
}

/* Quotient towards zero and remainder, bit by bit; b is not 0. */
static taco__i256 taco__func_number_div_big(taco__i256 a, taco__i256 b, taco__i256 *rest)
{
    bool na = taco__i256_is_negative(&a), nb = taco__i256_is_negative(&b);
    taco__i256 q = taco__i256_from_i64(0), r = q;
    int i;
    a = na ? taco__i256_negate(a) : a;
    b = nb ? taco__i256_negate(b) : b;
    for (i = 255; i >= 0; i--) {
        r = taco__i256_add(r, r);
        r.w[0] |= a.w[i / 64] >> (i % 64) & 1;
        if (taco__i256_compare(&r, &b) >= 0) {
            r = taco__i256_add(r, taco__i256_negate(b));
            q.w[i / 64] |= (uint64_t)1 << (i % 64);
        }
    }
    *rest = na ? taco__i256_negate(r) : r;
    return na != nb ? taco__i256_negate(q) : q;
}

/* Rounds a decimal to `digits` fewer digits after the point: floor, ceil, trunc, or round, which
   rounds half away from zero. The result has the smaller scale: 2.75 with one digit fewer is 28 at
   scale 1. */
static taco__i256 taco__func_number_round_decimal(taco__i256 a, int32_t digits, uint32_t id)
{
    taco__i256 q = taco__i256_div10(a, digits, id == TACO__FUNC_ROUND), back = q;
    if (id == TACO__FUNC_FLOOR || id == TACO__FUNC_CEIL) {
        int c;
        taco__i256_mul10(&back, digits);
        c = taco__i256_compare(&back, &a);
        if (id == TACO__FUNC_FLOOR && c > 0) {
            q = taco__i256_add(q, taco__i256_from_i64(-1));
        } else if (id == TACO__FUNC_CEIL && c < 0) {
            q = taco__i256_add(q, taco__i256_from_i64(1));
        }
    }
    return q;
}

/* Arithmetic and rounding of DECIMAL, HUGEINT and UBIGINT over a batch. The binder gave both
   operands the scale that the operation needs. */
static bool taco__func_number_decimal(taco__func_call *x)
{
    const taco__scalar_type *t = &x->out->type->t;
    taco__i256 zero = taco__i256_from_i64(0), rest;
    int64_t cut; /* digits before the point that become 0 */
    size_t i;
    for (i = 0; i < x->out->n; i++) {
        taco__i256 a, b = zero, r;
        if (!taco__vec_is_valid(x->out, i)) { continue; }
        a = TACO__FUNC_ARG_BIG(0);
        b = x->n > 1 && taco__sql_type_physical(x->a[1].type) == TACO__PHYS_BIG
                ? TACO__FUNC_ARG_BIG(1)
                : zero;
        switch (x->id) {
        case TACO__FUNC_ADD: r = taco__i256_add(a, b); break;
        case TACO__FUNC_SUB: r = taco__i256_add(a, taco__i256_negate(b)); break;
        case TACO__FUNC_MUL: r = taco__func_number_mul_big(a, b); break;
        case TACO__FUNC_ABS: r = taco__i256_is_negative(&a) ? taco__i256_negate(a) : a; break;
        case TACO__FUNC_NEG:
            r = taco__i256_negate(a);
            if (t->id == TACO_UINT64) { /* wraps */
                r = taco__i256_from_u64(r.w[0]);
            }
            break;
        case TACO__FUNC_IDIV:
        case TACO__FUNC_MOD:
            if (taco__i256_compare(&b, &zero) == 0) {
                if (!taco__func_set_null(x, i)) { return false; }
                continue;
            }
            r = taco__func_number_div_big(a, b, &rest);
            r = x->id == TACO__FUNC_MOD ? rest : r;
            break;
        case TACO__FUNC_ROUND:
        case TACO__FUNC_TRUNC:
        case TACO__FUNC_FLOOR:
        case TACO__FUNC_CEIL:
            cut =
                x->n > 1 && TACO__FUNC_ARG_INT(1) < 0 ? -TACO__MAX(TACO__FUNC_ARG_INT(1), -60) : 0;
            r = taco__func_number_round_decimal(a, x->a[0].type->t.scale - t->scale + (int32_t)cut,
                                                x->id);
            taco__i256_mul10(&r, (int32_t)cut);
            break;
        default: return taco__func_number_fail_case(x);
        }
        if (!taco__cast_fits(t, &r)) { return taco__func_number_fail_overflow(x); }
        x->out->v.d[i] = r;
    }
    return true;
}

/* round(BIGINT, -n) and trunc(BIGINT, -n) */
static bool taco__func_number_round_int(taco__func_call *x)
{
    size_t i;
    for (i = 0; i < x->out->n; i++) {
        int64_t digits = x->n > 1 && taco__vec_is_valid(x->out, i) ? TACO__FUNC_ARG_INT(1) : 0;
        taco__i256 r;
        if (!taco__vec_is_valid(x->out, i)) { continue; }
        r = taco__i256_from_i64(TACO__FUNC_ARG_INT(0));
        if (digits < 0) {
            r = digits < -30 ? taco__i256_from_i64(0)
                             : taco__i256_div10(r, (int32_t)-digits, x->id == TACO__FUNC_ROUND);
            if (digits >= -30) { taco__i256_mul10(&r, (int32_t)-digits); }
        }
        if (!taco__cast_fits(&x->out->type->t, &r)) { return taco__func_number_fail_overflow(x); }
        x->out->v.i[i] = (int64_t)r.w[0];
    }
    return true;
}

/* -1, 0 or 1; 0 for NaN. */
static bool taco__func_number_sign(taco__func_call *x)
{
    size_t i;
    for (i = 0; i < x->out->n; i++) {
        double d = taco__vec_is_valid(x->out, i) ? taco__cast_to_double(&x->a[0], i, false) : 0;
        x->out->v.i[i] = (d > 0) - (d < 0);
    }
    return true;
}

/* Runs a numeric function over a batch, in the physical form of its result. */
TACO__FN bool taco__func_number_run(taco__func_call *x)
{
    size_t i;
    switch (x->id) {
    case TACO__FUNC_SIGN: return taco__func_number_sign(x);
    case TACO__FUNC_ISNAN:
    case TACO__FUNC_ISINF:
    case TACO__FUNC_ISFINITE:
        for (i = 0; i < x->out->n; i++) {
            bool dates = taco__sql_type_is_datetime(x->a[0].type);
            double d = taco__vec_is_valid(x->out, i) && !dates ? TACO__FUNC_ARG_DOUBLE(0) : 0;
            bool finite = dates ? !taco__sql_type_is_infinite(x->a[0].type, TACO__FUNC_ARG_INT(0))
                                : taco__f64_is_finite(d);
            x->out->v.i[i] = x->id == TACO__FUNC_ISNAN   ? taco__f64_is_nan(d)
                             : x->id == TACO__FUNC_ISINF ? !finite && !taco__f64_is_nan(d)
                                                         : finite;
        }
        return true;
    case TACO__FUNC_PLUS: *x->out = x->a[0]; return taco__vec_flatten(x->arena, x->out, x->err);
    default: break;
    }
    if (taco__sql_type_physical(x->out->type) == TACO__PHYS_DBL) {
        return taco__func_number_double(x);
    }
    if (taco__sql_type_physical(x->out->type) == TACO__PHYS_BIG) {
        return taco__func_number_decimal(x);
    }
    return x->id == TACO__FUNC_ROUND || x->id == TACO__FUNC_TRUNC ? taco__func_number_round_int(x)
                                                                  : taco__func_number_int(x);
}
