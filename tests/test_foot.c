/* Footprints: WKB as GeoJSON, tiles on the globe, feature collections, tile indexes, errors. */
#include "../src/dataset/pixel_stats.c"
#include "../src/base/base.h"
#include "../src/parquet/parquet.h"
#include "../src/publish/publish.h"
#include "../taco_parquet.h"
#include "../taco.h"
#include "../extra/taco_publish.h"

#include "test.h"

#include <math.h>

#include "alloc.h"

#include "footer.h"
#include "make.h"
#include "wkb.h"

static taco_error none(void)
{
    taco_error e;
    memset(&e, 0, sizeof e);
    return e;
}

static taco__mem test_mem;
static taco__buf test_buf;

static const char *text_of(taco__buf *b)
{
    taco_error e = none();
    taco__buf_append_char(b, 0, &e);
    return (const char *)b->data;
}

/* ---- WKB ---- */

static const char *geometry(const blob *b, bool *finite, bool *empty)
{
    taco_error e = none();
    bool f, n;
    test_buf.len = 0;
    if (!taco__geojson_write_wkb(&test_buf, taco__bytes_of(b->data, b->len), finite ? finite : &f,
                                 empty ? empty : &n, &e)) {
        static char text[400];
        strcpy(text, e.text);
        return text;
    }
    CHECK_TEXT(e.text, "");
    return text_of(&test_buf);
}

static void points_and_lines(void)
{
    static const uint32_t point[] = {1, 1001, 2001, 3001, 0x80000001U, 0x40000001U, 0xC0000001U};
    static const size_t more[] = {0, 1, 1, 2, 1, 1, 2};
    size_t i;
    blob b;
    for (i = 0; i < 14; i++) { /* both byte orders, ISO and EWKB: Z and M are dropped */
        b.len = 0;
        head(&b, i & 1, point[i / 2]);
        xy(&b, -0.5, 1e-7, more[i / 2]);
        CHECK_TEXT(geometry(&b, NULL, NULL), "{\"type\":\"Point\",\"coordinates\":[-0.5,1e-07]}");
        b.len = 0;
        head(&b, i & 1, point[i / 2] + 1);
        u32(&b, 2);
        xy(&b, 1, 2, more[i / 2]);
        xy(&b, 3, 4.5, more[i / 2]);
        CHECK_TEXT(geometry(&b, NULL, NULL),
                   "{\"type\":\"LineString\",\"coordinates\":[[1.0,2.0],[3.0,4.5]]}");
    }
    b.len = 0;
    head(&b, false, 0x20000001U); /* EWKB with an SRID */
    u32(&b, 4326);
    xy(&b, 1, 2, 0);
    CHECK_TEXT(geometry(&b, NULL, NULL), "{\"type\":\"Point\",\"coordinates\":[1.0,2.0]}");
}

static void polygons(void)
{
    blob b;
    size_t i;
    /* shells go counterclockwise, holes clockwise, however they came */
    for (i = 0; i < 4; i++) {
        b.len = 0;
        head(&b, false, i & 1 ? 1003 : 3);
        u32(&b, 2);
        ring(&b, i & 1, 0, 8, i & 1);
        ring(&b, i >> 1, 2, 1, i & 1);
        CHECK_TEXT(
            geometry(&b, NULL, NULL),
            "{\"type\":\"Polygon\",\"coordinates\":[[[0.0,0.0],[8.0,0.0],[8.0,8.0],[0.0,8.0],["
            "0.0,0.0]],[[2.0,2.0],[2.0,3.0],[3.0,3.0],[3.0,2.0],[2.0,2.0]]]}");
    }
}

