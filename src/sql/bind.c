/* ==== ROOM bind: names, types and functions of a SELECT made definite. Uses: sqlp func fold cast ==== */

typedef struct taco__bind_table {
    taco_bytes            alias;
    const taco_field     *fields;
    const taco__sql_type *types;
    size_t  count, visible; /* '*' means the visible ones, the others have to be named */
    size_t *place;          /* of a column in the batch; TACO__NONE until it is asked for */
} taco__bind_table;
typedef struct taco__bind_column { /* of the batch */
    uint32_t table;
    size_t   column;
} taco__bind_column;
typedef struct taco__bind_aggregation {
    taco__aggregate a;
    taco__sql_expr *arg, *filter;
    taco_bytes      text;
} taco__bind_aggregation;

#define TACO__BIND_MAX_AGGREGATES 256
#define TACO__BIND_MAX_NODES      100000 /* nodes that aliases may multiply to */

typedef struct taco__bind {
    taco__arena            *arena;
    taco_error             *err;
    taco__sql_select       *s;
    taco__bind_table        tables[TACO__SQL_MAX_TABLES];
    size_t                  table_count;
    taco__bind_column      *columns;
    size_t                  column_count, column_cap;
    taco__bind_aggregation *aggrs;
    size_t                  aggr_count;
    taco__sql_expr        **groups; /* bound */
    taco_bytes             *group_texts;
    size_t                  group_count;
    bool                    grouped, inside, no_aggr; /* inside an aggregate's argument */
    size_t                  aliases;                  /* select items that may be named */
    taco__sql_expr        **sources;                  /* the select items as written */
    size_t                  source_count, nodes;
    uint32_t                alias_depth;
} taco__bind;

TACO__FN bool taco__bind_expr(taco__bind *b, taco__sql_expr **at);

TACO__COLD bool taco__bind_fail(taco__bind *b, const taco__sql_expr *e, const char *what)
{
    TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at, "%s", what);
    return false;
}
TACO__FN bool taco__bind_name_is(taco_bytes a, const char *name) /* ASCII case ignored */
{
    size_t i, n = strlen(name);
    for (i = 0; i < a.len && i < n; i++) {
        if (taco__ascii_lower(a.data[i]) != taco__ascii_lower((uint8_t)name[i])) {
            return false;
        }
    }
    return a.len == n;
}
TACO__FN bool taco__bind_names_equal(taco_bytes a, taco_bytes b)
{
    size_t i;
    for (i = 0; i < a.len && i < b.len; i++) {
        if (taco__ascii_lower(a.data[i]) != taco__ascii_lower(b.data[i])) {
            return false;
        }
    }
    return a.len == b.len;
}

/* ---- columns --------------------------------------------------------------------------------------- */

/* Finds a column: false without an error when there is none. */
TACO__FN bool taco__bind_find_column(taco__bind *b, const taco__sql_expr *e, size_t *table,
                                     size_t *column)
{
    size_t t, c, hits = 0;
    for (t = 0; t < b->table_count; t++) {
        if (e->table.len && !taco__bind_names_equal(e->table, b->tables[t].alias)) {
            continue;
        }
        for (c = 0; c < b->tables[t].count; c++) {
            if (taco__bind_name_is(e->name, b->tables[t].fields[c].name)) {
                *table = t;
                *column = c;
                hits++;
                break;
            }
        }
    }
    if (hits > 1) {
        TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at,
                   "column %q is in several tables: write table.column", &e->name);
        return false;
    }
    return hits == 1;
}
TACO__FN size_t taco__bind_column_index(taco__bind *b, size_t table, size_t column)
{
    size_t *place = &b->tables[table].place[column];
    if (*place == TACO__NONE) {
        if (b->column_count == b->column_cap) {
            size_t             cap = b->column_cap ? b->column_cap * 2 : 16;
            taco__bind_column *c =
                (taco__bind_column *)taco__arena_array(b->arena, cap, sizeof *c, b->err);
            if (!c) {
                return TACO__NONE;
            }
            if (b->column_count) {
                memcpy(c, b->columns, b->column_count * sizeof *c);
            }
            b->columns = c;
            b->column_cap = cap;
        }
        b->columns[b->column_count].table = (uint32_t)table;
        b->columns[b->column_count].column = column;
        *place = b->column_count++;
    }
    return *place;
}
/* a.b is column b of table a where there is such a table, otherwise field b of a. */
TACO__FN void taco__bind_qualify_node(taco__bind *b, taco__sql_expr *e)
{
    size_t t;
    if (e->kind != TACO__SQL_EXPR_FIELD || e->kid[0]->kind != TACO__SQL_EXPR_COLUMN ||
        e->kid[0]->table.len) {
        return;
    }
    for (t = 0; t < b->table_count; t++) {
        if (taco__bind_names_equal(e->kid[0]->name, b->tables[t].alias)) {
            e->kind = TACO__SQL_EXPR_COLUMN;
            e->table = e->kid[0]->name;
            e->n = 0;
            return;
        }
    }
}
TACO__FN void taco__bind_qualify(taco__bind *b, taco__sql_expr *e)
{
    uint32_t i;
    taco__bind_qualify_node(b, e);
    for (i = 0; i < e->n; i++) {
        taco__bind_qualify(b, e->kid[i]);
    }
    if (e->filter) {
        taco__bind_qualify(b, e->filter);
    }
}

/* ---- names ----------------------------------------------------------------------------------------- */

/* Function names that DuckDB's printer puts in quotes, and those it shows with their schema. */
TACO__FN int taco__sql_expr_text_name_style(taco_bytes n)
{
    static const char *const quoted[] = {
        "left",   "right",  "replace",     "year",        "month",    "day",    "hour",
        "minute", "second", "millisecond", "microsecond", "quarter",  "week",   "first",
        "last",   "mode",   "substring",   "trim",        "position", "nullif", "map",
        "date",   "blob",   "double",      "overlay"};
    size_t i;
    if (taco__ascii_is_word(n, "trim") || taco__ascii_is_word(n, "position")) {
        return 2;
    }
    for (i = 0; i < TACO__COUNT(quoted); i++) {
        if (taco__ascii_is_word(n, quoted[i])) {
            return 1;
        }
    }
    return 0;
}
TACO__FN bool taco__sql_expr_text_append(taco__bind *b, taco__buf *out, const char *s)
{
    return taco__buf_append_text(out, s, b->err);
}
TACO__FN bool taco__sql_expr_text_append_bytes(taco__bind *b, taco__buf *out, taco_bytes s)
{
    return taco__buf_append(out, s.data, s.len, b->err);
}
/* A name, in quotes where it needs them. */
TACO__FN bool taco__sql_expr_text_identifier(taco__bind *b, taco__buf *out, taco_bytes s)
{
    size_t i;
    bool   plain = s.len && !taco__lex_is_digit(s.data[0]) && !taco__sql_parse_is_reserved(s);
    for (i = 0; plain && i < s.len; i++) {
        plain =
            (taco__lex_is_letter(s.data[i]) && s.data[i] < 0x80) || taco__lex_is_digit(s.data[i]);
    }
    if (plain) {
        return taco__sql_expr_text_append_bytes(b, out, s);
    }
    if (!taco__sql_expr_text_append(b, out, "\"")) {
        return false;
    }
    for (i = 0; i < s.len; i++) {
        if ((s.data[i] == '"' && !taco__sql_expr_text_append(b, out, "\"")) ||
            !taco__buf_append_char(out, (char)s.data[i], b->err)) {
            return false;
        }
    }
    return taco__sql_expr_text_append(b, out, "\"");
}
TACO__FN bool taco__sql_expr_text_constant(taco__bind *b, taco__buf *out, const taco__sql_expr *e)
{
    taco__vec v;
    size_t    i;
    memset(&v, 0, sizeof v);
    switch (e->value.type.id) {
    case TACO_NULL: return taco__sql_expr_text_append(b, out, "NULL");
    case TACO_BOOL:
        if (e->tries) {
            return taco__sql_expr_text_append(b, out, e->value.d.w[0] ? "true" : "false");
        }
        return taco__sql_expr_text_append(
            b, out, e->value.d.w[0] ? "CAST('t' AS BOOLEAN)" : "CAST('f' AS BOOLEAN)");
    case TACO_TEXT:
        if (!taco__sql_expr_text_append(b, out, "'")) {
            return false;
        }
        for (i = 0; i < e->value.b.len; i++) {
            if ((e->value.b.data[i] == '\'' && !taco__sql_expr_text_append(b, out, "'")) ||
                !taco__buf_append_char(out, (char)e->value.b.data[i], b->err)) {
                return false;
            }
        }
        return taco__sql_expr_text_append(b, out, "'");
    case TACO_INTERVAL: return taco__sql_expr_text_append_bytes(b, out, e->name);
    default: {
        int64_t        small = (int64_t)e->value.d.w[0];
        taco__i256     big = e->value.d;
        double         dbl = e->value.f;
        taco__sql_type t;
        memset(&t, 0, sizeof t);
        t.t = e->value.type;
        v.type = &t;
        v.n = v.step = 1;
        switch (taco__sql_type_physical(&t)) {
        case TACO__PHYS_INT: v.v.i = &small; break;
        case TACO__PHYS_BIG: v.v.d = &big; break;
        default: v.v.f = &dbl; break;
        }
        return taco__cast_format(out, &v, 0, false, b->err);
    }
    }
}
TACO__FN bool taco__sql_expr_text(taco__bind *b, taco__buf *out, const taco__sql_expr *e);

