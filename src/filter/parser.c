/* parser.c - the parser of SQL expressions: one for `where` texts and for SELECT.

   It knows tokens and the operators of conditions: AND, OR, NOT, comparisons, IS, IN, BETWEEN and
   LIKE. The dialect adds the operands, and further operators: literals and columns of a `where` in
   predicate_parse.c, the rest of DuckDB's expressions in sql/sql_parse_expr.c. The result is a tree
   of taco__sql_expr; a `where` becomes a predicate (predicate_from_sql.c), a SELECT is bound
   (sql/bind.c).

   Start at taco__parse_expr: precedence climbing over the strengths of PostgreSQL's grammar, which
   is DuckDB's. Every function returns NULL or false on failure; the first error stays in p->err, so
   that callers may continue and check once, with taco__parse_is_ok. */
#include "filter.h"
#include "../base/base.h"

/* ---- tokens ---- */

/* Reads the next token; false on an error of the lexer. */
TACO__FN bool taco__parse_next(taco__parser *p)
{
    return taco__lex_next(&p->lex);
}

/* Consumes the sign if it is the current token. */
TACO__FN bool taco__parse_accept(taco__parser *p, const char *sign)
{
    return taco__lex_is_sign(&p->lex, sign) && taco__parse_next(p);
}

/* Consumes the word, given in lower case, if it is the current token. */
TACO__FN TACO__NOINLINE bool taco__parse_accept_word(taco__parser *p, const char *word)
{
    return taco__lex_is_word(&p->lex, word) && taco__parse_next(p);
}

/* Whether nothing has failed so far. */
TACO__FN bool taco__parse_is_ok(const taco__parser *p)
{
    return p->err->code == TACO_OK;
}

/* Consumes a required sign or word; `what` names it in the message. */
static bool taco__parse_expect_named(taco__parser *p, const char *sign, const char *what)
{
    if (!taco__parse_is_ok(p)) { return false; }
    if (!taco__lex_is_sign(&p->lex, sign) && !taco__lex_is_word(&p->lex, sign)) {
        taco__lex_fail_expected(&p->lex, what);
        return false;
    }
    return taco__parse_next(p);
}

/* Consumes a required sign or word. */
TACO__FN bool taco__parse_expect(taco__parser *p, const char *sign)
{
    return taco__parse_expect_named(p, sign, sign);
}

/* A SYNTAX error at a column of the text. */
TACO__FN TACO__COLD taco__sql_expr *taco__parse_fail(taco__parser *p, size_t at, const char *what)
{
    TACO__FAIL(p->err, TACO_ERR_SYNTAX, at, "%s", what);
    return NULL;
}

/* "expected X, found Y" at the current token. */
TACO__FN TACO__COLD taco__sql_expr *taco__parse_fail_expected(taco__parser *p, const char *what)
{
    taco__lex_fail_expected(&p->lex, what);
    return NULL;
}

/* The expression nests more deeply than limits.max_depth. */
TACO__FN TACO__COLD taco__sql_expr *taco__parse_fail_depth(taco__parser *p)
{
    TACO__FAIL(p->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, p->dialect->too_deep, TACO__U(p->max_depth));
    return NULL;
}

/* ---- operators of conditions ---- */

/* The precedence of the operator at the token, if it is one that all dialects have, and its name; 0
   if not. NOT counts as the beginning of NOT IN and the like. */
TACO__FN int taco__parse_find_operator(const taco__parser *p, const char **name)
{
    static const char *const comparisons[] = {"=", "==", "<>", "!=", "<", "<=", ">", ">="};

    static const struct {
        const char *word;
        int strength;
    } words[] = {{"or", TACO__BINDS_OR},      {"and", TACO__BINDS_AND},
                 {"is", TACO__BINDS_IS},      {"isnull", TACO__BINDS_IS},
                 {"notnull", TACO__BINDS_IS}, {"between", TACO__BINDS_IN},
                 {"in", TACO__BINDS_IN},      {"like", TACO__BINDS_IN},
                 {"ilike", TACO__BINDS_IN},   {"not", TACO__BINDS_IN}};

    size_t i;
    for (i = 0; p->lex.kind == TACO__TOK_SIGN && i < TACO__COUNT(comparisons); i++) {
        if (taco__lex_is_sign(&p->lex, comparisons[i])) {
            *name = comparisons[i];
            return TACO__BINDS_COMPARE;
        }
    }
    for (i = 0; p->lex.kind == TACO__TOK_NAME && i < TACO__COUNT(words); i++) {
        if (taco__lex_is_word(&p->lex, words[i].word)) {
            *name = words[i].word;
            return words[i].strength;
        }
    }
    return 0;
}

