/* write_tasks.c - fills leaves and makes their pages with the host's parallel_for

   In: rows of a batch; out: the input of the leaves. In: leaves whose input has rows for many
   pages; out: their pages, as page_writer.c makes them. Each leaf is a task, and the results are
   written to the file in the order of the columns, so that its bytes are the same as with one
   thread.

   With tasks a leaf does not end its pages when they are full, but when all leaves together have
   received TACO__WRITE_TASK_ROUND bytes since the last round, or the row group ends. A task has a
   copy of the writer with its own buffers, encoders, error and memory account, to which the buffers
   of its leaf belong while it runs. If memory is short the calling thread does the work; it also
   adds the rows that a task could not, and fails where it would without tasks.

   Start reading at taco__write_tasks_end_full_pages and taco__write_tasks_add_rows. */
#include "parquet_write.h"
#include "../base/base.h"

/* Bytes of values in a round, and fewest bytes that justify starting tasks at the end of a row
   group. Fuzz targets use fewer. */
#define TACO__WRITE_TASK_ROUND ((uint64_t)16 << 20)
#ifndef TACO__WRITE_TASK_LEAST
#define TACO__WRITE_TASK_LEAST ((uint64_t)262144)
#endif
/* Most leaves in a round: they share the remaining memory. */
#define TACO__WRITE_TASKS 32
/* Memory that a task takes for any leaf: encoders, and a few pages. */
#define TACO__WRITE_TASK_BYTES ((uint64_t)8 << 20)
/* Fewest rows times leaves that justify starting tasks, and most bytes that a leaf gets from
   one. */
#define TACO__WRITE_TASK_VALUES ((size_t)131072)
#define TACO__WRITE_TASK_ADDED  ((uint64_t)4 << 20)

typedef struct taco__write_task {
    taco_pq_writer w;
    taco__leaf_writer *leaf;
    bool ok;
} taco__write_task;

/* A round: its tasks, and the order in which they run. */
typedef struct taco__write_round {
    taco__write_task *tasks;
    bool last;
    uint8_t order[TACO__WRITE_TASKS];
} taco__write_round;

TACO__FN void taco__write_tasks_buffers(taco__leaf_writer *l, taco__buf *out[TACO__LEAF_BUFFERS])
{
    size_t n = 0;
    out[n++] = &l->input.values.bytes;
    out[n++] = &l->input.values.offsets;
    out[n++] = &l->input.def;
    out[n++] = &l->input.rep;
    out[n++] = &l->dict.values.bytes;
    out[n++] = &l->dict.values.offsets;
    out[n++] = &l->dict.slots;
    out[n++] = &l->dict.indices;
    out[n++] = &l->stats.min;
    out[n++] = &l->stats.max;
    out[n++] = &l->pages.bytes;
    out[n++] = &l->pages.records;
    out[n++] = &l->pages.bounds;
    out[n++] = &l->pages.level_counts;
    out[n] = &l->pages.hashes;
}

/* No tasks if a round would take a large part of the memory. */
TACO__FN void taco__write_tasks_open(taco_pq_writer *w)
{
    size_t n = TACO__MIN(w->leaf_count, (size_t)TACO__WRITE_TASKS);
    if (taco__tasks_width(&w->host, n) > 1 &&
        taco__mem_ahead(&w->mem, TACO__WRITE_TASK_ROUND) == TACO__WRITE_TASK_ROUND) {
        w->tasks = (taco__write_task *)taco__mem_alloc(&w->mem, n * sizeof *w->tasks, NULL);
    }
}

TACO__FN void taco__write_tasks_close(taco_pq_writer *w)
{
    size_t n = TACO__MIN(w->leaf_count, (size_t)TACO__WRITE_TASKS);
    taco__mem_free(&w->mem, w->tasks, n * sizeof *w->tasks);
    w->tasks = NULL;
}

TACO__FN bool taco__write_tasks_may_wait(const taco_pq_writer *w)
{
    /* between rounds all leaves get one piece of rows, whose text may be long */
    return w->tasks && w->waiting < 2 * TACO__WRITE_TASK_ROUND;
}

/* ---- a round ---- */

