/* verify.c - every page of a file read, and compared with all that is claimed

   In: an open file; out: its faults (what a reader must refuse: CRCs, lengths, levels, dictionary
   indices, counts, page indexes) and warnings (what readers get over: statistics that values
   contradict, bloom filters that deny a value, bytes after the last page), each handed to the
   caller with its place. Spec: parquet.thrift, parquet-format PageIndex.md, BloomFilter.md.

   taco__verify_chunk checks one column chunk by itself, with the readers that queries use:
   taco__verify_page reads a page, taco__verify_levels_and_values goes through its entries and
   counts them, and what was counted is compared with the page's header, the indexes, and in the end
   the chunk's metadata. A fault ends its chunk, not the file. Then taco__verify_nested assembles
   the rows of columns of several leaves, which may be good each by itself and not together.
   verify_tasks.c has columns checked side by side. */
#include "verify.h"
#include "../base/base.h"
#include "../arrow/arrow.h"

/* ---- findings ---- */

TACO__FN void taco__verify_emit(taco__verify *v, bool fault, const taco_error *e)
{
    if (fault) {
        v->sum->faults++;
    } else {
        v->sum->warnings++;
    }
    if (fault && v->first.code == TACO_OK) { v->first = *e; }
    v->stop = v->stop || (v->found && !v->found(v->ctx, fault, e)) || (fault && !v->found);
}

TACO__FN void taco__verify_report(taco__verify *v, bool fault, taco_error *e)
{
    if (v->chunk) { taco__footer_prefix_error(&v->file->meta, e, v->group, v->leaf); }
    if (v->file->name[0]) { taco__error_prefix(e, "%s", v->file->name); }
    taco__verify_emit(v, fault, e);
}

/* Warns where a claim has another number of nulls than were counted; -1 claims none. */
static void taco__verify_null_count(taco__verify *v, const taco__verify_claim *c, uint64_t nulls)
{
    if (c->bounds.null_count >= 0 && (uint64_t)c->bounds.null_count != nulls) {
        TACO__VERIFY_WARN(v, v->reader.page.body_at, "%u nulls, its %s say %d", nulls, c->what,
                          c->bounds.null_count);
    }
}

/* Warns of the first statistics of the chunk that say what cannot be. */
static void taco__verify_contradiction(taco__verify *v, const char *what, uint64_t at,
                                       const taco__pq_statistics *s)
{
    const char *has = taco__stats_contradiction(&v->file->meta, v->reader.leaf, s);
    if (has && !v->odd_statistics) {
        v->odd_statistics = true;
        TACO__VERIFY_WARN(v, at, "its %s have %s", what, has);
    }
}

/* ---- data pages ---- */

/* Counts the m entries in the reader's batch, of which `valid` are values, and the rows they begin.
   A row must not begin inside a list, nor an indexed page inside a row. */
static bool taco__verify_count(taco__verify *v, size_t m, size_t valid, taco_error *err)
{
    const taco__chunk_reader *r = &v->reader;
    bool continues = false;
    size_t i, k, rows = m;
    for (i = 0; r->leaf->max_rep && i < m; i += k) {
        uint64_t inside;
        k = TACO__MIN(m - i, (size_t)64);
        inside = taco__level_decode_rep_mask(&r->levels, i, k, 1);
        continues = i ? continues : inside & 1;
        rows -= taco__bitmap_popcount(inside);
    }
    if (continues && v->total.entries + v->page.entries == 0) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, r->page.body_at,
                   "a row begins with a repetition level that is not 0");
        return false;
    }
    if (continues && v->page.entries == 0 && v->has_offsets) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, r->page.body_at,
                   "page begins inside a row, the offset index needs it to begin with one");
        return false;
    }
    v->page.rows += rows;
    v->page.entries += m;
    v->page.nulls += m - valid;
    return true;
}

