/* predicate_parse.c - the dialect of `where`: conditions that a scan can test.

   In: the text of taco_query.where, taco_filter.where or taco_pq_query.where. Out: a predicate that
   is not bound yet (taco__expr). The expression parser of parser.c reads it; this file adds the
   operands, literals and columns, and messages that name what DuckDB supports and a `where` does
   not. Start at taco__pred_parse, at the end. The SELECT parser uses the first half, types of
   literals, too. */
#include "filter.h"
#include "../base/base.h"

/* ---- literals ---- */

static double taco__pred_parse_f64(taco_bytes raw, bool neg)
{
    double x = 0;
    taco__num_parse_f64(raw, &x);
    return neg ? -x : x;
}

/* DuckDB's types of numeric literals: the smallest of INT32, INT64 and HUGEINT that fits; DECIMAL
   up to 38 digits with a point; DOUBLE otherwise. With TACO_NO_DECIMALS a DECIMAL becomes the
   nearest DOUBLE. */
TACO__FN TACO__ONCE taco__scalar taco__pred_parse_number(taco_bytes raw, bool integral, bool neg)
{
    taco__scalar v = taco__scalar_make_int(TACO_INT32, 0);
    const uint8_t *point = NULL;
    size_t i;
    bool exponent = false;
    if (!TACO__WITH_DECIMALS) { v.f = taco__pred_parse_f64(raw, neg); }
    for (i = 0; i < raw.len; i++) {
        exponent = exponent || (raw.data[i] | 0x20) == 'e';
        point = raw.data[i] == '.' ? raw.data + i : point;
    }
    if (integral && raw.len <= 60) { taco__scalar_parse_exact(raw, 0, &v.d); /* which fit */ }
    if (integral && raw.len <= 60 && v.d.w[3] == 0 && v.d.w[2] == 0) {
        v.d = neg ? taco__i256_negate(v.d) : v.d;
        v.type.precision = 39;
        v.type.id = TACO_DECIMAL;
        if (taco__i256_is_i64(&v.d)) {
            int64_t x = (int64_t)v.d.w[0];
            v.type = taco__scalar_simple_type(x >= INT32_MIN && x <= INT32_MAX ? TACO_INT32
                                                                               : TACO_INT64);
        }
        return v;
    }
    if (point && !exponent && raw.len - 1 <= 38) {
        v.type.id = TACO_DECIMAL;
        v.type.precision = (int32_t)raw.len - 1;
        v.type.scale = (int32_t)(raw.len - 1 - (size_t)(point - raw.data));
        taco__scalar_parse_exact(raw, v.type.scale, &v.d); /* so few digits fit */
        v.d = neg ? taco__i256_negate(v.d) : v.d;
        return v;
    }
    return taco__scalar_make_double(TACO_DOUBLE, taco__pred_parse_f64(raw, neg));
}

/* The types that a literal in quotes may be given, before it or after `::`. Plain timestamps have
   microseconds. */
TACO__FN TACO__ONCE bool taco__pred_parse_type_name(taco_bytes name, taco__scalar_type *out)
{
    static const struct {
        const char *name;
        taco_type id;
    } types[] = {{"date", TACO_DATE},
                 {"timestamp", TACO_TIMESTAMP},
                 {"datetime", TACO_TIMESTAMP},
                 {"timestamptz", TACO_TIMESTAMP},
                 {"timestamp_ns", TACO_TIMESTAMP},
                 {"timestamp_us", TACO_TIMESTAMP},
                 {"time", TACO_TIME},
                 {"blob", TACO_BINARY},
                 {"bytea", TACO_BINARY},
                 {"varbinary", TACO_BINARY},
                 {"uuid", TACO_UUID},
                 {"varchar", TACO_TEXT},
                 {"text", TACO_TEXT},
                 {"string", TACO_TEXT},
                 {"bool", TACO_BOOL},
                 {"boolean", TACO_BOOL},
                 {"tinyint", TACO_INT8},
                 {"smallint", TACO_INT16},
                 {"int", TACO_INT32},
                 {"integer", TACO_INT32},
                 {"bigint", TACO_INT64},
                 {"utinyint", TACO_UINT8},
                 {"usmallint", TACO_UINT16},
                 {"uinteger", TACO_UINT32},
                 {"ubigint", TACO_UINT64},
                 {"float", TACO_FLOAT},
                 {"real", TACO_FLOAT},
                 {"double", TACO_DOUBLE}};

    size_t i;
    for (i = 0; i < TACO__COUNT(types); i++) {
        if (taco__ascii_is_word(name, types[i].name)) {
            *out = taco__scalar_simple_type(types[i].id);
            out->unit = TACO_MICRO;
            if (taco__ascii_is_word(name, "timestamp_ns")) { out->unit = TACO_NANO; }
            out->utc = taco__ascii_is_word(name, "timestamptz");
            return true;
        }
    }
    return false;
}

