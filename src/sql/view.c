/* view.c - views: the public calls, each of which adds a step to a list

   A taco_view is a list of steps (taco__view_step) with copies of their texts; nothing is planned
   before rows are requested. Each call parses its text only to report mistakes early. view_query.c
   turns the steps into a plan. */
#include "sql.h"
#include "../base/base.h"
#include "../filter/filter.h"
#include "../geo/geo.h"
#include "../dataset/dataset.h"

/* ---- steps ---- */

/* Replaces *text, which may be NULL, by a copy that the view owns. */
static bool taco__view_copy_text(taco_view *v, const char **text, taco_error *err)
{
    *text = *text ? taco__arena_text(&v->arena, taco__bytes_text(*text), err) : NULL;
    return !err || err->code == TACO_OK;
}

/* Steps and their texts are in the arena of the view. */
TACO_API void taco_view_free(taco_view *v)
{
    taco__mem *mem = v ? &v->ds->mem : NULL;
    if (v) {
        taco__arena_free(&v->arena);
        taco__mem_free(mem, v, sizeof *v);
    }
}

/* A view with the steps of `from`, which may be NULL, and those of more, all texts copied: views
   are freed in any order. */
TACO__FN taco_view *taco__view_make(taco_dataset *ds, const taco_view *from,
                                    const taco__view_step *more, size_t n, taco_error *err)
{
    taco_view *v = (taco_view *)taco__mem_alloc(&ds->mem, sizeof *v, err);
    size_t i, before = from ? from->count : 0;
    bool ok = v != NULL;
    if (v) {
        v->ds = ds;
        v->arena.mem = &ds->mem;
        v->count = before + n;
        v->steps =
            (taco__view_step *)taco__arena_array(&v->arena, v->count + 1, sizeof *v->steps, err);
        ok = v->steps != NULL;
    }
    for (i = 0; ok && i < v->count; i++) {
        taco__view_step *s = &v->steps[i];
        *s = i < before ? from->steps[i] : more[i - before];
        if (s->f.bbox) {
            memmove(s->box, s->f.bbox, sizeof s->box);
            s->f.bbox = s->box;
        }
        ok = taco__view_copy_text(v, &s->f.where, err) &&
             taco__view_copy_text(v, &s->f.time, err) &&
             taco__view_copy_text(v, &s->f.geometry_column, err) &&
             taco__view_copy_text(v, &s->f.time_column, err) &&
             taco__view_copy_text(v, &s->text, err);
    }
    if (!ok) {
        taco_view_free(v);
        return NULL;
    }
    return v;
}

