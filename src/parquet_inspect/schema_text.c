/* schema_text.c - a schema in message type notation: "optional int64 t;"

   In: the elements of a schema; out: taco_pq_schema_text, a line per element, indented by depth.
   The notation is that of parquet-mr and of the Dremel paper; annotations are spelled as
   parquet.thrift spells the members of LogicalType. */
#include "inspect.h"
#include "../base/base.h"

/* What is in parentheses after the name of an annotation, if it has parameters: DecimalType,
   TimeType, TimestampType, IntType; the CRS of GeometryType and GeographyType. */
static void taco__schema_text_parameters(taco__describe_out *o, const taco__pq_schema_element *a,
                                         unsigned logical)
{
    static const char *const units[4] = {"SECONDS", "MILLIS", "MICROS", "NANOS"};
    switch (logical) {
    case TACO__PQ_LOGICAL_DECIMAL:
        taco__describe_text(o, "(");
        taco__describe_i64(o, a->dec_precision);
        taco__describe_text(o, ",");
        taco__describe_i64(o, a->dec_scale);
        taco__describe_text(o, ")");
        return;
    case TACO__PQ_LOGICAL_TIME:
    case TACO__PQ_LOGICAL_TIMESTAMP:
        taco__describe_text(o, "(");
        taco__describe_text(o, units[a->unit & 3]);
        taco__describe_text(o, a->utc ? ",true)" : ",false)");
        return;
    case TACO__PQ_LOGICAL_INTEGER:
        taco__describe_text(o, "(");
        taco__describe_i64(o, a->bits);
        taco__describe_text(o, a->is_signed ? ",true)" : ",false)");
        return;
    default:
        if (!a->crs.data) { return; }
        taco__describe_text(o, "(");
        taco__describe_name(o, a->crs);
        taco__describe_text(o, ")");
        return;
    }
}

/* LogicalType where the element has one, else what its ConvertedType means today: files of both
   generations read the same, but for MAP_KEY_VALUE, which only the old ones have. */
TACO__FN void taco__schema_text_annotation(taco__describe_out *o, const taco__pq_schema_element *e)
{
    static const char *const names[19] = {NULL,      "STRING",  "MAP",      "LIST",      "ENUM",
                                          "DECIMAL", "DATE",    "TIME",     "TIMESTAMP", "INTERVAL",
                                          "INTEGER", "UNKNOWN", "JSON",     "BSON",      "UUID",
                                          "FLOAT16", "VARIANT", "GEOMETRY", "GEOGRAPHY"};
    taco__pq_schema_element a;
    unsigned logical = taco__schema_annotation(e, &a);
    if (logical == TACO__PQ_LOGICAL_NONE) { return; }
    if (logical >= TACO__COUNT(names)) {
        taco__describe_text(o, "OTHER");
        return;
    }
    if (logical == TACO__PQ_LOGICAL_MAP && !e->logical &&
        e->converted == TACO__PQ_CONVERTED_MAP_KEY_VALUE) {
        taco__describe_text(o, "MAP_KEY_VALUE");
        return;
    }
    taco__describe_text(o, names[logical]);
    taco__schema_text_parameters(o, &a, logical);
}

/* Two spaces for each group that is open. */
static void taco__schema_text_indent(taco__describe_out *o, size_t depth)
{
    for (; depth && o->ok; depth--) {
        taco__describe_text(o, "  ");
    }
}

/* "  optional int64 t (TIMESTAMP(MICROS,true)) = 7;" or "  required group g {". */
static void taco__schema_text_element(taco__describe_out *o, const taco__pq_schema_element *e,
                                      size_t depth)
{
    static const char *const repetitions[3] = {"required ", "optional ", "repeated "};
    static const char *const types[8] = {"boolean", "int32",  "int64",  "int96",
                                         "float",   "double", "binary", "fixed_len_byte_array"};
    taco__pq_schema_element a;
    taco__schema_text_indent(o, depth);
    taco__describe_text(o, repetitions[e->repetition]);
    taco__describe_text(o, e->type == TACO__PQ_GROUP ? "group" : types[e->type]);
    if (e->type == TACO__PQ_FIXED) {
        taco__describe_text(o, "(");
        taco__describe_i64(o, e->type_length);
        taco__describe_text(o, ")");
    }
    taco__describe_text(o, " ");
    taco__describe_name(o, e->name);
    if (taco__schema_annotation(e, &a) != TACO__PQ_LOGICAL_NONE) {
        taco__describe_text(o, " (");
        taco__schema_text_annotation(o, e);
        taco__describe_text(o, ")");
    }
    if (e->has_field_id) {
        taco__describe_text(o, " = ");
        taco__describe_i64(o, e->field_id);
    }
    taco__describe_text(o, e->type == TACO__PQ_GROUP ? " {\n" : ";\n");
}

/* The elements are in depth-first order (SchemaElement.num_children), each knowing its parent and
   the element after its last descendant: braces close without a stack, however deep the schema. */
TACO__FN bool taco__schema_text_append(const taco__pq_metadata *m, taco__buf *out, taco_error *err)
{
    const taco__pq_schema_element *e = m->elements;
    uint32_t i, open = 0;
    size_t depth = 1;
    taco__describe_out o = taco__describe_out_init(out, err);
    taco__describe_text(&o, "message ");
    taco__describe_name(&o, e[0].name);
    taco__describe_text(&o, " {\n");
    for (i = 1; i <= m->element_count && o.ok; i++) {
        /* groups that end before element i; in the end all of them */
        while (depth && i == e[open].next) {
            open = e[open].parent;
            taco__schema_text_indent(&o, --depth);
            taco__describe_text(&o, "}\n");
        }
        if (i < m->element_count) {
            taco__schema_text_element(&o, &e[i], depth);
            if (e[i].type == TACO__PQ_GROUP) {
                open = i;
                depth++;
            }
        }
    }
    return o.ok;
}

TACO_API taco_bytes taco_pq_schema_text(taco_pq_file *f, taco_error *err)
{
    err = taco__error_fresh(err, NULL);
    if (!f) { return taco__bytes_of(NULL, 0); }
    f->text.len = 0;
    return taco__schema_text_append(&f->meta, &f->text, err)
               ? taco__bytes_of(f->text.data, f->text.len)
               : taco__bytes_of(NULL, 0);
}
