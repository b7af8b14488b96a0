/* parent_lookup.c - parents of rows, and the rows that filters of several levels leave.. Spec: TACO
   2.0 §7.2.2 "Cascading Joins" */
#include "dataset.h"
#include "../base/base.h"
#include "../parquet/parquet.h"
#include "../filter/filter.h"

/* ---- few parents
   -------------------------------------------------------------------------------- */

/* A PIT stores the children of row i behind those of row i - 1, so that the children of few rows
   lie on few pages (June 2025 §"O(1)"; facts: june2025 1). Which pages these are is asked of the
   statistics of internal:parent_id, and the rows there are tested: where the order is another one
   more is read, and the rows are as right, whatever pit_schema says. */
#define TACO__LOOKUP_MIN_ROWS 8192 /* levels of fewer rows are joined whole */
#define TACO__LOOKUP_ROUND_BYTES                                                                   \
    ((uint64_t)1 << 20) /* bytes that are worth another round of reading */
#define TACO__LOOKUP_MAX_SINGLE                                                                    \
    64 /* rows whose parents are looked up one by one; then those of all */

static bool taco__lookup_test(void *ctx, const taco_array *a, size_t rows, uint8_t *true_bits,
                              uint8_t *valid_bits, taco_error *err)
{
    const taco__lookup_set *f = (const taco__lookup_set *)ctx;
    size_t i;
    (void)valid_bits;
    (void)err;
    for (i = 0; i < rows; i++) {
        int64_t v = taco_array_valid(a, i) ? taco_array_int(a, i) : -1;
        if (v >= 0 && (uint64_t)v < f->rows && taco__bitmap_get(f->bits, (size_t)v)) {
            taco__bitmap_set(true_bits, i);
        }
    }
    return true;
}

static unsigned taco__lookup_prune(void *ctx, const taco__column_stats *r)
{
    const taco__lookup_set *f = (const taco__lookup_set *)ctx;
    taco__i256 zero = taco__i256_from_i64(0), last = taco__i256_from_i64((int64_t)f->rows - 1);
    uint64_t lo, hi;
    if (!r->has_min || !r->has_max) { return TACO__MAY_ANY; }
    lo = taco__i256_compare(&r->min.d, &zero) < 0 ? 0 : r->min.d.w[0];
    hi = taco__i256_compare(&r->max.d, &last) > 0 ? f->rows - 1 : r->max.d.w[0];
    if (taco__i256_compare(&r->min.d, &last) > 0 || taco__i256_compare(&r->max.d, &zero) < 0 ||
        lo > hi || taco__bitmap_count(f->bits, (size_t)lo, (size_t)(hi - lo) + 1) == 0) {
        return TACO__MAY_FALSE | TACO__MAY_NULL;
    }
    return TACO__MAY_ANY;
}

/* Whether the children of few rows of level n - 1 may be looked for like this. In a catalogue,
   where numbers start again in every archive, they are not; nor where all that joins the levels
   comes in the first round anyway. */
TACO__FN bool taco__lookup_is_possible(const taco__container *s, uint32_t n)
{
    const taco__level *l = &s->levels[n], *above = &s->levels[n - 1];
    uint64_t bytes = 0;
    uint32_t g;
    if (l->parents || l->single_lookups >= TACO__LOOKUP_MAX_SINGLE ||
        s->kind == TACO_KIND_TACOCAT || !l->table.pq || l->table.rows < TACO__LOOKUP_MIN_ROWS ||
        l->role.parent == TACO__NONE || !above->table.rows ||
        !taco__join_is_integer(l->table.fields[l->role.parent].type) ||
        taco__scan_prune_flat_leaf(&l->table, l->role.parent) == UINT32_MAX) {
        return false;
    }
    if (above->role.current != TACO__NONE &&
        (!above->table.pq ||
         !taco__join_is_integer(above->table.fields[above->role.current].type))) {
        return false;
    }
    for (g = 0; g < taco__table_group_count(&l->table) && bytes < TACO__LOOKUP_ROUND_BYTES; g++) {
        bytes += taco__scan_fetch_chunk_bytes(&l->table, &l->role.parent, 1, g, false);
    }
    return !l->table.pq->part.file->src.read_many || bytes >= TACO__LOOKUP_ROUND_BYTES;
}

/* Whether statistics leave at most half of the rows, or there are those of pages. */
static bool taco__lookup_is_worthwhile(taco__scan *scan, const taco__table *t, size_t column)
{
    uint64_t left = 0;
    uint32_t g, leaf = taco__scan_prune_flat_leaf(t, column);
    for (g = 0; g < taco__table_group_count(t); g++) {
        const taco__pq_column_chunk *c = &t->pq->meta.groups[g].chunks[leaf];
        if ((taco__scan_prune_group(scan, g) & TACO__MAY_TRUE) &&
            !(c->column_index.len && taco__page_index_is_useful(c))) {
            left += taco__table_group_rows(t, g);
        }
    }
    return left <= t->rows / 2;
}

