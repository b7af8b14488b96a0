/* raster_tile_index.c - rows as footprints: GeoJSON, and GDAL's raster tile index around it.. Spec:
   RFC 7946; GDAL "GTI -- GDAL Raster Tile Index" */
#include "publish.h"
#include "../base/base.h"
#include "../geo/geo.h"
#include "../dataset/dataset.h"

/* A mosaic has one CRS, that of its first tile. */
static bool taco__gti_check_crs(taco_footprints *f, taco_bytes crs, const char *column)
{
    taco_bytes before = taco__bytes_text(f->crs), name = taco__bytes_text(column);
    if (!f->crs) {
        f->crs = taco__arena_text(&f->arena, crs, &f->err);
        return f->crs != NULL;
    }
    if (taco__footprints_same_crs(before, crs)) { return true; }
    TACO__FAIL(&f->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
               "a tile in %q, the tiles before are in %q: a tile index has one CRS, filter by %q, "
               "or name a geometry column of polygons in one CRS",
               &crs, &before, &name);
    return taco__footprints_fail(f);
}

static void taco__gti_extend(taco_footprints *f, const double box[4])
{
    size_t k;
    for (k = 0; k < 4; k++) {
        bool more = k < 2 ? box[k] < f->box[k] : box[k] > f->box[k];
        f->box[k] = f->written == 0 || more ? box[k] : f->box[k];
    }
}

/* GDAL 3.10 leaves a window empty when a tile that only touches its edge comes before the tile that
   fills it. So in an index the tiles lie apart, by a part of a pixel on each side. The extent of
   the mosaic is told as it is. */
#define TACO__GTI_INSET 1024

/* The footprint of a tile in the CRS of the mosaic; *none where the row has none. */
TACO__FN bool taco__gti_add_tile(taco_footprints *f, const taco_batch *b, size_t i, bool *none)
{
    taco__footprints_tile t;
    taco_bytes wkb = taco__footprints_cell(f, b, i, TACO__FOOTPRINTS_GEOMETRY), crs;
    double box[4];
    size_t k;
    bool finite, empty;
    *none = false;
    if (taco__footprints_tile_of_row(f, b, i, &t)) {
        if (t.rotated) {
            TACO__FAIL(&f->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "the tile's stac:geotransform is rotated: a tile index wants tiles whose "
                       "rows run east");
            return taco__footprints_fail(f);
        }
        for (k = 0; k < 2; k++) {
            box[k] = TACO__MIN(t.xy[k], t.xy[4 + k]);
            box[2 + k] = TACO__MAX(t.xy[k], t.xy[4 + k]);
            f->pixel[k] = f->pixel[k] > 0 && f->pixel[k] < t.pixel[k] ? f->pixel[k] : t.pixel[k];
        }
        taco__gti_extend(f, box);
        return taco__gti_check_crs(f, t.crs, f->name[TACO__FOOTPRINTS_CRS]) &&
               taco__buf_append_text(&f->geometry,
                                     "{\"type\":\"Polygon\",\"coordinates\":", &f->err) &&
               taco__geojson_write_box(&f->geometry, box[0] + t.pixel[0] / TACO__GTI_INSET,
                                       box[1] + t.pixel[1] / TACO__GTI_INSET,
                                       box[2] - t.pixel[0] / TACO__GTI_INSET,
                                       box[3] - t.pixel[1] / TACO__GTI_INSET, &f->err) &&
               taco__buf_append_char(&f->geometry, '}', &f->err);
    }
    *none = true;
    if (!wkb.len) { return true; }
    if (!taco__geojson_write_wkb(&f->geometry, wkb, &finite, &empty, &f->err) ||
        taco__wkb_bounds(wkb, box, &empty, &f->err) != TACO_OK) {
        return f->err.code == TACO_OK || taco__footprints_fail(f);
    }
    if (empty || !finite || !(box[0] < box[2]) || !(box[1] < box[3])) {
        return true; /* a point is no tile */
    }
    *none = false;
    taco__gti_extend(f, box);
    crs = taco__footprints_cell(f, b, i, TACO__FOOTPRINTS_GEOMETRY_CRS);
    return taco__gti_check_crs(
        f, crs.len ? crs : taco__bytes_text("EPSG:4326"),
        f->name[f->name[TACO__FOOTPRINTS_GEOMETRY_CRS] ? TACO__FOOTPRINTS_GEOMETRY_CRS
                                                       : TACO__FOOTPRINTS_GEOMETRY]);
}

