/* planner_output.c - planner of the output: *, GROUP BY, select items, ORDER BY, fields

   `*` becomes columns, numbers in GROUP BY and ORDER BY become items, aliases become the
   expressions they name. Items are copied before they are bound, because a later clause may need
   the originals. A sort key that is not an item becomes a further column, which is not returned. */
#include "sql.h"
#include "functions.h"
#include "../base/base.h"
#include "../dataset/dataset.h"

/* ---- output columns ---- */

/* A generated column as a select item; the table may be empty. */
static taco__sql_expr *taco__planner_output_new_column(taco__executor *x, size_t at,
                                                       taco_bytes table, const char *name)
{
    taco__sql_expr *col =
        (taco__sql_expr *)taco__arena_alloc(&x->c->arena, sizeof *col, taco__operator_err(x));
    if (col) {
        col->kind = TACO__SQL_EXPR_COLUMN;
        col->at = at;
        col->depth = 1;
        col->table = table;
        col->name = taco__bytes_text(name);
    }
    return col;
}

/* Whether EXCLUDE of a star names the column, with or without its table; records that it was
   found. */
static bool taco__planner_output_is_excluded(const taco__sql_expr *star, taco_bytes table,
                                             const char *name)
{
    uint32_t k;
    for (k = 0; k < star->n; k++) {
        const taco__sql_expr *e = star->kid[k];
        if (taco__bind_name_is(e->name, name) &&
            (!e->table.len || taco__bind_names_equal(e->table, table))) {
            break;
        }
    }
    if (k < star->n) { star->kid[k]->neg = true; }
    return k < star->n;
}

/* Appends the columns that a star means to the items, of which there are *n so far. An error if its
   table, or a name in EXCLUDE, does not exist. */
static bool taco__planner_output_expand_star(taco__executor *x, const taco__sql_expr *star,
                                             size_t *n)
{
    size_t t, c, k;
    bool any = false;
    if (!x->b.table_count) {
        TACO__FAIL(taco__operator_err(x), TACO_ERR_SYNTAX, star->at, "* needs a FROM");
        return false;
    }
    for (t = 0; t < x->b.table_count; t++) {
        const taco__bind_table *table = &x->b.tables[t];
        if (x->s.from[t].semi || x->s.from[t].anti) { continue; }
        if (star->table.len && !taco__bind_names_equal(star->table, table->alias)) { continue; }
        any = true;
        for (c = 0; c < table->visible; c++) {
            const char *name = table->fields[c].name;
            taco__sql_expr *col;
            if (!star->table.len && table->merged && table->merged[c]) { continue; }
            if (taco__planner_output_is_excluded(star, table->alias, name)) { continue; }
            col = taco__planner_output_new_column(x, star->at, table->alias, name);
            if (!col) { return false; }
            col->func = (uint32_t)t;
            col->index = c + 1;
            if (!star->table.len && table->instead && table->instead[c]) {
                taco__sql_expr *value =
                    taco__sql_expr_copy(&x->c->arena, table->instead[c], taco__operator_err(x));
                if (!value) { return false; }
                value->alias = col->name;
                col = value;
            }
            x->b.sources[(*n)++] = col;
        }
    }
    for (k = 0; any && k < star->n && star->kid[k]->neg; k++) {}
    if (!any || k < star->n) {
        TACO__FAIL(taco__operator_err(x), TACO_ERR_SYNTAX, any ? star->kid[k]->at : star->at,
                   any ? "EXCLUDE names %q, which is not among the columns"
                       : "there is no table %q",
                   any ? &star->kid[k]->name : &star->table);
        return false;
    }
    return true;
}

/* Upper bound of the number of items once stars are columns. */
static size_t taco__planner_output_count(const taco__executor *x)
{
    size_t i, t, n = x->s.items->n + x->extra_count;
    for (t = 0; t < x->b.table_count; t++) {
        for (i = 0; i < x->s.items->n; i++) {
            n += x->s.items->kid[i]->kind == TACO__SQL_EXPR_STAR ? x->b.tables[t].count : 0;
        }
    }
    return n;
}

