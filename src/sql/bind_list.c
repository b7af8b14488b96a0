/* bind_list.c - binder of lists, structs and maps: the types of their functions

   Elements of lists get a common type as operands of comparisons do: list_append([1], 2.5) is a
   DECIMAL(11,1)[]. An empty list, [], has elements of type NULL until it is combined with another;
   in the result of a query it is INTEGER[] (taco__bind_list_settle). Start at taco__bind_list.

   Examples: [1, 2.5] is a DECIMAL(11,1)[], as 1 + 2.5 would be a DECIMAL of so many digits;
   [1, 'x'] is an error, since the text takes the type of the number; coalesce([1], [2.5]) casts
   whole lists; {'a': 1} = {'a': 1.0} compares field by field in the common types. */
#include "sql.h"
#include "functions.h"
#include "../base/base.h"
#include "../filter/filter.h"

/* A type with one child, named "item" in results. */
TACO__FN bool taco__bind_list_of(taco__bind *b, const taco__sql_type *element, taco__sql_type *out)
{
    taco__sql_type t = *element,
                   *kid = (taco__sql_type *)taco__arena_alloc(b->arena, sizeof *kid, b->err);
    if (!kid) { return false; }
    *kid = t;
    *out = taco__sql_type_simple(TACO_LIST);
    out->count = 1;
    out->kids = kid;
    return true;
}

/* MAP(key, value): a list of structs. */
TACO__FN bool taco__bind_list_map(taco__bind *b, const taco__sql_type *key,
                                  const taco__sql_type *value, taco__sql_type *out)
{
    static const char *const sides[] = {"key", "value"};
    static const char *const entries[] = {"entries"};
    taco__sql_type *kids = (taco__sql_type *)taco__arena_array(b->arena, 3, sizeof *kids, b->err);
    taco__sql_type k = *key, v = *value;
    if (!kids) { return false; }
    kids[0] = taco__sql_type_simple(TACO_STRUCT);
    kids[0].count = 2;
    kids[0].kids = kids + 1;
    kids[0].names = (const char **)(uintptr_t)sides;
    kids[1] = k;
    kids[2] = v;
    *out = taco__sql_type_simple(TACO_MAP);
    out->count = 1;
    out->kids = kids;
    out->names = (const char **)(uintptr_t)entries;
    return true;
}

/* *out = t with INTEGER in place of NULL. */
TACO__FN bool taco__bind_list_settle(taco__bind *b, const taco__sql_type *t, taco__sql_type *out)
{
    taco__sql_type *kids;
    uint32_t i;
    *out = t->t.id == TACO_NULL ? taco__sql_type_simple(TACO_INT32) : *t;
    if (!t->count) { return true; }
    kids = (taco__sql_type *)taco__arena_array(b->arena, t->count, sizeof *kids, b->err);
    for (i = 0; kids && i < t->count; i++) {
        if (!taco__bind_list_settle(b, &t->kids[i], &kids[i])) { return false; }
    }
    out->kids = kids;
    return kids != NULL;
}

/* Whether two types have as many children; structs, the same fields by name, in the same order. */
static bool taco__bind_list_same_fields(const taco__sql_type *x, const taco__sql_type *y)
{
    uint32_t i;
    for (i = 0; x->t.id == TACO_STRUCT && i < x->count && i < y->count; i++) {
        if (!taco__bind_name_is(taco__bytes_text(x->names[i]), y->names[i])) { return false; }
    }
    return x->count == y->count;
}

/* The common type of two nested types, child by child; false if there is none. */
TACO__FN bool taco__bind_list_common(taco__bind *b, const taco__sql_type *x,
                                     const taco__sql_type *y, bool compare, taco__sql_type *out)
{
    taco__sql_type *kids;
    uint32_t i;
    if (x->t.id != y->t.id || !x->count || !taco__bind_list_same_fields(x, y)) { return false; }
    kids = (taco__sql_type *)taco__arena_array(b->arena, x->count, sizeof *kids, b->err);
    *out = *x;
    out->kids = kids;
    for (i = 0; kids && i < x->count; i++) {
        taco__sql_expr right;
        memset(&right, 0, sizeof right);
        right.type = y->kids[i];
        if (!taco__bind_type_either(b, NULL, &x->kids[i], &right, compare, &kids[i])) {
            return false;
        }
    }
    return kids != NULL;
}

