/* sql_parse_expr.c - dialect of SELECT: operands of expressions, and operators on values

   filter/parser.c handles the operators of conditions and precedence, and calls the functions in
   taco__sql_parse_expr_dialect: an operand with its sign and what follows it (.field, [index],
   ::type), and operators beyond comparisons (+ || // and others). Calls keep their name as written,
   for the names of result columns (sql_expr_text.c). */
#include "sql.h"
#include "../base/base.h"
#include "../filter/filter.h"

/* ---- primaries ---- */

/* CASE [value] WHEN ... END, after CASE. With a value every WHEN becomes a comparison with it. */
static taco__sql_expr *taco__sql_parse_expr_case(taco__parser *p, size_t at)
{
    taco__sql_expr *e = taco__sql_expr_new(p, TACO__SQL_EXPR_CASE, at), *base = NULL, *x;
    if (e && !taco__lex_is_word(&p->lex, "when")) {
        base = taco__parse_expr(p, TACO__BINDS_OR);
        if (!base) { return NULL; }
    }
    do {
        if (!taco__parse_expect(p, "when")) { return NULL; }
        x = taco__parse_expr(p, TACO__BINDS_OR);
        if (base && x) {
            taco__sql_expr *cmp = taco__sql_expr_new(p, TACO__SQL_EXPR_CMP, x->at);
            x = taco__sql_expr_add_child(p, taco__sql_expr_add_child(p, cmp, base), x);
        }
        e = taco__sql_expr_add_child(p, e, x);
        if (!e || !taco__parse_expect(p, "then") ||
            !taco__sql_expr_add_child(p, e, taco__parse_expr(p, TACO__BINDS_OR))) {
            return NULL;
        }
    } while (taco__lex_is_word(&p->lex, "when"));
    x = taco__parse_accept_word(p, "else")
            ? taco__parse_expr(p, TACO__BINDS_OR)
            : taco__sql_expr_new_const(p, at, taco__scalar_make_null());
    e = taco__sql_expr_add_child(p, e, x);
    return e && taco__parse_expect(p, "end") ? e : NULL;
}

/* DuckDB's name of a type written from byte `from` on, into *out, if that is more than its name:
   DECIMAL without width or scale, VARCHAR with a length, which CHAR has even without one. False if
   there is no memory. */
static bool taco__sql_parse_expr_type_name(taco__parser *p, size_t from, const taco__sql_type *t,
                                           taco_bytes *out)
{
    bool decimal = t->t.id == TACO_DECIMAL && t->t.precision != 39;
    size_t n = p->lex.at > from ? p->lex.at - from : 0, i, k;
    const uint8_t *text = p->lex.text.data + from;
    char name[48];
    taco__fmt f;
    for (i = 0; i < n && text[i] != '('; i++) {}
    if (i == n && n >= 4 && taco__ascii_is_word(taco__bytes_of(text, 4), "char") &&
        (n == 4 || !taco__lex_is_letter(text[4]))) {
        *out = taco__bytes_text("VARCHAR(1)");
        return true;
    }
    for (k = i; k < n && text[k] != ')' && text[k] != ','; k++) {}
    if ((!decimal && (t->t.id != TACO_TEXT || i == n)) || (k < n && text[k] == ',')) {
        return true;
    }
    f.at = name;
    f.end = name + sizeof name;
    *name = 0;
    taco__fmt_text(&f, decimal ? "DECIMAL" : "VARCHAR");
    for (; i < n && i <= k; i++) {
        if (text[i] > ' ') { taco__fmt_char(&f, (char)text[i]); }
    }
    *out = taco__bytes_text(taco__arena_text(p->arena, taco__bytes_text(name), p->err));
    return taco__parse_is_ok(p);
}

/* x AS type, at the type; `until` is the sign that ends it, NULL after ::. */
static taco__sql_expr *taco__sql_parse_expr_cast(taco__parser *p, size_t at, taco__sql_expr *x,
                                                 const char *until, bool tries)
{
    size_t from = p->lex.at;
    taco__sql_expr *e =
        taco__sql_expr_add_child(p, taco__sql_expr_new(p, TACO__SQL_EXPR_CAST, at), x);
    if (!e || !taco__sql_parse_type(p, &e->to)) { return NULL; }
    if (!taco__sql_parse_expr_type_name(p, from, &e->to, &e->name) ||
        (until && !taco__parse_expect(p, until))) {
        return NULL;
    }
    e->tries = tries;
    return e;
}

/* The separator between two arguments: a comma, or one of the words in position and substring.
   False at the end. */
