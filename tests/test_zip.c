/* ZIP records, TACO_HEADER, recovery through the central directory, the TACOCAT header. */
#include "../src/dataset/zip_read.c"
#include "../src/base/base.h"
#include "../taco_parquet.h"
#include "../taco.h"

#include "test.h"

/* ---- a small writer of archives ---- */

typedef struct zip {
    uint8_t data[8192];
    size_t len;

    struct {
        char name[32];
        uint32_t local, size;
        uint16_t method, flags;
    } entry[16];

    size_t count, directory, eocd;
} zip;

static void put(zip *z, uint64_t x, size_t n)
{
    size_t i;
    for (i = 0; i < n; i++) {
        z->data[z->len++] = (uint8_t)(x >> (8 * i));
    }
}

static void poke(zip *z, size_t at, uint64_t x, size_t n)
{
    size_t keep = z->len;
    z->len = at;
    put(z, x, n);
    z->len = keep;
}

static void puts_bytes(zip *z, const char *s)
{
    size_t i, n = strlen(s);
    for (i = 0; i < n; i++) {
        z->data[z->len++] = (uint8_t)s[i];
    }
}

/* A local header and its bytes; returns where these begin. */
static size_t add(zip *z, const char *name, const void *bytes, uint32_t size)
{
    size_t k = z->count++, data;
    strcpy(z->entry[k].name, name);
    z->entry[k].local = (uint32_t)z->len;
    z->entry[k].size = size;
    put(z, TACO__ZIP_SIG_LOCAL, 4);
    put(z, 10, 2);
    put(z, 0, 2); /* flags */
    put(z, 0, 2); /* method */
    put(z, 0, 4);
    put(z, taco__crc32(0, bytes, size), 4);
    put(z, size, 4);
    put(z, size, 4);
    put(z, strlen(name), 2);
    put(z, 0, 2);
    puts_bytes(z, name);
    data = z->len;
    memcpy(z->data + z->len, bytes, size);
    z->len += size;
    return data;
}

static void central(zip *z, size_t k)
{
    put(z, TACO__ZIP_SIG_CENTRAL, 4);
    put(z, 0x033F, 2);
    put(z, 10, 2);
    put(z, z->entry[k].flags, 2);
    put(z, z->entry[k].method, 2);
    put(z, 0, 4);
    put(z, 0, 4); /* CRC */
    put(z, z->entry[k].size, 4);
    put(z, z->entry[k].size, 4);
    put(z, strlen(z->entry[k].name), 2);
    put(z, 0, 8);
    put(z, 0x81A40000U, 4);
    put(z, z->entry[k].local, 4);
    puts_bytes(z, z->entry[k].name);
}

static void eocd(zip *z, uint64_t entries, uint64_t size, uint64_t offset, const char *comment)
{
    z->eocd = z->len;
    put(z, TACO__ZIP_SIG_EOCD, 4);
    put(z, 0, 4);
    put(z, entries, 2);
    put(z, entries, 2);
    put(z, size, 4);
    put(z, offset, 4);
    put(z, strlen(comment), 2);
    puts_bytes(z, comment);
}

static void finish(zip *z, const char *comment)
{
    size_t k;
    z->directory = z->len;
    for (k = 0; k < z->count; k++) {
        central(z, k);
    }
    eocd(z, z->count, z->len - z->directory, z->directory, comment);
}

/* A TACO archive: header, one payload, two levels, the collection. */
static zip taco_archive(const char *header_name)
{
    static const uint8_t nothing[116] = {0};
    zip z;
    size_t at, level0, level1, collection;
    memset(&z, 0, sizeof z);
    at = add(&z, header_name, nothing, 116);
    add(&z, "DATA/a", "payload", 7);
    level0 = add(&z, "METADATA/level0.parquet", "PAR1....PAR1", 12);
    level1 = add(&z, "METADATA/level1.parquet", "PAR1...PAR1", 11);
    collection = add(&z, "COLLECTION.json", "{\"id\":1}", 8);
    z.data[at] = 3;
    poke(&z, at + 4, level0, 8);
    poke(&z, at + 12, 12, 8);
    poke(&z, at + 20, level1, 8);
    poke(&z, at + 28, 11, 8);
    poke(&z, at + 36, collection, 8);
    poke(&z, at + 44, 8, 8);
    poke(&z, 14, taco__crc32(0, z.data + at, 116), 4);
    finish(&z, "");
    return z;
}

static taco_bytes all(const zip *z)
{
    return taco__bytes_of(z->data, z->len);
}

static taco_status end_records(const zip *z, taco__zip_dir *dir, taco_error *err)
{
    memset(err, 0, sizeof *err);
    return taco__zip_read_eocd(all(z), 0, z->len, dir, err);
}

/* A file over an archive, and the index by either way. */
static taco_status by_header(const zip *z, taco__index *x, taco_error *err)
{
    memset(err, 0, sizeof *err);
    return taco__index_read_header(
        taco__bytes_of(z->data, TACO__MIN(z->len, (size_t)TACO__INDEX_HEADER_BYTES)), z->len, x,
        err);
}

static taco_status by_directory(const zip *z, taco__index *x, taco_error *err)
{
    taco_source src;
    taco__mem mem;
    taco__file f;
    taco_status st;
    memset(err, 0, sizeof *err);
    taco_source_memory(&src, z->data, z->len);
    src.view = NULL; /* through the buffers, as a remote file */
    taco__mem_init(&mem, NULL);
    taco__file_init(&f, &src, "test", &mem);
    st = taco__index_recover(&f, 1 << 20, x, err);
    taco__file_close(&f);
    CHECK(mem.used == 0);
    return st;
}

#define CHECK_ERROR(call, e, status, at, message)                                                  \
    do {                                                                                           \
        CHECK((call) == (status));                                                                 \
        CHECK((e).code == (status));                                                               \
        CHECK((e).offset == (at));                                                                 \
        CHECK_TEXT((e).text, message);                                                             \
    } while (0)

/* ---- end records ---- */

