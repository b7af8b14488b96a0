/* select.c - binds a query to a dataset: taco_select, also used by SQL to open its tables

   In: a query (query_parse.c), and taco__select_options for what a query cannot express. Out: a
   cursor that has read no output row yet, but everything needed to find them: the rows that filters
   on several levels leave, and the order of a sorted result. TACO 2.0 §7.2.2.

   taco__select_bind does the work: it checks the levels, chooses the columns, and lets
   table_reader.c bind the filters and open a reader for each container. With an order all columns
   are bound first, because any of them may be a key; output columns are selected after sorting. */
#include "cursor.h"
#include "../base/base.h"

/* ---- the levels of a query ---- */

static TACO__ONCE bool taco__select_fail(taco_cursor *c)
{
    return taco__container_fail(&c->ds->stores[0], NULL, &c->err);
}

/* Level 0 is not checked: every dataset has it, and counting the others may be expensive. */
static TACO__ONCE bool taco__select_check_levels(taco_cursor *c, const taco__query *q)
{
    size_t i;
    for (i = 0; i < q->filter_count; i++) {
        uint32_t level = q->filters[i].f.level;
        if (level && level >= taco_levels(c->ds)) {
            TACO__FAIL(&c->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "there is no level %u to filter, the deepest is %u", TACO__U(level),
                       TACO__U(taco_levels(c->ds) - 1));
            return taco__select_fail(c);
        }
    }
    if (q->table && q->table >= taco_levels(c->ds)) {
        TACO__FAIL(&c->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "there is no level %u, the deepest is %u", TACO__U(q->table),
                   TACO__U(taco_levels(c->ds) - 1));
        return taco__select_fail(c);
    }
    return true;
}

/* ---- columns ---- */

/* Chooses the columns to read. */
static TACO__ONCE bool taco__select_columns_to_read(taco_cursor *c, const taco__query *q,
                                                    bool hidden)
{
    taco__cursor_columns *x = &c->columns;
    if (!taco__cursor_column_add_all(c, c->query.level, hidden)) { return false; }
    if (q->order.given) {
        /* any column may be a key; the requested ones are selected later */
        x->count += x->hidden;
        x->hidden = 0;
    } else if (q->select.given && !taco__cursor_column_select(c, &q->select)) {
        return taco__select_fail(c);
    }
    c->batch.arrays =
        (taco_array *)taco__arena_array(&c->arena, x->count + 1, sizeof *c->batch.arrays, &c->err);
    return c->batch.arrays != NULL;
}

/* Keeps the columns in a list after all of them were bound; their indexes in the readers change
   accordingly. */
static TACO__ONCE bool taco__select_columns_after_sort(taco_cursor *c,
                                                       const taco__query_columns *list)
{
    taco__cursor_columns all = c->columns;
    size_t i, k;
    if (!taco__cursor_column_select(c, list)) { return false; }
    for (i = 0; i < c->reader_count; i++) {
        size_t *place =
            (size_t *)taco__arena_array(&c->arena, c->columns.count + 1, sizeof *place, &c->err);
        if (!place) { return false; }
        for (k = 0; k < c->columns.count; k++) {
            size_t at =
                taco__cursor_column_find_field(all.fields, all.count, c->columns.fields[k].name);
            place[k] = at != TACO__NONE ? c->readers[i].place[at] : TACO__NONE;
        }
        c->readers[i].place = place;
    }
    return true;
}

/* ---- readers ---- */

/* The texts of internal:source_path and internal:source_file: the container's name, without a '/'
   at the end, and its last component. */
static TACO__ONCE void taco__select_set_source(taco__table_reader *f)
{
    taco_bytes *path = &f->source_path;
    size_t k;
    *path = taco__bytes_text(f->store->vsi);
    while (path->len > 1 && path->data[path->len - 1] == '/') {
        path->len--;
    }
    k = taco__plat_dir_length((const char *)path->data, path->len);
    f->source_file = taco__bytes_of(path->data + k, path->len - k);
}

/* Restricts a reader to the row positions of the query, which count the rows of earlier containers,
   too. */
static void taco__select_clip_rows(taco_cursor *c, size_t reader, const taco__query *q)
{
    taco__table_reader *f = &c->readers[reader];
    uint64_t before = 0, from, to;
    size_t i;
    if (q->row_to == 0) { return; }
    for (i = 0; i < reader; i++) {
        before += c->readers[i].table->rows;
    }
    from = TACO__MIN(TACO__MAX(q->row_from, before) - before, f->table->rows);
    to = TACO__MIN(TACO__MAX(q->row_to, before) - before, f->table->rows);
    taco__scan_set_rows(&f->scan, from, to > from ? to - from : 0);
}

