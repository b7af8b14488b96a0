/* scan_fetch.c - the bytes of a file that a scan needs, fetched in rounds

   In: row groups, columns and the rows needed (taco__row_selection). Out: the ranges of the file
   that contain them, fetched in one request per round and released after use. An offset index
   (parquet-format "PageIndex.md") locates the pages with these rows; without one the whole chunk is
   read. Pages in the cache (parquet/page_cache.c) are left out.

   Rounds of a vectored source, for a window of row groups (taco__scan_fetch_window):
   1. page indexes and bloom filters of tested columns that may spare pages;
   2. their pages in the spans that are left, with the offset indexes of output columns;
   3. the pages of output columns, once matches are known (taco__scan_fetch_matches).
   Of a local source without tasks nothing is fetched but columns that are both tested and output
   (taco__scan_fetch_group): the decoders read page by page. EXPLAIN gathers the same ranges and
   fetches only those of the first round.

   Start reading at taco__scan_fetch_add_chunk. */
#include "scan.h"
#include "../base/base.h"
#include "../parquet/parquet.h"

/* Sizes come from the file: larger ones are clamped to this, so that sums do not overflow. */
#define TACO__SCAN_FETCH_MAX_SIZE ((uint64_t)1 << 40)

/* The schema node of a column stored in the file; NULL if it is not. */
static const taco__pq_schema_node *taco__scan_fetch_node(const taco_pq_file *f, size_t column,
                                                         size_t stored)
{
    return column < stored ? &f->meta.nodes[column] : NULL;
}

/* ---- ranges ---- */

/* Adds a range of a file that may itself be part of another; does nothing for an empty one. */
TACO__FN bool taco__scan_fetch_add_range(taco__buf *ranges, const taco_pq_file *f, uint64_t offset,
                                         uint64_t len, taco_error *err)
{
    taco__range r;
    r.offset = f->part.base + offset;
    r.len = len;
    return !len || taco__buf_append(ranges, &r, sizeof r, err);
}

TACO__FN uint64_t taco__scan_fetch_range_bytes(const taco__buf *ranges)
{
    const taco__range *r = (const taco__range *)(const void *)ranges->data;
    size_t i;
    uint64_t total = 0;
    for (i = 0; i < ranges->len / sizeof *r; i++) {
        total += r[i].len;
    }
    return total;
}

/* Fetches the collected ranges, s->fetch.ranges, in one round and moves them to `fetched`. The
   collection is empty afterwards, even on failure. */
TACO__FN bool taco__scan_fetch_ranges(taco__scan *s, taco__buf *fetched, taco_error *err)
{
    taco__buf *ranges = &s->fetch.ranges;
    size_t n = ranges->len / sizeof(taco__range);
    const taco_pq_file *f = s->query.table->pq;
    bool ok = !n || (taco__buf_reserve(fetched, ranges->len, err) &&
                     taco__file_fetch(f->part.file, (const taco__range *)(const void *)ranges->data,
                                      n, err));
    if (ok && n) { taco__buf_append(fetched, ranges->data, ranges->len, NULL); } /* has room */
    ranges->len = 0;
    if (!ok) { return taco__pq_file_fail(f, err); }
    return true;
}

/* Releases all ranges in `fetched`. */
TACO__FN void taco__scan_fetch_release(taco__scan *s, taco__buf *fetched)
{
    const taco__range *r = (const taco__range *)(const void *)fetched->data;
    size_t i;
    for (i = 0; i < fetched->len / sizeof *r; i++) {
        taco__file_release(s->query.table->pq->part.file, r[i].offset, r[i].len);
    }
    fetched->len = 0;
}

/* Releases what was fetched for finished row groups. */
static void taco__scan_fetch_release_finished(taco__scan *s)
{
    taco__scan_fetch_release(s, &s->fetch.output);
    if (!s->fetch.keep_tested ||
        taco__scan_fetch_range_bytes(&s->fetch.tested) > TACO__SCAN_AHEAD) {
        taco__scan_fetch_release(s, &s->fetch.tested);
    }
}

/* ---- chunks ---- */

/* Size of the chunks of some columns in a row group, as stored or, with `plain`, uncompressed. For
   estimates. */
