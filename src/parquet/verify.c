/* verify.c - every page of a file read and compared with all that is said about it.. Spec:
   parquet.thrift */
#include "parquet.h"
#include "../base/base.h"
#include "../arrow/arrow.h"

/* What the pages of a data page, a chunk or an index entry turned out to hold, against what is
   claimed. */
typedef struct taco__verify_claim {
    const char *what; /* "statistics", "page statistics", "column index" */
    taco__pq_bounds bounds;
    bool told; /* one warning about its bounds is enough */
} taco__verify_claim;

typedef struct taco__verify {
    taco_pq_file *file;
    bool (*found)(void *ctx, bool fault, const taco_error *what);
    void *ctx;
    taco_pq_checked *sum;
    taco__arena arena; /* of the chunk at hand: its indexes */
    taco__chunk_reader leaf;
    taco__buf text;
    uint32_t group, number; /* of the leaf */
    const taco__pq_column_chunk *chunk;
    taco__stats_order rank;
    bool has_columns, has_offsets;
    taco__pq_column_index columns;
    taco__pq_offset_index offsets;
    taco__verify_claim claims[3];  /* of the chunk, the page's header, the page in the index */
    size_t page;                   /* data pages before this one */
    uint64_t rows, nulls, entries; /* of the chunk so far */
    uint64_t page_rows, page_nulls, page_entries;
    taco_error first;  /* fault */
    taco__bloom bloom; /* of the chunk, where has_bloom */
    bool stop, odd_encoding, has_bloom;
} taco__verify;

/* Hands what was found to the caller. */
static void taco__verify_emit(taco__verify *v, bool fault, const taco_error *e)
{
    if (fault) {
        v->sum->faults++;
    } else {
        v->sum->warnings++;
    }
    if (fault && v->first.code == TACO_OK) { v->first = *e; }
    v->stop = v->stop || (v->found && !v->found(v->ctx, fault, e)) || (fault && !v->found);
}

/* The same with the place in front. */
static void taco__verify_report(taco__verify *v, bool fault, taco_error *e)
{
    if (v->chunk) { taco__footer_prefix_error(&v->file->meta, e, v->group, v->number); }
    if (v->file->name[0]) { taco__error_prefix(e, "%s", v->file->name); }
    taco__verify_emit(v, fault, e);
}

#define TACO__VERIFY_WARN(v, at, ...)                                                              \
    do {                                                                                           \
        taco_error warning;                                                                        \
        memset(&warning, 0, sizeof warning);                                                       \
        TACO__FAIL(&warning, TACO_ERR_CORRUPT, (at), __VA_ARGS__);                                 \
        taco__verify_report((v), false, &warning);                                                 \
    } while (0)

/* ---- values against bounds
   ----------------------------------------------------------------------- */

