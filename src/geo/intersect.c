/* intersect.c - whether a geometry and a box share a point, exactly

   In: WKB, one blob or a column of them, and a box. Out: a bool, or a bit per row. The result is
   that of ST_Intersects in GEOS.

   taco__intersect_filter tests a column; Points in the usual form take two loads, everything else
   goes to taco__intersect_wkb_box, which walks the blob and tests each run of coordinates
   (taco__intersect_scan_ring): a segment that touches the box decides, otherwise a ray from one
   corner of the box shows whether a ring surrounds it. Both only need the side of a line that a
   point lies on (taco__intersect_orient): computed in doubles with an error bound, and if that is
   not enough in a sum without rounding. */
#include "geo.h"
#include "../base/base.h"

/* ---- boxes and bounds ---- */

/* Orders the corners of a west, south, east, north box; NaN is ARGUMENT. Longitudes are not
   wrapped: for boxes of queries, see taco__intersect_split_box. */
TACO__FN taco_status taco__intersect_normalize_box(const double in[4], double box[4],
                                                   taco_error *err)
{
    static const char *const names[] = {"west", "south", "east", "north"};
    const double most = 1.7976931348623157e308;
    size_t i;
    for (i = 0; i < 4; i++) {
        if (taco__f64_is_nan(in[i])) {
            return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                              "bounding box: %s is not a number", names[i]);
        }
    }
    box[0] = TACO__MIN(in[0], in[2]);
    box[1] = TACO__MIN(in[1], in[3]);
    box[2] = TACO__MAX(in[0], in[2]);
    box[3] = TACO__MAX(in[1], in[3]);
    /* infinity means "no bound", but corners must be points */
    for (i = 0; i < 4; i++) {
        box[i] = TACO__MAX(-most, TACO__MIN(box[i], most));
    }
    return TACO_OK;
}

/* True if a box crosses 180 degrees: its sides are longitudes and latitudes, and its west is
   greater than its east (RFC 7946 §5.2). In another unit, or if its south is greater than its
   north as well, the corners are swapped. */
TACO__FN bool taco__intersect_box_crosses(const double in[4])
{
    size_t i;
    for (i = 0; i < 4; i++) {
        double most = i % 2 ? 90 : 180;
        bool open = i % 2 && (!taco__f64_is_finite(in[i])); /* infinity, or NaN */
        if (!open && !(in[i] >= -most && in[i] <= most)) { return false; }
    }
    return in[0] > in[2] && in[1] <= in[3];
}

/* Makes n = 1 or 2 normalized boxes of one: a box that crosses 180 degrees is two, as longitudes
   beyond it may be written from either side, 181 or -179. NaN is ARGUMENT. */
TACO__FN taco_status taco__intersect_split_box(const double in[4], double box[2][4], size_t *n,
                                               taco_error *err)
{
    bool crosses = taco__intersect_box_crosses(in);
    taco_status st = taco__intersect_normalize_box(in, box[0], err);
    *n = crosses ? 2 : 1;
    if (st != TACO_OK || !crosses) { return st; }
    memcpy(box[1], box[0], sizeof box[1]);
    box[0][0] = in[0];
    box[0][2] = in[2] + 360;
    box[1][0] = in[0] - 360;
    box[1][2] = in[2];
    return TACO_OK;
}

/* ---- exact orientation ---- The sign of a 2x2 determinant of differences decides every slanted
   case. Doubles are sums of powers of two, so if rounding could matter the determinant is summed in
   a fixed-point number wide enough for any product of two doubles (2^-2148 to 2^2048); no rounding
   mode, fused multiply or extended precision of the machine changes the answer. */

/* digits of 32 bits: 4300 bits of products, and room for their carries */
#define TACO__INTERSECT_LIMBS 136
/* not a sign: with an infinite or missing coordinate there is no line */
#define TACO__INTERSECT_NAN 2

/* A sum of products of doubles: limb[i] counts 2^(32 i - 2148). */
typedef struct taco__intersect_sum {
    /* signed digits, carried only at the end: 36 addends of 32 bits at most */
    int64_t limb[TACO__INTERSECT_LIMBS];
    /* limbs in use: [low, high) */
    size_t low, high;
} taco__intersect_sum;

