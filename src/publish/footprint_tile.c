/* footprint_tile.c - the corners of a row's tile, from GDAL's geotransform and the tensor's shape

   In: the columns stac:geotransform, stac:tensor_shape and stac:crs of a row; out: a
   taco__footprints_tile. A geotransform g takes column c and row r of the pixels to the point
   (g0 + c g1 + r g2, g3 + c g4 + r g5); the last two sizes of the shape are rows and columns. */
#include "publish.h"
#include "../base/base.h"

/* The six numbers of the geotransform; false when they are not six finite ones. */
static bool taco__footprint_tile_read_transform(const taco_array *a, size_t i, double g[6])
{
    size_t k, first = (size_t)a->offsets[i];
    if (!taco_array_valid(a, i) || a->offsets[i + 1] - a->offsets[i] != 6) { return false; }
    for (k = 0; k < 6; k++) {
        g[k] = taco_array_double(a->children, first + k);
        if (!taco_array_valid(a->children, first + k) || !taco__geojson_is_finite(g[k])) {
            return false;
        }
    }
    return true;
}

/* Rows and columns; false when there are not two positive sizes. */
static bool taco__footprint_tile_read_size(const taco_array *a, size_t i, double size[2])
{
    size_t k, first = (size_t)a->offsets[i + 1] - 2;
    if (!taco_array_valid(a, i) || a->offsets[i + 1] - a->offsets[i] < 2) { return false; }
    for (k = 0; k < 2; k++) {
        size[k] = taco_array_double(a->children, first + k);
        if (!taco_array_valid(a->children, first + k) || !(size[k] > 0)) { return false; }
    }
    return true;
}

/* The corners: first row and column, then around. False where one is beyond the numbers. */
static bool taco__footprint_tile_corners(const double g[6], const double size[2], double xy[8])
{
    size_t k;
    for (k = 0; k < 4; k++) {
        double column = k == 1 || k == 2 ? size[1] : 0, row = k >= 2 ? size[0] : 0;
        xy[2 * k] = g[0] + column * g[1] + row * g[2];
        xy[2 * k + 1] = g[3] + column * g[4] + row * g[5];
        if (!taco__geojson_is_finite(xy[2 * k]) || !taco__geojson_is_finite(xy[2 * k + 1])) {
            return false;
        }
    }
    return true;
}

TACO__FN bool taco__footprint_tile_of_row(const taco_footprints *f, const taco_batch *b, size_t i,
                                          taco__footprints_tile *t)
{
    const size_t *at = f->columns.at;
    const taco_array *crs;
    double g[6], size[2];
    if (at[TACO__FOOTPRINT_TRANSFORM] == TACO__NONE) { return false; }
    crs = &b->columns[at[TACO__FOOTPRINT_CRS]];
    if (!taco_array_valid(crs, i) ||
        !taco__footprint_tile_read_transform(&b->columns[at[TACO__FOOTPRINT_TRANSFORM]], i, g) ||
        !taco__footprint_tile_read_size(&b->columns[at[TACO__FOOTPRINT_SHAPE]], i, size) ||
        !taco__footprint_tile_corners(g, size, t->xy)) {
        return false;
    }
    t->rotated = g[2] != 0 || g[4] != 0;
    t->pixel[0] = g[1] < 0 ? -g[1] : g[1];
    t->pixel[1] = g[5] < 0 ? -g[5] : g[5];
    t->crs = taco_array_bytes(crs, i);
    return t->crs.len && (t->rotated || (t->pixel[0] > 0 && t->pixel[1] > 0));
}

TACO__FN bool taco__footprint_tile_same_crs(taco_bytes a, taco_bytes b)
{
    size_t i;
    for (i = 0; a.len == b.len && i < a.len; i++) {
        if (taco__ascii_lower(a.data[i]) != taco__ascii_lower(b.data[i])) { return false; }
    }
    return a.len == b.len;
}

/* CRSs in longitude and latitude whose coordinates GeoJSON takes as they are (RFC 7946 4). */
TACO__FN bool taco__footprint_tile_is_degrees(taco_bytes crs)
{
    return taco__footprint_tile_same_crs(crs, taco__bytes_text("EPSG:4326")) ||
           taco__footprint_tile_same_crs(crs, taco__bytes_text("OGC:CRS84"));
}
