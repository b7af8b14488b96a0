/* aggregates.c - aggregates: one state for each group, updated by batches

   There are three kinds: running aggregates (COUNT, SUM, AVG, STDDEV, BOOL_AND) keep numbers; MIN,
   MAX, FIRST, LAST, ANY_VALUE keep one value in `pile`; collectors (MEDIAN, quantiles, LIST, and
   everything with DISTINCT) keep all values, with the group of each, and are computed at the end.
   Call taco__aggregate_reserve for the groups there are, then taco__aggregate_add for each batch,
   then taco__aggregate_finish.
   taco__aggregate_merge adds what a task has collected to the aggregate of the calling thread,
   which then has the result that it would have had with the task's rows.

   Example: sum(v) FILTER (v > 0) with the group numbers 0, 1, 0 adds v to a state only for rows
   with v > 0. */
#include "sql.h"
#include "functions.h"
#include "../base/base.h"
#include "../base/json.h"
#include "../filter/filter.h"

/* All aggregates: name, id, values per row, and the fewest and most constants that may follow: the
   share of a quantile, the separator of string_agg, n of max(x, n). Searched from the top, ignoring
   ASCII case. */
static const taco__aggregate_name taco__aggregate_names[] = {
    {"count", TACO__AGGREGATE_COUNT, 1, 0, 0},
    {"sum", TACO__AGGREGATE_SUM, 1, 0, 0},
    {"avg", TACO__AGGREGATE_AVG, 1, 0, 0},
    {"mean", TACO__AGGREGATE_AVG, 1, 0, 0},
    {"min", TACO__AGGREGATE_MIN, 1, 0, 1},
    {"max", TACO__AGGREGATE_MAX, 1, 0, 1},
    {"first", TACO__AGGREGATE_FIRST, 1, 0, 0},
    {"arbitrary", TACO__AGGREGATE_FIRST, 1, 0, 0},
    {"any_value", TACO__AGGREGATE_ANY, 1, 0, 0},
    {"last", TACO__AGGREGATE_LAST, 1, 0, 0},
    {"stddev", TACO__AGGREGATE_STDDEV, 1, 0, 0},
    {"stddev_samp", TACO__AGGREGATE_STDDEV, 1, 0, 0},
    {"stddev_pop", TACO__AGGREGATE_STDDEV_POP, 1, 0, 0},
    {"variance", TACO__AGGREGATE_VAR, 1, 0, 0},
    {"var_samp", TACO__AGGREGATE_VAR, 1, 0, 0},
    {"var_pop", TACO__AGGREGATE_VAR_POP, 1, 0, 0},
    {"bool_and", TACO__AGGREGATE_AND, 1, 0, 0},
    {"bool_or", TACO__AGGREGATE_OR, 1, 0, 0},
    {"count_if", TACO__AGGREGATE_COUNT_IF, 1, 0, 0},
    {"countif", TACO__AGGREGATE_COUNT_IF, 1, 0, 0},
    {"median", TACO__AGGREGATE_MEDIAN, 1, 0, 0},
    {"quantile_cont", TACO__AGGREGATE_CONT, 1, 1, 1},
    {"quantile_disc", TACO__AGGREGATE_DISC, 1, 1, 1},
    {"quantile", TACO__AGGREGATE_DISC, 1, 1, 1},
    {"list", TACO__AGGREGATE_LIST, 1, 0, 0},
    {"array_agg", TACO__AGGREGATE_LIST, 1, 0, 0},
    {"string_agg", TACO__AGGREGATE_STRING, 1, 0, 1},
    {"group_concat", TACO__AGGREGATE_STRING, 1, 0, 1},
    {"listagg", TACO__AGGREGATE_STRING, 1, 0, 1},
    {"arg_max", TACO__AGGREGATE_ARG_MAX, 2, 0, 1},
    {"argmax", TACO__AGGREGATE_ARG_MAX, 2, 0, 1},
    {"max_by", TACO__AGGREGATE_ARG_MAX, 2, 0, 1},
    {"arg_min", TACO__AGGREGATE_ARG_MIN, 2, 0, 1},
    {"argmin", TACO__AGGREGATE_ARG_MIN, 2, 0, 1},
    {"min_by", TACO__AGGREGATE_ARG_MIN, 2, 0, 1},
    {"arg_max_null", TACO__AGGREGATE_ARG_MAX_NULL, 2, 0, 0},
    {"arg_min_null", TACO__AGGREGATE_ARG_MIN_NULL, 2, 0, 0},
    {"mode", TACO__AGGREGATE_MODE, 1, 0, 0},
    {"histogram", TACO__AGGREGATE_HISTOGRAM, 1, 0, 0},
    {"approx_count_distinct", TACO__AGGREGATE_COUNT_DISTINCT, 1, 0, 0},
    {"product", TACO__AGGREGATE_PRODUCT, 1, 0, 0},
    {"bit_and", TACO__AGGREGATE_BIT_AND, 1, 0, 0},
    {"bit_or", TACO__AGGREGATE_BIT_OR, 1, 0, 0},
    {"bit_xor", TACO__AGGREGATE_BIT_XOR, 1, 0, 0},
    {"fsum", TACO__AGGREGATE_KAHAN, 1, 0, 0},
    {"kahan_sum", TACO__AGGREGATE_KAHAN, 1, 0, 0},
    {"sumkahan", TACO__AGGREGATE_KAHAN, 1, 0, 0},
    {"favg", TACO__AGGREGATE_KAHAN_AVG, 1, 0, 0},
    {"skewness", TACO__AGGREGATE_SKEWNESS, 1, 0, 0},
    {"kurtosis", TACO__AGGREGATE_KURTOSIS, 1, 0, 0},
    {"kurtosis_pop", TACO__AGGREGATE_KURTOSIS_POP, 1, 0, 0},
    {"entropy", TACO__AGGREGATE_ENTROPY, 1, 0, 0},
    {"mad", TACO__AGGREGATE_MAD, 1, 0, 0},
    {"sem", TACO__AGGREGATE_SEM, 1, 0, 0},
    {"corr", TACO__AGGREGATE_CORR, 2, 0, 0},
    {"covar_pop", TACO__AGGREGATE_COVAR_POP, 2, 0, 0},
    {"covar_samp", TACO__AGGREGATE_COVAR, 2, 0, 0},
    {"regr_avgx", TACO__AGGREGATE_REGR_AVGX, 2, 0, 0},
    {"regr_avgy", TACO__AGGREGATE_REGR_AVGY, 2, 0, 0},
    {"regr_count", TACO__AGGREGATE_REGR_COUNT, 2, 0, 0},
    {"regr_slope", TACO__AGGREGATE_REGR_SLOPE, 2, 0, 0},
    {"regr_intercept", TACO__AGGREGATE_REGR_INTERCEPT, 2, 0, 0},
    {"regr_r2", TACO__AGGREGATE_REGR_R2, 2, 0, 0},
    {"regr_sxx", TACO__AGGREGATE_REGR_SXX, 2, 0, 0},
    {"regr_sxy", TACO__AGGREGATE_REGR_SXY, 2, 0, 0},
    {"regr_syy", TACO__AGGREGATE_REGR_SYY, 2, 0, 0}};

