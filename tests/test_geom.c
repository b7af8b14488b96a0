/* WKB: traversal and its errors, exact box intersection, whole columns. */
#include "../src/geo/intersect.c"
#include "../src/base/base.h"
#include "../taco_parquet.h"
#include "../taco.h"

#include "test.h"

/* ---- a small WKB writer ---- */

typedef struct wkb {
    uint8_t data[4096];
    size_t len;
    bool big;
} wkb;

static void put32(wkb *b, uint32_t x)
{
    size_t i;
    for (i = 0; i < 4; i++) {
        b->data[b->len++] = (uint8_t)(x >> (b->big ? 24 - 8 * i : 8 * i));
    }
}

static void put_double(wkb *b, double d)
{
    uint64_t x = taco__f64_to_bits(d);
    size_t i;
    for (i = 0; i < 8; i++) {
        b->data[b->len++] = (uint8_t)(x >> (b->big ? 56 - 8 * i : 8 * i));
    }
}

static void begin(wkb *b, uint32_t type)
{
    b->data[b->len++] = (uint8_t)(b->big ? 0 : 1);
    put32(b, type);
}

static void begin_count(wkb *b, uint32_t type, uint32_t count)
{
    begin(b, type);
    put32(b, count);
}

static void points(wkb *b, const double *xy, size_t n)
{
    size_t i;
    put32(b, (uint32_t)n);
    for (i = 0; i < 2 * n; i++) {
        put_double(b, xy[i]);
    }
}

static void point(wkb *b, double x, double y)
{
    begin(b, 1);
    put_double(b, x);
    put_double(b, y);
}

static void square(wkb *b, double west, double south, double east, double north)
{
    double xy[10];
    xy[0] = xy[6] = xy[8] = west;
    xy[2] = xy[4] = east;
    xy[1] = xy[3] = xy[9] = south;
    xy[5] = xy[7] = north;
    points(b, xy, 5);
}

static wkb empty(bool big)
{
    wkb b;
    memset(&b, 0, sizeof b);
    b.big = big;
    return b;
}

/* 1 hit, 0 miss, 2 error. */
static int test_box(const wkb *b, double west, double south, double east, double north)
{
    double in[4], box[4];
    bool hit = false;
    taco_error err;
    memset(&err, 0, sizeof err);
    in[0] = west;
    in[1] = south;
    in[2] = east;
    in[3] = north;
    if (taco__intersect_normalize_box(in, box, &err) != TACO_OK ||
        taco__intersect_wkb_box(taco__bytes_of(b->data, b->len), box, &hit, &err) != TACO_OK) {
        return 2;
    }
    return hit ? 1 : 0;
}

static taco_error failure(const wkb *b)
{
    static const double box[4] = {0, 0, 1, 1};
    taco_error err;
    bool hit = true;
    memset(&err, 0, sizeof err);
    CHECK(taco__intersect_wkb_box(taco__bytes_of(b->data, b->len), box, &hit, &err) == err.code);
    CHECK(!hit || err.code == TACO_OK);
    return err;
}

#define CHECK_FAIL(b, status, at, message)                                                         \
    do {                                                                                           \
        taco_error test_e = failure(b);                                                            \
        CHECK(test_e.code == (status));                                                            \
        CHECK(test_e.offset == (at));                                                              \
        CHECK_TEXT(test_e.text, message);                                                          \
    } while (0)

/* ---- shapes ---- */

static void test_point(void)
{
    double inf = taco__f64_from_bits(0x7FF0000000000000U);
    int order;
    for (order = 0; order < 2; order++) {
        wkb b = empty(order == 1);
        point(&b, 5, 6);
        CHECK(test_box(&b, 0, 0, 10, 10) == 1);
        CHECK(test_box(&b, 10, 10, 0, 0) == 1); /* swapped corners */
        CHECK(test_box(&b, 5, 6, 5, 6) == 1);   /* a box of one point */
        CHECK(test_box(&b, 5, 0, 5, 10) == 1);
        CHECK(test_box(&b, 5, 6, 9, 9) == 1); /* corner contact */
        CHECK(test_box(&b, 5.000001, 0, 9, 9) == 0);
        CHECK(test_box(&b, 0, 0, 5, 5.999999) == 0);
        CHECK(test_box(&b, -inf, -inf, inf, inf) == 1); /* infinity: no bound */
    }
}

