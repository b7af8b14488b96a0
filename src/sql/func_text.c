/* func_text.c - functions of texts: case, parts, search, padding, LIKE, concatenation

   Texts are UTF-8. Positions and lengths count characters (code points), as DuckDB's do; invalid
   UTF-8 counts byte by byte and is preserved. Parts of a text share its bytes. The size of one
   result is limited (TACO__FUNC_MAX_TEXT): repeat(s, 1000000000) is an error. */
#include "sql.h"
#include "functions.h"
#include "../base/base.h"
#include "../filter/filter.h"

/* ---- text ---- */

/* Number of characters in a text: bytes that are not a continuation. */
TACO__FN size_t taco__func_text_length(taco_bytes s)
{
    size_t i, n = 0;
    for (i = 0; i < s.len; i++) {
        n += (s.data[i] & 0xC0) != 0x80;
    }
    return n;
}

/* Offset of the k-th character after the one at byte `at`; the end if there are fewer. */
static size_t taco__func_text_skip(taco_bytes s, size_t at, size_t k)
{
    for (; k && at < s.len; k--) {
        at += taco__like_char_width(s, at);
    }
    return at;
}

/* Bytes [from, to) of a text; empty if they are in the wrong order. */
static taco_bytes taco__func_text_slice(taco_bytes s, size_t from, size_t to)
{
    return from < to ? taco__bytes_of(s.data + from, to - from) : taco__bytes_of(s.data, 0);
}

/* Characters [from, to) counted from 0, limited to existing ones; the bytes are shared. */
TACO__FN taco_bytes taco__func_text_range(taco_bytes s, int64_t from, int64_t to)
{
    size_t a, b;
    from = TACO__MAX(from, 0);
    if (to <= from) { return taco__bytes_of(s.data, 0); }
    a = taco__func_text_skip(s, 0, (size_t)TACO__MIN(from, (int64_t)s.len));
    b = taco__func_text_skip(s, a, (size_t)TACO__MIN(to - from, (int64_t)s.len));
    return taco__func_text_slice(s, a, b);
}

/* substr: 1 is the first character, negative positions count from the end; a negative length goes
   left. Examples: substr('hello', 2, 3) is ell, substr('hello', -3) is llo, substr('hello', 4, -2)
   is el. Position 0 is one before the first and takes one of the length. */
static taco_bytes taco__func_text_substr(taco_bytes s, int64_t at, int64_t len, bool has_len)
{
    int64_t n = (int64_t)taco__func_text_length(s), limit = INT64_C(1) << 40, from, to;
    at = TACO__MAX(-limit, TACO__MIN(at, limit));
    len = has_len ? TACO__MAX(-limit, TACO__MIN(len, limit)) : limit;
    from = at > 0 ? at - 1 : at < 0 ? n + at : 0;
    if (at == 0 && has_len) { /* position 0 takes one of the length */
        len -= len > 0;
    }
    if (from < 0) { /* positions before the text count, but have no characters */
        len = has_len && len > 0 ? TACO__MAX(len + from, 0) : len;
        from = 0;
    }
    to = from + len;
    return len < 0 ? taco__func_text_range(s, to, from) : taco__func_text_range(s, from, to);
}

/* Writes a character as UTF-8, up to 4 bytes; returns how many. */
TACO__FN size_t taco__func_text_write_char(uint8_t *p, uint32_t c)
{
    if (c < 0x80) {
        p[0] = (uint8_t)c;
        return 1;
    }
    if (c < 0x800) {
        p[0] = (uint8_t)(0xC0 | c >> 6);
        p[1] = (uint8_t)(0x80 | (c & 63));
        return 2;
    }
    if (c < 0x10000) {
        p[0] = (uint8_t)(0xE0 | c >> 12);
        p[1] = (uint8_t)(0x80 | (c >> 6 & 63));
        p[2] = (uint8_t)(0x80 | (c & 63));
        return 3;
    }
    p[0] = (uint8_t)(0xF0 | c >> 18);
    p[1] = (uint8_t)(0x80 | (c >> 12 & 63));
    p[2] = (uint8_t)(0x80 | (c >> 6 & 63));
    p[3] = (uint8_t)(0x80 | (c & 63));
    return 4;
}

/* The upper case is the character whose lower case it is, except for characters that share an upper
   case with another one: those of Unicode 14 (UnicodeData.txt), such as the final sigma. */
