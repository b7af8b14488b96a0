/* cell_text.c - one cell or one row as JSON, as a CSV field, as plain text

   In: an array and a row; out: text that is appended to a buffer. Spec: RFC 8259 (JSON), RFC 4180
   (CSV). The public printer (printer.c), the tool, EXPLAIN and messages all print values through
   here.

   taco__cell_append_json writes any type as JSON; taco__cell_bare writes a value without quotes,
   which CSV and plain text then quote or escape in place. Both follow dictionaries first
   (taco__cell_resolve_dictionary). Numbers can be read back exactly: floats with their shortest
   digits, decimals with all of theirs. */
#include "arrow.h"
#include "../base/base.h"

/* Nesting limit; what readers accept is below limits.max_depth, which is usually lower. */
#define TACO__CELL_DEPTH 256

/* ---- values ---- */

/* The bytes of row i of a TEXT, BINARY, FIXED or UUID array, or of a DECIMAL of width 0. */
static taco_bytes taco__cell_bytes(const taco_field *f, const taco_array *a, size_t i)
{
    if (f->type == TACO_FIXED || f->type == TACO_UUID) {
        size_t width = f->type == TACO_UUID ? 16 : (size_t)(f->width > 0 ? f->width : 0);
        return taco__bytes_of(width ? a->v.u8 + width * i : NULL, width);
    }
    return taco__bytes_of(a->v.u8 ? a->v.u8 + a->offsets[i] : NULL,
                          (size_t)(a->offsets[i + 1] - a->offsets[i]));
}

/* 8-4-4-4-12 hex digits, RFC 9562 §4. Returns the end, like all _put functions here. */
static char *taco__cell_put_uuid(char *p, const uint8_t *s)
{
    static const uint8_t cut[] = {0, 4, 6, 8, 10, 16};
    size_t k;
    for (k = 0; k < 5; k++) {
        if (k) { *p++ = '-'; }
        p = taco__ascii_put_hex(p, s + cut[k], (size_t)(cut[k + 1] - cut[k]));
    }
    return p;
}

/* In its stored width: a float of 1.1 is 1.1, not the 17 digits of the nearest double. */
static size_t taco__cell_put_float(char *p, const taco_field *f, const taco_array *a, size_t i)
{
    return f->type == TACO_DOUBLE  ? taco__num_format_f64(p, a->v.f64[i])
           : f->type == TACO_FLOAT ? taco__num_format_f32(p, a->v.f32[i])
                                   : taco__num_format_f16(p, a->v.u16[i]);
}

/* Writes the bare value of a type of dates, times, floats or fixed bytes, and says whether JSON
   puts it in quotes. */
static size_t taco__cell_put_quoted(char *p, const taco_field *f, const taco_array *a, size_t i,
                                    bool *quotes)
{
    size_t n = 0;
    *quotes = true;
    switch (f->type) {
    case TACO_DATE: return taco__time_format_date(p, a->v.i32[i]);
    case TACO_TIME:
        *quotes = taco__time_format_time(p, f->unit <= TACO_MILLI ? a->v.i32[i] : a->v.i64[i],
                                         f->unit, &n);
        return n;
    case TACO_TIMESTAMP: return taco__time_format_timestamp(p, a->v.i64[i], f->unit, f->utc);
    case TACO_INT96: return taco__time_format_int96(p, a->v.u8 + 12 * i);
    case TACO_INTERVAL: return (size_t)(taco__ascii_put_hex(p, a->v.u8 + 12 * i, 12) - p);
    case TACO_UUID: return (size_t)(taco__cell_put_uuid(p, a->v.u8 + 16 * i) - p);
    default: /* HALF, FLOAT, DOUBLE: the words among them are strings */
        n = taco__cell_put_float(p, f, a, i);
        *quotes = p[n - 1] > '9'; /* NaN, Infinity */
        return n;
    }
}

/* Writes a value of fixed size, as JSON or bare; TACO__CELL_SIZE bytes are enough. If it may need
   quotes, it is written a byte further on, and then quoted or moved back. */
