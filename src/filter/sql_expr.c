/* sql_expr.c - nodes of parsed expressions: the tree that filter/parser.c builds

   Nodes live in the parser's arena. A node's operands are an array, `kid`; its depth is kept, so
   that the depth of a tree is known without walking it. taco__sql_expr_add_child accepts NULL:
   parsers chain calls and check at the end. */
#include "filter.h"
#include "../base/base.h"

/* ---- nodes ---- */

/* A node without operands; `at` is where it begins in the text. NULL without memory. */
TACO__FN taco__sql_expr *taco__sql_expr_new(taco__parser *p, taco__sql_expr_kind kind, size_t at)
{
    taco__sql_expr *e = (taco__sql_expr *)taco__arena_alloc(p->arena, sizeof *e, p->err);
    if (e) {
        e->kind = kind;
        e->at = at;
        e->depth = 1;
    }
    return e;
}

/* Appends a kid; returns NULL if the kid or the node is NULL. */
TACO__FN taco__sql_expr *taco__sql_expr_add_child(taco__parser *p, taco__sql_expr *e,
                                                  taco__sql_expr *kid)
{
    if (!e || !kid) { return NULL; }
    if (e->n == e->cap) {
        uint32_t cap = e->cap ? e->cap * 2 : 2;
        taco__sql_expr **k = (taco__sql_expr **)taco__arena_array(p->arena, cap, sizeof *k, p->err);
        if (!k) { return NULL; }
        if (e->n) { memcpy(k, e->kid, e->n * sizeof *k); }
        e->kid = k;
        e->cap = cap;
    }
    if (!p->dialect->is_where && e->n >= TACO__SQL_MAX_ITEMS) {
        TACO__FAIL(p->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "a list of more than %u items",
                   TACO__U(TACO__SQL_MAX_ITEMS));
        return NULL;
    }
    e->kid[e->n++] = kid;
    e->depth = TACO__MAX(e->depth, kid->depth + 1);
    /* taco__parse_expr checks the depth of a `where` */
    return !p->dialect->is_where && e->depth > p->max_depth ? taco__parse_fail_depth(p) : e;
}

/* The call of an operator with one operand (b NULL) or two; NULL if an operand failed. */
TACO__FN taco__sql_expr *taco__sql_expr_new_call(taco__parser *p, const char *name, size_t at,
                                                 taco__sql_expr *a, taco__sql_expr *b)
{
    taco__sql_expr *e = taco__sql_expr_new(p, TACO__SQL_EXPR_CALL, at);
    if (e) {
        e->name = taco__bytes_text(name);
        e->infix = true;
        e = taco__sql_expr_add_child(p, e, a);
    }
    return b ? taco__sql_expr_add_child(p, e, b) : e;
}

/* A literal. Integers and texts without an explicit type take that of the other operand
   (`literal`). */
TACO__FN taco__sql_expr *taco__sql_expr_new_const(taco__parser *p, size_t at, taco__scalar v)
{
    taco__sql_expr *e = taco__sql_expr_new(p, TACO__SQL_EXPR_CONST, at);
    if (e) {
        e->value = v;
        e->literal = v.type.id == TACO_TEXT                               ? 2
                     : v.type.id == TACO_INT32 || v.type.id == TACO_INT64 ? 1
                                                                          : 0;
    }
    return e;
}

/* A deep copy of an unbound tree: needed because binding changes a tree. */
TACO__FN taco__sql_expr *taco__sql_expr_copy(taco__arena *arena, const taco__sql_expr *e,
                                             taco_error *err)
{
    taco__sql_expr *c = (taco__sql_expr *)taco__arena_alloc(arena, sizeof *c, err);
    uint32_t i;
    if (!c) { return NULL; }
    *c = *e;
    if (e->filter) {
        c->filter = taco__sql_expr_copy(arena, e->filter, err);
        if (!c->filter) { return NULL; }
    }
    if (e->n) {
        c->kid = (taco__sql_expr **)taco__arena_array(arena, e->n, sizeof *c->kid, err);
        c->cap = e->n;
        for (i = 0; c->kid && i < e->n; i++) {
            c->kid[i] = taco__sql_expr_copy(arena, e->kid[i], err);
            if (!c->kid[i]) { return NULL; }
        }
        return c->kid ? c : NULL;
    }
    return c;
}
