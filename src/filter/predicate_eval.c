/* predicate_eval.c - evaluates a bound predicate on the rows of a batch

   In: a bound tree (predicate_bind.c) and the arrays of its columns. Out: a bitmap of the rows for
   which it is TRUE. SQL has three results, so that every node fills two bitmaps, `yes` and `valid`:
   TRUE is valid and yes, FALSE is valid and not yes, NULL is neither; yes is a subset of valid.

   taco__pred_eval_node dispatches on the kind of node. Leaves are in other files: a TEST of an
   array in predicate_kernels.c, a CMP or LIKE of two columns in predicate_compare.c. For a column
   with a dictionary the entries are tested, and rows look up the result. AND and OR skip operands
   that can no longer change the result.

   Bitmaps are arrays of 64-bit words whose bits after the last row are 0. They come from scratch
   (taco__pred_eval_alloc), which is gone when the call returns. Start reading at
   taco__pred_eval. */
#include "predicate.h"
#include "../base/base.h"

/* ---- scratch ---- */

/* Bytes before the usable part of a block: pieces begin at cache lines. */
#define TACO__PRED_EVAL_HEAD ((sizeof(taco__pred_eval_block) + 63) & ~(size_t)63)

/* Scratch that lives to the end of the call, not cleared: an arena whose pieces may be large. NULL
   if there is no memory. */
static void *taco__pred_eval_alloc(taco__pred_eval_state *v, size_t size)
{
    taco__pred_eval_block *b = v->blocks;
    size_t need = (size + 63) & ~(size_t)63, cap, total;
    if (size > SIZE_MAX - 64 || !b || need > b->size - b->used) {
        cap = TACO__MAX(need, v->words * 64 + 4096); /* eight bitmaps */
        if (size > SIZE_MAX - 64 || !taco__checked_add_size(cap, TACO__PRED_EVAL_HEAD, &total)) {
            TACO__FAIL(v->err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u bytes",
                       TACO__U(size));
            return NULL;
        }
        b = (taco__pred_eval_block *)taco__mem_resize(v->mem, NULL, 0, total, v->err);
        if (!b) { return NULL; }
        b->next = v->blocks;
        b->size = cap;
        b->used = 0;
        v->blocks = b;
    }
    b->used += need;
    return (uint8_t *)b + TACO__PRED_EVAL_HEAD + b->used - need;
}

/* Releases what was allocated since `block` was the newest one, with `used` bytes in use; NULL and
   0 release everything. */
TACO__FN void taco__pred_eval_release(taco__pred_eval_state *v, taco__pred_eval_block *block,
                                      size_t used)
{
    while (v->blocks != block) {
        taco__pred_eval_block *b = v->blocks;
        v->blocks = b->next;
        taco__mem_free(v->mem, b, TACO__PRED_EVAL_HEAD + b->size);
    }
    if (block) { block->used = used; }
}

/* ---- bitmaps ---- */

/* Room for a bit per row. */
TACO__FN uint64_t *taco__pred_eval_alloc_bitmap(taco__pred_eval_state *v)
{
    return (uint64_t *)taco__pred_eval_alloc(v, v->words * 8);
}

/* Copies an Arrow bitmap to words; NULL is all ones. Reads no byte past the last row's. */
TACO__FN void taco__pred_eval_load_bitmap(const uint8_t *bitmap, size_t rows, uint64_t *out)
{
    size_t i, n = rows / 64, left = rows % 64;
    for (i = 0; i < n; i++) {
        out[i] = bitmap ? taco__load_le64(bitmap + i * 8) : UINT64_MAX;
    }
    if (left) {
        uint8_t last[8] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
        if (bitmap) { memcpy(last, bitmap + n * 8, TACO__BITMAP_BYTES(left)); }
        out[n] = taco__load_le64(last) & taco__pred_eval_last_word(rows);
    }
}

