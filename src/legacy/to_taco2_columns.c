/* to_taco2_columns.c - converts the columns of old footers to those of a TACO 2 level

   In: the table of an old level, and the old row of each new one; out: fields and arrays in the
   new order. Columns that readers added are dropped, names are changed to ones that TACO 2 allows,
   times in seconds become timestamps, centroids in text become WKB. Values that cannot be
   converted become null, which is noted. Spec: TACO 2.0.0 section 6, Tortilla 0.5.0.

       tortilla:id                     id; kept if ids had to be changed
       tortilla:offset, :length        left out: the container has its own
       stac:raster_shape               stac:tensor_shape
       stac:time_start, :time_end      the same, as timestamps in microseconds
       stac:centroid                   the same, as WKB
       root of a chain                 left out: internal:parent_id says the same
       id, type, path                  legacy:id, legacy:type, legacy:path */
#include "legacy.h"
#include "../base/base.h"
#include "../geo/geo.h"
#include "../dataset/dataset.h"
#include "../write/write.h"

/* ---- names ---- */

/* True if name is one of n names. */
static bool taco__to_taco2_columns_is_any(const char *name, const char *const *names, size_t n)
{
    size_t i;
    for (i = 0; i < n && strcmp(name, names[i]) != 0; i++) {}
    return i < n;
}

/* True if a column contains nothing that TACO 2 does not state elsewhere. */
static bool taco__to_taco2_columns_is_dropped(taco__to_taco2 *c, const char *name)
{
    static const char *const places[] = {"tortilla:offset", "tortilla:length"};
    static const char *const roots[] = {"root", "tortilla:root"};
    if (taco__to_taco2_columns_is_any(name, places, 2) ||
        (strcmp(name, "tortilla:id") == 0 && !c->renamed)) {
        return true;
    }
    if (c->state->files[0].chain && taco__to_taco2_columns_is_any(name, roots, 2)) {
        taco__convert_note(&c->f, "column %s is left out: internal:parent_id says the same", name);
        return true;
    }
    return false;
}

/* Another name for the same column, unless the table has that too; NULL if there is none. */
static const char *taco__to_taco2_columns_other_name(const taco__table *t, const char *name)
{
    static const char *const names[][2] = {{"stac:raster_shape", "stac:tensor_shape"},
                                           {"internal:file_format", "tortilla:file_format"}};
    size_t i;
    for (i = 0; i < TACO__COUNT(names); i++) {
        if (strcmp(name, names[i][0]) == 0 &&
            taco__table_find_column(t, names[i][1]) == TACO__NONE) {
            return names[i][1];
        }
    }
    return NULL;
}

/* A new name for a user's column with a name reserved in TACO 2; NULL if its name is not
   reserved. */
static const char *taco__to_taco2_columns_protected(taco__to_taco2 *c, const char *name)
{
    static const char *const names[] = {"id", "type", "path"};
    static const char *const other[] = {"legacy:id", "legacy:type", "legacy:path"};
    size_t i;
    for (i = 0; i < 3; i++) {
        if (strcmp(name, names[i]) == 0) {
            taco__convert_note(&c->f, "a column of a protected name becomes %s", other[i]);
            return other[i];
        }
    }
    return NULL;
}

/* Reduces a name to letters, digits, '_' and one colon that is not at an end; NULL if out of
   memory. */
static const char *taco__to_taco2_columns_mend(taco__to_taco2 *c, const char *name)
{
    char *copy = taco__arena_text(&c->f.arena, taco__bytes_text(name), c->f.err);
    size_t i, colons = 0;
    for (i = 0; copy && copy[i]; i++) {
        char b = copy[i];
        bool good = (b >= '0' && b <= '9') || (b >= 'A' && b <= 'Z') || (b >= 'a' && b <= 'z') ||
                    b == '_' || (b == ':' && i && copy[i + 1] && !colons++);
        copy[i] = good ? b : '_';
    }
    if (copy && strcmp(copy, name) != 0) {
        taco__convert_note(&c->f, "a column's name becomes %s", copy);
    }
    return copy;
}

/* The name of an old column in TACO 2; NULL if it has none, or if out of memory. */
static const char *taco__to_taco2_columns_name(taco__to_taco2 *c, const taco__table *t,
                                               const char *name)
{
    const char *other;
    if (taco__to_taco2_columns_is_dropped(c, name)) { return NULL; }
    other = taco__to_taco2_columns_other_name(t, name);
    if (other || strncmp(name, "internal:", 9) == 0) { return other; }
    other = taco__to_taco2_columns_protected(c, name);
    return other ? other : taco__to_taco2_columns_mend(c, name);
}

/* ---- values ---- */

