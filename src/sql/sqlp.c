/* ==== ROOM sqlp: parse a SELECT into a tree, and write trees as DuckDB names columns. Uses: pq:lex pq:expr vec.
   Spec: the grammar in the manual ==== */

typedef enum taco__sql_expr_kind {
    TACO__SQL_EXPR_CONST = 0,
    TACO__SQL_EXPR_COLUMN, /* table (may be empty), name */
    TACO__SQL_EXPR_STAR,   /* table (may be empty); kids: COLUMNs left out */
    TACO__SQL_EXPR_CALL,   /* name(kids...), operators too; filter of an aggregate */
    TACO__SQL_EXPR_CASE,   /* when, then, ..., else */
    TACO__SQL_EXPR_CAST,   /* one kid, to */
    TACO__SQL_EXPR_AND,
    TACO__SQL_EXPR_OR,
    TACO__SQL_EXPR_NOT,
    TACO__SQL_EXPR_CMP, /* op; nullsafe */
    TACO__SQL_EXPR_BETWEEN,
    TACO__SQL_EXPR_IN,
    TACO__SQL_EXPR_ISNULL,
    TACO__SQL_EXPR_INDEX, /* value, index */
    TACO__SQL_EXPR_SLICE, /* value, from, to (a NULL constant where open) */
    TACO__SQL_EXPR_FIELD, /* value, name */
    TACO__SQL_EXPR_REF    /* bound: column `index` of the batch */
} taco__sql_expr_kind;

typedef struct taco__sql_expr {
    taco__sql_expr_kind     kind;
    uint8_t                 op;      /* CMP: taco__compare_op */
    uint8_t                 literal; /* 1 integer, 2 text: takes the type of what it meets */
    bool                    neg, nullsafe, tries, distinct, infix;
    size_t                  at; /* column in the text */
    uint32_t                depth, n, cap;
    uint32_t                func; /* bound CALL: what to run */
    size_t                  index;
    taco_bytes              table, name, alias;
    struct taco__sql_expr **kid;
    struct taco__sql_expr  *filter;
    taco__sql_type          to;   /* CAST */
    taco__sql_type          type; /* bound */
    taco__scalar            value;
    const void             *plan; /* bound: what the function prepared */
} taco__sql_expr;

typedef struct taco__sql_sort_key {
    taco__sql_expr *e;
    bool            desc, nulls_first;
} taco__sql_sort_key;
typedef struct taco__sql_table_ref {
    taco_bytes      name, alias;
    size_t          at;
    bool            left, flat;
    uint32_t        level;
    taco__sql_expr *on; /* NULL for the first table */
} taco__sql_table_ref;

#define TACO__SQL_MAX_TABLES 8
#define TACO__SQL_MAX_TEXT   ((size_t)1 << 20) /* bytes of a query */
#define TACO__SQL_MAX_ITEMS  4096              /* of any list in it */

typedef struct taco__sql_select {
    bool                distinct, group_all, order_all, has_limit;
    taco__sql_expr     *items, *groups; /* lists: kids */
    taco__sql_table_ref from[TACO__SQL_MAX_TABLES];
    size_t              from_count;
    taco__sql_expr     *where, *having;
    taco__sql_sort_key  order[64];
    size_t              order_count;
    uint64_t            limit, offset;
} taco__sql_select;

typedef struct taco__sql_parser {
    taco__lexer  lex;
    taco__arena *arena;
    taco_error  *err;
    uint32_t     depth, max_depth;
} taco__sql_parser;

TACO__FN taco__sql_expr *taco__sql_parse_expr(taco__sql_parser *p, int least);

/* ---- nodes ----------------------------------------------------------------------------------------- */

TACO__FN taco__sql_expr *taco__sql_expr_new(taco__sql_parser *p, taco__sql_expr_kind kind,
                                            size_t at)
{
    taco__sql_expr *e = (taco__sql_expr *)taco__arena_alloc(p->arena, sizeof *e, p->err);
    if (e) {
        e->kind = kind;
        e->at = at;
        e->depth = 1;
    }
    return e;
}
/* Appends a kid; NULL, and so the whole, when the kid failed. */
TACO__FN taco__sql_expr *taco__sql_expr_add_child(taco__sql_parser *p, taco__sql_expr *e,
                                                  taco__sql_expr *kid)
{
    if (!e || !kid) {
        return NULL;
    }
    if (e->n == e->cap) {
        uint32_t         cap = e->cap ? e->cap * 2 : 2;
        taco__sql_expr **k = (taco__sql_expr **)taco__arena_array(p->arena, cap, sizeof *k, p->err);
        if (!k) {
            return NULL;
        }
        if (e->n) {
            memcpy(k, e->kid, e->n * sizeof *k);
        }
        e->kid = k;
        e->cap = cap;
    }
    if (e->n >= TACO__SQL_MAX_ITEMS) {
        TACO__FAIL(p->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "a list of more than %u items",
                   TACO__U(TACO__SQL_MAX_ITEMS));
        return NULL;
    }
    e->kid[e->n++] = kid;
    e->depth = TACO__MAX(e->depth, kid->depth + 1);
    if (e->depth > p->max_depth) {
        TACO__FAIL(p->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "an expression deeper than %u, see limits.max_depth", TACO__U(p->max_depth));
        return NULL;
    }
    return e;
}
TACO__FN taco__sql_expr *taco__sql_expr_new_call(taco__sql_parser *p, const char *name, size_t at,
                                                 taco__sql_expr *a, taco__sql_expr *b)
{
    taco__sql_expr *e = taco__sql_expr_new(p, TACO__SQL_EXPR_CALL, at);
    if (e) {
        e->name = taco__bytes_text(name);
        e->infix = true;
        e = taco__sql_expr_add_child(p, e, a);
    }
    return b ? taco__sql_expr_add_child(p, e, b) : e;
}
TACO__FN taco__sql_expr *taco__sql_expr_new_const(taco__sql_parser *p, size_t at, taco__scalar v)
{
    taco__sql_expr *e = taco__sql_expr_new(p, TACO__SQL_EXPR_CONST, at);
    if (e) {
        e->value = v;
        e->literal = v.type.id == TACO_TEXT                               ? 2
                     : v.type.id == TACO_INT32 || v.type.id == TACO_INT64 ? 1
                                                                          : 0;
    }
    return e;
}
TACO__FN bool taco__sql_parse_next(taco__sql_parser *p)
{
    return taco__lex_next(&p->lex);
}
TACO__FN bool taco__sql_parse_accept(taco__sql_parser *p,
                                     const char       *sign) /* steps over it when it is there */
{
    return taco__lex_is_sign(&p->lex, sign) && taco__sql_parse_next(p);
}
TACO__FN bool taco__sql_parse_is_word(taco__sql_parser *p, const char *word)
{
    return taco__lex_is_word(&p->lex, word) && taco__sql_parse_next(p);
}
TACO__FN bool taco__sql_parse_is_ok(const taco__sql_parser *p)
{
    return p->err->code == TACO_OK;
}
TACO__FN bool taco__sql_parse_expect(taco__sql_parser *p, const char *sign)
{
    if (!taco__sql_parse_is_ok(p)) {
        return false;
    }
    if (!taco__lex_is_sign(&p->lex, sign) && !taco__lex_is_word(&p->lex, sign)) {
        taco__lex_fail_expected(&p->lex, sign);
        return false;
    }
    return taco__sql_parse_next(p);
}
TACO__COLD taco__sql_expr *taco__sql_parse_fail(taco__sql_parser *p, size_t at, const char *what)
{
    TACO__FAIL(p->err, TACO_ERR_SYNTAX, at, "%s", what);
    return NULL;
}
/* Words that are no column and no alias unless quoted. */
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
        if (taco__ascii_is_word(b, words[i])) {
            return true;
        }
    }
    return false;
}
/* A name, bare or quoted, into *out; false when the token is none. */
TACO__FN bool taco__sql_parse_name(taco__sql_parser *p, bool reserved, taco_bytes *out)
{
    if (p->lex.kind == TACO__TOK_QUOTED) {
        return taco__lex_unquote(&p->lex, p->arena, out) && taco__sql_parse_next(p);
    }
    if (p->lex.kind == TACO__TOK_NAME && (reserved || !taco__sql_parse_is_reserved(p->lex.raw))) {
        *out = p->lex.raw;
        return taco__sql_parse_next(p);
    }
    return false;
}

