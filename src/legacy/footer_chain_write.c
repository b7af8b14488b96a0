/* footer_chain_write.c - a file with the chain of footers of TACO 0.2.0, one object per level

   In: a measured node of samples; out: one file whose first footer has the samples, and each
   further object the rows of all tortillas in the previous one, with offsets relative to the
   file and their parents' keys in the column root (TACO 0.2.0 "Facilitating dataset
   streaming"). The rows of a nested tortilla are read from the bytes that will be written for
   it.

   The last object is written first, so that each can point to the next one, and the header to
   the first:   header, payloads, object n, ..., object 1, object 0, collection. Start
   reading at taco__chain_write_file. */
#include "legacy.h"
#include "../base/base.h"
#include "../base/sink.h"
#include "../base/file_copy.h"
#include "../dataset/dataset.h"

/* ---- columns ---- */

/* The offsets of n texts; NULL on failure. */
static int32_t *taco__chain_write_text_offsets(taco__tortilla_writer *w, const char *name,
                                               const taco_bytes *texts, size_t n)
{
    int32_t *ends = (int32_t *)taco__arena_array(&w->arena, n + 1, sizeof *ends, w->err);
    uint64_t total = 0;
    size_t i;
    for (i = 0; ends && i < n; i++) {
        total += texts[i].len;
        if (total > INT32_MAX) {
            TACO__FAIL(w->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "too much text in column %s", name);
            return NULL;
        }
        ends[i + 1] = (int32_t)total;
    }
    return ends;
}

TACO__FN bool taco__chain_write_text_column(taco__tortilla_writer *w, taco_array *a,
                                            const char *name, const taco_bytes *texts, size_t n)
{
    taco_field *f = (taco_field *)taco__arena_alloc(&w->arena, sizeof *f, w->err);
    int32_t *ends = taco__chain_write_text_offsets(w, name, texts, n);
    uint8_t *p;
    size_t i;
    if (!f || !ends) { return false; }
    p = (uint8_t *)taco__arena_alloc(&w->arena, (size_t)ends[n] + TACO__PAD, w->err);
    if (!p) { return false; }
    for (i = 0; i < n; i++) {
        if (texts[i].len) { memcpy(p + ends[i], texts[i].data, texts[i].len); }
    }
    *f = taco__field_make(name, TACO_TEXT);
    f->nullable = false;
    memset(a, 0, sizeof *a);
    a->field = f;
    a->length = n;
    a->offsets = ends;
    a->v.any = p;
    return true;
}

TACO__FN taco_bytes taco__chain_write_make_key(taco__tortilla_writer *w, taco_bytes parent,
                                               taco_bytes id)
{
    size_t slash = parent.len != 0;
    uint8_t *p = (uint8_t *)taco__arena_alloc(&w->arena, parent.len + id.len + 1, w->err);
    if (!p) { return taco__bytes_of(NULL, 0); }
    if (slash) {
        memcpy(p, parent.data, parent.len);
        p[parent.len] = '/';
    }
    if (id.len) { memcpy(p + parent.len + slash, id.data, id.len); }
    return taco__bytes_of(p, parent.len + slash + id.len);
}

/* ---- objects below the first ---- */

/* Tortillas and roots gathered for an object. */
typedef struct taco__chain_gather {
    taco__buf below; /* taco__chain_nested: tortillas among the rows */
    taco__buf roots; /* taco_bytes: the parent's key for every row */
} taco__chain_gather;

/* Gathers the rows of one tortilla: their root, and those that are tortillas. Their offsets, until
   now relative to the payload, become relative to the file, in which the payload begins at `at`. */
static bool taco__chain_write_add_rows(taco__tortilla_writer *w, const taco__chain_nested *nested,
                                       uint64_t at, taco__tortilla_table *t, taco__chain_gather *g)
{
    int64_t *place = (int64_t *)t->t.arrays[t->offset].v.any;
    size_t i;
    for (i = 0; i < t->t.rows; i++) {
        if (!taco__buf_append(&g->roots, &nested->key, sizeof nested->key, w->err)) {
            return false;
        }
        if (taco__tortilla_is_nested(t, i)) {
            taco__chain_nested n;
            n.top = nested->top;
            n.base = (uint64_t)place[i];
            n.key = taco__chain_write_make_key(w, nested->key,
                                               taco_array_bytes(&t->t.arrays[t->id], i));
            if (!n.key.data || !taco__buf_append(&g->below, &n, sizeof n, w->err)) { return false; }
        }
        place[i] += (int64_t)at;
    }
    return true;
}