static void test_eocd(void)
{
    taco__zip_dir dir;
    taco_error err;
    zip z = taco_archive("TACO_HEADER");
    CHECK(end_records(&z, &dir, &err) == TACO_OK);
    CHECK(dir.entries == 5 && dir.offset == z.directory && dir.eocd == z.eocd && dir.gap == 0 &&
          dir.trailing == 0);
    CHECK(dir.size == z.eocd - z.directory && dir.end == z.eocd && dir.eocd64 == 0 &&
          dir.comment == 0);
    /* only the end of the file is needed */
    CHECK(taco__zip_read_eocd(taco__bytes_of(z.data + z.eocd - 3, z.len - z.eocd + 3), z.eocd - 3,
                              z.len, &dir, &err) == TACO_OK);
    CHECK(dir.offset == z.directory && dir.eocd == z.eocd);
    puts_bytes(&z, "bytes behind the archive");
    CHECK(end_records(&z, &dir, &err) == TACO_OK);
    CHECK(dir.trailing == 24 && dir.entries == 5);
    z.len = z.eocd; /* a comment that looks like an end record */
    eocd(&z, 5, z.eocd - z.directory, z.directory, "PK\5\6 and so on, for thirty bytes");
    CHECK(end_records(&z, &dir, &err) == TACO_OK);
    CHECK(dir.entries == 5 && dir.comment == 32 && dir.trailing == 0);
}

static void test_eocd_errors(void)
{
    taco__zip_dir dir;
    taco_error err;
    zip z = taco_archive("TACO_HEADER"), good = z;
    z.len = 100;
    CHECK_ERROR(
        end_records(&z, &dir, &err), err, TACO_ERR_TRUNCATED, 100U,
        "at byte 100: ZIP: no end of central directory record (EOCD) in the last 100 bytes");
    z.len = 0;
    CHECK(end_records(&z, &dir, &err) == TACO_ERR_TRUNCATED);
    z = good;
    poke(&z, z.eocd + 16, z.directory + 7, 4);
    CHECK_ERROR(
        end_records(&z, &dir, &err), err, TACO_ERR_CORRUPT, (uint64_t)z.eocd,
        "at byte 690: ZIP: central directory of 308 bytes at 389 runs past the end records at 690");
    poke(&z, z.eocd + 16, z.directory - 7, 4); /* earlier: the gap is told */
    CHECK(end_records(&z, &dir, &err) == TACO_OK);
    CHECK(dir.gap == 7);
    z = good;
    poke(&z, z.eocd + 8, 7, 2);
    poke(&z, z.eocd + 10, 7, 2);
    CHECK_ERROR(end_records(&z, &dir, &err), err, TACO_ERR_CORRUPT, (uint64_t)z.eocd,
                "at byte 690: ZIP: 7 entries in a central directory of 308 bytes");
    poke(&z, z.eocd + 8, 3, 2);
    CHECK_ERROR(end_records(&z, &dir, &err), err, TACO_ERR_UNSUPPORTED, (uint64_t)z.eocd,
                "at byte 690: ZIP: an archive of several disks");
}

/* Appends the ZIP64 records, with all but the given fields right, and an EOCD that defers to
   them. */
static zip zip64_archive(uint64_t locator, uint64_t entries, bool defer)
{
    zip z = taco_archive("TACO_HEADER");
    size_t size = z.eocd - z.directory, at = z.eocd;
    z.len = z.eocd;
    put(&z, TACO__ZIP_SIG_EOCD64, 4);
    put(&z, 44, 8);
    put(&z, 45, 2);
    put(&z, 45, 2);
    put(&z, 0, 8);
    put(&z, entries, 8);
    put(&z, entries, 8);
    put(&z, size, 8);
    put(&z, z.directory, 8);
    put(&z, TACO__ZIP_SIG_LOCATOR, 4);
    put(&z, 0, 4);
    put(&z, locator ? locator : at, 8);
    put(&z, 1, 4);
    eocd(&z, defer ? 0xFFFF : entries, defer ? 0xFFFFFFFFU : size,
         defer ? 0xFFFFFFFFU : z.directory, "");
    return z;
}

static void test_zip64_end(void)
{
    taco__zip_dir dir;
    taco_error err;
    zip z = zip64_archive(0, 5, true);
    CHECK(end_records(&z, &dir, &err) == TACO_OK);
    CHECK(dir.entries == 5 && dir.offset == z.directory && dir.end == dir.eocd64 &&
          dir.eocd64 == z.eocd - 76 && dir.gap == 0);
    /* the EOCD64 may lie before the tail that was read */
    CHECK(taco__zip_read_eocd(taco__bytes_of(z.data + z.eocd - 20, 42), z.eocd - 20, z.len, &dir,
                              &err) == TACO_OK);
    CHECK(dir.pending);
    CHECK(taco__zip_read_eocd64(taco__bytes_of(z.data + dir.eocd64, 56), &dir, &err) == TACO_OK);
    CHECK(!dir.pending && dir.entries == 5);
    z = zip64_archive(0, 5, false);
    CHECK(end_records(&z, &dir, &err) == TACO_OK);
    poke(&z, z.eocd + 16, z.directory + 1, 4);
    CHECK_ERROR(
        end_records(&z, &dir, &err), err, TACO_ERR_CORRUPT, (uint64_t)(z.eocd - 76),
        "at byte 690: ZIP64: 5 entries, directory of 308 bytes at 382; the EOCD says 5, 308, 383");
    z = zip64_archive((uint64_t)1 << 63, 5, true);
    CHECK_ERROR(end_records(&z, &dir, &err), err, TACO_ERR_CORRUPT, (uint64_t)(z.eocd - 20),
                "at byte 746: ZIP64: the locator points to 9223372036854775808, the end record "
                "(EOCD64) must lie before 746");
    z = zip64_archive(600, 5, true);
    CHECK_ERROR(end_records(&z, &dir, &err), err, TACO_ERR_CORRUPT, 600U,
                "at byte 600: ZIP64: the locator points here, but no end record (EOCD64) begins");
    z = zip64_archive(0, (uint64_t)1 << 60, true);
    CHECK(end_records(&z, &dir, &err) == TACO_ERR_CORRUPT);
    CHECK_TEXT(err.text,
               "at byte 690: ZIP: 1152921504606846976 entries in a central directory of 308 bytes");
}

