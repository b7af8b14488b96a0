/* encode.c - the encodings of levels and values in pages

   In: values in the form of PLAIN (taco__plain_values): of one width, or byte arrays by offsets.
   Out: bytes appended to a buffer, as Encodings.md has them; parquet/rle.c, delta_binary_packed.c
   and the other readers there undo it. encoding_choice.c decides which one to use. Functions return
   false only if there is no memory.

   Two of the encodings are built from others: RLE_DICTIONARY is a bit width and RLE, the two of
   byte arrays are DELTA_BINARY_PACKED lengths and bytes. */
#include "parquet_write.h"
#include "../base/base.h"

/* ---- numbers ---- */

/* ULEB128. */
static bool taco__encode_varint(taco__buf *out, uint64_t x, taco_error *err)
{
    uint8_t b[10];
    size_t n = 0;
    for (; x >= 0x80; x >>= 7) {
        b[n++] = (uint8_t)(x | 0x80);
    }
    b[n++] = (uint8_t)x;
    return taco__buf_append(out, b, n, err);
}

static bool taco__encode_zigzag(taco__buf *out, int64_t x, taco_error *err)
{
    return taco__encode_varint(out, ((uint64_t)x << 1) ^ (x < 0 ? UINT64_MAX : 0), err);
}

/* Bits needed for numbers up to max; 0 for 0. */
TACO__INLINE unsigned taco__encode_bit_width(uint64_t max)
{
    return max ? 64 - taco__plat_clz64(max) : 0;
}

/* Packs n numbers of width bits, least significant bit first; dst has room for them and 8 bytes
   more. */
static void taco__encode_pack(uint8_t *dst, const uint64_t *v, size_t n, unsigned width)
{
    uint64_t word = 0;
    unsigned used = 0;
    size_t i;
    if (!width) { return; }
    for (i = 0; i < n; i++) {
        word |= v[i] << used;
        if (used + width >= 64) {
            taco__put_le64(dst, word);
            dst += 8;
            word = used ? v[i] >> (64 - used) : 0;
            used = used + width - 64;
        } else {
            used += width;
        }
    }
    taco__put_le64(dst, word);
}

/* ---- RLE and bit-packed runs ---- */

/* Eight or more equal values become a repeated run: varint (count << 1), the value in whole bytes.
   All others go, in groups of eight, into bit-packed runs: varint (groups << 1 | 1), width bytes
   per group; as long as possible, because the headers of short ones take up to 1.6 % of narrow
   values. A repeated run may only begin where a group ends. The last group is filled up with
   zeros, which readers do not count. */
typedef struct taco__rle_encoder {
    uint8_t *to; /* where the next byte goes */
    unsigned width;
    uint8_t *header; /* of the open bit-packed run */
    unsigned groups; /* of that run; 0: none is open */
} taco__rle_encoder;

/* Most groups of a bit-packed run whose header is one byte, and of any run. */
#define TACO__ENCODE_SHORT_RUN 63
#define TACO__ENCODE_LONG_RUN  8191

/* Value i of n that take `size` bytes each. */
TACO__INLINE uint32_t taco__encode_rle_value(const void *v, size_t size, size_t i)
{
    return size == 4   ? ((const uint32_t *)v)[i]
           : size == 2 ? (uint32_t)((const int16_t *)v)[i]
                       : ((const uint8_t *)v)[i];
}

/* Where the values equal to the one at i end. Most columns have no nulls, so levels are compared
   many at a time. */
TACO__INLINE size_t taco__encode_rle_run_end(const void *v, size_t size, size_t i, size_t n)
{
    const uint32_t value = taco__encode_rle_value(v, size, i);
    for (i++; i + 32 <= n; i += 32) {
        uint32_t other = 0;
        size_t k;
        for (k = 0; k < 32; k++) {
            other |= taco__encode_rle_value(v, size, i + k) ^ value;
        }
        if (other) { break; }
    }
    while (i < n && taco__encode_rle_value(v, size, i) == value) {
        i++;
    }
    return i;
}

/* Eight values, width bytes; dst has room for 16 and 8 more. */
TACO__INLINE void taco__encode_pack_group(uint8_t *dst, const uint64_t *v, unsigned width)
{
    uint64_t low = v[0] | v[1] << width | v[2] << 2 * width | v[3] << 3 * width;
    uint64_t high = v[4] | v[5] << width | v[6] << 2 * width | v[7] << 3 * width;
    taco__put_le64(dst, low | (width < 16 ? high << 4 * width : 0));
    taco__put_le64(dst + 8, width < 16 ? high >> 1 >> (63 - 4 * width) : high);
}

