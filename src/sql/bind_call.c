/* bind_call.c - binder of calls: the function, its arguments' types, its result

   Signatures are codes in the table of functions.c ("ti" takes a text and an integer). An
   aggregate is taken out of its expression: it is computed once a group, and the expression refers
   to its column, after those of the groups. Calls that are other syntax (IF, NULLIF) become CASE
   here. */
#include "sql.h"
#include "../base/base.h"
#include "../filter/filter.h"

/* ---- calls ---- */

/* Casts argument i to what the code of the function's signature asks (see taco__func), or fails
   where the type is another kind. */
static bool taco__bind_call_argument(taco__bind *b, taco__sql_expr *e, uint32_t i, char code)
{
    taco__sql_type want, *have = &e->kid[i]->type;
    bool null = have->t.id == TACO_NULL, ok;
    switch (code) {
    case 't':
        want = taco__sql_type_simple(TACO_TEXT);
        ok = have->t.id == TACO_TEXT;
        break;
    case 'i':
        want = taco__sql_type_simple(TACO_INT64);
        ok = taco__scalar_is_int(have->t.id) && have->t.id != TACO_UINT64;
        break;
    case 'd':
        want = taco__sql_type_simple(TACO_DOUBLE);
        ok = taco__sql_type_is_number(have);
        break;
    case 'w':
        want = null ? taco__sql_type_simple(TACO_TIMESTAMP) : *have;
        ok = taco__sql_type_is_datetime(have);
        break;
    case 'n':
        want = null ? taco__sql_type_simple(TACO_INT64) : *have;
        ok = taco__sql_type_is_number(have);
        break;
    case 'l':
        want = *have;
        ok = have->t.id == TACO_LIST;
        break;
    case 'B':
        want = taco__sql_type_simple(TACO_BINARY);
        ok = (have->t.id == TACO_BINARY && !have->geo) || e->kid[i]->literal == 2;
        break;
    case 'g':
        want = taco__sql_type_simple(TACO_BINARY);
        want.geo = true;
        ok = have->geo;
        break;
    default: return true;
    }
    if (!ok && !null) {
        char name[96];
        taco__sql_type_text(have, name, sizeof name);
        TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->kid[i]->at, "%q does not take a %s here", &e->name,
                   name);
        return false;
    }
    return taco__bind_type_add_cast(b, &e->kid[i], &want);
}

/* Looks the part of a date up ("month" of date_trunc), which must be constant, and keeps it as the
   plan of the call. */
static bool taco__bind_call_date(taco__bind *b, taco__sql_expr *e, const taco__func *f)
{
    int *part = (int *)taco__arena_alloc(b->arena, sizeof *part, b->err);
    taco_bytes name;
    if (!part) { return false; }
    if (f->part) {
        name = taco__bytes_text(f->part);
    } else if (e->kid[0]->kind == TACO__SQL_EXPR_CONST && e->kid[0]->value.type.id == TACO_TEXT) {
        name = e->kid[0]->value.b;
    } else {
        return taco__bind_fail(b, e, "the part of a date must be a text constant");
    }
    *part = taco__func_date_find_part(name);
    if (*part < 0 || (f->id != TACO__FUNC_PART && *part >= TACO__DATE_PART_ISOYEAR) ||
        (f->id == TACO__FUNC_DATE_DIFF &&
         (*part == TACO__DATE_PART_CENTURY || *part == TACO__DATE_PART_ISODOW))) {
        TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at, "no such part of a date here: %q", &name);
        return false;
    }
    e->plan = part;
    if (f->id == TACO__FUNC_PART) {
        e->type = taco__sql_type_simple(*part == TACO__DATE_PART_EPOCH ? TACO_DOUBLE : TACO_INT64);
    } else if (f->id == TACO__FUNC_TRUNC_DATE) {
        e->type = taco__sql_type_simple(TACO_TIMESTAMP);
        e->type.t.utc = e->kid[1]->type.t.utc;
    }
    return true;
}

/* A LIKE with a constant pattern is compiled once, as the plan of the call; others are compiled
   for each row. */
static bool taco__bind_call_like(taco__bind *b, taco__sql_expr *e)
{
    taco__like_pattern *k;
    if (e->kid[1]->kind != TACO__SQL_EXPR_CONST || e->n > 2 ||
        e->kid[1]->value.type.id != TACO_TEXT) {
        return true;
    }
    k = (taco__like_pattern *)taco__arena_alloc(b->arena, sizeof *k, b->err);
    if (!k) { return false; }
    k->icase = e->name.data[e->name.len - 1] == '*';
    e->plan = k;
    return taco__like_compile(k, b->arena, e->kid[1]->value.b, b->err);
}

