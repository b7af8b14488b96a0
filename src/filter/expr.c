/* ==== ROOM expr: predicates: parse SQL conditions, bind them to columns. Uses: like lex value mem error base ==== */

/* text -> taco__pred_parse -> tree of what was written -> taco__pred_bind -> tree that rooms eval and prune run.
   Binding turns every comparison of a column with constants into a TEST: a set of key ranges, byte ranges, texts or a
   pattern in the column's own storage, so that no value is converted row by row. What is left (column with column) stays
   a CMP over values. A tree is bound once, in place, and is read-only from then on: many threads may evaluate it. */

typedef enum taco__pred_kind {
    TACO__PRED_CONST = 0,
    TACO__PRED_COLUMN,
    TACO__PRED_AND, /* children: two or more */
    TACO__PRED_OR,
    TACO__PRED_NOT,
    TACO__PRED_CMP,     /* two children and op; nullsafe: IS [NOT] DISTINCT FROM */
    TACO__PRED_BETWEEN, /* value, low, high; neg. Gone after binding, as IN and RANGE are */
    TACO__PRED_IN,      /* value, items...; neg */
    TACO__PRED_LIKE,    /* value, pattern[, escape]; neg, icase */
    TACO__PRED_IS,      /* value; is, neg */
    TACO__PRED_RANGE,   /* column between bounds in its own unit */
    TACO__PRED_TEST,    /* column against constants; neg */
    TACO__PRED_CUSTOM   /* column against the caller's function */
} taco__pred_kind;

typedef enum taco__compare_op {
    TACO__OP_EQ = 0,
    TACO__OP_NE,
    TACO__OP_LT,
    TACO__OP_LE,
    TACO__OP_GT,
    TACO__OP_GE
} taco__compare_op;
typedef enum taco__is_op { TACO__IS_NULL = 0, TACO__IS_TRUE, TACO__IS_FALSE } taco__is_op;

typedef enum taco__outcomes { /* which results rows of a range of a file may have; a set */
                              TACO__MAY_TRUE = 1,
                              TACO__MAY_FALSE = 2,
                              TACO__MAY_NULL = 4,
                              TACO__MAY_ANY = 7
} taco__outcomes;

typedef struct taco__column_stats { /* what statistics tell of one column in a row group or page */
    bool has_min,
        has_max; /* bounds of the values that are neither NULL nor NaN; may be cut, as texts are */
    taco__scalar min, max;
    int64_t      null_count; /* -1: unknown */
    int64_t      row_count;  /* -1: unknown */
    int32_t      physical;   /* Parquet type, for holds */
    bool (*holds)(
        void      *ctx,
        taco_bytes plain); /* false: no row has the value of these PLAIN bytes. May be NULL */
    void             *holds_ctx;
    const taco_array *entries; /* every value is one of these; NULL: unknown */
    taco__mem        *mem;     /* pays for looking at them */
} taco__column_stats;

/* A predicate of the caller on one column. eval finds true_bits zeroed and valid_bits a copy of the array's validity;
   both hold `rows` bits, least significant first, in a multiple of 8 bytes. It sets the bits of rows that match and may
   clear valid bits of rows whose result is NULL. prune may be NULL; it returns a set of taco__outcomes. Both are called
   from any thread, with ctx as it is. */
typedef struct taco__custom_predicate {
    void *ctx;
    bool (*eval)(void *ctx, const taco_array *a, size_t rows, uint8_t *true_bits,
                 uint8_t *valid_bits, taco_error *err);
    unsigned (*prune)(void *ctx, const taco__column_stats *range);
} taco__custom_predicate;

typedef enum taco__test_mode {
    TACO__TEST_KEYS = 0, /* key in one of n ranges lo[i]..hi[i], ascending, apart */
    TACO__TEST_LIST,     /* bytes equal to one of n, ascending */
    TACO__TEST_RANGE,    /* bytes between low and high */
    TACO__TEST_LIKE
} taco__test_mode;

typedef struct taco__test {
    taco__test_mode mode;
    bool            null_rest;  /* the list held a NULL: rows outside it are NULL */
    bool            null_false; /* IS NOT DISTINCT FROM: NULL rows are outside */
    size_t          n;
    taco__i256     *lo, *hi;
    int64_t        *lo64,
        *hi64; /* the same where the column's keys have 64 bits; UINT64 with the top bit flipped */
    taco_bytes        *list;
    taco_bytes         low, high;
    bool               has_low, has_high, open_low, open_high;
    taco__like_pattern like;
} taco__test;

typedef struct taco__expr {
    taco__pred_kind  kind;
    taco__compare_op op;
    taco__is_op      is;
    bool             neg, nullsafe, icase;
    bool     chained; /* a comparison without parentheses, which may not be compared again */
    bool     text;    /* a literal in quotes, which takes the type of what it meets */
    bool     bound;
    uint32_t depth;
    size_t   at;                                /* in the text, for messages */
    taco__scalar_type      type;                /* known after binding; conditions are BOOL */
    taco__compare_domain   domain;              /* CMP */
    struct taco__expr     *first, *last, *next; /* children; sibling */
    taco_bytes             name;                /* COLUMN; NULL: `column` is known already */
    size_t                 column;              /* COLUMN, RANGE, TEST, CUSTOM */
    const taco_field      *field;
    taco__scalar           value;          /* CONST */
    bool                   has_lo, has_hi; /* RANGE */
    int64_t                lo, hi;         /* RANGE: lo <= x < hi */
    taco__test            *test;
    taco__custom_predicate custom;
} taco__expr;

/* ---- making nodes ---- */

/* A node without children; `at` is where it began in the text. */
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
/* Adds a child behind the others. depth is kept so that trees can be limited without walking them. */
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
/* e takes src's place among its siblings. */
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
TACO__FN taco__scalar taco__expr_bool_value(int b) /* 1, 0, or -1 for NULL */
{
    return b < 0 ? taco__scalar_make_null() : taco__scalar_make_int(TACO_BOOL, b);
}

/* The public constructors, for conditions that do not come from text. They return NULL when memory ends. */

