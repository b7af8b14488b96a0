/* column_builder.c - samples, folders and columns handed over one by one.. Spec: TACO 2.0.0 §5,
   §7.1.1 */
#include "write.h"
#include "../base/base.h"

/* ---- columns ---- */

TACO__FN void taco__builder_free(taco__builder *c)
{
    uint32_t i;
    for (i = 0; i < c->field.child_count && c->children; i++) {
        taco__builder_free(&c->children[i]);
    }
    taco__buf_free(&c->validity);
    taco__buf_free(&c->offsets);
    taco__buf_free(&c->values);
}

static bool taco__builder_has_offsets(const taco_field *f)
{
    return f->type == TACO_TEXT || f->type == TACO_BINARY || f->type == TACO_LIST ||
           f->type == TACO_MAP || (f->type == TACO_DECIMAL && f->width == 0);
}

/* Bytes of a value of a fixed width; 0 for others. */
TACO__FN size_t taco__builder_value_width(const taco_field *f)
{
    static const uint8_t widths[] = {0, 0, 1, 2, 4,  8,  1, 2, 4, 8,  2, 4, 8,
                                     0, 4, 8, 8, 12, 12, 0, 0, 0, 16, 0, 0, 0};
    if (f->type == TACO_FIXED || f->type == TACO_DECIMAL) { return (size_t)f->width; }
    return f->type == TACO_TIME && f->unit <= TACO_MILLI ? 4 : widths[f->type];
}

/* A copy of a field and all below it, with names of its own. */
TACO__FN bool taco__builder_init(taco__builder *c, const taco_field *f, taco__mem *mem,
                                 taco__arena *arena, uint32_t depth, taco_error *err)
{
    const int32_t zero = 0;
    taco_field *below;
    uint32_t i;
    memset(c, 0, sizeof *c);
    c->validity.mem = c->offsets.mem = c->values.mem = mem;
    if (depth > 32 || (f->child_count && !f->children) ||
        (uint32_t)f->type > (uint32_t)TACO_STRUCT) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "a column of an impossible type");
        return false;
    }
    c->field = *f;
    c->field.nullable = true;
    c->field.leaf = c->field.leaf_count = 0;
    c->field.width = (int32_t)taco__builder_value_width(f);
    c->field.name = taco__arena_text(arena, taco__bytes_text(f->name ? f->name : ""), err);
    below = (taco_field *)taco__arena_array(arena, f->child_count, sizeof *below, err);
    c->children =
        (taco__builder *)taco__arena_array(arena, f->child_count, sizeof *c->children, err);
    if (!c->field.name || !below || !c->children) { return false; }
    for (i = 0; i < f->child_count; i++) {
        if (!taco__builder_init(&c->children[i], &f->children[i], mem, arena, depth + 1, err)) {
            return false;
        }
        c->children[i].field.nullable = f->children[i].nullable;
        below[i] = c->children[i].field;
    }
    c->field.children = below;
    return !taco__builder_has_offsets(f) || taco__buf_append(&c->offsets, &zero, sizeof zero, err);
}

TACO__FN bool taco__builder_append_offset(taco__builder *c, size_t end, taco_error *err)
{
    int32_t at = (int32_t)end;
    if (end > INT32_MAX) {
        taco_bytes name = taco__bytes_text(c->field.name);
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "column %q has more than 2^31 bytes or items", &name);
        return false;
    }
    return taco__buf_append(&c->offsets, &at, sizeof at, err);
}

/* Counts one more row, and whether it has a value. */
TACO__FN bool taco__builder_append_validity(taco__builder *c, bool valid, taco_error *err)
{
    if (c->length % 8 == 0 && !taco__buf_append_char(&c->validity, 0, err)) { return false; }
    if (valid) { taco__bitmap_set(c->validity.data, c->length); }
    c->nulls += !valid;
    c->length++;
    return true;
}

TACO__FN bool taco__builder_append_null(taco__builder *c, taco_error *err)
{
    static const uint8_t zeros[64] = {0};
    size_t n = taco__builder_value_width(&c->field);
    uint32_t i;
    bool ok = true;
    if (c->field.type == TACO_BOOL) {
        ok = c->length % 8 != 0 || taco__buf_append_char(&c->values, 0, err);
    } else if (taco__builder_has_offsets(&c->field)) {
        int32_t last;
        memcpy(&last, c->offsets.data + c->offsets.len - sizeof last, sizeof last);
        ok = taco__builder_append_offset(c, (size_t)last, err);
    } else if (c->field.type == TACO_STRUCT) {
        for (i = 0; ok && i < c->field.child_count; i++) {
            ok = taco__builder_append_null(&c->children[i], err);
        }
    }
    for (; ok && n; n -= TACO__MIN(n, sizeof zeros)) {
        ok = taco__buf_append(&c->values, zeros, TACO__MIN(n, sizeof zeros), err);
    }
    return ok && taco__builder_append_validity(c, false, err);
}

