/* Rows as Parquet, GeoParquet and STAC GeoParquet: contents of the file, and errors. */
#include "../extra/taco_publish.h"
#include "../extra/taco_write.h"
#include "../extra/taco_sql.h"

#include "test.h"

#include "alloc.h"

static taco_error err;
static char text[1 << 16];

/* The rows of a query or a SELECT, published and read back as lines of JSON; or the error. */
static const char *publish(const char *path, const char *sql, const taco_publish_options *how,
                           const char *key)
{
    taco_sink sink;
    taco_source src;
    taco_dataset *ds;
    taco_pq_file *file;
    taco_bytes line, all;
    memset(&err, 0, sizeof err);
    text[0] = 0;
    ds = taco_open(path, NULL, &err);
    CHECK(taco_sink_memory(&sink, NULL, &err) == TACO_OK);
    taco_publish(sql ? taco_sql(ds, sql, &err) : taco_select(ds, NULL, &err), &sink, how, &err);
    taco_close(ds);
    if (err.code != TACO_OK) {
        CHECK(taco_sink_bytes(&sink).len == 0);
        taco_sink_free(&sink);
        return taco_error_text(&err);
    }
    all = taco_sink_bytes(&sink);
    taco_source_memory(&src, all.data, all.len);
    file = taco_pq_open_source(&src, "published", NULL, &err);
    if (key) {
        line = taco_pq_key_value(file, key);
        sprintf(text, "%.*s", (int)line.len, line.data ? (const char *)line.data : "");
    } else {
        taco_pq_reader *rows = taco_pq_read(file, NULL, &err);
        taco_batch b;
        size_t n;
        const taco_field *f = taco_pq_reader_fields(rows, &n);
        taco_printer *p = taco_printer_open(f, n, TACO_FORMAT_NDJSON, NULL, &err);
        while (taco_pq_reader_next(rows, &b)) {
            line = taco_printer_batch(p, &b, &err);
            sprintf(text + strlen(text), "%.*s", (int)line.len, (const char *)line.data);
        }
        taco_printer_close(p);
        taco_pq_reader_close(rows, &err);
    }
    taco_pq_close(file);
    taco_sink_free(&sink);
    CHECK_TEXT(taco_error_text(&err), "");
    return text;
}

static taco_publish_options as(taco_publish_kind kind)
{
    taco_publish_options how;
    memset(&how, 0, sizeof how);
    how.kind = kind;
    return how;
}

static const char *const stac = "examples/data/geo_stac.tacozip";

static void plain(void)
{
    const char *got =
        publish("examples/data/nested.tacozip", "SELECT id, type FROM data LIMIT 1", NULL, NULL);
    CHECK(strncmp(got, "{\"id\":\"", 7) == 0 && strstr(got, "\"type\":\"FOLDER\"}\n") != NULL);
    CHECK_TEXT(publish("examples/data/nested.tacozip", "SELECT 1 AS x FROM data", NULL, "geo"), "");
}

/* The tile of p0 as WKB: a ring of five points. */
#define TILE                                                                                       \
    "0103000000010000000500000085eb51b81e4553c0e17a14ae47e127c085eb51b81e4553c01e85eb51b81e28c07b" \
    "14ae47e13a53c01e85eb51b81e28c07b14ae47e13a53c0e17a14ae47e127c085eb51b81e4553c0e17a14ae47e127" \
    "c0"