/* The view with one more step; v is unchanged. */
static taco_view *taco__view_add_step(const taco_view *v, const taco__view_step *s, taco_error *err)
{
    if (!v) {
        TACO__FAIL_SOFT(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no view given");
        return NULL;
    }
    return taco__view_make(v->ds, v, s, 1, err);
}

/* Checks everything about a filter that needs no reading: the level, the text of the condition, the
   period, the box. Columns are looked up when rows are requested. */
static bool taco__view_check_filter(taco_dataset *ds, const taco_filter *f, taco_error *err)
{
    taco__arena arena;
    taco_error own;
    int64_t day[2], at[2];
    double edge[4];
    bool ok = true;
    memset(&own, 0, sizeof own);
    memset(&arena, 0, sizeof arena);
    arena.mem = &ds->mem;
    if (f->level >= taco_levels(ds)) {
        TACO__FAIL(&own, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "there is no level %u to filter, the deepest is %u", TACO__U(f->level),
                   TACO__U(taco_levels(ds) - 1));
    } else if (f->where) {
        ok =
            taco__pred_parse(&arena, f->where, strlen(f->where), &ds->options.limits, &own) != NULL;
        if (!ok) {
            taco_bytes w = taco__bytes_text(f->where);
            taco__error_prefix(&own, "where: %q", &w);
        }
    }
    ok = own.code == TACO_OK && ok &&
         (!f->time ||
          taco__time_parse_range(f->time, &day[0], &day[1], &at[0], &at[1], &own) == TACO_OK) &&
         (!f->bbox || taco__intersect_normalize_box(f->bbox, edge, &own) == TACO_OK);
    taco__arena_free(&arena);
    if (!ok && err && err->code == TACO_OK) { *err = own; }
    return ok || taco__container_fail(&ds->stores[0], NULL, err);
}

/* The steps of a query, in the order in which it applies its parts; steps has room for filter_count
   + 5. The filters are steps 1 ... filter_count + 1. Returns how many. */
static size_t taco__view_list_steps(const taco_query *q, taco__view_step *steps)
{
    size_t i, n = 0;
    steps[n].kind = TACO__VIEW_STEP_TABLE;
    steps[n].level = q->table;
    steps[n].flat = q->flat;
    steps[n++].padding = q->padding;
    for (i = 0; i < q->filter_count; i++) {
        steps[n++].f = q->filters[i];
    }
    steps[n].f.where = q->where;
    steps[n].f.bbox = q->bbox;
    steps[n].f.time = q->time;
    steps[n].f.geometry_column = q->geometry_column;
    steps[n].f.time_column = q->time_column;
    steps[n].f.level = q->level;
    steps[n++].f.exact_time = q->exact_time;
    if (q->order) {
        steps[n].kind = TACO__VIEW_STEP_ORDER;
        steps[n++].text = q->order;
    }
    if (q->select) {
        steps[n].kind = TACO__VIEW_STEP_SELECT;
        steps[n++].text = q->select;
    }
    steps[n].kind = TACO__VIEW_STEP_LIMIT;
    steps[n].limit = q->limit;
    steps[n++].offset = q->offset;
    return n;
}

/* Fails with an ARGUMENT error where the dataset has no such level to show. */
static bool taco__view_check_level(taco_dataset *ds, uint32_t level, taco_error *err)
{
    if (level < taco_levels(ds)) { return true; }
    TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "there is no level %u, the deepest is %u",
               TACO__U(level), TACO__U(taco_levels(ds) - 1));
    return taco__container_fail(&ds->stores[0], NULL, err);
}

/* The parts of the query become steps, in the order in which a query applies them. */
TACO_API taco_view *taco_view_open(taco_dataset *ds, const taco_query *query, taco_error *err)
{
    taco__view_step *steps;
    taco_query q;
    taco_view *v = NULL;
    size_t i, n, bytes;
    err = taco__error_fresh(err, NULL);
    memset(&q, 0, sizeof q);
    q = query ? *query : q;
    if (!ds) {
        TACO__FAIL_SOFT(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no dataset given");
        return NULL;
    }
    if (!taco__view_check_level(ds, q.table, err)) { return NULL; }
    if (q.row_to) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "a view has all rows: row_to is for taco_select");
        return NULL;
    }
    if (!taco__checked_mul_size(q.filter_count + 5, sizeof *steps, &bytes)) {
        TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for filters");
        return NULL;
    }
    steps = (taco__view_step *)taco__mem_alloc(&ds->mem, bytes, err);
    if (!steps) { return NULL; }
    n = taco__view_list_steps(&q, steps);
    for (i = 0; i <= q.filter_count && taco__view_check_filter(ds, &steps[1 + i].f, err); i++) {}
    if (i > q.filter_count) { v = taco__view_make(ds, NULL, steps, n, err); }
    taco__mem_free(&ds->mem, steps, bytes);
    return v;
}

/* Mistakes of the text, the level or the box are reported at once. */
TACO_API taco_view *taco_view_filter(const taco_view *v, const taco_filter *f, taco_error *err)
{
    taco__view_step s;
    err = taco__error_fresh(err, NULL);
    memset(&s, 0, sizeof s);
    if (f) { s.f = *f; }
    return v && !taco__view_check_filter(v->ds, &s.f, err) ? NULL : taco__view_add_step(v, &s, err);
}

/* A filter with only a condition, whose text is checked at once; columns are looked up when rows
   are requested. */
