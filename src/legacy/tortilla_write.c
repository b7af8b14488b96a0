/* tortilla_write.c - writes samples as Tortilla or TACO 0.x files: header, payloads, footer

   In: a taco__tortilla_node: columns of samples, some of which are tortillas with their own
   samples, and a function that supplies the bytes of each; out: a .tortilla, or with a
   collection a .taco (Tortilla 0.5.0 "Format", TACO 0.2.0), in one file or in parts.

       header 200 | payload 0 | payload 1 | ... | footer, Parquet | collection, JSON

   A footer locates the payloads and comes after them, and a nested tortilla is a payload. So
   sizes are computed first, from the leaves up (taco__tortilla_write_measure), then footers, and
   the bytes are written in one pass, without patching (taco__tortilla_write_file). To this end
   the source of each sample is opened twice. Rows are checked in tortilla_check.c. */
#include "legacy.h"
#include "../base/base.h"
#include "../base/sink.h"
#include "../base/temporary.h"
#include "../base/file_copy.h"
#include "../base/json.h"
#include "../parquet_write/parquet_write.h"

/* Closes a source supplied by payload, if it is ours to close. */
static void taco__tortilla_write_close_input(const taco__tortilla_writer *w, taco__input *in)
{
    if (w->closes && in->source.close) { in->source.close(in->source.ctx); }
    memset(in, 0, sizeof *in);
}

TACO__FN void taco__tortilla_write_init(taco__tortilla_writer *w, const taco_options *opt,
                                        taco_error *err)
{
    memset(w, 0, sizeof *w);
    taco__mem_init(&w->mem, opt);
    taco__options_init(&w->options, opt);
    w->arena.mem = w->copied.mem = w->copied.sources.mem = &w->mem;
    w->copied.most = w->options.limits.max_output;
    w->err = err;
}

/* ---- footers ---- */

/* Order of columns: those of every tortilla first, all others have 3. */
static int taco__tortilla_write_column_rank(const char *name)
{
    static const char *const first[] = {"tortilla:id", "tortilla:file_format",
                                        "tortilla:data_split"};
    int i;
    for (i = 0; i < 3 && strcmp(name, first[i]) != 0; i++) {}
    return i;
}

/* Copies of columns whose fields are nullable, as in pandas; *fields too. */
static taco_array *taco__tortilla_write_nullable(taco__tortilla_writer *w,
                                                 const taco_array *columns, size_t n,
                                                 taco_field **fields)
{
    taco_field *f = (taco_field *)taco__arena_array(&w->arena, n + 1, sizeof *f, w->err);
    taco_array *a = (taco_array *)taco__arena_array(&w->arena, n + 1, sizeof *a, w->err);
    size_t i;
    *fields = f;
    for (i = 0; f && a && i < n; i++) {
        f[i] = *columns[i].field;
        f[i].nullable = true;
        a[i] = columns[i];
        a[i].field = &f[i];
    }
    return f ? a : NULL;
}

/* Writes one batch as a Parquet file in the way of the last writer: ZSTD, one row group. */
static bool taco__tortilla_write_parquet(taco__tortilla_writer *w, const taco_sink *sink,
                                         const taco_field *fields, const taco_batch *b,
                                         const char *pointer)
{
    taco_pq_write_options o;
    taco_pq_key key;
    taco_pq_writer *pq;
    memset(&o, 0, sizeof o);
    o.options = &w->options;
    o.codec = TACO_CODEC_ZSTD;
    o.encoding = TACO_ENCODING_PLAIN;
    o.row_group_rows = INT32_MAX;
    key.key = "pointer";
    key.value = pointer;
    o.keys = &key;
    o.key_count = pointer != NULL;
    pq = taco_pq_write(sink, fields, b->column_count, &o, w->err);
    if (pq && b->length) { taco_pq_writer_batch(pq, b); }
    return pq && taco_pq_writer_close(pq, w->err) == TACO_OK;
}

