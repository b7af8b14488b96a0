/* func_math.c - elementary functions without libm: exp, log, trigonometric and hyperbolic functions

   The library links nothing but libc, and results must not depend on the machine. Everything is
   computed in pairs of doubles, hi + lo with |lo| at most half a unit of hi, which have some 106
   bits (T. J. Dekker, A floating-point technique for extending the available precision, 1971), and
   rounded once at the end: results are the nearest double except in very rare cases, and exact if
   the true result is a double, such as log10(1000). Arguments outside the domain are errors if they
   are in DuckDB, otherwise NaN.

   Examples: sin(1e22) is -0.8522008497671888, though 1e22 has no digit after the point: 2/pi is
   multiplied out as far as it matters; pow(10, 2) is 100 and log10(1000) 3 without a rounding;
   ln(0), asin(2) and gamma(0) are errors, acosh(0.5) is NaN, exp(1000) infinite, as in DuckDB. */
#include "sql.h"
#include "functions.h"
#include "../base/base.h"
#include "../base/json.h"

/* A number as the sum of two doubles. */
typedef struct taco__pair {
    double hi, lo;
} taco__pair;

static const taco__pair taco__pair_ln2 = {0.6931471805599453, 2.3190468138462996e-17},
                        taco__pair_ln10 = {2.302585092994046, -2.1707562233822494e-16},
                        taco__pair_pi = {3.141592653589793, 1.2246467991473532e-16};

/* A quiet NaN without a sign. */
static double taco__math_nan(void)
{
    return taco__f64_from_bits((uint64_t)0x7FF8 << 48);
}

/* Positive infinity, which C99 defines only in a header of libm. */
static double taco__math_infinity(void)
{
    return taco__f64_from_bits((uint64_t)0x7FF0 << 48);
}

/* Neither NaN nor infinite. */
static bool taco__math_is_finite(double x)
{
    return taco__f64_is_finite(x);
}

/* ---- arithmetic ---- */

/* The pair of two doubles that do not overlap. */
static taco__pair taco__pair_of(double hi, double lo)
{
    taco__pair p;
    p.hi = hi;
    p.lo = lo;
    return p;
}

/* a + b exactly, where |a| >= |b| or a is 0. */
static taco__pair taco__pair_fast_sum(double a, double b)
{
    double s = a + b;
    return taco__pair_of(s, b - (s - a));
}

/* a + b exactly. */
static taco__pair taco__pair_sum(double a, double b)
{
    double s = a + b, part = s - a;
    return taco__pair_of(s, (a - (s - part)) + (b - part));
}

/* a * b exactly: the factors are split into halves of 26 bits, whose products are exact. */
static taco__pair taco__pair_product(double a, double b)
{
    double p = a * b, ca = 134217729.0 * a, cb = 134217729.0 * b;
    double ah = ca - (ca - a), al = a - ah, bh = cb - (cb - b), bl = b - bh;
    return taco__pair_of(p, ((ah * bh - p) + ah * bl + al * bh) + al * bl);
}

/* a + b to some 106 bits. */
static taco__pair taco__pair_add(taco__pair a, taco__pair b)
{
    taco__pair s = taco__pair_sum(a.hi, b.hi), t = taco__pair_sum(a.lo, b.lo);
    s = taco__pair_fast_sum(s.hi, s.lo + t.hi);
    return taco__pair_fast_sum(s.hi, s.lo + t.lo);
}

/* -a, exactly. */
static taco__pair taco__pair_negate(taco__pair a)
{
    return taco__pair_of(-a.hi, -a.lo);
}

