/* plain.c - PLAIN: fixed width, booleans as bits, byte arrays after lengths
   lengths

   In: the value section of a page or dictionary; out: values in native byte order, a bitmap, or
   text with offsets. Spec: Encodings.md "Plain".

       INT32      01 00 00 00  02 00 00 00
       BOOLEAN    05                          three values: 1 0 1, least significant bit first
       BYTE_ARRAY 02 00 00 00 61 62  00 00 00 00          "ab", ""

   Most of a file's bytes go through here, so the loop over texts (taco__plain_read_text) matters
   most for speed. */
#include "parquet.h"
#include "../base/base.h"
#include "../arrow/arrow.h"

TACO__FN void taco__plain_open(taco__plain *p, taco_bytes bytes)
{
    p->bytes = bytes;
    p->at = 0;
    p->bit = 0;
}

static TACO__COLD bool taco__plain_fail_short(const taco__plain *p, size_t n, uint64_t have,
                                              taco_error *err)
{
    TACO__FAIL(err, TACO_ERR_TRUNCATED, p->bytes.len, "values end, %u more expected",
               TACO__U(n) - have);
    return false;
}

TACO__FN bool taco__plain_skip(taco__plain *p, size_t width, size_t n, taco_error *err)
{
    size_t left = p->bytes.len - p->at;
    if (width && n > left / width) { return taco__plain_fail_short(p, n, left / width, err); }
    p->at += n * width;
    return true;
}

TACO__FN bool taco__plain_read(taco__plain *p, void *dst, size_t width, bool numeric, size_t n,
                               taco_error *err)
{
    size_t from = p->at;
    if (!taco__plain_skip(p, width, n, err)) { return false; }
    if (p->at > from) { memcpy(dst, p->bytes.data + from, p->at - from); }
    if (numeric) { taco__plain_swap_bytes(dst, width, n); }
    return true;
}

TACO__FN bool taco__plain_skip_bits(taco__plain *p, size_t n, taco_error *err)
{
    uint64_t have = (uint64_t)(p->bytes.len - p->at) * 8 - p->bit; /* bit is 0 at the end */
    if (n > have) { return taco__plain_fail_short(p, n, have, err); }
    p->at += (n >> 3) + ((p->bit + (n & 7)) >> 3);
    p->bit = (unsigned)((p->bit + n) & 7);
    return true;
}

TACO__FN bool taco__plain_read_bits(taco__plain *p, uint8_t *dst, size_t dst_bit, size_t n,
                                    taco_error *err)
{
    size_t at = p->at;
    unsigned bit = p->bit;
    if (!taco__plain_skip_bits(p, n, err)) { return false; }
    if (n) { taco__bitmap_copy(dst, dst_bit, p->bytes.data + at, bit, n); }
    return true;
}

TACO__FN TACO__COLD bool taco__plain_fail_text(const taco__plain *p, size_t at, size_t missing,
                                               taco_error *err)
{
    size_t left = p->bytes.len - at;
    if (!left) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, at, "values end, %u more expected", TACO__U(missing));
    } else if (left < 4) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, at, "length of 4 bytes, %u are left", TACO__U(left));
    } else {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, at, "text of %u bytes, %u are left",
                   TACO__U(taco__load_le32(p->bytes.data + at)), TACO__U(left - 4));
    }
    return false;
}

/* After this many texts of the same length in a row, TACO__PLAIN_RUN at a time are expected to have
   it. */
#define TACO__PLAIN_SAME_LENGTH 8
#define TACO__PLAIN_RUN         64

/* Copies texts of m <= 32 bytes until one has another length, TACO__PLAIN_RUN of them at most, and
   returns how many. The caller has checked that there is room for all of them, and that src can be
   read 32 bytes past them. Since each length is only compared with the expected one, the next text
   need not wait for it to be loaded. */
TACO__INLINE size_t taco__plain_copy_run(const uint8_t *src, size_t m, uint8_t *out,
                                         int32_t *offsets, size_t len)
{
    size_t i;
    for (i = 0; i < TACO__PLAIN_RUN && taco__load_le32(src) == m; i++) {
        memcpy(out, src + 4, 32);
        src += 4 + m;
        out += m;
        len += m;
        offsets[i] = (int32_t)len;
    }
    return i;
}

/* Each length is checked against the bytes left before it is used. Ids, paths and hashes mostly
   have one length: after a few equal lengths the next texts are copied in runs. */
TACO__FN bool taco__plain_read_text(taco__plain *p, taco__buf *data, int32_t *offsets, size_t n,
                                    taco_error *err)
{
    size_t i, len, at = p->at, left = p->bytes.len - at, cap, last = 0, alike = 0;
    uint8_t *out;
    /* a first guess, bounded by the bytes present; the buffer doubles from there */
    if (!taco__array_buf_reserve_text(data, TACO__MIN(left, n < left / 16 ? 16 * n : left), err)) {
        return false;
    }
    out = data->data;
    cap = data->cap;
    len = data->len;
    offsets[0] = (int32_t)len;
    for (i = 0; i < n; i++) {
        const uint8_t *src = p->bytes.data + at;
        size_t m = left >= 4 ? taco__load_le32(src) : SIZE_MAX;
        if (TACO__UNLIKELY(left < 4 || m > left - 4)) {
            return taco__plain_fail_text(p, at, n - i, err);
        }
        left -= 4 + m;
        if (TACO__UNLIKELY(m > cap - len || len > INT32_MAX - m)) {
            data->len = len;
            if (!taco__array_buf_reserve_text(data, m, err)) { return false; }
            out = data->data;
            cap = data->cap;
        }
        taco__array_buf_copy_text(out + len, src + 4, m, left + m);
        len += m;
        at += 4 + m;
        offsets[i + 1] = (int32_t)len;
        alike = m == last ? alike + 1 : 0;
        last = m;
        if (alike >= TACO__PLAIN_SAME_LENGTH && m <= 32 && n - i > TACO__PLAIN_RUN &&
            left >= TACO__PLAIN_RUN * (4 + m) + 36 && TACO__PLAIN_RUN * m <= cap - len &&
            len <= (size_t)INT32_MAX - TACO__PLAIN_RUN * 32) {
            size_t k = taco__plain_copy_run(p->bytes.data + at, m, out + len, offsets + i + 2, len);
            i += k;
            at += k * (4 + m);
            left -= k * (4 + m);
            len += k * m;
            alike = k == TACO__PLAIN_RUN ? alike : 0;
        }
    }
    data->len = len;
    p->at = at;
    return true;
}

TACO__FN bool taco__plain_skip_text(taco__plain *p, size_t n, taco_error *err)
{
    size_t i, at = p->at;
    for (i = 0; i < n; i++) {
        size_t left = p->bytes.len - at;
        if (left < 4 || taco__load_le32(p->bytes.data + at) > left - 4) {
            return taco__plain_fail_text(p, at, n - i, err);
        }
        at += (size_t)4 + taco__load_le32(p->bytes.data + at);
    }
    p->at = at;
    return true;
}
