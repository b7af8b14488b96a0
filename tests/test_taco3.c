/* TACO 3: archives, a FOLDER, a catalogue, lists of sources; the wide relation, tables, SQL, boxes
   and periods, navigation and payloads; refusals, hostile bytes with right hashes, memory that
   ends. */
#include "../src/api/taco_publish.h"
#include "../src/api/taco_sql.h"
#include "../src/api/taco_v3.h"

#include <stddef.h>
/* fewest samples whose places are loaded few at a time */
static size_t window_least = 16384;
#define TACO__V3_WINDOW_LEAST window_least
#include "../src/taco3/v3_window.c"

#include "test.h"
#include "alloc.h"

#define DATA   "tests/data/taco3/"
#define NESTED "examples/data/taco3.zip"

static const taco_opener *openers[2];
static taco_options options;

/* ---- reading ---- */

static taco_dataset *open_path(const char *path)
{
    taco_error err = {0};
    taco_dataset *ds = taco_open(path, &options, &err);
    CHECK_TEXT(err.text, "");
    return ds;
}

/* The cells of a column of all rows, with a '|' between them, up to a '\1' or the end of a path in
   each; closes the cursor. */
static const char *cells(taco_cursor *c, const char *column)
{
    static char text[8192];
    size_t n = 0;
    taco_error err = {0};
    text[0] = 0;
    while (taco_cursor_next(c)) {
        const char *cell = taco_cursor_text(c, column);
        cell = cell ? cell : "NULL";
        if (n + strlen(cell) + 2 < sizeof text) {
            n += (size_t)sprintf(text + n, "%s%s", n ? "|" : "", cell);
        }
    }
    if (taco_cursor_close(c, &err) != TACO_OK) { sprintf(text, "%s", err.text); }
    return text;
}

static const char *select_cells(taco_dataset *ds, const char *where, const char *column)
{
    taco_query q;
    taco_filter f;
    taco_error err = {0};
    taco_cursor *c;
    memset(&q, 0, sizeof q);
    memset(&f, 0, sizeof f);
    f.where = where;
    q.filters = &f;
    q.filter_count = where ? 1 : 0;
    c = taco_select(ds, &q, &err);
    CHECK_TEXT(err.text, "");
    return cells(c, column);
}

static const char *sql_cells(taco_dataset *ds, const char *sql, const char *column)
{
    taco_error err = {0};
    taco_cursor *c = taco_sql(ds, sql, &err);
    CHECK_TEXT(err.text, "");
    return c ? cells(c, column) : "";
}

/* The end of the path of a file, and its size. */
static const char *place(taco_dataset *ds, const char *key)
{
    static char text[600];
    taco_error err = {0};
    taco_sample s;
    taco_source bytes;
    if (taco_locate(ds, key, &s, &err) != TACO_OK) { return strcpy(text, strrchr(err.text, ':')); }
    if (s.folder) { return "FOLDER"; }
    CHECK(taco_payload(ds, key, &bytes, &err) == TACO_OK);
    sprintf(text, "%.500s %u", strstr(s.vsi, "taco3") ? strstr(s.vsi, "taco3") : s.vsi,
            (unsigned)bytes.size);
    if (bytes.close) { bytes.close(bytes.ctx); }
    return text;
}

static void archive(void)
{
    taco_dataset *ds = open_path(NESTED), *table;
    taco_error err = {0};
    size_t n;
    const taco_field *f = taco_level_fields(ds, 0, &n, &err);
    CHECK(n == 9 && taco_level_rows(ds, 0, &err) == 5);
    CHECK_TEXT(f ? f[0].name : "", "taco:sample_index");
    CHECK_TEXT(f ? f[1].name : "", "id");
    CHECK_TEXT(f ? f[8].name : "", "change_map.tif::location");
    CHECK_TEXT(taco_id(ds), "nested");
    CHECK_TEXT(taco_dataset_format(ds), "taco3");
    CHECK_TEXT(select_cells(ds, NULL, "taco:sample_index"), "0|1|2|3|4");
    CHECK_TEXT(select_cells(ds, "\"taco:sample_index\" >= 3", "id"), "scene-2|scene-1");
    CHECK_TEXT(select_cells(ds, "\"before/B02.tif::location\" LIKE '%/383_142,%'", "id"),
               "scene-5");
    CHECK_TEXT(select_cells(ds, "\"ml:split\" = 'train' AND \"taco:sample_index\" = 0", "id"),
               "scene-5");
    table = taco_v3_table(ds, "children/before", &err);
    CHECK(table && taco_level_rows(table, 0, &err) == 10);
    CHECK(taco_v3_table(ds, "children/before", &err) == table);
    CHECK(taco_v3_table(ds, "dataset", &err) == ds);
    CHECK_TEXT(select_cells(table, "\"internal:parent_id\" = 0", "internal:offset"), "383|576");
    CHECK(!taco_v3_table(ds, "children/nothing", &err) && err.code == TACO_ERR_NOT_FOUND);
    taco_close(ds);
}