TACO__FN bool taco__sql_expr_text_list(taco__bind *b, taco__buf *out, const taco__sql_expr *e,
                                       uint32_t from, const char *between)
{
    uint32_t i;
    for (i = from; i < e->n; i++) {
        if ((i > from && !taco__sql_expr_text_append(b, out, between)) ||
            !taco__sql_expr_text(b, out, e->kid[i])) {
            return false;
        }
    }
    return true;
}
TACO__FN bool taco__sql_expr_text_type(taco__bind *b, taco__buf *out, const taco__sql_type *t)
{
    char name[96], *p;
    taco__sql_type_text(t, name, sizeof name);
    if (t->t.id == TACO_DATE || t->t.id == TACO_BINARY || t->t.id == TACO_DOUBLE ||
        t->t.id == TACO_TIME || t->t.id == TACO_UUID) {
        return taco__sql_expr_text_append(b, out, "\"") &&
               taco__sql_expr_text_append(b, out, name) && taco__sql_expr_text_append(b, out, "\"");
    }
    p = t->t.id == TACO_DECIMAL ? strchr(name, ',') : NULL;
    if (p) {
        *p = 0;
        return taco__sql_expr_text_append(b, out, name) &&
               taco__sql_expr_text_append(b, out, ", ") &&
               taco__sql_expr_text_append(b, out, p + 1);
    }
    return taco__sql_expr_text_append(b, out, name);
}
TACO__FN bool taco__sql_expr_text_call(taco__bind *b, taco__buf *out, const taco__sql_expr *e)
{
    size_t i;
    int    style;
    bool   count = e->n == 0 && taco__ascii_is_word(e->name, "count"), ok;
    if (e->infix && e->n == 1) {
        return taco__sql_expr_text_append_bytes(b, out, e->name) &&
               taco__sql_expr_text_append(b, out, "(") && taco__sql_expr_text(b, out, e->kid[0]) &&
               taco__sql_expr_text_append(b, out, ")");
    }
    if (e->infix && e->n == 2) {
        return taco__sql_expr_text_append(b, out, "(") && taco__sql_expr_text(b, out, e->kid[0]) &&
               taco__sql_expr_text_append(b, out, " ") &&
               taco__sql_expr_text_append_bytes(b, out, e->name) &&
               taco__sql_expr_text_append(b, out, " ") && taco__sql_expr_text(b, out, e->kid[1]) &&
               taco__sql_expr_text_append(b, out, ")");
    }
    if (e->infix) {
        static const char *const names[] = {"main.like_escape(", "main.not_like_escape(",
                                            "main.ilike_escape(", "main.not_ilike_escape("};
        size_t                   which =
            (e->name.data[0] == '!' ? 1U : 0U) + (e->name.data[e->name.len - 1] == '*' ? 2U : 0U);
        return taco__sql_expr_text_append(b, out, names[which]) &&
               taco__sql_expr_text_list(b, out, e, 0, ", ") &&
               taco__sql_expr_text_append(b, out, ")");
    }
    if (taco__ascii_is_word(e->name, "coalesce") || taco__ascii_is_word(e->name, "ifnull")) {
        return taco__sql_expr_text_append(b, out, "COALESCE(") &&
               taco__sql_expr_text_list(b, out, e, 0, ", ") &&
               taco__sql_expr_text_append(b, out, ")");
    }
    style = e->tries ? 2 : taco__sql_expr_text_name_style(e->name);
    ok = style < 2 || taco__sql_expr_text_append(b, out, "main.");
    ok = ok && (!style || taco__ascii_is_word(e->name, "date_part") ||
                taco__sql_expr_text_append(b, out, "\""));
    for (i = 0; ok && i < e->name.len; i++) {
        ok = taco__buf_append_char(out, (char)taco__ascii_lower(e->name.data[i]), b->err);
    }
    ok = ok && (!count || taco__sql_expr_text_append(b, out, "_star"));
    ok = ok && (!style || taco__ascii_is_word(e->name, "date_part") ||
                taco__sql_expr_text_append(b, out, "\""));
    ok = ok && taco__sql_expr_text_append(b, out, e->distinct ? "(DISTINCT " : "(") &&
         taco__sql_expr_text_list(b, out, e, 0, ", ") && taco__sql_expr_text_append(b, out, ")");
    if (e->filter) {
        ok = ok && taco__sql_expr_text_append(b, out, " FILTER (WHERE ") &&
             taco__sql_expr_text(b, out, e->filter) && taco__sql_expr_text_append(b, out, ")");
    }
    return ok;
}
TACO__FN bool taco__sql_expr_text_case(taco__bind *b, taco__buf *out, const taco__sql_expr *e)
{
    uint32_t i;
    bool     ok = taco__sql_expr_text_append(b, out, "CASE ");
    for (i = 0; ok && i + 1 < e->n; i += 2) {
        ok = taco__sql_expr_text_append(b, out, " WHEN (") &&
             taco__sql_expr_text(b, out, e->kid[i]) &&
             taco__sql_expr_text_append(b, out, ") THEN (") &&
             taco__sql_expr_text(b, out, e->kid[i + 1]) && taco__sql_expr_text_append(b, out, ")");
    }
    return ok && taco__sql_expr_text_append(b, out, " ELSE ") &&
           taco__sql_expr_text(b, out, e->kid[e->n - 1]) &&
           taco__sql_expr_text_append(b, out, " END");
}
/* What DuckDB calls the expression. Trees are told apart by it too. */
TACO__FN bool taco__sql_expr_text(taco__bind *b, taco__buf *out, const taco__sql_expr *e)
{
    static const char *const ops[] = {" = ", " != ", " < ", " <= ", " > ", " >= "};
    size_t                   table, column;
    switch (e->kind) {
    case TACO__SQL_EXPR_CONST: return taco__sql_expr_text_constant(b, out, e);
    case TACO__SQL_EXPR_COLUMN:
        if (e->table.len && (!taco__sql_expr_text_identifier(b, out, e->table) ||
                             !taco__sql_expr_text_append(b, out, "."))) {
            return false;
        }
        if (taco__bind_find_column(b, e, &table, &column)) {
            return taco__sql_expr_text_identifier(
                b, out, taco__bytes_text(b->tables[table].fields[column].name));
        }
        return taco__sql_expr_text_identifier(b, out, e->name);
    case TACO__SQL_EXPR_CALL: return taco__sql_expr_text_call(b, out, e);
    case TACO__SQL_EXPR_CASE: return taco__sql_expr_text_case(b, out, e);
    case TACO__SQL_EXPR_CAST:
        return taco__sql_expr_text_append(b, out, e->tries ? "TRY_CAST(" : "CAST(") &&
               taco__sql_expr_text(b, out, e->kid[0]) &&
               taco__sql_expr_text_append(b, out, " AS ") &&
               taco__sql_expr_text_type(b, out, &e->to) && taco__sql_expr_text_append(b, out, ")");
    case TACO__SQL_EXPR_AND:
    case TACO__SQL_EXPR_OR:
        return taco__sql_expr_text_append(b, out, "(") &&
               taco__sql_expr_text_list(b, out, e, 0,
                                        e->kind == TACO__SQL_EXPR_AND ? " AND " : " OR ") &&
               taco__sql_expr_text_append(b, out, ")");
    case TACO__SQL_EXPR_NOT:
        return taco__sql_expr_text_append(b, out, "(NOT ") &&
               taco__sql_expr_text(b, out, e->kid[0]) && taco__sql_expr_text_append(b, out, ")");
    case TACO__SQL_EXPR_CMP:
        return taco__sql_expr_text_append(b, out, "(") && taco__sql_expr_text(b, out, e->kid[0]) &&
               taco__sql_expr_text_append(b, out,
                                          !e->nullsafe           ? ops[e->op]
                                          : e->op == TACO__OP_EQ ? " IS NOT DISTINCT FROM "
                                                                 : " IS DISTINCT FROM ") &&
               taco__sql_expr_text(b, out, e->kid[1]) && taco__sql_expr_text_append(b, out, ")");
    case TACO__SQL_EXPR_BETWEEN:
        return taco__sql_expr_text_append(b, out, "(") && taco__sql_expr_text(b, out, e->kid[0]) &&
               taco__sql_expr_text_append(b, out, " BETWEEN ") &&
               taco__sql_expr_text_list(b, out, e, 1, " AND ") &&
               taco__sql_expr_text_append(b, out, ")");
    case TACO__SQL_EXPR_IN:
        return taco__sql_expr_text_append(b, out, "(") && taco__sql_expr_text(b, out, e->kid[0]) &&
               taco__sql_expr_text_append(b, out, e->neg ? " NOT IN (" : " IN (") &&
               taco__sql_expr_text_list(b, out, e, 1, ", ") &&
               taco__sql_expr_text_append(b, out, "))");
    case TACO__SQL_EXPR_ISNULL:
        return taco__sql_expr_text_append(b, out, "(") && taco__sql_expr_text(b, out, e->kid[0]) &&
               taco__sql_expr_text_append(b, out, e->neg ? " IS NOT NULL)" : " IS NULL)");
    case TACO__SQL_EXPR_INDEX:
        return taco__sql_expr_text(b, out, e->kid[0]) && taco__sql_expr_text_append(b, out, "[") &&
               taco__sql_expr_text(b, out, e->kid[1]) && taco__sql_expr_text_append(b, out, "]");
    case TACO__SQL_EXPR_SLICE:
        return taco__sql_expr_text(b, out, e->kid[0]) && taco__sql_expr_text_append(b, out, "[") &&
               (e->kid[1]->value.type.id == TACO_NULL || taco__sql_expr_text(b, out, e->kid[1])) &&
               taco__sql_expr_text_append(b, out, ":") &&
               (e->kid[2]->value.type.id == TACO_NULL || taco__sql_expr_text(b, out, e->kid[2])) &&
               taco__sql_expr_text_append(b, out, "]");
    case TACO__SQL_EXPR_FIELD:
        return taco__sql_expr_text(b, out, e->kid[0]) && taco__sql_expr_text_append(b, out, ".") &&
               taco__sql_expr_text_identifier(b, out, e->name);
    default: return taco__sql_expr_text_append(b, out, "?");
    }
}
TACO__FN bool taco__sql_expr_text_copy(taco__bind *b, const taco__sql_expr *e, taco_bytes *out)
{
    taco__buf buf;
    char     *copy;
    memset(&buf, 0, sizeof buf);
    buf.mem = b->arena->mem;
    copy = taco__sql_expr_text(b, &buf, e)
               ? taco__arena_text(b->arena, taco__bytes_of(buf.data, buf.len), b->err)
               : NULL;
    *out = taco__bytes_of(copy, buf.len);
    taco__buf_free(&buf);
    return copy != NULL;
}
/* The name of a column of the result. */
TACO__FN const char *taco__sql_expr_text_label(taco__bind *b, const taco__sql_expr *e)
{
    taco_bytes name = e->alias;
    size_t     table, column;
    if (!name.len && e->kind == TACO__SQL_EXPR_COLUMN) {
        name = taco__bind_find_column(b, e, &table, &column)
                   ? taco__bytes_text(b->tables[table].fields[column].name)
                   : e->name;
    } else if (!name.len && e->kind == TACO__SQL_EXPR_FIELD) {
        name = e->name;
    } else if (!name.len && e->kind == TACO__SQL_EXPR_CONST && e->value.type.id == TACO_TEXT) {
        if (!taco__sql_expr_text_copy(b, e, &name)) {
            return NULL;
        }
    } else if (!name.len && !taco__sql_expr_text_copy(b, e, &name)) {
        return NULL;
    }
    return taco__arena_text(b->arena, name, b->err);
}