/* Each number of the 32-bit end record alone: the ZIP64 value, 2^32-1 (2^16-1), or a mistake. */
static void test_zip64_numbers(void)
{
    static const struct {
        size_t at, width;
    } all[] = {{10, 2}, {12, 4}, {16, 4}};

    size_t i;
    for (i = 0; i < 3; i++) {
        zip z = zip64_archive(0, 5, false);
        uint8_t *p = z.data + z.eocd + all[i].at;
        taco__zip_dir dir;
        taco_error err;
        uint64_t size = z.eocd - 76 - z.directory;
        CHECK(end_records(&z, &dir, &err) == TACO_OK && dir.size == size);
        memset(p, 0xFF, all[i].width);
        CHECK(end_records(&z, &dir, &err) == TACO_OK);
        CHECK(dir.entries == 5 && dir.size == size && dir.offset == z.directory);
        p[0] = 0xFE;
        memset(&err, 0, sizeof err);
        CHECK(end_records(&z, &dir, &err) == TACO_ERR_CORRUPT);
        CHECK(strstr(err.text, "; the EOCD says ") != NULL);
    }
}

/* ---- entries ---- */

static size_t count_entries(const zip *z, taco_error *err, bool *bad)
{
    taco__zip_dir dir;
    taco__zip_iter it;
    taco__zip_entry e;
    size_t n = 0;
    CHECK(end_records(z, &dir, err) == TACO_OK);
    it = taco__zip_iter_init(taco__bytes_of(z->data + dir.offset, (size_t)dir.size), &dir);
    while (taco__zip_next(&it, &e, err)) {
        n++;
    }
    CHECK(!taco__zip_next(&it, &e, err));
    *bad = it.bad;
    return n;
}

static void test_entries(void)
{
    zip z = taco_archive("TACO_HEADER");
    taco_bytes directory = taco__bytes_of(z.data + z.directory, z.eocd - z.directory);
    taco__zip_dir dir;
    taco__zip_iter it;
    taco__zip_entry e;
    taco_error err;
    CHECK(end_records(&z, &dir, &err) == TACO_OK);
    it = taco__zip_iter_init(directory, &dir);
    CHECK(taco__zip_next(&it, &e, &err) &&
          taco__bytes_equal(e.name, taco__bytes_text("TACO_HEADER")));
    CHECK(e.size == 116 && e.csize == 116 && e.local == 0 && e.index == 0 && e.at == z.directory &&
          e.made == 0x033F);
    CHECK(taco__zip_next(&it, &e, &err) && taco__bytes_equal(e.name, taco__bytes_text("DATA/a")));
    CHECK(e.size == 7 && e.local == 157 && e.index == 1 && e.external == 0x81A40000U && !e.zip64);
    CHECK(taco__zip_check_stored(&e, &err) == TACO_OK);
    e.flags = 0x0801;
    CHECK_ERROR(taco__zip_check_stored(&e, &err), err, TACO_ERR_UNSUPPORTED, e.at,
                "at byte 439: entry 'DATA/a' is encrypted (flags 0x801)");
    memset(&err, 0, sizeof err);
    e.method = 8;
    CHECK_ERROR(taco__zip_check_stored(&e, &err), err, TACO_ERR_UNSUPPORTED, e.at,
                "at byte 439: entry 'DATA/a' is compressed (method 8), a TACO archive stores its "
                "entries (STORE, 0)");
    memset(&err, 0, sizeof err);
    e.method = e.flags = 0;
    e.csize = 6;
    CHECK_ERROR(taco__zip_check_stored(&e, &err), err, TACO_ERR_CORRUPT, e.at,
                "at byte 439: entry 'DATA/a' is stored, but has 7 bytes in 6");
}

/* The extra field and the comment of an entry, and the next entry behind them. */
static void test_entry_comment(void)
{
    zip z;
    taco__zip_dir dir;
    taco__zip_iter it;
    taco__zip_entry e;
    taco_error err;
    size_t k, at;
    memset(&z, 0, sizeof z);
    memset(&dir, 0, sizeof dir);
    memset(&err, 0, sizeof err);
    add(&z, "a", "1", 1);
    add(&z, "b", "2", 1);
    z.directory = z.len;
    for (k = 0; k < 2; k++) {
        at = z.len;
        central(&z, k);
        poke(&z, at + 30, 5, 2);
        poke(&z, at + 32, 3 + k, 2);
        puts_bytes(&z, "\x77\x77\1");
        put(&z, 0, 1);
        puts_bytes(&z, "!");
        puts_bytes(&z, k ? "what" : "who");
    }
    dir.entries = 2;
    dir.offset = z.directory;
    it = taco__zip_iter_init(taco__bytes_of(z.data + z.directory, z.len - z.directory), &dir);
    for (k = 0; k < 2; k++) {
        CHECK(taco__zip_next(&it, &e, &err));
        CHECK_TEXT(err.text, "");
        CHECK(taco__bytes_equal(e.name, taco__bytes_text(k ? "b" : "a")));
        CHECK(taco__bytes_equal(e.comment, taco__bytes_text(k ? "what" : "who")));
        CHECK(e.extra.len == 5 && memcmp(e.extra.data, "\x77\x77\1\0!", 5) == 0);
    }
    CHECK(!taco__zip_next(&it, &e, &err));
}

static void test_entry_errors(void)
{
    zip z = taco_archive("TACO_HEADER"), good = z;
    size_t first = z.directory, second = first + 46 + 11;
    taco_error err;
    bool bad;
    CHECK(count_entries(&z, &err, &bad) == 5 && !bad);
    poke(&z, second, 0, 1);
    CHECK(count_entries(&z, &err, &bad) == 1 && bad);
    CHECK(err.code == TACO_ERR_CORRUPT && err.offset == second);
    CHECK_TEXT(err.text, "at byte 439: ZIP: entry 1 of 5 is not a central directory header, or "
                         "runs past the end of the directory");
    z = good;
    poke(&z, first + 28, 0xFFFF, 2); /* a name longer than the directory */
    CHECK(count_entries(&z, &err, &bad) == 0 && bad);
    z = good;
    poke(&z, second + 42, 5000, 4);
    CHECK(count_entries(&z, &err, &bad) == 1 && bad);
    CHECK_TEXT(err.text, "at byte 439: ZIP: entry 'DATA/a' has 7 bytes after a local header at "
                         "5000, the directory begins at 382");
    z = good;
    poke(&z, second + 20, 0xFFFFFFF0U, 4);
    CHECK(count_entries(&z, &err, &bad) == 1 && bad);
    z = good;
    poke(&z, second + 34, 2, 2);
    CHECK(count_entries(&z, &err, &bad) == 1 && bad);
    CHECK(err.code == TACO_ERR_UNSUPPORTED);
    CHECK_TEXT(err.text, "at byte 439: ZIP: entry 'DATA/a' is on disk 2");
}

