/* GDAL paths: roots, subfiles, names that must not escape from the dataset. */
#include "../src/dataset/gdal_path.c"
#include "../src/dataset/sample_path.c"
#include "../src/base/base.h"
#include "../taco_parquet.h"
#include "../taco.h"

#include "test.h"

static taco__mem test_mem;
static taco__buf test_out;
static taco_error test_err;
static char test_text[512];

static void fresh(void)
{
    test_out.len = 0;
    memset(&test_err, 0, sizeof test_err);
}

static const char *text(void)
{
    memset(test_text, 0, sizeof test_text);
    memcpy(test_text, test_out.data, TACO__MIN(test_out.len, sizeof test_text - 1));
    return test_text;
}

static taco_bytes str(const char *s)
{
    return taco__bytes_text(s);
}

static const char *root(const char *path)
{
    fresh();
    CHECK(taco__vsi_append_root(&test_out, str(path), &test_err));
    return text();
}

static const char *base(const char *path)
{
    fresh();
    CHECK(taco__vsi_append_base(&test_out, str(path), &test_err));
    return text();
}

static const char *folder(const char *dir, const char *relative, bool is_folder, const char *column)
{
    fresh();
    return taco__vsi_append_folder(&test_out, str(dir), str(relative), is_folder, column, &test_err)
               ? text()
               : test_err.text;
}

static void test_root(void)
{
    CHECK_TEXT(root("s3://b/k/x.tacozip"), "/vsis3/b/k/x.tacozip");
    CHECK_TEXT(root("gs://b/x.tacozip"), "/vsigs/b/x.tacozip");
    CHECK_TEXT(root("az://c/x.tacozip"), "/vsiaz/c/x.tacozip");
    CHECK_TEXT(root("azure://c/x.tacozip"), "/vsiaz/c/x.tacozip");
    CHECK_TEXT(root("oss://b/x.tacozip"), "/vsioss/b/x.tacozip");
    CHECK_TEXT(root("swift://b/x.tacozip"), "/vsiswift/b/x.tacozip");
    CHECK_TEXT(root("http://h/x.tacozip"), "/vsicurl/http://h/x.tacozip");
    CHECK_TEXT(root("https://h/x.tacozip?sig=a%20b&c"), "/vsicurl/https://h/x.tacozip?sig=a%20b&c");
    CHECK_TEXT(root("/vsis3/b/x.tacozip"), "/vsis3/b/x.tacozip");
    CHECK_TEXT(root("/abs/x.tacozip"), "/abs/x.tacozip");
    CHECK_TEXT(root("HTTPS://h/x"),
               "HTTPS://h/x"); /* schemes are lower case; the caller makes it a local path */
    CHECK_TEXT(root("hf://d/x"), "hf://d/x");
}

static void test_remote(void)
{
    CHECK(taco__vsi_is_remote(str("s3://b/x")));
    CHECK(taco__vsi_is_remote(str("azure://b/x")));
    CHECK(taco__vsi_is_remote(str("http://h/x")));
    CHECK(taco__vsi_is_remote(str("/vsicurl/https://h/x")));
    CHECK(taco__vsi_is_remote(str("/vsizip/a.zip/x")));
    CHECK(!taco__vsi_is_remote(str("/vsimem/x")));
    CHECK(!taco__vsi_is_remote(str("ftp://h/x")));
    CHECK(!taco__vsi_is_remote(str("s3:/b")));
    CHECK(!taco__vsi_is_remote(str("rel/x")));
    CHECK(!taco__vsi_is_remote(str("")));
}

static void test_base(void)
{
    CHECK_TEXT(base("s3://b/k"), "/vsis3/b/k/");
    CHECK_TEXT(base("/abs/"), "/abs/");
    CHECK_TEXT(base("/"), "/");
    CHECK_TEXT(base(""), "/");
}