TACO__FN uint32_t taco__func_text_upper_char(uint32_t c)
{
    static const uint16_t shared[][2] = {
        {0xB5, 0x39C},    {0x131, 0x49},   {0x17F, 0x53},   {0x1C5, 0x1C4},  {0x1C8, 0x1C7},
        {0x1CB, 0x1CA},   {0x1F2, 0x1F1},  {0x345, 0x399},  {0x3C2, 0x3A3},  {0x3D0, 0x392},
        {0x3D1, 0x398},   {0x3D5, 0x3A6},  {0x3D6, 0x3A0},  {0x3F0, 0x39A},  {0x3F1, 0x3A1},
        {0x3F5, 0x395},   {0x1C80, 0x412}, {0x1C81, 0x414}, {0x1C82, 0x41E}, {0x1C83, 0x421},
        {0x1C84, 0x422},  {0x1C85, 0x422}, {0x1C86, 0x42A}, {0x1C87, 0x462}, {0x1C88, 0xA64A},
        {0x1E9B, 0x1E60}, {0x1FBE, 0x399}};
    size_t i;
    if (c < 0x80) { return c >= 'a' && c <= 'z' ? c - 32 : c; }
    for (i = 0; i < TACO__COUNT(shared) && c <= 0x1FBE; i++) {
        if (shared[i][0] == c) { return shared[i][1]; }
    }
    for (i = 0; i < TACO__COUNT(taco__like_case_ranges); i++) {
        uint32_t u = (uint32_t)((int32_t)c - taco__like_case_ranges[i].delta);
        if (u >= taco__like_case_ranges[i].first && u <= taco__like_case_ranges[i].last &&
            (u - taco__like_case_ranges[i].first) % taco__like_case_ranges[i].step == 0) {
            return u;
        }
    }
    return c;
}

/* lower and upper by simple case mapping. A character may need one byte more in the other case, at
   most twice as many. */
static bool taco__func_text_change_case(taco__func_call *x, taco_bytes s, taco_bytes *out)
{
    size_t i, n = 0, room;
    uint8_t *p;
    if (!taco__checked_mul_size(s.len, 2, &room)) { return false; }
    /* no simple mapping makes a character more than twice as long */
    p = (uint8_t *)taco__arena_alloc(x->arena, room + 4, x->err);
    for (i = 0; p && i < s.len;) {
        size_t w = taco__like_char_width(s, i);
        uint32_t c = taco__like_char_at(s, i, w);
        if (c > 0x10FFFF) { /* invalid bytes are unchanged */
            memcpy(p + n, s.data + i, w);
            n += w;
        } else {
            n += taco__func_text_write_char(p + n, x->id == TACO__FUNC_UPPER
                                                       ? taco__func_text_upper_char(c)
                                                       : taco__like_lower(c));
        }
        i += w;
    }
    *out = taco__bytes_of(p, n);
    return p != NULL;
}

/* Whether the w bytes of a character at s[at] are one of the characters of a set. */
static bool taco__func_text_is_in_set(taco_bytes set, taco_bytes s, size_t at, size_t w)
{
    size_t i;
    for (i = 0; i < set.len; i += taco__like_char_width(set, i)) {
        if (taco__like_char_width(set, i) == w && memcmp(set.data + i, s.data + at, w) == 0) {
            return true;
        }
    }
    return false;
}

/* The text without characters of the set at its ends: trim('xaxbx', 'x') is axb. Characters in the
   set are whole code points, not bytes. */
static taco_bytes taco__func_text_trim(taco_bytes s, taco_bytes set, bool left, bool right)
{
    size_t from = 0, to = s.len;
    while (left && from < to &&
           taco__func_text_is_in_set(set, s, from, taco__like_char_width(s, from))) {
        from += taco__like_char_width(s, from);
    }
    /* back to the first byte of the last character */
    while (right && from < to) {
        size_t at = to - 1;
        while (at > from && (s.data[at] & 0xC0) == 0x80) {
            at--;
        }
        if (!taco__func_text_is_in_set(set, s, at, to - at)) { break; }
        to = at;
    }
    return taco__func_text_slice(s, from, to);
}

#define TACO__FUNC_MAX_TEXT ((uint64_t)1 << 28) /* most bytes of a text that a function makes */

/* A LIMIT error: the result would exceed TACO__FUNC_MAX_TEXT. */
static TACO__COLD bool taco__func_text_fail_too_long(taco__func_call *x)
{
    TACO__FAIL(x->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "%s would make a text of more than %u bytes",
               x->name, TACO__FUNC_MAX_TEXT);
    return false;
}

/* Replaces all occurrences of `what`, from left to right and not within replacements. They are
   counted first, so that the result is allocated once. An empty `what` never occurs. */
