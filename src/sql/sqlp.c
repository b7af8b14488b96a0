/* ==== ROOM sqlp: parse a SELECT into a tree, and write trees as DuckDB names columns. Uses: pq:lex pq:expr vec.
   Spec: the grammar in the manual ==== */

typedef enum taco__sxk {
    TACO__SX_CONST = 0,
    TACO__SX_COLUMN, /* table (may be empty), name */
    TACO__SX_STAR,   /* table (may be empty); kids: COLUMNs left out */
    TACO__SX_CALL,   /* name(kids...), operators too; filter of an aggregate */
    TACO__SX_CASE,   /* when, then, ..., else */
    TACO__SX_CAST,   /* one kid, to */
    TACO__SX_AND,
    TACO__SX_OR,
    TACO__SX_NOT,
    TACO__SX_CMP, /* op; nullsafe */
    TACO__SX_BETWEEN,
    TACO__SX_IN,
    TACO__SX_ISNULL,
    TACO__SX_INDEX, /* value, index */
    TACO__SX_SLICE, /* value, from, to (a NULL constant where open) */
    TACO__SX_FIELD, /* value, name */
    TACO__SX_REF    /* bound: column `index` of the batch */
} taco__sxk;

typedef struct taco__sx {
    taco__sxk         kind;
    uint8_t           op;      /* CMP: taco__cmp */
    uint8_t           literal; /* 1 integer, 2 text: takes the type of what it meets */
    bool              neg, nullsafe, tries, distinct, infix;
    size_t            at; /* column in the text */
    uint32_t          depth, n, cap;
    uint32_t          func; /* bound CALL: what to run */
    size_t            index;
    taco_bytes        table, name, alias;
    struct taco__sx **kid;
    struct taco__sx  *filter;
    taco__stype       to;   /* CAST */
    taco__stype       type; /* bound */
    taco__value       value;
    const void       *plan; /* bound: what the function prepared */
} taco__sx;

typedef struct taco__sql_order {
    taco__sx *e;
    bool      desc, nulls_first;
} taco__sql_order;
typedef struct taco__sql_from {
    taco_bytes name, alias;
    size_t     at;
    bool       left, flat;
    uint32_t   level;
    taco__sx  *on; /* NULL for the first table */
} taco__sql_from;

#define TACO__SQL_TABLES 8
#define TACO__SQL_TEXT   ((size_t)1 << 20) /* bytes of a query */
#define TACO__SQL_ITEMS  4096              /* of any list in it */

typedef struct taco__sql_select {
    bool            distinct, group_all, order_all, has_limit;
    taco__sx       *items, *groups; /* lists: kids */
    taco__sql_from  from[TACO__SQL_TABLES];
    size_t          from_count;
    taco__sx       *where, *having;
    taco__sql_order order[64];
    size_t          order_count;
    uint64_t        limit, offset;
} taco__sql_select;

typedef struct taco__sqlp {
    taco__lex    lex;
    taco__arena *arena;
    taco_error  *err;
    uint32_t     depth, max_depth;
} taco__sqlp;

TACO__FN taco__sx *taco__sqlp_level(taco__sqlp *p, int least);

/* ---- nodes ----------------------------------------------------------------------------------------- */

TACO__FN taco__sx *taco__sqlp_new(taco__sqlp *p, taco__sxk kind, size_t at)
{
    taco__sx *e = (taco__sx *)taco__arena_alloc(p->arena, sizeof *e, p->err);
    if (e) {
        e->kind = kind;
        e->at = at;
        e->depth = 1;
    }
    return e;
}
/* Appends a kid; NULL, and so the whole, when the kid failed. */
TACO__FN taco__sx *taco__sqlp_add(taco__sqlp *p, taco__sx *e, taco__sx *kid)
{
    if (!e || !kid) {
        return NULL;
    }
    if (e->n == e->cap) {
        uint32_t   cap = e->cap ? e->cap * 2 : 2;
        taco__sx **k = (taco__sx **)taco__arena_array(p->arena, cap, sizeof *k, p->err);
        if (!k) {
            return NULL;
        }
        if (e->n) {
            memcpy(k, e->kid, e->n * sizeof *k);
        }
        e->kid = k;
        e->cap = cap;
    }
    if (e->n >= TACO__SQL_ITEMS) {
        TACO__FAIL(p->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "a list of more than %u items",
                   TACO__U(TACO__SQL_ITEMS));
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
TACO__FN taco__sx *taco__sqlp_call(taco__sqlp *p, const char *name, size_t at, taco__sx *a,
                                   taco__sx *b)
{
    taco__sx *e = taco__sqlp_new(p, TACO__SX_CALL, at);
    if (e) {
        e->name = taco__base_text(name);
        e->infix = true;
        e = taco__sqlp_add(p, e, a);
    }
    return b ? taco__sqlp_add(p, e, b) : e;
}
TACO__FN taco__sx *taco__sqlp_const(taco__sqlp *p, size_t at, taco__value v)
{
    taco__sx *e = taco__sqlp_new(p, TACO__SX_CONST, at);
    if (e) {
        e->value = v;
        e->literal = v.type.id == TACO_TEXT                               ? 2
                     : v.type.id == TACO_INT32 || v.type.id == TACO_INT64 ? 1
                                                                          : 0;
    }
    return e;
}
TACO__FN bool taco__sqlp_next(taco__sqlp *p)
{
    return taco__lex_next(&p->lex);
}
TACO__FN bool taco__sqlp_take(taco__sqlp *p, const char *sign) /* steps over it when it is there */
{
    return taco__lex_is(&p->lex, sign) && taco__sqlp_next(p);
}
TACO__FN bool taco__sqlp_word(taco__sqlp *p, const char *word)
{
    return taco__lex_word(&p->lex, word) && taco__sqlp_next(p);
}
TACO__FN bool taco__sqlp_good(const taco__sqlp *p)
{
    return p->err->code == TACO_OK;
}
TACO__FN bool taco__sqlp_need(taco__sqlp *p, const char *sign)
{
    if (!taco__sqlp_good(p)) {
        return false;
    }
    if (!taco__lex_is(&p->lex, sign) && !taco__lex_word(&p->lex, sign)) {
        taco__lex_expected(&p->lex, sign);
        return false;
    }
    return taco__sqlp_next(p);
}
TACO__COLD taco__sx *taco__sqlp_no(taco__sqlp *p, size_t at, const char *what)
{
    TACO__FAIL(p->err, TACO_ERR_SYNTAX, at, "%s", what);
    return NULL;
}
/* Words that are no column and no alias unless quoted. */
TACO__FN bool taco__sqlp_reserved(taco_bytes b)
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
        if (taco__value_word(b, words[i])) {
            return true;
        }
    }
    return false;
}
/* A name, bare or quoted, into *out; false when the token is none. */
TACO__FN bool taco__sqlp_name(taco__sqlp *p, bool reserved, taco_bytes *out)
{
    if (p->lex.kind == TACO__TOK_QUOTED) {
        return taco__lex_unquote(&p->lex, p->arena, out) && taco__sqlp_next(p);
    }
    if (p->lex.kind == TACO__TOK_NAME && (reserved || !taco__sqlp_reserved(p->lex.raw))) {
        *out = p->lex.raw;
        return taco__sqlp_next(p);
    }
    return false;
}

