/* expr.c - nodes of predicate trees: made, copied, joined, replaced

   Predicates come from text (predicate_parse.c), from conditions of a SELECT
   (predicate_from_sql.c), or from the constructors here. Nodes live in an arena and are never
   freed one by one. A node has one parent: a tree that is needed twice is copied, since binding
   changes it. */
#include "filter.h"
#include "../base/base.h"

/* ---- making nodes ---- */

/* A node without children; `at` is its position in the text. */
TACO__FN taco__expr *taco__expr_make(taco__arena *arena, taco__pred_kind kind, size_t at,
                                     taco_error *err)
{
    taco__expr *e = (taco__expr *)taco__arena_alloc(arena, sizeof *e, err);
    if (e) {
        e->kind = kind;
        e->at = at;
        e->depth = 1;
    }
    return e;
}

/* Appends a child. depth is kept, so that trees can be limited without walking them. */
TACO__FN void taco__expr_append_child(taco__expr *e, taco__expr *child)
{
    child->next = NULL;
    if (e->last) {
        e->last->next = child;
    } else {
        e->first = child;
    }
    e->last = child;
    e->depth = TACO__MAX(e->depth, child->depth + 1);
}

/* A copy of the bytes in the arena; {NULL, 0} for none. */
static taco_bytes taco__expr_copy_bytes(taco__arena *arena, taco_bytes b, taco_error *err)
{
    return b.data ? taco__bytes_of(taco__arena_text(arena, b, err), b.len) : b;
}

/* A copy of an unbound tree, including its names and texts: needed because binding changes a
   tree. */
TACO__FN taco__expr *taco__expr_copy(taco__arena *arena, const taco__expr *e, taco_error *err)
{
    const taco__expr *child;
    taco__expr *c = taco__expr_make(arena, e->kind, e->at, err);
    if (!c) { return NULL; }
    *c = *e;
    c->first = c->last = c->next = NULL;
    c->name = taco__expr_copy_bytes(arena, e->name, err);
    c->source = taco__expr_copy_bytes(arena, e->source, err);
    c->value.b = taco__expr_copy_bytes(arena, e->value.b, err);
    for (child = e->first; child; child = child->next) {
        taco__expr *copy = taco__expr_copy(arena, child, err);
        if (!copy) { return NULL; }
        taco__expr_append_child(c, copy);
    }
    return (e->name.data && !c->name.data) || (e->source.data && !c->source.data) ||
                   (e->value.b.data && !c->value.b.data)
               ? NULL
               : c;
}

/* e takes the place of src among its siblings. */
TACO__FN void taco__expr_replace(taco__expr *e, const taco__expr *src)
{
    taco__expr *next = e->next;
    *e = *src;
    e->next = next;
}

/* Folds e into a constant, in place. */
TACO__FN void taco__expr_replace_const(taco__expr *e, taco__scalar v)
{
    e->kind = TACO__PRED_CONST;
    e->value = v;
    e->type = v.type;
    e->text = false;
    e->first = e->last = NULL;
}

/* The constant TRUE for 1, FALSE for 0, NULL for -1. */
TACO__FN taco__scalar taco__expr_bool_value(int b) /* 1, 0, or -1 for NULL */
{
    return b < 0 ? taco__scalar_make_null() : taco__scalar_make_int(TACO_BOOL, b);
}

/* The public constructors, for conditions that do not come from text. They return NULL if there is
   no memory. */

/* The column with that index in the array the tree will be bound to. */
TACO__FN taco__expr *taco__expr_column(taco__arena *arena, size_t column, taco_error *err)
{
    taco__expr *e = taco__expr_make(arena, TACO__PRED_COLUMN, 0, err);
    if (e) { e->column = column; }
    return e;
}

/* The column with that name, which is copied, in the table the tree will be bound to. */
TACO__FN taco__expr *taco__expr_named(taco__arena *arena, taco_bytes name, size_t at,
                                      taco_error *err)
{
    taco__expr *e = taco__expr_make(arena, TACO__PRED_COLUMN, at, err);
    if (e) { e->name = taco__bytes_of(taco__arena_text(arena, name, err), name.len); }
    return e && e->name.data ? e : NULL;
}

