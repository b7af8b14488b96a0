/* planner.c - planner: a parsed SELECT becomes a plan over cursors of the dataset

   In: the text of taco_sql, or a SELECT of a view with what FROM data means there
   (taco__sql_source). Out: a taco__executor ready for operators.c. taco__planner_plan does it in
   the order of the clauses: tables, joins, WHERE (pushdown.c gives the scans what they can test),
   groups, items, HAVING, order; then it opens a cursor for each table over the columns that bound
   trees name.

   Example: SELECT split, count(*) FROM data WHERE v > 1 AND upper(id) LIKE 'A%' GROUP BY split
     scan       columns id and split of the rows with v > 1, which statistics may prune
     filter     upper(id) LIKE 'A%': not a column against a literal, so not the scan's
     group      key split, aggregate count(*)
     project    split, count_star() */
#include "sql.h"
#include "../base/base.h"
#include "../arrow/arrow.h"
#include "../filter/filter.h"
#include "../dataset/dataset.h"

/* ---- tables ---- */

/* Whether FROM names the view. */
TACO__FN bool taco__planner_is_source(const taco__executor *x, size_t t)
{
    return x->base && !x->s.from[t].query && taco__ascii_is_word(x->s.from[t].name, "data");
}

/* Gives the columns of a table to the binder: the first `visible` of them are those of *. Names are
   copied. */
static bool taco__planner_bind_columns(taco__executor *x, taco__bind_table *out,
                                       const taco_field *from, size_t count, size_t visible)
{
    taco_error *err = taco__operator_err(x);
    taco__arena *arena = &x->c->arena;
    taco_field *fields = (taco_field *)taco__arena_array(arena, count + 1, sizeof *fields, err);
    taco__sql_type *types =
        (taco__sql_type *)taco__arena_array(arena, count + 1, sizeof *types, err);
    size_t i;
    out->place = (size_t *)taco__arena_array(arena, count + 1, sizeof *out->place, err);
    for (i = 0; fields && types && out->place && i < count; i++) {
        fields[i] = from[i];
        fields[i].name = taco__arena_text(arena, taco__bytes_text(from[i].name), err);
        out->place[i] = TACO__NONE;
        if (!fields[i].name || !taco__sql_type_from_field(arena, &fields[i], &types[i], err)) {
            return false;
        }
    }
    out->merged = (bool *)taco__arena_alloc(arena, count + 1, err);
    out->by_name = NULL;
    out->count = count;
    out->visible = visible;
    out->fields = fields;
    out->types = types;
    return out->merged && fields && types && out->place;
}

/* Replaces the types of a table's columns, taken from the fields, by those of the query whose rows
   it has. */
static bool taco__planner_set_types(taco__executor *x, taco__bind_table *out,
                                    const taco_cursor *query)
{
    size_t i;
    for (i = 0; i < out->count; i++) {
        if (!taco__subquery_column_type(x, query, i, &out->types[i])) { return false; }
    }
    return true;
}

/* Gives the columns of a query in FROM to the binder. */
static bool taco__planner_bind_query(taco__executor *x, size_t t)
{
    taco__bind_table *out = &x->b.tables[t];
    taco_cursor *c = x->scans[t] = taco__subquery_open(x, x->s.from[t].query);
    size_t n = c ? c->columns.count : 0;
    const taco_field *fields = c ? taco__subquery_fields(x, t, c->columns.fields, n) : NULL;
    return fields && taco__planner_bind_columns(x, out, fields, n, n) &&
           taco__planner_set_types(x, out, c);
}

/* Finds the dataset of a table in FROM: a table that is not a level has its own. */
static bool taco__planner_find_dataset(taco__executor *x, taco__sql_table_ref *f)
{
    taco_dataset *ds = x->c->ds;
    const taco_opener *format = ds->stores[0].format;
    taco_error *err = taco__operator_err(x);
    if (f->ds) { return true; }
    if (!f->named || f->query) {
        f->ds = ds;
    } else if (format && format->table) {
        f->ds = format->table(ds, f->name, err);
    } else {
        TACO__FAIL(err, TACO_ERR_SYNTAX, f->at,
                   "no such table: %q; there are data, level0 ... level5, l0 ... l5", &f->name);
    }
    return f->ds != NULL;
}

/* Gives the columns of the table in FROM to the binder: those of the view, or those that a cursor
   on the level would have. Such a cursor is opened without containers: only schemas are read. */
