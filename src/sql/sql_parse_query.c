/* sql_parse_query.c - parser of queries with several SELECTs

   WITH, UNION, INTERSECT, EXCEPT, VALUES, and queries in parentheses, in FROM and in expressions.
   Start at taco__sql_parse_query; the clauses of one SELECT are in sql_parse.c.

   UNION, INTERSECT and EXCEPT become a select with `set` and two operands. An ORDER BY after one
   sorts the whole: the set becomes the table of SELECT * FROM (set) ORDER BY ..., so that sorting
   has one form. A table of WITH is parsed again from its text each time FROM names it, because
   trees are bound in place; of a query in an expression, which may be copied, only the position of
   its text is kept, and taco__sql_parse_again parses it when it is bound.

   Example: WITH a AS (SELECT 1 AS x) SELECT x FROM a UNION SELECT 2 ORDER BY x is SELECT * FROM
   (set of SELECT x FROM (SELECT 1 AS x) AS a and SELECT 2) ORDER BY x. */
#include "sql.h"
#include "../base/base.h"
#include "../filter/filter.h"

/* ---- selects ---- */

/* An empty select. They are counted, because tables of WITH that use each other twice would turn a
   text of n lines into 2^n selects. */
TACO__FN taco__sql_select *taco__sql_parse_new_select(taco__parser *p)
{
    if (++p->queries > TACO__SQL_MAX_QUERIES) {
        TACO__FAIL(p->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "more than %u SELECTs in a query",
                   TACO__U(TACO__SQL_MAX_QUERIES));
        return NULL;
    }
    return (taco__sql_select *)taco__arena_alloc(p->arena, sizeof(taco__sql_select), p->err);
}

/* SELECT * FROM (s), whose columns keep their names, even equal ones. */
static taco__sql_select *taco__sql_parse_wrap(taco__parser *p, taco__sql_select *s)
{
    taco__sql_select *out = taco__sql_parse_new_select(p);
    if (!out) { return NULL; }
    out->items = taco__sql_expr_new(p, TACO__SQL_EXPR_CALL, 0);
    out->from_count = 1;
    out->from[0].query = s;
    out->from[0].keeps_names = true;
    return taco__sql_expr_add_child(p, out->items, taco__sql_expr_new(p, TACO__SQL_EXPR_STAR, 0))
               ? out
               : NULL;
}

/* (a, b), a list of names, as COLUMN operands of a node. */
TACO__FN taco__sql_expr *taco__sql_parse_names(taco__parser *p)
{
    taco__sql_expr *list = taco__sql_expr_new(p, TACO__SQL_EXPR_CALL, p->lex.at), *c;
    if (!list || !taco__parse_expect(p, "(")) { return NULL; }
    do {
        c = taco__sql_expr_new(p, TACO__SQL_EXPR_COLUMN, p->lex.at);
        if (!c || !taco__sql_parse_name(p, true, &c->name)) {
            return taco__parse_fail_expected(p, "the name of a column");
        }
        if (!taco__sql_expr_add_child(p, list, c)) { return NULL; }
    } while (taco__parse_accept(p, ","));
    return taco__parse_expect(p, ")") ? list : NULL;
}

/* VALUES (a, b), (c, d), after the word. */
static taco__sql_select *taco__sql_parse_values(taco__parser *p)
{
    taco__sql_select *s = taco__sql_parse_new_select(p);
    if (!s) { return NULL; }
    s->set = TACO__SQL_SET_VALUES;
    s->items = taco__sql_expr_new(p, TACO__SQL_EXPR_CALL, p->lex.at);
    do {
        taco__sql_expr *row = taco__sql_expr_new(p, TACO__SQL_EXPR_CALL, p->lex.at);
        if (!row || !taco__parse_expect(p, "(")) { return NULL; }
        do {
            if (!taco__sql_expr_add_child(p, row, taco__parse_expr(p, TACO__BINDS_OR))) {
                return NULL;
            }
        } while (taco__parse_accept(p, ","));
        if (!taco__parse_expect(p, ")") || !taco__sql_expr_add_child(p, s->items, row)) {
            return NULL;
        }
        if (row->n != s->items->kid[0]->n) {
            TACO__FAIL(p->err, TACO_ERR_SYNTAX, row->at, "a row of %u VALUES, the first has %u",
                       TACO__U(row->n), TACO__U(s->items->kid[0]->n));
            return NULL;
        }
    } while (taco__parse_accept(p, ","));
    return s;
}

