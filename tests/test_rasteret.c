/* Rasteret collections: writing, reading with taco_open, checking against the contract, enriching.
   */
#define TACO__HIVE_MAX_OPEN 2 /* collections of more files close some while they read others */
#include "../src/rasteret/hive.c"
#include "../src/rasteret/collection.c"
#include "../src/base/base.h"
#include "../src/parquet_write/parquet_write.h"
#include "../src/dataset/dataset.h"
#include "../src/base/file_copy.h"
#include "../src/base/temporary.h"
#include "../src/write/write.h"
#include "../taco_parquet.h"
#include "../extra/taco_parquet_write.h"
#include "../taco.h"
#include "../extra/taco_sql.h"
#include "../extra/taco_write.h"
#include "../extra/taco_rasteret.h"
#include "../extra/taco_legacy.h"

#include "test.h"
#include "names.h"
#include "tiff.h"

#define DIR_NAME "build/tests/rasteret"

static taco_error e;
static char text[4096];

/* ---- a table of records ---- */

static bool no_split; /* a column of nulls alone */
/* Not 0: years in the place of times, the last is this, and a column crs in that of split. */
static int64_t last_year;

/* The times as they are, in other units, or as DATE with two beyond all times. */
static enum { IN_MICROS, IN_NANOS, IN_MILLIS, IN_SECONDS, IN_DAYS } times_as;

static taco_field rec_fields[8];
static taco_array rec_arrays[8];

static void wkb_box(uint8_t *p, double x0, double y0, double x1, double y1)
{
    const double xy[10] = {x0, y0, x1, y0, x1, y1, x0, y1, x0, y0};
    size_t i;
    memset(p, 0, 13);
    p[0] = 1;
    p[1] = 3;
    p[5] = 1;
    p[9] = 5;
    for (i = 0; i < 10; i++) {
        taco__put_le64(p + 13 + 8 * i, taco__f64_to_bits(xy[i]));
    }
}

/* Five records a month apart from 2019-12-15T00:00; the fourth has no geometry, the fifth neither
   time nor cloud cover. The href of record i is hrefs[i]. */
static void write_table(const char *path, const char *const *hrefs)
{
    static const int64_t year_ids[5] = {10, 11, 12, 13, 14};
    static int64_t times[5];
    static double clouds[5] = {10, 12.5, 20, 5, 0};
    static uint8_t wkb[5 * 93];
    static int32_t offsets[6], texts[6], splits[6];
    static const uint8_t four[8] = {0x0F}, not_fourth[8] = {0x17};
    static char names[4096];
    taco_batch batch;
    taco_sink sink;
    taco_pq_writer *w;
    size_t i, n = 0;
    for (i = 0; i < 5; i++) {
        times[i] = (taco__time_days_from_date(2019, 12, 15) + 31 * (int64_t)i) * 86400000000LL;
        wkb_box(wkb + 93 * i, (double)i, 40, (double)i + 1, 41);
        offsets[i + 1] = (int32_t)(93 * (i + 1));
        memcpy(names + n, hrefs[i], strlen(hrefs[i]));
        n += strlen(hrefs[i]);
        texts[i + 1] = (int32_t)n;
        splits[i + 1] = (int32_t)(5 * (i + 1));
    }
    memset(rec_fields, 0, sizeof rec_fields);
    memset(rec_arrays, 0, sizeof rec_arrays);
    rec_fields[0] = taco__field_make("scene", TACO_INT64);
    rec_fields[1] = taco__field_make("datetime", TACO_TIMESTAMP);
    rec_fields[2] = taco__field_make("geometry", TACO_BINARY);
    rec_fields[3] = taco__field_make("url", TACO_TEXT);
    rec_fields[4] = taco__field_make("eo:cloud_cover", TACO_DOUBLE);
    rec_fields[5] = taco__field_make("split", TACO_TEXT);
    for (i = 0; i < 6; i++) {
        rec_arrays[i].field = &rec_fields[i];
        rec_arrays[i].length = 5;
    }
    rec_arrays[0].v.i64 = year_ids;
    rec_arrays[1].v.i64 = times;
    rec_arrays[1].validity = four;
    rec_arrays[1].null_count = 1;
    rec_arrays[2].v.u8 = wkb;
    rec_arrays[2].offsets = offsets;
    rec_arrays[2].validity = not_fourth;
    rec_arrays[2].null_count = 1;
    rec_arrays[3].v.any = names;
    rec_arrays[3].offsets = texts;
    rec_arrays[4].v.f64 = clouds;
    rec_arrays[4].validity = four;
    rec_arrays[4].null_count = 1;
    rec_arrays[5].v.any = "trainvalidtraintest_train";
    rec_arrays[5].offsets = splits;
    if (no_split) {
        rec_fields[5] = taco__field_make("split", TACO_NULL);
        memset(&rec_arrays[5], 0, sizeof rec_arrays[5]);
        rec_arrays[5].field = &rec_fields[5];
        rec_arrays[5].length = rec_arrays[5].null_count = 5;
    }
    if (times_as != IN_MICROS && times_as != IN_DAYS) {
        rec_fields[1].unit = times_as == IN_NANOS    ? TACO_NANO
                             : times_as == IN_MILLIS ? TACO_MILLI
                                                     : TACO_SECOND;
        for (i = 0; i < 5; i++) {
            times[i] = times_as == IN_NANOS ? times[i] * 1000
                                            : times[i] / (times_as == IN_MILLIS ? 1000 : 1000000);
        }
    } else if (times_as == IN_DAYS) {
        static const int32_t days[5] = {0, -1, INT32_MAX, INT32_MIN, 18262};
        rec_fields[1] = taco__field_make("datetime", TACO_DATE);
        rec_arrays[1].v.i32 = days;
        rec_arrays[1].validity = NULL;
        rec_arrays[1].null_count = 0;
    }
    if (last_year) {
        static int64_t numbers[5] = {2019, 2020, 2021, -1, 0};
        static const char codes[] = "epsg:32630EPSG:32631   32632  epsg:none EPSG:32630";
        for (i = 0; i < 6; i++) {
            splits[i] = (int32_t)(10 * i);
        }
        rec_fields[1] = taco__field_make("datetime", TACO_INT64);
        numbers[4] = last_year;
        rec_arrays[1].v.i64 = numbers;
        rec_arrays[1].validity = NULL;
        rec_arrays[1].null_count = 0;
        rec_fields[5] = taco__field_make("crs", TACO_TEXT);
        rec_arrays[5].v.any = codes;
    }
    memset(&batch, 0, sizeof batch);
    batch.length = 5;
    batch.columns = rec_arrays;
    batch.column_count = 6;
    memset(&e, 0, sizeof e);
    CHECK(taco_sink_file(&sink, path, NULL, &e) == TACO_OK);
    w = taco_pq_write(&sink, rec_fields, 6, NULL, &e);
    CHECK(w && taco_pq_writer_batch(w, &batch) == TACO_OK);
    CHECK(taco_pq_writer_close(w, &e) == TACO_OK);
    CHECK_TEXT(e.text, "");
}

static void write_bytes(const char *path, const tiff_maker *m)
{
    taco_sink sink;
    CHECK(taco_sink_file(&sink, path, NULL, &e) == TACO_OK);
    CHECK(sink.write(sink.ctx, 0, m->data, m->size) && sink.close(sink.ctx, true));
}

static void write_tiff(const char *path, bool good)
{
    static tiff_maker m;
    tiff_begin(&m, false, false, 32, 700);
    tiff_usual(&m, 3, true);
    if (!good) { m.data[0] = 'X'; }
    write_bytes(path, &m);
}

static const taco_rasteret_pair rename_scene = {"scene", "id"};
static const taco_rasteret_band two_bands[2] = {{"B1", 0}, {"B3", 2}};

static taco_rasteret_options usual(void)
{
    taco_rasteret_options o;
    memset(&o, 0, sizeof o);
    o.rename = &rename_scene;
    o.rename_count = 1;
    o.href_column = "url";
    o.bands = two_bands;
    o.band_count = 2;
    o.name = "five";
    o.data_source = "made";
    o.start_date = "2019-12-01T00:00:00";
    o.end_date = "2020-04-30T00:00:00";
    return o;
}

static taco_dataset *open_made(const char *path)
{
    static const taco_opener *openers[2];
    taco_options o;
    openers[0] = taco_rasteret_opener();
    memset(&o, 0, sizeof o);
    memset(&e, 0, sizeof e);
    o.openers = openers;
    return taco_open(path, &o, &e);
}

/* One column of the rows that match, joined by commas; or the message. */
static const char *rows_of(const char *path, const char *column, const taco_query *q)
{
    taco_dataset *ds = open_made(path);
    taco_cursor *c = ds ? taco_select(ds, q, &e) : NULL;
    size_t n = 0;
    text[0] = 0;
    while (c && taco_cursor_next(c)) {
        const char *v = taco_cursor_text(c, column);
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", n ? "," : "", v ? v : "null");
    }
    if (!ds || !c || taco_cursor_close(c, &e) != TACO_OK) {
        snprintf(text, sizeof text, "%s", e.text);
    }
    taco_close(ds);
    return text;
}

static const char *ids(const char *where, const double *box, const char *time)
{
    taco_query q;
    memset(&q, 0, sizeof q);
    q.where = where;
    q.bbox = box;
    q.time = time;
    return rows_of(DIR_NAME "/made", "id", &q);
}

static size_t warnings;

static void count_warning(void *ctx, const taco_error *w)
{
    (void)ctx;
    (void)w;
    warnings++;
}