static void multiples(void)
{
    blob b;
    b.len = 0;
    head(&b, true, 4); /* parts of either order; an empty one is left out */
    u32(&b, 3);
    head(&b, false, 1);
    xy(&b, 1, 2, 0);
    head(&b, true, 1);
    xy(&b, TACO__PIXEL_STATS_NAN, TACO__PIXEL_STATS_NAN, 0);
    head(&b, false, 1);
    xy(&b, 3, 4, 0);
    CHECK_TEXT(geometry(&b, NULL, NULL),
               "{\"type\":\"MultiPoint\",\"coordinates\":[[1.0,2.0],[3.0,4.0]]}");
    b.len = 0;
    head(&b, false, 5);
    u32(&b, 2);
    head(&b, false, 2);
    u32(&b, 0);
    head(&b, false, 2);
    u32(&b, 2);
    xy(&b, 1, 2, 0);
    xy(&b, 3, 4, 0);
    CHECK_TEXT(geometry(&b, NULL, NULL),
               "{\"type\":\"MultiLineString\",\"coordinates\":[[[1.0,2.0],[3.0,4.0]]]}");
    b.len = 0;
    head(&b, false, 6);
    u32(&b, 2);
    head(&b, false, 3);
    u32(&b, 1);
    ring(&b, false, 0, 1, 0);
    head(&b, false, 3);
    u32(&b, 1);
    ring(&b, true, 2, 1, 0);
    CHECK_TEXT(geometry(&b, NULL, NULL),
               "{\"type\":\"MultiPolygon\",\"coordinates\":[[[[0.0,0.0],[1.0,0.0],[1.0,1.0],[0.0,"
               "1.0],[0.0,0.0]]],[[[2.0,2.0],[3.0,2.0],[3.0,3.0],[2.0,3.0],[2.0,2.0]]]]}");
    b.len = 0;
    head(&b, false, 7); /* collections keep what is empty in them, as objects of their own */
    u32(&b, 3);
    head(&b, false, 7);
    u32(&b, 1);
    head(&b, false, 4);
    u32(&b, 1);
    head(&b, false, 1);
    xy(&b, 5, 6, 0);
    head(&b, true, 3);
    u32(&b, 0);
    head(&b, false, 1);
    xy(&b, 7, 8, 0);
    CHECK_TEXT(geometry(&b, NULL, NULL),
               "{\"type\":\"GeometryCollection\",\"geometries\":[{\"type\":\"GeometryCollection\","
               "\"geometries\":[{\"type\":\"MultiPoint\",\"coordinates\":[[5.0,6.0]]}]},{\"type\":"
               "\"Polygon\",\"coordinates\":[]},{\"type\":\"Point\",\"coordinates\":[7.0,8.0]}]}");
}

static void nothing(void)
{
    const double inf = taco__f64_from_bits(UINT64_C(0x7FF0000000000000));
    uint32_t type;
    bool finite, empty;
    blob b;
    for (type = 2; type <= 7; type++) {
        b.len = 0;
        head(&b, false, type);
        u32(&b, 0);
        CHECK_TEXT(geometry(&b, &finite, &empty), "null");
        CHECK(finite && empty);
    }
    b.len = 0;
    head(&b, false, 1);
    xy(&b, TACO__PIXEL_STATS_NAN, TACO__PIXEL_STATS_NAN, 0);
    CHECK_TEXT(geometry(&b, &finite, &empty), "null");
    CHECK(finite && empty);
    b.len = 0;
    head(&b, false, 1);
    xy(&b, 3, inf, 0);
    CHECK_TEXT(geometry(&b, &finite, &empty), "null");
    CHECK(!finite && !empty);
    b.len -= 1;
    CHECK_TEXT(geometry(&b, NULL, NULL), "at byte 5: WKB: a Point needs 16 bytes, 15 are left");
    b.len = 0;
    CHECK_TEXT(geometry(&b, NULL, NULL), "at byte 0: WKB: a geometry needs 5 bytes, 0 are left");
    for (type = 0; type < 80; type++) { /* deeper than any is read */
        head(&b, false, 7);
        u32(&b, 1);
    }
    CHECK_TEXT(geometry(&b, NULL, NULL), "at byte 576: WKB: geometries nest deeper than 64");
}

/* ---- tiles ---- */

static const char *globe(double west, double south, double east, double north)
{
    taco__footprints_tile t;
    taco_error e = none();
    memset(&t, 0, sizeof t);
    t.xy[0] = t.xy[6] = west;
    t.xy[2] = t.xy[4] = east;
    t.xy[1] = t.xy[3] = north;
    t.xy[5] = t.xy[7] = south;
    test_buf.len = 0;
    CHECK(taco__geojson_write_tile(&test_buf, &t, &e));
    return text_of(&test_buf);
}

