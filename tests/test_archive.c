/* TACO_HEADER alone, and archives of arbitrary members: creating, reading, editing in place. */
#include "../src/base/base.h"
#include "../src/base/file_copy.h"
#include "../extra/taco_write.h"

#include "test.h"
#include "names.h"

#define DIR "build/test_archive"

static taco_error e;

static void write_file(const char *path, const void *data, size_t n)
{
    FILE *f = fopen(path, "wb");
    CHECK(f && fwrite(data, 1, n, f) == n);
    if (f) { fclose(f); }
}

/* The bytes of a file at offset. */
static const char *bytes_at(const char *path, uint64_t offset, size_t n)
{
    static char text[4096];
    FILE *f = fopen(path, "rb");
    CHECK(f && n < sizeof text && fseek(f, (long)offset, SEEK_SET) == 0);
    n = f ? fread(text, 1, n, f) : 0;
    text[n] = 0;
    if (f) { fclose(f); }
    return text;
}

/* As tacozip 0.13 makes and reads it. */
static void test_bytes(void)
{
    taco_header h, back;
    uint8_t b[TACO_HEADER_BYTES];
    memset(&h, 0, sizeof h);
    memset(&e, 0, sizeof e);
    h.count = 2;
    h.ranges[0].offset = 1234;
    h.ranges[0].size = 56;
    h.ranges[1].offset = UINT64_C(1) << 40;
    h.ranges[1].size = 7;
    CHECK(taco_header_bytes(&h, b, &e) == TACO_OK);
    CHECK(memcmp(b, "PK\3\4", 4) == 0 && memcmp(b + 30, "TACO_HEADER", 11) == 0 && b[41] == 2);
    CHECK(taco_header_parse(b, sizeof b, &back, &e) == TACO_OK && !memcmp(&back, &h, sizeof h));
    CHECK(taco_header_parse(b + 41, 116, &back, &e) == TACO_OK && !memcmp(&back, &h, sizeof h));
    CHECK_TEXT(e.text, "");
    CHECK(taco_header_parse(b, 100, &back, &e) == TACO_ERR_TRUNCATED);
    memset(&e, 0, sizeof e);
    b[41] = 8;
    CHECK(taco_header_parse(b, sizeof b, &back, &e) == TACO_ERR_CORRUPT);
    CHECK_TEXT(e.text, "at byte 41: TACO_HEADER: 8 ranges, 7 are the most");
    b[31] = 'X';
    CHECK(taco_header_parse(b, sizeof b, &back, NULL) == TACO_ERR_CORRUPT);
    h.count = 8;
    CHECK(taco_header_bytes(&h, b, NULL) == TACO_ERR_ARGUMENT);
}

static void test_create(void)
{
    static const taco_member members[] = {
        {"a/b.txt", NULL, "first", 5, false},
        {"COLLECTION.json", DIR "/file", NULL, 0, true},
        {"empty", NULL, "", 0, false},
    };
    static const char *const wrong[] = {"", "/a", "a/../b", "..", "a\\b", "TACO_HEADER"};
    taco_archive_options how;
    taco_header h, other;
    taco_member m[2];
    size_t i;
    memset(&how, 0, sizeof how);
    memset(&e, 0, sizeof e);
    test_names_remove(DIR);
    CHECK(taco__dir_make(DIR, NULL));
    write_file(DIR "/file", "{\"id\":1}", 8);
    CHECK(taco_archive_create(DIR "/x.zip", members, 3, NULL, &e) == TACO_OK);
    CHECK_TEXT(e.text, "");
    CHECK(taco_header_read(DIR "/x.zip", NULL, &h, &e) == TACO_OK && h.count == 1);
    CHECK_TEXT(bytes_at(DIR "/x.zip", h.ranges[0].offset, (size_t)h.ranges[0].size), "{\"id\":1}");
    CHECK(taco_archive_create(DIR "/x.zip", members, 3, NULL, &e) == TACO_ERR_ARGUMENT);
    CHECK_TEXT(e.text, DIR "/x.zip: the file exists already, and overwrite is not asked for");
    how.overwrite = true;
    other = h;
    other.count = 2;
    other.ranges[1].offset = 0;
    other.ranges[1].size = 4;
    how.header = &other;
    memset(&e, 0, sizeof e);
    CHECK(taco_archive_create(DIR "/x.zip", members, 3, &how, &e) == TACO_OK);
    CHECK(taco_header_read(DIR "/x.zip", NULL, &h, &e) == TACO_OK && h.count == 2 &&
          h.ranges[1].size == 4);
    CHECK_TEXT(e.text, "");
    for (i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        m[0] = members[0];
        m[0].name = wrong[i];
        CHECK(taco_archive_create(DIR "/y.zip", m, 1, NULL, NULL) == TACO_ERR_ARGUMENT);
    }
    m[0] = m[1] = members[0];
    CHECK(taco_archive_create(DIR "/y.zip", m, 2, NULL, &e) == TACO_ERR_ARGUMENT);
    CHECK_TEXT(e.text, DIR "/y.zip: two members are named 'a/b.txt'");
    m[1].name = "z";
    m[1].path = DIR "/none";
    CHECK(taco_archive_create(DIR "/y.zip", m, 2, NULL, NULL) == TACO_ERR_NOT_FOUND);
    CHECK(taco_header_read(DIR "/y.zip", NULL, &h, NULL) == TACO_ERR_NOT_FOUND);
}

