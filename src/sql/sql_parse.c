/* sql_parse.c - parser of a whole SELECT statement

   In: the text of taco_sql or of a step of a view. Out: a taco__sql_select, whose expressions are
   trees of taco__sql_expr; names are not looked up yet. SQL that only DuckDB supports is refused by
   name, with the column of the text, so that nobody looks for a typing error. Start at
   taco__sql_parse, at the end; the grammar is in the manual of taco_sql.h. Expressions are read by
   filter/parser.c with the dialect of sql_parse_expr.c. */
#include "sql.h"
#include "../base/base.h"
#include "../filter/filter.h"

/* Words that are not columns or aliases unless quoted: DuckDB's words that begin a clause or an
   operator here. Fewer are reserved in a `where` (predicate_parse.c), which has no clauses. */
TACO__FN bool taco__sql_parse_is_reserved(taco_bytes b)
{
    static const char *const words[] = {
        "select",     "from",     "where",   "group",     "having",  "order", "limit",
        "offset",     "on",       "join",    "inner",     "left",    "right", "full",
        "cross",      "union",    "except",  "intersect", "and",     "or",    "not",
        "as",         "distinct", "asc",     "desc",      "case",    "when",  "then",
        "else",       "end",      "in",      "is",        "between", "like",  "ilike",
        "null",       "true",     "false",   "using",     "natural", "with",  "window",
        "qualify",    "outer",    "cast",    "isnull",    "notnull", "any",   "all",
        "some",       "exists",   "fetch",   "for",       "semi",    "anti",  "asof",
        "positional", "similar",  "glob",    "table",     "lateral", "nulls", "tablesample",
        "default",    "collate",  "unpivot", "pivot"};
    size_t i;
    for (i = 0; i < TACO__COUNT(words); i++) {
        if (taco__ascii_is_word(b, words[i])) { return true; }
    }
    return false;
}

/* A name, unquoted or quoted, into *out; false if the token is not one, which is an error only if
   p->err is set. reserved: any word is accepted, as after AS or a dot. */
TACO__FN bool taco__sql_parse_name(taco__parser *p, bool reserved, taco_bytes *out)
{
    if (p->lex.kind == TACO__TOK_QUOTED) {
        return taco__lex_unquote(&p->lex, p->arena, out) && taco__parse_next(p);
    }
    if (p->lex.kind == TACO__TOK_NAME && (reserved || !taco__sql_parse_is_reserved(p->lex.raw))) {
        *out = p->lex.raw;
        return taco__parse_next(p);
    }
    return false;
}

/* ---- the statement ---- */

/* The list of SELECT, with aliases. A comma is allowed before FROM, as in DuckDB; a star has no
   alias. An alias without AS must not be a reserved word, or FROM would be one. */
static bool taco__sql_parse_items(taco__parser *p, taco__sql_select *s)
{
    s->items = taco__sql_expr_new(p, TACO__SQL_EXPR_CALL, 0);
    do {
        taco__sql_expr *e =
            taco__lex_is_word(&p->lex, "from") ? NULL : taco__parse_expr(p, TACO__BINDS_OR);
        if (!e) {
            if (taco__parse_is_ok(p)) { taco__lex_fail_expected(&p->lex, "a value"); }
            return false;
        }
        if (taco__parse_accept_word(p, "as")) {
            if (!taco__sql_parse_name(p, true, &e->alias)) {
                taco__lex_fail_expected(&p->lex, "a name after AS");
                return false;
            }
        } else if (e->kind != TACO__SQL_EXPR_STAR) {
            taco__sql_parse_name(p, false, &e->alias);
        }
        if (!taco__sql_expr_add_child(p, s->items, e)) { return false; }
    } while (taco__parse_accept(p, ",") && !taco__lex_is_word(&p->lex, "from"));
    return taco__parse_is_ok(p);
}

/* The level that the name of a table means: data, level0 ... level5 or l0 ... l5. The planner
   checks whether the dataset has it, and looks up other names. */
static void taco__sql_parse_level(taco__sql_table_ref *f)
{
    /* l3: flat, with one letter before the digit; level3: plain */
    size_t digits = f->name.len ? f->name.len - 1 : 0;
    f->flat = digits == 1;
    f->level = digits < f->name.len ? (uint32_t)(f->name.data[digits] - '0') : 0;
    if (taco__ascii_is_word(f->name, "data")) {
        f->level = 0;
    } else if (f->level > 5 ||
               !(taco__ascii_is_word(taco__bytes_of(f->name.data, digits), "l") ||
                 taco__ascii_is_word(taco__bytes_of(f->name.data, digits), "level"))) {
        f->named = true;
        f->level = 0;
        f->flat = false;
    }
}