static void test_nothing(void)
{
    double nan = taco__f64_from_bits(0x7FF8000000000000U),
           inf = taco__f64_from_bits(0x7FF0000000000000U);
    double line[4], box[4], in[4] = {0, 0, 1, 1};
    wkb b;
    b = empty(false);
    point(&b, nan, nan); /* POINT EMPTY */
    CHECK(test_box(&b, -180, -90, 180, 90) == 0);
    b = empty(false);
    point(&b, nan, 5);
    CHECK(test_box(&b, -180, -90, 180, 90) == 0);
    b = empty(false);
    point(&b, inf, 5);
    CHECK(test_box(&b, -180, -90, 180, 90) == 0);
    b = empty(false);
    begin_count(&b, 3, 0); /* POLYGON EMPTY */
    CHECK(test_box(&b, -180, -90, 180, 90) == 0);
    b = empty(false);
    begin_count(&b, 3, 2); /* a polygon of empty rings */
    put32(&b, 0);
    put32(&b, 0);
    CHECK(test_box(&b, -180, -90, 180, 90) == 0);
    b = empty(true);
    begin_count(&b, 7, 2); /* empty parts do not hide the others */
    begin_count(&b, 2, 0);
    point(&b, 1, 1);
    CHECK(test_box(&b, 0, 0, 2, 2) == 1);
    CHECK(test_box(&b, 2, 2, 3, 3) == 0);
    line[0] = -5;
    line[1] = line[3] = 5;
    line[2] = nan;
    b = empty(false);
    begin(&b, 2);
    points(&b, line, 2);
    CHECK(test_box(&b, 0, 0, 10, 10) == 0); /* no segment without both ends */
    CHECK(test_box(&b, -6, 0, 10, 10) == 1);
    line[2] = inf;
    line[3] = inf;
    b = empty(false);
    begin(&b, 2);
    points(&b, line, 2);
    CHECK(test_box(&b, 0, 0, 10, 10) == 0);
    in[2] = nan;
    {
        taco_error err;
        memset(&err, 0, sizeof err);
        CHECK(taco__intersect_normalize_box(in, box, &err) == TACO_ERR_ARGUMENT);
        CHECK_TEXT(err.text, "bounding box: east is not a number");
    }
}

static void test_line(void)
{
    static const double diagonal[4] = {0, 0, 10, 10}, bent[6] = {0, 5, 5, 0, 9, 5},
                        twice[4] = {3, 3, 3, 3};
    int order;
    for (order = 0; order < 2; order++) {
        wkb b = empty(order == 1);
        begin(&b, 2);
        points(&b, diagonal, 2);
        CHECK(test_box(&b, 4, 4, 6, 6) == 1);
        CHECK(test_box(&b, 4, 2, 6, 4) == 1); /* touches the corner (4, 4) */
        CHECK(test_box(&b, 4, 6, 6, 8) == 1); /* touches (6, 6) */
        CHECK(test_box(&b, 4.0000001, 2, 6, 4) == 0);
        CHECK(test_box(&b, 10, 10, 12, 12) == 1);
        CHECK(test_box(&b, 10.1, 10.1, 12, 12) == 0);
        CHECK(test_box(&b, 5, 5, 5, 5) == 1); /* a point of the line */
        CHECK(test_box(&b, 5, 4, 5, 4) == 0);
        CHECK(test_box(&b, 3, 0, 3, 10) == 1); /* a box that is a line */
        CHECK(test_box(&b, 3, 4, 3, 10) == 0);
        CHECK(test_box(&b, -100, 2, 100, 2) == 1);
        b = empty(order == 1);
        begin(&b, 2);
        points(&b, bent, 3);
        CHECK(test_box(&b, 0, 0, 2, 2) == 0); /* inside the bounds, off the line */
        CHECK(test_box(&b, 0, 0, 2.5, 2.5) == 1);
        CHECK(test_box(&b, 7, 0, 9, 2) == 0);
        CHECK(test_box(&b, 7, 0, 9, 2.5) == 1);
        b = empty(order == 1);
        begin(&b, 2);
        points(&b, twice, 2);
        CHECK(test_box(&b, 3, 3, 4, 4) == 1);
        CHECK(test_box(&b, 3.5, 3, 4, 4) == 0);
    }
}

/* A line from outside that ends on a side or a corner of the box touches it, in either direction; one
   that ends a little before it does not. */
static void test_line_to_sides(void)
{
    static const double ends[][4] = {{20, 50, 20, 40}, {20, 10, 20, 20}, {0, 30, 10, 30},
                                     {40, 30, 30, 30}, {20, 50, 25, 40}, {0, 50, 10, 40},
                                     {40, 10, 30, 20}, {9, 50, 10, 40},  {40, 41, 30, 40}};
    size_t i;
    for (i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        const double *e = ends[i];
        double turned[4], before[4];
        wkb b = empty(i % 2 != 0);
        turned[0] = e[2];
        turned[1] = e[3];
        turned[2] = e[0];
        turned[3] = e[1];
        begin(&b, 2);
        points(&b, e, 2);
        CHECK(test_box(&b, 10, 20, 30, 40) == 1);
        b = empty(i % 2 != 0);
        begin(&b, 2);
        points(&b, turned, 2);
        CHECK(test_box(&b, 10, 20, 30, 40) == 1);
        memcpy(before, e, sizeof before);
        before[2] += (e[0] - e[2]) / 1024;
        before[3] += (e[1] - e[3]) / 1024;
        b = empty(i % 2 != 0);
        begin(&b, 2);
        points(&b, before, 2);
        CHECK(test_box(&b, 10, 20, 30, 40) == 0);
    }
}

/* As in GEOS, a hole reaches no farther than the bounds of its shell, whatever it says; bounds that
   touch the box are enough. The box is 10 20 30 40, the shell never touches it, the hole does. */
