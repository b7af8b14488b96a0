/* builder.c - builds arrays value by value: integers, floats, text, lists, structs, nulls

   In: a field, and calls that append one row at a time; out: a taco_array with the layout of a
   decoded column, which borrows the builder's buffers. For rows of a STRUCT, LIST or MAP append the
   children's rows first, then call taco__array_builder_end_row on the parent, which ends its row at
   the children's current length. All buffers are charged to one handle's memory, and
   taco__array_builder_reset keeps them for the next batch.

   The bitmap of nulls begins with the first null: until then a row costs only its value. If all
   rows exist at once, arrow/take.c, legacy/array_concat.c and sql/vector_arrow.c copy whole
   columns, which is faster; dataset/avro_read.c has its own layout, in which children of structs
   grow only when there is a value. Start reading at taco__array_builder_end_row. */
#include "arrow.h"
#include "../base/base.h"

TACO__FN bool taco__array_builder_init(taco__array_builder *b, const taco_field *f, taco__mem *mem,
                                       taco__arena *arena, taco_error *err)
{
    uint32_t i;
    memset(b, 0, sizeof *b);
    b->field = f;
    b->validity.mem = b->offsets.mem = b->values.mem = mem;
    if (f->child_count == 0) { return true; }
    b->children =
        (taco__array_builder *)taco__arena_array(arena, f->child_count, sizeof *b->children, err);
    b->arrays = (taco_array *)taco__arena_array(arena, f->child_count, sizeof *b->arrays, err);
    for (i = 0; b->children && b->arrays && i < f->child_count; i++) {
        if (!taco__array_builder_init(&b->children[i], &f->children[i], mem, arena, err)) {
            return false;
        }
    }
    return b->children && b->arrays;
}

TACO__FN void taco__array_builder_free(taco__array_builder *b)
{
    uint32_t i;
    if (!b->field) { return; }
    taco__buf_free(&b->validity);
    taco__buf_free(&b->offsets);
    taco__buf_free(&b->values);
    for (i = 0; b->children && i < b->field->child_count; i++) {
        taco__array_builder_free(&b->children[i]);
    }
}

TACO__FN void taco__array_builder_reset(taco__array_builder *b)
{
    uint32_t i;
    b->length = b->nulls = 0;
    b->validity.len = b->offsets.len = b->values.len = 0;
    for (i = 0; i < b->field->child_count; i++) {
        taco__array_builder_reset(&b->children[i]);
    }
}

/* Extends a bitmap by one row; new bits are zero. */
static bool taco__array_builder_grow_bitmap(taco__buf *bitmap, size_t row, taco_error *err)
{
    static const uint8_t zeros[8] = {0};
    return row / 64 * 8 < bitmap->len || taco__buf_append_inline(bitmap, zeros, 8, err);
}

/* Creates the bitmap at the first null: all rows before it have a value. */
static TACO__COLD bool taco__array_builder_begin_nulls(taco__array_builder *b, taco_error *err)
{
    size_t bytes = (b->length / 64 + 1) * 8;
    b->validity.len = 0;
    if (!taco__buf_reserve(&b->validity, bytes, err)) { return false; }
    memset(b->validity.data, 0, bytes);
    taco__bitmap_fill(b->validity.data, 0, b->length, true);
    b->validity.len = bytes;
    return true;
}

/* Records whether the row about to be counted has a value. */
TACO__INLINE bool taco__array_builder_set_valid(taco__array_builder *b, bool valid, taco_error *err)
{
    if (valid && !b->nulls) { return true; }
    if (!b->nulls ? !taco__array_builder_begin_nulls(b, err)
                  : !taco__array_builder_grow_bitmap(&b->validity, b->length, err)) {
        return false;
    }
    if (valid) { taco__bitmap_set(b->validity.data, b->length); }
    b->nulls += !valid;
    return true;
}

