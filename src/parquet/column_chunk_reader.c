/* column_chunk_reader.c - a column chunk read forward, page by page, into a batch

   In: a leaf of the schema and its chunk in a row group; out: the batch, in parts that
   column_reader.c and record_assembly.c put together: packed values (r->batch), and validity or
   levels (r->levels). Rows are read or skipped in the order of the file; with an offset index
   (r->position.index) the reader jumps to the page that holds a row. Spec: parquet-format README
   "Data Pages", parquet.thrift "PageHeader".

   Each part of the reader has an owner (see parquet.h). This file moves r->position, opens r->page
   and fills r->batch: taco__chunk_reader_next_page finds pages; _read_flat, _read_optional and
   _read_repeated, one for each shape of column, read rows from them. Levels are decoded in
   level_decode.c, values in value_decode.c. A page is decompressed when its first row is read
   (page_decode.c): one that is skipped whole costs only its header. */
#include "parquet.h"
#include "../base/base.h"

/* Bytes read ahead at a time while pages are skipped: many headers, few bodies. */
#define TACO__CHUNK_READER_HEADERS 16384

/* First read for a page header; a header with statistics may be longer. */
#define TACO__CHUNK_READER_HEADER_SIZE 512

TACO__FN void taco__chunk_reader_init(taco__chunk_reader *r, taco__mem *mem)
{
    memset(r, 0, sizeof *r);
    r->mem = mem;
    r->page.plain.mem = mem;
    taco__chunk_window_init(&r->window, mem);
    taco__level_decode_init(&r->levels, mem);
    taco__value_decode_init(&r->decoder, mem);
    taco__values_init(&r->dict.values, mem);
    taco__values_init(&r->batch.values, mem);
}

TACO__FN void taco__chunk_reader_free(taco__chunk_reader *r)
{
    taco__buf_free(&r->page.plain);
    taco__chunk_window_free(&r->window);
    taco__level_decode_free(&r->levels);
    taco__value_decode_free(&r->decoder);
    taco__values_free(&r->dict.values);
    taco__values_free(&r->batch.values);
}

TACO__FN void taco__chunk_reader_set_leaf(taco__chunk_reader *r, const taco_pq_file *f,
                                          uint32_t number, taco__codecs *codecs)
{
    const taco__pq_leaf *leaf = &f->meta.leaves[number];
    r->part = &f->part;
    r->meta = &f->meta;
    r->limits = &f->options.limits;
    r->codecs = codecs;
    r->leaf = leaf;
    r->field = leaf->field;
    r->levels.max_def = leaf->max_def;
    r->levels.max_rep = leaf->max_rep;
    r->decoder.leaf = leaf;
}

TACO__FN bool taco__chunk_reader_open(taco__chunk_reader *r, const taco__pq_column_chunk *chunk,
                                      taco_error *err)
{
    if (chunk->encrypted) {
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET, "unsupported: encryption");
        return false;
    }
    if (chunk->external) {
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                   "unsupported: its pages are in another file, %q", &chunk->file_path);
        return false;
    }
    r->chunk = chunk;
    taco__chunk_window_open(&r->window, r->part, &chunk->pages);
    r->position.next = chunk->pages.offset;
    r->position.entries_left = (uint64_t)chunk->num_values;
    r->position.page_number = 0;
    r->position.index = NULL;
    r->cache.chunk = NULL;
    r->cache.near = NULL;
    r->page.cached = NULL;
    r->page.ready = false;
    r->page.entries_left = 0;
    r->page.rows_left = UINT64_MAX;
    r->dict.loaded = false;
    return true;
}

/* ---- page headers and bodies ---- */

