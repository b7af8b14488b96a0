/* predicate_eval.c - run a bound condition over batches, or over statistics. */
#include "filter.h"
#include "../base/base.h"

#define TACO__PRED_EVAL_HEAD ((sizeof(taco__pred_eval_block) + 63) & ~(size_t)63)

/* Scratch that lives to the end of the call, not cleared: an arena whose pieces may be large. */
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

/* Gives back what was taken since `block` was the newest and had `used` bytes taken; NULL and 0
   give back everything. */
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

/* Room for one bit a row. */
TACO__FN uint64_t *taco__pred_eval_alloc_bitmap(taco__pred_eval_state *v)
{
    return (uint64_t *)taco__pred_eval_alloc(v, v->words * 8);
}

/* An Arrow bitmap as words; NULL is all ones. Reads no byte behind the last row's. */
static void taco__pred_eval_load_bitmap(const uint8_t *bitmap, size_t rows, uint64_t *out)
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

/* Words back to an Arrow bitmap of (rows + 7) / 8 bytes. */
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

/* All rows alike, the bits behind them 0. */
static void taco__pred_eval_fill_bitmap(const taco__pred_eval_state *v, uint64_t *bits, bool set)
{
    memset(bits, set ? 0xFF : 0, v->words * 8);
    if (v->words) { bits[v->words - 1] &= taco__pred_eval_last_word(v->rows); }
}

/* The entries [*from, *from + *n) of the dictionary that rows use, when those are not many more
   than the rows: all of a short one; of a long one that follows the rows, as values that differ in
   every row do, a stretch. */
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

/* Verdicts on n of the dictionary's entries, then one look-up a row. Where the entries that pass
   lie side by side, as a single one does, the look-up is a comparison of indices. Indices of NULL
   rows may be anything: they are kept inside. */
