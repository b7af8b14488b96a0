/* export_source.c - columns and payloads of an export, read from the source dataset

   In: a source dataset and the tree of chosen samples (export.c); out: the two streams a
   container is written from: batches of the user's columns (taco__container_columns) and the
   bytes of each FILE. TACO 2.0 §7.1.3, §7.1.4.

   Columns come from a cursor over the level's table, from which only chosen rows are passed on; a
   level whose rows are not in the order of their parents is read into memory and returned in the
   order of e->order. Bytes are where the level says, unless there is no local header with that
   name: then __meta__ says where (taco__export_source_range), as some writers stored the offset of
   another row in the level. If the source reads many ranges in one request, payloads are fetched a
   window at a time. */
#include "write.h"
#include "../base/base.h"
#include "../base/file_copy.h"
#include "../arrow/arrow.h"
#include "../parquet/parquet.h"
#include "../dataset/dataset.h"
#include "../validate/validate.h"

/* Bytes of payload requested at a time from a source with read_many. */
#define TACO__EXPORT_PREFETCH 8388608
/* Payloads up to this size are small: this many bytes have the local headers of many. */
#define TACO__EXPORT_SMALL 4096
#define TACO__EXPORT_LEADS 65536

/* Frees the columns of the level being read; safe if there is none. */
TACO__FN void taco__export_source_end_level(taco__export *e)
{
    size_t i, n = e->source.counts[e->level];
    for (i = 0; i < n; i++) {
        if (e->selected) { taco__array_buf_free(&e->selected[i]); }
        if (e->whole) { taco__builder_free(&e->whole[i]); }
    }
    e->selected = NULL;
    e->whole = NULL;
    taco_cursor_close(e->cursor, NULL);
    e->cursor = NULL;
    taco__arena_free(&e->columns);
}

/* ---- columns ---- */

/* Declares the user's columns of a level: all but those of the format, nullable. A name that a new
   dataset cannot have is an error, as in tables. */
TACO__FN bool taco__export_source_fields(taco__export *e, uint32_t level, taco_error *err)
{
    size_t n, i, count = 0;
    const taco_field *all = taco_level_fields(e->ds, level, &n, err);
    taco_field *fields =
        all ? (taco_field *)taco__arena_array(&e->arena, n, sizeof *fields, err) : NULL;
    if (!fields) { return false; }
    for (i = 0; i < n; i++) {
        taco_bytes name = taco__bytes_text(all[i].name);
        if (taco__rules_is_format_column(name)) { continue; }
        if (taco__rules_check_own_name(name, err) != TACO_OK) {
            taco__error_prefix(err, "level %u", TACO__U(level));
            return false;
        }
        fields[count] = all[i];
        fields[count++].nullable = true;
    }
    e->source.fields[level] = fields;
    e->source.counts[level] = count;
    return true;
}

/* The user's columns as a query's select, NUL-terminated: "a", "b". */
static bool taco__export_source_select_list(taco__export *e, uint32_t level, taco__buf *out,
                                            taco_error *err)
{
    size_t i;
    bool ok = true;
    for (i = 0; ok && i < e->source.counts[level]; i++) {
        const char *p = e->source.fields[level][i].name;
        ok = taco__buf_append_text(out, i ? ", \"" : "\"", err);
        for (; ok && *p; p++) {
            ok = (*p != '"' || taco__buf_append_char(out, '"', err)) &&
                 taco__buf_append_char(out, *p, err);
        }
        ok = ok && taco__buf_append_char(out, '"', err);
    }
    return ok && taco__buf_append_char(out, 0, err);
}

/* The chosen rows of the next batch that has any; length 0 at the end. If all rows of a batch are
   chosen, it is passed on without a copy. */
