/* Columns of the extensions: longitudes and latitudes compared with PROJ's, centroids, grid codes,
   and what the writer computes. */
#include "../extra/taco_write.h"

#include <math.h>

#include "test.h"

static taco_error e;

/* pyproj 3.7.2, Transformer.from_crs(code, 4326, always_xy=True) */
static const struct point {
    int code;
    double x, y, lon, lat;
} points[] = {
    {32630, 500000.0, 4000000.0, -2.9999999999999916, 36.14471809881776},
    {32630, 726000.0, 4373000.0, -0.37249848570089994, 39.476929792890004},
    {32630, 166021.44, 0.1, -6.000000027645827, 9.034831045306704e-07},
    {32630, 833978.5, 9329005.18, 23.582873663930695, 83.3059121941374},
    {32630, 300000.0, 1.0, -4.797052812351681, 9.042834002483784e-06},
    {32719, 500000.0, 8664000.0, -69.0, -12.085426864647676},
    {32719, 210000.0, 1116915.04, -83.65623718667979, -79.68457988422506},
    {32719, 700000.5, 9999999.0, -67.20294269649939, -9.04283398009448e-06},
    {32601, 250000.0, 6000000.0, 179.17720037402037, 54.08735633752043},
    {25830, 440720.0, 4474260.0, -3.698737565337662, 40.41685429275898},
    {26917, 630084.0, 4833438.0, -79.38714286950227, 43.642561782320385},
    {3857, -8573665.4, -1354112.9, -77.0185466974671, -12.073838866310483},
    {3857, 20037508.34, 20037508.34, 179.9999999749438, 85.05112877764508},
    {3857, 1.0, -1.0, 8.983152841195214e-06, -8.983152841195177e-06},
    {4326, -77.05, -12.04, -77.05, -12.04},
    {32633, -300000.0, 7000000.0, -0.5148147254598472, 62.26127163545805},
};

/* tacotoolbox 0.26.9, MajorTOM(dist_km).latlon2rowcol */
static const struct cell {
    double km, lon, lat;
    const char *code;
} cells[] = {
    {100.0, -94.3327342469191, 7.96126055327133, "0100km_0008U_0105L"},
    {100.0, -46.81614004269147, 18.705606947315005, "0100km_0020U_0050L"},
    {100.0, 45.25930947889944, -78.20480533683364, "0100km_0088D_0009R"},
    {100.0, -175.2595230402453, 60.744434777362784, "0100km_0067U_0098L"},
    {100.0, -86.63255484191725, -47.82042701159465, "0100km_0054D_0065L"},
    {100.0, 178.4321407837666, -5.352568645959366, "0100km_0006D_0197R"},
    {100.0, 0.0, 0.0, "0100km_0001D_0001L"},
    {100.0, 180.0, 85.0, "0100km_0094U_0020R"},
    {100.0, -180.0, -90.0, "0100km_0094D_0020R"},
    {100.0, 0.001, -0.001, "0100km_0001D_0000R"},
    {10.0, 121.12612245877995, -4.256422434119713, "0010km_0048D_1344R"},
    {10.0, 50.064530595898304, -62.88904367576569, "0010km_0701D_0253R"},
    {10.0, 48.54983698266784, 66.24815528579342, "0010km_0737U_0218R"},
    {10.0, 8.345235737988475, 43.42533411626823, "0010km_0483U_0067R"},
    {10.0, 61.708131133053314, -78.47434111914049, "0010km_0874D_0136R"},
    {10.0, 92.96288866325426, 16.397924927637163, "0010km_0182U_0993R"},
    {10.0, 0.0, 0.0, "0010km_0001D_0001L"},
    {10.0, 180.0, 85.0, "0010km_0946U_0175R"},
    {10.0, -180.0, -90.0, "0010km_0946D_0175R"},
    {10.0, 0.001, -0.001, "0010km_0001D_0000R"},
    {1000.0, -71.54364257434356, -84.417884735445, "1000km_0009D_0002L"},
    {1000.0, 131.58980531242042, -4.905164040215965, "1000km_0001D_0014R"},
    {1000.0, 78.7766126636891, 68.1863040459867, "1000km_0007U_0004R"},
    {1000.0, 77.08661410003293, 75.7977601650974, "1000km_0008U_0003R"},
    {1000.0, -37.813174559732175, 54.16357877734109, "1000km_0006U_0003L"},
    {1000.0, -19.93641982172616, 78.4056099068138, "1000km_0009U_0001L"},
    {1000.0, 0.0, 0.0, "1000km_0001D_0001L"},
    {1000.0, 180.0, 85.0, "1000km_0009U_0004R"},
    {1000.0, -180.0, -90.0, "1000km_0009D_0004R"},
    {1000.0, 0.001, -0.001, "1000km_0001D_0000R"},
    {37.5, 136.39199772169496, -72.45822424844211, "0037km_0216D_0120R"},
    {37.5, -131.0512103277592, -50.94235057803528, "0037km_0152D_0245L"},
    {37.5, 167.57285000335304, -11.490864007062726, "0037km_0035D_0487R"},
    {37.5, 45.593384712049414, -35.815284283409035, "0037km_0107D_0109R"},
    {37.5, 2.607474178461416, -20.544073407917537, "0037km_0062D_0007R"},
    {37.5, -53.67222404273518, 15.313339332965427, "0037km_0045U_0154L"},
    {37.5, 0.0, 0.0, "0037km_0001D_0001L"},
    {37.5, 180.0, 85.0, "0037km_0252U_0048R"},
    {37.5, -180.0, -90.0, "0037km_0252D_0048R"},
    {37.5, 0.001, -0.001, "0037km_0001D_0000R"},
};

static bool near(double a, double b)
{
    return a - b < 1e-10 && b - a < 1e-10;
}

static void test_lonlat(void)
{
    size_t i;
    for (i = 0; i < sizeof points / sizeof points[0]; i++) {
        char crs[32];
        double out[2] = {0, 0};
        snprintf(crs, sizeof crs, "EPSG:%d", points[i].code);
        memset(&e, 0, sizeof e);
        CHECK(taco_lonlat(crs, points[i].x, points[i].y, out, &e) == TACO_OK);
        CHECK_TEXT(e.text, "");
        CHECK(near(out[0], points[i].lon) && near(out[1], points[i].lat));
        if (!near(out[0], points[i].lon) || !near(out[1], points[i].lat)) {
            printf("%s %.17g %.17g: %.17g %.17g\n", crs, points[i].x, points[i].y, out[0], out[1]);
        }
    }
}

static bool no_such(void *ctx, const char *crs, double x, double y, double out[2])
{
    out[0] = x / 1000;
    out[1] = y / 1000;
    return ctx != NULL && strcmp(crs, "EPSG:3031") == 0;
}

