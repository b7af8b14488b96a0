/* describe.c - schemas, types and footers as text, for people and for tools.. Spec: - The message
   type notation is parquet-mr's, the type names are Arrow's */
#include "parquet.h"
#include "../base/base.h"

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

/* A name in the schema's text: bytes that would break its lines or are not UTF-8 become \xNN. */
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

/* A JSON string, quotes included: RFC 8259 §7. What is not UTF-8 becomes U+FFFD. */
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

/* A name of a table, or the number where the table has none. */
TACO__FN void taco__describe_enum(taco__describe_out *o, const char *const *names, size_t n,
                                  int64_t i)
{
    if (i >= 0 && (uint64_t)i < n && names[i]) {
        taco__describe_text(o, names[i]);
    } else {
        taco__describe_i64(o, i);
    }
}

/* ---- the footer as JSON
   ------------------------------------------------------------------------------ */

static void taco__describe_quoted_hex(taco__describe_out *o, taco_bytes b)
{
    taco__describe_text(o, "\"");
    taco__describe_hex(o, b);
    taco__describe_text(o, "\"");
}

/* A PLAIN value of INT32, INT64 or BOOLEAN. */
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
    case TACO_DECIMAL: {
        uint8_t le[8];
        taco__put_le64(le, (uint64_t)x);
        taco__describe_text(o, "\"");
        o->ok = o->ok && taco__decimal_append_le(o->buf, le, 8, f->scale, o->err);
        taco__describe_text(o, "\"");
        return;
    }
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

/* UUID, INT96 and INTERVAL of their lengths; false for what is none. */
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

/* A bound as its type is written; in hex where its length is not one the type has. */
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

TACO_API taco_bytes taco_pq_schema_text(taco_pq_file *f, taco_error *err)
{
    if (!f) { return taco__bytes_of(NULL, 0); }
    f->text.len = 0;
    return taco__schema_text_append(&f->meta, &f->text, err)
               ? taco__bytes_of(f->text.data, f->text.len)
               : taco__bytes_of(NULL, 0);
}

TACO_API taco_bytes taco_pq_meta_json(taco_pq_file *f, taco_error *err)
{
    if (!f) { return taco__bytes_of(NULL, 0); }
    f->text2.len = 0;
    return taco__footer_json_append(&f->meta, &f->text2, err)
               ? taco__bytes_of(f->text2.data, f->text2.len)
               : taco__bytes_of(NULL, 0);
}

TACO_API taco_bytes taco_pq_meta_text(taco_pq_file *f, taco_error *err)
{
    if (!f) { return taco__bytes_of(NULL, 0); }
    f->text.len = 0;
    return taco__footer_text_append(&f->meta, &f->text, err)
               ? taco__bytes_of(f->text.data, f->text.len)
               : taco__bytes_of(NULL, 0);
}
