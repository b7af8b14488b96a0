/* snappy_encode.c - encode one raw Snappy block (google/snappy, format_description.txt)

   The plain length, then parts of 64 KiB, so that offsets have 2 bytes at most. In each part, for
   every position the last one with the same hash of 4 bytes is checked; if these are equal, the
   bytes since the last match are written as a literal, and the match as copies. */
#include "encode.h"

#define TACO__SNAPPY_ENCODE_PART 65536U /* bytes */

/* The most bytes that n bytes take. A literal of L bytes and the copy of 4 or more after it take at
   most L + 4 bytes, and one more for every 60 of L at most. False when that is not a size. */
TACO__FN bool taco__snappy_encode_bound(size_t n, size_t *bound)
{
    return taco__checked_add_size(n, n / 6 + 32, bound);
}

/* n literals, 1 to 64 KiB; returns the end. */
static uint8_t *taco__snappy_encode_literal(uint8_t *to, const uint8_t *from, size_t n)
{
    size_t x = n - 1, i;
    if (x < 60) {
        *to++ = (uint8_t)(x << 2);
    } else { /* the number of bytes that x takes; it is less than 1 << 16 */
        const size_t size = x < 256 ? 1 : 2;
        *to++ = (uint8_t)((59 + size) << 2);
        for (i = 0; i < size; i++) {
            *to++ = (uint8_t)(x >> (8 * i));
        }
    }
    memcpy(to, from, n);
    return to + n;
}

/* A match of n >= 4 bytes, in copies of at most 64; returns the end. */
static uint8_t *taco__snappy_encode_copy(uint8_t *to, size_t offset, size_t n)
{
    while (n > 64) { /* leaves at least 4 bytes for the rest */
        const size_t k = n >= 68 ? 64 : 60;
        *to++ = (uint8_t)(2 | (k - 1) << 2);
        *to++ = (uint8_t)offset;
        *to++ = (uint8_t)(offset >> 8);
        n -= k;
    }
    if (n < 12 && offset < 2048) {
        *to++ = (uint8_t)(1 | (n - 4) << 2 | offset >> 8 << 5);
        *to++ = (uint8_t)offset;
    } else {
        *to++ = (uint8_t)(2 | (n - 1) << 2);
        *to++ = (uint8_t)offset;
        *to++ = (uint8_t)(offset >> 8);
    }
    return to;
}

TACO__INLINE uint32_t taco__snappy_encode_hash(const uint8_t *p)
{
    return taco__load_le32(p) * 0x9E3779B1U >> (32 - TACO__SNAPPY_ENCODE_LOG);
}

/* Encodes a part; returns the end. After a long stretch without matches, steps get wider. Position
   0 also means none; comparing the bytes decides. */
static uint8_t *taco__snappy_encode_part(taco__snappy_encoder *e, const uint8_t *p, size_t n,
                                         uint8_t *to)
{
    size_t anchor = 0, i = 1, m, len;
    memset(e->at, 0, sizeof e->at);
    while (n >= 16 && i < n - 8) {
        uint16_t *at = &e->at[taco__snappy_encode_hash(p + i)];
        m = *at;
        *at = (uint16_t)i;
        if (taco__load_le32(p + m) != taco__load_le32(p + i)) {
            i += 1 + ((i - anchor) >> 5);
            continue;
        }
        len = 4 + taco__lz_match_length(p + m + 4, p + i + 4, p + n);
        if (i > anchor) { to = taco__snappy_encode_literal(to, p + anchor, i - anchor); }
        to = taco__snappy_encode_copy(to, i - m, len);
        i += len;
        anchor = i;
        if (i < n - 8) { e->at[taco__snappy_encode_hash(p + i - 1)] = (uint16_t)(i - 1); }
    }
    return n > anchor ? taco__snappy_encode_literal(to, p + anchor, n - anchor) : to;
}

/* One block, with the usual contract of an encoder. */
TACO__FN taco_status taco__snappy_encode(taco__snappy_encoder *e, taco_bytes in, uint8_t *dst,
                                         size_t cap, size_t *size, taco_error *err)
{
    uint8_t *to = dst;
    size_t bound = 0, i, n;
    uint64_t x = in.len;
    *size = 0;
    if (!taco__snappy_encode_bound(in.len, &bound) || in.len > UINT32_MAX || cap < bound) {
        return TACO__FAIL(
            err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
            "a Snappy block of %u bytes of data may take %u bytes, there is room for %u",
            TACO__U(in.len), TACO__U(bound), TACO__U(cap));
    }
    for (; x >= 128; x >>= 7) {
        *to++ = (uint8_t)(x | 128);
    }
    *to++ = (uint8_t)x;
    for (i = 0; i < in.len; i += n) {
        n = TACO__MIN(in.len - i, (size_t)TACO__SNAPPY_ENCODE_PART);
        to = taco__snappy_encode_part(e, in.data + i, n, to);
    }
    *size = (size_t)(to - dst);
    return TACO_OK;
}