/* What FROM names: a query in parentheses, a table of WITH, or a level. */
static bool taco__sql_parse_source(taco__parser *p, taco__sql_table_ref *f)
{
    if (taco__lex_is_sign(&p->lex, "(")) {
        if (!taco__sql_parse_begins_query(p)) {
            taco__parse_fail(p, p->lex.at, "joins in parentheses are not supported");
            return false;
        }
        f->query = taco__parse_next(p) ? taco__sql_parse_query(p) : NULL;
        return f->query && taco__parse_expect(p, ")");
    }
    if (taco__lex_is_word(&p->lex, "lateral")) {
        size_t at = p->lex.at;
        if (!taco__parse_next(p)) { return false; }
        if (!taco__lex_is_word(&p->lex, "unnest")) {
            taco__parse_fail(p, at, "LATERAL is for unnest only, " TACO__SQL_USE_DUCKDB);
            return false;
        }
    }
    if (!taco__sql_parse_name(p, false, &f->name)) {
        taco__lex_fail_expected(&p->lex, "a table: data, level0 ... level5, l0 ... l5");
        return false;
    }
    if (taco__lex_is_sign(&p->lex, "(") && (taco__ascii_is_word(f->name, "range") ||
                                            taco__ascii_is_word(f->name, "generate_series"))) {
        return taco__range_table_parse(p, f);
    }
    if (taco__lex_is_sign(&p->lex, "(") && taco__ascii_is_word(f->name, "unnest")) {
        return taco__unnest_parse(p, f);
    }
    /* read_parquet(...) and schema.table exist in DuckDB */
    if (taco__lex_is_sign(&p->lex, "(") || taco__lex_is_sign(&p->lex, ".")) {
        taco__parse_fail(p, p->lex.at, "table functions and schemas are not supported");
        return false;
    }
    if (!taco__sql_parse_find_with(p, f)) { return false; }
    if (!f->query) { taco__sql_parse_level(f); }
    return true;
}

/* Turns a level into the query SELECT * FROM level, whose columns can be renamed. */
static bool taco__sql_parse_wrap_level(taco__parser *p, taco__sql_table_ref *f)
{
    taco__sql_select *s = taco__sql_parse_new_select(p);
    if (!s) { return false; }
    s->items = taco__sql_expr_new(p, TACO__SQL_EXPR_CALL, f->at);
    s->from[s->from_count++] = *f;
    f->query = s;
    f->name = taco__bytes_of(NULL, 0);
    return taco__sql_expr_add_child(p, s->items, taco__sql_expr_new(p, TACO__SQL_EXPR_STAR, f->at));
}

/* A table of FROM and its alias, which may rename its columns. */
static bool taco__sql_parse_table(taco__parser *p, taco__sql_table_ref *f)
{
    f->at = p->lex.at;
    if (!taco__sql_parse_source(p, f)) { return false; }
    f->alias = f->name;
    if (f->query) { f->name = taco__bytes_of(NULL, 0); } /* not the level with that name */
    if (taco__parse_accept_word(p, "as")) {
        if (!taco__sql_parse_name(p, false, &f->alias)) {
            taco__lex_fail_expected(&p->lex, "a name after AS");
            return false;
        }
    } else {
        taco__sql_parse_name(p, false, &f->alias);
    }
    if (taco__parse_is_ok(p) && f->alias.len && taco__lex_is_sign(&p->lex, "(")) {
        if (!f->query && !taco__sql_parse_wrap_level(p, f)) { return false; }
        f->columns = taco__sql_parse_names(p);
    }
    return taco__parse_is_ok(p);
}

/* The words between two tables: *joined is whether there are any. CROSS and a comma have no ON.
   Unsupported joins are refused by name. */