/* The aggregate with that name, in any case; NULL if there is none. */
TACO__FN const taco__aggregate_name *taco__aggregate_lookup(taco_bytes name)
{
    size_t i;
    for (i = 0; i < TACO__COUNT(taco__aggregate_names); i++) {
        if (taco__ascii_is_word(name, taco__aggregate_names[i].name)) {
            return &taco__aggregate_names[i];
        }
    }
    return NULL;
}

/* The name of the aggregate nearest to a name, if it is nearer than *least edits, which is then
   updated; NULL if there is none. */
TACO__FN const char *taco__aggregate_nearest(taco_bytes name, size_t *least)
{
    const char *near = NULL;
    size_t i;
    for (i = 0; i < TACO__COUNT(taco__aggregate_names); i++) {
        const char *other = taco__aggregate_names[i].name;
        size_t d = taco__field_names_distance(name, taco__bytes_text(other));
        if (d < *least) {
            *least = d;
            near = other;
        }
    }
    return near;
}

/* The id of the aggregate with that name; 0 if there is none. */
TACO__FN uint8_t taco__aggregate_find(taco_bytes name)
{
    const taco__aggregate_name *a = taco__aggregate_lookup(name);
    return a ? a->id : 0;
}

/* The values that a collector has collected of its first argument. */
TACO__FN const taco__vec *taco__aggregate_values(const taco__aggregate *a)
{
    return a->wide ? &a->rows.v.kids[0] : &a->pile.v;
}

/* Whether all values of a group are kept until the end: for quantiles and LIST, and for DISTINCT
   and ORDER BY, which sort them first. */
static bool taco__aggregate_is_collector(const taco__aggregate *a)
{
    return a->id >= TACO__AGGREGATE_MEDIAN || a->distinct || a->wide || a->deferred;
}

/* Whether a state refers to one value in the pile instead of holding numbers. */
static bool taco__aggregate_stores_value(const taco__aggregate *a)
{
    return a->id >= TACO__AGGREGATE_MIN && a->id <= TACO__AGGREGATE_LAST;
}

/* Makes room for the states of n groups; new ones are zero. Must be called before
   taco__aggregate_add with groups up to n; the first call makes the pile. */
TACO__FN bool taco__aggregate_reserve(taco__aggregate *a, taco__arena *arena, size_t n,
                                      taco_error *err)
{
    taco__aggregate_state *s;
    size_t cap;
    if (!a->piled && (taco__aggregate_is_collector(a) || taco__aggregate_stores_value(a))) {
        if (!taco__vec_builder_init(arena, &a->arg, &a->pile, err) ||
            (a->wide && !taco__vec_builder_init(arena, &a->row_type, &a->rows, err))) {
            return false;
        }
        a->groups.mem = arena->mem;
        a->piled = true;
    }
    if (n <= a->cap) { return true; }
    cap = TACO__MAX(n, a->cap * 2);
    s = (taco__aggregate_state *)taco__arena_array(arena, cap, sizeof *s, err);
    if (!s) { return false; }
    if (a->cap) { memcpy(s, a->states, a->cap * sizeof *s); }
    a->states = s;
    a->cap = cap;
    return true;
}

/* Puts row i of v into the pile. If the group has a value already, numbers are overwritten; texts
   and lists are appended, leaving the old ones unused until the end. */
static bool taco__aggregate_store(taco__aggregate *a, taco__arena *arena, taco__aggregate_state *s,
                                  const taco__vec *v, size_t i, taco_error *err)
{
    taco__physical_type p = taco__sql_type_physical(v->type);
    uint32_t row = (uint32_t)i;
    bool ok = taco__vec_is_valid(v, i);
    if (s->n++ && (p == TACO__PHYS_INT || p == TACO__PHYS_DBL || p == TACO__PHYS_BIG)) {
        size_t at = (size_t)s->i;
        a->pile.v.valid[at] = ok;
        i *= v->step;
        if (!ok) { return true; }
        if (p == TACO__PHYS_INT) {
            a->pile.v.v.i[at] = v->v.i[i];
        } else if (p == TACO__PHYS_DBL) {
            a->pile.v.v.f[at] = v->v.f[i];
        } else {
            a->pile.v.v.d[at] = v->v.d[i];
        }
        return true;
    }
    s->i = (int64_t)a->pile.v.n;
    return taco__vec_builder_append(arena, &a->pile, v, &row, 1, err);
}

