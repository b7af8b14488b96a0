/* geo_columns.c - geometry columns: the "geo" key of GeoParquet 1.1, and covering columns

   In: opt.geometries, then the rows of these columns as they are written. Out: for a covering that
   the caller names but does not provide, a STRUCT column of xmin, ymin, xmax, ymax after the
   caller's columns; at the end the document with the key "geo", with the types that occurred and
   their extent. Null and empty geometries have a null box.

   taco__geo_column_init_all comes before the schema is made, _add_rows before the leaves of each
   piece of a batch, _write_key before the footer. */
#include "parquet_write.h"
#include "../base/base.h"
#include "../arrow/arrow.h"

static const char *const taco__geo_column_side_names[] = {"xmin", "ymin", "xmax", "ymax"};

/* ---- which columns ---- */

static const taco_field *taco__geo_column_find_field(const taco_pq_writer *w, const char *name)
{
    size_t i;
    for (i = 0; name && i < w->field_count; i++) {
        if (strcmp(w->fields[i].name, name) == 0) { return &w->fields[i]; }
    }
    return NULL;
}

/* Whether a column of the caller is a covering: has these children as FLOAT or DOUBLE, in any
   order. */
static bool taco__geo_column_is_covering(const taco_field *f)
{
    uint32_t i, k, found = 0;
    for (i = 0; i < 4 && f->type == TACO_STRUCT; i++) {
        for (k = 0; k < f->child_count; k++) {
            found += (f->children[k].type == TACO_DOUBLE || f->children[k].type == TACO_FLOAT) &&
                     strcmp(f->children[k].name, taco__geo_column_side_names[i]) == 0;
        }
    }
    return found == 4;
}

/* Adds a STRUCT column of four DOUBLE after the others. */
static bool taco__geo_column_make_covering(taco_pq_writer *w, taco__geo_column *g)
{
    taco_field *f = &w->fields[w->field_count];
    taco_field *sides = (taco_field *)taco__arena_array(&w->arena, 4, sizeof *sides, &w->err);
    size_t i;
    if (!sides) { return false; }
    for (i = 0; i < 4; i++) {
        sides[i] = taco__field_make(taco__geo_column_side_names[i], TACO_DOUBLE);
        sides[i].nullable = false;
        g->side[i].field = &sides[i];
        g->box[i].mem = &w->mem;
    }
    *f = taco__field_make_nested(g->covering, TACO_STRUCT, sides, 4);
    g->validity.mem = &w->mem;
    g->array.field = f;
    g->array.children = g->side;
    g->made = w->field_count++;
    return true;
}

/* A copy of a caller's text that outlives the call; NULL stays NULL. */
static bool taco__geo_column_copy_text(taco_pq_writer *w, const char *text, const char **out)
{
    if (text) { *out = taco__arena_text(&w->arena, taco__bytes_text(text), &w->err); }
    return !text || *out;
}

/* A covering made here has the boxes of one geometry column. */
static bool taco__geo_column_fail_shared(taco_pq_writer *w, const taco__geo_column *g)
{
    taco_bytes covering = taco__bytes_text(g->covering), column = taco__bytes_text(g->name);
    TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
               "covering column %q of %q is made for another geometry column already", &covering,
               &column);
    return false;
}

static bool taco__geo_column_set_covering(taco_pq_writer *w, taco__geo_column *g)
{
    const taco_field *f = taco__geo_column_find_field(w, g->covering);
    taco_bytes name = taco__bytes_text(g->covering);
    if (!g->covering) { return true; }
    if (f && (size_t)(f - w->fields) >= w->caller_count) {
        return taco__geo_column_fail_shared(w, g);
    }
    if (f ? taco__geo_column_is_covering(f) : taco__geo_column_make_covering(w, g)) { return true; }
    TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
               "covering column %q is not a struct of xmin, ymin, xmax, ymax", &name);
    return false;
}

