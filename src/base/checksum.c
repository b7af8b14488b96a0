/* checksum.c - CRC-32, XXH64, XXH32 and Adler-32

   CRC-32 (RFC 1952 §8, zlib's) protects pages, gzip and ZIP entries and is computed for every byte
   that is copied, so it has five kernels: tables of 16 rows in plain C; carry-less multiplication
   with 16 and with 32 bytes at a time on x86, and the CRC instructions of ARM, chosen at run time;
   and the caller's, if TACO_PARQUET_CRC32 names one. XXH64 is the hash of bloom filters, ZSTD
   frames and our own tables; XXH32 and Adler-32 (RFC 1950 §8.2) check LZ4 frames and zlib streams,
   and are kept simple. Start with taco__crc32 at the end of its part; "Fast CRC Computation Using
   PCLMULQDQ" (Intel, 2009) explains the folding. */
#include "base.h"
#include "simd.h"

/* ---- CRC-32 ---- */

#ifdef TACO_PARQUET_CRC32
TACO__FN uint32_t taco__crc32(uint32_t crc, const void *data, size_t len)
{
    return len ? TACO_PARQUET_CRC32(crc, data, len) : crc;
}
#else
#ifdef TACO_SMALL
/* The register without the complements, four bits at a time: the entries of the four lowest bits,
   as below. */
static uint32_t taco__crc32_plain(uint32_t crc, const uint8_t *p, size_t len)
{
    static const uint32_t row[16] = {0U,          0x1DB71064U, 0x3B6E20C8U, 0x26D930ACU,
                                     0x76DC4190U, 0x6B6B51F4U, 0x4DB26158U, 0x5005713CU,
                                     0xEDB88320U, 0xF00F9344U, 0xD6D6A3E8U, 0xCB61B38CU,
                                     0x9B64C2B0U, 0x86D3D2D4U, 0xA00AE278U, 0xBDBDF21CU};
    for (; len; len--) {
        crc ^= *p++;
        crc = crc >> 4 ^ row[crc & 15];
        crc = crc >> 4 ^ row[crc & 15];
    }
    return crc;
}
#else
/* A CRC is linear: the entry of n is the XOR of the entries of n's bits. So eight constants
   determine a table of 256, and these macros generate it: each halves the index by one more bit. */
#define TACO__CRC32_TABLE1(x, a)    (x), (x) ^ (a)
#define TACO__CRC32_TABLE2(x, a, b) TACO__CRC32_TABLE1(x, a), TACO__CRC32_TABLE1((x) ^ (b), a)
#define TACO__CRC32_TABLE3(x, a, b, c)                                                             \
    TACO__CRC32_TABLE2(x, a, b), TACO__CRC32_TABLE2((x) ^ (c), a, b)
#define TACO__CRC32_TABLE4(x, a, b, c, d)                                                          \
    TACO__CRC32_TABLE3(x, a, b, c), TACO__CRC32_TABLE3((x) ^ (d), a, b, c)
#define TACO__CRC32_TABLE5(x, a, b, c, d, e)                                                       \
    TACO__CRC32_TABLE4(x, a, b, c, d), TACO__CRC32_TABLE4((x) ^ (e), a, b, c, d)
#define TACO__CRC32_TABLE6(x, a, b, c, d, e, f)                                                    \
    TACO__CRC32_TABLE5(x, a, b, c, d, e), TACO__CRC32_TABLE5((x) ^ (f), a, b, c, d, e)
#define TACO__CRC32_TABLE7(x, a, b, c, d, e, f, g)                                                 \
    TACO__CRC32_TABLE6(x, a, b, c, d, e, f), TACO__CRC32_TABLE6((x) ^ (g), a, b, c, d, e, f)
#define TACO__CRC32_TABLE8(x, a, b, c, d, e, f, g, h)                                              \
    TACO__CRC32_TABLE7(x, a, b, c, d, e, f, g), TACO__CRC32_TABLE7((x) ^ (h), a, b, c, d, e, f, g)

