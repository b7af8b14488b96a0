/* taco_gdal.h, in memory (/vsimem/): GDAL files as sources and sinks; images of samples and windows
   of them; metadata for the writer; /vsitaco/ paths; calls of GDAL that fail. GDAL 3.6 or later. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "../extra/taco_gdal.h"

#include "alloc.h"
#include "test.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <errno.h>
#include <gdal_utils.h>
#include <math.h>
#include <ogr_srs_api.h>
#ifdef WITH_THREADS
#include "../tool/pool.h"
#endif

#define ARCHIVE "/vsimem/t/demo.tacozip"
#define WIDTH   70
#define HEIGHT  50

static const char collection[] =
    "{\"id\": \"demo\", \"dataset_version\": \"1.0.0\", \"description\": \"d\", \"licenses\":"
    " [\"CC-BY-4.0\"], \"providers\": [{\"name\": \"Nobody\"}], \"tasks\": [\"classification\"]}";

static taco_gdal_files *files;
static test_memory memory; /* of files */

static taco_error *fresh(taco_error *err)
{
    memset(err, 0, sizeof *err);
    return err;
}

/* Makes a GeoTIFF of two bands: column + 2 * row + 1000 * band, 0 is no data. epsg 0: no place. */
static void make_image(const char *path, int epsg)
{
    double place[6] = {300000, 10, 0, 8600000, 0, -10};
    char *options[] = {"TILED=YES", "BLOCKXSIZE=32", "BLOCKYSIZE=32", "COMPRESS=DEFLATE", NULL};
    GDALDatasetH image =
        GDALCreate(GDALGetDriverByName("GTiff"), path, WIDTH, HEIGHT, 2, GDT_UInt16, options);
    static uint16_t pixels[WIDTH * HEIGHT];
    int band, i;
    for (band = 1; band <= 2; band++) {
        for (i = 0; i < WIDTH * HEIGHT; i++) {
            pixels[i] =
                (uint16_t)(i == 7 ? 0 : i % WIDTH + 2 * (i / WIDTH) + 1000 * (band - 1) + 1);
        }
        CHECK(GDALRasterIO(GDALGetRasterBand(image, band), GF_Write, 0, 0, WIDTH, HEIGHT, pixels,
                           WIDTH, HEIGHT, GDT_UInt16, 0, 0) == CE_None);
    }
    GDALSetRasterNoDataValue(GDALGetRasterBand(image, 1), 0);
    if (epsg) {
        OGRSpatialReferenceH crs = OSRNewSpatialReference(NULL);
        OSRImportFromEPSG(crs, epsg);
        GDALSetSpatialRef(image, crs);
        OSRDestroySpatialReference(crs);
        GDALSetGeoTransform(image, place);
    }
    GDALClose(image);
}

/* An archive in /vsimem/: tile/a.tif, tile/b.txt. */
static void make_archive(void)
{
    taco_options opt;
    taco_create_options how;
    taco_error err;
    taco_sink sink;
    taco_writer *w;
    memset(&opt, 0, sizeof opt);
    memset(&how, 0, sizeof how);
    opt.open_file = taco_gdal_open_file;
    how.options = &opt;
    make_image("/vsimem/payload/a.tif", 32718);
    CHECK(taco_gdal_sink(&sink, ARCHIVE, NULL, fresh(&err)) == TACO_OK);
    w = taco_create_sink(&sink, &how, &err);
    taco_writer_collection(w, collection, sizeof collection - 1);
    taco_writer_folder_begin(w, "tile");
    taco_writer_file(w, "a.tif", "/vsimem/payload/a.tif");
    taco_writer_bytes(w, "b.txt", "hello", 5);
    taco_writer_folder_end(w);
    CHECK(taco_writer_finish(w, &err) == TACO_OK);
    CHECK_TEXT(taco_error_text(&err), "");
}

static taco_dataset *open_archive(void)
{
    taco_options opt;
    taco_error err;
    taco_dataset *ds;
    memset(&opt, 0, sizeof opt);
    opt.open_file = taco_gdal_open_file;
    ds = taco_open(ARCHIVE, &opt, fresh(&err));
    CHECK_TEXT(taco_error_text(&err), "");
    return ds;
}

static size_t files_below(const char *dir)
{
    char **list = VSIReadDir(dir);
    size_t n = (size_t)CSLCount(list);
    CSLDestroy(list);
    return n;
}

/* ---- files ---- */

static void test_source(void)
{
    taco_options opt = {0};
    taco_source src;
    taco_piece pieces[100];
    char got[100], text[8] = {0};
    taco_error err;
    size_t i;
    VSILFILE *f = VSIFOpenL("/vsimem/s/digits", "wb");
    VSIFWriteL("0123456789", 1, 10, f);
    VSIFCloseL(f);
    CHECK(taco_gdal_source(&src, "/vsimem/s/digits", fresh(&err)) == TACO_OK && src.size == 10);
    CHECK(src.read(src.ctx, 3, text, 4));
    CHECK_TEXT(text, "3456");
    CHECK(!src.read(src.ctx, 8, text, 4));
    for (i = 0; i < 100; i++) { /* more than GDAL is given at a time */
        pieces[i].offset = (i * 7) % 10;
        pieces[i].dst = got + i;
        pieces[i].len = 1;
    }
    CHECK(src.read_many(src.ctx, pieces, 100));
    for (i = 0; i < 100; i++) {
        CHECK(got[i] == (char)('0' + (i * 7) % 10));
    }
    pieces[99].offset = 10;
    CHECK(!src.read_many(src.ctx, pieces, 100));
    src.close(src.ctx);
    CHECK(taco_gdal_source(&src, "/vsimem/s/none", fresh(&err)) == TACO_ERR_NOT_FOUND);
    CHECK_TEXT(taco_error_text(&err), "/vsimem/s/none: no such file");
    CHECK(taco_gdal_source(&src, "/vsimem/s", fresh(&err)) == TACO_ERR_NOT_FOUND);
    opt.open_file = taco_gdal_open_file;
    CHECK(!taco_open("/vsimem/s/none.tacozip", &opt, fresh(&err)));
    CHECK_TEXT(taco_error_text(&err), "/vsimem/s/none.tacozip: no archive of that name, and no "
                                      "directory with COLLECTION.json");
    CHECK(!taco_gdal_open_file(NULL, "tests", &src)); /* a directory of the system's */
    CHECK(taco_gdal_open_file(NULL, "tests/test_gdal.c", &src));
    src.close(src.ctx);
}

