/* predicate_parse.c - predicates: parse SQL conditions, bind them to columns. */
#include "filter.h"
#include "../base/base.h"

/* ---- parser ---- */

typedef struct taco__pred_parser {
    taco__lexer lex;
    taco__arena *arena;
    taco_error *err;
    uint32_t depth, max_depth;
} taco__pred_parser;

/* Binding strength, weakest first. Those of PostgreSQL's grammar, which is DuckDB's. */
enum {
    TACO__PRED_BINDS_OR = 1,
    TACO__PRED_BINDS_AND,
    TACO__PRED_BINDS_NOT,
    TACO__PRED_BINDS_IS,
    TACO__PRED_BINDS_CMP,
    TACO__PRED_BINDS_IN,
    TACO__PRED_BINDS_VALUE
};

static taco__expr *taco__pred_parse_level(taco__pred_parser *p, int least);

/* SQL that exists elsewhere is named, so that nobody searches for a typing error. */
static TACO__COLD taco__expr *taco__pred_parse_unsupported(taco__pred_parser *p, size_t at,
                                                           const char *what,
                                                           const taco_bytes *found)
{
    TACO__FAIL(p->err, TACO_ERR_SYNTAX, at, "%s (%q) is not supported in a condition", what, found);
    return NULL;
}

/* "expected X, found Y" at the current token. */
static TACO__COLD taco__expr *taco__pred_parse_fail_expected(taco__pred_parser *p, const char *what)
{
    taco__lex_fail_expected(&p->lex, what);
    return NULL;
}

/* A node of a tree no deeper than limits.max_depth: chains such as x IS NULL IS NULL ... grow
   without recursion. */
static taco__expr *taco__pred_parse_check_depth(taco__pred_parser *p, taco__expr *e)
{
    if (e && e->depth > p->max_depth) {
        TACO__FAIL(p->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "the condition nests deeper than limits.max_depth, which is %u",
                   TACO__U(p->max_depth));
        return NULL;
    }
    return e;
}

/* A constant that remembers where it was written. */
static taco__expr *taco__pred_parse_literal(taco__pred_parser *p, size_t at, taco__scalar v)
{
    taco__expr *e = taco__expr_const(p->arena, v, p->err);
    if (e) { e->at = at; }
    return e;
}

/* DuckDB's types of numeric literals: the least of INT32, INT64 and HUGEINT; DECIMAL up to 38
   digits with a point; DOUBLE otherwise. */
