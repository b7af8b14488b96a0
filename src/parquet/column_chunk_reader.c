/* column_chunk_reader.c - a column chunk read forward: page headers, CRC, codecs, levels,
   values. */
#include "parquet.h"
#include "../base/base.h"

#define TACO__CHUNK_READER_HEADERS 16384 /* bytes read at a time while pages are passed over */

/* ---- bytes of the chunk
   ------------------------------------------------------------------------- */

TACO__FN void taco__chunk_reader_init(taco__chunk_reader *l, taco__mem *mem)
{
    memset(l, 0, sizeof *l);
    l->mem = mem;
    l->window.mem = l->plain.mem = l->raw.mem = l->raw_text.mem = mem;
    l->rep_buf.mem = l->def_buf.mem = l->validity.mem = mem;
    taco__values_init(&l->dict, mem);
    taco__values_init(&l->store, mem);
    taco__delta_bytes_init(&l->delta_bytes, mem);
}

TACO__FN void taco__chunk_reader_free(taco__chunk_reader *l)
{
    taco__buf_free(&l->window);
    taco__buf_free(&l->plain);
    taco__buf_free(&l->raw);
    taco__buf_free(&l->raw_text);
    taco__buf_free(&l->rep_buf);
    taco__buf_free(&l->def_buf);
    taco__buf_free(&l->validity);
    taco__values_free(&l->dict);
    taco__values_free(&l->store);
    taco__delta_bytes_free(&l->delta_bytes);
}

/* Points an initialised leaf at the beginning of a column chunk; buffers are kept. */
TACO__FN bool taco__chunk_reader_open(taco__chunk_reader *l, const taco__pq_column_chunk *chunk,
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
    l->chunk = chunk;
    l->at = chunk->pages.offset;
    /* parquet-mr left the dictionary's page header out of the sum (PARQUET-816) */
    l->end = TACO__MIN(chunk->pages.offset + chunk->pages.len + 128, l->part->size);
    l->expected = (uint64_t)chunk->num_values;
    l->until = chunk->pages.offset + chunk->pages.len;
    l->index = NULL;
    l->kept = NULL;
    l->near = l->from = NULL;
    l->page_rows = UINT64_MAX;
    l->page_no = 0;
    l->window.len = 0;
    l->window_at = 0;
    l->has_dict = l->opened = false;
    l->left = 0;
    return true;
}

/* len bytes at offset of the chunk, valid until the next call. Local sources are asked for a window
   at a time and no byte twice. */
TACO__FN const uint8_t *taco__chunk_reader_bytes(taco__chunk_reader *l, uint64_t offset, size_t len,
                                                 taco_error *err)
{
    const uint8_t *p = taco__file_part_cached(l->part, offset, len);
    size_t keep = 0, want;
    uint64_t pages, run;
    if (p) { return p; }
    if (offset >= l->window_at && taco__checked_range(offset - l->window_at, len, l->window.len)) {
        return l->window.data + (size_t)(offset - l->window_at);
    }
    if (!taco__checked_range(offset, len, l->end)) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, offset, "page of %u bytes, its column chunk ends at %u",
                   TACO__U(len), l->end);
        return NULL;
    }
    if (offset >= l->window_at && offset - l->window_at < l->window.len) {
        keep = l->window.len - (size_t)(offset - l->window_at);
        memmove(l->window.data, l->window.data + (l->window.len - keep), keep);
    }
    pages = l->until;
    want = pages > offset ? (size_t)TACO__MIN((uint64_t)TACO__FILE_WINDOW, pages - offset) : 0;
    want = TACO__MAX(len, want);
    run = keep + taco__file_cached_length(l->part->file, l->part->base + offset + keep);
    /* nothing is read for it */
    want = run >= len ? (size_t)TACO__MIN((uint64_t)want, run) : want;
    l->window.len = keep;
    l->window_at = offset;
    if (!taco__buf_reserve(&l->window, want - keep, err) ||
        !taco__file_part_read(l->part, offset + keep, l->window.data + keep, want - keep, err)) {
        l->window.len = 0;
        return NULL;
    }
    l->window.len = want;
    return l->window.data;
}