TACO__FN bool taco__tortilla_write_encode_footer(taco__tortilla_writer *w,
                                                 const taco_array *columns, size_t n, size_t rows,
                                                 const char *pointer, taco_bytes *out)
{
    taco_field *fields;
    taco_sink sink;
    taco_batch b;
    bool ok;
    memset(&b, 0, sizeof b);
    b.first_row = -1;
    b.length = rows;
    b.column_count = n;
    b.columns = taco__tortilla_write_nullable(w, columns, n, &fields);
    if (!b.columns || taco_sink_memory(&sink, &w->options, w->err) != TACO_OK) { return false; }
    ok = taco__tortilla_write_parquet(w, &sink, fields, &b, pointer);
    if (ok) {
        *out = taco_sink_bytes(&sink);
        out->data = (const uint8_t *)taco__arena_text(&w->arena, *out, w->err);
        ok = out->data != NULL;
    }
    taco_sink_free(&sink);
    return ok;
}

/* Makes tortilla:offset and tortilla:length, or in compiled files the reverse. */
static bool taco__tortilla_write_range_columns(taco__tortilla_writer *w, size_t rows,
                                               const int64_t *offsets, const int64_t *sizes,
                                               taco_array *out)
{
    taco_field *f = (taco_field *)taco__arena_array(&w->arena, 2, sizeof *f, w->err);
    size_t k;
    if (!f) { return false; }
    f[w->compiled] = taco__field_make("tortilla:offset", TACO_INT64);
    f[!w->compiled] = taco__field_make("tortilla:length", TACO_INT64);
    memset(out, 0, 2 * sizeof *out);
    for (k = 0; k < 2; k++) {
        out[k].field = &f[k];
        out[k].length = rows;
    }
    out[w->compiled].v.i64 = offsets;
    out[!w->compiled].v.i64 = sizes;
    return true;
}

/* id, format and split, then offset and length, then all others. */
TACO__FN bool taco__tortilla_write_make_columns(taco__tortilla_writer *w,
                                                const taco__tortilla_node *node,
                                                const int64_t *offsets, const int64_t *sizes,
                                                taco_array *out, size_t *n)
{
    size_t i;
    int rank;
    for (*n = 0, rank = 0; rank <= 3; rank++) {
        if (rank == 3) {
            if (!taco__tortilla_write_range_columns(w, node->rows, offsets, sizes, &out[*n])) {
                return false;
            }
            *n += 2;
        }
        for (i = 0; i < node->column_count; i++) {
            if (taco__tortilla_write_column_rank(node->columns[i].field->name) == rank) {
                out[(*n)++] = node->columns[i];
            }
        }
    }
    return true;
}

/* Places the payloads one after another, after the header: at[] are their offsets, *end the end of
   the last. */
static bool taco__tortilla_write_place_rows(taco__tortilla_writer *w,
                                            const taco__tortilla_node *node, int64_t *at,
                                            int64_t *sizes, uint64_t *end)
{
    size_t i;
    *end = TACO__TORTILLA_HEADER_BYTES;
    for (i = 0; i < node->rows; i++) {
        at[i] = (int64_t)*end;
        sizes[i] = (int64_t)node->sizes[i];
        if (!taco__checked_add64(*end, node->sizes[i], end) || *end > INT64_MAX) {
            TACO__FAIL(w->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "payloads of more than 2^63 bytes");
            return false;
        }
    }
    return true;
}

/* Makes the footer of a node whose sizes are known. */
static bool taco__tortilla_write_make_footer(taco__tortilla_writer *w, taco__tortilla_node *node)
{
    int64_t *at = (int64_t *)taco__arena_array(&w->arena, node->rows + 8, sizeof *at, w->err);
    int64_t *sizes = (int64_t *)taco__arena_array(&w->arena, node->rows + 8, sizeof *sizes, w->err);
    taco_array *columns =
        (taco_array *)taco__arena_array(&w->arena, node->column_count + 2, sizeof *columns, w->err);
    uint64_t end;
    size_t n;
    if (!at || !sizes || !columns || !taco__tortilla_write_place_rows(w, node, at, sizes, &end)) {
        return false;
    }
    node->body = end - TACO__TORTILLA_HEADER_BYTES;
    return taco__tortilla_write_make_columns(w, node, at, sizes, columns, &n) &&
           taco__tortilla_write_encode_footer(w, columns, n, node->rows, NULL, &node->footer);
}

