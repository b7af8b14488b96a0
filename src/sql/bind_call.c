/* bind_call.c - binder of calls: the function, its arguments' types, its result

   Signatures are codes in the table of functions.c ("ti" takes a text and an integer). An aggregate
   is moved out of its expression: it is computed once per group, and the expression refers to its
   column, after those of the groups. Calls that are really syntax (IF, NULLIF) become CASE here. */
#include "sql.h"
#include "functions.h"
#include "../base/base.h"
#include "../filter/filter.h"

/* ---- calls ---- */

/* A code of a signature (see taco__func) in words. */
static const char *taco__bind_call_wanted(char code)
{
    switch (code) {
    case 't': return "VARCHAR";
    case 'i': return "BIGINT";
    case 'f': return "a number, DATE or TIMESTAMP";
    case 'w': return "DATE or TIMESTAMP";
    case 'l': return "a list";
    case 'B': return "BLOB";
    case 'b': return "BOOLEAN";
    case 'g': return "a geometry";
    default: return "a number";
    }
}

/* Fails because a function or aggregate takes `least` to `most` arguments (255: any number). */
static TACO__COLD bool taco__bind_call_fail_arity(taco__bind *b, const taco__sql_expr *e,
                                                  uint32_t least, uint32_t most, uint32_t args)
{
    if (least == most) {
        TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at, "%q takes %u argument%s, got %u", &e->name,
                   TACO__U(least), least == 1 ? "" : "s", TACO__U(args));
    } else if (most == 255) {
        TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at, "%q takes at least %u argument%s, got %u",
                   &e->name, TACO__U(least), least == 1 ? "" : "s", TACO__U(args));
    } else {
        TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at, "%q takes %u to %u arguments, got %u", &e->name,
                   TACO__U(least), TACO__U(most), TACO__U(args));
    }
    return false;
}

/* Fails because argument i has a type that the function or aggregate does not take. */
TACO__FN TACO__COLD bool taco__bind_call_fail_argument(taco__bind *b, const taco__sql_expr *e,
                                                       uint32_t i, const char *wanted,
                                                       const taco__sql_type *have)
{
    char name[96];
    taco__sql_type_text(have, name, sizeof name);
    TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->kid[i]->at, "%q takes %s as argument %u, got %s",
               &e->name, wanted, TACO__U(i) + 1, name);
    return false;
}

/* Casts argument i to the type that the code in the function's signature requires (see taco__func),
   or fails if it is of another kind. */
static bool taco__bind_call_argument(taco__bind *b, taco__sql_expr *e, uint32_t i, char code)
{
    taco__sql_type want, *have = &e->kid[i]->type;
    bool null = have->t.id == TACO_NULL, ok;
    uint32_t k;
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
    case 'f':
        want = taco__sql_type_is_datetime(have) ? *have : taco__sql_type_simple(TACO_DOUBLE);
        ok = taco__sql_type_is_datetime(have) || taco__sql_type_is_number(have);
        break;
    case 'w':
        want = null ? taco__sql_type_simple(TACO_TIMESTAMP) : *have;
        ok = taco__sql_type_is_datetime(have);
        /* a text next to a date becomes one: date_diff('day', '2020-01-01', d) */
        for (k = 0; !ok && e->kid[i]->literal == 2 && k < e->n; k++) {
            if (k != i && taco__sql_type_is_datetime(&e->kid[k]->type)) {
                want = e->kid[k]->type;
                ok = true;
            }
        }
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
    case 'b':
        want = taco__sql_type_simple(TACO_BOOL);
        ok = have->t.id == TACO_BOOL;
        break;
    case 'g':
        want = taco__sql_type_simple(TACO_BINARY);
        want.geo = true;
        ok = have->geo;
        break;
    default: return true;
    }
    if (!ok && !null) {
        return taco__bind_call_fail_argument(b, e, i, taco__bind_call_wanted(code), have);
    }
    return taco__bind_type_add_cast(b, &e->kid[i], &want);
}

/* Looks up the part of a date ("month" in date_trunc), which must be constant, and keeps it as the
   plan of the call. */
