/* page_writer.c - batches to column chunks, pages, indexes and the footer.. Spec: parquet-format,
   parquet.thrift, PageIndex.md, BloomFilter.md */
#include "parquet_write.h"
#include "../base/base.h"
#include "../parquet/parquet.h"

/* Values of a page into out, and the encoding they have there. */
static bool taco__page_writer_append_values(taco_pq_writer *w, taco__leaf_writer *l, size_t at,
                                            size_t n, taco__buf *out, int32_t *encoding)
{
    bool fits = true;
    if (l->mode == TACO__DICTIONARY_UNDECIDED && n) {
        if (!taco__encoding_choice_choose(w, l, at, n)) { return false; }
    } else if (l->mode == TACO__DICTIONARY_USED) {
        if (!taco__dict_builder_add_values(w, l, at, n, &fits)) { return false; }
        if (!fits) {
            l->mode = TACO__DICTIONARY_UNUSED;
            if (!taco__encoding_choice_choose_direct(w, l, at, n)) { return false; }
        }
    }
    if (l->mode == TACO__DICTIONARY_USED) {
        *encoding = TACO__PQ_ENC_RLE_DICTIONARY;
        l->dict_pages++;
        return taco__encode_indices(out, (const uint32_t *)(const void *)l->indices.data, n,
                                    l->dict_count, &w->err);
    }
    *encoding = l->mode == TACO__DICTIONARY_UNUSED ? l->direct : TACO__PQ_ENC_PLAIN;
    l->direct_pages += n > 0;
    return taco__encoding_choice_encode(w, l, *encoding, at, n, out);
}

/* Levels of the page's entries: with their length in front on version 1 (Encodings.md, RLE). */
static bool taco__page_writer_append_levels(taco_pq_writer *w, const int16_t *levels, size_t n,
                                            int16_t max, taco__buf *out)
{
    static const uint8_t none[4] = {0, 0, 0, 0};
    size_t at = out->len;
    if (max == 0) { return true; }
    if ((!w->opt.pages_v2 && !taco__buf_append(out, none, 4, &w->err)) ||
        !taco__encode_levels(out, levels, n, max, &w->err)) {
        return false;
    }
    if (!w->opt.pages_v2) { taco__put_le32(out->data + at, (uint32_t)(out->len - at - 4)); }
    return true;
}

/* Appends header and body (w->packed) to out. */
TACO__FN bool taco__page_writer_append_page(taco_pq_writer *w, const taco__page_body *b,
                                            taco__buf *out)
{
    taco__thrift_writer t;
    if (b->plain > INT32_MAX || w->packed.len > INT32_MAX || b->entries > INT32_MAX) {
        TACO__FAIL(&w->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "a page of %u bytes, 2147483647 are the most", TACO__U(b->plain));
        return false;
    }
    taco__thrift_write_init(&t, out, &w->err);
    taco__thrift_write_i32(&t, 1, b->type);
    taco__thrift_write_i32(&t, 2, (int32_t)b->plain);
    taco__thrift_write_i32(&t, 3, (int32_t)w->packed.len);
    if (!w->opt.no_crc) {
        taco__thrift_write_i32(&t, 4, (int32_t)taco__crc32(0, w->packed.data, w->packed.len));
    }
    taco__thrift_write_begin(&t, b->type == TACO__PQ_PAGE_DICTIONARY ? 7
                                 : b->type == TACO__PQ_PAGE_DATA     ? 5
                                                                     : 8);
    taco__thrift_write_i32(&t, 1, (int32_t)b->entries);
    if (b->type == TACO__PQ_PAGE_DATA_V2) {
        taco__thrift_write_i32(&t, 2, (int32_t)b->nulls);
        taco__thrift_write_i32(&t, 3, (int32_t)b->rows);
        taco__thrift_write_i32(&t, 4, b->encoding);
        taco__thrift_write_i32(&t, 5, (int32_t)b->def_len);
        taco__thrift_write_i32(&t, 6, (int32_t)b->rep_len);
        taco__thrift_write_bool(&t, 7, b->compressed);
    } else {
        taco__thrift_write_i32(&t, 2, b->encoding);
        if (b->type == TACO__PQ_PAGE_DATA) {
            taco__thrift_write_i32(&t, 3, TACO__PQ_ENC_RLE);
            taco__thrift_write_i32(&t, 4, TACO__PQ_ENC_RLE);
        }
    }
    taco__thrift_write_end(&t);
    return taco__thrift_write_end(&t) &&
           taco__buf_append(out, w->packed.data, w->packed.len, &w->err);
}

