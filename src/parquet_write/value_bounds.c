/* value_bounds.c - batches to column chunks, pages, indexes and the footer.. Spec: parquet-format,
   parquet.thrift, PageIndex.md, BloomFilter.md */
#include "parquet_write.h"
#include "../base/base.h"
#include "../parquet/parquet.h"

/* ---- bounds
   ------------------------------------------------------------------------------------------ */

/* A number that orders as the values of the leaf do; false for NaN. */
TACO__INLINE bool taco__value_bounds_rank_of(const taco__leaf_writer *l, size_t i, int64_t *out)
{
    const uint8_t *p = l->values.data + i * l->width;
    if (l->rank == TACO__STATS_FLOATS) {
        return taco__stats_float_order(taco__bytes_of(p, l->width), out);
    }
    *out = l->width == 8   ? (int64_t)taco__load_le64(p)
           : l->width == 4 ? (int64_t)(int32_t)taco__load_le32(p)
                           : p[0];
    if (l->rank == TACO__STATS_UNSIGNED) {
        *out =
            l->width == 4 ? (int64_t)(uint32_t)*out : (int64_t)((uint64_t)*out ^ (uint64_t)1 << 63);
    }
    return true;
}

/* Positions of the least and the greatest of values [at, at + n), and how many are NaN; false when
   there is neither. */
static bool taco__value_bounds_extremes(const taco__leaf_writer *l, size_t at, size_t n,
                                        size_t *min, size_t *max, int64_t *nans)
{
    size_t i;
    bool any = false;
    int64_t low = 0, high = 0, x;
    *nans = 0;
    if (l->rank == TACO__STATS_UNORDERED) { return false; }
    if (l->rank == TACO__STATS_BYTES || l->rank == TACO__STATS_DECIMALS) {
        *min = *max = at;
        for (i = at + 1; i < at + n; i++) {
            taco_bytes v = taco__array_values_at(l, i);
            if (taco__stats_compare(l->rank, v, taco__array_values_at(l, *max)) > 0) {
                *max = i; /* the first look, as ids often ascend */
            } else if (taco__stats_compare(l->rank, v, taco__array_values_at(l, *min)) < 0) {
                *min = i;
            }
        }
        return n > 0;
    }
    for (i = at; i < at + n; i++) {
        if (!taco__value_bounds_rank_of(l, i, &x)) {
            ++*nans;
        } else if (!any) {
            any = true;
            low = high = x;
            *min = *max = i;
        } else if (x < low) {
            low = x;
            *min = i;
        } else if (x > high) {
            high = x;
            *max = i;
        }
    }
    return any;
}

/* Cuts text in front of a character, so that what is left is text. */
static size_t taco__value_bounds_cut_length(taco_bytes b, bool text)
{
    size_t n = TACO__PQ_WRITER_BOUND, k;
    for (k = n; text && k > n - 4; k--) {
        if ((b.data[k] & 0xC0) != 0x80) { return k; }
    }
    return n;
}

/* The least text above every one that begins with the n bytes at p: its last character that can be
   is raised by one. Returns the new length, 0 when there is none. Bytes that are no UTF-8 are
   raised as bytes. */
static size_t taco__value_bounds_raise_prefix(uint8_t *p, size_t n, bool text)
{
    for (; n; n--) {
        if (!text) {
            if (p[n - 1] != 0xFF) {
                p[n - 1]++;
                return n;
            }
        } else if (p[n - 1] < 0x7F) {
            p[n - 1]++;
            return n;
        } else if (p[n - 1] >= 0x80 && p[n - 1] < 0xBF) { /* the last byte of a character */
            p[n - 1]++;
            return n;
        } /* another, and 0x7F: the character goes, the one before is raised */
        for (; text && n > 1 && (p[n - 1] & 0xC0) == 0x80; n--) {}
    }
    return 0;
}

static bool taco__value_bounds_is_text(taco_bytes b)
{
    size_t i = 0;
    unsigned n;
    for (; i < b.len; i += n) {
        n = taco__fmt_utf8_length(b, i);
        if (n == 0) { return false; }
    }
    return true;
}

/* Appends a value as a bound: text and binary cut to 64 bytes, -0 below and +0 above. False on
   failure; *len is SIZE_MAX when there is no bound of a decent size. */
