/* encoding_choice.c - which encoding makes a column chunk smallest, found by trying

   In: the values of the chunk's first page that has some; out: l->mode, with a dictionary or not,
   and l->direct, the encoding of pages without one. An encoding that the caller asked for is taken
   as it is; for AUTO the candidates of the type are encoded and compressed, and the smallest wins,
   the first on equal terms. Every chunk chooses anew; a dictionary that outgrows its limit later
   is given up from that page on (page_writer.c).

   Start reading at taco__encoding_choice_choose. The encodings are in encode.c. */
#include "parquet_write.h"
#include "../base/base.h"
#include "../parquet/parquet.h"

/* PLAIN of each physical type (Encodings.md). */
static bool taco__encoding_choice_encode_plain(const taco__leaf_writer *l, const uint8_t *v,
                                               const uint32_t *offsets, size_t n, taco__buf *out,
                                               taco_error *err)
{
    const taco__plain_values *from = &l->input.values;
    return l->schema.type == TACO__PQ_BOOLEAN ? taco__encode_bools(out, v, n, err)
           : from->width                      ? taco__buf_append(out, v, n * from->width, err)
                         : taco__encode_byte_arrays(out, from->bytes.data, offsets, n, err);
}

TACO__FN bool taco__encoding_choice_encode(taco_pq_writer *w, const taco__leaf_writer *l,
                                           int32_t encoding, size_t at, size_t n, taco__buf *out)
{
    const taco__plain_values *from = &l->input.values;
    const uint8_t *all = from->bytes.data, *v = n ? all + at * from->width : NULL;
    const uint32_t *offsets = from->width || !n ? NULL : taco__plain_values_offsets(from) + at;
    size_t bytes;
    if (!taco__checked_mul_size(n, 4, &bytes) ||
        !taco__buf_reset(&w->scratch.lengths, bytes, &w->err)) {
        return false;
    }
    switch (encoding) {
    case TACO__PQ_ENC_RLE: return taco__encode_bools_rle(out, v, n, &w->err);
    case TACO__PQ_ENC_DELTA_BINARY_PACKED:
        return taco__encode_delta(out, v, from->width, n, &w->err);
    case TACO__PQ_ENC_DELTA_LENGTH_BYTE_ARRAY:
        return taco__encode_delta_length(out, all, offsets, n, w->scratch.lengths.data, &w->err);
    case TACO__PQ_ENC_DELTA_BYTE_ARRAY:
        return taco__encode_delta_strings(out, from->width ? v : all, offsets, from->width, n,
                                          w->scratch.lengths.data, &w->err);
    case TACO__PQ_ENC_BYTE_STREAM_SPLIT:
        return taco__encode_byte_stream_split(out, v, from->width, n, &w->err);
    default: return taco__encoding_choice_encode_plain(l, v, offsets, n, out, &w->err);
    }
}

/* The bytes that scratch.trial takes in the file, into *size. */
static bool taco__encoding_choice_measure(taco_pq_writer *w, const taco__leaf_writer *l,
                                          size_t *size)
{
    const taco__buf *trial = &w->scratch.trial;
    *size = trial->len;
    if (l->settings.codec == TACO__PQ_CODEC_NONE) { return true; }
    w->scratch.packed.len = 0;
    if (!taco__compress_append(w, &l->settings, taco__bytes_of(trial->data, trial->len),
                               &w->scratch.packed)) {
        return false;
    }
    *size = w->scratch.packed.len;
    return true;
}

/* The encodings without dictionary that are worth trying for a leaf, -1 after the last. What
   FIXED can have beside PLAIN is only used where the caller asks for it. */
