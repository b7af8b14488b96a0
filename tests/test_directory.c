/* taco_create_directory: which entries become samples, columns computed from TIFFs, from their pixels,
   and from columns of tables; what is refused. */
#include "../src/write/derived_columns.c"
#include "../src/write/directory_scan.c"
#include "../src/base/base.h"
#include "../src/base/file_copy.h"
#include "../src/base/temporary.h"
#include "../taco_parquet.h"
#include "../taco.h"
#include "../extra/taco_write.h"

#include "test.h"

#include "names.h"
#include "tiff.h"

#define HOME "build/test_directory"
#define IN   HOME "/in"
#define OUT  HOME "/out.tacozip"

static const char collection[] = "{\"id\":\"demo\",\"dataset_version\":\"1.0.0\",\"description\":"
                                 "\"d\",\"licenses\":[\"CC0-1.0\"],"
                                 "\"providers\":[{\"name\":\"x\"}],\"tasks\":[\"other\"]}";

static taco_error e;
static char told[2048];
static tiff_maker m;

static void hear(void *ctx, const taco_error *w)
{
    size_t n = strlen(told);
    (void)ctx;
    snprintf(told + n, sizeof told - n, "%s\n", w->text);
}

static void put(const char *path, const void *data, size_t len)
{
    FILE *f = fopen(path, "wb");
    CHECK(f && fwrite(data, 1, len, f) == len && fclose(f) == 0);
}

static void put_text(const char *path, const char *text)
{
    put(path, text, strlen(text));
}

/* Two FOLDERs of two TIFFs and another file each, and what is left out. */
static void make_tree(void)
{
    static const char *const dirs[] = {HOME, IN, IN "/s1", IN "/s2"};
    size_t i;
    char path[100];
    taco__dir_make("build", NULL);
    test_names_remove(HOME);
    for (i = 0; i < TACO__COUNT(dirs); i++) {
        memset(&e, 0, sizeof e);
        CHECK(taco__dir_make(dirs[i], &e));
    }
    tiff_begin(&m, false, false, 32, 700);
    tiff_usual(&m, 1, false);
    for (i = 2; i < 4; i++) {
        snprintf(path, sizeof path, "%s/a.tif", dirs[i]);
        put(path, m.data, m.size);
        snprintf(path, sizeof path, "%s/b.TIFF", dirs[i]);
        put(path, i == 2 ? (const void *)m.data : "no TIFF", i == 2 ? m.size : 7);
        snprintf(path, sizeof path, "%s/c.bin", dirs[i]);
        put_text(path, "xyz");
    }
}

static taco_status create_of(const char *in, taco_directory_options *d)
{
    taco_options o;
    taco_create_options c;
    taco_status st;
    memset(&o, 0, sizeof o);
    memset(&c, 0, sizeof c);
    memset(&e, 0, sizeof e);
    o.warn = hear;
    c.options = &o;
    c.fill = c.overwrite = c.any_tree = true;
    d->create = &c;
    told[0] = 0;
    st = taco_create_directory(OUT, in, collection, sizeof collection - 1, d, &e);
    CHECK(st == e.code);
    d->create = NULL;
    return st;
}

static taco_status create(taco_directory_options *d)
{
    return create_of(IN, d);
}

/* A column of a level of what was made, joined by blanks. */
static const char *column(uint32_t level, const char *name)
{
    static char text[1024];
    taco_error own;
    taco_dataset *ds;
    taco_cursor *c;
    taco_query q;
    size_t n = 0;
    memset(&q, 0, sizeof q);
    memset(&own, 0, sizeof own);
    q.table = level;
    text[0] = 0;
    ds = taco_open(OUT, NULL, &own);
    c = taco_select(ds, &q, &own);
    while (taco_cursor_next(c) && n < 900) {
        const char *t = taco_cursor_text(c, name);
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%.100s", n ? " " : "", t ? t : "-");
    }
    taco_cursor_close(c, &own);
    taco_close(ds);
    return own.code == TACO_OK ? text : strcpy(text, own.text);
}

