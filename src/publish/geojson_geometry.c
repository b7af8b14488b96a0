/* geojson_geometry.c - WKB, boxes and tiles as GeoJSON geometries

   In: WKB of any of the seven types, in x and y; or the corners of a tile in degrees. Out: a
   geometry object appended to a buffer (RFC 7946 3.1): shells counterclockwise and holes clockwise,
   tiles cut in two at the antimeridian, null if nothing can be written. Z and M are dropped.

   taco__geojson_write_wkb walks the blob with geo/wkb.c and writes as it goes. Whether a geometry
   is empty is only known at its end; its text is then removed. */
#include "publish.h"
#include "../base/base.h"
#include "../arrow/arrow.h"
#include "../geo/geo.h"

/* ---- positions ---- */

TACO__FN bool taco__geojson_write_number(taco__buf *b, double x, taco_error *err)
{
    if (!taco__buf_reserve(b, TACO__CELL_SIZE, err)) { return false; }
    b->len += taco__num_format_f64((char *)b->data + b->len, x);
    return true;
}

static bool taco__geojson_write_point(taco__buf *b, double x, double y, taco_error *err)
{
    return taco__buf_append_char(b, '[', err) && taco__geojson_write_number(b, x, err) &&
           taco__buf_append_char(b, ',', err) && taco__geojson_write_number(b, y, err) &&
           taco__buf_append_char(b, ']', err);
}

/* Infinity minus infinity is NaN. */
TACO__FN bool taco__geojson_is_finite(double x)
{
    return taco__f64_is_finite(x);
}

/* Coordinates of position i of a run. */
static double taco__geojson_x_of(const taco__wkb_item *run, size_t i)
{
    return taco__wkb_coordinate(run->xy + i * run->stride, run->big);
}

static double taco__geojson_y_of(const taco__wkb_item *run, size_t i)
{
    return taco__wkb_coordinate(run->xy + i * run->stride + 8, run->big);
}

/* RFC 7946 3.1.6: shells go counterclockwise, holes clockwise. The area is computed relative to the
   first corner, as it would lose precision far from the origin. */
static bool taco__geojson_is_backwards(const taco__wkb_item *ring)
{
    double x0 = taco__geojson_x_of(ring, 0), y0 = taco__geojson_y_of(ring, 0), area = 0;
    size_t i;
    for (i = 1; i + 1 < ring->n; i++) {
        area += (taco__geojson_x_of(ring, i) - x0) * (taco__geojson_y_of(ring, i + 1) - y0) -
                (taco__geojson_x_of(ring, i + 1) - x0) * (taco__geojson_y_of(ring, i) - y0);
    }
    return ring->index == 0 ? area < 0 : area > 0;
}

/* Writes the positions of a run: one for a Point, a list for all others. Clears *finite if one
   cannot be written. */
static bool taco__geojson_write_run(taco__buf *b, const taco__wkb_item *run, bool *finite,
                                    taco_error *err)
{
    bool back = run->type == TACO__WKB_POLYGON && taco__geojson_is_backwards(run);
    bool ok = run->type == TACO__WKB_POINT || taco__buf_append_char(b, '[', err);
    size_t i;
    for (i = 0; ok && i < run->n; i++) {
        size_t k = back ? run->n - 1 - i : i;
        double x = taco__geojson_x_of(run, k), y = taco__geojson_y_of(run, k);
        *finite = *finite && taco__geojson_is_finite(x) && taco__geojson_is_finite(y);
        ok = (i == 0 || taco__buf_append_char(b, ',', err)) &&
             taco__geojson_write_point(b, x, y, err);
    }
    return ok && (run->type == TACO__WKB_POINT || taco__buf_append_char(b, ']', err));
}

/* ---- WKB ---- */

