/* tortilla_compile.c - taco_tortilla_compile: the rows of a query on old files as a tortilla

   In: a dataset of old files and a query; out: one .tortilla with the samples that pass the query,
   in the order of their offsets, also across files, as in the old compile(). Columns made by
   readers are dropped. Nested tortillas are copied unchanged: offsets in their footers count from
   their own beginning. taco_convert_from_taco2 uses the functions here that read the rows of a
   cursor. */
#include "legacy.h"
#include "../base/base.h"
#include "../base/file_copy.h"
#include "../dataset/dataset.h"

/* ---- the rows of a cursor ---- */

/* Copies one batch into the arena; NULL on failure. */
static taco_array *taco__tortilla_compile_copy_batch(taco__tortilla_writer *w, const taco_batch *b,
                                                     const taco_field *fields)
{
    size_t n = b->column_count, i;
    taco_array *copy = (taco_array *)taco__arena_array(&w->arena, n + 1, sizeof *copy, w->err);
    for (i = 0; copy && i < n; i++) {
        taco__concat_slice p;
        p.a = &b->columns[i];
        p.first = 0;
        p.n = b->length;
        if (!taco__concat_arrays(&w->arena, &fields[i], &p, 1, &copy[i], w->err)) { return NULL; }
    }
    return copy;
}

/* Joins column i of all batches into one array with its own field. */
static bool taco__tortilla_compile_join_column(taco__tortilla_writer *w, taco_array *const *batches,
                                               size_t count, size_t i, const taco_field *field,
                                               taco_array *out)
{
    taco_field *f = (taco_field *)taco__arena_alloc(&w->arena, sizeof *f, w->err);
    taco__concat_slice *p =
        (taco__concat_slice *)taco__arena_array(&w->arena, count + 1, sizeof *p, w->err);
    size_t k;
    for (k = 0; p && k < count; k++) {
        p[k].a = &batches[k][i];
        p[k].n = batches[k][i].length;
    }
    return f && p && taco__field_copy(&w->arena, field, f, w->err) &&
           taco__concat_arrays(&w->arena, f, p, count, out, w->err);
}

/* Reads all batches into `list`, of taco_array * each, and joins them column by column. */
static bool taco__tortilla_compile_read_batches(taco__tortilla_writer *w, taco_cursor *c,
                                                taco__buf *list, taco_batch *out)
{
    size_t n, i;
    const taco_field *fields = taco_cursor_fields(c, &n);
    taco_array *columns =
        (taco_array *)taco__arena_array(&w->arena, n + 1, sizeof *columns, w->err);
    taco_batch b;
    while (columns && taco_cursor_batch(c, &b)) {
        taco_array *copy = taco__tortilla_compile_copy_batch(w, &b, fields);
        if (!copy || !taco__buf_append(list, &copy, sizeof copy, w->err)) { return false; }
        out->length += b.length;
    }
    for (i = 0; columns && i < n; i++) {
        if (!taco__tortilla_compile_join_column(w, (taco_array *const *)(const void *)list->data,
                                                list->len / sizeof(taco_array *), i, &fields[i],
                                                &columns[i])) {
            return false;
        }
    }
    out->columns = columns;
    out->column_count = n;
    out->first_row = -1;
    return columns != NULL;
}

TACO__FN bool taco__tortilla_compile_read_rows(taco__tortilla_writer *w, taco_cursor *c,
                                               taco_batch *out)
{
    taco__buf list;
    bool ok;
    memset(&list, 0, sizeof list);
    list.mem = &w->mem;
    memset(out, 0, sizeof *out);
    ok = taco__tortilla_compile_read_batches(w, c, &list, out);
    taco__buf_free(&list);
    return ok;
}

/* ---- the subset ---- */

/* The rows of the query, and where their bytes are. */
typedef struct taco__tortilla_subset {
    taco_dataset *ds;
    const taco_array *offset, *size, *source; /* source NULL: one file */
    const size_t *rows;                       /* in the order of writing */
    taco__hash_map numbers;                   /* numbers of sources, from 1 */
} taco__tortilla_subset;

