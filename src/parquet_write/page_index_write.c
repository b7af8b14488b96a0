/* page_index_write.c - batches to column chunks, pages, indexes and the footer.. Spec:
   parquet-format, parquet.thrift, PageIndex.md, BloomFilter.md */
#include "parquet_write.h"
#include "../base/base.h"
#include "../parquet/parquet.h"

TACO__INLINE const taco__page_record *taco__page_index_write_page_at(const taco__leaf_writer *l,
                                                                     size_t i)
{
    return (const taco__page_record *)(const void *)l->records.data + i;
}

TACO__INLINE taco_bytes taco__page_index_write_bound_at(const taco__leaf_writer *l, size_t i,
                                                        bool max)
{
    const taco__page_record *p = taco__page_index_write_page_at(l, i);
    return p->all_null ? taco__bytes_of(l->bounds.data, 0)
           : max       ? taco__bytes_of(l->bounds.data + p->max_at, p->max_len)
                       : taco__bytes_of(l->bounds.data + p->min_at, p->min_len);
}

/* BoundaryOrder of the pages' bounds: 1 ascending, 2 descending, 0 neither. */
static int32_t taco__page_index_write_order(const taco__leaf_writer *l)
{
    bool up = true, down = true;
    size_t i, last = SIZE_MAX;
    for (i = 0; i < l->page_count; i++) {
        if (taco__page_index_write_page_at(l, i)->all_null) { continue; }
        if (last != SIZE_MAX) {
            int low = taco__stats_compare(l->rank, taco__page_index_write_bound_at(l, last, false),
                                          taco__page_index_write_bound_at(l, i, false));
            int high = taco__stats_compare(l->rank, taco__page_index_write_bound_at(l, last, true),
                                           taco__page_index_write_bound_at(l, i, true));
            up = up && low <= 0 && high <= 0;
            down = down && low >= 0 && high >= 0;
        }
        last = i;
    }
    return up ? 1 : down ? 2 : 0;
}

/* Lists of level counts as fields `id` and `id` + 1: of every page one behind the other, or with
   `sum` of all together. */
TACO__FN void taco__page_index_write_histograms(const taco__leaf_writer *l, taco__thrift_writer *t,
                                                int16_t id, bool sum)
{
    size_t part[2], n, i, k, from = 0, page;
    const int64_t *counts = (const int64_t *)(const void *)l->levels.data;
    part[0] = (size_t)l->max_rep + 1;
    part[1] = (size_t)l->max_def + 1;
    n = part[0] + part[1];
    for (i = 0; i < 2 && taco__page_writer_has_histograms(l); i++) {
        if (part[i] > 2 || (i == 0 && part[i] > 1)) {
            taco__thrift_write_list(t, (int16_t)(id + (int16_t)i), TACO__THRIFT_I64,
                                    sum ? part[i] : part[i] * l->page_count);
            for (page = 0; !sum && page < l->page_count; page++) {
                for (k = 0; k < part[i]; k++) {
                    taco__thrift_write_number(t, counts[page * n + from + k]);
                }
            }
            for (k = 0; sum && k < part[i]; k++) {
                int64_t all = 0;
                for (page = 0; page < l->page_count; page++) {
                    all += counts[page * n + from + k];
                }
                taco__thrift_write_number(t, all);
            }
        }
        from += part[i];
    }
}

/* ColumnIndex, appended to w->indexes; nothing when some page has values without bounds, for which
   it has no place. */
TACO__FN bool taco__page_index_write_column_index(taco_pq_writer *w, taco__leaf_writer *l)
{
    taco__thrift_writer t;
    size_t i, max;
    if (l->unbounded || !l->index) { return true; }
    taco__thrift_write_init(&t, &w->indexes, &w->err);
    taco__thrift_write_list(&t, 1, TACO__THRIFT_TRUE, l->page_count);
    for (i = 0; i < l->page_count; i++) {
        taco__thrift_write_u8(&t, taco__page_index_write_page_at(l, i)->all_null
                                      ? TACO__THRIFT_TRUE
                                      : TACO__THRIFT_FALSE);
    }
    for (max = 0; max < 2; max++) {
        taco__thrift_write_list(&t, (int16_t)(2 + max), TACO__THRIFT_BINARY, l->page_count);
        for (i = 0; i < l->page_count; i++) {
            taco__thrift_write_bytes(&t, taco__page_index_write_bound_at(l, i, max != 0));
        }
    }
    taco__thrift_write_i32(&t, 4, taco__page_index_write_order(l));
    taco__thrift_write_list(&t, 5, TACO__THRIFT_I64, l->page_count);
    for (i = 0; i < l->page_count; i++) {
        taco__thrift_write_number(&t, taco__page_index_write_page_at(l, i)->nulls);
    }
    taco__page_index_write_histograms(l, &t, 6, false);
    if (l->rank == TACO__STATS_FLOATS) {
        taco__thrift_write_list(&t, 8, TACO__THRIFT_I64, l->page_count);
        for (i = 0; i < l->page_count; i++) {
            taco__thrift_write_number(&t, taco__page_index_write_page_at(l, i)->nans);
        }
    }
    return taco__thrift_write_end(&t);
}

/* OffsetIndex, appended to w->indexes. data is where the chunk's first data page stands. */
TACO__FN bool taco__page_index_write_offset_index(taco_pq_writer *w, taco__leaf_writer *l,
                                                  uint64_t data)
{
    taco__thrift_writer t;
    size_t i;
    taco__thrift_write_init(&t, &w->indexes, &w->err);
    taco__thrift_write_list(&t, 1, TACO__THRIFT_STRUCT, l->page_count);
    for (i = 0; i < l->page_count; i++) {
        const taco__page_record *p = taco__page_index_write_page_at(l, i);
        taco__thrift_write_begin_item(&t);
        taco__thrift_write_i64(&t, 1, (int64_t)(data + p->offset));
        taco__thrift_write_i32(&t, 2, (int32_t)p->size);
        taco__thrift_write_i64(&t, 3, (int64_t)p->first_row);
        taco__thrift_write_end(&t);
    }
    if (l->type == TACO__PQ_BYTE_ARRAY && l->stats) {
        taco__thrift_write_list(&t, 2, TACO__THRIFT_I64, l->page_count);
        for (i = 0; i < l->page_count; i++) {
            taco__thrift_write_number(&t, taco__page_index_write_page_at(l, i)->unencoded);
        }
    }
    return taco__thrift_write_end(&t);
}

/* ---- footer
   ------------------------------------------------------------------------------------------ */

/* Writes all column indexes, then all offset indexes, and notes where they are. */
TACO__FN bool taco__page_index_write_all(taco_pq_writer *w)
{
    taco__chunk_record *c = (taco__chunk_record *)(void *)w->chunks.data;
    size_t n = w->chunks.len / sizeof *c, i;
    for (i = 0; i < n; i++) {
        c[i].column_offset = w->offset;
        if (c[i].column_len &&
            !taco__pq_writer_write(w, w->indexes.data + c[i].column_at, c[i].column_len)) {
            return false;
        }
    }
    for (i = 0; i < n; i++) {
        c[i].offset_offset = w->offset;
        if (c[i].offset_len &&
            !taco__pq_writer_write(w, w->indexes.data + c[i].offset_at, c[i].offset_len)) {
            return false;
        }
    }
    return true;
}
