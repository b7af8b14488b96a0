/* c_schema.c - fields as Arrow schemas in the C data interface, and their metadata

   In: a taco_field; out: a schema that owns its strings and children, in one block each. Spec:
   Arrow "The Arrow C data interface", "Format strings", "Extension types".

   Metadata is a number of pairs, then for each pair the length and bytes of key and value; numbers
   are int32 in the machine's byte order. It is read back here too, for schemas that a caller hands
   in (parquet_write/import_schema.c). */
#include "arrow.h"
#include "../base/base.h"

/* Arrow's maps have no null keys; a map that may have some is exported as a list of pairs. */
static bool taco__arrow_schema_is_map(const taco_field *f)
{
    return f->type == TACO_MAP && f->children[0].child_count == 2 &&
           !f->children[0].children[0].nullable;
}

/* "d:38,2", with ",256" where its values take 32 bytes; bytes of any length are binary. */
static void taco__arrow_schema_decimal(const taco_field *f, taco__fmt *o)
{
    if (f->width == 0) {
        taco__fmt_text(o, "z");
        return;
    }
    taco__fmt_text(o, "d:");
    taco__fmt_number(o, TACO__U(f->precision), 10);
    taco__fmt_text(o, f->scale < 0 ? ",-" : ",");
    taco__fmt_number(o, TACO__U(f->scale < 0 ? -(int64_t)f->scale : (int64_t)f->scale), 10);
    taco__fmt_text(o, f->width == 32 ? ",256" : "");
}

/* The format string of a type, in at most 31 characters. */
static void taco__arrow_schema_format(const taco_field *f, char out[32])
{
    taco__fmt o;
    o.at = out;
    o.end = out + 32;
    *out = 0;
    switch (f->type) {
    case TACO_DECIMAL: taco__arrow_schema_decimal(f, &o); break;
    case TACO_TIME:
    case TACO_TIMESTAMP:
        taco__fmt_text(&o, f->type == TACO_TIME ? "tt" : "ts");
        taco__fmt_char(&o, "smun"[f->unit]);
        taco__fmt_text(&o, f->type == TACO_TIME ? "" : f->utc ? ":UTC" : ":");
        break;
    case TACO_INT96:
        taco__fmt_text(&o, f->unit == TACO_MILLI   ? "tsm:"
                           : f->unit == TACO_MICRO ? "tsu:"
                                                   : "tsn:");
        break;
    case TACO_INTERVAL:
    case TACO_FIXED:
    case TACO_UUID:
        taco__fmt_text(&o, "w:");
        taco__fmt_number(&o, TACO__U(f->width), 10);
        break;
    case TACO_MAP: taco__fmt_text(&o, taco__arrow_schema_is_map(f) ? "+m" : "+l"); break;
    default: taco__fmt_text(&o, taco__type_format(f->type)); break;
    }
}

/* Children that were moved away are marked as released. */
static void taco__arrow_schema_release(struct ArrowSchema *s)
{
    taco__arrow_schema_data *own = (taco__arrow_schema_data *)s->private_data;
    taco_allocator allocator = own->a;
    int64_t i;
    for (i = 0; i < s->n_children; i++) {
        if (s->children[i]->release) { s->children[i]->release(s->children[i]); }
    }
    s->release = NULL;
    taco__mem_free_disowned(&allocator, own, own->size);
}

