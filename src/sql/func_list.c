/* func_list.c - functions of lists: length, search, elements, slices

   Indices are SQL's: 1 is the first element, -1 the last. An element outside is null, a slice
   outside is empty. Elements and slices of texts (text[1:3]) are here too.

   Example: with l = [10, 20, 30], l[1] is 10, l[-1] is 30, l[4] is NULL, l[2:3] is [20, 30]. */
#include "sql.h"
#include "functions.h"
#include "../base/base.h"

/* ---- lists ---- */

/* The position of an SQL index among n elements: 1 is the first, -1 the last; SIZE_MAX if it is
   outside, as 0 is. */
static size_t taco__func_list_position(int64_t k, size_t n)
{
    if (k > 0 && (uint64_t)k <= n) { return (size_t)k - 1; }
    if (k < 0 && k >= -(int64_t)n) { return (size_t)((int64_t)n + k); }
    return SIZE_MAX;
}

/* value[k] for lists and texts: null if a list has no such element, empty if a text has no such
   character. */
TACO__FN bool taco__func_list_element(taco__func_call *x)
{
    const taco__vec *v = &x->a[0];
    uint32_t *idx;
    size_t i;
    if (v->type->t.id == TACO_TEXT) {
        for (i = 0; i < x->out->n; i++) {
            if (taco__vec_is_valid(x->out, i)) {
                taco_bytes s = TACO__FUNC_ARG_TEXT(0);
                size_t at =
                    taco__func_list_position(TACO__FUNC_ARG_INT(1), taco__func_text_length(s));
                x->out->v.s[i] = at == SIZE_MAX
                                     ? taco__bytes_of(s.data, 0)
                                     : taco__func_text_range(s, (int64_t)at, (int64_t)at + 1);
            }
        }
        return true;
    }
    idx = (uint32_t *)taco__arena_array(x->arena, x->out->n, sizeof *idx, x->err);
    for (i = 0; idx && i < x->out->n; i++) {
        idx[i] = TACO__VEC_NONE;
        if (taco__vec_is_valid(x->out, i)) {
            taco__sql_list_span s = v->v.l[i * v->step];
            size_t at = taco__func_list_position(TACO__FUNC_ARG_INT(1), s.len);
            idx[i] = at == SIZE_MAX ? TACO__VEC_NONE : s.at + (uint32_t)at;
        }
    }
    return idx && taco__vec_take(x->arena, &v->kids[0], idx, x->out->n, x->out, x->err);
}

/* value[from:to], inclusive, where NULL means omitted: as [*from, *to) from 0. False if it is
   empty. Negative ends count from the last element. */
static bool taco__func_list_slice_bounds(taco__func_call *x, size_t i, int64_t n, int64_t *from,
                                         int64_t *to)
{
    bool open_from = x->a[1].type->t.id == TACO_NULL, open_to = x->a[2].type->t.id == TACO_NULL;
    int64_t a = open_from ? 1 : TACO__FUNC_ARG_INT(1), b = open_to ? n : TACO__FUNC_ARG_INT(2);
    a = a < 0 ? TACO__MAX(n + a + 1, 1) : a == 0 ? 1 : a;
    b = b < 0 ? n + b + 1 : b;
    *from = a - 1;
    *to = TACO__MIN(b, n);
    return *from < *to;
}

/* value[from:to] over a batch. Slices of lists share the child of the list. */
TACO__FN bool taco__func_list_slice(taco__func_call *x)
{
    const taco__vec *v = &x->a[0];
    size_t i;
    int64_t from, to;
    if (v->type->t.id != TACO_TEXT) { x->out->kids = v->kids; }
    for (i = 0; i < x->out->n; i++) {
        if (!taco__vec_is_valid(x->out, i)) { continue; }
        if (v->type->t.id == TACO_TEXT) {
            taco_bytes s = TACO__FUNC_ARG_TEXT(0);
            x->out->v.s[i] =
                taco__func_list_slice_bounds(x, i, (int64_t)taco__func_text_length(s), &from, &to)
                    ? taco__func_text_range(s, from, to)
                    : taco__bytes_of(s.data, 0);
        } else {
            taco__sql_list_span s = v->v.l[i * v->step];
            bool some = taco__func_list_slice_bounds(x, i, s.len, &from, &to);
            x->out->v.l[i].at = some ? s.at + (uint32_t)from : s.at;
            x->out->v.l[i].len = some ? (uint32_t)(to - from) : 0;
        }
    }
    return true;
}

/* len(list) and list_contains(list, value). */
TACO__FN bool taco__func_list_run(taco__func_call *x)
{
    const taco__vec *v = &x->a[0];
    size_t i, k;
    for (i = 0; i < x->out->n; i++) {
        taco__sql_list_span s;
        if (!taco__vec_is_valid(x->out, i)) { continue; }
        s = v->v.l[i * v->step];
        if (x->id == TACO__FUNC_LENGTH) {
            x->out->v.i[i] = (int64_t)s.len;
            continue;
        }
        for (k = 0; k < s.len; k++) {
            if (taco__vec_is_valid(&v->kids[0], s.at + k) &&
                taco__vec_compare(&v->kids[0], s.at + k, &x->a[1], i) == 0) {
                x->out->v.i[i] = 1;
                break;
            }
        }
    }
    return true;
}
