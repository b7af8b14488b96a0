/* ==== ROOM join: parents of rows, and the rows that filters of several levels leave. Uses: pq:scan store.
   Spec: TACO 2.0 §7.2.2 "Cascading Joins" ==== */

/* A row's key in its level is its internal:current_id, in a catalogue together with its internal:source_file: ids start
   again in every archive (facts: disagreements 5, 18b). Files of before 2025-12 have no current_id: the row's number
   within its archive counts. */
typedef struct taco__source {
    taco_bytes name;
    int64_t    first, count; /* rows of the level above */
} taco__source;
typedef struct taco__key {
    uint32_t source;
    int32_t  row;
    int64_t  id;
} taco__key;
typedef struct taco__join {
    taco__store  *store;
    taco__arena   arena;
    taco__source *sources;
    size_t        source_count, source_cap;
    uint32_t     *slots; /* hash table of source numbers + 1 */
    size_t        slot_count;
    taco__key    *keys; /* of the level above, sorted; NULL while ids are plain row numbers */
    size_t        key_count;
    bool          plain;
} taco__join;

TACO__FN bool taco__join_grow(taco__join *j, taco_error *err)
{
    size_t        i, cap = j->source_cap ? j->source_cap * 2 : 16, slots = cap * 4;
    taco__source *s = (taco__source *)taco__arena_array(&j->arena, cap, sizeof *s, err);
    uint32_t     *t = (uint32_t *)taco__arena_array(&j->arena, slots, sizeof *t, err);
    if (!s || !t) {
        return false;
    }
    if (j->source_count) {
        memcpy(s, j->sources, j->source_count * sizeof *s);
    }
    for (i = 0; i < j->source_count; i++) {
        size_t at = (size_t)taco__hash_xxh64(0, s[i].name.data, s[i].name.len) & (slots - 1);
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
TACO__FN size_t taco__join_source(taco__join *j, taco_bytes name, bool add, taco_error *err)
{
    size_t at;
    char  *copy;
    if (j->source_count == j->source_cap && !taco__join_grow(j, err)) {
        return SIZE_MAX;
    }
    at = (size_t)taco__hash_xxh64(0, name.data, name.len) & (j->slot_count - 1);
    for (; j->slots[at]; at = (at + 1) & (j->slot_count - 1)) {
        if (taco__base_equal(j->sources[j->slots[at] - 1].name, name)) {
            return j->slots[at] - 1;
        }
    }
    copy = add ? taco__arena_text(&j->arena, name, err) : NULL;
    if (!copy) {
        return SIZE_MAX;
    }
    j->sources[j->source_count].name = taco__base_bytes(copy, name.len);
    j->sources[j->source_count].first = -1;
    j->slots[at] = (uint32_t)++j->source_count;
    return j->source_count - 1;
}
TACO__FN int taco__join_order(const void *a, const void *b)
{
    const taco__key *x = (const taco__key *)a, *y = (const taco__key *)b;
    if (x->source != y->source) {
        return x->source < y->source ? -1 : 1;
    }
    if (x->id != y->id) {
        return x->id < y->id ? -1 : 1;
    }
    return (x->row > y->row) - (x->row < y->row);
}
TACO__FN bool taco__join_integer(taco_type t)
{
    return t >= TACO_INT8 && t <= TACO_UINT64;
}
/* Calls of one pass over the two columns that a join needs; id may be missing in the level above. */
typedef bool (*taco__join_row)(taco__join *j, size_t row, size_t source, bool has_id, int64_t id,
                               int32_t *out, taco_error *err);

TACO__FN bool taco__join_pass(taco__join *j, taco__level *l, size_t id_column, bool add,
                              taco__join_row each, int32_t *out, taco_error *err)
{
    size_t     which[2], n = 0, at_id = TACO__NONE, at_source = TACO__NONE, last = SIZE_MAX;
    taco_bytes last_name = {NULL, 0};
    taco__rows r;
    uint64_t   first;
    bool       ok;
    if (id_column != TACO__NONE) {
        at_id = n;
        which[n++] = id_column;
    }
    if (j->store->kind == TACO_KIND_TACOCAT && l->role.source != TACO__NONE) {
        at_source = n;
        which[n++] = l->role.source;
    }
    ok = taco__rows_open(&r, &l->table, which, n, j->store->mem, err);
    for (first = 0; ok && first < l->table.rows;) {
        size_t i, m = (size_t)TACO__MIN(l->table.rows - first, (uint64_t)TACO__SCAN_SLICE);
        ok = taco__rows_range(&r, first, m, err);
        last = SIZE_MAX;
        for (i = 0; ok && i < m; i++) {
            bool    has = at_id != TACO__NONE && taco_array_valid(&r.arrays[at_id], i);
            int64_t id = has ? taco_array_int(&r.arrays[at_id], i) : 0;
            size_t  source = 0;
            if (at_source != TACO__NONE) {
                taco_bytes name = taco_array_bytes(&r.arrays[at_source], i);
                if (last == SIZE_MAX || name.data != last_name.data || name.len != last_name.len) {
                    last = taco__join_source(j, name, add, err);
                    last_name = name;
                    ok = last != SIZE_MAX || (!add && (!err || err->code == TACO_OK));
                }
                source = last;
            }
            ok = ok && each(j, (size_t)first + i, source, has, id, out, err);
        }
        first += m;
    }
    taco__rows_close(&r);
    return ok;
}
/* The level above: rows of a source follow each other and their ids count from 0, as all writers do it, or not. */
TACO__FN bool taco__join_above(taco__join *j, size_t row, size_t source, bool has_id, int64_t id,
                               int32_t *out, taco_error *err)
{
    taco__source *s = &j->sources[source];
    (void)out;
    (void)err;
    if (s->first < 0) {
        s->first = (int64_t)row;
    }
    j->plain = j->plain && s->first + s->count == (int64_t)row && (!has_id || id == s->count);
    s->count++;
    return true;
}
TACO__FN bool taco__join_key(taco__join *j, size_t row, size_t source, bool has_id, int64_t id,
                             int32_t *out, taco_error *err)
{
    taco__key *k = &j->keys[j->key_count];
    (void)out;
    (void)err;
    k->source = (uint32_t)source;
    k->row = (int32_t)row;
    k->id = has_id ? id : (int64_t)row - j->sources[source].first;
    j->key_count++;
    return true;
}
/* Number of a row within its archive: what stands for internal:current_id where there is none. */
TACO__FN bool taco__join_number(taco__join *j, size_t row, size_t source, bool has_id, int64_t id,
                                int32_t *out, taco_error *err)
{
    taco__source *s = &j->sources[source];
    (void)has_id;
    (void)id;
    (void)err;
    s->first = s->first < 0 ? (int64_t)row : s->first;
    out[row] = (int32_t)((int64_t)row - s->first);
    return true;
}
TACO__FN bool taco__join_below(taco__join *j, size_t row, size_t source, bool has_id, int64_t id,
                               int32_t *out, taco_error *err)
{
    (void)err;
    out[row] = -1;
    if (!has_id || source == SIZE_MAX || source >= j->source_count) {
        return true;
    }
    if (j->plain) {
        const taco__source *s = &j->sources[source];
        if (id >= 0 && id < s->count) {
            out[row] = (int32_t)(s->first + id);
        }
    } else {
        size_t lo = 0, hi = j->key_count;
        while (lo < hi) {
            size_t           mid = lo + (hi - lo) / 2;
            const taco__key *k = &j->keys[mid];
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
    if (id != TACO__NONE && !taco__join_integer(above->table.fields[id].type)) {
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET, "internal:current_id must be an integer");
        return false;
    }
    j->plain = true;
    if ((j->store->kind != TACO_KIND_TACOCAT || above->role.source == TACO__NONE) &&
        taco__join_source(j, taco__base_bytes(NULL, 0), true, err) == SIZE_MAX) {
        return false;
    }
    if (!taco__join_pass(j, above, id, true, taco__join_above, NULL, err)) {
        return false;
    }
    if (!j->plain) {
        j->keys = (taco__key *)taco__arena_array(&j->arena, (size_t)above->table.rows + 1,
                                                 sizeof *j->keys, err);
        if (!j->keys || !taco__join_pass(j, above, id, true, taco__join_key, NULL, err)) {
            return false;
        }
        qsort(j->keys, j->key_count, sizeof *j->keys, taco__join_order);
    }
    return taco__join_pass(j, l, l->role.parent, false, taco__join_below, l->parents, err);
}
/* The numbers of all rows of a level of a catalogue within their archives; out has room for them. */
TACO__FN bool taco__join_numbers(taco__store *s, taco__level *l, int32_t *out, taco_error *err)
{
    taco__join j;
    bool       ok;
    memset(&j, 0, sizeof j);
    j.store = s;
    j.arena.mem = s->mem;
    ok = taco__join_pass(&j, l, TACO__NONE, true, taco__join_number, out, err);
    taco__arena_free(&j.arena);
    return ok;
}
/* Row of the parent of every row of level n >= 1, made once. */
TACO__FN bool taco__join_parents(taco__store *s, uint32_t n, taco_error *err)
{
    taco__level *above = taco__store_level(s, n - 1, err),
                *l = above ? taco__store_level(s, n, err) : NULL;
    taco__join j;
    bool       ok;
    if (!l) {
        return false;
    }
    if (l->parents || l->table.rows == 0) {
        return true;
    }
    if (l->role.parent == TACO__NONE || !taco__join_integer(l->table.fields[l->role.parent].type)) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   l->role.parent == TACO__NONE
                       ? "there is no internal:parent_id, the level cannot be joined"
                       : "internal:parent_id must be an integer");
        return taco__store_fail(s, l->name, err);
    }
    l->parents =
        (int32_t *)taco__mem_alloc(s->mem, (size_t)l->table.rows * sizeof *l->parents, err);
    if (!l->parents) {
        return taco__store_fail(s, l->name, err);
    }
    memset(&j, 0, sizeof j);
    j.store = s;
    j.arena.mem = s->mem;
    ok = taco__join_run(&j, above, l, err);
    taco__arena_free(&j.arena);
    if (!ok) {
        taco__mem_free(s->mem, l->parents, (size_t)l->table.rows * sizeof *l->parents);
        l->parents = NULL;
        return taco__store_fail(s, NULL, err);
    }
    return true;
}

/* ---- padding ------------------------------------------------------------------------------------ */

/* Matches rows that are no padding, those without an id among them. */
TACO__FN bool taco__join_real(void *ctx, const taco_array *a, size_t rows, uint8_t *true_bits,
                              uint8_t *valid_bits, taco_error *err)
{
    size_t i;
    (void)ctx;
    (void)err;
    for (i = 0; i < rows; i++) {
        if (!taco_array_valid(a, i) || !taco__base_starts(taco_array_bytes(a, i), TACO__PADDING)) {
            taco__base_bit_set(true_bits, i);
        }
        taco__base_bit_set(valid_bits, i);
    }
    return true;
}
/* Ids between two bounds hold no padding when both lie on one side of it. */
TACO__FN unsigned taco__join_real_prune(void *ctx, const taco__value_range *r)
{
    taco_bytes first = taco__base_text(TACO__PADDING), behind = taco__base_text("__TACOPAE");
    (void)ctx;
    if ((r->has_max && taco__base_order(r->max.b, first) < 0) ||
        (r->has_min && taco__base_order(r->min.b, behind) >= 0)) {
        return TACO__MAY_TRUE;
    }
    return TACO__MAY_TRUE | TACO__MAY_FALSE;
}
/* Whether a level may hold padding at all: where the statistics say no, ids are not even read. */
TACO__FN bool taco__join_padded(taco__level *l)
{
    uint32_t g;
    if (l->padded < 0 && l->role.id != TACO__NONE &&
        l->table.fields[l->role.id].type == TACO_TEXT) {
        l->padded = l->table.pq == NULL && l->table.rows;
        for (g = 0; l->table.pq && g < taco__table_groups(&l->table) && !l->padded; g++) {
            taco__value_range r;
            taco__scan_range(&l->table, g, l->role.id, &r);
            l->padded = taco__join_real_prune(NULL, &r) != TACO__MAY_TRUE;
        }
    }
    return l->padded > 0;
}
/* e AND (the row is no padding); e alone where the level has none. */
TACO__FN bool taco__join_hide(taco__level *l, taco__arena *arena, taco__expr **e, taco_error *err)
{
    taco__custom c;
    taco__expr  *real;
    if (!taco__join_padded(l)) {
        return true;
    }
    memset(&c, 0, sizeof c);
    c.eval = taco__join_real;
    c.prune = taco__join_real_prune;
    real = taco__expr_custom(arena, l->role.id, &c, err);
    *e = real ? taco__expr_and(arena, *e, real, err) : NULL;
    return *e != NULL;
}

/* ---- few parents -------------------------------------------------------------------------------- */

/* A PIT stores the children of row i behind those of row i - 1, so that the children of few rows lie on few pages (June
   2025 §"O(1)"; facts: june2025 1). Which pages these are is asked of the statistics of internal:parent_id, and the rows
   there are tested: where the order is another one more is read, and the rows are as right, whatever pit_schema says. */
#define TACO__JOIN_FEW   8192                /* levels of fewer rows are joined whole */
#define TACO__JOIN_ROUND ((uint64_t)1 << 20) /* bytes that are worth another round of reading */
#define TACO__JOIN_ALONE 64 /* rows whose parents are looked up one by one; then those of all */

typedef struct taco__few { /* rows of a level, that a column has the numbers of */
    const uint8_t *bits;
    uint64_t       rows;
} taco__few;

TACO__FN bool taco__join_few(void *ctx, const taco_array *a, size_t rows, uint8_t *true_bits,
                             uint8_t *valid_bits, taco_error *err)
{
    const taco__few *f = (const taco__few *)ctx;
    size_t           i;
    (void)valid_bits;
    (void)err;
    for (i = 0; i < rows; i++) {
        int64_t v = taco_array_valid(a, i) ? taco_array_int(a, i) : -1;
        if (v >= 0 && (uint64_t)v < f->rows && taco__base_bit(f->bits, (size_t)v)) {
            taco__base_bit_set(true_bits, i);
        }
    }
    return true;
}
TACO__FN unsigned taco__join_few_prune(void *ctx, const taco__value_range *r)
{
    const taco__few *f = (const taco__few *)ctx;
    taco__i256       zero = taco__i256_from(0), last = taco__i256_from((int64_t)f->rows - 1);
    uint64_t         lo, hi;
    if (!r->has_min || !r->has_max) {
        return TACO__MAY_ANY;
    }
    lo = taco__i256_cmp(&r->min.d, &zero) < 0 ? 0 : r->min.d.w[0];
    hi = taco__i256_cmp(&r->max.d, &last) > 0 ? f->rows - 1 : r->max.d.w[0];
    if (taco__i256_cmp(&r->min.d, &last) > 0 || taco__i256_cmp(&r->max.d, &zero) < 0 || lo > hi ||
        taco__bits_count(f->bits, (size_t)lo, (size_t)(hi - lo) + 1) == 0) {
        return TACO__MAY_FALSE | TACO__MAY_NULL;
    }
    return TACO__MAY_ANY;
}
/* Whether the children of few rows of level n - 1 may be looked for like this. In a catalogue, where numbers start again
   in every archive, they are not; nor where all that joins the levels comes in the first round anyway. */
TACO__FN bool taco__join_few_may(const taco__store *s, uint32_t n)
{
    const taco__level *l = &s->levels[n], *above = &s->levels[n - 1];
    uint64_t           bytes = 0;
    uint32_t           g;
    if (l->parents || l->alone >= TACO__JOIN_ALONE || s->kind == TACO_KIND_TACOCAT ||
        !l->table.pq || l->table.rows < TACO__JOIN_FEW || l->role.parent == TACO__NONE ||
        !above->table.rows || !taco__join_integer(l->table.fields[l->role.parent].type) ||
        taco__scan_leaf(&l->table, l->role.parent) == UINT32_MAX) {
        return false;
    }
    if (above->role.current != TACO__NONE &&
        (!above->table.pq || !taco__join_integer(above->table.fields[above->role.current].type))) {
        return false;
    }
    for (g = 0; g < taco__table_groups(&l->table) && bytes < TACO__JOIN_ROUND; g++) {
        bytes += taco__scan_size(&l->table, &l->role.parent, 1, g, false);
    }
    return !l->table.pq->part.file->src.read_many || bytes >= TACO__JOIN_ROUND;
}
/* Whether statistics leave at most half of the rows, or there are those of pages. */
TACO__FN bool taco__join_few_pays(taco__scan *scan, const taco__table *t, size_t column)
{
    uint64_t left = 0;
    uint32_t g, leaf = taco__scan_leaf(t, column);
    for (g = 0; g < taco__table_groups(t); g++) {
        const taco__pq_chunk *c = &t->pq->meta.groups[g].chunks[leaf];
        if ((taco__scan_prune(scan, g) & TACO__MAY_TRUE) &&
            !(c->column_index.size && taco__pq_indexed(c))) {
            left += taco__table_group_rows(t, g);
        }
    }
    return left <= t->rows / 2;
}
/* Rows of a level whose column has one of the numbers: their bits are set in out, or, where that is NULL, they must be the
   rows of just these numbers. *found: how many, UINT64_MAX when it does not pay, or they are not. */
TACO__FN bool taco__join_few_rows(taco__store *s, taco__level *l, size_t column,
                                  const taco__few *few, uint8_t *out, uint64_t *found,
                                  taco_error *err)
{
    taco__custom    c;
    taco__arena     arena;
    taco__expr     *e;
    taco__scan      scan;
    const uint32_t *rows;
    uint64_t        base;
    size_t          i, n;
    bool            ok;
    memset(&c, 0, sizeof c);
    c.ctx = (void *)few;
    c.eval = taco__join_few;
    c.prune = taco__join_few_prune;
    arena.mem = s->mem;
    arena.head = NULL;
    *found = 0;
    e = taco__expr_custom(&arena, column, &c, err);
    ok = e && taco__expr_bind(e, l->table.fields, l->table.field_count, &arena, err) &&
         taco__scan_open(&scan, &l->table, e, NULL, &column, out ? 0 : 1, TACO__SCAN_SLICE, s->mem,
                         err);
    if (ok) {
        if (out && !taco__join_few_pays(&scan, &l->table, column)) {
            *found = UINT64_MAX;
        }
        while (*found != UINT64_MAX &&
               (n = taco__scan_next(&scan, TACO__SCAN_SLICE, !out, &rows, &base, err)) != 0) {
            for (i = 0, *found += n; i < n && *found != UINT64_MAX; i++) {
                if (out) {
                    taco__base_bit_set(out, (size_t)base + rows[i]);
                } else if (taco_array_int(&scan.out.arrays[0], i) != (int64_t)(base + rows[i])) {
                    *found = UINT64_MAX;
                }
            }
        }
        if (out && scan.counts.pages_pruned < scan.counts.pages / 2) { /* in no order: not again */
            l->alone = TACO__JOIN_ALONE;
        }
        taco__scan_close(&scan);
        ok = !err || err->code == TACO_OK;
    }
    taco__arena_free(&arena);
    return ok || taco__store_fail(s, l->name, err);
}
/* Whether the numbers are internal:current_id of the rows of these numbers, and of no others. */
TACO__FN bool taco__join_few_own(taco__store *s, taco__level *l, const taco__few *few,
                                 uint64_t count, bool *own, taco_error *err)
{
    uint64_t found = count;
    bool     ok = l->role.current == TACO__NONE ||
              taco__join_few_rows(s, l, l->role.current, few, NULL, &found, err);
    *own = found == count;
    return ok;
}
/* Row of the parent of one row of level n >= 1; -1: none. */
TACO__FN bool taco__join_parent(taco__store *s, uint32_t n, uint64_t row, int64_t *out,
                                taco_error *err)
{
    taco__level *above = taco__store_level(s, n - 1, err),
                *l = above ? taco__store_level(s, n, err) : NULL;
    if (!l) {
        return false;
    }
    if (row < l->table.rows && taco__join_few_may(s, n)) {
        size_t     bytes = TACO__BITMAP_BYTES((size_t)above->table.rows) + 8;
        uint8_t   *bits = (uint8_t *)taco__mem_alloc(s->mem, bytes, err);
        taco__few  few;
        taco__rows one;
        bool       own = false,
             ok = bits && taco__rows_open(&one, &l->table, &l->role.parent, 1, s->mem, err);
        l->alone++;
        few.bits = bits;
        few.rows = above->table.rows;
        *out = -1;
        if (ok) {
            ok = taco__rows_range(&one, row, 1, err);
            own = ok && !taco_array_valid(&one.arrays[0], 0);
            *out = ok && !own ? taco_array_int(&one.arrays[0], 0) : -1;
            taco__rows_close(&one);
        }
        if (ok && *out >= 0 && (uint64_t)*out < few.rows) {
            taco__base_bit_set(bits, (size_t)*out);
            ok = taco__join_few_own(s, above, &few, 1, &own, err);
        }
        taco__mem_free(s->mem, bits, bytes);
        if (!ok || own) {
            return ok || taco__store_fail(s, l->name, err);
        }
    }
    if (!taco__join_parents(s, n, err)) {
        return false;
    }
    *out = l->parents[row];
    return true;
}

/* ---- cascades ----------------------------------------------------------------------------------- */

/* Rows of each level that survive; NULL = all of them. */
typedef struct taco__picks {
    uint8_t  *bits[TACO__LEVELS];
    taco__buf held; /* taco__held: what was read ahead */
} taco__picks;

TACO__FN size_t taco__picks_bytes(const taco__store *s, uint32_t level)
{
    return TACO__BITMAP_BYTES((size_t)s->levels[level].table.rows) + 8;
}
TACO__FN void taco__picks_free(taco__store *s, taco__picks *p)
{
    const taco__held *h;
    uint32_t          i;
    size_t            k;
    for (i = 0; i < TACO__LEVELS; i++) {
        if (p->bits[i]) {
            taco__mem_free(s->mem, p->bits[i], taco__picks_bytes(s, i));
            p->bits[i] = NULL;
        }
    }
    h = (const taco__held *)(const void *)p->held.data;
    for (k = 0; k < p->held.len / sizeof *h; k++) {
        taco__file_release(h[k].file, h[k].range.offset, h[k].range.len);
    }
    taco__buf_free(&p->held);
}
TACO__FN bool taco__picks_make(taco__store *s, taco__picks *p, uint32_t level, taco_error *err)
{
    p->bits[level] = (uint8_t *)taco__mem_alloc(s->mem, taco__picks_bytes(s, level), err);
    return p->bits[level] != NULL;
}
/* Replaces the bits of a level by those of its rows that also match `where`. */
TACO__FN bool taco__picks_filter(taco__store *s, taco__picks *p, uint32_t level,
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
    ok = taco__picks_make(s, p, level, err) &&
         taco__scan_open(&scan, &l->table, where, before, NULL, 0, TACO__SCAN_SLICE, s->mem, err);
    if (ok) {
        size_t i, n;
        while ((n = taco__scan_next(&scan, TACO__SCAN_SLICE, false, &rows, &base, err)) != 0) {
            for (i = 0; i < n; i++) {
                taco__base_bit_set(p->bits[level], (size_t)base + rows[i]);
            }
        }
        taco__scan_close(&scan);
        ok = !err || err->code == TACO_OK;
    }
    if (before) {
        taco__mem_free(s->mem, before, taco__picks_bytes(s, level));
    }
    return ok || taco__store_fail(s, l->name, err);
}
/* Up: the parents of the rows picked in level n. */
TACO__FN bool taco__picks_up(taco__store *s, taco__picks *p, uint32_t n, taco_error *err)
{
    const taco__level *l = &s->levels[n];
    size_t             i;
    if (!taco__join_parents(s, n, err) || !taco__picks_make(s, p, n - 1, err)) {
        return false;
    }
    for (i = 0; i < (size_t)l->table.rows; i++) {
        if (l->parents[i] >= 0 && (!p->bits[n] || taco__base_bit(p->bits[n], i))) {
            taco__base_bit_set(p->bits[n - 1], (size_t)l->parents[i]);
        }
    }
    return true;
}
/* Down: of the rows of level n only those whose parent is picked. */
TACO__FN bool taco__picks_down(taco__store *s, taco__picks *p, uint32_t n, taco_error *err)
{
    const taco__level *l = &s->levels[n];
    size_t             i;
    if (!taco__join_parents(s, n, err)) {
        return false;
    }
    if (!p->bits[n]) {
        if (!taco__picks_make(s, p, n, err)) {
            return false;
        }
        memset(p->bits[n], 0xFF, taco__picks_bytes(s, n));
    }
    for (i = 0; i < (size_t)l->table.rows; i++) {
        if (l->parents[i] < 0 ||
            (p->bits[n - 1] && !taco__base_bit(p->bits[n - 1], (size_t)l->parents[i]))) {
            taco__base_bit_clear(p->bits[n], i);
        }
    }
    return true;
}
/* Down to the children of few picked rows, without the columns that join all rows. *done: whether it was possible. */
TACO__FN bool taco__picks_few(taco__store *s, taco__picks *p, uint32_t n, bool *done,
                              taco_error *err)
{
    taco__level *above = &s->levels[n - 1], *l = &s->levels[n];
    uint64_t     count, found = 0;
    taco__few    few;
    bool         ok;
    *done = false;
    if (!p->bits[n - 1] || p->bits[n] || !taco__join_few_may(s, n)) {
        return true;
    }
    few.bits = p->bits[n - 1];
    few.rows = above->table.rows;
    count = taco__bits_count(few.bits, 0, (size_t)few.rows);
    if (count > few.rows / 16 + 1) {
        return true;
    }
    ok =
        taco__picks_make(s, p, n, err) &&
        (!count || (taco__join_few_rows(s, l, l->role.parent, &few, p->bits[n], &found, err) &&
                    (found == UINT64_MAX || taco__join_few_own(s, above, &few, count, done, err))));
    *done = *done || (ok && !count);
    if (ok && !*done) {
        taco__mem_free(s->mem, p->bits[n], taco__picks_bytes(s, n));
        p->bits[n] = NULL;
    }
    return ok;
}
/* What a cascade reads of level l: the columns that join it, and those of the predicate in row groups that statistics do
   not decide. Below level `certain` few rows may be enough: what joins them is left then. */
TACO__FN bool taco__picks_want(taco__store *s, uint32_t l, const taco__expr *where, uint32_t last,
                               uint32_t certain, taco__buf *ranges, taco_error *err)
{
    taco__level    *level = &s->levels[l];
    taco_pq_file   *pq = level->table.pq;
    taco__wanted    w;
    taco__scan_span span;
    taco__scan      scan;
    size_t          which[3], n = 0;
    uint32_t        g;
    bool            ok = true;
    if (l && !level->parents && level->role.parent != TACO__NONE &&
        (l <= certain || !taco__join_few_may(s, l))) {
        which[n++] = level->role.parent;
    }
    if (l < last && !s->levels[l + 1].parents && level->role.current != TACO__NONE &&
        (l + 1 <= certain || !taco__join_few_may(s, l + 1))) {
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
    for (g = 0; ok && g < taco__table_groups(&level->table); g++) {
        unsigned may = where ? taco__scan_prune(&scan, g) : (unsigned)TACO__MAY_TRUE;
        span.first = taco__table_group_first(&level->table, g);
        span.n = taco__table_group_rows(&level->table, g);
        span.whole = true;
        ok = taco__scan_chunks(pq, which, n, level->table.stored, g, &w, ranges, err) &&
             (!(may & TACO__MAY_TRUE) || may == TACO__MAY_TRUE ||
              taco__scan_chunks(pq, scan.used, scan.used_count, level->table.stored, g, &w, ranges,
                                err));
    }
    taco__scan_close(&scan);
    return ok;
}
/* The indexes that finding few rows reads beside: of the numbers in level l and of those that the level below has. */
TACO__FN bool taco__picks_want_index(taco__store *s, uint32_t l, uint32_t last, taco__buf *ranges,
                                     taco_error *err)
{
    taco__level *level = &s->levels[l];
    size_t       which[2], n = 0, i;
    uint32_t     g, leaf;
    if (l && taco__join_few_may(s, l)) {
        which[n++] = level->role.parent;
    }
    if (l < last && level->role.current != TACO__NONE && taco__join_few_may(s, l + 1)) {
        which[n++] = level->role.current;
    }
    for (i = 0; i < n; i++) {
        leaf = taco__scan_leaf(&level->table, which[i]);
        for (g = 0; leaf != UINT32_MAX && g < taco__table_groups(&level->table); g++) {
            const taco__pq_chunk *c = &level->table.pq->meta.groups[g].chunks[leaf];
            if (taco__pq_indexed(c) &&
                (!taco__scan_want(ranges, level->table.pq, c->offset_index.offset,
                                  c->offset_index.size, err) ||
                 (c->column_index.size && c->column_index.size < c->pages.size &&
                  !taco__scan_want(ranges, level->table.pq, c->column_index.offset,
                                   c->column_index.size, err)))) {
                return false;
            }
        }
    }
    return true;
}
/* Reads the ranges in one round and holds them until the picks are let go of, unless they are too much for that. */
TACO__FN bool taco__picks_hold(taco__picks *p, taco__file *file, taco__buf *ranges, taco_error *err)
{
    taco__held held;
    size_t     i, n = ranges->len / sizeof held.range;
    bool       ok = true;
    if (taco__scan_bytes(ranges) <= TACO__SCAN_AHEAD) {
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
TACO__FN bool taco__picks_ahead(taco__store *s, taco__picks *p, taco__expr *const *where,
                                uint32_t last, uint32_t certain, taco_error *err)
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
        ok = taco__picks_want(s, l, where ? where[l] : NULL, last, certain, &ranges, err);
        if (l == last || !s->levels[l + 1].table.pq ||
            s->levels[l + 1].table.pq->part.file != file) { /* else together with the next level */
            ok = ok && taco__picks_hold(p, file, &ranges, err);
        }
    }
    taco__buf_free(&ranges);
    return ok || taco__store_fail(s, NULL, err);
}
/* Of the rows of level n only those of a mask. */
TACO__FN bool taco__picks_mask(taco__store *s, taco__picks *p, uint32_t n, const uint8_t *mask,
                               taco_error *err)
{
    size_t i, bytes = taco__picks_bytes(s, n);
    if (mask && !p->bits[n]) {
        if (!taco__picks_make(s, p, n, err)) {
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
TACO__FN bool taco__picks_run(taco__store *s, taco__picks *p, taco__expr *const *where,
                              uint8_t *const *masks, uint32_t deepest, uint32_t table,
                              taco_error *err)
{
    uint32_t l;
    bool     done = false;
    memset(p, 0, sizeof *p);
    if (!taco__picks_ahead(s, p, where, TACO__MAX(deepest, table), deepest, err)) {
        return false;
    }
    for (l = deepest + 1; l-- > 0;) {
        if ((masks && !taco__picks_mask(s, p, l, masks[l], err)) ||
            !taco__picks_filter(s, p, l, where[l], err) || (l && !taco__picks_up(s, p, l, err))) {
            return false;
        }
    }
    for (l = 1; l <= table; l++) {
        bool left = l > deepest && taco__join_few_may(s, l);
        if (!taco__picks_few(s, p, l, &done, err) ||
            (!done && ((left && !taco__picks_ahead(s, p, NULL, l, l, err)) ||
                       !taco__picks_down(s, p, l, err)))) {
            return false;
        }
    }
    return true;
}
