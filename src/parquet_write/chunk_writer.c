/* chunk_writer.c - a finished column chunk: dictionary page, data pages, bloom filter, metadata

   In: a leaf whose pages of the row group are encoded. Out: its bytes in the sink, its
   ColumnMetaData in footer.metas, its indexes in footer.indexes, and a record of their positions
   (parquet.thrift; BloomFilter.md). The bloom filter directly follows the chunk's pages. Then the
   leaf is cleared for the next row group, keeping its memory.

   Start reading at taco__chunk_writer_end_chunk. */
#include "parquet_write.h"
#include "../base/base.h"
#include "../parquet/parquet.h"

/* ---- the bloom filter ---- */

static int taco__chunk_writer_compare_hashes(const void *ctx, const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    (void)ctx;
    return (x > y) - (x < y);
}

/* Split-block filter: the high half of the hash chooses a block of eight words, and each word gets
   one bit, by the low half times a salt (BloomFilter.md). */
static void taco__chunk_writer_bloom_set(uint8_t *filter, size_t blocks, uint64_t hash)
{
    static const uint32_t salt[8] = {0x47b6137bU, 0x44974d91U, 0x8824ad5bU, 0xa2b7289dU,
                                     0x705495c7U, 0x2df1424bU, 0x9efc4947U, 0x5c6bfb31U};
    uint8_t *block = filter + 32 * (size_t)(((hash >> 32) * blocks) >> 32);
    unsigned i;
    for (i = 0; i < 8; i++) {
        uint32_t bit = (uint32_t)((uint32_t)hash * salt[i]) >> 27;
        taco__put_le32(block + 4 * i, taco__load_le32(block + 4 * i) | (uint32_t)1 << bit);
    }
}

/* Size of a filter for that many distinct values: a power of two with at least 10.5 bits for each,
   which gives 1 % false positives. */
static size_t taco__chunk_writer_bloom_bytes(size_t distinct)
{
    size_t bytes = 32;
    while (bytes < TACO__PQ_BLOOM_MAX && (uint64_t)bytes * 16 < (uint64_t)distinct * 21) {
        bytes *= 2;
    }
    return bytes;
}

/* BloomFilterHeader. */
static bool taco__chunk_writer_bloom_header(taco_pq_writer *w, size_t bytes)
{
    taco__thrift_writer t;
    int16_t i;
    w->scratch.body.len = 0;
    taco__thrift_write_init(&t, &w->scratch.body, &w->err);
    taco__thrift_write_i32(&t, 1, (int32_t)bytes);
    for (i = 2; i <= 4; i++) { /* BLOCK, XXHASH, UNCOMPRESSED: unions of one member */
        taco__thrift_write_begin(&t, i);
        taco__thrift_write_empty(&t, 1);
        taco__thrift_write_end(&t);
    }
    return taco__thrift_write_end(&t);
}

/* Writes the filter of the chunk's hashes to the sink; *len becomes its size there. */
static bool taco__chunk_writer_write_bloom(taco_pq_writer *w, taco__leaf_writer *l, size_t *len)
{
    taco__buf *out = &w->scratch.body;
    uint64_t *h = (uint64_t *)(void *)l->pages.hashes.data;
    size_t n = l->pages.hashes.len / sizeof *h, i, distinct = 0, bytes;
    if (!taco__sort_in(&w->mem, h, n, sizeof *h, taco__chunk_writer_compare_hashes, NULL,
                       &w->err)) {
        return false;
    }
    for (i = 0; i < n; i++) {
        distinct += i == 0 || h[i] != h[i - 1];
    }
    bytes = taco__chunk_writer_bloom_bytes(distinct);
    if (!taco__chunk_writer_bloom_header(w, bytes) || !taco__buf_reserve(out, bytes, &w->err)) {
        return false;
    }
    memset(out->data + out->len, 0, bytes);
    for (i = 0; i < n; i++) {
        taco__chunk_writer_bloom_set(out->data + out->len, bytes / 32, h[i]);
    }
    *len = out->len + bytes;
    return taco__pq_writer_write(w, out->data, *len);
}

/* ---- ColumnMetaData ---- */

/* Where the parts of a chunk are in the file. */
typedef struct taco__chunk_place {
    uint64_t start, data, end, bloom; /* data: the first data page */
    size_t bloom_len;
    bool has_dict;
} taco__chunk_place;