static void test_build(void)
{
    static const char *const hrefs[5] = {"a.tif", "a.tif", "b.tif", "none.tif", "a.tif"};
    taco_rasteret_options o = usual();
    taco_options opt;
    taco_query q;
    taco_dataset *ds;
    memset(&e, 0, sizeof e);
    memset(&opt, 0, sizeof opt);
    opt.warn = count_warning;
    CHECK(taco__dir_make("build", &e) && taco__dir_make("build/tests", &e) &&
          taco__dir_make(DIR_NAME, &e));
    write_table(DIR_NAME "/table.parquet", hrefs);
    write_tiff(DIR_NAME "/a.tif", true);
    write_tiff(DIR_NAME "/b.tif", false);
    o.options = &opt;
    o.enrich = true;
    o.base = DIR_NAME "/";
    CHECK(taco_rasteret_build(DIR_NAME "/table.parquet", DIR_NAME "/made", &o, &e) == TACO_OK);
    CHECK_TEXT(e.text, "");
    CHECK(warnings == 3); /* a null geometry, a file that is no TIFF, one that is not there */
    CHECK(taco_rasteret_validate(DIR_NAME "/made", NULL, &e) == TACO_OK);
    memset(&q, 0, sizeof q);
    CHECK_TEXT(rows_of(DIR_NAME "/made", "id", &q), "10,11,12,13,14");
    CHECK_TEXT(rows_of(DIR_NAME "/made", "year", &q), "2019,2020,2020,2020,null");
    CHECK_TEXT(rows_of(DIR_NAME "/made", "month", &q), "12,1,2,3,null");
    CHECK_TEXT(rows_of(DIR_NAME "/made", "proj:epsg", &q), "32630,32630,null,null,32630");
    CHECK_TEXT(rows_of(DIR_NAME "/made", "crs", &q), "EPSG:32630,EPSG:32630,null,null,EPSG:32630");
    CHECK_TEXT(rows_of(DIR_NAME "/made", "bbox_maxx", &q), "1.0,2.0,3.0,null,5.0");
    CHECK_TEXT(
        rows_of(DIR_NAME "/made", "scene_bbox", &q),
        "[0.0,40.0,1.0,41.0],[1.0,40.0,2.0,41.0],[2.0,40.0,3.0,41.0],null,[4.0,40.0,5.0,41.0]");
    q.limit = 1;
    CHECK_TEXT(rows_of(DIR_NAME "/made", "assets", &q),
               "{\"B1\":{\"href\":\"a.tif\",\"band_index\":0},\"B3\":{\"href\":\"a.tif\",\"band_"
               "index\":2}}");
    CHECK_TEXT(rows_of(DIR_NAME "/made", "B3_metadata", &q),
               "{\"image_width\":40,\"image_height\":20,\"tile_width\":16,\"tile_height\":16,"
               "\"dtype\":\"uint16\","
               "\"transform\":[10.0,500000.0,-10.0,4000000.0],\"predictor\":1,\"compression\":8,"
               "\"tile_offsets\":[7144,7656,8168,8680,9192,9704],\"tile_byte_counts\":[512,513,514,"
               "515,516,517],"
               "\"pixel_scale\":[10.0,10.0,0.0],\"tiepoint\":[0.0,0.0,0.0,500000.0,4000000.0,0.0],"
               "\"nodata\":0.0,"
               "\"samples_per_pixel\":3,\"planar_configuration\":2,\"photometric\":1,\"extra_"
               "samples\":null}");
    q.limit = 0;
    q.where = "B1_metadata IS NULL";
    CHECK_TEXT(rows_of(DIR_NAME "/made", "id", &q), "12,13");
    ds = open_made(DIR_NAME "/made");
    CHECK(ds && taco_dataset_kind(ds) == TACO_KIND_OTHER && taco_level_rows(ds, 0, &e) == 5);
    if (ds) {
        taco_bytes info = taco_info_json(ds, &e);
        taco_bytes all = taco_collection(ds, NULL);
        CHECK(info.len);
        snprintf(text, sizeof text, "%.*s", (int)all.len, (const char *)all.data);
        CHECK_TEXT(
            text,
            "{\"name\":\"five\",\"description\":\"\",\"data_source\":\"made\","
            "\"start_date\":\"2019-12-01T00:00:00\",\"end_date\":\"2020-04-30T00:00:00\","
            "\"bands\":[\"B1\",\"B3\"],\"bounds\":[0.0,40.0,5.0,41.0],\"epsg\":[32630],\"len\":5}");
        CHECK_TEXT(taco_id(ds), "five");
    }
    taco_close(ds);
}

/* Years as numbers are their first day; codes of a CRS are numbers with or without EPSG:. */
static void test_years(void)
{
    static const char *const hrefs[5] = {"a.tif", "a.tif", "b.tif", "none.tif", "a.tif"};
    taco_rasteret_options o = usual();
    taco_query q;
    memset(&q, 0, sizeof q);
    memset(&e, 0, sizeof e);
    o.single = true;
    last_year = 10000;
    write_table(DIR_NAME "/years.parquet", hrefs);
    CHECK(taco_rasteret_build(DIR_NAME "/years.parquet", DIR_NAME "/of_years.parquet", &o, &e) ==
          TACO_ERR_CORRUPT);
    CHECK_TEXT(e.text, DIR_NAME "/years.parquet: datetime is neither a time, nor text, nor a year");
    last_year = 9999;
    write_table(DIR_NAME "/years.parquet", hrefs);
    CHECK(taco_rasteret_build(DIR_NAME "/years.parquet", DIR_NAME "/of_years.parquet", &o, &e) ==
          TACO_OK);
    last_year = 0;
    CHECK_TEXT(rows_of(DIR_NAME "/of_years.parquet", "datetime", &q),
               "2019-01-01T00:00:00.000000,2020-01-01T00:00:00.000000,2021-01-01T00:00:00.000000,"
               "-0001-01-01T00:00:00.000000,9999-01-01T00:00:00.000000");
    CHECK_TEXT(rows_of(DIR_NAME "/of_years.parquet", "proj:epsg", &q),
               "32630,32631,32632,null,32630");
}

/* A date is its midnight; one that no time can hold is 1970, as timestamps beyond int64 are. */
static void test_dates(void)
{
    static const char *const hrefs[5] = {"a.tif", "a.tif", "b.tif", "none.tif", "a.tif"};
    taco_rasteret_options o = usual();
    taco_query q;
    memset(&q, 0, sizeof q);
    memset(&e, 0, sizeof e);
    o.single = true;
    times_as = IN_DAYS;
    write_table(DIR_NAME "/dates.parquet", hrefs);
    times_as = IN_MICROS;
    CHECK(taco_rasteret_build(DIR_NAME "/dates.parquet", DIR_NAME "/of_dates.parquet", &o, &e) ==
          TACO_OK);
    CHECK_TEXT(rows_of(DIR_NAME "/of_dates.parquet", "datetime", &q),
               "1970-01-01T00:00:00.000000,1969-12-31T00:00:00.000000,1970-01-01T00:00:00.000000,"
               "1970-01-01T00:00:00.000000,2020-01-01T00:00:00.000000");
    CHECK_TEXT(rows_of(DIR_NAME "/of_dates.parquet", "month", &q), "1,12,1,1,1");
}

/* Periods are the same in every unit; those that nanoseconds cannot express have no records. */
static void test_units(void)
{
    static const char *const hrefs[5] = {"a.tif", "a.tif", "b.tif", "none.tif", "a.tif"};

    static const struct {
        const char *time, *ids;
    } t[] = {{"2019-12-15", "10"},          {"2019-12-15/2020-01-15", "10,11"},
             {"2019-12-15T00:00:00", "10"}, {"2019-12-14", ""},
             {"0001-01-01/1600-01-01", ""}, {"0001-01-01/2019-12-16", "10"},
             {"2500-01-01/2600-01-01", ""}, {"2020-01-01/9999-01-01", "11,12,13"},
             {"2020-01-14T12:00:00", ""}};

    taco_rasteret_options o = usual();
    taco_query q;
    size_t i, unit;
    o.single = true;
    for (unit = IN_MICROS; unit <= IN_SECONDS; unit++) {
        memset(&q, 0, sizeof q);
        memset(&e, 0, sizeof e);
        times_as = unit == IN_MICROS   ? IN_MICROS
                   : unit == IN_NANOS  ? IN_NANOS
                   : unit == IN_MILLIS ? IN_MILLIS
                                       : IN_SECONDS;
        write_table(DIR_NAME "/units.parquet", hrefs);
        times_as = IN_MICROS;
        CHECK(taco_rasteret_build(DIR_NAME "/units.parquet", DIR_NAME "/of_units.parquet", &o,
                                  &e) == TACO_OK);
        CHECK_TEXT(e.text, "");
        for (i = 0; i < sizeof t / sizeof t[0]; i++) {
            q.time = t[i].time;
            CHECK_TEXT(rows_of(DIR_NAME "/of_units.parquet", "id", &q), t[i].ids);
        }
        q.time = NULL;
        CHECK_TEXT(rows_of(DIR_NAME "/of_units.parquet", "month", &q), "12,1,2,3,null");
    }
}

/* Where the data come from: what the collection's metadata say, else the first value of the column
   `collection`, else nothing is assumed. */
static void test_data_source(void)
{
    static const taco_rasteret_pair names[2] = {{"scene", "id"}, {"split", "collection"}};
    static const char *const want[2] = {"\"data_source\":\"train\"", "\"data_source\":\"\""};
    static const char *const made[2] = {DIR_NAME "/named", DIR_NAME "/unnamed"};
    taco_rasteret_options o = usual();
    taco_dataset *ds;
    taco_bytes all;
    size_t i;
    o.data_source = NULL;
    o.rename = names;
    o.base = DIR_NAME "/";
    for (i = 0; i < 2; i++) {
        o.rename_count = 2 - i;
        memset(&e, 0, sizeof e);
        CHECK(taco_rasteret_build(DIR_NAME "/table.parquet", made[i], &o, &e) == TACO_OK);
        CHECK_TEXT(e.text, "");
        ds = open_made(made[i]);
        CHECK(ds && taco_info_json(ds, &e).len);
        all = taco_collection(ds, NULL);
        snprintf(text, sizeof text, "%.*s", (int)all.len, (const char *)all.data);
        CHECK(strstr(text, want[i]) != NULL);
        if (!strstr(text, want[i])) { printf("%s\n", text); }
        taco_close(ds);
    }
}

static void test_filters(void)
{
    static const double edge[4] = {1, 41, 1, 42}, off[4] = {1.5, 41.5, 9, 42},
                        turned[4] = {2, 0, 1, 1};
    CHECK_TEXT(ids(NULL, edge, NULL), "10,11"); /* edges touch */
    CHECK_TEXT(ids(NULL, off, NULL), "");
    CHECK(strstr(ids(NULL, turned, NULL), "invalid box"));
    CHECK_TEXT(ids(NULL, NULL, "2019-12-15/2020-01-15"), "10,11");
    /* a date is its midnight */
    CHECK_TEXT(ids(NULL, NULL, "2019-12-15T00:00:01/2020-01-14"), "");
    CHECK_TEXT(ids(NULL, NULL, "2019-12-15"), "10");
    CHECK(strstr(ids(NULL, NULL, "2020-02-01/2020-01-01"), "end that is not before"));
    CHECK_TEXT(ids("\"eo:cloud_cover\" < 12.5", NULL, NULL), "10,13");
    CHECK_TEXT(ids("split IN ('train', 'test_') AND year = 2020", NULL, NULL), "12,13");
    CHECK_TEXT(ids("month IS NULL", NULL, NULL), "14");
    CHECK_TEXT(ids("year = 2020 AND month < 3", NULL, NULL), "11,12");
    CHECK(strstr(ids("nope = 'x'", NULL, NULL), "nope"));
}

