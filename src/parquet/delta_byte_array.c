/* delta_byte_array.c - DELTA_LENGTH_BYTE_ARRAY and DELTA_BYTE_ARRAY: packed lengths

   In: lengths as DELTA_BINARY_PACKED, then the texts back to back (DELTA_LENGTH_BYTE_ARRAY); or the
   lengths of the prefixes each value shares with the one before, then the suffixes encoded the same
   way (DELTA_BYTE_ARRAY). Out: text with offsets, or values of fixed width. Spec: Encodings.md
   "Delta- length byte array", "Delta Strings".

       "apple" "apply" "ape"    prefixes 0 4 2, suffixes "apple" "y" "e"

   The text begins after the lengths, whose end is found first (taco__delta_int_find_end). No page
   depends on the last value of the page before. */
#include "parquet.h"
#include "../base/base.h"
#include "../arrow/arrow.h"

TACO__FN bool taco__delta_len_open(taco__delta_len *s, taco_bytes bytes, size_t from,
                                   uint64_t count, taco_error *err)
{
    return taco__delta_int_open(&s->lengths, bytes, from, count, 32, err) &&
           taco__delta_int_find_end(&s->lengths, &s->at, err);
}

/* The next m <= TACO__STACK_VALUES lengths, checked against the bytes left, and their sum. */
static bool taco__delta_len_next(taco__delta_len *s, int32_t *lengths, size_t m, size_t *total,
                                 taco_error *err)
{
    uint64_t sum = 0, left = s->lengths.bytes.len - s->at;
    uint32_t any = 0;
    size_t i;
    if (!taco__delta_int_read32(&s->lengths, lengths, m, err)) { return false; }
    for (i = 0; i < m; i++) {
        sum += (uint32_t)lengths[i];
        any |= (uint32_t)lengths[i];
    }
    if (any >> 31) {
        for (i = 0; lengths[i] >= 0; i++) {}
        TACO__FAIL(err, TACO_ERR_CORRUPT, s->lengths.run, "length %d of a text",
                   TACO__D(lengths[i]));
        return false;
    }
    if (sum > left) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, s->at, "texts of %u bytes, %u are left", sum, left);
        return false;
    }
    *total = (size_t)sum;
    return true;
}

/* The texts are contiguous, so many of them are one copy. */
TACO__FN bool taco__delta_len_read_text(taco__delta_len *s, taco__buf *data, int32_t *offsets,
                                        size_t n, taco_error *err)
{
    int32_t lengths[TACO__STACK_VALUES + 16];
    size_t i, m, total;
    if (!taco__array_buf_reserve_text(data, 0, err)) { return false; }
    offsets[0] = (int32_t)data->len;
    for (; n; n -= m, offsets += m) {
        int32_t at = (int32_t)data->len;
        m = TACO__MIN(n, (size_t)TACO__STACK_VALUES);
        if (!taco__delta_len_next(s, lengths, m, &total, err) ||
            !taco__array_buf_reserve_text(data, total, err)) {
            return false;
        }
        for (i = 0; i < m; i++) {
            offsets[i + 1] = at += lengths[i];
        }
        if (total) { memcpy(data->data + data->len, s->lengths.bytes.data + s->at, total); }
        data->len += total;
        s->at += total;
    }
    return true;
}

TACO__FN bool taco__delta_len_skip(taco__delta_len *s, size_t n, taco_error *err)
{
    int32_t lengths[TACO__STACK_VALUES + 16];
    size_t m, total;
    for (; n; n -= m) {
        m = TACO__MIN(n, (size_t)TACO__STACK_VALUES);
        if (!taco__delta_len_next(s, lengths, m, &total, err)) { return false; }
        s->at += total;
    }
    return true;
}

TACO__FN void taco__delta_bytes_init(taco__delta_bytes *s, taco__mem *mem)
{
    memset(s, 0, sizeof *s);
    s->last.mem = mem;
}

TACO__FN void taco__delta_bytes_free(taco__delta_bytes *s)
{
    taco__buf_free(&s->last);
}

TACO__FN bool taco__delta_bytes_open(taco__delta_bytes *s, taco_bytes bytes, uint64_t count,
                                     taco_error *err)
{
    size_t end;
    s->last.len = 0;
    return taco__delta_int_open(&s->prefixes, bytes, 0, count, 32, err) &&
           taco__delta_int_find_end(&s->prefixes, &end, err) &&
           taco__delta_len_open(&s->suffixes, bytes, end, count, err);
}

/* Number of values whose lengths are decoded at a time. */
#define TACO__DELTA_BYTES_STEP 128

/* Lengths of the next n values, checked, and their total size. */
typedef struct taco__delta_bytes_part {
    int32_t prefix[TACO__DELTA_BYTES_STEP + 16], suffix[TACO__DELTA_BYTES_STEP + 16];
    size_t n, suffix_total;
    uint64_t total;
} taco__delta_bytes_part;