/* Row k: the CRC of one byte with k zero bytes after it, for polynomial 0xEDB88320 (bit-reflected),
   without the complements before and after. 16 rows take a block of 16 bytes at once. Where there
   are products or instructions for all but short messages, four rows suffice; in WebAssembly they
   do not pay for being downloaded. */
#if TACO__X86 || TACO__ARM_CRC || defined(__wasm__)
#define TACO__CRC32_ROWS 4
#else
#define TACO__CRC32_ROWS 16
#endif
static const uint32_t taco__crc32_rows[TACO__CRC32_ROWS][256] = {
    {TACO__CRC32_TABLE8(0U, 0x77073096U, 0xEE0E612CU, 0x076DC419U, 0x0EDB8832U, 0x1DB71064U,
                        0x3B6E20C8U, 0x76DC4190U, 0xEDB88320U)},
    {TACO__CRC32_TABLE8(0U, 0x191B3141U, 0x32366282U, 0x646CC504U, 0xC8D98A08U, 0x4AC21251U,
                        0x958424A2U, 0xF0794F05U, 0x3B83984BU)},
    {TACO__CRC32_TABLE8(0U, 0x01C26A37U, 0x0384D46EU, 0x0709A8DCU, 0x0E1351B8U, 0x1C26A370U,
                        0x384D46E0U, 0x709A8DC0U, 0xE1351B80U)},
    {TACO__CRC32_TABLE8(0U, 0xB8BC6765U, 0xAA09C88BU, 0x8F629757U, 0xC5B428EFU, 0x5019579FU,
                        0xA032AF3EU, 0x9B14583DU, 0xED59B63BU)},
#if TACO__CRC32_ROWS == 16
    {TACO__CRC32_TABLE8(0U, 0x3D6029B0U, 0x7AC05360U, 0xF580A6C0U, 0x30704BC1U, 0x60E09782U,
                        0xC1C12F04U, 0x58F35849U, 0xB1E6B092U)},
    {TACO__CRC32_TABLE8(0U, 0xCB5CD3A5U, 0x4DC8A10BU, 0x9B914216U, 0xEC53826DU, 0x03D6029BU,
                        0x07AC0536U, 0x0F580A6CU, 0x1EB014D8U)},
    {TACO__CRC32_TABLE8(0U, 0xA6770BB4U, 0x979F1129U, 0xF44F2413U, 0x33EF4E67U, 0x67DE9CCEU,
                        0xCFBD399CU, 0x440B7579U, 0x8816EAF2U)},
    {TACO__CRC32_TABLE8(0U, 0xCCAA009EU, 0x4225077DU, 0x844A0EFAU, 0xD3E51BB5U, 0x7CBB312BU,
                        0xF9766256U, 0x299DC2EDU, 0x533B85DAU)},
    {TACO__CRC32_TABLE8(0U, 0x177B1443U, 0x2EF62886U, 0x5DEC510CU, 0xBBD8A218U, 0xACC04271U,
                        0x82F182A3U, 0xDE920307U, 0x6655004FU)},
    {TACO__CRC32_TABLE8(0U, 0xEFC26B3EU, 0x04F5D03DU, 0x09EBA07AU, 0x13D740F4U, 0x27AE81E8U,
                        0x4F5D03D0U, 0x9EBA07A0U, 0xE6050901U)},
    {TACO__CRC32_TABLE8(0U, 0xC18EDFC0U, 0x586CB9C1U, 0xB0D97382U, 0xBAC3E145U, 0xAEF6C4CBU,
                        0x869C8FD7U, 0xD64819EFU, 0x77E1359FU)},
    {TACO__CRC32_TABLE8(0U, 0x9BA54C6FU, 0xEC3B9E9FU, 0x03063B7FU, 0x060C76FEU, 0x0C18EDFCU,
                        0x1831DBF8U, 0x3063B7F0U, 0x60C76FE0U)},
    {TACO__CRC32_TABLE8(0U, 0xDD96D985U, 0x605CB54BU, 0xC0B96A96U, 0x5A03D36DU, 0xB407A6DAU,
                        0xB37E4BF5U, 0xBD8D91ABU, 0xA06A2517U)},
    {TACO__CRC32_TABLE8(0U, 0x9D0FE176U, 0xE16EC4ADU, 0x19AC8F1BU, 0x33591E36U, 0x66B23C6CU,
                        0xCD6478D8U, 0x41B9F7F1U, 0x8373EFE2U)},
    {TACO__CRC32_TABLE8(0U, 0xB9FBDBE8U, 0xA886B191U, 0x8A7C6563U, 0xCF89CC87U, 0x44629F4FU,
                        0x88C53E9EU, 0xCAFB7B7DU, 0x4E87F0BBU)},
    {TACO__CRC32_TABLE8(0U, 0xAE689191U, 0x87A02563U, 0xD4314C87U, 0x73139F4FU, 0xE6273E9EU,
                        0x173F7B7DU, 0x2E7EF6FAU, 0x5CFDEDF4U)},
#endif
};