/* The rows of an SQL query on the collection as a Parquet file. */
static void write_query(const char *sql, const char *path)
{
    taco_dataset *ds = open_made(DIR_NAME "/made");
    taco_cursor *c = ds ? taco_sql(ds, sql, &e) : NULL;
    size_t n = 0;
    const taco_field *f = taco_cursor_fields(c, &n);
    taco_batch batch;
    taco_sink sink;
    taco_pq_writer *w = NULL;
    CHECK_TEXT(e.text, "");
    if (f && taco_sink_file(&sink, path, NULL, &e) == TACO_OK) {
        w = taco_pq_write(&sink, f, n, NULL, &e);
    }
    while (w && taco_cursor_batch(c, &batch)) {
        CHECK(taco_pq_writer_batch(w, &batch) == TACO_OK);
    }
    CHECK(w && taco_pq_writer_close(w, &e) == TACO_OK);
    CHECK(taco_cursor_close(c, &e) == TACO_OK);
    taco_close(ds);
}

/* Collections of other writers have a struct or a list for their boxes. */
static void test_boxes(void)
{
    static const char *const sql[2] = {
        "SELECT * EXCLUDE (bbox_minx, bbox_miny, bbox_maxx, bbox_maxy) FROM data",
        "SELECT * EXCLUDE (bbox_minx, bbox_miny, bbox_maxx, bbox_maxy, bbox) FROM data"};
    static const double edge[4] = {1, 41, 1, 42}, off[4] = {1.5, 41.5, 9, 42},
                        beyond[4] = {6, 40, 7, 41}, below[4] = {-9, 39, -8, 39.5},
                        turned[4] = {2, 0, 1, 1};
    taco_query q;
    size_t i;
    memset(&q, 0, sizeof q);
    memset(&e, 0, sizeof e);
    CHECK(taco__dir_make(DIR_NAME "/boxes", &e));
    for (i = 0; i < 2; i++) {
        write_query(sql[i], DIR_NAME "/boxes/a.parquet");
        q.bbox = NULL;
        CHECK_TEXT(rows_of(DIR_NAME "/boxes", "id", &q), "10,11,12,13,14");
        q.bbox = edge; /* edges touch */
        CHECK_TEXT(rows_of(DIR_NAME "/boxes", "id", &q), "10,11");
        q.bbox = off;
        CHECK_TEXT(rows_of(DIR_NAME "/boxes", "id", &q), "");
        q.bbox = beyond;
        CHECK_TEXT(rows_of(DIR_NAME "/boxes", "id", &q), "");
        q.bbox = below;
        CHECK_TEXT(rows_of(DIR_NAME "/boxes", "id", &q), "");
        q.bbox = turned;
        CHECK(strstr(rows_of(DIR_NAME "/boxes", "id", &q), "invalid box"));
    }
}

/* A collection without records has bands, and nothing else to tell. */
static void test_no_records(void)
{
    taco_dataset *ds;
    taco_bytes info;
    memset(&e, 0, sizeof e);
    CHECK(taco__dir_make(DIR_NAME "/empty", &e));
    write_query("SELECT * FROM data WHERE false", DIR_NAME "/empty/a.parquet");
    ds = open_made(DIR_NAME "/empty");
    info = taco_info_json(ds, &e);
    CHECK_TEXT(e.text, "");
    CHECK(info.len);
    info = taco_collection(ds, NULL);
    snprintf(text, sizeof text, "%.*s", (int)info.len, (const char *)info.data);
    CHECK(strstr(text, "\"bands\":[\"B1\",\"B3\"],\"bounds\":null,\"epsg\":[],\"len\":0}"));
    taco_close(ds);
}

static void test_order_and_sql(void)
{
    taco_query q;
    taco_dataset *ds;
    taco_cursor *c;
    memset(&q, 0, sizeof q);
    q.order = "month desc, id";
    CHECK_TEXT(rows_of(DIR_NAME "/made", "id", &q), "10,13,12,11,14");
    ds = open_made(DIR_NAME "/made");
    c = ds ? taco_sql(ds, "SELECT year, count(*) AS n FROM data GROUP BY year ORDER BY year", &e)
           : NULL;
    text[0] = 0;
    while (c && taco_cursor_next(c)) {
        strcat(text, taco_cursor_json(c));
    }
    taco_cursor_close(c, &e);
    taco_close(ds);
    CHECK_TEXT(text, "{\"year\":2019,\"n\":1}{\"year\":2020,\"n\":3}{\"year\":null,\"n\":1}");
}

static void test_again(void) /* a collection into one file, and by another column */
{
    static const char *const by[1] = {"split"};
    taco_rasteret_options o;
    taco_query q;
    memset(&o, 0, sizeof o);
    memset(&q, 0, sizeof q);
    memset(&e, 0, sizeof e);
    o.single = true;
    CHECK(taco_rasteret_build(DIR_NAME "/made", DIR_NAME "/one.parquet", &o, &e) == TACO_OK);
    CHECK_TEXT(rows_of(DIR_NAME "/one.parquet", "month", &q), "12,1,2,3,null");
    o.single = false;
    o.partition = by;
    o.partition_count = 1;
    CHECK(taco_rasteret_build(DIR_NAME "/one.parquet", DIR_NAME "/split", &o, &e) == TACO_OK);
    CHECK_TEXT(rows_of(DIR_NAME "/split", "split", &q), "test_,train,train,train,valid");
    CHECK_TEXT(rows_of(DIR_NAME "/split", "id", &q), "13,10,12,14,11");
    q.where = "split = 'valid'";
    CHECK_TEXT(rows_of(DIR_NAME "/split", "year", &q), "2020");
    CHECK_TEXT(e.text, "");
}

/* A collection of more records than have their headers in memory together is enriched in slices. */
static void test_many(void)
{
    static taco_field f[4];
    static taco_array a[4];
    static taco__array_builder b[4];
    static uint8_t wkb[93];
    taco_rasteret_options o = usual();
    taco_query q;
    taco_batch batch;
    taco_sink sink;
    taco_pq_writer *w;
    taco__mem mem;
    taco__arena arena;
    char id[8] = "r000";
    size_t i;
    memset(&e, 0, sizeof e);
    memset(&arena, 0, sizeof arena);
    memset(&batch, 0, sizeof batch);
    memset(&q, 0, sizeof q);
    taco__mem_init(&mem, NULL);
    arena.mem = &mem;
    f[0] = taco__field_make("scene", TACO_TEXT);
    f[1] = taco__field_make("datetime", TACO_TIMESTAMP);
    f[2] = taco__field_make("geometry", TACO_BINARY);
    f[3] = taco__field_make("url", TACO_TEXT);
    wkb_box(wkb, 0, 0, 1, 1);
    for (i = 0; i < 4; i++) {
        CHECK(taco__array_builder_init(&b[i], &f[i], &mem, &arena, &e));
    }
    for (i = 0; i < 300; i++) {
        id[1] = (char)('0' + i / 100);
        id[2] = (char)('0' + i / 10 % 10);
        id[3] = (char)('0' + i % 10);
        CHECK(taco__array_builder_append_text(&b[0], id, &e) &&
              taco__array_builder_append_int(&b[1], (int64_t)i, &e) &&
              taco__array_builder_append_bytes(&b[2], taco__bytes_of(wkb, sizeof wkb), &e) &&
              taco__array_builder_append_text(&b[3], i == 200 ? "none.tif" : "a.tif", &e));
    }
    for (i = 0; i < 4; i++) {
        taco__array_builder_view(&b[i], &a[i]);
    }
    batch.length = 300;
    batch.columns = a;
    batch.column_count = 4;
    CHECK(taco_sink_file(&sink, DIR_NAME "/many.parquet", NULL, &e) == TACO_OK);
    w = taco_pq_write(&sink, f, 4, NULL, &e);
    CHECK(w && taco_pq_writer_batch(w, &batch) == TACO_OK);
    CHECK(taco_pq_writer_close(w, &e) == TACO_OK);
    CHECK(taco_rasteret_build(DIR_NAME "/many.parquet", DIR_NAME "/many", &o, &e) == TACO_OK);
    memset(&o, 0, sizeof o);
    o.enrich = true;
    o.base = DIR_NAME "/";
    CHECK(taco_rasteret_build(DIR_NAME "/many", DIR_NAME "/many_enriched", &o, &e) == TACO_OK);
    CHECK_TEXT(e.text, "");
    q.where = "B1_metadata IS NULL";
    CHECK_TEXT(rows_of(DIR_NAME "/many_enriched", "id", &q), "r200");
    q.where = "id > 'r297' AND B3_metadata IS NOT NULL";
    CHECK_TEXT(rows_of(DIR_NAME "/many_enriched", "id", &q), "r298,r299");
    for (i = 0; i < 4; i++) {
        taco__array_builder_free(&b[i]);
    }
    taco__arena_free(&arena);
}

/* Builds in the middle of what was filled. */
static taco_status build_deeper(void)
{
    volatile uint8_t bytes[2000];
    bytes[0] = 0;
    return bytes[0] ? TACO_ERR_ARGUMENT
                    : taco_rasteret_build(DIR_NAME "/made", DIR_NAME "/unasked", NULL, &e);
}

static void test_no_options(void)
{
    taco_query q;
    memset(&q, 0, sizeof q);
    memset(&e, 0, sizeof e);
    test_fill_stack();
    CHECK(build_deeper() == TACO_OK);
    CHECK_TEXT(e.text, "");
    CHECK_TEXT(rows_of(DIR_NAME "/unasked", "id", &q), "10,11,12,13,14");
}