/* MIN, MAX, FIRST, LAST and ANY_VALUE: row i of v replaces the value of its group if it comes
   before it in the order of the aggregate. FIRST and LAST accept nulls, too. */
TACO__INLINE bool taco__aggregate_offer(taco__aggregate *a, taco__arena *arena,
                                        taco__aggregate_state *s, const taco__vec *v, size_t i,
                                        taco_error *err)
{
    int c;
    if (a->id == TACO__AGGREGATE_FIRST) {
        return s->n ? true : taco__aggregate_store(a, arena, s, v, i, err);
    }
    if (a->id == TACO__AGGREGATE_LAST) { return taco__aggregate_store(a, arena, s, v, i, err); }
    if (!taco__vec_is_valid(v, i) || (a->id == TACO__AGGREGATE_ANY && s->n)) { return true; }
    c = s->n ? taco__vec_compare(v, i, &a->pile.v, (size_t)s->i) : 0;
    if (!s->n || (a->id == TACO__AGGREGATE_MIN ? c < 0 : c > 0)) {
        return taco__aggregate_store(a, arena, s, v, i, err);
    }
    return true;
}

/* Welford's update: s->f is the mean so far, s->g the sum of squared deviations from it. It loses
   no digits if the values are large and close together. */
static void taco__aggregate_add_moment(taco__aggregate_state *s, double x)
{
    double step, mean;
    s->n++;
    step = (x - s->f) / (double)s->n;
    mean = s->f + step;
    s->g += (x - mean) * (x - s->f);
    s->f = mean;
}

/* Adds an integer to a sum: in s->i, carried over into the 256-bit s->d only on overflow. */
TACO__INLINE void taco__aggregate_add_int(taco__aggregate_state *s, int64_t x)
{
    int64_t sum;
    if (!taco__func_number_add64(s->i, x, &sum)) {
        s->d = taco__i256_add(s->d, taco__i256_from_i64(s->i));
        sum = x;
    }
    s->i = sum;
}

/* SUM and AVG: adds n rows of v, from row `from` on, to the sums of their groups. */
static void taco__aggregate_add_sums(taco__aggregate_state *states, const taco__vec *v,
                                     const uint32_t *group, const uint8_t *keep, size_t from,
                                     size_t n)
{
    taco__physical_type p = taco__sql_type_physical(v->type);
    size_t i, step = v->step, at = from * step;
    for (i = 0; i < n; i++, at += step) {
        taco__aggregate_state *s = &states[group[i]];
        if ((keep && !keep[i]) || (v->valid && !v->valid[at])) { continue; }
        s->n++;
        if (p == TACO__PHYS_DBL) {
            s->f += v->v.f[at];
        } else if (p == TACO__PHYS_INT) {
            taco__aggregate_add_int(s, v->v.i[at]);
        } else {
            s->d = taco__i256_add(s->d, v->v.d[at]);
        }
    }
}

/* Adds row i of v to its group. */
static bool taco__aggregate_add_value(taco__aggregate *a, taco__arena *arena,
                                      taco__aggregate_state *s, const taco__vec *v, size_t i,
                                      taco_error *err)
{
    uint32_t zero = 0;
    if (taco__aggregate_stores_value(a)) { return taco__aggregate_offer(a, arena, s, v, i, err); }
    if (!taco__vec_is_valid(v, i)) { return true; }
    switch (a->id) {
    case TACO__AGGREGATE_COUNT: s->n++; return true;
    case TACO__AGGREGATE_COUNT_IF:
        s->n++;
        s->i += v->v.i[i * v->step] != 0;
        return true;
    case TACO__AGGREGATE_SUM:
    case TACO__AGGREGATE_AVG: /* of distinct values */
        taco__aggregate_add_sums(s, v, &zero, NULL, i, 1);
        return true;
    case TACO__AGGREGATE_AND:
    case TACO__AGGREGATE_OR:
        if (!s->n++) {
            s->i = v->v.i[i * v->step];
        } else {
            s->i = a->id == TACO__AGGREGATE_AND ? s->i && v->v.i[i * v->step]
                                                : s->i || v->v.i[i * v->step];
        }
        return true;
    default: taco__aggregate_add_moment(s, v->v.f[i * v->step]); return true;
    }
}

/* Whether a collector takes row i: nulls only if the aggregate includes them. */
static bool taco__aggregate_collects(const taco__aggregate *a, const taco__vec *v, size_t i)
{
    bool second = a->wide && a->args > 1;
    if (a->wide) {
        if (second && !taco__vec_is_valid(&v->kids[1], i)) { return false; }
        v = &v->kids[0];
    }
    if (taco__vec_is_valid(v, i) || a->id == TACO__AGGREGATE_LIST ||
        a->id == TACO__AGGREGATE_ARG_MAX_NULL || a->id == TACO__AGGREGATE_ARG_MIN_NULL) {
        return true;
    }
    return !a->distinct && (a->id == TACO__AGGREGATE_FIRST || a->id == TACO__AGGREGATE_LAST);
}

/* How many rows are put into the pile at a time. */
#define TACO__AGGREGATE_CHUNK 256

/* Puts rows into the pile of a collector, and records their groups. */
static bool taco__aggregate_collect(taco__aggregate *a, taco__arena *arena, const taco__vec *v,
                                    const uint32_t *group, const uint8_t *keep, size_t n,
                                    taco_error *err)
{
    taco__vec_builder *pile = a->wide ? &a->rows : &a->pile;
    uint32_t rows[TACO__AGGREGATE_CHUNK], groups[TACO__AGGREGATE_CHUNK];
    taco__vec flat = *v;
    size_t i = 0, m;
    if (a->wide && !taco__vec_flatten(arena, &flat, err)) { return false; }
    v = &flat;
    while (i < n) {
        for (m = 0; i < n && m < TACO__AGGREGATE_CHUNK; i++) {
            rows[m] = (uint32_t)i;
            groups[m] = group[i];
            m += (!keep || keep[i]) && taco__aggregate_collects(a, v, i);
        }
        if (!taco__vec_builder_append(arena, pile, v, rows, m, err) ||
            !taco__buf_append(&a->groups, groups, m * sizeof *groups, err)) {
            return false;
        }
    }
    return true;
}