/* Casts elements of lists and single values to a common type, *element: operand k is a list if
   `lists` has bit k, a value if `values` has it. Operands that are NULL become typed ones. */
static bool taco__bind_list_unify(taco__bind *b, taco__sql_expr *e, uint32_t lists, uint32_t values,
                                  taco__sql_type *element)
{
    taco__sql_type t = taco__sql_type_simple(TACO_NULL), whole;
    uint32_t k;
    bool literal = true;
    taco__sql_expr *first = NULL;
    for (k = 0; k < e->n; k++) {
        taco__sql_expr item, held;
        taco__sql_type before = t;
        uint32_t bit = TACO__MIN(k, 31U);
        if (!((lists | values) >> bit & 1)) { continue; }
        item = *e->kid[k];
        if (lists >> bit & 1) {
            if (item.type.t.id == TACO_NULL) { continue; }
            if (item.type.t.id != TACO_LIST) {
                return taco__bind_type_fail_mismatch(b, e->kid[k], &item.type, &t,
                                                     "a list is expected, not");
            }
            item.type = item.type.kids[0];
            item.literal = 0;
        }
        memset(&held, 0, sizeof held);
        if (first && literal) {
            held.literal = first->literal;
            held.value = first->value;
        }
        if (!taco__bind_type_either(b, first ? &held : NULL, &before, &item, false, &t)) {
            return taco__bind_type_fail_mismatch(b, e->kid[k], &before, &item.type,
                                                 "no type for both");
        }
        literal = literal && item.literal &&
                  (!first || (item.literal == first->literal && item.literal != 1));
        if (!first) { first = e->kid[k]; }
    }
    *element = t;
    if (!taco__bind_list_of(b, &t, &whole)) { return false; }
    for (k = 0; k < e->n; k++) {
        uint32_t bit = TACO__MIN(k, 31U);
        if (((lists >> bit & 1) && !taco__bind_type_add_cast(b, &e->kid[k], &whole)) ||
            ((values >> bit & 1) && !taco__bind_type_add_cast(b, &e->kid[k], &t))) {
            return false;
        }
    }
    return true;
}

/* Casts operand k to BIGINT if it is a whole number; other types are an error. */
static bool taco__bind_list_integer(taco__bind *b, taco__sql_expr *e, uint32_t k)
{
    taco__sql_type big = taco__sql_type_simple(TACO_INT64);
    const taco__sql_type *t = &e->kid[k]->type;
    if (!taco__scalar_is_int(t->t.id) && t->t.id != TACO_NULL) {
        return taco__bind_type_fail_mismatch(b, e->kid[k], t, &big,
                                             "a whole number is expected, not");
    }
    return taco__bind_type_add_cast(b, &e->kid[k], &big);
}

/* Casts operand k to text if it is one. */
static bool taco__bind_list_text(taco__bind *b, taco__sql_expr *e, uint32_t k)
{
    taco__sql_type text = taco__sql_type_simple(TACO_TEXT);
    const taco__sql_type *t = &e->kid[k]->type;
    if (t->t.id != TACO_TEXT && t->t.id != TACO_NULL) {
        return taco__bind_type_fail_mismatch(b, e->kid[k], t, &text, "a text is expected, not");
    }
    return taco__bind_type_add_cast(b, &e->kid[k], &text);
}