/* An operand of UNION: a SELECT, VALUES, TABLE name or a query in parentheses. */
static taco__sql_select *taco__sql_parse_operand(taco__parser *p)
{
    taco__sql_select *s;
    if (taco__parse_accept(p, "(")) {
        s = taco__sql_parse_query(p);
        return s && taco__parse_expect(p, ")") ? s : NULL;
    }
    if (taco__parse_accept_word(p, "values")) { return taco__sql_parse_values(p); }
    s = taco__sql_parse_new_select(p);
    return s && taco__sql_parse_clauses(p, s) ? s : NULL;
}

/* The operator between two SELECTs at the token, and how strongly it binds; 0 for none. */
static int taco__sql_parse_find_set(const taco__parser *p, taco__sql_set *set)
{
    *set = taco__lex_is_word(&p->lex, "union")       ? TACO__SQL_SET_UNION
           : taco__lex_is_word(&p->lex, "except")    ? TACO__SQL_SET_EXCEPT
           : taco__lex_is_word(&p->lex, "intersect") ? TACO__SQL_SET_INTERSECT
                                                     : TACO__SQL_SET_NONE;
    return *set == TACO__SQL_SET_INTERSECT ? 2 : *set != TACO__SQL_SET_NONE;
}

/* SELECTs with operators of at least the precedence `least`. INTERSECT binds more tightly than the
   others; equal ones associate from left to right. */
static taco__sql_select *taco__sql_parse_sets(taco__parser *p, int least)
{
    taco__sql_select *s = taco__sql_parse_operand(p), *out;
    taco__sql_set set;
    int strength;
    while (s && (strength = taco__sql_parse_find_set(p, &set)) >= least && strength > 0) {
        size_t at = p->lex.at;
        out = taco__sql_parse_new_select(p);
        if (!out || !taco__parse_next(p)) { return NULL; }
        out->set = set;
        out->set_at = at;
        out->set_all = taco__parse_accept_word(p, "all");
        if (!out->set_all) { taco__parse_accept_word(p, "distinct"); }
        if (taco__parse_accept_word(p, "by")) {
            if (!taco__parse_expect(p, "name")) { return NULL; }
            out->by_name = true;
        }
        out->left = s;
        out->right = taco__sql_parse_sets(p, strength + 1);
        s = out->right ? out : NULL;
    }
    return s;
}

/* ---- WITH ---- */

/* name [(columns)] AS [NOT MATERIALIZED] (query): the query is parsed to report mistakes, and again
   where it is used. It does not see its own name, which must be unique among the tables of the same
   WITH, those down to `first`. */
static bool taco__sql_parse_with_table(taco__parser *p, const void *first, bool recursive)
{
    const taco__sql_with *before = (const taco__sql_with *)p->scope, *other;
    taco__sql_with *w = (taco__sql_with *)taco__arena_alloc(p->arena, sizeof *w, p->err);
    if (!w) { return false; }
    if (!taco__sql_parse_name(p, false, &w->name)) {
        taco__lex_fail_expected(&p->lex, "a name after WITH");
        return false;
    }
    for (other = before; other != first; other = other->outer) {
        if (taco__bind_names_equal(other->name, w->name)) {
            TACO__FAIL(p->err, TACO_ERR_SYNTAX, p->lex.at, "WITH has two tables %q", &w->name);
            return false;
        }
    }
    if (taco__lex_is_sign(&p->lex, "(")) {
        w->columns = taco__sql_parse_names(p);
        if (!w->columns) { return false; }
    }
    if (!taco__parse_expect(p, "as")) { return false; }
    taco__parse_accept_word(p, "not");
    taco__parse_accept_word(p, "materialized");
    if (!taco__parse_expect(p, "(")) { return false; }
    w->outer = before;
    w->lex = p->lex;
    w->open = recursive;
    p->scope = recursive ? w : before;
    if (!taco__sql_parse_query(p) || !taco__parse_expect(p, ")")) { return false; }
    w->open = false;
    p->scope = w;
    return true;
}

/* The tables of WITH, after the word. */
static bool taco__sql_parse_with(taco__parser *p)
{
    bool recursive = taco__parse_accept_word(p, "recursive");
    const void *first = p->scope;
    do {
        if (!taco__sql_parse_with_table(p, first, recursive)) { return false; }
    } while (taco__parse_accept(p, ","));
    return true;
}

/* Gives a table of FROM the query that WITH defines with its name, if any; false on an error. */
TACO__FN bool taco__sql_parse_find_with(taco__parser *p, taco__sql_table_ref *f)
{
    const taco__sql_with *w = (const taco__sql_with *)p->scope, *scope = w;
    taco__lexer after = p->lex;
    while (w && !taco__bind_names_equal(w->name, f->name)) {
        w = w->outer;
    }
    if (!w) { return true; }
    if (w->open) {
        TACO__FAIL(p->err, TACO_ERR_SYNTAX, f->at,
                   "%q names itself: recursive queries are not supported, " TACO__SQL_USE_DUCKDB,
                   &f->name);
        return false;
    }
    p->lex = w->lex;
    p->scope = w->outer;
    f->query = taco__sql_parse_query(p);
    f->with_columns = w->columns;
    p->scope = scope;
    p->lex = after;
    return f->query != NULL;
}

