/* sql_query_text.c - a query in an expression as DuckDB prints it: (SELECT max(v) FROM data AS d)

   The text is parsed again and written in DuckDB's form, with AS before aliases and parentheses
   around operators. Queries other than a single SELECT over tables without joins are left as
   written: then only the names of their columns differ from DuckDB's. */
#include "sql.h"
#include "../base/base.h"
#include "../filter/filter.h"

static bool taco__sql_query_text_append(taco__bind *b, taco__buf *out, const char *s)
{
    return taco__buf_append_text(out, s, b->err);
}

/* A tree, after a word. */
static bool taco__sql_query_text_tree(taco__bind *b, taco__buf *out, const char *word,
                                      const taco__sql_expr *e)
{
    taco_bytes text;
    if (e->kind == TACO__SQL_EXPR_STAR) {
        return taco__sql_query_text_append(b, out, word) && taco__buf_append_char(out, '*', b->err);
    }
    return taco__sql_query_text_append(b, out, word) && taco__sql_expr_text_copy(b, e, &text) &&
           taco__buf_append(out, text.data, text.len, b->err);
}

/* The operands of a node with their aliases, after a word. */
static bool taco__sql_query_text_list(taco__bind *b, taco__buf *out, const char *word,
                                      const taco__sql_expr *list)
{
    uint32_t i;
    bool ok = true;
    for (i = 0; ok && i < list->n; i++) {
        const taco__sql_expr *e = list->kid[i];
        ok = taco__sql_query_text_tree(b, out, i ? ", " : word, e) &&
             (!e->alias.len || (taco__sql_query_text_append(b, out, " AS ") &&
                                taco__buf_append(out, e->alias.data, e->alias.len, b->err)));
    }
    return ok;
}

/* The sort keys. */
static bool taco__sql_query_text_order(taco__bind *b, taco__buf *out, const taco__sql_select *s)
{
    size_t i;
    bool ok = true;
    for (i = 0; ok && i < s->order_count; i++) {
        ok = taco__sql_query_text_tree(b, out, i ? ", " : " ORDER BY ", s->order[i].e) &&
             (!s->order[i].desc || taco__sql_query_text_append(b, out, " DESC"));
    }
    return ok;
}

/* Whether this file can write the query. */
static bool taco__sql_query_text_is_plain(const taco__sql_select *s)
{
    uint32_t i;
    for (i = 0; i < s->items->n; i++) {
        const taco__sql_expr *e = s->items->kid[i];
        if (e->kind == TACO__SQL_EXPR_STAR && (e->n || e->table.len)) { return false; }
    }
    for (i = 0; i < s->order_count; i++) {
        if (s->order[i].nulls_first) { return false; }
    }
    return s->set == TACO__SQL_SET_NONE && s->from_count < 2 && !s->from[0].query &&
           !s->group_all && !s->order_all && !s->on && !s->limit_expr && !s->offset_expr;
}

/* A query that this file can write. */
static bool taco__sql_query_text_plain(taco__bind *b, taco__buf *out, const taco__sql_select *s)
{
    const taco__sql_table_ref *f = &s->from[0];
    char digits[24], skip[24];
    digits[taco__num_format_u64(digits, s->limit)] = 0;
    skip[taco__num_format_u64(skip, s->offset)] = 0;
    return taco__sql_query_text_list(b, out, s->distinct ? "SELECT DISTINCT " : "SELECT ",
                                     s->items) &&
           (!s->from_count || (taco__sql_query_text_append(b, out, " FROM ") &&
                               taco__buf_append(out, f->name.data, f->name.len, b->err))) &&
           (!s->from_count || f->alias.data == f->name.data ||
            (taco__sql_query_text_append(b, out, " AS ") &&
             taco__buf_append(out, f->alias.data, f->alias.len, b->err))) &&
           (!s->where || taco__sql_query_text_tree(b, out, " WHERE ", s->where)) &&
           (!s->groups || taco__sql_query_text_list(b, out, " GROUP BY ", s->groups)) &&
           (!s->having || taco__sql_query_text_tree(b, out, " HAVING ", s->having)) &&
           taco__sql_query_text_order(b, out, s) &&
           (!s->has_limit || (taco__sql_query_text_append(b, out, " LIMIT ") &&
                              taco__sql_query_text_append(b, out, digits))) &&
           (!s->offset || (taco__sql_query_text_append(b, out, " OFFSET ") &&
                           taco__sql_query_text_append(b, out, skip)));
}

/* Appends the query of e, without parentheses; false with an error. */
TACO__FN bool taco__sql_query_text(taco__bind *b, taco__buf *out, const taco__sql_expr *e)
{
    const taco__sql_nested_query *q = (const taco__sql_nested_query *)e->plan;
    const taco__sql_select *s =
        taco__sql_parse_again(b->arena, q, b->x->c->ds->options.limits.max_depth, b->err);
    size_t tables = b->table_count;
    bool ok;
    if (!s) { return false; }
    if (!taco__sql_query_text_is_plain(s)) {
        return taco__buf_append(out, e->name.data, e->name.len, b->err);
    }
    b->table_count = 0; /* its names are not those of the tables around it */
    ok = taco__sql_query_text_plain(b, out, s);
    b->table_count = tables;
    return ok;
}
