/* raster_tile_index.c - a GDAL raster tile index: the tiles of one CRS as a mosaic

   In: the rows of a taco_footprints whose format is GTI; out: an XML document (GDAL "GTI -- GDAL
   Raster Tile Index") that holds the index itself, as GeoJSON in <IndexDataset>, and after it the
   CRS, resolution and extent of the mosaic, so that GDAL does not have to open a tile for them. The
   document around plain GeoJSON is also made here.

   Call taco__gti_begin, then taco__gti_add_tile for each row, then taco__gti_end. */
#include "publish.h"
#include "../base/base.h"
#include "../geo/geo.h"
#include "../dataset/dataset.h"

/* A mosaic has one CRS, that of its first tile. */
static bool taco__gti_check_crs(taco_footprints *f, taco_bytes crs, const char *column)
{
    taco_bytes before = taco__bytes_text(f->mosaic.crs), name = taco__bytes_text(column);
    if (!f->mosaic.crs) {
        f->mosaic.crs = taco__arena_text(&f->arena, crs, &f->err);
        return f->mosaic.crs != NULL;
    }
    if (taco__footprint_tile_same_crs(before, crs)) { return true; }
    TACO__FAIL(&f->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
               "a tile in %q, the tiles before are in %q: a tile index has one CRS, filter by %q, "
               "or name a geometry column of polygons in one CRS",
               &crs, &before, &name);
    return taco__footprints_fail(f);
}

/* Extends the extent of the mosaic by a tile. */
static void taco__gti_extend(taco_footprints *f, const double box[4])
{
    size_t k;
    for (k = 0; k < 4; k++) {
        bool more = k < 2 ? box[k] < f->mosaic.box[k] : box[k] > f->mosaic.box[k];
        f->mosaic.box[k] = f->counts.written == 0 || more ? box[k] : f->mosaic.box[k];
    }
}

/* GDAL 3.10 leaves a window empty when a tile that only touches its edge comes before the tile that
   fills it. So tiles in an index are shrunk by a fraction of a pixel on each side. The extent of
   the mosaic is exact. */
#define TACO__GTI_INSET 1024

/* Adds the footprint of a row with a tile grid. */
static bool taco__gti_add_grid(taco_footprints *f, const taco__footprints_tile *t)
{
    taco__buf *out = &f->geometry;
    double box[4], inset[2], *pixel = f->mosaic.pixel;
    size_t k;
    if (t->rotated) {
        TACO__FAIL(&f->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "the tile's stac:geotransform is rotated: a tile index needs tiles whose "
                   "rows run east");
        return taco__footprints_fail(f);
    }
    for (k = 0; k < 2; k++) {
        box[k] = TACO__MIN(t->xy[k], t->xy[4 + k]);
        box[2 + k] = TACO__MAX(t->xy[k], t->xy[4 + k]);
        inset[k] = t->pixel[k] / TACO__GTI_INSET;
        pixel[k] = pixel[k] > 0 && pixel[k] < t->pixel[k] ? pixel[k] : t->pixel[k];
    }
    taco__gti_extend(f, box);
    return taco__gti_check_crs(f, t->crs, f->columns.name[TACO__FOOTPRINT_CRS]) &&
           taco__buf_append_text(out, "{\"type\":\"Polygon\",\"coordinates\":", &f->err) &&
           taco__geojson_write_box(out, box[0] + inset[0], box[1] + inset[1], box[2] - inset[0],
                                   box[3] - inset[1], &f->err) &&
           taco__buf_append_char(out, '}', &f->err);
}