/* Reads the footer of a tortilla inside a payload. */
static bool taco__chain_write_read_footer(taco__tortilla_writer *w, taco__file *file,
                                          const taco__chain_nested *nested,
                                          taco__tortilla_table *out)
{
    taco__tortilla head;
    bool ok;
    /* too large for the stack */
    taco__container *s = (taco__container *)taco__mem_alloc(&w->mem, sizeof *s, w->err);
    if (!s) { return false; }
    memset(s, 0, sizeof *s);
    s->mem = &w->mem;
    s->options = &w->options;
    ok = taco__tortilla_read_header(file, nested->base, &w->arena, &head, w->err) &&
         taco__tortilla_read_footer(s, file, head.footer, nested->base, head.driver, &w->arena, out,
                                    w->err);
    taco__mem_free(&w->mem, s, sizeof *s);
    return ok;
}

/* Reads the table of a tortilla inside a payload, and gathers its rows. */
static bool taco__chain_write_read_nested(taco__tortilla_writer *w, const taco__tortilla_node *node,
                                          const taco__chain_nested *nested, uint64_t at,
                                          taco__tortilla_table *out, taco__chain_gather *g)
{
    taco__file file;
    taco__input in;
    bool ok;
    memset(&in, 0, sizeof in);
    if (!w->payload(w->ctx, node, nested->top, &in, w->err)) { return false; }
    taco__file_init(&file, &in.source, "", &w->mem);
    ok = taco__chain_write_read_footer(w, &file, nested, out) &&
         taco__chain_write_add_rows(w, nested, at, out, g);
    if (!w->closes) { file.src.close = NULL; }
    taco__file_close(&file);
    return ok;
}

/* Reads the tables of all tortillas of an object, as runs of one new table. */
static bool taco__chain_write_read_all(taco__tortilla_writer *w, const taco__tortilla_node *node,
                                       const uint64_t *at, const taco__chain_object *above,
                                       taco__legacy_table *m, taco__chain_gather *g)
{
    size_t n = above->nested_count, i;
    taco__tortilla_table *tables =
        (taco__tortilla_table *)taco__arena_array(&w->arena, n, sizeof *tables, w->err);
    taco__legacy_run *runs =
        (taco__legacy_run *)taco__arena_array(&w->arena, n, sizeof *runs, w->err);
    if (!tables || !runs) { return false; }
    memset(m, 0, sizeof *m);
    m->arena = &w->arena;
    m->runs = runs;
    m->count = n;
    m->err = w->err;
    for (i = 0; i < n; i++) {
        const taco__chain_nested *nested = &above->nested[i];
        if (!taco__chain_write_read_nested(w, node, nested, at[nested->top], &tables[i], g)) {
            return false;
        }
        runs[i].t = &tables[i];
        runs[i].n = (size_t)tables[i].t.rows;
        m->rows += runs[i].n;
    }
    return true;
}

/* Makes an object from the gathered rows: root, then the columns of all footers. */
static bool taco__chain_write_make_object(taco__tortilla_writer *w, taco__legacy_table *m,
                                          const taco__chain_gather *g, taco__chain_object *out)
{
    if (!taco__legacy_table_unify_columns(m, &w->arena) ||
        !taco__legacy_table_copy_columns(m, &w->arena)) {
        return false;
    }
    out->rows = m->rows;
    out->count = m->n + 1;
    out->columns = (taco_array *)taco__arena_array(&w->arena, m->n + 1, sizeof *m->arrays, w->err);
    out->nested_count = g->below.len / sizeof *out->nested;
    out->nested = (taco__chain_nested *)taco__arena_alloc(&w->arena, g->below.len + 1, w->err);
    if (!out->columns || !out->nested ||
        !taco__chain_write_text_column(w, out->columns, "root",
                                       (const taco_bytes *)(const void *)g->roots.data, m->rows)) {
        return false;
    }
    memcpy(out->columns + 1, m->arrays, m->n * sizeof *m->arrays);
    if (g->below.len) { memcpy(out->nested, g->below.data, g->below.len); }
    return true;
}

