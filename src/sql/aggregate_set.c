/* aggregate_set.c - aggregates that need all values of a group at once

   In: the rows of a group, in the order that ORDER BY or the scan gave them. Out: one value,
   appended to the results. Pairs are (y, x) as SQL has them: regr_slope(y, x). Sums of powers are
   computed in DuckDB's order, so that as many digits as possible agree.

   Examples: of the rows (1, a), (3, b), (2, c) string_agg(t, '-' ORDER BY n DESC) is b-c-a,
   arg_max(t, n) is b, max(n, 2) is [3, 2], histogram(n) is {1=1, 2=1, 3=1}, mode(t) is a: all are
   there once, and a came first. */
#include "sql.h"
#include "functions.h"
#include "../base/base.h"
#include "../base/json.h"
#include "../filter/filter.h"

/* Whether the aggregate takes pairs of numbers. */
static bool taco__aggregate_set_is_pair(uint8_t id)
{
    return id >= TACO__AGGREGATE_CORR;
}

/* Whether its one argument is cast to DOUBLE. */
static bool taco__aggregate_set_is_double(uint8_t id)
{
    return id == TACO__AGGREGATE_PRODUCT || id == TACO__AGGREGATE_KAHAN ||
           id == TACO__AGGREGATE_KAHAN_AVG || id == TACO__AGGREGATE_SKEWNESS ||
           id == TACO__AGGREGATE_KURTOSIS || id == TACO__AGGREGATE_KURTOSIS_POP ||
           id == TACO__AGGREGATE_SEM || taco__aggregate_set_is_pair(id);
}

/* taco__aggregate_set_result_type for these; false for a type that the aggregate does not take. */
TACO__FN bool taco__aggregate_set_takes(taco__aggregate *a)
{
    taco__sql_type t = a->arg;
    bool number = taco__sql_type_is_number(&t);
    bool integer = taco__scalar_is_int(t.t.id) || taco__sql_type_is_hugeint(&t);
    a->result = taco__sql_type_simple(TACO_DOUBLE);
    if (taco__aggregate_set_is_double(a->id)) {
        if (number) { a->arg = taco__sql_type_simple(TACO_DOUBLE); }
        if (a->id == TACO__AGGREGATE_REGR_COUNT) { a->result = taco__sql_type_simple(TACO_UINT32); }
        return number;
    }
    switch (a->id) {
    case TACO__AGGREGATE_STRING:
        a->arg = a->result = taco__sql_type_simple(TACO_TEXT);
        return t.t.id != TACO_INTERVAL && !t.geo;
    case TACO__AGGREGATE_COUNT_DISTINCT: a->result = taco__sql_type_simple(TACO_INT64); return true;
    case TACO__AGGREGATE_ENTROPY: return true;
    case TACO__AGGREGATE_BIT_AND:
    case TACO__AGGREGATE_BIT_OR:
    case TACO__AGGREGATE_BIT_XOR: a->result = t; return integer;
    case TACO__AGGREGATE_MAD:
        if (t.t.id == TACO_FLOAT) {
            a->result = t;
        } else if (integer || t.t.id == TACO_DOUBLE) {
            a->arg = taco__sql_type_simple(TACO_DOUBLE);
        }
        return integer || taco__scalar_is_float(t.t.id);
    default: a->result = t; return true; /* same type as the argument */
    }
}

/* ---- results ---- */

/* Appends a number, or a null if there is none. */
static bool taco__aggregate_set_number(taco__arena *arena, taco__vec_builder *out, double f,
                                       bool null, taco_error *err)
{
    taco__vec one;
    uint8_t valid = !null;
    int64_t i = f < 9e18 && f > -9e18 ? (int64_t)f : 0;
    memset(&one, 0, sizeof one);
    one.type = out->v.type;
    one.n = one.step = 1;
    one.valid = &valid;
    if (taco__sql_type_physical(out->v.type) == TACO__PHYS_INT) {
        one.v.i = &i;
    } else {
        one.v.f = &f;
    }
    return taco__vec_builder_append(arena, out, &one, NULL, 1, err);
}