/* x = mantissa * 2^(exponent - 1074), exponent 0 to 2045. */
static uint64_t taco__intersect_split_double(double x, uint32_t *exponent)
{
    uint64_t bits = taco__f64_to_bits(x), mantissa = bits & 0xFFFFFFFFFFFFFU;
    uint32_t e = (uint32_t)(bits >> 52) & 0x7FF;
    *exponent = e ? e - 1 : 0;
    return e ? mantissa | (uint64_t)1 << 52 : mantissa;
}

/* Adds sign * value * 2^(32 at), its halves to two limbs. */
static void taco__intersect_sum_add(taco__intersect_sum *s, size_t at, uint64_t value, int sign)
{
    s->limb[at] += sign * (int64_t)(value & 0xFFFFFFFFU);
    s->limb[at + 1] += sign * (int64_t)(value >> 32);
}

/* s += sign * x * y. The product of two 53-bit mantissas, shifted to a limb, is three digits times
   two. */
static void taco__intersect_sum_add_product(taco__intersect_sum *s, double x, double y, int sign)
{
    uint32_t ex, ey, shift;
    uint64_t a = taco__intersect_split_double(x, &ex), b = taco__intersect_split_double(y, &ey), a0,
             a1, a2;
    size_t at;
    if (a == 0 || b == 0) { return; }
    if ((taco__f64_to_bits(x) ^ taco__f64_to_bits(y)) >> 63) { sign = -sign; }
    at = (ex + ey) / 32;
    shift = (ex + ey) % 32;
    a0 = (a << shift) & 0xFFFFFFFFU; /* a << shift, 84 bits at most, in three digits */
    a1 = (a << shift) >> 32;
    a2 = (a >> 32) >> (32 - shift);
    taco__intersect_sum_add(s, at, a0 * (b & 0xFFFFFFFFU), sign);
    taco__intersect_sum_add(s, at + 1, a1 * (b & 0xFFFFFFFFU), sign);
    taco__intersect_sum_add(s, at + 2, a2 * (b & 0xFFFFFFFFU), sign);
    taco__intersect_sum_add(s, at + 1, a0 * (b >> 32), sign);
    taco__intersect_sum_add(s, at + 2, a1 * (b >> 32), sign);
    taco__intersect_sum_add(s, at + 3, a2 * (b >> 32), sign);
    s->low = TACO__MIN(s->low, at);
    s->high = TACO__MAX(s->high, at + 5);
}

/* Propagates carries; returns -1, 0 or 1. */
static int taco__intersect_sum_sign(const taco__intersect_sum *s)
{
    int64_t carry = 0;
    bool any = false;
    size_t i;
    for (i = s->low; i < s->high; i++) {
        int64_t v = s->limb[i] + carry, digit = v & (int64_t)0xFFFFFFFF;
        any = any || digit != 0;
        carry = (v - digit) / 4294967296; /* exact, also below zero */
    }
    return carry < 0 ? -1 : carry > 0 || any;
}

static bool taco__intersect_is_finite(double x)
{
    return ((taco__f64_to_bits(x) >> 52) & 0x7FF) != 0x7FF;
}

static bool taco__intersect_are_finite(double x, double y)
{
    return taco__intersect_is_finite(x) && taco__intersect_is_finite(y);
}

/* taco__intersect_orient without rounding: rare, so it is kept out of the loops. */
static TACO__NOINLINE int taco__intersect_orient_exact(double ax, double ay, double bx, double by,
                                                       double cx, double cy)
{
    taco__intersect_sum s;
    if (!taco__intersect_are_finite(ax, ay) || !taco__intersect_are_finite(bx, by) ||
        !taco__intersect_are_finite(cx, cy)) {
        return TACO__INTERSECT_NAN;
    }
    memset(s.limb, 0, sizeof s.limb);
    s.low = TACO__INTERSECT_LIMBS;
    s.high = 0;
    /* (ax - cx)(by - cy) - (ay - cy)(bx - cx), where cx * cy cancels */
    taco__intersect_sum_add_product(&s, ax, by, 1);
    taco__intersect_sum_add_product(&s, ax, cy, -1);
    taco__intersect_sum_add_product(&s, cx, by, -1);
    taco__intersect_sum_add_product(&s, ay, bx, -1);
    taco__intersect_sum_add_product(&s, ay, cx, 1);
    taco__intersect_sum_add_product(&s, cy, bx, 1);
    return taco__intersect_sum_sign(&s);
}