static void test_subfile(void)
{
    static const int64_t numbers[] = {0,   7,   10,   42,    99,         100,
                                      101, 999, 1000, 65535, 4294967296, INT64_MAX};
    char want[128];
    size_t i;
    for (i = 0; i < TACO__COUNT(numbers); i++) {
        fresh();
        CHECK(taco__vsi_append_zip(&test_out, numbers[i], numbers[TACO__COUNT(numbers) - 1 - i],
                                   str("/a,b_c/x.tacozip"), &test_err));
        sprintf(want, "/vsisubfile/%.0f_", (double)numbers[i]);
        if (numbers[i] < 4294967297) { /* exact as a double */
            CHECK(strncmp(text(), want, strlen(want)) == 0);
        }
        CHECK(strstr(text(), ",/a,b_c/x.tacozip") != NULL);
    }
    fresh();
    CHECK(taco__vsi_append_zip(&test_out, INT64_MAX, 100, str("/x"), &test_err));
    CHECK_TEXT(text(), "/vsisubfile/9223372036854775807_100,/x");
    CHECK(taco__vsi_append_subfile(&test_out, UINT64_MAX, UINT64_MAX, str(""), str("n"),
                                   &test_err)); /* appends */
    CHECK_TEXT(text(), "/vsisubfile/9223372036854775807_100,/x/vsisubfile/"
                       "18446744073709551615_18446744073709551615,n");
    fresh();
    CHECK(!taco__vsi_append_zip(&test_out, -1, 5, str("/x"), &test_err));
    CHECK(test_err.code == TACO_ERR_CORRUPT);
    CHECK_TEXT(test_err.text, "internal:offset is -1, must not be negative");
    fresh();
    CHECK(!taco__vsi_append_zip(&test_out, 1, -5, str("/x"), &test_err));
    CHECK_TEXT(test_err.text, "internal:size is -5, must not be negative");
    CHECK(test_out.len == 0);
}

static void test_tacocat(void)
{
    fresh();
    CHECK(taco__vsi_append_tacocat(&test_out, 100, 10, str("/abs/"), str("p1.tacozip"), &test_err));
    CHECK_TEXT(text(), "/vsisubfile/100_10,/abs/p1.tacozip");
    fresh();
    CHECK(taco__vsi_append_tacocat(&test_out, 0, 0, str("/vsis3/b/"), str("..p..tacozip"),
                                   &test_err)); /* dots are no harm */
    fresh();
    CHECK(!taco__vsi_append_tacocat(&test_out, 100, 10, str("/abs/"), str("../../../etc/passwd"),
                                    &test_err));
    CHECK_TEXT(test_err.text, "internal:source_file '../../../etc/passwd' has a '..' component, "
                              "the path could leave the dataset");
    fresh();
    CHECK(!taco__vsi_append_tacocat(&test_out, 100, 10, str("/abs/"), str("sub/p1.tacozip"),
                                    &test_err));
    CHECK_TEXT(test_err.text,
               "internal:source_file 'sub/p1.tacozip' has a '/', must be a bare file name");
    fresh();
    CHECK(!taco__vsi_append_tacocat(&test_out, 100, 10, str("/abs/"), taco__bytes_of(NULL, 0),
                                    &test_err));
    CHECK(test_err.code == TACO_ERR_CORRUPT);
    CHECK_TEXT(test_err.text, "internal:source_file is null or empty, no path can be made from it");
    fresh();
    CHECK(!taco__vsi_append_tacocat(&test_out, 100, -10, str("/abs/"), str("p"), &test_err));
    CHECK(test_out.len == 0);
}

static void test_folder(void)
{
    CHECK_TEXT(folder("/abs/ds", "f", false, "id"), "/abs/ds/DATA/f");
    CHECK_TEXT(folder("/abs/ds", "d", true, "id"), "/abs/ds/DATA/d/__meta__");
    CHECK_TEXT(folder("/abs/ds", "d/f", false, "internal:relative_path"), "/abs/ds/DATA/d/f");
    CHECK_TEXT(folder("/abs/ds", "d/e/", true, "internal:relative_path"),
               "/abs/ds/DATA/d/e/__meta__");
    CHECK_TEXT(folder("/abs/ds", "d/e", true, "internal:relative_path"),
               "/abs/ds/DATA/d/e/__meta__");
    CHECK_TEXT(folder("/vsicurl/https://h/ds/", "f", false, "id"), "/vsicurl/https://h/ds/DATA/f");
    CHECK_TEXT(folder("/", "...", false, "id"), "/DATA/...");
    fresh();
    CHECK(taco__vsi_append_child(&test_out, str("/abs/ds/DATA/d"), str("x.tif"), &test_err));
    CHECK_TEXT(text(), "/abs/ds/DATA/d/x.tif");
    fresh();
    CHECK(taco__vsi_append_child(&test_out, str("/abs/ds/DATA/d/"), str("x.tif"), &test_err));
    CHECK_TEXT(text(), "/abs/ds/DATA/d/x.tif");
    fresh();
    CHECK(!taco__vsi_append_child(&test_out, str("/abs/ds/DATA/d"), str("../../../etc/passwd"),
                                  &test_err));
    CHECK_TEXT(test_err.text,
               "id '../../../etc/passwd' has a '..' component, the path could leave the dataset");
}

