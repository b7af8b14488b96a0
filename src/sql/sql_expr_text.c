/* sql_expr_text.c - expressions as text: names of columns, and equal trees

   The text is what DuckDB's printer writes (its ParsedExpression::ToString), as DuckDB names a
   column without an alias by it: sum(v), (a + 1), CAST(x AS "DATE"). Two trees mean the same where
   their texts are equal, which is how GROUP BY, ORDER BY and equal aggregates find each other. */
#include "sql.h"
#include "../base/base.h"
#include "../filter/filter.h"

/* ---- names ---- */

/* Function names that DuckDB's printer puts in quotes, and those it shows with their schema. */
static int taco__sql_expr_text_name_style(taco_bytes n)
{
    static const char *const quoted[] = {
        "left",   "right",  "replace",     "year",        "month",    "day",    "hour",
        "minute", "second", "millisecond", "microsecond", "quarter",  "week",   "first",
        "last",   "mode",   "substring",   "trim",        "position", "nullif", "map",
        "date",   "blob",   "double",      "overlay"};
    size_t i;
    if (taco__ascii_is_word(n, "trim") || taco__ascii_is_word(n, "position")) { return 2; }
    for (i = 0; i < TACO__COUNT(quoted); i++) {
        if (taco__ascii_is_word(n, quoted[i])) { return 1; }
    }
    return 0;
}

/* Appends text. */
static bool taco__sql_expr_text_append(taco__bind *b, taco__buf *out, const char *s)
{
    return taco__buf_append_text(out, s, b->err);
}

/* Appends bytes. */
static bool taco__sql_expr_text_append_bytes(taco__bind *b, taco__buf *out, taco_bytes s)
{
    return taco__buf_append(out, s.data, s.len, b->err);
}

/* A name, in quotes where it needs them. */
static bool taco__sql_expr_text_identifier(taco__bind *b, taco__buf *out, taco_bytes s)
{
    size_t i;
    bool plain = s.len && !taco__lex_is_digit(s.data[0]) && !taco__sql_parse_is_reserved(s);
    for (i = 0; plain && i < s.len; i++) {
        plain =
            (taco__lex_is_letter(s.data[i]) && s.data[i] < 0x80) || taco__lex_is_digit(s.data[i]);
    }
    if (plain) { return taco__sql_expr_text_append_bytes(b, out, s); }
    return taco__lex_append_quoted(out, s, '"', b->err);
}

