/* evaluate.c - computes bound expressions over batches of vectors

   In: a bound tree and a batch. Out: a vector with a value for each row. Operands are computed for
   all rows, except in CASE, COALESCE, AND and OR: a branch, or a further condition that may fail,
   is computed only for the rows that need it, so that a cast that would fail elsewhere does no
   harm. Conditions are three-valued: a null is neither true nor false. Start at
   taco__evaluate_expr.

   Example: in CASE WHEN b <> 0 THEN a // b ELSE 0 END the condition is computed for all rows,
   a // b for those where it is true, and the results are put together in the rows' order. */
#include "sql.h"
#include "functions.h"
#include "../base/base.h"
#include "../filter/filter.h"

/* A constant: one value, step 0. */
static bool taco__evaluate_const(taco__sql_batch *c, const taco__sql_expr *e, taco__vec *out)
{
    if (!taco__vec_init(c->arena, &e->type, 1, out, c->err)) { return false; }
    switch (taco__sql_type_physical(&e->type)) {
    case TACO__PHYS_INT: out->v.i[0] = (int64_t)e->value.d.w[0]; break;
    case TACO__PHYS_BIG: out->v.d[0] = e->value.d; break;
    case TACO__PHYS_DBL: out->v.f[0] = e->value.f; break;
    case TACO__PHYS_STR: out->v.s[0] = e->value.b; break;
    default: break;
    }
    out->n = c->n;
    out->step = 0;
    return true;
}

/* The rows idx[0..n) of all columns, for a branch that few rows take. Columns that are only passed
   through are left out, since nothing uses them. */
TACO__FN bool taco__evaluate_subset(const taco__sql_batch *c, const uint32_t *idx, size_t n,
                                    taco__sql_batch *out)
{
    taco__vec *cols = (taco__vec *)taco__arena_array(c->arena, c->count + 1, sizeof *cols, c->err);
    size_t i;
    if (!cols) { return false; }
    for (i = 0; i < c->count; i++) {
        if (c->cols[i].type && !c->cols[i].source && /* nothing computes with such a column */
            !taco__vec_take(c->arena, &c->cols[i], idx, n, &cols[i], c->err)) {
            return false;
        }
    }
    *out = *c;
    out->cols = cols;
    out->n = n;
    return true;
}

static bool taco__evaluate_condition(taco__sql_batch *c, const taco__sql_expr *e, taco__vec *out);

/* CASE and COALESCE: a branch is computed only for the rows that take it, an argument only for rows
   that are null so far, so that no other row can fail. Results of branches are appended and
   gathered at the end. */
static bool taco__evaluate_branches(taco__sql_batch *c, const taco__sql_expr *e, taco__vec *out)
{
    uint32_t *left = (uint32_t *)taco__arena_array(c->arena, c->n, sizeof *left, c->err),
             *from = (uint32_t *)taco__arena_array(c->arena, c->n, sizeof *from, c->err);
    bool cases = e->kind == TACO__SQL_EXPR_CASE; /* when, then, ..., else */
    taco__vec_builder pile;
    uint32_t k;
    size_t i, m = c->n;
    if (!left || !from || !taco__vec_builder_init(c->arena, &e->type, &pile, c->err)) {
        return false;
    }
    /* left: rows without a result yet; from: where in the pile the result of each row is */
    for (i = 0; i < m; i++) {
        left[i] = (uint32_t)i;
        from[i] = TACO__VEC_NONE;
    }
    for (k = 0; m && k < e->n; k += cases ? 2 : 1) {
        bool last = cases && k + 1 == e->n;
        /* the rows that this branch takes, and which rows of `part` they are */
        uint32_t *take = (uint32_t *)taco__arena_array(c->arena, m, sizeof *take, c->err),
                 *at = (uint32_t *)taco__arena_array(c->arena, m, sizeof *at, c->err);
        size_t taken = 0, rest = 0;
        taco__sql_batch part = *c;
        taco__vec v;
        if (!take || !at || (m < c->n && !taco__evaluate_subset(c, left, m, &part)) ||
            (!last && !(cases ? taco__evaluate_condition(&part, e->kid[k], &v)
                              : taco__evaluate_expr(&part, e->kid[k], &v)))) {
            return false;
        }
        for (i = 0; i < m; i++) {
            if (last || (taco__vec_is_valid(&v, i) && (!cases || v.v.i[i * v.step]))) {
                at[taken] = (uint32_t)i;
                take[taken++] = left[i];
            } else {
                left[rest++] = left[i];
            }
        }
        m = rest;
        if (!taken) { continue; }
        part = *c;
        /* for COALESCE the value itself is the condition */
        if (cases && ((taken < c->n && !taco__evaluate_subset(c, take, taken, &part)) ||
                      !taco__evaluate_expr(&part, e->kid[last ? k : k + 1], &v))) {
            return false;
        }
        for (i = 0; i < taken; i++) {
            from[take[i]] = (uint32_t)(pile.v.n + i);
        }
        if (!taco__vec_builder_append(c->arena, &pile, &v, cases ? NULL : at, taken, c->err)) {
            return false;
        }
    }
    return taco__vec_take(c->arena, &pile.v, from, c->n, out, c->err);
}