static void sql(void)
{
    taco_dataset *ds = open_path(NESTED);
    taco_error err = {0};
    CHECK_TEXT(sql_cells(ds, "SELECT count(*) AS n FROM \"children/after\"", "n"), "10");
    CHECK_TEXT(sql_cells(ds,
                         "SELECT s.id AS id FROM sample s JOIN children c ON "
                         "c.\"internal:parent_id\" = s.\"internal:current_id\" WHERE "
                         "c.\"internal:relative_path\" LIKE '%map.tif' ORDER BY id LIMIT 2",
                         "id"),
               "scene-1|scene-2");
    CHECK_TEXT(
        sql_cells(ds, "SELECT count(*) AS n FROM dataset WHERE \"taco:sample_index\" > 1", "n"),
        "3");
    CHECK_TEXT(sql_cells(ds, "SELECT count(*) AS n FROM data d, dataset e WHERE d.id = e.id", "n"),
               "5");
    {
        taco_cursor *c = taco_sql(ds, "SELECT sum(\"internal:size\") AS s FROM children", &err);
        CHECK(taco_cursor_next(c));
        CHECK_TEXT(taco_cursor_json(c), "{\"s\":209}"); /* HUGEINT: a number, not a decimal */
        taco_cursor_close(c, NULL);
    }
    CHECK(!taco_sql(ds, "SELECT * FROM nothing", &err));
    CHECK(strstr(err.text, "there is no table 'nothing'") != NULL);
    taco_close(ds);
    ds = open_path("examples/data/geo_stac.tacozip");
    memset(&err, 0, sizeof err);
    CHECK(!taco_sql(ds, "SELECT * FROM children", &err));
    CHECK(strstr(err.text, "no such table: 'children'; there are data") != NULL);
    CHECK(!taco_v3_table(ds, "children", NULL) && !taco_v3_columns(ds, NULL, 0, false, NULL));
    taco_close(ds);
}

static void navigation(void)
{
    taco_dataset *ds = open_path(NESTED);
    taco_error err = {0};
    CHECK_TEXT(place(ds, "@0/before/B02.tif"), "taco3.zip 142");
    CHECK_TEXT(place(ds, "scene-5/change_map.tif"), "taco3.zip 1");
    CHECK_TEXT(place(ds, "@0"), "FOLDER");
    CHECK_TEXT(place(ds, "@0/before"), "FOLDER");
    CHECK_TEXT(place(ds, "@9"), ": there is no sample '@9'");
    CHECK_TEXT(place(ds, "nobody/change_map.tif"), ": there is no sample 'nobody'");
    CHECK_TEXT(place(ds, "@1/before/B99.tif"), ": the sample has no file 'before/B99.tif'");
    CHECK_TEXT(place(ds, "@1/x/y"), ": the sample has no file 'x/y'");
    CHECK_TEXT(cells(taco_read(ds, "@1", false, &err), "internal:relative_path"),
               "1/before|1/after|1/change_map.tif");
    CHECK_TEXT(cells(taco_read(ds, "scene-4/after", false, &err), "internal:relative_path"),
               "1/after/B02.tif|1/after/B03.tif");
    CHECK_TEXT(cells(taco_read(ds, "@1/after/B03.tif", false, &err), "internal:size"), "11");
    taco_close(ds);
}

