/* key_values.c - key-value metadata: the caller's, the stream's, and "ARROW:schema"

   In: opt.keys, those of opt.like, and the Arrow schema of the stream, if there is one. Out:
   footer.keys, KeyValue structures (parquet.thrift). "ARROW:schema" is the schema as a message of
   the Arrow IPC format, in base64; Arrow's readers restore from it what Parquet types do not
   express. It is omitted if nothing would be lost, so that files stay comparable. A key of the
   caller's wins over one of the same name. geo_columns.c adds "geo" when the file ends.

   Start reading at taco__key_values_write. */
#include "parquet_write.h"
#include "../base/base.h"
#include "../arrow/arrow.h"

TACO__FN bool taco__key_values_add(taco_pq_writer *w, taco_bytes key, taco_bytes value)
{
    taco__thrift_writer t;
    taco__thrift_write_init(&t, &w->footer.keys, &w->err);
    taco__thrift_write_binary(&t, 1, key);
    if (value.data) { taco__thrift_write_binary(&t, 2, value); }
    w->footer.key_count++;
    return taco__thrift_write_end(&t);
}

/* ---- when "ARROW:schema" is needed ---- */

/* Decimals "d:precision,scale,256" of at most 38 digits would come back as 128 bits, those of 32
   and 64 bits as well. */
static bool taco__key_values_decimal_needs_hint(const char *format)
{
    const char *comma = strchr(format, ','), *bits = comma ? strchr(comma + 1, ',') : NULL;
    const char *digits = format + 2;
    return bits && (strcmp(bits, ",256") != 0 || taco__ipc_parse_number(&digits) <= 38);
}

/* Durations, intervals, seconds, dates of milliseconds, and time zones other than UTC. */
static bool taco__key_values_time_needs_hint(const char *p)
{
    return p[1] == 'D' || p[1] == 'i' || p[2] == 's' || (p[1] == 'd' && p[2] == 'm') ||
           (p[1] == 's' && p[3] == ':' && p[4] && strcmp(p + 4, "UTC") != 0);
}

/* True if a type would be read back from Parquet as a different Arrow type (large and view types,
   fixed-size lists, dictionaries) or with less information. */
static bool taco__key_values_format_needs_hint(const struct ArrowSchema *s)
{
    const char *p = s->format, *m = s->metadata;
    int64_t i;
    bool need = s->dictionary || (m && taco__arrow_read_count(&m) > 0);
    switch (p[0]) {
    case 'U':
    case 'Z':
    case 'v': need = true; break;
    case 'd': need = need || taco__key_values_decimal_needs_hint(p); break;
    case 't': need = need || taco__key_values_time_needs_hint(p); break;
    case '+': need = need || p[1] == 'L' || p[1] == 'w'; break;
    default: break;
    }
    for (i = 0; !need && i < s->n_children; i++) {
        need = taco__key_values_format_needs_hint(s->children[i]);
    }
    return need;
}

/* The same for our own fields. */
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

/* Appends base64, RFC 4648 section 4: three bytes in four letters, '=' for missing ones. */
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

/* Whether opt.like has the key: then it is kept, or has been judged. */
static bool taco__key_values_like_has(const taco_pq_writer *w, taco_bytes key)
{
    const taco__pq_metadata *m = w->opt.like ? &w->opt.like->meta : NULL;
    uint32_t i;
    for (i = 0; m && i < m->pair_count; i++) {
        if (taco__bytes_equal(key, m->pairs[i].key)) { return true; }
    }
    return false;
}

static bool taco__key_values_has_key(const taco_pq_writer *w, taco_bytes key)
{
    size_t i;
    for (i = 0; i < w->opt.key_count; i++) {
        if (taco__bytes_equal(key, taco__bytes_text(w->opt.keys[i].key))) { return true; }
    }
    return false;
}