/* 1 if c is to the left of the line from a to b, -1 to the right, 0 on it, TACO__INTERSECT_NAN
   without a line. */
TACO__INLINE int taco__intersect_orient(double ax, double ay, double bx, double by, double cx,
                                        double cy)
{
    double l = (ax - cx) * (by - cy), r = (ay - cy) * (bx - cx), det = l - r;
    double size = (l < 0 ? -l : l) + (r < 0 ? -r : r);
    /* Four roundings of the differences, two of the products and one here: 3.33e-16 * size covers
       them. Below 1e-280 a product may have underflowed, and NaN fails both comparisons. */
    double bound = size * 3.4e-16 + 1e-280;
    if (det > bound) { return 1; }
    if (det < -bound) { return -1; }
    return taco__intersect_orient_exact(ax, ay, bx, by, cx, cy);
}

/* ---- intersection ---- */

/* The line through p and q passes the box by exactly when the two corners farthest from it lie on
   the same side of it: for a line that rises from left to right north-west and south-east. */
TACO__INLINE bool taco__intersect_line_box(double px, double py, double qx, double qy,
                                           const double b[4])
{
    int one, two;
    if ((px < qx) == (py < qy)) {
        one = taco__intersect_orient(px, py, qx, qy, b[0], b[3]);
        two = taco__intersect_orient(px, py, qx, qy, b[2], b[1]);
    } else {
        one = taco__intersect_orient(px, py, qx, qy, b[0], b[1]);
        two = taco__intersect_orient(px, py, qx, qy, b[2], b[3]);
    }
    return one != TACO__INTERSECT_NAN && two != TACO__INTERSECT_NAN && one * two <= 0;
}

/* Whether the closed segment p-q and the closed box share a point. With a NaN in p or q only the
   other end can match. */
TACO__INLINE bool taco__intersect_segment_box(double px, double py, double qx, double qy,
                                              const double b[4])
{
    if (!((px <= b[2] || qx <= b[2]) && (px >= b[0] || qx >= b[0]) && (py <= b[3] || qy <= b[3]) &&
          (py >= b[1] || qy >= b[1]))) {
        return false;
    }
    /* an end inside, or a segment that stays between two sides of the box and reaches from one
       outer side to the other */
    if ((px >= b[0] && px <= b[2] && py >= b[1] && py <= b[3]) ||
        (qx >= b[0] && qx <= b[2] && qy >= b[1] && qy <= b[3]) ||
        (px >= b[0] && px <= b[2] && qx >= b[0] && qx <= b[2]) ||
        (py >= b[1] && py <= b[3] && qy >= b[1] && qy <= b[3])) {
        return true;
    }
    return taco__intersect_line_box(px, py, qx, qy, b);
}

/* True if the ray from the corner (x, y) eastward crosses the segment. Only called for segments
   that do not touch the box, so the corner is never on them. */
TACO__INLINE bool taco__intersect_ray_crosses(double px, double py, double qx, double qy, double x,
                                              double y)
{
    int side;
    if ((py > y) == (qy > y) || (px < x && qx < x)) { return false; }
    if (px > x && qx > x) { return true; }
    side = taco__intersect_orient(px, py, qx, qy, x, y);
    return side != TACO__INTERSECT_NAN && (side > 0) == (qy > py);
}

/* The relation of a run of coordinates to the box. */
typedef struct taco__intersect_ring {
    /* it touches the box; the others are only set if not */
    bool hit;
    /* the box's south-west corner is inside the ring */
    bool inside;
    /* its bounds intersect the box */
    bool near;
} taco__intersect_ring;

