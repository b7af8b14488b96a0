/* snappy_decode.c - decode and encode one raw Snappy block.. Spec: google/snappy
   format_description.txt */
#include "codec.h"
#include "../base/base.h"

/* A block is its plain length as a varint, then elements: a tag byte whose low two bits say literal
   (0) or copy with an offset of 1, 2 or 4 bytes, and whose upper bits hold the length or the start
   of it. */
#ifndef TACO_PARQUET_SNAPPY_DECOMPRESS
typedef struct taco__snappy_decoder {
    const uint8_t *start, *ip, *end; /* the block, the next tag, its end */
    uint8_t *base, *op, *stop;       /* plain bytes: first, next, behind the last one promised */
} taco__snappy_decoder;

/* What a tag says: bits 0-6 length, 8-10 the high part of a 1-byte offset, 11-13 bytes of offset,
   15 set when the length of a literal follows in 1..4 bytes of its own. The macros spell the 256
   entries out. */
#define TACO__SNAPPY_LITERAL(t) (((t) >> 2) + 1 + ((t) >> 2 >= 60 ? 0x8000 : 0))
#define TACO__SNAPPY_COPY1(t)   (((t) >> 2 & 7) + 4 + ((t) >> 5 << 8) + (1 << 11))
#define TACO__SNAPPY_COPY2(t)   (((t) >> 2) + 1 + (2 << 11))
#define TACO__SNAPPY_COPY4(t)   (((t) >> 2) + 1 + (4 << 11))
#define TACO__SNAPPY_4(t)                                                                          \
    TACO__SNAPPY_LITERAL(t), TACO__SNAPPY_COPY1(t + 1), TACO__SNAPPY_COPY2(t + 2),                 \
        TACO__SNAPPY_COPY4(t + 3)
#define TACO__SNAPPY_16(t)                                                                         \
    TACO__SNAPPY_4(t), TACO__SNAPPY_4(t + 4), TACO__SNAPPY_4(t + 8), TACO__SNAPPY_4(t + 12)
#define TACO__SNAPPY_64(t)                                                                         \
    TACO__SNAPPY_16(t), TACO__SNAPPY_16(t + 16), TACO__SNAPPY_16(t + 32), TACO__SNAPPY_16(t + 48)
static const uint16_t taco__snappy_decode_tags[256] = {TACO__SNAPPY_64(0), TACO__SNAPPY_64(64),
                                                       TACO__SNAPPY_64(128), TACO__SNAPPY_64(192)};

/* A tag and the 64 bytes behind it may be read without asking. */
#define TACO__SNAPPY_MARGIN (1 + 64)
TACO__STATIC_ASSERT(snappy_slack,
                    64 <= TACO__PAD); /* 64 bytes are written for any length from 1 to 64 */

/* A literal whose length is in bytes behind the tag. Returns the element's end, or NULL when it is
   out of bounds. */
static const uint8_t *taco__snappy_decode_long_literal(taco__snappy_decoder *s, const uint8_t *ip,
                                                       uint8_t *op, unsigned extra)
{
    uint32_t x = taco__load_le32(ip + 1) & (UINT32_MAX >> (32 - 8 * extra)); /* length - 1 */
    const uint8_t *from = ip + 1 + extra;
    if (x >= (size_t)(s->stop - op) || x >= (size_t)(s->end - from)) { return NULL; }
    memcpy(op, from, (size_t)x + 1);
    return from + x + 1;
}

/* Decodes elements while the margin holds, and stops in front of anything out of bounds;
   taco__snappy_decode_element then tells what it is. Whether an element is a literal or a copy is
   as good as random, so both take the same path, and the branches left are those that hardly ever
   change their mind. */
static TACO__NOINLINE void taco__snappy_decode_fast(taco__snappy_decoder *s)
{
    static const uint32_t mask[4] = {0, 0xFF, 0xFFFF, UINT32_MAX};
    const uint8_t *ip = s->ip, *end = s->end, *from, *next;
    uint8_t *op = s->op;
    while ((size_t)(end - ip) >= TACO__SNAPPY_MARGIN) {
        unsigned kind = *ip & 3U, entry = taco__snappy_decode_tags[*ip];
        size_t len = entry & 0x7F, done = (size_t)(op - s->base);
        size_t offset = (taco__load_le32(ip + 1) & mask[kind]) + (entry & 0x700);
        if (TACO__UNLIKELY(len > (size_t)(s->stop - op))) { break; }
        next = ip + 1 + (kind ? (size_t)(entry >> 11) : len);
        if (TACO__UNLIKELY(kind ? (offset < 16) | (offset > done) : entry >> 15)) {
            if (kind == 0) {
                next = taco__snappy_decode_long_literal(s, ip, op, (unsigned)len - 60);
                if (!next) { break; }
                len = (size_t)(next - ip) - 1 - (len - 60);
            } else {
                if (offset - 1 >= done) { /* 0 wraps */
                    break;
                }
                taco__lz_copy_match(op, offset, len);
            }
        } else {
            from = kind ? op - offset : ip + 1;
            taco__lz_copy16(op, from);
            taco__lz_copy16(op + 16, from + 16);
            if (len > 32) {
                taco__lz_copy16(op + 32, from + 32);
                taco__lz_copy16(op + 48, from + 48);
            }
        }
        op += len;
        ip = next;
    }
    s->ip = ip;
    s->op = op;
}

