/* column_builder.c - a user's column, built row by row, then read in slices

   In: a field of the caller's, and rows through taco__array_builder (arrow/builder.c) or the
   checked calls here; out: the whole column as one array, which is written to tables in slices
   (taco__array_buf_slice). The field is copied, so that names and children belong to the column,
   and is nullable, as rows without a value are null unless the schema is strict. */
#include "write.h"
#include "../base/base.h"
#include "../arrow/arrow.h"

/* Frees rows and slices; fields are in the arena. Safe on a zeroed column. */
TACO__FN void taco__builder_free(taco__builder *c)
{
    taco__array_builder_free(&c->rows);
}

/* True if a caller's field has the children that its type requires: lists one, maps one with key
   and value. */
static bool taco__builder_is_possible(const taco_field *f)
{
    if ((f->child_count && !f->children) || (uint32_t)f->type > (uint32_t)TACO_STRUCT) {
        return false;
    }
    if (f->type == TACO_MAP) {
        return f->child_count == 1 && f->children[0].type == TACO_STRUCT &&
               f->children[0].child_count == 2;
    }
    return f->type != TACO_LIST || f->child_count == 1;
}

/* Copies a caller's field with everything below it into the arena. ARGUMENT for unknown types and
   for more than 32 levels, as the caller's structs may form a cycle. */
static bool taco__builder_copy_field(taco_field *out, const taco_field *f, taco__arena *arena,
                                     uint32_t depth, taco_error *err)
{
    taco_field *children;
    uint32_t i;
    if (depth > 32 || !taco__builder_is_possible(f)) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "a column of an impossible type");
        return false;
    }
    *out = *f;
    out->leaf = out->leaf_count = 0;
    out->width = taco__field_width(f);
    out->name = taco__arena_text(arena, taco__bytes_text(f->name ? f->name : ""), err);
    children = (taco_field *)taco__arena_array(arena, f->child_count, sizeof *children, err);
    out->children = children;
    for (i = 0; out->name && children && i < f->child_count; i++) {
        if (!taco__builder_copy_field(&children[i], &f->children[i], arena, depth + 1, err)) {
            return false;
        }
    }
    return out->name && children;
}

/* Initializes an empty column with a copy of f. It may be freed even after a failure. */
TACO__FN bool taco__builder_init(taco__builder *c, const taco_field *f, taco__mem *mem,
                                 taco__arena *arena, taco_error *err)
{
    taco_field *own = (taco_field *)taco__arena_array(arena, 1, sizeof *own, err);
    memset(c, 0, sizeof *c);
    if (!own || !taco__builder_copy_field(own, f, arena, 0, err)) { return false; }
    own->nullable = true;
    return taco__array_builder_init(&c->rows, own, mem, arena, err);
}

/* Makes c->array from all rows; no more may be appended. */
TACO__FN void taco__builder_finish(taco__builder *c)
{
    taco__array_builder_view(&c->rows, &c->array);
}

/* Parses an ISO 8601 instant to the unit of a column: DATE in days, TIMESTAMP in its unit, rounded
   down. False for other text, and on overflow. */
TACO__FN bool taco__builder_parse_time(const taco_field *f, taco_bytes text, int64_t *out)
{
    static const int64_t per[] = {1000000, 1000, 1, 1};
    bool date;
    if (!taco__time_parse(text, out, &date)) { return false; }
    if (f->type == TACO_DATE) {
        *out = taco__time_floor_div(*out, TACO__TIME_DAY_MICROS);
    } else if (f->unit == TACO_NANO) {
        if (*out > INT64_MAX / 1000 || *out < INT64_MIN / 1000) { return false; }
        *out *= 1000;
    } else {
        *out = taco__time_floor_div(*out, per[f->unit]);
    }
    return true;
}

/* Appends an integer of any width; false if it does not fit. If memory runs out, the result is true
   and *err is set. */
TACO__FN bool taco__builder_append_int(taco__array_builder *b, int64_t x, taco_error *err)
{
    if (!taco__array_builder_int_fits(b->field, x)) { return false; }
    taco__array_builder_append_int(b, x, err);
    return true;
}
