/* geo.h - what the folder offers to the others. */
#ifndef TACO__GEO_H
#define TACO__GEO_H

#include "../base/base.h"

/* Geometries below geometries: each level costs a hostile blob nine bytes only, so the depth needs
   a bound. */
#define TACO__WKB_MAX_DEPTH 64

/* What the walker meets. A geometry is BEGIN, then its runs of coordinates or its parts, then
   END. */
typedef enum taco__wkb_event {
    TACO__WKB_BEGIN, /* type and count are set                                        */
    TACO__WKB_RUN,   /* a Point, a LineString or one ring: n positions at xy          */
    TACO__WKB_END,   /* type is set                                                   */
    TACO__WKB_DONE   /* the outermost geometry has ended, and no byte is left         */
} taco__wkb_event;

/* OGC type codes; 0 is none of them */
enum {
    TACO__WKB_POINT = 1,
    TACO__WKB_LINESTRING,
    TACO__WKB_POLYGON,
    TACO__WKB_MULTIPOINT,
    TACO__WKB_MULTILINESTRING,
    TACO__WKB_MULTIPOLYGON,
    TACO__WKB_COLLECTION
};

typedef struct taco__wkb_frame {
    uint32_t type;
    uint32_t left, index; /* parts or rings to come, and those that were */
    uint32_t stride;      /* bytes of one position                       */
    bool big;             /* byte order of this geometry                 */
    bool hollow;          /* its first ring is empty                     */
} taco__wkb_frame;

typedef struct taco__wkb_item {
    taco__wkb_event what;
    uint32_t type;  /* of the geometry that begins, ends or owns the run        */
    uint32_t count; /* BEGIN: parts or rings announced; 1 for Point, LineString */
    uint32_t index; /* RUN: 0 is the shell of a polygon, the others are holes   */
    uint32_t stride;
    bool big;
    const uint8_t *xy;
    size_t n; /* RUN: proven to lie inside the blob */
} taco__wkb_item;

typedef struct taco__wkb_reader {
    taco__byte_reader cur;
    size_t depth;
    bool started;
    taco__wkb_frame frame[TACO__WKB_MAX_DEPTH];
} taco__wkb_reader;

/* ---- wkb.c ---- */

TACO__FN const char *taco__wkb_type_name(uint32_t type);
TACO__FN void taco__wkb_reader_init(taco__wkb_reader *w, taco_bytes wkb);
TACO__FN taco_status taco__wkb_next(taco__wkb_reader *w, taco__wkb_item *out, taco_error *err);
TACO__FN taco_status taco__wkb_bounds(taco_bytes wkb, double out[4], bool *empty, taco_error *err);

/* ---- intersect.c ---- */

TACO__FN taco_status taco__intersect_normalize_box(const double in[4], double box[4],
                                                   taco_error *err);
TACO__FN taco_status taco__intersect_wkb_box(taco_bytes wkb, const double box[4], bool *hit,
                                             taco_error *err);
TACO__FN taco_status taco__intersect_filter(const taco_array *a, const double box[4],
                                            uint8_t *true_bits, taco_error *err);

TACO__INLINE double taco__wkb_coordinate(const uint8_t *p, bool big)
{
    return taco__f64_from_bits(big ? taco__load_be64(p) : taco__load_le64(p));
}

#endif /* TACO__GEO_H */
