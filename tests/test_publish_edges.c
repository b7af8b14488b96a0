/* Footprints at their edges: geometries and documents with too little room at each byte, tiles in
   odd places, rows that have only a part of a tile. */
#include "test.h"

#include "../src/publish/raster_tile_index.c"
#include "../src/publish/footprint_tile.c"
#include "../src/base/base.h"
#include "../src/geo/geo.h"
#include "../extra/taco_publish.h"

#include "room.h"
#include "wkb.h"

static taco_error err;

/* ---- WKB ---- */

/* A collection with one geometry of each type. */
static blob collection(void)
{
    blob b;
    size_t i;
    b.len = 0;
    head(&b, false, 7);
    u32(&b, 6);
    head(&b, false, 1), xy(&b, 1, 2, 0);
    head(&b, false, 2), u32(&b, 2), xy(&b, 1, 2, 0), xy(&b, 3, 4, 0);
    head(&b, false, 3), u32(&b, 2), ring(&b, false, 0, 9, 0), ring(&b, false, 1, 2, 0);
    head(&b, false, 4), u32(&b, 2);
    for (i = 0; i < 2; i++) {
        head(&b, false, 1), xy(&b, 1, (double)i, 0);
    }
    head(&b, false, 5), u32(&b, 1);
    head(&b, false, 2), u32(&b, 2), xy(&b, 1, 2, 0), xy(&b, 3, 4, 0);
    head(&b, false, 6), u32(&b, 2);
    for (i = 0; i < 2; i++) {
        head(&b, false, 3), u32(&b, 1), ring(&b, false, (double)i * 5, 2, 0);
    }
    return b;
}

/* ---- with little room ---- */

static bool add_wkb(taco__buf *out, const void *what, taco_error *e)
{
    const blob *b = (const blob *)what;
    bool finite, empty;
    return taco__geojson_write_wkb(out, taco__bytes_of(b->data, b->len), &finite, &empty, e);
}

static bool add_tile(taco__buf *out, const void *what, taco_error *e)
{
    return taco__geojson_write_tile(out, (const taco__footprints_tile *)what, e);
}

static bool add_escaped(taco__buf *out, const void *what, taco_error *e)
{
    return taco__gti_append_escaped(out, taco__bytes_text((const char *)what), e);
}

/* A part of a tile index, which is in the writer's own buffer. */
static bool add_part(taco__buf *out, taco_footprints *f, bool (*part)(taco_footprints *),
                     taco_error *e)
{
    bool ok;
    f->text = *out;
    memset(&f->err, 0, sizeof f->err);
    ok = part(f);
    *out = f->text;
    *e = f->err;
    return ok;
}

static bool add_begin(taco__buf *out, const void *what, taco_error *e)
{
    taco_footprints f = *(const taco_footprints *)what;
    return add_part(out, &f, taco__gti_begin, e);
}

static bool add_end(taco__buf *out, const void *what, taco_error *e)
{
    taco_footprints f = *(const taco_footprints *)what;
    return add_part(out, &f, taco__gti_end, e);
}

static taco__footprints_tile tile_of(double west, double south, double east, double north)
{
    taco__footprints_tile t;
    memset(&t, 0, sizeof t);
    t.xy[0] = t.xy[6] = west;
    t.xy[2] = t.xy[4] = east;
    t.xy[1] = t.xy[3] = north;
    t.xy[5] = t.xy[7] = south;
    t.pixel[0] = t.pixel[1] = 1;
    t.crs = taco__bytes_text("EPSG:4326");
    return t;
}

