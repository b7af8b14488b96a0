/* sql_tasks.c - groups, sorts, counts or compares rows of a large table by tasks

   In: a planned SELECT over one level, or a join of several, or a view of one, before it reads its
   first row, and the host's parallel_for. Out: the groups, stored or distinct rows or count that
   the calling thread would have made, and a scan of the rows that remain for it. Joins look up rows
   in the hash tables that the calling thread has built (taco__hash_join_share).

   Each task has its own handle (task_handle.c), on which it plans the same SELECT again. Work is
   done in rounds: every task processes one part of the table, then the calling thread adds the
   parts in table order. Results do not depend on the number of threads: groups are numbered in
   order of occurrence, MIN takes the first of equal values, and floating-point sums are added row
   by row (taco__aggregate_defer). Parts of a sorted result are sorted already, and only merged.

   If a task fails, or parts have so many groups or distinct rows that adding them is most of the
   work, the calling thread reads the rest, beginning with the first row of that round, so error
   messages are those of one thread. If memory ends after tasks took part, it reads everything again
   without them (taco__sql_tasks_restart): what fits with one thread does not fail with two.

   Start reading at taco__sql_tasks_group. */
#include "sql.h"
#include "../base/base.h"
#include "../filter/filter.h"
#include "../filter/scan.h"
#include "../dataset/dataset.h"

/* Rows of a part, and the least rows of a table for which handles pay. Tests use fewer. */
#ifndef TACO__SQL_TASK_ROWS
#define TACO__SQL_TASK_ROWS ((uint64_t)131072)
#endif
#define TACO__SQL_TASK_LEAST (2 * TACO__SQL_TASK_ROWS)
#define TACO__SQL_TASK_MOST  16

typedef struct taco__sql_task {
    taco_dataset *ds;
    taco_cursor *c;
    taco__executor *x;         /* its plan */
    const taco__executor *all; /* that of the calling thread, which waits */
    uint64_t from, to;         /* the part */
    uint64_t count;            /* of taco__sql_tasks_count */
    taco_error err;
    bool ok;
} taco__sql_task;

typedef struct taco__sql_tasks {
    taco__executor *x; /* the plan of the calling thread */
    bool (*run)(struct taco__sql_task *t);
    taco__sql_task items[TACO__SQL_TASK_MOST];
    size_t width;
    uint64_t at, rows; /* of the table: the first that is not read, and all */
    uint64_t max_memory;
} taco__sql_tasks;

/* ---- a round ---- */

/* Whether a scan returns rows of one large level, in the order of storage, each independently of
   the others. */
static bool taco__sql_tasks_can_divide(const taco_cursor *c)
{
    const taco__table_reader *r = c ? c->readers : NULL;
    return c && c->reader_count == 1 && !c->producer.next && !c->sorted.active && !c->query.flat &&
           !c->query.skip && c->query.left == UINT64_MAX && !r->filter.conditions &&
           !r->current_ids && r->table->rows >= TACO__SQL_TASK_LEAST &&
           taco__task_handle_is_possible(c->ds, c->query.level);
}

/* Whether tasks can read the rows of the first table of a plan. Other tables are read by the
   calling thread, and tasks only look up their rows. */
static bool taco__sql_tasks_are_possible(const taco__executor *x)
{
    size_t t;
    if (taco__tasks_width(&x->c->ds->options, TACO__SQL_TASK_MOST) < 2 || x->alone ||
        (!x->text && !x->view) || x->is_part || x->plan_only || x->has_subquery || x->s.set) {
        return false;
    }
    for (t = 0; t < x->s.from_count; t++) {
        const taco__sql_table_ref *f = &x->s.from[t];
        if (f->query || f->list || f->right || f->flat || f->named ||
            !taco__task_handle_is_possible(x->c->ds, f->level)) {
            return false;
        }
    }
    return taco__sql_tasks_can_divide(x->scans[0]);
}

static void taco__sql_tasks_init(taco__sql_tasks *s, taco__executor *x,
                                 bool (*run)(struct taco__sql_task *t))
{
    memset(s, 0, sizeof *s);
    s->x = x;
    s->run = run;
    s->width = taco__tasks_width(&x->c->ds->options, TACO__SQL_TASK_MOST);
    s->rows = x->scans[0]->readers[0].table->rows;
}

/* Closes the handles of the tasks and returns their memory to the caller's account. */
static void taco__sql_tasks_close(taco__sql_tasks *s)
{
    size_t i;
    for (i = 0; i < s->width; i++) {
        taco_cursor_close(s->items[i].c, NULL);
        taco__task_handle_close(s->items[i].ds, s->x->c->mem);
    }
}

/* Plans the SELECT over the rows of a part. A view is planned for each part, a SELECT of taco_sql
   once. */