static void geoparquet(void)
{
    taco_publish_options how = as(TACO_PUBLISH_GEOPARQUET);
    const char *got = publish(stac, NULL, &how, NULL);
    CHECK(strstr(got, "internal:") == NULL && strstr(got, "\"stac:centroid\":\"0101") != NULL);
    CHECK(strstr(got, "\"geometry\":\"" TILE "\"}\n") != NULL);
    got = publish(stac, NULL, &how, "geo");
    CHECK(strstr(got, "\"version\":\"1.1.0\"") && strstr(got, "\"primary_column\":\"geometry\"") &&
          strstr(got, "\"geometry_types\":[\"Polygon\",\"MultiPolygon\"]") &&
          !strstr(got, "covering"));
    /* text of a point, and a null */
    CHECK_TEXT(publish(stac,
                       "SELECT CASE WHEN id = 'p0' THEN 'POINT (1 -2.5)' END AS geometry FROM data "
                       "ORDER BY id LIMIT 2",
                       &how, NULL),
               "{\"geometry\":\"0101000000000000000000f03f00000000000004c0\"}\n"
               "{\"geometry\":null}\n");
    CHECK_TEXT(publish(stac, "SELECT 'LINESTRING EMPTY' AS geometry FROM data LIMIT 1", &how, NULL),
               "geometry 'LINESTRING EMPTY' is not POINT (x y)");
    CHECK_TEXT(publish(stac, "SELECT id FROM data", &how, NULL),
               "no geometry to publish: there is no column 'stac:centroid' of WKB or text");
    how.covering = "box"; /* a column of boxes that readers prune by */
    CHECK(strstr(publish(stac, NULL, &how, "geo"),
                 "\"covering\":{\"bbox\":{\"xmin\":[\"box\",\"xmin\"]"));
    CHECK(strstr(publish(stac, NULL, &how, NULL),
                 "\"box\":{\"xmin\":-77.08,\"ymin\":-12.059999999999999,"));
    /* the column that is asked for, whatever tiles there are */
    how.geometry_column = "stac:centroid";
    CHECK(strstr(publish(stac, NULL, &how, NULL),
                 "\"geometry\":\"010100000000000000004053c000000000000028c0\""));
    how.geometry_column = "id";
    CHECK_TEXT(publish(stac, "SELECT id FROM data ORDER BY id LIMIT 1", &how, NULL),
               "geometry 'p0' is not POINT (x y)");
}

/* A polygon is preferred to the centroid, as in GeoJSON, unless it cannot be had in degrees. Items have no
   bytes but their geometry. */
static void footprint_first(void)
{
    static const char istac[] = "examples/data/geo_istac.tacozip";
    static const char foreign[] =
        "SELECT id, \"istac:geometry\", \"istac:centroid\", "
        "CASE WHEN id < 'p' THEN 'EPSG:2154' ELSE 'EPSG:31370' END AS \"istac:crs\" FROM data";
    taco_publish_options how = as(TACO_PUBLISH_GEOPARQUET);
    const char *got;
    got = publish(istac, NULL, &how, "geo");
    CHECK(strstr(got, "\"LineString\",\"Polygon\"") != NULL);
    CHECK(strstr(publish(istac, foreign, &how, "geo"), "\"geometry_types\":[\"Point\"]"));
    how.geometry_column = "istac:centroid";
    CHECK(strstr(publish(istac, NULL, &how, "geo"), "\"geometry_types\":[\"Point\"]"));
    how = as(TACO_PUBLISH_STAC);
    got = publish(stac, NULL, &how, NULL);
    CHECK(strstr(got, "\"geometry\":\"01") && !strstr(got, "centroid"));
}

