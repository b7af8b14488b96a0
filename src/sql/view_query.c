/* view_query.c - views: steps that are kept, made into one query or a chain of SELECTs when rows
   are asked for.. Spec: TACO 2.0 §7.2.2, §7.2.3 */
#include "sql.h"
#include "../base/base.h"
#include "../dataset/dataset.h"

/* ---- cursors of a plan
   ----------------------------------------------------------------------------- */

/* For a cursor that is only looked at: all columns that come out or are sorted by, to be read in
   storage order. */
static bool taco__view_query_all_columns(taco__view_query *z, taco_query *q, taco_error *err)
{
    taco__buf list;
    bool ok = true;
    if (q->order || z->also.len) { q->limit = q->offset = 0; /* any row may be the first */ }
    memset(&list, 0, sizeof list);
    list.mem = &z->ds->mem;
    if (q->select && (q->order || z->also.len)) {
        const char *p, *name;
        taco_bytes rest;
        ok = taco__buf_append_text(&list, q->select, err) &&
             taco__buf_append(&list, z->also.data, z->also.len, err);
        for (p = q->order;
             ok && p && taco__cursor_column_parse_name(&z->arena, &p, &name, &rest, err);) {
            ok = taco__buf_append_text(&list, ", ", err) &&
                 taco__view_layer_append_quoted(&list, name, err);
        }
        ok = ok && err->code == TACO_OK;
        q->select =
            ok ? taco__arena_text(&z->arena, taco__bytes_of(list.data, list.len), err) : NULL;
        ok = ok && q->select;
    }
    taco__buf_free(&list);
    q->order = NULL;
    return ok;
}

/* Rows of the query below the layers. select NULL: what the view selects. */
TACO__FN taco_cursor *taco__view_query_open_base(taco__view_query *z, const char *select,
                                                 const taco_filter *more, size_t n, taco_error *err)
{
    taco_query q = z->q;
    taco_filter *all =
        (taco_filter *)taco__arena_array(&z->arena, z->filter_count + n + 1, sizeof *all, err);
    taco__select_options opt;
    if (!all) { return NULL; }
    if (z->filter_count) { memcpy(all, z->filters, z->filter_count * sizeof *all); }
    if (n) { memcpy(all + z->filter_count, more, n * sizeof *all); }
    q.filters = all;
    q.filter_count = z->filter_count + n;
    q.select = select ? select : q.select;
    if (z->limited) {
        q.limit = z->limit == UINT64_MAX ? 0 : TACO__MAX(z->limit, (uint64_t)1);
        q.offset = z->limit ? z->offset : UINT64_MAX;
    }
    memset(&opt, 0, sizeof opt);
    opt.masks = z->masks;
    opt.shows_hidden = select != NULL;
    opt.plan_only = z->dry;
    if (z->dry && !taco__view_query_all_columns(z, &q, err)) { return NULL; }
    return taco__select_open(z->ds, &q, &opt, err);
}

/* Rows of the whole plan; ids: the row itself as the only column there is to read, hidden or
   not. */
TACO__FN taco_cursor *taco__view_query_open(taco__view_query *z, bool ids)
{
    if (z->layer_count) { return taco__view_layer_open(z, z->layer_count, true, z->err); }
    return taco__view_query_open_base(z, ids ? "\"" TACO__ROW_ID "\"" : NULL, NULL, 0, z->err);
}

/* ---- from steps to a plan
   -------------------------------------------------------------------------- */

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
    taco__buf_free(&z->also);
    taco__arena_free(&z->arena);
}

static bool taco__view_query_mask_limit_dry(taco__view_query *z)
{
    const char *p = z->q.order, *name;
    taco_bytes rest;
    size_t i;
    bool ok = true;
    while (ok && p && taco__cursor_column_parse_name(&z->arena, &p, &name, &rest, z->err)) {
        ok = taco__buf_append_text(&z->also, ", ", z->err) &&
             taco__view_layer_append_quoted(&z->also, name, z->err);
    }
    for (i = 0; i < z->layer_count; i++) {
        z->layers[i].unlimited = true;
    }
    z->limited = false;
    return ok && z->err->code == TACO_OK;
}

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

/* Makes the rows that a limit leaves a mask, so that what comes after them may be part of the one
   query. */