static void test_crs(void)
{
    static const double g[6] = {1000, 10, 0, 2000, 0, -10};
    static const int64_t shape[3] = {1, 100, 200};
    taco_stac s;
    double out[2];
    size_t i;
    memset(&e, 0, sizeof e);
    CHECK(taco_lonlat("urn:ogc:def:crs:EPSG::4326", 1, 2, out, &e) == TACO_OK && near(out[0], 1));
    CHECK(taco_lonlat("OGC:CRS84", 1, 2, out, &e) == TACO_OK && near(out[1], 2));
    CHECK(taco_lonlat("PROJCS[\"x\",AUTHORITY[\"EPSG\",\"9001\"],AUTHORITY[\"EPSG\",\"32719\"]]",
                      500000, 8664000, out, &e) == TACO_OK &&
          near(out[0], -69));
    CHECK(taco_lonlat("PROJCRS[\"x\",ID[\"EPSG\",4326],ID[\"EPSG\",32719]]", 500000, 8664000, out,
                      &e) == TACO_OK &&
          near(out[0], -69));
    CHECK(taco_lonlat("EPSG:3031", 1, 2, out, &e) == TACO_ERR_UNSUPPORTED);
    CHECK(strstr(e.text, "'EPSG:3031'"));
    memset(&e, 0, sizeof e);
    CHECK(taco_lonlat("EPSG:4326", 200, 2, out, &e) == TACO_ERR_CORRUPT);
    CHECK(taco_lonlat("EPSG:4326", 180.0000001, 2, out, NULL) == TACO_ERR_CORRUPT);
    /* the edges of the world, rounded */
    CHECK(taco_lonlat("EPSG:3857", -20037508.342789244, 0, out, NULL) == TACO_OK && out[0] >= -180);
    CHECK(taco_lonlat("EPSG:4326", 180.00000000000003, 90.00000000000001, out, NULL) == TACO_OK &&
          out[0] <= 180 && out[1] <= 90);
    CHECK(taco_lonlat("EPSG:4326", 1e308 * 10, 2, out, NULL) == TACO_ERR_CORRUPT);
    /* UTM across the antimeridian */
    CHECK(taco_lonlat("EPSG:32660", 900000, 0, out, NULL) == TACO_OK && out[0] > -179.5 &&
          out[0] < -179.3);
    CHECK(taco_lonlat("EPSG:32601", 100000, 0, out, NULL) == TACO_OK && out[0] > 179.3 &&
          out[0] < 179.5);
    for (i = 0; i < 4; i++) { /* the farthest coordinates of any CRS */
        double most = i % 2 ? 1e9 : -1e9, x = i < 2 ? most : 0, y = i < 2 ? 0 : most;
        CHECK(taco_lonlat("EPSG:3031", x, y, out, NULL) == TACO_ERR_CORRUPT);
        CHECK(taco_lonlat("EPSG:3031", x / 2, y / 2, out, NULL) == TACO_ERR_UNSUPPORTED);
    }
    CHECK(taco_lonlat(NULL, 1, 2, out, NULL) == TACO_ERR_UNSUPPORTED);
    memset(&e, 0, sizeof e);
    memset(&s, 0, sizeof s);
    s.crs = "EPSG:3031";
    s.shape = shape;
    s.dimensions = 3;
    memcpy(s.geotransform, g, sizeof g);
    s.lonlat = no_such;
    CHECK(taco_stac_centroid(&s, out, NULL) == TACO_ERR_UNSUPPORTED);
    s.lonlat_ctx = &s;
    CHECK(taco_stac_centroid(&s, out, &e) == TACO_OK && near(out[0], 2) && near(out[1], 1.5));
    s.dimensions = 1;
    CHECK(taco_stac_centroid(&s, out, &e) == TACO_ERR_ARGUMENT);
}

static void put_le(size_t n, uint8_t *p, uint64_t x)
{
    size_t i;
    for (i = 0; i < n; i++) {
        p[i] = (uint8_t)(x >> 8 * i);
    }
}

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static taco_bytes bytes_of(const uint8_t *p, size_t n)
{
    taco_bytes b;
    b.data = p;
    b.len = n;
    return b;
}

static size_t put_points(uint8_t *p, const double *xy, size_t n, bool count)
{
    size_t i, at = 0;
    if (count) {
        put_le(4, p, (uint32_t)n);
        at = 4;
    }
    for (i = 0; i < 2 * n; i++, at += 8) {
        put_le(8, p + at, bits_of(xy[i]));
    }
    return at;
}

static size_t put_head(uint8_t *p, uint32_t type)
{
    p[0] = 1;
    put_le(4, p + 1, type);
    return 5;
}

static void test_centroids(void)
{
    static const double shell[10] = {0, 0, 4, 0, 4, 3, 0, 3, 0, 0};
    static const double hole[10] = {1, 1, 1, 2, 2, 2, 2, 1, 1, 1};
    static const double line[6] = {0, 0, 3, 0, 3, 4}, given[2] = {7, 8};
    uint8_t wkb[512];
    taco_istac s;
    double out[2] = {0, 0};
    size_t n;
    memset(&s, 0, sizeof s);
    memset(&e, 0, sizeof e);
    s.crs = "EPSG:4326";
    n = put_head(wkb, 3);
    put_le(4, wkb + n, 2);
    n += 4;
    n += put_points(wkb + n, shell, 5, true);
    n += put_points(wkb + n, hole, 5, true);
    s.geometry = bytes_of(wkb, n);
    CHECK(taco_istac_centroid(&s, out, &e) == TACO_OK);
    CHECK(near(out[0], (12 * 2 - 1.5) / 11) &&
          near(out[1], 1.5)); /* area 12 without the hole's 1 */
    n = put_head(wkb, 2);
    n += put_points(wkb + n, line, 3, true);
    s.geometry = bytes_of(wkb, n);
    CHECK(taco_istac_centroid(&s, out, &e) == TACO_OK);
    CHECK(near(out[0], (3 * 1.5 + 4 * 3) / 7) && near(out[1], 8.0 / 7));
    n = put_head(wkb, 1);
    n += put_points(wkb + n, line + 2, 1, false);
    s.geometry = bytes_of(wkb, n);
    CHECK(taco_istac_centroid(&s, out, &e) == TACO_OK && near(out[0], 3) && near(out[1], 0));
    CHECK_TEXT(e.text, "");
    s.centroid = given; /* instead of what would be computed */
    CHECK(taco_istac_centroid(&s, out, &e) == TACO_OK && out[0] == 7 && out[1] == 8);
    s.centroid = NULL;
    s.geometry = bytes_of(wkb, 7);
    CHECK(taco_istac_centroid(&s, out, &e) != TACO_OK);
    CHECK(strncmp(e.text, "istac:geometry: ", 16) == 0);
}

static void test_majortom(void)
{
    size_t i;
    char code[48];
    for (i = 0; i < sizeof cells / sizeof cells[0]; i++) {
        CHECK(taco_majortom(cells[i].km, cells[i].lon, cells[i].lat, code, &e) == TACO_OK);
        CHECK_TEXT(code, cells[i].code);
    }
    CHECK(taco_majortom(0, 0, 0, code, NULL) == TACO_ERR_ARGUMENT);
}

/* tacotoolbox 0.26.9: MajorTOM(dist_km, latitude_range, longitude_range, sep), a point, the label
   of latlon2rowcol, and its rowcol2latlon. */
