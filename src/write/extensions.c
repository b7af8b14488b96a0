/* extensions.c - columns of STAC, ISTAC, split and scaling, and their centroids

   In: the values of an extension for one sample (taco_stac, taco_istac, ...); out: the
   extension's columns declared and set through the public writer. TACO 2.0 §8.

   Centroids: for a raster the middle by the geotransform, without rotation as in the reference;
   for a geometry the centroid of its areas, else of its lines, else of its points, in its own CRS,
   then converted (geo/projection.c). time_middle is rounded down. For pixels see band_statistics.c,
   for fields of the collection collection_members.c. */
#include "write.h"
#include "../base/base.h"
#include "../base/json.h"
#include "../geo/geo.h"
#include "../tiff/tiff.h"
#include "../validate/validate.h"

/* ---- longitude and latitude ---- */

/* Longitude and latitude of a point: computed, else by fn (may be NULL). UNSUPPORTED for other
   CRSs, CORRUPT if they are not finite or not on the globe. */
TACO__FN taco_status taco__extension_lonlat(const char *crs, double x, double y, taco_lonlat_fn fn,
                                            void *ctx, double out[2], taco_error *err)
{
    const double most = 1e9;
    taco_bytes name = taco__bytes_text(crs ? crs : "");
    bool ok;
    if (!(x > -most && x < most && y > -most && y < most)) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                          "the centroid is not a finite point of %q", &name);
    }
    ok = crs && taco__projection_inverse(taco__projection_epsg_code(crs), x, y, out);
    if (!ok && !(crs && fn && fn(ctx, crs, x, y, out))) {
        return TACO__FAIL(
            err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
            "longitude and latitude in %q are not computed here: UTM, web mercator and "
            "geographic CRSs are, others by a function of the caller's",
            &name);
    }
    if (!taco__projection_clamp(out)) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                          "a centroid in %q is outside of -180 to 180 and -90 to 90 degrees",
                          &name);
    }
    return TACO_OK;
}

TACO_API taco_status taco_lonlat(const char *crs, double x, double y, double out[2],
                                 taco_error *err)
{
    err = taco__error_fresh(err, NULL);
    return taco__extension_lonlat(crs, x, y, NULL, NULL, out, err);
}

/* ---- centroids
   ------------------------------------------------------------------------------------ */

/* Sums of points, lengths and areas, relative to `origin`, the first point. */
typedef struct taco__extension_sums {
    double origin[2], area, ax, ay, length, lx, ly, points, px, py;
    bool any;
    /* longitudes take the shorter way from one point to the next, possibly over the antimeridian,
       and likewise from the very first point to that of each part */
    bool around;
} taco__extension_sums;

/* A longitude relative to the origin, moved by whole turns as close as possible to `near`. */
static double taco__extension_turned(double x, double near)
{
    while (x - near > 180) {
        x -= 360;
    }
    while (x - near < -180) {
        x += 360;
    }
    return x;
}

/* Adds a run of points (a ring, a line, a point) to the sums. Coordinates are relative to the very
   first point, so that small shapes far from the origin keep their digits. Areas by the shoelace
   formula. */
static void taco__extension_sum_run(taco__extension_sums *m, const taco__wkb_item *run)
{
    double area = 0, cx = 0, cy = 0, x0 = 0, y0 = 0;
    size_t i;
    for (i = 0; i < run->n; i++) {
        double x = taco__wkb_coordinate(run->xy + i * run->stride, run->big);
        double y = taco__wkb_coordinate(run->xy + i * run->stride + 8, run->big);
        if (!m->any) {
            m->origin[0] = x;
            m->origin[1] = y;
            m->any = true;
        }
        x -= m->origin[0];
        y -= m->origin[1];
        /* not in degrees: it has no position, and would take many turns */
        if (m->around && x > -1e4 && x < 1e4) { x = taco__extension_turned(x, i ? x0 : 0); }
        m->points += 1;
        m->px += x;
        m->py += y;
        if (i && run->type != 1) {
            double cross = x0 * y - x * y0, dx = x - x0, dy = y - y0;
            double len = taco__math_sqrt(dx * dx + dy * dy);
            area += cross / 2;
            cx += (x0 + x) * cross / 6;
            cy += (y0 + y) * cross / 6;
            m->length += len;
            m->lx += len * (x0 + x) / 2;
            m->ly += len * (y0 + y) / 2;
        }
        x0 = x;
        y0 = y;
    }
    if (run->type == 3) { /* shells add, holes subtract, whatever their orientation */
        double sign = (area < 0) == (run->index > 0) ? 1 : -1;
        m->area += sign * area;
        m->ax += sign * cx;
        m->ay += sign * cy;
    }
}

