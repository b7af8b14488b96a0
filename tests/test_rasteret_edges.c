/* rasteret/: paths of assets, codes of CRSs, pixels and tiles, boxes of rows and of collections, at the
   edges of what they may be. */
#include "../src/rasteret/enrich.c"
#include "../src/rasteret/tiles.c"
#include "../src/rasteret/collection_info.c"
#include "../src/rasteret/collection_filter.c"
#include "../src/rasteret/build_values.c"
#include "../src/rasteret/build_parts.c"
#include "../taco_parquet.h"
#include "../taco.h"
#include "../extra/taco_rasteret.h"

#include "test.h"

#include <math.h>

static taco__mem mem;
static taco__arena arena;

static taco_error none(void)
{
    taco_error e;
    memset(&e, 0, sizeof e);
    return e;
}

/* ---- assets ---- */

static void paths_of_assets(void)
{
    static const struct {
        const char *base, *href, *path;
        uint64_t offset, size;
    } t[] = {
        {"", "a.tif", "a.tif", 0, 0},
        {"/d/", "a.tif", "/d/a.tif", 0, 0},
        {"/d/", "/a.tif", "/a.tif", 0, 0},
        {"/d/", "C:/a.tif", NULL, 0, 0}, /* absolute on Windows alone */
        {"/d/", "https://h/a.tif", "https://h/a.tif", 0, 0},
        {"/d/", "s3://b/a.tif", "s3://b/a.tif", 0, 0},
        {"/d/", "", "", 0, 0},
        {"/d/", "file:///x/a.tif", "/x/a.tif", 0, 0},
        {"/d/", "file://", "/d/file://", 0, 0},
        {"/d/", "file://a", "/d/a", 0, 0},
        {"/d/", "/vsisubfile/10_20,a.tacozip", "/d/a.tacozip", 10, 20},
        {"/d/", "/vsisubfile/10_20,/vsicurl/https://h/a", "/vsicurl/https://h/a", 10, 20},
        {"", "/vsisubfile/18446744073709551615_0,x", "x", UINT64_MAX, 0},
        {"", "/vsisubfile/18446744073709551616_0,x", "/vsisubfile/18446744073709551616_0,x", 0, 0},
        {"", "/vsisubfile/1_,x", "/vsisubfile/1_,x", 1, 0},
        {"", "/vsisubfile/1_2", "/vsisubfile/1_2", 0, 0},
        {"", "/vsisubfile/12,x", "/vsisubfile/12,x", 0, 0},
        {"", "/vsisubfile/1_2,", "", 1, 2},
        {"", "/vsisubfile/", "/vsisubfile/", 0, 0}};

    const char *drive = taco__plat_is_slash('\\') ? "C:/a.tif" : "/d/C:/a.tif";
    size_t i;
    for (i = 0; i < TACO__COUNT(t); i++) {
        taco__enrich x;
        taco__enrich_asset a;
        taco_error e = none();
        const char *want = t[i].path ? t[i].path : drive;
        memset(&x, 0, sizeof x);
        memset(&a, 0, sizeof a);
        x.arena = arena;
        x.base = t[i].base;
        a.href = taco__bytes_text(t[i].href);
        CHECK(taco__enrich_resolve_href(&x, &a, &e) && e.code == TACO_OK);
        CHECK_TEXT(a.path, want);
        if (strcmp(t[i].href, want) != 0) { CHECK(a.offset == t[i].offset && a.size == t[i].size); }
        taco__arena_free(&x.arena);
    }
}

/* Files without the memory to sort them. */
static void files_without_memory(void)
{
    static taco__enrich_asset files[2];
    taco__mem none_left;
    taco__enrich x;
    taco_error e = none();
    taco__mem_init(&none_left, NULL);
    none_left.limit = 1;
    memset(&x, 0, sizeof x);
    x.mem = x.arena.mem = &none_left;
    x.assets = files;
    CHECK(!taco__enrich_merge_assets(&x, TACO__COUNT(files), &e));
    CHECK(e.code == TACO_ERR_LIMIT && x.asset_count == 0);
}

