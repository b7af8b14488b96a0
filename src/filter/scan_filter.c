/* scan_filter.c - evaluates the predicate of a scan on rows and collects the numbers of those that
   match

   In: spans of rows that may match (scan_plan.c), and a taco__scan_filter, which has readers and
   buffers of its own, so that several may work on one scan in tasks. Out: in filter.found the
   numbers of the rows that match, counted from the scan's base.

   taco__scan_filter_rows takes rows of any number of row groups. In each row group, the entries of
   dictionaries are tested first, which may decide it as a whole, then the values, a slice of
   TACO__SCAN_SLICE rows at a time (taco__scan_filter_slice): the tested columns are decoded,
   taco__pred_eval makes a bitmap of them, and that becomes numbers. */
#include "scan.h"
#include "../base/base.h"
#include "../parquet/parquet.h"

/* Opens a filter whose memory is charged to mem; a task's filter has its own decoders, because the
   file's serve only one thread. On failure the filter must be closed, too. */
TACO__FN bool taco__scan_filter_open(taco__scan *s, taco__scan_filter *f, taco__mem *mem, bool task,
                                     taco_error *err)
{
    const taco__scan_query *q = &s->query;
    const taco__table *t = q->table;
    size_t i;
    f->mem = f->bitmap.mem = f->found.numbers.mem = mem;
    f->open = true;
    f->columns = (const taco_array **)taco__arena_array(&s->arena, t->field_count + 1,
                                                        sizeof *f->columns, err);
    f->stats = (taco__column_stats *)taco__arena_array(&s->arena, t->field_count + 1,
                                                       sizeof *f->stats, err);
    if (task) { f->codecs = taco__codecs_open(mem, err); }
    if (!f->columns || !f->stats || (task && !f->codecs) ||
        !(task ? taco__row_reader_open_with(&f->reader, t, q->tested, q->tested_count, f->codecs,
                                            mem, err)
               : taco__row_reader_open(&f->reader, t, q->tested, q->tested_count, mem, err))) {
        return false;
    }
    f->reader.scan = q->cache_scan;
    for (i = 0; i < q->tested_count; i++) {
        f->columns[q->tested[i]] = &f->reader.arrays[i];
    }
    return true;
}

/* A filter that was never opened is accepted. */
TACO__FN void taco__scan_filter_close(taco__scan *s, taco__scan_filter *f)
{
    taco__row_reader_close(&f->reader);
    if (!f->open) { return; }
    taco__buf_free(&f->bitmap);
    taco__buf_free(&f->found.numbers);
    taco__codecs_close(f->codecs, f->mem);
    if (f->mem == &f->own) {
        taco__mem_task_merge(s->mem, &f->own);
        taco__mem_task_return_spares(s->mem, &f->own);
    }
}

/* ---- slices ---- */

/* Evaluates n rows from `first` on; if the query selects rows, only the *count rows in `numbers`,
   relative to `first`. Leaves the matching ones in `numbers` and their count in *count. */
static bool taco__scan_filter_evaluate(const taco__scan *s, taco__scan_filter *f, uint64_t first,
                                       size_t n, uint32_t *numbers, size_t *count, taco_error *err)
{
    const taco__scan_query *q = &s->query;
    size_t i, hits = 0;
    if (!taco__buf_reset(&f->bitmap, TACO__BITMAP_BYTES(*count) + 8, err) ||
        !(q->select ? taco__row_reader_read(&f->reader, first, numbers, *count, err)
                    : taco__row_reader_read_range(&f->reader, first, n, err)) ||
        !TACO__WITH_FILTERS ||
        !taco__pred_eval(q->where, f->columns, *count, f->bitmap.data, f->mem, err)) {
        return false;
    }
    if (!q->select) {
        *count = taco__bitmap_select(f->bitmap.data, 0, n, (int32_t *)(void *)numbers);
        return true;
    }
    for (i = 0; i < *count; i++) { /* shrinks in place to the matching rows */
        numbers[hits] = numbers[i];
        hits += taco__bitmap_get(f->bitmap.data, i);
    }
    *count = hits;
    return true;
}

/* Adds the matches among rows [first, first + n) to f->found. all_match: no evaluation needed. */
TACO__FN bool taco__scan_filter_slice(const taco__scan *s, taco__scan_filter *f, uint64_t first,
                                      size_t n, bool all_match, taco_error *err)
{
    const taco__scan_query *q = &s->query;
    bool test = TACO__WITH_FILTERS && q->where && !all_match;
    uint32_t *numbers, shift = (uint32_t)(first - s->base);
    size_t i, count = n;
    if (!test && !q->select) { return taco__scan_matches_add_run(&f->found, shift, n, err); }
    numbers = taco__scan_matches_reserve(&f->found, n, err);
    if (!numbers) { return false; }
    if (q->select) {
        count = taco__bitmap_select(q->select, (size_t)first, n, (int32_t *)(void *)numbers);
    }
    if (test && count && !taco__scan_filter_evaluate(s, f, first, n, numbers, &count, err)) {
        return false;
    }
    for (i = 0; i < count; i++) {
        numbers[i] += shift;
    }
    taco__scan_matches_commit(&f->found, count);
    return true;
}