static size_t taco__cell_put_fixed(char *p, const taco_field *f, const taco_array *a, size_t i,
                                   bool json)
{
    size_t n;
    bool quotes;
    switch (f->type) {
    case TACO_BOOL:
        n = taco__bitmap_get(a->v.u8, i) ? 4 : 5;
        memcpy(p, n == 4 ? "true " : "false", 5);
        return n;
    case TACO_INT8: return taco__num_format_i64(p, a->v.i8[i]);
    case TACO_INT16: return taco__num_format_i64(p, a->v.i16[i]);
    case TACO_INT32: return taco__num_format_i64(p, a->v.i32[i]);
    case TACO_INT64: return taco__num_format_i64(p, a->v.i64[i]);
    case TACO_UINT8: return taco__num_format_u64(p, a->v.u8[i]);
    case TACO_UINT16: return taco__num_format_u64(p, a->v.u16[i]);
    case TACO_UINT32: return taco__num_format_u64(p, a->v.u32[i]);
    case TACO_UINT64: return taco__num_format_u64(p, a->v.u64[i]);
    default: break;
    }
    n = taco__cell_put_quoted(p + json, f, a, i, &quotes);
    if (json && quotes) {
        p[0] = p[n + 1] = '"';
        return n + 2;
    }
    if (json) { memmove(p, p + 1, n); }
    return n;
}

static bool taco__cell_append_fixed(taco__buf *out, const taco_field *f, const taco_array *a,
                                    size_t i, bool json, taco_error *err)
{
    if (!taco__buf_reserve(out, TACO__CELL_SIZE, err)) { return false; }
    out->len += taco__cell_put_fixed((char *)out->data + out->len, f, a, i, json);
    return true;
}

/* Exact: decimals never pass through a double, and so are strings in JSON, where readers would
   convert a number to one. */
static bool taco__cell_append_decimal(taco__buf *out, const taco_field *f, const taco_array *a,
                                      size_t i, taco_error *err)
{
    if (f->width > 0) {
        return taco__decimal_append_le(out, a->v.u8 + (size_t)f->width * i, f->width, f->scale,
                                       err);
    }
    return taco__decimal_append_be(out, taco__cell_bytes(f, a, i), f->scale, err);
}

TACO__FN int taco__cell_resolve_dictionary(const taco_array **a, size_t *i, taco_error *err)
{
    for (;;) {
        const taco_array *values = (*a)->dictionary;
        uint32_t at;
        if ((*a)->validity && !taco__bitmap_get((*a)->validity, *i)) { return 0; }
        if (!values) { return 1; }
        at = (*a)->v.u32[*i];
        if (at >= values->length) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "dictionary index %u, dictionary has %u entries", TACO__U(at),
                       TACO__U(values->length));
            return -1;
        }
        *i = at;
        *a = values;
    }
}

static bool taco__cell_append_json(taco__buf *out, const taco_field *f, const taco_array *a,
                                   size_t i, unsigned depth, taco_error *err);

/* [item,...]. Relies on what the reader has checked: offsets ascend and stay inside the child. */
static bool taco__cell_append_list(taco__buf *out, const taco_array *a, size_t i, unsigned depth,
                                   taco_error *err)
{
    const taco_array *items = a->children;
    int32_t k;
    bool ok = taco__buf_append_char(out, '[', err);
    for (k = a->offsets[i]; ok && k < a->offsets[i + 1]; k++) {
        ok = (k == a->offsets[i] || taco__buf_append_char(out, ',', err)) &&
             taco__cell_append_json(out, items->field, items, (size_t)k, depth, err);
    }
    return ok && taco__buf_append_char(out, ']', err);
}

