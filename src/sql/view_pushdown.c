/* view_pushdown.c - conditions, sort keys and limits of a layer moved into the query below

   A condition of a layer on columns that layers below only pass through is tested by the scans
   instead, with the same result. The same goes for an order and a limit, if the layers between only
   compute. Moved conditions are shown in plans (taco_plan.pushed_down) as text, which is never
   parsed. */
#include "sql.h"
#include "../base/base.h"
#include "../filter/filter.h"
#include "../dataset/dataset.h"

/* ---- pushing down through layers ---- */

/* Whether a condition on plain columns of a layer may be tested below it without changing the
   result. Not with LIMIT, nor for the single row of an aggregate without groups; rows of DISTINCT
   and of groups are kept or dropped as a whole, since the condition is on their keys. */
static bool taco__view_pushdown_is_allowed(const taco__view_layer *l)
{
    return !l->s->nested && l->s->from_count == 1 && !l->s->on &&
           taco__ascii_is_word(l->s->from[0].name, "data") && (!l->limits || l->unlimited) &&
           (l->keeps || l->s->groups || l->s->group_all || (l->s->distinct && !l->s->having));
}

/* Replaces the name of a column of a layer by that of the column below: SELECT v AS w passes v on
   as w. False if it is computed, if several items have the name, or if there is none; protected
   columns pass through every layer that keeps rows. */
static bool taco__view_pushdown_name_below(const taco__view_layer *l, taco_bytes *name)
{
    const taco__sql_expr *found = NULL;
    size_t i, k, hits = 0;
    for (i = 0; i < l->s->items->n; i++) {
        const taco__sql_expr *e = l->s->items->kid[i];
        if (e->kind == TACO__SQL_EXPR_STAR) {
            for (k = 0; k < e->n && !taco__bind_names_equal(e->kid[k]->name, *name); k++) {}
            hits += k == e->n;
        } else if (taco__bind_names_equal(e->alias.len ? e->alias : e->name, *name)) {
            found = e;
            hits++;
        }
    }
    if (hits != 1) { return !hits && l->keeps && taco__view_is_protected(*name); }
    if (found && found->kind != TACO__SQL_EXPR_COLUMN) { return false; }
    *name = found ? found->name : *name;
    return true;
}

/* The same down to the query, from above the first n layers. s: the SELECT that uses the name; if
   one of its own items has that name, it is not followed. */
static bool taco__view_pushdown_base_name(const taco__view_query *z, size_t n,
                                          const taco__sql_select *s, taco_bytes *name)
{
    size_t i;
    for (i = 0; i < s->items->n; i++) {
        if (s->items->kid[i]->alias.len && taco__bind_names_equal(s->items->kid[i]->alias, *name)) {
            return false;
        }
    }
    while (n && taco__view_pushdown_name_below(&z->layers[n - 1], name)) {
        n--;
    }
    return n == 0;
}

/* Replaces all columns of a condition by their names in the query; false if one of them is computed
   on the way. */
static bool taco__view_pushdown_rename(const taco__view_query *z, size_t n,
                                       const taco__sql_select *s, taco__sql_expr *e)
{
    uint32_t i;
    if (e->kind == TACO__SQL_EXPR_COLUMN) {
        e->table.len = 0; /* there is one table */
        return taco__view_pushdown_base_name(z, n, s, &e->name);
    }
    for (i = 0; i < e->n; i++) {
        if (!taco__view_pushdown_rename(z, n, s, e->kid[i])) { return false; }
    }
    return !e->filter;
}

/* ---- conditions as text, for plans ---- */

/* A literal as a `where` spells it. */
static bool taco__view_pushdown_text_value(taco__executor *x, taco__buf *out,
                                           const taco__sql_expr *e)
{
    taco_error *err = taco__operator_err(x);
    size_t at = out->len;
    if (e->kind == TACO__SQL_EXPR_CAST) {
        return taco__buf_append_text(out,
                                     e->to.t.id == TACO_DATE ? "DATE "
                                     : e->to.t.utc           ? "TIMESTAMPTZ "
                                                             : "TIMESTAMP ",
                                     err) &&
               taco__lex_append_quoted(out, e->kid[0]->value.b, '\'', err);
    }
    return taco__sql_expr_text_constant(&x->b, out, e) &&
           /* an exponent keeps a DOUBLE one */
           (e->value.type.id != TACO_DOUBLE || memchr(out->data + at, 'e', out->len - at) ||
            taco__buf_append_text(out, "e0", err));
}

/* Values from `from` on, with separators. */
static bool taco__view_pushdown_text_values(taco__executor *x, taco__buf *out,
                                            const taco__sql_expr *e, const char *between)
{
    uint32_t i;
    for (i = 1; i < e->n; i++) {
        if ((i > 1 && !taco__buf_append_text(out, between, taco__operator_err(x))) ||
            !taco__view_pushdown_text_value(x, out, e->kid[i])) {
            return false;
        }
    }
    return true;
}

