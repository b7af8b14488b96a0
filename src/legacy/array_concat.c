/* array_concat.c - arrays put together of pieces of others, columns of several tables made one..
   Spec: Arrow columnar format */
#include "legacy.h"
#include "../base/base.h"
#include "../arrow/arrow.h"
#include "../dataset/dataset.h"

TACO__FN bool taco__concat_is_float(taco_type t)
{
    return t == TACO_HALF || t == TACO_FLOAT || t == TACO_DOUBLE;
}

TACO__FN bool taco__concat_is_integer(taco_type t)
{
    return t >= TACO_INT8 && t <= TACO_UINT64;
}

/* The field of that name among the children of f, TACO__NONE when there is none. */
static size_t taco__concat_find_child(const taco_field *f, const char *name)
{
    return taco__cursor_column_find_field(f->children, f->child_count, name);
}

/* A copy of a field with all below it. */
TACO__FN bool taco__concat_copy_field(taco__arena *arena, const taco_field *f, taco_field *out,
                                      taco_error *err)
{
    taco_field *children =
        (taco_field *)taco__arena_array(arena, f->child_count, sizeof *children, err);
    uint32_t i;
    *out = *f;
    out->name = taco__arena_text(arena, taco__bytes_text(f->name), err);
    out->children = children;
    for (i = 0; out->name && children && i < f->child_count; i++) {
        if (!taco__concat_copy_field(arena, &f->children[i], &children[i], err)) { return false; }
    }
    return out->name && children;
}

/* The children of two fields: those of a STRUCT by name, in the order in which they are first
   met. */
static bool taco__concat_unify_children(taco__arena *arena, taco_field *f, const taco_field *other,
                                        uint32_t depth, taco_error *err)
{
    taco_field *list = (taco_field *)taco__arena_array(
        arena, (size_t)f->child_count + other->child_count, sizeof *list, err);
    uint32_t i, n = f->child_count;
    if (!list) { return false; }
    if (n) { memcpy(list, f->children, n * sizeof *list); }
    for (i = 0; i < other->child_count; i++) {
        const taco_field *c = &other->children[i];
        size_t at = f->type == TACO_STRUCT ? taco__concat_find_child(f, c->name) : (size_t)i;
        if (at == TACO__NONE || at >= f->child_count) {
            list[n] = *c;
            list[n++].nullable = true;
        } else if (!taco__concat_unify_field(arena, &list[at], c, depth + 1, err)) {
            return false;
        }
    }
    f->children = list;
    f->child_count = n;
    return true;
}

/* Makes *f a field that also holds the values of other: whole numbers and fractions meet in DOUBLE,
   as in pandas, nulls in anything. TYPE when there is none. */
TACO__FN bool taco__concat_unify_field(taco__arena *arena, taco_field *f, const taco_field *other,
                                       uint32_t depth, taco_error *err)
{
    taco_type a = f->type, b = other->type;
    bool numbers = (taco__concat_is_integer(a) || taco__concat_is_float(a)) &&
                   (taco__concat_is_integer(b) || taco__concat_is_float(b));
    f->nullable = true;
    if (b == TACO_NULL || depth > TACO__DEFAULT_MAX_DEPTH) { return true; }
    if (a == TACO_NULL) {
        const char *name = f->name;
        *f = *other;
        f->name = name;
        f->nullable = true;
        return true;
    }
    if (numbers && a != b) {
        bool whole = taco__concat_is_integer(a) && taco__concat_is_integer(b) && a != TACO_UINT64 &&
                     b != TACO_UINT64;
        f->type = whole ? TACO_INT64 : TACO_DOUBLE;
        f->width = 8;
        return true;
    }
    if (a == b && a == TACO_TIMESTAMP && f->utc == other->utc) {
        f->unit = TACO__MAX(f->unit, other->unit);
        return true;
    }
    if (a == b && (a == TACO_LIST || a == TACO_STRUCT || a == TACO_MAP)) {
        return taco__concat_unify_children(arena, f, other, depth, err);
    }
    if (!taco__unify_same_type(f, other)) {
        taco_bytes name = taco__bytes_text(f->name);
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET, "column %q has two types", &name);
        return false;
    }
    return true;
}

/* ---- values
   -------------------------------------------------------------------------------------- */

static bool taco__concat_has_nulls(const taco_field *f, const taco__concat_slice *p, size_t count)
{
    size_t i;
    for (i = 0; i < count; i++) {
        if (p[i].n && (!p[i].a || p[i].a->validity ||
                       (p[i].a->field->type == TACO_NULL && f->type != TACO_NULL))) {
            return true;
        }
    }
    return false;
}