/* Makes the select items, with columns for stars, and after them the hidden columns that are
   returned with the rows: x->b.sources. */
TACO__FN bool taco__planner_output_expand_stars(taco__executor *x)
{
    taco__sql_expr *items = x->s.items;
    taco_error *err = taco__operator_err(x);
    size_t i, n = 0;
    x->b.sources = (taco__sql_expr **)taco__arena_array(
        &x->c->arena, taco__planner_output_count(x) + 1, sizeof *x->b.sources, err);
    if (!x->b.sources) { return false; }
    for (i = 0; i < items->n; i++) {
        if (items->kid[i]->kind != TACO__SQL_EXPR_STAR) {
            x->b.sources[n++] = items->kid[i];
        } else if (!taco__planner_output_expand_star(x, items->kid[i], &n)) {
            return false;
        }
    }
    if (!n) { TACO__FAIL(err, TACO_ERR_SYNTAX, items->at, "no column is left to select"); }
    for (i = 0; i < x->extra_count; i++) {
        taco__sql_expr *col =
            taco__planner_output_new_column(x, 0, taco__bytes_of(NULL, 0), x->extras[i]);
        if (!col) { return false; }
        x->b.sources[n + i] = col;
    }
    x->b.source_count = n + x->extra_count;
    return n > 0;
}

/* Whether an unbound tree calls an aggregate. */
TACO__FN bool taco__planner_output_has_aggregate(const taco__sql_expr *e)
{
    uint32_t i;
    if (e->kind == TACO__SQL_EXPR_CALL && !e->infix && taco__aggregate_find(e->name)) {
        return true;
    }
    for (i = 0; i < e->n; i++) {
        if (taco__planner_output_has_aggregate(e->kid[i])) { return true; }
    }
    return false;
}

/* Whether an unbound tree names a column. */
static bool taco__planner_output_has_column(const taco__sql_expr *e)
{
    uint32_t i;
    for (i = 0; i < e->n; i++) {
        if (taco__planner_output_has_column(e->kid[i])) { return true; }
    }
    return e->kind == TACO__SQL_EXPR_COLUMN;
}

/* A whole number in ORDER BY or GROUP BY is a select item, counted from 1; 0 for any other
   expression, -1 with an error if there is no such item. */
static int64_t taco__planner_output_position(taco__executor *x, const taco__sql_expr *e)
{
    int64_t k;
    if (e->kind != TACO__SQL_EXPR_CONST || e->literal != 1) { return 0; }
    k = (int64_t)e->value.d.w[0];
    if (k < 1 || k > (int64_t)(x->b.source_count - x->extra_count)) {
        TACO__FAIL(taco__operator_err(x), TACO_ERR_SYNTAX, e->at,
                   "there are %u select items, not %d", TACO__U(x->b.source_count - x->extra_count),
                   TACO__D(k));
        return -1;
    }
    return k;
}

/* A copy of a tree, to be bound instead of it. */
static taco__sql_expr *taco__planner_output_copy(taco__executor *x, const taco__sql_expr *e)
{
    return taco__bind_count_nodes(&x->b, e)
               ? taco__sql_expr_copy(&x->c->arena, e, taco__operator_err(x))
               : NULL;
}

/* Of a name that several tables have, the only select item that is a column of that name; NULL for
   other names, or if there is none or more than one. */
static const taco__sql_expr *taco__planner_output_find_item(taco__executor *x,
                                                            const taco__sql_expr *e)
{
    const taco__sql_expr *found = NULL;
    taco_error *err = x->b.err, ambiguous;
    size_t i, table, column;
    bool ok;
    memset(&ambiguous, 0, sizeof ambiguous);
    x->b.err = &ambiguous;
    ok = taco__bind_find_column(&x->b, e, &table, &column);
    x->b.err = err;
    if (ok || ambiguous.code != TACO_ERR_SYNTAX) { return NULL; }
    for (i = 0; i < x->b.source_count - x->extra_count; i++) {
        const taco__sql_expr *item = x->b.sources[i];
        if (item->kind != TACO__SQL_EXPR_COLUMN || item->alias.len ||
            !taco__bind_names_equal(item->name, e->name)) {
            continue;
        }
        if (found) { return NULL; }
        found = item;
    }
    return found;
}