/* a * b to some 104 bits: the product of the small halves is omitted. */
static taco__pair taco__pair_multiply(taco__pair a, taco__pair b)
{
    taco__pair p = taco__pair_product(a.hi, b.hi);
    return taco__pair_fast_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

/* a / b by long division: three digits of 53 bits each. */
static taco__pair taco__pair_divide(taco__pair a, taco__pair b)
{
    double q1 = a.hi / b.hi, q2, q3;
    taco__pair r =
        taco__pair_add(a, taco__pair_negate(taco__pair_multiply(b, taco__pair_of(q1, 0))));
    q2 = r.hi / b.hi;
    r = taco__pair_add(r, taco__pair_negate(taco__pair_multiply(b, taco__pair_of(q2, 0))));
    q3 = r.hi / b.hi;
    r = taco__pair_fast_sum(q1, q2);
    return taco__pair_add(r, taco__pair_of(q3, 0));
}

/* The square root of a non-negative number: one Newton step from that of hi. */
static taco__pair taco__pair_root(taco__pair a)
{
    double s = taco__math_sqrt(a.hi);
    taco__pair r;
    if (s == 0) { return taco__pair_of(0, 0); }
    r = taco__pair_add(a, taco__pair_negate(taco__pair_product(s, s)));
    return taco__pair_fast_sum(s, r.hi / (2 * s));
}

/* p * 2^k as a double; in two steps, since 2^k alone may not be a double. */
static double taco__pair_scale(taco__pair p, int k)
{
    double x = p.hi + p.lo;
    int half = k / 2;
    if (k > 2100) { return x * taco__math_infinity(); }
    if (k < -2200) { return x * 0.0; }
    for (; half > 1000; half -= 1000, k -= 1000) {
        x *= taco__f64_from_bits((uint64_t)2023 << 52);
    }
    for (; half < -1000; half += 1000, k += 1000) {
        x *= taco__f64_from_bits((uint64_t)23 << 52);
    }
    half = k / 2;
    return x * taco__f64_from_bits((uint64_t)(1023 + half) << 52) *
           taco__f64_from_bits((uint64_t)(1023 + k - half) << 52);
}

/* ---- exponential and logarithm ---- */

/* e^x as a pair times 2^*k: x = k ln 2 + 64 r, a series for e^r, squared six times. */
static taco__pair taco__pair_exp(taco__pair x, int *k)
{
    double n = taco__math_round(x.hi / taco__pair_ln2.hi);
    taco__pair r = taco__pair_add(
                   x, taco__pair_negate(taco__pair_multiply(taco__pair_ln2, taco__pair_of(n, 0)))),
               sum = taco__pair_of(0, 0);
    int i;
    *k = (int)n;
    r = taco__pair_of(r.hi / 64, r.lo / 64);
    for (i = 14; i > 0; i--) { /* r + r^2/2 + ... without the 1, which would hide its digits */
        sum = taco__pair_multiply(taco__pair_divide(r, taco__pair_of(i, 0)),
                                  i == 14 ? taco__pair_of(1, 0)
                                          : taco__pair_add(sum, taco__pair_of(1, 0)));
    }
    for (i = 0; i < 6; i++) { /* (1 + s)^2 - 1 = 2 s + s^2 */
        taco__pair square = taco__pair_multiply(sum, sum);
        sum = taco__pair_add(taco__pair_of(2 * sum.hi, 2 * sum.lo), square);
    }
    return taco__pair_add(sum, taco__pair_of(1, 0));
}

/* e^x rounded to a double. */
static double taco__pair_exp_round(taco__pair x)
{
    int k;
    taco__pair p;
    if (x.hi > 800) { return taco__math_infinity(); }
    if (x.hi < -800) { return 0; }
    p = taco__pair_exp(x, &k);
    return taco__pair_scale(p, k);
}

/* The natural logarithm of a finite number above 0: x = m 2^e with m near 1, and
   ln m = 2 (s + s^3/3 + s^5/5 + ...) with s = (m - 1) / (m + 1). */
static taco__pair taco__pair_log(taco__pair x)
{
    uint64_t bits = taco__f64_to_bits(x.hi);
    int e, i;
    taco__pair s, t, sum = taco__pair_of(0, 0);
    double scale;
    if (!(bits >> 52)) { /* subnormal */
        x.hi *= 18014398509481984.0;
        x.lo *= 18014398509481984.0;
        t = taco__pair_log(x);
        return taco__pair_add(t, taco__pair_multiply(taco__pair_ln2, taco__pair_of(-54, 0)));
    }
    e = (int)(bits >> 52) - 1023;
    if ((bits & (((uint64_t)1 << 52) - 1)) > UINT64_C(0x6A09E667F3BCC)) { e++; }
    scale = taco__f64_from_bits((uint64_t)(1023 - (e > 1000 ? 1000 : e)) << 52);
    x = taco__pair_of(x.hi * scale, x.lo * scale);
    if (e > 1000) {
        scale = taco__f64_from_bits((uint64_t)(1023 - (e - 1000)) << 52);
        x = taco__pair_of(x.hi * scale, x.lo * scale);
    }
    s = taco__pair_divide(taco__pair_add(x, taco__pair_of(-1, 0)),
                          taco__pair_add(x, taco__pair_of(1, 0)));
    t = taco__pair_multiply(s, s);
    for (i = 45; i > 0; i -= 2) {
        sum = taco__pair_add(taco__pair_multiply(sum, t),
                             taco__pair_divide(taco__pair_of(1, 0), taco__pair_of(i, 0)));
    }
    sum = taco__pair_multiply(sum, s);
    return taco__pair_add(taco__pair_of(2 * sum.hi, 2 * sum.lo),
                          taco__pair_multiply(taco__pair_ln2, taco__pair_of(e, 0)));
}

/* ln x over the logarithm of a base, rounded; x is above 0, infinity included. */
static double taco__math_log_over(double x, taco__pair base)
{
    taco__pair p;
    if (!taco__math_is_finite(x)) { return x; }
    p = taco__pair_divide(taco__pair_log(taco__pair_of(x, 0)), base);
    return p.hi + p.lo;
}

/* The logarithm to base 2 of a number above 0. */
TACO__FN double taco__func_math_log2(double x)
{
    return taco__math_log_over(x, taco__pair_ln2);
}

/* Whether a finite number is whole, and odd. */
static bool taco__math_is_whole(double x, bool *odd)
{
    double h;
    *odd = false;
    if (taco__math_floor(x) != x) { return false; }
    if (x > 9007199254740992.0 || x < -9007199254740992.0) { return true; }
    h = x / 2;
    *odd = taco__math_floor(h) != h;
    return true;
}

/* x^y as C99 F.9.4.4 has it. */
TACO__FN double taco__math_pow(double x, double y)
{
    bool odd, whole, big = x > 1 || x < -1;
    double r;
    taco__pair p;
    if (y == 0 || x == 1) { return 1; }
    if (taco__f64_is_nan(x) || taco__f64_is_nan(y)) { return taco__math_nan(); }
    if (!taco__math_is_finite(y)) {
        return x == -1 ? 1 : (y > 0) == big ? taco__math_infinity() : 0;
    }
    whole = taco__math_is_whole(y, &odd);
    if (x == 0 || !taco__math_is_finite(x)) {
        r = (x == 0) == (y > 0) ? 0 : taco__math_infinity();
        return odd && taco__f64_to_bits(x) >> 63 ? -r : r;
    }
    if (x < 0 && !whole) { return taco__math_nan(); }
    p = taco__pair_log(taco__pair_of(x < 0 ? -x : x, 0));
    if (y > 1e6 || y < -1e6) { /* with a large y the sign of log x decides */
        double v = p.hi * y;
        if (v > 800 || v < -800) {
            r = v > 0 ? taco__math_infinity() : 0;
            return x < 0 && odd ? -r : r;
        }
    }
    r = taco__pair_exp_round(taco__pair_multiply(p, taco__pair_of(y, 0)));
    return x < 0 && odd ? -r : r;
}

/* ---- sines ---- */

/* r and the quarter turn with x = quarter * pi/2 + r, |r| <= pi/4: x times the digits of 2/pi that
   matter for it, as whole numbers (M. H. Payne, R. N. Hanek, Radian reduction for trigonometric
   functions, 1983). Digits of 2/pi that only contribute whole turns to the product are left out, as
   are those beyond 250 bits after its point. */
static taco__pair taco__math_reduce(double x, int *quarter)
{
    static const uint32_t two_over_pi[] = {
        0xA2F9836E, 0x4E441529, 0xFC2757D1, 0xF534DDC0, 0xDB629599, 0x3C439041, 0xFE5163AB,
        0xDEBBC561, 0xB7246E3A, 0x424DD2E0, 0x06492EEA, 0x09D1921C, 0xFE1DEB1C, 0xB129A73E,
        0xE88235F5, 0x2EBB4484, 0xE99C7026, 0xB45F7E41, 0x3991D639, 0x835339F4, 0x9C845F8B,
        0xBDF9283B, 0x1FF897FF, 0xDE05980F, 0xEF2F118B, 0x5A0A6D1F, 0x6D367ECF, 0x27CB09B7,
        0x4F463F66, 0x9E5FEA2D, 0x7527BAC7, 0xEBE5F17B, 0x3D0739F7, 0x8A5292EA, 0x6BFB5FB1,
        0x1F8D5D08, 0x56033046, 0xFC7B6BAB, 0xF0CFBC20, 0x9AF4361D};
    uint32_t p[11];
    uint64_t bits = taco__f64_to_bits(x),
             m = (bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)1 << 52;
    int e = (int)(bits >> 52 & 0x7FF) - 1075, first = e > 1 ? e - 1 : 1, point, i, top;
    uint64_t carry = 0, low = m & 0xFFFFFFFF, high = m >> 32;
    bool negative = bits >> 63, back;
    taco__pair r = taco__pair_of(0, 0);
    if (x < 0.78 && x > -0.78) {
        *quarter = 0;
        return taco__pair_of(x, 0);
    }
    /* p = m * bits [first, first + 256) of 2/pi, bit 1 being the first after the point */
    memset(p, 0, sizeof p);
    for (i = 0; i < 8; i++) { /* from the lowest word on */
        int at = first - 1 + 32 * (7 - i), word = at / 32, shift = at % 32;
        uint64_t w = (((uint64_t)two_over_pi[word] << 32 | two_over_pi[word + 1]) << shift) >> 32;
        uint64_t v = w * low + p[i] + carry;
        uint64_t u;
        p[i] = (uint32_t)v;
        u = w * high + p[i + 1] + (v >> 32);
        p[i + 1] = (uint32_t)u;
        carry = 0;
        p[i + 2] += (uint32_t)(u >> 32);
    }
    /* the product is p * 2^-point */
    point = first + 255 - e;
    top = point / 32;
    *quarter =
        (int)(((uint64_t)p[top] | (uint64_t)(top < 10 ? p[top + 1] : 0) << 32) >> point % 32 & 3);
    p[top] &= ((uint32_t)1 << point % 32) - 1;
    for (i = top + 1; i < 11; i++) {
        p[i] = 0;
    }
    /* above a half: back from the next quarter */
    i = point - 1;
    back = p[i / 32] >> i % 32 & 1;
    if (back) {
        carry = 1;
        for (i = 0; i <= top; i++) {
            carry += (uint32_t)~p[i];
            p[i] = (uint32_t)carry;
            carry >>= 32;
        }
        p[top] &= ((uint32_t)1 << point % 32) - 1;
        *quarter = (*quarter + 1) & 3;
    }
    for (i = top; i >= 0; i--) {
        double w = taco__pair_scale(taco__pair_of(p[i], 0), 32 * i - point);
        r = taco__pair_add(r, taco__pair_of(w, 0));
    }
    r = taco__pair_multiply(r, taco__pair_of(taco__pair_pi.hi / 2, taco__pair_pi.lo / 2));
    if (back != negative) { r = taco__pair_negate(r); }
    if (negative) { *quarter = -*quarter & 3; }
    return r;
}

/* Sine (from 1) or cosine (from 0) of |r| <= pi/4: the series by powers of r^2. */
static taco__pair taco__pair_series(taco__pair r, int from)
{
    taco__pair square = taco__pair_multiply(r, r), sum = taco__pair_of(1, 0);
    int i;
    for (i = 26 + from; i > from; i -= 2) {
        sum = taco__pair_multiply(taco__pair_divide(square, taco__pair_of(-(double)i * (i - 1), 0)),
                                  sum);
        sum = taco__pair_add(sum, taco__pair_of(1, 0));
    }
    return from ? taco__pair_multiply(sum, r) : sum;
}

/* Sine and cosine of x, which is finite. */
static void taco__math_sine(double x, taco__pair *sine, taco__pair *cosine)
{
    int q;
    taco__pair r = taco__math_reduce(x, &q), s = taco__pair_series(r, 1),
               c = taco__pair_series(r, 0);
    *sine = q & 1 ? c : s;
    *cosine = q & 1 ? s : c;
    if (q & 2) { *sine = taco__pair_negate(*sine); }
    if (q == 1 || q == 2) { *cosine = taco__pair_negate(*cosine); }
}

/* The arc tangent: near a first guess t, atan x = t + atan((x - tan t) / (1 + x tan t)). */
static taco__pair taco__pair_atan(taco__pair x)
{
    bool negative = x.hi < 0, inverse;
    taco__pair t, d, square, sum = taco__pair_of(0, 0);
    double guess;
    int i;
    if (negative) { x = taco__pair_negate(x); }
    inverse = x.hi > 1;
    if (inverse) { x = taco__pair_divide(taco__pair_of(1, 0), x); }
    guess = x.hi * (0.7853981633974483 + 0.273 * (1 - x.hi));
    t = taco__pair_divide(taco__pair_series(taco__pair_of(guess, 0), 1),
                          taco__pair_series(taco__pair_of(guess, 0), 0));
    d = taco__pair_divide(taco__pair_add(x, taco__pair_negate(t)),
                          taco__pair_add(taco__pair_multiply(x, t), taco__pair_of(1, 0)));
    square = taco__pair_multiply(d, d);
    for (i = 13; i > 0; i -= 2) {
        sum = taco__pair_add(taco__pair_negate(taco__pair_multiply(sum, square)),
                             taco__pair_divide(taco__pair_of(1, 0), taco__pair_of(i, 0)));
    }
    t = taco__pair_add(taco__pair_multiply(sum, d), taco__pair_of(guess, 0));
    if (inverse) {
        t = taco__pair_add(taco__pair_of(taco__pair_pi.hi / 2, taco__pair_pi.lo / 2),
                           taco__pair_negate(t));
    }
    return negative ? taco__pair_negate(t) : t;
}

/* The angle of the point (x, y), as C99 F.9.1.4 has it. */
static double taco__math_atan2(double y, double x)
{
    bool below = taco__f64_to_bits(y) >> 63, left = taco__f64_to_bits(x) >> 63;
    taco__pair r;
    double a = y < 0 ? -y : y, b = x < 0 ? -x : x;
    if (taco__f64_is_nan(x) || taco__f64_is_nan(y)) { return taco__math_nan(); }
    if (a == 0) {
        r = left ? taco__pair_pi : taco__pair_of(0, 0);
    } else if (b == 0) {
        r = taco__pair_of(taco__pair_pi.hi / 2, taco__pair_pi.lo / 2);
    } else if (!taco__math_is_finite(a) || !taco__math_is_finite(b)) {
        bool both = !taco__math_is_finite(a) && !taco__math_is_finite(b);
        double turn = both ? (left ? 0.75 : 0.25) : !taco__math_is_finite(a) ? 0.5 : left ? 1 : 0;
        r = taco__pair_multiply(taco__pair_pi, taco__pair_of(turn, 0));
    } else {
        /* the quotient of the smaller by the larger, which cannot overflow */
        bool steep = a > b;
        /* by a power of two, which rounds nothing */
        double down = steep ? a : b;
        double k = taco__f64_from_bits((uint64_t)(down > 1e200    ? 1023 - 700
                                                  : down < 1e-200 ? 1023 + 700
                                                                  : 1023)
                                       << 52);
        r = taco__pair_atan(
            taco__pair_divide(taco__pair_of((steep ? b : a) * k, 0), taco__pair_of(down * k, 0)));
        if (steep) {
            r = taco__pair_add(taco__pair_of(taco__pair_pi.hi / 2, taco__pair_pi.lo / 2),
                               taco__pair_negate(r));
        }
        if (left) { r = taco__pair_add(taco__pair_pi, taco__pair_negate(r)); }
    }
    return below ? -(r.hi + r.lo) : r.hi + r.lo;
}

/* asin x (or acos x) for |x| <= 1: the angle of (sqrt(1 - x^2), x). */
static double taco__math_arc(double x, bool cosine)
{
    taco__pair root = taco__pair_root(
                   taco__pair_multiply(taco__pair_add(taco__pair_of(1, 0), taco__pair_of(-x, 0)),
                                       taco__pair_add(taco__pair_of(1, 0), taco__pair_of(x, 0)))),
               r;
    if (x == 1 || x == -1) {
        return cosine ? (x > 0 ? 0 : taco__pair_pi.hi) : x * (taco__pair_pi.hi / 2);
    }
    if (!cosine && x < 1e-9 && x > -1e-9) { return x; }
    r = taco__pair_atan(taco__pair_divide(taco__pair_of(x, 0), root));
    if (cosine) {
        r = taco__pair_add(taco__pair_of(taco__pair_pi.hi / 2, taco__pair_pi.lo / 2),
                           taco__pair_negate(r));
    }
    return r.hi + r.lo;
}

/* ---- hyperbolic functions ---- */

/* sinh, cosh and tanh by e^x and e^-x. */
static double taco__math_hyperbolic(double x, char which)
{
    double a = x < 0 ? -x : x, r;
    taco__pair up, down, p;
    int k;
    if (taco__f64_is_nan(x)) { return x; }
    if (which != 'c' && a < 1e-9) { return x; }
    if (which == 't' && a > 40) { return x < 0 ? -1 : 1; }
    if (a > 40) { /* e^-x is negligible next to e^x */
        r = taco__pair_exp_round(taco__pair_add(taco__pair_of(TACO__MIN(a, 2000.0), 0),
                                                taco__pair_negate(taco__pair_ln2)));
        return which == 's' && x < 0 ? -r : r;
    }
    up = taco__pair_exp(taco__pair_of(a, 0), &k);
    r = taco__pair_scale(taco__pair_of(1, 0), k);
    up = taco__pair_of(up.hi * r, up.lo * r);
    down = taco__pair_divide(taco__pair_of(1, 0), up);
    p = taco__pair_add(up, which == 'c' ? down : taco__pair_negate(down));
    if (which == 't') {
        p = taco__pair_divide(p, taco__pair_add(up, down));
        p = taco__pair_of(2 * p.hi, 2 * p.lo);
    }
    r = (p.hi + p.lo) / 2;
    return which != 'c' && x < 0 ? -r : r;
}

/* asinh, acosh and atanh by logarithms; the argument is in the domain. */
static double taco__math_area(double x, char which)
{
    double a = x < 0 ? -x : x, r;
    taco__pair p = taco__pair_of(a, 0), square;
    if (which != 'c' && a < 1e-9) { return x; }
    if (!taco__math_is_finite(x)) { return x; }
    if (which == 't') {
        p = taco__pair_log(
            taco__pair_divide(taco__pair_add(taco__pair_of(1, 0), p),
                              taco__pair_add(taco__pair_of(1, 0), taco__pair_negate(p))));
        r = (p.hi + p.lo) / 2;
    } else if (a > 1e15) {
        p = taco__pair_add(taco__pair_log(p), taco__pair_ln2);
        r = p.hi + p.lo;
    } else {
        square = taco__pair_add(taco__pair_multiply(p, p), taco__pair_of(which == 's' ? 1 : -1, 0));
        p = taco__pair_log(taco__pair_add(p, taco__pair_root(square)));
        r = p.hi + p.lo;
    }
    return x < 0 ? -r : r;
}

/* ---- gamma ---- */

/* ln gamma(x) for x > 0 by Stirling's series (DLMF 5.11.1), moved up to where it converges:
   gamma(x) = gamma(x + n) / (x (x + 1) ... (x + n - 1)). */
static taco__pair taco__pair_log_gamma(double x)
{
    static const taco__pair half_log_two_pi = {0.9189385332046728, -3.8782941580672414e-17};
    static const taco__pair terms[] = {{0.08333333333333333, 4.625929269271485e-18},
                                       {-0.002777777777777778, 1.0601087908747154e-19},
                                       {0.0007936507936507937, 6.883823317368282e-22},
                                       {-0.0005952380952380953, 5.36938218754726e-20},
                                       {0.0008417508417508417, 3.6870174889237694e-20},
                                       {-0.0019175269175269176, 1.0675702776872475e-19},
                                       {0.00641025641025641, 2.2240044563805217e-19},
                                       {-0.029550653594771242, 4.861760957508855e-19},
                                       {0.17964437236883057, -6.401600482710946e-19},
                                       {-1.3924322169059011, 1.5837056989230303e-17},
                                       {13.402864044168393, -6.154114101993966e-16},
                                       {-156.84828462600203, 9.391823141715389e-15},
                                       {2193.1033333333335, -1.3339255626002948e-13}};
    taco__pair z = taco__pair_of(x, 0), under = taco__pair_of(1, 0), inverse, square, sum, l;
    int i;
    while (z.hi < 24) {
        under = taco__pair_multiply(under, z);
        z = taco__pair_add(z, taco__pair_of(1, 0));
    }
    inverse = taco__pair_divide(taco__pair_of(1, 0), z);
    square = taco__pair_multiply(inverse, inverse);
    sum = taco__pair_of(0, 0);
    for (i = (int)TACO__COUNT(terms) - 1; i >= 0; i--) {
        sum = taco__pair_add(taco__pair_multiply(sum, square), terms[i]);
    }
    sum = taco__pair_multiply(sum, inverse);
    l = taco__pair_log(z);
    sum = taco__pair_add(sum, half_log_two_pi);
    sum = taco__pair_add(sum, taco__pair_negate(z));
    sum = taco__pair_add(sum, taco__pair_multiply(l, taco__pair_add(z, taco__pair_of(-0.5, 0))));
    return taco__pair_add(sum, taco__pair_negate(taco__pair_log(under)));
}

/* gamma(x), or the logarithm of its magnitude; by reflection below 0. */
static double taco__math_gamma(double x, bool log)
{
    taco__pair p, sine, cosine;
    bool odd;
    double f;
    if (taco__f64_is_nan(x)) { return x; }
    if (!taco__math_is_finite(x)) {
        return x > 0 || log ? taco__math_infinity() : taco__math_nan();
    }
    if (x > 1e300) { return taco__math_infinity(); }
    if (x == 1 || x == 2) { return log ? 0 : 1; }
    if (x > 0) {
        p = taco__pair_log_gamma(x);
        if (log) { return p.hi + p.lo; }
        f = taco__pair_exp_round(p);
        return x < 20 && taco__math_floor(x) == x ? taco__math_round(f) : f;
    }
    if (taco__math_is_whole(x, &odd)) { return log ? taco__math_infinity() : taco__math_nan(); }
    /* gamma(x) gamma(1 - x) = pi / sin(pi x): the sine of what is left of x after whole turns */
    f = x - taco__math_floor(x);
    p = taco__pair_multiply(taco__pair_pi, taco__pair_of(f > 0.5 ? 1 - f : f, 0));
    if (p.hi > 0.78) {
        sine = taco__pair_series(
            taco__pair_add(taco__pair_of(taco__pair_pi.hi / 2, taco__pair_pi.lo / 2),
                           taco__pair_negate(p)),
            0);
    } else {
        sine = taco__pair_series(p, 1);
    }
    cosine = taco__pair_add(taco__pair_log(taco__pair_divide(taco__pair_pi, sine)),
                            taco__pair_negate(taco__pair_log_gamma(1 - x)));
    if (log) { return cosine.hi + cosine.lo; }
    taco__math_is_whole(taco__math_floor(x), &odd);
    return odd ? -taco__pair_exp_round(cosine) : taco__pair_exp_round(cosine);
}

/* ---- calls ---- */

/* An error that names the function. */
static TACO__COLD bool taco__math_fail(taco__func_call *x, const char *what)
{
    TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "%s %s", x->name, what);
    return false;
}