/* Rows of a level whose column has one of the numbers: their bits are set in out, or, where that is
   NULL, they must be the rows of just these numbers. *found: how many, UINT64_MAX when it does not
   pay, or they are not. */
TACO__FN bool taco__lookup_find_rows(taco__container *s, taco__level *l, size_t column,
                                     const taco__lookup_set *few, uint8_t *out, uint64_t *found,
                                     taco_error *err)
{
    taco__custom_predicate c;
    taco__arena arena;
    taco__expr *e;
    taco__scan scan;
    const uint32_t *rows;
    uint64_t base;
    size_t i, n;
    bool ok;
    memset(&c, 0, sizeof c);
    c.ctx = (void *)few;
    c.eval = taco__lookup_test;
    c.prune = taco__lookup_prune;
    arena.mem = s->mem;
    arena.head = NULL;
    *found = 0;
    e = taco__expr_custom(&arena, column, &c, err);
    ok = e && taco__pred_bind(e, l->table.fields, l->table.field_count, &arena, err) &&
         taco__scan_open(&scan, &l->table, e, NULL, &column, out ? 0 : 1, TACO__SCAN_SLICE, s->mem,
                         err);
    if (ok) {
        if (out && !taco__lookup_is_worthwhile(&scan, &l->table, column)) { *found = UINT64_MAX; }
        while (*found != UINT64_MAX &&
               (n = taco__scan_next(&scan, TACO__SCAN_SLICE, !out, &rows, &base, err)) != 0) {
            for (i = 0, *found += n; i < n && *found != UINT64_MAX; i++) {
                if (out) {
                    taco__bitmap_set(out, (size_t)base + rows[i]);
                } else if (taco_array_int(&scan.out.arrays[0], i) != (int64_t)(base + rows[i])) {
                    *found = UINT64_MAX;
                }
            }
        }
        /* in no order: not again */
        if (out && scan.plan.counts.pages_pruned < scan.plan.counts.pages / 2) {
            l->single_lookups = TACO__LOOKUP_MAX_SINGLE;
        }
        taco__scan_close(&scan);
        ok = !err || err->code == TACO_OK;
    }
    taco__arena_free(&arena);
    return ok || taco__container_fail(s, l->name, err);
}

/* Whether the numbers are internal:current_id of the rows of these numbers, and of no others. */
TACO__FN bool taco__lookup_ids_are_row_numbers(taco__container *s, taco__level *l,
                                               const taco__lookup_set *few, uint64_t count,
                                               bool *own, taco_error *err)
{
    uint64_t found = count;
    bool ok = l->role.current == TACO__NONE ||
              taco__lookup_find_rows(s, l, l->role.current, few, NULL, &found, err);
    *own = found == count;
    return ok;
}

/* Row of the parent of one row of level n >= 1; -1: none. */
TACO__FN bool taco__lookup_parent(taco__container *s, uint32_t n, uint64_t row, int64_t *out,
                                  taco_error *err)
{
    taco__level *above = taco__container_level(s, n - 1, err),
                *l = above ? taco__container_level(s, n, err) : NULL;
    if (!l) { return false; }
    if (row < l->table.rows && taco__lookup_is_possible(s, n)) {
        size_t bytes = TACO__BITMAP_BYTES((size_t)above->table.rows) + 8;
        uint8_t *bits = (uint8_t *)taco__mem_alloc(s->mem, bytes, err);
        taco__lookup_set few;
        taco__row_reader one;
        bool own = false,
             ok = bits && taco__row_reader_open(&one, &l->table, &l->role.parent, 1, s->mem, err);
        l->single_lookups++;
        few.bits = bits;
        few.rows = above->table.rows;
        *out = -1;
        if (ok) {
            ok = taco__row_reader_read_range(&one, row, 1, err);
            own = ok && !taco_array_valid(&one.arrays[0], 0);
            *out = ok && !own ? taco_array_int(&one.arrays[0], 0) : -1;
            taco__row_reader_close(&one);
        }
        if (ok && *out >= 0 && (uint64_t)*out < few.rows) {
            taco__bitmap_set(bits, (size_t)*out);
            ok = taco__lookup_ids_are_row_numbers(s, above, &few, 1, &own, err);
        }
        taco__mem_free(s->mem, bits, bytes);
        if (!ok || own) { return ok || taco__container_fail(s, l->name, err); }
    }
    if (!taco__join_make_parents(s, n, err)) { return false; }
    *out = l->parents[row];
    return true;
}