static void test_hole_beyond_shell(void)
{
    static const struct {
        double xy[8];
        size_t n;
        int hit;
    } shells[] = {
        {{0, 0, 100, 20, 100, 0, 0, 0}, 4, 1},   /* its bounds touch the south of the box */
        {{0, 0, 100, 19.5, 100, 0, 0, 0}, 4, 0}, /* and do not */
        {{0, 0, 100, 25, 100, 0, 0, 0}, 4, 1},    {{0, 0, 100, 15, 100, 0, 0, 0}, 4, 0},
        {{0, 50, 100, 50, 100, 40, 0, 50}, 4, 1}, /* the north */
        {{0, 50, 100, 50, 100, 35, 0, 50}, 4, 1}, {{0, 60, 100, 60, 100, 45, 0, 60}, 4, 0},
        {{0, 0, 0, 100, 10, 100, 0, 0}, 4, 1}, /* the west */
        {{0, 0, 0, 200, 15, 200, 0, 0}, 4, 1},    {{0, 0, 0, 200, 9.5, 200, 0, 0}, 4, 0},
        {{50, 0, 50, 100, 30, 100, 50, 0}, 4, 1}, /* the east */
        {{50, 0, 50, 100, 35, 100, 50, 0}, 4, 0}, {{50, 0, 50, 100, 31, 100, 50, 0}, 4, 0}};

    size_t i;
    wkb b;
    for (i = 0; i < sizeof shells / sizeof shells[0]; i++) {
        b = empty(false);
        begin_count(&b, 3, 2);
        points(&b, shells[i].xy, shells[i].n);
        square(&b, 12, 22, 14, 24);
        if (test_box(&b, 10, 20, 30, 40) != shells[i].hit) { printf("shell %u\n", (unsigned)i); }
        CHECK(test_box(&b, 10, 20, 30, 40) == shells[i].hit);
    }
    b = empty(false); /* a shell without points has no holes */
    begin_count(&b, 3, 2);
    points(&b, shells[0].xy, 0);
    square(&b, -1, -1, 1, 1);
    CHECK(test_box(&b, -2, -2, 2, 2) == 2);
}

static void test_polygon(void)
{
    static const double triangle[8] = {0, 0, 10, 0, 0, 10, 0, 0}, fold[6] = {1, 1, 5, 5, 1, 1};
    int order;
    for (order = 0; order < 2; order++) {
        wkb b = empty(order == 1);
        begin_count(&b, 3, 2);
        square(&b, 0, 0, 10, 10);
        square(&b, 2, 2, 8, 8);
        CHECK(test_box(&b, -1, -1, 11, 11) == 1); /* box around it */
        CHECK(test_box(&b, 0.5, 0.5, 1, 1) == 1); /* box inside the body */
        CHECK(test_box(&b, 3, 3, 7, 7) == 0);     /* box inside the hole */
        CHECK(test_box(&b, 2, 2, 8, 8) == 1);     /* box that is the hole */
        CHECK(test_box(&b, 3, 3, 8, 7) == 1);     /* touches the rim of the hole */
        CHECK(test_box(&b, 5, 5, 5, 5) == 0);
        CHECK(test_box(&b, 1, 1, 1, 1) == 1);
        CHECK(test_box(&b, 2, 2, 2, 2) == 1);
        CHECK(test_box(&b, 3, 3, 7, 11) == 1);
        CHECK(test_box(&b, 10, 3, 12, 7) == 1);
        CHECK(test_box(&b, 10.5, 3, 12, 7) == 0);
        b = empty(order == 1);
        begin(&b, 3);
        put32(&b, 1);
        points(&b, triangle, 4);
        CHECK(test_box(&b, 6, 6, 7, 7) == 0); /* inside the bounds, outside the triangle */
        CHECK(test_box(&b, 5, 5, 7, 7) == 1);
        CHECK(test_box(&b, 1, 1, 2, 2) == 1);
        CHECK(test_box(&b, 20, -1, 30, 1) == 0);
        b = empty(order == 1);
        begin_count(&b, 3, 1);
        points(&b, fold, 3); /* there and back: line work without a body */
        CHECK(test_box(&b, 2, 2, 3, 3) == 1);
        CHECK(test_box(&b, 2, 3, 2.5, 4) == 0);
    }
}

