/* lz4_decode.c - decode LZ4 blocks, LZ4 frames, and Hadoop's framing of blocks

   Parquet has two codecs of this name: LZ4_RAW is one LZ4 block (LZ4 block format); LZ4 is
   deprecated because its writers disagreed on what it is: Hadoop's framing, frames (LZ4 frame
   format 1.6), or a block. taco__lz4_decode finds out which. A block is sequences: a token with two
   4-bit lengths, literals, a 2-byte offset, a match of 4 bytes or more; the last one ends after its
   literals. Thirteen a and "bcdef" are 18 61 01 00 50 62 63 64 65 66: one literal and a match of 8
   + 4 bytes from 1 byte back; five literals and the end. taco__lz4_decode_fast decodes while
   margins hold, taco__lz4_decode_sequence the rest, with every check. Start with
   taco__lz4_decode_block. */
#include "codec.h"

/* ---- blocks ---- */

/* Block format, "End of block conditions": the last 5 bytes are literals, so that after the
   literals of any sequence but the last there are at least an offset, a token and 5 bytes. */
#define TACO__LZ4_END_BYTES  8
#define TACO__LZ4_TAIL_BYTES 6 /* those after the match: a token and 5 literals */

typedef struct taco__lz4_decoder {
    taco__lz_output out;
    size_t history;                  /* index in out of the oldest byte that a match may reach */
    const uint8_t *start, *ip, *end; /* the input, the next token, the end of the block */
    uint64_t need;                   /* bytes that a sequence needs room for, after NEED_ROOM */
    taco_status fault;               /* the status reported, after FAULT */
} taco__lz4_decoder;

/* The outcome of a sequence. */
typedef enum taco__lz4_step {
    TACO__LZ4_MORE,      /* it is decoded, and others follow */
    TACO__LZ4_DONE,      /* it was the last */
    TACO__LZ4_NEED_ROOM, /* nothing has moved */
    TACO__LZ4_FAULT      /* nothing has moved, err is set */
} taco__lz4_step;

/* Adds the bytes that extend a length of 15: each 255 means that another one follows. NULL if the
   input ends. The sum cannot overflow: it is at most 255 times the bytes present. */
TACO__INLINE const uint8_t *taco__lz4_decode_length(const uint8_t *p, const uint8_t *end,
                                                    uint64_t *len)
{
    unsigned b;
    do {
        if (TACO__UNLIKELY(p == end)) { return NULL; }
        b = *p++;
        *len += b;
    } while (b == 255);
    return p;
}

#ifndef TACO_SMALL
/* A short sequence (14 literals, match of 18) reads 1 + 16 + 2 bytes of input, and has
   TACO__LZ4_END_BYTES after its literals. It writes 16 bytes for the literals and 18 for the
   match. */
#define TACO__LZ4_IN_MARGIN  32
#define TACO__LZ4_OUT_MARGIN 32

/* Decodes sequences while the margins hold, and stops before the first that needs full checks. */
static TACO__NOINLINE void taco__lz4_decode_fast(taco__lz4_decoder *z)
{
    const uint8_t *ip = z->ip, *end = z->end, *ip_last, *op_last;
    uint8_t *op = z->out.op, *stop = z->out.stop, *history = z->out.buf->data + z->history;
    if (end - ip < TACO__LZ4_IN_MARGIN || stop - op < TACO__LZ4_OUT_MARGIN) { return; }
    ip_last = end - TACO__LZ4_IN_MARGIN;
    op_last = stop - TACO__LZ4_OUT_MARGIN;
    while (ip <= ip_last && op <= op_last) {
        const uint8_t *p = ip + 1;
        uint8_t *o = op;
        unsigned token = *ip;
        uint64_t len = token >> 4;
        size_t offset;
        if (TACO__LIKELY(len < 15)) {
            taco__lz_copy16(o, p);
            o += len;
            p += len;
        } else {
            uint8_t *to = o;
            p = taco__lz4_decode_length(p, end, &len);
            if (!p || len + TACO__LZ4_OUT_MARGIN > (uint64_t)(stop - o) ||
                len + 16 > (uint64_t)(end - p)) {
                break;
            }
            o += len;
            do {
                taco__lz_copy16(to, p);
                to += 16;
                p += 16;
            } while (to < o);
            p -= to - o;
        }
        offset = taco__load_le16(p);
        p += 2;
        len = token & 15;
        if (TACO__LIKELY(len < 15 && offset >= 8 && offset <= (size_t)(o - history))) {
            const uint8_t *from = o - offset;
            taco__lz_copy8(o, from);
            taco__lz_copy8(o + 8, from + 8);
            memcpy(o + 16, from + 16, 2);
            op = o + len + 4;
            ip = p;
            continue;
        }
        if (TACO__UNLIKELY(offset - 1 >= (size_t)(o - history))) { /* 0 wraps */
            break;
        }
        if (len == 15) { p = taco__lz4_decode_length(p, end - TACO__LZ4_TAIL_BYTES, &len); }
        len += 4;
        if (!p || len > (uint64_t)(stop - o)) { break; }
        taco__lz_copy_match_inline(o, offset, (size_t)len);
        op = o + len;
        ip = p;
    }
    z->ip = ip;
    z->out.op = op;
}
#endif

