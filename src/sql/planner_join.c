/* planner_join.c - planner of join conditions that are not in ON

   USING and NATURAL become equalities of columns with the same name, of which `*` then shows the
   first; for a RIGHT JOIN it is the second, and for a FULL JOIN whichever exists. Equalities in
   WHERE between tables combined by a comma or CROSS JOIN become keys of that join, because FROM a,
   b WHERE a.x = b.x is the older way to write JOIN ... ON: this avoids making the product of the
   tables. */
#include "sql.h"
#include "../base/base.h"

/* ---- USING and NATURAL ---- */

/* A column by its index, without looking up a name. */
static taco__sql_expr *taco__planner_join_column(taco__executor *x, size_t t, size_t c, size_t at)
{
    taco__sql_expr *e =
        (taco__sql_expr *)taco__arena_alloc(&x->c->arena, sizeof *e, taco__operator_err(x));
    if (e) {
        e->kind = TACO__SQL_EXPR_COLUMN;
        e->at = at;
        e->table = x->b.tables[t].alias;
        e->name = taco__bytes_text(x->b.tables[t].fields[c].name);
        e->func = (uint32_t)t;
        e->index = c + 1;
        e->depth = 1;
    }
    return e;
}

/* Adds a condition to ON of table t. */
static bool taco__planner_join_add(taco__executor *x, size_t t, taco__sql_expr *e)
{
    taco__sql_expr **on = &x->s.from[t].on, *all = *on;
    taco_error *err = taco__operator_err(x);
    if (!all) {
        *on = e;
        return true;
    }
    all = (taco__sql_expr *)taco__arena_alloc(&x->c->arena, sizeof *all, err);
    if (!all) { return false; }
    all->kind = TACO__SQL_EXPR_AND;
    all->at = e->at;
    all->n = (*on)->kind == TACO__SQL_EXPR_AND ? (*on)->n : 1;
    all->kid = (taco__sql_expr **)taco__arena_array(&x->c->arena, (size_t)all->n + 1,
                                                    sizeof *all->kid, err);
    if (!all->kid) { return false; }
    memcpy(all->kid, (*on)->kind == TACO__SQL_EXPR_AND ? (*on)->kid : on,
           all->n * sizeof *all->kid);
    all->kid[all->n++] = e;
    *on = all;
    return true;
}

/* The meaning of the merged column with that index: itself, or what a RIGHT or FULL JOIN replaced
   it with. */
static taco__sql_expr *taco__planner_join_merged(taco__executor *x, size_t t, size_t c, size_t at)
{
    const taco__bind_table *table = &x->b.tables[t];
    return table->instead && table->instead[c]
               ? taco__sql_expr_copy(&x->c->arena, table->instead[c], taco__operator_err(x))
               : taco__planner_join_column(x, t, c, at);
}

/* A node with two operands; NULL if one is NULL or there is no memory. */
static taco__sql_expr *taco__planner_join_pair(taco__executor *x, taco__sql_expr_kind kind,
                                               taco__sql_expr *a, taco__sql_expr *b)
{
    taco_error *err = taco__operator_err(x);
    taco__sql_expr *e = (taco__sql_expr *)taco__arena_alloc(&x->c->arena, sizeof *e, err);
    if (!e || !a || !b) { return NULL; }
    e->kind = kind;
    e->at = b->at;
    e->depth = TACO__MAX(a->depth, b->depth) + 1;
    e->kid = (taco__sql_expr **)taco__arena_array(&x->c->arena, 2, sizeof *e->kid, err);
    if (!e->kid) { return NULL; }
    e->kid[0] = a;
    e->kid[1] = b;
    e->n = 2;
    return e;
}

/* Makes the unqualified name of a column that a join of table t merges with its column c refer to
   the side that exists: for RIGHT JOIN, the right one. */
static bool taco__planner_join_replace(taco__executor *x, size_t table, size_t column, size_t t,
                                       size_t c, size_t at)
{
    taco__bind_table *first = &x->b.tables[table];
    taco__sql_expr *e = taco__planner_join_column(x, t, c, at);
    if (x->s.from[t].left || !x->s.from[t].right) {
        e = taco__planner_join_pair(x, TACO__SQL_EXPR_CALL,
                                    taco__planner_join_merged(x, table, column, at), e);
        if (e) { e->name = taco__bytes_text("coalesce"); }
    }
    if (e && !first->instead) {
        first->instead = (taco__sql_expr **)taco__arena_array(
            &x->c->arena, first->count, sizeof *first->instead, taco__operator_err(x));
    }
    if (!e || !first->instead) { return false; }
    first->instead[column] = e;
    return true;
}

