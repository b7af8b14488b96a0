/* sql_expr_text.c - expressions as text: names of columns, and equal trees

   The text is what DuckDB's printer writes (ParsedExpression::ToString), which DuckDB uses as the
   name of a column without an alias: sum(v), (a + 1), CAST(x AS "DATE"). Two trees mean the same if
   their texts are equal; this is how GROUP BY, ORDER BY and equal aggregates are matched. */
#include "sql.h"
#include "../base/base.h"
#include "../filter/filter.h"

/* ---- names ---- */

/* Whether DuckDB's printer shows a function with its schema: those with special syntax. */
static bool taco__sql_expr_text_has_schema(const taco__sql_expr *e)
{
    static const char *const names[] = {"trim", "position", "substring", "overlay", "row"};
    size_t i;
    for (i = 0; i < TACO__COUNT(names); i++) {
        if (taco__ascii_is_word(e->name, names[i])) { return true; }
    }
    return e->tries;
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

/* A name, quoted if necessary. */
static bool taco__sql_expr_text_identifier(taco__bind *b, taco__buf *out, taco_bytes s)
{
    size_t i;
    bool plain = s.len && !taco__lex_is_digit(s.data[0]) && !taco__sql_keywords_has(s);
    for (i = 0; plain && i < s.len; i++) {
        plain =
            (taco__lex_is_letter(s.data[i]) && s.data[i] < 0x80) || taco__lex_is_digit(s.data[i]);
    }
    if (plain) { return taco__sql_expr_text_append_bytes(b, out, s); }
    return taco__lex_append_quoted(out, s, '"', b->err);
}

/* A literal as DuckDB prints it: TRUE is CAST('t' AS BOOLEAN), except for IS TRUE. */
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
static bool taco__sql_expr_text_case(taco__bind *b, taco__buf *out, const taco__sql_expr *e);
static bool taco__sql_expr_text_call(taco__bind *b, taco__buf *out, const taco__sql_expr *e);

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

/* A type in a CAST: quoted, except for those in DuckDB's grammar. */
static bool taco__sql_expr_text_type(taco__bind *b, taco__buf *out, const taco__sql_type *t)
{
    char name[96], *p;
    taco_type id = t->t.id;
    bool bare = id == TACO_BOOL || (id >= TACO_INT16 && id <= TACO_INT64) || id == TACO_FLOAT ||
                (id == TACO_DECIMAL && t->t.precision != 39) || id == TACO_TIME ||
                id == TACO_TEXT || id == TACO_INTERVAL || id == TACO_NULL || t->count ||
                (id == TACO_TIMESTAMP && t->t.unit == TACO_MICRO && !t->t.utc);
    if (id == TACO_LIST) {
        return taco__sql_expr_text_type(b, out, &t->kids[0]) &&
               taco__sql_expr_text_append(b, out, "[]");
    }
    if (id == TACO_MAP && t->kids[0].count == 2) {
        return taco__sql_expr_text_append(b, out, "MAP(") &&
               taco__sql_expr_text_type(b, out, &t->kids[0].kids[0]) &&
               taco__sql_expr_text_append(b, out, ", ") &&
               taco__sql_expr_text_type(b, out, &t->kids[0].kids[1]) &&
               taco__sql_expr_text_append(b, out, ")");
    }
    if (id == TACO_STRUCT) {
        bool ok = taco__sql_expr_text_append(b, out, "STRUCT(");
        uint32_t i;
        for (i = 0; ok && i < t->count; i++) {
            ok = (!i || taco__sql_expr_text_append(b, out, ", ")) &&
                 taco__sql_expr_text_identifier(b, out, taco__bytes_text(t->names[i])) &&
                 taco__sql_expr_text_append(b, out, " ") &&
                 taco__sql_expr_text_type(b, out, &t->kids[i]);
        }
        return ok && taco__sql_expr_text_append(b, out, ")");
    }
    taco__sql_type_text(t, name, sizeof name);
    if (!bare) { return taco__lex_append_quoted(out, taco__bytes_text(name), '"', b->err); }
    p = id == TACO_DECIMAL ? strchr(name, ',') : NULL;
    if (p) {
        *p = 0;
        return taco__sql_expr_text_append(b, out, name) &&
               taco__sql_expr_text_append(b, out, ", ") &&
               taco__sql_expr_text_append(b, out, p + 1);
    }
    return taco__sql_expr_text_append(b, out, name);
}

/* Arguments of a call: named ones as name := value, keys of ORDER BY with their directions. */
static bool taco__sql_expr_text_args(taco__bind *b, taco__buf *out, const taco__sql_expr *e)
{
    uint32_t i, args = e->n - e->sorts;
    bool ok = true;
    for (i = 0; ok && i < e->n; i++) {
        uint8_t flags = i < args ? 0 : e->sort_flags[i - args];
        ok = (!i && args) || taco__sql_expr_text_append(
                                 b, out, i == args ? (i ? " ORDER BY " : "ORDER BY ") : ", ");
        if (ok && e->kid[i]->alias.len) {
            ok = taco__sql_expr_text_identifier(b, out, e->kid[i]->alias) &&
                 taco__sql_expr_text_append(b, out, " := ");
        }
        ok = ok && taco__sql_expr_text(b, out, e->kid[i]) &&
             taco__sql_expr_text_append(b, out,
                                        flags & 1   ? " DESC"
                                        : flags & 8 ? " ASC"
                                                    : "") &&
             taco__sql_expr_text_append(b, out,
                                        flags & 2   ? " NULLS FIRST"
                                        : flags & 4 ? " NULLS LAST"
                                                    : "");
    }
    return ok;
}

/* list(x ORDER BY x), which DuckDB calls list_sort(list(x), 'ORDER_DEFAULT', 'ORDER_DEFAULT');
   *done false where e is another call. */
static bool taco__sql_expr_text_sorted_list(taco__bind *b, taco__buf *out, const taco__sql_expr *e,
                                            bool *done)
{
    taco__sql_expr plain = *e;
    taco_bytes value, key;
    uint8_t flags;
    *done = false;
    if (e->n != 2 || e->sorts != 1 || !taco__ascii_is_word(e->name, "list")) { return true; }
    if (!taco__sql_expr_text_copy(b, e->kid[0], &value) ||
        !taco__sql_expr_text_copy(b, e->kid[1], &key)) {
        return false;
    }
    if (!taco__bind_names_equal(value, key)) { return true; }
    *done = true;
    plain.n = 1;
    plain.sorts = 0;
    flags = e->sort_flags[0];
    return taco__sql_expr_text_append(b, out, "list_sort(") &&
           taco__sql_expr_text_call(b, out, &plain) &&
           taco__sql_expr_text_append(b, out,
                                      flags & 1   ? ", 'DESCENDING', "
                                      : flags & 8 ? ", 'ASCENDING', "
                                                  : ", 'ORDER_DEFAULT', ") &&
           taco__sql_expr_text_append(b, out,
                                      flags & 2   ? "'NULLS FIRST')"
                                      : flags & 4 ? "'NULLS LAST')"
                                                  : "'ORDER_DEFAULT')");
}

/* Operators in parentheses, functions in lower case, some of them with their schema:
   main."trim"(x). */
static bool taco__sql_expr_text_call(taco__bind *b, taco__buf *out, const taco__sql_expr *e)
{
    size_t i;
    const char *quote;
    bool count = e->n == 0 && taco__ascii_is_word(e->name, "count"), ok, done;
    if (e->neg) { return taco__sql_expr_text_append_bytes(b, out, e->name); } /* current_date */
    if (!taco__sql_expr_text_sorted_list(b, out, e, &done) || done) { return done; }
    /* a sign: -(a) */
    if (e->infix && e->n == 1 && e->name.data[0] == '!') { /* a factorial */
        return taco__sql_expr_text_append(b, out, "((") && taco__sql_expr_text(b, out, e->kid[0]) &&
               taco__sql_expr_text_append(b, out, ")!)");
    }
    if (e->infix && e->n == 1) {
        return taco__sql_expr_text_append_bytes(b, out, e->name) &&
               taco__sql_expr_text_append(b, out, "(") && taco__sql_expr_text(b, out, e->kid[0]) &&
               taco__sql_expr_text_append(b, out, ")");
    }
    /* ~ and !~ are printed as the function they abbreviate */
    if (e->infix && e->n == 2 && e->name.data[e->name.len - 1] == '~' &&
        (e->name.len == 1 || taco__bytes_equal(e->name, taco__bytes_text("!~")))) {
        bool negated = e->name.len == 2;
        return taco__sql_expr_text_append(b, out, negated ? "(NOT " : "") &&
               taco__sql_expr_text_append(b, out, "regexp_full_match(") &&
               taco__sql_expr_text_list(b, out, e, 0, ", ") &&
               taco__sql_expr_text_append(b, out, negated ? "))" : ")");
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
    if (e->n == 3 && taco__ascii_is_word(e->name, "if")) {
        return taco__sql_expr_text_case(b, out, e);
    }
    if (taco__ascii_is_word(e->name, "coalesce") || taco__ascii_is_word(e->name, "ifnull")) {
        return taco__sql_expr_text_append(b, out, "COALESCE(") &&
               taco__sql_expr_text_list(b, out, e, 0, ", ") &&
               taco__sql_expr_text_append(b, out, ")");
    }
    /* functions: keywords in quotes, some with their schema, aggregates as they are */
    quote = taco__sql_keywords_has(e->name) ? "\"" : "";
    ok = !taco__sql_expr_text_has_schema(e) || taco__sql_expr_text_append(b, out, "main.");
    ok = ok && taco__sql_expr_text_append(b, out, quote);
    for (i = 0; ok && i < e->name.len; i++) {
        ok = taco__buf_append_char(out, (char)taco__ascii_lower(e->name.data[i]), b->err);
    }
    ok = ok && (!count || taco__sql_expr_text_append(b, out, "_star"));
    ok = ok && taco__sql_expr_text_append(b, out, quote);
    ok = ok && taco__sql_expr_text_append(b, out, e->distinct ? "(DISTINCT " : "(") &&
         taco__sql_expr_text_args(b, out, e) && taco__sql_expr_text_append(b, out, ")");
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

/* table.column: as written in a label, else with the spelling of the tables, so that x.ID and id
   are one column. */
static bool taco__sql_expr_text_column(taco__bind *b, taco__buf *out, const taco__sql_expr *e)
{
    size_t table, column;
    taco_bytes name = e->name, from = e->table;
    if (!b->as_written && taco__bind_find_column(b, e, &table, &column)) {
        name = taco__bytes_text(b->tables[table].fields[column].name);
        from = b->tables[table].alias;
    }
    return (!from.len || (taco__sql_expr_text_identifier(b, out, from) &&
                          taco__sql_expr_text_append(b, out, "."))) &&
           taco__sql_expr_text_identifier(b, out, name);
}

/* CAST(x AS type); e->name is the type as written, if that differs from its name. */
static bool taco__sql_expr_text_cast(taco__bind *b, taco__buf *out, const taco__sql_expr *e)
{
    return taco__sql_expr_text_append(b, out, e->tries ? "TRY_CAST(" : "CAST(") &&
           taco__sql_expr_text(b, out, e->kid[0]) && taco__sql_expr_text_append(b, out, " AS ") &&
           (b->as_written && e->name.len ? taco__sql_expr_text_append_bytes(b, out, e->name)
                                         : taco__sql_expr_text_type(b, out, &e->to)) &&
           taco__sql_expr_text_append(b, out, ")");
}

/* The operands of AND or OR, including nested ones, as DuckDB's parser merges them. */
static bool taco__sql_expr_text_operands(taco__bind *b, taco__buf *out, const taco__sql_expr *e,
                                         bool *first)
{
    uint32_t k;
    const char *between = e->kind == TACO__SQL_EXPR_AND ? " AND " : " OR ";
    for (k = 0; k < e->n; k++) {
        if (e->kid[k]->kind == e->kind) {
            if (!taco__sql_expr_text_operands(b, out, e->kid[k], first)) { return false; }
            continue;
        }
        if ((!*first && !taco__sql_expr_text_append(b, out, between)) ||
            !taco__sql_expr_text(b, out, e->kid[k])) {
            return false;
        }
        *first = false;
    }
    return true;
}

/* (a AND b AND c) */
static bool taco__sql_expr_text_junction(taco__bind *b, taco__buf *out, const taco__sql_expr *e)
{
    bool first = true;
    return taco__sql_expr_text_append(b, out, "(") &&
           taco__sql_expr_text_operands(b, out, e, &first) &&
           taco__sql_expr_text_append(b, out, ")");
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

/* (a < b); neg: the opposite, which DuckDB's parser makes from NOT a < b. */
static bool taco__sql_expr_text_comparison(taco__bind *b, taco__buf *out, const taco__sql_expr *e,
                                           bool neg)
{
    static const char *const ops[] = {" = ", " != ", " < ", " <= ", " > ", " >= "};
    static const char *const opposites[] = {" != ", " = ", " >= ", " > ", " <= ", " < "};
    const char *sign = !e->nullsafe                    ? (neg ? opposites : ops)[e->op]
                       : (e->op == TACO__OP_EQ) != neg ? " IS NOT DISTINCT FROM "
                                                       : " IS DISTINCT FROM ";
    return taco__sql_expr_text_infix(b, out, e, sign, "", ")");
}

static bool taco__sql_expr_text_in(taco__bind *b, taco__buf *out, const taco__sql_expr *e, bool neg)
{
    return taco__sql_expr_text_infix(b, out, e, e->neg != neg ? " NOT IN (" : " IN (", ", ", "))");
}

/* (NOT a), except for nodes with an opposite. */
static bool taco__sql_expr_text_not(taco__bind *b, taco__buf *out, const taco__sql_expr *e)
{
    const taco__sql_expr *kid = e->kid[0], *last = kid;
    bool neg = true;
    for (; last->kind == TACO__SQL_EXPR_NOT; last = last->kid[0]) {
        neg = !neg;
    }
    if (last->kind == TACO__SQL_EXPR_CMP) {
        return taco__sql_expr_text_comparison(b, out, last, neg);
    }
    if (kid->kind == TACO__SQL_EXPR_IN && !kid->neg) {
        return taco__sql_expr_text_in(b, out, kid, true);
    }
    return taco__sql_expr_text_append(b, out, "(NOT ") && taco__sql_expr_text(b, out, kid) &&
           taco__sql_expr_text_append(b, out, ")");
}

/* value[index] or value[from:to]; an open end is empty. */
static bool taco__sql_expr_text_index(taco__bind *b, taco__buf *out, const taco__sql_expr *e)
{
    uint32_t k;
    bool ok = taco__sql_expr_text(b, out, e->kid[0]) && taco__sql_expr_text_append(b, out, "[");
    for (k = 1; ok && k < e->n; k++) {
        bool open = e->kind == TACO__SQL_EXPR_SLICE && e->kid[k]->kind == TACO__SQL_EXPR_CONST &&
                    e->kid[k]->infix;
        ok = (k == 1 || taco__sql_expr_text_append(b, out, ":")) &&
             (open ? !e->kid[k]->neg || taco__sql_expr_text_append(b, out, "-")
                   : taco__sql_expr_text(b, out, e->kid[k]));
    }
    return ok && taco__sql_expr_text_append(b, out, "]");
}

/* struct.field; in a label with the parentheses that were written around the struct. */
static bool taco__sql_expr_text_field(taco__bind *b, taco__buf *out, const taco__sql_expr *e)
{
    bool around = b->as_written && e->tries;
    return (!around || taco__sql_expr_text_append(b, out, "(")) &&
           taco__sql_expr_text(b, out, e->kid[0]) &&
           taco__sql_expr_text_append(b, out, around ? ")." : ".") &&
           taco__sql_expr_text_identifier(b, out, e->name);
}

/* A query in an expression, as it was written. */
static bool taco__sql_expr_text_query(taco__bind *b, taco__buf *out, const taco__sql_expr *e)
{
    static const char *const any[] = {" = ANY(",  " != ANY(", " < ANY(",
                                      " <= ANY(", " > ANY(",  " >= ANY("};
    bool member = e->op == TACO__SQL_NESTED_IN;
    const char *open = e->op == TACO__SQL_NESTED_EXISTS ? "EXISTS(" : member ? any[e->index] : "(";
    return (!member || (taco__sql_expr_text_append(b, out, e->neg ? "(NOT (" : "(") &&
                        taco__sql_expr_text(b, out, e->kid[0]))) &&
           taco__sql_expr_text_append(b, out, open) && taco__sql_query_text(b, out, e) &&
           taco__sql_expr_text_append(b, out,
                                      !member  ? ")"
                                      : e->neg ? ")))"
                                               : "))");
}

/* DuckDB's name of the expression, which also identifies trees. */
static bool taco__sql_expr_text(taco__bind *b, taco__buf *out, const taco__sql_expr *e)
{
    switch (e->kind) {
    case TACO__SQL_EXPR_CONST:
        /* 1e-1, which is no 0.1 */
        return taco__sql_expr_text_constant(b, out, e) &&
               (b->as_written || e->value.type.id != TACO_DOUBLE ||
                taco__sql_expr_text_append(b, out, "::DOUBLE"));
    case TACO__SQL_EXPR_COLUMN: return taco__sql_expr_text_column(b, out, e);
    case TACO__SQL_EXPR_CALL: return taco__sql_expr_text_call(b, out, e);
    case TACO__SQL_EXPR_CASE: return taco__sql_expr_text_case(b, out, e);
    case TACO__SQL_EXPR_CAST: return taco__sql_expr_text_cast(b, out, e);
    case TACO__SQL_EXPR_AND:
    case TACO__SQL_EXPR_OR: return taco__sql_expr_text_junction(b, out, e);
    case TACO__SQL_EXPR_NOT: return taco__sql_expr_text_not(b, out, e);
    case TACO__SQL_EXPR_CMP: return taco__sql_expr_text_comparison(b, out, e, false);
    case TACO__SQL_EXPR_BETWEEN:
        return taco__sql_expr_text_infix(b, out, e, " BETWEEN ", " AND ", ")");
    case TACO__SQL_EXPR_IN: return taco__sql_expr_text_in(b, out, e, false);
    case TACO__SQL_EXPR_ISNULL:
        return taco__sql_expr_text_infix(b, out, e, e->neg ? " IS NOT NULL" : " IS NULL", "", ")");
    case TACO__SQL_EXPR_INDEX:
    case TACO__SQL_EXPR_SLICE: return taco__sql_expr_text_index(b, out, e);
    case TACO__SQL_EXPR_FIELD: return taco__sql_expr_text_field(b, out, e);
    case TACO__SQL_EXPR_QUERY: return taco__sql_expr_text_query(b, out, e);
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

/* The name of a column that has no alias and is no column of a table. */
static bool taco__sql_expr_text_written(taco__bind *b, const taco__sql_expr *e, taco_bytes *out)
{
    bool ok;
    b->as_written = true;
    ok = taco__sql_expr_text_copy(b, e, out);
    b->as_written = false;
    return ok;
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
    } else if (!name.len && e->kind == TACO__SQL_EXPR_FIELD && !e->tries) {
        name = e->name;
    } else if (!name.len && e->kind == TACO__SQL_EXPR_CONST && e->value.type.id == TACO_TEXT) {
        if (!taco__sql_expr_text_written(b, e, &name)) { return NULL; }
    } else if (!name.len && !taco__sql_expr_text_written(b, e, &name)) {
        return NULL;
    }
    return taco__arena_text(b->arena, name, b->err);
}
