/* chunk_writer.c - batches to column chunks, pages, indexes and the footer.. Spec: parquet-format,
   parquet.thrift, PageIndex.md, BloomFilter.md */
#include "parquet_write.h"
#include "../base/base.h"
#include "../parquet/parquet.h"

/* ---- chunks
   ------------------------------------------------------------------------------------------ */

/* Split-block bloom filter of the chunk's hashes (BloomFilter.md): blocks of eight words, a bit in
   each per value; about 10.5 bits a distinct value give 1 % of false positives. */
static int taco__chunk_writer_compare_hashes(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

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

/* Writes the filter to the sink; *len is what it takes there. */
static bool taco__chunk_writer_write_bloom(taco_pq_writer *w, taco__leaf_writer *l, size_t *len)
{
    size_t n = l->hashes.len / sizeof(uint64_t), i, distinct = 0, bytes = 32;
    uint64_t *h = (uint64_t *)(void *)l->hashes.data;
    taco__thrift_writer t;
    if (n) { qsort(h, n, sizeof *h, taco__chunk_writer_compare_hashes); }
    for (i = 0; i < n; i++) {
        distinct += i == 0 || h[i] != h[i - 1];
    }
    while (bytes < TACO__PQ_WRITER_BLOOM && (uint64_t)bytes * 16 < (uint64_t)distinct * 21) {
        bytes *= 2;
    }
    w->body.len = 0;
    taco__thrift_write_init(&t, &w->body, &w->err);
    taco__thrift_write_i32(&t, 1, (int32_t)bytes);
    for (i = 2; i <= 4; i++) { /* BLOCK, XXHASH, UNCOMPRESSED: unions of one member */
        taco__thrift_write_begin(&t, (int16_t)i);
        taco__thrift_write_empty(&t, 1);
        taco__thrift_write_end(&t);
    }
    if (!taco__thrift_write_end(&t) || !taco__buf_reserve(&w->body, bytes, &w->err)) {
        return false;
    }
    memset(w->body.data + w->body.len, 0, bytes);
    for (i = 0; i < n; i++) {
        taco__chunk_writer_bloom_set(w->body.data + w->body.len, bytes / 32, h[i]);
    }
    *len = w->body.len + bytes;
    return taco__pq_writer_write(w, w->body.data, *len);
}

/* Encodings of the chunk: levels, dictionary, data pages. */
static void taco__chunk_writer_encodings(taco__leaf_writer *l, taco__thrift_writer *t,
                                         bool has_dict)
{
    uint32_t set = 0, n;
    int32_t i;
    for (i = 0; i < 10; i++) {
        set |= l->used[i] ? (uint32_t)1 << i : 0;
    }
    set |= has_dict ? (uint32_t)1 << TACO__PQ_ENC_PLAIN : 0;
    set |= l->max_def || l->max_rep ? (uint32_t)1 << TACO__PQ_ENC_RLE : 0;
    n = (uint32_t)taco__bitmap_popcount(set);
    taco__thrift_write_list(t, 2, TACO__THRIFT_I32, n);
    for (i = 0; i < 10; i++) {
        if (set >> i & 1) { taco__thrift_write_number(t, i); }
    }
}

static void taco__chunk_writer_encoding_stats(const taco_pq_writer *w, taco__leaf_writer *l,
                                              taco__thrift_writer *t, bool has_dict)
{
    int32_t i, n = has_dict;
    for (i = 0; i < 10; i++) {
        n += l->used[i] != 0;
    }
    taco__thrift_write_list(t, 13, TACO__THRIFT_STRUCT, (size_t)n);
    for (i = -1; i < 10; i++) {
        if (i < 0 ? has_dict : l->used[i] != 0) {
            taco__thrift_write_begin_item(t);
            taco__thrift_write_i32(t, 1,
                                   i < 0             ? TACO__PQ_PAGE_DICTIONARY
                                   : w->opt.pages_v2 ? TACO__PQ_PAGE_DATA_V2
                                                     : TACO__PQ_PAGE_DATA);
            taco__thrift_write_i32(t, 2, i < 0 ? TACO__PQ_ENC_PLAIN : i);
            taco__thrift_write_i32(t, 3, i < 0 ? 1 : (int32_t)l->used[i]);
            taco__thrift_write_end(t);
        }
    }
}

/* where the parts of a chunk stand */
typedef struct taco__chunk_place {
    uint64_t start, data, end, bloom;
    size_t bloom_len;
    bool has_dict;
} taco__chunk_place;

static bool taco__chunk_writer_metadata(taco_pq_writer *w, taco__leaf_writer *l,
                                        const taco__chunk_place *at)
{
    taco__thrift_writer t;
    size_t i;
    taco__thrift_write_init(&t, &w->metas, &w->err);
    taco__thrift_write_i32(&t, 1, l->type);
    taco__chunk_writer_encodings(l, &t, at->has_dict);
    taco__thrift_write_list(&t, 3, TACO__THRIFT_BINARY, l->name_count);
    for (i = 0; i < l->name_count; i++) {
        taco__thrift_write_bytes(&t, l->names[i]);
    }
    taco__thrift_write_i32(&t, 4, l->codec);
    taco__thrift_write_i64(&t, 5, (int64_t)l->num_values);
    taco__thrift_write_i64(&t, 6, (int64_t)l->plain_bytes);
    taco__thrift_write_i64(&t, 7, (int64_t)(at->end - at->start));
    taco__thrift_write_i64(&t, 9, (int64_t)at->data);
    if (at->has_dict) { taco__thrift_write_i64(&t, 11, (int64_t)at->start); }
    if (l->stats && !taco__value_bounds_write(w, l, &t, 12)) { return false; }
    taco__chunk_writer_encoding_stats(w, l, &t, at->has_dict);
    if (at->bloom_len) {
        taco__thrift_write_i64(&t, 14, (int64_t)at->bloom);
        taco__thrift_write_i32(&t, 15, (int32_t)at->bloom_len);
    }
    if (l->stats && (l->type == TACO__PQ_BYTE_ARRAY ||
                     taco__page_writer_has_histograms(l))) { /* SizeStatistics */
        taco__thrift_write_begin(&t, 16);
        if (l->type == TACO__PQ_BYTE_ARRAY) { taco__thrift_write_i64(&t, 1, l->unencoded); }
        taco__page_index_write_histograms(l, &t, 2, true);
        taco__thrift_write_end(&t);
    }
    return taco__thrift_write_end(&t);
}

static bool taco__chunk_writer_dict_page(taco_pq_writer *w, taco__leaf_writer *l)
{
    taco__page_body b;
    size_t before;
    memset(&b, 0, sizeof b);
    b.type = TACO__PQ_PAGE_DICTIONARY;
    b.encoding = TACO__PQ_ENC_PLAIN;
    b.entries = l->dict_count;
    w->body.len = 0;
    if (!taco__dict_builder_append_plain(l, &w->body, &w->err) ||
        !taco__page_writer_compress(w, l, &b)) {
        return false;
    }
    before = w->body.len;
    w->trial.len = 0;
    if (!taco__page_writer_append_page(w, &b, &w->trial)) { return false; }
    l->plain_bytes += w->trial.len - w->packed.len + before;
    return taco__pq_writer_write(w, w->trial.data, w->trial.len);
}

/* Ready for the next row group. The content hash goes on. */
static void taco__chunk_writer_clear(taco__leaf_writer *l)
{
    l->pages.len = l->records.len = l->bounds.len = l->hashes.len = l->dict.len = 0;
    l->levels.len = 0;
    l->unencoded = 0;
    l->page_count = l->dict_count = l->slot_count = 0;
    l->mode = TACO__DICTIONARY_UNDECIDED;
    l->bounded = l->unbounded = false;
    l->rows = l->num_values = l->plain_bytes = 0;
    l->nulls = l->nans = 0;
    memset(l->used, 0, sizeof l->used);
    l->dict_pages = l->direct_pages = 0;
}

TACO__FN bool taco__chunk_writer_end_chunk(taco_pq_writer *w, taco__leaf_writer *l,
                                           taco__group_record *g)
{
    taco__chunk_record c;
    taco__chunk_place at;
    memset(&c, 0, sizeof c);
    memset(&at, 0, sizeof at);
    at.start = w->offset;
    at.has_dict = l->dict_pages > 0;
    if (at.has_dict && !taco__chunk_writer_dict_page(w, l)) { return false; }
    at.data = w->offset;
    if (!taco__pq_writer_write(w, l->pages.data, l->pages.len)) { return false; }
    at.end = at.bloom = w->offset;
    if (l->bloom && !taco__chunk_writer_write_bloom(w, l, &at.bloom_len)) { return false; }
    c.meta_at = w->metas.len;
    if (!taco__chunk_writer_metadata(w, l, &at)) { return false; }
    c.meta_len = w->metas.len - c.meta_at;
    c.column_at = w->indexes.len;
    if (!taco__page_index_write_column_index(w, l)) { return false; }
    c.column_len = w->indexes.len - c.column_at;
    c.offset_at = w->indexes.len;
    if (!w->opt.no_page_index && !taco__page_index_write_offset_index(w, l, at.data)) {
        return false;
    }
    c.offset_len = w->indexes.len - c.offset_at;
    g->uncompressed += l->plain_bytes;
    g->compressed += at.end - at.start;
    taco__chunk_writer_clear(l);
    return taco__buf_append(&w->chunks, &c, sizeof c, &w->err);
}

TACO__FN bool taco__chunk_writer_metadata_position(taco_pq_writer *w, const taco__leaf_writer *l)
{
    taco_bytes name = taco__bytes_text(w->fields[l->column].name);
    taco__error_prefix(&w->err, "column %q", &name);
    return false;
}
