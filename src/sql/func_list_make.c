/* func_list_make.c - functions that make lists, structs and maps

   A new list is a selection of elements from a pile: taco__func_list_out collects, row by row, the
   indexes of a list's elements, and gathers them from the pile at the end. If several operands
   provide elements, the pile holds those of all operands in sequence.

   Example: list_concat([1, 2], [3]) has the pile 1, 2, 3 and chooses 0, 1, 2.

   Further: [1] || NULL is null and list_concat([1], NULL) is [1]; range(1, 7, 3) is [1, 4] and
   generate_series(1, 7, 3) is [1, 4, 7]; string_split('a,,b', ',') is [a, '', b], and with '' for
   the separator all characters. */
#include "sql.h"
#include "functions.h"
#include "../base/base.h"
#include "../filter/filter.h"

/* Most elements that one call makes for a batch: indexes have 32 bits, memory is charged. */
#define TACO__FUNC_LIST_MAX ((size_t)1 << 30)

/* Begins the lists of a call; ended by taco__func_list_finish or taco__func_list_drop. */
TACO__FN void taco__func_list_begin(taco__func_call *x, taco__func_list_out *o)
{
    memset(o, 0, sizeof *o);
    o->x = x;
    o->picks.mem = x->arena->mem;
}

/* Appends element `at` of the pile, or a null for TACO__VEC_NONE, to the current list. */
TACO__FN bool taco__func_list_push(taco__func_list_out *o, uint32_t at)
{
    if (o->n == TACO__FUNC_LIST_MAX) { return taco__vec_fail_too_long(o->x->err); }
    o->n++;
    return taco__buf_append_inline(&o->picks, &at, sizeof at, o->x->err);
}

/* Makes room for n more elements, so that too many fail at once. */
TACO__FN bool taco__func_list_reserve(taco__func_list_out *o, uint64_t n)
{
    if (n > TACO__FUNC_LIST_MAX) { return taco__vec_fail_too_long(o->x->err); }
    return taco__buf_reserve(&o->picks, (size_t)n * sizeof(uint32_t), o->x->err);
}

/* Appends elements [at, at + len) of the pile. */
TACO__FN bool taco__func_list_push_span(taco__func_list_out *o, uint32_t at, uint32_t len)
{
    uint32_t k;
    for (k = 0; k < len; k++) {
        if (!taco__func_list_push(o, at + k)) { return false; }
    }
    return true;
}

/* Ends the current list, which becomes that of row i. */
TACO__FN void taco__func_list_end(taco__func_list_out *o, size_t i)
{
    taco__sql_list_span *s = &o->x->out->v.l[i];
    s->at = (uint32_t)o->begun;
    s->len = (uint32_t)(o->n - o->begun);
    o->begun = o->n;
}

/* Frees what was collected; false. */
TACO__FN bool taco__func_list_drop(taco__func_list_out *o)
{
    taco__buf_free(&o->picks);
    return false;
}

/* Gathers the selected elements from the pile, which completes the lists. */
TACO__FN bool taco__func_list_finish(taco__func_list_out *o, const taco__vec *pile)
{
    taco__func_call *x = o->x;
    uint32_t none = 0;
    const uint32_t *idx = o->n ? (const uint32_t *)(const void *)o->picks.data : &none;
    bool ok = taco__vec_take(x->arena, pile, idx, o->n, &x->out->kids[0], x->err);
    taco__buf_free(&o->picks);
    return ok;
}

/* A pile of the elements of all operands, lists and single values, with element type t: *base
   receives, for each operand, where its elements begin. */
static bool taco__func_list_pile(taco__func_call *x, const taco__sql_type *t,
                                 taco__vec_builder *pile, uint32_t **base)
{
    uint32_t k;
    *base = (uint32_t *)taco__arena_array(x->arena, x->n + 1, sizeof **base, x->err);
    if (!*base || !taco__vec_builder_init(x->arena, t, pile, x->err)) { return false; }
    for (k = 0; k < x->n; k++) {
        taco__vec v = x->a[k];
        (*base)[k] = (uint32_t)pile->v.n;
        if (!taco__sql_type_equal(v.type, t) && v.type->t.id == TACO_LIST) { v = v.kids[0]; }
        if (!taco__sql_type_equal(v.type, t)) { continue; } /* a number of elements */
        if (!taco__vec_builder_append(x->arena, pile, &v, NULL,
                                      v.step ? v.n : TACO__MIN(v.n, (size_t)1), x->err)) {
            return false;
        }
    }
    return true;
}

/* [a, b, ...]: the values of each row, including nulls. */
static bool taco__func_list_value(taco__func_call *x)
{
    taco__vec_builder pile;
    taco__func_list_out o;
    uint32_t *base, k;
    size_t i;
    if (!taco__func_list_pile(x, &x->out->type->kids[0], &pile, &base)) { return false; }
    taco__func_list_begin(x, &o);
    for (i = 0; i < x->out->n; i++) {
        for (k = 0; k < x->n; k++) {
            if (!taco__func_list_push(&o, base[k] + (uint32_t)(i * x->a[k].step))) {
                return taco__func_list_drop(&o);
            }
        }
        taco__func_list_end(&o, i);
    }
    return taco__func_list_finish(&o, &pile.v);
}

