/* geo.h - well-known binary geometries: a checked walk, bounds, intersection with a box. */
#ifndef TACO__GEO_H
#define TACO__GEO_H

#include "../base/base.h"

/* The folder for geometries, which TACO stores as WKB in binary columns. It depends on base alone.

   wkb.c         a reader that walks a blob event by event and checks every byte it returns; the
                 bounds of a geometry on top of it. Start here.
   wkb_point.c   points: to WKB, and from the text of older formats
   projection.c  longitude and latitude of points in UTM, web mercator and geographic CRSs
   intersect.c   whether a geometry and a box share a point, exactly; for one blob and for a column

   Used by the bbox filter of a query (dataset/query_filter.c), the ST_ functions of SQL, the
   footprints and GeoJSON of publish, and the writers that compute extents and centroids.

   Blobs come from files and may hold anything. Nothing here allocates, recurses or loops longer
   than the blob is long; a walk that fails reports an offset inside the blob. */

/* Most nested collections: a level costs a hostile blob only nine bytes, so the depth must be
   limited. */
#define TACO__WKB_MAX_DEPTH 64

/* The result of a step of the reader. A geometry is BEGIN, then its runs of coordinates or its
   parts, then END. POLYGON((0 0, 1 0, 0 1, 0 0)) for example is BEGIN, RUN of 4, END, DONE. */
typedef enum taco__wkb_event {
    /* type and count are set */
    TACO__WKB_BEGIN,
    /* a Point, a LineString or one ring: n positions at xy */
    TACO__WKB_RUN,
    /* type is set */
    TACO__WKB_END,
    /* the outermost geometry has ended, and no byte is left */
    TACO__WKB_DONE
} taco__wkb_event;

/* OGC type codes (OGC 06-103r4 §8.2.8); 0 is not one. A MultiX is X + 3. */
enum {
    TACO__WKB_POINT = 1,
    TACO__WKB_LINESTRING,
    TACO__WKB_POLYGON,
    TACO__WKB_MULTIPOINT,
    TACO__WKB_MULTILINESTRING,
    TACO__WKB_MULTIPOLYGON,
    TACO__WKB_COLLECTION
};

/* A geometry that has begun and not ended. */
typedef struct taco__wkb_frame {
    uint32_t type;
    /* parts or rings still to come, and those read so far */
    uint32_t left, index;
    /* bytes of one position: 16, plus 8 for each of Z and M */
    uint32_t stride;
    /* byte order of this geometry; its parts have their own */
    bool big;
    /* its first ring is empty, so the others must be, too */
    bool hollow;
} taco__wkb_frame;

/* One step of the reader; which members are set depends on `what`. */
typedef struct taco__wkb_item {
    taco__wkb_event what;
    /* type of the geometry that begins, ends or owns the run */
    uint32_t type;
    /* BEGIN: number of parts or rings; 1 for Point and LineString */
    uint32_t count;
    /* RUN: 0 is the shell of a polygon, others are holes */
    uint32_t index;
    /* RUN: distance between positions, and their byte order */
    uint32_t stride;
    bool big;
    /* RUN: n positions, known to lie inside the blob. Each begins with x and y */
    const uint8_t *xy;
    size_t n;
} taco__wkb_item;

/* A walk over one blob, which it borrows. */
typedef struct taco__wkb_reader {
    taco__byte_reader cur;
    /* frames in use; 0 before the first geometry and after the last */
    size_t depth;
    bool started;
    taco__wkb_frame frame[TACO__WKB_MAX_DEPTH];
} taco__wkb_reader;

/* ---- wkb.c ---- */

TACO__FN const char *taco__wkb_type_name(uint32_t type);
TACO__FN void taco__wkb_reader_init(taco__wkb_reader *w, taco_bytes wkb);
TACO__FN taco_status taco__wkb_next(taco__wkb_reader *w, taco__wkb_item *out, taco_error *err);
TACO__FN taco_status taco__wkb_bounds(taco_bytes wkb, double out[4], bool *empty, taco_error *err);

/* One coordinate of a run: p is xy for the first x, xy + 8 for the first y. */
TACO__INLINE double taco__wkb_coordinate(const uint8_t *p, bool big)
{
    return taco__f64_from_bits(big ? taco__load_be64(p) : taco__load_le64(p));
}

/* Sets a coordinate, in a copy of the blob. */
TACO__INLINE void taco__wkb_put_coordinate(uint8_t *p, double x, bool big)
{
    uint64_t bits = taco__f64_to_bits(x);
    size_t i;
    for (i = 0; i < 8; i++) {
        p[i] = (uint8_t)(bits >> 8 * (big ? 7 - i : i));
    }
}

/* ---- wkb_point.c ---- */

#define TACO__WKB_POINT_BYTES 21

TACO__FN void taco__wkb_point_write(uint8_t out[TACO__WKB_POINT_BYTES], double x, double y);
/* The two numbers after the first parenthesis of "POINT (x y)"; what is before and after them is
   ignored. */
TACO__FN bool taco__wkb_point_from_text(taco_bytes text, double xy[2]);

/* ---- projection.c ---- */

#define TACO__PROJECTION_PI 3.14159265358979323846

TACO__FN void taco__projection_sincos(double x, double *s, double *c);
TACO__FN int32_t taco__projection_epsg_code(const char *crs);
TACO__FN bool taco__projection_is_geographic(int32_t code);
TACO__FN bool taco__projection_is_utm(int32_t code);
TACO__FN bool taco__projection_inverse_unwrapped(int32_t code, double x, double y, double out[2]);
TACO__FN bool taco__projection_inverse(int32_t code, double x, double y, double out[2]);
TACO__FN bool taco__projection_clamp(double lonlat[2]);

/* ---- intersect.c ---- Boxes are west, south, east, north, closed, and normalized first. */

TACO__FN taco_status taco__intersect_normalize_box(const double in[4], double box[4],
                                                   taco_error *err);
TACO__FN bool taco__intersect_box_crosses(const double in[4]);
TACO__FN taco_status taco__intersect_split_box(const double in[4], double box[2][4], size_t *n,
                                               taco_error *err);
TACO__FN taco_status taco__intersect_wkb_box(taco_bytes wkb, const double box[4], bool *hit,
                                             taco_error *err);
TACO__FN taco_status taco__intersect_filter_add(const taco_array *a, const double box[4],
                                                uint8_t *true_bits, taco_error *err);
TACO__FN taco_status taco__intersect_filter(const taco_array *a, const double box[4],
                                            uint8_t *true_bits, taco_error *err);

#endif /* TACO__GEO_H */