/* Value i of the store, PLAIN-encoded as bounds are; scratch has room for 32 bytes. */
static taco_bytes taco__verify_encode_value(const taco__chunk_reader *l, size_t i, uint8_t *scratch)
{
    const taco__values *s = &l->store;
    const taco_field *f = l->field;
    const uint8_t *p;
    size_t k, width = (size_t)f->width;
    if (taco__array_is_var_length(f)) {
        const int32_t *offsets;
        if (s->dict) {
            i = (size_t)(uint32_t)((const int32_t *)(const void *)s->values.data)[i];
            s = &l->dict;
        }
        offsets = (const int32_t *)(const void *)s->offsets.data + i;
        return taco__bytes_of(s->bytes.data + offsets[0], (size_t)(offsets[1] - offsets[0]));
    }
    if (f->type == TACO_BOOL) {
        scratch[0] = taco__bitmap_get(s->values.data, i);
        return taco__bytes_of(scratch, 1);
    }
    p = s->values.data + i * width;
    if (f->type == TACO_DECIMAL) { /* little-endian, sign-extended: INT32 and INT64 too */
        bool whole = l->schema->type == TACO__PQ_INT32 || l->schema->type == TACO__PQ_INT64;
        for (k = 0; k < width; k++) {
            scratch[k] = whole ? p[k] : p[width - 1 - k];
        }
        return taco__bytes_of(scratch, l->schema->type == TACO__PQ_INT32   ? 4
                                       : l->schema->type == TACO__PQ_INT64 ? 8
                                                                           : width);
    }
    switch (f->type) { /* native numbers, back to the width of the physical type */
    case TACO_INT8: taco__put_le32(scratch, (uint32_t)(int32_t)(int8_t)p[0]); break;
    case TACO_UINT8: taco__put_le32(scratch, p[0]); break;
    case TACO_INT16:
    case TACO_UINT16:
    case TACO_HALF: {
        uint16_t x;
        memcpy(&x, p, 2);
        taco__put_le32(scratch, f->type == TACO_INT16 ? (uint32_t)(int32_t)(int16_t)x : x);
        if (f->type == TACO_HALF) { return taco__bytes_of(scratch, 2); }
        break;
    }
    default: {
        uint32_t x;
        uint64_t y;
        bool numeric;
        taco__page_decode_width(l, &numeric);
        if (!numeric) { return taco__bytes_of(p, width); }
        if (width == 8) {
            memcpy(&y, p, 8);
            taco__put_le64(scratch, y);
            return taco__bytes_of(scratch, 8);
        }
        memcpy(&x, p, 4);
        taco__put_le32(scratch, x);
        break;
    }
    }
    return taco__bytes_of(scratch, 4);
}

/* Appends a value as the footer's JSON has it, but for the quotes; what was appended. */
static taco_bytes taco__verify_format_value(taco__verify *v, taco_bytes b)
{
    taco__describe_out o;
    size_t first = v->text.len, n;
    o.buf = &v->text;
    o.err = NULL;
    o.ok = true;
    taco__describe_value(&o, v->leaf.schema, b);
    n = o.ok ? v->text.len - first : 0;
    return n >= 2 && v->text.data[first] == '"' ? taco__bytes_of(v->text.data + first + 1, n - 2)
                                                : taco__bytes_of(v->text.data + first, n);
}

static void taco__verify_report_outside(taco__verify *v, taco__verify_claim *c, bool low,
                                        taco_bytes b)
{
    char value[80];
    taco_bytes is, said;
    c->told = true;
    v->text.len = 0;
    is = taco__verify_format_value(v, b);
    is.len = TACO__MIN(is.len, sizeof value);
    if (is.len) { memcpy(value, is.data, is.len); }
    is.data = (const uint8_t *)value; /* the text may move */
    v->text.len = 0;
    said = taco__verify_format_value(v, low ? c->bounds.min : c->bounds.max);
    TACO__VERIFY_WARN(v, v->leaf.body_at, "the value %q is %s %q, the %s of its %s", &is,
                      low ? "below" : "above", &said, low ? "minimum" : "maximum", c->what);
}

/* The values of the store against the bounds that are claimed for them. */
static void taco__verify_bounds(taco__verify *v)
{
    uint8_t scratch[32];
    size_t i, k;
    int64_t order;
    for (k = 0; k < TACO__COUNT(v->claims); k++) {
        taco__verify_claim *c = &v->claims[k];
        for (i = 0;
             i < v->leaf.store.count && !c->told && (c->bounds.min.data || c->bounds.max.data);
             i++) {
            taco_bytes b = taco__verify_encode_value(&v->leaf, i, scratch);
            if ((v->rank == TACO__STATS_FLOATS && !taco__stats_float_order(b, &order)) ||
                (v->rank == TACO__STATS_DECIMALS && b.len == 0)) {
                continue; /* NaN lies outside of every bound */
            }
            if (c->bounds.min.data && taco__stats_compare(v->rank, b, c->bounds.min) < 0) {
                taco__verify_report_outside(v, c, true, b);
            } else if (c->bounds.max.data && taco__stats_compare(v->rank, b, c->bounds.max) > 0) {
                taco__verify_report_outside(v, c, false, b);
            }
        }
    }
}