/* list_concat, ||, list_append and list_prepend: a null list counts as empty, except for ||, which
   is then null. */
static bool taco__func_list_concat(taco__func_call *x)
{
    taco__vec_builder pile;
    taco__func_list_out o;
    uint32_t *base, k;
    size_t i;
    bool strict = x->name[0] == '|';
    if (!taco__func_list_pile(x, &x->out->type->kids[0], &pile, &base)) { return false; }
    taco__func_list_begin(x, &o);
    for (i = 0; i < x->out->n; i++) {
        uint32_t nulls = 0;
        for (k = 0; k < x->n; k++) {
            const taco__vec *v = &x->a[k];
            bool single = (x->id == TACO__FUNC_LIST_APPEND && k == 1) ||
                          (x->id == TACO__FUNC_LIST_PREPEND && k == 0);
            bool ok = single ? taco__func_list_push(&o, base[k] + (uint32_t)(i * v->step)) : true;
            if (!single) {
                bool null = !taco__vec_is_valid(v, i);
                nulls += null;
                ok = null || taco__func_list_push_span(&o, base[k] + v->v.l[i * v->step].at,
                                                       v->v.l[i * v->step].len);
            }
            if (!ok) { return taco__func_list_drop(&o); }
        }
        if (strict && nulls && !taco__func_set_null(x, i)) { return taco__func_list_drop(&o); }
        taco__func_list_end(&o, i);
    }
    return taco__func_list_finish(&o, &pile.v);
}

/* struct_pack: the operands are the fields. */
static bool taco__func_list_struct(taco__func_call *x)
{
    uint32_t k;
    for (k = 0; k < x->n; k++) {
        taco__vec v = x->a[k];
        v.n = x->out->n;
        if (!taco__vec_flatten(x->arena, &v, x->err)) { return false; }
        x->out->kids[k] = v;
    }
    return true;
}

/* How many numbers there are from `from` to `to`, exclusive. */
static uint64_t taco__func_list_range_length(int64_t from, int64_t to, int64_t step)
{
    if (step > 0) {
        return to > from ? ((uint64_t)to - (uint64_t)from - 1) / (uint64_t)step + 1 : 0;
    }
    return step && to < from ? ((uint64_t)from - (uint64_t)to - 1) / (0 - (uint64_t)step) + 1 : 0;
}

/* range (exclusive) and generate_series (inclusive): whole numbers, by a step; a step of 0 makes
   none. */
static bool taco__func_list_range(taco__func_call *x)
{
    bool with_end = ((const char *)x->plan)[0] == 'g';
    taco__sql_type big = taco__sql_type_simple(TACO_INT64), *kept;
    taco__buf numbers;
    taco__vec pile;
    size_t i, n = 0;
    bool ok = true;
    memset(&numbers, 0, sizeof numbers);
    numbers.mem = x->arena->mem;
    for (i = 0; ok && i < x->out->n; i++) {
        int64_t from, to, step, v;
        x->out->v.l[i].at = (uint32_t)n;
        if (!taco__vec_is_valid(x->out, i)) { continue; }
        from = x->n > 1 ? TACO__FUNC_ARG_INT(0) : 0;
        to = x->n > 1 ? TACO__FUNC_ARG_INT(1) : TACO__FUNC_ARG_INT(0);
        step = x->n > 2 ? TACO__FUNC_ARG_INT(2) : 1;
        v = from;
        ok = taco__func_list_range_length(from, to, step) <= TACO__FUNC_LIST_MAX
                 ? taco__buf_reserve(
                       &numbers, (size_t)taco__func_list_range_length(from, to, step) * sizeof v,
                       x->err)
                 : taco__vec_fail_too_long(x->err);
        while (ok && step && (step > 0 ? v < to : v > to)) {
            ok = (++n <= TACO__FUNC_LIST_MAX || taco__vec_fail_too_long(x->err)) &&
                 taco__buf_append_inline(&numbers, &v, sizeof v, x->err);
            if (!taco__func_number_add64(v, step, &v)) { break; }
        }
        if (ok && with_end && step && v == to) {
            ok = taco__buf_append_inline(&numbers, &v, sizeof v, x->err);
        }
        n = numbers.len / sizeof v;
        x->out->v.l[i].len = (uint32_t)n - x->out->v.l[i].at;
    }
    kept = ok ? (taco__sql_type *)taco__arena_alloc(x->arena, sizeof *kept, x->err) : NULL;
    if (kept) { *kept = big; }
    ok = kept && taco__vec_init(x->arena, kept, n, &pile, x->err);
    if (ok && n) { memcpy(pile.v.i, numbers.data, n * sizeof *pile.v.i); }
    if (ok) { x->out->kids[0] = pile; }
    taco__buf_free(&numbers);
    return ok;
}

