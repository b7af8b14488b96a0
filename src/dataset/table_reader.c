/* table_reader.c - rows of a query, batch by batch or one at a time. */
#include "dataset.h"
#include "../base/base.h"
#include "../parquet/parquet.h"
#include "../filter/filter.h"

/* ---- readers
   ---------------------------------------------------------------------------------------- */

/* Place of a table column in the list, added when it is not there: a column has one reader. */
static size_t taco__table_reader_add_column(size_t *which, size_t *n, size_t column)
{
    size_t i;
    for (i = 0; i < *n && which[i] != column; i++) {}
    if (i == *n) { which[(*n)++] = column; }
    return i;
}

/* What picked rows need of the columns that go out. */
TACO__FN bool taco__table_reader_need_columns(const taco__row_reader *r, const uint8_t *picked,
                                              taco__buf *ranges, taco_error *err)
{
    const taco__table *t = r->table;
    taco__row_selection w;
    taco__scan_span span;
    uint32_t g;
    memset(&w, 0, sizeof w);
    w.spans = &span;
    w.span_count = 1;
    w.select = picked;
    for (g = 0; g < taco__table_group_count(t); g++) {
        span.first = taco__table_group_first_row(t, g);
        span.n = taco__table_group_rows(t, g);
        span.all_match = !picked;
        if ((!picked || taco__bitmap_count(picked, (size_t)span.first, (size_t)span.n)) &&
            !taco__scan_fetch_add_chunks(t->pq, r->which, r->count, t->stored, g, &w, ranges,
                                         err)) {
            return false;
        }
    }
    return true;
}

/* A flat view from a vectored source: ancestors would be read row group by row group, and come in
   one round instead. */
static bool taco__table_reader_read_ahead(taco__table_reader *f, uint32_t level, taco_error *err)
{
    taco__buf ranges;
    taco__file *file = f->table->pq ? f->table->pq->part.file : NULL;
    uint32_t l;
    bool ok = true;
    if (!f->has_cascade || !file || !file->src.read_many) { return true; }
    memset(&ranges, 0, sizeof ranges);
    ranges.mem = f->store->mem;
    for (l = 0; ok && l <= level; l++) {
        const taco__row_reader *r = l == level ? &f->scan.out : &f->rows[l];
        ok = !r->table->pq || r->table->pq->part.file != file ||
             taco__table_reader_need_columns(r, f->picks.bits[l], &ranges, err);
    }
    ok = ok && taco__cascade_cache_ranges(&f->picks, file, &ranges, err);
    taco__buf_free(&ranges);
    return ok;
}

/* Makes the numbers that stand for internal:current_id where they are not the rows'. */
static bool taco__table_reader_make_current_ids(taco_cursor *c, taco__table_reader *f,
                                                taco_error *err)
{
    taco__level *l = &f->store->levels[c->level];
    if (f->current || f->store->kind != TACO_KIND_TACOCAT || l->role.source == TACO__NONE) {
        return true;
    }
    f->current =
        (int32_t *)taco__arena_array(&c->arena, (size_t)l->table.rows + 1, sizeof *f->current, err);
    return f->current && taco__join_number_rows(f->store, l, f->current, err);
}

/* Opens the scan of a feed over the columns of its own level, and readers for those of
   ancestors. */
