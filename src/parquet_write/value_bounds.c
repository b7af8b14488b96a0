/* value_bounds.c - min and max of pages and chunks, truncated to a limited size; Statistics

   In: the values of a page, in the order of their type (parquet.thrift, ColumnOrder). Out: bounds
   in the page's record, for the ColumnIndex, and the chunk's own min and max, for its Statistics.
   Chunks keep whole values, so that they can be compared; bounds are truncated when they are
   written: text and binary to 64 bytes, with the max then raised above everything with that prefix.
   NaN is counted and is never a bound; a zero is written as -0 in a min and +0 in a max.

   Start reading at taco__value_bounds_add_page; taco__value_bounds_append makes one bound. */
#include "parquet_write.h"
#include "../base/base.h"
#include "../parquet/parquet.h"

/* ---- extremes ---- */

/* Indexes of the least and the greatest of a page's values. */
typedef struct taco__value_extremes {
    size_t min, max;
    int64_t nans;
} taco__value_extremes;

/* The first eight bytes of a value as a number that sorts as they do; shorter values are padded
   with zeros. */
TACO__INLINE uint64_t taco__value_bounds_head(taco_bytes v)
{
    uint64_t x = 0;
    size_t i;
    if (v.len >= 8) { return taco__load_be64(v.data); }
    for (i = 0; i < v.len; i++) {
        x |= (uint64_t)v.data[i] << (56 - 8 * i);
    }
    return x;
}

/* The same for what comes after eight bytes; v must have more. */
TACO__INLINE uint64_t taco__value_bounds_next(taco_bytes v)
{
    return v.len >= 16 ? taco__load_be64(v.data + 8)
                       : taco__load_be64(v.data + v.len - 8) << 8 * (16 - v.len);
}

/* Compares values with the same head; values not in byte order have no head. */
TACO__INLINE int taco__value_bounds_compare(taco__stats_order order, taco_bytes a, taco_bytes b)
{
    if (order == TACO__STATS_BYTES && a.len > 8 && b.len > 8) {
        uint64_t x = taco__value_bounds_next(a), y = taco__value_bounds_next(b);
        if (x != y) { return x < y ? -1 : 1; }
        if (a.len == b.len && a.len <= 16) { return 0; }
    }
    return taco__stats_compare(order, a, b);
}

/* For bytes, and decimals stored as bytes. Usually the heads of bytes decide; decimals have none.
   The max is compared first, because ids often ascend. */
static bool taco__value_bounds_byte_extremes(const taco__leaf_writer *l, size_t at, size_t n,
                                             taco__value_extremes *x)
{
    const taco__plain_values *v = &l->input.values;
    const taco__stats_order order = l->schema.order;
    const bool heads = order == TACO__STATS_BYTES;
    uint64_t low = 0, high = 0;
    size_t i;
    x->min = x->max = at;
    if (n && heads) { low = high = taco__value_bounds_head(taco__plain_values_at(v, at)); }
    for (i = at + 1; i < at + n; i++) {
        taco_bytes value = taco__plain_values_at(v, i);
        uint64_t head = heads ? taco__value_bounds_head(value) : 0;
        if (head > high ||
            (head == high &&
             taco__value_bounds_compare(order, value, taco__plain_values_at(v, x->max)) > 0)) {
            high = head;
            x->max = i;
        } else if (head < low ||
                   (head == low && taco__value_bounds_compare(
                                       order, value, taco__plain_values_at(v, x->min)) < 0)) {
            low = head;
            x->min = i;
        }
    }
    return n > 0;
}

/* Values that are compared with the extremes so far at a time. */
#define TACO__VALUE_BOUNDS_BLOCK 16

/* A number that sorts as value i does; false for NaN. Width and order are constants after
   inlining. */
TACO__INLINE bool taco__value_bounds_rank(const uint8_t *values, size_t width,
                                          taco__stats_order order, size_t i, int64_t *out)
{
    const taco_bytes value = taco__bytes_of(values + i * width, width);
    if (order == TACO__STATS_FLOATS) { return taco__stats_float_order(value, out); }
    *out = taco__stats_integer(value);
    /* Sign extension keeps the order of unsigned numbers too. */
    if (order == TACO__STATS_UNSIGNED) { *out ^= INT64_MIN; }
    return true;
}