static void test_refused(void)
{
    static const char *const hrefs[5] = {"none.tif", "none.tif", "none.tif", "none.tif",
                                         "none.tif"};
    taco_rasteret_options o = usual();
    memset(&e, 0, sizeof e);
    CHECK(taco_rasteret_validate(DIR_NAME "/table.parquet", NULL, &e) == TACO_ERR_CORRUPT);
    CHECK_TEXT(e.text,
               DIR_NAME "/table.parquet: no Rasteret collection, required columns are missing: id "
                        "assets bbox");
    memset(&e, 0, sizeof e);
    o.rename_count = 0;
    CHECK(taco_rasteret_build(DIR_NAME "/table.parquet", DIR_NAME "/no", &o, &e) ==
          TACO_ERR_CORRUPT);
    CHECK_TEXT(e.text, DIR_NAME "/table.parquet: the table is missing required columns: id");
    memset(&e, 0, sizeof e);
    o.rename_count = 1;
    o.href_column = "nope";
    CHECK(taco_rasteret_build(DIR_NAME "/table.parquet", DIR_NAME "/no", &o, &e) ==
          TACO_ERR_NOT_FOUND);
    CHECK_TEXT(e.text, DIR_NAME "/table.parquet: no column 'nope' for the hrefs of assets");
    write_table(DIR_NAME "/lost.parquet", hrefs);
    o = usual();
    o.enrich = true;
    CHECK(taco_rasteret_build(DIR_NAME "/lost.parquet", DIR_NAME "/no", &o, &e) ==
          TACO_ERR_CORRUPT);
    CHECK_TEXT(e.text, DIR_NAME "/lost.parquet: none of the headers of 1 assets could be read");
    memset(&e, 0, sizeof e);
    CHECK(taco_rasteret_build(NULL, "x", NULL, &e) == TACO_ERR_ARGUMENT);
    CHECK(taco_rasteret_validate(DIR_NAME "/nowhere", NULL, NULL) == TACO_ERR_NOT_FOUND);
}

/* A pool of two files in turn: what was used least recently is closed once, and opened again where it
   is read; a file that is gone takes no place and closes nothing twice. */
static struct {
    int open, opens[5], closes[5];
    bool gone; /* no file can be opened */
} turns;

static bool turn_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    int k = *(int *)ctx;
    (void)offset;
    CHECK(turns.opens[k] == turns.closes[k] + 1); /* nothing is read of what is closed */
    memset(dst, '0' + k, len);
    return true;
}

static void turn_close(void *ctx)
{
    int k = *(int *)ctx;
    turns.open--;
    CHECK(++turns.closes[k] == turns.opens[k]);
}

static bool turn_open(void *ctx, const char *path, taco_source *out)
{
    static int number[5] = {0, 1, 2, 3, 4};
    (void)ctx;
    if (turns.gone) { return false; }
    memset(out, 0, sizeof *out);
    out->ctx = &number[path[0] - '0'];
    out->size = 9;
    out->read = turn_read;
    out->close = turn_close;
    turns.opens[path[0] - '0']++;
    turns.open++;
    return true;
}

static void test_pool(void)
{
    static const char *const names[] = {"0", "1", "2", "3", "4"};
    static const int order[] = {0, 1, 0, 2, 0, 1, 3, 3, 4, 0, 1, 2, 0};
    taco__hive_pool pool;
    taco__hive_file files[5];
    taco_options options;
    char byte;
    size_t i;
    int k;
    memset(&pool, 0, sizeof pool);
    memset(files, 0, sizeof files);
    memset(&options, 0, sizeof options);
    options.open_file = turn_open;
    for (k = 0; k < 5; k++) {
        files[k].options = &options;
        files[k].path = names[k];
        files[k].pool = &pool;
        files[k].src.size = 9;
    }
    for (i = 0; i < sizeof order / sizeof order[0]; i++) {
        byte = 0;
        CHECK(taco__hive_file_read(&files[order[i]], 8, &byte, 1) && byte == '0' + order[i]);
        CHECK(turns.open <= TACO__HIVE_MAX_OPEN);
    }
    /* 0 stays open while 1 and 2 take turns */
    CHECK(turns.opens[0] == 3 && turns.opens[3] == 1);
    CHECK(!taco__hive_file_read(&files[0], 9, &byte, 1)); /* behind its end */
    turns.gone = true;
    CHECK(!taco__hive_file_read(&files[4], 0, &byte, 1) && turns.open == 1);
    turns.gone = false;
    for (k = 4; k >= 0; k--) {
        CHECK(taco__hive_file_read(&files[k], 0, &byte, 1) && byte == '0' + k);
    }
    for (k = 0; k < 5; k++) {
        taco__hive_file_close(&files[k]);
        CHECK(turns.opens[k] == turns.closes[k]);
    }
    CHECK(turns.open == 0);
}

static void test_hive_names(void)
{
    char s[64] = "a%20b%2Fc%zz%0";
    taco__hive h;
    taco__mem mem;
    taco__arena arena;
    const taco__hive_key *keys = NULL;
    size_t n = 0;
    taco__hive_unescape(s);
    CHECK_TEXT(s, "a b/c%zz%0");
    memset(&h, 0, sizeof h);
    memset(&e, 0, sizeof e);
    taco__mem_init(&mem, NULL);
    arena.mem = &mem;
    arena.head = NULL;
    h.arena = &arena;
    h.err = &e;
    CHECK(taco__hive_parse_key(&h, "year=2020", &keys, &n) &&
          taco__hive_parse_key(&h, "plain", &keys, &n) &&
          taco__hive_parse_key(&h, "a%3Db=__HIVE_DEFAULT_PARTITION__", &keys, &n) && n == 2);
    CHECK_TEXT(keys[0].value, "2020");
    CHECK_TEXT(keys[1].name, "a=b");
    CHECK(keys[1].value == NULL);
    taco__arena_free(&arena);
    CHECK(mem.used == 0);
}

/* Partitions of partitions are walked to a depth; what lies deeper is no part of the collection. */
static void test_hive_depth(void)
{
    char path[512] = DIR_NAME "/deep";
    taco__hive h;
    taco__mem mem;
    taco__arena arena;
    size_t i, n;
    memset(&h, 0, sizeof h);
    memset(&e, 0, sizeof e);
    memset(&arena, 0, sizeof arena);
    taco__mem_init(&mem, NULL);
    arena.mem = &mem;
    h.arena = &arena;
    h.err = &e;
    CHECK(taco__dir_make("build", &e) && taco__dir_make("build/tests", &e) &&
          taco__dir_make(DIR_NAME, &e) && taco__dir_make(path, &e));
    for (i = 0; i <= TACO__HIVE_MAX_DEPTH; i++) { /* a file in each */
        FILE *f;
        n = strlen(path);
        snprintf(path + n, sizeof path - n, "/x.parquet");
        f = fopen(path, "wb");
        CHECK(f && fclose(f) == 0);
        snprintf(path + n, sizeof path - n, "/k%u=v", (unsigned)i);
        CHECK(taco__dir_make(path, &e));
    }
    n = strlen(path);
    snprintf(path + n, sizeof path - n, "/x.parquet");
    {
        FILE *f = fopen(path, "wb");
        CHECK(f && fclose(f) == 0);
    }
    CHECK(taco__hive_find_parts(&h, DIR_NAME "/deep"));
    CHECK(h.count == TACO__HIVE_MAX_DEPTH + 1);
    for (i = 0, n = 0; i < h.count; i++) {
        n = h.parts[i].key_count > n ? h.parts[i].key_count : n;
    }
    CHECK(n == TACO__HIVE_MAX_DEPTH);
    taco__arena_free(&arena);
    test_names_remove(DIR_NAME "/deep");
}

static const char collection[] =
    "{\"id\":\"x\",\"dataset_version\":\"1\",\"description\":\"d\",\"licenses\":[\"CC0-1.0\"],"
    "\"providers\":[{\"name\":\"p\",\"roles\":[\"host\"]}],\"tasks\":[\"other\"]}";

/* A TACO archive of two TIFFs, one raster of bytes and back: tile offsets count from the beginning
   of the archive. */
static void test_across(void)
{
    taco_create_options create;
    taco_options opt;
    taco_rasteret_options o;
    taco_stac s;
    taco_writer *w;
    taco_dataset *ds;
    taco_sample at;
    taco_query q;
    char want[64];
    static const int64_t shape[3] = {3, 20, 40};
    memset(&e, 0, sizeof e);
    memset(&create, 0, sizeof create);
    memset(&opt, 0, sizeof opt);
    memset(&o, 0, sizeof o);
    memset(&s, 0, sizeof s);
    memset(&q, 0, sizeof q);
    opt.warn = count_warning;
    o.options = &opt;
    s.crs = "EPSG:32630";
    s.shape = shape;
    s.dimensions = 3;
    s.geotransform[0] = 500000;
    s.geotransform[1] = 10;
    s.geotransform[3] = 4000000;
    s.geotransform[5] = -10;
    s.time_start = 86400000000LL * 18000;
    create.overwrite = true;
    w = taco_create(DIR_NAME "/two.tacozip", &create, &e);
    taco_writer_collection(w, collection, strlen(collection));
    taco_writer_stac_columns(w, 0);
    taco_writer_file(w, "one", DIR_NAME "/a.tif");
    CHECK(taco_writer_set_stac(w, &s, &e) == TACO_OK);
    taco_writer_bytes(w, "junk", "no tiff at all", 14);
    taco_writer_set_stac(w, &s, &e);
    taco_writer_file(w, "two", DIR_NAME "/a.tif");
    taco_writer_set_stac(w, &s, &e);
    CHECK(taco_writer_finish(w, &e) == TACO_OK);
    CHECK_TEXT(e.text, "");
    warnings = 0;
    CHECK(taco_rasteret_from_taco(DIR_NAME "/two.tacozip", DIR_NAME "/across", &o, &e) == TACO_OK);
    CHECK_TEXT(e.text, "");
    CHECK(warnings == 1);
    CHECK(taco_rasteret_validate(DIR_NAME "/across", NULL, &e) == TACO_OK);
    CHECK_TEXT(rows_of(DIR_NAME "/across", "id", &q), "one,two");
    CHECK_TEXT(rows_of(DIR_NAME "/across", "datetime", &q),
               "2019-04-14T00:00:00.000000,2019-04-14T00:00:00.000000");
    CHECK_TEXT(rows_of(DIR_NAME "/across", "month", &q), "4,4");
    ds = taco_open(DIR_NAME "/two.tacozip", NULL, &e);
    CHECK(ds && taco_locate(ds, "two", &at, &e) == TACO_OK);
    snprintf(want, sizeof want, "\"tile_offsets\":[%u,", ds ? (unsigned)at.offset + 1000 : 0);
    taco_close(ds);
    q.where = "id = 'two'";
    CHECK(strstr(rows_of(DIR_NAME "/across", "data_metadata", &q), want));
    CHECK(strstr(rows_of(DIR_NAME "/across", "assets", &q), "two.tacozip\",\"band_index\":0"));
    CHECK(!strstr(text, "vsisubfile"));
    CHECK(taco_rasteret_to_taco(DIR_NAME "/across", DIR_NAME "/back.tacozip", collection, &o,
                                &create, &e) == TACO_OK);
    CHECK_TEXT(e.text, "");
    ds = taco_open(DIR_NAME "/back.tacozip", NULL, &e);
    CHECK(ds && taco_level_rows(ds, 0, &e) == 2 && taco_locate(ds, "two", &at, &e) == TACO_OK &&
          at.size > 800);
    taco_close(ds);
}