/* The contribution of four bytes of a block of 16; row is the number of bytes after them in the
   block. */
TACO__INLINE uint32_t taco__crc32_word(uint32_t x, size_t row)
{
    return taco__crc32_rows[row + 3][x & 255] ^ taco__crc32_rows[row + 2][(x >> 8) & 255] ^
           taco__crc32_rows[row + 1][(x >> 16) & 255] ^ taco__crc32_rows[row][x >> 24];
}

/* The register without the complements. Only a block's first word depends on the previous block, so
   the look-ups for the other three can run ahead. */
static uint32_t taco__crc32_plain(uint32_t crc, const uint8_t *p, size_t len)
{
#if TACO__CRC32_ROWS == 16
    for (; len >= 16; p += 16, len -= 16) {
        uint32_t rest = taco__crc32_word(taco__load_le32(p + 4), 8) ^
                        taco__crc32_word(taco__load_le32(p + 8), 4) ^
                        taco__crc32_word(taco__load_le32(p + 12), 0);
        crc = taco__crc32_word(crc ^ taco__load_le32(p), 12) ^ rest;
    }
#endif
    for (; len >= 4; p += 4, len -= 4) {
        crc = taco__crc32_word(crc ^ taco__load_le32(p), 0);
    }
    for (; len; p++, len--) {
        crc = (crc >> 8) ^ taco__crc32_rows[0][(crc ^ *p) & 255];
    }
    return crc;
}
#endif

#if TACO__X86
/* Moves 16 bytes x forward by the distance that k encodes, and adds the bytes there. Moving a
   polynomial by n bits is multiplying it by X^n, and modulo P so is multiplying its first half by
   X^(n + 32) mod P and its second by X^(n - 32) mod P. Those have 32 bits, the products less than
   128: they add up to 16 bytes of the same CRC, and no reduction is needed on the way. In k they
   are bit-reflected, and shifted by one as the product of reflected numbers comes out one bit
   short. */
TACO__INLINE TACO__TARGET("sse2,pclmul") __m128i
    taco__crc32_fold(__m128i x, __m128i k, __m128i next)
{
    return _mm_xor_si128(
        _mm_xor_si128(_mm_clmulepi64_si128(x, k, 0x00), _mm_clmulepi64_si128(x, k, 0x11)), next);
}

TACO__INLINE TACO__TARGET("sse2,pclmul") __m128i taco__crc32_load(const uint8_t *p)
{
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}

/* What the register makes of the `odd` bytes (0 to 15) by which a message is longer than a multiple
   of 16, and of the 16 after them: zeros before a message change nothing, so those fill the first
   16. */
