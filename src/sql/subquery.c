/* subquery.c - queries inside others: tables of FROM, and values in expressions

   A query in FROM is a cursor of its own, opened when its table is bound, whose batches are scanned
   like those of a level. A query in an expression is run when the expression is bound: its value,
   or the set that IN searches, becomes a constant in the tree. So it must not depend on the row: a
   name that only the outer query knows is reported as an error (taco__subquery_is_outer). Start at
   taco__subquery_open and taco__subquery_bind.

   Example: in SELECT id FROM data WHERE v > (SELECT avg(v) FROM data) the average is computed
   first, and WHERE compares with it. */
#include "sql.h"
#include "functions.h"
#include "../base/base.h"
#include "../arrow/arrow.h"
#include "../filter/filter.h"
#include "../dataset/dataset.h"

/* ---- cursors ---- */

/* The rows of a parsed query, for the plan `outer`; NULL on failure, with outer's error. `data` has
   the same meaning as in `outer`. */
TACO__FN taco_cursor *taco__subquery_open(taco__executor *outer, const taco__sql_select *s)
{
    taco_error *err = taco__operator_err(outer);
    taco_cursor *c = taco__cursor_alloc(outer->c->ds, 0, err);
    taco__executor *x = c ? taco__planner_new(c) : NULL;
    bool ok = x != NULL;
    if (ok) {
        x->s = *s;
        x->base = outer->base;
        x->plan_only = outer->plan_only;
        x->b.outer = &outer->b;
        ok = s->set != TACO__SQL_SET_NONE ? taco__set_operation_plan(x) : taco__planner_run(x);
        x->base = NULL;
        x->b.outer = NULL;
    }
    if (ok) { return c; }
    taco_cursor_close(c, err);
    return NULL;
}

/* The type of column i of an open query, with NULL where it is open. Its field would not do: Arrow
   has no HUGEINT. */
TACO__FN bool taco__subquery_column_type(taco__executor *x, const taco_cursor *c, size_t i,
                                         taco__sql_type *out)
{
    const taco__executor *of = (const taco__executor *)c->producer.state;
    return taco__sql_type_hand_on(&x->c->arena, &of->open_types[i], out, taco__operator_err(x));
}

/* A name for a column of a table in FROM that no earlier column has: a, a_1, a_2 as in DuckDB. */
static const char *taco__subquery_unique_name(taco__executor *x, const taco_field *before, size_t n,
                                              const char *name)
{
    taco_error *err = taco__operator_err(x);
    size_t i, len = strlen(name), k;
    char *text = (char *)taco__arena_alloc(&x->c->arena, len + 24, err);
    if (!text) { return NULL; }
    memcpy(text, name, len + 1);
    for (k = 1;; k++) {
        for (i = 0; i < n && !taco__bind_name_is(taco__bytes_text(text), before[i].name); i++) {}
        if (i == n) { return text; }
        text[len] = '_';
        text[len + 1 + taco__num_format_u64(text + len + 1, k)] = 0;
    }
}

/* Replaces the names of the fields by those in a list, from the first on. */
static bool taco__subquery_rename(taco__executor *x, const taco__sql_table_ref *f,
                                  const taco__sql_expr *names, taco_field *fields, size_t n)
{
    uint32_t i;
    if (names && names->n > n) {
        TACO__FAIL(taco__operator_err(x), TACO_ERR_SYNTAX, f->at,
                   "table %q has %u columns, %u names are given", &f->alias, TACO__U(n),
                   TACO__U(names->n));
        return false;
    }
    for (i = 0; names && i < names->n; i++) {
        fields[i].name = taco__arena_text(&x->c->arena, names->kid[i]->name, taco__operator_err(x));
        if (!fields[i].name) { return false; }
    }
    return true;
}

/* The fields of a table in FROM with the names it gives them: a copy of `from`. NULL on failure. */
TACO__FN taco_field *taco__subquery_fields(taco__executor *x, size_t t, const taco_field *from,
                                           size_t n)
{
    const taco__sql_table_ref *f = &x->s.from[t];
    taco_field *out =
        (taco_field *)taco__arena_array(&x->c->arena, n + 1, sizeof *out, taco__operator_err(x));
    size_t i;
    if (!out) { return NULL; }
    if (n) { memcpy(out, from, n * sizeof *out); }
    if (!taco__subquery_rename(x, f, f->with_columns, out, n) ||
        !taco__subquery_rename(x, f, f->columns, out, n)) {
        return NULL;
    }
    for (i = 0; i < n && f->query && !f->keeps_names; i++) {
        out[i].name = taco__subquery_unique_name(x, out, i, out[i].name);
        if (!out[i].name) { return NULL; }
    }
    return out;
}

/* ---- names of the outer query ---- */

/* Whether a name unknown to the query belongs to an enclosing one: a column, or a table before a
   dot. If so fails, since such a query does not have one value. */