/* Whether a three-way order satisfies the operator. */
static bool taco__evaluate_order_matches(int op, int order)
{
    switch (op) {
    case TACO__OP_EQ: return order == 0;
    case TACO__OP_NE: return order != 0;
    case TACO__OP_LT: return order < 0;
    case TACO__OP_LE: return order <= 0;
    case TACO__OP_GT: return order > 0;
    default: return order >= 0;
    }
}

/* out[i] = a[i] op b[i] for non-null values; values of nulls are compared, too, but ignored.
   Integers, dates and BOOLEANs have a loop for each operator, which compilers vectorise. */
static void taco__evaluate_compare_rows(const taco__vec *a, const taco__vec *b, int op,
                                        int64_t *out, size_t n)
{
    size_t i;
#define TACO__CALC_LOOP(op)                                                                        \
    for (i = 0; i < n; i++) {                                                                      \
        out[i] = a->v.i[i * a->step] op b->v.i[i * b->step];                                       \
    }                                                                                              \
    return
    if (taco__sql_type_physical(a->type) == TACO__PHYS_INT) {
        switch (op) {
        case TACO__OP_EQ: TACO__CALC_LOOP(==);
        case TACO__OP_NE: TACO__CALC_LOOP(!=);
        case TACO__OP_LT: TACO__CALC_LOOP(<);
        case TACO__OP_LE: TACO__CALC_LOOP(<=);
        case TACO__OP_GT: TACO__CALC_LOOP(>);
        default: TACO__CALC_LOOP(>=);
        }
    }
#undef TACO__CALC_LOOP
    for (i = 0; i < n; i++) {
        out[i] = taco__vec_is_valid(a, i) && taco__vec_is_valid(b, i) &&
                 taco__evaluate_order_matches(op, taco__vec_compare(a, i, b, i));
    }
}

/* a op b for each row. Null if a side is null; with nullsafe (IS NOT DISTINCT FROM) null equals
   null. */
static bool taco__evaluate_comparison(taco__sql_batch *c, const taco__vec *a, const taco__vec *b,
                                      int op, bool nullsafe, taco__vec *out)
{
    static const taco__sql_type bit = {
        {TACO_BOOL, TACO_SECOND, false, 0, 0}, false, 0, NULL, NULL, false};
    size_t i;
    bool nulls = a->valid || b->valid;
    if (!taco__vec_init(c->arena, &bit, c->n, out, c->err) ||
        (nulls && !nullsafe && !taco__vec_init_validity(c->arena, out, c->err))) {
        return false;
    }
    taco__evaluate_compare_rows(a, b, op, out->v.i, c->n);
    for (i = 0; nulls && i < c->n; i++) {
        bool x = taco__vec_is_valid(a, i), y = taco__vec_is_valid(b, i);
        if (!nullsafe) {
            out->valid[i] = x && y;
        } else if (!x || !y) {
            out->v.i[i] = (op == TACO__OP_EQ) == (x == y);
        }
    }
    return true;
}

/* The three-valued AND (any = false) or OR of out and v, into out, which is flat and has a mask.
   Row i of v is row idx[i] of out, NULL for the same. A deciding operand (false for AND, true for
   OR) wins over null, which wins over the other value: NULL AND false is false, NULL AND true is
   null. */