static void test_room(void)
{
    taco_footprints f;
    taco__footprints_tile t;
    blob b = collection();
    every_room(add_wkb, &b);
    b.len = 0;
    head(&b, false, 2), u32(&b, 0);
    every_room(add_wkb, &b); /* null */
    t = tile_of(1, 2, 3, 4);
    every_room(add_tile, &t);
    t.rotated = true;
    every_room(add_tile, &t);
    t = tile_of(170, -5, 190, 5);
    every_room(add_tile, &t);
    t = tile_of(-190, -5, -170, 5);
    every_room(add_tile, &t);
    every_room(add_escaped, "a&b<c>d");
    memset(&f, 0, sizeof f);
    f.format = TACO_FOOTPRINTS_GEOJSON;
    every_room(add_begin, &f);
    every_room(add_end, &f);
    f.format = TACO_FOOTPRINTS_GTI;
    f.counts.written = 1;
    f.mosaic.crs = "EPSG:4326 & others";
    f.mosaic.pixel[0] = f.mosaic.pixel[1] = 0.5;
    f.mosaic.box[2] = 3;
    every_room(add_begin, &f);
    every_room(add_end, &f);
    f.mosaic.pixel[0] = 0;
    every_room(add_end, &f);
}

static const char *text_of(taco__buf *b)
{
    CHECK(taco__buf_append_char(b, 0, &err));
    return (const char *)b->data;
}

static void test_index_end(void)
{
    taco_footprints f;
    memset(&f, 0, sizeof f);
    f.format = TACO_FOOTPRINTS_GTI;
    f.text.mem = &mem;
    f.counts.written = 1;
    f.mosaic.crs = "a<b>&c";
    f.mosaic.pixel[0] = 2;
    f.mosaic.pixel[1] = 4;
    f.mosaic.box[0] = -1;
    CHECK(taco__gti_end(&f));
    CHECK_TEXT(text_of(&f.text),
               "\n]}</IndexDataset>\n<LocationField>location</LocationField>\n"
               "<SRS>a&lt;b&gt;&amp;c</SRS>\n<ResX>2.0</ResX>\n<ResY>4.0</ResY>\n"
               "<MinX>-1.0</MinX>\n<MinY>0.0</MinY>\n<MaxX>0.0</MaxX>\n<MaxY>0.0</MaxY>\n"
               "</GDALTileIndexDataset>\n");
    taco__buf_free(&f.text);
}

/* ---- coordinates that are no numbers ---- */

static void test_not_finite(void)
{
    const double inf = taco__f64_from_bits(UINT64_C(0x7FF0000000000000)), nan = inf - inf;
    const double xs[] = {nan, 1, inf, 1, nan}, ys[] = {1, nan, 1, inf, nan};
    taco__buf out;
    size_t i;
    bool finite, empty;
    memset(&out, 0, sizeof out);
    out.mem = &mem;
    for (i = 0; i < 10; i++) {
        blob b;
        b.len = 0;
        if (i < 5) {
            head(&b, false, 1);
        } else {
            head(&b, false, 2), u32(&b, 2), xy(&b, 1, 2, 0);
        }
        xy(&b, xs[i % 5], ys[i % 5], 0);
        out.len = 0;
        CHECK(taco__geojson_write_wkb(&out, taco__bytes_of(b.data, b.len), &finite, &empty, &err));
        CHECK_TEXT(text_of(&out), "null");
        CHECK(empty == (i == 4) && finite == (i == 4)); /* a point of two NaNs is empty */
    }
    taco__buf_free(&out);
    CHECK_TEXT(err.text, "");
}

/* ---- rows with a geometry in a tile index ---- */

static bool add_geometry(const blob *b, const char *crs, taco_footprints *f, bool *none)
{
    taco_field wkb, text;
    taco_array columns[2];
    taco_batch rows;
    int32_t ends[2][2];
    memset(&rows, 0, sizeof rows);
    memset(columns, 0, sizeof columns);
    wkb = taco__field_make("geometry", TACO_BINARY);
    text = taco__field_make("crs", TACO_TEXT);
    ends[0][0] = ends[1][0] = 0;
    ends[0][1] = (int32_t)b->len;
    ends[1][1] = crs ? (int32_t)strlen(crs) : 0;
    columns[0].field = &wkb;
    columns[1].field = &text;
    columns[0].length = columns[1].length = rows.length = 1;
    columns[0].offsets = ends[0];
    columns[1].offsets = ends[1];
    columns[0].v.any = b->data;
    columns[1].v.any = crs ? crs : "";
    rows.columns = columns;
    rows.column_count = 2;
    f->columns.at[TACO__FOOTPRINT_GEOMETRY] = 0;
    f->columns.at[TACO__FOOTPRINT_GEOMETRY_CRS] = crs ? 1 : TACO__NONE;
    f->columns.name[TACO__FOOTPRINT_GEOMETRY] = "geometry";
    f->columns.name[TACO__FOOTPRINT_GEOMETRY_CRS] = crs ? "crs" : NULL;
    return taco__gti_add_geometry(f, &rows, 0, none);
}