/* ---- not supported in a `where` ---- */

/* SQL that is valid elsewhere is named as unsupported, so that nobody searches for a typing
   error. */
static TACO__COLD taco__sql_expr *
taco__pred_parse_unsupported(taco__parser *p, size_t at, const char *what, const taco_bytes *found)
{
    TACO__FAIL(p->err, TACO_ERR_SYNTAX, at, "%s (%q) is not supported in a condition", what, found);
    return NULL;
}

/* Reports what may not follow a value by name: arithmetic, casts, subscripts. False with an error
   if the token is one of these. */
static TACO__ONCE bool taco__pred_parse_refuse_follower(taco__parser *p)
{
    const taco__lexer *l = &p->lex;
    const char *what = NULL;
    if (l->kind == TACO__TOK_SIGN && taco__ascii_is_among(l->raw.data[0], "+-*/%^|&<>#@!~?$:.[{")) {
        what = taco__lex_is_sign(l, "::")  ? "a cast"
               : taco__lex_is_sign(l, "[") ? "a subscript"
               : taco__lex_is_sign(l, ".") ? "a qualified name or a field"
               : taco__lex_is_sign(l, ":") ? "a colon outside \"quotes\""
               : l->raw.len == 1 && taco__ascii_is_among(l->raw.data[0], "+-*/%") ? "arithmetic"
                                                                                  : "the operator";
    } else if (taco__lex_is_word(l, "similar") || taco__lex_is_word(l, "glob") ||
               taco__lex_is_word(l, "collate")) {
        what = "the operator";
    }
    if (what) {
        taco_bytes found = l->raw;
        taco__pred_parse_unsupported(p, l->at, what, &found);
    }
    return !what;
}

/* taco__dialect.find_operator: those of parser.c, and errors for operators not allowed here. */
static TACO__ONCE int taco__pred_parse_find_operator(taco__parser *p, const char **name)
{
    int strength = taco__parse_find_operator(p, name);
    if (strength == TACO__BINDS_IN && taco__lex_is_word(&p->lex, "not")) {
        taco__lexer saved = p->lex;
        int after = taco__parse_next(p) ? taco__parse_find_operator(p, name) : 0;
        if (!taco__parse_is_ok(p)) { return 0; }
        if (after != TACO__BINDS_IN || taco__lex_is_word(&p->lex, "not")) {
            if (after || taco__pred_parse_refuse_follower(p)) {
                taco__parse_fail_expected(p, "IN, BETWEEN, LIKE or ILIKE after NOT");
            }
            return 0;
        }
        p->lex = saved;
    }
    return strength || !taco__pred_parse_refuse_follower(p) ? strength : 0;
}

/* ---- operands ---- */

/* The text as a literal of that type; `at` is the position of the text. */
static TACO__ONCE taco__sql_expr *taco__pred_parse_typed_literal(taco__parser *p, size_t at,
                                                                 taco_bytes text,
                                                                 const taco__scalar_type *t)
{
    taco__scalar v;
    taco__sql_expr *e;
    if (!taco__scalar_parse(p->arena, text, t, &v, p->err)) {
        TACO__FAIL(p->err, TACO_ERR_SYNTAX, at, "%q is not a %s", &text,
                   taco__scalar_type_name(t->id));
        return NULL;
    }
    e = taco__sql_expr_new_const(p, at, v);
    if (e) { e->literal = 0; }
    return e;
}

/* 'text', at the STRING token; with `type` NULL it takes the type of the other operand. Accepts
   '...'::type too. */
static TACO__ONCE taco__sql_expr *taco__pred_parse_string(taco__parser *p,
                                                          const taco__scalar_type *type)
{
    size_t at = p->lex.at;
    taco_bytes text;
    taco__scalar_type t;
    if (!taco__lex_unquote(&p->lex, p->arena, &text) || !taco__parse_next(p)) { return NULL; }
    if (type) { return taco__pred_parse_typed_literal(p, at, text, type); }
    if (taco__lex_is_sign(&p->lex, "::")) {
        if (!taco__parse_next(p)) { return NULL; }
        if (p->lex.kind != TACO__TOK_NAME || !taco__pred_parse_type_name(p->lex.raw, &t)) {
            return taco__parse_fail_expected(p, "a type");
        }
        return taco__parse_next(p) ? taco__pred_parse_typed_literal(p, at, text, &t) : NULL;
    }
    return taco__sql_expr_new_const(p, at, taco__scalar_make_bytes(TACO_TEXT, text));
}

