/* group_table.c - numbers distinct rows: keys of GROUP BY and rows of DISTINCT

   An open-addressed hash table with linear probing, bounded as vector_hash.h says: slots hold a
   group's number + 1, the rows themselves are in column builders, their hashes are kept for growing
   and for a first comparison.
   For a single text key with a short dictionary, each entry is looked up once.

   Example: rows with the keys 'a', 'b', 'a' get the numbers 0, 1, 0; aggregates.c then adds the
   values of the rows to the states 0, 1, 0. */
#include "sql.h"
#include "vector_hash.h"
#include "../base/base.h"

/* ---- numbered rows ---- */

/* An empty table of rows with the types of `width` expressions. */
TACO__FN bool taco__group_table_init(taco__executor *x, taco__group_table *g,
                                     taco__sql_expr *const *types, size_t width)
{
    size_t i;
    g->width = width;
    g->cols = (taco__vec_builder *)taco__arena_array(&x->hold[0], width + 1, sizeof *g->cols,
                                                     taco__operator_err(x));
    g->vecs = (taco__vec *)taco__arena_array(&x->hold[0], width + 1, sizeof *g->vecs,
                                             taco__operator_err(x));
    for (i = 0; g->cols && g->vecs && i < width; i++) {
        if (!taco__vec_builder_init(&x->hold[0], &types[i]->type, &g->cols[i],
                                    taco__operator_err(x))) {
            return false;
        }
    }
    return g->cols && g->vecs;
}

/* Enters all groups into the table, which is empty; false if one is too far from its place. */
static bool taco__group_table_enter_all(taco__group_table *g)
{
    size_t i;
    for (i = 0; i < g->count; i++) {
        size_t at = (size_t)g->hashes[i] & (g->slots - 1), left = TACO__VEC_HASH_PROBES;
        while (g->table[at] && --left) {
            at = (at + 1) & (g->slots - 1);
        }
        if (!left) { return false; }
        g->table[at] = (uint32_t)i + 1;
    }
    return true;
}

/* Enters all groups with the next seed that spreads them. */
static TACO__COLD bool taco__group_table_reseed(taco__executor *x, taco__group_table *g)
{
    size_t i;
    do {
        if (!taco__vec_hash_next_seed(&g->seed, g->count, taco__operator_err(x))) { return false; }
        memset(g->table, 0, g->slots * sizeof *g->table);
        for (i = 0; i < g->count; i++) {
            g->hashes[i] = taco__vec_hash_row(g->vecs, g->width, i, g->seed);
        }
    } while (!taco__group_table_enter_all(g));
    return true;
}

/* Doubles the capacity; at least half of the slots stay empty. */
static bool taco__group_table_grow(taco__executor *x, taco__group_table *g)
{
    size_t cap = g->cap ? g->cap * 2 : 1024, slots = cap * 2;
    uint64_t *hashes =
        (uint64_t *)taco__arena_array(&x->hold[0], cap, sizeof *hashes, taco__operator_err(x));
    uint32_t *table =
        (uint32_t *)taco__arena_array(&x->hold[0], slots, sizeof *table, taco__operator_err(x));
    if (!hashes || !table) { return false; }
    if (g->count) { memcpy(hashes, g->hashes, g->count * sizeof *hashes); }
    g->hashes = hashes;
    g->table = table;
    g->cap = cap;
    g->slots = slots;
    return taco__group_table_enter_all(g) || taco__group_table_reseed(x, g);
}

/* The slot of row i of v, whose hash is h, or the empty one where it would go. Hashes are compared
   before values; at least half of the slots are empty, so that probing ends. */
TACO__INLINE size_t taco__group_table_find(const taco__group_table *g, const taco__vec *v, size_t i,
                                           uint64_t h)
{
    size_t at = (size_t)h & (g->slots - 1);
    while (g->table[at] && (g->hashes[g->table[at] - 1] != h ||
                            !taco__vec_equal(g->vecs, g->table[at] - 1, v, i, g->width))) {
        at = (at + 1) & (g->slots - 1);
    }
    return at;
}

/* The number of the group of row i of v, whose hash is h, creating it if necessary; UINT32_MAX if
   there is no memory. If the table takes another seed, the caller's hashes are outdated. */
