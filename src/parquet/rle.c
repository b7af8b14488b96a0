/* rle.c - RLE and bit-packed hybrid: levels, indices, booleans; the deprecated BIT_PACKED

   In: runs, each after a varint header; out: integers of up to 32 bits, in the form the caller
   needs: levels, validity, checked indices, or values of the dictionary. Spec: Encodings.md "RLE",
   "Bit-packed (Deprecated)".

       03  88 c6 fa       header 3: odd, so packed; 1 group of 8 values in width (3) bytes: 0 1 .. 7
       08  02             header 8: even; 4 times the value 2, in one byte

   Every _read function is one loop: begin a run if none is left, take as many of its values as
   needed, count them. Values of a packed run are checked right after unpacking, while they are in
   the L1 cache. */
#include "parquet.h"
#include "../base/base.h"
#include "../arrow/arrow.h"

TACO__FN bool taco__rle_open(taco__rle *r, taco_bytes bytes, unsigned width, taco_error *err)
{
    memset(r, 0, sizeof *r);
    r->bytes = bytes;
    r->width = width;
    if (width > 32) { /* Encodings.md, dictionary: max bit width = 32 */
        TACO__FAIL(err, TACO_ERR_CORRUPT, 0, "bit width %u, at most 32 is allowed", TACO__U(width));
        return false;
    }
    return true;
}

/* Number of values that fit in so many bytes. No 64-bit division where size_t has 32 bits. */
static size_t taco__rle_capacity(size_t bytes, unsigned width)
{
    size_t eights = bytes / width, rest = bytes % width * 8 / width;
    return eights <= (SIZE_MAX - rest) / 8 ? eights * 8 + rest : SIZE_MAX;
}

TACO__FN bool taco__rle_open_msb(taco__rle *r, taco_bytes bytes, unsigned width, taco_error *err)
{
    if (!taco__rle_open(r, bytes, width, err)) { return false; }
    if (width) {
        r->at = bytes.len;
        r->left = taco__rle_capacity(bytes.len, width);
        r->packed = r->msb = true;
    }
    return true;
}

/* Begins a run of 8 * groups packed values, of which `have` bytes are present. The last run may be
   cut short after the values that exist. */
TACO__INLINE void taco__rle_begin_packed(taco__rle *r, uint64_t groups, uint64_t have)
{
    uint64_t size = groups * r->width;
    bool whole = size <= have;
    r->left = whole ? (size_t)groups * 8 : taco__rle_capacity((size_t)have, r->width);
    r->at = whole ? r->run + (size_t)size : r->bytes.len;
}

/* Begins a run of n times the value that follows, in as many whole bytes as its width needs. */
TACO__INLINE bool taco__rle_begin_repeated(taco__rle *r, uint64_t n, uint64_t have, taco_error *err)
{
    size_t i, size = (r->width + 7) / 8;
    if (size > have) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, r->run, "repeated value of %u bytes, %u are left",
                   TACO__U(size), have);
        return false;
    }
    for (r->value = 0, i = 0; i < size; i++) {
        r->value |= (uint32_t)r->bytes.data[r->run + i] << (8 * i);
    }
    r->left = (size_t)n;
    r->at = r->run + size;
    return true;
}

TACO__FN bool taco__rle_next_run(taco__rle *r, size_t missing, taco_error *err)
{
    /* only one value is possible: the runs do not matter, and some writers omit them */
    if (!r->width) {
        r->left = SIZE_MAX;
        r->packed = false;
        return true;
    }
    do { /* an empty run still takes a byte, so the loop ends */
        taco__byte_reader c = taco__byte_reader_init(r->bytes);
        uint64_t head;
        size_t start = r->at;
        if (start == r->bytes.len) {
            TACO__FAIL(err, TACO_ERR_TRUNCATED, start, "values end, %u more expected",
                       TACO__U(missing));
            return false;
        }
        c.at += start;
        head = c.at[0] < 0x80 ? *c.at++ : taco__byte_reader_varint(&c);
        if (c.bad || head > UINT32_MAX) {
            bool cut = c.bad && c.at == c.end;
            TACO__FAIL(err, cut ? TACO_ERR_TRUNCATED : TACO_ERR_CORRUPT, start,
                       cut ? "run header is cut off" : "run header is longer than 32 bits");
            return false;
        }
        r->run = taco__byte_reader_position(&c);
        r->used = 0;
        r->packed = head & 1;
        if (r->packed) {
            taco__rle_begin_packed(r, head >> 1, taco__byte_reader_left(&c));
        } else if (!taco__rle_begin_repeated(r, head >> 1, taco__byte_reader_left(&c), err)) {
            return false;
        }
    } while (!r->left);
    return true;
}