static void codes_of_assets(void)
{
    static const int32_t ends[] = {0, 1};
    taco_field f = taco__field_make("id", TACO_TEXT);
    taco_array ids;
    taco_error e = none();
    int32_t code = 0;
    memset(&ids, 0, sizeof ids);
    ids.field = &f;
    ids.length = 1;
    ids.offsets = ends;
    ids.v.any = "a";
    CHECK(taco__enrich_merge_code(&code, 0, &ids, 0, &e) && code == 0);
    CHECK(taco__enrich_merge_code(&code, 32630, &ids, 0, &e) && code == 32630);
    CHECK(taco__enrich_merge_code(&code, 0, &ids, 0, &e) && code == 32630);
    CHECK(taco__enrich_merge_code(&code, 32630, &ids, 0, &e) && e.code == TACO_OK);
    CHECK(!taco__enrich_merge_code(&code, 4326, &ids, 0, &e) && e.code == TACO_ERR_CORRUPT);
    CHECK_TEXT(e.text, "the assets of record 'a' have different CRSs (EPSG 32630 and 4326)");
}

/* Offsets of tiles count from the beginning of the archive, and have to fit; so do tags. */
static void tables_of_tiles(void)
{
    static const uint64_t v[2] = {5, INT64_MAX - 10};
    taco_field item = taco__field_make("item", TACO_INT64), f,
               n = taco__field_make("n", TACO_INT32);
    taco__array_builder b;
    taco_array a;
    taco_error e = none();
    f = taco__field_make_nested("tile_offsets", TACO_LIST, &item, 1);
    CHECK(taco__array_builder_init(&b, &f, &mem, &arena, &e));
    CHECK(taco__enrich_append_table(&b, v, 2, 10, &e));
    CHECK(taco__enrich_append_table(&b, v, 0, 10, &e));
    CHECK(!taco__enrich_append_table(&b, v, 2, 11, &e) && e.code == TACO_ERR_CORRUPT);
    CHECK(strcmp(e.text, "tile at byte 9223372036854775797") == 0);
    e = none();
    CHECK(!taco__enrich_append_table(&b, v, 1, UINT64_MAX - 4, &e) && e.code == TACO_ERR_CORRUPT);
    taco__array_builder_view(&b, &a);
    CHECK(a.length == 2 && a.offsets[1] == 2 && a.offsets[2] == 2);
    CHECK(taco_array_int(&a.children[0], 0) == 15 &&
          taco_array_int(&a.children[0], 1) == INT64_MAX);
    taco__array_builder_free(&b);
    e = none();
    CHECK(taco__array_builder_init(&b, &n, &mem, &arena, &e));
    CHECK(taco__enrich_append_optional(&b, true, INT32_MAX, &e) &&
          taco__enrich_append_optional(&b, true, (uint32_t)INT32_MAX + 1, &e) &&
          taco__enrich_append_optional(&b, false, 7, &e));
    taco__array_builder_view(&b, &a);
    CHECK(a.null_count == 2 && taco_array_int(&a, 0) == INT32_MAX && !taco_array_valid(&a, 1) &&
          !taco_array_valid(&a, 2));
    taco__array_builder_free(&b);
    taco__arena_free(&arena);
}

/* ---- pixels ---- */

static void spans(void)
{
    static const struct {
        double low, high, scale, origin;
        int64_t from, to; /* of 64; to 0: none */
    } t[] = {{0, 640, 10, 0, 0, 64},    {-1e300, 1e300, 10, 0, 0, 64}, {0, 10, 10, 0, 0, 1},
             {0, 10.5, 10, 0, 0, 2},    {9.9, 10, 10, 0, 0, 1},        {630, 640, 10, 0, 63, 64},
             {630, 639, 10, 0, 63, 64}, {5, 5, 10, 0, 0, 1},           {10, 10, 10, 0, 1, 2},
             {-5, 0, 10, 0, 0, 0},      {640, 700, 10, 0, 0, 0},       {-640, 0, -10, 0, 0, 64},
             {-20, -10, -10, 0, 1, 2},  {0, 5, -10, 0, 0, 0},          {100, 110, 10, 100, 0, 1},
             {NAN, 640, 10, 0, 0, 0},   {0, 640, 10, NAN, 0, 0},       {0, 640, 10, INFINITY, 0, 0},
             {0, 1, 1e-300, 0, 0, 64}};

    size_t i;
    for (i = 0; i < TACO__COUNT(t); i++) {
        int64_t from = -1, to = -1;
        bool any = taco__tiles_span(t[i].low, t[i].high, t[i].scale, t[i].origin, 64, &from, &to);
        CHECK(any == (t[i].to != 0) && (!any || (from == t[i].from && to == t[i].to)));
        if (any != (t[i].to != 0)) { printf("%u\n", (unsigned)i); }
    }
}