/* The column with that index in the array the tree will be bound to. */
TACO__FN taco__expr *taco__expr_column(taco__arena *arena, size_t column, taco_error *err)
{
    taco__expr *e = taco__expr_make(arena, TACO__PRED_COLUMN, 0, err);
    if (e) {
        e->column = column;
    }
    return e;
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
/* a AND b; where one is NULL, the other. */
TACO__FN taco__expr *taco__expr_and(taco__arena *arena, taco__expr *a, taco__expr *b,
                                    taco_error *err)
{
    taco__expr *e;
    if (!a || !b) {
        return a ? a : b;
    }
    e = taco__expr_make(arena, TACO__PRED_AND, 0, err);
    if (e) {
        taco__expr_append_child(e, a);
        taco__expr_append_child(e, b);
    }
    return e;
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
    if (v) {
        v->text = true;
    }
    return taco__expr_compare(arena, TACO__OP_EQ, taco__expr_column(arena, column, err), v, err);
}
/* lo <= column < hi on any column whose values are up to 64-bit integers: numbers, days, or its own time unit. */
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
/* NOT e. */
TACO__FN taco__expr *taco__expr_not(taco__arena *arena, taco__expr *child, taco_error *err)
{
    taco__expr *e = child ? taco__expr_make(arena, TACO__PRED_NOT, child->at, err) : NULL;
    if (e) {
        taco__expr_append_child(e, child);
    }
    return e;
}

/* ---- parser ---- */

typedef struct taco__pred_parser {
    taco__lexer  lex;
    taco__arena *arena;
    taco_error  *err;
    uint32_t     depth, max_depth;
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

TACO__FN taco__expr *taco__pred_parse_level(taco__pred_parser *p, int least);

/* SQL that exists elsewhere is named, so that nobody searches for a typing error. */
TACO__COLD taco__expr *taco__pred_parse_unsupported(taco__pred_parser *p, size_t at,
                                                    const char *what, const taco_bytes *found)
{
    TACO__FAIL(p->err, TACO_ERR_SYNTAX, at, "%s (%q) is not supported in a condition", what, found);
    return NULL;
}
/* "expected X, found Y" at the current token. */
TACO__COLD taco__expr *taco__pred_parse_fail_expected(taco__pred_parser *p, const char *what)
{
    taco__lex_fail_expected(&p->lex, what);
    return NULL;
}
/* A node of a tree no deeper than limits.max_depth: chains such as x IS NULL IS NULL ... grow without recursion. */
TACO__FN taco__expr *taco__pred_parse_check_depth(taco__pred_parser *p, taco__expr *e)
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
TACO__FN taco__expr *taco__pred_parse_literal(taco__pred_parser *p, size_t at, taco__scalar v)
{
    taco__expr *e = taco__expr_const(p->arena, v, p->err);
    if (e) {
        e->at = at;
    }
    return e;
}
/* DuckDB's types of numeric literals: the least of INT32, INT64 and HUGEINT; DECIMAL up to 38 digits with a point;
   DOUBLE otherwise. */
TACO__FN taco__scalar taco__pred_parse_number(taco_bytes raw, bool integral, bool neg)
{
    taco__scalar   v = taco__scalar_make_int(TACO_INT32, 0);
    const uint8_t *point = raw.len ? (const uint8_t *)memchr(raw.data, '.', raw.len) : NULL;
    size_t         i;
    bool           exponent = false;
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
/* Types a literal in quotes may be given, in front of it or behind `::`. Plain timestamps have microseconds. */
TACO__FN bool taco__pred_parse_type_name(taco_bytes name, taco__scalar_type *out)
{
    static const struct {
        const char *name;
        taco_type   id;
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
            if (taco__ascii_is_word(name, "timestamp_ns")) {
                out->unit = TACO_NANO;
            }
            out->utc = taco__ascii_is_word(name, "timestamptz");
            return true;
        }
    }
    return false;
}
/* The text as a literal of that type; `at` is where the text stands. */
TACO__FN taco__expr *taco__pred_parse_typed_literal(taco__pred_parser *p, size_t at,
                                                    taco_bytes text, const taco__scalar_type *t)
{
    taco__scalar v;
    if (!taco__scalar_parse(p->arena, text, t, &v, p->err)) {
        TACO__FAIL(p->err, TACO_ERR_SYNTAX, at, "%q is not a %s", &text,
                   taco__scalar_type_name(t->id));
        return NULL;
    }
    return taco__pred_parse_literal(p, at, v);
}
/* 'text' with the tokens at the STRING; `type` NULL leaves it to what it meets. Takes '...'::type too. */
TACO__FN taco__expr *taco__pred_parse_string(taco__pred_parser *p, const taco__scalar_type *type)
{
    size_t            at = p->lex.at;
    taco_bytes        text;
    taco__scalar_type t;
    taco__expr       *e;
    if (!taco__lex_unquote(&p->lex, p->arena, &text) || !taco__lex_next(&p->lex)) {
        return NULL;
    }
    if (type) {
        return taco__pred_parse_typed_literal(p, at, text, type);
    }
    if (taco__lex_is_sign(&p->lex, "::")) {
        if (!taco__lex_next(&p->lex)) {
            return NULL;
        }
        if (p->lex.kind != TACO__TOK_NAME || !taco__pred_parse_type_name(p->lex.raw, &t)) {
            return taco__pred_parse_fail_expected(p, "a type");
        }
        return taco__lex_next(&p->lex) ? taco__pred_parse_typed_literal(p, at, text, &t) : NULL;
    }
    e = taco__pred_parse_literal(p, at, taco__scalar_make_bytes(TACO_TEXT, text));
    if (e) {
        e->text = true;
    }
    return e;
}
/* Words that never name a column unless they are quoted: with them, a forgotten operand is reported where it is missing. */
TACO__FN bool taco__pred_parse_is_reserved(taco_bytes b)
{
    static const char *const words[] = {
        "and",    "or",      "not",     "in",     "is",    "between", "like", "ilike", "escape",
        "isnull", "notnull", "similar", "glob",   "then",  "when",    "else", "end",   "from",
        "where",  "group",   "order",   "having", "limit", "union",   "as",   "on",    "collate"};
    size_t i;
    for (i = 0; i < TACO__COUNT(words); i++) {
        if (taco__ascii_is_word(b, words[i])) {
            return true;
        }
    }
    return false;
}
/* A bare word where a value is due: a constant, a typed literal, a column, or what we do not take. */
TACO__FN taco__expr *taco__pred_parse_word(taco__pred_parser *p)
{
    taco__lexer      *l = &p->lex;
    size_t            at = l->at;
    taco_bytes        name = l->raw;
    taco__scalar_type t;
    taco__expr       *e;
    if (taco__pred_parse_is_reserved(name)) {
        return taco__pred_parse_fail_expected(p, "a value");
    }
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
    if (!taco__lex_next(l)) {
        return NULL;
    }
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
        if (l->kind == TACO__TOK_STRING) {
            return taco__pred_parse_string(p, &t);
        }
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
    if (e) {
        e->name = name;
    }
    return e;
}
/* ( condition ). What stands inside may be compared: (a = b) = c. */
TACO__FN taco__expr *taco__pred_parse_parenthesis(taco__pred_parser *p)
{
    taco__expr *e;
    if (!taco__lex_next(&p->lex)) {
        return NULL;
    }
    e = taco__pred_parse_level(p, TACO__PRED_BINDS_OR);
    if (e && !taco__lex_is_sign(&p->lex, ")")) {
        return taco__pred_parse_fail_expected(p, "')'");
    }
    if (e) {
        e->chained = false;
    }
    return e && taco__lex_next(&p->lex) ? e : NULL;
}
/* + and - before a number, any number of them. */
TACO__FN taco__expr *taco__pred_parse_signed(taco__pred_parser *p)
{
    taco__lexer *l = &p->lex;
    size_t       at = l->at;
    bool         neg = false;
    taco_bytes   sign = l->raw;
    while (taco__lex_is_sign(l, "-") || taco__lex_is_sign(l, "+")) {
        neg = neg != taco__lex_is_sign(l, "-");
        if (!taco__lex_next(l)) {
            return NULL;
        }
    }
    if (l->kind == TACO__TOK_NUMBER) {
        taco__scalar v = taco__pred_parse_number(l->raw, l->integral, neg);
        return taco__lex_next(l) ? taco__pred_parse_literal(p, at, v) : NULL;
    }
    return l->kind == TACO__TOK_END ? taco__pred_parse_fail_expected(p, "a value")
                                    : taco__pred_parse_unsupported(p, at, "arithmetic", &sign);
}
/* One operand. */
TACO__FN taco__expr *taco__pred_parse_primary(taco__pred_parser *p)
{
    taco__lexer *l = &p->lex;
    taco__expr  *e;
    taco__scalar v;
    size_t       at = l->at;
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
        if (taco__lex_is_sign(l, "(")) {
            return taco__pred_parse_parenthesis(p);
        }
        if (taco__lex_is_sign(l, "-") || taco__lex_is_sign(l, "+")) {
            return taco__pred_parse_signed(p);
        }
        break;
    default: break;
    }
    return taco__pred_parse_fail_expected(p, "a value");
}
/* What may not follow a value here, so that the message names it: arithmetic, casts, subscripts. */
TACO__FN bool taco__pred_parse_refuse_follower(taco__pred_parser *p)
{
    taco__lexer *l = &p->lex;
    const char  *what = NULL;
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
TACO__FN bool taco__pred_parse_compare_op(const taco__lexer *l, taco__compare_op *op)
{
    static const struct {
        char             sign[3];
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
TACO__FN taco__expr *taco__pred_parse_is(taco__pred_parser *p, taco__expr *left)
{
    taco__lexer *l = &p->lex;
    taco__expr  *e = taco__expr_make(p->arena, TACO__PRED_IS, left->at, p->err), *right;
    bool         word = taco__lex_is_word(l, "is");
    if (!e) {
        return NULL;
    }
    e->neg = taco__lex_is_word(l, "notnull");
    if (!taco__lex_next(l)) {
        return NULL;
    }
    taco__expr_append_child(e, left);
    if (!word) {
        return e;
    }
    if (taco__lex_is_word(l, "not")) {
        e->neg = true;
        if (!taco__lex_next(l)) {
            return NULL;
        }
    }
    if (taco__lex_is_word(l, "true") || taco__lex_is_word(l, "false")) {
        e->is = taco__lex_is_word(l, "true") ? TACO__IS_TRUE : TACO__IS_FALSE;
    } else if (taco__lex_is_word(l, "distinct")) {
        if (!taco__lex_next(l)) {
            return NULL;
        }
        if (!taco__lex_is_word(l, "from")) {
            return taco__pred_parse_fail_expected(p, "FROM");
        }
        right = taco__lex_next(l) ? taco__pred_parse_level(p, TACO__PRED_BINDS_CMP) : NULL;
        if (!right) {
            return NULL;
        }
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
/* IN (...), BETWEEN ... AND ..., [I]LIKE ... [ESCAPE ...] behind `left`, the word being the current token. */
TACO__FN taco__expr *taco__pred_parse_in(taco__pred_parser *p, taco__expr *left, bool neg)
{
    taco__lexer *l = &p->lex;
    bool         in = taco__lex_is_word(l, "in"), between = taco__lex_is_word(l, "between");
    taco__expr  *e = taco__expr_make(p->arena,
                                    in        ? TACO__PRED_IN
                                     : between ? TACO__PRED_BETWEEN
                                               : TACO__PRED_LIKE,
                                     left->at, p->err),
               *item;
    if (!e) {
        return NULL;
    }
    e->neg = neg;
    e->icase = taco__lex_is_word(l, "ilike");
    taco__expr_append_child(e, left);
    if (!taco__lex_next(l)) {
        return NULL;
    }
    if (in) {
        if (!taco__lex_is_sign(l, "(")) {
            return taco__pred_parse_fail_expected(p, "'(' behind IN");
        }
        do {
            if (!taco__lex_next(l) || (e->first != e->last && taco__lex_is_sign(l, ")"))) {
                break;
            }
            item = taco__pred_parse_level(p, TACO__PRED_BINDS_OR);
            if (!item) {
                return NULL;
            }
            taco__expr_append_child(e, item);
        } while (taco__lex_is_sign(l, ","));
        if (!taco__lex_is_sign(l, ")")) {
            return taco__pred_parse_fail_expected(p, "',' or ')'");
        }
        return taco__lex_next(l) ? e : NULL;
    }
    item = taco__pred_parse_level(p, TACO__PRED_BINDS_VALUE);
    if (!item) {
        return NULL;
    }
    taco__expr_append_child(e, item);
    if (between ? !taco__lex_is_word(l, "and") : !taco__lex_is_word(l, "escape")) {
        return between ? taco__pred_parse_fail_expected(p, "AND of BETWEEN") : e;
    }
    item = taco__lex_next(l) ? taco__pred_parse_level(p, TACO__PRED_BINDS_VALUE) : NULL;
    if (!item) {
        return NULL;
    }
    taco__expr_append_child(e, item);
    return e;
}
/* `left` AND|OR right: a chain is one node, so that its length costs no depth. */
TACO__FN taco__expr *taco__pred_parse_chain(taco__pred_parser *p, taco__expr *left,
                                            taco__expr **open, taco__pred_kind kind)
{
    taco__expr *right, *e = *open && (*open)->kind == kind ? *open : NULL;
    if (!taco__lex_next(&p->lex)) {
        return NULL;
    }
    right = taco__pred_parse_level(p, kind == TACO__PRED_AND ? TACO__PRED_BINDS_NOT
                                                             : TACO__PRED_BINDS_AND);
    if (!right) {
        return NULL;
    }
    if (!e) {
        e = taco__expr_make(p->arena, kind, left->at, p->err);
        if (!e) {
            return NULL;
        }
        taco__expr_append_child(e, left);
        *open = e;
    }
    taco__expr_append_child(e, right);
    return e;
}
/* One operator behind `left`; returns left itself where none of at least that strength follows. */
TACO__FN taco__expr *taco__pred_parse_operator(taco__pred_parser *p, taco__expr *left,
                                               taco__expr **open, int least)
{
    taco__lexer     *l = &p->lex;
    taco__lexer      saved;
    taco__expr      *e, *right;
    taco__compare_op op;
    bool             neg = false;
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
        if (least > TACO__PRED_BINDS_CMP) {
            return left;
        }
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
        if (!taco__lex_next(l)) {
            return NULL;
        }
    }
    if (taco__lex_is_word(l, "in") || taco__lex_is_word(l, "between") ||
        taco__lex_is_word(l, "like") || taco__lex_is_word(l, "ilike")) {
        if (least <= TACO__PRED_BINDS_IN) {
            return taco__pred_parse_in(p, left, neg);
        }
        *l = saved;
        return left;
    }
    if (!taco__pred_parse_refuse_follower(p)) {
        return NULL;
    }
    return neg ? taco__pred_parse_fail_expected(p, "IN, BETWEEN, LIKE or ILIKE behind NOT") : left;
}
/* An expression of operators that bind at least as strongly as `least`. */
TACO__FN taco__expr *taco__pred_parse_level(taco__pred_parser *p, int least)
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
        if (e) {
            e->at = at;
        }
    } else {
        e = taco__pred_parse_primary(p);
    }
    while (taco__pred_parse_check_depth(p, e)) {
        size_t before = p->lex.at;
        e = taco__pred_parse_operator(p, e, &open, least);
        if (e && p->lex.at == before) {
            break;
        }
    }
    p->depth--;
    return taco__pred_parse_check_depth(p, e);
}
/* Parses a whole condition. The text is borrowed for as long as the tree lives. NULL on failure: SYNTAX with the column
   of the text, LIMIT, or MEMORY. */
TACO__FN taco__expr *taco__pred_parse(taco__arena *arena, const char *text, size_t len,
                                      const taco_limits *limits, taco_error *err)
{
    taco__pred_parser p;
    taco__expr       *e;
    memset(&p, 0, sizeof p);
    p.arena = arena;
    p.err = err;
    p.max_depth = limits && limits->max_depth ? limits->max_depth : 64;
    if (!taco__lex_init(&p.lex, text, len, err)) {
        return NULL;
    }
    e = taco__pred_parse_level(&p, TACO__PRED_BINDS_OR);
    if (e && p.lex.kind != TACO__TOK_END) {
        return taco__pred_parse_fail_expected(&p, "AND, OR or the end");
    }
    return e;
}

/* ---- binding: names ---- */

typedef struct taco__pred_binder {
    taco__arena      *arena;
    const taco_field *columns;
    size_t            n;
    taco_error       *err;
} taco__pred_binder;

/* Columns differ by case, but a wrong case is the commonest slip: it costs nothing in the distance. */
TACO__FN uint8_t taco__ascii_lower(uint8_t c)
{
    return (uint8_t)(c >= 'A' && c <= 'Z' ? c + 32 : c);
}
/* Edits (insert, delete, replace) between two names without regard to ASCII case; long names are cut to 48 bytes. */
TACO__FN size_t taco__field_names_distance(taco_bytes a, taco_bytes b)
{
    size_t row[49], i, j, n = TACO__MIN(b.len, (size_t)48), m = TACO__MIN(a.len, (size_t)48);
    for (j = 0; j <= n; j++) {
        row[j] = j;
    }
    for (i = 1; i <= m; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (j = 1; j <= n; j++) {
            size_t up = row[j],
                   same =
                       taco__ascii_lower(a.data[i - 1]) == taco__ascii_lower(b.data[j - 1]) ? 0 : 1;
            row[j] = TACO__MIN(TACO__MIN(up, row[j - 1]) + 1, diagonal + same);
            diagonal = up;
        }
    }
    return row[n];
}
/* Fails with NOT_FOUND and the up to three columns whose names are nearest, or else with what the name may have been. */
TACO__COLD void taco__field_names_not_found(const taco_field *columns, size_t n, taco_bytes name,
                                            const char *hint, taco_error *err)
{
    size_t     best[3], where[3], found = 0, i, j;
    taco_bytes near[3];
    for (i = 0; i < TACO__MIN(n, (size_t)4096); i++) {
        taco_bytes c = taco__bytes_text(columns[i].name);
        size_t     d = taco__field_names_distance(name, c);
        if (d > TACO__MAX(name.len, c.len) / 2 &&
            !(name.len >= 3 && c.len > name.len && d == c.len - name.len)) {
            continue; /* shares less than half its letters, and is no longer form of the name */
        }
        for (j = found < 3 ? found++ : 3; j > 0 && best[j - 1] > d; j--) {
            if (j < 3) {
                best[j] = best[j - 1];
                where[j] = where[j - 1];
            }
        }
        if (j < 3) {
            best[j] = d;
            where[j] = i;
        }
    }
    for (j = 0; j < found; j++) {
        near[j] = taco__bytes_text(columns[where[j]].name);
    }
    if (found == 0 && n == 0) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "no column %q, there are no columns",
                   &name);
    } else if (found == 0) {
        near[0] = taco__bytes_text(columns[0].name);
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                   "no column %q, none of the %u columns is near (the first is %q)%s", &name,
                   TACO__U(n), &near[0], hint);
    } else if (found == 1) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "no column %q, the nearest is %q",
                   &name, &near[0]);
    } else if (found == 2) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "no column %q, the nearest are %q, %q",
                   &name, &near[0], &near[1]);
    } else {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                   "no column %q, the nearest are %q, %q, %q", &name, &near[0], &near[1], &near[2]);
    }
}
/* Also for other rooms that look up names. */
TACO__COLD void taco__field_names_no_column(const taco_field *columns, size_t n, taco_bytes name,
                                            taco_error *err)
{
    taco__field_names_not_found(columns, n, name, "", err);
}
/* In a condition: a text in "double quotes", or in none, is the name of a column, as in SQL. */
#define TACO__FIELD_NAMES_QUOTES "; text is written in 'single quotes'"

