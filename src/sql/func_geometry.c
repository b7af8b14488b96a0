/* func_geometry.c - ST_* functions on WKB geometries and boxes (OGC 06-103r4)

   A geometry is WKB bytes. The tests, ST_Intersects and ST_Within, need a box made by
   ST_MakeEnvelope; the geometry itself is tested exactly (geo/intersect.c). If the geometry is a
   column and the box a constant, pushdown.c turns the test into a filter of the scan. */
#include "sql.h"
#include "functions.h"
#include "../base/base.h"
#include "../geo/geo.h"

/* ---- geometry ---- */

/* True if a WKB is a box: one axis-parallel ring of five corners, as ST_MakeEnvelope makes it,
   little-endian. Other polygons that happen to be boxes are not recognized. */
TACO__FN bool taco__func_geo_parse_box(taco_bytes s, double box[4])
{
    double xy[10];
    size_t i;
    if (s.len != 93 || s.data[0] != 1 || taco__load_le32(s.data + 1) != TACO__WKB_POLYGON ||
        taco__load_le32(s.data + 5) != 1 || taco__load_le32(s.data + 9) != 5) {
        return false;
    }
    for (i = 0; i < 10; i++) {
        xy[i] = taco__f64_from_bits(taco__load_le64(s.data + 13 + i * 8));
    }
    box[0] = xy[0];
    box[1] = xy[1];
    box[2] = xy[4];
    box[3] = xy[5];
    return xy[2] == xy[0] && xy[3] == xy[5] && xy[6] == xy[4] && xy[7] == xy[1] && xy[8] == xy[0] &&
           xy[9] == xy[1];
}

/* A point as 21 bytes of little-endian WKB: byte order, type, x, y. */
static bool taco__func_geo_make_point(taco__func_call *x, double a, double b, taco_bytes *out)
{
    uint8_t *p = (uint8_t *)taco__arena_alloc(x->arena, 21, x->err);
    if (p) {
        p[0] = 1;
        taco__put_le32(p + 1, TACO__WKB_POINT);
        taco__put_le64(p + 5, taco__f64_to_bits(a));
        taco__put_le64(p + 13, taco__f64_to_bits(b));
    }
    *out = taco__bytes_of(p, 21);
    return p != NULL;
}

/* A box as 93 bytes of WKB: a polygon of one ring with five corners, clockwise from the lower left,
   as taco__func_geo_parse_box recognizes it. */
static bool taco__func_geo_make_envelope(taco__func_call *x, const double b[4], taco_bytes *out)
{
    static const uint8_t corner[10] = {0, 1, 0, 3, 2, 3, 2, 1, 0, 1};
    uint8_t *p = (uint8_t *)taco__arena_alloc(x->arena, 93, x->err);
    size_t i;
    if (p) {
        p[0] = 1;
        taco__put_le32(p + 1, TACO__WKB_POLYGON);
        taco__put_le32(p + 5, 1);
        taco__put_le32(p + 9, 5);
        for (i = 0; i < 10; i++) {
            taco__put_le64(p + 13 + i * 8, taco__f64_to_bits(b[corner[i]]));
        }
    }
    *out = taco__bytes_of(p, 93);
    return p != NULL;
}

/* Within a box: no position is outside, and some are in the interior, not only on the edge. A line
   along an edge of the box is therefore not within it, as OGC defines: the interiors must
   intersect. */
