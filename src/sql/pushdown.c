/* pushdown.c - moves conditions of WHERE that a scan can test into its predicate

   A scan prunes row groups and pages by its predicate and reads other columns only for matching
   rows. A condition qualifies if all its columns are stored in one table (for a flat view: in one
   level) and if it means the same in both languages: comparisons, IN, BETWEEN, LIKE and IS NULL of
   a column with literals, and AND, OR, NOT of these. Everything else of WHERE is bound and tested
   by operators.c. ST_Intersects of a column with a constant box becomes a filter too.

   Example: of WHERE v > 1 AND length(id) < 5 AND (split = 'train' OR split IS NULL) the first and
   the last condition go to the scan as one predicate; length(id) < 5 is tested by operators.c. */
#include "sql.h"
#include "functions.h"
#include "../base/base.h"
#include "../filter/filter.h"
#include "../dataset/dataset.h"

/* No conditions yet; in the arena of the plan. */
TACO__FN taco__pushdown *taco__pushdown_new(taco__executor *x)
{
    return (taco__pushdown *)taco__arena_alloc(&x->c->arena, sizeof(taco__pushdown),
                                               taco__operator_err(x));
}

/* Where a column is stored: returns table * TACO__MAX_LEVELS + level, or TACO__NONE if it is not
   stored or must not be tested there: columns computed for each row (paths, row ids), and all
   columns of a table whose rows an outer join may replace by nulls, which have to be tested, too.
   *name is its name there, without the "lN:" of a flat view. */
static size_t taco__pushdown_slot(const taco__executor *x, size_t table, size_t column,
                                  const char **name)
{
    const taco__sql_table_ref *f = &x->s.from[table];
    size_t level = f->level;
    *name = x->b.tables[table].fields[column].name;
    if (f->left || f->lost || f->query || (taco__planner_is_source(x, table) && !x->base->pushes)) {
        return TACO__NONE;
    }
    if (f->flat) { /* "lN:name" */
        if ((*name)[0] != 'l' || (*name)[1] < '0' || (*name)[1] > (char)('0' + (int)level) ||
            (*name)[2] != ':') {
            return TACO__NONE;
        }
        level = (size_t)((*name)[1] - '0');
        *name += 3;
    }
    return strcmp(*name, TACO__GDAL_VSI) == 0 || strcmp(*name, TACO__SOURCE_PATH) == 0 ||
                   strcmp(*name, TACO__SOURCE_FILE) == 0 || strcmp(*name, TACO__CURRENT_ID) == 0 ||
                   strcmp(*name, TACO__ROW_ID) == 0
               ? TACO__NONE
               : table * TACO__MAX_LEVELS + level;
}

/* Whether e is a literal that means the same for a predicate on the column f as in SQL: a number, a
   text, a constant DATE or TIMESTAMP. BOOLEANs, NULL and other casts exist only in SQL. */
static bool taco__pushdown_is_literal(const taco__sql_expr *e, const taco_field *f)
{
    const taco__sql_expr *k = e->kind == TACO__SQL_EXPR_CAST ? e->kid[0] : e;
    if (k->kind != TACO__SQL_EXPR_CONST) { return false; }
    if (e->kind == TACO__SQL_EXPR_CAST) {
        return !e->tries && k->value.type.id == TACO_TEXT && e->to.t.id == f->type &&
               (f->type == TACO_DATE || (f->type == TACO_TIMESTAMP && e->to.t.unit == TACO_MICRO));
    }
    if (taco__scalar_is_number(k->value.type.id)) {
        return taco__scalar_is_number(f->type) && f->type != TACO_HALF;
    }
    return k->value.type.id == TACO_TEXT &&
           (f->type == TACO_TEXT || f->type == TACO_DATE || f->type == TACO_TIMESTAMP);
}

/* Whether an operator is a form of LIKE; ~, !~ and ~~~ are other patterns. */
static bool taco__pushdown_is_like(taco_bytes name)
{
    static const char *const names[] = {"~~", "!~~", "~~*", "!~~*"};
    size_t i;
    for (i = 0; i < TACO__COUNT(names); i++) {
        if (taco__bytes_equal(name, taco__bytes_text(names[i]))) { return true; }
    }
    return false;
}