/* Whether the ranks of a block of values are all within [low, high], and none is NaN. There is no
   branch for each value; most blocks of most columns have no new extreme. */
TACO__INLINE bool taco__value_bounds_is_within(const uint8_t *values, size_t width,
                                               taco__stats_order order, size_t at, int64_t low,
                                               int64_t high)
{
    const uint64_t range = (uint64_t)high - (uint64_t)low;
    unsigned out = 0;
    size_t i;
    for (i = at; i < at + TACO__VALUE_BOUNDS_BLOCK; i++) {
        int64_t rank = low;
        out |= !taco__value_bounds_rank(values, width, order, i, &rank);
        out |= (uint64_t)rank - (uint64_t)low > range;
    }
    return !out;
}

TACO__INLINE bool taco__value_bounds_ranks(const uint8_t *values, size_t width,
                                           taco__stats_order order, size_t at, size_t n,
                                           taco__value_extremes *x)
{
    size_t i;
    /* quiet: the last block had no new extreme; in ascending values each has one */
    bool any = false, quiet = false;
    int64_t low = 0, high = 0, rank;
    for (i = at; i < at + n; i++) {
        if ((i - at) % TACO__VALUE_BOUNDS_BLOCK == 0) {
            while (quiet && at + n - i > TACO__VALUE_BOUNDS_BLOCK &&
                   taco__value_bounds_is_within(values, width, order, i, low, high)) {
                i += TACO__VALUE_BOUNDS_BLOCK;
            }
            quiet = any;
        }
        if (!taco__value_bounds_rank(values, width, order, i, &rank)) {
            x->nans++;
        } else if (!any) {
            any = true;
            low = high = rank;
            x->min = x->max = i;
        } else if (rank < low) {
            low = rank;
            x->min = i;
            quiet = false;
        } else if (rank > high) {
            high = rank;
            x->max = i;
            quiet = false;
        }
    }
    return any;
}

/* One loop for each common type, for speed. */
static bool taco__value_bounds_number_extremes(const taco__leaf_writer *l, size_t at, size_t n,
                                               taco__value_extremes *x)
{
    const uint8_t *v = l->input.values.bytes.data;
    const taco__stats_order order = l->schema.order;
    const size_t width = l->input.values.width;
    return order == TACO__STATS_FLOATS && width == 8
               ? taco__value_bounds_ranks(v, 8, TACO__STATS_FLOATS, at, n, x)
           : order == TACO__STATS_FLOATS && width == 4
               ? taco__value_bounds_ranks(v, 4, TACO__STATS_FLOATS, at, n, x)
           : order == TACO__STATS_SIGNED && width == 8
               ? taco__value_bounds_ranks(v, 8, TACO__STATS_SIGNED, at, n, x)
           : order == TACO__STATS_SIGNED && width == 4
               ? taco__value_bounds_ranks(v, 4, TACO__STATS_SIGNED, at, n, x)
               : taco__value_bounds_ranks(v, width, order, at, n, x);
}

/* False if no value has an order. */
static bool taco__value_bounds_extremes(const taco__leaf_writer *l, size_t at, size_t n,
                                        taco__value_extremes *x)
{
    memset(x, 0, sizeof *x);
    switch (l->schema.order) {
    case TACO__STATS_UNORDERED: return false;
    case TACO__STATS_BYTES:
    case TACO__STATS_DECIMALS: return taco__value_bounds_byte_extremes(l, at, n, x);
    default: return taco__value_bounds_number_extremes(l, at, n, x);
    }
}

/* ---- one bound ---- */

/* Where to truncate: text before a character, so that the rest is valid text. */
static size_t taco__value_bounds_cut_length(taco_bytes b, bool text)
{
    size_t n = TACO__PQ_BOUND_BYTES, k;
    for (k = n; text && k > n - 4; k--) {
        if ((b.data[k] & 0xC0) != 0x80) { return k; }
    }
    return n;
}