/* Reads the header of the next page into l->page; its length in *len. */
TACO__FN bool taco__chunk_reader_read_header(taco__chunk_reader *l, size_t *len, taco_error *err)
{
    uint64_t left = l->end - l->at, most = l->limits->max_metadata;
    size_t n = (size_t)TACO__MIN(l->until > l->at ? TACO__MIN(left, l->until - l->at) : left,
                                 (uint64_t)512);
    for (;; n = (size_t)TACO__MIN(left, (uint64_t)n * 8)) {
        taco_error e;
        const uint8_t *p = taco__chunk_reader_bytes(l, l->at, n, err);
        if (!p) { return false; }
        memset(&e, 0, sizeof e);
        if (taco__page_header_parse(taco__bytes_of(p, n), l->at, &l->page, len, &e) == TACO_OK) {
            return true;
        }
        if (e.code != TACO_ERR_TRUNCATED || n >= left || n >= most) {
            if (err && err->code == TACO_OK) { *err = e; }
            return false;
        }
    }
}

/* ---- pages
   -------------------------------------------------------------------------------------- */

TACO__FN bool taco__chunk_reader_check_crc(const taco__chunk_reader *l, taco_error *err)
{
    uint32_t crc;
    if (!l->page.has_crc) { return true; }
    crc = taco__crc32(0, l->body.data, l->body.len);
    if (crc != (uint32_t)l->page.crc) {
        TACO__FAIL(err, TACO_ERR_CHECKSUM, l->body_at, "page CRC is %x, its header says %x",
                   TACO__U(crc), TACO__U((uint32_t)l->page.crc));
        return false;
    }
    return true;
}

/* Whoever jumps by the offset index relies on it: a data page that it describes otherwise is an
   error. */
static bool taco__chunk_reader_check_index(taco__chunk_reader *l, uint64_t at, uint64_t size,
                                           taco_error *err)
{
    const taco__pq_offset_index *x = l->index;
    size_t lo = 0, hi = x->pages;
    uint64_t first, rows;
    bool v2 = l->page.type == TACO__PQ_PAGE_DATA_V2;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (x->page[mid].offset < at) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    if (lo == x->pages || x->page[lo].offset != at || x->page[lo].size != size) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, at, "page of %u bytes, the offset index has %s %u", size,
                   lo == x->pages || x->page[lo].offset != at ? "none here, the next at" : "one of",
                   lo == x->pages             ? l->end
                   : x->page[lo].offset != at ? x->page[lo].offset
                                              : TACO__U(x->page[lo].size));
        return false;
    }
    first = (uint64_t)x->page[lo].first_row;
    rows = taco__page_index_page_end(x, lo, l->group_rows) - first;
    if (l->schema->max_rep == 0 &&
        (l->page.num_values != rows || l->group_rows - l->expected != first)) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, at,
                   "page of %u rows from row %u on, the offset index says %u from %u",
                   TACO__U(l->page.num_values), l->group_rows - l->expected, rows, first);
        return false;
    }
    if (v2 && l->page.num_rows != rows) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, at, "page of %u rows, the offset index says %u",
                   TACO__U(l->page.num_rows), rows);
        return false;
    }
    l->page_rows = rows;
    return true;
}

/* Points body at the bytes of the page whose header stands at l->at, and checks their CRC. */
static bool taco__chunk_reader_load_body(taco__chunk_reader *l, size_t header, bool skip,
                                         taco_error *err)
{
    l->page_at = l->at;
    l->body_at = l->at + header;
    l->body.len = (size_t)l->page.compressed_size;
    l->opened = false;
    if (l->from) {
        l->body.data = NULL;
        l->at = l->body_at + l->body.len;
        return true;
    }
    /* of no interest, unread */
    if (skip && taco__checked_range(l->body_at, l->body.len, l->end)) {
        l->body.data = NULL;
        l->at = l->body_at + l->body.len;
        return true;
    }
    l->body.data = taco__chunk_reader_bytes(l, l->body_at, l->body.len, err);
    if (!l->body.data) { return false; }
    l->at = l->body_at + l->body.len;
    return taco__chunk_reader_check_crc(l, err);
}

/* Steps to the next data page, or up to `stop` if there is none before it; dictionary pages on the
   way are loaded, index pages passed over. Of a page of at most `skip` level entries, which the
   caller passes over, no more than the header is read. A batch that holds indices into the old
   dictionary is turned into text first. */
