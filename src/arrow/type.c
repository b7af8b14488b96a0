/* type.c - names and widths of types

   One table, in the order of enum taco_type (api/taco_parquet.h), of the words that messages,
   conditions and Arrow use for a type, and of the widths of its values. Everything that names a
   type or makes a field uses it: filter, sql, the writers, the exporters of this folder. What
   depends on the field and not only on its type (a unit, a precision, children) is added by
   taco__type_name_append and, for Arrow's C data interface, by taco__arrow_schema_format
   (c_schema.c). DuckDB's names of the types are in sql/sql_type.c. */
#include "arrow.h"
#include "../base/base.h"

static const struct {
    const char *word, *keyword;
    const char *arrow_name; /* pyarrow's str(type); NULL: it depends on the field */
    const char *format;     /* in the C data interface; NULL: it depends on the field */
    int32_t width;          /* bytes; 0: none, or given by the field */
} taco__type_table[] = {
    {"null", "NULL", "null", "n", 0},
    {"bool", "BOOL", "bool", "b", 0},
    {"int8", "INT8", "int8", "c", 1},
    {"int16", "INT16", "int16", "s", 2},
    {"int32", "INT32", "int32", "i", 4},
    {"int64", "INT64", "int64", "l", 8},
    {"uint8", "UINT8", "uint8", "C", 1},
    {"uint16", "UINT16", "uint16", "S", 2},
    {"uint32", "UINT32", "uint32", "I", 4},
    {"uint64", "UINT64", "uint64", "L", 8},
    {"half", "HALF", "halffloat", "e", 2},
    {"float", "FLOAT", "float", "f", 4},
    {"double", "DOUBLE", "double", "g", 8},
    {"decimal", "DECIMAL", NULL, NULL, 0},
    {"date", "DATE", "date32[day]", "tdD", 4},
    {"time", "TIME", NULL, NULL, 8},
    {"timestamp", "TIMESTAMP", NULL, NULL, 8},
    /* exported as a timestamp: see taco__arrow_array_int96 */
    {"int96", "INT96", "timestamp[ns]", NULL, 12},
    {"interval", "INTERVAL", NULL, NULL, 12},
    {"text", "TEXT", "string", "u", 0},
    {"binary", "BINARY", "binary", "z", 0},
    {"fixed", "FIXED", NULL, NULL, 0},
    {"uuid", "UUID", NULL, NULL, 16},
    {"list", "LIST", NULL, "+l", 0},
    {"map", "MAP", NULL, NULL, 0},
    {"struct", "STRUCT", NULL, "+s", 0},
};

TACO__STATIC_ASSERT(type_table, TACO__COUNT(taco__type_table) == TACO_STRUCT + 1);

/* False for an invalid type from a caller. */
static bool taco__type_is_known(taco_type t)
{
    return (size_t)t < TACO__COUNT(taco__type_table);
}

TACO__FN const char *taco__type_word(taco_type t)
{
    return taco__type_is_known(t) ? taco__type_table[t].word : NULL;
}

TACO__FN const char *taco__type_keyword(taco_type t)
{
    return taco__type_is_known(t) ? taco__type_table[t].keyword : NULL;
}

TACO__FN const char *taco__type_format(taco_type t)
{
    return taco__type_is_known(t) ? taco__type_table[t].format : NULL;
}

TACO__FN int32_t taco__type_width(taco_type t, taco_unit unit)
{
    if (t == TACO_TIME && unit <= TACO_MILLI) { return 4; }
    return taco__type_is_known(t) ? taco__type_table[t].width : 0;
}

TACO__FN int32_t taco__type_decimal_width(int32_t precision)
{
    return precision <= 38 ? 16 : precision <= 76 ? 32 : 0;
}

static bool taco__type_append_number(taco__buf *out, const char *before, int64_t x,
                                     const char *after, taco_error *err)
{
    char text[32];
    return taco__buf_append_text(out, before, err) &&
           taco__buf_append(out, text, taco__num_format_i64(text, x), err) &&
           taco__buf_append_text(out, after, err);
}

/* "int32, string>" or, for a struct, "a: int32, b: string>". */
static bool taco__type_append_children(taco__buf *out, const taco_field *f, bool names,
                                       taco_error *err)
{
    bool ok = true;
    uint32_t i;
    for (i = 0; ok && i < f->child_count; i++) {
        ok = (i == 0 || taco__buf_append_text(out, ", ", err)) &&
             (!names || (taco__buf_append_text(out, f->children[i].name, err) &&
                         taco__buf_append_text(out, ": ", err))) &&
             taco__type_name_append(&f->children[i], out, err);
    }
    return ok && taco__buf_append_text(out, ">", err);
}

/* "time32[ms]" or "timestamp[us, tz=UTC]". */
static bool taco__type_append_time(taco__buf *out, const taco_field *f, taco_error *err)
{
    static const char *const units[4] = {"s", "ms", "us", "ns"};
    const char *name = f->type == TACO_TIMESTAMP ? "timestamp["
                       : f->width == 4           ? "time32["
                                                 : "time64[";
    return taco__buf_append_text(out, name, err) &&
           taco__buf_append_text(out, units[f->unit], err) &&
           taco__buf_append_text(out, f->type == TACO_TIMESTAMP && f->utc ? ", tz=UTC]" : "]", err);
}

TACO__FN bool taco__type_name_append(const taco_field *f, taco__buf *out, taco_error *err)
{
    if (taco__type_table[f->type].arrow_name) {
        return taco__buf_append_text(out, taco__type_table[f->type].arrow_name, err);
    }
    switch (f->type) {
    case TACO_DECIMAL:
        return taco__buf_append_text(out,
                                     f->width == 16   ? "decimal128"
                                     : f->width == 32 ? "decimal256"
                                                      : "decimal",
                                     err) &&
               taco__type_append_number(out, "(", f->precision, ", ", err) &&
               taco__type_append_number(out, "", f->scale, ")", err);
    case TACO_TIME:
    case TACO_TIMESTAMP: return taco__type_append_time(out, f, err);
    case TACO_LIST:
        return taco__buf_append_text(out, "list<item: ", err) &&
               taco__type_append_children(out, f, false, err);
    case TACO_MAP: /* its one child is the struct of key and value */
        return taco__buf_append_text(out, "map<", err) &&
               taco__type_append_children(out, &f->children[0], false, err);
    case TACO_STRUCT:
        return taco__buf_append_text(out, "struct<", err) &&
               taco__type_append_children(out, f, true, err);
    default: /* INTERVAL, FIXED, UUID */
        return taco__type_append_number(out, "fixed_size_binary[", f->width, "]", err);
    }
}
