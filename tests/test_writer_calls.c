/* The calls of the writer and of archives with invalid arguments: each column type with each call
   that sets a value, extreme values, headers and members; then a whole dataset, and each edit of an
   archive, with failing allocations. Each call succeeds or fails with a message, and nothing leaks.
   */
#include "places.h"

#include "../src/base/file_copy.h"
#include "../src/base/temporary.h"
#include "../taco_parquet.h"
#include "../taco.h"
#include "../extra/taco_write.h"

#include "names.h"

#define HOME "build/test_writer_calls"

static const char collection[] =
    "{\"id\":\"demo\",\"dataset_version\":\"1.0.0\",\"description\":\"d\",\"licenses\":[\"CC0-1."
    "0\"],"
    "\"providers\":[{\"name\":\"x\",\"roles\":[\"host\"]}],\"tasks\":[\"other\"]}";

static places tried;
static taco_options options;
static taco_allocator allocator;

/* ---- one value into one column ---- */

static const taco_type flat[] = {
    TACO_BOOL,   TACO_INT8,   TACO_INT16, TACO_INT32,    TACO_INT64,     TACO_UINT8, TACO_UINT16,
    TACO_UINT32, TACO_UINT64, TACO_HALF,  TACO_FLOAT,    TACO_DOUBLE,    TACO_TEXT,  TACO_BINARY,
    TACO_UUID,   TACO_DATE,   TACO_TIME,  TACO_NULL,     TACO_TIMESTAMP, TACO_FIXED, TACO_DECIMAL,
    TACO_LIST,   TACO_STRUCT, TACO_MAP,   TACO_INTERVAL, TACO_INT96};

enum { SETS = 34, LISTS = 100 };

/* The n-th of the calls that set a column; those from 20 on are of values at the ends of types. */
static taco_status set_value(taco_writer *w, const char *c, int n)
{
    static const int64_t ints[] = {0, 1, -1, 200, INT64_MAX},
                         ends[] = {INT64_MIN,  INT64_MAX, -129, 256, 65536,       -32769,
                                   4294967296, -1,        1,    2,   86400000000, 3652059000};
    static const double doubles[] = {0.5, -1e300};
    uint8_t bytes[16] = {0xFF, 0xFE, 1};
    switch (n) {
    case 0: return taco_writer_set_null(w, c);
    case 1: return taco_writer_set_text(w, c, "x");
    case 2: return taco_writer_set_text(w, c, NULL);
    case 3: return taco_writer_set_text(w, c, "2020-02-30");
    case 4: return taco_writer_set_text(w, c, "2020-02-29T12:00:00Z");
    case 5: return taco_writer_set_text(w, c, "\xFF\xFE");
    case 6: return taco_writer_set_bytes(w, c, bytes, 3);
    case 7: return taco_writer_set_bytes(w, c, bytes, 16);
    case 8: return taco_writer_set_bytes(w, c, NULL, 0);
    case 9: return taco_writer_set_bool(w, c, true);
    case 10: return taco_writer_set_double(w, c, 1.5);
    case 11: return taco_writer_set_double(w, c, 1e300);
    case 12: return taco_writer_set_ints(w, c, ints, 5);
    case 13: return taco_writer_set_ints(w, c, ints, 2);
    case 14: return taco_writer_set_ints(w, c, NULL, 0);
    case 15: return taco_writer_set_doubles(w, c, doubles, 2);
    case 16: return taco_writer_set_doubles(w, c, NULL, 0);
    case 17: return taco_writer_set_array(w, c, NULL, 0);
    case 18: return taco_writer_set_text(w, NULL, "x");
    case 19: return taco_writer_set_text(w, "nobody", "x");
    case 32: /* twice */ taco_writer_set_null(w, c); return taco_writer_set_null(w, c);
    case 33: return taco_writer_set_ints(w, c, ints + 3, 1);
    default: return taco_writer_set_int(w, c, ends[n - 20]);
    }
}