/* The values of the store against the bloom filter, which must not deny one of them. */
static void taco__verify_bloom(taco__verify *v, taco_error *err)
{
    uint8_t scratch[32];
    size_t i;
    v->bloom.err = err;
    for (i = 0; i < v->leaf.store.count && v->has_bloom; i++) {
        const taco__pq_leaf *s = v->leaf.schema;
        taco_bytes b = taco__verify_encode_value(&v->leaf, i, scratch), plain = b, is;
        if (s->field->type == TACO_DECIMAL && s->field->width && s->type >= TACO__PQ_BYTE_ARRAY) {
            if (s->type == TACO__PQ_BYTE_ARRAY) {
                return; /* how many bytes the file has for a value is not known here */
            }
            /* big-endian, widened in front */
            plain.len = TACO__MIN(b.len, (size_t)s->type_length);
            plain.data = b.data + b.len - plain.len;
        }
        if (!taco__bloom_may_contain(&v->bloom, plain)) {
            v->has_bloom = false; /* one warning is enough */
            v->text.len = 0;
            is = taco__verify_format_value(v, b);
            TACO__VERIFY_WARN(v, v->leaf.body_at, "the value %q is not in the bloom filter", &is);
        }
    }
}

static void taco__verify_null_count(taco__verify *v, const taco__verify_claim *c, uint64_t nulls)
{
    if (c->bounds.null_count >= 0 && (uint64_t)c->bounds.null_count != nulls) {
        TACO__VERIFY_WARN(v, v->leaf.body_at, "%u nulls, its %s say %d", nulls, c->what,
                          c->bounds.null_count);
    }
}

/* ---- pages
   --------------------------------------------------------------------------------------- */

/* All levels and values of the open data page. */
static bool taco__verify_values(taco__verify *v, taco_error *err)
{
    taco__chunk_reader *l = &v->leaf;
    v->page_rows = v->page_nulls = v->page_entries = 0;
    while (l->left) {
        size_t m = TACO__MIN(l->left, (size_t)TACO__LEVEL_DECODE_AHEAD), valid, i, k;
        uint64_t repeats = 0;
        taco__chunk_reader_begin_batch(l);
        if (!taco__level_decode_read(l, m, err)) { return false; }
        valid = taco__level_decode_count_valid(l, 0, m);
        if (!taco__page_decode_values(l, valid, err)) {
            return taco__error_inside(err, l->body_at, "values");
        }
        for (i = 0; l->schema->max_rep && i < m; i += k) {
            uint64_t x;
            k = TACO__MIN(m - i, (size_t)64);
            x = taco__level_decode_rep_mask(l, i, k, 1);
            repeats = i ? repeats : x & 1;
            v->page_rows -= taco__bitmap_popcount(x);
        }
        v->page_rows += m;
        if (repeats && v->entries + v->page_entries == 0) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, l->body_at,
                       "a row begins with a repetition level that is not 0");
            return false;
        }
        if (repeats && v->page_entries == 0 && v->has_offsets) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, l->body_at,
                       "page begins inside a row, the offset index needs it to begin with one");
            return false;
        }
        v->page_entries += m;
        v->page_nulls += m - valid;
        l->left -= m;
        if (l->field->type != TACO_NULL) {
            taco__verify_bounds(v);
            taco__verify_bloom(v, err);
        }
    }
    return true;
}

/* The entry of the offset index for the data page whose header stands at `at`. */
static bool taco__verify_location(taco__verify *v, uint64_t at, taco_error *err)
{
    const taco__pq_page_location *p = &v->offsets.page[v->page];
    if (v->page >= v->offsets.pages) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, at, "data page %u, the offset index has %u",
                   TACO__U(v->page), TACO__U(v->offsets.pages));
        return false;
    }
    if (p->offset != at || p->size != v->leaf.at - at || (uint64_t)p->first_row != v->rows) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, at,
                   "page %u of %u bytes with row %u, the offset index has it at byte %u with %u "
                   "bytes and row %d",
                   TACO__U(v->page), v->leaf.at - at, v->rows, p->offset, TACO__U(p->size),
                   p->first_row);
        return false;
    }
    return true;
}

