/* footer_chain_write.c - writers of the old containers.. Spec: Tortilla 0.5.0 "Format", TACO
   0.2.0 */
#include "legacy.h"
#include "../base/base.h"
#include "../base/sink.h"
#include "../base/file_copy.h"
#include "../dataset/dataset.h"
#include "../tiff/tiff.h"

/* ---- the chain of footers
   ---------------------------------------------------------------------------- */

/* A tortilla below the top: which payload of the top holds it, and where in it. */
typedef struct taco__chain_nested {
    size_t top;
    uint64_t base;  /* in that payload */
    taco_bytes key; /* of the row that it is */
} taco__chain_nested;

/* One object: its rows, and the tortillas among them. */
typedef struct taco__chain_object {
    taco_array *columns;
    size_t count, rows;
    taco__chain_nested *inner;
    size_t inner_count;
} taco__chain_object;

/* A column of text: root, of the keys of parents, is the first one of every object. */
static bool taco__chain_write_text_column(taco__tortilla_writer *w, taco_array *a, const char *name,
                                          const taco_bytes *roots, size_t n)
{
    taco_field *f = (taco_field *)taco__arena_alloc(&w->arena, sizeof *f, w->err);
    int32_t *ends = (int32_t *)taco__arena_array(&w->arena, n + 1, sizeof *ends, w->err);
    uint64_t total = 0;
    uint8_t *p;
    size_t i;
    for (i = 0; ends && i < n; i++) {
        total += roots[i].len;
        if (total > INT32_MAX) {
            TACO__FAIL(w->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "too much text in column %s", name);
            return false;
        }
        ends[i + 1] = (int32_t)total;
    }
    p = (uint8_t *)taco__arena_alloc(&w->arena, (size_t)total + TACO__PAD, w->err);
    if (!f || !ends || !p) { return false; }
    for (i = 0; i < n; i++) {
        if (roots[i].len) { memcpy(p + ends[i], roots[i].data, roots[i].len); }
    }
    f->name = name;
    f->type = TACO_TEXT;
    memset(a, 0, sizeof *a);
    a->field = f;
    a->length = n;
    a->offsets = ends;
    a->v.any = p;
    return true;
}

/* The key of a row: that of its parent, a slash, its id. */
static taco_bytes taco__chain_write_make_key(taco__tortilla_writer *w, taco_bytes parent,
                                             taco_bytes id)
{
    uint8_t *p = (uint8_t *)taco__arena_alloc(&w->arena, parent.len + id.len + 1, w->err);
    if (!p) { return taco__bytes_of(NULL, 0); }
    if (parent.len) {
        memcpy(p, parent.data, parent.len);
        p[parent.len] = '/';
    }
    if (id.len) { memcpy(p + parent.len + (parent.len != 0), id.data, id.len); }
    return taco__bytes_of(p, parent.len + (parent.len != 0) + id.len);
}

/* Reads the footer of a tortilla inside a payload. Its offsets become those in the file, whose
   payload begins at `at`. */
static bool taco__chain_write_read_nested(taco__tortilla_writer *w, const taco__tortilla_node *node,
                                          const taco__chain_nested *inner, uint64_t at,
                                          taco__tortilla_table *out, taco__buf *below,
                                          taco__buf *roots)
{
    taco__container s;
    taco__file file;
    taco__tortilla head;
    taco__input in;
    size_t i;
    bool ok;
    memset(&s, 0, sizeof s);
    memset(&in, 0, sizeof in);
    s.mem = &w->mem;
    s.options = &w->options;
    if (!w->payload(w->ctx, node, inner->top, &in, w->err)) { return false; }
    taco__file_init(&file, &in.source, "", &w->mem);
    ok = taco__tortilla_read_header(&file, inner->base, &w->arena, &head, w->err) &&
         taco__tortilla_read_footer(&s, &file, head.footer, inner->base, head.driver, &w->arena,
                                    out, w->err);
    for (i = 0; ok && i < out->t.rows; i++) {
        int64_t *place = (int64_t *)out->t.arrays[out->offset].v.any;
        taco_bytes id = taco_array_bytes(&out->t.arrays[out->id], i);
        ok = taco__buf_append(roots, &inner->key, sizeof inner->key, w->err);
        if (ok && taco__tortilla_is_nested(out, i)) {
            taco__chain_nested n;
            n.top = inner->top;
            n.base = (uint64_t)place[i];
            n.key = taco__chain_write_make_key(w, inner->key, id);
            ok = n.key.data && taco__buf_append(below, &n, sizeof n, w->err);
        }
        place[i] += (int64_t)at;
    }
    if (w->closes) {
        taco__file_close(&file);
    } else {
        file.src.close = NULL;
        taco__file_close(&file);
    }
    return ok;
}