/* The outline of a box goes around it once, and points that are projected come back. */
static void boxes_in_crs(void)
{
    static const double world[4] = {-180, -90, 180, 90}, aside[4] = {20, 0, 30, 10};
    static const double half[4] = {-3, 0, -3, 80};
    taco__tiles_box image, out;
    double xy[2], lonlat[2], back[2];
    size_t i;
    memset(&image, 0, sizeof image);
    image.v[0] = 500000;
    image.v[1] = 4000000;
    image.v[2] = 500400;
    image.v[3] = 4000200;
    memset(&out, 0, sizeof out);
    for (i = 0; i < 4 * TACO__TILES_EDGE; i++) {
        taco__tiles_outline(&image, i, xy);
        CHECK(xy[0] >= image.v[0] && xy[0] <= image.v[2] && xy[1] >= image.v[1] &&
              xy[1] <= image.v[3]);
        CHECK(fabs(xy[0] - image.v[0]) < 1e-9 || fabs(xy[0] - image.v[2]) < 1e-9 ||
              fabs(xy[1] - image.v[1]) < 1e-9 || fabs(xy[1] - image.v[3]) < 1e-9);
        CHECK(taco__projection_inverse(32630, xy[0], xy[1], lonlat));
        back[0] = 500200;
        back[1] = 4000100;
        CHECK(taco__tiles_project(32630, lonlat, back) && fabs(back[0] - xy[0]) < 1e-3 &&
              fabs(back[1] - xy[1]) < 1e-3);
    }
    CHECK(taco__tiles_box_in_crs(32630, &image, world, &out));
    for (i = 0; i < 4; i++) { /* all of it, and little more */
        CHECK(i < 2 ? out.v[i] <= image.v[i] + 0.01 && out.v[i] > image.v[i] - 20
                    : out.v[i] >= image.v[i] - 0.01 && out.v[i] < image.v[i] + 20);
    }
    CHECK(!taco__tiles_box_in_crs(32630, &image, aside, &out));
    CHECK(taco__tiles_box_in_crs(32630, &image, half, &out));  /* its west edge: a line */
    CHECK(!taco__tiles_box_in_crs(2154, &image, world, &out)); /* a CRS that is not known */
    CHECK(!taco__tiles_project(2154, lonlat, back));
    lonlat[0] = -3; /* no point has that latitude: not searched for ever */
    lonlat[1] = 200;
    back[0] = 500200;
    back[1] = 4000100;
    CHECK(!taco__tiles_project(32630, lonlat, back));
    image.v[0] = NAN;
    CHECK(!taco__tiles_box_in_crs(32630, &image, world, &out));
    /* over the antimeridian, longitudes go on */
    memset(&out, 0, sizeof out);
    image.v[0] = 700000;
    image.v[1] = 4000000;
    image.v[2] = 800000;
    image.v[3] = 4100000;
    CHECK(taco__tiles_degrees(32660, &image, &out));
    CHECK(out.v[0] > 178 && out.v[0] < 180 && out.v[2] > 180 && out.v[2] < 182);
    memset(&out, 0, sizeof out);
    image.v[0] = 200000; /* and back */
    image.v[2] = 300000;
    CHECK(taco__tiles_degrees(32601, &image, &out));
    CHECK(out.v[2] - out.v[0] < 3);
    lonlat[0] = -180.1; /* from the other side of it */
    lonlat[1] = 36.5;
    xy[0] = 150000;
    xy[1] = 4050000;
    CHECK(taco__tiles_project(32601, lonlat, xy) &&
          taco__projection_inverse(32601, xy[0], xy[1], back) &&
          fabs(fabs(back[0]) - 179.9) < 1e-6 && fabs(back[1] - 36.5) < 1e-6);
}

/* The west and the east of the part of an image that a box meets, against what is wanted: meridians
   are not quite the sides of an image. */
static bool part_is(int32_t code, const double image[4], const double degrees[4], double west,
                    double east)
{
    const double slack = taco__projection_is_geographic(code) ? 1e-9 : code == 3857 ? 1 : 400;
    taco__tiles_box b, out;
    memset(&out, 0, sizeof out);
    memcpy(b.v, image, sizeof b.v);
    return taco__tiles_box_in_crs(code, &b, degrees, &out) && fabs(out.v[0] - west) < slack &&
           fabs(out.v[2] - east) < slack;
}

/* Images of UTM on both sides of 180 degrees, and images of web mercator and in degrees that are as
   wide as the world. */