TACO_API taco_view *taco_view_where(const taco_view *v, const char *where, uint32_t level,
                                    taco_error *err)
{
    taco_filter f;
    err = taco__error_fresh(err, NULL);
    memset(&f, 0, sizeof f);
    f.where = where;
    f.level = level;
    return taco_view_filter(v, &f, err);
}

/* A filter with only a box. Without geometry_column, it applies to the first of the usual geometry
   columns that the table has. */
TACO_API taco_view *taco_view_filter_bbox(const taco_view *v, const double box[4],
                                          const char *geometry_column, uint32_t level,
                                          taco_error *err)
{
    taco_filter f;
    err = taco__error_fresh(err, NULL);
    memset(&f, 0, sizeof f);
    f.bbox = box;
    f.geometry_column = geometry_column;
    f.level = level;
    return taco_view_filter(v, &f, err);
}

/* A filter with only a period. Without time_column, it applies to the first of the usual time
   columns that the table has. */
TACO_API taco_view *taco_view_filter_datetime(const taco_view *v, const char *time,
                                              const char *time_column, uint32_t level,
                                              taco_error *err)
{
    taco_filter f;
    err = taco__error_fresh(err, NULL);
    memset(&f, 0, sizeof f);
    f.time = time;
    f.time_column = time_column;
    f.level = level;
    return taco_view_filter(v, &f, err);
}

/* Names are looked up when rows are requested: only then the columns of earlier steps are known. */
TACO_API taco_view *taco_view_select(const taco_view *v, const char *columns, taco_error *err)
{
    taco__view_step s;
    err = taco__error_fresh(err, NULL);
    memset(&s, 0, sizeof s);
    s.kind = TACO__VIEW_STEP_SELECT;
    s.text = columns ? columns : "";
    return taco__view_add_step(v, &s, err);
}

/* A later order replaces this one (taco__view_query_apply_order). */
TACO_API taco_view *taco_view_order(const taco_view *v, const char *columns, taco_error *err)
{
    taco__view_step s;
    err = taco__error_fresh(err, NULL);
    memset(&s, 0, sizeof s);
    s.kind = TACO__VIEW_STEP_ORDER;
    s.text = columns ? columns : "";
    return taco__view_add_step(v, &s, err);
}

/* Limits nest: a later one applies to the rows that this one leaves. */
TACO_API taco_view *taco_view_limit(const taco_view *v, uint64_t limit, uint64_t offset,
                                    taco_error *err)
{
    taco__view_step s;
    err = taco__error_fresh(err, NULL);
    memset(&s, 0, sizeof s);
    s.kind = TACO__VIEW_STEP_LIMIT;
    s.limit = limit;
    s.offset = offset;
    return taco__view_add_step(v, &s, err);
}

/* ---- SELECTs ---- */

/* Columns that navigation needs (spec 7.2.3): id, type and internal:*. No step may remove or
   replace them. */
TACO__FN bool taco__view_is_protected(taco_bytes name)
{
    return taco__bind_name_is(name, "id") || taco__bind_name_is(name, "type") ||
           (name.len > 9 && taco__bind_name_is(taco__bytes_of(name.data, 9), "internal:"));
}

/* Whether rows of the SELECT correspond one to one to rows of `data`: samples that navigation can
   still find. */
TACO__FN bool taco__view_keeps_rows(const taco__sql_select *s)
{
    size_t i;
    bool ok = s->from_count == 1 && taco__ascii_is_word(s->from[0].name, "data") && !s->distinct &&
              !s->groups && !s->group_all && !s->having;
    for (i = 0; ok && i < s->items->n; i++) {
        ok = !taco__planner_output_has_aggregate(s->items->kid[i]) &&
             !taco__unnest_is_called(s->items->kid[i]);
    }
    for (i = 0; ok && i < s->order_count; i++) {
        ok = !s->order[i].e || !taco__planner_output_has_aggregate(s->order[i].e);
    }
    return ok;
}

/* If rows of a SELECT stay samples, it must not change protected columns: id AS id is fine, v AS id
   an error. */