/* The id of a row; empty if there is none. */
static taco_bytes taco__tortilla_write_id(const taco__tortilla_node *node, size_t i)
{
    const taco_array *ids =
        taco__tortilla_check_find(node->columns, node->column_count, "tortilla:id");
    return ids && ids->field->type == TACO_TEXT ? taco_array_bytes(ids, i)
                                                : taco__bytes_of(NULL, 0);
}

/* Measures one sample. */
static bool taco__tortilla_write_measure_row(taco__tortilla_writer *w, taco__tortilla_node *node,
                                             size_t i)
{
    taco__input in;
    bool ok;
    memset(&in, 0, sizeof in);
    if (!w->payload(w->ctx, node, i, &in, w->err)) { return false; }
    node->sizes[i] = in.size;
    ok = !w->copies ||
         taco__payload_ranges_add(&w->copied, &in, taco__tortilla_write_id(node, i), w->err);
    taco__tortilla_write_close_input(w, &in);
    return ok;
}

/* taco__tortilla_write_measure, without the check of what was copied. */
static bool taco__tortilla_write_measure_node(taco__tortilla_writer *w, taco__tortilla_node *node)
{
    size_t i;
    for (i = 0; i < node->rows; i++) {
        taco__tortilla_node *child = node->children ? node->children[i] : NULL;
        if (!child) {
            if (!taco__tortilla_write_measure_row(w, node, i)) { return false; }
            continue;
        }
        if (!taco__tortilla_write_measure_node(w, child)) { return false; }
        node->sizes[i] = TACO__TORTILLA_HEADER_BYTES + child->body + child->footer.len;
    }
    return taco__tortilla_write_make_footer(w, node);
}

TACO__FN bool taco__tortilla_write_measure(taco__tortilla_writer *w, taco__tortilla_node *node)
{
    return taco__tortilla_write_measure_node(w, node) &&
           taco__payload_ranges_check(&w->copied, w->err);
}

/* ---- bytes ---- */

TACO__FN bool taco__tortilla_write_header(taco__tortilla_writer *w, const char *magic,
                                          taco__range footer, uint64_t parts,
                                          taco__range collection)
{
    uint8_t p[TACO__TORTILLA_HEADER_BYTES];
    memset(p, 0, sizeof p);
    memcpy(p, magic, 2);
    taco__put_le64(p + 2, footer.offset);
    taco__put_le64(p + 10, footer.len);
    taco__put_le64(p + 18, parts);
    taco__put_le64(p + 26, collection.offset);
    taco__put_le64(p + 34, collection.len);
    return taco__output_write(&w->out, p, sizeof p, w->err);
}

TACO__FN bool taco__tortilla_write_payload(taco__tortilla_writer *w, const taco__input *in,
                                           taco_bytes id)
{
    uint64_t at = 0;
    uint32_t crc = 0;
    while (at < in->size) {
        size_t n = (size_t)TACO__MIN(in->size - at, (uint64_t)TACO__OUTPUT_BYTES / 2);
        uint8_t *room = taco__output_reserve(&w->out, n, w->err);
        if (!room || !taco__input_read(in, at, room, n, w->err)) { return false; }
        if (in->has_crc) { crc = taco__crc32(crc, room, n); }
        at += n;
    }
    return taco__zip_check_copied(&w->options, in->has_crc, in->crc, crc, id, w->err);
}

/* Writes a sample that is not a tortilla; its size must be what it was when measured. */
static bool taco__tortilla_write_row(taco__tortilla_writer *w, const taco__tortilla_node *node,
                                     size_t i)
{
    taco__input in;
    bool ok;
    memset(&in, 0, sizeof in);
    ok = w->payload(w->ctx, node, i, &in, w->err);
    if (ok && in.size != node->sizes[i]) {
        TACO__FAIL(w->err, TACO_ERR_IO, TACO_NO_OFFSET,
                   "row %u: %u bytes now, %u when it was measured", TACO__U(i), TACO__U(in.size),
                   node->sizes[i]);
        ok = false;
    }
    ok = ok && taco__tortilla_write_payload(w, &in, taco__tortilla_write_id(node, i));
    taco__tortilla_write_close_input(w, &in);
    return ok;
}