/* At most so many groups have several counts each. */
#define TACO__AGGREGATE_FEW 16

/* Adds rows to the counts of their groups, of which there are at most `most`. A count that the
   previous row has just written would have to be waited for, so with few groups, four consecutive
   rows have separate counts. */
static void taco__aggregate_count_rows(taco__aggregate_state *states, size_t most,
                                       const uint32_t *group, const uint8_t *keep, size_t n)
{
    uint32_t counts[4][TACO__AGGREGATE_FEW];
    size_t i;
    if (most == 1 && !keep) {
        states[0].n += (int64_t)n;
        return;
    }
    if (n < 1024 || n > UINT32_MAX || most > TACO__AGGREGATE_FEW) {
        for (i = 0; i < n; i++) {
            states[group[i]].n += !keep || keep[i];
        }
        return;
    }
    memset(counts, 0, sizeof counts);
    if (keep) {
        for (i = 0; i < n; i++) {
            counts[i & 3][group[i]] += keep[i] != 0;
        }
    } else {
        for (i = 0; i < n; i++) {
            counts[i & 3][group[i]]++;
        }
    }
    for (i = 0; i < most; i++) {
        states[i].n += (int64_t)counts[0][i] + counts[1][i] + counts[2][i] + counts[3][i];
    }
}

/* n rows: row i belongs to group[i]; keep (may be NULL) says which rows count. v is NULL for
   COUNT(*). */
TACO__FN bool taco__aggregate_add(taco__aggregate *a, taco__arena *arena, const taco__vec *v,
                                  const uint32_t *group, const uint8_t *keep, size_t n,
                                  taco_error *err)
{
    size_t i;
    if (a->id == TACO__AGGREGATE_COUNT_STAR) {
        taco__aggregate_count_rows(a->states, a->cap, group, keep, n);
        return true;
    }
    if (taco__aggregate_is_collector(a)) {
        return taco__aggregate_collect(a, arena, v, group, keep, n, err);
    }
    if (a->id == TACO__AGGREGATE_SUM || a->id == TACO__AGGREGATE_AVG) {
        taco__aggregate_add_sums(a->states, v, group, keep, 0, n);
        return true;
    }
    for (i = 0; i < n; i++) {
        if ((!keep || keep[i]) &&
            !taco__aggregate_add_value(a, arena, &a->states[group[i]], v, i, err)) {
            return false;
        }
    }
    return true;
}

/* ---- states of tasks ---- */

/* Whether the order of additions shows in the result. */
TACO__FN bool taco__aggregate_is_ordered(const taco__aggregate *a)
{
    bool sum = a->id == TACO__AGGREGATE_SUM || a->id == TACO__AGGREGATE_AVG;
    bool spread = a->id >= TACO__AGGREGATE_STDDEV && a->id <= TACO__AGGREGATE_VAR_POP;
    return spread || (sum && taco__sql_type_physical(&a->arg) == TACO__PHYS_DBL);
}

/* An aggregate of a task, before its first row: values of an ordered one are kept, for the calling
   thread to add. Makes room for that many. */
TACO__FN bool taco__aggregate_defer(taco__aggregate *a, taco__arena *arena, size_t rows,
                                    taco_error *err)
{
    a->deferred = taco__aggregate_is_ordered(a);
    return !a->deferred || a->wide || a->distinct ||
           (taco__aggregate_reserve(a, arena, 1, err) &&
            taco__vec_builder_reserve(arena, &a->pile, rows, err));
}

/* Forgets all rows, whose arena is reset. */
TACO__FN void taco__aggregate_reset(taco__aggregate *a)
{
    a->states = NULL;
    a->cap = 0;
    a->piled = false;
    memset(&a->pile, 0, sizeof a->pile);
    memset(&a->rows, 0, sizeof a->rows);
    a->groups.len = 0;
}

/* Adds the state p of a task to s: exact numbers, or the value that p has. */
static bool taco__aggregate_merge_state(taco__aggregate *a, taco__arena *arena,
                                        taco__aggregate_state *s, const taco__aggregate *part,
                                        const taco__aggregate_state *p, taco_error *err)
{
    if (!p->n) { return true; }
    if (taco__aggregate_stores_value(a)) {
        return taco__aggregate_offer(a, arena, s, &part->pile.v, (size_t)p->i, err);
    }
    if (a->id == TACO__AGGREGATE_AND || a->id == TACO__AGGREGATE_OR) {
        bool all = a->id == TACO__AGGREGATE_AND;
        s->i = !s->n ? p->i : all ? s->i && p->i : s->i || p->i;
    } else if (a->id == TACO__AGGREGATE_SUM || a->id == TACO__AGGREGATE_AVG) {
        s->d = taco__i256_add(s->d, p->d);
        taco__aggregate_add_int(s, p->i);
    } else if (a->id == TACO__AGGREGATE_COUNT_IF) {
        s->i += p->i;
    }
    s->n += p->n;
    return true;
}

/* Adds what a task has of the same aggregate, whose rows come after those that are here: group[i]
   is the number of its i-th group. There must be room for all groups. */
