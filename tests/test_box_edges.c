/* dataset/box_in_crs.c: which boxes are in degrees, which CRSs are compared, and geometries of UTM and
   web mercator at the edges of a box and at the antimeridian; geo/projection.c: codes in texts;
   points as text. */
#include "../src/dataset/box_in_crs.c"
#include "../src/geo/projection.c"
#include "../taco_parquet.h"
#include "../taco.h"

#include "test.h"

#include <math.h>

static taco_bytes text(const char *s)
{
    return taco__bytes_of(s, strlen(s));
}

static void boxes_in_degrees(void)
{
    static const struct {
        double edge[4];
        bool is;
    } t[] = {
        {{-180, -90, 180, 90}, true},
        {{-180.5, -90, 180, 90}, false},
        {{-180, -90.5, 180, 90}, false},
        {{-180, -90, 180.5, 90}, false},
        {{-180, -90, 180, 90.5}, false},
        {{100, 10, 110, 170}, false}, /* the limits of y are those of latitudes */
        {{-HUGE_VAL, -HUGE_VAL, HUGE_VAL, HUGE_VAL}, false}, /* no side is bounded */
        {{-HUGE_VAL, -HUGE_VAL, HUGE_VAL, 45}, true},
        {{170, -HUGE_VAL, HUGE_VAL, HUGE_VAL}, true},
        {{-HUGE_VAL, -HUGE_VAL, 500000, 45}, false},
    };

    size_t i;
    for (i = 0; i < TACO__COUNT(t); i++) {
        CHECK(taco__box_is_degrees(t[i].edge) == t[i].is);
    }
}

static void codes_of_boxes(void)
{
    static const struct {
        const char *low, *high;
        bool known;
    } t[] = {
        {"EPSG:32630", "EPSG:32630", true},  {"EPSG:32601", "EPSG:32660", true},
        {"EPSG:32630", "EPSG:32730", false}, /* EPSG:32661, of the pole, may lie between */
        {"EPSG:4326", "EPSG:4326", true},    {"EPSG:3857", "EPSG:3857", true},
        {"EPSG:3857", "EPSG:4326", false},   {"EPSG:2154", "EPSG:2154", false},
        {"EPSG:32630", "EPSG:4326", false},  {"EPSG:2154", "EPSG:32630", false},
        {"EPSG:32630", "EPSG:5041", false},  {"", "", false},
        {"OGC:CRS84", "OGC:CRS84", true},    {"OGC:CRS84", "EPSG:4326", true},
    };

    char big[TACO__BOX_CRS_BYTES + 1];
    size_t i;
    for (i = 0; i < TACO__COUNT(t); i++) {
        CHECK(taco__box_crs_range_is_known(text(t[i].low), text(t[i].high)) == t[i].known);
    }
    /* the code is at the end of a long text, but not of one that is longer than is examined */
    memset(big, ' ', sizeof big);
    memcpy(big, "PROJCRS[", 8);
    memcpy(big + TACO__BOX_CRS_BYTES - 18, "ID[\"EPSG\",32630]]", 17);
    CHECK(taco__box_crs_code(taco__bytes_of(big, TACO__BOX_CRS_BYTES - 1)) == 32630);
    memset(big + 8, ' ', sizeof big - 8);
    memcpy(big + TACO__BOX_CRS_BYTES - 17, "ID[\"EPSG\",32630]]", 17);
    CHECK(taco__box_crs_code(taco__bytes_of(big, TACO__BOX_CRS_BYTES)) == 0);
    CHECK(taco__box_crs_code(text("EPSG:32630")) == 32630 && taco__box_crs_code(text("")) == 0);
    CHECK(taco__box_crs_is_computed(32630) && !taco__box_crs_is_computed(4326) &&
          !taco__box_crs_is_computed(2154) && !taco__box_crs_is_computed(0));
}

/* A point, or a line if there are two, as WKB in one byte order or the other. */
static size_t wkb_of(uint8_t *out, bool big, const double *xy, uint32_t points)
{
    uint32_t type = points > 1 ? 2 : 1, i;
    size_t n = 0;
    out[n++] = big ? 0 : 1;
    for (i = 0; i < 4; i++) {
        out[n++] = (uint8_t)(type >> 8 * (big ? 3 - i : i));
    }
    for (i = 0; points > 1 && i < 4; i++) {
        out[n++] = (uint8_t)(points >> 8 * (big ? 3 - i : i));
    }
    for (i = 0; i < 2 * points; i++, n += 8) {
        taco__wkb_put_coordinate(out + n, xy[i], big);
    }
    return n;
}

