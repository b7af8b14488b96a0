/* find.c - searching bytes in others, in time linear in both

   Most searches end quickly, and a plain loop, which looks for the first byte and compares, is the
   fastest. If it has compared more than a few times the length of the text, as for aaaa...ab in
   aaaa..., the Two-Way algorithm takes over (Crochemore and Perrin, Two-way string-matching, J. ACM
   38, 1991): linear, without extra memory. */
#include "base.h"

static uint8_t taco__find_byte(taco_bytes b, size_t i, bool fold)
{
    uint8_t c = b.data[i];
    return (uint8_t)(fold && c >= 'A' && c <= 'Z' ? c + 32 : c);
}

/* Where the greatest suffix of p begins, in byte order or its reverse, and the period of that
   suffix. */
static size_t taco__find_max_suffix(taco_bytes p, bool reverse, bool fold, size_t *period)
{
    size_t at = 0, j = 0, k = 1, per = 1;
    while (j + k < p.len) {
        uint8_t a = taco__find_byte(p, j + k, fold), b = taco__find_byte(p, at + k - 1, fold);
        if (a == b) {
            j += k == per ? per : 0;
            k = k == per ? 1 : k + 1;
        } else if (reverse ? b < a : a < b) {
            j += k;
            k = 1;
            per = j + 1 - at;
        } else {
            at = ++j;
            k = per = 1;
        }
    }
    *period = per;
    return at;
}

/* Whether p[0, n) occurs again after `by` bytes. */
static bool taco__find_repeats(taco_bytes p, size_t n, size_t by, bool fold)
{
    size_t i;
    for (i = 0; i < n; i++) {
        if (taco__find_byte(p, i, fold) != taco__find_byte(p, i + by, fold)) { return false; }
    }
    return true;
}

/* The search from j on: compares the right half of p forwards, then the left half backwards. For a
   periodic p, `known` bytes at its beginning need not be compared again. */
static size_t taco__find_two_way(taco_bytes s, size_t j, taco_bytes p, bool fold)
{
    size_t period, other, known = 0, i, half = taco__find_max_suffix(p, false, fold, &period);
    size_t second = taco__find_max_suffix(p, true, fold, &other);
    bool repeats;
    if (second >= half) {
        half = second;
        period = other;
    }
    repeats = taco__find_repeats(p, half, period, fold);
    if (!repeats) { period = TACO__MAX(half, p.len - half) + 1; }
    while (p.len <= s.len && j <= s.len - p.len) {
        i = TACO__MAX(half, known);
        while (i < p.len && taco__find_byte(p, i, fold) == taco__find_byte(s, i + j, fold)) {
            i++;
        }
        if (i < p.len) {
            j += i - half + 1;
            known = 0;
            continue;
        }
        i = half;
        while (i > known &&
               taco__find_byte(p, i - 1, fold) == taco__find_byte(s, i - 1 + j, fold)) {
            i--;
        }
        if (i <= known) { return j; }
        j += period;
        known = repeats ? p.len - period : 0;
    }
    return SIZE_MAX;
}

/* Where `what` first occurs at or after `from`, which is at most s.len; SIZE_MAX if it does not.
   With `fold`, ASCII letters match in both cases. */
TACO__FN size_t taco__bytes_find(taco_bytes s, size_t from, taco_bytes what, bool fold)
{
    size_t at = from, last, left;
    if (what.len == 0 || what.len > s.len - from) { return what.len ? SIZE_MAX : from; }
    last = s.len - what.len;
    left = s.len - from; /* steps of the plain loop, which compares eight bytes and more in each */
    for (; !fold && at <= last && left > what.len / 8; at++) {
        if (last - at >= 64) { /* in short texts a call costs more than it saves */
            const void *first = memchr(s.data + at, what.data[0], last - at + 1);
            if (!first) { return SIZE_MAX; }
            at = (size_t)((const uint8_t *)first - s.data);
        }
        if (s.data[at] == what.data[0]) {
            if (memcmp(s.data + at, what.data, what.len) == 0) { return at; }
            left -= what.len / 8 + 1;
        }
    }
    return at <= last ? taco__find_two_way(s, at, what, fold) : SIZE_MAX;
}
