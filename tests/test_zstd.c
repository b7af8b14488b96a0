/* The ZSTD decoder: frames written by the reference encoder, frames made by hand, every error with
   its position and text, damaged and truncated frames, and the fast loops compared with the plain
   ones. */
#include "test.h"
#include "../src/codec/zstd_decode.c"
#include "../src/codec/zstd_decode_entropy.c"
#include "../src/codec/zstd_decode_sequences.c"
#include "../taco_parquet.h"
#include "../extra/taco_parquet_write.h"

/* one state for all tests: what one frame leaves must not reach the next */
static uint8_t zstd_literals[TACO__ZSTD_LITERALS(SIZE_MAX)];
static taco__zstd_decoder zstd = {.literals = zstd_literals};
static taco__mem mem;
static taco__buf out;
static taco_error err;

/* Decodes len bytes, in a block of exactly that size: a sanitizer sees a read behind them. */
static taco_status decode(const void *frame, size_t len, size_t limit)
{
    uint8_t *copy = (uint8_t *)malloc(len ? len : 1);
    taco_status status;
    if (len) { memcpy(copy, frame, len); }
    taco__mem_init(&mem, NULL);
    memset(&err, 0, sizeof err);
    if (out.data) { free(out.data); }
    memset(&out, 0, sizeof out);
    out.mem = &mem;
    status = taco__zstd_decode(&zstd, taco__bytes_of(copy, len), &out, limit, &err);
    CHECK(status == err.code);
    CHECK(status == TACO_OK || out.len == 0);
    free(copy);
    return status;
}

#define DECODE(bytes, limit) decode(bytes, sizeof bytes, limit)
#define FAILS(bytes, status, where, what)                                                          \
    do {                                                                                           \
        CHECK(DECODE(bytes, 1 << 20) == (status));                                                 \
        CHECK(err.offset == (where));                                                              \
        CHECK_TEXT(err.text, what);                                                                \
    } while (0)
#define GIVES(bytes, plain, size)                                                                  \
    do {                                                                                           \
        CHECK(DECODE(bytes, 1 << 20) == TACO_OK);                                                  \
        CHECK(out.len == (size) && memcmp(out.data, plain, out.len) == 0);                         \
        CHECK_TEXT(err.text, "");                                                                  \
    } while (0)

/* A frame without content size or checksum, window 128 KiB: its header is these 6 bytes. */
#define HEAD 0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x38
/* A block header; type 0 raw, 1 one byte repeated, 2 compressed. */
#define BLOCK(last, type, size)                                                                    \
    ((last) | (type) << 1 | (size) << 3) & 255, ((size) >> 5) & 255, ((size) >> 13) & 255

/* ---- what the reference encoder wrote: 900 skewed letters, and words in three blocks ---- */

static uint32_t state;

static uint32_t next(void)
{
    state = state * 1664525U + 1013904223U;
    return state >> 16;
}

static void skewed(char *to, size_t n)
{
    size_t i;
    state = 11;
    for (i = 0; i < n; i++) {
        uint32_t a = next(), b = next(), c = next();
        to[i] = (char)('0' + (a & b & c & 63));
    }
}

static void words(char *to, size_t n)
{
    static const char *const word[8] = {"alpha ", "beta ", "gamma_", "delta;",
                                        "eps\n",  "zeta-", "eta,",   "theta "};
    size_t k = 0, i;
    state = 7;
    while (k < n) {
        uint32_t a = next(), b = next();
        const char *w = word[a % 8 & (b % 8 | 3)];
        for (i = 0; w[i] && k < n; i++) {
            to[k++] = w[i];
        }
        if (next() % 4 == 0 && k < n) { to[k++] = (char)('A' + next() % 26); }
    }
}

static const uint8_t frame_known[488] = {
    0x28, 0xB5, 0x2F, 0xFD, 0x64, 0x84, 0x02, 0xD5, 0x0E, 0x00, 0x16, 0xAD, 0x5E, 0x1E, 0x40, 0x8D,
    0x0B, 0x1D, 0x4F, 0xC8, 0x1E, 0xA4, 0xB2, 0xA3, 0x05, 0xB2, 0xBE, 0x96, 0x8B, 0x31, 0x5A, 0x88,
    0xFB, 0x5C, 0x6B, 0x2D, 0xC9, 0x96, 0x33, 0x0C, 0xC3, 0x30, 0x67, 0x02, 0x55, 0x00, 0x55, 0x00,
    0x54, 0x00, 0x4A, 0xED, 0xBE, 0xFF, 0x4C, 0xBA, 0x7C, 0x39, 0xE3, 0xDE, 0x5A, 0xCF, 0xA9, 0x05,
    0xFE, 0xBF, 0xFB, 0xE9, 0xB7, 0xEB, 0x46, 0xED, 0x1C, 0xEF, 0x1C, 0xF9, 0x8D, 0x74, 0x95, 0x0D,
    0xB1, 0xCB, 0xEA, 0x94, 0x53, 0x22, 0x21, 0x78, 0x76, 0x1C, 0xEA, 0x21, 0x8B, 0x1E, 0x31, 0xAA,
    0xDB, 0x55, 0x5D, 0xA7, 0xC5, 0x46, 0xB6, 0x2B, 0x18, 0xBE, 0xA7, 0x6B, 0xEC, 0xF8, 0xD7, 0x3F,
    0xC4, 0x1E, 0x5C, 0x37, 0x81, 0x3D, 0x97, 0xAC, 0xB6, 0x6B, 0x1F, 0xB7, 0xCA, 0x68, 0xBB, 0xB8,
    0x50, 0xB1, 0x81, 0x5E, 0x42, 0x35, 0x0E, 0xF6, 0x9C, 0x2F, 0x1A, 0xEE, 0x0A, 0x6D, 0x3F, 0x2E,
    0xDE, 0xD9, 0x3C, 0xDD, 0xFC, 0x7C, 0x7E, 0xF7, 0x16, 0xA8, 0xFD, 0xB3, 0xE2, 0xAB, 0xB5, 0xF8,
    0xF8, 0x61, 0x11, 0xA9, 0x83, 0xE8, 0x24, 0xF2, 0xF7, 0x9D, 0xB0, 0x18, 0x98, 0x65, 0xC7, 0x03,
    0x55, 0xDD, 0xD6, 0xBE, 0x7C, 0x27, 0x7E, 0x78, 0xA5, 0x0C, 0x98, 0x3A, 0xF3, 0xB5, 0xFE, 0xEE,
    0x33, 0xDE, 0xEE, 0x6F, 0xA3, 0xEF, 0xC2, 0xCB, 0x09, 0x93, 0x4B, 0xCA, 0xD4, 0xAD, 0xCA, 0xBF,
    0x53, 0x5B, 0x18, 0x8F, 0x9B, 0x48, 0xCE, 0x5F, 0xCC, 0xF3, 0x03, 0x01, 0x5F, 0x15, 0x36, 0x5D,
    0xD7, 0x31, 0x7C, 0xDE, 0xDD, 0xF0, 0xD9, 0xEB, 0xD3, 0xDD, 0x25, 0x91, 0x0B, 0xF2, 0xAF, 0xF0,
    0xFE, 0xB5, 0x4B, 0xE4, 0xEA, 0xF3, 0xC1, 0x2C, 0xCE, 0x1B, 0x37, 0x06, 0xE1, 0xF8, 0x93, 0xF3,
    0x06, 0x77, 0x87, 0x8D, 0x95, 0xB7, 0xFB, 0xAD, 0x9D, 0xAE, 0x98, 0x53, 0x7D, 0x73, 0x72, 0xA2,
    0x8E, 0x5F, 0xA0, 0x76, 0x78, 0xE3, 0xC7, 0x0C, 0x31, 0xD6, 0xA7, 0x61, 0x4F, 0xE5, 0x86, 0xFC,
    0x10, 0xDE, 0xBE, 0x15, 0xA8, 0x8C, 0x1A, 0xB5, 0x3C, 0xF7, 0x15, 0x37, 0x4F, 0xF7, 0x5F, 0x03,
    0x7D, 0xFA, 0xBF, 0x48, 0x49, 0xFA, 0x36, 0x09, 0x9A, 0xFA, 0x6F, 0x52, 0xF7, 0xC2, 0x2E, 0xE8,
    0xF7, 0x38, 0x9F, 0x8D, 0x36, 0xC3, 0xAC, 0xCF, 0xFF, 0x83, 0x04, 0x11, 0x1F, 0x23, 0x4D, 0x1D,
    0xC4, 0x4C, 0x89, 0x10, 0xC8, 0x4A, 0x73, 0xEC, 0x05, 0x6B, 0x9A, 0x3F, 0x40, 0x9C, 0x9E, 0x18,
    0x1D, 0x90, 0x84, 0x33, 0xF6, 0xC5, 0x1E, 0x1B, 0xE6, 0x53, 0x5D, 0x2B, 0x93, 0xDD, 0x88, 0x90,
    0xF6, 0x10, 0xF8, 0x63, 0x66, 0xA6, 0xE3, 0x6A, 0x7F, 0x54, 0x6F, 0xC6, 0x72, 0x1C, 0xDB, 0xB3,
    0x91, 0x00, 0xE0, 0x9C, 0xC1, 0x99, 0x26, 0x22, 0x00, 0x2F, 0x33, 0x54, 0x40, 0xCA, 0x3C, 0xBF,
    0x3D, 0x44, 0x6E, 0x4D, 0xE9, 0xAD, 0xD0, 0xF8, 0xDB, 0x5C, 0x7A, 0x76, 0x5C, 0x8E, 0xB3, 0x6B,
    0x68, 0xA3, 0x0C, 0x82, 0xAE, 0x6C, 0x6B, 0xCF, 0xC4, 0x48, 0x0D, 0x7A, 0xDD, 0x85, 0x8D, 0x02,
    0xEE, 0x01, 0x74, 0x68, 0xEB, 0x8B, 0x04, 0x21, 0xF2, 0xCA, 0xDE, 0x0E, 0x8D, 0x51, 0x2F, 0xE2,
    0x0A, 0x4D, 0x6B, 0x18, 0x60, 0x70, 0x12, 0x6D, 0x9D, 0xCF, 0xC8, 0x7F, 0x55, 0x57, 0x5A, 0x0D,
    0xBA, 0x21, 0x7B, 0x57, 0xB8, 0xB2, 0x38, 0xD5, 0xA2, 0xA4, 0x92, 0xCA, 0x79, 0x6D, 0x56, 0x83,
    0x28, 0x57, 0x81, 0x02, 0x45, 0x4A, 0xA0, 0x9C};
