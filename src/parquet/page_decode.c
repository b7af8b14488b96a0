/* page_decode.c - a column chunk read forward: page headers, CRC, codecs, levels, values. */
#include "parquet.h"
#include "../base/base.h"
#include "../arrow/arrow.h"

/* n values of fixed width as the file has them. */
static bool taco__page_decode_fixed(taco__chunk_reader *l, uint8_t *dst, size_t n, taco_error *err)
{
    bool numeric;
    size_t width = taco__page_decode_width(l, &numeric);
    switch (l->kind) {
    case TACO__VALUES_PLAIN: return taco__plain_read(&l->flat, dst, width, numeric, n, err);
    case TACO__VALUES_STREAM_SPLIT:
        return taco__stream_split_read(&l->stream_split, dst, numeric, n, err);
    case TACO__VALUES_DELTA_BYTES:
        if (!taco__delta_bytes_read_fixed(&l->delta_bytes, dst, width, n, err)) { return false; }
        if (numeric) { taco__plain_swap_bytes(dst, width, n); }
        return true;
    case TACO__VALUES_DELTA_INT:
        return width == 4 ? taco__delta_int_read32(&l->delta, (int32_t *)(void *)dst, n, err)
                          : taco__delta_int_read64(&l->delta, (int64_t *)(void *)dst, n, err);
    default: break;
    }
    TACO__FAIL(err, TACO_ERR_CORRUPT, 0, "encoding %u does not hold values of this type",
               TACO__U(l->page.encoding));
    return false;
}

static bool taco__page_decode_text(taco__chunk_reader *l, taco__buf *bytes, int32_t *offsets,
                                   size_t n, taco_error *err)
{
    switch (l->kind) {
    case TACO__VALUES_PLAIN: return taco__plain_read_text(&l->flat, bytes, offsets, n, err);
    case TACO__VALUES_DELTA_LEN:
        return taco__delta_len_read_text(&l->delta_len, bytes, offsets, n, err);
    case TACO__VALUES_DELTA_BYTES:
        return taco__delta_bytes_read_text(&l->delta_bytes, bytes, offsets, n, err);
    default: break;
    }
    TACO__FAIL(err, TACO_ERR_CORRUPT, 0, "encoding %u does not hold byte arrays",
               TACO__U(l->page.encoding));
    return false;
}

/* Decimals of every physical type to width 16 or 32. */
static bool taco__page_decode_decimal(taco__chunk_reader *l, uint8_t *dst, size_t n,
                                      taco_error *err)
{
    size_t width = (size_t)l->field->width, total;
    if (l->schema->type == TACO__PQ_BYTE_ARRAY) {
        int32_t *offsets;
        l->raw_text.len = 0;
        if (!taco__checked_mul_size(n + 1, 4, &total) || !taco__buf_reset(&l->raw, total, err)) {
            return false;
        }
        offsets = (int32_t *)(void *)l->raw.data;
        return taco__page_decode_text(l, &l->raw_text, offsets, n, err) &&
               taco__values_decimal_text(dst, width, l->raw_text.data, offsets, n, err);
    }
    if (!taco__checked_mul_size(n, TACO__MAX((size_t)l->schema->type_length, (size_t)8), &total) ||
        !taco__buf_reset(&l->raw, total, err) || !taco__page_decode_fixed(l, l->raw.data, n, err)) {
        return false;
    }
    if (l->schema->type == TACO__PQ_INT32) {
        taco__values_decimal_int32(dst, width, (const int32_t *)(const void *)l->raw.data, n);
    } else if (l->schema->type == TACO__PQ_INT64) {
        taco__values_decimal_int64(dst, width, (const int64_t *)(const void *)l->raw.data, n);
    } else {
        return taco__values_decimal_fixed(dst, width, l->raw.data, (size_t)l->schema->type_length,
                                          n, err);
    }
    return true;
}

static bool taco__page_decode_bits(taco__chunk_reader *l, uint8_t *bits, size_t at, size_t n,
                                   taco_error *err)
{
    size_t ones;
    if (l->kind == TACO__VALUES_PLAIN) { return taco__plain_read_bits(&l->flat, bits, at, n, err); }
    if (l->kind == TACO__VALUES_RLE) {
        return taco__rle_read_validity(&l->rle, bits, at, n, &ones, err);
    }
    TACO__FAIL(err, TACO_ERR_CORRUPT, 0, "encoding %u does not hold booleans",
               TACO__U(l->page.encoding));
    return false;
}

/* n values that a dictionary page or a data page without dictionary holds, appended to s in memory
   form. */
