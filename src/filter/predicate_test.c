/* predicate_test.c - TESTs: comparisons of one column with constants, in the column's own storage

   In: a column, an operator and constants, with the domain they are compared in. Out: a taco__test,
   which predicate_kernels.c runs on whole arrays and predicate_prune.c on statistics, without
   converting a value.

   Columns of fixed width are tested by keys, integers that sort as their values do (filter.h,
   taco__scalar_to_key). A constant of any type becomes a range of the column's keys by binary
   search (taco__pred_test_first_key): x < 2.5 on an INT32 column is the keys up to 2, x = 0.1 on a
   FLOAT column is no key at all or one, exactly as DuckDB compares them. IN lists are several
   ranges. Texts, bytes and UUIDs are tested as they are: against a list, or between two of them. */
#include "predicate.h"
#include "../base/base.h"

/* ---- keys ---- */

/* The key a + by. There is room for one step beyond either end of a type. */
TACO__FN taco__i256 taco__pred_test_key_step(taco__i256 a, int64_t by)
{
    return taco__i256_add(a, taco__i256_from_i64(by));
}

/* The first key of a column of type t whose value, compared in dom, is not below c or, with strict,
   is above c; one after the last key if there is none. Every conversion DuckDB makes to compare is
   monotone, so a binary search over the keys replaces an inverse for each pair of types. */
static taco__i256 taco__pred_test_first_key(const taco__scalar_type *t, taco__compare_domain dom,
                                            const taco__scalar *c, bool strict)
{
    taco__i256 lo, hi;
    taco__scalar_key_bounds(t, &lo, &hi);
    hi = taco__pred_test_key_step(hi, 1);
    while (taco__i256_compare(&lo, &hi) < 0) {
        taco__i256 gap = taco__i256_add(hi, taco__i256_negate(lo)), mid;
        taco__scalar v;
        int i;
        for (i = 0; i < 4; i++) { /* gap is positive: half of it */
            gap.w[i] = gap.w[i] >> 1 | (i < 3 ? gap.w[i + 1] << 63 : 0);
        }
        mid = taco__i256_add(lo, gap);
        v = taco__scalar_from_key(t, mid);
        if (taco__scalar_compare(dom, &v, c) >= (strict ? 1 : 0)) {
            hi = mid;
        } else {
            lo = taco__pred_test_key_step(mid, 1);
        }
    }
    return lo;
}

/* Turns e into a TEST of column c without ranges or list items, but with room for n; NULL if there
   is no memory. */
TACO__FN taco__test *taco__pred_test_init(taco__pred_binder *b, taco__expr *e, const taco__expr *c,
                                          taco__test_mode mode, size_t n)
{
    taco__test *t = (taco__test *)taco__arena_alloc(b->arena, sizeof *t, b->err);
    if (!t) { return NULL; }
    if (mode == TACO__TEST_KEYS) {
        t->lo = (taco__i256 *)taco__arena_array(b->arena, n, sizeof *t->lo, b->err);
        t->hi = (taco__i256 *)taco__arena_array(b->arena, n, sizeof *t->hi, b->err);
        t->lo64 = (int64_t *)taco__arena_array(b->arena, n, sizeof *t->lo64, b->err);
        t->hi64 = (int64_t *)taco__arena_array(b->arena, n, sizeof *t->hi64, b->err);
        if (!t->lo || !t->hi || !t->lo64 || !t->hi64) { return NULL; }
    } else if (mode == TACO__TEST_LIST) {
        t->list = (taco_bytes *)taco__arena_array(b->arena, n, sizeof *t->list, b->err);
        if (!t->list) { return NULL; }
    }
    t->mode = mode;
    e->kind = TACO__PRED_TEST;
    e->op = TACO__OP_EQ;
    e->column = c->column;
    e->field = c->field;
    e->cast = c->cast;
    e->name = c->name;
    e->type = taco__scalar_simple_type(TACO_BOOL);
    e->test = t;
    return t;
}

/* For taco__sort: order by the lower ends of two ranges, or of two texts. */
static int taco__pred_test_compare_ranges(const void *ctx, const void *a, const void *b)
{
    (void)ctx;
    return taco__i256_compare(&((const taco__key_range *)a)->lo, &((const taco__key_range *)b)->lo);
}

static int taco__pred_test_compare_bytes(const void *ctx, const void *a, const void *b)
{
    (void)ctx;
    return taco__bytes_compare(*(const taco_bytes *)a, *(const taco_bytes *)b);
}

