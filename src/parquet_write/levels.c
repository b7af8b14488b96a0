/* levels.c - definition and repetition levels of one leaf, from Arrow arrays

   In: rows of a top-level array and the path to a leaf below it. Out: an entry for each value, null
   or empty list, with its two levels, and the positions of the values in the leaf's array (Dremel;
   parquet-format, Nested Encoding).

   The walk goes from the top down, one field at a time, for all rows together: every row begins as
   one entry with levels 0 and its own position. A nullable field raises the definition level of
   entries that have a value and ends the others, whose position becomes TACO__LEVELS_NONE; a list
   unfolds each entry into one per item. For the lists [[1, 2], [], null] of int32, both nullable:

       entries after     position   repetition   definition
       the list's null   0 1 -      0 0 0        1 1 0
       its items         0 1 - -    0 1 0 0      2 2 1 0
       the items' nulls  0 1 - -    0 1 0 0      3 3 1 0 */
#include "parquet_write.h"
#include "../base/base.h"

#define TACO__LEVELS_NONE UINT32_MAX /* the position of an entry without a value */

TACO__FN void taco__levels_init(taco__levels *l, taco__mem *mem)
{
    memset(l, 0, sizeof *l);
    l->mem = l->def.mem = l->rep.mem = l->index.mem = mem;
    l->def2.mem = l->rep2.mem = l->index2.mem = mem;
}

TACO__FN void taco__levels_free(taco__levels *l)
{
    taco__buf_free(&l->def);
    taco__buf_free(&l->rep);
    taco__buf_free(&l->index);
    taco__buf_free(&l->def2);
    taco__buf_free(&l->rep2);
    taco__buf_free(&l->index2);
}

/* Makes room for n entries; the buffers' contents are lost. */
static bool taco__levels_reserve(taco__buf *def, taco__buf *rep, taco__buf *index, size_t n,
                                 taco_error *err)
{
    size_t bytes;
    if (!taco__checked_mul_size(n, sizeof(uint32_t), &bytes)) {
        TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u levels", TACO__U(n));
        return false;
    }
    return taco__buf_reset(def, bytes / 2, err) && taco__buf_reset(rep, bytes / 2, err) &&
           taco__buf_reset(index, bytes, err);
}

/* One entry per row, with nothing known about its value yet. */
static bool taco__levels_begin(taco__levels *l, size_t first, size_t n, taco_error *err)
{
    uint32_t *index;
    size_t i;
    l->entries = n;
    l->max_def = l->max_rep = 0;
    l->any_none = false;
    if (!taco__levels_reserve(&l->def, &l->rep, &l->index, n, err)) { return false; }
    memset(l->def.data, 0, n * sizeof(int16_t));
    memset(l->rep.data, 0, n * sizeof(int16_t));
    index = taco__levels_indices(&l->index);
    for (i = 0; i < n; i++) {
        index[i] = (uint32_t)(first + i);
    }
    return true;
}

/* A nullable field without nulls: all entries with a value go one level up. */
static void taco__levels_present(taco__levels *l)
{
    int16_t *def = taco__levels_values(&l->def);
    const uint32_t *index = taco__levels_indices(&l->index);
    size_t i;
    l->max_def++;
    if (!l->any_none) { /* all have the same level */
        for (i = 0; i < l->entries; i++) {
            def[i] = l->max_def;
        }
        return;
    }
    for (i = 0; i < l->entries; i++) {
        def[i] = (int16_t)(def[i] + (index[i] != TACO__LEVELS_NONE));
    }
}

/* A field that may be null: entries with a value go one level up, those without end here. */
static bool taco__levels_optional(taco__levels *l, const taco_array *a, bool nullable,
                                  taco_error *err)
{
    int16_t *def = taco__levels_values(&l->def);
    uint32_t *index = taco__levels_indices(&l->index);
    bool none = a->field->type == TACO_NULL;
    size_t i;
    if (nullable && !none && !a->validity) {
        taco__levels_present(l);
        return true;
    }
    for (i = 0; i < l->entries; i++) {
        if (index[i] == TACO__LEVELS_NONE) { continue; }
        if (!none && (!a->validity || taco__bitmap_get(a->validity, index[i]))) {
            def[i] = (int16_t)(def[i] + nullable);
        } else if (nullable) {
            index[i] = TACO__LEVELS_NONE;
            l->any_none = true;
        } else {
            taco_bytes name = taco__bytes_text(a->field->name);
            TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "null in field %q, which is not nullable", &name);
            return false;
        }
    }
    l->max_def = (int16_t)(l->max_def + nullable);
    return true;
}

/* Number of entries for the items of a list, one for an empty list, into *n. The offsets come from
   the caller, so they must be checked against the array of the items. */
