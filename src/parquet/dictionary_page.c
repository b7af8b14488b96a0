/* dictionary_page.c - the dictionary of a column chunk, and batches of indices into it

   In: a dictionary page, PLAIN values before the first data page of a chunk; out: its values in
   memory form (r->dict): later pages look them up, batches that keep indices refer to them, and
   filters test them before the rows. Spec: parquet-format Encodings.md "Dictionary Encoding".

   A dictionary is read for every chunk, often for only a few rows, so copies matter: numbers in a
   decompressed or cached page are used in place, and the texts of a decompressed page are compacted
   in place, over their lengths. */
#include "parquet.h"
#include "../base/base.h"
#include "../arrow/arrow.h"

TACO__FN bool taco__dictionary_copy_text(const taco__dictionary *d, taco__buf *bytes,
                                         int32_t *offsets, const int32_t *idx, size_t n,
                                         taco_error *err)
{
    return taco__take_bytes(bytes, offsets, d->values.bytes.data, d->values.bytes.len,
                            (const int32_t *)(const void *)d->values.offsets.data, idx, n, err);
}

TACO__FN bool taco__dictionary_expand_batch(taco__chunk_reader *r, taco_error *err)
{
    taco__values *s = &r->batch.values;
    size_t n = s->count, width = (size_t)r->field->width;
    const int32_t *idx = (const int32_t *)(const void *)s->fixed.data;
    s->count = 0;
    if (taco__array_is_var_length(r->field)) {
        int32_t *offsets = taco__values_reserve_offsets(s, n, err);
        if (!offsets || !taco__dictionary_copy_text(&r->dict, &s->bytes, offsets, idx, n, err)) {
            return false;
        }
    } else { /* the indices are moved aside first, to make room for their values */
        taco__buf *raw = &r->decoder.raw;
        if (!taco__buf_reset(raw, n * sizeof *idx, err)) { return false; }
        memcpy(raw->data, idx, n * sizeof *idx);
        if (!taco__values_reserve(s, width, n, err)) { return false; }
        taco__take_fixed(s->fixed.data, r->dict.entries, width,
                         (const int32_t *)(const void *)raw->data, n);
    }
    s->count = n;
    s->is_indices = false;
    return true;
}

/* Turns the uncompressed bytes of the open page, of which the first len are used, into a buffer of
   the dictionary; the page gets the old buffer. */
static void taco__dictionary_take_page(taco__chunk_reader *r, taco__buf *to, size_t len)
{
    taco__buf swap = *to;
    *to = r->page.plain;
    to->len = len;
    r->page.plain = swap;
}

/* Whether values in memory are the same as in the file, except for byte order. */
static bool taco__dictionary_is_as_stored(const taco__chunk_reader *r)
{
    bool numeric;
    size_t width = taco__value_decode_width(r->leaf, &numeric);
    return r->leaf->type != TACO__PQ_BYTE_ARRAY && numeric && r->field->width > 0 &&
           width == (size_t)r->field->width && r->field->type != TACO_DECIMAL &&
           r->field->type != TACO_BOOL && r->field->type != TACO_NULL;
}

/* Moves m bytes, which may overlap, to a lower address. */
TACO__INLINE void taco__dictionary_move_down(uint8_t *dst, const uint8_t *src, size_t m)
{
    if (m >= 8 && m <= 16) {
        uint64_t a = taco__load_le64(src), b = taco__load_le64(src + m - 8);
        taco__put_le64(dst, a);
        taco__put_le64(dst + m - 8, b);
    } else {
        memmove(dst, src, m);
    }
}

/* Compacts the n texts of a decompressed page: 03 00 00 00 a b c 01 00 00 00 d becomes a b c d. */
static bool taco__dictionary_compact_text(taco__chunk_reader *r, size_t n, taco_error *err)
{
    uint8_t *p = r->page.plain.data;
    size_t i, at = 0, to = 0, left = r->page.plain.len;
    int32_t *offsets = taco__values_reserve_offsets(&r->dict.values, n, err);
    if (!offsets) { return false; }
    offsets[0] = 0;
    for (i = 0; i < n; i++) {
        size_t m = left >= 4 ? taco__load_le32(p + at) : SIZE_MAX;
        if (TACO__UNLIKELY(left < 4 || m > left - 4)) {
            return taco__plain_fail_text(&r->decoder.plain, at, n - i, err);
        }
        taco__dictionary_move_down(p + to, p + at + 4, m);
        left -= 4 + m;
        at += 4 + m;
        to += m;
        offsets[i + 1] = (int32_t)to;
    }
    taco__dictionary_take_page(r, &r->dict.values.bytes, to);
    r->dict.values.count = n;
    return true;
}