static void taco__evaluate_merge_and_or(taco__vec *out, const taco__vec *v, const uint32_t *idx,
                                        bool any)
{
    size_t i;
    for (i = 0; i < v->n; i++) {
        size_t k = idx ? idx[i] : i;
        bool ok = taco__vec_is_valid(v, i), x = ok && v->v.i[i * v->step];
        bool was_ok = out->valid[k], was = was_ok && out->v.i[k];
        if ((was_ok && was == any) || (ok && x == any)) {
            out->v.i[k] = any;
            out->valid[k] = 1;
        } else if (!ok || !was_ok) {
            out->valid[k] = 0;
        }
    }
}

/* A flat BOOLEAN vector of one value, with a validity mask, to be merged into. */
static bool taco__evaluate_init_flags(taco__sql_batch *c, const taco__sql_expr *e, bool value,
                                      taco__vec *out)
{
    size_t i;
    if (!taco__vec_init(c->arena, &e->type, c->n, out, c->err) ||
        !taco__vec_init_validity(c->arena, out, c->err)) {
        return false;
    }
    for (i = 0; i < c->n; i++) {
        out->v.i[i] = value;
    }
    return true;
}

/* Whether computing a tree can fail for some value, as casts and most functions can. Otherwise it
   is computed for all rows of a batch, which costs less than selecting rows. */
static bool taco__evaluate_may_fail(const taco__sql_expr *e)
{
    uint32_t k;
    const taco__sql_type *from = e->n ? &e->kid[0]->type : NULL;
    if (e->kind == TACO__SQL_EXPR_CAST && !e->tries && e->to.t.id != TACO_TEXT &&
        !(e->to.t.id == TACO_DOUBLE && taco__sql_type_is_number(from))) {
        return true;
    }
    if (e->kind == TACO__SQL_EXPR_CALL && e->func != TACO__FUNC_LENGTH &&
        e->func != TACO__FUNC_STRLEN && e->func != TACO__FUNC_STARTS &&
        e->func != TACO__FUNC_ENDS && e->func != TACO__FUNC_CONTAINS &&
        !(e->func == TACO__FUNC_LIKE && e->plan)) {
        return true;
    }
    for (k = 0; k < e->n; k++) {
        if (taco__evaluate_may_fail(e->kid[k])) { return true; }
    }
    return false;
}

/* The rows that an AND (any = false) or OR has not decided yet, in idx; returns how many. tested:
   only rows that become true matter, so that a null decides an AND like false. */
static size_t taco__evaluate_undecided(const taco__vec *v, bool any, bool tested, uint32_t *idx)
{
    size_t i, m = 0;
    for (i = 0; i < v->n; i++) {
        bool decided = v->valid[i] ? (v->v.i[i] != 0) == any : tested && !any;
        if (!decided) { idx[m++] = (uint32_t)i; }
    }
    return m;
}

/* AND and OR of any number of conditions. One that may fail is computed only for the rows that
   those before it have not decided: in n LIKE '1%' AND CAST(n AS INTEGER) > 9 no other n is cast.
   tested: as in taco__evaluate_condition. */
static bool taco__evaluate_and_or(taco__sql_batch *c, const taco__sql_expr *e, bool tested,
                                  taco__vec *out)
{
    bool any = e->kind == TACO__SQL_EXPR_OR;
    uint32_t k, *idx = NULL;
    size_t m;
    if (!taco__evaluate_init_flags(c, e, !any, out)) { return false; }
    for (k = 0; k < e->n; k++) {
        taco__sql_batch part = *c;
        taco__vec v;
        m = c->n;
        if (k && taco__evaluate_may_fail(e->kid[k])) {
            idx =
                idx ? idx : (uint32_t *)taco__arena_array(c->arena, c->n + 1, sizeof *idx, c->err);
            if (!idx) { return false; }
            m = taco__evaluate_undecided(out, any, tested, idx);
            if (!m) { continue; }
            if (m < c->n && !taco__evaluate_subset(c, idx, m, &part)) { return false; }
        }
        if (!(tested ? taco__evaluate_condition(&part, e->kid[k], &v)
                     : taco__evaluate_expr(&part, e->kid[k], &v))) {
            return false;
        }
        v.n = m;
        taco__evaluate_merge_and_or(out, &v, m < c->n ? idx : NULL, any);
    }
    return true;
}

