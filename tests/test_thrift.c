/* parquet/thrift_read.c: every wire type read and skipped, every failure with its code, offset and text,
   every prefix. */
#include "../src/parquet/thrift_read.c"
#include "../src/base/base.h"
#include "../taco_parquet.h"
#include "../extra/taco_parquet_write.h"
#include "test.h"
#include "footer.h"

static wr w;
static taco_error err;

/* A reader over a copy that is exactly as long as what was written. */
static uint8_t *copy;

static taco__thrift reader(size_t n, bool partial)
{
    taco__thrift t;
    free(copy);
    copy = (uint8_t *)malloc(n ? n : 1);
    memcpy(copy, w.b, n);
    memset(&err, 0, sizeof err);
    taco__thrift_init(&t, taco__bytes_of(copy, n), 100, "footer", partial, &err);
    return t;
}

static void scalars(void)
{
    taco__thrift t;
    taco__thrift_field f;
    taco_bytes b;
    w_init(&w);
    w_bool(&w, 1, true);
    w_bool(&w, 2, false);
    w_i8(&w, 3, -128);
    w_i32(&w, 4, INT32_MIN);
    w_i64(&w, 5, INT64_MIN);
    w_i64(&w, 6, INT64_MAX);
    w_f64(&w, 7, -2.5);
    w_bin(&w, 8, "a\0b", 3);
    w_bin(&w, 9, "", 0);
    w_i32(&w, 40, 7);     /* a number too far away for a delta */
    w_i32(&w, -5, 8);     /* backwards */
    w_i32(&w, 32767, -1); /* the last one */
    w_u8(&w, 0);
    t = reader(w.n, false);
    CHECK(taco__thrift_begin(&t, &f));
    CHECK(taco__thrift_next(&t, &f) && f.id == 1 && taco__thrift_bool(&t, f.type));
    CHECK(taco__thrift_next(&t, &f) && f.id == 2 && !taco__thrift_bool(&t, f.type));
    CHECK(taco__thrift_next(&t, &f) && f.id == 3 && taco__thrift_i64(&t, f.type) == -128);
    CHECK(taco__thrift_next(&t, &f) && f.id == 4 && taco__thrift_i32(&t, f.type) == INT32_MIN);
    CHECK(taco__thrift_next(&t, &f) && f.id == 5 && taco__thrift_i64(&t, f.type) == INT64_MIN);
    CHECK(taco__thrift_next(&t, &f) && f.id == 6 && taco__thrift_i64(&t, f.type) == INT64_MAX);
    CHECK(taco__thrift_next(&t, &f) && f.id == 7 && taco__thrift_double(&t, f.type) == -2.5);
    CHECK(taco__thrift_next(&t, &f) && f.id == 8);
    b = taco__thrift_binary(&t, f.type);
    CHECK(b.len == 3 && memcmp(b.data, "a\0b", 3) == 0);
    CHECK(taco__thrift_next(&t, &f) && f.id == 9);
    b = taco__thrift_binary(&t, f.type);
    CHECK(b.data && b.len == 0);
    CHECK(taco__thrift_next(&t, &f) && f.id == 40 && taco__thrift_i32(&t, f.type) == 7);
    CHECK(taco__thrift_next(&t, &f) && f.id == -5 && taco__thrift_i32(&t, f.type) == 8);
    CHECK(taco__thrift_next(&t, &f) && f.id == 32767 && taco__thrift_i32(&t, f.type) == -1);
    CHECK(!taco__thrift_next(&t, &f));
    CHECK(taco__thrift_ok(&t) && t.depth == 0 && taco__thrift_at(&t) == 100 + w.n);
}

/* Fields of every type, containers in containers. */
static void rich(void)
{
    int i;
    w_init(&w);
    w_bool(&w, 1, true);
    w_i8(&w, 2, 5);
    w_i64(&w, 3, 1234567890123);
    w_f64(&w, 4, 1.0);
    w_text(&w, 5, "text");
    w_list(&w, 6, 5, 20);
    for (i = 0; i < 20; i++) {
        w_zz(&w, i * 1000);
    }
    w_list(&w, 7, 1, 3); /* booleans take a byte each in a list */
    w_u8(&w, 1), w_u8(&w, 2), w_u8(&w, 0);
    w_list(&w, 8, 12, 2);
    w_begin(&w), w_i32(&w, 1, 1), w_end(&w);
    w_begin(&w), w_end(&w);
    w_field(&w, 9, 11); /* map of text to list */
    w_varint(&w, 2), w_u8(&w, 0x89);
    w_bytes(&w, "k", 1), w_u8(&w, 0x15), w_zz(&w, 9);
    w_bytes(&w, "l", 1), w_u8(&w, 0x05);
    w_field(&w, 10, 11), w_varint(&w, 0);             /* an empty map has no types */
    w_field(&w, 11, 10), w_u8(&w, 0x27), w_u8(&w, 0); /* set of two doubles */
    for (i = 0; i < 15; i++) {
        w_u8(&w, 0);
    }
    w_field(&w, 12, 13); /* a UUID */
    for (i = 0; i < 16; i++) {
        w_u8(&w, 0xEE);
    }
    w_list(&w, 13, 0, 0); /* an empty list may be of no type */
    w_open(&w, 14), w_open(&w, 1), w_end(&w), w_end(&w);
    w_u8(&w, 0);
}