/* Appends row `at` of the values v, or a null for TACO__VEC_NONE. */
static bool taco__aggregate_set_value(taco__arena *arena, taco__vec_builder *out,
                                      const taco__vec *v, uint32_t at, taco_error *err)
{
    taco__vec one;
    return taco__vec_take(arena, v, &at, 1, &one, err) &&
           taco__vec_builder_append(arena, out, &one, NULL, 1, err);
}

/* Appends a list of n rows of v as one value, or a null. */
static bool taco__aggregate_set_list(taco__arena *arena, taco__vec_builder *out, const taco__vec *v,
                                     const uint32_t *idx, size_t n, bool null, taco_error *err)
{
    taco__vec list, kid;
    taco__sql_list_span span;
    uint8_t valid = !null;
    memset(&list, 0, sizeof list);
    if (!taco__vec_take(arena, v, idx, n, &kid, err)) { return false; }
    span.at = 0;
    span.len = (uint32_t)n;
    list.type = out->v.type;
    list.n = list.step = 1;
    list.valid = &valid;
    list.v.l = &span;
    list.kids = &kid;
    return taco__vec_builder_append(arena, out, &list, NULL, 1, err);
}

/* ---- one argument ---- */

/* string_agg: the texts with the separator between them; null if there are none. */
static bool taco__aggregate_set_string(const taco__aggregate *a, taco__arena *arena,
                                       const uint32_t *idx, size_t n, taco__vec_builder *out,
                                       taco_error *err)
{
    const taco__vec *v = taco__aggregate_values(a);
    taco__buf b;
    taco__vec one;
    taco_bytes text;
    uint8_t valid = n > 0;
    size_t i;
    bool ok = true;
    memset(&b, 0, sizeof b);
    b.mem = arena->mem;
    for (i = 0; ok && i < n; i++) {
        taco_bytes s = v->v.s[idx[i]];
        ok = (!i || taco__buf_append(&b, a->text.data, a->text.len, err)) &&
             taco__buf_append(&b, s.data, s.len, err);
    }
    memset(&one, 0, sizeof one);
    text = taco__bytes_of(b.data, b.len);
    one.type = out->v.type;
    one.n = one.step = 1;
    one.valid = &valid;
    one.v.s = &text;
    ok = ok && taco__vec_builder_append(arena, out, &one, NULL, 1, err);
    taco__buf_free(&b);
    return ok;
}

/* arg_max and arg_min: the first argument of the row with the greatest or least second one; the
   first row of several. */
static bool taco__aggregate_set_arg(const taco__aggregate *a, taco__arena *arena,
                                    const uint32_t *idx, size_t n, taco__vec_builder *out,
                                    taco_error *err)
{
    const taco__vec *by = &a->rows.v.kids[1];
    bool most = a->id == TACO__AGGREGATE_ARG_MAX || a->id == TACO__AGGREGATE_ARG_MAX_NULL;
    size_t i, best = 0;
    for (i = 1; i < n; i++) {
        int c = taco__vec_compare(by, idx[i], by, idx[best]);
        if (most ? c > 0 : c < 0) { best = i; }
    }
    return taco__aggregate_set_value(arena, out, taco__aggregate_values(a),
                                     n ? idx[best] : TACO__VEC_NONE, err);
}

/* max(x, n), min(x, n), and arg_max(x, y, n): the first n in sorted order, as a list. */
static bool taco__aggregate_set_top(const taco__aggregate *a, taco__arena *arena, uint32_t *idx,
                                    uint32_t *tmp, size_t n, taco__vec_builder *out,
                                    taco_error *err)
{
    const taco__vec *v = taco__aggregate_values(a), *by = a->args > 1 ? &a->rows.v.kids[1] : v;
    size_t i, many = TACO__MIN(n, a->top);
    bool most = a->id == TACO__AGGREGATE_TOP || a->id == TACO__AGGREGATE_ARG_MAX;
    taco__aggregate_sort_rows(by, idx, tmp, n);
    for (i = 0; i < many; i++) {
        tmp[i] = idx[most ? n - 1 - i : i];
    }
    return taco__aggregate_set_list(arena, out, v, tmp, many, !many, err);
}