/* Stored geometries as ISO WKB in degrees. The bytes are shapely's. */
static void stored(void)
{
    static const struct {
        const char *wkb, *crs, *want; /* want: NULL for a null */
    } t[] = {
        {"0101000020e6100000000000000000f03f00000000000004c0", NULL,
         "0101000000000000000000f03f00000000000004c0"}, /* EWKB, an SRID */
        {"00800000030000000100000004000000000000000000000000000000003ff000000000000040"
         "1000000000000000000000000000004000000000000000000000000000000040100000000000"
         "004008000000000000000000000000000000000000000000003ff0000000000000",
         NULL,
         "01eb030000010000000400000000000000000000000000000000000000000000000000f03f00"
         "0000000000104000000000000000000000000000000040000000000000000000000000000010"
         "40000000000000084000000000000000000000000000000000000000000000f03f"}, /* EWKB with Z, big-endian */
        {"010200004002000000000000000000000000000000000000000000000000001c400000000000"
         "00f03f000000000000f03f0000000000002040",
         NULL,
         "01d207000002000000000000000000000000000000000000000000000000001c400000000000"
         "00f03f000000000000f03f0000000000002040"}, /* with M */
        {"01040000c00200000001010000c0000000000000000000000000000000000000000000001c40"
         "000000000000204001010000c0000000000000f03f000000000000f03f000000000000204000"
         "00000000002240",
         NULL,
         "01bc0b00000200000001b90b0000000000000000000000000000000000000000000000001c40"
         "000000000000204001b90b0000000000000000f03f000000000000f03f000000000000204000"
         "00000000002240"}, /* with both, in parts */
        {"0020000007000010e60000000200000000013ff0000000000000400000000000000000000000"
         "0500000002000000000200000002000000000000000000000000000000003ff0000000000000"
         "3ff0000000000000000000000200000002400000000000000040000000000000004008000000"
         "0000004008000000000000",
         NULL,
         "0107000000020000000101000000000000000000f03f00000000000000400105000000020000"
         "0001020000000200000000000000000000000000000000000000000000000000f03f00000000"
         "0000f03f01020000000200000000000000000000400000000000000040000000000000084000"
         "00000000000840"}, /* nested */
        {"00000000013ff0000000000000c004000000000000", NULL,
         "00000000013ff0000000000000c004000000000000"}, /* ISO WKB stays */
        {"01e90300000000000080841e4100000000d01263410000000000001440", "EPSG:32718",
         "01e90300000000000000c052c000000000000000000000000000001440"}, /* the middle of a zone */
        {"01010000a0ce7f00000000000080841e4100000000d01263410000000000001440", NULL,
         "01e90300000000000000c052c000000000000000000000000000001440"}, /* the CRS is in the SRID */
        {"0000000002000000020000000000000000000000000000000000000000000000000000000000"
         "000000",
         "epsg:3857",
         "0102000000020000000000000000000000000000000000000000000000000000000000000000"
         "000000"},                                                        /* web mercator */
        {"0101000000000000000000f03f00000000000004c0", "EPSG:2154", NULL}, /* not converted */
        {"01010000206a080000000000000000f03f00000000000004c0", NULL, NULL},
        {"0101000000000000000000f03f00000000000004c0", "EPSG:4258",
         "0101000000000000000000f03f00000000000004c0"},                    /* geographic */
        {"01010000000000000065cdcd410000000000000000", "EPSG:3857", NULL}, /* not on the globe */
        {"0101000000000000000000f87f000000000000f87f", "EPSG:32718",
         "0101000000000000000000f87f000000000000f87f"}, /* POINT EMPTY */
        {"0109", "EPSG:32718", NULL},
        {"0101000020e610", NULL, "0101000020e610"}};

    taco_publish_options how = as(TACO_PUBLISH_GEOPARQUET);
    char sql[800], want[400];
    size_t i;
    for (i = 0; i < sizeof t / sizeof t[0]; i++) {
        bool crs = t[i].crs != NULL;
        snprintf(sql, sizeof sql,
                 "SELECT unhex('%s') AS \"istac:geometry\"%s%s%s FROM data LIMIT 1", t[i].wkb,
                 crs ? ", '" : "", crs ? t[i].crs : "", crs ? "' AS \"istac:crs\"" : "");
        snprintf(want, sizeof want, t[i].want ? ",\"geometry\":\"%s\"}\n" : ",\"geometry\":null}\n",
                 t[i].want);
        if (!strstr(publish(stac, sql, &how, NULL), want)) { CHECK_TEXT(text, want); }
        /* the column that is asked for is converted, too; with a CRS of its own it stays */
        how.geometry_column = "istac:geometry";
        CHECK(strstr(publish(stac, sql, &how, NULL), want) != NULL);
        how = as(TACO_PUBLISH_GEOPARQUET);
    }
    how.crs = "{}"; /* the file says what the numbers are */
    CHECK(strstr(publish(stac,
                         "SELECT unhex('0101000020ce7f000000000000000045400000000000004540') AS "
                         "\"istac:geometry\" FROM data LIMIT 1",
                         &how, NULL),
                 ",\"geometry\":\"010100000000000000000045400000000000004540\"}") != NULL);
}

/* taco_publish_options.lonlat; ctx: the CRS that it knows. */
static bool lonlat(void *ctx, const char *crs, double x, double y, double out[2])
{
    out[0] = x;
    out[1] = y;
    return strcmp(crs, (const char *)ctx) == 0;
}

