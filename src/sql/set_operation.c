/* set_operation.c - UNION, INTERSECT, EXCEPT of two queries, and rows of VALUES

   A set is a taco__executor whose two scans are its operands; its batches are made here and not by
   operators.c. UNION ALL passes on the batches of one operand and then of the other. The others
   number rows with a group table, with one number for equal rows: UNION passes the first row with a
   number; INTERSECT and EXCEPT number the right side first and count the rows with each number.

   Columns get the types that CASE would give them; their names are those of the left side. Start at
   taco__set_operation_plan; taco__set_operation_next returns rows.

   Example: of (VALUES (1), (1), (2)) EXCEPT ALL (VALUES (1)) the right side has one row of number
   0. The rows of the left side get the numbers 0, 0, 1: the first 0 is matched, so the second 0 and
   the 1 remain. Without ALL only the 1 remains, because number 0 is on the right side. */
#include "sql.h"
#include "functions.h"
#include "../base/base.h"
#include "../dataset/dataset.h"

/* ---- columns ---- */

/* The types of an operand's columns. */
static taco__sql_type *taco__set_operation_types(taco__executor *x, const taco_cursor *c)
{
    taco__sql_type *t = (taco__sql_type *)taco__arena_array(&x->c->arena, c->columns.count + 1,
                                                            sizeof *t, taco__operator_err(x));
    size_t i;
    for (i = 0; t && i < c->columns.count; i++) {
        if (!taco__subquery_column_type(x, c, i, &t[i])) { return NULL; }
    }
    return t;
}

/* The index of the column of an operand with a name; TACO__NONE if there is none. */
static size_t taco__set_operation_find(const taco_cursor *c, const char *name)
{
    size_t i;
    for (i = 0; i < c->columns.count &&
                !taco__bind_name_is(taco__bytes_text(name), c->columns.fields[i].name);
         i++) {}
    return i < c->columns.count ? i : TACO__NONE;
}

/* Decides which columns of the operands are column i of the set: by position, or BY NAME, where
   those of the left side come first. Returns how many columns there are; 0 with an error. */
static size_t taco__set_operation_pair(taco__executor *x, taco__set_operation *o)
{
    const taco_cursor *a = x->scans[0], *b = x->scans[1];
    /* BY NAME there may be as many columns as both have */
    size_t i, n = a->columns.count, all = n + b->columns.count;
    for (i = 0; i < 2; i++) {
        o->from[i] = (size_t *)taco__arena_array(&x->c->arena, all + 1, sizeof *o->from[i],
                                                 taco__operator_err(x));
        if (!o->from[i]) { return 0; }
    }
    if (!x->s.by_name && n != b->columns.count) {
        TACO__FAIL(taco__operator_err(x), TACO_ERR_SYNTAX, x->s.set_at,
                   "the SELECTs have %u and %u columns, must be the same number", TACO__U(n),
                   TACO__U(b->columns.count));
        return 0;
    }
    for (i = 0; i < n; i++) {
        o->from[0][i] = i;
        o->from[1][i] = x->s.by_name ? taco__set_operation_find(b, a->columns.fields[i].name) : i;
    }
    for (i = 0; x->s.by_name && i < b->columns.count; i++) {
        if (taco__set_operation_find(a, b->columns.fields[i].name) == TACO__NONE) {
            o->from[0][n] = TACO__NONE;
            o->from[1][n++] = i;
        }
    }
    return n;
}

/* The nodes for the set's n columns, with their common types. */
static bool taco__set_operation_unify(taco__executor *x, taco__set_operation *o, size_t n)
{
    size_t i, side;
    x->items = (taco__sql_expr **)taco__arena_array(&x->c->arena, n + 1, sizeof *x->items,
                                                    taco__operator_err(x));
    for (i = 0; x->items && i < n; i++) {
        taco__sql_expr *e =
            (taco__sql_expr *)taco__arena_alloc(&x->c->arena, sizeof *e, taco__operator_err(x));
        taco__sql_expr other;
        if (!e) { return false; }
        memset(&other, 0, sizeof other);
        e->kind = other.kind = TACO__SQL_EXPR_REF;
        e->at = x->s.set_at;
        /* NULL and the left type, then that and the right one */
        for (side = 0; side < 2; side++) {
            taco__sql_type before = side ? e->type : taco__sql_type_simple(TACO_NULL);
            other.type = taco__sql_type_simple(TACO_NULL);
            if (o->from[side][i] != TACO__NONE) { other.type = o->types[side][o->from[side][i]]; }
            if (!taco__bind_type_either(&x->b, NULL, &before, &other, false, &e->type)) {
                return taco__bind_type_fail_mismatch(&x->b, e, &before, &other.type,
                                                     "no type for both");
            }
        }
        x->items[i] = e;
    }
    return x->items != NULL;
}