static bool taco__sql_parse_expr_separator(taco__parser *p, taco__sql_expr *e)
{
    if (e->n == 1 && taco__ascii_is_word(e->name, "position") && taco__lex_is_word(&p->lex, "in")) {
        return taco__parse_next(p);
    }
    if (e->n < 3 && taco__ascii_is_word(e->name, "substring") &&
        (taco__lex_is_word(&p->lex, "from") || taco__lex_is_word(&p->lex, "for"))) {
        e->tries = true; /* only for its name */
        if (e->n == 1) { e->neg = taco__lex_is_word(&p->lex, "for"); }
        return taco__parse_next(p);
    }
    return taco__parse_accept(p, ",");
}

/* substring(s FOR n [FROM k]), marked by e->neg, as substring(s, k, n). Without FROM it begins at
   the first character, and DuckDB casts the length. */
static taco__sql_expr *taco__sql_parse_expr_substring(taco__parser *p, taco__sql_expr *e)
{
    taco__sql_type integer = taco__sql_type_simple(TACO_INT32);
    taco__sql_expr *length = e->kid[1], *cast;
    e->neg = false;
    if (e->n == 2) {
        cast = taco__sql_expr_add_child(p, taco__sql_expr_new(p, TACO__SQL_EXPR_CAST, length->at),
                                        length);
        if (!cast) { return NULL; }
        cast->to = integer;
        e->kid[1] = taco__sql_expr_new_const(p, length->at, taco__scalar_make_int(TACO_INT32, 1));
        if (!e->kid[1]) { return NULL; }
        e->kid[1]->literal = 1;
        return taco__sql_expr_add_child(p, e, cast);
    }
    e->kid[1] = e->kid[2];
    e->kid[2] = length;
    return e;
}

/* FILTER (WHERE condition), at the parenthesis. */
static bool taco__sql_parse_expr_filter(taco__parser *p, taco__sql_expr *e)
{
    if (!taco__parse_expect(p, "(")) { return false; }
    taco__parse_accept_word(p, "where");
    e->filter = taco__parse_expr(p, TACO__BINDS_OR);
    if (!e->filter || !taco__parse_expect(p, ")")) { return false; }
    e->depth = TACO__MAX(e->depth, e->filter->depth + 1);
    return true;
}

/* The direction after a sort key: see taco__sql_expr.sort_flags. */
static bool taco__sql_parse_expr_direction(taco__parser *p, uint8_t *flags)
{
    *flags = taco__parse_accept_word(p, "desc") ? 1 : 0;
    if (!*flags && taco__parse_accept_word(p, "asc")) { *flags = 8; }
    if (!taco__parse_accept_word(p, "nulls")) { return taco__parse_is_ok(p); }
    if (taco__parse_accept_word(p, "first")) {
        *flags |= 2;
        return true;
    }
    *flags |= 4;
    return taco__parse_expect(p, "last");
}

/* ORDER BY among the arguments of an aggregate, at ORDER: its keys become the last operands. */
static bool taco__sql_parse_expr_sorts(taco__parser *p, taco__sql_expr *e)
{
    if (!taco__parse_expect(p, "order") || !taco__parse_expect(p, "by")) { return false; }
    e->sort_flags = (uint8_t *)taco__arena_alloc(p->arena, TACO__AGGREGATE_MAX_SORTS, p->err);
    do {
        if (e->sorts == TACO__AGGREGATE_MAX_SORTS) {
            return taco__parse_fail(p, p->lex.at, "more than 16 keys of ORDER BY") != NULL;
        }
        if (!e->sort_flags ||
            !taco__sql_expr_add_child(p, e, taco__parse_expr(p, TACO__BINDS_OR)) ||
            !taco__sql_parse_expr_direction(p, &e->sort_flags[e->sorts])) {
            return false;
        }
        e->sorts++;
    } while (taco__parse_accept(p, ","));
    return taco__parse_is_ok(p);
}

/* name := value or name => value, at the sign: the argument just parsed was the name. */
static bool taco__sql_parse_expr_named(taco__parser *p, taco__sql_expr *e)
{
    taco__sql_expr *name = e->kid[e->n - 1], *value;
    if (name->kind != TACO__SQL_EXPR_COLUMN || name->table.len || !taco__parse_next(p)) {
        taco__parse_fail(p, name->at, "a named argument begins with its name");
        return false;
    }
    value = taco__parse_expr(p, TACO__BINDS_OR);
    if (!value) { return false; }
    value->alias = name->name;
    e->kid[e->n - 1] = value;
    e->depth = TACO__MAX(e->depth, value->depth + 1);
    return true;
}

