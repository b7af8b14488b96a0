/* levels.c - definition and repetition levels from Arrow arrays.. Spec: Dremel levels,
   parquet-format "Nested Encoding" */
#include "parquet_write.h"
#include "../base/base.h"

#define TACO__LEVELS_NONE UINT32_MAX

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

/* A nullable field: entries with a value go one level up, those without end here. */
static bool taco__levels_optional(taco__levels *l, const taco_array *a, bool nullable,
                                  taco_error *err)
{
    int16_t *def = taco__levels_values(&l->def);
    uint32_t *index = taco__levels_indices(&l->index);
    bool none = a->field->type == TACO_NULL;
    size_t i;
    for (i = 0; i < l->entries; i++) {
        if (index[i] == TACO__LEVELS_NONE) { continue; }
        if (!none && (!a->validity || taco__bitmap_get(a->validity, index[i]))) {
            def[i] = (int16_t)(def[i] + nullable);
        } else if (nullable) {
            index[i] = TACO__LEVELS_NONE;
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

/* Entries that the items of a list take: one each, and one for a list without any. */
static bool taco__levels_count_items(const taco__levels *l, const taco_array *a, size_t *out,
                                     taco_error *err)
{
    const uint32_t *index = taco__levels_indices(&l->index);
    uint64_t n = 0;
    size_t i;
    for (i = 0; i < l->entries; i++) {
        if (index[i] == TACO__LEVELS_NONE) {
            n++;
        } else {
            int32_t from = a->offsets[index[i]], to = a->offsets[index[i] + 1];
            if (from < 0 || to < from || (size_t)to > a->children[0].length) {
                TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                           "list from %d to %d of an array of %u items", TACO__D(from), TACO__D(to),
                           TACO__U(a->children[0].length));
                return false;
            }
            n += from == to ? 1 : (uint64_t)(to - from);
        }
    }
    if (n > INT32_MAX) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "%u list items in one batch, %u are the most", n, TACO__U(INT32_MAX));
        return false;
    }
    *out = (size_t)n;
    return true;
}

static bool taco__levels_list(taco__levels *l, const taco_array *a, taco_error *err)
{
    size_t i, k = 0, total;
    int16_t list_rep = (int16_t)(l->max_rep + 1), *def, *rep, *def2, *rep2;
    uint32_t *index, *index2;
    taco__buf swap;
    if (!taco__levels_count_items(l, a, &total, err) ||
        !taco__levels_reserve(&l->def2, &l->rep2, &l->index2, total, err)) {
        return false;
    }
    def = taco__levels_values(&l->def);
    rep = taco__levels_values(&l->rep);
    index = taco__levels_indices(&l->index);
    def2 = taco__levels_values(&l->def2);
    rep2 = taco__levels_values(&l->rep2);
    index2 = taco__levels_indices(&l->index2);
    for (i = 0; i < l->entries; i++) {
        bool there = index[i] != TACO__LEVELS_NONE;
        int32_t j = there ? a->offsets[index[i]] : 0, to = there ? a->offsets[index[i] + 1] : 0;
        def2[k] = (int16_t)(def[i] + (j < to));
        rep2[k] = rep[i];
        index2[k++] = j < to ? (uint32_t)j : TACO__LEVELS_NONE;
        for (j++; j < to; j++) {
            def2[k] = (int16_t)(def[i] + 1);
            rep2[k] = list_rep;
            index2[k++] = (uint32_t)j;
        }
    }
    l->entries = k;
    l->max_rep = list_rep;
    l->max_def++;
    swap = l->def, l->def = l->def2, l->def2 = swap;
    swap = l->rep, l->rep = l->rep2, l->rep2 = swap;
    swap = l->index, l->index = l->index2, l->index2 = swap;
    return true;
}

/* Entries of rows [first, first + n) of one leaf below a top-level array. path holds a child for
   every STRUCT on the way, a map's entry among them. */
TACO__FN bool taco__levels_make(taco__levels *l, const taco_array *a, const uint32_t *path,
                                size_t first, size_t n, taco_error *err)
{
    uint32_t *index;
    size_t i, k;
    bool key = false;
    l->entries = n;
    l->max_def = l->max_rep = 0;
    if (!taco__levels_reserve(&l->def, &l->rep, &l->index, n, err)) { return false; }
    memset(l->def.data, 0, n * sizeof(int16_t));
    memset(l->rep.data, 0, n * sizeof(int16_t));
    for (i = 0; i < n; i++) {
        taco__levels_indices(&l->index)[i] = (uint32_t)(first + i);
    }
    for (;;) {
        bool nullable = (a->field->nullable || a->field->type == TACO_NULL) && !key;
        if ((nullable || a->validity) && !taco__levels_optional(l, a, nullable, err)) {
            return false;
        }
        key = false;
        if (a->field->type == TACO_LIST || a->field->type == TACO_MAP) {
            bool map = a->field->type == TACO_MAP;
            if (!taco__levels_list(l, a, err)) { return false; }
            a = &a->children[0];
            if (map) { /* its entries are the repeated group itself */
                key = *path == 0;
                a = &a->children[*path++];
            }
        } else if (a->field->type == TACO_STRUCT) {
            a = &a->children[*path++];
        } else {
            break;
        }
    }
    index = taco__levels_indices(&l->index);
    for (i = k = 0; i < l->entries; i++) {
        if (index[i] != TACO__LEVELS_NONE) { index[k++] = index[i]; }
    }
    l->values = k;
    l->leaf = a;
    return true;
}
