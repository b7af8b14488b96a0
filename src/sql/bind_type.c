/* bind_type.c - type rules: the types that operands are cast to, and those of results

   The rules are DuckDB's: a literal takes the type of the other operand, an integer literal that
   fits does not widen it, DECIMALs get as many digits as a sum or product needs, up to 38. Each
   function inserts the casts into the tree. */
#include "sql.h"
#include "functions.h"
#include "../base/base.h"
#include "../filter/filter.h"

/* Puts a cast around *at unless it already has the type. */
TACO__FN bool taco__bind_type_add_cast(taco__bind *b, taco__sql_expr **at, const taco__sql_type *t)
{
    taco__sql_expr *e = *at, *c;
    char from[96], to[96];
    if (taco__sql_type_equal(&e->type, t)) { return true; }
    if (!taco__cast_is_possible(&e->type, t)) {
        taco__sql_type_text(&e->type, from, sizeof from);
        taco__sql_type_text(t, to, sizeof to);
        TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at, "a %s cannot be a %s", from, to);
        return false;
    }
    c = (taco__sql_expr *)taco__arena_alloc(b->arena, sizeof *c, b->err);
    if (!c) { return false; }
    c->kind = TACO__SQL_EXPR_CAST;
    c->at = e->at;
    c->kid = (taco__sql_expr **)taco__arena_alloc(b->arena, sizeof *c->kid, b->err);
    if (!c->kid) { return false; }
    c->kid[0] = e;
    c->n = c->cap = 1;
    c->type = c->to = *t;
    c->depth = e->depth + 1;
    *at = c;
    return true;
}

/* Whether e is an integer literal that fits in the integer type t, and so takes that type: t_int8 +
   1 is a TINYINT. */
static bool taco__bind_type_fits_literal(const taco__sql_expr *e, const taco__sql_type *t)
{
    return e->literal == 1 && taco__scalar_is_int(t->t.id) && taco__scalar_fits(&t->t, &e->value.d);
}

/* A literal takes the type of the other operand: a text if it can be cast, an integer if it fits;
   two integers get the wider of their types. False if neither operand is such a literal; *possible
   if one is, and can be converted. */
static bool taco__bind_type_from_literal(const taco__sql_expr *a, const taco__sql_type *ta,
                                         const taco__sql_expr *c, taco__sql_type *out,
                                         bool *possible)
{
    const taco__sql_type *tc = &c->type;
    *possible = true;
    if (c->literal == 2 && tc->t.id == TACO_TEXT) {
        *out = *ta;
        *possible = taco__cast_is_possible(tc, ta);
    } else if (a && a->literal == 2 && ta->t.id == TACO_TEXT) {
        *out = *tc;
        *possible = taco__cast_is_possible(ta, tc);
    } else if (a && a->literal == 1 && c->literal == 1 && taco__scalar_is_int(ta->t.id) &&
               taco__scalar_is_int(tc->t.id)) {
        *out = taco__sql_type_common_int(ta, tc);
    } else if (taco__bind_type_fits_literal(c, ta)) {
        *out = *ta;
    } else if (a && taco__bind_type_fits_literal(a, tc)) {
        *out = *tc;
    } else {
        return false;
    }
    return true;
}

/* A text and another type: compared as the other type, which must be a number; stored as a text. */
static bool taco__bind_type_common_text(const taco__sql_type *ta, const taco__sql_type *tc,
                                        bool compare, taco__sql_type *out)
{
    const taco__sql_type *other = ta->t.id == TACO_TEXT ? tc : ta;
    bool number = taco__sql_type_is_number(other) || other->t.id == TACO_BOOL;
    *out = compare ? *other : ta->t.id == TACO_TEXT ? *ta : *tc;
    return compare ? number : taco__cast_is_possible(other, out);
}

/* Limits a DECIMAL for two types to 38 digits, keeping those before the point. A HUGEINT stays
   one. */
