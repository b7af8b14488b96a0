/* predicate_compare.c - comparisons of two columns, and of conditions as values, row by row

   In: a CMP or LIKE node of a bound predicate that could not become a TEST, and the arrays of a
   batch. Out: its bitmaps yes and valid (predicate_eval.c). Comparisons of columns with constants
   are never handled here; those of conditions are: (a = b) = TRUE.

   Each side is an operand. Rows are taken TACO__PRED_COMPARE_STEP at a time: as 64-bit keys where
   both sides have keys of one kind (integers, dates and times of one unit), as floating point in
   that domain, else one by one as scalars (scalar.c), which works for any two types and is slow.

   Start reading at taco__pred_compare. */
#include "predicate.h"
#include "../base/base.h"

/* ---- operands ---- */

/* Half the usual step, because two sides are on the stack. */
#define TACO__PRED_COMPARE_STEP (TACO__PRED_KERNEL_STEP / 2)

/* One side of a comparison. */
typedef struct taco__pred_operand {
    const taco__expr *e;         /* COLUMN, CONST, or a condition */
    const taco_array *a, *plain; /* COLUMN: the array, and the one with its values */
    uint64_t *yes;               /* condition: which rows are TRUE */
    uint64_t *valid;             /* which rows are not NULL */
} taco__pred_operand;