/* [a, b, ...], after the bracket: a call of list_value, which is also the name of its column. */
static taco__sql_expr *taco__sql_parse_expr_list(taco__parser *p, size_t at)
{
    taco__sql_expr *e = taco__sql_expr_new(p, TACO__SQL_EXPR_CALL, at);
    if (!e) { return NULL; }
    e->name = taco__bytes_text("list_value");
    e->tries = true; /* for its name */
    if (!taco__lex_is_sign(&p->lex, "]")) {
        do {
            if (!taco__sql_expr_add_child(p, e, taco__parse_expr(p, TACO__BINDS_OR))) {
                return NULL;
            }
            if (taco__lex_is_word(&p->lex, "for")) {
                return taco__parse_fail(p, p->lex.at, TACO__SQL_NO_LAMBDA);
            }
        } while (taco__parse_accept(p, ","));
    }
    return taco__parse_expect(p, "]") ? e : NULL;
}

/* {'a': 1, b: 2}, after the bracket: a call of struct_pack. */
static taco__sql_expr *taco__sql_parse_expr_struct(taco__parser *p, size_t at)
{
    taco__sql_expr *e = taco__sql_expr_new(p, TACO__SQL_EXPR_CALL, at), *value;
    if (!e) { return NULL; }
    e->name = taco__bytes_text("struct_pack");
    e->tries = true;
    do {
        taco_bytes key;
        if (p->lex.kind == TACO__TOK_STRING) {
            if (!taco__lex_unquote(&p->lex, p->arena, &key) || !taco__parse_next(p)) {
                return NULL;
            }
        } else if (!taco__sql_parse_name(p, true, &key)) {
            return taco__parse_fail_expected(p, "the name of a field");
        }
        if (!taco__parse_expect(p, ":")) { return NULL; }
        value = taco__parse_expr(p, TACO__BINDS_OR);
        if (!taco__sql_expr_add_child(p, e, value)) { return NULL; }
        value->alias = key;
    } while (taco__parse_accept(p, ","));
    return taco__parse_expect(p, "}") ? e : NULL;
}

/* (a, b, ...), after a: a row, which is a struct whose fields have no names. */
static taco__sql_expr *taco__sql_parse_expr_row(taco__parser *p, size_t at, taco__sql_expr *first)
{
    taco__sql_expr *e =
        taco__sql_expr_add_child(p, taco__sql_expr_new(p, TACO__SQL_EXPR_CALL, at), first);
    if (!e) { return NULL; }
    e->name = taco__bytes_text("row");
    e->tries = true;
    while (taco__parse_accept(p, ",")) {
        if (!taco__sql_expr_add_child(p, e, taco__parse_expr(p, TACO__BINDS_OR))) { return NULL; }
    }
    return taco__parse_expect(p, ")") ? e : NULL;
}

/* MAP {key: value, ...}, after the bracket: map([key, ...], [value, ...]). */
static taco__sql_expr *taco__sql_parse_expr_map(taco__parser *p, size_t at)
{
    taco__sql_expr *e = taco__sql_expr_new(p, TACO__SQL_EXPR_CALL, at), *side[2];
    size_t i;
    for (i = 0; e && i < 2; i++) {
        side[i] = taco__sql_expr_new(p, TACO__SQL_EXPR_CALL, at);
        if (!side[i]) { return NULL; }
        side[i]->name = taco__bytes_text("list_value");
        side[i]->tries = true;
    }
    if (!e) { return NULL; }
    e->name = taco__bytes_text("map");
    e->tries = true;
    while (!taco__lex_is_sign(&p->lex, "}")) {
        if (!taco__sql_expr_add_child(p, side[0], taco__parse_expr(p, TACO__BINDS_OR)) ||
            !taco__parse_expect(p, ":") ||
            !taco__sql_expr_add_child(p, side[1], taco__parse_expr(p, TACO__BINDS_OR))) {
            return NULL;
        }
        if (!taco__parse_accept(p, ",")) { break; }
    }
    e = taco__sql_expr_add_child(p, taco__sql_expr_add_child(p, e, side[0]), side[1]);
    return taco__parse_expect(p, "}") ? e : NULL;
}