TACO__FN uint64_t taco__scan_fetch_chunk_bytes(const taco__table *t, const size_t *which,
                                               size_t count, uint32_t group, bool plain)
{
    uint64_t total = 0;
    size_t i;
    uint32_t k;
    for (i = 0; i < count; i++) {
        const taco__pq_schema_node *node = taco__scan_fetch_node(t->pq, which[i], t->stored);
        for (k = 0; node && k < node->leaf_count; k++) {
            const taco__pq_column_chunk *c = &t->pq->meta.groups[group].chunks[node->leaf + k];
            uint64_t size = plain ? c->uncompressed_size : c->pages.len;
            total += TACO__MIN(size, TACO__SCAN_FETCH_MAX_SIZE);
        }
    }
    return total;
}

/* Tells the cache which chunks of a row group are about to be read. */
static void taco__scan_fetch_mark_group(taco__scan *s, uint32_t group, const size_t *which,
                                        size_t count)
{
    taco_pq_file *f = s->query.table->pq;
    size_t i;
    uint32_t k;
    if (!TACO__WITH_CACHE || !s->query.cache_scan) { return; }
    f->has_cached = true;
    for (i = 0; i < count; i++) {
        const taco__pq_schema_node *node =
            taco__scan_fetch_node(f, which[i], s->query.table->stored);
        for (k = 0; node && k < node->leaf_count; k++) {
            taco__page_cache_mark(f->mem, &f->meta.groups[group].chunks[node->leaf + k],
                                  s->query.cache_scan);
        }
    }
}

/* The same for output columns, in the row groups of rows [first, last]. */
TACO__FN void taco__scan_fetch_mark_output(taco__scan *s, uint64_t first, uint64_t last)
{
    const taco__pq_metadata *m;
    uint32_t g, end;
    if (!TACO__WITH_CACHE || !s->query.cache_scan) { return; }
    m = &s->query.table->pq->meta;
    end = taco__footer_find_row_group(m, last) + 1;
    for (g = taco__footer_find_row_group(m, first); g < end; g++) {
        taco__scan_fetch_mark_group(s, g, s->out.which, s->out.count);
    }
}

/* Whether any of the numbers of a selection is in [first, end). */
static bool taco__scan_fetch_has_number(const taco__row_selection *w, uint64_t first, uint64_t end)
{
    size_t at = 0;
    TACO__LOWER_BOUND(at, w->row_count, i, w->base + w->rows[i] < first);
    return at < w->row_count && w->base + w->rows[at] < end;
}

/* Whether any row of [first, end) is needed. */
static bool taco__scan_fetch_is_needed(const taco__row_selection *w, uint64_t first, uint64_t end)
{
    size_t at = 0;
    if (w->rows) { return taco__scan_fetch_has_number(w, first, end); }
    TACO__LOWER_BOUND(at, w->span_count, i, w->spans[i].first + w->spans[i].n <= first);
    for (; at < w->span_count && w->spans[at].first < end; at++) {
        uint64_t a = TACO__MAX(first, w->spans[at].first),
                 b = TACO__MIN(end, w->spans[at].first + w->spans[at].n);
        if (!w->select || taco__bitmap_count(w->select, (size_t)a, (size_t)(b - a))) {
            return true;
        }
    }
    return false;
}

/* Whether a selection is known to be all rows of a row group. */
static bool taco__scan_fetch_is_whole_group(const taco__row_selection *w,
                                            const taco__pq_row_group *g)
{
    return !w->rows && !w->select && w->span_count == 1 &&
           w->spans[0].first == (uint64_t)g->first_row && w->spans[0].n == (uint64_t)g->rows;
}

/* Adds the pages with rows of the selection, joining neighbours, and before them the dictionary. k:
   the cached pages of the chunk, or NULL. */
static bool taco__scan_fetch_add_pages(const taco_pq_file *f, const taco__pq_row_group *g,
                                       const taco__pq_column_chunk *c,
                                       const taco__pq_offset_index *x, const taco__cached_chunk *k,
                                       const taco__row_selection *w, taco__buf *ranges,
                                       taco_error *err)
{
    uint64_t first = (uint64_t)g->first_row, from = 0, len = 0;
    const taco__cached_page *near = NULL;
    bool dictionary = !(k && k->first && k->first->at == c->pages.offset);
    size_t i;
    for (i = 0; i < x->pages; i++) {
        const taco__pq_page_location *p = &x->page[i];
        if ((k && taco__page_cache_find(k, &near, p->offset)) ||
            !taco__scan_fetch_is_needed(w, first + (uint64_t)p->first_row,
                                        first +
                                            taco__page_index_page_end(x, i, (uint64_t)g->rows))) {
            continue;
        }
        if (dictionary && !taco__scan_fetch_add_range(ranges, f, c->pages.offset,
                                                      x->page[0].offset - c->pages.offset, err)) {
            return false;
        }
        dictionary = false;
        if (len && from + len == p->offset) {
            len += p->size;
            continue;
        }
        if (!taco__scan_fetch_add_range(ranges, f, from, len, err)) { return false; }
        from = p->offset;
        len = p->size;
    }
    return taco__scan_fetch_add_range(ranges, f, from, len, err);
}

