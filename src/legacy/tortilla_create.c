/* tortilla_create.c - writers of the old containers.. Spec: Tortilla 0.5.0 "Format", TACO 0.2.0 */
#include "legacy.h"
#include "../base/base.h"
#include "../base/file_copy.h"
#include "../dataset/dataset.h"

/* ---- create
   --------------------------------------------------------------------------------------- */

typedef struct taco__tortilla_caller {
    bool (*payload)(void *ctx, size_t row, taco_source *out);
    void *ctx;
} taco__tortilla_caller;

static bool taco__tortilla_create_payload(void *ctx, const taco__tortilla_node *node, size_t row,
                                          taco__input *in, taco_error *err)
{
    const taco__tortilla_caller *c = (const taco__tortilla_caller *)ctx;
    taco_source src;
    memset(&src, 0, sizeof src);
    if (!c->payload(c->ctx, node->tag + row, &src)) {
        TACO__FAIL(err, TACO_ERR_IO, TACO_NO_OFFSET, "row %u: its bytes cannot be had",
                   TACO__U(node->tag + row));
        return false;
    }
    taco__input_from_range(in, &src, 0, src.size);
    return true;
}

/* Columns that the writer makes itself are left out. */
static bool taco__tortilla_create_node(taco__tortilla_writer *w, const taco_batch *rows,
                                       taco__tortilla_node *node)
{
    taco_array *columns =
        (taco_array *)taco__arena_array(&w->arena, rows->column_count + 1, sizeof *columns, w->err);
    size_t i;
    memset(node, 0, sizeof *node);
    node->sizes =
        (uint64_t *)taco__arena_array(&w->arena, rows->length + 1, sizeof(uint64_t), w->err);
    for (i = 0; columns && i < rows->column_count; i++) {
        const char *name = rows->columns[i].field->name;
        if (strcmp(name, "tortilla:offset") != 0 && strcmp(name, "tortilla:length") != 0 &&
            strncmp(name, "internal:", 9) != 0) {
            columns[node->column_count++] = rows->columns[i];
        }
    }
    node->columns = columns;
    node->rows = rows->length;
    return columns && node->sizes;
}

TACO_API taco_status taco_tortilla_create(const char *path, const taco_batch *samples,
                                          bool (*payload)(void *ctx, size_t row, taco_source *out),
                                          void *ctx, const taco_tortilla_options *opt,
                                          taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__tortilla_writer w;
    taco__tortilla_node node;
    taco__tortilla_caller caller;
    taco_bytes collection = {NULL, 0};
    bool ok;
    taco__tortilla_write_init(&w, opt ? opt->options : NULL, err ? err : &own);
    if (!path || !samples || !payload || samples->length == 0) {
        return TACO__FAIL(w.err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given",
                          !path ? "path" : "samples");
    }
    caller.payload = payload;
    caller.ctx = ctx;
    w.closes = true;
    w.payload = taco__tortilla_create_payload;
    w.ctx = &caller;
    ok = (!opt || !opt->collection ||
          taco__tortilla_write_check_json(&w, opt->collection, &collection)) &&
         taco__tortilla_create_node(&w, samples, &node) &&
         taco__tortilla_write_check_node(&w, &node) && taco__tortilla_write_measure(&w, &node) &&
         (opt && (opt->chain || opt->chunks)
              ? taco__chain_write_file(&w, path, &node, collection, opt->chunks)
              : taco__tortilla_write_parts(&w, path, &node,
                                           opt && opt->part_bytes ? opt->part_bytes
                                                                  : TACO__TORTILLA_PART_BYTES,
                                           collection));
    return taco__tortilla_write_finish(&w, ok, path);
}

/* ---- compile
   -------------------------------------------------------------------------------------- */

