/* column_metadata.c - metadata of a column chunk: codec, counts, offsets

   In: a ColumnChunk of a row group; out: a taco__pq_column_chunk whose ranges of bytes lie before
   the footer and whose counts fit the row group. Spec: parquet.thrift "ColumnChunk",
   "ColumnMetaData".

   taco__column_meta_parse reads what is stored; taco__column_meta_check validates it once the row
   group's num_rows is known. Errors in what readers need (type, num_values, pages) fail; what only
   makes reading faster (indexes, bloom filter, statistics) is dropped if it is wrong. */
#include "parquet.h"
#include "../base/base.h"

/* "PAR1" at the beginning of the file, in bytes: nothing can be before it. */
#define TACO__COLUMN_META_MAGIC 4

/* path_in_schema must name the schema's leaf, because a misplaced chunk would return another
   column's values. An empty path is accepted. */
static bool taco__column_meta_check_path(taco__footer_parser *j, unsigned type,
                                         const taco__pq_leaf *leaf)
{
    taco__thrift *t = &j->t;
    const taco__pq_schema_element *all = j->out->elements, *e = leaf->element;
    uint64_t at = taco__thrift_at(t);
    const taco__pq_schema_element *chain[TACO__SCHEMA_DEPTH_CAP + 2];
    size_t depth = 0, i, n;
    uint8_t item;
    n = taco__thrift_begin_list(t, type, 1, &item);
    if (n && item != TACO__THRIFT_BINARY) {
        return taco__thrift_fail_type(t, item, "a list of names");
    }
    for (; e != all && depth < TACO__COUNT(chain); e = &all[e->parent]) {
        chain[depth++] = e;
    }
    if (n && n != depth && taco__thrift_ok(t)) {
        return TACO__THRIFT_FAIL(t, at,
                                 "path of the column chunk has %u names, the schema's has %u",
                                 TACO__U(n), TACO__U(depth));
    }
    for (i = 0; i < n && taco__thrift_ok(t); i++) {
        const taco_bytes *want = &chain[depth - 1 - i]->name;
        taco_bytes name = taco__thrift_binary(t, item);
        if (taco__thrift_ok(t) && !taco__bytes_equal(name, *want)) {
            return TACO__THRIFT_FAIL(
                t, at, "path of the column chunk has %q where the schema has %q", &name, want);
        }
    }
    return taco__thrift_ok(t);
}

/* ColumnMetaData.encodings, as bits. */
static void taco__column_meta_parse_encodings(taco__thrift *t, unsigned type,
                                              taco__pq_column_chunk *c)
{
    uint8_t item;
    size_t n = taco__thrift_begin_list(t, type, 1, &item);
    for (; n && taco__thrift_ok(t); n--) {
        int64_t e = taco__thrift_i64(t, item);
        c->encodings |= (uint32_t)1 << (e >= 0 && e < 31 ? e : 31);
    }
}

/* PageEncodingStats: sets whether all data pages of the chunk use a dictionary. */
static void taco__column_meta_parse_enc_stats(taco__thrift *t, unsigned type,
                                              taco__pq_column_chunk *c)
{
    size_t n = taco__thrift_begin_structs(t, type, 1);
    bool any = false, other = false;
    for (; n && taco__thrift_ok(t); n--) {
        taco__thrift_field f;
        int64_t page = -1, encoding = -1, count = 0;
        taco__thrift_begin(t, &f);
        while (taco__thrift_next(t, &f)) {
            switch (f.id) {
            case 1: page = taco__thrift_i64(t, f.type); break;
            case 2: encoding = taco__thrift_i64(t, f.type); break;
            case 3: count = taco__thrift_i64(t, f.type); break;
            default: taco__thrift_skip(t, f.type); break;
            }
        }
        if (count > 0 && (page == TACO__PQ_PAGE_DATA || page == TACO__PQ_PAGE_DATA_V2)) {
            bool dict = encoding == TACO__PQ_ENC_RLE_DICTIONARY ||
                        encoding == TACO__PQ_ENC_PLAIN_DICTIONARY;
            any = any || dict;
            other = other || !dict;
        }
    }
    c->dict_only = any && !other;
}