static void test_names(void)
{
    CHECK_TEXT(folder("/r", "", false, "id"), "id is null or empty, no path can be made from it");
    CHECK_TEXT(folder("/r", "/etc/passwd", false, "id"),
               "id '/etc/passwd' has a '/' at the start, the path could leave the dataset");
    CHECK_TEXT(folder("/r", "/", true, "id"),
               "id '/' has a '/' at the start, the path could leave the dataset");
    CHECK_TEXT(
        folder("/r", "a/../b", false, "internal:relative_path"),
        "internal:relative_path 'a/../b' has a '..' component, the path could leave the dataset");
    CHECK_TEXT(folder("/r", "a/..", false, "id"),
               "id 'a/..' has a '..' component, the path could leave the dataset");
    CHECK_TEXT(folder("/r", "../", true, "id"),
               "id '../' has a '..' component, the path could leave the dataset");
    CHECK_TEXT(folder("/r", ".", false, "id"),
               "id '.' has a '.' component, the path could leave the dataset");
    CHECK_TEXT(folder("/r", "a//b", false, "id"),
               "id 'a//b' has an empty component, the path could leave the dataset");
    CHECK_TEXT(folder("/r", "a/", false, "id"),
               "id 'a/' has an empty component, the path could leave the dataset");
    CHECK_TEXT(folder("/r", "a//", true, "id"),
               "id 'a//' has an empty component, the path could leave the dataset");
    CHECK_TEXT(folder("/r", "a\\..\\b", false, "id"),
               "id 'a\\x5c..\\x5cb' has a backslash, the path could leave the dataset");
    CHECK(test_out.len == 0);
    fresh();
    CHECK(taco__vsi_check_path(taco__bytes_of("a\0b", 3), false, "id", &test_err) ==
          TACO_ERR_CORRUPT);
    CHECK_TEXT(test_err.text, "id 'a\\x00b' has a zero byte, the path could leave the dataset");
    CHECK(taco__vsi_check_path(str("..."), false, "id", NULL) == TACO_OK);
    CHECK(taco__vsi_check_path(str(".a/..b/c../d."), false, "id", NULL) == TACO_OK);
    CHECK(taco__vsi_check_path(str("a b/\xC3\xB1"), false, "id", NULL) == TACO_OK);
}

/* More bytes of paths in a batch than 32-bit offsets reach, without so much memory. */
static void test_too_long(void)
{
    taco__sample_path_maker m;
    taco_array out;
    uint8_t valid[8];
    int32_t offsets[2] = {0, 0};
    fresh();
    memset(&m, 0, sizeof m);
    memset(&out, 0, sizeof out);
    m.mode = TACO__SAMPLE_PATH_NONE;
    m.validity.data = valid;
    m.bytes.len = INT32_MAX;
    CHECK(taco__sample_path_fill(&m, NULL, 1, offsets, &out, &test_err));
    CHECK(out.null_count == 1 && offsets[0] == INT32_MAX);
    m.bytes.len = (size_t)INT32_MAX + 1;
    CHECK(!taco__sample_path_fill(&m, NULL, 1, offsets, &out, &test_err));
    CHECK(test_err.code == TACO_ERR_LIMIT);
    CHECK_TEXT(taco_error_text(&test_err),
               "2147483648 bytes of paths in one batch, 32-bit offsets reach 2147483647: read "
               "fewer rows at a time");
}

