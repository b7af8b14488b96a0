/* scan_parallel.c - tasks of a scan: rows evaluated and decoded by the host's parallel_for

   In: a window of rows to evaluate, or matches whose columns are to be read, all of whose bytes
   have been fetched (scan_fetch.c): while tasks run, the source is not called
   (taco__file.cached_only). Out: the same as one thread would make, in the same order.

   Two rounds of tasks: taco__scan_task_filter_window cuts the window into pieces, one
   taco__scan_filter each, and joins what they find; taco__scan_task_read_batch cuts the matches
   into pieces, one taco__scan_reader each, which taco__scan_task_deliver hands out batch by batch.
   Cuts are between row groups, or inside one if few pages have to be decoded twice for that.

   A task has its own memory account, decoders and error. If one fails, for lack of memory or
   because of damaged data, the calling thread repeats the work and fails where it would without
   tasks: messages do not depend on threads. From then on the scan has no tasks
   (taco__scan_task_close).

   Start reading at taco__scan_task_run. */
#include "scan.h"
#include "../base/base.h"
#include "../arrow/arrow.h"
#include "../parquet/parquet.h"

/* Most rows whose columns a task decodes, and most rows that it evaluates. */
#define TACO__SCAN_TASK_ROWS 131072
/* The same if decoded values should stay in the processor's cache until delivered. */
#define TACO__SCAN_TASK_CACHED_ROWS 8192
/* Fewest rows that are worth two tasks. */
#define TACO__SCAN_TASK_DIVIDE 16384
/* Approximate bytes of a page, which both tasks decode when a row group is divided. */
#define TACO__SCAN_TASK_SHARED ((uint64_t)1 << 20)
/* Uncompressed bytes decoded for a single row: a page. */
#define TACO__SCAN_TASK_PAGE ((uint64_t)65536)
/* Fewest uncompressed bytes that are worth starting tasks for. */
#define TACO__SCAN_TASK_LEAST ((uint64_t)262144)

/* One reader more than concurrent tasks: the largest of the last ones is cut in two, so that all
   end together. */
TACO__FN size_t taco__scan_task_max_readers(const taco__scan *s)
{
    return s->tasks.width + 1;
}

/* host: options whose parallel_for may be used; if NULL or without one, the scan has no tasks.
   Nothing is allocated until needed. */
TACO__FN void taco__scan_task_init(taco__scan *s, const taco_options *host)
{
    taco__scan_tasks *t = &s->tasks;
    const size_t width = taco__tasks_width(host, TACO__SCAN_MAX_TASKS);
    t->host = width > 1 && !host->parallel_long ? host : NULL;
    /* without threads, as much is fetched at a time as with four */
    t->width = t->host ? width : 4;
}

/* Ends tasks for good: when the scan is closed, or because one has failed or there is no memory for
   them. */
TACO__FN void taco__scan_task_close(taco__scan *s)
{
    taco__scan_tasks *t = &s->tasks;
    size_t i;
    if (!TACO__WITH_TASKS) { return; }
    for (i = 0; t->filters && i < t->width; i++) {
        taco__scan_filter_close(s, &t->filters[i]);
    }
    for (i = 0; t->readers && i < taco__scan_task_max_readers(s); i++) {
        taco__scan_reader *r = &t->readers[i];
        taco__row_reader_close(&r->rows);
        taco__codecs_close(r->codecs, &r->own);
        taco__mem_task_merge(s->mem, &r->own);
        taco__mem_task_return_spares(s->mem, &r->own);
    }
    t->filters = NULL;
    t->readers = NULL;
    t->host = NULL;
}

TACO__FN void taco__scan_task_on_rows_read(taco__scan *s, taco__scan_rows_read rows_read, void *ctx)
{
    s->tasks.rows_read = rows_read;
    s->tasks.rows_read_ctx = ctx;
}

/* Runs task(s, 0) to task(s, n - 1), in any order and at the same time, and waits for all. */
static void taco__scan_task_run(taco__scan *s, void (*task)(void *, size_t), size_t n)
{
    taco__file *file = s->query.table->pq->part.file;
    file->cached_only = true;
    taco__tasks_run(s->tasks.host, n, task, s);
    file->cached_only = false;
}

