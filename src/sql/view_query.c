/* view_query.c - plan of a view: its steps combined into one query, and layers over it

   taco__view_query_init applies the steps in order. Filters, plain columns, sort keys and limits
   change the one query (taco__query); a SELECT that needs nothing more is absorbed by it, and
   becomes a layer otherwise. A filter after a limit must see only the rows that the limit leaves:
   in that case the limit is run, and its rows become a mask, a bitmap for each container and level.

   Example: the steps "v > 1", "id, v", "v desc" and limit 5 are one query: a predicate, two
   columns, a sort key and a limit. With the limit before "v > 1" they are two: the five rows
   first, as a mask, and then the condition. */
#include "sql.h"
#include "../base/base.h"
#include "../filter/filter.h"
#include "../dataset/dataset.h"

/* ---- cursors of a plan ---- */

/* Appends the entries of `more` to a list, ignoring mistakes in either. */
static bool taco__view_query_join_columns(taco__view_query *z, taco__query_columns *list,
                                          const taco__query_columns *more, taco_error *err)
{
    taco__query_column *items = (taco__query_column *)taco__arena_array(
        &z->arena, list->count + more->count + 1, sizeof *items, err);
    if (!items) { return false; }
    if (list->count) { memcpy(items, list->items, list->count * sizeof *items); }
    if (more->count) { memcpy(items + list->count, more->items, more->count * sizeof *items); }
    list->items = items;
    list->count += more->count;
    return true;
}

/* For a cursor that is only inspected: all output and sort columns, to be read in storage order. A
   sorted result reads the keys of all rows, whatever the limit. */
static bool taco__view_query_all_columns(taco__view_query *z, taco__query *q, taco_error *err)
{
    taco__query_columns order = q->order;
    size_t i;
    bool sorted = order.given || z->plan_order.count;
    if (sorted) { q->limit = q->offset = 0; /* any row may be the first */ }
    memset(&q->order, 0, sizeof q->order);
    if (!q->select.given || !sorted) { return true; }
    if (!taco__query_parse_ends(&order, err) ||
        !taco__view_query_join_columns(z, &q->select, &z->plan_order, err)) {
        return false;
    }
    i = q->select.count;
    if (!taco__view_query_join_columns(z, &q->select, &order, err)) { return false; }
    for (; i < q->select.count; i++) { /* "desc" is no part of a name */
        ((taco__query_column *)q->select.items)[i].rest.len = 0;
    }
    return true;
}

/* Rows of the query below the layers, with further filters. select NULL: what the view selects.
   Masks and trees are lent to the cursor while it is opened. */
TACO__FN taco_cursor *taco__view_query_open_base(taco__view_query *z,
                                                 const taco__query_columns *select,
                                                 const taco__query_filter *more, size_t n,
                                                 taco_error *err)
{
    taco__query q = z->q;
    taco__select_options opt;
    q.filters = (taco__query_filter *)taco__arena_array(&z->arena, z->filter_count + n + 1,
                                                        sizeof *q.filters, err);
    if (!q.filters) { return NULL; }
    if (z->filter_count) { memcpy(q.filters, z->filters, z->filter_count * sizeof *q.filters); }
    if (n) { memcpy(q.filters + z->filter_count, more, n * sizeof *q.filters); }
    q.filter_count = z->filter_count + n;
    if (select) { q.select = *select; }
    if (z->limited) {
        q.limit = z->limit == UINT64_MAX ? 0 : TACO__MAX(z->limit, (uint64_t)1);
        q.offset = z->limit ? z->offset : UINT64_MAX;
    }
    memset(&opt, 0, sizeof opt);
    opt.masks = z->masks;
    opt.shows_hidden = select != NULL;
    opt.plan_only = z->plan_only;
    if (z->plan_only && !taco__view_query_all_columns(z, &q, err)) { return NULL; }
    return taco__select_open(z->ds, &q, &opt, err);
}

/* Rows of the whole plan; ids: only the row id column, hidden or not. */
TACO__FN taco_cursor *taco__view_query_open(taco__view_query *z, bool ids)
{
    taco__query_column row;
    taco__query_columns select;
    memset(&row, 0, sizeof row);
    memset(&select, 0, sizeof select);
    row.name = TACO__ROW_ID;
    select.items = &row;
    select.count = 1;
    select.given = true;
    if (z->layer_count) { return taco__view_layer_open(z, z->layer_count, true, z->err); }
    return taco__view_query_open_base(z, ids ? &select : NULL, NULL, 0, z->err);
}

