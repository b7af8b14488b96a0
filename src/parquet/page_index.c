/* page_index.c - offset and column index: where pages are, and their bounds

   In: the bytes that a column chunk's metadata points at; out: page locations and bounds, kept with
   the open file. Spec: parquet-format PageIndex.md, parquet.thrift "OffsetIndex", "ColumnIndex".

   The first half parses and validates an index; verify.c uses it, too. The second half serves
   readers (taco__page_index_offsets, _columns): it decides whether an index is worth reading, and
   treats one that is damaged, has gaps between pages, or contradicts another part of the file, as
   absent. Only failures of the machine
   (I/O, memory) are errors there. */
#include "parquet.h"
#include "../base/base.h"

/* ---- parse and prove ---- */

/* All lists of an index have one entry per page; the first list sets the number if *pages is
   SIZE_MAX. */
static bool taco__page_index_check_count(taco__thrift *t, size_t n, size_t *pages, const char *name)
{
    if (*pages == SIZE_MAX) { *pages = n; }
    if (taco__thrift_ok(t) && n != *pages) {
        return TACO__THRIFT_FAIL(t, taco__thrift_at(t), "%s has %u entries, there are %u pages",
                                 name, TACO__U(n), TACO__U(*pages));
    }
    return taco__thrift_ok(t);
}

/* One byte per page: 0 or 1. */
static const uint8_t *taco__page_index_parse_bools(taco__thrift *t, taco__arena *arena,
                                                   unsigned type, size_t *pages)
{
    uint8_t item, *p;
    size_t n = taco__thrift_begin_list(t, type, 1, &item), i;
    if (n && item != TACO__THRIFT_TRUE && item != TACO__THRIFT_FALSE) {
        taco__thrift_fail_type(t, item, "a list of booleans");
    }
    if (!taco__page_index_check_count(t, n, pages, "null_pages")) { return NULL; }
    p = (uint8_t *)taco__thrift_alloc(t, arena, n, 1);
    for (i = 0; i < n && p; i++) {
        p[i] = taco__thrift_bool_in_list(t);
    }
    return p;
}

static taco_bytes *taco__page_index_parse_binaries(taco__thrift *t, taco__arena *arena,
                                                   unsigned type, size_t *pages, const char *name)
{
    uint8_t item;
    size_t n = taco__thrift_begin_list(t, type, 1, &item), i;
    taco_bytes *p;
    if (!taco__page_index_check_count(t, n, pages, name)) { return NULL; }
    p = (taco_bytes *)taco__thrift_alloc(t, arena, n, sizeof *p);
    for (i = 0; i < n && taco__thrift_ok(t); i++) {
        p[i] = taco__thrift_binary(t, item);
    }
    return p;
}

/* Counts per page; a negative one means not known. */
static const int64_t *taco__page_index_parse_counts(taco__thrift *t, taco__arena *arena,
                                                    unsigned type, size_t *pages, const char *name)
{
    uint8_t item;
    size_t n = taco__thrift_begin_list(t, type, 1, &item), i;
    int64_t *p;
    if (!taco__page_index_check_count(t, n, pages, name)) { return NULL; }
    p = (int64_t *)taco__thrift_alloc(t, arena, n, sizeof *p);
    for (i = 0; i < n && taco__thrift_ok(t); i++) {
        int64_t x = taco__thrift_i64(t, item);
        p[i] = TACO__MAX(x, (int64_t)-1);
    }
    return p;
}