/* Copies words to an Arrow bitmap of (rows + 7) / 8 bytes. */
static void taco__pred_eval_store_bitmap(const uint64_t *bits, size_t rows, uint8_t *out)
{
    size_t i, n = rows / 64, left = rows % 64;
    uint8_t last[8];
    for (i = 0; i < n; i++) {
        taco__put_le64(out + i * 8, bits[i]);
    }
    if (left) {
        taco__put_le64(last, bits[n]);
        memcpy(out + n * 8, last, TACO__BITMAP_BYTES(left));
    }
}

/* Gives all rows the same bit. */
TACO__FN void taco__pred_eval_fill_bitmap(const taco__pred_eval_state *v, uint64_t *bits, bool set)
{
    memset(bits, set ? 0xFF : 0, v->words * 8);
    if (v->words) { bits[v->words - 1] &= taco__pred_eval_last_word(v->rows); }
}

/* ---- tests ---- */

/* The entries [*from, *from + *n) of the dictionary that rows use; false if they are many more than
   the rows. A short dictionary is taken whole; of a long one in the order of the rows, as when
   values hardly repeat, a range. */
static bool taco__pred_eval_used_entries(const taco_array *a, size_t rows, size_t *from, size_t *n)
{
    size_t i, most = rows * 4 + 64;
    uint32_t low = UINT32_MAX, high = 0;
    *from = 0;
    *n = a->dictionary->length;
    if (*n <= rows) { return true; }
    for (i = 0; i < rows; i++) {
        uint32_t k = (uint32_t)a->v.i32[i];
        low = TACO__MIN(low, k);
        high = TACO__MAX(high, k);
    }
    if (rows && high < *n && high - low < most) {
        *from = low & ~(uint32_t)7; /* bitmaps begin at bytes */
        *n = (size_t)high - *from + 1;
    }
    return *n <= most + 8;
}

#ifndef TACO_SMALL
/* Expands the results of n dictionary entries to one byte each, in pass, followed by a 0 for
   indices outside. Returns how many pass; they are between *first and *last. */
static size_t taco__pred_eval_spread_entries(const uint64_t *results, size_t n, uint8_t *pass,
                                             size_t *first, size_t *last)
{
    size_t i, hits = 0;
    *first = *last = 0;
    for (i = 0; i < n; i++) {
        pass[i] = (uint8_t)(results[i / 64] >> i % 64 & 1);
        if (pass[i]) {
            *first = hits++ ? *first : i;
            *last = i;
        }
    }
    pass[n] = 0;
    return hits;
}

/* Tests n of the dictionary's entries, then looks each row up. If the entries that pass are
   contiguous, as a single one is, that becomes a comparison of indices. Indices of NULL rows may be
   anything: the look-up checks them. */
static bool taco__pred_eval_test_dictionary(taco__pred_eval_state *v, const taco_array *a,
                                            size_t from, size_t n, const taco__test *t,
                                            uint64_t *out)
{
    taco_array d = *a->dictionary;
    size_t hits, first, last;
    uint64_t *results = (uint64_t *)taco__pred_eval_alloc(v, (n + 63) / 64 * 8 + 8);
    uint8_t *pass = (uint8_t *)taco__pred_eval_alloc(v, n + 1);
    const int32_t *index = a->v.i32;
    if (!results || !pass) { return false; }
    if (d.offsets) {
        d.offsets += from;
    } else {
        d.v.u8 += d.field->type == TACO_BOOL ? 0 : (size_t)d.field->width * from;
    }
    taco__pred_kernel_test(&d, n, t, results);
    hits = taco__pred_eval_spread_entries(results, n, pass, &first, &last);
    if (hits == 0) {
        taco__pred_eval_fill_bitmap(v, out, false);
    } else if (hits == last - first + 1) {
        taco__pred_kernel_range_i32(index, v->rows, out, (int32_t)(from + first),
                                    (int32_t)(from + last));
    } else {
        taco__pred_kernel_look_up(index, v->rows, pass, (uint32_t)from, (uint32_t)n, out);
    }
    return true;
}
#endif