/* One pass over a run: segments against the box, the ray from its corner, the bounds. */
static taco__intersect_ring taco__intersect_scan_ring(const taco__wkb_item *run, const double b[4])
{
    taco__intersect_ring s = {false, false, false};
    const uint8_t *p = run->xy;
    double px = 0, py = 0, west = 0, south = 0, east = 0, north = 0;
    bool whole = true; /* a ring with a missing or infinite coordinate has no inside */
    size_t i;
    for (i = 0; i < run->n; i++, p += run->stride) {
        double qx = taco__wkb_coordinate(p, run->big), qy = taco__wkb_coordinate(p + 8, run->big);
        if (i == 0) {
            west = east = qx;
            south = north = qy;
        } else if (taco__intersect_segment_box(px, py, qx, qy, b)) {
            s.hit = s.near = true;
            return s;
        } else {
            s.inside ^= taco__intersect_ray_crosses(px, py, qx, qy, b[0], b[1]);
            west = qx < west ? qx : west;
            east = qx > east ? qx : east;
            south = qy < south ? qy : south;
            north = qy > north ? qy : north;
        }
        whole &= (qx - qx) + (qy - qy) == 0;
        px = qx;
        py = qy;
    }
    s.inside = s.inside && whole;
    s.near = west <= b[2] && east >= b[0] && south <= b[3] && north >= b[1];
    return s;
}

/* False for NaN. */
TACO__INLINE bool taco__intersect_point_box(double x, double y, const double b[4])
{
    return (x >= b[0]) & (x <= b[2]) & (y >= b[1]) & (y <= b[3]);
}

/* Tests one run; true when its points or lines touch the box. For the rings of a polygon *shell
   carries the state from ring to ring: if no ring touches the box, the polygon contains all of the
   box or nothing of it, so one corner decides: inside the shell and in no hole. As in GEOS, a hole
   ends at the shell's bounds, whatever its coordinates. */
static bool taco__intersect_test_run(const taco__wkb_item *run, const double box[4],
                                     taco__intersect_ring *shell)
{
    taco__intersect_ring hole;
    if (run->type == TACO__WKB_POINT) {
        return taco__intersect_point_box(taco__wkb_coordinate(run->xy, run->big),
                                         taco__wkb_coordinate(run->xy + 8, run->big), box);
    }
    if (run->type == TACO__WKB_LINESTRING) { return taco__intersect_scan_ring(run, box).hit; }
    if (run->index == 0) {
        *shell = taco__intersect_scan_ring(run, box);
        return shell->hit;
    }
    if (!shell->near) { return false; }
    hole = taco__intersect_scan_ring(run, box);
    shell->inside = shell->inside && !hole.inside;
    return hole.hit;
}

/* Whether the geometry and the box share a point. The walk continues to the end even after that is
   known, so that an invalid blob is an error for any box. */
TACO__FN taco_status taco__intersect_wkb_box(taco_bytes wkb, const double box[4], bool *hit,
                                             taco_error *err)
{
    taco__wkb_reader w;
    taco__wkb_item item;
    const taco__intersect_ring none = {false, false, false};
    taco__intersect_ring shell = {false, false, false};
    bool found = false;
    taco_status st;
    *hit = false;
    taco__wkb_reader_init(&w, wkb);
    for (;;) {
        st = taco__wkb_next(&w, &item, err);
        if (st != TACO_OK) { return st; }
        if (item.what == TACO__WKB_DONE) {
            *hit = found;
            return TACO_OK;
        }
        if (item.what == TACO__WKB_END && item.type == TACO__WKB_POLYGON) {
            found = found || shell.inside;
        }
        if (item.what == TACO__WKB_BEGIN) { shell = none; }
        if (item.what == TACO__WKB_RUN && !found) {
            found = taco__intersect_test_run(&item, box, &shell);
        }
    }
}

/* ---- whole columns ---- */

/* One value. A Point as all TACO writers make it, without Z and little-endian, takes two loads;
   anything else takes the walk. */
TACO__INLINE taco_status taco__intersect_value(const uint8_t *p, size_t len, const double box[4],
                                               bool *hit, taco_error *err)
{
    if (TACO__LIKELY(len == 21 && p[0] == 1 && taco__load_le32(p + 1) == TACO__WKB_POINT)) {
        *hit = taco__intersect_point_box(taco__f64_from_bits(taco__load_le64(p + 5)),
                                         taco__f64_from_bits(taco__load_le64(p + 13)), box);
        return TACO_OK;
    }
    return taco__intersect_wkb_box(taco__bytes_of(p, len), box, hit, err);
}