/* Unpacks m values of the packed run, which has them, into dst; the caller counts them. */
TACO__INLINE void taco__rle_unpack(const taco__rle *r, size_t m, uint32_t *dst)
{
    if (r->msb) {
        taco__bit_unpack_msb(r->bytes.data + r->run, r->width, r->used, m, dst);
    } else {
        taco__bit_unpack32(r->bytes.data + r->run, r->bytes.len - r->run, r->width, r->used, m,
                           dst);
    }
}

/* The same, and true if one of them is above max < 2^31. */
TACO__INLINE bool taco__rle_unpack_check(const taco__rle *r, size_t m, uint32_t *dst, uint32_t max)
{
    if (r->msb || TACO__LOW_BITS(r->width) <= max) {
        taco__rle_unpack(r, m, dst);
        return r->msb && taco__bit_unpack_any_above(dst, m, max);
    }
    return taco__bit_unpack32_above(r->bytes.data + r->run, r->bytes.len - r->run, r->width,
                                    r->used, m, dst, max);
}

/* Counts m values of the run as read. */
TACO__INLINE void taco__rle_advance(taco__rle *r, size_t m)
{
    r->used += m;
    r->left -= m;
}

/* Reports the first value above max among the m at v, which begin at r->used. */
static TACO__COLD bool taco__rle_fail_value(const taco__rle *r, const uint32_t *v, size_t m,
                                            uint32_t max, bool index, taco_error *err)
{
    size_t i = 0;
    uint64_t at = r->run;
    while (r->packed && i + 1 < m && v[i] <= max) {
        i++;
    }
    if (r->packed) { at += ((uint64_t)r->used + i) * r->width / 8; }
    if (index) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, at, "dictionary index %u, dictionary has %u entries",
                   TACO__U(v[i]), TACO__U(max) + 1);
    } else {
        TACO__FAIL(err, TACO_ERR_CORRUPT, at, "level %u, the column's maximum is %u", TACO__U(v[i]),
                   TACO__U(max));
    }
    return false;
}

static TACO__COLD bool taco__rle_fail_no_dictionary(const taco__rle *r, taco_error *err)
{
    TACO__FAIL(err, TACO_ERR_CORRUPT, r->at, "dictionary index, but the dictionary is empty");
    return false;
}

TACO__FN bool taco__rle_read_indices(taco__rle *r, int32_t *dst, size_t n, size_t entries,
                                     taco_error *err)
{
    uint32_t *out = (uint32_t *)dst, max;
    if (!n) { return true; }
    if (!entries) { return taco__rle_fail_no_dictionary(r, err); }
    max = (uint32_t)TACO__MIN(entries - 1, (size_t)INT32_MAX);
    while (n) {
        size_t m;
        if (!r->left && !taco__rle_next_run(r, n, err)) { return false; }
        m = TACO__MIN(n, r->left);
        if (r->packed) {
            /* to check them while they are in the L1 cache */
            m = TACO__MIN(m, (size_t)4 * TACO__STACK_VALUES);
            if (taco__rle_unpack_check(r, m, out, max)) {
                return taco__rle_fail_value(r, out, m, max, true, err);
            }
        } else {
            if (r->value > max) { return taco__rle_fail_value(r, &r->value, 1, max, true, err); }
            taco__values_fill(out, &r->value, 4, m);
        }
        taco__rle_advance(r, m);
        out += m;
        n -= m;
    }
    return true;
}

TACO__FN bool taco__rle_read_dict(taco__rle *r, void *dst, const void *dict, size_t width,
                                  size_t entries, size_t n, taco_error *err)
{
    uint8_t *out = (uint8_t *)dst;
    uint32_t idx[TACO__STACK_VALUES + 8], max;
    if (!n) { return true; }
    if (!entries) { return taco__rle_fail_no_dictionary(r, err); }
    max = (uint32_t)TACO__MIN(entries - 1, (size_t)INT32_MAX);
    while (n) {
        size_t m;
        if (!r->left && !taco__rle_next_run(r, n, err)) { return false; }
        m = TACO__MIN(n, r->left);
        if (r->packed) {
            m = TACO__MIN(m, (size_t)TACO__STACK_VALUES);
            if (taco__rle_unpack_check(r, m, idx, max)) {
                return taco__rle_fail_value(r, idx, m, max, true, err);
            }
            taco__take_fixed(out, dict, width, (const int32_t *)idx, m);
        } else {
            if (r->value > max) { return taco__rle_fail_value(r, &r->value, 1, max, true, err); }
            taco__values_fill(out, (const uint8_t *)dict + (size_t)r->value * width, width, m);
        }
        taco__rle_advance(r, m);
        out += m * width;
        n -= m;
    }
    return true;
}