/* Tests the entry of each row separately: for a dictionary with far more entries than rows, and
   always with TACO_SMALL. */
static void taco__pred_eval_test_entries(const taco__pred_eval_state *v, const taco_array *a,
                                         const taco__test *t, uint64_t *out)
{
    size_t i;
    memset(out, 0, v->words * 8);
    for (i = 0; i < v->rows; i++) {
        uint64_t one = 0;
        taco_array entry = *a->dictionary;
        uint32_t k = (uint32_t)a->v.i32[i];
        uint8_t bit;
        if (k >= entry.length) { continue; }
        if (entry.offsets) {
            entry.offsets += k;
        } else if (entry.field->type == TACO_BOOL) {
            bit = taco__bitmap_get(entry.v.u8, k);
            entry.v.u8 = &bit;
        } else {
            entry.v.u8 += (size_t)entry.field->width * k;
        }
        taco__pred_kernel_test(&entry, 1, t, &one);
        out[i / 64] |= one << i % 64;
    }
}

/* An array cast to what e tests it as; of one with a dictionary, the entries are. */
static const taco_array *taco__pred_eval_cast(taco__pred_eval_state *v, const taco__expr *e,
                                              const taco_array *a)
{
    taco_array *out = (taco_array *)taco__arena_array(&v->casts, 2, sizeof *out, v->err);
    if (!out) { return NULL; }
    if (a->dictionary) {
        out[1] = *a;
        out[1].dictionary = out;
        return e->cast(&v->casts, e->field, a->dictionary, out, v->err) ? out + 1 : NULL;
    }
    return e->cast(&v->casts, e->field, a, out, v->err) ? out : NULL;
}

/* The array of a column, checked against what the predicate was bound to; NULL if its type differs
   or it is too short. */
TACO__FN const taco_array *taco__pred_eval_column(taco__pred_eval_state *v, const taco__expr *e)
{
    const taco_array *a = v->columns[e->column];
    const taco_field *f;
    if (a && e->cast) {
        a = taco__pred_eval_cast(v, e, a);
        if (!a) { return NULL; }
    }
    f = a && a->dictionary ? a->dictionary->field : a ? a->field : NULL;
    if (!f || a->length < v->rows || f->type != e->field->type ||
        (f->width != e->field->width && f->type != TACO_DECIMAL)) {
        TACO__FAIL(v->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "the condition needs column %q as %s with %u rows", &e->name,
                   taco__scalar_type_name(e->field->type), TACO__U(v->rows));
        return NULL;
    }
    return a;
}

/* Turns yes, the rows whose value passes the test, and valid, those that are not NULL, into the
   results of the node. NULL rows are NULL, and if the list contains a NULL, so are those outside of
   it. */
static void taco__pred_eval_settle_test(const taco__pred_eval_state *v, const taco__expr *e,
                                        uint64_t *yes, uint64_t *valid)
{
    const taco__test *t = e->test;
    size_t i;
    for (i = 0; i < v->words; i++) {
        uint64_t in = yes[i] & valid[i], known = t->null_rest ? in : valid[i];
        yes[i] = e->neg ? known & ~in : in;
        valid[i] = known;
    }
    if (t->null_false) { /* NULL rows are outside, which is a known result */
        for (i = 0; i < v->words; i++) {
            yes[i] |= e->neg ? ~valid[i] : 0;
        }
        taco__pred_eval_fill_bitmap(v, valid, true);
        yes[v->words - 1] &= taco__pred_eval_last_word(v->rows);
    }
}