/* Whether a byte can be raised by one: in text, an ASCII character below 0x7F or the last byte of a
   longer character, which must stay at most 0xBF. */
static bool taco__value_bounds_can_raise(uint8_t c, bool text)
{
    return text ? c < 0x7F || (c >= 0x80 && c < 0xBF) : c != 0xFF;
}

/* Makes the n bytes at p the least text above everything that begins with them: the last character
   that can be raised is, and those after it are dropped. Returns the new length, 0 if there is no
   such text. "az\x7F" becomes "a{". Bytes that are not UTF-8 are raised as bytes. */
static size_t taco__value_bounds_raise_prefix(uint8_t *p, size_t n, bool text)
{
    for (; n; n--) {
        if (taco__value_bounds_can_raise(p[n - 1], text)) {
            p[n - 1]++;
            return n;
        }
        for (; text && n > 1 && (p[n - 1] & 0xC0) == 0x80; n--) {} /* to the first byte of it */
    }
    return 0;
}

/* A bound as it is appended to a buffer. */
typedef struct taco__value_bound {
    size_t at, len; /* len SIZE_MAX: none of acceptable size */
    bool exact;     /* the value itself, not truncated */
} taco__value_bound;

/* Appends the whole value. */
static bool taco__value_bounds_append_exact(taco_bytes v, taco__buf *out, taco__value_bound *b,
                                            taco_error *err)
{
    b->exact = true;
    b->len = v.len > TACO__PQ_BOUND_MAX ? SIZE_MAX : v.len;
    return v.len > TACO__PQ_BOUND_MAX || taco__buf_append(out, v.data, v.len, err);
}

/* Appends the value truncated to 64 bytes, raised for a max; whole if no text is above the
   truncated one. */
static bool taco__value_bounds_append_cut(const taco__leaf_writer *l, taco_bytes v, bool max,
                                          taco__buf *out, taco__value_bound *b, taco_error *err)
{
    bool text = l->schema.field->type == TACO_TEXT && taco__utf8_valid(v);
    size_t n = taco__value_bounds_cut_length(v, text);
    if (!taco__buf_append(out, v.data, n, err)) { return false; }
    n = max ? taco__value_bounds_raise_prefix(out->data + b->at, n, text) : n;
    out->len = b->at + n;
    if (n == 0) { return taco__value_bounds_append_exact(v, out, b, err); }
    b->exact = false;
    b->len = n;
    return true;
}

/* Zeros of either sign are equal, so a min of +0 must include -0 and vice versa (parquet.thrift,
   ColumnOrder). HALF, FLOAT and DOUBLE have the sign in their last byte. */
static void taco__value_bounds_sign_zero(uint8_t *p, size_t n, bool max)
{
    int64_t order = 1;
    if (taco__stats_float_order(taco__bytes_of(p, n), &order) && order == 0) {
        p[n - 1] = (uint8_t)(max ? 0 : 0x80);
    }
}

/* Appends a value as a bound, if it can be one. */
static bool taco__value_bounds_append(const taco__leaf_writer *l, taco_bytes v, bool max,
                                      taco__buf *out, taco__value_bound *b, taco_error *err)
{
    bool cut = v.len > TACO__PQ_BOUND_BYTES && l->schema.type == TACO__PQ_BYTE_ARRAY &&
               l->schema.order == TACO__STATS_BYTES;
    b->at = out->len;
    if (cut) { return taco__value_bounds_append_cut(l, v, max, out, b, err); }
    if (!taco__value_bounds_append_exact(v, out, b, err)) { return false; }
    if (l->schema.order == TACO__STATS_FLOATS) {
        taco__value_bounds_sign_zero(out->data + b->at, b->len, max);
    }
    return true;
}

/* ---- pages and chunks ---- */

/* Makes a value the chunk's min or max if it is beyond the current one: sign is -1 for the min. */
static bool taco__value_bounds_extend(const taco__leaf_writer *l, taco__buf *extreme, taco_bytes v,
                                      int sign, taco_error *err)
{
    int order = l->stats.bounded ? taco__stats_compare(l->schema.order, v,
                                                       taco__bytes_of(extreme->data, extreme->len))
                                 : sign;
    if (sign < 0 ? order >= 0 : order <= 0) { return true; }
    extreme->len = 0;
    return taco__buf_append(extreme, v.data, v.len, err);
}