/* All levels and values of the open data page, a batch at a time: a page may have more entries than
   fit into memory decoded. Bounds and the bloom filter see every batch. */
static bool taco__verify_levels_and_values(taco__verify *v, taco_error *err)
{
    taco__chunk_reader *r = &v->reader;
    memset(&v->page, 0, sizeof v->page);
    while (r->page.entries_left) {
        size_t m = TACO__MIN(r->page.entries_left, (size_t)TACO__LEVEL_DECODE_AHEAD), valid;
        taco__chunk_reader_begin_batch(r);
        if (!taco__page_decode_levels(r, m, err)) { return false; }
        valid = taco__level_decode_count_valid(&r->levels, 0, m);
        if (!taco__page_decode_values(r, valid, err)) {
            return taco__error_inside(err, r->page.body_at, "values");
        }
        if (!taco__verify_count(v, m, valid, err)) { return false; }
        r->page.entries_left -= m;
        if (r->field->type != TACO_NULL) {
            taco__verify_values_annotation(v);
            taco__verify_values_bounds(v);
            taco__verify_values_bloom(v, err);
            if (err->code != TACO_OK) { return false; }
        }
    }
    return true;
}

/* Fails where the offset index has another place, size or first row for the data page whose header
   is at `at`. PageIndex.md: compressed_page_size includes the header, first_row_index counts rows
   of the row group. A fault, as readers jump by it. */
static bool taco__verify_location(taco__verify *v, uint64_t at, taco_error *err)
{
    const taco__pq_page_location *p = &v->offsets.page[v->page_index];
    if (v->page_index >= v->offsets.pages) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, at, "data page %u, the offset index has %u",
                   TACO__U(v->page_index), TACO__U(v->offsets.pages));
        return false;
    }
    if (p->offset != at || p->size != v->reader.position.next - at ||
        (uint64_t)p->first_row != v->total.rows) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, at,
                   "page %u of %u bytes with row %u, the offset index has it at byte %u with %u "
                   "bytes and row %d",
                   TACO__U(v->page_index), v->reader.position.next - at, v->total.rows, p->offset,
                   TACO__U(p->size), p->first_row);
        return false;
    }
    return true;
}

/* What the page header and the column index claim for the open page, in claims[1] and [2];
   claims[0] is the chunk's and lives as long as the chunk. Bounds that taco__stats_bounds does
   not believe (their order is not known, or they are of a writer with known errors) claim
   nothing. */
static void taco__verify_set_claims(taco__verify *v)
{
    taco__chunk_reader *r = &v->reader;
    const taco__pq_metadata *m = &v->file->meta;
    memset(&v->claims[1], 0, 2 * sizeof v->claims[0]);
    v->claims[1].what = "page statistics";
    v->claims[2].what = "column index";
    v->claims[1].bounds.null_count = v->claims[2].bounds.null_count = -1;
    taco__stats_bounds(m, r->leaf, &r->page.header.stats, &v->claims[1].bounds);
    taco__verify_contradiction(v, v->claims[1].what, r->page.body_at, &r->page.header.stats);
    if (v->has_columns && v->page_index < v->columns.pages) {
        taco__pq_statistics s = taco__stats_of_page(&v->columns, v->page_index);
        taco__verify_contradiction(v, "column index entries", v->chunk->column_index.offset, &s);
        taco__stats_page_bounds(m, r->leaf, &v->columns, v->page_index, &v->claims[2].bounds);
    }
}