/* Converts seconds to microseconds since 1970; false on overflow. */
static bool taco__to_taco2_columns_read_time(const taco_array *a, size_t i, int64_t *out)
{
    if (taco__concat_is_integer(a->field->type)) {
        int64_t s = taco_array_int(a, i);
        bool fits = s <= INT64_MAX / 1000000 && s >= INT64_MIN / 1000000;
        *out = fits ? s * 1000000 : 0;
        return fits;
    } else {
        double d = taco_array_double(a, i) * 1e6;
        bool fits = d > -9.2e18 && d < 9.2e18;
        *out = fits ? (int64_t)(d + (d < 0 ? -0.5 : 0.5)) : 0;
        return fits;
    }
}

/* A converted column under construction: a row is valid if its value could be converted. */
typedef struct taco__to_taco2_values {
    taco_array out;
    uint8_t *bits;
    size_t lost;
} taco__to_taco2_values;

/* Begins a column of n values, all of them null until they are set. */
static bool taco__to_taco2_columns_begin(taco__to_taco2 *c, const taco_field *f, size_t n,
                                         taco__to_taco2_values *v)
{
    memset(v, 0, sizeof *v);
    v->out.field = f;
    v->out.length = n;
    v->bits = (uint8_t *)taco__arena_alloc(&c->f.arena, TACO__BITMAP_BYTES(n) + 8, c->f.err);
    return v->bits != NULL;
}

/* Records whether row i had a value, and whether it could be converted. */
static void taco__to_taco2_columns_note_row(taco__to_taco2_values *v, size_t i, bool valid,
                                            bool fits)
{
    if (fits) { taco__bitmap_set(v->bits, i); }
    v->out.null_count += !fits;
    v->lost += valid && !fits;
}

/* Finishes the array, in *a. */
static void taco__to_taco2_columns_finish(taco__to_taco2 *c, taco__to_taco2_values *v,
                                          taco_array *a)
{
    v->out.validity = v->out.null_count ? v->bits : NULL;
    *a = v->out;
    if (v->lost) {
        taco__convert_note(&c->f, "values of %s that are none of their kind become null",
                           a->field->name);
    }
}

/* Converts seconds in *a to timestamps in microseconds. */
static bool taco__to_taco2_columns_convert_times(taco__to_taco2 *c, taco_field *f, taco_array *a)
{
    size_t n = a->length, i;
    int64_t *times = (int64_t *)taco__arena_array(&c->f.arena, n + 8, sizeof *times, c->f.err);
    taco__to_taco2_values v;
    *f = taco__field_make(f->name, TACO_TIMESTAMP);
    f->unit = TACO_MICRO;
    if (!times || !taco__to_taco2_columns_begin(c, f, n, &v)) { return false; }
    for (i = 0; i < n; i++) {
        bool valid = taco_array_valid(a, i);
        taco__to_taco2_columns_note_row(&v, i, valid,
                                        valid && taco__to_taco2_columns_read_time(a, i, &times[i]));
    }
    v.out.v.i64 = times;
    taco__to_taco2_columns_finish(c, &v, a);
    return true;
}

/* Converts "POINT (x y)" in *a to WKB. */
static bool taco__to_taco2_columns_convert_points(taco__to_taco2 *c, taco_field *f, taco_array *a)
{
    size_t n = a->length, i;
    int32_t *offsets = (int32_t *)taco__arena_array(&c->f.arena, n + 1, sizeof *offsets, c->f.err);
    uint8_t *wkb =
        (uint8_t *)taco__arena_array(&c->f.arena, n + 4, TACO__WKB_POINT_BYTES, c->f.err);
    taco__to_taco2_values v;
    if (n > INT32_MAX / TACO__WKB_POINT_BYTES) {
        TACO__FAIL(c->f.err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "%u rows are too many", TACO__U(n));
        return false;
    }
    f->type = TACO_BINARY;
    if (!offsets || !wkb || !taco__to_taco2_columns_begin(c, f, n, &v)) { return false; }
    for (i = 0; i < n; i++) {
        double xy[2];
        bool valid = taco_array_valid(a, i);
        bool fits = valid && taco__legacy_filter_parse_point(taco_array_bytes(a, i), xy);
        offsets[i + 1] = offsets[i] + (fits ? TACO__WKB_POINT_BYTES : 0);
        if (fits) { taco__wkb_point_write(wkb + offsets[i], xy[0], xy[1]); }
        taco__to_taco2_columns_note_row(&v, i, valid, fits);
    }
    v.out.offsets = offsets;
    v.out.v.any = wkb;
    taco__to_taco2_columns_finish(c, &v, a);
    return true;
}

