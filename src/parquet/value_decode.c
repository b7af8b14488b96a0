/* value_decode.c - decodes values of any encoding but dictionary indices into memory form

   In: the value section of a data page (or a dictionary page's values, which are PLAIN); out:
   packed values as taco_field describes them: native numbers, little-endian decimals of 16 or 32
   bytes, text with offsets, bitmaps of booleans. Spec: parquet-format Encodings.md,
   LogicalTypes.md.

   taco__value_decode_open picks the decoder (rle.c, plain.c, delta_*.c, byte_stream_split.c),
   _append and _skip then go through the section. A physical type may be wider than the field's
   (INT8 is stored as INT32) and a decimal may be stored in four ways: such values are decoded to
   `raw`, or to more room in place, and then converted (values.c). Dictionary indices are read by
   page_decode.c. */
#include "parquet.h"
#include "../base/base.h"
#include "../arrow/arrow.h"

TACO__FN void taco__value_decode_init(taco__value_decoder *d, taco__mem *mem)
{
    memset(d, 0, sizeof *d);
    d->raw.mem = d->raw_text.mem = mem;
    taco__delta_bytes_init(&d->delta_bytes, mem);
}

TACO__FN void taco__value_decode_free(taco__value_decoder *d)
{
    taco__buf_free(&d->raw);
    taco__buf_free(&d->raw_text);
    taco__delta_bytes_free(&d->delta_bytes);
}

/* ---- opening a value section ---- */

static TACO__COLD bool taco__value_decode_fail(const taco__value_decoder *d, const char *why,
                                               taco_error *err)
{
    TACO__FAIL(err, TACO_ERR_CORRUPT, 0, "encoding %u %s", TACO__U(d->encoding), why);
    return false;
}

/* RLE booleans follow a 4-byte length, which offsets in messages include. */
static bool taco__value_decode_open_rle(taco__value_decoder *d, taco_bytes b, taco_error *err)
{
    size_t len;
    if (b.len == 0) { return taco__rle_open(&d->rle, b, 1, err); }
    len = b.len < 4 ? 4 : taco__load_le32(b.data);
    if (b.len < 4 || len > b.len - 4) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, 0, "RLE booleans of %u bytes do not fit in %u",
                   TACO__U(len), TACO__U(b.len));
        return false;
    }
    if (!taco__rle_open(&d->rle, taco__bytes_of(b.data, 4 + len), 1, err)) { return false; }
    d->rle.at = 4;
    return true;
}

TACO__FN void taco__value_decode_open_plain(taco__value_decoder *d, taco_bytes b)
{
    d->encoding = TACO__PQ_ENC_PLAIN;
    d->kind = TACO__VALUES_PLAIN;
    taco__plain_open(&d->plain, b);
}

TACO__FN bool taco__value_decode_open(taco__value_decoder *d, int32_t encoding, uint64_t count,
                                      taco_bytes b, taco_error *err)
{
    int32_t type = d->leaf->type;
    bool numeric;
    d->encoding = encoding;
    if (!TACO__WITH_DELTA && encoding >= TACO__PQ_ENC_DELTA_BINARY_PACKED &&
        encoding <= TACO__PQ_ENC_BYTE_STREAM_SPLIT && encoding != TACO__PQ_ENC_RLE_DICTIONARY) {
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, 0, "encoding %u, left out by TACO_NO_DELTA",
                   TACO__U(encoding));
        return false;
    }
    switch (encoding) {
    case TACO__PQ_ENC_PLAIN: taco__value_decode_open_plain(d, b); return true;
    case TACO__PQ_ENC_RLE:
        d->kind = TACO__VALUES_RLE;
        return taco__value_decode_open_rle(d, b, err);
    case TACO__PQ_ENC_DELTA_BINARY_PACKED:
        d->kind = TACO__VALUES_DELTA_INT;
        if (type != TACO__PQ_INT32 && type != TACO__PQ_INT64) { break; }
        return taco__delta_int_open(&d->delta_int, b, 0, count, type == TACO__PQ_INT32 ? 32 : 64,
                                    err);
    case TACO__PQ_ENC_DELTA_LENGTH_BYTE_ARRAY:
        d->kind = TACO__VALUES_DELTA_LEN;
        if (type != TACO__PQ_BYTE_ARRAY) { break; }
        return taco__delta_len_open(&d->delta_len, b, 0, count, err);
    case TACO__PQ_ENC_DELTA_BYTE_ARRAY:
        d->kind = TACO__VALUES_DELTA_BYTES;
        if (type != TACO__PQ_BYTE_ARRAY && type != TACO__PQ_FIXED) { break; }
        return taco__delta_bytes_open(&d->delta_bytes, b, count, err);
    case TACO__PQ_ENC_BYTE_STREAM_SPLIT:
        d->kind = TACO__VALUES_STREAM_SPLIT;
        if (type == TACO__PQ_BOOLEAN || type == TACO__PQ_BYTE_ARRAY || type == TACO__PQ_INT96) {
            break;
        }
        return taco__stream_split_open(&d->stream_split, b,
                                       taco__value_decode_width(d->leaf, &numeric), err);
    default:
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, 0, "unsupported: encoding %s%u%s",
                   encoding == TACO__PQ_ENC_ALP ? "ALP (" : "", TACO__U(encoding),
                   encoding == TACO__PQ_ENC_ALP ? ")" : "");
        return false;
    }
    return taco__value_decode_fail(d, "does not go with the column's physical type", err);
}