/* The slot of all columns of a condition, if the predicate of a scan can express it with the same
   meaning. TACO__NONE otherwise. The column must be on the left, as written; conditions with a
   literal on the left are tested by operators.c. */
TACO__FN size_t taco__pushdown_find_slot(taco__executor *x, const taco__sql_expr *e)
{
    size_t table, column, slot, all = TACO__NONE;
    uint32_t i;
    const taco_field *f;
    const char *name;
    if (e->kind == TACO__SQL_EXPR_AND || e->kind == TACO__SQL_EXPR_OR ||
        e->kind == TACO__SQL_EXPR_NOT) {
        for (i = 0; i < e->n; i++) {
            size_t one = taco__pushdown_find_slot(x, e->kid[i]);
            all = i && all != one ? TACO__NONE : one;
            if (all == TACO__NONE) { return all; }
        }
        return all;
    }
    if (!e->n || e->kid[0]->kind != TACO__SQL_EXPR_COLUMN ||
        !taco__bind_find_column(&x->b, e->kid[0], &table, &column)) {
        return TACO__NONE;
    }
    f = &x->b.tables[table].fields[column];
    slot = taco__pushdown_slot(x, table, column, &name);
    if (slot == TACO__NONE) { return TACO__NONE; }
    switch (e->kind) {
    case TACO__SQL_EXPR_ISNULL: return slot;
    case TACO__SQL_EXPR_CMP:
        if (e->nullsafe) { return TACO__NONE; } /* fall through */
    case TACO__SQL_EXPR_IN:
    case TACO__SQL_EXPR_BETWEEN:
        for (i = 1; i < e->n; i++) {
            if (!taco__pushdown_is_literal(e->kid[i], f)) { return TACO__NONE; }
        }
        return slot;
    case TACO__SQL_EXPR_CALL:
        return e->infix && e->n == 2 && taco__pushdown_is_like(e->name) && f->type == TACO_TEXT &&
                       e->kid[1]->kind == TACO__SQL_EXPR_CONST &&
                       e->kid[1]->value.type.id == TACO_TEXT
                   ? slot
                   : TACO__NONE;
    default: return TACO__NONE;
    }
}

/* The name, in its table, of a column in a condition that taco__pushdown_find_slot accepted. */
TACO__FN const char *taco__pushdown_column_name(void *executor, const taco__sql_expr *e)
{
    taco__executor *x = (taco__executor *)executor;
    size_t table = 0, column = 0;
    const char *name = "";
    if (taco__bind_find_column(&x->b, e, &table, &column)) {
        taco__pushdown_slot(x, table, column, &name);
    }
    return name;
}

/* A condition that taco__pushdown_find_slot accepted, as a predicate in the arena. */
TACO__FN taco__expr *taco__pushdown_predicate(taco__executor *x, taco__arena *arena,
                                              const taco__sql_expr *e)
{
    taco__pred_maker m;
    memset(&m, 0, sizeof m);
    m.arena = arena;
    m.err = taco__operator_err(x);
    m.column = taco__pushdown_column_name;
    m.ctx = x;
    return taco__pred_from_sql(&m, e);
}

/* Adds a condition to those tested by the scan of a slot. All of them are children of one AND, so
   that their number costs no depth. */
static bool taco__pushdown_add(taco__executor *x, taco__pushdown *pushed, size_t slot,
                               const taco__sql_expr *e)
{
    taco__arena *arena = &x->c->arena;
    taco__expr *p = taco__pushdown_predicate(x, arena, e), **all = &pushed->where[slot];
    if (p && !*all) { *all = taco__expr_make(arena, TACO__PRED_AND, 0, taco__operator_err(x)); }
    if (!p || !*all) { return false; }
    taco__expr_append_child(*all, p);
    return true;
}