/* A TEST: stored values first, then NOT, then the NULLs of column and list. */
static bool taco__pred_eval_test(taco__pred_eval_state *v, const taco__expr *e, uint64_t *yes,
                                 uint64_t *valid)
{
    const taco_array *a = taco__pred_eval_column(v, e);
#ifndef TACO_SMALL
    size_t from, n;
#endif
    if (!a) { return false; }
    if (!a->dictionary) {
        taco__pred_kernel_test(a, v->rows, e->test, yes);
#ifndef TACO_SMALL
    } else if (taco__pred_eval_used_entries(a, v->rows, &from, &n)) {
        if (!taco__pred_eval_test_dictionary(v, a, from, n, e->test, yes)) { return false; }
#endif
    } else {
        taco__pred_eval_test_entries(v, a, e->test, yes);
    }
    taco__pred_eval_load_bitmap(a->validity, v->rows, valid);
    taco__pred_eval_settle_test(v, e, yes, valid);
    return true;
}

/* ---- nodes ---- */

/* IS; on a column it needs only the validity, whatever the type. */
static bool taco__pred_eval_is(taco__pred_eval_state *v, const taco__expr *e, uint64_t *yes,
                               uint64_t *valid)
{
    const taco__expr *c = e->first;
    uint64_t *set = valid; /* a column: only IS NULL */
    size_t i;
    if (c->kind == TACO__PRED_COLUMN) {
        const taco_array *a = v->columns[c->column];
        if (!a || a->length < v->rows) { return taco__pred_eval_column(v, c) != NULL; }
        taco__pred_eval_load_bitmap(a->validity, v->rows, valid);
    } else {
        set = taco__pred_eval_alloc_bitmap(v);
        if (!set || !taco__pred_eval_node(v, c, false, set, valid)) { return false; }
    }
    for (i = 0; i < v->words; i++) {
        uint64_t x = e->is == TACO__IS_NULL   ? ~valid[i]
                     : e->is == TACO__IS_TRUE ? set[i]
                                              : valid[i] & ~set[i];
        yes[i] = e->neg ? ~x : x;
    }
    yes[v->words - 1] &= taco__pred_eval_last_word(v->rows);
    taco__pred_eval_fill_bitmap(v, valid, true);
    return true;
}

/* Calls the caller's predicate on `rows` rows of an array, with Arrow's byte bitmaps, and converts
   them to words. */
TACO__FN bool taco__pred_eval_call_custom(taco__pred_eval_state *v, const taco__expr *e,
                                          const taco_array *a, size_t rows, uint64_t *yes,
                                          uint64_t *valid)
{
    size_t bytes = (rows + 63) / 64 * 8;
    uint8_t *t = (uint8_t *)taco__pred_eval_alloc(v, bytes),
            *ok = (uint8_t *)taco__pred_eval_alloc(v, bytes);
    size_t i;
    if (!t || !ok) { return false; }
    memset(t, 0, bytes);
    taco__pred_eval_load_bitmap(a->validity, rows, valid);
    taco__pred_eval_store_bitmap(valid, rows, ok);
    if (!(e->custom.eval_with ? e->custom.eval_with(e->custom.ctx, a, v->columns[e->custom.with],
                                                    rows, v->mem, t, ok, v->err)
                              : e->custom.eval(e->custom.ctx, a, rows, t, ok, v->err))) {
        TACO__FAIL(v->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "the condition on column %q failed",
                   &e->name);
        return false;
    }
    taco__pred_eval_load_bitmap(t, rows, yes);
    taco__pred_eval_load_bitmap(ok, rows, valid);
    for (i = 0; i < (rows + 63) / 64; i++) {
        yes[i] &= valid[i];
    }
    return true;
}

/* Looks up, row by row, the results of n dictionary entries, beginning with entry `from`; rows with
   other entries become NULL. */
static void taco__pred_eval_look_up_custom(const taco__pred_eval_state *v, const taco_array *a,
                                           size_t from, size_t n, const uint64_t *entry_yes,
                                           const uint64_t *entry_valid, uint64_t *yes,
                                           uint64_t *valid)
{
    size_t i;
    memset(yes, 0, v->words * 8);
    for (i = 0; i < v->rows; i++) {
        uint32_t k = (uint32_t)a->v.i32[i] - (uint32_t)from;
        uint64_t in = k < n, t = in ? entry_yes[k / 64] >> k % 64 & 1 : 0,
                 ok = in ? entry_valid[k / 64] >> k % 64 & 1 : 0;
        yes[i / 64] |= t << i % 64;
        valid[i / 64] &= ~((ok ^ 1) << i % 64);
    }
    for (i = 0; i < v->words; i++) {
        yes[i] &= valid[i];
    }
}

