/* footprint_tile.c - the corners of a row's tile, from GDAL's geotransform and the tensor's shape

   In: the columns stac:geotransform, stac:tensor_shape and stac:crs of a row; out: a
   taco__footprints_tile. A geotransform g takes column c and row r of the pixels to the point
   (g0 + c g1 + r g2, g3 + c g4 + r g5); the last two sizes of the shape are rows and columns. */
#include "publish.h"
#include "../base/base.h"
#include "../geo/geo.h"

/* The geotransform; false unless it has six finite numbers. stac: they are in the order of STAC,
   x = n0 c + n1 r + n2, y = n3 c + n4 r + n5. */
static bool taco__footprint_tile_read_transform(const taco_array *a, size_t i, bool stac,
                                                double g[6])
{
    static const uint8_t order[6] = {1, 2, 0, 4, 5, 3};
    size_t k, first = (size_t)a->offsets[i];
    if (!taco_array_valid(a, i) || a->offsets[i + 1] - a->offsets[i] != 6) { return false; }
    for (k = 0; k < 6; k++) {
        double d = taco_array_double(a->children, first + k);
        g[stac ? order[k] : k] = d;
        if (!taco_array_valid(a->children, first + k) || !taco__geojson_is_finite(d)) {
            return false;
        }
    }
    return true;
}

/* Rows and columns; false unless there are two positive sizes. */
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

/* The corners in order around the tile, from the first row and column. False if one is not
   finite. */
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

TACO__FN bool taco__footprint_tile_read(const taco_array *transform, const taco_array *shape,
                                        const taco_array *crs, bool stac, size_t i,
                                        taco__footprints_tile *t)
{
    double g[6], size[2];
    if (!taco_array_valid(crs, i) || !taco__footprint_tile_read_transform(transform, i, stac, g) ||
        !taco__footprint_tile_read_size(shape, i, size) ||
        !taco__footprint_tile_corners(g, size, t->xy)) {
        return false;
    }
    t->rotated = g[2] != 0 || g[4] != 0;
    t->pixel[0] = g[1] < 0 ? -g[1] : g[1];
    t->pixel[1] = g[5] < 0 ? -g[5] : g[5];
    t->crs = taco_array_bytes(crs, i);
    return t->crs.len && (t->rotated || (t->pixel[0] > 0 && t->pixel[1] > 0));
}

TACO__FN bool taco__footprint_tile_of_row(const taco_footprints *f, const taco_batch *b, size_t i,
                                          taco__footprints_tile *t)
{
    const size_t *at = f->columns.at;
    return at[TACO__FOOTPRINT_TRANSFORM] != TACO__NONE &&
           taco__footprint_tile_read(
               &b->columns[at[TACO__FOOTPRINT_TRANSFORM]], &b->columns[at[TACO__FOOTPRINT_SHAPE]],
               &b->columns[at[TACO__FOOTPRINT_CRS]], f->columns.stac_order, i, t);
}

TACO__FN bool taco__footprint_tile_same_crs(taco_bytes a, taco_bytes b)
{
    size_t i;
    for (i = 0; a.len == b.len && i < a.len; i++) {
        if (taco__ascii_lower(a.data[i]) != taco__ascii_lower(b.data[i])) { return false; }
    }
    return a.len == b.len;
}

/* Whether a CRS is longitude and latitude, whose coordinates GeoJSON takes as they are (RFC 7946
   4). */
TACO__FN bool taco__footprint_tile_is_degrees(taco_bytes crs)
{
    return taco__footprint_tile_same_crs(crs, taco__bytes_text("EPSG:4326")) ||
           taco__footprint_tile_same_crs(crs, taco__bytes_text("OGC:CRS84"));
}

/* The longitudes of a tile: the most western and the most eastern one. */
static void taco__footprint_tile_longitudes(const taco__footprints_tile *t, double *west,
                                            double *east)
{
    size_t k;
    *west = *east = t->xy[0];
    for (k = 2; k < 8; k += 2) {
        *west = TACO__MIN(*west, t->xy[k]);
        *east = TACO__MAX(*east, t->xy[k]);
    }
}

/* Replaces a tile that crosses the antimeridian by its bounding box, which writers can cut. Its
   longitudes become 0 to 360. */
static void taco__footprint_tile_box_over_180(taco__footprints_tile *t, double west, double east)
{
    const double turn = west < -180 ? 360 : 0;
    double south = t->xy[1], north = t->xy[1];
    size_t k;
    for (k = 3; k < 8; k += 2) {
        south = TACO__MIN(south, t->xy[k]);
        north = TACO__MAX(north, t->xy[k]);
    }
    t->xy[0] = t->xy[6] = west + turn;
    t->xy[2] = t->xy[4] = east + turn;
    t->xy[1] = t->xy[3] = north;
    t->xy[5] = t->xy[7] = south;
    t->rotated = false;
}

/* Moves a tile in degrees that is partly or entirely beyond 180 or -180 back to the globe: by a
   turn, or as a box, if it lies on both sides. False if it is wider than the globe. */
