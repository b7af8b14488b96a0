/* bind.c - binder: names of a SELECT's expressions become columns, every node gets a type

   In: a tree as it was parsed. Out: the same tree, changed in place: COLUMN becomes REF to a
   column of the batch, casts are put where DuckDB has them, CALL gets the function to run. A tree
   is bound once; what is needed twice (aliases, sort keys) is copied before. Columns that no bound
   tree names are not read. Start at taco__bind_expr. bind_call.c binds calls, bind_type.c chooses
   types.

   Example: in SELECT v + 1 AS w FROM data ORDER BY w, "v" becomes REF to the column of the batch;
   1 takes the type of v, or both are cast to the type of the sum; w in ORDER BY is replaced by a
   copy of v + 1. */
#include "sql.h"
#include "functions.h"
#include "../base/base.h"
#include "../arrow/arrow.h"
#include "../filter/filter.h"
#include "../dataset/dataset.h"

#define TACO__BIND_MAX_NODES 100000 /* nodes that aliases may multiply to */

/* A SYNTAX error at the column of the node. */
TACO__FN TACO__COLD bool taco__bind_fail(taco__bind *b, const taco__sql_expr *e, const char *what)
{
    TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at, "%s", what);
    return false;
}

/* Whether two names are the same: case is ignored in ASCII, as in DuckDB. */
TACO__FN bool taco__bind_name_is(taco_bytes a, const char *name) /* ASCII case ignored */
{
    size_t i, n = strlen(name);
    for (i = 0; i < a.len && i < n; i++) {
        if (taco__ascii_lower(a.data[i]) != taco__ascii_lower((uint8_t)name[i])) { return false; }
    }
    return a.len == n;
}

/* taco__bind_name_is for two names that are not NUL-terminated. */
TACO__FN bool taco__bind_names_equal(taco_bytes a, taco_bytes b)
{
    size_t i;
    for (i = 0; i < a.len && i < b.len; i++) {
        if (taco__ascii_lower(a.data[i]) != taco__ascii_lower(b.data[i])) { return false; }
    }
    return a.len == b.len;
}

/* ---- columns ---- */

/* Which of two names is first, case being ignored in ASCII. */
static int taco__bind_compare_names(taco_bytes a, taco_bytes b)
{
    size_t i, n = TACO__MIN(a.len, b.len);
    for (i = 0; i < n; i++) {
        int x = taco__ascii_lower(a.data[i]), y = taco__ascii_lower(b.data[i]);
        if (x != y) { return x < y ? -1 : 1; }
    }
    return (a.len > b.len) - (a.len < b.len);
}

/* taco__sort_compare of taco__bind_table.by_name; ctx is the table. */
static int taco__bind_compare_columns(const void *ctx, const void *a, const void *b)
{
    const taco_field *f = ((const taco__bind_table *)ctx)->fields;
    return taco__bind_compare_names(taco__bytes_text(f[*(const uint32_t *)a].name),
                                    taco__bytes_text(f[*(const uint32_t *)b].name));
}

/* Makes by_name, so that a query which names all columns of a wide table takes time n log n.
   Columns fit into 32 bits: limits.max_columns does. */
static bool taco__bind_sort_columns(taco__bind *b, taco__bind_table *t)
{
    uint32_t *list, *scratch;
    size_t i;
    if (t->by_name) { return true; }
    list = (uint32_t *)taco__arena_array(b->arena, t->count + 1, sizeof *list, b->err);
    scratch = (uint32_t *)taco__arena_array(b->arena, t->count / 2 + 1, sizeof *scratch, b->err);
    if (!list || !scratch) { return false; }
    for (i = 0; i < t->count; i++) {
        list[i] = (uint32_t)i;
    }
    taco__sort(list, scratch, t->count, sizeof *list, taco__bind_compare_columns, t);
    t->by_name = list;
    return true;
}

/* The first column of that name; TACO__NONE where there is none. With unmerged, columns that USING
   made one with a column before are passed over. */