/* ---- from steps to a plan ---- */

/* Frees masks and the arena; open cursors are independent of it. */
TACO__FN void taco__view_query_free(taco__view_query *z)
{
    size_t i;
    for (i = 0; z->masks && i < z->ds->container_count * TACO__MAX_LEVELS; i++) {
        if (z->masks[i]) {
            taco__mem_free(&z->ds->mem, z->masks[i],
                           taco__cascade_bitmap_bytes(&z->ds->stores[i / TACO__MAX_LEVELS],
                                                      (uint32_t)(i % TACO__MAX_LEVELS)));
        }
    }
    taco__arena_free(&z->arena);
}

/* For a plan that is only shown: the limit is ignored, and the columns it would sort by are
   read. */
static bool taco__view_query_mask_limit_plan(taco__view_query *z)
{
    size_t i, n = z->plan_order.count;
    bool ok = taco__view_query_join_columns(z, &z->plan_order, &z->q.order, z->err) &&
              taco__query_parse_ends(&z->q.order, z->err);
    for (; ok && n < z->plan_order.count; n++) {
        ((taco__query_column *)z->plan_order.items)[n].rest.len = 0;
    }
    for (i = 0; i < z->layer_count; i++) {
        z->layers[i].unlimited = true;
    }
    z->limited = false;
    return ok;
}

/* Runs the plan so far to get the numbers of its rows, which become the masks of the level. Its
   limits are thereby applied. */
static bool taco__view_query_mask_limit_run(taco__view_query *z)
{
    taco_cursor *c = taco__view_query_open(z, true);
    taco_batch batch;
    size_t i, store = 0;
    uint64_t row;
    uint8_t *fresh;
    uint32_t level = z->q.table;
    taco__cascade *made;
    bool ok = c != NULL;
    made =
        (taco__cascade *)taco__arena_array(&z->arena, z->ds->container_count, sizeof *made, z->err);
    for (i = 0; ok && made && i < z->ds->container_count; i++) {
        ok = taco__cascade_alloc_bitmap(&z->ds->stores[i], &made[i], level, z->err);
    }
    while (ok && made && taco_cursor_batch(c, &batch)) {
        for (i = 0; i < batch.length; i++) {
            if (taco__compose_sample_row(c, i, &store, &row)) {
                taco__bitmap_set(made[store].bits[level], (size_t)row);
            }
        }
    }
    ok = taco_cursor_close(c, z->err) == TACO_OK && ok && made;
    for (i = 0; made && i < z->ds->container_count; i++) {
        fresh = made[i].bits[level];
        if (fresh && z->masks[i * TACO__MAX_LEVELS + level]) {
            taco__mem_free(&z->ds->mem, z->masks[i * TACO__MAX_LEVELS + level],
                           taco__cascade_bitmap_bytes(&z->ds->stores[i], level));
        }
        z->masks[i * TACO__MAX_LEVELS + level] =
            fresh ? fresh : z->masks[i * TACO__MAX_LEVELS + level];
    }
    for (i = 0; i < z->layer_count; i++) {
        z->layers[i].unlimited = true;
    }
    z->limited = false;
    return ok;
}

/* Turns the rows that a limit leaves into a mask, so that later steps can be part of the same
   query. */
static bool taco__view_query_mask_limit(taco__view_query *z)
{
    return z->plan_only ? taco__view_query_mask_limit_plan(z) : taco__view_query_mask_limit_run(z);
}

/* Adds a filter to the query. What it points to must live as long as the plan. */
TACO__FN bool taco__view_query_add_filter(taco__view_query *z, const taco__query_filter *f)
{
    if (z->filter_count == z->filter_cap) {
        size_t cap = z->filter_cap ? z->filter_cap * 2 : 8;
        taco__query_filter *p =
            (taco__query_filter *)taco__arena_array(&z->arena, cap, sizeof *p, z->err);
        if (!p) { return false; }
        if (z->filter_count) { memcpy(p, z->filters, z->filter_count * sizeof *p); }
        z->filters = p;
        z->filter_cap = cap;
    }
    z->filters[z->filter_count++] = *f;
    return true;
}

