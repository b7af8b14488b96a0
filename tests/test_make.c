/* Creating datasets: archives byte by byte, the rules, the builder, exports, and what failures
   leave behind. */
#include "../src/dataset/zip_read.c"
#include <math.h>
#include "../src/validate/collection_extent.c"
#include "../src/write/zip_write.c"
#include "../src/base/base.h"
#include "../src/base/sink.h"
#include "../src/base/file_copy.h"
#include "../src/validate/validate.h"
#include "../taco_parquet.h"
#include "../extra/taco_parquet_write.h"
#include "../taco.h"
#include "../extra/taco_write.h"
#include "../extra/taco_legacy.h"
#include "../extra/taco_sql.h"

#include "test.h"

#include "names.h"

static const char collection[] =
    "{\"id\":\"demo\",\"dataset_version\":\"1.0.0\",\"description\":\"d\",\"licenses\":[\"CC-BY-4."
    "0\"],"
    "\"providers\":[{\"name\":\"x\"}],\"tasks\":[\"other\"],\"zoo:lander\":{\"a\":[1,2]}}";
#define DIR      "build/test_make"
#define DIR_NAME "test_make"

/* ---- a small dataset: 3 tiles of a FOLDER with two files and a file, and columns of all kinds
   ---- */

static void fill(taco_writer *w, const uint8_t *large, size_t size)
{
    static const double box[] = {1.5, -2, 0, 1e300, 5, 6};
    static const int64_t shape[] = {3, 512, 512};
    int i, k;
    taco_writer_collection(w, collection, sizeof collection - 1);
    taco_writer_column(w, 0, "split", TACO_TEXT);
    taco_writer_column(w, 0, "stac:time_start", TACO_TIMESTAMP);
    taco_writer_column(w, 0, "cloud", TACO_DOUBLE);
    taco_writer_column(w, 0, "good", TACO_BOOL);
    taco_writer_column(w, 0, "n", TACO_INT16);
    taco_writer_list(w, 0, "stac:tensor_shape", TACO_INT64);
    taco_writer_list(w, 0, "stac:geotransform", TACO_DOUBLE);
    taco_writer_column(w, 0, "raw", TACO_BINARY);
    taco_writer_column(w, 2, "band", TACO_INT32);
    for (i = 0; i < 3; i++) {
        char id[32];
        snprintf(id, sizeof id, "tile_%d", 9 + i); /* not in byte order */
        taco_writer_folder_begin(w, id);
        taco_writer_set_text(w, "split", i ? "train" : NULL);
        taco_writer_set_text(w, "stac:time_start",
                             i == 1 ? "2020-02-29T12:00:00Z"
                             : i    ? "2021-01-01"
                                    : NULL);
        taco_writer_set_double(w, "cloud", i / 2.0);
        taco_writer_set_bool(w, "good", i == 1);
        taco_writer_set_int(w, "n", -i);
        taco_writer_set_ints(w, "stac:tensor_shape", shape, (size_t)i);
        if (i) {
            taco_writer_set_doubles(w, "stac:geotransform", box, 6);
        } else {
            taco_writer_set_null(w, "stac:geotransform");
        }
        taco_writer_folder_begin(w, "bands");
        for (k = 0; k < 2; k++) {
            snprintf(id, sizeof id, "b%d", k);
            taco_writer_bytes(w, id, "01234567", (size_t)(i + k));
            taco_writer_set_int(w, "band", k);
        }
        taco_writer_folder_end(w);
        taco_writer_bytes(w, "large", large, size);
        taco_writer_folder_end(w);
        taco_writer_set_bytes(w, "raw", "\0\1\2", 3); /* behind its children */
    }
}

static uint8_t large[700000];

static taco_bytes make_archive(taco_sink *sink, const taco_create_options *opt, size_t size,
                               taco_error *err)
{
    size_t i;
    taco_writer *w;
    for (i = 0; i < sizeof large; i++) {
        large[i] = (uint8_t)(i * 2654435761U >> 13);
    }
    if (taco_sink_memory(sink, NULL, err) != TACO_OK) { return taco__bytes_of(NULL, 0); }
    w = taco_create_sink(sink, opt, err);
    fill(w, large, size);
    taco_writer_finish(w, err);
    return taco_sink_bytes(sink);
}

static taco_dataset *open_bytes(taco_bytes b, taco_error *err)
{
    taco_source src;
    taco_source_memory(&src, b.data, b.len);
    return taco_open_source(&src, "m.tacozip", NULL, err);
}

static taco_bytes read_path(const char *path, taco__mem *mem)
{
    taco_source src;
    taco_bytes b = {NULL, 0};
    if (taco_source_file(&src, path, NULL) == TACO_OK) {
        uint8_t *p = (uint8_t *)taco__mem_alloc(mem, (size_t)src.size, NULL);
        if (src.read(src.ctx, 0, p, (size_t)src.size)) { b = taco__bytes_of(p, (size_t)src.size); }
        src.close(src.ctx);
    }
    return b;
}

static taco__path_kind kind_of(const char *path)
{
    uint64_t size;
    return taco__plat_stat(path, &size);
}

static void clean(const char *path)
{
    test_names_remove(path);
}

/* Names that writers use while they are at work on DIR or what begins like it. */
static size_t unfinished(void)
{
    return test_names_count("build", DIR_NAME, ".part");
}

/* ---- what was written is read ---- */

static void check_rows(taco_dataset *ds)
{
    taco_error err = {0};
    taco_cursor *row = taco_select(ds, NULL, &err);
    double d = -1;
    int64_t x = -1;
    taco_bytes b;
    taco_source src;
    char text[16] = {0};
    CHECK(row != NULL);
    if (!row) {
        CHECK_TEXT(taco_error_text(&err), "");
        return;
    }
    CHECK(taco_cursor_next(row) && !taco_cursor_text(row, "split") &&
          !taco_cursor_text(row, "stac:time_start"));
    CHECK(taco_cursor_next(row));
    CHECK_TEXT(taco_cursor_text(row, "id"), "tile_10");
    CHECK_TEXT(taco_cursor_text(row, "split"), "train");
    CHECK_TEXT(taco_cursor_text(row, "stac:time_start"), "2020-02-29T12:00:00.000000");
    CHECK_TEXT(taco_cursor_text(row, "stac:tensor_shape"), "[3]");
    CHECK_TEXT(taco_cursor_text(row, "stac:geotransform"), "[1.5,-2.0,0.0,1e+300,5.0,6.0]");
    CHECK_TEXT(taco_cursor_text(row, "good"), "true");
    CHECK(taco_cursor_double(row, "cloud", &d) && d > 0.49 && d < 0.51);
    CHECK(taco_cursor_int(row, "n", &x) && x == -1);
    CHECK(taco_cursor_bytes(row, "raw", &b) && b.len == 3 && memcmp(b.data, "\0\1\2", 3) == 0);
    taco_cursor_close(row, &err);
    CHECK(taco_payload(ds, "tile_11/bands/b1", &src, &err) == TACO_OK);
    CHECK(src.size == 3 && src.read(src.ctx, 0, text, 3));
    CHECK_TEXT(text, "012");
    src.close(src.ctx);
    CHECK_TEXT(taco_error_text(&err), "");
}

static void test_archive(void)
{
    taco_error err = {0};
    taco_sink sink;
    taco_bytes b = make_archive(&sink, NULL, sizeof large, &err), e;
    taco_dataset *ds = open_bytes(b, &err);
    taco_source src;
    CHECK_TEXT(taco_error_text(&err), "");
    CHECK(taco_levels(ds) == 3 && taco_level_rows(ds, 2, &err) == 6);
    check_rows(ds);
    CHECK(taco_payload(ds, "tile_9/large", &src, &err) == TACO_OK && src.size == sizeof large);
    src.close(src.ctx);
    e = taco_collection(ds, "zoo:lander");
    CHECK(e.len > 10 && memchr(e.data, '2', e.len));
    e = taco_collection(ds, "extent");
    CHECK(e.len && strstr((const char *)e.data, "2020-02-29T12:00:00.000000Z"));
    e = taco_collection(ds, "taco:pit_schema");
    CHECK(e.len && strstr((const char *)e.data, "\"large\""));
    CHECK_TEXT(taco_error_text(&err), "");
    taco_close(ds);
    taco_sink_free(&sink);
}

static void test_file_and_sink_alike(void)
{
    taco_create_options opt = {0};
    taco_error err = {0};
    taco_sink sink;
    taco__mem mem;
    taco_bytes b = make_archive(&sink, NULL, sizeof large, &err), f;
    taco_writer *w;
    taco__mem_init(&mem, NULL);
    clean(DIR ".zip");
    w = taco_create(DIR ".zip", NULL, &err);
    fill(w, large, sizeof large);
    CHECK(kind_of(DIR ".zip") == TACO__PATH_MISSING);
    CHECK(taco_writer_finish(w, &err) == TACO_OK);
    CHECK(unfinished() == 0);
    f = read_path(DIR ".zip", &mem);
    /* patched headers against headers whose CRC was known before */
    CHECK(taco__bytes_equal(b, f));
    taco__mem_free_disowned(&mem.a, (void *)(uintptr_t)f.data, f.len);
    CHECK(taco_create(DIR ".zip", NULL, &err) == NULL);
    CHECK_TEXT(taco_error_text(&err),
               "'" DIR ".zip' exists already, and overwrite is not asked for");
    memset(&err, 0, sizeof err);
    opt.overwrite = true;
    w = taco_create(DIR ".zip", &opt, &err);
    CHECK(w != NULL);
    taco_writer_abort(w);
    CHECK(kind_of(DIR ".zip") == TACO__PATH_FILE && unfinished() == 0);
    taco_sink_free(&sink);
    clean(DIR ".zip");
}