static bool taco__concat_validity(taco__arena *arena, const taco_field *f,
                                  const taco__concat_slice *p, size_t count, taco_array *out,
                                  taco_error *err)
{
    uint8_t *bits;
    size_t i, k, at = 0;
    if (f->type == TACO_NULL) {
        out->null_count = out->length;
        return true;
    }
    if (!taco__concat_has_nulls(f, p, count)) { return true; }
    bits = (uint8_t *)taco__arena_alloc(arena, TACO__BITMAP_BYTES(out->length) + 8, err);
    for (i = 0; bits && i < count; i++) {
        for (k = 0; k < p[i].n; k++, at++) {
            if (p[i].a && taco_array_valid(p[i].a, p[i].first + k)) {
                taco__bitmap_set(bits, at);
            } else {
                out->null_count++;
            }
        }
    }
    out->validity = out->null_count ? bits : NULL;
    return bits != NULL;
}

/* The array that holds the values of row i of a, and where. */
TACO__INLINE const taco_array *taco__concat_resolve_value(const taco_array *a, size_t i, size_t *at)
{
    *at = a->dictionary ? (size_t)a->v.i32[i] : i;
    return a->dictionary ? a->dictionary : a;
}

static bool taco__concat_text(taco__arena *arena, const taco__concat_slice *p, size_t count,
                              taco_array *out, taco_error *err)
{
    int32_t *offsets = (int32_t *)taco__arena_array(arena, out->length + 1, sizeof *offsets, err);
    uint64_t total = 0;
    uint8_t *to;
    size_t i, k, at, row = 0;
    if (!offsets) { return false; }
    for (i = 0; i < count; i++) {
        for (k = 0; k < p[i].n; k++) {
            if (p[i].a && taco_array_valid(p[i].a, p[i].first + k)) {
                const taco_array *v = taco__concat_resolve_value(p[i].a, p[i].first + k, &at);
                total += (uint32_t)(v->offsets[at + 1] - v->offsets[at]);
            }
            if (total > INT32_MAX) {
                TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                           "more than %u bytes of text in a column", TACO__U(INT32_MAX));
                return false;
            }
            offsets[++row] = (int32_t)total;
        }
    }
    to = (uint8_t *)taco__arena_alloc(arena, (size_t)total + TACO__PAD, err);
    out->offsets = offsets;
    out->v.any = to;
    for (i = row = 0; to && i < count; i++) {
        for (k = 0; k < p[i].n; k++, row++) {
            size_t n = (size_t)(offsets[row + 1] - offsets[row]);
            if (n) {
                const taco_array *v = taco__concat_resolve_value(p[i].a, p[i].first + k, &at);
                memcpy(to + offsets[row], v->v.u8 + v->offsets[at], n);
            }
        }
    }
    return to != NULL;
}

/* Ticks of one unit in those of a finer one; beyond the reach of int64 they stay at its end. */
static int64_t taco__concat_scale_ticks(int64_t x, taco_unit from, taco_unit to)
{
    for (; from < to; from = (taco_unit)(from + 1)) {
        if (x > INT64_MAX / 1000 || x < INT64_MIN / 1000) { return x < 0 ? INT64_MIN : INT64_MAX; }
        x *= 1000;
    }
    return x;
}

/* Values of one width, converted where the fields differ. */
static void taco__concat_fixed(const taco_field *f, const taco__concat_slice *p, size_t count,
                               uint8_t *to)
{
    size_t width = (size_t)f->width, i, k, at;
    for (i = 0; i < count; to += p[i].n * width, i++) {
        const taco_array *a = p[i].a;
        bool same = a && a->field->type == f->type && a->field->width == f->width &&
                    (f->type != TACO_TIMESTAMP || a->field->unit == f->unit);
        if (!a || a->field->type == TACO_NULL) { continue; }
        if (same && !a->dictionary) {
            memcpy(to, a->v.u8 + p[i].first * width, p[i].n * width);
            continue;
        }
        for (k = 0; k < p[i].n; k++) {
            const taco_array *v;
            if (!taco_array_valid(a, p[i].first + k)) { continue; }
            v = taco__concat_resolve_value(a, p[i].first + k, &at);
            if (same) {
                memcpy(to + k * width, v->v.u8 + at * width, width);
            } else if (f->type == TACO_DOUBLE) {
                double d = taco_array_double(v, at);
                memcpy(to + k * 8, &d, 8);
            } else {
                int64_t x = taco_array_int(v, at);
                x = f->type == TACO_TIMESTAMP ? taco__concat_scale_ticks(x, a->field->unit, f->unit)
                                              : x;
                memcpy(to + k * 8, &x, 8);
            }
        }
    }
}