static void skipping(void)
{
    taco__thrift t;
    taco__thrift_field f;
    int n = 0;
    rich();
    t = reader(w.n, false);
    taco__thrift_begin(&t, &f);
    while (taco__thrift_next(&t, &f)) {
        taco__thrift_skip(&t, f.type);
        CHECK(f.id == ++n);
    }
    CHECK(taco__thrift_ok(&t) && n == 14 && t.depth == 0);
    CHECK(taco__thrift_at(&t) == 100 + w.n);
}

/* Every prefix is too short, and says so at a place inside it. */
static void prefixes(void)
{
    size_t n;
    rich();
    for (n = 0; n < w.n; n++) {
        taco__thrift t = reader(n, n % 2 == 0);
        taco__thrift_field f;
        taco__thrift_begin(&t, &f);
        while (taco__thrift_next(&t, &f)) {
            taco__thrift_skip(&t, f.type);
        }
        CHECK(t.status == (n % 2 == 0 ? TACO_ERR_TRUNCATED : TACO_ERR_CORRUPT));
        CHECK(err.code == t.status && err.offset >= 100 && err.offset <= 100 + n);
        CHECK(!taco__thrift_next(&t, &f) && taco__thrift_i64(&t, TACO__THRIFT_I64) == 0);
    }
}

static void lists(void)
{
    taco__thrift t;
    taco__thrift_field f;
    uint8_t item;
    w_init(&w);
    w_list(&w, 1, 2, 3);
    w_u8(&w, 1), w_u8(&w, 2), w_u8(&w, 0);
    w_u8(&w, 0);
    t = reader(w.n, false);
    taco__thrift_begin(&t, &f);
    CHECK(taco__thrift_next(&t, &f) && taco__thrift_begin_list(&t, f.type, 1, &item) == 3 &&
          item == TACO__THRIFT_FALSE);
    CHECK(taco__thrift_bool_in_list(&t) && !taco__thrift_bool_in_list(&t) &&
          !taco__thrift_bool_in_list(&t));
    CHECK(!taco__thrift_next(&t, &f) && taco__thrift_ok(&t));
}

/* Skips all of the given bytes as one structure and compares the failure. */
static void fails(const char *bytes, size_t n, bool partial, taco_status code, uint64_t offset,
                  const char *text)
{
    taco__thrift t;
    taco__thrift_field f;
    w_init(&w);
    memcpy(w.b, bytes, n);
    t = reader(n, partial);
    taco__thrift_begin(&t, &f);
    while (taco__thrift_next(&t, &f)) {
        taco__thrift_skip(&t, f.type);
    }
    CHECK(t.status == code && err.code == code && err.offset == offset);
    CHECK_TEXT(err.text, text);
}

#define FAILS(bytes, partial, code, offset, text)                                                  \
    fails(bytes, sizeof bytes - 1, partial, code, offset, text)