/* Size of the buffers of a leaf, which from now on belong to another account. */
static uint64_t taco__write_tasks_move_leaf(taco__leaf_writer *l, taco__mem *to)
{
    taco__buf *b[TACO__LEAF_BUFFERS];
    uint64_t bytes = 0;
    size_t i;
    taco__write_tasks_buffers(l, b);
    for (i = 0; i < TACO__LEAF_BUFFERS; i++) {
        bytes += b[i]->data ? (uint64_t)b[i]->cap + TACO__PAD : 0;
        b[i]->mem = to;
    }
    return bytes;
}

/* Gives a leaf to one of n tasks. */
static void taco__write_tasks_lend(taco_pq_writer *w, taco__write_task *t, taco__leaf_writer *l,
                                   size_t n)
{
    taco__mem *own = &t->w.mem;
    t->w = *w;
    t->leaf = l;
    memset(own, 0, sizeof *own);
    memset(&t->w.compressor, 0, sizeof t->w.compressor);
    t->w.compressor.mem = own;
    taco__pq_writer_init_scratch(&t->w.scratch, own);
    own->used = own->accounted = taco__write_tasks_move_leaf(l, own);
    taco__mem_task_begin(&w->mem, own, n);
}

/* The same; false if its share of the memory may not be enough for the pages. Buffers grow by half,
   and a value takes at most a few times its size. */
static bool taco__write_tasks_begin(taco_pq_writer *w, taco__write_task *t, taco__leaf_writer *l,
                                    size_t n)
{
    const taco__mem *own = &t->w.mem;
    uint64_t need = 8 * ((uint64_t)l->input.values.bytes.len + l->input.entries) +
                    8 * (uint64_t)TACO__MIN(w->opt.page_bytes, (size_t)1 << 30) +
                    TACO__WRITE_TASK_BYTES;
    taco__write_tasks_lend(w, t, l, n);
    return own->limit - own->used >= need + own->used / 2;
}

/* Takes a leaf back. */
static void taco__write_tasks_end(taco_pq_writer *w, taco__write_task *t)
{
    taco__write_tasks_move_leaf(t->leaf, &w->mem);
    taco__mem_task_merge(&w->mem, &t->w.mem);
}

static void taco__write_tasks_task(void *arg, size_t i)
{
    taco__write_round *r = (taco__write_round *)arg;
    taco__write_task *t = &r->tasks[r->order[i]];
    t->ok = taco__page_writer_end_full_pages(&t->w, t->leaf, r->last);
    taco__pq_writer_free_scratch(&t->w.scratch);
    taco__compress_free(&t->w.compressor);
}

static int taco__write_tasks_compare(const void *ctx, const void *a, const void *b)
{
    const taco__write_task *t = (const taco__write_task *)ctx;
    size_t x = t[*(const uint8_t *)a].leaf->input.values.bytes.len;
    size_t y = t[*(const uint8_t *)b].leaf->input.values.bytes.len;
    return (x < y) - (x > y);
}

/* Processes leaves one after the other; the first failure names its column. */
static bool taco__write_tasks_alone(taco_pq_writer *w, size_t first, size_t n, bool last)
{
    for (; n; n--, first++) {
        if (!taco__page_writer_end_full_pages(w, &w->leaves[first], last)) {
            return taco__chunk_writer_fail(w, &w->leaves[first]);
        }
    }
    return true;
}

/* Processes leaves [first, first + n) in parallel; the largest begins, so that all threads end at
   about the same time. */
static bool taco__write_tasks_round(taco_pq_writer *w, size_t first, size_t n, bool last)
{
    taco__write_round r;
    size_t i;
    uint8_t one;
    bool enough = true;
    r.tasks = w->tasks;
    r.last = last;
    for (i = 0; i < n; i++) {
        enough = taco__write_tasks_begin(w, &r.tasks[i], &w->leaves[first + i], n) && enough;
        r.order[i] = (uint8_t)i;
    }
    taco__sort_in_place(r.order, &one, n, sizeof one, taco__write_tasks_compare, r.tasks);
    if (enough) { taco__tasks_run(&w->host, n, taco__write_tasks_task, &r); }
    for (i = 0; i < n; i++) {
        taco__write_tasks_end(w, &r.tasks[i]);
    }
    if (!enough) { return taco__write_tasks_alone(w, first, n, last); }
    for (i = 0; i < n; i++) {
        if (!r.tasks[i].ok) {
            w->err = r.tasks[i].w.err;
            return taco__chunk_writer_fail(w, r.tasks[i].leaf);
        }
    }
    return true;
}