/* Before n tasks run: gives one of them its share of the memory and of the page cache. */
static void taco__scan_task_begin(taco__scan *s, taco__mem *own, taco__codecs *codecs,
                                  taco_error *err, size_t n)
{
    taco__mem_task_begin(s->mem, own, n);
    taco__page_cache_set_room(s->query.table->pq->mem, &codecs->pending_pages, n);
    memset(err, 0, sizeof *err);
}

/* After all have run: adds what one of them has allocated and cached to the handle's. */
static void taco__scan_task_end(taco__scan *s, taco__mem *own, taco__codecs *codecs)
{
    taco__mem_task_merge(s->mem, own);
    taco__page_cache_commit(s->query.table->pq->mem, &codecs->pending_pages);
}

/* Whether two tasks that share a row group do little work twice: for each column, the page at the
   cut. */
static bool taco__scan_task_pays_to_divide(const taco__scan *s, const size_t *which, size_t count,
                                           uint32_t group)
{
    const taco__table *t = s->query.table;
    uint64_t once = 0, twice = 0;
    size_t i;
    uint32_t k;
    for (i = 0; i < count; i++) {
        const taco__pq_schema_node *node =
            which[i] < t->stored ? &t->pq->meta.nodes[which[i]] : NULL;
        for (k = 0; node && k < node->leaf_count; k++) {
            const taco__pq_column_chunk *c = &t->pq->meta.groups[group].chunks[node->leaf + k];
            bool cached = c->cached && c->cached->complete;
            once += TACO__MIN(c->uncompressed_size, (uint64_t)1 << 40);
            twice += cached ? 0 : TACO__MIN(c->uncompressed_size, TACO__SCAN_TASK_SHARED);
        }
    }
    return twice <= once / 8;
}

/* ---- evaluating ---- */

/* Opens a filter per task, once. False if there are no tasks, or no memory for them, which ends
   them. */
static bool taco__scan_task_open_filters(taco__scan *s)
{
    taco__scan_tasks *t = &s->tasks;
    taco_error e;
    size_t i;
    if (t->filters || !t->host) { return t->host != NULL; }
    memset(&e, 0, sizeof e);
    t->filters =
        (taco__scan_filter *)taco__arena_array(&s->arena, t->width, sizeof *t->filters, &e);
    for (i = 0; t->filters && i < t->width; i++) {
        taco__scan_filter *f = &t->filters[i];
        taco__mem_task_begin(s->mem, &f->own, 1);
        taco__mem_task_take_spares(s->mem, &f->own, 1 + (unsigned)i, t->width * 3);
        if (!taco__scan_filter_open(s, f, &f->own, true, &e)) { e.code = TACO_ERR_MEMORY; }
        taco__mem_task_merge(s->mem, &f->own);
    }
    if (e.code != TACO_OK) { taco__scan_task_close(s); }
    return t->filters != NULL;
}

/* The end of a piece that begins at row `at` and should end at `ideal`: there, or, if dividing the
   row group does not pay, at its nearer boundary. */
static uint64_t taco__scan_task_piece_end(const taco__scan *s, uint64_t at, uint64_t ideal)
{
    const taco__pq_metadata *m = &s->query.table->pq->meta;
    uint32_t g = taco__footer_find_row_group(m, ideal);
    uint64_t first = (uint64_t)m->groups[g].first_row, end = first + (uint64_t)m->groups[g].rows;
    return taco__scan_task_pays_to_divide(s, s->query.tested, s->query.tested_count, g) ? ideal
           : first > at && ideal - first <= end - ideal                                 ? first
                                                                                        : end;
}

/* Cuts the window from plan.next_row on into pieces of about equal size, one per filter, and moves
   plan.next_row past them. Returns how many pieces. */
static size_t taco__scan_task_cut_window(taco__scan *s)
{
    taco__scan_plan *p = &s->plan;
    uint64_t each = (p->end_row - p->next_row) / s->tasks.width + 1;
    size_t n = 0;
    each = TACO__MAX(each, (uint64_t)TACO__SCAN_TASK_DIVIDE);
    each = TACO__MIN(each, (uint64_t)TACO__SCAN_TASK_ROWS);
    do {
        taco__scan_filter *f = &s->tasks.filters[n++];
        uint64_t end = p->end_row;
        if (end - p->next_row > each) {
            end = taco__scan_task_piece_end(s, p->next_row, p->next_row + each);
        }
        f->first = p->next_row;
        f->end = p->next_row = TACO__MIN(end, p->end_row);
    } while (p->next_row < p->end_row && n < s->tasks.width);
    return n;
}