static void test_sink(void)
{
    taco_sink sink;
    taco_error err;
    taco_source src;
    char text[8] = {0};
    CHECK(taco_gdal_sink(&sink, "/vsimem/k/out", NULL, fresh(&err)) == TACO_OK);
    CHECK(sink.write(sink.ctx, 0, "abcd", 4) && sink.write(sink.ctx, 4, "efg", 3) &&
          sink.write(sink.ctx, 1, "B", 1));
    CHECK(files_below("/vsimem/k") == 1);
    CHECK(!taco_gdal_open_file(NULL, "/vsimem/k/out", &src)); /* not there before it is whole */
    CHECK(sink.close(sink.ctx, true));
    CHECK(files_below("/vsimem/k") == 1 && taco_gdal_open_file(NULL, "/vsimem/k/out", &src));
    CHECK(src.size == 7 && src.read(src.ctx, 0, text, 7));
    CHECK_TEXT(text, "aBcdefg");
    src.close(src.ctx);
    CHECK(taco_gdal_sink(&sink, "/vsimem/k/out", NULL, fresh(&err)) == TACO_OK);
    CHECK(sink.write(sink.ctx, 0, "x", 1) && sink.close(sink.ctx, false));
    CHECK(files_below("/vsimem/k") == 1 && taco_gdal_open_file(NULL, "/vsimem/k/out", &src));
    CHECK(src.size == 7); /* the old one stays */
    src.close(src.ctx);
    CHECK(taco_gdal_sink(&sink, "/none/nowhere/x", NULL, fresh(&err)) == TACO_ERR_IO);
    CHECK(strstr(taco_error_text(&err), "/none/nowhere/x: cannot be written") != NULL);
}

/* ---- images ---- */

static void test_open(void)
{
    static const char *const png[] = {"PNG", NULL};
    taco_dataset *ds = open_archive();
    taco_error err;
    GDALDatasetH image = taco_gdal_open(ds, "tile/a.tif", NULL, fresh(&err));
    CHECK(image && GDALGetRasterXSize(image) == WIDTH && GDALGetRasterCount(image) == 2);
    CHECK(!taco_gdal_open(ds, "tile", NULL, fresh(&err)) && err.code == TACO_ERR_ARGUMENT);
    CHECK(!taco_gdal_open(ds, "tile/c", NULL, fresh(&err)) && err.code == TACO_ERR_NOT_FOUND);
    CHECK(!taco_gdal_open(ds, "tile/b.txt", NULL, fresh(&err)) && err.code == TACO_ERR_CORRUPT);
    CHECK(strstr(taco_error_text(&err), "is not an image that GDAL can open") != NULL);
    CHECK(!taco_gdal_open(ds, "tile/a.tif", png, fresh(&err)) && err.code == TACO_ERR_CORRUPT);
    taco_close(ds);
    CHECK(image && GDALGetRasterYSize(image) == HEIGHT); /* needs no dataset */
    if (image) { GDALClose(image); }
}

static void test_window(void)
{
    GDALDatasetH image = GDALOpen("/vsimem/payload/a.tif", GA_ReadOnly);
    static const int second[] = {2}, none[] = {3};
    static double all[2 * WIDTH * HEIGHT];
    taco_gdal_window w;
    taco_error err;
    uint8_t bytes[4 * 3];
    float part[2 * 4 * 3];
    memset(&w, 0, sizeof w);
    CHECK(taco_gdal_window_bytes(image, NULL) == sizeof all);
    CHECK(taco_gdal_read(image, NULL, all, sizeof all, fresh(&err)) == TACO_OK);
    CHECK(all[0] == 1 && all[WIDTH + 2] == 5 && all[WIDTH * HEIGHT] == 1001);
    /* beyond the corner: 2 columns and 1 row are inside */
    w.x = WIDTH - 2;
    w.y = HEIGHT - 1;
    w.columns = 4;
    w.rows = 3;
    w.type = GDT_Float32;
    w.fill = -5;
    CHECK(taco_gdal_window_bytes(image, &w) == sizeof part);
    CHECK(taco_gdal_read(image, &w, part, sizeof part, fresh(&err)) == TACO_OK);
    CHECK(part[0] == (float)all[WIDTH * HEIGHT - 2] && part[1] == (float)all[WIDTH * HEIGHT - 1]);
    CHECK(part[2] == -5 && part[4] == -5 && part[12] == part[0] + 1000 && part[23] == -5);
    w.x = w.y = -1;
    w.bands = second;
    w.band_count = 1;
    w.type = GDT_Byte;
    w.fill = 7;
    CHECK(taco_gdal_read(image, &w, bytes, sizeof bytes, fresh(&err)) == TACO_OK);
    CHECK(bytes[0] == 7 && bytes[4] == 7 && bytes[5] == 255); /* clamped */
    w.x = WIDTH + 5;                                          /* all of it outside */
    CHECK(taco_gdal_read(image, &w, bytes, sizeof bytes, fresh(&err)) == TACO_OK && bytes[5] == 7);
    CHECK(taco_gdal_read(image, &w, bytes, sizeof bytes - 1, fresh(&err)) == TACO_ERR_ARGUMENT);
    CHECK_TEXT(taco_error_text(&err), "a window of 12 bytes, there is room for 11");
    w.bands = none;
    CHECK(taco_gdal_read(image, &w, bytes, sizeof bytes, fresh(&err)) == TACO_ERR_ARGUMENT);
    CHECK_TEXT(taco_error_text(&err), "band 3, the image has 1 to 2");
    w.columns = -1;
    CHECK(taco_gdal_window_bytes(image, &w) == 0);
    w.columns = INT64_MAX;
    w.rows = INT64_MAX;
    CHECK(taco_gdal_window_bytes(image, &w) == 0);
    CHECK(taco_gdal_read(image, &w, bytes, sizeof bytes, fresh(&err)) == TACO_ERR_ARGUMENT);
    GDALClose(image);
}