/* Merges column c of table t with the column of the same name in the tables before it. False with
   an error; *found says whether there is such a column. */
static bool taco__planner_join_merge_column(taco__executor *x, size_t t, size_t c, size_t at,
                                            bool *found)
{
    taco__sql_expr name, *e;
    size_t table = 0, column = 0, tables = x->b.table_count;
    memset(&name, 0, sizeof name);
    name.name = taco__bytes_text(x->b.tables[t].fields[c].name);
    name.at = at;
    x->b.table_count = t; /* the tables before it */
    *found = taco__bind_find_column(&x->b, &name, &table, &column);
    x->b.table_count = tables;
    if (!*found) { return taco__operator_err(x)->code == TACO_OK; }
    e = taco__planner_join_pair(x, TACO__SQL_EXPR_CMP,
                                taco__planner_join_merged(x, table, column, at),
                                taco__planner_join_column(x, t, c, at));
    if (!e) { return false; }
    e->op = TACO__OP_EQ;
    if ((x->s.from[t].right ||
         (x->b.tables[table].instead && x->b.tables[table].instead[column])) &&
        !taco__planner_join_replace(x, table, column, t, c, at)) {
        return false;
    }
    x->b.tables[t].merged[c] = true;
    return taco__planner_join_add(x, t, e);
}

/* Whether NATURAL compares a column: not the paths that are computed for each row, which no two
   rows share. */
static bool taco__planner_join_is_natural(const taco_field *f)
{
    return strcmp(f->name, TACO__GDAL_VSI) != 0 && strcmp(f->name, TACO__SOURCE_PATH) != 0;
}

/* Gives table t the conditions that USING or NATURAL implies. */
TACO__FN bool taco__planner_join_merge(taco__executor *x, size_t t)
{
    const taco__sql_table_ref *f = &x->s.from[t];
    const taco__bind_table *table = &x->b.tables[t];
    size_t c, any = 0;
    uint32_t i;
    bool found = false;
    for (c = 0; f->natural && c < table->visible; c++) {
        if (!taco__planner_join_is_natural(&table->fields[c])) { continue; }
        if (!taco__planner_join_merge_column(x, t, c, f->at, &found)) { return false; }
        any += found;
    }
    if (f->natural && !any) {
        TACO__FAIL(taco__operator_err(x), TACO_ERR_SYNTAX, f->at,
                   "NATURAL JOIN: no column has the name of a column before it");
        return false;
    }
    for (i = 0; f->merged && i < f->merged->n; i++) {
        const taco__sql_expr *name = f->merged->kid[i];
        for (c = 0; c < table->count && !taco__bind_name_is(name->name, table->fields[c].name);
             c++) {}
        found = false;
        if (c < table->count && !taco__planner_join_merge_column(x, t, c, name->at, &found)) {
            return false;
        }
        if (!found) {
            TACO__FAIL(taco__operator_err(x), TACO_ERR_SYNTAX, name->at,
                       "USING: column %q is not on both sides", &name->name);
            return false;
        }
    }
    return true;
}

/* ---- WHERE ---- */

/* The tables that a tree names, one bit each; false if it contains anything but columns, constants
   and computations on them, or is unknown to all tables. */
static bool taco__planner_join_tables(taco__executor *x, const taco__sql_expr *e, uint32_t *bits)
{
    size_t table = 0, column = 0;
    uint32_t i;
    if (e->kind == TACO__SQL_EXPR_COLUMN) {
        if (!taco__bind_find_column(&x->b, e, &table, &column)) { return false; }
        *bits |= (uint32_t)1 << table;
        return true;
    }
    if (e->kind == TACO__SQL_EXPR_QUERY || e->filter) { return false; }
    for (i = 0; i < e->n; i++) {
        if (!taco__planner_join_tables(x, e->kid[i], bits)) { return false; }
    }
    return true;
}

/* The separate conditions of WHERE. */
static taco__sql_expr **taco__planner_join_conditions(taco__executor *x, size_t *n)
{
    bool several = x->s.where && x->s.where->kind == TACO__SQL_EXPR_AND;
    *n = several ? x->s.where->n : x->s.where != NULL;
    return several ? x->s.where->kid : &x->s.where;
}

/* Whether a condition is an equality between columns of tables; *bits has them. */
static bool taco__planner_join_is_key(taco__executor *x, const taco__sql_expr *e, uint32_t *bits)
{
    *bits = 0;
    return e->kind == TACO__SQL_EXPR_CMP && e->op == TACO__OP_EQ && !e->nullsafe &&
           taco__planner_join_tables(x, e, bits) && (*bits & (*bits - 1)) != 0;
}