/* Rows that say where their raster is, and have no geometry: its middle. */
static void computed(void)
{
    static const char rows[] = "SELECT id, \"stac:crs\", \"stac:tensor_shape\", "
                               "\"stac:geotransform\" FROM data WHERE id = 'p0'";
    taco_publish_options how = as(TACO_PUBLISH_GEOPARQUET);
    static char known[] = "EPSG:4326", other[] = "EPSG:2154";
    CHECK_TEXT(publish(stac, rows, &how, NULL),
               "no geometry to publish: there is no column 'stac:centroid' of WKB or text");
    how.lonlat = lonlat;
    how.lonlat_ctx = known;
    CHECK(strstr(publish(stac, rows, &how, NULL),
                 "\"geometry\":\"010100000000000000004053c000000000000028c0\"") != NULL);
    CHECK(strstr(publish(stac, rows, &how, "geo"), "\"geometry_types\":[\"Point\"]") != NULL);
    how.lonlat_ctx = other;
    CHECK_TEXT(publish(stac, rows, &how, NULL), "no geometry to publish: longitude and latitude in "
                                                "'EPSG:4326' are not known");
}

/* Each row has the middle of its own raster: 10 + 8 / 2 * 2 and 20 - 6 / 2 * 4, then -5 + 10 / 2 * 1
   and 40 - 5 / 2 * 2. */
static void computed_by_row(void)
{
    static const char rows[] =
        "SELECT \"stac:crs\", "
        "CASE WHEN id = 'p0' THEN [3::BIGINT, 6, 8] ELSE [5::BIGINT, 10] END "
        "AS \"stac:tensor_shape\", "
        "CASE WHEN id = 'p0' THEN [10::DOUBLE, 2, 0, 20, 0, -4] "
        "ELSE [-5::DOUBLE, 1, 0, 40, 0, -2] END AS \"stac:geotransform\" "
        "FROM data WHERE id < 'p2' ORDER BY id";
    taco_publish_options how = as(TACO_PUBLISH_GEOPARQUET);
    static char known[] = "EPSG:4326";
    const char *got, *second;
    how.lonlat = lonlat;
    how.lonlat_ctx = known;
    got = publish(stac, rows, &how, NULL);
    second = strchr(got, '\n');
    CHECK(strstr(got, "\"geometry\":\"010100000000000000000032400000000000002040\"}\n") != NULL);
    CHECK(second &&
          strstr(second, "\"geometry\":\"010100000000000000000000000000000000804140\"}\n"));
}

/* What is said of the middle where a row has only a part of it: nothing. */
static void partly_computed(void)
{
    static const char *const parts[] = {
        "\"stac:crs\", \"stac:tensor_shape\", CASE WHEN id = 'x' THEN \"stac:geotransform\" END AS "
        "\"stac:geotransform\"",
        "\"stac:crs\", CASE WHEN id = 'x' THEN \"stac:tensor_shape\" END AS \"stac:tensor_shape\", "
        "\"stac:geotransform\"",
        "\"stac:crs\", [5::BIGINT] AS \"stac:tensor_shape\", \"stac:geotransform\"",
        "\"stac:crs\", \"stac:tensor_shape\", [1::DOUBLE, 2, 3] AS \"stac:geotransform\"",
        "'' AS \"stac:crs\", \"stac:tensor_shape\", \"stac:geotransform\"",
        "CASE WHEN id = 'x' THEN 'EPSG:1' END AS \"stac:crs\", \"stac:tensor_shape\", "
        "\"stac:geotransform\""};
    taco_publish_options how = as(TACO_PUBLISH_GEOPARQUET);
    static char known[] = "EPSG:4326";
    char sql[400];
    size_t i;
    how.lonlat = lonlat;
    how.lonlat_ctx = known;
    for (i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        snprintf(sql, sizeof sql, "SELECT %s FROM data WHERE id = 'p0'", parts[i]);
        CHECK(strstr(publish(stac, sql, &how, NULL), "\"geometry\":null}\n") != NULL);
    }
    CHECK_TEXT(publish(stac,
                       "SELECT '0123456789012345678901234567890123456789012345678901234567890123' "
                       "AS \"stac:crs\", \"stac:tensor_shape\", \"stac:geotransform\" FROM data "
                       "WHERE id = 'p0'",
                       &how, NULL),
               "no geometry to publish: longitude and latitude in "
               "'0123456789012345678901234567890123456789012345678901234567890123' are not known");
}

