/* encoding_choice.c - which encoding makes a column chunk smallest, found by trying

   In: the values of the chunk's first page that has some; out: l->mode, with a dictionary or not,
   and l->direct, the encoding of pages without one. An encoding that the caller requested is used
   as it is; for AUTO the candidates of the type are encoded and compressed, and the smallest wins,
   or the first of equal ones. Every chunk decides separately; a dictionary that exceeds its limit
   later is abandoned from that page on (page_writer.c).

   A dictionary is stored once per chunk: if it is larger than what it saves in the first page, but
   hardly grows any more, further pages are collected and included in the decision
   (taco__dictionary_trial).

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

/* Computes the size of scratch.trial in the file, into *size. */
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

/* The encodings without dictionary that are worth trying for a leaf, -1 after the last. For FIXED,
   encodings other than PLAIN are only used if the caller requests them. */
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

/* The size of values [at, at + n) in an encoding, into *size. */
static bool taco__encoding_choice_try_direct(taco_pq_writer *w, const taco__leaf_writer *l,
                                             int32_t encoding, size_t at, size_t n, size_t *size)
{
    w->scratch.trial.len = 0;
    return taco__encoding_choice_encode(w, l, encoding, at, n, &w->scratch.trial) &&
           taco__encoding_choice_measure(w, l, size);
}

/* Measures the dictionary and the indices of its n values. */
static bool taco__encoding_choice_try_dictionary(taco_pq_writer *w, taco__leaf_writer *l, size_t n)
{
    taco__buf *trial = &w->scratch.trial;
    taco__dictionary_trial *t = &l->trial;
    trial->len = 0;
    if (!taco__dict_builder_append_plain(&l->dict, trial, &w->err)) { return false; }
    t->plain = trial->len;
    if (!taco__encoding_choice_measure(w, l, &t->dictionary)) { return false; }
    trial->len = 0;
    return taco__encode_indices(trial, taco__dict_builder_indices(&l->dict), n,
                                l->dict.values.count, &w->err) &&
           taco__encoding_choice_measure(w, l, &t->indices);
}

/* Whether the caller left the encoding of pages without dictionary open. */
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

/* Bits of an index into the current dictionary. */
static unsigned taco__encoding_choice_index_width(const taco__leaf_writer *l)
{
    return 64 - taco__plat_clz64((uint64_t)(l->dict.values.count - 1) | 1);
}

/* Sets the sums of the trial for n values, extrapolating from the first page. */
static void taco__encoding_choice_add_up(taco__leaf_writer *l, size_t n)
{
    taco__dictionary_trial *t = &l->trial;
    const taco__plain_values *v = &l->dict.values;
    uint64_t plain = v->bytes.len + (v->width ? 0 : 4 * (uint64_t)v->count);
    uint64_t indices = (uint64_t)t->indices * taco__encoding_choice_index_width(l) / t->width;
    t->direct_sum = (uint64_t)t->direct * n / t->values;
    t->dictionary_sum =
        plain * t->dictionary / TACO__MAX(t->plain, (size_t)1) + indices * n / t->values;
}

/* Adds values [at, at + n) to the dictionary; *fits is false if they make it too large, or the
   first of them are all distinct, so that a dictionary would save nothing. *early: its size after
   those first ones. */
static bool taco__encoding_choice_add_first(taco_pq_writer *w, taco__leaf_writer *l, size_t at,
                                            size_t n, size_t *early, bool *fits)
{
    const size_t most = w->opt.dictionary_bytes, few = TACO__PQ_TRIAL_VALUES;
    *early = 0;
    if (l->settings.encoding == TACO_ENCODING_AUTO && n > few) {
        if (!taco__dict_builder_add_values(&l->dict, &l->input.values, at, few, most, fits,
                                           &w->err)) {
            return false;
        }
        *early = l->dict.values.count;
        *fits = *fits && *early < few;
        if (!*fits) { return true; }
    }
    return taco__dict_builder_add_values(&l->dict, &l->input.values, at, n, most, fits, &w->err);
}

