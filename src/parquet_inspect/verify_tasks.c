/* verify_tasks.c - columns of row groups checked by the host's parallel_for

   In: the state of a check and where it has come to; out: the findings and counts that the calling
   thread would make alone, in the same order. A round takes the next columns of the file, each of
   which is a task with an account of memory, decoders and findings of its own. Tasks read files of
   the system's themselves; from other sources the bytes of a round are fetched before it, and while
   tasks run the source is not called (taco__file.cached_only).

   What a task could not do, for lack of memory or of bytes that were not fetched, the calling
   thread does again, and from then on there are no tasks. Where `found` ends the work, the column
   at hand is gone through once more up to there: counts are those of what was read.

   Start reading at taco__verify_tasks_run. */
#include "verify.h"
#include "../base/base.h"

/* Bytes of a round that are fetched at most, and those that are worth waking tasks. Fuzz targets
   use fewer. */
#define TACO__VERIFY_TASK_AHEAD ((uint64_t)32 << 20)
#ifndef TACO__VERIFY_TASK_LEAST
#define TACO__VERIFY_TASK_LEAST ((uint64_t)262144)
#endif

typedef struct taco__verify_finding {
    bool fault;
    taco_error what;
} taco__verify_finding;

TACO__FN void taco__verify_tasks_open(taco__verify_tasks *t, taco__verify *v)
{
    memset(t, 0, sizeof *t);
    t->v = v;
    t->ranges.mem = v->mem;
    if (!v->file->options.limits.max_decoded && /* one count of what is decoded: v->decoded */
        taco__tasks_width(&v->file->options, TACO__VERIFY_TASKS) > 1) {
        t->items = (taco__verify_task *)taco__mem_alloc(
            v->mem, TACO__VERIFY_TASKS * sizeof *t->items, NULL);
    }
}

TACO__FN void taco__verify_tasks_close(taco__verify_tasks *t)
{
    taco__mem_free(t->v->mem, t->items, TACO__VERIFY_TASKS * sizeof *t->items);
    taco__buf_free(&t->ranges);
    t->items = NULL;
}

/* ---- a round ---- */

/* Whether all that a task reads of a chunk is known before; *bytes: of its pages. Adds it to the
   ranges. */
static bool taco__verify_tasks_add_chunk(taco__verify_tasks *t, const taco__pq_column_chunk *c,
                                         uint64_t *bytes)
{
    const taco__file_part *part = &t->v->file->part;
    taco__range r[4];
    size_t i;
    if (c->encrypted || c->external) { return true; }
    if (c->bloom.len == UINT64_MAX || c->pages.len > TACO__VERIFY_TASK_AHEAD) { return false; }
    *bytes += c->pages.len;
    r[0] = c->pages;
    r[1] = c->offset_index;
    r[2] = c->column_index;
    r[3] = c->bloom;
    for (i = 0; i < TACO__COUNT(r); i++) {
        if (!taco__checked_range(r[i].offset, r[i].len, part->size)) { return false; }
        r[i].offset += part->base;
        if (r[i].len && !taco__buf_append(&t->ranges, &r[i], sizeof r[i], NULL)) { return false; }
    }
    return true;
}

/* Makes column number `at` of all row groups a task of the round; false where it is none. */
static bool taco__verify_tasks_add(taco__verify_tasks *t, uint64_t at)
{
    const taco__pq_metadata *m = &t->v->file->meta;
    taco__verify_task *task = &t->items[t->count];
    const size_t before = t->ranges.len;
    const taco__pq_schema_node *node;
    uint32_t i;
    memset(task, 0, sizeof *task);
    task->group = (uint32_t)(at / m->column_count);
    task->column = (uint32_t)(at % m->column_count);
    task->findings.mem = &task->own;
    node = &m->nodes[task->column];
    for (i = 0; i < node->leaf_count; i++) {
        if (!taco__verify_tasks_add_chunk(t, &m->groups[task->group].chunks[node->leaf + i],
                                          &task->bytes)) {
            t->ranges.len = before;
            return false;
        }
    }
    t->order[t->count] = (uint8_t)t->count;
    t->count++;
    return true;
}

static int taco__verify_tasks_compare(const void *ctx, const void *a, const void *b)
{
    const taco__verify_task *items = (const taco__verify_task *)ctx;
    uint64_t x = items[*(const uint8_t *)a].bytes, y = items[*(const uint8_t *)b].bytes;
    return (x < y) - (x > y);
}

/* Gathers the columns of a round from `at` on. False where they are not worth it. The largest run
   first, so that all threads end at about the same time. */
static bool taco__verify_tasks_gather(taco__verify_tasks *t, uint64_t at)
{
    const taco__pq_metadata *m = &t->v->file->meta;
    const uint64_t n = (uint64_t)m->group_count * m->column_count;
    const bool reads = taco__file_tasks_may_read(t->v->file->part.file);
    const uint64_t most = taco__mem_ahead(t->v->mem, TACO__VERIFY_TASK_AHEAD);
    uint64_t bytes = 0;
    uint8_t one;
    t->count = 0;
    t->ranges.len = 0;
    while (at + t->count < n && t->count < TACO__VERIFY_TASKS && (reads || bytes < most)) {
        if (!taco__verify_tasks_add(t, at + t->count)) { break; }
        bytes += t->items[t->count - 1].bytes;
    }
    taco__sort_in_place(t->order, &one, t->count, sizeof one, taco__verify_tasks_compare, t->items);
    return t->count > 1 && bytes >= TACO__VERIFY_TASK_LEAST;
}