/* A struct of the operands, named by their aliases; the fields of a row have no names. */
static bool taco__bind_list_struct(taco__bind *b, taco__sql_expr *e)
{
    const char **names =
        (const char **)taco__arena_array(b->arena, e->n + 1, sizeof *names, b->err);
    taco__sql_type *kids =
        (taco__sql_type *)taco__arena_array(b->arena, e->n + 1, sizeof *kids, b->err);
    bool named = !taco__ascii_is_word(e->name, "row");
    uint32_t i, k;
    e->type = taco__sql_type_simple(TACO_STRUCT);
    e->type.count = e->n;
    e->type.kids = kids;
    e->type.names = names;
    if (!e->n) { return taco__bind_fail(b, e, "a struct needs at least one field"); }
    for (i = 0; names && kids && i < e->n; i++) {
        if (named && !e->kid[i]->alias.len) {
            return taco__bind_fail(b, e->kid[i], "a field of a struct needs a name: name := value");
        }
        for (k = 0; named && k < i; k++) {
            if (taco__bind_names_equal(e->kid[i]->alias, e->kid[k]->alias)) {
                return taco__bind_fail(b, e->kid[i], "two fields of a struct have the same name");
            }
        }
        names[i] = taco__arena_text(b->arena, e->kid[i]->alias, b->err);
        if (!names[i]) { return false; }
        kids[i] = e->kid[i]->type;
    }
    return names && kids;
}

/* The order of a sort given as texts, as in list_sort(l, 'DESC', 'NULLS FIRST'): constants, kept as
   the plan (sort_flags of taco__sql_expr). */
static bool taco__bind_list_order(taco__bind *b, taco__sql_expr *e, bool reverse)
{
    uint8_t *flags = (uint8_t *)taco__arena_alloc(b->arena, 1, b->err);
    uint32_t k;
    if (!flags) { return false; }
    *flags = reverse ? 1 : 0;
    for (k = 1; k < e->n; k++) {
        taco_bytes word = e->kid[k]->value.b;
        if (e->kid[k]->kind != TACO__SQL_EXPR_CONST || e->kid[k]->value.type.id != TACO_TEXT) {
            return taco__bind_fail(b, e->kid[k], "the sort order must be a text constant");
        }
        if (k == 1 && !reverse && taco__ascii_is_word(word, "desc")) {
            *flags |= 1;
        } else if (k == 1 && !reverse && taco__ascii_is_word(word, "asc")) {
            continue;
        } else if ((k == 2 || reverse) && taco__ascii_is_word(word, "nulls first")) {
            *flags |= 2;
        } else if (!((k == 2 || reverse) && taco__ascii_is_word(word, "nulls last"))) {
            TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->kid[k]->at, "unknown sort order: %q", &word);
            return false;
        }
    }
    e->plan = flags;
    e->n = 1; /* the constants are no longer operands */
    return true;
}

/* list_sum(list), list_aggregate(list, 'sum'): the aggregate with that name over the elements,
   prepared as the plan. */
static bool taco__bind_list_aggregate(taco__bind *b, taco__sql_expr *e, const char *name)
{
    taco__aggregate *a = (taco__aggregate *)taco__arena_alloc(b->arena, sizeof *a, b->err);
    taco_bytes what;
    uint32_t more = name ? 1 : 2;
    const taco__aggregate_name *known;
    taco__sql_type t, list;
    char shown[96];
    if (!a) { return false; }
    if (name) {
        what = taco__bytes_text(name);
    } else if (e->kid[1]->kind == TACO__SQL_EXPR_CONST && e->kid[1]->literal == 2) {
        what = e->kid[1]->value.b;
    } else {
        return taco__bind_fail(b, e->kid[1], "the name of an aggregate must be a text constant");
    }
    if (e->kid[0]->type.t.id != TACO_LIST) {
        return taco__bind_type_fail_mismatch(b, e->kid[0], &e->kid[0]->type, &e->type,
                                             "a list is expected, not");
    }
    known = taco__aggregate_lookup(what);
    a->id = known ? known->id : 0;
    a->q = 0.5;
    a->args = 1;
    if (!known || known->args > 1 || e->n > more + known->most) {
        TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at, "there is no list aggregate %q", &what);
        return false;
    }
    if (!taco__bind_list_settle(b, &e->kid[0]->type, &list)) { return false; }
    a->arg = list.kids[0];
    if (e->kid[0]->type.kids[0].t.id == TACO_NULL && a->id >= TACO__AGGREGATE_BIT_AND &&
        a->id <= TACO__AGGREGATE_BIT_XOR) {
        a->arg = taco__sql_type_simple(TACO_INT64);
    }
    if (!taco__bind_aggregate_options(b, e, more, a)) { return false; }
    if (!taco__bind_aggregate_result(b, a)) {
        taco__sql_type_text(&a->arg, shown, sizeof shown);
        TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at, "%q does not take a %s", &what, shown);
        return false;
    }
    t = a->arg;
    e->type = a->result;
    e->plan = a;
    e->n = 1;
    return taco__bind_list_of(b, &t, &list) && taco__bind_type_add_cast(b, &e->kid[0], &list);
}