/* Prepares a side: finds its array, or evaluates a condition used as a value. */
static bool taco__pred_compare_operand_init(taco__pred_eval_state *v, const taco__expr *e,
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

/* The index of row i in s->plain; false if it has none, since a NULL row may have any index. */
TACO__INLINE bool taco__pred_compare_operand_place(const taco__pred_operand *s, size_t i,
                                                   size_t *out)
{
    *out = s->a->dictionary ? (size_t)(uint32_t)s->a->v.i32[i] : i;
    return *out < s->plain->length;
}

/* Row i as a scalar, undefined for a NULL row. The slow path, for pairs of types without a loop. */
static taco__scalar taco__pred_compare_operand_scalar(const taco__pred_operand *s, size_t i)
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
    if (!taco__pred_compare_operand_place(s, i, &at)) { return v; }
    type = s->plain->field->type;
    if (taco__scalar_is_bytes(v.type.id)) {
        v.b = taco__pred_kernel_bytes(s->plain, at);
    } else if (TACO__WITH_DECIMALS && type == TACO_DECIMAL) {
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

#ifndef TACO_SMALL
/* Whether the 64-bit keys of two sides can be compared directly: integers, and dates and times of
   one unit. */
static bool taco__pred_compare_has_common_keys(const taco__scalar_type *a,
                                               const taco__scalar_type *b)
{
    bool ints = (taco__scalar_is_int(a->id) || a->id == TACO_BOOL) &&
                (taco__scalar_is_int(b->id) || b->id == TACO_BOOL);
    if (ints) { return (a->id == TACO_UINT64) == (b->id == TACO_UINT64); }
    return a->id == b->id &&
           (a->id == TACO_DATE ||
            ((a->id == TACO_TIME || a->id == TACO_TIMESTAMP) && a->unit == b->unit));
}

/* Keys of rows [from, from + n) of a side, n at most TACO__PRED_KERNEL_STEP. */
static void taco__pred_compare_operand_keys(const taco__pred_operand *s, size_t from, size_t n,
                                            int64_t *out)
{
    size_t i;
    if (s->e->kind == TACO__PRED_COLUMN && !s->a->dictionary) {
        taco__pred_kernel_keys(s->plain, from, n, out);
        return;
    }
    for (i = 0; i < n; i++) {
        taco__scalar x = taco__pred_compare_operand_scalar(s, from + i);
        out[i] = (int64_t)(x.d.w[0] ^ (x.type.id == TACO_UINT64 ? (uint64_t)1 << 63 : 0));
    }
}

/* The same as floating-point numbers, rounded to FLOAT (single) if that is the domain. */
static void taco__pred_compare_operand_floats(const taco__pred_operand *s, size_t from, size_t n,
                                              bool single, double *out)
{
    size_t i;
    if (s->e->kind == TACO__PRED_COLUMN && !s->a->dictionary &&
        s->plain->field->type == TACO_DOUBLE) { /* which is not compared as FLOAT */
        memcpy(out, s->plain->v.f64 + from, n * sizeof *out);
        return;
    }
    if (s->e->kind == TACO__PRED_COLUMN && !s->a->dictionary &&
        s->plain->field->type == TACO_FLOAT) {
        for (i = 0; i < n; i++) {
            out[i] = taco__f32_widen(s->plain->v.f32[from + i]);
        }
        return;
    }
    for (i = 0; i < n; i++) {
        taco__scalar x = taco__pred_compare_operand_scalar(s, from + i);
        out[i] = taco__scalar_to_double(&x, single);
    }
}

#endif

/* taco__pred_compare_rows one row at a time; NULL rows are skipped. */
static void taco__pred_compare_scalars(const taco__expr *e, const taco__pred_operand *x,
                                       const taco__pred_operand *y, size_t from, size_t n,
                                       bool less, uint64_t *out)
{
    size_t i;
    memset(out, 0, (n + 63) / 64 * 8);
    for (i = 0; i < n; i++) {
        size_t row = from + i;
        taco__scalar p, q;
        int order;
        if (!((x->valid[row / 64] & y->valid[row / 64]) >> row % 64 & 1)) { continue; }
        p = taco__pred_compare_operand_scalar(x, row);
        q = taco__pred_compare_operand_scalar(y, row);
        order = taco__scalar_compare(e->domain, &p, &q);
        out[i / 64] |= (uint64_t)(less ? order < 0 : order == 0) << i % 64;
    }
}

/* out: x < y (less) or x = y, for rows [from, from + n); n at most TACO__PRED_COMPARE_STEP. NaN is
   equal to itself and greater than everything else. With TACO_SMALL all pairs of types go row by
   row. */
static void taco__pred_compare_rows(const taco__expr *e, const taco__pred_operand *x,
                                    const taco__pred_operand *y, size_t from, size_t n, bool less,
                                    uint64_t *out)
{
#ifndef TACO_SMALL
    union {
        int64_t k[TACO__PRED_COMPARE_STEP];
        double f[TACO__PRED_COMPARE_STEP];
    } a, b;

    bool single = e->domain == TACO__DOMAIN_F32;
    if (e->domain == TACO__DOMAIN_EXACT &&
        taco__pred_compare_has_common_keys(&x->e->type, &y->e->type)) {
        taco__pred_compare_operand_keys(x, from, n, a.k);
        taco__pred_compare_operand_keys(y, from, n, b.k);
        TACO__PRED_KERNEL_EACH(less ? a.k[row] < b.k[row] : a.k[row] == b.k[row])
    } else if (single || e->domain == TACO__DOMAIN_F64) {
        taco__pred_compare_operand_floats(x, from, n, single, a.f);
        taco__pred_compare_operand_floats(y, from, n, single, b.f);
        TACO__PRED_KERNEL_EACH(less ? taco__scalar_compare_double(a.f[row], b.f[row]) < 0
                                    : taco__scalar_compare_double(a.f[row], b.f[row]) == 0)
    } else
#endif
    {
        taco__pred_compare_scalars(e, x, y, from, n, less, out);
    }
}

/* ---- nodes ---- */

/* A CMP. GT and LE swap the sides, NE, LE and GE negate, so that two loops, less and equal, are
   enough. */
TACO__FN bool taco__pred_compare(taco__pred_eval_state *v, const taco__expr *e, uint64_t *yes,
                                 uint64_t *valid)
{
    taco__pred_operand x, y;
    bool equal = e->op == TACO__OP_EQ || e->op == TACO__OP_NE,
         swap = e->op == TACO__OP_GT || e->op == TACO__OP_LE;
    bool negate = e->op == TACO__OP_NE || e->op == TACO__OP_LE || e->op == TACO__OP_GE;
    size_t at, i;
    if (!taco__pred_compare_operand_init(v, e->first, &x) ||
        !taco__pred_compare_operand_init(v, e->first->next, &y)) {
        return false;
    }
    for (at = 0; at < v->rows; at += TACO__PRED_COMPARE_STEP) {
        size_t n = TACO__MIN(v->rows - at, (size_t)TACO__PRED_COMPARE_STEP);
        taco__pred_compare_rows(e, swap ? &y : &x, swap ? &x : &y, at, n, !equal, yes + at / 64);
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

/* A LIKE whose pattern is a column, and so not compiled: every row parses its pattern again. */
TACO__FN bool taco__pred_compare_like(taco__pred_eval_state *v, const taco__expr *e, uint64_t *yes,
                                      uint64_t *valid)
{
    taco__pred_operand x, y;
    taco__like_pattern k = e->test->like;
    size_t i;
    if (!taco__pred_compare_operand_init(v, e->first, &x) ||
        !taco__pred_compare_operand_init(v, e->first->next, &y)) {
        return false;
    }
    k.mode = TACO__LIKE_FULL;
    memset(yes, 0, v->words * 8);
    for (i = 0; i < v->words; i++) {
        valid[i] = x.valid[i] & y.valid[i];
    }
    for (i = 0; i < v->rows; i++) {
        if (valid[i / 64] >> i % 64 & 1) {
            k.pattern = taco__pred_compare_operand_scalar(&y, i).b;
            if (!taco__like_check(&k, v->err)) { return false; }
            yes[i / 64] |= (uint64_t)(taco__like_match(
                                          &k, taco__pred_compare_operand_scalar(&x, i).b) != e->neg)
                           << i % 64;
        }
    }
    return true;
}
