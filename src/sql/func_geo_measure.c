/* func_geo_measure.c - ST_AsText, ST_Area and ST_Centroid of WKB geometries

   All three walk the geometry once with the reader of geo/wkb.c. Areas are planar, in the units of
   the coordinates, without holes. A centroid is that of the parts of the highest dimension:
   polygons by area, else lines by length, else points, as in OGC 06-103r4 §6.1.10.2.

   Examples: of the box (0 0, 2 3) ST_Area is 6, ST_Centroid POINT (1 1.5), ST_AsText
   POLYGON ((0 0, 0 3, 2 3, 2 0, 0 0)). The centroid of an empty geometry is POINT EMPTY. */
#include "sql.h"
#include "functions.h"
#include "../base/base.h"
#include "../base/json.h"
#include "../geo/geo.h"

/* Sums of a walk: by dimension 0, 1 and 2 the weight and the weighted coordinates. */
typedef struct taco__geo_sums {
    double weight[3], x[3], y[3];
} taco__geo_sums;

/* x of position i of a run. */
static double taco__geo_x(const taco__wkb_item *r, size_t i)
{
    return taco__wkb_coordinate(r->xy + i * r->stride, r->big);
}

/* y of position i of a run. */
static double taco__geo_y(const taco__wkb_item *r, size_t i)
{
    return taco__wkb_coordinate(r->xy + i * r->stride + 8, r->big);
}

/* Adds a ring of a polygon: twice its signed area and moments, positive for shells and negative for
   holes. Coordinates are relative to the first corner, which keeps digits. */
static void taco__geo_add_ring(taco__geo_sums *s, const taco__wkb_item *r)
{
    double ox = r->n ? taco__geo_x(r, 0) : 0, oy = r->n ? taco__geo_y(r, 0) : 0, area = 0, mx = 0,
           my = 0;
    size_t i;
    for (i = 0; i + 1 < r->n; i++) {
        double ax = taco__geo_x(r, i) - ox, ay = taco__geo_y(r, i) - oy,
               bx = taco__geo_x(r, i + 1) - ox, by = taco__geo_y(r, i + 1) - oy,
               cross = ax * by - bx * ay;
        area += cross;
        mx += (ax + bx) * cross;
        my += (ay + by) * cross;
    }
    if ((area < 0) != (r->index > 0)) {
        area = -area;
        mx = -mx;
        my = -my;
    }
    s->weight[2] += area / 2;
    s->x[2] += mx / 6 + ox * area / 2;
    s->y[2] += my / 6 + oy * area / 2;
}

/* Adds a run of coordinates: lines by their length, points by their number. */
static void taco__geo_add_run(taco__geo_sums *s, const taco__wkb_item *r)
{
    size_t i;
    if (r->type == TACO__WKB_POLYGON) { taco__geo_add_ring(s, r); }
    for (i = 0; i < r->n; i++) {
        double x = taco__geo_x(r, i), y = taco__geo_y(r, i), nx, ny, length;
        if (taco__f64_is_nan(x) || taco__f64_is_nan(y)) { continue; } /* POINT EMPTY */
        s->weight[0] += 1;
        s->x[0] += x;
        s->y[0] += y;
        if (r->type == TACO__WKB_POINT || i + 1 >= r->n) { continue; }
        nx = taco__geo_x(r, i + 1);
        ny = taco__geo_y(r, i + 1);
        length = taco__math_sqrt((nx - x) * (nx - x) + (ny - y) * (ny - y));
        s->weight[1] += length;
        s->x[1] += (x + nx) / 2 * length;
        s->y[1] += (y + ny) / 2 * length;
    }
}

/* Row i of ST_Area and ST_Centroid. */
static bool taco__geo_sum_row(taco__func_call *x, size_t i)
{
    taco__wkb_reader w;
    taco__wkb_item item;
    taco__geo_sums s;
    double nan = taco__f64_from_bits((uint64_t)0x7FF8 << 48), at[2];
    uint8_t *p;
    int k = 2;
    memset(&s, 0, sizeof s);
    taco__wkb_reader_init(&w, TACO__FUNC_ARG_TEXT(0));
    do {
        if (taco__wkb_next(&w, &item, x->err) != TACO_OK) { return false; }
        if (item.what == TACO__WKB_RUN) { taco__geo_add_run(&s, &item); }
    } while (item.what != TACO__WKB_DONE);
    if (x->id == TACO__FUNC_AREA) {
        x->out->v.f[i] = s.weight[2];
        return true;
    }
    while (k > 0 && !(s.weight[k] > 0)) {
        k--;
    }
    at[0] = s.weight[k] > 0 ? s.x[k] / s.weight[k] : nan;
    at[1] = s.weight[k] > 0 ? s.y[k] / s.weight[k] : nan;
    p = (uint8_t *)taco__arena_alloc(x->arena, TACO__WKB_POINT_BYTES, x->err);
    if (!p) { return false; }
    taco__wkb_point_write(p, at[0], at[1]);
    x->out->v.s[i] = taco__bytes_of(p, TACO__WKB_POINT_BYTES);
    return true;
}

