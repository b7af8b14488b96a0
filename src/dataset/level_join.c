/* level_join.c - parents of rows, and the rows that filters of several levels leave.. Spec: TACO
   2.0 §7.2.2 "Cascading Joins" */
#include "dataset.h"
#include "../base/base.h"
#include "../parquet/parquet.h"
#include "../filter/filter.h"

static bool taco__join_grow_archives(taco__join *j, taco_error *err)
{
    size_t i, cap = j->source_cap ? j->source_cap * 2 : 16, slots = cap * 4;
    taco__join_archive *s = (taco__join_archive *)taco__arena_array(&j->arena, cap, sizeof *s, err);
    uint32_t *t = (uint32_t *)taco__arena_array(&j->arena, slots, sizeof *t, err);
    if (!s || !t) { return false; }
    if (j->source_count) { memcpy(s, j->sources, j->source_count * sizeof *s); }
    for (i = 0; i < j->source_count; i++) {
        size_t at = (size_t)taco__xxh64_hash(0, s[i].name.data, s[i].name.len) & (slots - 1);
        while (t[at]) {
            at = (at + 1) & (slots - 1);
        }
        t[at] = (uint32_t)i + 1;
    }
    j->sources = s;
    j->source_cap = cap;
    j->slots = t;
    j->slot_count = slots;
    return true;
}

/* Number of a source, SIZE_MAX when it is new and `add` is not set, or on failure. */
TACO__FN size_t taco__join_find_archive(taco__join *j, taco_bytes name, bool add, taco_error *err)
{
    size_t at;
    char *copy;
    if (j->source_count == j->source_cap && !taco__join_grow_archives(j, err)) { return SIZE_MAX; }
    at = (size_t)taco__xxh64_hash(0, name.data, name.len) & (j->slot_count - 1);
    for (; j->slots[at]; at = (at + 1) & (j->slot_count - 1)) {
        if (taco__bytes_equal(j->sources[j->slots[at] - 1].name, name)) { return j->slots[at] - 1; }
    }
    copy = add ? taco__arena_text(&j->arena, name, err) : NULL;
    if (!copy) { return SIZE_MAX; }
    j->sources[j->source_count].name = taco__bytes_of(copy, name.len);
    j->sources[j->source_count].first = -1;
    j->slots[at] = (uint32_t)++j->source_count;
    return j->source_count - 1;
}

static int taco__join_compare_keys(const void *a, const void *b)
{
    const taco__join_row_key *x = (const taco__join_row_key *)a, *y = (const taco__join_row_key *)b;
    if (x->source != y->source) { return x->source < y->source ? -1 : 1; }
    if (x->id != y->id) { return x->id < y->id ? -1 : 1; }
    return (x->row > y->row) - (x->row < y->row);
}

TACO__FN bool taco__join_is_integer(taco_type t)
{
    return t >= TACO_INT8 && t <= TACO_UINT64;
}

/* Calls of one pass over the two columns that a join needs; id may be missing in the level
   above. */
typedef bool (*taco__join_row_fn)(taco__join *j, size_t row, size_t source, bool has_id, int64_t id,
                                  int32_t *out, taco_error *err);

static bool taco__join_for_each_row(taco__join *j, taco__level *l, size_t id_column, bool add,
                                    taco__join_row_fn each, int32_t *out, taco_error *err)
{
    size_t which[2], n = 0, at_id = TACO__NONE, at_source = TACO__NONE, last = SIZE_MAX;
    taco_bytes last_name = {NULL, 0};
    taco__row_reader r;
    uint64_t first;
    bool ok;
    if (id_column != TACO__NONE) {
        at_id = n;
        which[n++] = id_column;
    }
    if (j->store->kind == TACO_KIND_TACOCAT && l->role.source != TACO__NONE) {
        at_source = n;
        which[n++] = l->role.source;
    }
    ok = taco__row_reader_open(&r, &l->table, which, n, j->store->mem, err);
    for (first = 0; ok && first < l->table.rows;) {
        size_t i, m = (size_t)TACO__MIN(l->table.rows - first, (uint64_t)TACO__SCAN_SLICE);
        ok = taco__row_reader_read_range(&r, first, m, err);
        last = SIZE_MAX;
        for (i = 0; ok && i < m; i++) {
            bool has = at_id != TACO__NONE && taco_array_valid(&r.arrays[at_id], i);
            int64_t id = has ? taco_array_int(&r.arrays[at_id], i) : 0;
            size_t source = 0;
            if (at_source != TACO__NONE) {
                taco_bytes name = taco_array_bytes(&r.arrays[at_source], i);
                if (last == SIZE_MAX || name.data != last_name.data || name.len != last_name.len) {
                    last = taco__join_find_archive(j, name, add, err);
                    last_name = name;
                    ok = last != SIZE_MAX || (!add && (!err || err->code == TACO_OK));
                }
                source = last;
            }
            ok = ok && each(j, (size_t)first + i, source, has, id, out, err);
        }
        first += m;
    }
    taco__row_reader_close(&r);
    return ok;
}

/* The level above: rows of a source follow each other and their ids count from 0, as all writers do
   it, or not. */