static bool taco__view_query_mask_limit(taco__view_query *z)
{
    return z->dry ? taco__view_query_mask_limit_dry(z) : taco__view_query_mask_limit_run(z);
}

TACO__FN bool taco__view_query_add_filter(taco__view_query *z, const taco_filter *f)
{
    if (z->filter_count == z->filter_cap) {
        size_t cap = z->filter_cap ? z->filter_cap * 2 : 8;
        taco_filter *p = (taco_filter *)taco__arena_array(&z->arena, cap, sizeof *p, z->err);
        if (!p) { return false; }
        if (z->filter_count) { memcpy(p, z->filters, z->filter_count * sizeof *p); }
        z->filters = p;
        z->filter_cap = cap;
    }
    z->filters[z->filter_count++] = *f;
    return true;
}

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

static bool taco__view_query_add_layer(taco__view_query *z, const char *sql)
{
    taco__view_source b;
    taco_cursor *c;
    taco__executor *x;
    taco__sql_select *s;
    bool ok;
    if (!taco__view_layer_init(z, sql)) { return false; }
    s = z->layers[z->layer_count - 1].s;
    if (s->from_count != 1 || !taco__ascii_is_word(s->from[0].name, "data")) { return true; }
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

/* A layer made of pieces of text. */
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

static bool taco__view_query_add_layer_list(taco__view_query *z, const char *before,
                                            const char *list, const char *behind)
{
    taco__buf text;
    bool ok;
    memset(&text, 0, sizeof text);
    text.mem = &z->ds->mem;
    ok = taco__view_layer_append_list(z, list, &text) &&
         taco__view_query_add_layer_text(z, before, taco__bytes_of(text.data, text.len), behind);
    taco__buf_free(&text);
    return ok;
}

TACO__FN bool taco__view_query_apply_filter(taco__view_query *z, const taco_filter *f)
{
    bool limited = z->limited;
    size_t i;
    if (!f->where && !f->bbox && !f->time) { return true; }
    if (z->layer_count && f->where && !f->bbox && !f->time && f->level == z->q.table) {
        return taco__view_query_add_layer_text(z, "SELECT * FROM data WHERE (",
                                               taco__bytes_text(f->where), ")");
    }
    for (i = 0; i < z->layer_count; i++) {
        limited = limited || (z->layers[i].limits && !z->layers[i].unlimited);
        if (!z->layers[i].keeps) {
            TACO__FAIL(z->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "the rows of %s are no samples any more, only their own columns can be "
                       "filtered",
                       z->layers[i].sql);
            return false;
        }
    }
    return (!limited || taco__view_query_mask_limit(z)) && taco__view_query_add_filter(z, f);
}

static bool taco__view_query_apply_select(taco__view_query *z, const char *list)
{
    const char *p = list, *q, *name, *old;
    taco_bytes rest;
    if (z->layer_count) {
        return taco__view_query_add_layer_list(z, "SELECT ", list, " FROM data");
    }
    while (z->q.select && taco__cursor_column_parse_name(&z->arena, &p, &name, &rest, z->err)) {
        bool found = taco__view_is_protected(taco__bytes_text(name));
        for (q = z->q.select;
             !found && taco__cursor_column_parse_name(&z->arena, &q, &old, &rest, z->err);) {
            found = strcmp(old, name) == 0;
        }
        if (!found) {
            taco_bytes n = taco__bytes_text(name);
            TACO__FAIL(z->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                       "select: the view has no column %q any more", &n);
            return false;
        }
    }
    z->q.select = list;
    return z->err->code == TACO_OK;
}

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

/* Whether a planned SELECT is nothing but columns, conditions that scans test, plain sort keys and
   limits. */
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
    return x->where_count == 0;
}

/* "a", "b" desc: the select items, or the sort keys, of a simple SELECT. */
static const char *taco__view_query_format_items(taco__view_query *z, taco__executor *x, bool order)
{
    taco__buf text;
    const char *out = NULL;
    size_t i, table, column, n = order ? x->s.order_count : x->b.source_count;
    bool ok = true;
    memset(&text, 0, sizeof text);
    text.mem = &z->ds->mem;
    for (i = 0; ok && i < n; i++) {
        ok = taco__bind_find_column(&x->b, order ? x->s.order[i].e : x->b.sources[i], &table,
                                    &column) &&
             (!i || taco__buf_append_text(&text, ", ", z->err)) &&
             taco__view_layer_append_quoted(&text, x->b.tables[0].fields[column].name, z->err) &&
             (!order || !x->s.order[i].desc || taco__buf_append_text(&text, " desc", z->err));
    }
    if (ok) { out = taco__arena_text(&z->arena, taco__bytes_of(text.data, text.len), z->err); }
    taco__buf_free(&text);
    return out;
}