static const struct {
    size_t grid;
    double lon, lat;
    const char *code;
    double west, south;
} grid_cells[] = {
    {0, -180, -90, "0100km_0094D_0020R", 175.609756097561, -84.17910447761194},
    {0, 180, 90, "0100km_0094U_0020R", 175.609756097561, 84.17910447761193},
    {0, -0.1, -0.1, "0100km_0001D_0001L", -0.897755610972581, -0.8955223880597032},
    {0, -25, 10, "0100km_0011U_0028L", -25.518987341772174, 9.85074626865672},
    {0, -169.558, -6.188, "0100km_0007D_0188L", -169.62406015037595, -6.268656716417894},
    {1, -180, -90, "0100km_0067D_0100R", 179.1044776119403, -60.0},
    {1, 180, 90, "0100km_0067U_0100R", 179.1044776119403, 60.0},
    {1, -25, 10, "0100km_0011U_0028L", -25.518987341772174, 9.85074626865672},
    {2, -180, -90, "0050km-0000U-0066R", 29.625935162094777, 0.0},
    {2, -0.1, -0.1, "0050km-0000U-0001L", -0.4488778054862905, 0.0},
    {2, 5, 52, "0050km-0089U-0008R", 4.682926829268297, 39.95012468827929},
    {2, -25, 10, "0050km-0022U-0065R", 29.62025316455697, 9.87531172069825},
    {2, 12.25, 0.4, "0050km-0000U-0027R", 12.119700748129674, 0.0},
    {2, -169.558, -6.188, "0050km-0000U-0066R", 29.625935162094777, 0.0},
    {3, -180, -90, "1000km_0010D_0001R", 120.0, -85.71428571428572},
    {3, 180, 90, "1000km_0010U_0001R", 120.0, 85.71428571428572},
    {3, 5, 52, "1000km_0006U_0000R", 0.0, 51.428571428571445},
    {3, 86.363, 76.018, "1000km_0008U_0003R", 72.0, 68.57142857142856},
};

static void test_majortom_grids(void)
{
    static const taco_majortom_grid grids[] = {
        {100, 0, 0, 0, 0, NULL},
        {100, -60, 60, 0, 0, NULL},
        {50, 0, 40, -20, 30, "-"},
        {1000, -90, 90, 0, 0, NULL},
    };
    taco_majortom_grid narrow;
    double point[2] = {0, 0};
    char code[96];
    size_t i;
    memset(&e, 0, sizeof e);
    for (i = 0; i < sizeof grid_cells / sizeof grid_cells[0]; i++) {
        const taco_majortom_grid *g = &grids[grid_cells[i].grid];
        CHECK(taco_majortom_code(g, grid_cells[i].lon, grid_cells[i].lat, code, sizeof code, &e) ==
              TACO_OK);
        CHECK_TEXT(code, grid_cells[i].code);
        CHECK(taco_majortom_point(g, code, point, &e) == TACO_OK);
        CHECK(near(point[0], grid_cells[i].west) && near(point[1], grid_cells[i].south));
    }
    CHECK(taco_majortom_point(NULL, "0100km_0058U_0003R", point, &e) == TACO_OK &&
          near(point[0], 4.354838709677409));
    CHECK_TEXT(e.text, "");
    CHECK(taco_majortom_point(&grids[1], "0100km_0068U_0003R", point, &e) == TACO_ERR_NOT_FOUND);
    CHECK_TEXT(e.text, "the grid has no row of '0100km_0068U_0003R'");
    memset(&e, 0, sizeof e);
    CHECK(taco_majortom_point(&grids[0], "0100km_0058U_0500R", point, &e) == TACO_ERR_NOT_FOUND);
    CHECK_TEXT(e.text, "the grid has no column of '0100km_0058U_0500R'");
    CHECK(taco_majortom_point(&grids[2], "0050km_0000U_0001L", point, NULL) == TACO_ERR_ARGUMENT);
    CHECK(taco_majortom_point(NULL, "0100km_0058U_0003X", point, NULL) == TACO_ERR_ARGUMENT);
    CHECK(taco_majortom_point(NULL, "", point, NULL) == TACO_ERR_ARGUMENT);
    CHECK(taco_majortom_code(&grids[0], 0, 0, code, 20, NULL) == TACO_ERR_LIMIT);
    memset(&narrow, 0, sizeof narrow);
    narrow.km = 1000;
    narrow.south = 1;
    narrow.north = 2;
    CHECK(taco_majortom_code(&narrow, 0, 0, code, sizeof code, NULL) == TACO_ERR_ARGUMENT);
}

/* A square of half a side's length, as WKB. */
static size_t square_at(uint8_t *wkb, double x, double y, double half)
{
    double ring[10];
    size_t n = put_head(wkb, 3);
    ring[0] = ring[6] = ring[8] = x - half;
    ring[2] = ring[4] = x + half;
    ring[1] = ring[3] = ring[9] = y - half;
    ring[5] = ring[7] = y + half;
    put_le(4, wkb + n, 1);
    return n + 4 + put_points(wkb + n + 4, ring, 5, true);
}

/* Across the antimeridian: longitudes that jump, and parts on both sides. */
static void test_antimeridian(void)
{
    static const double jump[] = {178, 0, -178, 0, -178, 2, 178, 2, 178, 0};
    taco_istac s;
    uint8_t wkb[512];
    double out[2] = {0, 0};
    size_t n;
    memset(&s, 0, sizeof s);
    memset(&e, 0, sizeof e);
    s.crs = "EPSG:4326";
    n = put_head(wkb, 3);
    put_le(4, wkb + n, 1);
    n += 4 + put_points(wkb + n + 4, jump, 5, true);
    s.geometry = bytes_of(wkb, n);
    CHECK(taco_istac_centroid(&s, out, &e) == TACO_OK && near(out[0], 0));
    s.antimeridian = true;
    CHECK(taco_istac_centroid(&s, out, &e) == TACO_OK && near(out[1], 1));
    CHECK(near(out[0], 180) || near(out[0], -180));
    /* 4 x 4 at 178 and 8 x 8 at -176: of their areas */
    n = put_head(wkb, 6);
    put_le(4, wkb + n, 2);
    n += 4;
    n += square_at(wkb + n, 178, 0, 2);
    n += square_at(wkb + n, -176, 0, 4);
    s.geometry = bytes_of(wkb, n);
    CHECK(taco_istac_centroid(&s, out, &e) == TACO_OK);
    CHECK(near(out[0], (178 * 16 + 184 * 64) / 80.0 - 360));
    s.crs = "EPSG:3857"; /* metres have no antimeridian */
    CHECK(taco_istac_centroid(&s, out, &e) == TACO_OK && out[0] < 0 && out[0] > -0.001);
    CHECK_TEXT(e.text, "");
}

static const char collection[] =
    "{\"id\":\"x\",\"dataset_version\":\"1\",\"description\":\"d\",\"licenses\":[\"CC0-1.0\"],"
    "\"providers\":[{\"name\":\"p\",\"roles\":[\"host\"]}],\"tasks\":[\"other\"],%s,%s}";

