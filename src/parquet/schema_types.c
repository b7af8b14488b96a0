/* schema_types.c - the type of a leaf: physical type and annotation to a taco_type

   In: a schema element of a column; out: type, width, unit, precision and scale of its taco_field.
   Spec: parquet-format LogicalTypes.md, which gives every annotation its physical types. An
   annotation that does not fit its physical type, has invalid parameters, or is newer than this
   reader is ignored: the column is read as its physical type. So is UNKNOWN (all values are null)
   where there are values: in a column that cannot have nulls, or whose statistics count fewer. */
#include "parquet.h"
#include "../base/base.h"
#include "../arrow/arrow.h"

static void taco__schema_types_set(taco_field *f, taco_type type, int32_t width)
{
    f->type = type;
    f->width = width;
}

/* DECIMAL of any physical type; false if it does not fit, and is ignored. Integers hold at most 18
   digits; a precision up to 38 is accepted, because it does no harm. */
static bool taco__schema_types_set_decimal(taco_field *f, const taco__pq_schema_element *a)
{
    int32_t p = a->dec_precision, s = a->dec_scale;
    bool bytes = a->type == TACO__PQ_BYTE_ARRAY || a->type == TACO__PQ_FIXED;
    if (p < 1 || s < 0 || s > p || (!bytes && p > 38)) { return false; }
    /* decimals of more than 32 bytes have no fixed width: those of one are shown as bytes */
    if (a->type == TACO__PQ_FIXED && taco__type_decimal_width(p) == 0) { return false; }
    taco__schema_types_set(f, TACO_DECIMAL, taco__type_decimal_width(p));
    f->precision = p;
    f->scale = s;
    return true;
}

/* TIME and TIMESTAMP, in the width set before. */
static void taco__schema_types_set_time(taco_field *f, const taco__pq_schema_element *a,
                                        taco_type type)
{
    f->type = type;
    f->unit = (taco_unit)a->unit;
    f->utc = a->utc;
}

/* INTEGER(bits, signed), stored as INT32 (the default here) or INT64 (wide). */
static void taco__schema_types_set_bits(taco_field *f, const taco__pq_schema_element *a, bool wide)
{
    if (wide) {
        f->type = a->bits == 64 && !a->is_signed ? TACO_UINT64 : TACO_INT64;
    } else if (a->bits == 8) {
        taco__schema_types_set(f, a->is_signed ? TACO_INT8 : TACO_UINT8, 1);
    } else if (a->bits == 16) {
        taco__schema_types_set(f, a->is_signed ? TACO_INT16 : TACO_UINT16, 2);
    } else if (a->bits == 32 && !a->is_signed) {
        f->type = TACO_UINT32;
    }
}

/* INT32 and INT64: every annotation fits only one of them, except DECIMAL, which fits both. */
static void taco__schema_types_set_integer(taco_field *f, const taco__pq_schema_element *a,
                                           unsigned logical)
{
    bool wide = a->type == TACO__PQ_INT64;
    taco__schema_types_set(f, wide ? TACO_INT64 : TACO_INT32, wide ? 8 : 4);
    switch (logical) {
    case TACO__PQ_LOGICAL_DECIMAL: taco__schema_types_set_decimal(f, a); break;
    case TACO__PQ_LOGICAL_DATE:
        if (!wide) { f->type = TACO_DATE; }
        break;
    case TACO__PQ_LOGICAL_TIME:
        if (wide ? a->unit > TACO_MILLI : a->unit == TACO_MILLI) {
            taco__schema_types_set_time(f, a, TACO_TIME);
        }
        break;
    case TACO__PQ_LOGICAL_TIMESTAMP:
        if (wide && a->unit) { taco__schema_types_set_time(f, a, TACO_TIMESTAMP); }
        break;
    case TACO__PQ_LOGICAL_INTEGER: taco__schema_types_set_bits(f, a, wide); break;
    default: break;
    }
}

/* BYTE_ARRAY; BSON, GEOMETRY and newer annotations stay bytes. */
static void taco__schema_types_set_bytes(taco_field *f, const taco__pq_schema_element *a,
                                         unsigned logical)
{
    if (logical == TACO__PQ_LOGICAL_STRING || logical == TACO__PQ_LOGICAL_ENUM ||
        logical == TACO__PQ_LOGICAL_JSON) {
        taco__schema_types_set(f, TACO_TEXT, 0);
    } else if (logical != TACO__PQ_LOGICAL_DECIMAL || !taco__schema_types_set_decimal(f, a)) {
        taco__schema_types_set(f, TACO_BINARY, 0);
    }
}

/* FIXED_LEN_BYTE_ARRAY: annotations that imply a length are ignored for any other. */
static void taco__schema_types_set_fixed(taco_field *f, const taco__pq_schema_element *a,
                                         unsigned logical)
{
    if (logical == TACO__PQ_LOGICAL_UUID && a->type_length == 16) {
        taco__schema_types_set(f, TACO_UUID, 16);
    } else if (logical == TACO__PQ_LOGICAL_FLOAT16 && a->type_length == 2) {
        taco__schema_types_set(f, TACO_HALF, 2);
    } else if (logical == TACO__PQ_LOGICAL_INTERVAL && a->type_length == 12) {
        taco__schema_types_set(f, TACO_INTERVAL, 12);
    } else if (logical != TACO__PQ_LOGICAL_DECIMAL || !taco__schema_types_set_decimal(f, a)) {
        taco__schema_types_set(f, TACO_FIXED, a->type_length);
    }
}

/* Any annotation but UNKNOWN, which has no type of its own. */
static void taco__schema_types_set_stored(taco_field *f, const taco__pq_schema_element *a,
                                          unsigned logical)
{
    switch (a->type) {
    case TACO__PQ_BOOLEAN: taco__schema_types_set(f, TACO_BOOL, 0); break;
    case TACO__PQ_INT32:
    case TACO__PQ_INT64: taco__schema_types_set_integer(f, a, logical); break;
    case TACO__PQ_INT96: taco__schema_types_set(f, TACO_INT96, 12); break;
    case TACO__PQ_FLOAT: taco__schema_types_set(f, TACO_FLOAT, 4); break;
    case TACO__PQ_DOUBLE: taco__schema_types_set(f, TACO_DOUBLE, 8); break;
    case TACO__PQ_BYTE_ARRAY: taco__schema_types_set_bytes(f, a, logical); break;
    default: taco__schema_types_set_fixed(f, a, logical); break;
    }
}

TACO__FN void taco__schema_types_set_leaf(taco_field *f, const taco__pq_schema_element *e)
{
    taco__pq_schema_element a;
    unsigned logical = taco__schema_annotation(e, &a);
    if (logical == TACO__PQ_LOGICAL_NULL && e->repetition == TACO__PQ_OPTIONAL) {
        taco__schema_types_set(f, TACO_NULL, 0);
        return;
    }
    taco__schema_types_set_stored(f, &a, logical);
}

TACO__FN void taco__schema_types_drop_unknown(taco_field *f, const taco__pq_schema_element *e)
{
    taco__schema_types_set_stored(f, e, TACO__PQ_LOGICAL_NONE);
}
