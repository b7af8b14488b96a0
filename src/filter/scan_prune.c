/* scan_prune.c - rows of a table that match: prune, read what the predicate needs, evaluate, read
   the rest. */
#include "filter.h"
#include "../base/base.h"
#include "../parquet/parquet.h"

/* ---- pruning
   ------------------------------------------------------------------------------------ */

/* The flat leaf of a table column, whose statistics speak of its rows; UINT32_MAX for others. */
TACO__FN uint32_t taco__scan_prune_flat_leaf(const taco__table *t, size_t column)
{
    const taco__pq_metadata *m = &t->pq->meta;
    const taco__pq_schema_node *node = column < t->stored ? &m->nodes[column] : NULL;
    return node && node->leaf_count == 1 && !node->field->child_count &&
                   !m->leaves[node->leaf].max_rep
               ? node->leaf
               : UINT32_MAX;
}

TACO__FN void taco__scan_prune_bounds_of(const taco__pq_leaf *leaf, const taco__pq_bounds *b,
                                         int64_t rows, taco__column_stats *out)
{
    memset(out, 0, sizeof *out);
    out->row_count = rows;
    out->null_count = b->null_count;
    out->physical = leaf->type;
    out->has_min =
        b->min.data && taco__scalar_from_statistics(leaf->field, leaf->type, b->min, &out->min);
    out->has_max =
        b->max.data && taco__scalar_from_statistics(leaf->field, leaf->type, b->max, &out->max);
}

/* What the statistics of a row group say of a table column. */
TACO__FN void taco__scan_prune_group_bounds(const taco__table *t, uint32_t group, size_t column,
                                            taco__column_stats *out)
{
    const taco__pq_metadata *m = &t->pq->meta;
    const taco__pq_row_group *g = &m->groups[group];
    uint32_t leaf = taco__scan_prune_flat_leaf(t, column);
    taco__pq_bounds b;
    if (leaf == UINT32_MAX) {
        memset(out, 0, sizeof *out);
        out->row_count = g->rows;
        out->null_count = column >= t->stored ? g->rows : -1;
        if (column >= t->stored && column - t->stored < t->constant_count &&
            !t->constants[column - t->stored].null_count) {
            const taco_array *one = &t->constants[column - t->stored];
            out->null_count = 0;
            out->has_min = out->has_max = true;
            out->min = out->max =
                one->field->type == TACO_INT32
                    ? taco__scalar_make_int(TACO_INT32, taco_array_int(one, 0))
                    : taco__scalar_make_bytes(TACO_TEXT, taco_array_bytes(one, 0));
        }
        return;
    }
    taco__stats_bounds(m, &m->leaves[leaf], &g->chunks[leaf].stats, &b);
    taco__scan_prune_bounds_of(&m->leaves[leaf], &b, g->rows, out);
}

/* The results that rows of a row group may have, a set of taco__outcomes. */
TACO__FN unsigned taco__scan_prune_group(taco__scan *s, uint32_t group)
{
    size_t i;
    if (!s->where || !s->table->pq || s->unpruned) {
        return s->where ? TACO__MAY_ANY : TACO__MAY_TRUE;
    }
    for (i = 0; i < s->used_count; i++) {
        taco__scan_prune_group_bounds(s->table, group, s->used[i], &s->probe.ranges[s->used[i]]);
    }
    return taco__pred_prune(s->where, s->probe.ranges);
}

/* Whether a bloom filter may help with a column that the predicate reads. */
TACO__FN bool taco__scan_prune_has_bloom(const taco__scan *s, uint32_t group, size_t column)
{
    uint32_t leaf = taco__scan_prune_flat_leaf(s->table, column);
    return leaf != UINT32_MAX && s->table->pq->meta.groups[group].chunks[leaf].bloom.len &&
           taco__pred_prune_needs_more(s->where, column, true);
}

