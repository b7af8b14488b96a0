/* cascade.c - the rows of a level that conditions on several levels leave

   In: bound conditions by level, and the queried level. Out: a bitmap of its rows, and of those of
   the levels above. All conditions hold along one path from level 0 down (TACO 2.0 §7.2.2
   "Cascading Joins").

   taco__cascade_run goes up from the deepest condition to level 0, testing each level and keeping
   only parents of the rows left below, and then down to the queried level, keeping only children of
   the rows left above. Going down, the children of a few rows may be looked up (parent_lookup.c)
   instead of joining the level. From a vectored source everything certain to be needed is read
   ahead in one round; taco_view_plan calls the same functions (taco__cascade_need_*) to show what
   that would be. */
#include "cascade.h"
#include "../base/base.h"
#include "../parquet/parquet.h"
#include "../filter/scan.h"

/* ---- bitmaps ---- */

/* Bytes of a bitmap over the rows of a level; whole words may be read past its end. */
TACO__FN size_t taco__cascade_bitmap_bytes(const taco__container *s, uint32_t level)
{
    return TACO__BITMAP_BYTES((size_t)s->levels[level].table.rows) + 8;
}

TACO__FN bool taco__cascade_alloc_bitmap(taco__container *s, taco__cascade *p, uint32_t level,
                                         taco_error *err)
{
    p->bits[level] = (uint8_t *)taco__mem_alloc(s->mem, taco__cascade_bitmap_bytes(s, level), err);
    return p->bits[level] != NULL;
}

/* Makes all rows of the level pass again. */
static void taco__cascade_free_bitmap(taco__container *s, taco__cascade *p, uint32_t level)
{
    if (p->bits[level]) {
        taco__mem_free(s->mem, p->bits[level], taco__cascade_bitmap_bytes(s, level));
        p->bits[level] = NULL;
    }
}

TACO__FN void taco__cascade_free(taco__container *s, taco__cascade *p)
{
    uint32_t i;
    for (i = 0; i < TACO__MAX_LEVELS; i++) {
        taco__cascade_free_bitmap(s, p, i);
    }
    taco__range_cache_free(&p->cache);
}

/* ---- one step ---- */

/* Sets the bits of the rows in `before` (NULL: all) that match a condition. */
static bool taco__cascade_scan(taco__container *s, const taco__level *l, const taco__expr *where,
                               const uint8_t *before, uint8_t *bits, taco_error *err)
{
    const uint32_t *rows;
    uint64_t base;
    taco__scan scan;
    size_t i, n;
    if (!taco__scan_open(&scan, &l->table, where, before, NULL, 0, TACO__SCAN_SLICE, s->mem, err)) {
        return false;
    }
    while ((n = taco__scan_next(&scan, TACO__SCAN_SLICE, false, &rows, &base, err)) != 0) {
        for (i = 0; i < n; i++) {
            taco__bitmap_set(bits, (size_t)base + rows[i]);
        }
    }
    taco__scan_close(&scan);
    return err->code == TACO_OK;
}

/* Keeps only the rows of a level that match `where`; NULL: all. */
static bool taco__cascade_filter(taco__container *s, taco__cascade *p, uint32_t level,
                                 const taco__expr *where, taco_error *err)
{
    const taco__level *l = &s->levels[level];
    uint8_t *before = p->bits[level];
    bool ok;
    if (!where) { return true; }
    ok = taco__cascade_alloc_bitmap(s, p, level, err) &&
         taco__cascade_scan(s, l, where, before, p->bits[level], err);
    if (before) { taco__mem_free(s->mem, before, taco__cascade_bitmap_bytes(s, level)); }
    if (!ok) { taco__container_fail(s, l->name, err); }
    return ok;
}

/* Keeps only the rows of level n that are in a mask; NULL: all. */
static bool taco__cascade_apply_mask(taco__container *s, taco__cascade *p, uint32_t n,
                                     const uint8_t *mask, taco_error *err)
{
    size_t i, bytes = taco__cascade_bitmap_bytes(s, n);
    if (!mask) { return true; }
    if (!p->bits[n]) {
        if (!taco__cascade_alloc_bitmap(s, p, n, err)) { return false; }
        memcpy(p->bits[n], mask, bytes);
    }
    for (i = 0; i < bytes; i++) {
        p->bits[n][i] &= mask[i];
    }
    return true;
}

/* Up: keeps the rows of level n - 1 that are parents of rows left in level n. */
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

/* Down: keeps the rows of level n whose parent is left. */
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

/* Sets the bits of the children of count rows; *done: they were found, and are known to be
   right. */