static void taco__bind_type_limit_decimal(const taco__sql_type *ta, const taco__sql_type *tc,
                                          taco__sql_type *out)
{
    bool huge = taco__sql_type_is_hugeint(ta) || taco__sql_type_is_hugeint(tc);
    int32_t whole = TACO__MIN(out->t.precision - out->t.scale, 38);
    if (out->t.precision <= 38 || (out->t.precision == 39 && out->t.scale == 0 &&
                                   (huge || ta->t.id == TACO_UINT64 || tc->t.id == TACO_UINT64))) {
        return;
    }
    out->t.precision = 38;
    if (!huge) { out->t.scale = TACO__MIN(out->t.scale, 38 - whole); }
}

/* The type of a value that is one of the two. A literal takes the other's type. */
static bool taco__bind_type_common(const taco__sql_expr *a, const taco__sql_type *ta,
                                   const taco__sql_expr *c, bool compare, taco__sql_type *out)
{
    const taco__sql_type *tc = &c->type;
    bool possible;
    if (ta->t.id == TACO_NULL || tc->t.id == TACO_NULL) {
        *out = ta->t.id == TACO_NULL ? *tc : *ta;
        return true;
    }
    if (taco__sql_type_equal(ta, tc)) {
        *out = *ta;
        return true;
    }
    if (taco__bind_type_from_literal(a, ta, c, out, &possible)) { return possible; }
    if (ta->geo || tc->geo || ta->count || tc->count) { return false; }
    memset(out, 0, sizeof *out);
    if ((ta->t.id == TACO_TEXT) != (tc->t.id == TACO_TEXT)) {
        return taco__bind_type_common_text(ta, tc, compare, out);
    }
    if (!taco__scalar_common_type(&ta->t, &tc->t, true, &out->t)) { return false; }
    if (out->t.id == TACO_HALF) { out->t.id = TACO_FLOAT; }
    if (!compare && out->t.id == TACO_DECIMAL) { taco__bind_type_limit_decimal(ta, tc, out); }
    return true;
}

/* taco__bind_type_common for any two types: those of lists, maps and structs child by child. */
TACO__FN bool taco__bind_type_either(taco__bind *b, const taco__sql_expr *a,
                                     const taco__sql_type *ta, const taco__sql_expr *c,
                                     bool compare, taco__sql_type *out)
{
    return ta->count && c->type.count ? taco__bind_list_common(b, ta, &c->type, compare, out)
                                      : taco__bind_type_common(a, ta, c, compare, out);
}

/* A SYNTAX error that names two types: "no comparison of VARCHAR[] and INTEGER". */
TACO__FN TACO__COLD bool taco__bind_type_fail_mismatch(taco__bind *b, const taco__sql_expr *e,
                                                       const taco__sql_type *x,
                                                       const taco__sql_type *y, const char *what)
{
    char from[96], to[96];
    taco__sql_type_text(x, from, sizeof from);
    taco__sql_type_text(y, to, sizeof to);
    TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at, "%s %s and %s", what, from, to);
    return false;
}

/* Casts the operands first, first + step, ... to one type, *out: from left to right, each with the
   type so far; odd_last: also the last operand, the ELSE of a CASE. As long as all of them are
   texts in quotes, or there is one integer, they count as one literal. */
TACO__FN bool taco__bind_type_unify(taco__bind *b, taco__sql_expr *e, uint32_t first, uint32_t step,
                                    bool odd_last, bool compare, taco__sql_type *out)
{
    uint32_t i;
    bool literal = true;
    *out = taco__sql_type_simple(TACO_NULL);
    for (i = first; i < e->n; i += (odd_last && i + step >= e->n && i + 1 < e->n) ? 1 : step) {
        taco__sql_type before = *out;
        taco__sql_expr held;
        memset(&held, 0, sizeof held);
        held.literal = literal ? e->kid[first]->literal : 0;
        held.value = e->kid[first]->value;
        if (!taco__bind_type_either(b, i > first ? &held : NULL, &before, e->kid[i], compare,
                                    out)) {
            return taco__bind_type_fail_mismatch(b, e->kid[i], &before, &e->kid[i]->type,
                                                 "no type for both");
        }
        /* two integers are an INTEGER or wider, whatever comes after them */
        literal = literal && e->kid[i]->literal == e->kid[first]->literal &&
                  (i == first || e->kid[i]->literal != 1);
    }
    if (out->t.id == TACO_NULL) { *out = taco__sql_type_simple(TACO_INT32); }
    for (i = first; i < e->n; i += (odd_last && i + step >= e->n && i + 1 < e->n) ? 1 : step) {
        if (!taco__bind_type_add_cast(b, &e->kid[i], out)) { return false; }
    }
    return true;
}

