/* from_taco2_columns.c - converts the columns of a TACO 2 level to those of an old footer

   In: the rows of a level; out: tortilla:id and tortilla:file_format, then the other columns,
   except for those that a footer computes: timestamps become seconds, WKB centroids text, and
   columns that taco_convert_to_taco2 renamed get their old names. A stac:tensor_shape with more
   than rows and columns keeps its name, and these two are also stac:raster_shape. Spec: Tortilla
   0.5.0. */
#include "legacy.h"
#include "../base/base.h"
#include "../geo/geo.h"
#include "../dataset/dataset.h"
#include "../validate/validate.h"
#include "../write/write.h"

/* ---- columns of text ---- */

/* A column of text under construction: each taco__from_taco2_columns_end_row adds a row. */
typedef struct taco__from_taco2_text {
    taco__buf bytes;
    int32_t *ends;
    uint8_t *bits;
    size_t rows, nulls;
} taco__from_taco2_text;

/* Begins an empty column of at most n texts. */
static bool taco__from_taco2_columns_begin_text(taco__from_taco2 *b, size_t n,
                                                taco__from_taco2_text *t)
{
    memset(t, 0, sizeof *t);
    t->bytes.mem = &b->w.mem;
    t->ends = (int32_t *)taco__arena_array(&b->w.arena, n + 1, sizeof *t->ends, b->w.err);
    t->bits = (uint8_t *)taco__arena_alloc(&b->w.arena, TACO__BITMAP_BYTES(n) + 8, b->w.err);
    return t->ends && t->bits;
}

/* Ends a row: the bytes appended since the previous one, or null. */
static bool taco__from_taco2_columns_end_row(taco__from_taco2 *b, taco__from_taco2_text *t,
                                             const char *name, bool valid)
{
    if (t->bytes.len > INT32_MAX) {
        TACO__FAIL(b->w.err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "too much text in column %s", name);
        return false;
    }
    if (valid) { taco__bitmap_set(t->bits, t->rows); }
    t->nulls += !valid;
    t->ends[++t->rows] = (int32_t)t->bytes.len;
    return true;
}

/* Finishes the column. */
static bool taco__from_taco2_columns_finish_text(taco__from_taco2 *b, taco__from_taco2_text *t,
                                                 const char *name, taco_array *out)
{
    taco_field *f = (taco_field *)taco__arena_alloc(&b->w.arena, sizeof *f, b->w.err);
    uint8_t *p = (uint8_t *)taco__arena_alloc(&b->w.arena, t->bytes.len + TACO__PAD, b->w.err);
    if (!f || !p) { return false; }
    *f = taco__field_make(name, TACO_TEXT);
    if (t->bytes.len) { memcpy(p, t->bytes.data, t->bytes.len); }
    memset(out, 0, sizeof *out);
    out->field = f;
    out->length = t->rows;
    out->offsets = t->ends;
    out->v.any = p;
    out->validity = t->nulls ? t->bits : NULL;
    out->null_count = t->nulls;
    return true;
}

/* ---- formats ---- */

/* GDAL's driver for the extension of a name; BYTES for unknown ones. */
static const char *taco__from_taco2_columns_driver(taco_bytes id)
{
    static const char *const ends[][2] = {
        {".tif", "GTiff"}, {".tiff", "GTiff"}, {".png", "PNG"},        {".jpg", "JPEG"},
        {".jpeg", "JPEG"}, {".nc", "netCDF"},  {".jp2", "JP2OpenJPEG"}};
    size_t i;
    for (i = 0; i < TACO__COUNT(ends); i++) {
        size_t n = strlen(ends[i][0]);
        if (id.len > n && memcmp(id.data + id.len - n, ends[i][0], n) == 0) { return ends[i][1]; }
    }
    return "BYTES";
}

/* The format of row i: TORTILLA for FOLDERs, otherwise the value of column `from` if it exists, or
   what the extension implies. */