static void test_geometries(void)
{
    const double nan = taco__f64_from_bits(UINT64_C(0x7FF8000000000000));
    taco_footprints f;
    blob b;
    bool none;
    memset(&f, 0, sizeof f);
    f.geometry.mem = f.arena.mem = &mem;
    b.len = 0;
    CHECK(add_geometry(&b, NULL, &f, &none) && none); /* no geometry */
    head(&b, false, 3), u32(&b, 0);
    CHECK(add_geometry(&b, NULL, &f, &none) && none); /* an empty one */
    b.len = 0;
    head(&b, false, 2), u32(&b, 2), xy(&b, 1, 2, 0), xy(&b, 1, 5, 0);
    CHECK(add_geometry(&b, NULL, &f, &none) && none); /* lines have no area */
    b.len = 0;
    head(&b, false, 2), u32(&b, 2), xy(&b, 1, 2, 0), xy(&b, 3, 2, 0);
    CHECK(add_geometry(&b, NULL, &f, &none) && none);
    b.len = 0;
    head(&b, false, 2), u32(&b, 2), xy(&b, 1, 2, 0), xy(&b, 3, nan, 0);
    CHECK(add_geometry(&b, NULL, &f, &none) && none);
    CHECK(f.mosaic.crs == NULL);
    b.len = 0;
    head(&b, false, 3), u32(&b, 1), ring(&b, false, 2, 3, 0);
    CHECK(add_geometry(&b, NULL, &f, &none) && !none);
    CHECK_TEXT(f.mosaic.crs, "EPSG:4326");
    CHECK(f.mosaic.box[0] >= 2 && f.mosaic.box[2] <= 5);
    CHECK(add_geometry(&b, "epsg:4326", &f, &none) && !none); /* the same in other letters */
    f.mosaic.crs = NULL;
    CHECK(add_geometry(&b, "EPSG:32630", &f, &none) && !none);
    CHECK_TEXT(f.mosaic.crs, "EPSG:32630");
    CHECK_TEXT(f.err.text, "");
    taco__buf_free(&f.geometry);
    taco__arena_free(&f.arena);
}

/* ---- tiles ---- */

/* One row of a geotransform and a shape, whose k-th number may be null. */
static bool read_tile(const double *g, size_t n, size_t null_g, const double *shape, size_t sizes,
                      size_t null_shape, const char *crs, taco__footprints_tile *t)
{
    taco_field value = taco__field_make("element", TACO_DOUBLE), list, text;
    taco_array a[3], items[2];
    uint8_t valid[2];
    int32_t ends[3][2];
    memset(a, 0, sizeof a);
    memset(items, 0, sizeof items);
    memset(ends, 0, sizeof ends);
    list = taco__field_make_nested("list", TACO_LIST, &value, 1);
    text = taco__field_make("crs", TACO_TEXT);
    ends[0][1] = (int32_t)n;
    ends[1][1] = (int32_t)sizes;
    ends[2][1] = (int32_t)strlen(crs);
    valid[0] = (uint8_t)(null_g < 8 ? ~(1U << null_g) : 0xFF);
    valid[1] = (uint8_t)(null_shape < 8 ? ~(1U << null_shape) : 0xFF);
    items[0].field = items[1].field = &value;
    items[0].length = n;
    items[1].length = sizes;
    items[0].v.f64 = g;
    items[1].v.f64 = shape;
    items[0].validity = &valid[0];
    items[1].validity = &valid[1];
    a[0].field = a[1].field = &list;
    a[2].field = &text;
    a[0].length = a[1].length = a[2].length = 1;
    a[0].offsets = ends[0];
    a[1].offsets = ends[1];
    a[2].offsets = ends[2];
    a[0].children = &items[0];
    a[1].children = &items[1];
    a[2].v.any = crs;
    memset(t, 0, sizeof *t);
    return taco__footprint_tile_read(&a[0], &a[1], &a[2], false, 0, t);
}