/* ---- text ---- */

/* Names of well-known text, with the blank before what follows. */
static const char *const taco__geo_names[] = {"",
                                              "POINT ",
                                              "LINESTRING ",
                                              "POLYGON ",
                                              "MULTIPOINT ",
                                              "MULTILINESTRING ",
                                              "MULTIPOLYGON ",
                                              "GEOMETRYCOLLECTION "};

/* A number without the .0 of whole ones. */
static bool taco__geo_text_number(taco__buf *b, double v, taco_error *err)
{
    char text[32];
    size_t n = taco__num_format_f64(text, v);
    if (n > 2 && text[n - 1] == '0' && text[n - 2] == '.') { n -= 2; }
    return taco__buf_append(b, text, n, err);
}

/* The positions of a run, in parentheses unless they are a point of a MULTIPOINT. */
static bool taco__geo_text_run(taco__buf *b, const taco__wkb_item *r, bool bare, taco_error *err)
{
    size_t i;
    bool ok;
    if (r->stride != 16) {
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                   "the text of a geometry with Z or M is not supported");
        return false;
    }
    if (!r->n || (r->type == TACO__WKB_POINT && taco__geo_x(r, 0) != taco__geo_x(r, 0))) {
        return taco__buf_append_text(b, "EMPTY", err);
    }
    ok = bare || taco__buf_append_char(b, '(', err);
    for (i = 0; ok && i < r->n; i++) {
        ok = (!i || taco__buf_append_text(b, ", ", err)) &&
             taco__geo_text_number(b, taco__geo_x(r, i), err) &&
             taco__buf_append_char(b, ' ', err) && taco__geo_text_number(b, taco__geo_y(r, i), err);
    }
    return ok && (bare || taco__buf_append_char(b, ')', err));
}

/* The beginning of a geometry: its name, unless the enclosing MULTI... implies it, and a
   parenthesis if parts follow. */
static bool taco__geo_text_begin(taco__buf *b, const taco__wkb_item *g, uint32_t around,
                                 taco_error *err)
{
    bool parts = g->type >= TACO__WKB_POLYGON;
    if ((!around || around == TACO__WKB_COLLECTION) &&
        !taco__buf_append_text(b, taco__geo_names[g->type], err)) {
        return false;
    }
    return !parts || taco__buf_append_text(b, g->count ? "(" : "EMPTY", err);
}

/* Row i of ST_AsText. */
static bool taco__geo_text_row(taco__func_call *x, size_t i, taco__buf *b)
{
    taco__wkb_reader w;
    taco__wkb_item item;
    uint32_t types[TACO__WKB_MAX_DEPTH + 1], counts[TACO__WKB_MAX_DEPTH + 1];
    size_t depth = 0;
    bool ok = true, more = false;
    types[0] = counts[0] = 0;
    b->len = 0;
    taco__wkb_reader_init(&w, TACO__FUNC_ARG_TEXT(0));
    while (ok) {
        if (taco__wkb_next(&w, &item, x->err) != TACO_OK) { return false; }
        if (item.what == TACO__WKB_DONE) { break; }
        if (item.what == TACO__WKB_END) {
            ok = types[depth] < TACO__WKB_POLYGON || !counts[depth] ||
                 taco__buf_append_char(b, ')', x->err);
            depth--;
            more = true;
            continue;
        }
        ok = !more || taco__buf_append_text(b, ", ", x->err);
        more = item.what == TACO__WKB_RUN;
        if (item.what == TACO__WKB_BEGIN) {
            ok = ok && taco__geo_text_begin(b, &item, types[depth], x->err);
            if (depth == TACO__WKB_MAX_DEPTH) { return false; }
            types[++depth] = item.type;
            counts[depth] = item.count;
        } else {
            ok = ok && taco__geo_text_run(
                           b, &item, depth > 1 && types[depth - 1] == TACO__WKB_MULTIPOINT, x->err);
        }
    }
    return ok && taco__func_set_text(x, i, taco__bytes_of(b->data, b->len));
}

/* Runs ST_AsText, ST_Area or ST_Centroid over a batch. */
TACO__FN bool taco__func_geo_measure(taco__func_call *x)
{
    taco__buf b;
    size_t i;
    bool ok = true;
    memset(&b, 0, sizeof b);
    b.mem = x->arena->mem;
    for (i = 0; ok && i < x->out->n; i++) {
        ok = !taco__vec_is_valid(x->out, i) ||
             (x->id == TACO__FUNC_AS_TEXT ? taco__geo_text_row(x, i, &b) : taco__geo_sum_row(x, i));
    }
    taco__buf_free(&b);
    return ok;
}