/* Finds the column by its exact name, or checks the index a constructor was given. */
TACO__FN bool taco__pred_bind_column(taco__pred_binder *b, taco__expr *e)
{
    if (e->name.data) {
        for (e->column = 0; e->column < b->n; e->column++) {
            if (taco__bytes_equal(e->name, taco__bytes_text(b->columns[e->column].name))) {
                break;
            }
        }
        if (e->column == b->n) {
            taco__field_names_not_found(b->columns, b->n, e->name, TACO__FIELD_NAMES_QUOTES,
                                        b->err);
            return false;
        }
    } else if (e->column >= b->n) {
        TACO__FAIL(b->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "the condition names column %u, there are %u", TACO__U(e->column),
                   TACO__U(b->n));
        return false;
    }
    e->field = &b->columns[e->column];
    e->type = taco__scalar_type_of_field(e->field);
    e->name = taco__bytes_text(e->field->name);
    return true;
}

/* ---- binding: messages ---- */

/* What a node is, in the words of the user. */
TACO__FN const char *taco__pred_bind_node_text(const taco__expr *e)
{
    if (e->kind != TACO__PRED_CONST) {
        return e->kind == TACO__PRED_COLUMN ? "a column" : "a condition";
    }
    switch (e->type.id) {
    case TACO_NULL: return "NULL";
    case TACO_BOOL: return "TRUE or FALSE";
    case TACO_TEXT: return "a text";
    case TACO_DATE: return "a date";
    case TACO_TIME: return "a time of day";
    case TACO_TIMESTAMP: return "a timestamp";
    case TACO_BINARY: return "bytes";
    case TACO_UUID: return "a UUID";
    default: return "a number";
    }
}
/* "column 'split' is TEXT, was given a number". */
TACO__COLD bool taco__pred_bind_type_mismatch(taco__pred_binder *b, const taco__expr *x,
                                              const taco__expr *y)
{
    const taco__expr *c = x->kind == TACO__PRED_COLUMN ? x : y, *o = c == x ? y : x;
    if (c->kind != TACO__PRED_COLUMN) {
        TACO__FAIL(b->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "%s and %s do not compare",
                   taco__pred_bind_node_text(x), taco__pred_bind_node_text(y));
    } else if (taco__scalar_is_nested(c->type.id) || c->type.id == TACO_INTERVAL) {
        TACO__FAIL(b->err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                   "column %q is %s, only IS NULL and IS NOT NULL can test it", &c->name,
                   taco__scalar_type_name(c->type.id));
    } else if (o->kind == TACO__PRED_COLUMN) {
        if (taco__scalar_is_nested(o->type.id) || o->type.id == TACO_INTERVAL) {
            return taco__pred_bind_type_mismatch(b, o, c);
        }
        TACO__FAIL(b->err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                   "column %q is %s and column %q is %s, they do not compare", &c->name,
                   taco__scalar_type_name(c->type.id), &o->name,
                   taco__scalar_type_name(o->type.id));
    } else {
        TACO__FAIL(b->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "column %q is %s, was given %s", &c->name,
                   taco__scalar_type_name(c->type.id), taco__pred_bind_node_text(o));
    }
    return false;
}
/* Gives a literal in quotes the type its partners are compared in; `with` is named when it does not spell one. */
TACO__FN bool taco__pred_bind_type_literal(taco__pred_binder *b, taco__expr *e,
                                           const taco__scalar_type *t, const taco__expr *with)
{
    taco__scalar v;
    if (e->kind != TACO__PRED_CONST || !e->text || t->id == TACO_NULL || t->id == TACO_TEXT) {
        return true;
    }
    if (!taco__scalar_parse(b->arena, e->value.b, t, &v, b->err)) {
        if (with && with->kind == TACO__PRED_COLUMN) {
            TACO__FAIL(b->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "column %q is %s, was given %q",
                       &with->name, taco__scalar_type_name(with->type.id), &e->value.b);
        } else {
            TACO__FAIL(b->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "%q is not a %s", &e->value.b,
                       taco__scalar_type_name(t->id));
        }
        return false;
    }
    e->value = v;
    e->type = v.type;
    e->text = false;
    return true;
}
/* The one type in which e->first and its siblings are compared, from left to right as DuckDB does it; literals in quotes
   follow the others. Casts those literals. */
