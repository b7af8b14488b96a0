/* wkb.c - walks a WKB geometry event by event, checking every byte; its bounds

   In: a blob that may hold anything. Out: events (taco__wkb_item) whose runs of coordinates lie
   inside the blob, so that callers loop over them without a check. Format: OGC 06-103r4 §8.2; the
   type codes for Z, M and ZM of ISO 13249-3; the flags of EWKB.

   taco__wkb_next does one step: it reads the header of a geometry, one run of coordinates, or
   closes a geometry. Open geometries are a stack of frames in the reader, so there is no recursion.
   Counts are compared with the bytes that are left before anything is read (taco__wkb_read_count).
   Read taco__wkb_next first, then taco__wkb_read_header and taco__wkb_read_run. */
#include "geo.h"
#include "../base/base.h"

/* "Point" to "GeometryCollection"; "geometry" for any other code. */
TACO__FN const char *taco__wkb_type_name(uint32_t type)
{
    static const char *const names[] = {
        "geometry",   "Point",           "LineString",   "Polygon",
        "MultiPoint", "MultiLineString", "MultiPolygon", "GeometryCollection"};
    return names[type < TACO__COUNT(names) ? type : 0];
}

/* Frames are initialised when entered: there is nothing else to clear. */
TACO__FN void taco__wkb_reader_init(taco__wkb_reader *w, taco_bytes wkb)
{
    w->cur = taco__byte_reader_init(wkb);
    w->depth = 0;
    w->started = false;
}

/* ---- headers ---- */

static TACO__COLD taco_status taco__wkb_fail_truncated(const taco__wkb_reader *w, size_t need,
                                                       const char *what, taco_error *err)
{
    return TACO__FAIL(err, TACO_ERR_TRUNCATED, taco__byte_reader_position(&w->cur),
                      "WKB: %s needs %u bytes, %u are left", what, TACO__U(need),
                      TACO__U(taco__byte_reader_left(&w->cur)));
}

/* Reads a count of items of at least `each` bytes. It is checked against the bytes that are left,
   so that no loop runs longer than the blob is. */
static taco_status taco__wkb_read_count(taco__wkb_reader *w, bool big, size_t each,
                                        const char *what, uint32_t *out, taco_error *err)
{
    const uint8_t *p = taco__byte_reader_take(&w->cur, 4);
    if (!p) { return taco__wkb_fail_truncated(w, 4, "a count", err); }
    *out = big ? taco__load_be32(p) : taco__load_le32(p);
    if (*out > taco__byte_reader_left(&w->cur) / each) {
        return TACO__FAIL(err, TACO_ERR_TRUNCATED, taco__byte_reader_position(&w->cur) - 4,
                          "WKB: %u %s of %u bytes or more, %u bytes are left", TACO__U(*out), what,
                          TACO__U(each), TACO__U(taco__byte_reader_left(&w->cur)));
    }
    return TACO_OK;
}

/* Splits a type code into the plain type and the bytes of a position. ISO adds 1000 for Z, 2000 for
   M, 3000 for both; EWKB sets bit 31 for Z, bit 30 for M, bit 29 for an SRID, which is skipped.
   Some writers do both. For example, 1001 and 0x80000001 are both a Point of 24 bytes. */
static taco_status taco__wkb_split_type(taco__wkb_reader *w, uint32_t code, taco__wkb_frame *f,
                                        taco_error *err)
{
    uint32_t iso = code & 0x1FFFFFFFU, set = iso / 1000;
    bool z = (code >> 31) != 0 || set == 1 || set == 3,
         m = ((code >> 30) & 1) != 0 || set == 2 || set == 3;
    f->type = iso % 1000;
    f->stride = 16U + (z ? 8U : 0U) + (m ? 8U : 0U);
    if (set > 3 || f->type == 0 || f->type > TACO__WKB_COLLECTION) {
        return TACO__FAIL(err, TACO_ERR_UNSUPPORTED, taco__byte_reader_position(&w->cur) - 4,
                          "WKB: geometry type %u, 1 (Point) to 7 (%s) are read", TACO__U(code),
                          taco__wkb_type_name(TACO__WKB_COLLECTION));
    }
    if ((code >> 29) & 1 && !taco__byte_reader_take(&w->cur, 4)) {
        return taco__wkb_fail_truncated(w, 4, "an SRID", err);
    }
    return TACO_OK;
}