/* Types of functions that their signature does not say: operands of one type, results that depend
   on them. Called after the arguments were cast by the signature. */
static bool taco__bind_call_special(taco__bind *b, taco__sql_expr *e, const taco__func *f)
{
    taco__sql_type text = taco__sql_type_simple(TACO_TEXT);
    uint32_t i;
    switch (f->id) {
    case TACO__FUNC_COALESCE:
    case TACO__FUNC_GREATEST:
    case TACO__FUNC_LEAST: return taco__bind_type_unify(b, e, 0, 1, false, false, &e->type);
    case TACO__FUNC_CONCAT_OP:
    case TACO__FUNC_CONCAT:
    case TACO__FUNC_CONCAT_WS:
        for (i = 0; i < e->n; i++) {
            if (taco__scalar_is_nested(e->kid[i]->type.t.id)) {
                return taco__bind_fail(b, e->kid[i], "lists are not put together here");
            }
            if (f->id == TACO__FUNC_CONCAT_OP && e->kid[i]->type.t.id == TACO_BINARY) {
                return taco__bind_fail(b, e->kid[i], "blobs are not put together here");
            }
            if (!taco__bind_type_add_cast(b, &e->kid[i], &text)) { return false; }
        }
        e->type = text;
        return true;
    case TACO__FUNC_ROUND:
    case TACO__FUNC_FLOOR:
    case TACO__FUNC_CEIL:
    case TACO__FUNC_TRUNC: return taco__bind_type_round(b, e);
    case TACO__FUNC_LENGTH:
        if (e->kid[0]->type.t.id != TACO_LIST && e->kid[0]->type.t.id != TACO_TEXT &&
            e->kid[0]->type.t.id != TACO_NULL) {
            return taco__bind_type_fail_mismatch(b, e, &e->kid[0]->type, &text,
                                                 "LENGTH takes lists and texts, not");
        }
        return e->kid[0]->type.t.id != TACO_NULL || taco__bind_type_add_cast(b, &e->kid[0], &text);
    case TACO__FUNC_ELEMENT:
        if (e->kid[0]->type.t.id == TACO_LIST) {
            e->type = e->kid[0]->type.kids[0];
            return true;
        }
        e->type = text;
        return e->kid[0]->type.t.id == TACO_TEXT ||
               taco__bind_type_fail_mismatch(b, e, &e->kid[0]->type, &text,
                                             "only lists and texts have elements, not");
    case TACO__FUNC_HAS:
        return e->kid[0]->type.t.id == TACO_LIST
                   ? taco__bind_type_add_cast(b, &e->kid[1], &e->kid[0]->type.kids[0])
                   : taco__bind_type_add_cast(b, &e->kid[0], &text);
    case TACO__FUNC_LIKE: return taco__bind_call_like(b, e);
    case TACO__FUNC_PART:
    case TACO__FUNC_TRUNC_DATE:
    case TACO__FUNC_DATE_DIFF: return taco__bind_call_date(b, e, f);
    default: return f->id > TACO__FUNC_MOD || taco__bind_type_arithmetic(b, e);
    }
}

/* Binds a call of a function of the table, whose arguments are bound: finds it, casts the
   arguments, sets the result's type. */
static bool taco__bind_call_scalar(taco__bind *b, taco__sql_expr *e)
{
    bool known;
    const taco__func *f = taco__func_find(e->name, e->n, &known);
    uint32_t i;
    size_t codes;
    if (!f) {
        if (known) {
            TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at, "%q does not take %u arguments", &e->name,
                       TACO__U(e->n));
        } else {
            TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at, "the function %q is not supported",
                       &e->name);
        }
        return false;
    }
    if (e->distinct || e->filter) {
        return taco__bind_fail(b, e, "DISTINCT and FILTER belong to aggregates");
    }
    e->func = f->id;
    /* the last code of the signature holds for all arguments that follow */
    codes = strlen(f->args);
    if (f->id == TACO__FUNC_NEG && e->kid[0]->type.t.id == TACO_NULL) {
        e->kid[0]->type = taco__sql_type_simple(TACO_NULL);
    }
    for (i = 0; i < e->n; i++) {
        if (!taco__bind_call_argument(b, e, i, f->args[TACO__MIN((size_t)i, codes - 1)])) {
            return false;
        }
    }
    /* ? is first the type of the first argument, which taco__bind_call_special replaces */
    switch (f->result) {
    case 't': e->type = taco__sql_type_simple(TACO_TEXT); break;
    case 'i': e->type = taco__sql_type_simple(TACO_INT64); break;
    case 'I': e->type = taco__sql_type_simple(TACO_INT32); break;
    case '1': e->type = taco__sql_type_simple(TACO_INT8); break;
    case 'd': e->type = taco__sql_type_simple(TACO_DOUBLE); break;
    case 'b': e->type = taco__sql_type_simple(TACO_BOOL); break;
    case 'D': e->type = taco__sql_type_simple(TACO_DATE); break;
    case 'g':
        e->type = taco__sql_type_simple(TACO_BINARY);
        e->type.geo = true;
        break;
    default: e->type = e->kid[0]->type; break;
    }
    return taco__bind_call_special(b, e, f);
}