static bool taco__footprint_tile_wrap(taco__footprints_tile *t)
{
    double west, east;
    size_t k;
    taco__footprint_tile_longitudes(t, &west, &east);
    if (east - west > 360) { return false; }
    if (west >= 180 || east <= -180) {
        for (k = 0; k < 8; k += 2) {
            t->xy[k] += west >= 180 ? -360 : 360;
        }
    } else if (west < -180 || east > 180) {
        taco__footprint_tile_box_over_180(t, west, east);
    }
    return true;
}

/* Converts the corners of a tile to longitude and latitude if its CRS is UTM, web mercator or
   geographic; false for other CRSs, or if a corner is not on the globe. The sides stay straight
   lines: for a tile of 10 km the error is at most a metre. Tiles of UTM cross the antimeridian; of
   other CRSs they end there, some with numbers that are rounded to a metre. */
TACO__FN bool taco__footprint_tile_to_degrees(taco__footprints_tile *t)
{
    char crs[64];
    double out[2], most;
    int32_t code;
    size_t k;
    if (taco__footprint_tile_is_degrees(t->crs)) { return true; }
    if (t->crs.len >= sizeof crs) { return false; }
    memcpy(crs, t->crs.data, t->crs.len);
    crs[t->crs.len] = 0;
    code = taco__projection_epsg_code(crs);
    most = taco__projection_is_utm(code) ? 540 : 180.001;
    for (k = 0; k < 8; k += 2) {
        if (!taco__projection_inverse_unwrapped(code, t->xy[k], t->xy[k + 1], out) ||
            !(out[0] >= -most && out[0] <= most && out[1] >= -90.001 && out[1] <= 90.001)) {
            return false;
        }
        if (most < 360) { out[0] = TACO__MAX(-180, TACO__MIN(180, out[0])); }
        t->xy[k] = out[0];
        t->xy[k + 1] = TACO__MAX(-90, TACO__MIN(90, out[1]));
    }
    t->rotated = true; /* its sides are not parallels */
    return taco__footprint_tile_wrap(t);
}

/* Appends a WKB polygon (ISO 19125: little-endian, type 3, one ring of five points). */
static bool taco__footprint_tile_write_ring(const double xy[8], taco__buf *out, taco_error *err)
{
    static const uint8_t head[13] = {1, 3, 0, 0, 0, 1, 0, 0, 0, 5, 0, 0, 0};
    double area = (xy[4] - xy[0]) * (xy[7] - xy[3]) - (xy[6] - xy[2]) * (xy[5] - xy[1]);
    uint8_t point[TACO__WKB_POINT_BYTES];
    size_t i;
    bool ok = taco__buf_append(out, head, sizeof head, err);
    for (i = 0; ok && i < 5; i++) {
        /* counterclockwise, as in RFC 7946 */
        size_t k = 2 * (i % 4 == 0 ? 0 : area < 0 ? 4 - i : i);
        taco__wkb_point_write(point, xy[k], xy[k + 1]);
        ok = taco__buf_append(out, point + 5, 16, err);
    }
    return ok;
}

/* The part of a box between two longitudes, moved by `turn`. */
static bool taco__footprint_tile_write_part(const taco__footprints_tile *t, double west,
                                            double east, double turn, taco__buf *out,
                                            taco_error *err)
{
    double xy[8];
    xy[0] = xy[6] = west + turn;
    xy[2] = xy[4] = east + turn;
    xy[1] = xy[3] = TACO__MIN(t->xy[1], t->xy[5]);
    xy[5] = xy[7] = TACO__MAX(t->xy[1], t->xy[5]);
    return taco__footprint_tile_write_ring(xy, out, err);
}

/* Writes the tile as WKB: a polygon, or two if it crosses the antimeridian. Longitudes of a box are
   moved by one turn if it is all beyond the antimeridian, as those of 0 to 360 are. */
TACO__FN bool taco__footprint_tile_write_wkb(const taco__footprints_tile *t, taco__buf *out,
                                             taco_error *err)
{
    static const uint8_t two[9] = {1, 6, 0, 0, 0, 2, 0, 0, 0};
    double west = TACO__MIN(t->xy[0], t->xy[2]), east = TACO__MAX(t->xy[0], t->xy[2]);
    double turn = west >= 180 ? -360 : east <= -180 ? 360 : 0, cut;
    out->len = 0;
    if (t->rotated) { return taco__footprint_tile_write_ring(t->xy, out, err); }
    west += turn;
    east += turn;
    cut = west < -180 ? -180 : 180;
    if (cut <= west || cut >= east || east - west > 360) {
        return turn != 0 ? taco__footprint_tile_write_part(t, west, east, 0, out, err)
                         : taco__footprint_tile_write_ring(t->xy, out, err);
    }
    return taco__buf_append(out, two, sizeof two, err) &&
           taco__footprint_tile_write_part(t, west, cut, cut < 0 ? 360 : 0, out, err) &&
           taco__footprint_tile_write_part(t, cut, east, cut < 0 ? 0 : -360, out, err);
}