/* ---- types ----------------------------------------------------------------------------------------- */

TACO__FN bool taco__sql_parse_type_number(taco__sql_parser *p, uint64_t *out)
{
    if (p->lex.kind != TACO__TOK_NUMBER || !p->lex.integral ||
        !taco__num_parse_u64(p->lex.raw, out)) {
        taco__lex_fail_expected(&p->lex, "a whole number");
        return false;
    }
    return taco__sql_parse_next(p);
}
TACO__FN bool taco__sql_parse_type_decimal(taco__sql_parser *p, taco__sql_type *t)
{
    uint64_t width = 18, scale = 3;
    size_t   at = p->lex.at;
    t->t = taco__scalar_simple_type(TACO_DECIMAL);
    if (taco__sql_parse_accept(p, "(")) {
        scale = 0;
        if (!taco__sql_parse_type_number(p, &width) ||
            (taco__sql_parse_accept(p, ",") && !taco__sql_parse_type_number(p, &scale)) ||
            !taco__sql_parse_expect(p, ")")) {
            return false;
        }
    }
    if (width < 1 || width > 38 || scale > width) {
        taco__sql_parse_fail(p, at, "DECIMAL takes 1 to 38 digits and a scale of at most as many");
        return false;
    }
    t->t.precision = (int32_t)width;
    t->t.scale = (int32_t)scale;
    return taco__sql_parse_is_ok(p);
}
TACO__FN bool taco__sql_parse_type(taco__sql_parser *p, taco__sql_type *t)
{
    static const struct {
        const char *name;
        taco_type   id;
        taco_unit   unit;
    } more[] = {{"hugeint", TACO_DECIMAL, TACO_SECOND},
                {"int128", TACO_DECIMAL, TACO_SECOND},
                {"timestamp_ms", TACO_TIMESTAMP, TACO_MILLI},
                {"timestamp_s", TACO_TIMESTAMP, TACO_SECOND},
                {"float4", TACO_FLOAT, TACO_SECOND},
                {"float8", TACO_DOUBLE, TACO_SECOND},
                {"int1", TACO_INT8, TACO_SECOND},
                {"int2", TACO_INT16, TACO_SECOND},
                {"short", TACO_INT16, TACO_SECOND},
                {"int4", TACO_INT32, TACO_SECOND},
                {"signed", TACO_INT32, TACO_SECOND},
                {"int8", TACO_INT64, TACO_SECOND},
                {"long", TACO_INT64, TACO_SECOND},
                {"char", TACO_TEXT, TACO_SECOND},
                {"bpchar", TACO_TEXT, TACO_SECOND},
                {"logical", TACO_BOOL, TACO_SECOND}};
    size_t     i, at = p->lex.at;
    taco_bytes name = p->lex.raw;
    memset(t, 0, sizeof *t);
    if (p->lex.kind != TACO__TOK_NAME && p->lex.kind != TACO__TOK_QUOTED) {
        taco__lex_fail_expected(&p->lex, "a type");
        return false;
    }
    if (!taco__sql_parse_next(p)) {
        return false;
    }
    if (taco__ascii_is_word(name, "decimal") || taco__ascii_is_word(name, "numeric") ||
        taco__ascii_is_word(name, "dec")) {
        return taco__sql_parse_type_decimal(p, t);
    }
    if (!taco__pred_parse_type_name(name, &t->t)) {
        for (i = 0; i < TACO__COUNT(more) && !taco__ascii_is_word(name, more[i].name); i++) {
        }
        if (i == TACO__COUNT(more)) {
            TACO__FAIL(p->err, TACO_ERR_SYNTAX, at, "no such type here: %q", &name);
            return false;
        }
        t->t = taco__scalar_simple_type(more[i].id);
        t->t.unit = more[i].unit;
        t->t.precision = more[i].id == TACO_DECIMAL ? 39 : 0;
    }
    if (t->t.id != TACO_TIME && t->t.id != TACO_TIMESTAMP) {
        t->t.unit = TACO_SECOND;
    }
    if (taco__sql_parse_accept(p, "(")) { /* VARCHAR(10): the length is not looked at */
        uint64_t n;
        if (t->t.id != TACO_TEXT || !taco__sql_parse_type_number(p, &n) ||
            !taco__sql_parse_expect(p, ")")) {
            taco__sql_parse_fail(p, at, "the type takes no length");
            return false;
        }
    }
    if (t->t.id == TACO_TIMESTAMP && taco__lex_is_word(&p->lex, "with")) {
        taco__sql_parse_next(p);
        if (!taco__sql_parse_expect(p, "time") || !taco__sql_parse_expect(p, "zone")) {
            return false;
        }
        t->t.utc = true;
    }
    if (taco__lex_is_sign(&p->lex, "[")) {
        taco__sql_parse_fail(p, p->lex.at, "casts to lists are not supported");
        return false;
    }
    return taco__sql_parse_is_ok(p);
}

/* ---- intervals ------------------------------------------------------------------------------------- */

