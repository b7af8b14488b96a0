/* tortilla_write.c - writers of the old containers.. Spec: Tortilla 0.5.0 "Format", TACO 0.2.0 */
#include "legacy.h"
#include "../base/base.h"
#include "../base/sink.h"
#include "../base/file_copy.h"
#include "../base/json.h"
#include "../parquet_write/parquet_write.h"

/* Ends with what payload handed out. */
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
    w->arena.mem = &w->mem;
    w->err = err;
}

/* ---- footers
   ------------------------------------------------------------------------------------- */

/* Order of columns: those of every tortilla first. */
static int taco__tortilla_write_column_rank(const char *name)
{
    static const char *const first[] = {"tortilla:id", "tortilla:file_format",
                                        "tortilla:data_split"};
    int i;
    for (i = 0; i < 3 && strcmp(name, first[i]) != 0; i++) {}
    return i;
}

TACO__FN bool taco__tortilla_write_encode_footer(taco__tortilla_writer *w,
                                                 const taco_array *columns, size_t n, size_t rows,
                                                 const char *pointer, taco_bytes *out)
{
    taco_pq_write_options o;
    taco_pq_key key;
    taco_pq_writer *pq;
    taco_field *fields = (taco_field *)taco__arena_array(&w->arena, n + 1, sizeof *fields, w->err);
    taco_array *arrays = (taco_array *)taco__arena_array(&w->arena, n + 1, sizeof *arrays, w->err);
    taco_sink sink;
    taco_batch b;
    size_t i;
    bool ok;
    for (i = 0; fields && arrays && i < n; i++) {
        fields[i] = *columns[i].field;
        fields[i].nullable = true; /* as pandas has all of them */
        arrays[i] = columns[i];
        arrays[i].field = &fields[i];
    }
    memset(&o, 0, sizeof o);
    o.options = &w->options;
    o.codec = TACO_CODEC_ZSTD;
    o.encoding = TACO_ENCODING_PLAIN;
    o.row_group_rows = INT32_MAX;
    key.key = "pointer";
    key.value = pointer;
    o.keys = &key;
    o.key_count = pointer != NULL;
    if (!fields || !arrays || taco_sink_memory(&sink, &w->options, w->err) != TACO_OK) {
        return false;
    }
    memset(&b, 0, sizeof b);
    b.first_row = -1;
    b.length = rows;
    b.columns = arrays;
    b.column_count = n;
    pq = taco_pq_write(&sink, fields, n, &o, w->err);
    if (pq && rows) { taco_pq_writer_batch(pq, &b); }
    ok = pq && taco_pq_writer_close(pq, w->err) == TACO_OK;
    if (ok) {
        *out = taco_sink_bytes(&sink);
        out->data = (const uint8_t *)taco__arena_text(&w->arena, *out, w->err);
        ok = out->data != NULL;
    }
    taco_sink_free(&sink);
    return ok;
}

