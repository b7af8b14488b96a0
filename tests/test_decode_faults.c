/* Streams of every codec under faults: cut at each byte, with other bytes, with too little room, and
   without memory. The result is complete, or an error with its place, and nothing is appended. */
#include "test.h"

#include "../src/codec/lz4_decode.c"
#include "../src/base/base.h"
#include "../src/codec/encode.h"
#include "../taco_parquet.h"

#include "alloc.h"
#include "encode.h"

enum { SNAPPY, LZ4, LZ4_PAGE, GZIP, DEFLATE, ZSTD };

static taco_options options;
static taco_allocator allocator;
static test_memory memory;
static taco__mem mem;
static taco__zstd_decoder *zstd;

typedef struct stream {
    int codec;
    uint8_t *data;
    size_t len, plain;
} stream;

/* Decodes len bytes behind "ab", which has to stay; the limit is a size. */
static taco_status decode(int codec, const uint8_t *data, size_t len, size_t size, taco_error *e)
{
    uint8_t *copy = (uint8_t *)calloc(1, len ? len : 1);
    taco_bytes in = taco__bytes_of(copy, len);
    taco__buf out;
    taco_status status = TACO_OK;
    memcpy(copy, data, len);
    memset(&out, 0, sizeof out);
    memset(e, 0, sizeof *e);
    out.mem = &mem;
    if (!taco__buf_append_text(&out, "ab", e)) {
        free(copy);
        return e->code;
    }
    switch (codec) {
    case SNAPPY: status = taco__snappy_decode(in, &out, size, e); break;
    case LZ4: status = taco__lz4_decode_raw(in, &out, size, e); break;
    case LZ4_PAGE: status = taco__lz4_decode(in, &out, size, size, e); break;
    case GZIP: status = taco__gzip_decode_any(in, &out, size, e); break;
    case DEFLATE: status = taco__inflate(in, &out, size, e); break;
    default: status = taco__zstd_decode(zstd, in, &out, size, e); break;
    }
    CHECK(status == e->code && (status == TACO_OK || e->text[0]));
    CHECK(e->offset <= len || e->offset == TACO_NO_OFFSET);
    CHECK(status == TACO_OK ? out.len <= size + 2 : out.len == 2);
    CHECK(memcmp(out.data, "ab", 2) == 0);
    taco__buf_free(&out);
    free(copy);
    return status;
}

/* Every prefix, other bytes in each place, less room and less memory than the stream needs. */
static void under_faults(const stream *s)
{
    static const uint8_t others[] = {0, 1, 15, 16, 127, 128, 240, 255};
    taco_error e;
    size_t n, i, step = s->len / 700 + 1, errors = 0;
    uint8_t *copy = (uint8_t *)malloc(s->len + 1);
    CHECK(decode(s->codec, s->data, s->len, s->plain, &e) == TACO_OK);
    for (n = 0; n < s->len; n += step) {
        errors += decode(s->codec, s->data, n, s->plain, &e) != TACO_OK;
    }
    memcpy(copy, s->data, s->len);
    for (n = 0; n < s->len; n += n < 100 ? 1 : step) {
        for (i = 0; i < (n < 40 ? 256 : sizeof others); i++) {
            copy[n] = (uint8_t)(n < 40 ? i : others[i]);
            errors += decode(s->codec, copy, s->len, s->plain, &e) != TACO_OK;
        }
        copy[n] = s->data[n];
    }
    CHECK(errors > s->len / step / 2);
    for (n = 1; n < 6 && n < s->plain; n++) {
        CHECK(decode(s->codec, s->data, s->len, s->plain - n, &e) != TACO_OK);
    }
    for (n = 1, errors = 0; n < 50; n++) {
        memory.calls = 0;
        memory.fail_at = n;
        if (decode(s->codec, s->data, s->len, s->plain, &e) == TACO_OK) { break; }
        errors += e.code == TACO_ERR_MEMORY;
    }
    memory.fail_at = 0;
    CHECK(errors == n - 1);
    free(copy);
}

