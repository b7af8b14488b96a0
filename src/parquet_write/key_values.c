/* key_values.c - the schema, options and key-value metadata of a file to be written.. Spec:
   parquet.thrift, LogicalTypes.md, GeoParquet 1.1 */
#include "parquet_write.h"
#include "../base/base.h"
#include "../arrow/arrow.h"

/* ---- key-value metadata
   ------------------------------------------------------------------------------ */

TACO__FN bool taco__key_values_add(taco_pq_writer *w, taco_bytes key, taco_bytes value)
{
    taco__thrift_writer t;
    taco__thrift_write_init(&t, &w->keys, &w->err);
    taco__thrift_write_binary(&t, 1, key);
    if (value.data) { taco__thrift_write_binary(&t, 2, value); }
    w->key_count++;
    return taco__thrift_write_end(&t);
}

TACO__FN bool taco__key_values_append_json(taco__buf *out, const char *s, taco_error *err)
{
    bool good = taco__buf_append_char(out, '"', err);
    for (; good && *s; s++) {
        if ((uint8_t)*s < 0x20) {
            char text[8] = "\\u00";
            text[4] = "0123456789abcdef"[(uint8_t)*s >> 4];
            text[5] = "0123456789abcdef"[*s & 15];
            text[6] = 0;
            good = taco__buf_append_text(out, text, err);
        } else {
            good = (*s != '"' && *s != '\\') || taco__buf_append_char(out, '\\', err);
            good = good && taco__buf_append_char(out, *s, err);
        }
    }
    return good && taco__buf_append_char(out, '"', err);
}

/* True where a type would come back from Parquet as another one in Arrow, or with less said of
   it. */
static bool taco__key_values_format_needs_hint(const struct ArrowSchema *s)
{
    const char *p = s->format, *m = s->metadata;
    int64_t i;
    bool need = s->dictionary || (m && taco__arrow_read_count(&m) > 0);
    switch (p[0]) {
    case 'U':
    case 'Z':
    case 'v': need = true; break;
    case 'd': {
        const char *comma = strchr(p, ','), *bits = comma ? strchr(comma + 1, ',') : NULL;
        const char *digits = p + 2;
        need =
            need || (bits && (strcmp(bits, ",256") != 0 || taco__ipc_parse_number(&digits) <= 38));
        break;
    }
    case 't':
        need = need || p[1] == 'D' || p[1] == 'i' || p[2] == 's' || (p[1] == 'd' && p[2] == 'm') ||
               (p[1] == 's' && p[3] == ':' && p[4] && strcmp(p + 4, "UTC") != 0);
        break;
    case '+': need = need || p[1] == 'L' || p[1] == 'w'; break;
    default: break;
    }
    for (i = 0; !need && i < s->n_children; i++) {
        need = taco__key_values_format_needs_hint(s->children[i]);
    }
    return need;
}

/* The same of our own fields. */
static bool taco__key_values_field_needs_hint(const taco_field *f)
{
    uint32_t i;
    bool need = f->type == TACO_UUID ||
                (f->type == TACO_DECIMAL && f->width == 32 && f->precision <= 38) ||
                ((f->type == TACO_TIME || f->type == TACO_TIMESTAMP) && f->unit == TACO_SECOND);
    for (i = 0; !need && i < f->child_count; i++) {
        need = taco__key_values_field_needs_hint(&f->children[i]);
    }
    return need;
}

/* Appends base64, RFC 4648 section 4. */
static bool taco__key_values_append_base64(taco__buf *out, taco_bytes b, taco_error *err)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t i, k;
    for (i = 0; i < b.len; i += 3) {
        char text[4];
        uint32_t x = (uint32_t)b.data[i] << 16;
        x |= i + 1 < b.len ? (uint32_t)b.data[i + 1] << 8 : 0;
        x |= i + 2 < b.len ? b.data[i + 2] : 0;
        for (k = 0; k < 4; k++) {
            text[k] = i + k <= b.len ? digits[x >> (18 - 6 * k) & 63] : '=';
        }
        if (!taco__buf_append(out, text, 4, err)) { return false; }
    }
    return true;
}

static bool taco__key_values_has_key(const taco_pq_writer *w, taco_bytes key)
{
    size_t i;
    for (i = 0; i < w->opt.key_count; i++) {
        if (taco__bytes_equal(key, taco__bytes_text(w->opt.keys[i].key))) { return true; }
    }
    return false;
}

/* "ARROW:schema": the message of the schema as text. */
static bool taco__key_values_add_arrow_schema(taco_pq_writer *w)
{
    size_t i;
    bool need = w->opt.arrow_schema == TACO_HINT_ALWAYS;
    for (i = 0; !need && !w->arrow && i < w->field_count; i++) {
        need = taco__key_values_field_needs_hint(&w->fields[i]);
    }
    need = need || (w->arrow && taco__key_values_format_needs_hint(w->arrow));
    if (!need || w->opt.arrow_schema == TACO_HINT_NEVER ||
        taco__key_values_has_key(w, taco__bytes_text("ARROW:schema"))) {
        return true;
    }
    w->body.len = w->trial.len = 0;
    return (w->arrow
                ? taco__ipc_arrow_schema(&w->body, w->arrow, w->fields + w->given,
                                         w->field_count - w->given, &w->err)
                : taco__ipc_schema(&w->body, w->fields, w->field_count, false, false, &w->err)) &&
           taco__key_values_append_base64(&w->trial, taco__bytes_of(w->body.data, w->body.len),
                                          &w->err) &&
           taco__key_values_add(w, taco__bytes_text("ARROW:schema"),
                                taco__bytes_of(w->trial.data, w->trial.len));
}

/* Key-value metadata of the stream, where the caller has not the same key. */
static bool taco__key_values_add_stream_keys(taco_pq_writer *w)
{
    const char *p = w->arrow ? w->arrow->metadata : NULL;
    int32_t n = p ? taco__arrow_read_count(&p) : 0;
    taco_bytes key, value;
    while (taco__arrow_next_pair(&p, &n, &key, &value)) {
        if (!taco__key_values_has_key(w, key) &&
            !taco__bytes_equal(key, taco__bytes_text("ARROW:schema")) &&
            !taco__key_values_add(w, key, value)) {
            return false;
        }
    }
    return true;
}

TACO__FN bool taco__key_values_write(taco_pq_writer *w)
{
    size_t i;
    for (i = 0; i < w->opt.key_count; i++) {
        const taco_pq_key *k = &w->opt.keys[i];
        if (!taco__key_values_add(w, taco__bytes_text(k->key), taco__bytes_text(k->value))) {
            return false;
        }
    }
    return taco__key_values_add_stream_keys(w) && taco__key_values_add_arrow_schema(w);
}