/* ---- tasks ---- */

/* `found` of a task. What depends on its share of the memory, or on what was fetched, says nothing
   about the file. */
static bool taco__verify_tasks_found(void *ctx, bool fault, const taco_error *what)
{
    taco__verify_task *task = (taco__verify_task *)ctx;
    taco__verify_finding f;
    memset(&f, 0, sizeof f);
    f.fault = fault;
    f.what = *what;
    task->again = taco__error_is_of_machine(what) || what->code == TACO_ERR_LIMIT ||
                  what->code == TACO_ERR_STATE ||
                  !taco__buf_append(&task->findings, &f, sizeof f, NULL);
    return !task->again;
}

static void taco__verify_tasks_task(void *arg, size_t i)
{
    taco__verify_tasks *t = (taco__verify_tasks *)arg;
    taco__verify_task *task = &t->items[t->order[i]];
    taco__verify *v = &task->v;
    v->codecs = taco__codecs_open(&task->own, NULL);
    if (v->codecs) {
        taco__verify_column(v, task->group, task->column);
    } else {
        task->again = true;
    }
    taco__codecs_close(v->codecs, &task->own);
    taco__verify_free(v);
}

/* Runs the tasks of the round; false where their bytes could not be fetched. */
static bool taco__verify_tasks_work(taco__verify_tasks *t)
{
    taco__verify *v = t->v;
    taco__file *file = v->file->part.file;
    const taco__range *r = (const taco__range *)(const void *)t->ranges.data;
    const bool reads = taco__file_tasks_may_read(file);
    size_t i, n = reads ? 0 : t->ranges.len / sizeof *r;
    if (!taco__file_fetch(file, r, n, NULL)) { return false; }
    for (i = 0; i < t->count; i++) {
        taco__verify_task *task = &t->items[i];
        taco__mem_task_begin(v->mem, &task->own, t->count);
        task->v.file = v->file;
        taco__verify_set_memory(&task->v, &task->own);
        task->v.found = taco__verify_tasks_found;
        task->v.ctx = task;
        task->v.sum = &task->sum;
        task->v.in_task = true;
    }
    file->cached_only = !reads;
    taco__tasks_run(&v->file->options, t->count, taco__verify_tasks_task, t);
    file->cached_only = false;
    for (i = 0; i < n; i++) {
        taco__file_release(file, r[i].offset, r[i].len);
    }
    for (i = 0; i < t->count; i++) {
        taco__mem_task_merge(v->mem, &t->items[i].own);
    }
    return true;
}

/* ---- findings ---- */

/* `found` of a column that is gone through again: false for the last finding that is wanted. */
static bool taco__verify_tasks_count_down(void *ctx, bool fault, const taco_error *what)
{
    size_t *left = (size_t *)ctx;
    (void)fault;
    (void)what;
    return --*left > 0;
}

/* Counts what alone would have been counted of a column until its finding number n ended the
   work; `before` are the counts before it. */
static void taco__verify_tasks_count_part(taco__verify *v, const taco__verify_task *task, size_t n,
                                          const taco_pq_checked *before)
{
    taco__verify again = *v;
    taco_pq_checked sum = *before;
    again.sum = &sum;
    again.found = taco__verify_tasks_count_down;
    again.ctx = &n;
    again.stop = false;
    taco__verify_column(&again, task->group, task->column);
    v->text = again.text;
    v->bounds = again.bounds;
    *v->sum = sum;
}

/* Hands out what a task has found and counted. */
static void taco__verify_tasks_deliver(taco__verify *v, const taco__verify_task *task)
{
    const taco__verify_finding *f = (const taco__verify_finding *)(const void *)task->findings.data;
    const taco_pq_checked before = *v->sum;
    size_t i, n = task->findings.len / sizeof *f;
    for (i = 0; i < n && !v->stop; i++) {
        taco__verify_emit(v, f[i].fault, &f[i].what);
    }
    if (v->stop) {
        taco__verify_tasks_count_part(v, task, i, &before);
        return;
    }
    v->sum->chunks += task->sum.chunks;
    v->sum->pages += task->sum.pages;
    v->sum->values += task->sum.values;
    v->sum->crcs += task->sum.crcs;
    v->sum->skipped += task->sum.skipped;
}

TACO__FN size_t taco__verify_tasks_run(taco__verify_tasks *t, uint64_t at)
{
    taco__verify *v = t->v;
    size_t i, done = 0;
    bool again = false;
    if (!TACO__WITH_TASKS || !t->items || !taco__verify_tasks_gather(t, at)) { return 0; }
    if (!taco__verify_tasks_work(t)) {
        taco__verify_tasks_close(t);
        return 0;
    }
    for (i = 0; i < t->count; i++) {
        taco__verify_task *task = &t->items[i];
        done += !v->stop;
        if (v->stop) {
            /* nothing more is wanted */
        } else if (task->again) {
            again = true;
            taco__verify_column(v, task->group, task->column);
        } else {
            taco__verify_tasks_deliver(v, task);
        }
        taco__buf_free(&task->findings);
        taco__mem_task_merge(v->mem, &task->own);
    }
    if (again) { taco__verify_tasks_close(t); }
    return done;
}
