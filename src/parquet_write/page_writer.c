/* page_writer.c - makes pages from the entries of a leaf: page ends, levels, values, headers

   In: the levels and values of the rows of a batch. Out: l->pages: encoded pages, one after the
   other, with a record each for the indexes (parquet.thrift, PageHeader; Encodings.md;
   Compression.md). A page ends after the row that makes it full: pages begin with a row, as the
   page index demands (PageIndex.md). Rows wait in l->input until their page is full; the rest after
   a batch moves to the front.

   taco__page_writer_add_rows takes the rows in portions, so that the text of one batch does not
   accumulate, and calls taco__page_writer_end_full_pages, which looks for ends
   (taco__page_writer_take_row or _take_flat_rows) and makes a page at each
   (taco__page_writer_end_page). */
#include "parquet_write.h"
#include "../base/base.h"
#include "../parquet/parquet.h"

/* ---- the body ---- */

/* Makes the indices of the page's values, if the chunk has a dictionary; one that exceeds its limit
   is only used up to the previous page. */
static bool taco__page_writer_index(taco_pq_writer *w, taco__leaf_writer *l, size_t at, size_t n)
{
    bool fits = true, ready = l->indexed;
    l->indexed = false;
    if (l->mode != TACO__DICTIONARY_USED || ready) { return true; }
    if (!taco__dict_builder_add_values(&l->dict, &l->input.values, at, n, w->opt.dictionary_bytes,
                                       &fits, &w->err)) {
        return false;
    }
    if (fits) { return true; }
    l->mode = TACO__DICTIONARY_UNUSED;
    return taco__encoding_choice_choose_direct(w, l, at, n);
}

/* Appends values [at, at + n) of the input to the body, and sets their encoding. */
static bool taco__page_writer_append_values(taco_pq_writer *w, taco__leaf_writer *l, size_t at,
                                            size_t n, int32_t *encoding)
{
    if (!taco__page_writer_index(w, l, at, n)) { return false; }
    if (l->mode == TACO__DICTIONARY_USED) {
        *encoding = TACO__PQ_ENC_RLE_DICTIONARY;
        l->pages.with_dictionary++;
        return taco__encode_indices(&w->scratch.body, taco__dict_builder_indices(&l->dict), n,
                                    l->dict.values.count, &w->err);
    }
    *encoding = l->mode == TACO__DICTIONARY_UNUSED ? l->direct : TACO__PQ_ENC_PLAIN;
    l->pages.without_dictionary += n > 0;
    return taco__encoding_choice_encode(w, l, *encoding, at, n, &w->scratch.body);
}

/* Levels of the page's entries; in version 1 after their length (Encodings.md, RLE). */
static bool taco__page_writer_append_levels(taco_pq_writer *w, const int16_t *levels, size_t n,
                                            int16_t max)
{
    static const uint8_t no_length[4] = {0, 0, 0, 0};
    taco__buf *out = &w->scratch.body;
    size_t at = out->len;
    if (max == 0) { return true; }
    if ((!w->opt.pages_v2 && !taco__buf_append(out, no_length, 4, &w->err)) ||
        !taco__encode_levels(out, levels, n, max, &w->err)) {
        return false;
    }
    if (!w->opt.pages_v2) { taco__put_le32(out->data + at, (uint32_t)(out->len - at - 4)); }
    return true;
}

/* In version 2 the levels stay uncompressed, and so do the values if compression does not make the
   page smaller; version 1 cannot express that. */
TACO__FN bool taco__page_writer_compress(taco_pq_writer *w, const taco__leaf_writer *l,
                                         taco__page_body *b)
{
    const taco__buf *body = &w->scratch.body;
    taco__buf *packed = &w->scratch.packed;
    bool v2 = b->type == TACO__PQ_PAGE_DATA_V2;
    size_t levels = v2 ? b->rep_len + b->def_len : 0;
    taco_bytes values = taco__bytes_of(body->data + levels, body->len - levels);
    b->plain = body->len;
    packed->len = 0;
    if (l->settings.codec == TACO__PQ_CODEC_NONE) {
        const taco__buf swap = *packed;
        *packed = w->scratch.body;
        w->scratch.body = swap;
        return true;
    }
    if (!taco__buf_append(packed, body->data, levels, &w->err) ||
        !taco__compress_append(w, &l->settings, values, packed)) {
        return false;
    }
    b->compressed = true;
    if (v2 && (packed->len >= body->len || values.len == 0)) {
        b->compressed = false;
        packed->len = levels;
        return taco__buf_append(packed, values.data, values.len, &w->err);
    }
    return true;
}