/* A name that is an alias: in GROUP BY only if no column has it, in ORDER BY (first) before
   columns; of several items with the alias, the last. In ORDER BY a column of the select list is
   also found by its name where the tables have several. DuckDB's rules. */
static const taco__sql_expr *taco__planner_output_find_alias(taco__executor *x,
                                                             const taco__sql_expr *e, bool first)
{
    size_t i, table, column;
    if (e->kind != TACO__SQL_EXPR_COLUMN || e->table.len) { return NULL; }
    if (!first && taco__bind_find_column(&x->b, e, &table, &column)) { return NULL; }
    for (i = x->b.source_count; i-- > 0;) {
        if (x->b.sources[i]->alias.len && taco__bind_names_equal(x->b.sources[i]->alias, e->name)) {
            return x->b.sources[i];
        }
    }
    return first ? taco__planner_output_find_item(x, e) : NULL;
}

/* Whether the type is allowed for groups and results; if not, a SYNTAX error that names it. */
static bool taco__planner_output_check_type(taco__executor *x, const taco__sql_expr *e)
{
    char name[96];
    if (!taco__sql_type_has_interval(&e->type)) { return true; }
    taco__sql_type_text(&e->type, name, sizeof name);
    TACO__FAIL(taco__operator_err(x), TACO_ERR_SYNTAX, e->at,
               "results of type %s are not supported", name);
    return false;
}

/* Binds the keys of GROUP BY, which may be positions, aliases or ALL (every item without an
   aggregate). Their texts are kept: later expressions with the same text become the group's
   column. */
TACO__FN bool taco__planner_output_bind_groups(taco__executor *x)
{
    taco__bind *b = &x->b;
    taco_error *err = taco__operator_err(x);
    size_t i, n = x->s.group_all ? b->source_count : x->s.groups ? x->s.groups->n : 0, count = 0;
    taco__sql_expr **groups =
        (taco__sql_expr **)taco__arena_array(&x->c->arena, n + 1, sizeof *groups, err);
    taco_bytes *texts = (taco_bytes *)taco__arena_array(&x->c->arena, n + 1, sizeof *texts, err);
    if (!groups || !texts) { return false; }
    b->no_aggr = true;
    for (i = 0; i < n; i++) {
        const taco__sql_expr *e = x->s.group_all ? b->sources[i] : x->s.groups->kid[i], *alias;
        int64_t k = x->s.group_all ? 0 : taco__planner_output_position(x, e);
        taco__sql_type settled;
        taco__sql_expr *copy;
        /* GROUP BY ALL: items that use columns, but no aggregate */
        if (k < 0 || (x->s.group_all && (taco__planner_output_has_aggregate(e) ||
                                         !taco__planner_output_has_column(e)))) {
            if (k < 0) { return false; }
            continue;
        }
        e = k ? b->sources[k - 1] : e;
        alias = taco__planner_output_find_alias(x, e, false);
        copy = taco__planner_output_copy(x, alias ? alias : e);
        if (!copy || !taco__sql_expr_text_copy(b, copy, &texts[count]) ||
            !taco__bind_expr(b, &copy)) {
            return false;
        }
        if (!taco__bind_list_settle(b, &copy->type, &settled) ||
            !taco__bind_type_add_cast(b, &copy, &settled)) {
            return false;
        }
        if (!taco__planner_output_check_type(x, copy)) { return false; }
        groups[count++] = copy;
    }
    b->no_aggr = false;
    b->groups = groups;
    b->group_texts = texts;
    b->group_count = count;
    return true;
}