static bool taco__bind_call_date(taco__bind *b, taco__sql_expr *e, const taco__func *f)
{
    int *part = (int *)taco__arena_alloc(b->arena, sizeof *part, b->err);
    taco_bytes name;
    if (!part) { return false; }
    if (f->part) {
        name = taco__bytes_text(f->part);
    } else if (e->kid[0]->kind == TACO__SQL_EXPR_CONST && e->kid[0]->value.type.id == TACO_TEXT) {
        name = e->kid[0]->value.b;
    } else {
        return taco__bind_fail(b, e, "the part of a date must be a text constant");
    }
    *part = taco__func_date_find_part(name);
    if (f->id != TACO__FUNC_PART) { *part = taco__func_date_boundary(*part); }
    if (*part < 0 || (!f->part && *part >= TACO__DATE_PART_EPOCH_MS) ||
        (*part == TACO__DATE_PART_ZONE && e->kid[1]->type.t.id == TACO_DATE)) {
        TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at, "unknown part of a date: %q", &name);
        return false;
    }
    e->plan = part;
    if (f->id == TACO__FUNC_PART) {
        bool real = *part == TACO__DATE_PART_EPOCH || *part == TACO__DATE_PART_JULIAN;
        e->type = taco__sql_type_simple(real ? TACO_DOUBLE : TACO_INT64);
    } else if (f->id == TACO__FUNC_TRUNC_DATE) {
        e->type = taco__sql_type_simple(TACO_TIMESTAMP);
        e->type.t.utc = e->kid[1]->type.t.utc;
    }
    return true;
}

/* A LIKE with a constant pattern is compiled once, as the plan of the call; others are compiled for
   each row. */
static bool taco__bind_call_like(taco__bind *b, taco__sql_expr *e)
{
    taco__like_pattern *k;
    const taco__sql_expr *escape = e->n > 2 ? e->kid[2] : NULL;
    if (e->kid[1]->literal != 2 || (escape && (escape->literal != 2 || escape->value.b.len > 1))) {
        return true;
    }
    k = (taco__like_pattern *)taco__arena_alloc(b->arena, sizeof *k, b->err);
    if (!k) { return false; }
    k->icase = e->name.data[e->name.len - 1] == '*';
    taco__like_set_escape(k, escape ? &escape->value.b : NULL);
    e->plan = k;
    return taco__like_compile(k, b->arena, e->kid[1]->value.b, b->err);
}

/* The type for bits and divisors: that of the operands' sum, whole numbers only. gcd and lcm use at
   least BIGINT. */
static bool taco__bind_call_integers(taco__bind *b, taco__sql_expr *e)
{
    taco__sql_type t = taco__sql_type_simple(TACO_NULL), big = taco__sql_type_simple(TACO_INT64);
    uint32_t k;
    if (!taco__bind_type_unify(b, e, 0, 1, false, false, &t)) { return false; }
    if (!taco__scalar_is_int(t.t.id) && !taco__sql_type_is_hugeint(&t)) {
        return taco__bind_type_fail_mismatch(b, e, &e->kid[0]->type, &big,
                                             "whole numbers are expected, not");
    }
    if (e->func == TACO__FUNC_GCD || e->func == TACO__FUNC_LCM) {
        t = t.t.id == TACO_UINT64 || taco__sql_type_is_hugeint(&t) ? taco__sql_type_hugeint() : big;
    }
    e->type = t;
    for (k = 0; k < e->n; k++) {
        if (!taco__bind_type_add_cast(b, &e->kid[k], &t)) { return false; }
    }
    return true;
}

/* Functions of the bytes of a text or blob, and with `numbers` of whole numbers. */
static bool taco__bind_call_bytes(taco__bind *b, taco__sql_expr *e, bool numbers)
{
    taco__sql_type *t = &e->kid[0]->type, text = taco__sql_type_simple(TACO_TEXT),
                   big = taco__sql_type_simple(TACO_INT64);
    if (t->t.id == TACO_NULL) { return taco__bind_type_add_cast(b, &e->kid[0], &text); }
    if (t->t.id == TACO_TEXT || (t->t.id == TACO_BINARY && !t->geo)) { return true; }
    if (numbers && (t->t.id == TACO_UINT64 || taco__sql_type_is_hugeint(t))) { return true; }
    if (numbers && taco__scalar_is_int(t->t.id)) {
        return taco__bind_type_add_cast(b, &e->kid[0], &big);
    }
    return taco__bind_type_fail_mismatch(b, e, t, &text, "bytes are expected, not");
}