/* Whether a bound tree has the same value in every row. */
static bool taco__pushdown_is_constant(const taco__sql_expr *e)
{
    uint32_t i;
    for (i = 0; i < e->n; i++) {
        if (!taco__pushdown_is_constant(e->kid[i])) { return false; }
    }
    return e->kind == TACO__SQL_EXPR_CONST || e->kind == TACO__SQL_EXPR_CAST ||
           (e->kind == TACO__SQL_EXPR_CALL && e->n);
}

/* ST_Intersects of a geometry column with a constant box becomes a filter of its scan. The first
   one is moved there, and the columns that were bound only for it, those from `before` on, are not
   read. Called after binding, which shows what is constant. */
static bool taco__pushdown_take_box(taco__executor *x, const taco__sql_expr *e, size_t before,
                                    taco__pushdown *pushed, bool *taken)
{
    const taco__sql_expr *g, *box;
    taco__sql_batch calc;
    taco__vec v;
    double edge[4];
    size_t slot, place, column, table;
    const char *name;
    *taken = false;
    if (e->kind != TACO__SQL_EXPR_CALL || e->func != TACO__FUNC_INTERSECTS) { return true; }
    box = e->kid[taco__pushdown_is_constant(e->kid[1])];
    g = box == e->kid[0] ? e->kid[1] : e->kid[0];
    if (g->kind != TACO__SQL_EXPR_CALL || g->func != TACO__FUNC_GEOM ||
        g->kid[0]->kind != TACO__SQL_EXPR_REF || !taco__pushdown_is_constant(box)) {
        return true;
    }
    /* the column, and where it is stored */
    place = g->kid[0]->index;
    table = x->b.columns[place].table;
    column = x->b.columns[place].column;
    slot = taco__pushdown_slot(x, table, column, &name);
    if (slot == TACO__NONE || pushed->geometry[slot] ||
        x->b.tables[table].fields[column].type != TACO_BINARY ||
        x->s.from[table].ds->mode == TACO_COLUMNS_FILL_MISSING) {
        return true;
    }
    /* the box is constant: computed once, over one row without columns */
    taco__arena_reset(&x->batch);
    taco__operator_init_batch(x, &calc, NULL, 0, 1);
    if (!taco__evaluate_expr(&calc, box, &v)) { return false; }
    if (!taco__vec_is_valid(&v, 0) || !taco__func_geo_parse_box(v.v.s[0], edge)) { return true; }
    memcpy(pushed->box[slot], edge, sizeof edge);
    pushed->geometry[slot] = name;
    /* the geometry need not be read for its own sake: the scan does it */
    while (x->b.column_count > before) {
        const taco__bind_column *c = &x->b.columns[--x->b.column_count];
        x->b.tables[c->table].place[c->column] = TACO__NONE;
    }
    *taken = true;
    return true;
}

/* Splits WHERE into its conjuncts: each becomes part of a scan's predicate or is bound, to be
   tested on rows (x->where). */
TACO__FN bool taco__pushdown_split_where(taco__executor *x, taco__pushdown *pushed)
{
    taco__sql_expr *w = x->s.where, *one = w;
    taco__sql_expr **list = &one;
    size_t i, n = w ? 1 : 0;
    bool taken;
    if (w && w->kind == TACO__SQL_EXPR_AND) {
        list = w->kid;
        n = w->n;
    }
    x->where = (taco__sql_expr **)taco__arena_array(&x->c->arena, n + 1, sizeof *x->where,
                                                    taco__operator_err(x));
    if (!x->where) { return false; }
    x->b.no_aggr = true;
    for (i = 0; i < n; i++) {
        size_t before = x->b.column_count, slot = taco__pushdown_find_slot(x, list[i]);
        if (taco__operator_err(x)->code != TACO_OK) { return false; }
        if (slot != TACO__NONE) {
            if (!taco__pushdown_add(x, pushed, slot, list[i])) { return false; }
            continue;
        }
        if (!taco__bind_expr(&x->b, &list[i]) || !taco__bind_require_bool(&x->b, &list[i]) ||
            !taco__pushdown_take_box(x, list[i], before, pushed, &taken)) {
            return false;
        }
        if (!taken) { x->where[x->where_count++] = list[i]; }
    }
    x->b.no_aggr = false;
    return true;
}
