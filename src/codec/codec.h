/* codec.h - what the folder offers to the others. */
#ifndef TACO__CODEC_H
#define TACO__CODEC_H

#include "../base/base.h"

/* Where a decoder appends: plain bytes go to op, which may not pass stop. The buffer's len stays
   what it was until taco__lz_output_finish, so that a failure leaves no half page behind. */
typedef struct taco__lz_output {
    taco__buf *buf;
    size_t limit; /* bytes that may be appended */
    uint8_t *base, *op,
        *stop; /* first byte appended, next, behind the last one there is room for */
} taco__lz_output;

/* A decoder of the host's, plugged in by a TACO_PARQUET_..._DECOMPRESS macro: see "CODECS OF YOURS"
   in the manual. */
typedef size_t (*taco__lz_host_decoder)(void *dst, size_t dst_cap, const void *src, size_t src_len,
                                        size_t *src_used);

/* A frame is a header and blocks of up to 128 KiB. A compressed block is a section of literals,
   mostly Huffman codes in four streams, and a section of sequences: "copy so many literals, then
   repeat so many bytes from so far back", whose three numbers are codes of three finite state
   tables with further bits behind them. What costs time are two loops: taco__zstd_huf4_body and
   taco__zstd_seq_run_body. Both exist twice, the second time for processors with BMI2, whose shifts
   take any register and leave the flags alone.

   Every stream must be consumed to its last bit, and no block may give more than the frame's
   header allows. A decoder that is laxer would turn damage into data. */

#define TACO__ZSTD_BLOCK_MAX    131072U /* the largest block, §3.1.1.2.4 */
#define TACO__ZSTD_HUF_MAX_BITS 11      /* the longest Huffman code, §4.2.1 */
#define TACO__ZSTD_HUF_SYMBOL                                                                      \
    ((1 << TACO__ZSTD_HUF_MAX_BITS) + 64) /* from a code's length to its symbol */
#define TACO__ZSTD_SLACK 32 /* bytes that copies read and write behind what they are asked for */

/* One state of a finite state decoder. The value it stands for is base + the next `extra` bits.
   The cell that follows lies next + the next `bits` bits behind this one: a distance, which is
   often negative, so that a state is an address and the decoding loop needs no table's address
   besides. */
typedef struct taco__zstd_fse_cell {
    uint32_t base;
    int16_t next;
    uint8_t extra, bits;
} taco__zstd_fse_cell;

/* The three fields of a sequence, in the order of their tables in the header, §3.1.1.3.2.1 */
enum { TACO__ZSTD_LL, TACO__ZSTD_OF, TACO__ZSTD_ML };

/* What lives from block to block, 146 KiB. Zeroed by the caller before the first use; then good
   for any number of frames, one after the other. It owns nothing and may be copied. */
typedef struct taco__zstd_decoder {
    bool standard_ready; /* the predefined tables are built, by the first who needs them */
    bool known[3];       /* the field has a table in this frame, which mode Repeat can repeat */
    uint8_t log[3];      /* its number of states is 1 << log */
    uint16_t table[3];   /* its first cell */
    bool huf_ready;      /* huf is a table of this frame */
    uint32_t repeat[3];  /* the last three offsets, the latest first, §3.1.1.5 */
    /* What stands above begins as zeros; what follows is written before it is read.
       Three tables of up to 512 cells that the frame described, then the three predefined ones. */
    taco__zstd_fse_cell cells[3 * (512 + 64)];
    /* by the next 11 bits of a stream: the length of the code there, and TACO__ZSTD_HUF_SYMBOL
       behind it its symbol; the last 7 of each are written, not read */
    uint8_t huf[2 * TACO__ZSTD_HUF_SYMBOL];
    uint8_t literals[TACO__ZSTD_BLOCK_MAX + TACO__ZSTD_SLACK]; /* of the block at hand */
} taco__zstd_decoder;

/* One call of the decoder, and the frame it is in. */
typedef struct taco__zstd_decode_job {
    taco__zstd_decoder *z;
    const uint8_t *begin, *at, *end; /* of the input */
    taco__buf *out;
    size_t start, frame; /* where in out this call's bytes and this frame's bytes begin */
    size_t limit;        /* the most bytes that the call may append */
    uint64_t content;    /* Frame_Content_Size, if has_content */
    uint32_t block_max;  /* Block_Maximum_Size */
    bool has_content, has_checksum;
    taco_error *err;
} taco__zstd_decode_job;