TACO__FN bool taco__chunk_reader_next_page(taco__chunk_reader *l, uint64_t skip, uint64_t stop,
                                           taco_error *err)
{
    while (l->at < stop) {
        size_t header = 0;
        uint64_t at = l->at;
        bool data;
        if (l->at >= l->end || l->expected == 0) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, l->at,
                       "the column chunk has fewer values than its row group has rows");
            return false;
        }
        l->from = l->kept ? taco__page_cache_find(l->kept, &l->near, at) : NULL;
        if (l->from) {
            l->page = l->from->page;
            header = l->from->header;
        } else if (!taco__chunk_reader_read_header(l, &header, err)) {
            return false;
        }
        data = l->page.type == TACO__PQ_PAGE_DATA || l->page.type == TACO__PQ_PAGE_DATA_V2;
        if (!taco__chunk_reader_load_body(l, header, data && l->page.num_values <= skip, err)) {
            return false;
        }
        if (l->page.type == TACO__PQ_PAGE_DICTIONARY) {
            if (l->store.dict && !taco__dictionary_expand_batch(l, err)) { return false; }
            if (!taco__dictionary_load(l, err)) { return false; }
        } else if (data) {
            if ((uint64_t)l->page.num_values > l->expected) {
                TACO__FAIL(err, TACO_ERR_CORRUPT, l->body_at,
                           "page of %u values, its column chunk has %u left",
                           TACO__U(l->page.num_values), l->expected);
                return false;
            }
            l->page_no++;
            l->page_rows = UINT64_MAX;
            if (l->index && !taco__chunk_reader_check_index(l, at, l->at - at, err)) {
                return false;
            }
            l->expected -= (uint64_t)l->page.num_values;
            l->left = (size_t)l->page.num_values;
            if (l->left) { return true; }
        }
    }
    return true;
}

/* With an offset index: goes on at the page that holds a row, when that is not the open one. *at,
   the row that comes next, becomes the first of that page. */
TACO__FN bool taco__chunk_reader_seek(taco__chunk_reader *l, uint64_t row, uint64_t *at,
                                      taco_error *err)
{
    size_t p = taco__page_index_find_page(l->index, row);
    const taco__pq_page_location *to = &l->index->page[p];
    uint64_t first = (uint64_t)to->first_row;
    if (to->offset < l->at || first < *at) { return true; }
    if (!taco__dictionary_load_first(l, l->index->page[0].offset, err)) { return false; }
    if (l->at > to->offset) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, l->at,
                   "the page before this byte reaches into one of the offset index at %u",
                   to->offset);
        return false;
    }
    l->at = to->offset;
    l->page_no = p;
    l->left = 0;
    l->opened = false;
    l->expected = TACO__MIN(l->expected, (uint64_t)l->chunk->num_values -
                                             TACO__MIN(first, (uint64_t)l->chunk->num_values));
    *at = first;
    return true;
}

/* Bounds reading ahead to the pages that hold the rows up to `end`; while rows are passed over, to
   a few headers. */
TACO__FN void taco__chunk_reader_limit_ahead(taco__chunk_reader *l, uint64_t end, bool skipping)
{
    if (skipping) {
        l->until = TACO__MIN(l->chunk->pages.offset + l->chunk->pages.len,
                             l->at + TACO__CHUNK_READER_HEADERS);
    } else if (l->index) {
        const taco__pq_page_location *last =
            &l->index->page[taco__page_index_find_page(l->index, end - 1)];
        l->until = last->offset + last->size;
    } else {
        l->until = l->chunk->pages.offset + l->chunk->pages.len;
    }
}

/* Begins a batch: what was appended before is gone. */
TACO__FN void taco__chunk_reader_begin_batch(taco__chunk_reader *l)
{
    taco__values_clear(&l->store);
    l->entries = l->rows = 0;
    l->fed = l->opened && l->left ? l->page.uncompressed_size : 0;
    l->rep_buf.len = l->def_buf.len = 0;
    l->full = true;
    l->late = false;
}

TACO__FN bool taco__chunk_reader_read_flat(taco__chunk_reader *l, size_t n, taco_error *err)
{
    if (l->schema->max_def &&
        !taco__buf_reserve(&l->validity, TACO__BITMAP_BYTES(l->rows + n) + 8, err)) {
        return false;
    }
    while (n) {
        size_t m, valid;
        if (!l->left && !taco__chunk_reader_next_page(l, 0, UINT64_MAX, err)) { return false; }
        if (!taco__page_decode_open(l, err)) { return false; }
        m = valid = TACO__MIN(n, l->left);
        if (l->schema->max_def &&
            !taco__rle_read_validity(&l->def, l->validity.data, l->rows, m, &valid, err)) {
            return taco__error_inside(err, l->body_at, "levels");
        }
        if (!taco__page_decode_values(l, valid, err)) {
            return taco__error_inside(err, l->body_at, "values");
        }
        l->rows += m;
        l->left -= m;
        n -= m;
    }
    return true;
}

