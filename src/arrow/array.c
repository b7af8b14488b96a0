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
    case TACO_FLOAT: return taco__f32_widen(a->v.f32[i]);
    case TACO_DOUBLE: return a->v.f64[i];
    case TACO_UINT64: return (double)a->v.u64[i];
    case TACO_DECIMAL:
        return a->field->width ? taco__decimal_le_to_f64(a->v.u8 + i * (size_t)a->field->width,
                                                         a->field->width, a->field->scale)
                               : 0.0;
    default: return (double)taco_array_int(a, i);
    }
}

/* Microseconds since 1970 of a TIMESTAMP of any unit, rounded down, or of a DATE. */
static bool taco__array_read_time(const taco_array *a, size_t i, int64_t *us)
{
    static const int64_t by_unit[] = {1000000, 1000, 1, 1};
    const bool date = a->field->type == TACO_DATE;
    int64_t v = taco_array_int(a, i), by = date ? TACO__TIME_DAY_MICROS : by_unit[a->field->unit];
    if (v > INT64_MAX / by || v < INT64_MIN / by) { return false; }
    *us = !date && a->field->unit == TACO_NANO ? taco__time_floor_div(v, 1000) : v * by;
    return true;
}

/* Microseconds since 1970 of a time, or of a number, which is of seconds, as in Tortilla and TACO
   0.x. False for null, other types, and times beyond int64. */
TACO__FN bool taco__array_read_micros(const taco_array *a, size_t i, int64_t *us)
{
    const taco_type type = a->field->type;
    double d;
    if (!taco_array_valid(a, i)) { return false; }
    if (type == TACO_TIMESTAMP || type == TACO_DATE) { return taco__array_read_time(a, i, us); }
    if (!(type >= TACO_INT8 && type <= TACO_UINT64) && type != TACO_FLOAT && type != TACO_DOUBLE) {
        return false;
    }
    d = taco_array_double(a, i) * 1e6;
    if (!(d > -9.2e18 && d < 9.2e18)) { return false; }
    *us = type <= TACO_UINT64 ? taco_array_int(a, i) * 1000000 : (int64_t)d;
    return true;
}
