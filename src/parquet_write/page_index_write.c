/* page_index_write.c - ColumnIndex and OffsetIndex of every chunk, before the footer

   In: the page records of a chunk, with the bounds that value_bounds.c has cut. Out: the two Thrift
   structures in footer.indexes, when the chunk ends; in the file all ColumnIndexes, then all
   OffsetIndexes, when the last chunk has been written, so that a reader gets those it needs with
   one request (PageIndex.md). Also the histograms of levels, which SizeStatistics has, too.

   A ColumnIndex has bounds for every page that is not all null: if one has values without bounds
   (only NaN, no order, too long) the chunk has no ColumnIndex. */
#include "parquet_write.h"
#include "../base/base.h"
#include "../parquet/parquet.h"

TACO__INLINE const taco__page_record *taco__page_index_write_page(const taco__leaf_writer *l,
                                                                  size_t i)
{
    return (const taco__page_record *)(const void *)l->pages.records.data + i;
}

/* The min or max of page i; empty for a page that is all null, as in PageIndex.md. */
TACO__INLINE taco_bytes taco__page_index_write_bound(const taco__leaf_writer *l, size_t i, bool max)
{
    const taco__page_record *p = taco__page_index_write_page(l, i);
    const uint8_t *bounds = l->pages.bounds.data;
    return p->all_null ? taco__bytes_of(bounds, 0)
           : max       ? taco__bytes_of(bounds + p->max_at, p->max_len)
                       : taco__bytes_of(bounds + p->min_at, p->min_len);
}

static int taco__page_index_write_compare(const taco__leaf_writer *l, size_t a, size_t b, bool max)
{
    return taco__stats_compare(l->schema.order, taco__page_index_write_bound(l, a, max),
                               taco__page_index_write_bound(l, b, max));
}

/* BoundaryOrder of the pages that are not all null: 1 ascending, 2 descending, 0 neither. */
static int32_t taco__page_index_write_order(const taco__leaf_writer *l)
{
    bool up = true, down = true;
    size_t i, last = SIZE_MAX;
    for (i = 0; i < l->pages.count; i++) {
        if (taco__page_index_write_page(l, i)->all_null) { continue; }
        if (last != SIZE_MAX) {
            int low = taco__page_index_write_compare(l, last, i, false);
            int high = taco__page_index_write_compare(l, last, i, true);
            up = up && low <= 0 && high <= 0;
            down = down && low >= 0 && high >= 0;
        }
        last = i;
    }
    return up ? 1 : down ? 2 : 0;
}

/* One histogram: counts of each page, whose records are `stride` counts apart; `n` of them from
   `from` on. */
static void taco__page_index_write_histogram(const taco__leaf_writer *l, taco__thrift_writer *t,
                                             size_t stride, size_t from, size_t n, bool sum)
{
    const int64_t *counts = (const int64_t *)(const void *)l->pages.level_counts.data;
    size_t k, page;
    for (page = 0; !sum && page < l->pages.count; page++) {
        for (k = 0; k < n; k++) {
            taco__thrift_write_number(t, counts[page * stride + from + k]);
        }
    }
    for (k = 0; sum && k < n; k++) {
        int64_t all = 0;
        for (page = 0; page < l->pages.count; page++) {
            all += counts[page * stride + from + k];
        }
        taco__thrift_write_number(t, all);
    }
}

/* Of repetition levels from 1 on, of definition levels from 2 on: below that a histogram says what
   the counts of entries and nulls say (parquet.thrift, SizeStatistics). */
TACO__FN void taco__page_index_write_histograms(const taco__leaf_writer *l, taco__thrift_writer *t,
                                                int16_t id, bool sum)
{
    size_t rep = (size_t)l->schema.max_rep + 1, def = (size_t)l->schema.max_def + 1;
    size_t pages = sum ? 1 : l->pages.count;
    if (!taco__page_index_write_has_histograms(l)) { return; }
    if (rep > 1) {
        taco__thrift_write_list(t, id, TACO__THRIFT_I64, rep * pages);
        taco__page_index_write_histogram(l, t, rep + def, 0, rep, sum);
    }
    if (def > 2) {
        taco__thrift_write_list(t, (int16_t)(id + 1), TACO__THRIFT_I64, def * pages);
        taco__page_index_write_histogram(l, t, rep + def, rep, def, sum);
    }
}