/* A value of a fixed width, or the bytes of TEXT and BINARY. */
TACO__FN bool taco__builder_append_bytes(taco__builder *c, taco_bytes b, taco_error *err)
{
    return taco__buf_append(&c->values, b.data, b.len, err) &&
           (!taco__builder_has_offsets(&c->field) ||
            taco__builder_append_offset(c, c->values.len, err)) &&
           taco__builder_append_validity(c, true, err);
}

TACO__FN bool taco__builder_append_bool(taco__builder *c, bool value, taco_error *err)
{
    if (c->length % 8 == 0 && !taco__buf_append_char(&c->values, 0, err)) { return false; }
    if (value) { taco__bitmap_set(c->values.data, c->length); }
    return taco__builder_append_validity(c, true, err);
}

/* Row i of an array of the same type, with all below it. */
TACO__FN bool taco__builder_append_copy(taco__builder *c, const taco_array *a, size_t i,
                                        taco_error *err)
{
    const taco_field *f = &c->field;
    uint32_t k;
    int32_t from, to;
    if (!taco_array_valid(a, i)) { return taco__builder_append_null(c, err); }
    if (a->dictionary) {
        i = (size_t)a->v.i32[i];
        a = a->dictionary;
        if (!taco_array_valid(a, i)) { return taco__builder_append_null(c, err); }
    }
    if (f->type == TACO_BOOL) {
        return taco__builder_append_bool(c, taco__bitmap_get(a->v.u8, i), err);
    }
    if (f->type == TACO_STRUCT) {
        for (k = 0; k < f->child_count; k++) {
            if (!taco__builder_append_copy(&c->children[k], &a->children[k], i, err)) {
                return false;
            }
        }
        return taco__builder_append_validity(c, true, err);
    }
    if (!taco__builder_has_offsets(f)) {
        size_t n = taco__builder_value_width(f);
        return taco__builder_append_bytes(c, taco__bytes_of(a->v.u8 + i * n, n), err);
    }
    from = a->offsets[i];
    to = a->offsets[i + 1];
    if (f->type != TACO_LIST && f->type != TACO_MAP) {
        return taco__builder_append_bytes(c, taco__bytes_of(a->v.u8 + from, (size_t)(to - from)),
                                          err);
    }
    for (; from < to; from++) {
        if (!taco__builder_append_copy(&c->children[0], &a->children[0], (size_t)from, err)) {
            return false;
        }
    }
    return taco__builder_append_offset(c, c->children[0].length, err) &&
           taco__builder_append_validity(c, true, err);
}

/* The whole column as an array. */
TACO__FN void taco__builder_finish(taco__builder *c, taco__arena *arena, taco_error *err)
{
    taco_array *below =
        (taco_array *)taco__arena_array(arena, c->field.child_count, sizeof *below, err);
    uint32_t i;
    memset(&c->array, 0, sizeof c->array);
    c->array.field = &c->field;
    c->array.length = c->length;
    c->array.null_count = c->field.type == TACO_NULL ? c->length : c->nulls;
    c->array.validity = c->nulls ? c->validity.data : NULL;
    c->array.offsets = taco__builder_has_offsets(&c->field)
                           ? (const int32_t *)(const void *)c->offsets.data
                           : NULL;
    c->array.v.any = c->values.data ? c->values.data : (const uint8_t *)"";
    for (i = 0; below && i < c->field.child_count; i++) {
        taco__builder_finish(&c->children[i], arena, err);
        below[i] = c->children[i].array;
    }
    c->array.children = below;
}

/* An instant of ISO 8601 in the unit of a column. */
TACO__FN bool taco__builder_parse_time(const taco_field *f, taco_bytes text, int64_t *out)
{
    static const int64_t per[] = {1000000, 1000, 1, 1};
    bool date;
    if (!taco__time_parse(text, out, &date)) { return false; }
    if (f->type == TACO_DATE) {
        *out = taco__time_floor_div(*out, TACO__TIME_DAY_MICROS);
    } else if (f->unit == TACO_NANO) {
        if (*out > INT64_MAX / 1000 || *out < INT64_MIN / 1000) { return false; }
        *out *= 1000;
    } else {
        *out = taco__time_floor_div(*out, per[f->unit]);
    }
    return true;
}

/* Stores an integer of any width; false where it does not fit. */
TACO__FN bool taco__builder_append_int(taco__builder *c, int64_t x, taco_error *err)
{
    static const uint8_t bits[] = {
        0, 0, 7, 15, 31, 63, 8, 16, 32, 63}; /* of the largest; UINT64 as far as int64_t goes */
    taco_type t = c->field.type;
    size_t n = taco__builder_value_width(&c->field), i;
    uint8_t b[8];
    bool is_signed = t < TACO_UINT8 || t > TACO_UINT64;
    unsigned most = t <= TACO_UINT64 ? bits[t] : n == 4 ? 31 : 63;
    if (most < 63 && (x >= (int64_t)1 << most || x < (is_signed ? -((int64_t)1 << most) : 0))) {
        return false;
    }
    if (!is_signed && x < 0) { return false; }
    for (i = 0; i < n; i++) {
        b[TACO__BIG_ENDIAN ? n - 1 - i : i] = (uint8_t)((uint64_t)x >> (8 * i));
    }
    return taco__builder_append_bytes(c, taco__bytes_of(b, n), err) || true;
}