/* FLOAT if one of two numbers is and none is DOUBLE; else DOUBLE. */
TACO__FN taco__sql_type taco__bind_list_float(const taco__sql_type *x, const taco__sql_type *y)
{
    bool single = (x->t.id == TACO_FLOAT && y->t.id != TACO_DOUBLE) ||
                  (y->t.id == TACO_FLOAT && x->t.id != TACO_DOUBLE);
    return taco__sql_type_simple(single ? TACO_FLOAT : TACO_DOUBLE);
}

/* Turns a call into a NULL of a type, which is not evaluated. */
TACO__FN bool taco__bind_list_null(taco__bind *b, taco__sql_expr *e, taco__sql_type t)
{
    taco__sql_expr *null = (taco__sql_expr *)taco__arena_alloc(b->arena, sizeof *null, b->err);
    taco__sql_expr **at = &null;
    if (!null) { return false; }
    null->kind = TACO__SQL_EXPR_CONST;
    null->at = e->at;
    null->value = taco__scalar_make_null();
    null->type = taco__sql_type_simple(TACO_NULL);
    if (t.t.id != TACO_NULL && !taco__bind_type_add_cast(b, at, &t)) { return false; }
    *e = *null;
    return true;
}

/* list_dot_product and the like, on two lists of numbers. */
static bool taco__bind_list_measure(taco__bind *b, taco__sql_expr *e, const char *name)
{
    taco__sql_type t = taco__sql_type_simple(TACO_FLOAT), list;
    uint32_t k;
    for (k = 0; k < 2; k++) {
        const taco__sql_type *have = &e->kid[k]->type;
        if (have->t.id != TACO_LIST ||
            (!taco__sql_type_is_number(&have->kids[0]) && have->kids[0].t.id != TACO_NULL)) {
            return taco__bind_type_fail_mismatch(b, e->kid[k], have, &t,
                                                 "a list of numbers is expected, not");
        }
    }
    t = taco__bind_list_float(&e->kid[0]->type.kids[0], &e->kid[1]->type.kids[0]);
    e->type = t;
    e->plan = name;
    return taco__bind_list_of(b, &t, &list) && taco__bind_type_add_cast(b, &e->kid[0], &list) &&
           taco__bind_type_add_cast(b, &e->kid[1], &list);
}

/* Operand 0 must be a map. */
static bool taco__bind_list_is_map(taco__bind *b, taco__sql_expr *e)
{
    return e->kid[0]->type.t.id == TACO_MAP ||
           taco__bind_type_fail_mismatch(b, e->kid[0], &e->kid[0]->type, &e->type,
                                         "a map is expected, not");
}

