/* operators.c - operators of a plan: scan, filter, group, project, limit

   The plan is the taco__executor filled by planner.c. taco__operator_next pulls the next batch of
   the result: rows come from the scans, through joins (hash_join.c) and WHERE
   (taco__operator_filter); groups (group_table.c, aggregates.c) and sorting (sort_operator.c) read
   all their input first, in taco__operator_begin. Vectors of a batch are in x->batch, which is
   emptied before the next one; stored rows are in x->hold[0]. */
#include "sql.h"
#include "../base/base.h"
#include "../dataset/dataset.h"

/* The error of a plan: that of its cursor. */
TACO__FN taco_error *taco__operator_err(taco__executor *x)
{
    return &x->c->err;
}

/* ---- scans and joins ---- */

/* Reads the next batch of a table's columns into cols; *n is 0 at the end. Columns are loaded as
   the plan needs them (taco__column_use): as vectors, as codes, or not at all if the array is
   passed through. */
TACO__FN bool taco__operator_scan(taco__executor *x, size_t t, taco__vec *cols, size_t *n)
{
    taco_batch batch;
    size_t i;
    *n = 0;
    /* no column is read of the first table: its rows were counted when it was opened */
    if (t == 0 && x->is_bare) {
        *n = (size_t)TACO__MIN(x->bare, (uint64_t)TACO__SQL_BATCH_ROWS);
        x->bare -= *n;
        return true;
    }
    if (!taco_cursor_batch(x->scans[t], &batch)) {
        if (x->scans[t]->err.code != TACO_OK) {
            *taco__operator_err(x) = x->scans[t]->err;
            return false;
        }
        return true;
    }
    for (i = 0; i < x->scan_count[t]; i++) {
        size_t place = x->scan_cols[t][i];
        size_t column = x->b.columns[place].column;
        const taco_array *a = &batch.columns[x->scan_from[t][i]];
        /* passed through: a vector that only refers to the array */
        if (x->use[place] == TACO__COLUMN_USE_PASS_THROUGH) {
            cols[place].type = &x->b.tables[t].types[column];
            cols[place].n = batch.length;
            cols[place].step = 1;
            cols[place].source = a;
            continue;
        }
        /* codes pay if the dictionary is not longer than the rows that use it */
        if (x->use[place] == TACO__COLUMN_USE_CODES && a->dictionary &&
            a->dictionary->length <= batch.length) {
            if (!taco__vec_arrow_load_codes(&x->batch, a, &x->b.tables[t].types[column],
                                            &cols[place], taco__operator_err(x))) {
                return false;
            }
            continue;
        }
        if (!taco__vec_arrow_load(&x->batch, a, &x->b.tables[t].types[column], &cols[place],
                                  taco__operator_err(x))) {
            return false;
        }
    }
    *n = batch.length;
    return true;
}

/* A batch of `count` columns and n rows to compute expressions over. */
TACO__FN void taco__operator_init_batch(taco__executor *x, taco__sql_batch *c,
                                        const taco__vec *cols, size_t count, size_t n)
{
    c->arena = &x->batch;
    c->err = taco__operator_err(x);
    c->cols = cols;
    c->count = count;
    c->n = n;
}

/* Keeps the rows of a batch that pass the conditions of WHERE tested at table t: those that need no
   other table (alone), or the rest. Each is tested on the rows that the previous ones left. */
TACO__FN bool taco__operator_test(taco__executor *x, size_t t, bool alone, taco__vec *cols,
                                  size_t *n)
{
    taco__sql_batch calc, part;
    size_t i, m;
    for (i = 0; *n && i < x->where_count; i++) {
        uint32_t *idx;
        if (x->where_at[i] != t || x->where_alone[i] != alone) { continue; }
        taco__operator_init_batch(x, &calc, cols, x->b.column_count, *n);
        idx = taco__evaluate_filter(&calc, x->where[i], &m);
        if (!idx) { return false; }
        if (m < *n) {
            if (!taco__evaluate_subset(&calc, idx, m, &part)) { return false; }
            memcpy(cols, part.cols, x->b.column_count * sizeof *cols);
            *n = m;
        }
    }
    return true;
}

