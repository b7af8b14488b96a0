/* array_values.c - converts values of Arrow arrays to Parquet's physical types

   In: the array of a leaf and the positions of its values there, from levels.c. Out: the values
   appended to the leaf's input, as PLAIN has them (LogicalTypes.md): small integers widened to
   INT32, decimals as INT32, INT64 or big-endian bytes, seconds as milliseconds. Offsets and
   dictionary indices in the array's buffers are checked here, when a value is read.

   Start reading at taco__array_values_append. */
#include "parquet_write.h"
#include "../base/base.h"
#include "../parquet/parquet.h"

/* Converts a little-endian decimal of `width` bytes to n bytes, big-endian if `reverse` is set.
   False if it does not fit: dropped bytes must repeat the sign. */
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

/* INT32 and INT64 are little-endian, FIXED_LEN_BYTE_ARRAY big-endian (LogicalTypes.md, DECIMAL). */
static bool taco__array_values_decimals(const taco__leaf_writer *l, const taco_array *a,
                                        const uint32_t *index, size_t n, uint8_t *dst,
                                        taco_error *err)
{
    size_t i, from = (size_t)a->field->width, to = l->input.values.width;
    bool reverse = l->schema.type == TACO__PQ_FIXED;
    for (i = 0; i < n; i++) {
        if (!taco__array_values_copy_decimal(a->v.u8 + index[i] * from, from, dst + i * to, to,
                                             reverse)) {
            TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "a decimal has more digits than its precision, %d",
                       TACO__D(l->schema.field->precision));
            return false;
        }
    }
    return true;
}

/* Seconds become milliseconds, the coarsest unit that Parquet has. */
static bool taco__array_values_seconds(const taco_array *a, size_t width, const uint32_t *index,
                                       size_t n, uint8_t *dst, taco_error *err)
{
    const int64_t most = (width == 4 ? (int64_t)INT32_MAX : INT64_MAX) / 1000;
    size_t i;
    for (i = 0; i < n; i++) {
        int64_t x = width == 4 ? a->v.i32[index[i]] : a->v.i64[index[i]];
        if (x > most || x < -most) {
            TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "%d seconds do not fit as milliseconds", x);
            return false;
        }
        if (width == 4) {
            taco__put_le32(dst + 4 * i, (uint32_t)(int32_t)(x * 1000));
        } else {
            taco__put_le64(dst + 8 * i, (uint64_t)(x * 1000));
        }
    }
    return true;
}

/* One loop per type, for speed: the type is selected outside of it. */
#define TACO__ARRAY_VALUES_EACH(expr)                                                              \
    for (i = 0; i < n; i++) {                                                                      \
        expr;                                                                                      \
    }                                                                                              \
    return true

/* Values whose Arrow type has another width than the physical type; *done is false for others. */
static bool taco__array_values_converted(const taco__leaf_writer *l, const taco_array *a,
                                         const uint32_t *index, size_t n, uint8_t *dst, bool *done,
                                         taco_error *err)
{
    size_t i;
    *done = true;
    switch (a->field->type) {
    case TACO_BOOL: TACO__ARRAY_VALUES_EACH(dst[i] = taco__bitmap_get(a->v.u8, index[i]));
    case TACO_INT8:
        TACO__ARRAY_VALUES_EACH(taco__put_le32(dst + 4 * i, (uint32_t)(int32_t)a->v.i8[index[i]]));
    case TACO_UINT8: TACO__ARRAY_VALUES_EACH(taco__put_le32(dst + 4 * i, a->v.u8[index[i]]));
    case TACO_INT16:
        TACO__ARRAY_VALUES_EACH(taco__put_le32(dst + 4 * i, (uint32_t)(int32_t)a->v.i16[index[i]]));
    case TACO_UINT16: TACO__ARRAY_VALUES_EACH(taco__put_le32(dst + 4 * i, a->v.u16[index[i]]));
    case TACO_HALF:
        TACO__ARRAY_VALUES_EACH(dst[2 * i] = (uint8_t)a->v.u16[index[i]];
                                dst[2 * i + 1] = (uint8_t)(a->v.u16[index[i]] >> 8));
    case TACO_DECIMAL: return taco__array_values_decimals(l, a, index, n, dst, err);
    case TACO_TIME:
    case TACO_TIMESTAMP:
        if (a->field->unit == TACO_SECOND) {
            return taco__array_values_seconds(a, l->input.values.width, index, n, dst, err);
        }
        break;
    default: break;
    }
    *done = false;
    return true;
}