/* Times of every type, also such as no microseconds are; shapes and transforms that are none. */
static void odd_items(void)
{
    static const struct {
        const char *time, *text;
    } t[] = {{"DATE '2020-01-02'", "\"2020-01-02T00:00:00.000000Z\""},
             {"TIMESTAMP '2020-01-02 03:04:05'", "\"2020-01-02T03:04:05.000000Z\""},
             {"CAST('2020-01-02 03:04:05' AS TIMESTAMP_NS)", "\"2020-01-02T03:04:05.000000Z\""},
             {"CAST(5 AS INTEGER)", "\"1970-01-01T00:00:05.000000Z\""},
             {"1e300", "null"},
             {"-1e300", "null"},
             {"CAST(9223372036854775807 AS BIGINT)", "null"},
             {"CAST(-9223372036854775807 AS BIGINT)", "null"}};

    taco_publish_options how = as(TACO_PUBLISH_STAC);
    char sql[500], want[80];
    const char *got;
    size_t i;
    for (i = 0; i < sizeof t / sizeof t[0]; i++) {
        snprintf(sql, sizeof sql,
                 "SELECT 'a.tiff' AS id, 'POINT (0 0)' AS \"stac:centroid\", %s AS "
                 "\"stac:time_start\" FROM data LIMIT 1",
                 t[i].time);
        snprintf(want, sizeof want, "\"datetime\":%s", t[i].text);
        got = publish(stac, sql, &how, NULL);
        if (!strstr(got, want)) { CHECK_TEXT(got, want); }
        CHECK(strstr(got, "image/tiff; application=geotiff") != NULL);
    }
    got = publish(stac,
                  "SELECT id, 'POINT (0 0)' AS \"stac:centroid\", \"stac:time_start\", "
                  "\"stac:crs\", [5::BIGINT] AS \"stac:tensor_shape\", [1::DOUBLE, 2] AS "
                  "\"stac:geotransform\" FROM data LIMIT 1",
                  &how, NULL);
    CHECK(strstr(got, "\"proj:shape\":null,\"proj:transform\":null") != NULL);
    got = publish(stac,
                  "SELECT id, 'POINT (0 0)' AS \"stac:centroid\", \"stac:time_start\", "
                  "\"stac:crs\", CASE WHEN id = 'x' THEN \"stac:tensor_shape\" END AS "
                  "\"stac:tensor_shape\", CASE WHEN id = 'x' THEN \"stac:geotransform\" END AS "
                  "\"stac:geotransform\" FROM data LIMIT 1",
                  &how, NULL);
    CHECK(strstr(got, "\"proj:shape\":null,\"proj:transform\":null") != NULL);
}

/* The writer's own geometries and keys stay; errors need no place to be told. */
static void own_options(void)
{
    taco_publish_options how = as(TACO_PUBLISH_STAC);
    taco_pq_geometry other;
    taco_pq_key key;
    taco_sink sink;
    taco_dataset *ds;
    memset(&other, 0, sizeof other);
    memset(&key, 0, sizeof key);
    other.column = "other";
    key.key = "mine";
    key.value = "yes";
    how.id = "demo";
    how.collection = "{}";
    how.write.geometries = &other;
    how.write.geometry_count = 1;
    how.write.keys = &key;
    how.write.key_count = 1;
    CHECK_TEXT(publish(stac,
                       "SELECT id, \"stac:time_start\", \"stac:centroid\", \"stac:centroid\" AS "
                       "other FROM data",
                       &how, "mine"),
               "yes");
    CHECK(taco_publish(NULL, NULL, NULL, NULL) == TACO_ERR_ARGUMENT);
    memset(&err, 0, sizeof err);
    ds = taco_open(stac, NULL, &err);
    CHECK(taco_publish(taco_select(ds, NULL, &err), NULL, NULL, NULL) == TACO_ERR_ARGUMENT);
    CHECK(taco_sink_memory(&sink, NULL, &err) == TACO_OK);
    CHECK(taco_publish(taco_select(ds, NULL, &err), &sink, NULL, NULL) == TACO_OK);
    CHECK(taco_sink_bytes(&sink).len > 0);
    taco_sink_free(&sink);
    err.code = TACO_ERR_IO; /* a sink that could not be opened: what failed first is what is told */
    memset(&sink, 0, sizeof sink);
    CHECK(taco_publish(taco_select(ds, NULL, NULL), &sink, NULL, &err) != TACO_OK);
    CHECK(err.code == TACO_ERR_IO);
    taco_close(ds);
    memset(&err, 0, sizeof err);
}