/* A column of each type and of lists of them, and one of the calls on it. */
static void values_of_types(void)
{
    size_t i, taken = 0, refused = 0;
    int n, list;
    for (list = 0; list < 2; list++) {
        for (i = 0; i < sizeof flat / sizeof flat[0]; i++) {
            for (n = 0; n < SETS; n++) {
                taco_error e = {0, TACO_OK, 0, {0}};
                taco_sink sink;
                taco_writer *w;
                taco_status st;
                CHECK(taco_sink_memory(&sink, &options, &e) == TACO_OK);
                w = taco_create_sink(&sink, NULL, &e);
                taco_writer_collection(w, collection, sizeof collection - 1);
                st = list ? taco_writer_list(w, 0, "c", flat[i])
                          : taco_writer_column(w, 0, "c", flat[i]);
                if (st == TACO_OK) {
                    taco_writer_bytes(w, "a", "1", 1);
                    st = set_value(w, "c", n);
                }
                taken += st == TACO_OK;
                refused += st != TACO_OK;
                CHECK(taco_writer_finish(w, &e) == TACO_OK || e.text[0]);
                CHECK(st == TACO_OK || e.code == st);
                CHECK(st != TACO_OK || e.code == TACO_OK);
                taco_sink_free(&sink);
            }
        }
    }
    CHECK(taken > 100 && refused > 500);
    printf("%u values taken, %u refused\n", (unsigned)taken, (unsigned)refused);
}

/* ---- one wrong call ---- */

static taco_status wrong_call(taco_writer *w, int n)
{
    taco_field f;
    taco_source src;
    uint64_t at;
    taco_stac s;
    taco_istac g;
    static const int64_t shape[3] = {1, 0, 4};
    static const double factors[2] = {1, 0};
    static const int32_t padding[4] = {1, -1, 0, 0};
    taco_error e = {0, TACO_OK, 0, {0}};
    memset(&f, 0, sizeof f);
    memset(&s, 0, sizeof s);
    memset(&g, 0, sizeof g);
    taco_source_memory(&src, "12345", 5);
    s.crs = "EPSG:4326";
    s.shape = shape;
    s.dimensions = 3;
    g.crs = "EPSG:4326";
    switch (n) {
    case 0: return taco_writer_collection(w, "{", 1);
    case 1: return taco_writer_collection(w, "[]", 2);
    case 2: return taco_writer_collection(w, NULL, 0);
    case 3: return taco_writer_column(w, 0, "c d", TACO_TEXT);
    case 4: return taco_writer_column(w, 0, "id", TACO_TEXT);
    case 5: return taco_writer_column(w, 9, "c", TACO_TEXT);
    case 6: return taco_writer_column(w, 0, NULL, TACO_TEXT);
    case 7: return taco_writer_column(w, 0, "v", TACO_TEXT); /* there is one */
    case 8: return taco_writer_field(w, 0, NULL);
    case 9: return taco_writer_field(w, 0, &f);
    case 10: f.name = "x", f.type = TACO_LIST; return taco_writer_field(w, 0, &f);
    case 11: f.name = "x", f.type = TACO_FIXED; return taco_writer_field(w, 0, &f);
    case 12: return taco_writer_file(w, "a", NULL);
    case 13: return taco_writer_file(w, "a", HOME "/nothing");
    case 14: return taco_writer_range(w, "a", NULL, 0, 1);
    case 15: return taco_writer_range(w, "a", &src, 3, 3);
    case 16: return taco_writer_range(w, "a", &src, UINT64_MAX, 3);
    case 17: return taco_writer_bytes(w, NULL, "1", 1);
    case 18: return taco_writer_bytes(w, "", "1", 1);
    case 19: return taco_writer_bytes(w, "a/b", "1", 1);
    case 20: return taco_writer_bytes(w, "__a", "1", 1);
    case 21: return taco_writer_bytes(w, "a", NULL, 1);
    case 22: taco_writer_bytes(w, "a", "1", 1); return taco_writer_bytes(w, "a", "1", 1);
    case 23: return taco_writer_folder_end(w);
    case 24: return taco_writer_folder_begin(w, "");
    case 25: taco_writer_folder_begin(w, "f"); return TACO_OK; /* never ended */
    case 26:
        for (n = 0; n < 9; n++) {
            taco_writer_folder_begin(w, "f");
        }
        return TACO_OK;
    case 27: return taco_writer_placed(w, "a", UINT64_MAX, 0, &at);
    case 28: /* a list of nothing */
        f.name = "x", f.type = TACO_MAP, f.child_count = 1, f.children = &f;
        return taco_writer_field(w, 0, &f);
    case 29: taco_writer_bytes(w, "a", "1", 1); return taco_writer_column(w, 0, "late", TACO_TEXT);
    case 30: return taco_writer_set_int(w, "v", 1); /* no sample */
    case 31: taco_writer_bytes(w, "a", "1", 1); return taco_writer_set_stac(w, &s, &e);
    case 32: taco_writer_bytes(w, "a", "1", 1); return taco_writer_set_istac(w, &g, &e);
    case 33: taco_writer_bytes(w, "a", "1", 1); return taco_writer_set_split(w, "other", &e);
    case 34:
        taco_writer_bytes(w, "a", "1", 1);
        return taco_writer_set_scaling(w, factors, factors, 2, true, NULL, &e);
    case 35:
        taco_writer_bytes(w, "a", "1", 1);
        return taco_writer_set_scaling(w, factors, factors, 2, false, NULL, &e);
    case 36:
        taco_writer_bytes(w, "a", "1", 1);
        return taco_writer_set_scaling(w, factors, factors, 0, true, padding, &e);
    case 37: taco_writer_bytes(w, "a", "1", 1); return taco_writer_set_stac(w, NULL, &e);
    case 38: return taco_writer_stac_columns(w, 9);
    case 39: taco_writer_collection(w, collection, sizeof collection - 1); return TACO_OK;
    case 40: return taco_writer_list(w, 0, "x", TACO_STRUCT);
    case 41: taco_writer_bytes(w, "a", "1", 1); return taco_writer_set_stats(w, NULL, &e);
    case 42: /* children that differ */
        taco_writer_folder_begin(w, "f");
        taco_writer_bytes(w, "a", "1", 1);
        taco_writer_folder_end(w);
        taco_writer_folder_begin(w, "g");
        taco_writer_bytes(w, "b", "1", 1);
        return taco_writer_folder_end(w);
    default: return TACO_OK; /* no sample at all */
    }
}