static taco_bytes taco__from_taco2_columns_format(const taco__from_taco2_level *l,
                                                  const taco_array *from, size_t i)
{
    taco_bytes said = from ? taco_array_bytes(from, i) : taco__bytes_of(NULL, 0);
    if (taco__from_taco2_is_folder(l, i)) { return taco__bytes_text("TORTILLA"); }
    return said.len ? said
                    : taco__bytes_text(taco__from_taco2_columns_driver(taco_array_bytes(l->id, i)));
}

/* tortilla:file_format. */
static bool taco__from_taco2_columns_make_formats(taco__from_taco2 *b,
                                                  const taco__from_taco2_level *l, taco_array *out)
{
    static const char name[] = "tortilla:file_format";
    const taco_array *from = taco__tortilla_check_find(l->rows.columns, l->rows.column_count, name);
    size_t n = l->rows.length, i;
    taco__from_taco2_text t;
    bool ok = taco__from_taco2_columns_begin_text(b, n, &t);
    if (from && from->field->type != TACO_TEXT) { from = NULL; }
    for (i = 0; ok && i < n; i++) {
        taco_bytes format = taco__from_taco2_columns_format(l, from, i);
        ok = taco__buf_append(&t.bytes, format.data, format.len, b->w.err) &&
             taco__from_taco2_columns_end_row(b, &t, name, true);
    }
    ok = ok && taco__from_taco2_columns_finish_text(b, &t, name, out);
    taco__buf_free(&t.bytes);
    return ok;
}

/* ---- centroids and times ---- */

/* POINT (x y). */
static bool taco__from_taco2_columns_append_point(taco__buf *out, double x, double y,
                                                  taco_error *err)
{
    char number[2][40];
    size_t nx = taco__num_format_f64(number[0], x), ny = taco__num_format_f64(number[1], y);
    return taco__buf_append_text(out, "POINT (", err) &&
           taco__buf_append(out, number[0], nx, err) && taco__buf_append_char(out, ' ', err) &&
           taco__buf_append(out, number[1], ny, err) && taco__buf_append_char(out, ')', err);
}

/* Converts WKB to the text of its centre; null if it has no box. */
static bool taco__from_taco2_columns_convert_points(taco__from_taco2 *b, const taco_array *from,
                                                    taco_array *out)
{
    const char *name = from->field->name;
    taco__from_taco2_text t;
    bool ok = taco__from_taco2_columns_begin_text(b, from->length, &t);
    size_t i;
    for (i = 0; ok && i < from->length; i++) {
        taco_bytes wkb = taco_array_bytes(from, i);
        double box[4];
        bool empty = true;
        bool valid = wkb.len && taco__wkb_bounds(wkb, box, &empty, NULL) == TACO_OK && !empty;
        ok = (!valid || taco__from_taco2_columns_append_point(&t.bytes, (box[0] + box[2]) / 2,
                                                              (box[1] + box[3]) / 2, b->w.err)) &&
             taco__from_taco2_columns_end_row(b, &t, name, valid);
    }
    ok = ok && taco__from_taco2_columns_finish_text(b, &t, name, out);
    taco__buf_free(&t.bytes);
    return ok;
}

/* Converts timestamps and dates to seconds: integers, or fractions if any of them has one. */
static bool taco__from_taco2_columns_convert_times(taco__from_taco2 *b, const taco_array *from,
                                                   taco_array *out)
{
    static const int64_t per_second[] = {1, 1000, 1000000, 1000000000};
    const int64_t unit = per_second[from->field->unit],
                  seconds = from->field->type == TACO_DATE ? 86400 : 1;
    taco_field *f = (taco_field *)taco__arena_alloc(&b->w.arena, sizeof *f, b->w.err);
    int64_t *v = (int64_t *)taco__arena_array(&b->w.arena, from->length + 8, sizeof *v, b->w.err);
    size_t i;
    bool whole = true;
    if (!f || !v) { return false; }
    for (i = 0; i < from->length; i++) {
        whole = whole && (!taco_array_valid(from, i) || taco_array_int(from, i) % unit == 0);
    }
    for (i = 0; i < from->length; i++) {
        double d = (double)taco_array_int(from, i) / (double)unit * (double)seconds;
        v[i] = taco_array_int(from, i) / unit * seconds;
        if (!whole) { memcpy(&v[i], &d, 8); }
    }
    *f = *from->field;
    f->type = whole ? TACO_INT64 : TACO_DOUBLE;
    f->width = 8;
    *out = *from;
    out->field = f;
    out->v.i64 = v;
    return true;
}

