/* sql_parse_type.c - parser of type names (CAST, ::) and of INTERVAL literals

   Types are those of literals in a `where` (taco__pred_parse_type_name), and DuckDB's further
   spellings. An INTERVAL is kept as a taco__sql_interval in the bytes of the literal. */
#include "sql.h"
#include "../base/base.h"
#include "../filter/filter.h"

/* ---- types ---- */

/* A whole number without a sign, of LIMIT or in a type. */
static bool taco__sql_parse_type_number(taco__parser *p, uint64_t *out)
{
    if (p->lex.kind != TACO__TOK_NUMBER || !p->lex.integral ||
        !taco__num_parse_u64(p->lex.raw, out)) {
        taco__lex_fail_expected(&p->lex, "a whole number");
        return false;
    }
    return taco__parse_next(p);
}

/* DECIMAL[(width[, scale])], after the word; DECIMAL alone is DECIMAL(18, 3). */
static bool taco__sql_parse_type_decimal(taco__parser *p, taco__sql_type *t)
{
    uint64_t width = 18, scale = 3;
    size_t at = p->lex.at;
    t->t = taco__scalar_simple_type(TACO_DECIMAL);
    if (taco__parse_accept(p, "(")) {
        scale = 0;
        if (!taco__sql_parse_type_number(p, &width) ||
            (taco__parse_accept(p, ",") && !taco__sql_parse_type_number(p, &scale)) ||
            !taco__parse_expect(p, ")")) {
            return false;
        }
    }
    if (width < 1 || width > 38 || scale > width) {
        taco__parse_fail(p, at, "DECIMAL takes 1 to 38 digits, and a scale of at most that number");
        return false;
    }
    t->t.precision = (int32_t)width;
    t->t.scale = (int32_t)scale;
    return taco__parse_is_ok(p);
}