static void taco__scan_task_run_filter(void *arg, size_t i)
{
    taco__scan *s = (taco__scan *)arg;
    taco__scan_filter *f = &s->tasks.filters[i];
    f->ok = taco__scan_filter_rows(s, f, &f->err);
}

/* Runs the first n filters and adds what they found to the scan's matches; false if one failed. */
static bool taco__scan_task_run_filters(taco__scan *s, size_t n)
{
    taco__scan_tasks *t = &s->tasks;
    taco_error e;
    size_t i;
    bool ok = true;
    memset(&e, 0, sizeof e);
    for (i = 0; i < n; i++) {
        taco__scan_filter *f = &t->filters[i];
        taco__scan_task_begin(s, &f->own, f->codecs, &f->err, n);
        taco__scan_matches_clear(&f->found);
        f->dictionary_pruned = 0;
    }
    taco__scan_task_run(s, taco__scan_task_run_filter, n);
    for (i = 0; i < n; i++) {
        taco__scan_task_end(s, &t->filters[i].own, t->filters[i].codecs);
        ok = ok && t->filters[i].ok;
    }
    for (i = 0; ok && i < n; i++) {
        ok = taco__scan_matches_append(&s->filter.found, &t->filters[i].found, &e);
        s->plan.counts.dictionary_pruned += t->filters[i].dictionary_pruned;
    }
    return ok;
}

/* Evaluates rows of the window from plan.next_row on, one piece per task. On failure, returns false
   and changes nothing except that the scan has no more tasks. */
TACO__FN bool taco__scan_task_filter_window(taco__scan *s)
{
    uint64_t first = s->plan.next_row;
    size_t before = s->filter.found.count;
    taco_error e;
    memset(&e, 0, sizeof e);
    if (!TACO__WITH_TASKS || !s->query.where || !taco__scan_task_open_filters(s) ||
        !taco__row_reader_load(&s->filter.reader, first, NULL, (size_t)(s->plan.end_row - first),
                               &e)) {
        return false;
    }
    if (taco__scan_task_run_filters(s, taco__scan_task_cut_window(s))) { return true; }
    taco__scan_task_close(s);
    taco__scan_matches_truncate(&s->filter.found, before);
    s->plan.next_row = first;
    return false;
}

/* ---- reading ---- */

/* Opens the readers of output columns, once. False if there are no tasks, or no memory for them,
   which ends them. */
static bool taco__scan_task_open_readers(taco__scan *s)
{
    taco__scan_tasks *t = &s->tasks;
    taco_error e;
    size_t i, most = taco__scan_task_max_readers(s);
    if (t->readers || !t->host) { return t->host != NULL; }
    memset(&e, 0, sizeof e);
    t->readers = (taco__scan_reader *)taco__arena_array(&s->arena, most, sizeof *t->readers, &e);
    for (i = 0; t->readers && i < most && e.code == TACO_OK; i++) {
        taco__scan_reader *r = &t->readers[i];
        taco__mem_task_begin(s->mem, &r->own, 1);
        taco__mem_task_take_spares(s->mem, &r->own, 1 + TACO__SCAN_MAX_TASKS + (unsigned)i,
                                   most * 3);
        r->codecs = taco__codecs_open(&r->own, &e);
        if (r->codecs && !taco__row_reader_open_with(&r->rows, s->query.table, s->out.which,
                                                     s->out.count, r->codecs, &r->own, &e)) {
            taco__codecs_close(r->codecs, &r->own);
            r->codecs = NULL;
        }
        r->rows.scan = s->query.cache_scan;
        taco__mem_task_merge(s->mem, &r->own);
    }
    if (e.code != TACO_OK) { taco__scan_task_close(s); }
    return t->readers != NULL;
}

/* Whether it pays to divide the output columns of a row group. */
static bool taco__scan_task_divides_output(const taco__scan *s, uint32_t group)
{
    return taco__scan_task_pays_to_divide(s, s->out.which, s->out.count, group);
}

/* The row group of a match. */
static uint32_t taco__scan_task_group_of(const taco__scan *s, size_t match)
{
    return taco__footer_find_row_group(&s->query.table->pq->meta,
                                       s->base + taco__scan_match(&s->filter.found, match));
}