TACO__FN bool taco__rle_is_run_of(const taco__rle *r, size_t n, uint32_t x)
{
    return !r->packed && r->left >= n && r->value == x;
}

TACO__FN bool taco__rle_read_levels(taco__rle *r, int16_t *dst, size_t n, unsigned max,
                                    taco_error *err)
{
    uint32_t v[TACO__STACK_VALUES + 8];
    while (n) {
        size_t i, j, m;
        if (!r->left && !taco__rle_next_run(r, n, err)) { return false; }
        m = TACO__MIN(n, r->left);
        if (r->packed) {
            m = TACO__MIN(m, (size_t)TACO__STACK_VALUES);
            if (taco__rle_unpack_check(r, m, v, max)) {
                return taco__rle_fail_value(r, v, m, max, false, err);
            }
            for (i = 0; i < m; i += 8) { /* whole groups, as unpacked */
                for (j = 0; j < 8; j++) {
                    dst[i + j] = (int16_t)v[i + j];
                }
            }
        } else {
            uint16_t x = (uint16_t)r->value;
            if (r->value > max) { return taco__rle_fail_value(r, &r->value, 1, max, false, err); }
            taco__values_fill(dst, &x, 2, m);
        }
        taco__rle_advance(r, m);
        dst += m;
        n -= m;
    }
    return true;
}

/* Unpacks m <= 64 values of a packed run, most significant bit first, into a bitmap; returns the
   number of ones among them. */
static size_t taco__rle_unpack_bits_msb(const taco__rle *r, uint8_t *bitmap, size_t bit, size_t m)
{
    uint32_t v[64];
    uint64_t x = 0;
    size_t i;
    taco__rle_unpack(r, m, v);
    for (i = 0; i < m; i++) {
        x |= (uint64_t)v[i] << i;
    }
    taco__bitmap_write(bitmap, bit, x, m);
    return taco__bitmap_popcount(x);
}

TACO__FN bool taco__rle_read_validity(taco__rle *r, uint8_t *bitmap, size_t bit, size_t n,
                                      size_t *ones, taco_error *err)
{
    size_t sum = 0;
    while (n) {
        size_t m;
        if (!r->left && !taco__rle_next_run(r, n, err)) { return false; }
        m = TACO__MIN(n, r->left);
        if (!r->packed) {
            if (r->value > 1) { return taco__rle_fail_value(r, &r->value, 1, 1, false, err); }
            taco__bitmap_fill(bitmap, bit, m, r->value != 0);
            sum += r->value ? m : 0;
        } else if (!r->msb) {
            sum += taco__bitmap_copy(bitmap, bit, r->bytes.data + r->run, r->used, m);
        } else {
            m = TACO__MIN(m, (size_t)64);
            sum += taco__rle_unpack_bits_msb(r, bitmap, bit, m);
        }
        taco__rle_advance(r, m);
        bit += m;
        n -= m;
    }
    *ones = sum;
    return true;
}

TACO__FN bool taco__rle_skip(taco__rle *r, size_t n, taco_error *err)
{
    while (n) {
        size_t m;
        if (!r->left && !taco__rle_next_run(r, n, err)) { return false; }
        m = TACO__MIN(n, r->left);
        taco__rle_advance(r, m);
        n -= m;
    }
    return true;
}

/* How many of the next *m values of the packed run are `level`. With values wider than a bit, *m is
   reduced to 64 at most. */
static size_t taco__rle_count_equal(const taco__rle *r, size_t *m, unsigned level)
{
    uint32_t v[64 + 8];
    size_t i, sum = 0;
    if (r->width == 1 && !r->msb) {
        size_t ones = taco__bitmap_count(r->bytes.data + r->run, r->used, *m);
        return level == 1 ? ones : level == 0 ? *m - ones : 0;
    }
    *m = TACO__MIN(*m, (size_t)64);
    taco__rle_unpack(r, *m, v);
    for (i = 0; i < *m; i++) {
        sum += v[i] == level;
    }
    return sum;
}

TACO__FN bool taco__rle_skip_count(taco__rle *r, size_t n, unsigned level, size_t *equal,
                                   taco_error *err)
{
    size_t sum = 0;
    while (n) {
        size_t m;
        if (!r->left && !taco__rle_next_run(r, n, err)) { return false; }
        m = TACO__MIN(n, r->left);
        if (r->packed) {
            sum += taco__rle_count_equal(r, &m, level);
        } else {
            sum += r->value == level ? m : 0;
        }
        taco__rle_advance(r, m);
        n -= m;
    }
    *equal = sum;
    return true;
}