static void failures(void)
{
    FAILS("", false, TACO_ERR_CORRUPT, 100, "at byte 100: footer ends inside a field, at byte 100");
    FAILS("", true, TACO_ERR_TRUNCATED, 100,
          "at byte 100: footer ends inside a field, at byte 100");
    /* a number that stops in its middle */
    FAILS("\x16\x80\x80", false, TACO_ERR_CORRUPT, 101,
          "at byte 101: footer ends inside a field, at byte 103");
    FAILS("\x16\x80\x80", true, TACO_ERR_TRUNCATED, 101,
          "at byte 101: footer ends inside a field, at byte 103");
    /* nine bytes that go on: one more would do */
    FAILS("\x16\x80\x80\x80\x80\x80\x80\x80\x80\x80", true, TACO_ERR_TRUNCATED, 101,
          "at byte 101: footer ends inside a field, at byte 110");
    /* ten that hold more than 64 bits: no more bytes would help */
    FAILS("\x16\x80\x80\x80\x80\x80\x80\x80\x80\x80\x02", true, TACO_ERR_CORRUPT, 101,
          "at byte 101: footer has a number of more than 64 bits");
    FAILS("\x16\xff\xff\xff\xff\xff\xff\xff\xff\xff\x81", true, TACO_ERR_CORRUPT, 101,
          "at byte 101: footer has a number of more than 64 bits");
    /* types that do not exist; type 0 is only the stop */
    FAILS("\x1e", false, TACO_ERR_CORRUPT, 100, "at byte 100: footer has a field 1 of type 14");
    FAILS("\x10", false, TACO_ERR_CORRUPT, 100, "at byte 100: footer has a field 1 of type 0");
    FAILS("\x15\x02\x2f", false, TACO_ERR_CORRUPT, 102,
          "at byte 102: footer has a field 3 of type 15");
    /* field numbers are 16 bits */
    FAILS("\x05\x80\x80\x04\x00", false, TACO_ERR_CORRUPT, 100,
          "at byte 100: footer has a field 32768 of type 5");
    FAILS("\x05\xfe\xff\x03\x00\x15\x00", false, TACO_ERR_CORRUPT, 105,
          "at byte 105: footer has a field 32768 of type 5");
    /* text, lists and maps longer than what is left */
    FAILS("\x18\xc8\x01xyz", false, TACO_ERR_CORRUPT, 101,
          "at byte 101: text of 200 bytes, footer has 3 left");
    FAILS("\x18\xc8\x01xyz", true, TACO_ERR_TRUNCATED, 101,
          "at byte 101: footer ends inside a field, at byte 106");
    FAILS("\x18\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01x", false, TACO_ERR_CORRUPT, 101,
          "at byte 101: text of 18446744073709551615 bytes, footer has 1 left");
    FAILS("\x19\xf5\xc0\x84\x3d\x00", false, TACO_ERR_CORRUPT, 101,
          "at byte 101: list of 1000000 items, footer has 1 bytes left");
    FAILS("\x19\xf5\xc0\x84\x3d\x00", true, TACO_ERR_TRUNCATED, 101,
          "at byte 101: footer ends inside a field, at byte 106");
    FAILS("\x1b\x02\x55\x00\x00\x00", false, TACO_ERR_CORRUPT, 101,
          "at byte 101: list of 2 items, footer has 3 bytes left");
    FAILS("\x19\x10\x00", false, TACO_ERR_CORRUPT, 101, "at byte 101: footer has a list of type 0");
    FAILS("\x19\x1e\x00", false, TACO_ERR_CORRUPT, 101,
          "at byte 101: footer has a list of type 14");
    FAILS("\x1b\x01\x0f\x00\x00", false, TACO_ERR_CORRUPT, 103,
          "at byte 103: footer has a field of type 0, expected a known type");
    FAILS("\x17\x00\x00", false, TACO_ERR_CORRUPT, 101,
          "at byte 101: footer ends inside a field, at byte 103");
}

/* A double whose last byte is missing. */
static void short_double(void)
{
    taco__thrift t;
    taco__thrift_field f;
    int partial;
    w_init(&w);
    w_f64(&w, 7, -2.5);
    for (partial = 0; partial < 2; partial++) {
        t = reader(w.n - 1, partial != 0);
        CHECK(taco__thrift_begin(&t, &f) && taco__thrift_next(&t, &f));
        CHECK(taco__thrift_double(&t, f.type) == 0);
        CHECK(err.code == (partial ? TACO_ERR_TRUNCATED : TACO_ERR_CORRUPT) && err.offset == 101);
        CHECK_TEXT(err.text, "at byte 101: footer ends inside a field, at byte 108");
    }
}

