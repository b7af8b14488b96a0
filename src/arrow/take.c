/* take.c - rows of an array by index: dictionary lookup and selection

   In: an array and indices into it; out: the values at those indices, in that order, in buffers of
   the caller's. The kernels for fixed width, bits and text serve dictionaries as well as
   selections; taco__take_array combines them for any type. Arrow calls the operation by this
   name. */
#include "arrow.h"
#include "../base/base.h"

TACO__FN void taco__take_fixed(void *dst, const void *src, size_t width,
                               const int32_t *TACO__RESTRICT idx, size_t n)
{
    uint8_t *TACO__RESTRICT d = (uint8_t *)dst;
    const uint8_t *TACO__RESTRICT s = (const uint8_t *)src;
    size_t i = 0;
#ifdef TACO_SMALL
    for (; i < n; i++) {
        memcpy(d + i * width, s + (size_t)(uint32_t)idx[i] * width, width);
    }
#else
#define TACO__TAKE_ONE(w, k, index)                                                                \
    memcpy(d + (i + (k)) * (w), s + (size_t)(uint32_t)(index) * (w), (w))
/* two indices per load, because this loop is limited by loads */
#define TACO__TAKE_TWO(w, k)                                                                       \
    do {                                                                                           \
        uint64_t pair;                                                                             \
        memcpy(&pair, idx + i + (k), 8);                                                           \
        TACO__TAKE_ONE(w, k, TACO__BIG_ENDIAN ? pair >> 32 : pair);                                \
        TACO__TAKE_ONE(w, (k) + 1, TACO__BIG_ENDIAN ? pair : pair >> 32);                          \
    } while (0)
#define TACO__TAKE_CASE(w)                                                                         \
    case w:                                                                                        \
        for (; i + 4 <= n; i += 4) {                                                               \
            TACO__TAKE_TWO(w, 0);                                                                  \
            TACO__TAKE_TWO(w, 2);                                                                  \
        }                                                                                          \
        for (; i < n; i++) {                                                                       \
            TACO__TAKE_ONE(w, 0, idx[i]);                                                          \
        }                                                                                          \
        break;
    switch (width) {
        TACO__TAKE_CASE(1)
        TACO__TAKE_CASE(2)
        TACO__TAKE_CASE(4)
        TACO__TAKE_CASE(8)
        TACO__TAKE_CASE(12)
        TACO__TAKE_CASE(16)
        TACO__TAKE_CASE(32)
    default:
        for (; i < n; i++) {
            TACO__TAKE_ONE(width, 0, idx[i]);
        }
        break;
    }
#undef TACO__TAKE_CASE
#undef TACO__TAKE_TWO
#undef TACO__TAKE_ONE
#endif
}

TACO__FN size_t taco__take_bits(uint8_t *dst, size_t dst_bit, const uint8_t *src, size_t src_bit,
                                const int32_t *idx, size_t n)
{
    size_t i, j, m, ones = 0;
    for (i = 0; i < n; i += m) {
        uint64_t x = 0;
        m = TACO__MIN(n - i, (size_t)64);
        for (j = 0; j < m; j++) {
            x |= (uint64_t)taco__bitmap_get(src, src_bit + (uint32_t)idx[i + j]) << j;
        }
        taco__bitmap_write(dst, dst_bit + i, x, m);
        ones += taco__bitmap_popcount(x);
    }
    return ones;
}

TACO__FN bool taco__take_bytes(taco__buf *data, int32_t *offsets, const uint8_t *src,
                               size_t src_len, const int32_t *src_offsets, const int32_t *idx,
                               size_t n, taco_error *err)
{
    uint64_t total = 0;
    size_t i, at = data->len;
    uint8_t *out;
    for (i = 0; i < n; i++) {
        const int32_t *o = src_offsets + (uint32_t)idx[i];
        total += (uint32_t)(o[1] - o[0]);
    }
    if (!taco__array_buf_reserve_text(data, total, err)) { return false; }
    out = data->data;
    offsets[0] = (int32_t)at;
    for (i = 0; i < n; i++) {
        const int32_t *o = src_offsets + (uint32_t)idx[i];
        size_t from = (uint32_t)o[0], len = (uint32_t)(o[1] - o[0]);
        taco__array_buf_copy_text(out + at, src + from, len, src_len - from);
        at += len;
        offsets[i + 1] = (int32_t)at;
    }
    data->len = at;
    return true;
}

/* ---- selection ---- */

/* Sets validity and null_count; no bitmap if all selected rows are valid. */
static bool taco__take_validity(taco__array_buf *b, const taco_array *src, const int32_t *idx,
                                size_t n, taco_error *err)
{
    size_t ones;
    b->array.validity = NULL;
    b->array.null_count = src->field->type == TACO_NULL ? n : 0;
    if (!src->validity) { return true; }
    if (!taco__buf_reset(&b->validity, TACO__BITMAP_BYTES(n) + 8, err)) { return false; }
    ones = taco__take_bits(b->validity.data, 0, src->validity, 0, idx, n);
    b->array.null_count = n - ones;
    b->array.validity = ones == n ? NULL : b->validity.data;
    return true;
}