static void test_tiles(void)
{
    const double inf = taco__f64_from_bits(UINT64_C(0x7FF0000000000000));
    double g[] = {100, 10, 0, 50, 0, -5};
    static const double shape[] = {4, 3}, none[] = {0, 3}, flat[] = {4, 0};
    taco__footprints_tile t;
    CHECK(read_tile(g, 6, 9, shape, 2, 9, "EPSG:1", &t) && t.pixel[0] == 10 && t.pixel[1] == 5);
    CHECK(!read_tile(g, 6, 2, shape, 2, 9, "EPSG:1", &t));
    CHECK(!read_tile(g, 6, 9, shape, 2, 1, "EPSG:1", &t));
    CHECK(!read_tile(g, 6, 9, none, 2, 9, "EPSG:1", &t));
    CHECK(!read_tile(g, 6, 9, flat, 2, 9, "EPSG:1", &t));
    CHECK(!read_tile(g, 6, 9, shape, 2, 9, "", &t));
    g[1] = -10; /* rows run to the west */
    CHECK(read_tile(g, 6, 9, shape, 2, 9, "EPSG:1", &t) && t.pixel[0] == 10 && t.xy[2] == 70);
    g[1] = 0;
    CHECK(!read_tile(g, 6, 9, shape, 2, 9, "EPSG:1", &t)); /* no width */
    g[2] = 3;
    CHECK(read_tile(g, 6, 9, shape, 2, 9, "EPSG:1", &t) && t.rotated);
    g[1] = 10;
    g[2] = 0;
    g[5] = 0;
    CHECK(!read_tile(g, 6, 9, shape, 2, 9, "EPSG:1", &t)); /* no height */
    g[5] = inf;
    CHECK(!read_tile(g, 6, 9, shape, 2, 9, "EPSG:1", &t));
    g[5] = -1e308; /* a corner that no double is, in y, then in x */
    CHECK(!read_tile(g, 6, 9, shape, 2, 9, "EPSG:1", &t));
    g[5] = -5;
    g[1] = 1e308;
    CHECK(!read_tile(g, 6, 9, shape, 2, 9, "EPSG:1", &t));
}

static void test_crs(void)
{
    taco__footprints_tile t = tile_of(1, 2, 3, 4);
    char text[80];
    CHECK(taco__footprint_tile_same_crs(taco__bytes_text("abc"), taco__bytes_text("aBC")));
    CHECK(!taco__footprint_tile_same_crs(taco__bytes_text("abc"), taco__bytes_text("abd")));
    CHECK(!taco__footprint_tile_same_crs(taco__bytes_text("abc"), taco__bytes_text("ab")));
    CHECK(taco__footprint_tile_is_degrees(taco__bytes_text("ogc:crs84")));
    CHECK(taco__footprint_tile_is_degrees(taco__bytes_text("epsg:4326")));
    CHECK(!taco__footprint_tile_is_degrees(taco__bytes_text("EPSG:4327")));
    CHECK(taco__footprint_tile_to_degrees(&t) && t.xy[0] == 1);
    memset(text, 'x', sizeof text);
    t.crs = taco__bytes_of(text, sizeof text); /* longer than any that is known */
    CHECK(!taco__footprint_tile_to_degrees(&t));
    t.crs = taco__bytes_text("EPSG:2"); /* not known */
    CHECK(!taco__footprint_tile_to_degrees(&t));
    t = tile_of(500000, 4000000, 600000, 4100000);
    t.crs = taco__bytes_text("EPSG:32630");
    CHECK(taco__footprint_tile_to_degrees(&t) && t.xy[0] > -3.1 && t.xy[0] < -2.9);
    t = tile_of(-180, -90.0000000000001, 180, 90.0000000000001); /* rounded */
    t.crs = taco__bytes_text("EPSG:4979");
    CHECK(taco__footprint_tile_to_degrees(&t) && t.xy[1] >= -90 && t.xy[5] <= 90);
    t = tile_of(-3e9, -3e9, 3e9, 3e9); /* nowhere on the globe */
    t.crs = taco__bytes_text("EPSG:3857");
    CHECK(!taco__footprint_tile_to_degrees(&t));
}

