/* codec/snappy_decode.c: blocks made by hand, every error, and random blocks compared with a model.
   */
#include "../src/base/base.h"
#include "../src/codec/codec.h"
#include "../taco_parquet.h"
#include "../extra/taco_parquet_write.h"

#include "test.h"

static taco__mem mem;
static taco__buf out;
static taco_error err;

/* Decodes a copy of exactly len bytes behind the text "ab", which has to stay. */
static taco_status decode(const void *data, size_t len, size_t limit)
{
    uint8_t *copy = (uint8_t *)calloc(1, len ? len : 1);
    taco_status st;
    if (len) { memcpy(copy, data, len); }
    taco__buf_free(&out);
    memset(&err, 0, sizeof err);
    taco__buf_append_text(&out, "ab", &err);
    st = taco__snappy_decode(taco__bytes_of(copy, len), &out, limit, &err);
    CHECK(st == err.code);
    CHECK(out.len >= 2 && memcmp(out.data, "ab", 2) == 0);
    CHECK(st == TACO_OK || out.len == 2);
    free(copy);
    return st;
}

static bool plain_is(const char *text)
{
    return out.len == 2 + strlen(text) && memcmp(out.data + 2, text, strlen(text)) == 0;
}

#define DECODE(bytes, limit) decode(bytes, sizeof(bytes) - 1, limit)

static void test_elements(void)
{
    CHECK(DECODE("\x00", 0) == TACO_OK && plain_is(""));
    CHECK(DECODE("\x05\x10hello", 5) == TACO_OK && plain_is("hello"));
    /* copies: 1-byte offset of length 4 and 11, 2-byte offset, 4-byte offset */
    CHECK(DECODE("\x08\x0c"
                 "abcd\x01\x04",
                 100) == TACO_OK &&
          plain_is("abcdabcd"));
    CHECK(DECODE("\x0d\x04"
                 "xy\x1d\x02",
                 100) == TACO_OK &&
          plain_is("xyxyxyxyxyxyx"));
    CHECK(DECODE("\x05\x00z\x0e\x01\x00", 100) == TACO_OK && plain_is("zzzzz"));
    CHECK(DECODE("\x06\x08xyz\x0b\x03\x00\x00\x00", 100) == TACO_OK && plain_is("xyzxyz"));
    /* a literal whose length is in 1, 2, 3 and 4 bytes of its own */
    CHECK(DECODE("\x02\xf0\x01hi", 100) == TACO_OK && plain_is("hi"));
    CHECK(DECODE("\x02\xf4\x01\x00hi", 100) == TACO_OK && plain_is("hi"));
    CHECK(DECODE("\x02\xf8\x01\x00\x00hi", 100) == TACO_OK && plain_is("hi"));
    CHECK(DECODE("\x02\xfc\x01\x00\x00\x00hi", 100) == TACO_OK && plain_is("hi"));
    /* the 2-byte varint of a length, and copies of 64 that overlap themselves */
    CHECK(DECODE("\x81\x01\x00q\xfe\x01\x00\xfe\x01\x00", 1000) == TACO_OK && out.len == 2 + 129);
    CHECK(out.data[2] == 'q' && memcmp(out.data + 2, out.data + 3, 128) == 0);
}

static void test_length_errors(void)
{
    CHECK(DECODE("", 10) == TACO_ERR_TRUNCATED && err.offset == 0);
    CHECK_TEXT(err.text, "at byte 0: Snappy block ends inside its length");
    CHECK(DECODE("\x80\x80", 10) == TACO_ERR_TRUNCATED && err.offset == 2);
    CHECK(DECODE("\xff\xff\xff\xff\x1f", 10) == TACO_ERR_CORRUPT && err.offset == 0);
    CHECK_TEXT(err.text, "at byte 0: Snappy length needs more than 32 bits");
    CHECK(DECODE("\xff\xff\xff\xff\xff\x01", 10) == TACO_ERR_CORRUPT);
    /* no memory is taken for a length that the bytes cannot hold */
    CHECK(DECODE("\xff\xff\xff\xff\x0f\x00q", SIZE_MAX) == TACO_ERR_CORRUPT && err.offset == 0);
    CHECK_TEXT(err.text,
               "at byte 0: Snappy length is 4294967295, 2 bytes of input hold at most 64");
    CHECK(DECODE("\x05\x10hello", 4) == TACO_ERR_LIMIT && err.offset == 0);
    CHECK_TEXT(err.text, "at byte 0: Snappy length is 5, limits.max_page leaves 4");
}

/* A copy from one byte before the output, where so much input follows that many elements are taken
   at a time, and one from the first byte. */
static void test_first_byte(void)
{
    uint8_t b[300];
    size_t n = 0, i;
    unsigned offset;
    for (offset = 20; offset <= 21; offset++) {
        n = 0;
        b[n++] = 0xCC; /* 204 bytes: 20, 4, three times 60 */
        b[n++] = 0x01;
        b[n++] = 19 << 2;
        for (i = 0; i < 20; i++) {
            b[n++] = (uint8_t)('a' + i);
        }
        b[n++] = 3 << 2 | 2;
        b[n++] = (uint8_t)offset;
        b[n++] = 0;
        for (i = 0; i < 183; i++) {
            b[n++] = i % 61 ? 'x' : 59 << 2;
        }
        if (offset == 20) {
            CHECK(decode(b, n, 1000) == TACO_OK && out.len == 2 + 204);
            CHECK(memcmp(out.data + 2 + 20, "abcd", 4) == 0);
        } else {
            CHECK(decode(b, n, 1000) == TACO_ERR_CORRUPT && err.offset == 23);
        }
    }
}