/* Decodes the lengths of the next values, n at most. width is what every value must have, or
   SIZE_MAX for text. */
static bool taco__delta_bytes_next(taco__delta_bytes *s, taco__delta_bytes_part *p, size_t n,
                                   size_t width, taco_error *err)
{
    uint64_t len = s->last.len;
    size_t i;
    p->n = TACO__MIN(n, (size_t)TACO__DELTA_BYTES_STEP);
    p->total = 0;
    if (!taco__delta_int_read32(&s->prefixes, p->prefix, p->n, err) ||
        !taco__delta_len_next(&s->suffixes, p->suffix, p->n, &p->suffix_total, err)) {
        return false;
    }
    for (i = 0; i < p->n; i++) {
        if (p->prefix[i] < 0 || (uint32_t)p->prefix[i] > len) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, s->prefixes.run,
                       "prefix of %d bytes, the text before has %u", TACO__D(p->prefix[i]), len);
            return false;
        }
        len = (uint64_t)(uint32_t)p->prefix[i] + (uint32_t)p->suffix[i];
        if (width != SIZE_MAX && len != width) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, s->prefixes.run, "value of %u bytes, the type has %u",
                       len, TACO__U(width));
            return false;
        }
        p->total += len;
    }
    return true;
}

/* Writes the values of a part, p->total bytes, to dst and keeps the last one. */
static bool taco__delta_bytes_write(taco__delta_bytes *s, const taco__delta_bytes_part *p,
                                    uint8_t *dst, taco_error *err)
{
    const uint8_t *prev = s->last.data, *src = s->suffixes.lengths.bytes.data + s->suffixes.at;
    size_t i, prev_left = s->last.len, left = s->suffixes.lengths.bytes.len - s->suffixes.at,
              len = s->last.len;
    for (i = 0; i < p->n; i++) {
        size_t a = (uint32_t)p->prefix[i], b = (uint32_t)p->suffix[i];
        taco__array_buf_copy_text(dst, prev, a, prev_left);
        taco__array_buf_copy_text(dst + a, src, b, left);
        src += b;
        left -= b;
        prev = dst;
        len = a + b;
        dst += len;
        prev_left = len + TACO__PAD; /* now it is before dst */
    }
    s->suffixes.at += p->suffix_total;
    s->last.len = 0; /* unless nothing was read, prev does not point into it */
    return p->n == 0 || taco__buf_append(&s->last, prev, len, err);
}

TACO__FN bool taco__delta_bytes_read_text(taco__delta_bytes *s, taco__buf *data, int32_t *offsets,
                                          size_t n, taco_error *err)
{
    taco__delta_bytes_part p;
    size_t i;
    if (!taco__array_buf_reserve_text(data, 0, err)) { return false; }
    offsets[0] = (int32_t)data->len;
    for (; n; n -= p.n, offsets += p.n) {
        int32_t at = (int32_t)data->len;
        if (!taco__delta_bytes_next(s, &p, n, SIZE_MAX, err) ||
            !taco__array_buf_reserve_text(data, p.total, err) ||
            !taco__delta_bytes_write(s, &p, data->data + data->len, err)) {
            return false;
        }
        for (i = 0; i < p.n; i++) {
            offsets[i + 1] = at += p.prefix[i] + p.suffix[i];
        }
        data->len += (size_t)p.total;
    }
    return true;
}

TACO__FN bool taco__delta_bytes_read_fixed(taco__delta_bytes *s, void *dst, size_t width, size_t n,
                                           taco_error *err)
{
    taco__delta_bytes_part p;
    uint8_t *out = (uint8_t *)dst;
    for (; n; n -= p.n, out += p.total) {
        if (!taco__delta_bytes_next(s, &p, n, width, err) ||
            !taco__delta_bytes_write(s, &p, out, err)) {
            return false;
        }
    }
    return true;
}

/* Builds each value in place over the previous one, without writing it anywhere else. */
TACO__FN bool taco__delta_bytes_skip(taco__delta_bytes *s, size_t n, taco_error *err)
{
    taco__delta_bytes_part p;
    size_t i;
    for (; n; n -= p.n) {
        if (!taco__delta_bytes_next(s, &p, n, SIZE_MAX, err)) { return false; }
        for (i = 0; i < p.n; i++) {
            size_t b = (uint32_t)p.suffix[i];
            s->last.len = (uint32_t)p.prefix[i];
            if (!taco__buf_append(&s->last, s->suffixes.lengths.bytes.data + s->suffixes.at, b,
                                  err)) {
                return false;
            }
            s->suffixes.at += b;
        }
    }
    return true;
}
