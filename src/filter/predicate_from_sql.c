/* predicate_from_sql.c - turns parsed expressions into predicates that scans can test

   In: a tree of taco__sql_expr, from a `where` or a condition in a SELECT, containing only what a
   scan can test: AND, OR, NOT, comparisons, IN, BETWEEN, LIKE, IS, columns and literals (the parser
   of `where` accepts nothing else; taco__pushdown_find_slot finds such conditions in a SELECT).
   Out: a tree of taco__expr, which taco__pred_bind binds to the columns of a table. It owns its
   names and texts. */
#include "filter.h"
#include "../base/base.h"

/* A node of that kind with the operands of e. */
static taco__expr *taco__pred_from_sql_children(const taco__pred_maker *m, taco__pred_kind kind,
                                                const taco__sql_expr *e)
{
    taco__expr *out = taco__expr_make(m->arena, kind, e->at, m->err);
    uint32_t i;
    for (i = 0; out && i < e->n; i++) {
        taco__expr *child = taco__pred_from_sql(m, e->kid[i]);
        if (!child) { return NULL; }
        taco__expr_append_child(out, child);
    }
    if (out) { out->neg = e->neg; }
    return out;
}

/* An untyped text, which takes the type of the other operand. */
static taco__expr *taco__pred_from_sql_text(const taco__pred_maker *m, const taco__sql_expr *e)
{
    taco__scalar v = e->value;
    taco__expr *out;
    if (v.b.data) { v.b.data = (uint8_t *)taco__arena_text(m->arena, v.b, m->err); }
    if (e->value.b.data && !v.b.data) { return NULL; }
    out = taco__expr_const(m->arena, v, m->err);
    if (out) {
        out->at = e->at;
        out->text = e->literal == 2;
    }
    return out;
}

/* DATE '...', CAST('...' AS TIMESTAMP): the text as a value of that type, to the microsecond. */
static taco__expr *taco__pred_from_sql_cast(const taco__pred_maker *m, const taco__sql_expr *e)
{
    const taco__sql_expr *text = e->kid[0];
    taco__scalar_type type = e->to.t;
    taco__scalar v;
    taco__expr *out;
    type.unit = TACO_MICRO;
    if (!taco__scalar_parse(m->arena, text->value.b, &type, &v, m->err)) {
        TACO__FAIL(m->err, TACO_ERR_SYNTAX, text->at, "%q is not a %s", &text->value.b,
                   taco__scalar_type_name(type.id));
        return NULL;
    }
    out = taco__expr_const(m->arena, v, m->err);
    if (out) { out->at = text->at; }
    return out;
}

/* A column by its name, which the caller may translate. */
static taco__expr *taco__pred_from_sql_column(const taco__pred_maker *m, const taco__sql_expr *e)
{
    const char *name = m->column ? m->column(m->ctx, e) : NULL;
    taco__expr *out =
        taco__expr_named(m->arena, m->column ? taco__bytes_text(name) : e->name, e->at, m->err);
    if (out) { out->source = m->source; }
    return out;
}

/* LIKE and its kin are calls of the operators ~~, ~~*, !~~ and !~~*. */
static taco__expr *taco__pred_from_sql_like(const taco__pred_maker *m, const taco__sql_expr *e)
{
    taco__expr *out = taco__pred_from_sql_children(m, TACO__PRED_LIKE, e);
    if (out) {
        out->neg = e->name.data[0] == '!';
        out->icase = e->name.data[e->name.len - 1] == '*';
    }
    return out;
}

/* Makes a predicate from an expression, whose column names become those of the table. NULL on
   failure: SYNTAX if a literal is not a value of its type, or MEMORY. */
TACO__FN taco__expr *taco__pred_from_sql(const taco__pred_maker *m, const taco__sql_expr *e)
{
    taco__expr *out;
    switch (e->kind) {
    case TACO__SQL_EXPR_CONST: return taco__pred_from_sql_text(m, e);
    case TACO__SQL_EXPR_COLUMN: return taco__pred_from_sql_column(m, e);
    case TACO__SQL_EXPR_CAST: return taco__pred_from_sql_cast(m, e);
    case TACO__SQL_EXPR_CALL: return taco__pred_from_sql_like(m, e);
    case TACO__SQL_EXPR_AND: return taco__pred_from_sql_children(m, TACO__PRED_AND, e);
    case TACO__SQL_EXPR_OR: return taco__pred_from_sql_children(m, TACO__PRED_OR, e);
    case TACO__SQL_EXPR_NOT: return taco__pred_from_sql_children(m, TACO__PRED_NOT, e);
    case TACO__SQL_EXPR_BETWEEN: return taco__pred_from_sql_children(m, TACO__PRED_BETWEEN, e);
    case TACO__SQL_EXPR_IN: return taco__pred_from_sql_children(m, TACO__PRED_IN, e);
    case TACO__SQL_EXPR_ISNULL: return taco__pred_from_sql_children(m, TACO__PRED_IS, e);
    case TACO__SQL_EXPR_ISBOOL:
        out = taco__pred_from_sql_children(m, TACO__PRED_IS, e);
        if (out) { out->is = (taco__is_op)e->op; }
        return out;
    case TACO__SQL_EXPR_CMP:
        out = taco__pred_from_sql_children(m, TACO__PRED_CMP, e);
        if (out) {
            out->op = (taco__compare_op)e->op;
            out->nullsafe = e->nullsafe;
        }
        return out;
    default:
        TACO__FAIL(m->err, TACO_ERR_STATE, e->at, "a scan cannot test this expression");
        return NULL;
    }
}