static void test_folder(void)
{
    taco_error err = {0};
    taco_writer *w;
    taco_dataset *ds;
    clean(DIR);
    w = taco_create(DIR, NULL, &err);
    fill(w, large, 10);
    CHECK(kind_of(DIR) == TACO__PATH_MISSING && unfinished() == 1);
    CHECK(taco_writer_finish(w, &err) == TACO_OK);
    CHECK_TEXT(taco_error_text(&err), "");
    CHECK(kind_of(DIR "/DATA/tile_9/bands/__meta__") == TACO__PATH_FILE && unfinished() == 0);
    ds = taco_open(DIR, NULL, &err);
    check_rows(ds);
    taco_close(ds);
    w = taco_create(DIR, NULL, &err);
    CHECK(w == NULL && err.code == TACO_ERR_ARGUMENT);
    memset(&err, 0, sizeof err);
    clean(DIR);
    w = taco_create(DIR, NULL, &err);
    fill(w, large, 10);
    taco_writer_abort(w);
    CHECK(kind_of(DIR) == TACO__PATH_MISSING && unfinished() == 0);
    /* what somebody has beside it is in nobody's way, and stays */
    taco__dir_make_new(DIR ".part", &err);
    taco__dir_make_new(DIR ".part/DATA", &err);
    w = taco_create(DIR, NULL, &err);
    taco_writer_abort(w);
    CHECK(w && kind_of(DIR ".part/DATA") == TACO__PATH_DIRECTORY);
    clean(DIR ".part");
}

/* ---- the archive's records ---- */

static void test_records(void)
{
    static const uint64_t sizes[] = {0, 0xFFFFFFFEU, 0xFFFFFFFFU, UINT64_C(0x100000000)};
    taco_error err = {0};
    taco__mem mem;
    taco__zip_writer z;
    taco__output out;
    taco_sink sink;
    size_t i;
    taco__mem_init(&mem, NULL);
    CHECK(taco_sink_memory(&sink, NULL, &err) == TACO_OK &&
          taco__output_open(&out, &sink, &mem, &err));
    CHECK(taco__zip_write_begin(&z, &out, &mem, INT64_C(1700000000), &err));
    CHECK(z.stamp == (((43U << 9 | 11U << 5 | 14U) << 16) | (22U << 11 | 13U << 5 | 10U)));
    for (i = 0; i < 4; i++) {
        uint8_t b[128];
        taco__zip_local_header h;
        taco_bytes name = taco__bytes_text("DATA/x");
        size_t n = taco__zip_write_local_header_size(name, sizes[i]);
        taco__zip_write_local_header(&z, b, name, 7, sizes[i]);
        CHECK(n == (i < 2 ? 36U : 56U)); /* never an empty extra field */
        CHECK(taco__zip_read_local_header(taco__bytes_of(b, n), 0, &h, &err) == TACO_OK);
        CHECK(h.size == sizes[i] && h.csize == sizes[i] && h.length == n && h.crc == 7);
        CHECK(h.needed == (i < 2 ? 10 : 45));
    }
    CHECK(taco__output_close(&out, true, &err));
    taco_sink_free(&sink);
    taco__zip_write_free(&z);
    CHECK(mem.used == 0);
}

/* A sink of a fixed size that takes writes anywhere; the largest end of one is in `end`. */
typedef struct fixed {
    uint8_t *data;
    uint64_t room, end;
    bool kept;
} fixed;

static bool fixed_write(void *ctx, uint64_t offset, const void *src, size_t len)
{
    fixed *f = (fixed *)ctx;
    if (offset > f->room || len > f->room - offset) { return false; }
    memcpy(f->data + offset, src, len);
    f->end = offset + len > f->end ? offset + len : f->end;
    return true;
}

static bool fixed_close(void *ctx, bool keep)
{
    ((fixed *)ctx)->kept = keep;
    return true;
}

/* Samples of several sizes in a FOLDER, their bytes handed over, or written by the caller. */
static void fill_placed(taco_writer *w, fixed *f, bool placed)
{
    static const size_t sizes[] = {0, 1, 300000, 5, 70000, 262144};
    uint64_t at[6];
    size_t i;
    char id[8] = "s0";
    CHECK(taco_writer_collection(w, collection, sizeof collection - 1) == TACO_OK);
    taco_writer_folder_begin(w, "f");
    for (i = 0; i < 6; i++) {
        id[1] = (char)('0' + i);
        if (placed) {
            CHECK(taco_writer_placed(w, id, sizes[i], taco_crc32(0, large + i, sizes[i]), &at[i]) ==
                  TACO_OK);
        } else {
            taco_writer_bytes(w, id, large + i, sizes[i]);
        }
    }
    taco_writer_folder_end(w);
    CHECK(taco_writer_finish(w, NULL) == TACO_OK);
    for (i = 0; placed && i < 6; i++) {
        CHECK(fixed_write(f, at[i], large + i, sizes[i]));
    }
}

static void test_placed(void)
{
    static uint8_t out[2][800000];
    fixed f[2];
    taco_sink sink;
    taco_writer *w;
    uint64_t at;
    size_t k;
    taco_error err = {0};
    memset(f, 0, sizeof f);
    for (k = 0; k < sizeof large; k++) {
        large[k] = (uint8_t)(k * 2654435761U >> 24);
    }
    for (k = 0; k < 2; k++) {
        f[k].data = out[k];
        f[k].room = sizeof out[k];
        sink.ctx = &f[k];
        sink.write = fixed_write;
        sink.close = fixed_close;
        fill_placed(taco_create_sink(&sink, NULL, NULL), &f[k], k == 1);
        CHECK(f[k].kept);
    }
    CHECK(f[0].end == f[1].end && memcmp(out[0], out[1], (size_t)f[0].end) == 0);
    w = taco_create("build/placed_folder", NULL, &err);
    taco_writer_collection(w, collection, sizeof collection - 1);
    CHECK(taco_writer_placed(w, "a", 1, 0, &at) == TACO_ERR_ARGUMENT);
    CHECK(taco_writer_finish(w, &err) == TACO_ERR_ARGUMENT);
    CHECK(strstr(taco_error_text(&err), "whose bytes come from elsewhere") != NULL);
}

static void test_many(void)
{
    taco_error err = {0};
    taco_sink sink;
    taco_writer *w;
    taco_dataset *ds;
    taco__zip_dir dir;
    taco_bytes b;
    int i;
    CHECK(taco_sink_memory(&sink, NULL, &err) == TACO_OK);
    w = taco_create_sink(&sink, NULL, &err);
    taco_writer_collection(w, collection, sizeof collection - 1);
    for (i = 0; i < 70000; i++) {
        char id[16];
        snprintf(id, sizeof id, "%d", i);
        taco_writer_bytes(w, id, id, strlen(id));
    }
    CHECK(taco_writer_finish(w, &err) == TACO_OK);
    b = taco_sink_bytes(&sink);
    CHECK(taco__zip_read_eocd(b, 0, b.len, &dir, &err) == TACO_OK);
    CHECK(dir.entries == 70003 && dir.eocd64 != 0);
    ds = open_bytes(b, &err);
    CHECK(taco_level_rows(ds, 0, &err) == 70000);
    taco_close(ds);
    taco_sink_free(&sink);
}

/* ---- rules ---- */

static const char *id_error(const char *id)
{
    static taco_error err;
    memset(&err, 0, sizeof err);
    if (taco__rules_check_id(taco__bytes_text(id), &err) == TACO_OK) {
        taco__rules_check_file_name(taco__bytes_text(id), &err);
    }
    return taco_error_text(&err);
}

static const char *key_error(const char *name)
{
    static taco_error err;
    memset(&err, 0, sizeof err);
    taco__rules_check_column_name(taco__bytes_text(name), &err);
    return taco_error_text(&err);
}

static void test_names(void)
{
    CHECK_TEXT(id_error("a b.tif"), "");
    CHECK_TEXT(id_error("__TACOPAD__3"), "");
    CHECK_TEXT(id_error("a/b"), "id 'a/b' contains '/'; an id has no '/', '\\' and ':'");
    CHECK_TEXT(id_error("C:"), "id 'C:' contains ':'; an id has no '/', '\\' and ':'");
    CHECK_TEXT(id_error("__x"), "id '__x' starts with '__', which is reserved for padding");
    CHECK_TEXT(id_error("__TACOPAD__"),
               "id '__TACOPAD__' starts with '__', which is reserved for padding");
    CHECK_TEXT(id_error(".."), "id '..' is a directory's name for itself or the one above");
    CHECK_TEXT(id_error(""), "an id is empty; it names a file");
    CHECK(strstr(id_error("\xFF"), "is not UTF-8") != NULL);
    CHECK_TEXT(key_error("stac:crs"), "");
    CHECK_TEXT(key_error("a_1"), "");
    CHECK(strstr(key_error("a:b:c"), "one ':'") && strstr(key_error(":a"), "one ':'") &&
          strstr(key_error("a:"), "one ':'"));
    CHECK(strstr(key_error("a-b"), "letters") && strstr(key_error(""), "letters"));
    CHECK_TEXT(key_error("path"), "");
    CHECK_TEXT(key_error("Type"), "column 'Type': id, type and internal:* are the format's own, in "
                                  "any case; rename the column, or leave it out");
    CHECK(strstr(key_error("internal:x"), "the format's own") != NULL);
    CHECK(strstr(key_error("Internal:size"), "the format's own") != NULL);
}