/* The object below another one: the rows of all its tortillas. */
static bool taco__chain_write_next_object(taco__tortilla_writer *w, const taco__tortilla_node *node,
                                          const uint64_t *at, const taco__chain_object *above,
                                          taco__chain_object *out)
{
    taco__tortilla_table *tables = (taco__tortilla_table *)taco__arena_array(
        &w->arena, above->inner_count, sizeof *tables, w->err);
    taco__legacy_run *runs =
        (taco__legacy_run *)taco__arena_array(&w->arena, above->inner_count, sizeof *runs, w->err);
    taco__legacy_table m;
    taco__buf below, roots;
    size_t i;
    bool ok = tables && runs;
    memset(&m, 0, sizeof m);
    memset(&below, 0, sizeof below);
    memset(&roots, 0, sizeof roots);
    below.mem = roots.mem = &w->mem;
    m.arena = &w->arena;
    m.runs = runs;
    m.count = above->inner_count;
    m.err = w->err;
    for (i = 0; ok && i < m.count; i++) {
        ok = taco__chain_write_read_nested(w, node, &above->inner[i], at[above->inner[i].top],
                                           &tables[i], &below, &roots);
        runs[i].t = &tables[i];
        runs[i].n = ok ? (size_t)tables[i].t.rows : 0;
        m.rows += runs[i].n;
    }
    ok = ok && taco__legacy_table_unify_columns(&m, &w->arena) &&
         taco__legacy_table_copy_columns(&m, &w->arena);
    memset(out, 0, sizeof *out);
    if (ok) {
        out->rows = m.rows;
        out->count = m.n + 1;
        out->columns =
            (taco_array *)taco__arena_array(&w->arena, m.n + 1, sizeof *m.arrays, w->err);
        out->inner_count = below.len / sizeof *out->inner;
        out->inner = (taco__chain_nested *)taco__arena_alloc(&w->arena, below.len + 1, w->err);
        ok = out->columns && out->inner &&
             taco__chain_write_text_column(w, out->columns, "root",
                                           (const taco_bytes *)(const void *)roots.data, m.rows);
    }
    if (ok) {
        memcpy(out->columns + 1, m.arrays, m.n * sizeof *m.arrays);
        if (below.len) { memcpy(out->inner, below.data, below.len); }
    }
    taco__buf_free(&below);
    taco__buf_free(&roots);
    return ok;
}

/* The first object: the samples themselves, each its own root. */
static bool taco__chain_write_first_object(taco__tortilla_writer *w,
                                           const taco__tortilla_node *node, const uint64_t *at,
                                           taco__chain_object *out)
{
    const taco_array *id =
        taco__tortilla_write_find_column(node->columns, node->column_count, "tortilla:id");
    const taco_array *format =
        taco__tortilla_write_find_column(node->columns, node->column_count, "tortilla:file_format");
    int64_t *offsets =
        (int64_t *)taco__arena_array(&w->arena, node->rows + 8, sizeof *offsets, w->err);
    int64_t *sizes = (int64_t *)taco__arena_array(&w->arena, node->rows + 8, sizeof *sizes, w->err);
    taco_bytes *roots =
        (taco_bytes *)taco__arena_array(&w->arena, node->rows + 1, sizeof *roots, w->err);
    size_t i, n;
    memset(out, 0, sizeof *out);
    out->columns = (taco_array *)taco__arena_array(&w->arena, node->column_count + 3,
                                                   sizeof *out->columns, w->err);
    out->inner = (taco__chain_nested *)taco__arena_array(&w->arena, node->rows + 1,
                                                         sizeof *out->inner, w->err);
    if (!offsets || !sizes || !roots || !out->columns || !out->inner) { return false; }
    for (i = 0; i < node->rows; i++) {
        offsets[i] = (int64_t)at[i];
        sizes[i] = (int64_t)node->sizes[i];
        roots[i] = taco_array_bytes(id, i);
        if (taco__bytes_equal(taco_array_bytes(format, i), taco__bytes_text("TORTILLA"))) {
            out->inner[out->inner_count].top = i;
            out->inner[out->inner_count].base = 0;
            out->inner[out->inner_count++].key = roots[i];
        }
    }
    out->rows = node->rows;
    if (!taco__chain_write_text_column(w, out->columns, "root", roots, node->rows) ||
        !taco__tortilla_write_make_columns(w, node, offsets, sizes, out->columns + 1, &n)) {
        return false;
    }
    out->count = n + 1;
    return true;
}

/* ---- the table of chunks ---- */

/* Rows of the table that is being made. */
typedef struct taco__chain_chunks {
    taco__buf roots, ids; /* taco_bytes */
    taco__buf offsets, sizes;
    taco_source src; /* of the payload that holds the sample */
    uint64_t base;   /* of the sample in it */
} taco__chain_chunks;