/* ---- types ----------------------------------------------------------------------------------------- */

TACO__FN taco__sql_type taco__sql_type_simple(taco_type id)
{
    taco__sql_type t;
    memset(&t, 0, sizeof t);
    t.t = taco__scalar_simple_type(id);
    if (id == TACO_TIMESTAMP) {
        t.t.unit = TACO_MICRO;
    }
    return t;
}
TACO__FN taco__sql_type taco__sql_type_hugeint(void)
{
    taco__sql_type t = taco__sql_type_simple(TACO_DECIMAL);
    t.t.precision = 39;
    return t;
}
/* Puts a cast round *at unless it has the type already. */
TACO__FN bool taco__bind_type_add_cast(taco__bind *b, taco__sql_expr **at, const taco__sql_type *t)
{
    taco__sql_expr *e = *at, *c;
    char            from[96], to[96];
    if (taco__sql_type_equal(&e->type, t)) {
        return true;
    }
    if (!taco__cast_is_possible(&e->type, t)) {
        taco__sql_type_text(&e->type, from, sizeof from);
        taco__sql_type_text(t, to, sizeof to);
        TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at, "a %s cannot be a %s", from, to);
        return false;
    }
    c = (taco__sql_expr *)taco__arena_alloc(b->arena, sizeof *c, b->err);
    if (!c) {
        return false;
    }
    c->kind = TACO__SQL_EXPR_CAST;
    c->at = e->at;
    c->kid = (taco__sql_expr **)taco__arena_alloc(b->arena, sizeof *c->kid, b->err);
    if (!c->kid) {
        return false;
    }
    c->kid[0] = e;
    c->n = c->cap = 1;
    c->type = c->to = *t;
    c->depth = e->depth + 1;
    *at = c;
    return true;
}
TACO__FN bool taco__bind_type_fits_literal(const taco__sql_expr *e, const taco__sql_type *t)
{
    return e->literal == 1 && taco__scalar_is_int(t->t.id) && taco__scalar_fits(&t->t, &e->value.d);
}
/* The type of a value that is one of the two. A literal takes the other's. */
TACO__FN bool taco__bind_type_common(const taco__sql_expr *a, const taco__sql_type *ta,
                                     const taco__sql_expr *c, bool compare, taco__sql_type *out)
{
    const taco__sql_type *tc = &c->type;
    if (ta->t.id == TACO_NULL || tc->t.id == TACO_NULL) {
        *out = ta->t.id == TACO_NULL ? *tc : *ta;
        return true;
    }
    if (taco__sql_type_equal(ta, tc)) {
        *out = *ta;
        return true;
    }
    if (c->literal == 2 && tc->t.id == TACO_TEXT) {
        *out = *ta;
        return taco__cast_is_possible(tc, ta);
    }
    if (a && a->literal == 2 && ta->t.id == TACO_TEXT) {
        *out = *tc;
        return taco__cast_is_possible(ta, tc);
    }
    if (taco__bind_type_fits_literal(c, ta)) {
        *out = *ta;
        return true;
    }
    if (a && taco__bind_type_fits_literal(a, tc)) {
        *out = *tc;
        return true;
    }
    if (ta->geo || tc->geo || ta->count || tc->count) {
        return false;
    }
    memset(out, 0, sizeof *out);
    if ((ta->t.id == TACO_TEXT) != (tc->t.id == TACO_TEXT)) {
        const taco__sql_type *other = ta->t.id == TACO_TEXT ? tc : ta;
        bool                  number = taco__sql_type_is_number(other) || other->t.id == TACO_BOOL;
        *out = compare ? *other : ta->t.id == TACO_TEXT ? *ta : *tc;
        return compare ? number : taco__cast_is_possible(other, out);
    }
    if (!taco__scalar_common_type(&ta->t, &tc->t, true, &out->t)) {
        return false;
    }
    if (out->t.id == TACO_HALF) {
        out->t.id = TACO_FLOAT;
    }
    if (!compare && out->t.id == TACO_DECIMAL && out->t.precision > 38 &&
        !(out->t.precision == 39 && out->t.scale == 0 &&
          (taco__sql_type_is_hugeint(ta) || taco__sql_type_is_hugeint(tc) ||
           ta->t.id == TACO_UINT64 ||
           tc->t.id == TACO_UINT64))) { /* digits in front of the point come first */
        int32_t whole = TACO__MIN(out->t.precision - out->t.scale, 38);
        out->t.precision = 38;
        if (!taco__sql_type_is_hugeint(ta) && !taco__sql_type_is_hugeint(tc)) {
            out->t.scale = TACO__MIN(out->t.scale, 38 - whole);
        }
    }
    return true;
}
TACO__COLD bool taco__bind_type_fail_mismatch(taco__bind *b, const taco__sql_expr *e,
                                              const taco__sql_type *x, const taco__sql_type *y,
                                              const char *what)
{
    char from[96], to[96];
    taco__sql_type_text(x, from, sizeof from);
    taco__sql_type_text(y, to, sizeof to);
    TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at, "%s %s and %s", what, from, to);
    return false;
}
/* Gives kids first, first + step, ... one type. */
TACO__FN bool taco__bind_type_unify(taco__bind *b, taco__sql_expr *e, uint32_t first, uint32_t step,
                                    bool odd_last, bool compare, taco__sql_type *out)
{
    uint32_t i;
    bool     literal = true;
    *out = taco__sql_type_simple(TACO_NULL);
    for (i = first; i < e->n; i += (odd_last && i + step >= e->n && i + 1 < e->n) ? 1 : step) {
        taco__sql_type before = *out;
        taco__sql_expr held;
        memset(&held, 0, sizeof held);
        held.literal = literal ? e->kid[first]->literal : 0;
        held.value = e->kid[first]->value;
        if (!taco__bind_type_common(i > first ? &held : NULL, &before, e->kid[i], compare, out)) {
            return taco__bind_type_fail_mismatch(b, e->kid[i], &before, &e->kid[i]->type,
                                                 "no type for both");
        }
        literal = literal && e->kid[i]->literal == e->kid[first]->literal;
    }
    if (out->t.id == TACO_NULL) {
        *out = taco__sql_type_simple(TACO_INT32);
    }
    for (i = first; i < e->n; i += (odd_last && i + step >= e->n && i + 1 < e->n) ? 1 : step) {
        if (!taco__bind_type_add_cast(b, &e->kid[i], out)) {
            return false;
        }
    }
    return true;
}