/* The constant second argument of a quantile. */
static bool taco__bind_call_quantile(taco__bind *b, const taco__sql_expr *q, double *out)
{
    if (q->kind == TACO__SQL_EXPR_CONST && taco__scalar_is_number(q->value.type.id)) {
        *out = taco__scalar_to_double(&q->value, false);
        if (*out >= 0 && *out <= 1) { return true; }
    }
    return taco__bind_fail(b, q, "a quantile takes a constant between 0 and 1");
}

static bool taco__bind_call_is_quantile(uint8_t id)
{
    return id == TACO__AGGREGATE_CONT || id == TACO__AGGREGATE_DISC;
}

/* Binds the argument and FILTER of an aggregate, to columns of rows rather than of groups
   (b->inside), and casts them to types that aggregates take: a condition to BOOLEAN, NULL to
   INTEGER. */
static bool taco__bind_call_aggregate_operands(taco__bind *b, taco__sql_expr *e, uint8_t id)
{
    taco__sql_type bit = taco__sql_type_simple(TACO_BOOL), null = taco__sql_type_simple(TACO_INT32),
                   when = taco__sql_type_simple(TACO_TIMESTAMP);
    const taco__sql_type *t;
    b->inside = true;
    if ((e->n && !taco__bind_expr(b, &e->kid[0])) ||
        (e->filter && !taco__bind_expr(b, &e->filter))) {
        return false;
    }
    b->inside = false;
    if (e->filter && !taco__bind_type_add_cast(b, &e->filter, &bit)) { return false; }
    t = e->n ? &e->kid[0]->type : NULL;
    if (t && t->t.id == TACO_NULL) { return taco__bind_type_add_cast(b, &e->kid[0], &null); }
    /* DuckDB interpolates timestamps of microseconds only */
    return !(t && id == TACO__AGGREGATE_CONT && t->t.id == TACO_TIMESTAMP &&
             t->t.unit != TACO_MICRO) ||
           taco__bind_type_add_cast(b, &e->kid[0], &when);
}

/* The type of an aggregate's result, of that of its argument, which is bound. */
static bool taco__bind_call_aggregate_result(taco__bind *b, const taco__sql_expr *e, uint8_t id,
                                             taco__aggregate *a)
{
    taco__sql_type *kid;
    char name[96];
    if (id == TACO__AGGREGATE_LIST) {
        kid = (taco__sql_type *)taco__arena_alloc(b->arena, sizeof *kid, b->err);
        if (!kid) { return false; }
        *kid = a->arg;
        a->result = taco__sql_type_simple(TACO_LIST);
        a->result.count = 1;
        a->result.kids = kid;
        return true;
    }
    if (taco__aggregate_set_result_type(a)) { return true; }
    taco__sql_type_text(&a->arg, name, sizeof name);
    TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at, "%q does not take a %s", &e->name, name);
    return false;
}

/* A new aggregate, with that text, at the end of b->aggrs. */
static bool taco__bind_call_add_aggregate(taco__bind *b, taco__sql_expr *e, uint8_t id,
                                          taco_bytes text)
{
    taco__bind_aggregation *g;
    if (b->aggr_count == TACO__BIND_MAX_AGGREGATES) {
        return taco__bind_fail(b, e, "more than 256 aggregates");
    }
    if (!b->aggrs) {
        b->aggrs = (taco__bind_aggregation *)taco__arena_array(b->arena, TACO__BIND_MAX_AGGREGATES,
                                                               sizeof *b->aggrs, b->err);
    }
    if (!b->aggrs) { return false; }
    g = &b->aggrs[b->aggr_count];
    g->text = text;
    g->a.id = e->n ? id : (uint8_t)TACO__AGGREGATE_COUNT_STAR;
    g->a.q = 0.5;
    g->a.distinct = e->distinct;
    if (!taco__bind_call_aggregate_operands(b, e, id) ||
        (taco__bind_call_is_quantile(id) && !taco__bind_call_quantile(b, e->kid[1], &g->a.q))) {
        return false;
    }
    g->arg = e->n ? e->kid[0] : NULL;
    g->filter = e->filter;
    g->a.arg = e->n ? e->kid[0]->type : taco__sql_type_simple(TACO_DOUBLE);
    if (!taco__bind_call_aggregate_result(b, e, id, &g->a) ||
        (g->arg && !taco__bind_type_add_cast(b, &g->arg, &g->a.arg))) {
        return false;
    }
    b->aggr_count++;
    return true;
}