/* ---- the header ---- */

/* DataPageHeader (5) and DictionaryPageHeader (7): fields 1, 2 and, of the former, the encodings
   of both levels. */
static void taco__page_writer_append_header_v1(taco__thrift_writer *t, const taco__page_body *b)
{
    bool dictionary = b->type == TACO__PQ_PAGE_DICTIONARY;
    taco__thrift_write_begin(t, dictionary ? 7 : 5);
    taco__thrift_write_i32(t, 1, (int32_t)b->entries);
    taco__thrift_write_i32(t, 2, b->encoding);
    if (!dictionary) {
        taco__thrift_write_i32(t, 3, TACO__PQ_ENC_RLE);
        taco__thrift_write_i32(t, 4, TACO__PQ_ENC_RLE);
    }
    taco__thrift_write_end(t);
}

/* DataPageHeaderV2 (8). */
static void taco__page_writer_append_header_v2(taco__thrift_writer *t, const taco__page_body *b)
{
    taco__thrift_write_begin(t, 8);
    taco__thrift_write_i32(t, 1, (int32_t)b->entries);
    taco__thrift_write_i32(t, 2, (int32_t)b->nulls);
    taco__thrift_write_i32(t, 3, (int32_t)b->rows);
    taco__thrift_write_i32(t, 4, b->encoding);
    taco__thrift_write_i32(t, 5, (int32_t)b->def_len);
    taco__thrift_write_i32(t, 6, (int32_t)b->rep_len);
    taco__thrift_write_bool(t, 7, b->compressed);
    taco__thrift_write_end(t);
}

TACO__FN bool taco__page_writer_append_page(taco_pq_writer *w, const taco__page_body *b,
                                            taco__buf *out)
{
    const taco__buf *packed = &w->scratch.packed;
    taco__thrift_writer t;
    if (b->plain > INT32_MAX || packed->len > INT32_MAX || b->entries > INT32_MAX) {
        TACO__FAIL(&w->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "a page of %u bytes, at most 2147483647 are allowed", TACO__U(b->plain));
        return false;
    }
    taco__thrift_write_init(&t, out, &w->err);
    taco__thrift_write_i32(&t, 1, b->type);
    taco__thrift_write_i32(&t, 2, (int32_t)b->plain);
    taco__thrift_write_i32(&t, 3, (int32_t)packed->len);
    if (!w->opt.no_crc) {
        taco__thrift_write_i32(&t, 4, (int32_t)taco__crc32(0, packed->data, packed->len));
    }
    if (b->type == TACO__PQ_PAGE_DATA_V2) {
        taco__page_writer_append_header_v2(&t, b);
    } else {
        taco__page_writer_append_header_v1(&t, b);
    }
    return taco__thrift_write_end(&t) && taco__buf_append(out, packed->data, packed->len, &w->err);
}

/* ---- one page ---- */

/* Hashes of the page's values, for the chunk's bloom filter (BloomFilter.md: XXH64 of PLAIN,
   seed 0, byte arrays without their length). */
static bool taco__page_writer_add_hashes(taco_pq_writer *w, taco__leaf_writer *l)
{
    size_t i;
    for (i = l->page.first_value; l->settings.bloom && i < l->page.value; i++) {
        taco_bytes v = taco__plain_values_at(&l->input.values, i);
        uint64_t h = taco__xxh64_hash(0, v.data, v.len);
        if (!taco__buf_append(&l->pages.hashes, &h, sizeof h, &w->err)) { return false; }
    }
    return true;
}

/* Counts the bytes of the page's byte arrays without lengths (SizeStatistics). */
static void taco__page_writer_count_bytes(taco__leaf_writer *l, taco__page_record *p)
{
    const taco__plain_values *v = &l->input.values;
    if (v->width == 0 && l->page.value > l->page.first_value) {
        const uint32_t *offsets = taco__plain_values_offsets(v);
        p->unencoded = (int64_t)(offsets[l->page.value] - offsets[l->page.first_value]);
        l->stats.unencoded += p->unencoded;
    }
}