static void test_extra64(void)
{
    static const uint8_t both[] = {9, 0, 2, 0, 7, 7, 1, 0, 16, 0, 1, 2, 3,
                                   4, 5, 0, 0, 0, 9, 9, 0, 0,  0, 0, 0, 0};
    static const uint8_t cut[] = {1, 0, 16, 0, 1, 2, 3, 4}, none[] = {1, 0, 0, 0},
                         odd[] = {5, 0, 99, 0, 1};
    uint64_t a, b, c, *values[3];
    bool found;
    taco_error err;
    memset(&err, 0, sizeof err);
    values[0] = &a;
    values[1] = &b;
    values[2] = &c;
    a = 0xFFFFFFFFU;
    b = 17;
    c = 0xFFFFFFFFU;
    CHECK(taco__zip_read_extra64(taco__bytes_of(both, sizeof both), 5, values, 3, &found, &err) ==
          TACO_OK);
    CHECK(found && a == 0x0504030201U && b == 17 && c == 0x0909);
    a = 0xFFFFFFFEU; /* a size like any other: the field has two of the other values */
    b = c = 0xFFFFFFFFU;
    CHECK(taco__zip_read_extra64(taco__bytes_of(both, sizeof both), 5, values, 3, &found, &err) ==
          TACO_OK);
    CHECK(found && a == 0xFFFFFFFEU && b == 0x0504030201U && c == 0x0909);
    b = 17;
    a = c = 0xFFFFFFFFU;
    CHECK(taco__zip_read_extra64(taco__bytes_of(none, sizeof none), 5, values, 3, &found, &err) ==
          TACO_OK);
    CHECK(found && a == 0xFFFFFFFFU);
    CHECK(taco__zip_read_extra64(taco__bytes_of(odd, sizeof odd), 5, values, 3, &found, &err) ==
          TACO_OK);
    CHECK(!found && a == 0xFFFFFFFFU);
    CHECK_ERROR(taco__zip_read_extra64(taco__bytes_of(cut, sizeof cut), 5, values, 3, &found, &err),
                err, TACO_ERR_CORRUPT, 5U, "at byte 5: ZIP64: extra field of 16 bytes, 4 are left");
    memset(&err, 0, sizeof err);
    b = 0xFFFFFFFFU; /* three values wanted, two there */
    CHECK_ERROR(
        taco__zip_read_extra64(taco__bytes_of(both, sizeof both), 5, values, 3, &found, &err), err,
        TACO_ERR_CORRUPT, 5U, "at byte 5: ZIP64: extra field of 16 bytes, needs 24");
}

static void test_local(void)
{
    zip z = taco_archive("TACO_HEADER");
    taco__zip_local_header l;
    taco__zip_dir dir;
    taco__zip_iter it;
    taco__zip_entry e;
    taco_error err;
    CHECK(end_records(&z, &dir, &err) == TACO_OK);
    it = taco__zip_iter_init(taco__bytes_of(z.data + dir.offset, (size_t)dir.size), &dir);
    CHECK(taco__zip_next(&it, &e, &err) && taco__zip_next(&it, &e, &err));
    CHECK(taco__zip_read_local_header(taco__bytes_of(z.data + 157, 30), 157, &l, &err) == TACO_OK);
    CHECK(l.partial && l.length == 36 && l.data == 193 && l.size == 7);
    CHECK(taco__zip_read_local_header(taco__bytes_of(z.data + 157, 36), 157, &l, &err) == TACO_OK);
    CHECK(!l.partial && taco__bytes_equal(l.name, e.name) && l.crc == taco__crc32(0, "payload", 7));
    CHECK(taco__zip_check_local_header(&dir, &e, &l, &err) == TACO_OK);
    l.size = 8;
    CHECK_ERROR(taco__zip_check_local_header(&dir, &e, &l, &err), err, TACO_ERR_CORRUPT, 157U,
                "at byte 157: ZIP: the local header of entry 'DATA/a' says 8 bytes in 7, the "
                "directory 7 in 7");
    memset(&err, 0, sizeof err);
    l.flags = TACO__ZIP_DESCRIPTOR; /* then the sizes are elsewhere */
    CHECK(taco__zip_check_local_header(&dir, &e, &l, &err) == TACO_OK);
    l.method = 99;
    CHECK_ERROR(
        taco__zip_check_local_header(&dir, &e, &l, &err), err, TACO_ERR_CORRUPT, 157U,
        "at byte 157: ZIP: the local header of entry 'DATA/a' says method 99, the directory 0");
    memset(&err, 0, sizeof err);
    l.name = taco__bytes_text("DATA/b");
    CHECK_ERROR(taco__zip_check_local_header(&dir, &e, &l, &err), err, TACO_ERR_CORRUPT, 157U,
                "at byte 157: ZIP: the local header of entry 'DATA/a' names 'DATA/b'");
    memset(&err, 0, sizeof err);
    CHECK_ERROR(taco__zip_read_local_header(taco__bytes_of(z.data + 5, 40), 5, &l, &err), err,
                TACO_ERR_CORRUPT, 5U, "at byte 5: ZIP: no local header, its signature is 0x0");
    memset(&err, 0, sizeof err);
    CHECK_ERROR(taco__zip_read_local_header(taco__bytes_of(z.data, 29), 0, &l, &err), err,
                TACO_ERR_TRUNCATED, 0U,
                "at byte 0: ZIP: a local header needs 30 bytes, 29 are left");
}

/* ---- TACO_HEADER ---- */