/* [[key,value],...]; a map without values is the list of its keys. */
static bool taco__cell_append_map(taco__buf *out, const taco_array *a, size_t i, unsigned depth,
                                  taco_error *err)
{
    const taco_array *entries = a->children, *key = entries->children, *value = key + 1;
    bool pairs = entries->field->child_count > 1, ok = taco__buf_append_char(out, '[', err);
    int32_t k;
    for (k = a->offsets[i]; ok && k < a->offsets[i + 1]; k++) {
        ok = (k == a->offsets[i] || taco__buf_append_char(out, ',', err)) &&
             (!pairs || taco__buf_append_char(out, '[', err)) &&
             taco__cell_append_json(out, key->field, key, (size_t)k, depth, err);
        if (pairs) {
            ok = ok && taco__buf_append_char(out, ',', err) &&
                 taco__cell_append_json(out, value->field, value, (size_t)k, depth, err) &&
                 taco__buf_append_char(out, ']', err);
        }
    }
    return ok && taco__buf_append_char(out, ']', err);
}

/* {"name":value,...} in the order of the schema; duplicate names are kept. */
static bool taco__cell_append_struct(taco__buf *out, const taco_field *f, const taco_array *a,
                                     size_t i, unsigned depth, taco_error *err)
{
    bool ok = taco__buf_append_char(out, '{', err);
    uint32_t k;
    for (k = 0; ok && k < f->child_count; k++) {
        const taco_array *child = a->children + k;
        ok = (k == 0 || taco__buf_append_char(out, ',', err)) &&
             taco__json_write_name(out, taco__bytes_text(child->field->name), err) &&
             taco__buf_append_char(out, ':', err) &&
             taco__cell_append_json(out, child->field, child, i, depth, err);
    }
    return ok && taco__buf_append_char(out, '}', err);
}

static bool taco__cell_append_json(taco__buf *out, const taco_field *f, const taco_array *a,
                                   size_t i, unsigned depth, taco_error *err)
{
    int has;
    if (depth >= TACO__CELL_DEPTH) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "values are nested deeper than %u, more than any limits.max_depth allows",
                   TACO__U(TACO__CELL_DEPTH));
        return false;
    }
    has = f->type == TACO_NULL ? 0 : taco__cell_resolve_dictionary(&a, &i, err);
    if (has <= 0) { return has == 0 && taco__buf_append(out, "null", 4, err); }
    switch (f->type) {
    case TACO_TEXT: return taco__json_write_string(out, taco__cell_bytes(f, a, i), err);
    case TACO_BINARY:
    case TACO_FIXED: return taco__ascii_append_hex(out, "\"", taco__cell_bytes(f, a, i), "\"", err);
    case TACO_DECIMAL:
        if (f->leaf == TACO__FIELD_INTEGER) { return taco__cell_append_decimal(out, f, a, i, err); }
        return taco__buf_append_char(out, '"', err) &&
               taco__cell_append_decimal(out, f, a, i, err) && taco__buf_append_char(out, '"', err);
    case TACO_LIST: return taco__cell_append_list(out, a, i, depth + 1, err);
    case TACO_MAP: return taco__cell_append_map(out, a, i, depth + 1, err);
    case TACO_STRUCT: return taco__cell_append_struct(out, f, a, i, depth + 1, err);
    default: return taco__cell_append_fixed(out, f, a, i, true, err);
    }
}

TACO__FN bool taco__cell_json(taco__buf *out, const taco_array *a, size_t i, taco_error *err)
{
    return taco__cell_append_json(out, a->field, a, i, 0, err);
}

TACO__FN void taco__cell_names_free(taco__cell_names *n)
{
    if (n->text.mem) {
        taco__mem_free(n->text.mem, n->ends, n->count * sizeof *n->ends);
        taco__buf_free(&n->text);
    }
    memset(n, 0, sizeof *n);
}

TACO__FN bool taco__cell_names_init(taco__cell_names *n, taco__mem *mem, const taco_batch *b,
                                    taco_error *err)
{
    size_t i;
    memset(n, 0, sizeof *n);
    n->text.mem = mem;
    n->ends = (size_t *)taco__mem_alloc(mem, b->column_count * sizeof *n->ends, err);
    if (!n->ends) { return false; }
    n->count = b->column_count;
    for (i = 0; i < n->count; i++) {
        if (!taco__json_write_name(&n->text, taco__bytes_text(b->columns[i].field->name), err) ||
            !taco__buf_append_char(&n->text, ':', err)) {
            taco__cell_names_free(n);
            return false;
        }
        n->ends[i] = n->text.len;
    }
    return true;
}