TACO__FN bool taco__page_decode_append(taco__chunk_reader *l, taco__values *s, size_t n,
                                       taco_error *err)
{
    const taco_field *f = l->field;
    uint8_t *dst;
    bool ok, numeric;
    if (f->type == TACO_NULL) { /* whatever stands there, it means nothing */
        s->count += n;
        return true;
    }
    if (f->type == TACO_BOOL) {
        dst = taco__values_reserve_bits(s, n, err);
        ok = dst && taco__page_decode_bits(l, dst, s->count, n, err);
    } else if (taco__array_is_var_length(f)) {
        int32_t *offsets = taco__values_reserve_offsets(s, n, err);
        ok = offsets && taco__page_decode_text(l, &s->bytes, offsets, n, err);
    } else if (f->type == TACO_DECIMAL) {
        dst = taco__values_reserve(s, (size_t)f->width, n, err);
        ok = dst && taco__page_decode_decimal(l, dst, n, err);
    } else {
        size_t width = taco__page_decode_width(l, &numeric);
        if (l->kind == TACO__VALUES_PLAIN && width &&
            n > (l->flat.bytes.len - l->flat.at) / width) { /* before room is made for them */
            return taco__plain_skip(&l->flat, width, n, err);
        }
        bool narrow = width > (size_t)f->width;
        size_t pad;
        dst = taco__values_reserve(s, (size_t)f->width,
                                   n * (narrow ? width / (size_t)f->width : 1) + 4, err);
        /* INT32 wants to be aligned */
        pad = dst && narrow ? (0 - (size_t)(uintptr_t)dst) & 3 : 0;
        ok = dst && taco__page_decode_fixed(l, dst + pad, n, err);
        if (ok && narrow) { taco__values_narrow(dst + pad, (size_t)f->width, n); }
        if (ok && pad) { memmove(dst, dst + pad, n * (size_t)f->width); }
    }
    s->count += ok ? n : 0;
    return ok;
}

/* n values of the open page, by whatever encoding, appended to the batch. Text stays indices while
   every page of the batch has a dictionary, as other values do where few rows of the batch will be
   taken. */
TACO__FN bool taco__page_decode_values(taco__chunk_reader *l, size_t n, taco_error *err)
{
    taco__values *s = &l->store;
    uint8_t *dst;
    if (n == 0 || l->field->type == TACO_NULL) {
        s->count += n;
        return true;
    }
    if (l->kind != TACO__VALUES_DICT) {
        return (!s->dict || taco__dictionary_expand_batch(l, err)) &&
               taco__page_decode_append(l, s, n, err);
    }
    if (l->no_indices) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, 0, "no dictionary indices for %u values", TACO__U(n));
        return false;
    }
    s->dict = s->dict || (s->count == 0 && (l->late || taco__array_is_var_length(l->field)));
    if (!s->dict && !taco__array_is_var_length(l->field)) {
        dst = taco__values_reserve(s, (size_t)l->field->width, n, err);
        if (!dst || !taco__rle_read_dict(&l->rle, dst, l->dict_values, (size_t)l->field->width,
                                         l->dict.count, n, err)) {
            return false;
        }
        s->count += n;
        return true;
    }
    if (s->dict) {
        dst = taco__values_reserve(s, sizeof(int32_t), n, err);
        if (!dst ||
            !taco__rle_read_indices(&l->rle, (int32_t *)(void *)dst, n, l->dict.count, err)) {
            return false;
        }
        s->count += n;
        return true;
    }
    if (!taco__buf_reset(&l->raw, n * sizeof(int32_t), err) ||
        !taco__rle_read_indices(&l->rle, (int32_t *)(void *)l->raw.data, n, l->dict.count, err)) {
        return false;
    } else {
        int32_t *offsets = taco__values_reserve_offsets(s, n, err);
        if (!offsets || !taco__take_bytes(&s->bytes, offsets, l->dict.bytes.data, l->dict.bytes.len,
                                          (const int32_t *)(const void *)l->dict.offsets.data,
                                          (const int32_t *)(const void *)l->raw.data, n, err)) {
            return false;
        }
    }
    s->count += n;
    return true;
}

TACO__FN bool taco__page_decode_skip(taco__chunk_reader *l, size_t n, taco_error *err)
{
    bool numeric;
    size_t width;
    if (n == 0 || l->field->type == TACO_NULL) { return true; }
    switch (l->kind) {
    case TACO__VALUES_DICT:
    case TACO__VALUES_RLE: return taco__rle_skip(&l->rle, n, err);
    case TACO__VALUES_DELTA_INT: return taco__delta_int_skip(&l->delta, n, err);
    case TACO__VALUES_DELTA_LEN: return taco__delta_len_skip(&l->delta_len, n, err);
    case TACO__VALUES_DELTA_BYTES: return taco__delta_bytes_skip(&l->delta_bytes, n, err);
    case TACO__VALUES_STREAM_SPLIT: return taco__stream_split_skip(&l->stream_split, n, err);
    default: break;
    }
    if (l->schema->type == TACO__PQ_BOOLEAN) { return taco__plain_skip_bits(&l->flat, n, err); }
    if (l->schema->type == TACO__PQ_BYTE_ARRAY) { return taco__plain_skip_text(&l->flat, n, err); }
    width = taco__page_decode_width(l, &numeric);
    return taco__plain_skip(&l->flat, width, n, err);
}