static void antimeridian(void)
{
    CHECK_TEXT(globe(10, -5, 20, 5),
               "{\"type\":\"Polygon\",\"coordinates\":[[[10.0,-5.0],[20.0,-5.0],"
               "[20.0,5.0],[10.0,5.0],[10.0,-5.0]]]}");
    CHECK_TEXT(
        globe(170, -5, 190, 5),
        "{\"type\":\"MultiPolygon\",\"coordinates\":[[[[170.0,-5.0],[180.0,-5.0],[180.0,5.0],["
        "170.0,5.0],[170.0,-5.0]]],[[[-180.0,-5.0],[-170.0,-5.0],[-170.0,5.0],[-180.0,5.0],[-"
        "180.0,-5.0]]]]}");
    CHECK_TEXT(
        globe(-190, -5, -170, 5),
        "{\"type\":\"MultiPolygon\",\"coordinates\":[[[[170.0,-5.0],[180.0,-5.0],[180.0,5.0],["
        "170.0,5.0],[170.0,-5.0]]],[[[-180.0,-5.0],[-170.0,-5.0],[-170.0,5.0],[-180.0,5.0],[-"
        "180.0,-5.0]]]]}");
    CHECK_TEXT(
        globe(350, 0, 355, 5), /* longitudes of 0 to 360 */
        "{\"type\":\"Polygon\",\"coordinates\":[[[-10.0,0.0],[-5.0,0.0],[-5.0,5.0],[-10.0,5.0],"
        "[-10.0,0.0]]]}");
    CHECK_TEXT(
        globe(180, 0, 185, 5),
        "{\"type\":\"Polygon\",\"coordinates\":[[[-180.0,0.0],[-175.0,0.0],[-175.0,5.0],[-180.0,"
        "5.0],[-180.0,0.0]]]}");
    CHECK_TEXT(
        globe(0, -90, 360, 90),
        "{\"type\":\"Polygon\",\"coordinates\":[[[-180.0,-90.0],[180.0,-90.0],[180.0,90.0],[-"
        "180.0,90.0],[-180.0,-90.0]]]}");
    CHECK_TEXT(
        globe(5000, 0, 5001, 1), /* beyond the globe: as it stands */
        "{\"type\":\"Polygon\",\"coordinates\":[[[4640.0,0.0],[4641.0,0.0],[4641.0,1.0],[4640.0,"
        "1.0],[4640.0,0.0]]]}");
}

/* One row of geotransform, shape and CRS. */
static bool tile(const double *gt, size_t n, const double *shape, size_t sizes, const char *crs,
                 taco__footprints_tile *out)
{
    static taco_field list, value, text;
    static taco_array columns[3], values[2];
    static int32_t ends[3][2];
    taco_footprints f;
    taco_batch b;
    size_t i;
    memset(&f, 0, sizeof f);
    memset(&b, 0, sizeof b);
    memset(columns, 0, sizeof columns);
    list.type = TACO_LIST;
    list.children = &value;
    value.type = TACO_DOUBLE;
    text.type = TACO_TEXT;
    ends[0][1] = (int32_t)n;
    ends[1][1] = (int32_t)sizes;
    ends[2][1] = (int32_t)strlen(crs);
    values[0].field = values[1].field = &value;
    values[0].v.f64 = gt;
    values[1].v.f64 = shape;
    for (i = 0; i < 3; i++) {
        columns[i].field = i < 2 ? &list : &text;
        columns[i].length = 1;
        columns[i].offsets = ends[i];
        columns[i].children = i < 2 ? &values[i] : NULL;
    }
    columns[2].v.any = crs;
    f.columns.at[TACO__FOOTPRINT_SHAPE] = 1;
    f.columns.at[TACO__FOOTPRINT_CRS] = 2;
    b.columns = columns;
    b.column_count = 3;
    b.length = 1;
    return taco__footprint_tile_of_row(&f, &b, 0, out);
}