static bool taco__geo_column_init(taco_pq_writer *w, taco__geo_column *g,
                                  const taco_pq_geometry *from)
{
    const taco_field *f = taco__geo_column_find_field(w, from->column);
    if (!f || f->type != TACO_BINARY) {
        taco_bytes name = taco__bytes_text(from->column);
        TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "geometry column %q is not a BINARY column", &name);
        return false;
    }
    g->column = (size_t)(f - w->fields);
    g->name = f->name;
    g->spherical = from->spherical;
    taco__wkb_summary_init(&g->summary);
    if (!taco__geo_column_copy_text(w, from->crs, &g->crs) ||
        !taco__geo_column_copy_text(w, from->covering, &g->covering)) {
        return false;
    }
    w->geo_count++; /* from here on its buffers are freed with the writer */
    return taco__geo_column_set_covering(w, g);
}

TACO__FN bool taco__geo_column_init_all(taco_pq_writer *w)
{
    size_t n = w->opt.geometry_count, i;
    taco_field *more;
    if (n == 0) { return true; }
    w->geo = (taco__geo_column *)taco__arena_array(&w->arena, n, sizeof *w->geo, &w->err);
    more =
        (taco_field *)taco__arena_array(&w->arena, w->field_count + n + 1, sizeof *more, &w->err);
    if (!w->geo || !more) { return false; }
    memcpy(more, w->fields, w->field_count * sizeof *more);
    w->fields = more;
    for (i = 0; i < n; i++) {
        if (!taco__geo_column_init(w, &w->geo[i], &w->opt.geometries[i])) { return false; }
    }
    return true;
}

/* ---- the document ---- */

/* A column's name as a value: it must equal the key of its member, UTF-8 or not. */
static void taco__geo_column_write_name(taco__json_writer *j, const char *key, const char *name)
{
    taco__json_write_key(j, key);
    j->ok = j->ok && taco__json_write_name(j->out, taco__bytes_text(name), j->err);
}

/* "covering":{"bbox":{"xmin":[column, "xmin"], ...}} */
static void taco__geo_column_write_covering(taco__json_writer *j, const char *covering)
{
    size_t i;
    taco__json_write_begin(j, "covering", '{');
    taco__json_write_begin(j, "bbox", '{');
    for (i = 0; i < 4; i++) {
        taco__json_write_begin(j, taco__geo_column_side_names[i], '[');
        taco__geo_column_write_name(j, NULL, covering);
        taco__json_write_text(j, NULL, taco__geo_column_side_names[i]);
        taco__json_write_end(j, ']');
    }
    taco__json_write_end(j, '}');
    taco__json_write_end(j, '}');
}

/* An empty list means that the types are not known. */
static void taco__geo_column_write_types(taco__json_writer *j, uint32_t types)
{
    static const char *const names[2][7] = {
        {"Point", "LineString", "Polygon", "MultiPoint", "MultiLineString", "MultiPolygon",
         "GeometryCollection"},
        {"Point Z", "LineString Z", "Polygon Z", "MultiPoint Z", "MultiLineString Z",
         "MultiPolygon Z", "GeometryCollection Z"}};
    size_t z, i;
    taco__json_write_begin(j, "geometry_types", '[');
    for (z = 0; z < 2; z++) {
        for (i = 0; i < 7; i++) {
            if (types >> (i + 1 + 16 * z) & 1) { taco__json_write_text(j, NULL, names[z][i]); }
        }
    }
    taco__json_write_end(j, ']');
}

/* Corners in x and y, and in z if some geometry has it. Edges along great circles extend beyond
   their ends, so spherical columns have none. */
static void taco__geo_column_write_bbox(taco__json_writer *j, const taco__geo_column *g,
                                        uint32_t types)
{
    const taco__wkb_summary *s = &g->summary;
    size_t i, sides = s->types >> 16 ? 3 : 2;
    bool bounded = types != 0 && !g->spherical;
    for (i = 0; i < sides; i++) {
        bounded = bounded && s->min[i] <= s->max[i];
    }
    if (!bounded) { return; }
    taco__json_write_begin(j, "bbox", '[');
    for (i = 0; i < 2 * sides; i++) {
        taco__json_write_double(j, NULL, i < sides ? s->min[i] : s->max[i - sides]);
    }
    taco__json_write_end(j, ']');
}