static void boxes_at_180(void)
{
    const double w = 20037508.342789244;
    const double zone1[4] = {150000, 8968000, 182000, 9000000};
    const double zone60[4] = {818000, 8968000, 850000, 9000000};
    const double wide[4] = {-w * 0.9, -5e6, w * 0.9, 5e6}, world[4] = {-w, -w, w, w};
    static const double all[4] = {-180, -90, 180, 90}, east[4] = {179.7, -10, 179.9, 0};
    static const double west[4] = {-179.95, -10, -179.9, 0}, away[4] = {100, -10, 101, 0};
    static const double last[4] = {179, 0, 180, 1}, first[4] = {-180, 0, -179, 1};
    static const double turned[4] = {170, -90, 190, 90}, degrees[4] = {170, -10, 190, 10};
    taco__tiles_box box, out;
    memset(&out, 0, sizeof out);
    CHECK(part_is(32701, zone1, all, zone1[0], zone1[2]));
    CHECK(part_is(32760, zone60, all, zone60[0], zone60[2]));
    memcpy(box.v, zone1, sizeof box.v);
    CHECK(taco__tiles_box_in_crs(32701, &box, east, &out) && out.v[2] < 160000);
    memset(&out, 0, sizeof out);
    CHECK(taco__tiles_box_in_crs(32701, &box, west, &out) && out.v[0] > 170000);
    CHECK(!taco__tiles_box_in_crs(32701, &box, away, &out));
    CHECK(part_is(3857, wide, away, w / 1.8, w * 101 / 180));
    CHECK(!part_is(3857, wide, last, 0, 0));
    CHECK(part_is(3857, world, last, w * 179 / 180, w));
    CHECK(part_is(3857, world, first, -w, -w * 179 / 180));
    CHECK(part_is(3857, world, all, -w, w) && part_is(3857, world, turned, -w, w));
    CHECK(part_is(4326, degrees, first, 180, 181) && part_is(4326, degrees, all, 170, 190));
}

/* [scale, origin] of x and y, or an affine transform without rotation; the scales are not 0. */
static void transforms(void)
{
    static const struct {
        double v[6];
        size_t n;
        bool ok;
    } t[] = {{{10, 5, -20, 7}, 4, true},
             {{10, 0, 5, 0, -20, 7}, 6, true},
             {{10, 0.1, 5, 0, -20, 7}, 6, false},
             {{10, -0.1, 5, 0, -20, 7}, 6, false},
             {{10, 0, 5, 0.1, -20, 7}, 6, false},
             {{10, 0, 5, -0.1, -20, 7}, 6, false},
             {{0, 5, -20, 7}, 4, false},
             {{10, 5, 0, 7}, 4, false},
             {{NAN, 5, -20, 7}, 4, false},
             {{10, 5, -20, 7, 0}, 5, false},
             {{10, 5, -20}, 3, false}};

    taco_field number, list, row;
    size_t i;
    memset(&number, 0, sizeof number);
    memset(&list, 0, sizeof list);
    memset(&row, 0, sizeof row);
    number.type = TACO_DOUBLE;
    number.width = 8;
    list.name = "transform";
    list.type = TACO_LIST;
    list.children = &number;
    list.child_count = 1;
    row.type = TACO_STRUCT;
    row.children = &list;
    row.child_count = 1;
    for (i = 0; i < TACO__COUNT(t); i++) {
        int32_t ends[2] = {0, 0};
        taco_array values, items, a;
        taco__tiles_image out;
        memset(&values, 0, sizeof values);
        memset(&items, 0, sizeof items);
        memset(&a, 0, sizeof a);
        memset(&out, 0, sizeof out);
        ends[1] = (int32_t)t[i].n;
        values.field = &number;
        values.length = t[i].n;
        values.v.any = t[i].v;
        items.field = &list;
        items.length = 1;
        items.offsets = ends;
        items.children = &values;
        a.field = &row;
        a.length = 1;
        a.children = &items;
        CHECK(taco__tiles_transform(&a, 0, &out) == t[i].ok);
        if (t[i].ok) {
            double got[4];
            got[0] = out.scale[0];
            got[1] = out.origin[0];
            got[2] = out.scale[1];
            got[3] = out.origin[1];
            CHECK(memcmp(got, t[0].v, sizeof got) == 0);
        }
    }
}