#define TACO__ZSTD_FAIL(j, code, where, ...)                                                       \
    TACO__FAIL((j)->err, code, TACO__U((where) - (j)->begin), __VA_ARGS__)

#ifdef TACO_PARQUET_INFLATE
/* one call: the containers are this room's, the DEFLATE data in them the host's */
typedef struct taco__inflater {
    taco__lz_output out;
    const uint8_t *start, *ip, *end; /* the input, its next byte, its end */
} taco__inflater;
#else
/* Codes are looked up by their first ROOT bits, longer ones by the rest in a subtable. The sizes
   are the most that any complete code of 288 (32) symbols and 15 bits needs at that ROOT;
   taco__inflate_table checks them all the same. */
#define TACO__INFLATE_ROOT      11
#define TACO__INFLATE_SIZE      2342
#define TACO__INFLATE_DIST_ROOT 8
#define TACO__INFLATE_DIST_SIZE 402
#define TACO__INFLATE_LENS_ROOT 7

/* All state of one call, about 12 KB, on the stack of the caller. */
typedef struct taco__inflater {
    taco__lz_output out;
    size_t history;                  /* index in out of the oldest byte a match may reach */
    const uint8_t *start, *ip, *end; /* the input, its next byte, its end */
    uint64_t bits;                   /* bits that were read and not taken, the next one lowest */
    unsigned count;        /* of them; bits above may hold what a later refill puts there again */
    unsigned past;         /* zero bytes that were read behind the end of the input */
    bool bmi2;             /* the processor has BMI2 */
    size_t need;           /* bytes of room wanted, after TACO__INFLATE_NEED_ROOM */
    const char *what;      /* what was wrong, after TACO__INFLATE_FAULT: a format */
    uint64_t found, bound; /* and its numbers */
    bool fixed;            /* the tables are those of the fixed codes */
    unsigned root;         /* index bits of lits */
    uint32_t lits[TACO__INFLATE_SIZE];
    uint32_t dists[TACO__INFLATE_DIST_SIZE];
    uint8_t lens[288 + 32];
    uint16_t sorted[288];
} taco__inflater;
#endif

/* ---- bits ---- */

/* A bit stream that is read from its end backward, §4.1: pos bits are left, and the next one to
   read is the highest of them. A field is just cut out of a word. */
typedef struct taco__zstd_bits {
    const uint8_t *data;
    size_t pos;
    /* the first 8 bytes of data, or fewer and zeros: the input may begin here, and no load may
       reach before it */
    uint64_t low;
} taco__zstd_bits;

/* ---- finite state tables, §4.1.1 ---- */

typedef struct taco__zstd_fse_counts {
    /* of cells a symbol has; -1: one cell, behind which all the bits are read anew */
    int16_t n[256];
    unsigned symbols, log;
} taco__zstd_fse_counts;

/* ---- sequences, §3.1.1.3.2 ---- */

typedef struct
    taco__zstd_seq_block { /* what executing the sequences of a block needs, and leaves */
    const taco__zstd_fse_cell *cells;
    unsigned table[3], log[3]; /* per field: its first cell, and 1 << log of them */
    const uint8_t *bits;       /* the bit stream */
    size_t bits_len;
    uint32_t count; /* of sequences */
    uint32_t repeat[3];
    const uint8_t *lit, *lit_end; /* the literals, with slack behind them */
    size_t lits;                  /* how many there were */
    uint8_t *frame;               /* the frame's first byte: no match begins before it */
    uint8_t *to, *end;            /* where the next byte goes, and where none may go */
    uint32_t offset;              /* the one that failed */
} taco__zstd_seq_block;

typedef enum taco__zstd_seq_result {
    TACO__ZSTD_SEQ_OK,
    TACO__ZSTD_SEQ_BITS,     /* more or fewer bits than the sequences take */
    TACO__ZSTD_SEQ_OFFSET,   /* a match from before the frame, or offset 0 */
    TACO__ZSTD_SEQ_LITERALS, /* more literals than the block has */
    TACO__ZSTD_SEQ_NEED_ROOM /* more output than the block may have */
} taco__zstd_seq_result;