static void sequences_and_statistics(void)
{
    taco_dataset *ds = open_path(DATA "sequence.zip");
    taco_error err = {0};
    const char *text;
    text = select_cells(ds, "\"taco:sample_index\" = 0", "img::location");
    CHECK(strstr(text, "/vsisubfile/224_8,") && !strchr(text, '|'));
    CHECK_TEXT(sql_cells(ds, "SELECT len(\"img::location\") AS n FROM dataset", "n"), "1|14|3|11");
    text = sql_cells(ds, "SELECT \"img::location\"[11] AS x FROM dataset WHERE id = 'seq1'", "x");
    CHECK_TEXT(cells(taco_read(ds, "seq1/img10.tif", false, &err), "internal:relative_path"),
               "1/img10.tif");
    taco_close(ds);
    ds = open_path(DATA "rumi.zip");
    CHECK_TEXT(select_cells(ds, "\"r/optical.rumi::minimum\" IS NOT NULL", "taco:sample_index"),
               "0|1|2");
    text = taco_v3_columns(ds, NULL, 0, true, &err);
    CHECK_TEXT(text ? text : "", "\"r/optical.rumi::location\", \"r/seq::location\", "
                                 "\"plain.bin::location\"");
    {
        const char *const one[] = {"plain.bin"}, *const none[] = {"nothing"};
        text = taco_v3_columns(ds, one, 1, false, &err);
        CHECK_TEXT(text ? text : "", "\"taco:sample_index\", \"id\", \"plain.bin::location\"");
        CHECK(!taco_v3_columns(ds, none, 1, false, &err) && strstr(err.text, "'nothing'"));
    }
    taco_close(ds);
}

/* Which samples of geo.zip a box or a period leaves. */
static const char *filtered(taco_dataset *ds, const char *box, const char *time)
{
    double edge[4];
    taco_query q;
    taco_filter f;
    taco_error err = {0};
    memset(&q, 0, sizeof q);
    memset(&f, 0, sizeof f);
    f.time = time;
    if (box) {
        CHECK(sscanf(box, "%lf,%lf,%lf,%lf", &edge[0], &edge[1], &edge[2], &edge[3]) == 4);
        f.bbox = edge;
    }
    q.filters = &f;
    q.filter_count = 1;
    return cells(taco_select(ds, &q, &err), "taco:sample_index");
}

static void boxes_and_periods(void)
{
    taco_dataset *ds = open_path(DATA "geo.zip");
    CHECK_TEXT(filtered(ds, "1,1,2,2", NULL), "0|7");
    CHECK_TEXT(filtered(ds, "172,-15,173,-14", NULL), "2|7");
    CHECK_TEXT(filtered(ds, "24,4,26,6", NULL), "7");
    CHECK_TEXT(filtered(ds, "100.2,50.2,100.4,50.4", NULL), "6|7");
    CHECK_TEXT(filtered(ds, NULL, "2019-06-01/2019-06-02"), "2");
    CHECK_TEXT(filtered(ds, NULL, "2020-01-01/2020-12-31"), "0|1");
    taco_close(ds);
    ds = open_path(DATA "flat"); /* grids in degrees, no footprints */
    CHECK_TEXT(filtered(ds, "-77,-13,-74.5,-11", NULL), "0|1");
    CHECK_TEXT(filtered(ds, "-70.2,-12.2,-69.9,-11.9", NULL), "6");
    CHECK_TEXT(filtered(ds, NULL, "2021-01-01/2022-12-31"), "1|2");
    taco_close(ds);
    ds = open_path(NESTED);
    CHECK(strstr(filtered(ds, "0,0,1,1", NULL), "") != NULL);
    taco_close(ds);
}

static void directories(void)
{
    static const char *const two[] = {NESTED, NESTED};
    taco_dataset *ds = open_path(DATA "flat");
    taco_error err = {0};
    CHECK_TEXT(place(ds, "@6/target.tif"), "taco3/flat/DATA/6/target.tif 134");
    CHECK(strstr(select_cells(ds, "\"taco:sample_index\" = 2", "target.tif::location"),
                 "taco3/flat/DATA/2/target.tif"));
    taco_close(ds);
    ds = open_path(DATA "cat"); /* of a writer whose ids begin again in every archive */
    CHECK_TEXT(sql_cells(ds, "SELECT DISTINCT source_file AS f FROM dataset ORDER BY f", "f"),
               "era_a.zip|era_b.zip");
    CHECK_TEXT(sql_cells(ds,
                         "SELECT count(*) AS n FROM dataset WHERE \"z.bin::location\" LIKE "
                         "'%' || source_file",
                         "n"),
               sql_cells(ds, "SELECT count(*) AS n FROM sample", "n"));
    taco_close(ds);
    ds = open_path(DATA "cat/.tacocat");
    CHECK(strstr(place(ds, "@0/z.bin"), "era_a.zip"));
    taco_close(ds);
    ds = taco_open_many(two, 2, TACO_COLUMNS_INTERSECTION, &options, &err);
    CHECK_TEXT(err.text, "");
    CHECK_TEXT(
        select_cells(ds, "source_file LIKE '%taco3.zip' AND \"taco:sample_index\" > 7", "id"),
        "scene-2|scene-1");
    CHECK_TEXT(place(ds, "@8/change_map.tif"), place(ds, "@3/change_map.tif"));
    taco_close(ds);
}