/* Whether the values after the first few take less space with a dictionary than without, counting
   half of what they add to it: then it may pay over many more pages, as a dictionary usually grows
   more and more slowly. */
static bool taco__encoding_choice_saturates(const taco__leaf_writer *l, size_t early)
{
    const taco__dictionary_trial *t = &l->trial;
    uint64_t count = l->dict.values.count, rest;
    if (t->values <= TACO__PQ_TRIAL_VALUES || t->indices >= t->direct) { return false; }
    rest = (uint64_t)(t->direct - t->indices) * (t->values - TACO__PQ_TRIAL_VALUES) / t->values;
    return t->dictionary * (count - early) / count / 2 < rest;
}

/* Decides from the first page that has values. */
static bool taco__encoding_choice_first_page(taco_pq_writer *w, taco__leaf_writer *l, size_t at,
                                             size_t n, bool all)
{
    size_t early;
    taco__dictionary_trial *t = &l->trial;
    taco__dict_builder_clear(&l->dict);
    if (!taco__encoding_choice_add_first(w, l, at, n, &early, &l->indexed)) { return false; }
    if (!l->indexed) { return true; }
    if (l->settings.encoding != TACO_ENCODING_AUTO) {
        l->mode = TACO__DICTIONARY_USED;
        return true;
    }
    /* if no value occurs twice, the dictionary equals PLAIN, and the indices come on top */
    if (l->dict.values.count == n) { return true; }
    t->values = t->seen = n;
    t->width = taco__encoding_choice_index_width(l);
    if (!taco__encoding_choice_try_direct(w, l, l->direct, at, n, &t->direct) ||
        !taco__encoding_choice_try_dictionary(w, l, n)) {
        return false;
    }
    t->direct_sum = t->direct;
    t->dictionary_sum = (uint64_t)t->dictionary + t->indices;
    l->mode = t->dictionary_sum < t->direct_sum                   ? TACO__DICTIONARY_USED
              : !all && taco__encoding_choice_saturates(l, early) ? TACO__DICTIONARY_UNDECIDED
                                                                  : TACO__DICTIONARY_UNUSED;
    return true;
}

/* Decides after one more page: until a dictionary pays, or that page alone would have been smaller
   without. */
static bool taco__encoding_choice_next_page(taco_pq_writer *w, taco__leaf_writer *l, size_t at,
                                            size_t n, bool all)
{
    taco__dictionary_trial *t = &l->trial;
    const uint64_t direct = t->direct_sum, dictionary = t->dictionary_sum;
    bool fits;
    l->indexed = false; /* the indices are those of the last of several pages */
    if (!taco__dict_builder_add_values(&l->dict, &l->input.values, at + t->seen, n - t->seen,
                                       w->opt.dictionary_bytes, &fits, &w->err)) {
        return false;
    }
    if (!fits) { return true; }
    t->seen = n;
    taco__encoding_choice_add_up(l, n);
    if (t->dictionary_sum < t->direct_sum) {
        l->mode = TACO__DICTIONARY_USED;
    } else if (!all && t->pages < TACO__PQ_TRIAL_PAGES && t->bytes < TACO__PQ_TRIAL_BYTES &&
               t->dictionary_sum - dictionary < t->direct_sum - direct) {
        l->mode = TACO__DICTIONARY_UNDECIDED;
    }
    return true;
}

TACO__FN bool taco__encoding_choice_choose(taco_pq_writer *w, taco__leaf_writer *l, size_t at,
                                           size_t n, bool all)
{
    l->mode = TACO__DICTIONARY_UNUSED;
    if (l->trial.pages) {
        if (!taco__encoding_choice_next_page(w, l, at, n, all)) { return false; }
    } else {
        if (!taco__encoding_choice_choose_direct(w, l, at, n)) { return false; }
        if (l->schema.type == TACO__PQ_BOOLEAN || !taco__encoding_choice_is_open(l)) {
            return true;
        }
        if (!taco__encoding_choice_first_page(w, l, at, n, all)) { return false; }
    }
    if (l->mode == TACO__DICTIONARY_UNUSED) {
        taco__dict_builder_clear(&l->dict);
        l->indexed = false;
    }
    return true;
}