/* A tile of UTM zone 1 that reaches over the antimeridian: cut there into two boxes, counted from -180
   on one side and to 180 on the other (RFC 7946 section 3.1.9). */
static void over_180(void)
{
    taco_publish_options how = as(TACO_PUBLISH_STAC);
    const char *got, *wkb;
    static const char rows[] =
        "SELECT id, 'EPSG:32601' AS \"stac:crs\", [5::BIGINT, 5::BIGINT] AS \"stac:tensor_shape\", "
        "[150000::DOUBLE, 10000, 0, 60000, 0, -10000] AS \"stac:geotransform\", "
        "\"stac:time_start\", \"stac:centroid\" FROM data WHERE id = 'p0'";
    got = publish(stac, rows, &how, NULL);
    wkb = strstr(got, "\"geometry\":\"");
    /* MULTIPOLYGON, of two polygons of one ring of five points each */
    CHECK(wkb && strncmp(wkb + 12, "01060000000200000001030000000100000005000000", 44) == 0);
    CHECK(strstr(got, "00000000008066c0") != NULL && strstr(got, "0000000000806640") != NULL);
}

static void items(void)
{
    taco_publish_options how = as(TACO_PUBLISH_STAC);
    const char *got;
    how.id = "demo";
    how.collection = "{\"type\":\"Collection\"}";
    how.href = "./collection.json";
    got =
        publish(stac,
                "SELECT id, \"stac:crs\", \"stac:tensor_shape\", \"stac:geotransform\", "
                "\"stac:time_start\", \"stac:time_end\", \"stac:centroid\", 7 AS x FROM data WHERE "
                "id = 'p0'",
                &how, NULL);
    CHECK_TEXT(
        got,
        "{\"type\":\"Feature\",\"stac_version\":\"1.1.0\",\"stac_extensions\":[\"https://"
        "stac-extensions.github.io/projection/v2.0.0/schema.json\"],\"id\":\"p0\",\"geometry\":"
        "\"" TILE "\",\"links\":[{\"href\":\"./collection.json\","
        "\"rel\":\"collection\",\"type\":\"application/"
        "json\"}],\"collection\":\"demo\",\"assets\":{"
        "\"data\":{\"href\":\"\",\"type\":\"application/octet-stream\",\"roles\":[\"data\"]}},"
        "\"datetime\":\"2019-12-31T23:59:59.000000Z\",\"start_datetime\":\"2019-12-31T23:59:59."
        "000000Z\",\"end_datetime\":\"2019-12-31T23:59:59.000000Z\",\"proj:code\":\"EPSG:4326\","
        "\"proj:shape\":[12,16],\"proj:transform\":[0.01,0.0,-77.08,0.0,-0.01,-11.94],\"x\":7,"
        "\"bbox\":{\"xmin\":-77.08,\"ymin\":-12.059999999999999,\"xmax\":-76.92,\"ymax\":-11.94}}"
        "\n");
    CHECK_TEXT(publish(stac, NULL, &how, "stac-geoparquet"),
               "{\"version\":\"1.1.0\",\"collections\":{\"demo\":{\"type\":\"Collection\"}}}");
    CHECK(strstr(publish(stac, NULL, &how, "geo"), "\"covering\":{\"bbox\":{\"xmin\":[\"bbox\","));
    /* seconds, whole and broken; a scene that goes by its name; nothing projected */
    how = as(TACO_PUBLISH_STAC);
    got = publish(stac,
                  "SELECT 'a.tif' AS \"tortilla:id\", 'POINT (0 0)' AS \"stac:centroid\", "
                  "CAST(1.5 AS DOUBLE) AS \"stac:time_start\", CAST(2 AS BIGINT) AS "
                  "\"stac:time_end\" FROM data LIMIT 1",
                  &how, NULL);
    CHECK(strstr(got, "\"stac_extensions\":[],\"id\":\"a.tif\"") &&
          strstr(got, "\"links\":[],\"assets\"") &&
          strstr(got, "\"type\":\"image/tiff; application=geotiff\"") &&
          strstr(got, "\"datetime\":\"1970-01-01T00:00:01.500000Z\"") &&
          strstr(got, "\"end_datetime\":\"1970-01-01T00:00:02.000000Z\""));
    CHECK_TEXT(publish(stac, "SELECT id, \"stac:centroid\" FROM data", &how, NULL),
               "no items without column 'stac:time_start'");
}

