/* bind_aggregate.c - binder of aggregates: constant arguments, rows of several values

   quantile_cont(x, 0.5), string_agg(x, ', ') and max(x, 3) have a constant after the value, which
   must not depend on the row. If an aggregate takes a second value, or has an ORDER BY, the values
   and keys of a row are combined in a struct, so that the rest of the query sees one column.

   Example: arg_max(id, w ORDER BY v DESC) has rows {id, w, v}, args 2 and sorts 1; list(id) has
   rows of id alone. */
#include "sql.h"
#include "functions.h"
#include "../base/base.h"
#include "../filter/filter.h"

/* The constant inside casts, as in 0.5::DOUBLE. */
static const taco__sql_expr *taco__bind_aggregate_bare(const taco__sql_expr *e)
{
    while (e->kind == TACO__SQL_EXPR_CAST && taco__sql_type_is_number(&e->to)) {
        e = e->kid[0];
    }
    return e;
}

/* Fails because the argument after the values is not a suitable constant. */
static TACO__COLD bool taco__bind_aggregate_fail(taco__bind *b, const taco__sql_expr *e,
                                                 const taco__sql_expr *c, const char *wanted)
{
    TACO__FAIL(b->err, TACO_ERR_SYNTAX, c->at, "%q takes %s as its last argument", &e->name,
               wanted);
    return false;
}

/* Reads a constant number between 0 and 1, for the quantile e. */
static bool taco__bind_aggregate_share(taco__bind *b, const taco__sql_expr *e,
                                       const taco__sql_expr *q, double *out)
{
    q = taco__bind_aggregate_bare(q);
    if (q->kind == TACO__SQL_EXPR_CONST && taco__scalar_is_number(q->value.type.id)) {
        *out = taco__scalar_to_double(&q->value, false);
        if (*out >= 0 && *out <= 1) { return true; }
    }
    return taco__bind_aggregate_fail(b, e, q, "a constant from 0 to 1, or a list of them,");
}

/* The constant argument of a quantile: a number, or a list of numbers. */
static bool taco__bind_aggregate_quantiles(taco__bind *b, const taco__sql_expr *e,
                                           const taco__sql_expr *q, taco__aggregate *a)
{
    double *qs;
    uint32_t k;
    if (q->kind != TACO__SQL_EXPR_CALL || !taco__ascii_is_word(q->name, "list_value")) {
        return taco__bind_aggregate_share(b, e, q, &a->q);
    }
    qs = (double *)taco__arena_array(b->arena, q->n + 1, sizeof *qs, b->err);
    for (k = 0; qs && k < q->n; k++) {
        if (!taco__bind_aggregate_share(b, e, q->kid[k], &qs[k])) { return false; }
    }
    a->qs = qs;
    a->q_n = q->n;
    return qs != NULL;
}

/* Reads the constants that follow the values, from operand `first` on. */
TACO__FN bool taco__bind_aggregate_options(taco__bind *b, const taco__sql_expr *e, uint32_t first,
                                           taco__aggregate *a)
{
    uint32_t last = e->n - e->sorts;
    const taco__sql_expr *c = first < last ? e->kid[first] : NULL;
    a->text = taco__bytes_text(",");
    if (a->id == TACO__AGGREGATE_CONT || a->id == TACO__AGGREGATE_DISC) {
        return taco__bind_aggregate_quantiles(b, e, c ? c : e, a);
    }
    if (!c) { return true; }
    c = taco__bind_aggregate_bare(c);
    if (a->id == TACO__AGGREGATE_STRING) {
        if (c->kind != TACO__SQL_EXPR_CONST || c->value.type.id != TACO_TEXT) {
            return taco__bind_aggregate_fail(b, e, c, "a text constant");
        }
        a->text = c->value.b;
        return true;
    }
    if (c->kind != TACO__SQL_EXPR_CONST || c->literal != 1 || (int64_t)c->value.d.w[0] < 1 ||
        (int64_t)c->value.d.w[0] >= 1000000) {
        return taco__bind_aggregate_fail(b, e, c, "a constant from 1 to 999999");
    }
    a->top = (size_t)c->value.d.w[0];
    a->id = a->id == TACO__AGGREGATE_MAX   ? (uint8_t)TACO__AGGREGATE_TOP
            : a->id == TACO__AGGREGATE_MIN ? (uint8_t)TACO__AGGREGATE_BOTTOM
                                           : a->id;
    return true;
}