/* ---- row groups ---- */

/* Whether the entries of the dictionary of tested column i may decide a condition on it, because
   all values of the chunk are entries. A dictionary costs a separate read. Once one has not saved
   reading its row group, those of further row groups are not tried. */
static bool taco__scan_filter_has_dictionary(const taco__scan *s, const taco__scan_filter *f,
                                             const taco__pq_row_group *g, size_t i)
{
    const taco__scan_query *q = &s->query;
    uint32_t leaf = taco__scan_prune_flat_leaf(q->table, q->tested[i]);
    return leaf != UINT32_MAX && g->chunks[leaf].dict_only && !f->reader.columns[i].row &&
           TACO__WITH_FILTERS && taco__pred_prune_needs_more(q->where, q->tested[i], false);
}

/* Sets *may, a set of taco__outcomes, to what the dictionaries of a row group leave: without
   MAY_TRUE no entry makes the predicate true. They have to be loaded anyway, unless this prunes the
   row group. */
TACO__FN bool taco__scan_filter_test_dictionary(const taco__scan *s, taco__scan_filter *f,
                                                uint32_t group, unsigned *may, taco_error *err)
{
    const taco__scan_query *q = &s->query;
    const taco__pq_row_group *g = &q->table->pq->meta.groups[group];
    taco_array entries;
    size_t i;
    *may = TACO__MAY_ANY;
    for (i = 0; i < q->tested_count; i++) {
        taco__scan_prune_group_bounds(q->table, group, q->tested[i], &f->stats[q->tested[i]]);
    }
    for (i = 0; (*may & TACO__MAY_TRUE) && i < q->tested_count; i++) {
        taco__column_stats *stats = &f->stats[q->tested[i]];
        if (!taco__scan_filter_has_dictionary(s, f, g, i)) { continue; }
        if (!taco__row_reader_open_group(&f->reader, group, err) ||
            !taco__column_reader_dictionary(&f->reader.columns[i], &entries, err)) {
            return taco__pq_file_fail_group(q->table->pq, group, err);
        }
        if (!entries.length || entries.length > (uint64_t)g->rows / 4) {
            continue; /* so many that testing them takes as long as what it may save */
        }
        stats->entries = &entries;
        stats->mem = f->mem;
        *may = TACO__WITH_FILTERS ? taco__pred_prune(q->where, f->stats) : (unsigned)TACO__MAY_TRUE;
        stats->entries = NULL;
    }
    return true;
}

/* Evaluates rows [first, end) in slices. */
static bool taco__scan_filter_range(const taco__scan *s, taco__scan_filter *f, uint64_t first,
                                    uint64_t end, bool all_match, taco_error *err)
{
    while (first < end) {
        size_t n = (size_t)TACO__MIN(end - first, (uint64_t)TACO__SCAN_SLICE);
        if (!taco__scan_filter_slice(s, f, first, n, all_match, err)) { return false; }
        first += n;
    }
    return true;
}

/* Evaluates the spans inside rows [from, to) of one row group; tests its dictionaries before the
   first span that is not known to match. */
static bool taco__scan_filter_group(const taco__scan *s, taco__scan_filter *f, uint32_t group,
                                    uint64_t from, uint64_t to, taco_error *err)
{
    const taco__scan_query *q = &s->query;
    const taco__scan_span *x = (const taco__scan_span *)(const void *)s->plan.spans.data;
    size_t i, n = s->plan.spans.len / sizeof *x;
    unsigned may = TACO__MAY_ANY;
    bool untested =
        TACO__WITH_FILTERS && q->where && q->table->pq && !s->plan.unpruned && !q->select;
    for (i = s->plan.span_at; i < n && x[i].first < to; i++) {
        uint64_t first = TACO__MAX(x[i].first, from), end = TACO__MIN(x[i].first + x[i].n, to);
        if (first >= end) { continue; }
        if (untested && !x[i].all_match) {
            if (!taco__scan_filter_test_dictionary(s, f, group, &may, err)) { return false; }
            untested = false;
            f->dictionary_pruned += !(may & TACO__MAY_TRUE);
        }
        if ((x[i].all_match || (may & TACO__MAY_TRUE)) &&
            !taco__scan_filter_range(s, f, first, end, x[i].all_match || may == TACO__MAY_TRUE,
                                     err)) {
            return false;
        }
    }
    return true;
}

/* Adds the matches in the spans inside rows [f->first, f->end), of one or more row groups, to
   f->found. */
TACO__FN bool taco__scan_filter_rows(const taco__scan *s, taco__scan_filter *f, taco_error *err)
{
    const taco__pq_metadata *m = &s->query.table->pq->meta;
    uint64_t at, stop;
    for (at = f->first; at < f->end; at = stop) {
        uint32_t g = taco__footer_find_row_group(m, at);
        stop = TACO__MIN((uint64_t)(m->groups[g].first_row + m->groups[g].rows), f->end);
        if (!taco__scan_filter_group(s, f, g, at, stop, err)) { return false; }
    }
    return true;
}