/* The functions of maps. */
static bool taco__bind_list_map_call(taco__bind *b, taco__sql_expr *e)
{
    const taco__sql_type *t = &e->kid[0]->type, *entry;
    if (e->func == TACO__FUNC_MAP) {
        if (e->n != 2 || t->t.id != TACO_LIST || e->kid[1]->type.t.id != TACO_LIST) {
            return taco__bind_fail(b, e, "a map is made of two lists: keys and values");
        }
        return taco__bind_list_map(b, &t->kids[0], &e->kid[1]->type.kids[0], &e->type);
    }
    if (e->func == TACO__FUNC_MAP_FROM_ENTRIES) {
        if (t->t.id != TACO_LIST || t->kids[0].t.id != TACO_STRUCT || t->kids[0].count != 2) {
            return taco__bind_fail(b, e, "a list of structs of a key and a value is expected");
        }
        entry = &t->kids[0];
        return taco__bind_list_map(b, &entry->kids[0], &entry->kids[1], &e->type);
    }
    if (!taco__bind_list_is_map(b, e)) { return false; }
    entry = &t->kids[0];
    switch (e->func) {
    case TACO__FUNC_MAP_KEYS: return taco__bind_list_of(b, &entry->kids[0], &e->type);
    case TACO__FUNC_MAP_VALUES: return taco__bind_list_of(b, &entry->kids[1], &e->type);
    case TACO__FUNC_MAP_ENTRIES: return taco__bind_list_of(b, entry, &e->type);
    case TACO__FUNC_CARDINALITY: e->type = taco__sql_type_simple(TACO_UINT64); return true;
    default: break;
    }
    /* the key to look up */
    if (e->func == TACO__FUNC_MAP_CONTAINS) {
        e->type = taco__sql_type_simple(TACO_BOOL);
    } else if (e->func == TACO__FUNC_MAP_VALUE) {
        e->type = entry->kids[1];
    } else if (!taco__bind_list_of(b, &entry->kids[1], &e->type)) {
        return false;
    }
    return taco__bind_type_add_cast(b, &e->kid[1], &entry->kids[0]);
}

/* range and generate_series: one to three whole numbers. */
static bool taco__bind_list_range(taco__bind *b, taco__sql_expr *e, const char *name)
{
    taco__sql_type big = taco__sql_type_simple(TACO_INT64);
    uint32_t k;
    for (k = 0; k < e->n; k++) {
        if (!taco__bind_list_integer(b, e, k)) { return false; }
    }
    e->plan = name;
    return taco__bind_list_of(b, &big, &e->type);
}

/* Functions whose lists and values need a common element type. */
static bool taco__bind_list_elements(taco__bind *b, taco__sql_expr *e)
{
    taco__sql_type t;
    switch (e->func) {
    case TACO__FUNC_LIST_VALUE:
        return taco__bind_list_unify(b, e, 0, UINT32_MAX, &t) &&
               taco__bind_list_of(b, &t, &e->type);
    case TACO__FUNC_LIST_CONCAT:
    case TACO__FUNC_LIST_INTERSECT:
        return taco__bind_list_unify(b, e, UINT32_MAX, 0, &t) &&
               taco__bind_list_of(b, &t, &e->type);
    case TACO__FUNC_LIST_APPEND:
        return taco__bind_list_unify(b, e, 1, 2, &t) && taco__bind_list_of(b, &t, &e->type);
    case TACO__FUNC_LIST_PREPEND:
        return taco__bind_list_unify(b, e, 2, 1, &t) && taco__bind_list_of(b, &t, &e->type);
    case TACO__FUNC_LIST_RESIZE:
        return taco__bind_list_integer(b, e, 1) && taco__bind_list_unify(b, e, 1, 4, &t) &&
               taco__bind_list_of(b, &t, &e->type);
    case TACO__FUNC_LIST_POSITION:
        e->type = taco__sql_type_simple(TACO_INT32);
        return taco__bind_list_unify(b, e, 1, 2, &t);
    case TACO__FUNC_HAS: return taco__bind_list_unify(b, e, 1, 2, &t);
    default:                                                      /* list_has_all, list_has_any */
        if (taco__bytes_equal(e->name, taco__bytes_text("<@"))) { /* contained in: swap */
            taco__sql_expr *x = e->kid[0];
            e->kid[0] = e->kid[1];
            e->kid[1] = x;
        }
        e->type = taco__sql_type_simple(TACO_BOOL);
        return taco__bind_list_unify(b, e, 3, 0, &t);
    }
}