static bool taco__view_check_protected(const taco__sql_select *s, taco_error *err)
{
    size_t i;
    for (i = 0; i < s->items->n && taco__view_keeps_rows(s); i++) {
        const taco__sql_expr *e = s->items->kid[i];
        if (e->alias.len && taco__view_is_protected(e->alias) &&
            !((e->kind == TACO__SQL_EXPR_COLUMN || e->kind == TACO__SQL_EXPR_FIELD) &&
              taco__bind_names_equal(e->name, e->alias))) {
            TACO__FAIL(err, TACO_ERR_ARGUMENT, e->at,
                       "%q is a protected column, which a view must not change", &e->alias);
            return false;
        }
    }
    return true;
}

/* The text is parsed here to report mistakes, and again when the view is planned. */
TACO_API taco_view *taco_view_sql(const taco_view *v, const char *sql, taco_error *err)
{
    taco__view_step s;
    taco__arena arena;
    taco__sql_select *parsed;
    taco_error own;
    bool ok = false;
    err = taco__error_fresh(err, NULL);
    if (!v || !sql) {
        TACO__FAIL_SOFT(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given",
                        v ? "query" : "view");
        return NULL;
    }
    memset(&s, 0, sizeof s);
    memset(&own, 0, sizeof own);
    memset(&arena, 0, sizeof arena);
    arena.mem = &v->ds->mem;
    s.kind = TACO__VIEW_STEP_SQL;
    s.text = sql;
    parsed = (taco__sql_select *)taco__arena_alloc(&arena, sizeof *parsed, &own);
    ok = parsed &&
         taco__sql_parse(&arena, sql, TACO__MIN(strlen(sql), TACO__SQL_MAX_TEXT + 1),
                         v->ds->options.limits.max_depth, parsed, &own) &&
         taco__view_check_protected(parsed, &own);
    taco__arena_free(&arena);
    if (!ok) {
        taco_bytes text = taco__bytes_text(sql);
        taco__error_prefix(&own, "%s: sql: %q", v->ds->stores[0].name, &text);
        taco__error_copy(err, &own);
        return NULL;
    }
    return taco__view_add_step(v, &s, err);
}

/* ---- public ---- */

/* The level is checked here, against the deepest one. */
TACO_API taco_view *taco_view_table(const taco_view *v, uint32_t level, bool flat, taco_error *err)
{
    taco__view_step s;
    err = taco__error_fresh(err, NULL);
    memset(&s, 0, sizeof s);
    s.kind = TACO__VIEW_STEP_TABLE;
    s.level = level;
    s.flat = flat;
    if (v && !taco__view_check_level(v->ds, level, err)) { return NULL; }
    return taco__view_add_step(v, &s, err);
}