static bool taco__chain_write_read_sample(void *ctx, uint64_t offset, void *dst, size_t len)
{
    const taco__chain_chunks *c = (const taco__chain_chunks *)ctx;
    return c->src.read(c->src.ctx, c->base + offset, dst, len);
}

/* The tiles of one TIFF, which begins at `at` in the file. */
static bool taco__chain_write_add_tiles(taco__tortilla_writer *w, taco__chain_chunks *c,
                                        const taco_tiff_header *h, taco_bytes root, taco_bytes id,
                                        uint64_t at, uint64_t size)
{
    size_t i, n = TACO__MIN(h->tile_offset_count, h->tile_byte_count_count);
    for (i = 0; i < n; i++) {
        uint64_t offset = h->tile_offsets[i], len = h->tile_byte_counts[i];
        taco_bytes name;
        char *text = (char *)taco__arena_alloc(&w->arena, id.len + 24, w->err);
        if (!text) { return false; }
        if (!taco__checked_range(offset, len, size)) {
            TACO__FAIL(w->err, TACO_ERR_TRUNCATED, TACO_NO_OFFSET,
                       "sample %q: tile %u has %u bytes at %u, the TIFF ends at %u", &id,
                       TACO__U(i), len, offset, size);
            return false;
        }
        memcpy(text, id.data, id.len);
        memcpy(text + id.len, "::", 2);
        name.data = (const uint8_t *)text;
        name.len = id.len + 2 + taco__num_format_u64(text + id.len + 2, i);
        offset += at;
        if (!taco__buf_append(&c->roots, &root, sizeof root, w->err) ||
            !taco__buf_append(&c->ids, &name, sizeof name, w->err) ||
            !taco__buf_append(&c->offsets, &offset, sizeof offset, w->err) ||
            !taco__buf_append(&c->sizes, &len, sizeof len, w->err)) {
            return false;
        }
    }
    return true;
}

/* The tiles of one sample, where it is a TIFF that has some. at[top] is where the payload begins
   that holds it. */
static bool taco__chain_write_add_sample(taco__tortilla_writer *w, const taco__tortilla_node *node,
                                         const uint64_t *at, taco__chain_chunks *c, taco_bytes root,
                                         taco_bytes id, uint64_t offset, uint64_t size)
{
    size_t top = 0, high = node->rows;
    taco__input in;
    taco_source part;
    taco_error why; /* what is no TIFF has no chunks */
    taco_tiff *t;
    bool ok = true;
    while (high - top > 1) {
        size_t mid = top + (high - top) / 2;
        if (at[mid] <= offset) {
            top = mid;
        } else {
            high = mid;
        }
    }
    while (top && node->sizes[top] == 0 && size) { /* samples without bytes share a place */
        top--;
    }
    memset(&in, 0, sizeof in);
    memset(&part, 0, sizeof part);
    memset(&why, 0, sizeof why);
    if (!w->payload(w->ctx, node, top, &in, w->err)) { return false; }
    c->src = in.source;
    c->base = offset - at[top];
    part.ctx = c;
    part.size = size;
    part.read = taco__chain_write_read_sample;
    t = taco__checked_range(c->base, size, in.source.size)
            ? taco_tiff_open(&part, "payload", &w->options, &why)
            : NULL;
    if (t && taco_tiff_get(t)->tile_offsets && taco_tiff_get(t)->tile_byte_counts) {
        ok = taco__chain_write_add_tiles(w, c, taco_tiff_get(t), root, id, offset, size);
    }
    taco_tiff_close(t);
    if (w->closes && in.source.close) { in.source.close(in.source.ctx); }
    return ok;
}

/* A column of numbers of the table. */
static bool taco__chain_write_number_column(taco__tortilla_writer *w, taco_array *a,
                                            const char *name, const taco__buf *values)
{
    taco_field *f = (taco_field *)taco__arena_alloc(&w->arena, sizeof *f, w->err);
    uint8_t *v = (uint8_t *)taco__arena_alloc(&w->arena, values->len + TACO__PAD, w->err);
    if (!f || !v) { return false; }
    if (values->len) { memcpy(v, values->data, values->len); }
    f->name = name;
    f->type = TACO_INT64;
    f->width = 8;
    memset(a, 0, sizeof *a);
    a->field = f;
    a->length = values->len / sizeof(uint64_t);
    a->v.any = v;
    return true;
}

/* The object behind the last: root, id, offset and length of every chunk; no rows where there are
   none. */