static void test_header(void)
{
    static const char *const names[] = {"TACO_HEADER", "TACO_GHOST"};
    size_t i;
    for (i = 0; i < 2; i++) {
        zip z = taco_archive(names[i]);
        taco__index a, b;
        taco_error err;
        CHECK(by_header(&z, &a, &err) == TACO_OK);
        CHECK(a.levels == 2 && a.count == 3 && a.odd == (i ? TACO__INDEX_ODD_NAME : 0U) &&
              !a.recover);
        CHECK(a.level[0].offset == z.entry[2].local + 53U && a.level[0].len == 12);
        CHECK(a.level[1].len == 11 && a.level[2].len == 0 && a.collection.len == 8);
        CHECK(by_directory(&z, &b, &err) == TACO_OK);
        CHECK(b.levels == 2 && b.count == 3);
        CHECK(taco__index_compare(&a, &b, &err) == TACO_OK);
        b.level[1].offset++;
        CHECK(taco__index_compare(&a, &b, &err) == TACO_ERR_CORRUPT);
        CHECK_TEXT(
            err.text,
            i ? "TACO_HEADER: level1 has 11 bytes at 317, the central directory says 11 at 318"
              : "TACO_HEADER: level1 has 11 bytes at 318, the central directory says 11 at 319");
    }
}

static void test_header_odd(void)
{
    zip z = taco_archive("TACO_HEADER");
    taco__index x;
    taco_error err;
    poke(&z, 42, 0xFFFFFF, 3); /* padding carries no meaning */
    CHECK(by_header(&z, &x, &err) == TACO_OK);
    CHECK(x.odd == (TACO__INDEX_ODD_PADDING | TACO__INDEX_ODD_CRC) && x.levels == 2);
    poke(&z, 18, 0, 4);
    CHECK(by_header(&z, &x, &err) == TACO_OK);
    CHECK(x.odd & TACO__INDEX_ODD_LENGTH);
    z = taco_archive("TACO_HEADER"); /* a level of length 0 in the middle is skipped */
    poke(&z, 41, 4, 1);
    memcpy(z.data + 45 + 48, z.data + 45 + 32, 16);
    memcpy(z.data + 45 + 32, z.data + 45 + 16, 16);
    memset(z.data + 45 + 16, 0, 16);
    CHECK(by_header(&z, &x, &err) == TACO_OK);
    CHECK(x.levels == 3 && x.level[1].len == 0 && x.level[2].len == 11 &&
          x.odd == (TACO__INDEX_ODD_GAP | TACO__INDEX_ODD_CRC));
    memset(z.data + 45 + 32, 0, 16); /* at the end it is none */
    CHECK(by_header(&z, &x, &err) == TACO_OK);
    CHECK(x.levels == 1 && x.odd == TACO__INDEX_ODD_CRC);
}

static void test_header_ranges(void)
{
    taco__index x;
    taco_error err;
    zip z = taco_archive("TACO_HEADER"), good = z;
    poke(&z, 41, 0, 1);
    CHECK_ERROR(by_header(&z, &x, &err), err, TACO_ERR_CORRUPT, 41U,
                "at byte 41: Empty TACO_HEADER: its count of entries is 0");
    CHECK(x.recover);
    poke(&z, 41, 8, 1);
    CHECK_ERROR(
        by_header(&z, &x, &err), err, TACO_ERR_CORRUPT, 41U,
        "at byte 41: TACO_HEADER: a count of 8 entries, needs 2 (level0, COLLECTION.json) to 7");
    CHECK(x.recover);
    poke(&z, 41, 1, 1);
    CHECK(by_header(&z, &x, &err) == TACO_ERR_CORRUPT && x.recover);
    CHECK(by_directory(&z, &x, &err) == TACO_OK &&
          x.level[0].len == 12); /* the directory knows better */
    z = good;
    poke(&z, 45, UINT64_MAX, 8);
    poke(&z, 53, UINT64_MAX, 8);
    CHECK_ERROR(by_header(&z, &x, &err), err, TACO_ERR_CORRUPT, 45U,
                "at byte 45: TACO_HEADER: level0 has 18446744073709551615 bytes at "
                "18446744073709551615, past 2^64");
    z = good;
    poke(&z, 45 + 40, 1000000000, 8);
    CHECK_ERROR(by_header(&z, &x, &err), err, TACO_ERR_TRUNCATED, 77U,
                "at byte 77: TACO_HEADER: COLLECTION.json has 1000000000 bytes at 374, past the "
                "end of the file at 712");
    z = good;
    poke(&z, 45 + 32, 250, 8);
    CHECK_ERROR(by_header(&z, &x, &err), err, TACO_ERR_CORRUPT, 77U,
                "at byte 77: TACO_HEADER: COLLECTION.json (8 bytes at 250) overlaps level0 (12 "
                "bytes at 253)");
    z = good;
    poke(&z, 45, 156, 8);
    CHECK_ERROR(by_header(&z, &x, &err), err, TACO_ERR_CORRUPT, 45U,
                "at byte 45: TACO_HEADER: level0 at 156 overlaps the header, which ends at 157");
    z = good;
    poke(&z, 53, 0, 8);
    CHECK_ERROR(by_header(&z, &x, &err), err, TACO_ERR_CORRUPT, 45U,
                "at byte 45: TACO_HEADER: level0 is missing or empty");
    z = good;
    poke(&z, 45 + 40, 0, 8);
    CHECK_ERROR(by_header(&z, &x, &err), err, TACO_ERR_CORRUPT, 77U,
                "at byte 77: TACO_HEADER: COLLECTION.json is missing or empty");
    CHECK(x.recover);
}

