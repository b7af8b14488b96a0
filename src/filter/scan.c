/* scan.c - the matching rows of a table: prune, read the tested columns, evaluate, read the rest

   In: a table (a Parquet file, or arrays in memory), a bound predicate, a bitmap of rows, columns
   to be read. Out: the numbers of the rows that match, in ascending order and in batches, with
   their columns. Nothing is read that is known not to be needed: row groups and pages without a
   match, columns of rows that do not match.

   How rows are found depends on the source (taco__scan_find):
   - one row group after the other, slice by slice, from memory or a local file without tasks: its
     pages are read as they are decoded, and matches are delivered while the processor's cache has
     them;
   - a window of row groups at a time from a vectored source, which saves round trips, or for tasks,
     which must not wait for reads: what they decode has been fetched before they start.

   Each part of a scan (scan.h) has a file of its own: scan_plan.c and scan_prune.c choose the rows
   to look at, scan_fetch.c fetches their bytes, scan_filter.c evaluates them, scan_matches.c has
   the numbers of those that match, scan_parallel.c does the work in tasks. Start reading at
   taco__scan_next. */
#include "scan.h"
#include "../base/base.h"
#include "../parquet/parquet.h"

/* Most rows evaluated for one batch when few of them match. */
#define TACO__SCAN_STRETCH 65536

TACO__FN void taco__scan_close(taco__scan *s)
{
    taco__row_reader_close(&s->out);
    if (s->query.cache_scan) {
        taco_pq_file *f = s->query.table->pq;
        taco__page_cache_commit(f->mem, &f->codecs->pending_pages);
        taco__page_cache_end_scan(f->mem);
    }
    if (s->mem) {
        taco__scan_filter_close(s, &s->filter);
        taco__scan_task_close(s);
        taco__scan_fetch_release(s, &s->fetch.tested);
        taco__scan_fetch_release(s, &s->fetch.output);
        taco__bloom_close(&s->plan.bloom);
        taco__buf_free(&s->plan.spans);
        taco__buf_free(&s->fetch.ranges);
        taco__buf_free(&s->fetch.tested);
        taco__buf_free(&s->fetch.output);
        taco__buf_free(&s->ordinals);
        taco__arena_free(&s->arena);
    }
    memset(s, 0, sizeof *s);
}

/* Lists the columns that the predicate reads. */
static bool taco__scan_find_tested(taco__scan *s, taco_error *err)
{
    taco__scan_query *q = &s->query;
    size_t i, n = q->table->field_count;
    size_t *list = (size_t *)taco__arena_array(&s->arena, n + 1, sizeof *list, err);
    uint8_t *mask = (uint8_t *)taco__arena_alloc(&s->arena, TACO__BITMAP_BYTES(n) + 8, err);
    if (!list || !mask) { return false; }
    if (TACO__WITH_FILTERS && q->where) { taco__expr_mark_columns(q->where, mask); }
    for (i = 0; q->where && i < n; i++) {
        if (taco__bitmap_get(mask, i)) { list[q->tested_count++] = i; }
    }
    q->tested = list;
    return true;
}

/* Registers the scan with the page cache, if there is one. */
static void taco__scan_join_cache(taco__scan *s)
{
    taco_pq_file *f = s->query.table->pq;
    if (TACO__WITH_CACHE && f && f->mem->cache.most > TACO__CACHED_PAGE_SIZE) {
        s->query.cache_scan = taco__page_cache_begin_scan(f->mem);
        s->out.scan = s->filter.reader.scan = s->query.cache_scan;
    }
}

/* Rows per batch if the caller does not say: fewer for a handle with little memory, because a batch
   has a path of some hundred bytes for each row. */
static size_t taco__scan_default_rows(const taco__mem *mem)
{
    const uint64_t rows = TACO__MIN(mem->limit / 1024, (uint64_t)TACO__BATCH_ROWS);
    return (size_t)TACO__MAX(rows, (uint64_t)64);
}

TACO__FN bool taco__scan_open(taco__scan *s, const taco__table *t, const taco__expr *where,
                              const uint8_t *select, const size_t *out_columns, size_t out_count,
                              size_t batch_rows, taco__mem *mem, taco_error *err)
{
    bool windows;
    memset(s, 0, sizeof *s);
    s->query.table = t;
    s->query.where = where;
    s->query.select = select;
    s->query.to = t->rows;
    taco__scan_set_batch_rows(s, batch_rows ? batch_rows : taco__scan_default_rows(mem));
    s->mem = s->arena.mem = s->plan.spans.mem = s->ordinals.mem = mem;
    s->fetch.ranges.mem = s->fetch.tested.mem = s->fetch.output.mem = mem;
    windows = t->pq && taco__scan_plan_has_windows(t);
    taco__scan_task_init(s, windows ? &t->pq->options : NULL);
    s->fetch.windowed =
        TACO__WITH_READ_AHEAD && windows && (s->tasks.host || t->pq->part.file->src.read_many);
    s->plan.stats = (taco__column_stats *)taco__arena_array(&s->arena, t->field_count + 1,
                                                            sizeof *s->plan.stats, err);
    if (!s->plan.stats || !taco__scan_find_tested(s, err) ||
        !taco__scan_filter_open(s, &s->filter, mem, false, err) ||
        !taco__row_reader_open(&s->out, t, out_columns, out_count, mem, err)) {
        taco__scan_close(s);
        return false;
    }
    taco__scan_join_cache(s);
    return true;
}