/* taco_loader reads through GDAL, many payloads with one call; one of them is empty. */
static void test_loader(void)
{
    taco_options opt;
    taco_error err;
    taco_sink sink;
    taco_writer *w;
    taco_dataset *ds;
    taco_loader *l;
    taco_loader_batch b;
    size_t i, n = 0;
    char id[16];
    CHECK(taco_gdal_sink(&sink, "/vsimem/t/load.tacozip", NULL, fresh(&err)) == TACO_OK);
    w = taco_create_sink(&sink, NULL, &err);
    taco_writer_collection(w, collection, sizeof collection - 1);
    for (i = 0; i < 150; i++) {
        snprintf(id, sizeof id, "s%03d", (int)i);
        taco_writer_bytes(w, id, id, i % 5);
    }
    CHECK(taco_writer_finish(w, &err) == TACO_OK);
    memset(&opt, 0, sizeof opt);
    opt.open_file = taco_gdal_open_file;
    ds = taco_open("/vsimem/t/load.tacozip", &opt, &err);
    l = taco_loader_open(ds, NULL, NULL, &err);
    while (taco_loader_next(l, &b)) {
        for (i = 0; i < b.count; i++, n++) {
            snprintf(id, sizeof id, "s%03d", (int)n);
            CHECK(b.items[i].bytes.len == n % 5 && memcmp(b.items[i].bytes.data, id, n % 5) == 0);
        }
    }
    CHECK(n == 150 && taco_loader_close(l, &err) == TACO_OK);
    CHECK_TEXT(taco_error_text(&err), "");
    taco_close(ds);
}

/* ---- facts ---- */

static bool near(double a, double b, double most)
{
    return fabs(a - b) <= most;
}

static void test_pixels(void)
{
    GDALDatasetH image = GDALOpen("/vsimem/payload/a.tif", GA_ReadOnly);
    taco_pixels p;
    taco_error err;
    static double all[WIDTH * HEIGHT], parts[WIDTH * HEIGHT];
    size_t at, n;
    CHECK(taco_gdal_pixels(image, &p, fresh(&err)) == TACO_OK);
    CHECK(p.bands == 2 && p.count == WIDTH * HEIGHT && p.scale == 1 && p.offset == 0);
    CHECK(p.read(p.ctx, 0, 0, all, WIDTH * HEIGHT));
    CHECK(all[7] != all[7] && all[8] == 9 && all[WIDTH] == 3);
    for (at = 0; at < WIDTH * HEIGHT; at += n) { /* ranges that begin and end within rows */
        n = at + 61 < WIDTH * HEIGHT ? 61 + at % 200 : 1;
        n = n < WIDTH * HEIGHT - at ? n : WIDTH * HEIGHT - at;
        CHECK(p.read(p.ctx, 0, at, parts + at, n));
    }
    CHECK(memcmp(all, parts, sizeof all) == 0);
    GDALClose(image);
}

/* GDAL's own statistics, and those that the writer makes of the pixels. */
static void test_stats(void)
{
    GDALDatasetH image = GDALOpen("/vsimem/payload/a.tif", GA_ReadOnly);
    taco_error err;
    taco_sink sink;
    taco_pixels p;
    taco_gdal_facts facts;
    taco_writer *w;
    taco_dataset *ds;
    taco_cursor *row;
    double least, most, mean, deviation;
    CHECK(taco_gdal_sink(&sink, "/vsimem/t/stats.tacozip", NULL, fresh(&err)) == TACO_OK);
    w = taco_create_sink(&sink, NULL, &err);
    taco_writer_collection(w, collection, sizeof collection - 1);
    taco_writer_stats_column(w, 0);
    taco_writer_stac_columns(w, 0);
    taco_writer_bytes(w, "x", "x", 1);
    CHECK(taco_gdal_pixels(image, &p, &err) == TACO_OK);
    CHECK(taco_writer_set_stats(w, &p, &err) == TACO_OK);
    CHECK(taco_gdal_describe(image, &facts, &err) == TACO_OK);
    CHECK(taco_writer_set_stac(w, &facts.stac, &err) == TACO_OK);
    CHECK(taco_writer_finish(w, &err) == TACO_OK);
    CHECK_TEXT(taco_error_text(&err), "");
    GDALComputeRasterStatistics(GDALGetRasterBand(image, 1), 0, &least, &most, &mean, &deviation,
                                NULL, NULL);
    GDALClose(image);
    VSIUnlink("/vsimem/payload/a.tif.aux.xml");
    {
        taco_options opt;
        taco_stats *stats;
        memset(&opt, 0, sizeof opt);
        opt.open_file = taco_gdal_open_file;
        ds = taco_open("/vsimem/t/stats.tacozip", &opt, &err);
        stats = taco_aggregate(ds, NULL, NULL, &err);
        CHECK(stats && stats->bands == 2 && near(stats->band[0].mean, mean, 1e-2) &&
              near(stats->band[0].min, least, 0) && near(stats->band[0].max, most, 0));
        taco_stats_free(stats);
        row = taco_select(ds, NULL, &err);
        CHECK(taco_cursor_next(row));
        CHECK_TEXT(taco_cursor_text(row, "stac:crs"), "EPSG:32718");
        CHECK_TEXT(taco_cursor_text(row, "stac:tensor_shape"), "[2,50,70]");
        taco_cursor_close(row, &err);
        taco_close(ds);
    }
    CHECK_TEXT(taco_error_text(&err), "");
}