/* The next table to join to those in `done`: the first that an equality in WHERE connects to them,
   or else the first remaining one. */
static size_t taco__planner_join_next(taco__executor *x, const uint32_t *keys, size_t n,
                                      uint32_t done)
{
    size_t t, i, first = 0;
    for (t = x->b.table_count; t-- > 0;) {
        uint32_t self = (uint32_t)1 << t;
        for (i = 0; !(done & self) && i < n; i++) {
            if ((keys[i] & self) && !(keys[i] & ~(done | self))) { first = t; }
        }
    }
    for (t = 0; !first && t < x->b.table_count; t++) {
        first = done >> t & 1 ? first : t;
    }
    return first;
}

/* Reorders the tables of FROM a, b, c so that equalities in WHERE connect each to those before it,
   as far as possible, because the product of unrelated tables may be large. Columns of `*` keep the
   order of FROM. */
TACO__FN bool taco__planner_join_reorder(taco__executor *x)
{
    taco__sql_expr **list;
    size_t i, t, n, count = x->b.table_count;
    uint32_t *keys, done = 1, place[TACO__SQL_MAX_TABLES];
    taco__bind_table *tables = NULL;
    taco__sql_table_ref *from = NULL;
    taco_cursor *scans[TACO__SQL_MAX_TABLES];
    for (t = 1; t < count && x->s.from[t].cross && !x->joins[t].list; t++) {}
    if (count < 3 || t < count || !x->s.where) { return true; }
    list = taco__planner_join_conditions(x, &n);
    keys = (uint32_t *)taco__arena_array(&x->c->arena, n, sizeof *keys, taco__operator_err(x));
    tables = (taco__bind_table *)taco__arena_array(&x->c->arena, count, sizeof *tables,
                                                   taco__operator_err(x));
    from = (taco__sql_table_ref *)taco__arena_array(&x->c->arena, count, sizeof *from,
                                                    taco__operator_err(x));
    if (!keys || !tables || !from) { return false; }
    for (i = 0; i < n; i++) {
        if (!taco__planner_join_is_key(x, list[i], &keys[i])) { keys[i] = 0; }
        if (taco__operator_err(x)->code != TACO_OK) { return false; }
    }
    memcpy(tables, x->b.tables, count * sizeof *tables);
    memcpy(from, x->s.from, count * sizeof *from);
    memcpy(scans, x->scans, sizeof scans);
    memset(place, 0, sizeof place);
    for (i = 1; i < count; i++) {
        t = taco__planner_join_next(x, keys, n, done);
        done |= (uint32_t)1 << t;
        place[t] = (uint32_t)i;
    }
    for (t = 0; t < count; t++) {
        x->b.tables[place[t]] = tables[t];
        x->s.from[place[t]] = from[t];
        x->scans[place[t]] = scans[t];
    }
    /* columns of stars are found by their table */
    for (i = 0; i < x->b.source_count; i++) {
        taco__sql_expr *e = x->b.sources[i];
        if (e->kind == TACO__SQL_EXPR_COLUMN && e->index) { e->func = place[e->func]; }
    }
    return true;
}

/* The last table that a condition of WHERE needs, if that is joined without a condition and the
   condition is an equality with an earlier table; 0 for none. */
static size_t taco__planner_join_find(taco__executor *x, const taco__sql_expr *e)
{
    uint32_t bits = 0;
    size_t t;
    if (!taco__planner_join_is_key(x, e, &bits)) { return 0; }
    for (t = x->b.table_count; !(bits >> --t & 1);) {}
    return x->s.from[t].cross && !x->joins[t].list ? t : 0;
}

/* Moves the conditions of WHERE that are join keys to their joins. */
TACO__FN bool taco__planner_join_take_where(taco__executor *x)
{
    taco__sql_expr **list;
    size_t i, k = 0, n, t;
    for (t = 1; t < x->s.from_count && !x->s.from[t].cross; t++) {}
    if (!x->s.where || t >= x->s.from_count || x->s.from[0].lost) { return true; }
    list = taco__planner_join_conditions(x, &n);
    for (i = 0; i < n; i++) {
        t = taco__planner_join_find(x, list[i]);
        if (taco__operator_err(x)->code != TACO_OK) { return false; }
        if (!t) {
            list[k++] = list[i];
        } else if (!taco__planner_join_add(x, t, list[i])) {
            return false;
        }
    }
    if (!k) {
        x->s.where = NULL;
    } else if (x->s.where->kind == TACO__SQL_EXPR_AND) {
        x->s.where->n = (uint32_t)k;
    }
    return true;
}