TACO__FN bool taco__aggregate_merge(taco__aggregate *a, taco__arena *arena, taco__aggregate *part,
                                    const uint32_t *group, size_t groups, taco_error *err)
{
    const taco__vec *v = part->wide ? &part->rows.v : &part->pile.v;
    uint32_t *of = (uint32_t *)(void *)part->groups.data;
    size_t i;
    if (!taco__aggregate_is_collector(part)) {
        for (i = 0; i < TACO__MIN(groups, part->cap); i++) {
            if (!taco__aggregate_merge_state(a, arena, &a->states[group[i]], part, &part->states[i],
                                             err)) {
                return false;
            }
        }
        return true;
    }
    for (i = 0; i < v->n; i++) {
        of[i] = group[of[i]];
    }
    return !v->n || taco__aggregate_add(a, arena, v, of, NULL, v->n, err);
}

/* ---- results ---- */

/* For taco__sort: rows of a vector by value. */
static int taco__aggregate_compare_rows(const void *ctx, const void *a, const void *b)
{
    const taco__vec *v = (const taco__vec *)ctx;
    return taco__vec_compare_nulls(v, *(const uint32_t *)a, v, *(const uint32_t *)b);
}

/* Sorts rows of a vector by value, nulls last; stable. */
TACO__FN void taco__aggregate_sort_rows(const taco__vec *v, uint32_t *idx, uint32_t *tmp, size_t n)
{
    taco__sort(idx, tmp, n, sizeof *idx, taco__aggregate_compare_rows, v);
}

/* Moves the interpolated result g to the nearer one of lo and hi if rounding has put it outside of
   them. */
static void taco__aggregate_quantile_clamp(taco__vec *out, size_t g, const taco__vec *lo,
                                           const taco__vec *hi)
{
    switch (taco__sql_type_physical(out->type)) {
    case TACO__PHYS_DBL:
        if (taco__scalar_compare_double(out->v.f[g], lo->v.f[0]) < 0) { out->v.f[g] = lo->v.f[0]; }
        if (taco__scalar_compare_double(out->v.f[g], hi->v.f[0]) > 0) { out->v.f[g] = hi->v.f[0]; }
        break;
    case TACO__PHYS_BIG:
        if (taco__i256_compare(&out->v.d[g], &lo->v.d[0]) < 0) { out->v.d[g] = lo->v.d[0]; }
        if (taco__i256_compare(&out->v.d[g], &hi->v.d[0]) > 0) { out->v.d[g] = hi->v.d[0]; }
        break;
    default: out->v.i[g] = TACO__MAX(lo->v.i[0], TACO__MIN(out->v.i[g], hi->v.i[0])); break;
    }
}

/* A point between two sorted values, in the result's type: with n values the quantile q is at (n -
   1) * q, interpolated between its two neighbours. Texts take the lower one. */
TACO__FN bool taco__aggregate_quantile(const taco__aggregate *a, taco__arena *arena,
                                       const uint32_t *idx, size_t n, taco__vec *out, size_t g,
                                       taco_error *err)
{
    double at = (double)(n - 1) * a->q, floor = taco__math_floor(at), part = at - floor;
    uint32_t ends[2];
    taco__vec lo, hi;
    ends[0] = idx[(size_t)floor];
    ends[1] = idx[TACO__MIN((size_t)floor + (part > 0), n - 1)];
    if (!taco__vec_take(arena, taco__aggregate_values(a), &ends[0], 1, &lo, err) ||
        !taco__vec_take(arena, taco__aggregate_values(a), &ends[1], 1, &hi, err) ||
        !taco__cast_vector(arena, &lo, &a->result, false, &lo, err) ||
        !taco__cast_vector(arena, &hi, &a->result, false, &hi, err)) {
        return false;
    }
    switch (taco__sql_type_physical(&a->result)) {
    case TACO__PHYS_DBL:
        out->v.f[g] = part > 0 ? lo.v.f[0] * (1.0 - part) + hi.v.f[0] * part : lo.v.f[0];
        if (a->result.t.id == TACO_FLOAT) {
            out->v.f[g] =
                part > 0 ? (double)(float)(lo.v.f[0] + (hi.v.f[0] - lo.v.f[0]) * part) : lo.v.f[0];
        }
        break;
    case TACO__PHYS_BIG: {
        /* DuckDB truncates the step up to 18 digits, beyond that the sum */
        taco__i256 delta = taco__i256_add(hi.v.d[0], taco__i256_negate(lo.v.d[0])), step;
        bool wide = a->result.t.precision > 18;
        double d = taco__scalar_i256_to_double(&delta, false) * part;
        d += wide ? taco__scalar_i256_to_double(&lo.v.d[0], false) : 0;
        d = d < 0 ? -taco__math_floor(-d) : taco__math_floor(d);
        out->v.d[g] = lo.v.d[0];
        if (part > 0 && taco__cast_double_to_int(d, &step)) {
            out->v.d[g] = wide ? step : taco__i256_add(lo.v.d[0], step);
        }
        break;
    }
    case TACO__PHYS_INT:
        /* weighted as doubles and rounded, as DuckDB does for timestamps */
        at = taco__math_round((double)lo.v.i[0] * (1.0 - part) + (double)hi.v.i[0] * part);
        out->v.i[g] = part > 0 && at > -9.2e18 && at < 9.2e18 ? (int64_t)at : lo.v.i[0];
        break;
    default: out->v.s[g] = lo.v.s[0]; return true;
    }
    taco__aggregate_quantile_clamp(out, g, &lo, &hi);
    return true;
}

/* Sets the result of group g to null, for a group without values. */
static bool taco__aggregate_set_null(taco__arena *arena, taco__vec *out, size_t g, taco_error *err)
{
    if (!taco__vec_init_validity(arena, out, err)) { return false; }
    out->valid[g] = 0;
    return true;
}

/* Compares two rows of a collector by its arguments. */
static int taco__aggregate_compare_arguments(const void *ctx, const void *x, const void *y)
{
    const taco__aggregate *a = (const taco__aggregate *)ctx;
    size_t i = *(const uint32_t *)x, j = *(const uint32_t *)y;
    int c = taco__vec_compare_nulls(taco__aggregate_values(a), i, taco__aggregate_values(a), j);
    return c || a->args < 2 ? c
                            : taco__vec_compare_nulls(&a->rows.v.kids[1], i, &a->rows.v.kids[1], j);
}