/* Arguments up to the closing parenthesis, DISTINCT and FILTER. */
static taco__sql_expr *taco__sql_parse_expr_args(taco__parser *p, taco__sql_expr *e)
{
    if (taco__lex_is_sign(&p->lex, "*")) {
        if (!taco__parse_next(p)) { return NULL; }
        if (!taco__ascii_is_word(e->name, "count")) {
            TACO__FAIL(p->err, TACO_ERR_SYNTAX, e->at, "%q does not take *, only COUNT does",
                       &e->name);
            return NULL;
        }
    } else if (!taco__lex_is_sign(&p->lex, ")")) {
        e->distinct = taco__parse_accept_word(p, "distinct");
        do {
            /* the IN of position(a IN b) is not an operator */
            int least = !e->n && taco__ascii_is_word(e->name, "position") ? TACO__BINDS_IN + 1
                                                                          : TACO__BINDS_OR;
            if (!taco__sql_expr_add_child(p, e, taco__parse_expr(p, least))) { return NULL; }
            if (taco__lex_is_sign(&p->lex, "=>") || taco__lex_is_sign(&p->lex, ":=")) {
                if (!taco__sql_parse_expr_named(p, e)) { return NULL; }
            }
            if (taco__lex_is_sign(&p->lex, "->")) {
                return taco__parse_fail(p, p->lex.at, TACO__SQL_NO_LAMBDA);
            }
        } while (taco__sql_parse_expr_separator(p, e));
    }
    if (taco__lex_is_word(&p->lex, "order") && !taco__sql_parse_expr_sorts(p, e)) { return NULL; }
    if (!taco__parse_expect(p, ")") ||
        (taco__parse_accept_word(p, "filter") && !taco__sql_parse_expr_filter(p, e))) {
        return NULL;
    }
    if (taco__lex_is_word(&p->lex, "over")) {
        return taco__parse_fail(p, p->lex.at,
                                "window functions (OVER) are not supported, " TACO__SQL_USE_DUCKDB);
    }
    if (taco__lex_is_word(&p->lex, "within")) {
        return taco__parse_fail(p, p->lex.at, "WITHIN GROUP is not supported");
    }
    return e;
}

/* The part of a date after EXTRACT: DuckDB's keywords in the singular, others as written. */
static taco_bytes taco__sql_parse_expr_unit(taco_bytes word)
{
    static const char *const units[][2] = {{"year", "years"},
                                           {"month", "months"},
                                           {"day", "days"},
                                           {"hour", "hours"},
                                           {"minute", "minutes"},
                                           {"second", "seconds"},
                                           {"millisecond", "milliseconds"},
                                           {"microsecond", "microseconds"},
                                           {"week", "weeks"},
                                           {"quarter", "quarters"},
                                           {"decade", "decades"},
                                           {"century", "centuries"},
                                           {"millennium", "millennia"}};
    size_t i;
    for (i = 0; i < TACO__COUNT(units); i++) {
        if (taco__ascii_is_word(word, units[i][0]) || taco__ascii_is_word(word, units[i][1])) {
            return taco__bytes_text(units[i][0]);
        }
    }
    return word;
}

/* A call, after its parenthesis. Forms with words between the arguments become plain calls:
   extract(year FROM d) is date_part('year', d), position(a IN b) is position(b, a). */
static taco__sql_expr *taco__sql_parse_expr_call(taco__parser *p, taco_bytes name, size_t at)
{
    taco__sql_expr *e = taco__sql_expr_new(p, TACO__SQL_EXPR_CALL, at), *part;
    if (!e) { return NULL; }
    e->name = name;
    if (taco__ascii_is_word(name, "extract")) { /* (part FROM value) */
        taco_bytes unit = p->lex.raw;
        bool quoted = p->lex.kind == TACO__TOK_STRING;
        if ((p->lex.kind != TACO__TOK_NAME && p->lex.kind != TACO__TOK_STRING) ||
            !taco__parse_next(p) || !taco__parse_expect(p, "from")) {
            taco__lex_fail_expected(&p->lex, "a part of a date and FROM");
            return NULL;
        }
        e->name = taco__bytes_text("date_part");
        e->tries = true;
        unit = quoted ? unit : taco__sql_parse_expr_unit(unit);
        part = taco__sql_expr_new_const(p, at, taco__scalar_make_bytes(TACO_TEXT, unit));
        e = taco__sql_expr_add_child(p, taco__sql_expr_add_child(p, e, part),
                                     taco__parse_expr(p, TACO__BINDS_OR));
        return e && taco__parse_expect(p, ")") ? e : NULL;
    }
    if (taco__ascii_is_word(name, "trim") &&
        (taco__lex_is_word(&p->lex, "both") || taco__lex_is_word(&p->lex, "leading") ||
         taco__lex_is_word(&p->lex, "trailing"))) {
        return taco__parse_fail(p, p->lex.at, "write trim, ltrim or rtrim with two arguments");
    }
    e = taco__sql_parse_expr_args(p, e);
    if (e && e->neg && e->n > 1) { return taco__sql_parse_expr_substring(p, e); }
    if (e && e->n == 2 && taco__ascii_is_word(name, "position")) { /* (what IN text) */
        taco__sql_expr *x = e->kid[0];
        e->kid[0] = e->kid[1];
        e->kid[1] = x;
    }
    return e;
}

/* A literal with its type before it: DATE '2020-01-01' is the cast of a text. NULL without an error
   if it is not one: date may be a column or a function. */