TACO__FN bool taco__subquery_is_outer(taco__bind *b, const taco__sql_expr *e)
{
    taco__bind *o;
    size_t table, column;
    for (o = b->outer; o; o = o->outer) {
        bool known = taco__bind_find_column(o, e, &table, &column);
        for (table = 0; !known && !e->table.len && table < o->table_count; table++) {
            known = taco__bind_names_equal(e->name, o->tables[table].alias);
        }
        if (o->err->code != TACO_OK && o->err != b->err) {
            memset(o->err, 0, sizeof *o->err); /* ambiguous in that query */
            known = true;
        }
        if (known) {
            TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at,
                       "%q is of the outer query: correlated queries are not "
                       "supported, " TACO__SQL_USE_DUCKDB,
                       &e->name);
            return true;
        }
    }
    return false;
}

/* ---- values ---- */

/* Collects at most `most` rows of the first column of a query; *n is how many there are, most + 1
   for more. */
static bool taco__subquery_collect(taco__executor *x, taco_cursor *c, taco__vec_builder *out,
                                   const taco__sql_type *type, size_t most, size_t *n)
{
    taco_error *err = taco__operator_err(x);
    taco__arena scratch;
    taco_batch batch;
    bool ok = taco__vec_builder_init(&x->c->arena, type, out, err);
    memset(&scratch, 0, sizeof scratch);
    scratch.mem = x->c->mem;
    *n = 0;
    while (ok && *n <= most && taco_cursor_batch(c, &batch)) {
        taco__vec v;
        size_t take = TACO__MIN(batch.length, most - *n);
        ok = taco__vec_arrow_load(&scratch, &batch.columns[0], type, &v, err) &&
             taco__vec_builder_append(&x->c->arena, out, &v, NULL, take, err);
        *n += take < batch.length ? take + 1 : take;
        taco__arena_reset(&scratch);
    }
    taco__arena_free(&scratch);
    return ok;
}

/* Turns e into the value of a query: NULL of its type if it has no row. */
static bool taco__subquery_scalar(taco__executor *x, taco__sql_expr *e, taco_cursor *c)
{
    taco_error *err = taco__operator_err(x);
    taco__arena *arena = &x->c->arena;
    taco__vec_builder *values = (taco__vec_builder *)taco__arena_alloc(arena, sizeof *values, err);
    size_t n = 0;
    if (!values || (!x->plan_only && !taco__subquery_collect(x, c, values, &e->type, 1, &n))) {
        return false;
    }
    if (n > 1) {
        TACO__FAIL(err, TACO_ERR_SYNTAX, e->at, "a query as a value has more than one row");
        return false;
    }
    if (!n && !taco__vec_init_null(arena, &e->type, 1, &values->v, err)) { return false; }
    e->kind = TACO__SQL_EXPR_VALUE;
    e->plan = &values->v;
    return true;
}

/* Turns e into whether a query has rows. */
static bool taco__subquery_exists(taco__executor *x, taco__sql_expr *e, taco_cursor *c)
{
    taco_batch batch;
    bool any = !x->plan_only && taco_cursor_batch(c, &batch);
    e->kind = TACO__SQL_EXPR_CONST;
    e->value = taco__scalar_make_int(TACO_BOOL, any);
    e->type = taco__sql_type_simple(TACO_BOOL);
    return true;
}

/* Compares two rows of a set by value; it has no nulls. */
static int taco__subquery_compare(const void *ctx, const void *a, const void *b)
{
    const taco__vec *v = (const taco__vec *)ctx;
    return taco__vec_compare(v, *(const uint32_t *)a, v, *(const uint32_t *)b);
}

/* Turns e into whether its operand is among the values of a query: both are cast to one type, and
   the values are sorted. */
static bool taco__subquery_member(taco__bind *b, taco__sql_expr *e, taco_cursor *c)
{
    taco__executor *x = b->x;
    taco__arena *arena = &x->c->arena;
    taco__sql_expr values;
    taco__vec_builder list;
    taco__member_set *set = (taco__member_set *)taco__arena_alloc(arena, sizeof *set, b->err);
    size_t n = 0, i;
    memset(&values, 0, sizeof values);
    memset(&list, 0, sizeof list);
    values.kind = TACO__SQL_EXPR_REF;
    values.type = e->type;
    if (!set || !taco__bind_expr(b, &e->kid[0])) { return false; }
    set->type = e->type;
    if (!taco__bind_type_either(b, e->kid[0], &e->kid[0]->type, &values, true, &set->common) ||
        set->common.geo || set->common.t.id == TACO_MAP) {
        return taco__bind_type_fail_mismatch(b, e, &e->kid[0]->type, &values.type,
                                             "no comparison of");
    }
    if (set->common.t.id == TACO_NULL) { set->common = taco__sql_type_simple(TACO_INT32); }
    if (!taco__bind_type_add_cast(b, &e->kid[0], &set->common)) { return false; }
    if (x->plan_only ? !taco__vec_builder_init(arena, &set->type, &list, b->err)
                     : !taco__subquery_collect(x, c, &list, &set->type, UINT32_MAX - 1, &n)) {
        return false;
    }
    if (!taco__cast_vector(arena, &list.v, &set->common, false, &set->values, b->err) ||
        !taco__vec_flatten(arena, &set->values, b->err)) {
        return false;
    }
    set->rows = (uint32_t *)taco__arena_array(arena, n + 1, sizeof *set->rows, b->err);
    for (i = 0; set->rows && i < n; i++) {
        if (taco__vec_is_valid(&set->values, i)) { set->rows[set->count++] = (uint32_t)i; }
    }
    set->has_null = set->count < n;
    e->kind = TACO__SQL_EXPR_MEMBER;
    e->plan = set;
    e->type = taco__sql_type_simple(TACO_BOOL);
    return set->rows && taco__sort_in(x->c->mem, set->rows, set->count, sizeof *set->rows,
                                      taco__subquery_compare, &set->values, b->err);
}