static const int8_t *taco__encoding_choice_candidates(const taco__leaf_writer *l)
{
    static const int8_t boolean[] = {TACO__PQ_ENC_PLAIN, TACO__PQ_ENC_RLE, -1};
    static const int8_t whole[] = {TACO__PQ_ENC_PLAIN, TACO__PQ_ENC_DELTA_BINARY_PACKED, -1};
    static const int8_t real[] = {TACO__PQ_ENC_PLAIN, TACO__PQ_ENC_BYTE_STREAM_SPLIT, -1};
    static const int8_t bytes[] = {TACO__PQ_ENC_PLAIN, TACO__PQ_ENC_DELTA_LENGTH_BYTE_ARRAY,
                                   TACO__PQ_ENC_DELTA_BYTE_ARRAY, -1};
    static const int8_t plain[] = {TACO__PQ_ENC_PLAIN, -1};
    if (l->settings.arrow_dictionary) { return plain; }
    switch (l->schema.type) {
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
static bool taco__encoding_choice_try_direct(taco_pq_writer *w, const taco__leaf_writer *l,
                                             int32_t encoding, size_t at, size_t n, size_t *size)
{
    w->scratch.trial.len = 0;
    return taco__encoding_choice_encode(w, l, encoding, at, n, &w->scratch.trial) &&
           taco__encoding_choice_measure(w, l, size);
}

/* What the dictionary and the indices of its last n values take, into *size. */
static bool taco__encoding_choice_try_dictionary(taco_pq_writer *w, const taco__leaf_writer *l,
                                                 size_t n, size_t *size)
{
    taco__buf *trial = &w->scratch.trial;
    size_t indices;
    trial->len = 0;
    if (!taco__dict_builder_append_plain(&l->dict, trial, &w->err) ||
        !taco__encoding_choice_measure(w, l, size)) {
        return false;
    }
    trial->len = 0;
    if (!taco__encode_indices(trial, taco__dict_builder_indices(&l->dict), n, l->dict.values.count,
                              &w->err) ||
        !taco__encoding_choice_measure(w, l, &indices)) {
        return false;
    }
    *size += indices;
    return true;
}

/* Whether the caller leaves open what pages without dictionary look like. */
static bool taco__encoding_choice_is_open(const taco__leaf_writer *l)
{
    return l->settings.encoding == TACO_ENCODING_AUTO ||
           l->settings.encoding == TACO_ENCODING_DICTIONARY;
}

TACO__FN bool taco__encoding_choice_choose_direct(taco_pq_writer *w, taco__leaf_writer *l,
                                                  size_t at, size_t n)
{
    const int8_t *c = taco__encoding_choice_candidates(l);
    size_t size, best = SIZE_MAX;
    if (!taco__encoding_choice_is_open(l)) {
        l->direct = taco__write_options_encoding(&l->schema, l->settings.encoding);
        return true;
    }
    n = TACO__MIN(n, (size_t)TACO__PQ_TRIAL_VALUES);
    for (; *c >= 0; c++) {
        if (!taco__encoding_choice_try_direct(w, l, *c, at, n, &size)) { return false; }
        if (size < best) {
            best = size;
            l->direct = *c;
        }
    }
    return true;
}

/* Whether the dictionary just made of n values is smaller than l->direct. Where no value comes
   twice it is what PLAIN is, and the indices come on top. */
static bool taco__encoding_choice_compare(taco_pq_writer *w, taco__leaf_writer *l, size_t at,
                                          size_t n, bool *smaller)
{
    size_t direct, dictionary;
    *smaller = false;
    if (l->dict.values.count == n) { return true; }
    if (!taco__encoding_choice_try_direct(w, l, l->direct, at, n, &direct) ||
        !taco__encoding_choice_try_dictionary(w, l, n, &dictionary)) {
        return false;
    }
    *smaller = dictionary < direct;
    return true;
}

/* Whether the first values all differ, so that a dictionary of all would save nothing. */
static bool taco__encoding_choice_repeats(taco_pq_writer *w, taco__leaf_writer *l, size_t at,
                                          size_t n, bool *repeats)
{
    bool fits;
    *repeats = true;
    if (l->settings.encoding != TACO_ENCODING_AUTO || n <= TACO__PQ_TRIAL_VALUES) { return true; }
    n = TACO__PQ_TRIAL_VALUES;
    if (!taco__dict_builder_add_values(&l->dict, &l->input.values, at, n, w->opt.dictionary_bytes,
                                       &fits, &w->err)) {
        return false;
    }
    *repeats = fits && l->dict.values.count < n;
    return true;
}

TACO__FN bool taco__encoding_choice_choose(taco_pq_writer *w, taco__leaf_writer *l, size_t at,
                                           size_t n)
{
    bool fits = false;
    l->mode = TACO__DICTIONARY_UNUSED;
    if (!taco__encoding_choice_choose_direct(w, l, at, n)) { return false; }
    if (l->schema.type == TACO__PQ_BOOLEAN || !taco__encoding_choice_is_open(l)) { return true; }
    taco__dict_builder_clear(&l->dict);
    if (!taco__encoding_choice_repeats(w, l, at, n, &fits) ||
        (fits && !taco__dict_builder_add_values(&l->dict, &l->input.values, at, n,
                                                w->opt.dictionary_bytes, &fits, &w->err))) {
        return false;
    }
    if (fits && l->settings.encoding == TACO_ENCODING_AUTO &&
        !taco__encoding_choice_compare(w, l, at, n, &fits)) {
        return false;
    }
    if (fits) {
        l->mode = TACO__DICTIONARY_USED;
    } else {
        taco__dict_builder_clear(&l->dict);
    }
    return true;
}