/* Counts entries by level: with few levels in one pass per level, since a processor compares
   several at a time. */
static void taco__page_writer_histogram(const int16_t *levels, size_t n, int16_t max,
                                        int64_t *counts)
{
    size_t i, at = 0;
    int16_t level;
    for (; max > 0 && max < 6 && at + 64 <= n; at += 64) {
        for (level = 0; level <= max; level++) {
            unsigned count = 0;
            for (i = 0; i < 64; i++) {
                count += levels[at + i] == level;
            }
            counts[level] += count;
        }
    }
    for (i = at; i < n; i++) {
        counts[levels[i]]++;
    }
}

/* Appends the page's histograms: entries per repetition level, then per definition level. */
static bool taco__page_writer_count_levels(taco_pq_writer *w, taco__leaf_writer *l,
                                           const int16_t *rep, const int16_t *def, size_t entries)
{
    size_t n = (size_t)(l->schema.max_rep + l->schema.max_def) + 2, bytes = n * sizeof(int64_t);
    int64_t *counts;
    if (!taco__page_index_write_has_histograms(l)) { return true; }
    if (!taco__buf_reserve(&l->pages.level_counts, bytes, &w->err)) { return false; }
    counts = (int64_t *)(void *)(l->pages.level_counts.data + l->pages.level_counts.len);
    l->pages.level_counts.len += bytes;
    memset(counts, 0, bytes);
    taco__page_writer_histogram(rep, entries, l->schema.max_rep, counts);
    taco__page_writer_histogram(def, entries, l->schema.max_def, counts + l->schema.max_rep + 1);
    return true;
}

/* Makes scratch.body from the open page: repetition levels, definition levels, values. */
static bool taco__page_writer_make_body(taco_pq_writer *w, taco__leaf_writer *l, const int16_t *rep,
                                        const int16_t *def, taco__page_body *b)
{
    const taco__buf *body = &w->scratch.body;
    w->scratch.body.len = 0;
    if (!taco__page_writer_append_levels(w, rep, b->entries, l->schema.max_rep)) { return false; }
    b->rep_len = body->len;
    if (!taco__page_writer_append_levels(w, def, b->entries, l->schema.max_def)) { return false; }
    b->def_len = body->len - b->rep_len;
    return taco__page_writer_append_values(w, l, l->page.first_value,
                                           l->page.value - l->page.first_value, &b->encoding) &&
           taco__page_writer_compress(w, l, b);
}

/* Counts a page that has been appended, and begins the next one. */
static bool taco__page_writer_count_page(taco_pq_writer *w, taco__leaf_writer *l,
                                         const taco__page_body *b, const taco__page_record *p)
{
    l->pages.plain_bytes += p->size - w->scratch.packed.len + b->plain;
    l->pages.by_encoding[b->encoding]++;
    l->pages.rows += b->rows;
    l->pages.entries += b->entries;
    l->pages.count++;
    l->stats.nulls += p->nulls;
    l->page.rows = l->page.bytes = 0;
    l->page.first_entry = l->page.entry;
    l->page.first_value = l->page.value;
    return taco__buf_append(&l->pages.records, p, sizeof *p, &w->err);
}

/* Makes the open page into an encoded one. */
static bool taco__page_writer_end_page(taco_pq_writer *w, taco__leaf_writer *l)
{
    size_t values = l->page.value - l->page.first_value;
    const int16_t *rep = taco__levels_values(&l->input.rep) + l->page.first_entry;
    const int16_t *def = taco__levels_values(&l->input.def) + l->page.first_entry;
    taco__page_body b;
    taco__page_record p;
    memset(&b, 0, sizeof b);
    memset(&p, 0, sizeof p);
    b.type = w->opt.pages_v2 ? TACO__PQ_PAGE_DATA_V2 : TACO__PQ_PAGE_DATA;
    b.entries = l->page.entry - l->page.first_entry;
    b.nulls = b.entries - values;
    b.rows = l->page.rows;
    p.nulls = (int64_t)b.nulls;
    p.all_null = values == 0;
    p.first_row = l->pages.rows;
    p.offset = l->pages.bytes.len;
    taco__page_writer_count_bytes(l, &p);
    if (!taco__value_bounds_add_page(l, l->page.first_value, values, &p, &w->err) ||
        !taco__page_writer_add_hashes(w, l) ||
        !taco__page_writer_count_levels(w, l, rep, def, b.entries) ||
        !taco__page_writer_make_body(w, l, rep, def, &b) ||
        !taco__page_writer_append_page(w, &b, &l->pages.bytes)) {
        return false;
    }
    p.size = (uint32_t)(l->pages.bytes.len - p.offset);
    return taco__page_writer_count_page(w, l, &b, &p);
}