static taco__sql_expr *taco__sql_parse_expr_typed_literal(taco__parser *p, taco_bytes word,
                                                          size_t at)
{
    taco__sql_type t;
    taco__sql_expr *e;
    taco_bytes text;
    memset(&t, 0, sizeof t);
    if (p->lex.kind != TACO__TOK_STRING ||
        (!taco__pred_parse_type_name(word, &t.t) && !taco__sql_parse_type_find(word, &t.t))) {
        return NULL;
    }
    if (t.t.id != TACO_TIME && t.t.id != TACO_TIMESTAMP) { t.t.unit = TACO_SECOND; }
    if (!taco__lex_unquote(&p->lex, p->arena, &text)) { return NULL; }
    e = taco__sql_expr_add_child(
        p, taco__sql_expr_new(p, TACO__SQL_EXPR_CAST, at),
        taco__sql_expr_new_const(p, p->lex.at, taco__scalar_make_bytes(TACO_TEXT, text)));
    if (e) { e->to = t; }
    return taco__parse_next(p) ? e : NULL;
}

/* What an unquoted word begins: a constant, CASE, INTERVAL, a cast, a typed literal, a call or a
   column. */
static taco__sql_expr *taco__sql_parse_expr_word_primary(taco__parser *p)
{
    taco_bytes word = p->lex.raw;
    size_t at = p->lex.at;
    taco__sql_expr *e;
    if (taco__lex_is_word(&p->lex, "select")) {
        return taco__parse_fail(p, at, "a query in an expression is written in parentheses");
    }
    if (!taco__parse_next(p)) { return NULL; }
    if (taco__ascii_is_word(word, "exists") && taco__lex_is_sign(&p->lex, "(")) {
        return taco__parse_next(p) ? taco__sql_parse_nested(p, TACO__SQL_NESTED_EXISTS, at, NULL)
                                   : NULL;
    }
    if (taco__ascii_is_word(word, "null")) {
        return taco__sql_expr_new_const(p, at, taco__scalar_make_null());
    }
    if (taco__ascii_is_word(word, "true") || taco__ascii_is_word(word, "false")) {
        return taco__sql_expr_new_const(
            p, at, taco__scalar_make_int(TACO_BOOL, (word.data[0] | 0x20) == 't'));
    }
    if (taco__ascii_is_word(word, "case")) { return taco__sql_parse_expr_case(p, at); }
    if (taco__ascii_is_word(word, "interval")) {
        return taco__parse_accept(p, "(") ? taco__sql_parse_type_interval_of(p, at)
                                          : taco__sql_parse_type_interval(p, at);
    }
    if ((taco__ascii_is_word(word, "cast") || taco__ascii_is_word(word, "try_cast")) &&
        taco__lex_is_sign(&p->lex, "(")) {
        e = taco__parse_next(p) ? taco__parse_expr(p, TACO__BINDS_OR) : NULL;
        return e && taco__parse_expect(p, "as")
                   ? taco__sql_parse_expr_cast(p, at, e, ")", (word.data[0] | 0x20) == 't')
                   : NULL;
    }
    if (taco__ascii_is_word(word, "map") && taco__parse_accept(p, "{")) {
        return taco__sql_parse_expr_map(p, at);
    }
    e = taco__sql_parse_expr_typed_literal(p, word, at);
    if (e || !taco__parse_is_ok(p)) { return e; }
    if (taco__lex_is_sign(&p->lex, "(") &&
        (!taco__sql_parse_is_reserved(word) || taco__ascii_is_word(word, "left") ||
         taco__ascii_is_word(word, "right"))) {
        return taco__parse_next(p) ? taco__sql_parse_expr_call(p, word, at) : NULL;
    }
    if (taco__ascii_is_word(word, "current_date") ||
        taco__ascii_is_word(word, "current_timestamp") ||
        taco__ascii_is_word(word, "localtimestamp")) { /* calls without parentheses */
        e = taco__sql_expr_new(p, TACO__SQL_EXPR_CALL, at);
        if (e) {
            e->name = word;
            e->neg = true; /* for its name */
        }
        return e;
    }
    if (taco__sql_parse_is_reserved(word)) {
        TACO__FAIL(p->err, TACO_ERR_SYNTAX, at, "expected a value, found %q", &word);
        return NULL;
    }
    e = taco__sql_expr_new(p, TACO__SQL_EXPR_COLUMN, at);
    if (e) { e->name = word; }
    return e;
}