/* The columns of a footer: those of the node, offset and length among them. */
TACO__FN bool taco__tortilla_write_make_columns(taco__tortilla_writer *w,
                                                const taco__tortilla_node *node,
                                                const int64_t *offsets, const int64_t *sizes,
                                                taco_array *out, size_t *n)
{
    taco_field *f = (taco_field *)taco__arena_array(&w->arena, 2, sizeof *f, w->err);
    size_t i, k;
    int rank;
    if (!f) { return false; }
    for (i = 0; i < 2; i++) {
        f[i].type = TACO_INT64;
        f[i].width = 8;
    }
    f[0].name = w->compiled ? "tortilla:length" : "tortilla:offset";
    f[1].name = w->compiled ? "tortilla:offset" : "tortilla:length";
    for (*n = 0, rank = 0; rank <= 3; rank++) {
        if (rank == 3) {
            for (k = 0; k < 2; k++) {
                taco_array *a = &out[(*n)++];
                memset(a, 0, sizeof *a);
                a->field = &f[k];
                a->length = node->rows;
                a->v.i64 = (k == 0) == w->compiled ? sizes : offsets;
            }
        }
        for (i = 0; i < node->column_count; i++) {
            if (taco__tortilla_write_column_rank(node->columns[i].field->name) == rank) {
                out[(*n)++] = node->columns[i];
            }
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
    uint64_t next = TACO__TORTILLA_HEADER_BYTES;
    size_t i, n;
    if (!at || !sizes || !columns) { return false; }
    for (i = 0; i < node->rows; i++) {
        at[i] = (int64_t)next;
        sizes[i] = (int64_t)node->sizes[i];
        if (!taco__checked_add64(next, node->sizes[i], &next) || next > INT64_MAX) {
            TACO__FAIL(w->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "payloads of more than 2^63 bytes");
            return false;
        }
    }
    node->body = next - TACO__TORTILLA_HEADER_BYTES;
    return taco__tortilla_write_make_columns(w, node, at, sizes, columns, &n) &&
           taco__tortilla_write_encode_footer(w, columns, n, node->rows, NULL, &node->footer);
}

/* Sizes and footers of a node and all below it. */
TACO__FN bool taco__tortilla_write_measure(taco__tortilla_writer *w, taco__tortilla_node *node)
{
    size_t i;
    for (i = 0; i < node->rows; i++) {
        taco__input in;
        if (node->kids && node->kids[i]) {
            taco__tortilla_node *kid = node->kids[i];
            if (!taco__tortilla_write_measure(w, kid)) { return false; }
            node->sizes[i] = TACO__TORTILLA_HEADER_BYTES + kid->body + kid->footer.len;
            continue;
        }
        memset(&in, 0, sizeof in);
        if (!w->payload(w->ctx, node, i, &in, w->err)) { return false; }
        node->sizes[i] = in.size;
        taco__tortilla_write_close_input(w, &in);
    }
    return taco__tortilla_write_make_footer(w, node);
}

/* ---- bytes
   --------------------------------------------------------------------------------------- */

TACO__FN bool taco__tortilla_write_header(taco__tortilla_writer *w, const char *magic, uint64_t fo,
                                          uint64_t fl, uint64_t parts, uint64_t co, uint64_t cl)
{
    uint8_t p[TACO__TORTILLA_HEADER_BYTES];
    memset(p, 0, sizeof p);
    memcpy(p, magic, 2);
    taco__put_le64(p + 2, fo);
    taco__put_le64(p + 10, fl);
    taco__put_le64(p + 18, parts);
    taco__put_le64(p + 26, co);
    taco__put_le64(p + 34, cl);
    return taco__output_write(&w->out, p, sizeof p, w->err);
}

TACO__FN bool taco__tortilla_write_payload(taco__tortilla_writer *w, const taco__input *in)
{
    uint64_t at = 0;
    while (at < in->size) {
        size_t n = (size_t)TACO__MIN(in->size - at, (uint64_t)TACO__OUTPUT_BYTES / 2);
        uint8_t *room = taco__output_reserve(&w->out, n, w->err);
        if (!room || !taco__input_read(in, at, room, n, w->err)) { return false; }
        at += n;
    }
    return true;
}

/* Payloads and footer. */
TACO__FN bool taco__tortilla_write_body(taco__tortilla_writer *w, const taco__tortilla_node *node)
{
    size_t i;
    for (i = 0; i < node->rows; i++) {
        taco__input in;
        bool ok;
        if (node->kids && node->kids[i]) {
            const taco__tortilla_node *kid = node->kids[i];
            if (!taco__tortilla_write_header(w, "#y", TACO__TORTILLA_HEADER_BYTES + kid->body,
                                             kid->footer.len, 1, 0, 0) ||
                !taco__tortilla_write_body(w, kid)) {
                return false;
            }
            continue;
        }
        memset(&in, 0, sizeof in);
        ok = w->payload(w->ctx, node, i, &in, w->err);
        if (ok && in.size != node->sizes[i]) {
            TACO__FAIL(w->err, TACO_ERR_IO, TACO_NO_OFFSET,
                       "row %u: %u bytes now, %u when it was measured", TACO__U(i),
                       TACO__U(in.size), node->sizes[i]);
            ok = false;
        }
        ok = ok && taco__tortilla_write_payload(w, &in);
        taco__tortilla_write_close_input(w, &in);
        if (!ok) { return false; }
    }
    return taco__output_write(&w->out, node->footer.data, node->footer.len, w->err);
}

TACO__FN bool taco__tortilla_write_open(taco__tortilla_writer *w, const char *path)
{
#ifndef TACO_NO_STDIO
    taco_sink sink;
    return taco_sink_file(&sink, path, &w->options, w->err) == TACO_OK &&
           taco__output_open(&w->out, &sink, &w->mem, w->err);
#else
    (void)path;
    TACO__FAIL(w->err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET, "built without files");
    return false;
#endif
}

/* One file of a node that was measured; a collection makes it a TACO. */
TACO__FN bool taco__tortilla_write_file(taco__tortilla_writer *w, const char *path,
                                        const taco__tortilla_node *node, uint64_t parts,
                                        taco_bytes collection)
{
    uint64_t fo = TACO__TORTILLA_HEADER_BYTES + node->body, co = fo + node->footer.len;
    bool ok;
    if (!taco__tortilla_write_open(w, path)) { return false; }
    ok = taco__tortilla_write_header(w, collection.data ? "WX" : "#y", fo, node->footer.len, parts,
                                     collection.data ? co : 0, collection.len) &&
         taco__tortilla_write_body(w, node) &&
         taco__output_write(&w->out, collection.data, collection.len, w->err);
    return taco__output_close(&w->out, ok, w->err) && ok;
}

/* soyuna.tortilla as soyuna.0003.part.tortilla. */
static const char *taco__tortilla_write_part_name(taco__tortilla_writer *w, const char *path,
                                                  size_t k)
{
    size_t n = strlen(path), dot = n, digits;
    const char *ext = strrchr(path, '.'), *slash = strrchr(path, '/');
    char number[24], *out;
    if (ext && (!slash || ext > slash + 1)) { dot = (size_t)(ext - path); }
    out = (char *)taco__arena_alloc(&w->arena, n + 40, w->err);
    if (!out) { return NULL; }
    digits = taco__num_format_u64(number, k);
    memcpy(out, path, dot);
    out[dot] = '.';
    memset(out + dot + 1, '0', 4);
    n = digits < 4 ? dot + 5 - digits : dot + 1;
    memcpy(out + n, number, digits);
    strcpy(out + n + digits, ".part");
    strcat(out, path + dot);
    return out;
}

/* Rows [first, first + n) of a node as a node of their own. */
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
    out->kids = node->kids ? node->kids + first : NULL;
    out->tag = node->tag + first;
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

/* Writes a node that was measured as one file, or as parts whose payloads have at most `most`
   bytes: a sample that is larger stands alone. tag counts the rows of the slices on. */
TACO__FN bool taco__tortilla_write_parts(taco__tortilla_writer *w, const char *path,
                                         taco__tortilla_node *node, uint64_t most,
                                         taco_bytes collection)
{
    size_t i, first = 0, parts = 1, k = 0;
    uint64_t sum = 0;
    for (i = 0; i < node->rows; i++) { /* how many there will be stands in each of them */
        if (sum && sum + node->sizes[i] > most) {
            parts++;
            sum = 0;
        }
        sum += node->sizes[i];
    }
    if (parts == 1) { return taco__tortilla_write_file(w, path, node, 1, collection); }
    for (i = sum = 0; i <= node->rows; i++) {
        if (i == node->rows || (sum && sum + node->sizes[i] > most)) {
            taco__tortilla_node part;
            const char *name = taco__tortilla_write_part_name(w, path, k++);
            if (!name || !taco__tortilla_write_slice(w, node, first, i - first, &part) ||
                !taco__tortilla_write_file(w, name, &part, parts, collection)) {
                return false;
            }
            first = i;
            sum = 0;
        }
        sum += i < node->rows ? node->sizes[i] : 0;
    }
    return true;
}

/* ---- the rules of samples
   ------------------------------------------------------------------------- */

TACO__FN const taco_array *taco__tortilla_write_find_column(const taco_array *columns, size_t n,
                                                            const char *name)
{
    size_t i;
    for (i = 0; i < n; i++) {
        if (strcmp(columns[i].field->name, name) == 0) { return &columns[i]; }
    }
    return NULL;
}

static bool taco__tortilla_write_check_ids(taco__tortilla_writer *w, const taco_array *ids,
                                           size_t rows)
{
    taco__legacy_sort_key *list =
        (taco__legacy_sort_key *)taco__arena_array(&w->arena, rows + 1, sizeof *list, w->err);
    size_t i;
    for (i = 0; list && i < rows; i++) {
        list[i].id = taco_array_bytes(ids, i);
        list[i].file = 0;
        list[i].row = i;
        if (!list[i].id.len) {
            TACO__FAIL(w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "row %u has no tortilla:id",
                       TACO__U(i));
            return false;
        }
    }
    if (!list) { return false; }
    qsort(list, rows, sizeof *list, taco__legacy_compare_sort_keys);
    for (i = 1; i < rows; i++) {
        if (taco__bytes_equal(list[i - 1].id, list[i].id)) {
            TACO__FAIL(w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "rows %u and %u both have the tortilla:id %q, they must be unique",
                       TACO__U(list[i - 1].row), TACO__U(list[i].row), &list[i].id);
            return false;
        }
    }
    return true;
}

/* What the last writer refused: ids that are not unique, no format, another split, an end before
   the start. */
TACO__FN bool taco__tortilla_write_check_node(taco__tortilla_writer *w,
                                              const taco__tortilla_node *node)
{
    static const char *const splits[] = {"train", "validation", "test"};
    const taco_array *id =
        taco__tortilla_write_find_column(node->columns, node->column_count, "tortilla:id");
    const taco_array *format =
        taco__tortilla_write_find_column(node->columns, node->column_count, "tortilla:file_format");
    const taco_array *split =
        taco__tortilla_write_find_column(node->columns, node->column_count, "tortilla:data_split");
    const taco_array *start =
        taco__tortilla_write_find_column(node->columns, node->column_count, "stac:time_start");
    const taco_array *end =
        taco__tortilla_write_find_column(node->columns, node->column_count, "stac:time_end");
    size_t i, k;
    if (!id || id->field->type != TACO_TEXT || !format || format->field->type != TACO_TEXT) {
        TACO__FAIL(w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%s must be a column of text",
                   id && id->field->type == TACO_TEXT ? "tortilla:file_format" : "tortilla:id");
        return false;
    }
    for (i = 0; i < node->rows; i++) {
        taco_bytes s = split ? taco_array_bytes(split, i) : taco__bytes_of(NULL, 0);
        for (k = 0; s.data && k < 3 && !taco__bytes_equal(s, taco__bytes_text(splits[k])); k++) {}
        if (taco_array_bytes(format, i).len == 0) {
            TACO__FAIL(w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "row %u has no tortilla:file_format: a GDAL driver, BYTES or TORTILLA",
                       TACO__U(i));
            return false;
        }
        if (s.data && k == 3) {
            TACO__FAIL(w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "row %u: tortilla:data_split is %q, allowed are train, validation, test",
                       TACO__U(i), &s);
            return false;
        }
        if (start && end && taco_array_valid(start, i) && taco_array_valid(end, i) &&
            taco_array_double(end, i) < taco_array_double(start, i)) {
            TACO__FAIL(w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "row %u: stac:time_end lies before stac:time_start", TACO__U(i));
            return false;
        }
    }
    return taco__tortilla_write_check_ids(w, id, node->rows);
}

/* A text that is a JSON object, for the collection. */
TACO__FN bool taco__tortilla_write_check_json(taco__tortilla_writer *w, const char *text,
                                              taco_bytes *out)
{
    taco__json_doc doc;
    *out = taco__bytes_text(text);
    if (taco__json_parse(&w->arena, *out, &w->options.limits, &doc, w->err) != TACO_OK) {
        taco__error_prefix(w->err, "collection");
        return false;
    }
    if (!taco__json_is(doc.root, TACO__JSON_OBJECT)) {
        TACO__FAIL(w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "a collection is a JSON object");
        return false;
    }
    return true;
}

TACO__FN taco_status taco__tortilla_write_finish(taco__tortilla_writer *w, bool ok,
                                                 const char *path)
{
    taco__arena_free(&w->arena);
    if (!ok) { taco__error_prefix(w->err, "%s", path); }
    return ok ? TACO_OK : w->err->code;
}