/* Binds the query to one container and opens its reader. */
static TACO__ONCE bool taco__select_open_reader(taco_cursor *c, size_t i, const taco__query *q,
                                                const taco__select_options *opt)
{
    taco__table_reader *f = &c->readers[i];
    taco__level *l = taco__container_level(&c->ds->stores[i], c->query.level, &c->err);
    if (!l) { return false; }
    f->store = &c->ds->stores[i];
    f->table = &l->table;
    taco__select_set_source(f);
    return taco__table_reader_bind(c, f, q->filters, q->filter_count, opt) &&
           (opt->plan_only || taco__table_reader_run_cascade(c, f)) &&
           taco__table_reader_open(c, f);
}

static TACO__ONCE bool taco__select_sort(taco_cursor *c, const taco__query *q,
                                         const taco__select_options *opt)
{
    if (!TACO__WITH_ORDER) {
        TACO__FAIL(&c->err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                   "order, left out by TACO_NO_ORDER");
        return false;
    }
    if (!taco__cursor_order_sort(c, q, opt) ||
        (q->select.given && !taco__select_columns_after_sort(c, &q->select))) {
        return taco__select_fail(c);
    }
    return true;
}

/* Does not keep q: its texts, and the trees that callers lend, are copied. */
static TACO__ONCE bool taco__select_bind(taco_cursor *c, const taco__query *q,
                                         const taco__select_options *opt)
{
    size_t i;
    if (!taco__select_check_levels(c, q)) { return false; }
    c->query.level = q->table;
    c->query.flat = q->flat;
    c->query.whole = q->flat && opt->whole;
    c->query.padding = q->padding;
    c->query.skip = q->offset;
    c->query.left = q->limit ? q->limit : UINT64_MAX;
    if (!taco__select_columns_to_read(c, q, opt->shows_hidden)) { return false; }
    for (i = 0; i < c->ds->container_count; i++) {
        if (!taco__select_open_reader(c, i, q, opt)) { return false; }
        taco__select_clip_rows(c, i, q);
    }
    return !q->order.given || opt->plan_only || opt->unsorted || taco__select_sort(c, q, opt);
}

/* ---- opening cursors ---- */

/* A cursor over the rows of a query; opt NULL: no options. NULL on failure. */
TACO__FN TACO__ONCE taco_cursor *taco__select_open(taco_dataset *ds, const taco__query *q,
                                                   const taco__select_options *opt, taco_error *err)
{
    taco__select_options none;
    taco_cursor *c = taco__cursor_alloc(ds, ds->container_count, err);
    memset(&none, 0, sizeof none);
    if (c && !taco__select_bind(c, q, opt ? opt : &none)) {
        taco_cursor_close(c, err);
        return NULL;
    }
    if (!c) { return NULL; }
    taco__log(&ds->options, TACO_LOG_DEBUG, "%s: query of level %u", ds->stores[0].name,
              TACO__U(c->query.level));
    return c;
}

TACO_API taco_cursor *taco_select(taco_dataset *ds, const taco_query *query, taco_error *err)
{
    taco_query all;
    taco__query q;
    taco__select_options none;
    taco_cursor *c;
    err = taco__error_fresh(err, NULL);
    memset(&all, 0, sizeof all);
    memset(&none, 0, sizeof none);
    if (!ds) {
        TACO__FAIL_SOFT(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no dataset given");
        return NULL;
    }
    c = taco__cursor_alloc(ds, ds->container_count, err);
    if (c && (!taco__query_parse(&c->arena, query ? query : &all, &q, &c->err) ||
              !taco__select_bind(c, &q, &none))) {
        taco_cursor_close(c, err);
        return NULL;
    }
    return c;
}

/* A cursor without rows, with every column of a level or flat view: for their names and types. opt:
   shows_hidden and whole, NULL for neither. The level must exist. */
TACO__FN TACO__ONCE taco_cursor *taco__select_columns(taco_dataset *ds, uint32_t level, bool flat,
                                                      const taco__select_options *opt,
                                                      taco_error *err)
{
    taco_cursor *c = taco__cursor_alloc(ds, 0, err);
    if (!c) { return NULL; }
    c->query.flat = flat;
    c->query.whole = flat && opt && opt->whole;
    c->query.level = level;
    if (!taco__cursor_column_add_all(c, level, opt && opt->shows_hidden)) {
        taco_cursor_close(c, err);
        return NULL;
    }
    return c;
}

/* The same for the view of a query. */
TACO__FN TACO__ONCE taco_cursor *taco__select_columns_only(taco_dataset *ds, const taco_query *q,
                                                           taco_error *err)
{
    if (q->table && q->table >= taco_levels(ds)) {
        /* fails, naming the existing levels */
        taco_cursor_close(taco_select(ds, q, err), err);
        return NULL;
    }
    return taco__select_columns(ds, q->table, q->flat, NULL, err);
}