/* ---- types ----------------------------------------------------------------------------------------- */

TACO__FN bool taco__sqlp_number(taco__sqlp *p, uint64_t *out)
{
    if (p->lex.kind != TACO__TOK_NUMBER || !p->lex.integral ||
        !taco__num_parse_u64(p->lex.raw, out)) {
        taco__lex_expected(&p->lex, "a whole number");
        return false;
    }
    return taco__sqlp_next(p);
}
TACO__FN bool taco__sqlp_decimal_type(taco__sqlp *p, taco__stype *t)
{
    uint64_t width = 18, scale = 3;
    size_t   at = p->lex.at;
    t->t = taco__value_type(TACO_DECIMAL);
    if (taco__sqlp_take(p, "(")) {
        scale = 0;
        if (!taco__sqlp_number(p, &width) ||
            (taco__sqlp_take(p, ",") && !taco__sqlp_number(p, &scale)) ||
            !taco__sqlp_need(p, ")")) {
            return false;
        }
    }
    if (width < 1 || width > 38 || scale > width) {
        taco__sqlp_no(p, at, "DECIMAL takes 1 to 38 digits and a scale of at most as many");
        return false;
    }
    t->t.precision = (int32_t)width;
    t->t.scale = (int32_t)scale;
    return taco__sqlp_good(p);
}
TACO__FN bool taco__sqlp_type(taco__sqlp *p, taco__stype *t)
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
        taco__lex_expected(&p->lex, "a type");
        return false;
    }
    if (!taco__sqlp_next(p)) {
        return false;
    }
    if (taco__value_word(name, "decimal") || taco__value_word(name, "numeric") ||
        taco__value_word(name, "dec")) {
        return taco__sqlp_decimal_type(p, t);
    }
    if (!taco__expr_type_named(name, &t->t)) {
        for (i = 0; i < TACO__COUNT(more) && !taco__value_word(name, more[i].name); i++) {
        }
        if (i == TACO__COUNT(more)) {
            TACO__FAIL(p->err, TACO_ERR_SYNTAX, at, "no such type here: %q", &name);
            return false;
        }
        t->t = taco__value_type(more[i].id);
        t->t.unit = more[i].unit;
        t->t.precision = more[i].id == TACO_DECIMAL ? 39 : 0;
    }
    if (t->t.id != TACO_TIME && t->t.id != TACO_TIMESTAMP) {
        t->t.unit = TACO_SECOND;
    }
    if (taco__sqlp_take(p, "(")) { /* VARCHAR(10): the length is not looked at */
        uint64_t n;
        if (t->t.id != TACO_TEXT || !taco__sqlp_number(p, &n) || !taco__sqlp_need(p, ")")) {
            taco__sqlp_no(p, at, "the type takes no length");
            return false;
        }
    }
    if (t->t.id == TACO_TIMESTAMP && taco__lex_word(&p->lex, "with")) {
        taco__sqlp_next(p);
        if (!taco__sqlp_need(p, "time") || !taco__sqlp_need(p, "zone")) {
            return false;
        }
        t->t.utc = true;
    }
    if (taco__lex_is(&p->lex, "[")) {
        taco__sqlp_no(p, p->lex.at, "casts to lists are not supported");
        return false;
    }
    return taco__sqlp_good(p);
}

/* ---- intervals ------------------------------------------------------------------------------------- */

TACO__FN bool taco__sqlp_unit(taco_bytes w, int64_t n, taco__vec_interval *out)
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
        if (taco__value_word(w, units[i].name) ||
            (len > 2 && w.len == len + 1 && (w.data[len] | 0x20) == 's' &&
             taco__value_word(taco__base_bytes(w.data, len), units[i].name))) {
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
TACO__FN bool taco__sqlp_interval_text(taco_bytes b, taco__vec_interval *out)
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
        while (i < b.len && taco__lex_digit(b.data[i])) {
            i++;
        }
        if (!taco__num_parse_i64(taco__base_bytes(b.data + from + (b.data[from] == '+'),
                                                  i - from - (b.data[from] == '+')),
                                 &n)) {
            return false;
        }
        while (i < b.len && b.data[i] == ' ') {
            i++;
        }
        from = i;
        while (i < b.len && taco__lex_letter(b.data[i])) {
            i++;
        }
        if (!taco__sqlp_unit(taco__base_bytes(b.data + from, i - from), n, out) || ++parts > 8) {
            return false;
        }
    }
    return parts > 0;
}
TACO__FN taco__sx *taco__sqlp_interval(taco__sqlp *p, size_t at)
{
    taco__vec_interval *v = (taco__vec_interval *)taco__arena_alloc(p->arena, sizeof *v, p->err);
    taco_bytes          text;
    taco__sx           *e;
    int64_t             n;
    bool                neg, number = p->lex.kind == TACO__TOK_NUMBER || taco__lex_is(&p->lex, "-");
    if (!v) {
        return NULL;
    }
    neg = taco__sqlp_take(p, "-");
    if (p->lex.kind != TACO__TOK_STRING && p->lex.kind != TACO__TOK_NUMBER) {
        taco__lex_expected(&p->lex, "a text or a number behind INTERVAL");
        return NULL;
    }
    text = p->lex.raw;
    if (!taco__sqlp_next(p)) {
        return NULL;
    }
    if (number || (p->lex.kind == TACO__TOK_NAME && taco__num_parse_i64(text, &n))) {
        if (!taco__num_parse_i64(text, &n) || p->lex.kind != TACO__TOK_NAME ||
            !taco__sqlp_unit(p->lex.raw, neg ? -n : n, v)) {
            return taco__sqlp_no(p, at, "INTERVAL takes a whole number and a unit, or a text");
        }
        text = taco__base_bytes(p->lex.text.data + at, p->lex.end - at);
        if (!taco__sqlp_next(p)) {
            return NULL;
        }
    } else if (!taco__sqlp_interval_text(text, v)) {
        return taco__sqlp_no(p, at, "INTERVAL takes '[-]N unit ...' with whole numbers");
    }
    e = taco__sqlp_const(p, at, taco__value_bytes(TACO_INTERVAL, taco__base_bytes(v, sizeof *v)));
    if (e) {
        e->name = text;
    }
    return e;
}