/* Adds the bytes of one chunk for the rows of the selection. The offset index, read if it was not
   before, is not needed if all rows are needed and none of the pages is cached. */
static bool taco__scan_fetch_add_chunk(taco_pq_file *f, uint32_t group, uint32_t leaf,
                                       const taco__row_selection *w, taco__buf *ranges,
                                       taco_error *err)
{
    const taco__pq_row_group *g = &f->meta.groups[group];
    const taco__pq_column_chunk *c = &g->chunks[leaf];
    const taco__cached_chunk *k =
        w->cache_scan && c->cached && c->cached->scan >= w->cache_scan ? c->cached : NULL;
    const taco__pq_offset_index *x = NULL;
    bool ok = true;
    if (k && k->complete) { return true; }
    if ((k && k->first) || !taco__scan_fetch_is_whole_group(w, g)) {
        x = taco__page_index_offsets(f, group, leaf, &ok, err);
    }
    if (!ok) { return taco__pq_file_fail_group(f, group, err); }
    return x ? taco__scan_fetch_add_pages(f, g, c, x, k, w, ranges, err)
             : taco__scan_fetch_add_range(ranges, f, c->pages.offset, c->pages.len, err);
}

/* Adds the ranges of one row group for the columns which[0..count); those from `stored` on are not
   in the file. */
TACO__FN bool taco__scan_fetch_add_chunks(taco_pq_file *f, const size_t *which, size_t count,
                                          size_t stored, uint32_t group,
                                          const taco__row_selection *rows, taco__buf *ranges,
                                          taco_error *err)
{
    size_t i;
    uint32_t k;
    for (i = 0; i < count; i++) {
        const taco__pq_schema_node *node = taco__scan_fetch_node(f, which[i], stored);
        for (k = 0; node && k < node->leaf_count; k++) {
            if (!taco__scan_fetch_add_chunk(f, group, node->leaf + k, rows, ranges, err)) {
                return false;
            }
        }
    }
    return true;
}

/* The same for the columns that a scan tests. */
TACO__FN bool taco__scan_fetch_add_tested(const taco__scan *s, uint32_t group,
                                          const taco__row_selection *rows, taco__buf *ranges,
                                          taco_error *err)
{
    const taco__table *t = s->query.table;
    return taco__scan_fetch_add_chunks(t->pq, s->query.tested, s->query.tested_count, t->stored,
                                       group, rows, ranges, err);
}

/* The same for its output columns. */
TACO__FN bool taco__scan_fetch_add_output(const taco__scan *s, uint32_t group,
                                          const taco__row_selection *rows, taco__buf *ranges,
                                          taco_error *err)
{
    const taco__table *t = s->query.table;
    return taco__scan_fetch_add_chunks(t->pq, s->out.which, s->out.count, t->stored, group, rows,
                                       ranges, err);
}

/* ---- indexes ---- */

/* Adds the offset index of a chunk, unless it has been read or would not help. */
static bool taco__scan_fetch_add_offset_index(taco__scan *s, uint32_t group, uint32_t leaf,
                                              taco_error *err)
{
    taco_pq_file *f = s->query.table->pq;
    const taco__pq_column_chunk *c = &f->meta.groups[group].chunks[leaf];
    return !taco__page_index_is_useful(c) || taco__page_index_has_offsets(f, group, leaf) ||
           taco__scan_fetch_add_range(&s->fetch.ranges, f, c->offset_index.offset,
                                      c->offset_index.len, err);
}

/* Adds what may prune pages of one tested column: its page index, and its bloom filter if that is
   small. */
static bool taco__scan_fetch_add_column_index(taco__scan *s, uint32_t group, size_t column,
                                              taco_error *err)
{
    taco_pq_file *f = s->query.table->pq;
    uint32_t leaf = taco__scan_prune_flat_leaf(s->query.table, column);
    const taco__pq_column_chunk *c;
    if (leaf == UINT32_MAX) { return true; }
    c = &f->meta.groups[group].chunks[leaf];
    if (taco__page_index_is_useful(c) && !taco__page_index_has_offsets(f, group, leaf) &&
        (!taco__scan_fetch_add_offset_index(s, group, leaf, err) ||
         (c->column_index.len < c->pages.len &&
          !taco__scan_fetch_add_range(&s->fetch.ranges, f, c->column_index.offset,
                                      c->column_index.len, err)))) {
        return false;
    }
    return c->bloom.len == UINT64_MAX || c->bloom.len >= c->pages.len / 2 ||
           !taco__scan_prune_has_bloom(s, group, column) ||
           taco__scan_fetch_add_range(&s->fetch.ranges, f, c->bloom.offset, c->bloom.len, err);
}