/* Appends text with what XML would take for markup escaped. */
TACO__FN bool taco__gti_append_escaped(taco__buf *out, taco_bytes b, taco_error *err)
{
    size_t i, from = 0;
    for (i = 0; i <= b.len; i++) {
        const char *e = i == b.len         ? ""
                        : b.data[i] == '&' ? "&amp;"
                        : b.data[i] == '<' ? "&lt;"
                        : b.data[i] == '>' ? "&gt;"
                                           : NULL;
        if (e) {
            if (!taco__buf_append(out, b.data + from, i - from, err) ||
                !taco__buf_append_text(out, e, err)) {
                return false;
            }
            from = i + 1;
        }
    }
    return true;
}

/* ---- the document
   --------------------------------------------------------------------------------- */

TACO__FN bool taco__gti_begin(taco_footprints *f)
{
    f->begun = true;
    /* GDAL takes an index that begins like GeoJSON for the text itself, not for a file name */
    return (f->format == TACO_FOOTPRINTS_GEOJSON ||
            taco__buf_append_text(&f->text, "<GDALTileIndexDataset>\n<IndexDataset>", &f->err)) &&
           taco__buf_append_text(&f->text, "{\"type\":\"FeatureCollection\",\"features\":[",
                                 &f->err);
}

static bool taco__gti_write_element(taco_footprints *f, const char *name, double x)
{
    return taco__buf_append_char(&f->text, '<', &f->err) &&
           taco__buf_append_text(&f->text, name, &f->err) &&
           taco__buf_append_char(&f->text, '>', &f->err) &&
           taco__geojson_write_number(&f->text, x, &f->err) &&
           taco__buf_append_text(&f->text, "</", &f->err) &&
           taco__buf_append_text(&f->text, name, &f->err) &&
           taco__buf_append_text(&f->text, ">\n", &f->err);
}

/* Resolution and extent are told where every tile said its own: GDAL would open a tile for them. */
TACO__FN bool taco__gti_end(taco_footprints *f)
{
    static const char *const names[] = {"MinX", "MinY", "MaxX", "MaxY"};
    size_t k;
    bool ok = taco__buf_append_text(&f->text, "\n]}", &f->err);
    if (f->format == TACO_FOOTPRINTS_GEOJSON) {
        return ok && taco__buf_append_char(&f->text, '\n', &f->err);
    }
    if (f->written == 0) {
        TACO__FAIL(&f->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                   "no tiles: %u of %u rows are FOLDERs, %u have no footprint (stac:geotransform, "
                   "stac:tensor_shape and stac:crs, or a polygon)",
                   f->folders, f->row, f->empty);
        return taco__container_fail(&f->ds->stores[0], NULL, &f->err);
    }
    ok = ok &&
         taco__buf_append_text(&f->text,
                               "</IndexDataset>\n<LocationField>location</LocationField>\n<SRS>",
                               &f->err) &&
         taco__gti_append_escaped(&f->text, taco__bytes_text(f->crs), &f->err) &&
         taco__buf_append_text(&f->text, "</SRS>\n", &f->err);
    if (ok && f->pixel[0] > 0) {
        ok = taco__gti_write_element(f, "ResX", f->pixel[0]) &&
             taco__gti_write_element(f, "ResY", f->pixel[1]);
        for (k = 0; ok && k < 4; k++) {
            ok = taco__gti_write_element(f, names[k], f->box[k]);
        }
    }
    return ok && taco__buf_append_text(&f->text, "</GDALTileIndexDataset>\n", &f->err);
}
