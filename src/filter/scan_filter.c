/* scan_filter.c - rows of a table that match: prune, read what the predicate needs, evaluate, read
   the rest. */
#include "filter.h"
#include "../base/base.h"
#include "../parquet/parquet.h"

TACO__FN void taco__scan_filter_close(taco__scan *s, taco__scan_filter *p)
{
    taco__row_reader_close(&p->pred);
    if (p->open) {
        taco__buf_free(&p->bits);
        taco__buf_free(&p->found);
        taco__codecs_close(p->codecs, p->mem);
        if (p->mem == &p->own) {
            taco__mem_task_merge(s->mem, &p->own);
            taco__mem_task_return_spares(s->mem, &p->own);
        }
    }
}

/* Opens the reader of the predicate's columns; codecs NULL: those of the file. */
TACO__FN bool taco__scan_filter_open(taco__scan *s, taco__scan_filter *p, taco__mem *mem, bool task,
                                     taco_error *err)
{
    const taco__table *t = s->table;
    size_t i;
    p->mem = p->bits.mem = p->found.mem = mem;
    p->open = true;
    p->by_column = (const taco_array **)taco__arena_array(&s->arena, t->field_count + 1,
                                                          sizeof *p->by_column, err);
    p->ranges = (taco__column_stats *)taco__arena_array(&s->arena, t->field_count + 1,
                                                        sizeof *p->ranges, err);
    if (task) { p->codecs = taco__codecs_open(mem, err); }
    if (!p->by_column || !p->ranges || (task && !p->codecs) ||
        !(task
              ? taco__row_reader_open_with(&p->pred, t, s->used, s->used_count, p->codecs, mem, err)
              : taco__row_reader_open(&p->pred, t, s->used, s->used_count, mem, err))) {
        return false;
    }
    for (i = 0; i < s->used_count; i++) {
        p->by_column[s->used[i]] = &p->pred.arrays[i];
    }
    return true;
}

/* ---- evaluating
   --------------------------------------------------------------------------------- */

/* Evaluates rows [first, first + n) and appends the numbers of those that match, counted from
   s->base. */
TACO__FN bool taco__scan_filter_slice(const taco__scan *s, taco__scan_filter *p, uint64_t first,
                                      size_t n, bool whole, taco_error *err)
{
    size_t i, k = n, start = p->found.len / sizeof(uint32_t);
    uint32_t *found, shift = (uint32_t)(first - s->base);
    int32_t *idx;
    if (!taco__buf_reserve(&p->found, n * sizeof(uint32_t), err)) { return false; }
    found = (uint32_t *)(void *)p->found.data + start;
    idx = (int32_t *)(void *)found;
    if ((!s->where || whole) && !s->select) {
        /* numbers that stand at their own place stay there from one window to the next */
        for (i = start == shift && p->written > start ? TACO__MIN(p->written - start, n) : 0; i < n;
             i++) {
            found[i] = shift + (uint32_t)i;
        }
        p->written = start != shift || start > p->written ? TACO__MIN(p->written, start)
                                                          : TACO__MAX(p->written, start + n);
        p->found.len += n * sizeof(uint32_t);
        return true;
    }
    p->written = 0;
    if (s->where && !whole) {
        if (s->select) { k = taco__bitmap_select(s->select, (size_t)first, n, idx); }
        if (k == 0) { return true; }
        if (!taco__buf_reset(&p->bits, TACO__BITMAP_BYTES(k) + 8, err) ||
            !(s->select ? taco__row_reader_read(&p->pred, first, found, k, err)
                        : taco__row_reader_read_range(&p->pred, first, n, err)) ||
            !taco__pred_eval(s->where, p->by_column, k, p->bits.data, p->mem, err)) {
            return false;
        }
        if (s->select) { /* idx shrinks in place to the rows that match */
            size_t hits = 0;
            for (i = 0; i < k; i++) {
                idx[hits] = idx[i];
                hits += taco__bitmap_get(p->bits.data, i);
            }
            k = hits;
        } else {
            k = taco__bitmap_select(p->bits.data, 0, n, idx);
        }
    } else {
        k = taco__bitmap_select(s->select, (size_t)first, n, idx);
    }
    for (i = 0; i < k; i++) {
        found[i] += shift;
    }
    p->found.len += k * sizeof(uint32_t);
    return true;
}