/* Narrows `may` by the bloom filters of a row group. A source behind a network is asked only for
   filters that came with the page indexes. */
TACO__FN bool taco__scan_prune_by_bloom(taco__scan *s, uint32_t group, unsigned *may,
                                        taco_error *err)
{
    taco_pq_file *f = s->table->pq;
    taco_error e;
    size_t i;
    memset(&e, 0, sizeof e);
    for (i = 0; s->where && !s->unpruned && (*may & TACO__MAY_TRUE) && i < s->used_count; i++) {
        taco__column_stats *r = &s->probe.ranges[s->used[i]];
        const taco__pq_column_chunk *c;
        unsigned now;
        if (!taco__scan_prune_has_bloom(s, group, s->used[i])) { continue; }
        c = &f->meta.groups[group].chunks[taco__scan_prune_flat_leaf(s->table, s->used[i])];
        if (f->part.file->src.read_many &&
            (c->bloom.len == UINT64_MAX ||
             !taco__file_part_cached(&f->part, c->bloom.offset, (size_t)c->bloom.len))) {
            continue;
        }
        taco__scan_prune_group_bounds(s->table, group, s->used[i], r);
        if (!taco__bloom_open(&s->bloom, &f->part, c, s->mem, &e)) { continue; }
        r->holds = taco__bloom_may_contain;
        r->holds_ctx = &s->bloom;
        now = taco__pred_prune(s->where, s->probe.ranges);
        r->holds = NULL;
        s->counts.bloom_pruned += !(now & TACO__MAY_TRUE);
        *may = e.code == TACO_OK ? now : *may;
    }
    return !taco__page_index_is_fatal(&e, err);
}

static bool taco__scan_prune_add_span(taco__scan *s, uint64_t first, uint64_t end, bool whole,
                                      taco_error *err)
{
    taco__scan_span x, *last = (taco__scan_span *)(void *)s->spans.data;
    size_t n = s->spans.len / sizeof x;
    first = TACO__MAX(first, s->from);
    end = TACO__MIN(end, s->to);
    if (first >= end) { return true; }
    if (n && last[n - 1].first + last[n - 1].n == first && last[n - 1].whole == whole) {
        last[n - 1].n += end - first;
        return true;
    }
    memset(&x, 0, sizeof x);
    x.first = first;
    x.n = end - first;
    x.whole = whole;
    return taco__buf_append(&s->spans, &x, sizeof x, err);
}

/* A column of the predicate that has a page index, and where in it the plan has come to. */
typedef struct taco__scan_page_walk {
    size_t column;
    const taco__pq_leaf *leaf;
    const taco__pq_offset_index *offsets;
    const taco__pq_column_index *bounds;
    size_t page;
} taco__scan_page_walk;

static bool taco__scan_prune_open_pages(taco__scan *s, uint32_t group, taco__scan_page_walk *pages,
                                        size_t *n, taco_error *err)
{
    taco_pq_file *f = s->table->pq;
    size_t i;
    bool ok = true;
    *n = 0;
    for (i = 0; ok && i < s->used_count; i++) {
        taco__scan_page_walk *p = &pages[*n];
        uint32_t leaf = taco__scan_prune_flat_leaf(s->table, s->used[i]);
        if (leaf == UINT32_MAX || !taco__pred_prune_needs_more(s->where, s->used[i], false)) {
            continue;
        }
        p->bounds = taco__page_index_columns(f, group, leaf, &ok, err);
        p->offsets = p->bounds && ok ? taco__page_index_offsets(f, group, leaf, &ok, err) : NULL;
        p->column = s->used[i];
        p->leaf = &f->meta.leaves[leaf];
        p->page = SIZE_MAX;
        *n += p->offsets != NULL;
    }
    return ok || taco__pq_file_fail_group(f, group, err);
}

/* Adds the rows of a row group that may match, as the page index of the predicate's columns has it:
   between two page boundaries of any of them all is known that there is to know. */