/* * [EXCLUDE (...)] or table.*, after the star. */
static taco__sql_expr *taco__sql_parse_expr_star(taco__parser *p, size_t at, taco_bytes table)
{
    taco__sql_expr *e = taco__sql_expr_new(p, TACO__SQL_EXPR_STAR, at);
    bool many;
    if (!e) { return NULL; }
    e->table = table;
    /* DuckDB has more forms after a star */
    if (taco__lex_is_word(&p->lex, "replace") || taco__lex_is_word(&p->lex, "rename") ||
        taco__lex_is_word(&p->lex, "like")) {
        return taco__parse_fail(p, p->lex.at, "of the forms after *, only EXCLUDE is supported");
    }
    if (!taco__lex_is_word(&p->lex, "exclude")) { return e; }
    taco__parse_next(p);
    /* EXCLUDE takes one name without parentheses */
    many = taco__parse_accept(p, "(");
    do {
        taco__sql_expr *c = taco__sql_expr_new(p, TACO__SQL_EXPR_COLUMN, p->lex.at);
        if (!c || !taco__sql_parse_name(p, false, &c->name)) {
            taco__lex_fail_expected(&p->lex, "a column");
            return NULL;
        }
        if (taco__parse_accept(p, ".")) {
            c->table = c->name;
            if (!taco__sql_parse_name(p, true, &c->name)) {
                taco__lex_fail_expected(&p->lex, "a column");
                return NULL;
            }
        }
        if (!taco__sql_expr_add_child(p, e, c)) { return NULL; }
    } while (many && taco__parse_accept(p, ","));
    return !many || taco__parse_expect(p, ")") ? e : NULL;
}

/* An operand without signs and suffixes. */
static taco__sql_expr *taco__sql_parse_expr_primary(taco__parser *p)
{
    size_t at = p->lex.at;
    taco__sql_expr *e = NULL;
    switch (p->lex.kind) {
    case TACO__TOK_NUMBER:
        e = taco__sql_expr_new_const(p, at,
                                     taco__pred_parse_number(p->lex.raw, p->lex.integral, false));
        return taco__parse_next(p) ? e : NULL;
    case TACO__TOK_STRING: {
        taco_bytes text;
        if (!taco__lex_unquote(&p->lex, p->arena, &text)) { return NULL; }
        e = taco__sql_expr_new_const(p, at, taco__scalar_make_bytes(TACO_TEXT, text));
        return taco__parse_next(p) ? e : NULL;
    }
    case TACO__TOK_QUOTED:
        e = taco__sql_expr_new(p, TACO__SQL_EXPR_COLUMN, at);
        if (!e || !taco__sql_parse_name(p, false, &e->name)) { return NULL; }
        return taco__parse_accept(p, "(") ? taco__sql_parse_expr_call(p, e->name, at) : e;
    case TACO__TOK_NAME: return taco__sql_parse_expr_word_primary(p);
    case TACO__TOK_BLOB:
        return taco__parse_fail(p, at, "blob literals are not supported: write '...'::BLOB");
    default: break;
    }
    if (taco__parse_accept(p, "(")) {
        if (taco__sql_parse_begins_query(p) && !taco__lex_is_sign(&p->lex, "(")) {
            return taco__sql_parse_nested(p, TACO__SQL_NESTED_SCALAR, at, NULL);
        }
        e = taco__parse_expr(p, TACO__BINDS_OR);
        if (e && taco__lex_is_sign(&p->lex, ",")) { return taco__sql_parse_expr_row(p, at, e); }
        return e && taco__parse_expect(p, ")") ? e : NULL;
    }
    if (taco__parse_accept(p, "[")) { return taco__sql_parse_expr_list(p, at); }
    if (taco__parse_accept(p, "{")) { return taco__sql_parse_expr_struct(p, at); }
    if (taco__parse_accept(p, "*")) {
        return taco__sql_parse_expr_star(p, at, taco__bytes_of(NULL, 0));
    }
    if (taco__parse_is_ok(p)) { taco__lex_fail_expected(&p->lex, "a value"); }
    return NULL;
}

/* An end of a slice; if it is omitted, at the sign that follows. */
static taco__sql_expr *taco__sql_parse_expr_bound(taco__parser *p)
{
    size_t at = p->lex.at;
    taco__lexer before = p->lex;
    taco__sql_expr *e;
    bool minus = taco__parse_accept(p, "-"); /* a lone - is an omitted end, too */
    if (taco__lex_is_sign(&p->lex, ":") || taco__lex_is_sign(&p->lex, "]")) {
        e = taco__sql_expr_new_const(p, at, taco__scalar_make_null());
        if (e) {
            e->infix = true; /* only the - was written */
            e->neg = minus;
        }
        return e;
    }
    if (!taco__parse_is_ok(p)) { return NULL; }
    p->lex = before;
    return taco__parse_expr(p, TACO__BINDS_OR);
}