static void test_header_foreign(void)
{
    static const struct {
        const char *bytes;
        taco_status status;
        const char *text;
    } cases[] = {
        {"#y2345678901234567890123456789012345", TACO_ERR_UNSUPPORTED,
         "at byte 0: a Tortilla 0.x file (magic '#y'), not a TACO 2 archive: taco convert makes "
         "one"},
        {"WX2345678901234567890123456789012345", TACO_ERR_UNSUPPORTED,
         "at byte 0: a TACO 0.x file (magic 'WX'), not a TACO 2 archive: taco convert makes one"},
        {"#!/bin/sh                           ", TACO_ERR_CORRUPT,
         "at byte 0: not a ZIP archive, which begins with 'PK\\x03\\x04': '#!/b'"},
        {"PK", TACO_ERR_CORRUPT,
         "at byte 0: not a ZIP archive, which begins with 'PK\\x03\\x04': 'PK'"},
        {"PK\3\4", TACO_ERR_TRUNCATED, "at byte 4: a local header needs 30 bytes, the file has 4"},
        {"", TACO_ERR_TRUNCATED, "at byte 0: the file is empty"},
    };

    taco__index x;
    taco_error err;
    zip z;
    size_t i;
    for (i = 0; i < TACO__COUNT(cases); i++) {
        memset(&z, 0, sizeof z);
        puts_bytes(&z, cases[i].bytes);
        CHECK(by_header(&z, &x, &err) == cases[i].status);
        CHECK_TEXT(err.text, cases[i].text);
        CHECK(!x.recover);
    }
    memset(&z, 0, sizeof z);
    add(&z, "__cozip__", "0123456789", 10);
    finish(&z, "");
    CHECK_ERROR(by_header(&z, &x, &err), err, TACO_ERR_UNSUPPORTED, 30U,
                "at byte 30: a TACO 3 archive (first entry '__cozip__'), TACO 2 is read");
    CHECK(!x.recover);
    memset(&z, 0, sizeof z);
    add(&z, "DATA/a", "0123456789", 10);
    finish(&z, "");
    CHECK_ERROR(by_header(&z, &x, &err), err, TACO_ERR_CORRUPT, 30U,
                "at byte 30: the first entry is 'DATA/a', a TACO archive begins with TACO_HEADER");
    CHECK(!x.recover);
    z = taco_archive("TACO_HEADER");
    z.len = 156;
    CHECK_ERROR(by_header(&z, &x, &err), err, TACO_ERR_TRUNCATED, 156U,
                "at byte 156: TACO_HEADER: needs 157 bytes, the file has 156");
    z = taco_archive("TACO_HEADER");
    poke(&z, 8, 8, 2);
    CHECK_ERROR(by_header(&z, &x, &err), err, TACO_ERR_CORRUPT, 8U,
                "at byte 8: TACO_HEADER: method 8 and 0 bytes of extra field, both must be 0");
}

/* ---- recovery ---- */

static void test_recover(void)
{
    taco__index x;
    taco_error err;
    zip z = taco_archive("TACO_HEADER"), good = z;
    z.len = z.directory;
    z.entry[3].method = 8;
    finish(&z, "");
    CHECK(by_directory(&z, &x, &err) == TACO_ERR_UNSUPPORTED);
    CHECK_TEXT(err.text, "at byte 560: entry 'METADATA/level1.parquet' is compressed (method 8), a "
                         "TACO archive stores its entries "
                         "(STORE, 0)");
    z = good;
    z.len = z.directory;
    strcpy(z.entry[3].name, "METADATA/level0.parquet");
    finish(&z, "");
    CHECK_ERROR(by_directory(&z, &x, &err), err, TACO_ERR_CORRUPT, 560U,
                "at byte 560: central directory: two entries 'METADATA/level0.parquet'");
    z = good;
    z.len = z.directory;
    strcpy(z.entry[4].name, "collection.json");
    finish(&z, "");
    CHECK(by_directory(&z, &x, &err) == TACO_ERR_CORRUPT);
    CHECK_TEXT(err.text, "central directory: COLLECTION.json is missing or empty");
    z = good;
    z.data[z.entry[2].local + 30] = 'm'; /* the local header disagrees */
    CHECK_ERROR(by_directory(&z, &x, &err), err, TACO_ERR_CORRUPT, (uint64_t)z.entry[2].local,
                "at byte 200: ZIP: the local header of entry 'METADATA/level0.parquet' names "
                "'mETADATA/level0.parquet'");
    z = good;
    z.len = z.directory;
    z.entry[2].local = 5;
    finish(&z, "");
    CHECK(by_directory(&z, &x, &err) == TACO_ERR_CORRUPT);
    CHECK_TEXT(err.text, "local header of entry 'METADATA/level0.parquet': at byte 5: ZIP: no "
                         "local header, its signature is 0x0");
}

/* Offsets come from the local header, whose extra field may be longer than that of the
   directory. */
static void test_recover_extra(void)
{
    zip z;
    taco__index x;
    taco_error err;
    size_t local;
    memset(&z, 0, sizeof z);
    add(&z, "COLLECTION.json", "{}", 2);
    local = z.len;
    add(&z, "METADATA/level0.parquet", "xxxxPAR1", 8);
    poke(&z, local + 28, 4, 2); /* the first four bytes become an extra field */
    poke(&z, local + 53, 0x00000009U, 4);
    poke(&z, local + 18, 4, 4);
    poke(&z, local + 22, 4, 4);
    z.entry[1].size = 4;
    finish(&z, "comment");
    CHECK(by_directory(&z, &x, &err) == TACO_OK);
    CHECK(x.level[0].offset == local + 57 && x.level[0].len == 4 && x.collection.offset == 45);
}

/* No damage of one byte makes either way read outside of the file or give a range that is. */
static void test_every_byte(void)
{
    zip z = taco_archive("TACO_HEADER");
    taco__index x;
    taco_error err;
    size_t i, k;
    for (i = 0; i < z.len; i++) {
        uint8_t keep = z.data[i];
        for (k = 0; k < 3; k++) {
            z.data[i] = (uint8_t)(k == 0 ? 0 : k == 1 ? 0xFF : keep ^ 0x11);
            if (by_header(&z, &x, &err) == TACO_OK) {
                CHECK(x.collection.offset + x.collection.len <= z.len &&
                      x.level[0].offset + x.level[0].len <= z.len);
            }
            if (by_directory(&z, &x, &err) == TACO_OK) {
                CHECK(x.collection.offset + x.collection.len <= z.len &&
                      x.level[0].offset + x.level[0].len <= z.len);
            }
        }
        z.data[i] = keep;
    }
    for (i = 0; i < z.len; i++) {
        zip cut = z;
        cut.len = i;
        CHECK(by_directory(&cut, &x, &err) != TACO_OK);
    }
}

/* ---- TACOCAT ---- */

