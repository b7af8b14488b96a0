/* The ZSTD encoder: the decoder reads its output back, at every level, for sizes around the limits
   of formats and blocks, and for content of every kind; the types of blocks and tables; failures.
   */
#include "test.h"
#include "../src/codec/zstd_encode.c"
#include "../src/base/base.h"
#include "../src/codec/codec.h"
#include "../taco_parquet.h"
#include "../extra/taco_parquet_write.h"
#include "encode.h"

static uint8_t zstd_literals[TACO__ZSTD_LITERALS(SIZE_MAX)];
static taco__zstd_decoder zstd = {.literals = zstd_literals};
/* opened once: what a call leaves must not reach the next */
static taco__zstd_encoder *encoder[TACO__ZSTD_ENCODE_MAX_LEVEL + 1];
static taco__mem mem;
static taco_error err;
static uint8_t types; /* bit t: the frame had a block of type t */

/* Encodes n bytes at a level and decodes the frame; *size becomes its size. True when they are the
   same. */
static bool there_and_back(taco__zstd_encoder *e, const uint8_t *data, size_t n, bool checksum,
                           size_t *size)
{
    size_t bound = 0;
    uint8_t *frame;
    taco__buf out;
    bool same;
    memset(&out, 0, sizeof out);
    out.mem = &mem;
    if (!taco__zstd_encode_bound(n, &bound)) { return false; }
    frame = (uint8_t *)malloc(bound); /* exactly: a sanitizer sees what is written behind it */
    same = taco__zstd_encode(e, taco__bytes_of(data, n), checksum, frame, bound, size, &err) ==
               TACO_OK &&
           taco__zstd_decode(&zstd, taco__bytes_of(frame, *size), &out, n, &err) == TACO_OK &&
           out.len == n && (n == 0 || memcmp(out.data, data, n) == 0);
    types = (uint8_t)(*size > 5
                          ? 1U << (frame[5 + (frame[4] >> 6 ? 1U << (frame[4] >> 6) : 1)] >> 1 & 3)
                          : 0);
    taco__buf_free(&out);
    free(frame);
    return same;
}

static void every_level_every_size(void)
{
    static const size_t sizes[] = {1000,  4095,   4096,   16383,  16384,  65535,  65536,  65791,
                                   65792, 131071, 131072, 131073, 262143, 262144, 262145, 300000};
    size_t n, size = 0, i;
    unsigned kind;
    int level;
    uint8_t *data = (uint8_t *)malloc(300000);
    for (n = 0; n <= 300; n++) {
        for (kind = 0; kind < ENCODE_KINDS; kind++) {
            level = 1 + (int)((n + kind) % TACO__ZSTD_ENCODE_MAX_LEVEL);
            encode_fill(data, n, kind, (uint32_t)n);
            CHECK(there_and_back(encoder[level], data, n, n & 1, &size));
        }
    }
    for (i = 0; i < TACO__COUNT(sizes); i++) {
        for (kind = 0; kind < ENCODE_KINDS; kind++) {
            encode_fill(data, sizes[i], kind, (uint32_t)i);
            level = 1 + (int)((i * 7 + kind * 3) % TACO__ZSTD_ENCODE_MAX_LEVEL);
            CHECK(there_and_back(encoder[level], data, sizes[i], i & 1, &size));
        }
    }
    for (level = 1; level <= TACO__ZSTD_ENCODE_MAX_LEVEL; level++) {
        encode_fill(data, 150000, (unsigned)level % ENCODE_KINDS, 5);
        CHECK(there_and_back(encoder[level], data, 150000, true, &size));
        encode_fill(data, 20000, 4, 5);
        CHECK(there_and_back(encoder[level], data, 20000, true, &size) && size < 12000);
    }
    free(data);
}

/* A match at each distance about the powers of two, where the code of an offset changes, and of
   each length about those of its codes. */
