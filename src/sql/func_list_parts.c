/* func_list_parts.c - functions that select from lists and compare them: sorting, sets, maps

   Results are selections of elements of the operand (func_list_make.c): nothing is copied before
   the end. Elements are compared as in GROUP BY; nulls belong to no set.

   Examples: list_sort([3, NULL, 1], 'DESC') is [3, 1, NULL]; list_grade_up([3, 1]) is [2, 1];
   list_where([1, 2, 3], [true, false, true]) is [1, 3]; list_resize([1], 3) is [1, NULL, NULL];
   MAP {'a': 1}['b'] is null, and map_extract(MAP {'a': 1}, 'b') the empty list. */
#include "sql.h"
#include "functions.h"
#include "../base/base.h"
#include "../filter/filter.h"

/* The span of a list operand in row i. */
static taco__sql_list_span taco__func_list_span(const taco__vec *v, size_t i)
{
    return v->v.l[i * v->step];
}

/* Whether a value, row j of w, is among the elements [at, at + len) of v; *found is where. */
static bool taco__func_list_find(const taco__vec *v, uint32_t at, uint32_t len, const taco__vec *w,
                                 size_t j, uint32_t *found)
{
    uint32_t k;
    bool null = !taco__vec_is_valid(w, j);
    for (k = at; k < at + len; k++) {
        bool valid = taco__vec_is_valid(v, k);
        if (null ? !valid : valid && taco__vec_compare(v, k, w, j) == 0) {
            *found = k - at;
            return true;
        }
    }
    return false;
}

/* How elements are sorted. */
typedef struct taco__func_list_order {
    const taco__vec *v;
    uint8_t flags;
} taco__func_list_order;

/* For taco__sort. */
static int taco__func_list_compare(const void *ctx, const void *a, const void *b)
{
    const taco__func_list_order *o = (const taco__func_list_order *)ctx;
    uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
    return taco__vec_compare_sorted(o->v, i, j, o->flags);
}

/* Compares rows i and j of a vector according to sort_flags of taco__sql_expr: nulls are last in
   both directions, unless NULLS FIRST is set. */
TACO__FN int taco__vec_compare_sorted(const taco__vec *v, size_t i, size_t j, uint8_t flags)
{
    bool x = taco__vec_is_valid(v, i), y = taco__vec_is_valid(v, j);
    int c;
    if (!x || !y) { return flags & 2 ? (int)x - (int)y : (int)y - (int)x; }
    c = taco__vec_compare(v, i, v, j);
    return flags & 1 ? -c : c;
}

/* The elements of a list as sorted indexes in the arena; NULL if there is no memory. */
static uint32_t *taco__func_list_sorted(taco__func_call *x, const taco__vec *v,
                                        taco__sql_list_span s, uint8_t flags)
{
    uint32_t *idx = (uint32_t *)taco__arena_array(x->arena, (size_t)s.len * 2 + 1, sizeof *idx,
                                                  x->err),
             k;
    taco__func_list_order o;
    o.v = v;
    o.flags = flags;
    for (k = 0; idx && k < s.len; k++) {
        idx[k] = s.at + k;
    }
    if (idx) { taco__sort(idx, idx + s.len, s.len, sizeof *idx, taco__func_list_compare, &o); }
    return idx;
}

/* Marks one of each distinct value of a list, ignoring nulls, at its first occurrence, in
   keep[0..len), which is zeroed. Compares neighbours after sorting, so that long lists do not take
   quadratic time. Returns how many. */
static uint32_t taco__func_list_mark_distinct(taco__func_call *x, const taco__vec *v,
                                              taco__sql_list_span s, uint8_t **keep)
{
    uint32_t *idx = taco__func_list_sorted(x, v, s, 0), k, n = 0;
    *keep = (uint8_t *)taco__arena_alloc(x->arena, (size_t)s.len + 1, x->err);
    if (!idx || !*keep) { return UINT32_MAX; }
    for (k = 0; k < s.len && taco__vec_is_valid(v, idx[k]); k++) {
        /* the sort is stable: the first of equal ones came first */
        bool first = !k || taco__vec_compare(v, idx[k - 1], v, idx[k]) != 0;
        (*keep)[idx[k] - s.at] = first;
        n += first;
    }
    return n;
}

/* Row i of list_sort, list_grade_up, list_distinct, list_reverse and list_intersect; the last one
   is null for a null first list, and empty for a null second one. */