/* ---- streams ---- */

static taco_error err;
static uint8_t *plain;

static stream encoded(int codec, size_t n, int level)
{
    static taco__snappy_encoder snappy;
    static taco__lz4_encoder lz4;
    taco_bytes in = taco__bytes_of(plain, n);
    size_t cap = 0;
    stream s;
    s.codec = codec;
    s.plain = n;
    s.len = 0;
    if (codec == SNAPPY) {
        taco__snappy_encode_bound(n, &cap);
        s.data = (uint8_t *)malloc(cap);
        taco__snappy_encode(&snappy, in, s.data, cap, &s.len, &err);
    } else if (codec == LZ4) {
        taco__lz4_encode_bound(n, &cap);
        s.data = (uint8_t *)malloc(cap);
        taco__lz4_encode(&lz4, in, s.data, cap, &s.len, &err);
    } else if (codec == GZIP) {
        taco__deflater *d = taco__deflate_open(&mem, &err);
        taco__deflate_bound(n, &cap);
        s.data = (uint8_t *)malloc(cap);
        taco__deflate_gzip(d, in, s.data, cap, &s.len, &err);
        taco__deflate_close(d);
    } else {
        taco__zstd_encoder *z = taco__zstd_encode_open(&mem, level, &err);
        taco__zstd_encode_bound(n, &cap);
        s.data = (uint8_t *)malloc(cap);
        taco__zstd_encode(z, in, level > 1, s.data, cap, &s.len, &err);
        taco__zstd_encode_close(z);
    }
    CHECK_TEXT(err.text, "");
    return s;
}

static void each_kind(int codec, size_t n, int level)
{
    unsigned kind;
    for (kind = 0; kind < ENCODE_KINDS; kind++) {
        stream s;
        encode_fill(plain, n, kind, 7);
        s = encoded(codec, n, level);
        under_faults(&s);
        free(s.data);
    }
}

static void test_snappy(void)
{
    each_kind(SNAPPY, 700, 0);
}

static void test_lz4(void)
{
    each_kind(LZ4, 700, 0);
}

static void test_gzip(void)
{
    each_kind(GZIP, 700, 0);
}

/* The same data without the header and the end of gzip. */
static void test_deflate(void)
{
    stream s;
    encode_fill(plain, 700, 4, 7);
    s = encoded(GZIP, 700, 0);
    s.codec = DEFLATE;
    s.data += 10;
    s.len -= 18;
    under_faults(&s);
    free(s.data - 10);
}

static void test_zstd(void)
{
    each_kind(ZSTD, 700, 1);
    each_kind(ZSTD, 700, 6);
}

/* ---- LZ4 as a frame and as Hadoop has it ---- */

static uint8_t made[8192];
static size_t made_len;

static void put(const void *p, size_t n)
{
    memcpy(made + made_len, p, n);
    made_len += n;
}

static void put32(uint32_t x, bool big)
{
    uint8_t b[4];
    size_t i;
    for (i = 0; i < 4; i++) {
        b[i] = (uint8_t)(x >> 8 * (big ? 3 - i : i));
    }
    put(b, 4);
}

/* The header of a frame of these flags. */
static void put_frame(unsigned flags, unsigned block)
{
    uint8_t head[2];
    head[0] = (uint8_t)flags;
    head[1] = (uint8_t)block;
    put32(0x184D2204U, false);
    put(head, 2);
    head[0] = (uint8_t)(taco__xxh32(head, 2) >> 8);
    put(head, 1);
}

static taco_status page(size_t expected, taco_error *e)
{
    return decode(LZ4_PAGE, made, made_len, expected, e);
}