/* GeospatialStatistics.bbox: xmin, xmax, ymin, ymax, then z and m if given. */
static void taco__column_meta_parse_bbox(taco__footer_parser *j, unsigned type,
                                         taco__pq_column_chunk *c)
{
    taco__thrift *t = &j->t;
    taco__thrift_field f;
    double v[8];
    unsigned seen = 0;
    if (taco__thrift_begin_struct(t, type, &f)) {
        while (taco__thrift_next(t, &f)) {
            if (f.id >= 1 && f.id <= 8) {
                v[f.id - 1] = taco__thrift_double(t, f.type);
                seen |= 1U << (f.id - 1);
            } else {
                taco__thrift_skip(t, f.type);
            }
        }
    }
    if (!taco__thrift_ok(t) || (seen & 15) != 15) { return; }
    c->geo = (taco__pq_geo_bounds *)taco__thrift_alloc(t, j->arena, 1, sizeof *c->geo);
    if (c->geo) {
        const bool z = (seen >> 4 & 3) == 3, m = (seen >> 6 & 3) == 3;
        c->geo->xmin = v[0];
        c->geo->xmax = v[1];
        c->geo->ymin = v[2];
        c->geo->ymax = v[3];
        c->geo->has_z = z;
        c->geo->has_m = m;
        c->geo->zmin = z ? v[4] : 0;
        c->geo->zmax = z ? v[5] : 0;
        c->geo->mmin = m ? v[6] : 0;
        c->geo->mmax = m ? v[7] : 0;
    }
}

/* GeospatialStatistics: the list of geometry types is ignored. */
static void taco__column_meta_parse_geo(taco__footer_parser *j, unsigned type,
                                        taco__pq_column_chunk *c)
{
    taco__thrift_field f;
    if (taco__thrift_begin_struct(&j->t, type, &f)) {
        while (taco__thrift_next(&j->t, &f)) {
            if (f.id == 1 && TACO__WITH_PRUNING) {
                taco__column_meta_parse_bbox(j, f.type, c);
            } else {
                taco__thrift_skip(&j->t, f.type);
            }
        }
    }
}

/* SizeStatistics: level histograms are ignored. */
static void taco__column_meta_parse_sizes(taco__thrift *t, unsigned type, taco__pq_column_chunk *c)
{
    taco__thrift_field f;
    if (taco__thrift_begin_struct(t, type, &f)) {
        while (taco__thrift_next(t, &f)) {
            if (f.id == 1) {
                int64_t n = taco__thrift_i64(t, f.type);
                c->unencoded = TACO__MAX(n, (int64_t)-1);
            } else {
                taco__thrift_skip(t, f.type);
            }
        }
    }
}

/* ColumnMetaData. Some writers have used the numbers of later optional fields for their own
   purposes (Dremio: a list as field 15): a field of another type is skipped as unknown, as in
   Thrift. */