/* All rows of a cursor as arrays in the arena. */
TACO__FN bool taco__tortilla_compile_read_rows(taco__tortilla_writer *w, taco_cursor *c,
                                               taco_batch *out)
{
    size_t n, i, k, parts = 0;
    const taco_field *fields = taco_cursor_fields(c, &n);
    taco__buf list; /* of arrays of arrays */
    taco_batch b;
    taco_array *columns =
        (taco_array *)taco__arena_array(&w->arena, n + 1, sizeof *columns, w->err);
    bool ok = columns != NULL;
    memset(&list, 0, sizeof list);
    list.mem = &w->mem;
    memset(out, 0, sizeof *out);
    while (ok && taco_cursor_batch(c, &b)) {
        taco_array *copy = (taco_array *)taco__arena_array(&w->arena, n + 1, sizeof *copy, w->err);
        ok = copy && taco__buf_append(&list, &copy, sizeof copy, w->err);
        for (i = 0; ok && i < n; i++) {
            taco__concat_slice p;
            p.a = &b.columns[i];
            p.first = 0;
            p.n = b.length;
            ok = taco__concat_arrays(&w->arena, &fields[i], &p, 1, &copy[i], w->err);
        }
        out->length += b.length;
        parts++;
    }
    for (i = 0; ok && i < n; i++) {
        taco_field *f = (taco_field *)taco__arena_alloc(&w->arena, sizeof *f, w->err);
        taco__concat_slice *p =
            (taco__concat_slice *)taco__arena_array(&w->arena, parts + 1, sizeof *p, w->err);
        for (k = 0; p && k < parts; k++) {
            const taco_array *copy = ((taco_array **)(void *)list.data)[k];
            p[k].a = &copy[i];
            p[k].n = copy[i].length;
        }
        ok = f && p && taco__concat_copy_field(&w->arena, &fields[i], f, w->err) &&
             taco__concat_arrays(&w->arena, f, p, parts, &columns[i], w->err);
    }
    taco__buf_free(&list);
    out->columns = columns;
    out->column_count = n;
    out->first_row = -1;
    return ok;
}

typedef struct taco__tortilla_subset {
    taco_dataset *ds;
    const taco_array *offset, *size, *source;
    const size_t *rows; /* in the order in which they are written */
} taco__tortilla_subset;

static bool taco__tortilla_compile_payload(void *ctx, const taco__tortilla_node *node, size_t row,
                                           taco__input *in, taco_error *err)
{
    const taco__tortilla_subset *s = (const taco__tortilla_subset *)ctx;
    size_t at = s->rows[node->tag + row];
    uint64_t offset = (uint64_t)taco_array_int(s->offset, at),
             size = (uint64_t)taco_array_int(s->size, at);
    taco__file *f = &s->ds->stores[0].file;
    if (s->source) {
        f = taco__container_open_archive(&s->ds->stores[0], taco_array_bytes(s->source, at), err);
    }
    if (!f || !taco__file_check_range(f, offset, size, err)) { return false; }
    taco__input_from_range(in, &f->src, offset, size);
    return true;
}

TACO__FN int taco__tortilla_compile_compare(const void *a, const void *b)
{
    const taco__tortilla_sort_key *x = (const taco__tortilla_sort_key *)a,
                                  *y = (const taco__tortilla_sort_key *)b;
    return x->offset != y->offset ? (x->offset > y->offset) - (x->offset < y->offset)
                                  : (x->row > y->row) - (x->row < y->row);
}