/* proj:epsg counts where it has a value, else crs; what is no code is unknown. */
static void codes_of_records(void)
{
    static const int64_t values[] = {4326, 0, -5, INT32_MAX, (int64_t)INT32_MAX + 1, 9, 9, 9};
    static const int32_t want[] = {4326, 0, 0, INT32_MAX, 0, 32630, 0, 0};
    static const uint8_t some = 0x1F;
    static const int32_t ends[] = {0, 10, 20, 30, 40, 50, 60, 60, 124};
    char text[124];
    taco_field number, crs;
    taco_array code, name;
    taco__tiles t;
    size_t i;
    memset(&number, 0, sizeof number);
    memset(&crs, 0, sizeof crs);
    memset(&code, 0, sizeof code);
    memset(&name, 0, sizeof name);
    memset(&t, 0, sizeof t);
    number.type = TACO_INT64;
    number.width = 8;
    crs.type = TACO_TEXT;
    code.field = &number;
    name.field = &crs;
    code.length = name.length = 8;
    code.v.any = values;
    code.validity = &some;
    name.v.any = text;
    name.offsets = ends;
    for (i = 0; i < 6; i++) {
        memcpy(text + 10 * i, "EPSG:32630", 10);
    }
    memset(text + 60, '0', 64); /* longer than any code */
    memcpy(text + 60, "EPSG:", 5);
    memcpy(text + 119, "32630", 5);
    CHECK(taco__tiles_code(&t, 0) == 0);
    t.code = &code;
    CHECK(taco__tiles_code(&t, 0) == 4326 && taco__tiles_code(&t, 5) == 0);
    t.crs = &name;
    for (i = 0; i < 8; i++) {
        CHECK(taco__tiles_code(&t, i) == want[i]);
    }
    t.code = NULL;
    CHECK(taco__tiles_code(&t, 1) == 32630);
}

/* ---- collections ---- */

static void names_of_collections(void)
{
    static const char *const t[][2] = {{"/data/s2_records/", "s2_records"},
                                       {"/data/s2_records//", "s2_records"},
                                       {"a/b.c.parquet", "b.c"},
                                       {"a.parquet", "a"},
                                       {"a\\b.parquet", "b"},
                                       {".hidden", ".hidden"},
                                       {"d.x/name", "name"},
                                       {"/", ""},
                                       {"", ""}};
    size_t i;
    for (i = 0; i < TACO__COUNT(t); i++) {
        taco_bytes b = taco__rasteret_info_default_name(t[i][0]);
        char text[64];
        snprintf(text, sizeof text, "%.*s", (int)b.len, b.len ? (const char *)b.data : "");
        CHECK_TEXT(text, t[i][1]);
    }
}

static void summaries(void)
{
    static const int64_t codes[] = {5, 3, 5, 9, 3, 4, -1};
    static const int64_t want[] = {-1, 3, 4, 5, 9};
    static const double boxes[3][4] = {{0, 1, 2, 3}, {-1, 2, 1, 5}, {1, 0, 9, 1}};
    taco__rasteret_info_summary f;
    int64_t i;
    memset(&f, 0, sizeof f);
    for (i = 0; i < 7; i++) {
        taco__rasteret_info_add_code(&f, codes[i]);
    }
    CHECK(f.epsg_count == 5 && memcmp(f.epsg, want, sizeof want) == 0);
    for (i = 0; i < 300; i++) { /* those that there is no room for are dropped */
        taco__rasteret_info_add_code(&f, 1000 + i);
    }
    CHECK(f.epsg_count == 256 && f.epsg[0] == -1 && f.epsg[255] == 1250);
    taco__rasteret_info_add_code(&f, 2);
    CHECK(f.epsg_count == 256 && f.epsg[1] == 3);
    for (i = 0; i < 3; i++) {
        taco__rasteret_info_add_bbox(&f, boxes[i]);
    }
    CHECK(f.box[0] == -1 && f.box[1] == 0 && f.box[2] == 9 && f.box[3] == 5 && f.boxed);
}