/* A batch of joined rows that pass WHERE; *n is 0 with *end at the end, and without *end if no row
   of a batch passed. */
static bool taco__operator_filter(taco__executor *x, taco__vec **out, size_t *n, bool *end)
{
    taco_error *err = taco__operator_err(x);
    size_t t = taco__hash_join_waiting(x);
    taco__vec *cols =
        (taco__vec *)taco__arena_array(&x->batch, x->b.column_count + 1, sizeof *cols, err);
    if (!cols) { return false; }
    *n = 1; /* remaining rows of a join first */
    *end = false;
    if (!t && !x->scanned) {
        if (!taco__operator_scan(x, 0, cols, n)) { return false; }
        x->scanned = *n == 0;
        if (!taco__operator_test(x, 0, false, cols, n)) { return false; }
        t = x->scanned ? 0 : 1;
    }
    if (!t) { /* no rows of the first table are left */
        if (!taco__hash_join_left_over(x, &t, cols, n)) { return false; }
        *end = *n == 0;
        if (!taco__operator_test(x, t, false, cols, n)) { return false; }
        t++;
    }
    /* each table joins its rows to those of the tables before it */
    for (; *n && t < x->b.table_count; t++) {
        if (!taco__hash_join_run(x, t, &cols, n) || !taco__operator_test(x, t, false, cols, n)) {
            return false;
        }
    }
    *out = cols;
    return true;
}

/* ---- groups ---- */

/* Adds a batch, whose rows belong to group[i], to all aggregates. */
static bool taco__operator_aggregate(taco__executor *x, taco__sql_batch *calc,
                                     const uint32_t *group)
{
    size_t i, k;
    for (i = 0; i < x->b.aggr_count; i++) {
        taco__bind_aggregation *g = &x->b.aggrs[i];
        taco__vec v, f;
        uint8_t *keep = NULL;
        /* FILTER: the rows of the batch that this aggregate uses */
        if (g->filter) {
            keep = (uint8_t *)taco__arena_alloc(&x->batch, calc->n, calc->err);
            if (!keep || !taco__evaluate_expr(calc, g->filter, &f)) { return false; }
            for (k = 0; k < calc->n; k++) {
                keep[k] = taco__vec_is_valid(&f, k) && f.v.i[k * f.step];
            }
        }
        if (!taco__aggregate_reserve(&g->a, &x->hold[0], TACO__MAX(x->groups.count, (size_t)1),
                                     calc->err)) {
            return false;
        }
        if (g->arg) {
            if (!taco__evaluate_expr(calc, g->arg, &v)) { return false; }
        }
        if (!taco__aggregate_add(&g->a, &x->hold[0], g->arg ? &v : NULL, group, keep, calc->n,
                                 calc->err)) {
            return false;
        }
    }
    return true;
}

/* Reads the remaining rows into groups. */
TACO__FN bool taco__operator_group_rows(taco__executor *x)
{
    taco_error *err = taco__operator_err(x);
    size_t i, n;
    bool end = false;
    while (!end) {
        taco__vec *cols, *keys;
        uint32_t *group;
        taco__sql_batch calc;
        taco__arena_reset(&x->batch);
        if (!taco__operator_filter(x, &cols, &n, &end)) { return false; }
        if (!n) { continue; }
        taco__operator_init_batch(x, &calc, cols, x->b.column_count, n);
        keys = (taco__vec *)taco__arena_array(&x->batch, x->b.group_count + 1, sizeof *keys, err);
        group = (uint32_t *)taco__arena_array(&x->batch, n, sizeof *group, err);
        for (i = 0; keys && i < x->b.group_count; i++) {
            if (!taco__evaluate_expr(&calc, x->b.groups[i], &keys[i])) { return false; }
        }
        if (!keys || !group ||
            (x->b.group_count && !taco__group_table_number_rows(x, &x->groups, keys, n, group)) ||
            !taco__operator_aggregate(x, &calc, group)) {
            return false;
        }
    }
    return true;
}

/* Reads all rows into groups, and puts their keys and results in the columns of x->input. Without
   GROUP BY there is one group, even without rows. */