/* `left` AND|OR right. A chain is one node, so that its length costs no depth; a chain in
   parentheses is a separate operand. */
static taco__sql_expr *taco__parse_junction(taco__parser *p, taco__sql_expr *left, int strength)
{
    bool any = strength == TACO__BINDS_OR;
    taco__sql_expr_kind kind = any ? TACO__SQL_EXPR_OR : TACO__SQL_EXPR_AND;
    taco__sql_expr *right;
    if (left->kind != kind || left->infix) {
        left = taco__sql_expr_add_child(p, taco__sql_expr_new(p, kind, left->at), left);
    }
    right = taco__parse_expr(p, strength + 1);
    return taco__sql_expr_add_child(p, left, right);
}

/* left IS [NOT] NULL. */
static taco__sql_expr *taco__parse_is_null(taco__parser *p, taco__sql_expr *left, bool neg)
{
    taco__sql_expr *e =
        taco__sql_expr_add_child(p, taco__sql_expr_new(p, TACO__SQL_EXPR_ISNULL, left->at), left);
    if (e) { e->neg = neg; }
    return e;
}

/* Two operands compared, with NULL as an ordinary value. */
static taco__sql_expr *taco__parse_distinct(taco__parser *p, taco__sql_expr *left,
                                            taco__sql_expr *right, size_t at, bool neg)
{
    taco__sql_expr *e = taco__sql_expr_add_child(
        p, taco__sql_expr_add_child(p, taco__sql_expr_new(p, TACO__SQL_EXPR_CMP, at), left), right);
    if (e) {
        e->nullsafe = true;
        e->op = neg ? TACO__OP_EQ : TACO__OP_NE;
    }
    return e;
}

/* IS [NOT] TRUE | FALSE after `left`, at the last of the words. A SELECT casts the left side to
   BOOLEAN and compares; predicates have a node for it. */
static taco__sql_expr *taco__parse_is_bool(taco__parser *p, taco__sql_expr *left, bool neg)
{
    size_t at = left->at;
    bool value = taco__lex_is_word(&p->lex, "true");
    taco__sql_expr *right;
    if (!value && !taco__lex_is_word(&p->lex, "false")) {
        return taco__parse_fail_expected(p, "NULL, TRUE, FALSE, UNKNOWN or DISTINCT FROM after IS");
    }
    if (p->dialect->is_where) {
        taco__sql_expr *e =
            taco__sql_expr_add_child(p, taco__sql_expr_new(p, TACO__SQL_EXPR_ISBOOL, at), left);
        if (!e || !taco__parse_next(p)) { return NULL; }
        e->neg = neg;
        e->op = value ? TACO__IS_TRUE : TACO__IS_FALSE;
        return e;
    }
    right = taco__sql_expr_new_const(p, p->lex.at, taco__scalar_make_int(TACO_BOOL, value));
    left = taco__sql_expr_add_child(p, taco__sql_expr_new(p, TACO__SQL_EXPR_CAST, at), left);
    if (!right || !left || !taco__parse_next(p)) { return NULL; }
    right->tries = true; /* TRY_CAST, only to get its name */
    left->to.t = taco__scalar_simple_type(TACO_BOOL);
    return taco__parse_distinct(p, left, right, at, !neg);
}

/* IS [NOT] NULL | TRUE | FALSE | UNKNOWN | DISTINCT FROM, after IS. */
static taco__sql_expr *taco__parse_is(taco__parser *p, taco__sql_expr *left)
{
    bool neg = taco__parse_accept_word(p, "not");
    taco__sql_expr *right;
    if (taco__parse_accept_word(p, "null") || taco__parse_accept_word(p, "unknown")) {
        return taco__parse_is_null(p, left, neg);
    }
    if (taco__parse_accept_word(p, "distinct")) {
        if (!taco__parse_expect_named(p, "from", p->dialect->from)) { return NULL; }
        right = taco__parse_expr(p, TACO__BINDS_COMPARE);
        return taco__parse_distinct(p, left, right, left->at, neg);
    }
    return taco__parse_is_bool(p, left, neg);
}