/* Compares two rows of a collector by its ORDER BY. */
TACO__FN int taco__aggregate_compare_keys(const void *ctx, const void *x, const void *y)
{
    const taco__aggregate *a = (const taco__aggregate *)ctx;
    size_t i = *(const uint32_t *)x, j = *(const uint32_t *)y;
    uint32_t k;
    for (k = 0; k < a->sorts; k++) {
        int c = taco__vec_compare_sorted(&a->rows.v.kids[a->args + k], i, j, a->sort_flags[k]);
        if (c) { return c; }
    }
    return 0;
}

/* Keeps one of each run of equal values among the rows idx[0..n), in their order; returns how
   many. */
static size_t taco__aggregate_unique(const taco__aggregate *a, uint32_t *idx, uint32_t *tmp,
                                     size_t n)
{
    size_t i, m = 0;
    taco__sort(idx, tmp, n, sizeof *idx, taco__aggregate_compare_arguments, a);
    for (i = 0; i < n; i++) {
        if (!i || taco__aggregate_compare_arguments(a, &idx[i], &idx[m - 1]) != 0) {
            idx[m++] = idx[i];
        }
    }
    return m;
}

/* quantile_disc: the first of the sorted values idx[0..n) at which at least the share q has been
   reached. */
TACO__FN bool taco__aggregate_discrete(const taco__aggregate *a, taco__arena *arena,
                                       const uint32_t *idx, size_t n, taco__vec *out, size_t g,
                                       taco_error *err)
{
    double rest = taco__math_floor((double)n - (double)n * a->q);
    size_t at = n - (size_t)TACO__MAX(0.0, TACO__MIN(rest, (double)n));
    uint32_t row = idx[TACO__MAX(at, (size_t)1) - 1];
    taco__vec one;
    if (!taco__vec_take(arena, taco__aggregate_values(a), &row, 1, &one, err)) { return false; }
    switch (taco__sql_type_physical(&a->result)) {
    case TACO__PHYS_DBL: out->v.f[g] = one.v.f[0]; break;
    case TACO__PHYS_BIG: out->v.d[g] = one.v.d[0]; break;
    case TACO__PHYS_STR: out->v.s[g] = one.v.s[0]; break;
    default: out->v.i[g] = one.v.i[0]; break;
    }
    return true;
}

/* One group of a collector: the rows idx[0..n) of the pile, reduced to *left, in order. For a
   running aggregate with DISTINCT or ORDER BY the values are added to its state. */
static bool taco__aggregate_group_result(taco__aggregate *a, taco__arena *arena, uint32_t *idx,
                                         uint32_t *tmp, size_t n, size_t g, taco__vec *out,
                                         size_t *left, taco_error *err)
{
    size_t i;
    n = a->distinct ? taco__aggregate_unique(a, idx, tmp, n) : n;
    if (a->sorts) { taco__sort(idx, tmp, n, sizeof *idx, taco__aggregate_compare_keys, a); }
    *left = n;
    switch (a->id) {
    case TACO__AGGREGATE_LIST:
        out->v.l[g].at = (uint32_t)out->kids[0].n;
        out->v.l[g].len = (uint32_t)n;
        return n ? true : taco__aggregate_set_null(arena, out, g, err);
    case TACO__AGGREGATE_MEDIAN:
    case TACO__AGGREGATE_CONT:
    case TACO__AGGREGATE_DISC:
        if (a->qs) { return true; }
        if (!n) { return taco__aggregate_set_null(arena, out, g, err); }
        taco__aggregate_sort_rows(taco__aggregate_values(a), idx, tmp, n);
        return a->id == TACO__AGGREGATE_DISC || taco__sql_type_physical(&a->arg) == TACO__PHYS_STR
                   ? taco__aggregate_discrete(a, arena, idx, n, out, g, err)
                   : taco__aggregate_quantile(a, arena, idx, n, out, g, err);
    default:
        for (i = 0; a->id < TACO__AGGREGATE_MEDIAN && i < n; i++) {
            if (!taco__aggregate_add_value(a, arena, &a->states[g], taco__aggregate_values(a),
                                           idx[i], err)) {
                return false;
            }
        }
        return true;
    }
}

/* Variances and standard deviations; for a sample null with one value, for a population null with
   none. */
static bool taco__aggregate_spread_result(taco__aggregate *a, taco__arena *arena, size_t g,
                                          taco__vec *out, taco_error *err)
{
    const taco__aggregate_state *s = &a->states[g];
    bool pop = a->id == TACO__AGGREGATE_VAR_POP || a->id == TACO__AGGREGATE_STDDEV_POP;
    bool root = a->id == TACO__AGGREGATE_STDDEV || a->id == TACO__AGGREGATE_STDDEV_POP;
    double v;
    if (s->n < (pop ? 1 : 2)) { return taco__aggregate_set_null(arena, out, g, err); }
    v = s->n > 1 ? s->g / (double)(pop ? s->n : s->n - 1) : 0;
    if (!taco__f64_is_finite(v)) {
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET, "a variance is out of range");
        return false;
    }
    out->v.f[g] = root ? taco__math_sqrt(v) : v;
    return true;
}

/* The exact sum in a state: s->i plus what was carried over into s->d. */
static taco__i256 taco__aggregate_total(const taco__aggregate_state *s)
{
    return taco__i256_add(s->d, taco__i256_from_i64(s->i));
}