/* The message for a collection in which `from` is replaced by `to`. */
static const char *collection_error(const char *from, const char *to)
{
    static taco_error err;
    static char text[4096];
    const char *at = strstr(collection, from);
    taco_writer *w;
    taco_sink sink;
    memset(&err, 0, sizeof err);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - collection), collection, to,
             at + strlen(from));
    taco_sink_memory(&sink, NULL, &err);
    w = taco_create_sink(&sink, NULL, &err);
    taco_writer_collection(w, text, strlen(text));
    taco_writer_bytes(w, "a", "x", 1);
    taco_writer_finish(w, &err);
    taco_sink_free(&sink);
    return err.code == TACO_OK         ? ""
           : strstr(err.text, "byte ") ? strstr(strstr(err.text, "byte "), ": ") + 2
                                       : err.text;
}

static void test_collection(void)
{
    static const char *const rows[][3] = {
        {"demo", "demo", ""},
        {"\"zoo:lander\":", "\"extent\":{\"spatial\":null},\"y\":",
         "extent.spatial must be four numbers: west, south, east, north"},
        {"\"zoo:lander\":",
         "\"extent\":{\"spatial\":[0,1,1,4],\"temporal\":[\"2021-01-01\",\"soon\"]},\"y\":",
         "extent.temporal[1] is 'soon', must be an ISO 8601 date and time"},
        {"\"zoo:lander\":", "\"curators\":4,\"y\":",
         "curators must be an array of objects, found a number"},
        {"\"zoo:lander\":", "\"curators\":[4],\"y\":",
         "curators[0] must be an object, found a number"},
        {"\"zoo:lander\":", "\"curators\":[{\"organization\":\"o\",\"name\":4}],\"y\":",
         "curators[0].name must be a string, found a number"},
        {"\"zoo:lander\":", "\"curators\":[{\"name\":\"a\",\"roles\":4}],\"y\":",
         "curators[0].roles must be an array of strings"},
        {"\"zoo:lander\":", "\"curators\":[{\"organization\":\"o\",\"email\":\"\"}],\"y\":", ""},
        {"\"zoo:lander\":", "\"taco_version\":\"x\",\"y\":",
         "taco_version is 'x', must be a version such as 2.0.0"},
        {"demo", "Demo", "id is 'Demo', must be lower case letters, digits, '_' and '-'"},
        {"\"demo\"", "7", "id must be a string, found a number"},
        {"\"1.0.0\"", "null", "dataset_version must be a string that is not empty, found null"},
        {"\"d\"", "\"\"", "description must be a string that is not empty, found an empty one"},
        {"[\"CC-BY-4.0\"]", "[]",
         "licenses must be an array of strings, at least one, found an empty one"},
        {"[\"CC-BY-4.0\"]", "[\"a\",3]",
         "licenses[1] must be a string that is not empty, found a number"},
        {"\"name\"", "\"nome\"", "providers[0] must have a name or an organization"},
        {"\"x\"", "\"x\",\"url\":\"ftp://a\"",
         "providers[0].url is 'ftp://a', must begin with http:// or https://"},
        {"\"x\"", "\"x\",\"roles\":[1]", "providers[0].roles must be an array of strings"},
        {"[\"other\"]", "[\"cooking\"]",
         "tasks[0] is 'cooking', must be one of the 21 known tasks (regression, classification, "
         "..., other)"},
        {"\"zoo:lander\":", "\"title\":4,\"y\":", "title must be a string or null, found a number"},
        {"\"zoo:lander\":", "\"curators\":[{\"name\":\"a\",\"email\":\"b\"}],\"y\":",
         "curators[0].email is 'b', must contain '@'"},
        {"\"zoo:lander\":", "\"keywords\":\"a\",\"y\":",
         "keywords must be an array of strings, found a string"},
        {"\"zoo:lander\":", "\"extent\":{\"spatial\":[0,5,1,4]},\"y\":",
         "extent.spatial: south is '5', above north, '4'"},
        {"\"zoo:lander\":",
         "\"extent\":{\"spatial\":[0,1,1,4],\"temporal\":[\"2021-01-01\",\"2020-01-01\"]},\"y\":",
         "extent.temporal: the start is after the end"},
    };
    char title[300];
    size_t i;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        CHECK_TEXT(collection_error(rows[i][0], rows[i][1]), rows[i][2]);
    }
    /* characters count, not bytes */
    strcpy(title, "\"title\":\"");
    memset(title + 9, 'a', 251);
    strcpy(title + 9 + 251, "\",\"y\":");
    CHECK_TEXT(collection_error("\"zoo:lander\":", title), "title has 251 characters, at most 250");
    strcpy(title + 9 + 249, "\xC3\xA9\",\"y\":");
    CHECK_TEXT(collection_error("\"zoo:lander\":", title), "");
}

/* ---- refusals of the builder; each is sticky and leaves nothing ---- */

static taco_error refused;

static taco_writer *begin(taco_sink *sink, const taco_create_options *opt)
{
    taco_writer *w;
    memset(&refused, 0, sizeof refused);
    taco_sink_memory(sink, NULL, &refused);
    w = taco_create_sink(sink, opt, &refused);
    taco_writer_collection(w, collection, sizeof collection - 1);
    taco_writer_column(w, 0, "c", TACO_INT8);
    return w;
}

static const char *end(taco_writer *w, taco_sink *sink)
{
    taco_status st = taco_writer_finish(w, &refused);
    CHECK(st == refused.code);
    CHECK(st == TACO_OK || taco_sink_bytes(sink).len == 0);
    taco_sink_free(sink);
    return taco_error_text(&refused);
}

static void test_refusals(void)
{
    taco_create_options loose = {0};
    taco_sink s;
    taco_writer *w = begin(&s, NULL);
    taco_writer_bytes(w, "a", "x", 1);
    taco_writer_bytes(w, "b", "x", 1);
    CHECK_TEXT(end(w, &s), "sample 'a' of level 0 has no value for column 'c'; the schema is "
                           "strict, null must be said");
    w = begin(&s, NULL);
    taco_writer_bytes(w, "a", "x", 1);
    taco_writer_set_int(w, "c", 200);
    CHECK_TEXT(
        end(w, &s),
        "sample 0 of level 0, 'a': column 'c' is int8, was given a number that does not fit");
    w = begin(&s, NULL);
    taco_writer_bytes(w, "a", "x", 1);
    taco_writer_set_text(w, "c", "7");
    CHECK_TEXT(end(w, &s), "sample 0 of level 0, 'a': column 'c' is int8, was given text");
    w = begin(&s, NULL);
    taco_writer_bytes(w, "a", "x", 1);
    taco_writer_set_int(w, "c", 1);
    taco_writer_set_int(w, "c", 1);
    CHECK_TEXT(end(w, &s), "sample 0 of level 0, 'a': column 'c' is set twice");
    w = begin(&s, NULL);
    taco_writer_bytes(w, "a", "x", 1);
    CHECK(taco_writer_set_int(w, "d", 1) == TACO_ERR_NOT_FOUND);
    CHECK(taco_writer_bytes(w, "b", "x", 1) == TACO_ERR_NOT_FOUND); /* sticky */
    CHECK_TEXT(end(w, &s), "sample 0 of level 0, 'a': level 0 has no column 'd'");
    w = begin(&s, NULL);
    taco_writer_set_int(w, "c", 1);
    CHECK_TEXT(end(w, &s), "column 'c': there is no sample yet");
    w = begin(&s, NULL);
    taco_writer_bytes(w, "__TACOPAD__0", "x", 1);
    CHECK_TEXT(end(w, &s), "id '__TACOPAD__0' starts with '__', which is reserved for padding");
    w = begin(&s, NULL);
    taco_writer_file(w, "a", "no/such/file");
    CHECK_TEXT(end(w, &s), "sample 0 of level 0, 'a': no such file: 'no/such/file'");
    w = begin(&s, NULL);
    taco_writer_column(w, 0, "c", TACO_TEXT);
    CHECK_TEXT(end(w, &s), "column 'c' of level 0 is declared twice");
    w = begin(&s, NULL);
    taco_writer_folder_begin(w, "f");
    CHECK_TEXT(end(w, &s), "FOLDER 'f' is still open");
    w = begin(&s, NULL);
    taco_writer_folder_end(w);
    CHECK_TEXT(end(w, &s), "no FOLDER is open");
    w = begin(&s, NULL);
    CHECK_TEXT(end(w, &s), "a dataset has at least one sample");
    loose.fill = true;
    w = begin(&s, &loose);
    taco_writer_folder_begin(w, "f");
    taco_writer_folder_end(w);
    CHECK_TEXT(end(w, &s), "level 0: FOLDER 'f' has no children");
    w = begin(&s, &loose);
    taco_writer_bytes(w, "a", "x", 1);
    taco_writer_bytes(w, "b", "x", 1);
    taco_writer_bytes(w, "a", "x", 1);
    CHECK_TEXT(end(w, &s), "level 0: rows 0 and 2 both have the id 'a', siblings must differ");
    w = begin(&s, &loose);
    taco_writer_bytes(w, "a", "x", 1);
    taco_writer_folder_begin(w, "b");
    CHECK_TEXT(end(w, &s), "PIT-1: sample 'b' is a FOLDER, the first sample is a FILE; all of "
                           "level 0 must be of one type");
    CHECK(taco_writer_finish(NULL, NULL) == TACO_ERR_ARGUMENT);
    taco_writer_abort(NULL);
}

/* A sample for each letter: a FILE, or a FOLDER with one if a '/' comes before it. */
static void add_letters(taco_writer *w, const char *p)
{
    for (; *p; p++) {
        bool folder = *p == '/';
        char id[2] = {0, 0};
        p += folder;
        id[0] = *p;
        if (folder) { taco_writer_folder_begin(w, id); }
        taco_writer_bytes(w, id, p, 1);
        if (folder) { taco_writer_folder_end(w); }
    }
}

