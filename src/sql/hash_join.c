/* hash_join.c - hash joins: [LEFT, RIGHT, FULL] JOIN ... ON, CROSS JOIN

   The right table is read whole and hashed by its keys before the first row is returned; each batch
   of the left side then looks its rows up. Pairs of row numbers are made first, conditions of ON
   other than equalities then filter them, and the columns are gathered last. NULL keys match
   nothing, except with IS NOT DISTINCT FROM. SEMI and ANTI JOIN only test whether a row has a pair.
   RIGHT and FULL JOIN mark the rows of the table that are in a pair; the others are returned last.
   Rows with equal keys are a chain, and each chain has a slot of a hash table with linear probing,
   bounded as vector_hash.h says. Without an equality all rows are in one chain, and every pair is
   made. A table unnest(list) joins each row with the elements of the row's list. If the rows of a
   batch have many matches, the batch is joined in pieces, so that memory does not grow with the
   product: the join keeps it (taco__hash_join.held) until all its rows are joined, before another
   is read.

   Example: of ON a.id = b.id AND a.v < b.v the equality is the key of the hash table, and a.v < b.v
   is computed for the pairs that it finds. */
#include "sql.h"
#include "vector_hash.h"
#include "../base/base.h"

/* Most pairs made at once: a batch of the left side with more is joined in pieces. */
#define TACO__HASH_JOIN_PAIRS ((size_t)1 << 18)

/* Builders for the columns and keys of table t. */
static bool taco__hash_join_init(taco__executor *x, size_t t, taco__vec_builder *keys)
{
    taco__hash_join *j = &x->joins[t];
    taco_error *err = taco__operator_err(x);
    taco__arena *hold = &x->hold[0];
    size_t i;
    j->cols =
        (taco__vec_builder *)taco__arena_array(hold, x->b.column_count + 1, sizeof *j->cols, err);
    j->key_cols = (taco__vec *)taco__arena_array(hold, j->keys, sizeof *j->key_cols, err);
    if (!j->cols || !j->key_cols || !keys) { return false; }
    for (i = 0; i < x->scan_count[t]; i++) {
        size_t place = x->scan_cols[t][i];
        if (!taco__vec_builder_init(hold, &x->b.tables[t].types[x->b.columns[place].column],
                                    &j->cols[place], err)) {
            return false;
        }
    }
    for (i = 0; i < j->keys; i++) {
        if (!taco__vec_builder_init(hold, &j->right[i]->type, &keys[i], err)) { return false; }
    }
    return true;
}

/* Stores the n rows of a batch of table t, and their keys. */
static bool taco__hash_join_add_batch(taco__executor *x, size_t t, taco__vec_builder *keys,
                                      const taco__vec *cols, size_t n)
{
    taco__hash_join *j = &x->joins[t];
    taco_error *err = taco__operator_err(x);
    taco__sql_batch calc;
    size_t i;
    taco__operator_init_batch(x, &calc, cols, x->b.column_count, n);
    for (i = 0; i < x->scan_count[t]; i++) {
        size_t place = x->scan_cols[t][i];
        if (!taco__vec_builder_append(&x->hold[0], &j->cols[place], &cols[place], NULL, n, err)) {
            return false;
        }
    }
    for (i = 0; i < j->keys; i++) {
        taco__vec v;
        if (!taco__evaluate_expr(&calc, j->right[i], &v) ||
            !taco__vec_builder_append(&x->hold[0], &keys[i], &v, NULL, n, err)) {
            return false;
        }
    }
    j->rows += n;
    return true;
}

/* The slot of the rows with the keys of row i of v, or the empty one where they would go; at least
   half of the slots are empty, so that probing ends. Hashes say where to look, keys whether it is a
   match. */
TACO__INLINE size_t taco__hash_join_find(const taco__hash_join *j, const taco__vec *keys, size_t i,
                                         uint64_t h)
{
    size_t at = (size_t)h & (j->slots - 1);
    while (j->heads[at] && (j->hashes[j->heads[at] - 1] != h ||
                            !taco__vec_equal(j->key_cols, j->heads[at] - 1, keys, i, j->keys))) {
        at = (at + 1) & (j->slots - 1);
    }
    return at;
}