/* The page's encoding is to be in the chunk's list; the two names of dictionary indices are one. */
static void taco__verify_encoding(taco__verify *v)
{
    const uint32_t dict = 1U << TACO__PQ_ENC_PLAIN_DICTIONARY | 1U << TACO__PQ_ENC_RLE_DICTIONARY;
    uint32_t bit = 1U << TACO__MIN((uint32_t)v->reader.page.header.encoding, 31U);
    if (!v->odd_encoding && !(v->chunk->encodings & (bit & dict ? dict : bit))) {
        v->odd_encoding = true;
        if (!v->chunk->encodings) { /* a required list: DuckDB 1.5 leaves it empty for INTERVAL */
            TACO__VERIFY_WARN(v, v->reader.page.body_at,
                              "the column chunk lists no encodings, its pages have encoding %d",
                              TACO__D(v->reader.page.header.encoding));
            return;
        }
        TACO__VERIFY_WARN(v, v->reader.page.body_at,
                          "page of encoding %d, which its column chunk does not list",
                          TACO__D(v->reader.page.header.encoding));
    }
}

/* Counts that the page header and the column index have for the open page: num_rows and num_nulls
   of DataPageHeaderV2, ColumnIndex.null_counts and null_pages. Warnings: the levels decide. */
static void taco__verify_page_counts(taco__verify *v)
{
    const taco__chunk_reader *r = &v->reader;
    const taco__pq_page_header *h = &r->page.header;
    size_t k;
    if (h->type == TACO__PQ_PAGE_DATA_V2 &&
        (h->num_rows != v->page.rows || h->num_nulls != v->page.nulls)) {
        TACO__VERIFY_WARN(v, r->page.body_at,
                          "page of %u rows and %u nulls, its header says %u and %u", v->page.rows,
                          v->page.nulls, TACO__U(h->num_rows), TACO__U(h->num_nulls));
    }
    taco__verify_encoding(v);
    for (k = 1; k < TACO__COUNT(v->claims); k++) {
        taco__verify_null_count(v, &v->claims[k], v->page.nulls);
    }
    if (v->has_columns && v->page_index < v->columns.pages &&
        v->columns.null_pages[v->page_index] && v->page.nulls != v->page.entries) {
        TACO__VERIFY_WARN(v, r->page.body_at,
                          "page with %u values, the column index says nulls only",
                          v->page.entries - v->page.nulls);
    }
}

/* The data page whose body was read and whose header is at `at`: its levels and values decoded,
   counted into the chunk's total, and compared with what the header and both indexes have. */
static bool taco__verify_data_page(taco__verify *v, uint64_t at, taco_error *err)
{
    taco__chunk_reader *r = &v->reader;
    uint32_t n = r->page.header.num_values;
    if (n > r->position.entries_left) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, r->page.body_at,
                   "page of %u values, its column chunk has %u left", TACO__U(n),
                   r->position.entries_left);
        return false;
    }
    if (v->has_offsets && !taco__verify_location(v, at, err)) { return false; }
    taco__verify_set_claims(v);
    r->position.entries_left -= n;
    r->page.entries_left = n;
    if (!taco__page_decode_open(r, err) || !taco__verify_levels_and_values(v, err)) {
        return false;
    }
    taco__verify_page_counts(v);
    v->page_index++;
    v->total.rows += v->page.rows;
    v->total.nulls += v->page.nulls;
    v->total.entries += v->page.entries;
    v->sum->values += v->page.entries;
    return true;
}

/* Copies the bounds in the page's header: they lie in the window, where the body may take their
   place. */
static bool taco__verify_keep_bounds(taco__verify *v, taco_error *err)
{
    taco__pq_statistics *s = &v->reader.page.header.stats;
    v->bounds.len = 0;
    if (!taco__buf_reserve(&v->bounds, s->min.len + s->max.len, err) ||
        !taco__buf_append(&v->bounds, s->min.data, s->min.len, err) ||
        !taco__buf_append(&v->bounds, s->max.data, s->max.len, err)) {
        return false;
    }
    if (s->min.data) { s->min.data = v->bounds.data; }
    if (s->max.data) { s->max.data = v->bounds.data + s->min.len; }
    return true;
}

/* The next page of the chunk, of any kind, its CRC checked and its body decompressed. A dictionary
   is loaded, index pages mean nothing. */
