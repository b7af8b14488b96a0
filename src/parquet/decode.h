/* decode.h - decoders for Parquet's encodings, and operations on decoded values

   A decoder is a small state over the value section of one page, which it borrows. _open parses the
   header of the section, _read returns the next n values, _skip steps over them, in any mixture;
   values past the end of the section are TRUNCATED. Nothing is allocated except DELTA_BYTE_ARRAY's
   last value and text output. Functions that can fail return false and fill err; its offset counts
   from the start of the bytes given to _open. After a failure, only another _open (or _free) is
   valid.

     taco__rle            rle.c                   RLE and bit-packed hybrid, BIT_PACKED: indices,
                                                  levels, validity, booleans, dictionary values
     taco__plain          plain.c                 PLAIN: fixed width, text; _read_bits for BOOLEAN
     taco__delta_int      delta_binary_packed.c   DELTA_BINARY_PACKED: int32, int64
     taco__delta_len      delta_byte_array.c      DELTA_LENGTH_BYTE_ARRAY: text
     taco__delta_bytes    delta_byte_array.c      DELTA_BYTE_ARRAY: text, fixed width
     taco__stream_split   byte_stream_split.c     BYTE_STREAM_SPLIT: fixed width
     taco__values_*       values.c                fill, narrow, decimals; room for decoded values
     taco__spacing_*      spacing.c               from packed values to rows; levels to bits
     taco__take_*         arrow/take.c            values by index: dictionaries, selections

   Values are packed: nulls take no space; taco__spacing_* moves them to their rows afterwards. dst
   buffers need TACO__PAD bytes of room after the n values, which may be overwritten. "Numeric"
   fixed-width values become native integers or floats; others (FIXED, INT96, UUID) stay as bytes.
   Text is appended to a growing taco__buf, with offsets: offsets[0] is set to the old data->len,
   offsets[n] to the new one, so that n + 1 entries need room and the next read continues at offsets
   + n. More than INT32_MAX bytes: LIMIT. `count` of an _open is the number of values its page
   header promises, nulls included: an upper bound for headers of the encoding.

   Spec: parquet-format Encodings.md. */
#ifndef TACO__PARQUET_DECODE_H
#define TACO__PARQUET_DECODE_H

#include "../base/base.h"
#include "../arrow/arrow.h"

/* ---- rle.c: RLE and bit-packed hybrid; BIT_PACKED ---- */

/* Runs of one value, and runs of packed values in groups of eight. With a width of 0 all values are
   0, and what the runs say is ignored. */
typedef struct taco__rle {
    taco_bytes bytes;
    size_t at;      /* next byte to parse */
    size_t run;     /* first byte of the run's packed values, or its repeated value */
    size_t used;    /* values read from a packed run */
    size_t left;    /* values left in the run */
    uint32_t value; /* the repeated value */
    unsigned width; /* bits per value, at most 32 */
    bool packed;    /* the current run is packed */
    bool msb;       /* BIT_PACKED: most significant bit first, one run */
} taco__rle;

TACO__FN bool taco__rle_open(taco__rle *r, taco_bytes bytes, unsigned width, taco_error *err);
/* BIT_PACKED: one run of all the bytes, most significant bit first. */
TACO__FN bool taco__rle_open_msb(taco__rle *r, taco_bytes bytes, unsigned width, taco_error *err);
/* Parses run headers until there are values; called when none are left. `missing` is for the
   message. */
TACO__FN bool taco__rle_next_run(taco__rle *r, size_t missing, taco_error *err);
/* Dictionary indices, each checked to be less than entries (<= 2^31). */
TACO__FN bool taco__rle_read_indices(taco__rle *r, int32_t *dst, size_t n, size_t entries,
                                     taco_error *err);
/* The same, but returns the values of width bytes at those indices. */
TACO__FN bool taco__rle_read_dict(taco__rle *r, void *dst, const void *dict, size_t width,
                                  size_t entries, size_t n, taco_error *err);
/* Whether the next n values are all x, in one run. */
TACO__FN bool taco__rle_is_run_of(const taco__rle *r, size_t n, uint32_t x);
/* Levels up to max (<= INT16_MAX). */
TACO__FN bool taco__rle_read_levels(taco__rle *r, int16_t *dst, size_t n, unsigned max,
                                    taco_error *err);
/* Values of width 1 (or 0) straight into a bitmap: definition levels of a flat nullable column,
   booleans. Sets *ones, the number of valid rows. */
TACO__FN bool taco__rle_read_validity(taco__rle *r, uint8_t *bitmap, size_t bit, size_t n,
                                      size_t *ones, taco_error *err);
TACO__FN bool taco__rle_skip(taco__rle *r, size_t n, taco_error *err);
/* Skips n values and sets *equal to how many of them were `level`: for definition levels, the
   number of non-null values to skip. */
TACO__FN bool taco__rle_skip_count(taco__rle *r, size_t n, unsigned level, size_t *equal,
                                   taco_error *err);

/* ---- plain.c: PLAIN ---- */

typedef struct taco__plain {
    taco_bytes bytes;
    size_t at;    /* next byte; for BOOLEAN, the byte that holds the next bit */
    unsigned bit; /* BOOLEAN: next bit of that byte */
} taco__plain;

