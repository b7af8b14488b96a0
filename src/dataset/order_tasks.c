/* order_tasks.c - the first rows of a sorted result, found part by part

   In: a cursor with an order and a small limit over level 0 of one large dataset, before it reads
   a row. Out: the rows that the limit leaves, in order, as cursor_order.c alone would have found
   them.

   Parts are read by tasks of the host's parallel_for. Without it, one after the other: keys of a
   part stay in the processor's cache, and little memory is needed. Each task has its own handle
   (task_handle.c), on which it opens the same query over one part of the table, reads the keys of
   its rows, and sorts the first ones. After each round the calling thread keeps the first rows of
   all parts so far, with copies of their keys. If a task fails, the calling thread reads everything
   itself, so error messages are those of one thread.

   Start reading at taco__order_tasks_run. */
#include "cursor.h"
#include "../base/base.h"
#include "../filter/scan.h"

/* Rows of a part, and the least rows of a table for which handles pay. Tests use fewer. */
#ifndef TACO__ORDER_TASK_ROWS
#define TACO__ORDER_TASK_ROWS ((uint64_t)131072)
#endif
#define TACO__ORDER_TASK_LEAST (2 * TACO__ORDER_TASK_ROWS)
/* Most rows of a limit: a part has several times as many. */
#define TACO__ORDER_TASK_WANTED (TACO__ORDER_TASK_ROWS / 8)
#define TACO__ORDER_TASK_MOST   16

typedef struct taco__order_task {
    taco_dataset *ds;
    taco_cursor *c;
    taco__cursor_order o; /* keys of the rows of its part, the first `first` in order */
    size_t first;
    uint64_t from, to;
    taco_error err;
    bool ok;
} taco__order_task;

typedef struct taco__order_tasks {
    taco_cursor *c; /* of the calling thread, which waits */
    const taco__query *q;
    const taco__select_options *opt;
    taco__cursor_order *o;
    taco__order_task items[TACO__ORDER_TASK_MOST];
    size_t width;
    uint64_t rows, max_memory;
    /* the first rows so far, `want` of them at most after a round: `at` is the number of the row */
    taco__cursor_order_item *best;
    size_t count, want;
    taco__arena keys, moved; /* their keys; the second is used while they are moved */
} taco__order_tasks;

static bool taco__order_tasks_are_possible(const taco_cursor *c, const taco__query *q)
{
    const taco__table_reader *f = c->readers;
    uint64_t skip = c->query.skip, left = c->query.left;
    size_t i;
    for (i = 0; i < q->filter_count && q->filters[i].f.level == 0; i++) {}
    return TACO__WITH_TASKS && i == q->filter_count && !q->table && !q->flat && !q->row_to &&
           c->reader_count == 1 && left && left <= TACO__ORDER_TASK_WANTED &&
           skip <= TACO__ORDER_TASK_WANTED - left && !f->filter.conditions &&
           f->table->rows >= TACO__ORDER_TASK_LEAST && taco__task_handle_is_possible(c->ds, 0);
}

/* ---- a part ---- */

static void taco__order_tasks_close_part(taco__order_task *t)
{
    if (t->c) { taco__cursor_order_close(t->c, &t->o); }
    taco_cursor_close(t->c, NULL);
    t->c = NULL;
    memset(&t->o, 0, sizeof t->o);
}

/* Opens the query over the rows of a part. Conditions are parsed again, since those of the calling
   thread are bound to its tables. */
static taco_cursor *taco__order_tasks_open_part(const taco__order_tasks *s, taco__order_task *t)
{
    taco__query q = *s->q;
    taco__select_options opt = *s->opt;
    taco_cursor *c;
    size_t i, bytes = q.filter_count * sizeof *q.filters;
    q.filters = (taco__query_filter *)taco__mem_alloc(&t->ds->mem, bytes, &t->err);
    if (!q.filters) { return NULL; }
    if (bytes) { memcpy(q.filters, s->q->filters, bytes); }
    for (i = 0; i < q.filter_count; i++) {
        if (q.filters[i].parsed) { q.filters[i].where = q.filters[i].parsed = NULL; }
    }
    memset(&q.select, 0, sizeof q.select);
    q.limit = q.offset = 0;
    q.row_from = t->from;
    q.row_to = t->to;
    opt.unsorted = true;
    c = taco__select_open(t->ds, &q, &opt, &t->err);
    taco__mem_free(&t->ds->mem, q.filters, bytes);
    return c;
}

