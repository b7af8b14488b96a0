/* c_data.c - batches and schemas as Arrow C structures, readers as C streams.. Spec: Arrow C data
   interface, C stream interface */
#include "arrow.h"
#include "../base/base.h"

/* What stands behind a struct ArrowArray. Behind it in the same block: the children's structs, then
   pointers to them. Children may be moved away and outlive their parent, so every array owns its
   own buffers. */
typedef struct taco__arrow_array_data {
    taco_allocator a;
    size_t size; /* of the block */
    const void *buffers[3];
    void *own[3]; /* those to be freed; the others are borrowed or missing */
    size_t own_size[3];
} taco__arrow_array_data;

#define TACO__ARROW_ALIGN(n) (((n) + 15) & ~(size_t)15)

/* ---- arrays
   ------------------------------------------------------------------------------------- */

static void taco__arrow_array_release(struct ArrowArray *a)
{
    taco__arrow_array_data *own = (taco__arrow_array_data *)a->private_data;
    taco_allocator allocator = own->a;
    int64_t i;
    for (i = 0; i < a->n_children; i++) {
        if (a->children[i]->release) { a->children[i]->release(a->children[i]); }
    }
    for (i = 0; i < 3; i++) {
        taco__mem_free_disowned(&allocator, own->own[i], own->own_size[i]);
    }
    a->release = NULL;
    taco__mem_free_disowned(&allocator, own, own->size);
}

/* Makes *out an array without buffers, whose children are released ones. */
static bool taco__arrow_array_init(taco__arrow_export *x, struct ArrowArray *out, size_t length,
                                   size_t children, taco_error *err)
{
    size_t head = TACO__ARROW_ALIGN(sizeof(taco__arrow_array_data)), size, i;
    taco__arrow_array_data *own;
    struct ArrowArray *items;
    memset(out, 0, sizeof *out);
    if (!taco__checked_mul_size(children, sizeof *items + sizeof items, &size) ||
        !taco__checked_add_size(size, head, &size)) {
        TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u columns",
                   TACO__U(children));
        return false;
    }
    own = (taco__arrow_array_data *)taco__mem_alloc(x->mem, size, err);
    if (!own) { return false; }
    x->charged += size;
    own->a = x->mem->a;
    own->size = size;
    items = (struct ArrowArray *)(void *)((uint8_t *)own + head);
    out->children = (struct ArrowArray **)(void *)(items + children);
    for (i = 0; i < children; i++) {
        out->children[i] = &items[i];
    }
    out->n_children = (int64_t)children;
    out->length = (int64_t)length;
    out->buffers = own->buffers;
    out->private_data = own;
    out->release = taco__arrow_array_release;
    return true;
}

/* A buffer of the array, of len bytes with zeros behind them up to a multiple of 64; NULL on
   failure. */
static uint8_t *taco__arrow_array_reserve(taco__arrow_export *x, struct ArrowArray *out, int64_t i,
                                          size_t len, taco_error *err)
{
    taco__arrow_array_data *own = (taco__arrow_array_data *)out->private_data;
    size_t size;
    uint8_t *p;
    if (!taco__checked_add_size(len, 64, &size)) {
        TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u bytes",
                   TACO__U(len));
        return NULL;
    }
    size &= ~(size_t)63;
    p = (uint8_t *)taco__mem_resize(x->mem, NULL, 0, size, err);
    if (!p) { return NULL; }
    memset(p + len, 0, size - len);
    x->charged += size;
    own->own[i] = p;
    own->own_size[i] = size;
    own->buffers[i] = p;
    return p;
}

/* Gives the array len bytes at p as its buffer: borrowed, moved out of the reader's hands, or
   copied. A buffer that is much larger than what it holds stays with the reader. */