/* A literal as DuckDB prints it: TRUE is CAST('t' AS BOOLEAN) but for IS TRUE. */
TACO__FN bool taco__sql_expr_text_constant(taco__bind *b, taco__buf *out, const taco__sql_expr *e)
{
    taco__vec v;
    memset(&v, 0, sizeof v);
    switch (e->value.type.id) {
    case TACO_NULL: return taco__sql_expr_text_append(b, out, "NULL");
    case TACO_BOOL:
        if (e->tries) {
            return taco__sql_expr_text_append(b, out, e->value.d.w[0] ? "true" : "false");
        }
        return taco__sql_expr_text_append(
            b, out, e->value.d.w[0] ? "CAST('t' AS BOOLEAN)" : "CAST('f' AS BOOLEAN)");
    case TACO_TEXT: return taco__lex_append_quoted(out, e->value.b, '\'', b->err);
    case TACO_INTERVAL: return taco__sql_expr_text_append_bytes(b, out, e->name);
    default: {
        int64_t small = (int64_t)e->value.d.w[0];
        taco__i256 big = e->value.d;
        double dbl = e->value.f;
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

static bool taco__sql_expr_text(taco__bind *b, taco__buf *out, const taco__sql_expr *e);

/* Operands from `from` on, with `between` between them. */
static bool taco__sql_expr_text_list(taco__bind *b, taco__buf *out, const taco__sql_expr *e,
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

/* A type in a CAST; names that are functions too are in quotes, as DuckDB has them. */
static bool taco__sql_expr_text_type(taco__bind *b, taco__buf *out, const taco__sql_type *t)
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

/* Operators in parentheses, functions in lower case, some of them with their schema:
   main."trim"(x). */
static bool taco__sql_expr_text_call(taco__bind *b, taco__buf *out, const taco__sql_expr *e)
{
    size_t i;
    int style;
    bool count = e->n == 0 && taco__ascii_is_word(e->name, "count"), ok;
    /* a sign: -(a) */
    if (e->infix && e->n == 1) {
        return taco__sql_expr_text_append_bytes(b, out, e->name) &&
               taco__sql_expr_text_append(b, out, "(") && taco__sql_expr_text(b, out, e->kid[0]) &&
               taco__sql_expr_text_append(b, out, ")");
    }
    /* an operator: (a + b); LIKE is one, ~~ */
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
        size_t which =
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
    /* functions: some names in quotes, some with their schema, aggregates as they are */
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

/* CASE WHEN (a) THEN (b) ELSE c END, with DuckDB's two blanks. */
static bool taco__sql_expr_text_case(taco__bind *b, taco__buf *out, const taco__sql_expr *e)
{
    uint32_t i;
    bool ok = taco__sql_expr_text_append(b, out, "CASE ");
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

/* table.column; the column as its table spells it. */
static bool taco__sql_expr_text_column(taco__bind *b, taco__buf *out, const taco__sql_expr *e)
{
    size_t table, column;
    taco_bytes name = e->name;
    if (e->table.len && (!taco__sql_expr_text_identifier(b, out, e->table) ||
                         !taco__sql_expr_text_append(b, out, "."))) {
        return false;
    }
    if (taco__bind_find_column(b, e, &table, &column)) {
        name = taco__bytes_text(b->tables[table].fields[column].name);
    }
    return taco__sql_expr_text_identifier(b, out, name);
}

static bool taco__sql_expr_text_cast(taco__bind *b, taco__buf *out, const taco__sql_expr *e)
{
    return taco__sql_expr_text_append(b, out, e->tries ? "TRY_CAST(" : "CAST(") &&
           taco__sql_expr_text(b, out, e->kid[0]) && taco__sql_expr_text_append(b, out, " AS ") &&
           taco__sql_expr_text_type(b, out, &e->to) && taco__sql_expr_text_append(b, out, ")");
}

/* "(", the first operand, `sign`, the others with `between` between them, `end`. */
static bool taco__sql_expr_text_infix(taco__bind *b, taco__buf *out, const taco__sql_expr *e,
                                      const char *sign, const char *between, const char *end)
{
    return taco__sql_expr_text_append(b, out, "(") && taco__sql_expr_text(b, out, e->kid[0]) &&
           taco__sql_expr_text_append(b, out, sign) &&
           taco__sql_expr_text_list(b, out, e, 1, between) &&
           taco__sql_expr_text_append(b, out, end);
}

static bool taco__sql_expr_text_comparison(taco__bind *b, taco__buf *out, const taco__sql_expr *e)
{
    static const char *const ops[] = {" = ", " != ", " < ", " <= ", " > ", " >= "};
    const char *sign = !e->nullsafe           ? ops[e->op]
                       : e->op == TACO__OP_EQ ? " IS NOT DISTINCT FROM "
                                              : " IS DISTINCT FROM ";
    return taco__sql_expr_text_infix(b, out, e, sign, "", ")");
}

/* value[index] or value[from:to]; an open end is empty. */
static bool taco__sql_expr_text_index(taco__bind *b, taco__buf *out, const taco__sql_expr *e)
{
    uint32_t k;
    bool ok = taco__sql_expr_text(b, out, e->kid[0]) && taco__sql_expr_text_append(b, out, "[");
    for (k = 1; ok && k < e->n; k++) {
        bool open = e->kind == TACO__SQL_EXPR_SLICE && e->kid[k]->value.type.id == TACO_NULL;
        ok = (k == 1 || taco__sql_expr_text_append(b, out, ":")) &&
             (open || taco__sql_expr_text(b, out, e->kid[k]));
    }
    return ok && taco__sql_expr_text_append(b, out, "]");
}

/* What DuckDB calls the expression. Trees are told apart by it too. */
static bool taco__sql_expr_text(taco__bind *b, taco__buf *out, const taco__sql_expr *e)
{
    switch (e->kind) {
    case TACO__SQL_EXPR_CONST: return taco__sql_expr_text_constant(b, out, e);
    case TACO__SQL_EXPR_COLUMN: return taco__sql_expr_text_column(b, out, e);
    case TACO__SQL_EXPR_CALL: return taco__sql_expr_text_call(b, out, e);
    case TACO__SQL_EXPR_CASE: return taco__sql_expr_text_case(b, out, e);
    case TACO__SQL_EXPR_CAST: return taco__sql_expr_text_cast(b, out, e);
    case TACO__SQL_EXPR_AND: return taco__sql_expr_text_infix(b, out, e, " AND ", " AND ", ")");
    case TACO__SQL_EXPR_OR: return taco__sql_expr_text_infix(b, out, e, " OR ", " OR ", ")");
    case TACO__SQL_EXPR_NOT:
        return taco__sql_expr_text_append(b, out, "(NOT ") &&
               taco__sql_expr_text(b, out, e->kid[0]) && taco__sql_expr_text_append(b, out, ")");
    case TACO__SQL_EXPR_CMP: return taco__sql_expr_text_comparison(b, out, e);
    case TACO__SQL_EXPR_BETWEEN:
        return taco__sql_expr_text_infix(b, out, e, " BETWEEN ", " AND ", ")");
    case TACO__SQL_EXPR_IN:
        return taco__sql_expr_text_infix(b, out, e, e->neg ? " NOT IN (" : " IN (", ", ", "))");
    case TACO__SQL_EXPR_ISNULL:
        return taco__sql_expr_text_infix(b, out, e, e->neg ? " IS NOT NULL" : " IS NULL", "", ")");
    case TACO__SQL_EXPR_INDEX:
    case TACO__SQL_EXPR_SLICE: return taco__sql_expr_text_index(b, out, e);
    case TACO__SQL_EXPR_FIELD:
        return taco__sql_expr_text(b, out, e->kid[0]) && taco__sql_expr_text_append(b, out, ".") &&
               taco__sql_expr_text_identifier(b, out, e->name);
    default: return taco__sql_expr_text_append(b, out, "?");
    }
}

/* The text of a tree in the binder's arena. */
TACO__FN bool taco__sql_expr_text_copy(taco__bind *b, const taco__sql_expr *e, taco_bytes *out)
{
    taco__buf buf;
    char *copy;
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
    size_t table, column;
    if (!name.len && e->kind == TACO__SQL_EXPR_COLUMN) {
        name = taco__bind_find_column(b, e, &table, &column)
                   ? taco__bytes_text(b->tables[table].fields[column].name)
                   : e->name;
    } else if (!name.len && e->kind == TACO__SQL_EXPR_FIELD) {
        name = e->name;
    } else if (!name.len && e->kind == TACO__SQL_EXPR_CONST && e->value.type.id == TACO_TEXT) {
        if (!taco__sql_expr_text_copy(b, e, &name)) { return NULL; }
    } else if (!name.len && !taco__sql_expr_text_copy(b, e, &name)) {
        return NULL;
    }
    return taco__arena_text(b->arena, name, b->err);
}