/* ---- queries ---- */

/* Whether the token begins a query, as after an opening parenthesis. */
TACO__FN bool taco__sql_parse_begins_query(const taco__parser *p)
{
    taco__lexer ahead = p->lex;
    while (taco__lex_is_sign(&ahead, "(") && taco__lex_next(&ahead)) {}
    return taco__lex_is_word(&ahead, "select") || taco__lex_is_word(&ahead, "with") ||
           taco__lex_is_word(&ahead, "from") ||
           (taco__lex_is_word(&ahead, "values") && taco__lex_next(&ahead) &&
            taco__lex_is_sign(&ahead, "("));
}

/* [WITH ...] SELECT ... [UNION ...] [ORDER BY ...] [LIMIT ...], up to the token after it; NULL on
   failure. The result may be a set, which taco__sql_parse_plain wraps in a SELECT. */
TACO__FN taco__sql_select *taco__sql_parse_query(taco__parser *p)
{
    const void *scope = p->scope;
    bool open;
    taco__sql_select *s;
    if (++p->depth > p->max_depth) {
        taco__parse_fail_depth(p);
        return NULL;
    }
    if (taco__parse_accept_word(p, "with") && !taco__sql_parse_with(p)) { return NULL; }
    open = taco__lex_is_sign(&p->lex, "(");
    s = taco__parse_is_ok(p) ? taco__sql_parse_sets(p, 1) : NULL;
    if (s && (open || s->set != TACO__SQL_SET_NONE) &&
        (taco__lex_is_word(&p->lex, "order") || taco__lex_is_word(&p->lex, "limit") ||
         taco__lex_is_word(&p->lex, "offset"))) {
        s = taco__sql_parse_wrap(p, s);
    }
    if (s && !taco__sql_parse_end(p, s)) { return NULL; }
    p->scope = scope;
    p->depth--;
    return s;
}

/* The same as a SELECT that is not a set. */
TACO__FN taco__sql_select *taco__sql_parse_plain(taco__parser *p)
{
    taco__sql_select *s = taco__sql_parse_query(p);
    return s && s->set != TACO__SQL_SET_NONE ? taco__sql_parse_wrap(p, s) : s;
}

/* ---- queries in expressions ---- */

/* A query as an operand, after its parenthesis and up to the closing one; for IN, with the value to
   look up. It is parsed here only to report mistakes. */
TACO__FN taco__sql_expr *taco__sql_parse_nested(taco__parser *p, taco__sql_nested kind, size_t at,
                                                taco__sql_expr *value)
{
    taco__sql_expr *e = taco__sql_expr_new(p, TACO__SQL_EXPR_QUERY, at);
    taco__sql_nested_query *q =
        (taco__sql_nested_query *)taco__arena_alloc(p->arena, sizeof *q, p->err);
    size_t begin = p->lex.at, end;
    if (!e || !q || (value && !taco__sql_expr_add_child(p, e, value))) { return NULL; }
    q->lex = p->lex;
    q->scope = (const taco__sql_with *)p->scope;
    e->op = (uint8_t)kind;
    e->plan = q;
    if (!taco__sql_parse_query(p)) { return NULL; }
    for (end = p->lex.at; end > begin && p->lex.text.data[end - 1] <= ' '; end--) {}
    e->name = taco__bytes_of(p->lex.text.data + begin, end - begin);
    return taco__parse_expect(p, ")") ? e : NULL;
}

/* taco__dialect.member: IN (query), after the parenthesis; NULL without an error if it is a
   list. */
TACO__FN taco__sql_expr *taco__sql_parse_member(taco__parser *p, taco__sql_expr *left, bool neg)
{
    taco__sql_expr *e;
    if (!taco__sql_parse_begins_query(p)) { return NULL; }
    e = taco__sql_parse_nested(p, TACO__SQL_NESTED_IN, left->at, left);
    if (e) { e->neg = neg; }
    return e;
}

/* Parses the text of a query in an expression again, in the arena of its planner. */
TACO__FN taco__sql_select *taco__sql_parse_again(taco__arena *arena,
                                                 const taco__sql_nested_query *q,
                                                 uint32_t max_depth, taco_error *err)
{
    taco__parser p;
    memset(&p, 0, sizeof p);
    taco__sql_parse_init(&p, arena, max_depth, err);
    p.lex = q->lex;
    p.lex.err = err;
    p.scope = q->scope;
    return taco__sql_parse_plain(&p);
}