/* Compresses w->body to w->packed: all of it, or on version 2 what stands behind the levels, if
   that helps. */
TACO__FN bool taco__page_writer_compress(taco_pq_writer *w, const taco__leaf_writer *l,
                                         taco__page_body *b)
{
    size_t levels = b->type == TACO__PQ_PAGE_DATA_V2 ? b->rep_len + b->def_len : 0;
    taco_bytes values = taco__bytes_of(w->body.data + levels, w->body.len - levels);
    b->plain = w->body.len;
    w->packed.len = 0;
    if (!taco__buf_append(&w->packed, w->body.data, levels, &w->err) ||
        !taco__compress_append(w, l, values, &w->packed)) {
        return false;
    }
    b->compressed = l->codec != TACO__PQ_CODEC_NONE;
    if (b->type == TACO__PQ_PAGE_DATA_V2 && b->compressed &&
        (w->packed.len >= w->body.len || values.len == 0)) {
        b->compressed = false;
        w->packed.len = levels;
        return taco__buf_append(&w->packed, values.data, values.len, &w->err);
    }
    return true;
}

static bool taco__page_writer_add_hashes(taco_pq_writer *w, taco__leaf_writer *l, size_t at,
                                         size_t n)
{
    size_t i;
    for (i = at; l->bloom && i < at + n; i++) {
        taco_bytes v = taco__array_values_at(l, i);
        uint64_t h = taco__xxh64_hash(0, v.data, v.len);
        if (!taco__buf_append(&l->hashes, &h, sizeof h, &w->err)) { return false; }
    }
    return true;
}

/* Counts the levels of a page, and bytes of its values. */
static bool taco__page_writer_count_sizes(taco_pq_writer *w, taco__leaf_writer *l,
                                          taco__page_record *p, size_t first_entry,
                                          size_t first_value, const int16_t *rep,
                                          const int16_t *def)
{
    size_t n = (size_t)(l->max_rep + l->max_def) + 2, entries = l->entry - first_entry, i;
    int64_t *counts;
    if (l->width == 0 && l->value > first_value) {
        const uint32_t *offsets = (const uint32_t *)(const void *)l->offsets.data;
        p->unencoded = (int64_t)(offsets[l->value] - offsets[first_value]);
        l->unencoded += p->unencoded;
    }
    if (!taco__page_writer_has_histograms(l)) { return true; }
    if (!taco__buf_reserve(&l->levels, n * sizeof *counts, &w->err)) { return false; }
    counts = (int64_t *)(void *)(l->levels.data + l->levels.len);
    l->levels.len += n * sizeof *counts;
    memset(counts, 0, n * sizeof *counts);
    for (i = 0; i < entries; i++) {
        counts[rep[i]]++;
        counts[l->max_rep + 1 + def[i]]++;
    }
    return true;
}