/* A condition of which only the true rows matter, as in WHERE and CASE: false and null need not be
   distinguished. */
static bool taco__evaluate_condition(taco__sql_batch *c, const taco__sql_expr *e, taco__vec *out)
{
    return e->kind == TACO__SQL_EXPR_AND || e->kind == TACO__SQL_EXPR_OR
               ? taco__evaluate_and_or(c, e, true, out)
               : taco__evaluate_expr(c, e, out);
}

/* value IN (...) as a chain of = joined by OR, value BETWEEN low AND high as >= AND <=, with their
   three values: 1 IN (2, NULL) is null. */
static bool taco__evaluate_in_or_between(taco__sql_batch *c, const taco__sql_expr *e,
                                         taco__vec *out)
{
    bool in = e->kind == TACO__SQL_EXPR_IN;
    uint32_t k;
    size_t i;
    taco__vec value, other, one;
    if (!taco__evaluate_init_flags(c, e, !in, out) || !taco__evaluate_expr(c, e->kid[0], &value)) {
        return false;
    }
    for (k = 1; k < e->n; k++) {
        if (!taco__evaluate_expr(c, e->kid[k], &other) ||
            !taco__evaluate_comparison(c, &value, &other,
                                       in       ? TACO__OP_EQ
                                       : k == 1 ? TACO__OP_GE
                                                : TACO__OP_LE,
                                       false, &one)) {
            return false;
        }
        one.n = c->n;
        taco__evaluate_merge_and_or(out, &one, NULL, in);
    }
    for (i = 0; e->neg && i < c->n; i++) {
        out->v.i[i] = !out->v.i[i];
    }
    return true;
}

/* IS [NOT] NULL, and NOT, which are both one pass over the operand. */
static bool taco__evaluate_is_null(taco__sql_batch *c, const taco__sql_expr *e, taco__vec *out)
{
    taco__vec v;
    size_t i;
    if (!taco__evaluate_expr(c, e->kid[0], &v) ||
        !taco__vec_init(c->arena, &e->type, c->n, out, c->err)) {
        return false;
    }
    for (i = 0; i < c->n; i++) {
        bool null = v.type->t.id == TACO_NULL || !taco__vec_is_valid(&v, i);
        if (e->kind == TACO__SQL_EXPR_NOT) {
            out->v.i[i] = null ? 0 : !v.v.i[i * v.step];
            if (null) {
                if (!taco__vec_init_validity(c->arena, out, c->err)) { return false; }
                out->valid[i] = 0;
            }
        } else {
            out->v.i[i] = null != e->neg;
        }
    }
    return true;
}

/* A call: arguments first, then the function over the batch. A slice handles nulls itself: an
   omitted end is a NULL constant that makes no row null. */
static bool taco__evaluate_call(taco__sql_batch *c, const taco__sql_expr *e, taco__vec *out)
{
    taco__func_call x;
    taco__vec *args = (taco__vec *)taco__arena_array(c->arena, e->n + 1, sizeof *args, c->err);
    char name[32];
    uint32_t k;
    for (k = 0; args && k < e->n; k++) {
        if (!taco__evaluate_expr(c, e->kid[k], &args[k])) { return false; }
    }
    if (!args) { return false; }
    memset(&x, 0, sizeof x);
    memset(name, 0, sizeof name);
    memcpy(name, e->kind == TACO__SQL_EXPR_CALL ? (const char *)e->name.data : "[]",
           e->kind == TACO__SQL_EXPR_CALL ? TACO__MIN(e->name.len, sizeof name - 1) : 2);
    x.arena = c->arena;
    x.err = c->err;
    x.id = e->func;
    x.a = args;
    x.n = e->n;
    x.plan = e->plan;
    x.name = name;
    x.out = out;
    if (e->kind != TACO__SQL_EXPR_SLICE) { return taco__func_run(&x, &e->type, c->n); }
    for (k = 0; k < e->n; k++) { /* an open end is NULL and no null */
        if (!taco__vec_flatten(c->arena, &args[k], c->err)) { return false; }
    }
    if (!taco__vec_init(c->arena, &e->type, c->n, out, c->err)) { return false; }
    for (k = 0; k < e->n; k++) {
        size_t i;
        if (!args[k].valid || args[k].type->t.id == TACO_NULL) { continue; }
        if (!taco__vec_init_validity(c->arena, out, c->err)) { return false; }
        for (i = 0; i < c->n; i++) {
            out->valid[i] = out->valid[i] && taco__vec_is_valid(&args[k], i);
        }
    }
    return taco__func_list_slice(&x);
}