/* Writes the header of the open bit-packed run, if there is one. */
TACO__INLINE void taco__encode_rle_end_run(taco__rle_encoder *r)
{
    const unsigned head = r->groups << 1 | 1;
    if (r->groups == 0) { return; }
    r->header[0] = (uint8_t)(r->groups > TACO__ENCODE_SHORT_RUN ? head | 0x80 : head);
    if (r->groups > TACO__ENCODE_SHORT_RUN) { r->header[1] = (uint8_t)(head >> 7); }
    r->groups = 0;
}

/* A group of a bit-packed run, whose header takes a second byte from the 64th group on. */
TACO__INLINE void taco__encode_rle_group(taco__rle_encoder *r, const uint64_t *group)
{
    if (r->groups == 0) { r->header = r->to++; }
    if (r->groups == TACO__ENCODE_SHORT_RUN) {
        memmove(r->header + 2, r->header + 1, (size_t)(r->to - r->header) - 1);
        r->to++;
    }
    if (r->width <= 16) {
        taco__encode_pack_group(r->to, group, r->width);
    } else {
        taco__encode_pack(r->to, group, 8, r->width);
    }
    r->to += r->width;
    if (++r->groups == TACO__ENCODE_LONG_RUN) { taco__encode_rle_end_run(r); }
}

/* A run of `times` equal values; at most 9 bytes. */
static void taco__encode_rle_repeat(taco__rle_encoder *r, uint32_t value, size_t times)
{
    uint64_t head = (uint64_t)times << 1;
    unsigned i;
    taco__encode_rle_end_run(r);
    for (; head >= 0x80; head >>= 7) {
        *r->to++ = (uint8_t)(head | 0x80);
    }
    *r->to++ = (uint8_t)head;
    for (i = 0; i < r->width; i += 8) {
        *r->to++ = (uint8_t)(value >> i);
    }
}

/* Appends the runs of n values of `size` bytes, which is a constant after inlining. The worst case
   of eight values is a group after a header of two bytes, or a repeated run. */
TACO__INLINE bool taco__encode_rle_runs(taco__buf *out, const void *v, size_t size, size_t n,
                                        unsigned width, taco_error *err)
{
    taco__rle_encoder r;
    size_t i, k;
    if (!taco__buf_reserve(out, (n / 8 + 1) * (width + 14) + 24, err)) { return false; }
    memset(&r, 0, sizeof r);
    r.to = out->data + out->len;
    r.width = width;
    for (i = 0; i < n;) {
        uint64_t group[8] = {0, 0, 0, 0, 0, 0, 0, 0}, other = 0;
        size_t many = TACO__MIN(n - i, (size_t)8);
        for (k = 0; k < many; k++) {
            group[k] = taco__encode_rle_value(v, size, i + k);
            other |= group[k] ^ group[0];
        }
        if (many == 8 && !other) {
            size_t end = taco__encode_rle_run_end(v, size, i, n);
            taco__encode_rle_repeat(&r, (uint32_t)group[0], end - i);
            i = end;
        } else {
            taco__encode_rle_group(&r, group);
            i += many;
        }
    }
    taco__encode_rle_end_run(&r);
    out->len = (size_t)(r.to - out->data);
    return true;
}

TACO__FN bool taco__encode_levels(taco__buf *out, const int16_t *levels, size_t n, int16_t max,
                                  taco_error *err)
{
    return taco__encode_rle_runs(out, levels, 2, n, taco__encode_bit_width((uint64_t)max), err);
}

/* The width is at least 1, even for a dictionary of one value. */
TACO__FN bool taco__encode_indices(taco__buf *out, const uint32_t *v, size_t n, size_t entries,
                                   taco_error *err)
{
    unsigned width = TACO__MAX(taco__encode_bit_width(entries ? entries - 1 : 0), 1U);
    return taco__buf_append_char(out, (char)width, err) &&
           taco__encode_rle_runs(out, v, 4, n, width, err);
}

TACO__FN bool taco__encode_bools_rle(taco__buf *out, const uint8_t *v, size_t n, taco_error *err)
{
    static const uint8_t no_length[4] = {0, 0, 0, 0};
    size_t at = out->len;
    if (!taco__buf_append(out, no_length, 4, err) || !taco__encode_rle_runs(out, v, 1, n, 1, err)) {
        return false;
    }
    taco__put_le32(out->data + at, (uint32_t)(out->len - at - 4));
    return true;
}

TACO__FN bool taco__encode_bools(taco__buf *out, const uint8_t *v, size_t n, taco_error *err)
{
    size_t i;
    if (!taco__buf_reserve(out, TACO__BITMAP_BYTES(n), err)) { return false; }
    memset(out->data + out->len, 0, TACO__BITMAP_BYTES(n));
    for (i = 0; i < n; i++) {
        if (v[i]) { taco__bitmap_set(out->data + out->len, i); }
    }
    out->len += TACO__BITMAP_BYTES(n);
    return true;
}