/* Whether || or concat has only lists and NULLs as operands, and at least one list. */
static bool taco__bind_call_joins_lists(const taco__sql_expr *e)
{
    uint32_t i, lists = 0, nulls = 0;
    for (i = 0; i < e->n; i++) {
        lists += e->kid[i]->type.t.id == TACO_LIST;
        nulls += e->kid[i]->type.t.id == TACO_NULL;
    }
    return lists && lists + nulls == e->n;
}

/* Types of concat, concat_ws and ||: all arguments become texts. || of two lists concatenates them;
   with an untyped NULL the result is an untyped NULL. */
static bool taco__bind_call_concat(taco__bind *b, taco__sql_expr *e, const taco__func *f)
{
    taco__sql_type text = taco__sql_type_simple(TACO_TEXT);
    bool op = f->id == TACO__FUNC_CONCAT_OP;
    uint32_t i;
    bool lists = f->id != TACO__FUNC_CONCAT_WS && taco__bind_call_joins_lists(e);
    for (i = 0; op && i < e->n; i++) { /* one untyped NULL makes the result one */
        if (e->kid[i]->type.t.id == TACO_NULL) {
            return taco__bind_list_null(b, e, taco__sql_type_simple(TACO_NULL));
        }
    }
    if (lists) {
        e->func = TACO__FUNC_LIST_CONCAT;
        return taco__bind_list(b, e, f);
    }
    for (i = 0; i < e->n; i++) {
        if (taco__scalar_is_nested(e->kid[i]->type.t.id)) {
            return taco__bind_fail(b, e->kid[i], "lists cannot be concatenated here");
        }
        if (op && e->kid[i]->type.t.id == TACO_BINARY) {
            return taco__bind_fail(b, e->kid[i], "blobs cannot be concatenated here");
        }
        if (!taco__bind_type_add_cast(b, &e->kid[i], &text)) { return false; }
    }
    e->type = text;
    return true;
}

/* Functions from TACO__FUNC_LIST_VALUE on: those of one file have contiguous ids, and their types
   are determined there; for the others the table of functions names a variant (`part`), which is
   the plan. */
static bool taco__bind_call_by_file(taco__bind *b, taco__sql_expr *e, const taco__func *f)
{
    taco__sql_type text = taco__sql_type_simple(TACO_TEXT);
    if (f->id <= TACO__FUNC_LIST_TO_TEXT) { return taco__bind_list(b, e, f); }
    if (f->id == TACO__FUNC_PRINTF || f->id == TACO__FUNC_FORMAT) {
        return taco__func_format_bind(b, e);
    }
    if (f->id >= TACO__FUNC_STRFTIME && f->id <= TACO__FUNC_TRY_STRPTIME) {
        return taco__func_strftime_bind(b, e);
    }
    if (f->id >= TACO__FUNC_GLOB && f->id <= TACO__FUNC_REGEX_ESCAPE) {
        return taco__func_regex_bind(b, e);
    }
    e->plan = f->part;
    if (f->id == TACO__FUNC_PATH_PART && e->n > 1 && e->kid[1]->kind == TACO__SQL_EXPR_CAST &&
        e->kid[1]->kid[0]->type.t.id == TACO_NULL) {
        e->n = 1; /* a NULL is treated as absent */
    }
    /* nanoseconds are a type of their own, seconds of an epoch are those of UTC */
    if (f->id == TACO__FUNC_FROM_EPOCH && f->part[0] == 'n') { e->type.t.unit = TACO_NANO; }
    if (f->id == TACO__FUNC_FROM_EPOCH && f->part[0] == 's') { e->type.t.utc = true; }
    switch (f->id) {
    case TACO__FUNC_TO_INTERVAL:
        e->type = taco__sql_type_simple(TACO_INTERVAL);
        e->plan = taco__sql_parse_type_find_unit(taco__bytes_text(f->part));
        return true;
    case TACO__FUNC_BIT_AND:
    case TACO__FUNC_BIT_OR:
    case TACO__FUNC_XOR:
    case TACO__FUNC_BIT_NOT:
    case TACO__FUNC_SHIFT_LEFT:
    case TACO__FUNC_SHIFT_RIGHT:
    case TACO__FUNC_GCD:
    case TACO__FUNC_LCM: return taco__bind_call_integers(b, e);
    case TACO__FUNC_FACTORIAL: e->type = taco__sql_type_hugeint(); return true;
    case TACO__FUNC_BIT_COUNT:
        return taco__scalar_is_int(e->kid[0]->type.t.id) ||
               taco__sql_type_is_hugeint(&e->kid[0]->type) ||
               taco__bind_type_fail_mismatch(b, e, &e->kid[0]->type, &text,
                                             "whole numbers have bits, not");
    case TACO__FUNC_HEX:
    case TACO__FUNC_BIN: return taco__bind_call_bytes(b, e, true);
    case TACO__FUNC_MD5:
    case TACO__FUNC_SHA1:
    case TACO__FUNC_SHA256: return taco__bind_call_bytes(b, e, false);
    case TACO__FUNC_NEXT_AFTER:
        e->type = taco__bind_list_float(&e->kid[0]->type, &e->kid[1]->type);
        return taco__bind_type_add_cast(b, &e->kid[0], &e->type) &&
               taco__bind_type_add_cast(b, &e->kid[1], &e->type);
    default: return true;
    }
}