/* value[index], value[from:to] or value[from:to:step], after the bracket. */
static taco__sql_expr *taco__sql_parse_expr_index(taco__parser *p, taco__sql_expr *value)
{
    taco__sql_expr *e, *from = taco__sql_parse_expr_bound(p);
    bool slice = from && taco__parse_accept(p, ":");
    e = taco__sql_expr_new(p, slice ? TACO__SQL_EXPR_SLICE : TACO__SQL_EXPR_INDEX, value->at);
    e = taco__sql_expr_add_child(p, taco__sql_expr_add_child(p, e, value), from);
    if (slice) { e = taco__sql_expr_add_child(p, e, taco__sql_parse_expr_bound(p)); }
    if (e && slice && taco__parse_accept(p, ":")) {
        e = taco__sql_expr_add_child(p, e, taco__parse_expr(p, TACO__BINDS_OR));
    }
    return e && taco__parse_expect(p, "]") ? e : NULL;
}

/* value.name or table.*, after the dot, which is at `at`. Whether value is a table is decided when
   names are looked up. */
static taco__sql_expr *taco__sql_parse_expr_field(taco__parser *p, taco__sql_expr *value, size_t at)
{
    taco__sql_expr *f;
    if (taco__lex_is_sign(&p->lex, "*") && value->kind == TACO__SQL_EXPR_COLUMN &&
        !value->table.len) {
        return taco__parse_next(p) ? taco__sql_parse_expr_star(p, value->at, value->name) : NULL;
    }
    f = taco__sql_expr_add_child(p, taco__sql_expr_new(p, TACO__SQL_EXPR_FIELD, value->at), value);
    if (!f || !taco__sql_parse_name(p, true, &f->name)) {
        taco__lex_fail_expected(&p->lex, "a name after the dot");
        return NULL;
    }
    if (taco__lex_is_sign(&p->lex, "(")) {
        return taco__parse_fail(p, at, "calls after a dot are not supported");
    }
    f->infix = true; /* table.column, until it is bound */
    return f;
}

/* An operand and what follows it: .field, [index], [from:to], ::type. */
static taco__sql_expr *taco__sql_parse_expr_postfix(taco__parser *p)
{
    bool parenthesis = taco__lex_is_sign(&p->lex, "(");
    taco__sql_expr *e = taco__sql_parse_expr_primary(p), *first = e, *value;
    while (e && taco__parse_is_ok(p)) {
        size_t at = p->lex.at;
        if (taco__parse_accept(p, ".")) {
            bool star = taco__lex_is_sign(&p->lex, "*");
            value = e;
            e = taco__sql_parse_expr_field(p, e, at);
            if (star) { return e; }
            /* (x).y is called that */
            if (e) { e->tries = parenthesis && value == first; }
        } else if (taco__parse_accept(p, "::")) {
            e = taco__sql_parse_expr_cast(p, e->at, e, NULL, false);
        } else if (taco__parse_accept(p, "[")) {
            e = taco__sql_parse_expr_index(p, e);
        } else if (taco__parse_accept(p, "!")) { /* a factorial */
            e = taco__sql_expr_new_call(p, "!", at, e, NULL);
        } else {
            break;
        }
    }
    return taco__parse_is_ok(p) ? e : NULL;
}

/* An operand with its signs: taco__dialect.operand. -5 is one literal, and so is - - 5. Its type is
   that of 5, except that HUGEINT becomes BIGINT where that holds it: -2147483648 is a BIGINT. Each
   sign counts for the depth. */
static taco__sql_expr *taco__sql_parse_expr_unary(taco__parser *p)
{
    size_t at = p->lex.at;
    taco__sql_expr *e;
    const char *sign = taco__lex_is_sign(&p->lex, "-")   ? "-"
                       : taco__lex_is_sign(&p->lex, "+") ? "+"
                       : taco__lex_is_sign(&p->lex, "~") ? "~"
                       : taco__lex_is_sign(&p->lex, "@") ? "@"
                                                         : NULL;
    if (!sign) { return taco__sql_parse_expr_postfix(p); }
    if (++p->depth > p->max_depth) { return taco__parse_fail_depth(p); }
    /* signs nest: - - 5 */
    e = taco__parse_next(p) ? taco__sql_parse_expr_unary(p) : NULL;
    p->depth--;
    if (e && *sign == '-' && e->kind == TACO__SQL_EXPR_CONST && !e->infix &&
        taco__scalar_is_number(e->value.type.id)) { /* -5 is a literal */
        e->value.d = taco__i256_negate(e->value.d);
        e->value.f = -e->value.f;
        e->neg = true;
        if (taco__scalar_is_int(e->value.type.id) || e->value.type.precision == 39) {
            if (taco__i256_is_i64(&e->value.d)) {
                if (!taco__scalar_is_int(e->value.type.id)) {
                    e->value.type = taco__scalar_simple_type(TACO_INT64);
                }
                e->literal = 1;
            } else { /* - -9223372036854775808 is above BIGINT */
                e->value.type = taco__sql_type_hugeint().t;
            }
        }
        e->at = at;
        return e;
    }
    return e ? taco__sql_expr_new_call(p, sign, at, e, NULL) : NULL;
}

