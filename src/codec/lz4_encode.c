/* lz4_encode.c - encode one LZ4 block (LZ4 block format), for LZ4_RAW

   One pass: for each position the last one with the same hash of 5 bytes is checked; if 4 bytes are
   equal, the match is extended in both directions, and literals and match are written as a
   sequence. After a long stretch without matches, steps get wider. As decoders require, the last
   match begins at least 12 bytes before the end, and the last 5 bytes are literals. */
#include "encode.h"

#define TACO__LZ4_ENCODE_MAX 0x7E000000U /* bytes of a block, as in the reference */

/* The most bytes that n bytes take: lengths take a byte more for every 255. False when that is not
   a size. */
TACO__FN bool taco__lz4_encode_bound(size_t n, size_t *bound)
{
    return taco__checked_add_size(n, n / 255 + 16, bound);
}

/* The bytes of a length after the 15 in the token. */
static uint8_t *taco__lz4_encode_length(uint8_t *to, size_t n)
{
    for (; n >= 255; n -= 255) {
        *to++ = 255;
    }
    *to++ = (uint8_t)n;
    return to;
}

/* Writes a sequence: n literals, and a match unless `match` is 0, as in the last. Returns the
   end. */
static uint8_t *taco__lz4_encode_sequence(uint8_t *to, const uint8_t *from, size_t n, size_t offset,
                                          size_t match)
{
    const size_t rest = match ? match - 4 : 0;
    *to++ = (uint8_t)(TACO__MIN(n, (size_t)15) << 4 | TACO__MIN(rest, (size_t)15));
    to = n >= 15 ? taco__lz4_encode_length(to, n - 15) : to;
    if (n) {
        memcpy(to, from, n);
        to += n;
    }
    if (match) {
        *to++ = (uint8_t)offset;
        *to++ = (uint8_t)(offset >> 8);
        to = rest >= 15 ? taco__lz4_encode_length(to, rest - 15) : to;
    }
    return to;
}

TACO__INLINE uint32_t taco__lz4_encode_hash(const uint8_t *p)
{
    return (uint32_t)((taco__load_le64(p) << 24) * 0x9E3779B185EBCA87U >>
                      (64 - TACO__LZ4_ENCODE_LOG));
}

/* One block, with the usual contract of an encoder. Position 0 also means none; comparing the bytes
   decides. */
TACO__FN taco_status taco__lz4_encode(taco__lz4_encoder *e, taco_bytes in, uint8_t *dst, size_t cap,
                                      size_t *size, taco_error *err)
{
    const uint8_t *p = in.data;
    const size_t n = in.len;
    uint8_t *to = dst;
    size_t bound = 0, anchor = 0, i = 1, m, len;
    *size = 0;
    if (!taco__lz4_encode_bound(n, &bound) || n > TACO__LZ4_ENCODE_MAX || cap < bound) {
        return TACO__FAIL(
            err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
            "an LZ4 block of %u bytes of data may take %u bytes, there is room for %u", TACO__U(n),
            TACO__U(bound), TACO__U(cap));
    }
    memset(e->at, 0, sizeof e->at);
    while (n > 13 && i < n - 12) {
        uint32_t *at = &e->at[taco__lz4_encode_hash(p + i)];
        m = *at;
        *at = (uint32_t)i;
        if (i - m > 65535 || taco__load_le32(p + m) != taco__load_le32(p + i)) {
            i += 1 + ((i - anchor) >> 6);
            continue;
        }
        while (i > anchor && m > 0 && p[i - 1] == p[m - 1]) {
            i--;
            m--;
        }
        len = 4 + taco__lz_match_length(p + m + 4, p + i + 4, p + n - 5);
        to = taco__lz4_encode_sequence(to, p + anchor, i - anchor, i - m, len);
        i += len;
        anchor = i;
        if (i < n - 12) { e->at[taco__lz4_encode_hash(p + i - 2)] = (uint32_t)(i - 2); }
    }
    to = taco__lz4_encode_sequence(to, p + anchor, n - anchor, 0, 0);
    *size = (size_t)(to - dst);
    return TACO_OK;
}
