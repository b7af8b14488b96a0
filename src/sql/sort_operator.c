/* sort_operator.c - ORDER BY: stores rows, sorts them by index, returns them in batches

   Rows are stored in builders, column by column; sorting moves only row numbers and is stable. With
   a LIMIT only the best rows are kept: at twice as many as needed, they are sorted and the rest is
   dropped (taco__sort_operator_prune), and later rows are first compared with the worst of them.

   Example: with LIMIT 10 over a million rows, rows are reduced to the best ten whenever there are
   more than 20 and a batch. */
#include "sql.h"
#include "../base/base.h"

/* ---- order ---- */

/* Compares row i of a and row j of b by the sort keys; nulls are first or last whatever the
   direction. */
static int taco__sort_operator_compare(const taco__executor *x, const taco__vec *a, size_t i,
                                       const taco__vec *b, size_t j)
{
    size_t k;
    for (k = 0; k < x->order_count; k++) {
        const taco__vec *p = &a[x->order_at[k]], *q = &b[x->order_at[k]];
        bool u = taco__vec_is_valid(p, i), v = taco__vec_is_valid(q, j);
        int c;
        if (!u || !v) {
            if (u != v) { return u == x->order[k].nulls_first ? 1 : -1; }
            continue;
        }
        c = taco__vec_compare(p, i, q, j);
        if (c) { return x->order[k].desc ? -c : c; }
    }
    return 0;
}

/* For taco__sort: stored rows. */
static int taco__sort_operator_compare_rows(const void *ctx, const void *a, const void *b)
{
    const taco__executor *x = (const taco__executor *)ctx;
    return taco__sort_operator_compare(x, x->kept_vecs, *(const uint32_t *)a, x->kept_vecs,
                                       *(const uint32_t *)b);
}

/* Sorts the first n stored rows, stably, into x->sequence. */
TACO__FN bool taco__sort_operator_sort(taco__executor *x, size_t n)
{
    taco_error *err = taco__operator_err(x);
    uint32_t *idx = (uint32_t *)taco__arena_array(&x->hold[0], n + 1, sizeof *idx, err),
             *tmp = (uint32_t *)taco__arena_array(&x->hold[0], n / 2 + 1, sizeof *tmp, err);
    size_t i;
    if (!idx || !tmp) { return false; }
    for (i = 0; i < n; i++) {
        idx[i] = (uint32_t)i;
    }
    taco__sort(idx, tmp, n, sizeof *idx, taco__sort_operator_compare_rows, x);
    x->sequence = idx;
    x->sequence_n = n;
    return true;
}

/* Empty builders with the types of items and further sort keys. */
TACO__FN bool taco__sort_operator_init_rows(taco__executor *x, taco__arena *hold,
                                            taco__vec_builder **out)
{
    size_t i;
    *out = (taco__vec_builder *)taco__arena_array(hold, x->width + 1, sizeof **out,
                                                  taco__operator_err(x));
    for (i = 0; *out && i < x->width; i++) {
        if (!taco__vec_builder_init(hold, &x->items[i]->type, &(*out)[i], taco__operator_err(x))) {
            return false;
        }
    }
    return *out != NULL;
}

/* Refreshes the vectors for comparing stored rows, since appending may move a builder's memory. */
TACO__FN void taco__sort_operator_set_vectors(taco__executor *x)
{
    size_t i;
    for (i = 0; i < x->width; i++) {
        x->kept_vecs[i] = x->kept[i].v;
    }
}

/* Keeps only the first `want` rows: sorts them and moves them to the other arena; the rest is freed
   with the old one. Later rows must be before the last of them. */
static bool taco__sort_operator_prune(taco__executor *x, size_t want)
{
    taco__vec_builder *next;
    taco__arena swap;
    size_t i;
    if (!taco__sort_operator_sort(x, x->kept_vecs[0].n) ||
        !taco__sort_operator_init_rows(x, &x->hold[1], &next)) {
        return false;
    }
    for (i = 0; i < x->width; i++) {
        if (!taco__vec_builder_append(&x->hold[1], &next[i], &x->kept_vecs[i], x->sequence, want,
                                      taco__operator_err(x))) {
            return false;
        }
    }
    x->kept = next;
    taco__sort_operator_set_vectors(x);
    swap = x->hold[0];
    x->hold[0] = x->hold[1];
    x->hold[1] = swap;
    taco__arena_free(&x->hold[1]);
    x->worst = want - 1;
    x->has_worst = true;
    x->seeds = 0;
    return true;
}

/* Rows of v that may come before the worst stored one, judged by their first key: a pass over plain
   numbers, which for ORDER BY ... LIMIT drops most rows before any full comparison. For other
   types, all rows. */
