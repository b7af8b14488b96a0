/* select.c - rows of a query, batch by batch or one at a time. */
#include "dataset.h"
#include "../base/base.h"

/* Keeps the columns of a list after all of them were sorted by: places of the readers follow. */
static bool taco__select_columns_after_sort(taco_cursor *c, const taco__query_columns *list)
{
    taco_field *before = c->fields;
    size_t i, k, n = c->count;
    if (!taco__cursor_column_select(c, list)) { return false; }
    for (i = 0; i < c->reader_count; i++) {
        size_t *place =
            (size_t *)taco__arena_array(&c->arena, c->count + 1, sizeof *place, &c->err);
        size_t j;
        if (!place) { return false; }
        for (j = 0; j < c->count; j++) {
            for (k = 0; k < n && strcmp(before[k].name, c->fields[j].name) != 0; k++) {}
            place[j] = k < n ? c->readers[i].place[k] : TACO__NONE;
        }
        c->readers[i].place = place;
    }
    return true;
}

/* Opens a cursor over what a query asks; q is not kept, but its texts and trees that callers lend
   are copied. */
TACO__FN bool taco__select_open(taco_cursor *c, const taco__query *q)
{
    taco_dataset *ds = c->ds;
    size_t i, k;
    for (i = 0; i < q->filter_count; i++) {
        uint32_t level = q->filters[i].f.level;
        if (level && level >= taco_levels(ds)) {
            TACO__FAIL(&c->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "there is no level %u to filter, the deepest is %u", TACO__U(level),
                       TACO__U(taco_levels(ds) - 1));
            return taco__container_fail(&ds->stores[0], NULL, &c->err);
        }
    }
    if (q->table && q->table >= taco_levels(ds)) {
        TACO__FAIL(&c->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "there is no level %u, the deepest is %u", TACO__U(q->table),
                   TACO__U(taco_levels(ds) - 1));
        return taco__container_fail(&ds->stores[0], NULL, &c->err);
    }
    c->level = q->table;
    c->flat = q->flat;
    c->padding = q->padding;
    c->skip = q->offset;
    c->left = q->limit ? q->limit : UINT64_MAX;
    if (!taco__cursor_column_add_all(c, c->level)) { return false; }
    if (q->select.given && !q->order.given && !taco__cursor_column_select(c, &q->select)) {
        return taco__container_fail(&ds->stores[0], NULL, &c->err);
    }
    if (q->order.given) { /* keys may be any of them, those asked for come later */
        c->count += c->hidden;
        c->hidden = 0;
    }
    c->arrays =
        (taco_array *)taco__arena_array(&c->arena, c->count + 1, sizeof *c->arrays, &c->err);
    if (!c->arrays) { return false; }
    for (i = 0; i < ds->container_count; i++) {
        taco__table_reader *f = &c->readers[i];
        taco__container *s = &ds->stores[i];
        taco__level *l = taco__container_level(s, c->level, &c->err);
        if (!l) { return false; }
        f->store = s;
        f->table = &l->table;
        f->source_path = taco__bytes_text(s->vsi);
        while (f->source_path.len > 1 && f->source_path.data[f->source_path.len - 1] == '/') {
            f->source_path.len--;
        }
        f->source_file = f->source_path;
        for (k = f->source_path.len; k > 0 && f->source_path.data[k - 1] != '/'; k--) {}
        f->source_file.data += k;
        f->source_file.len -= k;
        if (!taco__table_reader_filter(c, f, q->filters, q->filter_count, &c->err) ||
            !taco__table_reader_open(c, f, &l->role, c->outs, c->count, &c->err)) {
            return false;
        }
    }
    if (q->order.given && !c->dry) {
        if (!taco__cursor_order_sort(c, &q->order)) {
            return taco__container_fail(&ds->stores[0], NULL, &c->err);
        }
        if (q->select.given) {
            return taco__select_columns_after_sort(c, &q->select) ||
                   taco__container_fail(&ds->stores[0], NULL, &c->err);
        }
    }
    return true;
}

TACO_API taco_cursor *taco_select(taco_dataset *ds, const taco_query *query, taco_error *err)
{
    taco_query none;
    taco__query q;
    taco_cursor *c;
    memset(&none, 0, sizeof none);
    if (!ds) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no dataset given");
        return NULL;
    }
    c = taco__cursor_alloc(ds, ds->container_count, err);
    if (c && (!taco__query_parse(&c->arena, query ? query : &none, &q, &c->err) ||
              !taco__select_open(c, &q))) {
        taco_cursor_close(c, err);
        return NULL;
    }
    return c;
}

/* A cursor without rows that has every column of a view: its list of names. */
TACO__FN taco_cursor *taco__select_columns_only(taco_dataset *ds, const taco_query *q,
                                                taco_error *err)
{
    taco_cursor *c;
    if (q->table && q->table >= taco_levels(ds)) {
        c = taco_select(ds, q, err); /* says what there is */
        taco_cursor_close(c, err);
        return NULL;
    }
    c = taco__cursor_alloc(ds, 1, err);
    if (c) {
        c->flat = q->flat;
        c->level = q->table;
        if (!taco__cursor_column_add_all(c, q->table)) {
            taco_cursor_close(c, err);
            return NULL;
        }
    }
    return c;
}