/* How the values are decoded: encodings not compiled in were refused when the section was
   opened. */
TACO__INLINE taco__values_encoding taco__value_decode_kind(const taco__value_decoder *d)
{
    return TACO__WITH_DELTA || d->kind <= TACO__VALUES_RLE ? d->kind : TACO__VALUES_PLAIN;
}

/* ---- values as the file has them ---- */

/* n values of fixed width. */
static bool taco__value_decode_fixed(taco__value_decoder *d, uint8_t *dst, size_t n,
                                     taco_error *err)
{
    bool numeric;
    size_t width = taco__value_decode_width(d->leaf, &numeric);
    switch (taco__value_decode_kind(d)) {
    case TACO__VALUES_PLAIN: return taco__plain_read(&d->plain, dst, width, numeric, n, err);
    case TACO__VALUES_STREAM_SPLIT:
        return taco__stream_split_read(&d->stream_split, dst, numeric, n, err);
    case TACO__VALUES_DELTA_BYTES:
        if (!taco__delta_bytes_read_fixed(&d->delta_bytes, dst, width, n, err)) { return false; }
        if (numeric) { taco__plain_swap_bytes(dst, width, n); }
        return true;
    case TACO__VALUES_DELTA_INT:
        return width == 4 ? taco__delta_int_read32(&d->delta_int, (int32_t *)(void *)dst, n, err)
                          : taco__delta_int_read64(&d->delta_int, (int64_t *)(void *)dst, n, err);
    default: return taco__value_decode_fail(d, "does not hold values of this type", err);
    }
}

static bool taco__value_decode_text(taco__value_decoder *d, taco__buf *bytes, int32_t *offsets,
                                    size_t n, taco_error *err)
{
    switch (taco__value_decode_kind(d)) {
    case TACO__VALUES_PLAIN: return taco__plain_read_text(&d->plain, bytes, offsets, n, err);
    case TACO__VALUES_DELTA_LEN:
        return taco__delta_len_read_text(&d->delta_len, bytes, offsets, n, err);
    case TACO__VALUES_DELTA_BYTES:
        return taco__delta_bytes_read_text(&d->delta_bytes, bytes, offsets, n, err);
    default: return taco__value_decode_fail(d, "does not hold byte arrays", err);
    }
}

static bool taco__value_decode_bits(taco__value_decoder *d, uint8_t *bits, size_t at, size_t n,
                                    taco_error *err)
{
    size_t ones;
    switch (d->kind) {
    case TACO__VALUES_PLAIN: return taco__plain_read_bits(&d->plain, bits, at, n, err);
    case TACO__VALUES_RLE: return taco__rle_read_validity(&d->rle, bits, at, n, &ones, err);
    default: return taco__value_decode_fail(d, "does not hold booleans", err);
    }
}

/* ---- values in memory form ---- */

/* Decimals of BYTE_ARRAY: big-endian bytes, each of its own length. */
static bool taco__value_decode_decimal_text(taco__value_decoder *d, uint8_t *dst, size_t n,
                                            taco_error *err)
{
    int32_t *offsets;
    size_t bytes;
    d->raw_text.len = 0;
    if (!taco__array_buf_size(n + 1, sizeof *offsets, &bytes, err) ||
        !taco__buf_reset(&d->raw, bytes, err)) {
        return false;
    }
    offsets = (int32_t *)(void *)d->raw.data;
    return taco__value_decode_text(d, &d->raw_text, offsets, n, err) &&
           taco__values_decimal_text(dst, (size_t)d->leaf->field->width, d->raw_text.data, offsets,
                                     n, err);
}

/* Decimals of every physical type, to a width of 16 or 32. */
static bool taco__value_decode_decimal(taco__value_decoder *d, uint8_t *dst, size_t n,
                                       taco_error *err)
{
    size_t width = (size_t)d->leaf->field->width, stored, bytes;
    bool numeric;
    if (d->leaf->type == TACO__PQ_BYTE_ARRAY) {
        return taco__value_decode_decimal_text(d, dst, n, err);
    }
    stored = taco__value_decode_width(d->leaf, &numeric);
    if (!taco__array_buf_size(n, TACO__MAX(stored, (size_t)8), &bytes, err) ||
        !taco__buf_reset(&d->raw, bytes, err) ||
        !taco__value_decode_fixed(d, d->raw.data, n, err)) {
        return false;
    }
    if (d->leaf->type == TACO__PQ_INT32) {
        taco__values_decimal_int32(dst, width, (const int32_t *)(const void *)d->raw.data, n);
        return true;
    }
    if (d->leaf->type == TACO__PQ_INT64) {
        taco__values_decimal_int64(dst, width, (const int64_t *)(const void *)d->raw.data, n);
        return true;
    }
    return taco__values_decimal_fixed(dst, width, d->raw.data, stored, n, err);
}