/* ---- where pages end ---- */

/* Content-defined ends, as in gear hashing: a sum that shifts out what is 64 bytes back, and ends a
   page when its highest bits are zero (taco__write_options_init_gear decides how many). */
static void taco__page_writer_roll_hash(const taco__gear *g, taco__open_page *p, taco_bytes v)
{
    size_t i;
    for (i = 0; i < v.len; i++) {
        p->hash = (p->hash << 1) + g->table[v.data[i]];
        p->boundary = p->boundary || (p->hash & g->mask) == 0;
    }
}

/* Takes the next entry into the open page. Returns its size: for a value that of PLAIN, for a null
   or empty list in a list 1. */
static size_t taco__page_writer_take_entry(const taco_pq_writer *w, taco__leaf_writer *l)
{
    const int16_t *def = taco__levels_values(&l->input.def);
    const taco__plain_values *values = &l->input.values;
    uint8_t level = (uint8_t)(l->schema.max_def ? def[l->page.entry] : 0);
    size_t size = l->schema.max_rep ? 1 : 0;
    if (!l->schema.max_def || def[l->page.entry] == l->schema.max_def) {
        taco_bytes v = taco__plain_values_at(values, l->page.value++);
        size = v.len + (values->width ? 0 : 4);
        taco__page_writer_roll_hash(&w->gear, &l->page, v);
    }
    if (l->schema.max_def) {
        taco__page_writer_roll_hash(&w->gear, &l->page, taco__bytes_of(&level, 1));
    }
    l->page.entry++;
    return size;
}

/* With content-defined ends: takes the next row of the input into the open page. True if the page
   ends after it. */
static bool taco__page_writer_take_row(const taco_pq_writer *w, taco__leaf_writer *l)
{
    const int16_t *rep = taco__levels_values(&l->input.rep);
    taco__open_page *p = &l->page;
    p->boundary = false;
    do {
        size_t size = taco__page_writer_take_entry(w, l);
        p->bytes = size > SIZE_MAX / 2 - p->bytes ? SIZE_MAX / 2 : p->bytes + size;
    } while (l->schema.max_rep && p->entry < l->input.entries && rep[p->entry] > 0);
    p->rows++;
    return p->bytes >= w->opt.chunk_max || (p->boundary && p->bytes >= w->opt.chunk_min) ||
           p->rows >= INT32_MAX / 2;
}

/* Where a page of contiguous values without nulls reaches `most` bytes: after value k, the first
   for which that holds, or after the last. Offsets ascend, so k is found by binary search. */
static size_t taco__page_writer_page_end(const taco__plain_values *v, size_t from, size_t last,
                                         size_t bytes, size_t most)
{
    const uint32_t *offsets = taco__plain_values_offsets(v);
    size_t at = from;
    if (bytes >= most) { return from; }
    if (v->width) {
        size_t n = (most - bytes - 1) / v->width + 1;
        return n < last - from ? from + n : last;
    }
    TACO__LOWER_BOUND(at, last, i,
                      bytes + 4 * (i + 1 - from) + (offsets[i + 1] - offsets[from]) < most);
    return TACO__MIN(at + 1, last);
}

