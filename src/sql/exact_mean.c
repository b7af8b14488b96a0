/* exact_mean.c - the double nearest to the mean of whole numbers or decimals

   In: their exact sum, how many there are, and the scale of a DECIMAL. Out: sum / (count *
   10^scale), rounded once, half to even. Dividing as doubles would round up to four times: the sum,
   its quotient by the count, the power of ten, and the quotient by that. Everything is computed
   with integers, so that neither the host's rounding mode nor its registers matter.

   Example: the mean of 0.1, 0.2 and 0.7 is 10 / (3 * 10^1) = 0.3333333333333333. */
#include "sql.h"
#include "functions.h"
#include "../base/base.h"
#include "../filter/filter.h"

/* Words of a magnitude: a sum has 255 bits, a count of 63 bits times 10^76 has 316, and one more is
   needed for twice a remainder. */
#define TACO__MEAN_WORDS 5

/* Bits of a quotient before rounding: the 53 of a double, two more, and at most one less if the
   first is 0. */
#define TACO__MEAN_BITS 56

typedef struct taco__mean_number {
    uint64_t w[TACO__MEAN_WORDS]; /* least significant first */
} taco__mean_number;

static uint32_t taco__mean_bit_length(const taco__mean_number *a)
{
    uint32_t i = TACO__MEAN_WORDS;
    while (i && !a->w[i - 1]) {
        i--;
    }
    return i ? i * 64 - taco__plat_clz64(a->w[i - 1]) : 0;
}

static void taco__mean_shift_left(taco__mean_number *a, uint32_t by)
{
    uint32_t words = by / 64, bits = by % 64, i;
    for (i = TACO__MEAN_WORDS; i-- > 0;) {
        uint64_t high = i >= words ? a->w[i - words] : 0;
        uint64_t low = i > words ? a->w[i - words - 1] : 0;
        a->w[i] = bits ? high << bits | low >> (64 - bits) : high;
    }
}

/* *a *= m. */
static void taco__mean_multiply(taco__mean_number *a, uint32_t m)
{
    uint64_t carry = 0;
    uint32_t i;
    for (i = 0; i < TACO__MEAN_WORDS; i++) {
        uint64_t low = (a->w[i] & UINT32_MAX) * m + carry, high = (a->w[i] >> 32) * m + (low >> 32);
        a->w[i] = high << 32 | (low & UINT32_MAX);
        carry = high >> 32;
    }
}

/* Subtracts b from the first n words of *a unless that is less; returns whether it did. */
static bool taco__mean_take(taco__mean_number *a, const taco__mean_number *b, uint32_t n)
{
    uint64_t borrow = 0;
    uint32_t i = n;
    while (i > 1 && a->w[i - 1] == b->w[i - 1]) {
        i--;
    }
    if (a->w[i - 1] < b->w[i - 1]) { return false; }
    for (i = 0; i < n; i++) {
        uint64_t x = a->w[i], y = b->w[i];
        a->w[i] = x - y - borrow;
        borrow = x < y || (x == y && borrow);
    }
    return true;
}

/* As taco__mean_divide, of numbers with at most 60 bits: as many bits at a time as a word has room
   for. */
static uint64_t taco__mean_divide_words(uint64_t a, uint64_t b, uint32_t length)
{
    uint32_t left = TACO__MEAN_BITS - 1, step;
    uint64_t q = a / b;
    for (a %= b; left; left -= step) {
        step = TACO__MIN(64 - length, left);
        a <<= step;
        q = q << step | a / b;
        a %= b;
    }
    return q | (a != 0);
}

/* The first TACO__MEAN_BITS bits of a / b, which have the same bit length, with the last one set if
   anything is left over. */
static uint64_t taco__mean_divide(taco__mean_number *a, const taco__mean_number *b, uint32_t length)
{
    uint32_t n = length / 64 + 1, i, k; /* words in use, also of twice the remainder */
    uint64_t q = 0, rest = 0;
    if (length <= 60) { return taco__mean_divide_words(a->w[0], b->w[0], length); }
    for (i = 0; i < TACO__MEAN_BITS; i++) {
        q = q << 1 | taco__mean_take(a, b, n);
        for (k = n; k-- > 1;) {
            a->w[k] = a->w[k] << 1 | a->w[k - 1] >> 63;
        }
        a->w[0] <<= 1;
    }
    for (i = 0; i < n; i++) {
        rest |= a->w[i];
    }
    return q | (rest != 0);
}

/* The mean of n > 0 numbers with that exact sum, which are unscaled if the scale is not 0. */
TACO__FN double taco__mean_exact(const taco__i256 *sum, int64_t n, int32_t scale)
{
    bool negative = taco__i256_is_negative(sum);
    taco__i256 magnitude = negative ? taco__i256_negate(*sum) : *sum;
    taco__mean_number a, b;
    uint32_t la, lb, drop;
    uint64_t q, half;
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    memcpy(a.w, magnitude.w, sizeof magnitude.w);
    b.w[0] = (uint64_t)n;
    for (; scale >= 9; scale -= 9) {
        taco__mean_multiply(&b, 1000000000);
    }
    for (; scale > 0; scale--) {
        taco__mean_multiply(&b, 10);
    }
    la = taco__mean_bit_length(&a);
    lb = taco__mean_bit_length(&b);
    if (!la) { return 0; }
    taco__mean_shift_left(la < lb ? &a : &b, la < lb ? lb - la : la - lb);
    q = taco__mean_divide(&a, &b, TACO__MAX(la, lb));
    /* q * 2^(la - lb - 55) is the mean, but for its last bit, which says whether it is more */
    drop = q >> (TACO__MEAN_BITS - 1) ? 3 : 2;
    half = (uint64_t)1 << (drop - 1);
    q = (q >> drop) + ((q & (2 * half - 1)) + (q >> drop & 1) > half);
    /* the leading bit of q, or its carry into bit 53, is added to an exponent that is less by 1 */
    q += (uint64_t)(1019 + (int64_t)la - (int64_t)lb + drop) << 52;
    return taco__f64_from_bits(q | (uint64_t)negative << 63);
}