static bool taco__levels_count_list(const taco_array *a, size_t row, uint64_t *n, taco_error *err)
{
    int32_t from = a->offsets[row], to = a->offsets[row + 1];
    if (from < 0 || to < from || (size_t)to > a->children[0].length) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "list from %d to %d of an array of %u items", TACO__D(from), TACO__D(to),
                   TACO__U(a->children[0].length));
        return false;
    }
    *n += from == to ? 1 : (uint64_t)(to - from);
    return true;
}

/* Number of entries after all lists are expanded. */
static bool taco__levels_count_items(const taco__levels *l, const taco_array *a, size_t *out,
                                     taco_error *err)
{
    const uint32_t *index = taco__levels_indices(&l->index);
    uint64_t n = 0;
    size_t i;
    for (i = 0; i < l->entries; i++) {
        if (index[i] == TACO__LEVELS_NONE) {
            n++;
        } else if (!taco__levels_count_list(a, index[i], &n, err)) {
            return false;
        }
    }
    if (n > INT32_MAX) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "%u list items in one batch, at most %u are allowed", n, TACO__U(INT32_MAX));
        return false;
    }
    *out = (size_t)n;
    return true;
}

/* Writes the entries of all items to def2, rep2 and index2; returns how many there are, and sets
   any_none. The first item of a list repeats where the list does, the others at the list's own
   level. */
static size_t taco__levels_unfold(taco__levels *l, const taco_array *a, int16_t list_rep)
{
    const int16_t *def = taco__levels_values(&l->def), *rep = taco__levels_values(&l->rep);
    const uint32_t *index = taco__levels_indices(&l->index);
    int16_t *def2 = taco__levels_values(&l->def2), *rep2 = taco__levels_values(&l->rep2);
    uint32_t *index2 = taco__levels_indices(&l->index2);
    size_t i, k = 0;
    bool none = false;
    for (i = 0; i < l->entries; i++) {
        bool there = index[i] != TACO__LEVELS_NONE;
        int32_t j = there ? a->offsets[index[i]] : 0, to = there ? a->offsets[index[i] + 1] : 0;
        def2[k] = (int16_t)(def[i] + (j < to));
        rep2[k] = rep[i];
        index2[k++] = j < to ? (uint32_t)j : TACO__LEVELS_NONE;
        none |= j >= to;
        for (j++; j < to; j++) {
            def2[k] = (int16_t)(def[i] + 1);
            rep2[k] = list_rep;
            index2[k++] = (uint32_t)j;
        }
    }
    l->any_none = none;
    return k;
}

static void taco__levels_swap(taco__buf *a, taco__buf *b)
{
    taco__buf swap = *a;
    *a = *b;
    *b = swap;
}

/* A list: its entries become those of its items. */
static bool taco__levels_list(taco__levels *l, const taco_array *a, taco_error *err)
{
    size_t total;
    if (!taco__levels_count_items(l, a, &total, err) ||
        !taco__levels_reserve(&l->def2, &l->rep2, &l->index2, total, err)) {
        return false;
    }
    l->max_rep++;
    l->max_def++;
    l->entries = taco__levels_unfold(l, a, l->max_rep);
    taco__levels_swap(&l->def, &l->def2);
    taco__levels_swap(&l->rep, &l->rep2);
    taco__levels_swap(&l->index, &l->index2);
    return true;
}

/* Keeps only the positions of values in `index`. */
static void taco__levels_end(taco__levels *l, const taco_array *leaf)
{
    uint32_t *index = taco__levels_indices(&l->index);
    size_t i, k = l->any_none ? 0 : l->entries;
    for (i = 0; l->any_none && i < l->entries;
         i++) { /* no branch, because nulls are not predictable */
        uint32_t at = index[i];
        index[k] = at;
        k += at != TACO__LEVELS_NONE;
    }
    l->values = k;
    l->leaf = leaf;
    l->consecutive = !l->any_none && l->max_rep == 0;
}

/* path has a child for every STRUCT on the way. The entries of a MAP are the repeated group itself,
   so their STRUCT adds no level; and keys are never null. */
TACO__FN bool taco__levels_make(taco__levels *l, const taco_array *a, const uint32_t *path,
                                size_t first, size_t n, taco_error *err)
{
    bool key = false;
    if (!taco__levels_begin(l, first, n, err)) { return false; }
    for (;;) {
        taco_type type = a->field->type;
        bool nullable = (a->field->nullable || type == TACO_NULL) && !key;
        if ((nullable || a->validity || type == TACO_NULL) &&
            !taco__levels_optional(l, a, nullable, err)) {
            return false;
        }
        key = false;
        if (type == TACO_LIST || type == TACO_MAP) {
            if (!taco__levels_list(l, a, err)) { return false; }
            a = &a->children[0];
            if (type == TACO_MAP) {
                key = *path == 0;
                a = &a->children[*path++];
            }
        } else if (type == TACO_STRUCT) {
            a = &a->children[*path++];
        } else {
            break;
        }
    }
    taco__levels_end(l, a);
    return true;
}