/* Makes a page of everything before l->entry and l->value. */
static bool taco__page_writer_end_page(taco_pq_writer *w, taco__leaf_writer *l, size_t first_entry,
                                       size_t first_value)
{
    taco__page_body b;
    taco__page_record p;
    size_t before = l->pages.len, n = l->value - first_value;
    const int16_t *rep = taco__levels_values(&l->rep) + first_entry;
    const int16_t *def = taco__levels_values(&l->def) + first_entry;
    memset(&b, 0, sizeof b);
    memset(&p, 0, sizeof p);
    b.type = w->opt.pages_v2 ? TACO__PQ_PAGE_DATA_V2 : TACO__PQ_PAGE_DATA;
    b.entries = l->entry - first_entry;
    b.nulls = b.entries - n;
    b.rows = l->page_rows;
    p.nulls = (int64_t)b.nulls;
    p.all_null = n == 0;
    p.first_row = l->rows;
    p.offset = before;
    w->body.len = 0;
    if (!taco__value_bounds_add_page(l, first_value, n, &p, &w->err) ||
        !taco__page_writer_add_hashes(w, l, first_value, n) ||
        !taco__page_writer_count_sizes(w, l, &p, first_entry, first_value, rep, def) ||
        !taco__page_writer_append_levels(w, rep, b.entries, l->max_rep, &w->body)) {
        return false;
    }
    b.rep_len = w->body.len;
    if (!taco__page_writer_append_levels(w, def, b.entries, l->max_def, &w->body)) { return false; }
    b.def_len = w->body.len - b.rep_len;
    if (!taco__page_writer_append_values(w, l, first_value, n, &w->body, &b.encoding) ||
        !taco__page_writer_compress(w, l, &b) || !taco__page_writer_append_page(w, &b, &l->pages)) {
        return false;
    }
    p.size = (uint32_t)(l->pages.len - before);
    l->plain_bytes += p.size - w->packed.len + b.plain;
    l->used[b.encoding]++;
    l->rows += l->page_rows;
    l->num_values += b.entries;
    l->nulls += p.nulls;
    l->page_rows = l->page_bytes = 0;
    l->page_count++;
    return taco__buf_append(&l->records, &p, sizeof p, &w->err);
}

/* Content-defined ends: a hash of the last 64 bytes asks for them where it likes (as gear hashing
   does). */
static void taco__page_writer_roll_hash(const taco_pq_writer *w, taco__leaf_writer *l, taco_bytes v)
{
    size_t i;
    for (i = 0; i < v.len; i++) {
        l->hash = (l->hash << 1) + w->gear[v.data[i]];
        l->cut = l->cut || (l->hash & w->cut_mask) == 0;
    }
}

/* Takes the next row of what is at hand into the page in the making. True when the page ends behind
   it. */
static bool taco__page_writer_take_row(const taco_pq_writer *w, taco__leaf_writer *l)
{
    const int16_t *rep = taco__levels_values(&l->rep), *def = taco__levels_values(&l->def);
    size_t size;
    l->cut = false;
    do {
        uint8_t level = (uint8_t)(l->max_def ? def[l->entry] : 0);
        if (!l->max_def || def[l->entry] == l->max_def) {
            taco_bytes v = taco__array_values_at(l, l->value);
            size = v.len + (l->width ? 0 : 4);
            if (w->opt.content_defined) { taco__page_writer_roll_hash(w, l, v); }
            l->value++;
        } else {
            size = l->max_rep ? 1 : 0;
        }
        if (w->opt.content_defined && l->max_def) {
            taco__page_writer_roll_hash(w, l, taco__bytes_of(&level, 1));
        }
        l->page_bytes = size > SIZE_MAX / 2 - l->page_bytes ? SIZE_MAX / 2 : l->page_bytes + size;
        l->entry++;
    } while (l->max_rep && l->entry < l->entries && rep[l->entry] > 0);
    l->page_rows++;
    if (w->opt.content_defined) {
        return l->page_bytes >= w->opt.chunk_max || (l->cut && l->page_bytes >= w->opt.chunk_min) ||
               l->page_rows >= INT32_MAX / 2;
    }
    return l->page_rows >= w->opt.page_rows || l->page_bytes >= w->opt.page_bytes;
}

/* The same for all rows of a leaf without repetition, up to the end of a page. */
static bool taco__page_writer_take_flat_rows(const taco_pq_writer *w, taco__leaf_writer *l)
{
    const int16_t *def = l->max_def ? taco__levels_values(&l->def) : NULL;
    const uint32_t *offsets = (const uint32_t *)(const void *)l->offsets.data;
    const size_t most = TACO__MIN(w->opt.page_bytes, SIZE_MAX / 2), from = l->entry;
    size_t entry = from, value = l->value, bytes = l->page_bytes;
    const size_t last = entry + TACO__MIN(l->entries - entry, w->opt.page_rows - l->page_rows);
    while (entry < last && bytes < most) {
        if (!def || def[entry] == l->max_def) {
            bytes += l->width ? l->width : 4 + (size_t)(offsets[value + 1] - offsets[value]);
            value++;
        }
        entry++;
    }
    l->page_rows += entry - from;
    l->page_bytes = bytes;
    l->entry = entry;
    l->value = value;
    return l->page_rows >= w->opt.page_rows || bytes >= most;
}