/* The fields and batches of the result; names are those of the first side that has the column. */
TACO__FN bool taco__set_operation_set_fields(taco__executor *x, const taco__set_operation *o,
                                             size_t n)
{
    taco_cursor *c = x->c;
    size_t i;
    x->item_count = x->width = n;
    c->columns.fields =
        (taco_field *)taco__arena_array(&c->arena, n + 1, sizeof *c->columns.fields, &c->err);
    c->batch.arrays =
        (taco_array *)taco__arena_array(&c->arena, n + 1, sizeof *c->batch.arrays, &c->err);
    x->open_types =
        (taco__sql_type *)taco__arena_array(&c->arena, n + 1, sizeof *x->open_types, &c->err);
    if (!c->columns.fields || !c->batch.arrays || !x->open_types) { return false; }
    for (i = 0; i < n; i++) {
        char digits[32];
        const char *name;
        memcpy(digits, "col", 4);
        digits[3 + taco__num_format_u64(digits + 3, i)] = 0;
        name = !o                            ? digits
               : o->from[0][i] != TACO__NONE ? x->scans[0]->columns.fields[o->from[0][i]].name
                                             : x->scans[1]->columns.fields[o->from[1][i]].name;
        /* operands are closed before the cursor's fields are gone */
        name = taco__arena_text(&c->arena, taco__bytes_text(name), &c->err);
        x->open_types[i] = x->items[i]->type;
        if (!name || !taco__bind_list_settle(&x->b, &x->open_types[i], &x->items[i]->type) ||
            !taco__sql_type_to_field(&c->arena, &x->items[i]->type, name, &c->columns.fields[i],
                                     &c->err)) {
            return false;
        }
    }
    c->columns.count = n;
    return true;
}

/* ---- batches ---- */

/* The next batch of an operand as vectors of the set's types; *n is 0 at its end. */
static bool taco__set_operation_scan(taco__executor *x, size_t side, taco__vec **out, size_t *n)
{
    taco__set_operation *o = x->set;
    taco_error *err = taco__operator_err(x);
    taco_batch batch;
    size_t i;
    taco__vec *v;
    taco__arena_reset(&x->batch);
    *n = 0;
    *out = v = (taco__vec *)taco__arena_array(&x->batch, x->width + 1, sizeof *v, err);
    if (!v || !taco_cursor_batch(x->scans[side], &batch)) {
        if (x->scans[side]->err.code != TACO_OK) { *err = x->scans[side]->err; }
        return err->code == TACO_OK;
    }
    *n = batch.length;
    for (i = 0; i < x->width; i++) {
        size_t from = o->from[side][i];
        const taco__sql_type *to = &x->items[i]->type;
        taco__vec raw;
        if (from == TACO__NONE || o->types[side][from].t.id == TACO_NULL) {
            if (!taco__vec_init_null(&x->batch, to, *n, &v[i], err)) { return false; }
        } else if (!taco__vec_arrow_load(&x->batch, &batch.columns[from], &o->types[side][from],
                                         &raw, err) ||
                   !taco__cast_vector(&x->batch, &raw, to, false, &v[i], err) ||
                   !taco__vec_flatten(&x->batch, &v[i], err)) {
            return false;
        }
    }
    return true;
}

/* Returns the rows of a batch. */
TACO__FN bool taco__set_operation_put(taco__executor *x, const taco__vec *v, size_t n,
                                      taco_batch *out)
{
    taco_cursor *c = x->c;
    size_t i;
    for (i = 0; i < x->width; i++) {
        if (!taco__vec_arrow_store(&x->batch, &v[i], &c->columns.fields[i], &c->batch.arrays[i],
                                   &c->err)) {
            return false;
        }
    }
    out->length = n;
    out->columns = c->batch.arrays;
    out->column_count = c->columns.count;
    out->first_row = -1;
    return true;
}