static bool taco__export_source_next_chosen(taco__export *e, taco_batch *out, taco_error *err)
{
    taco_batch b;
    size_t i, n = 0;
    memset(out, 0, sizeof *out);
    while (n == 0) {
        int32_t *index;
        const uint64_t *place =
            taco_cursor_batch(e->cursor, &b) ? taco_cursor_positions(e->cursor) : NULL;
        if (!place) {
            taco_cursor *c = e->cursor;
            e->cursor = NULL;
            return taco_cursor_close(c, err) == TACO_OK;
        }
        if (place[b.length - 1] >= e->rows[e->level] ||
            !taco__buf_reset(&e->index, b.length * sizeof *index, err)) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "level %u has more rows than before",
                       TACO__U(e->level));
            return false;
        }
        index = (int32_t *)(void *)e->index.data;
        for (i = 0; i < b.length; i++) {
            index[n] = (int32_t)i;
            n += taco__bitmap_get(e->chosen[e->level], (size_t)place[i]);
        }
    }
    if (n == b.length) {
        *out = b;
        return true;
    }
    for (i = 0; i < b.column_count; i++) {
        if (!taco__take_array(&e->selected[i], &b.columns[i],
                              (const int32_t *)(const void *)e->index.data, n, err)) {
            return false;
        }
        e->arrays[i] = e->selected[i].array;
    }
    out->first_row = -1;
    out->length = n;
    out->columns = e->arrays;
    out->column_count = b.column_count;
    return true;
}

/* Reads all chosen rows of a level into memory, because their order differs from that in the
   source. */
static bool taco__export_source_read_level(taco__export *e, taco_error *err)
{
    size_t n = e->source.counts[e->level], i, row;
    taco_batch b;
    bool ok;
    e->whole = (taco__builder *)taco__arena_array(&e->columns, n, sizeof *e->whole, err);
    ok = e->whole != NULL;
    for (i = 0; ok && i < n; i++) {
        ok = taco__builder_init(&e->whole[i], &e->source.fields[e->level][i], &e->mem, &e->columns,
                                err);
    }
    b.length = 1;
    while (ok && b.length) {
        ok = taco__export_source_next_chosen(e, &b, err);
        for (i = 0; ok && i < n && b.length; i++) {
            for (row = 0; ok && row < b.length; row++) {
                ok = taco__array_builder_append_copy(&e->whole[i].rows, &b.columns[i], row, err);
            }
        }
    }
    for (i = 0; ok && i < n; i++) {
        taco__builder_finish(&e->whole[i]);
        ok = e->whole[i].rows.length == e->tree.level[e->level].rows;
    }
    e->at = 0;
    return ok;
}

/* taco__container_columns.begin. */
TACO__FN bool taco__export_source_begin_level(void *ctx, uint32_t level, taco_error *err)
{
    taco__export *e = (taco__export *)ctx;
    taco_query q;
    taco__buf names;
    size_t i, n = e->source.counts[level];
    bool ok;
    memset(&q, 0, sizeof q);
    memset(&names, 0, sizeof names);
    names.mem = &e->mem;
    taco__export_source_end_level(e);
    e->level = level;
    e->at = 0;
    ok = taco__export_source_select_list(e, level, &names, err);
    if (ok) {
        q.table = level;
        q.padding = true;
        q.select = (const char *)names.data;
        e->cursor = taco_select(e->ds, &q, err);
    }
    taco__buf_free(&names);
    if (!e->cursor) { return false; }
    e->arrays = (taco_array *)taco__arena_array(&e->columns, n, sizeof *e->arrays, err);
    e->selected = (taco__array_buf *)taco__arena_array(&e->columns, n, sizeof *e->selected, err);
    ok = e->arrays && e->selected;
    for (i = 0; ok && i < n; i++) {
        ok = taco__array_buf_init(&e->selected[i], &e->source.fields[level][i], &e->mem,
                                  &e->columns, err);
    }
    return ok && (!e->order[level].len || taco__export_source_read_level(e, err));
}

/* taco__container_columns.next. */
TACO__FN bool taco__export_source_next_batch(void *ctx, taco_batch *out, taco_error *err)
{
    taco__export *e = (taco__export *)ctx;
    const int32_t *order = (const int32_t *)(const void *)e->order[e->level].data;
    size_t i, n;
    if (!e->whole) { return taco__export_source_next_chosen(e, out, err); }
    n = TACO__MIN(e->tree.level[e->level].rows - e->at, (size_t)TACO__BATCH_ROWS);
    memset(out, 0, sizeof *out);
    for (i = 0; i < e->source.counts[e->level]; i++) {
        if (!taco__take_array(&e->selected[i], &e->whole[i].array, order + e->at, n, err)) {
            return false;
        }
        e->arrays[i] = e->selected[i].array;
    }
    e->at += n;
    out->first_row = -1;
    out->length = n;
    out->columns = e->arrays;
    out->column_count = e->source.counts[e->level];
    return true;
}