static void tiles(void)
{
    double gt[] = {100, 10, 0, 50, 0, -5}, shape[] = {7, 4, 3};
    taco__footprints_tile t;
    CHECK(tile(gt, 6, shape, 3, "EPSG:1", &t));
    CHECK(!t.rotated && t.pixel[0] == 10 && t.pixel[1] == 5 && t.crs.len == 6);
    CHECK(t.xy[0] == 100 && t.xy[1] == 50 && t.xy[2] == 130 && t.xy[3] == 50 && t.xy[4] == 130 &&
          t.xy[5] == 30 && t.xy[6] == 100 && t.xy[7] == 30);
    CHECK(!tile(gt, 5, shape, 3, "EPSG:1", &t));
    CHECK(!tile(gt, 6, shape, 1, "EPSG:1", &t));
    CHECK(!tile(gt, 6, shape, 3, "", &t));
    gt[4] = 1;
    CHECK(tile(gt, 6, shape, 3, "EPSG:1", &t) && t.rotated && t.xy[3] == 53);
    gt[4] = 0;
    gt[1] = 0;
    CHECK(!tile(gt, 6, shape, 3, "EPSG:1", &t));
    gt[1] = 1e308; /* overflows at the far corner */
    CHECK(!tile(gt, 6, shape, 3, "EPSG:1", &t));
    gt[1] = TACO__PIXEL_STATS_NAN;
    CHECK(!tile(gt, 6, shape, 3, "EPSG:1", &t));
    gt[1] = 1;
    shape[2] = -3;
    CHECK(!tile(gt, 6, shape, 3, "EPSG:1", &t));
}

/* ---- documents ---- */

static size_t warnings;
static char warning[400];

static void warn(void *ctx, const taco_error *w)
{
    (void)ctx;
    warnings++;
    strcpy(warning, w->text);
}

/* The whole document of a query, or the message of its failure. */
static const char *document(taco_dataset *ds, const taco_query *q, taco_footprint_format format)
{
    static char out[1 << 16];
    taco_error e = none();
    taco_footprints *f = taco_footprints_open(ds, q, format, &e);
    taco_bytes text;
    size_t n = 0;
    while (taco_footprints_next(f, &text)) {
        CHECK(text.len < sizeof out - n);
        memcpy(out + n, text.data, text.len);
        n += text.len;
    }
    out[n] = 0;
    CHECK(!taco_footprints_next(f, &text) && text.len == 0);
    taco_footprints_close(f, &e);
    if (e.code != TACO_OK) { strcpy(out, e.text); }
    return out;
}

static mk_buf polygons_made(const char *const *crs)
{
    static const char *const ids[] = {"a", "b", "c"}, *const file[] = {"FILE", "FILE", "FILE"},
                             *const place[] = {"x", "y", "z"};
    static const int64_t at[] = {MK_PAYLOAD, MK_PAYLOAD, MK_PAYLOAD};
    static const uint8_t null[] = {0, 0, 1};
    static uint8_t wkb[3 * 93];
    mk_col c[7];
    mk_buf level;
    size_t i;
    for (i = 0; i < 3; i++) {
        blob b;
        b.len = 0;
        head(&b, false, 3);
        u32(&b, 1);
        ring(&b, false, (double)i, 1, 0);
        CHECK(b.len == 93);
        memcpy(wkb + 93 * i, b.data, 93);
    }
    c[0] = mk_text("id", ids);
    c[1] = mk_text("type", file);
    c[2] = mk_text("location", place);
    c[3] = mk_bin("istac:geometry", wkb, 93);
    c[3].null = null;
    c[4] = mk_text("istac:crs", crs);
    c[5] = mk_i64("internal:offset", at);
    c[6] = mk_i64("internal:size", at);
    level = mk_parquet(c, 7, 3, 2);
    return mk_archive(&level, 1, MK_FLAT, "data", 4);
}

static taco_dataset *open_made(mk_buf *z)
{
    taco_options opt;
    taco_error e = none();
    taco_source s;
    taco_dataset *ds;
    memset(&opt, 0, sizeof opt);
    opt.warn = warn;
    warnings = 0;
    taco_source_memory(&s, z->data, z->len);
    ds = taco_open_source(&s, "/made.tacozip", &opt, &e);
    CHECK_TEXT(taco_error_text(&e), "");
    return ds;
}