/* Adds the footprint of a row with a geometry; points and lines do not count. */
static bool taco__gti_add_geometry(taco_footprints *f, const taco_batch *b, size_t i, bool *none)
{
    taco_bytes wkb = taco__footprint_columns_cell(f, b, i, TACO__FOOTPRINT_GEOMETRY);
    taco_bytes crs = taco__footprint_columns_cell(f, b, i, TACO__FOOTPRINT_GEOMETRY_CRS);
    const char *const *name = f->columns.name;
    double box[4];
    bool finite, empty;
    *none = true;
    if (!wkb.len) { return true; }
    if (!taco__geojson_write_wkb(&f->geometry, wkb, &finite, &empty, &f->err) ||
        taco__wkb_bounds(wkb, box, &empty, &f->err) != TACO_OK) {
        return f->err.code == TACO_OK || taco__footprints_fail(f);
    }
    *none = empty || !finite || !(box[0] < box[2]) || !(box[1] < box[3]);
    if (*none) { return true; }
    taco__gti_extend(f, box);
    return taco__gti_check_crs(
        f, crs.len ? crs : taco__bytes_text("EPSG:4326"),
        name[name[TACO__FOOTPRINT_GEOMETRY_CRS] ? TACO__FOOTPRINT_GEOMETRY_CRS
                                                : TACO__FOOTPRINT_GEOMETRY]);
}

TACO__FN bool taco__gti_add_tile(taco_footprints *f, const taco_batch *b, size_t i, bool *none)
{
    taco__footprints_tile t;
    *none = false;
    return taco__footprint_tile_of_row(f, b, i, &t) ? taco__gti_add_grid(f, &t)
                                                    : taco__gti_add_geometry(f, b, i, none);
}

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

/* ---- the document ---- */

/* GDAL takes an <IndexDataset> that begins like GeoJSON as the index itself, not as a file name. */
TACO__FN bool taco__gti_begin(taco_footprints *f)
{
    f->begun = true;
    return (f->format == TACO_FOOTPRINTS_GEOJSON ||
            taco__buf_append_text(&f->text, "<GDALTileIndexDataset>\n<IndexDataset>", &f->err)) &&
           taco__buf_append_text(&f->text, "{\"type\":\"FeatureCollection\",\"features\":[",
                                 &f->err);
}

/* <name>x</name>. */
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

/* Writes resolution and extent, if every tile has them. */
static bool taco__gti_write_extent(taco_footprints *f)
{
    static const char *const names[] = {"MinX", "MinY", "MaxX", "MaxY"};
    const taco__gti_mosaic *m = &f->mosaic;
    size_t k;
    if (!(m->pixel[0] > 0)) { return true; }
    if (!taco__gti_write_element(f, "ResX", m->pixel[0]) ||
        !taco__gti_write_element(f, "ResY", m->pixel[1])) {
        return false;
    }
    for (k = 0; k < 4; k++) {
        if (!taco__gti_write_element(f, names[k], m->box[k])) { return false; }
    }
    return true;
}

/* Tiles are FILEs: appends the deepest level, which has only these. */
static void taco__gti_hint_files(taco_footprints *f)
{
    const uint32_t n = taco__container_level_count(&f->ds->stores[0]);
    if (n > 1) { taco__error_suffix(&f->err, "; FILEs are in --table l%u", TACO__U(n - 1)); }
}

/* A mosaic without tiles is an error; its message says what happened to the rows. */
static bool taco__gti_fail_empty(taco_footprints *f)
{
    TACO__FAIL(&f->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
               "no tiles: %u of %u rows are FOLDERs, %u have no footprint (stac:geotransform, "
               "stac:tensor_shape and stac:crs, or a polygon)",
               f->counts.folders, f->counts.rows, f->counts.empty);
    if (f->counts.folders) { taco__gti_hint_files(f); }
    return taco__container_fail(&f->ds->stores[0], NULL, &f->err);
}

TACO__FN bool taco__gti_end(taco_footprints *f)
{
    taco__buf *out = &f->text;
    if (f->format == TACO_FOOTPRINTS_GEOJSON) {
        return taco__buf_append_text(out, "\n]}\n", &f->err);
    }
    if (f->counts.written == 0) { return taco__gti_fail_empty(f); }
    return taco__buf_append_text(out,
                                 "\n]}</IndexDataset>\n<LocationField>location</LocationField>\n"
                                 "<SRS>",
                                 &f->err) &&
           taco__gti_append_escaped(out, taco__bytes_text(f->mosaic.crs), &f->err) &&
           taco__buf_append_text(out, "</SRS>\n", &f->err) && taco__gti_write_extent(f) &&
           taco__buf_append_text(out, "</GDALTileIndexDataset>\n", &f->err);
}