/* Rows [offset, offset + limit) of those that earlier limits leave; UINT64_MAX is no limit. */
TACO__FN bool taco__view_query_add_limit(taco__view_query *z, uint64_t limit, uint64_t offset)
{
    uint64_t left = z->limited ? z->limit : UINT64_MAX;
    left = left == UINT64_MAX ? left : left > offset ? left - offset : 0;
    z->offset = z->limited ? z->offset : 0;
    z->offset = offset > UINT64_MAX - 1 - z->offset ? UINT64_MAX - 1 : z->offset + offset;
    z->limit = TACO__MIN(left, limit);
    z->limited = true;
    return true;
}

/* Adds a SELECT that the query cannot absorb as the topmost layer; pushes down what it can. */
static bool taco__view_query_add_layer(taco__view_query *z, const char *sql)
{
    taco__view_source b;
    taco_cursor *c;
    taco__executor *x;
    taco__sql_select *s;
    bool ok;
    if (!taco__view_layer_init(z, sql)) { return false; }
    s = z->layers[z->layer_count - 1].s;
    if (s->nested || s->from_count != 1 || !taco__ascii_is_word(s->from[0].name, "data")) {
        return true;
    }
    c = taco__cursor_alloc(z->ds, 0, z->err);
    x = c ? taco__planner_init(c, sql) : NULL;
    ok = taco__view_layer_source_init(z, &b, 0, false, z->err) && x;
    if (ok) {
        x->base = &b.base;
        ok = taco__planner_bind_table(x, 0);
        x->b.table_count = 1;
        taco__planner_qualify(x);
        ok = ok && taco__view_pushdown_run(z, x);
        x->base = NULL;
    }
    taco__view_layer_source_free(&b);
    return taco_cursor_close(c, z->err) == TACO_OK && ok;
}

/* A layer made from pieces of text. */
static bool taco__view_query_add_layer_text(taco__view_query *z, const char *a, taco_bytes b,
                                            const char *c)
{
    taco__buf text;
    const char *sql = NULL;
    memset(&text, 0, sizeof text);
    text.mem = &z->ds->mem;
    if (taco__buf_append_text(&text, a, z->err) && taco__buf_append(&text, b.data, b.len, z->err) &&
        taco__buf_append_text(&text, c, z->err)) {
        sql = taco__arena_text(&z->arena, taco__bytes_of(text.data, text.len), z->err);
    }
    taco__buf_free(&text);
    return sql && taco__view_query_add_layer(z, sql);
}

/* A layer made from a list of columns: the text of a SELECT with the list between `before` and
   `after`. */
static bool taco__view_query_add_layer_list(taco__view_query *z, const char *before,
                                            const taco__query_columns *list, const char *after)
{
    taco__buf text;
    bool ok;
    memset(&text, 0, sizeof text);
    text.mem = &z->ds->mem;
    ok = taco__view_layer_append_list(z, list, &text) &&
         taco__view_query_add_layer_text(z, before, taco__bytes_of(text.data, text.len), after);
    taco__buf_free(&text);
    return ok;
}

/* A filter of the caller, whose text was checked when the view was made. */
static bool taco__view_query_add_public_filter(taco__view_query *z, const taco_filter *f)
{
    taco__query_filter own;
    memset(&own, 0, sizeof own);
    own.f = *f;
    own.f.where = NULL;
    if (f->where) {
        own.where =
            taco__pred_parse(&z->arena, f->where, strlen(f->where), &z->ds->options.limits, z->err);
        if (!own.where) { return false; }
    }
    return taco__view_query_add_filter(z, &own);
}

/* A filter of the caller. On rows of layers it becomes a separate SELECT; a box, a period, or a
   filter on another level goes below them, as long as their rows are samples. */
