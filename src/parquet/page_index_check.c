/* page_index_check.c - a column index that another part of the file denies

   In: the column index of a chunk, beside its offset index, the chunk's statistics and the schema;
   out: the first contradiction, in words. Who trusts such an index loses rows: readers do without
   it, verify.c says why. Spec: parquet-format PageIndex.md, parquet.thrift "ColumnIndex". All of it
   is in memory already, and looked at once for an index. */
#include "parquet.h"
#include "../base/base.h"

/* What is compared: the chunk, its indexes, and the row group's number of rows. */
typedef struct taco__index_check {
    const taco__pq_metadata *m;
    const taco__pq_leaf *leaf;
    const taco__pq_column_chunk *chunk;
    const taco__pq_offset_index *offsets; /* NULL: none */
    const taco__pq_column_index *columns;
    uint64_t rows;
    taco_error *why;
} taco__index_check;

/* Nulls of page i: none in a required column, no more than its rows where each has one entry, and
   as many in a page of nulls only. */
static bool taco__index_check_nulls(const taco__index_check *k, size_t i)
{
    const taco__pq_column_index *x = k->columns;
    int64_t nulls = x->null_counts ? x->null_counts[i] : -1, rows;
    if (k->leaf->max_def == 0 && (nulls > 0 || x->null_pages[i])) {
        TACO__FAIL(k->why, TACO_ERR_CORRUPT, k->chunk->column_index.offset,
                   "the column index has nulls in page %u of a required column", TACO__U(i));
        return false;
    }
    if (!k->offsets || k->leaf->max_rep || nulls < 0) { return true; }
    rows =
        (int64_t)taco__page_index_page_end(k->offsets, i, k->rows) - k->offsets->page[i].first_row;
    if (nulls <= rows && (rows == 0 || (nulls == rows) == (x->null_pages[i] != 0))) { return true; }
    TACO__FAIL(k->why, TACO_ERR_CORRUPT, k->chunk->column_index.offset,
               "the column index has %d nulls in the %d rows of page %u, which %s only nulls",
               nulls, rows, TACO__U(i), x->null_pages[i] ? "has" : "has not");
    return false;
}

/* Nulls of all pages, against those of the chunk. */
static bool taco__index_check_total(const taco__index_check *k)
{
    const int64_t *nulls = k->columns->null_counts;
    int64_t sum = 0, all = k->chunk->stats.present ? k->chunk->stats.null_count : -1;
    size_t i;
    for (i = 0; nulls && i < k->columns->pages; i++) {
        if (nulls[i] < 0) { return true; }
        sum = nulls[i] > INT64_MAX - sum ? INT64_MAX : sum + nulls[i];
    }
    if (!nulls || all < 0 || sum == all) { return true; }
    TACO__FAIL(k->why, TACO_ERR_CORRUPT, k->chunk->column_index.offset,
               "the column index has %d nulls, the statistics of its column chunk %d", sum, all);
    return false;
}

/* Whether bounds a lie before bounds b, or after them for a sign of -1. */
static bool taco__index_check_passes(taco__stats_order order, int sign, const taco__pq_bounds *a,
                                     const taco__pq_bounds *b)
{
    return (a->min.data && b->min.data && sign * taco__stats_compare(order, a->min, b->min) > 0) ||
           (a->max.data && b->max.data && sign * taco__stats_compare(order, a->max, b->max) > 0);
}

/* Whether no value can lie in both. Bounds may be wider than the values: they need not contain each
   other. */
static bool taco__index_check_apart(taco__stats_order order, const taco__pq_bounds *a,
                                    const taco__pq_bounds *b)
{
    return (a->min.data && b->max.data && taco__stats_compare(order, a->min, b->max) > 0) ||
           (a->max.data && b->min.data && taco__stats_compare(order, a->max, b->min) < 0);
}

/* Bounds of the pages that have values: in the order that the index says they have, by which others
   search pages (ColumnIndex.boundary_order), and not outside of those of the chunk. */
static bool taco__index_check_bounds(const taco__index_check *k)
{
    taco__stats_order order = taco__stats_order_of(k->leaf);
    int sign = k->columns->boundary_order == 1 ? 1 : -1;
    size_t i, last = SIZE_MAX;
    taco__pq_bounds before, now, all;
    if (order == TACO__STATS_UNORDERED) { return true; }
    memset(&before, 0, sizeof before);
    taco__stats_bounds(k->m, k->leaf, &k->chunk->stats, &all);
    for (i = 0; i < k->columns->pages; i++) {
        if (k->columns->null_pages[i]) { continue; }
        taco__stats_page_bounds(k->m, k->leaf, k->columns, i, &now);
        if (taco__index_check_apart(order, &now, &all)) {
            TACO__FAIL(k->why, TACO_ERR_CORRUPT, k->chunk->column_index.offset,
                       "bounds of page %u lie outside of those of its column chunk", TACO__U(i));
            return false;
        }
        if (k->columns->boundary_order && last != SIZE_MAX &&
            taco__index_check_passes(order, sign, &before, &now)) {
            TACO__FAIL(k->why, TACO_ERR_CORRUPT, k->chunk->column_index.offset,
                       "bounds of pages %u and %u, which the column index calls %s, are not",
                       TACO__U(last), TACO__U(i), sign > 0 ? "ascending" : "descending");
            return false;
        }
        before = now;
        last = i;
    }
    return true;
}

TACO__FN bool taco__page_index_agrees(const taco__pq_metadata *m, uint32_t group, uint32_t leaf,
                                      const taco__pq_offset_index *offsets,
                                      const taco__pq_column_index *columns, taco_error *why)
{
    const taco__pq_row_group *g = &m->groups[group];
    taco__index_check k;
    size_t i;
    k.m = m;
    k.leaf = &m->leaves[leaf];
    k.chunk = &g->chunks[leaf];
    k.offsets = offsets;
    k.columns = columns;
    k.rows = (uint64_t)g->rows;
    k.why = why;
    for (i = 0; i < columns->pages; i++) {
        if (!taco__index_check_nulls(&k, i)) { return false; }
    }
    return taco__index_check_total(&k) && taco__index_check_bounds(&k);
}