/* null_pages, min_values, max_values: fields 1 to 3. A list of BOOL has a byte per item. */
static void taco__page_index_write_bounds(const taco__leaf_writer *l, taco__thrift_writer *t)
{
    size_t i, max;
    taco__thrift_write_list(t, 1, TACO__THRIFT_TRUE, l->pages.count);
    for (i = 0; i < l->pages.count; i++) {
        taco__thrift_write_u8(t, taco__page_index_write_page(l, i)->all_null ? TACO__THRIFT_TRUE
                                                                             : TACO__THRIFT_FALSE);
    }
    for (max = 0; max < 2; max++) {
        taco__thrift_write_list(t, (int16_t)(2 + max), TACO__THRIFT_BINARY, l->pages.count);
        for (i = 0; i < l->pages.count; i++) {
            taco__thrift_write_bytes(t, taco__page_index_write_bound(l, i, max != 0));
        }
    }
}

TACO__FN bool taco__page_index_write_column_index(taco_pq_writer *w, const taco__leaf_writer *l)
{
    taco__thrift_writer t;
    size_t i;
    if (l->stats.unbounded_page || !l->settings.page_index) { return true; }
    taco__thrift_write_init(&t, &w->footer.indexes, &w->err);
    taco__page_index_write_bounds(l, &t);
    taco__thrift_write_i32(&t, 4, taco__page_index_write_order(l));
    taco__thrift_write_list(&t, 5, TACO__THRIFT_I64, l->pages.count);
    for (i = 0; i < l->pages.count; i++) {
        taco__thrift_write_number(&t, taco__page_index_write_page(l, i)->nulls);
    }
    taco__page_index_write_histograms(l, &t, 6, false);
    if (l->schema.order == TACO__STATS_FLOATS) {
        taco__thrift_write_list(&t, 8, TACO__THRIFT_I64, l->pages.count);
        for (i = 0; i < l->pages.count; i++) {
            taco__thrift_write_number(&t, taco__page_index_write_page(l, i)->nans);
        }
    }
    return taco__thrift_write_end(&t);
}

TACO__FN bool taco__page_index_write_offset_index(taco_pq_writer *w, const taco__leaf_writer *l,
                                                  uint64_t data)
{
    taco__thrift_writer t;
    size_t i;
    taco__thrift_write_init(&t, &w->footer.indexes, &w->err);
    taco__thrift_write_list(&t, 1, TACO__THRIFT_STRUCT, l->pages.count);
    for (i = 0; i < l->pages.count; i++) {
        const taco__page_record *p = taco__page_index_write_page(l, i);
        taco__thrift_write_begin_item(&t);
        taco__thrift_write_i64(&t, 1, (int64_t)(data + p->offset));
        taco__thrift_write_i32(&t, 2, (int32_t)p->size);
        taco__thrift_write_i64(&t, 3, (int64_t)p->first_row);
        taco__thrift_write_end(&t);
    }
    if (l->schema.type == TACO__PQ_BYTE_ARRAY && l->settings.stats) {
        taco__thrift_write_list(&t, 2, TACO__THRIFT_I64, l->pages.count);
        for (i = 0; i < l->pages.count; i++) {
            taco__thrift_write_number(&t, taco__page_index_write_page(l, i)->unencoded);
        }
    }
    return taco__thrift_write_end(&t);
}

/* Writes one index of a chunk, len bytes of footer.indexes, and records its position. */
static bool taco__page_index_write_one(taco_pq_writer *w, size_t at, size_t len, uint64_t *offset)
{
    *offset = w->offset;
    return len == 0 || taco__pq_writer_write(w, w->footer.indexes.data + at, len);
}

TACO__FN bool taco__page_index_write_all(taco_pq_writer *w)
{
    taco__chunk_record *c = (taco__chunk_record *)(void *)w->footer.chunks.data;
    size_t n = w->footer.chunks.len / sizeof *c, i;
    for (i = 0; i < n; i++) {
        if (!taco__page_index_write_one(w, c[i].column_at, c[i].column_len, &c[i].column_offset)) {
            return false;
        }
    }
    for (i = 0; i < n; i++) {
        if (!taco__page_index_write_one(w, c[i].offset_at, c[i].offset_len, &c[i].offset_offset)) {
            return false;
        }
    }
    return true;
}