static void taco__verify_set_claims(taco__verify *v)
{
    taco__chunk_reader *l = &v->leaf;
    const taco__pq_metadata *m = &v->file->meta;
    memset(&v->claims[1], 0, 2 * sizeof v->claims[0]);
    v->claims[1].what = "page statistics";
    v->claims[2].what = "column index";
    v->claims[1].bounds.null_count = v->claims[2].bounds.null_count = -1;
    taco__stats_bounds(m, l->schema, &l->page.stats, &v->claims[1].bounds);
    if (v->has_columns && v->page < v->columns.pages) {
        taco__stats_page_bounds(m, l->schema, &v->columns, v->page, &v->claims[2].bounds);
    }
}

/* The page's encoding has to be in the chunk's list; the two names of dictionary indices are
   one. */
static void taco__verify_encoding(taco__verify *v)
{
    const uint32_t dict = 1U << TACO__PQ_ENC_PLAIN_DICTIONARY | 1U << TACO__PQ_ENC_RLE_DICTIONARY;
    uint32_t bit = 1U << TACO__MIN((uint32_t)v->leaf.page.encoding, 31U);
    if (!v->odd_encoding && !(v->chunk->encodings & (bit & dict ? dict : bit))) {
        v->odd_encoding = true;
        TACO__VERIFY_WARN(v, v->leaf.body_at,
                          "page of encoding %d, which its column chunk does not list",
                          TACO__D(v->leaf.page.encoding));
    }
}

/* The page whose header stands at `at` and whose body is read: a data page. */
static bool taco__verify_data(taco__verify *v, uint64_t at, taco_error *err)
{
    taco__chunk_reader *l = &v->leaf;
    size_t k;
    if (l->page.num_values > l->expected) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, l->body_at,
                   "page of %u values, its column chunk has %u left", TACO__U(l->page.num_values),
                   l->expected);
        return false;
    }
    if (v->has_offsets && !taco__verify_location(v, at, err)) { return false; }
    taco__verify_set_claims(v);
    l->expected -= l->page.num_values;
    l->left = l->page.num_values;
    if (!taco__page_decode_open(l, err) || !taco__verify_values(v, err)) { return false; }
    if (l->page.type == TACO__PQ_PAGE_DATA_V2 &&
        (l->page.num_rows != v->page_rows || l->page.num_nulls != v->page_nulls)) {
        TACO__VERIFY_WARN(v, l->body_at, "page of %u rows and %u nulls, its header says %u and %u",
                          v->page_rows, v->page_nulls, TACO__U(l->page.num_rows),
                          TACO__U(l->page.num_nulls));
    }
    taco__verify_encoding(v);
    for (k = 1; k < TACO__COUNT(v->claims); k++) {
        taco__verify_null_count(v, &v->claims[k], v->page_nulls);
    }
    if (v->has_columns && v->page < v->columns.pages && v->columns.null_pages[v->page] &&
        v->page_nulls != v->page_entries) {
        TACO__VERIFY_WARN(v, l->body_at, "page with %u values, the column index says nulls only",
                          v->page_entries - v->page_nulls);
    }
    v->page++;
    v->rows += v->page_rows;
    v->nulls += v->page_nulls;
    v->entries += v->page_entries;
    v->sum->values += v->page_entries;
    return true;
}