static uint32_t taco__group_table_find_or_add(taco__executor *x, taco__group_table *g,
                                              const taco__vec *v, size_t i, uint64_t h)
{
    const uint64_t seed = g->seed;
    size_t at, k;
    uint32_t row = (uint32_t)i;
    if (g->count == g->cap && !taco__group_table_grow(x, g)) { return UINT32_MAX; }
    if (TACO__UNLIKELY(g->seed != seed)) { h = taco__vec_hash_row(v, g->width, i, g->seed); }
    at = taco__group_table_find(g, v, i, h);
    if (!g->table[at]) {
        while (((at - (size_t)h) & (g->slots - 1)) >= TACO__VEC_HASH_PROBES) {
            if (!taco__group_table_reseed(x, g)) { return UINT32_MAX; }
            h = taco__vec_hash_row(v, g->width, i, g->seed);
            at = taco__group_table_find(g, v, i, h);
        }
        for (k = 0; k < g->width; k++) {
            if (!taco__vec_builder_append(&x->hold[0], &g->cols[k], &v[k], &row, 1,
                                          taco__operator_err(x))) {
                return UINT32_MAX;
            }
            g->vecs[k] = g->cols[k].v;
        }
        g->hashes[g->count] = h;
        g->table[at] = (uint32_t)++g->count;
    }
    return g->table[at] - 1;
}

/* Groups by one text with a short dictionary: each entry is looked up once per batch, and rows use
   their code. Code code_n stands for null. */
static bool taco__group_table_number_codes(taco__executor *x, taco__group_table *g,
                                           const taco__vec *v, size_t n, uint32_t *out)
{
    uint32_t *known = (uint32_t *)taco__arena_array(&x->batch, v->code_n + 1, sizeof *known,
                                                    taco__operator_err(x)); /* group + 1 */
    size_t i;
    if (!known) { return false; }
    for (i = 0; i < n; i++) {
        size_t code = taco__vec_is_valid(v, i) ? (size_t)(uint32_t)v->codes[i] : v->code_n;
        if (TACO__UNLIKELY(!known[code])) {
            uint64_t h;
            taco__vec_arrow_load_code_text(v, i);
            h = taco__vec_hash_row(v, 1, i, g->seed);
            known[code] = taco__group_table_find_or_add(x, g, v, i, h) + 1;
            if (!known[code]) { return false; }
        }
        out[i] = known[code] - 1;
    }
    return true;
}

/* The hashes of n rows. */
static void taco__group_table_hash(const taco__group_table *g, const taco__vec *v, size_t n,
                                   uint64_t *h)
{
    size_t k;
    memset(h, 0, n * sizeof *h);
    for (k = 0; k < g->width; k++) {
        taco__vec_hash(&v[k], g->seed, h);
    }
}

/* The group number of each row, adding new groups. */
TACO__FN bool taco__group_table_number_rows(taco__executor *x, taco__group_table *g,
                                            const taco__vec *v, size_t n, uint32_t *out)
{
    uint64_t *h, seed = g->seed;
    size_t i;
    /* one text key with fewer entries than rows */
    if (g->width == 1 && v->codes && v->step && v->code_n <= n) {
        return taco__group_table_number_codes(x, g, v, n, out);
    }
    h = (uint64_t *)taco__arena_array(&x->batch, n + 1, sizeof *h, taco__operator_err(x));
    if (!h) { return false; }
    taco__group_table_hash(g, v, n, h);
    for (i = 0; i < n; i++) {
        if (TACO__UNLIKELY(g->seed != seed)) {
            seed = g->seed;
            taco__group_table_hash(g, v, n, h);
        }
        out[i] = taco__group_table_find_or_add(x, g, v, i, h[i]);
        if (out[i] == UINT32_MAX) { return false; }
    }
    return true;
}

/* The number in g of each group of another table of the same keys: those of a task, whose rows come
   after those that g has. */
TACO__FN bool taco__group_table_merge(taco__executor *x, taco__group_table *g,
                                      const taco__group_table *part, uint32_t *out)
{
    size_t i;
    for (i = 0; i < part->count; i++) {
        uint64_t h = part->hashes[i];
        if (TACO__UNLIKELY(part->seed != g->seed)) {
            h = taco__vec_hash_row(part->vecs, g->width, i, g->seed);
        }
        out[i] = taco__group_table_find_or_add(x, g, part->vecs, i, h);
        if (out[i] == UINT32_MAX) { return false; }
    }
    return true;
}