static void test_tacocat(void)
{
    zip z, good;
    taco__index x;
    taco_error err;
    memset(&z, 0, sizeof z);
    memset(&err, 0, sizeof err);
    puts_bytes(&z, "TACOCAT");
    put(&z, 0, 1);
    put(&z, 1, 4);
    put(&z, 1, 4);
    put(&z, 128, 8);
    put(&z, 10, 8);
    put(&z, 138, 8);
    put(&z, 20, 8);
    z.len = 112;
    put(&z, 158, 8);
    put(&z, 5, 8);
    good = z;
    CHECK(taco__index_is_tacocat(all(&z)));
    CHECK(taco__index_read_tacocat(all(&z), 163, &x, &err) == TACO_OK);
    CHECK(x.levels == 2 && x.level[1].offset == 138 && x.level[1].len == 20 &&
          x.collection.offset == 158 && x.count == 3);
    CHECK_ERROR(taco__index_read_tacocat(all(&z), 162, &x, &err), err, TACO_ERR_TRUNCATED, 112U,
                "at byte 112: TACOCAT: COLLECTION.json has 5 bytes at 158, past the end of the "
                "file at 162");
    memset(&err, 0, sizeof err);
    CHECK_ERROR(taco__index_read_tacocat(taco__bytes_of(z.data, 127), 127, &x, &err), err,
                TACO_ERR_TRUNCATED, 127U,
                "at byte 127: TACOCAT: a header needs 128 bytes, the file has 127");
    memset(&err, 0, sizeof err);
    poke(&z, 7, '\n', 1);
    CHECK_ERROR(taco__index_read_tacocat(all(&z), 163, &x, &err), err, TACO_ERR_CORRUPT, 0U,
                "at byte 0: TACOCAT: begins with 'TACOCAT\\x0a', must be 'TACOCAT\\x00'");
    z = good;
    memset(&err, 0, sizeof err);
    poke(&z, 8, 2, 4);
    CHECK_ERROR(taco__index_read_tacocat(all(&z), 163, &x, &err), err, TACO_ERR_UNSUPPORTED, 8U,
                "at byte 8: TACOCAT: version 2, only 1 is supported");
    z = good;
    memset(&err, 0, sizeof err);
    poke(&z, 12, 6, 4);
    CHECK_ERROR(taco__index_read_tacocat(all(&z), 163, &x, &err), err, TACO_ERR_CORRUPT, 12U,
                "at byte 12: TACOCAT: depth 6, at most 5");
    memset(&err, 0, sizeof err);
    poke(&z, 12, 0, 4);
    CHECK_ERROR(taco__index_read_tacocat(all(&z), 163, &x, &err), err, TACO_ERR_CORRUPT, 12U,
                "at byte 12: TACOCAT: depth 0, but level1 is there");
    z = good;
    memset(&err, 0, sizeof err);
    poke(&z, 16, UINT64_MAX - 5, 8);
    CHECK_ERROR(taco__index_read_tacocat(all(&z), 163, &x, &err), err, TACO_ERR_CORRUPT, 16U,
                "at byte 16: TACOCAT: level0 has 10 bytes at 18446744073709551610, past 2^64");
    z = good;
    memset(&err, 0, sizeof err);
    poke(&z, 112, 0, 8);
    poke(&z, 120, 0, 8);
    CHECK_ERROR(taco__index_read_tacocat(all(&z), 163, &x, &err), err, TACO_ERR_CORRUPT, 112U,
                "at byte 112: TACOCAT: COLLECTION.json is missing or empty");
}

/* ---- limits, failing sources ---- */

static bool failing_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    (void)ctx;
    (void)offset;
    (void)dst;
    (void)len;
    return false;
}

static void test_limit_and_io(void)
{
    zip z = taco_archive("TACO_HEADER");
    taco_source src;
    taco__mem mem;
    taco__file f;
    taco__index x;
    taco_error err;
    memset(&err, 0, sizeof err);
    taco_source_memory(&src, z.data, z.len);
    taco__mem_init(&mem, NULL);
    taco__file_init(&f, &src, "test", &mem);
    CHECK_ERROR(taco__index_recover(&f, 100, &x, &err), err, TACO_ERR_LIMIT, (uint64_t)z.directory,
                "at byte 382: ZIP: central directory of 308 bytes, limits.max_metadata is 100");
    memset(&err, 0, sizeof err);
    f.src.view = NULL;
    f.src.read = failing_read;
    CHECK(taco__index_recover(&f, 1000, &x, &err) == TACO_ERR_IO);
    CHECK_TEXT(err.text, "at byte 0: reading 712 bytes failed");
    CHECK(taco__index_recover(&f, 1000, &x, NULL) == TACO_ERR_IO);
    taco__file_close(&f);
    CHECK(mem.used == 0);
}

/* End records that are rare: two before other bytes, disks, a directory past 2^64. */
static void test_rare_ends(void)
{
    static const struct {
        size_t at, width; /* of the EOCD64 */
        uint64_t value;
        taco_status code;
        const char *says;
    } cases[] = {{4, 8, 43, TACO_ERR_CORRUPT, "no end record (EOCD64) begins"},
                 {16, 4, 1, TACO_ERR_UNSUPPORTED, "ZIP64: an archive of several disks"},
                 {20, 4, 1, TACO_ERR_UNSUPPORTED, "ZIP64: an archive of several disks"},
                 {24, 8, 4, TACO_ERR_UNSUPPORTED, "ZIP64: an archive of several disks"},
                 {48, 8, UINT64_MAX, TACO_ERR_CORRUPT, "runs past the end records"}};

    taco__zip_dir dir;
    taco_error err;
    zip z = taco_archive("TACO_HEADER");
    size_t i, last;
    last = z.len;
    eocd(&z, 5, z.eocd - z.directory, z.directory, "");
    puts_bytes(&z, "bytes behind");
    CHECK(end_records(&z, &dir, &err) == TACO_OK && dir.eocd == last && dir.trailing == 12);
    for (i = 0; i < TACO__COUNT(cases); i++) {
        z = zip64_archive(0, 5, true);
        poke(&z, z.eocd - 76 + cases[i].at, cases[i].value, cases[i].width);
        CHECK(end_records(&z, &dir, &err) == cases[i].code);
        CHECK(strstr(err.text, cases[i].says) != NULL);
    }
    z = zip64_archive(0, 5, true); /* the locator: its disk, and how many there are */
    poke(&z, z.eocd - 16, 1, 4);
    CHECK(end_records(&z, &dir, &err) == TACO_ERR_UNSUPPORTED && err.offset == z.eocd - 20);
    z = zip64_archive(0, 5, true);
    poke(&z, z.eocd - 4, 2, 4);
    CHECK(end_records(&z, &dir, &err) == TACO_ERR_UNSUPPORTED && err.offset == z.eocd - 20);
}