/* Most rows of a row group for one reader: few, unless pages would be decoded more than once. */
static size_t taco__scan_task_reader_rows(const taco__scan *s, uint32_t group)
{
    return taco__scan_task_divides_output(s, group) ? TACO__SCAN_TASK_CACHED_ROWS
                                                    : TACO__SCAN_TASK_ROWS;
}

/* The one of the first n readers with the most rows. *least becomes how many rows it should keep
   when a new reader takes the rest: half, while there are idle tasks; then the average of a task or
   the rows of the second largest, whichever is more. */
static size_t taco__scan_task_largest_reader(const taco__scan_tasks *t, size_t n, size_t *least)
{
    const taco__scan_reader *r = t->readers;
    size_t i, large = 0, second = 0, rows = r[0].n;
    for (i = 1; i < n; i++) {
        rows += r[i].n;
        second = TACO__MAX(second, TACO__MIN(r[i].n, r[large].n));
        large = r[i].n > r[large].n ? i : large;
    }
    *least = n < t->width ? r[large].n / 2 : TACO__MAX(rows / t->width, second);
    return large;
}

/* Cuts the largest of the n readers in two as long as that lets all tasks end sooner. Returns the
   new number of readers. */
static size_t taco__scan_task_balance(taco__scan *s, size_t n)
{
    const taco__scan_matches *m = &s->filter.found;
    for (; n < taco__scan_task_max_readers(s); n++) {
        size_t i, least, large = taco__scan_task_largest_reader(&s->tasks, n, &least);
        taco__scan_reader *r = &s->tasks.readers[large];
        if (least >= r->n ||
            taco__scan_match(m, r->first + r->n - 1) - taco__scan_match(m, r->first) <
                TACO__SCAN_TASK_DIVIDE ||
            !taco__scan_task_divides_output(s, taco__scan_task_group_of(s, r->first))) {
            break;
        }
        for (i = n; i > large + 1; i--) { /* rows move up one place, readers stay where they are */
            s->tasks.readers[i].first = s->tasks.readers[i - 1].first;
            s->tasks.readers[i].n = s->tasks.readers[i - 1].n;
        }
        r[1].first = r->first + least;
        r[1].n = r->n - least;
        r[1].ok = true;
        r->n = least;
    }
    return n;
}

/* Cuts the matches up to the end-th into pieces for readers, each inside a row group, as many as
   may be decoded at a time; tasks.batch_end becomes the match after them. Returns how many
   pieces. */
static size_t taco__scan_task_cut_matches(taco__scan *s, size_t end)
{
    const taco__pq_metadata *m = &s->query.table->pq->meta;
    size_t n = 0, at = s->delivered;
    uint64_t bytes = 0;
    while (n < s->tasks.width && at < end && bytes <= TACO__SCAN_AHEAD) {
        taco__scan_reader *r = &s->tasks.readers[n++];
        uint32_t g = taco__scan_task_group_of(s, at);
        uint64_t rows = (uint64_t)m->groups[g].rows;
        uint64_t stop = (uint64_t)m->groups[g].first_row + rows - s->base;
        size_t most = TACO__MIN(end, at + taco__scan_task_reader_rows(s, g));
        r->first = at;
        at = taco__scan_matches_lower_bound(&s->filter.found, at, most, stop);
        r->n = at - r->first;
        r->ok = true;
        bytes += (uint64_t)((double)taco__scan_fetch_chunk_bytes(s->query.table, s->out.which,
                                                                 s->out.count, g, true) *
                            (double)r->n / (double)rows);
    }
    s->tasks.batch_end = at;
    return at == end ? taco__scan_task_balance(s, n) : n;
}

/* Whether the matches up to the end-th are enough work for several tasks: a few rows far apart take
   as much decoding as all rows between them. */
static bool taco__scan_task_pays_to_run(const taco__scan *s, size_t end)
{
    uint32_t g = taco__scan_task_group_of(s, s->delivered),
             last = taco__scan_task_group_of(s, end - 1);
    uint64_t bytes = 0, rows = end - s->delivered;
    if (g == last && rows <= taco__scan_task_reader_rows(s, g)) { return false; }
    for (; g <= last && bytes < TACO__SCAN_TASK_LEAST; g++) {
        bytes += taco__scan_fetch_chunk_bytes(s->query.table, s->out.which, s->out.count, g, true);
    }
    bytes = TACO__MIN(bytes, rows * TACO__SCAN_TASK_PAGE);
    /* each row yields at least a number, however small its stored size */
    return TACO__MAX(bytes, rows * s->out.count * 8) >= TACO__SCAN_TASK_LEAST;
}