/* Ends pages where they are full; what is left moves to the front. */
TACO__FN bool taco__page_writer_end_full_pages(taco_pq_writer *w, taco__leaf_writer *l, bool last)
{
    size_t first_entry = 0, first_value = 0, i, left;
    bool flat = !l->max_rep && !w->opt.content_defined;
    uint32_t *offsets;
    while (l->entry < l->entries || (last && l->entry > first_entry)) {
        bool full = l->entry >= l->entries ? last
                    : flat                 ? taco__page_writer_take_flat_rows(w, l)
                                           : taco__page_writer_take_row(w, l);
        if (full || (last && l->entry == l->entries)) {
            if (!taco__page_writer_end_page(w, l, first_entry, first_value)) { return false; }
            first_entry = l->entry;
            first_value = l->value;
        }
    }
    left = l->entries - first_entry;
    if (first_entry) {
        memmove(l->def.data, l->def.data + first_entry * 2, left * 2);
        memmove(l->rep.data, l->rep.data + first_entry * 2, left * 2);
    }
    l->def.len = l->rep.len = left * 2;
    l->entries = l->entry = left;
    if (first_value) {
        size_t from = first_value * l->width;
        left = l->count - first_value;
        if (l->width == 0) {
            offsets = (uint32_t *)(void *)l->offsets.data;
            from = offsets[first_value];
            for (i = 0; i <= left; i++) {
                offsets[i] = offsets[first_value + i] - (uint32_t)from;
            }
            l->offsets.len = left * sizeof *offsets;
        }
        memmove(l->values.data, l->values.data + from, l->values.len - from);
        l->values.len -= from;
        l->count = l->value = left;
    }
    return true;
}

/* Entries of what w->levels holds, from entry i on, that are taken in one go: whole rows, until
   their text is as much as a page. */
static size_t taco__page_writer_portion(const taco_pq_writer *w, const taco__leaf_writer *l,
                                        size_t i, size_t value, size_t *values)
{
    const taco__levels *v = &w->levels;
    const int16_t *rep = taco__levels_values(&v->rep), *def = taco__levels_values(&v->def);
    const uint32_t *index = taco__levels_indices(&v->index);
    const taco_array *a = v->leaf;
    size_t first = i, k = value, bytes = 0;
    if (l->width && first == 0) {
        *values = v->values;
        return v->entries;
    }
    while (i < v->entries && (bytes < w->opt.page_bytes || rep[i] > 0)) {
        if (def[i] == l->max_def) {
            if (!a->dictionary && l->width == 0) {
                int32_t len = a->offsets[index[k] + 1] - a->offsets[index[k]];
                bytes += len > 0 ? (size_t)len : 0;
            } else if (l->width == 0) { /* the index is checked when the value is taken */
                uint32_t at = (uint32_t)a->v.i32[index[k]];
                if (at < a->dictionary->length) {
                    int32_t len = a->dictionary->offsets[at + 1] - a->dictionary->offsets[at];
                    bytes += len > 0 ? (size_t)len : 0;
                }
            }
            k++;
        }
        i++;
    }
    *values = k - value;
    return i - first;
}

/* Rows [first, first + n) of the batch's column go to the leaf. */
TACO__FN bool taco__page_writer_add_rows(taco_pq_writer *w, taco__leaf_writer *l,
                                         const taco_array *a, size_t first, size_t n)
{
    taco__levels *v = &w->levels;
    size_t i = 0, k = 0, m, values = 0;
    if (!taco__levels_make(v, a, l->path, first, n, &w->err)) { return false; }
    for (; i < v->entries; i += m, k += values) {
        m = taco__page_writer_portion(w, l, i, k, &values);
        if (!taco__buf_append(&l->def, v->def.data + i * 2, m * 2, &w->err) ||
            !taco__buf_append(&l->rep, v->rep.data + i * 2, m * 2, &w->err) ||
            !taco__array_values_append(l, v->leaf, taco__levels_indices(&v->index) + k, values,
                                       &w->err)) {
            return false;
        }
        l->entries += m;
        if (!taco__page_writer_end_full_pages(w, l, false)) { return false; }
    }
    return true;
}
