/* predicate_prune.c - evaluates a bound predicate on statistics: which results its rows may have

   In: a bound tree and, for each of its columns, what is known about the values of a row group or
   page (taco__column_stats: bounds, numbers of NULLs and rows, a bloom filter, the dictionary).
   Out: a set of taco__outcomes with every result that some row has. Without MAY_TRUE no row matches
   and nothing needs to be read; MAY_TRUE alone means that all match and nothing needs to be
   evaluated.

   The set may be too large, never too small: bounds that are missing or of another type prove
   nothing. It is computed as the rows are (predicate_eval.c): tests of values first, then NULLs,
   then NOT; AND and OR join sets as if their operands were independent. Start reading at
   taco__pred_prune. */
#include "predicate.h"
#include "../base/base.h"
#include "../parquet/parquet.h"

/* NOT: swaps TRUE and FALSE. */
static unsigned taco__pred_prune_invert(unsigned may)
{
    return (may & TACO__MAY_NULL) | (may & TACO__MAY_TRUE ? (unsigned)TACO__MAY_FALSE : 0U) |
           (may & TACO__MAY_FALSE ? (unsigned)TACO__MAY_TRUE : 0U);
}

/* Whether all rows of the range are NULL; whether some may be. */
static bool taco__pred_prune_only_nulls(const taco__column_stats *r)
{
    return r->row_count >= 0 && r->null_count == r->row_count;
}

static bool taco__pred_prune_may_be_null(const taco__column_stats *r)
{
    return r->null_count != 0;
}

/* ---- tests of keys ---- */

/* False if the bloom filter of the range excludes a floating-point number of n bytes. -0 equals 0,
   so both are looked up. */
static bool taco__pred_prune_may_hold_float(const taco__column_stats *r, double x, size_t n)
{
    uint8_t plain[8];
    if (taco__f64_is_zero(x)) {
        memset(plain, 0, sizeof plain);
        if (r->holds(r->holds_ctx, taco__bytes_of(plain, n))) { return true; }
        plain[n - 1] = 0x80;
    } else {
        taco__put_le64(plain,
                       n == 4 ? taco__f32_to_bits(taco__num_f64_to_f32(x)) : taco__f64_to_bits(x));
    }
    return r->holds(r->holds_ctx, taco__bytes_of(plain, n));
}

/* False if the bloom filter of the range excludes the number with that key, which is inside bounds
   and so not NaN. A filter has the PLAIN
   bytes of the physical type (parquet-format "BloomFilter.md"). */
static bool taco__pred_prune_may_hold(const taco__scalar_type *type, const taco__column_stats *r,
                                      const taco__i256 *key)
{
    taco__scalar v = taco__scalar_from_key(type, *key);
    uint8_t plain[8];
    size_t n = r->physical == TACO__PQ_INT32 || r->physical == TACO__PQ_FLOAT ? 4 : 8;
    if (!r->holds) { return true; }
    switch (type->id) {
    case TACO_INT32:
    case TACO_UINT32:
    case TACO_INT64:
    case TACO_UINT64:
    case TACO_DATE:
    case TACO_TIME:
    case TACO_TIMESTAMP:
    case TACO_DECIMAL: /* narrower integers are stored wide and truncated when read */
        if (r->physical != TACO__PQ_INT32 && r->physical != TACO__PQ_INT64) { return true; }
        taco__put_le64(plain, v.d.w[0]);
        return r->holds(r->holds_ctx, taco__bytes_of(plain, n));
    case TACO_FLOAT:
    case TACO_DOUBLE:
        if (r->physical != TACO__PQ_FLOAT && r->physical != TACO__PQ_DOUBLE) { return true; }
        return taco__pred_prune_may_hold_float(r, v.f, n);
    default: return true;
    }
}

/* The least and greatest key of the range from its bounds, or of the type if there are none. Bounds
   never cover NaN, so without one the greatest is infinity. */