static const uint8_t frame_stream[860] = {
    0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x48, 0x14, 0x0A, 0x00, 0x36, 0x93, 0x33, 0x1F, 0x40, 0x6B, 0x9B,
    0x0E, 0xAF, 0xA3, 0xAC, 0x0F, 0xF3, 0x17, 0x52, 0x12, 0xE0, 0x91, 0xAA, 0x28, 0x44, 0x25, 0x5D,
    0x8B, 0x6A, 0x34, 0x78, 0x7E, 0xA7, 0x4A, 0xC3, 0xE5, 0xC9, 0x9A, 0x17, 0x27, 0x00, 0x29, 0x00,
    0x2C, 0x00, 0x97, 0xC9, 0x8C, 0xBD, 0x24, 0x9C, 0x57, 0xBB, 0xD3, 0x3D, 0x2A, 0x74, 0x89, 0x58,
    0xED, 0x2E, 0x57, 0x93, 0x19, 0x7B, 0x39, 0x97, 0xAB, 0xE9, 0x1E, 0xD5, 0xC2, 0xB9, 0x54, 0xCE,
    0xAB, 0xDD, 0xE7, 0x52, 0x61, 0x9C, 0x57, 0xBB, 0x03, 0x97, 0xE7, 0x72, 0x15, 0xB9, 0x6C, 0x0E,
    0xA6, 0xB1, 0xA1, 0x90, 0xEE, 0x51, 0x31, 0x56, 0xBB, 0x91, 0xCB, 0x66, 0x20, 0x99, 0xB1, 0x97,
    0xC3, 0x79, 0xB5, 0xBB, 0x91, 0xEE, 0x51, 0xA5, 0x7B, 0x54, 0x07, 0xD3, 0x88, 0x2E, 0x0F, 0xE8,
    0x12, 0x05, 0xC9, 0x8C, 0xBD, 0x08, 0x28, 0x87, 0x74, 0x8F, 0xEA, 0x5C, 0x2A, 0x8B, 0x74, 0x8F,
    0x8A, 0x01, 0x5D, 0x1A, 0x9C, 0x4B, 0xE5, 0x20, 0x99, 0xB1, 0x17, 0x04, 0x62, 0x81, 0x2E, 0xD3,
    0x3D, 0x2A, 0x84, 0x83, 0x69, 0x4C, 0x9C, 0x57, 0xBB, 0x93, 0x19, 0x7B, 0x41, 0x01, 0xAF, 0x76,
    0x17, 0x24, 0x90, 0xCB, 0x46, 0x69, 0x20, 0x48, 0xF7, 0xA8, 0x0E, 0xA6, 0x11, 0x60, 0xF5, 0xBC,
    0xDA, 0x1D, 0x90, 0x40, 0x97, 0x8A, 0x83, 0x69, 0x54, 0x24, 0x33, 0xF6, 0x82, 0x5C, 0x36, 0x8A,
    0x52, 0x41, 0x2E, 0x9B, 0x74, 0x8F, 0xEA, 0x60, 0x1A, 0x03, 0x2C, 0x20, 0x30, 0x42, 0x42, 0x18,
    0x95, 0x1E, 0x3E, 0x03, 0xFA, 0x73, 0x97, 0xA5, 0x17, 0x86, 0x73, 0xBD, 0xC0, 0x08, 0x95, 0x07,
    0x5E, 0x1B, 0xEE, 0xCE, 0x03, 0xC6, 0x0C, 0x92, 0xC5, 0xE1, 0x1A, 0xC0, 0x85, 0x03, 0x5F, 0x92,
    0x1B, 0x03, 0x88, 0x90, 0x6B, 0xA8, 0xF6, 0xD9, 0x37, 0xED, 0xDC, 0x62, 0x28, 0xE3, 0x60, 0x8D,
    0x01, 0x4A, 0x1C, 0xA4, 0xB2, 0x69, 0x80, 0xAF, 0x14, 0x03, 0x74, 0xE4, 0x24, 0x63, 0x03, 0x57,
    0x71, 0x03, 0x7E, 0xF2, 0xEE, 0x18, 0x16, 0xCB, 0x2F, 0x8B, 0x9D, 0xD0, 0x6B, 0xBC, 0xC3, 0xD4,
    0x27, 0x38, 0x10, 0xE7, 0x9C, 0x52, 0xC2, 0xCC, 0x42, 0xB6, 0x6C, 0x42, 0xFF, 0x76, 0x8D, 0x71,
    0xE1, 0x67, 0x14, 0x86, 0x4D, 0x88, 0x49, 0x76, 0xC8, 0x42, 0x19, 0x0C, 0x08, 0x00, 0xE2, 0x87,
    0x18, 0x1A, 0x70, 0x69, 0x75, 0x5C, 0xB2, 0x23, 0x34, 0x84, 0x9E, 0xC7, 0xEA, 0xE9, 0x81, 0x61,
    0x44, 0x7D, 0xF8, 0x18, 0x3D, 0xFE, 0x05, 0xEF, 0xFD, 0xFF, 0x15, 0x16, 0x99, 0x6D, 0x86, 0xA2,
    0x5F, 0x4E, 0x84, 0x3E, 0x00, 0x50, 0x1D, 0x7C, 0x55, 0xA9, 0x77, 0x63, 0xF4, 0xCF, 0xCC, 0x91,
    0x7A, 0x37, 0x37, 0x23, 0xA4, 0xDE, 0x8D, 0x00, 0x51, 0x83, 0x13, 0xA1, 0x15, 0x76, 0xA0, 0xDE,
    0xEE, 0x01, 0xD4, 0x9B, 0xA9, 0xD5, 0xCC, 0xB6, 0x05, 0xF5, 0x76, 0x2F, 0x7A, 0x27, 0x56, 0x33,
    0xDB, 0x12, 0xC4, 0x6A, 0x66, 0x9B, 0x72, 0xB3, 0xC2, 0x89, 0xD0, 0x09, 0xEA, 0xCD, 0x10, 0xA3,
    0x7F, 0x66, 0x02, 0x3C, 0x20, 0x30, 0x42, 0x63, 0x0C, 0xE1, 0xF9, 0x8D, 0xE0, 0x40, 0x35, 0x07,
    0xB4, 0xC4, 0x41, 0x68, 0x0A, 0x80, 0x83, 0x89, 0x74, 0xC0, 0xDA, 0x00, 0xBB, 0x73, 0x42, 0xCF,
    0x80, 0x49, 0x07, 0xC6, 0x72, 0xB0, 0x92, 0xAD, 0x1E, 0x07, 0xE8, 0xE2, 0x6E, 0xCD, 0x67, 0x18,
    0xC2, 0x12, 0x0B, 0x01, 0x7A, 0xE4, 0x32, 0x87, 0x20, 0xE4, 0x0B, 0x42, 0x09, 0x62, 0x88, 0x14,
    0x07, 0xE0, 0xCC, 0x15, 0x28, 0x90, 0x71, 0xEB, 0xBC, 0x8E, 0x1B, 0x0C, 0xC9, 0x7D, 0x05, 0xA4,
    0x08, 0x12, 0x08, 0x5C, 0xC0, 0xA1, 0xDE, 0x06, 0x04, 0x96, 0xC3, 0x0D, 0x83, 0xDD, 0x45, 0xE4,
    0xDF, 0x14, 0xF9, 0x47, 0xD3, 0x80, 0xFC, 0x16, 0xFE, 0x71, 0xD9, 0x66, 0x62, 0x40, 0x53, 0x17,
    0x20, 0xC5, 0xCB, 0x19, 0x90, 0xB5, 0x16, 0x08, 0xAC, 0x3F, 0x67, 0x61, 0x3D, 0xB0, 0xE0, 0x1B,
    0xFC, 0xE4, 0x40, 0x33, 0x07, 0x04, 0x3B, 0xE0, 0xC4, 0x0C, 0x82, 0xE5, 0x57, 0x86, 0x04, 0x0D,
    0xC8, 0x81, 0x2E, 0x07, 0xC7, 0x35, 0x08, 0x1B, 0xEE, 0x8F, 0x3C, 0xB4, 0x19, 0x04, 0x02, 0x55,
    0x08, 0x00, 0x52, 0x46, 0x15, 0x1A, 0x80, 0xA9, 0x6D, 0xDC, 0x84, 0x15, 0xC4, 0x23, 0x45, 0x59,
    0x2E, 0x56, 0x1A, 0xF1, 0x2D, 0xE5, 0xAC, 0x88, 0x47, 0x1C, 0x7C, 0x26, 0x42, 0xC6, 0x6E, 0x0F,
    0x87, 0x9C, 0x69, 0x75, 0x18, 0xEF, 0x6F, 0x51, 0xF4, 0x61, 0x4B, 0xCF, 0xD8, 0x1F, 0xC0, 0xFB,
    0x06, 0x82, 0x48, 0xD8, 0xD2, 0x23, 0xB6, 0xF4, 0x07, 0xE3, 0x45, 0xD1, 0x03, 0x5B, 0x7A, 0xC1,
    0x02, 0x39, 0xD3, 0x2A, 0x39, 0x5E, 0x7C, 0x22, 0x1C, 0x2F, 0x3E, 0x29, 0x8C, 0xF7, 0x97, 0x28,
    0xC8, 0x99, 0x56, 0x06, 0xE5, 0x78, 0xF1, 0xA9, 0x10, 0x08, 0x44, 0x20, 0x40, 0x42, 0x42, 0x8C,
    0x29, 0xB4, 0x1B, 0xDF, 0x40, 0x00, 0xB5, 0xC6, 0xC1, 0x8C, 0xBB, 0xB8, 0x98, 0x09, 0x9D, 0xA1,
    0xED, 0x90, 0xC7, 0xD0, 0x02, 0xCA, 0x38, 0x8C, 0x6D, 0x20, 0x71, 0x05, 0x62, 0x5E, 0x20, 0x45,
    0xCC, 0xE0, 0xEE, 0x9B, 0x77, 0x1E, 0x0F, 0x10, 0x3B, 0x06, 0x70, 0x39, 0xF8, 0x00, 0x07, 0x57,
    0x42, 0x80, 0x85, 0x51, 0x5D, 0x72, 0x97, 0x75, 0x38, 0x6C, 0x8A, 0x03, 0xFA, 0xD7, 0x66, 0x26,
    0x08, 0x87, 0x07, 0xF4, 0xBA, 0x01, 0xEE, 0xB9, 0x43, 0xCB, 0xCF, 0xB4, 0x83, 0xE6, 0x01, 0x55,
    0x00, 0xFF, 0x03, 0xE9, 0x19, 0xE0, 0x6A, 0x0E, 0x43, 0x29, 0x80, 0xD2, 0x0C, 0xD8, 0xC4, 0x64,
    0xCE, 0x36, 0x8C, 0x4B, 0xCE, 0x8E, 0x96, 0x83, 0x86, 0xCB, 0xB9, 0xBB, 0x03, 0x9D, 0x59, 0xAB,
    0x94, 0x99, 0x15, 0xCD, 0x4A, 0xC3, 0x84, 0x71, 0xCF, 0x60, 0x5C, 0x0E, 0x41, 0x16, 0x40, 0x9E,
    0x10, 0xA0, 0xC9, 0x06, 0x2D, 0xCB, 0x41, 0xD5, 0x04, 0x62, 0x47, 0xD8, 0x44, 0xF1, 0xE0, 0x22,
    0x0C, 0x05, 0x30, 0x88, 0x03, 0x89, 0x0B, 0xFC, 0x9A, 0x01, 0x42, 0x19, 0x7B, 0xEA, 0x0B, 0x60,
    0x83, 0x47, 0x73, 0xAC, 0x33, 0xFC, 0xEF, 0x62, 0x83, 0x89, 0x18, 0x04};