/* Binds a query in an expression: runs it, and replaces e by the result. */
TACO__FN bool taco__subquery_bind(taco__bind *b, taco__sql_expr *e)
{
    taco__executor *x = b->x;
    const taco__sql_select *s =
        taco__sql_parse_again(&x->c->arena, (const taco__sql_nested_query *)e->plan,
                              x->c->ds->options.limits.max_depth, b->err);
    taco_cursor *c = s ? taco__subquery_open(x, s) : NULL;
    bool ok = c != NULL;
    x->has_subquery = true;
    if (ok && e->op != TACO__SQL_NESTED_EXISTS && c->columns.count != 1) {
        TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at, "a query as a value has one column, not %u",
                   TACO__U(c->columns.count));
        ok = false;
    }
    ok = ok && taco__subquery_column_type(x, c, 0, &e->type);
    ok = ok && (e->op == TACO__SQL_NESTED_EXISTS ? taco__subquery_exists(x, e, c)
                : e->op == TACO__SQL_NESTED_IN   ? taco__subquery_member(b, e, c)
                                                 : taco__subquery_scalar(x, e, c));
    return taco_cursor_close(c, b->err) == TACO_OK && ok;
}

/* ---- evaluation ---- */

/* A value that is the same in every row. */
TACO__FN bool taco__subquery_value(taco__sql_batch *c, const taco__sql_expr *e, taco__vec *out)
{
    const taco__vec *v = (const taco__vec *)e->plan;
    uint32_t *idx;
    taco__physical_type p = taco__sql_type_physical(&e->type);
    if (!taco__vec_is_valid(v, 0)) {
        return taco__vec_init_null(c->arena, &e->type, c->n, out, c->err);
    }
    if (p == TACO__PHYS_LIST || p == TACO__PHYS_STRUCT) {
        idx = (uint32_t *)taco__arena_array(c->arena, c->n + 1, sizeof *idx, c->err);
        return idx && taco__vec_take(c->arena, v, idx, c->n, out, c->err);
    }
    *out = *v;
    out->type = &e->type;
    out->valid = NULL;
    out->n = c->n;
    out->step = 0;
    return true;
}

/* Whether value i of v satisfies the comparison with one of the values of a set: with the least or
   the greatest, since they are sorted. */
static bool taco__subquery_meets(const taco__member_set *set, size_t op, const taco__vec *v,
                                 size_t i)
{
    const taco__vec *values = &set->values;
    size_t at = 0, last = set->count - 1;
    if (!set->count) { return false; }
    switch (op) {
    case TACO__OP_EQ:
        TACO__LOWER_BOUND(at, set->count, k, taco__vec_compare(values, set->rows[k], v, i) < 0);
        return at < set->count && taco__vec_compare(values, set->rows[at], v, i) == 0;
    case TACO__OP_NE:
        return taco__vec_compare(values, set->rows[0], v, i) != 0 ||
               taco__vec_compare(values, set->rows[last], v, i) != 0;
    case TACO__OP_LT: return taco__vec_compare(v, i, values, set->rows[last]) < 0;
    case TACO__OP_LE: return taco__vec_compare(v, i, values, set->rows[last]) <= 0;
    case TACO__OP_GT: return taco__vec_compare(v, i, values, set->rows[0]) > 0;
    default: return taco__vec_compare(v, i, values, set->rows[0]) >= 0;
    }
}

/* value [NOT] IN (query), or another comparison with any of its values: false for an empty set,
   null if the value is, or if none matches and one value is null. neg inverts the result. */
TACO__FN bool taco__subquery_contains(taco__sql_batch *c, const taco__sql_expr *e, taco__vec *out)
{
    const taco__member_set *set = (const taco__member_set *)e->plan;
    bool empty = !set->count && !set->has_null;
    taco__vec v;
    size_t i;
    if (!taco__evaluate_expr(c, e->kid[0], &v) ||
        !taco__vec_init(c->arena, &e->type, c->n, out, c->err) ||
        !taco__vec_init_validity(c->arena, out, c->err)) {
        return false;
    }
    for (i = 0; i < c->n; i++) {
        bool valid = taco__vec_is_valid(&v, i);
        bool found = valid && taco__subquery_meets(set, e->index, &v, i);
        out->v.i[i] = found != e->neg;
        out->valid[i] = found || (valid && !set->has_null) || empty;
    }
    return true;
}