static size_t taco__bind_table_column(const taco__bind_table *t, taco_bytes name, bool unmerged)
{
    size_t at = 0;
    TACO__LOWER_BOUND(
        at, t->count, i,
        taco__bind_compare_names(taco__bytes_text(t->fields[t->by_name[i]].name), name) < 0);
    for (; at < t->count && taco__bind_name_is(name, t->fields[t->by_name[at]].name); at++) {
        if (!unmerged || !t->merged || !t->merged[t->by_name[at]]) { return t->by_name[at]; }
    }
    return TACO__NONE;
}

/* Finds a column by its name, and its table if one is named: false without an error when there is
   none, with one when several tables have it or without memory. Names that only case tells apart
   give the first. */
TACO__FN bool taco__bind_find_column(taco__bind *b, const taco__sql_expr *e, size_t *table,
                                     size_t *column)
{
    size_t t, c, hits = 0;
    if (e->index) { /* nobody wrote it: table e->func */
        *table = e->func;
        *column = e->index - 1;
        return true;
    }
    for (t = 0; t < b->table_count; t++) {
        if (b->tables[t].hidden) { continue; }
        if (e->table.len && !taco__bind_names_equal(e->table, b->tables[t].alias)) { continue; }
        if (!taco__bind_sort_columns(b, &b->tables[t])) { return false; }
        c = taco__bind_table_column(&b->tables[t], e->name, !e->table.len && hits);
        if (c != TACO__NONE) {
            *table = t;
            *column = c;
            hits++;
        }
    }
    if (hits > 1) {
        TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at,
                   "column %q is in several tables: write table.column", &e->name);
        return false;
    }
    return hits == 1;
}

/* The place of a table's column in the batch; a column that is asked for first gets the next
   one, and is read from then on. TACO__NONE without memory. What no bound tree asks for is never
   read. */
static size_t taco__bind_column_index(taco__bind *b, size_t table, size_t column)
{
    size_t *place = &b->tables[table].place[column];
    if (*place == TACO__NONE) {
        if (b->column_count == b->column_cap) {
            size_t cap = b->column_cap ? b->column_cap * 2 : 16;
            taco__bind_column *c =
                (taco__bind_column *)taco__arena_array(b->arena, cap, sizeof *c, b->err);
            if (!c) { return TACO__NONE; }
            if (b->column_count) { memcpy(c, b->columns, b->column_count * sizeof *c); }
            b->columns = c;
            b->column_cap = cap;
        }
        b->columns[b->column_count].table = (uint32_t)table;
        b->columns[b->column_count].column = column;
        *place = b->column_count++;
    }
    return *place;
}

/* a.b is column b of table a where there is such a table, otherwise field b of column a. The
   parser makes FIELD of both. */
static void taco__bind_qualify_node(taco__bind *b, taco__sql_expr *e)
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

/* Makes table.column, which the parser cannot tell from struct.field, a COLUMN, in the whole
   tree. */
TACO__FN void taco__bind_qualify(taco__bind *b, taco__sql_expr *e)
{
    uint32_t i;
    taco__bind_qualify_node(b, e);
    for (i = 0; i < e->n; i++) {
        taco__bind_qualify(b, e->kid[i]);
    }
    if (e->filter) { taco__bind_qualify(b, e->filter); }
}

/* ---- trees ---- */

/* Counts the nodes that a copy of the tree adds; false with a LIMIT error where aliases that name
   aliases would make too many. */
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
        if (!taco__bind_count_nodes(b, e->kid[i])) { return false; }
    }
    return true;
}

/* A select item that has the name as its alias; replaces *at by a bound copy of it, *found
   telling. In SELECT a + 1 AS b, b * 2 AS c the second item may name b, but not c: items see
   aliases to their left, other clauses see all. */