/* A literal that keeps its type. */
TACO__FN taco__expr *taco__expr_const(taco__arena *arena, taco__scalar v, taco_error *err)
{
    taco__expr *e = taco__expr_make(arena, TACO__PRED_CONST, 0, err);
    if (e) {
        e->value = v;
        e->type = v.type;
    }
    return e;
}

/* a AND b, or a OR b. */
static taco__expr *taco__expr_join(taco__arena *arena, taco__pred_kind kind, taco__expr *a,
                                   taco__expr *b, taco_error *err)
{
    taco__expr *e = taco__expr_make(arena, kind, 0, err);
    if (e) {
        taco__expr_append_child(e, a);
        taco__expr_append_child(e, b);
    }
    return e;
}

/* a AND b; if one is NULL, the other. */
TACO__FN taco__expr *taco__expr_and(taco__arena *arena, taco__expr *a, taco__expr *b,
                                    taco_error *err)
{
    return a && b ? taco__expr_join(arena, TACO__PRED_AND, a, b, err) : a ? a : b;
}

/* a op b. */
TACO__FN taco__expr *taco__expr_compare(taco__arena *arena, taco__compare_op op, taco__expr *a,
                                        taco__expr *b, taco_error *err)
{
    taco__expr *e = a && b ? taco__expr_make(arena, TACO__PRED_CMP, 0, err) : NULL;
    if (e) {
        e->op = op;
        taco__expr_append_child(e, a);
        taco__expr_append_child(e, b);
    }
    return e;
}

/* column = text; the text is borrowed for as long as the expression lives. */
TACO__FN taco__expr *taco__expr_equals(taco__arena *arena, size_t column, taco_bytes text,
                                       taco_error *err)
{
    taco__expr *v = taco__expr_const(arena, taco__scalar_make_bytes(TACO_TEXT, text), err);
    if (v) { v->text = true; }
    return taco__expr_compare(arena, TACO__OP_EQ, taco__expr_column(arena, column, err), v, err);
}

/* lo <= column < hi, for any column whose values are integers of at most 64 bits: numbers, days, or
   its own time unit. */
TACO__FN taco__expr *taco__expr_range_i64(taco__arena *arena, size_t column, int64_t lo,
                                          bool has_lo, int64_t hi, bool has_hi, taco_error *err)
{
    taco__expr *e = taco__expr_make(arena, TACO__PRED_RANGE, 0, err);
    if (e) {
        e->column = column;
        e->lo = lo;
        e->hi = hi;
        e->has_lo = has_lo;
        e->has_hi = has_hi;
    }
    return e;
}

/* The caller's predicate on one column; *custom is copied. */
TACO__FN taco__expr *taco__expr_custom(taco__arena *arena, size_t column,
                                       const taco__custom_predicate *custom, taco_error *err)
{
    taco__expr *e = taco__expr_make(arena, TACO__PRED_CUSTOM, 0, err);
    if (e) {
        e->column = column;
        e->custom = *custom;
    }
    return e;
}

/* Sets the bits of all columns that a bound tree reads; other bits are unchanged. */
TACO__FN void taco__expr_mark_columns(const taco__expr *e, uint8_t *bitmap)
{
    const taco__expr *c;
    if (e->kind == TACO__PRED_COLUMN || e->kind == TACO__PRED_TEST ||
        e->kind == TACO__PRED_CUSTOM) {
        taco__bitmap_set(bitmap, e->column);
    }
    if (e->kind == TACO__PRED_CUSTOM && e->custom.eval_with) {
        taco__bitmap_set(bitmap, e->custom.with);
    }
    for (c = e->kind == TACO__PRED_TEST ? NULL : e->first; c; c = c->next) {
        taco__expr_mark_columns(c, bitmap);
    }
}