/* ---- payload ---- */

/* taco_source.read over a file whose window has been fetched. */
static bool taco__export_source_read_prefetched(void *ctx, uint64_t offset, void *dst, size_t len)
{
    return taco__file_read((taco__file *)ctx, offset, dst, len, NULL);
}

/* Origin of the bytes of a row, which is that of its sample of level 0. */
static const taco__export_origin *taco__export_source_origin_of(taco__export *e, uint32_t level,
                                                                size_t row, size_t *number)
{
    for (; level; level--) {
        row = taco__tree_parent(&e->tree, level, row);
    }
    *number = ((const uint32_t *)(const void *)e->place.data)[row];
    return &((const taco__export_origin *)(const void *)e->places.data)[*number];
}

/* Fetches the bytes of the following rows in one request, as long as they are close together in the
   same archive. Local headers are fetched too. */
static bool taco__export_source_prefetch(taco__export *e, uint32_t level, size_t row, size_t place,
                                         taco_error *err)
{
    taco__export_window *w = &e->window[level];
    uint64_t begin = UINT64_MAX, end = 0, sum = 0;
    size_t to = row, number;
    if (w->file == e->file && row >= w->from && row < w->to) { return true; }
    if (w->file) {
        taco__file_release(w->file, w->range.offset, w->range.len);
        w->file = NULL;
    }
    for (; to < e->tree.level[level].rows; to++) {
        uint64_t offset = (uint64_t)taco__tree_offset(&e->tree, level, to),
                 size = (uint64_t)taco__tree_size(&e->tree, level, to), low, high;
        taco__export_source_origin_of(e, level, to, &number);
        if (number != place || taco__tree_is_folder(&e->tree, level, to)) { break; }
        low = TACO__MIN(begin, offset - TACO__MIN(offset, (uint64_t)1024));
        high = TACO__MAX(end, offset + size);
        sum += size;
        if (high - low > TACO__EXPORT_PREFETCH || high - low > sum * 2 + 65536) {
            break; /* too much at once, or too far apart */
        }
        begin = low;
        end = high;
    }
    if (to > row && taco__checked_range(begin, end - begin, e->file->src.size)) {
        w->range.offset = begin;
        w->range.len = end - begin;
        w->from = row;
        w->to = to;
        if (!taco__file_fetch(e->file, &w->range, 1, err)) { return false; }
        w->file = e->file;
    }
    return true;
}

/* True if the local header of the entry `name` ends right before the offset, with or without the
   ZIP64 extra field. */
static bool taco__export_source_has_local_header(taco__export *e, uint64_t offset, taco_bytes name,
                                                 taco_error *err)
{
    const uint64_t size = e->file->src.size;
    size_t extra;
    for (extra = 0; extra <= 20; extra += 20) {
        size_t len = TACO__ZIP_LOCAL_BYTES + name.len + extra;
        if (offset < len || offset > size) { continue; }
        if (!taco__buf_reset(&e->head, len, err) ||
            !taco__file_read(e->file, offset - len, e->head.data, len, err)) {
            return false;
        }
        if (taco__load_le32(e->head.data) == TACO__ZIP_SIG_LOCAL &&
            memcmp(e->head.data + TACO__ZIP_LOCAL_BYTES, name.data, name.len) == 0) {
            return true;
        }
    }
    return false;
}

/* The stored row of a sample of level 0, counted over all containers. Samples are mostly asked for
   in order. */
static size_t taco__export_source_stored_row(taco__export *e, size_t sample)
{
    if (sample < e->before) { e->before = e->stored = 0; }
    for (; e->stored + 1 < e->rows[0]; e->stored++) {
        if (!taco__bitmap_get(e->chosen[0], e->stored)) { continue; }
        if (e->before == sample) { break; }
        e->before++;
    }
    return e->stored;
}