TACO__FN bool taco__view_query_apply_filter(taco__view_query *z, const taco_filter *f)
{
    bool limited = z->limited;
    size_t i;
    if (!f->where && !f->bbox && !f->time) { return true; }
    /* a condition on columns of the topmost layer */
    if (z->layer_count && f->where && !f->bbox && !f->time && f->level == z->q.table) {
        return taco__view_query_add_layer_text(z, "SELECT * FROM data WHERE (",
                                               taco__bytes_text(f->where), ")");
    }
    /* everything else goes below the layers, past their limits */
    for (i = 0; i < z->layer_count; i++) {
        limited = limited || (z->layers[i].limits && !z->layers[i].unlimited);
        if (!z->layers[i].keeps) {
            TACO__FAIL(
                z->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                "the rows of %s are no longer samples, only their own columns can be filtered",
                z->layers[i].sql);
            return false;
        }
    }
    return (!limited || taco__view_query_mask_limit(z)) && taco__view_query_add_public_filter(z, f);
}

/* Whether the list names the column. */
static bool taco__view_query_has_column(const taco__query_columns *list, const char *name)
{
    size_t i;
    for (i = 0; i < list->count && strcmp(list->items[i].name, name) != 0; i++) {}
    return i < list->count;
}

/* A list of columns: narrows the query, or adds a layer. */
static bool taco__view_query_apply_select(taco__view_query *z, const char *text)
{
    taco__query_columns list;
    size_t i;
    if (!taco__query_parse_columns(&z->arena, text, &list, z->err)) { return false; }
    if (z->layer_count) {
        return taco__view_query_add_layer_list(z, "SELECT ", &list, " FROM data");
    }
    for (i = 0; z->q.select.given && i < list.count; i++) {
        const char *name = list.items[i].name;
        if (!taco__view_is_protected(taco__bytes_text(name)) &&
            !taco__view_query_has_column(&z->q.select, name)) {
            taco_bytes n = taco__bytes_text(name);
            TACO__FAIL(z->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                       "select: the view no longer has a column %q", &n);
            return false;
        }
    }
    if (z->q.select.given && !taco__query_parse_ends(&list, z->err)) { return false; }
    z->q.select = list;
    return true;
}

/* Sort keys: the last order counts. */
static bool taco__view_query_apply_order(taco__view_query *z, const char *text)
{
    taco__query_columns list;
    if (!taco__query_parse_columns(&z->arena, text, &list, z->err)) { return false; }
    if (z->layer_count) {
        return taco__view_query_add_layer_list(z, "SELECT * FROM data ORDER BY ", &list, "");
    }
    if (z->limited && !taco__view_query_mask_limit(z)) { return false; }
    z->q.order = list;
    return true;
}

/* A limit of the caller, 0 for none. */
static bool taco__view_query_apply_limit(taco__view_query *z, const taco__view_step *s)
{
    char digits[2][24];
    char text[96];
    if (!s->limit && !s->offset) { return true; }
    if (!z->layer_count) {
        return taco__view_query_add_limit(z, s->limit ? s->limit : UINT64_MAX, s->offset);
    }
    digits[0][taco__num_format_u64(digits[0], s->limit ? s->limit : (uint64_t)INT64_MAX)] = 0;
    digits[1][taco__num_format_u64(digits[1], s->offset)] = 0;
    memset(text, 0, sizeof text);
    strcat(text, " LIMIT ");
    strcat(text, digits[0]);
    strcat(text, " OFFSET ");
    strcat(text, digits[1]);
    return taco__view_query_add_layer_text(z, "SELECT * FROM data", taco__bytes_text(text), "");
}

/* Whether a planned SELECT only has columns with their own names, each once, conditions that scans
   test, plain sort keys with nulls last, and limits. */
static bool taco__view_query_is_simple(taco__executor *x)
{
    size_t i, k, table, column;
    for (i = 0; i < x->b.source_count; i++) {
        const taco__sql_expr *e = x->b.sources[i];
        if (e->kind != TACO__SQL_EXPR_COLUMN ||
            !taco__bind_find_column(&x->b, e, &table, &column) ||
            (e->alias.len &&
             !taco__bytes_equal(e->alias, taco__bytes_text(x->b.tables[0].fields[column].name)))) {
            return false;
        }
        for (k = 0; k < i; k++) {
            if (taco__bind_names_equal(x->b.sources[k]->name, e->name)) { return false; }
        }
    }
    for (i = 0; i < x->s.order_count; i++) {
        const taco__sql_sort_key *o = &x->s.order[i];
        if (!o->e || o->nulls_first || o->e->kind != TACO__SQL_EXPR_COLUMN ||
            !taco__bind_find_column(&x->b, o->e, &table, &column) ||
            x->b.tables[0].types[column].geo) {
            return false;
        }
    }
    return x->where_count == 0 && !x->s.limit_expr && !x->s.offset_expr && !x->s.from[0].columns;
}

