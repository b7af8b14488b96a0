/* scan_fetch.c - rows of a table that match: prune, read what the predicate needs, evaluate, read
   the rest. */
#include "filter.h"
#include "../base/base.h"
#include "../parquet/parquet.h"

TACO__FN void taco__scan_fetch_release(taco__scan *s, taco__buf *held)
{
    const taco__range *r = (const taco__range *)(const void *)held->data;
    size_t i;
    for (i = 0; i < held->len / sizeof *r; i++) {
        taco__file_release(s->table->pq->part.file, r[i].offset, r[i].len);
    }
    held->len = 0;
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

/* Bytes of the chunks of some columns in a row group; as they are stored, or plain. */
TACO__FN uint64_t taco__scan_fetch_chunk_bytes(const taco__table *t, const size_t *which,
                                               size_t count, uint32_t group, bool plain)
{
    uint64_t total = 0;
    size_t i;
    uint32_t k;
    for (i = 0; i < count; i++) {
        const taco__pq_schema_node *node =
            which[i] < t->stored ? &t->pq->meta.nodes[which[i]] : NULL;
        for (k = 0; node && k < node->leaf_count; k++) {
            const taco__pq_column_chunk *c = &t->pq->meta.groups[group].chunks[node->leaf + k];
            uint64_t size = plain ? c->uncompressed_size : c->pages.len;
            total += TACO__MIN(size, (uint64_t)1 << 40);
        }
    }
    return total;
}

/* Says which columns of a row group are about to be read. */
TACO__FN void taco__scan_fetch_mark_group(taco__scan *s, uint32_t group, const size_t *which,
                                          size_t count)
{
    taco_pq_file *f = s->table->pq;
    size_t i;
    uint32_t k;
    if (!s->number) { return; }
    f->has_cached = true;
    for (i = 0; i < count; i++) {
        const taco__pq_schema_node *node =
            which[i] < s->table->stored ? &f->meta.nodes[which[i]] : NULL;
        for (k = 0; node && k < node->leaf_count; k++) {
            taco__page_cache_mark(f->mem, &f->meta.groups[group].chunks[node->leaf + k], s->number);
        }
    }
}

/* The same of those that go out, for rows of several row groups. */
TACO__FN void taco__scan_fetch_mark_output(taco__scan *s, uint64_t first, uint64_t last)
{
    uint32_t g, end = s->number ? taco__footer_find_row_group(&s->table->pq->meta, last) + 1 : 0;
    for (g = end ? taco__footer_find_row_group(&s->table->pq->meta, first) : 0; g < end; g++) {
        taco__scan_fetch_mark_group(s, g, s->out.which, s->out.count);
    }
}

/* Whether any row of [first, end) is wanted. */
static bool taco__scan_fetch_is_wanted(const taco__wanted_rows *w, uint64_t first, uint64_t end)
{
    size_t lo = 0, hi = w->rows ? w->row_count : w->span_count;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        uint64_t last =
            w->rows ? w->base + w->rows[mid] : w->spans[mid].first + w->spans[mid].n - 1;
        if (last < first) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    if (w->rows) { return lo < w->row_count && w->base + w->rows[lo] < end; }
    for (; lo < w->span_count && w->spans[lo].first < end; lo++) {
        uint64_t a = TACO__MAX(first, w->spans[lo].first),
                 b = TACO__MIN(end, w->spans[lo].first + w->spans[lo].n);
        if (!w->select || taco__bitmap_count(w->select, (size_t)a, (size_t)(b - a))) {
            return true;
        }
    }
    return false;
}

TACO__FN bool taco__scan_fetch_add_range(taco__buf *ranges, const taco_pq_file *f, uint64_t offset,
                                         uint64_t len, taco_error *err)
{
    taco__range r;
    r.offset = f->part.base + offset;
    r.len = len;
    return !len || taco__buf_append(ranges, &r, sizeof r, err);
}

/* The bytes of one chunk that hold wanted rows: pages by its offset index, with the dictionary, or
   all. */
static bool taco__scan_fetch_add_chunk(taco_pq_file *f, uint32_t group, uint32_t leaf,
                                       const taco__wanted_rows *w, taco__buf *ranges,
                                       taco_error *err)
{
    const taco__pq_row_group *g = &f->meta.groups[group];
    const taco__pq_column_chunk *c = &g->chunks[leaf];
    const taco__pq_offset_index *x;
    uint64_t first = (uint64_t)g->first_row, from = 0, len = 0;
    size_t i;
    bool ok = true, any = false;
    bool all = !w->rows && !w->select && w->span_count == 1 && w->spans[0].first == first &&
               w->spans[0].n == (uint64_t)g->rows;
    const taco__cached_chunk *k = w->scan && c->cached && c->cached->scan >= w->scan ? c->cached : NULL;
    const taco__cached_page *near = NULL;
    if (k && k->complete) { return true; }
    x = all ? NULL : taco__page_index_offsets(f, group, leaf, &ok, err);
    if (!ok) { return taco__pq_file_fail_group(f, group, err); }
    if (!x) { return taco__scan_fetch_add_range(ranges, f, c->pages.offset, c->pages.len, err); }
    for (i = 0; i < x->pages; i++) {
        const taco__pq_page_location *p = &x->page[i];
        if ((k && taco__page_cache_find(k, &near, p->offset)) ||
            !taco__scan_fetch_is_wanted(w, first + (uint64_t)p->first_row,
                                        first +
                                            taco__page_index_page_end(x, i, (uint64_t)g->rows))) {
            continue;
        }
        if (!any && !(k && k->first && k->first->at == c->pages.offset) &&
            !taco__scan_fetch_add_range(ranges, f, c->pages.offset,
                                        x->page[0].offset - c->pages.offset, err)) {
            return false;
        }
        any = true;
        if (len && from + len == p->offset) {
            len += p->size;
        } else {
            if (!taco__scan_fetch_add_range(ranges, f, from, len, err)) { return false; }
            from = p->offset;
            len = p->size;
        }
    }
    return taco__scan_fetch_add_range(ranges, f, from, len, err);
}

/* Adds what the columns `which` need of one row group. */
TACO__FN bool taco__scan_fetch_add_chunks(taco_pq_file *f, const size_t *which, size_t count,
                                          size_t stored, uint32_t group, const taco__wanted_rows *w,
                                          taco__buf *ranges, taco_error *err)
{
    size_t i;
    uint32_t k;
    for (i = 0; i < count; i++) {
        const taco__pq_schema_node *node = which[i] < stored ? &f->meta.nodes[which[i]] : NULL;
        for (k = 0; node && k < node->leaf_count; k++) {
            if (!taco__scan_fetch_add_chunk(f, group, node->leaf + k, w, ranges, err)) {
                return false;
            }
        }
    }
    return true;
}

/* Reads the ranges gathered in s->fetch in one round; `held` lets go of them. */
TACO__FN bool taco__scan_fetch_ranges(taco__scan *s, taco__buf *held, taco_error *err)
{
    size_t n = s->fetch.len / sizeof(taco__range);
    bool ok = !n || (taco__buf_reserve(held, s->fetch.len, err) &&
                     taco__file_fetch(s->table->pq->part.file,
                                      (const taco__range *)(const void *)s->fetch.data, n, err) &&
                     taco__buf_append(held, s->fetch.data, s->fetch.len, err));
    s->fetch.len = 0;
    return ok;
}

/* ---- several row groups at a time
   --------------------------------------------------------------- */

/* What is read before any page: page indexes of the predicate's columns and small bloom filters, of
   one row group. */
TACO__FN bool taco__scan_fetch_add_filter_index(taco__scan *s, uint32_t group, taco_error *err)
{
    taco_pq_file *f = s->table->pq;
    size_t i;
    for (i = 0; i < s->used_count; i++) {
        uint32_t leaf = taco__scan_prune_flat_leaf(s->table, s->used[i]);
        const taco__pq_column_chunk *c =
            &f->meta.groups[group].chunks[leaf == UINT32_MAX ? 0 : leaf];
        if (leaf == UINT32_MAX) { continue; }
        if (taco__page_index_is_useful(c) && !taco__page_index_has_offsets(f, group, leaf) &&
            (!taco__scan_fetch_add_range(&s->fetch, f, c->offset_index.offset, c->offset_index.len,
                                         err) ||
             (c->column_index.len < c->pages.len &&
              !taco__scan_fetch_add_range(&s->fetch, f, c->column_index.offset,
                                          c->column_index.len, err)))) {
            return false;
        }
        if (c->bloom.len != UINT64_MAX && c->bloom.len < c->pages.len / 2 &&
            taco__scan_prune_has_bloom(s, group, s->used[i]) &&
            !taco__scan_fetch_add_range(&s->fetch, f, c->bloom.offset, c->bloom.len, err)) {
            return false;
        }
    }
    return true;
}

/* Offset indexes of the columns that go out: they come with the predicate's pages. */
TACO__FN bool taco__scan_fetch_add_output_index(taco__scan *s, uint32_t group, taco_error *err)
{
    taco_pq_file *f = s->table->pq;
    size_t i;
    uint32_t k;
    for (i = 0; i < s->out.count; i++) {
        const taco__pq_schema_node *node =
            s->out.which[i] < s->table->stored ? &f->meta.nodes[s->out.which[i]] : NULL;
        for (k = 0; node && k < node->leaf_count; k++) {
            const taco__pq_column_chunk *c = &f->meta.groups[group].chunks[node->leaf + k];
            if (taco__page_index_is_useful(c) &&
                !taco__page_index_has_offsets(f, group, node->leaf + k) &&
                !taco__scan_fetch_add_range(&s->fetch, f, c->offset_index.offset,
                                            c->offset_index.len, err)) {
                return false;
            }
        }
    }
    return true;
}

/* Row groups of the next window; n of them with what statistics leave of each. */
static size_t taco__scan_fetch_window_groups(taco__scan *s, uint32_t *groups, uint8_t *may)
{
    uint64_t bytes = 0;
    size_t n = 0;
    unsigned m;
    size_t most = s->where || s->table->pq->part.file->src.read_many
                      ? (size_t)TACO__SCAN_GROUPS
                      : s->width; /* there is nothing to be found: as many as tasks read */
    while (n < most && taco__scan_next_candidate(s, &groups[n], &m)) {
        uint32_t g = groups[n];
        if (n && (bytes > TACO__SCAN_AHEAD ||
                  taco__table_group_first_row(s->table, g) + taco__table_group_rows(s->table, g) -
                          taco__table_group_first_row(s->table, groups[0]) >
                      INT32_MAX)) {
            s->group = g;
            s->counts.groups--;
            break;
        }
        may[n++] = (uint8_t)m;
        bytes += s->where && m != TACO__MAY_TRUE
                     ? taco__scan_fetch_chunk_bytes(s->table, s->used, s->used_count, g, false)
                     : taco__scan_fetch_chunk_bytes(s->table, s->out.which, s->out.count, g, false);
    }
    return n;
}

/* Fetches the predicate's pages of the spans, and the indexes that the columns which go out need
   later. */
static bool taco__scan_fetch_spans(taco__scan *s, const uint32_t *groups, size_t n, taco_error *err)
{
    const taco__scan_span *x = (const taco__scan_span *)(const void *)s->spans.data;
    size_t i, k = 0, end, count = s->spans.len / sizeof *x;
    taco__wanted_rows w;
    memset(&w, 0, sizeof w);
    w.scan = s->number;
    w.select = s->select;
    for (i = 0; i < n; i++) {
        uint64_t stop = taco__table_group_first_row(s->table, groups[i]) +
                        taco__table_group_rows(s->table, groups[i]);
        bool test = false;
        for (end = k; end < count && x[end].first < stop; end++) {
            test = test || (s->where && !x[end].whole);
        }
        w.spans = x + k;
        w.span_count = end - k;
        if (end > k && test) { taco__scan_fetch_mark_group(s, groups[i], s->used, s->used_count); }
        if (end > k && test &&
            (!taco__scan_fetch_add_chunks(s->table->pq, s->used, s->used_count, s->table->stored,
                                          groups[i], &w, &s->fetch, err) ||
             !taco__scan_fetch_add_output_index(s, groups[i], err))) {
            return false;
        }
        for (; k < end && x[k].first + x[k].n <= stop; k++) {}
    }
    return taco__scan_fetch_ranges(s, &s->held, err);
}

/* Opens a window of row groups to be evaluated: the predicate's pages come in one round, before it
   those indexes and filters that may spare some. */
TACO__FN bool taco__scan_fetch_open_window(taco__scan *s, taco_error *err)
{
    uint32_t groups[TACO__SCAN_GROUPS];
    uint8_t may[TACO__SCAN_GROUPS];
    size_t i, n, kept = 0;
    const taco__scan_span *x;
    taco__scan_release_finished(s);
    s->spans.len = 0;
    s->span_at = 0;
    n = taco__scan_fetch_window_groups(s, groups, may);
    for (i = 0; i < n; i++) {
        if (s->where && may[i] != TACO__MAY_TRUE && !s->unpruned &&
            !taco__scan_fetch_add_filter_index(s, groups[i], err)) {
            return false;
        }
    }
    if (!n || !taco__scan_fetch_ranges(s, &s->held, err)) { return !n; }
    s->base = taco__table_group_first_row(s->table, groups[0]);
    for (i = 0; i < n; i++) {
        unsigned m = may[i];
        if (m != TACO__MAY_TRUE && !taco__scan_prune_by_bloom(s, groups[i], &m, err)) {
            return taco__pq_file_fail_group(s->table->pq, groups[i], err);
        }
        if (!(m & TACO__MAY_TRUE)) { continue; }
        if (!taco__scan_prune_by_page_index(s, groups[i], m, err)) { return false; }
        groups[kept++] = groups[i];
    }
    if (!s->spans.len) { return true; }
    x = (const taco__scan_span *)(const void *)s->spans.data;
    s->at = x[0].first;
    x += s->spans.len / sizeof *x - 1;
    s->end = x->first + x->n;
    return taco__scan_fetch_spans(s, groups, kept, err);
}

/* Fetches the columns that go out for rows that were found, up to the n-th: those of as many row
   groups as may be held. */
TACO__FN bool taco__scan_fetch_found_rows(taco__scan *s, size_t n, taco_error *err)
{
    const uint32_t *found = (const uint32_t *)(const void *)s->probe.found.data;
    size_t groups;
    taco__wanted_rows w;
    uint64_t most = s->table->pq->part.file->src.read_many ? TACO__SCAN_AHEAD : TACO__SCAN_LOCAL;
    memset(&w, 0, sizeof w);
    w.scan = s->number;
    w.base = s->base;
    s->ready = s->found_at;
    taco__scan_fetch_release(s, &s->held_out);
    for (groups = 0; s->ready < n && ((s->parallel && groups % s->width) ||
                                      taco__scan_fetch_range_bytes(&s->fetch) <= most);
         groups++) {
        uint32_t g = taco__footer_find_row_group(&s->table->pq->meta, s->base + found[s->ready]);
        uint64_t stop =
            taco__table_group_first_row(s->table, g) + taco__table_group_rows(s->table, g);
        size_t lo = s->ready, hi = n;
        while (lo < hi) {
            size_t mid = lo + (hi - lo) / 2;
            if (s->base + found[mid] < stop) {
                lo = mid + 1;
            } else {
                hi = mid;
            }
        }
        w.rows = found + s->ready;
        w.row_count = lo - s->ready;
        taco__scan_fetch_mark_group(s, g, s->out.which, s->out.count);
        if (!taco__scan_fetch_add_chunks(s->table->pq, s->out.which, s->out.count, s->table->stored,
                                         g, &w, &s->fetch, err)) {
            return false;
        }
        s->ready = lo;
    }
    return taco__scan_fetch_ranges(s, &s->held_out, err);
}