/* Texts, one after the other, and their offsets. */
static bool taco__take_text(taco__array_buf *b, const taco_array *src, const int32_t *idx, size_t n,
                            taco_error *err)
{
    int32_t *offsets;
    size_t bytes;
    if (!taco__array_buf_size(n + 1, sizeof *offsets, &bytes, err) ||
        !taco__buf_reset(&b->offsets, bytes, err)) {
        return false;
    }
    offsets = (int32_t *)(void *)b->offsets.data;
    offsets[0] = 0;
    b->bytes.len = 0;
    if (!taco__buf_reserve(&b->bytes, 0, err) ||
        (n && !taco__take_bytes(&b->bytes, offsets, src->v.u8,
                                src->length ? (size_t)src->offsets[src->length] : 0, src->offsets,
                                idx, n, err))) {
        return false;
    }
    b->array.offsets = offsets;
    b->array.v.any = b->bytes.data;
    return true;
}

/* Gathers the elements of the selected lists. */
static bool taco__take_list(taco__array_buf *b, const taco_array *src, const int32_t *idx, size_t n,
                            taco_error *err)
{
    int32_t *offsets, *elements;
    uint64_t total = 0;
    size_t i, bytes, element_bytes;
    for (i = 0; i < n; i++) {
        total += (uint32_t)(src->offsets[idx[i] + 1] - src->offsets[idx[i]]);
    }
    if (total > INT32_MAX) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "%u list elements in one batch, 32-bit offsets reach %u", total,
                   TACO__U(INT32_MAX));
        return false;
    }
    if (!taco__array_buf_size(n + 1, sizeof *offsets, &bytes, err) ||
        !taco__buf_reset(&b->offsets, bytes, err) ||
        !taco__array_buf_size((size_t)total, sizeof *elements, &element_bytes, err) ||
        !taco__buf_reset(&b->values, element_bytes, err)) {
        return false;
    }
    offsets = (int32_t *)(void *)b->offsets.data;
    elements = (int32_t *)(void *)b->values.data;
    total = 0;
    for (i = 0; i < n; i++) {
        int32_t k;
        offsets[i] = (int32_t)total;
        for (k = src->offsets[idx[i]]; k < src->offsets[idx[i] + 1]; k++) {
            elements[total++] = k;
        }
    }
    offsets[n] = (int32_t)total;
    b->array.offsets = offsets;
    if (!taco__take_array(&b->children[0], &src->children[0], elements, (size_t)total, err)) {
        return false;
    }
    ((taco_array *)b->array.children)[0] = b->children[0].array;
    return true;
}

TACO__FN void taco__take_from_dictionary(uint8_t *dst, const taco_array *src, const int32_t *idx,
                                         size_t n)
{
    int32_t at[TACO__STACK_VALUES];
    size_t i, m, width = (size_t)src->field->width;
    for (i = 0; i < n; i += m) {
        m = TACO__MIN(n - i, (size_t)TACO__STACK_VALUES);
        taco__take_fixed(at, src->v.any, sizeof *at, idx + i, m);
        taco__take_fixed(dst + i * width, src->dictionary->v.any, width, at, m);
    }
}

static bool taco__take_struct(taco__array_buf *b, const taco_array *src, const int32_t *idx,
                              size_t n, taco_error *err)
{
    uint32_t i;
    for (i = 0; i < src->field->child_count; i++) {
        if (!taco__take_array(&b->children[i], &src->children[i], idx, n, err)) { return false; }
        ((taco_array *)b->array.children)[i] = b->children[i].array;
    }
    return true;
}

/* Values of fixed width, bits, and indices into a dictionary of text, which remain indices. */
static bool taco__take_values(taco__array_buf *b, const taco_array *src, const int32_t *idx,
                              size_t n, taco_error *err)
{
    const taco_field *f = src->field;
    bool text = taco__array_is_var_length(f);
    size_t width = src->dictionary && text ? sizeof(int32_t) : (size_t)f->width, bytes;
    if (f->type == TACO_BOOL) {
        if (!taco__buf_reset(&b->values, TACO__BITMAP_BYTES(n) + 8, err)) { return false; }
        taco__take_bits(b->values.data, 0, src->v.u8, 0, idx, n);
    } else {
        if (!taco__array_buf_size(n, width, &bytes, err) ||
            !taco__buf_reset(&b->values, bytes, err)) {
            return false;
        }
        if (src->dictionary && !text) {
            taco__take_from_dictionary(b->values.data, src, idx, n);
        } else {
            taco__take_fixed(b->values.data, src->v.any, width, idx, n);
        }
    }
    b->array.v.any = b->values.data;
    return true;
}

TACO__FN bool taco__take_array(taco__array_buf *b, const taco_array *src, const int32_t *idx,
                               size_t n, taco_error *err)
{
    const taco_field *f = src->field;
    bool text = taco__array_is_var_length(f);
    b->array.field = f;
    b->array.length = n;
    b->array.offsets = NULL;
    b->array.v.any = NULL;
    b->array.dictionary = text ? src->dictionary : NULL;
    if (!taco__take_validity(b, src, idx, n, err)) { return false; }
    switch (f->type) {
    case TACO_NULL: return true;
    case TACO_STRUCT: return taco__take_struct(b, src, idx, n, err);
    case TACO_LIST:
    case TACO_MAP: return taco__take_list(b, src, idx, n, err);
    default:
        return text && !src->dictionary ? taco__take_text(b, src, idx, n, err)
                                        : taco__take_values(b, src, idx, n, err);
    }
}
