/* taco_validate of Rasteret collections: every rule of the schema contract broken once; the problem
   found, its level and its clause. Collections here are Parquet files of two records. */
#include "../src/base/base.h"
#include "../src/arrow/arrow.h"
#include "../src/base/file_copy.h"
#include "../taco_parquet.h"
#include "../extra/taco_parquet_write.h"
#include "../taco.h"
#include "../extra/taco_tiff.h"
#include "../extra/taco_write.h"
#include "../extra/taco_rasteret.h"

#include "test.h"

#define PATH "build/tmp_rr.parquet"
#define ROWS 2

/* Values that tests change; all rules are kept at first. */
typedef struct records {
    const char *id[ROWS], *href[ROWS], *dtype[ROWS];
    int64_t datetime[ROWS], start[ROWS], end[ROWS], index[ROWS], year[ROWS], month[ROWS];
    uint8_t timed, spans, located, assets; /* bits: not null */
    double box[4][ROWS], list[8];
    int listed; /* numbers in each scene_bbox */
    uint8_t wkb[ROWS * 93];
    int64_t size[4][ROWS]; /* image width, height, tile width, height */
    int64_t offsets[12], counts[12], planar[ROWS];
    int tiles, sizes, numbers; /* of each row: tile_offsets, tile_byte_counts, transform */
    taco_type width_type, datetime_type, href_type, epsg_type;
    const char *height; /* name of a field */
    bool metadata_text;
    const char *geo; /* GeoParquet's document; NULL: none */
    double transform[12], scale[6];
    int64_t compression[ROWS];
    /* a column, member or list with zeros of another type, and one with nulls; NULL: none */
    const char *other, *null;
    taco_type other_type;
    uint8_t null_bits; /* not null */
} records;

static records r;

static void defaults(void)
{
    size_t i, k;
    memset(&r, 0, sizeof r);
    for (i = 0; i < ROWS; i++) {
        double x = (double)i, xy[10] = {x, 40, x + 1, 40, x + 1, 41, x, 41, x, 40};
        r.id[i] = i ? "b" : "a";
        r.href[i] = "x.tif";
        r.dtype[i] = "uint16";
        r.datetime[i] = r.start[i] = INT64_C(1577836800000000); /* 2020-01-01 */
        r.end[i] = r.start[i] + 5;
        r.year[i] = 2020;
        r.month[i] = 1;
        r.wkb[93 * i] = 1;
        r.wkb[93 * i + 1] = 3;
        r.wkb[93 * i + 5] = 1;
        r.wkb[93 * i + 9] = 5;
        for (k = 0; k < 10; k++) {
            taco__put_le64(r.wkb + 93 * i + 13 + 8 * k, taco__f64_to_bits(xy[k]));
        }
        for (k = 0; k < 4; k++) {
            r.box[k][i] = r.list[4 * i + k] = k == 0 ? x : k == 1 ? 40 : k == 2 ? x + 1 : 41;
            r.size[k][i] = k < 2 ? 64 : 32;
        }
        r.planar[i] = 1;
    }
    r.timed = r.spans = r.located = r.assets = 3;
    r.listed = r.tiles = r.sizes = r.numbers = 4;
    r.width_type = TACO_INT32;
    r.datetime_type = TACO_TIMESTAMP;
    r.href_type = TACO_TEXT;
    r.epsg_type = TACO_INT32;
    r.height = "image_height";
    r.geo = "{\"version\":\"1.1.0\",\"primary_column\":\"geometry\",\"columns\":{\"geometry\":{"
            "\"encoding\":\"WKB\",\"geometry_types\":[]}}}";
    for (i = 0; i < 6; i++) {
        r.scale[i] = i % 3 == 2 ? 0 : 10;
    }
    r.compression[0] = 1;
    r.compression[1] = 50000;
    for (i = 0; i < 12; i += 4) {
        r.transform[i] = 10;
        r.transform[i + 2] = -10;
    }
}

/* ---- arrays ---- */

#define MOST 64
static taco_field fields[MOST];
static taco_array arrays[MOST];
static int32_t ends[MOST][ROWS + 1];
static char bytes[MOST][64];
static int32_t narrow[MOST][12];
static size_t used;