static bool taco__func_geo_within(taco_bytes wkb, const double b[4], bool *hit, taco_error *err)
{
    taco__wkb_reader w;
    taco__wkb_item item;
    bool all = true, inner = false, any = false;
    *hit = false;
    taco__wkb_reader_init(&w, wkb);
    for (;;) {
        size_t i;
        double px = 0, py = 0;
        if (taco__wkb_next(&w, &item, err) != TACO_OK) { return false; }
        if (item.what == TACO__WKB_DONE) {
            *hit = all && any && inner;
            return true;
        }
        for (i = 0; item.what == TACO__WKB_RUN && i < item.n; i++) {
            double gx = taco__wkb_coordinate(item.xy + i * item.stride, item.big),
                   gy = taco__wkb_coordinate(item.xy + i * item.stride + 8, item.big);
            if (item.type == TACO__WKB_POINT && (taco__f64_is_nan(gx) || taco__f64_is_nan(gy))) {
                continue; /* POINT EMPTY */
            }
            any = true;
            all = all && gx >= b[0] && gx <= b[2] && gy >= b[1] && gy <= b[3];
            inner = inner || item.type == TACO__WKB_POLYGON ||
                    (gx > b[0] && gx < b[2] && gy > b[1] && gy < b[3]);
            /* between two edges it crosses the inside */
            if (i && item.type == TACO__WKB_LINESTRING) {
                inner = inner || !((px == gx && (gx == b[0] || gx == b[2])) ||
                                   (py == gy && (gy == b[1] || gy == b[3])));
            }
            px = gx;
            py = gy;
        }
    }
}

/* ST_X and ST_Y of row i: null for an empty point, an error if it is not a point. */
static bool taco__func_geo_coordinate(taco__func_call *x, size_t i)
{
    taco__wkb_reader w;
    taco__wkb_item item;
    bool found = false;
    double d = 0;
    taco__wkb_reader_init(&w, TACO__FUNC_ARG_TEXT(0));
    for (;;) {
        if (taco__wkb_next(&w, &item, x->err) != TACO_OK) { return false; }
        if (item.what == TACO__WKB_DONE) { break; }
        if (item.what == TACO__WKB_BEGIN && item.type != TACO__WKB_POINT) {
            TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "%s takes points, found a %s",
                       x->name, taco__wkb_type_name(item.type));
            return false;
        }
        if (item.what == TACO__WKB_RUN && item.n) {
            d = taco__wkb_coordinate(item.xy + (x->id == TACO__FUNC_Y ? 8 : 0), item.big);
            found = !taco__f64_is_nan(d);
        }
    }
    x->out->v.f[i] = d;
    return found || taco__func_set_null(x, i);
}

/* Runs an ST_* function over a batch. */
TACO__FN bool taco__func_geo_run(taco__func_call *x)
{
    size_t i, k;
    for (i = 0; i < x->out->n; i++) {
        double b[4];
        bool hit = false, ok, first;
        if (!taco__vec_is_valid(x->out, i)) { continue; }
        switch (x->id) {
        case TACO__FUNC_GEOM: x->out->v.s[i] = TACO__FUNC_ARG_TEXT(0); continue;
        case TACO__FUNC_X:
        case TACO__FUNC_Y:
            if (!taco__func_geo_coordinate(x, i)) { return false; }
            continue;
        case TACO__FUNC_POINT:
        case TACO__FUNC_ENVELOPE:
            for (k = 0; k < x->n; k++) {
                b[k] = TACO__FUNC_ARG_DOUBLE(k);
            }
            if (!(x->n == 2 ? taco__func_geo_make_point(x, b[0], b[1], &x->out->v.s[i])
                            : taco__func_geo_make_envelope(x, b, &x->out->v.s[i]))) {
                return false;
            }
            continue;
        default: break;
        }
        /* the box is the second argument, or for ST_Intersects the first; it may differ from row
           to row */
        first = !taco__func_geo_parse_box(TACO__FUNC_ARG_TEXT(1), b);
        if (first &&
            (x->id == TACO__FUNC_WITHIN || !taco__func_geo_parse_box(TACO__FUNC_ARG_TEXT(0), b))) {
            TACO__FAIL(x->err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                       "%s works with a box of ST_MakeEnvelope only", x->name);
            return false;
        }
        {
            double box[4];
            taco_bytes g = first ? TACO__FUNC_ARG_TEXT(1) : TACO__FUNC_ARG_TEXT(0);
            ok = taco__intersect_normalize_box(b, box, x->err) == TACO_OK &&
                 (x->id == TACO__FUNC_WITHIN
                      ? taco__func_geo_within(g, box, &hit, x->err)
                      : taco__intersect_wkb_box(g, box, &hit, x->err) == TACO_OK);
        }
        if (!ok) { return false; }
        x->out->v.i[i] = hit;
    }
    return true;
}