/* AVG is DOUBLE: of whole numbers and decimals the nearest to their exact mean. */
static double taco__aggregate_average(const taco__aggregate *a, const taco__aggregate_state *s)
{
    taco__i256 total;
    if (taco__sql_type_physical(&a->arg) == TACO__PHYS_DBL) { return s->f / (double)s->n; }
    total = taco__aggregate_total(s);
    return taco__mean_exact(&total, s->n, a->arg.t.id == TACO_DECIMAL ? a->arg.t.scale : 0);
}

/* SUM in the result's type, which an exact sum may exceed. */
static bool taco__aggregate_sum_result(const taco__aggregate *a, const taco__aggregate_state *s,
                                       size_t g, taco__vec *out, taco_error *err)
{
    taco__i256 total = taco__aggregate_total(s);
    if (taco__sql_type_physical(&a->arg) == TACO__PHYS_DBL) {
        out->v.f[g] = s->f;
        return true;
    }
    out->v.d[g] = total;
    if (!taco__cast_fits(&a->result.t, &total)) {
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET, "overflow in sum");
        return false;
    }
    return true;
}

/* The result of group g of a running aggregate, in out. For aggregates that store a value, only the
   null of an empty group: taco__aggregate_finish takes the values from the pile. */
static bool taco__aggregate_result(taco__aggregate *a, taco__arena *arena, size_t g, taco__vec *out,
                                   taco_error *err)
{
    taco__aggregate_state *s = &a->states[g];
    switch (a->id) {
    case TACO__AGGREGATE_COUNT:
    case TACO__AGGREGATE_COUNT_STAR: out->v.i[g] = s->n; return true;
    case TACO__AGGREGATE_VAR_POP:
    case TACO__AGGREGATE_STDDEV_POP:
    case TACO__AGGREGATE_VAR:
    case TACO__AGGREGATE_STDDEV: return taco__aggregate_spread_result(a, arena, g, out, err);
    default: break;
    }
    if (!s->n) { return taco__aggregate_set_null(arena, out, g, err); }
    switch (a->id) {
    case TACO__AGGREGATE_AND:
    case TACO__AGGREGATE_OR: out->v.i[g] = s->i; return true;
    case TACO__AGGREGATE_COUNT_IF: out->v.d[g] = taco__i256_from_i64(s->i); return true;
    case TACO__AGGREGATE_AVG: out->v.f[g] = taco__aggregate_average(a, s); return true;
    case TACO__AGGREGATE_SUM: return taco__aggregate_sum_result(a, s, g, out, err);
    default: return true;
    }
}

/* Sorts the rows of the pile by group with a counting sort, and computes the result of each group.
   The order within a group stays that of arrival, which is visible in LIST and quantiles of equal
   values. */
static bool taco__aggregate_finish_collector(taco__aggregate *a, taco__arena *arena, size_t groups,
                                             taco__vec *out, taco_error *err)
{
    size_t n = a->wide ? a->rows.v.n : a->pile.v.n, i, g, left;
    bool set = a->id > TACO__AGGREGATE_LIST || a->qs;
    taco__vec_builder results;
    const uint32_t *of = (const uint32_t *)(const void *)a->groups.data;
    uint32_t *starts = (uint32_t *)taco__arena_array(arena, groups + 2, sizeof *starts, err),
             *idx = (uint32_t *)taco__arena_array(arena, n + 1, sizeof *idx, err),
             *tmp = (uint32_t *)taco__arena_array(arena, n + 1, sizeof *tmp, err), *list;
    size_t listed = 0;
    list = a->id == TACO__AGGREGATE_LIST
               ? (uint32_t *)taco__arena_array(arena, n + 1, sizeof *list, err)
               : tmp;
    if (!starts || !idx || !tmp || !list ||
        (set && !taco__vec_builder_init(arena, &a->result, &results, err))) {
        return false;
    }
    /* counting sort: starts[g + 1] is first where group g begins, and after its rows have been
       placed where it ends */
    for (i = 0; i < n; i++) {
        starts[of[i] + 2]++;
    }
    for (g = 0; g < groups; g++) {
        starts[g + 2] += starts[g + 1];
    }
    for (i = 0; i < n; i++) {
        idx[starts[of[i] + 1]++] = (uint32_t)i;
    }
    for (g = 0; g < groups; g++) {
        size_t from = starts[g], count = starts[g + 1] - from;
        if (!(set && !a->distinct && !a->sorts) &&
            !taco__aggregate_group_result(a, arena, idx + from, tmp, count, g, out, &left, err)) {
            return false;
        }
        if (set) {
            left = a->distinct ? left : count;
            if (!taco__aggregate_set_run(a, arena, idx + from, tmp, left, &results, err)) {
                return false;
            }
            continue;
        }
        if (a->id == TACO__AGGREGATE_LIST) {
            out->v.l[g].at = (uint32_t)listed;
            memcpy(list + listed, idx + from, out->v.l[g].len * sizeof *list);
            listed += out->v.l[g].len;
        }
    }
    if (set) { *out = results.v; }
    return a->id != TACO__AGGREGATE_LIST ||
           taco__vec_take(arena, taco__aggregate_values(a), list, listed, &out->kids[0], err);
}

/* The results of all groups as a vector in the arena. If DISTINCT collected the values of a running
   aggregate, these are added to the states first. */
TACO__FN bool taco__aggregate_finish(taco__aggregate *a, taco__arena *arena, size_t groups,
                                     taco__vec *out, taco_error *err)
{
    size_t g;
    uint32_t *idx;
    if (!taco__aggregate_reserve(a, arena, groups, err) ||
        !taco__vec_init(arena, &a->result, groups, out, err)) {
        return false;
    }
    if (taco__aggregate_is_collector(a)) {
        if (!taco__aggregate_finish_collector(a, arena, groups, out, err)) { return false; }
        if (a->id >= TACO__AGGREGATE_MEDIAN) { return true; }
    }
    for (g = 0; g < groups; g++) {
        if (!taco__aggregate_result(a, arena, g, out, err)) { return false; }
    }
    /* MIN and the like: the row of the pile that each group refers to */
    if (!taco__aggregate_stores_value(a)) { return true; }
    idx = (uint32_t *)taco__arena_array(arena, groups, sizeof *idx, err);
    for (g = 0; idx && g < groups; g++) {
        idx[g] = a->states[g].n ? (uint32_t)a->states[g].i : TACO__VEC_NONE;
    }
    return idx && taco__vec_take(arena, &a->pile.v, idx, groups, out, err);
}

