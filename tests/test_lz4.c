/* codec/lz4_decode.c: blocks, frames and Hadoop's framing made by hand, every error, and random
   blocks compared with a model. */
#include "../src/codec/lz4_decode.c"
#include "../src/base/base.h"
#include "../taco_parquet.h"
#include "../extra/taco_parquet_write.h"

#include "test.h"

static taco__mem mem;
static taco__buf out;
static taco_error err;

/* what a test calls: a block, frames, or a page with Parquet's LZ4 */
enum { RAW, FRAMES, PAGE };

/* Decodes a copy of exactly len bytes behind the text "ab", which has to stay. n: the limit, or
   what a page promises. */
static taco_status decode(int how, const void *data, size_t len, size_t n)
{
    uint8_t *copy = (uint8_t *)calloc(1, len ? len : 1);
    taco_bytes in = taco__bytes_of(copy, len);
    taco_status st;
    taco__lz4_decoder z;
    if (len) { memcpy(copy, data, len); }
    taco__buf_free(&out);
    memset(&err, 0, sizeof err);
    taco__buf_append_text(&out, "ab", &err);
    if (how == RAW) {
        st = taco__lz4_decode_raw(in, &out, n, &err);
    } else if (how == PAGE) {
        st = taco__lz4_decode(in, &out, n, 1000000, &err);
    } else {
        st = taco__lz4_decode_init(&z, in, &out, n, &err);
        st = st == TACO_OK ? taco__lz4_decode_frames(&z, in, &err) : st;
        if (st == TACO_OK) { taco__lz_output_finish(&z.out); }
    }
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

#define DECODE(how, bytes, n) decode(how, bytes, sizeof(bytes) - 1, n)

static void test_blocks(void)
{
    CHECK(DECODE(RAW, "\x00", 0) == TACO_OK && plain_is(""));
    CHECK(DECODE(RAW, "\x50hello", 5) == TACO_OK && plain_is("hello"));
    CHECK(DECODE(RAW,
                 "\xf0\x00"
                 "123456789abcdef",
                 15) == TACO_OK &&
          plain_is("123456789abcdef"));
    /* a match of 4, one of 4 + 15 + 2, and the 5 literals that end a block */
    CHECK(DECODE(RAW,
                 "\x40"
                 "abcd\x04\x00\x50"
                 "12345",
                 100) == TACO_OK &&
          plain_is("abcdabcd12345"));
    CHECK(DECODE(RAW,
                 "\x1fx\x01\x00\x02\x50"
                 "12345",
                 100) == TACO_OK &&
          plain_is("xxxxxxxxxxxxxxxxxxxxxx12345"));
    CHECK(DECODE(RAW,
                 "\x3f"
                 "abc\x03\x00\x00\x50"
                 "12345",
                 100) == TACO_OK &&
          plain_is("abcabcabcabcabcabcabca12345"));
}

static void test_block_errors(void)
{
    CHECK(DECODE(RAW, "", 10) == TACO_ERR_TRUNCATED && err.offset == 0);
    CHECK_TEXT(err.text, "at byte 0: LZ4 block ends without its last sequence");
    CHECK(DECODE(RAW, "\x50hell", 10) == TACO_ERR_TRUNCATED && err.offset == 0);
    CHECK_TEXT(err.text, "at byte 0: LZ4 sequence of 5 literals, 4 bytes of input left");
    CHECK(DECODE(RAW, "\xf0\xff", 10) == TACO_ERR_TRUNCATED);
    CHECK_TEXT(err.text, "at byte 0: LZ4 sequence of 270 literals, 0 bytes of input left");
    CHECK(DECODE(RAW, "\x50hello", 4) == TACO_ERR_LIMIT && err.offset == 0);
    CHECK_TEXT(err.text, "at byte 0: decodes to 5 bytes or more, limits.max_page leaves 4");
    CHECK(DECODE(RAW,
                 "\x40"
                 "abcd\x04\x00\x50"
                 "12345",
                 7) == TACO_ERR_LIMIT);
    CHECK_TEXT(err.text, "at byte 0: decodes to 8 bytes or more, limits.max_page leaves 7");
    CHECK(DECODE(RAW,
                 "\x40"
                 "abcd\x04\x00\x40"
                 "1234",
                 100) == TACO_ERR_CORRUPT &&
          err.offset == 0);
    CHECK_TEXT(err.text,
               "at byte 0: LZ4 match 7 bytes before the end of its block, the least is 8");
    CHECK(DECODE(RAW,
                 "\x4f"
                 "abcd\x04\x00\xff\xff"
                 "12345",
                 100) == TACO_ERR_TRUNCATED &&
          err.offset == 0);
    CHECK_TEXT(err.text, "at byte 0: LZ4 block ends inside the length of a match, 270 so far");
    CHECK(DECODE(RAW,
                 "\x40"
                 "abcd\x05\x00\x50"
                 "12345",
                 100) == TACO_ERR_CORRUPT &&
          err.offset == 0);
    CHECK_TEXT(err.text, "at byte 0: LZ4 match from 5 bytes back, 4 bytes are decoded");
    CHECK(DECODE(RAW,
                 "\x40"
                 "abcd\x00\x00\x50"
                 "12345",
                 100) == TACO_ERR_CORRUPT);
    CHECK_TEXT(err.text, "at byte 0: LZ4 match from 0 bytes back, 4 bytes are decoded");
    /* nothing before the call may be reached */
    CHECK(DECODE(RAW,
                 "\x00\x01\x00\x50"
                 "12345",
                 100) == TACO_ERR_CORRUPT);
    CHECK(taco__lz4_decode_raw(taco__bytes_of("\x50hell", 5), &out, 10, NULL) ==
          TACO_ERR_TRUNCATED);
}

/* ---- frames ---- */

static uint8_t buf[100000], model[100000];
static size_t len;

static void put(const void *data, size_t n)
{
    memcpy(buf + len, data, n);
    len += n;
}

static void put32(uint32_t x)
{
    taco__put_le32(buf + len, x);
    len += 4;
}

static void put_be32(uint32_t x)
{
    put32(taco__plat_swap32(x));
}

#define PUT(text) put(text, sizeof(text) - 1)

/* Begins a frame; size: its content size, or UINT64_MAX. */
static void frame(unsigned flags, unsigned size_code, uint64_t size)
{
    size_t from;
    put32(0x184D2204U);
    from = len;
    buf[len++] = (uint8_t)flags;
    buf[len++] = (uint8_t)size_code;
    if (flags & 8) {
        taco__put_le64(buf + len, size);
        len += 8;
    }
    if (flags & 1) { put32(7); }
    buf[len] = (uint8_t)(taco__xxh32(buf + from, len - from) >> 8);
    len++;
}

static void test_xxh32(void) /* values of the reference implementation */
{
    CHECK(taco__xxh32((const uint8_t *)"", 0) == 0x02CC5D05U);
    CHECK(taco__xxh32((const uint8_t *)"a", 1) == 0x550D7456U);
    CHECK(taco__xxh32((const uint8_t *)"abc", 3) == 0x32D153FFU);
    CHECK(taco__xxh32((const uint8_t *)"Nobody inspects the spammish repetition", 39) ==
          0xE2293B2FU);
}

static void test_frames(void)
{
    len = 0; /* a stored and a compressed block, linked: the match reaches into the first */
    frame(0x40, 0x40, 0);
    put32(0x80000004U);
    PUT("wxyz");
    put32(9);
    PUT("\x00\x04\x00\x50"
        "12345");
    put32(0);
    CHECK(decode(FRAMES, buf, len, 100) == TACO_OK && plain_is("wxyzwxyz12345"));
    buf[4] = 0x60; /* the same with independent blocks: the match has nothing to reach */
    buf[6] = (uint8_t)(taco__xxh32(buf + 4, 2) >> 8);
    CHECK(decode(FRAMES, buf, len, 100) == TACO_ERR_CORRUPT && err.offset == 19);
    CHECK_TEXT(err.text, "at byte 19: LZ4 match from 4 bytes back, 0 bytes are decoded");

    /* everything: skippable frame, content size, block and content checksum; then a second, empty
       frame */
    len = 0;
    put32(0x184D2A53U);
    put32(3);
    PUT("xyz");
    frame(0x7C, 0x70, 5);
    put32(6);
    PUT("\x50hello");
    put32(taco__xxh32(buf + len - 6, 6));
    put32(0);
    put32(taco__xxh32((const uint8_t *)"hello", 5));
    frame(0x60, 0x40, 0);
    put32(0);
    CHECK(decode(FRAMES, buf, len, 5) == TACO_OK && plain_is("hello"));
    CHECK(decode(FRAMES, buf, len, 4) == TACO_ERR_LIMIT);
    CHECK(decode(PAGE, buf + 11, len - 11, 5) == TACO_OK && plain_is("hello"));
    CHECK(decode(PAGE, buf + 11, len - 11, 6) == TACO_ERR_CORRUPT);
    CHECK_TEXT(err.text, "LZ4 page decodes to 5 bytes, its header says 6");
    {
        size_t i;
        for (i = 1; i < len - 11; i++) { /* cut anywhere but between the frames */
            CHECK(decode(FRAMES, buf, i, 5) != TACO_OK || i == 11 || i == 52);
        }
    }
}

static void test_frame_errors(void)
{
    len = 0;
    frame(0x60, 0x40, 0);
    buf[6]++;
    CHECK(decode(FRAMES, buf, len, 9) == TACO_ERR_CHECKSUM && err.offset == 0);
    buf[6]--;
    CHECK(decode(FRAMES, buf, len, 9) == TACO_ERR_TRUNCATED && err.offset == 7);
    CHECK_TEXT(err.text, "at byte 7: LZ4 frame ends without its end mark");
    CHECK(decode(FRAMES, buf, 5, 9) == TACO_ERR_TRUNCATED && err.offset == 0);
    CHECK_TEXT(err.text, "at byte 0: LZ4 frame ends inside its header");
    put32(65537);
    CHECK(decode(FRAMES, buf, len, 9) == TACO_ERR_CORRUPT && err.offset == 7);
    CHECK_TEXT(err.text,
               "at byte 7: LZ4 block of 65537 bytes, the frame's blocks have at most 65536");
    len -= 4;
    put32(5);
    PUT("\x50hell");
    CHECK(decode(FRAMES, buf, len - 1, 9) == TACO_ERR_TRUNCATED && err.offset == 7);
    CHECK_TEXT(err.text, "at byte 7: LZ4 block of 5 bytes, 4 bytes of input left");

    len = 0;
    frame(0x61, 0x40, 0);
    CHECK(decode(FRAMES, buf, len, 9) == TACO_ERR_UNSUPPORTED);
    CHECK_TEXT(err.text, "at byte 0: LZ4 frame needs a dictionary");
    len = 0;
    frame(0xA0, 0x40, 0);
    CHECK(decode(FRAMES, buf, len, 9) == TACO_ERR_CORRUPT);
    CHECK_TEXT(err.text, "at byte 0: LZ4 frame has flags 0xa0 and block size 0x40");
    CHECK(DECODE(FRAMES, "\x50hello", 9) == TACO_ERR_CORRUPT && err.offset == 0);
    CHECK_TEXT(err.text, "at byte 0: not an LZ4 frame, it begins with 0x6c656850");
    CHECK(DECODE(FRAMES, "\x50\x2a\x4d\x18\x09\x00\x00\x00xyz", 9) == TACO_ERR_TRUNCATED);
    CHECK_TEXT(err.text, "at byte 0: LZ4 frame of 9 bytes to skip, 3 bytes of input left");

    len = 0; /* checksums of block and content, content size */
    frame(0x7C, 0x40, 6);
    put32(6);
    PUT("\x50hello");
    put32(taco__xxh32(buf + len - 6, 6));
    put32(0);
    put32(taco__xxh32((const uint8_t *)"hello", 5));
    CHECK(decode(FRAMES, buf, len, 9) == TACO_ERR_CORRUPT && err.offset == 0);
    CHECK_TEXT(err.text, "at byte 0: LZ4 frame of 5 plain bytes, its header says 6");
    buf[len - 1]++;
    CHECK(decode(FRAMES, buf, len, 9) == TACO_ERR_CHECKSUM && err.offset == len - 4);
    CHECK(strstr(err.text, "LZ4 frame has checksum 0x") != NULL);
    CHECK(decode(FRAMES, buf, len - 4, 9) == TACO_ERR_TRUNCATED && err.offset == len - 4);
    CHECK(strstr(err.text, "LZ4 frame ends before its frame checksum") != NULL);
    buf[len - 9]++;
    CHECK(decode(FRAMES, buf, len, 9) == TACO_ERR_CHECKSUM && err.offset == len - 12);
    CHECK(strstr(err.text, "LZ4 block has checksum 0x") != NULL);
}

/* 65536 plain bytes are the most of a block, whatever a match says */
static void test_frame_block_size(void)
{
    size_t i;
    for (i = 0; i < 2; i++) {
        size_t from;
        len = 0;
        frame(0x60, 0x40, 0);
        put32(0);
        from = len;
        PUT("\x1fx\x01\x00");
        memset(buf + len, 255, 256);
        len += 256;
        /* 1 + 4 + 15 + 256 * 255 + the rest + 5 literals = 65536 + i */
        buf[len++] = (uint8_t)(65536 + i - 5 - 1 - 4 - 15 - 256 * 255);
        PUT("\x50"
            "12345");
        taco__put_le32(buf + from - 4, (uint32_t)(len - from));
        put32(0);
        CHECK(decode(FRAMES, buf, len, 1000000) == (i ? TACO_ERR_CORRUPT : TACO_OK));
        CHECK(out.len == (i ? 2U : 2U + 65536));
    }
    CHECK_TEXT(err.text,
               "at byte 7: LZ4 block of 65537 plain bytes, the frame's blocks have at most 65536");
}

/* ---- Parquet's LZ4 ---- */

static void test_hadoop(void)
{
    len = 0; /* two blocks, the second in two pieces */
    put_be32(5);
    put_be32(6);
    PUT("\x50hello");
    put_be32(4);
    put_be32(3);
    PUT("\x20"
        "12");
    put_be32(3);
    PUT("\x20"
        "34");
    CHECK(decode(PAGE, buf, len, 9) == TACO_OK && plain_is("hello1234"));
    CHECK(decode(PAGE, buf, len, 10) == TACO_ERR_CORRUPT);
    CHECK_TEXT(err.text, "LZ4 page decodes to 9 bytes, its header says 10");
    CHECK(decode(PAGE, buf, len, 8) == TACO_ERR_CORRUPT && err.offset == 14);
    CHECK_TEXT(err.text, "at byte 14: Hadoop LZ4 block of 4 plain bytes, the page has 3 left");
    CHECK(decode(PAGE, buf, len - 1, 9) == TACO_ERR_TRUNCATED && err.offset == 25);
    CHECK_TEXT(err.text, "at byte 25: Hadoop LZ4 piece of 3 bytes, 6 bytes of input left");
    CHECK(decode(PAGE, buf, 16, 9) == TACO_ERR_TRUNCATED && err.offset == 14);
    CHECK_TEXT(err.text, "at byte 14: Hadoop LZ4 block ends inside its size");
    put_be32(0); /* how Hadoop ends a stream */
    CHECK(decode(PAGE, buf, len, 9) == TACO_OK && plain_is("hello1234"));
    buf[3] = 4;
    CHECK(decode(PAGE, buf, 14, 4) == TACO_ERR_CORRUPT && err.offset == 0);
    CHECK_TEXT(err.text, "at byte 0: Hadoop LZ4 block decodes to 5 bytes, its header says 4");
    len = 0; /* an error inside of a block counts from the page's start */
    put_be32(5);
    put_be32(6);
    PUT("\x60hello");
    CHECK(decode(PAGE, buf, len, 5) == TACO_ERR_TRUNCATED && err.offset == 8);
    /* a page of nothing, as an empty block and as blocks of nothing */
    CHECK(DECODE(PAGE, "\x00", 0) == TACO_OK);
    CHECK(DECODE(PAGE, "\x00\x00\x00\x00\x00\x00\x00\x01\x00", 0) == TACO_OK);
}

static void test_page_block(void)
{
    CHECK(DECODE(PAGE, "\x50hello", 5) == TACO_OK && plain_is("hello"));
    CHECK(DECODE(PAGE, "\x90hellohell", 9) == TACO_OK && plain_is("hellohell"));
    CHECK(DECODE(PAGE, "\x50hello", 6) == TACO_ERR_CORRUPT);
    CHECK_TEXT(err.text, "LZ4 page decodes to 5 bytes, its header says 6");
    /* pages of 256 MiB and more: what could be either is tried as Hadoop's first */
    CHECK(taco__lz4_decode_detect(taco__bytes_of("\x10\x00\x00\x00\x00\x00\x00\x01\x00", 9),
                                  0x10000000U) == TACO__LZ4_AMBIGUOUS);
    CHECK(taco__lz4_decode_detect(taco__bytes_of("\x10\x00\x00\x00\x00\x00\x00\x01\x00", 9),
                                  0x0FFFFFFFU) == TACO__LZ4_RAW);
}

/* ---- random blocks ---- */

static uint32_t seed = 1;

static uint32_t next(uint32_t n)
{
    seed = seed * 1664525U + 1013904223U;
    return (seed >> 8) % n;
}

static void put_length(size_t n) /* what is above 15 */
{
    for (; n >= 255; n -= 255) {
        buf[len++] = 255;
    }
    buf[len++] = (uint8_t)n;
}

static void test_random(void)
{
    unsigned round;
    for (round = 0; round < 400; round++) {
        size_t m = 0, i, most = next(round % 4 ? 600 : 30000);
        bool last = false;
        len = 0;
        while (!last) {
            size_t lit = next(4) ? next(15) : next(8) ? next(40) : next(1000), match, back;
            last = m >= most;
            lit = last ? lit + 5 : m ? lit : lit + 1;
            match = 4 + (next(4) ? next(15) : next(8) ? next(60) : next(1500));
            buf[len++] = (uint8_t)(TACO__MIN(lit, (size_t)15) << 4 |
                                   (last ? 0 : TACO__MIN(match - 4, (size_t)15)));
            if (lit >= 15) { put_length(lit - 15); }
            for (i = 0; i < lit; i++) {
                buf[len++] = model[m++] = (uint8_t)next(256);
            }
            if (last) { break; }
            back = next(2) ? 20 : 65535;
            back = 1 + next((uint32_t)TACO__MIN(m, back));
            buf[len++] = (uint8_t)back;
            buf[len++] = (uint8_t)(back >> 8);
            if (match >= 19) { put_length(match - 19); }
            for (i = 0; i < match; i++, m++) {
                model[m] = model[m - back];
            }
        }
        CHECK(decode(RAW, buf, len, m) == TACO_OK);
        CHECK(out.len == 2 + m && memcmp(out.data + 2, model, m) == 0);
        CHECK(decode(RAW, buf, len, m - 1) == TACO_ERR_LIMIT);
        CHECK(decode(RAW, buf, len - 1, m) != TACO_OK);
        CHECK(decode(PAGE, buf, len, m) == TACO_OK && out.len == 2 + m);
        for (i = 0; i < 5; i++) { /* damaged: any verdict, no harm */
            size_t at = next((uint32_t)len);
            uint8_t was = buf[at];
            buf[at] = (uint8_t)next(256);
            (void)decode(RAW, buf, len, 100000);
            (void)decode(PAGE, buf, len, m);
            buf[at] = was;
        }
    }
}

int main(void)
{
    taco__mem_init(&mem, NULL);
    out.mem = &mem;
    RUN(test_blocks);
    RUN(test_block_errors);
    RUN(test_xxh32);
    RUN(test_frames);
    RUN(test_frame_errors);
    RUN(test_frame_block_size);
    RUN(test_hadoop);
    RUN(test_page_block);
    RUN(test_random);
    taco__buf_free(&out);
    CHECK(mem.used == 0);
    return test_end("test_lz4");
}
