/* codec.h - decoders of Snappy, LZ4, DEFLATE and ZSTD, written for pages of Parquet

   Every decoder has the same contract: it decodes all of `in`, appends the result to a taco__buf,
   at most `limit` bytes, and returns TACO_OK; on failure the length of the buffer is unchanged, and
   err has the offset of the error in the input. No byte outside the input is read, and nothing is
   assumed about its contents. Decoders write up to TACO__PAD bytes after what they append
   (garbage), which a taco__buf has room for. A host may replace each with one of its own: the
   macros TACO_PARQUET_..._DECOMPRESS and TACO_PARQUET_INFLATE. The files in reading order:
     lz_copy.c                 output that grows, copies of matches, the host's decoders
     snappy_decode.c, lz4_decode.c
     inflate.c, gzip_decode.c  DEFLATE; gzip and zlib round it
     zstd.h                    what the files of ZSTD share
     zstd_codes.c, zstd_decode.c, zstd_decode_entropy.c, zstd_decode_sequences.c
   The encoders are for the writer alone, in encode.h:
     bit_writer.c              bits, and the lengths of Huffman codes
     snappy_encode.c, lz4_encode.c, deflate.c
     zstd_encode.c, zstd_encode_match.c, zstd_encode_entropy.c
   Each fast loop runs while margins of input and output hold, without checks that these make
   needless, and leaves everything else to a careful twin that decodes one step with every check. */
#ifndef TACO__CODEC_H
#define TACO__CODEC_H

#include "../base/base.h"

/* ---- lz_copy.c ---- */

/* Where a decoder appends: output goes to op, which may not pass stop. The buffer's len is
   unchanged until taco__lz_output_finish, so that a failure leaves no partial page. When the buffer
   grows, base, op and stop move. */
typedef struct taco__lz_output {
    taco__buf *buf;
    size_t limit;              /* most bytes to append */
    uint8_t *base, *op, *stop; /* first byte appended, next byte, end of the room */
} taco__lz_output;

TACO__FN taco_status taco__lz_output_init(taco__lz_output *o, taco__buf *buf, size_t extra,
                                          size_t limit, taco_error *err);
TACO__FN taco_status taco__lz_output_grow(taco__lz_output *o, uint64_t need, size_t hint,
                                          uint64_t at, taco_error *err);
TACO__FN void taco__lz_output_finish(taco__lz_output *o);
/* taco__buf_reserve, with the status of its failure. */
TACO__FN taco_status taco__lz_reserve(taco__buf *b, size_t extra, taco_error *err);

/* The host's own decoder: see "CODECS OF YOURS" in the manual. It decodes the stream at src into at
   most dst_cap bytes, returns how many, or more than dst_cap on failure, and sets *src_used. */
typedef size_t (*taco__lz_host_decoder)(void *dst, size_t dst_cap, const void *src, size_t src_len,
                                        size_t *src_used);

TACO__FN taco_status taco__lz_host_decode(taco__lz_output *o, taco__lz_host_decoder decode,
                                          const char *name, taco_bytes in, uint64_t at,
                                          size_t *used, taco_error *err);
TACO__FN taco_status taco__lz_host_decode_all(taco__lz_host_decoder decode, const char *name,
                                              taco_bytes in, taco__buf *out, size_t limit,
                                              taco_error *err);

TACO__FN TACO__NOINLINE void taco__lz_copy_near(uint8_t *to, size_t distance, size_t len);

/* Small copies that may overlap: everything is read before anything is written. */
TACO__INLINE void taco__lz_copy8(uint8_t *to, const uint8_t *from)
{
    uint64_t x;
    memcpy(&x, from, 8);
    memcpy(to, &x, 8);
}

TACO__INLINE void taco__lz_copy16(uint8_t *to, const uint8_t *from)
{
    uint8_t x[16];
    memcpy(x, from, 16);
    memcpy(to, x, 16);
}

#ifdef TACO_SMALL
/* With TACO_SMALL all copies go byte by byte, and write nothing after their end. */
TACO__INLINE void taco__lz_copy_wide(uint8_t *to, const uint8_t *from, size_t len)
{
    while (len--) {
        *to++ = *from++;
    }
}
#else
/* Copies at least len bytes, in steps of 32. `from` may be 16 bytes or more before `to`: a step
   then reads what an earlier one wrote, as a match that overlaps itself requires. */
TACO__INLINE void taco__lz_copy_wide(uint8_t *to, const uint8_t *from, size_t len)
{
    const uint8_t *end = to + len;
    do {
        taco__lz_copy16(to, from);
        taco__lz_copy16(to + 16, from + 16);
        to += 32;
        from += 32;
    } while (to < end);
}
#endif