static bool taco__func_text_replace(taco__func_call *x, taco_bytes s, taco_bytes what,
                                    taco_bytes with, taco_bytes *out)
{
    size_t i, at, hits = 0, n = 0;
    uint8_t *p;
    for (i = 0; what.len && (at = taco__bytes_find(s, i, what, false)) != SIZE_MAX;
         i = at + what.len) {
        hits++;
    }
    if ((uint64_t)hits * with.len + s.len > TACO__FUNC_MAX_TEXT) {
        return taco__func_text_fail_too_long(x);
    }
    p = (uint8_t *)taco__arena_alloc(x->arena, s.len + hits * with.len, x->err);
    for (i = 0; p && i < s.len;) {
        at = hits ? taco__bytes_find(s, i, what, false) : SIZE_MAX;
        at = at == SIZE_MAX ? s.len : at;
        memcpy(p + n, s.data + i, at - i);
        n += at - i;
        i = at;
        if (at < s.len) {
            if (with.len) { memcpy(p + n, with.data, with.len); }
            n += with.len;
            i += what.len;
        }
    }
    *out = taco__bytes_of(p, n);
    return p != NULL;
}

/* lpad and rpad to `want` characters: lpad('7', 3, '0') is 007, and rpad('a', 4, 'xy') axyx. A
   longer text is cut to its first `want` characters in both. */
static bool taco__func_text_pad(taco__func_call *x, taco_bytes s, int64_t want, taco_bytes pad,
                                taco_bytes *out)
{
    int64_t have = (int64_t)taco__func_text_length(s), more, k;
    size_t at = 0, n = 0;
    uint8_t *p;
    bool left = x->id == TACO__FUNC_LPAD;
    if (want <= have) {
        *out = taco__func_text_range(s, 0, want);
        return true;
    }
    if (!pad.len) {
        TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "nothing to pad with");
        return false;
    }
    more = want - have;
    if ((uint64_t)more > TACO__FUNC_MAX_TEXT / 4) { return taco__func_text_fail_too_long(x); }
    p = (uint8_t *)taco__arena_alloc(x->arena, s.len + (size_t)more * 4, x->err);
    if (!p) { return false; }
    if (!left && s.len) {
        memcpy(p, s.data, s.len);
        n = s.len;
    }
    for (k = 0; k < more; k++) {
        size_t w = taco__like_char_width(pad, at);
        memcpy(p + n, pad.data + at, w);
        n += w;
        at = at + w >= pad.len ? 0 : at + w;
    }
    if (left && s.len) {
        memcpy(p + n, s.data, s.len);
        n += s.len;
    }
    *out = taco__bytes_of(p, n);
    return true;
}

/* The text repeated `times` times; empty for 0 or less. */
static bool taco__func_text_repeat(taco__func_call *x, taco_bytes s, int64_t times, taco_bytes *out)
{
    uint8_t *p;
    size_t k;
    *out = taco__bytes_of(s.data, 0);
    if (times <= 0 || s.len == 0) { return true; }
    if ((uint64_t)times > TACO__FUNC_MAX_TEXT / s.len) { return taco__func_text_fail_too_long(x); }
    p = (uint8_t *)taco__arena_alloc(x->arena, s.len * (size_t)times, x->err);
    for (k = 0; p && k < (size_t)times; k++) {
        memcpy(p + k * s.len, s.data, s.len);
    }
    *out = taco__bytes_of(p, s.len * (size_t)times);
    return p != NULL;
}

/* Characters that belong to the previous one: combining marks, variation selectors, joiners. */
static bool taco__func_text_is_combining(uint32_t c)
{
    return (c >= 0x300 && c <= 0x36F) || (c >= 0xFE00 && c <= 0xFE0F) || c == 0x200D ||
           (c >= 0x1F3FB && c <= 0x1F3FF) || (c >= 0x20D0 && c <= 0x20FF);
}

/* The characters in reverse order. A character and its combining marks stay together, as in DuckDB,
   which reverses grapheme clusters; this covers accents, variation selectors and joined emoji, not
   all of Unicode's rules. */
static bool taco__func_text_reverse(taco__func_call *x, taco_bytes s, taco_bytes *out)
{
    uint8_t *p = (uint8_t *)taco__arena_alloc(x->arena, s.len, x->err);
    size_t i, w;
    for (i = 0; p && i < s.len; i += w) {
        uint32_t c;
        w = taco__like_char_width(s, i);
        /* what combines with this character moves with it */
        while (i + w < s.len) {
            size_t next = taco__like_char_width(s, i + w);
            c = taco__like_char_at(s, i + w, next);
            if (!taco__func_text_is_combining(c)) { break; }
            w += next;
            if (c == 0x200D && i + w < s.len) { w += taco__like_char_width(s, i + w); }
        }
        memcpy(p + s.len - i - w, s.data + i, w);
    }
    *out = taco__bytes_of(p, s.len);
    return p != NULL;
}

