/* values.c - values in memory form: fill, narrow, decimals, room for more

   In: values as a file stores them; out: values as taco_field describes them. INT8 to UINT16 are
   stored as INT32 and lose their high bytes; decimals are stored as integers or as big-endian bytes
   and become little-endian two's complement. Spec: LogicalTypes.md "Numeric Types". At the end:
   taco__values, the buffers of a batch or a dictionary. */
#include "parquet.h"
#include "../base/base.h"

TACO__FN void taco__values_fill(void *dst, const void *value, size_t width, size_t n)
{
    uint8_t *d = (uint8_t *)dst;
    size_t i, done, total = n * width;
    if (width == 4 || width == 8) {
        uint64_t x = 0;
        memcpy(&x, value, width);
        if (width == 4) { memcpy((uint8_t *)&x + 4, value, 4); }
        for (i = 0; i < total; i += 8) { /* may write into the padding */
            memcpy(d + i, &x, 8);
        }
        return;
    }
    if (!total) { return; }
    memcpy(d, value, width);
    for (done = width; done < total; done += i) {
        i = TACO__MIN(done, total - done);
        memcpy(d + done, d, i);
    }
}

/* ---- integers and decimals ---- */

/* Works in place, because sixteen values are read before the first of them is written. */
TACO__FN void taco__values_narrow(void *values, size_t width, size_t n)
{
    uint8_t *v = (uint8_t *)values;
    size_t i = 0, j;
    for (; i + 16 <= n && width == 1; i += 16) {
        uint32_t in[16];
        uint8_t out[16];
        memcpy(in, v + i * 4, sizeof in);
        for (j = 0; j < 16; j++) {
            out[j] = (uint8_t)in[j];
        }
        memcpy(v + i, out, sizeof out);
    }
    for (; i + 16 <= n && width == 2; i += 16) {
        uint32_t in[16];
        uint16_t out[16];
        memcpy(in, v + i * 4, sizeof in);
        for (j = 0; j < 16; j++) {
            out[j] = (uint16_t)in[j];
        }
        memcpy(v + i * 2, out, sizeof out);
    }
    for (; i < n; i++) {
        uint32_t x;
        uint16_t y;
        memcpy(&x, v + i * 4, 4);
        y = (uint16_t)x;
        if (width == 1) {
            v[i] = (uint8_t)x;
        } else {
            memcpy(v + i * 2, &y, 2);
        }
    }
}

TACO__INLINE void taco__values_decimal_int(uint8_t *dst, size_t dst_width, int64_t x)
{
    taco__put_le64(dst, (uint64_t)x);
    memset(dst + 8, x < 0 ? 0xFF : 0, dst_width - 8);
}

TACO__FN void taco__values_decimal_int32(uint8_t *dst, size_t dst_width, const int32_t *src,
                                         size_t n)
{
    size_t i;
    for (i = 0; i < n; i++) {
        taco__values_decimal_int(dst + i * dst_width, dst_width, src[i]);
    }
}

TACO__FN void taco__values_decimal_int64(uint8_t *dst, size_t dst_width, const int64_t *src,
                                         size_t n)
{
    size_t i;
    for (i = 0; i < n; i++) {
        taco__values_decimal_int(dst + i * dst_width, dst_width, src[i]);
    }
}

/* Big-endian numbers of 8 to 16 bytes: writes the low word, then the high word without the bytes
   the two reads share. */
TACO__INLINE void taco__values_decimal_words(uint8_t *dst, size_t dst_width, const uint8_t *src,
                                             size_t len, uint8_t sign)
{
    uint64_t low = taco__load_be64(src + len - 8), high = taco__load_be64(src);
    uint64_t fill = sign ? UINT64_MAX : 0;
    unsigned shared = (unsigned)(16 - len) * 8;
    taco__put_le64(dst, low);
    taco__put_le64(dst + 8, shared == 64 ? fill
                            : shared     ? high >> shared | fill << (64 - shared)
                                         : high);
    memset(dst + 16, sign, dst_width - 16);
}

/* Big-endian numbers of any length; the leading bytes may only repeat the sign if there are more
   than fit. An empty one is 0. */
