/* CRC-32 and XXH64: published values, a slow reference of each, every length and alignment, pieces.
   */
#include "cpu.h"

#include "test.h"
#include "../src/base/checksum.c"
#include "../taco_parquet.h"
#include "../extra/taco_parquet_write.h"

static uint8_t bytes[5000];

static void fill(void)
{
    uint32_t x = 1;
    size_t i;
    for (i = 0; i < sizeof bytes; i++) {
        x = x * 1664525U + 1013904223U;
        bytes[i] = (uint8_t)(x >> 24);
    }
}

static uint32_t slow_crc(uint32_t crc, const uint8_t *p, size_t len)
{
    size_t i, k;
    crc = ~crc;
    for (i = 0; i < len; i++) {
        crc ^= p[i];
        for (k = 0; k < 8; k++) {
            crc = crc & 1 ? (crc >> 1) ^ 0xEDB88320U : crc >> 1;
        }
    }
    return ~crc;
}

static void crc_known(void)
{
    CHECK(taco__crc32(0, NULL, 0) == 0);
    CHECK(taco__crc32(0, "a", 1) == 0xE8B7BE43U);
    CHECK(taco__crc32(0, "123456789", 9) == 0xCBF43926U);
    CHECK(taco__crc32(0, "The quick brown fox jumps over the lazy dog", 43) == 0x414FA339U);
}

/* Lengths at the ends of what is taken 16, 4 and 1 bytes at a time. */
static void xxh32_known(void)
{
    static const char text[] = "The quick brown fox jumps over the lazy dog";

    static const struct {
        size_t len;
        uint32_t hash;
    } known[] = {{0, 0x02CC5D05U},  {1, 0x4DDBE970U},  {3, 0xD4CDE830U},  {4, 0x04BE4380U},
                 {5, 0xFF35501BU},  {7, 0x1D20C5B6U},  {8, 0xE5B3F5B3U},  {15, 0x6D1332F9U},
                 {16, 0xD4FAAFB1U}, {17, 0xF5E047E8U}, {19, 0xAA69EEFEU}, {20, 0x7D7DAB09U},
                 {31, 0xBABF72E1U}, {32, 0x88C3B301U}, {36, 0xD9A6D483U}, {39, 0xB365ED14U},
                 {43, 0xE85EA4DEU}};

    size_t i;
    for (i = 0; i < sizeof known / sizeof known[0]; i++) {
        CHECK(taco__xxh32((const uint8_t *)text, known[i].len) == known[i].hash);
    }
}

static void crc_twins(void)
{
    size_t len, shift;
    for (len = 0; len <= 700; len++) {
        for (shift = 0; shift < 17; shift++) {
            uint32_t want = slow_crc(7, bytes + shift, len);
            CHECK(taco__crc32(7, bytes + shift, len) == want);
            CHECK(~taco__crc32_plain(~7U, bytes + shift, len) == want);
        }
    }
#if TACO__X86
    if (TACO__CPU_HAS("pclmul")) {
        for (len = 144; len <= 4900; len++) {
            CHECK(taco__crc32_clmul(99, bytes + len % 61, len) ==
                  taco__crc32_plain(99, bytes + len % 61, len));
        }
    }
#endif
#if TACO__X86_CLMUL2
    if (TACO__CPU_HAS("avx2") && TACO__CPU_HAS("pclmul") && TACO__CPU_HAS("vpclmulqdq")) {
        for (len = 272; len <= 4900; len++) {
            CHECK(taco__crc32_clmul2(99, bytes + len % 61, len) ==
                  taco__crc32_plain(99, bytes + len % 61, len));
        }
    } else {
        printf("SKIPPED carry-less products of two pairs: this processor has none\n");
    }
#endif
#if TACO__ARM_CRC
    if (taco__plat_has_crc()) {
        for (len = 0; len <= 4900; len++) {
            CHECK(taco__crc32_arm(99, bytes + len % 61, len) ==
                  taco__crc32_plain(99, bytes + len % 61, len));
        }
    } else {
        printf("SKIPPED CRC instructions: this processor has none\n");
    }
#endif
}

static void crc_chain(void)
{
    uint32_t whole = taco__crc32(0, bytes, sizeof bytes);
    size_t cut;
    for (cut = 0; cut <= sizeof bytes; cut += 97) {
        uint32_t first = taco__crc32(0, bytes, cut);
        CHECK(taco__crc32(first, bytes + cut, sizeof bytes - cut) == whole);
    }
    CHECK(whole == slow_crc(0, bytes, sizeof bytes));
}

static void xxh_known(void)
{
    CHECK(taco__xxh64_hash(0, NULL, 0) == UINT64_C(0xEF46DB3751D8E999));
    CHECK(taco__xxh64_hash(0, "a", 1) == UINT64_C(0xD24EC4F1A98C6E5B));
    CHECK(taco__xxh64_hash(0, "abc", 3) == UINT64_C(0x44BC2CF5AD770999));
    CHECK(taco__xxh64_hash(0, "message digest", 14) == UINT64_C(0x066ED728FCEEB3BE));
    CHECK(taco__xxh64_hash(0, "abcdefghijklmnopqrstuvwxyz", 26) == UINT64_C(0xCFE1F278FA89835C));
    CHECK(taco__xxh64_hash(
              0, "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
              80) == UINT64_C(0xE04A477F19EE145D));
    CHECK(taco__xxh64_hash(1, "", 0) != taco__xxh64_hash(0, "", 0));
}

static void xxh_pieces(void)
{
    size_t len, piece;
    for (len = 0; len <= 300; len++) {
        uint64_t want = taco__xxh64_hash(5, bytes, len);
        for (piece = 1; piece <= 70; piece += 3) {
            taco__xxh64 h;
            size_t at;
            taco__xxh64_init(&h, 5);
            for (at = 0; at < len; at += piece) {
                taco__xxh64_update(&h, bytes + at, TACO__MIN(piece, len - at));
            }
            CHECK(taco__xxh64_digest(&h) == want);
            CHECK(taco__xxh64_digest(&h) == want); /* asking changes nothing */
        }
    }
}

static void xxh_alignment(void)
{
    uint8_t copy[200 + 8];
    size_t shift;
    for (shift = 0; shift < 8; shift++) {
        memcpy(copy + shift, bytes, 200);
        CHECK(taco__xxh64_hash(0, copy + shift, 200) == taco__xxh64_hash(0, bytes, 200));
    }
}

int main(void)
{
    static const char *const extensions[] = {"avx2", "pclmul", "vpclmulqdq"};
    size_t i;
    fill();
    RUN(crc_known);
    RUN(crc_twins);
    RUN(crc_chain);
    RUN(xxh32_known);
    RUN(xxh_known);
    RUN(xxh_pieces);
    RUN(xxh_alignment);
    for (i = 0; i < TACO__COUNT(extensions); i++) {
        cpu_lacks = extensions[i];
        RUN(crc_known);
        RUN(crc_twins);
        RUN(crc_chain);
    }
    return test_end("test_hash");
}