/* Reads the offset and length of the match of the sequence at z->ip, with every check; *at is after
   its literals, and moves. done: bytes that the match may reach back to. MORE or FAULT. */
static taco__lz4_step taco__lz4_decode_match(taco__lz4_decoder *z, unsigned token,
                                             const uint8_t **at, uint64_t done, size_t *offset,
                                             uint64_t *len, taco_error *err)
{
    const uint8_t *p = *at;
    uint64_t where = (uint64_t)(z->ip - z->start);
    if (z->end - p < TACO__LZ4_END_BYTES) {
        z->fault = TACO__FAIL(err, TACO_ERR_CORRUPT, where,
                              "LZ4 match %u bytes before the end of its block, the least is %u",
                              TACO__U(z->end - p), TACO__U(TACO__LZ4_END_BYTES));
        return TACO__LZ4_FAULT;
    }
    *offset = taco__load_le16(p);
    p += 2;
    *len = token & 15;
    if (*len == 15) {
        p = taco__lz4_decode_length(p, z->end - TACO__LZ4_TAIL_BYTES, len);
        if (!p) {
            z->fault = TACO__FAIL(err, TACO_ERR_TRUNCATED, where,
                                  "LZ4 block ends inside the length of a match, %u so far", *len);
            return TACO__LZ4_FAULT;
        }
    }
    *len += 4;
    if (*offset == 0 || *offset > done) {
        z->fault = TACO__FAIL(err, TACO_ERR_CORRUPT, where,
                              "LZ4 match from %u bytes back, %u bytes are decoded",
                              TACO__U(*offset), done);
        return TACO__LZ4_FAULT;
    }
    *at = p;
    return TACO__LZ4_MORE;
}

/* Decodes one sequence with every check. */
static taco__lz4_step taco__lz4_decode_sequence(taco__lz4_decoder *z, taco_error *err)
{
    const uint8_t *p = z->ip, *from;
    uint64_t at = (uint64_t)(p - z->start), lit, len = 0;
    uint64_t room = (uint64_t)(z->out.stop - z->out.op);
    uint64_t done = (uint64_t)(z->out.op - (z->out.buf->data + z->history));
    unsigned token;
    size_t offset = 0;
    if (p == z->end) {
        z->fault =
            TACO__FAIL(err, TACO_ERR_TRUNCATED, at, "LZ4 block ends without its last sequence");
        return TACO__LZ4_FAULT;
    }
    token = *p++;
    lit = token >> 4;
    if (lit == 15) { p = taco__lz4_decode_length(p, z->end, &lit); }
    if (!p || lit > (uint64_t)(z->end - p)) {
        z->fault = TACO__FAIL(err, TACO_ERR_TRUNCATED, at,
                              "LZ4 sequence of %u literals, %u bytes of input left", lit,
                              TACO__U(p ? z->end - p : 0));
        return TACO__LZ4_FAULT;
    }
    z->need = lit;
    if (lit > room) { return TACO__LZ4_NEED_ROOM; }
    from = p;
    p += lit;
    if (p != z->end) {
        if (taco__lz4_decode_match(z, token, &p, done + lit, &offset, &len, err) !=
            TACO__LZ4_MORE) {
            return TACO__LZ4_FAULT;
        }
        z->need += len;
        if (z->need > room) { return TACO__LZ4_NEED_ROOM; }
    }
    memcpy(z->out.op, from, (size_t)lit);
    z->out.op += lit;
    z->ip = p;
    if (!len) { return TACO__LZ4_DONE; }
    taco__lz_copy_match(z->out.op, offset, (size_t)len);
    z->out.op += len;
    return TACO__LZ4_MORE;
}