/* Makes e->head the keys of a row below level 0 with this path of ids. The id of its sample may
   belong to a sample of another container, too. */
static bool taco__export_source_make_keys(taco__export *e, uint32_t level, size_t row,
                                          taco_bytes path, taco_error *err)
{
    const uint8_t *slash = (const uint8_t *)memchr(path.data, '/', path.len);
    size_t skip = slash ? (size_t)(slash - path.data) : path.len;
    char digits[24];
    for (; level; level--) {
        row = taco__tree_parent(&e->tree, level, row);
    }
    e->head.len = 0;
    return taco__buf_append_text(&e->head, "@@", err) &&
           taco__buf_append(&e->head, digits,
                            taco__num_format_u64(digits, taco__export_source_stored_row(e, row)),
                            err) &&
           taco__nav_append_keys(&e->head, taco__bytes_of(path.data + skip, path.len - skip),
                                 err) &&
           taco__buf_append_char(&e->head, 0, err);
}

/* Offset and size of a FILE in its archive: those in the level if a local header confirms them,
   else those in __meta__, else those in the level. */
TACO__FN bool taco__export_source_range(taco__export *e, uint32_t level, size_t row,
                                        taco__range *out, taco_error *err)
{
    taco_sample s;
    taco_error why;
    taco_bytes name;
    out->offset = (uint64_t)taco__tree_offset(&e->tree, level, row);
    out->len = (uint64_t)taco__tree_size(&e->tree, level, row);
    if (level == 0) { return true; }
    e->path.len = 0;
    if (!taco__buf_append_text(&e->path, "DATA/", err) ||
        !taco__tree_path(&e->tree, level, row, &e->path, err)) {
        return false;
    }
    name = taco__bytes_of(e->path.data, e->path.len);
    if (taco__export_source_has_local_header(e, out->offset, name, err) || err->code != TACO_OK) {
        return err->code == TACO_OK;
    }
    memset(&why, 0, sizeof why);
    if (taco__export_source_make_keys(e, level, row, taco__bytes_of(name.data + 5, name.len - 5),
                                      err) &&
        taco_locate(e->ds, (const char *)e->head.data, &s, &why) == TACO_OK && !s.folder &&
        !s.whole) {
        out->offset = s.offset;
        out->len = s.size;
    }
    if (taco__error_is_of_machine(&why)) { *err = why; }
    return err->code == TACO_OK;
}

/* The path of a sample of a FOLDER dataset, until the next call; NULL without memory. */
static const char *taco__export_source_folder_path(taco__export *e, const taco__container *s,
                                                   uint32_t level, size_t row, taco_error *err)
{
    e->path.len = 0;
    return taco__buf_append_text(&e->path, s->dir, err) &&
                   taco__buf_append_text(&e->path, "DATA/", err) &&
                   taco__tree_path(&e->tree, level, row, &e->path, err) &&
                   taco__buf_append_char(&e->path, 0, err)
               ? (const char *)e->path.data
               : NULL;
}

/* taco__container_source.path: only files that the C library opens. */
TACO__FN const char *taco__export_source_path(void *ctx, uint32_t level, size_t row)
{
    taco__export *e = (taco__export *)ctx;
    size_t number;
    const taco__container *s = taco__export_source_origin_of(e, level, row, &number)->store;
    return s->kind == TACO_KIND_FOLDER && !s->options->open_file
               ? taco__export_source_folder_path(e, s, level, row, NULL)
               : NULL;
}

/* Opens the file of a sample of a FOLDER dataset; padding has none. */
static bool taco__export_source_open_folder_file(taco__export *e, const taco__container *s,
                                                 uint32_t level, size_t row, taco__input *in,
                                                 taco_error *err)
{
    const char *path = taco__export_source_folder_path(e, s, level, row, err);
    taco_error why;
    bool ok;
    memset(&why, 0, sizeof why);
    if (!path) { return false; }
#ifndef TACO_NO_STDIO
    ok = s->options->open_file ? taco__source_open_path(s->options, path, &in->source, &why)
                               : taco__input_open_file(in, path, &why);
#else
    ok = taco__source_open_path(s->options, path, &in->source, &why);
#endif
    if (ok && s->options->open_file) {
        in->size = in->source.size;
        in->own = true;
    }
    if (!ok && taco__rules_is_padding(taco__tree_id(&e->tree, level, row))) {
        taco__input_from_bytes(
            in, taco__bytes_of(NULL, 0)); /* no file is needed, as there are no bytes */
        ok = true;
    }
    in->later = true;
    if (!ok && err->code == TACO_OK) { *err = why; }
    return ok;
}