/* Appends the end of the row's bytes or items, and the 0 before the first. */
static bool taco__array_builder_append_offset(taco__array_builder *b, taco_error *err)
{
    bool text = taco__array_is_var_length(b->field);
    size_t end = text ? b->values.len : b->children[0].length;
    int32_t offsets[2] = {0, 0};
    if (end > INT32_MAX) {
        taco_bytes name = taco__bytes_text(b->field->name);
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "column %q has more than 2^31 bytes or items", &name);
        return false;
    }
    offsets[1] = (int32_t)end;
    return b->length ? taco__buf_append_inline(&b->offsets, &offsets[1], 4, err)
                     : taco__buf_append_inline(&b->offsets, offsets, 8, err);
}

/* Counts a row of any layout. */
TACO__INLINE bool taco__array_builder_count_row(taco__array_builder *b, bool valid, taco_error *err)
{
    if ((taco__array_builder_has_offsets(b->field) && !taco__array_builder_append_offset(b, err)) ||
        !taco__array_builder_set_valid(b, valid, err)) {
        return false;
    }
    b->length++;
    return true;
}

TACO__FN bool taco__array_builder_end_row(taco__array_builder *b, bool valid, taco_error *err)
{
    return taco__array_builder_count_row(b, valid, err);
}

TACO__FN bool taco__array_builder_append_null(taco__array_builder *b, taco_error *err)
{
    uint32_t i;
    if (b->field->type == TACO_BOOL) {
        if (!taco__array_builder_grow_bitmap(&b->values, b->length, err)) { return false; }
    } else if (b->field->type == TACO_STRUCT) {
        for (i = 0; i < b->field->child_count; i++) {
            if (!taco__array_builder_append_null(&b->children[i], err)) { return false; }
        }
    } else if (b->field->width && !taco__array_builder_has_offsets(b->field)) {
        size_t width = (size_t)b->field->width;
        if (!taco__buf_reserve(&b->values, width, err)) { return false; }
        memset(b->values.data + b->values.len, 0, width);
        b->values.len += width;
    }
    return taco__array_builder_end_row(b, false, err);
}

TACO__FN bool taco__array_builder_append_bytes(taco__array_builder *b, taco_bytes value,
                                               taco_error *err)
{
    return taco__buf_append_inline(&b->values, value.data, value.len, err) &&
           taco__array_builder_count_row(b, true, err);
}

TACO__FN bool taco__array_builder_append_text(taco__array_builder *b, const char *value,
                                              taco_error *err)
{
    return value ? taco__array_builder_append_bytes(b, taco__bytes_text(value), err)
                 : taco__array_builder_append_null(b, err);
}

TACO__FN bool taco__array_builder_append_bool(taco__array_builder *b, bool value, taco_error *err)
{
    if (!taco__array_builder_grow_bitmap(&b->values, b->length, err)) { return false; }
    if (value) { taco__bitmap_set(b->values.data, b->length); }
    return taco__array_builder_end_row(b, true, err);
}

TACO__FN bool taco__array_builder_int_fits(const taco_field *f, int64_t x)
{
    unsigned bits = (unsigned)f->width * 8;
    if (f->type >= TACO_UINT8 && f->type <= TACO_UINT64) {
        return x >= 0 && (bits == 64 || x >> bits == 0);
    }
    return bits == 64 || x >> (bits - 1) == 0 || x >> (bits - 1) == -1;
}

/* A value of n bytes, the width of the type. */
TACO__INLINE bool taco__array_builder_append_fixed(taco__array_builder *b, const void *value,
                                                   size_t n, taco_error *err)
{
    if (!taco__buf_append_inline(&b->values, value, n, err) ||
        !taco__array_builder_set_valid(b, true, err)) {
        return false;
    }
    b->length++;
    return true;
}

TACO__FN bool taco__array_builder_append_int(taco__array_builder *b, int64_t x, taco_error *err)
{
    int32_t x32 = (int32_t)x;
    int16_t x16 = (int16_t)x;
    int8_t x8 = (int8_t)x;
    switch (b->field->width) {
    case 8: return taco__array_builder_append_fixed(b, &x, 8, err);
    case 4: return taco__array_builder_append_fixed(b, &x32, 4, err);
    case 2: return taco__array_builder_append_fixed(b, &x16, 2, err);
    default: return taco__array_builder_append_fixed(b, &x8, 1, err);
    }
}