static bool taco__key_values_needs_arrow_schema(const taco_pq_writer *w)
{
    size_t i;
    if (w->opt.arrow_schema == TACO_HINT_NEVER ||
        taco__key_values_has_key(w, taco__bytes_text("ARROW:schema")) ||
        (w->all_alike && taco__key_values_like_has(w, taco__bytes_text("ARROW:schema")))) {
        return false;
    }
    if (w->opt.arrow_schema == TACO_HINT_ALWAYS) { return true; }
    if (w->arrow) { return taco__key_values_format_needs_hint(w->arrow); }
    for (i = 0; i < w->field_count; i++) {
        if (taco__key_values_field_needs_hint(&w->fields[i])) { return true; }
    }
    return false;
}

/* The stream's own schema, followed by columns made here; or one made from our fields. */
static bool taco__key_values_add_arrow_schema(taco_pq_writer *w)
{
    taco__buf *message = &w->scratch.body, *text = &w->scratch.trial;
    size_t made = w->field_count - w->caller_count;
    if (!taco__key_values_needs_arrow_schema(w)) { return true; }
    message->len = text->len = 0;
    return (w->arrow
                ? taco__ipc_arrow_schema(message, w->arrow, w->fields + w->caller_count, made,
                                         &w->err)
                : taco__ipc_schema(message, w->fields, w->field_count, false, false, &w->err)) &&
           taco__key_values_append_base64(text, taco__bytes_of(message->data, message->len),
                                          &w->err) &&
           taco__key_values_add(w, taco__bytes_text("ARROW:schema"),
                                taco__bytes_of(text->data, text->len));
}

/* The stream's keys that the caller has not set, except the ARROW:schema of its origin. */
static bool taco__key_values_add_stream_keys(taco_pq_writer *w)
{
    const char *p = w->arrow ? w->arrow->metadata : NULL;
    int32_t n = p ? taco__arrow_read_count(&p) : 0;
    taco_bytes key, value;
    while (taco__arrow_next_pair(&p, &n, &key, &value)) {
        if (!taco__key_values_has_key(w, key) && !taco__key_values_like_has(w, key) &&
            !taco__bytes_equal(key, taco__bytes_text("ARROW:schema")) &&
            !taco__key_values_add(w, key, value)) {
            return false;
        }
    }
    return true;
}

/* ---- the keys of opt.like ---- */

static bool taco__key_values_is_about_columns(taco_bytes key)
{
    return taco__bytes_equal(key, taco__bytes_text("geo")) ||
           taco__bytes_equal(key, taco__bytes_text("ARROW:schema"));
}

static void taco__key_values_warn(const taco_pq_writer *w, taco_bytes key)
{
    taco_error e;
    memset(&e, 0, sizeof e);
    if (!w->opt.options->warn) { return; }
    TACO__FAIL(&e, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
               "the key %q describes all columns of the file, and is not kept for some of them",
               &key);
    w->opt.options->warn(w->opt.options->warn_ctx, &e);
}

/* Its keys that the caller has not set, in its order. "geo" and "ARROW:schema" name every column,
   and would be wrong for others. */
static bool taco__key_values_add_like(taco_pq_writer *w)
{
    const taco__pq_metadata *m = w->opt.like ? &w->opt.like->meta : NULL;
    uint32_t i;
    for (i = 0; m && i < m->pair_count; i++) {
        const taco__key_value *p = &m->pairs[i];
        bool geo = taco__bytes_equal(p->key, taco__bytes_text("geo"));
        if (taco__key_values_has_key(w, p->key) || (geo && w->opt.geometry_count)) { continue; }
        if (taco__key_values_is_about_columns(p->key)) {
            if (!geo && w->opt.arrow_schema == TACO_HINT_NEVER) { continue; }
            if (!w->all_alike) {
                taco__key_values_warn(w, p->key);
                continue;
            }
        }
        if (!taco__key_values_add(w, p->key, p->value)) { return false; }
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
    return taco__key_values_add_like(w) && taco__key_values_add_stream_keys(w) &&
           taco__key_values_add_arrow_schema(w);
}