/* Samples with these children, each a string of ids; what finishing says. */
static const char *pit(const char *const *samples, bool any)
{
    taco_create_options opt = {0};
    taco_sink s;
    taco_writer *w;
    int i;
    opt.fill = true;
    opt.any_tree = any;
    w = begin(&s, &opt);
    for (i = 0; samples[i]; i++) {
        char id[2] = {(char)('A' + i), 0};
        taco_writer_folder_begin(w, id);
        add_letters(w, samples[i]);
        taco_writer_folder_end(w);
    }
    return end(w, &s);
}

static void test_pit(void)
{
    static const char *const
        good[] = {"abc", "abc", "abc", NULL},
        *const fewer[] = {"abc", "ab", NULL}, *const order[] = {"abc", "abc", "acb", NULL},
        *const shifted[] = {"ab", "abc", "a", NULL}, *const types[] = {"ab", "ab", "a/b", NULL};
    CHECK_TEXT(pit(good, false), "");
    CHECK_TEXT(pit(fewer, false), "PIT-1: sample 'B' has no 'c', which the first sample has");
    CHECK_TEXT(pit(order, false),
               "PIT-1: sample 'C' has the FILE 'c' where the first sample has the FILE 'b'");
    CHECK_TEXT(pit(shifted, false), "PIT-1: sample 'B' has 'c', which the first sample has not");
    CHECK_TEXT(pit(shifted, true), "");
    CHECK_TEXT(pit(types, false),
               "PIT-1: sample 'C' has the FOLDER 'b' where the first sample has the FILE 'b'");
}

/* Six levels, and no seventh. */
static void test_depth(void)
{
    unsigned depth, k;
    for (depth = TACO__MAX_LEVELS - 1; depth <= TACO__MAX_LEVELS; depth++) {
        taco_create_options opt = {0};
        taco_sink s;
        taco_writer *w;
        opt.fill = true;
        w = begin(&s, &opt);
        for (k = 0; k < depth; k++) {
            taco_writer_folder_begin(w, "f");
        }
        taco_writer_bytes(w, "x", "1", 1);
        for (k = 0; k < depth; k++) {
            taco_writer_folder_end(w);
        }
        CHECK_TEXT(end(w, &s),
                   depth < TACO__MAX_LEVELS ? "" : "FOLDER 'f' at level 5: the deepest level is 5");
    }
}

/* FILEs in the root; what is not set is null, and a column of only nulls keeps its type. */
static void test_nulls(void)
{
    taco_create_options opt = {0};
    taco_error err = {0};
    taco_sink sink;
    taco_writer *w;
    taco_dataset *ds;
    taco_cursor *c;
    const taco_field *fields;
    size_t n, i, k = 0;
    opt.fill = true;
    w = begin(&sink, &opt);
    taco_writer_column(w, 0, "none", TACO_DOUBLE);
    taco_writer_bytes(w, "a", "1", 1);
    taco_writer_bytes(w, "b", "2", 1);
    taco_writer_set_int(w, "c", 7);
    CHECK(taco_writer_finish(w, &err) == TACO_OK);
    ds = open_bytes(taco_sink_bytes(&sink), &err);
    CHECK_TEXT(taco_error_text(&err), "");
    CHECK(taco_levels(ds) == 1);
    fields = taco_level_fields(ds, 0, &n, &err);
    CHECK(n > 4);
    for (i = 0; i < 4; i++) { /* in the order in which they were declared */
        static const char *const order[] = {"id", "type", "c", "none"};
        CHECK_TEXT(fields[i].name, order[i]);
    }
    for (i = 0; i < n; i++) {
        if (strcmp(fields[i].name, "none") == 0) { k += fields[i].type == TACO_DOUBLE; }
        if (strcmp(fields[i].name, "c") == 0) { k += fields[i].type == TACO_INT8; }
    }
    CHECK(k == 2);
    c = taco_select(ds, NULL, &err);
    for (i = 0; taco_cursor_next(c); i++) {
        const char *text = taco_cursor_text(c, "c");
        CHECK_TEXT(text ? text : "null", i ? "7" : "null");
        CHECK(taco_cursor_text(c, "none") == NULL);
        CHECK_TEXT(taco_cursor_text(c, "type"), "FILE");
    }
    CHECK(i == 2 && taco_cursor_close(c, &err) == TACO_OK);
    taco_close(ds);
    taco_sink_free(&sink);
}

/* FILEs of bytes, of a file, and of a range of a source. */
static void test_payloads(void)
{
    taco_create_options opt = {0};
    taco_error err = {0};
    taco_sink sink;
    taco_source src;
    taco_writer *w;
    taco_dataset *ds;
    char text[8] = {0};
    opt.fill = true;
    taco_source_memory(&src, "0123456789", 10);
    w = begin(&sink, &opt);
    taco_writer_bytes(w, "a", "1", 1);
    taco_writer_file(w, "b", "tests/data/pages.parquet");
    taco_writer_range(w, "c", &src, 3, 4);
    CHECK(taco_writer_finish(w, &err) == TACO_OK);
    CHECK_TEXT(taco_error_text(&err), "");
    ds = open_bytes(taco_sink_bytes(&sink), &err);
    CHECK(taco_payload(ds, "a", &src, &err) == TACO_OK && src.size == 1 &&
          src.read(src.ctx, 0, text, 1));
    CHECK_TEXT(text, "1");
    src.close(src.ctx);
    CHECK(taco_payload(ds, "b", &src, &err) == TACO_OK && src.size > 1000 &&
          src.read(src.ctx, 0, text, 4));
    CHECK_TEXT(text, "PAR1");
    src.close(src.ctx);
    CHECK(taco_payload(ds, "c", &src, &err) == TACO_OK && src.size == 4 &&
          src.read(src.ctx, 0, text, 4));
    CHECK_TEXT(text, "3456");
    src.close(src.ctx);
    taco_close(ds);
    taco_sink_free(&sink);
}

/* The entries of an archive, by their local headers: their names, and none is compressed. */
static void test_entries(void)
{
    static const char *const wanted[] = {"TACO_HEADER",
                                         "DATA/tile_9/large",
                                         "DATA/tile_9/__meta__",
                                         "DATA/tile_9/bands/b1",
                                         "DATA/tile_9/bands/__meta__",
                                         "METADATA/level0.parquet",
                                         "METADATA/level1.parquet",
                                         "METADATA/level2.parquet",
                                         "COLLECTION.json"};
    taco_error err = {0};
    taco_sink sink;
    taco_bytes b = make_archive(&sink, NULL, 3000, &err);
    size_t i, at = 0, entries = 0, found = 0;
    while (at + 30 < b.len && memcmp(b.data + at, "PK\3\4", 4) == 0) {
        size_t name = taco__load_le16(b.data + at + 26), extra = taco__load_le16(b.data + at + 28);
        CHECK(taco__load_le16(b.data + at + 8) == 0);
        CHECK(taco__load_le32(b.data + at + 18) == taco__load_le32(b.data + at + 22));
        for (i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
            found += name == strlen(wanted[i]) && memcmp(b.data + at + 30, wanted[i], name) == 0;
        }
        CHECK(at || (name == 11 && memcmp(b.data + 30, "TACO_HEADER", 11) == 0));
        at += 30 + name + extra + taco__load_le32(b.data + at + 18);
        entries++;
    }
    CHECK(found == sizeof wanted / sizeof wanted[0] && entries > found);
    taco_sink_free(&sink);
}

/* Two samples, each with the FOLDERs x and y; those have the files that are named, a letter each. */
static const char *nested_pit(const char *x, const char *y, bool strict)
{
    taco_create_options opt = {0};
    taco_sink s;
    taco_writer *w;
    int i;
    opt.fill = true;
    opt.strict_pit = strict;
    w = begin(&s, &opt);
    for (i = 0; i < 4; i++) {
        if (i % 2 == 0) { taco_writer_folder_begin(w, i ? "B" : "A"); }
        taco_writer_folder_begin(w, i % 2 ? "y" : "x");
        add_letters(w, i % 2 ? y : x);
        taco_writer_folder_end(w);
        if (i % 2) { taco_writer_folder_end(w); }
    }
    return end(w, &s);
}

/* PIT-1 compares samples, strict PIT all FOLDERs of a level. */
static void test_strict_pit(void)
{
    CHECK_TEXT(nested_pit("ab", "ab", true), "");
    CHECK_TEXT(nested_pit("ab", "ac", false), "");
    CHECK_TEXT(nested_pit("ab", "ac", true),
               "strict PIT: level 1: FOLDER 'y' has FILE 'c' where the first of its level has "
               "FILE 'b'");
    CHECK_TEXT(nested_pit("ab", "abc", false), "");
    CHECK_TEXT(nested_pit("ab", "abc", true),
               "strict PIT: level 1: FOLDER 'y' has 3 children, the first of its level has 2");
    CHECK_TEXT(nested_pit("ab", "a", true),
               "strict PIT: level 1: FOLDER 'y' has 1 children, the first of its level has 2");
    CHECK_TEXT(nested_pit("ab", "a/b", true),
               "strict PIT: level 1: FOLDER 'y' has FOLDER 'b' where the first of its level has "
               "FILE 'b'");
}

static void warning(void *ctx, const taco_error *e)
{
    strcpy((char *)ctx, taco_error_text(e));
}

/* Copies two samples, each with a FOLDER x that has the files named, into a FOLDER; the
   warning or failure is in text, of 1024 bytes. validate counts these errors. */