static void test_orders_and_dimensions(void)
{
    /* type codes of a point with Z, M, both; by ISO, by EWKB, by EWKB with an SRID, by both */
    static const struct {
        uint32_t code;
        int extra;
        bool srid;
    } codes[] = {{1001, 1, false},        {2001, 1, false},        {3001, 2, false},
                 {0x80000001U, 1, false}, {0x40000001U, 1, false}, {0xC0000001U, 2, false},
                 {0x20000001U, 0, true},  {0xE0000001U, 2, true},  {0x80000000U + 1001, 1, false}};

    size_t i;
    wkb b;
    for (i = 0; i < TACO__COUNT(codes); i++) {
        int k;
        b = empty(i % 2 == 0);
        begin(&b, codes[i].code);
        if (codes[i].srid) { put32(&b, 4326); }
        put_double(&b, 3);
        put_double(&b, 4);
        for (k = 0; k < codes[i].extra; k++) {
            put_double(&b, 99);
        }
        CHECK(test_box(&b, 3, 4, 3, 4) == 1);
        CHECK(test_box(&b, 98, 98, 100, 100) == 0);
    }
    b = empty(false); /* each geometry has its own byte order and its own dimensions */
    begin_count(&b, 4, 2);
    b.big = true;
    point(&b, 7, 8);
    b.big = false;
    begin(&b, 1001);
    put_double(&b, 1);
    put_double(&b, 2);
    put_double(&b, 3);
    CHECK(test_box(&b, 7, 8, 7, 8) == 1);
    CHECK(test_box(&b, 1, 2, 1, 2) == 1);
    CHECK(test_box(&b, 2, 3, 6, 7) == 0);
    b = empty(false); /* rings close in x and y */
    begin_count(&b, 1003, 1);
    put32(&b, 4);
    {
        static const double xyz[12] = {0, 0, 1, 4, 0, 1, 0, 4, 1, 0, 0, 7};
        for (i = 0; i < 12; i++) {
            put_double(&b, xyz[i]);
        }
    }
    CHECK(test_box(&b, 1, 1, 2, 2) == 1);
}

static void test_collections(void)
{
    wkb b = empty(false);
    begin_count(&b, 7, 3);
    point(&b, 50, 50);
    begin_count(&b, 7, 1);
    begin_count(&b, 6, 2);
    begin_count(&b, 3, 2);
    square(&b, 0, 0, 10, 10);
    square(&b, 1, 1, 9, 9);
    begin_count(&b, 3, 1);
    square(&b, 4, 4, 5, 5); /* an island in the lake */
    begin_count(&b, 7, 0);
    CHECK(test_box(&b, 4.2, 4.2, 4.3, 4.3) == 1);
    CHECK(test_box(&b, 2, 2, 3, 3) == 0);
    CHECK(test_box(&b, 0.2, 0.2, 0.3, 0.3) == 1);
    CHECK(test_box(&b, 49, 49, 51, 51) == 1);
    CHECK(test_box(&b, 20, 20, 30, 30) == 0);
    b = empty(false); /* the second polygon's hole does not undo the first */
    begin_count(&b, 6, 2);
    begin_count(&b, 3, 1);
    square(&b, 0, 0, 10, 10);
    begin_count(&b, 3, 2);
    square(&b, 0, 0, 10, 10);
    square(&b, 1, 1, 9, 9);
    CHECK(test_box(&b, 4, 4, 5, 5) == 1);
}

static void test_depth(void)
{
    wkb b = empty(false);
    int i;
    for (i = 1; i < TACO__WKB_MAX_DEPTH; i++) {
        begin_count(&b, 7, 1);
    }
    point(&b, 1, 1);
    CHECK(test_box(&b, 0, 0, 2, 2) == 1);
    b = empty(false);
    for (i = 0; i < TACO__WKB_MAX_DEPTH; i++) {
        begin_count(&b, 7, 1);
    }
    point(&b, 1, 1);
    CHECK_FAIL(&b, TACO_ERR_UNSUPPORTED, 576U, "at byte 576: WKB: geometries nest deeper than 64");
}

/* ---- rounding ---- */

static void test_orientation(void)
{
    double tiny = taco__f64_from_bits(1), huge = 1.7976931348623157e308,
           ulp = 2.220446049250313e-16;
    int i, k;
    CHECK(taco__intersect_orient(0, 0, 4, 4, 1, 2) == 1);
    CHECK(taco__intersect_orient(0, 0, 4, 4, 2, 1) == -1);
    CHECK(taco__intersect_orient(0, 0, 4, 4, 3, 3) == 0);
    CHECK(taco__intersect_orient(0.1, 0.1, 0.3, 0.3, 0.2, 0.2) == 0);
    /* 0.1 is not 10 * 0.01 in binary */
    CHECK(taco__intersect_orient(0, 0, 10, 1, 0.1, 0.01) != 0);
    CHECK(taco__intersect_orient(0, 0, tiny, 0, 0, tiny) == 1); /* the products underflow */
    CHECK(taco__intersect_orient(0, 0, tiny, tiny, 2 * tiny, 2 * tiny) == 0);
    CHECK(taco__intersect_orient(-huge, -huge, huge, huge, 0, tiny) == 1); /* and overflow */
    CHECK(taco__intersect_orient(-huge, -huge, huge, huge, 0, 0) == 0);
    CHECK(taco__intersect_orient(-huge, -huge, huge, huge, tiny, 0) == -1);
    /* points one unit in the last place off the line through (12, 12) and (24, 24), where naive
       arithmetic goes wrong */
    for (i = 0; i < 16; i++) {
        for (k = 0; k < 16; k++) {
            double x = 0.5 + i * ulp / 2, y = 0.5 + k * ulp / 2;
            CHECK(taco__intersect_orient(12, 12, 24, 24, x, y) == (k > i) - (k < i));
            CHECK(taco__intersect_orient_exact(12, 12, 24, 24, x, y) == (k > i) - (k < i));
        }
    }
}