/* ---- operators ------------------------------------------------------------------------------------- */

/* The integer type of an operation, by DuckDB's costs: the wider one, or BIGINT where neither holds the other. */
TACO__FN taco__sql_type taco__sql_type_common_int(const taco__sql_type *a, const taco__sql_type *c)
{
    bool      ua = a->t.id >= TACO_UINT8, uc = c->t.id >= TACO_UINT8;
    taco_type u = ua ? a->t.id : c->t.id, s = ua ? c->t.id : a->t.id;
    if (ua == uc) {
        return a->t.id > c->t.id ? *a : *c;
    }
    if (u == TACO_UINT64) {
        return taco__sql_type_hugeint();
    }
    return taco__sql_type_simple(s - TACO_INT8 > u - TACO_UINT8 ? s : TACO_INT64);
}
/* DECIMAL of a sum or product, as DuckDB sizes it. */
TACO__FN bool taco__bind_type_decimal_result(taco__bind *b, taco__sql_expr *e, uint32_t id)
{
    taco__sql_type t[2], r = taco__sql_type_simple(TACO_DECIMAL);
    int32_t        i, whole = 0, scale = 0, width = 0;
    for (i = 0; i < 2; i++) {
        t[i] = e->kid[i]->type;
        if (t[i].t.id != TACO_DECIMAL || t[i].t.precision == 39) {
            int32_t digits = taco__scalar_decimal_digits(&t[i].t);
            t[i] = taco__sql_type_simple(TACO_DECIMAL);
            t[i].t.precision = TACO__MIN(digits, 38);
        }
        whole = TACO__MAX(whole, t[i].t.precision - t[i].t.scale);
        scale = TACO__MAX(scale, t[i].t.scale);
        width = TACO__MAX(width, t[i].t.precision);
    }
    if (id == TACO__FUNC_MOD && TACO__MAX(scale + whole, width) > 38) {
        e->type = t[0] = t[1] = taco__sql_type_simple(TACO_DOUBLE);
        e->func = TACO__FUNC_MOD_NULL;
        return taco__bind_type_add_cast(b, &e->kid[0], &t[0]) &&
               taco__bind_type_add_cast(b, &e->kid[1], &t[1]);
    }
    if (id == TACO__FUNC_MUL) {
        r.t.precision = t[0].t.precision + t[1].t.precision;
        r.t.scale = t[0].t.scale + t[1].t.scale;
        if (r.t.scale > 38) {
            return taco__bind_fail(b, e, "the product has more than 38 digits behind the point");
        }
        if (r.t.precision > 18 && width <= 18 && r.t.scale < 18) {
            r.t.precision = 18;
        }
    } else {
        r.t.scale = scale;
        r.t.precision = TACO__MAX(scale + whole, width) + (id != TACO__FUNC_MOD);
        if (r.t.precision > 18 && width <= 18 && id != TACO__FUNC_MOD) {
            r.t.precision = 18;
        }
        t[0].t.scale = t[1].t.scale = scale; /* both get the scale of the result */
        t[0].t.precision = t[1].t.precision = r.t.precision = TACO__MIN(r.t.precision, 38);
    }
    r.t.precision = TACO__MIN(r.t.precision, 38);
    e->type = r;
    return taco__bind_type_add_cast(b, &e->kid[0], &t[0]) &&
           taco__bind_type_add_cast(b, &e->kid[1], &t[1]);
}
/* DATE and TIMESTAMP with days and intervals. False without an error: not one of these. */
TACO__FN bool taco__bind_type_datetime_result(taco__bind *b, taco__sql_expr *e, bool *done)
{
    taco__sql_expr *x = e->kid[0], *y = e->kid[1];
    taco__sql_type  day = taco__sql_type_simple(TACO_INT32);
    *done = true;
    if (e->func == TACO__FUNC_ADD && taco__sql_type_is_datetime(&y->type) &&
        !taco__sql_type_is_datetime(&x->type)) {
        e->kid[0] = y;
        e->kid[1] = x;
        x = e->kid[0];
        y = e->kid[1];
    }
    if (taco__sql_type_is_datetime(&x->type) && y->type.t.id == TACO_INTERVAL) {
        e->type = taco__sql_type_simple(TACO_TIMESTAMP);
        e->type.t.utc = x->type.t.utc;
        return true;
    }
    if (x->type.t.id == TACO_DATE &&
        (taco__scalar_is_int(y->type.t.id) && y->type.t.id != TACO_UINT64 &&
         y->type.t.id != TACO_INT64 && y->type.t.id != TACO_UINT32)) {
        e->type = x->type;
        return taco__bind_type_add_cast(b, &e->kid[1], &day);
    }
    if (e->func == TACO__FUNC_SUB && x->type.t.id == TACO_DATE && y->type.t.id == TACO_DATE) {
        e->type = taco__sql_type_simple(TACO_INT64);
        return true;
    }
    if (e->func == TACO__FUNC_SUB && taco__sql_type_is_datetime(&x->type) &&
        taco__sql_type_is_datetime(&y->type)) {
        return taco__bind_fail(
            b, e, "the difference is an INTERVAL, which is not supported: use date_diff or epoch");
    }
    *done = false;
    return true;
}
TACO__FN bool taco__bind_type_arithmetic(taco__bind *b, taco__sql_expr *e)
{
    taco__sql_expr *x, *y;
    taco__sql_type  t, null = taco__sql_type_simple(TACO_INT32);
    uint32_t        id = e->func;
    bool            done = false;
    if (id == TACO__FUNC_ADD || id == TACO__FUNC_SUB) {
        if (!taco__bind_type_datetime_result(b, e, &done) || done) {
            return done && b->err->code == TACO_OK;
        }
    }
    if (e->kid[0]->type.t.id == TACO_NULL &&
        !taco__bind_type_add_cast(b, &e->kid[0],
                                  e->kid[1]->type.t.id == TACO_NULL ? &null : &e->kid[1]->type)) {
        return false;
    }
    if (e->kid[1]->type.t.id == TACO_NULL &&
        !taco__bind_type_add_cast(b, &e->kid[1], &e->kid[0]->type)) {
        return false;
    }
    x = e->kid[0];
    y = e->kid[1];
    if (!taco__sql_type_is_number(&x->type) || !taco__sql_type_is_number(&y->type)) {
        return taco__bind_type_fail_mismatch(b, e, &x->type, &y->type, "no arithmetic with");
    }
    if (taco__bind_type_fits_literal(y, &x->type)) {
        t = x->type;
    } else if (taco__bind_type_fits_literal(x, &y->type)) {
        t = y->type;
    } else if (taco__scalar_is_int(x->type.t.id) && taco__scalar_is_int(y->type.t.id)) {
        t = taco__sql_type_common_int(&x->type, &y->type);
    } else if (taco__scalar_is_float(x->type.t.id) || taco__scalar_is_float(y->type.t.id)) {
        t = taco__sql_type_simple(
            x->type.t.id == TACO_DOUBLE || y->type.t.id == TACO_DOUBLE ? TACO_DOUBLE : TACO_FLOAT);
    } else if ((taco__sql_type_is_hugeint(&x->type) || taco__scalar_is_int(x->type.t.id)) &&
               (taco__sql_type_is_hugeint(&y->type) || taco__scalar_is_int(y->type.t.id))) {
        t = taco__sql_type_hugeint();
    } else if (id == TACO__FUNC_DIV || id == TACO__FUNC_IDIV) {
        t = taco__sql_type_simple(TACO_DOUBLE);
    } else {
        return taco__bind_type_decimal_result(b, e, id);
    }
    if (id == TACO__FUNC_DIV && t.t.id != TACO_FLOAT) {
        t = taco__sql_type_simple(TACO_DOUBLE);
    }
    e->type = t;
    return taco__bind_type_add_cast(b, &e->kid[0], &t) &&
           taco__bind_type_add_cast(b, &e->kid[1], &t);
}
TACO__FN bool taco__bind_type_round(taco__bind *b, taco__sql_expr *e)
{
    taco__sql_type *t = &e->kid[0]->type;
    int64_t         digits = 0;
    bool            up = e->func == TACO__FUNC_FLOOR || e->func == TACO__FUNC_CEIL;
    e->type = *t;
    if (taco__scalar_is_int(t->t.id) || taco__sql_type_is_hugeint(t)) {
        if (up) {
            e->type = taco__sql_type_simple(TACO_DOUBLE);
        } else if (e->func == TACO__FUNC_ROUND && t->t.id >= TACO_UINT8 && t->t.id <= TACO_UINT64) {
            e->type = t->t.id == TACO_UINT64 ? taco__sql_type_hugeint()
                                             : taco__sql_type_simple(TACO_INT64);
        }
        return taco__bind_type_add_cast(b, &e->kid[0], &e->type);
    }
    if (t->t.id != TACO_DECIMAL || t->t.precision == 39) {
        return true;
    }
    if (e->n > 1) {
        taco__sql_expr *d = e->kid[1]->kind == TACO__SQL_EXPR_CAST ? e->kid[1]->kid[0] : e->kid[1];
        if (d->kind != TACO__SQL_EXPR_CONST) {
            return taco__bind_fail(b, e, "ROUND of a DECIMAL takes a constant number of digits");
        }
        digits = (int64_t)d->value.d.w[0];
    }
    if (digits < 0) {
        return taco__bind_fail(b, e, "ROUND of a DECIMAL takes no negative number of digits");
    }
    if (digits < t->t.scale) {
        e->type.t.scale = (int32_t)digits;
    }
    return true;
}

