/* cursor_sorted.c - batches of a sorted result: reads columns for rows in that order

   In: c->sorted.order, made by cursor_order.c. Out: batches of consecutive rows in that order, all
   of one reader.

   Rows that are next to each other in the order may be anywhere in the file. Those of a batch are
   read in file order, each once, and then put in result order (taco__cursor_sorted_next). Bytes
   stay in the range cache while there is room: a sort column that is also returned, or rows of one
   page that are returned far apart, are fetched once. Only output columns are read; cursor_order.c
   has read the keys before, with the same functions. */
#include "cursor.h"
#include "../base/base.h"
#include "../arrow/arrow.h"
#include "../parquet/parquet.h"
#include "../filter/scan.h"

TACO__FN void taco__cursor_sorted_free(taco_cursor *c)
{
    taco__sorted_rows *s = &c->sorted;
    size_t i;
    for (i = 0; s->columns && i < c->reader_count * TACO__MAX_LEVELS; i++) {
        taco__row_reader_close(&s->columns[i].rows);
    }
    taco__range_cache_free(&s->cache);
}

/* ---- reading rows of one reader ---- */

/* The ranges that the columns of r need for ascending rows. */
static bool taco__cursor_sorted_need_rows(taco_cursor *c, const taco__row_reader *r,
                                          const uint32_t *rows, size_t n, taco__buf *ranges)
{
    taco_pq_file *pq = r->table->pq;
    taco__row_selection w;
    size_t i, k;
    memset(&w, 0, sizeof w);
    for (i = 0; i < n; i = k) {
        uint32_t g = taco__footer_find_row_group(&pq->meta, rows[i]);
        uint64_t end =
            taco__table_group_first_row(r->table, g) + taco__table_group_rows(r->table, g);
        for (k = i; k < n && rows[k] < end; k++) {}
        w.rows = rows + i;
        w.row_count = k - i;
        if (!taco__scan_fetch_add_chunks(pq, r->which, r->count, r->table->stored, g, &w, ranges,
                                         &c->err)) {
            return false;
        }
    }
    return true;
}

/* Reads what the columns of r need for ascending rows in one round, and keeps it. Releases what was
   kept before if it is too much. */
static bool taco__cursor_sorted_cache_rows(taco_cursor *c, const taco__row_reader *r,
                                           const uint32_t *rows, size_t n)
{
    taco__range_cache *cache = &c->sorted.cache;
    taco__buf ranges;
    bool ok;
    if (!r->table->pq || !r->count) { return true; }
    memset(&ranges, 0, sizeof ranges);
    ranges.mem = c->mem;
    ok = taco__cursor_sorted_need_rows(c, r, rows, n, &ranges);
    if (taco__range_cache_bytes(cache) > TACO__SCAN_AHEAD) { taco__range_cache_release(cache); }
    ok = ok && taco__range_cache_fetch(cache, r->table->pq->part.file, &ranges, &c->err);
    taco__buf_free(&ranges);
    return ok;
}

static bool taco__cursor_sorted_is_ascending(const uint32_t *rows, size_t n)
{
    size_t i;
    for (i = 1; i < n && rows[i - 1] <= rows[i]; i++) {}
    return i >= n;
}

/* Reads the ancestors of rows; up has the rows of the cursor's level, and is overwritten. */
static bool taco__cursor_sorted_read_ancestors(taco_cursor *c, taco__table_reader *f,
                                               taco__row_reader *const *rows, uint32_t *up,
                                               size_t n, const taco_array **by_level)
{
    uint32_t l;
    size_t i;
    for (l = c->query.level; l-- > 0;) {
        const int32_t *parents = f->store->levels[l + 1].parents;
        for (i = 0; i < n; i++) {
            up[i] = (uint32_t)parents[up[i]];
        }
        if ((taco__cursor_sorted_is_ascending(up, n) &&
             !taco__cursor_sorted_cache_rows(c, rows[l], up, n)) ||
            !taco__compose_read_level(c, rows[l], up, n)) {
            return false;
        }
        by_level[l] = rows[l]->arrays;
    }
    return true;
}

/* Reads the columns of `rows` (a row reader for each level) for ascending rows of f. by_level
   receives the arrays of each level. */
