/* codec/lz_copy.c: decoders that a program supplies: room that grows, streams one behind the other,
   what they get wrong; limits, failing memory, and matches at every short distance. */
#include "../src/codec/lz_copy.c"
#include "../src/base/base.h"
#include "../taco_parquet.h"

#include "test.h"

#include "alloc.h"

static taco_error err;
static test_memory counted;
static taco_allocator allocator;
static taco_options options;
static taco__mem mem;
static taco__buf out;

/* A decoder for streams of `stream` bytes, each of which becomes `need` bytes of its first one. */
static struct {
    size_t stream, need, calls, least; /* least: the room of the first call */
    bool lies;                         /* about the length of a stream */
} host;

static size_t decode(void *dst, size_t room, const void *src, size_t len, size_t *used)
{
    if (!host.calls++) { host.least = room; }
    if (len < host.stream || room < host.need) { return SIZE_MAX; }
    if (host.need) { memset(dst, *(const uint8_t *)src, host.need); }
    *used = host.lies ? len + 1 : host.stream;
    return host.need;
}

/* The text "ab" has to stay before all that is decoded. */
static taco_status decode_all(const char *in, size_t limit, bool told)
{
    taco_status status;
    taco__buf_free(&out);
    CHECK(mem.used == 0 && counted.live == 0);
    memset(&err, 0, sizeof err);
    CHECK(taco__buf_append_text(&out, "ab", &err));
    host.calls = 0;
    status = taco__lz_host_decode_all(decode, "Made", taco__bytes_text(in), &out, limit,
                                      told ? &err : NULL);
    CHECK(status == err.code || !told);
    CHECK(out.len >= 2 && memcmp(out.data, "ab", 2) == 0);
    CHECK(status == TACO_OK || out.len == 2); /* nothing of what failed */
    return status;
}

static void streams(void)
{
    size_t i;
    host.stream = 2;
    host.need = 70000;
    CHECK(decode_all("x.y.z.", 300000, true) == TACO_OK);
    CHECK_TEXT(taco_error_text(&err), "");
    CHECK(out.len == 2 + 3 * host.need && host.least == 0);
    for (i = 0; i < 3 * host.need; i++) {
        if (out.data[2 + i] != "xyz"[i / host.need]) { break; }
    }
    CHECK(i == 3 * host.need);
    /* room is found by doubling, not byte by byte */
    CHECK(host.calls > 3 && host.calls < 12);
    CHECK(decode_all("x.y.z.", 3 * host.need, true) == TACO_OK);
    CHECK(out.len == 2 + 3 * host.need);
    /* streams of no bytes are streams, too */
    host.need = 0;
    CHECK(decode_all("x.y.", 0, true) == TACO_OK && out.len == 2 && host.calls == 2);
}

static void refused(void)
{
    host.stream = 2;
    host.need = 100;
    CHECK(decode_all("x.y.", 199, true) == TACO_ERR_CORRUPT);
    CHECK_TEXT(taco_error_text(&err),
               "at byte 2: Made data of 2 bytes, not decoded by the host's decoder into 99");
    CHECK(decode_all("x.y.", 0, true) == TACO_ERR_CORRUPT && host.calls == 1);
    CHECK_TEXT(taco_error_text(&err),
               "at byte 0: Made data of 4 bytes, not decoded by the host's decoder into 0");
    CHECK(decode_all("x.y", 1000, true) == TACO_ERR_CORRUPT); /* a byte is left of a stream */
    CHECK(err.offset == 2);
    CHECK_TEXT(taco_error_text(&err),
               "at byte 2: Made data of 1 bytes, not decoded by the host's decoder into 900");
    /* a stream that ends behind all bytes there are */
    host.lies = true;
    CHECK(decode_all("x.y.", 1000, true) == TACO_ERR_CORRUPT);
    CHECK(err.offset == 0 && strstr(err.text, "not decoded by the host's decoder into") != NULL);
    host.lies = false;
    /* one that has no bytes never ends */
    host.stream = host.need = 0;
    CHECK(decode_all("x", 1000, true) == TACO_ERR_CORRUPT && host.calls == 1);
    CHECK_TEXT(taco_error_text(&err), "at byte 0: Made data with 1 bytes after its end");
    CHECK(decode_all("x", 1000, false) == TACO_ERR_CORRUPT);
}

