/* scan_parallel.c - rows of a table that match: prune, read what the predicate needs, evaluate,
   read the rest. */
#include "filter.h"
#include "../base/base.h"
#include "../arrow/arrow.h"
#include "../parquet/parquet.h"

/* Lanes are one more than tasks at the same time: the largest of the last ones is cut in two, so
   that all end together. */
TACO__FN size_t taco__scan_task_max_readers(const taco__scan *s)
{
    return s->width + 1;
}

/* ---- tasks
   -------------------------------------------------------------------------------------- */

typedef struct taco__scan_task_arg {
    taco__scan *s;
} taco__scan_task_arg;

static void taco__scan_task_run_filter(void *arg, size_t i)
{
    taco__scan *s = ((taco__scan_task_arg *)arg)->s;
    taco__scan_filter *p = &s->probes[i];
    p->ok = taco__scan_filter_rows(s, p, &p->err);
}

static void taco__scan_task_run_reader(void *arg, size_t i)
{
    taco__scan *s = ((taco__scan_task_arg *)arg)->s;
    taco__scan_reader *l = &s->lanes[i];
    l->ok = taco__scan_read_rows(&l->rows, s->base,
                                 (const uint32_t *)(const void *)s->probe.found.data + l->first,
                                 l->n, &l->err);
    if (l->ok && s->also) { s->also(s->reader_done_ctx, i); }
}

static void taco__scan_task_run_all(taco__scan *s, void (*task)(void *, size_t), size_t n,
                                    taco__scan_task_arg *w)
{
    s->table->pq->part.file->cached_only = true;
    s->parallel->parallel_for(s->parallel->parallel_ctx, n, task, w);
    s->table->pq->part.file->cached_only = false;
}

/* Runs the pieces that were cut off, and gathers what they found; false when one failed: then they
   are done over in the calling thread, which reads what was not held and fails where it always
   does. */
TACO__FN bool taco__scan_task_run_filters(taco__scan *s, size_t n)
{
    taco__scan_task_arg w;
    taco_error e;
    size_t i;
    bool ok = true;
    memset(&w, 0, sizeof w);
    memset(&e, 0, sizeof e);
    w.s = s;
    for (i = 0; i < n; i++) {
        taco__mem_task_begin(s->mem, &s->probes[i].own, n);
        taco__page_cache_set_room(s->table->pq->mem, &s->probes[i].codecs->pending_pages, n);
        s->probes[i].pred.scan = s->number;
        memset(&s->probes[i].err, 0, sizeof s->probes[i].err);
        s->probes[i].found.len = 0;
        s->probes[i].dictionary_pruned = 0;
    }
    taco__scan_task_run_all(s, taco__scan_task_run_filter, n, &w);
    for (i = 0; i < n; i++) {
        taco__mem_task_merge(s->mem, &s->probes[i].own);
        taco__page_cache_commit(s->table->pq->mem, &s->probes[i].codecs->pending_pages);
        ok = ok && s->probes[i].ok;
    }
    for (i = 0; ok && i < n; i++) {
        const taco__scan_filter *p = &s->probes[i];
        s->probe.written = 0;
        ok = taco__buf_append(&s->probe.found, p->found.data, p->found.len, &e);
        s->counts.dictionary_pruned += p->dictionary_pruned;
    }
    if (!ok) { taco__scan_drop_tasks(s); }
    return ok;
}

TACO__FN bool taco__scan_task_open_filters(taco__scan *s)
{
    taco_error e;
    size_t i;
    memset(&e, 0, sizeof e);
    if (!s->probes) {
        s->probes =
            (taco__scan_filter *)taco__arena_array(&s->arena, s->width, sizeof *s->probes, &e);
        for (i = 0; s->probes && i < s->width; i++) {
            taco__mem_task_begin(s->mem, &s->probes[i].own, 1);
            taco__mem_task_take_spares(s->mem, &s->probes[i].own, 1 + (unsigned)i, s->width * 3);
            if (!taco__scan_filter_open(s, &s->probes[i], &s->probes[i].own, true, &e)) {
                e.code = TACO_ERR_MEMORY;
            }
            taco__mem_task_merge(s->mem, &s->probes[i].own);
        }
    }
    if (e.code != TACO_OK) { /* not enough memory for them */
        taco__scan_drop_tasks(s);
    }
    return s->probes != NULL;
}

/* Whether two tasks that share the rows of a row group do little twice: of each column the page at
   the cut. */