TACO__FN bool taco__table_reader_open(taco_cursor *c, taco__table_reader *f,
                                      const taco__column_roles *roles,
                                      const taco__cursor_column *outs, size_t count,
                                      taco_error *err)
{
    size_t *which, n = 0, i;
    uint32_t l;
    bool vsi = false;
    size_t inputs[3];
    which = (size_t *)taco__arena_array(&c->arena, count + 4, sizeof *which, err);
    f->place = (size_t *)taco__arena_array(&c->arena, count + 1, sizeof *f->place, err);
    if (!which || !f->place) { return false; }
    for (i = 0; i < count; i++) {
        f->place[i] = TACO__NONE;
        vsi = vsi || outs[i].kind == TACO__CURSOR_COLUMN_VSI;
        if (taco__cursor_column_is_stored(&outs[i]) && outs[i].level == c->level) {
            size_t at = taco__table_find_column(f->table, outs[i].name);
            if (at < f->table->stored + f->table->constant_count) {
                f->place[i] = taco__table_reader_add_column(which, &n, at);
            } else if (outs[i].kind == TACO__CURSOR_COLUMN_CURRENT_ID && f->store &&
                       !taco__table_reader_make_current_ids(c, f, err)) {
                return false;
            }
        }
    }
    if (vsi && !c->children) {
        size_t places[3] = {0, 0, 0}, j,
               k = taco__sample_path_maker_init(&f->vsi, f->store, f->table, roles, c->level,
                                                inputs, err);
        if (err->code != TACO_OK) {
            return taco__container_fail(f->store, f->store->levels[c->level].name, err);
        }
        for (j = 0; j < k; j++) {
            places[j] = taco__table_reader_add_column(which, &n, inputs[j]);
        }
        if (k) {
            f->vsi.a = places[f->vsi.a];
            f->vsi.b = places[TACO__MIN(f->vsi.b, (size_t)2)];
            f->vsi.name = places[TACO__MIN(f->vsi.name, (size_t)2)];
        }
        /* the plan was made where the children were found; a, b and name are table columns */
    } else if (vsi) {
        f->vsi.a = taco__table_reader_add_column(which, &n, f->vsi.a);
        f->vsi.b = f->vsi.name = taco__table_reader_add_column(which, &n, f->vsi.b);
    }
    if (!taco__scan_open(&f->scan, f->table, f->where,
                         f->has_cascade ? f->picks.bits[c->level] : NULL, which, n,
                         TACO__BATCH_ROWS, c->mem, err)) {
        return false;
    }
    f->open = true;
    for (l = 0; c->flat && l < c->level; l++) {
        for (i = n = 0; i < count; i++) {
            if (taco__cursor_column_is_stored(&outs[i]) && outs[i].level == l) {
                size_t at = taco__table_find_column(&f->store->levels[l].table, outs[i].name);
                if (at <
                    f->store->levels[l].table.stored + f->store->levels[l].table.constant_count) {
                    f->place[i] = n;
                    which[n++] = at;
                }
            }
        }
        if (!taco__row_reader_open(&f->rows[l], &f->store->levels[l].table, which, n, c->mem,
                                   err)) {
            return false;
        }
    }
    return !c->flat || c->left != UINT64_MAX || taco__table_reader_read_ahead(f, c->level, err);
}

TACO__FN void taco__table_reader_close(taco__table_reader *f)
{
    uint32_t l;
    size_t i;
    for (i = 0; i < f->piece_count; i++) {
        taco__sample_path_maker_free(&f->pieces[i].vsi);
        taco__mem_task_merge(f->mem, &f->pieces[i].own);
        taco__mem_task_return_spares(f->mem, &f->pieces[i].own);
    }
    f->piece_count = 0;
    if (f->open) {
        taco__scan_close(&f->scan);
        f->open = false;
    }
    for (l = 0; l < TACO__MAX_LEVELS; l++) {
        taco__row_reader_close(&f->rows[l]);
    }
    if (f->has_cascade) {
        taco__cascade_free(f->store, &f->picks);
        f->has_cascade = false;
    }
    taco__sample_path_maker_free(&f->vsi);
}