/* The document of footprints. */
static const char *footprints(taco_dataset *ds, const char *select, taco_footprint_format format)
{
    static char text[16384];
    taco_query q;
    taco_error err = {0};
    taco_footprints *f;
    taco_bytes part;
    memset(&q, 0, sizeof q);
    q.select = select;
    f = taco_footprints_open(ds, &q, format, &err);
    text[0] = 0;
    while (taco_footprints_next(f, &part)) {
        if (strlen(text) + part.len < sizeof text) {
            strncat(text, (const char *)part.data, part.len);
        }
    }
    taco_footprints_close(f, &err);
    return err.code == TACO_OK ? text : strcpy(text, err.text);
}

/* Grids with STAC's order of the transform, geometries, and the path of one of several files. */
static void exports(void)
{
    taco_dataset *ds = open_path(DATA "flat");
    const char *text = footprints(ds, "id", TACO_FOOTPRINTS_GEOJSON);
    CHECK(strstr(text, "{\"location\":null,\"id\":\"roi_000\"},\"geometry\":{\"type\":"
                       "\"Polygon\",\"coordinates\":[[[-76.125,-12.125],[-75.875,-12.125]"));
    CHECK(strstr(footprints(ds, NULL, TACO_FOOTPRINTS_GTI), "a row is 3 files, a tile index"));
    text = footprints(ds, "id, \"target.tif::location\"", TACO_FOOTPRINTS_GTI);
    CHECK(strstr(text, "DATA/0/target.tif\"") && strstr(text, "<GDALTileIndexDataset>"));
    taco_close(ds);
    ds = open_path(DATA "geo.zip");
    text = footprints(ds, NULL, TACO_FOOTPRINTS_GEOJSON);
    CHECK(strstr(text, "\"location\":\"/vsisubfile/221_2,"));
    CHECK(strstr(text, "\"type\":\"MultiPolygon\""));
    taco_close(ds);
}

/* ---- damaged archives ---- */

typedef struct bytes {
    uint8_t *data;
    size_t len;
} bytes;

static bytes read_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    bytes b = {NULL, 0};
    CHECK(f != NULL);
    if (!f) { return b; }
    b.data = (uint8_t *)malloc(1 << 17);
    b.len = b.data ? fread(b.data, 1, 1 << 17, f) : 0;
    fclose(f);
    return b;
}

static uint64_t load(const uint8_t *p, size_t n)
{
    return n ? p[n - 1] * ((uint64_t)1 << 8 * (n - 1)) + load(p, n - 1) : 0;
}

/* Stores the right hash. */
static void rehash(bytes b)
{
    uint64_t h = UINT64_C(0xCBF29CE484222325), size = load(b.data + 18, 4);
    size_t i, end = 51 + (size > b.len - 51 ? b.len - 51 : (size_t)size);
    size_t tail = b.len - 32768 > end ? b.len - 32768 : end;
    for (i = 51; i < b.len; i = i + 1 == end ? tail : i + 1) {
        h = (h ^ b.data[i]) * UINT64_C(0x100000001B3);
    }
    for (i = 0; i < 8; i++) {
        b.data[43 + i] = (uint8_t)(h >> 8 * i);
    }
}