static void made(void)
{
    static const char *const same[] = {"epsg:31370", "EPSG:31370", "EPSG:31370"};
    static const char *const other[] = {"EPSG:4326", "EPSG:32618", "EPSG:4326"};
    double x[3];
    const char *at;
    mk_buf z = polygons_made(same);
    taco_dataset *ds = open_made(&z);
    taco_query q;
    memset(&q, 0, sizeof q);
    q.select = "id, location";
    q.order = "id desc";
    CHECK_TEXT(
        document(ds, &q, TACO_FOOTPRINTS_GEOJSON),
        "{\"type\":\"FeatureCollection\",\"features\":[\n"
        "{\"type\":\"Feature\",\"properties\":{\"location\":\"/vsisubfile/193_193,"
        "/made.tacozip\",\"id\":\"c\"},\"geometry\":null},\n"
        "{\"type\":\"Feature\",\"properties\":{\"location\":\"/vsisubfile/193_193,"
        "/made.tacozip\",\"id\":\"b\"},\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[[1."
        "0,1.0],[2.0,1.0],[2.0,2.0],[1.0,2.0],[1.0,1.0]]]}},\n"
        "{\"type\":\"Feature\",\"properties\":{\"location\":\"/vsisubfile/193_193,"
        "/made.tacozip\",\"id\":\"a\"},\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[[0."
        "0,0.0],[1.0,0.0],[1.0,1.0],[0.0,1.0],[0.0,0.0]]]}}\n"
        "]}\n");
    CHECK(warnings == 2);
    CHECK_TEXT(warning,
               "/made.tacozip: 3 of 3 rows have a column 'location', left out: the path is "
               "called so");
    memset(&q, 0, sizeof q);
    q.where = "id = 'a'";
    CHECK_TEXT(document(ds, &q, TACO_FOOTPRINTS_GEOJSON),
               "{\"type\":\"FeatureCollection\",\"features\":[\n"
               "{\"type\":\"Feature\",\"properties\":{\"location\":\"/vsisubfile/193_193,"
               "/made.tacozip\",\"id\":\"a\",\"type\":\"FILE\",\"istac:crs\":\"epsg:31370\","
               "\"internal:offset\":193,\"internal:size\":193},\"geometry\":{\"type\":\"Polygon\","
               "\"coordinates\":[[[0.0,0.0],[1.0,0.0],[1.0,1.0],[0.0,1.0],[0.0,0.0]]]}}\n"
               "]}\n");
    q.where = "id = 'nobody'";
    CHECK_TEXT(document(ds, &q, TACO_FOOTPRINTS_GEOJSON),
               "{\"type\":\"FeatureCollection\",\"features\":[\n]}\n");
    q.where = NULL;
    warnings = 0;
    CHECK_TEXT(
        document(ds, &q, TACO_FOOTPRINTS_GTI),
        "<GDALTileIndexDataset>\n<IndexDataset>{\"type\":\"FeatureCollection\",\"features\":[\n"
        "{\"type\":\"Feature\",\"properties\":{\"location\":\"/vsisubfile/193_193,"
        "/made.tacozip\",\"id\":\"a\"},\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[[0."
        "0,0.0],[1.0,0.0],[1.0,1.0],[0.0,1.0],[0.0,0.0]]]}},\n"
        "{\"type\":\"Feature\",\"properties\":{\"location\":\"/vsisubfile/193_193,"
        "/made.tacozip\",\"id\":\"b\"},\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[[1."
        "0,1.0],[2.0,1.0],[2.0,2.0],[1.0,2.0],[1.0,1.0]]]}}\n"
        "]}</IndexDataset>\n<LocationField>location</LocationField>\n<SRS>epsg:31370</SRS>\n"
        "</GDALTileIndexDataset>\n");
    CHECK(warnings == 1);
    CHECK_TEXT(warning, "/made.tacozip: 1 of 3 rows have no footprint, left out of the tile index");
    q.where = "id = 'c'";
    CHECK_TEXT(document(ds, &q, TACO_FOOTPRINTS_GTI),
               "/made.tacozip: no tiles: 0 of 1 rows are FOLDERs, 1 have no footprint "
               "(stac:geotransform, stac:tensor_shape and stac:crs, or a polygon)");
    q.geometry_column = "istac:geometri";
    CHECK_TEXT(
        document(ds, &q, TACO_FOOTPRINTS_GTI),
        "/made.tacozip: no column 'istac:geometri', the nearest are 'istac:geometry', 'istac:crs'");
    q.geometry_column = "istac:crs";
    CHECK_TEXT(document(ds, &q, TACO_FOOTPRINTS_GTI),
               "/made.tacozip: column 'istac:crs' is not a geometry: WKB is binary");
    taco_close(ds);
    free(z.data);
    z = polygons_made(other);
    ds = open_made(&z);
    CHECK_TEXT(document(ds, NULL, TACO_FOOTPRINTS_GTI),
               "/made.tacozip: row 1 of the view: a tile in 'EPSG:32618', the tiles before are in "
               "'EPSG:4326': a tile index has one CRS, filter by 'istac:crs', or name a geometry "
               "column of polygons in one CRS");
    CHECK(warnings == 0);
    /* UTM is converted: the corners at 1 and 2 metres, as PROJ has them */
    at = strstr(document(ds, NULL, TACO_FOOTPRINTS_GEOJSON), "[[[-79.");
    CHECK(at && sscanf(at, "[[[%lf,%lf],[%lf", &x[0], &x[1], &x[2]) == 3 &&
          fabs(x[0] + 79.48873492539053) < 1e-11 && fabs(x[1] - 9.01937592083914e-06) < 1e-11 &&
          fabs(x[2] + 79.488725966393776) < 1e-10);
    CHECK(warnings == 1); /* the name of the column */
    taco_close(ds);
    free(z.data);
}