TACO__FN bool taco__chunk_reader_read_header(taco__chunk_reader *r, size_t *len, taco_error *err)
{
    uint64_t at = r->position.next, left = r->window.end - at, most = r->limits->max_metadata;
    uint64_t ahead = r->window.read_end > at ? TACO__MIN(left, r->window.read_end - at) : left;
    size_t n = (size_t)TACO__MIN(ahead, (uint64_t)TACO__CHUNK_READER_HEADER_SIZE);
    for (;; n = (size_t)TACO__MIN(left, (uint64_t)n * 8)) {
        taco_error e;
        const uint8_t *p = taco__chunk_window_view(&r->window, at, n, err);
        if (!p) { return false; }
        memset(&e, 0, sizeof e);
        if (taco__page_header_parse(taco__bytes_of(p, n), at, &r->page.header, len, &e) ==
            TACO_OK) {
            return true;
        }
        if (e.code != TACO_ERR_TRUNCATED || n >= left) {
            taco__error_copy(err, &e);
            return false;
        }
        if (n >= most) {
            TACO__FAIL(err, TACO_ERR_LIMIT, at,
                       "page header of more than %u bytes, limits.max_metadata is %u", TACO__U(n),
                       most);
            return false;
        }
    }
}

/* parquet.thrift, PageHeader.crc: covers the body as stored, without the header. A CRC of 0 that
   does not match was never set: Parquet.jl writes it for every page. */
static bool taco__chunk_reader_check_crc(const taco__chunk_reader *r, taco_error *err)
{
    uint32_t crc;
    if (!r->page.header.has_crc) { return true; }
    crc = taco__crc32(0, r->page.body.data, r->page.body.len);
    if (crc != r->page.header.crc && r->page.header.crc) {
        TACO__FAIL(err, TACO_ERR_CHECKSUM, r->page.body_at, "page CRC is %x, its header says %x",
                   TACO__U(crc), TACO__U(r->page.header.crc));
        return false;
    }
    return true;
}

TACO__FN bool taco__chunk_reader_load_body(taco__chunk_reader *r, size_t header, bool skip,
                                           taco_error *err)
{
    taco__chunk_page *page = &r->page;
    page->header_at = r->position.next;
    page->body_at = page->header_at + header;
    page->body.data = NULL;
    page->body.len = (size_t)page->header.compressed_size;
    page->ready = false;
    if (!page->cached &&
        !(skip && taco__checked_range(page->body_at, page->body.len, r->window.end))) {
        page->body.data = taco__chunk_window_view(&r->window, page->body_at, page->body.len, err);
        if (!page->body.data) { return false; }
    }
    r->position.next = page->body_at + page->body.len;
    return !page->body.data || taco__chunk_reader_check_crc(r, err);
}

TACO__FN bool taco__chunk_reader_is_data(const taco__chunk_reader *r)
{
    return r->page.header.type == TACO__PQ_PAGE_DATA ||
           r->page.header.type == TACO__PQ_PAGE_DATA_V2;
}

/* ---- the offset index, once rows were jumped to ---- */

/* Fails if the index describes the data page of `size` bytes at `at` differently: other rows than
   the `rows` from `first` on. */
static bool taco__chunk_reader_check_rows(const taco__chunk_reader *r, uint64_t at, uint64_t first,
                                          uint64_t rows, taco_error *err)
{
    const taco__pq_page_header *h = &r->page.header;
    uint64_t begun = r->position.group_rows - r->position.entries_left;
    if (r->leaf->max_rep == 0 && (h->num_values != rows || begun != first)) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, at,
                   "page of %u rows from row %u on, the offset index says %u from %u",
                   TACO__U(h->num_values), begun, rows, first);
        return false;
    }
    if (h->type == TACO__PQ_PAGE_DATA_V2 && h->num_rows != rows) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, at, "page of %u rows, the offset index says %u",
                   TACO__U(h->num_rows), rows);
        return false;
    }
    return true;
}

/* A reader that jumps by the offset index relies on it, so a data page that does not match the
   index is an error. Sets page.rows_left. */
static bool taco__chunk_reader_check_index(taco__chunk_reader *r, uint64_t at, uint64_t size,
                                           taco_error *err)
{
    const taco__pq_offset_index *x = r->position.index;
    size_t i = 0;
    uint64_t first, rows;
    bool here;
    TACO__LOWER_BOUND(i, x->pages, k, x->page[k].offset < at);
    here = i < x->pages && x->page[i].offset == at;
    if (!here || x->page[i].size != size) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, at, "page of %u bytes, the offset index has %s %u", size,
                   here ? "one of" : "none here, the next at",
                   here           ? TACO__U(x->page[i].size)
                   : i < x->pages ? x->page[i].offset
                                  : r->window.end);
        return false;
    }
    first = (uint64_t)x->page[i].first_row;
    rows = taco__page_index_page_end(x, i, r->position.group_rows) - first;
    if (!taco__chunk_reader_check_rows(r, at, first, rows, err)) { return false; }
    r->page.rows_left = rows;
    return true;
}