/* Writes a dataset of the TIFFs named in ids, with one time. */
static void write_timed(const char *path, const char *const *ids, size_t n, const taco_field *time,
                        int64_t value)
{
    taco_create_options create;
    taco_writer *w;
    size_t i;
    memset(&create, 0, sizeof create);
    memset(&e, 0, sizeof e);
    create.overwrite = true;
    w = taco_create(path, &create, &e);
    taco_writer_collection(w, collection, strlen(collection));
    taco_writer_field(w, 0, time);
    for (i = 0; i < n; i++) {
        char from[64];
        snprintf(from, sizeof from, DIR_NAME "/%s.tif", ids[i]);
        taco_writer_file(w, ids[i], from);
        taco_writer_set_int(w, time->name, value);
    }
    CHECK(taco_writer_finish(w, &e) == TACO_OK);
    CHECK_TEXT(e.text, "");
}

/* The extent of a dataset ends with this instant. */
static void check_extent(const char *path, const char *want)
{
    taco_dataset *ds = taco_open(path, NULL, &e);
    taco_bytes extent = ds ? taco_collection(ds, "extent") : taco__bytes_of(NULL, 0);
    char room[512] = "";
    CHECK(extent.len && extent.len < sizeof room);
    if (extent.len < sizeof room) { memcpy(room, extent.data, extent.len); }
    CHECK(strstr(room, want));
    taco_close(ds);
}

/* Times in any unit, and in the seconds of Tortilla. */
static void test_time_units(void)
{
    static const char *const ids[] = {"a", "b"};

    static const struct {
        taco_type type;
        taco_unit unit;
        int64_t value;
        const char *want;
    } t[] = {{TACO_TIMESTAMP, TACO_SECOND, 1700000000, "2023-11-14T22:13:20.000000"},
             {TACO_TIMESTAMP, TACO_MILLI, 1700000000000, "2023-11-14T22:13:20.000000"},
             {TACO_TIMESTAMP, TACO_MICRO, 1700000000000000, "2023-11-14T22:13:20.000000"},
             {TACO_TIMESTAMP, TACO_NANO, 1700000000000000000, "2023-11-14T22:13:20.000000"},
             {TACO_DATE, TACO_SECOND, 19675, "2023-11-14T00:00:00.000000"}};

    const taco_opener *openers[2] = {taco_legacy_opener(), NULL};
    taco_convert_options how;
    taco_rasteret_options o;
    taco_options opt;
    taco_query q;
    size_t i;
    write_tiff(DIR_NAME "/b.tif", true);
    memset(&how, 0, sizeof how);
    memset(&o, 0, sizeof o);
    memset(&opt, 0, sizeof opt);
    memset(&q, 0, sizeof q);
    opt.openers = openers;
    o.options = &opt;
    o.single = true;
    for (i = 0; i < sizeof t / sizeof t[0]; i++) {
        taco_field time = taco__field_make("stac:time_start", t[i].type);
        char want[64];
        time.unit = t[i].unit;
        snprintf(want, sizeof want, "%s,%s", t[i].want, t[i].want); /* of both rows */
        write_timed(DIR_NAME "/timed.tacozip", ids, 2, &time, t[i].value);
        check_extent(DIR_NAME "/timed.tacozip", t[i].want);
        CHECK(taco_rasteret_from_taco(DIR_NAME "/timed.tacozip", DIR_NAME "/timed.parquet", &o,
                                      &e) == TACO_OK);
        CHECK_TEXT(rows_of(DIR_NAME "/timed.parquet", "datetime", &q), want);
        test_names_remove(DIR_NAME "/timed.parquet");
        CHECK(taco_convert_from_taco2(DIR_NAME "/timed.tacozip", DIR_NAME "/timed.tortilla", &how,
                                      &e) == TACO_OK);
        CHECK_TEXT(e.text, "");
        CHECK(taco_rasteret_from_taco(DIR_NAME "/timed.tortilla", DIR_NAME "/timed.parquet", &o,
                                      &e) == TACO_OK);
        CHECK_TEXT(rows_of(DIR_NAME "/timed.parquet", "datetime", &q), want);
        test_names_remove(DIR_NAME "/timed.parquet");
        test_names_remove(DIR_NAME "/timed.tortilla");
    }
}

/* Numbers in datetime are years; those that are none are warned about. */
static void test_years_of_samples(void)
{
    static const char *const ids[] = {"a", "b"};
    taco_field time = taco__field_make("datetime", TACO_INT64);
    taco_rasteret_options o;
    taco_options opt;
    taco_query q;
    memset(&o, 0, sizeof o);
    memset(&opt, 0, sizeof opt);
    memset(&q, 0, sizeof q);
    opt.warn = count_warning;
    o.options = &opt;
    o.single = true;
    write_tiff(DIR_NAME "/b.tif", true);
    write_timed(DIR_NAME "/timed.tacozip", ids, 2, &time, 2023); /* years, as in a collection */
    CHECK(taco_rasteret_from_taco(DIR_NAME "/timed.tacozip", DIR_NAME "/timed.parquet", &o, &e) ==
          TACO_OK);
    CHECK_TEXT(rows_of(DIR_NAME "/timed.parquet", "datetime", &q),
               "2023-01-01T00:00:00.000000,2023-01-01T00:00:00.000000");
    warnings = 0;
    write_timed(DIR_NAME "/timed.tacozip", ids, 2, &time, 20230101);
    CHECK(taco_rasteret_from_taco(DIR_NAME "/timed.tacozip", DIR_NAME "/timed.parquet", &o, &e) ==
          TACO_OK);
    CHECK_TEXT(rows_of(DIR_NAME "/timed.parquet", "datetime", &q), "null,null");
    CHECK(warnings == 2);
    test_names_remove(DIR_NAME "/timed.parquet");
}

/* The last warning. */
static char told[512];

static void note_warning(void *ctx, const taco_error *w)
{
    (void)ctx;
    warnings++;
    snprintf(told, sizeof told, "%s", w->text);
}

/* Images at the edge of the world and across 180 degrees; those that have no place are left out with
   a warning each. */
static void test_places(void)
{
    static const double w = 20037508.342789244;

    static const struct {
        const char *id;
        unsigned epsg;
        double corner[2], pixel[2];
        double box[4];
        const char *warning; /* no box */
    } t[] = {{"world",
              3857,
              {-w, w},
              {2 * w / 40, 2 * w / 20},
              {-180, -85.0511287798066, 180, 85.0511287798066},
              NULL},
             {"across",
              32701,
              {160000, 9000000},
              {500, 500},
              {-180, -9.12534361345922, 180, -9.03352322794213},
              NULL},
             {"beyond",
              32760,
              {850000, 9000000},
              {500, 500},
              {-179.816973173006, -9.12305597634711, -179.634453057661, -9.03112409058191},
              NULL},
             {"laea", 3035, {4e6, 3e6}, {500, 500}, {0}, "its CRS is 'EPSG:3035', must be UTM"},
             {"off", 3857, {9e7, 0}, {500, 500}, {0}, "a corner is not on the globe"}};

    taco_field time = taco__field_make("stac:time_start", TACO_TIMESTAMP);
    taco_rasteret_options o;
    taco_options opt;
    taco_query q;
    double box[4];
    size_t i, k;
    memset(&o, 0, sizeof o);
    memset(&opt, 0, sizeof opt);
    memset(&q, 0, sizeof q);
    opt.warn = note_warning;
    o.options = &opt;
    o.single = true;
    time.unit = TACO_MICRO;
    for (i = 0; i < sizeof t / sizeof t[0]; i++) {
        static tiff_maker m;
        char path[64];
        const char *got;
        tiff_begin(&m, false, false, 32, 700);
        tiff_placed(&m, 1, false, t[i].epsg, t[i].corner, t[i].pixel);
        snprintf(path, sizeof path, DIR_NAME "/%s.tif", t[i].id);
        write_bytes(path, &m);
        write_timed(DIR_NAME "/placed.tacozip", &t[i].id, 1, &time, 0);
        warnings = 0;
        told[0] = 0;
        CHECK(taco_rasteret_from_taco(DIR_NAME "/placed.tacozip", DIR_NAME "/placed.parquet", &o,
                                      &e) == (t[i].warning ? e.code : TACO_OK));
        CHECK(warnings == (t[i].warning ? 1 : 0));
        CHECK(!t[i].warning || strstr(told, t[i].warning));
        if (!t[i].warning) {
            got = rows_of(DIR_NAME "/placed.parquet", "scene_bbox", &q);
            CHECK(sscanf(got, "[%lf,%lf,%lf,%lf]", box, box + 1, box + 2, box + 3) == 4);
            for (k = 0; k < 4; k++) {
                CHECK(box[k] - t[i].box[k] < 1e-9 && t[i].box[k] - box[k] < 1e-9);
            }
        }
        test_names_remove(DIR_NAME "/placed.parquet");
    }
}

/* Files of one collection with other bands, a column that has no values in one of them, and one
   that is missing. */