TACO__FN bool taco__chunk_reader_skip_flat(taco__chunk_reader *l, uint64_t n, taco_error *err)
{
    while (n) {
        size_t m, valid;
        if (!l->left && !taco__chunk_reader_next_page(l, n, UINT64_MAX, err)) { return false; }
        m = valid = (size_t)TACO__MIN(n, (uint64_t)l->left);
        if (m < l->left || l->opened) { /* a page skipped whole is not even decompressed */
            if (!taco__page_decode_open(l, err)) { return false; }
            if ((l->schema->max_def &&
                 !taco__rle_skip_count(&l->def, m, (unsigned)l->schema->max_def, &valid, err)) ||
                !taco__page_decode_skip(l, valid, err)) {
                return taco__error_inside(err, l->body_at, "values");
            }
        }
        l->left -= m;
        n -= m;
    }
    return true;
}

/* Reads (or skips) n rows of a column without repetition: an entry is a row. */
TACO__FN bool taco__chunk_reader_read_optional(taco__chunk_reader *l, uint64_t n, bool keep,
                                               taco_error *err)
{
    while (n) {
        size_t m, valid;
        if (!l->left && !taco__chunk_reader_next_page(l, keep ? 0 : n, UINT64_MAX, err)) {
            return false;
        }
        m = (size_t)TACO__MIN(n, (uint64_t)l->left);
        if (keep || m < l->left || l->opened) {
            if (!keep) { /* levels of skipped rows must not need room for all of them */
                m = TACO__MIN(m, (size_t)TACO__LEVEL_DECODE_AHEAD);
            }
            if (!taco__level_decode_read(l, m, err)) { return false; }
            valid = taco__level_decode_count_valid(l, l->entries, l->entries + m);
            if (!(keep ? taco__page_decode_values(l, valid, err)
                       : taco__page_decode_skip(l, valid, err))) {
                return taco__error_inside(err, l->body_at, "values");
            }
            l->entries += keep ? m : 0;
        }
        l->left -= m;
        n -= m;
    }
    return true;
}

/* n rows of the open page began: as many as the offset index says, when the page ends. */
static bool taco__chunk_reader_count_rows(taco__chunk_reader *l, uint64_t n, taco_error *err)
{
    if (l->page_rows == UINT64_MAX) { return true; }
    if (n > l->page_rows || (l->left == 0 && n != l->page_rows)) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, l->body_at,
                   "page has %s rows than the offset index says, by %u",
                   n > l->page_rows ? "more" : "fewer",
                   n > l->page_rows ? n - l->page_rows : l->page_rows - n);
        return false;
    }
    l->page_rows -= n;
    return true;
}

/* Reads (or skips) n rows of a repeated column: a row ends where the next repetition level 0
   stands, which may be on a later page, or where the chunk ends. */
TACO__FN bool taco__chunk_reader_read_repeated(taco__chunk_reader *l, uint64_t n, bool keep,
                                               taco_error *err)
{
    bool begun = false;
    l->rows += keep ? (size_t)n : 0;
    while (n || begun) {
        taco__rle rep, def;
        size_t i, m, valid;
        uint64_t rows = n;
        if (!l->left) {
            /* pages of an index begin with a row */
            if (n == 0 && (l->expected == 0 || l->index)) { break; }
            if (!taco__chunk_reader_next_page(l, 0, UINT64_MAX, err)) { return false; }
            begun = begun && !l->index;
        }
        if (!keep && !begun && !l->opened && l->page.type == TACO__PQ_PAGE_DATA_V2 &&
            l->page.num_rows <= n) { /* pages of this version begin with a row: skipped whole */
            n -= l->page.num_rows;
            l->left = 0;
            continue;
        }
        if (!taco__page_decode_open(l, err)) { return false; }
        m = TACO__MIN(l->left, (size_t)TACO__LEVEL_DECODE_AHEAD);
        rep = l->rep;
        def = l->def;
        if (!taco__level_decode_read(l, m, err)) { return false; }
        i = taco__level_decode_row_entries(l, m, &n, &begun);
        if (i == SIZE_MAX) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, l->body_at,
                       "a row begins with a repetition level that is not 0");
            return false;
        }
        if (i < m) { /* the rows end here: go back to the first entry of the next one */
            l->rep = rep;
            l->def = def;
            if (!taco__rle_skip(&l->rep, i, err) ||
                (l->schema->max_def && !taco__rle_skip(&l->def, i, err))) {
                return false;
            }
        }
        valid = taco__level_decode_count_valid(l, l->entries, l->entries + i);
        if (!(keep ? taco__page_decode_values(l, valid, err)
                   : taco__page_decode_skip(l, valid, err))) {
            return taco__error_inside(err, l->body_at, "values");
        }
        l->entries += keep ? i : 0;
        l->left -= i;
        if (!taco__chunk_reader_count_rows(l, rows - n, err)) { return false; }
        if (!taco__level_decode_check_size(l, err)) { return false; }
        if (i < m) { break; }
    }
    return true;
}