/* Hashes the stored rows and chains those with equal keys; false if a key would be too far from its
   slot. Rows of a chain ascend, so that pairs are in the order of the table. */
static bool taco__hash_join_chain(taco__hash_join *j)
{
    size_t i;
    memset(j->hashes, 0, j->rows * sizeof *j->hashes);
    memset(j->heads, 0, j->slots * sizeof *j->heads);
    for (i = 0; i < j->keys; i++) {
        taco__vec_hash(&j->key_cols[i], j->seed, j->hashes);
    }
    for (i = j->rows; i-- > 0;) {
        uint64_t h = j->hashes[i];
        size_t at = taco__hash_join_find(j, j->key_cols, i, h);
        if (!j->heads[at] && ((at - (size_t)h) & (j->slots - 1)) >= TACO__VEC_HASH_PROBES) {
            return false;
        }
        j->next[i] = j->heads[at];
        j->heads[at] = (uint32_t)i + 1;
    }
    return true;
}

/* Makes the hash table: heads has the first row + 1 of a slot, next that of each row. */
static bool taco__hash_join_index(taco__executor *x, taco__hash_join *j)
{
    taco_error *err = taco__operator_err(x);
    taco__arena *hold = &x->hold[0];
    /* at most half full */
    for (j->slots = 16; j->slots < j->rows * 2; j->slots *= 2) {}
    j->hashes = (uint64_t *)taco__arena_array(hold, j->rows + 1, sizeof *j->hashes, err);
    j->heads = (uint32_t *)taco__arena_array(hold, j->slots, sizeof *j->heads, err);
    j->next = (uint32_t *)taco__arena_array(hold, j->rows + 1, sizeof *j->next, err);
    if (!j->hashes || !j->heads || !j->next) { return false; }
    if (j->right_outer) {
        j->met = (uint8_t *)taco__arena_alloc(hold, j->rows + 1, err);
        if (!j->met) { return false; }
    }
    while (!taco__hash_join_chain(j)) {
        if (!taco__vec_hash_next_seed(&j->seed, j->rows, err)) { return false; }
    }
    return true;
}

/* Gives j the hash table of the same join in another plan, which only reads it; NULL: none. */
TACO__FN void taco__hash_join_share(taco__hash_join *j, const taco__hash_join *from)
{
    j->cols = from ? from->cols : NULL;
    j->key_cols = from ? from->key_cols : NULL;
    j->hashes = from ? from->hashes : NULL;
    j->seed = from ? from->seed : 0;
    j->heads = from ? from->heads : NULL;
    j->next = from ? from->next : NULL;
    j->rows = from ? from->rows : 0;
    j->slots = from ? from->slots : 0;
}

/* Stores all of table t, with its keys in a hash table. */
TACO__FN bool taco__hash_join_build(taco__executor *x, size_t t)
{
    taco__hash_join *j = &x->joins[t];
    taco_error *err = taco__operator_err(x);
    taco__vec_builder *keys =
        (taco__vec_builder *)taco__arena_array(&x->hold[0], j->keys, sizeof *keys, err);
    size_t i, n;
    if (j->list) { return true; } /* its rows are in the rows they are joined to */
    if (!taco__hash_join_init(x, t, keys)) { return false; }
    for (;;) {
        taco__vec *cols;
        taco__arena_reset(&x->batch);
        cols = (taco__vec *)taco__arena_array(&x->batch, x->b.column_count + 1, sizeof *cols, err);
        if (!cols || !taco__operator_scan(x, t, cols, &n)) { return false; }
        if (!n) { break; }
        if (!taco__operator_test(x, t, true, cols, &n)) { return false; }
        if (!taco__hash_join_add_batch(x, t, keys, cols, n)) { return false; }
    }
    for (i = 0; i < j->keys; i++) {
        j->key_cols[i] = keys[i].v;
    }
    return taco__hash_join_index(x, j);
}

/* Whether a key of row i is null, so that it has no match; nulls of nullsafe keys match nulls. */
static bool taco__hash_join_has_null_key(const taco__hash_join *j, const taco__vec *keys, size_t i)
{
    size_t k;
    for (k = 0; k < j->keys; k++) {
        if (!j->nullsafe[k] && !taco__vec_is_valid(&keys[k], i)) { return true; }
    }
    return false;
}