/* The same for all rows of a leaf without repetition, up to the end of a page. */
static bool taco__page_writer_take_flat_rows(const taco_pq_writer *w, taco__leaf_writer *l)
{
    const int16_t *def = l->schema.max_def ? taco__levels_values(&l->input.def) : NULL;
    const uint32_t *offsets = taco__plain_values_offsets(&l->input.values);
    const size_t most = TACO__MIN(w->opt.page_bytes, SIZE_MAX / 2), from = l->page.entry;
    const size_t width = l->input.values.width;
    size_t entry = from, value = l->page.value, bytes = l->page.bytes;
    const size_t last =
        entry + TACO__MIN(l->input.entries - entry, w->opt.page_rows - l->page.rows);
    if (l->input.values.count - value == l->input.entries - entry) { /* no nulls are left */
        size_t n = taco__page_writer_page_end(&l->input.values, value, value + (last - from), bytes,
                                              most) -
                   value;
        bytes += width ? n * width : 4 * n + (size_t)(offsets[value + n] - offsets[value]);
        value += n;
        entry += n;
    }
    while (entry < last && bytes < most) {
        if (!def || def[entry] == l->schema.max_def) {
            bytes += width ? width : 4 + (size_t)(offsets[value + 1] - offsets[value]);
            value++;
        }
        entry++;
    }
    l->page.rows += entry - from;
    l->page.bytes = bytes;
    l->page.entry = entry;
    l->page.value = value;
    return l->page.rows >= w->opt.page_rows || bytes >= most;
}

/* The same for rows of a leaf with repetition, as taco__page_writer_take_row takes them. */
static bool taco__page_writer_take_nested_rows(const taco_pq_writer *w, taco__leaf_writer *l)
{
    const int16_t *rep = taco__levels_values(&l->input.rep);
    const int16_t *def = taco__levels_values(&l->input.def), max = l->schema.max_def;
    const uint32_t *offsets = taco__plain_values_offsets(&l->input.values);
    const size_t width = l->input.values.width, entries = l->input.entries;
    const size_t most = TACO__MIN(w->opt.page_bytes, SIZE_MAX / 2);
    size_t entry = l->page.entry, value = l->page.value, bytes = l->page.bytes;
    size_t rows = l->page.rows;
    while (entry < entries && rows < w->opt.page_rows && bytes < most) {
        do {
            size_t size = 1;
            if (def[entry] == max) {
                size = width ? width : 4 + (size_t)(offsets[value + 1] - offsets[value]);
                value++;
            }
            bytes = size > SIZE_MAX / 2 - bytes ? SIZE_MAX / 2 : bytes + size;
            entry++;
        } while (entry < entries && rep[entry] > 0);
        rows++;
    }
    l->page.rows = rows;
    l->page.bytes = bytes;
    l->page.entry = entry;
    l->page.value = value;
    return rows >= w->opt.page_rows || bytes >= most;
}

/* Drops entries and values that are in pages. */
static void taco__page_writer_drop_written(taco__leaf_writer *l)
{
    taco__open_page *p = &l->page;
    size_t left = l->input.entries - p->first_entry;
    if (p->first_entry) {
        memmove(l->input.def.data, l->input.def.data + p->first_entry * 2, left * 2);
        memmove(l->input.rep.data, l->input.rep.data + p->first_entry * 2, left * 2);
    }
    l->input.def.len = l->input.rep.len = left * 2;
    l->input.entries = left;
    taco__plain_values_drop_front(&l->input.values, p->first_value);
    p->entry -= p->first_entry;
    p->value -= p->first_value;
    p->first_entry = p->first_value = 0;
}

/* The open page has enough rows: it is made, or waits while further ones are taken, until the
   encoding of the chunk's values is decided. Then the waiting pages are made. `all`: no rows are
   left in the row group. */
static bool taco__page_writer_end_full_page(taco_pq_writer *w, taco__leaf_writer *l, bool all)
{
    taco__open_page *p = &l->page;
    if (l->mode == TACO__DICTIONARY_UNDECIDED && p->value > p->first_value) {
        l->trial.bytes += p->bytes;
        /* the hash of content-defined ends cannot be rolled back */
        if (!taco__encoding_choice_choose(w, l, p->first_value, p->value - p->first_value,
                                          all || w->opt.content_defined)) {
            return false;
        }
        if (l->mode != TACO__DICTIONARY_UNDECIDED && !l->trial.pages) {
            return taco__page_writer_end_page(w, l);
        }
        if (l->mode == TACO__DICTIONARY_UNDECIDED) {
            l->trial.pages++;
        } else {
            p->entry = p->first_entry;
            p->value = p->first_value;
        }
        p->rows = p->bytes = 0;
        return true;
    }
    return taco__page_writer_end_page(w, l);
}

