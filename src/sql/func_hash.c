/* func_hash.c - md5, sha1 and sha256 (RFC 1321, RFC 3174, FIPS 180-4) of texts and blobs; hash

   MD5 and SHA-1 pad the message the same way: a one bit, zeros, its length in bits, to blocks of 64
   bytes. They differ in byte order, the size of the state and the mixing of a block. SHA-256 is in
   base/sha256.c. The result is the digest in lower case hexadecimal digits, as in DuckDB.

   Example: md5('abc') is 900150983cd24fb0d6963f7d28e17f72, sha1('abc')
   a9993e364706816aba3e25717850c26c9cd0d89d, the first test vectors of the two documents. */
#include "sql.h"
#include "functions.h"
#include "vector_hash.h"
#include "../base/base.h"
#include "../base/sha256.h"

typedef struct taco__digest {
    uint32_t state[5];
    uint32_t words; /* of the state: 4 or 5 */
    bool big;       /* big-endian words */
    void (*mix)(uint32_t *state, const uint32_t *block);
} taco__digest;

/* x rotated left by n bits. */
static uint32_t taco__digest_left(uint32_t x, uint32_t n)
{
    return x << n | x >> (32 - n);
}

/* RFC 1321 section 3.4: four rounds of sixteen steps; the constants are floor(2^32 |sin i|). */
static void taco__digest_md5(uint32_t *s, const uint32_t *m)
{
    static const uint32_t k[64] = {
        0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613,
        0xfd469501, 0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193,
        0xa679438e, 0x49b40821, 0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d,
        0x02441453, 0xd8a1e681, 0xe7d3fbc8, 0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed,
        0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a, 0xfffa3942, 0x8771f681, 0x6d9d6122,
        0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70, 0x289b7ec6, 0xeaa127fa,
        0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665, 0xf4292244,
        0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
        0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb,
        0xeb86d391};
    static const uint8_t shifts[16] = {7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21};
    uint32_t a = s[0], b = s[1], c = s[2], d = s[3], i, f, g, t;
    for (i = 0; i < 64; i++) {
        switch (i / 16) {
        case 0:
            f = (b & c) | (~b & d);
            g = i;
            break;
        case 1:
            f = (d & b) | (~d & c);
            g = 5 * i + 1;
            break;
        case 2:
            f = b ^ c ^ d;
            g = 3 * i + 5;
            break;
        default:
            f = c ^ (b | ~d);
            g = 7 * i;
            break;
        }
        t = d;
        d = c;
        c = b;
        b += taco__digest_left(a + f + k[i] + m[g % 16], shifts[i / 16 * 4 + i % 4]);
        a = t;
    }
    s[0] += a;
    s[1] += b;
    s[2] += c;
    s[3] += d;
}