/* False in *may: no entry of the dictionaries of a row group makes the predicate true. They have to
   be loaded in any case, unless this spares the rest. */
TACO__FN bool taco__scan_filter_test_dictionary(const taco__scan *s, taco__scan_filter *p,
                                                uint32_t group, unsigned *may, taco_error *err)
{
    const taco__pq_row_group *g = &s->table->pq->meta.groups[group];
    size_t i;
    taco_array entries;
    *may = TACO__MAY_ANY;
    for (i = 0; i < s->used_count; i++) {
        taco__scan_prune_group_bounds(s->table, group, s->used[i], &p->ranges[s->used[i]]);
    }
    for (i = 0; (*may & TACO__MAY_TRUE) && i < s->used_count; i++) {
        uint32_t leaf = taco__scan_prune_flat_leaf(s->table, s->used[i]);
        if (leaf == UINT32_MAX || !g->chunks[leaf].dict_only || p->pred.columns[i].row ||
            !taco__pred_prune_needs_more(s->where, s->used[i], false)) {
            continue;
        }
        if (!taco__row_reader_open_group(&p->pred, group, err) ||
            !taco__column_reader_dictionary(&p->pred.columns[i], &entries, err)) {
            return taco__pq_file_fail_group(s->table->pq, group, err);
        }
        if (!entries.length || entries.length > (uint64_t)g->rows / 4) {
            continue; /* so many that testing them costs as much as it may spare */
        }
        p->ranges[s->used[i]].entries = &entries;
        p->ranges[s->used[i]].mem = p->mem;
        *may = taco__pred_prune(s->where, p->ranges);
        p->ranges[s->used[i]].entries = NULL;
    }
    return true;
}

/* Evaluates the spans inside rows [from, to) of one row group. */
static bool taco__scan_filter_group(const taco__scan *s, taco__scan_filter *p, uint32_t group,
                                    uint64_t from, uint64_t to, taco_error *err)
{
    const taco__scan_span *x = (const taco__scan_span *)(const void *)s->spans.data;
    size_t i, n = s->spans.len / sizeof *x;
    unsigned may = TACO__MAY_ANY;
    bool first = s->where && s->table->pq && !s->unpruned && !s->select;
    for (i = s->span_at; i < n && x[i].first < to; i++) {
        uint64_t at = TACO__MAX(x[i].first, from), end = TACO__MIN(x[i].first + x[i].n, to);
        if (at < end && first && !x[i].whole) {
            if (!taco__scan_filter_test_dictionary(s, p, group, &may, err)) { return false; }
            first = false;
            p->dictionary_pruned += !(may & TACO__MAY_TRUE);
        }
        while (at < end && (x[i].whole || (may & TACO__MAY_TRUE))) {
            size_t k = (size_t)TACO__MIN(end - at, (uint64_t)TACO__SCAN_SLICE);
            if (!taco__scan_filter_slice(s, p, at, k, x[i].whole || may == TACO__MAY_TRUE, err)) {
                return false;
            }
            at += k;
        }
    }
    return true;
}

/* The same of rows [p->from, p->to), which may reach over row groups. */
TACO__FN bool taco__scan_filter_rows(const taco__scan *s, taco__scan_filter *p, taco_error *err)
{
    const taco__pq_metadata *m = &s->table->pq->meta;
    uint64_t at, stop;
    for (at = p->from; at < p->to; at = stop) {
        uint32_t g = taco__footer_find_row_group(m, at);
        stop = TACO__MIN((uint64_t)(m->groups[g].first_row + m->groups[g].rows), p->to);
        if (!taco__scan_filter_group(s, p, g, at, stop, err)) { return false; }
    }
    return true;
}
