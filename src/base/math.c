/* math.c - values of one SQL type as another, as DuckDB converts them. */
#include "json.h"
#include "base.h"

/* The nearest whole number, ties to even, without the rounding mode of the machine. */
TACO__FN double taco__math_round_even(double d)
{
    double a = d < 0 ? -d : d, r, rest;
    if (!(a < 4503599627370496.0)) { return d; }
    r = (double)(int64_t)a;
    rest = a - r;
    if (rest > 0.5 || (rest == 0.5 && (int64_t)r % 2)) { r += 1; }
    return taco__f64_to_bits(d) >> 63 ? -r : r;
}

TACO__FN double taco__math_round(double d) /* ties away from zero */
{
    double a = d < 0 ? -d : d, r;
    if (!(a < 4503599627370496.0)) { return d; }
    r = (double)(int64_t)a;
    r += a - r >= 0.5;
    return taco__f64_to_bits(d) >> 63 ? -r : r;
}

/* a % b exactly, without the C library's: b is subtracted in powers of two. */
TACO__FN double taco__math_fmod(double a, double b)
{
    double x = a < 0 ? -a : a, y = b < 0 ? -b : b, z;
    if (!(x - x == 0) || !(y == y) || y == 0) {
        return taco__f64_from_bits((uint64_t)0x7FF8 << 48);
    }
    if (!(y - y == 0) || x < y) { return a; }
    for (z = y; z <= x / 2; z *= 2) {}
    for (;; z /= 2) {
        if (x >= z) { x -= z; }
        if (z == y) { break; }
    }
    return a < 0 ? -x : x;
}

/* The nearest square root, digit by digit: one more bit than a double has decides the rounding. */
TACO__FN double taco__math_sqrt(double d)
{
    uint64_t bits = taco__f64_to_bits(d), m, root = 0, rem = 0;
    int e, i;
    double r;
    if (!(d > 0) || d - d != 0) { return d; }
    e = (int)(bits >> 52 & 0x7FF);
    m = bits & (((uint64_t)1 << 52) - 1);
    if (e == 0) {                                                      /* subnormal */
        return taco__math_sqrt(d * 18014398509481984.0) / 134217728.0; /* 2^54, 2^27 */
    }
    m |= (uint64_t)1 << 52;
    e -= 1075;
    if (e & 1) {
        m <<= 1;
        e--;
    }
    m <<= 10; /* 64 bits at most: pairs from the top */
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
    /* root = floor(sqrt(m * 2^46)), m of 64 bits: value = root * 2^((e - 10 - 46) / 2) */
    while (root >> 54) {
        rem |= root & 1;
        root >>= 1;
        e += 2;
    }
    if ((root & 1) && (rem || (root & 2))) { root++; }
    r = (double)(root >> 1) * 2;
    e = (e - 56) / 2;
    for (; e > 0; e--) {
        r *= 2;
    }
    for (; e < -60; e += 60) {
        r /= 1152921504606846976.0;
    }
    for (; e < 0; e++) {
        r /= 2;
    }
    return r;
}

TACO__FN double taco__math_floor(double d)
{
    double r;
    if (!(d > -4503599627370496.0 && d < 4503599627370496.0)) { return d; }
    r = (double)(int64_t)d;
    r -= r > d;
    return r == 0 && taco__f64_to_bits(d) >> 63 ? -0.0 : r;
}