static void test_describe(void)
{
    GDALDatasetH image = GDALOpen("/vsimem/payload/a.tif", GA_ReadOnly);
    static taco_gdal_facts f;
    taco_error err;
    double want[2], got[2];
    CHECK(taco_gdal_describe(image, &f, fresh(&err)) == TACO_OK);
    CHECK_TEXT(f.stac.crs, "EPSG:32718");
    CHECK(f.shape[0] == 2 && f.shape[1] == HEIGHT && f.shape[2] == WIDTH &&
          f.stac.shape == f.shape);
    /* the library's own UTM */
    CHECK(taco_lonlat("EPSG:32718", 300000 + 5 * WIDTH, 8600000 - 5 * HEIGHT, want, &err) ==
          TACO_OK);
    CHECK(near(f.centroid[0], want[0], 1e-9) && near(f.centroid[1], want[1], 1e-9));
    CHECK(f.footprint_len == TACO_GDAL_FOOTPRINT_BYTES && f.footprint[0] == 1);
    CHECK(f.box[0] < want[0] && f.box[2] > want[0] && f.box[1] < want[1] && f.box[3] > want[1]);
    CHECK(near(f.box[2] - f.box[0], 700.0 / 108000, 1e-3));
    /* the ring is closed */
    CHECK(memcmp(f.footprint + 13, f.footprint + f.footprint_len - 16, 16) == 0);
    GDALClose(image);
    make_image("/vsimem/payload/plain.tif", 0);
    image = GDALOpen("/vsimem/payload/plain.tif", GA_ReadOnly);
    CHECK(taco_gdal_describe(image, &f, fresh(&err)) == TACO_ERR_UNSUPPORTED);
    CHECK_TEXT(taco_error_text(&err), "/vsimem/payload/plain.tif: the image has no CRS");
    GDALClose(image);
    VSIUnlink("/vsimem/payload/plain.tif");
    /* a CRS that the library does not compute: Lambert azimuthal of Europe, at its origin */
    CHECK(taco_gdal_lonlat(NULL, "EPSG:3035", 4321000, 3210000, got));
    CHECK(near(got[0], 10, 1e-6) && near(got[1], 52, 1e-6));
    CHECK(!taco_gdal_lonlat(NULL, "no such CRS", 0, 0, got));
}

/* ---- /vsitaco/ ---- */

static void test_stat(void)
{
    VSIStatBufL st;
    CHECK(VSIStatL("/vsitaco/" ARCHIVE, &st) == 0 && VSI_ISDIR(st.st_mode));
    CHECK(VSIStatL("/vsitaco/{" ARCHIVE "}", &st) == 0 && VSI_ISDIR(st.st_mode));
    CHECK(VSIStatL("/vsitaco/" ARCHIVE "/tile/", &st) == 0 && VSI_ISDIR(st.st_mode));
    CHECK(VSIStatL("/vsitaco/" ARCHIVE "/tile/b.txt", &st) == 0 && st.st_size == 5);
    CHECK(VSIStatL("/vsitaco/{" ARCHIVE "}/tile/@1", &st) == 0 && st.st_size == 5);
    CHECK(VSIStatL("/vsitaco/" ARCHIVE "/tile/b", &st) != 0);
    CHECK(VSIStatL("/vsitaco/none.tacozip/b", &st) != 0 && VSIStatL("/vsitaco/b", &st) != 0);
    CHECK(VSIStatL("/vsitaco/{/vsitaco/" ARCHIVE "}/tile", &st) != 0);
    CHECK(VSIStatL("/vsitaco/examples/data/nested_folder", &st) == 0 && VSI_ISDIR(st.st_mode));
}

static void test_list(void)
{
    char **list = VSIReadDir("/vsitaco/" ARCHIVE "/tile");
    CHECK(CSLCount(list) == 2 && strcmp(list[0], "a.tif") == 0 && strcmp(list[1], "b.txt") == 0);
    CSLDestroy(list);
    list = VSIReadDirRecursive("/vsitaco/" ARCHIVE);
    CHECK(CSLCount(list) == 3 && CSLFindString(list, "tile/a.tif") >= 0);
    CSLDestroy(list);
    list = VSIReadDir("/vsitaco/" ARCHIVE "/tile/b.txt");
    CHECK(list == NULL);
    list = VSIReadDir("/vsitaco/examples/data/nested_folder");
    CHECK(CSLCount(list) > 0);
    CSLDestroy(list);
}