TACO__INLINE TACO__TARGET("sse2,pclmul") __m128i
    taco__crc32_begin(uint32_t crc, const uint8_t *p, size_t odd)
{
    const __m128i step = _mm_set_epi32(0, (int)0xCCAA009EU, 1, 0x751997D0); /* by 16 bytes */
    uint8_t b[32];
    if (!odd) { return _mm_xor_si128(taco__crc32_load(p), _mm_cvtsi32_si128((int)crc)); }
    memset(b, 0, 16);
    memcpy(b + 16 - odd, p, odd);
    memcpy(b + 16, p + odd, 16);
    taco__put_le32(b + 16 - odd, taco__load_le32(b + 16 - odd) ^ crc);
    return taco__crc32_fold(taco__crc32_load(b), step, taco__crc32_load(b + 16));
}

/* The CRC of 16 bytes: the first eight are folded onto the others, then four of those onto the rest
   with zero bits for the CRC appended. The eight bytes that are left are divided by Barrett's
   method: times floor(X^64 / P) they give the quotient, and that times P is the difference from the
   remainder. No tables, which may not be in the cache. */
TACO__INLINE TACO__TARGET("sse2,pclmul") uint32_t taco__crc32_reduce(__m128i x)
{
    const __m128i low = _mm_set_epi32(0, -1, 0, -1);
    const __m128i fold = _mm_set_epi32(1, 0x63CD6124, 0, (int)0xCCAA009EU); /* by 8 bytes, 4 */
    const __m128i divide = _mm_set_epi32(1, (int)0xF7011641U, 1, (int)0xDB710641U);
    __m128i y;
    x = _mm_xor_si128(_mm_clmulepi64_si128(x, fold, 0x00), _mm_srli_si128(x, 8));
    y = _mm_clmulepi64_si128(_mm_and_si128(x, low), fold, 0x10);
    x = _mm_xor_si128(y, _mm_srli_si128(x, 4));
    y = _mm_clmulepi64_si128(_mm_and_si128(x, low), divide, 0x10);
    y = _mm_clmulepi64_si128(_mm_and_si128(y, low), divide, 0x00);
    return (uint32_t)_mm_cvtsi128_si32(_mm_srli_si128(_mm_xor_si128(x, y), 4));
}

/* The CRC of eight accumulators of 16 bytes and fewer than 128 bytes after them, a multiple of 16:
   half of the accumulators are folded into the other half, and then as many bytes as fill that
   half, until there is one. */
TACO__INLINE TACO__TARGET("sse2,pclmul") uint32_t
    taco__crc32_finish(__m128i v[8], const uint8_t *p, size_t len)
{
    const __m128i by[3] = {_mm_set_epi32(0, (int)0xCCAA009EU, 1, 0x751997D0),  /* by 16 bytes */
                           _mm_set_epi32(1, 0x5A546366, 0, (int)0xF1DA05AAU),  /* by 32 */
                           _mm_set_epi32(1, (int)0xC6E41596U, 1, 0x54442BD4)}; /* by 64 */
    size_t half, i;
    unsigned k = 3;
    for (half = 4; half; half /= 2) {
        __m128i step = by[--k];
        for (i = 0; i < half; i++) {
            v[i] = taco__crc32_fold(v[i], step, v[half + i]);
        }
        if (len >= 16 * half) {
            for (i = 0; i < half; i++) {
                v[i] = taco__crc32_fold(v[i], step, taco__crc32_load(p + 16 * i));
            }
            p += 16 * half;
            len -= 16 * half;
        }
    }
    return taco__crc32_reduce(v[0]);
}