static bool taco__join_add_archive_row(taco__join *j, size_t row, size_t source, bool has_id,
                                       int64_t id, int32_t *out, taco_error *err)
{
    taco__join_archive *s = &j->sources[source];
    (void)out;
    (void)err;
    if (s->first < 0) { s->first = (int64_t)row; }
    j->plain = j->plain && s->first + s->count == (int64_t)row && (!has_id || id == s->count);
    s->count++;
    return true;
}

static bool taco__join_add_row_key(taco__join *j, size_t row, size_t source, bool has_id,
                                   int64_t id, int32_t *out, taco_error *err)
{
    taco__join_row_key *k = &j->keys[j->key_count];
    (void)out;
    (void)err;
    k->source = (uint32_t)source;
    k->row = (int32_t)row;
    k->id = has_id ? id : (int64_t)row - j->sources[source].first;
    j->key_count++;
    return true;
}

/* Number of a row within its archive: what stands for internal:current_id where there is none. */
static bool taco__join_number_row(taco__join *j, size_t row, size_t source, bool has_id, int64_t id,
                                  int32_t *out, taco_error *err)
{
    taco__join_archive *s = &j->sources[source];
    (void)has_id;
    (void)id;
    (void)err;
    s->first = s->first < 0 ? (int64_t)row : s->first;
    out[row] = (int32_t)((int64_t)row - s->first);
    return true;
}

static bool taco__join_find_parent(taco__join *j, size_t row, size_t source, bool has_id,
                                   int64_t id, int32_t *out, taco_error *err)
{
    (void)err;
    out[row] = -1;
    if (!has_id || source == SIZE_MAX || source >= j->source_count) { return true; }
    if (j->plain) {
        const taco__join_archive *s = &j->sources[source];
        if (id >= 0 && id < s->count) { out[row] = (int32_t)(s->first + id); }
    } else {
        size_t lo = 0, hi = j->key_count;
        while (lo < hi) {
            size_t mid = lo + (hi - lo) / 2;
            const taco__join_row_key *k = &j->keys[mid];
            if (k->source < source || (k->source == source && k->id < id)) {
                lo = mid + 1;
            } else {
                hi = mid;
            }
        }
        if (lo < j->key_count && j->keys[lo].source == source && j->keys[lo].id == id) {
            out[row] = j->keys[lo].row;
        }
    }
    return true;
}

static bool taco__join_run(taco__join *j, taco__level *above, taco__level *l, taco_error *err)
{
    size_t id = above->role.current;
    if (id != TACO__NONE && !taco__join_is_integer(above->table.fields[id].type)) {
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET, "internal:current_id must be an integer");
        return false;
    }
    j->plain = true;
    if ((j->store->kind != TACO_KIND_TACOCAT || above->role.source == TACO__NONE) &&
        taco__join_find_archive(j, taco__bytes_of(NULL, 0), true, err) == SIZE_MAX) {
        return false;
    }
    if (!taco__join_for_each_row(j, above, id, true, taco__join_add_archive_row, NULL, err)) {
        return false;
    }
    if (!j->plain) {
        j->keys = (taco__join_row_key *)taco__arena_array(&j->arena, (size_t)above->table.rows + 1,
                                                          sizeof *j->keys, err);
        if (!j->keys ||
            !taco__join_for_each_row(j, above, id, true, taco__join_add_row_key, NULL, err)) {
            return false;
        }
        qsort(j->keys, j->key_count, sizeof *j->keys, taco__join_compare_keys);
    }
    return taco__join_for_each_row(j, l, l->role.parent, false, taco__join_find_parent, l->parents,
                                   err);
}

/* The numbers of all rows of a level of a catalogue within their archives; out has room for
   them. */
TACO__FN bool taco__join_number_rows(taco__container *s, taco__level *l, int32_t *out,
                                     taco_error *err)
{
    taco__join j;
    bool ok;
    memset(&j, 0, sizeof j);
    j.store = s;
    j.arena.mem = s->mem;
    ok = taco__join_for_each_row(&j, l, TACO__NONE, true, taco__join_number_row, out, err);
    taco__arena_free(&j.arena);
    return ok;
}

/* Row of the parent of every row of level n >= 1, made once. */
TACO__FN bool taco__join_make_parents(taco__container *s, uint32_t n, taco_error *err)
{
    taco__level *above = taco__container_level(s, n - 1, err),
                *l = above ? taco__container_level(s, n, err) : NULL;
    taco__join j;
    bool ok;
    if (!l) { return false; }
    if (l->parents || l->table.rows == 0) { return true; }
    if (l->role.parent == TACO__NONE ||
        !taco__join_is_integer(l->table.fields[l->role.parent].type)) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   l->role.parent == TACO__NONE
                       ? "there is no internal:parent_id, the level cannot be joined"
                       : "internal:parent_id must be an integer");
        return taco__container_fail(s, l->name, err);
    }
    l->parents =
        (int32_t *)taco__mem_alloc(s->mem, (size_t)l->table.rows * sizeof *l->parents, err);
    if (!l->parents) { return taco__container_fail(s, l->name, err); }
    memset(&j, 0, sizeof j);
    j.store = s;
    j.arena.mem = s->mem;
    ok = taco__join_run(&j, above, l, err);
    taco__arena_free(&j.arena);
    if (!ok) {
        taco__mem_free(s->mem, l->parents, (size_t)l->table.rows * sizeof *l->parents);
        l->parents = NULL;
        return taco__container_fail(s, NULL, err);
    }
    return true;
}