/* Fails for the arguments that DuckDB refuses. */
static bool taco__math_check(taco__func_call *x, char which, double v)
{
    switch (which) {
    case 's':
    case 'c':
    case 't':
    case 'k':
        return taco__f64_is_nan(v) || taco__math_is_finite(v) ||
               taco__math_fail(x, "of an infinite number");
    case 'l':
    case 'L':
    case '2': return !(v <= 0) || taco__math_fail(x, v == 0 ? "of 0" : "of a negative number");
    case 'a':
    case 'b':
    case 'H': return !(v > 1 || v < -1) || taco__math_fail(x, "outside of -1 to 1");
    case 'g':
    case 'G': return v != 0 || taco__math_fail(x, "of 0");
    default: return true;
    }
}

/* sin, cos, tan, cot. */
static double taco__math_circular(double v, char which)
{
    taco__pair s, c;
    if (taco__f64_is_nan(v)) { return v; }
    if (v < 1e-9 && v > -1e-9 && which != 'k') { return which == 'c' ? 1 : v; }
    taco__math_sine(v, &s, &c);
    s = which == 's'   ? s
        : which == 'c' ? c
        : which == 't' ? taco__pair_divide(s, c)
                       : taco__pair_divide(c, s);
    return s.hi + s.lo;
}