/* string_split: the parts of a text between separators; an empty separator separates all
   characters. */
static bool taco__func_list_split(taco__func_call *x)
{
    taco__vec_builder pile;
    size_t i;
    if (!taco__vec_builder_init(x->arena, &x->out->type->kids[0], &pile, x->err)) { return false; }
    for (i = 0; i < x->out->n; i++) {
        taco_bytes s, sep;
        size_t from = 0, to;
        x->out->v.l[i].at = (uint32_t)pile.v.n;
        if (!taco__vec_is_valid(&x->a[0], i)) {
            if (!taco__func_set_null(x, i)) { return false; }
            continue;
        }
        s = TACO__FUNC_ARG_TEXT(0);
        if (!taco__vec_is_valid(&x->a[1], i)) { /* no separator */
            if (!taco__func_list_push_text(x->arena, &pile, s, x->err)) { return false; }
            x->out->v.l[i].len = 1;
            continue;
        }
        sep = TACO__FUNC_ARG_TEXT(1);
        for (to = 0; to <= s.len; to++) {
            bool end = to == s.len, hit = false;
            size_t skip = sep.len;
            if (!end && sep.len) {
                to = taco__bytes_find(s, to, sep, false);
                hit = to != SIZE_MAX;
                to = hit ? to : s.len;
                end = !hit;
            } else if (!end) { /* after every character */
                to += taco__like_char_width(s, to) - 1;
                hit = to + 1 < s.len;
                skip = 0;
            }
            if (!end && !hit) { continue; }
            if (!taco__func_list_push_text(
                    x->arena, &pile,
                    taco__bytes_of(s.data + from, (end || skip ? to : to + 1) - from), x->err)) {
                return false;
            }
            from = skip ? to + skip : to + 1;
            to = skip ? from - 1 : to;
        }
        x->out->v.l[i].len = (uint32_t)pile.v.n - x->out->v.l[i].at;
    }
    x->out->kids[0] = pile.v;
    return true;
}

/* Appends a text to a column of texts. */
TACO__FN bool taco__func_list_push_text(taco__arena *arena, taco__vec_builder *pile, taco_bytes s,
                                        taco_error *err)
{
    taco__vec one;
    memset(&one, 0, sizeof one);
    one.type = pile->v.type;
    one.n = one.step = 1;
    one.v.s = &s;
    return taco__vec_builder_append(arena, pile, &one, NULL, 1, err);
}

/* array_to_string: the non-null elements, with the separator between them, a comma if it is null;
   null if there are elements and all are null. */
static bool taco__func_list_to_text(taco__func_call *x)
{
    taco__buf b;
    size_t i, k;
    bool ok = true;
    memset(&b, 0, sizeof b);
    b.mem = x->arena->mem;
    for (i = 0; ok && i < x->out->n; i++) {
        taco__sql_list_span s = x->a[0].v.l[i * x->a[0].step];
        taco_bytes sep = TACO__FUNC_ARG_TEXT(1), one;
        bool any = false;
        if (!taco__vec_is_valid(&x->a[1], i)) { sep = taco__bytes_text(","); }
        b.len = 0;
        for (k = s.at; ok && taco__vec_is_valid(&x->a[0], i) && k < (size_t)s.at + s.len; k++) {
            if (!taco__vec_is_valid(&x->a[0].kids[0], k)) { continue; }
            one = x->a[0].kids[0].v.s[k];
            ok = (!any || taco__buf_append(&b, sep.data, sep.len, x->err)) &&
                 taco__buf_append(&b, one.data, one.len, x->err);
            any = true;
        }
        ok = ok && ((taco__vec_is_valid(&x->a[0], i) && (any || !s.len))
                        ? taco__func_set_text(x, i, taco__bytes_of(b.data, b.len))
                        : taco__func_set_null(x, i));
    }
    taco__buf_free(&b);
    return ok;
}

/* Copies a text into the arena, as the result of row i. */
TACO__FN bool taco__func_set_text(taco__func_call *x, size_t i, taco_bytes s)
{
    const char *copy = taco__arena_text(x->arena, s, x->err);
    x->out->v.s[i] = taco__bytes_of(copy, s.len);
    return copy != NULL;
}

/* Runs a function that makes lists. */
TACO__FN bool taco__func_list_make(taco__func_call *x)
{
    switch (x->id) {
    case TACO__FUNC_LIST_VALUE: return taco__func_list_value(x);
    case TACO__FUNC_STRUCT_PACK: return taco__func_list_struct(x);
    case TACO__FUNC_RANGE: return taco__func_list_range(x);
    case TACO__FUNC_SPLIT: return taco__func_list_split(x);
    case TACO__FUNC_LIST_TO_TEXT: return taco__func_list_to_text(x);
    default: return taco__func_list_concat(x);
    }
}