/* Makes the next object: the rows of all tortillas in the previous one. */
static bool taco__chain_write_next_object(taco__tortilla_writer *w, const taco__tortilla_node *node,
                                          const uint64_t *at, const taco__chain_object *above,
                                          taco__chain_object *out)
{
    taco__legacy_table m;
    taco__chain_gather g;
    bool ok;
    memset(&g, 0, sizeof g);
    memset(out, 0, sizeof *out);
    g.below.mem = g.roots.mem = &w->mem;
    ok = taco__chain_write_read_all(w, node, at, above, &m, &g) &&
         taco__chain_write_make_object(w, &m, &g, out);
    taco__buf_free(&g.below);
    taco__buf_free(&g.roots);
    return ok;
}

/* ---- the first object ---- */

/* Lists the tortillas among the samples, each with its key. */
static void taco__chain_write_find_nested(const taco__tortilla_node *node, const taco_bytes *roots,
                                          taco__chain_object *out)
{
    const taco_array *format =
        taco__tortilla_check_find(node->columns, node->column_count, "tortilla:file_format");
    size_t i;
    for (i = 0; i < node->rows; i++) {
        if (taco__bytes_equal(taco_array_bytes(format, i), taco__bytes_text("TORTILLA"))) {
            taco__chain_nested *n = &out->nested[out->nested_count++];
            n->top = i;
            n->base = 0;
            n->key = roots[i];
        }
    }
}

/* Makes the first object: the samples themselves, each its own root. */
static bool taco__chain_write_first_object(taco__tortilla_writer *w,
                                           const taco__tortilla_node *node, const uint64_t *at,
                                           taco__chain_object *out)
{
    const taco_array *id =
        taco__tortilla_check_find(node->columns, node->column_count, "tortilla:id");
    size_t rows = node->rows, i, n;
    int64_t *offsets = (int64_t *)taco__arena_array(&w->arena, rows + 8, sizeof *offsets, w->err);
    int64_t *sizes = (int64_t *)taco__arena_array(&w->arena, rows + 8, sizeof *sizes, w->err);
    taco_bytes *roots = (taco_bytes *)taco__arena_array(&w->arena, rows + 1, sizeof *roots, w->err);
    memset(out, 0, sizeof *out);
    out->columns = (taco_array *)taco__arena_array(&w->arena, node->column_count + 3,
                                                   sizeof *out->columns, w->err);
    out->nested =
        (taco__chain_nested *)taco__arena_array(&w->arena, rows + 1, sizeof *out->nested, w->err);
    if (!offsets || !sizes || !roots || !out->columns || !out->nested) { return false; }
    for (i = 0; i < rows; i++) {
        offsets[i] = (int64_t)at[i];
        sizes[i] = (int64_t)node->sizes[i];
        roots[i] = taco_array_bytes(id, i);
    }
    taco__chain_write_find_nested(node, roots, out);
    out->rows = rows;
    if (!taco__chain_write_text_column(w, out->columns, "root", roots, rows) ||
        !taco__tortilla_write_make_columns(w, node, offsets, sizes, out->columns + 1, &n)) {
        return false;
    }
    out->count = n + 1;
    return true;
}

/* ---- the file ---- */

/* A chain under construction: its objects, and their encoded footers. */
typedef struct taco__chain_file {
    taco__chain_object objects[TACO__CHAIN_MAX_OBJECTS];
    taco_bytes footers[TACO__CHAIN_MAX_OBJECTS];
    size_t count;
    uint64_t *at;   /* offsets of the samples' payloads in the file */
    uint64_t first; /* offset of object 0 */
} taco__chain_file;

/* Places the payloads one after another, after the header. */
static bool taco__chain_write_place_rows(taco__tortilla_writer *w, const taco__tortilla_node *node,
                                         taco__chain_file *f)
{
    size_t i;
    f->at = (uint64_t *)taco__arena_array(&w->arena, node->rows + 1, sizeof *f->at, w->err);
    for (i = 0; f->at && i < node->rows; i++) {
        f->at[i] = i ? f->at[i - 1] + node->sizes[i - 1] : TACO__TORTILLA_HEADER_BYTES;
    }
    return f->at != NULL;
}