TACO__FN bool taco__chunk_reader_seek(taco__chunk_reader *r, uint64_t row, uint64_t *at,
                                      taco_error *err)
{
    const taco__pq_offset_index *x = r->position.index;
    size_t page = taco__page_index_find_page(x, row);
    const taco__pq_page_location *to = &x->page[page];
    uint64_t first = (uint64_t)to->first_row, values = (uint64_t)r->chunk->num_values;
    if (to->offset < r->position.next || first < *at) { return true; }
    if (!taco__dictionary_load_first(r, x->page[0].offset, err)) { return false; }
    if (r->position.next > to->offset) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, r->position.next,
                   "the page before this byte reaches into one of the offset index at %u",
                   to->offset);
        return false;
    }
    r->position.next = to->offset;
    r->position.page_number = page;
    r->page.entries_left = 0;
    r->page.ready = false;
    /* every row before it has at least one entry; in a repeated column, more may have been
       skipped */
    r->position.entries_left =
        TACO__MIN(r->position.entries_left, values - TACO__MIN(first, values));
    *at = first;
    return true;
}

TACO__FN void taco__chunk_reader_limit_ahead(taco__chunk_reader *r, uint64_t end, bool skipping)
{
    uint64_t chunk_end = r->chunk->pages.offset + r->chunk->pages.len;
    const taco__pq_offset_index *x = r->position.index;
    if (skipping) {
        r->window.read_end = TACO__MIN(chunk_end, r->position.next + TACO__CHUNK_READER_HEADERS);
    } else if (x) {
        const taco__pq_page_location *last = &x->page[taco__page_index_find_page(x, end - 1)];
        r->window.read_end = last->offset + last->size;
    } else {
        r->window.read_end = chunk_end;
    }
}

/* ---- pages ---- */

/* Gets the header of the next page from the cache if the page is there, else reads it. */
static bool taco__chunk_reader_find_header(taco__chunk_reader *r, size_t *len, taco_error *err)
{
    const taco__cached_page *cached =
        r->cache.chunk ? taco__page_cache_find(r->cache.chunk, &r->cache.near, r->position.next)
                       : NULL;
    r->page.cached = cached;
    if (!cached) { return taco__chunk_reader_read_header(r, len, err); }
    r->page.header = cached->page;
    *len = cached->header;
    return true;
}

/* Counts a data page that has been loaded, with its header at `at`. */
static bool taco__chunk_reader_begin_data(taco__chunk_reader *r, uint64_t at, taco_error *err)
{
    uint64_t n = r->page.header.num_values;
    if (n > r->position.entries_left) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, r->page.body_at,
                   "page of %u values, its column chunk has %u left", n, r->position.entries_left);
        return false;
    }
    r->position.page_number++;
    r->page.rows_left = UINT64_MAX;
    if (TACO__WITH_PAGE_INDEX && r->position.index &&
        !taco__chunk_reader_check_index(r, at, r->position.next - at, err)) {
        return false;
    }
    r->position.entries_left -= n;
    r->page.entries_left = (size_t)n;
    return true;
}

TACO__FN bool taco__chunk_reader_next_page(taco__chunk_reader *r, uint64_t skip, uint64_t stop,
                                           taco_error *err)
{
    while (r->position.next < stop) {
        uint64_t at = r->position.next;
        size_t header = 0;
        bool data;
        if (at >= r->window.end || r->position.entries_left == 0) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, at,
                       "the column chunk has fewer values than its row group has rows");
            return false;
        }
        if (!taco__chunk_reader_find_header(r, &header, err)) { return false; }
        data = taco__chunk_reader_is_data(r);
        if (!taco__chunk_reader_load_body(r, header, data && r->page.header.num_values <= skip,
                                          err)) {
            return false;
        }
        if (r->page.header.type == TACO__PQ_PAGE_DICTIONARY) {
            /* indices in the batch belong to the old dictionary */
            if (r->batch.values.is_indices && !taco__dictionary_expand_batch(r, err)) {
                return false;
            }
            if (!taco__dictionary_load(r, err)) { return false; }
        } else if (data) {
            if (!taco__chunk_reader_begin_data(r, at, err)) { return false; }
            if (r->page.entries_left) { return true; }
        }
    }
    return true;
}

