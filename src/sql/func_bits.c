/* func_bits.c - functions of whole numbers: bits, shifts, divisors, factorials

   Types are those of arithmetic (bind_type.c): both operands have the type of the result, which may
   be a HUGEINT or UBIGINT, so 256 bits are used where 64 are not enough. Shifting left fails if a
   bit would be lost, as in DuckDB; shifting right by any number of bits is allowed.

   Examples: 6 & 3 is 2, xor(6, 3) is 5, ~5::UTINYINT is 250, as the type has eight bits; 1 << 31 is
   an error and 1::BIGINT << 31 is not; gcd(12, 18) is 6, lcm(4, 6) is 12; bit_count(-1::TINYINT)
   is 8; 33! is the last factorial that a HUGEINT holds. */
#include "sql.h"
#include "functions.h"
#include "../base/base.h"
#include "../filter/filter.h"

/* Bits of an integer type. */
static uint32_t taco__func_bits_width(const taco__sql_type *t)
{
    switch (t->t.id) {
    case TACO_INT8:
    case TACO_UINT8: return 8;
    case TACO_INT16:
    case TACO_UINT16: return 16;
    case TACO_INT32:
    case TACO_UINT32: return 32;
    case TACO_INT64:
    case TACO_UINT64: return 64;
    default: return 128;
    }
}

/* Argument k in row i as 256 bits, whatever its type. */
static taco__i256 taco__func_bits_get(const taco__vec *v, size_t i)
{
    i *= v->step;
    return taco__sql_type_physical(v->type) == TACO__PHYS_BIG ? v->v.d[i]
                                                              : taco__i256_from_i64(v->v.i[i]);
}

/* The result of row i, which must be in its type. */
static bool taco__func_bits_set(taco__func_call *x, size_t i, const taco__i256 *v)
{
    if (!taco__cast_fits(&x->out->type->t, v)) { return taco__func_number_fail_overflow(x); }
    if (taco__sql_type_physical(x->out->type) == TACO__PHYS_BIG) {
        x->out->v.d[i] = *v;
    } else {
        x->out->v.i[i] = (int64_t)v->w[0];
    }
    return true;
}

/* v << by, or v >> by with the sign kept. */
static taco__i256 taco__func_bits_shift(taco__i256 v, uint32_t by, bool left)
{
    uint64_t sign = taco__i256_is_negative(&v) ? UINT64_MAX : 0;
    for (; by; by--) {
        uint32_t w;
        for (w = 0; w < 4; w++) {
            uint32_t at = left ? 3 - w : w;
            v.w[at] = left ? v.w[at] << 1 | (at ? v.w[at - 1] >> 63 : 0)
                           : v.w[at] >> 1 | (at < 3 ? v.w[at + 1] << 63 : sign << 63);
        }
    }
    return v;
}

/* << and >>: DuckDB neither shifts negative numbers left nor shifts left by them. */
static bool taco__func_bits_shift_row(taco__func_call *x, size_t i)
{
    taco__i256 v = taco__func_bits_get(&x->a[0], i), n = taco__func_bits_get(&x->a[1], i);
    uint32_t width = taco__func_bits_width(x->out->type);
    bool small = !n.w[1] && !n.w[2] && !n.w[3] && n.w[0] < width;
    if (x->id == TACO__FUNC_SHIFT_RIGHT) {
        v = small ? taco__func_bits_shift(v, (uint32_t)n.w[0], false) : taco__i256_from_i64(0);
        return taco__func_bits_set(x, i, &v);
    }
    if (taco__i256_is_negative(&v) || taco__i256_is_negative(&n)) {
        TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                   "a shift to the left of, or by, a negative number");
        return false;
    }
    if (!small) {
        if (!v.w[0] && !v.w[1]) { return taco__func_bits_set(x, i, &v); }
        return taco__func_number_fail_overflow(x);
    }
    v = taco__func_bits_shift(v, (uint32_t)n.w[0], true);
    return taco__func_bits_set(x, i, &v);
}