static void test_writer(void)
{
    static const int64_t shape[3] = {2, 64, 64};
    static const double factor[1] = {0.0001};
    static const int32_t padding[4] = {1, 2, 3, 4};
    static const taco_label label = {"Forest", "1", NULL};
    static const taco_publication paper = {"10.1/x", "A \"citation\"", NULL};
    char labels[256], papers[256], text[1024];
    taco_sink sink;
    taco_writer *w;
    taco_dataset *ds;
    taco_source src;
    taco_cursor *c;
    taco_stac s;
    taco_bytes bytes;
    memset(&e, 0, sizeof e);
    memset(&s, 0, sizeof s);
    s.crs = "EPSG:32630";
    s.shape = shape;
    s.dimensions = 3;
    s.geotransform[0] = 726000;
    s.geotransform[1] = 10;
    s.geotransform[3] = 4373000;
    s.geotransform[5] = -10;
    s.time_start = -3;
    s.time_end = 0;
    s.has_end = true;
    CHECK(taco_labels_json(&label, 1, "l", labels, sizeof labels, &e) == TACO_OK);
    CHECK(taco_publications_json(&paper, 1, papers, sizeof papers, &e) == TACO_OK);
    CHECK(taco_labels_json(&label, 1, "l", labels, 10, NULL) == TACO_ERR_LIMIT);
    CHECK(taco_sink_memory(&sink, NULL, &e) == TACO_OK);
    w = taco_create_sink(&sink, NULL, &e);
    snprintf(text, sizeof text, collection, labels, papers);
    CHECK(taco_writer_collection(w, text, strlen(text)) == TACO_OK);
    taco_writer_stac_columns(w, 0);
    taco_writer_column(w, 0, "split", TACO_TEXT);
    CHECK(taco_writer_scaling_columns(w, 0, false) == TACO_OK);
    CHECK(taco_writer_bytes(w, "a", "abc", 3) == TACO_OK);
    CHECK(taco_writer_set_stac(w, &s, &e) == TACO_OK);
    CHECK(taco_writer_set_split(w, "dev", NULL) == TACO_ERR_ARGUMENT);
    CHECK(taco_writer_set_split(w, "train", &e) == TACO_OK);
    CHECK(taco_writer_set_scaling(w, factor, NULL, 1, false, padding, &e) == TACO_OK);
    CHECK(taco_writer_finish(w, &e) == TACO_OK);
    CHECK_TEXT(e.text, "");
    bytes = taco_sink_bytes(&sink);
    taco_source_memory(&src, bytes.data, bytes.len);
    ds = taco_open_source(&src, "x.tacozip", NULL, &e);
    c = ds ? taco_select(ds, NULL, &e) : NULL;
    CHECK_TEXT(e.text, "");
    CHECK(c && taco_cursor_next(c));
    if (c) {
        CHECK_TEXT(taco_cursor_text(c, "stac:time_start"), "1969-12-31T23:59:59.999997");
        CHECK_TEXT(taco_cursor_text(c, "stac:time_middle"), "1969-12-31T23:59:59.999998");
        CHECK_TEXT(taco_cursor_text(c, "stac:tensor_shape"), "[2,64,64]");
        CHECK_TEXT(taco_cursor_text(c, "scaling:scale_factor"), "0.0001");
        CHECK_TEXT(taco_cursor_text(c, "scaling:padding"), "[1,2,3,4]");
        CHECK(taco_cursor_bytes(c, "stac:centroid", &bytes) && bytes.len == 21);
        CHECK(!taco_cursor_text(c, "scaling:scale_offset"));
    }
    taco_cursor_close(c, &e);
    bytes = taco_collection(ds, "labels:classes");
    snprintf(text, sizeof text, "%.*s", (int)bytes.len, (const char *)bytes.data);
    CHECK(strstr(text, "\"name\": \"Forest\"") && strstr(text, "\"description\": null"));
    taco_close(ds);
    taco_sink_free(&sink);
    s.time_end = -4;
    memset(&e, 0, sizeof e);
    CHECK(taco_writer_set_stac(NULL, &s, &e) == TACO_ERR_ARGUMENT);
    CHECK_TEXT(e.text, "time_start -3 is after time_end -4");
}

/* Values of one sample by column, and what breaks a rule; NULL: nothing does. */
static const struct breach {
    const char *column;
    taco_type type, items; /* items: of a list of numbers */
    const char *text;      /* text, times, and WKB in hexadecimal */
    double numbers[7];
    size_t count;
    const char *message;
} breaches[] = {
    {"split",
     TACO_TEXT,
     TACO_NULL,
     "dev",
     {0},
     0,
     "split is 'dev', allowed are train, test and validation"},
    {"split", TACO_TEXT, TACO_NULL, "validation", {0}, 0, NULL},
    {"split", TACO_INT64, TACO_NULL, NULL, {1}, 1, "column 'split' is not text"},
    {"stac:crs", TACO_TEXT, TACO_NULL, "", {0}, 0, "stac:crs is empty"},
    {"stac:geotransform",
     TACO_LIST,
     TACO_DOUBLE,
     NULL,
     {1, 2, 3, 4, 5},
     5,
     "stac:geotransform has 5 numbers, must be 6"},
    {"stac:geotransform",
     TACO_LIST,
     TACO_DOUBLE,
     NULL,
     {1, 2, 3, 4, 5, 1e308 * 10},
     6,
     "stac:geotransform has a number that is infinite"},
    {"stac:geotransform", TACO_LIST, TACO_DOUBLE, NULL, {1, 2, 3, 4, 5, 6}, 6, NULL},
    {"stac:geotransform",
     TACO_LIST,
     TACO_INT64,
     NULL,
     {1, 2, 3, 4, 5, 6},
     6,
     "column 'stac:geotransform' is not a list of doubles"},
    {"stac:tensor_shape",
     TACO_LIST,
     TACO_INT64,
     NULL,
     {3, -1, 5},
     3,
     "stac:tensor_shape has a size of -1, which is negative"},
    {"stac:time_start",
     TACO_INT64,
     TACO_NULL,
     NULL,
     {1},
     1,
     "column 'stac:time_start' is not a timestamp"},
    {"stac:centroid",
     TACO_BINARY,
     TACO_NULL,
     "0101000000000000000000f87f000000000000f87f",
     {0},
     0,
     "stac:centroid is empty, or NaN"},
    {"stac:centroid",
     TACO_BINARY,
     TACO_NULL,
     "010100000000000000004066400000000000000000",
     {0},
     0,
     NULL},
    {"istac:centroid",
     TACO_BINARY,
     TACO_NULL,
     "010100000000000000006076400000000000000000",
     {0},
     0,
     "istac:centroid is 358.0 0.0, not a longitude and a latitude in degrees"},
    {"istac:centroid", TACO_BINARY, TACO_NULL, "0102000000", {0}, 0, "istac:centroid is not WKB: "},
    {"istac:geometry",
     TACO_BINARY,
     TACO_NULL,
     "010200000000000000",
     {0},
     0,
     "istac:geometry is empty, or NaN"},
    {"istac:geometry",
     TACO_TEXT,
     TACO_NULL,
     "POINT (1 2)",
     {0},
     0,
     "column 'istac:geometry' is not binary (WKB)"},
    {"scaling:scale_factor",
     TACO_LIST,
     TACO_FLOAT,
     NULL,
     {1, 0},
     2,
     "scaling:scale_factor must not be 0"},
    {"scaling:scale_factor",
     TACO_DOUBLE,
     TACO_NULL,
     NULL,
     {0},
     1,
     "scaling:scale_factor must not be 0"},
    {"scaling:scale_offset", TACO_DOUBLE, TACO_NULL, NULL, {0}, 1, NULL},
    {"scaling:padding",
     TACO_LIST,
     TACO_INT32,
     NULL,
     {1, 2, 3},
     3,
     "scaling:padding has 3 numbers, must be 4"},
    {"majortom:code", TACO_TEXT, TACO_NULL, "0100km_0003U_0005R", {0}, 0, NULL},
    {"majortom:code", TACO_TEXT, TACO_NULL, "0100km-0003D-12345L", {0}, 0, NULL},
    {"majortom:code",
     TACO_TEXT,
     TACO_NULL,
     "0100km_0003U-0005R",
     {0},
     0,
     "majortom:code is '0100km_0003U-0005R', codes are like 0100km_0003U_0005R"},
    {"majortom:code", TACO_TEXT, TACO_NULL, "433D_78R", {0}, 0, "majortom:code is '433D_78R'"},
    {"geotiff:stats",
     TACO_LIST,
     TACO_DOUBLE,
     NULL,
     {1, 2},
     2,
     "column 'geotiff:stats' is not a list of numbers for each band"},
};