static void taco__pred_prune_key_bounds(const taco__scalar_type *type, const taco__column_stats *r,
                                        taco__i256 *lo, taco__i256 *hi)
{
    taco__scalar_key_bounds(type, lo, hi);
    if (r->has_min) { *lo = taco__scalar_to_key(&r->min); }
    if (r->has_max) {
        *hi = taco__scalar_to_key(&r->max);
    } else if (taco__scalar_is_float(type->id)) {
        *hi = taco__i256_from_i64(type->id == TACO_DOUBLE ? TACO__SCALAR_INF64_KEY
                                                          : TACO__SCALAR_INF32_KEY);
    }
}

/* A test of keys against bounds, without NULLs: MAY_TRUE if some value may be inside its ranges,
   MAY_FALSE if some may be outside. */
static unsigned taco__pred_prune_keys(const taco__test *t, const taco__scalar_type *type,
                                      const taco__column_stats *r)
{
    taco__i256 lo, hi, least, nan;
    unsigned may = 0;
    size_t i;
    bool inside = false, nan_in = false;
    taco__scalar_key_bounds(type, &least, &nan);
    taco__pred_prune_key_bounds(type, r, &lo, &hi);
    for (i = 0; i < t->n; i++) {
        const taco__i256 *from = &t->lo[i], *to = &t->hi[i];
        bool one = taco__i256_compare(from, to) == 0;
        if (taco__i256_compare(from, &hi) <= 0 && taco__i256_compare(&lo, to) <= 0 &&
            (!one || taco__pred_prune_may_hold(type, r, from))) {
            may |= TACO__MAY_TRUE;
        }
        inside = inside || (taco__i256_compare(from, &lo) <= 0 && taco__i256_compare(&hi, to) <= 0);
        nan_in = taco__i256_compare(to, &nan) >= 0; /* the last range is the highest */
    }
    may |= inside ? 0U : (unsigned)TACO__MAY_FALSE;
    if (taco__scalar_is_float(type->id)) { /* any such column may hold NaN */
        may |= nan_in ? (unsigned)TACO__MAY_TRUE : (unsigned)TACO__MAY_FALSE;
    }
    return may;
}

/* ---- tests of bytes: bounds may be cut, but all values are between them ---- */

/* A list against bounds. */
static unsigned taco__pred_prune_list(const taco__test *t, const taco__column_stats *r)
{
    taco_bytes min = r->min.b, max = r->max.b;
    unsigned may = 0;
    size_t i;
    for (i = 0; i < t->n; i++) {
        if ((!r->has_min || taco__bytes_compare(t->list[i], min) >= 0) &&
            (!r->has_max || taco__bytes_compare(t->list[i], max) <= 0) &&
            (!r->holds || r->holds(r->holds_ctx, t->list[i]))) {
            may |= TACO__MAY_TRUE;
        }
    }
    /* one value in all rows, and it is in the list */
    if (may && r->has_min && r->has_max && taco__bytes_equal(min, max)) { return may; }
    return may | TACO__MAY_FALSE;
}

/* A range against bounds. */
static unsigned taco__pred_prune_byte_range(const taco__test *t, const taco__column_stats *r)
{
    taco_bytes min = r->min.b, max = r->max.b;
    /* if the minimum is above the upper end, or the maximum below the lower end, no value is
       inside */
    int above = t->has_high && r->has_min ? taco__bytes_compare(min, t->high) : -1;
    int below = t->has_low && r->has_max ? taco__bytes_compare(max, t->low) : 1;
    bool some = (t->open_high ? above < 0 : above <= 0) && (t->open_low ? below > 0 : below >= 0);
    bool all = r->has_min && r->has_max && taco__pred_kernel_in_byte_range(t, min) &&
               taco__pred_kernel_in_byte_range(t, max);
    return (some ? (unsigned)TACO__MAY_TRUE : 0U) | (all ? 0U : (unsigned)TACO__MAY_FALSE);
}

/* A pattern against bounds. EQUAL, PREFIX and FULL begin with `fixed`: so does everything between
   two texts that do. */