static void reference_frames(void)
{
    char plain[2400];
    skewed(plain, 900);
    GIVES(frame_known, plain, 900);
    CHECK(out.cap == 900); /* reserved what the header says, and no more */
    words(plain, 2400);
    GIVES(frame_stream, plain, 2400);
}

static void appends(void)
{
    char plain[2400];
    unsigned i;
    words(plain, 2400);
    CHECK(DECODE(frame_stream, 2400) == TACO_OK);
    for (i = 2; i < 5; i++) { /* behind what is there, which moves as the buffer grows */
        CHECK(taco__zstd_decode(&zstd, taco__bytes_of(frame_stream, sizeof frame_stream), &out,
                                2400, &err) == TACO_OK);
        CHECK(out.len == 2400 * i && memcmp(out.data + 2400 * (i - 1), plain, 2400) == 0 &&
              memcmp(out.data, plain, 2400) == 0);
    }
    /* a failure takes back what it appended, and leaves the rest */
    CHECK(taco__zstd_decode(&zstd, taco__bytes_of(frame_stream, sizeof frame_stream - 1), &out,
                            2400, &err) == TACO_ERR_TRUNCATED);
    CHECK(out.len == 2400 * 4 && memcmp(out.data, plain, 2400) == 0);
    /* without an error to fill, and with one that holds something else */
    CHECK(taco__zstd_decode(&zstd, taco__bytes_of("abcd", 4), &out, 2400, NULL) ==
          TACO_ERR_CORRUPT);
    CHECK(taco__zstd_decode(&zstd, taco__bytes_of("abcd", 4), &out, 2400, &err) ==
          TACO_ERR_CORRUPT);
    CHECK(err.code == TACO_ERR_TRUNCATED);
}

