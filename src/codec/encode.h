/* encode.h - encoders of Snappy, LZ4, gzip and ZSTD, for the writer of Parquet

   Every encoder has the same contract: ..._bound says how many bytes n bytes may become at most;
   ..._encode writes to dst, which has room for that many and does not overlap the input, and sets
   *size; it fails only where cap is too small or the input too long (ARGUMENT). The output depends
   only on the input and the settings, not on earlier calls. The caller provides an encoder's
   memory: a plain struct (Snappy, LZ4), or one block that ..._open allocates and ..._close frees
   (gzip, ZSTD); none is allocated while encoding. All of them find matches with hash tables and
   write them greedily or after checking the next positions; see the individual files. */
#ifndef TACO__CODEC_ENCODE_H
#define TACO__CODEC_ENCODE_H

#include "zstd.h"

/* ---- bit_writer.c ---- */

/* Writes bits, lowest first. It stops at `stop`, after which there is room for 8 bytes: the output
   is then too large to be useful. */
typedef struct taco__bit_writer {
    uint64_t word; /* `count` bits are in it, less than 8 after a flush */
    unsigned count;
    uint8_t *at, *stop;
} taco__bit_writer;

TACO__FN taco__bit_writer taco__bit_writer_init(uint8_t *at, uint8_t *stop);
TACO__FN uint8_t *taco__bit_writer_finish(taco__bit_writer *b);
TACO__FN void taco__huffman_lengths(uint8_t *length, const uint32_t *freq, unsigned symbols,
                                    unsigned max);

/* Adds the low n bits of x; the others must be 0. At most 56 bits between two flushes. */
TACO__INLINE void taco__bit_writer_put(taco__bit_writer *b, uint64_t x, unsigned n)
{
    b->word |= x << b->count;
    b->count += n;
}

/* Moves whole bytes to memory. */
TACO__INLINE void taco__bit_writer_flush(taco__bit_writer *b)
{
    taco__put_le64(b->at, b->word);
    b->at += b->count >> 3;
    b->at = b->at > b->stop ? b->stop : b->at;
    b->word >>= b->count & 56;
    b->count &= 7;
}

/* ---- snappy_encode.c, lz4_encode.c ---- */

#define TACO__SNAPPY_ENCODE_LOG 14
#define TACO__LZ4_ENCODE_LOG    13

/* The encoders' memory, 32 KiB each. It needs no initialisation and may be used again. */
typedef struct taco__snappy_encoder {
    uint16_t at[1 << TACO__SNAPPY_ENCODE_LOG]; /* by hash of 4 bytes: where they last occurred */
} taco__snappy_encoder;

typedef struct taco__lz4_encoder {
    uint32_t at[1 << TACO__LZ4_ENCODE_LOG]; /* by hash of 5 bytes: where they last occurred */
} taco__lz4_encoder;

TACO__FN bool taco__snappy_encode_bound(size_t n, size_t *bound);
TACO__FN taco_status taco__snappy_encode(taco__snappy_encoder *e, taco_bytes in, uint8_t *dst,
                                         size_t cap, size_t *size, taco_error *err);
TACO__FN bool taco__lz4_encode_bound(size_t n, size_t *bound);
TACO__FN taco_status taco__lz4_encode(taco__lz4_encoder *e, taco_bytes in, uint8_t *dst, size_t cap,
                                      size_t *size, taco_error *err);

/* ---- deflate.c ---- */

#define TACO__DEFLATE_TOKENS   32768 /* most tokens in a block */
#define TACO__DEFLATE_HASH_LOG 15

/* Created by taco__deflate_open. Positions are numbered from 1; 0 is none. */
typedef struct taco__deflater {
    taco__mem *mem;
    uint32_t head[1 << TACO__DEFLATE_HASH_LOG]; /* by hash: the last position */
    /* by position: the previous one with the same hash */
    uint32_t prev[32768];
    uint32_t token[TACO__DEFLATE_TOKENS]; /* a literal, or length << 16 | distance */
    uint32_t count;
    /* For literals and lengths, and for distances: the frequency of each symbol in the block, and
       its code as bits << 8 | length. */
    uint32_t freq[2][288], code[2][288];
    uint8_t length[2][288];
    uint8_t length_code[259]; /* by the length of a match: its code, less 257 */
} taco__deflater;

TACO__FN taco__deflater *taco__deflate_open(taco__mem *mem, taco_error *err);
TACO__FN void taco__deflate_close(taco__deflater *e);
TACO__FN bool taco__deflate_bound(size_t n, size_t *bound);
TACO__FN taco_status taco__deflate_gzip(taco__deflater *e, taco_bytes in, uint8_t *dst, size_t cap,
                                        size_t *size, taco_error *err);

/* ---- zstd_encode.c ---- */

/* Levels are 1 to TACO__ZSTD_ENCODE_MAX_LEVEL. */
#define TACO__ZSTD_ENCODE_DEFAULT_LEVEL 3
#define TACO__ZSTD_ENCODE_MAX_LEVEL     19

/* per block: the shortest match has 3 bytes */
#define TACO__ZSTD_ENCODE_MAX_SEQUENCES (TACO__ZSTD_BLOCK_MAX / 3 + 1)

typedef enum taco__zstd_match_kind {
    TACO__ZSTD_MATCH_FAST,   /* one table of hashes */
    TACO__ZSTD_MATCH_DOUBLE, /* two: of 8 bytes and of 5 */
    TACO__ZSTD_MATCH_CHAIN   /* hash chains, checking the next positions */
} taco__zstd_match_kind;

typedef struct taco__zstd_encode_level {
    uint8_t kind;
    uint8_t window, hash, second; /* logarithms: of the window, of the entries of both tables */
    uint8_t width;                /* FAST: number of bytes hashed */
    uint8_t lazy;                 /* CHAIN: positions looked ahead, 0 to 2 */
    uint16_t tries;               /* CHAIN: most candidates checked */
} taco__zstd_encode_level;