/* ---- operators ---- */

/* taco__dialect.find_operator: those of conditions, and those that make values. */
static int taco__sql_parse_expr_find_operator(taco__parser *p, const char **name)
{
    static const struct {
        const char *sign;
        int strength;
    } signs[] = {
        {"||", TACO__BINDS_VALUE},   {"+", TACO__BINDS_ADD},      {"-", TACO__BINDS_ADD},
        {"**", TACO__BINDS_POWER},   {"^", TACO__BINDS_POWER},    {"&", TACO__BINDS_VALUE},
        {"|", TACO__BINDS_VALUE},    {"<<", TACO__BINDS_VALUE},   {">>", TACO__BINDS_VALUE},
        {"^@", TACO__BINDS_VALUE},   {"@>", TACO__BINDS_VALUE},   {"<@", TACO__BINDS_VALUE},
        {"&&", TACO__BINDS_VALUE},   {"<->", TACO__BINDS_VALUE},  {"<=>", TACO__BINDS_VALUE},
        {"~", TACO__BINDS_VALUE},    {"!~", TACO__BINDS_VALUE},   {"~~~", TACO__BINDS_VALUE},
        {"*", TACO__BINDS_MULTIPLY}, {"/", TACO__BINDS_MULTIPLY}, {"//", TACO__BINDS_MULTIPLY},
        {"%", TACO__BINDS_MULTIPLY}, {"~~", TACO__BINDS_VALUE},   {"!~~", TACO__BINDS_VALUE},
        {"~~*", TACO__BINDS_VALUE},  {"!~~*", TACO__BINDS_VALUE}};

    int strength = taco__parse_find_operator(p, name);
    if (!strength &&
        (taco__lex_is_word(&p->lex, "similar") || taco__lex_is_word(&p->lex, "glob"))) {
        strength = TACO__BINDS_IN;
    }
    size_t i;
    for (i = 0; !strength && p->lex.kind == TACO__TOK_SIGN && i < TACO__COUNT(signs); i++) {
        if (taco__lex_is_sign(&p->lex, signs[i].sign)) {
            *name = signs[i].sign;
            strength = signs[i].strength;
        }
    }
    return strength;
}

/* A call written as an operator that is named as a call, or its negation. */
static taco__sql_expr *taco__sql_parse_expr_negated(taco__parser *p, taco__sql_expr *e, bool neg,
                                                    size_t at)
{
    if (e) { e->infix = false; }
    return e && neg ? taco__sql_expr_add_child(p, taco__sql_expr_new(p, TACO__SQL_EXPR_NOT, at), e)
                    : e;
}

/* taco__dialect.test: SIMILAR TO and GLOB, and IN before a list, which is contains(list, left). */
static taco__sql_expr *taco__sql_parse_expr_test(taco__parser *p, taco__sql_expr *left, bool neg,
                                                 size_t at)
{
    taco__sql_expr *right;
    bool similar = taco__lex_is_word(&p->lex, "similar"), glob = taco__lex_is_word(&p->lex, "glob");
    if (glob && neg) { return taco__parse_fail(p, p->lex.at, "write NOT (a GLOB b)"); }
    if (((similar || glob) && !taco__parse_next(p)) || (similar && !taco__parse_expect(p, "to"))) {
        return NULL;
    }
    right = taco__parse_expr(p, TACO__BINDS_VALUE);
    if (!right) { return NULL; }
    if (glob) { return taco__sql_expr_new_call(p, "~~~", at, left, right); }
    return taco__sql_parse_expr_negated(
        p,
        similar ? taco__sql_expr_new_call(p, "regexp_full_match", at, left, right)
                : taco__sql_expr_new_call(p, "contains", at, right, left),
        neg, at);
}

/* What parser.c needs to know about SELECT. */
TACO__FN const taco__dialect *taco__sql_parse_expr_dialect(void)
{
    static const taco__dialect dialect = {false,
                                          1,
                                          "an expression deeper than %u, see limits.max_depth",
                                          "from",
                                          "(",
                                          ")",
                                          "and",
                                          taco__sql_parse_expr_unary,
                                          taco__sql_parse_expr_find_operator,
                                          taco__sql_parse_member,
                                          taco__sql_parse_expr_test};
    return &dialect;
}