/* ---- primaries ------------------------------------------------------------------------------------- */

TACO__FN taco__sx *taco__sqlp_case(taco__sqlp *p, size_t at)
{
    taco__sx *e = taco__sqlp_new(p, TACO__SX_CASE, at), *base = NULL, *x;
    if (e && !taco__lex_word(&p->lex, "when")) {
        base = taco__sqlp_level(p, 1);
        if (!base) {
            return NULL;
        }
    }
    do {
        if (!taco__sqlp_need(p, "when")) {
            return NULL;
        }
        x = taco__sqlp_level(p, 1);
        if (base && x) {
            taco__sx *cmp = taco__sqlp_new(p, TACO__SX_CMP, x->at);
            x = taco__sqlp_add(p, taco__sqlp_add(p, cmp, base), x);
        }
        e = taco__sqlp_add(p, e, x);
        if (!e || !taco__sqlp_need(p, "then") || !taco__sqlp_add(p, e, taco__sqlp_level(p, 1))) {
            return NULL;
        }
    } while (taco__lex_word(&p->lex, "when"));
    x = taco__sqlp_word(p, "else") ? taco__sqlp_level(p, 1)
                                   : taco__sqlp_const(p, at, taco__value_null());
    e = taco__sqlp_add(p, e, x);
    return e && taco__sqlp_need(p, "end") ? e : NULL;
}
TACO__FN taco__sx *taco__sqlp_cast(taco__sqlp *p, size_t at, taco__sx *x, const char *until,
                                   bool tries)
{
    taco__sx *e = taco__sqlp_add(p, taco__sqlp_new(p, TACO__SX_CAST, at), x);
    if (!e || !taco__sqlp_type(p, &e->to) || (until && !taco__sqlp_need(p, until))) {
        return NULL;
    }
    e->tries = tries;
    return e;
}
/* Arguments up to the closing parenthesis, DISTINCT and FILTER. */
TACO__FN taco__sx *taco__sqlp_args(taco__sqlp *p, taco__sx *e)
{
    bool star = taco__lex_is(&p->lex, "*");
    if (star) {
        if (!taco__sqlp_next(p)) {
            return NULL;
        }
        if (!taco__value_word(e->name, "count")) {
            return taco__sqlp_no(p, e->at, "only COUNT takes *");
        }
    } else if (!taco__lex_is(&p->lex, ")")) {
        e->distinct = taco__sqlp_word(p, "distinct");
        do {
            if (!taco__sqlp_add(p, e, taco__sqlp_level(p, 1))) {
                return NULL;
            }
            if (taco__lex_is(&p->lex, "=>") || taco__lex_is(&p->lex, ":=")) {
                return taco__sqlp_no(p, p->lex.at, "named arguments are not supported");
            }
            if (e->n == 1 && taco__value_word(e->name, "position") &&
                taco__lex_word(&p->lex, "in")) {
                if (!taco__sqlp_next(p)) {
                    return NULL;
                }
                continue;
            }
            if (e->n < 3 && taco__value_word(e->name, "substring") &&
                (taco__lex_word(&p->lex, "from") || taco__lex_word(&p->lex, "for"))) {
                e->tries = true; /* for its name */
                if (!taco__sqlp_next(p)) {
                    return NULL;
                }
                continue;
            }
            if (!taco__sqlp_take(p, ",")) {
                break;
            }
        } while (taco__sqlp_good(p));
    }
    if (taco__lex_word(&p->lex, "order")) {
        return taco__sqlp_no(p, p->lex.at, "ORDER BY inside an aggregate is not supported");
    }
    if (!taco__sqlp_need(p, ")")) {
        return NULL;
    }
    if (taco__lex_word(&p->lex, "filter")) {
        taco__sqlp_next(p);
        if (!taco__sqlp_need(p, "(")) {
            return NULL;
        }
        taco__sqlp_word(p, "where");
        e->filter = taco__sqlp_level(p, 1);
        if (!e->filter || !taco__sqlp_need(p, ")")) {
            return NULL;
        }
        e->depth = TACO__MAX(e->depth, e->filter->depth + 1);
    }
    if (taco__lex_word(&p->lex, "over")) {
        return taco__sqlp_no(p, p->lex.at, "window functions (OVER) are not supported");
    }
    if (taco__lex_word(&p->lex, "within")) {
        return taco__sqlp_no(p, p->lex.at, "WITHIN GROUP is not supported");
    }
    return e;
}
TACO__FN taco__sx *taco__sqlp_call_named(taco__sqlp *p, taco_bytes name, size_t at)
{
    taco__sx *e = taco__sqlp_new(p, TACO__SX_CALL, at), *part;
    if (!e) {
        return NULL;
    }
    e->name = name;
    if (taco__value_word(name, "extract")) { /* (part FROM value) */
        taco_bytes unit = p->lex.raw;
        if ((p->lex.kind != TACO__TOK_NAME && p->lex.kind != TACO__TOK_STRING) ||
            !taco__sqlp_next(p) || !taco__sqlp_need(p, "from")) {
            taco__lex_expected(&p->lex, "a part of a date and FROM");
            return NULL;
        }
        e->name = taco__base_text("date_part");
        e->tries = true;
        part = taco__sqlp_const(p, at, taco__value_bytes(TACO_TEXT, unit));
        e = taco__sqlp_add(p, taco__sqlp_add(p, e, part), taco__sqlp_level(p, 1));
        return e && taco__sqlp_need(p, ")") ? e : NULL;
    }
    if (taco__value_word(name, "trim") &&
        (taco__lex_word(&p->lex, "both") || taco__lex_word(&p->lex, "leading") ||
         taco__lex_word(&p->lex, "trailing"))) {
        return taco__sqlp_no(p, p->lex.at, "write trim, ltrim or rtrim with two arguments");
    }
    e = taco__sqlp_args(p, e);
    if (e && e->n == 2 && taco__value_word(name, "position")) { /* (what IN text) */
        taco__sx *x = e->kid[0];
        e->kid[0] = e->kid[1];
        e->kid[1] = x;
    }
    return e;
}
/* A literal with its type in front: DATE '2020-01-01'. NULL without an error when it is none. */
TACO__FN taco__sx *taco__sqlp_typed(taco__sqlp *p, taco_bytes word, size_t at)
{
    taco__stype t;
    taco__sx   *e;
    taco_bytes  text;
    memset(&t, 0, sizeof t);
    if (p->lex.kind != TACO__TOK_STRING || !taco__expr_type_named(word, &t.t)) {
        return NULL;
    }
    if (t.t.id != TACO_TIME && t.t.id != TACO_TIMESTAMP) {
        t.t.unit = TACO_SECOND;
    }
    if (!taco__lex_unquote(&p->lex, p->arena, &text)) {
        return NULL;
    }
    e = taco__sqlp_add(p, taco__sqlp_new(p, TACO__SX_CAST, at),
                       taco__sqlp_const(p, p->lex.at, taco__value_bytes(TACO_TEXT, text)));
    if (e) {
        e->to = t;
    }
    return taco__sqlp_next(p) ? e : NULL;
}
TACO__FN taco__sx *taco__sqlp_word_primary(taco__sqlp *p)
{
    taco_bytes word = p->lex.raw;
    size_t     at = p->lex.at;
    taco__sx  *e;
    if (taco__lex_word(&p->lex, "exists") || taco__lex_word(&p->lex, "select")) {
        return taco__sqlp_no(p, at, "subqueries are not supported");
    }
    if (!taco__sqlp_next(p)) {
        return NULL;
    }
    if (taco__value_word(word, "null")) {
        return taco__sqlp_const(p, at, taco__value_null());
    }
    if (taco__value_word(word, "true") || taco__value_word(word, "false")) {
        return taco__sqlp_const(p, at, taco__value_int(TACO_BOOL, (word.data[0] | 0x20) == 't'));
    }
    if (taco__value_word(word, "case")) {
        return taco__sqlp_case(p, at);
    }
    if (taco__value_word(word, "interval") && !taco__lex_is(&p->lex, "(")) {
        return taco__sqlp_interval(p, at);
    }
    if ((taco__value_word(word, "cast") || taco__value_word(word, "try_cast")) &&
        taco__lex_is(&p->lex, "(")) {
        e = taco__sqlp_next(p) ? taco__sqlp_level(p, 1) : NULL;
        return e && taco__sqlp_need(p, "as")
                   ? taco__sqlp_cast(p, at, e, ")", (word.data[0] | 0x20) == 't')
                   : NULL;
    }
    e = taco__sqlp_typed(p, word, at);
    if (e || !taco__sqlp_good(p)) {
        return e;
    }
    if (taco__lex_is(&p->lex, "(") &&
        (!taco__sqlp_reserved(word) || taco__value_word(word, "left") ||
         taco__value_word(word, "right"))) {
        return taco__sqlp_next(p) ? taco__sqlp_call_named(p, word, at) : NULL;
    }
    if (taco__sqlp_reserved(word)) {
        TACO__FAIL(p->err, TACO_ERR_SYNTAX, at, "expected a value, found %q", &word);
        return NULL;
    }
    e = taco__sqlp_new(p, TACO__SX_COLUMN, at);
    if (e) {
        e->name = word;
    }
    return e;
}
TACO__FN taco__sx *taco__sqlp_star(taco__sqlp *p, size_t at, taco_bytes table)
{
    taco__sx *e = taco__sqlp_new(p, TACO__SX_STAR, at);
    bool      many;
    if (!e) {
        return NULL;
    }
    e->table = table;
    if (taco__lex_word(&p->lex, "replace") || taco__lex_word(&p->lex, "rename") ||
        taco__lex_word(&p->lex, "like")) {
        return taco__sqlp_no(p, p->lex.at, "of the forms behind *, only EXCLUDE is supported");
    }
    if (!taco__lex_word(&p->lex, "exclude")) {
        return e;
    }
    taco__sqlp_next(p);
    many = taco__sqlp_take(p, "(");
    do {
        taco__sx *c = taco__sqlp_new(p, TACO__SX_COLUMN, p->lex.at);
        if (!c || !taco__sqlp_name(p, false, &c->name)) {
            taco__lex_expected(&p->lex, "a column");
            return NULL;
        }
        if (taco__sqlp_take(p, ".")) {
            c->table = c->name;
            if (!taco__sqlp_name(p, true, &c->name)) {
                taco__lex_expected(&p->lex, "a column");
                return NULL;
            }
        }
        if (!taco__sqlp_add(p, e, c)) {
            return NULL;
        }
    } while (many && taco__sqlp_take(p, ","));
    return !many || taco__sqlp_need(p, ")") ? e : NULL;
}
TACO__FN taco__sx *taco__sqlp_primary(taco__sqlp *p)
{
    size_t    at = p->lex.at;
    taco__sx *e = NULL;
    switch (p->lex.kind) {
    case TACO__TOK_NUMBER:
        e = taco__sqlp_const(p, at, taco__expr_number(p->lex.raw, p->lex.integral, false));
        return taco__sqlp_next(p) ? e : NULL;
    case TACO__TOK_STRING: {
        taco_bytes text;
        if (!taco__lex_unquote(&p->lex, p->arena, &text)) {
            return NULL;
        }
        e = taco__sqlp_const(p, at, taco__value_bytes(TACO_TEXT, text));
        return taco__sqlp_next(p) ? e : NULL;
    }
    case TACO__TOK_QUOTED:
        e = taco__sqlp_new(p, TACO__SX_COLUMN, at);
        return e && taco__sqlp_name(p, false, &e->name) ? e : NULL;
    case TACO__TOK_NAME: return taco__sqlp_word_primary(p);
    case TACO__TOK_BLOB:
        return taco__sqlp_no(p, at, "blob literals are not supported: write '...'::BLOB");
    default: break;
    }
    if (taco__sqlp_take(p, "(")) {
        if (taco__lex_word(&p->lex, "select") || taco__lex_word(&p->lex, "with")) {
            return taco__sqlp_no(p, p->lex.at, "subqueries are not supported");
        }
        e = taco__sqlp_level(p, 1);
        if (e && taco__lex_is(&p->lex, ",")) {
            return taco__sqlp_no(p, p->lex.at, "rows in parentheses are not supported");
        }
        return e && taco__sqlp_need(p, ")") ? e : NULL;
    }
    if (taco__lex_is(&p->lex, "[") || taco__lex_is(&p->lex, "{")) {
        return taco__sqlp_no(p, at, "lists and structs cannot be written here");
    }
    if (taco__sqlp_take(p, "*")) {
        return taco__sqlp_star(p, at, taco__base_bytes(NULL, 0));
    }
    if (taco__sqlp_good(p)) {
        taco__lex_expected(&p->lex, "a value");
    }
    return NULL;
}
/* Behind a value: .field, [index], [from:to], ::type. */
TACO__FN taco__sx *taco__sqlp_postfix(taco__sqlp *p)
{
    taco__sx *e = taco__sqlp_primary(p);
    while (e && taco__sqlp_good(p)) {
        size_t at = p->lex.at;
        if (taco__sqlp_take(p, ".")) {
            taco__sx *f;
            if (taco__lex_is(&p->lex, "*") && e->kind == TACO__SX_COLUMN && !e->table.len) {
                return taco__sqlp_next(p) ? taco__sqlp_star(p, e->at, e->name) : NULL;
            }
            f = taco__sqlp_add(p, taco__sqlp_new(p, TACO__SX_FIELD, e->at), e);
            if (!f || !taco__sqlp_name(p, true, &f->name)) {
                taco__lex_expected(&p->lex, "a name behind the point");
                return NULL;
            }
            if (taco__lex_is(&p->lex, "(")) {
                return taco__sqlp_no(p, at, "calls behind a point are not supported");
            }
            f->infix = true; /* table.column, until it is bound */
            e = f;
        } else if (taco__sqlp_take(p, "::")) {
            e = taco__sqlp_cast(p, e->at, e, NULL, false);
        } else if (taco__sqlp_take(p, "[")) {
            taco__sx *from = taco__lex_is(&p->lex, ":")
                                 ? taco__sqlp_const(p, p->lex.at, taco__value_null())
                                 : taco__sqlp_level(p, 1);
            bool      slice = from && taco__sqlp_take(p, ":");
            e = taco__sqlp_add(
                p,
                taco__sqlp_add(p, taco__sqlp_new(p, slice ? TACO__SX_SLICE : TACO__SX_INDEX, e->at),
                               e),
                from);
            if (slice) {
                e = taco__sqlp_add(p, e,
                                   taco__lex_is(&p->lex, "]")
                                       ? taco__sqlp_const(p, p->lex.at, taco__value_null())
                                       : taco__sqlp_level(p, 1));
            }
            if (e && taco__lex_is(&p->lex, ":")) {
                return taco__sqlp_no(p, p->lex.at, "slices with a step are not supported");
            }
            if (!e || !taco__sqlp_need(p, "]")) {
                return NULL;
            }
        } else {
            break;
        }
    }
    return taco__sqlp_good(p) ? e : NULL;
}
TACO__FN taco__sx *taco__sqlp_unary(taco__sqlp *p)
{
    size_t      at = p->lex.at;
    taco__sx   *e;
    const char *sign = taco__lex_is(&p->lex, "-") ? "-" : taco__lex_is(&p->lex, "+") ? "+" : NULL;
    if (!sign) {
        return taco__sqlp_postfix(p);
    }
    if (++p->depth > p->max_depth) {
        TACO__FAIL(p->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "an expression deeper than %u, see limits.max_depth", TACO__U(p->max_depth));
        return NULL;
    }
    e = taco__sqlp_next(p) ? taco__sqlp_unary(p) : NULL;
    p->depth--;
    if (e && *sign == '-' && e->kind == TACO__SX_CONST && !e->neg && !e->infix &&
        taco__value_is_number(e->value.type.id)) { /* -5 is a literal */
        e->value.d = taco__i256_negate(e->value.d);
        e->value.f = -e->value.f;
        e->neg = true;
        if (taco__value_is_int(e->value.type.id) || e->value.type.precision == 39) {
            int64_t x = (int64_t)e->value.d.w[0];
            if (taco__i256_is_i64(&e->value.d)) {
                e->value.type =
                    taco__value_type(x >= INT32_MIN && x <= INT32_MAX ? TACO_INT32 : TACO_INT64);
                e->literal = 1;
            }
        }
        e->at = at;
        return e;
    }
    return e ? taco__sqlp_call(p, sign, at, e, NULL) : NULL;
}