/* consecutive: as in taco__levels. The caller's numbers may be floating-point, and are copied. */
static bool taco__array_values_fixed(const taco__leaf_writer *l, const taco_array *a,
                                     const uint32_t *index, size_t n, bool consecutive,
                                     uint8_t *dst, taco_error *err)
{
    size_t i, width = l->input.values.width;
    bool done;
    if (!taco__array_values_converted(l, a, index, n, dst, &done, err)) { return false; }
    if (done) { return true; }
    if (consecutive && n && (l->schema.type == TACO__PQ_FIXED || !TACO__BIG_ENDIAN)) {
        memcpy(dst, a->v.u8 + (size_t)index[0] * width, n * width);
        return true;
    }
    if (l->schema.type == TACO__PQ_INT32 || l->schema.type == TACO__PQ_FLOAT) {
        TACO__ARRAY_VALUES_EACH(uint32_t x; memcpy(&x, a->v.u8 + (size_t)index[i] * 4, 4);
                                taco__put_le32(dst + 4 * i, x));
    }
    if (l->schema.type == TACO__PQ_INT64 || l->schema.type == TACO__PQ_DOUBLE) {
        TACO__ARRAY_VALUES_EACH(uint64_t x; memcpy(&x, a->v.u8 + (size_t)index[i] * 8, 8);
                                taco__put_le64(dst + 8 * i, x));
    }
    TACO__ARRAY_VALUES_EACH(memcpy(dst + i * width, a->v.u8 + index[i] * width, width));
}

#undef TACO__ARRAY_VALUES_EACH

/* Checks that the bytes of one value exist, and fit after what the page already holds. */
static bool taco__array_values_check_text(const taco__leaf_writer *l, int32_t from, int32_t to,
                                          taco_error *err)
{
    size_t len = (size_t)(to - from), before = l->input.values.bytes.len;
    if (from < 0 || to < from || len > INT32_MAX - before) {
        TACO__FAIL(err, to < from ? TACO_ERR_ARGUMENT : TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "text from byte %d to %d after %u bytes of its page, which ends at 2^31",
                   TACO__D(from), TACO__D(to), TACO__U(before));
        return false;
    }
    if (len == 0 && l->schema.order == TACO__STATS_DECIMALS) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "a decimal of no bytes");
        return false;
    }
    return true;
}

/* Decimals of a fixed width into byte arrays: the fewest bytes that keep the sign, big-endian. */
static bool taco__array_values_short_decimals(taco__plain_values *v, const taco_array *a,
                                              const uint32_t *index, size_t n, uint32_t *offsets,
                                              taco_error *err)
{
    size_t width = (size_t)a->field->width, i, k, len;
    uint8_t text[32];
    for (i = 0; i < n; i++) {
        const uint8_t *p = a->v.u8 + index[i] * width;
        uint8_t fill = (uint8_t)(p[width - 1] & 0x80 ? 0xFF : 0);
        for (len = width; len > 1 && p[len - 1] == fill && !((p[len - 2] ^ fill) & 0x80); len--) {}
        for (k = 0; k < len; k++) {
            text[k] = p[len - 1 - k];
        }
        if (v->bytes.len > INT32_MAX - len) {
            TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                       "decimals of a page take more than 2^31 bytes");
            return false;
        }
        if (!taco__buf_append(&v->bytes, text, len, err)) { return false; }
        offsets[i + 1] = (uint32_t)v->bytes.len;
    }
    return true;
}

/* Whether n values are contiguous bytes in the array that fit after those present. */
static bool taco__array_values_is_stretch(const taco__leaf_writer *l, const taco_array *a,
                                          const uint32_t *index, size_t n)
{
    const int32_t *offsets = n ? a->offsets + index[0] : NULL;
    size_t i;
    bool one = n > 1 && l->schema.order != TACO__STATS_DECIMALS;
    for (i = 1; one && i < n && index[i] == index[0] + i; i++) {}
    if (!one || i < n) { return false; }
    for (i = 0; i < n; i++) {
        one = one & (offsets[i] <= offsets[i + 1]);
    }
    return one && offsets[0] >= 0 &&
           (size_t)(offsets[n] - offsets[0]) <= INT32_MAX - l->input.values.bytes.len;
}