/* The nearest even whole number away from 0. */
static double taco__math_even(double v)
{
    double a = v < 0 ? -v : v, up = -taco__math_floor(-a), half = up / 2;
    up = taco__math_floor(half) == half ? up : up + 1;
    return v < 0 ? -up : up;
}

/* The cube root: from a third of the logarithm, corrected by a Newton step. */
static double taco__math_cube_root(double v)
{
    double a = v < 0 ? -v : v, r;
    taco__pair third, cube;
    if (v == 0 || !taco__math_is_finite(v)) { return v; }
    third = taco__pair_divide(taco__pair_log(taco__pair_of(a, 0)), taco__pair_of(3, 0));
    r = taco__pair_exp_round(third);
    cube = taco__pair_multiply(taco__pair_product(r, r), taco__pair_of(r, 0));
    r -= ((cube.hi - a) + cube.lo) / (3 * r * r);
    return v < 0 ? -r : r;
}

/* A function of one number, by its letter:
     s c t k   sin, cos, tan, cot
     a b A     asin, acos, atan
     e l L 2   exp, ln, log10, log2
     S C T     sinh, cosh, tanh
     h j H     asinh, acosh, atanh
     g G       gamma, and the logarithm of its magnitude
     3 E       the cube root, the next even number away from 0
     d r       degrees of radians, radians of degrees */