TACO__FN taco_status taco__page_index_parse_columns(taco__arena *arena, taco_bytes in,
                                                    uint64_t file_offset, size_t pages,
                                                    taco__pq_column_index *out, taco_error *err)
{
    taco__thrift t;
    taco__thrift_field f;
    memset(out, 0, sizeof *out);
    taco__thrift_init(&t, in, file_offset, "column index", false, err);
    taco__thrift_begin(&t, &f);
    while (taco__thrift_next(&t, &f)) {
        switch (f.id) {
        case 1: out->null_pages = taco__page_index_parse_bools(&t, arena, f.type, &pages); break;
        case 2:
            out->min = taco__page_index_parse_binaries(&t, arena, f.type, &pages, "min_values");
            break;
        case 3:
            out->max = taco__page_index_parse_binaries(&t, arena, f.type, &pages, "max_values");
            break;
        case 4: out->boundary_order = taco__thrift_i32(&t, f.type); break;
        case 5:
            out->null_counts =
                taco__page_index_parse_counts(&t, arena, f.type, &pages, "null_counts");
            break;
        case 8:
            out->nan_counts =
                taco__page_index_parse_counts(&t, arena, f.type, &pages, "nan_counts");
            break;
        default: taco__thrift_skip(&t, f.type); break;
        }
    }
    if (taco__thrift_ok(&t) && (!out->null_pages || !out->min || !out->max)) {
        TACO__THRIFT_FAIL(&t, file_offset, "column index without %s",
                          !out->null_pages ? "null_pages"
                          : !out->min      ? "min_values"
                                           : "max_values");
    }
    if (out->boundary_order < 0 || out->boundary_order > 2) { out->boundary_order = 0; }
    out->pages = pages;
    return t.status;
}

/* A PageLocation, inside the chunk. */
static void taco__page_index_parse_location(taco__thrift *t, taco__pq_page_location *p,
                                            const taco__range *chunk)
{
    taco__thrift_field f;
    uint64_t at = taco__thrift_at(t);
    p->first_row = -1;
    taco__thrift_begin(t, &f);
    while (taco__thrift_next(t, &f)) {
        switch (f.id) {
        case 1: p->offset = (uint64_t)taco__thrift_count(t, f.type, "offset of a page"); break;
        case 2: p->size = taco__thrift_count32(t, f.type, "compressed_page_size"); break;
        case 3: p->first_row = taco__thrift_count(t, f.type, "first_row_index"); break;
        default: taco__thrift_skip(t, f.type); break;
        }
    }
    if (taco__thrift_ok(t) &&
        (p->size == 0 || p->first_row < 0 || p->offset < chunk->offset ||
         !taco__checked_range(p->offset - chunk->offset, p->size, chunk->len))) {
        TACO__THRIFT_FAIL(t, at,
                          "page of %u bytes at byte %u, its column chunk has %u from byte %u",
                          TACO__U(p->size), p->offset, chunk->len, chunk->offset);
    }
}

/* Fails if page i does not come after the one before it, in bytes and in rows, or begins past the
   last row of the row group. */
static bool taco__page_index_check_location(taco__thrift *t, uint64_t at,
                                            const taco__pq_offset_index *x, size_t i, int64_t rows)
{
    const taco__pq_page_location *p = &x->page[i], *last = i ? p - 1 : NULL;
    if (last ? p->offset < last->offset + last->size || p->first_row < last->first_row
             : p->first_row != 0) {
        return TACO__THRIFT_FAIL(t, at,
                                 "page %u at byte %u, row %d, does not follow the one before it",
                                 TACO__U(i), p->offset, p->first_row);
    }
    if (p->first_row > rows) {
        return TACO__THRIFT_FAIL(t, at, "page %u begins at row %d, its row group has %d",
                                 TACO__U(i), p->first_row, rows);
    }
    return true;
}

/* OffsetIndex.page_locations. */
static void taco__page_index_parse_locations(taco__thrift *t, taco__arena *arena, unsigned type,
                                             const taco__range *chunk, int64_t rows,
                                             taco__pq_offset_index *out)
{
    size_t i;
    /* at least three numbers with their headers, and a stop */
    out->pages = taco__thrift_begin_structs(t, type, 7);
    out->page =
        (taco__pq_page_location *)taco__thrift_alloc(t, arena, out->pages, sizeof *out->page);
    for (i = 0; i < out->pages && taco__thrift_ok(t); i++) {
        uint64_t at = taco__thrift_at(t);
        taco__page_index_parse_location(t, &out->page[i], chunk);
        if (taco__thrift_ok(t)) { taco__page_index_check_location(t, at, out, i, rows); }
    }
}