static void test_near_miss(void)
{
    double xy[4] = {0, 0, 3,
                    1}; /* y = x / 3 passes 0.333.. at x = 1; the nearest double lies below */
    wkb b = empty(false);
    begin(&b, 2);
    points(&b, xy, 2);
    CHECK(test_box(&b, 1, 0, 2, 1.0 / 3) == 0);
    CHECK(test_box(&b, 1, 0, 2, 0.33333333333333337) == 1);
    CHECK(test_box(&b, 0, 1.0 / 3, 1, 2) == 1);
    CHECK(test_box(&b, 0, 0.33333333333333337, 1, 2) == 0);
}

/* ---- refusals ---- */

static void test_headers(void)
{
    wkb b = empty(false);
    CHECK_FAIL(&b, TACO_ERR_TRUNCATED, 0U, "at byte 0: WKB: a geometry needs 5 bytes, 0 are left");
    begin(&b, 1);
    b.len = 4;
    CHECK_FAIL(&b, TACO_ERR_TRUNCATED, 0U, "at byte 0: WKB: a geometry needs 5 bytes, 4 are left");
    b = empty(false);
    point(&b, 1, 2);
    b.len--;
    CHECK_FAIL(&b, TACO_ERR_TRUNCATED, 5U, "at byte 5: WKB: a Point needs 16 bytes, 15 are left");
    b.len += 2;
    CHECK_FAIL(&b, TACO_ERR_CORRUPT, 21U, "at byte 21: WKB: 1 bytes after the end of the geometry");
    b.len--;
    b.data[0] = 2;
    CHECK_FAIL(&b, TACO_ERR_CORRUPT, 0U, "at byte 0: WKB: byte order 2, must be 0 or 1");
    b = empty(true);
    begin_count(&b, 8, 0); /* CircularString */
    CHECK_FAIL(&b, TACO_ERR_UNSUPPORTED, 1U,
               "at byte 1: WKB: geometry type 8, 1 (Point) to 7 (GeometryCollection) are read");
    b = empty(true);
    begin_count(&b, 0, 0);
    CHECK(failure(&b).code == TACO_ERR_UNSUPPORTED);
    b = empty(false);
    begin_count(&b, 4001, 0);
    CHECK(failure(&b).code == TACO_ERR_UNSUPPORTED);
    b = empty(false);
    begin(&b, 0x20000001U);
    CHECK_FAIL(&b, TACO_ERR_TRUNCATED, 5U, "at byte 5: WKB: an SRID needs 4 bytes, 0 are left");
}

static void test_counts(void)
{
    wkb b = empty(false);
    begin_count(&b, 4, UINT32_MAX);
    CHECK_FAIL(&b, TACO_ERR_TRUNCATED, 5U,
               "at byte 5: WKB: 4294967295 parts of 9 bytes or more, 0 bytes are left");
    b = empty(true);
    begin_count(&b, 3, 0x40000000U);
    put32(&b, 0);
    CHECK_FAIL(&b, TACO_ERR_TRUNCATED, 5U,
               "at byte 5: WKB: 1073741824 rings of 4 bytes or more, 4 bytes are left");
    b = empty(false);
    begin_count(&b, 2, 0x10000001U); /* * 16 wraps in 32 bits */
    put_double(&b, 1);
    put_double(&b, 1);
    CHECK_FAIL(&b, TACO_ERR_TRUNCATED, 5U,
               "at byte 5: WKB: 268435457 points of 16 bytes or more, 16 bytes are left");
    b = empty(false);
    begin(&b, 2);
    CHECK_FAIL(&b, TACO_ERR_TRUNCATED, 5U, "at byte 5: WKB: a count needs 4 bytes, 0 are left");
    b = empty(false);
    begin_count(&b, 7, 2);
    point(&b, 0, 0); /* the second part is missing; the first is inside the box */
    CHECK_FAIL(&b, TACO_ERR_TRUNCATED, 30U,
               "at byte 30: WKB: a geometry needs 5 bytes, 0 are left");
}

static void test_rings(void)
{
    static const double open_ring[8] = {0, 0, 4, 0, 4, 4, 0, 1}, two[4] = {1, 1, 1, 1};
    wkb b = empty(false);
    begin_count(&b, 3, 1);
    points(&b, open_ring, 4);
    CHECK_FAIL(&b, TACO_ERR_CORRUPT, 61U,
               "at byte 61: WKB: ring 0 is not closed, its last point is not its first");
    b = empty(false);
    begin_count(&b, 3, 1);
    points(&b, two, 2);
    CHECK_FAIL(&b, TACO_ERR_CORRUPT, 9U, "at byte 9: WKB: a ring of 2 points, needs 3 or more");
    b = empty(false);
    begin_count(&b, 3, 2);
    put32(&b, 0);
    square(&b, 0, 0, 1, 1);
    CHECK_FAIL(&b, TACO_ERR_CORRUPT, 13U,
               "at byte 13: WKB: ring 1 has 5 points, but the first ring is empty");
    b = empty(false);
    begin(&b, 2);
    points(&b, two, 1);
    CHECK_FAIL(&b, TACO_ERR_CORRUPT, 5U, "at byte 5: WKB: a LineString of 1 point, needs 0 or 2");
    b = empty(false);
    begin_count(&b, 5, 1);
    point(&b, 1, 1);
    CHECK_FAIL(&b, TACO_ERR_CORRUPT, 9U, "at byte 9: WKB: a Point inside a MultiLineString");
}

