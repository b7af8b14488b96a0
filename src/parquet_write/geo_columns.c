/* geo_columns.c - the schema, options and key-value metadata of a file to be written.. Spec:
   parquet.thrift, LogicalTypes.md, GeoParquet 1.1 */
#include "parquet_write.h"
#include "../base/base.h"

/* ---- geometries
   ---------------------------------------------------------------------------------------- */

static const char *const taco__geo_column_side_names[] = {"xmin", "ymin", "xmax", "ymax"};

static const taco_field *taco__geo_column_find_field(const taco_pq_writer *w, const char *name)
{
    size_t i;
    for (i = 0; name && i < w->field_count; i++) {
        if (strcmp(w->fields[i].name, name) == 0) { return &w->fields[i]; }
    }
    return NULL;
}

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

/* A STRUCT column of four DOUBLE behind the others. */
static bool taco__geo_column_add_covering(taco_pq_writer *w, taco__geo_column *g)
{
    taco_field *f = &w->fields[w->field_count];
    taco_field *sides = (taco_field *)taco__arena_array(&w->arena, 4, sizeof *sides, &w->err);
    size_t i;
    if (!sides) { return false; }
    memset(f, 0, sizeof *f);
    f->name = g->covering;
    f->type = TACO_STRUCT;
    f->nullable = true;
    f->children = sides;
    f->child_count = 4;
    for (i = 0; i < 4; i++) {
        sides[i].name = taco__geo_column_side_names[i];
        sides[i].type = TACO_DOUBLE;
        sides[i].width = 8;
        g->side[i].field = &sides[i];
        g->box[i].mem = &w->mem;
    }
    g->validity.mem = &w->mem;
    g->array.field = f;
    g->array.children = g->side;
    g->made = w->field_count++;
    return true;
}

/* Copies what the caller says of geometries, and adds the coverings that are to be made. */
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
        const taco_pq_geometry *from = &w->opt.geometries[i];
        taco__geo_column *g = &w->geo[i];
        const taco_field *f = taco__geo_column_find_field(w, from->column);
        if (!f || f->type != TACO_BINARY) {
            taco_bytes name = taco__bytes_text(from->column);
            TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "geometry column %q is no BINARY column", &name);
            return false;
        }
        g->column = (size_t)(f - w->fields);
        g->name = f->name;
        g->spherical = from->spherical;
        taco__wkb_summary_init(&g->sum);
        if ((from->crs &&
             !(g->crs = taco__arena_text(&w->arena, taco__bytes_text(from->crs), &w->err))) ||
            (from->covering && !(g->covering = taco__arena_text(
                                     &w->arena, taco__bytes_text(from->covering), &w->err)))) {
            return false;
        }
        w->geo_count = i + 1;
        f = taco__geo_column_find_field(w, from->covering);
        if (from->covering && !f ? !taco__geo_column_add_covering(w, g)
                                 : f && !taco__geo_column_is_covering(f)) {
            taco_bytes name = taco__bytes_text(from->covering);
            TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "covering column %q is no struct of xmin, ymin, xmax, ymax", &name);
            return false;
        }
    }
    return true;
}

static bool taco__geo_column_append_covering(taco_pq_writer *w, const char *covering,
                                             taco__buf *out)
{
    uint32_t i;
    bool good = taco__buf_append_text(out, ",\"covering\":{\"bbox\":{", &w->err);
    for (i = 0; good && i < 4; i++) {
        good = taco__buf_append_text(out, i ? ",\"" : "\"", &w->err) &&
               taco__buf_append_text(out, taco__geo_column_side_names[i], &w->err) &&
               taco__buf_append_text(out, "\":[", &w->err) &&
               taco__key_values_append_json(out, covering, &w->err) &&
               taco__buf_append_text(out, ",\"", &w->err) &&
               taco__buf_append_text(out, taco__geo_column_side_names[i], &w->err) &&
               taco__buf_append_text(out, "\"]", &w->err);
    }
    return good && taco__buf_append_text(out, "}}", &w->err);
}

/* geometry_types and bbox of GeoParquet 1.1; an empty list of types says that they are not
   known. */