TACO__FN bool taco__pred_bind_common_type(taco__pred_binder *b, taco__expr *e, bool equality,
                                          taco__scalar_type *out)
{
    taco__expr       *c, *seen = NULL;
    taco__scalar_type t = taco__scalar_simple_type(TACO_NULL);
    for (c = e->first; c; c = c->next) {
        if (c->kind == TACO__PRED_COLUMN &&
            (taco__scalar_is_nested(c->type.id) || c->type.id == TACO_INTERVAL)) {
            return taco__pred_bind_type_mismatch(b, c,
                                                 c == e->first && c->next ? c->next : e->first);
        }
        if ((c->kind == TACO__PRED_CONST && c->text) || c->type.id == TACO_NULL) {
            continue;
        }
        /* an integer literal that fits the integer type of the others takes it */
        if (!(c->kind == TACO__PRED_CONST && taco__scalar_is_int(c->type.id) &&
              taco__scalar_is_int(t.id) && taco__scalar_fits(&t, &c->value.d)) &&
            !taco__scalar_common_type(&t, &c->type, equality, &t)) {
            return taco__pred_bind_type_mismatch(b, seen ? seen : e->first, c);
        }
        seen = seen && seen->kind == TACO__PRED_COLUMN ? seen : c;
    }
    *out = t.id == TACO_NULL ? taco__scalar_simple_type(TACO_TEXT) : t;
    for (c = e->first; c; c = c->next) {
        if (!taco__pred_bind_type_literal(b, c, out, seen)) {
            return false;
        }
    }
    return true;
}