static void test_frames(void)
{
    static const unsigned wrong[4][2] = {{0x00, 0x40}, {0x42, 0x40}, {0x40, 0x41}, {0x40, 0x30}};
    stream s;
    taco_error e;
    size_t i;
    encode_fill(plain, 700, 0, 3);
    made_len = 0;
    put_frame(0x74, 0x40); /* checksums of the block, which is stored, and of the content */
    put32(700 | UINT32_C(1) << 31, false);
    put(plain, 700);
    put32(taco__xxh32(plain, 700), false);
    put32(0, false);
    put32(taco__xxh32(plain, 700), false);
    s.codec = LZ4_PAGE;
    s.data = made;
    s.len = made_len;
    s.plain = 700;
    under_faults(&s);
    /* the flags of a second frame */
    for (i = 0; i < 4; i++) {
        made_len = 0;
        put_frame(0x60, 0x40);
        put32(0, false);
        put_frame(wrong[i][0], wrong[i][1]);
        put32(0, false);
        CHECK(page(0, &e) == TACO_ERR_CORRUPT && strstr(e.text, "LZ4 frame has flags 0x"));
        CHECK(e.offset == 11);
    }
    /* what only begins like a frame is a block */
    for (i = 0; i < 2; i++) {
        made_len = 0;
        put_frame(i ? 0x60 : 0x20, i ? 0x4F : 0x40);
        put32(0, false);
        CHECK(page(100, &e) == TACO_ERR_CORRUPT && strstr(e.text, "LZ4 match"));
    }
    /* after a frame: too little for a magic number, and another one */
    made_len = 0;
    put_frame(0x60, 0x40);
    put32(0, false);
    put("\4\"M", 3);
    CHECK(page(0, &e) == TACO_ERR_CORRUPT);
    CHECK_TEXT(e.text, "at byte 11: not an LZ4 frame, it begins with 0x0");
    made_len = 11;
    put32(0x184D2A5FU, false);
    put32(2, false);
    put("xy", 2);
    CHECK(page(0, &e) == TACO_OK);
}

static void test_hadoop(void)
{
    stream s;
    taco_error e;
    made_len = 0;
    put32(10, true);
    put32(6, true);
    put("\x50hello", 6);
    put32(6, true);
    put("\x50world", 6);
    put32(5, true);
    put32(6, true);
    put("\x50"
        "again",
        6);
    s.codec = LZ4_PAGE;
    s.data = made;
    s.len = made_len;
    s.plain = 15;
    under_faults(&s);
    made_len = 16; /* the second piece is not there, or longer than the page */
    CHECK(page(15, &e) == TACO_ERR_TRUNCATED);
    CHECK_TEXT(e.text, "at byte 14: Hadoop LZ4 piece of 0 bytes, 2 bytes of input left");
    made_len = 14;
    put32(7, true);
    put("\x50world", 6);
    CHECK(page(15, &e) == TACO_ERR_TRUNCATED);
    CHECK_TEXT(e.text, "at byte 14: Hadoop LZ4 piece of 7 bytes, 10 bytes of input left");
    made_len = 0;
    put32(4, true);
    put32(6, true);
    put("\x50hello", 6);
    CHECK(page(15, &e) == TACO_ERR_CORRUPT);
    CHECK_TEXT(e.text, "at byte 0: Hadoop LZ4 block decodes to 5 bytes, its header says 4");
    made_len = 0;
    put("\x30hey", 4);
    CHECK(page(3, &e) == TACO_OK);
    /* a block whose first bytes could be the size of a Hadoop block of gigabytes, in a page that
       large */
    made_len = 0;
    put("\xF0\x05xx\0\0\0\5abcdefghijklmn", 22);
    CHECK(taco__lz4_decode_detect(taco__bytes_of(made, 22), UINT32_MAX) == TACO__LZ4_AMBIGUOUS);
    CHECK(taco__lz4_decode_detect(taco__bytes_of(made, 22), 20) == TACO__LZ4_RAW);
    CHECK(taco__lz4_decode_detect(taco__bytes_of(made, 5), UINT32_MAX) == TACO__LZ4_RAW);
    CHECK(page(UINT32_MAX, &e) == TACO_ERR_CORRUPT);
    CHECK_TEXT(e.text, "LZ4 page decodes to 20 bytes, its header says 4294967295");
}