static bool taco__geo_column_append_extent(const taco__geo_column *g, taco__buf *out,
                                           taco_error *err)
{
    static const char *const names[] = {
        "Point",           "LineString",   "Polygon",           "MultiPoint",
        "MultiLineString", "MultiPolygon", "GeometryCollection"};
    const taco__wkb_summary *s = &g->sum;
    uint32_t types = s->odd ? 0 : s->types;
    size_t i, k, sides = s->types >> 16 ? 3 : 2;
    bool good = taco__buf_append_text(out, ",\"geometry_types\":[", err), first = true;
    char text[32];
    for (i = 0; good && i < 14; i++) {
        if (types >> (i % 7 + 1 + i / 7 * 16) & 1) {
            good = taco__buf_append_text(out, first ? "\"" : ",\"", err) &&
                   taco__buf_append_text(out, names[i % 7], err) &&
                   taco__buf_append_text(out, i < 7 ? "\"" : " Z\"", err);
            first = false;
        }
    }
    good = good && taco__buf_append_char(out, ']', err);
    for (k = 0; k < sides; k++) {
        types = s->min[k] <= s->max[k] ? types : 0;
    }
    /* edges of great circles reach beyond their ends */
    if (!good || types == 0 || g->spherical) { return good; }
    good = taco__buf_append_text(out, ",\"bbox\":[", err);
    for (i = 0; good && i < 2 * sides; i++) {
        double x = i < sides ? s->min[i] : s->max[i - sides];
        good = (i == 0 || taco__buf_append_char(out, ',', err)) &&
               taco__buf_append(out, text, taco__num_format_f64(text, x), err);
    }
    return good && taco__buf_append_char(out, ']', err);
}

/* The "geo" key of GeoParquet 1.1. */
TACO__FN bool taco__geo_column_write_key(taco_pq_writer *w)
{
    taco__buf *out = &w->body;
    taco_error *err = &w->err;
    size_t i;
    bool good = true;
    out->len = 0;
    for (i = 0; good && i < w->geo_count; i++) {
        const taco__geo_column *g = &w->geo[i];
        if (i == 0) {
            good = taco__buf_append_text(out, "{\"version\":\"1.1.0\",\"primary_column\":", err) &&
                   taco__key_values_append_json(out, g->name, err) &&
                   taco__buf_append_text(out, ",\"columns\":{", err);
        }
        good = good && (i == 0 || taco__buf_append_char(out, ',', err)) &&
               taco__key_values_append_json(out, g->name, err) &&
               taco__buf_append_text(out, ":{\"encoding\":\"WKB\"", err) &&
               taco__geo_column_append_extent(g, out, err) &&
               (!g->crs || (taco__buf_append_text(out, ",\"crs\":", err) &&
                            taco__buf_append_text(out, g->crs, err))) &&
               (!g->spherical || taco__buf_append_text(out, ",\"edges\":\"spherical\"", err)) &&
               (!g->covering || taco__geo_column_append_covering(w, g->covering, out)) &&
               taco__buf_append_char(out, '}', err);
    }
    return good &&
           (w->geo_count == 0 || (taco__buf_append_text(out, "}}", err) &&
                                  taco__key_values_add(w, taco__bytes_text("geo"),
                                                       taco__bytes_of(out->data, out->len))));
}

/* Looks at the geometries of rows [first, first + n), and makes their covering where it is ours to
   make. */
TACO__FN bool taco__geo_column_add_rows(taco_pq_writer *w, taco__geo_column *g, const taco_array *a,
                                        size_t first, size_t n)
{
    const taco_array *d = a->dictionary ? a->dictionary : a;
    size_t i, k;
    for (k = 0; g->made && k < 4; k++) {
        if (!taco__buf_reset(&g->box[k], n * sizeof(double), &w->err)) { return false; }
        g->side[k].v.any = g->box[k].data;
        g->side[k].length = n;
    }
    if (g->made) {
        if (!taco__buf_reset(&g->validity, TACO__BITMAP_BYTES(n), &w->err)) { return false; }
        memset(g->validity.data, 0, TACO__BITMAP_BYTES(n));
        g->array.validity = g->validity.data;
        g->array.length = n;
    }
    for (i = 0; i < n; i++) {
        double box[4] = {0, 0, 0, 0};
        size_t at = first + i;
        bool valid = !a->validity || taco__bitmap_get(a->validity, at);
        const int32_t *o;
        at = valid && a->dictionary ? (uint32_t)a->v.i32[at] : at;
        valid = valid && at < d->length;
        o = d->offsets + (valid ? at : 0);
        valid = valid && o[0] >= 0 &&
                o[1] >= o[0] && /* what is not is refused when the value is taken */
                taco__wkb_summary_add(&g->sum,
                                      taco__bytes_of(d->v.u8 + o[0], (size_t)(o[1] - o[0])), box);
        if (g->made && valid) { taco__bitmap_set(g->validity.data, i); }
        for (k = 0; g->made && k < 4; k++) {
            memcpy(g->box[k].data + i * sizeof(double), &box[k], sizeof(double));
        }
    }
    return true;
}

/* The array that a column beyond the caller's is made of. */
TACO__FN const taco_array *taco__geo_column_made_array(const taco_pq_writer *w, size_t column)
{
    size_t i;
    for (i = 0; w->geo[i].made != column; i++) {}
    return &w->geo[i].array;
}