TACO__FN bool taco__scan_prune_by_page_index(taco__scan *s, uint32_t group, unsigned may,
                                             taco_error *err)
{
    const taco__pq_metadata *m = s->table->pq ? &s->table->pq->meta : NULL;
    uint64_t first = taco__table_group_first_row(s->table, group), at = 0, next,
             rows = taco__table_group_rows(s->table, group);
    taco__scan_page_walk *pages;
    taco__pq_bounds b;
    size_t i, n = 0, bytes = (s->used_count + 1) * sizeof *pages;
    bool ok = true;
    if (may == TACO__MAY_TRUE || !m || s->unpruned) {
        return taco__scan_prune_add_span(s, first, first + rows, may == TACO__MAY_TRUE, err);
    }
    pages = (taco__scan_page_walk *)taco__mem_alloc(s->mem, bytes, err);
    if (!pages || !taco__scan_prune_open_pages(s, group, pages, &n, err)) {
        taco__mem_free(s->mem, pages, bytes);
        return false;
    }
    for (i = 0; i < s->used_count; i++) {
        taco__scan_prune_group_bounds(s->table, group, s->used[i], &s->probe.ranges[s->used[i]]);
    }
    for (; ok && at < rows; at = next) {
        for (i = 0, next = rows; i < n; i++) {
            taco__scan_page_walk *p = &pages[i];
            size_t k = taco__page_index_find_page(p->offsets, at);
            uint64_t end = taco__page_index_page_end(p->offsets, k, rows);
            if (k != p->page) {
                taco__stats_page_bounds(m, p->leaf, p->bounds, k, &b);
                taco__scan_prune_bounds_of(p->leaf, &b,
                                           (int64_t)(end - (uint64_t)p->offsets->page[k].first_row),
                                           &s->probe.ranges[p->column]);
                if (p->bounds->null_pages[k]) {
                    s->probe.ranges[p->column].null_count = s->probe.ranges[p->column].row_count;
                }
                p->page = k;
            }
            next = TACO__MIN(next, end);
        }
        may = n ? taco__pred_prune(s->where, s->probe.ranges) : may;
        s->counts.pages += n != 0;
        if (may & TACO__MAY_TRUE) {
            ok = taco__scan_prune_add_span(s, first + at, first + next, may == TACO__MAY_TRUE, err);
        } else {
            s->counts.pages_pruned++;
        }
    }
    taco__mem_free(s->mem, pages, bytes);
    return ok;
}

TACO__FN bool taco__scan_prune_group_selected(const taco__scan *s, uint32_t g)
{
    uint64_t first = taco__table_group_first_row(s->table, g),
             n = taco__table_group_rows(s->table, g);
    return n && first < s->to && first + n > s->from &&
           (!s->select || taco__bitmap_count(s->select, (size_t)first, (size_t)n) != 0);
}

/* Drops or settles the spans of a row group by what its dictionaries hold. */
TACO__FN bool taco__scan_prune_by_dictionary(taco__scan *s, uint32_t group, taco_error *err)
{
    taco__scan_span *x = (taco__scan_span *)(void *)s->spans.data;
    size_t i, kept = 0, n = s->spans.len / sizeof *x;
    unsigned may;
    if (!s->where || !s->table->pq || s->unpruned || s->select) { return true; }
    for (i = 0; i < n && x[i].whole; i++) {}
    if (i == n) { return true; }
    if (!taco__scan_filter_test_dictionary(s, &s->probe, group, &may, err)) { return false; }
    for (i = 0; i < n; i++) {
        x[i].whole = x[i].whole || may == TACO__MAY_TRUE;
        if (x[i].whole || (may & TACO__MAY_TRUE)) { x[kept++] = x[i]; }
    }
    s->counts.dictionary_pruned += !(may & TACO__MAY_TRUE);
    s->spans.len = kept * sizeof *x;
    return true;
}