static void distances_and_lengths(void)
{
    const size_t most = 300000;
    uint8_t *data = (uint8_t *)malloc(most + 70000);
    size_t k, size = 0, distance, n;
    int step, level;
    for (k = 3; k <= 18; k++) {
        for (step = -1; step <= 1; step++) {
            distance = (size_t)((int)(1U << k) + step);
            n = k < 17 ? ((size_t)1 << k) + 5 : 500;
            encode_fill(data, distance, 0, (uint32_t)k);
            memcpy(data + distance, data, TACO__MIN(distance, n));
            level = 1 + (int)(k % 12);
            CHECK(there_and_back(encoder[level], data, distance + TACO__MIN(distance, n), false,
                                 &size));
            CHECK(k > 15 || size < distance + 100); /* noise for long makes the finder hurry */
        }
    }
    free(data);
}

/* A window smaller than the data, of level 1: 512 KiB. What lies farther back is not used. */
static void beyond_the_window(void)
{
    const size_t n = 1400000;
    uint8_t *data = (uint8_t *)malloc(n);
    size_t size = 0;
    encode_fill(data, 700000, 0, 9);
    memcpy(data + 700000, data, 700000);
    CHECK(there_and_back(encoder[1], data, n, true, &size) && size > n);
    CHECK(there_and_back(encoder[3], data, n, true, &size) && size < 720000);
    free(data);
}

static void forms_of_blocks(void)
{
    uint8_t *data = (uint8_t *)calloc(400000, 1);
    size_t size = 0, small = 0;
    CHECK(there_and_back(encoder[3], data, 100, false, &size) && size < 30);
    CHECK(types == 4); /* the first block is not of type RLE */
    CHECK(there_and_back(encoder[3], data, 400000, false, &size) && size < 40);
    encode_fill(data, 400000, 0, 3); /* noise: stored */
    CHECK(there_and_back(encoder[3], data, 1000, false, &size) && size == 1000 + 7 + 3);
    CHECK(types == 1);
    CHECK(there_and_back(encoder[3], data, 0, true, &size) && size == 13);
    /* two equal distributions: the second block repeats the tables of the first */
    encode_fill(data, 400000, 1, 3);
    CHECK(there_and_back(encoder[3], data, 131072, false, &small));
    encode_fill(data + 131072, 131072, 1, 4);
    CHECK(there_and_back(encoder[3], data, 262144, false, &size) && size < 2 * small + small / 10);
    CHECK(encoder[3]->huf_last == 0); /* a tree of its own would be the other */
    free(data);
}

static void same_bytes_every_time(void)
{
    const size_t n = 200000;
    uint8_t *data = (uint8_t *)malloc(n), *a = (uint8_t *)malloc(n + 100),
            *b = (uint8_t *)malloc(n + 100);
    size_t size = 0, again = 1;
    int level;
    encode_fill(data, n, 4, 77);
    for (level = 1; level <= TACO__ZSTD_ENCODE_MAX_LEVEL; level += 3) {
        taco__zstd_encoder *fresh = taco__zstd_encode_open(&mem, level, &err);
        const uint64_t used = mem.used;
        CHECK(fresh != NULL);
        CHECK(!taco__zstd_encode(fresh, taco__bytes_of(data, n), true, a, n + 100, &size, &err));
        CHECK(!taco__zstd_encode(encoder[level], taco__bytes_of(data, n), true, b, n + 100, &again,
                                 &err));
        CHECK(size == again && memcmp(a, b, size) == 0);
        fresh->used = (level < 5 ? 0xFFFFFF : UINT32_MAX) - 1000; /* numbers begin anew */
        CHECK(!taco__zstd_encode(fresh, taco__bytes_of(data, n), true, b, n + 100, &again, &err));
        CHECK(size == again && memcmp(a, b, size) == 0 && fresh->used < n + 2);
        CHECK(mem.used == used); /* no call asks for memory */
        taco__zstd_encode_close(fresh);
    }
    free(data);
    free(a);
    free(b);
}

/* Positions of the first levels have numbers of 24 bits: frames up to there and beyond it, and data
   that is longer */
