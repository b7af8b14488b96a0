/* snappy_decode.c - decode one raw Snappy block (google/snappy, format_description.txt)

   A block is its plain length as a varint, then elements: a tag byte whose low two bits say literal
   (0) or copy with an offset of 1, 2 or 4 bytes (1, 2, 3), and whose upper six have the length, or
   for a long literal how many bytes of length follow. "aaaaaaaa" is 08 00 61 0D 01: length 8; a
   literal of one byte, 'a'; a copy of 7 bytes from 1 byte back.
   The plain length is promised, so that all room is reserved at once, after a check that the input
   can expand to as much. taco__snappy_decode_fast decodes while 65 bytes of input are left;
   taco__snappy_decode_element does the rest and finds what is wrong. */
#include "codec.h"

#ifndef TACO_PARQUET_SNAPPY_DECOMPRESS
typedef struct taco__snappy_decoder {
    const uint8_t *start, *ip, *end; /* the block, the next tag, its end */
    uint8_t *base, *op, *stop;       /* plain bytes: first, next, the end of those promised */
} taco__snappy_decoder;

#ifndef TACO_SMALL
/* Contents of a tag: bits 0-6 length, 8-10 the high part of a 1-byte offset, 11-13 bytes of offset,
   15 set if the length of a literal follows in 1 to 4 bytes. The macros generate the 256
   entries. */
#define TACO__SNAPPY_LITERAL(t) (((t) >> 2) + 1 + ((t) >> 2 >= 60 ? 0x8000 : 0))
#define TACO__SNAPPY_COPY1(t)   (((t) >> 2 & 7) + 4 + ((t) >> 5 << 8) + (1 << 11))
#define TACO__SNAPPY_COPY2(t)   (((t) >> 2) + 1 + (2 << 11))
#define TACO__SNAPPY_COPY4(t)   (((t) >> 2) + 1 + (4 << 11))
#define TACO__SNAPPY_4(t)                                                                          \
    TACO__SNAPPY_LITERAL(t), TACO__SNAPPY_COPY1((t) + 1), TACO__SNAPPY_COPY2((t) + 2),             \
        TACO__SNAPPY_COPY4((t) + 3)
#define TACO__SNAPPY_16(t)                                                                         \
    TACO__SNAPPY_4(t), TACO__SNAPPY_4((t) + 4), TACO__SNAPPY_4((t) + 8), TACO__SNAPPY_4((t) + 12)
#define TACO__SNAPPY_64(t)                                                                         \
    TACO__SNAPPY_16(t), TACO__SNAPPY_16((t) + 16), TACO__SNAPPY_16((t) + 32),                      \
        TACO__SNAPPY_16((t) + 48)
static const uint16_t taco__snappy_decode_tags[256] = {TACO__SNAPPY_64(0), TACO__SNAPPY_64(64),
                                                       TACO__SNAPPY_64(128), TACO__SNAPPY_64(192)};

/* In the fast loop a tag and the 64 bytes after it may be read, and 64 bytes are written for any
   length from 1 to 64. */
#define TACO__SNAPPY_MARGIN (1 + 64)
TACO__STATIC_ASSERT(snappy_slack, 64 <= TACO__PAD);

/* A literal whose length is in the `extra` bytes after the tag. Returns the end of the element, or
   NULL if it is out of bounds. */
static const uint8_t *taco__snappy_decode_long_literal(taco__snappy_decoder *s, const uint8_t *ip,
                                                       uint8_t *op, unsigned extra)
{
    uint32_t x = taco__load_le32(ip + 1) & (UINT32_MAX >> (32 - 8 * extra)); /* length - 1 */
    const uint8_t *from = ip + 1 + extra;
    if (x >= (size_t)(s->stop - op) || x >= (size_t)(s->end - from)) { return NULL; }
    memcpy(op, from, (size_t)x + 1);
    return from + x + 1;
}

