/* array_values.c - batches to column chunks, pages, indexes and the footer.. Spec: parquet-format,
   parquet.thrift, PageIndex.md, BloomFilter.md */
#include "parquet_write.h"
#include "../base/base.h"
#include "../parquet/parquet.h"

/* ---- values: from Arrow arrays to the form of PLAIN
   -------------------------------------------------- */

/* A decimal of `width` little-endian bytes as n of them, which have to hold it; big-endian where
   reverse is set. */
static bool taco__array_values_copy_decimal(const uint8_t *src, size_t width, uint8_t *dst,
                                            size_t n, bool reverse)
{
    uint8_t fill = (uint8_t)(src[TACO__MIN(n, width) - 1] & 0x80 ? 0xFF : 0);
    size_t i;
    for (i = n; i < width; i++) {
        if (src[i] != fill) { return false; }
    }
    for (i = 0; i < n; i++) {
        dst[reverse ? n - 1 - i : i] = i < width ? src[i] : fill;
    }
    return true;
}

static bool taco__array_values_decimals(const taco__leaf_writer *l, const taco_array *a,
                                        const uint32_t *index, size_t n, uint8_t *dst,
                                        taco_error *err)
{
    size_t i, width = (size_t)a->field->width;
    for (i = 0; i < n; i++) {
        if (!taco__array_values_copy_decimal(a->v.u8 + index[i] * width, width, dst + i * l->width,
                                             l->width, l->type == TACO__PQ_FIXED)) {
            TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "a decimal has more digits than its precision, %d",
                       TACO__D(l->field->precision));
            return false;
        }
    }
    return true;
}

/* Seconds become milliseconds, which Parquet has. */
static bool taco__array_values_seconds(const taco__leaf_writer *l, const taco_array *a,
                                       const uint32_t *index, size_t n, uint8_t *dst,
                                       taco_error *err)
{
    size_t i;
    for (i = 0; i < n; i++) {
        int64_t x = l->width == 4 ? a->v.i32[index[i]] : a->v.i64[index[i]];
        int64_t most = (l->width == 4 ? (int64_t)INT32_MAX : INT64_MAX) / 1000;
        if (x > most || x < -most) {
            TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "%d seconds do not fit as milliseconds", x);
            return false;
        }
        if (l->width == 4) {
            taco__put_le32(dst + 4 * i, (uint32_t)(int32_t)(x * 1000));
        } else {
            taco__put_le64(dst + 8 * i, (uint64_t)(x * 1000));
        }
    }
    return true;
}

static bool taco__array_values_fixed(const taco__leaf_writer *l, const taco_array *a,
                                     const uint32_t *index, size_t n, uint8_t *dst, taco_error *err)
{
    size_t i, width = l->width;
#define TACO__WRITE_EACH(expr)                                                                     \
    for (i = 0; i < n; i++) {                                                                      \
        expr;                                                                                      \
    }                                                                                              \
    return true
    switch (a->field->type) {
    case TACO_BOOL: TACO__WRITE_EACH(dst[i] = taco__bitmap_get(a->v.u8, index[i]));
    case TACO_INT8:
        TACO__WRITE_EACH(taco__put_le32(dst + 4 * i, (uint32_t)(int32_t)a->v.i8[index[i]]));
    case TACO_UINT8: TACO__WRITE_EACH(taco__put_le32(dst + 4 * i, a->v.u8[index[i]]));
    case TACO_INT16:
        TACO__WRITE_EACH(taco__put_le32(dst + 4 * i, (uint32_t)(int32_t)a->v.i16[index[i]]));
    case TACO_UINT16: TACO__WRITE_EACH(taco__put_le32(dst + 4 * i, a->v.u16[index[i]]));
    case TACO_HALF:
        TACO__WRITE_EACH(dst[2 * i] = (uint8_t)a->v.u16[index[i]];
                         dst[2 * i + 1] = (uint8_t)(a->v.u16[index[i]] >> 8));
    case TACO_DECIMAL: return taco__array_values_decimals(l, a, index, n, dst, err);
    case TACO_TIME:
    case TACO_TIMESTAMP:
        if (a->field->unit == TACO_SECOND) {
            return taco__array_values_seconds(l, a, index, n, dst, err);
        }
        break;
    default: break;
    }
    if (l->type == TACO__PQ_INT32 || l->type == TACO__PQ_FLOAT) {
        TACO__WRITE_EACH(taco__put_le32(dst + 4 * i, a->v.u32[index[i]]));
    }
    if (l->type == TACO__PQ_INT64 || l->type == TACO__PQ_DOUBLE) {
        TACO__WRITE_EACH(taco__put_le64(dst + 8 * i, a->v.u64[index[i]]));
    }
    TACO__WRITE_EACH(memcpy(dst + i * width, a->v.u8 + index[i] * width, width));
#undef TACO__WRITE_EACH
}

static bool taco__array_values_text(taco__leaf_writer *l, const taco_array *a,
                                    const uint32_t *index, size_t n, taco_error *err)
{
    uint32_t *offsets;
    size_t i, bytes;
    if (!taco__checked_mul_size(n + 1, sizeof *offsets, &bytes) ||
        !taco__buf_reserve(&l->offsets, bytes, err) || !taco__buf_reserve(&l->values, 0, err)) {
        return false;
    }
    offsets = (uint32_t *)(void *)l->offsets.data + l->count;
    offsets[0] = (uint32_t)l->values.len;
    for (i = 0; i < n; i++) {
        int32_t from = a->offsets[index[i]], to = a->offsets[index[i] + 1];
        size_t len = (size_t)(to - from);
        if (from < 0 || to < from || len > INT32_MAX - l->values.len) {
            TACO__FAIL(err, to < from ? TACO_ERR_ARGUMENT : TACO_ERR_LIMIT, TACO_NO_OFFSET,
                       "text from byte %d to %d behind %u bytes of its page, which ends at 2^31",
                       TACO__D(from), TACO__D(to), TACO__U(l->values.len));
            return false;
        }
        if (len == 0 && l->rank == TACO__STATS_DECIMALS) {
            TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "a decimal of no bytes");
            return false;
        }
        if (!taco__buf_append(&l->values, a->v.u8 + from, len, err)) { return false; }
        offsets[i + 1] = (uint32_t)l->values.len;
    }
    l->offsets.len = (l->count + n) * sizeof *offsets; /* the one behind is written again */
    return true;
}

/* Appends the values at n positions of the leaf array. */
TACO__FN bool taco__array_values_append(taco__leaf_writer *l, const taco_array *a, uint32_t *index,
                                        size_t n, taco_error *err)
{
    size_t i, bytes;
    if (a->dictionary) {
        for (i = 0; i < n; i++) {
            index[i] = (uint32_t)a->v.i32[index[i]];
            if (index[i] >= a->dictionary->length) {
                TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                           "dictionary index %u, the dictionary has %u entries", TACO__U(index[i]),
                           TACO__U(a->dictionary->length));
                return false;
            }
        }
        a = a->dictionary;
    }
    if (l->width == 0) {
        if (!taco__array_values_text(l, a, index, n, err)) { return false; }
    } else {
        if (!taco__checked_mul_size(n, l->width, &bytes) ||
            !taco__buf_reserve(&l->values, bytes, err) ||
            !taco__array_values_fixed(l, a, index, n, l->values.data + l->count * l->width, err)) {
            return false;
        }
        l->values.len = (l->count + n) * l->width;
    }
    l->count += n;
    return true;
}
