/* describe.c - pieces of metadata as text: names, numbers, enumerations, bounds

   In: what a footer has; out: pieces that schema_text.c, footer_text.c, footer_json.c and verify.c
   put together. Everything goes to a taco__describe_out, whose first failure stays, so that callers
   check once. Bounds (taco__describe_value) are PLAIN bytes of a physical type and are written as
   their column's type reads: dates, decimals, UUIDs. */
#include "inspect.h"
#include "../base/base.h"

TACO__FN taco__describe_out taco__describe_out_init(taco__buf *buf, taco_error *err)
{
    taco__describe_out o;
    o.buf = buf;
    o.err = err;
    o.ok = true;
    return o;
}

/* Nothing after the first failure, so that callers need not look after each call. */
static void taco__describe_bytes(taco__describe_out *o, const void *data, size_t len)
{
    o->ok = o->ok && taco__buf_append(o->buf, data, len, o->err);
}

TACO__FN void taco__describe_text(taco__describe_out *o, const char *s)
{
    taco__describe_bytes(o, s, strlen(s));
}

TACO__FN void taco__describe_u64(taco__describe_out *o, uint64_t x)
{
    char text[32];
    taco__describe_bytes(o, text, taco__num_format_u64(text, x));
}

TACO__FN void taco__describe_i64(taco__describe_out *o, int64_t x)
{
    char text[32];
    taco__describe_bytes(o, text, taco__num_format_i64(text, x));
}

/* Two lower-case digits a byte. */
static void taco__describe_hex(taco__describe_out *o, taco_bytes b)
{
    size_t i;
    for (i = 0; i < b.len && o->ok; i++) {
        char two[2];
        two[0] = "0123456789abcdef"[b.data[i] >> 4];
        two[1] = "0123456789abcdef"[b.data[i] & 15];
        taco__describe_bytes(o, two, 2);
    }
}

TACO__FN void taco__describe_name(taco__describe_out *o, taco_bytes b)
{
    size_t i = 0, n, bad;
    for (; i < b.len && o->ok; i += n) {
        n = taco__utf8_char(b.data + i, b.len - i, &bad);
        if (n == 0 || b.data[i] < 0x20 || b.data[i] == 0x7F || b.data[i] == '\\') {
            taco__describe_text(o, "\\x");
            taco__describe_hex(o, taco__bytes_of(b.data + i, 1));
            n = 1;
        } else {
            taco__describe_bytes(o, b.data + i, n);
        }
    }
}

TACO__FN void taco__describe_json_string(taco__describe_out *o, taco_bytes b)
{
    size_t i = 0, n, bad = 1;
    taco__describe_text(o, "\"");
    for (; i < b.len && o->ok; i += n) {
        uint8_t c = b.data[i];
        n = taco__utf8_char(b.data + i, b.len - i, &bad);
        if (n == 0) {
            taco__describe_text(o, "\xEF\xBF\xBD");
            n = bad;
        } else if (c == '"' || c == '\\') {
            char two[2];
            two[0] = '\\';
            two[1] = (char)c;
            taco__describe_bytes(o, two, 2);
        } else if (c < 0x20) {
            taco__describe_text(o, "\\u00");
            taco__describe_hex(o, taco__bytes_of(&c, 1));
        } else {
            taco__describe_bytes(o, b.data + i, n);
        }
    }
    taco__describe_text(o, "\"");
}

/* Name i of a table of n; the number where the table has none: files of newer writers print. */
static void taco__describe_enum(taco__describe_out *o, const char *const *names, size_t n,
                                int64_t i)
{
    if (i >= 0 && (uint64_t)i < n && names[i]) {
        taco__describe_text(o, names[i]);
    } else {
        taco__describe_i64(o, i);
    }
}

TACO__FN void taco__describe_codec(taco__describe_out *o, int32_t codec)
{
    const taco__pq_codec *known = taco__codecs_find(codec);
    const char *name = known ? known->name : "";
    if (!known) { taco__describe_i64(o, codec); }
    for (; *name; name++) {
        char upper = (char)(*name >= 'a' && *name <= 'z' ? *name - 32 : *name);
        taco__describe_bytes(o, &upper, 1);
    }
}

TACO__FN void taco__describe_encoding(taco__describe_out *o, int32_t encoding)
{
    static const char *const names[10] = {"PLAIN",
                                          NULL,
                                          "PLAIN_DICTIONARY",
                                          "RLE",
                                          "BIT_PACKED",
                                          "DELTA_BINARY_PACKED",
                                          "DELTA_LENGTH_BYTE_ARRAY",
                                          "DELTA_BYTE_ARRAY",
                                          "RLE_DICTIONARY",
                                          "BYTE_STREAM_SPLIT"};
    taco__describe_enum(o, names, TACO__COUNT(names), encoding);
}

TACO__FN void taco__describe_physical(taco__describe_out *o, int32_t type)
{
    static const char *const names[8] = {"BOOLEAN", "INT32",  "INT64",      "INT96",
                                         "FLOAT",   "DOUBLE", "BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY"};
    taco__describe_enum(o, names, TACO__COUNT(names), type);
}

/* ---- bounds ---- */

/* "0badcafe": a value whose bytes mean nothing else. */
static void taco__describe_quoted_hex(taco__describe_out *o, taco_bytes b)
{
    taco__describe_text(o, "\"");
    taco__describe_hex(o, b);
    taco__describe_text(o, "\"");
}