static bool taco__scan_task_pays_to_divide(const taco__scan *s, const size_t *which, size_t count,
                                           uint32_t group)
{
    const taco_pq_file *f = s->table->pq;
    uint64_t once = 0, twice = 0;
    size_t i;
    uint32_t k;
    for (i = 0; i < count; i++) {
        const taco__pq_schema_node *node =
            which[i] < s->table->stored ? &f->meta.nodes[which[i]] : NULL;
        for (k = 0; node && k < node->leaf_count; k++) {
            const taco__pq_column_chunk *c = &f->meta.groups[group].chunks[node->leaf + k];
            once += TACO__MIN(c->uncompressed_size, (uint64_t)1 << 40);
            twice +=
                c->cached && c->cached->complete ? 0 : TACO__MIN(c->uncompressed_size, TACO__SCAN_SHARED);
        }
    }
    return twice <= once / 8;
}

/* Where a piece from row `at` on ends that should end at `want`: there, or where a row group
   does. */
TACO__FN uint64_t taco__scan_task_piece_end(const taco__scan *s, uint64_t at, uint64_t want)
{
    const taco__pq_metadata *m = &s->table->pq->meta;
    uint32_t g = taco__footer_find_row_group(m, want);
    uint64_t first = (uint64_t)m->groups[g].first_row, end = first + (uint64_t)m->groups[g].rows;
    return taco__scan_task_pays_to_divide(s, s->used, s->used_count, g) ? want
           : first > at && want - first <= end - want                   ? first
                                                                        : end;
}

/* Opens the tasks' readers of the columns that go out, once; without the memory for them there are
   no tasks. */
static bool taco__scan_task_open_readers(taco__scan *s)
{
    taco_error e;
    size_t i, most = taco__scan_task_max_readers(s);
    memset(&e, 0, sizeof e);
    if (s->lanes || !s->parallel) { return s->parallel != NULL; }
    s->lanes = (taco__scan_reader *)taco__arena_array(&s->arena, most, sizeof *s->lanes, &e);
    for (i = 0; s->lanes && i < most && e.code == TACO_OK; i++) {
        taco__scan_reader *l = &s->lanes[i];
        taco__mem_task_begin(s->mem, &l->own, 1);
        taco__mem_task_take_spares(s->mem, &l->own, 1 + TACO__SCAN_TASKS + (unsigned)i, most * 3);
        l->codecs = taco__codecs_open(&l->own, &e);
        if (l->codecs && !taco__row_reader_open_with(&l->rows, s->table, s->out.which, s->out.count,
                                                     l->codecs, &l->own, &e)) {
            taco__codecs_close(l->codecs, &l->own);
            l->codecs = NULL;
        }
        taco__mem_task_merge(s->mem, &l->own);
    }
    if (e.code != TACO_OK) { taco__scan_drop_tasks(s); }
    return s->lanes != NULL;
}

/* The first of found[lo..hi) that is not below stop. */
static size_t taco__scan_task_lower_bound(const uint32_t *found, size_t lo, size_t hi,
                                          uint64_t stop)
{
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (found[mid] < stop) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo;
}

/* Cuts the largest of the last n lanes in two as long as tasks had nothing to do without it, so
   that all end together. */
static size_t taco__scan_task_balance(taco__scan *s, size_t n)
{
    const uint32_t *found = (const uint32_t *)(const void *)s->probe.found.data;
    for (; n < taco__scan_task_max_readers(s); n++) {
        size_t i, large = 0, second = 0, rows = s->lanes[0].n, least;
        taco__scan_reader *l;
        for (i = 1; i < n; i++) {
            rows += s->lanes[i].n;
            second = TACO__MAX(second, TACO__MIN(s->lanes[i].n, s->lanes[large].n));
            large = s->lanes[i].n > s->lanes[large].n ? i : large;
        }
        l = &s->lanes[large];
        least = n < s->width ? l->n / 2 : TACO__MAX(rows / s->width, second);
        if (least >= l->n || found[l->first + l->n - 1] - found[l->first] < TACO__SCAN_DIVIDE ||
            !taco__scan_task_pays_to_divide(
                s, s->out.which, s->out.count,
                taco__footer_find_row_group(&s->table->pq->meta, s->base + found[l->first]))) {
            break;
        }
        for (i = n; i > large + 1; i--) { /* readers stay where they are */
            s->lanes[i].first = s->lanes[i - 1].first;
            s->lanes[i].n = s->lanes[i - 1].n;
        }
        l[1].first = l->first + least;
        l[1].n = l->n - least;
        l[1].ok = true;
        l->n = least;
    }
    return n;
}

/* Rows of a row group that a lane reads at most: few, unless that means to decode pages more than
   once. */
static size_t taco__scan_task_reader_rows(const taco__scan *s, uint32_t group)
{
    return taco__scan_task_pays_to_divide(s, s->out.which, s->out.count, group)
               ? TACO__SCAN_CACHED_ROWS
               : TACO__SCAN_PIECE;
}

/* Cuts the rows that were found, up to the end-th, into pieces for tasks, none of which reaches
   over row groups. Returns how many pieces; they are not more than may be decoded at a time. */
