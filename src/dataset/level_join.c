/* level_join.c - the parent of every row of a level, computed once

   In: internal:current_id of a level and internal:parent_id of the one below; for a catalogue also
   internal:source_file of both, as ids restart in every archive. Out: taco__level.parents. TACO 2.0
   §7.2.2 "Cascading Joins"; facts: disagreements 5, 18b.

   taco__join_make_parents makes at most three passes over the columns. The first pass counts the
   rows of each archive and checks whether ids are plain row numbers, as all writers make them; then
   a parent is found by addition (taco__join_plain_parent). Otherwise the second pass makes keys,
   which are sorted and searched. The last pass stores the parents. Archives are numbered by name in
   a hash map, which validation also uses (taco__join_find_archive). */
#include "cascade.h"
#include "../base/base.h"
#include "../arrow/arrow.h"
#include "../parquet/parquet.h"
#include "../filter/scan.h"

/* ---- archives by name ---- */

/* Makes room for twice as many archives. The old ones stay in the arena until the join ends. */
static bool taco__join_grow_archives(taco__join *j, taco_error *err)
{
    size_t cap = j->source_cap ? j->source_cap * 2 : 16;
    taco__join_archive *s = (taco__join_archive *)taco__arena_array(&j->arena, cap, sizeof *s, err);
    if (!s) { return false; }
    if (j->source_count) { memcpy(s, j->sources, j->source_count * sizeof *s); }
    j->sources = s;
    j->source_cap = cap;
    return true;
}

/* The number of a new archive; SIZE_MAX on failure. */
static size_t taco__join_add_archive(taco__join *j, taco_bytes name, taco_error *err)
{
    const char *copy = taco__arena_text(&j->arena, name, err);
    taco__hash_slot *slot;
    bool added;
    if (!copy || (j->source_count == j->source_cap && !taco__join_grow_archives(j, err))) {
        return SIZE_MAX;
    }
    name = taco__bytes_of(copy, name.len);
    slot = taco__hash_map_add(&j->by_name, name, &added, err);
    if (!slot) { return SIZE_MAX; }
    slot->value = j->source_count;
    j->sources[j->source_count].name = name;
    j->sources[j->source_count].first = -1;
    return j->source_count++;
}

/* The number of an archive; SIZE_MAX if it is new and `add` is not set, and on failure. */
TACO__FN size_t taco__join_find_archive(taco__join *j, taco_bytes name, bool add, taco_error *err)
{
    const taco__hash_slot *slot = taco__hash_map_find(&j->by_name, name);
    if (slot) { return (size_t)slot->value; }
    return add ? taco__join_add_archive(j, name, err) : SIZE_MAX;
}

/* ---- passes over the columns of a join ---- */

TACO__FN bool taco__join_is_integer(taco_type t)
{
    return t >= TACO_INT8 && t <= TACO_UINT64;
}

/* One row during a pass. */
typedef struct taco__join_row {
    size_t number;
    /* number of its archive; SIZE_MAX for one that the level above does not have */
    size_t source;
    /* its internal:current_id or internal:parent_id, if it has one */
    bool has_id;
    int64_t id;
} taco__join_row;

/* What a pass does with a row; it cannot fail. out is the array that the pass fills, or NULL. */
typedef void (*taco__join_row_fn)(taco__join *j, const taco__join_row *row, int32_t *out);

/* The columns of a pass, and their indexes in the arrays; TACO__NONE for one that is not read. */
typedef struct taco__join_columns {
    taco__row_reader rows;
    size_t id, source;
    /* new names become archives */
    bool add;
    /* the archive of the previous row, and its name */
    size_t last;
    taco_bytes last_name;
} taco__join_columns;

static bool taco__join_open_columns(taco__join *j, const taco__level *l, size_t id_column, bool add,
                                    taco__join_columns *c, taco_error *err)
{
    size_t which[2], n = 0;
    c->id = c->source = TACO__NONE;
    c->add = add;
    if (id_column != TACO__NONE) {
        c->id = n;
        which[n++] = id_column;
    }
    if (j->store->kind == TACO_KIND_TACOCAT && l->role.source != TACO__NONE) {
        c->source = n;
        which[n++] = l->role.source;
    }
    return taco__row_reader_open(&c->rows, &l->table, which, n, j->store->mem, err);
}

/* The archive of row i of a slice. Rows of one archive are consecutive, and if they share the bytes
   of its name (a dictionary), the name is not even compared. */
static bool taco__join_find_source(taco__join *j, taco__join_columns *c, size_t i, size_t *source,
                                   taco_error *err)
{
    taco_bytes name;
    *source = 0;
    if (c->source == TACO__NONE) { return true; }
    name = taco_array_bytes(&c->rows.arrays[c->source], i);
    if (c->last == SIZE_MAX || name.data != c->last_name.data || name.len != c->last_name.len) {
        c->last = taco__join_find_archive(j, name, c->add, err);
        c->last_name = name;
    }
    *source = c->last;
    return *source != SIZE_MAX || !c->add; /* searching alone cannot fail */
}