TACO__INLINE bool taco__values_decimal_big_endian(uint8_t *dst, size_t dst_width,
                                                  const uint8_t *src, size_t len)
{
    uint8_t sign = (uint8_t)(len && src[0] & 0x80 ? 0xFF : 0);
    size_t i, drop;
    if (len >= 8 && len <= 16) {
        taco__values_decimal_words(dst, dst_width, src, len, sign);
        return true;
    }
    if (len > dst_width) {
        drop = len - dst_width;
        for (i = 0; i < drop; i++) {
            if (src[i] != sign) { return false; }
        }
        if ((src[drop] ^ sign) & 0x80) { return false; }
        src += drop;
        len = dst_width;
    }
    for (i = 0; i < len; i++) {
        dst[i] = src[len - 1 - i];
    }
    memset(dst + len, sign, dst_width - len);
    return true;
}

/* Value i, of len bytes, does not fit. */
static TACO__COLD bool taco__values_decimal_fail(size_t i, size_t len, size_t dst_width,
                                                 taco_error *err)
{
    TACO__FAIL(
        err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
        "value %u: a decimal of %u bytes, which do not fit in the %u that its precision takes",
        TACO__U(i), TACO__U(len), TACO__U(dst_width));
    return false;
}

TACO__FN bool taco__values_decimal_fixed(uint8_t *dst, size_t dst_width, const uint8_t *src,
                                         size_t src_width, size_t n, taco_error *err)
{
    size_t i;
    for (i = 0; i < n; i++) {
        if (!taco__values_decimal_big_endian(dst + i * dst_width, dst_width, src + i * src_width,
                                             src_width)) {
            return taco__values_decimal_fail(i, src_width, dst_width, err);
        }
    }
    return true;
}

TACO__FN bool taco__values_decimal_text(uint8_t *dst, size_t dst_width, const uint8_t *data,
                                        const int32_t *offsets, size_t n, taco_error *err)
{
    size_t i;
    for (i = 0; i < n; i++) {
        size_t len = (size_t)(uint32_t)(offsets[i + 1] - offsets[i]);
        if (!taco__values_decimal_big_endian(dst + i * dst_width, dst_width,
                                             data + (uint32_t)offsets[i], len)) {
            return taco__values_decimal_fail(i, len, dst_width, err);
        }
    }
    return true;
}

/* ---- room for decoded values ---- */

TACO__FN void taco__values_init(taco__values *s, taco__mem *mem)
{
    memset(s, 0, sizeof *s);
    s->fixed.mem = s->offsets.mem = s->bytes.mem = mem;
}

TACO__FN void taco__values_clear(taco__values *s)
{
    s->fixed.len = s->offsets.len = s->bytes.len = s->count = 0;
    s->is_indices = false;
}

TACO__FN void taco__values_free(taco__values *s)
{
    taco__buf_free(&s->fixed);
    taco__buf_free(&s->offsets);
    taco__buf_free(&s->bytes);
}

TACO__FN uint8_t *taco__values_reserve(taco__values *s, size_t width, size_t n, taco_error *err)
{
    size_t have, more;
    if (!taco__array_buf_size(s->count, width, &have, err) ||
        !taco__array_buf_size(n, width, &more, err)) {
        return NULL;
    }
    s->fixed.len = have;
    return taco__buf_reserve(&s->fixed, more, err) ? s->fixed.data + have : NULL;
}

TACO__FN uint8_t *taco__values_reserve_bits(taco__values *s, size_t n, taco_error *err)
{
    s->fixed.len = TACO__BITMAP_BYTES(s->count);
    return taco__buf_reserve(&s->fixed, TACO__BITMAP_BYTES(n) + 1, err) ? s->fixed.data : NULL;
}

TACO__FN int32_t *taco__values_reserve_offsets(taco__values *s, size_t n, taco_error *err)
{
    size_t more;
    if (!taco__array_buf_size(n + 1, sizeof(int32_t), &more, err)) { return NULL; }
    s->offsets.len = s->count * sizeof(int32_t);
    if (!taco__buf_reserve(&s->offsets, more, err)) { return NULL; }
    return (int32_t *)(void *)s->offsets.data + s->count;
}