static void wrong_calls(void)
{
    int n, made;
    for (n = 0; n < 44; n++) {
        for (made = 0; made < 2; made++) { /* an archive, a FOLDER */
            taco_error e = {0, TACO_OK, 0, {0}};
            taco_sink sink;
            taco_writer *w;
            taco_status st;
            if (!made) { CHECK(taco_sink_memory(&sink, NULL, &e) == TACO_OK); }
            w = made ? taco_create(HOME "/f", NULL, &e) : taco_create_sink(&sink, NULL, &e);
            CHECK_TEXT(e.text, "");
            if (n < 39 || n > 39) { taco_writer_collection(w, collection, sizeof collection - 1); }
            taco_writer_column(w, 0, "v", TACO_INT64);
            st = wrong_call(w, n);
            if (n == 39) { taco_writer_collection(w, "{\"id\":1}", 8); }
            CHECK(taco_writer_finish(w, &e) != TACO_OK || st != TACO_OK);
            if (e.code == TACO_OK) { printf("call %d is taken\n", n); }
            CHECK(e.code != TACO_OK && e.text[0]);
            CHECK(test_names_count(HOME, "", "") == 0);
            if (!made) { taco_sink_free(&sink); }
        }
    }
}

/* ---- with memory that fails ---- */

static void all_columns(taco_writer *w, int level)
{
    static const char *const names[] = {"i", "d", "t", "b", "w"};
    static const taco_type types[] = {TACO_INT32, TACO_DOUBLE, TACO_TEXT, TACO_BOOL,
                                      TACO_TIMESTAMP};
    size_t i;
    for (i = 0; i < 5; i++) {
        taco_writer_column(w, (uint32_t)level, names[i], types[i]);
    }
    taco_writer_list(w, (uint32_t)level, "li", TACO_INT16);
    taco_writer_list(w, (uint32_t)level, "ld", TACO_FLOAT);
    taco_writer_stac_columns(w, (uint32_t)level);
    taco_writer_istac_columns(w, (uint32_t)level);
    taco_writer_column(w, (uint32_t)level, "split", TACO_TEXT);
    taco_writer_scaling_columns(w, (uint32_t)level, true);
}