/* ---- lz_copy.c ---- */

TACO__FN void taco__lz_copy_pattern(uint8_t *to, size_t distance, size_t len);
TACO__FN taco_status taco__lz_error_status(const taco_error *err);
TACO__FN taco_status taco__lz_output_init(taco__lz_output *o, taco__buf *buf, size_t extra,
                                          size_t limit, taco_error *err);
TACO__FN taco_status taco__lz_output_grow(taco__lz_output *o, uint64_t need, size_t hint,
                                          uint64_t at, taco_error *err);
TACO__FN void taco__lz_output_finish(taco__lz_output *o);
TACO__FN taco_status taco__lz_host_decode(taco__lz_output *o, taco__lz_host_decoder decode,
                                          const char *name, taco_bytes in, uint64_t at,
                                          size_t *used, taco_error *err);
TACO__FN taco_status taco__lz_host_decode_all(taco__lz_host_decoder decode, const char *name,
                                              taco_bytes in, taco__buf *out, size_t limit,
                                              taco_error *err);

/* ---- snappy_decode.c ---- */

TACO__FN taco_status taco__snappy_decode(taco_bytes in, taco__buf *out, size_t limit,
                                         taco_error *err);

/* ---- lz4_decode.c ---- */

TACO__FN taco_status taco__lz4_decode_raw(taco_bytes in, taco__buf *out, size_t limit,
                                          taco_error *err);
TACO__FN taco_status taco__lz4_decode(taco_bytes in, taco__buf *out, size_t expected, size_t limit,
                                      taco_error *err);

/* ---- inflate.c ---- */

TACO__FN taco_status taco__inflate_stream(taco__inflater *z, taco_error *err);
TACO__FN taco_status taco__inflate_init(taco__inflater *z, taco_bytes in, taco__buf *out,
                                        size_t limit, taco_error *err);
TACO__FN TACO__NOINLINE taco_status taco__inflate(taco_bytes in, taco__buf *out, size_t limit,
                                                  taco_error *err);

/* ---- gzip_decode.c ---- */

TACO__FN taco_status taco__gzip_decode_any(taco_bytes in, taco__buf *out, size_t limit,
                                           taco_error *err);

/* ---- zstd_decode.c ---- */

TACO__FN taco_status taco__zstd_decode(taco__zstd_decoder *z, taco_bytes in, taco__buf *out,
                                       size_t limit, taco_error *err);

/* ---- zstd_decode_entropy.c ---- */

TACO__FN bool taco__zstd_bits_init(taco__zstd_bits *b, const uint8_t *data, size_t len);
TACO__FN size_t taco__zstd_fse_read_counts(taco__zstd_fse_counts *c, const uint8_t *p, size_t len,
                                           unsigned max_symbols, unsigned max_log);
TACO__FN void taco__zstd_fse_build(taco__zstd_fse_cell *cell, const taco__zstd_fse_counts *c,
                                   const uint32_t *base, const uint8_t *extra);
TACO__FN size_t taco__zstd_huf_read(taco__zstd_decoder *z, const uint8_t *p, size_t len);
TACO__FN bool taco__zstd_huf_decode_rest(const uint8_t *table, taco__zstd_bits *b, uint8_t *to,
                                         uint8_t *end);
TACO__FN bool taco__zstd_huf4_streams(const uint8_t *table, const uint8_t *p, size_t len,
                                      uint8_t *to, size_t n);

/* ---- zstd_decode_sequences.c ---- */

TACO__FN taco__zstd_seq_result taco__zstd_seq_run(taco__zstd_seq_block *q);
TACO__FN void taco__zstd_seq_values(unsigned field, uint32_t *base, uint8_t *extra);
TACO__FN void taco__zstd_seq_predefined(taco__zstd_decoder *z);
TACO__FN bool taco__zstd_seq_table(taco__zstd_decode_job *j, unsigned field, unsigned mode,
                                   const uint8_t **at, const uint8_t *end);