static void taco__column_meta_parse_body(taco__footer_parser *j, unsigned type,
                                         const taco__pq_leaf *leaf, taco__pq_column_chunk *c)
{
    static const uint8_t optional[8] = {
        TACO__THRIFT_I64, TACO__THRIFT_I64, TACO__THRIFT_STRUCT, TACO__THRIFT_LIST,
        TACO__THRIFT_I64, TACO__THRIFT_I32, TACO__THRIFT_STRUCT, TACO__THRIFT_STRUCT};
    taco__thrift *t = &j->t;
    taco__thrift_field f;
    int64_t bloom = -1, bloom_size = -1;
    if (!taco__thrift_begin_struct(t, type, &f)) { return; }
    c->has_meta = true;
    while (taco__thrift_next(t, &f)) {
        if (f.id >= 10 && f.id <= 17 && !taco__thrift_type_fits(f.type, optional[f.id - 10])) {
            taco__thrift_skip(t, f.type);
            continue;
        }
        switch (f.id) {
        case 1: c->type = taco__thrift_i32(t, f.type); break;
        case 2: taco__column_meta_parse_encodings(t, f.type, c); break;
        case 3: taco__column_meta_check_path(j, f.type, leaf); break;
        case 4: c->codec = taco__thrift_i32(t, f.type); break;
        case 5: c->num_values = taco__thrift_count(t, f.type, "num_values"); break;
        case 6:
            c->uncompressed_size =
                (uint64_t)taco__thrift_count(t, f.type, "total_uncompressed_size");
            break;
        case 7:
            c->compressed_size = (uint64_t)taco__thrift_count(t, f.type, "total_compressed_size");
            break;
        case 9: c->data_offset = taco__thrift_count(t, f.type, "data_page_offset"); break;
        case 10: c->index_page_offset = taco__thrift_i64(t, f.type); break;
        case 11: c->dictionary_offset = taco__thrift_i64(t, f.type); break;
        case 12: taco__stats_parse(t, f.type, &c->stats); break;
        case 13: taco__column_meta_parse_enc_stats(t, f.type, c); break;
        case 14: bloom = taco__thrift_i64(t, f.type); break;
        case 15: bloom_size = taco__thrift_i64(t, f.type); break;
        case 16: taco__column_meta_parse_sizes(t, f.type, c); break;
        case 17: taco__column_meta_parse_geo(j, f.type, c); break;
        default: taco__thrift_skip(t, f.type); break;
        }
    }
    if (bloom > 0) {
        c->bloom.offset = (uint64_t)bloom;
        c->bloom.len = bloom_size > 0 ? (uint64_t)bloom_size : UINT64_MAX;
    }
}

/* Sets offset and length of an index if both are given. */
static void taco__column_meta_set_range(taco__range *r, const int64_t at[2])
{
    if (at[0] > 0 && at[1] > 0) {
        r->offset = (uint64_t)at[0];
        r->len = (uint64_t)at[1];
    }
}

TACO__FN bool taco__column_meta_parse(taco__footer_parser *j, const taco__pq_leaf *leaf,
                                      taco__pq_column_chunk *c)
{
    taco__thrift *t = &j->t;
    taco__thrift_field f;
    /* offset index: offset, length; column index: offset, length */
    int64_t offsets[4] = {0, 0, 0, 0};
    c->at = taco__thrift_at(t);
    c->type = leaf->type;
    c->data_offset = c->dictionary_offset = c->index_page_offset = c->unencoded = -1;
    c->num_values = -1;
    if (taco__thrift_begin(t, &f)) {
        while (taco__thrift_next(t, &f)) {
            switch (f.id) {
            case 1: c->file_path = taco__thrift_binary(t, f.type); break;
            case 3: taco__column_meta_parse_body(j, f.type, leaf, c); break;
            case 4:
            case 5:
            case 6:
            case 7: offsets[f.id - 4] = taco__thrift_i64(t, f.type); break;
            case 8:
            case 9:
                c->encrypted = true;
                taco__thrift_skip(t, f.type);
                break;
            default: taco__thrift_skip(t, f.type); break;
            }
        }
    }
    taco__column_meta_set_range(&c->offset_index, offsets);
    taco__column_meta_set_range(&c->column_index, offsets + 2);
    return taco__thrift_ok(t);
}

/* Indexes and filters only make reads faster: an impossible range is dropped. */
static void taco__column_meta_check_range(taco__range *r, uint64_t end)
{
    uint64_t size = r->len == UINT64_MAX ? 1 : r->len;
    if (r->offset < TACO__COLUMN_META_MAGIC || !taco__checked_range(r->offset, size, end)) {
        r->offset = r->len = 0;
    }
}

/* Sets c->pages. A dictionary comes before the data, and some writers set data_page_offset to it;
   dictionary_page_offset 0 means there is none; a chunk without data pages has data_page_offset 0.
   Pages must end before the footer; if they do not and the chunk names a file, they are in that
   file. */