/* A task: reads the keys of its part, and sorts the first rows. */
static void taco__order_tasks_task(void *arg, size_t i)
{
    taco__order_tasks *s = (taco__order_tasks *)arg;
    taco__order_task *t = &s->items[i];
    taco__order_tasks_close_part(t);
    if (!t->ds) { t->ds = taco__task_handle_open(s->c->ds, s->max_memory, &t->err); }
    t->c = t->ds ? taco__order_tasks_open_part(s, t) : NULL;
    t->ok = t->c && taco__cursor_order_find_columns(t->c, &s->q->order, &t->o) &&
            taco__cursor_order_read(t->c, &t->o);
    if (t->ok) {
        t->first = TACO__MIN(t->o.total, s->want);
        t->ok = taco__sort_first(t->c->mem, t->o.items, t->o.total, t->first, sizeof *t->o.items,
                                 taco__cursor_order_compare, &t->o, &t->c->err);
    }
}

/* ---- the first rows of all parts ---- */

/* Makes *item one with copies of its keys. */
static bool taco__order_tasks_copy_keys(taco__order_tasks *s, taco__arena *arena,
                                        taco__cursor_order_item *item)
{
    taco_error *err = &s->c->err;
    taco__cursor_order_key *keys =
        (taco__cursor_order_key *)taco__arena_array(arena, s->o->count, sizeof *keys, err);
    size_t i;
    for (i = 0; keys && i < s->o->count; i++) {
        uint8_t *text;
        keys[i] = item->keys[i];
        if (!keys[i].text.len) { continue; }
        text = (uint8_t *)taco__arena_alloc(arena, keys[i].text.len, err);
        if (!text) { return false; }
        memcpy(text, keys[i].text.data, keys[i].text.len);
        keys[i].text.data = text;
    }
    item->keys = keys;
    return keys != NULL;
}

/* Adds the first rows of a part; once there are enough, only those before the last of them. */
static bool taco__order_tasks_add(taco__order_tasks *s, const taco__order_task *t, size_t before)
{
    size_t i;
    for (i = 0; i < t->first; i++) {
        taco__cursor_order_item *to = &s->best[s->count];
        *to = t->o.items[i];
        to->at = t->c->readers[0].row_numbers[to->at];
        if (before == s->want && taco__cursor_order_compare(s->o, to, &s->best[before - 1]) > 0) {
            return true;
        }
        if (!taco__order_tasks_copy_keys(s, &s->keys, to)) { return false; }
        s->count++;
    }
    return true;
}

/* Sorts the rows so far, and forgets those that are not wanted, with their keys. */
static bool taco__order_tasks_trim(taco__order_tasks *s)
{
    size_t i, n = TACO__MIN(s->count, s->want);
    taco__arena old = s->keys;
    if (!taco__sort_first(s->c->mem, s->best, s->count, n, sizeof *s->best,
                          taco__cursor_order_compare, s->o, &s->c->err)) {
        return false;
    }
    s->count = n;
    for (i = 0; i < n; i++) {
        if (!taco__order_tasks_copy_keys(s, &s->moved, &s->best[i])) { return false; }
    }
    s->keys = s->moved;
    s->moved = old;
    taco__arena_reset(&s->moved);
    return true;
}

/* Runs tasks on the next parts, from row `at` on, and adds what they find. */
static bool taco__order_tasks_round(taco__order_tasks *s, uint64_t *at)
{
    taco__mem *mem = s->c->mem;
    size_t i, n = 0, before = s->count;
    bool ok = true;
    s->max_memory = taco__task_handle_memory(mem, s->width);
    for (; n < s->width && *at < s->rows; n++) {
        taco__order_task *t = &s->items[n];
        t->from = *at;
        *at = t->to = *at + TACO__MIN(TACO__ORDER_TASK_ROWS, s->rows - *at);
        t->ok = false;
        if (t->ds) { taco__mem_task_begin(mem, &t->ds->mem, s->width); }
    }
    taco__tasks_run(&s->c->ds->options, n, taco__order_tasks_task, s);
    for (i = 0; i < n; i++) {
        if (s->items[i].ds) { taco__mem_task_merge(mem, &s->items[i].ds->mem); }
    }
    for (i = 0; ok && i < n; i++) {
        ok = s->items[i].ok && taco__order_tasks_add(s, &s->items[i], before);
    }
    return ok && (s->count == before || taco__order_tasks_trim(s));
}