/* Types of functions that their signature does not express: operands with a common type, results
   that depend on them. Called after arguments have been cast according to the signature. */
static bool taco__bind_call_special(taco__bind *b, taco__sql_expr *e, const taco__func *f)
{
    taco__sql_type text = taco__sql_type_simple(TACO_TEXT);
    uint32_t k;
    if (f->id >= TACO__FUNC_LIST_VALUE) { return taco__bind_call_by_file(b, e, f); }
    switch (f->id) {
    case TACO__FUNC_HASH:
        for (k = 0; k < e->n; k++) {
            const taco__sql_type *t = &e->kid[k]->type;
            if (t->count || t->t.id == TACO_INTERVAL) {
                return taco__bind_call_fail_argument(b, e, k, "a value without parts", t);
            }
        }
        return true;
    case TACO__FUNC_CONTAINS:
        if (e->kid[0]->type.t.id == TACO_LIST) {
            e->func = TACO__FUNC_HAS;
            return taco__bind_list(b, e, f);
        }
        if (e->kid[0]->type.t.id == TACO_MAP) {
            e->func = TACO__FUNC_MAP_CONTAINS;
            return taco__bind_list(b, e, f);
        }
        return taco__bind_call_argument(b, e, 0, 't') && taco__bind_call_argument(b, e, 1, 't');
    case TACO__FUNC_REPEAT:
        if (e->kid[0]->type.t.id == TACO_LIST) {
            e->func = TACO__FUNC_LIST_REPEAT;
            return taco__bind_list(b, e, f);
        }
        if (e->kid[0]->type.t.id == TACO_NULL) { /* DuckDB treats it as a blob */
            return taco__bind_list_null(b, e, taco__sql_type_simple(TACO_BINARY));
        }
        return taco__bind_call_argument(b, e, 0, 't') && taco__bind_call_argument(b, e, 1, 'i');
    case TACO__FUNC_COALESCE:
    case TACO__FUNC_GREATEST:
    case TACO__FUNC_LEAST: return taco__bind_type_unify(b, e, 0, 1, false, false, &e->type);
    case TACO__FUNC_CONCAT_OP:
    case TACO__FUNC_CONCAT:
    case TACO__FUNC_CONCAT_WS: return taco__bind_call_concat(b, e, f);
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
    case TACO__FUNC_HAS: return taco__bind_list(b, e, f);
    case TACO__FUNC_LIKE: return taco__bind_call_like(b, e);
    case TACO__FUNC_PART:
    case TACO__FUNC_TRUNC_DATE:
    case TACO__FUNC_DATE_DIFF:
    case TACO__FUNC_DATE_SUB: return taco__bind_call_date(b, e, f);
    default: return f->id > TACO__FUNC_MOD || taco__bind_type_arithmetic(b, e);
    }
}

/* Binds a call of a function in the table, with bound arguments: finds it, casts the arguments,
   sets the result's type. */