/* Every prefix of a geometry is an error, and so is every damaged byte or it is read in full;
   nothing is read past. */
static void test_every_prefix(void)
{
    wkb b = empty(false);
    size_t i;
    begin_count(&b, 7, 2);
    begin_count(&b, 1006, 1);
    begin_count(&b, 3, 2);
    square(&b, 0, 0, 10, 10);
    square(&b, 2, 2, 3, 3);
    b.big = true;
    begin_count(&b, 4, 1);
    point(&b, 1, 1);
    CHECK(test_box(&b, 0, 0, 1, 1) == 1);
    for (i = 0; i < b.len; i++) {
        uint8_t *copy = (uint8_t *)malloc(
            i ? i : 1); /* exact size, so that the sanitizer sees a read past it */
        double box[4] = {0, 0, 1, 1};
        bool hit;
        taco_error err;
        memset(&err, 0, sizeof err);
        if (copy) {
            memcpy(copy, b.data, i);
            CHECK(taco__intersect_wkb_box(taco__bytes_of(copy, i), box, &hit, &err) ==
                  TACO_ERR_TRUNCATED);
            CHECK(err.offset <= i);
            free(copy);
        }
    }
    for (i = 0; i < b.len * 8; i++) {
        wkb c = b;
        c.data[i / 8] = (uint8_t)(c.data[i / 8] ^ 1U << (i % 8));
        (void)test_box(&c, 0, 0, 1, 1);
    }
}

/* A ring with a missing coordinate crosses the ray an odd number of times, from boxes outside
   too. */
static void test_broken_ring(void)
{
    double xy[8] = {6, 5, 6, 0, 0, 0, 6, 5};
    wkb b = empty(false);
    begin_count(&b, 3, 1);
    points(&b, xy, 4);
    CHECK(test_box(&b, 2, 0.25, 4, 1) == 1);
    xy[5] = taco__f64_from_bits(0x7FF8000000000000U);
    b = empty(false);
    begin_count(&b, 3, 1);
    points(&b, xy, 4);
    CHECK(test_box(&b, 2, 0.25, 4, 1) == 0);
    CHECK(test_box(&b, 6, 1, 7, 2) == 1); /* its whole segments still count */
    xy[4] = xy[5] = taco__f64_from_bits(0xFFF0000000000000U);
    b = empty(false);
    begin_count(&b, 3, 1);
    points(&b, xy, 4);
    CHECK(test_box(&b, 2, 0.25, 4, 1) == 0);
}

/* ---- the walk, bounds ---- */

static void test_walk(void)
{
    static const int want[] = {TACO__WKB_BEGIN, TACO__WKB_BEGIN, TACO__WKB_RUN, TACO__WKB_END,
                               TACO__WKB_BEGIN, TACO__WKB_RUN,   TACO__WKB_RUN, TACO__WKB_END,
                               TACO__WKB_END,   TACO__WKB_DONE};
    taco__wkb_reader w;
    taco__wkb_item item;
    size_t i;
    wkb b = empty(true);
    begin_count(&b, 7, 2);
    point(&b, 1, 2);
    begin_count(&b, 3, 2);
    square(&b, 0, 0, 9, 9);
    square(&b, 1, 1, 2, 2);
    taco__wkb_reader_init(&w, taco__bytes_of(b.data, b.len));
    for (i = 0; i < TACO__COUNT(want); i++) {
        CHECK(taco__wkb_next(&w, &item, NULL) == TACO_OK);
        CHECK((int)item.what == want[i]);
        if (i == 0) {
            CHECK(item.type == TACO__WKB_COLLECTION && item.count == 2);
        } else if (i == 2) {
            CHECK(item.n == 1 && taco__wkb_coordinate(item.xy + 8, item.big) == 2);
        } else if (i == 6) {
            CHECK(item.index == 1 && item.n == 5 && item.stride == 16);
        }
    }
    CHECK_TEXT(taco__wkb_type_name(TACO__WKB_MULTIPOLYGON), "MultiPolygon");
    CHECK_TEXT(taco__wkb_type_name(77), "geometry");
}

static void test_bounds(void)
{
    double out[4], nan = taco__f64_from_bits(0x7FF8000000000000U);
    bool none = true;
    taco_error err;
    wkb b = empty(false);
    memset(&err, 0, sizeof err);
    begin_count(&b, 4, 3);
    point(&b, 3, -4);
    point(&b, nan, nan);
    point(&b, -5, 6);
    CHECK(taco__wkb_bounds(taco__bytes_of(b.data, b.len), out, &none, &err) == TACO_OK);
    CHECK(!none && out[0] == -5 && out[1] == -4 && out[2] == 3 && out[3] == 6);
    b.len--;
    CHECK(taco__wkb_bounds(taco__bytes_of(b.data, b.len), out, &none, &err) == TACO_ERR_TRUNCATED);
    b = empty(false);
    begin_count(&b, 7, 0);
    CHECK(taco__wkb_bounds(taco__bytes_of(b.data, b.len), out, &none, NULL) == TACO_OK);
    CHECK(none);
}

