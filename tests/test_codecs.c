/* Decoders provided by the program: their arguments, and how their results are used. All six macros
   name the same fake codec: a byte n, then n plain bytes. Some n make it misbehave. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#undef TACO_PARQUET_ZSTD_DECOMPRESS /* whatever the command line plugs in */
#undef TACO_PARQUET_SNAPPY_DECOMPRESS
#undef TACO_PARQUET_LZ4_DECOMPRESS
#undef TACO_PARQUET_INFLATE
#undef TACO_PARQUET_BROTLI_DECOMPRESS
#undef TACO_PARQUET_CRC32

enum { REFUSES = 250, TOO_MANY, USES_TOO_MUCH, USES_NOTHING };

static int calls;

static size_t believe(void *dst, size_t dst_cap, const void *src, size_t src_len, size_t *src_used)
{
    const uint8_t *p = (const uint8_t *)src;
    size_t n = src_len ? p[0] : REFUSES;
    calls++;
    if (n == TOO_MANY) { return dst_cap + 1; }
    if (n == USES_TOO_MUCH || n == USES_NOTHING) {
        *src_used = n == USES_NOTHING ? 0 : src_len + 1;
        return 0;
    }
    if (n >= REFUSES || n > dst_cap || n > src_len - 1) { return SIZE_MAX; }
    memcpy(dst, p + 1, n);
    *src_used = 1 + n;
    return n > 1 && p[1] == '-' ? n - 1 : n; /* a text that begins so loses its last byte */
}

static uint32_t believe_crc(uint32_t crc, const void *data, size_t len)
{
    const uint8_t *p = (const uint8_t *)data;
    while (len--) {
        crc += *p++;
    }
    return crc;
}

#define TACO_PARQUET_ZSTD_DECOMPRESS   believe
#define TACO_PARQUET_SNAPPY_DECOMPRESS believe
#define TACO_PARQUET_LZ4_DECOMPRESS    believe
#define TACO_PARQUET_INFLATE           believe
#define TACO_PARQUET_BROTLI_DECOMPRESS believe
#define TACO_PARQUET_CRC32             believe_crc
#define TACO_PARQUET_IMPLEMENTATION
#include "../taco_parquet.h"
#include "test.h"

static taco__codecs codecs;

/* Decodes a page of that codec whose header promises `size` bytes; the message is kept in *err. */
static const char *page(int32_t codec, const char *body, size_t len, size_t size, taco_error *err)
{
    static char text[300];
    taco__mem mem;
    taco__pq_column_chunk chunk;
    taco__chunk_reader l;
    taco_limits limits;
    taco_bytes out = {NULL, 0};
    memset(err, 0, sizeof *err);
    memset(&chunk, 0, sizeof chunk);
    memset(&limits, 0, sizeof limits);
    limits.max_page = 1 << 20;
    taco__mem_init(&mem, NULL);
    taco__chunk_reader_init(&l, &mem);
    chunk.codec = codec;
    l.chunk = &chunk;
    l.codecs = &codecs;
    l.limits = &limits;
    l.page.body = taco__bytes_of(body, len);
    l.page.body_at = 77;
    l.page.header.uncompressed_size = (uint32_t)size;
    calls = 0;
    if (taco__page_decompress(&l, &out, err)) {
        CHECK(out.len == size && size < sizeof text);
        memcpy(text, out.data, out.len);
        text[out.len] = 0;
    } else {
        text[0] = 0;
        CHECK(err->code == TACO_ERR_LIMIT || err->offset == 77);
    }
    taco__chunk_reader_free(&l);
    CHECK(mem.used == 0);
    return text;
}

static void refused(int32_t codec, const char *body, size_t len, size_t size, const char *want)
{
    taco_error e;
    page(codec, body, len, size, &e);
    CHECK(e.code == TACO_ERR_CORRUPT || e.code == TACO_ERR_TRUNCATED);
    CHECK_TEXT(e.text, want);
}

static void frames(void)
{
    static const int32_t codec[2] = {TACO__PQ_CODEC_ZSTD, TACO__PQ_CODEC_BROTLI};
    static const char *name[2] = {"zstd", "brotli"}, *Name[2] = {"ZSTD", "Brotli"};
    char want[200];
    taco_error e;
    size_t i;
    for (i = 0; i < 2; i++) {
        CHECK_TEXT(page(codec[i], "\5hello", 6, 5, &e), "hello");
        CHECK(calls == 1);
        CHECK_TEXT(page(codec[i], "\3hel\2lo", 7, 5, &e), "hello"); /* one after the other */
        CHECK(calls == 2);
        snprintf(want, sizeof want, "at byte 77: %s: 5 bytes uncompressed, the page header says 6",
                 name[i]);
        refused(codec[i], "\5hello", 6, 6, want);
        snprintf(want, sizeof want,
                 "at byte 77: %s, byte 0: %s data of 6 bytes, not decoded by the host's decoder "
                 "into 4",
                 name[i], Name[i]);
        refused(codec[i], "\5hello", 6, 4, want);
        snprintf(want, sizeof want,
                 "at byte 77: %s, byte 4: %s data of 1 bytes, not decoded by the host's decoder "
                 "into 2",
                 name[i], Name[i]);
        /* says it wrote more than there was room for */
        refused(codec[i], "\3hel\373", 5, 5, want);
        refused(codec[i], "\3hel\374", 5, 5, want); /* and that it used more than there was */
        snprintf(want, sizeof want, "at byte 77: %s, byte 4: %s data with 1 bytes after its end",
                 name[i], Name[i]);
        refused(codec[i], "\3hel\375", 5, 5, want); /* no step forward */
    }
}

