/* taco_validate of Rasteret collections: every rule of the schema contract broken once; the problem
   found, its level and its clause. Collections here are Parquet files of two records. */
#include "../src/base/base.h"
#include "../src/arrow/arrow.h"
#include "../src/base/file_copy.h"
#include "../taco_parquet.h"
#include "../taco_parquet_write.h"
#include "../taco.h"
#include "../taco_tiff.h"
#include "../taco_write.h"
#include "../taco_rasteret.h"

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
    bool geo, metadata_text;
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
    r.geo = true;
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
    size_t k = used++, i;
    fields[k] = taco__field_make(name, type);
    memset(&arrays[k], 0, sizeof arrays[k]);
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
    size_t item = leaf("item", type, v, 3), k = leaf(name, TACO_LIST, NULL, 3), i;
    arrays[item].length = (size_t)n * ROWS;
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
    lists[0] = list("transform", TACO_DOUBLE, numbers, r.numbers);
    lists[1] = list("tile_offsets", TACO_INT64, r.offsets, r.tiles);
    lists[2] = list("tile_byte_counts", TACO_INT64, r.counts, r.sizes);
    lists[3] = list("pixel_scale", TACO_DOUBLE, numbers, 3);
    lists[4] = list("tiepoint", TACO_DOUBLE, numbers, 6);
    first = used;
    for (k = 0; k < 4; k++) {
        leaf(k == 1 ? r.height : names[k], k ? TACO_INT32 : r.width_type, r.size[k], 3);
    }
    text("dtype", r.dtype, TACO_TEXT);
    leaf("predictor", TACO_INT32, ones, 3);
    leaf("compression", TACO_INT32, ones, 3);
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
    key.value = "{}";
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
    r.geo = false;
    finds("warning: key-value metadata: there is no key geo [Rasteret contract, GeoParquet]\n");
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

int main(void)
{
    RUN(tier_1);
    RUN(derived);
    RUN(tier_2);
    RUN(bands_of_tiles);
    return test_end("test_rasteret_rules");
}
