/* func_string.c - functions of texts beyond func_text.c: codes, distances, encodings, paths

   A new text is built in a buffer and copied into the arena of the batch. Distances are computed on
   bytes where DuckDB does so: levenshtein('é', 'e') is 2.

   Examples: hex('é') is C3A9, unhex('C3A9') the two bytes; translate('abcb', 'bc', 'x') is axx
   without the c, which has no partner; levenshtein('kitten', 'sitting') is 3; bar(5, 0, 10, 4) is
   two full blocks and two blanks; format_bytes(16384) is 16.0 KiB. */
#include "sql.h"
#include "functions.h"
#include "../base/base.h"
#include "../filter/filter.h"

/* A longer result for one value is an error, as for repeat. */
#define TACO__FUNC_STRING_MAX ((size_t)1 << 26)

/* An error of a value, after the name of the function. */
static TACO__COLD bool taco__func_string_fail(taco__func_call *x, const char *what)
{
    TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "%s: %s", x->name, what);
    return false;
}

/* ---- codes ---- */

/* chr: the character of a code point. */
static bool taco__func_string_chr(taco__func_call *x, size_t i, taco__buf *b)
{
    int64_t c = TACO__FUNC_ARG_INT(0);
    uint8_t utf8[4];
    if (c < 0 || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) {
        TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "chr: %d is not a character", TACO__D(c));
        return false;
    }
    return taco__buf_append(b, utf8, taco__func_text_write_char(utf8, (uint32_t)c), x->err);
}

/* translate: each character in the second argument is replaced by the corresponding one in the
   third, or removed if that is shorter. */
static bool taco__func_string_translate(taco__func_call *x, size_t i, taco__buf *b)
{
    taco_bytes s = TACO__FUNC_ARG_TEXT(0), from = TACO__FUNC_ARG_TEXT(1),
               to = TACO__FUNC_ARG_TEXT(2);
    size_t at, w;
    bool ok = true;
    for (at = 0; ok && at < s.len; at += w) {
        size_t f = 0, t = 0, fw = 0, tw = 0;
        bool found = false;
        w = taco__like_char_width(s, at);
        for (; f < from.len && !found; f += fw, t += tw) {
            fw = taco__like_char_width(from, f);
            tw = t < to.len ? taco__like_char_width(to, t) : 0;
            if (fw == w && memcmp(from.data + f, s.data + at, w) == 0) {
                found = true;
                ok = taco__buf_append(b, to.data + t, tw, x->err);
            }
        }
        if (!found) { ok = taco__buf_append(b, s.data + at, w, x->err); }
    }
    return ok;
}

/* Digits of a number in a base, at least `width` of them. */
static bool taco__func_string_digits(taco__func_call *x, taco__buf *b, const uint64_t *v,
                                     uint32_t base, size_t width)
{
    char text[130];
    size_t n = sizeof text;
    uint64_t high = v[1], low = v[0];
    while ((high || low) && n) { /* long division by the base, 32 bits at a time */
        uint64_t rest = high % base, part;
        high /= base;
        part = rest << 32 | low >> 32;
        rest = part % base;
        low = (part / base) << 32 | (low & 0xFFFFFFFF);
        part = rest << 32 | (low & 0xFFFFFFFF);
        rest = part % base;
        low = (low & ~UINT64_C(0xFFFFFFFF)) | part / base;
        text[--n] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[rest];
    }
    while (sizeof text - n < width && n) {
        text[--n] = '0';
    }
    return taco__buf_append(b, text + n, sizeof text - n, x->err);
}