/* Appends a sort key on item `at`; a second key on the same item has no effect. */
static bool taco__planner_output_add_sort_key(taco__executor *x, size_t at,
                                              const taco__sql_sort_key *o)
{
    size_t k;
    for (k = 0; k < x->order_count; k++) {
        if (x->order_at[k] == at) { return true; /* already a sort key */ }
    }
    if (x->order_count == TACO__COUNT(x->order)) {
        TACO__FAIL(taco__operator_err(x), TACO_ERR_LIMIT, TACO_NO_OFFSET, "more than %u sort keys",
                   TACO__U(TACO__COUNT(x->order)));
        return false;
    }
    x->order_at[x->order_count] = at;
    x->order[x->order_count++] = *o;
    return true;
}

/* The item that a key of ORDER BY or DISTINCT ON refers to: by position (at, 0 for none), by alias,
   by equal text, or a new one, which becomes a column that is not returned. */
static bool taco__planner_output_find_key(taco__executor *x, const taco__sql_expr *key, int64_t at,
                                          size_t *out)
{
    const taco__sql_expr *alias =
        at ? x->b.sources[at - 1] : taco__planner_output_find_alias(x, key, true);
    taco__sql_expr *copy;
    taco_bytes text, other;
    size_t k;
    /* a position or an alias is the item itself, other keys are compared by their text */
    if (!taco__sql_expr_text_copy(&x->b, alias ? alias : key, &text)) { return false; }
    for (k = 0; k < x->item_count; k++) {
        if (alias ? x->b.sources[k] == alias
                  : taco__sql_expr_text_copy(&x->b, x->b.sources[k], &other) &&
                        taco__bytes_equal(text, other)) {
            break;
        }
    }
    *out = k;
    if (k < x->item_count) { return true; }
    /* dropped rows could have other values of the sort key */
    if (x->s.distinct && !x->s.on) {
        TACO__FAIL(taco__operator_err(x), TACO_ERR_SYNTAX, key->at,
                   "with DISTINCT, ORDER BY takes select items only");
        return false;
    }
    copy = taco__planner_output_copy(x, key);
    if (!copy || !taco__bind_expr(&x->b, &copy)) { return false; }
    *out = x->width;
    x->items[x->width++] = copy;
    return true;
}

/* Binds the sort keys. */
TACO__FN bool taco__planner_output_bind_order(taco__executor *x)
{
    size_t i, k;
    for (i = 0; i < x->s.order_count; i++) {
        taco__sql_sort_key *o = &x->s.order[i];
        int64_t at = o->e ? taco__planner_output_position(x, o->e) : 0;
        if (at < 0) { return false; }
        if (!o->e) {
            for (k = 0; k < x->item_count - x->extra_count; k++) {
                if (!taco__planner_output_add_sort_key(x, k, o)) { return false; }
            }
            continue;
        }
        if (!at && o->e->kind == TACO__SQL_EXPR_CONST) {
            if (o->e->value.type.id == TACO_BOOL) { continue; }
            TACO__FAIL(taco__operator_err(x), TACO_ERR_SYNTAX, o->e->at,
                       "ORDER BY a literal orders nothing: write a column or its number");
            return false;
        }
        if (!taco__planner_output_find_key(x, o->e, at, &k) ||
            !taco__planner_output_add_sort_key(x, k, o)) {
            return false;
        }
    }
    /* types are known now */
    for (k = 0; k < x->order_count; k++) {
        const taco__sql_type *t = &x->items[x->order_at[k]]->type;
        if (t->geo || taco__sql_type_has_interval(t)) {
            TACO__FAIL(taco__operator_err(x), TACO_ERR_SYNTAX, x->items[x->order_at[k]]->at,
                       "a sort key of that type cannot be sorted");
            return false;
        }
    }
    return true;
}