static bool taco__arrow_array_set_buffer(taco__arrow_export *x, struct ArrowArray *out, int64_t i,
                                         const void *p, size_t len, const taco__buffer_owner *h,
                                         taco_error *err)
{
    taco__arrow_array_data *own = (taco__arrow_array_data *)out->private_data;
    taco__buf *b = h && len && !x->borrow ? h->find(h, p) : NULL;
    uint8_t *to;
    if (x->borrow && len) {
        own->buffers[i] = p;
        return true;
    }
    if (b && b->mem == x->mem && b->cap / 2 <= len + TACO__PAD) {
        own->own[i] = b->data;
        own->own_size[i] = b->cap + TACO__PAD;
        own->buffers[i] = b->data;
        x->charged += own->own_size[i];
        b->data = NULL;
        b->len = b->cap = 0;
        return true;
    }
    to = taco__arrow_array_reserve(x, out, i, len, err);
    if (to && len) { memcpy(to, p, len); }
    return to != NULL;
}

/* The same of a bitmap of n bits. Those of the last byte that belong to no row become zeros, so
   that equal rows leave as equal bytes; taco__ipc_append_body does it for borrowed buffers. */
static bool taco__arrow_array_set_bitmap(taco__arrow_export *x, struct ArrowArray *out, int64_t i,
                                         const void *p, size_t n, const taco__buffer_owner *h,
                                         taco_error *err)
{
    taco__arrow_array_data *own = (taco__arrow_array_data *)out->private_data;
    if (!taco__arrow_array_set_buffer(x, out, i, p, TACO__BITMAP_BYTES(n), h, err)) {
        return false;
    }
    if (own->own[i] && n % 8) { ((uint8_t *)own->own[i])[n / 8] &= (uint8_t)TACO__LOW_BITS(n % 8); }
    return true;
}

static bool taco__arrow_is_list(const taco_field *f)
{
    return f->type == TACO_LIST || f->type == TACO_MAP;
}

static int64_t taco__arrow_buffer_count(const taco_field *f)
{
    return f->type == TACO_NULL           ? 0
           : f->type == TACO_STRUCT       ? 1
           : taco__array_is_var_length(f) ? 3
                                          : 2;
}

/* Bytes of the second buffer of n values. */
TACO__FN bool taco__arrow_values_size(const taco_field *f, size_t n, size_t *out, taco_error *err)
{
    size_t width = f->type == TACO_INT96 ? sizeof(int64_t) : (size_t)f->width;
    if (f->type == TACO_BOOL) {
        *out = TACO__BITMAP_BYTES(n);
        return true;
    }
    if (taco__arrow_is_list(f) || taco__array_is_var_length(f)) {
        return taco__array_buf_size(n + 1, sizeof(int32_t), out, err);
    }
    return taco__array_buf_size(n, width, out, err);
}

/* n nulls of any type: a column that the rows' own file does not have. */
static bool taco__arrow_array_nulls(taco__arrow_export *x, const taco_field *f, size_t n,
                                    struct ArrowArray *out, taco_error *err)
{
    size_t len = 0;
    uint32_t i;
    uint8_t *p;
    if (!taco__arrow_array_init(x, out, n, f->child_count, err)) { return false; }
    out->n_buffers = taco__arrow_buffer_count(f);
    out->null_count = (int64_t)n;
    for (i = 0; i < (uint32_t)out->n_buffers; i++) {
        if (i == 0) {
            len = TACO__BITMAP_BYTES(n);
        } else if (i == 2) {
            len = 0;
        } else if (!taco__arrow_values_size(f, n, &len, err)) {
            return false;
        }
        p = taco__arrow_array_reserve(x, out, i, len, err);
        if (!p) { return false; }
        memset(p, 0, len);
    }
    for (i = 0; i < f->child_count; i++) {
        if (!taco__arrow_array_nulls(x, &f->children[i], taco__arrow_is_list(f) ? 0 : n,
                                     out->children[i], err)) {
            return false;
        }
    }
    return true;
}