/* The number of a row's file; 0 if out of memory. */
static uint64_t taco__tortilla_compile_number(taco__tortilla_subset *s, size_t at, taco_error *err)
{
    taco__hash_slot *slot;
    bool added;
    if (!s->source) { return 1; }
    slot = taco__hash_map_add(&s->numbers, taco_array_bytes(s->source, at), &added, err);
    if (slot && added) { slot->value = s->numbers.count; }
    return slot ? slot->value : 0;
}

/* taco__tortilla_payload_fn. */
static bool taco__tortilla_compile_payload(void *ctx, const taco__tortilla_node *node, size_t row,
                                           taco__input *in, taco_error *err)
{
    taco__tortilla_subset *s = (taco__tortilla_subset *)ctx;
    size_t at = s->rows[node->first_row + row];
    uint64_t offset = (uint64_t)taco_array_int(s->offset, at);
    uint64_t size = (uint64_t)taco_array_int(s->size, at);
    taco__file *f = &s->ds->stores[0].file;
    if (s->source) {
        f = taco__container_open_archive(&s->ds->stores[0], taco_array_bytes(s->source, at), err);
    }
    if (!f || !taco__file_check_range(f, offset, size, err)) { return false; }
    taco__input_from_range(in, &f->src, offset, size);
    in->archive = taco__tortilla_compile_number(s, at, err);
    return in->archive != 0;
}

TACO__FN int taco__tortilla_compile_compare(const void *ctx, const void *a, const void *b)
{
    int64_t x = ((const taco__tortilla_sort_key *)a)->key;
    int64_t y = ((const taco__tortilla_sort_key *)b)->key;
    (void)ctx;
    return (x > y) - (x < y);
}

/* The rows sorted by their offsets; NULL on failure. */
static const size_t *taco__tortilla_compile_sort_rows(taco__tortilla_writer *w,
                                                      const taco_array *offsets, size_t n)
{
    taco__tortilla_sort_key *places =
        (taco__tortilla_sort_key *)taco__arena_array(&w->arena, n + 1, sizeof *places, w->err);
    size_t *rows = (size_t *)taco__arena_array(&w->arena, n + 1, sizeof *rows, w->err);
    size_t i;
    if (!places || !rows) { return NULL; }
    for (i = 0; i < n; i++) {
        places[i].key = taco_array_int(offsets, i);
        places[i].row = i;
    }
    if (!taco__sort_in(&w->mem, places, n, sizeof *places, taco__tortilla_compile_compare, NULL,
                       w->err)) {
        return NULL;
    }
    for (i = 0; i < n; i++) {
        rows[i] = places[i].row;
    }
    return rows;
}

/* The name of a column in the file; NULL if it was made by a reader, like id and type. If the
   footer has columns of these names, the made ones are named internal:. */
static const char *taco__tortilla_compile_name(const taco_batch *all, const char *name)
{
    const taco_array *c = all->columns;
    size_t n = all->column_count;
    if (strcmp(name, "internal:file_format") == 0 &&
        !taco__tortilla_check_find(c, n, "tortilla:file_format")) {
        return "tortilla:file_format";
    }
    if (strncmp(name, "internal:", 9) == 0 || strcmp(name, "geometry") == 0 ||
        strcmp(name, "tortilla:offset") == 0 || strcmp(name, "tortilla:length") == 0 ||
        (strcmp(name, "id") == 0 && !taco__tortilla_check_find(c, n, "internal:id")) ||
        (strcmp(name, "type") == 0 && !taco__tortilla_check_find(c, n, "internal:type"))) {
        return NULL;
    }
    return name;
}