TACO__INLINE void taco__lz_copy8(uint8_t *to, const uint8_t *from)
{
    uint64_t x;
    memcpy(&x, from, 8);
    memcpy(to, &x, 8);
}

TACO__INLINE void taco__lz_copy16(uint8_t *to,
                                  const uint8_t *from) /* all is read before any is written */
{
    uint8_t x[16];
    memcpy(x, from, 16);
    memcpy(to, x, 16);
}

/* Repeats the bytes that lie distance >= 1 behind `to`, len > 0 of them. The caller has proven that
   they exist and that len fits. At most TACO__LZ_COPY_OVERWRITE - 1 bytes are written behind to +
   len. */
TACO__INLINE void taco__lz_copy_match(uint8_t *to, size_t distance, size_t len)
{
    const uint8_t *from = to - distance;
    uint8_t *end = to + len;
    /* 32 bytes at least: most matches are shorter, and the guess is free */
    if (TACO__LIKELY(distance >= 16)) {
        taco__lz_copy16(to, from);
        taco__lz_copy16(to + 16, from + 16);
        while (TACO__UNLIKELY((to += 32) < end)) {
            from += 32;
            taco__lz_copy16(to, from);
            taco__lz_copy16(to + 16, from + 16);
        }
    } else if (distance >= 8) {
        do {
            taco__lz_copy8(to, from);
            to += 8;
            from += 8;
        } while (to < end);
    } else {
        taco__lz_copy_pattern(to, distance, len);
    }
}

/* For the encoders: how many bytes at b, which end at `end`, are the same as those at a < b. */
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

TACO__INLINE unsigned taco__zstd_top_bit(uint32_t x)
{
    return 63 - taco__plat_clz64(x);
} /* the highest bit set, x != 0 */

/* The next 56 bits or more, from bit 63 down, and zeros behind the stream's last. A word that ends
   with the byte of the next bit never reaches behind the stream: that byte is part of it. */
TACO__INLINE uint64_t taco__zstd_bits_peek(const taco__zstd_bits *b)
{
    if (b->pos >= 64) { return taco__load_le64(b->data + (b->pos >> 3) - 7) << (8 - (b->pos & 7)); }
    return b->pos ? b->low << (64 - b->pos) : 0;
}

/* Reads n <= 32 bits into *out; false when fewer are left. */
TACO__INLINE bool taco__zstd_bits_read(taco__zstd_bits *b, unsigned n, uint32_t *out)
{
    if (n > b->pos) { return false; }
    /* in two steps, as n may be 0 */
    *out = (uint32_t)(taco__zstd_bits_peek(b) >> 1 >> (63 - n));
    b->pos -= n;
    return true;
}

/* Copies at least n bytes, and up to 31 more. From may be 16 bytes or more behind to: then a step
   reads what an earlier step wrote, as a match that overlaps itself asks for. */
TACO__INLINE void taco__zstd_seq_copy(uint8_t *to, const uint8_t *from, size_t n)
{
    const uint8_t *end = to + n;
    do {
        memcpy(to, from, 16);
        memcpy(to + 16, from + 16, 16);
        to += 32;
        from += 32;
    } while (to < end);
}

/* The tables of mode Predefined, §3.1.1.3.2.2 */
static const int8_t taco__zstd_seq_ll_counts[36] = {4, 3, 2, 2, 2, 2, 2, 2, 2,  2,  2,  2,
                                                    2, 1, 1, 1, 2, 2, 2, 2, 2,  2,  2,  2,
                                                    2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1};

static const int8_t taco__zstd_seq_ml_counts[53] = {
    1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,  1,  1,  1,  1,  1,  1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1};

static const int8_t taco__zstd_seq_of_counts[29] = {1, 1, 1, 1, 1, 1, 2, 2, 2, 1,  1,  1,  1,  1, 1,
                                                    1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1};

/* The largest tables that a frame may describe, and the codes that exist. Offsets of 32 bits and
   more are not read: no window that is supported reaches as far. */
static const uint8_t taco__zstd_seq_max_log[3] = {9, 8, 9};

static const uint8_t taco__zstd_seq_codes[3] = {36, 32, 53};

#endif /* TACO__CODEC_H */