static bool taco__func_list_order_row(taco__func_call *x, taco__func_list_out *o, size_t i)
{
    const taco__vec *v = &x->a[0].kids[0];
    taco__sql_list_span s = taco__func_list_span(&x->a[0], i);
    uint32_t *idx, k, found;
    uint8_t *keep;
    bool ok = true;
    if (x->id == TACO__FUNC_LIST_INTERSECT) {
        if (!taco__vec_is_valid(&x->a[0], i)) { return taco__func_set_null(x, i); }
        if (!taco__vec_is_valid(&x->a[1], i)) { return true; }
    }
    if (x->id == TACO__FUNC_LIST_REVERSE) {
        for (k = s.len; ok && k; k--) {
            ok = taco__func_list_push(o, s.at + k - 1);
        }
        return ok;
    }
    if (x->id == TACO__FUNC_LIST_SORT || x->id == TACO__FUNC_LIST_GRADE) {
        idx = taco__func_list_sorted(x, v, s, *(const uint8_t *)x->plan);
        for (k = 0; idx && ok && k < s.len; k++) {
            ok = taco__func_list_push(o, x->id == TACO__FUNC_LIST_SORT ? idx[k] : idx[k] - s.at);
        }
        return idx && ok;
    }
    if (taco__func_list_mark_distinct(x, v, s, &keep) == UINT32_MAX) { return false; }
    for (k = 0; ok && k < s.len; k++) {
        if (keep[k] && x->id == TACO__FUNC_LIST_INTERSECT) {
            taco__sql_list_span t = taco__func_list_span(&x->a[1], i);
            keep[k] = taco__func_list_find(&x->a[1].kids[0], t.at, t.len, v, s.at + k, &found);
        }
        ok = !keep[k] || taco__func_list_push(o, s.at + k);
    }
    return ok;
}

/* list_where(list, conditions), list_select(list, numbers): a null among them is an error. */
static bool taco__func_list_pick_row(taco__func_call *x, taco__func_list_out *o, size_t i)
{
    taco__sql_list_span s = taco__func_list_span(&x->a[0], i),
                        t = taco__func_list_span(&x->a[1], i);
    const taco__vec *by = &x->a[1].kids[0];
    uint32_t k;
    for (k = 0; k < t.len; k++) {
        int64_t at = k;
        if (!taco__vec_is_valid(by, t.at + k)) {
            TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                       "%s: the index of the element is null", x->name);
            return false;
        }
        if (x->id == TACO__FUNC_LIST_WHERE) {
            if (!by->v.i[t.at + k]) { continue; }
        } else {
            at = by->v.i[t.at + k];
            at = at > 0 ? at - 1 : -1; /* counted from 1, not from the end */
        }
        if (!taco__func_list_push(o, at >= 0 && at < (int64_t)s.len ? s.at + (uint32_t)at
                                                                    : TACO__VEC_NONE)) {
            return false;
        }
    }
    return true;
}

/* list_slice with a step: a negative one goes from the end to the beginning. */
static bool taco__func_list_step_row(taco__func_call *x, taco__func_list_out *o, size_t i)
{
    taco__sql_list_span s = taco__func_list_span(&x->a[0], i);
    int64_t n = s.len, from = TACO__FUNC_ARG_INT(1), to = TACO__FUNC_ARG_INT(2),
            step = x->n > 3 ? TACO__FUNC_ARG_INT(3) : 1;
    uint8_t open = x->plan ? *(const uint8_t *)x->plan : 0;
    if (!step) {
        TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "the step of a slice is 0");
        return false;
    }
    if (open & 1) { from = step < 0 ? n : 1; }
    if (open & 2) { to = step < 0 ? 1 : n; }
    if (step < 0) {
        int64_t swap = from;
        from = to;
        to = swap;
    }
    from = from < 0 ? TACO__MAX(n + from + 1, 1) : TACO__MAX(from, 1);
    to = TACO__MIN(to < 0 ? n + to + 1 : to, n);
    if (from > to) { return true; }
    if (step > 0) {
        for (; from <= to; from += TACO__MIN(step, n)) {
            if (!taco__func_list_push(o, s.at + (uint32_t)(from - 1))) { return false; }
        }
        return true;
    }
    for (; to >= from; to -= TACO__MIN(step < -n ? n : -step, n)) {
        if (!taco__func_list_push(o, s.at + (uint32_t)(to - 1))) { return false; }
    }
    return true;
}