/* Gives the test n ranges, sorted by their lower ends: drops empty ones, joins those that touch,
   and adds their 64-bit forms. */
TACO__FN void taco__pred_test_set_ranges(taco__test *t, taco__key_range *p, size_t n,
                                         const taco__scalar_type *type)
{
    uint64_t flip = type->id == TACO_UINT64 ? (uint64_t)1 << 63 : 0;
    size_t i;
    t->n = 0;
    for (i = 0; i < n; i++) {
        taco__i256 after;
        if (taco__i256_compare(&p[i].lo, &p[i].hi) > 0) { continue; /* empty */ }
        after = t->n ? taco__pred_test_key_step(t->hi[t->n - 1], 1) : p[i].lo;
        if (t->n && taco__i256_compare(&p[i].lo, &after) <= 0) {
            if (taco__i256_compare(&p[i].hi, &t->hi[t->n - 1]) > 0) { t->hi[t->n - 1] = p[i].hi; }
            continue;
        }
        t->lo[t->n] = p[i].lo;
        t->hi[t->n++] = p[i].hi;
    }
    for (i = 0; i < t->n; i++) {
        t->lo64[i] = (int64_t)(t->lo[i].w[0] ^ flip);
        t->hi64[i] = (int64_t)(t->hi[i].w[0] ^ flip);
    }
}

/* The keys for which the comparison with c holds; for <>, those for which it does not hold, because
   they form one range. */
static taco__key_range taco__pred_test_key_range(const taco__scalar_type *t,
                                                 taco__compare_domain dom, taco__compare_op op,
                                                 const taco__scalar *c)
{
    taco__key_range p;
    taco__scalar_key_bounds(t, &p.lo, &p.hi);
    if (op == TACO__OP_EQ || op == TACO__OP_NE || op == TACO__OP_GE) {
        p.lo = taco__pred_test_first_key(t, dom, c, false);
    } else if (op == TACO__OP_GT) {
        p.lo = taco__pred_test_first_key(t, dom, c, true);
    }
    if (op == TACO__OP_EQ || op == TACO__OP_NE || op == TACO__OP_LE) {
        p.hi = taco__pred_test_key_step(taco__pred_test_first_key(t, dom, c, true), -1);
    } else if (op == TACO__OP_LT) {
        p.hi = taco__pred_test_key_step(taco__pred_test_first_key(t, dom, c, false), -1);
    }
    return p;
}

/* ---- tests ---- */

/* e becomes a test of bytes: column c op the bytes v. */
static taco__test *taco__pred_test_from_bytes(taco__pred_binder *b, taco__expr *e,
                                              const taco__expr *c, taco__compare_op op,
                                              taco_bytes v)
{
    bool list = op == TACO__OP_EQ || op == TACO__OP_NE;
    taco__test *t = taco__pred_test_init(b, e, c, list ? TACO__TEST_LIST : TACO__TEST_RANGE, 1);
    if (t && list) {
        t->list[0] = v;
        t->n = 1;
    } else if (t) {
        t->has_low = op == TACO__OP_GT || op == TACO__OP_GE;
        t->has_high = !t->has_low;
        t->low = t->high = v;
        t->open_low = t->open_high = op == TACO__OP_GT || op == TACO__OP_LT;
    }
    return t;
}

/* e, column c op constant k, becomes a TEST. */
TACO__FN bool taco__pred_test_from_compare(taco__pred_binder *b, taco__expr *e, const taco__expr *c,
                                           taco__compare_op op, const taco__expr *k,
                                           taco__compare_domain dom)
{
    taco__scalar_type type = c->type; /* a copy: c may be e, which is about to change */
    taco__scalar v = k->value;
    taco__test *t;
    bool nullsafe = e->nullsafe;
    if (dom == TACO__DOMAIN_BYTES) {
        t = taco__pred_test_from_bytes(b, e, c, op, v.b);
    } else {
        taco__key_range p = taco__pred_test_key_range(&type, dom, op, &v);
        t = taco__pred_test_init(b, e, c, TACO__TEST_KEYS, 1);
        if (t) { taco__pred_test_set_ranges(t, &p, 1, &type); }
    }
    if (t) {
        t->null_false = nullsafe;
        e->neg = op == TACO__OP_NE;
    }
    return t != NULL;
}