TACO__FN taco__scalar taco__pred_parse_number(taco_bytes raw, bool integral, bool neg)
{
    taco__scalar v = taco__scalar_make_int(TACO_INT32, 0);
    const uint8_t *point = raw.len ? (const uint8_t *)memchr(raw.data, '.', raw.len) : NULL;
    size_t i;
    bool exponent = false;
    for (i = 0; i < raw.len; i++) {
        exponent = exponent || (raw.data[i] | 0x20) == 'e';
    }
    if (integral && raw.len <= 60 && taco__scalar_parse_exact(raw, 0, &v.d) && v.d.w[3] == 0 &&
        v.d.w[2] == 0) {
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
    if (point && !exponent && raw.len < 40 && raw.len - 1 <= 38) {
        v.type.id = TACO_DECIMAL;
        v.type.precision = (int32_t)raw.len - 1;
        v.type.scale = (int32_t)(raw.len - 1 - (size_t)(point - raw.data));
        if (taco__scalar_parse_exact(raw, v.type.scale, &v.d)) {
            v.d = neg ? taco__i256_negate(v.d) : v.d;
            return v;
        }
    }
    v = taco__scalar_make_double(TACO_DOUBLE, 0);
    taco__num_parse_f64(raw, &v.f);
    v.f = neg ? -v.f : v.f;
    return v;
}

/* Types a literal in quotes may be given, in front of it or behind `::`. Plain timestamps have
   microseconds. */
TACO__FN bool taco__pred_parse_type_name(taco_bytes name, taco__scalar_type *out)
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

/* The text as a literal of that type; `at` is where the text stands. */
static taco__expr *taco__pred_parse_typed_literal(taco__pred_parser *p, size_t at, taco_bytes text,
                                                  const taco__scalar_type *t)
{
    taco__scalar v;
    if (!taco__scalar_parse(p->arena, text, t, &v, p->err)) {
        TACO__FAIL(p->err, TACO_ERR_SYNTAX, at, "%q is not a %s", &text,
                   taco__scalar_type_name(t->id));
        return NULL;
    }
    return taco__pred_parse_literal(p, at, v);
}

/* 'text' with the tokens at the STRING; `type` NULL leaves it to what it meets. Takes '...'::type
   too. */
static taco__expr *taco__pred_parse_string(taco__pred_parser *p, const taco__scalar_type *type)
{
    size_t at = p->lex.at;
    taco_bytes text;
    taco__scalar_type t;
    taco__expr *e;
    if (!taco__lex_unquote(&p->lex, p->arena, &text) || !taco__lex_next(&p->lex)) { return NULL; }
    if (type) { return taco__pred_parse_typed_literal(p, at, text, type); }
    if (taco__lex_is_sign(&p->lex, "::")) {
        if (!taco__lex_next(&p->lex)) { return NULL; }
        if (p->lex.kind != TACO__TOK_NAME || !taco__pred_parse_type_name(p->lex.raw, &t)) {
            return taco__pred_parse_fail_expected(p, "a type");
        }
        return taco__lex_next(&p->lex) ? taco__pred_parse_typed_literal(p, at, text, &t) : NULL;
    }
    e = taco__pred_parse_literal(p, at, taco__scalar_make_bytes(TACO_TEXT, text));
    if (e) { e->text = true; }
    return e;
}

/* Words that never name a column unless they are quoted: with them, a forgotten operand is reported
   where it is missing. */
static bool taco__pred_parse_is_reserved(taco_bytes b)
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

/* A bare word where a value is due: a constant, a typed literal, a column, or what we do not
   take. */
static taco__expr *taco__pred_parse_word(taco__pred_parser *p)
{
    taco__lexer *l = &p->lex;
    size_t at = l->at;
    taco_bytes name = l->raw;
    taco__scalar_type t;
    taco__expr *e;
    if (taco__pred_parse_is_reserved(name)) { return taco__pred_parse_fail_expected(p, "a value"); }
    if (taco__lex_is_word(l, "true") || taco__lex_is_word(l, "false") ||
        taco__lex_is_word(l, "null")) {
        taco__scalar v =
            taco__expr_bool_value(taco__lex_is_word(l, "null") ? -1 : taco__lex_is_word(l, "true"));
        return taco__lex_next(l) ? taco__pred_parse_literal(p, at, v) : NULL;
    }
    if (taco__lex_is_word(l, "case") || taco__lex_is_word(l, "select") ||
        taco__lex_is_word(l, "exists") || taco__lex_is_word(l, "interval")) {
        return taco__pred_parse_unsupported(p, at,
                                            taco__lex_is_word(l, "case")       ? "CASE"
                                            : taco__lex_is_word(l, "interval") ? "INTERVAL"
                                                                               : "a subquery",
                                            &name);
    }
    if (!taco__lex_next(l)) { return NULL; }
    if (taco__pred_parse_type_name(name, &t)) {
        if (taco__ascii_is_word(name, "timestamp") &&
            taco__lex_is_word(l, "with")) { /* TIMESTAMP WITH TIME ZONE */
            if (!taco__lex_next(l) || !taco__lex_is_word(l, "time") || !taco__lex_next(l) ||
                !taco__lex_is_word(l, "zone") || !taco__lex_next(l)) {
                return taco__pred_parse_fail_expected(p, "TIME ZONE");
            }
            t.utc = true;
            return l->kind == TACO__TOK_STRING
                       ? taco__pred_parse_string(p, &t)
                       : taco__pred_parse_fail_expected(p, "a text in quotes");
        }
        if (l->kind == TACO__TOK_STRING) { return taco__pred_parse_string(p, &t); }
    }
    if (taco__lex_is_sign(l, "(")) {
        return taco__pred_parse_unsupported(p, at,
                                            taco__ascii_is_word(name, "cast") ||
                                                    taco__ascii_is_word(name, "try_cast")
                                                ? "CAST"
                                                : "the function",
                                            &name);
    }
    e = taco__expr_make(p->arena, TACO__PRED_COLUMN, at, p->err);
    if (e) { e->name = name; }
    return e;
}

/* ( condition ). What stands inside may be compared: (a = b) = c. */
static taco__expr *taco__pred_parse_parenthesis(taco__pred_parser *p)
{
    taco__expr *e;
    if (!taco__lex_next(&p->lex)) { return NULL; }
    e = taco__pred_parse_level(p, TACO__PRED_BINDS_OR);
    if (e && !taco__lex_is_sign(&p->lex, ")")) { return taco__pred_parse_fail_expected(p, "')'"); }
    if (e) { e->chained = false; }
    return e && taco__lex_next(&p->lex) ? e : NULL;
}

/* + and - before a number, any number of them. */
static taco__expr *taco__pred_parse_signed(taco__pred_parser *p)
{
    taco__lexer *l = &p->lex;
    size_t at = l->at;
    bool neg = false;
    taco_bytes sign = l->raw;
    while (taco__lex_is_sign(l, "-") || taco__lex_is_sign(l, "+")) {
        neg = neg != taco__lex_is_sign(l, "-");
        if (!taco__lex_next(l)) { return NULL; }
    }
    if (l->kind == TACO__TOK_NUMBER) {
        taco__scalar v = taco__pred_parse_number(l->raw, l->integral, neg);
        return taco__lex_next(l) ? taco__pred_parse_literal(p, at, v) : NULL;
    }
    return l->kind == TACO__TOK_END ? taco__pred_parse_fail_expected(p, "a value")
                                    : taco__pred_parse_unsupported(p, at, "arithmetic", &sign);
}

/* One operand. */
static taco__expr *taco__pred_parse_primary(taco__pred_parser *p)
{
    taco__lexer *l = &p->lex;
    taco__expr *e;
    taco__scalar v;
    size_t at = l->at;
    switch (l->kind) {
    case TACO__TOK_NUMBER: return taco__pred_parse_signed(p);
    case TACO__TOK_STRING: return taco__pred_parse_string(p, NULL);
    case TACO__TOK_BLOB:
        v = taco__scalar_make_bytes(TACO_BINARY, l->raw);
        if (!taco__scalar_parse_blob(p->arena, l->raw, true, &v.b, p->err)) {
            taco__lex_fail(l, at, "X'...' needs pairs of hexadecimal digits");
            return NULL;
        }
        return taco__lex_next(l) ? taco__pred_parse_literal(p, at, v) : NULL;
    case TACO__TOK_QUOTED:
        e = taco__expr_make(p->arena, TACO__PRED_COLUMN, at, p->err);
        return e && taco__lex_unquote(l, p->arena, &e->name) && taco__lex_next(l) ? e : NULL;
    case TACO__TOK_NAME: return taco__pred_parse_word(p);
    case TACO__TOK_SIGN:
        if (taco__lex_is_sign(l, "(")) { return taco__pred_parse_parenthesis(p); }
        if (taco__lex_is_sign(l, "-") || taco__lex_is_sign(l, "+")) {
            return taco__pred_parse_signed(p);
        }
        break;
    default: break;
    }
    return taco__pred_parse_fail_expected(p, "a value");
}

/* What may not follow a value here, so that the message names it: arithmetic, casts, subscripts. */
static bool taco__pred_parse_refuse_follower(taco__pred_parser *p)
{
    taco__lexer *l = &p->lex;
    const char *what = NULL;
    if (l->kind == TACO__TOK_SIGN) {
        if (strchr("+-*/%^|&<>#@!~?$:.[{", l->raw.data[0]) && !taco__lex_is_sign(l, "<") &&
            !taco__lex_is_sign(l, ">") && !taco__lex_is_sign(l, "<=") &&
            !taco__lex_is_sign(l, ">=") && !taco__lex_is_sign(l, "<>") &&
            !taco__lex_is_sign(l, "!=")) {
            what = taco__lex_is_sign(l, "::")  ? "a cast"
                   : taco__lex_is_sign(l, "[") ? "a subscript"
                   : taco__lex_is_sign(l, ".") ? "a qualified name or a field"
                   : taco__lex_is_sign(l, ":") ? "a colon outside \"quotes\""
                   : l->raw.len == 1 && strchr("+-*/%", l->raw.data[0]) != NULL ? "arithmetic"
                                                                                : "the operator";
        }
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

/* == is DuckDB's second spelling of =. */
static bool taco__pred_parse_compare_op(const taco__lexer *l, taco__compare_op *op)
{
    static const struct {
        char sign[3];
        taco__compare_op op;
    } ops[] = {{"=", TACO__OP_EQ}, {"==", TACO__OP_EQ}, {"<>", TACO__OP_NE}, {"!=", TACO__OP_NE},
               {"<", TACO__OP_LT}, {"<=", TACO__OP_LE}, {">", TACO__OP_GT},  {">=", TACO__OP_GE}};

    size_t i;
    for (i = 0; i < TACO__COUNT(ops); i++) {
        if (taco__lex_is_sign(l, ops[i].sign)) {
            *op = ops[i].op;
            return true;
        }
    }
    return false;
}

/* IS [NOT] NULL | TRUE | FALSE | UNKNOWN | DISTINCT FROM, ISNULL, NOTNULL behind `left`. */
static taco__expr *taco__pred_parse_is(taco__pred_parser *p, taco__expr *left)
{
    taco__lexer *l = &p->lex;
    taco__expr *e = taco__expr_make(p->arena, TACO__PRED_IS, left->at, p->err), *right;
    bool word = taco__lex_is_word(l, "is");
    if (!e) { return NULL; }
    e->neg = taco__lex_is_word(l, "notnull");
    if (!taco__lex_next(l)) { return NULL; }
    taco__expr_append_child(e, left);
    if (!word) { return e; }
    if (taco__lex_is_word(l, "not")) {
        e->neg = true;
        if (!taco__lex_next(l)) { return NULL; }
    }
    if (taco__lex_is_word(l, "true") || taco__lex_is_word(l, "false")) {
        e->is = taco__lex_is_word(l, "true") ? TACO__IS_TRUE : TACO__IS_FALSE;
    } else if (taco__lex_is_word(l, "distinct")) {
        if (!taco__lex_next(l)) { return NULL; }
        if (!taco__lex_is_word(l, "from")) { return taco__pred_parse_fail_expected(p, "FROM"); }
        right = taco__lex_next(l) ? taco__pred_parse_level(p, TACO__PRED_BINDS_CMP) : NULL;
        if (!right) { return NULL; }
        e->kind = TACO__PRED_CMP;
        e->op = e->neg ? TACO__OP_EQ : TACO__OP_NE;
        e->neg = false;
        e->nullsafe = true;
        taco__expr_append_child(e, right);
        return e;
    } else if (!taco__lex_is_word(l, "null") && !taco__lex_is_word(l, "unknown")) {
        return taco__pred_parse_fail_expected(p, "NULL, TRUE, FALSE or DISTINCT FROM behind IS");
    }
    return taco__lex_next(l) ? e : NULL;
}

/* IN (...), BETWEEN ... AND ..., [I]LIKE ... [ESCAPE ...] behind `left`, the word being the current
   token. */
static taco__expr *taco__pred_parse_in(taco__pred_parser *p, taco__expr *left, bool neg)
{
    taco__lexer *l = &p->lex;
    bool in = taco__lex_is_word(l, "in"), between = taco__lex_is_word(l, "between");
    taco__expr *e = taco__expr_make(p->arena,
                                    in        ? TACO__PRED_IN
                                    : between ? TACO__PRED_BETWEEN
                                              : TACO__PRED_LIKE,
                                    left->at, p->err),
               *item;
    if (!e) { return NULL; }
    e->neg = neg;
    e->icase = taco__lex_is_word(l, "ilike");
    taco__expr_append_child(e, left);
    if (!taco__lex_next(l)) { return NULL; }
    if (in) {
        if (!taco__lex_is_sign(l, "(")) {
            return taco__pred_parse_fail_expected(p, "'(' behind IN");
        }
        do {
            if (!taco__lex_next(l) || (e->first != e->last && taco__lex_is_sign(l, ")"))) { break; }
            item = taco__pred_parse_level(p, TACO__PRED_BINDS_OR);
            if (!item) { return NULL; }
            taco__expr_append_child(e, item);
        } while (taco__lex_is_sign(l, ","));
        if (!taco__lex_is_sign(l, ")")) { return taco__pred_parse_fail_expected(p, "',' or ')'"); }
        return taco__lex_next(l) ? e : NULL;
    }
    item = taco__pred_parse_level(p, TACO__PRED_BINDS_VALUE);
    if (!item) { return NULL; }
    taco__expr_append_child(e, item);
    if (between ? !taco__lex_is_word(l, "and") : !taco__lex_is_word(l, "escape")) {
        return between ? taco__pred_parse_fail_expected(p, "AND of BETWEEN") : e;
    }
    item = taco__lex_next(l) ? taco__pred_parse_level(p, TACO__PRED_BINDS_VALUE) : NULL;
    if (!item) { return NULL; }
    taco__expr_append_child(e, item);
    return e;
}

/* `left` AND|OR right: a chain is one node, so that its length costs no depth. */
static taco__expr *taco__pred_parse_chain(taco__pred_parser *p, taco__expr *left, taco__expr **open,
                                          taco__pred_kind kind)
{
    taco__expr *right, *e = *open && (*open)->kind == kind ? *open : NULL;
    if (!taco__lex_next(&p->lex)) { return NULL; }
    right = taco__pred_parse_level(p, kind == TACO__PRED_AND ? TACO__PRED_BINDS_NOT
                                                             : TACO__PRED_BINDS_AND);
    if (!right) { return NULL; }
    if (!e) {
        e = taco__expr_make(p->arena, kind, left->at, p->err);
        if (!e) { return NULL; }
        taco__expr_append_child(e, left);
        *open = e;
    }
    taco__expr_append_child(e, right);
    return e;
}

/* One operator behind `left`; returns left itself where none of at least that strength follows. */
static taco__expr *taco__pred_parse_operator(taco__pred_parser *p, taco__expr *left,
                                             taco__expr **open, int least)
{
    taco__lexer *l = &p->lex;
    taco__lexer saved;
    taco__expr *e, *right;
    taco__compare_op op;
    bool neg = false;
    if (taco__lex_is_word(l, "or")) {
        return least <= TACO__PRED_BINDS_OR ? taco__pred_parse_chain(p, left, open, TACO__PRED_OR)
                                            : left;
    }
    if (taco__lex_is_word(l, "and")) {
        return least <= TACO__PRED_BINDS_AND ? taco__pred_parse_chain(p, left, open, TACO__PRED_AND)
                                             : left;
    }
    if (taco__lex_is_word(l, "is") || taco__lex_is_word(l, "isnull") ||
        taco__lex_is_word(l, "notnull")) {
        return least <= TACO__PRED_BINDS_IS ? taco__pred_parse_is(p, left) : left;
    }
    if (taco__pred_parse_compare_op(l, &op)) {
        if (least > TACO__PRED_BINDS_CMP) { return left; }
        if (left->chained) {
            return taco__pred_parse_fail_expected(p, "AND or OR: comparisons do not chain");
        }
        right = taco__lex_next(l) ? taco__pred_parse_level(p, TACO__PRED_BINDS_IN) : NULL;
        e = right ? taco__expr_compare(p->arena, op, left, right, p->err) : NULL;
        if (e) {
            e->at = left->at;
            e->chained = true;
        }
        return e;
    }
    saved = *l;
    if (taco__lex_is_word(l, "not")) {
        neg = true;
        if (!taco__lex_next(l)) { return NULL; }
    }
    if (taco__lex_is_word(l, "in") || taco__lex_is_word(l, "between") ||
        taco__lex_is_word(l, "like") || taco__lex_is_word(l, "ilike")) {
        if (least <= TACO__PRED_BINDS_IN) { return taco__pred_parse_in(p, left, neg); }
        *l = saved;
        return left;
    }
    if (!taco__pred_parse_refuse_follower(p)) { return NULL; }
    return neg ? taco__pred_parse_fail_expected(p, "IN, BETWEEN, LIKE or ILIKE behind NOT") : left;
}

/* An expression of operators that bind at least as strongly as `least`. */
static taco__expr *taco__pred_parse_level(taco__pred_parser *p, int least)
{
    taco__expr *e, *open = NULL;
    if (++p->depth / 4 >
        p->max_depth) { /* parentheses too are bounded, though they leave no node */
        TACO__FAIL(p->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "the condition nests deeper than limits.max_depth, which is %u",
                   TACO__U(p->max_depth));
        return NULL;
    }
    if (taco__lex_is_word(&p->lex, "not")) {
        size_t at = p->lex.at;
        e = taco__lex_next(&p->lex) ? taco__pred_parse_level(p, TACO__PRED_BINDS_NOT) : NULL;
        e = taco__expr_not(p->arena, e, p->err);
        if (e) { e->at = at; }
    } else {
        e = taco__pred_parse_primary(p);
    }
    while (taco__pred_parse_check_depth(p, e)) {
        size_t before = p->lex.at;
        e = taco__pred_parse_operator(p, e, &open, least);
        if (e && p->lex.at == before) { break; }
    }
    p->depth--;
    return taco__pred_parse_check_depth(p, e);
}

/* Parses a whole condition. The text is borrowed for as long as the tree lives. NULL on failure:
   SYNTAX with the column of the text, LIMIT, or MEMORY. */
TACO__FN taco__expr *taco__pred_parse(taco__arena *arena, const char *text, size_t len,
                                      const taco_limits *limits, taco_error *err)
{
    taco__pred_parser p;
    taco__expr *e;
    memset(&p, 0, sizeof p);
    p.arena = arena;
    p.err = err;
    p.max_depth = limits && limits->max_depth ? limits->max_depth : 64;
    if (!taco__lex_init(&p.lex, text, len, err)) { return NULL; }
    e = taco__pred_parse_level(&p, TACO__PRED_BINDS_OR);
    if (e && p.lex.kind != TACO__TOK_END) {
        return taco__pred_parse_fail_expected(&p, "AND, OR or the end");
    }
    return e;
}