static int meets(const double box[4], int32_t code, const double *xy, uint32_t points, bool big)
{
    uint8_t wkb[64], before[64];
    size_t n = wkb_of(wkb, big, xy, points);
    taco__mem mem;
    taco__buf scratch;
    taco_error err;
    bool hit = false, ok;
    memset(&err, 0, sizeof err);
    memset(&scratch, 0, sizeof scratch);
    taco__mem_init(&mem, NULL);
    scratch.mem = &mem;
    memcpy(before, wkb, n);
    ok = taco__box_meets(box, code, taco__bytes_of(wkb, n), &scratch, &hit, &err);
    CHECK(memcmp(before, wkb, n) == 0); /* only the copy is moved */
    taco__buf_free(&scratch);
    return ok ? hit : -1;
}

static void geometries_and_boxes(void)
{
    static const double spain[4] = {-3.1, 36, -2.9, 37}, west[4] = {-180, -10, -179.9, 10};
    static const double east[4] = {179.9, -10, 180, 10}, both[4] = {-180, -10, 180, 10};
    static const double middle[2] = {500000, 4000000}, aside[2] = {600000, 4000000};
    /* over the antimeridian on the equator: zone 60 past its edge, zone 1 before its own */
    static const double over60[4] = {833000, 0, 835000, 0}, over1[4] = {167000, 0, 165000, 0};
    static const double beyond60[2] = {836000, 0}, beyond1[2] = {164000, 0};
    static const double none[2] = {NAN, NAN};
    int big;
    for (big = 0; big < 2; big++) {
        CHECK(meets(spain, 32630, middle, 1, big) == 1);
        CHECK(meets(spain, 32630, aside, 1, big) == 0);
        CHECK(meets(spain, 32631, middle, 1, big) == 0);
        CHECK(meets(spain, 32730, middle, 1, big) == 0); /* south of the equator */
        CHECK(meets(east, 32660, over60, 2, big) == 1);
        CHECK(meets(west, 32660, over60, 2, big) == 1);
        CHECK(meets(east, 32601, over1, 2, big) == 1);
        CHECK(meets(west, 32601, over1, 2, big) == 1);
        CHECK(meets(west, 32660, beyond60, 1, big) == 1);
        CHECK(meets(east, 32660, beyond60, 1, big) == 0);
        CHECK(meets(east, 32601, beyond1, 1, big) == 1);
        CHECK(meets(west, 32601, beyond1, 1, big) == 0);
        CHECK(meets(both, 32660, over60, 2, big) == 1);
        CHECK(meets(spain, 32660, over60, 2, big) == 0);
        CHECK(meets(both, 32630, none, 1, big) == 0);
    }
}

/* Web mercator has no antimeridian inside: a footprint may be as wide as the world. */
static void wide_footprints(void)
{
    const double edge = 20037508.342789244;
    const double world[4] = {-edge, -edge, edge, edge},
                 wide[4] = {-edge / 1.8, -5e6, edge / 1.8, 5e6};
    /* from 170 degrees on, to 170 of the next turn */
    const double over[4] = {edge * 17 / 18, 0, edge * 37 / 18, 0};
    static const double near[4] = {1, 0, 2, 2}, east[4] = {120, 0, 121, 1};
    static const double west[4] = {-179, 0, -178, 1}, last[4] = {179.9, 0, 180, 1};
    static const double away[4] = {160, -1, 169, 1}, first[4] = {-180, -1, -179, 1};
    CHECK(meets(near, 3857, world, 2, false) == 1 && meets(near, 3857, wide, 2, false) == 1);
    CHECK(meets(east, 3857, wide, 2, false) == 0 && meets(west, 3857, wide, 2, false) == 0);
    CHECK(meets(away, 3857, over, 2, false) == 0 && meets(first, 3857, over, 2, true) == 1);
    CHECK(meets(last, 3857, over, 2, false) == 1 && meets(first, 3857, wide, 2, false) == 0);
}