static taco_status copy_of_two(const char *first, const char *second, uint64_t errors, char *text)
{
    taco_create_options opt = {0};
    taco_options read = {0};
    taco_validated sum = {0};
    taco_error err = {0};
    taco_sink s;
    taco_writer *w;
    taco_source src;
    taco_dataset *ds;
    taco_status status;
    const char *p;
    int i;
    text[0] = 0;
    opt.fill = opt.any_tree = true;
    w = begin(&s, &opt);
    for (i = 0; i < 2; i++) {
        taco_writer_folder_begin(w, i ? "B" : "A");
        taco_writer_folder_begin(w, "x");
        for (p = i ? second : first; *p; p++) {
            char id[2] = {0, 0};
            id[0] = *p;
            if (*p < 'a') { taco_writer_folder_begin(w, id); }
            taco_writer_bytes(w, id, p, 1);
            if (*p < 'a') { taco_writer_folder_end(w); }
        }
        taco_writer_folder_end(w);
        taco_writer_folder_end(w);
    }
    CHECK(taco_writer_finish(w, &err) == TACO_OK);
    taco_source_memory(&src, taco_sink_bytes(&s).data, taco_sink_bytes(&s).len);
    taco_validate_source(&src, "x", NULL, NULL, &sum, NULL);
    CHECK(sum.errors == errors);
    read.warn = warning;
    read.warn_ctx = text;
    ds = taco_open_source(&src, "x", &read, &err);
    clean(DIR);
    status = taco_repack(ds, DIR, NULL, &err);
    if (status != TACO_OK) { strcpy(text, taco_error_text(&err)); }
    memset(&err, 0, sizeof err);
    opt.any_tree = status != TACO_OK;
    clean(DIR);
    CHECK(taco_repack(ds, DIR, &opt, &err) == TACO_OK);
    clean(DIR);
    taco_close(ds);
    taco_sink_free(&s);
    return status;
}

/* A copy is refused for what validate calls an error, and no more. */
static void test_pit_of_copy(void)
{
    char text[1024];
    CHECK(copy_of_two("ab", "ab", 0, text) == TACO_OK);
    CHECK_TEXT(text, "");
    CHECK(copy_of_two("ab", "ac", 0, text) == TACO_OK);
    CHECK_TEXT(text, "x: levels: PIT-1: sample 'B/x' has no 'b', which the first sample has");
    CHECK(copy_of_two("aB", "aC", 0, text) == TACO_OK);
    CHECK_TEXT(text, "x: levels: PIT-1: sample 'B/x' has no 'B', which the first sample has");
    CHECK(copy_of_two("ab", "abc", 1, text) == TACO_ERR_ARGUMENT);
    CHECK_TEXT(text, DIR ": x: PIT-1: sample 'B/x' has 'c', which the first sample has not");
}

/* taco:pit_schema of a tree with two kinds of folders, one of them only below the second: every
   place has a pattern. */
static void test_pit_schema(void)
{
    taco_error err = {0};
    taco__mem mem;
    taco__tree t;
    taco__buf out;
    taco__json_writer w;
    int i, k;
    taco__mem_init(&mem, NULL);
    taco__tree_init(&t, &mem);
    memset(&out, 0, sizeof out);
    out.mem = &mem;
    for (i = 0; i < 2; i++) {
        CHECK(taco__tree_append_ordered(&t, 0, 0, taco__bytes_text(i ? "q" : "p"), true, &err));
        for (k = 0; k < 2; k++) {
            CHECK(taco__tree_append_ordered(&t, 1, (size_t)i, taco__bytes_text(k ? "b" : "a"), true,
                                            &err));
            CHECK(taco__tree_append_ordered(&t, 2, (size_t)(2 * i + k), taco__bytes_text("x"),
                                            k != 0, &err));
            if (k) {
                CHECK(taco__tree_append_ordered(&t, 3, (size_t)(2 * i + k),
                                                taco__bytes_text("leaf"), false, &err));
            }
        }
    }
    CHECK(taco__tree_check_pit1(&t, true, &err) == TACO_OK);
    w = taco__json_writer_init(&out, &err);
    taco__pit_schema_write(&t, &w);
    CHECK(w.ok && taco__buf_append_char(&out, 0, &err));
    CHECK_TEXT((const char *)out.data,
               "{\"root\":{\"n\":2,\"type\":\"FOLDER\"},\"shape\":[2,2,1,1],\"hierarchy\":{"
               "\"1\":[{\"n\":4,\"type\":[\"FOLDER\",\"FOLDER\"],\"id\":[\"a\",\"b\"]}],"
               "\"2\":[{\"n\":2,\"type\":[\"FILE\"],\"id\":[\"x\"]},{\"n\":2,\"type\":[\"FOLDER\"],"
               "\"id\":[\"x\"]}],"
               "\"3\":[{\"n\":2,\"type\":[\"FILE\"],\"id\":[\"leaf\"]}]}}");
    CHECK(!taco__tree_append_ordered(&t, 1, 0, taco__bytes_text("late"), false, &err) &&
          err.code == TACO_ERR_CORRUPT);
    taco__buf_free(&out);
    taco__tree_free(&t);
    CHECK(mem.used == 0);
}

/* Rows of exports come in any order: they are brought into that of their parents, ids and places
   with them. */
static void test_sort(void)
{
    static const char *const ids[] = {"q2", "p1", "q1", "p2"};
    static const int32_t want[] = {1, 3, 0, 2};
    taco_error err = {0};
    taco__mem mem;
    taco__tree t;
    taco__buf order;
    size_t i;
    taco__mem_init(&mem, NULL);
    taco__tree_init(&t, &mem);
    memset(&order, 0, sizeof order);
    order.mem = &mem;
    CHECK(taco__tree_append_ordered(&t, 0, 0, taco__bytes_text("p"), true, &err));
    CHECK(taco__tree_append_ordered(&t, 0, 0, taco__bytes_text("q"), true, &err));
    CHECK(taco__tree_sort(&t, 0, &order, &err) && order.len == 0);
    for (i = 0; i < 4; i++) {
        CHECK(taco__tree_append_unordered(&t, 1, ids[i][0] == 'q', taco__bytes_text(ids[i]), false,
                                          &err));
        taco__tree_set_place(&t, 1, i, 100 + i, i);
    }
    CHECK(taco__tree_sort(&t, 1, &order, &err) && order.len == sizeof want);
    CHECK(order.len == sizeof want && memcmp(order.data, want, sizeof want) == 0);
    for (i = 0; i < 4; i++) {
        CHECK(taco__bytes_equal(taco__tree_id(&t, 1, i), taco__bytes_text(ids[want[i]])));
        CHECK(taco__tree_offset(&t, 1, i) == 100 + want[i] && taco__tree_parent(&t, 1, i) == i / 2);
    }
    CHECK(taco__tree_sort(&t, 1, &order, &err) && order.len == 0);
    taco__buf_free(&order);
    taco__tree_free(&t);
    CHECK(mem.used == 0);
}

static bool add_box(taco__extent *s, double x, double y, double half)
{
    double b[4];
    b[0] = x - half;
    b[1] = y - half;
    b[2] = x + half;
    b[3] = y + half;
    return taco__extent_add_box(s, b);
}

/* Footprints on both sides of 0 and of 180 degrees; extents that cover them or not. */
static void test_footprints(void)
{
    static const double world[4] = {-180, -90, 180, 90}, over[4] = {177, -3, -177, 3},
                        under[4] = {178.5, -3, -177, 3}, flat[4] = {177, -1, -177, 3};
    static const char *const days[2] = {"2020-01-01", "2020-01-02"}, *const bad[2] = {"x",
                                                                                      "2020-01-01"};
    taco__extent s;
    double box[4];
    memset(&s, 0, sizeof s);
    CHECK(taco__extent_box_covers(&s, flat));
    CHECK(add_box(&s, 180, 0, 2));
    taco__extent_box(&s, box);
    CHECK(box[0] >= 178 && box[0] <= 178 && box[2] >= 182 && box[2] <= 182);
    CHECK(taco__extent_box_covers(&s, world) && taco__extent_box_covers(&s, over));
    CHECK(!taco__extent_box_covers(&s, under) && !taco__extent_box_covers(&s, flat));
    CHECK(add_box(&s, -179, 0, 2)); /* -181 to -177 */
    taco__extent_box(&s, box);
    CHECK(box[0] >= 178 && box[0] <= 178 && box[2] >= 183 && box[2] <= 183);
    CHECK(add_box(&s, 0, 0, 2)); /* so far apart that all longitudes are left */
    taco__extent_box(&s, box);
    CHECK(box[0] <= -180 && box[2] >= 180);
    CHECK(!taco__extent_box_covers(&s, over) && taco__extent_box_covers(&s, world));
    CHECK(!add_box(&s, 500, 0, 0) && !add_box(&s, 0, 89, 2) && !add_box(&s, NAN, 0, 0));
    memset(&s, 0, sizeof s);
    CHECK(add_box(&s, 0, 0, 2));
    taco__extent_box(&s, box);
    CHECK(box[0] >= -2 && box[0] <= -2 && box[2] >= 2 && box[2] <= 2);
    s.times = true;
    s.first = INT64_C(18262) * 86400000000; /* 2020-01-01 */
    s.last = s.first + 2 * INT64_C(86400000000) - 1;
    CHECK(taco__extent_times_cover(&s, days) && taco__extent_times_cover(&s, bad));
    s.last++;
    CHECK(!taco__extent_times_cover(&s, days));
    s.last = s.first--;
    CHECK(!taco__extent_times_cover(&s, days));
}