/* Centroid of a geometry: of its area if it has one, else of its length, else of its points.
   CORRUPT if it is empty. */
static taco_status taco__extension_wkb_centroid(taco_bytes wkb, bool around, double out[2],
                                                taco_error *err)
{
    taco__wkb_reader w;
    taco__wkb_item item;
    taco__extension_sums m;
    memset(&m, 0, sizeof m);
    m.around = around;
    taco__wkb_reader_init(&w, wkb);
    for (;;) {
        taco_status st = taco__wkb_next(&w, &item, err);
        if (st != TACO_OK) { return st; }
        if (item.what == TACO__WKB_DONE) { break; }
        if (item.what == TACO__WKB_RUN) { taco__extension_sum_run(&m, &item); }
    }
    if (!m.any || taco__f64_is_nan(m.points) || taco__f64_is_nan(m.px) || taco__f64_is_nan(m.py)) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "the geometry is empty");
    }
    if (m.area > 0 || m.area < 0) {
        out[0] = m.ax / m.area;
        out[1] = m.ay / m.area;
    } else if (m.length > 0) {
        out[0] = m.lx / m.length;
        out[1] = m.ly / m.length;
    } else {
        out[0] = m.px / m.points;
        out[1] = m.py / m.points;
    }
    out[0] += m.origin[0];
    out[1] += m.origin[1];
    if (around && out[0] > -1e4 && out[0] < 1e4) { out[0] = taco__extension_turned(out[0], 0); }
    return TACO_OK;
}

/* ARGUMENT for NULL. */
static bool taco__extension_check_given(const void *values, taco_error *err)
{
    if (!values) { TACO__FAIL_SOFT(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no values given"); }
    return values != NULL;
}

TACO_API taco_status taco_stac_centroid(const taco_stac *s, double out[2], taco_error *err)
{
    const double *g = s ? s->geotransform : NULL;
    err = taco__error_fresh(err, NULL);
    if (!taco__extension_check_given(s, err)) { return TACO_ERR_ARGUMENT; }
    if (s->centroid) {
        out[0] = s->centroid[0];
        out[1] = s->centroid[1];
        return TACO_OK;
    }
    if (!s->shape || s->dimensions < 2) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "a tensor shape has rows and columns, %u sizes are given",
                          TACO__U(s->dimensions));
    }
    return taco__extension_lonlat(s->crs, g[0] + (double)s->shape[s->dimensions - 1] / 2 * g[1],
                                  g[3] + (double)s->shape[s->dimensions - 2] / 2 * g[5], s->lonlat,
                                  s->lonlat_ctx, out, err);
}

TACO_API taco_status taco_istac_centroid(const taco_istac *s, double out[2], taco_error *err)
{
    double xy[2] = {0, 0};
    err = taco__error_fresh(err, NULL);
    if (!taco__extension_check_given(s, err)) { return TACO_ERR_ARGUMENT; }
    if (s->centroid) {
        out[0] = s->centroid[0];
        out[1] = s->centroid[1];
        return TACO_OK;
    }
    if (taco__extension_wkb_centroid(
            s->geometry,
            s->antimeridian && s->crs &&
                taco__projection_is_geographic(taco__projection_epsg_code(s->crs)),
            xy, err) != TACO_OK) {
        taco__error_prefix(err, "istac:geometry");
        return err ? err->code : TACO_ERR_CORRUPT;
    }
    return taco__extension_lonlat(s->crs, xy[0], xy[1], s->lonlat, s->lonlat_ctx, out, err);
}