/* ---- shapes ---- */

static const char taco__from_taco2_columns_raster_shape[] = "stac:raster_shape";

/* True if some list of a column has more than two numbers, of which an old shape consists. */
static bool taco__from_taco2_columns_has_bands(const taco_array *shape)
{
    size_t i;
    for (i = 0; i < shape->length; i++) {
        if (taco_array_valid(shape, i) && shape->offsets[i + 1] - shape->offsets[i] > 2) {
            return true;
        }
    }
    return false;
}

/* The last two numbers of each list: rows and columns. Null for shorter ones. */
static bool taco__from_taco2_columns_make_shape(taco__from_taco2 *b, const taco_array *from,
                                                taco_array *out)
{
    size_t n = from->length, i, k;
    taco__arena *arena = &b->w.arena;
    taco_field *f = (taco_field *)taco__arena_array(arena, 2, sizeof *f, b->w.err);
    taco_array *items = (taco_array *)taco__arena_array(arena, 1, sizeof *items, b->w.err);
    int32_t *ends = (int32_t *)taco__arena_array(arena, n + 1, sizeof *ends, b->w.err);
    int64_t *v = (int64_t *)taco__arena_array(arena, n, 2 * sizeof *v, b->w.err);
    uint8_t *bits = (uint8_t *)taco__arena_alloc(arena, TACO__BITMAP_BYTES(n) + 8, b->w.err);
    if (!f || !items || !ends || !v || !bits) { return false; }
    if (n > INT32_MAX / 2) {
        TACO__FAIL(b->w.err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "too many rows");
        return false;
    }
    f[1] = taco__field_make("element", TACO_INT64);
    f[0] = taco__field_make_nested(taco__from_taco2_columns_raster_shape, TACO_LIST, &f[1], 1);
    memset(out, 0, sizeof *out);
    for (i = 0; i < n; i++) {
        int32_t end = from->offsets[i + 1];
        bool valid = taco_array_valid(from, i) && end - from->offsets[i] >= 2;
        ends[i + 1] = ends[i];
        for (k = 0; valid && k < 2; k++) {
            v[ends[i + 1]++] = taco_array_int(&from->children[0], (size_t)end - 2 + k);
        }
        if (valid) { taco__bitmap_set(bits, i); }
        out->null_count += !valid;
    }
    items->field = &f[1];
    items->length = (size_t)ends[n];
    items->v.i64 = v;
    out->field = &f[0];
    out->length = n;
    out->offsets = ends;
    out->children = items;
    out->validity = out->null_count ? bits : NULL;
    return true;
}

/* ---- all columns ---- */

/* Renames a column. */
static bool taco__from_taco2_columns_rename(taco__from_taco2 *b, const taco_array *from,
                                            const char *name, taco_array *out)
{
    taco_field *f = (taco_field *)taco__arena_alloc(&b->w.arena, sizeof *f, b->w.err);
    if (!f) { return false; }
    *f = *from->field;
    f->name = name;
    *out = *from;
    out->field = f;
    return true;
}

/* True for columns that a footer computes or does not have. */
static bool taco__from_taco2_columns_is_dropped(const char *name)
{
    static const char *const names[] = {
        "id", "type", "tortilla:file_format", "tortilla:id", "tortilla:offset", "tortilla:length"};
    size_t i;
    for (i = 0; i < TACO__COUNT(names); i++) {
        if (strcmp(name, names[i]) == 0) { return true; }
    }
    return strncmp(name, "internal:", 9) == 0;
}