/* Points on both sides of the antimeridian: the narrow box. */
static void test_span(void)
{
    taco__extent s;
    taco_error err = {0};
    taco__mem mem;
    taco__buf out;
    taco__json_writer w;
    taco_field field;
    taco_array column;
    static const int32_t ends[2] = {0, 21};
    static uint8_t wkb[21] = {1, 1};
    taco__mem_init(&mem, NULL);
    memset(&out, 0, sizeof out);
    memset(&s, 0, sizeof s);
    out.mem = &mem;
    w = taco__json_writer_init(&out, &err);
    add_box(&s, 179, -17, 0);
    add_box(&s, -178.5, -16, 0);
    add_box(&s, 500, 2, 0);
    taco__extent_write(&s, NULL, &w);
    CHECK(w.ok && taco__buf_append_char(&out, 0, &err));
    CHECK_TEXT((const char *)out.data,
               "{\"spatial\":[179.0,-17.0,-178.5,-16.0],\"temporal\":null}");
    out.len = 0;
    add_box(&s, 0, 0, 0);
    taco__extent_write(&s, NULL, &w);
    CHECK(w.ok && taco__buf_append_char(&out, 0, &err));
    CHECK_TEXT((const char *)out.data, "{\"spatial\":[-178.5,-17.0,179.0,0.0],\"temporal\":null}");
    out.len = 0; /* the only row of a column counts */
    memset(&s, 0, sizeof s);
    memset(&field, 0, sizeof field);
    memset(&column, 0, sizeof column);
    field.type = TACO_BINARY;
    column.field = &field;
    column.length = 1;
    column.offsets = ends;
    column.v.u8 = wkb;
    taco__put_le64(wkb + 5, UINT64_C(0x4010000000000000)); /* 4 */
    taco__put_le64(wkb + 13, UINT64_C(0x4014000000000000));
    taco__extent_add_geometries(&s, &column, NULL, &mem);
    taco__extent_write(&s, NULL, &w);
    CHECK(w.ok && taco__buf_append_char(&out, 0, &err));
    CHECK_TEXT((const char *)out.data, "{\"spatial\":[4.0,5.0,4.0,5.0],\"temporal\":null}");
    out.len = 0; /* each side is moved by a point that comes after the first */
    memset(&s, 0, sizeof s);
    add_box(&s, 10, 10, 0);
    add_box(&s, 12, 10, 0);
    add_box(&s, 10, 7, 0);
    add_box(&s, 9, 10, 0);
    add_box(&s, 10, 11, 0);
    taco__extent_write(&s, NULL, &w);
    CHECK(w.ok && taco__buf_append_char(&out, 0, &err));
    CHECK_TEXT((const char *)out.data, "{\"spatial\":[9.0,7.0,12.0,11.0],\"temporal\":null}");
    taco__buf_free(&out);
}

static void test_padding(void)
{
    taco_create_options opt = {0};
    taco_error err = {0};
    taco_sink sink;
    taco_writer *w;
    taco_dataset *ds;
    taco_cursor *c;
    opt.pad_to = 4;
    w = begin(&sink, &opt);
    taco_writer_folder_begin(w, "a");
    taco_writer_set_int(w, "c", 1);
    taco_writer_bytes(w, "x", "1", 1);
    taco_writer_folder_end(w);
    CHECK(taco_writer_finish(w, &err) == TACO_OK);
    CHECK_TEXT(taco_error_text(&err), "");
    ds = open_bytes(taco_sink_bytes(&sink), &err);
    CHECK(taco_level_rows(ds, 0, &err) == 4 && taco_level_rows(ds, 1, &err) == 16);
    c = taco_read(ds, "__TACOPAD__2", true, &err);
    CHECK(taco_cursor_next(c));
    CHECK_TEXT(taco_cursor_text(c, "id"), "x");
    taco_cursor_close(c, &err);
    taco_close(ds);
    taco_sink_free(&sink);
}

/* The folders below a folder that pads are folders too, with the same children, and the first ones
   keep what they are. */
static void test_padding_of_folders(void)
{
    static const char *const paths[] = {"__TACOPAD__0", "__TACOPAD__0/b", "__TACOPAD__0/c"};
    static const char *const ids[] = {"b c", "x __TACOPAD__0", "y z"};
    taco_create_options opt = {0};
    taco_error err = {0};
    taco_sink sink;
    taco_writer *w;
    taco_dataset *ds;
    size_t i;
    opt.pad_to = 2;
    w = begin(&sink, &opt);
    taco_writer_folder_begin(w, "a");
    taco_writer_set_int(w, "c", 1);
    taco_writer_folder_begin(w, "b");
    taco_writer_bytes(w, "x", "1", 1);
    taco_writer_folder_end(w);
    taco_writer_folder_begin(w, "c");
    taco_writer_bytes(w, "y", "22", 2);
    taco_writer_bytes(w, "z", "333", 3);
    taco_writer_folder_end(w);
    taco_writer_folder_end(w);
    CHECK(taco_writer_finish(w, &err) == TACO_OK);
    ds = open_bytes(taco_sink_bytes(&sink), &err);
    for (i = 0; i < sizeof paths / sizeof *paths; i++) {
        taco_cursor *c = taco_read(ds, paths[i], true, &err);
        char got[64] = "";
        while (taco_cursor_next(c)) {
            sprintf(got + strlen(got), "%s%s", *got ? " " : "", taco_cursor_text(c, "id"));
            CHECK_TEXT(taco_cursor_text(c, "type"), i ? "FILE" : "FOLDER");
        }
        taco_cursor_close(c, &err);
        CHECK_TEXT(got, ids[i]);
    }
    CHECK_TEXT(taco_error_text(&err), "");
    taco_close(ds);
    taco_sink_free(&sink);
}

/* ---- exports ---- */

static void test_export(void)
{
    taco_create_options opt = {0};
    taco_query q = {0};
    taco_error err = {0};
    taco_sink sink;
    taco_bytes b = make_archive(&sink, NULL, 300000, &err);
    taco_dataset *ds = open_bytes(b, &err), *out;
    taco_source src;
    char text[4] = {0};
    opt.date = 1700000000;
    q.where = "split = 'train' AND cloud > 0.7";
    clean(DIR ".zip");
    clean(DIR);
    CHECK(taco_export(ds, DIR ".zip", &q, &opt, &err) == TACO_OK);
    CHECK(taco_repack(ds, DIR, &opt, &err) == TACO_OK);
    CHECK_TEXT(taco_error_text(&err), "");
    out = taco_open(DIR, NULL, &err);
    check_rows(out);
    taco_close(out);
    out = taco_open(DIR ".zip", NULL, &err);
    CHECK(taco_level_rows(out, 0, &err) == 1 && taco_level_rows(out, 1, &err) == 2 &&
          taco_level_rows(out, 2, &err) == 2);
    CHECK(taco_payload(out, "tile_11/bands/b1", &src, &err) == TACO_OK && src.size == 3 &&
          src.read(src.ctx, 0, text, 3));
    CHECK_TEXT(text, "012");
    src.close(src.ctx);
    b = taco_collection(out, "taco:subset_of");
    CHECK(b.len == 6 && memcmp(b.data, "\"demo\"", 6) == 0);
    b = taco_collection(out, "taco:subset_date");
    CHECK(b.len && strncmp((const char *)b.data, "\"2023-11-14T22:13:20+00:00\"", b.len) == 0);
    taco_close(out);
    q.where = "cloud > 99";
    clean(DIR ".zip");
    CHECK(taco_export(ds, DIR ".zip", &q, &opt, &err) == TACO_ERR_NOT_FOUND &&
          kind_of(DIR ".zip") == TACO__PATH_MISSING);
    CHECK_TEXT(taco_error_text(&err), DIR ".zip: m.tacozip: no sample is left to export");
    taco_close(ds);
    taco_sink_free(&sink);
    clean(DIR);
}

/* An archive with FOLDERs f and g, whose children "@1" and "@0" are no positions, and with other
   names in their local headers. Payloads begin with a text. */
static taco_bytes make_positions(taco_sink *sink, const char *begin, taco_error *err)
{
    taco_writer *w;
    taco_bytes b;
    uint8_t *p;
    char text[16];
    size_t i, n = 0;
    CHECK(taco_sink_memory(sink, NULL, err) == TACO_OK);
    w = taco_create_sink(sink, NULL, err);
    taco_writer_collection(w, collection, sizeof collection - 1);
    for (i = 0; i < 4; i++) {
        if (i % 2 == 0) { taco_writer_folder_begin(w, i ? "g" : "f"); }
        snprintf(text, sizeof text, "%s%c%d", begin, i < 2 ? 'f' : 'g', i % 2 ? 0 : 1);
        taco_writer_bytes(w, i % 2 ? "@0" : "@1", text, strlen(text));
        if (i % 2) { taco_writer_folder_end(w); }
    }
    CHECK(taco_writer_finish(w, err) == TACO_OK);
    b = taco_sink_bytes(sink);
    p = (uint8_t *)(uintptr_t)b.data;
    for (i = 0; i + 38 < b.len; i++) {
        if (memcmp(p + i, "PK\3\4", 4) == 0 && p[i + 37] == '@') {
            p[i + 30] = 'X';
            n++;
        }
    }
    CHECK(n == 4);
    return b;
}

/* Whether the keys of the ids lead to the payloads. */
static void check_positions(taco_dataset *ds, const char *begin)
{
    static const char *const keys[] = {"f/\\@1", "f/\\@0", "g/\\@1", "g/\\@0"};
    size_t i;
    for (i = 0; i < 4; i++) {
        char text[16] = {0}, want[16] = {0};
        taco_error err = {0};
        taco_source src;
        snprintf(want, sizeof want, "%s%c%c", begin, keys[i][0], keys[i][4]);
        if (taco_payload(ds, keys[i], &src, &err) == TACO_OK) {
            CHECK(src.size < sizeof text && src.read(src.ctx, 0, text, (size_t)src.size));
            src.close(src.ctx);
        }
        CHECK_TEXT(taco_error_text(&err), "");
        CHECK_TEXT(text, want);
    }
}

/* An export finds such samples by __meta__ where no local header confirms the place, and children
   are found by internal:relative_path. */
