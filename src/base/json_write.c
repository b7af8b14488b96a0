/* json_write.c - JSON text (RFC 8259): strings with their escapes, and a writer of documents

   In: bytes that may not be UTF-8, numbers, and the order of the caller's calls. Out: text appended
   to a taco__buf, on one line without blanks. taco__json_write_string and _name append one string;
   they are for callers that write the rest themselves, such as arrow/cell_text.c, where every
   nanosecond counts. taco__json_writer is for documents with known keys: it adds commas, quotes
   keys, and remembers the first failure, so that a document is a list of calls and one check at the
   end. Start reading at taco__json_write_key. */
#include "base.h"

/* True when one of eight bytes is a control character, '"' or '\\'. A borrow may mark a byte above
   a marked one too, never without one, and bytes above 0x7F are not marked. */
TACO__INLINE bool taco__json_write_special8(uint64_t x)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), highs = ones << 7;
    uint64_t quote = x ^ (ones * '"'), slash = x ^ (ones * '\\');
    return (((x - ones * 0x20) & ~x) | ((quote - ones) & ~quote) | ((slash - ones) & ~slash)) &
           highs;
}

/* How many bytes from the start need no escape. */
static size_t taco__json_write_clean_prefix(const uint8_t *s, size_t n)
{
    size_t i = 0;
    while (n - i >= 8) {
        uint64_t x;
        memcpy(&x, s + i, 8);
        if (taco__json_write_special8(x)) { break; }
        i += 8;
    }
    while (i < n && s[i] >= 0x20 && s[i] != '"' && s[i] != '\\') {
        i++;
    }
    return i;
}

/* A character that JSON does not allow unescaped: at most 6 bytes. */
static char *taco__json_write_escape(char *p, uint8_t c)
{
    static const char short_for[] = "btn.fr"; /* 8..13; vertical tab has none */
    *p++ = '\\';
    if (c == '"' || c == '\\') {
        *p++ = (char)c;
    } else if (c >= 8 && c <= 13 && c != 11) {
        *p++ = short_for[c - 8];
    } else {
        memcpy(p, "u00", 3);
        p = taco__ascii_put_hex(p + 3, &c, 1);
    }
    return p;
}

/* Appends b, which is well-formed UTF-8, in quotes, with only the escapes that JSON requires. */
TACO__FN bool taco__json_write_quoted(taco__buf *out, taco_bytes b, taco_error *err)
{
    size_t i = 0, room;
    char *p;
    if (!taco__checked_add_size(b.len, 2 + 6, &room) || !taco__buf_reserve(out, room, err)) {
        return false;
    }
    p = (char *)out->data + out->len;
    *p++ = '"';
    while (i < b.len) {
        size_t n = taco__json_write_clean_prefix(b.data + i, b.len - i);
        memcpy(p, b.data + i, n);
        p += n;
        i += n;
        if (i == b.len) { break; }
        p = taco__json_write_escape(p, b.data[i++]);
        out->len = (size_t)((uint8_t *)p - out->data);
        if (!taco__buf_reserve(out, b.len - i + 1 + 6, err)) { return false; }
        p = (char *)out->data + out->len;
    }
    *p++ = '"';
    out->len = (size_t)((uint8_t *)p - out->data);
    return true;
}

/* Appends text as a JSON string, or bytes that are not UTF-8 as {"hex":"..."}, so that nothing is
   lost. */
TACO__FN bool taco__json_write_string(taco__buf *out, taco_bytes b, taco_error *err)
{
    return taco__utf8_valid(b) ? taco__json_write_quoted(out, b, err)
                               : taco__ascii_append_hex(out, "{\"hex\":\"", b, "\"}", err);
}

/* Appends text with U+FFFD for each invalid character. */
TACO__FN bool taco__json_write_replace_broken(taco__buf *out, taco_bytes b, taco_error *err)
{
    size_t i = 0, bad, n;
    bool ok = true;
    while (ok && i < b.len) {
        n = taco__utf8_char(b.data + i, b.len - i, &bad);
        ok = n ? taco__buf_append(out, b.data + i, n, err)
               : taco__buf_append(out, "\xEF\xBF\xBD", 3, err);
        i += n ? n : bad;
    }
    return ok;
}

/* Appends a name as a JSON string; since names cannot be objects, invalid UTF-8 in them is
   replaced. */