static void test_mixed(void)
{
    static const char *const hrefs[5] = {"a.tif", "b.tif", "c.tif", "d.tif", "e.tif"};
    static const taco_rasteret_band other[1] = {{"B2", 1}};
    taco_rasteret_options o = usual();
    taco_query q;
    size_t i;
    memset(&q, 0, sizeof q);
    memset(&e, 0, sizeof e);
    CHECK(taco__dir_make(DIR_NAME "/mixed", &e));
    o.single = true;
    for (i = 0; i < 2; i++) {
        no_split = i == 1;
        write_table(DIR_NAME "/mixed.parquet", hrefs);
        o.bands = i ? other : two_bands;
        o.band_count = i ? 1 : 2;
        CHECK(taco_rasteret_build(DIR_NAME "/mixed.parquet",
                                  i ? DIR_NAME "/mixed/b.parquet" : DIR_NAME "/mixed/a.parquet", &o,
                                  &e) == TACO_OK);
        CHECK_TEXT(e.text, "");
    }
    no_split = false;
    CHECK_TEXT(rows_of(DIR_NAME "/mixed", "split", &q),
               "train,valid,train,test_,train,null,null,null,null,null");
    q.where = "split IS NULL";
    q.limit = 1;
    CHECK_TEXT(rows_of(DIR_NAME "/mixed", "assets", &q),
               "{\"B1\":null,\"B3\":null,\"B2\":{\"href\":\"a.tif\",\"band_index\":1}}");
    q.where = NULL;
    CHECK_TEXT(rows_of(DIR_NAME "/mixed", "assets", &q),
               "{\"B1\":{\"href\":\"a.tif\",\"band_index\":0},"
               "\"B3\":{\"href\":\"a.tif\",\"band_index\":2},\"B2\":null}");
    o = usual();
    o.href_column = NULL;
    o.rename_count = 0;
    o.band_count = 0;
    CHECK(taco_rasteret_build(DIR_NAME "/mixed", DIR_NAME "/unmixed", &o, &e) == TACO_OK);
    CHECK_TEXT(e.text, "");
    CHECK(strstr(rows_of(DIR_NAME "/unmixed", "assets", &q), "\"B2\":null"));
}

/* Times that are none, and columns that are not there. */
static void test_other_times(void)
{
    static const double far[4] = {100, 40, 101, 41};
    taco_query q;
    taco_filter f;
    memset(&q, 0, sizeof q);
    memset(&f, 0, sizeof f);
    memset(&e, 0, sizeof e);
    CHECK(taco__dir_make(DIR_NAME "/times", &e));
    write_query("SELECT * EXCLUDE (datetime), CAST(datetime AS VARCHAR) AS datetime FROM data",
                DIR_NAME "/times/a.parquet");
    q.time = "2020-01-15";
    CHECK_TEXT(rows_of(DIR_NAME "/times", "id", &q),
               DIR_NAME "/times/a.parquet: the collection's datetime column is not a timestamp");
    write_query("SELECT * EXCLUDE (datetime), NULL AS datetime FROM data",
                DIR_NAME "/times/a.parquet");
    CHECK(!strstr(rows_of(DIR_NAME "/times", "id", &q), "1"));
    q.time = NULL;
    f.time = "2020-01-15";
    f.time_column = "nobody";
    q.filters = &f;
    q.filter_count = 1;
    CHECK(strstr(rows_of(DIR_NAME "/made", "id", &q), "the collection has no datetime column") !=
          NULL);
    f.time_column = "datetime";
    CHECK_TEXT(rows_of(DIR_NAME "/made", "id", &q), "11");
    f.time = NULL;
    f.bbox = far;
    CHECK_TEXT(rows_of(DIR_NAME "/made", "id", &q), "");
}

static size_t tile_limit;
static bool tall; /* boxes in degrees are from the equator to 80 degrees north */

/* "B1 1,0 [17,3,13,12] " of each tile. */
static bool note_tile(void *ctx, const taco_rasteret_tile *t)
{
    size_t n = strlen((char *)ctx);
    if (n < sizeof text - 100) {
        snprintf((char *)ctx + n, sizeof text - n, "%s %s %u,%u [%u,%u,%u,%u] %u+%u;", t->id,
                 t->band, (unsigned)t->column, (unsigned)t->row, (unsigned)t->x, (unsigned)t->y,
                 (unsigned)t->columns, (unsigned)t->rows, (unsigned)t->range.offset,
                 (unsigned)t->range.len);
    }
    return !tile_limit || --tile_limit > 0;
}

/* Tiles of a box in one CRS; epsg 0: its corners are turned into degrees. */
static const char *tiles_of(const char *path, const char *band, const char *where, int32_t epsg,
                            const double *corners, taco_rasteret_tiles_sums *sums)
{
    taco_rasteret_window w;
    taco_query q;
    taco_dataset *ds = open_made(path);
    double box[4];
    memset(&w, 0, sizeof w);
    memset(&q, 0, sizeof q);
    q.where = where;
    w.query = where ? &q : NULL;
    w.bands = &band;
    w.band_count = 1;
    w.epsg = epsg;
    w.bbox = corners;
    if (corners && !epsg) {
        CHECK(taco_lonlat("EPSG:32630", corners[0], corners[1], box, &e) == TACO_OK);
        CHECK(taco_lonlat("EPSG:32630", corners[2], corners[3], box + 2, &e) == TACO_OK);
        box[1] = tall ? 0 : box[1];
        box[3] = tall ? 80 : box[3];
        w.bbox = box;
    }
    text[0] = 0;
    CHECK(ds && taco_rasteret_tiles(ds, &w, note_tile, text, sums, &e) == e.code);
    taco_close(ds);
    return text;
}

/* The image is 40 x 20 pixels of 10 m in tiles of 16, from 500000, 4000000 on. */
static void test_tiles(void)
{
    /* one metre inside of columns 17 to 29, rows 3 to 14 */
    static const double inner[4] = {500171, 3999851, 500299, 3999969},
                        outside[4] = {600000, 3999851, 600001, 3999969},
                        point[4] = {500325, 3999835, 500325, 3999835},
                        turned[4] = {500299, 3999851, 500171, 3999969};
    static const char *const band = "data";
    taco_rasteret_window w;
    taco_rasteret_tiles_sums sums;
    taco_dataset *ds;
    uint64_t at;
    char want[128];
    taco_sample one;
    ds = taco_open(DIR_NAME "/two.tacozip", NULL, &e);
    CHECK(ds && taco_locate(ds, "one", &one, &e) == TACO_OK);
    at = ds ? one.offset : 0;
    taco_close(ds);
    snprintf(want, sizeof want, "one data 1,0 [17,3,13,12] %u+501;", (unsigned)at + 1512);
    CHECK_TEXT(tiles_of(DIR_NAME "/across", "data", "id = 'one'", 0, inner, &sums), want);
    CHECK(sums.records == 1 && sums.tiles == 1 && sums.bytes == 501 && !sums.skipped);
    CHECK_TEXT(tiles_of(DIR_NAME "/across", "data", "id = 'one'", 32630, inner, &sums), want);
    /* meridians come together towards the pole: of the box only what is beside the image counts */
    snprintf(want, sizeof want,
             "one data 1,0 [17,0,13,16] %u+501;one data 1,1 [17,16,13,4] %u+504;",
             (unsigned)at + 1512, (unsigned)at + 3048);
    tall = true;
    CHECK_TEXT(tiles_of(DIR_NAME "/across", "data", "id = 'one'", 0, inner, &sums), want);
    tall = false;
    CHECK_TEXT(tiles_of(DIR_NAME "/across", "data", NULL, 32630, outside, &sums), "");
    CHECK_TEXT(tiles_of(DIR_NAME "/across", "data", NULL, 32631, inner, &sums), "");
    CHECK(sums.records == 2 && sums.unplaced == 2);
    snprintf(want, sizeof want, "one data 2,1 [32,16,1,1] %u+505;", (unsigned)at + 3560);
    CHECK_TEXT(tiles_of(DIR_NAME "/across", "data", "id = 'one'", 0, point, &sums), want);
    /* bands of a planar file have tables of their own; a record without metadata is skipped */
    tile_limit = 3;
    CHECK_TEXT(tiles_of(DIR_NAME "/many_enriched", "B3", "id >= 'r200'", 32630, inner, &sums),
               "r201 B3 1,0 [17,3,13,12] 7656+513;r202 B3 1,0 [17,3,13,12] 7656+513;"
               "r203 B3 1,0 [17,3,13,12] 7656+513;");
    CHECK(sums.skipped == 1 && sums.tiles == 3);
    tile_limit = 0;
    CHECK_TEXT(e.text, "");
    tiles_of(DIR_NAME "/across", "B9", NULL, 0, NULL, NULL);
    CHECK(e.code == TACO_ERR_NOT_FOUND);
    memset(&e, 0, sizeof e);
    CHECK_TEXT(tiles_of(DIR_NAME "/across", "data", NULL, 32630, turned, &sums), "");
    CHECK(e.code == TACO_ERR_ARGUMENT);
    CHECK_TEXT(e.text, "a box is west, south, east, north");
    memset(&e, 0, sizeof e);
    tiles_of(DIR_NAME "/across", "data", "nope = 1", 0, inner, &sums);
    CHECK(e.code == TACO_ERR_NOT_FOUND && strstr(e.text, "'nope'"));
    /* what is asked of nothing, or of a dataset that is no collection */
    ds = taco_open(DIR_NAME "/two.tacozip", NULL, NULL);
    memset(&w, 0, sizeof w);
    memset(&e, 0, sizeof e);
    CHECK(taco_rasteret_tiles(ds, &w, note_tile, text, NULL, NULL) == TACO_ERR_ARGUMENT);
    w.bands = &band;
    CHECK(taco_rasteret_tiles(ds, &w, note_tile, text, NULL, NULL) == TACO_ERR_ARGUMENT);
    w.band_count = 1;
    CHECK(taco_rasteret_tiles(NULL, &w, note_tile, text, NULL, NULL) == TACO_ERR_ARGUMENT);
    CHECK(taco_rasteret_tiles(ds, &w, NULL, text, NULL, NULL) == TACO_ERR_ARGUMENT);
    CHECK(taco_rasteret_tiles(ds, &w, note_tile, text, NULL, &e) == TACO_ERR_ARGUMENT);
    CHECK_TEXT(e.text, "no Rasteret collection");
    taco_close(ds);
}

static size_t ready_errors, ready_warnings;
static bool stop_missing;

static bool count_missing(void *ctx, const taco_problem *p)
{
    (void)ctx;
    CHECK(p->clause && strncmp(p->clause, "Rasteret contract, ", 19) == 0);
    *(p->error ? &ready_errors : &ready_warnings) += 1;
    return !stop_missing;
}

