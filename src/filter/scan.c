/* scan.c - rows of a table that match: prune, read what the predicate needs, evaluate, read the
   rest. */
#include "filter.h"
#include "../base/base.h"
#include "../parquet/parquet.h"

#define TACO__SCAN_STRETCH 65536 /* rows that are evaluated for one batch, when few of them match */

/* Closes what tasks have, for good: their work, or the memory for it, did not do. */
TACO__FN void taco__scan_drop_tasks(taco__scan *s)
{
    size_t i;
    for (i = 0; s->probes && i < s->width; i++) {
        taco__scan_filter_close(s, &s->probes[i]);
    }
    for (i = 0; s->lanes && i < taco__scan_task_max_readers(s); i++) {
        taco__scan_reader *l = &s->lanes[i];
        taco__row_reader_close(&l->rows);
        taco__codecs_close(l->codecs, &l->own);
        taco__mem_task_merge(s->mem, &l->own);
        taco__mem_task_return_spares(s->mem, &l->own);
    }
    s->probes = NULL;
    s->lanes = NULL;
    s->parallel = NULL;
}

TACO__FN void taco__scan_close(taco__scan *s)
{
    taco__row_reader_close(&s->out);
    if (s->number) {
        taco__page_cache_commit(s->table->pq->mem, &s->table->pq->codecs->pending_pages);
        taco__page_cache_end_scan(s->table->pq->mem);
    }
    if (s->mem) {
        taco__scan_filter_close(s, &s->probe);
        taco__scan_drop_tasks(s);
        taco__scan_fetch_release(s, &s->held);
        taco__scan_fetch_release(s, &s->held_out);
        taco__bloom_close(&s->bloom);
        taco__buf_free(&s->spans);
        taco__buf_free(&s->fetch);
        taco__buf_free(&s->held);
        taco__buf_free(&s->held_out);
        taco__arena_free(&s->arena);
    }
    memset(s, 0, sizeof *s);
}

/* where and select are borrowed; out_columns are copied. batch_rows 0: as many as suit. */
TACO__FN bool taco__scan_open(taco__scan *s, const taco__table *t, const taco__expr *where,
                              const uint8_t *select, const size_t *out_columns, size_t out_count,
                              size_t batch_rows, taco__mem *mem, taco_error *err)
{
    size_t i;
    uint8_t *mask;
    memset(s, 0, sizeof *s);
    s->table = t;
    s->mem = s->arena.mem = s->spans.mem = s->fetch.mem = s->held.mem = mem;
    s->held_out.mem = mem;
    s->where = where;
    s->select = select;
    s->to = t->rows;
    s->parallel = t->pq && t->pq->options.parallel_for ? &t->pq->options : NULL;
    s->batch_rows = batch_rows ? batch_rows : TACO__BATCH_ROWS;
    s->width = s->parallel && s->parallel->parallel_width ? s->parallel->parallel_width : 4;
    s->width = TACO__MIN(s->width, (size_t)TACO__SCAN_TASKS);
    s->parallel = s->width > 1 ? s->parallel : NULL;
    s->ahead = t->pq && (s->parallel || t->pq->part.file->src.read_many);
    s->used = (size_t *)taco__arena_array(&s->arena, t->field_count + 1, sizeof *s->used, err);
    mask = (uint8_t *)taco__arena_alloc(&s->arena, TACO__BITMAP_BYTES(t->field_count) + 8, err);
    if (!s->used || !mask) {
        taco__scan_close(s);
        return false;
    }
    if (where) {
        taco__expr_mark_columns(where, mask);
        for (i = 0; i < t->field_count; i++) {
            if (taco__bitmap_get(mask, i)) { s->used[s->used_count++] = i; }
        }
    }
    if (!taco__scan_filter_open(s, &s->probe, mem, false, err) ||
        !taco__row_reader_open(&s->out, t, out_columns, out_count, mem, err)) {
        taco__scan_close(s);
        return false;
    }
    if (t->pq && t->pq->mem->cache.most > TACO__CACHED_PAGE_SIZE) {
        s->number = taco__page_cache_begin_scan(t->pq->mem);
        s->out.scan = s->probe.pred.scan = s->number;
    }
    return true;
}

/* Lets go of what was read for row groups that are done. */
TACO__FN void taco__scan_release_finished(taco__scan *s)
{
    taco__scan_fetch_release(s, &s->held_out);
    if (!s->keep || taco__scan_fetch_range_bytes(&s->held) > TACO__SCAN_AHEAD) {
        taco__scan_fetch_release(s, &s->held);
    }
}