static bool taco__chain_write_chunk_table(taco__tortilla_writer *w, const taco__tortilla_node *node,
                                          const uint64_t *at, const taco__chain_object *last,
                                          bool top, taco__chain_object *out)
{
    const taco_array *id =
        taco__tortilla_write_find_column(last->columns, last->count, "tortilla:id");
    const taco_array *offset =
        taco__tortilla_write_find_column(last->columns, last->count, "tortilla:offset");
    const taco_array *size =
        taco__tortilla_write_find_column(last->columns, last->count, "tortilla:length");
    taco__chain_chunks c;
    taco_array *a = (taco_array *)taco__arena_array(&w->arena, 4, sizeof *a, w->err);
    size_t i, n;
    bool ok = a && id && offset && size;
    memset(&c, 0, sizeof c);
    c.roots.mem = c.ids.mem = c.offsets.mem = c.sizes.mem = &w->mem;
    for (i = 0; ok && i < last->rows; i++) {
        taco_bytes name = taco_array_bytes(id, i),
                   root = top ? name
                              : taco__chain_write_make_key(
                                    w, taco_array_bytes(&last->columns[0], i), name);
        ok = root.data && taco__chain_write_add_sample(w, node, at, &c, root, name,
                                                       (uint64_t)taco_array_int(offset, i),
                                                       (uint64_t)taco_array_int(size, i));
    }
    n = c.sizes.len / sizeof(uint64_t);
    ok = ok &&
         taco__chain_write_text_column(w, &a[0], "root",
                                       (const taco_bytes *)(const void *)c.roots.data, n) &&
         taco__chain_write_text_column(w, &a[1], "tortilla:id",
                                       (const taco_bytes *)(const void *)c.ids.data, n) &&
         taco__chain_write_number_column(w, &a[2], "tortilla:offset", &c.offsets) &&
         taco__chain_write_number_column(w, &a[3], "tortilla:length", &c.sizes);
    memset(out, 0, sizeof *out);
    out->columns = a;
    out->count = 4;
    out->rows = n;
    taco__buf_free(&c.roots);
    taco__buf_free(&c.ids);
    taco__buf_free(&c.offsets);
    taco__buf_free(&c.sizes);
    return ok;
}

/* Writes a node that was measured with a chain of footers. The objects stand last first, so that
   each knows where the next one is; the header names the first. */
TACO__FN bool taco__chain_write_file(taco__tortilla_writer *w, const char *path,
                                     taco__tortilla_node *node, taco_bytes collection, bool chunks)
{
    taco__chain_object objects[TACO__CHAIN_MAX_OBJECTS];
    taco_bytes bytes[TACO__CHAIN_MAX_OBJECTS];
    uint64_t *at = (uint64_t *)taco__arena_array(&w->arena, node->rows + 1, sizeof *at, w->err);
    uint64_t place = TACO__TORTILLA_HEADER_BYTES + node->body;
    char pointer[80] = "NULL";
    size_t i, n = 1;
    bool ok = at != NULL;
    for (i = 0; ok && i < node->rows; i++) {
        at[i] = i ? at[i - 1] + node->sizes[i - 1] : TACO__TORTILLA_HEADER_BYTES;
    }
    ok = ok && taco__chain_write_first_object(w, node, at, &objects[0]);
    for (; ok && objects[n - 1].inner_count; n++) {
        if (n == TACO__CHAIN_MAX_OBJECTS) {
            TACO__FAIL(w->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "a chain of more than %u objects",
                       TACO__U(n));
            return false;
        }
        ok = taco__chain_write_next_object(w, node, at, &objects[n - 1], &objects[n]);
    }
    if (ok && chunks && n < TACO__CHAIN_MAX_OBJECTS) {
        ok = taco__chain_write_chunk_table(w, node, at, &objects[n - 1], n == 1, &objects[n]);
        n += ok && objects[n].rows;
    }
    for (i = n; ok && i-- > 0;) {
        size_t k = 13;
        ok = taco__tortilla_write_encode_footer(w, objects[i].columns, objects[i].count,
                                                objects[i].rows, pointer, &bytes[i]);
        if (ok && i) {
            memcpy(pointer, "OFFSETLENGTH(", k);
            k += taco__num_format_u64(pointer + k, place);
            memcpy(pointer + k, ", ", 2);
            k += 2;
            k += taco__num_format_u64(pointer + k, bytes[i].len);
            memcpy(pointer + k, ")", 2);
            place += bytes[i].len;
        }
    }
    if (!ok || !taco__tortilla_write_open(w, path)) { return false; }
    node->footer = taco__bytes_of(NULL, 0);
    ok = taco__tortilla_write_header(w, collection.data ? "WX" : "#y", place, bytes[0].len, 1,
                                     collection.data ? place + bytes[0].len : 0, collection.len) &&
         taco__tortilla_write_body(w, node);
    for (i = n; ok && i-- > 0;) {
        ok = taco__output_write(&w->out, bytes[i].data, bytes[i].len, w->err);
    }
    ok = ok && taco__output_write(&w->out, collection.data, collection.len, w->err);
    return taco__output_close(&w->out, ok, w->err) && ok;
}