/* ---- calls ----------------------------------------------------------------------------------------- */

TACO__FN bool taco__bind_call_argument(taco__bind *b, taco__sql_expr *e, uint32_t i, char code)
{
    taco__sql_type want, *have = &e->kid[i]->type;
    bool           null = have->t.id == TACO_NULL, ok;
    switch (code) {
    case 't':
        want = taco__sql_type_simple(TACO_TEXT);
        ok = have->t.id == TACO_TEXT;
        break;
    case 'i':
        want = taco__sql_type_simple(TACO_INT64);
        ok = taco__scalar_is_int(have->t.id) && have->t.id != TACO_UINT64;
        break;
    case 'd':
        want = taco__sql_type_simple(TACO_DOUBLE);
        ok = taco__sql_type_is_number(have);
        break;
    case 'w':
        want = null ? taco__sql_type_simple(TACO_TIMESTAMP) : *have;
        ok = taco__sql_type_is_datetime(have);
        break;
    case 'n':
        want = null ? taco__sql_type_simple(TACO_INT64) : *have;
        ok = taco__sql_type_is_number(have);
        break;
    case 'l':
        want = *have;
        ok = have->t.id == TACO_LIST;
        break;
    case 'B':
        want = taco__sql_type_simple(TACO_BINARY);
        ok = (have->t.id == TACO_BINARY && !have->geo) || e->kid[i]->literal == 2;
        break;
    case 'g':
        want = taco__sql_type_simple(TACO_BINARY);
        want.geo = true;
        ok = have->geo;
        break;
    default: return true;
    }
    if (!ok && !null) {
        char name[96];
        taco__sql_type_text(have, name, sizeof name);
        TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->kid[i]->at, "%q does not take a %s here", &e->name,
                   name);
        return false;
    }
    return taco__bind_type_add_cast(b, &e->kid[i], &want);
}
TACO__FN bool taco__bind_call_date(taco__bind *b, taco__sql_expr *e, const taco__func *f)
{
    int       *part = (int *)taco__arena_alloc(b->arena, sizeof *part, b->err);
    taco_bytes name;
    if (!part) {
        return false;
    }
    if (f->part) {
        name = taco__bytes_text(f->part);
    } else if (e->kid[0]->kind == TACO__SQL_EXPR_CONST && e->kid[0]->value.type.id == TACO_TEXT) {
        name = e->kid[0]->value.b;
    } else {
        return taco__bind_fail(b, e, "the part of a date must be a text constant");
    }
    *part = taco__func_date_find_part(name);
    if (*part < 0 || (f->id != TACO__FUNC_PART && *part >= TACO__DATE_PART_ISOYEAR) ||
        (f->id == TACO__FUNC_DATE_DIFF &&
         (*part == TACO__DATE_PART_CENTURY || *part == TACO__DATE_PART_ISODOW))) {
        TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at, "no such part of a date here: %q", &name);
        return false;
    }
    e->plan = part;
    if (f->id == TACO__FUNC_PART) {
        e->type = taco__sql_type_simple(*part == TACO__DATE_PART_EPOCH ? TACO_DOUBLE : TACO_INT64);
    } else if (f->id == TACO__FUNC_TRUNC_DATE) {
        e->type = taco__sql_type_simple(TACO_TIMESTAMP);
        e->type.t.utc = e->kid[1]->type.t.utc;
    }
    return true;
}
/* A LIKE with a constant pattern is prepared once. */
TACO__FN bool taco__bind_call_like(taco__bind *b, taco__sql_expr *e)
{
    taco__like_pattern *k;
    if (e->kid[1]->kind != TACO__SQL_EXPR_CONST || e->n > 2 ||
        e->kid[1]->value.type.id != TACO_TEXT) {
        return true;
    }
    k = (taco__like_pattern *)taco__arena_alloc(b->arena, sizeof *k, b->err);
    if (!k) {
        return false;
    }
    k->icase = e->name.data[e->name.len - 1] == '*';
    e->plan = k;
    return taco__like_compile(k, b->arena, e->kid[1]->value.b, b->err);
}
TACO__FN bool taco__bind_call_special(taco__bind *b, taco__sql_expr *e, const taco__func *f)
{
    taco__sql_type text = taco__sql_type_simple(TACO_TEXT);
    uint32_t       i;
    switch (f->id) {
    case TACO__FUNC_COALESCE:
    case TACO__FUNC_GREATEST:
    case TACO__FUNC_LEAST: return taco__bind_type_unify(b, e, 0, 1, false, false, &e->type);
    case TACO__FUNC_CONCAT_OP:
    case TACO__FUNC_CONCAT:
    case TACO__FUNC_CONCAT_WS:
        for (i = 0; i < e->n; i++) {
            if (taco__scalar_is_nested(e->kid[i]->type.t.id)) {
                return taco__bind_fail(b, e->kid[i], "lists are not put together here");
            }
            if (f->id == TACO__FUNC_CONCAT_OP && e->kid[i]->type.t.id == TACO_BINARY) {
                return taco__bind_fail(b, e->kid[i], "blobs are not put together here");
            }
            if (!taco__bind_type_add_cast(b, &e->kid[i], &text)) {
                return false;
            }
        }
        e->type = text;
        return true;
    case TACO__FUNC_ROUND:
    case TACO__FUNC_FLOOR:
    case TACO__FUNC_CEIL:
    case TACO__FUNC_TRUNC: return taco__bind_type_round(b, e);
    case TACO__FUNC_LENGTH:
        if (e->kid[0]->type.t.id != TACO_LIST && e->kid[0]->type.t.id != TACO_TEXT &&
            e->kid[0]->type.t.id != TACO_NULL) {
            return taco__bind_type_fail_mismatch(b, e, &e->kid[0]->type, &text,
                                                 "LENGTH takes lists and texts, not");
        }
        return e->kid[0]->type.t.id != TACO_NULL || taco__bind_type_add_cast(b, &e->kid[0], &text);
    case TACO__FUNC_ELEMENT:
        if (e->kid[0]->type.t.id == TACO_LIST) {
            e->type = e->kid[0]->type.kids[0];
            return true;
        }
        e->type = text;
        return e->kid[0]->type.t.id == TACO_TEXT ||
               taco__bind_type_fail_mismatch(b, e, &e->kid[0]->type, &text,
                                             "only lists and texts have elements, not");
    case TACO__FUNC_HAS:
        return e->kid[0]->type.t.id == TACO_LIST
                   ? taco__bind_type_add_cast(b, &e->kid[1], &e->kid[0]->type.kids[0])
                   : taco__bind_type_add_cast(b, &e->kid[0], &text);
    case TACO__FUNC_LIKE: return taco__bind_call_like(b, e);
    case TACO__FUNC_PART:
    case TACO__FUNC_TRUNC_DATE:
    case TACO__FUNC_DATE_DIFF: return taco__bind_call_date(b, e, f);
    default: return f->id > TACO__FUNC_MOD || taco__bind_type_arithmetic(b, e);
    }
}
TACO__FN bool taco__bind_call_scalar(taco__bind *b, taco__sql_expr *e)
{
    bool              known;
    const taco__func *f = taco__func_find(e->name, e->n, &known);
    uint32_t          i;
    size_t            codes;
    if (!f) {
        if (known) {
            TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at, "%q does not take %u arguments", &e->name,
                       TACO__U(e->n));
        } else {
            TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at, "the function %q is not supported",
                       &e->name);
        }
        return false;
    }
    if (e->distinct || e->filter) {
        return taco__bind_fail(b, e, "DISTINCT and FILTER belong to aggregates");
    }
    e->func = f->id;
    codes = strlen(f->args);
    if (f->id == TACO__FUNC_NEG && e->kid[0]->type.t.id == TACO_NULL) {
        e->kid[0]->type = taco__sql_type_simple(TACO_NULL);
    }
    for (i = 0; i < e->n; i++) {
        if (!taco__bind_call_argument(b, e, i, f->args[TACO__MIN((size_t)i, codes - 1)])) {
            return false;
        }
    }
    switch (f->result) {
    case 't': e->type = taco__sql_type_simple(TACO_TEXT); break;
    case 'i': e->type = taco__sql_type_simple(TACO_INT64); break;
    case 'I': e->type = taco__sql_type_simple(TACO_INT32); break;
    case '1': e->type = taco__sql_type_simple(TACO_INT8); break;
    case 'd': e->type = taco__sql_type_simple(TACO_DOUBLE); break;
    case 'b': e->type = taco__sql_type_simple(TACO_BOOL); break;
    case 'D': e->type = taco__sql_type_simple(TACO_DATE); break;
    case 'g':
        e->type = taco__sql_type_simple(TACO_BINARY);
        e->type.geo = true;
        break;
    default: e->type = e->kid[0]->type; break;
    }
    return taco__bind_call_special(b, e, f);
}
/* An aggregate becomes a column behind the groups. */
TACO__FN bool taco__bind_call_aggregate(taco__bind *b, taco__sql_expr *e, uint8_t id)
{
    taco__bind_aggregation *g;
    taco_bytes              text;
    size_t                  i;
    bool                    two = id == TACO__AGGREGATE_CONT || id == TACO__AGGREGATE_DISC;
    taco__sql_type          dbl = taco__sql_type_simple(TACO_DOUBLE), *kid;
    if (b->inside) {
        return taco__bind_fail(b, e, "an aggregate inside an aggregate");
    }
    if (b->no_aggr) {
        return taco__bind_fail(b, e, "an aggregate has no place in WHERE, ON or GROUP BY");
    }
    if (e->n != (two ? 2U : 1U) && !(id == TACO__AGGREGATE_COUNT && e->n == 0)) {
        TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at, "%q does not take %u arguments", &e->name,
                   TACO__U(e->n));
        return false;
    }
    if (!taco__sql_expr_text_copy(b, e, &text)) {
        return false;
    }
    for (i = 0; i < b->aggr_count && !taco__bytes_equal(b->aggrs[i].text, text); i++) {
    }
    if (i == TACO__BIND_MAX_AGGREGATES) {
        return taco__bind_fail(b, e, "more than 256 aggregates");
    }
    if (i == b->aggr_count) {
        if (!b->aggrs) {
            b->aggrs = (taco__bind_aggregation *)taco__arena_array(
                b->arena, TACO__BIND_MAX_AGGREGATES, sizeof *b->aggrs, b->err);
        }
        if (!b->aggrs) {
            return false;
        }
        g = &b->aggrs[i];
        g->text = text;
        g->a.id = e->n ? id : (uint8_t)TACO__AGGREGATE_COUNT_STAR;
        g->a.q = 0.5;
        g->a.distinct = e->distinct;
        b->inside = true;
        if ((e->n && !taco__bind_expr(b, &e->kid[0])) ||
            (e->filter && !taco__bind_expr(b, &e->filter))) {
            return false;
        }
        b->inside = false;
        if (two) {
            taco__sql_expr *q = e->kid[1];
            if (q->kind != TACO__SQL_EXPR_CONST || !taco__scalar_is_number(q->value.type.id)) {
                return taco__bind_fail(b, q, "a quantile takes a constant between 0 and 1");
            }
            g->a.q = taco__scalar_to_double(&q->value, false);
            if (!(g->a.q >= 0 && g->a.q <= 1)) {
                return taco__bind_fail(b, q, "a quantile takes a constant between 0 and 1");
            }
        }
        if (e->filter) {
            taco__sql_type bit = taco__sql_type_simple(TACO_BOOL);
            if (!taco__bind_type_add_cast(b, &e->filter, &bit)) {
                return false;
            }
        }
        if (e->n && e->kid[0]->type.t.id == TACO_NULL) {
            taco__sql_type null = taco__sql_type_simple(TACO_INT32);
            if (!taco__bind_type_add_cast(b, &e->kid[0], &null)) {
                return false;
            }
        }
        if (two && id == TACO__AGGREGATE_CONT && e->kid[0]->type.t.id == TACO_TIMESTAMP &&
            e->kid[0]->type.t.unit != TACO_MICRO) { /* DuckDB has it of microseconds only */
            taco__sql_type when = taco__sql_type_simple(TACO_TIMESTAMP);
            when.t.unit = TACO_MICRO;
            if (!taco__bind_type_add_cast(b, &e->kid[0], &when)) {
                return false;
            }
        }
        g->arg = e->n ? e->kid[0] : NULL;
        g->filter = e->filter;
        g->a.arg = e->n ? e->kid[0]->type : dbl;
        if (id == TACO__AGGREGATE_LIST) {
            kid = (taco__sql_type *)taco__arena_alloc(b->arena, sizeof *kid, b->err);
            if (!kid) {
                return false;
            }
            *kid = g->a.arg;
            g->a.result = taco__sql_type_simple(TACO_LIST);
            g->a.result.count = 1;
            g->a.result.kids = kid;
        } else if (!taco__aggregate_set_result_type(&g->a)) {
            char name[96];
            taco__sql_type_text(&g->a.arg, name, sizeof name);
            TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at, "%q does not take a %s", &e->name, name);
            return false;
        }
        if (g->arg && !taco__bind_type_add_cast(b, &g->arg, &g->a.arg)) {
            return false;
        }
        b->aggr_count++;
    }
    e->kind = TACO__SQL_EXPR_REF;
    e->index = b->group_count + i;
    e->type = b->aggrs[i].a.result;
    e->n = 0;
    e->filter = NULL;
    return true;
}