/* Opens and reads everything; the first error, or "". */
static const char *read_all(bytes b, const taco_options *opt)
{
    static taco_error err;
    taco_source src, payload;
    taco_dataset *ds;
    memset(&err, 0, sizeof err);
    taco_source_memory(&src, b.data, b.len);
    ds = taco_open_source(&src, "x.zip", opt, &err);
    if (ds) {
        taco_cursor *c = taco_select(ds, NULL, &err);
        while (taco_cursor_next(c)) {}
        taco_cursor_close(c, &err);
        if (err.code == TACO_OK) { taco_info_json(ds, &err); }
        if (err.code == TACO_OK &&
            taco_payload(ds, "@1/before/B02.tif", &payload, &err) == TACO_OK && payload.close) {
            payload.close(payload.ctx);
        }
        if (err.code == TACO_OK) { c = taco_read(ds, "@1", false, &err); }
        if (err.code == TACO_OK) {
            while (taco_cursor_next(c)) {}
            taco_cursor_close(c, &err);
        }
        taco_close(ds);
    }
    return err.text;
}

/* One change of the index, with or without the right hash, and what is said about it. */
static void change(bytes b, size_t at, uint8_t value, bool hash, const char *message)
{
    uint8_t before = b.data[at];
    const char *text;
    b.data[at] = value;
    if (hash) { rehash(b); }
    text = read_all(b, &options);
    if (!strstr(text, message)) { CHECK_TEXT(text, message); }
    CHECK(*text);
    b.data[at] = before;
    rehash(b);
}

static void refusals(void)
{
    bytes b = read_file(NESTED);
    size_t n = (size_t)load(b.data + 58, 4), names = 62 + 2 * n,
           numbers = 51 + (size_t)load(b.data + 18, 4) - 16 * n, i, k;
    bool end;
    CHECK_TEXT(read_all(b, &options), "");
    change(b, 6, 9, true, "INVALID_LFH");
    change(b, 8, 8, true, "INVALID_LFH: __cozip__ is compressed");
    change(b, 22, 1, true, "INVALID_LFH: __cozip__ has sizes");
    change(b, 39, 0, true, "INVALID_LFH: __cozip__ has no extra field");
    change(b, 51, 'X', true, "INVALID_MAGIC");
    change(b, 55, 2, true, "UNSUPPORTED_VERSION: CoZIP version 2");
    change(b, 57, 1, true, "UNKNOWN_PROFILE: a CoZIP of profile 1");
    change(b, 58, 200, true, "TRUNCATED_INDEX");
    change(b, 62, 0, true, "INVALID_NAME: an empty name");
    change(b, 43, (uint8_t)(b.data[43] ^ 1), false, "HASH_MISMATCH");
    change(b, b.len - 1, 1, false, "HASH_MISMATCH");
    change(b, names, '/', true, "INVALID_NAME");
    change(b, names, 0x80, true, "INVALID_NAME");
    change(b, names, 'X', true, "no COLLECTION.json");
    change(b, numbers + 7, 0xFF, true, "INVALID_OFFSET");
    change(b, numbers + 8 * n + 7, 0xFF, true, "INVALID_OFFSET");
    for (i = 0; memcmp(b.data + i, "\"taco:structure\"", 16) != 0; i++) {}
    for (; b.data[i] != '['; i++) {}
    for (k = 0, end = 0; !end; k++) { /* [...] becomes null */
        end = b.data[i + k] == ']';
        b.data[i + k] = k < 4 ? (uint8_t) "null"[k] : ' ';
    }
    rehash(b);
    CHECK(strstr(read_all(b, &options), "taco:structure is null, as in drafts of one undeclared"));
    b.len -= 100;
    CHECK(strstr(read_all(b, &options), "ARCHIVE_TOO_SMALL") ||
          strstr(read_all(b, &options), "HASH_MISMATCH"));
    free(b.data);
}

/* ---- validation ---- */

static char problems[4096];

static bool note_problem(void *ctx, const taco_problem *p)
{
    size_t n = strlen(problems);
    (void)ctx;
    if (p->error && n + strlen(p->where) + strlen(p->message) + 4 < sizeof problems) {
        sprintf(problems + n, "%s: %s|", p->where, p->message);
    }
    return true;
}

/* The errors of a dataset. */
static const char *validate(const char *path)
{
    taco_validate_options how;
    taco_validated sum;
    taco_error err = {0};
    taco_status st;
    memset(&how, 0, sizeof how);
    how.deep = true;
    how.found = note_problem;
    problems[0] = 0;
    st = taco_validate(path, &options, &how, &sum, &err);
    CHECK((st != TACO_OK) == (*problems != 0));
    return problems;
}