/* Decodes the block [z->ip, z->end) and appends it at z->out.op. */
static taco_status taco__lz4_decode_block(taco__lz4_decoder *z, taco_error *err)
{
#ifdef TACO_PARQUET_LZ4_DECOMPRESS
    /* the host's decoder sees no history, so blocks linked to earlier ones are decoded here */
    if ((size_t)(z->out.op - z->out.buf->data) == z->history) {
        taco_bytes in = taco__bytes_of(z->ip, (size_t)(z->end - z->ip));
        size_t used;
        return taco__lz_host_decode(&z->out, TACO_PARQUET_LZ4_DECOMPRESS, "LZ4", in,
                                    (uint64_t)(z->ip - z->start), &used, err);
    }
#endif
    for (;;) {
        taco_status status;
#ifndef TACO_SMALL
        taco__lz4_decode_fast(z);
#endif
        switch (taco__lz4_decode_sequence(z, err)) {
        case TACO__LZ4_MORE: break;
        case TACO__LZ4_DONE: return TACO_OK;
        case TACO__LZ4_FAULT: return z->fault;
        case TACO__LZ4_NEED_ROOM: /* and what the rest makes at an ordinary ratio */
            status = taco__lz_output_grow(&z->out, z->need, (size_t)(z->end - z->ip) * 3,
                                          (uint64_t)(z->ip - z->start), err);
            if (status != TACO_OK) { return status; }
            break;
        }
    }
}

/* Begins a call. */
static taco_status taco__lz4_decode_init(taco__lz4_decoder *z, taco_bytes in, taco__buf *out,
                                         size_t limit, taco_error *err)
{
    z->history = out->len;
    z->start = z->ip = in.data;
    z->end = in.len ? in.data + in.len : in.data;
    z->need = 0;
    z->fault = TACO_OK;
    return taco__lz_output_init(&z->out, out, 0, limit, err);
}

/* One LZ4 block, with the contract of every decoder. */
TACO__FN taco_status taco__lz4_decode_raw(taco_bytes in, taco__buf *out, size_t limit,
                                          taco_error *err)
{
    taco__lz4_decoder z;
    taco_status status = taco__lz4_decode_init(&z, in, out, limit, err);
    if (status == TACO_OK) { status = taco__lz4_decode_block(&z, err); }
    if (status == TACO_OK) { taco__lz_output_finish(&z.out); }
    return status;
}

/* ---- frames ---- */

#define TACO__LZ4_MAGIC     0x184D2204U
#define TACO__LZ4_SKIPPABLE 0x184D2A50U /* to 0x184D2A5F: a frame of user data */

typedef struct taco__lz4_frame_info {
    bool linked;      /* matches may reach into earlier blocks */
    bool block_sums;  /* a checksum after each block */
    bool content_sum; /* and one of all plain bytes after the last */
    bool has_size;
    uint32_t block_max; /* most uncompressed bytes in a block */
    uint64_t size;      /* plain bytes of the frame, if has_size */
} taco__lz4_frame_info;

/* Reads a frame's header after its magic number: flags, block size, perhaps content size and
   dictionary, and the second byte of the checksum of these. */