/* ---- trees ----------------------------------------------------------------------------------------- */

TACO__FN bool taco__bind_count_nodes(taco__bind *b, const taco__sql_expr *e)
{
    uint32_t i;
    if (++b->nodes > TACO__BIND_MAX_NODES) {
        TACO__FAIL(b->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "aliases that name each other make more than %u terms",
                   TACO__U(TACO__BIND_MAX_NODES));
        return false;
    }
    for (i = 0; i < e->n; i++) {
        if (!taco__bind_count_nodes(b, e->kid[i])) {
            return false;
        }
    }
    return true;
}
/* A select item that has the alias; replaces *at by a copy of it. */
TACO__FN bool taco__bind_replace_alias(taco__bind *b, taco__sql_expr **at, bool *found)
{
    taco__sql_expr *e = *at;
    size_t          i;
    *found = false;
    for (i = 0; !e->table.len && i < b->aliases; i++) {
        taco__sql_expr *item = b->sources[i];
        if (item->alias.len && taco__bind_names_equal(item->alias, e->name)) {
            taco__sql_expr *copy = taco__bind_count_nodes(b, item)
                                       ? taco__sql_expr_copy(b->arena, item, b->err)
                                       : NULL;
            size_t          before = b->aliases;
            bool            ok;
            if (!copy) {
                return false;
            }
            if (++b->alias_depth > 16) {
                TACO__FAIL(b->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                           "aliases name each other more than 16 deep");
                return false;
            }
            copy->alias.len = 0;
            *found = true;
            *at = copy;
            b->aliases = i; /* it sees only those before it */
            ok = taco__bind_expr(b, at);
            b->aliases = before;
            b->alias_depth--;
            return ok;
        }
    }
    return true;
}
TACO__FN bool taco__bind_column_ref(taco__bind *b, taco__sql_expr **at)
{
    taco__sql_expr *e = *at;
    size_t          table = 0, column = 0;
    bool            found;
    if (!taco__bind_find_column(b, e, &table, &column)) {
        if (b->err->code != TACO_OK || !taco__bind_replace_alias(b, at, &found)) {
            return false;
        }
        if (found) {
            return true;
        }
        if (b->table_count == 1 && !e->table.len) {
            taco__field_names_not_found(b->tables[0].fields, b->tables[0].count, e->name,
                                        TACO__FIELD_NAMES_QUOTES, b->err);
        } else {
            TACO__FAIL(b->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "there is no column %q",
                       &e->name);
        }
        return false;
    }
    if (b->grouped && !b->inside) {
        TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at,
                   "column %q must be in GROUP BY or in an aggregate", &e->name);
        return false;
    }
    e->kind = TACO__SQL_EXPR_REF;
    e->type = b->tables[table].types[column];
    if (e->type.t.id == TACO_INTERVAL) {
        return taco__bind_fail(b, e, "INTERVAL columns are not supported");
    }
    e->index = taco__bind_column_index(b, table, column);
    e->n = 0;
    return e->index != TACO__NONE;
}
TACO__FN bool taco__bind_require_bool(taco__bind *b, taco__sql_expr **at)
{
    taco__sql_type  t = taco__sql_type_simple(TACO_BOOL);
    taco__sql_type *have = &(*at)->type;
    if (have->t.id != TACO_BOOL && have->t.id != TACO_NULL && !taco__sql_type_is_number(have) &&
        (*at)->literal != 2 && have->t.id != TACO_TEXT) {
        return taco__bind_type_fail_mismatch(b, *at, have, &t, "a condition is expected, not");
    }
    return taco__bind_type_add_cast(b, at, &t);
}
TACO__FN bool taco__bind_children(taco__bind *b, taco__sql_expr *e)
{
    uint32_t i;
    for (i = 0; i < e->n; i++) {
        if (!taco__bind_expr(b, &e->kid[i])) {
            return false;
        }
    }
    return true;
}
TACO__FN bool taco__bind_struct_field(taco__bind *b, taco__sql_expr *e, taco_bytes name)
{
    const taco__sql_type *t = &e->kid[0]->type;
    uint32_t              i;
    for (i = 0; t->t.id == TACO_STRUCT && i < t->count; i++) {
        if (taco__bind_name_is(name, t->names[i])) {
            e->kind = TACO__SQL_EXPR_FIELD;
            e->index = i;
            e->type = t->kids[i];
            return true;
        }
    }
    TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at,
               t->t.id == TACO_STRUCT ? "the struct has no field %q"
                                      : "%q is asked of what is no struct",
               &name);
    return false;
}
/* nullif(a, c) is CASE WHEN a = c THEN NULL ELSE a END. */
TACO__FN bool taco__bind_call_nullif(taco__bind *b, taco__sql_expr *e)
{
    taco__sql_expr *cmp = (taco__sql_expr *)taco__arena_alloc(b->arena, sizeof *cmp, b->err),
                   *null = (taco__sql_expr *)taco__arena_alloc(b->arena, sizeof *null, b->err),
                   *a = e->kid[0],
                   *again = taco__bind_count_nodes(b, a) ? taco__sql_expr_copy(b->arena, a, b->err)
                                                         : NULL;
    taco__sql_expr **kids = (taco__sql_expr **)taco__arena_array(b->arena, 3, sizeof *kids, b->err);
    if (!cmp || !null || !again || !kids) {
        return false;
    }
    cmp->kind = TACO__SQL_EXPR_CMP;
    cmp->at = e->at;
    cmp->n = 2;
    cmp->kid = e->kid;
    null->at = e->at;
    kids[0] = cmp;
    kids[1] = null;
    kids[2] = again;
    e->kind = TACO__SQL_EXPR_CASE;
    e->kid = kids;
    e->n = 3;
    return true;
}
TACO__FN bool taco__bind_call(taco__bind *b, taco__sql_expr *e)
{
    uint8_t aggr = e->infix ? 0 : taco__aggregate_find(e->name);
    if (aggr) {
        return taco__bind_call_aggregate(b, e, aggr);
    }
    if (taco__ascii_is_word(e->name, "struct_extract") && e->n == 2 && e->kid[1]->literal == 2) {
        return taco__bind_expr(b, &e->kid[0]) && taco__bind_struct_field(b, e, e->kid[1]->value.b);
    }
    if (!e->infix && taco__ascii_is_word(e->name, "if") && e->n == 3) {
        e->kind = TACO__SQL_EXPR_CASE;
        return true;
    }
    if (!e->infix && taco__ascii_is_word(e->name, "nullif") && e->n == 2) {
        return taco__bind_call_nullif(b, e);
    }
    return taco__bind_children(b, e) && taco__bind_call_scalar(b, e);
}
TACO__FN bool taco__bind_compare(taco__bind *b, taco__sql_expr *e)
{
    taco__sql_type  t;
    taco__sql_expr *x = e->kid[0], *y = e->kid[1];
    if (!taco__bind_type_common(x, &x->type, y, true, &t)) {
        return taco__bind_type_fail_mismatch(b, e, &x->type, &y->type, "no comparison of");
    }
    if (t.geo || t.t.id == TACO_INTERVAL || t.t.id == TACO_MAP) {
        return taco__bind_type_fail_mismatch(b, e, &x->type, &y->type, "no comparison of");
    }
    if (t.t.id == TACO_NULL) {
        t = taco__sql_type_simple(TACO_INT32);
    }
    e->type = taco__sql_type_simple(TACO_BOOL);
    return taco__bind_type_add_cast(b, &e->kid[0], &t) &&
           taco__bind_type_add_cast(b, &e->kid[1], &t);
}
TACO__FN bool taco__bind_index(taco__bind *b, taco__sql_expr *e)
{
    taco__sql_type big = taco__sql_type_simple(TACO_INT64);
    uint32_t       i;
    if (e->kid[0]->type.t.id == TACO_STRUCT && e->kind == TACO__SQL_EXPR_INDEX) {
        return e->kid[1]->literal == 2
                   ? taco__bind_struct_field(b, e, e->kid[1]->value.b)
                   : taco__bind_fail(b, e, "a struct is indexed by a name in quotes");
    }
    if (e->kid[0]->type.t.id != TACO_LIST && e->kid[0]->type.t.id != TACO_TEXT) {
        return taco__bind_type_fail_mismatch(b, e, &e->kid[0]->type, &big,
                                             "only lists and texts have elements, not");
    }
    for (i = 1; i < e->n; i++) {
        if (e->kid[i]->type.t.id == TACO_NULL && e->kind == TACO__SQL_EXPR_SLICE) {
            continue;
        }
        if (!taco__scalar_is_int(e->kid[i]->type.t.id) && e->kid[i]->type.t.id != TACO_NULL) {
            return taco__bind_type_fail_mismatch(b, e, &e->kid[i]->type, &big,
                                                 "an index is a whole number, not");
        }
        if (!taco__bind_type_add_cast(b, &e->kid[i], &big)) {
            return false;
        }
    }
    e->type = e->kid[0]->type;
    if (e->kind == TACO__SQL_EXPR_INDEX) {
        e->func = TACO__FUNC_ELEMENT;
        e->type = e->type.t.id == TACO_LIST ? e->type.kids[0] : e->type;
    }
    return true;
}
TACO__FN bool taco__bind_case(taco__bind *b, taco__sql_expr *e)
{
    uint32_t i;
    for (i = 0; i + 1 < e->n; i += 2) {
        if (!taco__bind_require_bool(b, &e->kid[i])) {
            return false;
        }
    }
    return taco__bind_type_unify(b, e, 1, 2, true, false, &e->type);
}
/* Gives a tree types and places, in place. */
TACO__FN bool taco__bind_expr(taco__bind *b, taco__sql_expr **at)
{
    taco__sql_expr *e = *at;
    taco_bytes      text;
    size_t          i;
    uint32_t        k;
    taco__sql_type  t;
    if (b->grouped && !b->inside && b->group_count && e->kind != TACO__SQL_EXPR_CONST) {
        if (!taco__sql_expr_text_copy(b, e, &text)) {
            return false;
        }
        for (i = 0; i < b->group_count; i++) {
            if (taco__bytes_equal(text, b->group_texts[i])) {
                e->kind = TACO__SQL_EXPR_REF;
                e->index = i;
                e->type = b->groups[i]->type;
                e->n = 0;
                return true;
            }
        }
    }
    switch (e->kind) {
    case TACO__SQL_EXPR_CONST: e->type.t = e->value.type; return true;
    case TACO__SQL_EXPR_COLUMN: return taco__bind_column_ref(b, at);
    case TACO__SQL_EXPR_STAR: return taco__bind_fail(b, e, "* has no place here");
    case TACO__SQL_EXPR_CALL:
        if (!taco__bind_call(b, e)) {
            return false;
        }
        return e->kind == TACO__SQL_EXPR_CASE ? taco__bind_expr(b, at) : true;
    case TACO__SQL_EXPR_REF: return true;
    case TACO__SQL_EXPR_FIELD:
        return taco__bind_expr(b, &e->kid[0]) && taco__bind_struct_field(b, e, e->name);
    default: break;
    }
    if (!taco__bind_children(b, e)) {
        return false;
    }
    e->type = taco__sql_type_simple(TACO_BOOL);
    switch (e->kind) {
    case TACO__SQL_EXPR_CASE: return taco__bind_case(b, e);
    case TACO__SQL_EXPR_CAST:
        e->type = e->to;
        if (!taco__cast_is_possible(&e->kid[0]->type, &e->to)) {
            return taco__bind_type_fail_mismatch(b, e, &e->kid[0]->type, &e->to, "no cast between");
        }
        return true;
    case TACO__SQL_EXPR_AND:
    case TACO__SQL_EXPR_OR:
    case TACO__SQL_EXPR_NOT:
        for (k = 0; k < e->n; k++) {
            if (!taco__bind_require_bool(b, &e->kid[k])) {
                return false;
            }
        }
        return true;
    case TACO__SQL_EXPR_CMP: return taco__bind_compare(b, e);
    case TACO__SQL_EXPR_BETWEEN:
    case TACO__SQL_EXPR_IN:
        if (!taco__bind_type_unify(b, e, 0, 1, false, true, &t)) {
            return false;
        }
        return !t.geo && t.t.id != TACO_MAP ? true
                                            : taco__bind_fail(b, e, "no comparison of that type");
    case TACO__SQL_EXPR_INDEX:
    case TACO__SQL_EXPR_SLICE: return taco__bind_index(b, e);
    default: return true;
    }
}