/* A length that goes on up to the end of the block, while there is room for a fast decoder. */
static void test_long_length(void)
{
    taco_error e;
    size_t i;
    made_len = 0;
    put("\x8F"
        "abcdefgh\1\0\xFF\0",
        13);
    put("\xF0", 1);
    for (i = 0; i < 60; i++) {
        put("\xFF", 1);
    }
    CHECK(decode(LZ4, made, made_len, 100000, &e) == TACO_ERR_TRUNCATED);
    CHECK(strstr(e.text, "at byte 13: LZ4 sequence of ") != NULL);
}

/* ---- encoders ---- */

/* Too little room is an argument that is wrong, and said before anything is written. */
static void test_no_room(void)
{
    static taco__snappy_encoder snappy;
    static taco__lz4_encoder lz4;
    taco__deflater *d = taco__deflate_open(&mem, &err);
    uint8_t to[16];
    size_t size = 7;
    taco_error e;
    memset(to, 1, sizeof to);
    memset(&e, 0, sizeof e);
    CHECK(taco__snappy_encode(&snappy, taco__bytes_of(plain, 100), to, 16, &size, &e) ==
          TACO_ERR_ARGUMENT);
    CHECK(size == 0 && to[0] == 1 && strstr(e.text, "there is room for 16"));
    memset(&e, 0, sizeof e);
    CHECK(taco__lz4_encode(&lz4, taco__bytes_of(plain, 100), to, 16, &size, &e) ==
          TACO_ERR_ARGUMENT);
    CHECK(to[0] == 1 && strstr(e.text, "there is room for 16"));
    memset(&e, 0, sizeof e);
    CHECK(taco__deflate_gzip(d, taco__bytes_of(plain, 100), to, 16, &size, &e) ==
          TACO_ERR_ARGUMENT);
    CHECK(to[0] == 1 && strstr(e.text, "there is room for 16"));
    memset(&e, 0, sizeof e); /* more than the formats hold; not one byte is read */
    CHECK(taco__snappy_encode(&snappy, taco__bytes_of(plain, SIZE_MAX), to, 16, &size, &e) ==
          TACO_ERR_ARGUMENT);
    CHECK(taco__lz4_encode(&lz4, taco__bytes_of(plain, SIZE_MAX), to, 16, &size, &e) ==
          TACO_ERR_ARGUMENT);
    CHECK(taco__deflate_gzip(d, taco__bytes_of(plain, SIZE_MAX), to, 16, &size, &e) ==
          TACO_ERR_ARGUMENT);
#if SIZE_MAX > UINT32_MAX
    CHECK(taco__snappy_encode(&snappy, taco__bytes_of(plain, (size_t)1 << 33), to, SIZE_MAX, &size,
                              &e) == TACO_ERR_ARGUMENT);
    CHECK(taco__lz4_encode(&lz4, taco__bytes_of(plain, (size_t)1 << 33), to, SIZE_MAX, &size, &e) ==
          TACO_ERR_ARGUMENT);
    CHECK(taco__deflate_gzip(d, taco__bytes_of(plain, (size_t)1 << 33), to, SIZE_MAX, &size, &e) ==
          TACO_ERR_ARGUMENT);
#endif
    CHECK(to[0] == 1 && size == 0);
    taco__deflate_close(d);
}

int main(void)
{
    size_t size;
    test_counted(&options, &allocator, &memory);
    taco__mem_init(&mem, &options);
    plain = (uint8_t *)malloc(1 << 16);
    size = sizeof *zstd + TACO__ZSTD_LITERALS(1 << 16);
    zstd = (taco__zstd_decoder *)calloc(1, size);
    zstd->literals = (uint8_t *)(zstd + 1);
    RUN(test_snappy);
    RUN(test_lz4);
    RUN(test_gzip);
    RUN(test_deflate);
    RUN(test_zstd);
    RUN(test_frames);
    RUN(test_hadoop);
    RUN(test_long_length);
    RUN(test_no_room);
    CHECK(memory.live == 0);
    free(zstd);
    free(plain);
    return test_end("test_decode_faults");
}
