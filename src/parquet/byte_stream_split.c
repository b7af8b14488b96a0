/* byte_stream_split.c - BYTE_STREAM_SPLIT: the k-th bytes of all values together

   In: one stream for each byte of a value; out: the values. Spec: Encodings.md "Byte Stream Split".

       streams AA BB CC DD (two values of 4 bytes)  ->  ABCD ABCD

   That is a transposed matrix of bytes. With SIMD, registers are interleaved; otherwise squares of
   eight words are transposed; the remainder is copied byte by byte. All three are in
   taco__stream_split_read. */
#include "parquet.h"
#include "../base/base.h"
#include "../base/simd.h"

TACO__FN bool taco__stream_split_open(taco__stream_split *s, taco_bytes bytes, size_t width,
                                      taco_error *err)
{
    s->bytes = bytes;
    s->width = width;
    s->at = 0;
    s->stride = width ? bytes.len / width : 0;
    if (width && bytes.len % width) { /* width streams of equal length and nothing else */
        TACO__FAIL(err, TACO_ERR_CORRUPT, 0, "%u bytes in %u streams of equal length",
                   TACO__U(bytes.len), TACO__U(width));
        return false;
    }
    return true;
}

TACO__FN bool taco__stream_split_skip(taco__stream_split *s, size_t n, taco_error *err)
{
    if (s->width && n > s->stride - s->at) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, s->bytes.len, "values end, %u more expected",
                   TACO__U(n - (s->stride - s->at)));
        return false;
    }
    s->at += n;
    return true;
}

#ifndef TACO_SMALL
/* Byte k of word j becomes byte j of word k, a transposed square: swaps the halves, the quarters,
   the eighths across the diagonal. */
#define TACO__STREAM_SPLIT_SWAP(a, b, by, mask)                                                    \
    do {                                                                                           \
        uint64_t t = (((a) >> (by)) ^ (b)) & (mask);                                               \
        (b) ^= t;                                                                                  \
        (a) ^= t << (by);                                                                          \
    } while (0)

TACO__INLINE void taco__stream_split_transpose(uint64_t w[8])
{
    uint64_t a = w[0], b = w[1], c = w[2], d = w[3], e = w[4], f = w[5], g = w[6], h = w[7];
    TACO__STREAM_SPLIT_SWAP(a, e, 32, 0x00000000FFFFFFFFU);
    TACO__STREAM_SPLIT_SWAP(b, f, 32, 0x00000000FFFFFFFFU);
    TACO__STREAM_SPLIT_SWAP(c, g, 32, 0x00000000FFFFFFFFU);
    TACO__STREAM_SPLIT_SWAP(d, h, 32, 0x00000000FFFFFFFFU);
    TACO__STREAM_SPLIT_SWAP(a, c, 16, 0x0000FFFF0000FFFFU);
    TACO__STREAM_SPLIT_SWAP(b, d, 16, 0x0000FFFF0000FFFFU);
    TACO__STREAM_SPLIT_SWAP(e, g, 16, 0x0000FFFF0000FFFFU);
    TACO__STREAM_SPLIT_SWAP(f, h, 16, 0x0000FFFF0000FFFFU);
    TACO__STREAM_SPLIT_SWAP(a, b, 8, 0x00FF00FF00FF00FFU);
    TACO__STREAM_SPLIT_SWAP(c, d, 8, 0x00FF00FF00FF00FFU);
    TACO__STREAM_SPLIT_SWAP(e, f, 8, 0x00FF00FF00FF00FFU);
    TACO__STREAM_SPLIT_SWAP(g, h, 8, 0x00FF00FF00FF00FFU);
    w[0] = a, w[1] = b, w[2] = c, w[3] = d, w[4] = e, w[5] = f, w[6] = g, w[7] = h;
}

#undef TACO__STREAM_SPLIT_SWAP

/* Widths 2 and 4, 64 / width values a step: the streams' next 8 bytes, 8 / width times, fill the
   rows of a square of bytes whose columns are the values. Returns how many values it wrote, as
   little-endian bytes. */