/* A box of a row, of a struct and of a list, is none where a number is missing. */
static void boxes_of_rows(void)
{
    static const double v[8] = {1, 2, 3, 4, 5, NAN, 7, 8};
    static const size_t order[4] = {0, 1, 2, 3};
    uint8_t valid[4] = {3, 3, 3, 3}, items = 0xFF, rows = 3;
    int32_t ends[3] = {0, 4, 8};
    taco_field side[4], number = taco__field_make("item", TACO_DOUBLE), list, box;
    taco_array sides[4], a, item, b;
    double sides_v[4][2], out[4];
    size_t k;
    memset(sides, 0, sizeof sides);
    memset(&a, 0, sizeof a);
    memset(&item, 0, sizeof item);
    memset(&b, 0, sizeof b);
    for (k = 0; k < 4; k++) {
        side[k] = taco__field_make("s", TACO_DOUBLE);
        sides[k].field = &side[k];
        sides[k].length = 2;
        sides_v[k][0] = v[k];
        sides_v[k][1] = v[4 + k];
        sides[k].v.f64 = sides_v[k];
        sides[k].validity = &valid[k];
        sides[k].null_count = 1;
    }
    box = taco__field_make_nested("bbox", TACO_STRUCT, side, 4);
    list = taco__field_make_nested("scene_bbox", TACO_LIST, &number, 1);
    a.field = &box;
    a.length = 2;
    a.children = sides;
    a.validity = &rows;
    a.null_count = 1;
    item.field = &number;
    item.length = 8;
    item.v.f64 = v;
    item.validity = &items;
    item.null_count = 1;
    b.field = &list;
    b.length = 2;
    b.offsets = ends;
    b.children = &item;
    b.validity = &rows;
    b.null_count = 1;
    CHECK(taco__rasteret_info_row_bbox(&a, order, 0, out) && out[0] == 1 && out[3] == 4);
    CHECK(taco__rasteret_info_row_bbox(&b, order, 0, out) && out[0] == 1 && out[3] == 4);
    CHECK(!taco__rasteret_info_row_bbox(&a, order, 1, out)); /* NaN */
    CHECK(!taco__rasteret_info_row_bbox(&b, order, 1, out));
    CHECK(taco__rasteret_filter_read_struct(&a, order, 0, out) && out[2] == 3);
    CHECK(taco__rasteret_filter_read_list(&b, 1, out) && out[2] == 7);
    ends[1] = 3;
    CHECK(!taco__rasteret_info_row_bbox(&b, order, 0, out) &&
          !taco__rasteret_filter_read_list(&b, 0, out));
    ends[1] = 4;
    for (k = 0; k < 4; k++) {
        valid[k] = 2;
        items = (uint8_t)(0xFF & ~(1U << k));
        CHECK(!taco__rasteret_info_row_bbox(&a, order, 0, out) &&
              !taco__rasteret_filter_read_struct(&a, order, 0, out));
        CHECK(!taco__rasteret_info_row_bbox(&b, order, 0, out) &&
              !taco__rasteret_filter_read_list(&b, 0, out));
        valid[k] = 3;
    }
    rows = 2;
    CHECK(!taco__rasteret_info_row_bbox(&a, order, 0, out) &&
          !taco__rasteret_filter_read_struct(&a, order, 0, out) &&
          !taco__rasteret_filter_read_list(&b, 0, out));
}

static void touching_boxes(void)
{
    static const struct {
        double box[4];
        bool meets;
    } t[] = {{{0, 0, 1, 1}, true},      {{2, 2, 3, 3}, true},      {{-1, -1, 0, 0}, true},
             {{2.1, 0, 3, 1}, false},   {{-2, 0, -0.1, 1}, false}, {{0, 2.1, 1, 3}, false},
             {{0, -2, 1, -0.1}, false}, {{NAN, 0, 1, 1}, false},   {{0, 0, 1, NAN}, false}};

    taco__rasteret_filter_box b;
    size_t i;
    memset(&b, 0, sizeof b);
    b.edge[2] = b.edge[3] = 2;
    for (i = 0; i < TACO__COUNT(t); i++) {
        CHECK(taco__rasteret_filter_intersects(&b, t[i].box) == t[i].meets);
    }
    CHECK(taco__rasteret_filter_after(1999999, TACO_SECOND, false) == 2 &&
          taco__rasteret_filter_after(2000000, TACO_SECOND, false) == 3 &&
          taco__rasteret_filter_after(-1, TACO_MILLI, false) == 0 &&
          taco__rasteret_filter_after(7, TACO_MICRO, true) == 8 &&
          taco__rasteret_filter_after(7, TACO_NANO, true) == 7001 &&
          taco__rasteret_filter_after(7, TACO_NANO, false) == 8000 &&
          taco__rasteret_filter_after(INT64_MAX / 1000, TACO_NANO, false) == INT64_MAX &&
          taco__rasteret_filter_after(INT64_MIN / 1000, TACO_NANO, false) == INT64_MIN &&
          taco__rasteret_filter_after(INT64_MIN / 1000 + 1, TACO_NANO, true) ==
              (INT64_MIN / 1000 + 1) * 1000 + 1 &&
          taco__rasteret_filter_after(INT64_MAX / 1000 - 1, TACO_NANO, false) ==
              INT64_MAX / 1000 * 1000);
}