/* The DECIMAL of a sum or product, sized as in DuckDB. A sum keeps the larger scale and one more
   digit: DECIMAL(5,2) + DECIMAL(4,3) is DECIMAL(7,3). A product adds precisions and scales. Results
   of operands up to 18 digits stay at 18, which fits in 64 bits; beyond 38 digits % is computed in
   DOUBLE. */
static bool taco__bind_type_decimal_result(taco__bind *b, taco__sql_expr *e, uint32_t id)
{
    taco__sql_type t[2], r = taco__sql_type_simple(TACO_DECIMAL);
    int32_t i, whole = 0, scale = 0, width = 0;
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
    /* no DECIMAL holds both operands of the remainder */
    if (id == TACO__FUNC_MOD && TACO__MAX(scale + whole, width) > 38) {
        e->type = t[0] = t[1] = taco__sql_type_simple(TACO_DOUBLE);
        e->func = TACO__FUNC_MOD_NULL;
        return taco__bind_type_add_cast(b, &e->kid[0], &t[0]) &&
               taco__bind_type_add_cast(b, &e->kid[1], &t[1]);
    }
    /* in a product, operands keep their scales; in a sum both get that of the result */
    if (id == TACO__FUNC_MUL) {
        r.t.precision = t[0].t.precision + t[1].t.precision;
        r.t.scale = t[0].t.scale + t[1].t.scale;
        if (r.t.scale > 38) {
            return taco__bind_fail(b, e,
                                   "the product has more than 38 digits after the decimal point");
        }
        if (r.t.precision > 18 && width <= 18 && r.t.scale < 18) { r.t.precision = 18; }
    } else {
        r.t.scale = scale;
        r.t.precision = TACO__MAX(scale + whole, width) + (id != TACO__FUNC_MOD);
        if (r.t.precision > 18 && width <= 18 && id != TACO__FUNC_MOD) { r.t.precision = 18; }
        t[0].t.scale = t[1].t.scale = scale; /* both get the scale of the result */
        t[0].t.precision = t[1].t.precision = r.t.precision = TACO__MIN(r.t.precision, 38);
    }
    r.t.precision = TACO__MIN(r.t.precision, 38);
    e->type = r;
    return taco__bind_type_add_cast(b, &e->kid[0], &t[0]) &&
           taco__bind_type_add_cast(b, &e->kid[1], &t[1]);
}

/* DATE and TIMESTAMP with days and intervals: date + 1, 1 + date, date - date (days, BIGINT),
   timestamp +- INTERVAL. Sets *done if it is one of these; true without *done if not. */