TACO__INLINE size_t taco__stream_split_read_narrow(const uint8_t *src, size_t stride,
                                                   unsigned width, uint8_t *dst, size_t n)
{
    size_t i;
    const unsigned parts = 8 / width, step = 64 / width;
    for (i = 0; i + step <= n; i += step, dst += 64) {
        uint64_t w[8];
        unsigned j, k;
        for (j = 0; j < 8; j++) {
            w[j] = taco__load_le64(src + i + (j % width) * stride + 8 * (j / width));
        }
        taco__stream_split_transpose(w);
        for (j = 0; j < 8; j++) {
            for (k = 0; k < parts; k++) {
                uint64_t x = w[j] >> (8 * width * k);
                if (width == 4) {
                    taco__put_le32(dst + 32 * k + 4 * j, (uint32_t)x);
                } else {
                    dst[16 * k + 2 * j] = (uint8_t)x;
                    dst[16 * k + 2 * j + 1] = (uint8_t)(x >> 8);
                }
            }
        }
    }
    return i;
}

/* Widths of 8 and more, 8 values a step: the streams in groups of eight; the last group overlaps
   the one before. */
static size_t taco__stream_split_read_wide(const uint8_t *src, size_t stride, size_t width,
                                           uint8_t *dst, size_t n)
{
    size_t i, from, j;
    for (i = 0; i + 8 <= n; i += 8, dst += 8 * width) {
        for (from = 0; from < width; from += 8) {
            uint64_t w[8];
            size_t first = TACO__MIN(from, width - 8);
            for (j = 0; j < 8; j++) {
                w[j] = taco__load_le64(src + i + (first + j) * stride);
            }
            taco__stream_split_transpose(w);
            for (j = 0; j < 8; j++) {
                taco__put_le64(dst + j * width + first, w[j]);
            }
        }
    }
    return i;
}

/* Reads as many values as fill whole steps; the caller reads the rest byte by byte. */
static size_t taco__stream_split_read_plain(const uint8_t *src, size_t stride, size_t width,
                                            uint8_t *dst, size_t n)
{
    return width == 2   ? taco__stream_split_read_narrow(src, stride, 2, dst, n)
           : width == 4 ? taco__stream_split_read_narrow(src, stride, 4, dst, n)
           : width >= 8 ? taco__stream_split_read_wide(src, stride, width, dst, n)
                        : 0;
}
#endif

#if TACO__X86
#define TACO__STREAM_SPLIT_LOAD(k)                                                                 \
    _mm256_loadu_si256((const __m256i *)(const void *)(src + i + (k)*stride))
/* Stores the low half of vector k of `count`, and its high half after all the low ones. */
#define TACO__STREAM_SPLIT_STORE(v, count, k)                                                      \
    _mm_storeu_si128((__m128i *)(void *)(dst + 16 * (k)), _mm256_castsi256_si128(v));              \
    _mm_storeu_si128((__m128i *)(void *)(dst + 16 * ((count) + (k))),                              \
                     _mm256_extracti128_si256(v, 1))

/* Widths 2, 4 and 8, 32 values a step, by interleaving bytes: first of streams that are half the
   width apart. */
TACO__TARGET("avx2")