/* ---- binding: tests of a column against constants ---- */

/* Keys have room for one step beyond either end of a type. */
TACO__FN taco__i256 taco__pred_test_key_step(taco__i256 a, int64_t by)
{
    return taco__i256_add(a, taco__i256_from_i64(by));
}

/* The first key of a column of type t whose value, compared in dom, is not below c (or, strict, is above c); one behind
   the last key where there is none. Every conversion DuckDB makes to compare is monotone, so a binary search over the
   keys replaces an inverse for each pair of types. */
TACO__FN taco__i256 taco__pred_test_first_key(const taco__scalar_type *t, taco__compare_domain dom,
                                              const taco__scalar *c, bool strict)
{
    taco__i256 lo, hi;
    taco__scalar_key_bounds(t, &lo, &hi);
    hi = taco__pred_test_key_step(hi, 1);
    while (taco__i256_compare(&lo, &hi) < 0) {
        taco__i256   gap = taco__i256_add(hi, taco__i256_negate(lo)), mid;
        taco__scalar v;
        int          i;
        for (i = 0; i < 4; i++) { /* gap is positive: half of it */
            gap.w[i] = gap.w[i] >> 1 | (i < 3 ? gap.w[i + 1] << 63 : 0);
        }
        mid = taco__i256_add(lo, gap);
        v = taco__scalar_from_key(t, mid);
        if (taco__scalar_compare(dom, &v, c) >= (strict ? 1 : 0)) {
            hi = mid;
        } else {
            lo = taco__pred_test_key_step(mid, 1);
        }
    }
    return lo;
}
/* Turns e into the TEST of column c with room for n ranges or list items. */
TACO__FN taco__test *taco__pred_test_init(taco__pred_binder *b, taco__expr *e, const taco__expr *c,
                                          taco__test_mode mode, size_t n)
{
    taco__test *t = (taco__test *)taco__arena_alloc(b->arena, sizeof *t, b->err);
    if (!t) {
        return NULL;
    }
    if (mode == TACO__TEST_KEYS) {
        t->lo = (taco__i256 *)taco__arena_array(b->arena, n, sizeof *t->lo, b->err);
        t->hi = (taco__i256 *)taco__arena_array(b->arena, n, sizeof *t->hi, b->err);
        t->lo64 = (int64_t *)taco__arena_array(b->arena, n, sizeof *t->lo64, b->err);
        t->hi64 = (int64_t *)taco__arena_array(b->arena, n, sizeof *t->hi64, b->err);
        if (!t->lo || !t->hi || !t->lo64 || !t->hi64) {
            return NULL;
        }
    } else if (mode == TACO__TEST_LIST) {
        t->list = (taco_bytes *)taco__arena_array(b->arena, n, sizeof *t->list, b->err);
        if (!t->list) {
            return NULL;
        }
    }
    t->mode = mode;
    e->kind = TACO__PRED_TEST;
    e->op = TACO__OP_EQ;
    e->column = c->column;
    e->field = c->field;
    e->name = c->name;
    e->type = taco__scalar_simple_type(TACO_BOOL);
    e->test = t;
    return t;
}
/* Sorts and joins the ranges and fills in their 64-bit forms. */
typedef struct taco__key_range {
    taco__i256 lo, hi;
} taco__key_range;
/* For qsort. */
TACO__FN int taco__pred_test_compare_ranges(const void *a, const void *b)
{
    return taco__i256_compare(&((const taco__key_range *)a)->lo, &((const taco__key_range *)b)->lo);
}
TACO__FN int taco__pred_test_compare_bytes(const void *a, const void *b)
{
    return taco__bytes_compare(*(const taco_bytes *)a, *(const taco_bytes *)b);
}
/* Sorts n ranges, drops the empty, joins those that touch, and fills in the 64-bit forms. */
TACO__FN void taco__pred_test_set_ranges(taco__test *t, taco__key_range *p, size_t n,
                                         const taco__scalar_type *type)
{
    uint64_t flip = type->id == TACO_UINT64 ? (uint64_t)1 << 63 : 0;
    size_t   i;
    qsort(p, n, sizeof *p, taco__pred_test_compare_ranges);
    t->n = 0;
    for (i = 0; i < n; i++) {
        taco__i256 behind;
        if (taco__i256_compare(&p[i].lo, &p[i].hi) > 0) {
            continue; /* empty */
        }
        behind = t->n ? taco__pred_test_key_step(t->hi[t->n - 1], 1) : p[i].lo;
        if (t->n && taco__i256_compare(&p[i].lo, &behind) <= 0) {
            if (taco__i256_compare(&p[i].hi, &t->hi[t->n - 1]) > 0) {
                t->hi[t->n - 1] = p[i].hi;
            }
            continue;
        }
        t->lo[t->n] = p[i].lo;
        t->hi[t->n++] = p[i].hi;
    }
    for (i = 0; i < t->n; i++) {
        t->lo64[i] = (int64_t)(t->lo[i].w[0] ^ flip);
        t->hi64[i] = (int64_t)(t->hi[i].w[0] ^ flip);
    }
}
/* The keys for which the comparison with c holds; of <> those for which it does not. */
TACO__FN taco__key_range taco__pred_test_key_range(const taco__scalar_type *t,
                                                   taco__compare_domain dom, taco__compare_op op,
                                                   const taco__scalar *c)
{
    taco__key_range p;
    taco__scalar_key_bounds(t, &p.lo, &p.hi);
    if (op == TACO__OP_EQ || op == TACO__OP_NE || op == TACO__OP_GE) {
        p.lo = taco__pred_test_first_key(t, dom, c, false);
    } else if (op == TACO__OP_GT) {
        p.lo = taco__pred_test_first_key(t, dom, c, true);
    }
    if (op == TACO__OP_EQ || op == TACO__OP_NE || op == TACO__OP_LE) {
        p.hi = taco__pred_test_key_step(taco__pred_test_first_key(t, dom, c, true), -1);
    } else if (op == TACO__OP_LT) {
        p.hi = taco__pred_test_key_step(taco__pred_test_first_key(t, dom, c, false), -1);
    }
    return p;
}
/* e: column c op constant k becomes a TEST. */
TACO__FN bool taco__pred_test_from_compare(taco__pred_binder *b, taco__expr *e, const taco__expr *c,
                                           taco__compare_op op, const taco__expr *k,
                                           taco__compare_domain dom)
{
    taco__scalar_type type = c->type;
    taco__scalar      v = k->value;
    taco__test       *t;
    bool              list = op == TACO__OP_EQ || op == TACO__OP_NE, nullsafe = e->nullsafe;
    if (dom != TACO__DOMAIN_BYTES) {
        taco__key_range p = taco__pred_test_key_range(&type, dom, op, &v);
        t = taco__pred_test_init(b, e, c, TACO__TEST_KEYS, 1);
        if (t) {
            taco__pred_test_set_ranges(t, &p, 1, &type);
        }
    } else {
        t = taco__pred_test_init(b, e, c, list ? TACO__TEST_LIST : TACO__TEST_RANGE, 1);
        if (t && list) {
            t->list[0] = v.b;
            t->n = 1;
        } else if (t) {
            t->has_low = op == TACO__OP_GT || op == TACO__OP_GE;
            t->has_high = !t->has_low;
            t->low = t->high = v.b;
            t->open_low = t->open_high = op == TACO__OP_GT || op == TACO__OP_LT;
        }
    }
    if (t) {
        t->null_false = nullsafe;
        e->neg = op == TACO__OP_NE;
    }
    return t != NULL;
}
TACO__FN taco__compare_op
taco__pred_bind_mirror_op(taco__compare_op op) /* a op b is b mirror(op) a */
{
    return op == TACO__OP_LT   ? TACO__OP_GT
           : op == TACO__OP_LE ? TACO__OP_GE
           : op == TACO__OP_GT ? TACO__OP_LT
           : op == TACO__OP_GE ? TACO__OP_LE
                               : op;
}
/* op applied to a three-way order. */
TACO__FN bool taco__pred_bind_op_accepts(taco__compare_op op, int order)
{
    switch (op) {
    case TACO__OP_EQ: return order == 0;
    case TACO__OP_NE: return order != 0;
    case TACO__OP_LT: return order < 0;
    case TACO__OP_LE: return order <= 0;
    case TACO__OP_GT: return order > 0;
    default: return order >= 0;
    }
}
/* A comparison whose sides are bound and of types that compare in `type`. */
TACO__FN bool taco__pred_bind_compare(taco__pred_binder *b, taco__expr *e,
                                      const taco__scalar_type *type)
{
    taco__expr          *x = e->first, *y = x->next;
    taco__compare_domain dom = taco__scalar_domain_of(type->id);
    bool                 xnull = x->type.id == TACO_NULL,
         ynull = y->type.id == TACO_NULL; /* constants and columns without values */
    e->type = taco__scalar_simple_type(TACO_BOOL);
    e->domain = dom;
    if (xnull || ynull) {
        if (!e->nullsafe) {
            taco__expr_replace_const(e, taco__expr_bool_value(-1));
        } else if (xnull && ynull) {
            taco__expr_replace_const(e, taco__expr_bool_value(e->op == TACO__OP_EQ));
        } else { /* IS DISTINCT FROM NULL is IS NOT NULL */
            taco__expr *side = xnull ? y : x;
            e->kind = TACO__PRED_IS;
            e->is = TACO__IS_NULL;
            e->neg = e->op == TACO__OP_NE;
            e->nullsafe = false;
            e->first = e->last = NULL;
            taco__expr_append_child(e, side);
            if (side->kind == TACO__PRED_CONST) {
                taco__expr_replace_const(e, taco__expr_bool_value(e->neg));
            }
        }
        return true;
    }
    if (x->kind == TACO__PRED_CONST && y->kind == TACO__PRED_CONST) {
        taco__expr_replace_const(e, taco__expr_bool_value(taco__pred_bind_op_accepts(
                                        e->op, taco__scalar_compare(dom, &x->value, &y->value))));
        return true;
    }
    if (x->kind == TACO__PRED_COLUMN && y->kind == TACO__PRED_CONST) {
        return taco__pred_test_from_compare(b, e, x, e->op, y, dom);
    }
    if (x->kind == TACO__PRED_CONST && y->kind == TACO__PRED_COLUMN) {
        return taco__pred_test_from_compare(b, e, y, taco__pred_bind_mirror_op(e->op), x, dom);
    }
    return true;
}
/* A copy of a bound value, for a second place in the tree. */
TACO__FN taco__expr *taco__pred_bind_copy(taco__pred_binder *b, const taco__expr *e)
{
    taco__expr *c = taco__expr_make(b->arena, e->kind, e->at, b->err);
    if (c) {
        *c = *e;
        c->next = NULL;
    }
    return c;
}
/* NOT of TEST and IS nodes, which carry it along. */
TACO__FN void taco__pred_bind_negate(taco__expr *e) /* of TEST and IS nodes */
{
    e->neg = !e->neg;
}
/* NOT around a node that has no room for it: e becomes the NOT, a copy of it the child. */
TACO__FN bool taco__pred_bind_wrap_not(taco__pred_binder *b, taco__expr *e)
{
    taco__expr *copy = taco__pred_bind_copy(b, e);
    if (copy) {
        taco__expr *next = e->next;
        memset(e, 0, sizeof *e);
        e->kind = TACO__PRED_NOT;
        e->type = taco__scalar_simple_type(TACO_BOOL);
        e->next = next;
        taco__expr_append_child(e, copy);
    }
    return copy != NULL;
}
/* Logical NOT of a bound condition, in place. */
TACO__FN bool taco__pred_bind_invert(taco__pred_binder *b, taco__expr *e)
{
    if (e->kind == TACO__PRED_CONST) {
        if (e->type.id != TACO_NULL) {
            taco__expr_replace_const(e, taco__expr_bool_value(e->value.d.w[0] == 0));
        }
        return true;
    }
    if (e->kind == TACO__PRED_TEST || e->kind == TACO__PRED_IS) {
        taco__pred_bind_negate(e);
        return true;
    }
    if (e->kind == TACO__PRED_NOT) {
        taco__expr_replace(e, e->first);
        return true;
    }
    return taco__pred_bind_wrap_not(b, e);
}
/* value IN (constants...) on a column: one TEST. */
TACO__FN bool taco__pred_test_from_list(taco__pred_binder *b, taco__expr *e,
                                        const taco__scalar_type *type)
{
    taco__expr          *c = e->first, *k;
    taco__scalar_type    column = c->type;
    taco__compare_domain dom = taco__scalar_domain_of(type->id);
    bool                 keys = dom != TACO__DOMAIN_BYTES, null = false;
    size_t               n = 0;
    taco__test          *t;
    taco__key_range     *p = NULL;
    for (k = c->next; k; k = k->next) {
        n++;
    }
    if (keys) {
        p = (taco__key_range *)taco__arena_array(b->arena, n, sizeof *p, b->err);
    }
    t = !keys || p ? taco__pred_test_init(b, e, c, keys ? TACO__TEST_KEYS : TACO__TEST_LIST, n)
                   : NULL;
    if (!t) {
        return false;
    }
    n = 0;
    for (k = c->next; k; k = k->next) {
        if (k->type.id == TACO_NULL) {
            null = true;
        } else if (keys) {
            p[n++] = taco__pred_test_key_range(&column, dom, TACO__OP_EQ, &k->value);
        } else {
            t->list[n++] = k->value.b;
        }
    }
    t->null_rest = null;
    if (keys) {
        taco__pred_test_set_ranges(t, p, n, &column);
    } else {
        size_t i;
        qsort(t->list, n, sizeof *t->list, taco__pred_test_compare_bytes);
        for (i = 0; i < n; i++) { /* drops repeats */
            if (!t->n || !taco__bytes_equal(t->list[t->n - 1], t->list[i])) {
                t->list[t->n++] = t->list[i];
            }
        }
    }
    return true;
}
/* Two TESTs of one column without NULL rules of their own become one: x >= a AND x < b is a single range. */
TACO__FN bool taco__pred_test_merge(taco__expr *a, const taco__expr *b)
{
    taco__test *s = a->test, *t = b->test;
    if (a->kind != TACO__PRED_TEST || b->kind != TACO__PRED_TEST || a->column != b->column ||
        a->neg || b->neg || s->mode != t->mode || s->null_rest || t->null_rest || s->null_false ||
        t->null_false) {
        return false;
    }
    if (s->mode == TACO__TEST_KEYS && s->n <= 1 && t->n <= 1) {
        taco__key_range   p;
        taco__scalar_type type = taco__scalar_type_of_field(a->field);
        if (s->n && t->n) {
            p.lo = taco__i256_compare(&s->lo[0], &t->lo[0]) > 0 ? s->lo[0] : t->lo[0];
            p.hi = taco__i256_compare(&s->hi[0], &t->hi[0]) < 0 ? s->hi[0] : t->hi[0];
        }
        taco__pred_test_set_ranges(s, &p, s->n && t->n, &type);
        return true;
    }
    if (s->mode == TACO__TEST_RANGE && !(s->has_low && t->has_low) &&
        !(s->has_high && t->has_high)) {
        if (t->has_low) {
            s->has_low = true;
            s->low = t->low;
            s->open_low = t->open_low;
        }
        if (t->has_high) {
            s->has_high = true;
            s->high = t->high;
            s->open_high = t->open_high;
        }
        return true;
    }
    return false;
}
/* Children of AND and OR are bound: flattens, drops what does not matter, joins ranges, unwraps single children. */
TACO__FN bool taco__pred_bind_junction(taco__pred_binder *b, taco__expr *e)
{
    bool        is_and = e->kind == TACO__PRED_AND, null = false, decided = false;
    int         tries;
    taco__expr *c = e->first, *next, *d;
    e->first = e->last = NULL;
    e->depth = 1;
    e->type = taco__scalar_simple_type(TACO_BOOL);
    for (; c; c = next) {
        next = c->next;
        if (c->kind == e->kind && c->first) { /* splice the children of (a AND b) into this AND */
            for (d = c->first; d->next; d = d->next) {
            }
            d->next = next;
            next = c->first;
            continue;
        }
        if (c->kind == TACO__PRED_CONST) {
            null = null || c->type.id == TACO_NULL;
            decided = decided || (c->type.id != TACO_NULL && (c->value.d.w[0] == 0) == is_and);
            continue;
        }
        tries = 16; /* not all: a chain of thousands must not take their square */
        for (d = is_and ? e->first : NULL; d && !taco__pred_test_merge(d, c);
             d = --tries ? d->next : NULL) {
        }
        if (!d) {
            taco__expr_append_child(e, c);
        }
    }
    if (decided || !e->first) {
        taco__expr_replace_const(e, taco__expr_bool_value(decided ? !is_and : null ? -1 : is_and));
        return true;
    }
    if (null) {
        d = taco__expr_const(b->arena, taco__expr_bool_value(-1), b->err);
        if (!d) {
            return false;
        }
        taco__expr_append_child(e, d);
    }
    if (!e->first->next) {
        taco__expr_replace(e, e->first);
    }
    return true;
}
/* IN. Constants against a column are one TEST; anything else is written out as a chain of OR. */
TACO__FN bool taco__pred_bind_in(taco__pred_binder *b, taco__expr *e)
{
    taco__scalar_type type;
    taco__expr       *c = e->first, *k, *any;
    bool constants = c->kind == TACO__PRED_COLUMN && c->type.id != TACO_NULL, neg = e->neg;
    if (!taco__pred_bind_common_type(b, e, true, &type)) {
        return false;
    }
    for (k = c->next; k; k = k->next) {
        constants = constants && k->kind == TACO__PRED_CONST;
    }
    e->neg = false;
    if (constants) {
        if (!taco__pred_test_from_list(b, e, &type)) {
            return false;
        }
    } else { /* c = k1 OR c = k2 ... */
        any = taco__expr_make(b->arena, TACO__PRED_OR, e->at, b->err);
        for (k = c->next; any && k;) {
            taco__expr *next = k->next, *left = taco__pred_bind_copy(b, c);
            taco__expr *eq =
                left ? taco__expr_compare(b->arena, TACO__OP_EQ, left, k, b->err) : NULL;
            if (!eq || !taco__pred_bind_compare(b, eq, &type)) {
                return false;
            }
            taco__expr_append_child(any, eq);
            k = next;
        }
        if (!any || !taco__pred_bind_junction(b, any)) {
            return false;
        }
        taco__expr_replace(e, any);
    }
    return !neg || taco__pred_bind_invert(b, e);
}
/* Makes a bound value a condition, as DuckDB casts it to BOOL. */
TACO__FN bool taco__pred_bind_to_condition(taco__pred_binder *b, taco__expr *e)
{
    taco__scalar_type t = taco__scalar_simple_type(TACO_BOOL);
    taco__expr       *copy, *zero;
    if (e->kind == TACO__PRED_CONST && e->text) {
        return taco__pred_bind_type_literal(b, e, &t, NULL);
    }
    if (e->kind == TACO__PRED_CONST && taco__scalar_is_number(e->type.id)) {
        bool set = taco__scalar_is_float(e->type.id)
                       ? e->value.f != 0
                       : taco__scalar_to_double(&e->value, false) != 0;
        taco__expr_replace_const(e, taco__expr_bool_value(set));
        return true;
    }
    if (e->kind == TACO__PRED_COLUMN &&
        (e->type.id == TACO_BOOL || taco__scalar_is_number(e->type.id))) {
        copy = taco__pred_bind_copy(b, e);
        zero = taco__expr_const(
            b->arena, taco__scalar_make_int(e->type.id == TACO_BOOL ? TACO_BOOL : TACO_INT32, 0),
            b->err);
        return copy && zero &&
               taco__pred_test_from_compare(b, e, copy, TACO__OP_NE, zero,
                                            taco__scalar_domain_of(e->type.id));
    }
    if (e->kind == TACO__PRED_COLUMN && e->type.id == TACO_NULL) {
        taco__expr_replace_const(e, taco__expr_bool_value(-1));
        return true;
    }
    if (e->type.id != TACO_BOOL && e->type.id != TACO_NULL) {
        if (e->kind == TACO__PRED_COLUMN) {
            TACO__FAIL(b->err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                       "column %q is %s, a condition needs BOOL or a number", &e->name,
                       taco__scalar_type_name(e->type.id));
        } else {
            TACO__FAIL(b->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "%s is not a condition",
                       taco__pred_bind_node_text(e));
        }
        return false;
    }
    return true;
}

