/* ==== ROOM join: parents of rows, and the rows that filters of several levels leave. Uses: pq:scan store.
   Spec: TACO 2.0 §7.2.2 "Cascading Joins" ==== */

/* A row's key in its level is its internal:current_id, in a catalogue together with its internal:source_file: ids start
   again in every archive (facts: disagreements 5, 18b). Files of before 2025-12 have no current_id: the row's number
   within its archive counts. */
typedef struct taco__join_archive {
    taco_bytes name;
    int64_t    first, count; /* rows of the level above */
} taco__join_archive;
typedef struct taco__join_row_key {
    uint32_t source;
    int32_t  row;
    int64_t  id;
} taco__join_row_key;
typedef struct taco__join {
    taco__container    *store;
    taco__arena         arena;
    taco__join_archive *sources;
    size_t              source_count, source_cap;
    uint32_t           *slots; /* hash table of source numbers + 1 */
    size_t              slot_count;
    taco__join_row_key *keys; /* of the level above, sorted; NULL while ids are plain row numbers */
    size_t              key_count;
    bool                plain;
} taco__join;

TACO__FN bool taco__join_grow_archives(taco__join *j, taco_error *err)
{
    size_t              i, cap = j->source_cap ? j->source_cap * 2 : 16, slots = cap * 4;
    taco__join_archive *s = (taco__join_archive *)taco__arena_array(&j->arena, cap, sizeof *s, err);
    uint32_t           *t = (uint32_t *)taco__arena_array(&j->arena, slots, sizeof *t, err);
    if (!s || !t) {
        return false;
    }
    if (j->source_count) {
        memcpy(s, j->sources, j->source_count * sizeof *s);
    }
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
    char  *copy;
    if (j->source_count == j->source_cap && !taco__join_grow_archives(j, err)) {
        return SIZE_MAX;
    }
    at = (size_t)taco__xxh64_hash(0, name.data, name.len) & (j->slot_count - 1);
    for (; j->slots[at]; at = (at + 1) & (j->slot_count - 1)) {
        if (taco__bytes_equal(j->sources[j->slots[at] - 1].name, name)) {
            return j->slots[at] - 1;
        }
    }
    copy = add ? taco__arena_text(&j->arena, name, err) : NULL;
    if (!copy) {
        return SIZE_MAX;
    }
    j->sources[j->source_count].name = taco__bytes_of(copy, name.len);
    j->sources[j->source_count].first = -1;
    j->slots[at] = (uint32_t)++j->source_count;
    return j->source_count - 1;
}
TACO__FN int taco__join_compare_keys(const void *a, const void *b)
{
    const taco__join_row_key *x = (const taco__join_row_key *)a, *y = (const taco__join_row_key *)b;
    if (x->source != y->source) {
        return x->source < y->source ? -1 : 1;
    }
    if (x->id != y->id) {
        return x->id < y->id ? -1 : 1;
    }
    return (x->row > y->row) - (x->row < y->row);
}
TACO__FN bool taco__join_is_integer(taco_type t)
{
    return t >= TACO_INT8 && t <= TACO_UINT64;
}
/* Calls of one pass over the two columns that a join needs; id may be missing in the level above. */
typedef bool (*taco__join_row_fn)(taco__join *j, size_t row, size_t source, bool has_id, int64_t id,
                                  int32_t *out, taco_error *err);