/* Makes all objects, and with `chunks` the table of chunks, if it has rows and fits. */
static bool taco__chain_write_make_objects(taco__tortilla_writer *w,
                                           const taco__tortilla_node *node, bool chunks,
                                           taco__chain_file *f)
{
    taco__chain_object *o = f->objects;
    if (!taco__chain_write_first_object(w, node, f->at, &o[0])) { return false; }
    for (f->count = 1; o[f->count - 1].nested_count; f->count++) {
        if (f->count == TACO__CHAIN_MAX_OBJECTS) {
            TACO__FAIL(w->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "a chain of more than %u objects",
                       TACO__U(f->count));
            return false;
        }
        if (!taco__chain_write_next_object(w, node, f->at, &o[f->count - 1], &o[f->count])) {
            return false;
        }
    }
    if (!chunks || f->count == TACO__CHAIN_MAX_OBJECTS) { return true; }
    if (!taco__chain_chunks_make(w, node, f->at, &o[f->count - 1], f->count == 1, &o[f->count])) {
        return false;
    }
    f->count += o[f->count].rows != 0;
    return true;
}

/* Formats OFFSETLENGTH(offset, len) and a zero byte. */
static void taco__chain_write_format_pointer(char *p, uint64_t offset, uint64_t len)
{
    size_t k = 13;
    memcpy(p, "OFFSETLENGTH(", k);
    k += taco__num_format_u64(p + k, offset);
    memcpy(p + k, ", ", 2);
    k += 2;
    k += taco__num_format_u64(p + k, len);
    memcpy(p + k, ")", 2);
}

/* Encodes the footers of all objects, last one first: each contains the position of the next. */
static bool taco__chain_write_encode(taco__tortilla_writer *w, const taco__tortilla_node *node,
                                     taco__chain_file *f)
{
    char pointer[80] = "NULL";
    size_t i;
    f->first = TACO__TORTILLA_HEADER_BYTES + node->body;
    for (i = f->count; i-- > 0;) {
        const taco__chain_object *o = &f->objects[i];
        if (!taco__tortilla_write_encode_footer(w, o->columns, o->count, o->rows, pointer,
                                                &f->footers[i])) {
            return false;
        }
        if (i) {
            taco__chain_write_format_pointer(pointer, f->first, f->footers[i].len);
            f->first += f->footers[i].len;
        }
    }
    return true;
}

/* Writes header, payloads, footers, collection. */
static bool taco__chain_write_bytes(taco__tortilla_writer *w, taco__tortilla_node *node,
                                    const taco__chain_file *f, taco_bytes json)
{
    taco__range footer, collection = {0, 0};
    size_t i;
    footer.offset = f->first;
    footer.len = f->footers[0].len;
    if (json.data) {
        collection.offset = footer.offset + footer.len;
        collection.len = json.len;
    }
    node->footer = taco__bytes_of(NULL, 0); /* it is written after those of the other objects */
    if (!taco__tortilla_write_header(w, json.data ? "WX" : "#y", footer, 1, collection) ||
        !taco__tortilla_write_body(w, node)) {
        return false;
    }
    for (i = f->count; i-- > 0;) {
        if (!taco__output_write(&w->out, f->footers[i].data, f->footers[i].len, w->err)) {
            return false;
        }
    }
    return taco__output_write(&w->out, json.data, json.len, w->err);
}

TACO__FN bool taco__chain_write_file(taco__tortilla_writer *w, const char *path,
                                     taco__tortilla_node *node, taco_bytes collection, bool chunks)
{
    taco__chain_file f;
    bool ok;
    memset(&f, 0, sizeof f);
    if (!taco__chain_write_place_rows(w, node, &f) ||
        !taco__chain_write_make_objects(w, node, chunks, &f) ||
        !taco__chain_write_encode(w, node, &f) || !taco__tortilla_write_open(w, path)) {
        return false;
    }
    ok = taco__chain_write_bytes(w, node, &f, collection);
    return taco__output_close(&w->out, ok, w->err) && ok;
}
