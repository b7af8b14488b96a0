/* page_decode.c - the open page: opens its levels and values, appends values to the batch

   In: a page whose header and body column_chunk_reader.c has found; out: ready decoders (r->levels,
   r->decoder), and the values of rows, appended to r->batch. A data page consists of repetition
   levels, definition levels and values; v1 pages compress them together, v2 pages only the values.
   Spec: parquet-format README "Data Pages".

   Dictionary-encoded values arrive as indices. Text stays indices as long as all pages of the batch
   share a dictionary, so that repeated text is not copied; other types are looked up at once,
   unless only a few rows of the batch will be picked (batch.keep_indices). */
#include "parquet.h"
#include "../base/base.h"
#include "../arrow/arrow.h"

/* Dictionary indices: one byte with their bit width, then RLE. */
static bool taco__page_decode_open_indices(taco__chunk_reader *r, taco_bytes b, taco_error *err)
{
    taco__value_decoder *d = &r->decoder;
    d->encoding = r->page.header.encoding;
    d->kind = TACO__VALUES_DICT;
    if (!r->dict.loaded && b.len > 1) {
        TACO__FAIL(
            err, TACO_ERR_CORRUPT, 0,
            "dictionary-encoded page, but the column chunk has no dictionary page before it");
        return false;
    }
    if (r->leaf->type == TACO__PQ_BOOLEAN) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, 0, "booleans have no dictionary");
        return false;
    }
    /* without a dictionary of its own, the chunk must not use that of the row group before */
    d->no_indices = b.len == 0 || !r->dict.loaded;
    if (!taco__rle_open(&d->rle, b, b.len ? b.data[0] : 0, err)) { return false; }
    d->rle.at = b.len ? 1 : 0; /* offsets in messages include the width byte */
    return true;
}

/* PLAIN_DICTIONARY is the old name of RLE_DICTIONARY in data pages. */
static bool taco__page_decode_open_values(taco__chunk_reader *r, taco_bytes b, taco_error *err)
{
    const taco__pq_page_header *h = &r->page.header;
    return h->encoding == TACO__PQ_ENC_PLAIN_DICTIONARY ||
                   h->encoding == TACO__PQ_ENC_RLE_DICTIONARY
               ? taco__page_decode_open_indices(r, b, err)
               : taco__value_decode_open(&r->decoder, h->encoding, h->num_values, b, err);
}

TACO__FN bool taco__page_decode_open(taco__chunk_reader *r, taco_error *err)
{
    taco_bytes plain, values;
    taco__byte_reader c;
    if (r->page.ready) { return true; }
    if (!taco__page_decompress(r, &plain, err)) { return false; }
    c = taco__byte_reader_init(plain);
    if (!taco__level_decode_open(&r->levels, &r->page.header, &c, err)) {
        return taco__error_inside(err, r->page.body_at, "levels");
    }
    values = taco__bytes_of(c.at, taco__byte_reader_left(&c));
    if (!taco__page_decode_open_values(r, values, err)) {
        return taco__error_inside(err, r->page.body_at, "values");
    }
    r->page.ready = true;
    r->batch.page_bytes += plain.len;
    return true;
}

TACO__FN bool taco__page_decode_levels(taco__chunk_reader *r, size_t n, taco_error *err)
{
    return taco__page_decode_open(r, err) && (taco__level_decode_read(&r->levels, n, err) ||
                                              taco__error_inside(err, r->page.body_at, "levels"));
}

TACO__FN bool taco__page_decode_check_size(const taco__chunk_reader *r, taco_error *err)
{
    uint64_t most = TACO__MAX(r->limits->max_page / 64, (uint64_t)1 << 20);
    most = TACO__MAX(most, r->batch.page_bytes * 8) + r->batch.rows;
    if (r->levels.entries <= most) { return true; }
    TACO__FAIL(err, TACO_ERR_LIMIT, r->page.body_at,
               "%u level entries in a batch of %u rows from %u bytes, limits.max_page allows %u",
               TACO__U(r->levels.entries), TACO__U(r->batch.rows), r->batch.page_bytes, most);
    return false;
}

/* ---- values of a dictionary ---- */

/* Appends n indices to the batch as they are. */
static bool taco__page_decode_indices(taco__chunk_reader *r, size_t n, taco_error *err)
{
    int32_t *idx = (int32_t *)(void *)taco__values_reserve(&r->batch.values, sizeof *idx, n, err);
    return idx && taco__rle_read_indices(&r->decoder.rle, idx, n, r->dict.values.count, err);
}

/* Appends n fixed-width values, looked up while their indices are decoded. */
static bool taco__page_decode_dict_fixed(taco__chunk_reader *r, size_t n, taco_error *err)
{
    size_t width = (size_t)r->field->width;
    uint8_t *dst = taco__values_reserve(&r->batch.values, width, n, err);
    return dst && taco__rle_read_dict(&r->decoder.rle, dst, r->dict.entries, width,
                                      r->dict.values.count, n, err);
}

/* Appends n texts, copied from the dictionary because the batch already holds other text. */
static bool taco__page_decode_dict_text(taco__chunk_reader *r, size_t n, taco_error *err)
{
    taco__buf *raw = &r->decoder.raw;
    int32_t *idx, *offsets;
    size_t bytes;
    if (!taco__array_buf_size(n, sizeof *idx, &bytes, err) || !taco__buf_reset(raw, bytes, err)) {
        return false;
    }
    idx = (int32_t *)(void *)raw->data;
    if (!taco__rle_read_indices(&r->decoder.rle, idx, n, r->dict.values.count, err)) {
        return false;
    }
    offsets = taco__values_reserve_offsets(&r->batch.values, n, err);
    return offsets &&
           taco__dictionary_copy_text(&r->dict, &r->batch.values.bytes, offsets, idx, n, err);
}

/* Appends n values, of a type that has some. */
static bool taco__page_decode_any(taco__chunk_reader *r, size_t n, taco_error *err)
{
    taco__values *s = &r->batch.values;
    bool text = taco__array_is_var_length(r->field), ok;
    if (r->decoder.kind != TACO__VALUES_DICT) {
        return (!s->is_indices || taco__dictionary_expand_batch(r, err)) &&
               taco__value_decode_append(&r->decoder, s, n, err);
    }
    if (r->decoder.no_indices) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, 0, "no dictionary indices for %u values", TACO__U(n));
        return false;
    }
    s->is_indices = s->is_indices || (s->count == 0 && (r->batch.keep_indices || text));
    ok = s->is_indices ? taco__page_decode_indices(r, n, err)
         : text        ? taco__page_decode_dict_text(r, n, err)
                       : taco__page_decode_dict_fixed(r, n, err);
    s->count += ok ? n : 0;
    return ok;
}

TACO__FN bool taco__page_decode_values(taco__chunk_reader *r, size_t n, taco_error *err)
{
    const size_t text = r->batch.values.bytes.len;
    if (n == 0) { return true; }
    if (r->field->type == TACO_NULL) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, 0,
                   "a value that is not null, which its annotation, UNKNOWN, excludes");
        return false;
    }
    return taco__page_decode_any(r, n, err) &&
           (!r->limits->max_decoded || taco__expansion_charge_values(r, n, text, err));
}