/* A column or member; v: int64 or double values. */
static size_t leaf(const char *name, taco_type type, const void *v, uint8_t valid)
{
    static const double zeros[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    size_t k = used++, i;
    memset(&arrays[k], 0, sizeof arrays[k]);
    if (r.null && strcmp(name, r.null) == 0) { valid = r.null_bits; }
    if (r.other && strcmp(name, r.other) == 0 && type != TACO_LIST) {
        type = r.other_type;
        v = zeros;
        memset(ends[k], 0, sizeof ends[k]);
        arrays[k].offsets = type == TACO_TEXT ? ends[k] : NULL;
    }
    fields[k] = taco__field_make(name, type);
    arrays[k].field = &fields[k];
    arrays[k].length = ROWS;
    arrays[k].v.any = v;
    if (type == TACO_INT32) {
        for (i = 0; i < ROWS; i++) {
            narrow[k][i] = (int32_t)((const int64_t *)v)[i];
        }
        arrays[k].v.any = narrow[k];
    }
    if (valid != 3) {
        memset(&narrow[k][11], valid,
               sizeof narrow[k][11]); /* its first byte, of whatever machine */
        arrays[k].validity = (const uint8_t *)&narrow[k][11];
        arrays[k].null_count = valid ? 1 : 2;
    }
    return k;
}

static size_t text(const char *name, const char *const *v, taco_type type)
{
    size_t k = leaf(name, type, bytes[used], 3), i, at = 0;
    for (i = 0; i < ROWS; i++) {
        memcpy(bytes[k] + at, v[i], strlen(v[i]));
        at += strlen(v[i]);
        ends[k][i + 1] = (int32_t)at;
    }
    arrays[k].offsets = ends[k];
    return k;
}

/* n values a row. */
static size_t list(const char *name, taco_type type, const void *v, int n)
{
    static const double zeros[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    static const int32_t none[13] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    const bool other = r.other && strcmp(name, r.other) == 0;
    size_t item = leaf("item", other ? r.other_type : type, other ? (const void *)zeros : v, 3);
    size_t k = leaf(name, TACO_LIST, NULL, 3), i;
    arrays[item].length = (size_t)n * ROWS;
    if (other && r.other_type == TACO_TEXT) { arrays[item].offsets = none; }
    fields[k] = taco__field_make_nested(name, TACO_LIST, &fields[item], 1);
    arrays[k].children = &arrays[item];
    for (i = 0; i <= ROWS; i++) {
        ends[k][i] = n * (int32_t)i;
    }
    arrays[k].offsets = ends[k];
    return k;
}

/* A struct of the n members from `first` on. */
static size_t group(const char *name, size_t first, size_t n, uint8_t valid)
{
    size_t k = leaf(name, TACO_STRUCT, NULL, valid);
    fields[k] = taco__field_make_nested(name, TACO_STRUCT, &fields[first], (uint32_t)n);
    arrays[k].children = &arrays[first];
    return k;
}

/* The members of B_metadata, in a row: lists have their items elsewhere. */
static size_t metadata(void)
{
    static const char *const names[4] = {"image_width", "image_height", "tile_width",
                                         "tile_height"};
    static const int64_t ones[ROWS] = {1, 1};
    static const double numbers[12] = {10, 0, -10, 0, 10, 0, -10, 0, 0, 0, 0, 0};
    size_t lists[5], first, i, k;
    lists[0] = list("transform", TACO_DOUBLE, r.transform, r.numbers);
    lists[1] = list("tile_offsets", TACO_INT64, r.offsets, r.tiles);
    lists[2] = list("tile_byte_counts", TACO_INT64, r.counts, r.sizes);
    lists[3] = list("pixel_scale", TACO_DOUBLE, r.scale, 3);
    lists[4] = list("tiepoint", TACO_DOUBLE, numbers, 6);
    first = used;
    for (k = 0; k < 4; k++) {
        leaf(k == 1 ? r.height : names[k], k ? TACO_INT32 : r.width_type, r.size[k], 3);
    }
    text("dtype", r.dtype, TACO_TEXT);
    leaf("predictor", TACO_INT32, ones, 3);
    leaf("compression", TACO_INT32, r.compression, 3);
    leaf("planar_configuration", TACO_INT32, r.planar, 3);
    for (i = 0; i < 5; i++) {
        k = used++;
        fields[k] = fields[lists[i]];
        arrays[k] = arrays[lists[i]];
        arrays[k].field = &fields[k];
    }
    return first;
}

/* The columns of the records, *count of them; copy: what follows ids that are not empty, 0: nothing. */
static void make_records(size_t copy, taco_field *top, taco_array *columns, size_t *count)
{
    static const char *const edges[4] = {"xmin", "ymin", "xmax", "ymax"};
    static const char *const sides[4] = {"bbox_minx", "bbox_miny", "bbox_maxx", "bbox_maxy"};
    static const int64_t codes[ROWS] = {32630, 32630};
    static char numbered[ROWS][24];
    const char *ids[ROWS];
    size_t which[16], n = 0, k, first;
    for (k = 0; k < ROWS; k++) {
        snprintf(numbered[k], sizeof numbered[k], "%s%u", r.id[k], (unsigned)copy);
        ids[k] = copy && r.id[k][0] ? numbered[k] : r.id[k];
    }
    used = 0;
    which[n++] = text("id", ids, TACO_TEXT);
    which[n++] = leaf("datetime", r.datetime_type, r.datetime, r.timed);
    fields[which[1]].unit = TACO_MICRO;
    which[n++] = leaf("start_datetime", TACO_TIMESTAMP, r.start, r.spans);
    fields[which[2]].unit = TACO_MICRO;
    which[n++] = leaf("end_datetime", TACO_TIMESTAMP, r.end, r.spans);
    fields[which[3]].unit = TACO_MICRO;
    k = which[n++] = leaf("geometry", TACO_BINARY, r.wkb, r.located);
    ends[k][0] = 0;
    ends[k][1] = 93;
    ends[k][2] = 186;
    arrays[k].offsets = ends[k];
    first = used;
    if (r.href_type == TACO_TEXT) {
        text("href", r.href, TACO_TEXT);
    } else {
        leaf("href", r.href_type, codes, 3);
    }
    leaf("band_index", TACO_INT64, r.index, 3);
    k = group("B", first, 2, r.assets);
    which[n++] = group("assets", k, 1, 3);
    first = used;
    for (k = 0; k < 4; k++) {
        leaf(edges[k], TACO_DOUBLE, r.box[k], 3);
    }
    which[n++] = group("bbox", first, 4, 3);
    which[n++] = list("scene_bbox", TACO_DOUBLE, r.list, r.listed);
    for (k = 0; k < 4; k++) {
        which[n++] = leaf(sides[k], TACO_DOUBLE, r.box[k], 3);
    }
    which[n++] = leaf("year", TACO_INT64, r.year, 3);
    which[n++] = leaf("month", TACO_INT64, r.month, 3);
    which[n++] = r.epsg_type == TACO_TEXT ? text("proj:epsg", r.id, TACO_TEXT)
                                          : leaf("proj:epsg", TACO_INT32, codes, 3);
    if (r.metadata_text) {
        which[n++] = text("B_metadata", r.id, TACO_TEXT);
    } else {
        first = metadata();
        which[n++] = group("B_metadata", first, used - first, 3);
    }
    for (k = 0; k < n; k++) {
        top[k] = fields[which[k]];
        columns[k] = arrays[which[k]];
        columns[k].field = &top[k];
    }
    *count = n;
}

/* Writes the records, so often. */
static void write_records(size_t copies)
{
    static taco_field top[16];
    static taco_array columns[16];
    size_t n, i;
    taco_pq_write_options o;
    taco_pq_key key;
    taco_batch b;
    taco_sink sink;
    taco_error e;
    taco_pq_writer *w;
    memset(&e, 0, sizeof e);
    memset(&o, 0, sizeof o);
    memset(&b, 0, sizeof b);
    make_records(0, top, columns, &n);
    key.key = "geo";
    key.value = r.geo;
    o.keys = &key;
    o.key_count = r.geo ? 1 : 0;
    b.length = ROWS;
    b.columns = columns;
    b.column_count = n;
    CHECK(taco_sink_file(&sink, PATH, NULL, &e) == TACO_OK);
    w = taco_pq_write(&sink, top, n, &o, &e);
    for (i = 0; i < copies; i++) {
        make_records(i, top, columns, &n);
        CHECK(w && taco_pq_writer_batch(w, &b) == TACO_OK);
    }
    CHECK(taco_pq_writer_close(w, &e) == TACO_OK);
    CHECK_TEXT(e.text, "");
}

/* ---- what is found ---- */

static char found[8192];
static size_t heard;

/* "error: where: message [clause]" and a line end for each. */
static bool note(void *ctx, const taco_problem *p)
{
    size_t n = strlen(found);
    (void)ctx;
    heard++;
    snprintf(found + n, sizeof found - n, "%s: %s: %s [%s]\n", p->error ? "error" : "warning",
             p->where, p->message, p->clause ? p->clause : "");
    return true;
}

/* So many copies of the records break a rule more often than it is told. */
#define OFTEN 110

static taco_status validate(taco_validated *sum)
{
    const taco_opener *openers[2] = {NULL, NULL};
    taco_validate_options how;
    taco_options o;
    memset(&how, 0, sizeof how);
    memset(&o, 0, sizeof o);
    openers[0] = taco_rasteret_opener();
    o.openers = openers;
    how.found = note;
    found[0] = 0;
    heard = 0;
    return taco_validate(PATH, &o, &how, sum, NULL);
}

/* What is told of two records; of OFTEN times as many a rule is told a hundred times, and counted
   each time. */
static void finds(const char *lines)
{
    taco_validated sum;
    size_t of_rows = 0, others = 0;
    const char *at, *end;
    write_records(1);
    CHECK((validate(&sum) != TACO_OK) == (strstr(lines, "error") != NULL));
    CHECK_TEXT(found, lines);
    for (at = lines; *at; at = end + 1) {
        end = strchr(at, '\n');
        *(strncmp(strchr(at, ':'), ": row ", 6) == 0 ? &of_rows : &others) += 1;
    }
    write_records(OFTEN);
    validate(&sum);
    CHECK(sum.errors + sum.warnings == others + OFTEN * of_rows);
    if (sum.errors + sum.warnings != others + OFTEN * of_rows) { printf("%s", lines); }
    CHECK(of_rows ? heard < sum.errors + sum.warnings && heard >= others + 101 : heard == others);
    defaults();
}

#define CORE    " [Rasteret contract, tier 1, "
#define DERIVED " [Rasteret contract, derived columns]\n"
#define TIER_2  " [Rasteret contract, tier 2]\n"

static void tier_1(void)
{
    defaults();
    finds("");
    r.id[1] = "a";
    finds("error: row 1: the id 'a' is that of row 0, too" CORE "id]\n");
    r.id[0] = "";
    finds("error: row 0: no id" CORE "id]\n");
    r.timed = 1;
    finds("");
    r.timed = r.spans = 1;
    finds("warning: row 1: no datetime, and no start_datetime and end_datetime for it" CORE
          "datetime]\n");
    r.end[1] = 7;
    finds("error: row 1: end_datetime lies before start_datetime" CORE "datetime]\n");
    r.wkb[93 + 5] = 9;
    finds(
        "error: row 1: geometry is not WKB: at byte 93: WKB: a count needs 4 bytes, 0 are left" CORE
        "geometry]\n");
    r.located = 2;
    finds("warning: row 0: no geometry" CORE "geometry]\n");
    r.href[1] = "";
    finds("error: row 1: asset 'B' has no href" CORE "assets]\n");
    r.index[0] = -1;
    finds("error: row 0: asset 'B': band_index is -1, must be 0 or more" CORE "assets]\n");
    r.assets = 1;
    finds("warning: row 1: no assets" CORE "assets]\n");
    r.datetime_type = TACO_INT64;
    finds("error: columns: column 'datetime' is not a timestamp [Rasteret contract, tier 1]\n");
    r.href_type = TACO_INT64;
    finds("error: columns: asset 'B' has no href of text" CORE
          "assets]\nerror: row 0: asset 'B' has no href" CORE
          "assets]\nerror: row 1: asset 'B' has no href" CORE "assets]\n");
    r.geo = NULL;
    finds("warning: key-value metadata: there is no key geo [Rasteret contract, GeoParquet]\n");
    r.other = "band_index";
    r.other_type = TACO_DOUBLE;
    finds("error: columns: asset 'B': band_index must be an integer" CORE "assets]\n");
    r.null = "end_datetime";
    r.null_bits = r.timed = 1;
    finds("warning: row 1: no datetime, and no start_datetime and end_datetime for it" CORE
          "datetime]\n");
    r.null = "end_datetime"; /* the time itself is enough */
    r.null_bits = 1;
    finds("");
}

/* A page that cannot be read breaks no rule of the contract, also behind a column that does. */
static void a_broken_page(void)
{
    FILE *f;
    size_t i;
    defaults();
    r.datetime_type = TACO_INT64;
    write_records(1);
    f = fopen(PATH, "r+b");
    CHECK(f && fseek(f, 4, SEEK_SET) == 0);
    for (i = 0; f && i < 8; i++) {
        fputc(0xFF, f);
    }
    CHECK(f && fclose(f) == 0);
    CHECK(validate(NULL) != TACO_OK && heard == 2);
    CHECK(strncmp(found, "error: columns: column 'datetime' is not a timestamp [Rast", 58) == 0);
    CHECK(strcmp(found + strlen(found) - 4, " []\n") == 0);
}

/* Columns whose values may be missing, and those of other types. */
static void types(void)
{
    static const struct {
        const char *name;
        taco_type type;
        const char *line;
    } bad[] = {
        {"start_datetime", TACO_INT64,
         "error: columns: column start_datetime must be a timestamp" DERIVED},
        {"end_datetime", TACO_DATE,
         "error: columns: column end_datetime must be a timestamp" DERIVED},
        {"scene_bbox", TACO_FLOAT,
         "error: columns: column scene_bbox must be a list of four doubles" DERIVED},
        {"xmin", TACO_FLOAT,
         "error: columns: column bbox must be a struct of doubles xmin, ymin, xmax, ymax" DERIVED},
        {"ymax", TACO_INT64,
         "error: columns: column bbox must be a struct of doubles xmin, ymin, xmax, ymax" DERIVED},
        {"bbox_minx", TACO_FLOAT, "error: columns: column bbox_minx must be double" DERIVED},
        {"bbox_maxy", TACO_INT64, "error: columns: column bbox_maxy must be double" DERIVED},
        {"year", TACO_DOUBLE, "error: columns: column year must be an integer" DERIVED},
        {"month", TACO_TEXT, "error: columns: column month must be an integer" DERIVED},
        {"predictor", TACO_TEXT,
         "error: columns: 'B_metadata': field predictor is of another type than the contract "
         "has" TIER_2},
        {"compression", TACO_DOUBLE,
         "error: columns: 'B_metadata': field compression is of another type than the contract "
         "has" TIER_2},
        {"compression", TACO_UINT8,
         "warning: columns: 'B_metadata': field compression is wider or narrower than in the "
         "contract" TIER_2 "error: row 0: 'B_metadata': compression is 0, no TIFF has that" TIER_2
         "error: row 1: 'B_metadata': compression is 0, no TIFF has that" TIER_2},
        {"pixel_scale", TACO_FLOAT,
         "warning: columns: 'B_metadata': field pixel_scale is wider or narrower than in the "
         "contract" TIER_2},
        {"pixel_scale", TACO_INT64,
         "warning: columns: 'B_metadata': field pixel_scale is wider or narrower than in the "
         "contract" TIER_2},
        {"pixel_scale", TACO_TEXT,
         "error: columns: 'B_metadata': field pixel_scale is of another type than the contract "
         "has" TIER_2},
        {"tile_offsets", TACO_DOUBLE,
         "error: columns: 'B_metadata': field tile_offsets is of another type than the contract "
         "has" TIER_2},
        {"dtype", TACO_INT32,
         "error: columns: 'B_metadata': field dtype is of another type than the contract has" TIER_2
         "error: row 0: 'B_metadata': dtype is '', must be a NumPy name such as uint16" TIER_2
         "error: row 1: 'B_metadata': dtype is '', must be a NumPy name such as uint16" TIER_2}};

    static const char *const may_miss[] = {"year",       "month",      "bbox",       "xmax",
                                           "ymin",       "bbox_miny",  "scene_bbox", "proj:epsg",
                                           "B_metadata", "band_index", "predictor",  "compression"};
    size_t i;
    defaults();
    for (i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        r.other = bad[i].name;
        r.other_type = bad[i].type;
        finds(bad[i].line);
    }
    for (i = 0; i < sizeof may_miss / sizeof may_miss[0]; i++) {
        r.null = may_miss[i];
        r.null_bits = 1 + i % 2;
        finds("");
    }
}

static void derived(void)
{
    size_t i;
    defaults();
    for (i = 0; i < 10; i += 2) { /* 200 to 201 degrees east */
        taco__put_le64(r.wkb + 93 + 13 + 8 * i, taco__f64_to_bits(i == 2 || i == 4 ? 201 : 200));
    }
    r.list[4] = r.box[0][1] = 200;
    r.list[6] = r.box[2][1] = 201;
    finds("warning: row 1: geometry is not in degrees of CRS84" CORE "geometry]\n");
    r.listed = 2;
    finds("error: row 0: scene_bbox has 2 numbers, must be 4" DERIVED
          "error: row 1: scene_bbox has 2 numbers, must be 4" DERIVED);
    r.list[0] = 7;
    finds("error: row 0: scene_bbox must be minx, miny, maxx, maxy" DERIVED);
    r.list[7] = 44;
    finds("warning: row 1: scene_bbox are not the bounds of the geometry" DERIVED);
    r.box[3][1] = 39;
    finds("error: row 1: bbox must be minx, miny, maxx, maxy" DERIVED
          "error: row 1: bbox_minx to bbox_maxy must be minx, miny, maxx, maxy" DERIVED);
    r.month[0] = 2;
    finds("warning: row 0: year and month differ from those of datetime, 2020-1" DERIVED);
    r.datetime[0] = INT64_MIN; /* no time is beyond what can be divided into days */
    finds("warning: row 0: year and month differ from those of datetime, -290308-12" DERIVED);
    r.epsg_type = TACO_TEXT;
    finds("error: columns: column proj:epsg must be an integer" DERIVED);
    r.null = "month"; /* is not compared where there is none */
    r.null_bits = 2;
    r.month[0] = 2;
    finds("");
    r.year[1] = 2021;
    finds("warning: row 1: year and month differ from those of datetime, 2020-1" DERIVED);
    for (i = 0; i < 4; i++) { /* each edge of the world */
        const double x = i == 0 ? -180.5 : i == 2 ? 177.5 : 0;
        const double y = i == 1 ? -90.5 : i == 3 ? 87.5 : 0;
        size_t k;
        for (k = 0; k < 5; k++) {
            const double at = (double)(k % 4);
            taco__put_le64(r.wkb + 93 + 13 + 16 * k, taco__f64_to_bits(x + at));
            taco__put_le64(r.wkb + 93 + 21 + 16 * k, taco__f64_to_bits(y + at));
        }
        for (k = 0; k < 4; k++) {
            r.box[k][1] = r.list[4 + k] = (k % 2 ? y : x) + (k < 2 ? 0 : 3);
        }
        finds("warning: row 1: geometry is not in degrees of CRS84" CORE "geometry]\n");
    }
    for (i = 0; i < 4; i++) { /* to about a metre */
        r.box[i][0] += 0.9e-5;
        finds("");
        r.box[i][0] -= 1.1e-5;
        finds("warning: row 0: bbox are not the bounds of the geometry" DERIVED
              "warning: row 0: bbox_minx to bbox_maxy are not the bounds of the geometry" DERIVED);
    }
}

static void tier_2(void)
{
    defaults();
    r.width_type = TACO_INT64;
    finds("warning: columns: 'B_metadata': field image_width is wider or narrower than in the "
          "contract" TIER_2);
    r.height = "height";
    finds("");
    r.height = "tall";
    finds("error: columns: 'B_metadata' has no field image_height" TIER_2
          "error: row 0: 'B_metadata': image_height is 0, must be above 0" TIER_2
          "error: row 1: 'B_metadata': image_height is 0, must be above 0" TIER_2);
    r.metadata_text = true;
    finds("error: columns: column 'B_metadata' must be a struct" TIER_2);
    r.size[2][1] = 0;
    finds("error: row 1: 'B_metadata': tile_width is 0, must be above 0" TIER_2);
    r.sizes = 3;
    finds("error: row 0: 'B_metadata' has 4 tile_offsets and 3 tile_byte_counts" TIER_2
          "error: row 1: 'B_metadata' has 4 tile_offsets and 3 tile_byte_counts" TIER_2);
    r.size[0][0] = 65;
    finds("error: row 0: 'B_metadata' has 4 tile_offsets, the image has 6 tiles" TIER_2);
    r.offsets[5] = -1;
    finds("error: row 1: 'B_metadata' has a tile without a place or size" TIER_2);
    r.dtype[0] = "U16";
    finds("error: row 0: 'B_metadata': dtype is 'U16', must be a NumPy name such as uint16" TIER_2);
    r.numbers = 5;
    finds("error: row 0: 'B_metadata': transform has 5 numbers, must be 4" TIER_2
          "error: row 1: 'B_metadata': transform has 5 numbers, must be 4" TIER_2);
    r.planar[1] = 3;
    finds("error: row 1: 'B_metadata': planar_configuration is 3, predictor 1, samples_per_pixel "
          "1: no TIFF has that" TIER_2);
    r.planar[0] = 0;
    finds("error: row 0: 'B_metadata': planar_configuration is 0, predictor 1, samples_per_pixel "
          "1: no TIFF has that" TIER_2);
    r.planar[0] = 2;
    finds("");
    r.other = "predictor";
    r.other_type = TACO_INT32;
    finds("error: row 0: 'B_metadata': planar_configuration is 1, predictor 0, samples_per_pixel "
          "1: no TIFF has that" TIER_2
          "error: row 1: 'B_metadata': planar_configuration is 1, predictor 0, samples_per_pixel "
          "1: no TIFF has that" TIER_2);
    r.counts[5] = -1;
    finds("error: row 1: 'B_metadata' has a tile without a place or size" TIER_2);
    r.numbers = 6;
    finds("");
    r.size[3][1] = INT64_C(1) << 31; /* as an INT32, below 0 */
    finds("error: row 1: 'B_metadata': tile_height is -2147483648, must be above 0" TIER_2);
    r.null = "tile_offsets";
    r.null_bits = 2;
    finds("error: row 0: 'B_metadata' has -1 tile_offsets and 4 tile_byte_counts" TIER_2);
    r.null = "dtype";
    r.null_bits = 1;
    finds("error: row 1: 'B_metadata': dtype is '', must be a NumPy name such as uint16" TIER_2);
    r.null = "transform";
    r.null_bits = 2;
    finds("error: row 0: 'B_metadata': transform has 0 numbers, must be 4" TIER_2);
}

/* The offset of each tile. */
static bool note_tile(void *ctx, const taco_rasteret_tile *t)
{
    size_t n = strlen(found);
    (void)ctx;
    snprintf(found + n, sizeof found - n, "%s %u+%u;", t->id, (unsigned)t->range.offset,
             (unsigned)t->range.len);
    return true;
}

/* What pixels are decoded and placed by. */
static void pixels(void)
{
    defaults();
    r.compression[1] = 70000;
    finds("error: row 1: 'B_metadata': compression is 70000, no TIFF has that" TIER_2);
    r.compression[0] = 0;
    finds("error: row 0: 'B_metadata': compression is 0, no TIFF has that" TIER_2);
    r.scale[0] = 0;
    finds("error: row 0: 'B_metadata': pixel_scale is 0, or no finite number" TIER_2);
    r.scale[4] = taco__f64_from_bits(UINT64_C(0x7FF8) << 48);
    finds("error: row 1: 'B_metadata': pixel_scale is 0, or no finite number" TIER_2);
    r.transform[2] = 0;
    finds("error: row 0: 'B_metadata': a scale in transform is 0, or no finite number" TIER_2);
    r.transform[4] = taco__f64_from_bits(UINT64_C(0x7FF) << 52);
    finds("error: row 1: 'B_metadata': a scale in transform is 0, or no finite number" TIER_2);
    r.transform[1] = r.scale[2] = 0;
    finds("");
}

#define GEO " [Rasteret contract, GeoParquet]\n"

/* The document of GeoParquet; taco_rasteret_validate has the first error of taco_validate. */
static void documents(void)
{
    static const char *const t[][2] = {
        {"{}", "error: key-value metadata: geo does not describe the column geometry" GEO},
        {"[",
         "error: key-value metadata: geo is no JSON: at byte 1: expected a value, found the end "
         "of the text" GEO},
        {"{\"primary_column\":\"geometry\",\"columns\":{\"geometry\":{\"encoding\":\"point\"}}}",
         "error: key-value metadata: the encoding of geometry is 'point', must be WKB" GEO},
        {"{\"primary_column\":\"g\",\"columns\":{\"geometry\":{\"encoding\":\"WKB\"}}}",
         "warning: key-value metadata: primary_column is not geometry" GEO},
        {"{\"primary_column\":\"geometry\",\"columns\":{\"geometry\":{\"encoding\":\"WKB\",\"crs\":"
         "{\"id\":{\"authority\":\"EPSG\",\"code\":32630}}}}}",
         "warning: key-value metadata: the CRS of geometry is not CRS84" GEO},
        {"{\"primary_column\":\"geometry\",\"columns\":{\"geometry\":{\"encoding\":\"WKB\",\"crs\":"
         "null}}}",
         "warning: key-value metadata: the CRS of geometry is not CRS84" GEO},
        {"{\"primary_column\":\"geometry\",\"columns\":{\"geometry\":{\"encoding\":\"WKB\",\"crs\":"
         "{\"id\":{\"authority\":\"EPSG\",\"code\":4326}}}}}",
         ""},
        {"{\"primary_column\":\"geometry\",\"columns\":{\"geometry\":{\"encoding\":\"WKB\",\"crs\":"
         "{\"id\":{\"authority\":\"OGC\",\"code\":\"CRS84\"}}}}}",
         ""}};
    taco_error e;
    size_t i;
    for (i = 0; i < TACO__COUNT(t); i++) {
        defaults();
        r.geo = t[i][0];
        finds(t[i][1]);
    }
    memset(&e, 0, sizeof e);
    write_records(1);
    CHECK(taco_rasteret_validate(PATH, NULL, &e) == TACO_OK);
    r.id[1] = "a";
    write_records(1);
    CHECK(taco_rasteret_validate(PATH, NULL, &e) != TACO_OK);
    CHECK(strstr(e.text, "row 1: the id 'a' is that of row 0, too") != NULL);
    memset(&e, 0, sizeof e);
    defaults();
    r.sizes = 3;
    write_records(1);
    CHECK(taco_rasteret_validate(PATH, NULL, &e) != TACO_OK);
    CHECK(strstr(e.text, "'B_metadata' has 4 tile_offsets and 3 tile_byte_counts") != NULL);
}

/* A table of the tiles of two bands has no third one, however the number of a band is multiplied. */
static void bands_of_tiles(void)
{
    static const struct {
        int64_t index;
        const char *tiles;
    } t[] = {{0, "a 0+1;a 10+1;a 20+1;"},
             {1, "a 30+1;a 40+1;a 50+1;"},
             {2, ""},
             {INT64_C(0x5555555555555556), ""}, /* three times this is 2 modulo 2^64 */
             {INT64_MAX, ""}};

    static const char *const bands[1] = {"B"};
    const taco_opener *openers[2] = {NULL, NULL};
    taco_rasteret_window w;
    taco_rasteret_tiles_sums sums;
    taco_options o;
    size_t i, k;
    memset(&w, 0, sizeof w);
    memset(&o, 0, sizeof o);
    openers[0] = taco_rasteret_opener();
    o.openers = openers;
    w.bands = bands;
    w.band_count = 1;
    for (i = 0; i < sizeof t / sizeof t[0]; i++) {
        taco_error e = {0, TACO_OK, 0, {0}};
        taco_dataset *ds;
        defaults();
        r.size[0][0] = 96; /* three tiles in a row; the second record has too few */
        r.size[1][0] = 32;
        r.size[0][1] = 320;
        r.index[0] = t[i].index;
        r.tiles = r.sizes = 6;
        for (k = 0; k < 12; k++) {
            r.offsets[k] = 10 * (int64_t)k;
            r.counts[k] = 1;
        }
        write_records(1);
        found[0] = 0;
        ds = taco_open(PATH, &o, &e);
        CHECK(taco_rasteret_tiles(ds, &w, note_tile, NULL, &sums, &e) == TACO_OK);
        CHECK_TEXT(found, t[i].tiles);
        CHECK(sums.records == 2 && sums.skipped == (t[i].tiles[0] ? 1 : 2));
        taco_close(ds);
    }
    defaults();
}

static bool note_first(void *ctx, const taco_rasteret_tile *t)
{
    note_tile(ctx, t);
    return false;
}

/* Which tiles a window has: images of 64 x 64 pixels of 10 m in four tiles, from 0, 0 down. */
static void windows(void)
{
    static const struct {
        double box[4];
        const char *tiles; /* of one record */
    } t[] = {{{0, -640, 640, 0}, "0 10 20 30"},
             {{-1e9, -1e9, 1e9, 1e9}, "0 10 20 30"},
             {{320, -320, 320, -320}, "30"}, /* a point lies in the pixel right of it, below it */
             {{319.5, -0.5, 320, -0.5}, "0"},
             {{319.5, -0.5, 320.5, -0.5}, "0 10"},
             {{5, -321, 6, -319}, "0 20"},
             {{-9, -9, 0, 0}, ""}, /* only touches it */
             {{640, -9, 650, 0}, ""},
             {{0, -650, 9, -640}, ""},
             {{0, 0, 9, 9}, ""},
             {{639, -640, 640, -639}, "30"}};

    /* what metadata have that tell no tiles: all records are skipped */
    static const struct {
        const char *null, *other;
        int numbers, sizes;
        double change; /* of the first number of the transform */
    } skipped[] = {{"tile_offsets", NULL, 4, 4, 0}, {"tile_byte_counts", NULL, 4, 4, 0},
                   {"transform", NULL, 4, 4, 0},    {"image_width", NULL, 4, 4, 0},
                   {"B_metadata", NULL, 4, 4, 0},   {"B", NULL, 4, 4, 0},
                   {NULL, NULL, 5, 4, 0},           {NULL, NULL, 4, 3, 0},
                   {NULL, NULL, 4, 4, -10},         {NULL, "image_height", 4, 4, 0},
                   {NULL, "transform", 4, 4, 0}};

    static const double affine[2][6] = {{10, 0, 0, 0, -10, 0}, {10, 0.5, 0, 0, -10, 0}};
    static const char *const bands[1] = {"B"};
    const taco_opener *openers[2] = {NULL, NULL};
    taco_rasteret_window w;
    taco_rasteret_tiles_sums sums;
    taco_options o;
    taco_error e = {0, TACO_OK, 0, {0}};
    taco_dataset *ds;
    size_t i, k;
    memset(&w, 0, sizeof w);
    memset(&o, 0, sizeof o);
    openers[0] = taco_rasteret_opener();
    o.openers = openers;
    w.bands = bands;
    w.band_count = 1;
    w.epsg = 32630;
    for (i = 0; i < sizeof t / sizeof t[0] + sizeof skipped / sizeof skipped[0] + 2; i++) {
        const size_t s = i - sizeof t / sizeof t[0], a = s - sizeof skipped / sizeof skipped[0];
        char want[200] = "";
        defaults();
        for (k = 0; k < 12; k++) {
            r.offsets[k] = 10 * (int64_t)(k % 4);
            r.counts[k] = 1;
        }
        w.bbox = i < sizeof t / sizeof t[0] ? t[i].box : t[0].box;
        if (i < sizeof t / sizeof t[0] || a == 0) {
            const char *at = t[a == 0 ? 0 : i].tiles;
            for (k = 0; k < 2; k++) {
                const char *p = at;
                while (*p) {
                    char *end;
                    unsigned n = (unsigned)strtoul(p, &end, 10);
                    sprintf(want + strlen(want), "%s %u+1;", k ? "b" : "a", n);
                    p = end;
                }
            }
        }
        if (i >= sizeof t / sizeof t[0] && a > 1) {
            r.null = skipped[s].null;
            r.other = skipped[s].other;
            r.other_type = TACO_INT32;
            r.numbers = skipped[s].numbers;
            r.sizes = skipped[s].sizes;
            for (k = 0; k < 12; k += 4) {
                r.transform[k] += skipped[s].change;
            }
        } else if (i >= sizeof t / sizeof t[0]) {
            r.numbers = 6;
            memcpy(r.transform, affine[a], sizeof affine[a]);
            memcpy(r.transform + 6, affine[a], sizeof affine[a]);
        }
        write_records(1);
        found[0] = 0;
        ds = taco_open(PATH, &o, &e);
        CHECK(taco_rasteret_tiles(ds, &w, note_tile, NULL, &sums, &e) == TACO_OK);
        CHECK_TEXT(taco_error_text(&e), "");
        CHECK_TEXT(found, want);
        CHECK(sums.records == 2 && sums.unplaced == 0);
        CHECK(sums.skipped == (i < sizeof t / sizeof t[0] || a == 0 ? 0 : 2));
        taco_close(ds);
    }
    defaults();
    r.offsets[1] = -1; /* is nowhere, and no tile */
    write_records(1);
    ds = taco_open(PATH, &o, &e);
    found[0] = 0;
    CHECK(taco_rasteret_tiles(ds, &w, note_tile, NULL, &sums, &e) == TACO_OK);
    CHECK(sums.tiles == 7 && sums.bytes == 0 && !sums.skipped);
    found[0] = 0;
    CHECK(taco_rasteret_tiles(ds, &w, note_first, NULL, &sums, &e) == TACO_OK);
    CHECK_TEXT(found, "a 0+0;");
    CHECK(sums.tiles == 1 && sums.records == 1);
    w.epsg = 32631; /* of neither image */
    CHECK(taco_rasteret_tiles(ds, &w, note_tile, NULL, &sums, &e) == TACO_OK);
    CHECK(sums.tiles == 0 && sums.unplaced == 2 && sums.records == 2);
    w.bbox = NULL; /* all of them, whatever the CRS */
    CHECK(taco_rasteret_tiles(ds, &w, note_tile, NULL, &sums, NULL) == TACO_OK);
    CHECK(sums.tiles == 7 && sums.unplaced == 0);
    taco_close(ds);
    CHECK_TEXT(taco_error_text(&e), "");
}

int main(void)
{
    RUN(tier_1);
    RUN(a_broken_page);
    RUN(types);
    RUN(derived);
    RUN(tier_2);
    RUN(pixels);
    RUN(documents);
    RUN(bands_of_tiles);
    RUN(windows);
    return test_end("test_rasteret_rules");
}