/* What a SELECT asks of rows of a level, as a filter that stays as long as the plan. */
static bool taco__view_query_pushed_filter(taco__view_query *z, const taco__pushdown *pushed,
                                           uint32_t level, taco_filter *f)
{
    const taco__buf *where = &pushed->where[level];
    memset(f, 0, sizeof *f);
    f->level = level;
    if (where->len) {
        f->where = taco__arena_text(&z->arena, taco__bytes_of(where->data, where->len), z->err);
    }
    if (pushed->geometry[level]) {
        double *box = (double *)taco__arena_alloc(&z->arena, sizeof *pushed->box, z->err);
        f->geometry_column =
            taco__arena_text(&z->arena, taco__bytes_text(pushed->geometry[level]), z->err);
        if (box) { memcpy(box, pushed->box[level], sizeof *pushed->box); }
        f->bbox = box;
    }
    return z->err->code == TACO_OK;
}

static bool taco__view_query_take_select(taco__view_query *z, taco__executor *x,
                                         const taco__pushdown *pushed)
{
    taco_filter f;
    uint32_t l;
    const taco__sql_expr *only = x->s.items->n == 1 ? x->s.items->kid[0] : NULL;
    if (z->limited && (x->s.where || x->s.order_count) && !taco__view_query_mask_limit(z)) {
        return false;
    }
    for (l = 0; l < TACO__MAX_LEVELS; l++) {
        if (!taco__view_query_pushed_filter(z, pushed, l, &f) ||
            ((f.where || f.bbox) && !taco__view_query_add_filter(z, &f))) {
            return false;
        }
    }
    if (x->s.order_count) { z->q.order = taco__view_query_format_items(z, x, true); }
    if (!only || only->kind != TACO__SQL_EXPR_STAR || only->n) {
        z->q.select = taco__view_query_format_items(z, x, false);
    }
    if (x->s.has_limit || x->s.offset) {
        taco__view_query_add_limit(z, x->s.has_limit ? x->s.limit : UINT64_MAX, x->s.offset);
    }
    return z->err->code == TACO_OK;
}

/* Makes a SELECT part of the query below, where that can say it; *taken tells. */
static bool taco__view_query_absorb_select(taco__view_query *z, const char *sql, bool *taken)
{
    taco__view_source b;
    taco__pushdown *pushed;
    taco_cursor *c = taco__cursor_alloc(z->ds, 0, z->err);
    taco__executor *x = c ? taco__planner_init(c, sql) : NULL;
    bool ok = x != NULL;
    *taken = false;
    if (ok && taco__view_keeps_rows(&x->s)) {
        pushed = taco__pushdown_new(x);
        ok = taco__view_layer_source_init(z, &b, 0, false, z->err);
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
        taco__pushdown_free(pushed);
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
    case TACO__VIEW_STEP_ORDER:
        if (z->layer_count) {
            return taco__view_query_add_layer_list(z, "SELECT * FROM data ORDER BY ", s->text, "");
        }
        if (z->limited && !taco__view_query_mask_limit(z)) { return false; }
        z->q.order = s->text;
        return true;
    default:
        return (z->layer_count || taco__view_query_absorb_select(z, s->text, &taken)) &&
               (taken || taco__view_query_add_layer(z, s->text));
    }
}

/* Makes the plan of a view. taco__view_query_free ends it, on failure too. */
TACO__FN bool taco__view_query_init(taco__view_query *z, const taco_view *v, bool dry,
                                    taco_error *err)
{
    size_t i;
    memset(z, 0, sizeof *z);
    z->ds = v->ds;
    z->dry = dry;
    z->arena.mem = z->also.mem = &v->ds->mem;
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

/* The plan, and a cursor over it that is only there to be looked at. */
TACO__FN bool taco__view_query_open_dry(taco__view_query *z, const taco_view *v, taco_error *err,
                                        taco_cursor **c)
{
    *c = taco__view_query_init(z, v, true, err) ? taco__view_query_open(z, false) : NULL;
    return *c != NULL;
}