TACO__FN taco_status taco__page_index_parse_offsets(taco__arena *arena, taco_bytes in,
                                                    uint64_t file_offset,
                                                    const taco__pq_column_chunk *chunk,
                                                    int64_t rows, taco__pq_offset_index *out,
                                                    taco_error *err)
{
    taco__thrift t;
    taco__thrift_field f;
    memset(out, 0, sizeof *out);
    taco__thrift_init(&t, in, file_offset, "offset index", false, err);
    taco__thrift_begin(&t, &f);
    while (taco__thrift_next(&t, &f)) {
        if (f.id == 1) {
            taco__page_index_parse_locations(&t, arena, f.type, &chunk->pages, rows, out);
        } else {
            taco__thrift_skip(&t, f.type);
        }
    }
    if (taco__thrift_ok(&t) && !out->page) {
        TACO__THRIFT_FAIL(&t, file_offset, "offset index without page_locations");
    }
    return t.status;
}

TACO__FN size_t taco__page_index_find_page(const taco__pq_offset_index *x, uint64_t row)
{
    size_t i = 1; /* the first page begins at row 0 */
    TACO__LOWER_BOUND(i, x->pages, k, (uint64_t)x->page[k].first_row <= row);
    return i - 1;
}

TACO__FN uint64_t taco__page_index_page_end(const taco__pq_offset_index *x, size_t page,
                                            uint64_t rows)
{
    return page + 1 < x->pages ? (uint64_t)x->page[page + 1].first_row : rows;
}

/* ---- for readers: read once, if they are of use ---- */

/* Column chunks up to this size are read whole, without their index. */
#ifndef TACO__PAGE_INDEX_MIN_CHUNK /* fuzz targets use 0 */
#define TACO__PAGE_INDEX_MIN_CHUNK 4096
#endif

/* Where the index of a chunk is kept once read; the list is allocated on first use. NULL if there
   is no memory. */
static taco__pq_page_index *taco__page_index_get(taco_pq_file *f, uint32_t group, uint32_t leaf,
                                                 taco_error *err)
{
    if (!f->indexes) {
        f->indexes = (taco__pq_page_index **)taco__arena_array(&f->arena, f->meta.group_count,
                                                               sizeof *f->indexes, err);
    }
    if (f->indexes && !f->indexes[group]) {
        f->indexes[group] = (taco__pq_page_index *)taco__arena_array(&f->arena, f->meta.leaf_count,
                                                                     sizeof **f->indexes, err);
    }
    return f->indexes && f->indexes[group] ? &f->indexes[group][leaf] : NULL;
}

TACO__FN bool taco__page_index_is_useful(const taco__pq_column_chunk *c)
{
    return TACO__WITH_PAGE_INDEX && c->offset_index.len &&
           c->pages.len > TACO__PAGE_INDEX_MIN_CHUNK && c->offset_index.len < c->pages.len &&
           !c->encrypted && !c->external;
}

/* Whether the pages are contiguous up to the end of the chunk: only then can a reader jump over
   some. */
static bool taco__page_index_is_contiguous(const taco__pq_column_chunk *c,
                                           const taco__pq_offset_index *x)
{
    size_t i;
    uint64_t end = c->pages.offset + c->pages.len;
    for (i = 0; i < x->pages; i++) {
        uint64_t next = i + 1 < x->pages ? x->page[i + 1].offset : end;
        if (x->page[i].offset + x->page[i].size != next) { return false; }
    }
    return x->pages != 0;
}

/* Bytes of an index; NULL if they cannot be read. Valid until the next call. */
static const uint8_t *taco__page_index_read_bytes(taco_pq_file *f, taco__range r, taco_error *err)
{
    size_t len;
    return r.len <= f->options.limits.max_metadata && taco__checked_to_size(r.len, &len)
               ? taco__file_part_view(&f->part, r.offset, len, &f->index_bytes, err)
               : NULL;
}

TACO__FN bool taco__page_index_is_fatal(const taco_error *e, taco_error *err)
{
    bool machine = taco__error_is_of_machine(e) || e->code == TACO_ERR_LIMIT;
    if (machine) { taco__error_copy(err, e); }
    return machine;
}