/* Adds a pair of a row of the left side and its match, TACO__VEC_NONE for none. */
static bool taco__hash_join_add_pair(taco__executor *x, taco__buf *l, taco__buf *r, uint32_t left,
                                     uint32_t right)
{
    return taco__buf_append(l, &left, sizeof left, taco__operator_err(x)) &&
           taco__buf_append(r, &right, sizeof right, taco__operator_err(x));
}

/* The stored column of the right side, which the right numbers of pairs refer to. */
static const taco__vec *taco__hash_join_column(const taco__hash_join *j, size_t place)
{
    return j->list ? &j->input_keys[0].kids[0] : &j->cols[place].v;
}

/* The batch that a list of pairs makes: columns of tables before t by the left numbers, those of t
   by the right ones, nulls for TACO__VEC_NONE. Columns of later tables do not exist yet. */
static bool taco__hash_join_combine(taco__executor *x, size_t t, const taco__vec *cols,
                                    const uint32_t *l, const uint32_t *r, size_t n, taco__vec *out)
{
    size_t i;
    for (i = 0; i < x->b.column_count; i++) {
        size_t table = x->b.columns[i].table;
        if (table < t && cols[i].type &&
            !taco__vec_take(&x->batch, &cols[i], l, n, &out[i], taco__operator_err(x))) {
            return false;
        }
        if (table == t && !taco__vec_take(&x->batch, taco__hash_join_column(&x->joins[t], i), r, n,
                                          &out[i], taco__operator_err(x))) {
            return false;
        }
    }
    return true;
}

/* Adds the rows [from, to) of the left side that are not `hit` and so have no pairs, without a
   match and in their places: the order of rows must not depend on where batches end. */
static bool taco__hash_join_add_misses(taco__executor *x, size_t from, size_t to,
                                       const uint8_t *hit, taco__buf *l, taco__buf *r)
{
    size_t pairs = l->len / sizeof(uint32_t), at, i;
    uint32_t *left, *right;
    for (i = from; i < to; i++) {
        if (!hit[i - from] && !taco__hash_join_add_pair(x, l, r, (uint32_t)i, TACO__VEC_NONE)) {
            return false;
        }
    }
    left = (uint32_t *)(void *)l->data;
    right = (uint32_t *)(void *)r->data;
    at = l->len / sizeof(uint32_t);
    for (i = to; at > pairs && i-- > from;) { /* from the last row, each moves to its place */
        for (; pairs && left[pairs - 1] == i; pairs--) {
            left[--at] = (uint32_t)i;
            right[at] = right[pairs - 1];
        }
        if (!hit[i - from]) {
            left[--at] = (uint32_t)i;
            right[at] = TACO__VEC_NONE;
        }
    }
    return true;
}

/* Keeps the pairs of rows [from, to) that pass the rest of ON; if outer, rows of the left side that
   lose all their pairs get one without a match. */
static bool taco__hash_join_filter_pairs(taco__executor *x, size_t t, size_t from, size_t to,
                                         taco__buf *l, taco__buf *r)
{
    taco__hash_join *j = &x->joins[t];
    uint32_t *left = (uint32_t *)(void *)l->data, *right = (uint32_t *)(void *)r->data, *idx;
    size_t n = l->len / sizeof *left, m = 0, i, k;
    taco__vec *out = (taco__vec *)taco__arena_array(&x->batch, x->b.column_count + 1, sizeof *out,
                                                    taco__operator_err(x));
    taco__sql_batch calc;
    uint8_t *hit = (uint8_t *)taco__arena_alloc(&x->batch, to - from + 1, taco__operator_err(x));
    if (!out || !hit || !taco__hash_join_combine(x, t, j->input, left, right, n, out)) {
        return false;
    }
    taco__operator_init_batch(x, &calc, out, x->b.column_count, n);
    idx = taco__evaluate_filter(&calc, j->rest, &m);
    if (!idx) { return false; }
    for (i = k = 0; i < m; i++) {
        if (right[idx[i]] != TACO__VEC_NONE) {
            left[k] = left[idx[i]];
            right[k++] = right[idx[i]];
            hit[left[k - 1] - from] = 1;
        }
    }
    l->len = r->len = k * sizeof *left;
    return !j->outer || taco__hash_join_add_misses(x, from, to, hit, l, r);
}

