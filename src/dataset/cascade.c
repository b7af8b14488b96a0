/* cascade.c - parents of rows, and the rows that filters of several levels leave.. Spec: TACO 2.0
   §7.2.2 "Cascading Joins" */
#include "dataset.h"
#include "../base/base.h"
#include "../parquet/parquet.h"
#include "../filter/filter.h"

TACO__FN size_t taco__cascade_bitmap_bytes(const taco__container *s, uint32_t level)
{
    return TACO__BITMAP_BYTES((size_t)s->levels[level].table.rows) + 8;
}

TACO__FN void taco__cascade_free(taco__container *s, taco__cascade *p)
{
    uint32_t i;
    for (i = 0; i < TACO__MAX_LEVELS; i++) {
        if (p->bits[i]) {
            taco__mem_free(s->mem, p->bits[i], taco__cascade_bitmap_bytes(s, i));
            p->bits[i] = NULL;
        }
    }
    taco__range_cache_free(&p->cache);
}

TACO__FN bool taco__cascade_alloc_bitmap(taco__container *s, taco__cascade *p, uint32_t level,
                                         taco_error *err)
{
    p->bits[level] = (uint8_t *)taco__mem_alloc(s->mem, taco__cascade_bitmap_bytes(s, level), err);
    return p->bits[level] != NULL;
}

/* Replaces the bits of a level by those of its rows that also match `where`. */
static bool taco__cascade_filter(taco__container *s, taco__cascade *p, uint32_t level,
                                 const taco__expr *where, taco_error *err)
{
    taco__level *l = &s->levels[level];
    uint8_t *before = p->bits[level];
    const uint32_t *rows;
    uint64_t base;
    taco__scan scan;
    bool ok;
    if (!where) { return true; }
    ok = taco__cascade_alloc_bitmap(s, p, level, err) &&
         taco__scan_open(&scan, &l->table, where, before, NULL, 0, TACO__SCAN_SLICE, s->mem, err);
    if (ok) {
        size_t i, n;
        while ((n = taco__scan_next(&scan, TACO__SCAN_SLICE, false, &rows, &base, err)) != 0) {
            for (i = 0; i < n; i++) {
                taco__bitmap_set(p->bits[level], (size_t)base + rows[i]);
            }
        }
        taco__scan_close(&scan);
        ok = !err || err->code == TACO_OK;
    }
    if (before) { taco__mem_free(s->mem, before, taco__cascade_bitmap_bytes(s, level)); }
    return ok || taco__container_fail(s, l->name, err);
}

/* Up: the parents of the rows picked in level n. */
static bool taco__cascade_to_parents(taco__container *s, taco__cascade *p, uint32_t n,
                                     taco_error *err)
{
    const taco__level *l = &s->levels[n];
    size_t i;
    if (!taco__join_make_parents(s, n, err) || !taco__cascade_alloc_bitmap(s, p, n - 1, err)) {
        return false;
    }
    for (i = 0; i < (size_t)l->table.rows; i++) {
        if (l->parents[i] >= 0 && (!p->bits[n] || taco__bitmap_get(p->bits[n], i))) {
            taco__bitmap_set(p->bits[n - 1], (size_t)l->parents[i]);
        }
    }
    return true;
}

/* Down: of the rows of level n only those whose parent is picked. */
static bool taco__cascade_to_children(taco__container *s, taco__cascade *p, uint32_t n,
                                      taco_error *err)
{
    const taco__level *l = &s->levels[n];
    size_t i;
    if (!taco__join_make_parents(s, n, err)) { return false; }
    if (!p->bits[n]) {
        if (!taco__cascade_alloc_bitmap(s, p, n, err)) { return false; }
        memset(p->bits[n], 0xFF, taco__cascade_bitmap_bytes(s, n));
    }
    for (i = 0; i < (size_t)l->table.rows; i++) {
        if (l->parents[i] < 0 ||
            (p->bits[n - 1] && !taco__bitmap_get(p->bits[n - 1], (size_t)l->parents[i]))) {
            taco__bitmap_clear(p->bits[n], i);
        }
    }
    return true;
}