/* Prepares the value decoder for what is behind the levels. */
static bool taco__page_decode_open_values(taco__chunk_reader *l, taco_bytes b, taco_error *err)
{
    uint64_t count = (uint64_t)l->page.num_values;
    bool numeric;
    switch (l->page.encoding) {
    case TACO__PQ_ENC_PLAIN:
        l->kind = TACO__VALUES_PLAIN;
        taco__plain_open(&l->flat, b);
        return true;
    case TACO__PQ_ENC_PLAIN_DICTIONARY:
    case TACO__PQ_ENC_RLE_DICTIONARY:
        l->kind = TACO__VALUES_DICT;
        if (!l->has_dict && b.len > 1) {
            TACO__FAIL(
                err, TACO_ERR_CORRUPT, 0,
                "dictionary-encoded page, but the column chunk has no dictionary page before it");
            return false;
        }
        if (l->schema->type == TACO__PQ_BOOLEAN) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, 0, "booleans have no dictionary");
            return false;
        }
        /* a dictionary of the row group before must not serve */
        l->no_indices = b.len == 0 || !l->has_dict;
        if (!taco__rle_open(&l->rle, b, b.len ? b.data[0] : 0, err)) { return false; }
        l->rle.at = b.len ? 1 : 0; /* behind the bit width; offsets in messages count it */
        return true;
    case TACO__PQ_ENC_RLE:
        l->kind = TACO__VALUES_RLE;
        if (b.len == 0) { return taco__rle_open(&l->rle, b, 1, err); }
        if (b.len < 4 || taco__load_le32(b.data) > b.len - 4) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, 0, "RLE booleans of %u bytes do not fit in %u",
                       b.len < 4 ? TACO__U(4) : TACO__U(taco__load_le32(b.data)), TACO__U(b.len));
            return false;
        }
        if (!taco__rle_open(&l->rle, taco__bytes_of(b.data, (size_t)4 + taco__load_le32(b.data)), 1,
                            err)) {
            return false;
        }
        l->rle.at = 4; /* behind the length */
        return true;
    case TACO__PQ_ENC_DELTA_BINARY_PACKED:
        l->kind = TACO__VALUES_DELTA_INT;
        if (l->schema->type != TACO__PQ_INT32 && l->schema->type != TACO__PQ_INT64) { break; }
        return taco__delta_int_open(&l->delta, b, 0, count,
                                    l->schema->type == TACO__PQ_INT32 ? 32 : 64, err);
    case TACO__PQ_ENC_DELTA_LENGTH_BYTE_ARRAY:
        l->kind = TACO__VALUES_DELTA_LEN;
        if (l->schema->type != TACO__PQ_BYTE_ARRAY) { break; }
        return taco__delta_len_open(&l->delta_len, b, 0, count, err);
    case TACO__PQ_ENC_DELTA_BYTE_ARRAY:
        l->kind = TACO__VALUES_DELTA_BYTES;
        if (l->schema->type != TACO__PQ_BYTE_ARRAY && l->schema->type != TACO__PQ_FIXED) { break; }
        return taco__delta_bytes_open(&l->delta_bytes, b, count, err);
    case TACO__PQ_ENC_BYTE_STREAM_SPLIT:
        l->kind = TACO__VALUES_STREAM_SPLIT;
        if (l->schema->type == TACO__PQ_BOOLEAN || l->schema->type == TACO__PQ_BYTE_ARRAY ||
            l->schema->type == TACO__PQ_INT96) {
            break;
        }
        return taco__stream_split_open(&l->stream_split, b, taco__page_decode_width(l, &numeric),
                                       err);
    default:
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, 0, "encoding %u", TACO__U(l->page.encoding));
        return false;
    }
    TACO__FAIL(err, TACO_ERR_CORRUPT, 0, "encoding %u does not go with the column's physical type",
               TACO__U(l->page.encoding));
    return false;
}

/* Decompresses the open data page and prepares its decoders; once per page, when its first row is
   asked for. */
TACO__FN bool taco__page_decode_open(taco__chunk_reader *l, taco_error *err)
{
    taco_bytes plain;
    taco__byte_reader c;
    if (l->opened) { return true; }
    if (!taco__page_decompress(l, &plain, err)) { return false; }
    c = taco__byte_reader_init(plain);
    if (l->page.type == TACO__PQ_PAGE_DATA_V2) {
        if (!taco__level_decode_open_v2(&c, &l->rep, (unsigned)l->schema->max_rep,
                                        (size_t)l->page.rep_len, err) ||
            !taco__level_decode_open_v2(&c, &l->def, (unsigned)l->schema->max_def,
                                        (size_t)l->page.def_len, err)) {
            return taco__error_inside(err, l->body_at, "levels");
        }
    } else if (!taco__level_decode_open_v1(l, &c, &l->rep, (unsigned)l->schema->max_rep,
                                           (uint32_t)l->page.rep_encoding, err) ||
               !taco__level_decode_open_v1(l, &c, &l->def, (unsigned)l->schema->max_def,
                                           (uint32_t)l->page.def_encoding, err)) {
        return taco__error_inside(err, l->body_at, "levels");
    }
    if (!taco__page_decode_open_values(l, taco__bytes_of(c.at, taco__byte_reader_left(&c)), err)) {
        return taco__error_inside(err, l->body_at, "values");
    }
    l->opened = true;
    l->fed += plain.len;
    return true;
}