/* Encodings of the chunk, of levels, dictionary and data pages: field 2. */
static void taco__chunk_writer_encodings(const taco__leaf_writer *l, taco__thrift_writer *t,
                                         bool has_dict)
{
    uint32_t set = 0;
    int32_t i;
    for (i = 0; i < TACO__PQ_ENCODINGS; i++) {
        set |= l->pages.by_encoding[i] ? (uint32_t)1 << i : 0;
    }
    set |= has_dict ? (uint32_t)1 << TACO__PQ_ENC_PLAIN : 0;
    set |= l->schema.max_def || l->schema.max_rep ? (uint32_t)1 << TACO__PQ_ENC_RLE : 0;
    taco__thrift_write_list(t, 2, TACO__THRIFT_I32, taco__bitmap_popcount(set));
    for (i = 0; i < TACO__PQ_ENCODINGS; i++) {
        if (set >> i & 1) { taco__thrift_write_number(t, i); }
    }
}

/* One PageEncodingStats. */
static void taco__chunk_writer_page_count(taco__thrift_writer *t, int32_t page, int32_t encoding,
                                          uint32_t count)
{
    taco__thrift_write_begin_item(t);
    taco__thrift_write_i32(t, 1, page);
    taco__thrift_write_i32(t, 2, encoding);
    taco__thrift_write_i32(t, 3, (int32_t)count);
    taco__thrift_write_end(t);
}

/* Numbers of pages by type and encoding: field 13. */
static void taco__chunk_writer_encoding_stats(const taco_pq_writer *w, const taco__leaf_writer *l,
                                              taco__thrift_writer *t, bool has_dict)
{
    int32_t i, n = has_dict, data = w->opt.pages_v2 ? TACO__PQ_PAGE_DATA_V2 : TACO__PQ_PAGE_DATA;
    for (i = 0; i < TACO__PQ_ENCODINGS; i++) {
        n += l->pages.by_encoding[i] != 0;
    }
    taco__thrift_write_list(t, 13, TACO__THRIFT_STRUCT, (size_t)n);
    if (has_dict) {
        taco__chunk_writer_page_count(t, TACO__PQ_PAGE_DICTIONARY, TACO__PQ_ENC_PLAIN, 1);
    }
    for (i = 0; i < TACO__PQ_ENCODINGS; i++) {
        if (l->pages.by_encoding[i]) {
            taco__chunk_writer_page_count(t, data, i, l->pages.by_encoding[i]);
        }
    }
}

/* SizeStatistics, field 16, if they contain anything. */
static void taco__chunk_writer_size_stats(const taco__leaf_writer *l, taco__thrift_writer *t)
{
    bool bytes = l->schema.type == TACO__PQ_BYTE_ARRAY;
    if (!l->settings.stats || !(bytes || taco__page_index_write_has_histograms(l))) { return; }
    taco__thrift_write_begin(t, 16);
    if (bytes) { taco__thrift_write_i64(t, 1, l->stats.unencoded); }
    taco__page_index_write_histograms(l, t, 2, true);
    taco__thrift_write_end(t);
}

static bool taco__chunk_writer_metadata(taco_pq_writer *w, const taco__leaf_writer *l,
                                        const taco__chunk_place *at)
{
    taco__thrift_writer t;
    size_t i;
    taco__thrift_write_init(&t, &w->footer.metas, &w->err);
    taco__thrift_write_i32(&t, 1, l->schema.type);
    taco__chunk_writer_encodings(l, &t, at->has_dict);
    taco__thrift_write_list(&t, 3, TACO__THRIFT_BINARY, l->schema.name_count);
    for (i = 0; i < l->schema.name_count; i++) {
        taco__thrift_write_bytes(&t, l->schema.names[i]);
    }
    taco__thrift_write_i32(&t, 4, l->settings.codec);
    taco__thrift_write_i64(&t, 5, (int64_t)l->pages.entries);
    taco__thrift_write_i64(&t, 6, (int64_t)l->pages.plain_bytes);
    taco__thrift_write_i64(&t, 7, (int64_t)(at->end - at->start));
    taco__thrift_write_i64(&t, 9, (int64_t)at->data);
    if (at->has_dict) { taco__thrift_write_i64(&t, 11, (int64_t)at->start); }
    if (l->settings.stats && !taco__value_bounds_write(w, l, &t, 12)) { return false; }
    taco__chunk_writer_encoding_stats(w, l, &t, at->has_dict);
    if (at->bloom_len) {
        taco__thrift_write_i64(&t, 14, (int64_t)at->bloom);
        taco__thrift_write_i32(&t, 15, (int32_t)at->bloom_len);
    }
    taco__chunk_writer_size_stats(l, &t);
    return taco__thrift_write_end(&t);
}