/* Numbers the rows of the right side, and counts those with each number. */
static bool taco__set_operation_read_right(taco__executor *x)
{
    taco__set_operation *o = x->set;
    taco_error *err = taco__operator_err(x);
    taco__buf counts;
    taco__vec *v;
    size_t i, n;
    bool ok = true;
    memset(&counts, 0, sizeof counts);
    counts.mem = x->c->mem;
    while (ok && (ok = taco__set_operation_scan(x, 1, &v, &n)) && n) {
        uint32_t *id = (uint32_t *)taco__arena_array(&x->batch, n, sizeof *id, err), zero = 0;
        ok = id && taco__group_table_number_rows(x, &x->seen, v, n, id);
        /* numbers that the batch brought start at no row */
        while (ok && counts.len / sizeof zero < x->seen.count) {
            ok = taco__buf_append(&counts, &zero, sizeof zero, err);
        }
        for (i = 0; ok && i < n; i++) {
            ((uint32_t *)(void *)counts.data)[id[i]]++;
        }
    }
    o->right_groups = x->seen.count;
    o->left_over =
        (uint32_t *)taco__arena_array(&x->hold[0], o->right_groups + 1, sizeof *o->left_over, err);
    ok = ok && o->left_over;
    if (ok && counts.len) { memcpy(o->left_over, counts.data, counts.len); }
    taco__buf_free(&counts);
    return ok;
}

/* Whether row number `id` is returned; fresh: no earlier row of the left side had the number. */
static bool taco__set_operation_keeps(taco__executor *x, uint32_t id, bool fresh)
{
    taco__set_operation *o = x->set;
    bool there = id < o->right_groups, matched = there && o->left_over[id];
    if (x->s.set == TACO__SQL_SET_UNION) { return fresh; }
    /* each row of the right side matches one of the left */
    if (matched && x->s.set_all) { o->left_over[id]--; }
    if (x->s.set_all) { return matched == (x->s.set == TACO__SQL_SET_INTERSECT); }
    if (x->s.set == TACO__SQL_SET_EXCEPT) { return !there && fresh; }
    /* INTERSECT: only the first row with its number */
    if (matched) { o->left_over[id] = 0; }
    return matched;
}

/* Keeps the rows of a batch that are returned. */
static bool taco__set_operation_filter(taco__executor *x, taco__vec *v, size_t *n)
{
    taco_error *err = taco__operator_err(x);
    uint32_t *id = (uint32_t *)taco__arena_array(&x->batch, *n, sizeof *id, err), *idx;
    size_t i, m = 0, known = x->seen.count;
    idx = (uint32_t *)taco__arena_array(&x->batch, *n, sizeof *idx, err);
    if (!id || !idx || !taco__group_table_number_rows(x, &x->seen, v, *n, id)) { return false; }
    for (i = 0; i < *n; i++) {
        /* numbers are assigned in order of occurrence */
        bool fresh = id[i] == known;
        known += fresh;
        if (taco__set_operation_keeps(x, id[i], fresh)) { idx[m++] = (uint32_t)i; }
    }
    for (i = 0; i < x->width; i++) {
        taco__vec part;
        if (!taco__vec_take(&x->batch, &v[i], idx, m, &part, err)) { return false; }
        v[i] = part;
    }
    *n = m;
    return true;
}

/* taco_cursor.next of a set. */
static bool taco__set_operation_next(taco_cursor *c, taco_batch *out)
{
    taco__executor *x = (taco__executor *)c->producer.state;
    taco__set_operation *o = x->set;
    bool all = x->s.set == TACO__SQL_SET_UNION && x->s.set_all;
    size_t sides = x->s.set == TACO__SQL_SET_UNION ? 2 : 1;
    if (!x->begun) {
        x->begun = true;
        /* INTERSECT and EXCEPT look at the whole right side first */
        if (!all && (!taco__group_table_init(x, &x->seen, x->items, x->width) ||
                     (sides == 1 && !taco__set_operation_read_right(x)))) {
            return false;
        }
    }
    while (o->side < sides) {
        taco__vec *v;
        size_t n;
        if (!taco__set_operation_scan(x, o->side, &v, &n)) { return false; }
        if (!n) {
            o->side++;
            continue;
        }
        if (!all && !taco__set_operation_filter(x, v, &n)) { return false; }
        if (n) { return taco__set_operation_put(x, v, n, out); }
    }
    return false;
}