static void taco__scan_task_run_reader(void *arg, size_t i)
{
    taco__scan *s = (taco__scan *)arg;
    taco__scan_reader *r = &s->tasks.readers[i];
    r->ok = taco__scan_matches_read(&s->filter.found, r->first, r->n, &r->rows, s->base, &r->err);
    if (r->ok && s->tasks.rows_read) { s->tasks.rows_read(s->tasks.rows_read_ctx, i); }
}

/* Lets tasks read the columns of the matches from s->delivered up to tasks.batch_end, which is at
   most the end-th. False if that does not pay or fails. */
TACO__FN bool taco__scan_task_read_batch(taco__scan *s, size_t end)
{
    taco__scan_tasks *t = &s->tasks;
    taco_error e;
    size_t i, n;
    bool ok = true;
    if (!TACO__WITH_TASKS || !t->host || !s->out.count || !taco__scan_task_pays_to_run(s, end) ||
        !taco__scan_task_open_readers(s)) {
        return false;
    }
    n = taco__scan_task_cut_matches(s, end);
    memset(&e, 0, sizeof e);
    if (!taco__scan_matches_load(&s->filter.found, s->delivered, t->batch_end - s->delivered,
                                 &s->out, s->base, &e)) {
        return false;
    }
    t->reader_count = n;
    t->batch++;
    for (i = 0; i < n; i++) {
        taco__scan_reader *r = &t->readers[i];
        taco__scan_task_begin(s, &r->own, r->codecs, &r->err, n);
    }
    if (n > 1) { taco__scan_task_run(s, taco__scan_task_run_reader, n); }
    for (i = 0; i < n; i++) {
        taco__scan_task_end(s, &t->readers[i].own, t->readers[i].codecs);
        ok = ok && t->readers[i].ok;
    }
    if (!ok) { taco__scan_task_close(s); }
    return n > 1 && ok;
}

/* ---- delivering ---- */

/* The reader of a match that tasks have read; *at is the index among its rows. */
static taco__scan_reader *taco__scan_task_reader_of(const taco__scan *s, size_t match, size_t *at)
{
    taco__scan_reader *r = s->tasks.readers;
    while (match >= r->first + r->n) {
        r++;
    }
    *at = match - r->first;
    return r;
}

/* Puts the next rows that a task has read, n at most, into s->out.arrays; returns how many, 0 if
   there is no memory. The arrays are slices of the reader's; if their bitmaps would begin inside a
   byte, the rows are copied. */
TACO__FN size_t taco__scan_task_deliver(taco__scan *s, size_t n, taco_error *err)
{
    size_t i, k, at = 0;
    const taco__scan_reader *r =
        TACO__WITH_TASKS ? taco__scan_task_reader_of(s, s->delivered, &at) : NULL;
    taco__row_reader *out = &s->out;
    if (!r) { return 0; }
    n = TACO__MIN(n, r->n - at);
    if (at % 8 == 0) {
        for (i = 0; i < out->count; i++) {
            out->arrays[i] = taco__array_buf_slice(&out->selected[i], &r->rows.arrays[i], at, n);
        }
        return n;
    }
    for (i = 0; i < out->count; i++) {
        int32_t *idx = taco__row_reader_reserve_index(out, n, err);
        for (k = 0; idx && k < n; k++) {
            idx[k] = (int32_t)(at + k);
        }
        if (!idx || !taco__take_array(&out->selected[i], &r->rows.arrays[i], idx, n, err)) {
            return 0;
        }
        out->arrays[i] = out->selected[i].array;
    }
    return n;
}

TACO__FN const taco__scan_reader *taco__scan_task_last_reader(const taco__scan *s, size_t n,
                                                              size_t *at)
{
    return TACO__WITH_TASKS && s->tasks.host && s->tasks.readers && s->tasks.batch_by_tasks
               ? taco__scan_task_reader_of(s, s->delivered - n, at)
               : NULL;
}
