/* sha256.c - SHA-256, for SQL and for the digests of files in Croissant. Spec: FIPS 180-4

   In: bytes, in pieces of any length; out: 64 hexadecimal digits. Names are those of the
   standard if it has any: h the hash so far, w the schedule of a block, k the constants. */
#include "sha256.h"

/* ROTR. */
TACO__INLINE uint32_t taco__sha256_rotate(uint32_t x, unsigned n)
{
    return x >> n | x << (32 - n);
}

TACO__FN void taco__sha256_init(taco__sha256 *s)
{
    static const uint32_t first[8] = {0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A,
                                      0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19};
    memset(s, 0, sizeof *s);
    memcpy(s->h, first, sizeof first);
}

static const uint32_t taco__sha256_k[64] = {
    0x428A2F98, 0x71374491, 0xB5C0FBCF, 0xE9B5DBA5, 0x3956C25B, 0x59F111F1, 0x923F82A4, 0xAB1C5ED5,
    0xD807AA98, 0x12835B01, 0x243185BE, 0x550C7DC3, 0x72BE5D74, 0x80DEB1FE, 0x9BDC06A7, 0xC19BF174,
    0xE49B69C1, 0xEFBE4786, 0x0FC19DC6, 0x240CA1CC, 0x2DE92C6F, 0x4A7484AA, 0x5CB0A9DC, 0x76F988DA,
    0x983E5152, 0xA831C66D, 0xB00327C8, 0xBF597FC7, 0xC6E00BF3, 0xD5A79147, 0x06CA6351, 0x14292967,
    0x27B70A85, 0x2E1B2138, 0x4D2C6DFC, 0x53380D13, 0x650A7354, 0x766A0ABB, 0x81C2C92E, 0x92722C85,
    0xA2BFE8A1, 0xA81A664B, 0xC24B8B70, 0xC76C51A3, 0xD192E819, 0xD6990624, 0xF40E3585, 0x106AA070,
    0x19A4C116, 0x1E376C08, 0x2748774C, 0x34B0BCB5, 0x391C0CB3, 0x4ED8AA4A, 0x5B9CCA4F, 0x682E6FF3,
    0x748F82EE, 0x78A5636F, 0x84C87814, 0x8CC70208, 0x90BEFFFA, 0xA4506CEB, 0xBEF9A3F7, 0xC67178F2};

/* Expands the 16 words of a block to the schedule of 64. */
static void taco__sha256_schedule(uint32_t w[64], const uint8_t *p)
{
    unsigned i;
    for (i = 0; i < 16; i++) {
        w[i] = taco__load_be32(p + (size_t)4 * i);
    }
    for (; i < 64; i++) {
        uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (taco__sha256_rotate(a, 7) ^ taco__sha256_rotate(a, 18) ^ a >> 3) +
               w[i - 7] + (taco__sha256_rotate(b, 17) ^ taco__sha256_rotate(b, 19) ^ b >> 10);
    }
}

/* One round with word `in`: h[0..8) are a to h of the standard. */
TACO__INLINE void taco__sha256_round(uint32_t h[8], uint32_t in)
{
    uint32_t a = h[0], e = h[4], x, y;
    x = h[7] +
        (taco__sha256_rotate(e, 6) ^ taco__sha256_rotate(e, 11) ^ taco__sha256_rotate(e, 25)) +
        ((e & h[5]) ^ (~e & h[6])) + in;
    y = (taco__sha256_rotate(a, 2) ^ taco__sha256_rotate(a, 13) ^ taco__sha256_rotate(a, 22)) +
        ((a & h[1]) ^ (a & h[2]) ^ (h[1] & h[2]));
    memmove(h + 1, h, 7 * sizeof *h);
    h[4] += x;
    h[0] = x + y;
}

/* Adds a block of 64 bytes to the hash. */
static void taco__sha256_block(taco__sha256 *s, const uint8_t *p)
{
    uint32_t w[64], h[8];
    unsigned i;
    taco__sha256_schedule(w, p);
    memcpy(h, s->h, sizeof h);
    for (i = 0; i < 64; i++) {
        taco__sha256_round(h, taco__sha256_k[i] + w[i]);
    }
    for (i = 0; i < 8; i++) {
        s->h[i] += h[i];
    }
}

TACO__FN void taco__sha256_update(taco__sha256 *s, const uint8_t *p, size_t len)
{
    while (len) {
        size_t at = (size_t)(s->total % 64), n = TACO__MIN(len, 64 - at);
        memcpy(s->block + at, p, n);
        s->total += n;
        p += n;
        len -= n;
        if (at + n == 64) { taco__sha256_block(s, s->block); }
    }
}

/* Padded as in the standard. */
TACO__FN void taco__sha256_finish(taco__sha256 *s, char hex[65])
{
    static const uint8_t pad[64] = {0x80};
    uint64_t bits = s->total * 8;
    uint8_t len[8], digest[32];
    unsigned i;
    for (i = 0; i < 8; i++) {
        len[i] = (uint8_t)(bits >> (56 - 8 * i));
    }
    taco__sha256_update(s, pad, (size_t)(64 - (s->total + 8) % 64));
    taco__sha256_update(s, len, 8);
    for (i = 0; i < 32; i++) {
        digest[i] = (uint8_t)(s->h[i / 4] >> (24 - 8 * (i % 4)));
    }
    *taco__ascii_put_hex(hex, digest, sizeof digest) = 0;
}
