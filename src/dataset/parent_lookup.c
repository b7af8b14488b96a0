/* parent_lookup.c - the parents or children of a few rows, without joining the whole level

   A PIT stores the children of row i after those of row i - 1, so that the children of a few rows
   are on few pages (June 2025 §"O(1)"; facts: june2025 1). The statistics of internal:parent_id say
   which pages these are, and the rows there are tested: in any other order more is read, but the
   result is right, whatever pit_schema says.

   taco__lookup_is_possible says whether to try, taco__lookup_find_rows looks for children and says
   whether that was worth it, taco__lookup_parent handles a single row. If it does not pay, the
   level is joined (level_join.c), which is remembered in taco__level.single_lookups. */
#include "cascade.h"
#include "../base/base.h"
#include "../parquet/parquet.h"
#include "../filter/scan.h"

/* levels with fewer rows are joined */
#define TACO__LOOKUP_MIN_ROWS 8192
/* number of bytes that justifies another round of reading */
#define TACO__LOOKUP_ROUND_BYTES ((uint64_t)1 << 20)
/* most rows whose parents are looked up individually, before joining the level */
#define TACO__LOOKUP_MAX_SINGLE 64

/* ---- the condition: a number is one of a set ---- */

static bool taco__lookup_test(void *ctx, const taco_array *a, size_t rows, uint8_t *true_bits,
                              uint8_t *valid_bits, taco_error *err)
{
    const taco__lookup_set *set = (const taco__lookup_set *)ctx;
    size_t i;
    (void)valid_bits;
    (void)err;
    for (i = 0; i < rows; i++) {
        int64_t v = taco_array_valid(a, i) ? taco_array_int(a, i) : -1;
        if (v >= 0 && (uint64_t)v < set->rows && taco__bitmap_get(set->bits, (size_t)v)) {
            taco__bitmap_set(true_bits, i);
        }
    }
    return true;
}

/* By statistics: no number of the set is between the bounds of a page or row group. */
static unsigned taco__lookup_prune(void *ctx, const taco__column_stats *r)
{
    const taco__lookup_set *set = (const taco__lookup_set *)ctx;
    taco__i256 zero = taco__i256_from_i64(0), last = taco__i256_from_i64((int64_t)set->rows - 1);
    uint64_t lo, hi;
    if (!r->has_min || !r->has_max) { return TACO__MAY_ANY; }
    lo = taco__i256_compare(&r->min.d, &zero) < 0 ? 0 : r->min.d.w[0];
    hi = taco__i256_compare(&r->max.d, &last) > 0 ? set->rows - 1 : r->max.d.w[0];
    if (taco__i256_compare(&r->min.d, &last) > 0 || taco__i256_compare(&r->max.d, &zero) < 0 ||
        lo > hi || taco__bitmap_count(set->bits, (size_t)lo, (size_t)(hi - lo) + 1) == 0) {
        return TACO__MAY_FALSE | TACO__MAY_NULL;
    }
    return TACO__MAY_ANY;
}

/* ---- whether it may be tried ---- */

/* Whether the size of internal:parent_id justifies another round of reading. */
static bool taco__lookup_is_worth_a_round(const taco__level *l)
{
    uint64_t bytes = 0;
    uint32_t g;
    for (g = 0; g < taco__table_group_count(&l->table) && bytes < TACO__LOOKUP_ROUND_BYTES; g++) {
        bytes += taco__scan_fetch_chunk_bytes(&l->table, &l->role.parent, 1, g, false);
    }
    return bytes >= TACO__LOOKUP_ROUND_BYTES;
}

/* Whether to look for the children of few rows of level n - 1 this way. Not in a catalogue, because
   numbers restart in every archive; nor if everything that joins the levels is read in the first
   round anyway. */
TACO__FN bool taco__lookup_is_possible(const taco__container *s, uint32_t n)
{
    const taco__level *l = &s->levels[n], *above = &s->levels[n - 1];
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
    return !l->table.pq->part.file->src.read_many || taco__lookup_is_worth_a_round(l);
}

/* Whether statistics leave at most half of the rows, ignoring those with page statistics. */
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

/* ---- children of a set of rows ---- */

/* Scans for the rows and sets their bits, or checks that they have their own numbers. *found: how
   many, UINT64_MAX if they have not. */
static void taco__lookup_scan(taco__scan *scan, uint8_t *out, uint64_t *found, taco_error *err)
{
    const uint32_t *rows;
    uint64_t base;
    size_t i, n;
    while ((n = taco__scan_next(scan, TACO__SCAN_SLICE, !out, &rows, &base, err)) != 0) {
        *found += n;
        for (i = 0; i < n; i++) {
            if (out) {
                taco__bitmap_set(out, (size_t)base + rows[i]);
            } else if (taco_array_int(&scan->out.arrays[0], i) != (int64_t)(base + rows[i])) {
                *found = UINT64_MAX;
                return;
            }
        }
    }
}