static bool taco__verify_page(taco__verify *v, taco_error *err)
{
    taco__chunk_reader *r = &v->reader;
    uint64_t at = r->position.next;
    size_t header = 0;
    if (!taco__chunk_reader_read_header(r, &header, err) || !taco__verify_keep_bounds(v, err) ||
        !taco__chunk_reader_load_body(r, header, false, err)) {
        return false;
    }
    v->sum->pages++;
    v->sum->crcs += r->page.header.has_crc;
    if (r->page.header.has_crc && !r->page.header.crc && !v->no_crc &&
        taco__crc32(0, r->page.body.data, r->page.body.len)) {
        v->no_crc = true;
        TACO__VERIFY_WARN(v, r->page.body_at, "page with a CRC of 0, which says nothing");
    }
    if (r->page.header.type == TACO__PQ_PAGE_DICTIONARY) {
        taco__chunk_reader_begin_batch(r);
        return taco__dictionary_load(r, err);
    }
    return !taco__chunk_reader_is_data(r) || taco__verify_data_page(v, at, err);
}

/* ---- chunks ---- */

/* Bytes of an index (PageIndex.md) of the chunk at hand, which live until the next chunk; {NULL, 0}
   on failure. */
static taco_bytes taco__verify_read_index(taco__verify *v, const taco__range *at, taco_error *err)
{
    uint8_t *p = NULL;
    if (at->len > v->file->options.limits.max_metadata) {
        TACO__FAIL(err, TACO_ERR_LIMIT, at->offset, "index of %u bytes, limits.max_metadata is %u",
                   at->len, v->file->options.limits.max_metadata);
    } else {
        p = (uint8_t *)taco__arena_alloc(&v->arena, (size_t)at->len, err);
    }
    if (!p || !taco__file_part_read(&v->file->part, at->offset, p, (size_t)at->len, err)) {
        return taco__bytes_of(NULL, 0);
    }
    return taco__bytes_of(p, (size_t)at->len);
}

/* Reads the page indexes of a chunk of a row group of `rows` rows. An index that does not parse is
   a fault here, while queries do without it. The offset index comes first: it says how many pages
   the column index must have. */
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

/* Warns of a column index that contradicts another part of the file, which queries do without. */
static void taco__verify_index_agrees(taco__verify *v)
{
    taco_error e;
    memset(&e, 0, sizeof e);
    if (v->has_columns &&
        !taco__page_index_agrees(&v->file->meta, v->group, v->leaf,
                                 v->has_offsets ? &v->offsets : NULL, &v->columns, &e)) {
        taco__verify_report(v, false, &e);
    }
}

/* Fails where the pages add up to something else than the chunk and its indexes say. */
static bool taco__verify_totals(taco__verify *v, uint64_t rows, taco_error *err)
{
    taco__chunk_reader *r = &v->reader;
    if (r->position.entries_left) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, r->position.next,
                   "%u values in its pages, the column chunk says %u", v->total.entries,
                   TACO__U(v->chunk->num_values));
        return false;
    }
    if (v->total.rows != rows) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, r->position.next,
                   "%u rows in its pages, the row group has %u", v->total.rows, rows);
        return false;
    }
    if (v->has_offsets && v->page_index != v->offsets.pages) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, v->chunk->offset_index.offset,
                   "offset index of %u pages, the column chunk has %u", TACO__U(v->offsets.pages),
                   TACO__U(v->page_index));
        return false;
    }
    if (v->has_columns && v->page_index != v->columns.pages) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, v->chunk->column_index.offset,
                   "column index of %u pages, the column chunk has %u", TACO__U(v->columns.pages),
                   TACO__U(v->page_index));
        return false;
    }
    taco__verify_null_count(v, &v->claims[0], v->total.nulls);
    return true;
}

