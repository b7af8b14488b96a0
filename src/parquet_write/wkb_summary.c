/* wkb_summary.c - types and bounds of geometries in WKB, while they are written

   In: the WKB of each row. Out: a taco__wkb_summary of the column, for geometry_types and bbox of
   GeoParquet 1.1, and the box of each geometry, for a covering. Spec: OGC 06-103r4 8.2, ISO 13249-3
   (Z, M, ZM codes), EWKB's flags.

   This is not geo/wkb.c, which belongs to taco.h, on which this product does not depend; it also
   fails at the first mistake with a message, and requires closed rings. A writer accepts what it is
   given, and only needs to know what it can say about it. So everything that can be walked counts
   here, including Z bounds, and anything else makes the summary `odd`. */
#include "parquet_write.h"
#include "../base/base.h"

#define TACO__WKB_SUMMARY_DEPTH 64 /* deepest nesting of collections: a level costs only 9 bytes */
#define TACO__WKB_SUMMARY_INF   taco__f64_from_bits(UINT64_C(0x7FF0000000000000))

TACO__FN void taco__wkb_summary_init(taco__wkb_summary *s)
{
    size_t i;
    memset(s, 0, sizeof *s);
    for (i = 0; i < 3; i++) {
        s->min[i] = TACO__WKB_SUMMARY_INF;
        s->max[i] = -TACO__WKB_SUMMARY_INF;
    }
}

static uint32_t taco__wkb_summary_read_u32(taco__byte_reader *c, bool big)
{
    const uint8_t *p = taco__byte_reader_take(c, 4);
    return !p ? 0 : big ? taco__load_be32(p) : taco__load_le32(p);
}

/* n positions of `dimensions` numbers, of which the first `known` are x, y and z. NaN, as in an
   empty point, compares false and is ignored. False if they are not all present. */
static bool taco__wkb_summary_add_positions(taco__wkb_summary *s, taco__byte_reader *c, bool big,
                                            uint32_t n, unsigned dimensions, unsigned known)
{
    const uint8_t *p;
    uint32_t i;
    unsigned k;
    if (n > taco__byte_reader_left(c) / (8 * dimensions)) { return false; }
    p = taco__byte_reader_take(c, (size_t)n * 8 * dimensions);
    for (i = 0; i < n; i++, p += 8 * (size_t)dimensions) {
        for (k = 0; k < known; k++) {
            double x =
                taco__f64_from_bits(big ? taco__load_be64(p + 8 * k) : taco__load_le64(p + 8 * k));
            s->odd = s->odd || x == TACO__WKB_SUMMARY_INF || x == -TACO__WKB_SUMMARY_INF;
            s->min[k] = x < s->min[k] ? x : s->min[k];
            s->max[k] = x > s->max[k] ? x : s->max[k];
        }
    }
    return true;
}

/* The header of a geometry. */
typedef struct taco__wkb_summary_header {
    uint32_t type; /* 1 Point, 2 LineString, 3 Polygon, 4 to 6 Multi..., 7 GeometryCollection */
    bool big, z, m;
    unsigned known, dimensions; /* numbers of a position: x, y and z; with m */
} taco__wkb_summary_header;

/* ISO adds 1000 for Z, 2000 for M, 3000 for both; EWKB sets bit 31 for Z, 30 for M, 29 for an SRID
   that follows. False if it is not a header. */
static bool taco__wkb_summary_read_header(taco__byte_reader *c, taco__wkb_summary_header *h)
{
    uint32_t code, iso, set;
    h->big = taco__byte_reader_u8(c) == 0;
    code = taco__wkb_summary_read_u32(c, h->big);
    iso = code & 0x1FFFFFFF;
    set = iso / 1000;
    h->type = iso % 1000;
    h->z = code >> 31 || set == 1 || set == 3;
    h->m = (code >> 30 & 1) || set >= 2;
    h->known = 2U + h->z;
    h->dimensions = h->known + h->m;
    if (c->bad || set > 3 || h->type < 1 || h->type > 7) { return false; }
    if (code >> 29 & 1) { taco__wkb_summary_read_u32(c, h->big); }
    return true;
}

static bool taco__wkb_summary_add_geometry(taco__wkb_summary *s, taco__byte_reader *c,
                                           unsigned depth); /* recursive */

/* A ring of a polygon, or a part of a Multi... or a collection. */
static bool taco__wkb_summary_add_part(taco__wkb_summary *s, taco__byte_reader *c,
                                       const taco__wkb_summary_header *h, unsigned depth)
{
    uint32_t n;
    if (h->type != 3) { return taco__wkb_summary_add_geometry(s, c, depth + 1); }
    n = taco__wkb_summary_read_u32(c, h->big);
    return !c->bad && taco__wkb_summary_add_positions(s, c, h->big, n, h->dimensions, h->known);
}

/* One geometry. Only the type of the outermost one counts. False if it is not WKB. */
static bool taco__wkb_summary_add_geometry(taco__wkb_summary *s, taco__byte_reader *c,
                                           unsigned depth)
{
    taco__wkb_summary_header h;
    uint32_t n, i;
    if (!taco__wkb_summary_read_header(c, &h) || depth > TACO__WKB_SUMMARY_DEPTH) { return false; }
    s->odd = s->odd || h.m;
    s->types |= depth == 0 ? (uint32_t)1 << (h.type + 16 * h.z) : 0;
    n = h.type == 1 ? 1 : taco__wkb_summary_read_u32(c, h.big);
    if (c->bad || h.type <= 2) {
        return !c->bad && taco__wkb_summary_add_positions(s, c, h.big, n, h.dimensions, h.known);
    }
    for (i = 0; i < n; i++) {
        if (!taco__wkb_summary_add_part(s, c, &h, depth)) { return false; }
    }
    return true;
}

/* A blob that is not WKB only sets `odd`: its types and bounds so far are dropped. */
TACO__FN bool taco__wkb_summary_add(taco__wkb_summary *s, taco_bytes b, double box[4])
{
    taco__wkb_summary own;
    taco__byte_reader c = taco__byte_reader_init(b);
    size_t k;
    taco__wkb_summary_init(&own);
    if (!taco__wkb_summary_add_geometry(&own, &c, 0) || taco__byte_reader_left(&c)) {
        s->odd = true;
        return false;
    }
    s->odd = s->odd || own.odd;
    s->types |= own.types;
    for (k = 0; k < 3; k++) {
        s->min[k] = TACO__MIN(s->min[k], own.min[k]);
        s->max[k] = TACO__MAX(s->max[k], own.max[k]);
    }
    box[0] = own.min[0];
    box[1] = own.min[1];
    box[2] = own.max[0];
    box[3] = own.max[1];
    return box[0] <= box[2] && box[1] <= box[3];
}