static void tiffs(void)
{
    taco_directory_options d;
    memset(&d, 0, sizeof d);
    d.tiff = true;
    CHECK(create(&d) == TACO_ERR_TRUNCATED); /* by its name a TIFF */
    CHECK_TEXT(e.text, IN "/s2/b.TIFF: at byte 0: a TIFF header needs 8 bytes, the file has 7");
    CHECK(fopen(OUT, "rb") == NULL);
    put(IN "/s2/b.TIFF", m.data, m.size);
    CHECK(create(&d) == TACO_OK);
    CHECK_TEXT(e.text, "");
    CHECK_TEXT(column(1, "id"), "a.tif b.TIFF c.bin a.tif b.TIFF c.bin");
    CHECK_TEXT(column(1, "stac:crs"), "EPSG:32630 EPSG:32630 - EPSG:32630 EPSG:32630 -");
    CHECK_TEXT(column(1, "stac:tensor_shape"), "[1,20,40] [1,20,40] - [1,20,40] [1,20,40] -");
    /* a FOLDER is where its TIFFs are */
    CHECK_TEXT(column(0, "stac:crs"), "EPSG:32630 EPSG:32630");
    CHECK_TEXT(column(0, "stac:tensor_shape"), "[20,40] [20,40]");
    CHECK_TEXT(told, "");
}

/* ---- pixels ---- */

static double values[4] = {1, 2, 3, 6};
static size_t done;

static bool read_pixels(void *ctx, uint32_t band, uint64_t at, double *out, size_t n)
{
    (void)ctx;
    (void)band;
    memcpy(out, values + at, n * sizeof *out);
    return true;
}

static bool find_pixels(void *ctx, const char *path, taco_pixels *out, taco_error *err)
{
    size_t n = strlen(path);
    (void)ctx;
    if (n > 5 && strcmp(path + n - 5, ".TIFF") == 0) {
        err->code = TACO_ERR_UNSUPPORTED;
        snprintf(err->text, sizeof err->text, "no pixels of this");
        return false;
    }
    out->bands = 1;
    out->count = 4;
    out->read = read_pixels;
    return true;
}

static void end_pixels(void *ctx, taco_pixels *p)
{
    (void)ctx;
    done += p->count == 4;
}

static void statistics(void)
{
    static const int64_t classes[] = {2, 9};
    static const char *const tables[] = {HOME "/scaling.ndjson"};
    taco_directory_options d;
    memset(&d, 0, sizeof d);
    d.pixels = find_pixels;
    d.pixels_done = end_pixels;
    done = 0;
    CHECK(create(&d) == TACO_OK);
    CHECK_TEXT(e.text, "");
    CHECK(done == 2);
    CHECK(strstr(told, "no pixels of this") != NULL);
    CHECK_TEXT(column(1, "geotiff:stats"),
               "[[1.0,6.0,3.0,1.8708287,100.0,1.025,2.025,3.025,5.975]] - - "
               "[[1.0,6.0,3.0,1.8708287,100.0,1.025,2.025,3.025,5.975]] - -");
    put_text(tables[0],
             "{\"id\":\"s1/a.tif\",\"scaling:scale_factor\":2.0,\"scaling:scale_offset\":10.0}\n"
             "{\"id\":\"s2/a.tif\",\"scaling:scale_factor\":2.0,\"scaling:scale_offset\":null}\n");
    d.tables = tables;
    d.table_count = 1;
    CHECK(create(&d) == TACO_OK);
    CHECK_TEXT(e.text, "");
    CHECK(strncmp(column(1, "geotiff:stats"), "[[12.0,22.0,16.0,3.7416575,100.0,", 33) == 0);
    CHECK(strstr(column(1, "geotiff:stats"), "[[1.0,6.0,3.0,") != NULL);
    d.table_count = 0;
    d.classes = classes;
    d.class_count = 2;
    CHECK(create(&d) == TACO_OK);
    CHECK_TEXT(column(1, "geotiff:stats"), "[[1.0,0.0]] - - [[1.0,0.0]] - -");
}

/* ---- samples of level 0 ---- */

#define FLAT   HOME "/flat"
#define PLACED HOME "/placed"