/* In WKB an empty point is two NaNs. */
static bool taco__geojson_is_empty_point(const taco__wkb_item *run)
{
    double x = run->n ? taco__geojson_x_of(run, 0) : 0, y = run->n ? taco__geojson_y_of(run, 0) : 0;
    return run->n == 0 ||
           (run->type == TACO__WKB_POINT && taco__f64_is_nan(x) && taco__f64_is_nan(y));
}

/* A geometry that has not ended yet. */
typedef struct taco__geojson_level {
    size_t begin; /* where it begins in the text */
    size_t parts; /* parts written so far: runs or nested geometries */
} taco__geojson_level;

/* Members of a MultiX are bare coordinates; all others are objects. */
static bool taco__geojson_is_bare(const taco__wkb_reader *w, size_t depth)
{
    return depth > 1 && w->frame[depth - 2].type != TACO__WKB_COLLECTION;
}

/* Begins a geometry: the comma after the one before it, its object, its list of parts. */
static bool taco__geojson_begin(taco__buf *b, const taco__wkb_reader *w, uint32_t type,
                                taco__geojson_level *levels, taco_error *err)
{
    size_t d = w->depth;
    bool ok = true;
    levels[d - 1].begin = b->len;
    levels[d - 1].parts = 0;
    if (d > 1 && levels[d - 2].parts++ > 0) { ok = taco__buf_append_char(b, ',', err); }
    if (ok && !taco__geojson_is_bare(w, d)) {
        ok = taco__buf_append_text(b, "{\"type\":\"", err) &&
             taco__buf_append_text(b, taco__wkb_type_name(type), err) &&
             taco__buf_append_text(
                 b,
                 type == TACO__WKB_COLLECTION ? "\",\"geometries\":" : "\",\"coordinates\":", err);
    }
    return ok && (type == TACO__WKB_POINT || type == TACO__WKB_LINESTRING ||
                  taco__buf_append_char(b, '[', err));
}

/* Ends a geometry. Empty members of a MultiX are left out, as GeoJSON has no empty positions or
   lines. */
static bool taco__geojson_end(taco__buf *b, const taco__wkb_reader *w, uint32_t type,
                              taco__geojson_level *levels, taco_error *err)
{
    size_t d = w->depth + 1; /* the reader has left it */
    bool bare = taco__geojson_is_bare(w, d), ok = true;
    if (bare && levels[d - 1].parts == 0) {
        b->len = levels[d - 1].begin;
        levels[d - 2].parts--;
        return true;
    }
    if (type != TACO__WKB_POINT && type != TACO__WKB_LINESTRING) {
        ok = taco__buf_append_char(b, ']', err);
    } else if (levels[d - 1].parts == 0) {
        ok = taco__buf_append_text(b, "[]", err);
    }
    return ok && (bare || taco__buf_append_char(b, '}', err));
}

/* Writes the item of one step of the reader. */
static bool taco__geojson_write_item(taco__buf *b, const taco__wkb_reader *w,
                                     const taco__wkb_item *item, taco__geojson_level *levels,
                                     bool *finite, bool *empty, taco_error *err)
{
    switch (item->what) {
    case TACO__WKB_BEGIN: return taco__geojson_begin(b, w, item->type, levels, err);
    case TACO__WKB_END: return taco__geojson_end(b, w, item->type, levels, err);
    default: break;
    }
    if (taco__geojson_is_empty_point(item)) { return true; }
    *empty = false;
    return (levels[w->depth - 1].parts++ == 0 || taco__buf_append_char(b, ',', err)) &&
           taco__geojson_write_run(b, item, finite, err);
}

