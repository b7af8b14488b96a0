/* scan_prune.c - row groups, pages and dictionaries in which no row can match

   In: the bound predicate of a scan, and what is known about values without decoding them:
   statistics of row groups and of pages (parquet-format "Statistics", "PageIndex.md"), bloom
   filters ("BloomFilter.md") and dictionaries. Out: for a row group, the results its rows may have,
   a set of taco__outcomes, or the spans of rows that are left (scan_plan.c).

   What is known about one column goes into a taco__column_stats; taco__pred_prune
   (predicate_prune.c) takes those of all columns of the predicate. Only flat columns can be pruned
   by: the statistics of a nested one describe its items. Pruning may miss opportunities but never
   drops a matching row: missing or malformed statistics count as unknown.

   The steps, the cheapest first: taco__scan_prune_group (the footer alone), _by_bloom,
   _by_page_index, _by_dictionary. */
#include "scan.h"
#include "../base/base.h"
#include "../parquet/parquet.h"

/* The leaf of a flat column of the table, whose statistics describe its rows; UINT32_MAX for
   others, and for columns the file does not store, or not as they are read. */
TACO__FN uint32_t taco__scan_prune_flat_leaf(const taco__table *t, size_t column)
{
    const taco__pq_metadata *m = &t->pq->meta;
    const taco__pq_schema_node *node = column < t->stored ? &m->nodes[column] : NULL;
    /* a repeated leaf is the child of a list */
    return node && node->leaf_count == 1 && !node->field->child_count &&
                   !taco__table_replaced(t, column)
               ? node->leaf
               : UINT32_MAX;
}

/* ---- row groups ---- */

/* What the bounds of `rows` rows prove. Those that cannot be relied on are left out. */
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

/* A column of the table that its file does not store: one value in all rows, or nulls. */
static void taco__scan_prune_constant_bounds(const taco__table *t, size_t column,
                                             taco__column_stats *out)
{
    const taco_array *one = column < t->constant_count ? &t->constants[column] : NULL;
    out->null_count = out->row_count;
    if (!one || one->null_count) { return; }
    out->null_count = 0;
    out->has_min = out->has_max = true;
    out->min = out->max = one->field->type == TACO_INT32
                              ? taco__scalar_make_int(TACO_INT32, taco_array_int(one, 0))
                              : taco__scalar_make_bytes(TACO_TEXT, taco_array_bytes(one, 0));
}

/* What the statistics of a row group say about a column of the table. */
TACO__FN void taco__scan_prune_group_bounds(const taco__table *t, uint32_t group, size_t column,
                                            taco__column_stats *out)
{
    const taco__pq_metadata *m = &t->pq->meta;
    const taco__pq_row_group *g = &m->groups[group];
    uint32_t leaf = taco__scan_prune_flat_leaf(t, column);
    taco__pq_bounds b;
    size_t made;
    if (leaf == UINT32_MAX || !TACO__WITH_PRUNING) {
        memset(out, 0, sizeof *out);
        out->row_count = g->rows;
        out->null_count = -1;
        if (column >= t->stored && !taco__table_is_made(t, column, &made)) {
            taco__scan_prune_constant_bounds(t, column - t->stored, out);
        }
        return;
    }
    taco__stats_bounds(m, &m->leaves[leaf], &g->chunks[leaf].stats, &b);
    taco__scan_prune_bounds_of(&m->leaves[leaf], &b, g->rows, out);
    out->geo = g->chunks[leaf].geo;
}

/* The same for all tested columns, into the plan's stats. */
static void taco__scan_prune_load_bounds(taco__scan *s, uint32_t group)
{
    const taco__scan_query *q = &s->query;
    size_t i;
    for (i = 0; i < q->tested_count; i++) {
        taco__scan_prune_group_bounds(q->table, group, q->tested[i], &s->plan.stats[q->tested[i]]);
    }
}

/* Whether the query includes any rows of a row group. */
TACO__FN bool taco__scan_prune_group_selected(const taco__scan *s, uint32_t g)
{
    uint64_t first = taco__table_group_first_row(s->query.table, g),
             n = taco__table_group_rows(s->query.table, g);
    return n && first < s->query.to && first + n > s->query.from &&
           (!s->query.select || taco__bitmap_count(s->query.select, (size_t)first, (size_t)n) != 0);
}

/* The results that rows of a row group may have, a set of taco__outcomes, from its statistics. */
TACO__FN unsigned taco__scan_prune_group(taco__scan *s, uint32_t group)
{
    if (!TACO__WITH_FILTERS || !s->query.where) { return TACO__MAY_TRUE; }
    if (!s->query.table->pq || s->plan.unpruned) { return TACO__MAY_ANY; }
    taco__scan_prune_load_bounds(s, group);
    return taco__pred_prune(s->query.where, s->plan.stats);
}