static bool taco__cascade_find_children(taco__container *s, taco__cascade *p, uint32_t n,
                                        const taco__lookup_set *set, uint64_t count, bool *done,
                                        taco_error *err)
{
    taco__level *above = &s->levels[n - 1], *l = &s->levels[n];
    uint64_t found = 0;
    *done = count == 0;
    if (*done) { return true; }
    return taco__lookup_find_rows(s, l, l->role.parent, set, p->bits[n], &found, err) &&
           (found == UINT64_MAX ||
            taco__lookup_ids_are_row_numbers(s, above, set, count, done, err));
}

/* Down to the children of few rows, without reading the columns that join all rows. *done: whether
   that was possible; if not, nothing has changed. */
static bool taco__cascade_lookup_children(taco__container *s, taco__cascade *p, uint32_t n,
                                          bool *done, taco_error *err)
{
    taco__lookup_set set;
    uint64_t count;
    bool ok;
    *done = false;
    if (!p->bits[n - 1] || p->bits[n] || !taco__lookup_is_possible(s, n)) { return true; }
    set.bits = p->bits[n - 1];
    set.rows = s->levels[n - 1].table.rows;
    count = taco__bitmap_count(set.bits, 0, (size_t)set.rows);
    if (count > set.rows / 16 + 1) { return true; }
    ok = taco__cascade_alloc_bitmap(s, p, n, err) &&
         taco__cascade_find_children(s, p, n, &set, count, done, err);
    if (ok && !*done) { taco__cascade_free_bitmap(s, p, n); }
    return ok;
}

/* ---- what a cascade reads ---- */

/* The columns that join level l with its neighbours, unless these are already joined; `which` has
   room for three. Levels below `certain` may be looked up instead, and are then left out. */
static size_t taco__cascade_list_join_columns(const taco__container *s, uint32_t l, uint32_t last,
                                              uint32_t certain, size_t *which)
{
    const taco__level *level = &s->levels[l], *below = level + 1;
    size_t n = 0;
    if (l && !level->parents && level->role.parent != TACO__NONE &&
        (l <= certain || !taco__lookup_is_possible(s, l))) {
        which[n++] = level->role.parent;
    }
    if (l < last && !below->parents && level->role.current != TACO__NONE &&
        (l + 1 <= certain || !taco__lookup_is_possible(s, l + 1))) {
        which[n++] = level->role.current;
    }
    if (n && s->kind == TACO_KIND_TACOCAT && level->role.source != TACO__NONE) {
        which[n++] = level->role.source;
    }
    return n;
}

/* Adds what a scan reads from one row group: n columns, and those of the condition if statistics do
   not decide it. */
static bool taco__cascade_need_group(taco__scan *scan, uint32_t g, const size_t *which, size_t n,
                                     taco__buf *ranges, taco_error *err)
{
    const taco__table *t = scan->query.table;
    unsigned may = scan->query.where ? taco__scan_prune_group(scan, g) : (unsigned)TACO__MAY_TRUE;
    bool undecided = (may & TACO__MAY_TRUE) && may != TACO__MAY_TRUE;
    taco__row_selection w;
    taco__scan_span span;
    memset(&w, 0, sizeof w);
    w.spans = &span;
    w.span_count = 1;
    span.first = taco__table_group_first_row(t, g);
    span.n = taco__table_group_rows(t, g);
    span.all_match = true;
    return taco__scan_fetch_add_chunks(t->pq, which, n, t->stored, g, &w, ranges, err) &&
           (!undecided || taco__scan_fetch_add_tested(scan, g, &w, ranges, err));
}

/* Adds what a cascade down to level `last` reads from level l: the columns that join it, and those
   of its condition. Below level `certain` few rows may be left, whose parents are looked up; the
   columns that join those levels are then left out. */
TACO__FN bool taco__cascade_need_level(taco__container *s, uint32_t l, const taco__expr *where,
                                       uint32_t last, uint32_t certain, taco__buf *ranges,
                                       taco_error *err)
{
    const taco__table *t = &s->levels[l].table;
    taco__scan scan;
    size_t which[3], n = taco__cascade_list_join_columns(s, l, last, certain, which);
    uint32_t g;
    bool ok = true;
    if (!t->pq) { return true; }
    if (!taco__scan_open(&scan, t, where, NULL, NULL, 0, 0, s->mem, err)) { return false; }
    for (g = 0; ok && g < taco__table_group_count(t); g++) {
        ok = taco__cascade_need_group(&scan, g, which, n, ranges, err);
    }
    taco__scan_close(&scan);
    return ok;
}

/* Adds the page indexes of one column chunk. A column index as large as the pages is not worth
   reading. */
static bool taco__cascade_need_index(taco_pq_file *pq, const taco__pq_column_chunk *c,
                                     taco__buf *ranges, taco_error *err)
{
    bool bounds = c->column_index.len && c->column_index.len < c->pages.len;
    if (!taco__page_index_is_useful(c)) { return true; }
    return taco__scan_fetch_add_range(ranges, pq, c->offset_index.offset, c->offset_index.len,
                                      err) &&
           (!bounds || taco__scan_fetch_add_range(ranges, pq, c->column_index.offset,
                                                  c->column_index.len, err));
}

