/* array_concat.c - concatenates slices of arrays, and unifies the fields of columns

   In: slices of arrays, in the order of their rows, some of them nulls; out: one array in an
   arena that shares nothing with them. The tables of old files are small compared with their
   payloads and come in pieces: a footer per nested tortilla, rows in another order, files with
   different columns. So their columns are copied into whole arrays: first the fields are unified
   (taco__concat_unify_field), then the values are copied (taco__concat_arrays), with numbers and
   times converted if the fields differ. Layouts are those of the Arrow columnar format.

   Columns are copied a slice at a time, which is why this is not arrow/builder.c. */
#include "legacy.h"
#include "../base/base.h"
#include "../arrow/arrow.h"
#include "../dataset/dataset.h"

/* ---- fields ---- */

TACO__FN bool taco__concat_is_float(taco_type t)
{
    return t == TACO_HALF || t == TACO_FLOAT || t == TACO_DOUBLE;
}

TACO__FN bool taco__concat_is_integer(taco_type t)
{
    return t >= TACO_INT8 && t <= TACO_UINT64;
}

static bool taco__concat_is_number(taco_type t)
{
    return taco__concat_is_integer(t) || taco__concat_is_float(t);
}

/* Index of the child with that name, TACO__NONE if there is none. */
static size_t taco__concat_find_child(const taco_field *f, const char *name)
{
    return taco__cursor_column_find_field(f->children, f->child_count, name);
}

/* Unifies the children of two fields: those of a STRUCT by name, in order of first occurrence,
   those of lists and maps by position. Values of a missing child are null. */
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

/* Unifies two numeric types: INT64 if it holds both, else DOUBLE. */
static void taco__concat_unify_numbers(taco_field *f, taco_type a, taco_type b)
{
    bool whole = taco__concat_is_integer(a) && taco__concat_is_integer(b) && a != TACO_UINT64 &&
                 b != TACO_UINT64;
    f->type = whole ? TACO_INT64 : TACO_DOUBLE;
    f->width = 8;
}

/* Turns f, all null so far, into a field like the other one, keeping its name. */
static void taco__concat_adopt_type(taco_field *f, const taco_field *other)
{
    const char *name = f->name;
    *f = *other;
    f->name = name;
    f->nullable = true;
}

TACO__FN bool taco__concat_unify_field(taco__arena *arena, taco_field *f, const taco_field *other,
                                       uint32_t depth, taco_error *err)
{
    taco_type a = f->type, b = other->type;
    f->nullable = true;
    if (b == TACO_NULL || depth > TACO__DEFAULT_MAX_DEPTH) { return true; }
    if (a == TACO_NULL) {
        taco__concat_adopt_type(f, other);
        return true;
    }
    if (a != b && taco__concat_is_number(a) && taco__concat_is_number(b)) {
        taco__concat_unify_numbers(f, a, b);
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

/* ---- values ---- */

/* True if a validity bitmap is needed: for a slice without an array, an array with a bitmap, or one
   of type NULL whose rows become nulls of another type. */
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

/* True if row k of a slice has a value. */
TACO__INLINE bool taco__concat_is_valid(const taco__concat_slice *p, size_t k)
{
    return p->a && taco_array_valid(p->a, p->first + k);
}

/* The validity bitmap of all slices, and the null count. Without nulls there is no bitmap, as Arrow
   allows; a column of type NULL has none either, and counts every row. */
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
            if (taco__concat_is_valid(&p[i], k)) {
                taco__bitmap_set(bits, at);
            } else {
                out->null_count++;
            }
        }
    }
    out->validity = out->null_count ? bits : NULL;
    return bits != NULL;
}

/* The array that stores the value of row i of a, and the index *at in it. */
TACO__INLINE const taco_array *taco__concat_find_value(const taco_array *a, size_t i, size_t *at)
{
    *at = a->dictionary ? (size_t)a->v.i32[i] : i;
    return a->dictionary ? a->dictionary : a;
}

/* The offsets of all texts; *total is their length in bytes. NULL on failure. */
static int32_t *taco__concat_text_offsets(taco__arena *arena, const taco__concat_slice *p,
                                          size_t count, size_t rows, size_t *total, taco_error *err)
{
    int32_t *offsets = (int32_t *)taco__arena_array(arena, rows + 1, sizeof *offsets, err);
    uint64_t sum = 0;
    size_t i, k, at, row = 0;
    for (i = 0; offsets && i < count; i++) {
        for (k = 0; k < p[i].n; k++) {
            if (taco__concat_is_valid(&p[i], k)) {
                const taco_array *v = taco__concat_find_value(p[i].a, p[i].first + k, &at);
                sum += (uint32_t)(v->offsets[at + 1] - v->offsets[at]);
            }
            if (sum > INT32_MAX) {
                TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                           "more than %u bytes of text in a column", TACO__U(INT32_MAX));
                return NULL;
            }
            offsets[++row] = (int32_t)sum;
        }
    }
    *total = (size_t)sum;
    return offsets;
}