static void set_value(taco_writer *w, const struct breach *b)
{
    uint8_t wkb[64];
    int64_t ints[7];
    size_t i, n = b->text ? strlen(b->text) / 2 : 0;
    for (i = 0; i < 7; i++) {
        ints[i] = b->items != TACO_DOUBLE && b->items != TACO_FLOAT ? (int64_t)b->numbers[i] : 0;
    }
    if (b->type == TACO_BINARY) {
        for (i = 0; i < n; i++) {
            unsigned byte = 0;
            sscanf(b->text + 2 * i, "%2x", &byte);
            wkb[i] = (uint8_t)byte;
        }
        taco_writer_set_bytes(w, b->column, wkb, n);
    } else if (b->text) {
        taco_writer_set_text(w, b->column, b->text);
    } else if (b->type == TACO_INT64) {
        taco_writer_set_int(w, b->column, ints[0]);
    } else if (b->type == TACO_DOUBLE) {
        taco_writer_set_double(w, b->column, b->numbers[0]);
    } else if (b->items == TACO_DOUBLE || b->items == TACO_FLOAT) {
        taco_writer_set_doubles(w, b->column, b->numbers, b->count);
    } else {
        taco_writer_set_ints(w, b->column, ints, b->count);
    }
}

static bool take_finding(void *ctx, const taco_problem *p)
{
    char *text = (char *)ctx;
    if (!text[0]) {
        snprintf(text, 512, "%s %s: %s", p->error ? "error" : "warning", p->where, p->message);
    }
    return true;
}

/* Whoever sets a column, by whatever call: the writer refuses the value, and validation finds it
   where a writer let it pass. */
static void rules_by_name(void)
{
    size_t i;
    for (i = 0; i < sizeof breaches / sizeof breaches[0]; i++) {
        const struct breach *b = &breaches[i];
        int pass;
        for (pass = 0; pass < 2; pass++) {
            taco_error err;
            taco_create_options opt;
            taco_validate_options how;
            taco_source src;
            taco_sink sink;
            taco_writer *w;
            char text[1024], want[256];
            memset(&err, 0, sizeof err);
            memset(&opt, 0, sizeof opt);
            memset(&how, 0, sizeof how);
            opt.any_values = pass == 1;
            opt.fill = true;
            CHECK(taco_sink_memory(&sink, NULL, &err) == TACO_OK);
            w = taco_create_sink(&sink, &opt, &err);
            snprintf(text, sizeof text, collection, "\"x\":1", "\"y\":1");
            taco_writer_collection(w, text, strlen(text));
            if (b->type == TACO_LIST) {
                taco_writer_list(w, 0, b->column, b->items);
            } else {
                taco_writer_column(w, 0, b->column, b->type);
            }
            taco_writer_bytes(w, "none", "abc", 3);
            taco_writer_bytes(w, "a", "abc", 3);
            set_value(w, b);
            taco_writer_finish(w, &err);
            if (pass == 0) {
                snprintf(want, sizeof want, "%s%s",
                         strstr(b->message ? b->message : "", "column")
                             ? "level 0: "
                             : "sample 1 of level 0, 'a': ",
                         b->message ? b->message : "");
                if (!b->message) { want[0] = 0; }
                err.text[strlen(want)] = b->message ? 0 : err.text[0];
                CHECK_TEXT(err.text, want);
            } else {
                taco_bytes made = taco_sink_bytes(&sink);
                CHECK_TEXT(err.text, "");
                taco_source_memory(&src, made.data, made.len);
                how.found = take_finding;
                how.ctx = text;
                text[0] = 0;
                taco_validate_source(&src, "x.tacozip", NULL, &how, NULL, NULL);
                snprintf(want, sizeof want, "%s METADATA/level0.parquet%s: %s",
                         strcmp(b->column, "split") == 0 && b->type == TACO_TEXT ? "warning"
                                                                                 : "error",
                         strstr(b->message ? b->message : "", "column") ? "" : ": row 1",
                         b->message ? b->message : "");
                if (!b->message) { want[0] = 0; }
                text[strlen(want)] = b->message ? 0 : text[0];
                CHECK_TEXT(text, want);
            }
            taco_sink_free(&sink);
        }
    }
}

/* Times are of two columns: the start must not lie behind the end. */
static void order_of_times(void)
{
    taco_error err;
    taco_sink sink;
    taco_writer *w;
    char text[512];
    memset(&err, 0, sizeof err);
    CHECK(taco_sink_memory(&sink, NULL, &err) == TACO_OK);
    w = taco_create_sink(&sink, NULL, &err);
    snprintf(text, sizeof text, collection, "\"x\":1", "\"y\":1");
    taco_writer_collection(w, text, strlen(text));
    taco_writer_column(w, 0, "istac:time_start", TACO_TIMESTAMP);
    taco_writer_column(w, 0, "istac:time_end", TACO_TIMESTAMP);
    taco_writer_bytes(w, "a", "abc", 3);
    taco_writer_set_int(w, "istac:time_start", 8);
    taco_writer_set_int(w, "istac:time_end", 7);
    CHECK(taco_writer_finish(w, &err) == TACO_ERR_ARGUMENT);
    CHECK_TEXT(err.text, "sample 0 of level 0, 'a': time_start 8 is after time_end 7");
    taco_sink_free(&sink);
}

/* The same in two units: a start in seconds, an end in milliseconds. */
static void order_in_two_units(void)
{
    static const struct {
        int64_t start, end;
        const char *message;
    } t[] = {{8, 8000, ""},
             {8, 7999, "sample 0 of level 0, 'a': time_start 8000000 is after time_end 7999000"}};

    size_t i;
    for (i = 0; i < sizeof t / sizeof t[0]; i++) {
        taco_field start, end;
        taco_error err;
        taco_sink sink;
        taco_writer *w;
        char text[512];
        memset(&err, 0, sizeof err);
        memset(&start, 0, sizeof start);
        start.name = "stac:time_start";
        start.type = TACO_TIMESTAMP;
        start.nullable = true;
        end = start;
        end.name = "stac:time_end";
        end.unit = TACO_MILLI;
        CHECK(taco_sink_memory(&sink, NULL, &err) == TACO_OK);
        w = taco_create_sink(&sink, NULL, &err);
        snprintf(text, sizeof text, collection, "\"x\":1", "\"y\":1");
        taco_writer_collection(w, text, strlen(text));
        taco_writer_field(w, 0, &start);
        taco_writer_field(w, 0, &end);
        taco_writer_bytes(w, "a", "abc", 3);
        taco_writer_set_int(w, "stac:time_start", t[i].start);
        taco_writer_set_int(w, "stac:time_end", t[i].end);
        taco_writer_finish(w, &err);
        CHECK_TEXT(err.text, t[i].message);
        taco_sink_free(&sink);
    }
}