static void test_ids_like_positions(void)
{
    taco_error err = {0};
    taco_sink sink;
    taco_bytes b = make_positions(&sink, "", &err);
    taco_dataset *ds = open_bytes(b, &err), *out;
    taco_cursor *c;
    size_t i;
    check_positions(ds, "");
    clean(DIR);
    CHECK(taco_repack(ds, DIR, NULL, &err) == TACO_OK);
    CHECK_TEXT(taco_error_text(&err), "");
    out = taco_open(DIR, NULL, &err);
    check_positions(out, "");
    taco_close(out);
    c = taco_sql(ds, "SELECT DISTINCT \"internal:relative_path\", id FROM level1 ORDER BY 1", &err);
    for (i = 0; taco_cursor_next(c); i++) {
        taco_cursor *own = taco_cursor_children(c, &err);
        CHECK(taco_cursor_next(own));
        CHECK_TEXT(taco_cursor_text(own, "id"), i % 2 ? "@1" : "@0");
        taco_cursor_close(own, &err);
    }
    CHECK(i == 4 && taco_cursor_close(c, &err) == TACO_OK);
    CHECK_TEXT(taco_error_text(&err), "");
    taco_close(ds);
    taco_sink_free(&sink);
    clean(DIR);
}

/* Samples of the second archive, when the first has the same ids elsewhere. */
static void test_export_same_ids(void)
{
    taco_error err = {0};
    taco_sink sink[2];
    taco_source src[2];
    taco_query q = {0};
    taco_bytes b;
    taco_dataset *ds, *out;
    int i;
    for (i = 0; i < 2; i++) {
        b = make_positions(&sink[i], i ? "longer" : "", &err);
        taco_source_memory(&src[i], b.data, b.len);
    }
    ds = taco_open_sources(src, NULL, 2, TACO_COLUMNS_INTERSECTION, NULL, &err);
    q.row_from = 2;
    q.row_to = 4;
    clean(DIR);
    CHECK(taco_export(ds, DIR, &q, NULL, &err) == TACO_OK);
    CHECK_TEXT(taco_error_text(&err), "");
    out = taco_open(DIR, NULL, &err);
    check_positions(out, "longer");
    taco_close(out);
    taco_close(ds);
    taco_sink_free(&sink[0]);
    taco_sink_free(&sink[1]);
    clean(DIR);
}

/* A subset has the extent of its own samples; a copy keeps what its original says. */
static void test_extent_of_subset(void)
{
    static const struct {
        const char *where, *extent;
    } t[] = {{"id IN ('p1', 'p2')", "{\"spatial\":[-3.7,39.9,116.4,40.4],\"temporal\":["
                                    "\"2020-01-01T00:00:00.000000Z\","
                                    "\"2020-02-29T12:00:00.000000Z\"]}"},
             {"id = 'p1'", "{\"spatial\":[-3.7,40.4,-3.7,40.4],\"temporal\":["
                           "\"2020-01-01T00:00:00.000000Z\",\"2020-01-02T00:00:00.000000Z\"]}"},
             {NULL, "{\"spatial\":[0.0,-16.5,180.0,51.5],\"temporal\":["
                    "\"1969-07-21T08:17:00Z\",\"2023-03-01T12:00:01Z\"]}"}};

    taco_create_options opt = {0};
    taco_query q = {0};
    taco_error err = {0};
    taco_dataset *ds = taco_open("examples/data/geo_stac.tacozip", NULL, &err), *out;
    size_t i, k;
    opt.overwrite = true;
    for (i = 0; i < sizeof t / sizeof *t; i++) {
        char text[256];
        size_t n = 0;
        taco_bytes b;
        q.where = t[i].where;
        CHECK((q.where ? taco_export(ds, DIR ".zip", &q, &opt, &err)
                       : taco_repack(ds, DIR ".zip", &opt, &err)) == TACO_OK);
        out = taco_open(DIR ".zip", NULL, &err);
        b = taco_collection(out, "extent");
        for (k = 0; k < b.len && n + 1 < sizeof text; k++) { /* without blanks */
            if (b.data[k] > ' ') { text[n++] = (char)b.data[k]; }
        }
        text[n] = 0;
        CHECK_TEXT(text, t[i].extent);
        taco_close(out);
    }
    CHECK_TEXT(taco_error_text(&err), "");
    taco_close(ds);
    clean(DIR ".zip");
}

/* Writes other bytes of the same length over every place where they are found. */
static int replace_all(uint8_t *data, size_t len, const char *from, const char *to)
{
    size_t i, n = strlen(from);
    int found = 0;
    for (i = 0; i + n <= len; i++) {
        if (memcmp(data + i, from, n) == 0) {
            memcpy(data + i, to, n);
            found++;
        }
    }
    return found;
}

/* A copy does not take over a wrong extent, but may compute it again. */
static void test_wrong_extent(void)
{
    taco_create_options opt = {0};
    taco_validated sum = {0};
    taco_error err = {0};
    taco__mem mem;
    taco_bytes b, data;
    taco_dataset *ds;
    taco__mem_init(&mem, NULL);
    data = read_path("examples/data/geo_stac.tacozip", &mem);
    CHECK(replace_all((uint8_t *)(uintptr_t)data.data, data.len, " 51.5\n", " 91.5\n") == 1);
    ds = open_bytes(data, &err);
    clean(DIR);
    CHECK(taco_repack(ds, DIR, &opt, &err) == TACO_ERR_CORRUPT);
    CHECK(strstr(taco_error_text(&err), "extent.spatial: north is '91.5'") != NULL);
    memset(&err, 0, sizeof err);
    opt.new_extent = true;
    CHECK(taco_repack(ds, DIR, &opt, &err) == TACO_OK);
    CHECK_TEXT(taco_error_text(&err), "");
    taco_close(ds);
    CHECK(taco_validate(DIR, NULL, NULL, &sum, &err) == TACO_OK && sum.errors == 0);
    ds = taco_open(DIR, NULL, &err);
    b = taco_collection(ds, "extent");
    CHECK(b.len && !strstr((const char *)b.data, "91.5"));
    taco_close(ds);
    taco__mem_free(&mem, (void *)(uintptr_t)data.data, data.len);
    clean(DIR);
}

/* A reserved id of the source is its fault, not the caller's. */
static void test_wrong_id(void)
{
    taco_create_options opt = {0};
    taco_pq_write_options tables = {0};
    taco_error err = {0};
    taco_sink s;
    taco_writer *w;
    taco_dataset *ds;
    taco_bytes b;
    opt.fill = true;
    opt.codec = TACO_CODEC_NONE;
    tables.no_crc = true; /* the table is changed below */
    opt.parquet = &tables;
    w = begin(&s, &opt);
    taco_writer_bytes(w, "aax", "1", 1);
    CHECK(taco_writer_finish(w, &err) == TACO_OK);
    b = taco_sink_bytes(&s);
    CHECK(replace_all((uint8_t *)(uintptr_t)b.data, b.len, "aax", "__x") > 2);
    ds = open_bytes(b, &err);
    clean(DIR);
    CHECK(taco_repack(ds, DIR, NULL, &err) == TACO_ERR_CORRUPT);
    CHECK(strstr(taco_error_text(&err), "id '__x' starts with '__'") != NULL);
    memset(&err, 0, sizeof err);
    CHECK(taco_export(ds, DIR, NULL, NULL, &err) == TACO_ERR_CORRUPT);
    taco_close(ds);
    taco_sink_free(&s);
}

/* A source over a network, which is asked for the bytes of several samples at a time. */
typedef struct remote {
    const uint8_t *data;
    size_t rounds;
} remote;

static bool remote_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    remote *r = (remote *)ctx;
    r->rounds++;
    memcpy(dst, r->data + offset, len);
    return true;
}

static bool remote_read_many(void *ctx, const taco_piece *reads, size_t n)
{
    remote *r = (remote *)ctx;
    const size_t before = r->rounds;
    size_t i;
    for (i = 0; i < n; i++) {
        remote_read(ctx, reads[i].offset, reads[i].dst, reads[i].len);
    }
    r->rounds = before + 1;
    return true;
}

static void test_export_remote(void)
{
    taco_create_options opt = {0};
    taco_error err = {0};
    taco_sink sink;
    taco_bytes b = make_archive(&sink, NULL, 3000, &err);
    taco_source src;
    taco_dataset *ds, *out;
    remote r[2];
    int many;
    for (many = 0; many < 2; many++) {
        memset(&src, 0, sizeof src);
        r[many].data = b.data;
        r[many].rounds = 0;
        src.ctx = &r[many];
        src.size = b.len;
        src.read = remote_read;
        src.read_many = many ? remote_read_many : NULL;
        ds = taco_open_source(&src, "https://host/m.tacozip", NULL, &err);
        clean(DIR);
        CHECK(taco_export(ds, DIR, NULL, &opt, &err) == TACO_OK);
        CHECK_TEXT(taco_error_text(&err), "");
        out = taco_open(DIR, NULL, &err);
        check_rows(out);
        taco_close(out);
        taco_close(ds);
    }
    CHECK(r[1].rounds * 2 < r[0].rounds);
    if (r[1].rounds * 2 >= r[0].rounds) {
        printf("%u rounds, %u\n", (unsigned)r[1].rounds, (unsigned)r[0].rounds);
    }
    taco_sink_free(&sink);
    clean(DIR);
}