/* TIFFs with each ending, one that says nothing of a place, one in a CRS that is not known. */
static void make_flat(void)
{
    tiff_maker *none = (tiff_maker *)malloc(sizeof *none);
    size_t i, at;
    memset(&e, 0, sizeof e);
    test_names_remove(FLAT);
    CHECK(taco__dir_make(FLAT, &e));
    tiff_begin(&m, false, false, 32, 700);
    tiff_usual(&m, 1, false);
    put(FLAT "/a.tif", m.data, m.size);
    put(FLAT "/d.TIFF", m.data, m.size);
    *none = m;
    for (i = 8, at = 0; i + 2 < none->size; i++) { /* the tags of a place become unknown ones */
        unsigned tag = none->data[i] | (unsigned)none->data[i + 1] << 8;
        if (tag == 33550 || tag == 33922 || tag == 34735) {
            none->data[i] = (uint8_t)(0xE8 + at++); /* from 65000 on */
            none->data[i + 1] = 0xFD;
        }
    }
    CHECK(at == 3);
    put(FLAT "/b.tiff", none->data, none->size);
    for (i = 0; i + 2 <= m.size; i++) {
        if (memcmp(m.data + i, "\x76\x7F", 2) == 0) { memcpy(m.data + i, "\x6A\x08", 2); }
    }
    put(FLAT "/c.TIF", m.data, m.size);
    put_text(FLAT "/e.bin", "x");
    free(none);
}

/* A TIFF at a place of its own. */
static void put_placed(const char *path, unsigned epsg, double west, double pixel)
{
    const double corner[2] = {west, 4000000}, size[2] = {pixel, pixel};
    tiff_begin(&m, false, false, 32, 700);
    tiff_placed(&m, 1, false, epsg, corner, size);
    put(path, m.data, m.size);
}

/* FOLDERs whose TIFFs agree, or not, in place and time. */
static void places_of_folders(void)
{
    static const char *const tables[] = {HOME "/times.ndjson", HOME "/given.ndjson"};
    static const char *const folders[] = {
        PLACED,           PLACED "/t1",      PLACED "/t2",      PLACED "/t3",
        PLACED "/t4",     PLACED "/t1/deep", PLACED "/t2/deep", PLACED "/t3/deep",
        PLACED "/t4/deep"};
    taco_directory_options d;
    char path[100];
    size_t i;
    memset(&d, 0, sizeof d);
    test_names_remove(PLACED);
    for (i = 0; i < TACO__COUNT(folders); i++) {
        CHECK(taco__dir_make(folders[i], &e));
    }
    for (i = 1; i < 5; i++) {
        snprintf(path, sizeof path, "%s/a.tif", folders[i]);
        put_placed(path, 32630, 500000, 10);
        snprintf(path, sizeof path, "%s/note.txt", folders[i]);
        put_text(path, "x");
        snprintf(path, sizeof path, "%s/b.tif", folders[i + 4]);
        put_placed(path, i == 2 ? 32631 : 32630, i < 3 ? 500000 : i == 3 ? 500004 : 500006, 10);
    }
    d.tiff = true;
    d.grid_km = 100;
    CHECK(create_of(PLACED, &d) == TACO_OK);
    CHECK_TEXT(e.text, "");
    CHECK_TEXT(told, "sample 't2' has no place: 'a.tif' is in EPSG:32630, 'deep' in EPSG:32631; "
                     "likewise 1 more\n");
    CHECK_TEXT(column(0, "stac:crs"), "EPSG:32630 - EPSG:32630 -");
    CHECK_TEXT(column(0, "stac:tensor_shape"), "[20,40] - [20,40] -");
    CHECK_TEXT(column(0, "majortom:code"), "0100km_0040U_0003L - 0100km_0040U_0003L -");
    CHECK_TEXT(column(1, "stac:crs"), "EPSG:32630 EPSG:32630 - EPSG:32630 EPSG:32631 - EPSG:32630 "
                                      "EPSG:32630 - EPSG:32630 EPSG:32630 -");
    /* the finer grid of the same area; another area */
    put_placed(PLACED "/t1/deep/b.tif", 32630, 500000, 10);
    put_placed(PLACED "/t2/deep/b.tif", 32630, 500000, 10);
    put_placed(PLACED "/t3/deep/b.tif", 32630, 500000, 10);
    put_placed(PLACED "/t4/deep/b.tif", 32630, 500000, 20);
    put_text(tables[0], "{\"id\":\"t1/a.tif\",\"stac:time_start\":\"2020-01-01\","
                        "\"stac:time_end\":\"2020-01-03\"}\n"
                        "{\"id\":\"t2/a.tif\",\"stac:time_start\":\"2020-02-01\"}\n"
                        "{\"id\":\"t2/deep\",\"stac:time_start\":\"2021-02-01\"}\n");
    d.grid_km = 0;
    d.tables = tables;
    d.table_count = 1;
    CHECK(create_of(PLACED, &d) == TACO_OK);
    CHECK_TEXT(e.text, "");
    CHECK_TEXT(told, "sample 't4' has no place: 'a.tif' and 'deep' cover different areas\n"
                     "sample 't2' has no stac:time_start: those of 'a.tif' and 'deep' differ\n");
    CHECK_TEXT(column(0, "stac:time_start"), "2020-01-01T00:00:00.000000 - - -");
    CHECK_TEXT(column(0, "stac:time_middle"), "2020-01-02T00:00:00.000000 - - -");
    /* a table that places FOLDERs has the last word */
    put_text(tables[1], "{\"id\":\"t1\",\"stac:crs\":\"EPSG:4326\",\"stac:tensor_shape\":[4,6],"
                        "\"stac:geotransform\":[10,1,0,50,0,-1]}\n");
    d.table_count = 2;
    CHECK(create_of(PLACED, &d) == TACO_OK);
    CHECK_TEXT(e.text, "");
    CHECK(strstr(told, "t4") == NULL);
    CHECK_TEXT(column(0, "stac:crs"), "EPSG:4326 - - -");
}