TACO__FN bool taco__cursor_sorted_read_rows(taco_cursor *c, taco__table_reader *f,
                                            taco__row_reader *const *rows, const uint32_t *numbers,
                                            size_t n, const taco_array **by_level)
{
    taco__row_reader *own = rows[c->query.level];
    uint32_t *up;
    bool ok;
    if (!taco__cursor_sorted_cache_rows(c, own, numbers, n) ||
        !taco__compose_read_level(c, own, numbers, n)) {
        return false;
    }
    by_level[c->query.level] = own->arrays;
    if (!c->query.flat) { return true; }
    up = (uint32_t *)taco__mem_alloc(c->mem, n * sizeof *up, &c->err);
    if (!up) { return false; }
    memcpy(up, numbers, n * sizeof *up);
    ok = taco__cursor_sorted_read_ancestors(c, f, rows, up, n, by_level);
    taco__mem_free(c->mem, up, n * sizeof *up);
    return ok;
}

/* Appends the numbers of all rows that a scan finds. */
static bool taco__cursor_sorted_scan_rows(taco_cursor *c, taco__scan *scan, taco__buf *list)
{
    const uint32_t *found;
    uint64_t base;
    size_t i, n;
    /* a tested column may also be a key */
    scan->fetch.keep_tested = true;
    while ((n = taco__scan_next(scan, TACO__SCAN_SLICE, false, &found, &base, &c->err)) != 0) {
        uint32_t *to;
        if (!taco__buf_reserve(list, n * sizeof *to, &c->err)) { return false; }
        to = (uint32_t *)(void *)(list->data + list->len);
        for (i = 0; i < n; i++) {
            to[i] = (uint32_t)(base + found[i]);
        }
        list->len += n * sizeof *to;
    }
    return c->err.code == TACO_OK;
}

/* Sets f->row_numbers: all rows that a reader finds, ascending, in the cursor's arena. */
TACO__FN bool taco__cursor_sorted_collect_rows(taco_cursor *c, taco__table_reader *f)
{
    taco__buf list;
    bool ok;
    memset(&list, 0, sizeof list);
    list.mem = c->mem;
    ok = taco__cursor_sorted_scan_rows(c, &f->scan, &list);
    f->row_number_count = list.len / sizeof(uint32_t);
    f->row_numbers = (uint32_t *)taco__arena_array(&c->arena, f->row_number_count + 1,
                                                   sizeof(uint32_t), &c->err);
    if (f->row_numbers && list.len) { memcpy(f->row_numbers, list.data, list.len); }
    taco__buf_free(&list);
    return ok && f->row_numbers;
}

/* ---- output columns ---- */

/* Whether an output column of a reader, or its paths, need the column at an index of a level's
   arrays. */
static bool taco__cursor_sorted_needs_column(const taco_cursor *c, const taco__table_reader *f,
                                             uint32_t level, size_t place)
{
    size_t i, k;
    for (i = 0; i < c->columns.count; i++) {
        const taco__cursor_column *o = &c->columns.origins[i];
        if (o->kind == TACO__CURSOR_COLUMN_VSI && level == o->level) {
            const taco__sample_path_maker *m =
                level == c->query.level ? &f->paths : &f->ancestor_paths[level];
            for (k = 0; k < TACO__SAMPLE_PATH_INPUTS; k++) {
                if (place == m->input[k]) { return true; }
            }
        } else if (taco__cursor_column_is_stored(o) && o->level == level && f->place[i] == place) {
            return true;
        }
    }
    return false;
}

/* Opens a reader of the needed columns of one level, out of all those of the table reader. */
static bool taco__cursor_sorted_open_level(taco_cursor *c, taco__table_reader *f, uint32_t level,
                                           taco__sorted_columns *out)
{
    const taco__row_reader *all = taco__table_reader_level(c, f, level);
    size_t k,
        n = 0,
        *which = (size_t *)taco__arena_array(&c->arena, all->count + 1, sizeof *which, &c->err);
    out->places =
        (size_t *)taco__arena_array(&c->arena, all->count + 1, sizeof *out->places, &c->err);
    if (!which || !out->places) { return false; }
    for (k = 0; k < all->count; k++) {
        if (taco__cursor_sorted_needs_column(c, f, level, k)) {
            out->places[n] = k;
            which[n++] = all->which[k];
        }
    }
    return taco__row_reader_open(&out->rows, all->table, which, n, c->mem, &c->err);
}

/* Opens them for all readers, now that the output columns are known. */
static bool taco__cursor_sorted_open_columns(taco_cursor *c)
{
    taco__sorted_rows *s = &c->sorted;
    size_t i;
    uint32_t l;
    s->columns = (taco__sorted_columns *)taco__arena_array(
        &c->arena, c->reader_count * TACO__MAX_LEVELS, sizeof *s->columns, &c->err);
    for (i = 0; s->columns && i < c->reader_count; i++) {
        for (l = taco__table_reader_first_level(c); l <= c->query.level; l++) {
            if (!taco__cursor_sorted_open_level(c, &c->readers[i], l,
                                                &s->columns[i * TACO__MAX_LEVELS + l])) {
                return false;
            }
        }
    }
    return s->columns != NULL;
}