static void cut_and_damaged(void)
{
    static uint8_t frame[sizeof frame_known];
    char plain[900];
    size_t n, bit;
    for (n = 0; n < sizeof frame_stream; n++) {
        taco_status status = decode(frame_stream, n, 1 << 20);
        CHECK(n == 0 ? status == TACO_OK : status == TACO_ERR_TRUNCATED);
    }
    skewed(plain, 900);
    for (bit = 0; bit < 8 * sizeof frame;
         bit++) { /* what is accepted is right: the checksum sees to it */
        memcpy(frame, frame_known, sizeof frame);
        frame[bit / 8] = (uint8_t)(frame[bit / 8] ^ 1U << bit % 8);
        if (DECODE(frame, 1 << 20) ==
            TACO_OK) { /* some bits say nothing, as the one unused bit of the header */
            CHECK(out.len == 900 && memcmp(out.data, plain, 900) == 0);
        }
    }
}

/* ---- by hand ---- */

static void simple_blocks(void)
{
    static const uint8_t raw[] = {HEAD,           BLOCK(0, 0, 2), 'a', 'b',
                                  BLOCK(0, 0, 0), BLOCK(1, 0, 1), 'c'};
    static const uint8_t same[] = {HEAD, BLOCK(0, 1, 5), 'x', BLOCK(1, 1, 0), 'y'};
    static const uint8_t none[] = {HEAD, BLOCK(1, 0, 0)};
    static const uint8_t many[] = {0x5F, 0x2A,           0x4D, 0x18, 3,    0,    0,    0, 9, 9, 9,
                                   HEAD, BLOCK(1, 0, 1), 'p',  0x50, 0x2A, 0x4D, 0x18, 0, 0, 0, 0,
                                   HEAD, BLOCK(1, 1, 2), 'q'};
    GIVES(raw, "abc", 3);
    GIVES(same, "xxxxx", 5);
    GIVES(none, "", 0);
    GIVES(many, "pqq", 3);
    CHECK(decode(NULL, 0, 10) == TACO_OK && out.len == 0); /* no frame holds nothing */
    CHECK(decode(many, 7, 10) == TACO_ERR_TRUNCATED);
    CHECK_TEXT(err.text, "at byte 0: ZSTD skippable frame header takes 8 bytes, 7 are left");
    CHECK(decode(many, 10, 10) == TACO_ERR_TRUNCATED);
    CHECK_TEXT(err.text, "at byte 8: ZSTD skippable frame takes 3 bytes, 2 are left");
}

/* A tree of two symbols: one weight of 1, so codes 0 and 1 for bytes 0 and 1. */
static void huffman_blocks(void)
{
    static const uint8_t again[] = {HEAD, BLOCK(0, 2, 7), 0x42, 0xC0, 0, 0x80, 0x10, 0x1B,
                                    0,    BLOCK(1, 2, 5), 0x43, 0x40, 0, 0x15, 0};
    static const uint8_t orphan[] = {HEAD, BLOCK(1, 2, 5), 0x43, 0x40, 0, 0x1B, 0};
    static const uint8_t longer[] = {HEAD, BLOCK(1, 2, 7), 0x42, 0xC0, 0, 0x80, 0x10, 0x3B, 0};
    static const uint8_t shorter[] = {HEAD, BLOCK(1, 2, 7), 0x42, 0xC0, 0, 0x80, 0x10, 0x0B, 0};
    static const uint8_t no_mark[] = {HEAD, BLOCK(1, 2, 7), 0x42, 0xC0, 0, 0x80, 0x10, 0, 0};
    static const uint8_t weight[] = {HEAD, BLOCK(1, 2, 7), 0x42, 0xC0, 0, 0x80, 0xD0, 0x1B, 0};
    static const uint8_t no_weight[] = {HEAD, BLOCK(1, 2, 7), 0x42, 0xC0, 0, 0x80, 0x00, 0x1B, 0};
    static const uint8_t tail[] = {HEAD, BLOCK(1, 2, 8), 0x42, 0xC0, 0, 0x80, 0x10, 0x1B, 0, 0};
    static const uint8_t over[] = {HEAD, BLOCK(1, 2, 6), 0x42, 0x00, 1, 0x80, 0x10, 0x1B};
    static const uint8_t no_count[] = {HEAD, BLOCK(1, 2, 6), 0x42, 0xC0, 0, 0x80, 0x10, 0x1B};
    static const uint8_t few[] = {HEAD, BLOCK(1, 2, 9), 0x26, 0x40, 1, 0x80, 0x10, 1, 0, 1, 0};
    GIVES(again, "\1\0\1\1\0\1\0\1", 8);
    FAILS(orphan, TACO_ERR_CORRUPT, 12,
          "at byte 12: ZSTD literals without a Huffman tree, the frame has none before");
    FAILS(longer, TACO_ERR_CORRUPT, 14,
          "at byte 14: ZSTD literals do not end where their 1 bytes do");
    FAILS(shorter, TACO_ERR_CORRUPT, 14,
          "at byte 14: ZSTD literals do not end where their 1 bytes do");
    FAILS(no_mark, TACO_ERR_CORRUPT, 14,
          "at byte 14: ZSTD literals do not end where their 1 bytes do");
    FAILS(weight, TACO_ERR_CORRUPT, 12, "at byte 12: damaged ZSTD Huffman tree");
    FAILS(no_weight, TACO_ERR_CORRUPT, 12, "at byte 12: damaged ZSTD Huffman tree");
    FAILS(tail, TACO_ERR_CORRUPT, 16,
          "at byte 16: ZSTD block of 8 bytes does not end with its sequences");
    FAILS(over, TACO_ERR_CORRUPT, 9, "at byte 9: ZSTD literals take 7 bytes, the block has 6");
    FAILS(no_count, TACO_ERR_CORRUPT, 15,
          "at byte 15: ZSTD block of 6 bytes does not end with its sequences");
    FAILS(few, TACO_ERR_CORRUPT, 14, "at byte 14: ZSTD literals do not end where their 3 bytes do");
}

/* Literals 'a' (raw), n sequences with one code for each field, and no bits but the end mark. */
#define SEQS(n, modes, ll, of, ml) 0x08, 'a', n, modes, ll, of, ml, 1