/* Takes a batch of the left side: its keys and their hashes. */
static bool taco__hash_join_begin(taco__executor *x, size_t t, taco__vec *cols, size_t n)
{
    taco__hash_join *j = &x->joins[t];
    taco_error *err = taco__operator_err(x);
    taco__sql_batch calc;
    size_t k;
    j->input_keys = (taco__vec *)taco__arena_array(&x->batch, j->keys + 1, sizeof(taco__vec), err);
    j->input_hashes = (uint64_t *)taco__arena_array(&x->batch, n + 1, sizeof(uint64_t), err);
    if (!j->input_keys || !j->input_hashes) { return false; }
    taco__operator_init_batch(x, &calc, cols, x->b.column_count, n);
    if (j->list && !taco__evaluate_expr(&calc, j->list, &j->input_keys[0])) { return false; }
    for (k = 0; k < j->keys; k++) {
        if (!taco__evaluate_expr(&calc, j->left[k], &j->input_keys[k])) { return false; }
        taco__vec_hash(&j->input_keys[k], j->seed, j->input_hashes);
    }
    j->input = cols;
    j->input_n = n;
    j->input_at = 0;
    return true;
}

/* The pairs of a row of the left side with the elements of its list. */
static bool taco__hash_join_probe_list(taco__executor *x, taco__hash_join *j, size_t i,
                                       taco__buf *l, taco__buf *r)
{
    const taco__vec *v = &j->input_keys[0];
    taco__sql_list_span s = v->v.l[i * v->step];
    uint32_t k, n = taco__vec_is_valid(v, i) ? s.len : 0;
    for (k = 0; k < n; k++) {
        if (!taco__hash_join_add_pair(x, l, r, (uint32_t)i, s.at + k)) { return false; }
    }
    return n || !j->outer || taco__hash_join_add_pair(x, l, r, (uint32_t)i, TACO__VEC_NONE);
}

/* The pairs of a row of the left side: rows of the right table with the same keys; only one if
   existence is all that matters, or none if LEFT keeps the row. */
static bool taco__hash_join_probe_row(taco__executor *x, taco__hash_join *j, size_t i, taco__buf *l,
                                      taco__buf *r)
{
    uint32_t row = 0;
    bool any = false, one = (j->semi || j->anti) && !j->rest;
    if (!taco__hash_join_has_null_key(j, j->input_keys, i)) {
        row = j->heads[taco__hash_join_find(j, j->input_keys, i, j->input_hashes[i])];
    }
    for (; row && !(any && one); row = j->next[row - 1]) {
        any = true;
        if (!taco__hash_join_add_pair(x, l, r, (uint32_t)i, row - 1)) { return false; }
    }
    return any || !j->outer || taco__hash_join_add_pair(x, l, r, (uint32_t)i, TACO__VEC_NONE);
}

/* SEMI and ANTI: replaces the pairs by those rows of [from, to) that have a pair, or that have
   none. */
static bool taco__hash_join_find_rows(taco__executor *x, size_t t, size_t from, size_t to,
                                      taco__buf *l, taco__buf *r)
{
    const taco__hash_join *j = &x->joins[t];
    const uint32_t *left = (const uint32_t *)(const void *)l->data,
                   *right = (const uint32_t *)(const void *)r->data;
    uint8_t *hit = (uint8_t *)taco__arena_alloc(&x->batch, to - from + 1, taco__operator_err(x));
    size_t i, pairs = l->len / sizeof *left;
    if (!hit) { return false; }
    for (i = 0; i < pairs; i++) {
        if (right[i] != TACO__VEC_NONE) { hit[left[i] - from] = 1; }
    }
    l->len = r->len = 0;
    for (i = from; i < to; i++) {
        if ((hit[i - from] != 0) == j->semi &&
            !taco__hash_join_add_pair(x, l, r, (uint32_t)i, TACO__VEC_NONE)) {
            return false;
        }
    }
    return true;
}

/* The pairs of the remaining rows of the batch, for as many rows as have TACO__HASH_JOIN_PAIRS; at
   least one. */