/* Down to the children of few picked rows, without the columns that join all rows. *done: whether
   it was possible. */
static bool taco__cascade_lookup_children(taco__container *s, taco__cascade *p, uint32_t n,
                                          bool *done, taco_error *err)
{
    taco__level *above = &s->levels[n - 1], *l = &s->levels[n];
    uint64_t count, found = 0;
    taco__lookup_set few;
    bool ok;
    *done = false;
    if (!p->bits[n - 1] || p->bits[n] || !taco__lookup_is_possible(s, n)) { return true; }
    few.bits = p->bits[n - 1];
    few.rows = above->table.rows;
    count = taco__bitmap_count(few.bits, 0, (size_t)few.rows);
    if (count > few.rows / 16 + 1) { return true; }
    ok = taco__cascade_alloc_bitmap(s, p, n, err) &&
         (!count || (taco__lookup_find_rows(s, l, l->role.parent, &few, p->bits[n], &found, err) &&
                     (found == UINT64_MAX ||
                      taco__lookup_ids_are_row_numbers(s, above, &few, count, done, err))));
    *done = *done || (ok && !count);
    if (ok && !*done) {
        taco__mem_free(s->mem, p->bits[n], taco__cascade_bitmap_bytes(s, n));
        p->bits[n] = NULL;
    }
    return ok;
}

/* What a cascade reads of level l: the columns that join it, and those of the predicate in row
   groups that statistics do not decide. Below level `certain` few rows may be enough: what joins
   them is left then. */
TACO__FN bool taco__cascade_need_level(taco__container *s, uint32_t l, const taco__expr *where,
                                       uint32_t last, uint32_t certain, taco__buf *ranges,
                                       taco_error *err)
{
    taco__level *level = &s->levels[l];
    taco_pq_file *pq = level->table.pq;
    taco__row_selection w;
    taco__scan_span span;
    taco__scan scan;
    size_t which[3], n = 0;
    uint32_t g;
    bool ok = true;
    if (l && !level->parents && level->role.parent != TACO__NONE &&
        (l <= certain || !taco__lookup_is_possible(s, l))) {
        which[n++] = level->role.parent;
    }
    if (l < last && !s->levels[l + 1].parents && level->role.current != TACO__NONE &&
        (l + 1 <= certain || !taco__lookup_is_possible(s, l + 1))) {
        which[n++] = level->role.current;
    }
    if (n && s->kind == TACO_KIND_TACOCAT && level->role.source != TACO__NONE) {
        which[n++] = level->role.source;
    }
    if (!pq || !taco__scan_open(&scan, &level->table, where, NULL, NULL, 0, 0, s->mem, err)) {
        return !pq;
    }
    memset(&w, 0, sizeof w);
    w.spans = &span;
    w.span_count = 1;
    for (g = 0; ok && g < taco__table_group_count(&level->table); g++) {
        unsigned may = where ? taco__scan_prune_group(&scan, g) : (unsigned)TACO__MAY_TRUE;
        span.first = taco__table_group_first_row(&level->table, g);
        span.n = taco__table_group_rows(&level->table, g);
        span.all_match = true;
        ok = taco__scan_fetch_add_chunks(pq, which, n, level->table.stored, g, &w, ranges, err) &&
             (!(may & TACO__MAY_TRUE) || may == TACO__MAY_TRUE ||
              taco__scan_fetch_add_tested(&scan, g, &w, ranges, err));
    }
    taco__scan_close(&scan);
    return ok;
}

/* The indexes that finding few rows reads beside: of the numbers in level l and of those that the
   level below has. */