static size_t taco__sort_operator_candidates(const taco__executor *x, const taco__vec *v, size_t n,
                                             uint32_t *idx)
{
    const taco__vec *p = &v[x->order_at[0]], *q = &x->kept_vecs[x->order_at[0]];
    taco__physical_type ph = taco__sql_type_physical(p->type);
    bool desc = x->order[0].desc, first = x->order[0].nulls_first;
    size_t i, m = 0;
    if ((ph != TACO__PHYS_DBL && ph != TACO__PHYS_INT) || !taco__vec_is_valid(q, x->worst)) {
        for (; m < n; m++) {
            idx[m] = (uint32_t)m;
        }
    } else if (ph == TACO__PHYS_DBL) {
        int64_t w = taco__scalar_key_f64(q->v.f[x->worst]);
        for (i = 0; i < n; i++) {
            int64_t d = taco__scalar_key_f64(p->v.f[i * p->step]);
            idx[m] = (uint32_t)i;
            m += taco__vec_is_valid(p, i) ? (desc ? d >= w : d <= w) : first;
        }
    } else {
        int64_t w = q->v.i[x->worst];
        for (i = 0; i < n; i++) {
            int64_t d = p->v.i[i * p->step];
            idx[m] = (uint32_t)i;
            m += taco__vec_is_valid(p, i) ? (desc ? d >= w : d <= w) : first;
        }
    }
    return m;
}

/* How many of the sorted rows are needed, if that is few of many; UINT64_MAX: all. */
TACO__FN uint64_t taco__sort_operator_most_rows(const taco__executor *x)
{
    uint64_t want = x->skip > UINT64_MAX - x->left ? UINT64_MAX : x->skip + x->left;
    /* pruning frees hold[0]: neither groups nor rows of a join or of DISTINCT may live there */
    bool few = want && want < 100000 && !x->grouped && !x->s.distinct && x->b.table_count == 1;
    return few ? want : UINT64_MAX;
}

/* Leaves no more rows than are needed, where they are about twice as many, or for the first
   time. */
TACO__FN bool taco__sort_operator_trim(taco__executor *x)
{
    uint64_t want = taco__sort_operator_most_rows(x), n = x->kept_vecs[0].n;
    return want == UINT64_MAX || n < (x->has_worst ? want * 2 : want) ||
           taco__sort_operator_prune(x, (size_t)want);
}

/* Keeps the rows of a batch, those of a LIMIT only if they come before the worst that is needed. */
TACO__FN bool taco__sort_operator_add(taco__executor *x, const taco__vec *v, size_t n)
{
    uint64_t want = taco__sort_operator_most_rows(x);
    uint32_t *idx = NULL;
    size_t i, m = n;
    /* a cheap test of the first key, then a full comparison with the worst row */
    if (x->has_worst) {
        idx = (uint32_t *)taco__arena_array(&x->batch, n, sizeof *idx, taco__operator_err(x));
        if (!idx) { return false; }
        n = taco__sort_operator_candidates(x, v, n, idx);
        for (i = m = 0; i < n; i++) {
            if (taco__sort_operator_compare(x, v, idx[i], x->kept_vecs, x->worst) < 0) {
                idx[m++] = idx[i];
            }
        }
    }
    for (i = 0; m && i < x->width; i++) {
        if (!taco__vec_builder_append(&x->hold[0], &x->kept[i], &v[i], idx, m,
                                      taco__operator_err(x))) {
            return false;
        }
    }
    taco__sort_operator_set_vectors(x);
    if (want != UINT64_MAX && x->kept_vecs[0].n > (size_t)want * 2 + TACO__SQL_BATCH_ROWS) {
        return taco__sort_operator_prune(x, (size_t)want);
    }
    return true;
}

/* The next batch of sorted rows; *end if there is none. */
TACO__FN bool taco__sort_operator_next(taco__executor *x, taco__vec **v, size_t *n, bool *end)
{
    size_t i, m = TACO__MIN(x->sequence_n - x->sequence_at, TACO__SQL_BATCH_ROWS);
    size_t width = x->s.on ? x->width : x->item_count; /* keys of DISTINCT ON may be no items */
    taco__arena_reset(&x->batch);
    *v = (taco__vec *)taco__arena_array(&x->batch, x->width + 1, sizeof **v, taco__operator_err(x));
    for (i = 0; *v && i < width; i++) {
        if (!taco__vec_take(&x->batch, &x->kept_vecs[i], x->sequence + x->sequence_at, m, &(*v)[i],
                            taco__operator_err(x))) {
            return false;
        }
    }
    x->sequence_at += m;
    *n = m;
    *end = m == 0;
    return *v != NULL;
}