TACO__FN bool taco__write_tasks_end_full_pages(taco_pq_writer *w, bool last)
{
    size_t i, n = w->leaf_count;
    const bool tasks = w->tasks && w->waiting >= TACO__WRITE_TASK_LEAST;
    if (!last && (!w->tasks || w->waiting < TACO__WRITE_TASK_ROUND)) { return true; }
    w->waiting = 0;
    if (!TACO__WITH_TASKS || !tasks) { return taco__write_tasks_alone(w, 0, n, last); }
    for (i = 0; i < n; i += TACO__WRITE_TASKS) {
        if (!taco__write_tasks_round(w, i, TACO__MIN(n - i, (size_t)TACO__WRITE_TASKS), last)) {
            return false;
        }
    }
    return true;
}

/* ---- rows ---- */

/* Rows [first, first + n) of a batch, and the leaves that take them. */
typedef struct taco__write_rows {
    taco__write_task *tasks;
    const taco_batch *batch;
    size_t first, n;
} taco__write_rows;

/* Drops what a leaf has received since `before`; it has made no pages. */
static void taco__write_tasks_restore(taco__leaf_writer *l, const taco__leaf_input *before)
{
    l->input.values.bytes.len = before->values.bytes.len;
    l->input.values.offsets.len = before->values.offsets.len;
    l->input.values.count = before->values.count;
    l->input.def.len = before->def.len;
    l->input.rep.len = before->rep.len;
    l->input.entries = before->entries;
}

/* Adds its rows to a leaf, piece by piece, until one fails or would make pages. */
static void taco__write_tasks_fill(void *arg, size_t i)
{
    const taco__write_rows *r = (const taco__write_rows *)arg;
    taco__write_task *t = &r->tasks[i];
    taco__leaf_writer *l = t->leaf;
    bool ok = true;
    t->w.only_adds = true;
    t->w.waiting = 2 * TACO__WRITE_TASK_ROUND - TACO__WRITE_TASK_ADDED;
    while (ok && l->ahead < r->n) {
        const taco__leaf_input before = l->input;
        const size_t n = TACO__MIN(r->n - l->ahead, (size_t)TACO__PQ_WRITER_ROWS);
        ok = taco__page_writer_add_rows(&t->w, l, &r->batch->columns[l->schema.column],
                                        r->first + l->ahead, n);
        if (ok) {
            l->ahead += n;
        } else {
            taco__write_tasks_restore(l, &before);
        }
    }
    taco__pq_writer_free_scratch(&t->w.scratch);
}

TACO__FN void taco__write_tasks_add_rows(taco_pq_writer *w, const taco_batch *b, size_t first,
                                         size_t n)
{
    taco__write_rows r;
    size_t i, k, count;
    r.tasks = w->tasks;
    r.batch = b;
    r.first = first;
    r.n = n;
    for (i = 0; i < w->leaf_count; i++) {
        w->leaves[i].ahead = 0;
    }
    if (!TACO__WITH_TASKS || !w->tasks || w->geo_count ||
        n < TACO__WRITE_TASK_VALUES / w->leaf_count) {
        return;
    }
    for (i = 0; i < w->leaf_count; i += count) {
        count = TACO__MIN(w->leaf_count - i, (size_t)TACO__WRITE_TASKS);
        for (k = 0; k < count; k++) {
            taco__write_tasks_lend(w, &r.tasks[k], &w->leaves[i + k], count);
        }
        taco__tasks_run(&w->host, count, taco__write_tasks_fill, &r);
        for (k = 0; k < count; k++) {
            w->waiting +=
                r.tasks[k].w.waiting + TACO__WRITE_TASK_ADDED - 2 * TACO__WRITE_TASK_ROUND;
            taco__write_tasks_end(w, &r.tasks[k]);
        }
    }
}