/* The same for entry i of a BINARY or FIXED array without a dictionary. */
TACO__INLINE taco_status taco__intersect_entry(const taco_array *a, size_t i, const double box[4],
                                               bool *hit, taco_error *err)
{
    size_t from = a->offsets ? (size_t)a->offsets[i] : i * (size_t)a->field->width;
    size_t len = a->offsets ? (size_t)a->offsets[i + 1] - from : (size_t)a->field->width;
    return taco__intersect_value(a->v.u8 + from, len, box, hit, err);
}

TACO__INLINE void taco__intersect_put_bit(uint8_t *bits, size_t i, bool hit)
{
    bits[i >> 3] = (uint8_t)(bits[i >> 3] | (unsigned)hit << (i & 7));
}

static TACO__COLD taco_status taco__intersect_fail_row(taco_status st, size_t row, taco_error *err)
{
    taco__error_prefix(err, "row %u", TACO__U(row));
    return st;
}

/* Entries of a dictionary are tested when a row first refers to them, since unused ones may contain
   anything. Results for the first 4096 entries are remembered, because a column with few distinct
   geometries repeats them. */
static taco_status taco__intersect_filter_dictionary(const taco_array *a, const double box[4],
                                                     uint8_t *true_bits, taco_error *err)
{
    /* 0 not tested yet, 1 no, 2 yes */
    uint8_t known[4096];
    const taco_array *d = a->dictionary;
    size_t i;
    memset(known, 0, TACO__MIN(d->length, sizeof known));
    for (i = 0; i < a->length; i++) {
        size_t at = (size_t)(uint32_t)a->v.i32[i];
        bool hit = false;
        if (a->validity && !taco__bitmap_get(a->validity, i)) { continue; }
        if (at >= d->length) {
            return TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                              "row %u: dictionary index %d, dictionary has %u entries", TACO__U(i),
                              TACO__D(a->v.i32[i]), TACO__U(d->length));
        }
        if (at < sizeof known && known[at]) {
            hit = known[at] == 2;
        } else if (!d->validity || taco__bitmap_get(d->validity, at)) {
            taco_status st = taco__intersect_entry(d, at, box, &hit, err);
            if (st != TACO_OK) { return taco__intersect_fail_row(st, i, err); }
            if (at < sizeof known) { known[at] = (uint8_t)(hit ? 2 : 1); }
        }
        taco__intersect_put_bit(true_bits, i, hit);
    }
    return TACO_OK;
}

/* Sets bit i of true_bits, which has TACO__BITMAP_BYTES(a->length) bytes, if row i of a BINARY or
   FIXED array of WKB intersects the box; null rows do not, and leave it as it is. An error names
   the row of the batch. */
TACO__FN taco_status taco__intersect_filter_add(const taco_array *a, const double box[4],
                                                uint8_t *true_bits, taco_error *err)
{
    const taco_array *values = a->dictionary ? a->dictionary : a;
    taco_type type = values->field->type;
    size_t i;
    if (type == TACO_NULL) { return TACO_OK; }
    if (type != TACO_BINARY && type != TACO_FIXED) {
        return TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                          "a geometry column must be binary (WKB)");
    }
    if (a->dictionary) { return taco__intersect_filter_dictionary(a, box, true_bits, err); }
    for (i = 0; i < a->length; i++) {
        bool hit = false;
        taco_status st;
        if (a->validity && !taco__bitmap_get(a->validity, i)) { continue; }
        st = taco__intersect_entry(a, i, box, &hit, err);
        if (st != TACO_OK) { return taco__intersect_fail_row(st, i, err); }
        taco__intersect_put_bit(true_bits, i, hit);
    }
    return TACO_OK;
}

/* The same for one box: clears all other bits. */
TACO__FN taco_status taco__intersect_filter(const taco_array *a, const double box[4],
                                            uint8_t *true_bits, taco_error *err)
{
    memset(true_bits, 0, TACO__BITMAP_BYTES(a->length));
    return taco__intersect_filter_add(a, box, true_bits, err);
}