/* &, |, xor and ~, word by word; of unsigned numbers ~ leaves the bits above their width 0. */
static bool taco__func_bits_logic_row(taco__func_call *x, size_t i)
{
    taco__i256 v = taco__func_bits_get(&x->a[0], i), y = v;
    uint32_t w, width = taco__func_bits_width(x->out->type);
    taco_type id = x->out->type->t.id;
    bool plain = id == TACO_UINT8 || id == TACO_UINT16 || id == TACO_UINT32 || id == TACO_UINT64;
    if (x->n > 1) { y = taco__func_bits_get(&x->a[1], i); }
    for (w = 0; w < 4; w++) {
        switch (x->id) {
        case TACO__FUNC_BIT_AND: v.w[w] &= y.w[w]; break;
        case TACO__FUNC_BIT_OR: v.w[w] |= y.w[w]; break;
        case TACO__FUNC_XOR: v.w[w] ^= y.w[w]; break;
        default:
            v.w[w] = ~v.w[w];
            if (plain) { v.w[w] &= w ? 0 : width < 64 ? ((uint64_t)1 << width) - 1 : UINT64_MAX; }
            break;
        }
    }
    return taco__func_bits_set(x, i, &v);
}

/* The remainder of two numbers of up to 128 bits that are not negative, by shifts. */
static taco__i256 taco__func_bits_remainder(taco__i256 a, taco__i256 b)
{
    uint32_t k;
    /* the largest multiple of b by a power of two that is not above a */
    for (k = 0; k < 128; k++) {
        taco__i256 twice = taco__func_bits_shift(b, k + 1, true);
        if (taco__i256_compare(&twice, &a) > 0) { break; }
    }
    for (;; k--) {
        taco__i256 part = taco__func_bits_shift(b, k, true);
        if (taco__i256_compare(&part, &a) <= 0) { a = taco__i256_add(a, taco__i256_negate(part)); }
        if (!k) { return a; }
    }
}

/* Euclid's algorithm; gcd(0, 0) is 0. */
static taco__i256 taco__func_bits_gcd(taco__i256 a, taco__i256 b)
{
    taco__i256 zero = taco__i256_from_i64(0);
    if (taco__i256_is_negative(&a)) { a = taco__i256_negate(a); }
    if (taco__i256_is_negative(&b)) { b = taco__i256_negate(b); }
    while (taco__i256_compare(&b, &zero) != 0) {
        taco__i256 rest = taco__func_bits_remainder(a, b);
        a = b;
        b = rest;
    }
    return a;
}

/* a * b, false beyond 128 bits; neither is negative. */
static bool taco__func_bits_multiply(taco__i256 a, taco__i256 b, taco__i256 *out)
{
    taco__i256 sum = taco__i256_from_i64(0);
    uint32_t k;
    /* a doubled for each bit of b, and added where the bit is set */
    for (k = 0; k < 128; k++) {
        if (b.w[k / 64] >> k % 64 & 1) {
            if (a.w[2] || a.w[3]) { return false; }
            sum = taco__i256_add(sum, a);
        }
        if (a.w[3] >> 62) { return false; }
        a = taco__func_bits_shift(a, 1, true);
    }
    *out = sum;
    return true;
}

/* a / b without remainder, where b is known to divide a. */
static taco__i256 taco__func_bits_quotient(taco__i256 a, taco__i256 b)
{
    taco__i256 q = taco__i256_from_i64(0);
    uint32_t k;
    for (k = 128; k-- > 0;) {
        taco__i256 part;
        part = taco__func_bits_shift(b, k, true);
        if (!taco__i256_is_negative(&part) && taco__i256_compare(&part, &a) <= 0) {
            a = taco__i256_add(a, taco__i256_negate(part));
            q.w[k / 64] |= (uint64_t)1 << k % 64;
        }
    }
    return q;
}