/* flatten: concatenates the inner lists; null ones count as empty. */
static bool taco__func_list_flatten_row(taco__func_call *x, taco__func_list_out *o, size_t i)
{
    taco__sql_list_span s = taco__func_list_span(&x->a[0], i);
    const taco__vec *v = &x->a[0].kids[0];
    uint32_t k;
    for (k = s.at; k < s.at + s.len; k++) {
        taco__sql_list_span inner;
        if (!taco__vec_is_valid(v, k)) { continue; }
        inner = taco__func_list_span(v, k);
        if (!taco__func_list_push_span(o, inner.at, inner.len)) { return false; }
    }
    return true;
}

/* array_pop_back, array_pop_front, and repeat(list, n). */
static bool taco__func_list_copy_row(taco__func_call *x, taco__func_list_out *o, size_t i)
{
    taco__sql_list_span s = taco__func_list_span(&x->a[0], i);
    int64_t times;
    if (x->id == TACO__FUNC_LIST_POP) {
        bool back = ((const char *)x->plan)[0] == 'b';
        return !s.len || taco__func_list_push_span(o, s.at + (back ? 0U : 1U), s.len - 1);
    }
    times = s.len ? TACO__MAX(TACO__FUNC_ARG_INT(1), 0) : 0;
    if (!taco__func_list_reserve(o, times > UINT32_MAX ? UINT64_MAX : (uint64_t)times * s.len)) {
        return false;
    }
    for (; times > 0; times--) {
        if (!taco__func_list_push_span(o, s.at, s.len)) { return false; }
    }
    return true;
}

/* Row i of map_extract, map_keys, map_values, map_entries. */
static bool taco__func_list_map_row(taco__func_call *x, taco__func_list_out *o, size_t i)
{
    taco__sql_list_span s = taco__func_list_span(&x->a[0], i);
    uint32_t found;
    if (x->id != TACO__FUNC_MAP_EXTRACT) { return taco__func_list_push_span(o, s.at, s.len); }
    if (!taco__vec_is_valid(&x->a[0], i)) { return taco__func_set_null(x, i); }
    return !taco__vec_is_valid(&x->a[1], i) || /* no key is null */
           !taco__func_list_find(&x->a[0].kids[0].kids[0], s.at, s.len, &x->a[1], i, &found) ||
           taco__func_list_push(o, s.at + found);
}

/* Runs a function that selects elements, row by row, and gathers them from the pile. */
static bool taco__func_list_choose(taco__func_call *x, const taco__vec *pile,
                                   bool (*row)(taco__func_call *, taco__func_list_out *, size_t))
{
    taco__func_list_out o;
    size_t i;
    taco__func_list_begin(x, &o);
    for (i = 0; i < x->out->n; i++) {
        if (taco__vec_is_valid(x->out, i) && !row(x, &o, i)) { return taco__func_list_drop(&o); }
        taco__func_list_end(&o, i);
    }
    return taco__func_list_finish(&o, pile);
}

/* list_grade_up: the indexes in sorted order, from 1, are the elements. */
static bool taco__func_list_grade(taco__func_call *x)
{
    taco__vec numbers;
    size_t i, n = 0;
    for (i = 0; i < x->a[0].n; i++) {
        if (taco__vec_is_valid(&x->a[0], i)) {
            n = TACO__MAX(n, (size_t)taco__func_list_span(&x->a[0], i).len);
        }
    }
    if (!taco__vec_init(x->arena, &x->out->type->kids[0], n, &numbers, x->err)) { return false; }
    for (i = 0; i < n; i++) {
        numbers.v.i[i] = (int64_t)i + 1;
    }
    return taco__func_list_choose(x, &numbers, taco__func_list_order_row);
}