TACO__FN bool taco__page_index_has_offsets(const taco_pq_file *f, uint32_t group, uint32_t leaf)
{
    return f->indexes && f->indexes[group] && f->indexes[group][leaf].has_offsets;
}

/* Reads the offset index of a chunk into *out, leaving it without pages if it is unusable; false if
   reading failed. */
static bool taco__page_index_read_offsets(taco_pq_file *f, const taco__pq_column_chunk *c,
                                          int64_t rows, taco__pq_offset_index *out, taco_error *err)
{
    taco_error e;
    const uint8_t *p;
    memset(&e, 0, sizeof e);
    p = taco__page_index_read_bytes(f, c->offset_index, &e);
    if (!p ||
        taco__page_index_parse_offsets(&f->arena, taco__bytes_of(p, (size_t)c->offset_index.len),
                                       c->offset_index.offset, c, rows, out, &e) != TACO_OK ||
        !taco__page_index_is_contiguous(c, out)) {
        out->pages = 0;
    }
    return !taco__page_index_is_fatal(&e, err);
}

/* The same for the column index of a chunk with these offsets. Its bytes are copied, because its
   slices point into them. */
static bool taco__page_index_read_columns(taco_pq_file *f, uint32_t group, uint32_t leaf,
                                          const taco__pq_offset_index *offsets,
                                          taco__pq_column_index *out, taco_error *err)
{
    const taco__pq_column_chunk *c = &f->meta.groups[group].chunks[leaf];
    size_t len = (size_t)c->column_index.len;
    taco_error e;
    const uint8_t *p;
    uint8_t *copy = NULL;
    memset(&e, 0, sizeof e);
    p = taco__page_index_read_bytes(f, c->column_index, &e);
    if (p) { copy = (uint8_t *)taco__arena_alloc(&f->arena, len, &e); }
    if (copy) { memcpy(copy, p, len); }
    if (!copy ||
        taco__page_index_parse_columns(&f->arena, taco__bytes_of(copy, len), c->column_index.offset,
                                       offsets->pages, out, &e) != TACO_OK ||
        !taco__page_index_agrees(&f->meta, group, leaf, offsets, out, NULL)) {
        out->pages = 0;
    }
    return !taco__page_index_is_fatal(&e, err);
}

TACO__FN const taco__pq_offset_index *
taco__page_index_offsets(taco_pq_file *f, uint32_t group, uint32_t leaf, bool *ok, taco_error *err)
{
    const taco__pq_row_group *g = &f->meta.groups[group];
    const taco__pq_column_chunk *c = &g->chunks[leaf];
    taco__pq_page_index *x;
    *ok = true;
    if (!TACO__WITH_PAGE_INDEX || !taco__page_index_is_useful(c) ||
        (f->part.file->cached_only && !taco__page_index_has_offsets(f, group, leaf))) {
        return NULL;
    }
    x = taco__page_index_get(f, group, leaf, err);
    if (!x) {
        *ok = false;
        return NULL;
    }
    if (!x->has_offsets) {
        *ok = taco__page_index_read_offsets(f, c, g->rows, &x->offsets, err);
        x->has_offsets = *ok;
    }
    return x->offsets.pages ? &x->offsets : NULL;
}

TACO__FN const taco__pq_column_index *
taco__page_index_columns(taco_pq_file *f, uint32_t group, uint32_t leaf, bool *ok, taco_error *err)
{
    const taco__pq_column_chunk *c = &f->meta.groups[group].chunks[leaf];
    const taco__pq_offset_index *offsets = taco__page_index_offsets(f, group, leaf, ok, err);
    taco__pq_page_index *x;
    if (!TACO__WITH_PAGE_INDEX || !offsets || !c->column_index.len ||
        c->column_index.len >= c->pages.len) {
        return NULL;
    }
    x = taco__page_index_get(f, group, leaf, err); /* exists already, because it has the offsets */
    if (!x->has_columns) {
        *ok = taco__page_index_read_columns(f, group, leaf, offsets, &x->columns, err);
        x->has_columns = *ok;
    }
    return x->columns.pages ? &x->columns : NULL;
}