/* Scans a level for the rows that match e; out, found: as in taco__lookup_find_rows. */
static bool taco__lookup_scan_level(taco__container *s, taco__level *l, size_t column,
                                    const taco__expr *e, uint8_t *out, uint64_t *found,
                                    taco_error *err)
{
    taco__scan scan;
    if (!taco__scan_open(&scan, &l->table, e, NULL, &column, out ? 0 : 1, TACO__SCAN_SLICE, s->mem,
                         err)) {
        return false;
    }
    if (out && !taco__lookup_is_worthwhile(&scan, &l->table, column)) {
        *found = UINT64_MAX;
    } else {
        taco__lookup_scan(&scan, out, found, err);
    }
    /* the children are not in order: do not try again */
    if (out && scan.plan.counts.pages_pruned < scan.plan.counts.pages / 2) {
        l->single_lookups = TACO__LOOKUP_MAX_SINGLE;
    }
    taco__scan_close(&scan);
    return err->code == TACO_OK;
}

/* Finds the rows of a level whose column has a number of the set, and sets their bits in out. If
   out is NULL, they must be the rows with exactly these numbers. *found: how many, UINT64_MAX if it
   does not pay, or they are not. err must not be NULL. */
TACO__FN bool taco__lookup_find_rows(taco__container *s, taco__level *l, size_t column,
                                     const taco__lookup_set *set, uint8_t *out, uint64_t *found,
                                     taco_error *err)
{
    taco__custom_predicate c;
    taco__arena arena;
    taco__expr *e;
    bool ok;
    memset(&c, 0, sizeof c);
    memset(&arena, 0, sizeof arena);
    c.ctx = (void *)set;
    c.eval = taco__lookup_test;
    c.prune = taco__lookup_prune;
    arena.mem = s->mem;
    *found = 0;
    e = taco__expr_custom(&arena, column, &c, err);
    ok = e && taco__pred_bind(e, l->table.fields, l->table.field_count, &arena, err) &&
         taco__lookup_scan_level(s, l, column, e, out, found, err);
    taco__arena_free(&arena);
    if (!ok) { taco__container_fail(s, l->name, err); }
    return ok;
}

/* Whether the `count` numbers of the set are the internal:current_id of exactly the rows with these
   numbers: then a child's internal:parent_id is the row of its parent. */
TACO__FN bool taco__lookup_ids_are_row_numbers(taco__container *s, taco__level *l,
                                               const taco__lookup_set *set, uint64_t count,
                                               bool *own, taco_error *err)
{
    uint64_t found = count;
    bool ok = l->role.current == TACO__NONE ||
              taco__lookup_find_rows(s, l, l->role.current, set, NULL, &found, err);
    *own = found == count;
    return ok;
}

/* ---- the parent of a row ---- */

/* internal:parent_id of one row; -1 if it is null. */
static bool taco__lookup_read_parent(taco__container *s, const taco__level *l, uint64_t row,
                                     int64_t *out, bool *null, taco_error *err)
{
    taco__row_reader one;
    bool ok;
    if (!taco__row_reader_open(&one, &l->table, &l->role.parent, 1, s->mem, err)) { return false; }
    ok = taco__row_reader_read_range(&one, row, 1, err);
    *null = ok && !taco_array_valid(&one.arrays[0], 0);
    *out = ok && !*null ? taco_array_int(&one.arrays[0], 0) : -1;
    taco__row_reader_close(&one);
    return ok;
}

/* Whether the row with that number in a level has the number as its id, and no other row does. */
static bool taco__lookup_check_parent(taco__container *s, taco__level *above, int64_t parent,
                                      bool *own, taco_error *err)
{
    size_t bytes = TACO__BITMAP_BYTES((size_t)above->table.rows) + 8;
    uint8_t *bits = (uint8_t *)taco__mem_alloc(s->mem, bytes, err);
    taco__lookup_set set;
    bool ok;
    if (!bits) { return false; }
    set.bits = bits;
    set.rows = above->table.rows;
    taco__bitmap_set(bits, (size_t)parent);
    ok = taco__lookup_ids_are_row_numbers(s, above, &set, 1, own, err);
    taco__mem_free(s->mem, bits, bytes);
    return ok;
}

/* The parent of one row by reading only its number; *known: that was enough. */
static bool taco__lookup_single_parent(taco__container *s, taco__level *above, taco__level *l,
                                       uint64_t row, int64_t *out, bool *known, taco_error *err)
{
    l->single_lookups++;
    if (!taco__lookup_read_parent(s, l, row, out, known, err)) { return false; }
    if (*out >= 0 && (uint64_t)*out < above->table.rows) {
        return taco__lookup_check_parent(s, above, *out, known, err);
    }
    return true;
}

/* Row of the parent of one row of level n >= 1; -1: none. */
TACO__FN bool taco__lookup_parent(taco__container *s, uint32_t n, uint64_t row, int64_t *out,
                                  taco_error *err)
{
    taco__level *above = taco__container_level(s, n - 1, err),
                *l = above ? taco__container_level(s, n, err) : NULL;
    bool known = false;
    *out = -1;
    if (!l) { return false; }
    if (row >= l->table.rows) { return true; }
    if (taco__lookup_is_possible(s, n)) {
        if (!taco__lookup_single_parent(s, above, l, row, out, &known, err)) {
            return taco__container_fail(s, l->name, err);
        }
        if (known) { return true; }
    }
    if (!taco__join_make_parents(s, n, err)) { return false; }
    *out = l->parents[row];
    return true;
}