static taco_status taco__lz4_decode_frame_header(taco__byte_reader *c, uint64_t at,
                                                 taco__lz4_frame_info *h, taco_error *err)
{
    const uint8_t *first = c->at;
    unsigned flags = taco__byte_reader_u8(c), size = taco__byte_reader_u8(c), sum;
    memset(h, 0, sizeof *h);
    h->linked = !(flags & 0x20);
    h->block_sums = (flags & 0x10) != 0;
    h->has_size = (flags & 8) != 0;
    h->content_sum = (flags & 4) != 0;
    h->size = h->has_size ? taco__byte_reader_le64(c) : 0;
    (void)taco__byte_reader_take(c, flags & 1 ? 4 : 0); /* dictionary id */
    sum = taco__byte_reader_u8(c);
    if (c->bad) {
        return TACO__FAIL(err, TACO_ERR_TRUNCATED, at, "LZ4 frame ends inside its header");
    }
    if (flags >> 6 != 1 || (flags & 2) || (size & 0x8F) || size >> 4 < 4) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, at, "LZ4 frame has flags 0x%x and block size 0x%x",
                          TACO__U(flags), TACO__U(size));
    }
    if (sum != (taco__xxh32(first, (size_t)(c->at - first) - 1) >> 8 & 0xFF)) {
        return TACO__FAIL(err, TACO_ERR_CHECKSUM, at,
                          "LZ4 frame header has checksum 0x%x, its bytes give 0x%x", TACO__U(sum),
                          TACO__U(taco__xxh32(first, (size_t)(c->at - first) - 1) >> 8 & 0xFF));
    }
    if (flags & 1) {
        return TACO__FAIL(err, TACO_ERR_UNSUPPORTED, at, "LZ4 frame needs a dictionary");
    }
    h->block_max = (uint32_t)1 << (8 + 2 * (size >> 4));
    return TACO_OK;
}

/* Checks the 4 bytes at c against the checksum of len bytes at p. */
static taco_status taco__lz4_decode_checksum(taco__byte_reader *c, const uint8_t *p, size_t len,
                                             const char *what, taco_error *err)
{
    uint64_t at = taco__byte_reader_position(c);
    uint32_t want = taco__byte_reader_le32(c), sum = taco__xxh32(p, len);
    if (c->bad) {
        return TACO__FAIL(err, TACO_ERR_TRUNCATED, at, "LZ4 frame ends before its %s checksum",
                          what);
    }
    if (want != sum) {
        return TACO__FAIL(err, TACO_ERR_CHECKSUM, at,
                          "LZ4 %s has checksum 0x%x, its bytes give 0x%x", what, TACO__U(want),
                          TACO__U(sum));
    }
    return TACO_OK;
}

/* Decodes one block of a frame: its size was in `word`, whose top bit says that it is stored. */
static taco_status taco__lz4_decode_frame_block(taco__lz4_decoder *z, taco__byte_reader *c,
                                                uint32_t word, const taco__lz4_frame_info *h,
                                                taco_error *err)
{
    uint64_t at = taco__byte_reader_position(c) - 4;
    size_t size = word & 0x7FFFFFFF, done = (size_t)(z->out.op - z->out.base);
    const uint8_t *data = c->at;
    taco_status status = TACO_OK;
    if (size > h->block_max) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, at,
                          "LZ4 block of %u bytes, the frame's blocks have at most %u",
                          TACO__U(size), TACO__U(h->block_max));
    }
    if (!taco__byte_reader_take(c, size)) {
        return TACO__FAIL(err, TACO_ERR_TRUNCATED, at,
                          "LZ4 block of %u bytes, %u bytes of input left", TACO__U(size),
                          TACO__U(c->end - data));
    }
    if (h->block_sums) { status = taco__lz4_decode_checksum(c, data, size, "block", err); }
    if (status != TACO_OK) { return status; }
    if (word >> 31) {
        if (size > (size_t)(z->out.stop - z->out.op)) {
            status = taco__lz_output_grow(&z->out, size, taco__byte_reader_left(c), at, err);
            if (status != TACO_OK) { return status; }
        }
        memcpy(z->out.op, data, size);
        z->out.op += size;
        return TACO_OK;
    }
    if (!h->linked) { z->history = (size_t)(z->out.op - z->out.buf->data); }
    z->ip = data;
    z->end = data + size;
    status = taco__lz4_decode_block(z, err);
    done = (size_t)(z->out.op - z->out.base) - done;
    if (status == TACO_OK && done > h->block_max) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, at,
                          "LZ4 block of %u plain bytes, the frame's blocks have at most %u",
                          TACO__U(done), TACO__U(h->block_max));
    }
    return status;
}