/* CUSTOM. A caller's function of one column never sees a dictionary with indices: it judges the
   entries, and rows look up the result. A function of two columns sees the rows. */
static bool taco__pred_eval_custom(taco__pred_eval_state *v, const taco__expr *e, uint64_t *yes,
                                   uint64_t *valid)
{
    const taco_array *a = taco__pred_eval_column(v, e);
    taco_array d;
    uint64_t *entry_yes, *entry_valid;
    size_t from, n;
    if (!a || !a->dictionary || e->custom.eval_with) {
        return a && taco__pred_eval_call_custom(v, e, a, v->rows, yes, valid);
    }
    d = *a->dictionary;
    if (taco__pred_eval_used_entries(a, v->rows, &from, &n) && d.offsets) {
        d.offsets += from;
        d.validity = d.validity ? d.validity + from / 8 : NULL;
        d.length = n;
    } else {
        from = 0;
        n = d.length;
    }
    entry_yes = (uint64_t *)taco__pred_eval_alloc(v, (n + 64) / 64 * 8);
    entry_valid = (uint64_t *)taco__pred_eval_alloc(v, (n + 64) / 64 * 8);
    if (!entry_yes || !entry_valid ||
        !taco__pred_eval_call_custom(v, e, &d, n, entry_yes, entry_valid)) {
        return false;
    }
    taco__pred_eval_load_bitmap(a->validity, v->rows, valid);
    taco__pred_eval_look_up_custom(v, a, from, n, entry_yes, entry_valid, yes, valid);
    return true;
}

/* Whether another operand can change the result of some row: in an AND if it is not FALSE, or with
   only_true if it is TRUE; in an OR if it is not TRUE. */
static bool taco__pred_eval_is_open(const taco__pred_eval_state *v, bool is_and, bool only_true,
                                    const uint64_t *yes, const uint64_t *valid)
{
    uint64_t open = 0;
    size_t i;
    for (i = 0; i < v->words; i++) {
        uint64_t rows = i + 1 == v->words ? taco__pred_eval_last_word(v->rows) : UINT64_MAX;
        open |= is_and ? (only_true ? yes[i] : (yes[i] | ~valid[i]) & rows) : ~yes[i] & rows;
    }
    return open != 0;
}

/* Combines yes and valid of `a AND b`, or `a OR b`, into those of a. */
static void taco__pred_eval_join(const taco__pred_eval_state *v, bool is_and, uint64_t *yes,
                                 uint64_t *valid, const uint64_t *b_yes, const uint64_t *b_valid)
{
    size_t i;
    for (i = 0; i < v->words; i++) {
        uint64_t both = valid[i] & b_valid[i];
        if (is_and) { /* known when both are, or when one is FALSE */
            valid[i] = both | (valid[i] & ~yes[i]) | (b_valid[i] & ~b_yes[i]);
            yes[i] &= b_yes[i];
        } else { /* known when both are, or when one is TRUE */
            valid[i] = both | yes[i] | b_yes[i];
            yes[i] |= b_yes[i];
        }
    }
}

/* AND, OR. only_true: the caller does not distinguish FALSE from NULL, so that an AND ends as soon
   as no row can become TRUE. Scratch of a child is released before the next, since a chain may be
   long. */