static void test_ready(void)
{
    static const char *const both[2] = {"B1", "B3"}, *const data[1] = {"data"},
                             *const none[1] = {"B9"};
    taco_validate_options how;
    taco_rasteret_readiness r;
    taco_dataset *ds;
    memset(&how, 0, sizeof how);
    how.found = count_missing;
    ds = open_made(DIR_NAME "/across");
    CHECK(taco_rasteret_ready(ds, data, 1, &how, &r, &e) == TACO_OK);
    CHECK_TEXT(e.text, "");
    CHECK(r.records == 2 && r.complete == 2 && !r.partial && r.epsg == 32630 && !ready_errors);
    taco_close(ds);
    ds = open_made(DIR_NAME "/many_enriched");
    CHECK(taco_rasteret_ready(ds, both, 2, &how, &r, &e) == TACO_ERR_CORRUPT);
    CHECK_TEXT(e.text, "1 of 300 records have no proj:epsg");
    CHECK(r.complete == 299 && ready_errors == 1 && ready_warnings == 1);
    memset(&e, 0, sizeof e);
    CHECK(taco_rasteret_ready(ds, none, 1, NULL, NULL, &e) == TACO_ERR_CORRUPT);
    CHECK_TEXT(e.text, "there is no column B9_metadata");
    taco_close(ds);
    ds = open_made(DIR_NAME "/made");
    memset(&e, 0, sizeof e);
    CHECK(taco_rasteret_ready(ds, both, 2, NULL, &r, &e) == TACO_ERR_CORRUPT);
    CHECK(taco_rasteret_ready(ds, both, 0, NULL, &r, NULL) == TACO_ERR_ARGUMENT);
    CHECK(taco_rasteret_ready(NULL, both, 2, NULL, &r, NULL) == TACO_ERR_ARGUMENT);
    CHECK(taco_rasteret_ready(ds, NULL, 2, NULL, &r, NULL) == TACO_ERR_ARGUMENT);
    taco_close(ds);
    /* spans in the place of times, one band for some, two CRSs */
    memset(&e, 0, sizeof e);
    write_query("SELECT * EXCLUDE (datetime, B3_metadata, \"proj:epsg\"), NULL AS datetime, "
                "CASE WHEN id <> '12' THEN TIMESTAMP '2020-01-01' END AS start_datetime, "
                "CASE WHEN id <> '10' THEN B3_metadata END AS B3_metadata, "
                "CASE WHEN id = '14' THEN 32631 ELSE \"proj:epsg\" END AS \"proj:epsg\" FROM data",
                DIR_NAME "/times/a.parquet");
    ds = open_made(DIR_NAME "/times");
    ready_errors = ready_warnings = 0;
    CHECK(taco_rasteret_ready(ds, both, 2, &how, &r, &e) == TACO_ERR_CORRUPT);
    CHECK_TEXT(e.text, "2 of 5 records have no proj:epsg");
    CHECK(r.records == 5 && r.complete == 2 && r.partial == 1 && r.without_time == 1 &&
          r.without_crs == 2 && r.mixed_crs && r.epsg == 32630);
    CHECK(ready_errors == 2 && ready_warnings == 2);
    stop_missing = true; /* at the first */
    ready_errors = ready_warnings = 0;
    memset(&e, 0, sizeof e);
    CHECK(taco_rasteret_ready(ds, both, 2, &how, &r, &e) == TACO_ERR_CORRUPT);
    CHECK(ready_errors + ready_warnings == 1);
    stop_missing = false;
    taco_close(ds);
    ds = taco_open(DIR_NAME "/two.tacozip", NULL, &e);
    CHECK(taco_rasteret_ready(ds, both, 2, NULL, &r, NULL) == TACO_ERR_ARGUMENT);
    taco_close(ds);
}

/* ---- tables of other columns ---- */

#define TABLE_MOST 8

/* A table under construction: columns, each with a builder. */
static struct {
    taco__mem mem;
    taco__arena arena;
    taco_field fields[TABLE_MOST];
    taco__array_builder made[TABLE_MOST];
    size_t count;
} table;

static void table_begin(void)
{
    memset(&table, 0, sizeof table);
    memset(&e, 0, sizeof e);
    taco__mem_init(&table.mem, NULL);
    table.arena.mem = &table.mem;
}

static taco__array_builder *table_column(taco_field f)
{
    size_t k = table.count++;
    table.fields[k] = f;
    CHECK(taco__array_builder_init(&table.made[k], &table.fields[k], &table.mem, &table.arena, &e));
    return &table.made[k];
}

static void table_end(const char *path)
{
    taco_array arrays[TABLE_MOST];
    taco_batch batch;
    taco_sink sink;
    taco_pq_writer *w;
    size_t i;
    memset(&batch, 0, sizeof batch);
    for (i = 0; i < table.count; i++) {
        taco__array_builder_view(&table.made[i], &arrays[i]);
    }
    batch.length = arrays[0].length;
    batch.columns = arrays;
    batch.column_count = table.count;
    CHECK(taco_sink_file(&sink, path, NULL, &e) == TACO_OK);
    w = taco_pq_write(&sink, table.fields, table.count, NULL, &e);
    CHECK(w && taco_pq_writer_batch(w, &batch) == TACO_OK);
    CHECK(taco_pq_writer_close(w, &e) == TACO_OK);
    CHECK_TEXT(e.text, "");
    for (i = 0; i < table.count; i++) {
        taco__array_builder_free(&table.made[i]);
    }
    taco__arena_free(&table.arena);
}

/* Three columns that every record has. */
static void table_records(size_t n)
{
    static uint8_t wkb[93];
    taco__array_builder *id = table_column(taco__field_make("id", TACO_TEXT));
    taco__array_builder *at = table_column(taco__field_make("datetime", TACO_TIMESTAMP));
    taco__array_builder *place = table_column(taco__field_make("geometry", TACO_BINARY));
    size_t i;
    wkb_box(wkb, 0, 0, 1, 1);
    for (i = 0; i < n; i++) {
        char name[24];
        snprintf(name, sizeof name, "r%u", (unsigned)i);
        CHECK(taco__array_builder_append_text(id, name, &e) &&
              taco__array_builder_append_int(at, (int64_t)i, &e) &&
              taco__array_builder_append_bytes(place, taco__bytes_of(wkb, sizeof wkb), &e));
    }
}

/* A collection of which one file lacks columns, of numbers, texts and flags, is partitioned again by
   another column: of the nulls of these columns only some rows are taken. */
static void test_lacking(void)
{
    static const char *const by[1] = {"id"}, *const names[3] = {"number", "words", "flag"};
    static const double box[4] = {0, 0, 1, 1};
    static const taco_type types[3] = {TACO_INT64, TACO_TEXT, TACO_BOOL};
    taco_field number = taco__field_make("element", TACO_DOUBLE),
               href = taco__field_make("href", TACO_TEXT);
    taco_field band = taco__field_make_nested("B1", TACO_STRUCT, &href, 1);
    taco_rasteret_options o;
    taco_query q;
    size_t file, i;
    memset(&o, 0, sizeof o);
    memset(&q, 0, sizeof q);
    CHECK(taco__dir_make(DIR_NAME "/lacking", &e));
    for (file = 0; file < 2; file++) {
        taco__array_builder *assets, *boxes, *more = NULL;
        table_begin();
        table_records(3);
        assets = table_column(taco__field_make_nested("assets", TACO_STRUCT, &band, 1));
        boxes = table_column(taco__field_make_nested("scene_bbox", TACO_LIST, &number, 1));
        for (i = 0; i < 3; i++) {
            CHECK(taco__array_builder_append_text(&assets->children[0].children[0], "a", &e) &&
                  taco__array_builder_end_row(&assets->children[0], true, &e) &&
                  taco__array_builder_end_row(assets, true, &e) &&
                  taco__array_builder_append_doubles(boxes, box, 4, &e));
        }
        for (i = 0; file == 0 && i < 9; i++) {
            if (i % 3 == 0) { more = table_column(taco__field_make(names[i / 3], types[i / 3])); }
            CHECK(i < 3   ? taco__array_builder_append_int(more, 1, &e)
                  : i < 6 ? taco__array_builder_append_text(more, "x", &e)
                          : taco__array_builder_append_bool(more, true, &e));
        }
        table_end(file ? DIR_NAME "/lacking/b.parquet" : DIR_NAME "/lacking/a.parquet");
    }
    o.partition = by;
    o.partition_count = 1;
    CHECK(taco_rasteret_build(DIR_NAME "/lacking", DIR_NAME "/lacked", &o, &e) == TACO_OK);
    CHECK_TEXT(e.text, "");
    CHECK_TEXT(rows_of(DIR_NAME "/lacked", "number", &q), "1,null,1,null,1,null");
    CHECK_TEXT(rows_of(DIR_NAME "/lacked", "words", &q), "x,null,x,null,x,null");
    CHECK_TEXT(rows_of(DIR_NAME "/lacked", "flag", &q), "true,null,true,null,true,null");
    CHECK_TEXT(rows_of(DIR_NAME "/lacked", "id", &q), "r0,r0,r1,r1,r2,r2");
}

/* Assets in a list have fewer values than there are records: nothing is taken for one of them. */
static void test_listed_assets(void)
{
    static const double box[4] = {0, 0, 1, 1};
    static const char *const bands[1] = {"element"};
    taco_field item = taco__field_make("element", TACO_TEXT),
               number = taco__field_make("element", TACO_DOUBLE),
               width = taco__field_make("image_width", TACO_INT32);
    taco__array_builder *assets, *boxes, *metadata;
    taco_rasteret_window w;
    taco_rasteret_tiles_sums sums;
    taco_dataset *ds;
    size_t i;
    table_begin();
    table_records(300);
    assets = table_column(taco__field_make_nested("assets", TACO_LIST, &item, 1));
    boxes = table_column(taco__field_make_nested("scene_bbox", TACO_LIST, &number, 1));
    metadata = table_column(taco__field_make_nested("element_metadata", TACO_STRUCT, &width, 1));
    for (i = 0; i < 300; i++) {
        CHECK(i || taco__array_builder_append_text(&assets->children[0], DIR_NAME "/a.tif", &e));
        CHECK(taco__array_builder_end_row(assets, true, &e) &&
              taco__array_builder_append_doubles(boxes, box, 4, &e) &&
              taco__array_builder_append_int(&metadata->children[0], 40, &e) &&
              taco__array_builder_end_row(metadata, true, &e));
    }
    table_end(DIR_NAME "/listed.parquet");
    CHECK(taco_rasteret_validate(DIR_NAME "/listed.parquet", NULL, &e) == TACO_ERR_TYPE);
    CHECK_TEXT(e.text, DIR_NAME "/listed.parquet: column 'assets' is not a struct of assets");
    memset(&e, 0, sizeof e);
    CHECK(taco_rasteret_to_taco(DIR_NAME "/listed.parquet", DIR_NAME "/listed.tacozip", collection,
                                NULL, NULL, &e) == TACO_ERR_TYPE);
    CHECK_TEXT(e.text, DIR_NAME "/listed.parquet: column 'assets' is not a struct of assets");
    memset(&w, 0, sizeof w);
    w.bands = bands;
    w.band_count = 1;
    ds = open_made(DIR_NAME "/listed.parquet");
    CHECK(taco_rasteret_tiles(ds, &w, note_tile, text, &sums, &e) == TACO_ERR_NOT_FOUND);
    CHECK_TEXT(e.text, "no band 'element': a band has an asset and a column element_metadata");
    CHECK(sums.records == 0);
    taco_close(ds);
}