/* A MultiPoint contains Points, and so on; a collection, and the blob itself, may contain
   anything. */
static taco_status taco__wkb_check_parent(const taco__wkb_reader *w, const taco__wkb_frame *f,
                                          size_t start, taco_error *err)
{
    uint32_t parent = w->depth ? w->frame[w->depth - 1].type : (uint32_t)TACO__WKB_COLLECTION;
    if (parent != TACO__WKB_COLLECTION && f->type != parent - 3) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, start, "WKB: a %s inside a %s",
                          taco__wkb_type_name(f->type), taco__wkb_type_name(parent));
    }
    return TACO_OK;
}

/* Sets f->left: 1 run for Point and LineString, else the count that follows the type. A ring is at
   least its count of 4 bytes, a part at least a header with a count, 9. */
static taco_status taco__wkb_read_parts(taco__wkb_reader *w, taco__wkb_frame *f, taco_error *err)
{
    f->left = 1;
    if (f->type == TACO__WKB_POLYGON) {
        return taco__wkb_read_count(w, f->big, 4, "rings", &f->left, err);
    }
    return f->type >= TACO__WKB_MULTIPOINT
               ? taco__wkb_read_count(w, f->big, 9, "parts", &f->left, err)
               : TACO_OK;
}

/* Reads the header of a geometry and enters it: byte order, type code, SRID, number of parts. */
static taco_status taco__wkb_read_header(taco__wkb_reader *w, taco__wkb_item *out, taco_error *err)
{
    size_t start = taco__byte_reader_position(&w->cur);
    const uint8_t *p = taco__byte_reader_take(&w->cur, 5);
    taco__wkb_frame *f = &w->frame[w->depth];
    taco_status st;
    if (!p) { return taco__wkb_fail_truncated(w, 5, "a geometry", err); }
    if (p[0] > 1) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, start, "WKB: byte order %u, must be 0 or 1",
                          TACO__U(p[0]));
    }
    if (w->depth == TACO__WKB_MAX_DEPTH) {
        return TACO__FAIL(err, TACO_ERR_UNSUPPORTED, start, "WKB: geometries nest deeper than %u",
                          TACO__U(TACO__WKB_MAX_DEPTH));
    }
    f->big = p[0] == 0;
    f->index = 0;
    f->hollow = false;
    st = taco__wkb_split_type(w, f->big ? taco__load_be32(p + 1) : taco__load_le32(p + 1), f, err);
    st = st == TACO_OK ? taco__wkb_check_parent(w, f, start, err) : st;
    if (st != TACO_OK) { return st; }
    st = taco__wkb_read_parts(w, f, err);
    w->depth++;
    out->what = TACO__WKB_BEGIN;
    out->type = f->type;
    out->count = f->left;
    return st;
}

/* ---- coordinates ---- */

/* A ring must be closed in x and y; Z and M may differ, as in GEOS. Three positions, there and
   back, are the fewest it can have. */
static taco_status taco__wkb_check_ring(const taco__wkb_reader *w, taco__wkb_frame *f,
                                        const taco__wkb_item *run, taco_error *err)
{
    size_t at = taco__byte_reader_position(&w->cur) - run->n * run->stride;
    const uint8_t *last = run->xy + (run->n ? run->n - 1 : 0) * run->stride;
    if (run->n == 0) {
        f->hollow = f->hollow || run->index == 0;
        return TACO_OK;
    }
    if (f->hollow) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, at - 4,
                          "WKB: ring %u has %u points, but the first ring is empty",
                          TACO__U(run->index), TACO__U(run->n));
    }
    if (run->n < 3) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, at - 4,
                          "WKB: a ring of %u points, needs 3 or more", TACO__U(run->n));
    }
    if (!(taco__wkb_coordinate(run->xy, run->big) == taco__wkb_coordinate(last, run->big) &&
          taco__wkb_coordinate(run->xy + 8, run->big) ==
              taco__wkb_coordinate(last + 8, run->big))) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, at + (run->n - 1) * run->stride,
                          "WKB: ring %u is not closed, its last point is not its first",
                          TACO__U(run->index));
    }
    return TACO_OK;
}