/* Eight accumulators hide the latency of the carry-less product. len >= 144. */
static TACO__TARGET("sse2,pclmul") uint32_t
    taco__crc32_clmul(uint32_t crc, const uint8_t *p, size_t len)
{
    const __m128i wide = _mm_set_epi32(1, 0x4A7FE880, 1, (int)0xE88EF372U); /* by 128 bytes */
    __m128i v[8];
    unsigned i;
    v[0] = taco__crc32_begin(crc, p, len % 16);
    p += len % 16;
    len -= len % 16;
    for (i = 1; i < 8; i++) {
        v[i] = taco__crc32_load(p + 16 * i);
    }
    for (p += 128, len -= 128; len >= 128; p += 128, len -= 128) {
        v[0] = taco__crc32_fold(v[0], wide, taco__crc32_load(p));
        v[1] = taco__crc32_fold(v[1], wide, taco__crc32_load(p + 16));
        v[2] = taco__crc32_fold(v[2], wide, taco__crc32_load(p + 32));
        v[3] = taco__crc32_fold(v[3], wide, taco__crc32_load(p + 48));
        v[4] = taco__crc32_fold(v[4], wide, taco__crc32_load(p + 64));
        v[5] = taco__crc32_fold(v[5], wide, taco__crc32_load(p + 80));
        v[6] = taco__crc32_fold(v[6], wide, taco__crc32_load(p + 96));
        v[7] = taco__crc32_fold(v[7], wide, taco__crc32_load(p + 112));
    }
    return taco__crc32_finish(v, p, len);
}
#endif

#if TACO__X86_CLMUL2
TACO__INLINE TACO__TARGET("avx2,pclmul,vpclmulqdq") __m256i
    taco__crc32_fold2(__m256i x, __m256i k, __m256i next)
{
    return _mm256_xor_si256(_mm256_xor_si256(_mm256_clmulepi64_epi128(x, k, 0x00),
                                             _mm256_clmulepi64_epi128(x, k, 0x11)),
                            next);
}

TACO__INLINE TACO__TARGET("avx2") __m256i taco__crc32_load2(const uint8_t *p)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

/* The same with eight accumulators of 32 bytes. len >= 272. */
static TACO__TARGET("avx2,pclmul,vpclmulqdq") uint32_t
    taco__crc32_clmul2(uint32_t crc, const uint8_t *p, size_t len)
{
    const __m256i wide =
        _mm256_setr_epi32(0x1542778A, 1, 0x322D1430, 1, 0x1542778A, 1, 0x322D1430, 1);
    const __m256i half =
        _mm256_setr_epi32((int)0xE88EF372U, 1, 0x4A7FE880, 1, (int)0xE88EF372U, 1, 0x4A7FE880, 1);
    __m256i v[8];
    __m128i end[8];
    unsigned i;
    end[0] = taco__crc32_begin(crc, p, len % 16);
    p += len % 16;
    len -= len % 16;
    for (i = 0; i < 8; i++) {
        v[i] = taco__crc32_load2(p + 32 * i);
    }
    v[0] = _mm256_inserti128_si256(v[0], end[0], 0);
    for (p += 256, len -= 256; len >= 256; p += 256, len -= 256) {
        v[0] = taco__crc32_fold2(v[0], wide, taco__crc32_load2(p));
        v[1] = taco__crc32_fold2(v[1], wide, taco__crc32_load2(p + 32));
        v[2] = taco__crc32_fold2(v[2], wide, taco__crc32_load2(p + 64));
        v[3] = taco__crc32_fold2(v[3], wide, taco__crc32_load2(p + 96));
        v[4] = taco__crc32_fold2(v[4], wide, taco__crc32_load2(p + 128));
        v[5] = taco__crc32_fold2(v[5], wide, taco__crc32_load2(p + 160));
        v[6] = taco__crc32_fold2(v[6], wide, taco__crc32_load2(p + 192));
        v[7] = taco__crc32_fold2(v[7], wide, taco__crc32_load2(p + 224));
    }
    for (i = 0; i < 4; i++) {
        v[i] = taco__crc32_fold2(v[i], half, v[4 + i]);
    }
    if (len >= 128) {
        for (i = 0; i < 4; i++) {
            v[i] = taco__crc32_fold2(v[i], half, taco__crc32_load2(p + 32 * i));
        }
        p += 128;
        len -= 128;
    }
    for (i = 0; i < 4; i++) {
        end[2 * i] = _mm256_castsi256_si128(v[i]);
        end[2 * i + 1] = _mm256_extracti128_si256(v[i], 1);
    }
    return taco__crc32_finish(end, p, len);
}
#endif