static void snappy(void)
{
    taco_error e;
    CHECK_TEXT(page(TACO__PQ_CODEC_SNAPPY, "\5hello", 6, 5, &e), "hello");
    refused(TACO__PQ_CODEC_SNAPPY, "\5-ello", 6, 5,
            "at byte 77: snappy, byte 6: Snappy block ends after 4 of 5 plain bytes");
    refused(TACO__PQ_CODEC_SNAPPY, "\6hello!", 7, 5,
            "at byte 77: snappy: more than the 5 bytes uncompressed that the page header says");
    CHECK(calls == 0); /* its length is read before the host is asked */
}

/* The framing stays ours: Hadoop's blocks and pieces around the host's blocks. */
static void lz4(void)
{
    static const char hadoop[] = "\0\0\0\5\0\0\0\4\3hel\0\0\0\3\2lo\0\0\0\1\0\0\0\2\1!";
    taco_error e;
    CHECK_TEXT(page(TACO__PQ_CODEC_LZ4_RAW, "\5hello", 6, 5, &e), "hello");
    CHECK_TEXT(page(TACO__PQ_CODEC_LZ4, hadoop, sizeof hadoop - 1, 6, &e), "hello!");
    CHECK(calls == 3);
    refused(TACO__PQ_CODEC_LZ4_RAW, "\5-ello", 6, 5,
            "at byte 77: lz4_raw: 4 bytes uncompressed, the page header says 5");
}

/* And gzip's members and zlib's stream: only what is between header and trailer is the host's. */
static void members(void)
{
#define HEAD "\x1f\x8b\x08\0\0\0\0\0\0\xff"
    static const char gzip[] = HEAD "\3hel\x39\1\0\0\3\0\0\0" HEAD "\2lo\xdb\0\0\0\2\0\0\0";
    char bad[sizeof gzip];
    taco_error e;
    CHECK_TEXT(page(TACO__PQ_CODEC_GZIP, gzip, sizeof gzip - 1, 5, &e), "hello");
    CHECK(calls == 2);
    CHECK_TEXT(page(TACO__PQ_CODEC_GZIP, "\x78\x9c\5hello\x06\x2c\x02\x15", 12, 5, &e), "hello");
    CHECK_TEXT(page(TACO__PQ_CODEC_GZIP, "\5hello", 6, 5, &e), "hello"); /* raw */
    memcpy(bad, gzip, sizeof bad);
    bad[14] = 0x3a;
    page(TACO__PQ_CODEC_GZIP, bad, sizeof bad - 1, 5, &e);
    CHECK(e.code == TACO_ERR_CHECKSUM);
    CHECK_TEXT(e.text,
               "at byte 77: gzip, byte 14: gzip member has CRC-32 0x13a, its bytes give 0x139");
}

/* Where the size is not known, the room grows until the host is content or the limit is reached. */
static void growing(void)
{
    uint8_t in[201];
    taco__mem mem;
    taco__buf out;
    taco_error e;
    memset(in, 'x', sizeof in);
    in[0] = 200;
    memset(&e, 0, sizeof e);
    memset(&out, 0, sizeof out);
    taco__mem_init(&mem, NULL);
    out.mem = &mem;
    CHECK(taco__zstd_decode(NULL, taco__bytes_of(in, sizeof in), &out, 100000, &e) == TACO_OK);
    CHECK(out.len == 200 && out.data[199] == 'x');
    CHECK(taco__zstd_decode(NULL, taco__bytes_of(in, sizeof in), &out, 199, &e) ==
          TACO_ERR_CORRUPT);
    CHECK(out.len == 200); /* as it was */
    CHECK(taco__zstd_decode(NULL, taco__bytes_of(NULL, 0), &out, 199, NULL) == TACO_OK);
    taco__buf_free(&out);
    CHECK(taco__crc32(5, "\1\2", 2) == 8 && taco__crc32(5, NULL, 0) == 5);
}

int main(void)
{
    RUN(frames);
    RUN(snappy);
    RUN(lz4);
    RUN(members);
    RUN(growing);
    return test_end("test_codecs");
}