/* Sorts the rows, and finds where each run of equal values begins: starts[0..*runs], the last being
   n. NULL if there is no memory. */
static uint32_t *taco__aggregate_set_runs(const taco__aggregate *a, taco__arena *arena,
                                          uint32_t *idx, uint32_t *tmp, size_t n, size_t *runs,
                                          taco_error *err)
{
    const taco__vec *v = taco__aggregate_values(a);
    uint32_t *starts = (uint32_t *)taco__arena_array(arena, n + 1, sizeof *starts, err);
    size_t i;
    *runs = 0;
    if (!starts) { return NULL; }
    taco__aggregate_sort_rows(v, idx, tmp, n);
    for (i = 0; i < n; i++) {
        if (!i || taco__vec_compare(v, idx[i], v, idx[i - 1]) != 0) {
            starts[(*runs)++] = (uint32_t)i;
        }
    }
    starts[*runs] = (uint32_t)n;
    return starts;
}

/* histogram: a map from each value to its count. */
static bool taco__aggregate_set_histogram(const taco__aggregate *a, taco__arena *arena,
                                          const uint32_t *idx, const uint32_t *starts, size_t runs,
                                          taco__vec_builder *out, taco_error *err)
{
    uint32_t *keys = (uint32_t *)taco__arena_array(arena, runs + 1, sizeof *keys, err);
    taco__vec map, entries, kids[2];
    taco__sql_list_span span;
    uint8_t valid = runs > 0;
    size_t i;
    const taco__sql_type *entry = &a->result.kids[0];
    memset(&map, 0, sizeof map);
    memset(&entries, 0, sizeof entries);
    for (i = 0; keys && i < runs; i++) {
        keys[i] = idx[starts[i]];
    }
    if (!keys || !taco__vec_take(arena, taco__aggregate_values(a), keys, runs, &kids[0], err) ||
        !taco__vec_init(arena, &entry->kids[1], runs, &kids[1], err)) {
        return false;
    }
    for (i = 0; i < runs; i++) {
        kids[1].v.d[i] = taco__i256_from_u64(starts[i + 1] - starts[i]);
    }
    entries.type = entry;
    entries.n = runs;
    entries.step = 1;
    entries.kids = kids;
    span.at = 0;
    span.len = (uint32_t)runs;
    map.type = &a->result;
    map.n = map.step = 1;
    map.valid = &valid;
    map.v.l = &span;
    map.kids = &entries;
    return taco__vec_builder_append(arena, out, &map, NULL, 1, err);
}

/* The aggregates that count equal values: mode, histogram, approx_count_distinct, entropy. */
static bool taco__aggregate_set_counts(const taco__aggregate *a, taco__arena *arena, uint32_t *idx,
                                       uint32_t *tmp, size_t n, taco__vec_builder *out,
                                       taco_error *err)
{
    size_t runs, i, best = 0;
    uint32_t *starts = taco__aggregate_set_runs(a, arena, idx, tmp, n, &runs, err);
    double sum = 0;
    if (!starts) { return false; }
    switch (a->id) {
    case TACO__AGGREGATE_HISTOGRAM:
        return taco__aggregate_set_histogram(a, arena, idx, starts, runs, out, err);
    case TACO__AGGREGATE_COUNT_DISTINCT:
        return taco__aggregate_set_number(arena, out, (double)runs, false, err);
    case TACO__AGGREGATE_ENTROPY:
        for (i = 0; i < runs; i++) {
            double c = (double)(starts[i + 1] - starts[i]);
            sum += c / (double)n * taco__func_math_log2((double)n / c);
        }
        return taco__aggregate_set_number(arena, out, sum, false, err);
    default:
        /* the most frequent value; of several the first, in ORDER BY if there is one: the sort is
           stable, so each run begins with its first row */
        for (i = 1; i < runs; i++) {
            uint32_t c = starts[i + 1] - starts[i], m = starts[best + 1] - starts[best];
            const uint32_t *one = &idx[starts[i]], *two = &idx[starts[best]];
            int order = a->sorts ? taco__aggregate_compare_keys(a, one, two) : 0;
            if (c > m || (c == m && (order < 0 || (!order && *one < *two)))) { best = i; }
        }
        return taco__aggregate_set_value(arena, out, taco__aggregate_values(a),
                                         n ? idx[starts[best]] : TACO__VEC_NONE, err);
    }
}

