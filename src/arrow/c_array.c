/* c_array.c - batches as struct ArrowArray of Arrow's C data interface

   In: a taco_batch; out: an array of structs whose release frees everything. Spec: Arrow "The Arrow
   C data interface", "Columnar Format".

   A consumer may keep an array longer than the reader lives, so buffers leave the reader: those
   that a reader has decoded are moved (taco__buffer_owner says where they are), which costs nothing
   and makes the reader allocate new ones, others are copied. An exporter that only writes the batch
   out again (ipc_write.c) borrows them instead. Differences from a taco_array are converted:
   dictionaries are decoded, INT96 becomes a timestamp. Memory is charged to the handle until the
   array leaves it (taco__arrow_export.charged). */
#include "arrow.h"
#include "../base/base.h"

/* The private data of a struct ArrowArray, followed in the same block by the children's structs and
   pointers to them. A consumer may move children away, which then outlive their parent, so every
   array owns its own buffers. */
typedef struct taco__arrow_array_data {
    taco_allocator a;
    size_t size; /* of the block */
    const void *buffers[3];
    void *own[3]; /* the buffers to free; others are borrowed or absent */
    size_t own_size[3];
} taco__arrow_array_data;

/* Children that were moved away are marked as released. */
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

/* A new i-th buffer of the array, of len bytes, padded with zeros to a multiple of 64; NULL on
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

/* Makes len bytes at p the i-th buffer of the array: borrowed if the array does not outlive them,
   moved from the owner h (NULL: none), or copied. A buffer that is much larger than its contents
   stays with the reader. */
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

/* The same for a bitmap of n bits. Bits of the last byte after the last row are zeroed, so that
   equal rows are exported as equal bytes; for borrowed buffers taco__ipc_append_body does that. */
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

static bool taco__arrow_array_is_list(const taco_field *f)
{
    return f->type == TACO_LIST || f->type == TACO_MAP;
}

/* Arrow columnar format, "Buffer Listing for Each Layout". */
static int64_t taco__arrow_array_buffer_count(const taco_field *f)
{
    return f->type == TACO_NULL           ? 0
           : f->type == TACO_STRUCT       ? 1
           : taco__array_is_var_length(f) ? 3
                                          : 2;
}

TACO__FN bool taco__arrow_values_size(const taco_field *f, size_t n, size_t *out, taco_error *err)
{
    size_t width = f->type == TACO_INT96 ? sizeof(int64_t) : (size_t)f->width;
    if (f->type == TACO_BOOL) {
        *out = TACO__BITMAP_BYTES(n);
        return true;
    }
    if (taco__arrow_array_is_list(f) || taco__array_is_var_length(f)) {
        return taco__array_buf_size(n + 1, sizeof(int32_t), out, err);
    }
    return taco__array_buf_size(n, width, out, err);
}

/* Size of the i-th buffer for n nulls. */
static bool taco__arrow_array_null_size(const taco_field *f, size_t n, int64_t i, size_t *out,
                                        taco_error *err)
{
    *out = i == 0 ? TACO__BITMAP_BYTES(n) : 0; /* the third one, of bytes, is empty */
    return i != 1 || taco__arrow_values_size(f, n, out, err);
}

/* n nulls of any type: a column that the file of the rows does not have. */
static bool taco__arrow_array_nulls(taco__arrow_export *x, const taco_field *f, size_t n,
                                    struct ArrowArray *out, taco_error *err)
{
    size_t len = 0;
    uint32_t i;
    uint8_t *p;
    if (!taco__arrow_array_init(x, out, n, f->child_count, err)) { return false; }
    out->n_buffers = taco__arrow_array_buffer_count(f);
    out->null_count = (int64_t)n;
    for (i = 0; i < (uint32_t)out->n_buffers; i++) {
        if (!taco__arrow_array_null_size(f, n, i, &len, err)) { return false; }
        p = taco__arrow_array_reserve(x, out, i, len, err);
        if (!p) { return false; }
        memset(p, 0, len);
    }
    for (i = 0; i < f->child_count; i++) {
        if (!taco__arrow_array_nulls(x, &f->children[i], taco__arrow_array_is_list(f) ? 0 : n,
                                     out->children[i], err)) {
            return false;
        }
    }
    return true;
}

/* Consumers rely on a "u" array being UTF-8: all its bytes must be, and every text must begin with
   a whole character, so that it also ends with one. */
static bool taco__arrow_array_check_utf8(const int32_t *offsets, const uint8_t *bytes, size_t n,
                                         taco_error *err)
{
    size_t first = (size_t)offsets[0], end = (size_t)offsets[n], i;
    bool good = end == first || taco__utf8_valid(taco__bytes_of(bytes + first, end - first));
    for (i = 1; good && i < n; i++) {
        good = (size_t)offsets[i] == end || (bytes[offsets[i]] & 0xC0) != 0x80;
    }
    if (!good) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "text that is not UTF-8, which Arrow does not allow");
    }
    return good;
}

/* Offsets and bytes of an array of indices: the texts of its dictionary; null rows, whose index is
   undefined, become "". */
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

/* TEXT, BINARY, and DECIMAL of width 0. */
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
           taco__arrow_array_check_utf8((const int32_t *)out->buffers[1],
                                        (const uint8_t *)out->buffers[2], a->length, err);
}

static TACO__COLD bool taco__arrow_array_int96_fail(const uint8_t *p, taco_unit unit,
                                                    taco_error *err)
{
    char text[TACO__TIME_CHARS];
    taco_bytes b = taco__bytes_of(text, taco__time_format_int96(text, p));
    TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
               "the INT96 time %q, which 64 bits of %s do not hold", &b,
               unit == TACO_MICRO ? "microseconds" : "nanoseconds, 1677 to 2262,");
    return false;
}