/* ---- values ---- */

static void codes(void)
{
    static const char *const texts[] = {
        "EPSG:4326",       "epsg:32630",      " 3857 ", "EPSG:",    "EPSG:x",
        "EPSG:2147483647", "EPSG:2147483648", "",       "EPS:4326", "-1"};
    static const int32_t want[] = {4326, 32630, 3857, 0, 0, INT32_MAX, 0, 0, 0, 0};
    static const int64_t v[] = {4326, 0, -5, INT32_MAX, (int64_t)INT32_MAX + 1, 7};
    static const int32_t of[] = {4326, 0, 0, INT32_MAX, 0, 0};
    uint8_t valid = 0x1F;
    taco_field f = taco__field_make("crs", TACO_TEXT),
               g = taco__field_make("proj:epsg", TACO_INT64);
    taco_array a;
    size_t i;
    for (i = 0; i < TACO__COUNT(texts); i++) {
        int32_t ends[2];
        memset(&a, 0, sizeof a);
        ends[0] = 0;
        ends[1] = (int32_t)strlen(texts[i]);
        a.field = &f;
        a.length = 1;
        a.offsets = ends;
        a.v.any = texts[i];
        CHECK(taco__build_values_read_epsg(&a, 0) == want[i]);
    }
    memset(&a, 0, sizeof a);
    a.field = &g;
    a.length = 6;
    a.v.i64 = v;
    a.validity = &valid;
    a.null_count = 1;
    for (i = 0; i < 6; i++) {
        CHECK(taco__build_values_read_epsg(&a, i) == of[i]);
    }
}

/* A time in microseconds as a record has it; INT64_MAX if it has none. */
static int64_t micros_of(taco_type type, taco_unit unit, int64_t v)
{
    const int32_t day = (int32_t)v;
    const double seconds = (double)v;
    taco_field f = taco__field_make("datetime", type);
    taco_array a;
    int64_t us = 0;
    memset(&a, 0, sizeof a);
    f.unit = unit;
    a.field = &f;
    a.length = 1;
    a.v.any = type == TACO_DATE     ? (const void *)&day
              : type == TACO_DOUBLE ? (const void *)&seconds
                                    : (const void *)&v;
    return taco__array_read_micros(&a, 0, &us) ? us : INT64_MAX;
}

static void instants(void)
{
    CHECK(micros_of(TACO_TIMESTAMP, TACO_NANO, -1) == -1 &&
          micros_of(TACO_TIMESTAMP, TACO_NANO, 1999) == 1 &&
          micros_of(TACO_TIMESTAMP, TACO_MICRO, INT64_MIN) == INT64_MIN &&
          micros_of(TACO_TIMESTAMP, TACO_MILLI, INT64_MAX / 1000) == INT64_MAX / 1000 * 1000 &&
          micros_of(TACO_TIMESTAMP, TACO_MILLI, INT64_MAX / 1000 + 1) == INT64_MAX &&
          micros_of(TACO_TIMESTAMP, TACO_MILLI, INT64_MIN / 1000 - 1) == INT64_MAX &&
          micros_of(TACO_TIMESTAMP, TACO_SECOND, INT64_MIN / 1000000) ==
              INT64_MIN / 1000000 * 1000000 &&
          micros_of(TACO_TIMESTAMP, TACO_SECOND, INT64_MIN / 1000000 - 1) == INT64_MAX);
    CHECK(micros_of(TACO_DATE, TACO_SECOND, -1) == -86400000000 &&
          micros_of(TACO_INT64, TACO_SECOND, 1700000000) == 1700000000000000 &&
          micros_of(TACO_INT64, TACO_SECOND, INT64_MAX) == INT64_MAX &&
          micros_of(TACO_DOUBLE, TACO_SECOND, -2) == -2000000 &&
          micros_of(TACO_BOOL, TACO_SECOND, 1) == INT64_MAX);
}