/* Tiles of UTM and the boxes of their corners, by PROJ (DuckDB's ST_Transform). One that reaches over
   the antimeridian becomes its box, whichever hemisphere it is in; one that is only far away from
   Greenwich and the equator does not, nor do wide ones of web mercator. One that is all on the other
   side is moved by a turn. */
static void test_over_180(void)
{
    static const struct {
        const char *crs;
        double tile[4], box[4]; /* west, south, east, north */
        bool rotated;
    } t[] = {{"EPSG:32701",
              {150000, 8000000, 220000, 8100000},
              {179.69419310703796, -18.07057830787231, 180.36790791241143, -17.157998450327224},
              false},
             {"EPSG:32760",
              {780000, 8000000, 850000, 8100000},
              {179.63209208758855, -18.07057830787231, 180.30580689296198, -17.157998450327224},
              false},
             {"EPSG:32605",
              {480000, 6640000, 520000, 6680000},
              {-153.3613653589548, 59.897050473884455, -152.6386346410452, 60.25620971005316},
              true},
             {"EPSG:32601",
              {150000, 0, 160000, 10000},
              {179.856223771935, 0, 179.945962824191, 0.0903437733034238},
              true},
             {"EPSG:3857",
              {-20037508.342789244, -20037508.342789244, 20037508.342789244, 20037508.342789244},
              {-180, -85.0511287798066, 180, 85.0511287798066},
              true},
             {"EPSG:3857",
              {-20037508.342789244 / 1.8, -5000000, 20037508.342789244 / 1.8, 5000000},
              {-100, -40.9162744706758, 100, 40.9162744706758},
              true}};

    size_t i, k;
    for (i = 0; i < TACO__COUNT(t); i++) {
        taco__footprints_tile tile =
            tile_of(t[i].tile[0], t[i].tile[1], t[i].tile[2], t[i].tile[3]);
        double box[4] = {999, 999, -999, -999};
        tile.crs = taco__bytes_text(t[i].crs);
        CHECK(taco__footprint_tile_to_degrees(&tile) && tile.rotated == t[i].rotated);
        for (k = 0; k < 8; k++) {
            box[k % 2] = TACO__MIN(box[k % 2], tile.xy[k]);
            box[2 + k % 2] = TACO__MAX(box[2 + k % 2], tile.xy[k]);
        }
        for (k = 0; k < 4; k++) {
            CHECK(box[k] - t[i].box[k] < 1e-6 && t[i].box[k] - box[k] < 1e-6);
        }
    }
}

/* A tile as WKB, with the room that a buffer begins with. */
static size_t wkb_of(const taco__footprints_tile *t, double box[4])
{
    taco__buf out;
    size_t n, room, whole, cap;
    bool empty;
    memset(&out, 0, sizeof out);
    out.mem = &mem;
    CHECK(taco__footprint_tile_write_wkb(t, &out, &err));
    whole = out.len;
    CHECK(taco__wkb_bounds(taco__bytes_of(out.data, out.len), box, &empty, &err) == TACO_OK);
    cap = out.cap;
    for (room = 0; room < whole; room++) {
        taco_error e;
        memset(&e, 0, sizeof e);
        out.cap = room;
        refused_from = 1;
        CHECK(!taco__footprint_tile_write_wkb(t, &out, &e) && e.code == TACO_ERR_MEMORY);
        refused_from = SIZE_MAX;
    }
    out.cap = cap;
    n = taco__load_le32(out.data + 1) == 6 ? taco__load_le32(out.data + 5) : 1;
    taco__buf_free(&out);
    return n;
}

