/* zstd.h - what the files of ZSTD share: the codes of sequences, and the parts of the decoder */
#ifndef TACO__CODEC_ZSTD_H
#define TACO__CODEC_ZSTD_H

#include "codec.h"

TACO__INLINE unsigned taco__zstd_top_bit(uint32_t x)
{
    return 63 - taco__plat_clz64(x);
} /* the highest bit set, x != 0 */

/* The three fields of a sequence, in the order of their tables in the header, §3.1.1.3.2.1 */
enum { TACO__ZSTD_LL, TACO__ZSTD_OF, TACO__ZSTD_ML };

/* ---- finite state tables, §4.1.1 ---- */

typedef struct taco__zstd_fse_counts {
    /* of cells a symbol has; -1: one cell, behind which all the bits are read anew */
    int16_t n[256];
    unsigned symbols, log;
} taco__zstd_fse_counts;

/* What decoder and encoder must agree on about one field, §3.1.1.3.2. */
typedef struct taco__zstd_codes {
    const char *name;
    unsigned count;           /* of codes that exist */
    unsigned max_log;         /* a table described in a frame has at most 1 << max_log states */
    const int8_t *predefined; /* counts of the predefined table */
    unsigned predefined_count, predefined_log;
} taco__zstd_codes;

/* ---- zstd_codes.c ---- */

TACO__FN const taco__zstd_codes *taco__zstd_codes_of(unsigned field);
TACO__FN void taco__zstd_codes_values(unsigned field, uint32_t *base, uint8_t *extra);
TACO__FN void taco__zstd_codes_predefined(unsigned field, taco__zstd_fse_counts *c);

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

#define TACO__ZSTD_FAIL(j, code, where, ...)                                                       \
    TACO__FAIL((j)->err, code, TACO__U((where) - (j)->begin), __VA_ARGS__)

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
TACO__FN void taco__zstd_seq_predefined(taco__zstd_decoder *z);
TACO__FN bool taco__zstd_seq_table(taco__zstd_decode_job *j, unsigned field, unsigned mode,
                                   const uint8_t **at, const uint8_t *end);

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

#endif /* TACO_PARQUET_ZSTD_DECOMPRESS */

#endif /* TACO__CODEC_ZSTD_H */
