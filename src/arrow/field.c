/* field.c - fields made by name and type, their widths, and copies with all below them

   In: a name and a type, or somebody else's field; out: a taco_field whose width is what all other
   code goes by (bytes of one value, 0 where there are offsets, bits or nothing). For fields that the
   library makes itself; those of a Parquet file come from parquet/schema.c. */
#include "arrow.h"

TACO__FN int32_t taco__field_width(const taco_field *f)
{
    switch (f->type) {
    case TACO_INT8:
    case TACO_UINT8: return 1;
    case TACO_INT16:
    case TACO_UINT16:
    case TACO_HALF: return 2;
    case TACO_INT32:
    case TACO_UINT32:
    case TACO_FLOAT:
    case TACO_DATE: return 4;
    case TACO_INT64:
    case TACO_UINT64:
    case TACO_DOUBLE:
    case TACO_TIMESTAMP: return 8;
    case TACO_TIME: return f->unit <= TACO_MILLI ? 4 : 8;
    case TACO_INT96:
    case TACO_INTERVAL: return 12;
    case TACO_UUID: return 16;
    case TACO_FIXED:
    case TACO_DECIMAL: return f->width;
    default: return 0;
    }
}

TACO__FN taco_field taco__field_make(const char *name, taco_type type)
{
    taco_field f;
    memset(&f, 0, sizeof f);
    f.name = name;
    f.type = type;
    f.nullable = true;
    f.unit = type == TACO_TIME || type == TACO_TIMESTAMP ? TACO_MICRO : TACO_SECOND;
    f.width = taco__field_width(&f);
    return f;
}

TACO__FN taco_field taco__field_make_nested(const char *name, taco_type type,
                                            const taco_field *children, uint32_t n)
{
    taco_field f = taco__field_make(name, type);
    f.children = children;
    f.child_count = n;
    return f;
}

TACO__FN bool taco__field_copy(taco__arena *arena, const taco_field *f, taco_field *out,
                               taco_error *err)
{
    taco_field *children =
        (taco_field *)taco__arena_array(arena, f->child_count, sizeof *children, err);
    uint32_t i;
    *out = *f;
    out->name = taco__arena_text(arena, taco__bytes_text(f->name), err);
    out->children = children;
    for (i = 0; out->name && children && i < f->child_count; i++) {
        if (!taco__field_copy(arena, &f->children[i], &children[i], err)) { return false; }
    }
    return out->name && children;
}