/* Every allocation fails once: the sink is empty, nothing leaks. */
static void memory(void)
{
    size_t n;
    for (n = 1; n < 20000; n++) {
        taco_publish_options how = as(TACO_PUBLISH_STAC);
        taco_options opt;
        taco_allocator a;
        test_memory m;
        taco_sink sink;
        taco_dataset *ds;
        test_counted(&opt, &a, &m);
        memset(&err, 0, sizeof err);
        how.id = "demo";
        how.collection = "{}";
        how.write.options = &opt;
        ds = taco_open(stac, &opt, &err);
        CHECK(taco_sink_memory(&sink, NULL, &err) == TACO_OK || err.code == TACO_OK);
        m.calls = 0;
        m.fail_at = n;
        taco_publish(taco_select(ds, NULL, &err), &sink, &how, &err);
        m.fail_at = 0;
        taco_close(ds);
        CHECK((err.code == TACO_OK) == (taco_sink_bytes(&sink).len > 0));
        taco_sink_free(&sink);
        CHECK(m.live == 0);
        if (err.code == TACO_OK) { break; }
        CHECK(err.code == TACO_ERR_MEMORY);
    }
    CHECK(n > 50 && n < 20000);
}

/* The program of the manual where the file cannot be made: one check at the end tells. */
static void unopened(void)
{
    taco_publish_options how;
    taco_create_options create;
    taco_sink sink;
    taco_field field;
    taco_dataset *ds;
    taco_writer *w;
    memset(&err, 0, sizeof err);
    memset(&how, 0, sizeof how);
    memset(&create, 0, sizeof create);
    memset(&field, 0, sizeof field);
    field.name = "x";
    field.type = TACO_INT32;
    ds = taco_open("examples/data/geo_stac.tacozip", NULL, &err);
    taco_sink_file(&sink, "build/no/such/directory/x", NULL, &err);
    taco_publish(taco_select(ds, NULL, &err), &sink, &how, &err);
    CHECK_TEXT(taco_error_text(&err),
               "cannot be written: 'build/no/such/directory/x', whose directory does not exist");
    memset(&err, 0, sizeof err);
    taco_publish(taco_select(ds, NULL, &err), &sink, &how, &err);
    CHECK_TEXT(taco_error_text(&err), "no sink given, or one that is not open");
    taco_close(ds);
    CHECK(!taco_pq_write(&sink, &field, 1, NULL, NULL) &&
          !taco_pq_write(NULL, &field, 1, NULL, NULL));
    memset(&err, 0, sizeof err);
    w = taco_create_sink(&sink, &create, &err);
    CHECK(!w && err.code == TACO_ERR_ARGUMENT);
    taco_writer_abort(w);
}

int main(void)
{
    RUN(plain);
    RUN(geoparquet);
    RUN(footprint_first);
    RUN(stored);
    RUN(computed);
    RUN(computed_by_row);
    RUN(partly_computed);
    RUN(odd_items);
    RUN(own_options);
    RUN(over_180);
    RUN(items);
    RUN(memory);
    RUN(unopened);
    memset(&err, 0, sizeof err);
    CHECK(taco_publish(NULL, NULL, NULL, &err) == TACO_ERR_ARGUMENT);
    return test_end("test_publish");
}