/* Decodes elements while the margin holds, and stops before anything out of bounds;
   taco__snappy_decode_element then says what it is. Whether an element is a literal or a copy is as
   good as random, so that both take the same path; the branches that are left are predictable. */
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
#endif

/* A decoded element. */
typedef struct taco__snappy_element {
    unsigned kind; /* 0 a literal; else a copy */
    uint64_t len, offset;
    const uint8_t *next; /* the byte after tag, length and offset */
} taco__snappy_element;

/* Reads the tag at s->ip and what belongs to it. `at`: its place, for errors. */
static taco_status taco__snappy_decode_tag(const taco__snappy_decoder *s, uint64_t at,
                                           taco__snappy_element *e, taco_error *err)
{
    const uint8_t *ip = s->ip;
    size_t left = (size_t)(s->end - ip) - 1, i;
    unsigned tag = *ip++, extra;
    uint64_t x = 0;
    e->kind = tag & 3;
    e->len = (tag >> 2) + 1;
    extra = e->kind == 3 ? 4 : e->kind;
    if (e->kind == 0 && e->len > 60) { extra = (unsigned)e->len - 60; }
    if (extra > left) {
        return TACO__FAIL(err, TACO_ERR_TRUNCATED, at,
                          "Snappy element needs %u bytes after its tag, %u left", TACO__U(extra),
                          TACO__U(left));
    }
    for (i = 0; i < extra; i++) {
        x |= (uint64_t)ip[i] << (8 * i);
    }
    e->next = ip + extra;
    e->offset = x;
    if (e->kind == 0 && extra) {
        e->len = x + 1;
    } else if (e->kind == 1) {
        e->offset |= (uint64_t)(tag & 0xE0) << 3;
        e->len = ((tag >> 2) & 7) + 4;
    }
    return TACO_OK;
}

/* Decodes one element with every check. */
static taco_status taco__snappy_decode_element(taco__snappy_decoder *s, taco_error *err)
{
    uint64_t at = (uint64_t)(s->ip - s->start);
    size_t left = (size_t)(s->stop - s->op), have;
    taco__snappy_element e;
    taco_status status;
    memset(&e, 0, sizeof e);
    status = taco__snappy_decode_tag(s, at, &e, err);
    if (status != TACO_OK) { return status; }
    have = (size_t)(s->end - e.next);
    if (e.kind == 0 && e.len > have) {
        return TACO__FAIL(err, TACO_ERR_TRUNCATED, at,
                          "Snappy literal of %u bytes, %u bytes of input left", e.len,
                          TACO__U(have));
    }
    if (e.len > left) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, at,
                          "Snappy element of %u bytes, the block's length leaves %u", e.len,
                          TACO__U(left));
    }
    if (e.kind == 0) {
        memcpy(s->op, e.next, (size_t)e.len);
        e.next += e.len;
    } else if (e.offset == 0 || e.offset > (size_t)(s->op - s->base)) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, at,
                          "Snappy copy from %u bytes back, %u bytes are decoded", e.offset,
                          TACO__U(s->op - s->base));
    } else {
        taco__lz_copy_match(s->op, (size_t)e.offset, (size_t)e.len);
    }
    s->op += e.len;
    s->ip = e.next;
    return TACO_OK;
}
#endif

/* Reads the uncompressed length, in *header bytes, and refuses one that the input cannot expand to:
   the densest element, a copy with a 2-byte offset, makes 64 bytes from 3. */
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

/* With the contract of every decoder; the block takes all of `in`. */
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
    status = taco__lz_reserve(out, length, err);
    if (status != TACO_OK) { return status; }
    s.start = in.data;
    s.ip = in.data + header;
    s.end = in.data + in.len;
    s.base = s.op = out->data + out->len;
    s.stop = s.op + length;
    while (status == TACO_OK) {
#ifndef TACO_SMALL
        taco__snappy_decode_fast(&s);
#endif
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