/* The page at l->at. */
static bool taco__verify_page(taco__verify *v, taco_error *err)
{
    taco__chunk_reader *l = &v->leaf;
    uint64_t at = l->at;
    size_t header = 0;
    if (!taco__chunk_reader_read_header(l, &header, err)) { return false; }
    l->body_at = l->at + header;
    l->body.len = l->page.compressed_size;
    l->body.data = taco__chunk_reader_bytes(l, l->body_at, l->body.len, err);
    if (!l->body.data) { return false; }
    l->at = l->body_at + l->body.len;
    l->opened = false;
    if (!taco__chunk_reader_check_crc(l, err)) { return false; }
    v->sum->pages++;
    v->sum->crcs += l->page.has_crc;
    if (l->page.type == TACO__PQ_PAGE_DICTIONARY) {
        taco__chunk_reader_begin_batch(l);
        return taco__dictionary_load(l, err);
    }
    return (l->page.type != TACO__PQ_PAGE_DATA && l->page.type != TACO__PQ_PAGE_DATA_V2) ||
           taco__verify_data(v, at, err);
}

/* ---- chunks
   -------------------------------------------------------------------------------------- */

/* Bytes of an index of the chunk at hand, which stay until the next chunk; {NULL, 0} on failure. */
static taco_bytes taco__verify_read_index(taco__verify *v, const taco__range *r, taco_error *err)
{
    uint8_t *p = NULL;
    if (r->len > v->file->options.limits.max_metadata) {
        TACO__FAIL(err, TACO_ERR_LIMIT, r->offset, "index of %u bytes, limits.max_metadata is %u",
                   r->len, v->file->options.limits.max_metadata);
    } else {
        p = (uint8_t *)taco__arena_alloc(&v->arena, (size_t)r->len, err);
    }
    if (!p || !taco__file_part_read(&v->file->part, r->offset, p, (size_t)r->len, err)) {
        return taco__bytes_of(NULL, 0);
    }
    return taco__bytes_of(p, (size_t)r->len);
}

static bool taco__verify_indexes(taco__verify *v, int64_t rows, taco_error *err)
{
    const taco__pq_column_chunk *c = v->chunk;
    taco_bytes b;
    v->has_columns = v->has_offsets = false;
    if (c->offset_index.len) {
        b = taco__verify_read_index(v, &c->offset_index, err);
        if (!b.data || taco__page_index_parse_offsets(&v->arena, b, c->offset_index.offset, c, rows,
                                                      &v->offsets, err) != TACO_OK) {
            return false;
        }
        v->has_offsets = true;
    }
    if (c->column_index.len) {
        b = taco__verify_read_index(v, &c->column_index, err);
        if (!b.data || taco__page_index_parse_columns(&v->arena, b, c->column_index.offset,
                                                      v->has_offsets ? v->offsets.pages : SIZE_MAX,
                                                      &v->columns, err) != TACO_OK) {
            return false;
        }
        v->has_columns = true;
    }
    return true;
}

/* Bounds of the column index in the order that it says they have, pages of nulls left out. */
static void taco__verify_boundary_order(taco__verify *v)
{
    const taco__pq_metadata *m = &v->file->meta;
    taco__stats_order rank = taco__stats_order_of(v->leaf.schema);
    int sign = v->columns.boundary_order == 1 ? 1 : -1;
    size_t i, last = SIZE_MAX;
    taco__pq_bounds before, now;
    memset(&before, 0, sizeof before);
    if (!v->has_columns || v->columns.boundary_order == 0 || rank == TACO__STATS_UNORDERED) {
        return;
    }
    for (i = 0; i < v->columns.pages; i++) {
        if (v->columns.null_pages[i]) { continue; }
        taco__stats_page_bounds(m, v->leaf.schema, &v->columns, i, &now);
        if (last != SIZE_MAX && ((before.min.data && now.min.data &&
                                  sign * taco__stats_compare(rank, before.min, now.min) > 0) ||
                                 (before.max.data && now.max.data &&
                                  sign * taco__stats_compare(rank, before.max, now.max) > 0))) {
            TACO__VERIFY_WARN(v, v->chunk->column_index.offset,
                              "bounds of pages %u and %u, which the column index calls %s, are not",
                              TACO__U(last), TACO__U(i), sign > 0 ? "ascending" : "descending");
            return;
        }
        before = now;
        last = i;
    }
}