/* Decodes one element with every check. */
static taco_status taco__snappy_decode_element(taco__snappy_decoder *s, taco_error *err)
{
    const uint8_t *ip = s->ip;
    uint64_t at = (uint64_t)(ip - s->start);
    size_t have = (size_t)(s->end - ip) - 1, left = (size_t)(s->stop - s->op), i;
    unsigned tag = *ip++, kind = tag & 3, extra = kind == 3 ? 4 : kind;
    uint64_t len = (tag >> 2) + 1, offset = 0;
    if (kind == 0 && len > 60) { extra = (unsigned)len - 60; }
    if (extra > have) {
        return TACO__FAIL(err, TACO_ERR_TRUNCATED, at,
                          "Snappy element needs %u bytes behind its tag, %u left", TACO__U(extra),
                          TACO__U(have));
    }
    for (i = 0; i < extra; i++) {
        offset |= (uint64_t)ip[i] << (8 * i);
    }
    ip += extra;
    have -= extra;
    if (kind == 0) {
        len = extra ? offset + 1 : len;
        if (len > have) {
            return TACO__FAIL(err, TACO_ERR_TRUNCATED, at,
                              "Snappy literal of %u bytes, %u bytes of input left", len,
                              TACO__U(have));
        }
    } else if (kind == 1) {
        offset |= (uint64_t)(tag & 0xE0) << 3;
        len = ((tag >> 2) & 7) + 4;
    }
    if (len > left) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, at,
                          "Snappy element of %u bytes, the block's length leaves %u", len,
                          TACO__U(left));
    }
    if (kind == 0) {
        memcpy(s->op, ip, (size_t)len);
        ip += len;
    } else {
        if (offset == 0 || offset > (size_t)(s->op - s->base)) {
            return TACO__FAIL(err, TACO_ERR_CORRUPT, at,
                              "Snappy copy from %u bytes back, %u bytes are decoded", offset,
                              TACO__U(s->op - s->base));
        }
        taco__lz_copy_match(s->op, (size_t)offset, (size_t)len);
    }
    s->op += len;
    s->ip = ip;
    return TACO_OK;
}
#endif

/* Reads the plain length, and refuses one that these input bytes cannot expand to: the densest
   element, a copy with a 2-byte offset, makes 64 bytes out of 3. */
static taco_status taco__snappy_decode_length(taco_bytes in, size_t limit, size_t *header,
                                              size_t *length, taco_error *err)
{
    uint64_t n = 0, most;
    size_t i = 0;
    do {
        if (i == in.len) {
            return TACO__FAIL(err, TACO_ERR_TRUNCATED, TACO__U(i),
                              "Snappy block ends inside its length");
        }
        if (i == 5) { break; }
        n |= (uint64_t)(in.data[i] & 0x7F) << (7 * i);
    } while (in.data[i++] & 0x80);
    if (n > UINT32_MAX || (in.data[i - 1] & 0x80)) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, 0, "Snappy length needs more than 32 bits");
    }
    most = ((uint64_t)(in.len - i) + 2) / 3 * 64;
    if (n > most) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, 0,
                          "Snappy length is %u, %u bytes of input hold at most %u", n,
                          TACO__U(in.len - i), most);
    }
    if (n > limit) {
        return TACO__FAIL(err, TACO_ERR_LIMIT, 0, "Snappy length is %u, limits.max_page leaves %u",
                          n, TACO__U(limit));
    }
    *header = i;
    *length = (size_t)n;
    return TACO_OK;
}

/* Appends the plain bytes of a raw Snappy block, at most limit, to out. On failure out keeps the
   length it had. */
#ifdef TACO_PARQUET_SNAPPY_DECOMPRESS
TACO__FN taco_status taco__snappy_decode(taco_bytes in, taco__buf *out, size_t limit,
                                         taco_error *err)
{
    taco__lz_output o;
    size_t header = 0, length = 0, used;
    taco_status status = taco__snappy_decode_length(in, limit, &header, &length, err);
    status = status == TACO_OK ? taco__lz_output_init(&o, out, length, length, err) : status;
    if (status == TACO_OK) {
        status =
            taco__lz_host_decode(&o, TACO_PARQUET_SNAPPY_DECOMPRESS, "Snappy", in, 0, &used, err);
    }
    if (status == TACO_OK && (size_t)(o.op - o.base) != length) {
        status = TACO__FAIL(err, TACO_ERR_TRUNCATED, TACO__U(in.len),
                            "Snappy block ends after %u of %u plain bytes", TACO__U(o.op - o.base),
                            TACO__U(length));
    }
    if (status == TACO_OK) { taco__lz_output_finish(&o); }
    return status;
}
#else
TACO__FN taco_status taco__snappy_decode(taco_bytes in, taco__buf *out, size_t limit,
                                         taco_error *err)
{
    taco__snappy_decoder s;
    size_t header = 0, length = 0;
    taco_status status = taco__snappy_decode_length(in, limit, &header, &length, err);
    if (status != TACO_OK) { return status; }
    if (!taco__buf_reserve(out, length, err)) { return taco__lz_error_status(err); }
    s.start = in.data;
    s.ip = in.data + header;
    s.end = in.data + in.len;
    s.base = s.op = out->data + out->len;
    s.stop = s.op + length;
    while (status == TACO_OK) {
        taco__snappy_decode_fast(&s);
        if (s.ip == s.end) { break; }
        status = taco__snappy_decode_element(&s, err);
    }
    if (status == TACO_OK && s.op != s.stop) {
        status = TACO__FAIL(err, TACO_ERR_TRUNCATED, TACO__U(in.len),
                            "Snappy block ends after %u of %u plain bytes", TACO__U(s.op - s.base),
                            TACO__U(length));
    }
    if (status == TACO_OK) { out->len += length; }
    return status;
}
#endif