static size_t taco__scan_task_split_rows(taco__scan *s, size_t end)
{
    const uint32_t *found = (const uint32_t *)(const void *)s->probe.found.data;
    const taco__pq_metadata *m = &s->table->pq->meta;
    size_t n = 0, at = s->found_at;
    uint64_t bytes = 0;
    while (n < s->width && at < end && bytes <= TACO__SCAN_AHEAD) {
        uint32_t g = taco__footer_find_row_group(m, s->base + found[at]);
        uint64_t stop = (uint64_t)(m->groups[g].first_row + m->groups[g].rows) - s->base;
        uint64_t rows = (uint64_t)m->groups[g].rows;
        taco__scan_reader *l = &s->lanes[n++];
        l->first = at;
        at = taco__scan_task_lower_bound(
            found, at, TACO__MIN(end, at + taco__scan_task_reader_rows(s, g)), stop);
        l->n = at - l->first;
        l->ok = true;
        bytes += (uint64_t)((double)taco__scan_fetch_chunk_bytes(s->table, s->out.which,
                                                                 s->out.count, g, true) *
                            (double)l->n / (double)rows);
    }
    s->task_batch_end = at;
    return at == end ? taco__scan_task_balance(s, n) : n;
}

/* Whether there is work for several tasks in the rows that were found, up to the end-th: few rows
   that stand far apart take as much decoding as all around them. */
static bool taco__scan_task_pays_to_run(const taco__scan *s, size_t end)
{
    const uint32_t *found = (const uint32_t *)(const void *)s->probe.found.data;
    const taco__pq_metadata *m = &s->table->pq->meta;
    uint32_t g = taco__footer_find_row_group(m, s->base + found[s->found_at]),
             last = taco__footer_find_row_group(m, s->base + found[end - 1]);
    uint64_t bytes = 0, most = (uint64_t)(end - s->found_at) * TACO__SCAN_PAGE;
    if (g == last && end - s->found_at <= taco__scan_task_reader_rows(s, g)) { return false; }
    for (; g <= last && bytes < TACO__SCAN_LEAST; g++) {
        bytes += taco__scan_fetch_chunk_bytes(s->table, s->out.which, s->out.count, g, true);
    }
    bytes = TACO__MIN(bytes, most);
    most = (uint64_t)(end - s->found_at) * s->out.count * 8; /* however short they are stored */
    return TACO__MAX(bytes, most) >= TACO__SCAN_LEAST;
}

/* Reads the columns of rows that were found, up to the end-th, by tasks. False when that does not
   pay or did not do. */
TACO__FN bool taco__scan_task_read_batch(taco__scan *s, size_t end)
{
    taco__scan_task_arg w;
    size_t i, n;
    bool ok = true;
    if (!s->parallel || !s->out.count || !taco__scan_task_pays_to_run(s, end) ||
        !taco__scan_task_open_readers(s)) {
        return false;
    }
    n = taco__scan_task_split_rows(s, end);
    s->reader_count = n;
    s->task_batches++;
    w.s = s;
    for (i = 0; i < n; i++) {
        taco__mem_task_begin(s->mem, &s->lanes[i].own, n);
        taco__page_cache_set_room(s->table->pq->mem, &s->lanes[i].codecs->pending_pages, n);
        s->lanes[i].rows.scan = s->number;
        memset(&s->lanes[i].err, 0, sizeof s->lanes[i].err);
    }
    if (n > 1) { taco__scan_task_run_all(s, taco__scan_task_run_reader, n, &w); }
    for (i = 0; i < n; i++) {
        taco__mem_task_merge(s->mem, &s->lanes[i].own);
        taco__page_cache_commit(s->table->pq->mem, &s->lanes[i].codecs->pending_pages);
        ok = ok && s->lanes[i].ok;
    }
    if (!ok) { taco__scan_drop_tasks(s); }
    return n > 1 && ok;
}

/* Lays out n rows, from found_at on, of what a task read. */
TACO__FN size_t taco__scan_task_deliver(taco__scan *s, size_t n, taco_error *err)
{
    taco__scan_reader *l = s->lanes;
    size_t i, k, at;
    while (s->found_at >= l->first + l->n) {
        l++;
    }
    at = s->found_at - l->first;
    n = TACO__MIN(n, l->n - at);
    if (at % 8 == 0) {
        for (i = 0; i < s->out.count; i++) {
            s->out.arrays[i] = taco__array_buf_slice(&s->out.selected[i], &l->rows.arrays[i], at, n);
        }
        return n;
    }
    for (i = 0; i < s->out.count; i++) { /* bitmaps cannot begin inside a byte */
        int32_t *idx = taco__row_reader_reserve_index(&s->out, n, err);
        for (k = 0; idx && k < n; k++) {
            idx[k] = (int32_t)(at + k);
        }
        if (!idx || !taco__take_array(&s->out.selected[i], &l->rows.arrays[i], idx, n, err)) {
            return 0;
        }
        s->out.arrays[i] = s->out.selected[i].array;
    }
    return n;
}
