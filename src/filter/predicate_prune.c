/* predicate_prune.c - run a bound condition over batches, or over statistics. */
#include "filter.h"
#include "../base/base.h"

/* ---- pruning: which results the rows of a range may have ---- */

/* False when the range is known not to hold the number of that key. */
static bool taco__pred_prune_may_hold(const taco__scalar_type *type, const taco__column_stats *r,
                                      const taco__i256 *key)
{
    taco__scalar v = taco__scalar_from_key(type, *key);
    uint8_t plain[8];
    size_t n = r->physical == 1 || r->physical == 4 ? 4 : 8;
    if (!r->holds) { return true; }
    switch (type->id) {
    case TACO_INT32:
    case TACO_UINT32:
    case TACO_INT64:
    case TACO_UINT64:
    case TACO_DATE:
    case TACO_TIME:
    case TACO_TIMESTAMP:
    case TACO_DECIMAL: /* narrower integers are stored wide and cut when they are read */
        if (r->physical != 1 && r->physical != 2) { return true; }
        taco__put_le64(plain, v.d.w[0]);
        return r->holds(r->holds_ctx, taco__bytes_of(plain, n));
    case TACO_FLOAT:
    case TACO_DOUBLE:
        if ((r->physical != 4 && r->physical != 5) || v.f != v.f) { return true; }
        if (v.f == 0) { /* -0 equals 0 */
            memset(plain, 0, 8);
            if (r->holds(r->holds_ctx, taco__bytes_of(plain, n))) { return true; }
            plain[n - 1] = 0x80;
            return r->holds(r->holds_ctx, taco__bytes_of(plain, n));
        }
        taco__put_le64(plain, n == 4 ? taco__f32_to_bits((float)v.f) : taco__f64_to_bits(v.f));
        return r->holds(r->holds_ctx, taco__bytes_of(plain, n));
    default: return true;
    }
}

/* The values of the column lie in [min, max] by key; a set of MAY_TRUE (some value inside the
   ranges) and MAY_FALSE. */
static unsigned taco__pred_prune_keys(const taco__test *t, const taco__scalar_type *type,
                                      const taco__column_stats *r)
{
    taco__i256 lo, hi, inf, nan;
    unsigned may = 0;
    size_t i;
    bool nans = taco__scalar_is_float(type->id), inside = false, nan_in = false;
    taco__scalar_key_bounds(type, &lo, &hi);
    nan = hi;
    inf = taco__i256_from_i64(type->id == TACO_DOUBLE ? TACO__SCALAR_INF64_KEY
                                                      : TACO__SCALAR_INF32_KEY);
    if (r->has_min) { lo = taco__scalar_to_key(&r->min); }
    if (r->has_max) {
        hi = taco__scalar_to_key(&r->max);
    } else if (nans) {
        hi = inf;
    }
    for (i = 0; i < t->n; i++) {
        if (taco__i256_compare(&t->lo[i], &hi) <= 0 && taco__i256_compare(&lo, &t->hi[i]) <= 0 &&
            (taco__i256_compare(&t->lo[i], &t->hi[i]) != 0 ||
             taco__pred_prune_may_hold(type, r, &t->lo[i]))) {
            may |= TACO__MAY_TRUE;
        }
        inside = inside || (taco__i256_compare(&t->lo[i], &lo) <= 0 &&
                            taco__i256_compare(&hi, &t->hi[i]) <= 0);
        nan_in = nan_in || taco__i256_compare(&t->hi[i], &nan) >= 0;
    }
    may |= inside ? 0U : (unsigned)TACO__MAY_FALSE;
    if (nans) { /* the bounds never speak of NaN: any float column may hold some */
        may |= nan_in ? (unsigned)TACO__MAY_TRUE : (unsigned)TACO__MAY_FALSE;
    }
    return may;
}