/* The name of a column in an old footer. */
static const char *taco__from_taco2_columns_old_name(const char *name)
{
    static const char *const names[][2] = {
        {"legacy:id", "id"}, {"legacy:type", "type"}, {"legacy:path", "path"}};
    size_t i;
    for (i = 0; i < TACO__COUNT(names); i++) {
        if (strcmp(name, names[i][0]) == 0) { return names[i][1]; }
    }
    return name;
}

/* Converts stac:tensor_shape, to one column or two: a reader of old files expects rows and columns
   in stac:raster_shape, and a conversion back needs the sizes before these, such as bands. */
static bool taco__from_taco2_columns_convert_shape(taco__from_taco2 *b, taco__from_taco2_level *l,
                                                   const taco_array *from)
{
    const char *name = from->field->name;
    bool old = taco__tortilla_check_find(l->rows.columns, l->rows.column_count,
                                         taco__from_taco2_columns_raster_shape) != NULL,
         bands = from->field->type == TACO_LIST && taco__from_taco2_columns_has_bands(from) &&
                 taco__concat_is_integer(from->children[0].field->type);
    /* Both only where sizes would be lost, and not over a raster_shape that the sample brought from
       an old file: its reader knows what it means. */
    if (bands && !old && !taco__from_taco2_columns_make_shape(b, from, &l->columns[l->count++])) {
        return false;
    }
    return taco__from_taco2_columns_rename(
        b, from, bands || old ? name : taco__from_taco2_columns_raster_shape,
        &l->columns[l->count++]);
}

/* Converts one column of the level to that of a footer. */
static bool taco__from_taco2_columns_convert(taco__from_taco2 *b, taco__from_taco2_level *l,
                                             const taco_array *from)
{
    const char *name = from->field->name;
    taco_type type = from->field->type;
    taco_array *out;
    if (strcmp(name, "stac:tensor_shape") == 0) {
        return taco__from_taco2_columns_convert_shape(b, l, from);
    }
    out = &l->columns[l->count++];
    if ((type == TACO_TIMESTAMP || type == TACO_DATE) &&
        (strcmp(name, "stac:time_start") == 0 || strcmp(name, "stac:time_end") == 0)) {
        return taco__from_taco2_columns_convert_times(b, from, out);
    }
    if (type == TACO_BINARY && strcmp(name, "stac:centroid") == 0) {
        return taco__from_taco2_columns_convert_points(b, from, out);
    }
    return taco__from_taco2_columns_rename(b, from, taco__from_taco2_columns_old_name(name), out);
}

/* The ids before taco_convert_to_taco2 changed them; the current ones if it did not. */
static const taco_array *taco__from_taco2_columns_old_ids(const taco__from_taco2_level *l)
{
    const taco_array *old =
        taco__tortilla_check_find(l->rows.columns, l->rows.column_count, "tortilla:id");
    size_t i;
    if (!old || old->field->type != TACO_TEXT) { return l->id; }
    for (i = 0; i < l->rows.length; i++) {
        if (!taco_array_valid(old, i) &&
            !taco__bytes_starts_with(taco_array_bytes(l->id, i), TACO__RULES_PADDING)) {
            return l->id;
        }
    }
    return old;
}

TACO__FN bool taco__from_taco2_columns_make(taco__from_taco2 *b, taco__from_taco2_level *l)
{
    size_t i;
    l->columns = (taco_array *)taco__arena_array(&b->w.arena, l->rows.column_count + 4,
                                                 sizeof *l->columns, b->w.err);
    if (!l->columns ||
        !taco__from_taco2_columns_rename(b, taco__from_taco2_columns_old_ids(l), "tortilla:id",
                                         &l->columns[0]) ||
        !taco__from_taco2_columns_make_formats(b, l, &l->columns[1])) {
        return false;
    }
    l->count = 2;
    for (i = 0; i < l->rows.column_count; i++) {
        const taco_array *from = &l->rows.columns[i];
        if (!taco__from_taco2_columns_is_dropped(from->field->name) &&
            !taco__from_taco2_columns_convert(b, l, from)) {
            return false;
        }
    }
    return true;
}