/* Writes header, payloads and footer of a tortilla inside another. It is one part, even if the file
   is not. */
static bool taco__tortilla_write_nested(taco__tortilla_writer *w, const taco__tortilla_node *node)
{
    taco__range footer, none = {0, 0};
    footer.offset = TACO__TORTILLA_HEADER_BYTES + node->body;
    footer.len = node->footer.len;
    return taco__tortilla_write_header(w, "#y", footer, 1, none) &&
           taco__tortilla_write_body(w, node);
}

TACO__FN bool taco__tortilla_write_body(taco__tortilla_writer *w, const taco__tortilla_node *node)
{
    size_t i;
    for (i = 0; i < node->rows; i++) {
        const taco__tortilla_node *child = node->children ? node->children[i] : NULL;
        if (child ? !taco__tortilla_write_nested(w, child)
                  : !taco__tortilla_write_row(w, node, i)) {
            return false;
        }
    }
    return taco__output_write(&w->out, node->footer.data, node->footer.len, w->err);
}

TACO__FN bool taco__tortilla_write_open(taco__tortilla_writer *w, const char *path)
{
#ifndef TACO_NO_STDIO
    taco_sink sink;
    return taco__sink_file_staged(&sink, path, &w->options, &w->mem, w->staged, w->err) ==
               TACO_OK &&
           taco__output_open(&w->out, &sink, &w->mem, w->err);
#else
    (void)path;
    TACO__FAIL(w->err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET, "built without files");
    return false;
#endif
}

TACO__FN bool taco__tortilla_write_file(taco__tortilla_writer *w, const char *path,
                                        const taco__tortilla_node *node, uint64_t parts,
                                        taco_bytes json)
{
    taco__range footer, collection = {0, 0};
    bool ok;
    footer.offset = TACO__TORTILLA_HEADER_BYTES + node->body;
    footer.len = node->footer.len;
    if (json.data) {
        collection.offset = footer.offset + footer.len;
        collection.len = json.len;
    }
    if (!taco__tortilla_write_open(w, path)) { return false; }
    ok = taco__tortilla_write_header(w, json.data ? "WX" : "#y", footer, parts, collection) &&
         taco__tortilla_write_body(w, node) &&
         taco__output_write(&w->out, json.data, json.len, w->err);
    return taco__output_close(&w->out, ok, w->err) && ok;
}

/* ---- parts ---- */

/* End of the part that begins at row `first`: at least one payload, and at most `most` bytes. */
static size_t taco__tortilla_write_part_end(const taco__tortilla_node *node, size_t first,
                                            uint64_t most)
{
    uint64_t sum = node->sizes[first];
    size_t i = first + 1;
    for (; i < node->rows && (!sum || sum + node->sizes[i] <= most); i++) {
        sum += node->sizes[i];
    }
    return i;
}

#ifndef TACO_NO_STDIO
/* soyuna.tortilla as soyuna.0003.part.tortilla; NULL if out of memory. */
static const char *taco__tortilla_write_part_name(taco__tortilla_writer *w, const char *path,
                                                  size_t k)
{
    size_t n = strlen(path), dot = n, digits;
    const char *ext = strrchr(path, '.'), *slash = strrchr(path, '/');
    char number[24], *out, *p;
    if (ext && (!slash || ext > slash + 1)) { dot = (size_t)(ext - path); }
    p = out = (char *)taco__arena_alloc(&w->arena, n + 40, w->err);
    if (!out) { return NULL; }
    digits = taco__num_format_u64(number, k);
    memcpy(p, path, dot);
    p += dot;
    *p++ = '.';
    for (; digits + (size_t)(p - out) < dot + 5; *p++ = '0') {} /* at least four digits */
    memcpy(p, number, digits);
    p += digits;
    memcpy(p, ".part", 5);
    memcpy(p + 5, path + dot, n - dot + 1);
    return out;
}

