/* zstd.h - what the files of ZSTD share: tables and codes, and the parts of the decoder

   ZSTD is RFC 8878, cited by section. A frame is a header and blocks of up to 128 KiB. A compressed
   block is a section of literals, mostly Huffman codes in four streams, and a section of sequences:
   "copy so many literals, then repeat so many bytes from so far back", whose three numbers are
   codes of three finite state tables with further bits after them. The first part of this header is
   for decoder and encoder, the second for the decoder:
     zstd_decode.c            frames, blocks and their sections, and all errors
     zstd_decode_entropy.c    bits, finite state tables, Huffman trees and literals
     zstd_decode_sequences.c  the tables of the three fields, and executing sequences
   What costs time are two loops: taco__zstd_huf4_body and taco__zstd_seq_run_body. Both exist
   twice, the second time for processors with BMI2, whose shifts take any register and leave the
   flags alone.

   Every stream must be consumed to its last bit, and no block may give more than the frame's header
   allows. A laxer decoder would turn damage into data. */
#ifndef TACO__CODEC_ZSTD_H
#define TACO__CODEC_ZSTD_H

#include "codec.h"

/* ---- decoder and encoder ---- */

/* The highest set bit; x is not 0. */
TACO__INLINE unsigned taco__zstd_top_bit(uint32_t x)
{
    return 63 - taco__plat_clz64(x);
}

/* The three fields of a sequence, literal length, offset and match length, in the order of their
   tables, §3.1.1.3.2.1 */
enum { TACO__ZSTD_LL, TACO__ZSTD_OF, TACO__ZSTD_ML };

/* A finite state table as described, §4.1.1: how many of its 1 << log states each symbol has. */
typedef struct taco__zstd_fse_counts {
    int16_t n[256]; /* -1: one state, after which the next state is read with all bits */
    unsigned symbols, log;
} taco__zstd_fse_counts;

/* What decoder and encoder must agree on about one field, §3.1.1.3.2. */
typedef struct taco__zstd_codes {
    const char *name;
    unsigned count;           /* number of codes */
    unsigned max_log;         /* a table described in a frame has at most 1 << max_log states */
    const int8_t *predefined; /* counts of the predefined table */
    unsigned predefined_count, predefined_log;
} taco__zstd_codes;

/* ---- zstd_codes.c ---- */

TACO__FN const taco__zstd_codes *taco__zstd_codes_of(unsigned field);
TACO__FN void taco__zstd_codes_values(unsigned field, uint32_t *base, uint8_t *extra);
TACO__FN void taco__zstd_codes_predefined(unsigned field, taco__zstd_fse_counts *c);

/* ---- the decoder ---- */

#ifndef TACO_PARQUET_ZSTD_DECOMPRESS
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

/* Fails at a byte of the input. */
#define TACO__ZSTD_FAIL(j, code, where, ...)                                                       \
    TACO__FAIL((j)->err, code, TACO__U((where) - (j)->begin), __VA_ARGS__)

/* ---- zstd_decode_entropy.c ---- */

/* A bit stream that is read backward from its end, §4.1: pos bits are left, and the highest of them
   is read next. A field is simply cut out of a word. */
typedef struct taco__zstd_bits {
    const uint8_t *data;
    size_t pos;
    /* The first 8 bytes of data, or fewer and zeros: the input may begin there, and no load may
       reach before it. */
    uint64_t low;
} taco__zstd_bits;

/* The next 56 bits or more, from bit 63 down, followed by zeros after the end of the stream. A word
   that ends with the byte of the next bit never reaches past the stream, because that byte is part
   of it. */
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

/* Input and output of executing the sequences of a block: the remaining literals, the end of the
   output, the last offsets. */
typedef struct taco__zstd_seq_block {
    const taco__zstd_fse_cell *cells;
    unsigned table[3], log[3]; /* per field: index of its first cell, and log2 of their number */
    const uint8_t *bits;       /* the bit stream */
    size_t bits_len;
    uint32_t count; /* of sequences */
    uint32_t repeat[3];
    const uint8_t *lit, *lit_end; /* the literals, with slack after them */
    size_t literal_count;         /* their original number, for messages */
    uint8_t *frame;               /* the frame's first byte: no match begins before it */
    uint8_t *to, *end;            /* where the next byte goes, and the end of the room */
    uint32_t offset;              /* the one that failed */
} taco__zstd_seq_block;

typedef enum taco__zstd_seq_result {
    TACO__ZSTD_SEQ_OK,
    TACO__ZSTD_SEQ_BITS,     /* more or fewer bits than the sequences take */
    TACO__ZSTD_SEQ_OFFSET,   /* a match from before the frame, or offset 0 */
    TACO__ZSTD_SEQ_LITERALS, /* more literals than the block has */
    TACO__ZSTD_SEQ_NEED_ROOM /* more output than the block may have */
} taco__zstd_seq_result;

TACO__FN taco__zstd_seq_result taco__zstd_seq_run(taco__zstd_seq_block *q);
TACO__FN void taco__zstd_seq_predefined(taco__zstd_decoder *z);
TACO__FN bool taco__zstd_seq_table(taco__zstd_decode_job *j, unsigned field, unsigned mode,
                                   const uint8_t **at, const uint8_t *end);

#endif /* TACO_PARQUET_ZSTD_DECOMPRESS */

#endif /* TACO__CODEC_ZSTD_H */