/* Reads the next run of the innermost geometry: its only one, or the next ring of a polygon. */
static taco_status taco__wkb_read_run(taco__wkb_reader *w, taco__wkb_frame *f, taco__wkb_item *out,
                                      taco_error *err)
{
    uint32_t n = 1;
    taco_status st = TACO_OK;
    if (f->type != TACO__WKB_POINT) {
        st = taco__wkb_read_count(w, f->big, f->stride, "points", &n, err);
    } else if (taco__byte_reader_left(&w->cur) < f->stride) {
        st = taco__wkb_fail_truncated(w, f->stride, "a Point", err);
    }
    if (st != TACO_OK) { return st; }
    out->what = TACO__WKB_RUN;
    out->type = f->type;
    out->index = f->index++;
    out->stride = f->stride;
    out->big = f->big;
    out->n = n;
    out->xy = taco__byte_reader_take(&w->cur, (size_t)n * f->stride); /* proven above */
    f->left--;
    if (f->type == TACO__WKB_LINESTRING && n == 1) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT,
                          taco__byte_reader_position(&w->cur) - f->stride - 4,
                          "WKB: a LineString of 1 point, needs 0 or 2");
    }
    return f->type == TACO__WKB_POLYGON ? taco__wkb_check_ring(w, f, out, err) : TACO_OK;
}

/* The step before the outermost geometry, or after it, where the blob must end. */
static taco_status taco__wkb_next_outside(taco__wkb_reader *w, taco__wkb_item *out, taco_error *err)
{
    if (!w->started) {
        w->started = true;
        return taco__wkb_read_header(w, out, err);
    }
    if (taco__byte_reader_left(&w->cur)) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, taco__byte_reader_position(&w->cur),
                          "WKB: %u bytes after the end of the geometry",
                          TACO__U(taco__byte_reader_left(&w->cur)));
    }
    out->what = TACO__WKB_DONE;
    return TACO_OK;
}

/* Does one step and describes it in *out. Must not be called again after a failure, or after
   DONE. */
TACO__FN taco_status taco__wkb_next(taco__wkb_reader *w, taco__wkb_item *out, taco_error *err)
{
    taco__wkb_frame *f;
    if (w->depth == 0) { return taco__wkb_next_outside(w, out, err); }
    f = &w->frame[w->depth - 1];
    if (f->left == 0) {
        out->what = TACO__WKB_END;
        out->type = f->type;
        w->depth--;
        return TACO_OK;
    }
    if (f->type <= TACO__WKB_POLYGON) { return taco__wkb_read_run(w, f, out, err); }
    f->left--;
    f->index++;
    return taco__wkb_read_header(w, out, err);
}

/* Extends a box, empty at first, by the positions of a run. A NaN in x or y is an empty Point, or
   an unknown position. */
static void taco__wkb_extend_bounds(const taco__wkb_item *run, double out[4], bool *empty)
{
    size_t i;
    for (i = 0; i < run->n; i++) {
        double x = taco__wkb_coordinate(run->xy + i * run->stride, run->big);
        double y = taco__wkb_coordinate(run->xy + i * run->stride + 8, run->big);
        if (taco__f64_is_nan(x) || taco__f64_is_nan(y)) { continue; }
        out[0] = *empty || x < out[0] ? x : out[0];
        out[1] = *empty || y < out[1] ? y : out[1];
        out[2] = *empty || x > out[2] ? x : out[2];
        out[3] = *empty || y > out[3] ? y : out[3];
        *empty = false;
    }
}

/* The smallest box around all positions with both coordinates; *empty if there are none, with out
   all zeros. */
TACO__FN taco_status taco__wkb_bounds(taco_bytes wkb, double out[4], bool *empty, taco_error *err)
{
    taco__wkb_reader w;
    taco__wkb_item item;
    taco_status st;
    *empty = true;
    out[0] = out[1] = out[2] = out[3] = 0;
    taco__wkb_reader_init(&w, wkb);
    for (;;) {
        st = taco__wkb_next(&w, &item, err);
        if (st != TACO_OK || item.what == TACO__WKB_DONE) { return st; }
        if (item.what == TACO__WKB_RUN) { taco__wkb_extend_bounds(&item, out, empty); }
    }
}