static const char *validate_bytes(bytes b)
{
    const char *path = "build/tmp_taco3.zip", *text = "";
    FILE *f = fopen(path, "wb");
    CHECK(f && fwrite(b.data, 1, b.len, f) == b.len);
    if (f) {
        fclose(f);
        text = validate(path);
    }
    remove(path);
    return text;
}

static void validation(void)
{
    static const char *const good[] = {NESTED,          DATA "sequence.zip", DATA "geo.zip",
                                       DATA "rumi.zip", DATA "flat",         DATA "cat"};
    bytes b = read_file(NESTED);
    size_t i;
    for (i = 0; i < sizeof good / sizeof *good; i++) {
        CHECK_TEXT(validate(good[i]), "");
    }
    b.data[400] ^= 1; /* of a payload */
    rehash(b);
    CHECK(strstr(validate_bytes(b), "DATA/0/before/B02.tif"));
    b.data[400] ^= 1;
    for (i = b.len - 22; memcmp(b.data + i, "DATA/4/after/B03.tif", 20) != 0; i--) {}
    b.data[i + 5] = '7'; /* the name in the central directory */
    rehash(b);
    CHECK(strstr(validate_bytes(b), "the archive has no entry DATA/'4/after/B03.tif'"));
    b.data[i + 5] = '4';
    b.data[57] = 1;
    rehash(b);
    CHECK(strstr(validate_bytes(b), "UNKNOWN_PROFILE"));
    free(b.data);
}

/* ---- anything ---- */

/* Bytes of index, collection and tables changed one by one, under a right hash. */
static void hostile_bytes(void)
{
    bytes b = read_file(NESTED);
    size_t at, step = test_all() ? 1 : 29, n = 0, errors = 0;
    for (at = 0; at < b.len; at += at < 400 ? 1 : step) {
        uint8_t before = b.data[at];
        if (before == 'Z' && at > 5000) { continue; } /* padding */
        b.data[at] = (uint8_t)(n % 3 == 0 ? 0xFF : n % 3 == 1 ? before ^ 1 : before + 1);
        rehash(b);
        errors += *read_all(b, &options) != 0;
        b.data[at] = before;
        n++;
    }
    rehash(b);
    CHECK(n > 400 && errors > 100 && errors < n);
    CHECK_TEXT(read_all(b, &options), "");
    free(b.data);
}

/* Every allocation fails once. */
static void memory_ends(void)
{
    bytes b = read_file(NESTED);
    taco_allocator a;
    taco_options opt;
    test_memory m;
    size_t n, last = 1, harmless = 0;
    for (n = 0; n<last; n += n> 100 && !test_all() ? 7 : 1) {
        const char *text;
        test_counted(&opt, &a, &m);
        opt.openers = openers;
        m.fail_at = n;
        text = read_all(b, &opt);
        if (n == 0) {
            CHECK_TEXT(text, "");
            last = m.calls;
        } else if (m.calls >= n && !*text) {
            harmless++; /* what is kept for later need not be */
        }
        CHECK(m.live == 0);
    }
    CHECK(last > 100 && harmless * 20 < last);
    free(b.data);
}

/* The same with places loaded for the samples that are read: whole tables are not needed, unless
   their rows are not where they should be. */
static void few_samples(void)
{
    taco_dataset *ds;
    taco__v3_store *x;
    window_least = 0;
    ds = open_path(NESTED);
    CHECK(strstr(select_cells(ds, "id = 'scene-4'", "before/B03.tif::location"),
                 "/vsisubfile/1315_142,") != NULL);
    x = taco__v3_store_of(&ds->stores[0]);
    CHECK(x->windows[1].tried);
    CHECK(!x->mapped[1] && !x->mapped[2]);
    taco_close(ds);
    archive();
    sql();
    navigation();
    sequences_and_statistics();
    boxes_and_periods();
    hostile_bytes();
    memory_ends();
    window_least = 16384;
}

int main(void)
{
    openers[0] = taco_v3_opener();
    options.openers = openers;
    RUN(archive);
    RUN(sql);
    RUN(navigation);
    RUN(sequences_and_statistics);
    RUN(boxes_and_periods);
    RUN(directories);
    RUN(exports);
    RUN(refusals);
    RUN(validation);
    RUN(hostile_bytes);
    RUN(memory_ends);
    RUN(few_samples);
    return test_end("test_taco3");
}