/* crs and shape point into t. UNSUPPORTED without a CRS code or georeferencing. */
TACO_API taco_status taco_stac_tiff(const taco_tiff *t, taco_stac *out, taco_error *err)
{
    const taco_tiff_header *h = taco_tiff_get(t);
    err = taco__error_fresh(err, NULL);
    memset(out, 0, sizeof *out);
    if (!h) { return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no TIFF given"); }
    if (!h->crs[0] || !h->has_geotransform) {
        return TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET, "%s: no %s", t->name,
                          h->crs[0] ? "georeferencing" : "CRS with a code");
    }
    out->crs = h->crs;
    out->shape = h->shape;
    out->dimensions = 3;
    memcpy(out->geotransform, h->geotransform, sizeof out->geotransform);
    return TACO_OK;
}

/* ---- columns of the writer
   ------------------------------------------------------------------------ */

/* A point as WKB, little-endian: 1, type 1, x, y. */
TACO__FN void taco__extension_write_wkb_point(const double xy[2], uint8_t wkb[21])
{
    memset(wkb, 0, 21);
    wkb[0] = wkb[1] = 1;
    taco__put_le64(wkb + 5, taco__f64_to_bits(xy[0]));
    taco__put_le64(wkb + 13, taco__f64_to_bits(xy[1]));
}

/* The middle of two times, rounded down, without overflow. */
TACO__FN int64_t taco__extension_middle(int64_t a, int64_t b)
{
    return taco__time_floor_div(a, 2) + taco__time_floor_div(b, 2) + ((a & 1) + (b & 1)) / 2;
}

/* Sets start, end and middle; without an end the latter two are null. */
static taco_status taco__extension_set_times(taco_writer *w, const char *prefix, int64_t start,
                                             int64_t end, bool has_end)
{
    char name[32];
    size_t n = strlen(prefix);
    memcpy(name, prefix, n);
    memcpy(name + n, "time_start", 11);
    taco_writer_set_int(w, name, start);
    memcpy(name + n, "time_end", 9);
    has_end ? taco_writer_set_int(w, name, end) : taco_writer_set_null(w, name);
    memcpy(name + n, "time_middle", 12);
    return has_end ? taco_writer_set_int(w, name, taco__extension_middle(start, end))
                   : taco_writer_set_null(w, name);
}

TACO_API taco_status taco_writer_stac_columns(taco_writer *w, uint32_t level)
{
    taco_writer_column(w, level, "stac:crs", TACO_TEXT);
    taco_writer_list(w, level, "stac:tensor_shape", TACO_INT64);
    taco_writer_list(w, level, "stac:geotransform", TACO_DOUBLE);
    taco_writer_column(w, level, "stac:time_start", TACO_TIMESTAMP);
    taco_writer_column(w, level, "stac:centroid", TACO_BINARY);
    taco_writer_column(w, level, "stac:time_end", TACO_TIMESTAMP);
    return taco_writer_column(w, level, "stac:time_middle", TACO_TIMESTAMP);
}

/* Failures of single columns stay in the writer; the last call returns its status. */
TACO_API taco_status taco_writer_set_stac(taco_writer *w, const taco_stac *s, taco_error *err)
{
    double xy[2];
    uint8_t wkb[21];
    taco_status st;
    err = taco__error_fresh(err, NULL);
    if (!taco__extension_check_given(s, err) ||
        (s->has_end && taco__column_rule_check_times(s->time_start, s->time_end, err) != TACO_OK)) {
        return TACO_ERR_ARGUMENT;
    }
    st = taco_stac_centroid(s, xy, err);
    if (st != TACO_OK) { return st; }
    taco__extension_write_wkb_point(xy, wkb);
    taco_writer_set_text(w, "stac:crs", s->crs);
    taco_writer_set_ints(w, "stac:tensor_shape", s->shape, s->dimensions);
    taco_writer_set_doubles(w, "stac:geotransform", s->geotransform, 6);
    taco_writer_set_bytes(w, "stac:centroid", wkb, sizeof wkb);
    return taco__extension_set_times(w, "stac:", s->time_start, s->time_end, s->has_end);
}