static void sequence_blocks(void)
{
    static const uint8_t run[] = {HEAD, BLOCK(1, 2, 8),
                                  /* match of 5 at the first repeat, 1 */
                                  SEQS(1, 0x54, 1, 0, 2)};
    static const uint8_t again[] = {
        HEAD, BLOCK(0, 2, 8), SEQS(1, 0x54, 1, 0, 0), BLOCK(1, 2, 5), 0x08, 'b', 1, 0xFC, 1};
    static const uint8_t two_byte_zero[] = {HEAD, BLOCK(1, 2, 4), 0x08, 'a', 0x80, 0};
    static const uint8_t modes[] = {HEAD, BLOCK(1, 2, 8), SEQS(1, 0x55, 1, 0, 2)};
    static const uint8_t repeat[] = {HEAD, BLOCK(1, 2, 5), 0x08, 'a', 1, 0xC0, 1};
    static const uint8_t code[] = {HEAD, BLOCK(1, 2, 8), SEQS(1, 0x54, 1, 0, 53)};
    static const uint8_t table[] = {HEAD, BLOCK(1, 2, 7), 0x08, 'a', 1, 0x80, 0x0F, 0, 1};
    static const uint8_t far_off[] = {HEAD, BLOCK(1, 2, 8), 0x08, 'a', 1, 0x54, 1, 2, 0,
                                      0x07}; /* value 7 is offset 4 */
    static const uint8_t nowhere[] = {HEAD, BLOCK(1, 2, 8), 0x08, 'a', 1, 0x54, 0, 1, 0,
                                      0x03}; /* first repeat less one */
    static const uint8_t literals[] = {HEAD, BLOCK(1, 2, 8), SEQS(1, 0x54, 2, 0, 0)};
    static const uint8_t more_bits[] = {HEAD, BLOCK(1, 2, 8), 0x08, 'a', 1, 0x54, 1, 0, 0, 0x02};
    static const uint8_t fewer_bits[] = {HEAD, BLOCK(1, 2, 8), 0x08, 'a', 1, 0x54, 1, 2, 0, 0x02};
    static const uint8_t no_bits[] = {HEAD, BLOCK(1, 2, 7), 0x08, 'a', 1, 0x54, 1, 0, 0};
    static const uint8_t block[] = {
        0x28, 0xB5, 0x2F, 0xFD, 0, 0, BLOCK(1, 2, 10), 0x08, 'a', 1, 0x54, 1, 0, 46, 0, 0, 4};
    GIVES(run, "aaaaaa", 6);
    GIVES(again, "aaaabbbb", 8);
    GIVES(two_byte_zero, "a", 1);
    FAILS(modes, TACO_ERR_CORRUPT, 12,
          "at byte 12: ZSTD sequences without a valid byte of table modes");
    FAILS(repeat, TACO_ERR_CORRUPT, 13,
          "at byte 13: ZSTD block repeats a table of literal length codes, the frame has none "
          "before");
    FAILS(code, TACO_ERR_CORRUPT, 15, "at byte 15: ZSTD match length code 53, there are 53");
    FAILS(table, TACO_ERR_CORRUPT, 13, "at byte 13: damaged ZSTD table of literal length codes");
    FAILS(far_off, TACO_ERR_CORRUPT, 16,
          "at byte 16: ZSTD match at offset 4, the frame has 1 bytes before it");
    FAILS(nowhere, TACO_ERR_CORRUPT, 16,
          "at byte 16: ZSTD match at offset 0, the frame has 0 bytes before it");
    FAILS(literals, TACO_ERR_CORRUPT, 16,
          "at byte 16: ZSTD sequences take more literals than the block's 1");
    FAILS(more_bits, TACO_ERR_CORRUPT, 16,
          "at byte 16: ZSTD sequences do not end where their 1 bytes do");
    FAILS(fewer_bits, TACO_ERR_CORRUPT, 16,
          "at byte 16: ZSTD sequences do not end where their 1 bytes do");
    FAILS(no_bits, TACO_ERR_CORRUPT, 16,
          "at byte 16: ZSTD sequences do not end where their 0 bytes do");
    FAILS(block, TACO_ERR_CORRUPT, 16,
          "at byte 16: ZSTD block holds more than 1024 bytes, the most the frame's blocks may");
}

/* The three repeated offsets and their order, from a frame of raw literals and one sequence a
   block. */
static void repeated_offsets(void)
{
    /* The last offsets are 1, 4, 8 at first. Value 8 is offset 5; 2 is the second, 1; 3 the third,
       4; and 3 without literals the first less one, 3. */
    static const uint8_t frame[] = {HEAD,
                                    BLOCK(0, 2, 17),
                                    0x50,
                                    'a',
                                    'b',
                                    'c',
                                    'd',
                                    'e',
                                    'f',
                                    'g',
                                    'h',
                                    'i',
                                    'j',
                                    1,
                                    0x54,
                                    10,
                                    3,
                                    0,
                                    0x08,
                                    BLOCK(0, 2, 8),
                                    0x08,
                                    'k',
                                    1,
                                    0x54,
                                    1,
                                    1,
                                    0,
                                    0x02,
                                    BLOCK(0, 2, 8),
                                    0x08,
                                    'l',
                                    1,
                                    0x54,
                                    1,
                                    1,
                                    0,
                                    0x03,
                                    BLOCK(1, 2, 7),
                                    0x00,
                                    1,
                                    0x54,
                                    0,
                                    1,
                                    0,
                                    0x03};
    GIVES(frame, "abcdefghijfghkkkklkkkkkk", 24);
}