static bool taco__operator_group(taco__executor *x)
{
    taco_error *err = taco__operator_err(x);
    size_t i, n;
    if (!taco__group_table_init(x, &x->groups, x->b.groups, x->b.group_count) ||
        !taco__sql_tasks_group(x) || !taco__operator_group_rows(x)) {
        return false;
    }
    /* all rows have been read: keys and results become columns, which later operators read in
       slices */
    n = x->b.group_count ? x->groups.count : 1;
    x->input = (taco__vec *)taco__arena_array(&x->hold[0], x->b.group_count + x->b.aggr_count + 1,
                                              sizeof *x->input, err);
    for (i = 0; x->input && i < x->b.group_count; i++) {
        x->input[i] = x->groups.cols[i].v;
    }
    for (i = 0; x->input && i < x->b.aggr_count; i++) {
        taco__aggregate *a = &x->b.aggrs[i].a;
        if (!taco__aggregate_reserve(a, &x->hold[0], TACO__MAX(n, (size_t)1), err) ||
            !taco__aggregate_finish(a, &x->hold[0], n, &x->input[x->b.group_count + i], err)) {
            return false;
        }
        taco__buf_free(&a->groups);
    }
    x->input_n = n;
    return x->input != NULL;
}

/* The next rows of the first `count` columns of x->input; *n is 0 at their end. */
static bool taco__operator_slice(taco__executor *x, size_t count, taco__vec **out, size_t *n)
{
    size_t i;
    uint32_t *idx;
    *n = TACO__MIN(x->input_n - x->input_at, TACO__SQL_BATCH_ROWS);
    *out =
        (taco__vec *)taco__arena_array(&x->batch, count + 1, sizeof **out, taco__operator_err(x));
    idx = (uint32_t *)taco__arena_array(&x->batch, *n, sizeof *idx, taco__operator_err(x));
    if (!*out || !idx) { return false; }
    for (i = 0; i < *n; i++) {
        idx[i] = (uint32_t)(x->input_at + i);
    }
    for (i = 0; i < count; i++) {
        if (!taco__vec_take(&x->batch, &x->input[i], idx, *n, &(*out)[i], taco__operator_err(x))) {
            return false;
        }
    }
    x->input_at += *n;
    return true;
}

/* The next batch before the projection: rows that pass WHERE, or a slice of the groups that pass
   HAVING. */
static bool taco__operator_input(taco__executor *x, taco__sql_batch *calc, bool *end)
{
    taco__vec *cols;
    size_t n, m, count = x->b.group_count + x->b.aggr_count;
    uint32_t *idx;
    if (!x->grouped) {
        if (!taco__operator_filter(x, &cols, &n, end)) { return false; }
        taco__operator_init_batch(x, calc, cols, x->b.column_count, n);
        return true;
    }
    if (!taco__operator_slice(x, count, &cols, &n)) { return false; }
    *end = n == 0;
    taco__operator_init_batch(x, calc, cols, count, n);
    if (x->s.having && n) {
        idx = taco__evaluate_filter(calc, x->s.having, &m);
        return idx && (m == n || taco__evaluate_subset(calc, idx, m, calc));
    }
    return true;
}

/* ---- the result ---- */

/* The select items and sort keys of a batch. */
static bool taco__operator_project(taco__executor *x, taco__sql_batch *calc, taco__vec **out)
{
    taco__vec *v =
        (taco__vec *)taco__arena_array(&x->batch, x->width + 1, sizeof *v, taco__operator_err(x));
    size_t i;
    for (i = 0; v && i < x->width; i++) {
        if (!taco__evaluate_expr(calc, x->items[i], &v[i])) { return false; }
        if (v[i].n != calc->n) { v[i].n = calc->n; }
    }
    *out = v;
    return v != NULL;
}

/* Drops duplicate rows. A row is new if its number in the table of seen rows is the next one, since
   numbers are assigned in order of occurrence. */