TACO__FN bool taco__sql_parse_type_interval_unit(taco_bytes w, int64_t n, taco__sql_interval *out)
{
    static const struct {
        const char *name;
        int32_t     months, days;
        int64_t     micros;
    } units[] = {{"year", 12, 0, 0},
                 {"month", 1, 0, 0},
                 {"mon", 1, 0, 0},
                 {"week", 0, 7, 0},
                 {"day", 0, 1, 0},
                 {"hour", 0, 0, 3600000000LL},
                 {"minute", 0, 0, 60000000},
                 {"min", 0, 0, 60000000},
                 {"second", 0, 0, 1000000},
                 {"sec", 0, 0, 1000000},
                 {"millisecond", 0, 0, 1000},
                 {"microsecond", 0, 0, 1},
                 {"quarter", 3, 0, 0},
                 {"decade", 120, 0, 0},
                 {"h", 0, 0, 3600000000LL},
                 {"m", 0, 0, 60000000},
                 {"s", 0, 0, 1000000},
                 {"d", 0, 1, 0},
                 {"y", 12, 0, 0},
                 {"w", 0, 7, 0}};
    size_t i;
    for (i = 0; i < TACO__COUNT(units); i++) {
        size_t len = strlen(units[i].name);
        if (taco__ascii_is_word(w, units[i].name) ||
            (len > 2 && w.len == len + 1 && (w.data[len] | 0x20) == 's' &&
             taco__ascii_is_word(taco__bytes_of(w.data, len), units[i].name))) {
            if (n > 100000000 || n < -100000000 ||
                (units[i].micros &&
                 (n > INT64_MAX / 4 / units[i].micros || n < -(INT64_MAX / 4 / units[i].micros)))) {
                return false;
            }
            out->months += (int32_t)(n * units[i].months);
            out->days += (int32_t)(n * units[i].days);
            out->micros += n * units[i].micros;
            return true;
        }
    }
    return false;
}
/* '1 year 2 days -3 hours' */
TACO__FN bool taco__sql_parse_type_interval_text(taco_bytes b, taco__sql_interval *out)
{
    size_t i = 0, parts = 0;
    while (i < b.len) {
        size_t  from;
        int64_t n;
        while (i < b.len && b.data[i] == ' ') {
            i++;
        }
        if (i == b.len) {
            break;
        }
        from = i;
        i += b.data[i] == '-' || b.data[i] == '+';
        while (i < b.len && taco__lex_is_digit(b.data[i])) {
            i++;
        }
        if (!taco__num_parse_i64(taco__bytes_of(b.data + from + (b.data[from] == '+'),
                                                i - from - (b.data[from] == '+')),
                                 &n)) {
            return false;
        }
        while (i < b.len && b.data[i] == ' ') {
            i++;
        }
        from = i;
        while (i < b.len && taco__lex_is_letter(b.data[i])) {
            i++;
        }
        if (!taco__sql_parse_type_interval_unit(taco__bytes_of(b.data + from, i - from), n, out) ||
            ++parts > 8) {
            return false;
        }
    }
    return parts > 0;
}
TACO__FN taco__sql_expr *taco__sql_parse_type_interval(taco__sql_parser *p, size_t at)
{
    taco__sql_interval *v = (taco__sql_interval *)taco__arena_alloc(p->arena, sizeof *v, p->err);
    taco_bytes          text;
    taco__sql_expr     *e;
    int64_t             n;
    bool neg, number = p->lex.kind == TACO__TOK_NUMBER || taco__lex_is_sign(&p->lex, "-");
    if (!v) {
        return NULL;
    }
    neg = taco__sql_parse_accept(p, "-");
    if (p->lex.kind != TACO__TOK_STRING && p->lex.kind != TACO__TOK_NUMBER) {
        taco__lex_fail_expected(&p->lex, "a text or a number behind INTERVAL");
        return NULL;
    }
    text = p->lex.raw;
    if (!taco__sql_parse_next(p)) {
        return NULL;
    }
    if (number || (p->lex.kind == TACO__TOK_NAME && taco__num_parse_i64(text, &n))) {
        if (!taco__num_parse_i64(text, &n) || p->lex.kind != TACO__TOK_NAME ||
            !taco__sql_parse_type_interval_unit(p->lex.raw, neg ? -n : n, v)) {
            return taco__sql_parse_fail(p, at,
                                        "INTERVAL takes a whole number and a unit, or a text");
        }
        text = taco__bytes_of(p->lex.text.data + at, p->lex.end - at);
        if (!taco__sql_parse_next(p)) {
            return NULL;
        }
    } else if (!taco__sql_parse_type_interval_text(text, v)) {
        return taco__sql_parse_fail(p, at, "INTERVAL takes '[-]N unit ...' with whole numbers");
    }
    e = taco__sql_expr_new_const(
        p, at, taco__scalar_make_bytes(TACO_INTERVAL, taco__bytes_of(v, sizeof *v)));
    if (e) {
        e->name = text;
    }
    return e;
}

/* ---- primaries ------------------------------------------------------------------------------------- */