/* Part k of the text between separators, from 1, or from the end for negative k:
   split_part('a-b-c', '-', 2) is b, with -1 it is c, with 5 it is empty. An empty separator
   separates all characters. */
static taco_bytes taco__func_text_split_part(taco_bytes s, taco_bytes by, int64_t k)
{
    size_t i = 0, at;
    int64_t parts = 1;
    if (!by.len) {
        k = k < 0 ? (int64_t)taco__func_text_length(s) + TACO__MAX(k, -(INT64_C(1) << 40)) + 1 : k;
        return k > 0 ? taco__func_text_range(s, k - 1, k) : taco__bytes_of(s.data, 0);
    }
    for (; (at = taco__bytes_find(s, i, by, false)) != SIZE_MAX; i = at + by.len) {
        parts++;
    }
    k = k < 0 ? parts + TACO__MAX(k, -(INT64_C(1) << 40)) + 1 : k;
    for (i = 0; k > 0 && k <= parts; k--) {
        at = taco__bytes_find(s, i, by, false);
        at = at == SIZE_MAX ? s.len : at;
        if (k == 1) { return taco__func_text_slice(s, i, at); }
        i = at + by.len;
    }
    return taco__bytes_of(s.data, 0);
}

/* Row i of functions from text to text. */
TACO__FN bool taco__func_text_row(taco__func_call *x, size_t i)
{
    static const uint8_t space[] = {' '};
    taco_bytes s = TACO__FUNC_ARG_TEXT(0), *out = &x->out->v.s[i];
    int64_t k;
    switch (x->id) {
    case TACO__FUNC_LOWER:
    case TACO__FUNC_UPPER: return taco__func_text_change_case(x, s, out);
    case TACO__FUNC_SUBSTR:
        for (k = 1; k < (int64_t)x->n; k++) { /* DuckDB's limits */
            if (TACO__FUNC_ARG_INT(k) > UINT32_MAX || TACO__FUNC_ARG_INT(k) < -4294967296) {
                TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "%s: %d is out of range", x->name,
                           TACO__FUNC_ARG_INT(k));
                return false;
            }
        }
        *out = taco__func_text_substr(s, TACO__FUNC_ARG_INT(1),
                                      x->n > 2 ? TACO__FUNC_ARG_INT(2) : 0, x->n > 2);
        return true;
    case TACO__FUNC_LEFT:
        k = TACO__FUNC_ARG_INT(1);
        *out = taco__func_text_range(
            s, 0,
            k < 0 ? (int64_t)taco__func_text_length(s) + TACO__MAX(k, -(INT64_C(1) << 40)) : k);
        return true;
    case TACO__FUNC_RIGHT: {
        int64_t n = (int64_t)taco__func_text_length(s);
        k = TACO__FUNC_ARG_INT(1);
        *out = taco__func_text_range(
            s, k < 0 ? TACO__MIN(n, -TACO__MAX(k, -(INT64_C(1) << 40))) : n - TACO__MIN(n, k), n);
        return true;
    }
    case TACO__FUNC_TRIM:
    case TACO__FUNC_LTRIM:
    case TACO__FUNC_RTRIM:
        *out = taco__func_text_trim(s, x->n > 1 ? TACO__FUNC_ARG_TEXT(1) : taco__bytes_of(space, 1),
                                    x->id != TACO__FUNC_RTRIM, x->id != TACO__FUNC_LTRIM);
        return true;
    case TACO__FUNC_REPLACE:
        return taco__func_text_replace(x, s, TACO__FUNC_ARG_TEXT(1), TACO__FUNC_ARG_TEXT(2), out);
    case TACO__FUNC_LPAD:
    case TACO__FUNC_RPAD:
        return taco__func_text_pad(x, s, TACO__FUNC_ARG_INT(1), TACO__FUNC_ARG_TEXT(2), out);
    case TACO__FUNC_REPEAT: return taco__func_text_repeat(x, s, TACO__FUNC_ARG_INT(1), out);
    case TACO__FUNC_REVERSE: return taco__func_text_reverse(x, s, out);
    default:
        *out = taco__func_text_split_part(s, TACO__FUNC_ARG_TEXT(1), TACO__FUNC_ARG_INT(2));
        return true;
    }
}

/* LIKE and its variants over a batch. A constant pattern was compiled by the binder; others are
   compiled for each row. */