/* In place: a header, a member that it lists, one that it does not. */
static void test_change(void)
{
    static const taco_member other = {"COLLECTION.json", NULL, "{\"id\":2222}", 11, false},
                             none = {"none", NULL, "x", 1, false},
                             first = {"a/b.txt", NULL, "2nd", 3, false};
    taco_header h, back;
    memset(&e, 0, sizeof e);
    CHECK(taco_header_read(DIR "/x.zip", NULL, &h, &e) == TACO_OK);
    CHECK(taco_archive_replace(DIR "/x.zip", &other, &e) == TACO_OK);
    CHECK_TEXT(e.text, "");
    CHECK(taco_header_read(DIR "/x.zip", NULL, &back, &e) == TACO_OK && back.count == 2);
    CHECK(back.ranges[0].offset > h.ranges[0].offset && back.ranges[0].size == 11);
    CHECK_TEXT(bytes_at(DIR "/x.zip", back.ranges[0].offset, 11), "{\"id\":2222}");
    CHECK(taco_archive_replace(DIR "/x.zip", &none, &e) == TACO_ERR_NOT_FOUND);
    CHECK_TEXT(e.text, DIR "/x.zip: no member is named 'none'");
    memset(&e, 0, sizeof e);
    CHECK(taco_archive_replace(DIR "/x.zip", &first, &e) == TACO_OK);
    h = back;
    h.count = 1;
    CHECK(taco_header_write(DIR "/x.zip", &h, &e) == TACO_OK);
    CHECK(taco_header_read(DIR "/x.zip", NULL, &back, &e) == TACO_OK && back.count == 1 &&
          back.ranges[0].offset == h.ranges[0].offset);
    CHECK_TEXT(e.text, "");
    h.ranges[0].size = UINT64_C(1) << 60;
    CHECK(taco_header_write(DIR "/x.zip", &h, &e) == TACO_ERR_ARGUMENT);
    CHECK(strstr(e.text, "range 0: 1152921504606846976 bytes at "));
    CHECK(taco_header_write(DIR "/file", &back, NULL) != TACO_OK);
}

/* The collection of a dataset is another one; a sample stays what the tables say. */
static void test_dataset(void)
{
    static const char json[] = "{\"id\":\"demo\",\"dataset_version\":\"1.0.0\",\"description\":"
                               "\"d\",\"licenses\":[\"MIT\"],"
                               "\"providers\":[{\"name\":\"x\"}],\"tasks\":[\"other\"]}";
    taco_writer *w;
    taco_dataset *ds;
    taco_header h;
    taco_member m;
    char text[4096], *at;
    memset(&e, 0, sizeof e);
    memset(&m, 0, sizeof m);
    w = taco_create(DIR "/d.tacozip", NULL, &e);
    taco_writer_collection(w, json, sizeof json - 1);
    taco_writer_bytes(w, "a", "abc", 3);
    CHECK(taco_writer_finish(w, &e) == TACO_OK);
    CHECK(taco_header_read(DIR "/d.tacozip", NULL, &h, &e) == TACO_OK && h.count == 2);
    strcpy(text, bytes_at(DIR "/d.tacozip", h.ranges[1].offset, (size_t)h.ranges[1].size));
    at = strstr(text, "1.0.0");
    CHECK(at != NULL);
    if (at) { memcpy(at, "1.0.1", 5); }
    m.name = "COLLECTION.json";
    m.data = text;
    m.len = strlen(text);
    CHECK(taco_archive_replace(DIR "/d.tacozip", &m, &e) == TACO_OK);
    CHECK_TEXT(e.text, "");
    ds = taco_open(DIR "/d.tacozip", NULL, &e);
    CHECK(strstr((const char *)taco_collection(ds, "dataset_version").data, "1.0.1"));
    taco_close(ds);
    CHECK(taco_validate(DIR "/d.tacozip", NULL, NULL, NULL, &e) == TACO_OK);
    CHECK_TEXT(e.text, "");
    m.name = "DATA/a";
    CHECK(taco_archive_replace(DIR "/d.tacozip", &m, &e) == TACO_ERR_ARGUMENT);
    CHECK(strstr(e.text, "'DATA/a' is a sample"));
}

/* The place of the entry of TACO_HEADER in the last directory. */
static size_t header_entry(const uint8_t *p, size_t n)
{
    size_t i = n - 57;
    while (i && (memcmp(p + i, "PK\1\2", 4) != 0 || memcmp(p + i + 46, "TACO_HEADER", 11) != 0)) {
        i--;
    }
    CHECK(i > 0);
    return i;
}