/* Every page of the chunk at hand. After its last value more pages may follow, or padding. */
static bool taco__verify_pages(taco__verify *v, uint64_t rows, taco_error *err)
{
    taco__chunk_reader *r = &v->reader;
    uint64_t end = v->chunk->pages.offset + v->chunk->pages.len;
    v->page_index = 0;
    v->total.rows = v->total.nulls = v->total.entries = 0;
    v->odd_encoding = v->odd_statistics = v->odd_value = v->no_crc = false;
    v->order = taco__stats_order_of(r->leaf);
    memset(v->claims, 0, sizeof v->claims);
    v->claims[0].what = "statistics";
    taco__stats_bounds(&v->file->meta, r->leaf, &v->chunk->stats, &v->claims[0].bounds);
    taco__verify_contradiction(v, v->claims[0].what, v->chunk->at, &v->chunk->stats);
    while (!v->stop && r->position.next < (r->position.entries_left ? r->window.end : end)) {
        uint64_t at = r->position.next;
        taco_error e;
        memset(&e, 0, sizeof e);
        if (taco__verify_page(v, &e)) { continue; }
        if (r->position.entries_left || r->position.next > at || taco__error_is_of_machine(&e) ||
            (v->in_task && (e.code == TACO_ERR_LIMIT || e.code == TACO_ERR_STATE))) {
            *err = e;
            return false;
        }
        TACO__VERIFY_WARN(v, at, "%u bytes behind the last page of the column chunk", end - at);
        break;
    }
    return v->stop || taco__verify_totals(v, rows, err);
}

/* Opens the bloom filter of the chunk at hand; false where reading it failed. A filter that does
   not parse is a warning: queries do without it. */
static bool taco__verify_open_bloom(taco__verify *v, taco_error *err)
{
    memset(&v->bloom, 0, sizeof v->bloom);
    v->has_bloom = taco__bloom_open(&v->bloom, &v->file->part, v->chunk, v->mem, err);
    if (!v->has_bloom && v->chunk->bloom.len && err->code == TACO_OK) {
        TACO__VERIFY_WARN(v, v->chunk->bloom.offset, "the bloom filter cannot be read");
    }
    return err->code == TACO_OK;
}

/* The chunk of a leaf in a row group. Its first fault ends it: after a broken page nothing says
   where the next one begins. What was opened for it is closed in any case. */
static void taco__verify_chunk(taco__verify *v, uint32_t group, uint32_t leaf)
{
    const taco__pq_row_group *g = &v->file->meta.groups[group];
    taco__chunk_reader *r = &v->reader;
    taco_error e;
    memset(&e, 0, sizeof e);
    v->group = group;
    v->leaf = leaf;
    v->chunk = &g->chunks[leaf];
    if (v->chunk->encrypted || v->chunk->external) {
        v->sum->skipped++;
        TACO__VERIFY_WARN(v, v->chunk->at, "not checked: %s",
                          v->chunk->encrypted ? "it is encrypted"
                                              : "its pages are in another file");
        return;
    }
    taco__chunk_reader_init(r, v->mem);
    taco__chunk_reader_set_leaf(r, v->file, leaf, v->codecs);
    r->decoded = &v->decoded;
    if (!taco__verify_open_bloom(v, &e) || !taco__chunk_reader_open(r, v->chunk, &e) ||
        !taco__verify_indexes(v, g->rows, &e) || !taco__verify_pages(v, (uint64_t)g->rows, &e)) {
        taco__verify_report(v, true, &e);
    } else {
        taco__verify_index_agrees(v);
        v->sum->chunks++;
    }
    taco__bloom_close(&v->bloom);
    taco__chunk_reader_free(r);
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
    if (taco__row_reader_open_with(&rows, &t, &which, 1, v->codecs, v->mem, &e)) {
        while (at < end) {
            size_t n = (size_t)TACO__MIN(end - at, (uint64_t)TACO__BATCH_ROWS);
            if (!taco__row_reader_read_range(&rows, at, n, &e)) { break; }
            at += n;
        }
    }
    taco__row_reader_close(&rows);
    if (e.code != TACO_OK) { taco__verify_emit(v, true, &e); }
}

