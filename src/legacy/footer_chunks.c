/* footer_chunks.c - the object at the end of a chain: the tiles of the TIFFs among the samples

   In: the last object of a chain, and the bytes of its samples; out: a table of root,
   tortilla:id ("id::k"), tortilla:offset and tortilla:length with a row per tile, in the order
   in which the TIFF lists them (TACO 0.2.0 "Facilitating dataset streaming"). Only GeoTIFFs have
   chunks. A sample may be nested deep inside a payload, which is then opened and read. */
#include "legacy.h"
#include "../base/base.h"
#include "../base/file_copy.h"
#include "../tiff/tiff.h"

/* The rows of the table under construction. */
typedef struct taco__chain_chunks {
    taco__buf roots, ids;     /* taco_bytes */
    taco__buf offsets, sizes; /* uint64 */
    taco_source src;          /* payload that contains the current sample */
    uint64_t base;            /* offset of the sample in it */
} taco__chain_chunks;

/* A sample: a row of the last object. */
typedef struct taco__chain_sample {
    taco_bytes root, id;
    uint64_t offset, size; /* position in the file */
} taco__chain_sample;

/* taco_source.read for the current sample. */
static bool taco__chain_chunks_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    const taco__chain_chunks *c = (const taco__chain_chunks *)ctx;
    return c->src.read(c->src.ctx, c->base + offset, dst, len);
}

/* "id::k"; {NULL, 0} if out of memory. */
static taco_bytes taco__chain_chunks_name(taco__tortilla_writer *w, taco_bytes id, size_t k)
{
    char *text = (char *)taco__arena_alloc(&w->arena, id.len + 24, w->err);
    taco_bytes name = {NULL, 0};
    if (!text) { return name; }
    memcpy(text, id.data, id.len);
    memcpy(text + id.len, "::", 2);
    name.data = (const uint8_t *)text;
    name.len = id.len + 2 + taco__num_format_u64(text + id.len + 2, k);
    return name;
}

/* Adds a row: tile k, with len bytes at `offset` in the sample. */
static bool taco__chain_chunks_add_tile(taco__tortilla_writer *w, taco__chain_chunks *c,
                                        const taco__chain_sample *s, size_t k, uint64_t offset,
                                        uint64_t len)
{
    taco_bytes name = taco__chain_chunks_name(w, s->id, k);
    if (!name.data) { return false; }
    if (!taco__checked_range(offset, len, s->size)) {
        TACO__FAIL(w->err, TACO_ERR_TRUNCATED, TACO_NO_OFFSET,
                   "sample %q: tile %u has %u bytes at %u, the TIFF ends at %u", &s->id, TACO__U(k),
                   len, offset, s->size);
        return false;
    }
    offset += s->offset;
    return taco__buf_append(&c->roots, &s->root, sizeof s->root, w->err) &&
           taco__buf_append(&c->ids, &name, sizeof name, w->err) &&
           taco__buf_append(&c->offsets, &offset, sizeof offset, w->err) &&
           taco__buf_append(&c->sizes, &len, sizeof len, w->err);
}

/* Adds the tiles of one TIFF; none if its header has no tables of them. */
static bool taco__chain_chunks_add_tiles(taco__tortilla_writer *w, taco__chain_chunks *c,
                                         const taco__chain_sample *s, const taco_tiff_header *h)
{
    size_t n = TACO__MIN(h->tile_offset_count, h->tile_byte_count_count), i;
    if (!h->tile_offsets || !h->tile_byte_counts) { return true; }
    for (i = 0; i < n; i++) {
        if (!taco__chain_chunks_add_tile(w, c, s, i, h->tile_offsets[i], h->tile_byte_counts[i])) {
            return false;
        }
    }
    return true;
}

/* The row of the node whose payload contains an offset of the file; at[] are the offsets of the
   payloads. Empty samples have the offset of the next one: a sample with bytes is the last of
   these, for an empty one any will do. */
static size_t taco__chain_chunks_find_top(const taco__tortilla_node *node, const uint64_t *at,
                                          uint64_t offset, uint64_t size)
{
    size_t top = 0;
    TACO__LOWER_BOUND(top, node->rows, i, at[i] <= offset);
    top -= top > 0;
    while (top && node->sizes[top] == 0 && size) {
        top--;
    }
    return top;
}

/* True if tiles of a TIFF may be listed: only those of TOGs, unless the caller wants others. */
static bool taco__chain_chunks_is_allowed(taco__tortilla_writer *w, const taco__chain_sample *s,
                                          const taco_tiff *t)
{
    taco_error why;
    memset(&why, 0, sizeof why);
    if (w->any_tiff || taco_tog_check(t, &why) == TACO_OK) { return true; }
    TACO__FAIL(w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "sample %q: %s, its tiles are not listed",
               &s->id, why.text);
    return false;
}