/* RFC 3174 section 6.1. */
static void taco__digest_sha1(uint32_t *s, const uint32_t *m)
{
    static const uint32_t k[4] = {0x5A827999, 0x6ED9EBA1, 0x8F1BBCDC, 0xCA62C1D6};
    uint32_t w[80], a = s[0], b = s[1], c = s[2], d = s[3], e = s[4], i, f, t;
    memcpy(w, m, 64);
    for (i = 16; i < 80; i++) {
        w[i] = taco__digest_left(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    }
    for (i = 0; i < 80; i++) {
        f = i < 20   ? (b & c) | (~b & d)
            : i < 40 ? b ^ c ^ d
            : i < 60 ? (b & c) | (b & d) | (c & d)
                     : b ^ c ^ d;
        t = taco__digest_left(a, 5) + f + e + k[i / 20] + w[i];
        e = d;
        d = c;
        c = taco__digest_left(b, 30);
        b = a;
        a = t;
    }
    s[0] += a;
    s[1] += b;
    s[2] += c;
    s[3] += d;
    s[4] += e;
}

/* Mixes one block of 64 bytes into the state. */
static void taco__digest_block(taco__digest *d, const uint8_t *p)
{
    uint32_t m[16], i;
    for (i = 0; i < 16; i++) {
        m[i] = d->big ? taco__load_be32(p + i * 4) : taco__load_le32(p + i * 4);
    }
    d->mix(d->state, m);
}

/* The initial state of MD5 or SHA-1: that of MD5 is the beginning of SHA-1's. */
static void taco__digest_init(taco__digest *d, uint32_t id)
{
    static const uint32_t first[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    memcpy(d->state, first, sizeof d->state);
    d->big = id != TACO__FUNC_MD5;
    d->words = id == TACO__FUNC_MD5 ? 4 : 5;
    d->mix = id == TACO__FUNC_MD5 ? taco__digest_md5 : taco__digest_sha1;
}

/* The MD5 or SHA-1 of s as hexadecimal digits, up to 40 of them; returns how many. */
static size_t taco__digest_text(uint32_t id, taco_bytes s, char *text)
{
    taco__digest d;
    uint8_t last[128], bytes[20];
    size_t i, rest = s.len % 64, blocks = rest < 56 ? 1 : 2;
    uint64_t bits = (uint64_t)s.len * 8;
    taco__digest_init(&d, id);
    for (i = 0; i + 64 <= s.len; i += 64) {
        taco__digest_block(&d, s.data + i);
    }
    memset(last, 0, sizeof last);
    if (rest) { memcpy(last, s.data + i, rest); }
    last[rest] = 0x80;
    for (i = 0; i < 8; i++) {
        last[blocks * 64 - 1 - i] = (uint8_t)(bits >> (d.big ? 8 * i : 56 - 8 * i));
    }
    for (i = 0; i < blocks; i++) {
        taco__digest_block(&d, last + i * 64);
    }
    for (i = 0; i < d.words * 4U; i++) {
        bytes[i] = (uint8_t)(d.state[i / 4] >> (d.big ? 24 - 8 * (i % 4) : 8 * (i % 4)));
    }
    taco__ascii_put_hex(text, bytes, d.words * 4U);
    return d.words * 8U;
}

/* Row i of md5, sha1 or sha256. */
TACO__FN bool taco__func_hash_row(taco__func_call *x, size_t i)
{
    char text[65];
    taco_bytes s = TACO__FUNC_ARG_TEXT(0);
    taco__sha256 sha;
    size_t n = 64;
    if (x->id == TACO__FUNC_SHA256) {
        taco__sha256_init(&sha);
        taco__sha256_update(&sha, s.data, s.len);
        taco__sha256_finish(&sha, text);
    } else {
        n = taco__digest_text(x->id, s, text);
    }
    return taco__func_set_text(x, i, taco__bytes_of(text, n));
}

/* ---- hash(...) ---- Same as DuckDB's, so that a selection of rows by hash is the same there. */

/* The hash of bytes: eight at a time, little-endian, the length mixed in first. */
static uint64_t taco__func_hash_bytes(taco_bytes s)
{
    uint64_t h = UINT64_C(0xE17A1465) ^ (uint64_t)s.len * UINT64_C(0xC6A4A7935BD1E995), word;
    size_t i, k;
    for (i = 0; i < s.len; i += 8) {
        for (word = 0, k = TACO__MIN(s.len - i, (size_t)8); k > 0; k--) {
            word = word << 8 | s.data[i + k - 1];
        }
        h = (h ^ word) * UINT64_C(0xD6E8FEB86659FD93);
    }
    return taco__vec_hash_mix(h);
}

/* How many bits DuckDB stores an integer, a time or a DECIMAL in, at least 32. */
static unsigned taco__func_hash_bits(const taco__scalar_type *t)
{
    if (t->id == TACO_DECIMAL) { return t->precision <= 9 ? 32 : t->precision <= 18 ? 64 : 128; }
    return t->id == TACO_INT64 || t->id == TACO_UINT64 || t->id == TACO_TIME ||
                   t->id == TACO_TIMESTAMP
               ? 64
               : 32;
}

/* The hash of an integer of that many bits. */
static uint64_t taco__func_hash_int(const taco__i256 *x, unsigned bits)
{
    if (bits > 64) { return taco__vec_hash_mix(x->w[0]) ^ taco__vec_hash_mix(x->w[1]); }
    return taco__vec_hash_mix(bits == 64 ? x->w[0] : (uint32_t)x->w[0]);
}

/* The hash of a floating point number: one zero, one NaN. */
static uint64_t taco__func_hash_float(double d, bool single)
{
    float f = taco__num_f64_to_f32(d);
    uint32_t bits;
    if (taco__f64_is_zero(d)) { return taco__vec_hash_mix(0); }
    if (taco__f64_is_nan(d)) {
        return taco__vec_hash_mix(single ? 0x7FC00000 : UINT64_C(0x7FF8) << 48);
    }
    memcpy(&bits, &f, sizeof bits);
    return taco__vec_hash_mix(single ? bits : taco__f64_to_bits(d));
}

/* A UUID, which DuckDB stores as a 128-bit integer with its first bit flipped. */
static uint64_t taco__func_hash_uuid(const uint8_t *p)
{
    uint64_t w[2] = {0, 0};
    size_t i;
    for (i = 0; i < 16; i++) {
        w[i / 8] = w[i / 8] << 8 | p[i];
    }
    return taco__vec_hash_mix(w[0] ^ (uint64_t)1 << 63) ^ taco__vec_hash_mix(w[1]);
}

/* The hash of value i. */
static uint64_t taco__func_hash_value(const taco__vec *v, size_t i)
{
    const taco__scalar_type *t = &v->type->t;
    size_t at = i * v->step;
    taco__i256 x;
    if (t->id == TACO_NULL || !taco__vec_is_valid(v, i)) { return UINT64_C(0xBF58476D1CE4E5B9); }
    switch (taco__sql_type_physical(v->type)) {
    case TACO__PHYS_STR:
        return t->id == TACO_UUID ? taco__func_hash_uuid(v->v.s[at].data)
                                  : taco__func_hash_bytes(v->v.s[at]);
    case TACO__PHYS_DBL: return taco__func_hash_float(v->v.f[at], t->id == TACO_FLOAT);
    case TACO__PHYS_BIG: return taco__func_hash_int(&v->v.d[at], taco__func_hash_bits(t));
    default:
        x = taco__i256_from_i64(v->v.i[at]);
        return taco__func_hash_int(&x, taco__func_hash_bits(t));
    }
}

/* hash(a, b, ...): each value's is mixed into those of the values before it. */
TACO__FN bool taco__func_hash_run(taco__func_call *x)
{
    size_t i;
    uint32_t k;
    for (i = 0; i < x->out->n; i++) {
        uint64_t h = taco__func_hash_value(&x->a[0], i);
        for (k = 1; k < x->n; k++) {
            h = (h ^ h >> 32) * UINT64_C(0xD6E8FEB86659FD93) ^ taco__func_hash_value(&x->a[k], i);
        }
        x->out->v.d[i] = taco__i256_from_u64(h);
    }
    return true;
}