/* ---- VALUES ---- */

/* taco_cursor.next of VALUES: one batch of all rows. */
static bool taco__set_operation_next_values(taco_cursor *c, taco_batch *out)
{
    taco__executor *x = (taco__executor *)c->producer.state;
    const taco__sql_expr *rows = x->s.items;
    taco__vec *v;
    uint32_t i;
    size_t k;
    if (x->begun) { return false; }
    x->begun = true;
    v = (taco__vec *)taco__arena_array(&x->hold[0], x->width + 1, sizeof *v, &c->err);
    for (k = 0; v && k < x->width; k++) {
        taco__vec_builder list;
        if (!taco__vec_builder_init(&x->hold[0], &x->items[k]->type, &list, &c->err)) {
            return false;
        }
        /* values are computed one by one, over one row without columns, and copied */
        for (i = 0; i < rows->n; i++) {
            taco__sql_batch one;
            taco__vec value;
            taco__arena_reset(&x->batch);
            taco__operator_init_batch(x, &one, NULL, 0, 1);
            if (!taco__evaluate_expr(&one, x->items[k]->kid[i], &value) ||
                !taco__vec_builder_append(&x->hold[0], &list, &value, NULL, 1, &c->err)) {
                return false;
            }
        }
        v[k] = list.v;
    }
    taco__arena_reset(&x->batch);
    return v && taco__set_operation_put(x, v, rows->n, out);
}

/* Binds the values of each column to one type: x->items has a node for each column, whose operands
   are its values. */
static bool taco__set_operation_plan_values(taco__executor *x)
{
    taco__sql_expr *rows = x->s.items;
    taco__arena *arena = &x->c->arena;
    taco_error *err = taco__operator_err(x);
    size_t k, n = rows->kid[0]->n;
    uint32_t i;
    x->items = (taco__sql_expr **)taco__arena_array(arena, n + 1, sizeof *x->items, err);
    for (k = 0; x->items && k < n; k++) {
        taco__sql_expr *column = (taco__sql_expr *)taco__arena_alloc(arena, sizeof *column, err);
        bool null = true;
        if (!column) { return false; }
        column->kid =
            (taco__sql_expr **)taco__arena_array(arena, rows->n, sizeof *column->kid, err);
        if (!column->kid) { return false; }
        column->n = rows->n;
        x->b.no_aggr = true;
        for (i = 0; i < rows->n; i++) {
            column->kid[i] = rows->kid[i]->kid[k];
            if (!taco__bind_expr(&x->b, &column->kid[i])) { return false; }
            null = null && column->kid[i]->type.t.id == TACO_NULL;
        }
        if (!taco__bind_type_unify(&x->b, column, 0, 1, false, false, &column->type)) {
            return false;
        }
        if (null) { column->type = taco__sql_type_simple(TACO_NULL); }
        x->items[k] = column;
    }
    x->c->producer.next = taco__set_operation_next_values;
    return x->items && taco__set_operation_set_fields(x, NULL, n);
}

/* ---- planning ---- */

/* Plans x->s, which is a set, as far as its columns: opens the operands. */
TACO__FN bool taco__set_operation_plan(taco__executor *x)
{
    taco__set_operation *o;
    size_t i, n;
    if (x->s.set == TACO__SQL_SET_VALUES) { return taco__set_operation_plan_values(x); }
    if (x->s.set == TACO__SQL_SET_RANGE) { return taco__range_table_plan(x); }
    o = (taco__set_operation *)taco__arena_alloc(&x->c->arena, sizeof *o, taco__operator_err(x));
    if (!o) { return false; }
    x->set = o;
    x->c->producer.next = taco__set_operation_next;
    for (i = 0; i < 2; i++) {
        x->scans[i] = taco__subquery_open(x, i ? x->s.right : x->s.left);
        o->types[i] = x->scans[i] ? taco__set_operation_types(x, x->scans[i]) : NULL;
        if (!o->types[i]) { return false; }
    }
    n = taco__set_operation_pair(x, o);
    return n && taco__set_operation_unify(x, o, n) && taco__set_operation_set_fields(x, o, n);
}