TACO__FN bool taco__func_text_like(taco__func_call *x)
{
    const taco__like_pattern *ready = (const taco__like_pattern *)x->plan;
    bool neg = x->name[0] == '!', icase = x->name[strlen(x->name) - 1] == '*';
    taco__like_pattern k;
    taco_bytes esc;
    size_t i;
    for (i = 0; i < x->out->n; i++) {
        if (!taco__vec_is_valid(x->out, i)) { continue; }
        if (!ready) {
            memset(&k, 0, sizeof k);
            k.icase = icase;
            esc = x->n > 2 ? TACO__FUNC_ARG_TEXT(2) : taco__bytes_of(NULL, 0);
            if (esc.len > 1) {
                TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                           "ESCAPE takes one character, found %q", &esc);
                return false;
            }
            taco__like_set_escape(&k, x->n > 2 ? &esc : NULL);
            if (!taco__like_compile(&k, x->arena, TACO__FUNC_ARG_TEXT(1), x->err)) { return false; }
        }
        x->out->v.i[i] = taco__like_match(ready ? ready : &k, TACO__FUNC_ARG_TEXT(0)) != neg;
    }
    return true;
}

/* Integers and booleans from texts: lengths, positions (from 1; 0 if absent), tests. */
TACO__FN bool taco__func_text_to_number(taco__func_call *x)
{
    size_t i, at;
    for (i = 0; i < x->out->n; i++) {
        taco_bytes s, t = taco__bytes_of(NULL, 0);
        int64_t r = 0;
        if (!taco__vec_is_valid(x->out, i)) { continue; }
        s = TACO__FUNC_ARG_TEXT(0);
        t = x->n > 1 ? TACO__FUNC_ARG_TEXT(1) : t;
        switch (x->id) {
        case TACO__FUNC_LENGTH: r = (int64_t)taco__func_text_length(s); break;
        case TACO__FUNC_STRLEN:
        case TACO__FUNC_OCTETS: r = (int64_t)s.len; break;
        case TACO__FUNC_ASCII:
            r = s.len ? (int64_t)taco__like_char_at(s, 0, taco__like_char_width(s, 0)) : 0;
            break;
        case TACO__FUNC_CONTAINS: r = taco__like_contains(s, t); break;
        case TACO__FUNC_STARTS:
            r = s.len >= t.len && (!t.len || memcmp(s.data, t.data, t.len) == 0);
            break;
        case TACO__FUNC_ENDS:
            r = s.len >= t.len && (!t.len || memcmp(s.data + (s.len - t.len), t.data, t.len) == 0);
            break;
        default:
            at = taco__bytes_find(s, 0, t, false);
            r = at == SIZE_MAX ? 0
                               : (int64_t)taco__func_text_length(taco__bytes_of(s.data, at)) + 1;
            break;
        }
        x->out->v.i[i] = r;
    }
    return true;
}

/* concat, concat_ws and ||: the first two skip nulls, which make the result of || null. All
   arguments are already text. The bytes are counted first, so that each result is one
   allocation. */
TACO__FN bool taco__func_text_concat(taco__func_call *x)
{
    bool ws = x->id == TACO__FUNC_CONCAT_WS;
    size_t i;
    for (i = 0; i < x->out->n; i++) {
        uint64_t total = 0;
        uint32_t k, any = 0;
        taco_bytes sep = taco__bytes_of(NULL, 0);
        uint8_t *p;
        size_t n = 0;
        if (!taco__vec_is_valid(x->out, i)) { continue; }
        if (ws) {
            if (!taco__vec_is_valid(&x->a[0], i)) {
                if (!taco__func_set_null(x, i)) { return false; }
                continue;
            }
            sep = TACO__FUNC_ARG_TEXT(0);
        }
        for (k = ws; k < x->n; k++) {
            total += taco__vec_is_valid(&x->a[k], i) ? TACO__FUNC_ARG_TEXT(k).len + sep.len : 0;
        }
        if (total > TACO__FUNC_MAX_TEXT) { return taco__func_text_fail_too_long(x); }
        p = (uint8_t *)taco__arena_alloc(x->arena, (size_t)total, x->err);
        for (k = ws; p && k < x->n; k++) {
            taco_bytes s;
            if (!taco__vec_is_valid(&x->a[k], i)) { continue; }
            s = TACO__FUNC_ARG_TEXT(k);
            if (any++ && sep.len) {
                memcpy(p + n, sep.data, sep.len);
                n += sep.len;
            }
            if (s.len) {
                memcpy(p + n, s.data, s.len);
                n += s.len;
            }
        }
        x->out->v.s[i] = taco__bytes_of(p, n);
        if (!p) { return false; }
    }
    return true;
}
