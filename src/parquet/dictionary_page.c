/* dictionary_page.c - a column chunk read forward: page headers, CRC, codecs, levels, values. */
#include "parquet.h"
#include "../base/base.h"
#include "../arrow/arrow.h"

/* A dictionary-encoded batch met a page that is not, or another dictionary: its indices become what
   they stand for. */
TACO__FN bool taco__dictionary_expand_batch(taco__chunk_reader *l, taco_error *err)
{
    taco__values *s = &l->store;
    size_t n = s->count, width = (size_t)l->field->width;
    const int32_t *idx = (const int32_t *)(const void *)s->values.data;
    s->count = 0;
    if (taco__array_is_var_length(l->field)) {
        int32_t *offsets = taco__values_reserve_offsets(s, n, err);
        if (!offsets ||
            !taco__take_bytes(&s->bytes, offsets, l->dict.bytes.data, l->dict.bytes.len,
                              (const int32_t *)(const void *)l->dict.offsets.data, idx, n, err)) {
            return false;
        }
    } else {
        if (!taco__buf_reset(&l->raw, n * sizeof *idx, err)) { return false; }
        memcpy(l->raw.data, idx, n * sizeof *idx);
        if (!taco__values_reserve(s, width, n, err)) { return false; }
        taco__take_fixed(s->values.data, l->dict_values, width,
                         (const int32_t *)(const void *)l->raw.data, n);
    }
    s->count = n;
    s->dict = false;
    return true;
}

/* The open page's plain bytes, of which len are left, become a buffer of the dictionary: no second
   one is touched. */
static void taco__dictionary_take_buffer(taco__chunk_reader *l, taco__buf *to, size_t len)
{
    taco__buf swap = *to;
    *to = l->plain;
    to->len = len;
    l->plain = swap;
}

/* Whether values in memory are those of the file, but for the order of their bytes. */
static bool taco__dictionary_is_as_stored(const taco__chunk_reader *l)
{
    bool numeric;
    size_t width = taco__page_decode_width(l, &numeric);
    return l->schema->type != TACO__PQ_BYTE_ARRAY && numeric && l->field->width > 0 &&
           width == (size_t)l->field->width && l->field->type != TACO_DECIMAL &&
           l->field->type != TACO_BOOL && l->field->type != TACO_NULL;
}

/* Moves m bytes, which may overlap, down. */
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

/* The byte arrays of an uncompressed dictionary page move together, over their lengths. */
static bool taco__dictionary_compact_text(taco__chunk_reader *l, size_t n, taco_error *err)
{
    uint8_t *p = l->plain.data;
    size_t i, at = 0, to = 0, left = l->plain.len;
    int32_t *offsets = taco__values_reserve_offsets(&l->dict, n, err);
    if (!offsets) { return false; }
    offsets[0] = 0;
    for (i = 0; i < n; i++) {
        size_t m = left >= 4 ? taco__load_le32(p + at) : SIZE_MAX;
        if (TACO__UNLIKELY(left < 4 || m > left - 4)) {
            return taco__plain_fail_text(&l->flat, at, n - i, err);
        }
        taco__dictionary_move_down(p + to, p + at + 4, m);
        left -= 4 + m;
        at += 4 + m;
        to += m;
        offsets[i + 1] = (int32_t)to;
    }
    taco__dictionary_take_buffer(l, &l->dict.bytes, to);
    l->dict.count = n;
    return true;
}

static bool taco__dictionary_read(taco__chunk_reader *l, taco_error *err)
{
    taco_bytes plain;
    size_t n = (size_t)l->page.num_values, least;
    bool numeric;
    taco__values_clear(&l->dict);
    l->has_dict = true;
    if (l->page.encoding != TACO__PQ_ENC_PLAIN &&
        l->page.encoding != TACO__PQ_ENC_PLAIN_DICTIONARY) {
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, l->body_at, "dictionary page of encoding %u",
                   TACO__U(l->page.encoding));
        return false;
    }
    if (n == 0) { return true; }
    if (!taco__page_decompress(l, &plain, err)) { return false; }
    least = l->schema->type == TACO__PQ_BYTE_ARRAY ? 4
            : l->schema->type == TACO__PQ_BOOLEAN  ? 0
                                                   : taco__page_decode_width(l, &numeric);
    if (least && n > plain.len / least) { /* before room is made for n of them */
        TACO__FAIL(err, TACO_ERR_CORRUPT, l->body_at, "dictionary of %u values in %u bytes",
                   TACO__U(n), TACO__U(plain.len));
        return false;
    }
    l->kind = TACO__VALUES_PLAIN;
    taco__plain_open(&l->flat, plain);
    if (plain.data == l->plain.data && taco__array_is_var_length(l->field) &&
        plain.len <= INT32_MAX) {
        return taco__dictionary_compact_text(l, n, err) ||
               taco__error_inside(err, l->body_at, "dictionary");
    }
    if (l->from && !TACO__BIG_ENDIAN && taco__dictionary_is_as_stored(l)) {
        l->dict_values = plain.data; /* stays while the scan is open */
        l->dict.count = n;
        return true;
    }
    if (plain.data == l->plain.data && taco__dictionary_is_as_stored(l)) {
        taco__dictionary_take_buffer(l, &l->dict.values, n * least);
        taco__plain_swap_bytes(l->dict.values.data, least, n);
        l->dict.count = n;
        return true;
    }
    return l->schema->type == TACO__PQ_BOOLEAN || taco__page_decode_append(l, &l->dict, n, err) ||
           taco__error_inside(err, l->body_at, "dictionary");
}

TACO__FN bool taco__dictionary_load(taco__chunk_reader *l, taco_error *err)
{
    l->dict_values = NULL;
    if (!taco__dictionary_read(l, err)) { return false; }
    l->dict_values = l->dict_values ? l->dict_values : l->dict.values.data;
    return true;
}

/* Loads the dictionary page in front of a chunk's first data page, if there is one. */
TACO__FN bool taco__dictionary_load_first(taco__chunk_reader *l, uint64_t first_data,
                                          taco_error *err)
{
    if (l->page_no || l->at >= first_data) { return true; }
    l->until = first_data;
    return taco__chunk_reader_next_page(l, 0, first_data, err);
}

/* ---- flat columns: a level entry per row
   ---------------------------------------------------------- */

/* The dictionary as an array. */
TACO__FN void taco__dictionary_array(const taco__chunk_reader *l, taco_array *out)
{
    bool text = taco__array_is_var_length(l->field);
    out->field = l->field;
    out->length = l->dict.count;
    out->offsets = text ? (const int32_t *)(const void *)l->dict.offsets.data : NULL;
    out->v.any = text ? l->dict.bytes.data : l->dict_values;
}