/* Spellings of types beyond those of taco__pred_parse_type_name. */
TACO__FN bool taco__sql_parse_type_find(taco_bytes name, taco__scalar_type *out)
{
    static const struct {
        const char *name;
        taco_type id;
        taco_unit unit;
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

    size_t i;
    for (i = 0; i < TACO__COUNT(more); i++) {
        if (taco__ascii_is_word(name, more[i].name)) {
            *out = taco__scalar_simple_type(more[i].id);
            out->unit = more[i].unit;
            out->precision = more[i].id == TACO_DECIMAL ? 39 : 0;
            return true;
        }
    }
    return false;
}

/* The suffix of a type name: a length of VARCHAR, WITH TIME ZONE. `at` is where the name begins. */
static bool taco__sql_parse_type_suffix(taco__parser *p, size_t at, taco__sql_type *t)
{
    uint64_t n;
    if (taco__parse_accept(p, "(") &&
        (t->t.id != TACO_TEXT || !taco__sql_parse_type_number(p, &n) ||
         !taco__parse_expect(p, ")"))) {
        taco__parse_fail(p, at, "the type takes no length");
        return false;
    }
    if (t->t.id == TACO_TIMESTAMP && taco__lex_is_word(&p->lex, "with")) {
        taco__parse_next(p);
        if (!taco__parse_expect(p, "time") || !taco__parse_expect(p, "zone")) { return false; }
        t->t.utc = true;
    }
    return taco__parse_is_ok(p);
}

/* A copy of a type in the arena, as the child of another; NULL without memory. */
static taco__sql_type *taco__sql_parse_type_keep(taco__parser *p, const taco__sql_type *t)
{
    taco__sql_type *kid = (taco__sql_type *)taco__arena_alloc(p->arena, sizeof *kid, p->err);
    if (kid) { *kid = *t; }
    return kid;
}

/* STRUCT(name type, ...), after the word. */
static bool taco__sql_parse_type_struct(taco__parser *p, taco__sql_type *t)
{
    size_t cap = 0;
    const char **all = NULL;
    taco__sql_type *types = NULL;
    memset(t, 0, sizeof *t);
    t->t = taco__scalar_simple_type(TACO_STRUCT);
    if (!taco__parse_expect(p, "(")) { return false; }
    do {
        taco_bytes name;
        if (t->count == cap) { /* twice the room */
            const char **names =
                (const char **)taco__arena_array(p->arena, cap * 2 + 8, sizeof *names, p->err);
            taco__sql_type *kids =
                (taco__sql_type *)taco__arena_array(p->arena, cap * 2 + 8, sizeof *kids, p->err);
            if (!names || !kids) { return false; }
            if (cap) {
                memcpy((void *)names, (const void *)all, cap * sizeof *names);
                memcpy(kids, types, cap * sizeof *kids);
            }
            t->names = all = names;
            t->kids = types = kids;
            cap = cap * 2 + 8;
        }
        if (!taco__sql_parse_name(p, true, &name)) { return false; }
        all[t->count] = taco__arena_text(p->arena, name, p->err);
        if (!all[t->count] || !taco__sql_parse_type(p, &types[t->count])) { return false; }
        t->count++;
    } while (taco__parse_accept(p, ","));
    return taco__parse_expect(p, ")");
}

/* MAP(key, value), after the word: a list of structs. */
static bool taco__sql_parse_type_map(taco__parser *p, taco__sql_type *t)
{
    static const char *const sides[] = {"key", "value"};
    static const char *const entries[] = {"entries"};
    taco__sql_type sort, *kids;
    memset(t, 0, sizeof *t);
    memset(&sort, 0, sizeof sort);
    kids = (taco__sql_type *)taco__arena_array(p->arena, 2, sizeof *kids, p->err);
    if (!kids || !taco__parse_expect(p, "(") || !taco__sql_parse_type(p, &kids[0]) ||
        !taco__parse_expect(p, ",") || !taco__sql_parse_type(p, &kids[1]) ||
        !taco__parse_expect(p, ")")) {
        return false;
    }
    sort.t = taco__scalar_simple_type(TACO_STRUCT);
    sort.count = 2;
    sort.kids = kids;
    sort.names = (const char **)(uintptr_t)sides;
    t->t = taco__scalar_simple_type(TACO_MAP);
    t->count = 1;
    t->names = (const char **)(uintptr_t)entries;
    t->kids = taco__sql_parse_type_keep(p, &sort);
    return t->kids != NULL;
}

/* The [] after a type, each of which makes it the element of a list. */
static bool taco__sql_parse_type_lists(taco__parser *p, taco__sql_type *t)
{
    uint32_t n = 0;
    while (taco__parse_accept(p, "[")) {
        taco__sql_type *kid = taco__sql_parse_type_keep(p, t);
        if (!kid) { return false; }
        if (p->lex.kind == TACO__TOK_NUMBER) {
            taco__parse_fail(p, p->lex.at, "lists of a fixed size are not supported");
            return false;
        }
        if (p->depth + ++n > p->max_depth) { return taco__parse_fail_depth(p) != NULL; }
        memset(t, 0, sizeof *t);
        t->t = taco__scalar_simple_type(TACO_LIST);
        t->count = 1;
        t->kids = kid;
        if (!taco__parse_expect(p, "]")) { return false; }
    }
    return taco__parse_is_ok(p);
}

/* A type name without [] after it. */
static bool taco__sql_parse_type_element(taco__parser *p, taco__sql_type *t)
{
    size_t at = p->lex.at;
    taco_bytes name = p->lex.raw;
    memset(t, 0, sizeof *t);
    if (p->lex.kind != TACO__TOK_NAME && p->lex.kind != TACO__TOK_QUOTED) {
        taco__lex_fail_expected(&p->lex, "a type");
        return false;
    }
    if (!taco__parse_next(p)) { return false; }
    if (taco__ascii_is_word(name, "struct") || taco__ascii_is_word(name, "row")) {
        return taco__sql_parse_type_struct(p, t);
    }
    if (taco__ascii_is_word(name, "map")) { return taco__sql_parse_type_map(p, t); }
    if (taco__ascii_is_word(name, "decimal") || taco__ascii_is_word(name, "numeric") ||
        taco__ascii_is_word(name, "dec")) {
        return taco__sql_parse_type_decimal(p, t);
    }
    if (!taco__pred_parse_type_name(name, &t->t) && !taco__sql_parse_type_find(name, &t->t)) {
        TACO__FAIL(p->err, TACO_ERR_SYNTAX, at, "unknown type: %q", &name);
        return false;
    }
    if (t->t.id != TACO_TIME && t->t.id != TACO_TIMESTAMP) { t->t.unit = TACO_SECOND; }
    return taco__sql_parse_type_suffix(p, at, t);
}

/* A type in a CAST. The length of VARCHAR(10) is ignored, as in DuckDB. */
TACO__FN bool taco__sql_parse_type(taco__parser *p, taco__sql_type *t)
{
    bool ok;
    if (++p->depth > p->max_depth) { return taco__parse_fail_depth(p) != NULL; }
    ok = taco__sql_parse_type_element(p, t) && taco__sql_parse_type_lists(p, t);
    p->depth--;
    return ok;
}

/* ---- intervals ---- */

/* The unit with that name, in any case, optionally ending with s; NULL if there is none. */
TACO__FN const taco__interval_unit *taco__sql_parse_type_find_unit(taco_bytes w)
{
    static const taco__interval_unit units[] = {
        {"year", 12, 0, 0, "to_years", "INTEGER"},
        {"month", 1, 0, 0, "to_months", "INTEGER"},
        {"mon", 1, 0, 0, "to_months", "INTEGER"},
        {"week", 0, 7, 0, "to_weeks", "INTEGER"},
        {"day", 0, 1, 0, "to_days", "INTEGER"},
        {"hour", 0, 0, 3600000000LL, "to_hours", "BIGINT"},
        {"minute", 0, 0, 60000000, "to_minutes", "BIGINT"},
        {"min", 0, 0, 60000000, "to_minutes", "BIGINT"},
        {"second", 0, 0, 1000000, "to_seconds", NULL},
        {"sec", 0, 0, 1000000, "to_seconds", NULL},
        {"millisecond", 0, 0, 1000, "to_milliseconds", NULL},
        {"microsecond", 0, 0, 1, "to_microseconds", "BIGINT"},
        {"quarter", 3, 0, 0, "to_quarters", "INTEGER"},
        {"decade", 120, 0, 0, "to_decades", "INTEGER"},
        {"century", 1200, 0, 0, "to_centuries", "INTEGER"},
        {"centuries", 1200, 0, 0, "to_centuries", "INTEGER"},
        {"millennium", 12000, 0, 0, "to_millennia", "INTEGER"},
        {"millennia", 12000, 0, 0, "to_millennia", "INTEGER"},
        {"h", 0, 0, 3600000000LL, "to_hours", "BIGINT"},
        {"m", 0, 0, 60000000, "to_minutes", "BIGINT"},
        {"s", 0, 0, 1000000, "to_seconds", NULL},
        {"d", 0, 1, 0, "to_days", "INTEGER"},
        {"y", 12, 0, 0, "to_years", "INTEGER"},
        {"w", 0, 7, 0, "to_weeks", "INTEGER"},
        {"hr", 0, 0, 3600000000LL, "to_hours", "BIGINT"},
        {"yr", 12, 0, 0, "to_years", "INTEGER"},
        {"ms", 0, 0, 1000, "to_milliseconds", NULL},
        {"us", 0, 0, 1, "to_microseconds", "BIGINT"}};

    size_t i;
    for (i = 0; i < TACO__COUNT(units); i++) {
        size_t len = strlen(units[i].name);
        if (taco__ascii_is_word(w, units[i].name) ||
            (len > 2 && w.len == len + 1 && (w.data[len] | 0x20) == 's' &&
             taco__ascii_is_word(taco__bytes_of(w.data, len), units[i].name))) {
            return &units[i];
        }
    }
    return NULL;
}

/* Adds n units to an interval, of 100,000,000 at most, so that no product wraps. False if n or the
   sum is out of range. */
static bool taco__sql_parse_type_interval_unit(const taco__interval_unit *u, int64_t n, bool neg,
                                               taco__sql_interval *out)
{
    const int64_t most = 100000000;
    int64_t months, days, micros;
    if (!u || n > most || n < -most) { return false; }
    n = neg ? -n : n;
    months = out->months + n * u->months;
    days = out->days + n * u->days;
    micros = n * u->micros;
    if (months > INT32_MAX || months < -INT32_MAX || days > INT32_MAX || days < -INT32_MAX ||
        (micros > 0 ? out->micros > INT64_MAX - micros : out->micros < -INT64_MAX - micros)) {
        return false;
    }
    out->months = (int32_t)months;
    out->days = (int32_t)days;
    out->micros += micros;
    return true;
}

/* The name of INTERVAL n UNIT in results, n as written, or of INTERVAL 'text' (u NULL), in the
   arena; empty if there is no memory. */
static taco_bytes taco__sql_parse_type_interval_name(taco__parser *p, const taco__interval_unit *u,
                                                     taco_bytes text, bool quoted, bool neg)
{
    taco__buf b;
    taco_error *err = p->err;
    char *copy;
    bool ok;
    memset(&b, 0, sizeof b);
    b.mem = p->arena->mem;
    ok = (!u || (taco__buf_append_text(&b, u->call, err) &&
                 taco__buf_append_text(&b, u->whole ? "(CAST(trunc(" : "(", err))) &&
         taco__buf_append_text(&b, neg ? "CAST(-" : "CAST(", err) &&
         (quoted ? taco__lex_append_quoted(&b, text, '\'', err)
                 : taco__buf_append(&b, text.data, text.len, err)) &&
         taco__buf_append_text(&b, u ? " AS DOUBLE)" : " AS INTERVAL)", err);
    if (ok && u && u->whole) {
        ok = taco__buf_append_text(&b, ") AS ", err) && taco__buf_append_text(&b, u->whole, err) &&
             taco__buf_append_char(&b, ')', err);
    }
    ok = ok && (!u || taco__buf_append_char(&b, ')', err));
    copy = ok ? taco__arena_text(p->arena, taco__bytes_of(b.data, b.len), err) : NULL;
    text = taco__bytes_of(copy, copy ? b.len : 0);
    taco__buf_free(&b);
    return text;
}

/* Steps over blanks from i on. */
static size_t taco__sql_parse_type_skip_blanks(taco_bytes b, size_t i)
{
    while (i < b.len && b.data[i] == ' ') {
        i++;
    }
    return i;
}

/* Parses a whole number with optional sign at *at and skips it. False if there is none. */
static bool taco__sql_parse_type_interval_number(taco_bytes b, size_t *at, int64_t *out)
{
    size_t i = *at, from = *at + (b.data[*at] == '+');
    i += b.data[i] == '-' || b.data[i] == '+';
    while (i < b.len && taco__lex_is_digit(b.data[i])) {
        i++;
    }
    *at = i;
    return taco__num_parse_i64(taco__bytes_of(b.data + from, i - from), out);
}

/* '1 year 2 days -3 hours', or the negative of that with `ago` at the end. */
static bool taco__sql_parse_type_interval_text(taco_bytes b, taco__sql_interval *out)
{
    size_t i, from, parts = 0;
    int64_t n;
    for (i = taco__sql_parse_type_skip_blanks(b, 0); i < b.len;
         i = taco__sql_parse_type_skip_blanks(b, i)) {
        if (parts &&
            taco__ascii_is_word(taco__ascii_trim(taco__bytes_of(b.data + i, b.len - i)), "ago")) {
            out->months = -out->months;
            out->days = -out->days;
            out->micros = -out->micros;
            return true;
        }
        if (!taco__sql_parse_type_interval_number(b, &i, &n)) { return false; }
        from = i = taco__sql_parse_type_skip_blanks(b, i);
        while (i < b.len && taco__lex_is_letter(b.data[i])) {
            i++;
        }
        if (!taco__sql_parse_type_interval_unit(
                taco__sql_parse_type_find_unit(taco__bytes_of(b.data + from, i - from)), n, false,
                out) ||
            ++parts > 8) {
            return false;
        }
    }
    return parts > 0;
}

/* A CAST to a type by its name. */
static taco__sql_expr *taco__sql_parse_type_new_cast(taco__parser *p, taco__sql_expr *x,
                                                     taco_type to)
{
    taco__sql_expr *e =
        taco__sql_expr_add_child(p, taco__sql_expr_new(p, TACO__SQL_EXPR_CAST, x->at), x);
    if (e) {
        e->to = taco__sql_type_simple(to);
        e->name =
            taco__bytes_text(to == TACO_DOUBLE ? "DOUBLE" : ""); /* DuckDB does not quote it */
    }
    return e;
}

/* INTERVAL (x) DAY, after the parenthesis, as to_days(CAST(trunc(CAST(x AS DOUBLE)) AS INTEGER)),
   as DuckDB does. */
TACO__FN taco__sql_expr *taco__sql_parse_type_interval_of(taco__parser *p, size_t at)
{
    taco__sql_expr *e = taco__parse_expr(p, TACO__BINDS_OR), *call;
    const taco__interval_unit *u;
    if (!e || !taco__parse_expect(p, ")")) { return NULL; }
    u = p->lex.kind == TACO__TOK_NAME ? taco__sql_parse_type_find_unit(p->lex.raw) : NULL;
    if (!u || !taco__parse_next(p)) {
        return taco__parse_is_ok(p) ? taco__parse_fail_expected(p, "a unit after INTERVAL (...)")
                                    : NULL;
    }
    e = taco__sql_parse_type_new_cast(p, e, TACO_DOUBLE);
    if (e && u->whole) {
        e = taco__sql_expr_new_call(p, "trunc", at, e, NULL);
        if (!e) { return NULL; }
        e->infix = false;
        e = taco__sql_parse_type_new_cast(p, e, u->whole[0] == 'B' ? TACO_INT64 : TACO_INT32);
    }
    call = e ? taco__sql_expr_new_call(p, u->call, at, e, NULL) : NULL;
    if (call) { call->infix = false; }
    return call;
}

/* INTERVAL '1 day', INTERVAL 3 MONTH, INTERVAL '3' MONTH, after the word. The literal's name is its
   text, for the name of the column. Months, days and microseconds are kept separate: a month has no
   fixed number of days, a day no fixed number of hours. */
TACO__FN taco__sql_expr *taco__sql_parse_type_interval(taco__parser *p, size_t at)
{
    taco__sql_interval *v = (taco__sql_interval *)taco__arena_alloc(p->arena, sizeof *v, p->err);
    const taco__interval_unit *u = NULL;
    taco_bytes text;
    taco__sql_expr *e;
    int64_t n;
    bool neg, quoted, number = p->lex.kind == TACO__TOK_NUMBER || taco__lex_is_sign(&p->lex, "-");
    if (!v) { return NULL; }
    neg = taco__parse_accept(p, "-");
    quoted = p->lex.kind == TACO__TOK_STRING;
    if (!quoted && p->lex.kind != TACO__TOK_NUMBER) {
        taco__lex_fail_expected(&p->lex, "a text or a number after INTERVAL");
        return NULL;
    }
    text = p->lex.raw;
    if (!taco__parse_next(p)) { return NULL; }
    if (number || (p->lex.kind == TACO__TOK_NAME && taco__num_parse_i64(text, &n))) {
        u = taco__sql_parse_type_find_unit(p->lex.raw);
        if (!taco__num_parse_i64(text, &n) || p->lex.kind != TACO__TOK_NAME ||
            !taco__sql_parse_type_interval_unit(u, n, neg, v)) {
            return taco__parse_fail(p, at, "INTERVAL takes a whole number and a unit, or a text");
        }
        if (!taco__parse_next(p)) { return NULL; }
    } else if (!taco__sql_parse_type_interval_text(text, v)) {
        return taco__parse_fail(p, at, "INTERVAL takes '[-]N unit ...' with whole numbers");
    }
    e = taco__sql_expr_new_const(
        p, at, taco__scalar_make_bytes(TACO_INTERVAL, taco__bytes_of(v, sizeof *v)));
    if (e) { e->name = taco__sql_parse_type_interval_name(p, u, text, quoted, neg); }
    return taco__parse_is_ok(p) ? e : NULL;
}