static bool taco__pred_eval_junction(taco__pred_eval_state *v, const taco__expr *e, bool only_true,
                                     uint64_t *yes, uint64_t *valid)
{
    const taco__expr *c = e->first;
    bool is_and = e->kind == TACO__PRED_AND;
    uint64_t *b_yes = taco__pred_eval_alloc_bitmap(v), *b_valid = taco__pred_eval_alloc_bitmap(v);
    taco__pred_eval_block *block;
    size_t used;
    if (!b_yes || !b_valid || !taco__pred_eval_node(v, c, only_true, yes, valid)) { return false; }
    block = v->blocks;
    used = block->used;
    for (c = c->next; c; c = c->next) {
        if (!taco__pred_eval_is_open(v, is_and, only_true, yes, valid)) { return true; }
        if (!taco__pred_eval_node(v, c, only_true, b_yes, b_valid)) { return false; }
        taco__pred_eval_release(v, block, used);
        taco__pred_eval_join(v, is_and, yes, valid, b_yes, b_valid);
    }
    return true;
}

/* Fills yes and valid for every row of the batch. Recursion is as deep as the tree, which has a
   limit. */
TACO__FN bool taco__pred_eval_node(taco__pred_eval_state *v, const taco__expr *e, bool only_true,
                                   uint64_t *yes, uint64_t *valid)
{
    size_t i;
    switch (e->kind) {
    case TACO__PRED_CONST:
        taco__pred_eval_fill_bitmap(v, yes, e->type.id != TACO_NULL && e->value.d.w[0] != 0);
        taco__pred_eval_fill_bitmap(v, valid, e->type.id != TACO_NULL);
        return true;
    case TACO__PRED_AND:
    case TACO__PRED_OR: return taco__pred_eval_junction(v, e, only_true, yes, valid);
    case TACO__PRED_NOT:
        if (!taco__pred_eval_node(v, e->first, false, yes, valid)) { return false; }
        for (i = 0; i < v->words; i++) {
            yes[i] = valid[i] & ~yes[i];
        }
        return true;
    case TACO__PRED_CMP: return taco__pred_compare(v, e, yes, valid);
    case TACO__PRED_LIKE: return TACO__WITH_LIKE && taco__pred_compare_like(v, e, yes, valid);
    case TACO__PRED_IS: return taco__pred_eval_is(v, e, yes, valid);
    case TACO__PRED_TEST: return taco__pred_eval_test(v, e, yes, valid);
    case TACO__PRED_CUSTOM:
        return TACO__WITH_PREDICATES && taco__pred_eval_custom(v, e, yes, valid);
    default:
        TACO__FAIL(v->err, TACO_ERR_STATE, TACO_NO_OFFSET, "the condition is not bound");
        return false;
    }
}

/* Sets the bits of true_bits, least significant first and (rows + 7) / 8 bytes long, of rows for
   which e is TRUE; bits after the last row are 0. columns holds an array of at least `rows` rows
   for every column that taco__expr_mark_columns names; the others may be NULL. mem is charged for
   scratch, which is released before the call returns. */
TACO__FN bool taco__pred_eval(const taco__expr *e, const taco_array **columns, size_t rows,
                              uint8_t *true_bits, taco__mem *mem, taco_error *err)
{
    taco__pred_eval_state v;
    uint64_t *yes, *valid;
    bool ok;
    memset(&v, 0, sizeof v);
    v.columns = columns;
    v.rows = rows;
    v.words = (rows + 63) / 64;
    v.mem = mem;
    v.err = err;
    v.casts.mem = mem;
    if (!e->bound) {
        TACO__FAIL(err, TACO_ERR_STATE, TACO_NO_OFFSET, "the condition is not bound");
        return false;
    }
    if (rows == 0) { return true; }
    yes = taco__pred_eval_alloc_bitmap(&v);
    valid = taco__pred_eval_alloc_bitmap(&v);
    ok = yes && valid && taco__pred_eval_node(&v, e, true, yes, valid);
    if (ok) { taco__pred_eval_store_bitmap(yes, rows, true_bits); }
    taco__pred_eval_release(&v, NULL, 0);
    taco__arena_free(&v.casts);
    return ok;
}
