/* page_header.c - the header before every page: type, sizes, encodings, CRC

   In: the first bytes of a page, perhaps too few; out: a consistent taco__pq_page_header. Spec:
   parquet.thrift "PageHeader".

   A header does not give its own length: TRUNCATED asks the caller for more bytes. Pages of types
   newer than this reader are accepted, because they can be skipped by their size. */
#include "parquet.h"
#include "../base/base.h"

/* DataPageHeader */
static void taco__page_header_parse_v1(taco__thrift *t, unsigned type, taco__pq_page_header *p)
{
    taco__thrift_field f;
    if (taco__thrift_begin_struct(t, type, &f)) {
        while (taco__thrift_next(t, &f)) {
            switch (f.id) {
            case 1: p->num_values = taco__thrift_count32(t, f.type, "num_values of a page"); break;
            case 2: p->encoding = taco__thrift_i32(t, f.type); break;
            case 3: p->def_encoding = taco__thrift_i32(t, f.type); break;
            case 4: p->rep_encoding = taco__thrift_i32(t, f.type); break;
            case 5: taco__stats_parse(t, f.type, &p->stats); break;
            default: taco__thrift_skip(t, f.type); break;
            }
        }
    }
}

/* DictionaryPageHeader */
static void taco__page_header_parse_dict(taco__thrift *t, unsigned type, taco__pq_page_header *p)
{
    taco__thrift_field f;
    if (taco__thrift_begin_struct(t, type, &f)) {
        while (taco__thrift_next(t, &f)) {
            switch (f.id) {
            case 1:
                p->num_values = taco__thrift_count32(t, f.type, "num_values of a dictionary");
                break;
            case 2: p->encoding = taco__thrift_i32(t, f.type); break;
            case 3: p->is_sorted = taco__thrift_bool(t, f.type); break;
            default: taco__thrift_skip(t, f.type); break;
            }
        }
    }
}

/* DataPageHeaderV2; is_compressed is true if it is not given. */
static void taco__page_header_parse_v2(taco__thrift *t, unsigned type, taco__pq_page_header *p)
{
    taco__thrift_field f;
    if (taco__thrift_begin_struct(t, type, &f)) {
        while (taco__thrift_next(t, &f)) {
            switch (f.id) {
            case 1: p->num_values = taco__thrift_count32(t, f.type, "num_values of a page"); break;
            case 2: p->num_nulls = taco__thrift_count32(t, f.type, "num_nulls of a page"); break;
            case 3: p->num_rows = taco__thrift_count32(t, f.type, "num_rows of a page"); break;
            case 4: p->encoding = taco__thrift_i32(t, f.type); break;
            case 5:
                p->def_len = taco__thrift_count32(t, f.type, "definition_levels_byte_length");
                break;
            case 6:
                p->rep_len = taco__thrift_count32(t, f.type, "repetition_levels_byte_length");
                break;
            case 7: p->is_compressed = taco__thrift_bool(t, f.type); break;
            case 8: taco__stats_parse(t, f.type, &p->stats); break;
            default: taco__thrift_skip(t, f.type); break;
            }
        }
    }
}

/* The parts of a v2 page must fit the whole: its levels must fit in the body both as stored and
   uncompressed, because they are never compressed. */
static bool taco__page_header_check_v2(taco__thrift *t, const taco__pq_page_header *p)
{
    uint64_t levels = (uint64_t)p->def_len + p->rep_len;
    if (levels > p->compressed_size || levels > p->uncompressed_size) {
        return TACO__THRIFT_FAIL(t, t->base, "page has %u bytes of levels, its body has %u", levels,
                                 TACO__U(TACO__MIN(p->compressed_size, p->uncompressed_size)));
    }
    if (p->num_nulls > p->num_values || p->num_rows > p->num_values) {
        return TACO__THRIFT_FAIL(t, t->base, "page has %u nulls and %u rows, but %u values",
                                 TACO__U(p->num_nulls), TACO__U(p->num_rows),
                                 TACO__U(p->num_values));
    }
    return true;
}

/* A header must have type and sizes, and only the one structure that describes its type of page: a
   second one would overwrite its numbers. `seen` has bit i set if field i was present. */
static bool taco__page_header_check(taco__thrift *t, const taco__pq_page_header *p, unsigned seen)
{
    static const uint8_t part[4] = {5, 0, 7, 8}; /* by page type: the field with its structure */
    const unsigned parts = 1U << 5 | 1U << 7 | 1U << 8;
    unsigned own = 1U << (p->type >= 0 && p->type <= 3 ? part[p->type] : 0);
    if ((seen & 14) != 14) {
        return TACO__THRIFT_FAIL(t, t->base, "page header without %s",
                                 !(seen & 2)   ? "type"
                                 : !(seen & 4) ? "uncompressed_page_size"
                                               : "compressed_page_size");
    }
    if ((seen & parts) != (own & parts)) {
        return TACO__THRIFT_FAIL(t, t->base, "page header of type %d %s", TACO__D(p->type),
                                 seen & parts & ~own ? "has another type's part"
                                                     : "lacks its part");
    }
    return p->type != TACO__PQ_PAGE_DATA_V2 || taco__page_header_check_v2(t, p);
}

TACO__FN taco_status taco__page_header_parse(taco_bytes in, uint64_t file_offset,
                                             taco__pq_page_header *out, size_t *header_len,
                                             taco_error *err)
{
    taco__thrift t;
    taco__thrift_field f;
    unsigned seen = 0;
    memset(out, 0, sizeof *out);
    out->is_compressed = true;
    out->stats.null_count = out->stats.distinct_count = out->stats.nan_count = -1;
    *header_len = 0;
    taco__thrift_init(&t, in, file_offset, "page header", true, err);
    taco__thrift_begin(&t, &f);
    while (taco__thrift_next(&t, &f)) {
        if (f.id >= 1 && f.id <= 8) { seen |= 1U << f.id; }
        switch (f.id) {
        case 1: out->type = taco__thrift_i32(&t, f.type); break;
        case 2:
            out->uncompressed_size = taco__thrift_count32(&t, f.type, "uncompressed_page_size");
            break;
        case 3:
            out->compressed_size = taco__thrift_count32(&t, f.type, "compressed_page_size");
            break;
        case 4: out->crc = (uint32_t)taco__thrift_i64(&t, f.type); break;
        case 5: taco__page_header_parse_v1(&t, f.type, out); break;
        case 7: taco__page_header_parse_dict(&t, f.type, out); break;
        case 8: taco__page_header_parse_v2(&t, f.type, out); break;
        default: taco__thrift_skip(&t, f.type); break;
        }
    }
    out->has_crc = (seen >> 4 & 1) != 0;
    if (taco__thrift_ok(&t) && taco__page_header_check(&t, out, seen)) {
        taco__stats_drop_impossible(&out->stats, out->num_values);
        *header_len = taco__byte_reader_position(&t.cur);
    }
    return t.status;
}