TACO__FN bool taco__planner_bind_table(taco__executor *x, size_t t)
{
    taco__sql_table_ref *f = &x->s.from[t];
    taco__bind_table *out = &x->b.tables[t];
    taco_error *err = taco__operator_err(x);
    taco__select_options opt;
    taco_cursor *probe;
    const taco_field *fields;
    size_t i;
    bool ok;
    if (!taco__planner_find_dataset(x, f)) { return false; }
    if (f->level && f->level >= taco_levels(x->c->ds)) {
        TACO__FAIL(err, TACO_ERR_SYNTAX, f->at, "there is no table %q: the deepest level is %u",
                   &f->name, TACO__U(taco_levels(x->c->ds) - 1));
        return false;
    }
    for (i = 0; i < t; i++) {
        if (f->alias.len && taco__bind_names_equal(f->alias, x->s.from[i].alias)) {
            TACO__FAIL(err, TACO_ERR_SYNTAX, f->at, "two tables are called %q: give one an alias",
                       &f->alias);
            return false;
        }
    }
    out->alias = f->alias;
    if (f->list && t && !f->right) { /* it may refer to columns of earlier tables */
        taco_field element;
        taco__sql_type type;
        fields = taco__unnest_bind_table(x, t, &element, &type)
                     ? taco__subquery_fields(x, t, &element, 1)
                     : NULL;
        if (!fields || !taco__planner_bind_columns(x, out, fields, 1, 1)) { return false; }
        out->types[0] = type;
        x->joins[t].list = f->list;
        return true;
    }
    if (f->query) { return taco__planner_bind_query(x, t); }
    if (taco__planner_is_source(x, t)) {
        f->level = x->base->level;
        f->flat = x->base->flat;
        return taco__planner_bind_columns(x, out, x->base->fields, x->base->count,
                                          x->base->visible) &&
               (!x->base->query || taco__planner_set_types(x, out, x->base->query));
    }
    memset(&opt, 0, sizeof opt);
    opt.shows_hidden = opt.whole = true;
    probe = taco__select_columns(x->s.from[t].ds, f->level, f->flat, &opt, err);
    if (!probe) { return false; }
    ok = taco__planner_bind_columns(x, out, probe->columns.fields,
                                    probe->columns.count + probe->columns.hidden,
                                    probe->columns.count);
    taco_cursor_close(probe, err);
    return ok && err->code == TACO_OK;
}

/* ---- joins ---- */

/* The tables that a bound tree uses, one bit each. */
static uint32_t taco__planner_tables_of(const taco__executor *x, const taco__sql_expr *e)
{
    uint32_t bits = e->kind == TACO__SQL_EXPR_REF ? (uint32_t)1 << x->b.columns[e->index].table : 0,
             i;
    for (i = 0; i < e->n; i++) {
        bits |= taco__planner_tables_of(x, e->kid[i]);
    }
    return bits;
}

/* A condition that the columns with one name in two tables are equal, with null equal to null; the
   tables are those of the two sides of `like`. NULL without an error if one has no such column. */
static taco__sql_expr *taco__planner_new_equality(taco__executor *x, const taco__sql_expr *like,
                                                  const char *name)
{
    taco__arena *arena = &x->c->arena;
    taco__sql_expr *e =
        (taco__sql_expr *)taco__arena_alloc(arena, sizeof *e, taco__operator_err(x));
    size_t i, table, column;
    if (!e) { return NULL; }
    e->kind = TACO__SQL_EXPR_CMP;
    e->op = TACO__OP_EQ;
    e->at = like->at;
    e->nullsafe = true;
    e->kid = (taco__sql_expr **)taco__arena_array(arena, 2, sizeof *e->kid, taco__operator_err(x));
    for (i = 0; e->kid && i < 2; i++) {
        taco__sql_expr *c =
            (taco__sql_expr *)taco__arena_alloc(arena, sizeof *c, taco__operator_err(x));
        if (!c || !taco__bind_find_column(&x->b, like->kid[i], &table, &column)) { return NULL; }
        c->kind = TACO__SQL_EXPR_COLUMN;
        c->table = x->b.tables[table].alias;
        c->name = taco__bytes_text(name);
        c->at = like->at;
        if (!taco__bind_find_column(&x->b, c, &table, &column)) {
            return NULL; /* the table has no such column: no condition */
        }
        e->kid[i] = c;
    }
    e->n = 2;
    return e->kid ? e : NULL;
}