/* ---- binding: nodes ---- */

/* x BETWEEN a AND b is x >= a AND x <= b, with all three in one type. */
TACO__FN bool taco__pred_bind_between(taco__pred_binder *b, taco__expr *e)
{
    taco__expr       *v = e->first, *low = v->next, *high = low->next, *copy, *ge, *le;
    taco__scalar_type type;
    bool              neg = e->neg;
    if (!taco__pred_bind_common_type(b, e, false, &type)) {
        return false;
    }
    copy = taco__pred_bind_copy(b, v);
    ge = taco__expr_compare(b->arena, TACO__OP_GE, v, low, b->err);
    le = taco__expr_compare(b->arena, TACO__OP_LE, copy, high, b->err);
    if (!ge || !le || !taco__pred_bind_compare(b, ge, &type) ||
        !taco__pred_bind_compare(b, le, &type)) {
        return false;
    }
    e->kind = TACO__PRED_AND;
    e->neg = false;
    e->first = e->last = NULL;
    taco__expr_append_child(e, ge);
    taco__expr_append_child(e, le);
    return taco__pred_bind_junction(b, e) && (!neg || taco__pred_bind_invert(b, e));
}
/* LIKE takes texts only: DuckDB has no LIKE for numbers either. */
TACO__FN bool taco__pred_bind_check_text(taco__pred_binder *b, const taco__expr *e)
{
    if (e->type.id == TACO_TEXT || e->type.id == TACO_NULL) {
        return true;
    }
    if (e->kind == TACO__PRED_COLUMN) {
        TACO__FAIL(b->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "column %q is %s, LIKE needs TEXT",
                   &e->name, taco__scalar_type_name(e->type.id));
    } else {
        TACO__FAIL(b->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "LIKE needs TEXT, was given %s",
                   taco__pred_bind_node_text(e));
    }
    return false;
}
/* LIKE with a constant pattern on a column is a TEST; a pattern from a column stays a node. */
TACO__FN bool taco__pred_bind_like(taco__pred_binder *b, taco__expr *e)
{
    taco__expr        *v = e->first, *p = v->next, *x = p->next;
    taco__test        *t;
    taco__like_pattern k;
    bool               null =
             v->type.id == TACO_NULL || p->type.id == TACO_NULL || (x && x->type.id == TACO_NULL),
         neg = e->neg;
    if (!taco__pred_bind_check_text(b, v) || !taco__pred_bind_check_text(b, p) ||
        (x && !taco__pred_bind_check_text(b, x))) {
        return false;
    }
    if (x && !null && (x->kind != TACO__PRED_CONST || x->value.b.len > 1)) {
        TACO__FAIL(b->err, TACO_ERR_SYNTAX, x->at, "ESCAPE takes a text of one character");
        return false;
    }
    e->type = taco__scalar_simple_type(TACO_BOOL);
    if (null) {
        taco__expr_replace_const(e, taco__expr_bool_value(-1));
        return true;
    }
    memset(&k, 0, sizeof k);
    k.icase = e->icase;
    k.has_escape = x && x->value.b.len == 1;
    k.escape = (uint8_t)(k.has_escape ? x->value.b.data[0] : 0);
    if (p->kind == TACO__PRED_CONST && !taco__like_compile(&k, b->arena, p->value.b, b->err)) {
        return false;
    }
    if (p->kind == TACO__PRED_CONST && v->kind == TACO__PRED_CONST) {
        taco__expr_replace_const(e, taco__expr_bool_value(taco__like_match(&k, v->value.b) != neg));
        return true;
    }
    if (p->kind == TACO__PRED_CONST) {
        t = taco__pred_test_init(b, e, v, TACO__TEST_LIKE, 0);
    } else { /* a pattern of every row: eval matches it as it stands */
        t = (taco__test *)taco__arena_alloc(b->arena, sizeof *t, b->err);
        e->test = t;
    }
    if (t) {
        t->like = k;
    }
    return t != NULL;
}
/* IS NULL looks at any value, IS TRUE and IS FALSE need a condition. None of them is ever NULL. */
TACO__FN bool taco__pred_bind_is(taco__pred_binder *b, taco__expr *e)
{
    taco__expr *c = e->first;
    if (e->is != TACO__IS_NULL && !taco__pred_bind_to_condition(b, c)) {
        return false;
    }
    e->type = taco__scalar_simple_type(TACO_BOOL);
    if (c->type.id == TACO_NULL || c->kind == TACO__PRED_CONST) {
        bool null = c->type.id == TACO_NULL;
        bool is = e->is == TACO__IS_NULL
                      ? null
                      : !null && (c->value.d.w[0] != 0) == (e->is == TACO__IS_TRUE);
        taco__expr_replace_const(e, taco__expr_bool_value(is != e->neg));
    }
    return true;
}
/* RANGE is a TEST whose keys are given. */
TACO__FN bool taco__pred_bind_range(taco__pred_binder *b, taco__expr *e)
{
    taco__key_range p;
    taco__i256      x;
    taco__test     *t;
    taco__expr      c = *e;
    if (!taco__pred_bind_column(b, &c)) {
        return false;
    }
    if (!taco__scalar_has_key(c.type.id) || taco__scalar_is_float(c.type.id) ||
        c.type.id == TACO_DECIMAL) {
        TACO__FAIL(b->err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                   "column %q is %s, was given a range of integers", &c.name,
                   taco__scalar_type_name(c.type.id));
        return false;
    }
    taco__scalar_key_bounds(&c.type, &p.lo, &p.hi);
    x = taco__i256_from_i64(e->lo);
    if (e->has_lo && taco__i256_compare(&x, &p.lo) > 0) {
        p.lo = x;
    }
    x = taco__pred_test_key_step(taco__i256_from_i64(e->hi), -1);
    if (e->has_hi && taco__i256_compare(&x, &p.hi) < 0) {
        p.hi = x;
    }
    t = taco__pred_test_init(b, e, &c, TACO__TEST_KEYS, 1);
    if (t) {
        taco__pred_test_set_ranges(t, &p, 1, &c.type);
    }
    return t != NULL;
}
/* CUSTOM only needs its column. */
TACO__FN bool taco__pred_bind_custom(taco__pred_binder *b, taco__expr *e)
{
    bool ok = taco__pred_bind_column(b, e);
    e->type = taco__scalar_simple_type(TACO_BOOL);
    return ok;
}
/* Binds e and what is below it, in place. The depth of the tree was limited when it was made. */
TACO__FN bool taco__pred_bind_node(taco__pred_binder *b, taco__expr *e)
{
    taco__expr       *c;
    taco__scalar_type type;
    bool              junction =
        e->kind == TACO__PRED_AND || e->kind == TACO__PRED_OR || e->kind == TACO__PRED_NOT;
    for (c = e->first; c; c = c->next) {
        if (!taco__pred_bind_node(b, c) || (junction && !taco__pred_bind_to_condition(b, c))) {
            return false;
        }
    }
    switch (e->kind) {
    case TACO__PRED_COLUMN: return taco__pred_bind_column(b, e);
    case TACO__PRED_AND:
    case TACO__PRED_OR: return taco__pred_bind_junction(b, e);
    case TACO__PRED_NOT: taco__expr_replace(e, e->first); return taco__pred_bind_invert(b, e);
    case TACO__PRED_CMP:
        return taco__pred_bind_common_type(b, e, e->op == TACO__OP_EQ || e->op == TACO__OP_NE,
                                           &type) &&
               taco__pred_bind_compare(b, e, &type);
    case TACO__PRED_BETWEEN: return taco__pred_bind_between(b, e);
    case TACO__PRED_IN: return taco__pred_bind_in(b, e);
    case TACO__PRED_LIKE: return taco__pred_bind_like(b, e);
    case TACO__PRED_IS: return taco__pred_bind_is(b, e);
    case TACO__PRED_RANGE: return taco__pred_bind_range(b, e);
    case TACO__PRED_CUSTOM: return taco__pred_bind_custom(b, e);
    default: return true; /* CONST */
    }
}
/* Resolves names among the n columns, checks types, converts literals, folds constants. The columns are borrowed for as
   long as the tree lives. Failures: NOT_FOUND with the nearest names, TYPE, MEMORY. A tree is bound once. */
TACO__FN bool taco__pred_bind(taco__expr *e, const taco_field *columns, size_t n,
                              taco__arena *arena, taco_error *err)
{
    taco__pred_binder b;
    b.arena = arena;
    b.columns = columns;
    b.n = n;
    b.err = err;
    if (e->bound) {
        TACO__FAIL(err, TACO_ERR_STATE, TACO_NO_OFFSET, "the condition is bound already");
        return false;
    }
    if (!taco__pred_bind_node(&b, e) || !taco__pred_bind_to_condition(&b, e)) {
        return false;
    }
    e->bound = true;
    return true;
}
/* Sets the bit of every column a bound tree reads; the others keep theirs. */
TACO__FN void taco__expr_mark_columns(const taco__expr *e, uint8_t *bitmap)
{
    const taco__expr *c;
    if (e->kind == TACO__PRED_COLUMN || e->kind == TACO__PRED_TEST ||
        e->kind == TACO__PRED_CUSTOM) {
        taco__bitmap_set(bitmap, e->column);
    }
    for (c = e->kind == TACO__PRED_TEST ? NULL : e->first; c; c = c->next) {
        taco__expr_mark_columns(c, bitmap);
    }
}