/* X'hex digits' */
static TACO__ONCE taco__sql_expr *taco__pred_parse_blob(taco__parser *p)
{
    size_t at = p->lex.at;
    taco__scalar v = taco__scalar_make_bytes(TACO_BINARY, p->lex.raw);
    if (!taco__scalar_parse_blob(p->arena, p->lex.raw, true, &v.b, p->err)) {
        return taco__parse_fail(p, at, "X'...' needs pairs of hexadecimal digits");
    }
    return taco__parse_next(p) ? taco__sql_expr_new_const(p, at, v) : NULL;
}

/* A literal with its type before it, after the word of the type: DATE '...', TIMESTAMP WITH TIME
   ZONE '...'. NULL without an error if it is not one. */
static TACO__ONCE taco__sql_expr *taco__pred_parse_prefixed_literal(taco__parser *p,
                                                                    taco_bytes word)
{
    taco__scalar_type t;
    if (!taco__pred_parse_type_name(word, &t)) { return NULL; }
    if (taco__ascii_is_word(word, "timestamp") && taco__lex_is_word(&p->lex, "with")) {
        if (!taco__parse_next(p) || !taco__parse_accept_word(p, "time") ||
            !taco__parse_accept_word(p, "zone")) {
            return taco__parse_fail_expected(p, "TIME ZONE");
        }
        t.utc = true;
        return p->lex.kind == TACO__TOK_STRING ? taco__pred_parse_string(p, &t)
                                               : taco__parse_fail_expected(p, "a text in quotes");
    }
    return p->lex.kind == TACO__TOK_STRING ? taco__pred_parse_string(p, &t) : NULL;
}

/* Words that never name a column unless quoted: so a missing operand is reported where it is
   missing. */
static TACO__ONCE bool taco__pred_parse_is_reserved(taco_bytes b)
{
    static const char *const words[] = {
        "and",    "or",      "not",     "in",     "is",    "between", "like", "ilike", "escape",
        "isnull", "notnull", "similar", "glob",   "then",  "when",    "else", "end",   "from",
        "where",  "group",   "order",   "having", "limit", "union",   "as",   "on",    "collate"};
    size_t i;
    for (i = 0; i < TACO__COUNT(words); i++) {
        if (taco__ascii_is_word(b, words[i])) { return true; }
    }
    return false;
}

/* The name of the unsupported construct that a word begins; NULL if it begins none. */
static TACO__ONCE const char *taco__pred_parse_unsupported_word(taco_bytes word)
{
    if (taco__ascii_is_word(word, "case")) { return "CASE"; }
    if (taco__ascii_is_word(word, "interval")) { return "INTERVAL"; }
    return taco__ascii_is_word(word, "select") || taco__ascii_is_word(word, "exists") ? "a subquery"
                                                                                      : NULL;
}

/* An unquoted word where a value is expected: a constant, a typed literal, a column, or something
   unsupported. */
static TACO__ONCE taco__sql_expr *taco__pred_parse_word(taco__parser *p)
{
    size_t at = p->lex.at;
    taco_bytes name = p->lex.raw;
    const char *unsupported = taco__pred_parse_unsupported_word(name);
    taco__sql_expr *e;
    if (taco__pred_parse_is_reserved(name)) { return taco__parse_fail_expected(p, "a value"); }
    if (unsupported) { return taco__pred_parse_unsupported(p, at, unsupported, &name); }
    if (!taco__parse_next(p)) { return NULL; }
    if (taco__ascii_is_word(name, "null")) {
        return taco__sql_expr_new_const(p, at, taco__scalar_make_null());
    }
    if (taco__ascii_is_word(name, "true") || taco__ascii_is_word(name, "false")) {
        return taco__sql_expr_new_const(p, at,
                                        taco__expr_bool_value(taco__ascii_is_word(name, "true")));
    }
    e = taco__pred_parse_prefixed_literal(p, name);
    if (e || !taco__parse_is_ok(p)) { return e; }
    if (taco__lex_is_sign(&p->lex, "(")) {
        bool cast = taco__ascii_is_word(name, "cast") || taco__ascii_is_word(name, "try_cast");
        return taco__pred_parse_unsupported(p, at, cast ? "CAST" : "the function", &name);
    }
    e = taco__sql_expr_new(p, TACO__SQL_EXPR_COLUMN, at);
    if (e) { e->name = name; }
    return e;
}

