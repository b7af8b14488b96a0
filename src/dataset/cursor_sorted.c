/* cursor_sorted.c - rows of a query, batch by batch or one at a time. */
#include "dataset.h"
#include "../base/base.h"
#include "../arrow/arrow.h"
#include "../parquet/parquet.h"
#include "../filter/filter.h"

/* ---- sorted results
   ------------------------------------------------------------------------------- */

TACO__FN void taco__cursor_sorted_release_cached(taco_cursor *c)
{
    const taco__cached_range *h = (const taco__cached_range *)(const void *)c->held.data;
    size_t i;
    for (i = 0; i < c->held.len / sizeof *h; i++) {
        taco__file_release(h[i].file, h[i].range.offset, h[i].range.len);
    }
    c->held.len = 0;
}

/* Reads what the columns of r need for ascending rows in one round, and keeps it: a column that is
   sorted by and also comes out, or rows of one page that come out far apart, are read once. Too
   much of it is not kept but read as it comes. */
static bool taco__cursor_sorted_cache_rows(taco_cursor *c, const taco__row_reader *r,
                                           const uint32_t *rows, size_t n)
{
    taco_pq_file *pq = r->table->pq;
    taco__buf ranges;
    taco__wanted_rows w;
    const taco__cached_range *h = (const taco__cached_range *)(const void *)c->held.data;
    uint64_t total = 0;
    size_t i, k;
    bool ok = true;
    if (!pq || !r->count) { return true; }
    memset(&ranges, 0, sizeof ranges);
    memset(&w, 0, sizeof w);
    ranges.mem = c->mem;
    for (i = 0; ok && i < n; i = k) {
        uint32_t g = taco__footer_find_row_group(&pq->meta, rows[i]);
        uint64_t end =
            taco__table_group_first_row(r->table, g) + taco__table_group_rows(r->table, g);
        for (k = i; k < n && rows[k] < end; k++) {}
        w.rows = rows + i;
        w.row_count = k - i;
        ok = taco__scan_fetch_add_chunks(pq, r->which, r->count, r->table->stored, g, &w, &ranges,
                                         &c->err);
    }
    for (i = 0; i < c->held.len / sizeof *h; i++) {
        total += h[i].range.len;
    }
    if (total > TACO__SCAN_AHEAD) { taco__cursor_sorted_release_cached(c); }
    if (ok && taco__scan_fetch_range_bytes(&ranges) <= TACO__SCAN_AHEAD) {
        const taco__range *x = (const taco__range *)(const void *)ranges.data;
        taco__cached_range one;
        n = ranges.len / sizeof *x;
        one.file = pq->part.file;
        ok = taco__buf_reserve(&c->held, n * sizeof one, &c->err) &&
             taco__file_fetch(one.file, x, n, &c->err);
        for (i = 0; ok && i < n; i++) {
            one.range = x[i];
            ok = taco__buf_append(&c->held, &one, sizeof one, &c->err);
        }
    }
    taco__buf_free(&ranges);
    return ok;
}

/* The numbers of all rows that a feed finds. */
TACO__FN bool taco__cursor_sorted_collect_rows(taco_cursor *c, taco__table_reader *f)
{
    taco__buf list;
    const uint32_t *found;
    uint64_t base;
    size_t i, n;
    memset(&list, 0, sizeof list);
    list.mem = c->mem;
    f->scan.keep = true;
    while ((n = taco__scan_next(&f->scan, TACO__SCAN_SLICE, false, &found, &base, &c->err)) != 0) {
        uint32_t *to;
        if (!taco__buf_reserve(&list, n * sizeof *to, &c->err)) { break; }
        to = (uint32_t *)(void *)(list.data + list.len);
        for (i = 0; i < n; i++) {
            to[i] = (uint32_t)(base + found[i]);
        }
        list.len += n * sizeof *to;
    }
    f->row_number_count = list.len / sizeof(uint32_t);
    f->numbers = (uint32_t *)taco__arena_array(&c->arena, f->row_number_count + 1, sizeof(uint32_t),
                                               &c->err);
    if (f->numbers && list.len) { memcpy(f->numbers, list.data, list.len); }
    taco__buf_free(&list);
    return c->err.code == TACO_OK;
}

/* Reads columns of the rows numbers[0..n) of a feed, one array per output column, in `rows` (one
   reader per level). */
TACO__FN bool taco__cursor_sorted_read_rows(taco_cursor *c, taco__table_reader *f,
                                            taco__row_reader *rows, const uint32_t *numbers,
                                            size_t n, const taco_array **by_level)
{
    uint32_t *up, l;
    size_t i;
    bool ok;
    if (!taco__cursor_sorted_cache_rows(c, &rows[c->level], numbers, n) ||
        !taco__compose_read_level(c, &rows[c->level], numbers, n)) {
        return false;
    }
    by_level[c->level] = rows[c->level].arrays;
    if (!c->flat) { return true; }
    up = (uint32_t *)taco__mem_alloc(c->mem, n * sizeof *up, &c->err);
    ok = up != NULL;
    if (ok) { memcpy(up, numbers, n * sizeof *up); }
    for (l = c->level; ok && l-- > 0;) {
        const int32_t *parents = f->store->levels[l + 1].parents;
        for (i = 0; i < n; i++) {
            up[i] = (uint32_t)parents[up[i]];
        }
        for (i = 1; i < n && up[i - 1] <= up[i]; i++) {}
        ok = (i < n || taco__cursor_sorted_cache_rows(c, &rows[l], up, n)) &&
             taco__compose_read_level(c, &rows[l], up, n);
        by_level[l] = rows[l].arrays;
    }
    taco__mem_free(c->mem, up, n * sizeof *up);
    return ok;
}