/* Makes e the column of an aggregate, after those of the groups. Equal aggregates, which have the
   same text, are computed once. */
static bool taco__bind_call_aggregate(taco__bind *b, taco__sql_expr *e, uint8_t id)
{
    taco_bytes text;
    size_t i;
    if (b->inside) { return taco__bind_fail(b, e, "an aggregate inside an aggregate"); }
    if (b->no_aggr) {
        return taco__bind_fail(b, e, "an aggregate has no place in WHERE, ON or GROUP BY");
    }
    if (e->n != (taco__bind_call_is_quantile(id) ? 2U : 1U) &&
        !(id == TACO__AGGREGATE_COUNT && e->n == 0)) {
        TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at, "%q does not take %u arguments", &e->name,
                   TACO__U(e->n));
        return false;
    }
    /* before it is bound: binding changes the text */
    if (!taco__sql_expr_text_copy(b, e, &text)) { return false; }
    for (i = 0; i < b->aggr_count && !taco__bytes_equal(b->aggrs[i].text, text); i++) {}
    if (i == b->aggr_count && !taco__bind_call_add_aggregate(b, e, id, text)) { return false; }
    e->kind = TACO__SQL_EXPR_REF;
    e->index = b->group_count + i;
    e->type = b->aggrs[i].a.result;
    e->n = 0;
    e->filter = NULL;
    return true;
}

/* nullif(a, c) becomes CASE WHEN a = c THEN NULL ELSE a END, so that a is compared in the common
   type and comes out in its own. a is copied: both places are bound on their own. */
static bool taco__bind_call_nullif(taco__bind *b, taco__sql_expr *e)
{
    taco__sql_expr *cmp = (taco__sql_expr *)taco__arena_alloc(b->arena, sizeof *cmp, b->err),
                   *null = (taco__sql_expr *)taco__arena_alloc(b->arena, sizeof *null, b->err),
                   *a = e->kid[0],
                   *again = taco__bind_count_nodes(b, a) ? taco__sql_expr_copy(b->arena, a, b->err)
                                                         : NULL;
    taco__sql_expr **kids = (taco__sql_expr **)taco__arena_array(b->arena, 3, sizeof *kids, b->err);
    if (!cmp || !null || !again || !kids) { return false; }
    cmp->kind = TACO__SQL_EXPR_CMP;
    cmp->at = e->at;
    cmp->n = 2;
    cmp->kid = e->kid;
    null->at = e->at;
    kids[0] = cmp;
    kids[1] = null;
    kids[2] = again;
    e->kind = TACO__SQL_EXPR_CASE;
    e->kid = kids;
    e->n = 3;
    return true;
}

/* Binds a call: an aggregate, syntax that has the form of a call, or a function. The result may be
   another kind of node, a CASE even one that is still to be bound. */
TACO__FN bool taco__bind_call(taco__bind *b, taco__sql_expr *e)
{
    uint8_t aggr = e->infix ? 0 : taco__aggregate_find(e->name);
    if (aggr) { return taco__bind_call_aggregate(b, e, aggr); }
    /* other spellings of a field and of CASE */
    if (taco__ascii_is_word(e->name, "struct_extract") && e->n == 2 && e->kid[1]->literal == 2) {
        return taco__bind_expr(b, &e->kid[0]) && taco__bind_struct_field(b, e, e->kid[1]->value.b);
    }
    if (!e->infix && taco__ascii_is_word(e->name, "if") && e->n == 3) {
        e->kind = TACO__SQL_EXPR_CASE;
        return true;
    }
    if (!e->infix && taco__ascii_is_word(e->name, "nullif") && e->n == 2) {
        return taco__bind_call_nullif(b, e);
    }
    return taco__bind_children(b, e) && taco__bind_call_scalar(b, e);
}
