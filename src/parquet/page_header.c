/* page_header.c - the gate for footers, page headers and page indexes: what passes is proven..
   Spec: parquet.thrift, LogicalTypes.md */
#include "parquet.h"
#include "../base/base.h"

/* ---- page headers
   ------------------------------------------------------------------------------------ */

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

/* What a v2 page says about its parts has to fit the whole. */
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

/* Parses the page header at the beginning of `in`, which stands at file_offset, and tells its
   length. TRUNCATED: the header runs past `in`, more bytes may help. CORRUPT: none will. */
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
    if (taco__thrift_ok(&t)) {
        /* by page type: the field that describes it */
        static const uint8_t body[4] = {5, 0, 7, 8};
        const unsigned parts = 1U << 5 | 1U << 7 | 1U << 8;
        unsigned need = out->type >= 0 && out->type <= 3 ? body[out->type] : 0;
        if ((seen & 14) != 14) {
            TACO__THRIFT_FAIL(&t, file_offset, "page header without %s",
                              !(seen & 2)   ? "type"
                              : !(seen & 4) ? "uncompressed_page_size"
                                            : "compressed_page_size");
            /* another part's numbers would pass for this one's */
        } else if ((seen & parts) != (1U << need & parts)) {
            TACO__THRIFT_FAIL(&t, file_offset, "page header of type %d %s", TACO__D(out->type),
                              seen & parts & ~(1U << need) ? "has another type's part"
                                                           : "lacks its part");
        } else if (out->type == TACO__PQ_PAGE_DATA_V2) {
            taco__page_header_check_v2(&t, out);
        }
    }
    if (taco__thrift_ok(&t)) {
        taco__stats_drop_impossible(&out->stats, out->num_values);
        *header_len = taco__byte_reader_position(&t.cur);
    }
    return t.status;
}