/* The text between the column of a condition and its values. */
static const char *taco__view_pushdown_text_operator(const taco__sql_expr *e)
{
    static const char *const ops[] = {" = ", " <> ", " < ", " <= ", " > ", " >= "};
    switch (e->kind) {
    case TACO__SQL_EXPR_ISNULL: return e->neg ? " IS NOT NULL" : " IS NULL";
    case TACO__SQL_EXPR_CMP: return ops[e->op];
    case TACO__SQL_EXPR_CALL:
        if (e->name.data[0] == '!') {
            return e->name.data[e->name.len - 1] == '*' ? " NOT ILIKE " : " NOT LIKE ";
        }
        return e->name.data[e->name.len - 1] == '*' ? " ILIKE " : " LIKE ";
    case TACO__SQL_EXPR_IN: return e->neg ? " NOT IN (" : " IN (";
    default: return " BETWEEN ";
    }
}

/* A pushed-down condition in the syntax of taco_query.where. */
static bool taco__view_pushdown_text(taco__executor *x, taco__buf *out, const taco__sql_expr *e)
{
    taco_error *err = taco__operator_err(x);
    uint32_t i;
    bool ok = taco__buf_append_text(out, e->kind == TACO__SQL_EXPR_NOT ? "(NOT " : "(", err);
    if (e->kind == TACO__SQL_EXPR_NOT || e->kind == TACO__SQL_EXPR_AND ||
        e->kind == TACO__SQL_EXPR_OR) {
        for (i = 0; ok && i < e->n; i++) {
            ok = (!i || taco__buf_append_text(out, e->kind == TACO__SQL_EXPR_AND ? " AND " : " OR ",
                                              err)) &&
                 taco__view_pushdown_text(x, out, e->kid[i]);
        }
        return ok && taco__buf_append_text(out, ")", err);
    }
    return ok &&
           taco__lex_append_quoted(out, taco__bytes_text(taco__pushdown_column_name(x, e->kid[0])),
                                   '"', err) &&
           taco__buf_append_text(out, taco__view_pushdown_text_operator(e), err) &&
           taco__view_pushdown_text_values(x, out, e,
                                           e->kind == TACO__SQL_EXPR_BETWEEN ? " AND " : ", ") &&
           taco__buf_append_text(out, e->kind == TACO__SQL_EXPR_IN ? "))" : ")", err);
}

/* Records a condition for the text of the plan. */
static bool taco__view_pushdown_record(taco__view_query *z, taco__executor *x,
                                       const taco__sql_expr *e)
{
    taco__buf text;
    const char *where = NULL;
    if (z->pushed_down_count == z->pushed_down_cap) {
        size_t cap = z->pushed_down_cap ? z->pushed_down_cap * 2 : 8;
        const char **p = (const char **)taco__arena_array(&z->arena, cap, sizeof *p, z->err);
        if (!p) { return false; }
        if (z->pushed_down_count) { memcpy(p, z->pushed_down, z->pushed_down_count * sizeof *p); }
        z->pushed_down = p;
        z->pushed_down_cap = cap;
    }
    memset(&text, 0, sizeof text);
    text.mem = &z->ds->mem;
    if (taco__view_pushdown_text(x, &text, e)) {
        where = taco__arena_text(&z->arena, taco__bytes_of(text.data, text.len), z->err);
    }
    taco__buf_free(&text);
    z->pushed_down[z->pushed_down_count++] = where;
    return where != NULL;
}

/* ---- conditions and sort keys ---- */

/* Turns a condition of the topmost layer, with the names of the query, into one of its filters. */
static bool taco__view_pushdown_condition(taco__view_query *z, taco__executor *x,
                                          const taco__sql_expr *e, bool *pushed_down)
{
    taco__sql_expr *copy = taco__sql_expr_copy(&z->arena, e, z->err);
    taco__query_filter f;
    size_t slot;
    if (!copy || !taco__view_pushdown_rename(z, z->layer_count - 1, &x->s, copy)) {
        return copy != NULL;
    }
    slot = taco__pushdown_find_slot(x, copy);
    if (slot == TACO__NONE) { return x->c->err.code == TACO_OK; }
    memset(&f, 0, sizeof f);
    f.f.level = (uint32_t)(slot % TACO__MAX_LEVELS);
    f.where = taco__pushdown_predicate(x, &z->arena, copy);
    *pushed_down = f.where && taco__view_query_add_filter(z, &f) &&
                   (!z->plan_only || taco__view_pushdown_record(z, x, copy));
    return *pushed_down;
}

