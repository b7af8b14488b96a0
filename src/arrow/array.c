/* array.c - public access to one value of an array: valid, bytes, integer, double

   In: a taco_array and a row below its length; out: the value, by its type. A convenience for users
   of the library, which itself never processes a column this way. Contracts are in
   api/taco_parquet.h. */
#include "arrow.h"
#include "../base/base.h"

TACO_API bool taco_array_valid(const taco_array *a, size_t i)
{
    return a->field->type != TACO_NULL && (!a->validity || taco__bitmap_get(a->validity, i));
}

TACO_API taco_bytes taco_array_bytes(const taco_array *a, size_t i)
{
    if (!taco_array_valid(a, i)) { return taco__bytes_of(NULL, 0); }
    if (a->dictionary) {
        i = (size_t)(uint32_t)a->v.i32[i];
        a = a->dictionary;
    }
    if (taco__array_is_var_length(a->field)) {
        return taco__bytes_of(a->v.u8 + a->offsets[i], (size_t)(a->offsets[i + 1] - a->offsets[i]));
    }
    if (a->field->type == TACO_FIXED || a->field->type == TACO_UUID ||
        a->field->type == TACO_INT96 || a->field->type == TACO_INTERVAL) {
        return taco__bytes_of(a->v.u8 + i * (size_t)a->field->width, (size_t)a->field->width);
    }
    return taco__bytes_of(NULL, 0);
}

TACO_API int64_t taco_array_int(const taco_array *a, size_t i)
{
    if (!taco_array_valid(a, i)) { return 0; }
    switch (a->field->type) {
    case TACO_BOOL: return taco__bitmap_get(a->v.u8, i);
    case TACO_INT8: return a->v.i8[i];
    case TACO_INT16: return a->v.i16[i];
    case TACO_INT32:
    case TACO_DATE: return a->v.i32[i];
    case TACO_UINT8: return a->v.u8[i];
    case TACO_UINT16: return a->v.u16[i];
    case TACO_UINT32: return a->v.u32[i];
    case TACO_INT64:
    case TACO_UINT64:
    case TACO_TIMESTAMP: return a->v.i64[i];
    case TACO_TIME: return a->field->width == 4 ? (int64_t)a->v.i32[i] : a->v.i64[i];
    default: return 0;
    }
}

TACO_API double taco_array_double(const taco_array *a, size_t i)
{
    if (!taco_array_valid(a, i)) { return 0.0; }
    switch (a->field->type) {
    case TACO_HALF: return (double)taco__num_f16_to_f32(a->v.u16[i]);
    case TACO_FLOAT: return (double)a->v.f32[i];
    case TACO_DOUBLE: return a->v.f64[i];
    case TACO_UINT64: return (double)a->v.u64[i];
    case TACO_DECIMAL:
        return a->field->width ? taco__decimal_le_to_f64(a->v.u8 + i * (size_t)a->field->width,
                                                         a->field->width, a->field->scale)
                               : 0.0;
    default: return (double)taco_array_int(a, i);
    }
}