static void frame_errors(void)
{
    static const uint8_t magic[] = {'P', 'A', 'R', '1'};
    static const uint8_t reserved[] = {0x28, 0xB5, 0x2F, 0xFD, 0x08, 0x38, BLOCK(1, 0, 0)};
    static const uint8_t window[] = {0x28, 0xB5, 0x2F, 0xFD, 0x00, 0xB0, BLOCK(1, 0, 0)};
    static const uint8_t dictionary[] = {0x28, 0xB5, 0x2F, 0xFD,          0x02,
                                         0x38, 0x39, 0x05, BLOCK(1, 0, 0)};
    static const uint8_t dictionary0[] = {0x28, 0xB5, 0x2F, 0xFD, 0x02, 0x38, 0, 0, BLOCK(1, 0, 0)};
    static const uint8_t type[] = {HEAD, BLOCK(1, 3, 0)};
    static const uint8_t size[] = {0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x00, BLOCK(1, 1, 1025), 'x'};
    static const uint8_t content_more[] = {0x28,           0xB5, 0x2F, 0xFD,           0x20, 3,
                                           BLOCK(0, 0, 2), 1,    2,    BLOCK(1, 1, 2), 3};
    static const uint8_t content_less[] = {0x28, 0xB5, 0x2F, 0xFD, 0x20, 3, BLOCK(1, 0, 2), 1, 2};
    static const uint8_t checksum[] = {0x28,           0xB5, 0x2F, 0xFD, 0x24, 1,
                                       BLOCK(1, 0, 1), 'a',  1,    2,    3,    4};
    static const uint8_t after[] = {HEAD, BLOCK(1, 0, 1), 'a', 'b'};
    static const uint8_t no_block[] = {0x28, 0xB5, 0x2F, 0xFD, 0x20, 3};
    /* what follows the first frame would be a block, read from the second one's flags on */
    static const uint8_t reserved_behind[] = {
        HEAD, BLOCK(1, 0, 1), 'a', 0x28, 0xB5, 0x2F, 0xFD, 0x29, 0, 0, 1, 2, 3, 4, 5};
    /* the same, of a byte repeated; then a frame to skip */
    static const uint8_t window_behind[] = {
        HEAD, BLOCK(1, 0, 1), 'a',  0x28, 0xB5, 0x2F, 0xFD, 0x03, 0xB0, 0,
        'x',  0x50,           0x2A, 0x4D, 0x18, 0,    0,    0,    0};
    FAILS(magic, TACO_ERR_CORRUPT, 0, "at byte 0: not a ZSTD frame: magic number 31524150");
    CHECK(decode(magic, 3, 9) == TACO_ERR_TRUNCATED);
    CHECK_TEXT(err.text, "at byte 0: ZSTD magic number takes 4 bytes, 3 are left");
    CHECK(decode(dictionary, 7, 9) == TACO_ERR_TRUNCATED);
    CHECK_TEXT(err.text, "at byte 4: ZSTD frame header takes 4 bytes, 3 are left");
    FAILS(no_block, TACO_ERR_TRUNCATED, 6,
          "at byte 6: ZSTD block header takes 3 bytes, 0 are left");
    FAILS(reserved, TACO_ERR_UNSUPPORTED, 4, "at byte 4: ZSTD frame header sets a reserved bit");
    FAILS(reserved_behind, TACO_ERR_UNSUPPORTED, 14,
          "at byte 14: ZSTD frame header sets a reserved bit");
    FAILS(window, TACO_ERR_UNSUPPORTED, 5,
          "at byte 5: ZSTD window of 4294967296 bytes, at most 4026531840 are supported");
    FAILS(window_behind, TACO_ERR_UNSUPPORTED, 15,
          "at byte 15: ZSTD window of 4294967296 bytes, at most 4026531840 are supported");
    FAILS(dictionary, TACO_ERR_UNSUPPORTED, 6, "at byte 6: ZSTD frame needs dictionary 1337");
    GIVES(dictionary0, "", 0);
    FAILS(type, TACO_ERR_CORRUPT, 6, "at byte 6: ZSTD block of reserved type 3");
    FAILS(size, TACO_ERR_CORRUPT, 6,
          "at byte 6: ZSTD block of 1025 bytes, the frame's blocks have at most 1024");
    FAILS(content_more, TACO_ERR_CORRUPT, 11,
          "at byte 11: ZSTD frame holds 4 bytes, its header says 3");
    FAILS(content_less, TACO_ERR_CORRUPT, 0,
          "at byte 0: ZSTD frame holds 2 bytes, its header says 3");
    FAILS(checksum, TACO_ERR_CHECKSUM, 10,
          "at byte 10: ZSTD checksum is 4030201, the content has a98c6e5b");
    CHECK(decode(checksum, 13, 9) == TACO_ERR_TRUNCATED);
    CHECK_TEXT(err.text, "at byte 10: ZSTD checksum takes 4 bytes, 3 are left");
    CHECK(decode(checksum, 8, 9) == TACO_ERR_TRUNCATED);
    CHECK_TEXT(err.text, "at byte 6: ZSTD block header takes 3 bytes, 2 are left");
    CHECK(decode(content_less, 10, 9) == TACO_ERR_TRUNCATED);
    CHECK_TEXT(err.text, "at byte 9: ZSTD block takes 2 bytes, 1 are left");
    FAILS(after, TACO_ERR_TRUNCATED, 10, "at byte 10: ZSTD magic number takes 4 bytes, 1 are left");
}

static void limits(void)
{
    static const uint8_t claims[] = {0x28, 0xB5, 0x2F, 0xFD,           0xA0, 0,
                                     0,    0,    0x40, BLOCK(1, 0, 1), 'a'}; /* 1 GiB */
    static const uint8_t most[] = {0x28, 0xB5, 0x2F, 0xFD, 0xE0,           255, 255, 255, 255,
                                   255,  255,  255,  255,  BLOCK(1, 0, 1), 'a'};
    static const uint8_t bomb[] = {HEAD, BLOCK(0, 1, 131072), 'x', BLOCK(1, 1, 131072), 'x'};
    CHECK(DECODE(claims, 1000) == TACO_ERR_LIMIT);
    CHECK_TEXT(err.text, "at byte 0: ZSTD data of 1073741824 bytes, limits.max_page is 1000");
    CHECK(mem.peak == 0);
    CHECK(DECODE(claims, (size_t)1 << 30) ==
          TACO_ERR_CORRUPT); /* allowed, but 4 bytes can not hold it */
    CHECK_TEXT(err.text, "at byte 0: ZSTD frame holds 1 bytes, its header says 1073741824");
    CHECK(mem.peak < 300000);
    CHECK(DECODE(most, 1000) == TACO_ERR_LIMIT);
    CHECK(DECODE(bomb, 262144) == TACO_OK && out.len == 262144);
    CHECK(DECODE(bomb, 262143) == TACO_ERR_LIMIT);
    CHECK_TEXT(err.text, "at byte 10: ZSTD data of 262144 bytes, limits.max_page is 262143");
    CHECK(DECODE(frame_stream, 2400) == TACO_OK && out.cap <= 2400);
    CHECK(DECODE(frame_stream, 2399) == TACO_ERR_LIMIT);
    CHECK(DECODE(frame_stream, 0) == TACO_ERR_LIMIT);
}

static void out_of_memory(void)
{
    taco__mem_init(&mem, NULL);
    mem.limit = 500;
    free(out.data);
    memset(&out, 0, sizeof out);
    memset(&err, 0, sizeof err);
    out.mem = &mem;
    CHECK(taco__zstd_decode(&zstd, taco__bytes_of(frame_known, sizeof frame_known), &out, 1000,
                            &err) == TACO_ERR_LIMIT);
    CHECK_TEXT(err.text, "needs 964 bytes of memory, limits.max_memory is 500");
}

/* ---- parts ---- */

static void predefined_tables(void)
{
    unsigned field, i, k;
    taco__zstd_seq_predefined(&zstd);
    for (field = 0; field < 3; field++) {
        const taco__zstd_fse_cell *cell = zstd.cells + 3 * 512 + 64 * field;
        unsigned size = field == TACO__ZSTD_OF ? 32 : 64;
        for (i = 0; i < size; i++) { /* every state leads to states of the table only */
            for (k = 0; k < 1U << cell[i].bits; k++) {
                int to = (int)(i + k) + cell[i].next;
                CHECK(to >= 0 && to < (int)size);
            }
        }
    }
    /* the first and last rows of the tables that the format's appendix lists */
    CHECK(zstd.cells[1536].base == 0 && zstd.cells[1536].bits == 4 && zstd.cells[1536].next == 0);
    CHECK(zstd.cells[1536 + 63].base == 8192 && zstd.cells[1536 + 63].extra == 13 &&
          zstd.cells[1536 + 63].bits == 6);
    CHECK(zstd.cells[1600].base == 1 && zstd.cells[1600].bits == 5 &&
          zstd.cells[1600 + 31].extra == 24);
    CHECK(zstd.cells[1664].base == 3 && zstd.cells[1664].bits == 6 &&
          zstd.cells[1664 + 63].base == 1027);
}

/* Bits of a forward stream. */
typedef struct bit_writer {
    uint8_t b[200];
    size_t at;
} bit_writer;

static void put_bits(bit_writer *w, unsigned x, unsigned n)
{
    for (; n; n--, x >>= 1, w->at++) {
        w->b[w->at / 8] = (uint8_t)(w->b[w->at / 8] | (x & 1) << w->at % 8);
    }
}

/* §4.1.1: counts from -1 as numbers from 0, of no more bits than what is left needs; each count of 0
   is followed by how many more there are, 3 at a time. */