/* ---- batches ---- */

static int taco__cursor_sorted_compare_numbers(const void *ctx, const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    (void)ctx;
    return (x > y) - (x < y);
}

/* How many of the next rows belong to one reader: at most a slice. */
static size_t taco__cursor_sorted_count_rows(const taco__sorted_rows *s)
{
    const taco__sorted_row *row = s->order + s->at;
    size_t n = 1;
    while (n < TACO__SCAN_SLICE && s->at + n < s->count && row[n].reader == row->reader) {
        n++;
    }
    return n;
}

/* Row numbers of the next n rows, ascending, and for each output row its index among them. */
static void taco__cursor_sorted_place_rows(const taco__sorted_rows *s, const taco__table_reader *f,
                                           size_t n, uint32_t *numbers, int32_t *index)
{
    const taco__sorted_row *row = s->order + s->at;
    size_t i;
    for (i = 0; i < n; i++) {
        numbers[i] = f->row_numbers[row[i].at];
    }
    taco__sort(numbers, index, n, sizeof *numbers, taco__cursor_sorted_compare_numbers, NULL);
    for (i = 0; i < n; i++) {
        const uint32_t number = f->row_numbers[row[i].at];
        size_t at = 0;
        TACO__LOWER_BOUND(at, n, k, numbers[k] < number);
        index[i] = (int32_t)at;
    }
}

/* Gathers the rows of one level in result order, into the selection buffers of the reader that
   found them, which are unused now: output columns look for them there. */
static bool taco__cursor_sorted_take_level(taco_cursor *c, taco__sorted_columns *from,
                                           taco__row_reader *to, const int32_t *index, size_t n)
{
    size_t k;
    for (k = 0; k < from->rows.count; k++) {
        size_t at = from->places[k];
        if (!taco__take_array(&to->selected[at], &from->rows.arrays[k], index, n, &c->err)) {
            return false;
        }
        to->arrays[at] = to->selected[at].array;
    }
    return true;
}

/* Reads the next n rows, first in file order; by_level receives the arrays in result order. */
static bool taco__cursor_sorted_read_batch(taco_cursor *c, uint32_t reader, size_t n,
                                           const taco_array **by_level)
{
    taco__sorted_columns *columns = c->sorted.columns + (size_t)reader * TACO__MAX_LEVELS;
    taco__table_reader *f = &c->readers[reader];
    taco__row_reader *rows[TACO__MAX_LEVELS];
    uint32_t *numbers, l;
    int32_t *index;
    size_t bytes = n * (sizeof *numbers + sizeof *index);
    bool ok;
    numbers = (uint32_t *)taco__mem_alloc(c->mem, bytes, &c->err);
    if (!numbers) { return false; }
    index = (int32_t *)(void *)(numbers + n);
    taco__cursor_sorted_place_rows(&c->sorted, f, n, numbers, index);
    for (l = 0; l < TACO__MAX_LEVELS; l++) {
        rows[l] = &columns[l].rows;
    }
    ok = taco__cursor_sorted_read_rows(c, f, rows, numbers, n, by_level);
    for (l = taco__table_reader_first_level(c); ok && l <= c->query.level; l++) {
        taco__row_reader *to = taco__table_reader_level(c, f, l);
        ok = taco__cursor_sorted_take_level(c, &columns[l], to, index, n);
        by_level[l] = to->arrays;
    }
    taco__mem_free(c->mem, numbers, bytes);
    return ok;
}

TACO__FN bool taco__cursor_sorted_next(taco_cursor *c, taco_batch *out)
{
    const taco_array *by_level[TACO__MAX_LEVELS] = {NULL};
    taco__sorted_rows *s = &c->sorted;
    uint32_t reader;
    size_t n;
    if (s->at == s->count || (!s->columns && !taco__cursor_sorted_open_columns(c))) {
        return false;
    }
    reader = s->order[s->at].reader;
    n = taco__cursor_sorted_count_rows(s);
    if (!taco__cursor_sorted_read_batch(c, reader, n, by_level)) { return false; }
    c->batch.rows.order_at = s->at;
    if (!taco__compose_batch(c, &c->readers[reader], by_level, n)) { return false; }
    s->at += n;
    taco__compose_hand_out(c, n, -1, out);
    return true;
}