/* ---- columns ---- */

/* Takes the rows of a column in their new order; null for padding. Consecutive rows form one
   slice. */
static bool taco__to_taco2_columns_take_rows(taco__to_taco2 *c, const taco__to_taco2_level *l,
                                             const taco_array *from, const taco_field *field,
                                             taco_array *out)
{
    taco__concat_slice *p =
        (taco__concat_slice *)taco__arena_array(&c->f.arena, l->row_count + 1, sizeof *p, c->f.err);
    size_t i, k = 0;
    for (i = 0; p && i < l->row_count; i++) {
        size_t row = l->rows[i];
        bool padding = row == SIZE_MAX;
        if (k && p[k - 1].a && !padding && row == p[k - 1].first + p[k - 1].n) {
            p[k - 1].n++;
            continue;
        }
        p[k].a = padding ? NULL : from;
        p[k].first = padding ? 0 : row;
        p[k++].n = 1;
    }
    return p && taco__concat_arrays(&c->f.arena, field, p, k, out, c->f.err);
}

/* True if a column of that name holds seconds. */
static bool taco__to_taco2_columns_is_seconds(const char *name, taco_type type)
{
    return (strcmp(name, "stac:time_start") == 0 || strcmp(name, "stac:time_end") == 0) &&
           (type == TACO_NULL || taco__concat_is_integer(type) || taco__concat_is_float(type));
}

/* Adds column i of the old table, under its name in TACO 2. */
static bool taco__to_taco2_columns_add_one(taco__to_taco2 *c, uint32_t level, size_t i,
                                           const char *name)
{
    const taco__table *t = &c->state->levels[level].t;
    taco__to_taco2_level *l = &c->levels[level];
    taco_field *field = &l->fields[l->column_count];
    taco_array *out = &l->arrays[l->column_count];
    taco_field *stored = (taco_field *)taco__arena_alloc(&c->f.arena, sizeof *stored, c->f.err);
    if (!stored) { return false; }
    *stored = t->fields[i];
    if (!taco__to_taco2_columns_take_rows(c, l, &t->arrays[i], stored, out)) { return false; }
    *field = *stored;
    field->name = name;
    field->nullable = true;
    l->column_count++;
    if (taco__to_taco2_columns_is_seconds(name, stored->type)) {
        return taco__to_taco2_columns_convert_times(c, field, out);
    }
    if (strcmp(name, "stac:centroid") == 0 && stored->type == TACO_TEXT) {
        return taco__to_taco2_columns_convert_points(c, field, out);
    }
    out->field = field;
    return true;
}

/* True if column id or type was made by a reader: the footer has none of that name. */
static bool taco__to_taco2_columns_is_made(const taco__table *t, const char *name)
{
    return (strcmp(name, "id") == 0 && taco__table_find_column(t, "internal:id") == TACO__NONE) ||
           (strcmp(name, "type") == 0 && taco__table_find_column(t, "internal:type") == TACO__NONE);
}

/* Adds all columns; names: those of the new ones. */
static bool taco__to_taco2_columns_add_all(taco__to_taco2 *c, uint32_t level, taco__hash_map *names)
{
    const taco__table *t = &c->state->levels[level].t;
    size_t i;
    for (i = 0; i < t->field_count; i++) {
        const char *name = t->fields[i].name;
        bool added = true;
        if (taco__to_taco2_columns_is_made(t, name)) { continue; }
        name = taco__to_taco2_columns_name(c, t, name);
        if (name && !taco__hash_map_add(names, taco__bytes_text(name), &added, c->f.err)) {
            return false;
        }
        if (!added) {
            TACO__FAIL(c->f.err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "two columns of level %u would be called %s", TACO__U(level), name);
            return false;
        }
        if (c->f.err->code != TACO_OK ||
            (name && !taco__to_taco2_columns_add_one(c, level, i, name))) {
            return false;
        }
    }
    return true;
}

TACO__FN bool taco__to_taco2_columns_add(taco__to_taco2 *c, uint32_t level)
{
    taco__to_taco2_level *l = &c->levels[level];
    size_t n = c->state->levels[level].t.field_count + 1;
    taco__hash_map names;
    bool ok;
    l->fields = (taco_field *)taco__arena_array(&c->f.arena, n, sizeof *l->fields, c->f.err);
    l->arrays = (taco_array *)taco__arena_array(&c->f.arena, n, sizeof *l->arrays, c->f.err);
    if (!l->fields || !l->arrays) { return false; }
    memset(&names, 0, sizeof names);
    names.mem = &c->f.mem;
    ok = taco__to_taco2_columns_add_all(c, level, &names);
    taco__hash_map_free(&names);
    return ok;
}