/* Rows of SQL and of views as a dataset: the samples that they are, or are below, each once. */
static void test_export_rows(void)
{
    taco_create_options opt = {0};
    taco_error err = {0};
    taco_sink sink;
    taco_bytes b = make_archive(&sink, NULL, 3000, &err);
    taco_dataset *ds = open_bytes(b, &err), *out;
    taco_view *all = taco_view_open(ds, NULL, &err), *view;
    taco_query q = {0};
    taco_cursor *c;
    clean(DIR ".zip");
    view = taco_view_sql(
        all, "SELECT upper(id) AS x FROM data WHERE cloud > 0.2 ORDER BY cloud DESC", &err);
    CHECK(taco_export_view(view, DIR ".zip", &opt, &err) == TACO_OK);
    CHECK_TEXT(taco_error_text(&err), "");
    out = taco_open(DIR ".zip", NULL, &err);
    c = taco_select(out, NULL, &err);
    CHECK(taco_cursor_next(c));
    CHECK_TEXT(taco_cursor_text(c, "id"), "tile_10");
    CHECK(taco_cursor_next(c));
    CHECK_TEXT(taco_cursor_text(c, "id"), "tile_11");
    CHECK(!taco_cursor_next(c));
    taco_cursor_close(c, &err);
    b = taco_collection(out, "taco:pit_schema"); /* with the rows of the view */
    CHECK(b.len && strstr((const char *)b.data, "\"n\": 2") != NULL);
    taco_close(out);
    taco_view_free(view);
    clean(DIR ".zip");
    q.table = q.level = 2;
    q.where = "band = 0";
    q.limit = 1;
    CHECK(taco_export_rows(taco_select(ds, &q, &err), DIR ".zip", &opt, &err) == TACO_OK);
    CHECK_TEXT(taco_error_text(&err), "");
    out = taco_open(DIR ".zip", NULL, &err);
    CHECK(taco_level_rows(out, 0, &err) == 1 && taco_level_rows(out, 2, &err) == 2);
    taco_close(out);
    clean(DIR ".zip");
    CHECK(taco_export_rows(taco_sql(ds, "SELECT count(*) FROM data", &err), DIR ".zip", &opt,
                           &err) == TACO_ERR_ARGUMENT);
    CHECK(strstr(taco_error_text(&err), "these rows are of groups") != NULL);
    CHECK(kind_of(DIR ".zip") == TACO__PATH_MISSING);
    memset(&err, 0, sizeof err);
    CHECK(taco_export_rows(taco_sql(ds, "SELECT id FROM data WHERE none = 1", &err), DIR ".zip",
                           &opt, &err) != TACO_OK);
    CHECK(strstr(taco_error_text(&err), "none") != NULL);
    taco_view_free(all);
    taco_close(ds);
    taco_sink_free(&sink);
}

/* ---- failures in the middle ---- */

/* a sink that fails at its n-th write; an allocator that fails at its n-th call */
typedef struct failing {
    taco_sink inner;
    size_t left, live;
} failing;

static bool failing_write(void *ctx, uint64_t offset, const void *src, size_t len)
{
    failing *f = (failing *)ctx;
    return f->left-- > 0 && f->inner.write(f->inner.ctx, offset, src, len);
}

static bool failing_close(void *ctx, bool keep)
{
    failing *f = (failing *)ctx;
    return f->inner.close(f->inner.ctx, keep);
}

static void *failing_resize(void *ctx, void *p, size_t old, size_t size)
{
    failing *f = (failing *)ctx;
    void *q;
    if (!size) {
        f->live -= old;
        free(p);
        return NULL;
    }
    if (f->left == 0) { return NULL; }
    f->left--;
    q = realloc(p, size);
    f->live += size - old;
    return q;
}

static void test_failing_sink(void)
{
    size_t n;
    for (n = 0; n < 40; n++) {
        taco_error err = {0};
        failing f = {{NULL, NULL, NULL}, 0, 0};
        taco_sink s;
        taco_writer *w;
        bool done;
        f.left = n;
        CHECK(taco_sink_memory(&f.inner, NULL, &err) == TACO_OK);
        s.ctx = &f;
        s.write = failing_write;
        s.close = failing_close;
        w = taco_create_sink(&s, NULL, &err);
        fill(w, large, sizeof large);
        done = taco_writer_finish(w, &err) == TACO_OK;
        CHECK(done == (err.code == TACO_OK) &&
              (done || (err.code == TACO_ERR_IO && taco_sink_bytes(&f.inner).len == 0)));
        taco_sink_free(&f.inner);
        if (done) { break; }
    }
    CHECK(n > 5 && n < 40);
}

static bool refuse_close(void *ctx, bool keep)
{
    (void)ctx;
    return !keep;
}

static bool refuse_write(void *ctx, uint64_t at, const void *data, size_t len)
{
    size_t *calls = (size_t *)ctx;
    (void)at, (void)data, (void)len;
    (*calls)++;
    return false;
}

/* What waits in the buffer is written in front of a gap, or the gap fails. */
static void test_skip_behind_failure(void)
{
    taco_error err = {0};
    taco_sink sink = {0};
    taco__mem mem;
    taco__output out;
    size_t calls = 0;
    taco__mem_init(&mem, NULL);
    sink.ctx = &calls;
    sink.write = refuse_write;
    sink.close = refuse_close;
    CHECK(taco__output_open(&out, &sink, &mem, &err));
    CHECK(taco__output_write(&out, "abc", 3, &err));
    CHECK(!taco__output_skip(&out, 100, &err) && calls == 1);
    CHECK(taco__output_position(&out) == 3 && err.code == TACO_ERR_IO);
    CHECK_TEXT(taco_error_text(&err), "at byte 0: writing 3 bytes failed");
    (void)taco__output_close(&out, false, &err);
    CHECK(mem.used == 0);
}

static void test_failing_memory(void)
{
    size_t n, step = 1;
    bool done = false;
    for (n = 0; !done && n < 100000; n += step) {
        taco_error err = {0};
        failing f = {{NULL, NULL, NULL}, 0, 0};
        taco_allocator a = {&f, failing_resize};
        taco_options o;
        taco_create_options opt = {0};
        taco_sink s;
        taco_writer *w;
        memset(&o, 0, sizeof o);
        o.allocator = &a;
        opt.options = &o;
        f.left = n;
        CHECK(taco_sink_memory(&s, NULL, &err) == TACO_OK);
        w = taco_create_sink(&s, &opt, &err);
        fill(w, large, 300);
        done = taco_writer_finish(w, &err) == TACO_OK;
        CHECK(done || err.code == TACO_ERR_MEMORY ||
              err.code == TACO_ERR_IO); /* a sink only says no */
        CHECK(f.live == 0);
        taco_sink_free(&s);
        step = n < 300 ? 1 : n / 50;
    }
    CHECK(done && n > 200);
}

/* Names that JSON must escape, in a column of fields; an id that begins like a position. */
static void test_odd_names(void)
{
    taco_error err = {0, TACO_OK, 0, {0}};
    taco_sink sink;
    taco_field outer, inner;
    taco_dataset *ds;
    taco_cursor *row;
    taco_bytes info;
    taco_writer *w;
    int i;
    memset(&outer, 0, sizeof outer);
    memset(&inner, 0, sizeof inner);
    inner.name = "Za\001\"b";
    inner.type = TACO_INT32;
    inner.width = 4;
    inner.nullable = outer.nullable = true;
    outer.name = "facts";
    outer.type = TACO_STRUCT;
    outer.children = &inner;
    outer.child_count = 1;
    CHECK(taco_sink_memory(&sink, NULL, &err) == TACO_OK);
    w = taco_create_sink(&sink, NULL, &err);
    taco_writer_collection(w, collection, sizeof collection - 1);
    taco_writer_field(w, 0, &outer);
    taco_writer_folder_begin(w, "@1x");
    for (i = 0; i < 3; i++) {
        char id[8];
        snprintf(id, sizeof id, "f%d", i);
        taco_writer_bytes(w, id, "0123", 4);
    }
    taco_writer_folder_end(w);
    taco_writer_set_null(w, "facts");
    CHECK(taco_writer_finish(w, &err) == TACO_OK);
    CHECK_TEXT(taco_error_text(&err), "");

    ds = open_bytes(taco_sink_bytes(&sink), &err);
    info = taco_info_json(ds, &err);
    CHECK(info.len && !memchr(info.data, 1, info.len));
    CHECK(info.len && strstr((const char *)info.data, "a\\u0001") != NULL);
    info = taco_collection(ds, "taco:field_schema"); /* types are in lower case, names too */
    CHECK(info.len && strstr((const char *)info.data, "\"struct<za\\u0001") != NULL);
    row = taco_read(ds, "@1x", false, &err);
    for (i = 0; taco_cursor_next(row); i++) {}
    CHECK(i == 3);
    CHECK(taco_cursor_close(row, &err) == TACO_OK);
    taco_close(ds);
    taco_sink_free(&sink);
    CHECK_TEXT(taco_error_text(&err), "");
}

int main(void)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    RUN(test_archive);
    RUN(test_file_and_sink_alike);
    RUN(test_folder);
    RUN(test_records);
    RUN(test_placed);
    RUN(test_many);
    RUN(test_names);
    RUN(test_collection);
    RUN(test_refusals);
    RUN(test_pit);
    RUN(test_depth);
    RUN(test_nulls);
    RUN(test_entries);
    RUN(test_payloads);
    RUN(test_strict_pit);
    RUN(test_pit_of_copy);
    RUN(test_pit_schema);
    RUN(test_sort);
    RUN(test_span);
    RUN(test_footprints);
    RUN(test_padding);
    RUN(test_padding_of_folders);
    RUN(test_odd_names);
    RUN(test_export);
    RUN(test_ids_like_positions);
    RUN(test_export_same_ids);
    RUN(test_extent_of_subset);
    RUN(test_wrong_extent);
    RUN(test_wrong_id);
    RUN(test_export_remote);
    RUN(test_export_rows);
    RUN(test_failing_sink);
    RUN(test_skip_behind_failure);
    RUN(test_failing_memory);
    return test_end("test_make");
}