/* ---- columns ---- */

static const double test_lima[4] = {-80, -15, -70, -10};

static void column_of(taco_array *a, taco_field *f, taco_type type, size_t length,
                      const int32_t *offsets, const uint8_t *values)
{
    memset(a, 0, sizeof *a);
    memset(f, 0, sizeof *f);
    f->type = type;
    f->width = type == TACO_FIXED ? 21 : 0;
    a->field = f;
    a->length = length;
    a->offsets = offsets;
    a->v.u8 = values;
}

static void test_filter(void)
{
    wkb b = empty(false);
    int32_t offsets[11];
    uint8_t bits[2] = {0xFF, 0xFF}, validity[2] = {0xFD, 0xFF};
    taco_field f;
    taco_array a;
    taco_error err;
    size_t i;
    memset(&err, 0, sizeof err);
    /* rows 0, 3, 6, 9 are in the box; 1 is null; 6 is big-endian; 9 is a MultiPoint */
    for (i = 0; i < 10; i++) {
        offsets[i] = (int32_t)b.len;
        b.big = i == 6;
        if (i == 9) { begin_count(&b, 4, 1); }
        point(&b, i % 3 == 0 ? -77 : 10, -12);
    }
    offsets[10] = (int32_t)b.len;
    column_of(&a, &f, TACO_BINARY, 10, offsets, b.data);
    CHECK(taco__intersect_filter(&a, test_lima, bits, &err) == TACO_OK);
    CHECK(bits[0] == 0x49 && bits[1] == 0x02);
    a.validity = validity;
    memset(b.data + offsets[1], 0, 21); /* a null row may hold anything */
    CHECK(taco__intersect_filter(&a, test_lima, bits, &err) == TACO_OK);
    CHECK(bits[0] == 0x49 && bits[1] == 0x02);
    a.validity = NULL;
    CHECK(taco__intersect_filter(&a, test_lima, bits, &err) == TACO_ERR_UNSUPPORTED);
    CHECK_TEXT(
        err.text,
        "row 1: at byte 1: WKB: geometry type 0, 1 (Point) to 7 (GeometryCollection) are read");
    memset(&err, 0, sizeof err);
    a.validity = validity;
    offsets[8] = offsets[7]; /* row 7 is empty bytes */
    CHECK(taco__intersect_filter(&a, test_lima, bits, &err) == TACO_ERR_TRUNCATED);
    CHECK_TEXT(err.text, "row 7: at byte 0: WKB: a geometry needs 5 bytes, 0 are left");
    memset(&err, 0, sizeof err);
    column_of(&a, &f, TACO_FIXED, 4, NULL, b.data);
    b.data[offsets[1]] = b.data[offsets[1] + 1] = 1;
    CHECK(taco__intersect_filter(&a, test_lima, bits, &err) == TACO_OK);
    CHECK(bits[0] == 0x09);
    column_of(&a, &f, TACO_DOUBLE, 4, NULL, b.data);
    CHECK(taco__intersect_filter(&a, test_lima, bits, &err) == TACO_ERR_TYPE);
    CHECK_TEXT(err.text, "a geometry column must be binary (WKB)");
    column_of(&a, &f, TACO_NULL, 9, NULL, NULL);
    CHECK(taco__intersect_filter(&a, test_lima, bits, NULL) == TACO_OK);
    CHECK(bits[0] == 0 && bits[1] == 0);
}

static void test_filter_dictionary(void)
{
    static const int32_t index[6] = {1, 0, 1, 2, 0, 3};
    static const uint8_t validity[1] = {0x1F}, dictionary_validity[1] = {0x0B};
    wkb b = empty(false);
    int32_t offsets[5], bad_index[1] = {-1};
    uint8_t bits[1];
    taco_field f, g;
    taco_array a, d;
    taco_error err;
    memset(&err, 0, sizeof err);
    offsets[0] = 0;
    point(&b, 10, 10);
    offsets[1] = (int32_t)b.len;
    point(&b, -77, -12);
    offsets[2] = (int32_t)b.len;
    offsets[3] =
        (int32_t)b.len; /* entry 2 is null, entry 3 is nonsense that only a null row names */
    b.data[b.len++] = 9;
    offsets[4] = (int32_t)b.len;
    column_of(&a, &f, TACO_BINARY, 6, NULL, NULL);
    column_of(&d, &g, TACO_BINARY, 4, offsets, b.data);
    d.validity = dictionary_validity;
    a.v.i32 = index;
    a.dictionary = &d;
    a.validity = validity;
    CHECK(taco__intersect_filter(&a, test_lima, bits, &err) == TACO_OK);
    CHECK(bits[0] == 0x05);
    a.validity = NULL;
    CHECK(taco__intersect_filter(&a, test_lima, bits, &err) == TACO_ERR_TRUNCATED);
    CHECK_TEXT(err.text, "row 5: at byte 0: WKB: a geometry needs 5 bytes, 1 are left");
    memset(&err, 0, sizeof err);
    a.length = 1;
    a.v.i32 = bad_index;
    CHECK(taco__intersect_filter(&a, test_lima, bits, &err) == TACO_ERR_CORRUPT);
    CHECK_TEXT(err.text, "row 0: dictionary index -1, dictionary has 4 entries");
}