/* Consumers trust "u" to be UTF-8. */
static bool taco__arrow_check_utf8(const int32_t *offsets, const uint8_t *bytes, size_t n,
                                   taco_error *err)
{
    size_t first = (size_t)offsets[0], end = (size_t)offsets[n], i;
    bool good = end == first || taco__utf8_valid(taco__bytes_of(bytes + first, end - first));
    for (i = 1; good && i < n;
         i++) { /* every text begins with a whole character, then it also ends so */
        good = (size_t)offsets[i] == end || (bytes[offsets[i]] & 0xC0) != 0x80;
    }
    if (!good) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "text that is not UTF-8, which Arrow does not allow");
    }
    return good;
}

/* Indices become the text they stand for; null rows, whose index may be anything, become "". */
static bool taco__arrow_array_decode(taco__arrow_export *x, const taco_array *a,
                                     struct ArrowArray *out, taco_error *err)
{
    const taco_array *d = a->dictionary;
    uint64_t total = 0;
    size_t i, n = a->length, bytes;
    int32_t *offsets;
    uint8_t *to;
    if (!taco__array_buf_size(n + 1, sizeof *offsets, &bytes, err)) { return false; }
    offsets = (int32_t *)(void *)taco__arrow_array_reserve(x, out, 1, bytes, err);
    for (i = 0; offsets && i < n; i++) {
        offsets[i] = (int32_t)total;
        if (!a->validity || taco__bitmap_get(a->validity, i)) {
            const int32_t *o = d->offsets + (uint32_t)a->v.i32[i];
            total += (uint32_t)(o[1] - o[0]);
        }
        if (total > INT32_MAX) {
            TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                       "%u bytes of text in one batch, 32-bit offsets reach %u", total,
                       TACO__U(INT32_MAX));
            return false;
        }
    }
    to = offsets ? taco__arrow_array_reserve(x, out, 2, (size_t)total, err) : NULL;
    if (!to) { return false; }
    offsets[n] = (int32_t)total;
    for (i = 0; i < n; i++) {
        if (offsets[i + 1] != offsets[i]) {
            memcpy(to + offsets[i], d->v.u8 + d->offsets[(uint32_t)a->v.i32[i]],
                   (size_t)(offsets[i + 1] - offsets[i]));
        }
    }
    return true;
}

static bool taco__arrow_array_text(taco__arrow_export *x, const taco_field *f, const taco_array *a,
                                   const taco__buffer_owner *h, struct ArrowArray *out,
                                   taco_error *err)
{
    size_t bytes;
    if (a->dictionary) {
        if (!taco__arrow_array_decode(x, a, out, err)) { return false; }
    } else if (!taco__array_buf_size(a->length + 1, sizeof(int32_t), &bytes, err) ||
               !taco__arrow_array_set_buffer(x, out, 1, a->offsets, bytes, h, err) ||
               !taco__arrow_array_set_buffer(x, out, 2, a->v.any,
                                             (size_t)((const int32_t *)out->buffers[1])[a->length],
                                             h, err)) {
        return false;
    }
    return f->type != TACO_TEXT ||
           taco__arrow_check_utf8((const int32_t *)out->buffers[1],
                                  (const uint8_t *)out->buffers[2], a->length, err);
}

static bool taco__arrow_array_int96(taco__arrow_export *x, const taco_array *a,
                                    struct ArrowArray *out, taco_error *err)
{
    size_t i, bytes;
    int64_t *to;
    if (!taco__array_buf_size(a->length, sizeof *to, &bytes, err)) { return false; }
    to = (int64_t *)(void *)taco__arrow_array_reserve(x, out, 1, bytes, err);
    for (i = 0; to && i < a->length; i++) {
        to[i] = 0;
        if ((!a->validity || taco__bitmap_get(a->validity, i)) &&
            !taco__time_int96_to_nanos(a->v.u8 + i * 12, &to[i])) {
            TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                       "an INT96 time outside 1677 to 2262, where Arrow's nanoseconds end");
            return false;
        }
    }
    return to != NULL;
}