#if TACO__ARM_CRC
static TACO__TARGET_CRC uint32_t taco__crc32_arm(uint32_t crc, const uint8_t *p, size_t len)
{
    for (; len >= 8; p += 8, len -= 8) {
        crc = TACO__ARM_CRC_WORD(crc, taco__load_le64(p));
    }
    for (; len; p++, len--) {
        crc = TACO__ARM_CRC_BYTE(crc, *p);
    }
    return crc;
}
#endif

/* Same as zlib's crc32: begins with 0, and is continued by passing the last result. data may be
   NULL if len is 0. */
TACO__FN uint32_t taco__crc32(uint32_t crc, const void *data, size_t len)
{
    const uint8_t *p = (const uint8_t *)data;
#if TACO__X86_CLMUL2
    if (len >= 272 && TACO__CPU_HAS("avx2") && TACO__CPU_HAS("pclmul") &&
        TACO__CPU_HAS("vpclmulqdq")) {
        return ~taco__crc32_clmul2(~crc, p, len);
    }
#endif
#if TACO__X86
    if (len >= 144 && TACO__CPU_HAS("pclmul")) { return ~taco__crc32_clmul(~crc, p, len); }
#endif
#if TACO__ARM_CRC
    if (taco__plat_has_crc()) { return ~taco__crc32_arm(~crc, p, len); }
#endif
    return ~taco__crc32_plain(~crc, p, len);
}
#endif

/* ---- XXH64, xxHash specification ---- */

#define TACO__XXH64_PRIME2 UINT64_C(0xC2B2AE3D27D4EB4F)
#define TACO__XXH64_PRIME3 UINT64_C(0x165667B19E3779F9)
#define TACO__XXH64_PRIME4 UINT64_C(0x85EBCA77C2B2AE63)
#define TACO__XXH64_PRIME5 UINT64_C(0x27D4EB2F165667C5)

TACO__INLINE uint64_t taco__xxh64_rotate(uint64_t x, unsigned n)
{
    return (x << n) | (x >> (64 - n));
}

TACO__INLINE uint64_t taco__xxh64_round(uint64_t acc, uint64_t x)
{
    return taco__xxh64_rotate(acc + x * TACO__XXH64_PRIME2, 31) * TACO__XXH64_PRIME1;
}

/* Hashes the whole blocks of 32 bytes among len bytes; returns where they end. */
static const uint8_t *taco__xxh64_blocks(taco__xxh64 *h, const uint8_t *p, size_t len)
{
#ifdef TACO_SMALL
    size_t i;
    for (len &= ~(size_t)31, i = 0; i < len; i += 8, p += 8) {
        uint64_t *acc = &h->acc[i / 8 % 4];
        *acc = taco__xxh64_round(*acc, taco__load_le64(p));
    }
#else
    uint64_t a = h->acc[0], b = h->acc[1], c = h->acc[2], d = h->acc[3];
    for (; len >= 32; p += 32, len -= 32) {
        a = taco__xxh64_round(a, taco__load_le64(p));
        b = taco__xxh64_round(b, taco__load_le64(p + 8));
        c = taco__xxh64_round(c, taco__load_le64(p + 16));
        d = taco__xxh64_round(d, taco__load_le64(p + 24));
    }
    h->acc[0] = a;
    h->acc[1] = b;
    h->acc[2] = c;
    h->acc[3] = d;
#endif
    return p;
}

