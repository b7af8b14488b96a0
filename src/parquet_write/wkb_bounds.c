/* wkb_bounds.c - types and bounds of geometries in WKB.. Spec: OGC 06-103r4 §8.2, ISO 13249-3 (Z,
   M, ZM codes), EWKB flags; GeoParquet 1.1 */
#include "parquet_write.h"
#include "../base/base.h"

#define TACO__WKB_DEPTH 64 /* collections in collections */
#define TACO__WKB_INF   taco__f64_from_bits(UINT64_C(0x7FF0000000000000))

TACO__FN void taco__wkb_summary_init(taco__wkb_summary *s)
{
    size_t i;
    memset(s, 0, sizeof *s);
    for (i = 0; i < 3; i++) {
        s->min[i] = TACO__WKB_INF;
        s->max[i] = -TACO__WKB_INF;
    }
}

static uint32_t taco__wkb_read_u32(taco__byte_reader *c, bool big)
{
    const uint8_t *p = taco__byte_reader_take(c, 4);
    return !p ? 0 : big ? taco__load_be32(p) : taco__load_le32(p);
}

/* n positions of `dimensions` numbers, of which the first `known` are x, y and z. */
static bool taco__wkb_add_positions(taco__wkb_summary *s, taco__byte_reader *c, bool big,
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
            s->odd = s->odd || x == TACO__WKB_INF || x == -TACO__WKB_INF;
            s->min[k] = x < s->min[k] ? x : s->min[k]; /* NaN, of an empty point, is neither */
            s->max[k] = x > s->max[k] ? x : s->max[k];
        }
    }
    return true;
}

/* One geometry. Its type counts where it is the outermost. False when it is no WKB. */
static bool taco__wkb_add_geometry(taco__wkb_summary *s, taco__byte_reader *c, unsigned depth)
{
    bool big = taco__byte_reader_u8(c) == 0, good = true;
    uint32_t code = taco__wkb_read_u32(c, big), iso = code & 0x1FFFFFFF, set = iso / 1000,
             type = iso % 1000, n, i;
    bool z = code >> 31 || set == 1 || set == 3, m = (code >> 30 & 1) || set >= 2;
    unsigned known = 2U + z, dimensions = known + m;
    if (c->bad || set > 3 || type < 1 || type > 7 || depth > TACO__WKB_DEPTH) { return false; }
    if (code >> 29 & 1) { taco__wkb_read_u32(c, big); /* SRID */ }
    s->odd = s->odd || m;
    s->types |= depth == 0 ? (uint32_t)1 << (type + 16 * z) : 0;
    if (type == 1) { return taco__wkb_add_positions(s, c, big, 1, dimensions, known); }
    n = taco__wkb_read_u32(c, big);
    if (c->bad || type == 2) {
        return !c->bad && taco__wkb_add_positions(s, c, big, n, dimensions, known);
    }
    for (i = 0; good && i < n; i++) { /* rings, or parts */
        if (type == 3) {
            uint32_t count = taco__wkb_read_u32(c, big);
            good = !c->bad && taco__wkb_add_positions(s, c, big, count, dimensions, known);
        } else {
            good = taco__wkb_add_geometry(s, c, depth + 1);
        }
    }
    return good;
}

/* Adds a geometry; box becomes its own bounds, xmin, ymin, xmax, ymax. False when it has none: it
   is empty, or no WKB. */
TACO__FN bool taco__wkb_summary_add(taco__wkb_summary *s, taco_bytes b, double box[4])
{
    taco__wkb_summary own;
    taco__byte_reader c = taco__byte_reader_init(b);
    size_t k;
    taco__wkb_summary_init(&own);
    if (!taco__wkb_add_geometry(&own, &c, 0) || taco__byte_reader_left(&c)) {
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