/* Appends such contiguous values; `offsets`, with room, is where the first value's offset goes. */
static bool taco__array_values_copy_stretch(taco__plain_values *v, const taco_array *a,
                                            uint32_t from, size_t n, uint32_t *offsets,
                                            taco_error *err)
{
    const int32_t *source = a->offsets + from;
    const uint32_t shift = (uint32_t)v->bytes.len - (uint32_t)source[0];
    size_t i;
    for (i = 1; i <= n; i++) {
        offsets[i] = (uint32_t)source[i] + shift;
    }
    return taco__buf_append(&v->bytes, a->v.u8 + source[0], (size_t)(source[n] - source[0]), err);
}

/* Appends values one by one; `offsets` as above. */
static bool taco__array_values_copy_each(taco__leaf_writer *l, const taco_array *a,
                                         const uint32_t *index, size_t n, uint32_t *offsets,
                                         taco_error *err)
{
    taco__plain_values *v = &l->input.values;
    size_t i;
    for (i = 0; i < n; i++) {
        int32_t from = a->offsets[index[i]], to = a->offsets[index[i] + 1];
        if (!taco__array_values_check_text(l, from, to, err) ||
            !taco__buf_append(&v->bytes, a->v.u8 + from, (size_t)(to - from), err)) {
            return false;
        }
        offsets[i + 1] = (uint32_t)v->bytes.len;
    }
    return true;
}

static bool taco__array_values_text(taco__leaf_writer *l, const taco_array *a,
                                    const uint32_t *index, size_t n, taco_error *err)
{
    taco__plain_values *v = &l->input.values;
    uint32_t *offsets;
    size_t bytes;
    if (!taco__checked_mul_size(n + 1, sizeof *offsets, &bytes) ||
        !taco__buf_reserve(&v->offsets, bytes, err) || !taco__buf_reserve(&v->bytes, 0, err)) {
        return false;
    }
    offsets = taco__plain_values_offsets(v) + v->count;
    offsets[0] = (uint32_t)v->bytes.len;
    if (!(!taco__array_is_var_length(a->field)
              ? taco__array_values_short_decimals(v, a, index, n, offsets, err)
          : taco__array_values_is_stretch(l, a, index, n)
              ? taco__array_values_copy_stretch(v, a, index[0], n, offsets, err)
              : taco__array_values_copy_each(l, a, index, n, offsets, err))) {
        return false;
    }
    v->offsets.len = (v->count + n) * sizeof *offsets;
    return true;
}

/* Converts positions in a dictionary array to positions among its values. */
static bool taco__array_values_look_up(const taco_array *a, uint32_t *index, size_t n,
                                       taco_error *err)
{
    size_t i;
    for (i = 0; i < n; i++) {
        index[i] = (uint32_t)a->v.i32[index[i]];
        if (index[i] >= a->dictionary->length) {
            TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "dictionary index %u, the dictionary has %u entries", TACO__U(index[i]),
                       TACO__U(a->dictionary->length));
            return false;
        }
    }
    return true;
}

TACO__FN bool taco__array_values_append(taco__leaf_writer *l, taco__levels *found, size_t at,
                                        size_t n, taco_error *err)
{
    taco__plain_values *v = &l->input.values;
    const taco_array *a = found->leaf;
    uint32_t *index = taco__levels_indices(&found->index) + at;
    bool consecutive = found->consecutive && !a->dictionary;
    size_t bytes;
    if (a->dictionary) {
        if (!taco__array_values_look_up(a, index, n, err)) { return false; }
        a = a->dictionary;
    }
    if (v->width == 0) {
        if (!taco__array_values_text(l, a, index, n, err)) { return false; }
    } else {
        if (!taco__checked_mul_size(n, v->width, &bytes) ||
            !taco__buf_reserve(&v->bytes, bytes, err) ||
            !taco__array_values_fixed(l, a, index, n, consecutive,
                                      v->bytes.data + v->count * v->width, err)) {
            return false;
        }
        v->bytes.len = (v->count + n) * v->width;
    }
    v->count += n;
    return true;
}