/* gcd and lcm of BIGINTs, for which 64 bits are enough. */
static bool taco__func_bits_divisor64(taco__func_call *x, size_t i)
{
    int64_t p = TACO__FUNC_ARG_INT(0), q = TACO__FUNC_ARG_INT(1);
    uint64_t a = p < 0 ? 0 - (uint64_t)p : (uint64_t)p, b = q < 0 ? 0 - (uint64_t)q : (uint64_t)q,
             u = a, v = b;
    taco__i256 r;
    while (v) {
        uint64_t rest = u % v;
        u = v;
        v = rest;
    }
    if (x->id == TACO__FUNC_LCM) {
        if (!u) { return true; }
        if (!taco__checked_mul64(a / u, b, &u)) { return taco__func_number_fail_overflow(x); }
    }
    r = taco__i256_from_u64(u);
    return taco__func_bits_set(x, i, &r);
}

/* gcd and lcm. */
static bool taco__func_bits_divisor_row(taco__func_call *x, size_t i)
{
    taco__i256 a, b, g, zero = taco__i256_from_i64(0);
    if (x->out->type->t.id == TACO_INT64) { return taco__func_bits_divisor64(x, i); }
    a = taco__func_bits_get(&x->a[0], i);
    b = taco__func_bits_get(&x->a[1], i);
    g = taco__func_bits_gcd(a, b);
    if (x->id == TACO__FUNC_GCD) { return taco__func_bits_set(x, i, &g); }
    if (taco__i256_compare(&g, &zero) == 0) { return taco__func_bits_set(x, i, &zero); }
    if (taco__i256_is_negative(&a)) { a = taco__i256_negate(a); }
    if (taco__i256_is_negative(&b)) { b = taco__i256_negate(b); }
    if (!taco__func_bits_multiply(taco__func_bits_quotient(a, g), b, &g)) {
        return taco__func_number_fail_overflow(x);
    }
    return taco__func_bits_set(x, i, &g);
}

/* n!, a HUGEINT; 33! is the largest. */
static bool taco__func_bits_factorial_row(taco__func_call *x, size_t i)
{
    int64_t n = TACO__FUNC_ARG_INT(0), k;
    taco__i256 v = taco__i256_from_i64(1);
    if (n < 0 || n > 33) {
        TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "the factorial of %d: must be 0 to 33",
                   TACO__D(n));
        return false;
    }
    for (k = 2; k <= n; k++) {
        if (!taco__i256_multiply_add(&v, (uint32_t)k, 0)) { return false; }
    }
    return taco__func_bits_set(x, i, &v);
}

/* One row. bit_count counts the ones of the type's width, of -1::TINYINT eight. */
static bool taco__func_bits_row(taco__func_call *x, size_t i)
{
    taco__i256 v;
    uint32_t w, width;
    switch (x->id) {
    case TACO__FUNC_SHIFT_LEFT:
    case TACO__FUNC_SHIFT_RIGHT: return taco__func_bits_shift_row(x, i);
    case TACO__FUNC_GCD:
    case TACO__FUNC_LCM: return taco__func_bits_divisor_row(x, i);
    case TACO__FUNC_FACTORIAL: return taco__func_bits_factorial_row(x, i);
    case TACO__FUNC_SIGNBIT:
        x->out->v.i[i] = (int64_t)(taco__f64_to_bits(TACO__FUNC_ARG_DOUBLE(0)) >> 63);
        return true;
    case TACO__FUNC_BIT_COUNT:
        v = taco__func_bits_get(&x->a[0], i);
        width = taco__func_bits_width(x->a[0].type);
        x->out->v.i[i] = 0;
        for (w = 0; w < (width + 63) / 64; w++) {
            uint64_t u = width < 64 ? v.w[w] & (((uint64_t)1 << width) - 1) : v.w[w];
            x->out->v.i[i] += (int64_t)taco__bitmap_popcount(u);
        }
        return true;
    default: return taco__func_bits_logic_row(x, i);
    }
}

/* Runs a call of these functions. */
TACO__FN bool taco__func_bits_run(taco__func_call *x)
{
    size_t i;
    for (i = 0; i < x->out->n; i++) {
        if (taco__vec_is_valid(x->out, i) && !taco__func_bits_row(x, i)) { return false; }
    }
    return true;
}