/* ---- the result ---- */

static int taco__order_tasks_compare_numbers(const void *ctx, const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    (void)ctx;
    return (x > y) - (x < y);
}

/* Makes the rows those of the cursor, in order. */
static bool taco__order_tasks_finish(taco__order_tasks *s)
{
    taco_cursor *c = s->c;
    taco__table_reader *f = &c->readers[0];
    taco__sorted_rows *sorted = &c->sorted;
    size_t i, first = (size_t)TACO__MIN((uint64_t)s->count, c->query.skip), n = s->count - first;
    uint32_t *numbers = (uint32_t *)taco__arena_array(&c->arena, n + 1, sizeof *numbers, &c->err),
             *scratch = (uint32_t *)taco__arena_array(&s->keys, n + 1, sizeof *scratch, &c->err);
    sorted->order =
        (taco__sorted_row *)taco__arena_array(&c->arena, n + 1, sizeof *sorted->order, &c->err);
    if (!numbers || !scratch || !sorted->order) { return false; }
    for (i = 0; i < n; i++) {
        numbers[i] = s->best[first + i].at;
    }
    taco__sort(numbers, scratch, n, sizeof *numbers, taco__order_tasks_compare_numbers, NULL);
    for (i = 0; i < n; i++) {
        size_t at = 0;
        TACO__LOWER_BOUND(at, n, k, numbers[k] < s->best[first + i].at);
        sorted->order[i].reader = 0;
        sorted->order[i].at = (uint32_t)at;
    }
    f->row_numbers = numbers;
    f->row_number_count = n;
    sorted->count = n;
    return true;
}

/* Closes the handles of the tasks and returns their memory to the caller's account. */
static void taco__order_tasks_close(taco__order_tasks *s, size_t capacity)
{
    size_t i;
    for (i = 0; i < s->width; i++) {
        taco__order_tasks_close_part(&s->items[i]);
        taco__task_handle_close(s->items[i].ds, s->c->mem);
    }
    taco__arena_free(&s->keys);
    taco__arena_free(&s->moved);
    taco__mem_free(s->c->mem, s->best, capacity);
}

/* Finds the rows with `width` tasks. */
static bool taco__order_tasks_try(taco_cursor *c, const taco__query *q,
                                  const taco__select_options *opt, taco__cursor_order *o,
                                  size_t width)
{
    taco__order_tasks s;
    uint64_t at = 0;
    size_t capacity;
    bool ok;
    memset(&s, 0, sizeof s);
    s.c = c;
    s.q = q;
    s.opt = opt;
    s.o = o;
    s.width = width;
    s.rows = c->readers[0].table->rows;
    s.want = (size_t)(c->query.skip + c->query.left);
    s.keys.mem = s.moved.mem = c->mem;
    capacity = (s.want * (s.width + 1) + 1) * sizeof *s.best;
    s.best = (taco__cursor_order_item *)taco__mem_alloc(c->mem, capacity, &c->err);
    ok = s.best != NULL;
    while (ok && at < s.rows) {
        ok = taco__order_tasks_round(&s, &at);
    }
    ok = ok && taco__order_tasks_finish(&s);
    taco__order_tasks_close(&s, capacity);
    if (!ok) { memset(&c->err, 0, sizeof c->err); }
    return ok;
}

/* Finds the rows of c->sorted, of which the columns to sort by are known. Where several tasks fail,
   possibly for lack of memory, one may not. False, without an error, if keys must be read as a
   whole. */
TACO__FN bool taco__order_tasks_run(taco_cursor *c, const taco__query *q,
                                    const taco__select_options *opt, taco__cursor_order *o)
{
    size_t width = taco__tasks_width(&c->ds->options, TACO__ORDER_TASK_MOST);
    return taco__order_tasks_are_possible(c, q) &&
           (taco__order_tasks_try(c, q, opt, o, width) ||
            (width > 1 && taco__order_tasks_try(c, q, opt, o, 1)));
}