/* parent_id = current_id joins a level to the one above it. Ids restart in every archive and
   dataset, so the columns that identify the source of a row must be equal, too (facts:
   disagreements 5): appends conditions for those that both tables have. */
static bool taco__planner_split_parent_join(taco__executor *x, const taco__sql_expr *e,
                                            taco__sql_expr **list, size_t *n)
{
    static const char *const names[] = {TACO__SOURCE_PATH, "internal:source_file"};
    size_t i;
    bool up, down;
    if (e->kind != TACO__SQL_EXPR_CMP || e->op != TACO__OP_EQ ||
        e->kid[0]->kind != TACO__SQL_EXPR_COLUMN || e->kid[1]->kind != TACO__SQL_EXPR_COLUMN) {
        return true;
    }
    up = taco__bind_name_is(e->kid[0]->name, TACO__PARENT_ID) &&
         taco__bind_name_is(e->kid[1]->name, "internal:current_id");
    down = taco__bind_name_is(e->kid[1]->name, TACO__PARENT_ID) &&
           taco__bind_name_is(e->kid[0]->name, "internal:current_id");
    for (i = 0; (up || down) && i < 2; i++) {
        taco__sql_expr *more = taco__planner_new_equality(x, e, names[i]);
        if (more) { list[(*n)++] = more; }
    }
    return taco__operator_err(x)->code == TACO_OK;
}

/* The separate conditions of ON, and those that taco__planner_split_parent_join adds; *n of them,
   NULL on failure. */
static taco__sql_expr **taco__planner_list_conditions(taco__executor *x, taco__sql_expr *on,
                                                      size_t *n)
{
    bool several = on && on->kind == TACO__SQL_EXPR_AND;
    size_t i, count = several ? on->n : on != NULL;
    taco__sql_expr **list = (taco__sql_expr **)taco__arena_array(
        &x->c->arena, count * 3 + 1, sizeof *list, taco__operator_err(x));
    *n = count;
    for (i = 0; list && i < count; i++) {
        list[i] = several ? on->kid[i] : on;
    }
    for (i = 0; list && i < count; i++) {
        if (!taco__planner_split_parent_join(x, list[i], list, n)) { return NULL; }
    }
    return list;
}

/* Turns a bound condition into a pair of keys of the join, if it is an equality between something
   in table t and something in earlier tables. */
static bool taco__planner_add_join_key(const taco__executor *x, taco__hash_join *j, size_t t,
                                       const taco__sql_expr *e)
{
    uint32_t self = (uint32_t)1 << t, a, b;
    if (e->kind != TACO__SQL_EXPR_CMP || e->op != TACO__OP_EQ) { return false; }
    a = taco__planner_tables_of(x, e->kid[0]);
    b = taco__planner_tables_of(x, e->kid[1]);
    if (!(a == self && b && !(b & self)) && !(b == self && a && !(a & self))) { return false; }
    j->nullsafe[j->keys] = e->nullsafe;
    j->left[j->keys] = e->kid[a == self];
    j->right[j->keys++] = e->kid[a != self];
    return true;
}

/* Room for n keys, and an empty AND for conditions that are not keys. */
static taco__sql_expr *taco__planner_init_join(taco__executor *x, taco__hash_join *j, size_t n)
{
    taco_error *err = taco__operator_err(x);
    taco__arena *arena = &x->c->arena;
    taco__sql_expr *rest = (taco__sql_expr *)taco__arena_alloc(arena, sizeof *rest, err);
    j->left = (taco__sql_expr **)taco__arena_array(arena, n, sizeof *j->left, err);
    j->right = (taco__sql_expr **)taco__arena_array(arena, n, sizeof *j->right, err);
    j->nullsafe = (bool *)taco__arena_array(arena, n, sizeof *j->nullsafe, err);
    if (!rest || !j->left || !j->right || !j->nullsafe) { return NULL; }
    rest->kind = TACO__SQL_EXPR_AND;
    rest->type = taco__sql_type_simple(TACO_BOOL);
    rest->kid = (taco__sql_expr **)taco__arena_array(arena, n, sizeof *rest->kid, err);
    return rest->kid ? rest : NULL;
}

/* Splits ON into equalities between the new table and those before it, which are hashed, and the
   rest, which is tested on pairs. */