static bool taco__arrow_array_fixed(taco__arrow_export *x, const taco_field *f, const taco_array *a,
                                    const taco__buffer_owner *h, struct ArrowArray *out,
                                    taco_error *err)
{
    size_t i, k, bytes, width = (size_t)f->width;
    if (!taco__arrow_values_size(f, a->length, &bytes, err)) { return false; }
    if (TACO__BIG_ENDIAN &&
        f->type == TACO_DECIMAL) { /* there as the machine has it, here as the file */
        uint8_t *to = taco__arrow_array_reserve(x, out, 1, bytes, err);
        for (i = 0; to && i < a->length; i++) {
            for (k = 0; k < width; k++) {
                to[i * width + k] = a->v.u8[i * width + width - 1 - k];
            }
        }
        return to != NULL;
    }
    if (f->type == TACO_BOOL) {
        return taco__arrow_array_set_bitmap(x, out, 1, a->v.any, a->length, h, err);
    }
    return taco__arrow_array_set_buffer(x, out, 1, a->v.any, bytes, h, err);
}

/* Makes *out of an array; f is what the schema says, which the array's own field agrees with but
   for names. On failure *out is released by the caller. */
static bool taco__arrow_array_export(taco__arrow_export *x, const taco_field *f,
                                     const taco_array *a, const taco__buffer_owner *h,
                                     struct ArrowArray *out, taco_error *err)
{
    size_t n = a->length, bytes;
    uint32_t i;
    if (f->type != TACO_NULL && a->null_count == n && !a->v.any && !a->offsets && !a->children) {
        return taco__arrow_array_nulls(x, f, n, out, err);
    }
    if (!taco__arrow_array_init(x, out, n, f->child_count, err)) { return false; }
    out->n_buffers = taco__arrow_buffer_count(f);
    out->null_count = f->type == TACO_NULL ? (int64_t)n : (int64_t)a->null_count;
    if (f->type == TACO_NULL) { return true; }
    if (a->validity && a->null_count &&
        !taco__arrow_array_set_bitmap(x, out, 0, a->validity, n, h, err)) {
        return false;
    }
    if (taco__arrow_is_list(f)) {
        if (!taco__array_buf_size(n + 1, sizeof(int32_t), &bytes, err) ||
            !taco__arrow_array_set_buffer(x, out, 1, a->offsets, bytes, h, err)) {
            return false;
        }
    } else if (f->type == TACO_INT96) {
        return taco__arrow_array_int96(x, a, out, err);
    } else if (taco__array_is_var_length(f)) {
        return taco__arrow_array_text(x, f, a, h, out, err);
    } else if (f->type != TACO_STRUCT) {
        return taco__arrow_array_fixed(x, f, a, h, out, err);
    }
    for (i = 0; i < f->child_count; i++) {
        taco__buffer_owner child;
        memset(&child, 0, sizeof child);
        if (h) { h->child(h, i, &child); }
        if (!taco__arrow_array_export(x, &f->children[i], &a->children[i], h ? &child : NULL,
                                      out->children[i], err)) {
            return false;
        }
    }
    return true;
}

/* A batch as an array of structs. holder, which may be NULL, tells where the buffers of a column
   stand. On failure *out is a released array. */
TACO__FN bool taco__arrow_batch_export(taco__arrow_export *x, const taco_field *fields,
                                       const taco_batch *b,
                                       bool (*holder)(void *ctx, size_t i, taco__buffer_owner *out),
                                       void *ctx, struct ArrowArray *out, taco_error *err)
{
    size_t i;
    bool ok;
    if (!taco__arrow_array_init(x, out, b->length, b->column_count, err)) { return false; }
    out->n_buffers = 1;
    for (i = 0, ok = true; ok && i < b->column_count; i++) {
        taco__buffer_owner h;
        bool held = holder && holder(ctx, i, &h);
        ok = taco__arrow_array_export(x, &fields[i], &b->columns[i], held ? &h : NULL,
                                      out->children[i], err);
        if (!ok) {
            taco_bytes name = taco__bytes_text(fields[i].name);
            taco__error_prefix(err, "column %q", &name);
        }
    }
    if (!ok) { out->release(out); }
    taco__mem_disown(x->mem, x->charged);
    x->charged = 0;
    return ok;
}

/* ---- schemas
   ------------------------------------------------------------------------------------ */