TACO__FN void taco__plain_open(taco__plain *p, taco_bytes bytes);
/* n values of `width` bytes. */
TACO__FN bool taco__plain_read(taco__plain *p, void *dst, size_t width, bool numeric, size_t n,
                               taco_error *err);
TACO__FN bool taco__plain_skip(taco__plain *p, size_t width, size_t n, taco_error *err);
/* BOOLEAN, into the bits of a bitmap from dst_bit on. */
TACO__FN bool taco__plain_read_bits(taco__plain *p, uint8_t *dst, size_t dst_bit, size_t n,
                                    taco_error *err);
TACO__FN bool taco__plain_skip_bits(taco__plain *p, size_t n, taco_error *err);
/* BYTE_ARRAY: a 4-byte length before each value. */
TACO__FN bool taco__plain_read_text(taco__plain *p, taco__buf *data, int32_t *offsets, size_t n,
                                    taco_error *err);
TACO__FN bool taco__plain_skip_text(taco__plain *p, size_t n, taco_error *err);
/* Explains why there is no value at byte `at`, with `missing` more to read; false. */
TACO__FN TACO__COLD bool taco__plain_fail_text(const taco__plain *p, size_t at, size_t missing,
                                               taco_error *err);

/* Swaps n numbers of `width` bytes from or to little-endian on big-endian machines. */
TACO__INLINE void taco__plain_swap_bytes(void *dst, size_t width, size_t n)
{
    uint8_t *d = (uint8_t *)dst;
    size_t i;
    if (!TACO__BIG_ENDIAN) { return; }
    for (i = 0; i < n; i++, d += width) {
        if (width == 8) {
            uint64_t x = taco__load_le64(d);
            memcpy(d, &x, 8);
        } else if (width == 4) {
            uint32_t x = taco__load_le32(d);
            memcpy(d, &x, 4);
        } else if (width == 2) {
            uint16_t x = taco__load_le16(d);
            memcpy(d, &x, 2);
        }
    }
}

/* ---- delta_binary_packed.c: DELTA_BINARY_PACKED ---- */

/* A first value, then blocks of deltas: the minimum, and for each miniblock the differences from
   it, packed in as many bits as the miniblock needs. */
typedef struct taco__delta_int {
    taco_bytes bytes;
    size_t at;        /* next byte to parse: a block, or the miniblock after the current one */
    uint64_t left;    /* values not yet returned */
    uint64_t value;   /* the last value, or the first while `begun` is false */
    uint64_t least;   /* minimum delta of the block, added to each */
    size_t per_mini;  /* values per miniblock */
    size_t minis;     /* miniblocks per block */
    size_t mini;      /* miniblocks of the block begun */
    size_t widths;    /* offset of the block's list of bit widths */
    size_t run;       /* first byte of the current miniblock */
    size_t used;      /* values read from that run */
    size_t mini_left; /* values left in that run, which may span miniblocks of the same width */
    unsigned width;   /* bit width of the run */
    unsigned bits;    /* bits per value: 32 or 64 */
    bool begun;       /* the first value has been returned */
} taco__delta_int;

/* The header begins at byte `from`. bits: 32 for int32 and lengths, else 64. An empty section has
   no values: a page of nulls only. */
TACO__FN bool taco__delta_int_open(taco__delta_int *d, taco_bytes bytes, size_t from,
                                   uint64_t count, unsigned bits, taco_error *err);
TACO__FN bool taco__delta_int_read64(taco__delta_int *d, int64_t *dst, size_t n, taco_error *err);
TACO__FN bool taco__delta_int_read32(taco__delta_int *d, int32_t *dst, size_t n, taco_error *err);
TACO__FN bool taco__delta_int_skip(taco__delta_int *d, size_t n, taco_error *err);
/* Sets *end to the byte after the last miniblock, where the next part of a page begins. d must have
   just been opened. */
TACO__FN bool taco__delta_int_find_end(const taco__delta_int *d, size_t *end, taco_error *err);

/* ---- delta_byte_array.c: DELTA_LENGTH_BYTE_ARRAY, DELTA_BYTE_ARRAY ---- */

/* All lengths, then all texts. */
typedef struct taco__delta_len {
    taco__delta_int lengths;
    size_t at; /* first byte of the next text */
} taco__delta_len;

/* Each value is a prefix of the one before plus a suffix: all prefix lengths, then the suffixes as
   DELTA_LENGTH_BYTE_ARRAY. */
typedef struct taco__delta_bytes {
    taco__delta_int prefixes;
    taco__delta_len suffixes;
    taco__buf last; /* the previous value */
} taco__delta_bytes;

TACO__FN bool taco__delta_len_open(taco__delta_len *s, taco_bytes bytes, size_t from,
                                   uint64_t count, taco_error *err);
TACO__FN bool taco__delta_len_read_text(taco__delta_len *s, taco__buf *data, int32_t *offsets,
                                        size_t n, taco_error *err);