TACO__FN bool taco__cell_json_row(taco__buf *out, const taco_batch *b, size_t row,
                                  const taco__cell_names *names, taco_error *err)
{
    size_t i, begin = out->len;
    bool ok = taco__buf_append_char(out, '{', err);
    for (i = 0; ok && i < b->column_count; i++) {
        const taco_array *a = b->columns + i;
        ok = i == 0 || taco__buf_append_char(out, ',', err);
        if (names) {
            size_t from = i ? names->ends[i - 1] : 0;
            ok = ok && taco__buf_append(out, names->text.data + from, names->ends[i] - from, err);
        } else {
            ok = ok && taco__json_write_name(out, taco__bytes_text(a->field->name), err) &&
                 taco__buf_append_char(out, ':', err);
        }
        ok = ok && taco__cell_append_json(out, a->field, a, row, 0, err);
    }
    if (!ok || !taco__buf_append_char(out, '}', err)) {
        out->len = begin;
        return false;
    }
    return true;
}

/* ---- CSV and plain text ---- */

TACO__FN bool taco__cell_bare(taco__buf *out, const taco_array *a, size_t i, bool *null,
                              taco_error *err)
{
    const taco_field *f = a->field;
    taco_bytes b;
    int has = f->type == TACO_NULL ? 0 : taco__cell_resolve_dictionary(&a, &i, err);
    *null = has == 0;
    if (has <= 0) { return has == 0; }
    switch (f->type) {
    case TACO_TEXT:
        b = taco__cell_bytes(f, a, i);
        return taco__utf8_valid(b) ? taco__buf_append(out, b.data, b.len, err)
                                   : taco__json_write_string(out, b, err);
    case TACO_BINARY:
    case TACO_FIXED: return taco__ascii_append_hex(out, "", taco__cell_bytes(f, a, i), "", err);
    case TACO_DECIMAL: return taco__cell_append_decimal(out, f, a, i, err);
    case TACO_LIST:
    case TACO_MAP:
    case TACO_STRUCT: return taco__cell_append_json(out, f, a, i, 0, err);
    default: return taco__cell_append_fixed(out, f, a, i, false, err);
    }
}

/* Quotes the part of out from `begin` on if a CSV field requires it; an empty field is quoted, too,
   since it is not null. */
static bool taco__cell_csv_quote(taco__buf *out, size_t begin, taco_error *err)
{
    size_t i, quotes = 0, n = out->len - begin;
    bool need = n == 0;
    uint8_t *from, *to;
    for (i = begin; i < out->len; i++) {
        uint8_t c = out->data[i];
        quotes += c == '"';
        need = need || c == '"' || c == ',' || c == '\n' || c == '\r';
    }
    if (!need) { return true; }
    if (!taco__buf_reserve(out, quotes + 2, err)) { return false; }
    from = out->data + out->len;
    out->len += quotes + 2;
    to = out->data + out->len;
    *--to = '"';
    for (; n; n--) { /* from the end, so that nothing is overwritten before it has been moved */
        *--to = *--from;
        if (*to == '"') { *--to = '"'; }
    }
    *--to = '"';
    return true;
}

TACO__FN bool taco__cell_csv(taco__buf *out, const taco_array *a, size_t i, taco_error *err)
{
    size_t begin = out->len;
    bool null;
    return taco__cell_bare(out, a, i, &null, err) &&
           (null || taco__cell_csv_quote(out, begin, err));
}

TACO__FN bool taco__cell_csv_name(taco__buf *out, taco_bytes b, taco_error *err)
{
    size_t begin = out->len;
    return taco__json_write_replace_broken(out, b, err) && taco__cell_csv_quote(out, begin, err);
}