static void put_double(uint8_t *p, double x)
{
    uint64_t bits;
    size_t i;
    memcpy(&bits, &x, 8);
    for (i = 0; i < 8; i++) {
        p[i] = (uint8_t)(bits >> 8 * i);
    }
}

/* A square around x, y as WKB. */
static void square(double x, double y, double half, uint8_t wkb[93])
{
    static const double turn[10] = {-1, -1, 1, -1, 1, 1, -1, 1, -1, -1};
    size_t i;
    memset(wkb, 0, 93);
    wkb[0] = 1;
    wkb[1] = 3;
    wkb[5] = 1;
    wkb[9] = 5;
    for (i = 0; i < 10; i++) {
        put_double(wkb + 13 + 8 * i, (i % 2 ? y : x) + half * turn[i]);
    }
}

static void hear(void *ctx, const taco_error *warning)
{
    snprintf((char *)ctx, 512, "%s", warning->text);
}

/* Ids of the rows that a box meets. */
static const char *meet(taco_dataset *ds, double west, double south, double east, double north)
{
    static char ids[64];
    taco_error err;
    taco_query q;
    taco_cursor *c;
    double box[4];
    memset(&err, 0, sizeof err);
    memset(&q, 0, sizeof q);
    box[0] = west;
    box[1] = south;
    box[2] = east;
    box[3] = north;
    q.bbox = box;
    c = taco_select(ds, &q, &err);
    ids[0] = 0;
    while (taco_cursor_next(c)) {
        strcat(ids, taco_cursor_text(c, "id"));
    }
    CHECK(taco_cursor_close(c, &err) == TACO_OK);
    CHECK_TEXT(err.text, "");
    return ids;
}

/* Footprints in UTM, web mercator and degrees meet one box in degrees; a footprint in another CRS
   does not, and a warning says so. A box in metres is compared as it is. */
static void box_in_degrees(void)
{
    static const struct {
        const char *id, *crs;
        double x, y, half;
    } rows[] = {
        {"a", "EPSG:32630", 726000, 4373000, 500},    /* -0.37, 39.47: Valencia */
        {"b", "EPSG:3857", -41850, 4790400, 500},     /* -0.376, 39.469 */
        {"c", "EPSG:4326", -0.37, 39.47, 0.005},      /* */
        {"d", "EPSG:25830", 440000, 4474000, 500},    /* -3.7, 40.4: Madrid */
        {"e", "EPSG:32701", 300000, 8000000, 300000}, /* about 178.9 W, over 180 degrees */
        {"f", "EPSG:2154", 700000, 6600000, 500},     /* Lambert 93: not computed */
    };

    taco_error err;
    taco_options options;
    taco_sink sink;
    taco_source src;
    taco_bytes bytes;
    taco_writer *w;
    taco_dataset *ds;
    uint8_t wkb[93];
    char text[512], heard[512] = {0};
    size_t i;
    memset(&err, 0, sizeof err);
    memset(&options, 0, sizeof options);
    options.warn = hear;
    options.warn_ctx = heard;
    CHECK(taco_sink_memory(&sink, NULL, &err) == TACO_OK);
    w = taco_create_sink(&sink, NULL, &err);
    snprintf(text, sizeof text, collection, "\"x\":1", "\"y\":1");
    taco_writer_collection(w, text, strlen(text));
    taco_writer_column(w, 0, "istac:crs", TACO_TEXT);
    taco_writer_column(w, 0, "istac:geometry", TACO_BINARY);
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        taco_writer_bytes(w, rows[i].id, "abc", 3);
        taco_writer_set_text(w, "istac:crs", rows[i].crs);
        square(rows[i].x, rows[i].y, rows[i].half, wkb);
        taco_writer_set_bytes(w, "istac:geometry", wkb, sizeof wkb);
    }
    CHECK(taco_writer_finish(w, &err) == TACO_OK);
    bytes = taco_sink_bytes(&sink);
    taco_source_memory(&src, bytes.data, bytes.len);
    ds = taco_open_source(&src, "x.tacozip", &options, &err);
    CHECK_TEXT(meet(ds, -0.5, 39.3, -0.2, 39.6), "abc");
    CHECK(strstr(heard, "bbox: istac:crs is 'EPSG:2154' to 'EPSG:4326'") == heard);
    CHECK_TEXT(meet(ds, -4, 40, -3, 41), "d");
    CHECK_TEXT(meet(ds, 179, -20, 180, -16), "e");
    CHECK_TEXT(meet(ds, -180, -20, -177, -16), "e");
    CHECK_TEXT(meet(ds, -170, -20, 170, -16), "");
    CHECK_TEXT(meet(ds, 725000, 4372000, 727000, 4374000), "a");
    taco_close(ds);
    taco_sink_free(&sink);
}

/* tacotoolbox 0.26.9, SpatialGrouping: by 4 samples, by 8 KB, by 3 samples and 9 KB; -1: no
   point. */
static const struct place {
    double lon, lat;
    uint64_t size;
    int group[3];
} places[] = {
    {-63.42, -62.847, 1377, {0, 0, 1}},   {54.336, -76.961, 960, {2, 2, 3}},
    {12.918, -24.176, 4045, {3, 4, 4}},   {-159.12, 1.338, 483, {5, 7, 7}},
    {-166.502, -11.944, 1788, {1, 0, 1}}, {0, 0, 2355, {-1, -1, -1}},
    {180.0, 90.0, 1060, {9, 13, 13}},     {-180.0, -90.0, 2029, {0, 0, 0}},
    {0.0, 0.0, 3260, {2, 2, 2}},          {27.757, -18.598, 3203, {4, 5, 5}},
    {171.452, -81.615, 4068, {2, 3, 3}},  {129.049, -37.87, 661, {5, 7, 7}},
    {-128.068, -68.797, 1363, {0, 0, 0}}, {-68.947, 56.903, 3680, {7, 10, 10}},
    {-114.939, 14.688, 3291, {5, 7, 8}},  {50.009, -22.968, 4502, {3, 5, 5}},
    {17.188, -78.698, 2277, {2, 2, 3}},   {-158.544, -52.927, 1122, {0, 0, 0}},
    {64.944, -13.033, 3527, {4, 6, 6}},   {-66.907, 15.401, 4508, {6, 9, 9}},
    {-16.854, -36.042, 2281, {1, 1, 2}},  {105.977, 35.819, 3403, {8, 11, 11}},
    {-92.125, 13.396, 2940, {6, 8, 8}},   {9.071, 67.525, 3117, {8, 11, 12}},
    {82.6, -38.171, 1891, {3, 4, 4}},     {172.863, -68.748, 1237, {3, 3, 4}},
    {-29.476, 46.285, 680, {7, 10, 10}},  {-125.286, -1.987, 1444, {1, 1, 2}},
    {-165.885, 30.279, 1240, {6, 8, 8}},  {95.246, 13.145, 1901, {8, 10, 11}},
    {135.172, -33.525, 1912, {5, 7, 7}},  {70.306, 16.987, 99, {8, 10, 11}},
    {28.762, -7.883, 3973, {4, 6, 6}},    {122.388, 80.043, 4827, {9, 12, 13}},
    {-9.325, 29.547, 1494, {7, 9, 10}},   {-158.159, 36.269, 2153, {6, 8, 9}},
    {52.966, 88.757, 2310, {9, 12, 12}},  {115.893, -38.773, 34, {4, 6, 6}},
    {-41.115, 30.357, 1194, {7, 9, 9}},   {-171.877, -6.895, 3433, {1, 1, 1}},
};