/* Fewest bytes that a value takes in the page: 0 for booleans, which have no dictionary. */
static size_t taco__dictionary_least_width(const taco__pq_leaf *leaf)
{
    bool numeric;
    return leaf->type == TACO__PQ_BYTE_ARRAY ? 4
           : leaf->type == TACO__PQ_BOOLEAN  ? 0
                                             : taco__value_decode_width(leaf, &numeric);
}

/* Reads the n values in the uncompressed bytes of the page: in place if possible, else decoded into
   a buffer. */
static bool taco__dictionary_read_values(taco__chunk_reader *r, taco_bytes plain, size_t n,
                                         taco_error *err)
{
    taco__values *s = &r->dict.values;
    bool own = plain.data == r->page.plain.data, as_stored = taco__dictionary_is_as_stored(r);
    size_t width = taco__dictionary_least_width(r->leaf);
    taco__value_decode_open_plain(&r->decoder, plain);
    if (own && taco__array_is_var_length(r->field) && plain.len <= INT32_MAX) {
        return taco__dictionary_compact_text(r, n, err);
    }
    if (r->page.cached && !TACO__BIG_ENDIAN && as_stored) {
        r->dict.entries = plain.data; /* stays in the cache while the scan is open */
        s->count = n;
        return true;
    }
    if (own && as_stored) {
        taco__dictionary_take_page(r, &s->fixed, n * width);
        taco__plain_swap_bytes(s->fixed.data, width, n);
        s->count = n;
        return true;
    }
    return r->leaf->type == TACO__PQ_BOOLEAN || taco__value_decode_append(&r->decoder, s, n, err);
}

TACO__FN bool taco__dictionary_load(taco__chunk_reader *r, taco_error *err)
{
    const taco__pq_page_header *h = &r->page.header;
    taco_bytes plain;
    size_t n = (size_t)h->num_values, least = taco__dictionary_least_width(r->leaf);
    taco__values_clear(&r->dict.values);
    r->dict.entries = NULL;
    r->dict.loaded = true;
    if (h->encoding != TACO__PQ_ENC_PLAIN && h->encoding != TACO__PQ_ENC_PLAIN_DICTIONARY) {
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, r->page.body_at, "dictionary page of encoding %u",
                   TACO__U(h->encoding));
        return false;
    }
    if (n) {
        if (!taco__page_decompress(r, &plain, err)) { return false; }
        if (least && n > plain.len / least) { /* checked before memory for n values is allocated */
            TACO__FAIL(err, TACO_ERR_CORRUPT, r->page.body_at,
                       "dictionary of %u values in %u bytes", TACO__U(n), TACO__U(plain.len));
            return false;
        }
        if (!taco__dictionary_read_values(r, plain, n, err)) {
            return taco__error_inside(err, r->page.body_at, "dictionary");
        }
    }
    if (!r->dict.entries) { r->dict.entries = r->dict.values.fixed.data; }
    return true;
}

TACO__FN bool taco__dictionary_load_first(taco__chunk_reader *r, uint64_t first_data,
                                          taco_error *err)
{
    if (r->position.page_number || r->position.next >= first_data) { return true; }
    r->window.read_end = first_data;
    return taco__chunk_reader_next_page(r, 0, first_data, err);
}

TACO__FN void taco__dictionary_array(const taco__chunk_reader *r, taco_array *out)
{
    const taco__values *s = &r->dict.values;
    bool text = taco__array_is_var_length(r->field);
    out->field = r->field;
    out->length = s->count;
    out->offsets = text ? (const int32_t *)(const void *)s->offsets.data : NULL;
    out->v.any = text ? s->bytes.data : r->dict.entries;
}