/* bit_and, bit_or and bit_xor of integers of any width. */
static bool taco__aggregate_set_bits(const taco__aggregate *a, taco__arena *arena,
                                     const uint32_t *idx, size_t n, taco__vec_builder *out,
                                     taco_error *err)
{
    const taco__vec *v = taco__aggregate_values(a);
    taco__vec one;
    size_t i, w;
    bool big = taco__sql_type_physical(v->type) == TACO__PHYS_BIG;
    if (!n) { return taco__aggregate_set_value(arena, out, v, TACO__VEC_NONE, err); }
    if (!taco__vec_take(arena, v, idx, 1, &one, err)) { return false; }
    for (i = 1; i < n; i++) {
        for (w = 0; w < (big ? 4U : 1U); w++) {
            uint64_t x = big ? one.v.d[0].w[w] : (uint64_t)one.v.i[0],
                     y = big ? v->v.d[idx[i]].w[w] : (uint64_t)v->v.i[idx[i]];
            x = a->id == TACO__AGGREGATE_BIT_AND  ? x & y
                : a->id == TACO__AGGREGATE_BIT_OR ? x | y
                                                  : x ^ y;
            if (big) {
                one.v.d[0].w[w] = x;
            } else {
                one.v.i[0] = (int64_t)x;
            }
        }
    }
    return taco__vec_builder_append(arena, out, &one, NULL, 1, err);
}

/* mad: the median of the distances from the median. */
static bool taco__aggregate_set_mad(const taco__aggregate *a, taco__arena *arena, uint32_t *idx,
                                    uint32_t *tmp, size_t n, taco__vec_builder *out,
                                    taco_error *err)
{
    const taco__vec *v = taco__aggregate_values(a);
    taco__aggregate one = *a;
    taco__vec mid, far;
    size_t i;
    if (!n) { return taco__aggregate_set_number(arena, out, 0, true, err); }
    taco__aggregate_sort_rows(v, idx, tmp, n);
    if (!taco__vec_init(arena, &a->result, 1, &mid, err) ||
        !taco__vec_init(arena, v->type, n, &far, err) ||
        !taco__aggregate_quantile(a, arena, idx, n, &mid, 0, err)) {
        return false;
    }
    for (i = 0; i < n; i++) {
        double d = v->v.f[idx[i]] - mid.v.f[0];
        far.v.f[i] = d < 0 ? -d : d;
    }
    for (i = 0; i < n; i++) {
        idx[i] = (uint32_t)i;
    }
    one.wide = false;
    one.pile.v = far;
    taco__aggregate_sort_rows(&far, idx, tmp, n);
    return taco__aggregate_quantile(&one, arena, idx, n, &mid, 0, err) &&
           taco__aggregate_set_number(arena, out, mid.v.f[0], false, err);
}