/* list_resize: the list truncated, or extended with a value. */
static bool taco__func_list_resize(taco__func_call *x)
{
    taco__vec_builder pile;
    taco__func_list_out o;
    size_t i;
    uint32_t fill;
    if (!taco__vec_builder_init(x->arena, &x->out->type->kids[0], &pile, x->err) ||
        !taco__vec_builder_append(x->arena, &pile, &x->a[0].kids[0], NULL, x->a[0].kids[0].n,
                                  x->err)) {
        return false;
    }
    fill = (uint32_t)pile.v.n;
    if (x->n > 2 && !taco__vec_builder_append(
                        x->arena, &pile, &x->a[2], NULL,
                        x->a[2].step ? x->a[2].n : TACO__MIN(x->a[2].n, (size_t)1), x->err)) {
        return false;
    }
    taco__func_list_begin(x, &o);
    for (i = 0; i < x->out->n; i++) {
        taco__sql_list_span s = taco__func_list_span(&x->a[0], i);
        int64_t n = taco__vec_is_valid(&x->a[1], i) ? TACO__FUNC_ARG_INT(1) : 0, k;
        bool ok = true;
        if (!taco__vec_is_valid(&x->a[0], i)) {
            if (!taco__func_set_null(x, i)) { return taco__func_list_drop(&o); }
            n = 0;
        }
        if (n < 0) {
            TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "a list of %d elements", TACO__D(n));
            return taco__func_list_drop(&o);
        }
        ok = taco__func_list_reserve(&o, (uint64_t)n);
        for (k = 0; ok && k < n; k++) {
            ok = taco__func_list_push(&o, k < (int64_t)s.len ? s.at + (uint32_t)k
                                          : x->n > 2         ? fill + (uint32_t)(i * x->a[2].step)
                                                             : TACO__VEC_NONE);
        }
        if (!ok) { return taco__func_list_drop(&o); }
        taco__func_list_end(&o, i);
    }
    return taco__func_list_finish(&o, &pile.v);
}

/* Functions of lists whose result is one value: list_position, list_has_all, list_unique, ... */
static bool taco__func_list_value_row(taco__func_call *x, size_t i)
{
    taco__sql_list_span s = taco__func_list_span(&x->a[0], i), t;
    const taco__vec *v = &x->a[0].kids[0];
    uint8_t *keep;
    uint32_t k, found, n;
    bool all = x->id == TACO__FUNC_LIST_HAS_ALL;
    switch (x->id) {
    case TACO__FUNC_LIST_UNIQUE:
        n = taco__func_list_mark_distinct(x, v, s, &keep);
        x->out->v.d[i] = taco__i256_from_u64(n);
        return n != UINT32_MAX;
    case TACO__FUNC_CARDINALITY: x->out->v.d[i] = taco__i256_from_u64(s.len); return true;
    case TACO__FUNC_LIST_POSITION:
        if (!taco__func_list_find(v, s.at, s.len, &x->a[1], i, &found)) {
            return taco__func_set_null(x, i);
        }
        x->out->v.i[i] = (int64_t)found + 1;
        return true;
    case TACO__FUNC_MAP_CONTAINS:
        x->out->v.i[i] = taco__func_list_find(&v->kids[0], s.at, s.len, &x->a[1], i, &found);
        return true;
    default: break;
    }
    t = taco__func_list_span(&x->a[1], i);
    x->out->v.i[i] = all;
    for (k = t.at; k < t.at + t.len; k++) {
        if (taco__vec_is_valid(&x->a[1].kids[0], k) &&
            taco__func_list_find(v, s.at, s.len, &x->a[1].kids[0], k, &found) != all) {
            x->out->v.i[i] = !all;
            return true;
        }
    }
    return true;
}

/* map[key], map_extract_value: the value of a key, or null. */
static bool taco__func_list_map_value(taco__func_call *x)
{
    uint32_t *idx = (uint32_t *)taco__arena_array(x->arena, x->out->n, sizeof *idx, x->err), found;
    size_t i;
    for (i = 0; idx && i < x->out->n; i++) {
        taco__sql_list_span s;
        idx[i] = TACO__VEC_NONE;
        if (!taco__vec_is_valid(x->out, i)) { continue; }
        s = taco__func_list_span(&x->a[0], i);
        if (taco__func_list_find(&x->a[0].kids[0].kids[0], s.at, s.len, &x->a[1], i, &found)) {
            idx[i] = s.at + found;
        }
    }
    return idx &&
           taco__vec_take(x->arena, &x->a[0].kids[0].kids[1], idx, x->out->n, x->out, x->err);
}

/* Checks the keys [at, at + len) of a new map: none may be null or occur twice. Only the arena and
   the error of the call are used. */
TACO__FN bool taco__func_list_check_keys(taco__func_call *x, const taco__vec *keys, uint32_t at,
                                         uint32_t len)
{
    taco__sql_list_span s;
    uint8_t *keep;
    uint32_t n, k;
    s.at = at;
    s.len = len;
    for (k = at; k < at + len; k++) {
        if (!taco__vec_is_valid(keys, k)) {
            TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "a key of a map is null");
            return false;
        }
    }
    /* as many distinct keys as there are keys */
    n = taco__func_list_mark_distinct(x, keys, s, &keep);
    if (n != UINT32_MAX && n != len) {
        TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "a map has a key twice");
    }
    return n == len;
}