/* ---- bloom filters ---- */

/* Whether a bloom filter may help with a column that the predicate reads: it exists, and the
   predicate looks up single values. */
TACO__FN bool taco__scan_prune_has_bloom(const taco__scan *s, uint32_t group, size_t column)
{
    const taco__table *t = s->query.table;
    uint32_t leaf = taco__scan_prune_flat_leaf(t, column);
    return TACO__WITH_BLOOM && leaf != UINT32_MAX &&
           t->pq->meta.groups[group].chunks[leaf].bloom.len && TACO__WITH_FILTERS &&
           taco__pred_prune_needs_more(s->query.where, column, true);
}

/* From a remote source, only filters fetched with the page indexes are used. */
static bool taco__scan_prune_can_read_bloom(const taco_pq_file *f, const taco__pq_column_chunk *c)
{
    return !f->part.file->src.read_many ||
           (c->bloom.len != UINT64_MAX &&
            taco__file_part_cached(&f->part, c->bloom.offset, (size_t)c->bloom.len));
}

/* Narrows *may by the bloom filters of a row group, unless it is already decided. A malformed
   filter counts as absent; false if one cannot be read or there is no memory for it. */
TACO__FN bool taco__scan_prune_by_bloom(taco__scan *s, uint32_t group, unsigned *may,
                                        taco_error *err)
{
    const taco__scan_query *q = &s->query;
    taco_pq_file *f = q->table->pq;
    taco_error e;
    size_t i;
    if (!TACO__WITH_BLOOM || !TACO__WITH_FILTERS || !q->where || !f || s->plan.unpruned ||
        *may == TACO__MAY_TRUE) {
        return true;
    }
    memset(&e, 0, sizeof e);
    for (i = 0; (*may & TACO__MAY_TRUE) && i < q->tested_count; i++) {
        taco__column_stats *stats = &s->plan.stats[q->tested[i]];
        const taco__pq_column_chunk *c;
        unsigned now;
        if (!taco__scan_prune_has_bloom(s, group, q->tested[i])) { continue; }
        c = &f->meta.groups[group].chunks[taco__scan_prune_flat_leaf(q->table, q->tested[i])];
        if (!taco__scan_prune_can_read_bloom(f, c)) { continue; }
        /* the stats may be of another row group, and one filter is used at a time */
        taco__scan_prune_load_bounds(s, group);
        if (!taco__bloom_open(&s->plan.bloom, &f->part, c, s->mem, &e)) { continue; }
        stats->holds = taco__bloom_may_contain;
        stats->holds_ctx = &s->plan.bloom;
        now = taco__pred_prune(q->where, s->plan.stats);
        stats->holds = NULL;
        s->plan.counts.bloom_pruned += !(now & TACO__MAY_TRUE);
        *may = e.code == TACO_OK ? now : *may;
    }
    if (taco__page_index_is_fatal(&e, err)) { return taco__pq_file_fail_group(f, group, err); }
    return true;
}

/* ---- page indexes ---- */

/* A column of the predicate that has a page index, and the page that its stats describe. */
typedef struct taco__scan_page_walk {
    size_t column; /* of the table */
    const taco__pq_leaf *leaf;
    const taco__pq_offset_index *offsets;
    const taco__pq_column_index *bounds;
    size_t page; /* SIZE_MAX: none yet */
} taco__scan_page_walk;

/* Finds the indexes of the tested columns, *n of which have one that may help; reads those not yet
   fetched. */
static bool taco__scan_prune_open_pages(taco__scan *s, uint32_t group, taco__scan_page_walk *walks,
                                        size_t *n, taco_error *err)
{
    const taco__scan_query *q = &s->query;
    taco_pq_file *f = q->table->pq;
    size_t i;
    bool ok = true;
    *n = 0;
    for (i = 0; ok && i < q->tested_count; i++) {
        taco__scan_page_walk *p = &walks[*n];
        uint32_t leaf = taco__scan_prune_flat_leaf(q->table, q->tested[i]);
        if (leaf == UINT32_MAX || !taco__pred_prune_needs_more(q->where, q->tested[i], false)) {
            continue;
        }
        p->bounds = taco__page_index_columns(f, group, leaf, &ok, err);
        p->offsets = p->bounds && ok ? taco__page_index_offsets(f, group, leaf, &ok, err) : NULL;
        p->column = q->tested[i];
        p->leaf = &f->meta.leaves[leaf];
        p->page = SIZE_MAX;
        *n += p->offsets != NULL;
    }
    if (!ok) { return taco__pq_file_fail_group(f, group, err); }
    return true;
}

/* Moves a column to the page that contains row `at` of a row group of `rows` rows; returns the row
   after that page. */