/* The CRC-32 of a payload in its local header. False if it is not known, or out of memory. Headers
   of small payloads are read many at a time. */
static bool taco__export_source_crc(taco__export *e, const taco__range *r, uint32_t *crc,
                                    taco_error *err)
{
    const taco_source *src = &e->file->src;
    const uint64_t lead = TACO__MIN(r->offset, (uint64_t)TACO__ZIP_LEAD), at = r->offset - lead;
    taco_bytes name;
    bool known;
    if (at < e->lead_at || r->offset > e->lead_at + e->lead.len) {
        uint64_t n = r->len <= TACO__EXPORT_SMALL ? TACO__EXPORT_LEADS : lead;
        size_t len = (size_t)TACO__MIN(n, src->size - at);
        if (!taco__buf_reset(&e->lead, len, err) || !src->read(src->ctx, at, e->lead.data, len)) {
            return false;
        }
        e->lead.len = len;
        e->lead_at = at;
    }
    if (taco__zip_lead_crc(taco__bytes_of(e->lead.data + (at - e->lead_at), (size_t)lead), r->len,
                           &known, crc, &name)) {
        return known;
    }
    return lead == TACO__ZIP_LEAD && taco__zip_stored_crc(src, r->offset, r->len, crc);
}

/* taco__container_source.payload: opens the bytes of a FILE. */
TACO__FN bool taco__export_source_payload(void *ctx, uint32_t level, size_t row, taco__input *in,
                                          taco_error *err)
{
    taco__export *e = (taco__export *)ctx;
    size_t number;
    const taco__export_origin *p = taco__export_source_origin_of(e, level, row, &number);
    taco__range r;
    if (p->store->kind == TACO_KIND_FOLDER) {
        return taco__export_source_open_folder_file(e, p->store, level, row, in, err);
    }
    if (e->last != number || !e->file) {
        /* another archive may close this one */
        if (!taco__payload_batch_settle(e->writer, err)) { return false; }
        e->file = p->source
                      ? taco__container_open_archive(p->store, taco__bytes_text(p->source), err)
                      : &p->store->file;
        e->last = number;
        e->lead.len = 0;
        if (!e->file) { return taco__container_fail(p->store, NULL, err); }
    }
    if ((e->file->src.read_many && !taco__export_source_prefetch(e, level, row, number, err)) ||
        !taco__export_source_range(e, level, row, &r, err)) {
        return false;
    }
    if (!taco__checked_range(r.offset, r.len, e->file->src.size)) {
        taco_bytes id = taco__tree_id(&e->tree, level, row);
        TACO__FAIL(err, TACO_ERR_TRUNCATED, r.offset,
                   "%s: sample %q: payload of %u bytes, the archive ends at %u",
                   p->source ? p->source : p->store->name, &id, r.len, e->file->src.size);
        return false;
    }
    if (e->file->src.read_many) {
        memset(&e->prefetched, 0, sizeof e->prefetched);
        e->prefetched.ctx = e->file;
        e->prefetched.read = taco__export_source_read_prefetched;
        e->prefetched.size = e->file->src.size;
        taco__input_from_range(in, &e->prefetched, r.offset, r.len);
        in->has_crc = taco__zip_stored_crc(&e->prefetched, r.offset, r.len, &in->crc);
    } else {
        taco__input_from_range(in, &e->file->src, r.offset, r.len);
        in->has_crc = taco__export_source_crc(e, &r, &in->crc, err);
        in->later = true;
    }
    in->archive = (uint64_t)number + 1;
    return err->code == TACO_OK;
}