/* The select items, or the sort keys, of a simple SELECT. */
static bool taco__view_query_list_items(taco__view_query *z, taco__executor *x, bool order,
                                        taco__query_columns *out)
{
    size_t i, table, column, n = order ? x->s.order_count : x->b.source_count;
    taco__query_column *items =
        (taco__query_column *)taco__arena_array(&z->arena, n + 1, sizeof *items, z->err);
    memset(out, 0, sizeof *out);
    out->items = items;
    out->count = n;
    out->given = true;
    for (i = 0; items && i < n; i++) {
        const taco__sql_expr *e = order ? x->s.order[i].e : x->b.sources[i];
        if (!taco__bind_find_column(&x->b, e, &table, &column)) { return false; }
        items[i].name = taco__arena_text(
            &z->arena, taco__bytes_text(x->b.tables[0].fields[column].name), z->err);
        items[i].descending = order && x->s.order[i].desc;
        if (!items[i].name) { return false; }
    }
    return items != NULL;
}

/* The conditions of a SELECT on rows of a level, as a filter that lives as long as the plan. */
static bool taco__view_query_pushed_filter(taco__view_query *z, const taco__pushdown *pushed,
                                           uint32_t level, taco__query_filter *f)
{
    memset(f, 0, sizeof *f);
    f->f.level = level;
    if (pushed->where[level]) {
        f->where = taco__expr_copy(&z->arena, pushed->where[level], z->err);
    }
    if (pushed->geometry[level]) {
        double *box = (double *)taco__arena_alloc(&z->arena, sizeof *pushed->box, z->err);
        f->f.geometry_column =
            taco__arena_text(&z->arena, taco__bytes_text(pushed->geometry[level]), z->err);
        if (box) { memcpy(box, pushed->box[level], sizeof *pushed->box); }
        f->f.bbox = box;
    }
    return z->err->code == TACO_OK;
}

/* Adds conditions, columns, order and limit of a simple SELECT to the query. */
static bool taco__view_query_take_select(taco__view_query *z, taco__executor *x,
                                         const taco__pushdown *pushed)
{
    taco__query_filter f;
    uint32_t l;
    const taco__sql_expr *only = x->s.items->n == 1 ? x->s.items->kid[0] : NULL;
    /* later steps see only the rows of a limit */
    if (z->limited && (x->s.where || x->s.order_count) && !taco__view_query_mask_limit(z)) {
        return false;
    }
    for (l = 0; l < TACO__MAX_LEVELS; l++) {
        if (!taco__view_query_pushed_filter(z, pushed, l, &f) ||
            ((f.where || f.f.bbox) && !taco__view_query_add_filter(z, &f))) {
            return false;
        }
    }
    if ((x->s.order_count && !taco__view_query_list_items(z, x, true, &z->q.order)) ||
        ((!only || only->kind != TACO__SQL_EXPR_STAR || only->n) &&
         !taco__view_query_list_items(z, x, false, &z->q.select))) {
        return false;
    }
    if (x->s.has_limit || x->s.offset) {
        taco__view_query_add_limit(z, x->s.has_limit ? x->s.limit : UINT64_MAX, x->s.offset);
    }
    return z->err->code == TACO_OK;
}

/* Absorbs a SELECT into the query, if it can express it; *taken says whether. It is planned over
   the columns of the query as far as WHERE; if it only has columns, pushed conditions, plain sort
   keys and limits, it is absorbed. */