static void test_read(void)
{
    char text[8] = {0};
    void *parts[2] = {text, text + 3};
    const vsi_l_offset offsets[2] = {2, 0};
    const size_t sizes[2] = {3, 2};
    VSILFILE *f = VSIFOpenL("/vsitaco/" ARCHIVE "/tile/b.txt", "rb");
    CHECK(f && VSIFReadL(text, 1, 8, f) == 5);
    CHECK(f && VSIFReadL(text + 6, 1, 1, f) == 0 && VSIFEofL(f)); /* 3.10: only now */
    CHECK_TEXT(text, "hello");
    if (f) {
        CHECK(VSIFSeekL(f, 1, SEEK_SET) == 0 && VSIFTellL(f) == 1);
        CHECK(VSIFReadL(text, 1, 2, f) == 2 && memcmp(text, "el", 2) == 0);
        CHECK(VSIFReadMultiRangeL(2, parts, offsets, sizes, f) == 0);
        CHECK_TEXT(text, "llohe");
        VSIFCloseL(f);
    }
    CHECK(!VSIFOpenL("/vsitaco/" ARCHIVE "/tile", "rb"));
    errno = 0;
    CHECK(!VSIFOpenL("/vsitaco/" ARCHIVE "/tile/c", "rb") && errno == ENOENT);
    CHECK(!VSIFOpenL("/vsitaco/" ARCHIVE "/tile/b.txt", "wb"));
    CHECK(!VSIFOpenL("/vsitaco/" ARCHIVE "/tile/b.txt", "r+b"));
    CHECK(!VSIFOpenL("/vsitaco/" ARCHIVE "/tile/b.txt", "ab"));
}

static char *info(const char *path)
{
    GDALDatasetH image = GDALOpen(path, GA_ReadOnly);
    char *text = image ? GDALInfo(image, NULL) : NULL;
    if (image) { GDALClose(image); }
    return text;
}

/* What gdalinfo prints, but for the line of its files. */
static void test_info(void)
{
    char *want = info("/vsimem/payload/a.tif"), *got = info("/vsitaco/" ARCHIVE "/tile/a.tif");
    const char *a = want ? strstr(want, "\nSize is") : NULL,
               *b = got ? strstr(got, "\nSize is") : NULL;
    CHECK(a && b);
    if (a && b) {
        CHECK_TEXT(b, a);
        CHECK(strstr(got, "Files: /vsitaco/" ARCHIVE "/tile/a.tif\n") != NULL);
    }
    VSIFree(want);
    VSIFree(got);
}

/* A dataset that is replaced is seen. */
static void test_replaced(void)
{
    VSIStatBufL st;
    taco_sink sink;
    taco_error err;
    taco_writer *w;
    int i;
    for (i = 1; i <= 2; i++) {
        CHECK(taco_gdal_sink(&sink, "/vsimem/t/new.tacozip", NULL, fresh(&err)) == TACO_OK);
        w = taco_create_sink(&sink, NULL, &err);
        taco_writer_collection(w, collection, sizeof collection - 1);
        taco_writer_bytes(w, "x", "0123456789", i == 1 ? 4 : 9);
        CHECK(taco_writer_finish(w, &err) == TACO_OK);
        CHECK(VSIStatL("/vsitaco//vsimem/t/new.tacozip/x", &st) == 0);
        CHECK(st.st_size == (i == 1 ? 4 : 9));
    }
}

/* More datasets than are kept open. */
static void test_many(void)
{
    VSIStatBufL st;
    char path[64];
    int i, round;
    taco_sink sink;
    taco_error err;
    taco_writer *w;
    for (i = 0; i < 20; i++) {
        snprintf(path, sizeof path, "/vsimem/t/m%d.tacozip", i);
        CHECK(taco_gdal_sink(&sink, path, NULL, fresh(&err)) == TACO_OK);
        w = taco_create_sink(&sink, NULL, &err);
        taco_writer_collection(w, collection, sizeof collection - 1);
        taco_writer_bytes(w, "x", "01234567890123456789", (size_t)i + 1);
        CHECK(taco_writer_finish(w, &err) == TACO_OK);
    }
    for (round = 0; round < 2; round++) {
        for (i = 0; i < 20; i++) {
            snprintf(path, sizeof path, "/vsitaco//vsimem/t/m%d.tacozip/x", i);
            CHECK(VSIStatL(path, &st) == 0 && st.st_size == i + 1);
        }
    }
}

/* A path whose dataset is not open, with less and less memory failing: found, or not there. */
static void test_files_without_memory(void)
{
    char path[64], file[80];
    bool all = false;
    size_t n, found = 0;
    for (n = 1; !all && n < 1000; n++) {
        VSIStatBufL st;
        char **list;
        snprintf(path, sizeof path, "/vsitaco//vsimem/t/m%d.tacozip", (int)(n % 20));
        snprintf(file, sizeof file, "%s/x", path);
        memory.calls = 0;
        memory.fail_at = n;
        list = VSIReadDir(path);
        all = VSIStatL(file, &st) == 0 && memory.calls < n;
        found += CSLCount(list) == 1;
        CHECK(CSLCount(list) == 0 || strcmp(list[0], "x") == 0);
        CHECK(!all || (CSLCount(list) == 1 && st.st_size == (int)(n % 20) + 1));
        CSLDestroy(list);
    }
    memory.fail_at = 0;
    CHECK(all && n > 20 && found >= 1 && found < n - 1);
}