/* Functions that take parts of their first operand, a list of any type, selected by whole
   numbers. */
static bool taco__bind_list_parts(taco__bind *b, taco__sql_expr *e)
{
    taco__sql_type t, bit = taco__sql_type_simple(TACO_BOOL);
    uint32_t k;
    if (!taco__bind_list_unify(b, e, 1, 0, &t) || !taco__bind_list_of(b, &t, &e->type)) {
        return false;
    }
    if (e->func == TACO__FUNC_LIST_WHERE || e->func == TACO__FUNC_LIST_SELECT) {
        taco__sql_type which =
            e->func == TACO__FUNC_LIST_WHERE ? bit : taco__sql_type_simple(TACO_INT64);
        return taco__bind_list_of(b, &which, &t) && taco__bind_type_add_cast(b, &e->kid[1], &t);
    }
    for (k = 1; k < e->n; k++) {
        if (!taco__bind_list_integer(b, e, k)) { return false; }
    }
    return true;
}

/* Whether the lists of a call are untyped NULLs, which make the result one. */
static bool taco__bind_list_is_null(const taco__sql_expr *e)
{
    uint32_t k;
    if (e->func == TACO__FUNC_LIST_VALUE || e->func == TACO__FUNC_STRUCT_PACK ||
        e->func == TACO__FUNC_LIST_APPEND || e->func == TACO__FUNC_LIST_PREPEND ||
        e->func == TACO__FUNC_RANGE || e->func == TACO__FUNC_SPLIT || !e->n) {
        return false;
    }
    if (e->func == TACO__FUNC_LIST_WHERE || e->func == TACO__FUNC_LIST_SELECT ||
        e->func == TACO__FUNC_MAP) {
        for (k = 0; k < e->n && e->kid[k]->type.t.id != TACO_NULL; k++) {}
        return k < e->n;
    }
    for (k = 0; k < (e->func == TACO__FUNC_LIST_CONCAT ? e->n : 1); k++) {
        if (e->kid[k]->type.t.id != TACO_NULL) { return false; }
    }
    return true;
}

/* The type of a call that is null because of an untyped NULL. */
static bool taco__bind_list_null_type(taco__bind *b, const taco__sql_expr *e, taco__sql_type *out)
{
    taco__sql_type number = taco__sql_type_simple(TACO_INT32),
                   null = taco__sql_type_simple(TACO_NULL), map;
    *out = null;
    switch (e->func) {
    case TACO__FUNC_LIST_TO_TEXT: *out = taco__sql_type_simple(TACO_TEXT); return true;
    case TACO__FUNC_HAS:
    case TACO__FUNC_LIST_HAS_ALL:
    case TACO__FUNC_LIST_HAS_ANY: *out = taco__sql_type_simple(TACO_BOOL); return true;
    case TACO__FUNC_LIST_UNIQUE:
    case TACO__FUNC_CARDINALITY: *out = taco__sql_type_simple(TACO_UINT64); return true;
    case TACO__FUNC_MAP_KEYS:
    case TACO__FUNC_MAP_VALUES:
    case TACO__FUNC_MAP_EXTRACT:
    case TACO__FUNC_LIST_INTERSECT: return taco__bind_list_of(b, &null, out);
    case TACO__FUNC_MAP: return taco__bind_list_map(b, &number, &number, out);
    case TACO__FUNC_MAP_ENTRIES:
        return taco__bind_list_map(b, &null, &null, &map) &&
               taco__bind_list_of(b, &map.kids[0], out);
    default: return true;
    }
}

/* value[from:to:step] becomes list_slice(value, from, to, step). The plan marks omitted ends (1 the
   first, 2 the second), which mean those of the list in the direction of the step. */