/* What the pages add up to. */
static bool taco__verify_totals(taco__verify *v, uint64_t rows, taco_error *err)
{
    taco__chunk_reader *l = &v->leaf;
    if (l->expected) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, l->at, "%u values in its pages, the column chunk says %u",
                   v->entries, TACO__U(v->chunk->num_values));
        return false;
    }
    if (v->rows != rows) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, l->at, "%u rows in its pages, the row group has %u",
                   v->rows, rows);
        return false;
    }
    if (v->has_offsets && v->page != v->offsets.pages) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, v->chunk->offset_index.offset,
                   "offset index of %u pages, the column chunk has %u", TACO__U(v->offsets.pages),
                   TACO__U(v->page));
        return false;
    }
    if (v->has_columns && v->page != v->columns.pages) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, v->chunk->column_index.offset,
                   "column index of %u pages, the column chunk has %u", TACO__U(v->columns.pages),
                   TACO__U(v->page));
        return false;
    }
    taco__verify_null_count(v, &v->claims[0], v->nulls);
    return true;
}

/* Every page of the chunk at hand. Behind its last value only what reads as pages is walked. */
static bool taco__verify_pages(taco__verify *v, uint64_t rows, taco_error *err)
{
    taco__chunk_reader *l = &v->leaf;
    uint64_t end = v->chunk->pages.offset + v->chunk->pages.len;
    v->page = 0;
    v->rows = v->nulls = v->entries = 0;
    v->odd_encoding = false;
    v->rank = taco__stats_order_of(l->schema);
    memset(v->claims, 0, sizeof v->claims);
    v->claims[0].what = "statistics";
    taco__stats_bounds(&v->file->meta, l->schema, &v->chunk->stats, &v->claims[0].bounds);
    while (!v->stop && (l->expected ? l->at < l->end : l->at < end)) {
        uint64_t at = l->at;
        taco_error e;
        memset(&e, 0, sizeof e);
        if (taco__verify_page(v, &e)) { continue; }
        if (l->expected || l->at > at || e.code == TACO_ERR_IO || e.code == TACO_ERR_MEMORY) {
            *err = e;
            return false;
        }
        TACO__VERIFY_WARN(v, at, "%u bytes behind the last page of the column chunk", end - at);
        break;
    }
    return v->stop || taco__verify_totals(v, rows, err);
}

static void taco__verify_chunk(taco__verify *v, uint32_t group, uint32_t number)
{
    const taco__pq_metadata *m = &v->file->meta;
    const taco__pq_row_group *g = &m->groups[group];
    taco__chunk_reader *l = &v->leaf;
    taco_error e;
    memset(&e, 0, sizeof e);
    v->group = group;
    v->number = number;
    v->chunk = &g->chunks[number];
    if (v->chunk->encrypted || v->chunk->external) {
        v->sum->skipped++;
        TACO__VERIFY_WARN(v, v->chunk->at, "not checked: %s",
                          v->chunk->encrypted ? "it is encrypted"
                                              : "its pages are in another file");
        return;
    }
    taco__chunk_reader_init(l, v->file->mem);
    l->meta = m;
    l->schema = &m->leaves[number];
    l->field = l->schema->field;
    l->part = &v->file->part;
    l->limits = &v->file->options.limits;
    l->codecs = v->file->codecs;
    l->always_compressed = m->always_compressed;
    memset(&v->bloom, 0, sizeof v->bloom);
    v->has_bloom = taco__bloom_open(&v->bloom, l->part, v->chunk, v->file->mem, &e);
    if (!v->has_bloom && v->chunk->bloom.len && e.code == TACO_OK) {
        TACO__VERIFY_WARN(v, v->chunk->bloom.offset, "the bloom filter cannot be read");
    }
    if (e.code != TACO_OK || !taco__chunk_reader_open(l, v->chunk, &e) ||
        !taco__verify_indexes(v, g->rows, &e) || !taco__verify_pages(v, (uint64_t)g->rows, &e)) {
        taco__verify_report(v, true, &e);
    } else {
        taco__verify_boundary_order(v);
        v->sum->chunks++;
    }
    taco__bloom_close(&v->bloom);
    taco__chunk_reader_free(l);
    taco__arena_free(&v->arena);
}