/* WKB that is cut off is TRUNCATED, and memory that is not there is told, both with nothing left. */
static void broken_geometries(void)
{
    static const double box[4] = {-180, -90, 180, 90}, xy[4] = {500000, 0, 500000, 10};
    uint8_t wkb[64];
    size_t n = wkb_of(wkb, false, xy, 2), cut;
    taco_options opt;
    taco__mem mem;
    taco__buf scratch;
    taco_error err;
    bool hit;
    taco__mem_init(&mem, NULL);
    memset(&scratch, 0, sizeof scratch);
    scratch.mem = &mem;
    for (cut = 1; cut < n; cut++) {
        memset(&err, 0, sizeof err);
        CHECK(!taco__box_meets(box, 32630, taco__bytes_of(wkb, cut), &scratch, &hit, &err));
        CHECK(err.code == TACO_ERR_TRUNCATED);
    }
    taco__buf_free(&scratch);
    memset(&opt, 0, sizeof opt);
    opt.limits.max_memory = 1;
    taco__mem_init(&mem, &opt);
    memset(&scratch, 0, sizeof scratch);
    memset(&err, 0, sizeof err);
    scratch.mem = &mem;
    CHECK(!taco__box_meets(box, 32630, taco__bytes_of(wkb, n), &scratch, &hit, &err));
    CHECK(err.code == TACO_ERR_LIMIT);
    taco__buf_free(&scratch);
}

/* Codes of CRSs in texts of every kind, and texts that have none. */
static void codes_in_texts(void)
{
    static const struct {
        const char *text;
        int32_t code;
    } t[] = {{"EPSG:4326", 4326},
             {"epsg:32630", 32630},
             {"Epsg:32630", 0},
             {"EPSG:", 0},
             {"EPSG:4326x", 0},
             {"EPSG:2147483647", 2147483647},
             {"EPSG:2147483648", 0},
             {"EPSG:99999999999999999999999", 0},
             {"CRS84", 4326},
             {"OGC:CRS84", 4326},
             {"urn:ogc:def:crs:OGC:1.3:CRS84", 4326},
             {"urn:ogc:def:crs:OGC:1.3:CRS83", 0},
             {"urn:ogc:def:crs:EPSG::32630", 32630},
             {"urn:ogc:def:crs:EPSG:9.8:32630", 32630},
             {"PROJCRS[\"x\",ID[\"EPSG\",32630]]", 32630},
             {"PROJCRS[\"x\",ID[\"EPSG\",32630", 0},
             {"PROJCS[\"x\",AUTHORITY[\"EPSG\",\"32630\"]]", 32630},
             {"PROJCS[\"x\"]", 0},
             {"WGS 84", 0}};

    double at[2] = {7, 7};
    size_t i;
    for (i = 0; i < TACO__COUNT(t); i++) {
        CHECK(taco__projection_epsg_code(t[i].text) == t[i].code);
    }
    CHECK(taco__projection_is_geographic(4979) && taco__projection_is_geographic(4258) &&
          taco__projection_is_geographic(4269) && !taco__projection_is_geographic(4267));
    CHECK(taco__projection_inverse(4979, 1, 2, at) && at[0] == 1 && at[1] == 2);
    CHECK(taco__projection_inverse(900913, 0, 0, at) && at[0] == 0 && at[1] == 0);
    CHECK(!taco__projection_inverse(32661, 0, 0, at) && !taco__projection_inverse(32761, 0, 0, at));
    CHECK(!taco__projection_inverse(26900, 0, 0, at) && !taco__projection_inverse(26924, 0, 0, at));
    CHECK(!taco__projection_inverse(25839, 0, 0, at) && !taco__projection_inverse(32700, 0, 0, at));
    CHECK(taco__projection_atan2(0, 0) == 0);
    CHECK(taco__projection_exp(-701) == 0 && taco__projection_exp(701) == HUGE_VAL);
    CHECK(taco__projection_exp(-HUGE_VAL) == 0 &&
          taco__projection_exp(NAN) != taco__projection_exp(0));
    /* the poles are infinitely far */
    CHECK(taco__projection_inverse(3857, 0, HUGE_VAL, at) && at[1] > 89.999);
    CHECK(taco__projection_inverse(3857, 0, -1e300, at) && at[1] < -89.999);
}

static bool near_by(double a, double b)
{
    return a - b < b * 1e-12 && b - a < b * 1e-12;
}

/* The doubles next to multiples of pi/2: what is left is the digits of pi that they lack. With the
   x87, whose pi/2 has more digits, a part of it is lost. */