static bool taco__value_bounds_append(const taco__leaf_writer *l, taco_bytes v, bool max,
                                      taco__buf *out, size_t *len, bool *exact, taco_error *err)
{
    size_t at = out->len, n = v.len;
    bool text =
        l->field->type == TACO_TEXT && n > TACO__PQ_WRITER_BOUND && taco__value_bounds_is_text(v);
    uint8_t *p;
    *exact = true;
    *len = n;
    if (n > TACO__PQ_WRITER_BOUND && l->type == TACO__PQ_BYTE_ARRAY &&
        l->rank == TACO__STATS_BYTES) {
        n = taco__value_bounds_cut_length(v, text);
        *exact = false;
    }
    if (n > TACO__PQ_WRITER_LONGEST_BOUND) {
        *len = SIZE_MAX;
        return true;
    }
    if (!taco__buf_append(out, v.data, n, err)) { return false; }
    p = out->data + at;
    if (!*exact && max) {
        n = taco__value_bounds_raise_prefix(p, n, text);
        if (n == 0) { /* no text is above: the value itself, when it is short enough */
            out->len = at;
            *exact = true;
            n = v.len;
            if (n > TACO__PQ_WRITER_LONGEST_BOUND) {
                *len = SIZE_MAX;
                return true;
            }
            if (!taco__buf_append(out, v.data, n, err)) { return false; }
        }
    }
    if (l->rank ==
        TACO__STATS_FLOATS) { /* parquet.thrift, ColumnOrder: zeros of either sign are meant */
        int64_t x = 1;
        if (taco__stats_float_order(taco__bytes_of(p, n), &x) && x == 0) {
            p[n - 1] = (uint8_t)(max ? 0 : 0x80);
        }
    }
    out->len = at + n;
    *len = n;
    return true;
}

/* Bounds of a page's values, into its record and the chunk's. */
TACO__FN bool taco__value_bounds_add_page(taco__leaf_writer *l, size_t at, size_t n,
                                          taco__page_record *p, taco_error *err)
{
    size_t min = 0, max = 0;
    bool exact;
    p->bounded = false;
    if (!l->stats) { return true; }
    if (taco__value_bounds_extremes(l, at, n, &min, &max, &p->nans)) {
        taco_bytes low = taco__array_values_at(l, min), high = taco__array_values_at(l, max);
        p->min_at = l->bounds.len;
        if (!taco__value_bounds_append(l, low, false, &l->bounds, &p->min_len, &exact, err)) {
            return false;
        }
        p->max_at = l->bounds.len;
        if (!taco__value_bounds_append(l, high, true, &l->bounds, &p->max_len, &exact, err)) {
            return false;
        }
        p->bounded = p->min_len != SIZE_MAX && p->max_len != SIZE_MAX;
        if (!l->bounded ||
            taco__stats_compare(l->rank, low, taco__bytes_of(l->min.data, l->min.len)) < 0) {
            l->min.len = 0;
            if (!taco__buf_append(&l->min, low.data, low.len, err)) { return false; }
        }
        if (!l->bounded ||
            taco__stats_compare(l->rank, high, taco__bytes_of(l->max.data, l->max.len)) > 0) {
            l->max.len = 0;
            if (!taco__buf_append(&l->max, high.data, high.len, err)) { return false; }
        }
        l->bounded = true;
    }
    l->nans += p->nans;
    l->unbounded = l->unbounded || (n && !p->bounded);
    return true;
}

/* Statistics as field `id` of the structure at hand. */
TACO__FN bool taco__value_bounds_write(taco_pq_writer *w, taco__leaf_writer *l,
                                       taco__thrift_writer *t, int16_t id)
{
    size_t min_len = 0, max_len = 0, min_at;
    bool min_exact = true, max_exact = true, exact_count;
    /* A dictionary of every value counts them; not where different bits are equal or differ in
       nothing. */
    exact_count = l->mode == TACO__DICTIONARY_USED && l->direct_pages == 0 &&
                  l->rank != TACO__STATS_FLOATS && l->rank != TACO__STATS_UNORDERED &&
                  !(l->rank == TACO__STATS_DECIMALS && l->width == 0);
    w->trial.len = 0;
    if (l->bounded) {
        if (!taco__value_bounds_append(l, taco__bytes_of(l->min.data, l->min.len), false, &w->trial,
                                       &min_len, &min_exact, &w->err)) {
            return false;
        }
        min_at = w->trial.len;
        if (!taco__value_bounds_append(l, taco__bytes_of(l->max.data, l->max.len), true, &w->trial,
                                       &max_len, &max_exact, &w->err)) {
            return false;
        }
    } else {
        min_len = max_len = SIZE_MAX;
        min_at = 0;
    }
    taco__thrift_write_begin(t, id);
    taco__thrift_write_i64(t, 3, l->nulls);
    if (exact_count) { taco__thrift_write_i64(t, 4, (int64_t)l->dict_count); }
    if (max_len != SIZE_MAX) {
        taco__thrift_write_binary(t, 5, taco__bytes_of(w->trial.data + min_at, max_len));
    }
    if (min_len != SIZE_MAX) {
        taco__thrift_write_binary(t, 6, taco__bytes_of(w->trial.data, min_len));
    }
    if (max_len != SIZE_MAX) { taco__thrift_write_bool(t, 7, max_exact); }
    if (min_len != SIZE_MAX) { taco__thrift_write_bool(t, 8, min_exact); }
    if (l->rank == TACO__STATS_FLOATS) { taco__thrift_write_i64(t, 9, l->nans); }
    return taco__thrift_write_end(t);
}
