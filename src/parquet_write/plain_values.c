/* plain_values.c - a growing sequence of values in PLAIN form: of one width, or byte arrays

   In: values one by one; array_values.c appends many at once to the buffers itself. Out: the bytes
   and offsets that encode.c reads. A leaf has two of them: the values that are not in a page yet,
   which pages take from the front, and the dictionary of its chunk, which only grows.

   Byte arrays 'ab', 'c': count 2, bytes "abc", offsets {0, 2 | 3}. The bar is where offsets.len
   ends: the end of the last value lies after it and is written again by the next append. */
#include "parquet_write.h"
#include "../base/base.h"

TACO__FN void taco__plain_values_init(taco__plain_values *v, size_t width, taco__mem *mem)
{
    memset(v, 0, sizeof *v);
    v->width = width;
    v->bytes.mem = v->offsets.mem = mem;
}

TACO__FN bool taco__plain_values_append(taco__plain_values *v, taco_bytes value, taco_error *err)
{
    if (v->width == 0) {
        uint32_t *offsets;
        if (!taco__buf_reserve(&v->offsets, 2 * sizeof *offsets, err)) { return false; }
        offsets = taco__plain_values_offsets(v) + v->count;
        offsets[0] = (uint32_t)v->bytes.len;
        offsets[1] = (uint32_t)(v->bytes.len + value.len);
        v->offsets.len += sizeof *offsets;
    }
    if (!taco__buf_append(&v->bytes, value.data, value.len, err)) { return false; }
    v->count++;
    return true;
}

TACO__FN void taco__plain_values_truncate(taco__plain_values *v, size_t n)
{
    if (n == v->count) { return; }
    v->bytes.len = v->width ? n * v->width : taco__plain_values_offsets(v)[n];
    v->offsets.len = v->width ? 0 : n * sizeof(uint32_t);
    v->count = n;
}

/* Moves the remaining offsets to the front; they begin at 0 again. Returns where the remaining
   bytes begin. */
static size_t taco__plain_values_rebase_offsets(taco__plain_values *v, size_t n)
{
    uint32_t *offsets = taco__plain_values_offsets(v), begin = offsets[n];
    size_t i, left = v->count - n;
    for (i = 0; i <= left; i++) {
        offsets[i] = offsets[n + i] - begin;
    }
    v->offsets.len = left * sizeof *offsets;
    return begin;
}

TACO__FN void taco__plain_values_drop_front(taco__plain_values *v, size_t n)
{
    size_t begin;
    if (n == 0) { return; }
    begin = v->width ? n * v->width : taco__plain_values_rebase_offsets(v, n);
    memmove(v->bytes.data, v->bytes.data + begin, v->bytes.len - begin);
    v->bytes.len -= begin;
    v->count -= n;
}