/* A decimal that is stored as an integer, in quotes. */
static void taco__describe_decimal(taco__describe_out *o, int64_t x, int32_t scale)
{
    uint8_t le[8];
    taco__put_le64(le, (uint64_t)x);
    taco__describe_text(o, "\"");
    o->ok = o->ok && taco__decimal_append_le(o->buf, le, 8, scale, o->err);
    taco__describe_text(o, "\"");
}

/* A PLAIN value of INT32, INT64 or BOOLEAN, as its logical type is written: dates and times as ISO
   8601 in quotes, the rest as numbers and words. */
static void taco__describe_integer(taco__describe_out *o, const taco_field *f, taco_bytes b)
{
    int64_t x = taco__stats_integer(b);
    char text[TACO__TIME_CHARS];
    size_t n = 0;
    switch (f->type) {
    case TACO_BOOL: taco__describe_text(o, x ? "true" : "false"); return;
    case TACO_UINT8:
    case TACO_UINT16:
    case TACO_UINT32: taco__describe_u64(o, (uint64_t)x & 0xFFFFFFFFU); return;
    case TACO_UINT64: taco__describe_u64(o, (uint64_t)x); return;
    case TACO_DATE: n = taco__time_format_date(text, x); break;
    case TACO_TIMESTAMP: n = taco__time_format_timestamp(text, x, f->unit, f->utc); break;
    case TACO_TIME:
        if (!taco__time_format_time(text, x, f->unit, &n)) {
            n = 0; /* out of the day: the number */
        }
        break;
    case TACO_DECIMAL: taco__describe_decimal(o, x, f->scale); return;
    default: break;
    }
    if (n) {
        taco__describe_json_string(o, taco__bytes_of(text, n));
    } else {
        taco__describe_i64(o, x);
    }
}

TACO__FN void taco__describe_float(taco__describe_out *o, taco_bytes b)
{
    char text[32];
    int64_t order;
    bool number = taco__stats_float_order(b, &order);
    size_t n = b.len == 8 ? taco__num_format_f64(text, taco__f64_from_bits(taco__load_le64(b.data)))
               : b.len == 4
                   ? taco__num_format_f32(text, taco__f32_from_bits(taco__load_le32(b.data)))
                   : taco__num_format_f16(text, taco__load_le16(b.data));
    bool bare = number && text[n - 1] != 'y'; /* Infinity is no JSON number either */
    taco__describe_text(o, bare ? "" : "\"");
    taco__describe_bytes(o, text, n);
    taco__describe_text(o, bare ? "" : "\"");
}

/* UUID, INT96 and INTERVAL of their lengths, as LogicalTypes.md has their bytes: UUID big-endian,
   INTERVAL three little-endian numbers (months, days, milliseconds); false for anything else. */
static bool taco__describe_fixed(taco__describe_out *o, const taco_field *f, taco_bytes b)
{
    static const uint8_t ends[] = {4, 6, 8, 10, 16};
    static const char *const names[] = {" months ", " days ", " ms"};
    char text[TACO__TIME_CHARS];
    size_t i, at = 0;
    if (f->type == TACO_UUID && b.len == 16) {
        for (i = 0; i < TACO__COUNT(ends); at = ends[i++]) {
            taco__describe_text(o, i ? "-" : "\"");
            taco__describe_hex(o, taco__bytes_of(b.data + at, ends[i] - at));
        }
        taco__describe_text(o, "\"");
    } else if (f->type == TACO_INT96 && b.len == 12) {
        taco__describe_json_string(o, taco__bytes_of(text, taco__time_format_int96(text, b.data)));
    } else if (f->type == TACO_INTERVAL && b.len == 12) {
        for (i = 0; i < 3; i++) {
            taco__describe_text(o, i ? "" : "\"");
            taco__describe_u64(o, taco__load_le32(b.data + 4 * i));
            taco__describe_text(o, names[i]);
        }
        taco__describe_text(o, "\"");
    } else {
        return false;
    }
    return true;
}

TACO__FN void taco__describe_value(taco__describe_out *o, const taco__pq_leaf *leaf, taco_bytes b)
{
    static const uint8_t lengths[6] = {1, 4, 8, 12, 4, 8};
    const taco_field *f = leaf->field;
    if (leaf->type < TACO__PQ_BYTE_ARRAY && b.len != lengths[leaf->type]) {
        taco__describe_quoted_hex(o, b);
        return;
    }
    switch (leaf->type) {
    case TACO__PQ_BOOLEAN:
    case TACO__PQ_INT32:
    case TACO__PQ_INT64: taco__describe_integer(o, f, b); return;
    case TACO__PQ_FLOAT:
    case TACO__PQ_DOUBLE: taco__describe_float(o, b); return;
    default: break;
    }
    if (taco__describe_fixed(o, f, b)) { return; }
    if (f->type == TACO_TEXT && taco__utf8_valid(b)) {
        taco__describe_json_string(o, b);
    } else if (f->type == TACO_HALF && b.len == 2) {
        taco__describe_float(o, b);
    } else if (f->type == TACO_DECIMAL && b.len > 0 && b.len <= 64 &&
               f->scale <= 100) { /* hostile scales make long texts */
        taco__describe_text(o, "\"");
        o->ok = o->ok && taco__decimal_append_be(o->buf, b, f->scale, o->err);
        taco__describe_text(o, "\"");
    } else {
        taco__describe_quoted_hex(o, b);
    }
}