/* skewness and kurtosis from the sums of powers s[1..4] of n values; false if undefined. */
static bool taco__aggregate_set_shape(uint8_t id, double n, const double *s, double *out)
{
    double t = 1 / n, m2 = t * (s[2] - s[1] * s[1] * t), m4;
    bool pop = id == TACO__AGGREGATE_KURTOSIS_POP;
    if (id == TACO__AGGREGATE_SKEWNESS) {
        double p = m2 * m2 * m2;
        if (n <= 2) { return false; }
        *out = !(p > 0) ? taco__f64_from_bits((uint64_t)0x7FF8 << 48)
                        : taco__math_sqrt(n * (n - 1)) / (n - 2) *
                              (t * (s[3] - 3 * s[2] * s[1] * t + 2 * s[1] * s[1] * s[1] * t * t)) /
                              taco__math_sqrt(p);
        return true;
    }
    if (n <= (pop ? 1 : 3) || !(m2 > 0)) { return false; }
    m4 = t * (s[4] - 4 * s[3] * s[1] * t + 6 * s[2] * s[1] * s[1] * t * t -
              3 * s[1] * s[1] * s[1] * s[1] * t * t * t);
    *out = pop ? m4 / (m2 * m2) - 3
               : (n - 1) * ((n + 1) * m4 / (m2 * m2) - 3 * (n - 1)) / ((n - 2) * (n - 3));
    return true;
}

/* product, fsum, favg, skewness, kurtosis, sem: numbers as DOUBLE. */
static bool taco__aggregate_set_doubles(const taco__aggregate *a, taco__arena *arena,
                                        const uint32_t *idx, size_t n, taco__vec_builder *out,
                                        taco_error *err)
{
    const taco__vec *v = taco__aggregate_values(a);
    double product = 1, sum = 0, lost = 0, mean = 0, square = 0, s[5] = {0, 0, 0, 0, 0}, r = 0;
    bool null = n == 0;
    size_t i;
    for (i = 0; i < n; i++) {
        double x = v->v.f[idx[i]], y = x - lost, t = sum + y, step = (x - mean) / (double)(i + 1);
        product *= x;
        lost = t - sum - y; /* Kahan's sum: what the addition lost */
        sum = t;
        square += (x - mean - step) * (x - mean); /* Welford's sum of squares */
        mean += step;
        s[1] += x;
        s[2] += x * x;
        s[3] += x * x * x;
        s[4] += x * x * x * x;
    }
    switch (a->id) {
    case TACO__AGGREGATE_PRODUCT: r = product; break;
    case TACO__AGGREGATE_KAHAN: r = sum; break;
    case TACO__AGGREGATE_KAHAN_AVG: r = sum / (double)n; break;
    case TACO__AGGREGATE_SEM:
        r = n ? taco__math_sqrt(square / (double)n) / taco__math_sqrt((double)n) : 0;
        break;
    default: null = null || !taco__aggregate_set_shape(a->id, (double)n, s, &r); break;
    }
    return taco__aggregate_set_number(arena, out, r, null, err);
}

/* ---- pairs ---- */

/* covar, corr and regr: means and sums of products around them, by Welford's updates. */
static bool taco__aggregate_set_pairs(const taco__aggregate *a, taco__arena *arena,
                                      const uint32_t *idx, size_t n, taco__vec_builder *out,
                                      taco_error *err)
{
    const taco__vec *vy = &a->rows.v.kids[0], *vx = &a->rows.v.kids[1];
    double my = 0, mx = 0, xy = 0, xx = 0, yy = 0, r = 0, m = (double)n;
    bool null = n == 0;
    size_t i;
    for (i = 0; i < n; i++) {
        double y = vy->v.f[idx[i]], x = vx->v.f[idx[i]], dx = x - mx, dy = y - my,
               k = (double)(i + 1);
        mx += dx / k;
        my += dy / k;
        xy += dx * (y - my);
        xx += dx * (x - mx);
        yy += dy * (y - my);
    }
    switch (a->id) {
    case TACO__AGGREGATE_CORR:
        r = taco__math_sqrt(xx / m) * taco__math_sqrt(yy / m);
        r = xy / m / r;
        break;
    case TACO__AGGREGATE_COVAR_POP: r = xy / m; break;
    case TACO__AGGREGATE_COVAR:
        null = n < 2;
        r = xy / (m - 1);
        break;
    case TACO__AGGREGATE_REGR_AVGX: r = mx; break;
    case TACO__AGGREGATE_REGR_AVGY: r = my; break;
    case TACO__AGGREGATE_REGR_COUNT:
        null = false;
        r = m;
        break;
    case TACO__AGGREGATE_REGR_SLOPE: r = xy / xx; break; /* NaN of one x */
    case TACO__AGGREGATE_REGR_INTERCEPT:                 /* null where the slope is NaN */
        r = my - xy / xx * mx;
        null = null || xy / xx != xy / xx;
        break;
    case TACO__AGGREGATE_REGR_R2:
        null = null || xx == 0;
        r = yy == 0 ? 1 : xy / xx * (xy / yy);
        break;
    case TACO__AGGREGATE_REGR_SXX: r = xx; break;
    case TACO__AGGREGATE_REGR_SXY: r = xy; break;
    default: r = yy; break;
    }
    return taco__aggregate_set_number(arena, out, r, null, err);
}