/* map(keys, values) and map_from_entries(list of structs). */
static bool taco__func_list_map(taco__func_call *x)
{
    taco__vec *entries = &x->out->kids[0], sides[2];
    bool lists = x->id == TACO__FUNC_MAP;
    taco__buf idx[2];
    size_t i, k, n = 0;
    bool ok = true;
    memset(idx, 0, sizeof idx);
    idx[0].mem = idx[1].mem = x->arena->mem;
    for (i = 0; ok && i < x->out->n; i++) {
        taco__sql_list_span s, t;
        x->out->v.l[i].at = (uint32_t)n;
        if (!taco__vec_is_valid(x->out, i)) { continue; }
        s = taco__func_list_span(&x->a[0], i);
        t = lists ? taco__func_list_span(&x->a[1], i) : s;
        if (s.len != t.len) {
            TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "a map of %u keys and %u values",
                       TACO__U(s.len), TACO__U(t.len));
            ok = false;
        }
        ok = ok && taco__func_list_check_keys(
                       x, lists ? &x->a[0].kids[0] : &x->a[0].kids[0].kids[0], s.at, s.len);
        for (k = 0; ok && k < s.len; k++, n++) {
            uint32_t a = s.at + (uint32_t)k, b = t.at + (uint32_t)k;
            ok = taco__buf_append(&idx[0], &a, sizeof a, x->err) &&
                 taco__buf_append(&idx[1], &b, sizeof b, x->err);
        }
        x->out->v.l[i].len = (uint32_t)n - x->out->v.l[i].at;
    }
    ok = ok && taco__vec_init(x->arena, &x->out->type->kids[0], n, entries, x->err);
    for (k = 0; ok && k < 2; k++) {
        const taco__vec *from = lists ? &x->a[k].kids[0] : &x->a[0].kids[0].kids[k];
        ok = !n || taco__vec_take(x->arena, from, (const uint32_t *)(const void *)idx[k].data, n,
                                  &sides[k], x->err);
        if (ok && n) { entries->kids[k] = sides[k]; }
    }
    taco__buf_free(&idx[0]);
    taco__buf_free(&idx[1]);
    return ok;
}

/* list_sum and the other aggregates over lists: the elements of row i are group i. */
static bool taco__func_list_aggregate(taco__func_call *x)
{
    /* vectors of the result point to types of the aggregate: it lives as long as they do */
    taco__aggregate *a = (taco__aggregate *)taco__arena_alloc(x->arena, sizeof *a, x->err);
    taco__func_list_out o;
    taco__buf groups;
    taco__vec pile;
    size_t i, n = x->out->n;
    uint32_t k, row;
    bool ok = true;
    if (!a) { return false; }
    *a = *(const taco__aggregate *)x->plan;
    memset(&groups, 0, sizeof groups);
    groups.mem = x->arena->mem;
    taco__func_list_begin(x, &o);
    for (i = 0; ok && i < n; i++) {
        taco__sql_list_span s = taco__func_list_span(&x->a[0], i);
        row = (uint32_t)i;
        for (k = 0; ok && taco__vec_is_valid(x->out, i) && k < s.len; k++) {
            ok = taco__func_list_push(&o, s.at + k) &&
                 taco__buf_append_inline(&groups, &row, sizeof row, x->err);
        }
    }
    row = 0;
    ok = ok &&
         taco__vec_take(x->arena, &x->a[0].kids[0],
                        o.n ? (const uint32_t *)(const void *)o.picks.data : &row, o.n, &pile,
                        x->err) &&
         taco__aggregate_reserve(a, x->arena, n, x->err) &&
         taco__aggregate_add(a, x->arena, &pile, (const uint32_t *)(const void *)groups.data, NULL,
                             o.n, x->err);
    if (ok) {
        uint8_t *null = x->out->valid;
        ok = taco__aggregate_finish(a, x->arena, n, x->out, x->err);
        for (i = 0; ok && null && i < n; i++) {
            ok = null[i] || taco__func_set_null(x, i);
        }
    }
    taco__buf_free(&o.picks);
    taco__buf_free(&groups);
    taco__buf_free(&a->groups);
    return ok;
}

/* list_dot_product, list_distance, list_cosine_similarity and their negatives, in the precision of
   the elements. */