/* Finds the items that DISTINCT compares. */
TACO__FN bool taco__planner_output_bind_distinct(taco__executor *x)
{
    taco_error *err = taco__operator_err(x);
    size_t k, n = !x->s.distinct ? 0 : x->s.on ? x->s.on->n : x->item_count;
    if (x->s.on && n > TACO__COUNT(x->order)) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "more than %u keys of DISTINCT ON",
                   TACO__U(TACO__COUNT(x->order)));
        return false;
    }
    x->distinct =
        (taco__sql_expr **)taco__arena_array(&x->c->arena, n + 1, sizeof *x->distinct, err);
    x->distinct_at = (size_t *)taco__arena_array(&x->c->arena, n + 1, sizeof *x->distinct_at, err);
    if (!x->distinct || !x->distinct_at) { return false; }
    for (k = 0; k < n; k++) {
        const taco__sql_expr *e = x->s.on ? x->s.on->kid[k] : NULL;
        int64_t at = e ? taco__planner_output_position(x, e) : 0;
        x->distinct_at[k] = k;
        if (at < 0 || (e && !taco__planner_output_find_key(x, e, at, &x->distinct_at[k]))) {
            return false;
        }
        x->distinct[k] = x->items[x->distinct_at[k]];
        if (!taco__planner_output_check_type(x, x->distinct[k])) { return false; }
    }
    x->distinct_count = n;
    return true;
}

/* Binds copies of the select items, each of which may name earlier aliases. */
TACO__FN bool taco__planner_output_bind_items(taco__executor *x)
{
    taco__bind *b = &x->b;
    taco_error *err = taco__operator_err(x);
    size_t i;
    x->items = (taco__sql_expr **)taco__arena_array(
        &x->c->arena, b->source_count + TACO__COUNT(x->order) * 2, sizeof *x->items, err);
    x->open_types = (taco__sql_type *)taco__arena_array(&x->c->arena, b->source_count + 1,
                                                        sizeof *x->open_types, err);
    for (i = 0; x->items && x->open_types && i < b->source_count; i++) {
        taco__sql_expr *copy = taco__planner_output_copy(x, b->sources[i]);
        taco__sql_type settled;
        b->aliases = i;
        b->unnests = true;
        if (!copy || !taco__bind_expr(b, &copy)) { return false; }
        b->unnests = false;
        x->open_types[i] = copy->type;
        if (!taco__bind_list_settle(b, &copy->type, &settled) ||
            !taco__bind_type_add_cast(b, &copy, &settled)) {
            return false;
        }
        if (!taco__planner_output_check_type(x, copy)) { return false; }
        x->items[i] = copy;
    }
    x->item_count = x->width = b->source_count;
    b->aliases = b->source_count;
    return x->items && x->open_types;
}

/* Binds HAVING. */
TACO__FN bool taco__planner_output_bind_having(taco__executor *x)
{
    bool ok;
    if (!x->s.having) { return true; }
    x->b.having = true;
    ok = taco__bind_expr(&x->b, &x->s.having) && taco__bind_require_bool(&x->b, &x->s.having);
    x->b.having = false;
    return ok;
}

/* Makes the cursor's fields from the items' names and types, followed by those of hidden
   columns. */
TACO__FN bool taco__planner_output_set_fields(taco__executor *x)
{
    taco_cursor *c = x->c;
    size_t i;
    c->columns.fields = (taco_field *)taco__arena_array(&c->arena, x->item_count,
                                                        sizeof *c->columns.fields, &c->err);
    c->batch.arrays =
        (taco_array *)taco__arena_array(&c->arena, x->item_count, sizeof *c->batch.arrays, &c->err);
    for (i = 0; c->columns.fields && c->batch.arrays && i < x->item_count; i++) {
        const char *name = taco__sql_expr_text_label(&x->b, x->b.sources[i]);
        if (!name || !taco__sql_type_to_field(&c->arena, &x->items[i]->type, name,
                                              &c->columns.fields[i], &c->err)) {
            return false;
        }
    }
    c->columns.count = x->item_count - x->extra_count;
    c->columns.hidden = x->extra_count;
    for (i = c->columns.count; c->columns.fields && c->batch.arrays && i < x->item_count; i++) {
        c->producer.row_id =
            strcmp(c->columns.fields[i].name, TACO__ROW_ID) == 0 ? i : c->producer.row_id;
    }
    return c->columns.fields && c->batch.arrays;
}