/* Records the bounds of one page, and extends the chunk's. */
static bool taco__value_bounds_add_extremes(taco__leaf_writer *l, taco_bytes low, taco_bytes high,
                                            taco__page_record *p, taco_error *err)
{
    taco__value_bound min, max;
    if (!taco__value_bounds_append(l, low, false, &l->pages.bounds, &min, err) ||
        !taco__value_bounds_append(l, high, true, &l->pages.bounds, &max, err)) {
        return false;
    }
    p->min_at = min.at;
    p->min_len = min.len;
    p->max_at = max.at;
    p->max_len = max.len;
    p->bounded = min.len != SIZE_MAX && max.len != SIZE_MAX;
    if (!taco__value_bounds_extend(l, &l->stats.min, low, -1, err) ||
        !taco__value_bounds_extend(l, &l->stats.max, high, 1, err)) {
        return false;
    }
    l->stats.bounded = true;
    return true;
}

TACO__FN bool taco__value_bounds_add_page(taco__leaf_writer *l, size_t at, size_t n,
                                          taco__page_record *p, taco_error *err)
{
    taco__value_extremes x;
    p->bounded = false;
    if (!l->settings.stats) { return true; }
    if (taco__value_bounds_extremes(l, at, n, &x) &&
        !taco__value_bounds_add_extremes(l, taco__plain_values_at(&l->input.values, x.min),
                                         taco__plain_values_at(&l->input.values, x.max), p, err)) {
        return false;
    }
    p->nans = x.nans;
    l->stats.nans += x.nans;
    l->stats.unbounded_page = l->stats.unbounded_page || (n && !p->bounded);
    return true;
}

/* Whether the dictionary's size is the number of distinct values: it has all of them, and no two
   with different bits are equal (floats, decimals with leading bytes) or without order. */
static bool taco__value_bounds_counts_distinct(const taco__leaf_writer *l)
{
    return l->mode == TACO__DICTIONARY_USED && l->pages.without_dictionary == 0 &&
           l->schema.order != TACO__STATS_FLOATS && l->schema.order != TACO__STATS_UNORDERED &&
           !(l->schema.order == TACO__STATS_DECIMALS && l->input.values.width == 0);
}

TACO__FN bool taco__value_bounds_write(taco_pq_writer *w, const taco__leaf_writer *l,
                                       taco__thrift_writer *t, int16_t id)
{
    taco__buf *out = &w->scratch.trial;
    taco__value_bound min = {0, SIZE_MAX, true}, max = {0, SIZE_MAX, true};
    out->len = 0;
    if (l->stats.bounded &&
        (!taco__value_bounds_append(l, taco__bytes_of(l->stats.min.data, l->stats.min.len), false,
                                    out, &min, &w->err) ||
         !taco__value_bounds_append(l, taco__bytes_of(l->stats.max.data, l->stats.max.len), true,
                                    out, &max, &w->err))) {
        return false;
    }
    taco__thrift_write_begin(t, id);
    taco__thrift_write_i64(t, 3, l->stats.nulls);
    if (taco__value_bounds_counts_distinct(l)) {
        taco__thrift_write_i64(t, 4, (int64_t)l->dict.values.count);
    }
    if (max.len != SIZE_MAX) {
        taco__thrift_write_binary(t, 5, taco__bytes_of(out->data + max.at, max.len));
    }
    if (min.len != SIZE_MAX) {
        taco__thrift_write_binary(t, 6, taco__bytes_of(out->data + min.at, min.len));
    }
    if (max.len != SIZE_MAX) { taco__thrift_write_bool(t, 7, max.exact); }
    if (min.len != SIZE_MAX) { taco__thrift_write_bool(t, 8, min.exact); }
    if (l->schema.order == TACO__STATS_FLOATS) { taco__thrift_write_i64(t, 9, l->stats.nans); }
    return taco__thrift_write_end(t);
}