static bool taco__planner_plan_join(taco__executor *x, size_t t)
{
    taco__sql_expr *on = x->s.from[t].on, *rest, **list;
    taco__hash_join *j = &x->joins[t];
    size_t i, n, tables = x->b.table_count;
    j->semi = x->s.from[t].semi;
    j->anti = x->s.from[t].anti;
    j->outer = x->s.from[t].left && !j->semi && !j->anti;
    j->right_outer = x->s.from[t].right;
    x->b.table_count = t + 1; /* ON sees the tables so far */
    list = taco__planner_list_conditions(x, on, &n);
    rest = list ? taco__planner_init_join(x, j, n) : NULL;
    if (!rest) { return false; }
    x->b.no_aggr = true;
    for (i = 0; i < n; i++) {
        if (!taco__bind_expr(&x->b, &list[i]) || !taco__bind_require_bool(&x->b, &list[i])) {
            return false;
        }
        if (j->list || !taco__planner_add_join_key(x, j, t, list[i])) {
            rest->kid[rest->n++] = list[i];
        }
    }
    x->b.no_aggr = false;
    x->b.table_count = tables;
    x->b.tables[t].hidden = j->semi || j->anti;
    j->rest = rest->n ? rest : NULL;
    return true;
}

/* Decides where in the joins each condition of WHERE is tested: as soon as its tables are joined,
   and no later join may replace them by nulls. */
static bool taco__planner_place_where(taco__executor *x)
{
    taco_error *err = taco__operator_err(x);
    size_t i;
    x->where_at = (uint8_t *)taco__arena_alloc(&x->c->arena, x->where_count + 1, err);
    x->where_alone = (bool *)taco__arena_alloc(&x->c->arena, x->where_count + 1, err);
    if (!x->where_at || !x->where_alone) { return false; }
    for (i = 0; i < x->where_count; i++) {
        uint32_t bits = taco__planner_tables_of(x, x->where[i]);
        while (bits >> x->where_at[i] > 1 || x->s.from[x->where_at[i]].lost) {
            x->where_at[i]++;
        }
        x->where_alone[i] = x->where_at[i] && bits == (uint32_t)1 << x->where_at[i] &&
                            !x->s.from[x->where_at[i]].left && !x->joins[x->where_at[i]].list;
    }
    return true;
}

/* ---- opening ---- */

/* Opens the cursor that provides a table's rows: the view below, or a query of the dataset for
   these columns, including hidden ones, with these filters. Rows without a parent are kept
   (keeps_orphans): SQL sees tables, not samples. */
static taco_cursor *taco__planner_open_rows(taco__executor *x, size_t t,
                                            const taco__query_columns *select,
                                            taco__query_filter *filters, size_t n)
{
    taco_error *err = taco__operator_err(x);
    taco__query q;
    taco__select_options opt;
    if (taco__planner_is_source(x, t)) {
        return x->base->open(x->base->ctx, select, filters, n, err);
    }
    memset(&q, 0, sizeof q);
    memset(&opt, 0, sizeof opt);
    q.table = x->s.from[t].level;
    q.flat = x->s.from[t].flat;
    q.row_from = t ? 0 : x->from;
    q.row_to = t ? 0 : x->to;
    q.select = *select;
    q.filters = filters;
    q.filter_count = n;
    opt.keeps_orphans = true;
    opt.shows_hidden = true;
    opt.whole = true;
    opt.plan_only = x->plan_only;
    return taco__select_open(x->s.from[t].ds, &q, &opt, err);
}

/* The columns that the query uses of a table, at least one; their number in x->scan_count[t], the
   indexes of their vectors in the batch in x->scan_cols[t]. */
static bool taco__planner_list_columns(taco__executor *x, size_t t, taco__query_columns *select)
{
    const taco__bind_table *table = &x->b.tables[t];
    taco_error *err = taco__operator_err(x);
    taco__query_column *items = (taco__query_column *)taco__arena_array(
        &x->c->arena, x->b.column_count + 1, sizeof *items, err);
    size_t i, n = 0;
    x->scan_cols[t] = (size_t *)taco__arena_array(&x->c->arena, x->b.column_count + 1,
                                                  sizeof **x->scan_cols, err);
    if (!items || !x->scan_cols[t]) { return false; }
    for (i = 0; i < x->b.column_count; i++) {
        if (x->b.columns[i].table == t) {
            x->scan_cols[t][n] = i;
            items[n++].name = table->fields[x->b.columns[i].column].name;
        }
    }
    x->scan_count[t] = n;
    /* the last one is the row id, if there is one: nothing to read */
    if (!n && table->count) { items[n++].name = table->fields[table->count - 1].name; }
    memset(select, 0, sizeof *select);
    select->items = items;
    select->count = n;
    select->given = true;
    return true;
}