/* ---- rows ---- */

TACO__FN void taco__chunk_reader_begin_batch(taco__chunk_reader *r)
{
    taco__values_clear(&r->batch.values);
    taco__level_decode_clear(&r->levels);
    r->batch.rows = 0;
    r->batch.page_bytes =
        r->page.ready && r->page.entries_left ? r->page.header.uncompressed_size : 0;
    r->batch.keep_indices = false;
}

TACO__FN bool taco__chunk_reader_read_flat(taco__chunk_reader *r, size_t n, taco_error *err)
{
    taco__level_decoder *v = &r->levels;
    if (v->max_def &&
        !taco__buf_reserve(&v->validity, TACO__BITMAP_BYTES(r->batch.rows + n) + 8, err)) {
        return false;
    }
    while (n) {
        size_t m, valid;
        if (!r->page.entries_left && !taco__chunk_reader_next_page(r, 0, UINT64_MAX, err)) {
            return false;
        }
        if (!taco__page_decode_open(r, err)) { return false; }
        m = valid = TACO__MIN(n, r->page.entries_left);
        if (v->max_def &&
            !taco__rle_read_validity(&v->def, v->validity.data, r->batch.rows, m, &valid, err)) {
            return taco__error_inside(err, r->page.body_at, "levels");
        }
        if (!taco__page_decode_values(r, valid, err)) {
            return taco__error_inside(err, r->page.body_at, "values");
        }
        r->batch.rows += m;
        r->page.entries_left -= m;
        n -= m;
    }
    return true;
}

TACO__FN bool taco__chunk_reader_skip_flat(taco__chunk_reader *r, uint64_t n, taco_error *err)
{
    taco__level_decoder *v = &r->levels;
    while (n) {
        size_t m, valid;
        if (!r->page.entries_left && !taco__chunk_reader_next_page(r, n, UINT64_MAX, err)) {
            return false;
        }
        m = valid = (size_t)TACO__MIN(n, (uint64_t)r->page.entries_left);
        /* a page skipped whole is not even decompressed */
        if (m < r->page.entries_left || r->page.ready) {
            if (!taco__page_decode_open(r, err)) { return false; }
            if ((v->max_def &&
                 !taco__rle_skip_count(&v->def, m, (unsigned)v->max_def, &valid, err)) ||
                !taco__value_decode_skip(&r->decoder, valid, err)) {
                return taco__error_inside(err, r->page.body_at, "values");
            }
        }
        r->page.entries_left -= m;
        n -= m;
    }
    return true;
}

/* Appends the values of the level entries [from, to) of the last read to the batch, or skips
   them. */
static bool taco__chunk_reader_take_values(taco__chunk_reader *r, size_t from, size_t to, bool keep,
                                           taco_error *err)
{
    size_t valid = taco__level_decode_count_valid(&r->levels, from, to);
    return (keep ? taco__page_decode_values(r, valid, err)
                 : taco__value_decode_skip(&r->decoder, valid, err)) ||
           taco__error_inside(err, r->page.body_at, "values");
}

TACO__FN bool taco__chunk_reader_read_optional(taco__chunk_reader *r, uint64_t n, bool keep,
                                               taco_error *err)
{
    while (n) {
        size_t m;
        if (!r->page.entries_left &&
            !taco__chunk_reader_next_page(r, keep ? 0 : n, UINT64_MAX, err)) {
            return false;
        }
        m = (size_t)TACO__MIN(n, (uint64_t)r->page.entries_left);
        if (keep || m < r->page.entries_left || r->page.ready) {
            size_t from = r->levels.entries;
            if (!keep) { /* levels of skipped rows must not take memory for all of them */
                m = TACO__MIN(m, (size_t)TACO__LEVEL_DECODE_AHEAD);
            }
            if (!taco__page_decode_levels(r, m, err) ||
                !taco__chunk_reader_take_values(r, from, from + m, keep, err)) {
                return false;
            }
            r->levels.entries += keep ? m : 0;
        }
        r->page.entries_left -= m;
        n -= m;
    }
    return true;
}