static bool taco__hash_join_find_pairs(taco__executor *x, size_t t, taco__buf *l, taco__buf *r)
{
    taco__hash_join *j = &x->joins[t];
    size_t from = j->input_at, to = from;
    while (to < j->input_n && l->len / sizeof(uint32_t) < TACO__HASH_JOIN_PAIRS) {
        size_t row = to++;
        if (!(j->list ? taco__hash_join_probe_list(x, j, row, l, r)
                      : taco__hash_join_probe_row(x, j, row, l, r))) {
            return false;
        }
    }
    j->input_at = to;
    /* keeps the batch for its remaining rows, since the memory of results is emptied before the
       next */
    if (from == 0 && to < j->input_n) {
        taco__arena batch = j->held;
        j->held = x->batch;
        x->batch = batch;
        taco__arena_reset(&x->batch);
    }
    if (j->rest && !taco__hash_join_filter_pairs(x, t, from, to, l, r)) { return false; }
    if (j->met) {
        const uint32_t *right = (const uint32_t *)(const void *)r->data;
        size_t i, n = r->len / sizeof *right;
        for (i = 0; i < n; i++) {
            if (right[i] != TACO__VEC_NONE) { j->met[right[i]] = 1; }
        }
    }
    return (!j->semi && !j->anti) || taco__hash_join_find_rows(x, t, from, to, l, r);
}

/* The last join with remaining rows of its batch, which continues before any row is read; 0 if
   there is none. */
TACO__FN size_t taco__hash_join_waiting(const taco__executor *x)
{
    size_t t = x->b.table_count;
    while (t-- > 1) {
        if (x->joins[t].input_at < x->joins[t].input_n) { return t; }
    }
    return 0;
}

/* After all rows of the left side: a batch of unmatched rows of a table, for the first RIGHT or
   FULL JOIN that has some, *t; columns of the tables before it are null. *n is 0 if there are none
   left. */
TACO__FN bool taco__hash_join_left_over(taco__executor *x, size_t *t, taco__vec *cols, size_t *n)
{
    taco_error *err = taco__operator_err(x);
    uint32_t *rows =
        (uint32_t *)taco__arena_array(&x->batch, TACO__SQL_BATCH_ROWS, sizeof *rows, err);
    size_t i;
    *n = 0;
    for (*t = 1; rows && *t < x->b.table_count; (*t)++) {
        taco__hash_join *j = &x->joins[*t];
        for (; j->met && j->left_over < j->rows && *n < TACO__SQL_BATCH_ROWS; j->left_over++) {
            if (!j->met[j->left_over]) { rows[(*n)++] = (uint32_t)j->left_over; }
        }
        if (*n) { break; }
    }
    for (i = 0; *n && i < x->b.column_count; i++) {
        const taco__bind_column *c = &x->b.columns[i];
        if (c->table > *t) { continue; }
        if (c->table < *t
                ? !taco__vec_init_null(&x->batch, &x->b.tables[c->table].types[c->column], *n,
                                       &cols[i], err)
                : !taco__vec_take(&x->batch, &x->joins[*t].cols[i].v, rows, *n, &cols[i], err)) {
            return false;
        }
    }
    return rows != NULL;
}

/* Joins table t to a batch, or to the rest of the previous one; *n may become 0. */
TACO__FN bool taco__hash_join_run(taco__executor *x, size_t t, taco__vec **cols, size_t *n)
{
    taco__hash_join *j = &x->joins[t];
    taco__buf l, r;
    taco__vec *out = NULL;
    bool ok = j->input_at < j->input_n || taco__hash_join_begin(x, t, *cols, *n);
    memset(&l, 0, sizeof l);
    memset(&r, 0, sizeof r);
    l.mem = r.mem = x->c->mem;
    ok = ok && taco__hash_join_find_pairs(x, t, &l, &r);
    if (ok) {
        out = (taco__vec *)taco__arena_array(&x->batch, x->b.column_count + 1, sizeof *out,
                                             taco__operator_err(x));
    }
    ok = out && taco__hash_join_combine(x, t, j->input, (const uint32_t *)(const void *)l.data,
                                        (const uint32_t *)(const void *)r.data,
                                        l.len / sizeof(uint32_t), out);
    *cols = out;
    *n = l.len / sizeof(uint32_t);
    taco__buf_free(&l);
    taco__buf_free(&r);
    return ok;
}