/* Counts the rows of a first table without used columns, as for SELECT count(*), by skipping all of
   them: without a condition, row groups are skipped by the number of rows in the footer, and
   nothing is read. Rows of a view are fetched, because it may have its own limits. */
static bool taco__planner_count_rows(taco__executor *x)
{
    taco_cursor *c = x->scans[0];
    taco_batch batch;
    if (x->plan_only) { return true; }
    if (!taco__sql_tasks_count(x)) { return false; }
    /* a view may have its own limits */
    if (taco__planner_is_source(x, 0) || x->s.from[0].query) {
        while (!x->scanned && taco_cursor_batch(c, &batch)) {
            x->bare += batch.length;
        }
    } else {
        uint64_t rest = 0;
        if (!x->scanned) { (void)taco__compose_count_rows(c, &rest); }
        x->bare += rest;
    }
    x->scanned = false;
    x->is_bare = true;
    if (c->err.code != TACO_OK) { *taco__operator_err(x) = c->err; }
    return c->err.code == TACO_OK;
}

/* The conditions that a table's scan tests, one filter for each level; *n of them. */
static void taco__planner_list_filters(const taco__pushdown *pushed, size_t t,
                                       taco__query_filter filters[TACO__MAX_LEVELS], size_t *n)
{
    size_t i;
    *n = 0;
    memset(filters, 0, TACO__MAX_LEVELS * sizeof *filters);
    for (i = 0; i < TACO__MAX_LEVELS; i++) {
        size_t slot = t * TACO__MAX_LEVELS + i;
        taco__query_filter *f = &filters[*n];
        f->where = pushed->where[slot];
        f->f.level = (uint32_t)i;
        f->f.geometry_column = pushed->geometry[slot];
        f->f.bbox = pushed->geometry[slot] ? pushed->box[slot] : NULL;
        *n += f->where || f->f.bbox;
    }
}

/* Opens the scan of a table over the columns the query uses, and records where in its batches each
   of them is: a view's cursor may have more columns. */
static bool taco__planner_open_scan(taco__executor *x, size_t t)
{
    taco__query_filter filters[TACO__MAX_LEVELS];
    taco__query_columns select;
    taco_cursor *c;
    taco__field_index names;
    size_t i, n, count;
    taco_error *err = taco__operator_err(x);
    taco__planner_list_filters(x->tests, t, filters, &count);
    if (!taco__planner_list_columns(x, t, &select)) { return false; }
    n = x->scan_count[t];
    if (!x->scans[t]) { x->scans[t] = taco__planner_open_rows(x, t, &select, filters, count); }
    c = x->scans[t];
    x->scan_from[t] = (size_t *)taco__arena_array(&x->c->arena, n + 1, sizeof **x->scan_from, err);
    if (!c || !x->scan_from[t]) { return false; }
    /* a view's cursor may have more of them */
    taco__field_index_init(&names, c->columns.fields, c->columns.count + c->columns.hidden, c->mem);
    for (i = 0; i < n; i++) {
        const taco__bind_column *want = &x->b.columns[x->scan_cols[t][i]];
        if (x->s.from[t].query) { /* its columns may have other names here */
            x->scan_from[t][i] = want->column;
            continue;
        }
        x->scan_from[t][i] =
            taco__field_index_find(&names, x->b.tables[t].fields[want->column].name);
    }
    taco__field_index_free(&names);
    return true;
}

/* The first table begins anew, at its rows [from, to). */
TACO__FN bool taco__planner_set_rows(taco__executor *x, uint64_t from, uint64_t to)
{
    taco_cursor_close(x->scans[0], NULL);
    x->scans[0] = NULL;
    x->from = from;
    x->to = to;
    x->scanned = false;
    return taco__planner_open_scan(x, 0);
}

/* All tables begin anew. */
TACO__FN bool taco__planner_reopen(taco__executor *x)
{
    size_t t;
    for (t = 0; t < x->b.table_count; t++) {
        taco_cursor_close(x->scans[t], NULL);
        x->scans[t] = NULL;
        if (!taco__planner_open_scan(x, t)) { return false; }
    }
    return true;
}

