/* predicate_bind.c - resolves the columns of a predicate and converts its literals to their types

   In: a tree that was parsed or made (taco__expr), and the columns of a table. Out: the same tree,
   changed in place, ready for predicate_eval.c and predicate_prune.c; or an error that names the
   column, its type and what it was given, or the nearest names.

   taco__pred_bind_node goes from the leaves up, one function per kind of node. Each finds the one
   type that its operands are compared in (DuckDB's rules, scalar.c), converts literals in quotes to
   it, and replaces the node by the simplest equivalent:
   - nodes with only constants become a CONST: TRUE, FALSE or NULL;
   - a comparison, IN or LIKE of a column with constants becomes a TEST (predicate_test.c);
   - BETWEEN becomes an AND of two comparisons, other INs an OR of them;
   - AND and OR drop redundant operands, NOT moves into nodes that have `neg`.
   Other nodes that remain: IS, a CMP or LIKE of two columns, and CUSTOM. Start reading there. */
#include "predicate.h"
#include "../base/base.h"
#include "../arrow/arrow.h"

/* The position of a column in the text it was written in, if any. */
static uint64_t taco__pred_bind_place(const taco__expr *column)
{
    return column->source.data ? column->at : TACO_NO_OFFSET;
}

/* Prefixes a message about a column with the text the column was written in. False. */
static TACO__COLD bool taco__pred_bind_fail_in(taco__pred_binder *b, const taco__expr *column)
{
    if (column->source.data) { taco__error_prefix(b->err, "%q", &column->source); }
    return false;
}

/* Checks that a constant needs no DECIMAL if TACO_NO_DECIMALS is defined: it has at most 15 digits,
   so that the nearest DOUBLE is exact enough, or is an integer that only UINT64 holds. single: it
   is compared with a FLOAT, which holds fewer digits. */
static TACO__ONCE bool taco__pred_bind_check_decimal(taco__pred_binder *b, const taco__expr *e,
                                                     bool single)
{
    const taco__scalar *v = &e->value;
    int64_t x = (int64_t)v->d.w[0];
    if (TACO__WITH_DECIMALS || e->type.id != TACO_DECIMAL) { return true; }
    if (e->kind == TACO__PRED_CONST && single) {
        if (v->type.precision <= 10 && x <= 1 << 24 && x >= -(1 << 24)) { return true; }
    } else if (e->kind == TACO__PRED_CONST &&
               (v->type.precision <= 15 ||
                (v->type.precision == 39 && !(v->d.w[1] | v->d.w[2] | v->d.w[3])))) {
        return true;
    }
    TACO__FAIL(b->err, TACO_ERR_UNSUPPORTED, e->at,
               "a decimal column or a number of so many digits, left out by TACO_NO_DECIMALS");
    return false;
}

/* Finds the column by its exact name, or checks the index that a constructor was given. */
static TACO__ONCE bool taco__pred_bind_column(taco__pred_binder *b, taco__expr *e)
{
    if (e->name.data) {
        for (e->column = 0; e->column < b->n; e->column++) {
            if (taco__bytes_equal(e->name, taco__bytes_text(b->columns[e->column].name))) { break; }
        }
        if (e->column == b->n) {
            taco__field_names_not_found(b->columns, b->n, e->name, TACO__FIELD_NAMES_QUOTES,
                                        taco__pred_bind_place(e), b->err);
            return taco__pred_bind_fail_in(b, e);
        }
    } else if (e->column >= b->n) {
        TACO__FAIL(b->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "the condition names column %u, there are %u", TACO__U(e->column),
                   TACO__U(b->n));
        return false;
    }
    e->field = &b->columns[e->column];
    /* what is not written as SQL, a range or a caller's function, tests values as stored */
    if (b->as && b->as[e->column] && e->kind == TACO__PRED_COLUMN) {
        e->field = b->as[e->column];
        e->cast = b->cast;
    }
    e->type = taco__scalar_type_of_field(e->field);
    e->name = taco__bytes_text(e->field->name);
    return taco__pred_bind_check_decimal(b, e, false);
}

/* ---- binding: messages ---- */