TACO__FN void taco__scan_set_rows(taco__scan *s, uint64_t first, uint64_t n)
{
    taco__scan_query *q = &s->query;
    q->from = TACO__MIN(first, q->table->rows);
    q->to = n < q->table->rows - q->from ? q->from + n : q->table->rows;
}

TACO__FN void taco__scan_set_batch_rows(taco__scan *s, size_t n)
{
    s->query.batch_rows = TACO__MIN(n, TACO__SCAN_MAX_BATCH);
}

/* ---- finding matches, one row group at a time ---- */

/* Moves to the next row group that has rows to evaluate; *more is false at the end. */
static bool taco__scan_find_group(taco__scan *s, bool *more, taco_error *err)
{
    uint32_t g;
    unsigned may;
    s->plan.spans.len = 0;
    s->plan.span_at = 0;
    while (taco__scan_plan_next_group(s, &g, &may)) {
        if (!taco__scan_prune_by_bloom(s, g, &may, err)) { return false; }
        if (!(may & TACO__MAY_TRUE)) { continue; }
        if (!taco__scan_prune_by_page_index(s, g, may, err)) { return false; }
        if (s->plan.spans.len &&
            (!taco__scan_fetch_group(s, g, err) || !taco__scan_prune_by_dictionary(s, g, err))) {
            return false;
        }
        if (s->plan.spans.len) {
            *more = true;
            return true;
        }
    }
    *more = false;
    return true;
}

/* The first span of the current row group that is not yet evaluated; NULL at its end. */
static taco__scan_span *taco__scan_span_at_hand(const taco__scan *s)
{
    taco__scan_span *x = (taco__scan_span *)(void *)s->plan.spans.data;
    return s->plan.span_at < s->plan.spans.len / sizeof *x ? x + s->plan.span_at : NULL;
}

/* Evaluates the next slice of the row group. */
static bool taco__scan_find_in_slice(taco__scan *s, taco__scan_span *x, taco_error *err)
{
    taco__scan_span now = *x;
    now.n = TACO__MIN(now.n, (uint64_t)TACO__SCAN_SLICE);
    s->base = s->filter.found.count ? s->base : now.first;
    x->first += now.n;
    x->n -= now.n;
    s->plan.span_at += x->n == 0;
    return taco__scan_filter_slice(s, &s->filter, now.first, (size_t)now.n, now.all_match, err);
}

/* Whether to evaluate another slice of the row group before delivering: fewer, larger batches are
   better. */
static bool taco__scan_wants_slice(const taco__scan *s)
{
    const taco__scan_span *x = taco__scan_span_at_hand(s);
    return s->filter.found.count < TACO__BATCH_ROWS / 2 && x && !x->all_match &&
           x->first - s->base < TACO__SCAN_STRETCH;
}

/* Evaluates slices until there are enough matches; false at the end and on failure. */
static bool taco__scan_find_by_group(taco__scan *s, taco_error *err)
{
    bool more = true;
    while (!s->filter.found.count || taco__scan_wants_slice(s)) {
        taco__scan_span *x = taco__scan_span_at_hand(s);
        if (!(x ? taco__scan_find_in_slice(s, x, err)
                : taco__scan_find_group(s, &more, err) && more)) {
            return false;
        }
    }
    return true;
}

/* ---- finding matches, a window at a time ---- */

/* Evaluates the rest of the window, in tasks if there are any. In a local source, matches are
   delivered as soon as there are some, while they are in the processor's cache; in a vectored
   source all are found first, so that their columns come in one round. */
static bool taco__scan_find_in_window(taco__scan *s, taco_error *err)
{
    taco__scan_plan *p = &s->plan;
    bool all = s->query.table->pq->part.file->src.read_many != NULL;
    while (p->next_row < p->end_row && (all || !s->filter.found.count)) {
        if (taco__scan_task_filter_window(s)) { continue; }
        s->filter.first = p->next_row;
        s->filter.end = p->next_row = p->end_row;
        if (!taco__scan_filter_rows(s, &s->filter, err)) { return false; }
    }
    return true;
}