static double taco__math_one(double v, char which)
{
    taco__pair p;
    switch (which) {
    case 's':
    case 'c':
    case 't':
    case 'k': return taco__math_circular(v, which);
    case 'a':
    case 'b': return taco__f64_is_nan(v) ? v : taco__math_arc(v, which == 'b');
    case 'A':
        if (taco__f64_is_nan(v) || (v < 1e-9 && v > -1e-9)) { return v; }
        return taco__math_atan2(v, 1);
    case 'e': return taco__f64_is_nan(v) ? v : taco__pair_exp_round(taco__pair_of(v, 0));
    case 'l': return taco__math_log_over(v, taco__pair_of(1, 0));
    case 'L': return taco__math_log_over(v, taco__pair_ln10);
    case '2': return taco__math_log_over(v, taco__pair_ln2);
    case 'S': return taco__math_hyperbolic(v, 's');
    case 'C': return taco__math_hyperbolic(v, 'c');
    case 'T': return taco__math_hyperbolic(v, 't');
    case 'h': return taco__math_area(v, 's');
    case 'j': return v < 1 ? taco__math_nan() : taco__math_area(v, 'c');
    case 'H': return v == 1 || v == -1 ? taco__math_infinity() : taco__math_area(v, 't');
    case 'g': return taco__math_gamma(v, false);
    case 'G': return taco__math_gamma(v, true);
    case '3': return taco__math_cube_root(v);
    case 'E': return taco__math_even(v);
    case 'd': /* degrees */
        if (!taco__math_is_finite(v)) { return v; }
        return v * (180.0 / taco__pair_pi.hi);
    default: /* radians */ p = taco__pair_of(v * (taco__pair_pi.hi / 180.0), 0); return p.hi;
    }
}