static bool taco__pred_eval_test_dictionary(taco__pred_eval_state *v, const taco_array *a,
                                            size_t from, size_t n, const taco__test *t,
                                            uint64_t *out)
{
    taco_array d = *a->dictionary;
    size_t i, hits = 0, first = 0, last = 0;
    uint64_t *words = (uint64_t *)taco__pred_eval_alloc(v, (n + 63) / 64 * 8 + 8);
    uint8_t *pass = (uint8_t *)taco__pred_eval_alloc(v, n + 1);
    const int32_t *index = a->v.i32;
    if (!words || !pass) { return false; }
    if (d.offsets) {
        d.offsets += from;
    } else {
        d.v.u8 += d.field->type == TACO_BOOL ? 0 : (size_t)d.field->width * from;
    }
    taco__pred_kernel_test(&d, n, t, words);
    for (i = 0; i < n; i++) {
        pass[i] = (uint8_t)(words[i / 64] >> i % 64 & 1);
        if (pass[i]) {
            first = hits++ ? first : i;
            last = i;
        }
    }
    pass[n] = 0;
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

/* The array of a column, checked against what the condition was bound to. */
static const taco_array *taco__pred_eval_column(taco__pred_eval_state *v, const taco__expr *e)
{
    const taco_array *a = v->columns[e->column];
    const taco_field *f = a && a->dictionary ? a->dictionary->field : a ? a->field : NULL;
    if (!f || a->length < v->rows || f->type != e->field->type ||
        (f->width != e->field->width && f->type != TACO_DECIMAL)) {
        TACO__FAIL(v->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "the condition needs column %q as %s with %u rows", &e->name,
                   taco__scalar_type_name(e->field->type), TACO__U(v->rows));
        return NULL;
    }
    return a;
}

/* A TEST: its outcome on the stored values, then NOT, then the NULLs of column and list. */
static bool taco__pred_eval_test(taco__pred_eval_state *v, const taco__expr *e, uint64_t *yes,
                                 uint64_t *valid)
{
    const taco_array *a = taco__pred_eval_column(v, e);
    const taco__test *t = e->test;
    size_t i, from, n;
    if (!a) { return false; }
    if (a->dictionary && taco__pred_eval_used_entries(a, v->rows, &from, &n)) {
        if (!taco__pred_eval_test_dictionary(v, a, from, n, t, yes)) { return false; }
    } else if (a->dictionary) { /* far more entries than rows: only those that are used */
        memset(yes, 0, v->words * 8);
        for (i = 0; i < v->rows; i++) {
            uint64_t one = 0;
            taco_array entry = *a->dictionary;
            uint32_t k = (uint32_t)a->v.i32[i];
            if (k < entry.length) {
                if (entry.offsets) {
                    entry.offsets += k;
                } else if (entry.field->type == TACO_BOOL) {
                    continue; /* two entries never outnumber the rows */
                } else {
                    entry.v.u8 += (size_t)entry.field->width * k;
                }
                taco__pred_kernel_test(&entry, 1, t, &one);
                yes[i / 64] |= one << i % 64;
            }
        }
    } else {
        taco__pred_kernel_test(a, v->rows, t, yes);
    }
    taco__pred_eval_load_bitmap(a->validity, v->rows, valid);
    for (i = 0; i < v->words; i++) {
        uint64_t in = yes[i] & valid[i], known = t->null_rest ? in : valid[i];
        yes[i] = e->neg ? known & ~in : in;
        valid[i] = known;
    }
    if (t->null_false) { /* NULL rows are outside, which is a known answer */
        for (i = 0; i < v->words; i++) {
            yes[i] |= e->neg ? ~valid[i] : 0;
        }
        taco__pred_eval_fill_bitmap(v, valid, true);
        yes[v->words - 1] &= taco__pred_eval_last_word(v->rows);
    }
    return true;
}

/* ---- values row by row: columns with columns ---- */

typedef struct taco__pred_operand {
    const taco__expr *e;
    const taco_array *a, *plain; /* COLUMN: the array, and the one with its values */
    uint64_t *yes;               /* a condition as a value */
    uint64_t *valid;
} taco__pred_operand;

static bool taco__pred_eval_node(taco__pred_eval_state *v, const taco__expr *e, bool only_true,
                                 uint64_t *yes, uint64_t *valid);

/* Prepares a side: finds the array, or evaluates a condition that is used as a value. */
static bool taco__pred_eval_operand_init(taco__pred_eval_state *v, const taco__expr *e,
                                         taco__pred_operand *s)
{
    memset(s, 0, sizeof *s);
    s->e = e;
    s->valid = taco__pred_eval_alloc_bitmap(v);
    if (!s->valid) { return false; }
    if (e->kind == TACO__PRED_CONST) {
        taco__pred_eval_fill_bitmap(v, s->valid, e->type.id != TACO_NULL);
        return true;
    }
    if (e->kind == TACO__PRED_COLUMN) {
        s->a = taco__pred_eval_column(v, e);
        if (!s->a) { return false; }
        s->plain = s->a->dictionary ? s->a->dictionary : s->a;
        taco__pred_eval_load_bitmap(s->a->validity, v->rows, s->valid);
        return true;
    }
    s->yes = taco__pred_eval_alloc_bitmap(v);
    return s->yes && taco__pred_eval_node(v, e, false, s->yes, s->valid);
}

/* The place of row i in s->plain, false when it has none (an index of a NULL row may be
   anything). */
TACO__INLINE bool taco__pred_eval_operand_place(const taco__pred_operand *s, size_t i, size_t *out)
{
    *out = s->a->dictionary ? (size_t)(uint32_t)s->a->v.i32[i] : i;
    return *out < s->plain->length;
}

/* Row i as a scalar. The slow way, for pairs of types without a loop of their own. */
static taco__scalar taco__pred_eval_operand_scalar(const taco__pred_operand *s, size_t i)
{
    taco__scalar v = taco__scalar_make_null();
    taco_type type;
    int64_t key;
    size_t at;
    if (s->e->kind == TACO__PRED_CONST) { return s->e->value; }
    if (s->e->kind != TACO__PRED_COLUMN) {
        return taco__expr_bool_value(s->yes[i / 64] >> i % 64 & 1);
    }
    v.type = s->e->type;
    if (!taco__pred_eval_operand_place(s, i, &at)) { return v; }
    type = s->plain->field->type;
    if (taco__scalar_is_bytes(v.type.id)) {
        v.b = taco__pred_kernel_bytes(s->plain, at);
    } else if (type == TACO_DECIMAL) {
        v.d = taco__pred_kernel_decimal_key(s->plain, at);
    } else {
        taco__pred_kernel_keys(s->plain, at, 1, &key);
        if (type == TACO_UINT64) {
            v.d = taco__i256_from_u64((uint64_t)key ^ (uint64_t)1 << 63);
        } else {
            v = taco__scalar_from_key(&v.type, taco__i256_from_i64(key));
        }
    }
    return v;
}

/* Sides whose 64-bit keys compare as they are: integers, and dates and times of one unit. */
static bool taco__pred_eval_keys_compare(const taco__scalar_type *a, const taco__scalar_type *b)
{
    bool ints = (taco__scalar_is_int(a->id) || a->id == TACO_BOOL) &&
                (taco__scalar_is_int(b->id) || b->id == TACO_BOOL);
    if (ints) { return (a->id == TACO_UINT64) == (b->id == TACO_UINT64); }
    return a->id == b->id &&
           (a->id == TACO_DATE ||
            ((a->id == TACO_TIME || a->id == TACO_TIMESTAMP) && a->unit == b->unit));
}

/* Keys of n rows of a side, n at most TACO__PRED_KERNEL_STEP. */
static void taco__pred_eval_operand_keys(const taco__pred_operand *s, size_t from, size_t n,
                                         int64_t *out)
{
    size_t i;
    if (s->e->kind == TACO__PRED_COLUMN && !s->a->dictionary) {
        taco__pred_kernel_keys(s->plain, from, n, out);
        return;
    }
    for (i = 0; i < n; i++) {
        taco__scalar x = taco__pred_eval_operand_scalar(s, from + i);
        out[i] = (int64_t)(x.d.w[0] ^ (x.type.id == TACO_UINT64 ? (uint64_t)1 << 63 : 0));
    }
}

/* The same as floating point numbers, rounded to FLOAT where that is the domain. */
static void taco__pred_eval_operand_floats(const taco__pred_operand *s, size_t from, size_t n,
                                           bool single, double *out)
{
    size_t i;
    if (s->e->kind == TACO__PRED_COLUMN && !s->a->dictionary &&
        s->plain->field->type == TACO_DOUBLE && !single) {
        memcpy(out, s->plain->v.f64 + from, n * sizeof *out);
        return;
    }
    if (s->e->kind == TACO__PRED_COLUMN && !s->a->dictionary &&
        s->plain->field->type == TACO_FLOAT) {
        for (i = 0; i < n; i++) {
            out[i] = (double)s->plain->v.f32[from + i];
        }
        return;
    }
    for (i = 0; i < n; i++) {
        taco__scalar x = taco__pred_eval_operand_scalar(s, from + i);
        out[i] = taco__scalar_to_double(&x, single);
    }
}

/* out: x < y (less) or x = y, of rows [from, from + n); n at most TACO__PRED_KERNEL_STEP. */
static void taco__pred_eval_compare_rows(const taco__expr *e, const taco__pred_operand *x,
                                         const taco__pred_operand *y, size_t from, size_t n,
                                         bool less, uint64_t *out)
{
    union {
        int64_t k[TACO__PRED_KERNEL_STEP];
        double f[TACO__PRED_KERNEL_STEP];
    } a, b;

    if (e->domain == TACO__DOMAIN_EXACT && taco__pred_eval_keys_compare(&x->e->type, &y->e->type)) {
        taco__pred_eval_operand_keys(x, from, n, a.k);
        taco__pred_eval_operand_keys(y, from, n, b.k);
        TACO__PRED_KERNEL_EACH(less ? a.k[row] < b.k[row] : a.k[row] == b.k[row])
    } else if (e->domain == TACO__DOMAIN_F32 || e->domain == TACO__DOMAIN_F64) {
        taco__pred_eval_operand_floats(x, from, n, e->domain == TACO__DOMAIN_F32, a.f);
        taco__pred_eval_operand_floats(y, from, n, e->domain == TACO__DOMAIN_F32, b.f);
        if (less) {
            TACO__PRED_KERNEL_EACH((a.f[row] < b.f[row]) |
                                   ((b.f[row] != b.f[row]) & (a.f[row] == a.f[row])))
        } else {
            TACO__PRED_KERNEL_EACH((a.f[row] == b.f[row]) |
                                   ((b.f[row] != b.f[row]) & (a.f[row] != a.f[row])))
        }
    } else {
        size_t i;
        memset(out, 0, (n + 63) / 64 * 8);
        for (i = 0; i < n; i++) {
            size_t row = from + i;
            if (x->valid[row / 64] & y->valid[row / 64] & (uint64_t)1 << row % 64) {
                taco__scalar p = taco__pred_eval_operand_scalar(x, row),
                             q = taco__pred_eval_operand_scalar(y, row);
                int c = taco__scalar_compare(e->domain, &p, &q);
                out[i / 64] |= (uint64_t)(less ? c < 0 : c == 0) << i % 64;
            }
        }
    }
}

/* Two sides that are not a column and a constant. GT and LE swap the sides, NE, LE and GE negate:
   two loops are enough. */
static bool taco__pred_eval_compare(taco__pred_eval_state *v, const taco__expr *e, uint64_t *yes,
                                    uint64_t *valid)
{
    taco__pred_operand x, y;
    bool equal = e->op == TACO__OP_EQ || e->op == TACO__OP_NE,
         swap = e->op == TACO__OP_GT || e->op == TACO__OP_LE;
    bool negate = e->op == TACO__OP_NE || e->op == TACO__OP_LE || e->op == TACO__OP_GE;
    size_t at, i;
    if (!taco__pred_eval_operand_init(v, e->first, &x) ||
        !taco__pred_eval_operand_init(v, e->first->next, &y)) {
        return false;
    }
    for (at = 0; at < v->rows; at += TACO__PRED_KERNEL_STEP) {
        size_t n = TACO__MIN(v->rows - at, (size_t)TACO__PRED_KERNEL_STEP);
        taco__pred_eval_compare_rows(e, swap ? &y : &x, swap ? &x : &y, at, n, !equal,
                                     yes + at / 64);
    }
    for (i = 0; i < v->words; i++) {
        uint64_t both = x.valid[i] & y.valid[i], in = yes[i] & both;
        if (e->nullsafe) { /* two NULLs are equal, a NULL and a value differ */
            in |= ~(x.valid[i] | y.valid[i]);
            both = UINT64_MAX;
        }
        yes[i] = negate ? both & ~in : in;
        valid[i] = both;
    }
    yes[v->words - 1] &= taco__pred_eval_last_word(v->rows);
    valid[v->words - 1] &= taco__pred_eval_last_word(v->rows);
    return true;
}

/* LIKE whose pattern is a column. */
static bool taco__pred_eval_like(taco__pred_eval_state *v, const taco__expr *e, uint64_t *yes,
                                 uint64_t *valid)
{
    taco__pred_operand x, y;
    taco__like_pattern k = e->test->like;
    size_t i;
    if (!taco__pred_eval_operand_init(v, e->first, &x) ||
        !taco__pred_eval_operand_init(v, e->first->next, &y)) {
        return false;
    }
    k.mode = TACO__LIKE_FULL;
    memset(yes, 0, v->words * 8);
    for (i = 0; i < v->words; i++) {
        valid[i] = x.valid[i] & y.valid[i];
    }
    for (i = 0; i < v->rows; i++) {
        if (valid[i / 64] >> i % 64 & 1) {
            k.pattern = taco__pred_eval_operand_scalar(&y, i).b;
            yes[i / 64] |=
                (uint64_t)(taco__like_match(&k, taco__pred_eval_operand_scalar(&x, i).b) != e->neg)
                << i % 64;
        }
    }
    return true;
}

/* ---- nodes ---- */

/* IS on a column needs its validity only, whatever its type. */
static bool taco__pred_eval_is(taco__pred_eval_state *v, const taco__expr *e, uint64_t *yes,
                               uint64_t *valid)
{
    const taco__expr *c = e->first;
    uint64_t *set = NULL;
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

/* Calls the predicate with byte bitmaps, which is what Arrow has, and takes words back. */
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
    if (!e->custom.eval(e->custom.ctx, a, rows, t, ok, v->err)) {
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

/* The caller's function never sees a dictionary with indices: it judges the entries, the rows look
   them up. */
static bool taco__pred_eval_custom(taco__pred_eval_state *v, const taco__expr *e, uint64_t *yes,
                                   uint64_t *valid)
{
    const taco_array *a = taco__pred_eval_column(v, e);
    taco_array d;
    uint64_t *dyes, *dvalid;
    size_t i, from, n;
    if (!a || !a->dictionary) {
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
    dyes = (uint64_t *)taco__pred_eval_alloc(v, (n + 64) / 64 * 8);
    dvalid = (uint64_t *)taco__pred_eval_alloc(v, (n + 64) / 64 * 8);
    if (!dyes || !dvalid || !taco__pred_eval_call_custom(v, e, &d, n, dyes, dvalid)) {
        return false;
    }
    taco__pred_eval_load_bitmap(a->validity, v->rows, valid);
    memset(yes, 0, v->words * 8);
    for (i = 0; i < v->rows; i++) {
        uint32_t k = (uint32_t)a->v.i32[i] - (uint32_t)from;
        uint64_t in = k < n, t = in ? dyes[k / 64] >> k % 64 & 1 : 0,
                 ok = in ? dvalid[k / 64] >> k % 64 & 1 : 0;
        yes[i / 64] |= t << i % 64;
        valid[i / 64] &= ~((ok ^ 1) << i % 64);
    }
    for (i = 0; i < v->words; i++) {
        yes[i] &= valid[i];
    }
    return true;
}

/* only_true: the caller does not tell FALSE from NULL, so that a branch ends as soon as no row can
   become TRUE. */
static bool taco__pred_eval_junction(taco__pred_eval_state *v, const taco__expr *e, bool only_true,
                                     uint64_t *yes, uint64_t *valid)
{
    const taco__expr *c = e->first;
    bool is_and = e->kind == TACO__PRED_AND;
    uint64_t *t = taco__pred_eval_alloc_bitmap(v), *ok = taco__pred_eval_alloc_bitmap(v);
    taco__pred_eval_block *block;
    size_t i, used;
    if (!t || !ok || !taco__pred_eval_node(v, c, only_true, yes, valid)) { return false; }
    /* what a child takes is given back before the next: a chain may be long */
    block = v->blocks;
    used = block->used;
    for (c = c->next; c; c = c->next) {
        uint64_t open = 0; /* rows the rest can still change */
        for (i = 0; i < v->words; i++) {
            uint64_t rows = i + 1 == v->words ? taco__pred_eval_last_word(v->rows) : UINT64_MAX;
            open |= is_and ? (only_true ? yes[i] : (yes[i] | ~valid[i]) & rows) : ~yes[i] & rows;
        }
        if (!open) { return true; }
        if (!taco__pred_eval_node(v, c, only_true, t, ok)) { return false; }
        taco__pred_eval_release(v, block, used);
        for (i = 0; i < v->words; i++) {
            uint64_t both = valid[i] & ok[i];
            if (is_and) { /* known when both are, or when one is FALSE */
                valid[i] = both | (valid[i] & ~yes[i]) | (ok[i] & ~t[i]);
                yes[i] &= t[i];
            } else { /* known when both are, or when one is TRUE */
                valid[i] = both | yes[i] | t[i];
                yes[i] |= t[i];
            }
        }
    }
    return true;
}

/* Fills yes and valid for every row of the batch. Recursion is as deep as the tree, which has a
   limit. */
static bool taco__pred_eval_node(taco__pred_eval_state *v, const taco__expr *e, bool only_true,
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
    case TACO__PRED_CMP: return taco__pred_eval_compare(v, e, yes, valid);
    case TACO__PRED_LIKE: return taco__pred_eval_like(v, e, yes, valid);
    case TACO__PRED_IS: return taco__pred_eval_is(v, e, yes, valid);
    case TACO__PRED_TEST: return taco__pred_eval_test(v, e, yes, valid);
    case TACO__PRED_CUSTOM: return taco__pred_eval_custom(v, e, yes, valid);
    default:
        TACO__FAIL(v->err, TACO_ERR_STATE, TACO_NO_OFFSET, "the condition is not bound");
        return false;
    }
}

/* Sets the bits of true_bits, least significant first and (rows + 7) / 8 bytes long, of rows for
   which e is TRUE; bits behind the last row are 0. columns holds an array of at least `rows` rows
   for every column taco__expr_mark_columns names; the others may be NULL. mem pays for scratch that
   is gone when the call returns. */
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
    return ok;
}