static bool taco__bind_call_scalar(taco__bind *b, taco__sql_expr *e)
{
    bool known;
    const taco__func *f = taco__func_find(e->name, e->n, &known);
    uint32_t i;
    size_t codes;
    if (e->distinct || e->filter || e->sorts) {
        return taco__bind_fail(b, e, "DISTINCT, FILTER and ORDER BY belong to aggregates");
    }
    if (!f) {
        const char *near = known ? NULL : taco__func_nearest(e->name);
        if (known) {
            uint32_t least, most;
            taco__func_arity(e->name, &least, &most);
            return taco__bind_call_fail_arity(b, e, least, most, e->n);
        }
        TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at, "the function %q is not supported%s%s", &e->name,
                   near ? ", the nearest is " : "", near ? near : "");
        return false;
    }
    for (i = 0; f->id != TACO__FUNC_STRUCT_PACK && i < e->n; i++) {
        if (e->kid[i]->alias.len) {
            return taco__bind_fail(b, e->kid[i], "this function takes no named arguments");
        }
    }
    e->func = f->id;
    /* the last code of the signature applies to all further arguments */
    codes = strlen(f->args);
    if (f->id == TACO__FUNC_NEG && e->kid[0]->type.t.id == TACO_NULL) {
        e->kid[0]->type = taco__sql_type_simple(TACO_NULL);
    }
    for (i = 0; i < e->n; i++) {
        if (!taco__bind_call_argument(b, e, i, f->args[TACO__MIN((size_t)i, codes - 1)])) {
            return false;
        }
    }
    /* ? is first the type of the first argument, which taco__bind_call_special replaces */
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
    case 'W': e->type = taco__sql_type_simple(TACO_TIMESTAMP); break;
    case 'U': e->type = taco__sql_type_simple(TACO_UINT64); break;
    case 'B': e->type = taco__sql_type_simple(TACO_BINARY); break;
    case 'T':
        e->type = taco__sql_type_simple(TACO_TIME);
        e->type.t.unit = TACO_MICRO;
        break;
    default: e->type = e->n ? e->kid[0]->type : taco__sql_type_simple(TACO_NULL); break;
    }
    return taco__bind_call_special(b, e, f);
}

/* Binds the argument and FILTER of an aggregate, to columns of rows rather than of groups
   (b->inside), and casts them to types that aggregates take: a condition to BOOLEAN, NULL to
   INTEGER. */
static bool taco__bind_call_aggregate_operands(taco__bind *b, taco__sql_expr *e, uint8_t id,
                                               uint32_t args)
{
    taco__sql_type bit = taco__sql_type_simple(TACO_BOOL), null = taco__sql_type_simple(TACO_INT32),
                   when = taco__sql_type_simple(TACO_TIMESTAMP),
                   big = taco__sql_type_simple(TACO_INT64);
    const taco__sql_type *t;
    uint32_t k;
    b->inside = true;
    for (k = 0; k < e->n; k++) { /* constants after the values are not bound */
        if ((k < args || k >= e->n - e->sorts) && !taco__bind_expr(b, &e->kid[k])) { return false; }
    }
    if (e->filter && !taco__bind_expr(b, &e->filter)) { return false; }
    b->inside = false;
    if (e->filter && !taco__bind_type_add_cast(b, &e->filter, &bit)) { return false; }
    t = e->n ? &e->kid[0]->type : NULL;
    if (t && t->t.id == TACO_NULL) {
        if (id >= TACO__AGGREGATE_BIT_AND && id <= TACO__AGGREGATE_BIT_XOR) { null = big; }
        return taco__bind_type_add_cast(
            b, &e->kid[0], id == TACO__AGGREGATE_AND || id == TACO__AGGREGATE_OR ? &bit : &null);
    }
    if (t && taco__sql_type_has_interval(t) && (id != TACO__AGGREGATE_COUNT || e->distinct)) {
        return taco__bind_fail(b, e, "aggregates of INTERVAL are not supported");
    }
    /* DuckDB interpolates only timestamps in microseconds */
    return !(t && id == TACO__AGGREGATE_CONT && t->t.id == TACO_TIMESTAMP &&
             t->t.unit != TACO_MICRO) ||
           taco__bind_type_add_cast(b, &e->kid[0], &when);
}