static unsigned taco__pred_prune_pattern(const taco__like_pattern *like,
                                         const taco__column_stats *r)
{
    taco_bytes min = r->min.b, max = r->max.b, fixed = like->fixed;
    size_t n = fixed.len;
    if (like->mode == TACO__LIKE_SUFFIX || like->mode == TACO__LIKE_INFIX) {
        return TACO__MAY_TRUE | (n ? (unsigned)TACO__MAY_FALSE : 0U);
    }
    if ((r->has_max && taco__bytes_compare(max, fixed) < 0) ||
        (r->has_min &&
         taco__bytes_compare(taco__bytes_of(min.data, TACO__MIN(min.len, n)), fixed) > 0)) {
        return TACO__MAY_FALSE;
    }
    if (like->mode == TACO__LIKE_PREFIX && r->has_min && r->has_max && min.len >= n &&
        max.len >= n &&
        (n == 0 ||
         (memcmp(min.data, fixed.data, n) == 0 && memcmp(max.data, fixed.data, n) == 0))) {
        return TACO__MAY_TRUE;
    }
    return TACO__MAY_TRUE | TACO__MAY_FALSE;
}

/* ---- more than bounds ---- */

/* Whether more information about a column than its bounds may help: some condition is on it alone,
   or with `points` looks up single values, which bloom filters can answer. */
TACO__FN bool taco__pred_prune_needs_more(const taco__expr *e, size_t column, bool points)
{
    const taco__expr *c;
    size_t i;
    if (!TACO__WITH_PRUNING) { return false; }
    if (e->kind == TACO__PRED_TEST && e->column == column) {
        const taco__test *t = e->test;
        for (i = 0; points && t->mode == TACO__TEST_KEYS && i < t->n; i++) {
            if (taco__i256_compare(&t->lo[i], &t->hi[i]) == 0) { return true; }
        }
        return !points || t->mode == TACO__TEST_LIST;
    }
    if (e->kind == TACO__PRED_CUSTOM && e->column == column) {
        return !points && !e->custom.eval_with;
    }
    for (c = e->first; c; c = c->next) {
        if (taco__pred_prune_needs_more(c, column, points)) { return true; }
    }
    return false;
}