TACO__FN bool taco__array_builder_append_double(taco__array_builder *b, double x, taco_error *err)
{
    float narrow = (float)x;
    return b->field->width == 8 ? taco__array_builder_append_fixed(b, &x, 8, err)
                                : taco__array_builder_append_fixed(b, &narrow, 4, err);
}

TACO__FN bool taco__array_builder_append_doubles(taco__array_builder *b, const double *x, size_t n,
                                                 taco_error *err)
{
    size_t i;
    for (i = 0; x && i < n; i++) {
        if (!taco__array_builder_append_double(&b->children[0], x[i], err)) { return false; }
    }
    return taco__array_builder_end_row(b, x != NULL, err);
}

TACO__FN uint8_t *taco__array_builder_append_unset(taco__array_builder *b, size_t n,
                                                   taco_error *err)
{
    size_t i, bytes;
    if (!taco__checked_mul_size(n, (size_t)b->field->width, &bytes) ||
        !taco__buf_reserve(&b->values, bytes, err)) {
        return NULL;
    }
    for (i = 0; b->nulls && i < n; i++) { /* the rows before them have a bitmap */
        if (!taco__array_builder_grow_bitmap(&b->validity, b->length + i, err)) { return NULL; }
        taco__bitmap_set(b->validity.data, b->length + i);
    }
    b->length += n;
    b->values.len += bytes;
    return b->values.data + b->values.len - bytes;
}

/* The rows of a list, and its end. */
static bool taco__array_builder_copy_items(taco__array_builder *b, const taco_array *a, size_t i,
                                           taco_error *err)
{
    int32_t k;
    for (k = a->offsets[i]; k < a->offsets[i + 1]; k++) {
        if (!taco__array_builder_append_copy(&b->children[0], &a->children[0], (size_t)k, err)) {
            return false;
        }
    }
    return taco__array_builder_end_row(b, true, err);
}

TACO__FN bool taco__array_builder_append_copy(taco__array_builder *b, const taco_array *a, size_t i,
                                              taco_error *err)
{
    uint32_t k;
    if (!taco_array_valid(a, i)) { return taco__array_builder_append_null(b, err); }
    if (a->dictionary) {
        i = (size_t)a->v.u32[i];
        a = a->dictionary;
        if (!taco_array_valid(a, i)) { return taco__array_builder_append_null(b, err); }
    }
    switch (b->field->type) {
    case TACO_BOOL: return taco__array_builder_append_bool(b, taco__bitmap_get(a->v.u8, i), err);
    case TACO_LIST:
    case TACO_MAP: return taco__array_builder_copy_items(b, a, i, err);
    case TACO_STRUCT:
        for (k = 0; k < b->field->child_count; k++) {
            if (!taco__array_builder_append_copy(&b->children[k], &a->children[k], i, err)) {
                return false;
            }
        }
        return taco__array_builder_end_row(b, true, err);
    default: break;
    }
    if (taco__array_is_var_length(b->field)) {
        return taco__array_builder_append_bytes(
            b, taco__bytes_of(a->v.u8 + a->offsets[i], (size_t)(a->offsets[i + 1] - a->offsets[i])),
            err);
    }
    return taco__array_builder_append_bytes(
        b, taco__bytes_of(a->v.u8 + i * (size_t)b->field->width, (size_t)b->field->width), err);
}

TACO__FN taco_array *taco__array_builder_view(taco__array_builder *b, taco_array *out)
{
    static const int64_t none[1] = {0}; /* buffers without rows need an address, too */
    uint32_t i;
    memset(out, 0, sizeof *out);
    out->field = b->field;
    out->length = b->length;
    out->null_count = b->field->type == TACO_NULL ? b->length : b->nulls;
    out->validity = b->nulls && b->field->type != TACO_NULL ? b->validity.data : NULL;
    out->v.any = b->values.data ? (const void *)b->values.data : none;
    if (taco__array_builder_has_offsets(b->field)) {
        out->offsets = b->length ? (const int32_t *)(const void *)b->offsets.data
                                 : (const int32_t *)(const void *)none;
    }
    for (i = 0; i < b->field->child_count; i++) {
        taco__array_builder_view(&b->children[i], &b->arrays[i]);
    }
    out->children = b->arrays;
    return out;
}