/* Whether an output column of a feed, or the paths it makes, need the column at a place of a
   level's arrays. */
static bool taco__cursor_sorted_needs_column(const taco_cursor *c, const taco__table_reader *f,
                                             uint32_t level, size_t place)
{
    size_t i;
    for (i = 0; i < c->count; i++) {
        if (c->outs[i].kind == TACO__CURSOR_COLUMN_VSI) {
            if (level == c->level &&
                (place == f->vsi.a || place == f->vsi.b || place == f->vsi.name)) {
                return true;
            }
        } else if (taco__cursor_column_is_stored(&c->outs[i]) && c->outs[i].level == level &&
                   f->place[i] == place) {
            return true;
        }
    }
    return false;
}

/* Opens readers of the columns that come out, once it is known which. */
static bool taco__cursor_sorted_open_columns(taco_cursor *c)
{
    size_t i, k, n, *which;
    c->kept = (taco__row_reader **)taco__arena_array(&c->arena, c->reader_count, sizeof *c->kept,
                                                     &c->err);
    c->output_places = (size_t ***)taco__arena_array(&c->arena, c->reader_count,
                                                     sizeof *c->output_places, &c->err);
    for (i = 0; c->kept && c->output_places && i < c->reader_count; i++) {
        taco__table_reader *f = &c->readers[i];
        uint32_t l;
        c->kept[i] = (taco__row_reader *)taco__arena_array(&c->arena, TACO__MAX_LEVELS,
                                                           sizeof **c->kept, &c->err);
        c->output_places[i] = (size_t **)taco__arena_array(&c->arena, TACO__MAX_LEVELS,
                                                           sizeof **c->output_places, &c->err);
        if (!c->kept[i] || !c->output_places[i]) { return false; }
        for (l = c->flat ? 0 : c->level; l <= c->level; l++) {
            const taco__row_reader *like = l == c->level ? &f->scan.out : &f->rows[l];
            which = (size_t *)taco__arena_array(&c->arena, like->count + 1, sizeof *which, &c->err);
            c->output_places[i][l] =
                (size_t *)taco__arena_array(&c->arena, like->count + 1, sizeof *which, &c->err);
            for (k = n = 0; which && c->output_places[i][l] && k < like->count; k++) {
                if (taco__cursor_sorted_needs_column(c, f, l, k)) {
                    c->output_places[i][l][n] = k;
                    which[n++] = like->which[k];
                }
            }
            if (!which || !c->output_places[i][l] ||
                !taco__row_reader_open(&c->kept[i][l], like->table, which, n, c->mem, &c->err)) {
                return false;
            }
        }
    }
    return c->kept && c->output_places;
}

static int taco__cursor_sorted_compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* A batch of a sorted result: rows of one feed that follow each other in the order. They are read
   in file order and then put into theirs. */
TACO__FN bool taco__cursor_sorted_next(taco_cursor *c, taco_batch *out)
{
    const taco_array *by_level[TACO__MAX_LEVELS] = {NULL};
    taco__table_reader *f;
    uint32_t *numbers, feed, l;
    int32_t *idx;
    size_t i, k, n = 0, bytes;
    bool ok;
    if (c->order_at == c->order_count || (!c->kept && !taco__cursor_sorted_open_columns(c))) {
        return false;
    }
    feed = c->order[c->order_at].feed;
    f = &c->readers[feed];
    while (n < TACO__SCAN_SLICE && c->order_at + n < c->order_count &&
           c->order[c->order_at + n].feed == feed) {
        n++;
    }
    bytes = n * (sizeof *numbers + sizeof *idx);
    numbers = (uint32_t *)taco__mem_alloc(c->mem, bytes, &c->err);
    if (!numbers) { return false; }
    idx = (int32_t *)(void *)(numbers + n);
    for (i = 0; i < n; i++) {
        numbers[i] = f->numbers[c->order[c->order_at + i].at];
    }
    qsort(numbers, n, sizeof *numbers, taco__cursor_sorted_compare_numbers);
    for (i = 0; i < n; i++) {
        uint32_t want = f->numbers[c->order[c->order_at + i].at];
        const uint32_t *hit = (const uint32_t *)bsearch(&want, numbers, n, sizeof *numbers,
                                                        taco__cursor_sorted_compare_numbers);
        idx[i] = (int32_t)(hit - numbers);
    }
    ok = taco__cursor_sorted_read_rows(c, f, c->kept[feed], numbers, n, by_level);
    for (l = c->flat ? 0 : c->level; ok && l <= c->level; l++) {
        taco__row_reader *r = &c->kept[feed][l];
        for (k = 0; ok && k < r->count;
             k++) { /* into the scan's selection buffers, which are idle now */
            taco__row_reader *to = l == c->level ? &f->scan.out : &f->rows[l];
            size_t at = c->output_places[feed][l][k];
            ok = taco__take_array(&to->selected[at], &r->arrays[k], idx, n, &c->err);
            to->arrays[at] = to->selected[at].array;
            by_level[l] = to->arrays;
        }
    }
    taco__mem_free(c->mem, numbers, bytes);
    c->now = NULL;
    c->now_order = c->order_at;
    if (!ok || !taco__compose_batch(c, f, by_level, n)) { return false; }
    c->order_at += n;
    out->length = n;
    out->columns = c->arrays;
    out->column_count = c->count;
    out->first_row = -1;
    return true;
}