/* [NOT] IN (...), after IN. */
static taco__sql_expr *taco__parse_in(taco__parser *p, taco__sql_expr *left, bool neg)
{
    const taco__dialect *d = p->dialect;
    taco__sql_expr *e =
        taco__sql_expr_add_child(p, taco__sql_expr_new(p, TACO__SQL_EXPR_IN, left->at), left);
    if (e && !d->is_where && !taco__lex_is_sign(&p->lex, "(")) {
        return d->test(p, left, neg, left->at);
    }
    if (!e || !taco__parse_expect_named(p, "(", d->in_open)) { return NULL; }
    if (d->member) {
        taco__sql_expr *query = d->member(p, left, neg);
        if (query || !taco__parse_is_ok(p)) { return query; }
    }
    do {
        /* the list of a `where` may end with a comma */
        if (d->is_where && e->n > 1 && taco__lex_is_sign(&p->lex, ")")) { break; }
        if (!taco__sql_expr_add_child(p, e, taco__parse_expr(p, TACO__BINDS_OR))) { return NULL; }
    } while (taco__parse_accept(p, ","));
    e->neg = neg;
    return taco__parse_expect_named(p, ")", d->in_close) ? e : NULL;
}

/* [NOT] [I]LIKE pattern [ESCAPE text], at that word; `at` is where the operator begins. */
static taco__sql_expr *taco__parse_like(taco__parser *p, taco__sql_expr *left, bool neg, size_t at)
{
    bool icase = taco__lex_is_word(&p->lex, "ilike");
    const char *name = icase ? (neg ? "!~~*" : "~~*") : (neg ? "!~~" : "~~");
    taco__sql_expr *e,
        *pattern = taco__parse_next(p) ? taco__parse_expr(p, TACO__BINDS_VALUE) : NULL;
    e = pattern ? taco__sql_expr_new_call(p, name, at, left, pattern) : NULL;
    return e && taco__parse_accept_word(p, "escape")
               ? taco__sql_expr_add_child(p, e, taco__parse_expr(p, TACO__BINDS_VALUE))
               : e;
}

/* [NOT] BETWEEN low AND high, after BETWEEN; `at` is where the operator begins. */
static taco__sql_expr *taco__parse_between(taco__parser *p, taco__sql_expr *left, bool neg,
                                           size_t at)
{
    taco__sql_expr *low = taco__parse_expr(p, TACO__BINDS_VALUE), *high, *e;
    high = low && taco__parse_expect_named(p, "and", p->dialect->between_and)
               ? taco__parse_expr(p, TACO__BINDS_VALUE)
               : NULL;
    e = taco__sql_expr_add_child(p, taco__sql_expr_new(p, TACO__SQL_EXPR_BETWEEN, left->at), left);
    e = taco__sql_expr_add_child(p, taco__sql_expr_add_child(p, e, low), high);
    if (!e || !neg) { return e; }
    if (p->dialect->is_where) {
        e->neg = true;
        return e;
    }
    return taco__sql_expr_add_child(p, taco__sql_expr_new(p, TACO__SQL_EXPR_NOT, at), e);
}

/* LIKE, ILIKE, IN or BETWEEN, with or without NOT before it. */
static taco__sql_expr *taco__parse_test(taco__parser *p, taco__sql_expr *left)
{
    size_t at = p->lex.at;
    bool neg = taco__parse_accept_word(p, "not");
    if (taco__parse_accept_word(p, "in")) { return taco__parse_in(p, left, neg); }
    if (taco__lex_is_word(&p->lex, "like") || taco__lex_is_word(&p->lex, "ilike")) {
        return taco__parse_like(p, left, neg, at);
    }
    if (!p->dialect->is_where && !taco__lex_is_word(&p->lex, "between")) {
        return p->dialect->test(p, left, neg, at);
    }
    return taco__parse_expect(p, "between") ? taco__parse_between(p, left, neg, at) : NULL;
}

/* == is DuckDB's second spelling of =. */
static taco__compare_op taco__parse_compare_op(const char *sign)
{
    switch (sign[0]) {
    case '=': return TACO__OP_EQ;
    case '!': return TACO__OP_NE;
    case '<': return sign[1] == '=' ? TACO__OP_LE : sign[1] == '>' ? TACO__OP_NE : TACO__OP_LT;
    default: return sign[1] == '=' ? TACO__OP_GE : TACO__OP_GT;
    }
}

/* left op right, after the sign. */
static taco__sql_expr *taco__parse_comparison(taco__parser *p, taco__sql_expr *left,
                                              const char *sign)
{
    taco__sql_expr *e, *right = taco__parse_expr(p, TACO__BINDS_COMPARE + 1);
    e = taco__sql_expr_add_child(
        p, taco__sql_expr_add_child(p, taco__sql_expr_new(p, TACO__SQL_EXPR_CMP, left->at), left),
        right);
    if (e) {
        e->op = (uint8_t)taco__parse_compare_op(sign);
        e->chained = true;
    }
    return e;
}