#ifdef WITH_THREADS
/* Reads an image from a thread of its own. */
static void read_one(void *arg, size_t i)
{
    static const char *const paths[] = {"/vsitaco/" ARCHIVE "/tile/a.tif",
                                        "/vsitaco//vsimem/t/m3.tacozip/x"};
    int *right = (int *)arg;
    VSILFILE *f = VSIFOpenL(paths[i % 2], "rb");
    char bytes[4];
    right[i] =
        f && VSIFReadL(bytes, 1, 4, f) == 4 && memcmp(bytes, i % 2 ? "0123" : "II*\0", 4) == 0;
    if (f) { VSIFCloseL(f); }
}

static void test_threads(void)
{
    int right[200] = {0}, sum = 0;
    size_t i;
    pool threads;
    pool_open(&threads, 4);
    pool_for(&threads, 200, read_one, right);
    pool_close(&threads);
    for (i = 0; i < 200; i++) {
        sum += right[i];
    }
    CHECK(sum == 200);
}
#endif

/* ---- calls of GDAL that fail ---- */

/* /vsifault/: files of /vsimem/fault/, of which the call number fault_at fails, counted from 1. */
static int fault_calls, fault_at;

static bool fault(void)
{
    return ++fault_calls == fault_at;
}

static const char *behind_fault(char path[256], const char *name)
{
    snprintf(path, 256, "/vsimem/fault/%s", name);
    return path;
}

static int fault_stat(void *ctx, const char *name, VSIStatBufL *st, int flags)
{
    char path[256];
    (void)ctx;
    return fault() ? -1 : VSIStatExL(behind_fault(path, name), st, flags);
}

static int fault_unlink(void *ctx, const char *name)
{
    char path[256];
    (void)ctx;
    return VSIUnlink(behind_fault(path, name));
}

static int fault_rename(void *ctx, const char *from, const char *to)
{
    char a[256], b[256];
    (void)ctx;
    return fault() ? -1 : VSIRename(behind_fault(a, from), behind_fault(b, to));
}

static void *fault_open(void *ctx, const char *name, const char *access)
{
    char path[256];
    (void)ctx;
    return fault() ? NULL : VSIFOpenL(behind_fault(path, name), access);
}

static vsi_l_offset fault_tell(void *f)
{
    return VSIFTellL((VSILFILE *)f);
}

static int fault_seek(void *f, vsi_l_offset offset, int whence)
{
    return fault() ? -1 : VSIFSeekL((VSILFILE *)f, offset, whence);
}

static size_t fault_read(void *f, void *dst, size_t size, size_t count)
{
    return fault() ? 0 : VSIFReadL(dst, size, count, (VSILFILE *)f);
}

static size_t fault_write(void *f, const void *src, size_t size, size_t count)
{
    return fault() ? 0 : VSIFWriteL(src, size, count, (VSILFILE *)f);
}

static int fault_eof(void *f)
{
    return VSIFEofL((VSILFILE *)f);
}

static int fault_close(void *f)
{
    int failed = fault() ? -1 : 0;
    return VSIFCloseL((VSILFILE *)f) != 0 ? -1 : failed;
}

static void install_faults(void)
{
    VSIFilesystemPluginCallbacksStruct *calls = VSIAllocFilesystemPluginCallbacksStruct();
    calls->stat = fault_stat;
    calls->unlink = fault_unlink;
    calls->rename = fault_rename;
    calls->open = fault_open;
    calls->tell = fault_tell;
    calls->seek = fault_seek;
    calls->read = fault_read;
    calls->write = fault_write;
    calls->eof = fault_eof;
    calls->close = fault_close;
    CHECK(VSIInstallPluginHandler("/vsifault/", calls) == 0);
    VSIFreeFilesystemPluginCallbacksStruct(calls);
}

/* An archive of one sample; false with an error if it could not be written. */
static bool write_behind_faults(taco_error *err)
{
    taco_sink sink;
    taco_writer *w;
    if (taco_gdal_sink(&sink, "/vsifault/a.tacozip", NULL, err) != TACO_OK) { return false; }
    w = taco_create_sink(&sink, NULL, err);
    taco_writer_collection(w, collection, sizeof collection - 1);
    taco_writer_bytes(w, "x", "hello", 5);
    return taco_writer_finish(w, err) == TACO_OK;
}

static bool read_behind_faults(taco_error *err)
{
    taco_options opt = {0};
    taco_dataset *ds;
    taco_cursor *row;
    bool good;
    opt.open_file = taco_gdal_open_file;
    ds = taco_open("/vsifault/a.tacozip", &opt, err);
    row = taco_select(ds, NULL, err);
    good = taco_cursor_next(row) && strcmp(taco_cursor_text(row, "id"), "x") == 0;
    good = taco_cursor_close(row, err) == TACO_OK && good;
    taco_close(ds);
    return good;
}

static bool is_there(const char *path)
{
    VSIStatBufL st;
    return VSIStatL(path, &st) == 0;
}

/* Each call once: an error, and no file that is not whole. Temporary ones stay, as GDAL 3.6 calls
   unlink of the C library instead of a plugin's; test_sink sees that they are removed. */
static void test_faults(void)
{
    taco_error err;
    int writes, reads;
    bool more = true;
    install_faults();
    fault_at = 0;
    CHECK(write_behind_faults(fresh(&err)) && read_behind_faults(&err));
    for (fault_at = 1; more; fault_at++) {
        bool good;
        VSIRmdirRecursive("/vsimem/fault");
        fault_calls = 0;
        good = write_behind_faults(fresh(&err));
        CHECK(is_there("/vsimem/fault/a.tacozip") == good);
        CHECK(good ? err.code == TACO_OK : err.code == TACO_ERR_IO && err.text[0]);
        more = fault_calls >= fault_at;
        CHECK(good || more);
    }
    writes = fault_at;
    for (fault_at = 1, more = true; more; fault_at++) {
        bool good;
        fault_calls = 0;
        good = read_behind_faults(fresh(&err));
        CHECK(good == (err.code == TACO_OK) && (good || err.text[0]));
        more = fault_calls >= fault_at;
        CHECK(good || more);
    }
    reads = fault_at;
    fault_at = 0;
    CHECK(writes > 5 && reads > 3);
    VSIRmdirRecursive("/vsimem/fault");
}