static size_t taco__stream_split_read_avx2(const uint8_t *src, size_t stride, unsigned width,
                                           uint8_t *dst, size_t n)
{
    size_t i;
    for (i = 0; i + 32 <= n; i += 32, dst += 32 * width) {
        if (width == 2) {
            __m256i a = TACO__STREAM_SPLIT_LOAD(0), b = TACO__STREAM_SPLIT_LOAD(1);
            __m256i x = _mm256_unpacklo_epi8(a, b), y = _mm256_unpackhi_epi8(a, b);
            TACO__STREAM_SPLIT_STORE(x, 2, 0);
            TACO__STREAM_SPLIT_STORE(y, 2, 1);
        } else if (width == 4) {
            __m256i a = TACO__STREAM_SPLIT_LOAD(0), b = TACO__STREAM_SPLIT_LOAD(1),
                    c = TACO__STREAM_SPLIT_LOAD(2), e = TACO__STREAM_SPLIT_LOAD(3);
            __m256i ac0 = _mm256_unpacklo_epi8(a, c), ac1 = _mm256_unpackhi_epi8(a, c);
            __m256i be0 = _mm256_unpacklo_epi8(b, e), be1 = _mm256_unpackhi_epi8(b, e);
            __m256i x0 = _mm256_unpacklo_epi8(ac0, be0), x1 = _mm256_unpackhi_epi8(ac0, be0);
            __m256i x2 = _mm256_unpacklo_epi8(ac1, be1), x3 = _mm256_unpackhi_epi8(ac1, be1);
            TACO__STREAM_SPLIT_STORE(x0, 4, 0);
            TACO__STREAM_SPLIT_STORE(x1, 4, 1);
            TACO__STREAM_SPLIT_STORE(x2, 4, 2);
            TACO__STREAM_SPLIT_STORE(x3, 4, 3);
        } else {
            __m256i p[8], q[8];
            unsigned k;
            for (k = 0; k < 4; k++) { /* p: streams k and k + 4, first and second halves */
                __m256i a = TACO__STREAM_SPLIT_LOAD(k), b = TACO__STREAM_SPLIT_LOAD(k + 4);
                p[k] = _mm256_unpacklo_epi8(a, b);
                p[k + 4] = _mm256_unpackhi_epi8(a, b);
            }
            for (k = 0; k < 2; k++) { /* q: streams k, k + 2, k + 4, k + 6, in quarters */
                q[k] = _mm256_unpacklo_epi8(p[k], p[k + 2]);
                q[k + 2] = _mm256_unpackhi_epi8(p[k], p[k + 2]);
                q[k + 4] = _mm256_unpacklo_epi8(p[k + 4], p[k + 6]);
                q[k + 6] = _mm256_unpackhi_epi8(p[k + 4], p[k + 6]);
            }
            for (k = 0; k < 4; k++) {
                __m256i x = _mm256_unpacklo_epi8(q[2 * k], q[2 * k + 1]);
                __m256i y = _mm256_unpackhi_epi8(q[2 * k], q[2 * k + 1]);
                TACO__STREAM_SPLIT_STORE(x, 8, 2 * k);
                TACO__STREAM_SPLIT_STORE(y, 8, 2 * k + 1);
            }
        }
    }
    return i;
}
#elif TACO__V16
/* Widths 2, 4 and 8, 16 values a step: each pass interleaves the vectors of the first half with
   those of the second, after which values are twice as long and half as many streams are left. */
static size_t taco__stream_split_read_v16(const uint8_t *src, size_t stride, unsigned width,
                                          uint8_t *dst, size_t n)
{
    size_t i;
    unsigned k, pass;
    for (i = 0; i + 16 <= n; i += 16, dst += 16 * width) {
        taco__v16 a[8], b[8];
        for (k = 0; k < width; k++) {
            a[k] = taco__v16_load(src + i + k * stride);
        }
        for (pass = width; pass > 1; pass /= 2) {
            for (k = 0; k < width / 2; k++) {
                b[2 * k] = taco__v16_zip_low(a[k], a[k + width / 2]);
                b[2 * k + 1] = taco__v16_zip_high(a[k], a[k + width / 2]);
            }
            memcpy(a, b, width * sizeof *a);
        }
        for (k = 0; k < width; k++) {
            taco__v16_store(dst + 16 * k, a[k]);
        }
    }
    return i;
}
#endif

TACO__FN bool taco__stream_split_read(taco__stream_split *s, void *dst, bool numeric, size_t n,
                                      taco_error *err)
{
    uint8_t *out = (uint8_t *)dst;
    const size_t width = s->width, stride = s->stride;
    const uint8_t *src;
    size_t k, done = 0;
    if (!n || !width) { return true; }
    if (!taco__stream_split_skip(s, n, err)) { return false; }
    src = s->bytes.data + (s->at - n);
#if TACO__X86
    if ((width == 2 || width == 4 || width == 8) && TACO__CPU_HAS("avx2")) {
        done = taco__stream_split_read_avx2(src, stride, (unsigned)width, out, n);
    }
#elif TACO__V16
    if (width == 2 || width == 4 || width == 8) {
        done = taco__stream_split_read_v16(src, stride, (unsigned)width, out, n);
    }
#endif
#ifndef TACO_SMALL
    done += taco__stream_split_read_plain(src + done, stride, width, out + done * width, n - done);
#endif
    for (; done < n; done++) {
        for (k = 0; k < width; k++) {
            out[done * width + k] = src[done + k * stride];
        }
    }
    if (numeric) { taco__plain_swap_bytes(dst, width, n); }
    return true;
}