/* The same for bytes. Bounds may be cut, but all values lie between them. */
static unsigned taco__pred_prune_bytes(const taco__test *t, const taco__column_stats *r)
{
    taco_bytes min = r->min.b, max = r->max.b;
    bool all = r->has_min && r->has_max;
    unsigned may = 0;
    size_t i, n = t->like.fixed.len;
    if (t->mode == TACO__TEST_LIST) {
        for (i = 0; i < t->n; i++) {
            if ((!r->has_min || taco__bytes_compare(t->list[i], min) >= 0) &&
                (!r->has_max || taco__bytes_compare(t->list[i], max) <= 0) &&
                (!r->holds || r->holds(r->holds_ctx, t->list[i]))) {
                may |= TACO__MAY_TRUE;
            }
        }
        return may | (all && may && taco__bytes_equal(min, max) ? 0U : (unsigned)TACO__MAY_FALSE);
    }
    if (t->mode == TACO__TEST_RANGE) {
        int above = t->has_high && r->has_min ? taco__bytes_compare(min, t->high) : -1;
        int below = t->has_low && r->has_max ? taco__bytes_compare(max, t->low) : 1;
        may = (t->open_high ? above < 0 : above <= 0) && (t->open_low ? below > 0 : below >= 0)
                  ? (unsigned)TACO__MAY_TRUE
                  : 0U;
        if (!(all && taco__pred_kernel_in_byte_range(t, min) &&
              taco__pred_kernel_in_byte_range(t, max))) {
            may |= TACO__MAY_FALSE;
        }
        return may;
    }
    if (t->like.mode == TACO__LIKE_SUFFIX || t->like.mode == TACO__LIKE_INFIX) {
        return TACO__MAY_TRUE | (n ? (unsigned)TACO__MAY_FALSE : 0U);
    }
    /* EQUAL, PREFIX and FULL begin with `fixed`: everything between two texts that do does too */
    may = TACO__MAY_TRUE | TACO__MAY_FALSE;
    if ((r->has_max && taco__bytes_compare(max, t->like.fixed) < 0) ||
        (r->has_min &&
         taco__bytes_compare(taco__bytes_of(min.data, TACO__MIN(min.len, n)), t->like.fixed) > 0)) {
        may = TACO__MAY_FALSE;
    } else if (t->like.mode == TACO__LIKE_PREFIX && all && min.len >= n && max.len >= n &&
               (n == 0 || (memcmp(min.data, t->like.fixed.data, n) == 0 &&
                           memcmp(max.data, t->like.fixed.data, n) == 0))) {
        may = TACO__MAY_TRUE;
    }
    return may;
}

/* Whether knowing more of a column than its bounds may help: a condition on it alone, or one that
   asks for single values (`points`). */
TACO__FN bool taco__pred_prune_needs_more(const taco__expr *e, size_t column, bool points)
{
    const taco__expr *c;
    size_t i;
    if (e->kind == TACO__PRED_TEST && e->column == column) {
        const taco__test *t = e->test;
        for (i = 0; points && t->mode == TACO__TEST_KEYS && i < t->n; i++) {
            if (taco__i256_compare(&t->lo[i], &t->hi[i]) == 0) { return true; }
        }
        return !points || t->mode == TACO__TEST_LIST;
    }
    if (e->kind == TACO__PRED_CUSTOM && e->column == column) { return !points; }
    for (c = e->first; c; c = c->next) {
        if (taco__pred_prune_needs_more(c, column, points)) { return true; }
    }
    return false;
}