/* ---- operators ------------------------------------------------------------------------------------- */

/* Binding strength of the operator at the token, 0 when it is none: 1 OR, 2 AND, 3 NOT, 4 IS, 5 comparison, 6 LIKE,
   BETWEEN, IN, 7 others, 8 + -, 9 * / // %. */
TACO__FN int taco__sqlp_strength(const taco__sqlp *p, const char **name)
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
        if (taco__lex_is(&p->lex, signs[i].sign)) {
            *name = signs[i].sign;
            return signs[i].strength;
        }
    }
    for (i = 0; p->lex.kind == TACO__TOK_NAME && i < TACO__COUNT(words); i++) {
        if (taco__lex_word(&p->lex, words[i].word)) {
            *name = words[i].word;
            return words[i].strength;
        }
    }
    return 0;
}
TACO__FN taco__sx *taco__sqlp_is(taco__sqlp *p, taco__sx *left)
{
    taco__sx *e, *right;
    size_t    at = left->at;
    bool      neg = taco__sqlp_word(p, "not"), value;
    if (taco__sqlp_word(p, "null")) {
        e = taco__sqlp_add(p, taco__sqlp_new(p, TACO__SX_ISNULL, at), left);
        if (e) {
            e->neg = neg;
        }
        return e;
    }
    if (taco__sqlp_word(p, "distinct")) {
        if (!taco__sqlp_need(p, "from")) {
            return NULL;
        }
        right = taco__sqlp_level(p, 5);
        neg = !neg;
    } else {
        value = taco__lex_word(&p->lex, "true");
        if (!value && !taco__lex_word(&p->lex, "false")) {
            taco__lex_expected(&p->lex, "NULL, TRUE, FALSE or DISTINCT FROM behind IS");
            return NULL;
        }
        right = taco__sqlp_const(p, p->lex.at, taco__value_int(TACO_BOOL, value));
        left = taco__sqlp_add(p, taco__sqlp_new(p, TACO__SX_CAST, at), left);
        if (!right || !left || !taco__sqlp_next(p)) {
            return NULL;
        }
        right->tries = true; /* for its name */
        left->to.t = taco__value_type(TACO_BOOL);
    }
    e = taco__sqlp_add(p, taco__sqlp_add(p, taco__sqlp_new(p, TACO__SX_CMP, at), left), right);
    if (e) {
        e->nullsafe = true;
        e->op = neg ? TACO__NE : TACO__EQ;
    }
    return e;
}
TACO__FN taco__sx *taco__sqlp_in(taco__sqlp *p, taco__sx *left, bool neg)
{
    taco__sx *e = taco__sqlp_add(p, taco__sqlp_new(p, TACO__SX_IN, left->at), left);
    if (!e || !taco__sqlp_need(p, "(")) {
        return NULL;
    }
    if (taco__lex_word(&p->lex, "select")) {
        return taco__sqlp_no(p, p->lex.at, "subqueries are not supported");
    }
    do {
        if (!taco__sqlp_add(p, e, taco__sqlp_level(p, 1))) {
            return NULL;
        }
    } while (taco__sqlp_take(p, ","));
    e->neg = neg;
    return taco__sqlp_need(p, ")") ? e : NULL;
}
/* LIKE, ILIKE, IN, BETWEEN, with or without NOT in front. */
TACO__FN taco__sx *taco__sqlp_test(taco__sqlp *p, taco__sx *left)
{
    size_t    at = p->lex.at;
    bool      neg = taco__sqlp_word(p, "not");
    taco__sx *e, *low, *high;
    if (taco__sqlp_word(p, "in")) {
        return taco__sqlp_in(p, left, neg);
    }
    if (taco__lex_word(&p->lex, "like") || taco__lex_word(&p->lex, "ilike")) {
        bool icase = taco__lex_word(&p->lex, "ilike");
        low = taco__sqlp_next(p) ? taco__sqlp_level(p, 7) : NULL;
        e = low ? taco__sqlp_call(p, icase ? (neg ? "!~~*" : "~~*") : (neg ? "!~~" : "~~"), at,
                                  left, low)
                : NULL;
        return e && taco__sqlp_word(p, "escape") ? taco__sqlp_add(p, e, taco__sqlp_level(p, 7)) : e;
    }
    if (!taco__sqlp_need(p, "between")) {
        return NULL;
    }
    low = taco__sqlp_level(p, 7);
    high = low && taco__sqlp_need(p, "and") ? taco__sqlp_level(p, 7) : NULL;
    e = taco__sqlp_add(p, taco__sqlp_new(p, TACO__SX_BETWEEN, left->at), left);
    e = taco__sqlp_add(p, taco__sqlp_add(p, e, low), high);
    return e && neg ? taco__sqlp_add(p, taco__sqlp_new(p, TACO__SX_NOT, at), e) : e;
}
TACO__FN taco__sx *taco__sqlp_junction(taco__sqlp *p, taco__sx *left, bool any)
{
    taco__sxk kind = any ? TACO__SX_OR : TACO__SX_AND;
    taco__sx *right;
    if (left->kind != kind || left->infix) {
        left = taco__sqlp_add(p, taco__sqlp_new(p, kind, left->at), left);
    }
    right = taco__sqlp_level(p, any ? 2 : 3);
    return taco__sqlp_add(p, left, right);
}
TACO__FN taco__sx *taco__sqlp_operator(taco__sqlp *p, taco__sx *left, const char *name,
                                       int strength)
{
    size_t    at = p->lex.at;
    taco__sx *right, *e;
    if (strength == 6) {
        return taco__sqlp_test(p, left);
    }
    if (!taco__sqlp_next(p)) {
        return NULL;
    }
    if (strength < 3) {
        return taco__sqlp_junction(p, left, strength == 1);
    }
    if (strength == 4 && strcmp(name, "is") == 0) {
        return taco__sqlp_is(p, left);
    }
    if (strength == 4) {
        e = taco__sqlp_add(p, taco__sqlp_new(p, TACO__SX_ISNULL, left->at), left);
        if (e) {
            e->neg = name[0] == 'n';
        }
        return e;
    }
    if (taco__lex_word(&p->lex, "any") || taco__lex_word(&p->lex, "all")) {
        return taco__sqlp_no(p, p->lex.at, "ANY and ALL are not supported");
    }
    right = taco__sqlp_level(p, strength + 1);
    if (strength != 5) {
        return right ? taco__sqlp_call(p, name, at, left, right) : NULL;
    }
    e = taco__sqlp_add(p, taco__sqlp_add(p, taco__sqlp_new(p, TACO__SX_CMP, left->at), left),
                       right);
    if (e) {
        e->op = (uint8_t)(name[0] == '='   ? TACO__EQ
                          : name[0] == '!' ? TACO__NE
                          : name[0] == '<' ? (name[1] == '='   ? TACO__LE
                                              : name[1] == '>' ? TACO__NE
                                                               : TACO__LT)
                          : name[1] == '=' ? TACO__GE
                                           : TACO__GT);
    }
    return e;
}
TACO__FN taco__sx *taco__sqlp_level(taco__sqlp *p, int least)
{
    size_t      at = p->lex.at;
    taco__sx   *e;
    const char *name = NULL;
    int         strength;
    if (++p->depth > p->max_depth) {
        TACO__FAIL(p->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "an expression deeper than %u, see limits.max_depth", TACO__U(p->max_depth));
        return NULL;
    }
    if (least <= 3 && taco__sqlp_word(p, "not")) {
        e = taco__sqlp_add(p, taco__sqlp_new(p, TACO__SX_NOT, at), taco__sqlp_level(p, 3));
    } else {
        bool open = taco__lex_is(&p->lex, "(");
        e = taco__sqlp_good(p) ? taco__sqlp_unary(p) : NULL;
        if (e && open && (e->kind == TACO__SX_AND || e->kind == TACO__SX_OR)) {
            e->infix = true; /* in parentheses: not to be merged */
        }
    }
    while (e && taco__sqlp_good(p) && (strength = taco__sqlp_strength(p, &name)) != 0 &&
           strength >= least) {
        e = taco__sqlp_operator(p, e, name, strength);
    }
    p->depth--;
    return taco__sqlp_good(p) ? e : NULL;
}