/* ---- the chunk ---- */

static bool taco__chunk_writer_dict_page(taco_pq_writer *w, taco__leaf_writer *l)
{
    taco__buf *page = &w->scratch.trial;
    taco__page_body b;
    memset(&b, 0, sizeof b);
    b.type = TACO__PQ_PAGE_DICTIONARY;
    b.encoding = TACO__PQ_ENC_PLAIN;
    b.entries = l->dict.values.count;
    w->scratch.body.len = page->len = 0;
    if (!taco__dict_builder_append_plain(&l->dict, &w->scratch.body, &w->err) ||
        !taco__page_writer_compress(w, l, &b) || !taco__page_writer_append_page(w, &b, page)) {
        return false;
    }
    l->pages.plain_bytes += page->len - w->scratch.packed.len + b.plain;
    return taco__pq_writer_write(w, page->data, page->len);
}

/* Writes the bytes of the chunk, and records where they are. */
static bool taco__chunk_writer_write(taco_pq_writer *w, taco__leaf_writer *l, taco__chunk_place *at)
{
    at->start = w->offset;
    at->has_dict = l->pages.with_dictionary > 0;
    if (at->has_dict && !taco__chunk_writer_dict_page(w, l)) { return false; }
    at->data = w->offset;
    if (!taco__pq_writer_write(w, l->pages.bytes.data, l->pages.bytes.len)) { return false; }
    at->end = at->bloom = w->offset;
    return !l->settings.bloom || taco__chunk_writer_write_bloom(w, l, &at->bloom_len);
}

/* Appends metadata and indexes to the parts of the footer, and records where they are. */
static bool taco__chunk_writer_record(taco_pq_writer *w, const taco__leaf_writer *l,
                                      const taco__chunk_place *at)
{
    taco__footer_parts *f = &w->footer;
    taco__chunk_record c;
    memset(&c, 0, sizeof c);
    c.meta_at = f->metas.len;
    if (!taco__chunk_writer_metadata(w, l, at)) { return false; }
    c.meta_len = f->metas.len - c.meta_at;
    c.column_at = f->indexes.len;
    if (!taco__page_index_write_column_index(w, l)) { return false; }
    c.column_len = f->indexes.len - c.column_at;
    c.offset_at = f->indexes.len;
    if (!w->opt.no_page_index && !taco__page_index_write_offset_index(w, l, at->data)) {
        return false;
    }
    c.offset_len = f->indexes.len - c.offset_at;
    return taco__buf_append(&f->chunks, &c, sizeof c, &w->err);
}

static void taco__chunk_writer_clear_pages(taco__chunk_pages *p)
{
    p->bytes.len = p->records.len = p->bounds.len = p->level_counts.len = p->hashes.len = 0;
    p->count = 0;
    p->rows = p->entries = p->plain_bytes = 0;
    p->with_dictionary = p->without_dictionary = 0;
    memset(p->by_encoding, 0, sizeof p->by_encoding);
}

/* Clears the leaf for the next row group. The content hash continues: page ends do not depend on
   groups. */
static void taco__chunk_writer_clear(taco__leaf_writer *l)
{
    taco__chunk_writer_clear_pages(&l->pages);
    taco__dict_builder_clear(&l->dict);
    l->mode = TACO__DICTIONARY_UNDECIDED;
    l->indexed = false;
    memset(&l->trial, 0, sizeof l->trial);
    l->stats.bounded = l->stats.unbounded_page = false;
    l->stats.nulls = l->stats.nans = l->stats.unencoded = 0;
}

TACO__FN bool taco__chunk_writer_end_chunk(taco_pq_writer *w, taco__leaf_writer *l,
                                           taco__group_record *g)
{
    taco__chunk_place at;
    memset(&at, 0, sizeof at);
    if (!taco__chunk_writer_write(w, l, &at) || !taco__chunk_writer_record(w, l, &at)) {
        return false;
    }
    g->uncompressed += l->pages.plain_bytes;
    g->compressed += at.end - at.start;
    taco__chunk_writer_clear(l);
    return true;
}

TACO__FN bool taco__chunk_writer_fail(taco_pq_writer *w, const taco__leaf_writer *l)
{
    taco_bytes name = taco__bytes_text(w->fields[l->schema.column].name);
    taco__error_prefix(&w->err, "column %q", &name);
    return false;
}