TACO__FN bool taco__arrow_schema_init(taco__arrow_export *x, struct ArrowSchema *out,
                                      size_t children, taco_bytes name, taco_bytes metadata,
                                      taco_error *err)
{
    size_t head = TACO__ARROW_ALIGN(sizeof(taco__arrow_schema_data)), size, i;
    taco__arrow_schema_data *own;
    struct ArrowSchema *items;
    char *text;
    memset(out, 0, sizeof *out);
    if (!taco__checked_mul_size(children, sizeof *items + sizeof items, &size) ||
        !taco__checked_add_size(size, head + 1, &size) ||
        !taco__checked_add_size(size, name.len, &size) ||
        !taco__checked_add_size(size, metadata.len, &size)) {
        TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u columns",
                   TACO__U(children));
        return false;
    }
    own = (taco__arrow_schema_data *)taco__mem_alloc(x->mem, size, err);
    if (!own) { return false; }
    x->charged += size;
    own->a = x->mem->a;
    own->size = size;
    items = (struct ArrowSchema *)(void *)((uint8_t *)own + head);
    out->children = (struct ArrowSchema **)(void *)(items + children);
    for (i = 0; i < children; i++) {
        out->children[i] = &items[i];
    }
    text = (char *)(out->children + children);
    if (metadata.len) {
        out->metadata = text;
        memcpy(text, metadata.data, metadata.len);
        text += metadata.len;
    }
    if (name.len) { memcpy(text, name.data, name.len); }
    out->name = text;
    out->n_children = (int64_t)children;
    out->format = own->format;
    out->private_data = own;
    out->release = taco__arrow_schema_release;
    return true;
}

TACO__FN bool taco__arrow_append_count(taco__buf *b, size_t n, taco_error *err)
{
    int32_t x = (int32_t)n;
    return taco__buf_append(b, &x, sizeof x, err);
}

TACO__FN bool taco__arrow_append_pair(taco__buf *b, taco_bytes key, taco_bytes value,
                                      taco_error *err)
{
    return taco__arrow_append_count(b, key.len, err) &&
           taco__buf_append(b, key.data, key.len, err) &&
           taco__arrow_append_count(b, value.len, err) &&
           taco__buf_append(b, value.data, value.len, err);
}

TACO__FN int32_t taco__arrow_read_count(const char **p)
{
    int32_t n;
    memcpy(&n, *p, sizeof n);
    *p += sizeof n;
    return n;
}

TACO__FN bool taco__arrow_next_pair(const char **p, int32_t *n, taco_bytes *key, taco_bytes *value)
{
    taco_bytes *part[2];
    size_t i;
    part[0] = key;
    part[1] = value;
    if (*n <= 0) { return false; }
    --*n;
    for (i = 0; i < 2; i++) {
        int32_t len = taco__arrow_read_count(p);
        if (len < 0) {
            *n = 0;
            return false;
        }
        *part[i] = taco__bytes_of((const uint8_t *)*p, (size_t)len);
        *p += len;
    }
    return true;
}

/* Metadata of a field: UUID is an extension type over 16 bytes. */
static bool taco__arrow_schema_metadata(const taco_field *f, taco__buf *out, taco_error *err)
{
    return f->type != TACO_UUID ||
           (taco__arrow_append_count(out, 1, err) &&
            taco__arrow_append_pair(out, taco__bytes_text("ARROW:extension:name"),
                                    taco__bytes_text("arrow.uuid"), err));
}

TACO__FN bool taco__arrow_schema_export(taco__arrow_export *x, const taco_field *f,
                                        bool all_nullable, struct ArrowSchema *out, taco_error *err)
{
    taco__buf text;
    uint32_t i;
    size_t n;
    bool ok;
    memset(&text, 0, sizeof text);
    text.mem = x->mem;
    ok = taco__arrow_schema_metadata(f, &text, err);
    n = text.len;
    ok =
        ok && taco__json_write_replace_broken(&text, taco__bytes_text(f->name), err) &&
        taco__buf_reserve(&text, 0, err) &&
        taco__arrow_schema_init(x, out, f->child_count, taco__bytes_of(text.data + n, text.len - n),
                                taco__bytes_of(text.data, n), err);
    taco__buf_free(&text);
    if (!ok) { return false; }
    taco__arrow_schema_format(f, ((taco__arrow_schema_data *)out->private_data)->format);
    out->flags = all_nullable || f->nullable || f->type == TACO_NULL ? ARROW_FLAG_NULLABLE : 0;
    for (i = 0; i < f->child_count; i++) {
        if (!taco__arrow_schema_export(x, &f->children[i], all_nullable, out->children[i], err)) {
            return false;
        }
    }
    if (taco__arrow_schema_is_map(f)) { /* neither its pairs nor its keys are ever null */
        out->children[0]->flags = out->children[0]->children[0]->flags = 0;
    }
    return true;
}