static void numbers_of_positions(void)
{
    const size_t n = 2000000, most = 0x1000000 + 3 * n / 2;
    uint8_t *data = (uint8_t *)malloc(most), *a = (uint8_t *)malloc(n), *b;
    size_t size = 0, again = 0, at;
    int level, k;
    b = (uint8_t *)malloc(n);
    encode_fill(data, n, 0, 5);
    encode_fill(data, n / 2, 4, 5);
    for (at = n; at < most; at += n) { /* each copy is 2,000,000 behind the one before */
        memcpy(data + at, data, TACO__MIN(n, most - at));
    }
    for (level = 1; level <= 5; level += 2) {
        taco__zstd_encoder *fresh = taco__zstd_encode_open(&mem, level, &err);
        const size_t cut = n / 2;
        CHECK(fresh != NULL);
        CHECK(!taco__zstd_encode(fresh, taco__bytes_of(data, cut), true, a, n, &size, &err));
        for (k = 0; k < 20; k++) { /* the numbers end in the 17th */
            CHECK(!taco__zstd_encode(fresh, taco__bytes_of(data, cut), true, b, n, &again, &err));
            CHECK(size == again && memcmp(a, b, size) == 0);
        }
        CHECK(there_and_back(fresh, data, most, true, &size));
        CHECK(there_and_back(fresh, data, most, true, &again) && size == again);
        /* the one level here whose window reaches a copy */
        CHECK(level != 3 || size < 1300000);
        taco__zstd_encode_close(fresh);
    }
    free(data);
    free(a);
    free(b);
}

/* Every smaller room is refused in words, and the encoder works afterwards. */
static void too_small(void)
{
    uint8_t data[600], *to;
    size_t size = 0, cap, full = 0;
    unsigned kind;
    for (kind = 0; kind < ENCODE_KINDS; kind++) {
        encode_fill(data, sizeof data, kind, 1);
        CHECK(there_and_back(encoder[3], data, sizeof data, true, &full));
        for (cap = 0; cap < full; cap++) {
            memset(&err, 0, sizeof err);
            to = (uint8_t *)malloc(cap ? cap : 1);
            CHECK(taco__zstd_encode(encoder[3], taco__bytes_of(data, sizeof data), true, to, cap,
                                    &size, &err) == TACO_ERR_ARGUMENT);
            CHECK(size == 0);
            free(to);
        }
        CHECK(strstr(err.text, "a ZSTD frame of 600 bytes of data does not fit into ") == err.text);
    }
    memset(&err, 0, sizeof err);
    CHECK(!taco__zstd_encode_bound(SIZE_MAX - 3, &size));
}

static void no_memory(void)
{
    taco__mem small;
    taco__mem_init(&small, NULL);
    small.limit = 1000;
    CHECK(taco__zstd_encode_open(&small, 3, &err) == NULL && err.code == TACO_ERR_LIMIT);
    CHECK(small.used == 0);
    memset(&err, 0, sizeof err);
    taco__zstd_encode_close(NULL);
}

/* Bytes that look random at both ends of a block are not stored if those between are not. */
static void noise_at_the_ends(void)
{
    const size_t n = 131072;
    uint8_t *data = (uint8_t *)malloc(n);
    uint32_t state = 1;
    size_t i, size = 0;
    int level;
    for (i = 0; i < n; i++) {
        state = state * 1664525U + 1013904223U;
        data[i] = (uint8_t)(state >> 16 & (i < 30000 || i > 100000 ? 255 : 15));
    }
    for (level = 1; level <= TACO__ZSTD_ENCODE_MAX_LEVEL; level++) {
        CHECK(there_and_back(encoder[level], data, n, true, &size));
        CHECK(size < n * 9 / 10);
    }
    free(data);
}

/* Symbols that are all as frequent have codes of one length: weights that no finite state code can
   tell, as each would take no bits. Hexadecimal digits are such data. */
