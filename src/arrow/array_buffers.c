/* array_buffers.c - the buffers of an array, reused from batch to batch

   In: a field; out: a taco__array_buf of its shape, which readers decode to (parquet) and gather
   rows in (take.c). Buffers grow to the largest batch and are kept. Sizes are computed here with
   overflow checks, and text is refused if its end is not a 32-bit offset. */
#include "arrow.h"
#include "../base/base.h"

TACO__FN bool taco__array_buf_size(size_t n, size_t width, size_t *out, taco_error *err)
{
    *out = 0;
    if (!taco__checked_mul_size(n, width, out)) {
        TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u values", TACO__U(n));
        return false;
    }
    return true;
}

TACO__FN bool taco__array_buf_reserve_text(taco__buf *data, uint64_t more, taco_error *err)
{
    if (data->len > INT32_MAX || more > INT32_MAX - data->len) {
        TACO__FAIL(
            err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
            "%u bytes of text in one batch, 32-bit offsets reach %u: read fewer rows at a time",
            TACO__U(data->len) + more, TACO__U(INT32_MAX));
        return false;
    }
    return taco__buf_reserve(data, (size_t)more, err);
}

TACO__FN bool taco__array_buf_init(taco__array_buf *b, const taco_field *f, taco__mem *mem,
                                   taco__arena *arena, taco_error *err)
{
    uint32_t i;
    b->validity.mem = b->offsets.mem = b->values.mem = b->bytes.mem = mem;
    b->array.field = f;
    if (f->child_count == 0) { return true; }
    b->children =
        (taco__array_buf *)taco__arena_array(arena, f->child_count, sizeof *b->children, err);
    b->array.children =
        (taco_array *)taco__arena_array(arena, f->child_count, sizeof(taco_array), err);
    for (i = 0; b->children && b->array.children && i < f->child_count; i++) {
        if (!taco__array_buf_init(&b->children[i], &f->children[i], mem, arena, err)) {
            return false;
        }
    }
    return b->children && b->array.children;
}

TACO__FN void taco__array_buf_free(taco__array_buf *b)
{
    uint32_t i;
    taco__buf_free(&b->validity);
    taco__buf_free(&b->offsets);
    taco__buf_free(&b->values);
    taco__buf_free(&b->bytes);
    for (i = 0; b->children && i < b->array.field->child_count; i++) {
        taco__array_buf_free(&b->children[i]);
    }
}

/* Dictionaries and the children of lists are not sliced, because indices and offsets point into
   them. */
TACO__FN taco_array taco__array_buf_slice(taco__array_buf *b, const taco_array *src, size_t at,
                                          size_t n)
{
    taco_array a = *src;
    uint32_t i;
    a.length = n;
    a.null_count = src->field->type == TACO_NULL ? n : 0;
    if (src->validity) {
        a.validity = src->validity + at / 8;
        a.null_count = n - taco__bitmap_count(a.validity, 0, n);
        a.validity = a.null_count ? a.validity : NULL;
    }
    if (src->field->type == TACO_STRUCT) {
        taco_array *below = (taco_array *)b->array.children;
        for (i = 0; i < src->field->child_count; i++) {
            below[i] = taco__array_buf_slice(&b->children[i], &src->children[i], at, n);
        }
        a.children = below;
    } else if (src->offsets) {
        a.offsets = src->offsets + at;
    } else if (src->dictionary) {
        a.v.i32 = src->v.i32 + at;
    } else if (src->v.any) {
        a.v.u8 =
            src->v.u8 + (src->field->type == TACO_BOOL ? at / 8 : at * (size_t)src->field->width);
    }
    return a;
}
