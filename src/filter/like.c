/* like.c - LIKE and ILIKE patterns over UTF-8

   A constant pattern is compiled once (taco__like_compile): if its only wildcards are % at the
   ends, matching is a comparison of bytes (equal, prefix, suffix, infix). Everything else goes
   through taco__like_match_full, in time linear in the text: parts between two % are searched for
   (base/find.c), and those that cannot be, because they contain _, have limited length
   (taco__like_check). ILIKE compares simple lower case, of Unicode 14, as DuckDB does. */
#include "filter.h"
#include "../base/base.h"

#define TACO__LIKE_MAX_PART 1024

/* Lower case of one character by binary search, with a shortcut for ASCII, which most names are. */
TACO__FN uint32_t taco__like_lower(uint32_t c)
{
    size_t lo = 0, hi = TACO__COUNT(taco__like_case_ranges);
    if (c < 0x80) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }
    while (lo < hi) { /* finds the first entry that ends at or after c */
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

/* The character at b[i], n bytes wide. Invalid bytes become values beyond Unicode, so that they
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

/* The part of the pattern from j up to the next %, or to the end. False if it cannot be compared
   literally, because it has _ or an escape. */
static bool taco__like_part(const taco__like_pattern *k, size_t j, taco_bytes *part)
{
    bool plain = true;
    size_t end = j;
    while (end < k->pattern.len &&
           (k->pattern.data[end] != '%' || (k->has_escape && k->escape == '%'))) {
        bool escaped = k->has_escape && k->pattern.data[end] == k->escape;
        plain = plain && !escaped && k->pattern.data[end] != '_';
        end += 1 + escaped;
    }
    end = TACO__MIN(end, k->pattern.len);
    *part = taco__bytes_of(k->pattern.data + j, end - j);
    return plain;
}

static bool taco__like_is_ascii(taco_bytes b)
{
    size_t i;
    for (i = 0; i < b.len && b.data[i] < 0x80; i++) {}
    return i == b.len;
}

/* Whether the part may be searched for in s from i on with taco__bytes_find: it does not fold
   letters of other scripts, and for short texts the caller's loop is faster. */
static bool taco__like_may_find(const taco__like_pattern *k, taco_bytes s, size_t i,
                                taco_bytes part)
{
    return !k->icase || (part.len > 16 && s.len - i > 256 && taco__like_is_ascii(part) &&
                         taco__like_is_ascii(taco__bytes_of(s.data + i, s.len - i)));
}

/* Whether the last part of the pattern is the end of s, of which i bytes have been matched. */
static bool taco__like_ends_with(taco_bytes s, size_t i, taco_bytes part)
{
    return part.len <= s.len - i &&
           (part.len == 0 || memcmp(s.data + (s.len - part.len), part.data, part.len) == 0);
}

/* Matches all of s against the pattern. Only the last % is remembered, since backtracking to an
   earlier one cannot help. After it, a part without wildcards is searched for; others are tried at
   every character. */
static bool taco__like_match_full(const taco__like_pattern *k, taco_bytes s)
{
    taco_bytes p = k->pattern, part;
    size_t i = 0, j = 0, star = SIZE_MAX, from = 0, si, pj;
    while (i < s.len) {
        bool escaped = j < p.len && k->has_escape && p.data[j] == k->escape;
        uint8_t c = (uint8_t)(j < p.len ? p.data[j] : 0);
        if (j < p.len && !escaped && c == '%') {
            bool plain = taco__like_part(k, ++j, &part);
            if (plain && j + part.len == p.len && !k->icase) {
                return taco__like_ends_with(s, i, part);
            }
            if (plain && taco__like_may_find(k, s, i, part) && j + part.len < p.len) {
                i = taco__bytes_find(s, i, part, k->icase);
                if (i == SIZE_MAX) { return false; }
                i += part.len;
                j += part.len;
                continue;
            }
            star = j;
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

/* False, with a LIMIT error, if matching could take time proportional to text times pattern: a long
   part after a % that has _ or an escape, or belongs to ILIKE, is tried at every character of a
   text. */
TACO__FN bool taco__like_check(const taco__like_pattern *k, taco_error *err)
{
    taco_bytes part;
    size_t j = 0;
    bool plain = taco__like_part(k, 0, &part);
    for (j = part.len + 1; j < k->pattern.len; j += part.len + 1) {
        plain = taco__like_part(k, j, &part) && !k->icase;
        if (!plain && part.len > TACO__LIKE_MAX_PART) {
            TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                       "a part of a LIKE pattern after a wildcard has %u bytes; with _, an escape "
                       "or ILIKE it may have %u",
                       (uint64_t)part.len, (uint64_t)TACO__LIKE_MAX_PART);
            return false;
        }
    }
    return true;
}

/* True if `what` occurs in s. */
TACO__FN bool taco__like_contains(taco_bytes s, taco_bytes what)
{
    return taco__bytes_find(s, 0, what, false) != SIZE_MAX;
}

/* Matches a compiled pattern: by comparison if its wildcards allow, else with the full matcher. */
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

/* Sets the ESCAPE of a pattern; NULL: no ESCAPE. An empty text means the zero byte: DuckDB's
   rule. */
TACO__FN void taco__like_set_escape(taco__like_pattern *k, const taco_bytes *given)
{
    k->has_escape = given != NULL;
    k->escape = (uint8_t)(given && given->len ? given->data[0] : 0);
}

/* Compiles a constant pattern; k->icase, has_escape and escape are set. A SYNTAX error if the
   pattern ends with its escape, which DuckDB reports only when a text gets that far. If the only
   wildcards are % at the ends, matching is a comparison; otherwise `fixed` is the text before the
   first wildcard. */
TACO__FN bool taco__like_compile(taco__like_pattern *k, taco__arena *arena, taco_bytes pattern,
                                 taco_error *err)
{
    uint8_t *p = (uint8_t *)taco__arena_alloc(arena, pattern.len, err);
    size_t i, n = 0, inside = 0, begin = 0, end = 0;
    if (!p) { return false; }
    k->pattern = pattern;
    k->mode = TACO__LIKE_FULL;
    if (!taco__like_check(k, err)) { return false; }
    for (i = 0; i < pattern.len; i++) {
        bool escaped = k->has_escape && pattern.data[i] == k->escape;
        uint8_t c = pattern.data[i];
        if (escaped && ++i == pattern.len) {
            TACO__FAIL(err, TACO_ERR_SYNTAX, TACO_NO_OFFSET,
                       "the LIKE pattern %q ends with its escape", &pattern);
            return false;
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
    } else if (!inside) {
        k->mode = begin ? (end || n == 0 ? TACO__LIKE_INFIX : TACO__LIKE_SUFFIX)
                  : end ? TACO__LIKE_PREFIX
                        : TACO__LIKE_EQUAL;
    }
    return true;
}