/* hex and bin: all digits of bytes, the significant digits of numbers; negative ones as 64 bits. */
static bool taco__func_string_hex(taco__func_call *x, size_t i, taco__buf *b)
{
    uint32_t each = x->id == TACO__FUNC_HEX ? 4 : 1;
    const taco__vec *v = &x->a[0];
    uint64_t words[2] = {0, 0};
    size_t k, bit;
    if (taco__sql_type_physical(v->type) == TACO__PHYS_STR) {
        taco_bytes s = TACO__FUNC_ARG_TEXT(0);
        for (k = 0; k < s.len; k++) {
            for (bit = 8; bit > 0; bit -= each) {
                uint32_t d = (uint32_t)s.data[k] >> (bit - each) & ((1U << each) - 1);
                if (!taco__buf_append_char(b, "0123456789ABCDEF"[d], x -> err)) { return false; }
            }
        }
        return true;
    }
    if (taco__sql_type_physical(v->type) == TACO__PHYS_BIG) {
        words[0] = TACO__FUNC_ARG_BIG(0).w[0];
        words[1] = TACO__FUNC_ARG_BIG(0).w[1];
    } else {
        words[0] = (uint64_t)TACO__FUNC_ARG_INT(0);
    }
    return taco__func_string_digits(x, b, words, 1U << each, 1);
}

/* unhex and unbin: bytes from digits; the first byte may have fewer. */
static bool taco__func_string_unhex(taco__func_call *x, size_t i, taco__buf *b)
{
    taco_bytes s = TACO__FUNC_ARG_TEXT(0);
    size_t per = x->id == TACO__FUNC_UNHEX ? 2 : 8, k, left = s.len % per;
    uint32_t v = 0;
    left = left ? left : per;
    for (k = 0; k < s.len; k++) {
        int d = taco__ascii_hex_value(s.data[k]);
        if (d < 0 || (per == 8 && d > 1)) {
            return taco__func_string_fail(x, "a character that is not a digit");
        }
        v = v << (per == 2 ? 4 : 1) | (uint32_t)d;
        if (--left == 0) {
            if (!taco__buf_append_char(b, (char)(uint8_t)v, x->err)) { return false; }
            v = 0;
            left = per;
        }
    }
    return true;
}

/* ---- encodings ---- */