/* The member of "columns" of one geometry column. */
static void taco__geo_column_write(taco__json_writer *j, const taco__geo_column *g)
{
    uint32_t types = g->summary.odd ? 0 : g->summary.types;
    taco__json_write_begin(j, g->name, '{');
    taco__json_write_text(j, "encoding", "WKB");
    taco__geo_column_write_types(j, types);
    taco__geo_column_write_bbox(j, g, types);
    if (g->crs) { taco__json_write_raw(j, "crs", taco__bytes_text(g->crs)); }
    if (g->spherical) { taco__json_write_text(j, "edges", "spherical"); }
    if (g->covering) { taco__geo_column_write_covering(j, g->covering); }
    taco__json_write_end(j, '}');
}

TACO__FN bool taco__geo_column_write_key(taco_pq_writer *w)
{
    taco__buf *out = &w->scratch.body;
    taco__json_writer j;
    size_t i;
    if (w->geo_count == 0) { return true; }
    out->len = 0;
    j = taco__json_writer_init(out, &w->err);
    taco__json_write_begin(&j, NULL, '{');
    taco__json_write_text(&j, "version", "1.1.0");
    taco__geo_column_write_name(&j, "primary_column", w->geo[0].name);
    taco__json_write_begin(&j, "columns", '{');
    for (i = 0; i < w->geo_count; i++) {
        taco__geo_column_write(&j, &w->geo[i]);
    }
    taco__json_write_end(&j, '}');
    taco__json_write_end(&j, '}');
    return j.ok &&
           taco__key_values_add(w, taco__bytes_text("geo"), taco__bytes_of(out->data, out->len));
}

/* ---- rows ---- */

/* Empties the covering's arrays, and makes room for n rows. */
static bool taco__geo_column_reset_covering(taco__geo_column *g, size_t n, taco_error *err)
{
    size_t k;
    for (k = 0; k < 4; k++) {
        if (!taco__buf_reset(&g->box[k], n * sizeof(double), err)) { return false; }
        g->side[k].v.any = g->box[k].data;
        g->side[k].length = n;
    }
    if (!taco__buf_reset(&g->validity, TACO__BITMAP_BYTES(n), err)) { return false; }
    memset(g->validity.data, 0, TACO__BITMAP_BYTES(n));
    g->array.validity = g->validity.data;
    g->array.length = n;
    return true;
}

/* The WKB of a row; false if it is null, or the array has invalid offsets: those are refused when
   the value is written (array_values.c). */
static bool taco__geo_column_value(const taco_array *a, size_t row, taco_bytes *wkb)
{
    const int32_t *o;
    if (a->validity && !taco__bitmap_get(a->validity, row)) { return false; }
    if (a->dictionary) {
        row = (uint32_t)a->v.i32[row];
        a = a->dictionary;
    }
    if (row >= a->length) { return false; }
    o = a->offsets + row;
    if (o[0] < 0 || o[1] < o[0]) { return false; }
    *wkb = taco__bytes_of(a->v.u8 + o[0], (size_t)(o[1] - o[0]));
    return true;
}

TACO__FN bool taco__geo_column_add_rows(taco_pq_writer *w, taco__geo_column *g, const taco_array *a,
                                        size_t first, size_t n)
{
    size_t i, k;
    if (g->made && !taco__geo_column_reset_covering(g, n, &w->err)) { return false; }
    for (i = 0; i < n; i++) {
        double box[4] = {0, 0, 0, 0};
        taco_bytes wkb;
        bool valid = taco__geo_column_value(a, first + i, &wkb) &&
                     taco__wkb_summary_add(&g->summary, wkb, box);
        if (g->made && valid) { taco__bitmap_set(g->validity.data, i); }
        for (k = 0; g->made && k < 4; k++) {
            memcpy(g->box[k].data + i * sizeof(double), &box[k], sizeof(double));
        }
    }
    return true;
}

TACO__FN const taco_array *taco__geo_column_made_array(const taco_pq_writer *w, size_t column)
{
    size_t i;
    for (i = 0; w->geo[i].made != column; i++) {}
    return &w->geo[i].array;
}