static void test_memory(void)
{
    taco__mem small;
    taco__buf b;
    taco_error err;
    memset(&err, 0, sizeof err);
    memset(&b, 0, sizeof b);
    taco__mem_init(&small, NULL);
    small.limit = 64;
    b.mem = &small;
    CHECK(!taco__vsi_append_zip(&b, 1, 2, str("/x"), &err));
    CHECK(err.code == TACO_ERR_LIMIT);
    CHECK(!taco__vsi_append_root(&b, str("s3://x"), NULL));
    taco__buf_free(&b);
    CHECK(small.used == 0);
}

/* Each way to append, with so many bytes of room and no memory for more: all or an error. */
static bool append(size_t which, taco__buf *b, taco_error *err)
{
    switch (which) {
    case 0: return taco__vsi_append_root(b, str("s3://bucket/key"), err);
    case 1: return taco__vsi_append_root(b, str("https://host/key"), err);
    case 2: return taco__vsi_append_base(b, str("/abs"), err);
    case 3: return taco__vsi_append_folder(b, str("/abs"), str("d/e"), true, "id", err);
    case 4: return taco__vsi_append_folder(b, str("/abs"), str("d/f"), false, "id", err);
    case 5: return taco__vsi_append_child(b, str("/abs/d"), str("x.tif"), err);
    case 6: return taco__vsi_append_tacocat(b, 1, 2, str("/abs/"), str("a.tacozip"), err);
    default: return taco__vsi_append_zip(b, 1, 2, str("/abs"), err);
    }
}

static void test_room(void)
{
    size_t which, room;
    for (which = 0; which < 8; which++) {
        bool ok = false;
        for (room = 0; room < 200 && !ok; room++) {
            taco__mem small;
            taco__buf b;
            taco_error err;
            memset(&err, 0, sizeof err);
            memset(&b, 0, sizeof b);
            taco__mem_init(&small, NULL);
            b.mem = &small;
            CHECK(taco__buf_reserve(&b, room, &err));
            small.limit = small.used;
            ok = append(which, &b, &err);
            CHECK(ok == (err.code == TACO_OK) && (ok || err.code == TACO_ERR_LIMIT));
            taco__buf_free(&b);
            CHECK(small.used == 0);
        }
        CHECK(ok && room > 5);
    }
}

/* Names and numbers beyond what there is. */
static void test_extremes(void)
{
    uint64_t x = 1;
    fresh();
    CHECK(taco__vsi_check_name(str("a\\b"), "name", &test_err) == TACO_ERR_CORRUPT);
    CHECK_TEXT(test_err.text, "name 'a\\x5cb' has a backslash, the path could leave the dataset");
    fresh();
    CHECK(taco__vsi_check_name(taco__bytes_of("a\0b", 3), "name", &test_err) == TACO_ERR_CORRUPT);
    CHECK_TEXT(test_err.text, "name 'a\\x00b' has a zero byte, the path could leave the dataset");
    fresh();
    CHECK(!taco__vsi_append_subfile(&test_out, 1, 2, taco__bytes_of("a", SIZE_MAX), str("b"),
                                    &test_err));
    CHECK_TEXT(test_err.text, "out of memory for a path");
    CHECK(!taco__vsi_append_subfile(&test_out, 1, 2, taco__bytes_of("a", SIZE_MAX - 1), str("b"),
                                    NULL));
    CHECK(taco__vsi_parse_number(str("18446744073709551615"), &x) && x == UINT64_MAX);
    CHECK(!taco__vsi_parse_number(str("18446744073709551616"), &x));
    CHECK(!taco__vsi_parse_number(str("184467440737095516150"), &x));
    CHECK(!taco__vsi_parse_number(str("1:"), &x) && !taco__vsi_parse_number(str("1/"), &x));
    CHECK(!taco__vsi_parse_number(str(""), &x));
}

int main(void)
{
    taco__mem_init(&test_mem, NULL);
    test_out.mem = &test_mem;
    RUN(test_root);
    RUN(test_remote);
    RUN(test_base);
    RUN(test_subfile);
    RUN(test_tacocat);
    RUN(test_folder);
    RUN(test_names);
    RUN(test_too_long);
    RUN(test_memory);
    RUN(test_room);
    RUN(test_extremes);
    taco__buf_free(&test_out);
    return test_end("test_vsi");
}