TACO__FN bool taco__page_writer_end_full_pages(taco_pq_writer *w, taco__leaf_writer *l, bool last)
{
    taco__open_page *p = &l->page;
    while (p->entry < l->input.entries || (last && p->entry > p->first_entry)) {
        bool full = p->entry >= l->input.entries ? last
                    : w->opt.content_defined     ? taco__page_writer_take_row(w, l)
                    : l->schema.max_rep          ? taco__page_writer_take_nested_rows(w, l)
                                                 : taco__page_writer_take_flat_rows(w, l);
        bool all = last && p->entry == l->input.entries;
        if ((full || all) && !taco__page_writer_end_full_page(w, l, all)) { return false; }
    }
    taco__page_writer_drop_written(l);
    return true;
}

/* ---- rows ---- */

/* Size of value k found by taco__levels_make; a dictionary index is checked later, when the value
   is copied. */
static size_t taco__page_writer_text_length(const taco__levels *v, size_t k)
{
    const taco_array *a = v->leaf;
    size_t at = taco__levels_indices(&v->index)[k];
    int32_t len;
    if (a->dictionary) {
        at = (uint32_t)a->v.i32[at];
        a = a->dictionary;
        if (at >= a->length) { return 0; }
    }
    len = a->offsets[at + 1] - a->offsets[at];
    return len > 0 ? (size_t)len : 0;
}

/* Whether the text of all values is less than a page, judging by the first and last offset. */
static bool taco__page_writer_is_short_text(const taco_pq_writer *w, const taco__levels *v)
{
    const uint32_t *index = taco__levels_indices(&v->index);
    const taco_array *a = v->leaf;
    int32_t from, to;
    if (a->dictionary || v->values == 0) { return v->values == 0; }
    from = a->offsets[index[0]];
    to = a->offsets[index[v->values - 1] + 1];
    return from >= 0 && from <= to && (size_t)(to - from) < w->opt.page_bytes;
}

/* How many entries from entry i on are taken at once, and *values of them: whole rows, until their
   text fills a page. Values of fixed width are all taken at once. */
static size_t taco__page_writer_portion(const taco_pq_writer *w, const taco__leaf_writer *l,
                                        size_t i, size_t value, size_t *values)
{
    const taco__levels *v = &w->scratch.levels;
    const int16_t *rep = taco__levels_values(&v->rep), *def = taco__levels_values(&v->def);
    const bool text = taco__array_is_var_length(l->schema.field);
    size_t first = i, k = value, bytes = 0;
    if (first == 0 && (!text || taco__page_writer_is_short_text(w, v))) {
        *values = v->values;
        return v->entries;
    }
    while (i < v->entries && (bytes < w->opt.page_bytes || rep[i] > 0)) {
        if (def[i] == l->schema.max_def) {
            bytes += text ? taco__page_writer_text_length(v, k) : 0;
            k++;
        }
        i++;
    }
    *values = k - value;
    return i - first;
}

TACO__FN bool taco__page_writer_add_rows(taco_pq_writer *w, taco__leaf_writer *l,
                                         const taco_array *a, size_t first, size_t n)
{
    taco__levels *v = &w->scratch.levels;
    size_t i = 0, k = 0, m, values = 0;
    if (!taco__levels_make(v, a, l->schema.path, first, n, &w->err)) { return false; }
    for (; i < v->entries; i += m, k += values) {
        const size_t before = l->input.values.bytes.len;
        m = taco__page_writer_portion(w, l, i, k, &values);
        if (!taco__buf_append(&l->input.def, v->def.data + i * 2, m * 2, &w->err) ||
            !taco__buf_append(&l->input.rep, v->rep.data + i * 2, m * 2, &w->err) ||
            !taco__array_values_append(l, v, k, values, &w->err)) {
            return false;
        }
        l->input.entries += m;
        w->waiting += l->input.values.bytes.len - before + m;
        if (!taco__write_tasks_may_wait(w) &&
            (w->only_adds || !taco__page_writer_end_full_pages(w, l, false))) {
            return false;
        }
    }
    return true;
}
