/* row_builder.c - columns and fields of the known extensions.. Spec: TACO 2.0 §8, OGC 19-008r4;
   Karney 2011 for UTM */
#include "write.h"
#include "../base/base.h"

TACO__FN void taco__row_builder_reset(taco__row_builder *c)
{
    uint32_t i;
    c->length = c->nulls = 0;
    c->validity.len = c->offsets.len = c->values.len = 0;
    for (i = 0; i < c->field->child_count; i++) {
        taco__row_builder_reset(&c->child[i]);
    }
}

TACO__FN bool taco__row_builder_init(taco__row_builder *c, const taco_field *f, taco__mem *mem,
                                     taco__arena *arena, taco_error *err)
{
    uint32_t i;
    memset(c, 0, sizeof *c);
    c->field = f;
    c->validity.mem = c->offsets.mem = c->values.mem = mem;
    c->child =
        (taco__row_builder *)taco__arena_array(arena, f->child_count + 1, sizeof *c->child, err);
    c->arrays = (taco_array *)taco__arena_array(arena, f->child_count + 1, sizeof *c->arrays, err);
    for (i = 0; c->child && c->arrays && i < f->child_count; i++) {
        if (!taco__row_builder_init(&c->child[i], &f->children[i], mem, arena, err)) {
            return false;
        }
    }
    return c->child && c->arrays;
}

TACO__FN void taco__row_builder_free(taco__row_builder *c)
{
    uint32_t i;
    if (!c->field) { return; }
    taco__buf_free(&c->validity);
    taco__buf_free(&c->offsets);
    taco__buf_free(&c->values);
    for (i = 0; c->child && i < c->field->child_count; i++) {
        taco__row_builder_free(&c->child[i]);
    }
}

static bool taco__row_builder_has_offsets(const taco_field *f)
{
    return f->type == TACO_TEXT || f->type == TACO_BINARY || f->type == TACO_LIST;
}

/* Counts a row, valid or not, whose values are there; those with offsets end here. */
TACO__FN bool taco__row_builder_end_row(taco__row_builder *c, bool valid, taco_error *err)
{
    int32_t end, zero = 0;
    uint64_t bits = 0;
    size_t total = c->field->type == TACO_LIST ? c->child[0].length : c->values.len;
    if ((c->length & 63) == 0 && !taco__buf_append(&c->validity, &bits, 8, err)) { return false; }
    if (valid) { taco__bitmap_set(c->validity.data, c->length); }
    c->nulls += !valid;
    c->length++;
    if (!taco__row_builder_has_offsets(c->field)) { return true; }
    if (total > INT32_MAX) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "%u bytes or elements in a batch of one column", TACO__U(total));
        return false;
    }
    end = (int32_t)total;
    return (c->length > 1 || taco__buf_append(&c->offsets, &zero, 4, err)) &&
           taco__buf_append(&c->offsets, &end, 4, err);
}

TACO__FN bool taco__row_builder_append_null(taco__row_builder *c, taco_error *err)
{
    static const uint8_t zero[16] = {0};
    uint32_t i;
    if (!taco__row_builder_has_offsets(c->field) && c->field->type != TACO_STRUCT &&
        !taco__buf_append(&c->values, zero, (size_t)c->field->width, err)) {
        return false;
    }
    for (i = 0; c->field->type == TACO_STRUCT && i < c->field->child_count; i++) {
        if (!taco__row_builder_append_null(&c->child[i], err)) { return false; }
    }
    return taco__row_builder_end_row(c, false, err);
}

TACO__FN bool taco__row_builder_append_int(taco__row_builder *c, int64_t x, taco_error *err)
{
    int32_t narrow = (int32_t)x;
    return taco__buf_append(&c->values, c->field->width == 4 ? (const void *)&narrow : &x,
                            (size_t)c->field->width, err) &&
           taco__row_builder_end_row(c, true, err);
}

TACO__FN bool taco__row_builder_append_double(taco__row_builder *c, double x, taco_error *err)
{
    float narrow = (float)x;
    return taco__buf_append(&c->values, c->field->width == 4 ? (const void *)&narrow : &x,
                            (size_t)c->field->width, err) &&
           taco__row_builder_end_row(c, true, err);
}

TACO__FN bool taco__row_builder_append_bytes(taco__row_builder *c, taco_bytes b, taco_error *err)
{
    return taco__buf_append(&c->values, b.data, b.len, err) &&
           taco__row_builder_end_row(c, true, err);
}

TACO__FN bool taco__row_builder_append_text(taco__row_builder *c, const char *s, taco_error *err)
{
    return s ? taco__row_builder_append_bytes(c, taco__bytes_text(s), err)
             : taco__row_builder_append_null(c, err);
}

/* A list of n numbers; NULL = null. */
TACO__FN bool taco__row_builder_append_doubles(taco__row_builder *c, const double *v, size_t n,
                                               taco_error *err)
{
    size_t i;
    for (i = 0; v && i < n; i++) {
        if (!taco__row_builder_append_double(&c->child[0], v[i], err)) { return false; }
    }
    return taco__row_builder_end_row(c, v != NULL, err);
}

/* n rows of 8 bytes each at once, all valid; NULL when there is no memory. The caller fills
   them. */
TACO__FN uint64_t *taco__row_builder_append_unset(taco__row_builder *c, size_t n, taco_error *err)
{
    size_t bits = ((c->length + n + 63) / 64) * 8, i, bytes;
    if (!taco__checked_mul_size(n, 8, &bytes) || !taco__buf_reserve(&c->values, bytes, err) ||
        !taco__buf_reserve(&c->validity, bits - c->validity.len, err)) {
        return NULL;
    }
    memset(c->validity.data + c->validity.len, 0, bits - c->validity.len);
    c->validity.len = bits;
    for (i = c->length; i < c->length + n; i++) {
        taco__bitmap_set(c->validity.data, i);
    }
    c->length += n;
    c->values.len += bytes;
    return (uint64_t *)(void *)(c->values.data + c->values.len - bytes);
}

/* The rows so far; lives until the column is cleared or grows. */
TACO__FN taco_array *taco__row_builder_array(taco__row_builder *c, taco_array *out)
{
    static const int32_t none[2] = {0, 0};
    uint32_t i;
    memset(out, 0, sizeof *out);
    out->field = c->field;
    out->length = c->length;
    out->null_count = c->nulls;
    out->validity = c->nulls ? c->validity.data : NULL;
    out->v.any = c->values.data;
    if (taco__row_builder_has_offsets(c->field)) {
        out->offsets = c->length ? (const int32_t *)(const void *)c->offsets.data : none;
    }
    for (i = 0; i < c->field->child_count; i++) {
        taco__row_builder_array(&c->child[i], &c->arrays[i]);
    }
    out->children = c->field->child_count ? c->arrays : NULL;
    return out;
}

/* A field of a type without parameters but the width of its values. */
TACO__FN taco_field taco__row_builder_field(const char *name, taco_type type)
{
    taco_field f;
    memset(&f, 0, sizeof f);
    f.name = name;
    f.type = type;
    f.nullable = true;
    f.unit = TACO_MICRO;
    f.width = type == TACO_INT32 || type == TACO_FLOAT                              ? 4
              : type == TACO_INT64 || type == TACO_DOUBLE || type == TACO_TIMESTAMP ? 8
                                                                                    : 0;
    return f;
}

TACO__FN taco_field taco__row_builder_nested_field(const char *name, taco_type type,
                                                   const taco_field *children, uint32_t n)
{
    taco_field f = taco__row_builder_field(name, type);
    f.children = children;
    f.child_count = n;
    return f;
}
