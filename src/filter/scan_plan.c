/* scan_plan.c - what a scan will read: row groups, then their rows that may match

   In: the query of a scan (taco__scan_query) and the metadata of its table. Out: the row groups
   that may have a match according to their statistics, one at a time or a window of them, and in
   plan.spans their rows that may match according to bloom filters and page indexes (scan_prune.c).
   No page is read for that.

   The steps of a plan, by caller:
   - a scan of a local file: taco__scan_plan_next_group, then its rows, group by group (scan.c);
   - one of a vectored source, or with tasks: taco__scan_plan_window, taco__scan_plan_rows, and the
     ranges of each of its groups with taco__scan_plan_group_rows (scan_fetch.c);
   - EXPLAIN: the same with taco__scan_plan_all_groups, to print the ranges (sql/explain.c). */
#include "scan.h"
#include "../base/base.h"
#include "../parquet/parquet.h"

/* ---- row groups ---- */

/* Moves to the next row group that may have rows; *may is what its statistics leave of the
   predicate; false at the end. */
TACO__FN bool taco__scan_plan_next_group(taco__scan *s, uint32_t *group, unsigned *may)
{
    taco__scan_plan *p = &s->plan;
    while (p->next_group < taco__table_group_count(s->query.table)) {
        *group = p->next_group++;
        if (!taco__scan_prune_group_selected(s, *group)) { continue; }
        *may = taco__scan_prune_group(s, *group);
        p->counts.groups++;
        if (*may & TACO__MAY_TRUE) { return true; }
        p->counts.groups_pruned++;
    }
    return false;
}

/* Undoes the last taco__scan_plan_next_group, which returned this row group. */
static void taco__scan_plan_undo_group(taco__scan *s, uint32_t group)
{
    s->plan.next_group = group;
    s->plan.counts.groups--;
}

/* Whether a window that begins with row group `first` may extend to the end of `group`: matches are
   numbered from its first row, in 31 bits. */
static bool taco__scan_plan_fits_window(const taco__table *t, uint32_t first, uint32_t group)
{
    return taco__table_group_first_row(t, group) + taco__table_group_rows(t, group) -
               taco__table_group_first_row(t, first) <=
           INT32_MAX;
}

/* Whether each row group fits a window. Others are read slice by slice. */
TACO__FN bool taco__scan_plan_has_windows(const taco__table *t)
{
    uint32_t g, n = t->rows > INT32_MAX ? taco__table_group_count(t) : 0;
    for (g = 0; g < n && taco__scan_plan_fits_window(t, g, g); g++) {}
    return g == n;
}

/* The row groups of the next window: at most TACO__SCAN_WINDOW_GROUPS, and about as many bytes as
   may be fetched ahead, counting tested columns or, if nothing is tested, output columns. */
TACO__FN void taco__scan_plan_window(taco__scan *s, taco__scan_window *w)
{
    const taco__scan_query *q = &s->query;
    uint64_t bytes = 0;
    uint32_t g;
    unsigned may;
    /* without a predicate there is nothing to find: as many as tasks read */
    bool vectored = q->table->pq->part.file->src.read_many != NULL;
    uint64_t ahead = vectored ? TACO__SCAN_AHEAD : TACO__SCAN_AHEAD_LOCAL;
    size_t most = q->where || vectored ? (size_t)TACO__SCAN_WINDOW_GROUPS : s->tasks.width;
    w->count = 0;
    while (w->count < most && taco__scan_plan_next_group(s, &g, &may)) {
        bool test = q->where && may != TACO__MAY_TRUE;
        bool enough = bytes > ahead && (vectored || w->count % s->tasks.width == 0);
        if (w->count && (enough || !taco__scan_plan_fits_window(q->table, w->groups[0], g))) {
            taco__scan_plan_undo_group(s, g);
            break;
        }
        w->groups[w->count] = g;
        w->outcomes[w->count++] = (uint8_t)may;
        bytes += taco__scan_fetch_chunk_bytes(q->table, test ? q->tested : s->out.which,
                                              test ? q->tested_count : s->out.count, g, false);
    }
}

/* All remaining row groups; the window has room for all of the table's. For EXPLAIN. */
TACO__FN void taco__scan_plan_all_groups(taco__scan *s, taco__scan_window *w)
{
    uint32_t g;
    unsigned may;
    w->count = 0;
    while (taco__scan_plan_next_group(s, &g, &may)) {
        w->groups[w->count] = g;
        w->outcomes[w->count++] = (uint8_t)may;
    }
}

/* ---- rows ---- */

/* Adds rows [first, end) to the spans, clipped to the query's rows. */
TACO__FN bool taco__scan_plan_add_span(taco__scan *s, uint64_t first, uint64_t end, bool all_match,
                                       taco_error *err)
{
    taco__buf *spans = &s->plan.spans;
    taco__scan_span x, *last = (taco__scan_span *)(void *)spans->data;
    size_t n = spans->len / sizeof x;
    first = TACO__MAX(first, s->query.from);
    end = TACO__MIN(end, s->query.to);
    if (first >= end) { return true; }
    if (n && last[n - 1].first + last[n - 1].n == first && last[n - 1].all_match == all_match) {
        last[n - 1].n += end - first;
        return true;
    }
    memset(&x, 0, sizeof x);
    x.first = first;
    x.n = end - first;
    x.all_match = all_match;
    return taco__buf_append(spans, &x, sizeof x, err);
}

/* Fills plan.spans with the rows of the window that may match according to bloom filters and page
   indexes, and drops row groups that have none. Indexes that were not fetched are read. */
TACO__FN bool taco__scan_plan_rows(taco__scan *s, taco__scan_window *w, taco_error *err)
{
    size_t i, n = 0;
    s->plan.spans.len = 0;
    s->plan.span_at = 0;
    for (i = 0; i < w->count; i++) {
        uint32_t g = w->groups[i];
        unsigned may = w->outcomes[i];
        if (!taco__scan_prune_by_bloom(s, g, &may, err)) { return false; }
        if (!(may & TACO__MAY_TRUE)) { continue; }
        if (!taco__scan_prune_by_page_index(s, g, may, err)) { return false; }
        w->groups[n++] = g;
    }
    w->count = n;
    return true;
}

/* Selects the spans that overlap a row group, for the functions of scan_fetch.c. *at is 0 for the
   first row group and is passed on to the next, in ascending order. True if some of the rows must
   be evaluated. */
TACO__FN bool taco__scan_plan_group_rows(const taco__scan *s, uint32_t group, size_t *at,
                                         taco__row_selection *rows)
{
    const taco__scan_span *x = (const taco__scan_span *)(const void *)s->plan.spans.data;
    size_t end, count = s->plan.spans.len / sizeof *x;
    uint64_t first = taco__table_group_first_row(s->query.table, group),
             stop = first + taco__table_group_rows(s->query.table, group);
    bool test = false;
    while (*at < count && x[*at].first + x[*at].n <= first) {
        ++*at;
    }
    for (end = *at; end < count && x[end].first < stop; end++) {
        test = test || (s->query.where && !x[end].all_match);
    }
    memset(rows, 0, sizeof *rows);
    rows->cache_scan = s->query.cache_scan;
    rows->spans = x + *at;
    rows->span_count = end - *at;
    rows->select = s->query.select;
    return test;
}