/* Children of lists and structs: pieces of the children. */
static bool taco__concat_children(taco__arena *arena, const taco_field *f,
                                  const taco__concat_slice *p, size_t count, taco_array *out,
                                  taco_error *err)
{
    bool lists = f->type != TACO_STRUCT;
    int32_t *offsets = NULL;
    taco__concat_slice *inner =
        (taco__concat_slice *)taco__arena_array(arena, count, sizeof *inner, err);
    taco_array *children =
        (taco_array *)taco__arena_array(arena, f->child_count, sizeof *children, err);
    uint64_t total = 0;
    size_t i, k, row = 0;
    uint32_t c;
    if (lists) {
        offsets = (int32_t *)taco__arena_array(arena, out->length + 1, sizeof *offsets, err);
    }
    if (!inner || !children || (lists && !offsets)) { return false; }
    for (i = 0; lists && i < count; i++) {
        const taco_array *a = p[i].a && p[i].a->field->type == f->type ? p[i].a : NULL;
        for (k = 0; k < p[i].n; k++) {
            total +=
                a ? (uint32_t)(a->offsets[p[i].first + k + 1] - a->offsets[p[i].first + k]) : 0;
            if (total > INT32_MAX) {
                TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                           "more than %u list elements in a column", TACO__U(INT32_MAX));
                return false;
            }
            offsets[++row] = (int32_t)total;
        }
    }
    out->offsets = offsets;
    out->children = children;
    for (c = 0; c < f->child_count; c++) {
        for (i = 0; i < count; i++) {
            const taco_array *a = p[i].a && p[i].a->field->type == f->type ? p[i].a : NULL;
            size_t at = !a      ? TACO__NONE
                        : lists ? (size_t)c
                                : taco__concat_find_child(a->field, f->children[c].name);
            inner[i].a = at == TACO__NONE ? NULL : &a->children[at];
            inner[i].first = lists && a ? (size_t)a->offsets[p[i].first] : p[i].first;
            inner[i].n = !lists ? p[i].n
                         : a    ? (size_t)(a->offsets[p[i].first + p[i].n] - a->offsets[p[i].first])
                                : 0;
        }
        if (!taco__concat_arrays(arena, &f->children[c], inner, count, &children[c], err)) {
            return false;
        }
    }
    return true;
}

/* *out = the pieces one after the other, as f, which taco__concat_unify_field made of their fields;
   all in the arena, nothing shared with them. */
TACO__FN bool taco__concat_arrays(taco__arena *arena, const taco_field *f,
                                  const taco__concat_slice *p, size_t count, taco_array *out,
                                  taco_error *err)
{
    uint8_t *to;
    size_t i, k, at, row = 0, bytes;
    memset(out, 0, sizeof *out);
    out->field = f;
    for (i = 0; i < count; i++) {
        out->length += p[i].n;
    }
    if (!taco__concat_validity(arena, f, p, count, out, err)) { return false; }
    if (f->type == TACO_NULL) { return true; }
    if (f->type == TACO_LIST || f->type == TACO_MAP || f->type == TACO_STRUCT) {
        return taco__concat_children(arena, f, p, count, out, err);
    }
    if (taco__array_is_var_length(f)) { return taco__concat_text(arena, p, count, out, err); }
    if (f->type != TACO_BOOL) {
        if (!taco__checked_mul_size(out->length, (size_t)f->width, &bytes) ||
            !taco__checked_add_size(bytes, TACO__PAD, &bytes)) {
            TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u rows",
                       TACO__U(out->length));
            return false;
        }
        to = (uint8_t *)taco__arena_alloc(arena, bytes, err);
        out->v.any = to;
        if (to) { taco__concat_fixed(f, p, count, to); }
        return to != NULL;
    }
    to = (uint8_t *)taco__arena_alloc(arena, TACO__BITMAP_BYTES(out->length) + 8, err);
    out->v.any = to;
    for (i = 0; to && i < count; i++) {
        for (k = 0; k < p[i].n; k++, row++) {
            if (p[i].a && taco_array_valid(p[i].a, p[i].first + k)) {
                const taco_array *v = taco__concat_resolve_value(p[i].a, p[i].first + k, &at);
                if (taco__bitmap_get(v->v.u8, at)) { taco__bitmap_set(to, row); }
            }
        }
    }
    return to != NULL;
}