/* The results that a caller's function gives for the entries, and for NULL where `null` is set. */
static unsigned taco__pred_prune_custom_entries(const taco__expr *e, const taco_array *a,
                                                taco__mem *mem)
{
    taco__pred_eval_state v;
    unsigned may = 0;
    uint64_t *yes, *valid;
    size_t i;
    memset(&v, 0, sizeof v);
    v.mem = mem;
    v.rows = a->length;
    v.words = (v.rows + 63) / 64;
    yes = taco__pred_eval_alloc_bitmap(&v);
    valid = taco__pred_eval_alloc_bitmap(&v);
    if (!yes || !valid || !taco__pred_eval_call_custom(&v, e, a, v.rows, yes, valid)) {
        may = TACO__MAY_ANY;
    } else {
        for (i = 0; i < v.words; i++) {
            uint64_t rows = i + 1 == v.words ? taco__pred_eval_last_word(v.rows) : UINT64_MAX;
            may |= yes[i] ? (unsigned)TACO__MAY_TRUE : 0U;
            may |= valid[i] & ~yes[i] ? (unsigned)TACO__MAY_FALSE : 0U;
            may |= rows & ~valid[i] ? (unsigned)TACO__MAY_NULL : 0U;
        }
    }
    taco__pred_eval_release(&v, NULL, 0);
    return may;
}

static unsigned taco__pred_prune_custom(const taco__expr *e, const taco__column_stats *r)
{
    static const uint8_t zeros[64] = {0};
    unsigned may = e->custom.prune ? e->custom.prune(e->custom.ctx, r) : (unsigned)TACO__MAY_ANY;
    unsigned have = 0;
    if (!r->entries) { return may; }
    if (r->entries->length && !(r->row_count >= 0 && r->null_count == r->row_count)) {
        have = taco__pred_prune_custom_entries(e, r->entries, r->mem);
    }
    if (r->null_count != 0) { /* what it says of a NULL it is asked, too */
        taco_array null = *r->entries;
        null.length = null.null_count = 1;
        null.validity = zeros;
        null.offsets = null.offsets ? (const int32_t *)(const void *)zeros : NULL;
        null.v.any = zeros;
        have |= e->field->width > (int32_t)sizeof zeros
                    ? (unsigned)TACO__MAY_ANY
                    : taco__pred_prune_custom_entries(e, &null, r->mem);
    }
    return may & have;
}

/* Outcomes of a test on the entries. */
static unsigned taco__pred_prune_entries(const taco__expr *e, const taco__column_stats *r)
{
    const taco_array *a = r->entries;
    taco__pred_eval_state v;
    uint64_t *in;
    size_t i;
    unsigned may = 0;
    memset(&v, 0, sizeof v);
    v.mem = r->mem;
    v.words = (a->length + 63) / 64;
    in = a->field->type == e->field->type && a->length ? taco__pred_eval_alloc_bitmap(&v) : NULL;
    if (!in) { return a->length ? TACO__MAY_TRUE | TACO__MAY_FALSE : 0; }
    taco__pred_kernel_test(a, a->length, e->test, in);
    for (i = 0; i < v.words; i++) {
        uint64_t rows = i + 1 == v.words ? taco__pred_eval_last_word(a->length) : UINT64_MAX;
        may |= in[i] & rows ? (unsigned)TACO__MAY_TRUE : 0U;
        may |= ~in[i] & rows ? (unsigned)TACO__MAY_FALSE : 0U;
    }
    taco__pred_eval_release(&v, NULL, 0);
    return may;
}

/* A TEST against bounds: the values first, then NULLs, then NOT, in the order taco__pred_eval_test
   has them. */
static unsigned taco__pred_prune_test(const taco__expr *e, const taco__column_stats *r)
{
    const taco__test *t = e->test;
    taco__scalar_type type = taco__scalar_type_of_field(e->field);
    bool only_nulls = r->row_count >= 0 && r->null_count == r->row_count;
    unsigned may = only_nulls                   ? 0
                   : t->mode == TACO__TEST_KEYS ? taco__pred_prune_keys(t, &type, r)
                                                : taco__pred_prune_bytes(t, r);
    if (may && r->entries) { may &= taco__pred_prune_entries(e, r); }
    if (t->null_rest && (may & TACO__MAY_FALSE)) {
        may = (may & ~(unsigned)TACO__MAY_FALSE) | TACO__MAY_NULL;
    }
    if (r->null_count != 0) { may |= t->null_false ? TACO__MAY_FALSE : TACO__MAY_NULL; }
    if (e->neg) {
        may = (may & TACO__MAY_NULL) | (may & TACO__MAY_TRUE ? (unsigned)TACO__MAY_FALSE : 0U) |
              (may & TACO__MAY_FALSE ? (unsigned)TACO__MAY_TRUE : 0U);
    }
    return may;
}