/* Each call for memory once. */
static void test_no_memory(void)
{
    taco_options opt;
    taco_allocator a;
    test_memory m;
    taco_error err;
    taco_sink sink;
    size_t n;
    for (n = 1; n < 20; n++) {
        taco_status st;
        test_counted(&opt, &a, &m);
        m.fail_at = n;
        st = taco_gdal_sink(&sink, "/vsimem/k/memory", &opt, n % 2 ? NULL : fresh(&err));
        if (st == TACO_OK) {
            CHECK(sink.close(sink.ctx, false) && m.live == 0);
            break;
        }
        CHECK(st == TACO_ERR_MEMORY && m.live == 0 && !sink.ctx);
    }
    CHECK(n > 2 && n < 20);
}

/* Images that have no place, or none on Earth. */
static void test_odd_places(void)
{
    static taco_gdal_facts f;
    taco_error err;
    double got[2];
    double nowhere[6] = {1e9, 10, 0, 1e9, 0, -10};
    GDALDriverH driver = GDALGetDriverByName("MEM");
    GDALDatasetH image = GDALCreate(driver, "m", 4, 4, 1, GDT_Byte, NULL);
    OGRSpatialReferenceH crs = OSRNewSpatialReference(NULL);
    OSRImportFromEPSG(crs, 32718);
    GDALSetSpatialRef(image, crs);
    CHECK(taco_gdal_describe(image, &f, fresh(&err)) == TACO_ERR_UNSUPPORTED);
    CHECK(strstr(taco_error_text(&err), "the image has no geotransform") != NULL);
    GDALSetGeoTransform(image, nowhere);
    CHECK(taco_gdal_describe(image, &f, fresh(&err)) == TACO_ERR_CORRUPT);
    CHECK(strstr(taco_error_text(&err), "the outline cannot be turned into degrees") != NULL);
    /* a CRS without a code is told as WKT */
    OSRDestroySpatialReference(crs);
    crs = OSRNewSpatialReference(NULL);
    OSRImportFromProj4(crs, "+proj=laea +lat_0=10 +lon_0=20 +datum=WGS84");
    GDALSetSpatialRef(image, crs);
    nowhere[0] = nowhere[3] = 0;
    GDALSetGeoTransform(image, nowhere);
    CHECK(taco_gdal_describe(image, &f, fresh(&err)) == TACO_OK);
    CHECK(strncmp(f.stac.crs, "PROJCS[", 7) == 0);
    CHECK(near(f.centroid[0], 20, 1e-3) && near(f.centroid[1], 10, 1e-3));
    OSRDestroySpatialReference(crs);
    GDALClose(image);
    CHECK(taco_gdal_lonlat(NULL, "EPSG:4326", 12, 34, got) && near(got[0], 12, 0));
    CHECK(!taco_gdal_lonlat(NULL, "EPSG:4326", 361, 0, got));
    CHECK(!taco_gdal_lonlat(NULL, "EPSG:4326", -361, 0, got));
    CHECK(!taco_gdal_lonlat(NULL, "EPSG:4326", 0, 91, got));
    CHECK(!taco_gdal_lonlat(NULL, "EPSG:4326", 0, -91, got));
    CHECK(!taco_gdal_lonlat(NULL, "EPSG:4326", 0, 0, NULL));
}

/* Pixels without statistics, with several scales, and some that cannot be read. */
static void test_odd_pixels(void)
{
    static const double scales[][2] = {{1, 0}, {2, 0}, {.5, 0}, {1, 3}, {1, -3}};
    static double all[2 * WIDTH * HEIGHT];
    GDALDriverH driver = GDALGetDriverByName("MEM");
    GDALDatasetH image = GDALCreate(driver, "m", 4, 4, 1, GDT_CFloat32, NULL);
    taco_pixels p;
    taco_error err;
    VSILFILE *f;
    size_t i;
    CHECK(taco_gdal_pixels(image, &p, fresh(&err)) == TACO_ERR_UNSUPPORTED);
    CHECK_TEXT(taco_error_text(&err), "band 1 is complex, statistics are of real numbers");
    GDALClose(image);
    image = GDALCreate(driver, "m", 4, 4, 0, GDT_Byte, NULL);
    CHECK(taco_gdal_pixels(image, &p, fresh(&err)) == TACO_ERR_ARGUMENT);
    CHECK_TEXT(taco_error_text(&err), "the image has no bands");
    GDALClose(image);
    for (i = 0; i < sizeof scales / sizeof *scales; i++) {
        image = GDALCreate(driver, "m", 4, 4, 2, GDT_Byte, NULL);
        GDALSetRasterScale(GDALGetRasterBand(image, 2), scales[i][0]);
        GDALSetRasterOffset(GDALGetRasterBand(image, 2), scales[i][1]);
        CHECK(taco_gdal_pixels(image, &p, fresh(&err)) == TACO_OK);
        CHECK(near(p.scale, i ? 0 : 1, 0) && near(p.offset, 0, 0));
        GDALClose(image);
    }
    /* the last tiles are cut off, with those of the mask */
    make_image("/vsimem/payload/cut.tif", 0);
    f = VSIFOpenL("/vsimem/payload/cut.tif", "r+b");
    VSIFTruncateL(f, 900);
    VSIFCloseL(f);
    image = GDALOpen("/vsimem/payload/cut.tif", GA_ReadOnly);
    CHECK(image && taco_gdal_pixels(image, &p, fresh(&err)) == TACO_OK);
    CHECK(!p.read(p.ctx, 1, 0, all, WIDTH * HEIGHT));
    CHECK(taco_gdal_read(image, NULL, all, sizeof all, fresh(&err)) == TACO_ERR_IO);
    CHECK(strstr(taco_error_text(&err), "/vsimem/payload/cut.tif: cannot be read") != NULL);
    GDALClose(image);
    VSIUnlink("/vsimem/payload/cut.tif");
}