static bool taco__bind_type_datetime_result(taco__bind *b, taco__sql_expr *e, bool *done)
{
    taco__sql_expr *x = e->kid[0], *y = e->kid[1];
    taco__sql_type day = taco__sql_type_simple(TACO_INT32);
    *done = true;
    if (e->func == TACO__FUNC_ADD &&
        (taco__sql_type_is_datetime(&y->type) || y->type.t.id == TACO_TIME) &&
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
    if (x->type.t.id == TACO_TIME && !x->type.t.utc && y->type.t.id == TACO_INTERVAL) {
        e->type = taco__sql_type_simple(TACO_TIME);
        e->type.t.unit = TACO_MICRO;
        return taco__bind_type_add_cast(b, &e->kid[0], &e->type);
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

/* A NULL operand takes the type of the other one; two of them are BIGINTs. */
static bool taco__bind_type_null_operands(taco__bind *b, taco__sql_expr *e)
{
    taco__sql_type null = taco__sql_type_simple(TACO_INT64), t;
    uint32_t k;
    for (k = 0; k < 2; k++) {
        if (e->kid[k]->type.t.id == TACO_NULL) {
            t = e->kid[1 - k]->type.t.id == TACO_NULL ? null : e->kid[1 - k]->type;
            if (!taco__bind_type_add_cast(b, &e->kid[k], &t)) { return false; }
        }
    }
    return true;
}

/* Whole numbers, HUGEINT among them. */
static bool taco__bind_type_is_integer(const taco__sql_type *t)
{
    return taco__sql_type_is_hugeint(t) || taco__scalar_is_int(t->t.id);
}

/* The common type of two numbers; false for DECIMALs, which taco__bind_type_decimal_result
   sizes. */
static bool taco__bind_type_number_result(const taco__sql_expr *x, const taco__sql_expr *y,
                                          uint32_t id, taco__sql_type *out)
{
    const taco__scalar_type *a = &x->type.t, *c = &y->type.t;
    bool literals = x->literal == 1 && y->literal == 1;
    if (!literals && taco__bind_type_fits_literal(y, &x->type)) {
        *out = x->type;
    } else if (!literals && taco__bind_type_fits_literal(x, &y->type)) {
        *out = y->type;
    } else if (taco__scalar_is_int(a->id) && taco__scalar_is_int(c->id)) {
        *out = taco__sql_type_common_int(&x->type, &y->type);
    } else if (taco__scalar_is_float(a->id) || taco__scalar_is_float(c->id)) {
        *out = taco__sql_type_simple(a->id == TACO_DOUBLE || c->id == TACO_DOUBLE ? TACO_DOUBLE
                                                                                  : TACO_FLOAT);
    } else if (taco__bind_type_is_integer(&x->type) && taco__bind_type_is_integer(&y->type)) {
        *out = taco__sql_type_hugeint();
    } else if (id == TACO__FUNC_DIV || id == TACO__FUNC_IDIV) {
        *out = taco__sql_type_simple(TACO_DOUBLE);
    } else {
        return false;
    }
    return true;
}

/* Types of + - * / // and %: casts both operands to the type of the operation, which is that of the
   result except for dates. / is always in floating point. */
TACO__FN bool taco__bind_type_arithmetic(taco__bind *b, taco__sql_expr *e)
{
    taco__sql_expr *x, *y;
    taco__sql_type t;
    uint32_t id = e->func;
    bool done = false;
    if ((id == TACO__FUNC_ADD || id == TACO__FUNC_SUB) &&
        (!taco__bind_type_datetime_result(b, e, &done) || done)) {
        return done && b->err->code == TACO_OK;
    }
    if (!taco__bind_type_null_operands(b, e)) { return false; }
    x = e->kid[0];
    y = e->kid[1];
    if (!taco__sql_type_is_number(&x->type) || !taco__sql_type_is_number(&y->type)) {
        return taco__bind_type_fail_mismatch(b, e, &x->type, &y->type, "no arithmetic with");
    }
    if (!taco__bind_type_number_result(x, y, id, &t)) {
        return taco__bind_type_decimal_result(b, e, id);
    }
    if (id == TACO__FUNC_DIV && t.t.id != TACO_FLOAT) { t = taco__sql_type_simple(TACO_DOUBLE); }
    e->type = t;
    return taco__bind_type_add_cast(b, &e->kid[0], &t) &&
           taco__bind_type_add_cast(b, &e->kid[1], &t);
}

/* The result of ROUND, FLOOR, CEIL and TRUNC: for DECIMALs one with fewer digits after the point,
   for integers as in DuckDB. */
TACO__FN bool taco__bind_type_round(taco__bind *b, taco__sql_expr *e)
{
    taco__sql_type *t = &e->kid[0]->type;
    int64_t digits = 0;
    bool up = e->func == TACO__FUNC_FLOOR || e->func == TACO__FUNC_CEIL;
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
    if (t->t.id != TACO_DECIMAL || t->t.precision == 39) { return true; }
    if (e->n > 1) {
        taco__sql_expr *d = e->kid[1]->kind == TACO__SQL_EXPR_CAST ? e->kid[1]->kid[0] : e->kid[1];
        if (d->kind != TACO__SQL_EXPR_CONST) {
            return taco__bind_fail(b, e, "rounding of a DECIMAL takes a constant number of digits");
        }
        digits = (int64_t)d->value.d.w[0];
    }
    if (digits < 0 && e->func == TACO__FUNC_TRUNC) { digits = 0; }
    if (digits < 0) {
        return taco__bind_fail(b, e, "ROUND of a DECIMAL takes no negative number of digits");
    }
    if (digits < t->t.scale) { e->type.t.scale = (int32_t)digits; }
    return true;
}