/* IS turns results of its operand into TRUE and FALSE. */
static unsigned taco__pred_prune_is(const taco__expr *e, unsigned child)
{
    unsigned yes = e->is == TACO__IS_NULL   ? TACO__MAY_NULL
                   : e->is == TACO__IS_TRUE ? TACO__MAY_TRUE
                                            : TACO__MAY_FALSE;
    unsigned in = (child & yes) != 0, out = (child & ~yes) != 0;
    return (in ? (e->neg ? (unsigned)TACO__MAY_FALSE : (unsigned)TACO__MAY_TRUE) : 0U) |
           (out ? (e->neg ? (unsigned)TACO__MAY_TRUE : (unsigned)TACO__MAY_FALSE) : 0U);
}

/* The results that rows of a row group or page may have: a set of taco__outcomes that misses none.
   Without MAY_TRUE nothing matches; MAY_TRUE alone means that every row does. ranges is indexed as
   the columns were when e was bound; entries of columns that e does not read are not looked at. */
TACO__FN unsigned taco__pred_prune(const taco__expr *e, const taco__column_stats *ranges)
{
    const taco__expr *c;
    unsigned may, both;
    switch (e->kind) {
    case TACO__PRED_CONST:
        return e->type.id == TACO_NULL ? TACO__MAY_NULL
               : e->value.d.w[0]       ? TACO__MAY_TRUE
                                       : TACO__MAY_FALSE;
    case TACO__PRED_TEST: return taco__pred_prune_test(e, &ranges[e->column]);
    case TACO__PRED_CUSTOM: return taco__pred_prune_custom(e, &ranges[e->column]);
    case TACO__PRED_NOT:
        may = taco__pred_prune(e->first, ranges);
        return (may & TACO__MAY_NULL) | (may & TACO__MAY_TRUE ? (unsigned)TACO__MAY_FALSE : 0U) |
               (may & TACO__MAY_FALSE ? (unsigned)TACO__MAY_TRUE : 0U);
    case TACO__PRED_IS:
        c = e->first;
        if (c->kind == TACO__PRED_COLUMN) {
            const taco__column_stats *r = &ranges[c->column];
            may = (r->null_count != 0 ? (unsigned)TACO__MAY_NULL : 0U) |
                  (r->row_count >= 0 && r->null_count == r->row_count ? 0U
                                                                      : (unsigned)TACO__MAY_TRUE);
            return taco__pred_prune_is(e, may);
        }
        return taco__pred_prune_is(e, taco__pred_prune(c, ranges));
    case TACO__PRED_AND:
    case TACO__PRED_OR: /* TRUE and FALSE trade places between the two */
        both = e->kind == TACO__PRED_AND ? TACO__MAY_TRUE : TACO__MAY_FALSE;
        may = taco__pred_prune(e->first, ranges);
        for (c = e->first->next; c && may != (both ^ (TACO__MAY_TRUE | TACO__MAY_FALSE));
             c = c->next) {
            unsigned m = taco__pred_prune(c, ranges), r = 0,
                     decide = both ^ (TACO__MAY_TRUE | TACO__MAY_FALSE);
            r |= (may | m) & decide;
            r |= may & m & both;
            r |= (may & TACO__MAY_NULL) && (m & (TACO__MAY_NULL | both)) ? (unsigned)TACO__MAY_NULL
                                                                         : 0U;
            r |= (m & TACO__MAY_NULL) && (may & (TACO__MAY_NULL | both)) ? (unsigned)TACO__MAY_NULL
                                                                         : 0U;
            may = r;
        }
        return may;
    default: return TACO__MAY_ANY;
    }
}