/* Resolves FIELD nodes that may be table.column. */
TACO__FN void taco__planner_qualify(taco__executor *x)
{
    size_t i;
    for (i = 0; i < x->s.items->n; i++) {
        taco__bind_qualify(&x->b, x->s.items->kid[i]);
    }
    for (i = 0; x->s.groups && i < x->s.groups->n; i++) {
        taco__bind_qualify(&x->b, x->s.groups->kid[i]);
    }
    for (i = 0; x->s.on && i < x->s.on->n; i++) {
        taco__bind_qualify(&x->b, x->s.on->kid[i]);
    }
    for (i = 0; i < x->s.order_count; i++) {
        if (x->s.order[i].e) { taco__bind_qualify(&x->b, x->s.order[i].e); }
    }
    for (i = 1; i < x->s.from_count; i++) {
        if (x->s.from[i].on) { taco__bind_qualify(&x->b, x->s.from[i].on); }
    }
    if (x->s.where) { taco__bind_qualify(&x->b, x->s.where); }
    if (x->s.having) { taco__bind_qualify(&x->b, x->s.having); }
}

/* Marks the columns that a tree computes with: their values have to be loaded. */
static void taco__planner_mark_computed(taco__executor *x, const taco__sql_expr *e)
{
    uint32_t i;
    if (e->kind == TACO__SQL_EXPR_REF) { x->use[e->index] = TACO__COLUMN_USE_VALUES; }
    for (i = 0; i < e->n; i++) {
        taco__planner_mark_computed(x, e->kid[i]);
    }
}

/* Whether a column is stored with several types in different datasets: its arrays are then not
   passed through, because their types change between batches. */
static bool taco__planner_has_mixed_types(const taco__executor *x)
{
    size_t i;
    for (i = 0; i < x->scan_count[0]; i++) {
        if (taco__compose_is_mixed(x->scans[0], x->scan_from[0][i])) { return true; }
    }
    return false;
}

/* Decides how the columns of a query over one table are used. Those that are only output are passed
   through as arrays, without vectors; a text that is only a group key is loaded as codes. A query
   that does nothing else to rows has its limits in the scan. */
static bool taco__planner_set_column_uses(taco__executor *x)
{
    size_t i;
    bool plain = x->b.table_count == 1 && !x->grouped && !x->order_count && !x->s.distinct &&
                 !x->where_count && !x->b.unnest_count && !x->base && !x->extra_count &&
                 !x->plan_only && !x->s.from[0].query && !taco__planner_has_mixed_types(x);
    x->use =
        (uint8_t *)taco__arena_alloc(&x->c->arena, x->b.column_count + 1, taco__operator_err(x));
    if (!x->use) { return false; }
    memset(x->use, plain ? TACO__COLUMN_USE_PASS_THROUGH : TACO__COLUMN_USE_VALUES,
           x->b.column_count);
    for (i = 0; plain && i < x->width; i++) {
        const taco__sql_expr *e = x->items[i];
        size_t column = e->kind == TACO__SQL_EXPR_REF ? x->b.columns[e->index].column : 0;
        const taco_field *f = &x->b.tables[0].fields[column];
        if (e->kind != TACO__SQL_EXPR_REF || f->child_count ||
            f->utc != x->c->columns.fields[i].utc ||
            !taco__unify_same_type(f, &x->c->columns.fields[i])) {
            taco__planner_mark_computed(x, e);
        }
    }
    /* nothing between the scan and the result changes the number of rows */
    if (plain && x->b.column_count) { /* rows are output as they come in */
        x->limits = true;
    }
    /* the one text that groups go by, unless something computes with it */
    if (x->b.table_count == 1 && x->b.group_count == 1 && !x->where_count &&
        x->b.groups[0]->kind == TACO__SQL_EXPR_REF && x->b.groups[0]->type.t.id == TACO_TEXT) {
        size_t place = x->b.groups[0]->index;
        x->use[place] = TACO__COLUMN_USE_CODES;
        for (i = 0; i < x->b.aggr_count; i++) {
            const taco__bind_aggregation *a = &x->b.aggrs[i];
            if (a->arg) { taco__planner_mark_computed(x, a->arg); }
            if (a->filter) { taco__planner_mark_computed(x, a->filter); }
        }
    }
    return true;
}