static bool taco__sql_tasks_plan(taco__sql_task *t)
{
    size_t k;
    if (t->x && t->all->text) { return taco__planner_set_rows(t->x, t->from, t->to); }
    taco_cursor_close(t->c, NULL);
    t->c = taco__planner_open_part(t->ds, t->all, t->from, t->to, &t->err);
    t->x = t->c ? (taco__executor *)t->c->producer.state : NULL;
    for (k = 1; t->x && k < t->x->b.table_count; k++) {
        taco__hash_join_share(&t->x->joins[k], &t->all->joins[k]);
    }
    return t->x != NULL;
}

/* A task: processes its part. */
static void taco__sql_tasks_task(void *arg, size_t i)
{
    taco__sql_tasks *s = (taco__sql_tasks *)arg;
    taco__sql_task *t = &s->items[i];
    if (!t->ds) { t->ds = taco__task_handle_open(s->x->c->ds, s->max_memory, &t->err); }
    t->ok = t->ds && taco__sql_tasks_plan(t) && s->run(t);
}

/* Runs tasks on the next parts. Returns how many parts; 0 at the end of the table, and if a task
   failed. */
static size_t taco__sql_tasks_round(taco__sql_tasks *s)
{
    taco__mem *mem = s->x->c->mem;
    size_t i, n = 0, failed = 0;
    uint64_t at = s->at;
    s->max_memory = taco__task_handle_memory(mem, s->width);
    for (; n < s->width && at < s->rows; n++) {
        taco__sql_task *t = &s->items[n];
        t->from = at;
        at = t->to = at + TACO__MIN(TACO__SQL_TASK_ROWS, s->rows - at);
        t->all = s->x;
        t->ok = false;
        if (t->ds) { taco__mem_task_begin(mem, &t->ds->mem, s->width); }
    }
    taco__tasks_run(&s->x->c->ds->options, n, taco__sql_tasks_task, s);
    for (i = 0; i < n; i++) {
        if (s->items[i].ds) { taco__mem_task_merge(mem, &s->items[i].ds->mem); }
        failed += !s->items[i].ok;
    }
    if (failed) { return 0; }
    s->at = at;
    return n;
}

/* Positions the scan of the calling thread, which has not begun, at the rows that tasks have not
   read; ok: all parts were added. */
static bool taco__sql_tasks_end(taco__sql_tasks *s, bool ok)
{
    taco__sql_tasks_close(s);
    taco__arena_free(&s->x->batch); /* of whole parts, which are larger than batches */
    s->x->by_tasks = s->at;
    s->x->scanned = s->at == s->rows;
    if (ok && s->at && !s->x->scanned) {
        taco__scan_set_rows(&s->x->scans[0]->readers[0].scan, s->at, s->rows - s->at);
    }
    return ok;
}

/* Forgets what was read, where memory ended and tasks took part, whose rows may need more of it.
   True if the calling thread can read everything. */
TACO__FN bool taco__sql_tasks_restart(taco__executor *x)
{
    taco_error *err = taco__operator_err(x);
    taco__arena held = x->unnest.held;
    uint64_t read = x->by_tasks;
    size_t i;
    if (!read || x->is_bare || (err->code != TACO_ERR_LIMIT && err->code != TACO_ERR_MEMORY) ||
        (x->view && read < x->scans[0]->readers[0].table->rows)) {
        return false;
    }
    memset(err, 0, sizeof *err);
    x->by_tasks = 0;
    x->alone = true;
    for (i = 0; i < x->b.aggr_count; i++) {
        taco__buf_free(&x->b.aggrs[i].a.groups);
        taco__aggregate_reset(&x->b.aggrs[i].a);
    }
    for (i = 1; i < x->b.table_count; i++) {
        taco__hash_join_share(&x->joins[i], NULL);
        x->joins[i].input_n = x->joins[i].input_at = 0;
        taco__arena_free(&x->joins[i].held);
    }
    taco__arena_free(&held);
    memset(&x->unnest, 0, sizeof x->unnest);
    x->unnest.held = held;
    memset(&x->groups, 0, sizeof x->groups);
    memset(&x->seen, 0, sizeof x->seen);
    taco__arena_free(&x->batch);
    taco__arena_free(&x->hold[0]);
    taco__arena_free(&x->hold[1]);
    x->has_worst = x->scanned = x->begun = x->sorted = false;
    x->worst = x->input_n = x->input_at = x->sequence_at = 0;
    x->skip = x->s.offset;
    x->left = x->s.has_limit ? x->s.limit : UINT64_MAX;
    /* the scan of a view whose rows tasks have read has not begun */
    return x->view || taco__planner_reopen(x);
}

/* ---- groups ---- */