/* A match at a distance below 16, so that the copied bytes repeat within one step. For distances
   below 8 a multiplication repeats them to fill 8 bytes in a register, because reading back what
   was just stored would stall at every step. */
TACO__INLINE void taco__lz_copy_near_inline(uint8_t *to, size_t distance, size_t len)
{
#ifdef TACO_SMALL
    taco__lz_copy_wide(to, to - distance, len);
#else
    static const uint64_t repeat[8] = {0,
                                       UINT64_C(0x0101010101010101),
                                       UINT64_C(0x0001000100010001),
                                       UINT64_C(0x0001000001000001),
                                       UINT64_C(0x0000000100000001),
                                       UINT64_C(0x0000010000000001),
                                       UINT64_C(0x0001000000000001),
                                       UINT64_C(0x0100000000000001)};
    /* the smallest multiple of the distance that is at least 8 */
    static const uint8_t stride[16] = {0, 8, 8, 9, 8, 10, 12, 14, 8, 9, 10, 11, 12, 13, 14, 15};
    const uint8_t *from = to - distance, *end = to + len;
    uint64_t x;
    if (len - 4 <= 4 && len <= distance) {
        /* The most common case, between integers that differ in a byte or two. Reading nothing past
           the len bytes avoids waiting for literals just written there. */
        x = taco__load_le32(from) | (uint64_t)taco__load_le32(from + len - 4) << (8 * (len - 4));
        taco__put_le64(to, x);
        return;
    }
    x = taco__load_le64(from);
    if (distance < 8) { x = (x & ((UINT64_C(1) << (8 * distance)) - 1)) * repeat[distance]; }
    taco__put_le64(to, x);
    from = to + 8 - stride[distance]; /* everything is written before it is read */
    to += 8;
    if (stride[distance] == 8) {
        for (; to < end; to += 16) {
            taco__put_le64(to, x);
            taco__put_le64(to + 8, x);
        }
        return;
    }
    for (; to < end; to += 8, from += 8) {
        taco__lz_copy8(to, from);
    }
#endif
}

/* Repeats the len bytes that are `distance` >= 1 before `to`. The caller has checked that they
   exist and that len fits. Most matches are shorter than 32 bytes, so that many are copied at
   once. */
TACO__INLINE void taco__lz_copy_match(uint8_t *to, size_t distance, size_t len)
{
#ifdef TACO_SMALL
    taco__lz_copy_near(to, distance, len);
#else
    const uint8_t *from = to - distance;
    if (TACO__LIKELY(distance >= 16)) {
        taco__lz_copy16(to, from);
        taco__lz_copy16(to + 16, from + 16);
        if (TACO__UNLIKELY(len > 32)) { taco__lz_copy_wide(to + 32, from + 32, len - 32); }
    } else {
        taco__lz_copy_near(to, distance, len);
    }
#endif
}

/* The same with near matches inline, for loops in which many matches are near, as in columns of
   integers. */
TACO__INLINE void taco__lz_copy_match_inline(uint8_t *to, size_t distance, size_t len)
{
    if (distance < 16) {
        taco__lz_copy_near_inline(to, distance, len);
    } else {
        taco__lz_copy_match(to, distance, len);
    }
}

/* For the encoders: how many bytes at b, before `end`, equal those at a < b. */
TACO__INLINE size_t taco__lz_match_length(const uint8_t *a, const uint8_t *b, const uint8_t *end)
{
    const uint8_t *start = b;
    while (end - b >= 8) {
        uint64_t x = taco__load_le64(a) ^ taco__load_le64(b);
        if (x) { return (size_t)(b - start) + taco__plat_ctz64(x) / 8; }
        a += 8;
        b += 8;
    }
    while (b < end && *a == *b) {
        a++;
        b++;
    }
    return (size_t)(b - start);
}

/* ---- snappy_decode.c, lz4_decode.c ---- */

TACO__FN taco_status taco__snappy_decode(taco_bytes in, taco__buf *out, size_t limit,
                                         taco_error *err);
/* LZ4_RAW, and the deprecated LZ4; `expected` is the uncompressed size in the page header. */
TACO__FN taco_status taco__lz4_decode_raw(taco_bytes in, taco__buf *out, size_t limit,
                                          taco_error *err);
TACO__FN taco_status taco__lz4_decode(taco_bytes in, taco__buf *out, size_t expected, size_t limit,
                                      taco_error *err);

/* ---- inflate.c ---- */

/* One call of a DEFLATE decoder, shared with the containers around it: gzip_decode.c reads their
   headers at ip, taco__inflate_stream the data after them. */
typedef struct taco__inflater {
    taco__lz_output out;
    const uint8_t *start, *ip, *end; /* input: beginning, next byte, end */
} taco__inflater;

TACO__FN taco_status taco__inflate_init(taco__inflater *z, taco_bytes in, taco__buf *out,
                                        size_t limit, taco_error *err);