/* Decodes one frame, whose magic number has been read: blocks up to one of size 0. */
static taco_status taco__lz4_decode_frame(taco__lz4_decoder *z, taco__byte_reader *c,
                                          taco_error *err)
{
    taco__lz4_frame_info h;
    uint64_t at = taco__byte_reader_position(c) - 4;
    size_t first = (size_t)(z->out.op - z->out.base), size;
    taco_status status = taco__lz4_decode_frame_header(c, at, &h, err);
    uint32_t word;
    z->history = (size_t)(z->out.op - z->out.buf->data);
    while (status == TACO_OK) {
        word = taco__byte_reader_le32(c);
        if (c->bad) {
            return TACO__FAIL(err, TACO_ERR_TRUNCATED, taco__byte_reader_position(c),
                              "LZ4 frame ends without its end mark");
        }
        if (word == 0) { break; }
        status = taco__lz4_decode_frame_block(z, c, word, &h, err);
    }
    size = (size_t)(z->out.op - z->out.base) - first;
    if (status == TACO_OK && h.content_sum) {
        status = taco__lz4_decode_checksum(c, z->out.base + first, size, "frame", err);
    }
    if (status == TACO_OK && h.has_size && h.size != size) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, at,
                          "LZ4 frame of %u plain bytes, its header says %u", TACO__U(size), h.size);
    }
    return status;
}

/* Decodes frames up to the end of the input. Frames of user data are skipped. */
static taco_status taco__lz4_decode_frames(taco__lz4_decoder *z, taco_bytes in, taco_error *err)
{
    taco__byte_reader c = taco__byte_reader_init(in);
    taco_status status = TACO_OK;
    while (status == TACO_OK && taco__byte_reader_left(&c)) {
        uint64_t at = taco__byte_reader_position(&c);
        uint32_t magic = taco__byte_reader_le32(&c);
        if (magic == TACO__LZ4_MAGIC && !c.bad) {
            status = taco__lz4_decode_frame(z, &c, err);
        } else if (magic >> 4 == TACO__LZ4_SKIPPABLE >> 4 && !c.bad) {
            uint32_t size = taco__byte_reader_le32(&c);
            size_t left = taco__byte_reader_left(&c);
            (void)taco__byte_reader_take(&c, size);
            if (c.bad) {
                status = TACO__FAIL(err, TACO_ERR_TRUNCATED, at,
                                    "LZ4 frame of %u bytes to skip, %u bytes of input left",
                                    TACO__U(size), TACO__U(left));
            }
        } else {
            status = TACO__FAIL(err, TACO_ERR_CORRUPT, at, "not an LZ4 frame, it begins with 0x%x",
                                TACO__U(magic));
        }
    }
    return status;
}

/* ---- Parquet's LZ4 ---- */

/* Decodes one piece of a Hadoop block: its compressed size, big-endian, then an LZ4 block without
   history. *at moves after it. */
static taco_status taco__lz4_decode_hadoop_piece(taco__lz4_decoder *z, const uint8_t **at,
                                                 const uint8_t *end, taco_error *err)
{
    const uint8_t *p = *at;
    uint32_t size = end - p < 4 ? 0 : taco__load_be32(p);
    if (end - p < 4 || size > (size_t)(end - p) - 4) {
        return TACO__FAIL(err, TACO_ERR_TRUNCATED, (uint64_t)(p - z->start),
                          "Hadoop LZ4 piece of %u bytes, %u bytes of input left", TACO__U(size),
                          TACO__U(end - p));
    }
    z->ip = p + 4;
    z->end = *at = p + 4 + size;
    z->history = (size_t)(z->out.op - z->out.buf->data);
    return taco__lz4_decode_block(z, err);
}

/* Decodes Hadoop's framing: the plain size of a block, big-endian, then pieces until they add up to
   it; then the next block. `expected` bounds them all. */