/* Groups the rows of a part. */
static bool taco__sql_tasks_group_part(taco__sql_task *t)
{
    taco__executor *x = t->x;
    bool all = !x->where_count && !x->scans[0]->readers[0].filter.where && x->s.from_count == 1;
    size_t i, rows = all ? (size_t)(t->to - t->from) : 0; /* 0: not known */
    taco__arena_reset(&x->hold[0]);
    memset(&x->groups, 0, sizeof x->groups);
    for (i = 0; i < x->b.aggr_count; i++) {
        taco__bind_aggregation *g = &x->b.aggrs[i];
        taco__aggregate_reset(&g->a);
        if (!taco__aggregate_defer(&g->a, &x->hold[0], g->filter ? 0 : rows,
                                   taco__operator_err(x))) {
            return false;
        }
    }
    return taco__group_table_init(x, &x->groups, x->b.groups, x->b.group_count) &&
           taco__operator_group_rows(x);
}

/* Adds the groups of a part. */
static bool taco__sql_tasks_add_groups(taco__executor *x, taco__executor *part)
{
    taco_error *err = taco__operator_err(x);
    size_t i, n = x->b.group_count ? part->groups.count : 1;
    uint32_t *group;
    taco__arena_reset(&x->batch);
    group = (uint32_t *)taco__arena_array(&x->batch, n, sizeof *group, err); /* zeros */
    if (!group ||
        (x->b.group_count && !taco__group_table_merge(x, &x->groups, &part->groups, group))) {
        return false;
    }
    for (i = 0; i < x->b.aggr_count; i++) {
        taco__aggregate *a = &x->b.aggrs[i].a;
        if (!taco__aggregate_reserve(a, &x->hold[0], TACO__MAX(x->groups.count, (size_t)1), err) ||
            !taco__aggregate_merge(a, &x->hold[0], &part->b.aggrs[i].a, group, n, err)) {
            return false;
        }
    }
    return true;
}

/* Whether tasks save time: keeping the values of ordered aggregates for each group takes about as
   long as adding them. */
static bool taco__sql_tasks_pay(const taco__executor *x)
{
    size_t i;
    if (!x->b.group_count || !x->c->ds->options.parallel_long) { return true; }
    for (i = 0; i < x->b.aggr_count; i++) {
        if (taco__aggregate_is_ordered(&x->b.aggrs[i].a)) { return false; }
    }
    return true;
}

/* Reads rows into groups. */
TACO__FN bool taco__sql_tasks_group(taco__executor *x)
{
    taco__sql_tasks s;
    size_t i, n, groups = 0;
    bool ok = true;
    if (x->is_bare || !taco__sql_tasks_are_possible(x) || !taco__sql_tasks_pay(x)) { return true; }
    taco__sql_tasks_init(&s, x, taco__sql_tasks_group_part);
    while (ok && groups <= s.width * TACO__SQL_TASK_ROWS / 8 &&
           (n = taco__sql_tasks_round(&s)) != 0) {
        for (i = groups = 0; ok && i < n; i++) {
            groups += s.items[i].x->groups.count;
            ok = taco__sql_tasks_add_groups(x, s.items[i].x);
        }
    }
    return taco__sql_tasks_end(&s, ok);
}

/* ---- sorted rows ---- */

/* Empties the part. With a LIMIT, and once the calling thread has enough rows, the part starts with
   the worst of these, as rows after it are not needed. */
static bool taco__sql_tasks_begin_sort(taco__executor *x, const taco__executor *all)
{
    taco_error *err = taco__operator_err(x);
    uint32_t worst = (uint32_t)all->worst;
    size_t i;
    taco__arena_reset(&x->hold[0]);
    memset(&x->seen, 0, sizeof x->seen);
    if (!x->kept_vecs) {
        x->kept_vecs =
            (taco__vec *)taco__arena_array(&x->c->arena, x->width + 1, sizeof *x->kept_vecs, err);
    }
    if (!x->kept_vecs || !taco__sort_operator_init_rows(x, &x->hold[0], &x->kept)) { return false; }
    x->has_worst = all->has_worst;
    x->worst = 0;
    x->seeds = all->has_worst;
    for (i = 0; x->seeds && i < x->width; i++) {
        if (!taco__vec_builder_append(&x->hold[0], &x->kept[i], &all->kept_vecs[i], &worst, 1,
                                      err)) {
            return false;
        }
    }
    taco__sort_operator_set_vectors(x);
    return true;
}

/* Stores the rows of a part, and sorts them. */
static bool taco__sql_tasks_sort_part(taco__sql_task *t)
{
    taco__executor *x = t->x;
    return taco__sql_tasks_begin_sort(x, t->all) && taco__operator_sort_rows(x) &&
           taco__sort_operator_sort(x, x->kept_vecs[0].n);
}