static void places_of_tiffs(void)
{
    static const char *const tables[] = {HOME "/own.ndjson"};
    taco_directory_options d;
    memset(&d, 0, sizeof d);
    make_flat();
    d.tiff = true;
    d.grid_km = 100;
    CHECK(create_of(FLAT, &d) == TACO_OK);
    CHECK_TEXT(e.text, "");
    CHECK_TEXT(column(0, "id"), "a.tif b.tiff c.TIF d.TIFF e.bin");
    CHECK_TEXT(column(0, "stac:crs"), "EPSG:32630 - EPSG:2154 EPSG:32630 -");
    CHECK_TEXT(column(0, "stac:tensor_shape"), "[1,20,40] [1,20,40] [1,20,40] [1,20,40] -");
    CHECK_TEXT(column(0, "majortom:code"), "0100km_0040U_0003L - - 0100km_0040U_0003L -");
    CHECK(strstr(told, "b.tiff: no CRS with a code\n") != NULL);
    CHECK(strstr(told, "longitude and latitude in 'EPSG:2154' are not computed here") != NULL);
    /* what a table says is not computed */
    put_text(tables[0], "{\"id\":\"a.tif\",\"stac:crs\":\"EPSG:4326\",\"stac:tensor_shape\":[4,6],"
                        "\"stac:geotransform\":[10,1,0,50,0,-1]}\n");
    d.tables = tables;
    d.table_count = 1;
    d.grid_km = 0;
    CHECK(create_of(FLAT, &d) == TACO_OK);
    CHECK_TEXT(e.text, "");
    CHECK_TEXT(column(0, "stac:crs"), "EPSG:4326 - - - -");
    CHECK_TEXT(column(0, "stac:tensor_shape"), "[4,6] - - - -");
    CHECK(strncmp(column(0, "stac:geotransform"), "[10.0,1.0,0.0,50.0,0.0,-1.0] - ", 31) == 0);
    d.table_count = 0;
    d.grid_km = -1;
    CHECK(create_of(FLAT, &d) == TACO_OK); /* no grid, so no points are needed */
    CHECK(strstr(column(0, "majortom:code"), "0100km") == NULL);
}

