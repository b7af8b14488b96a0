/* like.c - LIKE and ILIKE patterns over UTF-8

   A pattern that is known beforehand is compiled once (taco__like_compile): where its only
   wildcards are % at the ends, matching is a comparison of bytes (equal, prefix, suffix, infix).
   Everything else goes through taco__like_match_full, which takes time proportional to text times
   pattern at worst. ILIKE compares simple lower case, of Unicode 14, as DuckDB does. */
#include "filter.h"
#include "../base/base.h"

/* Lower case of one character by binary search; ASCII, nearly all of real names, is done at
   once. */
TACO__FN uint32_t taco__like_lower(uint32_t c)
{
    size_t lo = 0, hi = TACO__COUNT(taco__like_case_ranges);
    if (c < 0x80) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }
    while (lo < hi) { /* the first entry that ends at or after c */
        size_t mid = (lo + hi) / 2;
        if (taco__like_case_ranges[mid].last < c) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    if (lo < TACO__COUNT(taco__like_case_ranges) && taco__like_case_ranges[lo].first <= c &&
        (c - taco__like_case_ranges[lo].first) % taco__like_case_ranges[lo].step == 0) {
        return (uint32_t)((int32_t)c + taco__like_case_ranges[lo].delta);
    }
    return c;
}

/* The character at b[i], n bytes wide. Broken bytes become values beyond Unicode, so that they
   equal only themselves. */
TACO__FN uint32_t taco__like_char_at(taco_bytes b, size_t i, size_t n)
{
    const uint8_t *p = b.data + i;
    if (n == 1) { return p[0] < 0x80 ? p[0] : 0x80000000U | p[0]; }
    if (n == 2) { return (uint32_t)(p[0] & 0x1F) << 6 | (p[1] & 0x3FU); }
    if (n == 3) {
        return (uint32_t)(p[0] & 0x0F) << 12 | (uint32_t)(p[1] & 0x3F) << 6 | (p[2] & 0x3FU);
    }
    return (uint32_t)(p[0] & 0x07) << 18 | (uint32_t)(p[1] & 0x3F) << 12 |
           (uint32_t)(p[2] & 0x3F) << 6 | (p[3] & 0x3FU);
}

/* True when the characters at s[i] and p[j] are equal; sets how many bytes each takes. */
static bool taco__like_same_char(taco_bytes s, size_t i, taco_bytes p, size_t j, bool icase,
                                 size_t *si, size_t *pj)
{
    *si = *pj = 1;
    if (!icase || (s.data[i] < 0x80 && p.data[j] < 0x80)) {
        return s.data[i] == p.data[j] ||
               (icase && taco__like_lower(s.data[i]) == taco__like_lower(p.data[j]));
    }
    *si = taco__like_char_width(s, i);
    *pj = taco__like_char_width(p, j);
    return taco__like_lower(taco__like_char_at(s, i, *si)) ==
           taco__like_lower(taco__like_char_at(p, j, *pj));
}

/* The whole of s against the pattern. One % is remembered: what a later one matches, an earlier one
   need not. */
static bool taco__like_match_full(const taco__like_pattern *k, taco_bytes s)
{
    taco_bytes p = k->pattern;
    size_t i = 0, j = 0, star = SIZE_MAX, from = 0, si, pj;
    while (i < s.len) {
        bool escaped = j < p.len && k->has_escape && p.data[j] == k->escape;
        uint8_t c = (uint8_t)(j < p.len ? p.data[j] : 0);
        if (j < p.len && !escaped && c == '%') {
            star = ++j;
            from = i;
            continue;
        }
        if (j < p.len && !escaped && c == '_') {
            i += taco__like_char_width(s, i);
            j++;
            continue;
        }
        if (j + escaped < p.len && taco__like_same_char(s, i, p, j + escaped, k->icase, &si, &pj)) {
            i += si;
            j += pj + escaped;
            continue;
        }
        if (star == SIZE_MAX) { return false; }
        from += taco__like_char_width(s, from);
        i = from;
        j = star;
    }
    while (j < p.len && p.data[j] == '%' && !(k->has_escape && k->escape == '%')) {
        j++;
    }
    return j == p.len;
}

/* True when `what` occurs in s. */
TACO__FN bool taco__like_contains(taco_bytes s, taco_bytes what)
{
    const uint8_t *p = s.data, *last;
    if (what.len == 0 || what.len > s.len) { return what.len == 0; }
    for (last = p + (s.len - what.len); p <= last; p++) {
        if (s.len >= 64) { /* in short texts a call costs more than it saves */
            p = (const uint8_t *)memchr(p, what.data[0], (size_t)(last - p) + 1);
            if (!p) { return false; }
        }
        if (*p == what.data[0] && memcmp(p, what.data, what.len) == 0) { return true; }
    }
    return false;
}

/* The match of a prepared pattern: a comparison where its wildcards allow, the full matcher
   otherwise. */
TACO__FN bool taco__like_match(const taco__like_pattern *k, taco_bytes s)
{
    size_t n = k->fixed.len;
    if (k->mode == TACO__LIKE_INFIX) { return taco__like_contains(s, k->fixed); }
    if (s.len < n || (k->mode == TACO__LIKE_EQUAL && s.len != n)) { return false; }
    if (n && memcmp(k->mode == TACO__LIKE_SUFFIX ? s.data + (s.len - n) : s.data, k->fixed.data,
                    n) != 0) {
        return false;
    }
    return k->mode != TACO__LIKE_FULL || taco__like_match_full(k, s);
}

/* Prepares a pattern that is known beforehand; k->icase, has_escape and escape are set. Where the
   only wildcards are % at the ends, matching is a comparison; otherwise `fixed` is what stands
   before the first wildcard. */
TACO__FN bool taco__like_compile(taco__like_pattern *k, taco__arena *arena, taco_bytes pattern,
                                 taco_error *err)
{
    uint8_t *p = (uint8_t *)taco__arena_alloc(arena, pattern.len, err);
    size_t i, n = 0, inside = 0, begin = 0, end = 0;
    bool cut = false; /* the pattern ends with a lone escape, which matches nothing */
    if (!p) { return false; }
    k->pattern = pattern;
    k->mode = TACO__LIKE_FULL;
    for (i = 0; i < pattern.len; i++) {
        bool escaped = k->has_escape && pattern.data[i] == k->escape;
        uint8_t c = pattern.data[i];
        if (escaped && ++i == pattern.len) {
            cut = true;
            break;
        }
        if (!escaped && c == '%' && (n == 0 && inside == 0)) {
            begin++;
        } else if (!escaped && c == '%') {
            end++;
        } else if (!escaped && c == '_') {
            inside++;
        } else {
            inside += end; /* a % that is not the last */
            end = 0;
            if (!inside) { p[n++] = pattern.data[i]; }
        }
    }
    k->fixed = taco__bytes_of(p, begin && inside ? 0 : n);
    if (k->icase) {
        k->fixed.len = 0;
    } else if (!inside && !cut) {
        k->mode = begin ? (end || n == 0 ? TACO__LIKE_INFIX : TACO__LIKE_SUFFIX)
                  : end ? TACO__LIKE_PREFIX
                        : TACO__LIKE_EQUAL;
    }
    return true;
}