/* Adds the rows of a part in sorted order, equal ones in table order. */
static bool taco__sql_tasks_add_sorted(taco__executor *x, const taco__executor *part)
{
    taco_error *err = taco__operator_err(x);
    /* the seed, which is not a row of this part, sorts last */
    uint64_t most = taco__sort_operator_most_rows(x), n = part->sequence_n - part->seeds, at, m;
    size_t i, k;
    n = TACO__MIN(n, most);
    for (at = 0; at < n; at += m) {
        taco__vec *v;
        m = TACO__MIN(n - at, (uint64_t)TACO__SQL_BATCH_ROWS);
        taco__arena_reset(&x->batch);
        v = (taco__vec *)taco__arena_array(&x->batch, x->width + 1, sizeof *v, err);
        for (i = 0; v && i < x->width; i++) {
            if (!taco__vec_take(&x->batch, &part->kept_vecs[i], part->sequence + at, (size_t)m,
                                &v[i], err)) {
                return false;
            }
        }
        k = (size_t)m;
        if (!v || (x->s.distinct && !x->s.on && !taco__operator_distinct(x, v, &k)) ||
            (k && !taco__sort_operator_add(x, v, k))) {
            return false;
        }
    }
    return taco__sort_operator_trim(x);
}

/* Stores rows to be sorted. */
TACO__FN bool taco__sql_tasks_sort(taco__executor *x)
{
    taco__sql_tasks s;
    size_t i, n;
    bool ok = true;
    if (x->is_bare || x->grouped || !taco__sql_tasks_are_possible(x)) { return true; }
    taco__sql_tasks_init(&s, x, taco__sql_tasks_sort_part);
    while (ok && (n = taco__sql_tasks_round(&s)) != 0) {
        for (i = 0; ok && i < n; i++) {
            ok = taco__sql_tasks_add_sorted(x, s.items[i].x);
        }
    }
    return taco__sql_tasks_end(&s, ok);
}

/* ---- distinct rows ---- */

static bool taco__sql_tasks_distinct_part(taco__sql_task *t)
{
    taco__arena_reset(&t->x->hold[0]);
    memset(&t->x->seen, 0, sizeof t->x->seen);
    return taco__operator_distinct_rows(t->x);
}

/* Adds the distinct rows of a part. */
static bool taco__sql_tasks_add_distinct(taco__executor *x, const taco__group_table *part)
{
    taco_error *err = taco__operator_err(x);
    uint32_t *number;
    taco__arena_reset(&x->batch);
    number = (uint32_t *)taco__arena_array(&x->batch, part->count, sizeof *number, err);
    return number && taco__group_table_merge(x, &x->seen, part, number);
}

/* Finds distinct rows of a result that is not sorted, and puts them in the columns of x->input.
   With a LIMIT, the first rows of the table may be enough, so nothing is read. */
TACO__FN bool taco__sql_tasks_drop_duplicates(taco__executor *x)
{
    taco__sql_tasks s;
    size_t i, n, rows = 0;
    bool ok = true;
    if (!x->s.distinct || x->s.on || x->s.has_limit || x->is_bare || x->grouped ||
        !taco__sql_tasks_are_possible(x)) {
        return true;
    }
    taco__sql_tasks_init(&s, x, taco__sql_tasks_distinct_part);
    ok = taco__group_table_init(x, &x->seen, x->distinct, x->distinct_count);
    while (ok && rows <= s.width * TACO__SQL_TASK_ROWS / 8 &&
           (n = taco__sql_tasks_round(&s)) != 0) {
        for (i = rows = 0; ok && i < n; i++) {
            const taco__group_table *part = &s.items[i].x->seen;
            rows += part->count;
            ok = taco__sql_tasks_add_distinct(x, part);
        }
    }
    x->input_n = x->seen.count;
    x->input = x->seen.vecs;
    return taco__sql_tasks_end(&s, ok);
}

/* ---- rows without any used column ---- */

static bool taco__sql_tasks_count_part(taco__sql_task *t)
{
    return taco__compose_count_rows(t->x->scans[0], &t->count);
}

/* Counts rows into x->bare. Without a condition the footer already has the number of rows. */
TACO__FN bool taco__sql_tasks_count(taco__executor *x)
{
    taco__sql_tasks s;
    size_t i, n;
    if (!taco__sql_tasks_are_possible(x) || !x->scans[0]->readers[0].filter.where) { return true; }
    taco__sql_tasks_init(&s, x, taco__sql_tasks_count_part);
    while ((n = taco__sql_tasks_round(&s)) != 0) {
        for (i = 0; i < n; i++) {
            x->bare += s.items[i].count;
        }
    }
    return taco__sql_tasks_end(&s, true);
}