/* The plan is made and freed here; the cursor keeps what it needs. */
TACO_API taco_cursor *taco_view_rows(const taco_view *v, taco_error *err)
{
    taco_error own;
    taco__view_query z;
    taco_cursor *c = NULL;
    err = taco__error_fresh(err, NULL);
    memset(&own, 0, sizeof own);
    if (!v) {
        TACO__FAIL_SOFT(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no view given");
        return NULL;
    }
    if (taco__view_query_init(&z, v, false, &own)) { c = taco__view_query_open(&z, false); }
    taco__view_query_free(&z);
    if (!c && err && err->code == TACO_OK) { *err = own; }
    return c;
}

/* The stream owns the cursor. */
TACO_API taco_status taco_view_export(const taco_view *v, struct ArrowArrayStream *out,
                                      taco_error *err)
{
    taco_error own;
    taco_cursor *c;
    err = taco__error_fresh(err, NULL);
    memset(&own, 0, sizeof own);
    c = taco_view_rows(v, &own);
    if (!c) {
        if (out) { memset(out, 0, sizeof *out); }
        taco__error_copy(err, &own);
        return own.code;
    }
    return taco_cursor_export(c, false, out, err);
}

/* The schema states the number of the view's rows, so all of them are read. */
TACO_API taco_bytes taco_view_pit_schema(const taco_view *v, taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco_cursor *c = taco_view_rows(v, &own);
    taco_bytes text = taco__bytes_of(NULL, 0);
    taco_batch batch;
    uint64_t n = 0;
    err = taco__error_fresh(err, NULL);
    while (c && taco_cursor_batch(c, &batch)) {
        n += batch.length;
    }
    if (c) { taco_cursor_close(c, &own); }
    if (own.code == TACO_OK) { text = taco_pit_schema(v->ds, n, &own); }
    taco__error_copy(err, &own);
    return text;
}

/* Replaces the first key of a path, which names a row of the view, by a path from the root: an
   @position counts rows of the view, an id becomes a condition. NOT_FOUND if the view has no such
   sample. */
static bool taco__view_find_row(taco__view_query *z, taco_bytes key, taco__buf *path)
{
    taco_filter f;
    taco_batch batch;
    taco_cursor *c;
    uint64_t left = 0, row;
    size_t store = 0;
    bool found = false;
    if (!taco__nav_parse_position(key, &left)) {
        taco_bytes id = taco__nav_key_to_id(key, &z->arena, z->err);
        if (!id.data) { return false; }
        memset(&f, 0, sizeof f);
        f.level = z->q.table;
        f.where = taco__nav_id_predicate(
            &z->arena, taco__nav_id_column(&z->ds->stores[0], z->q.table), id, z->err);
        if (!f.where || !taco__view_query_apply_filter(z, &f)) { return false; }
    }
    c = taco__view_query_open(z, true);
    while (c && !found && taco_cursor_batch(c, &batch)) {
        /* a position may be many batches away */
        if (left >= batch.length) {
            left -= batch.length;
            continue;
        }
        found = true;
        if (!taco__compose_sample_row(c, (size_t)left, &store, &row)) {
            TACO__FAIL(&c->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "the rows of the view are no longer samples");
        } else {
            taco__nav_path_of_row(z->ds, store, z->q.table, row, path, &c->err);
        }
    }
    if (!c || taco_cursor_close(c, z->err) != TACO_OK) { return false; }
    if (!found) {
        TACO__FAIL(z->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "%s: the view has no sample %q",
                   z->ds->stores[0].name, &key);
    }
    return found;
}

/* Reads the sample at `path`, whose first key ends at `rest`. */
static taco_cursor *taco__view_read_below(const taco_view *v, const char *path, const char *rest,
                                          bool padding, taco_error *err)
{
    taco__view_query z;
    taco__buf full;
    taco_cursor *c = NULL;
    memset(&full, 0, sizeof full);
    full.mem = &v->ds->mem;
    if (taco__view_query_init(&z, v, false, err) &&
        taco__view_find_row(&z, taco__bytes_of(path, (size_t)(rest - path)), &full) &&
        taco__buf_append_text(&full, rest, err) && taco__buf_append_char(&full, 0, err)) {
        c = taco_read(v->ds, (const char *)full.data, padding, err);
    }
    taco__view_query_free(&z);
    taco__buf_free(&full);
    return c;
}

/* The first key is looked up among the rows of the view, the rest of the path in the dataset. As in
   taco_read, ids of old formats may contain '/'. */
TACO_API taco_cursor *taco_view_read(const taco_view *v, const char *path, bool padding,
                                     taco_error *err)
{
    taco_error own, first;
    taco_cursor *c;
    const char *rest;
    err = taco__error_fresh(err, NULL);
    if (!v) {
        TACO__FAIL_SOFT(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no view given");
        return NULL;
    }
    /* the root of a view is its rows */
    if (!path || !path[0]) { return taco_view_rows(v, err); }
    memset(&first, 0, sizeof first);
    for (rest = taco__nav_key_end(path);; rest = taco__nav_key_end(rest + 1)) {
        memset(&own, 0, sizeof own);
        c = taco__view_read_below(v, path, rest, padding, &own);
        if (c) { return c; }
        first = first.code == TACO_OK ? own : first;
        if (own.code != TACO_ERR_NOT_FOUND || !*rest || !v->ds->stores[0].format) { break; }
    }
    if (err && err->code == TACO_OK) { *err = own.code == TACO_ERR_NOT_FOUND ? first : own; }
    return NULL;
}