/* left op ANY (query), which is IN if op is =, and left op ALL (query), which is the negation of
   ANY with the opposite op; at that word. */
static taco__sql_expr *taco__parse_quantified(taco__parser *p, taco__sql_expr *left,
                                              const char *sign)
{
    static const uint8_t opposite[] = {TACO__OP_NE, TACO__OP_EQ, TACO__OP_GE,
                                       TACO__OP_GT, TACO__OP_LE, TACO__OP_LT};
    bool all = taco__lex_is_word(&p->lex, "all");
    uint8_t op = (uint8_t)taco__parse_compare_op(sign);
    size_t at = p->lex.at;
    taco__sql_expr *e = NULL;
    if (taco__parse_next(p) && taco__parse_accept(p, "(")) { e = p->dialect->member(p, left, all); }
    if (e) { e->index = all ? opposite[op] : op; }
    return e || !taco__parse_is_ok(p)
               ? e
               : taco__parse_fail(p, at, "ANY and ALL are for queries: = ANY (SELECT ...)");
}

/* `left` with the operator at the token, which has that name and precedence. */
static taco__sql_expr *taco__parse_operator(taco__parser *p, taco__sql_expr *left, const char *name,
                                            int strength)
{
    size_t at = p->lex.at;
    taco__sql_expr *right;
    if (strength == TACO__BINDS_IN) { return taco__parse_test(p, left); }
    if (strength == TACO__BINDS_COMPARE && left->chained) {
        return taco__parse_fail_expected(p, "AND or OR: comparisons do not chain");
    }
    if (!taco__parse_next(p)) { return NULL; }
    if (strength < TACO__BINDS_NOT) { return taco__parse_junction(p, left, strength); }
    if (strength == TACO__BINDS_IS) {
        /* IS, ISNULL or NOTNULL */
        return name[0] == 'i' && !name[2] ? taco__parse_is(p, left)
                                          : taco__parse_is_null(p, left, name[0] == 'n');
    }
    if (!p->dialect->is_where && strength == TACO__BINDS_COMPARE &&
        (taco__lex_is_word(&p->lex, "any") || taco__lex_is_word(&p->lex, "all"))) {
        return taco__parse_quantified(p, left, name);
    }
    if (strength == TACO__BINDS_COMPARE) { return taco__parse_comparison(p, left, name); }
    right = taco__parse_expr(p, strength + 1);
    return right ? taco__sql_expr_new_call(p, name, at, left, right) : NULL;
}

/* An operand, or NOT and its operand. */
static taco__sql_expr *taco__parse_first(taco__parser *p, int least)
{
    size_t at = p->lex.at;
    bool open = taco__lex_is_sign(&p->lex, "(");
    taco__sql_expr *e;
    /* in DuckDB, a = NOT b is a syntax error; a `where` allows it */
    if ((least <= TACO__BINDS_NOT || p->dialect->is_where) && taco__parse_accept_word(p, "not")) {
        return taco__sql_expr_add_child(p, taco__sql_expr_new(p, TACO__SQL_EXPR_NOT, at),
                                        taco__parse_expr(p, TACO__BINDS_NOT));
    }
    e = taco__parse_is_ok(p) ? p->dialect->operand(p) : NULL;
    if (e && open) { e->chained = false; } /* (a = b) = c may be compared */
    if (e && open && (e->kind == TACO__SQL_EXPR_AND || e->kind == TACO__SQL_EXPR_OR)) {
        e->infix = true; /* parenthesised: must not be merged */
    }
    return e;
}

/* An expression of operators with at least the precedence `least`. */
TACO__FN taco__sql_expr *taco__parse_expr(taco__parser *p, int least)
{
    taco__sql_expr *e;
    const char *name = NULL;
    int strength;
    if (++p->depth / p->dialect->levels > p->max_depth) { return taco__parse_fail_depth(p); }
    e = taco__parse_first(p, least);
    for (;;) {
        /* chains such as x IS NULL IS NULL grow deeper without recursion */
        if (e && e->depth > p->max_depth) { return taco__parse_fail_depth(p); }
        if (!e || !taco__parse_is_ok(p)) { return NULL; }
        strength = p->dialect->find_operator(p, &name);
        if (strength == 0 || strength < least) { break; }
        e = taco__parse_operator(p, e, name, strength);
    }
    p->depth--;
    return taco__parse_is_ok(p) ? e : NULL;
}