static void even_frequencies(void)
{
    const size_t n = 100000;
    uint8_t *data = (uint8_t *)malloc(n);
    uint32_t state;
    unsigned bits;
    size_t i, size = 0;
    int level;
    for (bits = 1; bits <= 8; bits++) {
        state = bits;
        for (i = 0; i < n; i++) {
            state = state * 1664525U + 1013904223U;
            data[i] = (uint8_t)(state >> 16 & ((1U << bits) - 1));
        }
        for (level = 1; level <= TACO__ZSTD_ENCODE_MAX_LEVEL; level++) {
            CHECK(there_and_back(encoder[level], data, n, true, &size));
            CHECK(size < n * bits / 8 + n / 12);
        }
    }
    free(data);
}

/* Lengths of 40 symbols seen 1, 1, 2, 3, 5, 8, ... times would be up to 39 bits. */
static void long_codes(void)
{
    uint32_t seen[256];
    taco__zstd_encode_huf h;
    unsigned used, s, space;
    for (used = 2; used <= 24; used++) {
        memset(seen, 0, sizeof seen);
        for (s = 0; s < used; s++) {
            seen[s * 5] = s < 2 ? 1 : seen[s * 5 - 5] + seen[s * 5 - 10];
        }
        taco__zstd_encode_huf_make(&h, seen);
        for (space = s = 0; s < used; s++) {
            const uint64_t code = h.code[s * 5];
            unsigned n = (unsigned)(code & 255);
            CHECK(n > 0 && n <= 11 && code << n >> n == n); /* no other bit is set */
            space += 1U << (11 - n);
        }
        CHECK(space == 1 << 11);
    }
}

/* Few symbols, some more often than others: their weights are written as they are. */
static void few_symbols(void)
{
    static uint8_t data[6000];
    uint32_t state = 7, draw;
    size_t size;
    unsigned symbols, i;
    int level;
    for (symbols = 3; symbols <= 9; symbols++) {
        for (i = 0; i < sizeof data; i++) { /* each half as often as the one before it */
            state = state * 1664525U + 1013904223U;
            draw = state >> 16;
            for (data[i] = 0; draw & 1 && data[i] + 1U < symbols; draw >>= 1) {
                data[i]++;
            }
        }
        for (level = 1; level <= TACO__ZSTD_ENCODE_MAX_LEVEL; level++) {
            CHECK(there_and_back(encoder[level], data, sizeof data, true, &size));
            CHECK(size < sizeof data / 2);
        }
    }
}

/* Twenty rare codes take more cells than they have a right to: the two others pay as much as they
   have, the first one included. */
static void shares_of_cells(void)
{
    taco__zstd_fse_counts c;
    uint32_t freq[22];
    unsigned s;
    for (s = 0; s < 22; s++) {
        freq[s] = s == 0 ? 1000 : s == 1 ? 400 : 1;
    }
    taco__zstd_encode_fse_normalize(&c, freq, 22, 1420, 9);
    CHECK(c.log == 8 && c.n[0] + c.n[1] == 236);
    CHECK(c.n[0] >= 166 && c.n[0] <= 171);
}

int main(void)
{
    int level;
    taco__mem_init(&mem, NULL);
    for (level = 1; level <= TACO__ZSTD_ENCODE_MAX_LEVEL; level++) {
        encoder[level] = taco__zstd_encode_open(&mem, level, &err);
        if (!encoder[level]) { return 1; }
    }
    RUN(every_level_every_size);
    RUN(distances_and_lengths);
    RUN(beyond_the_window);
    RUN(forms_of_blocks);
    RUN(same_bytes_every_time);
    RUN(numbers_of_positions);
    RUN(too_small);
    RUN(no_memory);
    RUN(even_frequencies);
    RUN(noise_at_the_ends);
    RUN(long_codes);
    RUN(few_symbols);
    RUN(shares_of_cells);
    CHECK(err.code == TACO_OK);
    for (level = 1; level <= TACO__ZSTD_ENCODE_MAX_LEVEL; level++) {
        taco__zstd_encode_close(encoder[level]);
    }
    if (mem.used) { test_failed++; }
    return test_end("test_zstd_enc");
}