/* Begins a hash. */
TACO__FN void taco__xxh64_init(taco__xxh64 *h, uint64_t seed)
{
    memset(h, 0, sizeof *h);
    h->seed = seed;
    h->acc[0] = seed + TACO__XXH64_PRIME1 + TACO__XXH64_PRIME2;
    h->acc[1] = seed + TACO__XXH64_PRIME2;
    h->acc[2] = seed;
    h->acc[3] = seed - TACO__XXH64_PRIME1;
}

/* Adds len bytes; an incomplete block is kept in h->block. */
TACO__FN void taco__xxh64_update(taco__xxh64 *h, const void *data, size_t len)
{
    const uint8_t *p = (const uint8_t *)data, *end;
    size_t waiting = (size_t)(h->total & 31), n;
    if (len == 0) { return; }
    h->total += len;
    if (waiting) {
        n = TACO__MIN(len, 32 - waiting);
        memcpy(h->block + waiting, p, n);
        p += n;
        len -= n;
        if (waiting + n < 32) { return; }
        taco__xxh64_blocks(h, h->block, 32);
    }
    end = p + len;
    p = taco__xxh64_blocks(h, p, len);
    memcpy(h->block, p, (size_t)(end - p));
}

/* The hash of everything added so far; more may be added afterwards. */
TACO__FN uint64_t taco__xxh64_digest(const taco__xxh64 *h)
{
    const uint8_t *p = h->block;
    size_t i, left = (size_t)(h->total & 31);
    uint64_t x = h->seed + TACO__XXH64_PRIME5;
    if (h->total >= 32) {
        x = taco__xxh64_rotate(h->acc[0], 1) + taco__xxh64_rotate(h->acc[1], 7) +
            taco__xxh64_rotate(h->acc[2], 12) + taco__xxh64_rotate(h->acc[3], 18);
        for (i = 0; i < 4; i++) {
            x = (x ^ taco__xxh64_round(0, h->acc[i])) * TACO__XXH64_PRIME1 + TACO__XXH64_PRIME4;
        }
    }
    x += h->total;
    for (; left >= 8; p += 8, left -= 8) {
        x = taco__xxh64_rotate(x ^ taco__xxh64_round(0, taco__load_le64(p)), 27) *
                TACO__XXH64_PRIME1 +
            TACO__XXH64_PRIME4;
    }
    if (left >= 4) {
        x = taco__xxh64_rotate(x ^ taco__load_le32(p) * TACO__XXH64_PRIME1, 23) *
                TACO__XXH64_PRIME2 +
            TACO__XXH64_PRIME3;
        p += 4;
        left -= 4;
    }
    for (; left; p++, left--) {
        x = taco__xxh64_rotate(x ^ *p * TACO__XXH64_PRIME5, 11) * TACO__XXH64_PRIME1;
    }
    /* every bit of the input acts on every bit of the result */
    x = (x ^ (x >> 33)) * TACO__XXH64_PRIME2;
    x = (x ^ (x >> 29)) * TACO__XXH64_PRIME3;
    return x ^ (x >> 32);
}

/* The hash of contiguous bytes. */
TACO__FN uint64_t taco__xxh64_hash(uint64_t seed, const void *data, size_t len)
{
    taco__xxh64 h;
    taco__xxh64_init(&h, seed);
    taco__xxh64_update(&h, data, len);
    return taco__xxh64_digest(&h);
}

/* ---- XXH32 and Adler-32 ---- */