/* Plans the clauses in the order they take effect, and opens the scans. */
static bool taco__planner_plan(taco__executor *x)
{
    size_t i;
    for (i = 0; i < x->s.from_count; i++) {
        if (!taco__planner_bind_table(x, i)) { return false; }
        x->b.table_count++;
    }
    /* tables are known: points can be told apart, and stars become columns */
    taco__planner_qualify(x);
    for (i = 1; i < x->s.from_count; i++) {
        if (!taco__planner_join_merge(x, i)) { return false; }
    }
    if (!taco__planner_output_expand_stars(x)) { return false; }
    if (!taco__planner_join_reorder(x) || !taco__planner_join_take_where(x)) { return false; }
    for (i = 1; i < x->s.from_count; i++) {
        if (!taco__planner_plan_join(x, i)) { return false; }
    }
    /* WHERE, GROUP BY and HAVING see the aliases of all items */
    x->b.aliases = x->b.source_count;
    if (!taco__pushdown_split_where(x, x->tests) || !taco__planner_place_where(x) ||
        !taco__planner_output_bind_groups(x)) {
        return false;
    }
    /* an aggregate anywhere makes one group of all rows */
    x->grouped = x->b.group_count || x->s.having || x->s.groups;
    for (i = 0; i < x->b.source_count; i++) {
        x->grouped = x->grouped || taco__planner_output_has_aggregate(x->b.sources[i]);
    }
    for (i = 0; i < x->s.order_count; i++) {
        x->grouped =
            x->grouped || (x->s.order[i].e && taco__planner_output_has_aggregate(x->s.order[i].e));
    }
    x->grouped = x->grouped || (x->s.on && taco__planner_output_has_aggregate(x->s.on));
    x->b.grouped = x->grouped;
    if (!taco__planner_output_bind_items(x) || !taco__planner_output_bind_having(x)) {
        return false;
    }
    if (!taco__planner_output_bind_order(x) || !taco__planner_output_bind_distinct(x) ||
        !taco__planner_output_set_fields(x)) {
        return false;
    }
    taco__unnest_place(x);
    /* only now are the used columns known */
    for (i = 0; i < x->b.table_count; i++) {
        if (!x->joins[i].list && !taco__planner_open_scan(x, i)) { return false; }
        if (i == 0 && !x->scan_count[0] && !x->is_part && !taco__planner_count_rows(x)) {
            return false;
        }
    }
    return taco__planner_set_column_uses(x);
}

/* taco_cursor.next of a SELECT. */
static bool taco__planner_cursor_next(taco_cursor *c, taco_batch *out)
{
    return taco__operator_next((taco__executor *)c->producer.state, out);
}

/* taco_cursor.end of a SELECT. */
static void taco__planner_cursor_end(taco_cursor *c)
{
    taco__operator_close((taco__executor *)c->producer.state);
}

/* Makes an empty plan for a cursor, which becomes that of a SELECT: closing it closes the plan.
   NULL if there is no memory. */
TACO__FN taco__executor *taco__planner_new(taco_cursor *c)
{
    taco__executor *x = (taco__executor *)taco__arena_alloc(&c->arena, sizeof *x, &c->err);
    size_t i;
    if (!x) { return NULL; }
    x->c = c;
    x->batch.mem = x->hold[0].mem = x->hold[1].mem = x->unnest.held.mem = c->mem;
    for (i = 0; i < TACO__SQL_MAX_TABLES; i++) {
        x->joins[i].held.mem = c->mem;
    }
    x->b.arena = &c->arena;
    x->b.err = &c->err;
    x->b.s = &x->s;
    x->b.x = x;
    c->producer.state = x;
    c->producer.next = taco__planner_cursor_next;
    c->producer.end = taco__planner_cursor_end;
    return x;
}

/* Makes the plan of a cursor and parses the text into it; NULL on failure. The text is copied:
   trees borrow from it. */
TACO__FN taco__executor *taco__planner_init(taco_cursor *c, const char *sql)
{
    size_t len = TACO__MIN(strlen(sql), TACO__SQL_MAX_TEXT + 1);
    char *text = taco__arena_text(&c->arena, taco__bytes_of(sql, len), &c->err);
    taco__executor *x = text ? taco__planner_new(c) : NULL;
    return x && taco__sql_parse(&c->arena, text, len, c->ds->options.limits.max_depth, &x->s,
                                &c->err)
               ? x
               : NULL;
}