TACO__FN bool taco__delta_len_skip(taco__delta_len *s, size_t n, taco_error *err);
/* _init once, _open for each page, _free at the end. */
TACO__FN void taco__delta_bytes_init(taco__delta_bytes *s, taco__mem *mem);
TACO__FN void taco__delta_bytes_free(taco__delta_bytes *s);
TACO__FN bool taco__delta_bytes_open(taco__delta_bytes *s, taco_bytes bytes, uint64_t count,
                                     taco_error *err);
TACO__FN bool taco__delta_bytes_read_text(taco__delta_bytes *s, taco__buf *data, int32_t *offsets,
                                          size_t n, taco_error *err);
/* FIXED_LEN_BYTE_ARRAY: every value must have `width` bytes. */
TACO__FN bool taco__delta_bytes_read_fixed(taco__delta_bytes *s, void *dst, size_t width, size_t n,
                                           taco_error *err);
TACO__FN bool taco__delta_bytes_skip(taco__delta_bytes *s, size_t n, taco_error *err);

/* ---- byte_stream_split.c: BYTE_STREAM_SPLIT ---- */

/* Stream k holds the k-th bytes of all values. */
typedef struct taco__stream_split {
    taco_bytes bytes;
    size_t width;  /* bytes per value, and number of streams */
    size_t stride; /* number of values, which is also the distance between streams */
    size_t at;     /* the next value */
} taco__stream_split;

TACO__FN bool taco__stream_split_open(taco__stream_split *s, taco_bytes bytes, size_t width,
                                      taco_error *err);
TACO__FN bool taco__stream_split_read(taco__stream_split *s, void *dst, bool numeric, size_t n,
                                      taco_error *err);
TACO__FN bool taco__stream_split_skip(taco__stream_split *s, size_t n, taco_error *err);

/* ---- values.c ---- */

/* n copies of one value of `width` bytes. */
TACO__FN void taco__values_fill(void *dst, const void *value, size_t width, size_t n);
/* n INT32 values to their low `width` bytes, 1 or 2, in place. */
TACO__FN void taco__values_narrow(void *values, size_t width, size_t n);
/* Decimals to little-endian two's complement of dst_width bytes, 16 or 32 (taco_field.width). Byte
   sources are big-endian, of src_width bytes or between offsets; CORRUPT if a value does not
   fit. */
TACO__FN void taco__values_decimal_int32(uint8_t *dst, size_t dst_width, const int32_t *src,
                                         size_t n);
TACO__FN void taco__values_decimal_int64(uint8_t *dst, size_t dst_width, const int64_t *src,
                                         size_t n);
TACO__FN bool taco__values_decimal_fixed(uint8_t *dst, size_t dst_width, const uint8_t *src,
                                         size_t src_width, size_t n, taco_error *err);
TACO__FN bool taco__values_decimal_text(uint8_t *dst, size_t dst_width, const uint8_t *data,
                                        const int32_t *offsets, size_t n, taco_error *err);

/* Non-null values of one leaf in memory form (taco_field.width): a batch, or a dictionary. */
typedef struct taco__values {
    taco__buf fixed;   /* values of fixed width; a bitmap for BOOL; int32 indices if is_indices */
    taco__buf offsets; /* int32, count + 1 of them, for byte arrays */
    taco__buf bytes;
    size_t count;
    bool is_indices; /* the values are indices into the dictionary of the chunk */
} taco__values;

TACO__FN void taco__values_init(taco__values *s, taco__mem *mem);
/* Drops the values and keeps the memory. */
TACO__FN void taco__values_clear(taco__values *s);
TACO__FN void taco__values_free(taco__values *s);
/* Makes room for n more values of width bytes and returns where they go; NULL on failure. The
   caller adds them to s->count. _bits returns the whole bitmap, whose next bit is s->count;
   _offsets returns where the n + 1 offsets go. */
TACO__FN uint8_t *taco__values_reserve(taco__values *s, size_t width, size_t n, taco_error *err);
TACO__FN uint8_t *taco__values_reserve_bits(taco__values *s, size_t n, taco_error *err);
TACO__FN int32_t *taco__values_reserve_offsets(taco__values *s, size_t n, taco_error *err);

/* ---- spacing.c ---- */

/* Moves n_valid packed values to the rows whose validity bit (from `bit` on) is set, in place;
   n_valid is the number of those bits. Rows without a value get some other value or zero. _offsets
   turns n_valid + 1 offsets into n_rows + 1, with texts of length 0 at nulls; _bits puts 0
   there. */
TACO__FN void taco__spacing_values(void *values, size_t width, const uint8_t *validity, size_t bit,
                                   size_t n_rows, size_t n_valid);
TACO__FN void taco__spacing_offsets(int32_t *offsets, const uint8_t *validity, size_t bit,
                                    size_t n_rows, size_t n_valid);
TACO__FN void taco__spacing_bits(uint8_t *values, size_t values_bit, const uint8_t *validity,
                                 size_t bit, size_t n_rows, size_t n_valid);
/* Bit i is set if levels[i] >= least, for n <= 64 levels. */
TACO__FN uint64_t taco__spacing_level_word(const int16_t *levels, size_t n, int16_t least);

#endif /* TACO__PARQUET_DECODE_H */