/* The rows by their old offsets, across files too; columns of our own are dropped. */
static bool taco__tortilla_compile_node(taco__tortilla_writer *w, const taco_batch *all,
                                        taco__tortilla_subset *s, taco__tortilla_node *node)
{
    taco__tortilla_sort_key *places = (taco__tortilla_sort_key *)taco__arena_array(
        &w->arena, all->length + 1, sizeof *places, w->err);
    size_t *rows = (size_t *)taco__arena_array(&w->arena, all->length + 1, sizeof *rows, w->err);
    taco__concat_slice *p =
        (taco__concat_slice *)taco__arena_array(&w->arena, all->length + 1, sizeof *p, w->err);
    taco_array *columns =
        (taco_array *)taco__arena_array(&w->arena, all->column_count + 1, sizeof *columns, w->err);
    bool has_format = taco__tortilla_write_find_column(all->columns, all->column_count,
                                                       "tortilla:file_format"),
         user_id = taco__tortilla_write_find_column(all->columns, all->column_count, "internal:id"),
         user_type =
             taco__tortilla_write_find_column(all->columns, all->column_count, "internal:type");
    size_t i, k;
    memset(node, 0, sizeof *node);
    node->sizes =
        (uint64_t *)taco__arena_array(&w->arena, all->length + 1, sizeof(uint64_t), w->err);
    if (!places || !rows || !p || !columns || !node->sizes) { return false; }
    for (i = 0; i < all->length; i++) {
        places[i].offset = taco_array_int(s->offset, i);
        places[i].row = i;
    }
    qsort(places, all->length, sizeof *places, taco__tortilla_compile_compare);
    for (i = 0; i < all->length; i++) {
        rows[i] = places[i].row;
    }
    for (k = 0; k < all->column_count; k++) {
        const taco_field *from = all->columns[k].field;
        taco_field *f;
        bool format = !has_format && strcmp(from->name, "internal:file_format") == 0;
        if (!format &&
            (strncmp(from->name, "internal:", 9) == 0 || strcmp(from->name, "geometry") == 0 ||
             strcmp(from->name, "tortilla:offset") == 0 ||
             strcmp(from->name, "tortilla:length") == 0 ||
             (!user_id && strcmp(from->name, "id") == 0) ||
             (!user_type && strcmp(from->name, "type") == 0))) {
            continue;
        }
        f = (taco_field *)taco__arena_alloc(&w->arena, sizeof *f, w->err);
        for (i = 0; i < all->length; i++) {
            p[i].a = &all->columns[k];
            p[i].first = rows[i];
            p[i].n = 1;
        }
        if (!f) { return false; }
        *f = *from;
        f->name = format ? "tortilla:file_format" : f->name;
        if (!taco__concat_arrays(&w->arena, f, p, all->length, &columns[node->column_count++],
                                 w->err)) {
            return false;
        }
    }
    s->rows = rows;
    node->columns = columns;
    node->rows = all->length;
    return true;
}

TACO_API taco_status taco_tortilla_compile(taco_dataset *ds, const taco_query *q, const char *path,
                                           taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__tortilla_writer w;
    taco__tortilla_node node;
    taco__tortilla_subset s;
    taco_batch all;
    taco_cursor *c;
    bool ok;
    taco__tortilla_write_init(&w, ds ? &ds->options : NULL, err ? err : &own);
    if (!ds || !path || ds->stores[0].format != taco_legacy_opener() ||
        (q && (q->select || q->flat))) {
        return TACO__FAIL(w.err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "a Tortilla or TACO 0.x, whole rows of it and a path are needed");
    }
    c = taco_select(ds, q, w.err);
    ok = c && taco__tortilla_compile_read_rows(&w, c, &all);
    if (c && taco_cursor_close(c, w.err) != TACO_OK) { ok = false; }
    memset(&s, 0, sizeof s);
    s.ds = ds;
    if (ok && all.length == 0) {
        TACO__FAIL(w.err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no row is left to write");
        ok = false;
    }
    if (ok) {
        s.offset =
            taco__tortilla_write_find_column(all.columns, all.column_count, "internal:offset");
        s.size = taco__tortilla_write_find_column(all.columns, all.column_count, "internal:size");
        s.source =
            taco__tortilla_write_find_column(all.columns, all.column_count, "internal:source_file");
        w.compiled = true;
        w.payload = taco__tortilla_compile_payload;
        w.ctx = &s;
        ok = s.offset && s.size && taco__tortilla_compile_node(&w, &all, &s, &node) &&
             taco__tortilla_write_measure(&w, &node) &&
             taco__tortilla_write_file(&w, path, &node, 1, taco__bytes_of(NULL, 0));
    }
    return taco__tortilla_write_finish(&w, ok, path);
}