/* What the filters of a query leave of one store. */
TACO__FN bool taco__table_reader_filter(taco_cursor *c, taco__table_reader *f,
                                        taco__query_filter *filters, size_t n, taco_error *err)
{
    taco__container *s = f->store;
    taco__expr *where[TACO__MAX_LEVELS] = {NULL};
    uint8_t **masks = c->masks ? c->masks + (size_t)(f - c->readers) * TACO__MAX_LEVELS : NULL;
    uint32_t l, deepest = 0;
    bool any = false, masked = false, last = f + 1 == c->readers + c->ds->container_count;
    size_t i;
    for (i = 0; i < n; i++) {
        const taco_filter *x = &filters[i].f;
        taco__level *level = taco__container_level(s, x->level, err);
        if (!level || (c->ds->container_count > 1 &&
                       !taco__schema_union_level_fields(c->ds, x->level, err))) {
            return false;
        }
        if (!x->where && !filters[i].where && !x->bbox && !x->time) { continue; }
        if (!taco__query_parse_condition(&filters[i], &c->arena, &c->ds->options.limits, last,
                                         &where[x->level], err) ||
            !taco__query_add_filter(s, &c->arena, &level->table, x, &where[x->level], err)) {
            return taco__container_fail(s, NULL, err);
        }
        deepest = TACO__MAX(deepest, x->level);
        any = true;
    }
    for (l = 0; masks && l < TACO__MAX_LEVELS; l++) {
        masked = masked || masks[l];
        deepest = masks[l] ? TACO__MAX(deepest, l) : deepest;
    }
    any = any || masked;
    for (l = 0; l <= TACO__MAX(deepest, c->level); l++) {
        taco__level *level = taco__container_level(s, l, err);
        if (!level) { return false; }
        if (!c->padding && (any || c->flat || l == c->level) &&
            !taco__query_hide_padding(level, &c->arena, &where[l], err)) {
            return false;
        }
        if (where[l] && !taco__pred_bind(where[l], level->table.fields, level->table.field_count,
                                         &c->arena, err)) {
            taco__error_prefix(err, "where");
            return taco__container_fail(s, NULL, err);
        }
    }
    if ((any && (masked || (!c->alone && (deepest > 0 || c->level > 0)))) ||
        (c->flat && c->level > 0)) {
        deepest = TACO__MAX(deepest, c->flat ? c->level : 0);
        f->deepest = deepest;
        f->tested = (taco__expr **)taco__arena_array(&c->arena, TACO__MAX_LEVELS,
                                                     sizeof(taco__expr *), err);
        if (!f->tested) { return false; }
        memcpy(f->tested, where, sizeof where);
        f->has_cascade = !c->dry;
        if (!c->dry && !taco__cascade_run(s, &f->picks, where, masks, deepest, c->level, err)) {
            return false;
        }
        f->where = c->level > deepest ? where[c->level] : NULL;
    } else {
        f->where = where[c->level];
    }
    if (c->flat) {
        taco__expr *file = s->levels[c->level].role.type == TACO__NONE
                               ? NULL
                               : taco__expr_equals(&c->arena, s->levels[c->level].role.type,
                                                   taco__bytes_text("FILE"), err);
        if (!file ||
            !taco__pred_bind(file, f->table->fields, f->table->field_count, &c->arena, err)) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "there is no type column of text");
            return taco__container_fail(s, s->levels[c->level].name, err);
        }
        f->where = f->where ? taco__expr_and(&c->arena, f->where, file, err) : file;
        if (f->where) { f->where->bound = true; }
    }
    return err->code == TACO_OK;
}

/* Replaces what a cursor with one feed tests, before its first row. */
TACO__FN bool taco__table_reader_set_filter(taco_cursor *c, taco__expr *where)
{
    taco__table_reader *f = &c->readers[0];
    size_t n = f->scan.out.count,
           *which = (size_t *)taco__arena_array(&c->arena, n + 1, sizeof *which, &c->err);
    if (!which) { return false; }
    memcpy(which, f->scan.out.which, n * sizeof *which);
    taco__scan_close(&f->scan);
    f->where = where;
    f->open = taco__scan_open(&f->scan, f->table, where, NULL, which, n, TACO__BATCH_ROWS, c->mem,
                              &c->err);
    return f->open;
}