static bool taco__sql_parse_join_words(taco__parser *p, taco__sql_table_ref *f, bool *joined)
{
    static const char *const refused[] = {"asof", "positional", "tablesample"};
    size_t i;
    for (i = 0; i < TACO__COUNT(refused); i++) {
        if (taco__lex_is_word(&p->lex, refused[i])) {
            TACO__FAIL(p->err, TACO_ERR_SYNTAX, p->lex.at,
                       "%s joins are not supported, only [INNER], LEFT, RIGHT, FULL, SEMI, ANTI "
                       "and CROSS",
                       refused[i]);
            return false;
        }
    }
    *joined = true;
    if (taco__parse_accept(p, ",")) {
        f->cross = f->comma = true;
        return true;
    }
    if (taco__parse_accept_word(p, "cross")) {
        f->cross = true;
        return taco__parse_expect(p, "join");
    }
    f->natural = taco__parse_accept_word(p, "natural");
    f->left = taco__parse_accept_word(p, "left");
    if (!f->left) {
        f->left = taco__parse_accept_word(p, "full");
        f->right = f->left || taco__parse_accept_word(p, "right");
    }
    f->semi = !f->right && taco__parse_accept_word(p, "semi");
    f->anti = !f->right && !f->semi && taco__parse_accept_word(p, "anti");
    if (f->semi || f->anti) {
        f->left = true; /* no row of the table itself is needed */
    } else if (f->left || f->right) {
        taco__parse_accept_word(p, "outer");
    } else if (!taco__parse_accept_word(p, "inner") && !taco__lex_is_word(&p->lex, "join")) {
        *joined = f->natural;
        return !*joined || taco__parse_expect(p, "join");
    }
    return taco__parse_expect(p, "join");
}

/* Handles the effect of a RIGHT or FULL JOIN with f on the tables so far: its unmatched rows have
   nulls in their place. A comma binds less tightly than a join, which only matters then. */
static bool taco__sql_parse_check_right(taco__parser *p, taco__sql_select *s,
                                        const taco__sql_table_ref *f)
{
    size_t t;
    for (t = 0; f->right && t < s->from_count; t++) {
        if (s->from[t].comma) {
            taco__parse_fail(
                p, f->at, "a RIGHT or FULL JOIN after a comma is not supported: write CROSS JOIN");
            return false;
        }
        s->from[t].lost = true;
    }
    return true;
}

/* FROM and its joins. */
static bool taco__sql_parse_from(taco__parser *p, taco__sql_select *s)
{
    bool joined;
    if (!taco__sql_parse_table(p, &s->from[s->from_count++])) { return false; }
    for (;;) {
        taco__sql_table_ref f;
        memset(&f, 0, sizeof f);
        if (!taco__sql_parse_join_words(p, &f, &joined)) { return false; }
        if (!joined) { return taco__parse_is_ok(p); }
        if (s->from_count == TACO__SQL_MAX_TABLES) {
            TACO__FAIL(p->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "more than %u tables",
                       TACO__U(TACO__SQL_MAX_TABLES));
            return false;
        }
        if (!taco__sql_parse_table(p, &f)) { return false; }
        if (taco__parse_accept_word(p, "using")) {
            f.merged = taco__sql_parse_names(p);
            if (!f.merged) { return false; }
        } else if (!f.cross && !f.natural) {
            f.on = taco__parse_expect(p, "on") ? taco__parse_expr(p, TACO__BINDS_OR) : NULL;
            if (!f.on) { return false; }
        }
        if (!taco__sql_parse_check_right(p, s, &f)) { return false; }
        s->from[s->from_count++] = f;
    }
}

/* GROUP BY, after GROUP. */
static bool taco__sql_parse_groups(taco__parser *p, taco__sql_select *s)
{
    uint32_t i;
    s->groups = taco__sql_expr_new(p, TACO__SQL_EXPR_CALL, p->lex.at);
    if (!s->groups || !taco__parse_expect(p, "by")) { return false; }
    if (taco__parse_accept_word(p, "all")) {
        s->group_all = true;
        return true;
    }
    do {
        if (taco__lex_is_word(&p->lex, "grouping") || taco__lex_is_word(&p->lex, "rollup") ||
            taco__lex_is_word(&p->lex, "cube")) {
            taco__parse_fail(p, p->lex.at, "grouping sets are not supported");
            return false;
        }
        taco__sql_expr *e = taco__parse_expr(p, TACO__BINDS_OR);
        /* GROUP BY (a, b) is GROUP BY a, b */
        bool row =
            e && e->kind == TACO__SQL_EXPR_CALL && e->tries && taco__ascii_is_word(e->name, "row");
        for (i = 0; row && i < e->n; i++) {
            if (!taco__sql_expr_add_child(p, s->groups, e->kid[i])) { return false; }
        }
        if (!row && !taco__sql_expr_add_child(p, s->groups, e)) { return false; }
    } while (taco__parse_accept(p, ","));
    return taco__parse_is_ok(p);
}