static void test_wkb(void)
{
    double box[4];
    taco__footprints_tile t = tile_of(170, -5, 190, 5);
    CHECK(wkb_of(&t, box) == 2 && box[0] <= -180 && box[2] >= 180);
    t = tile_of(-190, -5, -170, 5);
    CHECK(wkb_of(&t, box) == 2 && box[0] <= -180 && box[2] >= 180);
    t = tile_of(190, 5, 170, -5); /* its corners in another order */
    CHECK(wkb_of(&t, box) == 2 && box[1] <= -5 && box[3] >= 5);
    t = tile_of(1, 2, 3, 4);
    CHECK(wkb_of(&t, box) == 1 && box[0] >= 1 && box[2] <= 3);
    t = tile_of(-400, 2, 3, 4);
    CHECK(wkb_of(&t, box) == 1);
    t = tile_of(-4, 2, 400, 4);
    CHECK(wkb_of(&t, box) == 1);
    t = tile_of(-190, -5, 190, 5);
    CHECK(wkb_of(&t, box) == 1);
    t = tile_of(0, -90, 360, 90); /* all of the globe, cut in two */
    CHECK(wkb_of(&t, box) == 2 && box[0] <= -180 && box[2] >= 180);
    /* longitudes of 0 to 360, and those that are a turn away on the other side */
    t = tile_of(190, -5, 200, 5);
    CHECK(wkb_of(&t, box) == 1 && box[0] >= -170 && box[2] <= -160);
    t = tile_of(-200, -5, -190, 5);
    CHECK(wkb_of(&t, box) == 1 && box[0] >= 160 && box[2] <= 170);
    t = tile_of(-600, -5, -590, 5); /* farther: one turn, and not cut */
    CHECK(wkb_of(&t, box) == 1 && box[0] >= -240 && box[2] <= -230);
    t = tile_of(170, -5, 190, 5);
    t.rotated = true;
    CHECK(wkb_of(&t, box) == 1 && box[2] >= 190);
    CHECK_TEXT(err.text, "");
}

/* Tiles beyond the globe, and whose corners go the other way. */
static void test_globe(void)
{
    static const struct {
        double west, south, east, north;
        const char *text;
    } t[] = {{-190, 0, -185, 1, "Polygon\",\"coordinates\":[[[170.0,0.0],[175.0,0.0]"},
             {-1000, 0, -179, 1, "Polygon\",\"coordinates\":[[[-180.0,0.0],[180.0,0.0]"},
             {185, 1, 170, 0, "MultiPolygon\",\"coordinates\":[[[[170.0,0.0],[180.0,0.0]"},
             {-600, 0, -590, 1, "Polygon\",\"coordinates\":[[[-240.0,0.0],[-230.0,0.0]"},
             {-1000, 0, -990, 1, "Polygon\",\"coordinates\":[[[-640.0,0.0],[-630.0,0.0]"}};

    size_t i;
    for (i = 0; i < sizeof t / sizeof t[0]; i++) {
        taco__footprints_tile x = tile_of(t[i].west, t[i].south, t[i].east, t[i].north);
        taco__buf out;
        const char *got;
        memset(&out, 0, sizeof out);
        out.mem = &mem;
        CHECK(taco__geojson_write_tile(&out, &x, &err));
        got = text_of(&out);
        if (!strstr(got, t[i].text)) { CHECK_TEXT(got, t[i].text); }
        taco__buf_free(&out);
    }
}

int main(void)
{
    room_begin();
    RUN(test_room);
    RUN(test_index_end);
    RUN(test_not_finite);
    RUN(test_geometries);
    RUN(test_tiles);
    RUN(test_crs);
    RUN(test_over_180);
    RUN(test_wkb);
    RUN(test_globe);
    return test_end("test_publish_edges");
}