/* Fails if one of n INT32 is outside of the type that its column is annotated as, INT8 to UINT16:
   it would become another number. */
static bool taco__value_decode_fits(taco_type type, const int32_t *x, size_t n, taco_error *err)
{
    bool is_signed = type == TACO_INT8 || type == TACO_INT16;
    uint32_t span = type == TACO_INT8 || type == TACO_UINT8 ? UINT8_MAX : UINT16_MAX, bad = 0,
             half = is_signed ? span / 2 + 1 : 0;
    size_t i;
    for (i = 0; i < n; i++) {
        bad |= ((uint32_t)x[i] + half) & ~span;
    }
    for (i = 0; bad && i < n; i++) {
        if (((uint32_t)x[i] + half) & ~span) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "value %u: %d, its annotation allows %d to %d", TACO__U(i), TACO__D(x[i]),
                       -(int64_t)half, (int64_t)(span - half));
            return false;
        }
    }
    return true;
}

/* Numbers and fixed-width bytes. Values stored wider than the field are decoded to where they can
   be narrowed in place; INT32 must be aligned there. */
static bool taco__value_decode_numbers(taco__value_decoder *d, taco__values *s, size_t n,
                                       taco_error *err)
{
    bool numeric, narrow;
    size_t width = (size_t)d->leaf->field->width, pad, room;
    size_t stored = taco__value_decode_width(d->leaf, &numeric);
    uint8_t *dst;
    if (d->kind == TACO__VALUES_PLAIN && stored &&
        n > (d->plain.bytes.len - d->plain.at) / stored) {
        return taco__plain_skip(&d->plain, stored, n, err); /* fails before memory is allocated */
    }
    narrow = stored > width;
    if (!taco__array_buf_size(n + 4, narrow ? stored / width : 1, &room, err)) { return false; }
    dst = taco__values_reserve(s, width, room, err);
    if (!dst) { return false; }
    pad = narrow ? (0 - (size_t)(uintptr_t)dst) & 3 : 0;
    if (!taco__value_decode_fixed(d, dst + pad, n, err)) { return false; }
    if (narrow) {
        if (!taco__value_decode_fits(d->leaf->field->type, (const int32_t *)(void *)(dst + pad), n,
                                     err)) {
            return false;
        }
        taco__values_narrow(dst + pad, width, n);
    }
    if (pad) { memmove(dst, dst + pad, n * width); }
    return true;
}

TACO__FN bool taco__value_decode_append(taco__value_decoder *d, taco__values *s, size_t n,
                                        taco_error *err)
{
    const taco_field *f = d->leaf->field;
    bool ok;
    if (f->type == TACO_NULL) { /* a dictionary, which no value may use */
        s->count += n;
        return true;
    }
    if (f->type == TACO_BOOL) {
        uint8_t *bits = taco__values_reserve_bits(s, n, err);
        ok = bits && taco__value_decode_bits(d, bits, s->count, n, err);
    } else if (taco__array_is_var_length(f)) {
        int32_t *offsets = taco__values_reserve_offsets(s, n, err);
        ok = offsets && taco__value_decode_text(d, &s->bytes, offsets, n, err);
    } else if (f->type == TACO_DECIMAL && !TACO__WITH_DECIMALS) {
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, 0, "decimals, left out by TACO_NO_DECIMALS");
        ok = false;
    } else if (f->type == TACO_DECIMAL) {
        uint8_t *dst = taco__values_reserve(s, (size_t)f->width, n, err);
        ok = dst && taco__value_decode_decimal(d, dst, n, err);
    } else {
        ok = taco__value_decode_numbers(d, s, n, err);
    }
    s->count += ok ? n : 0;
    return ok;
}

TACO__FN bool taco__value_decode_skip(taco__value_decoder *d, size_t n, taco_error *err)
{
    bool numeric;
    if (n == 0 || d->leaf->field->type == TACO_NULL) { return true; }
    switch (taco__value_decode_kind(d)) {
    case TACO__VALUES_DICT:
    case TACO__VALUES_RLE: return taco__rle_skip(&d->rle, n, err);
    case TACO__VALUES_DELTA_INT: return taco__delta_int_skip(&d->delta_int, n, err);
    case TACO__VALUES_DELTA_LEN: return taco__delta_len_skip(&d->delta_len, n, err);
    case TACO__VALUES_DELTA_BYTES: return taco__delta_bytes_skip(&d->delta_bytes, n, err);
    case TACO__VALUES_STREAM_SPLIT: return taco__stream_split_skip(&d->stream_split, n, err);
    default: break;
    }
    switch (d->leaf->type) {
    case TACO__PQ_BOOLEAN: return taco__plain_skip_bits(&d->plain, n, err);
    case TACO__PQ_BYTE_ARRAY: return taco__plain_skip_text(&d->plain, n, err);
    default:
        return taco__plain_skip(&d->plain, taco__value_decode_width(d->leaf, &numeric), n, err);
    }
}