/* Text and binary: offsets first, so that the bytes can be allocated in one piece. A null has no
   bytes. */
static bool taco__concat_text(taco__arena *arena, const taco__concat_slice *p, size_t count,
                              taco_array *out, taco_error *err)
{
    size_t i, k, at, row = 0, total = 0;
    int32_t *offsets = taco__concat_text_offsets(arena, p, count, out->length, &total, err);
    uint8_t *to = offsets ? (uint8_t *)taco__arena_alloc(arena, total + TACO__PAD, err) : NULL;
    out->offsets = offsets;
    out->v.any = to;
    for (i = 0; to && i < count; i++) {
        for (k = 0; k < p[i].n; k++, row++) {
            size_t n = (size_t)(offsets[row + 1] - offsets[row]);
            if (n) {
                const taco_array *v = taco__concat_find_value(p[i].a, p[i].first + k, &at);
                memcpy(to + offsets[row], v->v.u8 + v->offsets[at], n);
            }
        }
    }
    return to != NULL;
}

/* Converts ticks to a finer unit, clamped to the range of int64. */
static int64_t taco__concat_scale_ticks(int64_t x, taco_unit from, taco_unit to)
{
    for (; from < to; from = (taco_unit)(from + 1)) {
        if (x > INT64_MAX / 1000 || x < INT64_MIN / 1000) { return x < 0 ? INT64_MIN : INT64_MAX; }
        x *= 1000;
    }
    return x;
}

/* True if values of a can be copied to f unchanged. */
static bool taco__concat_same_values(const taco_field *f, const taco_array *a)
{
    return a->field->type == f->type && a->field->width == f->width &&
           (f->type != TACO_TIMESTAMP || a->field->unit == f->unit);
}

/* Converts one value of another type: a number, or a time of a coarser unit. */
static void taco__concat_convert(const taco_field *f, const taco_array *a, const taco_array *v,
                                 size_t at, uint8_t *to)
{
    if (f->type == TACO_DOUBLE) {
        double d = taco_array_double(v, at);
        memcpy(to, &d, 8);
    } else {
        int64_t x = taco_array_int(v, at);
        x = f->type == TACO_TIMESTAMP ? taco__concat_scale_ticks(x, a->field->unit, f->unit) : x;
        memcpy(to, &x, 8);
    }
}

/* Copies the values of one slice with a fixed width; those of null rows stay zero. */
static void taco__concat_fixed_slice(const taco_field *f, const taco__concat_slice *p, uint8_t *to)
{
    size_t width = (size_t)f->width, k, at;
    bool same = taco__concat_same_values(f, p->a);
    if (same && !p->a->dictionary) {
        memcpy(to, p->a->v.u8 + p->first * width, p->n * width);
        return;
    }
    for (k = 0; k < p->n; k++) {
        const taco_array *v;
        if (!taco_array_valid(p->a, p->first + k)) { continue; }
        v = taco__concat_find_value(p->a, p->first + k, &at);
        if (same) {
            memcpy(to + k * width, v->v.u8 + at * width, width);
        } else {
            taco__concat_convert(f, p->a, v, at, to + k * 8);
        }
    }
}

/* Values of a fixed width. Nulls stay zero: the arena supplies cleared memory. */
static bool taco__concat_fixed(taco__arena *arena, const taco_field *f, const taco__concat_slice *p,
                               size_t count, taco_array *out, taco_error *err)
{
    size_t width = (size_t)f->width, bytes, i;
    uint8_t *to;
    if (!taco__checked_mul_size(out->length, width, &bytes) ||
        !taco__checked_add_size(bytes, TACO__PAD, &bytes)) {
        TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u rows",
                   TACO__U(out->length));
        return false;
    }
    to = (uint8_t *)taco__arena_alloc(arena, bytes, err);
    out->v.any = to;
    for (i = 0; to && i < count; i++) {
        if (p[i].a && p[i].a->field->type != TACO_NULL) { taco__concat_fixed_slice(f, &p[i], to); }
        to += p[i].n * width;
    }
    return to != NULL;
}