TACO__FN bool taco__cascade_need_indexes(taco__container *s, uint32_t l, uint32_t last,
                                         taco__buf *ranges, taco_error *err)
{
    taco__level *level = &s->levels[l];
    size_t which[2], n = 0, i;
    uint32_t g, leaf;
    if (l && taco__lookup_is_possible(s, l)) { which[n++] = level->role.parent; }
    if (l < last && level->role.current != TACO__NONE && taco__lookup_is_possible(s, l + 1)) {
        which[n++] = level->role.current;
    }
    for (i = 0; i < n; i++) {
        leaf = taco__scan_prune_flat_leaf(&level->table, which[i]);
        for (g = 0; leaf != UINT32_MAX && g < taco__table_group_count(&level->table); g++) {
            const taco__pq_column_chunk *c = &level->table.pq->meta.groups[g].chunks[leaf];
            if (taco__page_index_is_useful(c) &&
                (!taco__scan_fetch_add_range(ranges, level->table.pq, c->offset_index.offset,
                                             c->offset_index.len, err) ||
                 (c->column_index.len && c->column_index.len < c->pages.len &&
                  !taco__scan_fetch_add_range(ranges, level->table.pq, c->column_index.offset,
                                              c->column_index.len, err)))) {
                return false;
            }
        }
    }
    return true;
}

/* From a vectored source all of that comes in one round. where may be NULL. */
static bool taco__cascade_read_ahead(taco__container *s, taco__cascade *p, taco__expr *const *where,
                                     uint32_t last, uint32_t certain, taco_error *err)
{
    taco__buf ranges;
    uint32_t l;
    bool ok = true;
    memset(&ranges, 0, sizeof ranges);
    ranges.mem = s->mem;
    for (l = 0; ok && l <= last; l++) {
        taco__file *file = s->levels[l].table.pq ? s->levels[l].table.pq->part.file : NULL;
        if (!file || !file->src.read_many) { continue; }
        ok = taco__cascade_need_level(s, l, where ? where[l] : NULL, last, certain, &ranges, err);
        /* else together with the next level */
        if (l == last || !s->levels[l + 1].table.pq ||
            s->levels[l + 1].table.pq->part.file != file) {
            ok = ok && taco__range_cache_fetch(&p->cache, file, &ranges, err);
            ranges.len = 0;
        }
    }
    taco__buf_free(&ranges);
    return ok || taco__container_fail(s, NULL, err);
}

/* Of the rows of level n only those of a mask. */
static bool taco__cascade_apply_mask(taco__container *s, taco__cascade *p, uint32_t n,
                                     const uint8_t *mask, taco_error *err)
{
    size_t i, bytes = taco__cascade_bitmap_bytes(s, n);
    if (mask && !p->bits[n]) {
        if (!taco__cascade_alloc_bitmap(s, p, n, err)) { return false; }
        memcpy(p->bits[n], mask, bytes);
    }
    for (i = 0; mask && i < bytes; i++) {
        p->bits[n][i] &= mask[i];
    }
    return true;
}

/* Rows of level `table` that the filters leave: where[l] (NULL = no filter) tests the rows of level
   l, and all filters hold along one path from level 0 down. masks, where it is not NULL, has
   bitmaps of rows by level that may stay (NULL = all). deepest is the deepest level with a filter
   or a mask. */
TACO__FN bool taco__cascade_run(taco__container *s, taco__cascade *p, taco__expr *const *where,
                                uint8_t *const *masks, uint32_t deepest, uint32_t table,
                                taco_error *err)
{
    uint32_t l;
    bool done = false;
    memset(p, 0, sizeof *p);
    taco__range_cache_init(&p->cache, s->mem);
    if (!taco__cascade_read_ahead(s, p, where, TACO__MAX(deepest, table), deepest, err)) {
        return false;
    }
    for (l = deepest + 1; l-- > 0;) {
        if ((masks && !taco__cascade_apply_mask(s, p, l, masks[l], err)) ||
            !taco__cascade_filter(s, p, l, where[l], err) ||
            (l && !taco__cascade_to_parents(s, p, l, err))) {
            return false;
        }
    }
    for (l = 1; l <= table; l++) {
        bool left = l > deepest && taco__lookup_is_possible(s, l);
        if (!taco__cascade_lookup_children(s, p, l, &done, err) ||
            (!done && ((left && !taco__cascade_read_ahead(s, p, NULL, l, l, err)) ||
                       !taco__cascade_to_children(s, p, l, err)))) {
            return false;
        }
    }
    return true;
}