TACO__FN taco__sql_expr *taco__sql_parse_expr_case(taco__sql_parser *p, size_t at)
{
    taco__sql_expr *e = taco__sql_expr_new(p, TACO__SQL_EXPR_CASE, at), *base = NULL, *x;
    if (e && !taco__lex_is_word(&p->lex, "when")) {
        base = taco__sql_parse_expr(p, 1);
        if (!base) {
            return NULL;
        }
    }
    do {
        if (!taco__sql_parse_expect(p, "when")) {
            return NULL;
        }
        x = taco__sql_parse_expr(p, 1);
        if (base && x) {
            taco__sql_expr *cmp = taco__sql_expr_new(p, TACO__SQL_EXPR_CMP, x->at);
            x = taco__sql_expr_add_child(p, taco__sql_expr_add_child(p, cmp, base), x);
        }
        e = taco__sql_expr_add_child(p, e, x);
        if (!e || !taco__sql_parse_expect(p, "then") ||
            !taco__sql_expr_add_child(p, e, taco__sql_parse_expr(p, 1))) {
            return NULL;
        }
    } while (taco__lex_is_word(&p->lex, "when"));
    x = taco__sql_parse_is_word(p, "else")
            ? taco__sql_parse_expr(p, 1)
            : taco__sql_expr_new_const(p, at, taco__scalar_make_null());
    e = taco__sql_expr_add_child(p, e, x);
    return e && taco__sql_parse_expect(p, "end") ? e : NULL;
}
TACO__FN taco__sql_expr *taco__sql_parse_expr_cast(taco__sql_parser *p, size_t at,
                                                   taco__sql_expr *x, const char *until, bool tries)
{
    taco__sql_expr *e =
        taco__sql_expr_add_child(p, taco__sql_expr_new(p, TACO__SQL_EXPR_CAST, at), x);
    if (!e || !taco__sql_parse_type(p, &e->to) || (until && !taco__sql_parse_expect(p, until))) {
        return NULL;
    }
    e->tries = tries;
    return e;
}
/* Arguments up to the closing parenthesis, DISTINCT and FILTER. */
TACO__FN taco__sql_expr *taco__sql_parse_expr_args(taco__sql_parser *p, taco__sql_expr *e)
{
    bool star = taco__lex_is_sign(&p->lex, "*");
    if (star) {
        if (!taco__sql_parse_next(p)) {
            return NULL;
        }
        if (!taco__ascii_is_word(e->name, "count")) {
            return taco__sql_parse_fail(p, e->at, "only COUNT takes *");
        }
    } else if (!taco__lex_is_sign(&p->lex, ")")) {
        e->distinct = taco__sql_parse_is_word(p, "distinct");
        do {
            if (!taco__sql_expr_add_child(p, e, taco__sql_parse_expr(p, 1))) {
                return NULL;
            }
            if (taco__lex_is_sign(&p->lex, "=>") || taco__lex_is_sign(&p->lex, ":=")) {
                return taco__sql_parse_fail(p, p->lex.at, "named arguments are not supported");
            }
            if (e->n == 1 && taco__ascii_is_word(e->name, "position") &&
                taco__lex_is_word(&p->lex, "in")) {
                if (!taco__sql_parse_next(p)) {
                    return NULL;
                }
                continue;
            }
            if (e->n < 3 && taco__ascii_is_word(e->name, "substring") &&
                (taco__lex_is_word(&p->lex, "from") || taco__lex_is_word(&p->lex, "for"))) {
                e->tries = true; /* for its name */
                if (!taco__sql_parse_next(p)) {
                    return NULL;
                }
                continue;
            }
            if (!taco__sql_parse_accept(p, ",")) {
                break;
            }
        } while (taco__sql_parse_is_ok(p));
    }
    if (taco__lex_is_word(&p->lex, "order")) {
        return taco__sql_parse_fail(p, p->lex.at, "ORDER BY inside an aggregate is not supported");
    }
    if (!taco__sql_parse_expect(p, ")")) {
        return NULL;
    }
    if (taco__lex_is_word(&p->lex, "filter")) {
        taco__sql_parse_next(p);
        if (!taco__sql_parse_expect(p, "(")) {
            return NULL;
        }
        taco__sql_parse_is_word(p, "where");
        e->filter = taco__sql_parse_expr(p, 1);
        if (!e->filter || !taco__sql_parse_expect(p, ")")) {
            return NULL;
        }
        e->depth = TACO__MAX(e->depth, e->filter->depth + 1);
    }
    if (taco__lex_is_word(&p->lex, "over")) {
        return taco__sql_parse_fail(p, p->lex.at, "window functions (OVER) are not supported");
    }
    if (taco__lex_is_word(&p->lex, "within")) {
        return taco__sql_parse_fail(p, p->lex.at, "WITHIN GROUP is not supported");
    }
    return e;
}
TACO__FN taco__sql_expr *taco__sql_parse_expr_call(taco__sql_parser *p, taco_bytes name, size_t at)
{
    taco__sql_expr *e = taco__sql_expr_new(p, TACO__SQL_EXPR_CALL, at), *part;
    if (!e) {
        return NULL;
    }
    e->name = name;
    if (taco__ascii_is_word(name, "extract")) { /* (part FROM value) */
        taco_bytes unit = p->lex.raw;
        if ((p->lex.kind != TACO__TOK_NAME && p->lex.kind != TACO__TOK_STRING) ||
            !taco__sql_parse_next(p) || !taco__sql_parse_expect(p, "from")) {
            taco__lex_fail_expected(&p->lex, "a part of a date and FROM");
            return NULL;
        }
        e->name = taco__bytes_text("date_part");
        e->tries = true;
        part = taco__sql_expr_new_const(p, at, taco__scalar_make_bytes(TACO_TEXT, unit));
        e = taco__sql_expr_add_child(p, taco__sql_expr_add_child(p, e, part),
                                     taco__sql_parse_expr(p, 1));
        return e && taco__sql_parse_expect(p, ")") ? e : NULL;
    }
    if (taco__ascii_is_word(name, "trim") &&
        (taco__lex_is_word(&p->lex, "both") || taco__lex_is_word(&p->lex, "leading") ||
         taco__lex_is_word(&p->lex, "trailing"))) {
        return taco__sql_parse_fail(p, p->lex.at, "write trim, ltrim or rtrim with two arguments");
    }
    e = taco__sql_parse_expr_args(p, e);
    if (e && e->n == 2 && taco__ascii_is_word(name, "position")) { /* (what IN text) */
        taco__sql_expr *x = e->kid[0];
        e->kid[0] = e->kid[1];
        e->kid[1] = x;
    }
    return e;
}
/* A literal with its type in front: DATE '2020-01-01'. NULL without an error when it is none. */
TACO__FN taco__sql_expr *taco__sql_parse_expr_typed_literal(taco__sql_parser *p, taco_bytes word,
                                                            size_t at)
{
    taco__sql_type  t;
    taco__sql_expr *e;
    taco_bytes      text;
    memset(&t, 0, sizeof t);
    if (p->lex.kind != TACO__TOK_STRING || !taco__pred_parse_type_name(word, &t.t)) {
        return NULL;
    }
    if (t.t.id != TACO_TIME && t.t.id != TACO_TIMESTAMP) {
        t.t.unit = TACO_SECOND;
    }
    if (!taco__lex_unquote(&p->lex, p->arena, &text)) {
        return NULL;
    }
    e = taco__sql_expr_add_child(
        p, taco__sql_expr_new(p, TACO__SQL_EXPR_CAST, at),
        taco__sql_expr_new_const(p, p->lex.at, taco__scalar_make_bytes(TACO_TEXT, text)));
    if (e) {
        e->to = t;
    }
    return taco__sql_parse_next(p) ? e : NULL;
}
TACO__FN taco__sql_expr *taco__sql_parse_expr_word_primary(taco__sql_parser *p)
{
    taco_bytes      word = p->lex.raw;
    size_t          at = p->lex.at;
    taco__sql_expr *e;
    if (taco__lex_is_word(&p->lex, "exists") || taco__lex_is_word(&p->lex, "select")) {
        return taco__sql_parse_fail(p, at, "subqueries are not supported");
    }
    if (!taco__sql_parse_next(p)) {
        return NULL;
    }
    if (taco__ascii_is_word(word, "null")) {
        return taco__sql_expr_new_const(p, at, taco__scalar_make_null());
    }
    if (taco__ascii_is_word(word, "true") || taco__ascii_is_word(word, "false")) {
        return taco__sql_expr_new_const(
            p, at, taco__scalar_make_int(TACO_BOOL, (word.data[0] | 0x20) == 't'));
    }
    if (taco__ascii_is_word(word, "case")) {
        return taco__sql_parse_expr_case(p, at);
    }
    if (taco__ascii_is_word(word, "interval") && !taco__lex_is_sign(&p->lex, "(")) {
        return taco__sql_parse_type_interval(p, at);
    }
    if ((taco__ascii_is_word(word, "cast") || taco__ascii_is_word(word, "try_cast")) &&
        taco__lex_is_sign(&p->lex, "(")) {
        e = taco__sql_parse_next(p) ? taco__sql_parse_expr(p, 1) : NULL;
        return e && taco__sql_parse_expect(p, "as")
                   ? taco__sql_parse_expr_cast(p, at, e, ")", (word.data[0] | 0x20) == 't')
                   : NULL;
    }
    e = taco__sql_parse_expr_typed_literal(p, word, at);
    if (e || !taco__sql_parse_is_ok(p)) {
        return e;
    }
    if (taco__lex_is_sign(&p->lex, "(") &&
        (!taco__sql_parse_is_reserved(word) || taco__ascii_is_word(word, "left") ||
         taco__ascii_is_word(word, "right"))) {
        return taco__sql_parse_next(p) ? taco__sql_parse_expr_call(p, word, at) : NULL;
    }
    if (taco__sql_parse_is_reserved(word)) {
        TACO__FAIL(p->err, TACO_ERR_SYNTAX, at, "expected a value, found %q", &word);
        return NULL;
    }
    e = taco__sql_expr_new(p, TACO__SQL_EXPR_COLUMN, at);
    if (e) {
        e->name = word;
    }
    return e;
}
TACO__FN taco__sql_expr *taco__sql_parse_expr_star(taco__sql_parser *p, size_t at, taco_bytes table)
{
    taco__sql_expr *e = taco__sql_expr_new(p, TACO__SQL_EXPR_STAR, at);
    bool            many;
    if (!e) {
        return NULL;
    }
    e->table = table;
    if (taco__lex_is_word(&p->lex, "replace") || taco__lex_is_word(&p->lex, "rename") ||
        taco__lex_is_word(&p->lex, "like")) {
        return taco__sql_parse_fail(p, p->lex.at,
                                    "of the forms behind *, only EXCLUDE is supported");
    }
    if (!taco__lex_is_word(&p->lex, "exclude")) {
        return e;
    }
    taco__sql_parse_next(p);
    many = taco__sql_parse_accept(p, "(");
    do {
        taco__sql_expr *c = taco__sql_expr_new(p, TACO__SQL_EXPR_COLUMN, p->lex.at);
        if (!c || !taco__sql_parse_name(p, false, &c->name)) {
            taco__lex_fail_expected(&p->lex, "a column");
            return NULL;
        }
        if (taco__sql_parse_accept(p, ".")) {
            c->table = c->name;
            if (!taco__sql_parse_name(p, true, &c->name)) {
                taco__lex_fail_expected(&p->lex, "a column");
                return NULL;
            }
        }
        if (!taco__sql_expr_add_child(p, e, c)) {
            return NULL;
        }
    } while (many && taco__sql_parse_accept(p, ","));
    return !many || taco__sql_parse_expect(p, ")") ? e : NULL;
}
TACO__FN taco__sql_expr *taco__sql_parse_expr_primary(taco__sql_parser *p)
{
    size_t          at = p->lex.at;
    taco__sql_expr *e = NULL;
    switch (p->lex.kind) {
    case TACO__TOK_NUMBER:
        e = taco__sql_expr_new_const(p, at,
                                     taco__pred_parse_number(p->lex.raw, p->lex.integral, false));
        return taco__sql_parse_next(p) ? e : NULL;
    case TACO__TOK_STRING: {
        taco_bytes text;
        if (!taco__lex_unquote(&p->lex, p->arena, &text)) {
            return NULL;
        }
        e = taco__sql_expr_new_const(p, at, taco__scalar_make_bytes(TACO_TEXT, text));
        return taco__sql_parse_next(p) ? e : NULL;
    }
    case TACO__TOK_QUOTED:
        e = taco__sql_expr_new(p, TACO__SQL_EXPR_COLUMN, at);
        return e && taco__sql_parse_name(p, false, &e->name) ? e : NULL;
    case TACO__TOK_NAME: return taco__sql_parse_expr_word_primary(p);
    case TACO__TOK_BLOB:
        return taco__sql_parse_fail(p, at, "blob literals are not supported: write '...'::BLOB");
    default: break;
    }
    if (taco__sql_parse_accept(p, "(")) {
        if (taco__lex_is_word(&p->lex, "select") || taco__lex_is_word(&p->lex, "with")) {
            return taco__sql_parse_fail(p, p->lex.at, "subqueries are not supported");
        }
        e = taco__sql_parse_expr(p, 1);
        if (e && taco__lex_is_sign(&p->lex, ",")) {
            return taco__sql_parse_fail(p, p->lex.at, "rows in parentheses are not supported");
        }
        return e && taco__sql_parse_expect(p, ")") ? e : NULL;
    }
    if (taco__lex_is_sign(&p->lex, "[") || taco__lex_is_sign(&p->lex, "{")) {
        return taco__sql_parse_fail(p, at, "lists and structs cannot be written here");
    }
    if (taco__sql_parse_accept(p, "*")) {
        return taco__sql_parse_expr_star(p, at, taco__bytes_of(NULL, 0));
    }
    if (taco__sql_parse_is_ok(p)) {
        taco__lex_fail_expected(&p->lex, "a value");
    }
    return NULL;
}
/* Behind a value: .field, [index], [from:to], ::type. */
TACO__FN taco__sql_expr *taco__sql_parse_expr_postfix(taco__sql_parser *p)
{
    taco__sql_expr *e = taco__sql_parse_expr_primary(p);
    while (e && taco__sql_parse_is_ok(p)) {
        size_t at = p->lex.at;
        if (taco__sql_parse_accept(p, ".")) {
            taco__sql_expr *f;
            if (taco__lex_is_sign(&p->lex, "*") && e->kind == TACO__SQL_EXPR_COLUMN &&
                !e->table.len) {
                return taco__sql_parse_next(p) ? taco__sql_parse_expr_star(p, e->at, e->name)
                                               : NULL;
            }
            f = taco__sql_expr_add_child(p, taco__sql_expr_new(p, TACO__SQL_EXPR_FIELD, e->at), e);
            if (!f || !taco__sql_parse_name(p, true, &f->name)) {
                taco__lex_fail_expected(&p->lex, "a name behind the point");
                return NULL;
            }
            if (taco__lex_is_sign(&p->lex, "(")) {
                return taco__sql_parse_fail(p, at, "calls behind a point are not supported");
            }
            f->infix = true; /* table.column, until it is bound */
            e = f;
        } else if (taco__sql_parse_accept(p, "::")) {
            e = taco__sql_parse_expr_cast(p, e->at, e, NULL, false);
        } else if (taco__sql_parse_accept(p, "[")) {
            taco__sql_expr *from =
                taco__lex_is_sign(&p->lex, ":")
                    ? taco__sql_expr_new_const(p, p->lex.at, taco__scalar_make_null())
                    : taco__sql_parse_expr(p, 1);
            bool slice = from && taco__sql_parse_accept(p, ":");
            e = taco__sql_expr_add_child(
                p,
                taco__sql_expr_add_child(
                    p,
                    taco__sql_expr_new(p, slice ? TACO__SQL_EXPR_SLICE : TACO__SQL_EXPR_INDEX,
                                       e->at),
                    e),
                from);
            if (slice) {
                e = taco__sql_expr_add_child(
                    p, e,
                    taco__lex_is_sign(&p->lex, "]")
                        ? taco__sql_expr_new_const(p, p->lex.at, taco__scalar_make_null())
                        : taco__sql_parse_expr(p, 1));
            }
            if (e && taco__lex_is_sign(&p->lex, ":")) {
                return taco__sql_parse_fail(p, p->lex.at, "slices with a step are not supported");
            }
            if (!e || !taco__sql_parse_expect(p, "]")) {
                return NULL;
            }
        } else {
            break;
        }
    }
    return taco__sql_parse_is_ok(p) ? e : NULL;
}
TACO__FN taco__sql_expr *taco__sql_parse_expr_unary(taco__sql_parser *p)
{
    size_t          at = p->lex.at;
    taco__sql_expr *e;
    const char     *sign = taco__lex_is_sign(&p->lex, "-")   ? "-"
                           : taco__lex_is_sign(&p->lex, "+") ? "+"
                                                             : NULL;
    if (!sign) {
        return taco__sql_parse_expr_postfix(p);
    }
    if (++p->depth > p->max_depth) {
        TACO__FAIL(p->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "an expression deeper than %u, see limits.max_depth", TACO__U(p->max_depth));
        return NULL;
    }
    e = taco__sql_parse_next(p) ? taco__sql_parse_expr_unary(p) : NULL;
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

/* ---- operators ------------------------------------------------------------------------------------- */

/* Binding strength of the operator at the token, 0 when it is none: 1 OR, 2 AND, 3 NOT, 4 IS, 5 comparison, 6 LIKE,
   BETWEEN, IN, 7 others, 8 + -, 9 * / // %. */
TACO__FN int taco__sql_parse_expr_precedence(const taco__sql_parser *p, const char **name)
{
    static const struct {
        const char *sign;
        int         strength;
    } signs[] = {{"=", 5},  {"==", 5}, {"<>", 5},  {"!=", 5},  {"<", 5},   {"<=", 5}, {">", 5},
                 {">=", 5}, {"||", 7}, {"+", 8},   {"-", 8},   {"*", 9},   {"/", 9},  {"//", 9},
                 {"%", 9},  {"~~", 7}, {"!~~", 7}, {"~~*", 7}, {"!~~*", 7}};
    static const struct {
        const char *word;
        int         strength;
    } words[] = {{"or", 1},      {"and", 2}, {"is", 4},   {"isnull", 4}, {"notnull", 4},
                 {"between", 6}, {"in", 6},  {"like", 6}, {"ilike", 6},  {"not", 6}};
    size_t i;
    for (i = 0; p->lex.kind == TACO__TOK_SIGN && i < TACO__COUNT(signs); i++) {
        if (taco__lex_is_sign(&p->lex, signs[i].sign)) {
            *name = signs[i].sign;
            return signs[i].strength;
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
TACO__FN taco__sql_expr *taco__sql_parse_expr_is(taco__sql_parser *p, taco__sql_expr *left)
{
    taco__sql_expr *e, *right;
    size_t          at = left->at;
    bool            neg = taco__sql_parse_is_word(p, "not"), value;
    if (taco__sql_parse_is_word(p, "null")) {
        e = taco__sql_expr_add_child(p, taco__sql_expr_new(p, TACO__SQL_EXPR_ISNULL, at), left);
        if (e) {
            e->neg = neg;
        }
        return e;
    }
    if (taco__sql_parse_is_word(p, "distinct")) {
        if (!taco__sql_parse_expect(p, "from")) {
            return NULL;
        }
        right = taco__sql_parse_expr(p, 5);
        neg = !neg;
    } else {
        value = taco__lex_is_word(&p->lex, "true");
        if (!value && !taco__lex_is_word(&p->lex, "false")) {
            taco__lex_fail_expected(&p->lex, "NULL, TRUE, FALSE or DISTINCT FROM behind IS");
            return NULL;
        }
        right = taco__sql_expr_new_const(p, p->lex.at, taco__scalar_make_int(TACO_BOOL, value));
        left = taco__sql_expr_add_child(p, taco__sql_expr_new(p, TACO__SQL_EXPR_CAST, at), left);
        if (!right || !left || !taco__sql_parse_next(p)) {
            return NULL;
        }
        right->tries = true; /* for its name */
        left->to.t = taco__scalar_simple_type(TACO_BOOL);
    }
    e = taco__sql_expr_add_child(
        p, taco__sql_expr_add_child(p, taco__sql_expr_new(p, TACO__SQL_EXPR_CMP, at), left), right);
    if (e) {
        e->nullsafe = true;
        e->op = neg ? TACO__OP_NE : TACO__OP_EQ;
    }
    return e;
}
TACO__FN taco__sql_expr *taco__sql_parse_expr_in(taco__sql_parser *p, taco__sql_expr *left,
                                                 bool neg)
{
    taco__sql_expr *e =
        taco__sql_expr_add_child(p, taco__sql_expr_new(p, TACO__SQL_EXPR_IN, left->at), left);
    if (!e || !taco__sql_parse_expect(p, "(")) {
        return NULL;
    }
    if (taco__lex_is_word(&p->lex, "select")) {
        return taco__sql_parse_fail(p, p->lex.at, "subqueries are not supported");
    }
    do {
        if (!taco__sql_expr_add_child(p, e, taco__sql_parse_expr(p, 1))) {
            return NULL;
        }
    } while (taco__sql_parse_accept(p, ","));
    e->neg = neg;
    return taco__sql_parse_expect(p, ")") ? e : NULL;
}
/* LIKE, ILIKE, IN, BETWEEN, with or without NOT in front. */
TACO__FN taco__sql_expr *taco__sql_parse_expr_test(taco__sql_parser *p, taco__sql_expr *left)
{
    size_t          at = p->lex.at;
    bool            neg = taco__sql_parse_is_word(p, "not");
    taco__sql_expr *e, *low, *high;
    if (taco__sql_parse_is_word(p, "in")) {
        return taco__sql_parse_expr_in(p, left, neg);
    }
    if (taco__lex_is_word(&p->lex, "like") || taco__lex_is_word(&p->lex, "ilike")) {
        bool icase = taco__lex_is_word(&p->lex, "ilike");
        low = taco__sql_parse_next(p) ? taco__sql_parse_expr(p, 7) : NULL;
        e = low ? taco__sql_expr_new_call(p, icase ? (neg ? "!~~*" : "~~*") : (neg ? "!~~" : "~~"),
                                          at, left, low)
                : NULL;
        return e && taco__sql_parse_is_word(p, "escape")
                   ? taco__sql_expr_add_child(p, e, taco__sql_parse_expr(p, 7))
                   : e;
    }
    if (!taco__sql_parse_expect(p, "between")) {
        return NULL;
    }
    low = taco__sql_parse_expr(p, 7);
    high = low && taco__sql_parse_expect(p, "and") ? taco__sql_parse_expr(p, 7) : NULL;
    e = taco__sql_expr_add_child(p, taco__sql_expr_new(p, TACO__SQL_EXPR_BETWEEN, left->at), left);
    e = taco__sql_expr_add_child(p, taco__sql_expr_add_child(p, e, low), high);
    return e && neg ? taco__sql_expr_add_child(p, taco__sql_expr_new(p, TACO__SQL_EXPR_NOT, at), e)
                    : e;
}
TACO__FN taco__sql_expr *taco__sql_parse_expr_and_or(taco__sql_parser *p, taco__sql_expr *left,
                                                     bool any)
{
    taco__sql_expr_kind kind = any ? TACO__SQL_EXPR_OR : TACO__SQL_EXPR_AND;
    taco__sql_expr     *right;
    if (left->kind != kind || left->infix) {
        left = taco__sql_expr_add_child(p, taco__sql_expr_new(p, kind, left->at), left);
    }
    right = taco__sql_parse_expr(p, any ? 2 : 3);
    return taco__sql_expr_add_child(p, left, right);
}
TACO__FN taco__sql_expr *taco__sql_parse_expr_operator(taco__sql_parser *p, taco__sql_expr *left,
                                                       const char *name, int strength)
{
    size_t          at = p->lex.at;
    taco__sql_expr *right, *e;
    if (strength == 6) {
        return taco__sql_parse_expr_test(p, left);
    }
    if (!taco__sql_parse_next(p)) {
        return NULL;
    }
    if (strength < 3) {
        return taco__sql_parse_expr_and_or(p, left, strength == 1);
    }
    if (strength == 4 && strcmp(name, "is") == 0) {
        return taco__sql_parse_expr_is(p, left);
    }
    if (strength == 4) {
        e = taco__sql_expr_add_child(p, taco__sql_expr_new(p, TACO__SQL_EXPR_ISNULL, left->at),
                                     left);
        if (e) {
            e->neg = name[0] == 'n';
        }
        return e;
    }
    if (taco__lex_is_word(&p->lex, "any") || taco__lex_is_word(&p->lex, "all")) {
        return taco__sql_parse_fail(p, p->lex.at, "ANY and ALL are not supported");
    }
    right = taco__sql_parse_expr(p, strength + 1);
    if (strength != 5) {
        return right ? taco__sql_expr_new_call(p, name, at, left, right) : NULL;
    }
    e = taco__sql_expr_add_child(
        p, taco__sql_expr_add_child(p, taco__sql_expr_new(p, TACO__SQL_EXPR_CMP, left->at), left),
        right);
    if (e) {
        e->op = (uint8_t)(name[0] == '='   ? TACO__OP_EQ
                          : name[0] == '!' ? TACO__OP_NE
                          : name[0] == '<' ? (name[1] == '='   ? TACO__OP_LE
                                              : name[1] == '>' ? TACO__OP_NE
                                                               : TACO__OP_LT)
                          : name[1] == '=' ? TACO__OP_GE
                                           : TACO__OP_GT);
    }
    return e;
}
TACO__FN taco__sql_expr *taco__sql_parse_expr(taco__sql_parser *p, int least)
{
    size_t          at = p->lex.at;
    taco__sql_expr *e;
    const char     *name = NULL;
    int             strength;
    if (++p->depth > p->max_depth) {
        TACO__FAIL(p->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "an expression deeper than %u, see limits.max_depth", TACO__U(p->max_depth));
        return NULL;
    }
    if (least <= 3 && taco__sql_parse_is_word(p, "not")) {
        e = taco__sql_expr_add_child(p, taco__sql_expr_new(p, TACO__SQL_EXPR_NOT, at),
                                     taco__sql_parse_expr(p, 3));
    } else {
        bool open = taco__lex_is_sign(&p->lex, "(");
        e = taco__sql_parse_is_ok(p) ? taco__sql_parse_expr_unary(p) : NULL;
        if (e && open && (e->kind == TACO__SQL_EXPR_AND || e->kind == TACO__SQL_EXPR_OR)) {
            e->infix = true; /* in parentheses: not to be merged */
        }
    }
    while (e && taco__sql_parse_is_ok(p) &&
           (strength = taco__sql_parse_expr_precedence(p, &name)) != 0 && strength >= least) {
        e = taco__sql_parse_expr_operator(p, e, name, strength);
    }
    p->depth--;
    return taco__sql_parse_is_ok(p) ? e : NULL;
}

/* ---- the statement --------------------------------------------------------------------------------- */

TACO__FN bool taco__sql_parse_items(taco__sql_parser *p, taco__sql_select *s)
{
    s->items = taco__sql_expr_new(p, TACO__SQL_EXPR_CALL, 0);
    do {
        taco__sql_expr *e = taco__lex_is_word(&p->lex, "from") ? NULL : taco__sql_parse_expr(p, 1);
        if (!e) {
            if (taco__sql_parse_is_ok(p)) {
                taco__lex_fail_expected(&p->lex, "a value");
            }
            return false;
        }
        if (taco__sql_parse_is_word(p, "as")) {
            if (!taco__sql_parse_name(p, true, &e->alias)) {
                taco__lex_fail_expected(&p->lex, "a name behind AS");
                return false;
            }
        } else if (e->kind != TACO__SQL_EXPR_STAR) {
            taco__sql_parse_name(p, false, &e->alias);
        }
        if (!taco__sql_expr_add_child(p, s->items, e)) {
            return false;
        }
    } while (taco__sql_parse_accept(p, ",") && !taco__lex_is_word(&p->lex, "from"));
    return taco__sql_parse_is_ok(p);
}
TACO__FN bool taco__sql_parse_table(taco__sql_parser *p, taco__sql_table_ref *f)
{
    size_t digits;
    f->at = p->lex.at;
    if (taco__lex_is_sign(&p->lex, "(")) {
        taco__sql_parse_fail(p, p->lex.at, "subqueries are not supported");
        return false;
    }
    if (!taco__sql_parse_name(p, false, &f->name)) {
        taco__lex_fail_expected(&p->lex, "a table: data, level0 ... level5, l0 ... l5");
        return false;
    }
    if (taco__lex_is_sign(&p->lex, "(") || taco__lex_is_sign(&p->lex, ".")) {
        taco__sql_parse_fail(p, p->lex.at, "table functions and schemas are not supported");
        return false;
    }
    digits = f->name.len ? f->name.len - 1 : 0;
    f->flat = digits == 1;
    f->level = digits < f->name.len ? (uint32_t)(f->name.data[digits] - '0') : 0;
    if (taco__ascii_is_word(f->name, "data")) {
        f->level = 0;
    } else if (f->level > 5 ||
               !(taco__ascii_is_word(taco__bytes_of(f->name.data, digits), "l") ||
                 taco__ascii_is_word(taco__bytes_of(f->name.data, digits), "level"))) {
        TACO__FAIL(p->err, TACO_ERR_SYNTAX, f->at,
                   "no such table: %q; there are data, level0 ... level5, l0 ... l5", &f->name);
        return false;
    }
    f->alias = f->name;
    if (taco__sql_parse_is_word(p, "as")) {
        if (!taco__sql_parse_name(p, false, &f->alias)) {
            taco__lex_fail_expected(&p->lex, "a name behind AS");
            return false;
        }
    } else {
        taco__sql_parse_name(p, false, &f->alias);
    }
    return taco__sql_parse_is_ok(p);
}
TACO__FN bool taco__sql_parse_from(taco__sql_parser *p, taco__sql_select *s)
{
    static const char *const refused[] = {"right", "full", "cross",      "natural",    "semi",
                                          "anti",  "asof", "positional", "tablesample"};
    size_t                   i;
    if (!taco__sql_parse_table(p, &s->from[s->from_count++])) {
        return false;
    }
    for (;;) {
        taco__sql_table_ref *f = &s->from[s->from_count];
        for (i = 0; i < TACO__COUNT(refused); i++) {
            if (taco__lex_is_word(&p->lex, refused[i])) {
                TACO__FAIL(p->err, TACO_ERR_SYNTAX, p->lex.at,
                           "%s joins are not supported, only [INNER] and LEFT", refused[i]);
                return false;
            }
        }
        if (taco__lex_is_sign(&p->lex, ",")) {
            taco__sql_parse_fail(p, p->lex.at,
                                 "write JOIN ... ON instead of a comma between tables");
            return false;
        }
        if (!taco__lex_is_word(&p->lex, "left") && !taco__lex_is_word(&p->lex, "inner") &&
            !taco__lex_is_word(&p->lex, "join")) {
            return taco__sql_parse_is_ok(p);
        }
        if (s->from_count == TACO__SQL_MAX_TABLES) {
            TACO__FAIL(p->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "more than %u tables",
                       TACO__U(TACO__SQL_MAX_TABLES));
            return false;
        }
        memset(f, 0, sizeof *f);
        f->left = taco__sql_parse_is_word(p, "left");
        if (!f->left) {
            taco__sql_parse_is_word(p, "inner");
        } else {
            taco__sql_parse_is_word(p, "outer");
        }
        s->from_count++;
        if (!taco__sql_parse_expect(p, "join") || !taco__sql_parse_table(p, f)) {
            return false;
        }
        if (taco__lex_is_word(&p->lex, "using")) {
            taco__sql_parse_fail(p, p->lex.at, "USING is not supported: write ON a.x = b.x");
            return false;
        }
        if (!taco__sql_parse_expect(p, "on")) {
            return false;
        }
        f->on = taco__sql_parse_expr(p, 1);
        if (!f->on) {
            return false;
        }
    }
}
TACO__FN bool taco__sql_parse_groups(taco__sql_parser *p, taco__sql_select *s)
{
    s->groups = taco__sql_expr_new(p, TACO__SQL_EXPR_CALL, p->lex.at);
    if (!s->groups || !taco__sql_parse_expect(p, "by")) {
        return false;
    }
    if (taco__sql_parse_is_word(p, "all")) {
        s->group_all = true;
        return true;
    }
    do {
        if (taco__lex_is_word(&p->lex, "grouping") || taco__lex_is_word(&p->lex, "rollup") ||
            taco__lex_is_word(&p->lex, "cube")) {
            taco__sql_parse_fail(p, p->lex.at, "grouping sets are not supported");
            return false;
        }
        if (!taco__sql_expr_add_child(p, s->groups, taco__sql_parse_expr(p, 1))) {
            return false;
        }
    } while (taco__sql_parse_accept(p, ","));
    return taco__sql_parse_is_ok(p);
}
TACO__FN bool taco__sql_parse_order(taco__sql_parser *p, taco__sql_select *s)
{
    if (!taco__sql_parse_expect(p, "by")) {
        return false;
    }
    do {
        taco__sql_sort_key *o = &s->order[s->order_count];
        if (s->order_count == TACO__COUNT(s->order)) {
            TACO__FAIL(p->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "more than %u sort keys",
                       TACO__U(TACO__COUNT(s->order)));
            return false;
        }
        if (!s->order_count && taco__lex_is_word(&p->lex, "all")) {
            s->order_all = true;
            taco__sql_parse_next(p);
        } else {
            o->e = taco__sql_parse_expr(p, 1);
            if (!o->e) {
                return false;
            }
        }
        s->order_count++;
        o->desc = taco__sql_parse_is_word(p, "desc");
        if (!o->desc) {
            taco__sql_parse_is_word(p, "asc");
        }
        if (taco__sql_parse_is_word(p, "nulls")) {
            o->nulls_first = taco__sql_parse_is_word(p, "first");
            if (!o->nulls_first && !taco__sql_parse_expect(p, "last")) {
                return false;
            }
        }
    } while (!s->order_all && taco__sql_parse_accept(p, ","));
    return taco__sql_parse_is_ok(p);
}
TACO__FN bool taco__sql_parse_limits(taco__sql_parser *p, taco__sql_select *s)
{
    int i;
    for (i = 0; i < 2; i++) {
        if (taco__sql_parse_is_word(p, "limit")) {
            s->has_limit = true;
            if (!taco__sql_parse_type_number(p, &s->limit)) {
                return false;
            }
        } else if (taco__sql_parse_is_word(p, "offset")) {
            if (!taco__sql_parse_type_number(p, &s->offset)) {
                return false;
            }
        }
    }
    taco__sql_parse_accept(p, ";");
    if (taco__sql_parse_is_ok(p) && p->lex.kind != TACO__TOK_END) {
        static const char *const known[] = {"union",   "intersect", "except", "window",
                                            "qualify", "using",     "select"};
        size_t                   k;
        for (k = 0; k < TACO__COUNT(known); k++) {
            if (taco__lex_is_word(&p->lex, known[k])) {
                TACO__FAIL(p->err, TACO_ERR_SYNTAX, p->lex.at, "%s is not supported here",
                           known[k]);
            }
        }
        taco__lex_fail_expected(&p->lex, "the end of the query");
    }
    return taco__sql_parse_is_ok(p);
}
TACO__FN bool taco__sql_parse_select(taco__sql_parser *p, taco__sql_select *s)
{
    if (taco__lex_is_word(&p->lex, "with")) {
        taco__sql_parse_fail(p, p->lex.at, "WITH is not supported");
        return false;
    }
    if (!taco__sql_parse_expect(p, "select")) {
        return false;
    }
    s->distinct = taco__sql_parse_is_word(p, "distinct");
    if (s->distinct && taco__lex_is_word(&p->lex, "on")) {
        taco__sql_parse_fail(p, p->lex.at, "DISTINCT ON is not supported");
        return false;
    }
    if (!s->distinct) {
        taco__sql_parse_is_word(p, "all");
    }
    if (!taco__sql_parse_items(p, s) || !taco__sql_parse_expect(p, "from") ||
        !taco__sql_parse_from(p, s)) {
        return false;
    }
    if (taco__sql_parse_is_word(p, "where")) {
        s->where = taco__sql_parse_expr(p, 1);
    }
    if (taco__sql_parse_is_ok(p) && taco__sql_parse_is_word(p, "group") &&
        !taco__sql_parse_groups(p, s)) {
        return false;
    }
    if (taco__sql_parse_is_ok(p) && taco__sql_parse_is_word(p, "having")) {
        s->having = taco__sql_parse_expr(p, 1);
    }
    if (taco__sql_parse_is_ok(p) && taco__sql_parse_is_word(p, "order") &&
        !taco__sql_parse_order(p, s)) {
        return false;
    }
    return taco__sql_parse_is_ok(p) && taco__sql_parse_limits(p, s);
}
TACO__FN bool taco__sql_parse(taco__arena *arena, const char *text, size_t len, uint32_t max_depth,
                              taco__sql_select *s, taco_error *err)
{
    taco__sql_parser p;
    memset(&p, 0, sizeof p);
    p.arena = arena;
    p.err = err;
    p.max_depth = max_depth ? max_depth : 200;
    p.max_depth = TACO__MIN(p.max_depth, 1000);
    if (len > TACO__SQL_MAX_TEXT) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "a query of %u bytes, %u are the most",
                   TACO__U(len), TACO__U(TACO__SQL_MAX_TEXT));
        return false;
    }
    return taco__lex_init(&p.lex, text, len, err) && taco__sql_parse_select(&p, s);
}
/* A deep copy of a tree that is not bound: binding changes what it works on. */
TACO__FN taco__sql_expr *taco__sql_expr_copy(taco__arena *arena, const taco__sql_expr *e,
                                             taco_error *err)
{
    taco__sql_expr *c = (taco__sql_expr *)taco__arena_alloc(arena, sizeof *c, err);
    uint32_t        i;
    if (!c) {
        return NULL;
    }
    *c = *e;
    if (e->filter) {
        c->filter = taco__sql_expr_copy(arena, e->filter, err);
        if (!c->filter) {
            return NULL;
        }
    }
    if (e->n) {
        c->kid = (taco__sql_expr **)taco__arena_array(arena, e->n, sizeof *c->kid, err);
        c->cap = e->n;
        for (i = 0; c->kid && i < e->n; i++) {
            c->kid[i] = taco__sql_expr_copy(arena, e->kid[i], err);
            if (!c->kid[i]) {
                return NULL;
            }
        }
        return c->kid ? c : NULL;
    }
    return c;
}