/* A description of a node that is neither a column nor NULL, for messages. */
static TACO__ONCE const char *taco__pred_bind_node_text(const taco__expr *e)
{
    if (e->kind != TACO__PRED_CONST) { return "a condition"; }
    switch (e->type.id) {
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

/* A column that nothing can be compared with. */
static bool taco__pred_bind_is_opaque(const taco__expr *x)
{
    return x->kind == TACO__PRED_COLUMN &&
           (taco__scalar_is_nested(x->type.id) || x->type.id == TACO_INTERVAL);
}

/* "column 'split' is TEXT, was given a number": x and y cannot be compared. If one is opaque, it is
   x. False. */
static TACO__COLD bool taco__pred_bind_type_mismatch(taco__pred_binder *b, const taco__expr *x,
                                                     const taco__expr *y)
{
    const taco__expr *c = x->kind == TACO__PRED_COLUMN ? x : y, *o = c == x ? y : x;
    if (c->kind != TACO__PRED_COLUMN) {
        TACO__FAIL(b->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "%s and %s cannot be compared",
                   taco__pred_bind_node_text(x), taco__pred_bind_node_text(y));
    } else if (taco__pred_bind_is_opaque(c)) {
        TACO__FAIL(b->err, TACO_ERR_TYPE, taco__pred_bind_place(c),
                   "column %q is %s, only IS NULL and IS NOT NULL can test it", &c->name,
                   taco__scalar_type_name(c->type.id));
    } else if (o->kind == TACO__PRED_COLUMN) {
        TACO__FAIL(b->err, TACO_ERR_TYPE, taco__pred_bind_place(c),
                   "column %q is %s and column %q is %s, they cannot be compared", &c->name,
                   taco__scalar_type_name(c->type.id), &o->name,
                   taco__scalar_type_name(o->type.id));
    } else {
        TACO__FAIL(b->err, TACO_ERR_TYPE, taco__pred_bind_place(c), "column %q is %s, was given %s",
                   &c->name, taco__scalar_type_name(c->type.id), taco__pred_bind_node_text(o));
    }
    return taco__pred_bind_fail_in(b, c);
}

/* Converts a literal in quotes to the type it is compared in; `with`, the other operand or NULL, is
   named if the text is not a value of that type. Other nodes are unchanged. */
static TACO__ONCE bool taco__pred_bind_type_literal(taco__pred_binder *b, taco__expr *e,
                                                    const taco__scalar_type *t,
                                                    const taco__expr *with)
{
    taco__scalar v;
    if (e->kind != TACO__PRED_CONST || !e->text || t->id == TACO_TEXT) { return true; }
    if (!taco__scalar_parse(b->arena, e->value.b, t, &v, b->err)) {
        if (with && with->kind == TACO__PRED_COLUMN) {
            TACO__FAIL(b->err, TACO_ERR_TYPE, taco__pred_bind_place(with),
                       "column %q is %s, was given %q", &with->name,
                       taco__scalar_type_name(with->type.id), &e->value.b);
            return taco__pred_bind_fail_in(b, with);
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

/* Whether c fits in *t, the type so far, without widening it: an integer literal whose value fits
   the integer type of the others takes that type. */
static TACO__ONCE bool taco__pred_bind_literal_fits(const taco__scalar_type *t, const taco__expr *c)
{
    return c->kind == TACO__PRED_CONST && taco__scalar_is_int(c->type.id) &&
           taco__scalar_is_int(t->id) && taco__scalar_fits(t, &c->value.d);
}

/* The common type in which e->first and its siblings are compared, found from left to right as
   DuckDB does; literals in quotes take it last, and are converted. */
static TACO__ONCE bool taco__pred_bind_common_type(taco__pred_binder *b, taco__expr *e,
                                                   bool equality, taco__scalar_type *out)
{
    taco__expr *c, *seen = NULL;
    taco__scalar_type t = taco__scalar_simple_type(TACO_NULL);
    for (c = e->first; c; c = c->next) {
        if (taco__pred_bind_is_opaque(c)) {
            return taco__pred_bind_type_mismatch(b, c,
                                                 c == e->first && c->next ? c->next : e->first);
        }
        if ((c->kind == TACO__PRED_CONST && c->text) || c->type.id == TACO_NULL) { continue; }
        if (!taco__pred_bind_literal_fits(&t, c) &&
            !taco__scalar_common_type(&t, &c->type, equality, &t)) {
            return taco__pred_bind_type_mismatch(b, seen, c); /* the first one fits in NULL */
        }
        seen = seen && seen->kind == TACO__PRED_COLUMN ? seen : c;
    }
    *out = t.id == TACO_NULL ? taco__scalar_simple_type(TACO_TEXT) : t;
    for (c = e->first; c; c = c->next) {
        if (!taco__pred_bind_type_literal(b, c, out, seen) ||
            (!TACO__WITH_DECIMALS && out->id == TACO_FLOAT &&
             !taco__pred_bind_check_decimal(b, c, true))) {
            return false;
        }
    }
    return true;
}

/* a op b is b mirror(op) a. */
static TACO__ONCE taco__compare_op taco__pred_bind_mirror_op(taco__compare_op op)
{
    return op == TACO__OP_LT   ? TACO__OP_GT
           : op == TACO__OP_LE ? TACO__OP_GE
           : op == TACO__OP_GT ? TACO__OP_LT
           : op == TACO__OP_GE ? TACO__OP_LE
                               : op;
}

/* Whether `a op b` holds if a compares to b as `order`, which is < 0, 0 or > 0. */
static TACO__ONCE bool taco__pred_bind_op_accepts(taco__compare_op op, int order)
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

/* A comparison with NULL on one or both sides: NULL, unless it is IS [NOT] DISTINCT FROM. */
static TACO__ONCE void taco__pred_bind_compare_null(taco__expr *e)
{
    taco__expr *x = e->first, *y = x->next;
    bool both = x->type.id == TACO_NULL && y->type.id == TACO_NULL;
    taco__expr *side = x->type.id == TACO_NULL ? y : x;
    if (!e->nullsafe) {
        taco__expr_replace_const(e, taco__expr_bool_value(-1));
    } else if (both) {
        taco__expr_replace_const(e, taco__expr_bool_value(e->op == TACO__OP_EQ));
    } else if (side->kind == TACO__PRED_CONST) {
        taco__expr_replace_const(e, taco__expr_bool_value(e->op == TACO__OP_NE));
    } else { /* IS DISTINCT FROM NULL is IS NOT NULL */
        e->kind = TACO__PRED_IS;
        e->is = TACO__IS_NULL;
        e->neg = e->op == TACO__OP_NE;
        e->nullsafe = false;
        e->first = e->last = NULL;
        taco__expr_append_child(e, side);
    }
}

/* A comparison whose sides are bound and have types that compare in `type`. */
static TACO__ONCE bool taco__pred_bind_compare(taco__pred_binder *b, taco__expr *e,
                                               const taco__scalar_type *type)
{
    taco__expr *x = e->first, *y = x->next;
    taco__compare_domain dom = taco__scalar_domain_of(type->id);
    e->type = taco__scalar_simple_type(TACO_BOOL);
    e->domain = dom;
    if (x->type.id == TACO_NULL || y->type.id == TACO_NULL) {
        /* constants, and columns without values */
        taco__pred_bind_compare_null(e);
        return true;
    }
    if (x->kind == TACO__PRED_CONST && y->kind == TACO__PRED_CONST) {
        int order = taco__scalar_compare(dom, &x->value, &y->value);
        taco__expr_replace_const(e,
                                 taco__expr_bool_value(taco__pred_bind_op_accepts(e->op, order)));
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

/* A copy of a bound value, to be used a second time in the tree. */
static TACO__ONCE taco__expr *taco__pred_bind_copy(taco__pred_binder *b, const taco__expr *e)
{
    taco__expr *c = taco__expr_make(b->arena, e->kind, e->at, b->err);
    if (c) {
        *c = *e;
        c->next = NULL;
    }
    return c;
}

/* NOT around a node that has no `neg`: e becomes the NOT, a copy of it the child. */
static TACO__ONCE bool taco__pred_bind_wrap_not(taco__pred_binder *b, taco__expr *e)
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
static TACO__ONCE bool taco__pred_bind_invert(taco__pred_binder *b, taco__expr *e)
{
    if (e->kind == TACO__PRED_CONST) {
        if (e->type.id != TACO_NULL) {
            taco__expr_replace_const(e, taco__expr_bool_value(e->value.d.w[0] == 0));
        }
        return true;
    }
    if (e->kind == TACO__PRED_TEST || e->kind == TACO__PRED_IS) {
        e->neg = !e->neg;
        return true;
    }
    if (e->kind == TACO__PRED_NOT) {
        taco__expr_replace(e, e->first);
        return true;
    }
    return taco__pred_bind_wrap_not(b, e);
}

/* Adds child c to the AND or OR e. In an AND it is merged into a test of the same column if
   possible; only the first few tests are tried, because a chain of thousands must not take
   quadratic time. */
static TACO__ONCE void taco__pred_bind_add_to_junction(taco__expr *e, taco__expr *c)
{
    taco__expr *d = e->kind == TACO__PRED_AND ? e->first : NULL;
    int tries = 16;
    while (d && !taco__pred_test_merge(d, c)) {
        d = --tries ? d->next : NULL;
    }
    if (!d) { taco__expr_append_child(e, c); }
}

/* AND and OR, with bound children: takes in children of the same kind, drops redundant ones, merges
   ranges, and is replaced by its child if only one is left. */
static TACO__ONCE bool taco__pred_bind_junction(taco__pred_binder *b, taco__expr *e)
{
    bool is_and = e->kind == TACO__PRED_AND, null = false, decided = false;
    taco__expr *c = e->first, *next, *d;
    e->first = e->last = NULL;
    e->depth = 1;
    e->type = taco__scalar_simple_type(TACO_BOOL);
    for (; c; c = next) {
        next = c->next;
        if (c->kind == e->kind) { /* (a AND b) in an AND: a and b come next */
            for (d = c->first; d->next; d = d->next) {}
            d->next = next;
            next = c->first;
        } else if (c->kind != TACO__PRED_CONST) {
            taco__pred_bind_add_to_junction(e, c);
        } else if (c->type.id == TACO_NULL) {
            null = true;
        } else { /* FALSE decides an AND, TRUE an OR; the opposite constant is redundant */
            decided = decided || (c->value.d.w[0] == 0) == is_and;
        }
    }
    if (decided || !e->first) {
        taco__expr_replace_const(e, taco__expr_bool_value(decided ? !is_and : null ? -1 : is_and));
        return true;
    }
    if (null) {
        d = taco__expr_const(b->arena, taco__expr_bool_value(-1), b->err);
        if (!d) { return false; }
        taco__expr_append_child(e, d);
    }
    if (!e->first->next) { taco__expr_replace(e, e->first); }
    return true;
}

/* x IN (a, b) that cannot be a TEST: e becomes x = a OR x = b. */
static TACO__ONCE bool taco__pred_bind_in_as_or(taco__pred_binder *b, taco__expr *e,
                                                const taco__scalar_type *type)
{
    taco__expr *value = e->first, *item = value->next, *next;
    taco__expr *any = taco__expr_make(b->arena, TACO__PRED_OR, e->at, b->err);
    for (; any && item; item = next) {
        taco__expr *left = taco__pred_bind_copy(b, value), *equal;
        next = item->next;
        equal = left ? taco__expr_compare(b->arena, TACO__OP_EQ, left, item, b->err) : NULL;
        if (!equal || !taco__pred_bind_compare(b, equal, type)) { return false; }
        taco__expr_append_child(any, equal);
    }
    if (!any || !taco__pred_bind_junction(b, any)) { return false; }
    taco__expr_replace(e, any);
    return true;
}

/* IN: constants against a column are one TEST, anything else a chain of OR. */
static TACO__ONCE bool taco__pred_bind_in(taco__pred_binder *b, taco__expr *e)
{
    taco__scalar_type type;
    taco__expr *c = e->first, *k;
    bool constants = c->kind == TACO__PRED_COLUMN && c->type.id != TACO_NULL, neg = e->neg;
    if (!taco__pred_bind_common_type(b, e, true, &type)) { return false; }
    for (k = c->next; k; k = k->next) {
        constants = constants && k->kind == TACO__PRED_CONST;
    }
    e->neg = false;
    if (!(constants ? taco__pred_test_from_list(b, e, &type)
                    : taco__pred_bind_in_as_or(b, e, &type))) {
        return false;
    }
    return !neg || taco__pred_bind_invert(b, e);
}

/* A constant as a condition: nonzero numbers are TRUE, texts are parsed as BOOL. */
static TACO__ONCE bool taco__pred_bind_const_to_condition(taco__pred_binder *b, taco__expr *e)
{
    taco__scalar_type t = taco__scalar_simple_type(TACO_BOOL);
    if (e->text) { return taco__pred_bind_type_literal(b, e, &t, NULL); }
    if (taco__scalar_is_number(e->type.id)) {
        bool set = taco__scalar_key_f64(taco__scalar_to_double(&e->value, false)) != 0;
        taco__expr_replace_const(e, taco__expr_bool_value(set));
    }
    return true;
}

/* A column as a condition: x <> 0; one without values is NULL. Other nodes are unchanged. */
static TACO__ONCE bool taco__pred_bind_column_to_condition(taco__pred_binder *b, taco__expr *e)
{
    taco__expr *copy, *zero;
    if (e->type.id == TACO_NULL) {
        taco__expr_replace_const(e, taco__expr_bool_value(-1));
        return true;
    }
    if (e->type.id != TACO_BOOL && !taco__scalar_is_number(e->type.id)) { return true; }
    copy = taco__pred_bind_copy(b, e);
    zero = taco__expr_const(
        b->arena, taco__scalar_make_int(e->type.id == TACO_BOOL ? TACO_BOOL : TACO_INT32, 0),
        b->err);
    return copy && zero &&
           taco__pred_test_from_compare(b, e, copy, TACO__OP_NE, zero,
                                        taco__scalar_domain_of(e->type.id));
}

/* Turns a bound value into a condition, as DuckDB casts it to BOOL, or fails with its type. */
static TACO__ONCE bool taco__pred_bind_to_condition(taco__pred_binder *b, taco__expr *e)
{
    if ((e->kind == TACO__PRED_CONST && !taco__pred_bind_const_to_condition(b, e)) ||
        (e->kind == TACO__PRED_COLUMN && !taco__pred_bind_column_to_condition(b, e))) {
        return false;
    }
    if (e->type.id == TACO_BOOL || e->type.id == TACO_NULL) { return true; }
    if (e->kind == TACO__PRED_COLUMN) {
        TACO__FAIL(b->err, TACO_ERR_TYPE, taco__pred_bind_place(e),
                   "column %q is %s, a condition needs BOOL or a number", &e->name,
                   taco__scalar_type_name(e->type.id));
        return taco__pred_bind_fail_in(b, e);
    }
    TACO__FAIL(b->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "%s is not a condition",
               taco__pred_bind_node_text(e));
    return false;
}

/* ---- binding: nodes ---- */

/* x BETWEEN a AND b is x >= a AND x <= b, with all three in one type. */
static TACO__ONCE bool taco__pred_bind_between(taco__pred_binder *b, taco__expr *e)
{
    taco__expr *v = e->first, *low = v->next, *high = low->next, *copy, *ge, *le;
    taco__scalar_type type;
    bool neg = e->neg;
    if (!taco__pred_bind_common_type(b, e, false, &type)) { return false; }
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

/* LIKE accepts only texts and NULL: DuckDB has no LIKE for numbers either. */
static TACO__ONCE bool taco__pred_bind_check_text(taco__pred_binder *b, const taco__expr *e)
{
    if (e->type.id == TACO_TEXT || e->type.id == TACO_NULL) { return true; }
    if (e->kind == TACO__PRED_COLUMN) {
        TACO__FAIL(b->err, TACO_ERR_TYPE, taco__pred_bind_place(e),
                   "column %q is %s, LIKE needs TEXT", &e->name,
                   taco__scalar_type_name(e->type.id));
        return taco__pred_bind_fail_in(b, e);
    }
    TACO__FAIL(b->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "LIKE needs TEXT, was given %s",
               taco__pred_bind_node_text(e));
    return false;
}

/* LIKE with a constant pattern: compiled once, and evaluated if the text is constant, too. */
static TACO__ONCE bool taco__pred_bind_like_constant(taco__pred_binder *b, taco__expr *e,
                                                     taco__like_pattern *k)
{
    const taco__expr *v = e->first, *p = v->next;
    taco__test *t;
    if (!taco__like_compile(k, b->arena, p->value.b, b->err)) { return false; }
    if (v->kind == TACO__PRED_CONST) {
        bool match = taco__like_match(k, v->value.b);
        taco__expr_replace_const(e, taco__expr_bool_value(match != e->neg));
        return true;
    }
    t = taco__pred_test_init(b, e, v, TACO__TEST_LIKE, 0);
    if (t) { t->like = *k; }
    return t != NULL;
}

/* LIKE with a constant pattern on a column is a TEST; with a pattern from a column it stays a node,
   whose test only has what does not depend on the row. */
static TACO__ONCE bool taco__pred_bind_like(taco__pred_binder *b, taco__expr *e)
{
    const taco__expr *v = e->first, *p = v->next, *x = p->next;
    taco__like_pattern k;
    bool null =
        v->type.id == TACO_NULL || p->type.id == TACO_NULL || (x && x->type.id == TACO_NULL);
    if (!TACO__WITH_LIKE) {
        TACO__FAIL(b->err, TACO_ERR_UNSUPPORTED, e->at, "LIKE, left out by TACO_NO_LIKE");
        return false;
    }
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
    taco__like_set_escape(&k, x ? &x->value.b : NULL);
    if (p->kind == TACO__PRED_CONST) { return taco__pred_bind_like_constant(b, e, &k); }
    e->test = (taco__test *)taco__arena_alloc(b->arena, sizeof *e->test, b->err);
    if (e->test) { e->test->like = k; }
    return e->test != NULL;
}

/* IS NULL accepts any value, IS TRUE and IS FALSE need a condition. None of them is ever NULL. */
static TACO__ONCE bool taco__pred_bind_is(taco__pred_binder *b, taco__expr *e)
{
    taco__expr *c = e->first;
    if (e->is != TACO__IS_NULL && !taco__pred_bind_to_condition(b, c)) { return false; }
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

/* RANGE, [e->lo, e->hi) in the column's own unit, is a TEST of one range of keys. */
static TACO__ONCE bool taco__pred_bind_range(taco__pred_binder *b, taco__expr *e)
{
    taco__key_range p;
    taco__i256 x;
    taco__test *t;
    taco__expr c = *e;
    if (!taco__pred_bind_column(b, &c)) { return false; }
    if (!taco__scalar_has_key(c.type.id) || taco__scalar_is_float(c.type.id) ||
        c.type.id == TACO_DECIMAL) {
        TACO__FAIL(b->err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                   "column %q is %s, was given a range of integers", &c.name,
                   taco__scalar_type_name(c.type.id));
        return false;
    }
    taco__scalar_key_bounds(&c.type, &p.lo, &p.hi);
    x = taco__i256_from_i64(e->lo);
    if (e->has_lo && taco__i256_compare(&x, &p.lo) > 0) { p.lo = x; }
    x = taco__pred_test_key_step(taco__i256_from_i64(e->hi), -1);
    if (e->has_hi && taco__i256_compare(&x, &p.hi) < 0) { p.hi = x; }
    t = taco__pred_test_init(b, e, &c, TACO__TEST_KEYS, 1);
    if (t) { taco__pred_test_set_ranges(t, &p, 1, &c.type); }
    return t != NULL;
}

/* CUSTOM needs only its column. */
static TACO__ONCE bool taco__pred_bind_custom(taco__pred_binder *b, taco__expr *e)
{
    bool ok = taco__pred_bind_column(b, e);
    e->type = taco__scalar_simple_type(TACO_BOOL);
    return ok;
}

/* Binds e and everything below it, in place. Recursion is as deep as the tree, which was limited
   when it was made. */
static TACO__ONCE bool taco__pred_bind_node(taco__pred_binder *b, taco__expr *e)
{
    taco__expr *c;
    taco__scalar_type type;
    bool junction =
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
    /* these two do not come from text: a program or the query of a dataset makes them */
    case TACO__PRED_RANGE: return TACO__WITH_PREDICATES && taco__pred_bind_range(b, e);
    case TACO__PRED_CUSTOM: return TACO__WITH_PREDICATES && taco__pred_bind_custom(b, e);
    default: return taco__pred_bind_check_decimal(b, e, false); /* CONST */
    }
}

/* Resolves names among the n columns, checks types, converts literals, folds constants. The columns
   are borrowed for as long as the tree lives. Failures: NOT_FOUND with the nearest names, TYPE,
   MEMORY. A tree is bound only once (STATE). */
TACO__FN TACO__ONCE bool taco__pred_bind(taco__expr *e, const taco_field *columns, size_t n,
                                         taco__arena *arena, taco_error *err)
{
    return taco__pred_bind_cast(e, columns, n, NULL, NULL, arena, err);
}

/* The same for a table some of whose columns have another type in SQL than the one they are stored
   as: as[i], which may be NULL, is the field of column i that conditions test, and `cast` makes its
   values. */
TACO__FN TACO__ONCE bool taco__pred_bind_cast(taco__expr *e, const taco_field *columns, size_t n,
                                              const taco_field *const *as, taco__pred_cast cast,
                                              taco__arena *arena, taco_error *err)
{
    taco__pred_binder b;
    b.arena = arena;
    b.columns = columns;
    b.n = n;
    b.as = as;
    b.cast = cast;
    b.err = err;
    if (e->bound) {
        TACO__FAIL(err, TACO_ERR_STATE, TACO_NO_OFFSET, "the condition is bound already");
        return false;
    }
    if (!taco__pred_bind_node(&b, e) || !taco__pred_bind_to_condition(&b, e)) { return false; }
    e->bound = true;
    return true;
}