/* Local headers at the end of all numbers, with a broken extra field, and one that has grown since its
   size was read; entries on disk 65535, which means that ZIP64 has it. */
static void test_rare_headers(void)
{
    zip z = taco_archive("TACO_HEADER");
    taco__zip_local_header l;
    taco__zip_entry e;
    taco__zip_dir dir;
    taco_error err;
    bool bad;
    memset(&err, 0, sizeof err);
    memset(&e, 0, sizeof e);
    CHECK(taco__zip_read_local_header(all(&z), UINT64_MAX - 10, &l, &err) == TACO_ERR_CORRUPT &&
          strstr(err.text, "ends past 2^64") != NULL);
    memset(&err, 0, sizeof err);
    CHECK(end_records(&z, &dir, &err) == TACO_OK);
    CHECK(taco__zip_read_local_header(taco__bytes_of(z.data, 30), 0, &l, &err) == TACO_OK);
    CHECK(l.partial && taco__zip_check_local_header(&dir, &e, &l, &err) == TACO_ERR_CORRUPT);
    poke(&z, 28, 5, 2); /* an extra field: 1, of 100 bytes, that has one */
    poke(&z, 41, 1, 2);
    poke(&z, 43, 100, 2);
    memset(&err, 0, sizeof err);
    CHECK(taco__zip_read_local_header(all(&z), 0, &l, &err) == TACO_ERR_CORRUPT);
    CHECK_TEXT(err.text,
               "local header of 'TACO_HEADER': at byte 0: ZIP64: extra field of 100 bytes, "
               "1 are left");
    z = taco_archive("TACO_HEADER");
    poke(&z, z.directory + 34, 0xFFFF, 2);
    CHECK(count_entries(&z, &err, &bad) == 5 && !bad);
    poke(&z, z.directory + 34, 1, 2);
    CHECK(count_entries(&z, &err, &bad) == 0 && bad && err.code == TACO_ERR_UNSUPPORTED);
}

/* A source whose reads fail after some. */
typedef struct failing_file {
    const uint8_t *data;
    size_t left; /* reads that do not fail */
} failing_file;

static bool read_some(void *ctx, uint64_t offset, void *dst, size_t len)
{
    failing_file *f = (failing_file *)ctx;
    if (!f->left) { return false; }
    f->left--;
    memcpy(dst, f->data + offset, len);
    return true;
}

/* The end records of a file whose EOCD64 lies far before the others; n reads do not fail. */
static taco_status far_record(const uint8_t *data, size_t len, size_t n, taco_error *err)
{
    failing_file some;
    taco_source src;
    taco__mem mem;
    taco__file f;
    taco__buf scratch;
    taco__zip_dir dir;
    taco_bytes bytes;
    taco__zip_entry e;
    taco__zip_local_header l;
    taco_status st;
    some.data = data;
    some.left = n;
    memset(&src, 0, sizeof src);
    memset(&scratch, 0, sizeof scratch);
    memset(&e, 0, sizeof e);
    src.ctx = &some;
    src.size = len;
    src.read = read_some;
    taco__mem_init(&mem, NULL);
    scratch.mem = &mem;
    taco__file_init(&f, &src, "test", &mem);
    st = taco__zip_open(&f, &dir, &scratch, err);
    if (st == TACO_OK) {
        CHECK(dir.entries == 0 && dir.size == 0 && !dir.pending);
        dir.size = 10; /* which is not read yet */
        dir.offset = 100;
        st = taco__zip_read_directory(&f, &dir, 1000, &scratch, &bytes, err);
    }
    if (st == TACO_OK) { st = taco__zip_locate_entry(&f, &dir, &e, &l, &scratch, err); }
    taco__buf_free(&scratch);
    taco__file_close(&f);
    CHECK(mem.used == 0);
    return st;
}

static void test_failing_reads(void)
{
    static uint8_t file[80000];
    zip z;
    size_t n;
    taco_error err;
    memset(&z, 0, sizeof z);
    put(&z, TACO__ZIP_SIG_LOCAL, 4); /* with an extra field of 8 bytes */
    poke(&z, 28, 8, 2);
    poke(&z, 30, 2, 2);
    poke(&z, 32, 4, 2);
    memcpy(file, z.data, 38);
    z.len = 0;
    put(&z, TACO__ZIP_SIG_EOCD64, 4);
    put(&z, 44, 8);
    put(&z, 45 | 45 << 16, 4);
    for (n = 0; n < 4; n++) {
        put(&z, 0, 8); /* disks, entries, size */
    }
    put(&z, 200, 8); /* the directory */
    memcpy(file + 200, z.data, 56);
    z.len = 0;
    put(&z, TACO__ZIP_SIG_LOCATOR, 4);
    put(&z, 0, 4);
    put(&z, 200, 8);
    put(&z, 1, 4);
    eocd(&z, 0xFFFF, 0xFFFFFFFFU, 0xFFFFFFFFU, "");
    memcpy(file + sizeof file - z.len, z.data, z.len);
    for (n = 0; n < 5; n++) {
        memset(&err, 0, sizeof err);
        CHECK(far_record(file, sizeof file, n, &err) == TACO_ERR_IO && err.code == TACO_ERR_IO);
        CHECK(far_record(file, sizeof file, n, NULL) == TACO_ERR_IO);
    }
    memset(&err, 0, sizeof err);
    CHECK(far_record(file, sizeof file, 5, &err) == TACO_OK);
    CHECK_TEXT(err.text, "");
}

int main(void)
{
    RUN(test_rare_ends);
    RUN(test_rare_headers);
    RUN(test_failing_reads);
    RUN(test_eocd);
    RUN(test_eocd_errors);
    RUN(test_zip64_end);
    RUN(test_zip64_numbers);
    RUN(test_entries);
    RUN(test_entry_comment);
    RUN(test_entry_errors);
    RUN(test_extra64);
    RUN(test_local);
    RUN(test_header);
    RUN(test_header_odd);
    RUN(test_header_ranges);
    RUN(test_header_foreign);
    RUN(test_recover);
    RUN(test_recover_extra);
    RUN(test_every_byte);
    RUN(test_tacocat);
    RUN(test_limit_and_io);
    return test_end("test_zip");
}