static void wrong_types(void)
{
    static const char *const wants[] = {"an integer", "an integer", "a boolean",  "a double",
                                        "bytes",      "a list",     "a structure"};
    size_t i;
    for (i = 0; i < TACO__COUNT(wants); i++) {
        unsigned type = i < 2 ? TACO__THRIFT_BINARY : TACO__THRIFT_I32;
        taco__thrift t;
        taco__thrift_field f;
        uint8_t item;
        char text[100];
        w_init(&w);
        w_u8(&w, 4);
        t = reader(w.n, false);
        switch (i) {
        case 0: CHECK(taco__thrift_i64(&t, type) == 0); break;
        case 1: CHECK(taco__thrift_i32(&t, type) == 0); break;
        case 2: CHECK(!taco__thrift_bool(&t, type)); break;
        case 3: CHECK(taco__thrift_double(&t, type) == 0); break;
        case 4: CHECK(taco__thrift_binary(&t, type).data == NULL); break;
        case 5: CHECK(taco__thrift_begin_list(&t, type, 1, &item) == 0); break;
        default: CHECK(!taco__thrift_begin_struct(&t, type, &f)); break;
        }
        sprintf(text, "at byte 100: footer has a field of type %u, expected %s", type, wants[i]);
        CHECK(t.status == TACO_ERR_CORRUPT);
        CHECK_TEXT(err.text, text);
    }
    {
        taco__thrift t;
        w_init(&w);
        w_zz(&w, (int64_t)INT32_MAX + 1);
        t = reader(w.n, false);
        CHECK(taco__thrift_i32(&t, TACO__THRIFT_I32) == 0);
        CHECK_TEXT(err.text,
                   "at byte 100: footer has the number 2147483648, at most 32 bits are allowed");
    }
    {
        taco__thrift t;
        w_init(&w);
        w_u8(&w, 0x15), w_zz(&w, 1);
        t = reader(w.n, false);
        CHECK(taco__thrift_begin_structs(&t, TACO__THRIFT_LIST, 1) == 0);
        CHECK_TEXT(err.text,
                   "at byte 101: footer has a field of type 5, expected a list of structures");
    }
}

/* 64 levels are read, the 65th is damage, whatever the levels are made of. */
static void depth(void)
{
    int levels, kind, i;
    for (kind = 0; kind < 3; kind++) {
        for (levels = 63; levels <= 64; levels++) {
            taco__thrift t;
            taco__thrift_field f;
            w_init(&w);
            for (i = 0; i < levels; i++) {
                if (kind == 0) {
                    w_u8(&w, 0x1C); /* field 1, a structure */
                } else if (kind == 1) {
                    w_u8(&w, i == 0 ? 0x19 : 0),
                        w.n -= i != 0; /* field 1, a list of one list of one list ... */
                    w_u8(&w, i == levels - 1 ? 0x05 : 0x19);
                } else {
                    w_u8(&w, i == 0 ? 0x1B : 0), w.n -= i != 0; /* maps of byte to map */
                    w_u8(&w, i == levels - 1 ? 0 : 1);
                    if (i < levels - 1) { w_u8(&w, 0x3B), w_u8(&w, 7); }
                }
            }
            for (i = 0; kind == 0 && i < levels; i++) {
                w_u8(&w, 0);
            }
            w_u8(&w, 0);
            t = reader(w.n, false);
            taco__thrift_begin(&t, &f);
            while (taco__thrift_next(&t, &f)) {
                taco__thrift_skip(&t, f.type);
            }
            CHECK(t.status == (levels == 63 ? TACO_OK : TACO_ERR_CORRUPT));
            if (levels == 64) {
                CHECK(strstr(err.text, ": footer nests structures deeper than 64") != NULL);
            }
        }
    }
}

/* The first failure stays, and nothing is read behind it. */
static void sticky(void)
{
    taco__thrift t;
    taco__thrift_field f;
    uint64_t at;
    w_init(&w);
    w_text(&w, 1, "abc");
    w_i32(&w, 2, 5);
    w_u8(&w, 0);
    t = reader(w.n, false);
    taco__thrift_begin(&t, &f);
    CHECK(taco__thrift_next(&t, &f));
    CHECK(taco__thrift_i64(&t, f.type) == 0); /* it is text */
    at = taco__thrift_at(&t);
    taco__thrift_skip(&t, TACO__THRIFT_STRUCT);
    CHECK(!taco__thrift_begin(&t, &f) && !taco__thrift_next(&t, &f) &&
          taco__thrift_varint(&t) == 0);
    CHECK(taco__thrift_binary(&t, TACO__THRIFT_BINARY).data == NULL);
    CHECK(taco__thrift_at(&t) == at);
    CHECK_TEXT(err.text, "at byte 101: footer has a field of type 8, expected an integer");
    t = reader(w.n, false); /* and all that without anybody to tell */
    t.err = NULL;
    CHECK(!taco__thrift_begin_struct(&t, TACO__THRIFT_I8, &f) && t.status == TACO_ERR_CORRUPT);
}

int main(void)
{
    RUN(scalars);
    RUN(skipping);
    RUN(prefixes);
    RUN(lists);
    RUN(failures);
    RUN(short_double);
    RUN(wrong_types);
    RUN(depth);
    RUN(sticky);
    free(copy);
    return test_end("test_thrift");
}