/* Windows far outside, too large, or of nothing. */
static void test_odd_windows(void)
{
    const int64_t far = (int64_t)1 << 41;
    static const int second[] = {0};
    GDALDatasetH image = GDALOpen("/vsimem/payload/a.tif", GA_ReadOnly);
    taco_gdal_window w;
    taco_error err;
    uint8_t byte;
    memset(&w, 0, sizeof w);
    w.x = far;
    CHECK(taco_gdal_window_bytes(image, &w) == 0);
    w.x = -far;
    CHECK(taco_gdal_window_bytes(image, &w) == 0);
    w.x = 0;
    w.y = far;
    CHECK(taco_gdal_window_bytes(image, &w) == 0);
    w.y = -far;
    CHECK(taco_gdal_window_bytes(image, &w) == 0);
    w.y = 0;
    w.rows = far;
    CHECK(taco_gdal_window_bytes(image, &w) == 0);
    w.rows = w.columns = (int64_t)1 << 40; /* their product does not fit */
    CHECK(taco_gdal_window_bytes(image, &w) == 0);
    w.columns = (int64_t)1 << 23; /* with two bands of eight bytes it does not */
    CHECK(taco_gdal_window_bytes(image, &w) == 0);
    w.columns = 1;
    w.rows = -1;
    CHECK(taco_gdal_window_bytes(image, &w) == 0);
    w.rows = 1;
    w.bands = second;
    CHECK(taco_gdal_window_bytes(image, &w) == 0); /* no bands */
    w.band_count = 1;
    CHECK(taco_gdal_read(image, &w, &byte, 1, fresh(&err)) == TACO_ERR_ARGUMENT);
    CHECK_TEXT(taco_error_text(&err), "band 0, the image has 1 to 2");
    GDALClose(image);
}

static void test_null(void)
{
    taco_error err;
    taco_source src;
    taco_sink sink;
    taco_pixels p;
    static taco_gdal_facts f;
    double two[2];
    CHECK(taco_gdal_source(&src, NULL, fresh(&err)) == TACO_ERR_ARGUMENT);
    CHECK(!taco_gdal_open_file(NULL, NULL, &src));
    CHECK(taco_gdal_source(&src, "", fresh(&err)) == TACO_ERR_ARGUMENT);
    CHECK(taco_gdal_sink(&sink, NULL, NULL, fresh(&err)) == TACO_ERR_ARGUMENT);
    CHECK(taco_gdal_sink(&sink, "", NULL, fresh(&err)) == TACO_ERR_ARGUMENT);
    CHECK(!taco_gdal_open(NULL, NULL, NULL, fresh(&err)) && err.code == TACO_ERR_ARGUMENT);
    CHECK(taco_gdal_window_bytes(NULL, NULL) == 0);
    CHECK(taco_gdal_read(NULL, NULL, NULL, 0, fresh(&err)) == TACO_ERR_ARGUMENT);
    CHECK(taco_gdal_pixels(NULL, &p, fresh(&err)) == TACO_ERR_ARGUMENT);
    CHECK(taco_gdal_describe(NULL, &f, fresh(&err)) == TACO_ERR_ARGUMENT);
    CHECK(!taco_gdal_lonlat(NULL, NULL, 0, 0, two));
    CHECK(!taco_gdal_install(NULL, fresh(&err)) && err.code == TACO_ERR_STATE); /* it is there */
    taco_gdal_uninstall(NULL);
}

int main(void)
{
    taco_error err;
    taco_options opt;
    taco_allocator allocator;
    GDALAllRegister();
    test_counted(&opt, &allocator, &memory);
    memory.fail_at = 1;
    CHECK(!taco_gdal_install(&opt, fresh(&err)) && err.code == TACO_ERR_MEMORY);
    memory.fail_at = 0;
    files = taco_gdal_install(&opt, fresh(&err));
    CHECK(files != NULL);
    CPLPushErrorHandler(CPLQuietErrorHandler);
    make_archive();
    RUN(test_source);
    RUN(test_sink);
    RUN(test_open);
    RUN(test_window);
    RUN(test_loader);
    RUN(test_pixels);
    RUN(test_stats);
    RUN(test_describe);
    RUN(test_stat);
    RUN(test_list);
    RUN(test_read);
    RUN(test_info);
    RUN(test_replaced);
    RUN(test_many);
    RUN(test_files_without_memory);
#ifdef WITH_THREADS
    RUN(test_threads);
#endif
    RUN(test_faults);
    RUN(test_no_memory);
    RUN(test_odd_places);
    RUN(test_odd_pixels);
    RUN(test_odd_windows);
    RUN(test_null);
    CPLPopErrorHandler();
    taco_gdal_uninstall(files);
    CHECK(memory.live == 0);
    GDALDestroyDriverManager();
    return test_end("test_gdal");
}
