/* predicate.h - what the files predicate_*.c share: binding and evaluating predicates */
#ifndef TACO__PREDICATE_H
#define TACO__PREDICATE_H

#include "filter.h"

/* Only for this folder; filter.h offers taco__pred_bind, taco__pred_eval and taco__pred_prune to
   others. */

/* ---- binding ---- */

/* The context for binding a tree. */
typedef struct taco__pred_binder {
    taco__arena *arena;
    const taco_field *columns; /* of the table, which the tree borrows */
    size_t n;
    /* by column, what it is cast to before it is tested, NULL: as stored; the whole may be NULL */
    const taco_field *const *as;
    taco__pred_cast cast;
    taco_error *err;
} taco__pred_binder;

/* Keys from lo to hi, both ends included; empty where lo is above hi. */
typedef struct taco__key_range {
    taco__i256 lo, hi;
} taco__key_range;

/* ---- predicate_test.c ---- */

TACO__FN taco__i256 taco__pred_test_key_step(taco__i256 a, int64_t by);
TACO__FN taco__test *taco__pred_test_init(taco__pred_binder *b, taco__expr *e, const taco__expr *c,
                                          taco__test_mode mode, size_t n);
TACO__FN void taco__pred_test_set_ranges(taco__test *t, taco__key_range *p, size_t n,
                                         const taco__scalar_type *type);
TACO__FN bool taco__pred_test_from_compare(taco__pred_binder *b, taco__expr *e, const taco__expr *c,
                                           taco__compare_op op, const taco__expr *k,
                                           taco__compare_domain dom);
TACO__FN bool taco__pred_test_from_list(taco__pred_binder *b, taco__expr *e,
                                        const taco__scalar_type *type);
TACO__FN bool taco__pred_test_merge(taco__expr *a, const taco__expr *b);

/* ---- evaluating ---- */

/* A piece of scratch memory, followed by its bytes. */
typedef struct taco__pred_eval_block {
    struct taco__pred_eval_block *next;
    size_t size, used;
} taco__pred_eval_block;

/* The state of evaluating a tree over one batch. Every node fills two bitmaps, yes and valid, where
   yes is a subset of valid: FALSE is valid and not yes. They are arrays of 64-bit words whose bits
   after the last row are 0. */
typedef struct taco__pred_eval_state {
    const taco_array **columns; /* by table column; NULL if the tree does not read it */
    size_t rows, words;         /* rows of the batch; words of a bitmap */
    taco__mem *mem;
    taco__pred_eval_block *blocks; /* scratch, newest first */
    taco__arena casts;             /* columns that are not tested as stored */
    taco_error *err;
} taco__pred_eval_state;

/* ---- predicate_eval.c ---- */

TACO__FN void taco__pred_eval_release(taco__pred_eval_state *v, taco__pred_eval_block *block,
                                      size_t used);
TACO__FN uint64_t *taco__pred_eval_alloc_bitmap(taco__pred_eval_state *v);
TACO__FN void taco__pred_eval_load_bitmap(const uint8_t *bitmap, size_t rows, uint64_t *out);
TACO__FN void taco__pred_eval_fill_bitmap(const taco__pred_eval_state *v, uint64_t *bits, bool set);
TACO__FN const taco_array *taco__pred_eval_column(taco__pred_eval_state *v, const taco__expr *e);
TACO__FN bool taco__pred_eval_call_custom(taco__pred_eval_state *v, const taco__expr *e,
                                          const taco_array *a, size_t rows, uint64_t *yes,
                                          uint64_t *valid);
TACO__FN bool taco__pred_eval_node(taco__pred_eval_state *v, const taco__expr *e, bool only_true,
                                   uint64_t *yes, uint64_t *valid);

/* ---- predicate_compare.c ---- */

TACO__FN bool taco__pred_compare(taco__pred_eval_state *v, const taco__expr *e, uint64_t *yes,
                                 uint64_t *valid);
TACO__FN bool taco__pred_compare_like(taco__pred_eval_state *v, const taco__expr *e, uint64_t *yes,
                                      uint64_t *valid);

/* The bits of a bitmap's last word that belong to rows; rows > 0. */
TACO__INLINE uint64_t taco__pred_eval_last_word(size_t rows)
{
    return rows % 64 ? UINT64_MAX >> (64 - rows % 64) : UINT64_MAX;
}

/* ---- predicate_kernels.c ---- */

/* Number of rows whose values are converted at a time, a multiple of 64. */
#define TACO__PRED_KERNEL_STEP 512

/* Packs 64 results, bytes of 0 or 1, into a word: eight bytes into eight bits by a multiplication
   that moves bit 0 of byte i to bit 56 + i. */
TACO__INLINE uint64_t taco__pred_kernel_pack_flags(const uint8_t *flags)
{
    uint64_t w = 0;
    int i;
#ifdef TACO_SMALL
    for (i = 64; i--;) {
        w = w << 1 | flags[i];
    }
#else
    for (i = 0; i < 8; i++) {
        w |= ((taco__load_le64(flags + i * 8) * UINT64_C(0x0102040810204080)) >> 56) << i * 8;
    }
#endif
    return w;
}

/* A loop inside a function that has n and out: sets the bit of each `row` for which the condition
   holds. For conditions that need the row's number and do not vectorise. No word is written twice,
   so that no row waits for the one before it. */
#define TACO__PRED_KERNEL_EACH(condition)                                                          \
    {                                                                                              \
        uint8_t flags[64] = {0};                                                                   \
        size_t row = 0, bit;                                                                       \
        while (row < n) {                                                                          \
            size_t more = TACO__MIN(n - row, (size_t)64);                                          \
            for (bit = 0; bit < more; bit++, row++) {                                              \
                flags[bit] = (uint8_t)(condition);                                                 \
            }                                                                                      \
            memset(flags + more, 0, 64 - more);                                                    \
            out[(row - 1) / 64] = taco__pred_kernel_pack_flags(flags);                             \
        }                                                                                          \
    }

/* Bytes of row i of a TEXT, BINARY, FIXED, UUID or wide DECIMAL array without a dictionary. */
TACO__INLINE taco_bytes taco__pred_kernel_bytes(const taco_array *a, size_t i)
{
    taco_bytes b;
    if (a->offsets) {
        b.data = a->v.u8 + a->offsets[i];
        b.len = (size_t)(a->offsets[i + 1] - a->offsets[i]);
    } else {
        b.len = (size_t)a->field->width;
        b.data = a->v.u8 + i * b.len;
    }
    return b;
}

TACO__FN void taco__pred_kernel_range_i32(const int32_t *x, size_t n, uint64_t *out, int32_t lo,
                                          int32_t hi);
TACO__FN void taco__pred_kernel_keys(const taco_array *a, size_t from, size_t n, int64_t *out);
TACO__FN taco__i256 taco__pred_kernel_decimal_key(const taco_array *a, size_t i);
TACO__FN bool taco__pred_kernel_in_byte_range(const taco__test *t, taco_bytes b);
TACO__FN void taco__pred_kernel_test(const taco_array *a, size_t n, const taco__test *t,
                                     uint64_t *out);
TACO__FN void taco__pred_kernel_look_up(const int32_t *index, size_t n, const uint8_t *pass,
                                        uint32_t from, uint32_t entries, uint64_t *out);

#endif /* TACO__PREDICATE_H */