/* ORDER BY, after ORDER. A key of ALL has no expression and is the only one. Nulls are last unless
   NULLS FIRST says otherwise, in both directions: DuckDB's default. */
static bool taco__sql_parse_order(taco__parser *p, taco__sql_select *s)
{
    if (!taco__parse_expect(p, "by")) { return false; }
    do {
        taco__sql_sort_key *o = &s->order[s->order_count];
        if (s->order_count == TACO__COUNT(s->order)) {
            TACO__FAIL(p->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "more than %u sort keys",
                       TACO__U(TACO__COUNT(s->order)));
            return false;
        }
        /* ALL is a key only where it is the first */
        if (!s->order_count && taco__lex_is_word(&p->lex, "all")) {
            s->order_all = true;
            taco__parse_next(p);
        } else {
            o->e = taco__parse_expr(p, TACO__BINDS_OR);
            if (!o->e) { return false; }
        }
        s->order_count++;
        o->desc = taco__parse_accept_word(p, "desc");
        if (!o->desc) { taco__parse_accept_word(p, "asc"); }
        if (taco__parse_accept_word(p, "nulls")) {
            o->nulls_first = taco__parse_accept_word(p, "first");
            if (!o->nulls_first && !taco__parse_expect(p, "last")) { return false; }
        }
    } while (!s->order_all && taco__parse_accept(p, ","));
    return taco__parse_is_ok(p);
}

/* A number of rows: a literal, or an expression, which is computed at planning time. */
static bool taco__sql_parse_rows(taco__parser *p, uint64_t *rows, taco__sql_expr **expr)
{
    taco__sql_expr *e;
    taco_bytes text = p->lex.text;
    if (p->lex.kind == TACO__TOK_NUMBER && p->lex.end < text.len && text.data[p->lex.end] == '%') {
        taco__parse_fail(p, p->lex.at, "a percentage of the rows is not supported");
        return false;
    }
    e = taco__parse_expr(p, TACO__BINDS_OR);
    if (!e) { return false; }
    if (e->kind == TACO__SQL_EXPR_CONST && e->literal == 1 && !e->neg &&
        taco__i256_is_i64(&e->value.d)) {
        *rows = e->value.d.w[0];
        *expr = NULL;
    } else {
        *expr = e;
    }
    return true;
}

/* LIMIT and OFFSET, in either order. */
static bool taco__sql_parse_limits(taco__parser *p, taco__sql_select *s)
{
    int i;
    for (i = 0; i < 2 && taco__parse_is_ok(p); i++) {
        if (taco__parse_accept_word(p, "limit")) {
            if (taco__parse_accept_word(p, "all")) { continue; }
            s->has_limit = true;
            if (!taco__sql_parse_rows(p, &s->limit, &s->limit_expr)) { return false; }
        } else if (taco__parse_accept_word(p, "offset")) {
            if (!taco__sql_parse_rows(p, &s->offset, &s->offset_expr)) { return false; }
            if (!taco__parse_accept_word(p, "rows")) { taco__parse_accept_word(p, "row"); }
        }
    }
    return taco__parse_is_ok(p);
}

/* ORDER BY, LIMIT and OFFSET: what may follow one or more SELECTs. */
TACO__FN bool taco__sql_parse_end(taco__parser *p, taco__sql_select *s)
{
    if (taco__parse_is_ok(p) && taco__parse_accept_word(p, "order") &&
        !taco__sql_parse_order(p, s)) {
        return false;
    }
    return taco__parse_is_ok(p) && taco__sql_parse_limits(p, s);
}

/* The end of the text, after an optional semicolon. Clauses that could follow in DuckDB are refused
   by name. */
static bool taco__sql_parse_end_of_text(taco__parser *p)
{
    static const char *const known[] = {"using", "select", "sample", "tablesample", "fetch", "for"};
    size_t k;
    taco__parse_accept(p, ";");
    if (!taco__parse_is_ok(p) || p->lex.kind == TACO__TOK_END) { return taco__parse_is_ok(p); }
    for (k = 0; k < TACO__COUNT(known); k++) {
        if (taco__lex_is_word(&p->lex, known[k])) {
            TACO__FAIL(p->err, TACO_ERR_SYNTAX, p->lex.at, "%s is not supported here", known[k]);
        }
    }
    taco__lex_fail_expected(&p->lex, "the end of the query");
    return false;
}