/* Archives whose TACO_HEADER is no first entry of its size, or whose directory ends early, are not
   changed; names that no archive should have are refused. */
static void test_unfit(void)
{
    static const taco_member other = {"COLLECTION.json", NULL, "{}", 2, false},
                             outside = {"../a", NULL, "{}", 2, false};
    static const size_t at[] = {42, 24, 10}; /* of the entry: local header, size, method */
    static uint8_t data[8192], copy[8192];
    FILE *f = fopen(DIR "/x.zip", "rb");
    size_t n = f ? fread(data, 1, sizeof data, f) : 0, i, entry = 0;
    if (f) { fclose(f); }
    CHECK(n > 300 && n < sizeof data);
    for (i = 0; i < 3; i++) {
        memcpy(copy, data, n);
        entry = header_entry(copy, n);
        copy[entry + at[i]] = (uint8_t)(copy[entry + at[i]] + 8);
        if (i == 1) { copy[entry + 20] = copy[entry + 24]; }
        write_file(DIR "/z.zip", copy, n);
        memset(&e, 0, sizeof e);
        CHECK(taco_archive_replace(DIR "/z.zip", &other, &e) == TACO_ERR_UNSUPPORTED);
        CHECK(strstr(e.text, "TACO_HEADER is not the first entry, of 116 bytes: taco repair "));
        CHECK(memcmp(bytes_at(DIR "/z.zip", 0, 300), copy, 300) == 0);
    }
    memcpy(copy, data, n);
    memcpy(copy + entry, "XX", 2); /* of the directory */
    write_file(DIR "/z.zip", copy, n);
    memset(&e, 0, sizeof e);
    CHECK(taco_archive_replace(DIR "/z.zip", &other, &e) == TACO_ERR_CORRUPT && e.text[0]);
    for (i = 0; i + 4 < n; i++) { /* no end of any directory */
        if (memcmp(data + i, "PK\5\6", 4) == 0) { memcpy(data + i, "XX", 2); }
    }
    write_file(DIR "/z.zip", data, n);
    memset(&e, 0, sizeof e);
    CHECK(taco_archive_replace(DIR "/z.zip", &other, &e) != TACO_OK && e.text[0]);
    memset(&e, 0, sizeof e);
    CHECK(taco_archive_replace(DIR "/z.zip", &outside, &e) == TACO_ERR_ARGUMENT);
    memset(&e, 0, sizeof e);
    CHECK(taco_archive_replace(DIR "/no.zip", &other, &e) != TACO_OK && e.text[0]);
    CHECK(taco_archive_replace(DIR "/file", &other, NULL) == TACO_ERR_TRUNCATED);
}

/* TACO_GHOST, the name before it was called TACO_HEADER. */
static void test_old_name(void)
{
    taco_header h, back;
    uint8_t b[TACO_HEADER_BYTES];
    memset(&h, 0, sizeof h);
    memset(&e, 0, sizeof e);
    h.count = 1;
    h.ranges[0].offset = 200;
    h.ranges[0].size = 3;
    CHECK(taco_header_bytes(&h, b, &e) == TACO_OK);
    memmove(b + 40, b + 41, 116);
    memcpy(b + 30, "TACO_GHOST", 10);
    b[26] = 10;
    CHECK(taco_header_parse(b, sizeof b - 1, &back, &e) == TACO_OK && back.ranges[0].size == 3);
    b[26] = 9;
    CHECK(taco_header_parse(b, sizeof b - 1, &back, NULL) == TACO_ERR_TRUNCATED);
    CHECK(taco_header_parse(b, sizeof b, &back, NULL) == TACO_ERR_CORRUPT);
    b[26] = 12;
    CHECK(taco_header_parse(b, sizeof b, &back, NULL) == TACO_ERR_CORRUPT);
    b[26] = 10;
    b[0] = 'X';
    CHECK(taco_header_parse(b, sizeof b, &back, NULL) == TACO_ERR_CORRUPT);
    CHECK(taco_header_parse(NULL, 5, &back, NULL) == TACO_ERR_ARGUMENT);
    CHECK(taco_header_parse(b, 5, NULL, NULL) == TACO_ERR_ARGUMENT);
    CHECK(taco_header_write(NULL, &h, NULL) == TACO_ERR_ARGUMENT);
    CHECK(taco_header_write(DIR "/x.zip", NULL, NULL) == TACO_ERR_ARGUMENT);
    CHECK(taco_header_read(NULL, NULL, &h, NULL) == TACO_ERR_ARGUMENT);
    CHECK(taco_header_read(DIR "/x.zip", NULL, NULL, NULL) == TACO_ERR_ARGUMENT);
    CHECK(taco_header_read(DIR "/x.zip", NULL, &h, NULL) == TACO_OK && h.count == 1);
}

int main(void)
{
    RUN(test_bytes);
    RUN(test_create);
    RUN(test_change);
    RUN(test_dataset);
    RUN(test_unfit);
    RUN(test_old_name);
    return test_end("archive");
}
