/* math.c - rounding, remainders and square roots without libm

   The library links nothing but libc, and results must not depend on the machine: these are exact
   or correctly rounded everywhere, whatever the rounding mode. For SQL's functions and casts, and
   band statistics. Doubles from 2^52 up have no fraction, so that rounding leaves them alone, as
   NaN and the infinities. */
#include "json.h"
#include "base.h"

/* The nearest whole number, ties to even; -0.0 stays negative. */
TACO__FN double taco__math_round_even(double d)
{
    double a = d < 0 ? -d : d, r, rest;
    if (!(a < 4503599627370496.0)) { return d; }
    r = (double)(int64_t)a;
    rest = a - r;
    if (rest > 0.5 || (rest == 0.5 && (int64_t)r % 2)) { r += 1; }
    return taco__f64_to_bits(d) >> 63 ? -r : r;
}

/* The nearest whole number, ties away from zero. */
TACO__FN double taco__math_round(double d)
{
    double a = d < 0 ? -d : d, r;
    if (!(a < 4503599627370496.0)) { return d; }
    r = (double)(int64_t)a;
    r += a - r >= 0.5;
    return taco__f64_to_bits(d) >> 63 ? -r : r;
}

/* C's fmod: a - b * trunc(a / b) exactly, with a's sign; b is subtracted in powers of two. NaN
   where a is infinite or b is 0. */
TACO__FN double taco__math_fmod(double a, double b)
{
    double x = a < 0 ? -a : a, y = b < 0 ? -b : b, z;
    if (!taco__f64_is_finite(x) || taco__f64_is_nan(y) || y == 0) {
        return taco__f64_from_bits((uint64_t)0x7FF8 << 48);
    }
    if (!taco__f64_is_finite(y) || x < y) { return a; }
    z = y;
    while (z <= x / 2) {
        z *= 2;
    }
    for (;;) {
        if (x >= z) { x -= z; }
        if (z == y) { break; }
        z /= 2;
    }
    return a < 0 ? -x : x;
}

/* floor(sqrt(m * 2^46)), binary digit by digit: each step takes two bits of the number and gives
   one of its root. */
static uint64_t taco__math_integer_root(uint64_t m)
{
    uint64_t root = 0, rem = 0;
    int i;
    for (i = 0; i < 55; i++) {
        uint64_t pair = i < 32 ? m >> (62 - 2 * i) & 3 : 0, trial;
        rem = rem << 2 | pair;
        trial = root << 2 | 1;
        root <<= 1;
        if (rem >= trial) {
            rem -= trial;
            root |= 1;
        }
    }
    return root;
}

/* x * 2^e, exactly where the result is normal. */
static double taco__math_scale(double x, int e)
{
    for (; e > 0; e--) {
        x *= 2;
    }
    for (; e < -60; e += 60) {
        x /= 1152921504606846976.0; /* 2^60 */
    }
    for (; e < 0; e++) {
        x /= 2;
    }
    return x;
}

/* The nearest square root: one more bit than a double has decides the rounding. No root lies in the
   middle between two doubles, since the square of an odd number of 54 bits has more than 53. d
   itself where it has none: zeros, negative numbers, infinity, NaN. */
TACO__FN double taco__math_sqrt(double d)
{
    uint64_t bits = taco__f64_to_bits(d), m, root;
    int e;
    if (!(d > 0) || !taco__f64_is_finite(d)) { return d; }
    e = (int)(bits >> 52 & 0x7FF);
    m = bits & (((uint64_t)1 << 52) - 1);
    if (e == 0) {                                                      /* subnormal */
        return taco__math_sqrt(d * 18014398509481984.0) / 134217728.0; /* 2^54, 2^27 */
    }
    m |= (uint64_t)1 << 52;
    e -= 1075; /* d = m * 2^e */
    if (e & 1) {
        m <<= 1;
        e--;
    }
    m <<= 10; /* 64 bits at most: pairs from the top */
    root = taco__math_integer_root(m);
    /* m of 64 bits: the root of d is root * 2^((e - 10 - 46) / 2) */
    while (root >> 54) {
        root >>= 1;
        e += 2;
    }
    root += root & 1;
    return taco__math_scale((double)(root >> 1) * 2, (e - 56) / 2);
}

/* The largest whole number that is not above d; -0.0 stays. */
TACO__FN double taco__math_floor(double d)
{
    double r;
    if (!(d > -4503599627370496.0 && d < 4503599627370496.0)) { return d; }
    r = (double)(int64_t)d;
    r -= r > d;
    return r == 0 && taco__f64_to_bits(d) >> 63 ? -0.0 : r;
}