static void quarter_turns(void)
{
    static const struct {
        double x, sine, cosine;
    } t[] = {{1.5707963267948966, 1, 6.123233995736766e-17},
             {-1.5707963267948966, -1, 6.123233995736766e-17},
             {3.141592653589793, 1.2246467991473532e-16, -1},
             {-4.71238898038469, 1, -1.8369701987210297e-16}};

    double s, c;
    size_t i;
    for (i = 0; i < TACO__COUNT(t); i++) {
        const double most = (t[i].x < 0 ? -t[i].x : t[i].x) / 1.57 * 4.9e-17;
        taco__projection_sincos(t[i].x, &s, &c);
        CHECK(s - t[i].sine > -most && s - t[i].sine < most);
        CHECK(c - t[i].cosine > -most && c - t[i].cosine < most);
    }
    /* the same a little before them: what is left is small and has all its digits */
    for (i = 1; i < 5; i++) {
        double x = 1.5707963267948966 - (double)i / (1 << 30), left = 1.5707963267948966 - x;
        taco__projection_sincos(x, &s, &c);
        CHECK(near_by(c, left + 6.123233995736766e-17));
        taco__projection_sincos(-x, &s, &c);
        CHECK(near_by(c, left + 6.123233995736766e-17));
    }
}

/* One of two numbers that is none, of geometries that are moved to degrees, or of a CRS that cannot
   be: the vertex stays as it is. */
static void vertices_that_stay(void)
{
    static const double east[2] = {NAN, 0}, north[2] = {0, NAN}, far[2] = {1e300, 1e300},
                        fine[2] = {0, 0};
    static const int32_t codes[] = {3857, 3857, 32630, 2154};
    const double *const xy[] = {east, north, far, fine};
    uint8_t wkb[64], before[64];
    double w, e;
    size_t i, n;
    for (i = 0; i < 4; i++) {
        n = wkb_of(wkb, false, xy[i], 1);
        memcpy(before, wkb, n);
        CHECK(taco__box_move_to_degrees(codes[i], wkb, n, &w, &e, NULL) == TACO_OK);
        CHECK(memcmp(before, wkb, n) == 0 && w == 0 && e == 0);
    }
}

/* Rows: null ones are not looked at, and the first that is broken ends it. */
static void rows_of_a_batch(void)
{
    static const double xy[2] = {500000, 4000000};
    taco__query_box box = {{{-180, -90, 180, 90}, {0, 0, 0, 0}}, 1};
    uint8_t data[64], bits[1] = {0}, valid = 5;
    size_t n = wkb_of(data, false, xy, 1);
    const char *names = "EPSG:32630EPSG:32630EPSG:32630";
    int32_t at[4] = {0, 0, 0, 0}, to[4] = {0, 10, 20, 30};
    taco_field f, g;
    taco_array a, crs;
    taco__mem mem;
    taco_error err;
    memset(&f, 0, sizeof f);
    memset(&err, 0, sizeof err);
    memset(&a, 0, sizeof a);
    f.type = TACO_BINARY;
    g = f;
    g.type = TACO_TEXT;
    a.field = &f;
    crs = a;
    crs.field = &g;
    a.length = crs.length = 3;
    at[1] = (int32_t)n;
    at[2] = at[3] = (int32_t)n + 3; /* row 1 is broken, row 2 is empty */
    a.offsets = at;
    a.v.any = data;
    crs.offsets = to;
    crs.v.any = names;
    taco__mem_init(&mem, NULL);
    CHECK(!taco__box_in_crs_test(&box, &a, &crs, 3, &mem, bits, NULL, &err));
    CHECK(bits[0] == 1 && strncmp(err.text, "row 1: ", 7) == 0);
    bits[0] = 0;
    a.validity = &valid;
    at[2] = at[1];
    at[3] = 2 * at[1];
    memcpy(data + n, data, n);
    memset(&err, 0, sizeof err);
    CHECK(taco__box_in_crs_test(&box, &a, &crs, 3, &mem, bits, NULL, &err) && bits[0] == 5);
    taco__box_in_crs_warn(NULL, 0, NULL); /* nobody listens */
}