/* Whether a terminal must not see the character of n bytes at p (n 0: a byte that is not UTF-8):
   control characters, and marks that change the direction of text, so that a name from a file
   cannot manipulate the screen. */
static bool taco__cell_is_unprintable(const uint8_t *p, size_t n)
{
    if (n == 1) { return p[0] < 0x20 || p[0] == 0x7F; }
    if (n == 2) { return p[0] == 0xC2 && p[1] < 0xA0; /* U+0080..9F */ }
    if (n == 3 && p[0] == 0xE2) { /* U+200B..200F but the joiners, U+2028..202E, U+2060..206F */
        return (p[1] == 0x80 && ((p[2] >= 0x8B && p[2] <= 0x8F && p[2] != 0x8C && p[2] != 0x8D) ||
                                 (p[2] >= 0xA8 && p[2] <= 0xAE))) ||
               (p[1] == 0x81 && p[2] >= 0xA0 && p[2] <= 0xAF);
    }
    return n == 0 || (n == 3 && p[0] == 0xEF && p[1] == 0xBB && p[2] == 0xBF);
}

/* Writes such a character as \n, \t, \r, \xNN or \uNNNN: at most 4 bytes for each of its own. */
static uint8_t *taco__cell_put_escaped(uint8_t *to, const uint8_t *p, size_t n)
{
    char *at = (char *)to;
    uint8_t code[2];
    *at++ = '\\';
    if (n < 2) {
        const char *known = p[0] ? strchr("\nn\tt\rr", p[0]) : NULL;
        if (known) {
            *at++ = known[1];
            return (uint8_t *)at;
        }
        *at++ = 'x';
        return (uint8_t *)taco__ascii_put_hex(at, p, 1);
    }
    *at++ = 'u';
    code[0] = (uint8_t)(n == 2 ? (p[0] & 0x1F) >> 2 : (p[0] & 0x0F) << 4 | (p[1] & 0x3F) >> 2);
    code[1] = (uint8_t)((p[n - 2] & 3) << 6 | (p[n - 1] & 0x3F));
    return (uint8_t *)taco__ascii_put_hex(at, code, 2);
}

/* Escapes those in the part of out from `begin` on. Usually there are none, and the text is scanned
   once. */
static bool taco__cell_escape_unprintable(taco__buf *out, size_t begin, taco_error *err)
{
    size_t i = begin, n = 0, bad, len, room;
    uint8_t *from, *to;
    for (; i < out->len; i += n) {
        n = taco__utf8_char(out->data + i, out->len - i, &bad);
        if (taco__cell_is_unprintable(out->data + i, n)) { break; }
    }
    if (i >= out->len) { return true; }
    len = out->len - i;
    if (!taco__checked_mul_size(len, 4, &room) || !taco__buf_reserve(out, room, err)) {
        return false;
    }
    /* moves the rest up by 4 times its length, and writes it back from there */
    to = out->data + i;
    from = to + room;
    memmove(from, to, len);
    for (; len; len -= n, from += n) {
        n = taco__utf8_char(from, len, &bad);
        if (taco__cell_is_unprintable(from, n)) {
            to = taco__cell_put_escaped(to, from, n);
            n = n ? n : 1;
        } else {
            memmove(to, from, n);
            to += n;
        }
    }
    out->len = (size_t)(to - out->data);
    return true;
}

TACO__FN bool taco__cell_plain(taco__buf *out, const taco_array *a, size_t i, taco_error *err)
{
    size_t begin = out->len;
    bool null;
    return taco__cell_bare(out, a, i, &null, err) &&
           (null ? taco__buf_append(out, "null", 4, err)
                 : taco__cell_escape_unprintable(out, begin, err));
}

TACO__FN bool taco__cell_plain_name(taco__buf *out, taco_bytes b, taco_error *err)
{
    size_t begin = out->len;
    return taco__buf_append(out, b.data, b.len, err) &&
           taco__cell_escape_unprintable(out, begin, err);
}