TACO__FN bool taco__join_for_each_row(taco__join *j, taco__level *l, size_t id_column, bool add,
                                      taco__join_row_fn each, int32_t *out, taco_error *err)
{
    size_t           which[2], n = 0, at_id = TACO__NONE, at_source = TACO__NONE, last = SIZE_MAX;
    taco_bytes       last_name = {NULL, 0};
    taco__row_reader r;
    uint64_t         first;
    bool             ok;
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
            bool    has = at_id != TACO__NONE && taco_array_valid(&r.arrays[at_id], i);
            int64_t id = has ? taco_array_int(&r.arrays[at_id], i) : 0;
            size_t  source = 0;
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
/* The level above: rows of a source follow each other and their ids count from 0, as all writers do it, or not. */
TACO__FN bool taco__join_add_archive_row(taco__join *j, size_t row, size_t source, bool has_id,
                                         int64_t id, int32_t *out, taco_error *err)
{
    taco__join_archive *s = &j->sources[source];
    (void)out;
    (void)err;
    if (s->first < 0) {
        s->first = (int64_t)row;
    }
    j->plain = j->plain && s->first + s->count == (int64_t)row && (!has_id || id == s->count);
    s->count++;
    return true;
}
TACO__FN bool taco__join_add_row_key(taco__join *j, size_t row, size_t source, bool has_id,
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
TACO__FN bool taco__join_number_row(taco__join *j, size_t row, size_t source, bool has_id,
                                    int64_t id, int32_t *out, taco_error *err)
{
    taco__join_archive *s = &j->sources[source];
    (void)has_id;
    (void)id;
    (void)err;
    s->first = s->first < 0 ? (int64_t)row : s->first;
    out[row] = (int32_t)((int64_t)row - s->first);
    return true;
}
TACO__FN bool taco__join_find_parent(taco__join *j, size_t row, size_t source, bool has_id,
                                     int64_t id, int32_t *out, taco_error *err)
{
    (void)err;
    out[row] = -1;
    if (!has_id || source == SIZE_MAX || source >= j->source_count) {
        return true;
    }
    if (j->plain) {
        const taco__join_archive *s = &j->sources[source];
        if (id >= 0 && id < s->count) {
            out[row] = (int32_t)(s->first + id);
        }
    } else {
        size_t lo = 0, hi = j->key_count;
        while (lo < hi) {
            size_t                    mid = lo + (hi - lo) / 2;
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
TACO__FN bool taco__join_run(taco__join *j, taco__level *above, taco__level *l, taco_error *err)
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
/* The numbers of all rows of a level of a catalogue within their archives; out has room for them. */
TACO__FN bool taco__join_number_rows(taco__container *s, taco__level *l, int32_t *out,
                                     taco_error *err)
{
    taco__join j;
    bool       ok;
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
    bool       ok;
    if (!l) {
        return false;
    }
    if (l->parents || l->table.rows == 0) {
        return true;
    }
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
    if (!l->parents) {
        return taco__container_fail(s, l->name, err);
    }
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

/* ---- padding ------------------------------------------------------------------------------------ */

/* Matches rows that are no padding, those without an id among them. */
TACO__FN bool taco__query_padding_test(void *ctx, const taco_array *a, size_t rows,
                                       uint8_t *true_bits, uint8_t *valid_bits, taco_error *err)
{
    size_t i;
    (void)ctx;
    (void)err;
    for (i = 0; i < rows; i++) {
        if (!taco_array_valid(a, i) ||
            !taco__bytes_starts_with(taco_array_bytes(a, i), TACO__PADDING_PREFIX)) {
            taco__bitmap_set(true_bits, i);
        }
        taco__bitmap_set(valid_bits, i);
    }
    return true;
}
/* Ids between two bounds hold no padding when both lie on one side of it. */
TACO__FN unsigned taco__query_padding_prune(void *ctx, const taco__column_stats *r)
{
    taco_bytes first = taco__bytes_text(TACO__PADDING_PREFIX),
               behind = taco__bytes_text("__TACOPAE");
    (void)ctx;
    if ((r->has_max && taco__bytes_compare(r->max.b, first) < 0) ||
        (r->has_min && taco__bytes_compare(r->min.b, behind) >= 0)) {
        return TACO__MAY_TRUE;
    }
    return TACO__MAY_TRUE | TACO__MAY_FALSE;
}
/* Whether a level may hold padding at all: where the statistics say no, ids are not even read. */
TACO__FN bool taco__query_may_have_padding(taco__level *l)
{
    uint32_t g;
    if (l->padded < 0 && l->role.id != TACO__NONE &&
        l->table.fields[l->role.id].type == TACO_TEXT) {
        l->padded = l->table.pq == NULL && l->table.rows;
        for (g = 0; l->table.pq && g < taco__table_group_count(&l->table) && !l->padded; g++) {
            taco__column_stats r;
            taco__scan_prune_group_bounds(&l->table, g, l->role.id, &r);
            l->padded = taco__query_padding_prune(NULL, &r) != TACO__MAY_TRUE;
        }
    }
    return l->padded > 0;
}
/* e AND (the row is no padding); e alone where the level has none. */
TACO__FN bool taco__query_hide_padding(taco__level *l, taco__arena *arena, taco__expr **e,
                                       taco_error *err)
{
    taco__custom_predicate c;
    taco__expr            *real;
    if (!taco__query_may_have_padding(l)) {
        return true;
    }
    memset(&c, 0, sizeof c);
    c.eval = taco__query_padding_test;
    c.prune = taco__query_padding_prune;
    real = taco__expr_custom(arena, l->role.id, &c, err);
    *e = real ? taco__expr_and(arena, *e, real, err) : NULL;
    return *e != NULL;
}

/* ---- few parents -------------------------------------------------------------------------------- */

/* A PIT stores the children of row i behind those of row i - 1, so that the children of few rows lie on few pages (June
   2025 §"O(1)"; facts: june2025 1). Which pages these are is asked of the statistics of internal:parent_id, and the rows
   there are tested: where the order is another one more is read, and the rows are as right, whatever pit_schema says. */
#define TACO__LOOKUP_MIN_ROWS 8192 /* levels of fewer rows are joined whole */
#define TACO__LOOKUP_ROUND_BYTES                                                                   \
    ((uint64_t)1 << 20) /* bytes that are worth another round of reading */
#define TACO__LOOKUP_MAX_SINGLE                                                                    \
    64 /* rows whose parents are looked up one by one; then those of all */

typedef struct taco__lookup_set { /* rows of a level, that a column has the numbers of */
    const uint8_t *bits;
    uint64_t       rows;
} taco__lookup_set;

TACO__FN bool taco__lookup_test(void *ctx, const taco_array *a, size_t rows, uint8_t *true_bits,
                                uint8_t *valid_bits, taco_error *err)
{
    const taco__lookup_set *f = (const taco__lookup_set *)ctx;
    size_t                  i;
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
TACO__FN unsigned taco__lookup_prune(void *ctx, const taco__column_stats *r)
{
    const taco__lookup_set *f = (const taco__lookup_set *)ctx;
    taco__i256 zero = taco__i256_from_i64(0), last = taco__i256_from_i64((int64_t)f->rows - 1);
    uint64_t   lo, hi;
    if (!r->has_min || !r->has_max) {
        return TACO__MAY_ANY;
    }
    lo = taco__i256_compare(&r->min.d, &zero) < 0 ? 0 : r->min.d.w[0];
    hi = taco__i256_compare(&r->max.d, &last) > 0 ? f->rows - 1 : r->max.d.w[0];
    if (taco__i256_compare(&r->min.d, &last) > 0 || taco__i256_compare(&r->max.d, &zero) < 0 ||
        lo > hi || taco__bitmap_count(f->bits, (size_t)lo, (size_t)(hi - lo) + 1) == 0) {
        return TACO__MAY_FALSE | TACO__MAY_NULL;
    }
    return TACO__MAY_ANY;
}
/* Whether the children of few rows of level n - 1 may be looked for like this. In a catalogue, where numbers start again
   in every archive, they are not; nor where all that joins the levels comes in the first round anyway. */
TACO__FN bool taco__lookup_is_possible(const taco__container *s, uint32_t n)
{
    const taco__level *l = &s->levels[n], *above = &s->levels[n - 1];
    uint64_t           bytes = 0;
    uint32_t           g;
    if (l->parents || l->alone >= TACO__LOOKUP_MAX_SINGLE || s->kind == TACO_KIND_TACOCAT ||
        !l->table.pq || l->table.rows < TACO__LOOKUP_MIN_ROWS || l->role.parent == TACO__NONE ||
        !above->table.rows || !taco__join_is_integer(l->table.fields[l->role.parent].type) ||
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
TACO__FN bool taco__lookup_is_worthwhile(taco__scan *scan, const taco__table *t, size_t column)
{
    uint64_t left = 0;
    uint32_t g, leaf = taco__scan_prune_flat_leaf(t, column);
    for (g = 0; g < taco__table_group_count(t); g++) {
        const taco__pq_column_chunk *c = &t->pq->meta.groups[g].chunks[leaf];
        if ((taco__scan_prune_group(scan, g) & TACO__MAY_TRUE) &&
            !(c->column_index.size && taco__page_index_is_useful(c))) {
            left += taco__table_group_rows(t, g);
        }
    }
    return left <= t->rows / 2;
}
/* Rows of a level whose column has one of the numbers: their bits are set in out, or, where that is NULL, they must be the
   rows of just these numbers. *found: how many, UINT64_MAX when it does not pay, or they are not. */
TACO__FN bool taco__lookup_find_rows(taco__container *s, taco__level *l, size_t column,
                                     const taco__lookup_set *few, uint8_t *out, uint64_t *found,
                                     taco_error *err)
{
    taco__custom_predicate c;
    taco__arena            arena;
    taco__expr            *e;
    taco__scan             scan;
    const uint32_t        *rows;
    uint64_t               base;
    size_t                 i, n;
    bool                   ok;
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
        if (out && !taco__lookup_is_worthwhile(&scan, &l->table, column)) {
            *found = UINT64_MAX;
        }
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
        if (out && scan.counts.pages_pruned < scan.counts.pages / 2) { /* in no order: not again */
            l->alone = TACO__LOOKUP_MAX_SINGLE;
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
    bool     ok = l->role.current == TACO__NONE ||
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
    if (!l) {
        return false;
    }
    if (row < l->table.rows && taco__lookup_is_possible(s, n)) {
        size_t           bytes = TACO__BITMAP_BYTES((size_t)above->table.rows) + 8;
        uint8_t         *bits = (uint8_t *)taco__mem_alloc(s->mem, bytes, err);
        taco__lookup_set few;
        taco__row_reader one;
        bool             own = false,
             ok = bits && taco__row_reader_open(&one, &l->table, &l->role.parent, 1, s->mem, err);
        l->alone++;
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
        if (!ok || own) {
            return ok || taco__container_fail(s, l->name, err);
        }
    }
    if (!taco__join_make_parents(s, n, err)) {
        return false;
    }
    *out = l->parents[row];
    return true;
}

/* ---- cascades ----------------------------------------------------------------------------------- */

/* Rows of each level that survive; NULL = all of them. */
typedef struct taco__cascade {
    uint8_t  *bits[TACO__MAX_LEVELS];
    taco__buf held; /* taco__cached_range: what was read ahead */
} taco__cascade;

TACO__FN size_t taco__cascade_bitmap_bytes(const taco__container *s, uint32_t level)
{
    return TACO__BITMAP_BYTES((size_t)s->levels[level].table.rows) + 8;
}
TACO__FN void taco__cascade_free(taco__container *s, taco__cascade *p)
{
    const taco__cached_range *h;
    uint32_t                  i;
    size_t                    k;
    for (i = 0; i < TACO__MAX_LEVELS; i++) {
        if (p->bits[i]) {
            taco__mem_free(s->mem, p->bits[i], taco__cascade_bitmap_bytes(s, i));
            p->bits[i] = NULL;
        }
    }
    h = (const taco__cached_range *)(const void *)p->held.data;
    for (k = 0; k < p->held.len / sizeof *h; k++) {
        taco__file_release(h[k].file, h[k].range.offset, h[k].range.len);
    }
    taco__buf_free(&p->held);
}
TACO__FN bool taco__cascade_alloc_bitmap(taco__container *s, taco__cascade *p, uint32_t level,
                                         taco_error *err)
{
    p->bits[level] = (uint8_t *)taco__mem_alloc(s->mem, taco__cascade_bitmap_bytes(s, level), err);
    return p->bits[level] != NULL;
}
/* Replaces the bits of a level by those of its rows that also match `where`. */
TACO__FN bool taco__cascade_filter(taco__container *s, taco__cascade *p, uint32_t level,
                                   const taco__expr *where, taco_error *err)
{
    taco__level    *l = &s->levels[level];
    uint8_t        *before = p->bits[level];
    const uint32_t *rows;
    uint64_t        base;
    taco__scan      scan;
    bool            ok;
    if (!where) {
        return true;
    }
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
    if (before) {
        taco__mem_free(s->mem, before, taco__cascade_bitmap_bytes(s, level));
    }
    return ok || taco__container_fail(s, l->name, err);
}
/* Up: the parents of the rows picked in level n. */
TACO__FN bool taco__cascade_to_parents(taco__container *s, taco__cascade *p, uint32_t n,
                                       taco_error *err)
{
    const taco__level *l = &s->levels[n];
    size_t             i;
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
TACO__FN bool taco__cascade_to_children(taco__container *s, taco__cascade *p, uint32_t n,
                                        taco_error *err)
{
    const taco__level *l = &s->levels[n];
    size_t             i;
    if (!taco__join_make_parents(s, n, err)) {
        return false;
    }
    if (!p->bits[n]) {
        if (!taco__cascade_alloc_bitmap(s, p, n, err)) {
            return false;
        }
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
/* Down to the children of few picked rows, without the columns that join all rows. *done: whether it was possible. */
TACO__FN bool taco__cascade_lookup_children(taco__container *s, taco__cascade *p, uint32_t n,
                                            bool *done, taco_error *err)
{
    taco__level     *above = &s->levels[n - 1], *l = &s->levels[n];
    uint64_t         count, found = 0;
    taco__lookup_set few;
    bool             ok;
    *done = false;
    if (!p->bits[n - 1] || p->bits[n] || !taco__lookup_is_possible(s, n)) {
        return true;
    }
    few.bits = p->bits[n - 1];
    few.rows = above->table.rows;
    count = taco__bitmap_count(few.bits, 0, (size_t)few.rows);
    if (count > few.rows / 16 + 1) {
        return true;
    }
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
/* What a cascade reads of level l: the columns that join it, and those of the predicate in row groups that statistics do
   not decide. Below level `certain` few rows may be enough: what joins them is left then. */
TACO__FN bool taco__cascade_need_level(taco__container *s, uint32_t l, const taco__expr *where,
                                       uint32_t last, uint32_t certain, taco__buf *ranges,
                                       taco_error *err)
{
    taco__level      *level = &s->levels[l];
    taco_pq_file     *pq = level->table.pq;
    taco__wanted_rows w;
    taco__scan_span   span;
    taco__scan        scan;
    size_t            which[3], n = 0;
    uint32_t          g;
    bool              ok = true;
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
        span.whole = true;
        ok = taco__scan_fetch_add_chunks(pq, which, n, level->table.stored, g, &w, ranges, err) &&
             (!(may & TACO__MAY_TRUE) || may == TACO__MAY_TRUE ||
              taco__scan_fetch_add_chunks(pq, scan.used, scan.used_count, level->table.stored, g,
                                          &w, ranges, err));
    }
    taco__scan_close(&scan);
    return ok;
}
/* The indexes that finding few rows reads beside: of the numbers in level l and of those that the level below has. */
TACO__FN bool taco__cascade_need_indexes(taco__container *s, uint32_t l, uint32_t last,
                                         taco__buf *ranges, taco_error *err)
{
    taco__level *level = &s->levels[l];
    size_t       which[2], n = 0, i;
    uint32_t     g, leaf;
    if (l && taco__lookup_is_possible(s, l)) {
        which[n++] = level->role.parent;
    }
    if (l < last && level->role.current != TACO__NONE && taco__lookup_is_possible(s, l + 1)) {
        which[n++] = level->role.current;
    }
    for (i = 0; i < n; i++) {
        leaf = taco__scan_prune_flat_leaf(&level->table, which[i]);
        for (g = 0; leaf != UINT32_MAX && g < taco__table_group_count(&level->table); g++) {
            const taco__pq_column_chunk *c = &level->table.pq->meta.groups[g].chunks[leaf];
            if (taco__page_index_is_useful(c) &&
                (!taco__scan_fetch_add_range(ranges, level->table.pq, c->offset_index.offset,
                                             c->offset_index.size, err) ||
                 (c->column_index.size && c->column_index.size < c->pages.size &&
                  !taco__scan_fetch_add_range(ranges, level->table.pq, c->column_index.offset,
                                              c->column_index.size, err)))) {
                return false;
            }
        }
    }
    return true;
}
/* Reads the ranges in one round and holds them until the picks are let go of, unless they are too much for that. */
TACO__FN bool taco__cascade_cache_ranges(taco__cascade *p, taco__file *file, taco__buf *ranges,
                                         taco_error *err)
{
    taco__cached_range held;
    size_t             i, n = ranges->len / sizeof held.range;
    bool               ok = true;
    if (taco__scan_fetch_range_bytes(ranges) <= TACO__SCAN_AHEAD) {
        held.file = file;
        ok = taco__buf_reserve(&p->held, n * sizeof held, err) &&
             taco__file_fetch(file, (const taco__range *)(const void *)ranges->data, n, err);
        for (i = 0; ok && i < n; i++) {
            memcpy(&held.range, ranges->data + i * sizeof held.range, sizeof held.range);
            ok = taco__buf_append(&p->held, &held, sizeof held, err);
        }
    }
    ranges->len = 0;
    return ok;
}
/* From a vectored source all of that comes in one round. where may be NULL. */
TACO__FN bool taco__cascade_read_ahead(taco__container *s, taco__cascade *p,
                                       taco__expr *const *where, uint32_t last, uint32_t certain,
                                       taco_error *err)
{
    taco__buf ranges;
    uint32_t  l;
    bool      ok = true;
    memset(&ranges, 0, sizeof ranges);
    ranges.mem = p->held.mem = s->mem;
    for (l = 0; ok && l <= last; l++) {
        taco__file *file = s->levels[l].table.pq ? s->levels[l].table.pq->part.file : NULL;
        if (!file || !file->src.read_many) {
            continue;
        }
        ok = taco__cascade_need_level(s, l, where ? where[l] : NULL, last, certain, &ranges, err);
        if (l == last || !s->levels[l + 1].table.pq ||
            s->levels[l + 1].table.pq->part.file != file) { /* else together with the next level */
            ok = ok && taco__cascade_cache_ranges(p, file, &ranges, err);
        }
    }
    taco__buf_free(&ranges);
    return ok || taco__container_fail(s, NULL, err);
}
/* Of the rows of level n only those of a mask. */
TACO__FN bool taco__cascade_apply_mask(taco__container *s, taco__cascade *p, uint32_t n,
                                       const uint8_t *mask, taco_error *err)
{
    size_t i, bytes = taco__cascade_bitmap_bytes(s, n);
    if (mask && !p->bits[n]) {
        if (!taco__cascade_alloc_bitmap(s, p, n, err)) {
            return false;
        }
        memcpy(p->bits[n], mask, bytes);
    }
    for (i = 0; mask && i < bytes; i++) {
        p->bits[n][i] &= mask[i];
    }
    return true;
}
/* Rows of level `table` that the filters leave: where[l] (NULL = no filter) tests the rows of level l, and all filters
   hold along one path from level 0 down. masks, where it is not NULL, has bitmaps of rows by level that may stay (NULL =
   all). deepest is the deepest level with a filter or a mask. */
TACO__FN bool taco__cascade_run(taco__container *s, taco__cascade *p, taco__expr *const *where,
                                uint8_t *const *masks, uint32_t deepest, uint32_t table,
                                taco_error *err)
{
    uint32_t l;
    bool     done = false;
    memset(p, 0, sizeof *p);
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