/* The results that a caller's function gives for the values of an array; all, if it fails. */
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
    valid = yes ? taco__pred_eval_alloc_bitmap(&v) : NULL; /* in the block of yes */
    if (!valid || !taco__pred_eval_call_custom(&v, e, a, v.rows, yes, valid)) {
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

/* A CUSTOM: the results its prune function derives from the bounds, narrowed by those for each
   dictionary entry. */
static unsigned taco__pred_prune_custom(const taco__expr *e, const taco__column_stats *ranges)
{
    static const uint64_t zeros[8] = {0}; /* aligned for every number that an array holds */
    const taco__custom_predicate *p = &e->custom;
    const taco__column_stats *r = &ranges[e->column];
    unsigned may, have = 0;
    if (p->eval_with) {
        return p->prune_with ? p->prune_with(p->ctx, r, &ranges[p->with]) : (unsigned)TACO__MAY_ANY;
    }
    may = p->prune ? p->prune(p->ctx, r) : (unsigned)TACO__MAY_ANY;
    if (!r->entries) { return may; }
    if (r->entries->length && !taco__pred_prune_only_nulls(r)) {
        have = taco__pred_prune_custom_entries(e, r->entries, r->mem);
    }
    if (taco__pred_prune_may_be_null(r)) { /* also evaluated on a NULL */
        taco_array null = *r->entries;
        null.length = null.null_count = 1;
        null.validity = (const uint8_t *)zeros;
        null.offsets = null.offsets ? (const int32_t *)(const void *)zeros : NULL;
        null.v.any = zeros;
        have |= e->field->width > (int32_t)sizeof zeros
                    ? (unsigned)TACO__MAY_ANY
                    : taco__pred_prune_custom_entries(e, &null, r->mem);
    }
    return may & have;
}

/* A test on the entries of a dictionary, without NULLs. */
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

/* ---- nodes ---- */

/* The values of a TEST, before NULLs, NOT and dictionaries. */
static unsigned taco__pred_prune_values(const taco__expr *e, const taco__column_stats *r)
{
    const taco__test *t = e->test;
    taco__scalar_type type = taco__scalar_type_of_field(e->field);
    switch (t->mode) {
    case TACO__TEST_KEYS: return taco__pred_prune_keys(t, &type, r);
    case TACO__TEST_LIST: return taco__pred_prune_list(t, r);
    case TACO__TEST_RANGE: return taco__pred_prune_byte_range(t, r);
    default:
        return TACO__WITH_LIKE ? taco__pred_prune_pattern(&t->like, r) : (unsigned)TACO__MAY_ANY;
    }
}

/* A bound of stored values as one of the values that they are cast to; false if the cast does not
   keep their order, or nothing is known of it. Casts to a type that holds both round to nearest, as
   here. */
static bool taco__pred_prune_cast_bound(const taco__scalar_type *to, taco__scalar *v)
{
    const taco__scalar_type from = v->type;
    int32_t digits = to->id == TACO_DECIMAL ? to->scale : 0;
    if (taco__scalar_is_float(to->id) && taco__scalar_is_number(from.id)) {
        v->f = taco__scalar_to_double(v, to->id == TACO_FLOAT);
    } else if (to->id == TACO_TIMESTAMP && from.id == TACO_DATE) {
        digits = 3 * ((int32_t)to->unit - (int32_t)TACO_SECOND);
        if (!taco__i256_multiply_add(&v->d, 86400, 0)) { return false; }
    } else if (to->id == from.id && (to->id == TACO_TIMESTAMP || to->id == TACO_TIME)) {
        digits = 3 * ((int32_t)to->unit - (int32_t)from.unit);
    } else if ((to->id != TACO_DECIMAL && !taco__scalar_is_int(to->id)) ||
               (from.id != TACO_DECIMAL && !taco__scalar_is_int(from.id))) {
        return false;
    }
    if (!taco__scalar_is_float(to->id)) {
        digits -= from.id == TACO_DECIMAL ? from.scale : 0;
        if (digits < 0 || !taco__i256_mul10(&v->d, digits)) { return false; }
    }
    v->type = *to;
    return true;
}

/* What the statistics of a column say about its values as they are tested: bounds, where a cast
   keeps their order; bloom filters and dictionaries have stored values. */
static void taco__pred_prune_cast_stats(const taco__expr *e, const taco__column_stats *r,
                                        taco__column_stats *out)
{
    taco__scalar_type to = taco__scalar_type_of_field(e->field);
    *out = *r;
    out->has_min = r->has_min && taco__pred_prune_cast_bound(&to, &out->min);
    out->has_max = r->has_max && taco__pred_prune_cast_bound(&to, &out->max);
    out->holds = NULL;
    out->entries = NULL;
}

/* A TEST: values first, then NULLs, then NOT, in the order of taco__pred_eval_test. */
static unsigned taco__pred_prune_test(const taco__expr *e, const taco__column_stats *r)
{
    const taco__test *t = e->test;
    taco__column_stats cast;
    unsigned may;
    if (e->cast) {
        taco__pred_prune_cast_stats(e, r, &cast);
        r = &cast;
    }
    may = taco__pred_prune_only_nulls(r) ? 0 : taco__pred_prune_values(e, r);
    if (may && r->entries) { may &= taco__pred_prune_entries(e, r); }
    if (t->null_rest && (may & TACO__MAY_FALSE)) {
        may = (may & ~(unsigned)TACO__MAY_FALSE) | TACO__MAY_NULL;
    }
    if (taco__pred_prune_may_be_null(r)) {
        may |= t->null_false ? TACO__MAY_FALSE : TACO__MAY_NULL;
    }
    return e->neg ? taco__pred_prune_invert(may) : may;
}

/* IS turns results of its operand, `child`, into TRUE and FALSE. */
static unsigned taco__pred_prune_is(const taco__expr *e, unsigned child)
{
    unsigned yes = e->is == TACO__IS_NULL   ? TACO__MAY_NULL
                   : e->is == TACO__IS_TRUE ? TACO__MAY_TRUE
                                            : TACO__MAY_FALSE;
    unsigned may = (child & yes ? (unsigned)TACO__MAY_TRUE : 0U) |
                   (child & ~yes ? (unsigned)TACO__MAY_FALSE : 0U);
    return e->neg ? taco__pred_prune_invert(may) : may;
}

/* The operand of an IS: for a column only matters whether there are NULLs. */
static unsigned taco__pred_prune_is_operand(const taco__expr *c, const taco__column_stats *ranges)
{
    const taco__column_stats *r;
    if (c->kind != TACO__PRED_COLUMN) { return taco__pred_prune(c, ranges); }
    r = &ranges[c->column];
    return (taco__pred_prune_may_be_null(r) ? (unsigned)TACO__MAY_NULL : 0U) |
           (taco__pred_prune_only_nulls(r) ? 0U : (unsigned)TACO__MAY_TRUE);
}

/* The results of a AND b, or of a OR b, for any combination of theirs. One result of an operand
   decides: FALSE for AND, TRUE for OR; the opposite one, `both`, needs both operands. NULL remains
   if none decides and one is NULL. */
static unsigned taco__pred_prune_join(unsigned a, unsigned b, unsigned both)
{
    unsigned decides = both ^ (TACO__MAY_TRUE | TACO__MAY_FALSE);
    bool null = ((a & TACO__MAY_NULL) && (b & (TACO__MAY_NULL | both))) ||
                ((b & TACO__MAY_NULL) && (a & (TACO__MAY_NULL | both)));
    return ((a | b) & decides) | (a & b & both) | (null ? (unsigned)TACO__MAY_NULL : 0U);
}

/* AND, OR; stops once the result is decided for all rows. */
static unsigned taco__pred_prune_junction(const taco__expr *e, const taco__column_stats *ranges)
{
    unsigned both = e->kind == TACO__PRED_AND ? TACO__MAY_TRUE : TACO__MAY_FALSE;
    unsigned decides = both ^ (TACO__MAY_TRUE | TACO__MAY_FALSE);
    const taco__expr *c = e->first;
    unsigned may = taco__pred_prune(c, ranges);
    for (c = c->next; c && may != decides; c = c->next) {
        may = taco__pred_prune_join(may, taco__pred_prune(c, ranges), both);
    }
    return may;
}

/* The results that rows of a row group or page may have: a set of taco__outcomes that misses none.
   ranges is indexed like the columns that e was bound to; entries of columns that e does not read
   are ignored. */
TACO__FN unsigned taco__pred_prune(const taco__expr *e, const taco__column_stats *ranges)
{
    if (!TACO__WITH_PRUNING) { return TACO__MAY_ANY; }
    switch (e->kind) {
    case TACO__PRED_CONST:
        return e->type.id == TACO_NULL ? TACO__MAY_NULL
               : e->value.d.w[0]       ? TACO__MAY_TRUE
                                       : TACO__MAY_FALSE;
    case TACO__PRED_TEST: return taco__pred_prune_test(e, &ranges[e->column]);
    case TACO__PRED_CUSTOM:
        return TACO__WITH_PREDICATES ? taco__pred_prune_custom(e, ranges) : (unsigned)TACO__MAY_ANY;
    case TACO__PRED_NOT: return taco__pred_prune_invert(taco__pred_prune(e->first, ranges));
    case TACO__PRED_IS:
        return taco__pred_prune_is(e, taco__pred_prune_is_operand(e->first, ranges));
    case TACO__PRED_AND:
    case TACO__PRED_OR: return taco__pred_prune_junction(e, ranges);
    default: return TACO__MAY_ANY;
    }
}