/* The rows of a nested column in a row group whose chunks are good, each by itself: do they make
   lists and structs? */
static void taco__verify_nested(taco__verify *v, uint32_t group, uint32_t column)
{
    const taco__pq_row_group *g = &v->file->meta.groups[group];
    taco__table t;
    taco__row_reader rows;
    taco_error e;
    size_t which = column;
    uint64_t at = (uint64_t)g->first_row, end = at + (uint64_t)g->rows;
    memset(&e, 0, sizeof e);
    taco__table_from_file(&t, v->file);
    if (taco__row_reader_open(&rows, &t, &which, 1, v->file->mem, &e)) {
        while (at < end) {
            size_t n = (size_t)TACO__MIN(end - at, (uint64_t)TACO__BATCH_ROWS);
            if (!taco__row_reader_read_range(&rows, at, n, &e)) { break; }
            at += n;
        }
    }
    taco__row_reader_close(&rows);
    if (e.code != TACO_OK) { taco__verify_emit(v, true, &e); }
}

/* The chunks of a column in a row group, then what they are together. */
static void taco__verify_column(taco__verify *v, uint32_t group, uint32_t column)
{
    const taco__pq_schema_node *node = &v->file->meta.nodes[column];
    uint64_t before = v->sum->faults + v->sum->skipped;
    uint32_t i;
    for (i = 0; i < node->leaf_count && !v->stop; i++) {
        taco__verify_chunk(v, group, node->leaf + i);
    }
    if (node->field->child_count && !v->stop && v->sum->faults + v->sum->skipped == before) {
        taco__verify_nested(v, group, column);
    }
}

/* Checks a file whose pq codecs are there. */
TACO__FN taco_status taco__verify_file(taco_pq_file *file,
                                       bool (*found)(void *ctx, bool fault, const taco_error *what),
                                       void *ctx, taco_pq_checked *sum, taco_error *err)
{
    taco__verify v;
    uint32_t g, i;
    memset(&v, 0, sizeof v);
    v.file = file;
    v.found = found;
    v.ctx = ctx;
    v.sum = sum;
    v.arena.mem = v.text.mem = file->mem;
    if (!taco__pq_file_codecs(file, err)) { return err->code; }
    if (file->meta.claimed_rows != file->meta.num_rows) {
        TACO__VERIFY_WARN(&v, file->meta.footer_offset, "footer of %d rows, its row groups have %d",
                          file->meta.claimed_rows, file->meta.num_rows);
    }
    for (g = 0; g < file->meta.group_count && !v.stop; g++) {
        for (i = 0; i < file->meta.column_count && !v.stop; i++) {
            taco__verify_column(&v, g, i);
        }
        sum->row_groups++;
        sum->rows += (uint64_t)file->meta.groups[g].rows;
    }
    taco__buf_free(&v.text);
    if (v.first.code != TACO_OK && err->code == TACO_OK) { *err = v.first; }
    return v.first.code;
}

TACO_API taco_status taco_pq_verify(taco_pq_file *file,
                                    bool (*found)(void *ctx, bool fault, const taco_error *what),
                                    void *ctx, taco_pq_checked *out, taco_error *err)
{
    taco_pq_checked sum;
    taco_error own = {0, TACO_OK, 0, {0}};
    taco_status status;
    memset(&sum, 0, sizeof sum);
    status = file ? taco__verify_file(file, found, ctx, &sum, &own)
                  : TACO__FAIL(&own, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no file given");
    if (out) { *out = sum; }
    if (err && err->code == TACO_OK) { *err = own; }
    return status;
}