/* One sort key of the topmost layer as a column of the query; NULL if it is not one. */
static const char *taco__view_pushdown_sort_key(taco__view_query *z, taco__executor *x,
                                                const taco__sql_sort_key *o)
{
    taco__sql_expr e;
    size_t k, table, column;
    bool ok = true;
    if (!o->e || o->nulls_first || o->e->kind != TACO__SQL_EXPR_COLUMN) { return NULL; }
    e = *o->e;
    for (k = 0; k < x->s.items->n; k++) { /* a name may be what SELECT calls a column */
        const taco__sql_expr *item = x->s.items->kid[k];
        if (!o->e->table.len && item->alias.len &&
            taco__bind_names_equal(item->alias, o->e->name)) {
            e = *item;
        }
    }
    for (k = z->layer_count - 1; ok && k > 0; k--) {
        ok = taco__view_pushdown_name_below(&z->layers[k - 1], &e.name);
    }
    e.table.len = 0;
    if (!ok || e.kind != TACO__SQL_EXPR_COLUMN ||
        !taco__bind_find_column(&x->b, &e, &table, &column) || x->b.tables[0].types[column].geo) {
        return NULL;
    }
    return taco__arena_text(&z->arena, taco__bytes_text(x->b.tables[0].fields[column].name),
                            z->err);
}

/* Moves the sort keys of the topmost layer to the query; false if one of them is not one of its
   columns. */
static bool taco__view_pushdown_sort_order(taco__view_query *z, taco__executor *x)
{
    size_t i;
    taco__query_column *items =
        (taco__query_column *)taco__arena_array(&z->arena, x->s.order_count, sizeof *items, z->err);
    for (i = 0; items && i < x->s.order_count; i++) {
        items[i].name = taco__view_pushdown_sort_key(z, x, &x->s.order[i]);
        items[i].descending = x->s.order[i].desc;
        if (!items[i].name) { return false; }
    }
    if (!items) { return false; }
    memset(&z->q.order, 0, sizeof z->q.order);
    z->q.order.items = items;
    z->q.order.count = x->s.order_count;
    z->q.order.given = true;
    return true;
}

/* Whether a layer only computes: its rows are those below it, in the same order. */
static bool taco__view_pushdown_is_projection(const taco__view_layer *l)
{
    taco__sql_expr **list;
    size_t k, n = taco__view_layer_conjuncts(l->s, &list);
    for (k = 0; k < n && l->pushed_down && l->pushed_down[k]; k++) {}
    return l->keeps && k == n && (!l->s->order_count || l->unordered) &&
           (!l->limits || l->unlimited);
}

/* Moves conditions, order and limit of the topmost layer into the query, as far as the layers
   between let them: conditions through layers that pass the columns on, an order and then a limit
   only through those that do nothing but compute. An empty layer is dropped. */
TACO__FN bool taco__view_pushdown_run(taco__view_query *z, taco__executor *x)
{
    size_t top = z->layer_count - 1, i, k, n;
    taco__view_layer *l = &z->layers[top];
    taco__sql_select *s = l->s;
    taco__sql_expr **list;
    bool ok = true;
    n = taco__view_layer_conjuncts(&x->s, &list);
    l->pushed_down = (bool *)taco__arena_array(&z->arena, n + 1, sizeof *l->pushed_down, z->err);
    /* conditions: every layer below must let them through */
    for (i = 0; i < top && taco__view_pushdown_is_allowed(&z->layers[i]); i++) {}
    n = i == top && !z->limited ? n : 0;
    for (i = 0; ok && l->pushed_down && i < n; i++) {
        ok = taco__view_pushdown_condition(z, x, list[i], &l->pushed_down[i]);
    }
    if (!ok || !l->pushed_down || !l->keeps) { return ok && l->pushed_down; }
    n = taco__view_layer_conjuncts(s, &list);
    for (k = 0; k < n && l->pushed_down[k]; k++) {}
    /* order and limit: only if this layer filters nothing any more, and those below only compute */
    for (i = 0; i < top && taco__view_pushdown_is_projection(&z->layers[i]); i++) {}
    if (i == top && k == n && s->order_count && !z->limited) {
        l->unordered = taco__view_pushdown_sort_order(z, x);
    }
    if (i == top && k == n && l->limits && (!s->order_count || l->unordered)) {
        taco__view_query_add_limit(z, s->has_limit ? s->limit : UINT64_MAX, s->offset);
        l->unlimited = true;
    }
    if (s->items->n == 1 && s->items->kid[0]->kind == TACO__SQL_EXPR_STAR && !s->items->kid[0]->n &&
        taco__view_pushdown_is_projection(l)) {
        z->layer_count--; /* nothing is left of it */
    }
    return z->err->code == TACO_OK;
}