/* Adds the tiles of one sample, if it is a TIFF that has some. */
static bool taco__chain_chunks_add_sample(taco__tortilla_writer *w, const taco__tortilla_node *node,
                                          const uint64_t *at, taco__chain_chunks *c,
                                          const taco__chain_sample *s)
{
    size_t top = taco__chain_chunks_find_top(node, at, s->offset, s->size);
    taco__input in;
    taco_source part;
    taco_error why; /* what is not a TIFF has no chunks */
    taco_tiff *t;
    bool ok;
    memset(&in, 0, sizeof in);
    memset(&part, 0, sizeof part);
    memset(&why, 0, sizeof why);
    if (!w->payload(w->ctx, node, top, &in, w->err)) { return false; }
    c->src = in.source;
    c->base = s->offset - at[top];
    part.ctx = c;
    part.size = s->size;
    part.read = taco__chain_chunks_read;
    t = taco__checked_range(c->base, s->size, in.source.size)
            ? taco_tiff_open(&part, "payload", &w->options, &why)
            : NULL;
    if (t) {
        ok = taco__chain_chunks_is_allowed(w, s, t) &&
             taco__chain_chunks_add_tiles(w, c, s, taco_tiff_get(t));
    } else {
        ok = !taco__error_is_of_machine(&why);
        if (!ok) {
            *w->err = why;
            taco__error_prefix(w->err, "sample %q", &s->id);
        }
    }
    taco_tiff_close(t);
    if (w->closes && in.source.close) { in.source.close(in.source.ctx); }
    return ok;
}

/* True if a sample is a GeoTIFF by its format: other samples are not opened. */
static bool taco__chain_chunks_is_tiff(const taco_array *formats, size_t i)
{
    taco_bytes format = formats ? taco_array_bytes(formats, i) : taco__bytes_of(NULL, 0);
    return taco__bytes_equal(format, taco__bytes_text("GTiff")) ||
           taco__bytes_equal(format, taco__bytes_text("COG"));
}

/* Adds the tiles of all samples of an object; top: its rows are those of level 0, whose keys are
   their ids. */
static bool taco__chain_chunks_add_all(taco__tortilla_writer *w, const taco__tortilla_node *node,
                                       const uint64_t *at, const taco__chain_object *last, bool top,
                                       taco__chain_chunks *c)
{
    const taco_array *ids = taco__tortilla_check_find(last->columns, last->count, "tortilla:id");
    const taco_array *offsets =
        taco__tortilla_check_find(last->columns, last->count, "tortilla:offset");
    const taco_array *sizes =
        taco__tortilla_check_find(last->columns, last->count, "tortilla:length");
    const taco_array *formats =
        taco__tortilla_check_find(last->columns, last->count, "tortilla:file_format");
    taco__chain_sample s;
    size_t i;
    if (!ids || !offsets || !sizes) { return false; }
    for (i = 0; i < last->rows; i++) {
        if (!taco__chain_chunks_is_tiff(formats, i)) { continue; }
        s.id = taco_array_bytes(ids, i);
        s.root = top ? s.id
                     : taco__chain_write_make_key(w, taco_array_bytes(&last->columns[0], i), s.id);
        s.offset = (uint64_t)taco_array_int(offsets, i);
        s.size = (uint64_t)taco_array_int(sizes, i);
        if (!s.root.data || !taco__chain_chunks_add_sample(w, node, at, c, &s)) { return false; }
    }
    return true;
}

/* ---- the table ---- */

/* Makes a column of numbers of the table. */
static bool taco__chain_chunks_number_column(taco__tortilla_writer *w, taco_array *a,
                                             const char *name, const taco__buf *values)
{
    taco_field *f = (taco_field *)taco__arena_alloc(&w->arena, sizeof *f, w->err);
    uint8_t *v = (uint8_t *)taco__arena_alloc(&w->arena, values->len + TACO__PAD, w->err);
    if (!f || !v) { return false; }
    if (values->len) { memcpy(v, values->data, values->len); }
    *f = taco__field_make(name, TACO_INT64);
    f->nullable = false;
    memset(a, 0, sizeof *a);
    a->field = f;
    a->length = values->len / sizeof(uint64_t);
    a->v.any = v;
    return true;
}

/* Makes the four columns of n rows. */
static bool taco__chain_chunks_make_columns(taco__tortilla_writer *w, const taco__chain_chunks *c,
                                            size_t n, taco_array *a)
{
    return taco__chain_write_text_column(w, &a[0], "root",
                                         (const taco_bytes *)(const void *)c->roots.data, n) &&
           taco__chain_write_text_column(w, &a[1], "tortilla:id",
                                         (const taco_bytes *)(const void *)c->ids.data, n) &&
           taco__chain_chunks_number_column(w, &a[2], "tortilla:offset", &c->offsets) &&
           taco__chain_chunks_number_column(w, &a[3], "tortilla:length", &c->sizes);
}

TACO__FN bool taco__chain_chunks_make(taco__tortilla_writer *w, const taco__tortilla_node *node,
                                      const uint64_t *at, const taco__chain_object *last, bool top,
                                      taco__chain_object *out)
{
    taco__chain_chunks c;
    bool ok;
    memset(&c, 0, sizeof c);
    memset(out, 0, sizeof *out);
    c.roots.mem = c.ids.mem = c.offsets.mem = c.sizes.mem = &w->mem;
    out->columns = (taco_array *)taco__arena_array(&w->arena, 4, sizeof *out->columns, w->err);
    out->count = 4;
    ok = out->columns && taco__chain_chunks_add_all(w, node, at, last, top, &c);
    out->rows = c.sizes.len / sizeof(uint64_t);
    ok = ok && taco__chain_chunks_make_columns(w, &c, out->rows, out->columns);
    taco__buf_free(&c.roots);
    taco__buf_free(&c.ids);
    taco__buf_free(&c.offsets);
    taco__buf_free(&c.sizes);
    return ok;
}
