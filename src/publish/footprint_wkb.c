/* footprint_wkb.c - stored geometries as files want them: ISO WKB, in degrees

   In: WKB of a row in either byte order, ISO or EWKB, and the CRS that the row, or an SRID, names.
   Out: little-endian ISO WKB (ISO 13249-3; GeoParquet 1.1 "Encoding"): type codes with 1000 for Z
   and 2000 for M in place of EWKB's flags, and no SRID. Vertices of UTM and web mercator become
   longitude and latitude, others are not known. Z and M stay; sides stay straight lines between
   their ends. Longitudes are continuous: those of a shape that crosses the antimeridian go on
   beyond 180 or -180.

   Start reading at taco__footprint_wkb_write. */
#include "publish.h"
#include "../base/base.h"
#include "../dataset/cascade.h"
#include "../geo/geo.h"

/* Where a geometry is written, and what its coordinates are. */
typedef struct taco__footprint_wkb {
    taco__buf *out;
    taco_error *err;
    bool projects;
    int32_t code; /* EPSG */
    double most;  /* the farthest longitude */
} taco__footprint_wkb;

/* The byte order and type code of the geometry that begins at p, which has 5 bytes. */
static uint32_t taco__footprint_wkb_code(const uint8_t *p)
{
    return p[0] == 0 ? taco__load_be32(p + 1) : taco__load_le32(p + 1);
}

static bool taco__footprint_wkb_is_extended(taco_bytes wkb)
{
    return wkb.len >= 5 && taco__footprint_wkb_code(wkb.data) >> 29 != 0;
}

TACO__FN bool taco__footprint_wkb_is_plain(taco_bytes wkb, taco_bytes crs)
{
    return (!crs.len || taco__footprint_tile_is_degrees(crs)) &&
           !taco__footprint_wkb_is_extended(wkb);
}

static bool taco__footprint_wkb_put_count(taco__footprint_wkb *x, size_t n)
{
    uint8_t bytes[4];
    taco__put_le32(bytes, (uint32_t)n);
    return taco__buf_append(x->out, bytes, sizeof bytes, x->err);
}

/* The header of a geometry: byte order, type code, number of parts or rings. */
static bool taco__footprint_wkb_begin(taco__footprint_wkb *x, const uint8_t *at,
                                      const taco__wkb_item *item)
{
    uint32_t code = taco__footprint_wkb_code(at), set = (code & 0x1FFFFFFFU) / 1000;
    bool z = code >> 31 || set == 1 || set == 3, m = (code >> 30 & 1) || set == 2 || set == 3;
    return taco__buf_append_char(x->out, 1, x->err) &&
           taco__footprint_wkb_put_count(x, item->type + (z ? 1000U : 0U) + (m ? 2000U : 0U)) &&
           (item->type < TACO__WKB_POLYGON || taco__footprint_wkb_put_count(x, item->count));
}

/* Converts a vertex; false if it is not on the globe. An empty point, two NaNs, stays one. */
static bool taco__footprint_wkb_project(const taco__footprint_wkb *x, double xy[2])
{
    double out[2];
    if (taco__f64_is_nan(xy[0]) && taco__f64_is_nan(xy[1])) { return true; }
    if (!taco__projection_inverse_unwrapped(x->code, xy[0], xy[1], out) ||
        !(out[0] >= -x->most && out[0] <= x->most && out[1] >= -90.001 && out[1] <= 90.001)) {
        return false;
    }
    xy[0] = x->most < 360 ? TACO__MAX(-180, TACO__MIN(180, out[0])) : out[0];
    xy[1] = TACO__MAX(-90, TACO__MIN(90, out[1]));
    return true;
}

/* The positions of a point, a line or a ring. */
static bool taco__footprint_wkb_run(taco__footprint_wkb *x, const taco__wkb_item *run, bool *known)
{
    uint8_t bytes[8];
    size_t i, k, n = run->stride / 8;
    bool ok = run->type == TACO__WKB_POINT || taco__footprint_wkb_put_count(x, run->n);
    for (i = 0; ok && *known && i < run->n; i++) {
        const uint8_t *p = run->xy + i * run->stride;
        double xy[2];
        xy[0] = taco__wkb_coordinate(p, run->big);
        xy[1] = taco__wkb_coordinate(p + 8, run->big);
        *known = !x->projects || taco__footprint_wkb_project(x, xy);
        for (k = 0; ok && k < n; k++) {
            taco__put_le64(bytes, k < 2 && x->projects ? taco__f64_to_bits(xy[k])
                                  : run->big           ? taco__load_be64(p + k * 8)
                                                       : taco__load_le64(p + k * 8));
            ok = taco__buf_append(x->out, bytes, sizeof bytes, x->err);
        }
    }
    return ok;
}

/* The SRID of EWKB, 0 if there is none. */
static int32_t taco__footprint_wkb_srid(taco_bytes wkb)
{
    uint32_t srid;
    if (wkb.len < 9 || !(taco__footprint_wkb_code(wkb.data) >> 29 & 1)) { return 0; }
    srid = wkb.data[0] == 0 ? taco__load_be32(wkb.data + 5) : taco__load_le32(wkb.data + 5);
    return srid <= INT32_MAX ? (int32_t)srid : 0;
}

/* What the coordinates are in: the CRS of the row, else that of the SRID; false if they cannot be
   converted. */
static bool taco__footprint_wkb_find_crs(taco__footprint_wkb *x, taco_bytes crs, taco_bytes wkb)
{
    double out[2];
    bool known = taco__box_crs_to_degrees(crs, &x->code);
    if (!crs.len) {
        x->code = taco__footprint_wkb_srid(wkb);
        if (taco__projection_is_geographic(x->code)) { x->code = 0; }
        known = x->code == 0 || taco__projection_inverse_unwrapped(x->code, 0, 0, out);
    }
    x->projects = x->code != 0;
    x->most = taco__projection_is_utm(x->code) ? 540 : 180.001;
    return known;
}

TACO__FN bool taco__footprint_wkb_write(taco_bytes wkb, taco_bytes crs, taco__buf *out, bool *known,
                                        taco_error *err)
{
    taco__footprint_wkb x;
    taco__wkb_reader w;
    taco__wkb_item item;
    bool ok = true;
    memset(&x, 0, sizeof x);
    memset(&item, 0, sizeof item);
    x.out = out;
    x.err = err;
    out->len = 0;
    *known = taco__footprint_wkb_find_crs(&x, crs, wkb);
    taco__wkb_reader_init(&w, wkb);
    while (ok && *known) {
        size_t at = taco__byte_reader_position(&w.cur);
        if (taco__wkb_next(&w, &item, err) != TACO_OK) { return false; }
        if (item.what == TACO__WKB_DONE) { break; }
        if (item.what == TACO__WKB_BEGIN) {
            ok = taco__footprint_wkb_begin(&x, wkb.data + at, &item);
        } else if (item.what == TACO__WKB_RUN) {
            ok = taco__footprint_wkb_run(&x, &item, known);
        }
    }
    return ok;
}