/* ( condition ). */
static TACO__ONCE taco__sql_expr *taco__pred_parse_parenthesis(taco__parser *p)
{
    taco__sql_expr *e = taco__parse_next(p) ? taco__parse_expr(p, TACO__BINDS_OR) : NULL;
    if (e && !taco__lex_is_sign(&p->lex, ")")) { return taco__parse_fail_expected(p, "')'"); }
    return e && taco__parse_next(p) ? e : NULL;
}

/* A number, after any number of + and -. */
static TACO__ONCE taco__sql_expr *taco__pred_parse_signed(taco__parser *p)
{
    const taco__lexer *l = &p->lex;
    size_t at = l->at;
    bool neg = false;
    taco_bytes sign = l->raw;
    while (taco__lex_is_sign(l, "-") || taco__lex_is_sign(l, "+")) {
        neg = neg != taco__lex_is_sign(l, "-");
        if (!taco__parse_next(p)) { return NULL; }
    }
    if (l->kind == TACO__TOK_NUMBER) {
        taco__scalar v = taco__pred_parse_number(l->raw, l->integral, neg);
        return taco__parse_next(p) ? taco__sql_expr_new_const(p, at, v) : NULL;
    }
    return l->kind == TACO__TOK_END ? taco__parse_fail_expected(p, "a value")
                                    : taco__pred_parse_unsupported(p, at, "arithmetic", &sign);
}

/* taco__dialect.operand: a literal, a column, or a condition in parentheses. */
static TACO__ONCE taco__sql_expr *taco__pred_parse_operand(taco__parser *p)
{
    const taco__lexer *l = &p->lex;
    taco__sql_expr *e;
    switch (l->kind) {
    case TACO__TOK_NUMBER: return taco__pred_parse_signed(p);
    case TACO__TOK_STRING: return taco__pred_parse_string(p, NULL);
    case TACO__TOK_BLOB: return taco__pred_parse_blob(p);
    case TACO__TOK_QUOTED:
        e = taco__sql_expr_new(p, TACO__SQL_EXPR_COLUMN, l->at);
        return e && taco__lex_unquote(l, p->arena, &e->name) && taco__parse_next(p) ? e : NULL;
    case TACO__TOK_NAME: return taco__pred_parse_word(p);
    case TACO__TOK_SIGN:
        if (taco__lex_is_sign(l, "(")) { return taco__pred_parse_parenthesis(p); }
        if (taco__lex_is_sign(l, "-") || taco__lex_is_sign(l, "+")) {
            return taco__pred_parse_signed(p);
        }
        break;
    default: break;
    }
    return taco__parse_fail_expected(p, "a value");
}

/* ---- whole conditions ---- */

/* Bytes of a condition that are kept for messages about its columns: as many as messages quote,
   plus one, which shows that there is more. */
#define TACO__PRED_PARSE_SHOWN 65

/* Parses a whole condition; the text is not kept. NULL on failure: SYNTAX with the column of the
   text, LIMIT, or MEMORY. err must be clean. */
TACO__FN TACO__ONCE taco__expr *taco__pred_parse(taco__arena *arena, const char *text, size_t len,
                                                 const taco_limits *limits, taco_error *err)
{
    static const taco__dialect dialect = {
        true,
        4, /* parentheses are limited too, although they leave no node */
        "the condition nests deeper than limits.max_depth, which is %u",
        "FROM",
        "'(' after IN",
        "',' or ')'",
        "AND of BETWEEN",
        taco__pred_parse_operand,
        taco__pred_parse_find_operator,
        NULL,
        NULL};
    taco__arena scratch; /* for the tree as written */
    taco__pred_maker maker;
    taco__parser p;
    taco__sql_expr *e = NULL;
    taco__expr *out = NULL;
    memset(&p, 0, sizeof p);
    memset(&maker, 0, sizeof maker);
    memset(&scratch, 0, sizeof scratch);
    scratch.mem = arena->mem;
    p.dialect = &dialect;
    p.arena = &scratch;
    p.err = maker.err = err;
    p.max_depth = limits && limits->max_depth ? limits->max_depth : 64;
    maker.arena = arena;
    if (taco__lex_init_condition(&p.lex, text, len, err)) {
        e = taco__parse_expr(&p, TACO__BINDS_OR);
    }
    if (e && p.lex.kind != TACO__TOK_END) {
        e = taco__parse_fail_expected(&p, "AND, OR or the end");
    }
    if (e) {
        taco_bytes shown = taco__bytes_of(text, TACO__MIN(len, (size_t)TACO__PRED_PARSE_SHOWN));
        maker.source = taco__bytes_of(taco__arena_text(arena, shown, err), shown.len);
        out = maker.source.data ? taco__pred_from_sql(&maker, e) : NULL;
    }
    taco__arena_free(&scratch);
    return out;
}