static void bundled(void)
{
    taco_error e = none();
    taco_dataset *ds = taco_open("examples/data/nested.tacozip", NULL, &e);
    taco_query q;
    const char *text;
    memset(&q, 0, sizeof q);
    CHECK(strstr(document(ds, &q, TACO_FOOTPRINTS_GTI),
                 "no tiles: 4 of 4 rows are FOLDERs, 0 have no footprint"));
    q.table = 1;
    q.flat = true;
    q.level = 1;
    q.where = "id = 'image'";
    text = document(ds, &q, TACO_FOOTPRINTS_GTI); /* the grid is that of the parents */
    CHECK(strstr(text,
                 "\"l1:id\":\"image\"},\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[["
                 "500000.009765625,4399880.009765625],[500159.990234375,4399880.009765625],["));
    CHECK_TEXT(
        strstr(text, "<SRS>") ? strstr(text, "<SRS>") : text,
        "<SRS>EPSG:32630</SRS>\n<ResX>10.0</ResX>\n<ResY>10.0</ResY>\n<MinX>500000.0</MinX>\n"
        "<MinY>4399880.0</MinY>\n<MaxX>800160.0</MaxX>\n<MaxY>4400000.0</MaxY>\n"
        "</GDALTileIndexDataset>\n");
    text = document(ds, &q, TACO_FOOTPRINTS_GEOJSON); /* tiles in metres: corners in degrees */
    CHECK(
        strstr(text, "\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[[-3.0,39.749907519104"));
    CHECK(!strstr(text, "l0:stac:centroid") && strstr(text, "\"l0:stac:crs\":\"EPSG:32630\""));
    taco_close(ds);
    CHECK(!taco_footprints_open(NULL, NULL, TACO_FOOTPRINTS_GTI, NULL));
    taco_footprints_close(NULL, NULL);
}

/* ---- memory ---- */

static void memory(void)
{
    taco_allocator a;
    taco_options opt;
    test_memory m;
    size_t n, k;
    for (k = 0; k < 2; k++) {
        for (n = 1; n < 5000; n++) {
            taco_error e = none();
            taco_dataset *ds;
            taco_footprints *f;
            taco_bytes text;
            test_counted(&opt, &a, &m);
            m.fail_at = n;
            ds = taco_open("examples/data/geo_stac.tacozip", &opt, &e);
            f = ds ? taco_footprints_open(ds, NULL,
                                          k ? TACO_FOOTPRINTS_GTI : TACO_FOOTPRINTS_GEOJSON, &e)
                   : NULL;
            while (taco_footprints_next(f, &text)) {}
            taco_footprints_close(f, &e);
            CHECK(e.code == TACO_OK || e.code == TACO_ERR_MEMORY);
            taco_close(ds);
            CHECK(m.live == 0);
            if (m.calls < n) { /* memory to keep pages in may be missing */
                CHECK_TEXT(taco_error_text(&e), "");
                break;
            }
        }
        CHECK(n > 50 && n < 5000);
    }
}

int main(void)
{
    taco__mem_init(&test_mem, NULL);
    test_buf.mem = &test_mem;
    RUN(points_and_lines);
    RUN(polygons);
    RUN(multiples);
    RUN(nothing);
    RUN(antimeridian);
    RUN(tiles);
    RUN(made);
    RUN(bundled);
    RUN(memory);
    taco__buf_free(&test_buf);
    return test_end("test_foot");
}