/* The next double (or float) after a in the direction of b. */
static double taco__math_next(double a, double b, bool single)
{
    uint64_t u;
    uint32_t w;
    if (taco__f64_is_nan(a) || taco__f64_is_nan(b)) { return taco__math_nan(); }
    if (a == b) { return b; }
    if (a == 0) {
        double least = single ? (double)taco__f32_from_bits(1) : taco__f64_from_bits(1);
        return b < 0 ? -least : least;
    }
    if (single) {
        w = taco__f32_to_bits((float)a);
        w = (a < b) == (a > 0) ? w + 1 : w - 1;
        return (double)taco__f32_from_bits(w);
    }
    u = taco__f64_to_bits(a);
    u = (a < b) == (a > 0) ? u + 1 : u - 1;
    return taco__f64_from_bits(u);
}

/* One row of a function of numbers; the letter of the function is the plan. */
static bool taco__math_row(taco__func_call *x, size_t i)
{
    char which = x->plan ? *(const char *)x->plan : 0;
    double v = x->n ? TACO__FUNC_ARG_DOUBLE(0) : 0, w = x->n > 1 ? TACO__FUNC_ARG_DOUBLE(1) : 0;
    double *out = &x->out->v.f[i], base;
    switch (x->id) {
    case TACO__FUNC_PI: *out = taco__pair_pi.hi; return true;
    case TACO__FUNC_POW: *out = taco__math_pow(v, w); return true;
    case TACO__FUNC_ATAN2: *out = taco__math_atan2(v, w); return true;
    case TACO__FUNC_NEXT_AFTER:
        *out = taco__math_next(v, w, x->out->type->t.id == TACO_FLOAT);
        return true;
    case TACO__FUNC_LOG_BASE:
        if (!taco__math_check(x, 'l', v) || !taco__math_check(x, 'l', w)) { return false; }
        base = taco__math_log_over(v, taco__pair_ln10);
        if (base == 0) { return taco__math_fail(x, "to the base 1"); }
        *out = taco__math_log_over(w, taco__pair_ln10) / base;
        return true;
    default: break;
    }
    if (!taco__math_check(x, which, v)) { return false; }
    if (which == 'k' && v == 0) { return taco__math_fail(x, "of 0"); }
    *out = taco__math_one(v, which);
    return true;
}

/* Runs a call of these functions. */
TACO__FN bool taco__func_math_run(taco__func_call *x)
{
    size_t i;
    for (i = 0; i < x->out->n; i++) {
        if (taco__vec_is_valid(x->out, i) && !taco__math_row(x, i)) { return false; }
    }
    return true;
}