static bool taco__column_meta_check_pages(taco__footer_parser *j, taco__pq_column_chunk *c)
{
    const taco__pq_metadata *m = j->out;
    int64_t start = c->data_offset, dict = c->dictionary_offset;
    uint64_t end;
    bool in_file, before_footer;
    if (dict > 0 && (dict < start || start <= 0)) { start = dict; }
    in_file = start >= TACO__COLUMN_META_MAGIC &&
              taco__checked_range((uint64_t)start, c->compressed_size, m->file_size);
    before_footer = in_file && (uint64_t)start + c->compressed_size <= m->footer_offset;
    if (c->file_path.len && !before_footer) {
        c->external = true;
        return true;
    }
    if (before_footer) {
        c->pages.offset = (uint64_t)start;
        c->pages.len = c->compressed_size;
    }
    if (c->num_values == 0) { return true; /* nothing to read, whatever the offset */ }
    if (before_footer && c->compressed_size > 0) { return true; }
    if (start < TACO__COLUMN_META_MAGIC) {
        return TACO__THRIFT_FAIL(&j->t, c->at,
                                 "pages begin at byte %d, the first 4 bytes are the magic", start);
    }
    if (c->compressed_size == 0) {
        return TACO__THRIFT_FAIL(&j->t, c->at, "%u values in 0 bytes of pages",
                                 TACO__U(c->num_values));
    }
    end = (uint64_t)start + c->compressed_size; /* both are below 2^63 */
    if (in_file) {
        return TACO__THRIFT_FAIL(&j->t, c->at, "pages end at byte %u, the footer begins at %u", end,
                                 m->footer_offset);
    }
    TACO__FAIL(j->t.err, TACO_ERR_TRUNCATED, c->at, "pages end at byte %u, the file has %u", end,
               m->file_size);
    return taco__thrift_fail(&j->t, TACO_ERR_TRUNCATED);
}

/* Whether a list of encodings has one of data pages without a dictionary: PLAIN and RLE may be of
   the dictionary and the levels. */
static bool taco__column_meta_lists_others(uint32_t encodings)
{
    return (encodings &
            (1U << TACO__PQ_ENC_DELTA_BINARY_PACKED | 1U << TACO__PQ_ENC_DELTA_LENGTH_BYTE_ARRAY |
             1U << TACO__PQ_ENC_DELTA_BYTE_ARRAY | 1U << TACO__PQ_ENC_BYTE_STREAM_SPLIT)) != 0;
}

TACO__FN bool taco__column_meta_check(taco__footer_parser *j, const taco__pq_leaf *leaf,
                                      int64_t rows, taco__pq_column_chunk *c)
{
    uint64_t footer = j->out->footer_offset;
    taco__column_meta_check_range(&c->column_index, footer);
    taco__column_meta_check_range(&c->offset_index, footer);
    taco__column_meta_check_range(&c->bloom, footer);
    taco__stats_drop_impossible(&c->stats, c->num_values);
    /* the list of encodings may deny what their statistics say: then a dictionary is not all */
    c->dict_only = c->dict_only && !taco__column_meta_lists_others(c->encodings);
    if (c->encrypted) {
        c->num_values = TACO__MAX(c->num_values, (int64_t)0);
        return true;
    }
    if (!c->has_meta) { return TACO__THRIFT_FAIL(&j->t, c->at, "column chunk without metadata"); }
    if (c->type != leaf->type) {
        return TACO__THRIFT_FAIL(&j->t, c->at,
                                 "column chunk has the physical type %d, the schema says %d",
                                 TACO__D(c->type), TACO__D(leaf->type));
    }
    if (c->num_values < 0 || c->data_offset < 0) {
        return TACO__THRIFT_FAIL(&j->t, c->at, "column chunk without %s",
                                 c->num_values < 0 ? "num_values" : "data_page_offset");
    }
    /* every row has at least one level entry */
    if (leaf->max_rep == 0 ? c->num_values != rows : c->num_values < rows) {
        return TACO__THRIFT_FAIL(&j->t, c->at,
                                 "column chunk has %d values, its row group has %d rows",
                                 c->num_values, rows);
    }
    return taco__column_meta_check_pages(j, c);
}