/* e, column IN (n constants), becomes a test of keys; NULLs among them are left out. */
static taco__test *taco__pred_test_key_list(taco__pred_binder *b, taco__expr *e,
                                            taco__compare_domain dom, size_t n)
{
    taco__expr *c = e->first, *k;
    taco__scalar_type column = c->type;
    taco__key_range *p = (taco__key_range *)taco__arena_array(b->arena, n, sizeof *p, b->err);
    taco__test *t = p ? taco__pred_test_init(b, e, c, TACO__TEST_KEYS, n) : NULL;
    n = 0;
    for (k = c->next; t && k; k = k->next) {
        if (k->type.id != TACO_NULL) {
            p[n++] = taco__pred_test_key_range(&column, dom, TACO__OP_EQ, &k->value);
        }
    }
    if (!t || !taco__sort_in(b->arena->mem, p, n, sizeof *p, taco__pred_test_compare_ranges, NULL,
                             b->err)) {
        return NULL;
    }
    taco__pred_test_set_ranges(t, p, n, &column);
    return t;
}

/* The same for bytes: sorted, without duplicates. */
static taco__test *taco__pred_test_byte_list(taco__pred_binder *b, taco__expr *e, size_t n)
{
    taco__expr *c = e->first, *k;
    taco__test *t = taco__pred_test_init(b, e, c, TACO__TEST_LIST, n);
    size_t i;
    if (!t) { return NULL; }
    n = 0;
    for (k = c->next; k; k = k->next) {
        if (k->type.id != TACO_NULL) { t->list[n++] = k->value.b; }
    }
    if (!taco__sort_in(b->arena->mem, t->list, n, sizeof *t->list, taco__pred_test_compare_bytes,
                       NULL, b->err)) {
        return NULL;
    }
    for (i = 0; i < n; i++) {
        if (!t->n || !taco__bytes_equal(t->list[t->n - 1], t->list[i])) {
            t->list[t->n++] = t->list[i];
        }
    }
    return t;
}

/* e, column IN (constants compared in *type), becomes one TEST. */
TACO__FN bool taco__pred_test_from_list(taco__pred_binder *b, taco__expr *e,
                                        const taco__scalar_type *type)
{
    const taco__expr *k;
    taco__compare_domain dom = taco__scalar_domain_of(type->id);
    bool null = false;
    size_t n = 0;
    taco__test *t;
    for (k = e->first->next; k; k = k->next) {
        null = null || k->type.id == TACO_NULL;
        n++;
    }
    t = dom == TACO__DOMAIN_BYTES ? taco__pred_test_byte_list(b, e, n)
                                  : taco__pred_test_key_list(b, e, dom, n);
    if (t) { t->null_rest = null; }
    return t != NULL;
}

/* Whether a and b are TESTs of one column and one kind, without special rules for NULL. */
static bool taco__pred_test_are_alike(const taco__expr *a, const taco__expr *b)
{
    return a->kind == TACO__PRED_TEST && b->kind == TACO__PRED_TEST && a->column == b->column &&
           a->field == b->field && !a->neg && !b->neg && a->test->mode == b->test->mode &&
           !a->test->null_rest && !b->test->null_rest && !a->test->null_false &&
           !b->test->null_false;
}

/* Merges test b into test a of an AND, both on the same column: x >= a AND x < b is a single range.
   False, with nothing changed, if one test cannot express it. */
TACO__FN bool taco__pred_test_merge(taco__expr *a, const taco__expr *b)
{
    taco__test *s = a->test, *t = b->test;
    if (!taco__pred_test_are_alike(a, b)) { return false; }
    if (s->mode == TACO__TEST_KEYS && s->n <= 1 && t->n <= 1) {
        taco__key_range p;
        taco__scalar_type type = taco__scalar_type_of_field(a->field);
        if (s->n && t->n) {
            p.lo = taco__i256_compare(&s->lo[0], &t->lo[0]) > 0 ? s->lo[0] : t->lo[0];
            p.hi = taco__i256_compare(&s->hi[0], &t->hi[0]) < 0 ? s->hi[0] : t->hi[0];
        }
        taco__pred_test_set_ranges(s, &p, s->n && t->n, &type);
        return true;
    }
    if (s->mode == TACO__TEST_RANGE && !(s->has_low && t->has_low) &&
        !(s->has_high && t->has_high)) {
        if (t->has_low) {
            s->has_low = true;
            s->low = t->low;
            s->open_low = t->open_low;
        }
        if (t->has_high) {
            s->has_high = true;
            s->high = t->high;
            s->open_high = t->open_high;
        }
        return true;
    }
    return false;
}