/* ---- the statement --------------------------------------------------------------------------------- */

TACO__FN bool taco__sqlp_items(taco__sqlp *p, taco__sql_select *s)
{
    s->items = taco__sqlp_new(p, TACO__SX_CALL, 0);
    do {
        taco__sx *e = taco__lex_word(&p->lex, "from") ? NULL : taco__sqlp_level(p, 1);
        if (!e) {
            if (taco__sqlp_good(p)) {
                taco__lex_expected(&p->lex, "a value");
            }
            return false;
        }
        if (taco__sqlp_word(p, "as")) {
            if (!taco__sqlp_name(p, true, &e->alias)) {
                taco__lex_expected(&p->lex, "a name behind AS");
                return false;
            }
        } else if (e->kind != TACO__SX_STAR) {
            taco__sqlp_name(p, false, &e->alias);
        }
        if (!taco__sqlp_add(p, s->items, e)) {
            return false;
        }
    } while (taco__sqlp_take(p, ",") && !taco__lex_word(&p->lex, "from"));
    return taco__sqlp_good(p);
}
TACO__FN bool taco__sqlp_table(taco__sqlp *p, taco__sql_from *f)
{
    size_t digits;
    f->at = p->lex.at;
    if (taco__lex_is(&p->lex, "(")) {
        taco__sqlp_no(p, p->lex.at, "subqueries are not supported");
        return false;
    }
    if (!taco__sqlp_name(p, false, &f->name)) {
        taco__lex_expected(&p->lex, "a table: data, level0 ... level5, l0 ... l5");
        return false;
    }
    if (taco__lex_is(&p->lex, "(") || taco__lex_is(&p->lex, ".")) {
        taco__sqlp_no(p, p->lex.at, "table functions and schemas are not supported");
        return false;
    }
    digits = f->name.len ? f->name.len - 1 : 0;
    f->flat = digits == 1;
    f->level = digits < f->name.len ? (uint32_t)(f->name.data[digits] - '0') : 0;
    if (taco__value_word(f->name, "data")) {
        f->level = 0;
    } else if (f->level > 5 ||
               !(taco__value_word(taco__base_bytes(f->name.data, digits), "l") ||
                 taco__value_word(taco__base_bytes(f->name.data, digits), "level"))) {
        TACO__FAIL(p->err, TACO_ERR_SYNTAX, f->at,
                   "no such table: %q; there are data, level0 ... level5, l0 ... l5", &f->name);
        return false;
    }
    f->alias = f->name;
    if (taco__sqlp_word(p, "as")) {
        if (!taco__sqlp_name(p, false, &f->alias)) {
            taco__lex_expected(&p->lex, "a name behind AS");
            return false;
        }
    } else {
        taco__sqlp_name(p, false, &f->alias);
    }
    return taco__sqlp_good(p);
}
TACO__FN bool taco__sqlp_from(taco__sqlp *p, taco__sql_select *s)
{
    static const char *const refused[] = {"right", "full", "cross",      "natural",    "semi",
                                          "anti",  "asof", "positional", "tablesample"};
    size_t                   i;
    if (!taco__sqlp_table(p, &s->from[s->from_count++])) {
        return false;
    }
    for (;;) {
        taco__sql_from *f = &s->from[s->from_count];
        for (i = 0; i < TACO__COUNT(refused); i++) {
            if (taco__lex_word(&p->lex, refused[i])) {
                TACO__FAIL(p->err, TACO_ERR_SYNTAX, p->lex.at,
                           "%s joins are not supported, only [INNER] and LEFT", refused[i]);
                return false;
            }
        }
        if (taco__lex_is(&p->lex, ",")) {
            taco__sqlp_no(p, p->lex.at, "write JOIN ... ON instead of a comma between tables");
            return false;
        }
        if (!taco__lex_word(&p->lex, "left") && !taco__lex_word(&p->lex, "inner") &&
            !taco__lex_word(&p->lex, "join")) {
            return taco__sqlp_good(p);
        }
        if (s->from_count == TACO__SQL_TABLES) {
            TACO__FAIL(p->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "more than %u tables",
                       TACO__U(TACO__SQL_TABLES));
            return false;
        }
        memset(f, 0, sizeof *f);
        f->left = taco__sqlp_word(p, "left");
        if (!f->left) {
            taco__sqlp_word(p, "inner");
        } else {
            taco__sqlp_word(p, "outer");
        }
        s->from_count++;
        if (!taco__sqlp_need(p, "join") || !taco__sqlp_table(p, f)) {
            return false;
        }
        if (taco__lex_word(&p->lex, "using")) {
            taco__sqlp_no(p, p->lex.at, "USING is not supported: write ON a.x = b.x");
            return false;
        }
        if (!taco__sqlp_need(p, "on")) {
            return false;
        }
        f->on = taco__sqlp_level(p, 1);
        if (!f->on) {
            return false;
        }
    }
}
TACO__FN bool taco__sqlp_groups(taco__sqlp *p, taco__sql_select *s)
{
    s->groups = taco__sqlp_new(p, TACO__SX_CALL, p->lex.at);
    if (!s->groups || !taco__sqlp_need(p, "by")) {
        return false;
    }
    if (taco__sqlp_word(p, "all")) {
        s->group_all = true;
        return true;
    }
    do {
        if (taco__lex_word(&p->lex, "grouping") || taco__lex_word(&p->lex, "rollup") ||
            taco__lex_word(&p->lex, "cube")) {
            taco__sqlp_no(p, p->lex.at, "grouping sets are not supported");
            return false;
        }
        if (!taco__sqlp_add(p, s->groups, taco__sqlp_level(p, 1))) {
            return false;
        }
    } while (taco__sqlp_take(p, ","));
    return taco__sqlp_good(p);
}
TACO__FN bool taco__sqlp_order(taco__sqlp *p, taco__sql_select *s)
{
    if (!taco__sqlp_need(p, "by")) {
        return false;
    }
    do {
        taco__sql_order *o = &s->order[s->order_count];
        if (s->order_count == TACO__COUNT(s->order)) {
            TACO__FAIL(p->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "more than %u sort keys",
                       TACO__U(TACO__COUNT(s->order)));
            return false;
        }
        if (!s->order_count && taco__lex_word(&p->lex, "all")) {
            s->order_all = true;
            taco__sqlp_next(p);
        } else {
            o->e = taco__sqlp_level(p, 1);
            if (!o->e) {
                return false;
            }
        }
        s->order_count++;
        o->desc = taco__sqlp_word(p, "desc");
        if (!o->desc) {
            taco__sqlp_word(p, "asc");
        }
        if (taco__sqlp_word(p, "nulls")) {
            o->nulls_first = taco__sqlp_word(p, "first");
            if (!o->nulls_first && !taco__sqlp_need(p, "last")) {
                return false;
            }
        }
    } while (!s->order_all && taco__sqlp_take(p, ","));
    return taco__sqlp_good(p);
}
TACO__FN bool taco__sqlp_limits(taco__sqlp *p, taco__sql_select *s)
{
    int i;
    for (i = 0; i < 2; i++) {
        if (taco__sqlp_word(p, "limit")) {
            s->has_limit = true;
            if (!taco__sqlp_number(p, &s->limit)) {
                return false;
            }
        } else if (taco__sqlp_word(p, "offset")) {
            if (!taco__sqlp_number(p, &s->offset)) {
                return false;
            }
        }
    }
    taco__sqlp_take(p, ";");
    if (taco__sqlp_good(p) && p->lex.kind != TACO__TOK_END) {
        static const char *const known[] = {"union",   "intersect", "except", "window",
                                            "qualify", "using",     "select"};
        size_t                   k;
        for (k = 0; k < TACO__COUNT(known); k++) {
            if (taco__lex_word(&p->lex, known[k])) {
                TACO__FAIL(p->err, TACO_ERR_SYNTAX, p->lex.at, "%s is not supported here",
                           known[k]);
            }
        }
        taco__lex_expected(&p->lex, "the end of the query");
    }
    return taco__sqlp_good(p);
}
TACO__FN bool taco__sqlp_select(taco__sqlp *p, taco__sql_select *s)
{
    if (taco__lex_word(&p->lex, "with")) {
        taco__sqlp_no(p, p->lex.at, "WITH is not supported");
        return false;
    }
    if (!taco__sqlp_need(p, "select")) {
        return false;
    }
    s->distinct = taco__sqlp_word(p, "distinct");
    if (s->distinct && taco__lex_word(&p->lex, "on")) {
        taco__sqlp_no(p, p->lex.at, "DISTINCT ON is not supported");
        return false;
    }
    if (!s->distinct) {
        taco__sqlp_word(p, "all");
    }
    if (!taco__sqlp_items(p, s) || !taco__sqlp_need(p, "from") || !taco__sqlp_from(p, s)) {
        return false;
    }
    if (taco__sqlp_word(p, "where")) {
        s->where = taco__sqlp_level(p, 1);
    }
    if (taco__sqlp_good(p) && taco__sqlp_word(p, "group") && !taco__sqlp_groups(p, s)) {
        return false;
    }
    if (taco__sqlp_good(p) && taco__sqlp_word(p, "having")) {
        s->having = taco__sqlp_level(p, 1);
    }
    if (taco__sqlp_good(p) && taco__sqlp_word(p, "order") && !taco__sqlp_order(p, s)) {
        return false;
    }
    return taco__sqlp_good(p) && taco__sqlp_limits(p, s);
}
TACO__FN bool taco__sqlp_parse(taco__arena *arena, const char *text, size_t len, uint32_t max_depth,
                               taco__sql_select *s, taco_error *err)
{
    taco__sqlp p;
    memset(&p, 0, sizeof p);
    p.arena = arena;
    p.err = err;
    p.max_depth = max_depth ? max_depth : 200;
    p.max_depth = TACO__MIN(p.max_depth, 1000);
    if (len > TACO__SQL_TEXT) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "a query of %u bytes, %u are the most",
                   TACO__U(len), TACO__U(TACO__SQL_TEXT));
        return false;
    }
    return taco__lex_open(&p.lex, text, len, err) && taco__sqlp_select(&p, s);
}
/* A deep copy of a tree that is not bound: binding changes what it works on. */
TACO__FN taco__sx *taco__sqlp_copy(taco__arena *arena, const taco__sx *e, taco_error *err)
{
    taco__sx *c = (taco__sx *)taco__arena_alloc(arena, sizeof *c, err);
    uint32_t  i;
    if (!c) {
        return NULL;
    }
    *c = *e;
    if (e->filter) {
        c->filter = taco__sqlp_copy(arena, e->filter, err);
        if (!c->filter) {
            return NULL;
        }
    }
    if (e->n) {
        c->kid = (taco__sx **)taco__arena_array(arena, e->n, sizeof *c->kid, err);
        c->cap = e->n;
        for (i = 0; c->kid && i < e->n; i++) {
            c->kid[i] = taco__sqlp_copy(arena, e->kid[i], err);
            if (!c->kid[i]) {
                return NULL;
            }
        }
        return c->kid ? c : NULL;
    }
    return c;
}