/* More entries than results are remembered of, some tested twice; none of them null. */
static void test_filter_large_dictionary(void)
{
    enum { ENTRIES = 5000 };

    static uint8_t data[ENTRIES * 21];
    static int32_t offsets[ENTRIES + 1], index[2 * ENTRIES];
    static uint8_t bits[2 * ENTRIES / 8];
    taco_field f, g;
    taco_array a, d;
    size_t i, wrong = 0;
    for (i = 0; i < ENTRIES; i++) {
        wkb b = empty(i % 3 == 0); /* points of both byte orders */
        if (i % 7) {
            point(&b, -77, i % 2 ? -12 : 12);
        } else { /* as many bytes, of another type: a polygon of three empty rings */
            begin_count(&b, 3, 3);
            points(&b, NULL, 0);
            points(&b, NULL, 0);
            points(&b, NULL, 0);
        }
        memcpy(data + offsets[i], b.data, b.len);
        offsets[i + 1] = offsets[i] + (int32_t)b.len;
        index[i] = index[ENTRIES + i] = (int32_t)i;
    }
    column_of(&a, &f, TACO_BINARY, 2 * ENTRIES, NULL, NULL);
    column_of(&d, &g, TACO_BINARY, ENTRIES, offsets, data);
    a.v.i32 = index;
    a.dictionary = &d;
    CHECK(taco__intersect_filter(&a, test_lima, bits, NULL) == TACO_OK);
    for (i = 0; i < 2 * ENTRIES; i++) {
        size_t at = i % ENTRIES;
        wrong += taco__bitmap_get(bits, i) != (at % 7 && at % 2);
    }
    CHECK(wrong == 0);
}

/* Numbers that are none or have no end, at each corner of a triangle; and where only one of two
   comparisons decides. */
static void test_no_lines(void)
{
    const double nan = taco__f64_from_bits(UINT64_C(0x7FF8000000000000)),
                 inf = taco__f64_from_bits(UINT64_C(0x7FF0000000000000)), none[] = {nan, inf};
    const double box[4] = {0, 0, 1, 1};
    size_t i;
    for (i = 0; i < 2; i++) {
        double x = none[i];
        CHECK(taco__intersect_orient_exact(x, 0, 1, 1, 2, 2) == TACO__INTERSECT_NAN);
        CHECK(taco__intersect_orient_exact(0, x, 1, 1, 2, 2) == TACO__INTERSECT_NAN);
        CHECK(taco__intersect_orient_exact(0, 0, x, 1, 2, 2) == TACO__INTERSECT_NAN);
        CHECK(taco__intersect_orient_exact(0, 0, 1, x, 2, 2) == TACO__INTERSECT_NAN);
        CHECK(taco__intersect_orient_exact(0, 0, 1, 1, x, 2) == TACO__INTERSECT_NAN);
        CHECK(taco__intersect_orient_exact(0, 0, 1, 1, 2, x) == TACO__INTERSECT_NAN);
    }
    CHECK(taco__intersect_orient_exact(0, 0, 1, 1, 2, 2) == 0);
    CHECK(taco__intersect_orient_exact(0, 0, 1, 0, 0, 1e-300) == 1);
    CHECK(taco__intersect_orient_exact(0, 0, 1, 0, 0, 1e300) == 1);
    CHECK(taco__intersect_orient_exact(0, 0, 1, 0, 0, -1e300) == -1);
    /* along the sides, within and beyond */
    CHECK(taco__intersect_segment_box(-1, 0.5, 2, 0.5, box));
    CHECK(taco__intersect_segment_box(0.5, -1, 0.5, 2, box));
    CHECK(taco__intersect_segment_box(-1, 0.5, 2, 0.9, box));
    CHECK(!taco__intersect_segment_box(-1, 0.5, 0.5, 3, box));
    CHECK(taco__intersect_segment_box(-1, 0.5, 0.9, 1.05, box));
    CHECK(!taco__intersect_segment_box(-1, 0.9, 2, 5, box));
}

int main(void)
{
    RUN(test_point);
    RUN(test_nothing);
    RUN(test_line);
    RUN(test_line_to_sides);
    RUN(test_polygon);
    RUN(test_hole_beyond_shell);
    RUN(test_orders_and_dimensions);
    RUN(test_collections);
    RUN(test_depth);
    RUN(test_orientation);
    RUN(test_near_miss);
    RUN(test_headers);
    RUN(test_counts);
    RUN(test_rings);
    RUN(test_every_prefix);
    RUN(test_broken_ring);
    RUN(test_walk);
    RUN(test_bounds);
    RUN(test_filter);
    RUN(test_filter_dictionary);
    RUN(test_filter_large_dictionary);
    RUN(test_no_lines);
    return test_end("test_geom");
}