/* A column renamed to one of the contract's takes the place of the column that has the name
   already; two bands of one name are none. */
static void test_names_twice(void)
{
    static const taco_rasteret_pair renames[2] = {{"given", "assets"}, {"taken", "datetime"}};
    static const taco_rasteret_band twice[2] = {{"B1", 0}, {"B1", 2}};
    static const char *const hrefs[5] = {"a.tif", "a.tif", "b.tif", "none.tif", "a.tif"};
    taco_field href = taco__field_make("href", TACO_TEXT), band[2];
    taco__array_builder *old, *never, *taken, *given;
    taco_rasteret_options o;
    taco_query q;
    size_t i, k;
    memset(&q, 0, sizeof q);
    memset(&o, 0, sizeof o);
    band[0] = taco__field_make_nested("B1", TACO_STRUCT, &href, 1);
    band[1] = band[0];
    for (k = 1; k < 3; k++) { /* assets of each band */
        table_begin();
        table_records(2);
        table.fields[1].name = "taken";
        old = table_column(taco__field_make("assets", TACO_TEXT));
        never = table_column(taco__field_make("datetime", TACO_TEXT));
        given = table_column(taco__field_make_nested("given", TACO_STRUCT, band, (uint32_t)k));
        taken = &table.made[1];
        CHECK(taken->length == 2);
        for (i = 0; i < 2; i++) {
            size_t b;
            CHECK(taco__array_builder_append_text(old, "{}", &e) &&
                  taco__array_builder_append_text(never, "never", &e));
            for (b = 0; b < k; b++) {
                CHECK(
                    taco__array_builder_append_text(&given->children[b].children[0], "a.tif", &e) &&
                    taco__array_builder_end_row(&given->children[b], true, &e));
            }
            CHECK(taco__array_builder_end_row(given, true, &e));
        }
        table_end(k == 1 ? DIR_NAME "/renamed.parquet" : DIR_NAME "/twice.parquet");
    }
    o.rename = renames;
    o.rename_count = 2;
    o.enrich = o.single = true;
    o.base = DIR_NAME "/";
    CHECK(taco_rasteret_build(DIR_NAME "/renamed.parquet", DIR_NAME "/of_renamed.parquet", &o,
                              &e) == TACO_OK);
    CHECK_TEXT(e.text, "");
    CHECK_TEXT(rows_of(DIR_NAME "/of_renamed.parquet", "datetime", &q),
               "1970-01-01T00:00:00.000000,1970-01-01T00:00:00.000001");
    CHECK_TEXT(rows_of(DIR_NAME "/of_renamed.parquet", "year", &q), "1970,1970");
    CHECK_TEXT(rows_of(DIR_NAME "/of_renamed.parquet", "assets", &q),
               "{\"B1\":{\"href\":\"a.tif\"}},{\"B1\":{\"href\":\"a.tif\"}}");
    q.where = "B1_metadata IS NOT NULL";
    CHECK_TEXT(rows_of(DIR_NAME "/of_renamed.parquet", "id", &q), "r0,r1");
    CHECK(taco_rasteret_build(DIR_NAME "/twice.parquet", DIR_NAME "/of_twice.parquet", &o, &e) ==
          TACO_ERR_CORRUPT);
    CHECK_TEXT(e.text, DIR_NAME "/twice.parquet: two assets are named 'B1'");
    write_table(DIR_NAME "/table2.parquet", hrefs);
    o = usual();
    o.bands = twice;
    CHECK(taco_rasteret_build(DIR_NAME "/table2.parquet", DIR_NAME "/of_twice", &o, &e) ==
          TACO_ERR_ARGUMENT);
    CHECK_TEXT(e.text, DIR_NAME "/table2.parquet: two assets are named 'B1'");
}

/* As rasteret 0.4.1 keeps one in its registry. */
static void test_descriptor(void)
{
    static const char json[] =
        "[{\"id\":\"other\",\"name\":\"o\"},{\"id\":\"local/five\",\"name\":\"Five\","
        "\"description\":\"d\",\"stac_collection\":null,\"column_map\":{\"scene\":\"id\"},"
        "\"field_roles\":{\"geometry\":\"footprint\",\"href\":\"ignored\"},"
        "\"href_column\":\"url\",\"band_index_map\":{\"B1\":0,\"B3\":2},\"cloud_config\":{"
        "\"provider\":\"aws\",\"url_patterns\":{\"https://x/\":\"s3://x/\"}},"
        "\"temporal_range\":[\"2019-01-01\",\"2020-01-01\"]}]";
    static const char broken[] = "{\"id\":\"x\",\"band_index_map\":{\"B1\":\"a\"}}";
    static const char loose[] =
        "[5,{\"id\":\"\",\"stac_collection\":\"s\",\"name\":7,\"description\":\"\","
        "\"column_map\":{\"a\":\"b\",\"c\":\"c\",\"d\":1},\"field_roles\":{\"href\":\"link\"},"
        "\"band_index_map\":{\"B\":65535},\"cloud_config\":{\"url_patterns\":[1]}}]";
    static const char plain[] = "{\"id\":\"x\",\"href_column\":\"h\",\"column_map\":[]}";

    static const struct {
        const char *json, *words;
        taco_status code;
    } bad[] = {
        {"{", "the end of the text", TACO_ERR_CORRUPT},
        {"5", "there is no descriptor with the id", TACO_ERR_NOT_FOUND},
        {"[1, \"x\", []]", "there is no descriptor with the id", TACO_ERR_NOT_FOUND},
        {"{\"name\":\"x\"}", "at byte 0: a descriptor has an id", TACO_ERR_ARGUMENT},
        {"{\"id\":\"x\",\"band_index_map\":{\"B\":-1}}",
         "band_index_map: a sample is a number from 0 to 65535", TACO_ERR_ARGUMENT},
        {"{\"id\":\"x\",\"band_index_map\":{\"B\":65536}}", "from 0 to 65535", TACO_ERR_ARGUMENT},
        {"{\"id\":\"x\",\"band_index_map\":{\"B\":1.5}}", "from 0 to 65535", TACO_ERR_ARGUMENT}};

    taco_rasteret_descriptor *d;
    const taco_rasteret_options *o;
    taco_query q;
    size_t i;
    memset(&q, 0, sizeof q);
    memset(&e, 0, sizeof e);
    d = taco_rasteret_descriptor_open(json, sizeof json - 1, "local/five", NULL, &e);
    o = taco_rasteret_descriptor_options(d);
    CHECK_TEXT(e.text, "");
    CHECK(o && o->rename_count == 2 && o->band_count == 2 && o->rewrite_count == 1);
    if (o) {
        CHECK_TEXT(o->data_source, "local/five");
        CHECK_TEXT(o->rename[0].from, "scene");
        CHECK_TEXT(o->rename[1].from, "footprint");
        CHECK_TEXT(o->rename[1].to, "geometry");
        CHECK(o->bands[1].index == 2 && strcmp(o->bands[1].name, "B3") == 0);
        CHECK_TEXT(o->rewrite[0].to, "s3://x/");
        CHECK_TEXT(o->href_column, "url");
    }
    taco_rasteret_descriptor_close(d);
    CHECK(!taco_rasteret_descriptor_open(json, sizeof json - 1, "none", NULL, &e));
    CHECK_TEXT(e.text, "there is no descriptor with the id 'none'");
    memset(&e, 0, sizeof e);
    CHECK(!taco_rasteret_descriptor_open(broken, sizeof broken - 1, NULL, NULL, &e) &&
          e.code == TACO_ERR_ARGUMENT);
    CHECK(!taco_rasteret_descriptor_open("{}", 2, NULL, NULL, NULL));
    for (i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        memset(&e, 0, sizeof e);
        CHECK(!taco_rasteret_descriptor_open(bad[i].json, strlen(bad[i].json), NULL, NULL, &e));
        CHECK(e.code == bad[i].code && strstr(e.text, bad[i].words) != NULL);
        if (!strstr(e.text, bad[i].words)) { printf("%s\n", e.text); }
    }
    /* the first of a list; texts that are none are as if they were not there */
    memset(&e, 0, sizeof e);
    d = taco_rasteret_descriptor_open(loose, sizeof loose - 1, NULL, NULL, &e);
    o = taco_rasteret_descriptor_options(d);
    CHECK_TEXT(e.text, "");
    CHECK(o && o->rename_count == 1 && o->band_count == 1 && o->rewrite_count == 0);
    if (o) {
        CHECK_TEXT(o->data_source, "s");
        CHECK_TEXT(o->href_column, "link");
        CHECK_TEXT(o->rename[0].from, "a");
        CHECK(!o->name && !o->description);
    }
    taco_rasteret_descriptor_close(d);
    d = taco_rasteret_descriptor_open(plain, sizeof plain - 1, "x", NULL, &e);
    o = taco_rasteret_descriptor_options(d); /* its table has assets: no bands are made */
    CHECK(o && o->band_count == 0 && !o->href_column && o->rename_count == 0);
    taco_rasteret_descriptor_close(d);
    taco_rasteret_descriptor_close(NULL);
    CHECK(taco_rasteret_descriptor_options(NULL) == NULL);
    CHECK(!taco_rasteret_descriptor_open(NULL, 0, NULL, NULL, NULL));
}

int main(void)
{
    test_names_remove(DIR_NAME); /* of a run that did not end */
    RUN(test_pool);
    RUN(test_hive_names);
    RUN(test_hive_depth);
    RUN(test_build);
    RUN(test_years);
    RUN(test_dates);
    RUN(test_units);
    RUN(test_data_source);
    RUN(test_filters);
    RUN(test_boxes);
    RUN(test_no_records);
    RUN(test_order_and_sql);
    RUN(test_again);
    RUN(test_many);
    RUN(test_no_options);
    RUN(test_refused);
    RUN(test_across);
    RUN(test_time_units);
    RUN(test_years_of_samples);
    RUN(test_places);
    RUN(test_mixed);
    RUN(test_other_times);
    RUN(test_tiles);
    RUN(test_ready);
    RUN(test_lacking);
    RUN(test_listed_assets);
    RUN(test_names_twice);
    RUN(test_descriptor);
    return test_end("rasteret");
}
