/* encoding_choice.c - batches to column chunks, pages, indexes and the footer.. Spec:
   parquet-format, parquet.thrift, PageIndex.md, BloomFilter.md */
#include "parquet_write.h"
#include "../base/base.h"
#include "../parquet/parquet.h"

/* ---- pages
   ------------------------------------------------------------------------------------------- */

/* Appends values [at, at + n) in one of the encodings without dictionary. */
TACO__FN bool taco__encoding_choice_encode(taco_pq_writer *w, taco__leaf_writer *l,
                                           int32_t encoding, size_t at, size_t n, taco__buf *out)
{
    const uint8_t *v = l->values.data + at * l->width;
    const uint32_t *offsets =
        l->width || !n ? NULL : (const uint32_t *)(const void *)l->offsets.data + at;
    size_t bytes;
    if (n == 0) { v = NULL; }
    if (!taco__checked_mul_size(n, 4, &bytes) || !taco__buf_reset(&w->lengths, bytes, &w->err)) {
        return false;
    }
    switch (encoding) {
    case TACO__PQ_ENC_RLE: return taco__encode_bools_rle(out, v, n, &w->err);
    case TACO__PQ_ENC_DELTA_BINARY_PACKED: return taco__encode_delta(out, v, l->width, n, &w->err);
    case TACO__PQ_ENC_DELTA_LENGTH_BYTE_ARRAY:
        return taco__encode_delta_length(out, l->values.data, offsets, n, w->lengths.data, &w->err);
    case TACO__PQ_ENC_DELTA_BYTE_ARRAY:
        return taco__encode_delta_strings(out, l->width ? v : l->values.data, offsets, l->width, n,
                                          w->lengths.data, &w->err);
    case TACO__PQ_ENC_BYTE_STREAM_SPLIT:
        return taco__encode_byte_stream_split(out, v, l->width, n, &w->err);
    default:
        return l->type == TACO__PQ_BOOLEAN ? taco__encode_bools(out, v, n, &w->err)
               : l->width                  ? taco__buf_append(out, v, n * l->width, &w->err)
                          : taco__encode_byte_arrays(out, l->values.data, offsets, n, &w->err);
    }
}

/* What bytes take in the file, into *size. */
static bool taco__encoding_choice_measure(taco_pq_writer *w, const taco__leaf_writer *l,
                                          const taco__buf *b, size_t *size)
{
    *size = b->len;
    if (l->codec == TACO__PQ_CODEC_NONE) { return true; }
    w->packed.len = 0;
    if (!taco__compress_append(w, l, taco__bytes_of(b->data, b->len), &w->packed)) { return false; }
    *size = w->packed.len;
    return true;
}

/* The encodings that are tried for a leaf, -1 behind the last. */
static const int8_t *taco__encoding_choice_candidates(const taco__leaf_writer *l)
{
    static const int8_t boolean[] = {TACO__PQ_ENC_PLAIN, TACO__PQ_ENC_RLE, -1};
    static const int8_t whole[] = {TACO__PQ_ENC_PLAIN, TACO__PQ_ENC_DELTA_BINARY_PACKED, -1};
    static const int8_t real[] = {TACO__PQ_ENC_PLAIN, TACO__PQ_ENC_BYTE_STREAM_SPLIT, -1};
    static const int8_t bytes[] = {TACO__PQ_ENC_PLAIN, TACO__PQ_ENC_DELTA_LENGTH_BYTE_ARRAY,
                                   TACO__PQ_ENC_DELTA_BYTE_ARRAY, -1};
    static const int8_t plain[] = {TACO__PQ_ENC_PLAIN, -1};
    if (l->coded) { return plain; }
    switch (l->type) {
    case TACO__PQ_BOOLEAN: return boolean;
    case TACO__PQ_INT32:
    case TACO__PQ_INT64: return whole;
    case TACO__PQ_FLOAT:
    case TACO__PQ_DOUBLE: return real;
    case TACO__PQ_BYTE_ARRAY: return bytes;
    default: return plain;
    }
}

/* What values [at, at + n) take in an encoding, into *size. */
static bool taco__encoding_choice_try_encoding(taco_pq_writer *w, taco__leaf_writer *l,
                                               int32_t encoding, size_t at, size_t n, size_t *size)
{
    w->trial.len = 0;
    return taco__encoding_choice_encode(w, l, encoding, at, n, &w->trial) &&
           taco__encoding_choice_measure(w, l, &w->trial, size);
}

/* Sets l->direct to the encoding that makes the values smallest, or the first thousands of them. */
TACO__FN bool taco__encoding_choice_choose_direct(taco_pq_writer *w, taco__leaf_writer *l,
                                                  size_t at, size_t n)
{
    const int8_t *c = taco__encoding_choice_candidates(l);
    size_t size, best = SIZE_MAX;
    if (l->wish != TACO_ENCODING_AUTO && l->wish != TACO_ENCODING_DICTIONARY) {
        l->direct = taco__write_options_encoding(l, l->wish);
        return true;
    }
    for (; *c >= 0; c++) {
        if (!taco__encoding_choice_try_encoding(
                w, l, *c, at, TACO__MIN(n, (size_t)TACO__PQ_WRITER_TRIAL), &size)) {
            return false;
        }
        if (size < best) {
            best = size;
            l->direct = *c;
        }
    }
    return true;
}

/* How the chunk is encoded, by the values of its first page that has some. */
TACO__FN bool taco__encoding_choice_choose(taco_pq_writer *w, taco__leaf_writer *l, size_t at,
                                           size_t n)
{
    size_t best, size, more;
    bool fits = false;
    l->mode = TACO__DICTIONARY_UNUSED;
    if (!taco__encoding_choice_choose_direct(w, l, at, n)) { return false; }
    if (l->type == TACO__PQ_BOOLEAN ||
        (l->wish != TACO_ENCODING_AUTO && l->wish != TACO_ENCODING_DICTIONARY)) {
        return true;
    }
    l->dict_count = l->slot_count = l->dict.len = 0;
    if (!taco__dict_builder_add_values(w, l, at, n, &fits)) { return false; }
    /* where no value comes twice the dictionary is what PLAIN is, and the indices come on top */
    if (l->wish == TACO_ENCODING_AUTO && l->dict_count == n) {
        fits = false;
    } else if (fits && l->wish == TACO_ENCODING_AUTO) {
        if (!taco__encoding_choice_try_encoding(w, l, l->direct, at, n, &best)) { return false; }
        w->trial.len = 0;
        if (!taco__dict_builder_append_plain(l, &w->trial, &w->err) ||
            !taco__encoding_choice_measure(w, l, &w->trial, &size)) {
            return false;
        }
        w->trial.len = 0;
        if (!taco__encode_indices(&w->trial, (const uint32_t *)(const void *)l->indices.data, n,
                                  l->dict_count, &w->err) ||
            !taco__encoding_choice_measure(w, l, &w->trial, &more)) {
            return false;
        }
        fits = size + more < best;
    }
    if (fits) {
        l->mode = TACO__DICTIONARY_USED;
    } else {
        l->dict_count = l->dict.len = 0;
    }
    return true;
}