static const char taco__func_base64[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* base64 (RFC 4648 section 4), with padding. */
static bool taco__func_string_base64(taco__func_call *x, size_t i, taco__buf *b)
{
    taco_bytes s = TACO__FUNC_ARG_TEXT(0);
    size_t k, m;
    for (k = 0; k < s.len; k += 3) {
        uint32_t v = 0;
        char four[4];
        for (m = 0; m < 3; m++) {
            v = v << 8 | (k + m < s.len ? s.data[k + m] : 0U);
        }
        for (m = 0; m < 4; m++) {
            four[m] = k + m <= s.len ? taco__func_base64[v >> (18 - 6 * m) & 63] : '=';
        }
        if (!taco__buf_append(b, four, 4, x->err)) { return false; }
    }
    return true;
}

/* Decodes base64: whole groups of four characters, the last of which may be padded. */
static bool taco__func_string_from_base64(taco__func_call *x, size_t i, taco__buf *b)
{
    taco_bytes s = TACO__FUNC_ARG_TEXT(0);
    size_t k, m, pad = 0;
    if (s.len % 4) { return taco__func_string_fail(x, "the length is not a multiple of 4"); }
    for (k = 0; k < s.len; k += 4) {
        uint32_t v = 0;
        for (m = 0; m < 4; m++) {
            uint8_t c = s.data[k + m];
            const char *at = c ? strchr(taco__func_base64, c) : NULL;
            bool padded = c == '=' && k + 4 == s.len && m >= 2;
            if ((!at && !padded) || (pad && !padded)) {
                return taco__func_string_fail(x, "a character that is not base64");
            }
            pad += padded;
            v = v << 6 | (at ? (uint32_t)(at - taco__func_base64) : 0U);
        }
        for (m = 0; m < 3 - pad; m++) {
            if (!taco__buf_append_char(b, (char)(uint8_t)(v >> (16 - 8 * m)), x->err)) {
                return false;
            }
        }
    }
    return true;
}

/* url_encode (RFC 3986 section 2): all but unreserved characters as %XX; and back. */
static bool taco__func_string_url(taco__func_call *x, size_t i, taco__buf *b)
{
    taco_bytes s = TACO__FUNC_ARG_TEXT(0);
    size_t k;
    bool ok = true;
    for (k = 0; ok && k < s.len; k++) {
        uint8_t c = s.data[k];
        char hex[3] = {'%', "0123456789ABCDEF"[c >> 4], "0123456789ABCDEF"[c & 15]};
        bool plain = (c < 0x80 && c != '_' && taco__lex_is_letter(c)) || taco__lex_is_digit(c) ||
                     c == '-' || c == '_' || c == '.' || c == '~';
        if (x->id == TACO__FUNC_URL_ENCODE) {
            ok = plain ? taco__buf_append_char(b, (char)c, x->err)
                       : taco__buf_append(b, hex, 3, x->err);
        } else if (c == '%' && k + 2 < s.len && taco__ascii_hex_value(s.data[k + 1]) >= 0 &&
                   taco__ascii_hex_value(s.data[k + 2]) >= 0) {
            ok = taco__buf_append_char(b,
                                       (char)(uint8_t)(taco__ascii_hex_value(s.data[k + 1]) * 16 +
                                                       taco__ascii_hex_value(s.data[k + 2])),
                                       x->err);
            k += 2;
        } else {
            ok = taco__buf_append_char(b, (char)c, x->err);
        }
    }
    if (ok && !taco__utf8_valid(taco__bytes_of(b->data, b->len))) {
        return taco__func_string_fail(x, "the result is not UTF-8");
    }
    return ok;
}

/* ---- distances ---- */

/* levenshtein and damerau_levenshtein (with neighbours swapped), on bytes: rows of the matrix of
   distances of prefixes. The unrestricted form of the latter remembers where each byte was last
   (R. Lowrance, R. A. Wagner, An extension of the string-to-string correction problem, 1975). */
static bool taco__func_string_edits(taco__func_call *x, size_t i, int64_t *out)
{
    taco_bytes s = TACO__FUNC_ARG_TEXT(0), t = TACO__FUNC_ARG_TEXT(1);
    bool swaps = x->id == TACO__FUNC_DAMERAU;
    size_t width = t.len + 2, rows = swaps ? s.len + 2 : 2, a, b, last[256], cells;
    uint32_t *m;
    if (!taco__checked_mul_size(width, rows, &cells) || cells > TACO__FUNC_STRING_MAX) {
        return taco__func_string_fail(x, "the texts are too long");
    }
    m = (uint32_t *)taco__arena_array(x->arena, cells, sizeof *m, x->err);
    if (!m) { return false; }
    memset(last, 0, sizeof last);
#define TACO__CELL(r, c) m[(swaps ? (r) : (r) % 2) * width + (c)]
    for (a = 0; a <= s.len; a++) {
        size_t seen = 0; /* column where s[a - 1] last occurred in t */
        for (b = 0; b <= t.len; b++) {
            uint32_t cost, best;
            if (!a || !b) {
                TACO__CELL(a, b) = (uint32_t)(a + b);
                continue;
            }
            cost = s.data[a - 1] != t.data[b - 1];
            best = TACO__CELL(a - 1, b - 1) + cost;
            best = TACO__MIN(best, TACO__CELL(a - 1, b) + 1);
            best = TACO__MIN(best, TACO__CELL(a, b - 1) + 1);
            if (swaps && last[t.data[b - 1]] && seen) {
                size_t r = last[t.data[b - 1]], c = seen;
                uint32_t with = TACO__CELL(r - 1, c - 1) + (uint32_t)(a - r + b - c - 1);
                best = TACO__MIN(best, with);
            }
            if (!cost) { seen = b; }
            TACO__CELL(a, b) = best;
        }
        if (a) { last[s.data[a - 1]] = a; }
    }
    *out = (int64_t)TACO__CELL(s.len, t.len);
#undef TACO__CELL
    return true;
}

/* hamming: number of differing bytes in texts of the same length. */
static bool taco__func_string_hamming(taco__func_call *x, size_t i, int64_t *out)
{
    taco_bytes s = TACO__FUNC_ARG_TEXT(0), t = TACO__FUNC_ARG_TEXT(1);
    size_t k;
    if (s.len != t.len) { return taco__func_string_fail(x, "the texts differ in length"); }
    if (!s.len) { return taco__func_string_fail(x, "an empty text"); }
    for (k = 0, *out = 0; k < s.len; k++) {
        *out += s.data[k] != t.data[k];
    }
    return true;
}

/* jaccard: the share of the distinct bytes in either text that are in both. */
static bool taco__func_string_jaccard(taco__func_call *x, size_t i, double *out)
{
    taco_bytes s = TACO__FUNC_ARG_TEXT(0), t = TACO__FUNC_ARG_TEXT(1);
    uint8_t in[256];
    size_t k, both = 0, any = 0;
    if (!s.len || !t.len) { return taco__func_string_fail(x, "an empty text"); }
    memset(in, 0, sizeof in);
    for (k = 0; k < s.len; k++) {
        in[s.data[k]] |= 1;
    }
    for (k = 0; k < t.len; k++) {
        in[t.data[k]] |= 2;
    }
    for (k = 0; k < 256; k++) {
        both += in[k] == 3;
        any += in[k] != 0;
    }
    *out = (double)both / (double)any;
    return true;
}

/* jaro_similarity, and jaro_winkler_similarity, which favours a common prefix: bytes that match
   within half of the longer text, less those out of order (W. E. Winkler, String comparator
   metrics, 1990). */
static bool taco__func_string_jaro(taco__func_call *x, size_t i, double *out)
{
    taco_bytes s = TACO__FUNC_ARG_TEXT(0), t = TACO__FUNC_ARG_TEXT(1);
    size_t far = TACO__MAX(s.len, t.len) / 2, k, j, hits = 0, swapped = 0, same = 0;
    uint8_t *used = (uint8_t *)taco__arena_alloc(x->arena, s.len + t.len + 1, x->err);
    double h, r;
    if (!used) { return false; }
    *out = 0;
    far = far ? far - 1 : 0;
    /* each byte of s takes the first equal one of t that is close enough and not taken */
    for (k = 0; k < s.len; k++) {
        for (j = k > far ? k - far : 0; j < t.len && j <= k + far; j++) {
            if (!used[s.len + j] && s.data[k] == t.data[j]) {
                used[k] = used[s.len + j] = 1;
                hits++;
                break;
            }
        }
    }
    if (!hits) { return true; }
    /* the taken ones in their order: each pair that differs is half a transposition */
    for (k = j = 0; k < s.len; k++) {
        if (!used[k]) { continue; }
        while (!used[s.len + j]) {
            j++;
        }
        swapped += s.data[k] != t.data[j++];
    }
    swapped /= 2;
    h = (double)hits;
    r = (h / (double)s.len + h / (double)t.len + (h - (double)swapped) / h) / 3;
    while (same < 4 && same < s.len && same < t.len && s.data[same] == t.data[same]) {
        same++;
    }
    if (x->id == TACO__FUNC_JARO_WINKLER && r > 0.7) { r += (double)same * 0.1 * (1 - r); }
    *out = x->n > 2 && r < TACO__FUNC_ARG_DOUBLE(2) ? 0 : r;
    return true;
}

/* ---- others ---- */

/* parse_filename, parse_dirname (the first folder) and parse_dirpath (all of them): parts of a
   path, by the plan's letter. */
static bool taco__func_string_path(taco__func_call *x, size_t i, taco__buf *b)
{
    taco_bytes s = TACO__FUNC_ARG_TEXT(0);
    char part = *(const char *)x->plan;
    bool trim = x->n > 1 && TACO__FUNC_ARG_INT(1);
    size_t k, last = SIZE_MAX, first = SIZE_MAX, dot = SIZE_MAX;
    for (k = 0; k < s.len; k++) {
        if (s.data[k] == '/' || s.data[k] == '\\') {
            first = first == SIZE_MAX ? k : first;
            last = k;
        }
    }
    if (part == 'd') { /* the first component */
        size_t n = first == SIZE_MAX ? 0 : first == 0 ? 1 : first;
        return taco__buf_append(b, s.data, n, x->err);
    }
    if (part == 'p') {
        size_t n = last == SIZE_MAX ? 0 : last == 0 ? 1 : last;
        return taco__buf_append(b, s.data, n, x->err);
    }
    k = last == SIZE_MAX ? 0 : last + 1;
    for (first = k; trim && first < s.len; first++) {
        dot = s.data[first] == '.' ? first : dot;
    }
    return taco__buf_append(b, s.data + k, (dot != SIZE_MAX && dot > k ? dot : s.len) - k, x->err);
}

/* format_bytes: 16.0 KiB, by powers of 1024, or 16.0 kB by those of 1000. One digit after the
   point, truncated. */
static bool taco__func_string_size(taco__func_call *x, size_t i, taco__buf *b)
{
    static const char *const units[2][6] = {{"B", "KiB", "MiB", "GiB", "TiB", "PiB"},
                                            {"B", "kB", "MB", "GB", "TB", "PB"}};
    bool decimal = *(const char *)x->plan == 'd';
    uint64_t base = decimal ? 1000 : 1024, u, one = 1;
    int64_t v = TACO__FUNC_ARG_INT(0);
    size_t k = 0, n;
    char text[40];
    u = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
    while (k < 5 && u / one >= base) {
        one *= base;
        k++;
    }
    n = taco__num_format_u64(text, u / one);
    if (v < 0 && !taco__buf_append_char(b, '-', x->err)) { return false; }
    if (!taco__buf_append(b, text, n, x->err)) { return false; }
    if (!k) { return taco__buf_append_text(b, u == 1 ? " byte" : " bytes", x->err); }
    text[0] = '.';
    text[1] = (char)('0' + (u % one) / (one / 10 + (one % 10 != 0)));
    text[2] = ' ';
    return taco__buf_append(b, text, 3, x->err) &&
           taco__buf_append_text(b, units[decimal][k], x->err);
}

/* to_base(number, base[, width]). */
static bool taco__func_string_to_base(taco__func_call *x, size_t i, taco__buf *b)
{
    int64_t v = TACO__FUNC_ARG_INT(0), base = TACO__FUNC_ARG_INT(1),
            width = x->n > 2 ? TACO__FUNC_ARG_INT(2) : 0;
    uint64_t words[2];
    if (v < 0 || base < 2 || base > 36 || width < 0 || width > 64) {
        return taco__func_string_fail(
            x, "a number from 0, a base from 2 to 36, a width from 0 to 64 are allowed");
    }
    words[0] = (uint64_t)v;
    words[1] = 0;
    return taco__func_string_digits(x, b, words, (uint32_t)base,
                                    TACO__MAX((size_t)width, (size_t)1));
}

/* bar(x, min, max[, width]): a bar of eighths of blocks. */
static bool taco__func_string_bar(taco__func_call *x, size_t i, taco__buf *b)
{
    double v = TACO__FUNC_ARG_DOUBLE(0), lo = TACO__FUNC_ARG_DOUBLE(1),
           hi = TACO__FUNC_ARG_DOUBLE(2), width = x->n > 3 ? TACO__FUNC_ARG_DOUBLE(3) : 80, filled,
           scaled, span;
    size_t eighths, cells, k;
    if (!(width >= 1 && width <= 1000)) {
        return taco__func_string_fail(x, "a width from 1 to 1000 is allowed");
    }
    if (taco__f64_is_nan(v) || taco__f64_is_nan(lo) || taco__f64_is_nan(hi) || lo >= hi) {
        return taco__func_string_fail(x, "the least value must be below the greatest");
    }
    /* in steps, which overflow as doubles also where registers have more digits */
    scaled = v - lo;
    scaled *= width;
    span = hi - lo;
    filled = v <= lo ? 0 : v >= hi ? width : scaled / span;
    if (!taco__f64_is_finite(filled)) {
        return taco__func_string_fail(x, "the greatest value is too far from the least");
    }
    eighths = (size_t)(filled * 8);
    cells = TACO__MAX((size_t)width, (eighths + 7) / 8); /* a part of one counts */
    for (k = 0; k < cells; k++) {
        size_t part = eighths > k * 8 ? TACO__MIN(eighths - k * 8, (size_t)8) : 0;
        char block[3] = {'\xE2', '\x96', (char)(uint8_t)(0x90 - part)};
        if (!(part ? taco__buf_append(b, block, 3, x->err)
                   : taco__buf_append_char(b, ' ', x->err))) {
            return false;
        }
    }
    return true;
}

/* decode: valid UTF-8 bytes as a text. */
static bool taco__func_string_decode(taco__func_call *x, size_t i)
{
    taco_bytes s = TACO__FUNC_ARG_TEXT(0);
    if (!taco__utf8_valid(s)) { return taco__func_string_fail(x, "the bytes are not UTF-8"); }
    x->out->v.s[i] = s;
    return true;
}

/* Row i of a function with a text or bytes as result, appended to b. */
static bool taco__func_string_text(taco__func_call *x, size_t i, taco__buf *b)
{
    switch (x->id) {
    case TACO__FUNC_CHR: return taco__func_string_chr(x, i, b);
    case TACO__FUNC_TRANSLATE: return taco__func_string_translate(x, i, b);
    case TACO__FUNC_HEX:
    case TACO__FUNC_BIN: return taco__func_string_hex(x, i, b);
    case TACO__FUNC_UNHEX:
    case TACO__FUNC_UNBIN: return taco__func_string_unhex(x, i, b);
    case TACO__FUNC_BASE64: return taco__func_string_base64(x, i, b);
    case TACO__FUNC_FROM_BASE64: return taco__func_string_from_base64(x, i, b);
    case TACO__FUNC_URL_ENCODE:
    case TACO__FUNC_URL_DECODE: return taco__func_string_url(x, i, b);
    case TACO__FUNC_PATH_PART: return taco__func_string_path(x, i, b);
    case TACO__FUNC_FORMAT_BYTES: return taco__func_string_size(x, i, b);
    case TACO__FUNC_BAR: return taco__func_string_bar(x, i, b);
    default: return taco__func_string_to_base(x, i, b);
    }
}

/* One row. */
static bool taco__func_string_row(taco__func_call *x, size_t i, taco__buf *b)
{
    taco_bytes s;
    switch (x->id) {
    case TACO__FUNC_UNICODE:
        s = TACO__FUNC_ARG_TEXT(0);
        x->out->v.i[i] =
            s.len ? (int64_t)taco__like_char_at(s, 0, taco__like_char_width(s, 0)) : -1;
        return true;
    case TACO__FUNC_BIT_LENGTH:
        x->out->v.i[i] = (int64_t)TACO__FUNC_ARG_TEXT(0).len * 8;
        return true;
    case TACO__FUNC_LEVENSHTEIN:
    case TACO__FUNC_DAMERAU: return taco__func_string_edits(x, i, &x->out->v.i[i]);
    case TACO__FUNC_HAMMING: return taco__func_string_hamming(x, i, &x->out->v.i[i]);
    case TACO__FUNC_JACCARD: return taco__func_string_jaccard(x, i, &x->out->v.f[i]);
    case TACO__FUNC_JARO:
    case TACO__FUNC_JARO_WINKLER: return taco__func_string_jaro(x, i, &x->out->v.f[i]);
    case TACO__FUNC_MD5:
    case TACO__FUNC_SHA1:
    case TACO__FUNC_SHA256: return taco__func_hash_row(x, i);
    case TACO__FUNC_ENCODE: x->out->v.s[i] = TACO__FUNC_ARG_TEXT(0); return true;
    case TACO__FUNC_DECODE: return taco__func_string_decode(x, i);
    default:
        b->len = 0;
        return taco__func_string_text(x, i, b) &&
               taco__func_set_text(x, i, taco__bytes_of(b->data, b->len));
    }
}

/* Runs a call of these functions. */
TACO__FN bool taco__func_string_run(taco__func_call *x)
{
    taco__buf b;
    size_t i;
    bool ok = true;
    memset(&b, 0, sizeof b);
    b.mem = x->arena->mem;
    for (i = 0; ok && i < x->out->n; i++) {
        ok = !taco__vec_is_valid(x->out, i) || taco__func_string_row(x, i, &b);
    }
    taco__buf_free(&b);
    return ok;
}
