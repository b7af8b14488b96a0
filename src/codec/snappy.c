/* ==== ROOM snappy: decode and encode one raw Snappy block. Uses: base error mem copy. Spec: google/snappy format_description.txt ==== */

/* A block is its plain length as a varint, then elements: a tag byte whose low two bits say literal (0) or copy with an
   offset of 1, 2 or 4 bytes, and whose upper bits hold the length or the start of it. */
#ifndef TACO_PARQUET_SNAPPY_DECOMPRESS
typedef struct taco__snappy_decoder {
    const uint8_t *start, *ip, *end; /* the block, the next tag, its end */
    uint8_t       *base, *op, *stop; /* plain bytes: first, next, behind the last one promised */
} taco__snappy_decoder;

/* What a tag says: bits 0-6 length, 8-10 the high part of a 1-byte offset, 11-13 bytes of offset, 15 set when the
   length of a literal follows in 1..4 bytes of its own. The macros spell the 256 entries out. */
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

/* A literal whose length is in bytes behind the tag. Returns the element's end, or NULL when it is out of bounds. */
TACO__FN const uint8_t *taco__snappy_decode_long_literal(taco__snappy_decoder *s, const uint8_t *ip,
                                                         uint8_t *op, unsigned extra)
{
    uint32_t       x = taco__load_le32(ip + 1) & (UINT32_MAX >> (32 - 8 * extra)); /* length - 1 */
    const uint8_t *from = ip + 1 + extra;
    if (x >= (size_t)(s->stop - op) || x >= (size_t)(s->end - from)) {
        return NULL;
    }
    memcpy(op, from, (size_t)x + 1);
    return from + x + 1;
}

/* Decodes elements while the margin holds, and stops in front of anything out of bounds; taco__snappy_decode_element then tells
   what it is. Whether an element is a literal or a copy is as good as random, so both take the same path, and the
   branches left are those that hardly ever change their mind. */