/* The type of the result for a->arg, which may change to a type that the argument is cast to. False
   if the aggregate does not take it. */
TACO__FN bool taco__bind_aggregate_result(taco__bind *b, taco__aggregate *a)
{
    taco__sql_type many = taco__sql_type_simple(TACO_UINT64), t;
    if (a->arg.geo && a->id != TACO__AGGREGATE_COUNT && a->id != TACO__AGGREGATE_LIST &&
        a->id != TACO__AGGREGATE_FIRST && a->id != TACO__AGGREGATE_LAST &&
        a->id != TACO__AGGREGATE_ANY) {
        return false;
    }
    if (a->id == TACO__AGGREGATE_LIST) { return taco__bind_list_of(b, &a->arg, &a->result); }
    if (a->id == TACO__AGGREGATE_HISTOGRAM) {
        return taco__bind_list_map(b, &a->arg, &many, &a->result);
    }
    if (!taco__aggregate_set_result_type(a)) { return false; }
    t = a->result;
    return !(a->top || a->qs) || taco__bind_list_of(b, &t, &a->result);
}

/* Sets *arg to what a row of the aggregate is: its first operand, or a struct of all bound values
   and keys. Values of pairs get the type of the first one. */
TACO__FN bool taco__bind_aggregate_pack(taco__bind *b, taco__sql_expr *e, taco__aggregate *a,
                                        taco__sql_expr **arg)
{
    taco__sql_expr *pack;
    taco__sql_type *kids;
    uint32_t k, n = (uint32_t)a->args + a->sorts, last = e->n - e->sorts;
    if (!taco__bind_type_add_cast(b, &e->kid[0], &a->arg)) { return false; }
    *arg = e->kid[0];
    a->wide = n > 1;
    if (!a->wide) { return true; }
    pack = (taco__sql_expr *)taco__arena_alloc(b->arena, sizeof *pack, b->err);
    kids = (taco__sql_type *)taco__arena_array(b->arena, n, sizeof *kids, b->err);
    if (!pack || !kids) { return false; }
    pack->kind = TACO__SQL_EXPR_CALL;
    pack->func = TACO__FUNC_STRUCT_PACK;
    pack->name = taco__bytes_text("struct_pack");
    pack->at = e->at;
    pack->n = n;
    pack->kid = (taco__sql_expr **)taco__arena_array(b->arena, n, sizeof *pack->kid, b->err);
    for (k = 0; pack->kid && k < n; k++) {
        taco__sql_expr **at = &e->kid[k < a->args ? k : last + k - a->args];
        taco__sql_type t;
        if (!taco__bind_list_settle(b, &(*at)->type, &t)) { return false; }
        if (k == 1 && a->args > 1 && a->id >= TACO__AGGREGATE_CORR) {
            if (!taco__sql_type_is_number(&t)) {
                return taco__bind_call_fail_argument(b, e, k, "a number", &t);
            }
            t = a->arg;
        }
        if (t.geo || t.t.id == TACO_INTERVAL || (k && t.t.id == TACO_MAP)) {
            return taco__bind_fail(b, *at, "values of that type cannot be sorted");
        }
        if (!taco__bind_type_add_cast(b, at, &t)) { return false; }
        pack->kid[k] = *at;
        kids[k] = t;
    }
    if (!pack->kid) { return false; }
    pack->type = taco__sql_type_simple(TACO_STRUCT);
    pack->type.count = n;
    pack->type.kids = kids;
    a->row_type = pack->type;
    *arg = pack;
    return true;
}