/* ---- DELTA_BINARY_PACKED ---- */

/* Values of a block and of each of its 4 miniblocks: the fewest that Encodings.md allows, as
   written by parquet-mr and Arrow. */
#define TACO__ENCODE_BLOCK     128
#define TACO__ENCODE_MINIBLOCK 32

/* Integer i of 4 or 8 bytes, sign-extended. */
TACO__INLINE uint64_t taco__encode_load(const uint8_t *v, size_t width, size_t i)
{
    return width == 4 ? (uint64_t)(int64_t)(int32_t)taco__load_le32(v + 4 * i)
                      : taco__load_le64(v + 8 * i);
}

/* One miniblock: its body, after the widths; returns its width. */
static uint8_t taco__encode_miniblock(taco__buf *out, const uint64_t *delta)
{
    uint64_t all = 0;
    unsigned width;
    size_t i;
    for (i = 0; i < TACO__ENCODE_MINIBLOCK; i++) {
        all |= delta[i];
    }
    width = taco__encode_bit_width(all);
    taco__encode_pack(out->data + out->len, delta, TACO__ENCODE_MINIBLOCK, width);
    out->len += (size_t)width * (TACO__ENCODE_MINIBLOCK / 8);
    return (uint8_t)width;
}

/* A block of up to 128 differences: the least of them, zigzag; four widths; the miniblocks, which
   hold the differences minus the least. Miniblocks without values have width 0 and no body. */
static bool taco__encode_delta_block(taco__buf *out, uint64_t *delta, size_t n, taco_error *err)
{
    int64_t least = INT64_MAX;
    size_t i, m, widths;
    for (i = 0; i < n; i++) {
        least = TACO__MIN(least, (int64_t)delta[i]);
    }
    for (i = 0; i < TACO__ENCODE_BLOCK; i++) {
        delta[i] = i < n ? delta[i] - (uint64_t)least : 0;
    }
    if (!taco__encode_zigzag(out, least, err) ||
        !taco__buf_reserve(out, 4 + 8 * TACO__ENCODE_BLOCK + 8, err)) {
        return false;
    }
    widths = out->len;
    memset(out->data + widths, 0, 4);
    out->len += 4;
    for (m = 0; m * TACO__ENCODE_MINIBLOCK < n; m++) {
        out->data[widths + m] = taco__encode_miniblock(out, delta + m * TACO__ENCODE_MINIBLOCK);
    }
    return true;
}

/* The header: block size, miniblocks per block, number of values, first value. Differences wrap at
   the width of the integers, so that none takes more bits than they do. */
TACO__FN bool taco__encode_delta(taco__buf *out, const uint8_t *v, size_t width, size_t n,
                                 taco_error *err)
{
    uint64_t delta[TACO__ENCODE_BLOCK], last = n ? taco__encode_load(v, width, 0) : 0;
    size_t i, k = 0;
    if (!taco__encode_varint(out, TACO__ENCODE_BLOCK, err) || !taco__encode_varint(out, 4, err) ||
        !taco__encode_varint(out, n, err) || !taco__encode_zigzag(out, (int64_t)last, err)) {
        return false;
    }
    for (i = 1; i < n; i++) {
        uint64_t x = taco__encode_load(v, width, i);
        delta[k++] = width == 4 ? (uint64_t)(int64_t)(int32_t)(uint32_t)(x - last) : x - last;
        last = x;
        if (k == TACO__ENCODE_BLOCK || i + 1 == n) {
            if (!taco__encode_delta_block(out, delta, k, err)) { return false; }
            k = 0;
        }
    }
    return true;
}

/* ---- byte arrays ---- */

TACO__FN bool taco__encode_byte_arrays(taco__buf *out, const uint8_t *bytes,
                                       const uint32_t *offsets, size_t n, taco_error *err)
{
    size_t i;
    uint8_t *p;
    if (!taco__buf_reserve(out, 4 * n + (n ? offsets[n] - offsets[0] : 0), err)) { return false; }
    p = out->data + out->len;
    for (i = 0; i < n; i++) {
        uint32_t len = offsets[i + 1] - offsets[i];
        taco__put_le32(p, len);
        memcpy(p + 4, bytes + offsets[i], len);
        p += 4 + len;
    }
    out->len = (size_t)(p - out->data);
    return true;
}