static void describe_counts(bit_writer *w, const int *n, unsigned count, unsigned log)
{
    unsigned left = 1U << log, s, width, spare, x, more;
    memset(w, 0, sizeof *w);
    put_bits(w, log - 5, 4);
    for (s = 0; s < count && left; s++) {
        for (width = 0; (left + 1) >> width; width++) {}
        spare = (1U << width) - 2 - left;
        x = (unsigned)(n[s] + 1);
        put_bits(w, x < spare || x < 1U << (width - 1) ? x : x + spare, width - (x < spare));
        left -= n[s] < 0 ? 1 : (unsigned)n[s];
        if (n[s] == 0) {
            for (more = 0; s + 1 < count && n[s + 1] == 0; s++) {
                more++;
            }
            for (; more >= 3; more -= 3) {
                put_bits(w, 3, 2);
            }
            put_bits(w, more, 2);
        }
    }
}

/* The number of the predefined state for values from `base` on. */
static unsigned state_of(unsigned field, uint32_t base)
{
    const taco__zstd_fse_cell *cell = zstd.cells + 3 * 512 + 64 * field;
    unsigned i;
    for (i = 0; i < 63 && cell[i].base != base; i++) {}
    CHECK(cell[i].base == base);
    return i;
}

/* The bits that lead from one predefined state to another. */
static void put_step(bit_writer *w, unsigned field, unsigned from, unsigned to)
{
    const taco__zstd_fse_cell *c = zstd.cells + 3 * 512 + 64 * field + from;
    put_bits(w, to - from - (unsigned)c->next, c->bits);
}

/* A sequence of more bits than a word has, with another one after it, of few. */
static void long_sequence(void)
{
    static uint8_t frame[64], want[1 << 20];

    enum { FIRST = 32768 + 5, MATCH = 65539 + 7, OFFSET = 131072 + 1000, LITERALS = FIRST + 5 };

    static const uint8_t before[] = {HEAD, BLOCK(0, 1, 131072), 'x', BLOCK(0, 1, 131072), 'y'};
    unsigned ll, of, ml, ll2, of2, ml2, size;
    uint8_t *p = frame + sizeof before;
    size_t n = 262144, i;
    bit_writer w;
    taco__zstd_seq_predefined(&zstd);
    ll = state_of(TACO__ZSTD_LL, 32768), ll2 = state_of(TACO__ZSTD_LL, 3);
    of = state_of(TACO__ZSTD_OF, 131072), of2 = state_of(TACO__ZSTD_OF, 4);
    ml = state_of(TACO__ZSTD_ML, 65539), ml2 = state_of(TACO__ZSTD_ML, 8);
    memset(&w, 0, sizeof w); /* what is read last comes first */
    put_bits(&w, 3, 2);      /* 4 + 3: offset 4 */
    put_step(&w, TACO__ZSTD_OF, of, of2);
    put_step(&w, TACO__ZSTD_ML, ml, ml2);
    put_step(&w, TACO__ZSTD_LL, ll, ll2);
    put_bits(&w, FIRST - 32768, 15);
    put_bits(&w, MATCH - 65539, 16);
    put_bits(&w, OFFSET + 3 - 131072, 17);
    put_bits(&w, ml, 6);
    put_bits(&w, of, 5);
    put_bits(&w, ll, 6);
    put_bits(&w, 1, 1);
    size = 6 + (unsigned)(w.at + 7) / 8;
    memcpy(frame, before, sizeof before);
    taco__put_le32(p, 1 | 2 << 1 | size << 3);
    taco__put_le32(p + 3, 1 | 3 << 2 | (uint32_t)LITERALS << 4); /* a literal, repeated */
    p[6] = 'z';
    p[7] = 2; /* sequences, of predefined tables */
    p[8] = 0;
    memcpy(p + 9, w.b, size - 6);
    memset(want, 'x', n);
    memset(want + 131072, 'y', 131072);
    memset(want + n, 'z', FIRST);
    n += FIRST;
    for (i = 0; i < MATCH; i++, n++) {
        want[n] = want[n - OFFSET];
    }
    memset(want + n, 'z', 3);
    n += 3;
    for (i = 0; i < 8; i++, n++) {
        want[n] = want[n - 4];
    }
    memset(want + n, 'z', 2);
    n += 2;
    CHECK(decode(frame, sizeof before + 3 + size, 1 << 20) == TACO_OK);
    CHECK_TEXT(err.text, "");
    CHECK(out.len == n && memcmp(out.data, want, n) == 0);
}

static void counts_of_tables(void)
{
    uint32_t seed = 1, round;
    int n[53];
    for (round = 0; round < 3000; round++) {
        unsigned log = 5 + round % 5, left = 1U << log, count = 0, i;
        taco__zstd_fse_counts c;
        bit_writer w;
        size_t len;
        while (left && count < 52) {
            seed = seed * 1664525U + 1013904223U;
            n[count] = seed >> 28 < 9 ? 0 : seed >> 28 == 9 ? -1 : (int)(seed >> 16 & 15);
            if (n[count] > (int)left || count == 51) { n[count] = (int)left; }
            left -= n[count] < 0 ? 1 : (unsigned)n[count];
            count++;
        }
        describe_counts(&w, n, count, log);
        len = (w.at + 7) / 8;
        CHECK(taco__zstd_fse_read_counts(&c, w.b, len, 53, 9) == len);
        CHECK(c.symbols == count && c.log == log);
        for (i = 0; i < count && c.n[i] == n[i]; i++) {}
        CHECK(i == count);
        CHECK(taco__zstd_fse_read_counts(&c, w.b, len, count, 9) == len);
        CHECK(taco__zstd_fse_read_counts(&c, w.b, len, count - 1, 9) == 0);
        CHECK(taco__zstd_fse_read_counts(&c, w.b, len - 1, 53, 9) == 0);
        CHECK(log == 5 || taco__zstd_fse_read_counts(&c, w.b, len, 53, log - 1) == 0);
    }
    { /* zeros beyond the last symbol */
        taco__zstd_fse_counts c;
        bit_writer w;
        memset(n, 0, sizeof n);
        describe_counts(&w, n, 53, 6);
        CHECK(taco__zstd_fse_read_counts(&c, w.b, sizeof w.b, 53, 9) == 0);
        CHECK(taco__zstd_fse_read_counts(&c, w.b, sizeof w.b, 20, 9) == 0);
    }
}

/* The three forms of the count of sequences, at their ends (§3.1.1.3.2.1). */
static void sequence_counts(void)
{
    static const struct {
        uint8_t bytes[3];
        size_t given, used;
        uint32_t n;
    } all[] = {{{0}, 1, 1, 0},
               {{127}, 1, 1, 127},
               {{128, 128}, 2, 2, 128},
               {{129, 0}, 2, 2, 256},
               {{254, 255}, 2, 2, 0x7EFF},
               {{255, 0, 0}, 3, 3, 0x7F00},
               {{255, 2, 1}, 3, 3, 0x8002},
               {{255, 255, 255}, 3, 3, 0x17EFF},
               {{0}, 0, 0, 0},
               {{128}, 1, 0, 0},
               {{255, 1}, 2, 0, 0}};

    size_t i;
    for (i = 0; i < sizeof all / sizeof *all; i++) {
        const uint8_t *at = all[i].bytes;
        uint32_t n = 0;
        CHECK(taco__zstd_decode_sequence_count(&at, at + all[i].given, &n) == (all[i].used != 0));
        CHECK((size_t)(at - all[i].bytes) == all[i].used && n == all[i].n);
    }
}

/* The tables of §3.1.1.3.2.1.1 and §3.1.1.3.2.2, as they are printed there: base/bits of each code,
   and the counts of the predefined tables. */