/* The checksum of LZ4 frames: xxHash32 with seed 0. */
TACO__FN uint32_t taco__xxh32(const uint8_t *p, size_t len)
{
    static const uint32_t prime[5] = {2654435761U, 2246822519U, 3266489917U, 668265263U,
                                      374761393U};
    const uint8_t *end = p + len;
    uint32_t h = prime[4], v[4];
    unsigned i;
    if (len >= 16) {
        v[0] = prime[0] + prime[1];
        v[1] = prime[1];
        v[2] = 0;
        v[3] = 0U - prime[0];
        for (; end - p >= 16; p += 16) {
            for (i = 0; i < 4; i++) {
                v[i] += taco__load_le32(p + 4 * i) * prime[1];
                v[i] = (v[i] << 13 | v[i] >> 19) * prime[0];
            }
        }
        h = (v[0] << 1 | v[0] >> 31) + (v[1] << 7 | v[1] >> 25) + (v[2] << 12 | v[2] >> 20) +
            (v[3] << 18 | v[3] >> 14);
    }
    h += (uint32_t)len;
    for (; end - p >= 4; p += 4) {
        h += taco__load_le32(p) * prime[2];
        h = (h << 17 | h >> 15) * prime[3];
    }
    for (; p < end; p++) {
        h += *p * prime[4];
        h = (h << 11 | h >> 21) * prime[0];
    }
    h = (h ^ h >> 15) * prime[1];
    h = (h ^ h >> 13) * prime[2];
    return h ^ h >> 16;
}

#ifdef TACO_SMALL
/* RFC 1950 §8.2: a is 1 plus all bytes, b the sum of all values of a, both modulo 65521. */
TACO__FN uint32_t taco__adler32(const uint8_t *p, size_t len)
{
    uint32_t a = 1, b = 0;
    for (; len; len--) {
        a = (a + *p++) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}
#else
/* The sum of four 16-bit lanes. */
TACO__INLINE uint32_t taco__adler32_sum16(uint64_t x)
{
    x = (x & 0x0000FFFF0000FFFFU) + (x >> 16 & 0x0000FFFF0000FFFFU);
    return (uint32_t)x + (uint32_t)(x >> 32);
}

/* n <= 23 groups of 8 bytes, in lanes of 16 bits. even and odd add up the bytes at even and odd
   places; even_before and odd_before add up what was in these before each group, which counts a
   byte once for every group after its own: 255 * (22 + 21 + ... + 1) still fits 16 bits, one more
   would not. */
TACO__INLINE void taco__adler32_groups(const uint8_t *p, size_t n, uint64_t *a, uint64_t *b)
{
    const uint64_t low = 0x00FF00FF00FF00FFU;
    uint64_t even = 0, odd = 0, even_before = 0, odd_before = 0, x, places;
    unsigned i;
    *b += *a * 8 * n;
    for (; n; n--, p += 8) {
        x = taco__load_le64(p);
        even_before += even;
        odd_before += odd;
        even += x & low;
        odd += x >> 8 & low;
    }
    places = 8 * ((uint64_t)taco__adler32_sum16(even_before) + taco__adler32_sum16(odd_before));
    for (i = 0; i < 4; i++) { /* within a group the first byte counts 8 times, the last once */
        places +=
            (even >> (16 * i) & 0xFFFF) * (8 - 2 * i) + (odd >> (16 * i) & 0xFFFF) * (7 - 2 * i);
    }
    *a += taco__adler32_sum16(even) + taco__adler32_sum16(odd);
    *b += places;
}

/* RFC 1950 §8.2: a is 1 plus all bytes, b the sum of all values of a, both modulo 65521. The
   remainders are taken rarely, as 64 bits have room. */
TACO__FN uint32_t taco__adler32(const uint8_t *p, size_t len)
{
    uint64_t a = 1, b = 0;
    size_t n;
    for (; len >= 8; p += 8 * n, len -= 8 * n) {
        n = TACO__MIN(len / 8, (size_t)23);
        taco__adler32_groups(p, n, &a, &b);
        if (b >> 48) { /* long before either could overflow */
            a %= 65521;
            b %= 65521;
        }
    }
    for (; len; len--) {
        a += *p++;
        b += a;
    }
    return (uint32_t)(b % 65521) << 16 | (uint32_t)(a % 65521);
}
#endif