/* Points as a table has them: WKB that is a point, and all that is none. */
static void places_of_tables(void)
{
    static const char *const tables[] = {HOME "/points.parquet", HOME "/rest.csv"};
    static const char ids[] = "a.tifb.tiffc.TIFd.TIFFe.bin";
    static const int32_t id_ends[] = {0, 5, 11, 16, 22, 27};
    static const uint8_t valid = 1;
    uint8_t wkb[64];
    int32_t ends[6] = {0};
    taco_field f[2];
    taco_array a[2];
    taco_batch b;
    taco_directory_options d;
    size_t i;
    memset(a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    memset(&d, 0, sizeof d);
    make_flat();
    put_text(FLAT "/f.bin", "x");
    put_text(FLAT "/g.bin", "x");
    put_text(tables[1], "id,x\nf.bin,1\n");
    f[0] = taco__field_make("id", TACO_TEXT);
    f[1] = taco__field_make("stac:centroid", TACO_BINARY);
    a[0].field = &f[0];
    a[1].field = &f[1];
    a[0].length = a[1].length = b.length = 5;
    a[0].offsets = id_ends;
    a[1].offsets = ends;
    a[0].v.any = ids;
    a[1].v.any = wkb;
    a[1].validity = &valid;
    a[1].null_count = 4;
    b.columns = a;
    b.column_count = 2;
    d.tables = tables;
    for (i = 0; i < 6; i++) { /* a point; an empty one, lines, half a point, nothing */
        static const double xy[6][4] = {{1, 2}, {0}, {1, 1, 1, 5}, {1, 1, 5, 1}, {1, 2}, {0}};
        const bool line = i == 2 || i == 3;
        taco_sink sink;
        taco_pq_writer *w;
        size_t k, n = 5;
        memset(wkb, 0, sizeof wkb);
        wkb[0] = 1;
        wkb[1] = line ? 2 : 1;
        wkb[5] = line ? 2 : 0;
        n += line ? 4 : 0;
        for (k = 0; k < (line ? 4U : 2U); k++, n += 8) {
            taco__put_le64(wkb + n,
                           i == 1 ? UINT64_C(0x7FF8000000000000) : taco__f64_to_bits(xy[i][k]));
        }
        for (k = 1; k < 6; k++) { /* of the first row */
            ends[k] = (int32_t)(i == 5 ? 0 : i == 4 ? n - 8 : n);
        }
        memset(&e, 0, sizeof e);
        CHECK(taco_sink_file(&sink, tables[0], NULL, &e) == TACO_OK);
        w = taco_pq_write(&sink, f, 2, NULL, &e);
        CHECK(w && taco_pq_writer_batch(w, &b) == TACO_OK &&
              taco_pq_writer_close(w, &e) == TACO_OK);
        CHECK_TEXT(e.text, "");
        d.table_count = 2;
        d.near_size = i % 2 ? 1000 : 0;
        d.near_count = i % 2 ? 0 : 2;
        CHECK(create_of(FLAT, &d) == (i ? TACO_ERR_NOT_FOUND : TACO_OK));
        CHECK_TEXT(e.text,
                   i ? "no sample of level 0 has a point in stac:centroid or istac:centroid" : "");
        if (i == 0) { CHECK_TEXT(column(0, "spatialgroup:code"), "sg0000 - - - - - -"); }
    }
    /* no point anywhere */
    d.table_count = 0;
    CHECK(create_of(FLAT, &d) == TACO_ERR_NOT_FOUND);
    CHECK(strstr(e.text, "no sample of level 0 has a point in stac:centroid or istac:centroid"));
}

static bool read_no_pixels(void *ctx, uint32_t band, uint64_t at, double *out, size_t n)
{
    (void)ctx;
    (void)band;
    (void)at;
    (void)out;
    (void)n;
    return false;
}

static bool find_no_pixels(void *ctx, const char *path, taco_pixels *out, taco_error *err)
{
    bool ok = find_pixels(ctx, path, out, err);
    out->read = read_no_pixels;
    return ok;
}

/* Factors that are in another table, are text, or are null, scale nothing; pixels that cannot be
   read are an error with the path. */
static void odd_statistics(void)
{
    static const char *const tables[] = {HOME "/one.ndjson", HOME "/two.ndjson"};
    static const char *const rows[] = {
        "{\"id\":\"a.tif\",\"scaling:scale_factor\":[2.0],\"scaling:scale_offset\":[1.0]}\n",
        "{\"id\":\"a.tif\",\"scaling:scale_factor\":2.0,\"scaling:scale_offset\":null}\n"
        "{\"id\":\"b.tiff\",\"scaling:scale_factor\":null,\"scaling:scale_offset\":1.0}\n"};
    taco_directory_options d;
    size_t i;
    memset(&d, 0, sizeof d);
    make_flat();
    put_text(tables[1], "{\"id\":\"c.TIF\",\"x\":1}\n");
    d.pixels = find_pixels;
    d.tables = tables;
    d.table_count = 2;
    for (i = 0; i < 2; i++) {
        put_text(tables[0], rows[i]);
        CHECK(create_of(FLAT, &d) == TACO_OK);
        CHECK_TEXT(e.text, "");
        CHECK(strncmp(column(0, "geotiff:stats"), "[[1.0,6.0,3.0,1.8708287,", 24) == 0);
        CHECK(strstr(column(0, "geotiff:stats"), "]] [[1.0,6.0,3.0,") != NULL);
    }
    d.table_count = 0;
    d.pixels = find_no_pixels;
    CHECK(create_of(FLAT, &d) != TACO_OK);
    CHECK(strncmp(e.text, FLAT "/a.tif: ", strlen(FLAT "/a.tif: ")) == 0);
}

/* ---- which entries ---- */

static void patterns(void)
{
    static const struct {
        const char *pattern, *name;
        bool fits;
    } t[] = {{"", "", true},          {"", "a", false},          {"*", "", true},
             {"*", "abc", true},      {"a*c", "abbc", true},     {"a*c", "abcb", false},
             {"*b*", "abc", true},    {"*bc*d", "abcbcd", true}, {"?", "", false},
             {"?", "a", true},        {"a?c", "abc", true},      {"[a-c]x", "bx", true},
             {"[a-c]x", "dx", false}, {"[!a-c]x", "dx", true},   {"[^a-c]x", "ax", false},
             {"[]a]", "]", true},     {"[a-]", "-", true},       {"[a", "[a", false},
             {"[a-z", "b", false},    {"**a", "bba", true},      {"a*", "*", false},
             {"\\*", "\\x", true}};

    size_t i;
    for (i = 0; i < TACO__COUNT(t); i++) {
        CHECK(taco__dir_scan_fits(t[i].pattern, t[i].name) == t[i].fits);
        if (taco__dir_scan_fits(t[i].pattern, t[i].name) != t[i].fits) {
            printf("%s %s\n", t[i].pattern, t[i].name);
        }
    }
}

static void entries(void)
{
    static const char *const out[] = {"*.TIFF", "s[3-9]"}, *const in[] = {"a.*", "h*"};
    taco_directory_options d;
    memset(&d, 0, sizeof d);
    CHECK(taco__dir_make(IN "/s3", NULL));
    put_text(IN "/s1/.h", "1");
    put_text(IN "/s2/.h", "1");
    d.exclude = out;
    d.exclude_count = 2;
    CHECK(create(&d) == TACO_OK);
    CHECK_TEXT(column(0, "id"), "s1 s2");
    CHECK_TEXT(column(1, "id"), "a.tif c.bin a.tif c.bin");
    d.include = in;
    d.include_count = 2;
    d.hidden = true;
    CHECK(create(&d) == TACO_OK);
    CHECK_TEXT(column(1, "id"), "a.tif a.tif");
    d.include_count = 0;
    CHECK(create(&d) == TACO_OK);
    CHECK_TEXT(column(1, "id"), ".h a.tif c.bin .h a.tif c.bin");
    d.split_size = 1; /* what is left out has no size, either */
    d.include_count = 1;
    d.no_catalogue = true;
    CHECK(create(&d) == TACO_OK);
    remove(HOME "/out_part0001.tacozip");
    remove(HOME "/out_part0002.tacozip");
    d.split_size = UINT64_MAX;
    CHECK(create(&d) == TACO_OK);
    CHECK_TEXT(column(1, "id"), "a.tif a.tif");
    test_names_remove(IN "/s3");
    remove(IN "/s1/.h");
    remove(IN "/s2/.h");
}

/* ---- columns from others ---- */

/* Each sample lacks another source of its centroid or of the middle of its times. */
static void derived(void)
{
    static const char *const tables[] = {HOME "/derived.ndjson"};
    static const char rows[] =
        "{\"id\":\"s1\",\"stac:crs\":\"EPSG:4326\",\"stac:geotransform\":[10,1,0,50,0,-1],"
        "\"stac:tensor_shape\":[4,6],\"stac:time_start\":\"2020-01-01T00:00:00Z\","
        "\"stac:time_end\":\"2020-01-02T00:00:00Z\"}\n"
        "{\"id\":\"s2\",\"stac:crs\":\"EPSG:4326\",\"stac:geotransform\":[10,1,0,50,0,-1],"
        "\"stac:tensor_shape\":null,\"stac:time_start\":\"2020-01-01T00:00:00Z\","
        "\"stac:time_end\":null}\n";
    taco_directory_options d;
    memset(&d, 0, sizeof d);
    put_text(tables[0], rows);
    d.tables = tables;
    d.table_count = 1;
    CHECK(create(&d) == TACO_OK);
    CHECK_TEXT(e.text, "");
    CHECK_TEXT(column(0, "stac:time_middle"), "2020-01-01T12:00:00.000000 -");
    CHECK(strstr(column(0, "stac:centroid"), " -") != NULL &&
          strncmp(column(0, "stac:centroid"), "-", 1) != 0);
    d.no_derived = true;
    CHECK(create(&d) == TACO_OK);
    CHECK_TEXT(column(0, "stac:time_middle"), "- -");
}

/* Sizes of images that are none give no centroid. */
static void centroids(void)
{
    static const struct {
        double sizes[9];
        size_t n;
        bool centre;
    } t[] = {{{4, 6}, 2, true},
             {{9, 4, 6}, 3, true},
             {{0, 0}, 2, true},
             {{4}, 1, false},
             {{-1, 6}, 2, false},
             {{4, -1}, 2, false},
             {{4e9, 6}, 2, false},
             {{4, 4e9}, 2, false},
             {{4e9, 4, 6}, 3, true}, /* of bands there may be any number */
             {{1, 4e9, 6}, 3, false},
             {{1, 4, 4e9}, 3, false},
             {{1, 1, 1, 1, 1, 1, 4, 6}, 8, true},
             {{1, 1, 1, 1, 1, 1, 1, 4, 6}, 9, false},
             {{-1e300, 1}, 2, false},
             {{1, -1e300}, 2, false}};

    static const double place[6] = {10, 1, 0, 50, 0, -1};
    static const int32_t six[2] = {0, 6}, text_ends[2] = {0, 9};
    taco_field number = taco__field_make("item", TACO_DOUBLE),
               text = taco__field_make("c", TACO_TEXT),
               list = taco__field_make_nested("l", TACO_LIST, &number, 1);
    taco_array crs, transform, shape, items[2];
    const taco_array *in[3];
    taco_directory_options how;
    taco__from_dir g;
    size_t i;
    memset(&crs, 0, sizeof crs);
    memset(&transform, 0, sizeof transform);
    memset(&shape, 0, sizeof shape);
    memset(items, 0, sizeof items);
    memset(&how, 0, sizeof how);
    memset(&g, 0, sizeof g);
    g.how = &how;
    g.err = &e;
    crs.field = &text;
    crs.length = 1;
    crs.offsets = text_ends;
    crs.v.any = "EPSG:4326";
    items[0].field = items[1].field = &number;
    items[0].length = 6;
    items[0].v.f64 = place;
    transform.field = shape.field = &list;
    transform.length = shape.length = 1;
    transform.offsets = six;
    transform.children = &items[0];
    shape.children = &items[1];
    in[0] = &crs;
    in[1] = &transform;
    in[2] = &shape;
    for (i = 0; i < TACO__COUNT(t); i++) {
        int32_t ends[2] = {0, 0};
        taco_error why;
        double xy[2] = {0, 0};
        memset(&why, 0, sizeof why);
        ends[1] = (int32_t)t[i].n;
        shape.offsets = ends;
        items[1].length = t[i].n;
        items[1].v.f64 = t[i].sizes;
        CHECK(taco__derived_centroid(&g, TACO__DERIVED_STAC_CENTROID, in, 0, xy, &why) ==
              t[i].centre);
        if (t[i].centre) {
            CHECK(xy[0] == (t[i].sizes[0] > 0 ? 13 : 10) && xy[1] == (t[i].sizes[0] > 0 ? 48 : 50));
        }
    }
}

/* A directory that is no dataset: those in it are named, as many as a line has room for. */
static void nearby(void)
{
    static const char *const names[] = {"a.tacozip", "b.tortilla", "c.taco"};
    char path[100];
    size_t i, named;
    memset(&e, 0, sizeof e);
    CHECK(taco__dir_make(HOME "/near", &e));
    CHECK(taco_open(HOME "/near", NULL, &e) == NULL && e.code == TACO_ERR_NOT_FOUND);
    CHECK_TEXT(e.text, HOME "/near: a directory without COLLECTION.json, so not a dataset");
    put_text(HOME "/near/x.txt", "");
    memset(&e, 0, sizeof e);
    CHECK(taco__dir_make(HOME "/near/d", &e));
    for (i = 0; i < 3; i++) {
        snprintf(path, sizeof path, HOME "/near/%s", names[i]);
        put_text(path, "");
    }
    memset(&e, 0, sizeof e);
    CHECK(taco_open(HOME "/near", NULL, &e) == NULL);
    CHECK(strstr(e.text, "so not a dataset; it contains: ") != NULL && !strstr(e.text, "more"));
    for (i = 0; i < 3; i++) {
        CHECK(strstr(e.text, names[i]) != NULL);
    }
    CHECK(!strstr(e.text, "x.txt") && !strstr(strstr(e.text, "contains:"), " d"));
    put_text(HOME "/near/d/COLLECTION.json", "{}");
    memset(&e, 0, sizeof e);
    CHECK(taco__dir_make(HOME "/near/e", &e) && taco__dir_make(HOME "/near/e/.tacocat", &e));
    put_text(HOME "/near/e/.tacocat/COLLECTION.json", "{}");
    CHECK(taco_open(HOME "/near", NULL, &e) == NULL);
    CHECK(strstr(strstr(e.text, "contains:"), " d") && strstr(e.text, " e") &&
          !strstr(e.text, "more"));
    put_text(HOME "/near/f.tacozip", "");
    put_text(HOME "/near/g.tacozip", "");
    memset(&e, 0, sizeof e);
    CHECK(taco_open(HOME "/near", NULL, &e) == NULL);
    CHECK(strstr(e.text, " and 2 more") != NULL);
    for (i = named = 0; i < strlen(e.text); i++) {
        named += e.text[i] == ',';
    }
    CHECK(named == 5); /* one before "so" */
}

/* The names in the message have 255 bytes in all, with what is before each (" ", ", "). */
static void nearby_room(void)
{
    char path[120];
    size_t n, i;
    for (n = 246; n <= 247; n++) { /* letters of the five names: 9 bytes are before them */
        memset(&e, 0, sizeof e);
        test_names_remove(HOME "/room");
        CHECK(taco__dir_make(HOME "/room", &e));
        for (i = 0; i < 5; i++) {
            int fill = (int)(i < 4 ? 49 : n - 4 * 49) - 9; /* without the digit and ".tacozip" */
            snprintf(path, sizeof path, HOME "/room/%d%.*s.tacozip", (int)i, fill,
                     "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
            put_text(path, "");
        }
        memset(&e, 0, sizeof e);
        CHECK(taco_open(HOME "/room", NULL, &e) == NULL && e.code == TACO_ERR_NOT_FOUND);
        CHECK((strstr(e.text, " and 1 more") != NULL) == (n == 247));
    }
}

/* ---- what is refused ---- */

static void refused(void)
{
    static const char *const tables[] = {HOME "/rows.csv"};
    taco_directory_options d;
    memset(&d, 0, sizeof d);
    memset(&e, 0, sizeof e);
    CHECK(taco_create_directory(OUT, IN "/none", collection, sizeof collection - 1, NULL, &e) ==
          TACO_ERR_NOT_FOUND);
    CHECK(strstr(e.text, IN "/none") != NULL);
    memset(&e, 0, sizeof e);
    CHECK(taco_create_directory(OUT, IN "/s1/c.bin", collection, sizeof collection - 1, NULL, &e) ==
          TACO_ERR_NOT_FOUND);
    CHECK(strstr(e.text, "c.bin") != NULL);
    CHECK(taco__dir_make(HOME "/empty", NULL));
    memset(&e, 0, sizeof e);
    CHECK(taco_create_directory(OUT, HOME "/empty", collection, sizeof collection - 1, NULL, &e) ==
          TACO_ERR_NOT_FOUND);
    CHECK(strstr(e.text, "the directory is empty") != NULL);
    CHECK(taco_create_directory(NULL, IN, collection, 1, NULL, NULL) == TACO_ERR_ARGUMENT);
    CHECK(taco_create_directory(OUT, NULL, collection, 1, NULL, NULL) == TACO_ERR_ARGUMENT);
    CHECK(taco_create_directory(OUT, IN, NULL, 1, NULL, NULL) == TACO_ERR_ARGUMENT);
    d.tables = tables;
    d.table_count = 1;
    put_text(tables[0], "id,x\ns1,1\ns9,2\n");
    CHECK(create(&d) == TACO_ERR_NOT_FOUND);
    CHECK(strstr(e.text, HOME "/rows.csv: row 2: there is no 's9' in the source") != NULL);
    put_text(tables[0], "id,x\ns2,1\n"); /* first that of the row, then the others */
    CHECK(create(&d) == TACO_OK);
    CHECK_TEXT(column(0, "id"), "s2 s1");
    CHECK_TEXT(column(0, "x"), "1 -");
    CHECK(fopen(HOME "/out.tacozip.part", "rb") == NULL);
}

int main(void)
{
    make_tree();
    RUN(tiffs);
    RUN(statistics);
    RUN(places_of_tiffs);
    RUN(places_of_folders);
    RUN(places_of_tables);
    RUN(odd_statistics);
    RUN(patterns);
    RUN(entries);
    RUN(derived);
    RUN(centroids);
    RUN(nearby);
    RUN(nearby_room);
    RUN(refused);
    test_names_remove(HOME);
    return test_end("test_directory");
}