static void test_spatial_groups(void)
{
    enum { N = sizeof places / sizeof places[0] };

    static const uint64_t most[3][2] = {{4, 0}, {0, 8192}, {3, 9216}};
    double lonlat[2 * N];
    uint64_t sizes[N];
    uint32_t groups[N];
    size_t i, k;
    for (i = 0; i < N; i++) {
        lonlat[2 * i] = places[i].group[0] < 0 ? NAN : places[i].lon;
        lonlat[2 * i + 1] = places[i].lat;
        sizes[i] = places[i].size;
    }
    memset(&e, 0, sizeof e);
    for (k = 0; k < 3; k++) {
        CHECK(taco_spatial_groups(lonlat, sizes, N, most[k][0], most[k][1], groups, &e) == TACO_OK);
        for (i = 0; i < N; i++) {
            CHECK(groups[i] == (uint32_t)places[i].group[k]);
        }
    }
    CHECK(taco_spatial_groups(lonlat, NULL, N, 4, 0, groups, &e) == TACO_OK);
    CHECK(taco_spatial_groups(lonlat, NULL, 0, 4, 0, groups, &e) == TACO_OK);
    for (i = 0; i < N; i++) { /* of one place: in their order */
        lonlat[2 * i] = lonlat[2 * i + 1] = 7;
    }
    CHECK(taco_spatial_groups(lonlat, sizes, N, 10, 0, groups, &e) == TACO_OK);
    CHECK(groups[9] == 0 && groups[10] == 1 && groups[39] == 3);
    CHECK(taco_spatial_groups(lonlat, sizes, N, 0, 1, groups, &e) == TACO_OK && groups[39] == 39);
    CHECK(taco_spatial_groups(lonlat, sizes, N, 0, 0, groups, NULL) == TACO_ERR_ARGUMENT);
    CHECK(taco_spatial_groups(lonlat, NULL, N, 0, 1, groups, NULL) == TACO_ERR_ARGUMENT);
}

/* tests/data/bands.tsv is the table of tacotoolbox 0.26.9, printed by
     from tacotoolbox.taco.extensions import opticaldata as o
     for s in o.SUPPORTED_SENSORS:
         for n, b in o.get_sensor_bands(s).items():
             print(s, n, *b.values(), sep="\t") */
enum { SENSOR, NAME, INDEX, COMMON, WHAT, CENTRE, WIDTH, BAND_FIELDS };

/* Cuts a line at its tabs; false if it has not the fields of a band. */
static bool cut_band(char *line, char *field[BAND_FIELDS])
{
    size_t i;
    line[strcspn(line, "\r\n")] = 0;
    for (i = 0; i < BAND_FIELDS; i++) {
        field[i] = line;
        line = strchr(line, '\t');
        if (line) { *line++ = 0; }
        if ((line == NULL) != (i == BAND_FIELDS - 1)) { return false; }
    }
    return true;
}

/* Copies the letters and digits of a description, in lower case. */
static void letters_of(const char *from, size_t n, char out[128])
{
    size_t i, k = 0;
    for (i = 0; i < n && k < 127; i++) {
        int c = from[i] >= 'A' && from[i] <= 'Z' ? from[i] - 'A' + 'a' : from[i];
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) { out[k++] = (char)c; }
    }
    out[k] = 0;
}

/* Checks the band that the text begins with; the value is what follows. The description of the
   reference begins with the number of the band, and is punctuated otherwise. */
static const char *check_band(const char *text, char *field[BAND_FIELDS])
{
    char want[256], have[128], what[128];
    const char *theirs = strstr(field[WHAT], " - ");
    size_t n;
    snprintf(want, sizeof want,
             "{\"name\":\"%s\",\"index\":%s,\"common_name\":\"%s\",\"description\":\"", field[NAME],
             field[INDEX], field[COMMON]);
    if (strncmp(text, want, strlen(want)) != 0 || !theirs) {
        printf("%s of %s: not \"%s\" but \"%.90s\"\n", field[NAME], field[SENSOR], want, text);
        CHECK(false);
        return "";
    }
    text += strlen(want);
    n = strcspn(text, "\"");
    letters_of(text, n, have);
    letters_of(theirs, strlen(theirs), what);
    if (strcmp(field[NAME], "B04") == 0 && strcmp(what, "nearinfrared230m") == 0) {
        strcpy(what, "nearinfrared260m"); /* the four bands of MSS have 60 m; the reference errs */
    }
    CHECK_TEXT(have, what);
    text += n;
    snprintf(want, sizeof want,
             "\",\"unit\":null,\"center_wavelength\":%s,\"full_width_half_max\":%s}", field[CENTRE],
             field[WIDTH]);
    n = strlen(want);
    CHECK(strncmp(text, want, n) == 0);
    return strncmp(text, want, n) == 0 ? text + n : "";
}

/* Every known sensor has the bands of the reference, in its order, and no others. */
static void test_sensors(void)
{
    static char text[40000], line[256];
    char *field[BAND_FIELDS], sensor[32] = "", want[96];
    const char *rest = "";
    FILE *f = fopen("tests/data/bands.tsv", "rb");
    int bands = 0, all = 0, sensors = 0;
    bool more = f != NULL;
    CHECK(f != NULL);
    while (more) {
        more = fgets(line, sizeof line, f) != NULL;
        if (more && !cut_band(line, field)) { break; }
        if (sensors && (!more || strcmp(sensor, field[SENSOR]) != 0)) { /* the end of a sensor */
            sprintf(want, "],\"optical:num_bands\":%d", bands);
            CHECK_TEXT(rest, want);
        }
        if (more && strcmp(sensor, field[SENSOR]) != 0) {
            sprintf(sensor, "%.31s", field[SENSOR]);
            sprintf(want, "\"optical:sensor\":\"%s\",\"optical:bands\":[", sensor);
            CHECK(taco_optical_json(sensor, NULL, 0, text, sizeof text, NULL) == TACO_OK);
            CHECK(strncmp(text, want, strlen(want)) == 0);
            rest = text + strlen(want);
            sensors++;
            bands = 0;
        } else if (more) {
            CHECK(*rest == ',');
            rest += *rest == ',';
        }
        if (more) { rest = check_band(rest, field); }
        bands += more;
        all += more;
    }
    CHECK(!more && sensors == 14 && all == 138);
    if (f) { fclose(f); }
}