/* Takes rows of a column in a new order; p has room for all of them. */
static bool taco__tortilla_compile_take(taco__tortilla_writer *w, const taco_array *from,
                                        const size_t *rows, size_t n, const char *name,
                                        taco__concat_slice *p, taco_array *out)
{
    taco_field *f = (taco_field *)taco__arena_alloc(&w->arena, sizeof *f, w->err);
    size_t i;
    if (!f) { return false; }
    *f = *from->field;
    f->name = name;
    for (i = 0; i < n; i++) {
        p[i].a = from;
        p[i].first = rows[i];
        p[i].n = 1;
    }
    return taco__concat_arrays(&w->arena, f, p, n, out, w->err);
}

/* The node of all rows, sorted by offset. */
static bool taco__tortilla_compile_node(taco__tortilla_writer *w, const taco_batch *all,
                                        taco__tortilla_subset *s, taco__tortilla_node *node)
{
    size_t n = all->length, k;
    taco__concat_slice *p =
        (taco__concat_slice *)taco__arena_array(&w->arena, n + 1, sizeof *p, w->err);
    taco_array *columns =
        (taco_array *)taco__arena_array(&w->arena, all->column_count + 1, sizeof *columns, w->err);
    memset(node, 0, sizeof *node);
    node->sizes = (uint64_t *)taco__arena_array(&w->arena, n + 1, sizeof(uint64_t), w->err);
    s->rows = taco__tortilla_compile_sort_rows(w, s->offset, n);
    if (!s->rows || !p || !columns || !node->sizes) { return false; }
    for (k = 0; k < all->column_count; k++) {
        const char *name = taco__tortilla_compile_name(all, all->columns[k].field->name);
        if (name && !taco__tortilla_compile_take(w, &all->columns[k], s->rows, n, name, p,
                                                 &columns[node->column_count++])) {
            return false;
        }
    }
    node->columns = columns;
    node->rows = n;
    return true;
}

/* Writes the rows that pass a query. */
static bool taco__tortilla_compile_write(taco__tortilla_writer *w, taco_dataset *ds,
                                         const taco_batch *all, const char *path)
{
    const taco_array *c = all->columns;
    size_t n = all->column_count;
    taco__tortilla_subset s;
    taco__tortilla_node node;
    bool ok;
    memset(&s, 0, sizeof s);
    if (all->length == 0) {
        TACO__FAIL(w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no row is left to write");
        return false;
    }
    s.ds = ds;
    s.offset = taco__tortilla_check_find(c, n, "internal:offset");
    s.size = taco__tortilla_check_find(c, n, "internal:size");
    s.source = taco__tortilla_check_find(c, n, "internal:source_file");
    w->compiled = w->copies = true;
    w->payload = taco__tortilla_compile_payload;
    w->ctx = &s;
    s.numbers.mem = &w->mem;
    ok = s.offset && s.size && taco__tortilla_compile_node(w, all, &s, &node) &&
         taco__tortilla_write_measure(w, &node) &&
         taco__tortilla_write_file(w, path, &node, 1, taco__bytes_of(NULL, 0));
    taco__hash_map_free(&s.numbers);
    return ok;
}

TACO_API taco_status taco_tortilla_compile(taco_dataset *ds, const taco_query *q, const char *path,
                                           taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__tortilla_writer w;
    taco_batch all;
    taco_cursor *c;
    bool ok;
    taco__tortilla_write_init(&w, ds ? &ds->options : NULL, taco__error_fresh(err, &own));
    if (!ds || !path || ds->stores[0].format != taco_legacy_opener() ||
        (q && (q->select || q->flat))) {
        return TACO__FAIL(w.err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "a Tortilla or TACO 0.x, whole rows of it and a path are needed");
    }
    c = taco__tortilla_check_name(&w, path, false) ? taco_select(ds, q, w.err) : NULL;
    ok = c && taco__tortilla_compile_read_rows(&w, c, &all);
    if (c && taco_cursor_close(c, w.err) != TACO_OK) { ok = false; }
    ok = ok && taco__tortilla_compile_write(&w, ds, &all, path);
    return taco__tortilla_write_finish(&w, ok, path);
}
