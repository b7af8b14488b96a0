/* sql_parse_expr.c - dialect of SELECT: operands of expressions and operators of values

   The operators of conditions and their precedence are filter/parser.c's, which calls the two
   functions that taco__sql_parse_expr_dialect names: an operand with its sign and what follows it
   (.field, [index], ::type), and operators beyond comparisons (+ || // and others). Calls keep the
   name as it was written: sql_expr_text.c makes the name of a result's column of it. */
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

/* x AS type, at the type; `until` is the sign that ends it, NULL after ::. */
static taco__sql_expr *taco__sql_parse_expr_cast(taco__parser *p, size_t at, taco__sql_expr *x,
                                                 const char *until, bool tries)
{
    taco__sql_expr *e =
        taco__sql_expr_add_child(p, taco__sql_expr_new(p, TACO__SQL_EXPR_CAST, at), x);
    if (!e || !taco__sql_parse_type(p, &e->to) || (until && !taco__parse_expect(p, until))) {
        return NULL;
    }
    e->tries = tries;
    return e;
}

/* What stands between two arguments: a comma, or one of the words of position and substring. False
   at the end. */
static bool taco__sql_parse_expr_separator(taco__parser *p, taco__sql_expr *e)
{
    if (e->n == 1 && taco__ascii_is_word(e->name, "position") && taco__lex_is_word(&p->lex, "in")) {
        return taco__parse_next(p);
    }
    if (e->n < 3 && taco__ascii_is_word(e->name, "substring") &&
        (taco__lex_is_word(&p->lex, "from") || taco__lex_is_word(&p->lex, "for"))) {
        e->tries = true; /* for its name */
        return taco__parse_next(p);
    }
    return taco__parse_accept(p, ",");
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

/* Arguments up to the closing parenthesis, DISTINCT and FILTER. */
static taco__sql_expr *taco__sql_parse_expr_args(taco__parser *p, taco__sql_expr *e)
{
    if (taco__lex_is_sign(&p->lex, "*")) {
        if (!taco__parse_next(p)) { return NULL; }
        if (!taco__ascii_is_word(e->name, "count")) {
            return taco__parse_fail(p, e->at, "only COUNT takes *");
        }
    } else if (!taco__lex_is_sign(&p->lex, ")")) {
        e->distinct = taco__parse_accept_word(p, "distinct");
        do {
            if (!taco__sql_expr_add_child(p, e, taco__parse_expr(p, TACO__BINDS_OR))) {
                return NULL;
            }
            if (taco__lex_is_sign(&p->lex, "=>") || taco__lex_is_sign(&p->lex, ":=")) {
                return taco__parse_fail(p, p->lex.at, "named arguments are not supported");
            }
        } while (taco__sql_parse_expr_separator(p, e));
    }
    if (taco__lex_is_word(&p->lex, "order")) {
        return taco__parse_fail(p, p->lex.at, "ORDER BY inside an aggregate is not supported");
    }
    if (!taco__parse_expect(p, ")") ||
        (taco__parse_accept_word(p, "filter") && !taco__sql_parse_expr_filter(p, e))) {
        return NULL;
    }
    if (taco__lex_is_word(&p->lex, "over")) {
        return taco__parse_fail(p, p->lex.at, "window functions (OVER) are not supported");
    }
    if (taco__lex_is_word(&p->lex, "within")) {
        return taco__parse_fail(p, p->lex.at, "WITHIN GROUP is not supported");
    }
    return e;
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
        if ((p->lex.kind != TACO__TOK_NAME && p->lex.kind != TACO__TOK_STRING) ||
            !taco__parse_next(p) || !taco__parse_expect(p, "from")) {
            taco__lex_fail_expected(&p->lex, "a part of a date and FROM");
            return NULL;
        }
        e->name = taco__bytes_text("date_part");
        e->tries = true;
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
    if (e && e->n == 2 && taco__ascii_is_word(name, "position")) { /* (what IN text) */
        taco__sql_expr *x = e->kid[0];
        e->kid[0] = e->kid[1];
        e->kid[1] = x;
    }
    return e;
}

/* A literal with its type in front: DATE '2020-01-01' is the cast of a text. NULL without an error
   when it is none: date may be a column or a function. */
static taco__sql_expr *taco__sql_parse_expr_typed_literal(taco__parser *p, taco_bytes word,
                                                          size_t at)
{
    taco__sql_type t;
    taco__sql_expr *e;
    taco_bytes text;
    memset(&t, 0, sizeof t);
    if (p->lex.kind != TACO__TOK_STRING || !taco__pred_parse_type_name(word, &t.t)) { return NULL; }
    if (t.t.id != TACO_TIME && t.t.id != TACO_TIMESTAMP) { t.t.unit = TACO_SECOND; }
    if (!taco__lex_unquote(&p->lex, p->arena, &text)) { return NULL; }
    e = taco__sql_expr_add_child(
        p, taco__sql_expr_new(p, TACO__SQL_EXPR_CAST, at),
        taco__sql_expr_new_const(p, p->lex.at, taco__scalar_make_bytes(TACO_TEXT, text)));
    if (e) { e->to = t; }
    return taco__parse_next(p) ? e : NULL;
}

/* What a bare word begins: a constant, CASE, INTERVAL, a cast, a typed literal, a call or a
   column. */
static taco__sql_expr *taco__sql_parse_expr_word_primary(taco__parser *p)
{
    taco_bytes word = p->lex.raw;
    size_t at = p->lex.at;
    taco__sql_expr *e;
    if (taco__lex_is_word(&p->lex, "exists") || taco__lex_is_word(&p->lex, "select")) {
        return taco__parse_fail(p, at, "subqueries are not supported");
    }
    if (!taco__parse_next(p)) { return NULL; }
    if (taco__ascii_is_word(word, "null")) {
        return taco__sql_expr_new_const(p, at, taco__scalar_make_null());
    }
    if (taco__ascii_is_word(word, "true") || taco__ascii_is_word(word, "false")) {
        return taco__sql_expr_new_const(
            p, at, taco__scalar_make_int(TACO_BOOL, (word.data[0] | 0x20) == 't'));
    }
    if (taco__ascii_is_word(word, "case")) { return taco__sql_parse_expr_case(p, at); }
    if (taco__ascii_is_word(word, "interval") && !taco__lex_is_sign(&p->lex, "(")) {
        return taco__sql_parse_type_interval(p, at);
    }
    if ((taco__ascii_is_word(word, "cast") || taco__ascii_is_word(word, "try_cast")) &&
        taco__lex_is_sign(&p->lex, "(")) {
        e = taco__parse_next(p) ? taco__parse_expr(p, TACO__BINDS_OR) : NULL;
        return e && taco__parse_expect(p, "as")
                   ? taco__sql_parse_expr_cast(p, at, e, ")", (word.data[0] | 0x20) == 't')
                   : NULL;
    }
    e = taco__sql_parse_expr_typed_literal(p, word, at);
    if (e || !taco__parse_is_ok(p)) { return e; }
    if (taco__lex_is_sign(&p->lex, "(") &&
        (!taco__sql_parse_is_reserved(word) || taco__ascii_is_word(word, "left") ||
         taco__ascii_is_word(word, "right"))) {
        return taco__parse_next(p) ? taco__sql_parse_expr_call(p, word, at) : NULL;
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
        return taco__parse_fail(p, p->lex.at, "of the forms behind *, only EXCLUDE is supported");
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
        return e && taco__sql_parse_name(p, false, &e->name) ? e : NULL;
    case TACO__TOK_NAME: return taco__sql_parse_expr_word_primary(p);
    case TACO__TOK_BLOB:
        return taco__parse_fail(p, at, "blob literals are not supported: write '...'::BLOB");
    default: break;
    }
    if (taco__parse_accept(p, "(")) {
        if (taco__lex_is_word(&p->lex, "select") || taco__lex_is_word(&p->lex, "with")) {
            return taco__parse_fail(p, p->lex.at, "subqueries are not supported");
        }
        e = taco__parse_expr(p, TACO__BINDS_OR);
        if (e && taco__lex_is_sign(&p->lex, ",")) {
            return taco__parse_fail(p, p->lex.at, "rows in parentheses are not supported");
        }
        return e && taco__parse_expect(p, ")") ? e : NULL;
    }
    if (taco__lex_is_sign(&p->lex, "[") || taco__lex_is_sign(&p->lex, "{")) {
        return taco__parse_fail(p, at, "lists and structs cannot be written here");
    }
    if (taco__parse_accept(p, "*")) {
        return taco__sql_parse_expr_star(p, at, taco__bytes_of(NULL, 0));
    }
    if (taco__parse_is_ok(p)) { taco__lex_fail_expected(&p->lex, "a value"); }
    return NULL;
}

/* An end of a slice, at the sign that follows where it is open. */
static taco__sql_expr *taco__sql_parse_expr_bound(taco__parser *p, const char *open)
{
    return taco__lex_is_sign(&p->lex, open)
               ? taco__sql_expr_new_const(p, p->lex.at, taco__scalar_make_null())
               : taco__parse_expr(p, TACO__BINDS_OR);
}

/* value[index] or value[from:to], after the bracket. */
static taco__sql_expr *taco__sql_parse_expr_index(taco__parser *p, taco__sql_expr *value)
{
    taco__sql_expr *e, *from = taco__sql_parse_expr_bound(p, ":");
    bool slice = from && taco__parse_accept(p, ":");
    e = taco__sql_expr_new(p, slice ? TACO__SQL_EXPR_SLICE : TACO__SQL_EXPR_INDEX, value->at);
    e = taco__sql_expr_add_child(p, taco__sql_expr_add_child(p, e, value), from);
    if (slice) { e = taco__sql_expr_add_child(p, e, taco__sql_parse_expr_bound(p, "]")); }
    if (e && taco__lex_is_sign(&p->lex, ":")) {
        return taco__parse_fail(p, p->lex.at, "slices with a step are not supported");
    }
    return e && taco__parse_expect(p, "]") ? e : NULL;
}

/* value.name or table.*, after the point, which is at `at`. Whether value is a table is not known
   before names are. */
static taco__sql_expr *taco__sql_parse_expr_field(taco__parser *p, taco__sql_expr *value, size_t at)
{
    taco__sql_expr *f;
    if (taco__lex_is_sign(&p->lex, "*") && value->kind == TACO__SQL_EXPR_COLUMN &&
        !value->table.len) {
        return taco__parse_next(p) ? taco__sql_parse_expr_star(p, value->at, value->name) : NULL;
    }
    f = taco__sql_expr_add_child(p, taco__sql_expr_new(p, TACO__SQL_EXPR_FIELD, value->at), value);
    if (!f || !taco__sql_parse_name(p, true, &f->name)) {
        taco__lex_fail_expected(&p->lex, "a name behind the point");
        return NULL;
    }
    if (taco__lex_is_sign(&p->lex, "(")) {
        return taco__parse_fail(p, at, "calls behind a point are not supported");
    }
    f->infix = true; /* table.column, until it is bound */
    return f;
}

/* An operand and what follows it: .field, [index], [from:to], ::type. */
static taco__sql_expr *taco__sql_parse_expr_postfix(taco__parser *p)
{
    taco__sql_expr *e = taco__sql_parse_expr_primary(p);
    while (e && taco__parse_is_ok(p)) {
        size_t at = p->lex.at;
        if (taco__parse_accept(p, ".")) {
            bool star = taco__lex_is_sign(&p->lex, "*");
            e = taco__sql_parse_expr_field(p, e, at);
            if (star) { return e; }
        } else if (taco__parse_accept(p, "::")) {
            e = taco__sql_parse_expr_cast(p, e->at, e, NULL, false);
        } else if (taco__parse_accept(p, "[")) {
            e = taco__sql_parse_expr_index(p, e);
        } else {
            break;
        }
    }
    return taco__parse_is_ok(p) ? e : NULL;
}

/* An operand with its signs: taco__dialect.operand. -5 is one literal, of the type that holds -5,
   so that -2147483648 is an INTEGER and not the negation of a BIGINT; - - 5 is the negation of
   that literal. Each sign counts for the depth. */
static taco__sql_expr *taco__sql_parse_expr_unary(taco__parser *p)
{
    size_t at = p->lex.at;
    taco__sql_expr *e;
    const char *sign = taco__lex_is_sign(&p->lex, "-")   ? "-"
                       : taco__lex_is_sign(&p->lex, "+") ? "+"
                                                         : NULL;
    if (!sign) { return taco__sql_parse_expr_postfix(p); }
    if (++p->depth > p->max_depth) { return taco__parse_fail_depth(p); }
    /* signs nest: - - 5 */
    e = taco__parse_next(p) ? taco__sql_parse_expr_unary(p) : NULL;
    p->depth--;
    if (e && *sign == '-' && e->kind == TACO__SQL_EXPR_CONST && !e->neg && !e->infix &&
        taco__scalar_is_number(e->value.type.id)) { /* -5 is a literal */
        e->value.d = taco__i256_negate(e->value.d);
        e->value.f = -e->value.f;
        e->neg = true;
        if (taco__scalar_is_int(e->value.type.id) || e->value.type.precision == 39) {
            int64_t x = (int64_t)e->value.d.w[0];
            if (taco__i256_is_i64(&e->value.d)) {
                e->value.type = taco__scalar_simple_type(
                    x >= INT32_MIN && x <= INT32_MAX ? TACO_INT32 : TACO_INT64);
                e->literal = 1;
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
        {"*", TACO__BINDS_MULTIPLY}, {"/", TACO__BINDS_MULTIPLY}, {"//", TACO__BINDS_MULTIPLY},
        {"%", TACO__BINDS_MULTIPLY}, {"~~", TACO__BINDS_VALUE},   {"!~~", TACO__BINDS_VALUE},
        {"~~*", TACO__BINDS_VALUE},  {"!~~*", TACO__BINDS_VALUE}};

    int strength = taco__parse_find_operator(p, name);
    size_t i;
    for (i = 0; !strength && p->lex.kind == TACO__TOK_SIGN && i < TACO__COUNT(signs); i++) {
        if (taco__lex_is_sign(&p->lex, signs[i].sign)) {
            *name = signs[i].sign;
            strength = signs[i].strength;
        }
    }
    return strength;
}

/* What parser.c needs to know of a SELECT. */
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
                                          taco__sql_parse_expr_find_operator};
    return &dialect;
}