/* A decoder that knows nothing of ends leaves the length of the stream, all there is, as it was. */
static size_t decode_whole(void *dst, size_t room, const void *src, size_t len, size_t *used)
{
    CHECK(*used == len);
    if (room < len) { return SIZE_MAX; }
    memcpy(dst, src, len);
    return len;
}

static void whole_input(void)
{
    taco__lz_output o;
    size_t used = 77;
    taco__buf_free(&out);
    memset(&err, 0, sizeof err);
    CHECK(taco__lz_output_init(&o, &out, 0, 1000, &err) == TACO_OK);
    CHECK(taco__lz_host_decode(&o, decode_whole, "Made", taco__bytes_text("abcde"), 0, &used,
                               &err) == TACO_OK);
    CHECK(used == 5);
    taco__lz_output_finish(&o);
    CHECK(out.len == 5 && memcmp(out.data, "abcde", 5) == 0);
}

/* Every allocation fails once, with and without somebody to tell. */
static void without_memory(void)
{
    size_t n, fails = 0;
    taco_status status = TACO_ERR_MEMORY;
    host.stream = 2;
    host.need = 70000;
    for (n = 1; n < 40; n++) {
        bool told = n % 2 != 0;
        taco__buf_free(&out);
        counted.calls = 0;
        counted.fail_at = n + 1; /* the first is that of "ab" */
        status = decode_all("x.y.", 300000, told);
        CHECK(status == TACO_OK || status == TACO_ERR_MEMORY);
        CHECK(status == TACO_OK || !told || strstr(err.text, "memory") != NULL);
        fails += status != TACO_OK;
        counted.fail_at = 0;
    }
    CHECK(status == TACO_OK && fails >= 2);
}

/* Decoders of our own ask for room as they go. */
static void growing(void)
{
    taco__lz_output o;
    size_t room;
    taco__buf_free(&out);
    memset(&err, 0, sizeof err);
    CHECK(taco__buf_append_text(&out, "ab", &err));
    CHECK(taco__lz_output_init(&o, &out, 10, 5, &err) == TACO_OK);
    CHECK((size_t)(o.stop - o.op) == 5); /* no more than the limit */
    memcpy(o.op, "cde", 3);
    o.op += 3;
    CHECK(taco__lz_output_grow(&o, 3, 100, 77, &err) == TACO_ERR_LIMIT);
    CHECK(err.offset == 77);
    CHECK_TEXT(taco_error_text(&err),
               "at byte 77: decodes to 6 bytes or more, limits.max_page leaves 5");
    o.limit = 100000;
    memset(&err, 0, sizeof err);
    CHECK(taco__lz_output_grow(&o, 3, 5000, 77, &err) == TACO_OK);
    room = (size_t)(o.stop - o.op);
    CHECK(room >= 5000 && room <= 100000 - 3);
    CHECK(taco__lz_output_grow(&o, UINT64_C(1) << 40, 0, 7, &err) == TACO_ERR_LIMIT);
    CHECK(out.len == 2); /* until it is finished */
    taco__lz_output_finish(&o);
    CHECK(out.len == 5 && memcmp(out.data, "abcde", 5) == 0);
    taco__buf_free(&out);
}

/* A match repeats what lies before it, and writes no further behind it than allowed. */
static void near_matches(void)
{
    uint8_t got[256], want[256];
    size_t distance, len, i;
    for (distance = 1; distance < 16; distance++) {
        for (len = 1; len < 80; len++) {
            for (i = 0; i < sizeof got; i++) {
                got[i] = want[i] = (uint8_t)(i * 7 + 1);
            }
            for (i = 0; i < len; i++) {
                want[32 + i] = want[32 + i - distance];
            }
            taco__lz_copy_near(got + 32, distance, len);
            i = 32 + len + TACO__LZ_COPY_OVERWRITE;
            CHECK(memcmp(got, want, 32 + len) == 0 &&
                  memcmp(got + i, want + i, sizeof got - i) == 0);
        }
    }
}

int main(void)
{
    test_counted(&options, &allocator, &counted);
    taco__mem_init(&mem, &options);
    out.mem = &mem;
    RUN(streams);
    RUN(refused);
    RUN(whole_input);
    RUN(without_memory);
    RUN(growing);
    RUN(near_matches);
    taco__buf_free(&out);
    CHECK(mem.used == 0 && counted.live == 0);
    return test_end("test_host_decoders");
}