TACO__FN bool taco__json_write_name(taco__buf *out, taco_bytes b, taco_error *err)
{
    taco__buf fixed;
    bool ok;
    if (taco__utf8_valid(b)) { return taco__json_write_quoted(out, b, err); }
    memset(&fixed, 0, sizeof fixed);
    fixed.mem = out->mem;
    ok = taco__json_write_replace_broken(&fixed, b, err) &&
         taco__json_write_quoted(out, taco__bytes_of(fixed.data, fixed.len), err);
    taco__buf_free(&fixed);
    return ok;
}

/* ---- the writer ---- */

TACO__FN taco__json_writer taco__json_writer_init(taco__buf *out, taco_error *err)
{
    taco__json_writer w;
    w.out = out;
    w.err = err;
    w.begin = out->len;
    w.ok = true;
    return w;
}

/* Appends bytes unchanged, unless something has failed. */
static void taco__json_write_bytes(taco__json_writer *w, const char *text, size_t n)
{
    w->ok = w->ok && taco__buf_append_inline(w->out, text, n, w->err);
}

/* Adds a comma before a value or key if another value precedes it. The last byte decides, because
   no value ends with one of these, not even a string. */
static void taco__json_write_comma(taco__json_writer *w)
{
    if (w->ok && w->out->len > w->begin && !memchr("{[:,", w->out->data[w->out->len - 1], 4)) {
        taco__json_write_bytes(w, ",", 1);
    }
}

TACO__FN void taco__json_write_key_bytes(taco__json_writer *w, taco_bytes key)
{
    taco__json_write_comma(w);
    w->ok = w->ok && taco__json_write_name(w->out, key, w->err);
    taco__json_write_bytes(w, ":", 1);
}

TACO__FN void taco__json_write_key(taco__json_writer *w, const char *key)
{
    if (key) {
        taco__json_write_key_bytes(w, taco__bytes_text(key));
    } else {
        taco__json_write_comma(w);
    }
}

TACO__FN void taco__json_write_begin(taco__json_writer *w, const char *key, char bracket)
{
    taco__json_write_key(w, key);
    taco__json_write_bytes(w, &bracket, 1);
}

TACO__FN void taco__json_write_end(taco__json_writer *w, char bracket)
{
    taco__json_write_bytes(w, &bracket, 1);
}

TACO__FN void taco__json_write_raw(taco__json_writer *w, const char *key, taco_bytes json)
{
    taco__json_write_key(w, key);
    taco__json_write_bytes(w, (const char *)json.data, json.len);
}

TACO__FN void taco__json_write_quoted_value(taco__json_writer *w, const char *key, taco_bytes value)
{
    taco__json_write_key(w, key);
    w->ok = w->ok && taco__json_write_quoted(w->out, value, w->err);
}

TACO__FN void taco__json_write_bytes_value(taco__json_writer *w, const char *key, taco_bytes value)
{
    taco__json_write_key(w, key);
    w->ok = w->ok && taco__json_write_string(w->out, value, w->err);
}

TACO__FN void taco__json_write_text(taco__json_writer *w, const char *key, const char *value)
{
    if (value) {
        taco__json_write_bytes_value(w, key, taco__bytes_text(value));
    } else {
        taco__json_write_raw(w, key, taco__bytes_text("null"));
    }
}

TACO__FN void taco__json_write_bool(taco__json_writer *w, const char *key, bool value)
{
    taco__json_write_raw(w, key, taco__bytes_text(value ? "true" : "false"));
}

TACO__FN void taco__json_write_u64(taco__json_writer *w, const char *key, uint64_t value)
{
    char text[24];
    taco__json_write_raw(w, key, taco__bytes_of(text, taco__num_format_u64(text, value)));
}

TACO__FN void taco__json_write_i64(taco__json_writer *w, const char *key, int64_t value)
{
    char text[24];
    taco__json_write_raw(w, key, taco__bytes_of(text, taco__num_format_i64(text, value)));
}

TACO__FN void taco__json_write_double(taco__json_writer *w, const char *key, double value)
{
    char text[40];
    size_t n = taco__num_format_f64(text + 1, value);
    bool word = text[n] > '9'; /* NaN, Infinity */
    text[0] = text[n + 1] = '"';
    taco__json_write_raw(w, key, word ? taco__bytes_of(text, n + 2) : taco__bytes_of(text + 1, n));
}