/* Adds the page indexes and bloom filters of a row group's tested columns. */
static bool taco__scan_fetch_add_filter_index(taco__scan *s, uint32_t group, taco_error *err)
{
    size_t i;
    for (i = 0; i < s->query.tested_count; i++) {
        if (!taco__scan_fetch_add_column_index(s, group, s->query.tested[i], err)) { return false; }
    }
    return true;
}

/* Adds the offset indexes of a row group's output columns. */
static bool taco__scan_fetch_add_output_index(taco__scan *s, uint32_t group, taco_error *err)
{
    const taco__table *t = s->query.table;
    size_t i;
    uint32_t k;
    for (i = 0; i < s->out.count; i++) {
        const taco__pq_schema_node *node = taco__scan_fetch_node(t->pq, s->out.which[i], t->stored);
        for (k = 0; node && k < node->leaf_count; k++) {
            if (!taco__scan_fetch_add_offset_index(s, group, node->leaf + k, err)) { return false; }
        }
    }
    return true;
}

/* Collects what is fetched for a window before any page: indexes that may prune pages if statistics
   have not decided, and with `output` the offset indexes of output columns. */
TACO__FN bool taco__scan_fetch_add_indexes(taco__scan *s, const taco__scan_window *w, bool output,
                                           taco_error *err)
{
    size_t i;
    for (i = 0; i < w->count; i++) {
        if ((s->query.where && w->outcomes[i] != TACO__MAY_TRUE && !s->plan.unpruned &&
             !taco__scan_fetch_add_filter_index(s, w->groups[i], err)) ||
            (output && !taco__scan_fetch_add_output_index(s, w->groups[i], err))) {
            return false;
        }
    }
    return true;
}

/* ---- one row group at a time ---- */

/* Fetches the columns of a row group that are both tested and output, so that their two readers do
   not read a byte twice, unless they are too large. */
static bool taco__scan_fetch_both(taco__scan *s, uint32_t group, const taco__row_selection *rows,
                                  taco_error *err)
{
    const taco__scan_query *q = &s->query;
    size_t i, k, n = 0, bytes = (s->out.count + 1) * sizeof(size_t);
    size_t *both = (size_t *)taco__mem_alloc(s->mem, bytes, err);
    bool ok = both != NULL;
    for (i = 0; both && i < s->out.count; i++) {
        for (k = 0; k < q->tested_count && q->tested[k] != s->out.which[i]; k++) {}
        if (k < q->tested_count) { both[n++] = s->out.which[i]; }
    }
    if (n && taco__scan_fetch_chunk_bytes(q->table, both, n, group, false) <= TACO__SCAN_AHEAD) {
        ok = taco__scan_fetch_add_chunks(q->table->pq, both, n, q->table->stored, group, rows,
                                         &s->fetch.ranges, err) &&
             taco__scan_fetch_ranges(s, &s->fetch.tested, err);
    }
    taco__mem_free(s->mem, both, bytes);
    return ok;
}

/* Prepares to read the spans of a row group from a local source. */
TACO__FN bool taco__scan_fetch_group(taco__scan *s, uint32_t group, taco_error *err)
{
    taco__row_selection rows;
    size_t at = 0;
    if (!s->query.table->pq) { return true; }
    taco__scan_fetch_release_finished(s);
    if (!taco__scan_plan_group_rows(s, group, &at, &rows)) { return true; }
    taco__scan_fetch_mark_group(s, group, s->query.tested, s->query.tested_count);
    return !TACO__WITH_READ_AHEAD || taco__scan_fetch_both(s, group, &rows, err);
}

/* ---- a window of row groups ---- */

/* Fetches the pages of tested columns in the spans, and the offset indexes that output columns will
   need. */