/* Bits. Slices may begin in the middle of a byte, so bits are copied one by one. */
static bool taco__concat_bools(taco__arena *arena, const taco__concat_slice *p, size_t count,
                               taco_array *out, taco_error *err)
{
    uint8_t *to = (uint8_t *)taco__arena_alloc(arena, TACO__BITMAP_BYTES(out->length) + 8, err);
    size_t i, k, at, row = 0;
    out->v.any = to;
    for (i = 0; to && i < count; i++) {
        for (k = 0; k < p[i].n; k++, row++) {
            if (taco__concat_is_valid(&p[i], k)) {
                const taco_array *v = taco__concat_find_value(p[i].a, p[i].first + k, &at);
                if (taco__bitmap_get(v->v.u8, at)) { taco__bitmap_set(to, row); }
            }
        }
    }
    return to != NULL;
}

/* ---- nested values ---- */

/* The array of a slice if it has the type of f; else NULL: its rows have no children. */
static const taco_array *taco__concat_nested_array(const taco_field *f, const taco__concat_slice *p)
{
    return p->a && p->a->field->type == f->type ? p->a : NULL;
}

/* The offsets of all lists; NULL on failure. */
static int32_t *taco__concat_list_offsets(taco__arena *arena, const taco_field *f,
                                          const taco__concat_slice *p, size_t count, size_t rows,
                                          taco_error *err)
{
    int32_t *offsets = (int32_t *)taco__arena_array(arena, rows + 1, sizeof *offsets, err);
    uint64_t total = 0;
    size_t i, k, row = 0;
    for (i = 0; offsets && i < count; i++) {
        const taco_array *a = taco__concat_nested_array(f, &p[i]);
        for (k = p[i].first; k < p[i].first + p[i].n; k++) {
            total += a ? (uint32_t)(a->offsets[k + 1] - a->offsets[k]) : 0;
            if (total > INT32_MAX) {
                TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                           "more than %u list elements in a column", TACO__U(INT32_MAX));
                return NULL;
            }
            offsets[++row] = (int32_t)total;
        }
    }
    return offsets;
}

/* The slice of child c below a slice of f. */
static void taco__concat_child_slice(const taco_field *f, const taco__concat_slice *p, uint32_t c,
                                     taco__concat_slice *out)
{
    const taco_array *a = taco__concat_nested_array(f, p);
    size_t at;
    *out = *p;
    out->a = NULL;
    if (f->type == TACO_STRUCT) {
        at = a ? taco__concat_find_child(a->field, f->children[c].name) : TACO__NONE;
        if (at != TACO__NONE) { out->a = &a->children[at]; }
    } else {
        out->n = a ? (size_t)(a->offsets[p->first + p->n] - a->offsets[p->first]) : 0;
        if (a) {
            out->first = (size_t)a->offsets[p->first];
            out->a = &a->children[c];
        }
    }
}

/* Children of lists and structs: slices of the children. */
static bool taco__concat_children(taco__arena *arena, const taco_field *f,
                                  const taco__concat_slice *p, size_t count, taco_array *out,
                                  taco_error *err)
{
    bool lists = f->type != TACO_STRUCT;
    taco__concat_slice *below =
        (taco__concat_slice *)taco__arena_array(arena, count, sizeof *below, err);
    taco_array *children =
        (taco_array *)taco__arena_array(arena, f->child_count, sizeof *children, err);
    size_t i;
    uint32_t c;
    if (lists) { out->offsets = taco__concat_list_offsets(arena, f, p, count, out->length, err); }
    if (!below || !children || (lists && !out->offsets)) { return false; }
    out->children = children;
    for (c = 0; c < f->child_count; c++) {
        for (i = 0; i < count; i++) {
            taco__concat_child_slice(f, &p[i], c, &below[i]);
        }
        if (!taco__concat_arrays(arena, &f->children[c], below, count, &children[c], err)) {
            return false;
        }
    }
    return true;
}

TACO__FN bool taco__concat_arrays(taco__arena *arena, const taco_field *f,
                                  const taco__concat_slice *p, size_t count, taco_array *out,
                                  taco_error *err)
{
    size_t i;
    memset(out, 0, sizeof *out);
    out->field = f;
    for (i = 0; i < count; i++) {
        out->length += p[i].n;
    }
    if (!taco__concat_validity(arena, f, p, count, out, err)) { return false; }
    switch (f->type) {
    case TACO_NULL: return true;
    case TACO_LIST:
    case TACO_MAP:
    case TACO_STRUCT: return taco__concat_children(arena, f, p, count, out, err);
    case TACO_BOOL: return taco__concat_bools(arena, p, count, out, err);
    default:
        return taco__array_is_var_length(f) ? taco__concat_text(arena, p, count, out, err)
                                            : taco__concat_fixed(arena, f, p, count, out, err);
    }
}