typedef struct taco__zstd_encode_sequence {
    uint32_t literals, match; /* match: less 3 */
    uint32_t value;           /* Offset_Value, §3.1.1.3.2.1.1 */
} taco__zstd_encode_sequence;

/* A finite state coder. In a state, (state + bits[symbol]) >> 16 bits are written; the bits above
   them, and find[symbol], lead to the next state. */
typedef struct taco__zstd_encode_fse {
    taco__zstd_fse_counts c;
    uint16_t next[512];
    uint32_t bits[64];
    int32_t find[64];
} taco__zstd_encode_fse;

typedef struct taco__zstd_encode_huf {
    uint64_t code[256]; /* the code in the upper bits, its length in the lowest 8; 0: none */
    unsigned symbols, log;
} taco__zstd_encode_huf;

/* Created by taco__zstd_encode_open in one allocation, followed by the hash tables. */
typedef struct taco__zstd_encoder {
    taco__mem *mem;
    size_t size; /* of the allocation */
    const taco__zstd_encode_level *level;
    uint32_t *hash, *second; /* numbers of positions; see taco__zstd_match_enter */
    uint32_t base;           /* number of the first byte of the part, > 0 */
    uint32_t used;           /* end of the numbers used so far */

    const uint8_t *src; /* the current part */
    size_t len;         /* its length */
    size_t window;      /* longest distance of a match */
    size_t added;       /* CHAIN: positions below this are in the chains */

    uint32_t repeat[3];      /* the last three offsets */
    uint32_t seqs, literals; /* their number in the block */
    taco__zstd_encode_huf huf[2];
    /* of each field: predefined, two that take turns, one for a single code */
    taco__zstd_encode_fse fse[3][4];
    int8_t huf_last;                   /* index of the huf that a later block may reuse, -1 none */
    uint8_t fse_last[3];               /* the same for fse, 0 none */
    uint8_t ll_code[64], ml_code[128]; /* codes of the most common lengths */
    uint32_t base_of[3][53];           /* of each code: see taco__zstd_codes_values */
    uint8_t extra[3][53];
    taco__zstd_encode_sequence seq[TACO__ZSTD_ENCODE_MAX_SEQUENCES];
    uint8_t code[3][TACO__ZSTD_ENCODE_MAX_SEQUENCES];
    uint8_t literal[TACO__ZSTD_BLOCK_MAX + TACO__ZSTD_SLACK];
    uint8_t out[TACO__ZSTD_BLOCK_MAX + 1024 + TACO__ZSTD_SLACK]; /* the block, encoded */
} taco__zstd_encoder;

TACO__FN taco__zstd_encoder *taco__zstd_encode_open(taco__mem *mem, int level, taco_error *err);
TACO__FN void taco__zstd_encode_close(taco__zstd_encoder *e);
TACO__FN bool taco__zstd_encode_bound(size_t n, size_t *bound);
TACO__FN taco_status taco__zstd_encode(taco__zstd_encoder *e, taco_bytes in, bool checksum,
                                       uint8_t *dst, size_t cap, size_t *size, taco_error *err);

/* ---- zstd_encode_match.c ---- */

TACO__FN void taco__zstd_match_block(taco__zstd_encoder *e, size_t from, size_t n);

/* ---- zstd_encode_entropy.c ---- */

TACO__FN void taco__zstd_encode_fse_build(taco__zstd_encode_fse *f);
TACO__FN void taco__zstd_encode_fse_normalize(taco__zstd_fse_counts *c, const uint32_t *freq,
                                              unsigned symbols, uint32_t total, unsigned max_log);
TACO__FN uint8_t *taco__zstd_encode_fse_write_counts(uint8_t *at, const taco__zstd_fse_counts *c);
TACO__FN uint64_t taco__zstd_encode_fse_cost(const taco__zstd_fse_counts *c, const uint32_t *freq,
                                             unsigned symbols);
TACO__FN void taco__zstd_encode_huf_make(taco__zstd_encode_huf *h, const uint32_t *freq);
TACO__FN uint64_t taco__zstd_encode_huf_cost(const taco__zstd_encode_huf *h, const uint32_t *freq);
TACO__FN size_t taco__zstd_encode_huf_write(uint8_t *to, const taco__zstd_encode_huf *h);
TACO__FN uint8_t *taco__zstd_encode_huf_stream(uint8_t *at, uint8_t *stop, const uint64_t *code,
                                               const uint8_t *p, size_t n);
TACO__FN void taco__zstd_encode_huf_count(uint32_t *freq, const uint8_t *p, size_t n);

/* The first state, for the symbol that the decoder reads last. */
TACO__INLINE uint32_t taco__zstd_encode_fse_first(const taco__zstd_encode_fse *f, unsigned s)
{
    unsigned bits = (f->bits[s] + 0x8000U) >> 16;
    uint32_t least = (bits << 16) - f->bits[s];
    return f->next[(int32_t)(least >> bits) + f->find[s]];
}

/* Encodes symbol s, which precedes those coded so far: writes the bits that lead the decoder from
   the state of s to *state, and sets *state to the state of s. */
TACO__INLINE void taco__zstd_encode_fse_step(taco__bit_writer *b, const taco__zstd_encode_fse *f,
                                             uint32_t *state, unsigned s)
{
    unsigned bits = (*state + f->bits[s]) >> 16;
    taco__bit_writer_put(b, *state & ((1U << bits) - 1), bits);
    *state = f->next[(int32_t)(*state >> bits) + f->find[s]];
}

#endif /* TACO__CODEC_ENCODE_H */