TACO__FN void taco__verify_column(taco__verify *v, uint32_t group, uint32_t column)
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

TACO__FN void taco__verify_set_memory(taco__verify *v, taco__mem *mem)
{
    v->mem = v->arena.mem = v->text.mem = v->bounds.mem = mem;
}

TACO__FN void taco__verify_free(taco__verify *v)
{
    taco__buf_free(&v->text);
    taco__buf_free(&v->bounds);
}

/* Warns of the first two chunks that share bytes, which limits.max_decoded refuses. */
static void taco__verify_shared(taco__verify *v, taco_error *err)
{
    taco_error e;
    bool shared = false;
    memset(&e, 0, sizeof e);
    if (taco__expansion_find_shared(v->file, &shared, &e, err) && shared) {
        if (v->file->name[0]) { taco__error_prefix(&e, "%s", v->file->name); }
        taco__verify_emit(v, false, &e);
    }
}

/* Every column of every row group, in the order of the file. Returns how many. */
static uint64_t taco__verify_columns(taco__verify *v)
{
    const uint64_t columns = v->file->meta.column_count, n = v->file->meta.group_count * columns;
    taco__verify_tasks tasks;
    uint64_t at = 0;
    taco__verify_tasks_open(&tasks, v);
    while (at < n && !v->stop) {
        size_t done = taco__verify_tasks_run(&tasks, at);
        if (!done) {
            taco__verify_column(v, (uint32_t)(at / columns), (uint32_t)(at % columns));
            done = 1;
        }
        at += done;
    }
    taco__verify_tasks_close(&tasks);
    return at;
}

/* All column chunks of a file; the code of the first fault, with its message in err. */
TACO__FN taco_status taco__verify_file(taco_pq_file *file,
                                       bool (*found)(void *ctx, bool fault, const taco_error *what),
                                       void *ctx, taco_pq_checked *sum, taco_error *err)
{
    taco__verify v;
    uint64_t columns;
    uint32_t g;
    memset(&v, 0, sizeof v);
    v.file = file;
    v.found = found;
    v.ctx = ctx;
    v.sum = sum;
    taco__verify_set_memory(&v, file->mem);
    v.codecs = taco__pq_file_codecs(file, err);
    if (!v.codecs) { return err->code; }
    if (file->meta.claimed_rows != file->meta.num_rows) {
        TACO__VERIFY_WARN(&v, file->meta.footer_offset, "footer of %d rows, its row groups have %d",
                          file->meta.claimed_rows, file->meta.num_rows);
    }
    taco__verify_shared(&v, err);
    columns = err->code == TACO_OK ? taco__verify_columns(&v) : 0;
    for (g = 0; g < file->meta.group_count; g++) {
        if (v.stop && (uint64_t)g * file->meta.column_count >= columns) { break; }
        sum->row_groups++;
        sum->rows += (uint64_t)file->meta.groups[g].rows;
    }
    taco__verify_free(&v);
    if (v.first.code != TACO_OK && err->code == TACO_OK) { *err = v.first; }
    return v.first.code != TACO_OK ? v.first.code : err->code;
}

TACO_API taco_status taco_pq_verify(taco_pq_file *file,
                                    bool (*found)(void *ctx, bool fault, const taco_error *what),
                                    void *ctx, taco_pq_checked *out, taco_error *err)
{
    taco_pq_checked sum;
    taco_error own = {0, TACO_OK, 0, {0}};
    taco_status status;
    err = taco__error_fresh(err, NULL);
    memset(&sum, 0, sizeof sum);
    status = file ? taco__verify_file(file, found, ctx, &sum, &own)
                  : TACO__FAIL_SOFT(&own, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no file given");
    if (out) { *out = sum; }
    taco__error_copy(err, &own);
    return status;
}