/* quantile_cont(x, [0.25, 0.75]): a list of quantiles. */
static bool taco__aggregate_set_quantiles(const taco__aggregate *a, taco__arena *arena,
                                          uint32_t *idx, uint32_t *tmp, size_t n,
                                          taco__vec_builder *out, taco_error *err)
{
    taco__aggregate one = *a;
    taco__vec all;
    uint32_t *order = (uint32_t *)taco__arena_array(arena, a->q_n + 1, sizeof *order, err);
    size_t i;
    one.result = a->result.kids[0];
    one.qs = NULL;
    if (!order || !taco__vec_init(arena, &a->result.kids[0], a->q_n, &all, err)) { return false; }
    taco__aggregate_sort_rows(taco__aggregate_values(a), idx, tmp, n);
    for (i = 0; n && i < a->q_n; i++) {
        order[i] = (uint32_t)i;
        one.q = a->qs[i];
        if (!(a->id == TACO__AGGREGATE_DISC
                  ? taco__aggregate_discrete(&one, arena, idx, n, &all, i, err)
                  : taco__aggregate_quantile(&one, arena, idx, n, &all, i, err))) {
            return false;
        }
    }
    return taco__aggregate_set_list(arena, out, &all, order, n ? a->q_n : 0, !n, err);
}

/* The result of one group; see sql.h. */
TACO__FN bool taco__aggregate_set_run(taco__aggregate *a, taco__arena *arena, uint32_t *idx,
                                      uint32_t *tmp, size_t n, taco__vec_builder *out,
                                      taco_error *err)
{
    if (a->qs) { return taco__aggregate_set_quantiles(a, arena, idx, tmp, n, out, err); }
    if (taco__aggregate_set_is_pair(a->id)) {
        return taco__aggregate_set_pairs(a, arena, idx, n, out, err);
    }
    if (a->top) { return taco__aggregate_set_top(a, arena, idx, tmp, n, out, err); }
    switch (a->id) {
    case TACO__AGGREGATE_STRING: return taco__aggregate_set_string(a, arena, idx, n, out, err);
    case TACO__AGGREGATE_ARG_MAX:
    case TACO__AGGREGATE_ARG_MIN:
    case TACO__AGGREGATE_ARG_MAX_NULL:
    case TACO__AGGREGATE_ARG_MIN_NULL: return taco__aggregate_set_arg(a, arena, idx, n, out, err);
    case TACO__AGGREGATE_MODE:
    case TACO__AGGREGATE_HISTOGRAM:
    case TACO__AGGREGATE_COUNT_DISTINCT:
    case TACO__AGGREGATE_ENTROPY:
        return taco__aggregate_set_counts(a, arena, idx, tmp, n, out, err);
    case TACO__AGGREGATE_BIT_AND:
    case TACO__AGGREGATE_BIT_OR:
    case TACO__AGGREGATE_BIT_XOR: return taco__aggregate_set_bits(a, arena, idx, n, out, err);
    case TACO__AGGREGATE_MAD: return taco__aggregate_set_mad(a, arena, idx, tmp, n, out, err);
    default: return taco__aggregate_set_doubles(a, arena, idx, n, out, err);
    }
}