static bool taco__bind_replace_alias(taco__bind *b, taco__sql_expr **at, bool *found)
{
    taco__sql_expr *e = *at;
    size_t i;
    *found = false;
    for (i = 0; !e->table.len && i < b->aliases; i++) {
        taco__sql_expr *item = b->sources[i];
        if (item->alias.len && taco__bind_names_equal(item->alias, e->name)) {
            if (b->inside) {
                return taco__bind_fail(b, e,
                                       "an aggregate takes columns, no name of a select item");
            }
            taco__sql_expr *copy = taco__bind_count_nodes(b, item)
                                       ? taco__sql_expr_copy(b->arena, item, b->err)
                                       : NULL;
            size_t before = b->aliases;
            bool ok;
            if (!copy) { return false; }
            /* a AS b, b AS c, ... each doubling the tree: bounded by depth and by nodes */
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

/* Binds a name: to a column of a table, or else to a select item that has it as its alias. The
   column must not be outside of groups. */
static bool taco__bind_column_ref(taco__bind *b, taco__sql_expr **at)
{
    taco__sql_expr *e = *at;
    size_t table = 0, column = 0;
    bool found;
    if (!taco__bind_find_column(b, e, &table, &column)) {
        if (b->err->code != TACO_OK || !taco__bind_replace_alias(b, at, &found)) { return false; }
        if (found) { return true; }
        if (taco__subquery_is_outer(b, e)) { return false; }
        if (b->table_count == 1 && !e->table.len) {
            taco__field_names_not_found(b->tables[0].fields, b->tables[0].count, e->name,
                                        TACO__FIELD_NAMES_QUOTES, e->at, b->err);
        } else {
            TACO__FAIL(b->err, TACO_ERR_NOT_FOUND, e->at, "there is no column %q", &e->name);
        }
        return false;
    }
    if (!e->index && !e->table.len && b->tables[table].instead &&
        b->tables[table].instead[column]) { /* merged by USING of a RIGHT or FULL JOIN */
        *at = taco__sql_expr_copy(b->arena, b->tables[table].instead[column], b->err);
        return *at && taco__bind_expr(b, at);
    }
    /* keys of GROUP BY were recognised before: taco__bind_group_key */
    if (b->grouped && !b->inside) {
        TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at,
                   "column %q must be in GROUP BY or in an aggregate", &e->name);
        return false;
    }
    e->kind = TACO__SQL_EXPR_REF;
    e->type = b->tables[table].types[column];
    if (e->type.t.id == TACO_INTERVAL) {
        TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at,
                   "column %q: columns of type INTERVAL are not supported", &e->name);
        return false;
    }
    e->index = taco__bind_column_index(b, table, column);
    e->n = 0;
    return e->index != TACO__NONE;
}

/* Casts *at to BOOLEAN; an error where DuckDB takes no condition of that type. */
TACO__FN bool taco__bind_require_bool(taco__bind *b, taco__sql_expr **at)
{
    taco__sql_type t = taco__sql_type_simple(TACO_BOOL);
    taco__sql_type *have = &(*at)->type;
    if (have->t.id != TACO_BOOL && have->t.id != TACO_NULL && !taco__sql_type_is_number(have) &&
        (*at)->literal != 2 && have->t.id != TACO_TEXT) {
        return taco__bind_type_fail_mismatch(b, *at, have, &t, "a condition is expected, not");
    }
    return taco__bind_type_add_cast(b, at, &t);
}

/* Binds all operands of a node. */
TACO__FN bool taco__bind_children(taco__bind *b, taco__sql_expr *e)
{
    uint32_t i;
    for (i = 0; i < e->n; i++) {
        if (!taco__bind_expr(b, &e->kid[i])) { return false; }
    }
    return true;
}

/* Makes e the field of that name of its operand, a struct, which is bound. */
TACO__FN bool taco__bind_struct_field(taco__bind *b, taco__sql_expr *e, taco_bytes name)
{
    const taco__sql_type *t = &e->kid[0]->type;
    uint32_t i;
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

/* Casts both sides of a comparison to the type they are compared in. */
static bool taco__bind_compare(taco__bind *b, taco__sql_expr *e)
{
    taco__sql_type t;
    taco__sql_expr *x = e->kid[0], *y = e->kid[1];
    if (x->type.count && y->type.count ? !taco__bind_list_common(b, &x->type, &y->type, true, &t)
                                       : !taco__bind_type_common(x, &x->type, y, true, &t)) {
        return taco__bind_type_fail_mismatch(b, e, &x->type, &y->type, "no comparison of");
    }
    if (t.geo || taco__sql_type_has_interval(&t)) {
        return taco__bind_type_fail_mismatch(b, e, &x->type, &y->type, "no comparison of");
    }
    if (t.t.id == TACO_NULL) { t = taco__sql_type_simple(TACO_INT32); }
    e->type = taco__sql_type_simple(TACO_BOOL);
    return taco__bind_type_add_cast(b, &e->kid[0], &t) &&
           taco__bind_type_add_cast(b, &e->kid[1], &t);
}

/* value[index] and value[from:to] of lists and texts; struct['name'] is a field. */
static bool taco__bind_index(taco__bind *b, taco__sql_expr *e)
{
    taco__sql_type big = taco__sql_type_simple(TACO_INT64);
    uint32_t i;
    if (e->kid[0]->type.t.id == TACO_STRUCT && e->kind == TACO__SQL_EXPR_INDEX) {
        return e->kid[1]->literal == 2
                   ? taco__bind_struct_field(b, e, e->kid[1]->value.b)
                   : taco__bind_fail(b, e, "a struct is indexed by a name in quotes");
    }
    if (e->kid[0]->type.t.id == TACO_MAP && e->kind == TACO__SQL_EXPR_INDEX) {
        e->func = TACO__FUNC_MAP_VALUE;
        e->type = e->kid[0]->type.kids[0].kids[1];
        return taco__bind_type_add_cast(b, &e->kid[1], &e->kid[0]->type.kids[0].kids[0]);
    }
    if (e->kid[0]->type.t.id != TACO_LIST && e->kid[0]->type.t.id != TACO_TEXT) {
        return taco__bind_type_fail_mismatch(b, e, &e->kid[0]->type, &big,
                                             "only lists and texts have elements, not");
    }
    for (i = 1; i < e->n; i++) {
        /* an open end is a NULL that makes no row null */
        if (e->kind == TACO__SQL_EXPR_SLICE && e->kid[i]->kind == TACO__SQL_EXPR_CONST &&
            e->kid[i]->infix) {
            continue;
        }
        if (!taco__scalar_is_int(e->kid[i]->type.t.id) && e->kid[i]->type.t.id != TACO_NULL) {
            return taco__bind_type_fail_mismatch(b, e, &e->kid[i]->type, &big,
                                                 "an index is a whole number, not");
        }
        if (!taco__bind_type_add_cast(b, &e->kid[i], &big)) { return false; }
    }
    e->type = e->kid[0]->type;
    if (e->n == 4) { return taco__bind_list_step(b, e); }
    if (e->kind == TACO__SQL_EXPR_INDEX) {
        e->func = TACO__FUNC_ELEMENT;
        e->type = e->type.t.id == TACO_LIST ? e->type.kids[0] : e->type;
    }
    return true;
}

/* Conditions of CASE become BOOLEAN, results one type. The operands are when, then, when, then,
   ..., else. */
static bool taco__bind_case(taco__bind *b, taco__sql_expr *e)
{
    uint32_t i;
    for (i = 0; i + 1 < e->n; i += 2) {
        if (!taco__bind_require_bool(b, &e->kid[i])) { return false; }
    }
    return taco__bind_type_unify(b, e, 1, 2, true, false, &e->type);
}

/* Whether a tree is a key of GROUP BY, by its text; it becomes the column of that group then. False
   with an error without memory. */
static bool taco__bind_group_key(taco__bind *b, taco__sql_expr *e)
{
    taco_bytes text;
    size_t i;
    if (!b->grouped || b->inside || !b->group_count || e->kind == TACO__SQL_EXPR_CONST ||
        !taco__sql_expr_text_copy(b, e, &text)) {
        return false;
    }
    for (i = 0; i < b->group_count && !taco__bytes_equal(text, b->group_texts[i]); i++) {}
    if (i < b->group_count) {
        e->kind = TACO__SQL_EXPR_REF;
        e->index = i;
        e->type = b->groups[i]->type;
        e->n = 0;
    }
    return i < b->group_count;
}

/* Types a node whose operands are bound. */
static bool taco__bind_operator(taco__bind *b, taco__sql_expr *e)
{
    taco__sql_type t;
    uint32_t k;
    e->type = taco__sql_type_simple(TACO_BOOL);
    switch (e->kind) {
    case TACO__SQL_EXPR_CASE: return taco__bind_case(b, e);
    case TACO__SQL_EXPR_CAST:
        e->type = e->to;
        return taco__cast_is_possible(&e->kid[0]->type, &e->to) ||
               taco__bind_type_fail_mismatch(b, e, &e->kid[0]->type, &e->to, "no cast between");
    case TACO__SQL_EXPR_AND:
    case TACO__SQL_EXPR_OR:
    case TACO__SQL_EXPR_NOT:
        for (k = 0; k < e->n; k++) {
            if (!taco__bind_require_bool(b, &e->kid[k])) { return false; }
        }
        return true;
    case TACO__SQL_EXPR_CMP: return taco__bind_compare(b, e);
    case TACO__SQL_EXPR_BETWEEN:
    case TACO__SQL_EXPR_IN:
        return taco__bind_type_unify(b, e, 0, 1, false, true, &t) &&
               ((!t.geo && !taco__sql_type_has_interval(&t)) ||
                taco__bind_fail(b, e, "no comparison of that type"));
    case TACO__SQL_EXPR_INDEX:
    case TACO__SQL_EXPR_SLICE: return taco__bind_index(b, e);
    default: return true;
    }
}

/* The type of a constant. A whole number below those of HUGEINT is DOUBLE; above them are those of
   UHUGEINT, which there is not here. */
static bool taco__bind_constant(taco__bind *b, taco__sql_expr *e)
{
    e->type.t = e->value.type;
    if (e->type.t.id != TACO_DECIMAL || taco__cast_fits(&e->type.t, &e->value.d)) { return true; }
    if (!taco__i256_is_negative(&e->value.d)) {
        return taco__bind_fail(b, e, "a number of 2^127 or more: UHUGEINT is not supported");
    }
    e->value.f = taco__scalar_i256_to_double(&e->value.d, false);
    e->value.type = e->type.t = taco__scalar_simple_type(TACO_DOUBLE);
    return true;
}

/* Gives a tree types and places, in place; *at may become another node. */
TACO__FN bool taco__bind_expr(taco__bind *b, taco__sql_expr **at)
{
    taco__sql_expr *e = *at;
    if (taco__bind_group_key(b, e)) { return true; }
    if (b->err->code != TACO_OK) { return false; }
    switch (e->kind) {
    case TACO__SQL_EXPR_CONST: return taco__bind_constant(b, e);
    case TACO__SQL_EXPR_COLUMN: return taco__bind_column_ref(b, at);
    case TACO__SQL_EXPR_STAR: return taco__bind_fail(b, e, "* has no place here");
    case TACO__SQL_EXPR_CALL:
        if (!taco__bind_call(b, e)) { return false; }
        return e->kind == TACO__SQL_EXPR_CASE ? taco__bind_expr(b, at) : true;
    case TACO__SQL_EXPR_REF: return true;
    case TACO__SQL_EXPR_QUERY: return taco__subquery_bind(b, e);
    case TACO__SQL_EXPR_FIELD:
        return taco__bind_expr(b, &e->kid[0]) && taco__bind_struct_field(b, e, e->name);
    default: return taco__bind_children(b, e) && taco__bind_operator(b, e);
    }
}