/* Processes n rows, beginning at `first`. */
static bool taco__join_do_slice(taco__join *j, taco__join_columns *c, uint64_t first, size_t n,
                                taco__join_row_fn each, int32_t *out, taco_error *err)
{
    const taco_array *ids = c->id != TACO__NONE ? &c->rows.arrays[c->id] : NULL;
    taco__join_row row;
    size_t i;
    /* names point into this slice only */
    c->last = SIZE_MAX;
    for (i = 0; i < n; i++) {
        row.number = (size_t)first + i;
        row.has_id = ids && taco_array_valid(ids, i);
        row.id = row.has_id ? taco_array_int(ids, i) : 0;
        if (!taco__join_find_source(j, c, i, &row.source, err)) { return false; }
        each(j, &row, out);
    }
    return true;
}

/* Calls `each` for every row of a level. id_column: TACO__NONE if there is none. */
static bool taco__join_for_each_row(taco__join *j, taco__level *l, size_t id_column, bool add,
                                    taco__join_row_fn each, int32_t *out, taco_error *err)
{
    taco__join_columns c;
    uint64_t first;
    bool ok;
    memset(&c, 0, sizeof c);
    ok = taco__join_open_columns(j, l, id_column, add, &c, err);
    for (first = 0; ok && first < l->table.rows; first += TACO__SCAN_SLICE) {
        size_t n = (size_t)TACO__MIN(l->table.rows - first, (uint64_t)TACO__SCAN_SLICE);
        ok = taco__row_reader_read_range(&c.rows, first, n, err) &&
             taco__join_do_slice(j, &c, first, n, each, out, err);
    }
    taco__row_reader_close(&c.rows);
    return ok;
}

/* The level above: counts the rows of each archive, and checks that they are consecutive and their
   ids count from 0. */
static void taco__join_add_archive_row(taco__join *j, const taco__join_row *row, int32_t *out)
{
    taco__join_archive *s = &j->sources[row->source];
    (void)out;
    if (s->first < 0) { s->first = (int64_t)row->number; }
    j->plain = j->plain && s->first + s->count == (int64_t)row->number &&
               (!row->has_id || row->id == s->count);
    s->count++;
}

/* The level above, if that is not so: makes a key for each row. */
static void taco__join_add_row_key(taco__join *j, const taco__join_row *row, int32_t *out)
{
    taco__join_row_key *k = &j->keys[j->key_count++];
    (void)out;
    k->source = (uint32_t)row->source;
    k->row = (int32_t)row->number;
    k->id = row->has_id ? row->id : (int64_t)row->number - j->sources[row->source].first;
}

/* The number of a row within its archive, used instead of internal:current_id. */
static void taco__join_number_row(taco__join *j, const taco__join_row *row, int32_t *out)
{
    taco__join_archive *s = &j->sources[row->source];
    s->first = s->first < 0 ? (int64_t)row->number : s->first;
    out[row->number] = (int32_t)((int64_t)row->number - s->first);
}

/* ---- parents ---- */

/* By archive, id and row, so that the first row wins among equal ids. */
static int taco__join_compare_keys(const void *ctx, const void *a, const void *b)
{
    const taco__join_row_key *x = (const taco__join_row_key *)a, *y = (const taco__join_row_key *)b;
    (void)ctx;
    if (x->source != y->source) { return x->source < y->source ? -1 : 1; }
    if (x->id != y->id) { return x->id < y->id ? -1 : 1; }
    return (x->row > y->row) - (x->row < y->row);
}

/* The row with an id if ids are plain row numbers; -1: there is none. */
static int32_t taco__join_plain_parent(const taco__join *j, size_t source, int64_t id)
{
    const taco__join_archive *s = &j->sources[source];
    return id >= 0 && id < s->count ? (int32_t)(s->first + id) : -1;
}

/* The first row with an id among the keys; -1: there is none. */
static int32_t taco__join_search_parent(const taco__join *j, size_t source, int64_t id)
{
    size_t lo = 0, hi = j->key_count;
    const taco__join_row_key *k;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        k = &j->keys[mid];
        if (k->source < source || (k->source == source && k->id < id)) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    k = &j->keys[lo];
    return lo < j->key_count && k->source == source && k->id == id ? k->row : -1;
}

/* The level below: the parent of a row, -1 for an orphan. */
static void taco__join_find_parent(taco__join *j, const taco__join_row *row, int32_t *out)
{
    out[row->number] = !row->has_id || row->source >= j->source_count ? -1
                       : j->plain ? taco__join_plain_parent(j, row->source, row->id)
                                  : taco__join_search_parent(j, row->source, row->id);
}