static void test_element_errors(void)
{
    CHECK(DECODE("\x05\x10hell", 10) == TACO_ERR_TRUNCATED && err.offset == 1);
    CHECK_TEXT(err.text, "at byte 1: Snappy literal of 5 bytes, 4 bytes of input left");
    CHECK(DECODE("\x05\xf4\x01", 10) == TACO_ERR_TRUNCATED && err.offset == 1);
    CHECK_TEXT(err.text, "at byte 1: Snappy element needs 2 bytes after its tag, 1 left");
    CHECK(DECODE("\x05\x00z\x0e\x01", 10) == TACO_ERR_TRUNCATED && err.offset == 3);
    CHECK(DECODE("\x04\x10hello", 10) == TACO_ERR_CORRUPT && err.offset == 1);
    CHECK_TEXT(err.text, "at byte 1: Snappy element of 5 bytes, the block's length leaves 4");
    CHECK(DECODE("\x04\x00z\x0e\x01\x00", 10) == TACO_ERR_CORRUPT && err.offset == 3);
    CHECK(DECODE("\x05\x00z\x0e\x02\x00", 10) == TACO_ERR_CORRUPT && err.offset == 3);
    CHECK_TEXT(err.text, "at byte 3: Snappy copy from 2 bytes back, 1 bytes are decoded");
    CHECK(DECODE("\x05\x00z\x0e\x00\x00", 10) == TACO_ERR_CORRUPT && err.offset == 3);
    CHECK_TEXT(err.text, "at byte 3: Snappy copy from 0 bytes back, 1 bytes are decoded");
    CHECK(DECODE("\x05\x00z\x0f\xff\xff\xff\xff", 10) == TACO_ERR_CORRUPT && err.offset == 3);
    CHECK(DECODE("\x06\x10hello", 10) == TACO_ERR_TRUNCATED && err.offset == 7);
    CHECK_TEXT(err.text, "at byte 7: Snappy block ends after 5 of 6 plain bytes");
    CHECK(DECODE("\x05\x10helloX", 10) == TACO_ERR_TRUNCATED); /* a literal without its bytes */
    CHECK(taco__snappy_decode(taco__bytes_of("\x05\x10hell", 6), &out, 10, NULL) ==
          TACO_ERR_TRUNCATED);
}

/* ---- random blocks ---- */

static uint32_t seed = 1;

static uint32_t next(uint32_t n)
{
    seed = seed * 1664525U + 1013904223U;
    return (seed >> 8) % n;
}

static uint8_t block[40000], model[40000];

/* Writes one random element to block[*n] and what it means to model[*m]. Offsets stay in reach. */
static void element(size_t *n, size_t *m)
{
    unsigned kind = *m ? next(4) : 0;
    size_t len = 1 + next(64), back, i;
    if (kind == 0) {
        len = next(8) ? 1 + next(60) : 1 + next(300);
        if (len <= 60 && next(8)) {
            block[(*n)++] = (uint8_t)((len - 1) << 2);
        } else {
            unsigned bytes = len > 256 ? 2 + next(3) : 1 + next(4);
            block[(*n)++] = (uint8_t)((59 + bytes) << 2);
            for (i = 0; i < bytes; i++) {
                block[(*n)++] = (uint8_t)((len - 1) >> (8 * i));
            }
        }
        for (i = 0; i < len; i++) {
            block[(*n)++] = model[(*m)++] = (uint8_t)next(256);
        }
        return;
    }
    back = next(2) ? 40 : 40000;
    back = 1 + next((uint32_t)TACO__MIN(*m, back));
    if (kind == 1) {
        len = 4 + next(8);
        back = TACO__MIN(back, (size_t)2047);
        block[(*n)++] = (uint8_t)(1 | (len - 4) << 2 | back >> 8 << 5);
        block[(*n)++] = (uint8_t)back;
    } else {
        block[(*n)++] = (uint8_t)(kind | (len - 1) << 2);
        for (i = 0; i < (kind == 2 ? 2U : 4U); i++) {
            block[(*n)++] = (uint8_t)(back >> (8 * i));
        }
    }
    for (i = 0; i < len; i++, (*m)++) {
        model[*m] = model[*m - back];
    }
}

static void test_random(void)
{
    unsigned round;
    for (round = 0; round < 400; round++) {
        size_t n = 3, m = 0, most = 1 + next(round % 4 ? 600 : 30000), i;
        while (m < most) {
            element(&n, &m);
        }
        for (i = 0; i < 3; i++) { /* a varint may be longer than it has to be */
            block[i] = (uint8_t)((m >> (7 * i) & 0x7F) | (i < 2 ? 0x80 : 0));
        }
        CHECK(decode(block, n, m) == TACO_OK);
        CHECK(out.len == 2 + m && memcmp(out.data + 2, model, m) == 0);
        CHECK(decode(block, n, m - 1) == TACO_ERR_LIMIT);
        CHECK(decode(block, n - 1, m) != TACO_OK);
        for (i = 0; i < 5; i++) { /* damaged: any verdict, no harm */
            size_t at = next((uint32_t)n);
            uint8_t was = block[at];
            block[at] = (uint8_t)next(256);
            (void)decode(block, n, 100000);
            block[at] = was;
        }
    }
}

int main(void)
{
    taco__mem_init(&mem, NULL);
    out.mem = &mem;
    RUN(test_elements);
    RUN(test_length_errors);
    RUN(test_first_byte);
    RUN(test_element_errors);
    RUN(test_random);
    taco__buf_free(&out);
    CHECK(mem.used == 0);
    return test_end("test_snappy");
}