static void code_tables(void)
{
    static const char *const values[3] = {
        "0/0 1/0 2/0 3/0 4/0 5/0 6/0 7/0 8/0 9/0 10/0 11/0 12/0 13/0 14/0 15/0 16/1 18/1 20/1 22/1 "
        "24/2 28/2 32/3 40/3 48/4 64/6 128/7 256/8 512/9 1024/10 2048/11 4096/12 8192/13 16384/14 "
        "32768/15 65536/16 ",
        "1/0 2/1 4/2 8/3 16/4 32/5 64/6 128/7 256/8 512/9 1024/10 2048/11 4096/12 8192/13 16384/14 "
        "32768/15 65536/16 131072/17 262144/18 524288/19 1048576/20 2097152/21 4194304/22 "
        "8388608/23 16777216/24 33554432/25 67108864/26 134217728/27 268435456/28 536870912/29 "
        "1073741824/30 2147483648/31 ",
        "3/0 4/0 5/0 6/0 7/0 8/0 9/0 10/0 11/0 12/0 13/0 14/0 15/0 16/0 17/0 18/0 19/0 20/0 21/0 "
        "22/0 23/0 24/0 25/0 26/0 27/0 28/0 29/0 30/0 31/0 32/0 33/0 34/0 35/1 37/1 39/1 41/1 43/2 "
        "47/2 51/3 59/3 67/4 83/4 99/5 131/7 259/8 515/9 1027/10 2051/11 4099/12 8195/13 16387/14 "
        "32771/15 65539/16 "};
    static const char *const counts[3] = {
        "4 3 2 2 2 2 2 2 2 2 2 2 2 1 1 1 2 2 2 2 2 2 2 2 2 3 2 1 1 1 1 1 -1 -1 -1 -1 ",
        "1 1 1 1 1 1 2 2 2 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 -1 -1 -1 -1 -1 ",
        "1 4 3 2 2 2 2 2 2 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 "
        "1 "
        "-1 -1 -1 -1 -1 -1 -1 "};
    static const unsigned max_log[3] = {9, 8, 9}, log[3] = {6, 5, 6};
    unsigned field, i;
    for (field = 0; field < 3; field++) {
        const taco__zstd_codes *c = taco__zstd_codes_of(field);
        uint32_t base[53];
        uint8_t extra[53];
        char text[1000], *at = text;
        CHECK(c->max_log == max_log[field] && c->predefined_log == log[field]);
        taco__zstd_codes_values(field, base, extra);
        for (i = 0; i < c->count; i++) {
            at += snprintf(at, (size_t)(text + sizeof text - at), "%u/%u ", (unsigned)base[i],
                           (unsigned)extra[i]);
        }
        CHECK_TEXT(text, values[field]);
        for (i = 0, at = text; i < c->predefined_count; i++) {
            at += snprintf(at, (size_t)(text + sizeof text - at), "%d ", c->predefined[i]);
        }
        CHECK_TEXT(text, counts[field]);
    }
}

static void near_copies(void)
{
    uint8_t got[400], want[400];
    unsigned offset, n, i;
    for (offset = 1; offset < 16; offset++) {
        for (n = 3; n < 200; n++) {
            for (i = 0; i < sizeof got; i++) {
                got[i] = want[i] = (uint8_t)(i * 37 + 1);
            }
            taco__lz_copy_near(got + 20, offset, n);
            for (i = 0; i < n; i++) {
                want[20 + i] = want[20 + i - offset];
            }
            CHECK(memcmp(got, want, 20 + n) == 0);
            CHECK(memcmp(got + 20 + n + TACO__ZSTD_SLACK, want + 20 + n + TACO__ZSTD_SLACK, 100) ==
                  0);
        }
    }
}
#if TACO__X86
/* The loops that use the processor's extensions against the same loops without, on all blocks of a
   frame. */
static void twins_of_frame(const uint8_t *frame, size_t len)
{
    static uint8_t a[4000 + TACO__PAD], b[4000 + TACO__PAD];
    taco__zstd_decode_job j;
    bool last = false;
    decode(frame, 0, 0);
    memset(&j, 0, sizeof j);
    j.z = &zstd;
    j.begin = frame;
    j.at = frame + 4;
    j.end = frame + len;
    j.out = &out;
    j.limit = 4000;
    j.err = &err;
    CHECK(taco__zstd_decode_header(&j));
    zstd.repeat[0] = 1;
    zstd.repeat[1] = 4;
    zstd.repeat[2] = 8;
    while (!last) {
        const uint8_t *p = j.at + 3, *at;
        size_t size = (j.at[0] | (size_t)j.at[1] << 8) >> 3;
        taco__zstd_decode_literals_header l;
        taco__zstd_seq_block q, r;
        taco__zstd_huf4 h, g;
        uint32_t n = 0;
        unsigned k;
        CHECK(taco__zstd_decode_read_literals(&j, &l, p, size) && l.type == 2);
        CHECK(taco__zstd_decode_literals(&j, &l, zstd.literals));
        if (!l.one) {
            size_t tree = taco__zstd_huf_read(&zstd, l.data, l.packed);
            CHECK(taco__zstd_huf4_open(&h, zstd.huf, l.data + tree, l.packed - tree, a, l.size));
            CHECK(taco__zstd_huf4_open(&g, zstd.huf, l.data + tree, l.packed - tree, b, l.size));
            taco__zstd_huf4_plain(&h);
            taco__zstd_huf4_bmi2(&g);
            for (k = 0; k < 4; k++) {
                CHECK(h.to[k] - a == g.to[k] - b && h.b[k].pos == g.b[k].pos && h.b[k].pos < 150);
            }
        }
        at = l.data + l.packed;
        CHECK(taco__zstd_decode_sequence_count(&at, p + size, &n) && n > 0);
        CHECK(taco__zstd_decode_open_sequences(&j, &q, n, at, p + size));
        q.lit = zstd.literals;
        q.lit_end = zstd.literals + l.size;
        memcpy(a, out.len ? out.data : a, out.len);
        memcpy(b, out.len ? out.data : b, out.len);
        r = q;
        q.frame = a;
        r.frame = b;
        q.to = a + out.len;
        r.to = b + out.len;
        q.end = a + 4000;
        r.end = b + 4000;
        CHECK(taco__zstd_seq_run_plain(&q) == TACO__ZSTD_SEQ_OK &&
              taco__zstd_seq_run_bmi2(&r) == TACO__ZSTD_SEQ_OK);
        CHECK(q.to - a == r.to - b && q.lit == r.lit && memcmp(a, b, (size_t)(q.to - a)) == 0);
        CHECK(memcmp(q.repeat, r.repeat, sizeof q.repeat) == 0);
        CHECK(taco__zstd_decode_block(&j, &last));
        CHECK(memcmp(a, out.data, (size_t)(q.to - a)) == 0);
    }
}

static void twins(void)
{
    if (TACO__CPU_HAS("bmi2")) {
        twins_of_frame(frame_known, sizeof frame_known);
        twins_of_frame(frame_stream, sizeof frame_stream);
    } else {
        SKIP("no BMI2");
    }
}
#endif

int main(void)
{
    RUN(reference_frames);
    RUN(appends);
    RUN(cut_and_damaged);
    RUN(simple_blocks);
    RUN(huffman_blocks);
    RUN(sequence_blocks);
    RUN(repeated_offsets);
    RUN(frame_errors);
    RUN(limits);
    RUN(out_of_memory);
    RUN(predefined_tables);
    RUN(long_sequence);
    RUN(counts_of_tables);
    RUN(sequence_counts);
    RUN(code_tables);
    RUN(near_copies);
#if TACO__X86
    RUN(twins);
#endif
    free(out.data);
    return test_end("test_zstd");
}