static bool taco__view_query_absorb_select(taco__view_query *z, const char *sql, bool *taken)
{
    taco__view_source b;
    taco__pushdown *pushed;
    taco_cursor *c = taco__cursor_alloc(z->ds, 0, z->err);
    taco__executor *x = c ? taco__planner_init(c, sql) : NULL;
    bool ok = x != NULL;
    *taken = false;
    if (ok && !x->s.nested && taco__view_keeps_rows(&x->s)) {
        pushed = taco__pushdown_new(x);
        ok = taco__view_layer_source_init(z, &b, 0, false, z->err);
        /* a limit is replaced by a mask before this runs */
        b.base.pushes = true;
        x->base = &b.base;
        ok = ok && pushed && taco__planner_bind_table(x, 0);
        x->b.table_count = 1;
        if (ok) {
            taco__planner_qualify(x);
            x->b.aliases = 0;
            ok = taco__planner_output_expand_stars(x) && taco__pushdown_split_where(x, pushed);
        }
        if (ok && taco__view_query_is_simple(x)) {
            *taken = true;
            ok = taco__view_query_take_select(z, x, pushed);
        }
        x->base = NULL;
        taco__view_layer_source_free(&b);
    }
    if (!ok && c) {
        taco_bytes text = taco__bytes_text(sql);
        if (c->err.code == TACO_OK) {
            c->err = *z->err;
            z->err->code = TACO_OK;
        }
        taco__error_prefix(&c->err, "%s: sql: %q", z->ds->stores[0].name, &text);
    }
    return taco_cursor_close(c, z->err) == TACO_OK && ok;
}

/* One step. */
static bool taco__view_query_apply(taco__view_query *z, const taco__view_step *s)
{
    bool taken = false;
    switch (s->kind) {
    case TACO__VIEW_STEP_FILTER: return taco__view_query_apply_filter(z, &s->f);
    case TACO__VIEW_STEP_SELECT: return taco__view_query_apply_select(z, s->text);
    case TACO__VIEW_STEP_LIMIT: return taco__view_query_apply_limit(z, s);
    case TACO__VIEW_STEP_TABLE:
        if (z->layer_count) {
            TACO__FAIL(z->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "the rows of a SELECT are of one table");
            return false;
        }
        if (z->limited && !taco__view_query_mask_limit(z)) { return false; }
        z->q.table = s->level;
        z->q.flat = s->flat;
        z->q.padding = z->q.padding || s->padding;
        return true;
    case TACO__VIEW_STEP_ORDER: return taco__view_query_apply_order(z, s->text);
    default:
        return (z->layer_count || taco__view_query_absorb_select(z, s->text, &taken)) &&
               (taken || taco__view_query_add_layer(z, s->text));
    }
}

/* Makes the plan of a view. Free it with taco__view_query_free, even on failure. */
TACO__FN bool taco__view_query_init(taco__view_query *z, const taco_view *v, bool plan_only,
                                    taco_error *err)
{
    size_t i;
    memset(z, 0, sizeof *z);
    z->ds = v->ds;
    z->view = v;
    z->plan_only = plan_only;
    z->arena.mem = &v->ds->mem;
    z->err = err;
    z->layers =
        (taco__view_layer *)taco__arena_array(&z->arena, v->count + 2, sizeof *z->layers, err);
    z->masks = (uint8_t **)taco__arena_array(&z->arena, z->ds->container_count * TACO__MAX_LEVELS,
                                             sizeof *z->masks, err);
    for (i = 0; z->layers && z->masks && i < v->count; i++) {
        if (!taco__view_query_apply(z, &v->steps[i])) { return false; }
    }
    return z->layers && z->masks;
}

/* The view of a plan once more, for a task: over rows [from, to) of its table, with the task's own
   handle. NULL on failure. */
TACO__FN taco_cursor *taco__view_query_open_part(taco_dataset *ds, const taco__executor *of,
                                                 uint64_t from, uint64_t to, taco_error *err)
{
    taco_view v = *of->view;
    taco__view_query z;
    taco_cursor *c = NULL;
    v.ds = ds;
    if (taco__view_query_init(&z, &v, false, err)) {
        z.of = of;
        z.q.row_from = from;
        z.q.row_to = to;
        c = taco__view_query_open(&z, false);
    }
    taco__view_query_free(&z);
    return c;
}

/* The plan, and a cursor over it that is only inspected. */
TACO__FN bool taco__view_query_open_plan(taco__view_query *z, const taco_view *v, taco_error *err,
                                         taco_cursor **c)
{
    *c = taco__view_query_init(z, v, true, err) ? taco__view_query_open(z, false) : NULL;
    return *c != NULL;
}