static taco_status taco__lz4_decode_hadoop(taco__lz4_decoder *z, taco_bytes in, size_t expected,
                                           taco_error *err)
{
    const uint8_t *p = in.data, *end = in.data + in.len;
    while (p < end) {
        uint64_t at = (uint64_t)(p - in.data);
        size_t first = (size_t)(z->out.op - z->out.base), made;
        uint32_t plain;
        if (end - p < 4) {
            return TACO__FAIL(err, TACO_ERR_TRUNCATED, at, "Hadoop LZ4 block ends inside its size");
        }
        plain = taco__load_be32(p);
        p += 4;
        if (plain > expected - first) {
            return TACO__FAIL(err, TACO_ERR_CORRUPT, at,
                              "Hadoop LZ4 block of %u plain bytes, the page has %u left",
                              TACO__U(plain), TACO__U(expected - first));
        }
        if (plain == 0 && p == end) { return TACO_OK; } /* how Hadoop ends a stream */
        do {
            taco_status status = taco__lz4_decode_hadoop_piece(z, &p, end, err);
            if (status != TACO_OK) { return status; }
            made = (size_t)(z->out.op - z->out.base) - first;
        } while (made < plain);
        if (made > plain) {
            return TACO__FAIL(err, TACO_ERR_CORRUPT, at,
                              "Hadoop LZ4 block decodes to %u bytes, its header says %u",
                              TACO__U(made), TACO__U(plain));
        }
    }
    return TACO_OK;
}

typedef enum taco__lz4_kind {
    TACO__LZ4_RAW,
    TACO__LZ4_HADOOP,
    TACO__LZ4_AMBIGUOUS,
    TACO__LZ4_FRAME
} taco__lz4_kind;

/* Which of the three the data begins as. A block that is not empty begins with a literal, so that
   its first byte is at least 0x10; as the size of a Hadoop block that is 256 MiB or more. Only in
   pages of that size it may be either. */
static taco__lz4_kind taco__lz4_decode_detect(taco_bytes in, size_t expected)
{
    uint32_t plain = in.len >= 8 ? taco__load_be32(in.data) : UINT32_MAX;
    if (in.len >= 7 && taco__load_le32(in.data) == TACO__LZ4_MAGIC && in.data[4] >> 6 == 1 &&
        !(in.data[5] & 0x8F)) {
        return TACO__LZ4_FRAME;
    }
    if (in.len < 8 || plain > expected || taco__load_be32(in.data + 4) > in.len - 8) {
        return TACO__LZ4_RAW;
    }
    return plain >> 28 ? TACO__LZ4_AMBIGUOUS : TACO__LZ4_HADOOP;
}

/* A page with Parquet's deprecated codec LZ4, with the usual contract of a decoder. `expected` is
   the size in the page header, and must be the result. */
TACO__FN taco_status taco__lz4_decode(taco_bytes in, taco__buf *out, size_t expected, size_t limit,
                                      taco_error *err)
{
    taco__lz4_decoder z;
    taco_status status = taco__lz4_decode_init(&z, in, out, limit, err);
    taco__lz4_kind kind = taco__lz4_decode_detect(in, expected);
    size_t made;
    if (status != TACO_OK) { return status; }
    if (kind == TACO__LZ4_FRAME) {
        status = taco__lz4_decode_frames(&z, in, err);
    } else if (kind == TACO__LZ4_HADOOP) {
        status = taco__lz4_decode_hadoop(&z, in, expected, err);
    } else if (kind == TACO__LZ4_RAW || /* if ambiguous, a block unless it is Hadoop's */
               taco__lz4_decode_hadoop(&z, in, expected, NULL) != TACO_OK) {
        status = taco__lz4_decode_init(&z, in, out, limit, err);
        status = status == TACO_OK ? taco__lz4_decode_block(&z, err) : status;
    }
    made = status == TACO_OK ? (size_t)(z.out.op - z.out.base) : expected;
    if (made != expected) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                          "LZ4 page decodes to %u bytes, its header says %u", TACO__U(made),
                          TACO__U(expected));
    }
    if (status == TACO_OK) { taco__lz_output_finish(&z.out); }
    return status;
}