/* Counts n rows of the open page; when the page ends, checks them against the offset index. */
static bool taco__chunk_reader_count_rows(taco__chunk_reader *r, uint64_t n, taco_error *err)
{
    uint64_t left = r->page.rows_left;
    if (left == UINT64_MAX) { return true; }
    if (n > left || (r->page.entries_left == 0 && n != left)) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, r->page.body_at,
                   "page has %s rows than the offset index says, by %u",
                   n > left ? "more" : "fewer", n > left ? n - left : left - n);
        return false;
    }
    r->page.rows_left = left - n;
    return true;
}

/* Takes entries of the open page, TACO__LEVEL_DECODE_AHEAD at most, until the next *rows rows are
   complete. *rows is the number still to come, *begun whether a row has begun but not ended, *ended
   whether the first entry after them was reached. */
static bool taco__chunk_reader_take_entries(taco__chunk_reader *r, uint64_t *rows, bool *begun,
                                            bool *ended, bool keep, taco_error *err)
{
    taco__level_decoder *v = &r->levels;
    size_t n, m = TACO__MIN(r->page.entries_left, (size_t)TACO__LEVEL_DECODE_AHEAD);
    uint64_t before = *rows;
    taco__rle rep, def;
    if (!taco__page_decode_open(r, err)) { return false; }
    rep = v->rep;
    def = v->def;
    if (!taco__page_decode_levels(r, m, err)) { return false; }
    n = taco__level_decode_row_entries(v, m, rows, begun);
    if (n == SIZE_MAX) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, r->page.body_at,
                   "a row begins with a repetition level that is not 0");
        return false;
    }
    *ended = n < m;
    if (*ended) { /* back to the first entry of the next row */
        v->rep = rep;
        v->def = def;
        if (!taco__rle_skip(&v->rep, n, err) || (v->max_def && !taco__rle_skip(&v->def, n, err))) {
            return false;
        }
    }
    if (!taco__chunk_reader_take_values(r, v->entries, v->entries + n, keep, err)) { return false; }
    v->entries += keep ? n : 0;
    r->page.entries_left -= n;
    return taco__chunk_reader_count_rows(r, before - *rows, err) &&
           taco__page_decode_check_size(r, err);
}

/* Whether the open page, of which nothing has been read, can be skipped whole: v2 data pages begin
   at a row boundary and give their number of rows (parquet.thrift, DataPageHeaderV2). */
static bool taco__chunk_reader_can_skip_page(const taco__chunk_reader *r, uint64_t rows)
{
    return !r->page.ready && r->page.header.type == TACO__PQ_PAGE_DATA_V2 &&
           r->page.header.num_rows <= rows;
}

TACO__FN bool taco__chunk_reader_read_repeated(taco__chunk_reader *r, uint64_t n, bool keep,
                                               taco_error *err)
{
    bool begun = false, ended = false;
    r->batch.rows += keep ? (size_t)n : 0;
    while ((n || begun) && !ended) {
        if (!r->page.entries_left) {
            /* the last row ends with the chunk, or before a page that the index says begins a
               row */
            if (n == 0 && (r->position.entries_left == 0 || r->position.index)) { break; }
            if (!taco__chunk_reader_next_page(r, 0, UINT64_MAX, err)) { return false; }
            begun = begun && !r->position.index;
        }
        if (!keep && !begun && taco__chunk_reader_can_skip_page(r, n)) {
            n -= r->page.header.num_rows;
            r->page.entries_left = 0;
        } else if (!taco__chunk_reader_take_entries(r, &n, &begun, &ended, keep, err)) {
            return false;
        }
    }
    return true;
}