/* INT96, which Arrow does not have, becomes nanoseconds since 1970, or another unit that the field
   in the schema has (filter/int96_units.c). */
static bool taco__arrow_array_int96(taco__arrow_export *x, const taco_field *f, const taco_array *a,
                                    struct ArrowArray *out, taco_error *err)
{
    taco_unit unit = f->unit == TACO_SECOND ? TACO_NANO : f->unit;
    size_t i, bytes;
    int64_t *to;
    if (!taco__array_buf_size(a->length, sizeof *to, &bytes, err)) { return false; }
    to = (int64_t *)(void *)taco__arrow_array_reserve(x, out, 1, bytes, err);
    for (i = 0; to && i < a->length; i++) {
        const uint8_t *p = a->v.u8 + i * 12;
        to[i] = 0;
        if ((!a->validity || taco__bitmap_get(a->validity, i)) &&
            !taco__time_int96_to(p, unit, &to[i])) {
            return taco__arrow_array_int96_fail(p, unit, err);
        }
    }
    return to != NULL;
}

/* unreachable: but on big-endian machines. Arrow has decimals in native byte order, a taco_array in
   that of the file: little-endian. */
static bool taco__arrow_array_swap_decimals(taco__arrow_export *x, const taco_array *a,
                                            size_t bytes, struct ArrowArray *out, taco_error *err)
{
    size_t i, k, width = (size_t)a->field->width;
    uint8_t *to = taco__arrow_array_reserve(x, out, 1, bytes, err);
    for (i = 0; to && i < a->length; i++) {
        for (k = 0; k < width; k++) {
            to[i * width + k] = a->v.u8[i * width + width - 1 - k];
        }
    }
    return to != NULL;
}

/* All other types except nested ones. */
static bool taco__arrow_array_fixed(taco__arrow_export *x, const taco_field *f, const taco_array *a,
                                    const taco__buffer_owner *h, struct ArrowArray *out,
                                    taco_error *err)
{
    size_t bytes;
    if (!taco__arrow_values_size(f, a->length, &bytes, err)) { return false; }
    if (TACO__BIG_ENDIAN && f->type == TACO_DECIMAL) {
        /* unreachable: the machine is little-endian */
        return taco__arrow_array_swap_decimals(x, a, bytes, out, err);
    }
    if (f->type == TACO_BOOL) {
        return taco__arrow_array_set_bitmap(x, out, 1, a->v.any, a->length, h, err);
    }
    return taco__arrow_array_set_buffer(x, out, 1, a->v.any, bytes, h, err);
}

static bool taco__arrow_array_export(taco__arrow_export *x, const taco_field *f,
                                     const taco_array *a, const taco__buffer_owner *h,
                                     struct ArrowArray *out, taco_error *err); /* recursive */

static bool taco__arrow_array_children(taco__arrow_export *x, const taco_field *f,
                                       const taco_array *a, const taco__buffer_owner *h,
                                       struct ArrowArray *out, taco_error *err)
{
    uint32_t i;
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

/* Makes *out from an array; f is the field in the schema, which the array's own field matches
   except for names. On failure the caller releases *out. */
static bool taco__arrow_array_export(taco__arrow_export *x, const taco_field *f,
                                     const taco_array *a, const taco__buffer_owner *h,
                                     struct ArrowArray *out, taco_error *err)
{
    size_t n = a->length, bytes;
    if (f->type != TACO_NULL && a->null_count == n && !a->v.any && !a->offsets && !a->children) {
        return taco__arrow_array_nulls(x, f, n, out, err);
    }
    if (!taco__arrow_array_init(x, out, n, f->child_count, err)) { return false; }
    out->n_buffers = taco__arrow_array_buffer_count(f);
    out->null_count = f->type == TACO_NULL ? (int64_t)n : (int64_t)a->null_count;
    if (f->type == TACO_NULL) { return true; }
    if (a->validity && a->null_count &&
        !taco__arrow_array_set_bitmap(x, out, 0, a->validity, n, h, err)) {
        return false;
    }
    if (taco__arrow_array_is_list(f)) {
        if (!taco__array_buf_size(n + 1, sizeof(int32_t), &bytes, err) ||
            !taco__arrow_array_set_buffer(x, out, 1, a->offsets, bytes, h, err)) {
            return false;
        }
    } else if (f->type == TACO_INT96) {
        return taco__arrow_array_int96(x, f, a, out, err);
    } else if (taco__array_is_var_length(f)) {
        return taco__arrow_array_text(x, f, a, h, out, err);
    } else if (f->type != TACO_STRUCT) {
        return taco__arrow_array_fixed(x, f, a, h, out, err);
    }
    return taco__arrow_array_children(x, f, a, h, out, err);
}

TACO__FN bool taco__arrow_batch_export(taco__arrow_export *x, const taco_field *fields,
                                       const taco_batch *b,
                                       bool (*owner)(void *ctx, size_t i, taco__buffer_owner *out),
                                       void *ctx, struct ArrowArray *out, taco_error *err)
{
    size_t i;
    bool ok;
    if (!taco__arrow_array_init(x, out, b->length, b->column_count, err)) { return false; }
    out->n_buffers = 1;
    for (i = 0, ok = true; ok && i < b->column_count; i++) {
        taco__buffer_owner h;
        bool owned = owner && owner(ctx, i, &h);
        ok = taco__arrow_array_export(x, &fields[i], &b->columns[i], owned ? &h : NULL,
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