/* Arrow's maps have no null keys; one that may have is a list of pairs. */
static bool taco__arrow_is_map(const taco_field *f)
{
    return f->type == TACO_MAP && f->children[0].child_count == 2 &&
           !f->children[0].children[0].nullable;
}

/* The format string of a type, in at most 31 characters. */
static void taco__arrow_format(const taco_field *f, char out[32])
{
    taco__fmt o;
    o.at = out;
    o.end = out + 32;
    *out = 0;
    switch (f->type) {
    case TACO_DECIMAL:
        if (f->width == 0) {
            taco__fmt_text(&o, "z");
            break;
        }
        taco__fmt_text(&o, "d:");
        taco__fmt_number(&o, TACO__U(f->precision), 10);
        taco__fmt_text(&o, f->scale < 0 ? ",-" : ",");
        taco__fmt_number(&o, TACO__U(f->scale < 0 ? -(int64_t)f->scale : (int64_t)f->scale), 10);
        taco__fmt_text(&o, f->width == 32 ? ",256" : "");
        break;
    case TACO_TIME:
    case TACO_TIMESTAMP:
        taco__fmt_text(&o, f->type == TACO_TIME ? "tt" : "ts");
        taco__fmt_char(&o, "smun"[f->unit]);
        taco__fmt_text(&o, f->type == TACO_TIME ? "" : f->utc ? ":UTC" : ":");
        break;
    case TACO_INTERVAL:
    case TACO_FIXED:
    case TACO_UUID:
        taco__fmt_text(&o, "w:");
        taco__fmt_number(&o, TACO__U(f->width), 10);
        break;
    case TACO_MAP: taco__fmt_text(&o, taco__arrow_is_map(f) ? "+m" : "+l"); break;
    default: taco__fmt_text(&o, taco__type_format(f->type)); break;
    }
}

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

/* name and metadata are copied; metadata of length 0 is none. */
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

/* Appends a number as metadata has it: in the machine's byte order. */
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

/* Key-value metadata as the C data interface has it: counts in the machine's order. A count at
   *p. */
TACO__FN int32_t taco__arrow_read_count(const char **p)
{
    int32_t n;
    memcpy(&n, *p, sizeof n);
    *p += sizeof n;
    return n;
}

/* The next of *n pairs at *p; false behind the last. */
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

/* The schema of a field and of all below it. all_nullable: children of several files may differ in
   that. */
TACO__FN bool taco__arrow_schema_export(taco__arrow_export *x, const taco_field *f,
                                        bool all_nullable, struct ArrowSchema *out, taco_error *err)
{
    taco__buf text;
    uint32_t i;
    size_t n;
    bool ok;
    memset(&text, 0, sizeof text);
    text.mem = x->mem;
    ok = f->type != TACO_UUID ||
         (taco__arrow_append_count(&text, 1, err) &&
          taco__arrow_append_pair(&text, taco__bytes_text("ARROW:extension:name"),
                                  taco__bytes_text("arrow.uuid"), err));
    n = text.len;
    ok =
        ok && taco__json_write_replace_broken(&text, taco__bytes_text(f->name), err) &&
        taco__buf_reserve(&text, 0, err) &&
        taco__arrow_schema_init(x, out, f->child_count, taco__bytes_of(text.data + n, text.len - n),
                                taco__bytes_of(text.data, n), err);
    taco__buf_free(&text);
    if (!ok) { return false; }
    taco__arrow_format(f, ((taco__arrow_schema_data *)out->private_data)->format);
    out->flags = all_nullable || f->nullable || f->type == TACO_NULL ? ARROW_FLAG_NULLABLE : 0;
    for (i = 0; i < f->child_count; i++) {
        if (!taco__arrow_schema_export(x, &f->children[i], all_nullable, out->children[i], err)) {
            return false;
        }
    }
    if (taco__arrow_is_map(f)) { /* neither its pairs nor its keys are ever null */
        out->children[0]->flags = out->children[0]->children[0]->flags = 0;
    }
    return true;
}