/* Makes sorted keys of the rows of the level above. */
static bool taco__join_make_keys(taco__join *j, taco__level *above, taco_error *err)
{
    j->keys = (taco__join_row_key *)taco__arena_array(&j->arena, (size_t)above->table.rows + 1,
                                                      sizeof *j->keys, err);
    return j->keys &&
           taco__join_for_each_row(j, above, above->role.current, true, taco__join_add_row_key,
                                   NULL, err) &&
           taco__sort_in(j->store->mem, j->keys, j->key_count, sizeof *j->keys,
                         taco__join_compare_keys, NULL, err);
}

/* Fills l->parents. */
static bool taco__join_run(taco__join *j, taco__level *above, taco__level *l, taco_error *err)
{
    size_t id = above->role.current;
    if (id != TACO__NONE && !taco__join_is_integer(above->table.fields[id].type)) {
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET, "internal:current_id must be an integer");
        return false;
    }
    j->plain = true;
    /* without names all rows are of archive 0 */
    if ((j->store->kind != TACO_KIND_TACOCAT || above->role.source == TACO__NONE) &&
        taco__join_find_archive(j, taco__bytes_of(NULL, 0), true, err) == SIZE_MAX) {
        return false;
    }
    return taco__join_for_each_row(j, above, id, true, taco__join_add_archive_row, NULL, err) &&
           (j->plain || taco__join_make_keys(j, above, err)) &&
           taco__join_for_each_row(j, l, l->role.parent, false, taco__join_find_parent, l->parents,
                                   err);
}

/* An empty join of a container; taco__join_free ends it. */
TACO__FN void taco__join_init(taco__join *j, taco__container *s)
{
    memset(j, 0, sizeof *j);
    j->store = s;
    j->arena.mem = j->by_name.mem = s->mem;
}

/* Frees the archives and keys. */
TACO__FN void taco__join_free(taco__join *j)
{
    taco__hash_map_free(&j->by_name);
    taco__arena_free(&j->arena);
}

/* The numbers of all rows of a level of a catalogue within their archives; out has room for all. */
TACO__FN bool taco__join_number_rows(taco__container *s, taco__level *l, int32_t *out,
                                     taco_error *err)
{
    taco__join j;
    bool ok;
    taco__join_init(&j, s);
    ok = taco__join_for_each_row(&j, l, TACO__NONE, true, taco__join_number_row, out, err);
    taco__join_free(&j);
    return ok;
}

/* Joining a level requires internal:parent_id. */
static bool taco__join_check_level(const taco__container *s, const taco__level *l, taco_error *err)
{
    if (l->role.parent != TACO__NONE &&
        taco__join_is_integer(l->table.fields[l->role.parent].type)) {
        return true;
    }
    TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
               l->role.parent == TACO__NONE
                   ? "there is no internal:parent_id, the level cannot be joined"
                   : "internal:parent_id must be an integer");
    return taco__container_fail(s, l->name, err);
}

/* Makes sure that level n >= 1 has its parents, unless it has no rows. */
TACO__FN bool taco__join_make_parents(taco__container *s, uint32_t n, taco_error *err)
{
    taco__level *above = taco__container_level(s, n - 1, err),
                *l = above ? taco__container_level(s, n, err) : NULL;
    taco__join j;
    size_t bytes;
    bool ok;
    if (!l) { return false; }
    if (l->parents || l->table.rows == 0) { return true; }
    if (!taco__join_check_level(s, l, err)) { return false; }
    if (taco__array_buf_size((size_t)l->table.rows, sizeof *l->parents, &bytes, err)) {
        l->parents = (int32_t *)taco__mem_alloc(s->mem, bytes, err);
    }
    if (!l->parents) { return taco__container_fail(s, l->name, err); }
    taco__join_init(&j, s);
    ok = taco__join_run(&j, above, l, err);
    taco__join_free(&j);
    if (!ok) {
        taco__mem_free(s->mem, l->parents, bytes);
        l->parents = NULL;
        return taco__container_fail(s, NULL, err);
    }
    return true;
}

/* Replaces a row of a level by its ancestor in level 0; false if it has none, and on failure. */
TACO__FN bool taco__join_top_row(taco__container *s, uint32_t level, uint64_t *row, taco_error *err)
{
    for (; level; level--) {
        taco__level *l = taco__container_level(s, level, err);
        if (!l || !taco__join_make_parents(s, level, err) || *row >= l->table.rows ||
            l->parents[*row] < 0) {
            return false;
        }
        *row = (uint64_t)l->parents[*row];
    }
    return true;
}