TACO__FN bool taco__operator_distinct(taco__executor *x, taco__vec *v, size_t *n)
{
    uint32_t *id = (uint32_t *)taco__arena_array(&x->batch, *n, sizeof *id, taco__operator_err(x)),
             *idx;
    taco__vec *keys = (taco__vec *)taco__arena_array(&x->batch, x->distinct_count + 1, sizeof *keys,
                                                     taco__operator_err(x));
    size_t i, m = 0, before = x->seen.count;
    for (i = 0; keys && i < x->distinct_count; i++) {
        keys[i] = v[x->distinct_at[i]];
    }
    idx = (uint32_t *)taco__arena_array(&x->batch, *n, sizeof *idx, taco__operator_err(x));
    if (!id || !idx || !keys ||
        (!x->seen.cols && !taco__group_table_init(x, &x->seen, x->distinct, x->distinct_count)) ||
        !taco__group_table_number_rows(x, &x->seen, keys, *n, id)) {
        return false;
    }
    for (i = 0; i < *n; i++) {
        if (id[i] == before + m) { /* the first occurrence */
            idx[m++] = (uint32_t)i;
        }
    }
    for (i = 0; i < x->width; i++) {
        taco__vec part;
        if (!taco__vec_take(&x->batch, &v[i], idx, m, &part, taco__operator_err(x))) {
            return false;
        }
        v[i] = part;
    }
    *n = m;
    return true;
}

/* Projected rows after DISTINCT; DISTINCT ON is applied after sorting. *n may be 0 before the end.
   The batch arena is emptied first, which invalidates vectors of the previous batch. */
static bool taco__operator_rows(taco__executor *x, taco__vec **v, size_t *n, bool *end)
{
    taco__sql_batch calc;
    taco__arena_reset(&x->batch);
    if (!taco__unnest_waits(x)) {
        if (!taco__operator_input(x, &calc, end)) { return false; }
        *n = calc.n;
        if (!*n) { return true; }
    }
    if (x->b.unnest_count) {
        if (!taco__unnest_next(x, &calc)) { return false; }
        *n = calc.n;
        if (!*n) { return true; }
    }
    return taco__operator_project(x, &calc, v) &&
           (!x->s.distinct || (x->s.on && x->order_count) || taco__operator_distinct(x, *v, n));
}

/* Reads the remaining rows into the table of distinct rows. */
TACO__FN bool taco__operator_distinct_rows(taco__executor *x)
{
    bool end = false;
    while (!end) {
        taco__vec *v;
        size_t n;
        if (!taco__operator_rows(x, &v, &n, &end)) { return false; }
    }
    return true;
}

/* Stores the remaining rows, to be sorted. */
TACO__FN bool taco__operator_sort_rows(taco__executor *x)
{
    bool end = false;
    while (!end) {
        taco__vec *v;
        size_t n = 0;
        if (!taco__operator_rows(x, &v, &n, &end) || (n && !taco__sort_operator_add(x, v, n))) {
            return false;
        }
    }
    return true;
}

/* Runs everything that must read all its input before the first row: right sides of joins, groups,
   sorting. */
static bool taco__operator_begin(taco__executor *x)
{
    size_t t;
    x->begun = true;
    for (t = 1; t < x->b.table_count; t++) {
        if (!taco__hash_join_build(x, t)) { return false; }
    }
    if (x->grouped && !taco__operator_group(x)) { return false; }
    /* rows are sorted when all are there; from then on batches come from x->sequence */
    if (x->order_count) {
        x->kept_vecs = (taco__vec *)taco__arena_array(&x->c->arena, x->width + 1,
                                                      sizeof *x->kept_vecs, taco__operator_err(x));
        if (!x->kept_vecs || !taco__sort_operator_init_rows(x, &x->hold[0], &x->kept)) {
            return false;
        }
        taco__sort_operator_set_vectors(x);
        if (!taco__sql_tasks_sort(x) || !taco__operator_sort_rows(x)) { return false; }
        x->sorted = true;
        return taco__sort_operator_sort(x, x->kept_vecs[0].n);
    }
    return taco__sql_tasks_drop_duplicates(x);
}

/* Applies OFFSET and LIMIT to the rows of a batch. The batch may become empty before the end of the
   result. */