/* SELECT and its list; without SELECT, as in FROM data, the list is *. */
static bool taco__sql_parse_list(taco__parser *p, taco__sql_select *s)
{
    if (!taco__parse_accept_word(p, "select")) {
        s->items = taco__sql_expr_new(p, TACO__SQL_EXPR_CALL, 0);
        return taco__sql_expr_add_child(p, s->items,
                                        taco__sql_expr_new(p, TACO__SQL_EXPR_STAR, p->lex.at));
    }
    s->distinct = taco__parse_accept_word(p, "distinct");
    if (s->distinct && taco__parse_accept_word(p, "on")) {
        s->on = taco__sql_expr_new(p, TACO__SQL_EXPR_CALL, p->lex.at);
        if (!taco__parse_expect(p, "(")) { return false; }
        do {
            if (!taco__sql_expr_add_child(p, s->on, taco__parse_expr(p, TACO__BINDS_OR))) {
                return false;
            }
        } while (taco__parse_accept(p, ","));
        if (!taco__parse_expect(p, ")")) { return false; }
    }
    /* SELECT ALL is SELECT */
    if (!s->distinct) { taco__parse_accept_word(p, "all"); }
    return taco__sql_parse_items(p, s);
}

/* The clauses of one SELECT in order, up to HAVING. FROM may come first, as in DuckDB. */
TACO__FN bool taco__sql_parse_clauses(taco__parser *p, taco__sql_select *s)
{
    bool first = taco__parse_accept_word(p, "from");
    if (!first && !taco__lex_is_word(&p->lex, "select")) {
        taco__parse_expect(p, "select");
        return false;
    }
    if ((first && !taco__sql_parse_from(p, s)) || !taco__sql_parse_list(p, s) ||
        (!first && taco__parse_accept_word(p, "from") && !taco__sql_parse_from(p, s))) {
        return false;
    }
    if (taco__parse_accept_word(p, "where")) { s->where = taco__parse_expr(p, TACO__BINDS_OR); }
    if (taco__parse_is_ok(p) && taco__parse_accept_word(p, "group") &&
        !taco__sql_parse_groups(p, s)) {
        return false;
    }
    if (taco__parse_is_ok(p) && taco__parse_accept_word(p, "having")) {
        s->having = taco__parse_expr(p, TACO__BINDS_OR);
    }
    if (taco__parse_is_ok(p) &&
        (taco__lex_is_word(&p->lex, "window") || taco__lex_is_word(&p->lex, "qualify"))) {
        taco_bytes word = p->lex.raw;
        TACO__FAIL(p->err, TACO_ERR_SYNTAX, p->lex.at, "%q is not supported, " TACO__SQL_USE_DUCKDB,
                   &word);
    }
    return taco__parse_is_ok(p);
}

/* A parser that allocates nodes in the arena; max_depth is that of limits, 0 for the default. */
TACO__FN void taco__sql_parse_init(taco__parser *p, taco__arena *arena, uint32_t max_depth,
                                   taco_error *err)
{
    memset(p, 0, sizeof *p);
    p->dialect = taco__sql_parse_expr_dialect();
    p->arena = arena;
    p->err = err;
    p->max_depth = max_depth ? max_depth : 200;
    p->max_depth = TACO__MIN(p->max_depth, 1000);
}

/* Parses a query into *out, which lives as long as the arena and the text: names are borrowed from
   both. False with SYNTAX and the column, LIMIT (max_depth is that of limits, 0 for the default) or
   MEMORY. */
TACO__FN bool taco__sql_parse(taco__arena *arena, const char *text, size_t len, uint32_t max_depth,
                              taco__sql_select *out, taco_error *err)
{
    taco__parser p;
    taco__sql_select *s;
    taco__sql_parse_init(&p, arena, max_depth, err);
    if (len > TACO__SQL_MAX_TEXT) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "a query of %u bytes, at most %u are allowed", TACO__U(len),
                   TACO__U(TACO__SQL_MAX_TEXT));
        return false;
    }
    s = taco__lex_init(&p.lex, text, len, err) ? taco__sql_parse_plain(&p) : NULL;
    if (!s || !taco__sql_parse_end_of_text(&p)) { return false; }
    *out = *s;
    out->nested = p.queries > 1;
    return true;
}