/* The first rule whose beginning an href has. */
static void rewritten(void)
{
    static const taco_rasteret_pair rules[] = {
        {"https://x/", "s3://x/"}, {"https://", "/vsicurl/https://"}, {"a", ""}};
    static const char *const t[][3] = {{"https://x/b", "s3://x/", "b"},
                                       {"https://y/b", "/vsicurl/https://", "y/b"},
                                       {"abc", "", "bc"},
                                       {"xa", "", "xa"},
                                       {"", "", ""}};
    taco_rasteret_options o;
    size_t i;
    memset(&o, 0, sizeof o);
    o.rewrite = rules;
    o.rewrite_count = 3;
    for (i = 0; i < TACO__COUNT(t); i++) {
        taco_bytes rest = taco__bytes_text(t[i][0]);
        CHECK_TEXT(taco__build_values_rewrite(&o, &rest), t[i][1]);
        CHECK(taco__bytes_equal(rest, taco__bytes_text(t[i][2])));
    }
}

/* RFC 3986, §2.3: what is not escaped in the name of a directory. */
static void escapes(void)
{
    static const char kept[] = "-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~";
    taco__buf out;
    taco_error e = none();
    unsigned c;
    memset(&out, 0, sizeof out);
    out.mem = &mem;
    for (c = 0; c < 256; c++) {
        uint8_t byte = (uint8_t)c;
        char want[8];
        snprintf(want, sizeof want, c && strchr(kept, (int)c) ? "%c" : "%%%02X", c);
        out.len = 0;
        CHECK(taco__build_parts_append_escaped(&out, taco__bytes_of(&byte, 1), &e) &&
              taco__bytes_equal(taco__bytes_of(out.data, out.len), taco__bytes_text(want)));
    }
    taco__buf_free(&out);
}

/* Row groups are as long as Rasteret's own writer makes them: 50,000 rows. */
static void row_groups(void)
{
    enum { GROUP = 50000 };

    static const char *const sides[] = {"xmin", "ymin", "xmax", "ymax"};
    static const uint8_t none_valid[GROUP / 8 + 1] = {0};
    static const int32_t empty[GROUP + 2] = {0};
    static const double zero[GROUP + 1] = {0};
    const char *path = "build/test_rasteret_edges.parquet";
    taco_field fields[2], box[4];
    taco_array columns[2], corners[4];
    size_t i, rows;
    memset(columns, 0, sizeof columns);
    memset(corners, 0, sizeof corners);
    for (i = 0; i < 4; i++) {
        box[i] = taco__field_make(sides[i], TACO_DOUBLE);
        corners[i].field = &box[i];
        corners[i].v.f64 = zero;
    }
    fields[0] = taco__field_make("geometry", TACO_BINARY);
    fields[1] = taco__field_make_nested("bbox", TACO_STRUCT, box, 4);
    columns[0].field = &fields[0];
    columns[0].validity = none_valid;
    columns[0].offsets = empty;
    columns[0].v.u8 = none_valid;
    columns[1].field = &fields[1];
    columns[1].children = corners;
    for (rows = GROUP; rows <= GROUP + 1; rows++) {
        taco_error e = none();
        taco__build b;
        taco__build_part part;
        taco_batch batch;
        taco_pq_file *file;
        memset(&b, 0, sizeof b);
        memset(&part, 0, sizeof part);
        memset(&batch, 0, sizeof batch);
        b.out = fields;
        b.out_count = batch.column_count = 2;
        batch.columns = columns;
        batch.length = columns[0].length = columns[0].null_count = columns[1].length = rows;
        for (i = 0; i < 4; i++) {
            corners[i].length = rows;
        }
        CHECK(taco__build_parts_open_writer(&b, &part, path, &e));
        CHECK(taco_pq_writer_batch(part.writer, &batch) == TACO_OK);
        CHECK(taco_pq_writer_close(part.writer, &e) == TACO_OK);
        file = taco_pq_open(path, NULL, &e);
        CHECK_TEXT(e.text, "");
        CHECK(file && taco_pq_row_groups(file) == (rows > GROUP ? 2 : 1));
        taco_pq_close(file);
        remove(path);
    }
}

int main(void)
{
    taco__mem_init(&mem, NULL);
    arena.mem = &mem;
    RUN(paths_of_assets);
    RUN(files_without_memory);
    RUN(codes_of_assets);
    RUN(tables_of_tiles);
    RUN(spans);
    RUN(boxes_in_crs);
    RUN(boxes_at_180);
    RUN(transforms);
    RUN(codes_of_records);
    RUN(names_of_collections);
    RUN(summaries);
    RUN(boxes_of_rows);
    RUN(touching_boxes);
    RUN(codes);
    RUN(instants);
    RUN(rewritten);
    RUN(escapes);
    RUN(row_groups);
    CHECK(mem.used == 0);
    return test_end("test_rasteret_edges");
}