/* Computes a LIMIT or OFFSET that is an expression: NULL leaves *rows unchanged and *given
   false. */
static bool taco__planner_count_limit(taco__executor *x, taco__sql_expr *e, uint64_t *rows,
                                      bool *given)
{
    taco__sql_type big = taco__sql_type_simple(TACO_INT64);
    taco__sql_batch one;
    taco__vec v;
    taco__bind alone = x->b; /* a binder without columns, aliases and groups */
    bool ok;
    alone.table_count = alone.aliases = alone.group_count = 0;
    alone.grouped = false;
    alone.no_aggr = true;
    ok = taco__bind_expr(&alone, &e) && taco__bind_type_add_cast(&alone, &e, &big);
    taco__operator_init_batch(x, &one, NULL, 0, 1);
    if (!ok || !taco__evaluate_expr(&one, e, &v)) { return false; }
    *given = taco__vec_is_valid(&v, 0);
    if (*given && v.v.i[0] < 0) {
        TACO__FAIL(taco__operator_err(x), TACO_ERR_SYNTAX, e->at,
                   "a number of rows must not be negative: %d", TACO__D(v.v.i[0]));
        return false;
    }
    *rows = *given ? (uint64_t)v.v.i[0] : *rows;
    return true;
}

/* Plans the SELECT that taco__planner_init parsed, and opens it. The scan applies OFFSET and LIMIT
   if rows are returned as stored. */
TACO__FN bool taco__planner_run(taco__executor *x)
{
    bool given, ok;
    x->tests = taco__pushdown_new(x);
    ok = x->tests && taco__planner_plan(x);
    ok = ok && (!x->s.limit_expr ||
                taco__planner_count_limit(x, x->s.limit_expr, &x->s.limit, &x->s.has_limit));
    ok = ok && (!x->s.offset_expr ||
                taco__planner_count_limit(x, x->s.offset_expr, &x->s.offset, &given));
    /* without FROM there is one row of no columns */
    if (!x->s.from_count) {
        x->is_bare = true;
        x->bare = 1;
    }
    x->skip = x->s.offset;
    x->left = x->s.has_limit ? x->s.limit : UINT64_MAX;
    if (ok && x->limits && x->left) {
        taco__cursor_set_window(x->scans[0], x->skip, x->left);
        x->skip = 0;
        x->left = UINT64_MAX;
    }
    return ok;
}

/* Turns a cursor into one over the rows of a SELECT. */
static bool taco__planner_open(taco_cursor *c, const char *sql)
{
    taco__executor *x = taco__planner_init(c, sql);
    if (x) { x->text = taco__arena_text(&c->arena, taco__bytes_text(sql), &c->err); }
    return x && x->text && taco__planner_run(x);
}

/* The plan of a SELECT once more, for a task: over rows [from, to) of its first table, with the
   task's own handle. The clock stays where it was. NULL on failure. */
TACO__FN taco_cursor *taco__planner_open_part(taco_dataset *ds, const taco__executor *of,
                                              uint64_t from, uint64_t to, taco_error *err)
{
    taco__executor *x;
    taco_cursor *c;
    if (of->view) { return taco__view_query_open_part(ds, of, from, to, err); }
    c = taco__cursor_alloc(ds, 0, err);
    x = c ? taco__planner_init(c, of->text) : NULL;
    if (x) {
        x->is_part = true;
        x->b.now = of->b.now;
        x->from = from;
        x->to = to;
    }
    if (x && taco__planner_run(x)) { return c; }
    taco_cursor_close(c, err);
    return NULL;
}

/* Parses, plans and opens; errors are prefixed with the dataset and the text. */
TACO_API taco_cursor *taco_sql(taco_dataset *ds, const char *sql, taco_error *err)
{
    taco_cursor *c;
    taco_bytes text;
    err = taco__error_fresh(err, NULL);
    if (!ds || !sql) {
        TACO__FAIL_SOFT(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                        ds ? "no query given" : "no dataset given");
        return NULL;
    }
    c = taco__cursor_alloc(ds, 0, err);
    if (c && !taco__planner_open(c, sql)) {
        text = taco__bytes_text(sql);
        taco__error_prefix(&c->err, "%s: sql: %q", ds->stores[0].name, &text);
        taco_cursor_close(c, err);
        return NULL;
    }
    return c;
}