/* Adds the indexes that looking up a few rows reads in addition: of the row ids in level l, and of
   the parent ids in the level below. */
TACO__FN bool taco__cascade_need_indexes(taco__container *s, uint32_t l, uint32_t last,
                                         taco__buf *ranges, taco_error *err)
{
    const taco__level *level = &s->levels[l];
    const taco__table *t = &level->table;
    size_t which[2], n = 0, i;
    uint32_t g, leaf;
    if (l && taco__lookup_is_possible(s, l)) { which[n++] = level->role.parent; }
    if (l < last && level->role.current != TACO__NONE && taco__lookup_is_possible(s, l + 1)) {
        which[n++] = level->role.current;
    }
    for (i = 0; i < n; i++) {
        leaf = taco__scan_prune_flat_leaf(t, which[i]);
        for (g = 0; leaf != UINT32_MAX && g < taco__table_group_count(t); g++) {
            if (!taco__cascade_need_index(t->pq, &t->pq->meta.groups[g].chunks[leaf], ranges,
                                          err)) {
                return false;
            }
        }
    }
    return true;
}

/* The file of a level if it is a vectored source; NULL: reading ahead saves nothing. */
static taco__file *taco__cascade_vectored_file(const taco__level *l)
{
    taco__file *file = l->table.pq ? l->table.pq->part.file : NULL;
    return file && file->src.read_many ? file : NULL;
}

/* From a vectored source, reads all that in one round per file. where may be NULL. */
static bool taco__cascade_read_ahead(taco__container *s, taco__cascade *p, taco__expr *const *where,
                                     uint32_t last, uint32_t certain, taco_error *err)
{
    taco__buf ranges;
    uint32_t l;
    bool ok = true;
    memset(&ranges, 0, sizeof ranges);
    ranges.mem = s->mem;
    for (l = 0; ok && l <= last; l++) {
        taco__file *file = taco__cascade_vectored_file(&s->levels[l]);
        const taco_pq_file *next = l < last ? s->levels[l + 1].table.pq : NULL;
        if (!file) { continue; }
        ok = taco__cascade_need_level(s, l, where ? where[l] : NULL, last, certain, &ranges, err);
        /* same file: together with the next level */
        if (next && next->part.file == file) { continue; }
        ok = ok && taco__range_cache_fetch(&p->cache, file, &ranges, err);
        ranges.len = 0;
    }
    taco__buf_free(&ranges);
    if (!ok) { taco__container_fail(s, NULL, err); }
    return ok;
}

/* ---- all levels ---- */

/* Up: applies conditions and masks of each level, from the deepest. */
static bool taco__cascade_run_up(taco__container *s, taco__cascade *p, taco__expr *const *where,
                                 uint8_t *const *masks, uint32_t deepest, taco_error *err)
{
    uint32_t l;
    for (l = deepest + 1; l-- > 0;) {
        if ((masks && !taco__cascade_apply_mask(s, p, l, masks[l], err)) ||
            !taco__cascade_filter(s, p, l, where[l], err) ||
            (l && !taco__cascade_to_parents(s, p, l, err))) {
            return false;
        }
    }
    return true;
}

/* Down to level n. Its join columns have been read ahead unless a lookup seemed possible. */
static bool taco__cascade_run_down(taco__container *s, taco__cascade *p, uint32_t n,
                                   uint32_t deepest, taco_error *err)
{
    bool left_out = n > deepest && taco__lookup_is_possible(s, n), done;
    if (!taco__cascade_lookup_children(s, p, n, &done, err)) { return false; }
    return done || ((!left_out || taco__cascade_read_ahead(s, p, NULL, n, n, err)) &&
                    taco__cascade_to_children(s, p, n, err));
}

/* Finds the rows of level `table` that the filters leave: where[l] (NULL = no filter) tests the
   rows of level l, and all filters hold along one path from level 0 down. masks, if not NULL, has
   bitmaps by level of the rows that may stay (NULL = all). deepest is the deepest level with a
   filter or a mask. Must be freed with taco__cascade_free, even on failure. err is not NULL. */
TACO__FN bool taco__cascade_run(taco__container *s, taco__cascade *p, taco__expr *const *where,
                                uint8_t *const *masks, uint32_t deepest, uint32_t table,
                                taco_error *err)
{
    uint32_t l;
    memset(p, 0, sizeof *p);
    taco__range_cache_init(&p->cache, s->mem);
    if (!taco__cascade_read_ahead(s, p, where, TACO__MAX(deepest, table), deepest, err) ||
        !taco__cascade_run_up(s, p, where, masks, deepest, err)) {
        return false;
    }
    for (l = 1; l <= table; l++) {
        if (!taco__cascade_run_down(s, p, l, deepest, err)) { return false; }
    }
    return true;
}