static void all_values(taco_writer *w, int k, taco_error *e)
{
    static const int64_t ints[] = {1, 2, 3}, shape[2] = {4, 5};
    static const double doubles[] = {1, 2.5};
    static const int32_t padding[4] = {1, 2, 3, 4};
    static const uint8_t at[21] = {1, 1};
    taco_stac s;
    taco_istac g;
    memset(&s, 0, sizeof s);
    memset(&g, 0, sizeof g);
    s.crs = g.crs = "EPSG:4326";
    s.shape = shape;
    s.dimensions = 2;
    s.geotransform[1] = 1;
    s.geotransform[5] = -1;
    s.time_end = 1;
    s.has_end = g.has_end = k % 2 == 0;
    g.geometry.data = at;
    g.geometry.len = sizeof at;
    taco_writer_set_int(w, "i", k);
    taco_writer_set_double(w, "d", k + 0.5);
    taco_writer_set_text(w, "t", k % 2 ? "a longer text than others have" : "b");
    taco_writer_set_bool(w, "b", k % 2 == 0);
    taco_writer_set_text(w, "w", "2020-02-29T12:00:00Z");
    taco_writer_set_ints(w, "li", ints, 3);
    taco_writer_set_doubles(w, "ld", doubles, 2);
    taco_writer_set_stac(w, &s, e);
    taco_writer_set_istac(w, &g, e);
    taco_writer_set_split(w, "train", e);
    taco_writer_set_scaling(w, doubles, doubles, 2, true, padding, e);
}

/* A dataset with padding, as an archive or a FOLDER. */
static taco_status make_all(const char *path, taco_error *e)
{
    taco_create_options how;
    taco_writer *w;
    taco_sink sink;
    int k;
    memset(&how, 0, sizeof how);
    how.options = &options;
    how.pad_to = 4;
    how.fill = true;
    if (!path && taco_sink_memory(&sink, &options, e) != TACO_OK) { return e->code; }
    w = path ? taco_create(path, &how, e) : taco_create_sink(&sink, &how, e);
    taco_writer_collection(w, collection, sizeof collection - 1);
    all_columns(w, 0);
    all_columns(w, 1);
    for (k = 0; k < 3; k++) {
        static const char *const names[] = {"one", "two", "three"};
        taco_writer_folder_begin(w, names[k]);
        all_values(w, k, e);
        taco_writer_bytes(w, "x", "12345", 5);
        all_values(w, k, e);
        taco_writer_bytes(w, "y", "6", 1);
        taco_writer_folder_end(w);
    }
    taco_writer_finish(w, e);
    if (!path) { taco_sink_free(&sink); }
    return e->code;
}

static taco_status make_archive(const char *path, taco_error *e)
{
    taco_member m[3];
    taco_archive_options how;
    taco_header h;
    memset(m, 0, sizeof m);
    memset(&how, 0, sizeof how);
    how.options = &options;
    m[0].name = "a";
    m[0].data = "12345";
    m[0].len = 5;
    m[1].name = "d/b";
    m[1].path = HOME ".txt";
    m[1].listed = true;
    m[2].name = "c";
    m[2].listed = true;
    if (taco_archive_create(path, m, 3, &how, e) != TACO_OK ||
        taco_header_read(path, &options, &h, e) != TACO_OK) {
        return e->code;
    }
    CHECK(h.count == 2 && h.ranges[0].size == 4);
    if (taco_header_write(path, &h, e) != TACO_OK) { return e->code; }
    m[1].path = NULL;
    m[1].data = "longer than it was";
    m[1].len = 18;
    if (taco_archive_replace(path, &m[1], e) != TACO_OK) { return e->code; }
    return TACO_OK;
}

static taco_status make_sink(const char *path, taco_error *e)
{
    (void)path;
    return make_all(NULL, e);
}

static void memory_fails(void)
{
    static taco_status (*const makes[])(const char *path, taco_error *e) = {make_sink, make_all,
                                                                            make_all, make_archive};
    static const char *const paths[] = {"", HOME "/f", HOME "/a.tacozip", HOME "/m.zip"};
    size_t i, n;
    for (i = 0; i < 4; i++) {
        for (n = 0; n == 0 || places_next(&tried, n); n++) {
            taco_error e = {0, TACO_OK, 0, {0}};
            if (n == 0) { places_next(&tried, 0); }
            makes[i](paths[i], &e);
            /* a sink has true and false */
            if (n == 0 || (e.code != TACO_ERR_MEMORY && !strstr(e.text, "writing "))) {
                CHECK_TEXT(e.text, "");
            }
            tried.note = false;
            CHECK(tried.memory.live == 0);
            /* what was made before a change failed is there, and whole */
            CHECK(e.code == TACO_OK || i == 3 || test_names_count(HOME, "", "") == 0);
            if (paths[i][0]) { test_names_remove(paths[i]); }
        }
    }
    printf("%u places that ask for memory\n", (unsigned)tried.tried);
}