TACO__NOINLINE void taco__snappy_decode_fast(taco__snappy_decoder *s)
{
    static const uint32_t mask[4] = {0, 0xFF, 0xFFFF, UINT32_MAX};
    const uint8_t        *ip = s->ip, *end = s->end, *from, *next;
    uint8_t              *op = s->op;
    while ((size_t)(end - ip) >= TACO__SNAPPY_MARGIN) {
        unsigned kind = *ip & 3U, entry = taco__snappy_decode_tags[*ip];
        size_t   len = entry & 0x7F, done = (size_t)(op - s->base);
        size_t   offset = (taco__load_le32(ip + 1) & mask[kind]) + (entry & 0x700);
        if (TACO__UNLIKELY(len > (size_t)(s->stop - op))) {
            break;
        }
        next = ip + 1 + (kind ? (size_t)(entry >> 11) : len);
        if (TACO__UNLIKELY(kind ? (offset < 16) | (offset > done) : entry >> 15)) {
            if (kind == 0) {
                next = taco__snappy_decode_long_literal(s, ip, op, (unsigned)len - 60);
                if (!next) {
                    break;
                }
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
TACO__FN taco_status taco__snappy_decode_element(taco__snappy_decoder *s, taco_error *err)
{
    const uint8_t *ip = s->ip;
    uint64_t       at = (uint64_t)(ip - s->start);
    size_t         have = (size_t)(s->end - ip) - 1, left = (size_t)(s->stop - s->op), i;
    unsigned       tag = *ip++, kind = tag & 3, extra = kind == 3 ? 4 : kind;
    uint64_t       len = (tag >> 2) + 1, offset = 0;
    if (kind == 0 && len > 60) {
        extra = (unsigned)len - 60;
    }
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

/* Reads the plain length, and refuses one that these input bytes cannot expand to: the densest element, a copy with a
   2-byte offset, makes 64 bytes out of 3. */
TACO__FN taco_status taco__snappy_decode_length(taco_bytes in, size_t limit, size_t *header,
                                                size_t *length, taco_error *err)
{
    uint64_t n = 0, most;
    size_t   i = 0;
    do {
        if (i == in.len) {
            return TACO__FAIL(err, TACO_ERR_TRUNCATED, TACO__U(i),
                              "Snappy block ends inside its length");
        }
        if (i == 5) {
            break;
        }
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

/* Appends the plain bytes of a raw Snappy block, at most limit, to out. On failure out keeps the length it had. */
#ifdef TACO_PARQUET_SNAPPY_DECOMPRESS
TACO__FN taco_status taco__snappy_decode(taco_bytes in, taco__buf *out, size_t limit,
                                         taco_error *err)
{
    taco__lz_output o;
    size_t          header = 0, length = 0, used;
    taco_status     status = taco__snappy_decode_length(in, limit, &header, &length, err);
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
    if (status == TACO_OK) {
        taco__lz_output_finish(&o);
    }
    return status;
}
#else
TACO__FN taco_status taco__snappy_decode(taco_bytes in, taco__buf *out, size_t limit,
                                         taco_error *err)
{
    taco__snappy_decoder s;
    size_t               header = 0, length = 0;
    taco_status          status = taco__snappy_decode_length(in, limit, &header, &length, err);
    if (status != TACO_OK) {
        return status;
    }
    if (!taco__buf_reserve(out, length, err)) {
        return taco__lz_error_status(err);
    }
    s.start = in.data;
    s.ip = in.data + header;
    s.end = in.data + in.len;
    s.base = s.op = out->data + out->len;
    s.stop = s.op + length;
    while (status == TACO_OK) {
        taco__snappy_decode_fast(&s);
        if (s.ip == s.end) {
            break;
        }
        status = taco__snappy_decode_element(&s, err);
    }
    if (status == TACO_OK && s.op != s.stop) {
        status = TACO__FAIL(err, TACO_ERR_TRUNCATED, TACO__U(in.len),
                            "Snappy block ends after %u of %u plain bytes", TACO__U(s.op - s.base),
                            TACO__U(length));
    }
    if (status == TACO_OK) {
        out->len += length;
    }
    return status;
}
#endif

/* ---- the encoder ---- */

#define TACO__SNAPPY_ENCODE_PART 65536U /* encoded apart: offsets then have 2 bytes at most */
#define TACO__SNAPPY_ENCODE_LOG  14

/* The encoder's memory, 32 KiB. It needs no initialisation and may be used again. */
typedef struct taco__snappy_encoder {
    uint16_t
        at[1 << TACO__SNAPPY_ENCODE_LOG]; /* by the hash of 4 bytes: where they were seen last */
} taco__snappy_encoder;

/* The most bytes that n bytes take. A literal of L bytes and the copy of 4 or more behind it take at most
   L + 4 bytes, and one more for every 60 of L at most. False when that is not a size. */
TACO__FN bool taco__snappy_encode_bound(size_t n, size_t *bound)
{
    return taco__checked_add_size(n, n / 6 + 32, bound);
}
TACO__FN uint8_t *taco__snappy_encode_literal(uint8_t *to, const uint8_t *from, size_t n)
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
TACO__FN uint8_t *taco__snappy_encode_copy(uint8_t *to, size_t offset, size_t n)
{
    while (n > 64) { /* so that what remains has 4 bytes or more */
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
/* Encodes a part. What does not repeat for long is looked at in wider and wider steps. */
TACO__FN uint8_t *taco__snappy_encode_part(taco__snappy_encoder *e, const uint8_t *p, size_t n,
                                           uint8_t *to)
{
    size_t anchor = 0, i = 1, m, len;
    memset(e->at, 0, sizeof e->at);
    while (n >= 16 &&
           i < n - 8) { /* position 0 stands for none too, which the comparison finds out */
        uint16_t *at = &e->at[taco__snappy_encode_hash(p + i)];
        m = *at;
        *at = (uint16_t)i;
        if (taco__load_le32(p + m) != taco__load_le32(p + i)) {
            i += 1 + ((i - anchor) >> 5);
            continue;
        }
        len = 4 + taco__lz_match_length(p + m + 4, p + i + 4, p + n);
        if (i > anchor) {
            to = taco__snappy_encode_literal(to, p + anchor, i - anchor);
        }
        to = taco__snappy_encode_copy(to, i - m, len);
        i += len;
        anchor = i;
        if (i < n - 8) {
            e->at[taco__snappy_encode_hash(p + i - 1)] = (uint16_t)(i - 1);
        }
    }
    return n > anchor ? taco__snappy_encode_literal(to, p + anchor, n - anchor) : to;
}
/* Encodes a raw Snappy block of `in` at dst, which has room for taco__snappy_encode_bound bytes and does not overlap
   it; *size becomes its size. ARGUMENT when cap is less, or `in` is longer than a block may be. */
TACO__FN taco_status taco__snappy_encode(taco__snappy_encoder *e, taco_bytes in, uint8_t *dst,
                                         size_t cap, size_t *size, taco_error *err)
{
    uint8_t *to = dst;
    size_t   bound = 0, i, n;
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