static uint64_t taco__scan_prune_step_page(taco__scan *s, taco__scan_page_walk *p, uint64_t at,
                                           uint64_t rows)
{
    size_t k = taco__page_index_find_page(p->offsets, at);
    uint64_t end = taco__page_index_page_end(p->offsets, k, rows);
    taco__column_stats *stats = &s->plan.stats[p->column];
    taco__pq_bounds b;
    if (k != p->page) {
        const taco__pq_geo_bounds *geo = stats->geo; /* of the row group, so also of its pages */
        taco__stats_page_bounds(&s->query.table->pq->meta, p->leaf, p->bounds, k, &b);
        taco__scan_prune_bounds_of(p->leaf, &b,
                                   (int64_t)(end - (uint64_t)p->offsets->page[k].first_row), stats);
        stats->geo = geo;
        if (p->bounds->null_pages[k]) { stats->null_count = stats->row_count; }
        p->page = k;
    }
    return end;
}

/* Adds the spans of rows that may match. Pages of different columns begin at different rows: rows
   between two neighbouring page boundaries, of whichever columns, are decided together. */
static bool taco__scan_prune_pages(taco__scan *s, uint32_t group, unsigned may,
                                   taco__scan_page_walk *walks, size_t n, taco_error *err)
{
    uint64_t first = taco__table_group_first_row(s->query.table, group), at = 0, next,
             rows = taco__table_group_rows(s->query.table, group);
    size_t i;
    bool ok = true;
    taco__scan_prune_load_bounds(s, group); /* for columns without an index */
    for (; ok && at < rows; at = next) {
        for (i = 0, next = rows; i < n; i++) {
            uint64_t end = taco__scan_prune_step_page(s, &walks[i], at, rows);
            next = TACO__MIN(next, end);
        }
        may = n ? taco__pred_prune(s->query.where, s->plan.stats) : may;
        s->plan.counts.pages += n != 0;
        if (may & TACO__MAY_TRUE) {
            ok = taco__scan_plan_add_span(s, first + at, first + next, may == TACO__MAY_TRUE, err);
        } else {
            s->plan.counts.pages_pruned++;
        }
    }
    return ok;
}

/* Adds the spans of a row group that may match according to the page indexes of the tested columns;
   `may` is what is known about the row group so far. */
TACO__FN bool taco__scan_prune_by_page_index(taco__scan *s, uint32_t group, unsigned may,
                                             taco_error *err)
{
    const taco__table *t = s->query.table;
    uint64_t first = taco__table_group_first_row(t, group);
    taco__scan_page_walk *walks;
    size_t n = 0, bytes = (s->query.tested_count + 1) * sizeof *walks;
    bool ok;
    if (!TACO__WITH_FILTERS || may == TACO__MAY_TRUE || !t->pq || s->plan.unpruned) {
        return taco__scan_plan_add_span(s, first, first + taco__table_group_rows(t, group),
                                        may == TACO__MAY_TRUE, err);
    }
    if (!TACO__WITH_PAGE_INDEX) {
        return !(may & TACO__MAY_TRUE) ||
               taco__scan_plan_add_span(s, first, first + taco__table_group_rows(t, group), false,
                                        err);
    }
    walks = (taco__scan_page_walk *)taco__mem_alloc(s->mem, bytes, err);
    ok = walks && taco__scan_prune_open_pages(s, group, walks, &n, err) &&
         taco__scan_prune_pages(s, group, may, walks, n, err);
    taco__mem_free(s->mem, walks, bytes);
    return ok;
}

/* ---- dictionaries ---- */

/* Uses dictionaries to drop the spans of the current row group, or to decide that all their rows
   match. Not if rows are selected: testing the entries may take longer than testing those few
   rows. */
TACO__FN bool taco__scan_prune_by_dictionary(taco__scan *s, uint32_t group, taco_error *err)
{
    taco__scan_span *x = (taco__scan_span *)(void *)s->plan.spans.data;
    size_t i, left = 0, n = s->plan.spans.len / sizeof *x;
    unsigned may;
    if (!TACO__WITH_PRUNING || !TACO__WITH_FILTERS || !s->query.where || !s->query.table->pq ||
        s->plan.unpruned || s->query.select) {
        return true;
    }
    for (i = 0; i < n && x[i].all_match; i++) {}
    if (i == n) { return true; }
    if (!taco__scan_filter_test_dictionary(s, &s->filter, group, &may, err)) { return false; }
    for (i = 0; i < n; i++) {
        x[i].all_match = x[i].all_match || may == TACO__MAY_TRUE;
        if (x[i].all_match || (may & TACO__MAY_TRUE)) { x[left++] = x[i]; }
    }
    s->plan.counts.dictionary_pruned += !(may & TACO__MAY_TRUE);
    s->plan.spans.len = left * sizeof *x;
    return true;
}