/* Sets a->result from a->arg by DuckDB's rules, and changes a->arg if the argument must be cast.
   False if the aggregate does not take the type; the binder handles LIST. */
TACO__FN bool taco__aggregate_set_result_type(taco__aggregate *a)
{
    taco__sql_type t = a->arg;
    bool number = taco__sql_type_is_number(&t), date = taco__sql_type_is_datetime(&t);
    memset(&a->result, 0, sizeof a->result);
    switch (a->id) {
    case TACO__AGGREGATE_COUNT:
    case TACO__AGGREGATE_COUNT_STAR:
        a->result.t = taco__scalar_simple_type(TACO_INT64);
        return true;
    case TACO__AGGREGATE_COUNT_IF:
        a->result.t = taco__scalar_simple_type(TACO_DECIMAL);
        a->result.t.precision = 39;
        return t.t.id == TACO_BOOL;
    case TACO__AGGREGATE_SUM:
        a->result.t = taco__scalar_simple_type(
            taco__sql_type_physical(&t) == TACO__PHYS_DBL ? TACO_DOUBLE : TACO_DECIMAL);
        if (a->result.t.id == TACO_DECIMAL) {
            a->result.t.precision = t.t.id == TACO_DECIMAL && t.t.precision != 39 ? 38 : 39;
            a->result.t.scale = t.t.id == TACO_DECIMAL ? t.t.scale : 0;
        }
        return number || t.t.id == TACO_BOOL;
    case TACO__AGGREGATE_AVG: a->result.t = taco__scalar_simple_type(TACO_DOUBLE); return number;
    case TACO__AGGREGATE_STDDEV:
    case TACO__AGGREGATE_STDDEV_POP:
    case TACO__AGGREGATE_VAR:
    case TACO__AGGREGATE_VAR_POP: /* the argument is cast to DOUBLE */
        a->result.t = taco__scalar_simple_type(TACO_DOUBLE);
        if (number) {
            memset(&a->arg, 0, sizeof a->arg);
            a->arg.t = taco__scalar_simple_type(TACO_DOUBLE);
        }
        return number;
    case TACO__AGGREGATE_AND:
    case TACO__AGGREGATE_OR: a->result = t; return t.t.id == TACO_BOOL;
    case TACO__AGGREGATE_MEDIAN:
    case TACO__AGGREGATE_CONT:
        a->result = t;
        if (taco__scalar_is_int(t.t.id) || taco__sql_type_is_hugeint(&t)) {
            memset(&a->result, 0, sizeof a->result);
            a->result.t = taco__scalar_simple_type(TACO_DOUBLE);
        } else if (t.t.id == TACO_DATE) {
            a->result.t = taco__scalar_simple_type(TACO_TIMESTAMP);
            a->result.t.unit = TACO_MICRO;
        }
        return number || date || (a->id == TACO__AGGREGATE_MEDIAN && t.t.id == TACO_TEXT);
    case TACO__AGGREGATE_DISC: a->result = t; return number || date || t.t.id == TACO_TEXT;
    case TACO__AGGREGATE_LIST: return false; /* the binder makes the type */
    default:
        if (a->id == TACO__AGGREGATE_KAHAN_AVG && number && !taco__scalar_is_float(t.t.id)) {
            a->id = TACO__AGGREGATE_AVG; /* which is exact */
            a->result = taco__sql_type_simple(TACO_DOUBLE);
            return true;
        }
        if (a->id > TACO__AGGREGATE_LIST) { return taco__aggregate_set_takes(a); }
        a->result = t;
        return t.t.id != TACO_NULL;
    }
}

/* What the first argument of an aggregate must be, for messages. */
TACO__FN TACO__COLD const char *taco__aggregate_wanted(uint8_t id)
{
    switch (id) {
    case TACO__AGGREGATE_COUNT_IF:
    case TACO__AGGREGATE_AND:
    case TACO__AGGREGATE_OR: return "BOOLEAN";
    case TACO__AGGREGATE_SUM: return "a number or BOOLEAN";
    case TACO__AGGREGATE_BIT_AND:
    case TACO__AGGREGATE_BIT_OR:
    case TACO__AGGREGATE_BIT_XOR: return "an integer";
    case TACO__AGGREGATE_CONT: return "a number, date or time";
    case TACO__AGGREGATE_MEDIAN:
    case TACO__AGGREGATE_DISC: return "a number, date, time or VARCHAR";
    case TACO__AGGREGATE_MAD: return "an integer, FLOAT or DOUBLE";
    case TACO__AGGREGATE_STRING: return "what has a text";
    case TACO__AGGREGATE_LIST: return "a type that lists may have";
    case TACO__AGGREGATE_MIN:
    case TACO__AGGREGATE_MAX:
    case TACO__AGGREGATE_TOP:
    case TACO__AGGREGATE_BOTTOM:
    case TACO__AGGREGATE_MODE:
    case TACO__AGGREGATE_ARG_MAX:
    case TACO__AGGREGATE_ARG_MIN:
    case TACO__AGGREGATE_ARG_MAX_NULL:
    case TACO__AGGREGATE_ARG_MIN_NULL:
    case TACO__AGGREGATE_HISTOGRAM:
    case TACO__AGGREGATE_COUNT_DISTINCT:
    case TACO__AGGREGATE_ENTROPY: return "what has an order";
    default: return "a number";
    }
}