/* A field of a struct: null if the struct or the field is. */
static bool taco__evaluate_field(taco__sql_batch *c, const taco__sql_expr *e, taco__vec *out)
{
    taco__vec v;
    size_t i;
    if (!taco__evaluate_expr(c, e->kid[0], &v) || !taco__vec_flatten(c->arena, &v, c->err)) {
        return false;
    }
    *out = v.kids[e->index];
    if (v.valid) {
        taco__vec copy = *out;
        copy.valid = NULL;
        if (!taco__vec_flatten(c->arena, &copy, c->err) ||
            !taco__vec_init_validity(c->arena, &copy, c->err)) {
            return false;
        }
        for (i = 0; i < c->n; i++) {
            copy.valid[i] = taco__vec_is_valid(&v, i) && taco__vec_is_valid(out, i);
        }
        *out = copy;
    }
    return true;
}

/* out = the tree's value for each row of the batch. It may share memory with the columns, and may
   be a constant (step 0). */
TACO__FN bool taco__evaluate_expr(taco__sql_batch *c, const taco__sql_expr *e, taco__vec *out)
{
    taco__vec a, b;
    switch (e->kind) {
    case TACO__SQL_EXPR_CONST: return taco__evaluate_const(c, e, out);
    case TACO__SQL_EXPR_REF: *out = c->cols[e->index]; return true;
    case TACO__SQL_EXPR_CALL:
        if (e->func == TACO__FUNC_COALESCE) {
            return taco__evaluate_branches(c, e, out);
        } /* fall through */
    case TACO__SQL_EXPR_INDEX:
    case TACO__SQL_EXPR_SLICE: return taco__evaluate_call(c, e, out);
    case TACO__SQL_EXPR_CASE: return taco__evaluate_branches(c, e, out);
    case TACO__SQL_EXPR_CAST:
        return taco__evaluate_expr(c, e->kid[0], &a) &&
               taco__cast_vector(c->arena, &a, &e->type, e->tries, out, c->err);
    case TACO__SQL_EXPR_AND:
    case TACO__SQL_EXPR_OR: return taco__evaluate_and_or(c, e, false, out);
    case TACO__SQL_EXPR_NOT:
    case TACO__SQL_EXPR_ISNULL: return taco__evaluate_is_null(c, e, out);
    case TACO__SQL_EXPR_CMP:
        return taco__evaluate_expr(c, e->kid[0], &a) && taco__evaluate_expr(c, e->kid[1], &b) &&
               taco__evaluate_comparison(c, &a, &b, e->op, e->nullsafe, out);
    case TACO__SQL_EXPR_BETWEEN:
    case TACO__SQL_EXPR_IN: return taco__evaluate_in_or_between(c, e, out);
    case TACO__SQL_EXPR_FIELD: return taco__evaluate_field(c, e, out);
    case TACO__SQL_EXPR_VALUE: return taco__subquery_value(c, e, out);
    case TACO__SQL_EXPR_MEMBER: return taco__subquery_contains(c, e, out);
    default: return false;
    }
}

/* The rows for which a condition is true, ascending, and their number in *n. NULL on failure. */
TACO__FN uint32_t *taco__evaluate_filter(taco__sql_batch *c, const taco__sql_expr *e, size_t *n)
{
    uint32_t *idx = (uint32_t *)taco__arena_array(c->arena, c->n, sizeof *idx, c->err);
    taco__vec v;
    size_t i, m = 0;
    if (!idx || !taco__evaluate_condition(c, e, &v)) { return NULL; }
    for (i = 0; i < c->n; i++) {
        if (taco__vec_is_valid(&v, i) && v.v.i[i * v.step]) { idx[m++] = (uint32_t)i; }
    }
    *n = m;
    return idx;
}