static bool taco__operator_limit(taco__executor *x, taco__vec *v, size_t *n)
{
    size_t skip = (size_t)TACO__MIN(x->skip, (uint64_t)*n), i;
    size_t take = (size_t)TACO__MIN((uint64_t)(*n - skip), x->left);
    uint32_t *idx;
    /* UINT64_MAX is no limit and stays so */
    x->skip -= skip;
    x->left -= x->left == UINT64_MAX ? 0 : take;
    if (take == *n) { return true; }
    idx = (uint32_t *)taco__arena_array(&x->batch, take, sizeof *idx, taco__operator_err(x));
    for (i = 0; idx && i < take; i++) {
        idx[i] = (uint32_t)(skip + i);
    }
    for (i = 0; idx && i < x->item_count; i++) {
        taco__vec part;
        if (!taco__vec_take(&x->batch, &v[i], idx, take, &part, taco__operator_err(x))) {
            return false;
        }
        v[i] = part;
    }
    *n = take;
    return idx != NULL;
}

/* The next rows before OFFSET and LIMIT: sorted ones, distinct ones that tasks have found, or those
   of the scan. */
static bool taco__operator_next_rows(taco__executor *x, taco__vec **v, size_t *n, bool *end)
{
    if (x->sorted) { return taco__sort_operator_next(x, v, n, end); }
    if (!x->grouped && x->input_at < x->input_n) {
        taco__arena_reset(&x->batch);
        return taco__operator_slice(x, x->item_count, v, n);
    }
    return taco__operator_rows(x, v, n, end);
}

/* The next batch of the result; false at the end and on failure. Vectors become arrays that are
   valid until the next call, passed-through columns are returned unchanged. */
static bool taco__operator_next_batch(taco__executor *x, taco_batch *out)
{
    taco_cursor *c = x->c;
    taco__vec *v = NULL;
    size_t i, n = 0;
    bool end = false;
    if (!x->left || (!x->begun && !taco__operator_begin(x))) { return false; }
    while (!end && !n) {
        if (!x->left) { return false; }
        if (!taco__operator_next_rows(x, &v, &n, &end) ||
            (n && x->sorted && x->s.on && !taco__operator_distinct(x, v, &n)) ||
            (n && !taco__operator_limit(x, v, &n))) {
            return false;
        }
    }
    for (i = 0; n && i < x->item_count; i++) {
        if (v[i].source) {
            c->batch.arrays[i] = *v[i].source;
            c->batch.arrays[i].field = &c->columns.fields[i];
            continue;
        }
        if (!taco__vec_flatten(&x->batch, &v[i], &c->err) ||
            !taco__vec_arrow_store(&x->batch, &v[i], &c->columns.fields[i], &c->batch.arrays[i],
                                   &c->err)) {
            return false;
        }
    }
    out->length = n;
    out->columns = c->batch.arrays;
    out->column_count = c->columns.count;
    out->first_row = -1;
    return n != 0;
}

/* The same; if memory ends before the first batch, without tasks, which need more of it. */
TACO__FN bool taco__operator_next(taco__executor *x, taco_batch *out)
{
    bool first = !x->begun;
    return taco__operator_next_batch(x, out) ||
           (first && taco__sql_tasks_restart(x) && taco__operator_next_batch(x, out));
}

/* Closes the scans and frees what the plan has allocated; the plan itself is in the cursor's
   arena. */
TACO__FN void taco__operator_close(taco__executor *x)
{
    size_t i;
    for (i = 0; i < TACO__SQL_MAX_TABLES; i++) {
        taco_cursor_close(x->scans[i], NULL);
    }
    for (i = 0; i < x->b.aggr_count; i++) {
        taco__buf_free(&x->b.aggrs[i].a.groups);
    }
    for (i = 0; i < TACO__SQL_MAX_TABLES; i++) {
        taco__arena_free(&x->joins[i].held);
    }
    taco__arena_free(&x->unnest.held);
    taco__arena_free(&x->batch);
    taco__arena_free(&x->hold[0]);
    taco__arena_free(&x->hold[1]);
    taco_view_free(x->view);
}