TACO__FN bool taco__encode_delta_length(taco__buf *out, const uint8_t *bytes,
                                        const uint32_t *offsets, size_t n, uint8_t *lengths,
                                        taco_error *err)
{
    size_t i;
    for (i = 0; i < n; i++) {
        taco__put_le32(lengths + 4 * i, offsets[i + 1] - offsets[i]);
    }
    return taco__encode_delta(out, lengths, 4, n, err) &&
           (n == 0 || taco__buf_append(out, bytes + offsets[0], offsets[n] - offsets[0], err));
}

/* The values of DELTA_BYTE_ARRAY, of one width or by offsets. */
typedef struct taco__encode_strings {
    const uint8_t *bytes;
    const uint32_t *offsets; /* NULL: all have `width` bytes */
    size_t width;
} taco__encode_strings;

TACO__INLINE taco_bytes taco__encode_string_at(const taco__encode_strings *s, size_t i)
{
    return s->offsets ? taco__bytes_of(s->bytes + s->offsets[i], s->offsets[i + 1] - s->offsets[i])
                      : taco__bytes_of(s->bytes + i * s->width, s->width);
}

/* DELTA_BYTE_ARRAY: lengths of the prefixes shared with the previous value, lengths of the
   suffixes, suffixes. `lengths` holds first the former, then the latter. "ab", "abc", "b" are the
   lengths 0 2 0, the lengths 2 1 1, and "abcb". */
TACO__FN bool taco__encode_delta_strings(taco__buf *out, const uint8_t *bytes,
                                         const uint32_t *offsets, size_t width, size_t n,
                                         uint8_t *lengths, taco_error *err)
{
    taco__encode_strings s;
    taco_bytes before = taco__bytes_of(bytes, 0);
    size_t i, total = 0;
    s.bytes = bytes;
    s.offsets = offsets;
    s.width = width;
    for (i = 0; i < n; i++) {
        taco_bytes v = taco__encode_string_at(&s, i);
        taco__put_le32(lengths + 4 * i, (uint32_t)taco__bytes_common_prefix(v, before));
        before = v;
    }
    if (!taco__encode_delta(out, lengths, 4, n, err)) { return false; }
    for (i = 0; i < n; i++) {
        size_t rest = taco__encode_string_at(&s, i).len - taco__load_le32(lengths + 4 * i);
        taco__put_le32(lengths + 4 * i, (uint32_t)rest);
        total += rest;
    }
    if (!taco__encode_delta(out, lengths, 4, n, err) || !taco__buf_reserve(out, total, err)) {
        return false;
    }
    for (i = 0; i < n; i++) {
        taco_bytes v = taco__encode_string_at(&s, i);
        size_t rest = taco__load_le32(lengths + 4 * i);
        memcpy(out->data + out->len, v.data + v.len - rest, rest);
        out->len += rest;
    }
    return true;
}

/* Bytes k to k + 3 of all values, n of each to dst; those of four values at a time are transposed
   in registers. */
static void taco__encode_split_words(uint8_t *dst, const uint8_t *v, size_t width, size_t n,
                                     size_t k)
{
    const uint32_t even = 0x00FF00FFU;
    size_t i = 0, j;
    for (; i + 4 <= n; i += 4) {
        const uint8_t *p = v + i * width + k;
        const uint32_t a = taco__load_le32(p), b = taco__load_le32(p + width);
        const uint32_t c = taco__load_le32(p + 2 * width), d = taco__load_le32(p + 3 * width);
        const uint32_t ab = (a & even) | (b & even) << 8, cd = (c & even) | (d & even) << 8;
        const uint32_t ab1 = (a >> 8 & even) | (b & ~even), cd1 = (c >> 8 & even) | (d & ~even);
        taco__put_le32(dst + i, (ab & 0xFFFF) | cd << 16);
        taco__put_le32(dst + n + i, (ab1 & 0xFFFF) | cd1 << 16);
        taco__put_le32(dst + 2 * n + i, ab >> 16 | (cd & 0xFFFF0000U));
        taco__put_le32(dst + 3 * n + i, ab1 >> 16 | (cd1 & 0xFFFF0000U));
    }
    for (; i < n; i++) {
        for (j = 0; j < 4; j++) {
            dst[j * n + i] = v[i * width + k + j];
        }
    }
}

/* Byte 0 of all values, then byte 1 of all, and so on. */
TACO__FN bool taco__encode_byte_stream_split(taco__buf *out, const uint8_t *v, size_t width,
                                             size_t n, taco_error *err)
{
    uint8_t *to;
    size_t i, k = 0;
    if (!taco__buf_reserve(out, width * n, err)) { return false; }
    to = out->data + out->len;
    for (; k + 4 <= width; k += 4) {
        taco__encode_split_words(to + k * n, v, width, n, k);
    }
    for (; k < width; k++) {
        for (i = 0; i < n; i++) {
            to[k * n + i] = v[i * width + k];
        }
    }
    out->len += width * n;
    return true;
}