static void test_collection_fields(void)
{
    static const taco_band own[] = {{"r", "Red", NULL, "um", 0.665, 0}};
    char text[40000];
    memset(&e, 0, sizeof e);
    CHECK(taco_optical_json("sentinel2msi[B02, B8A]", NULL, 0, text, sizeof text, &e) == TACO_OK);
    CHECK_TEXT(
        text,
        "\"optical:sensor\":\"sentinel2msi\",\"optical:bands\":[{\"name\":\"B02\",\"index\":1,"
        "\"common_name\":\"blue\",\"description\":\"blue, 10 m\",\"unit\":null,"
        "\"center_wavelength\":496.5,\"full_width_half_max\":53.0},{\"name\":\"B8A\",\"index\":"
        "8,\"common_name\":\"red edge 4\",\"description\":\"Vegetation red edge 4, 20 m\","
        "\"unit\":null,\"center_wavelength\":864.5,\"full_width_half_max\":19.0}],"
        "\"optical:num_bands\":2");
    CHECK(taco_optical_json("modis", NULL, 0, text, sizeof text, &e) == TACO_OK &&
          strstr(text, "\"optical:num_bands\":36"));
    CHECK(taco_optical_json("eo1ali[B03,B08]", NULL, 0, text, sizeof text, &e) == TACO_OK);
    CHECK(strstr(text, "\"MS-1\",\"description\":\"Blue, 30 m\",\"unit\":null,"
                       "\"center_wavelength\":566.0") &&
          strstr(text, "\"MS-5\",\"description\":\"Shortwave infrared, 30 m\",\"unit\":null,"
                       "\"center_wavelength\":1638.0"));
    CHECK(taco_optical_json("landsat3mss", NULL, 0, text, sizeof text, &e) == TACO_OK &&
          strstr(text, "\"common_name\":\"NIR1\""));
    CHECK(taco_optical_json("mine", own, 1, text, sizeof text, &e) == TACO_OK);
    CHECK_TEXT(text, "\"optical:sensor\":\"mine\",\"optical:bands\":[{\"name\":\"r\",\"index\":0,"
                     "\"common_name\":\"Red\",\"description\":null,\"unit\":\"um\","
                     "\"center_wavelength\":0.665,\"full_width_half_max\":null}],"
                     "\"optical:num_bands\":1");
    CHECK_TEXT(e.text, "");
    CHECK(taco_optical_json("modis[B99]", NULL, 0, text, sizeof text, &e) == TACO_ERR_ARGUMENT);
    CHECK_TEXT(e.text, "modis has no band 'B99'");
    CHECK(taco_optical_json("mine", NULL, 0, text, sizeof text, NULL) == TACO_ERR_ARGUMENT);
    CHECK(taco_optical_json("modis", NULL, 0, text, 30, NULL) == TACO_ERR_LIMIT);
    CHECK(taco_split_json("manual", text, sizeof text, NULL) == TACO_OK);
    CHECK_TEXT(text, "\"split:strategy\":\"manual\"");
    CHECK(taco_split_json("best", text, sizeof text, NULL) == TACO_ERR_ARGUMENT);
}

/* Band 0: 0, 1, ..., 9999 squared over 10^4, each eighth without data; 1: seven everywhere; 2:
   nothing. */
static bool read_pixels(void *ctx, uint32_t band, uint64_t first, double *out, size_t n)
{
    size_t i;
    for (i = 0; i < n; i++) {
        uint64_t k = first + i;
        out[i] = band == 2 ? NAN : band == 1 ? 7 : k % 8 == 3 ? NAN : (double)(k * k) / 1e4;
    }
    return ctx == NULL || first == 0;
}

static const char *stats_of(taco_pixels *p)
{
    static char text[1024];
    taco_sink sink;
    taco_writer *w;
    taco_source src;
    taco_bytes bytes;
    taco_dataset *ds;
    taco_cursor *c;
    const char *got;
    memset(&e, 0, sizeof e);
    CHECK(taco_sink_memory(&sink, NULL, &e) == TACO_OK);
    w = taco_create_sink(&sink, NULL, &e);
    snprintf(text, sizeof text, collection, "\"a\":1", "\"b\":2");
    taco_writer_collection(w, text, strlen(text));
    CHECK(taco_writer_stats_column(w, 0) == TACO_OK);
    CHECK(taco_writer_bytes(w, "a", "abc", 3) == TACO_OK);
    CHECK(taco_writer_set_stats(w, p, &e) == e.code);
    if (e.code != TACO_OK) {
        taco_writer_abort(w);
        taco_sink_free(&sink);
        return e.text;
    }
    CHECK(taco_writer_finish(w, &e) == TACO_OK);
    bytes = taco_sink_bytes(&sink);
    taco_source_memory(&src, bytes.data, bytes.len);
    ds = taco_open_source(&src, "x.tacozip", NULL, &e);
    c = ds ? taco_select(ds, NULL, &e) : NULL;
    CHECK_TEXT(e.text, "");
    got = c && taco_cursor_next(c) ? taco_cursor_text(c, "geotiff:stats") : "no row";
    snprintf(text, sizeof text, "%s", got ? got : "null");
    taco_cursor_close(c, &e);
    taco_close(ds);
    taco_sink_free(&sink);
    return text;
}

static void test_stats(void)
{
    static const int64_t classes[] = {0, 7, 9};
    taco_pixels p;
    memset(&p, 0, sizeof p);
    p.bands = 2;
    p.count = 10000;
    p.read = read_pixels;
    CHECK_TEXT(stats_of(&p), "[[0.0,9998.0,3332.9048,2981.1846,87.5,649.87,2449.51,5648.87,9048.19]"
                             ",[7.0,7.0,7.0,0.0,100.0,7.0,7.0,7.0,7.0]]");
    p.scale = 0.5;
    p.offset = -1;
    p.bands = 1;
    CHECK_TEXT(stats_of(&p),
               "[[-1.0,4998.0,1665.4524,1490.5923,87.5,323.935,1223.755,2823.435,4523.095]]");
    p.bands = 3;
    CHECK_TEXT(stats_of(&p), "null");
    p.bands = 2;
    p.classes = classes;
    p.class_count = 3;
    CHECK_TEXT(stats_of(&p), "[[0.5,0.0,0.5],[0.0,1.0,0.0]]");
    p.ctx = &p; /* fails at the second read */
    CHECK_TEXT(stats_of(&p), "band 0: pixels 768 to 1536 cannot be read");
    p.count = 0;
    CHECK_TEXT(stats_of(&p), "geotiff:stats needs bands, pixels and a way to read them");
}

int main(void)
{
    RUN(rules_by_name);
    RUN(order_of_times);
    RUN(order_in_two_units);
    RUN(box_in_degrees);
    RUN(test_lonlat);
    RUN(test_crs);
    RUN(test_centroids);
    RUN(test_majortom);
    RUN(test_majortom_grids);
    RUN(test_antimeridian);
    RUN(test_writer);
    RUN(test_spatial_groups);
    RUN(test_sensors);
    RUN(test_collection_fields);
    RUN(test_stats);
    return test_end("ext");
}