TACO__FN bool taco__bind_list_step(taco__bind *b, taco__sql_expr *e)
{
    uint8_t *open = (uint8_t *)taco__arena_alloc(b->arena, 1, b->err);
    uint32_t k;
    if (!open) { return false; }
    if (e->type.t.id != TACO_LIST) {
        return taco__bind_fail(b, e, "a slice with a step needs a list");
    }
    for (k = 1; k < 3; k++) {
        taco__sql_expr *end = e->kid[k];
        if (end->kind != TACO__SQL_EXPR_CONST || end->value.type.id != TACO_NULL) { continue; }
        end->value = taco__scalar_make_int(TACO_INT64, 1);
        *open |= (uint8_t)k;
        end->type = taco__sql_type_simple(TACO_INT64);
    }
    e->kind = TACO__SQL_EXPR_CALL;
    e->func = TACO__FUNC_LIST_SLICE;
    e->name = taco__bytes_text("list_slice");
    e->plan = open;
    return taco__bind_list_parts(b, e);
}

/* Determines the type of a call of a list function, whose operands are bound. */
TACO__FN bool taco__bind_list(taco__bind *b, taco__sql_expr *e, const taco__func *f)
{
    taco__sql_type t, text = taco__sql_type_simple(TACO_TEXT);
    if (taco__bind_list_is_null(e)) { /* with an untyped NULL nothing else is known */
        return taco__bind_list_null_type(b, e, &t) && taco__bind_list_null(b, e, t);
    }
    switch (e->func) {
    case TACO__FUNC_STRUCT_PACK: return taco__bind_list_struct(b, e);
    case TACO__FUNC_LIST_SORT:
    case TACO__FUNC_LIST_GRADE:
        if (!taco__bind_list_order(b, e, f->part != NULL) ||
            !taco__bind_list_unify(b, e, 1, 0, &t)) {
            return false;
        }
        if (e->func == TACO__FUNC_LIST_GRADE) { t = taco__sql_type_simple(TACO_INT64); }
        return taco__bind_list_of(b, &t, &e->type);
    case TACO__FUNC_LIST_AGGREGATE: return taco__bind_list_aggregate(b, e, f->part);
    case TACO__FUNC_LIST_MEASURE: return taco__bind_list_measure(b, e, f->part);
    case TACO__FUNC_LIST_UNIQUE:
        e->type = taco__sql_type_simple(TACO_UINT64);
        return taco__bind_list_unify(b, e, 1, 0, &t);
    case TACO__FUNC_LIST_POP: e->plan = f->part; /* fall through */
    case TACO__FUNC_LIST_DISTINCT:
    case TACO__FUNC_LIST_REVERSE:
    case TACO__FUNC_LIST_WHERE:
    case TACO__FUNC_LIST_SELECT:
    case TACO__FUNC_LIST_SLICE:
    case TACO__FUNC_LIST_REPEAT: return taco__bind_list_parts(b, e);
    case TACO__FUNC_FLATTEN:
        if (e->kid[0]->type.t.id != TACO_LIST || e->kid[0]->type.kids[0].t.id != TACO_LIST) {
            return taco__bind_fail(b, e, "flatten takes a list of lists");
        }
        e->type = e->kid[0]->type.kids[0];
        return true;
    case TACO__FUNC_RANGE: return taco__bind_list_range(b, e, f->part);
    case TACO__FUNC_SPLIT:
        return taco__bind_list_text(b, e, 0) && taco__bind_list_text(b, e, 1) &&
               taco__bind_list_of(b, &text, &e->type);
    case TACO__FUNC_LIST_TO_TEXT:
        e->type = text;
        return taco__bind_list_of(b, &text, &t) && taco__bind_type_add_cast(b, &e->kid[0], &t) &&
               taco__bind_list_text(b, e, 1);
    default:
        return e->func >= TACO__FUNC_MAP && e->func <= TACO__FUNC_CARDINALITY
                   ? taco__bind_list_map_call(b, e)
                   : taco__bind_list_elements(b, e);
    }
}