static bool taco__scan_fetch_spans(taco__scan *s, const taco__scan_window *w, taco_error *err)
{
    taco__row_selection rows;
    size_t i, at = 0;
    for (i = 0; i < w->count; i++) {
        uint32_t g = w->groups[i];
        if (!taco__scan_plan_group_rows(s, g, &at, &rows)) { continue; }
        taco__scan_fetch_mark_group(s, g, s->query.tested, s->query.tested_count);
        if (!taco__scan_fetch_add_tested(s, g, &rows, &s->fetch.ranges, err) ||
            !taco__scan_fetch_add_output_index(s, g, err)) {
            return false;
        }
    }
    return taco__scan_fetch_ranges(s, &s->fetch.tested, err);
}

/* Opens the next window of row groups: first fetches the indexes and filters that may prune pages,
   then the pages of tested columns in one round. The rows to evaluate are [plan.next_row,
   plan.end_row), none at the end of the table. */
TACO__FN bool taco__scan_fetch_window(taco__scan *s, taco_error *err)
{
    uint32_t groups[TACO__SCAN_WINDOW_GROUPS];
    uint8_t outcomes[TACO__SCAN_WINDOW_GROUPS];
    taco__scan_window w;
    const taco__scan_span *x;
    w.groups = groups;
    w.outcomes = outcomes;
    taco__scan_fetch_release_finished(s);
    taco__scan_plan_window(s, &w);
    if (!w.count) { return true; }
    s->base = taco__table_group_first_row(s->query.table, groups[0]);
    if (!taco__scan_fetch_add_indexes(s, &w, false, err) ||
        !taco__scan_fetch_ranges(s, &s->fetch.tested, err) || !taco__scan_plan_rows(s, &w, err)) {
        return false;
    }
    if (!s->plan.spans.len) { return true; }
    x = (const taco__scan_span *)(const void *)s->plan.spans.data;
    s->plan.next_row = x[0].first;
    x += s->plan.spans.len / sizeof *x - 1;
    s->plan.end_row = x->first + x->n;
    return taco__scan_fetch_spans(s, &w, err);
}

/* ---- output columns ---- */

/* Selects the matches from fetch.ready on that are in a row group; uses *span if they are a run.
   Returns the first match after them. */
static size_t taco__scan_fetch_select_matches(const taco__scan *s, uint32_t group, size_t end,
                                              taco__row_selection *rows, taco__scan_span *span)
{
    const taco__table *t = s->query.table;
    const taco__scan_matches *m = &s->filter.found;
    size_t from = s->fetch.ready;
    uint64_t stop = taco__table_group_first_row(t, group) + taco__table_group_rows(t, group);
    size_t to = taco__scan_matches_lower_bound(m, from, end, stop - s->base);
    memset(rows, 0, sizeof *rows);
    rows->cache_scan = s->query.cache_scan;
    if (m->is_run) {
        span->first = s->base + taco__scan_match(m, from);
        span->n = to - from;
        span->all_match = true;
        rows->spans = span;
        rows->span_count = 1;
    } else {
        rows->rows = (const uint32_t *)(const void *)m->numbers.data + from;
        rows->row_count = to - from;
        rows->base = s->base;
    }
    return to;
}

/* Whether to add another row group to the round: until it reaches the size to fetch ahead, and with
   tasks also until each has a row group. */
static bool taco__scan_fetch_wants_group(const taco__scan *s, size_t groups)
{
    uint64_t most =
        s->query.table->pq->part.file->src.read_many ? TACO__SCAN_AHEAD : TACO__SCAN_AHEAD_LOCAL;
    return (s->tasks.host && groups % s->tasks.width) ||
           taco__scan_fetch_range_bytes(&s->fetch.ranges) <= most;
}

/* Fetches the output columns of matches up to the n-th, for as many row groups as may be fetched
   ahead; fetch.ready becomes the match after them. */
TACO__FN bool taco__scan_fetch_matches(taco__scan *s, size_t n, taco_error *err)
{
    const taco__scan_matches *m = &s->filter.found;
    taco__row_selection rows;
    taco__scan_span span;
    size_t groups, end;
    s->fetch.ready = s->delivered;
    taco__scan_fetch_release(s, &s->fetch.output);
    for (groups = 0; s->fetch.ready < n && taco__scan_fetch_wants_group(s, groups); groups++) {
        uint32_t g = taco__footer_find_row_group(&s->query.table->pq->meta,
                                                 s->base + taco__scan_match(m, s->fetch.ready));
        end = taco__scan_fetch_select_matches(s, g, n, &rows, &span);
        taco__scan_fetch_mark_group(s, g, s->out.which, s->out.count);
        if (!taco__scan_fetch_add_output(s, g, &rows, &s->fetch.ranges, err)) { return false; }
        s->fetch.ready = end;
    }
    return taco__scan_fetch_ranges(s, &s->fetch.output, err);
}