/* Evaluates windows until there are matches; false at the end and on failure. */
static bool taco__scan_find_by_window(taco__scan *s, taco_error *err)
{
    const taco__scan_plan *p = &s->plan;
    while (!s->filter.found.count) {
        if (p->next_row == p->end_row &&
            (p->next_group >= taco__table_group_count(s->query.table) ||
             !taco__scan_fetch_window(s, err))) {
            return false;
        }
        if (!taco__scan_find_in_window(s, err)) { return false; }
    }
    return true;
}

/* Finds more matches, which replace those delivered; false at the end and on failure. */
static bool taco__scan_find(taco__scan *s, taco_error *err)
{
    taco__scan_matches_clear(&s->filter.found);
    s->delivered = s->fetch.ready = s->tasks.batch_end = 0;
    return TACO__WITH_READ_AHEAD && s->fetch.windowed ? taco__scan_find_by_window(s, err)
                                                      : taco__scan_find_by_group(s, err);
}

/* ---- delivering them ---- */

/* Moves the pages decoded last into the cache, and gives its free room to the calling thread. */
static void taco__scan_update_cache(taco__scan *s)
{
    if (s->query.cache_scan) {
        taco_pq_file *f = s->query.table->pq;
        taco__page_cache_commit(f->mem, &f->codecs->pending_pages);
        taco__page_cache_set_room(f->mem, &f->codecs->pending_pages, 1);
    }
}

/* Prepares up to n of the next matches for reading: fetches the bytes of their columns and has
   tasks read them if that pays. Returns how many, 0 on failure. */
static size_t taco__scan_prepare_rows(taco__scan *s, size_t n, taco_error *err)
{
    taco__scan_tasks *t = &s->tasks;
    size_t at = s->delivered;
    if (!TACO__WITH_READ_AHEAD || !s->fetch.windowed) { return n; }
    if (s->fetch.ready <= at && !taco__scan_fetch_matches(s, at + n, err)) { return 0; }
    n = TACO__MIN(n, s->fetch.ready - at);
    if (t->batch_end <= at) {
        t->batch_by_tasks = taco__scan_task_read_batch(s, at + n);
        t->batch_end = t->batch_by_tasks ? t->batch_end : at + n;
    }
    return TACO__MIN(n, t->batch_end - at);
}

/* Reads the columns of up to n of the next matches into s->out.arrays; returns how many, 0 on
   failure. */
static size_t taco__scan_read_rows(taco__scan *s, size_t n, taco_error *err)
{
    const taco__scan_matches *m = &s->filter.found;
    size_t at = s->delivered;
    if (s->fetch.windowed && s->tasks.batch_by_tasks) { return taco__scan_task_deliver(s, n, err); }
    taco__scan_fetch_mark_output(s, s->base + taco__scan_match(m, at),
                                 s->base + taco__scan_match(m, at + n - 1));
    return taco__scan_matches_read(m, at, n, &s->out, s->base, err) ? n : 0;
}

/* Numbers of n matches from `at` on, relative to *base. For a run, *base is its row `at`, so that
   every batch is 0, 1, 2, ... NULL if there is no memory. */
static const uint32_t *taco__scan_numbers(taco__scan *s, size_t at, size_t n, uint64_t *base,
                                          taco_error *err)
{
    const taco__scan_matches *m = &s->filter.found;
    uint32_t *ordinals;
    size_t i, have = s->ordinals.len / sizeof *ordinals;
    *base = s->base;
    if (!m->is_run) { return (const uint32_t *)(const void *)m->numbers.data + at; }
    *base += taco__scan_match(m, at);
    if (n > have && !taco__buf_reserve(&s->ordinals, (n - have) * sizeof *ordinals, err)) {
        return NULL;
    }
    ordinals = (uint32_t *)(void *)s->ordinals.data;
    for (i = have; i < n; i++) {
        ordinals[i] = (uint32_t)i;
    }
    s->ordinals.len = TACO__MAX(have, n) * sizeof *ordinals;
    return ordinals;
}

TACO__FN size_t taco__scan_next(taco__scan *s, size_t max, bool read, const uint32_t **rows,
                                uint64_t *base, taco_error *err)
{
    size_t n, at;
    taco__scan_update_cache(s);
    if (s->delivered == s->filter.found.count && !taco__scan_find(s, err)) { return 0; }
    at = s->delivered;
    n = TACO__MIN(s->filter.found.count - at, max);
    n = read ? taco__scan_prepare_rows(s, n, err) : n;
    n = TACO__MIN(n, s->query.batch_rows);
    *rows = n ? taco__scan_numbers(s, at, n, base, err) : NULL;
    n = *rows ? n : 0;
    n = n && read ? taco__scan_read_rows(s, n, err) : n;
    s->delivered += n;
    return n;
}