TACO__FN taco_status taco__inflate_stream(taco__inflater *z, taco_error *err);
TACO__FN taco_status taco__inflate(taco_bytes in, taco__buf *out, size_t limit, taco_error *err);

/* The codes of DEFLATE, RFC 1951 §3.2.5: `extra` further bits, added to `base`. Code 257 + k is a
   length from 3 to 258, code k of the other alphabet a distance from 1 to 32768. */
TACO__INLINE unsigned taco__flate_length_extra(unsigned k)
{
    return k < 8 || k == 28 ? 0 : k / 4 - 1;
}

TACO__INLINE unsigned taco__flate_length_base(unsigned k)
{
    return k < 8 ? k + 3 : k == 28 ? 258 : ((4 + (k & 3)) << (k / 4 - 1)) + 3;
}

TACO__INLINE unsigned taco__flate_distance_extra(unsigned k)
{
    return k < 4 ? 0 : k / 2 - 1;
}

TACO__INLINE unsigned taco__flate_distance_base(unsigned k)
{
    return k < 4 ? k + 1 : ((2 + (k & 1)) << (k / 2 - 1)) + 1;
}

/* The symbol that the i-th code length in the code length alphabet belongs to, §3.2.7: 16, 17, 18,
   0, and then outwards from 8: 8, 7, 9, 6, 10, ... 1, 15. */
TACO__INLINE unsigned taco__flate_length_order(unsigned i)
{
    return i < 3 ? 16 + i : i == 3 ? 0 : i & 1 ? 8 - (i - 3) / 2 : 8 + (i - 4) / 2;
}

/* ---- gzip_decode.c ---- */

TACO__FN taco_status taco__gzip_decode_any(taco_bytes in, taco__buf *out, size_t limit,
                                           taco_error *err);

/* ---- zstd_decode.c ---- */

#define TACO__ZSTD_BLOCK_MAX    131072U /* the largest block, RFC 8878 §3.1.1.2.4 */
#define TACO__ZSTD_HUF_MAX_BITS 11      /* the longest Huffman code, §4.2.1 */
#define TACO__ZSTD_SLACK        32      /* bytes that copies read and write beyond their length */

/* In a Huffman table: offset from the length of a code to its symbol. */
#define TACO__ZSTD_HUF_SYMBOL ((1 << TACO__ZSTD_HUF_MAX_BITS) + 64)

/* One state of a finite state decoder. Its value is base + the next `extra` bits. The next cell is
   `next` + the next `bits` bits after this one: an offset, often negative, so that a state is an
   address and the decoding loop does not need the table's address. */
typedef struct taco__zstd_fse_cell {
    uint32_t base;
    int16_t next;
    uint8_t extra, bits;
} taco__zstd_fse_cell;

/* State kept between blocks, 18 KiB and the literals. The caller zeroes it before the first use
   (the members before `cells` are enough) and provides room for literals; it can then be used for
   any number of frames. It owns nothing and may be copied. Arrays of three are by field:
   TACO__ZSTD_LL, _OF, _ML. */
typedef struct taco__zstd_decoder {
    /* literals of the current block: room for as many as a block has and the call's limit allows,
       TACO__ZSTD_LITERALS(limit); with TACO_SMALL the decoder decides */
    uint8_t *literals;
    /* the predefined tables have been built, by the first frame that needs them */
    bool predefined_ready;
    bool has_table[3];  /* the field has a table in this frame, which mode Repeat can reuse */
    uint8_t log[3];     /* that table has 1 << log states */
    uint16_t table[3];  /* its first cell */
    bool huf_ready;     /* huf is a table of this frame */
    uint32_t repeat[3]; /* the last three offsets, the latest first, §3.1.1.5 */
    /* Three tables of up to 512 cells described by the frame, then the three predefined ones. */
    taco__zstd_fse_cell cells[3 * (512 + 64)];
    /* Indexed by the next 11 bits of a stream: the length of the code, and its symbol
       TACO__ZSTD_HUF_SYMBOL bytes later. Bytes after the first 2048 of each half are written, but
       not read. */
    uint8_t huf[2 * TACO__ZSTD_HUF_SYMBOL];
} taco__zstd_decoder;

#ifdef TACO_SMALL
#define TACO__ZSTD_LITERALS(limit) ((size_t)((limit) > 0) | 1)
#else
#define TACO__ZSTD_LITERALS(limit)                                                                 \
    (TACO__MIN((limit), (size_t)TACO__ZSTD_BLOCK_MAX) + TACO__ZSTD_SLACK)
#endif

TACO__FN taco_status taco__zstd_decode(taco__zstd_decoder *z, taco_bytes in, taco__buf *out,
                                       size_t limit, taco_error *err);

#endif /* TACO__CODEC_H */