/* Rows [first, first + n) of a node as a separate node. Every array that is indexed by row moves
   with them; what is indexed by column is made again, and the footer with it. */
static bool taco__tortilla_write_slice(taco__tortilla_writer *w, const taco__tortilla_node *node,
                                       size_t first, size_t n, taco__tortilla_node *out)
{
    taco_array *columns =
        (taco_array *)taco__arena_array(&w->arena, node->column_count + 1, sizeof *columns, w->err);
    size_t i;
    *out = *node;
    out->columns = columns;
    out->rows = n;
    out->sizes = node->sizes + first;
    out->children = node->children ? node->children + first : NULL;
    out->first_row = node->first_row + first;
    out->source_rows = node->source_rows ? node->source_rows + first : NULL;
    for (i = 0; columns && i < node->column_count; i++) {
        taco__concat_slice p;
        p.a = &node->columns[i];
        p.first = first;
        p.n = n;
        if (!taco__concat_arrays(&w->arena, node->columns[i].field, &p, 1, &columns[i], w->err)) {
            return false;
        }
    }
    return columns && taco__tortilla_write_make_footer(w, out);
}

/* Names the parts; ARGUMENT if one exists and is to be kept. One more that exists is warned of. */
static bool taco__tortilla_write_name_parts(taco__tortilla_writer *w, const char *path,
                                            taco__staged *list, size_t parts)
{
    const char *next = taco__tortilla_write_part_name(w, path, parts);
    size_t k;
    for (k = 0; next && k < parts; k++) {
        list[k].path = taco__tortilla_write_part_name(w, path, k);
        if (!list[k].path) { return false; }
        if (w->keep_parts && taco__plat_name_exists(list[k].path)) {
            TACO__FAIL(w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%s exists already",
                       list[k].path);
            return false;
        }
    }
    if (next) { taco__staged_warn_of_more(&w->options, next, "file", parts); }
    return next != NULL;
}

/* Writes every part under a temporary name; each header contains their number. */
static bool taco__tortilla_write_stage(taco__tortilla_writer *w, const taco__tortilla_node *node,
                                       uint64_t most, taco__staged *list, size_t parts,
                                       taco_bytes collection)
{
    taco__tortilla_node rows;
    size_t first, end, k = 0;
    bool ok = true;
    for (first = 0; ok && first < node->rows; first = end, k++) {
        end = taco__tortilla_write_part_end(node, first, most);
        w->staged = &list[k];
        ok = taco__tortilla_write_slice(w, node, first, end - first, &rows) &&
             taco__tortilla_write_file(w, list[k].path, &rows, parts, collection);
    }
    w->staged = NULL;
    return ok;
}
#endif

TACO__FN bool taco__tortilla_write_parts(taco__tortilla_writer *w, const char *path,
                                         taco__tortilla_node *node, uint64_t most,
                                         taco_bytes collection)
{
    size_t first, parts = 0;
    for (first = 0; first < node->rows; first = taco__tortilla_write_part_end(node, first, most)) {
        parts++;
    }
#ifndef TACO_NO_STDIO
    if (parts > 1) {
        taco__staged *list =
            (taco__staged *)taco__arena_array(&w->arena, parts, sizeof *list, w->err);
        bool ok;
        if (!list) { return false; }
        memset(list, 0, parts * sizeof *list);
        ok = taco__tortilla_write_name_parts(w, path, list, parts) &&
             taco__tortilla_write_stage(w, node, most, list, parts, collection) &&
             taco__staged_rename(list, parts, w->err);
        taco__staged_free(list, parts);
        return ok;
    }
#endif
    return taco__tortilla_write_file(w, path, node, 1, collection);
}

/* ---- the end ---- */

TACO__FN taco_status taco__tortilla_write_finish(taco__tortilla_writer *w, bool ok,
                                                 const char *path)
{
    taco__payload_ranges_free(&w->copied);
    taco__arena_free(&w->arena);
    if (!ok) { taco__error_prefix(w->err, "%s", path); }
    return ok ? TACO_OK : w->err->code;
}