/* Steps to the next row group that may have rows; false at the end. */
TACO__FN bool taco__scan_next_candidate(taco__scan *s, uint32_t *group, unsigned *may)
{
    while (s->group < taco__table_group_count(s->table)) {
        *group = s->group++;
        if (!taco__scan_prune_group_selected(s, *group)) { continue; }
        *may = taco__scan_prune_group(s, *group);
        s->counts.groups++;
        if (*may & TACO__MAY_TRUE) { return true; }
        s->counts.groups_pruned++;
    }
    return false;
}

/* Reads columns of n rows that were found, numbered from base on. */
TACO__FN bool taco__scan_read_rows(taco__row_reader *r, uint64_t base, const uint32_t *found,
                                   size_t n, taco_error *err)
{
    return found[n - 1] - found[0] == n - 1 /* they follow each other */
               ? taco__row_reader_read_range(r, base + found[0], n, err)
               : taco__row_reader_read(r, base, found, n, err);
}

/* Evaluates the window from s->at on, in pieces of about the same size, so many at a time. A local
   source's rows go out as soon as some are found, while the cache has them; behind a network they
   are all asked for in one round. */
static bool taco__scan_evaluate_window(taco__scan *s, taco_error *err)
{
    bool all = s->table->pq->part.file->src.read_many != NULL;
    while (s->at < s->end && (all || !s->probe.found.len)) {
        bool tasks = s->parallel && s->where && taco__scan_task_open_filters(s);
        size_t n = 0, before = s->probe.found.len;
        uint64_t begin = s->at, each = (s->end - s->at) / s->width + 1;
        each = TACO__MIN(TACO__MAX(each, (uint64_t)TACO__SCAN_DIVIDE), (uint64_t)TACO__SCAN_PIECE);
        do {
            taco__scan_filter *p = tasks ? &s->probes[n] : &s->probe;
            p->from = s->at;
            p->to = tasks && s->end - s->at > each
                        ? taco__scan_task_piece_end(s, s->at, s->at + each)
                        : s->end;
            s->at = p->to = TACO__MIN(p->to, s->end);
            n++;
        } while (tasks && s->at < s->end && n < s->width);
        if (!tasks) {
            if (!taco__scan_filter_rows(s, &s->probe, err)) { return false; }
        } else if (!taco__scan_task_run_filters(s, n)) {
            s->probe.found.len = before;
            s->at = begin;
        }
    }
    return true;
}

/* ---- one row group at a time
   -------------------------------------------------------------------- */

/* A local source is read as the pages come. Columns that are tested and also go out have two
   readers: their pages are held, so that no byte is read twice, unless they are too many for
   that. */
static bool taco__scan_prefetch_group(taco__scan *s, uint32_t group, taco_error *err)
{
    const taco__scan_span *x = (const taco__scan_span *)(const void *)s->spans.data;
    size_t i, k, n = 0, *both, bytes = (s->out.count + 1) * sizeof *both;
    taco__wanted_rows w;
    bool ok = true, test = false;
    if (!s->table->pq) { return true; }
    taco__scan_release_finished(s);
    memset(&w, 0, sizeof w);
    w.scan = s->number;
    w.spans = x;
    w.span_count = s->spans.len / sizeof *x;
    w.select = s->select;
    for (i = 0; i < w.span_count; i++) {
        test = test || !x[i].whole;
    }
    if (!s->where || !test) { return true; }
    taco__scan_fetch_mark_group(s, group, s->used, s->used_count);
    both = (size_t *)taco__mem_alloc(s->mem, bytes, err);
    for (i = 0; both && i < s->out.count; i++) {
        for (k = 0; k < s->used_count && s->used[k] != s->out.which[i]; k++) {}
        if (k < s->used_count) { both[n++] = s->out.which[i]; }
    }
    if (n && taco__scan_fetch_chunk_bytes(s->table, both, n, group, false) <= TACO__SCAN_AHEAD) {
        ok = taco__scan_fetch_add_chunks(s->table->pq, both, n, s->table->stored, group, &w,
                                         &s->fetch, err) &&
             taco__scan_fetch_ranges(s, &s->held, err);
    }
    taco__mem_free(s->mem, both, bytes);
    return both && ok;
}