TACO_API taco_status taco_writer_istac_columns(taco_writer *w, uint32_t level)
{
    taco_writer_column(w, level, "istac:crs", TACO_TEXT);
    taco_writer_column(w, level, "istac:geometry", TACO_BINARY);
    taco_writer_column(w, level, "istac:time_start", TACO_TIMESTAMP);
    taco_writer_column(w, level, "istac:time_end", TACO_TIMESTAMP);
    taco_writer_column(w, level, "istac:time_middle", TACO_TIMESTAMP);
    return taco_writer_column(w, level, "istac:centroid", TACO_BINARY);
}

/* Failures of single columns stay in the writer; the last call returns its status. */
TACO_API taco_status taco_writer_set_istac(taco_writer *w, const taco_istac *s, taco_error *err)
{
    double xy[2];
    uint8_t wkb[21];
    taco_status st;
    err = taco__error_fresh(err, NULL);
    if (!taco__extension_check_given(s, err) ||
        (s->has_end && taco__column_rule_check_times(s->time_start, s->time_end, err) != TACO_OK)) {
        return TACO_ERR_ARGUMENT;
    }
    st = taco_istac_centroid(s, xy, err);
    if (st != TACO_OK) { return st; }
    taco__extension_write_wkb_point(xy, wkb);
    taco_writer_set_text(w, "istac:crs", s->crs);
    taco_writer_set_bytes(w, "istac:geometry", s->geometry.data, s->geometry.len);
    taco_writer_set_bytes(w, "istac:centroid", wkb, sizeof wkb);
    return taco__extension_set_times(w, "istac:", s->time_start, s->time_end, s->has_end);
}

TACO_API taco_status taco_writer_set_split(taco_writer *w, const char *split, taco_error *err)
{
    err = taco__error_fresh(err, NULL);
    taco_status st = taco__column_rule_check_split(taco__bytes_text(split ? split : ""), err);
    return st == TACO_OK ? taco_writer_set_text(w, "split", split) : st;
}

TACO_API taco_status taco_writer_scaling_columns(taco_writer *w, uint32_t level, bool lists)
{
    if (lists) {
        taco_writer_list(w, level, "scaling:scale_factor", TACO_FLOAT);
        taco_writer_list(w, level, "scaling:scale_offset", TACO_FLOAT);
    } else {
        taco_writer_column(w, level, "scaling:scale_factor", TACO_FLOAT);
        taco_writer_column(w, level, "scaling:scale_offset", TACO_FLOAT);
    }
    return taco_writer_list(w, level, "scaling:padding", TACO_INT32);
}

/* Sets a factor or offset, as a list or as a number; null if v is NULL. */
static taco_status taco__extension_set_scale(taco_writer *w, const char *name, const double *v,
                                             size_t n, bool lists)
{
    return !v      ? taco_writer_set_null(w, name)
           : lists ? taco_writer_set_doubles(w, name, v, n)
                   : taco_writer_set_double(w, name, v[0]);
}

/* Either `lists` of n numbers each, or one number each. */
TACO_API taco_status taco_writer_set_scaling(taco_writer *w, const double *factors,
                                             const double *offsets, size_t n, bool lists,
                                             const int32_t padding[4], taco_error *err)
{
    int64_t wide[4];
    size_t i;
    err = taco__error_fresh(err, NULL);
    for (i = 0; factors && i < n; i++) {
        taco_status st = taco__column_rule_check_factor(factors[i], err);
        if (st != TACO_OK) { return st; }
    }
    if (n == 0 || (!lists && n != 1)) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%u factors for columns of %s",
                          TACO__U(n), lists ? "lists" : "one each");
    }
    for (i = 0; padding && i < 4; i++) {
        wide[i] = padding[i];
    }
    taco__extension_set_scale(w, "scaling:scale_factor", factors, n, lists);
    taco__extension_set_scale(w, "scaling:scale_offset", offsets, n, lists);
    return padding ? taco_writer_set_ints(w, "scaling:padding", wide, 4)
                   : taco_writer_set_null(w, "scaling:padding");
}
