/* field.c - fields made from name and type, their widths, and deep copies

   In: a name and a type, or another field; out: a taco_field with the width that all other code
   uses (bytes of one value, 0 for offsets, bits or nothing). For fields that the library makes
   itself; those of a Parquet file come from parquet/schema.c. The end of the file is an index of
   names, for looking up many. */
#include "arrow.h"

TACO__FN int32_t taco__field_width(const taco_field *f)
{
    return f->type == TACO_FIXED || f->type == TACO_DECIMAL ? f->width
                                                            : taco__type_width(f->type, f->unit);
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

TACO__FN void taco__field_index_init(taco__field_index *x, const taco_field *fields, size_t n,
                                     taco__mem *mem)
{
    size_t i;
    bool added, ok = n > 32;
    memset(x, 0, sizeof *x);
    x->fields = fields;
    x->n = n;
    x->names.mem = mem;
    for (i = 0; ok && i < n; i++) {
        taco__hash_slot *s =
            taco__hash_map_add(&x->names, taco__bytes_text(fields[i].name), &added, NULL);
        ok = s != NULL;
        if (ok && added) { s->value = i; }
    }
    if (!ok) { taco__hash_map_free(&x->names); }
}

TACO__FN size_t taco__field_index_find(const taco__field_index *x, const char *name)
{
    size_t i;
    if (x->names.slots) {
        const taco__hash_slot *s = taco__hash_map_find(&x->names, taco__bytes_text(name));
        return s ? (size_t)s->value : SIZE_MAX;
    }
    for (i = 0; i < x->n; i++) {
        if (strcmp(x->fields[i].name, name) == 0) { return i; }
    }
    return SIZE_MAX;
}

TACO__FN void taco__field_index_free(taco__field_index *x)
{
    taco__hash_map_free(&x->names);
}