/* Steps to the next row group that has rows to evaluate; *more false at the end. */
static bool taco__scan_next_group(taco__scan *s, bool *more, taco_error *err)
{
    uint32_t g;
    unsigned may;
    s->spans.len = 0;
    s->span_at = 0;
    while (taco__scan_next_candidate(s, &g, &may)) {
        if (s->table->pq && may != TACO__MAY_TRUE && !taco__scan_prune_by_bloom(s, g, &may, err)) {
            return taco__pq_file_fail_group(s->table->pq, g, err);
        }
        if (!(may & TACO__MAY_TRUE)) { continue; }
        if (!taco__scan_prune_by_page_index(s, g, may, err)) { return false; }
        if (s->spans.len &&
            (!taco__scan_prefetch_group(s, g, err) || !taco__scan_prune_by_dictionary(s, g, err))) {
            return false;
        }
        if (s->spans.len) {
            *more = true;
            return true;
        }
    }
    *more = false;
    return true;
}

/* Evaluates the next stretch of the row group. */
static bool taco__scan_evaluate_slice(taco__scan *s, taco_error *err)
{
    taco__scan_span *x = (taco__scan_span *)(void *)s->spans.data + s->span_at;
    taco__scan_span now = *x;
    now.n = TACO__MIN(now.n, (uint64_t)TACO__SCAN_SLICE);
    s->base = s->probe.found.len ? s->base : now.first;
    x->first += now.n;
    x->n -= now.n;
    s->span_at += x->n == 0;
    return taco__scan_filter_slice(s, &s->probe, now.first, (size_t)now.n, now.whole, err);
}

/* Whether further slices of the row group belong to the rows that were found: the fewer batches the
   better. */
static bool taco__scan_wants_more(const taco__scan *s)
{
    const taco__scan_span *x = (const taco__scan_span *)(const void *)s->spans.data + s->span_at;
    return s->probe.found.len / sizeof(uint32_t) < TACO__BATCH_ROWS / 2 &&
           s->span_at < s->spans.len / sizeof *x && !x->whole &&
           x->first - s->base < TACO__SCAN_STRETCH;
}

/* Finds further rows; false at the end and on failure. */
static bool taco__scan_find_rows(taco__scan *s, taco_error *err)
{
    bool more = true;
    s->probe.found.len = s->found_at = s->ready = s->task_batch_end = 0;
    while (s->probe.found.len == 0 || (!s->ahead && taco__scan_wants_more(s))) {
        if (s->ahead) {
            if (s->at == s->end && (s->group >= taco__table_group_count(s->table) ||
                                    !taco__scan_fetch_open_window(s, err))) {
                return false;
            }
            if (!taco__scan_evaluate_window(s, err)) { return false; }
        } else if (s->span_at == s->spans.len / sizeof(taco__scan_span)) {
            if (!taco__scan_next_group(s, &more, err) || !more) { return false; }
        } else if (!taco__scan_evaluate_slice(s, err)) {
            return false;
        }
    }
    return true;
}

/* Numbers of the next rows that match, ascending, counted from *base: at most max of them, 0 at the
   end and on failure. Their columns are in s->out.arrays afterwards when `read` is set. They live
   until the next call. */
TACO__FN size_t taco__scan_next(taco__scan *s, size_t max, bool read, const uint32_t **rows,
                                uint64_t *base, taco_error *err)
{
    const uint32_t *found;
    size_t n, count = s->probe.found.len / sizeof(uint32_t);
    if (s->number) {
        taco__page_cache_commit(s->table->pq->mem, &s->table->pq->codecs->pending_pages);
        taco__page_cache_set_room(s->table->pq->mem, &s->table->pq->codecs->pending_pages, 1);
    }
    if (s->found_at == count) {
        if (!taco__scan_find_rows(s, err)) { return 0; }
        count = s->probe.found.len / sizeof(uint32_t);
    }
    n = TACO__MIN(count - s->found_at, max);
    if (read && s->ahead) {
        if (s->ready <= s->found_at && !taco__scan_fetch_found_rows(s, s->found_at + n, err)) {
            return 0;
        }
        n = TACO__MIN(n, s->ready - s->found_at);
        if (s->task_batch_end <= s->found_at) {
            s->read_by_tasks = taco__scan_task_read_batch(s, s->found_at + n);
            s->task_batch_end = s->read_by_tasks ? s->task_batch_end : s->found_at + n;
        }
        n = TACO__MIN(n, s->task_batch_end - s->found_at);
    }
    n = TACO__MIN(n, s->batch_rows);
    found = (const uint32_t *)(const void *)s->probe.found.data + s->found_at;
    if (read && s->ahead && s->read_by_tasks) {
        n = taco__scan_task_deliver(s, n, err);
    } else if (read) {
        taco__scan_fetch_mark_output(s, s->base + found[0], s->base + found[n - 1]);
        if (!taco__scan_read_rows(&s->out, s->base, found, n, err)) { return 0; }
    }
    s->found_at += n;
    *rows = found;
    *base = s->base;
    return n;
}