/* ---- archives ---- */

static void wrong_archives(void)
{
    static const char *const names[] = {NULL,     "",     "/a", "a\\b",       "../a",
                                        "a/../b", "a/..", "..", "TACO_HEADER"};
    taco_member m;
    taco_header h;
    taco_error e;
    uint8_t bytes[TACO_HEADER_BYTES];
    size_t i;
    memset(&m, 0, sizeof m);
    m.data = "1";
    m.len = 1;
    for (i = 0; i < sizeof names / sizeof names[0]; i++) {
        memset(&e, 0, sizeof e);
        m.name = names[i];
        CHECK(taco_archive_create(HOME "/a.zip", &m, 1, NULL, &e) == TACO_ERR_ARGUMENT &&
              e.text[0]);
    }
    memset(&e, 0, sizeof e);
    CHECK(taco_archive_create(HOME "/a.zip", NULL, 1, NULL, &e) == TACO_ERR_ARGUMENT);
    memset(&e, 0, sizeof e);
    CHECK(taco_archive_create(NULL, &m, 1, NULL, &e) == TACO_ERR_ARGUMENT);
    memset(&h, 0, sizeof h);
    memset(&e, 0, sizeof e);
    h.count = TACO_HEADER_RANGES + 1;
    CHECK(taco_header_bytes(&h, bytes, &e) == TACO_ERR_ARGUMENT && e.text[0]);
    memset(&e, 0, sizeof e);
    CHECK(taco_header_bytes(NULL, bytes, &e) == TACO_ERR_ARGUMENT);
    memset(&e, 0, sizeof e);
    h.count = 2;
    h.ranges[1].offset = 7;
    CHECK(taco_header_bytes(&h, bytes, &e) == TACO_OK);
    for (i = 0; i <= TACO_HEADER_BYTES; i++) { /* cut, and each byte another */
        taco_header got;
        memset(&e, 0, sizeof e);
        CHECK(taco_header_parse(bytes, i, &got, &e) == e.code);
        CHECK((e.code == TACO_OK) == (i == TACO_HEADER_BYTES));
        if (i < TACO_HEADER_BYTES) {
            memset(&e, 0, sizeof e);
            bytes[i] ^= 0x41;
            taco_header_parse(bytes, TACO_HEADER_BYTES, &got, &e);
            CHECK(e.code == TACO_OK || e.text[0]);
            memset(&e, 0, sizeof e);
            taco_header_parse(bytes + 41, 116, &got, &e);
            bytes[i] ^= 0x41;
        }
    }
    memset(&e, 0, sizeof e);
    m.name = "nobody";
    CHECK(taco_archive_create(HOME "/a.zip", NULL, 0, NULL, &e) == TACO_OK);
    CHECK(taco_archive_replace(HOME "/a.zip", &m, &e) == TACO_ERR_NOT_FOUND);
    memset(&e, 0, sizeof e);
    CHECK(taco_header_write(HOME "/a.zip", &h, &e) == TACO_OK || e.text[0]);
    memset(&e, 0, sizeof e);
    h.ranges[0].size = 5000;
    CHECK(taco_header_write(HOME "/a.zip", &h, &e) != TACO_OK && e.text[0]);
    memset(&e, 0, sizeof e);
    CHECK(taco_header_write(NULL, &h, &e) == TACO_ERR_ARGUMENT);
    memset(&e, 0, sizeof e);
    CHECK(taco_header_read(NULL, NULL, &h, &e) == TACO_ERR_ARGUMENT);
    memset(&e, 0, sizeof e);
    CHECK(taco_header_read(HOME "/none", NULL, &h, &e) != TACO_OK && e.text[0]);
    remove(HOME "/a.zip");
}

int main(void)
{
    int here = 0;
    FILE *f;
    places_begin(&tried, &here, &options, &allocator);
    taco__dir_make("build", NULL);
    test_names_remove(HOME);
    CHECK(taco__dir_make(HOME, NULL));
    f = fopen(HOME ".txt", "wb");
    CHECK(f && fwrite("text", 1, 4, f) == 4 && fclose(f) == 0);
    RUN(values_of_types);
    RUN(wrong_calls);
    RUN(wrong_archives);
    RUN(memory_fails);
    test_names_remove(HOME);
    remove(HOME ".txt");
    return test_end("test_writer_calls");
}