static bool taco__func_list_measure_row(taco__func_call *x, size_t i)
{
    taco__sql_list_span s = taco__func_list_span(&x->a[0], i),
                        t = taco__func_list_span(&x->a[1], i);
    const taco__vec *u = &x->a[0].kids[0], *w = &x->a[1].kids[0];
    const char *what = (const char *)x->plan;
    bool single = x->out->type->t.id == TACO_FLOAT;
    double dot = 0, a2 = 0, b2 = 0, d2 = 0, r;
    uint32_t k;
    if (s.len != t.len) {
        TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "%s of lists of %u and %u elements",
                   x->name, TACO__U(s.len), TACO__U(t.len));
        return false;
    }
    for (k = 0; k < s.len; k++) {
        double a, b, d;
        if (!taco__vec_is_valid(u, s.at + k) || !taco__vec_is_valid(w, t.at + k)) {
            TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "%s of lists with nulls", x->name);
            return false;
        }
        a = u->v.f[s.at + k];
        b = w->v.f[t.at + k];
        d = single ? (double)(float)(a - b) : a - b;
        dot = single ? (double)(float)(dot + (double)(float)(a * b)) : dot + a * b;
        a2 = single ? (double)(float)(a2 + (double)(float)(a * a)) : a2 + a * a;
        b2 = single ? (double)(float)(b2 + (double)(float)(b * b)) : b2 + b * b;
        d2 = single ? (double)(float)(d2 + (double)(float)(d * d)) : d2 + d * d;
    }
    if (!s.len && what[0] != 'd' && what[0] != 'n' && what[0] != 'e') {
        return taco__func_set_null(x, i); /* a zero vector has no direction */
    }
    r = dot / taco__math_sqrt(a2 * b2);
    r = r > 1 ? 1 : r < -1 || taco__f64_is_nan(r) ? -1 : r;
    r = what[0] == 'd'   ? dot
        : what[0] == 'n' ? -dot
        : what[0] == 'e' ? taco__math_sqrt(d2)
        : what[0] == 'c' ? r
                         : 1 - r;
    x->out->v.f[i] = single ? (double)(float)r : r;
    return true;
}

/* Runs a function of lists other than those that make them. */
TACO__FN bool taco__func_list_part(taco__func_call *x)
{
    const taco__vec *v = x->n ? &x->a[0].kids[0] : NULL;
    bool (*row)(taco__func_call *, size_t) = taco__func_list_value_row;
    size_t i;
    switch (x->id) {
    case TACO__FUNC_LIST_GRADE: return taco__func_list_grade(x);
    case TACO__FUNC_LIST_SORT:
    case TACO__FUNC_LIST_REVERSE:
    case TACO__FUNC_LIST_DISTINCT:
    case TACO__FUNC_LIST_INTERSECT: return taco__func_list_choose(x, v, taco__func_list_order_row);
    case TACO__FUNC_LIST_WHERE:
    case TACO__FUNC_LIST_SELECT: return taco__func_list_choose(x, v, taco__func_list_pick_row);
    case TACO__FUNC_LIST_SLICE: return taco__func_list_choose(x, v, taco__func_list_step_row);
    case TACO__FUNC_LIST_POP:
    case TACO__FUNC_LIST_REPEAT: return taco__func_list_choose(x, v, taco__func_list_copy_row);
    case TACO__FUNC_FLATTEN:
        return taco__func_list_choose(x, &v->kids[0], taco__func_list_flatten_row);
    case TACO__FUNC_MAP_KEYS:
        return taco__func_list_choose(x, &v->kids[0], taco__func_list_map_row);
    case TACO__FUNC_MAP_EXTRACT:
    case TACO__FUNC_MAP_VALUES:
        return taco__func_list_choose(x, &v->kids[1], taco__func_list_map_row);
    case TACO__FUNC_MAP_ENTRIES: return taco__func_list_choose(x, v, taco__func_list_map_row);
    case TACO__FUNC_MAP_VALUE: return taco__func_list_map_value(x);
    case TACO__FUNC_MAP:
    case TACO__FUNC_MAP_FROM_ENTRIES: return taco__func_list_map(x);
    case TACO__FUNC_LIST_RESIZE: return taco__func_list_resize(x);
    case TACO__FUNC_LIST_AGGREGATE: return taco__func_list_aggregate(x);
    case TACO__FUNC_LIST_MEASURE: row = taco__func_list_measure_row; break;
    default: break;
    }
    for (i = 0; i < x->out->n; i++) {
        bool null = !taco__vec_is_valid(x->out, i) ||
                    (x->id == TACO__FUNC_LIST_POSITION && !taco__vec_is_valid(&x->a[0], i));
        if (null ? !taco__func_set_null(x, i) : !row(x, i)) { return false; }
    }
    return true;
}