/* Adds an aggregate with that text to b->aggrs. */
static bool taco__bind_call_add_aggregate(taco__bind *b, taco__sql_expr *e,
                                          const taco__aggregate_name *name, taco_bytes text)
{
    taco__bind_aggregation *g;
    if (b->aggr_count == TACO__BIND_MAX_AGGREGATES) {
        return taco__bind_fail(b, e, "more than 256 aggregates");
    }
    if (!b->aggrs) {
        b->aggrs = (taco__bind_aggregation *)taco__arena_array(b->arena, TACO__BIND_MAX_AGGREGATES,
                                                               sizeof *b->aggrs, b->err);
    }
    if (!b->aggrs) { return false; }
    g = &b->aggrs[b->aggr_count];
    g->text = text;
    g->a.id = e->n ? name->id : (uint8_t)TACO__AGGREGATE_COUNT_STAR;
    g->a.q = 0.5;
    g->a.distinct = e->distinct;
    g->a.args = name->args;
    g->a.sorts = (uint8_t)e->sorts;
    g->a.sort_flags = e->sort_flags;
    if (!taco__bind_call_aggregate_operands(b, e, g->a.id, name->args) ||
        !taco__bind_aggregate_options(b, e, name->args, &g->a)) {
        return false;
    }
    g->filter = e->filter;
    g->a.arg = taco__sql_type_simple(TACO_DOUBLE);
    if (e->n && !taco__bind_list_settle(b, &e->kid[0]->type, &g->a.arg)) { return false; }
    if (!taco__bind_aggregate_result(b, &g->a)) {
        return taco__bind_call_fail_argument(b, e, 0, taco__aggregate_wanted(g->a.id), &g->a.arg);
    }
    if (e->n && !taco__bind_aggregate_pack(b, e, &g->a, &g->arg)) { return false; }
    b->aggr_count++;
    return true;
}

/* Turns e into the column of an aggregate, after those of the groups. Equal aggregates, which have
   the same text, are computed once. */
static bool taco__bind_call_aggregate(taco__bind *b, taco__sql_expr *e,
                                      const taco__aggregate_name *name)
{
    taco_bytes text;
    uint32_t args = e->n - e->sorts;
    size_t i;
    if (b->inside) { return taco__bind_fail(b, e, "an aggregate inside an aggregate"); }
    if (b->no_aggr) {
        return taco__bind_fail(b, e, "an aggregate is not allowed in WHERE, ON or GROUP BY");
    }
    if ((args < (uint32_t)name->args + name->options || args > (uint32_t)name->args + name->most) &&
        !(name->id == TACO__AGGREGATE_COUNT && e->n == 0)) {
        return taco__bind_call_fail_arity(b, e, (uint32_t)name->args + name->options,
                                          (uint32_t)name->args + name->most, args);
    }
    /* before it is bound: binding changes the text */
    if (!taco__sql_expr_text_copy(b, e, &text)) { return false; }
    for (i = 0; i < b->aggr_count && !taco__bytes_equal(b->aggrs[i].text, text); i++) {}
    if (i == b->aggr_count && !taco__bind_call_add_aggregate(b, e, name, text)) { return false; }
    e->kind = TACO__SQL_EXPR_REF;
    e->index = b->group_count + i;
    e->type = b->aggrs[i].a.result;
    e->n = e->sorts = 0;
    e->filter = NULL;
    return true;
}

/* nullif(a, c) becomes CASE WHEN a = c THEN NULL ELSE a END, so that a is compared in the common
   type but returned in its own. a is copied, since both are bound separately. */
static bool taco__bind_call_nullif(taco__bind *b, taco__sql_expr *e)
{
    taco__sql_expr *cmp = (taco__sql_expr *)taco__arena_alloc(b->arena, sizeof *cmp, b->err),
                   *null = (taco__sql_expr *)taco__arena_alloc(b->arena, sizeof *null, b->err),
                   *a = e->kid[0],
                   *again = taco__bind_count_nodes(b, a) ? taco__sql_expr_copy(b->arena, a, b->err)
                                                         : NULL;
    taco__sql_expr **kids = (taco__sql_expr **)taco__arena_array(b->arena, 3, sizeof *kids, b->err);
    if (!cmp || !null || !again || !kids) { return false; }
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

/* Binds a call: an aggregate, syntax in the form of a call, or a function. The result may be
   another kind of node, for CASE even one that still has to be bound. */
TACO__FN bool taco__bind_call(taco__bind *b, taco__sql_expr *e)
{
    bool done = false;
    const taco__aggregate_name *aggr = e->infix ? NULL : taco__aggregate_lookup(e->name);
    if (aggr) { return taco__bind_call_aggregate(b, e, aggr); }
    if (!e->infix && taco__ascii_is_word(e->name, "unnest")) { return taco__unnest_bind(b, e); }
    /* other spellings of a field and of CASE */
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
    if (!taco__func_clock_bind(b, e, &done) || done) { return done; }
    return taco__bind_children(b, e) && taco__bind_call_scalar(b, e);
}