/* "POINT (x y)" and what is not. */
static void points_as_text(void)
{
    static const char *const none[] = {"",          "POINT",       "POINT (",  "POINT (1",
                                       "POINT (1 ", "POINT (1 x)", "POINT ()", "POINT (  )"};
    double xy[2] = {0, 0};
    size_t i;
    CHECK(taco__wkb_point_from_text(text("POINT (1 -2.5)"), xy) && xy[0] == 1 && xy[1] == -2.5);
    CHECK(taco__wkb_point_from_text(text("POINT(  3   4 )"), xy) && xy[0] == 3 && xy[1] == 4);
    CHECK(taco__wkb_point_from_text(text("POINT (5 6"), xy) && xy[0] == 5 && xy[1] == 6);
    for (i = 0; i < TACO__COUNT(none); i++) {
        CHECK(!taco__wkb_point_from_text(text(none[i]), xy));
    }
    CHECK(!taco__wkb_point_from_text(taco__bytes_of(NULL, 0), xy));
}

/* Bounds of the geometries of a row group leave it out, unless they contradict themselves, go across
   180 degrees, or are of another CRS than the box. */
static void bounds_of_geometries(void)
{
    static const struct {
        double x[2], y[2];
        bool may;
    } t[] = {
        {{0, 1}, {0, 1}, true},      {{10, 11}, {0, 1}, true},       {{10.5, 11}, {0, 1}, false},
        {{0, 1}, {10.5, 11}, false}, {{0, 1}, {-2, -0.5}, false},    {{-2, -0.5}, {0, 1}, false},
        {{170, -170}, {0, 1}, true}, {{170, -170}, {11, 12}, false}, {{20, 21}, {3, 2}, true},
        {{NAN, 30}, {0, 1}, true},   {{20, NAN}, {0, 1}, true},      {{20, 30}, {NAN, 1}, true},
        {{20, 30}, {0, 1}, false}};

    static const double in[4] = {0, 0, 10, 10}, over[4] = {170, 0, -170, 10};
    taco__pq_geo_bounds g;
    taco__query_box box;
    taco__column_stats r, crs;
    taco_error err;
    size_t i;
    memset(&g, 0, sizeof g);
    memset(&r, 0, sizeof r);
    memset(&crs, 0, sizeof crs);
    memset(&err, 0, sizeof err);
    CHECK(taco__intersect_split_box(in, box.edge, &box.n, &err) == TACO_OK && box.n == 1);
    CHECK(taco__query_box_prune(&box, &r) & TACO__MAY_TRUE);
    r.geo = &g;
    r.row_count = crs.row_count = 5;
    for (i = 0; i < TACO__COUNT(t); i++) {
        g.xmin = t[i].x[0];
        g.xmax = t[i].x[1];
        g.ymin = t[i].y[0];
        g.ymax = t[i].y[1];
        CHECK(((taco__query_box_prune(&box, &r) & TACO__MAY_TRUE) != 0) == t[i].may);
    }
    crs.has_min = crs.has_max = true;
    crs.min.b = crs.max.b = taco__bytes_text("EPSG:4326");
    CHECK(!(taco__box_in_crs_prune(&box, &r, &crs) & TACO__MAY_TRUE));
    crs.max.b = taco__bytes_text("EPSG:4327");
    CHECK(taco__box_in_crs_prune(&box, &r, &crs) & TACO__MAY_TRUE);
    crs.min.b = crs.max.b = taco__bytes_text("EPSG:32630");
    CHECK(taco__box_in_crs_prune(&box, &r, &crs) & TACO__MAY_TRUE);
    crs.null_count = 5;
    CHECK(!(taco__box_in_crs_prune(&box, &r, &crs) & TACO__MAY_TRUE));
    CHECK(taco__intersect_split_box(over, box.edge, &box.n, &err) == TACO_OK && box.n == 2);
    CHECK(!(taco__query_box_prune(&box, &r) & TACO__MAY_TRUE));
    g.xmin = -179;
    g.xmax = -175;
    CHECK(taco__query_box_prune(&box, &r) & TACO__MAY_TRUE);
    g.xmin = 181;
    g.xmax = 182;
    CHECK(taco__query_box_prune(&box, &r) & TACO__MAY_TRUE);
}

int main(void)
{
    RUN(boxes_in_degrees);
    RUN(codes_of_boxes);
    RUN(geometries_and_boxes);
    RUN(wide_footprints);
    RUN(broken_geometries);
    RUN(codes_in_texts);
    RUN(quarter_turns);
    RUN(vertices_that_stay);
    RUN(rows_of_a_batch);
    RUN(points_as_text);
    RUN(bounds_of_geometries);
    return test_end("test_box_edges");
}