TACO__FN bool taco__geojson_write_wkb(taco__buf *b, taco_bytes wkb, bool *finite, bool *empty,
                                      taco_error *err)
{
    taco__wkb_reader w;
    taco__wkb_item item;
    taco__geojson_level levels[TACO__WKB_MAX_DEPTH];
    size_t begin = b->len;
    *finite = *empty = true;
    memset(&item, 0, sizeof item);
    taco__wkb_reader_init(&w, wkb);
    for (;;) {
        if (taco__wkb_next(&w, &item, err) != TACO_OK) { return false; }
        if (item.what == TACO__WKB_DONE) { break; }
        if (!taco__geojson_write_item(b, &w, &item, levels, finite, empty, err)) { return false; }
    }
    if (!*empty && *finite) { return true; }
    b->len = begin;
    return taco__buf_append_text(b, "null", err);
}

/* ---- tiles ---- */

/* A ring around four corners, counterclockwise, as the coordinates of a Polygon. */
static bool taco__geojson_write_polygon(taco__buf *b, const double xy[8], taco_error *err)
{
    double area = (xy[4] - xy[0]) * (xy[7] - xy[3]) - (xy[6] - xy[2]) * (xy[5] - xy[1]);
    size_t i;
    bool ok = taco__buf_append_text(b, "[[", err);
    for (i = 0; ok && i < 5; i++) {
        size_t k = 2 * (i % 4 == 0 ? 0 : area < 0 ? 4 - i : i);
        ok = (i == 0 || taco__buf_append_char(b, ',', err)) &&
             taco__geojson_write_point(b, xy[k], xy[k + 1], err);
    }
    return ok && taco__buf_append_text(b, "]]", err);
}

TACO__FN bool taco__geojson_write_box(taco__buf *b, double west, double south, double east,
                                      double north, taco_error *err)
{
    double xy[8];
    xy[0] = xy[6] = west;
    xy[1] = xy[3] = south;
    xy[2] = xy[4] = east;
    xy[5] = xy[7] = north;
    return taco__geojson_write_polygon(b, xy, err);
}

/* A Polygon around a box. */
static bool taco__geojson_write_box_geometry(taco__buf *b, double west, double south, double east,
                                             double north, taco_error *err)
{
    return taco__buf_append_text(b, "{\"type\":\"Polygon\",\"coordinates\":", err) &&
           taco__geojson_write_box(b, west, south, east, north, err) &&
           taco__buf_append_char(b, '}', err);
}

/* Longitudes are moved to -180..180; a tile that crosses the antimeridian becomes two polygons, one
   on either side (RFC 7946 3.1.9), and one that spans the globe becomes all of it. Rotated tiles
   stay as they are. Boxes are moved by one turn at most, and those still farther away are not
   cut. */
TACO__FN bool taco__geojson_write_tile(taco__buf *b, const taco__footprints_tile *t,
                                       taco_error *err)
{
    double west = TACO__MIN(t->xy[0], t->xy[2]), east = TACO__MAX(t->xy[0], t->xy[2]);
    double south = TACO__MIN(t->xy[1], t->xy[5]), north = TACO__MAX(t->xy[1], t->xy[5]);
    double turn = west >= 180 ? -360 : east <= -180 ? 360 : 0, cut;
    if (t->rotated) {
        return taco__buf_append_text(b, "{\"type\":\"Polygon\",\"coordinates\":", err) &&
               taco__geojson_write_polygon(b, t->xy, err) && taco__buf_append_char(b, '}', err);
    }
    west += turn;
    east += turn;
    if (east - west >= 360) {
        west = -180;
        east = 180;
    }
    cut = west < -180 ? -180 : east > 180 ? 180 : west;
    if (cut <= west || cut >= east) { /* all of it is on one side */
        return taco__geojson_write_box_geometry(b, west, south, east, north, err);
    }
    return taco__buf_append_text(b, "{\"type\":\"MultiPolygon\",\"coordinates\":[", err) &&
           taco__geojson_write_box(b, cut < 0 ? west + 360 : west, south, 180, north, err) &&
           taco__buf_append_char(b, ',', err) &&
           taco__geojson_write_box(b, -180, south, cut < 0 ? east : east - 360, north, err) &&
           taco__buf_append_text(b, "]}", err);
}
