/* file_writer.c - the public calls: batches or a stream in, row groups and the footer out

   A file is "PAR1", the chunks of one row group after the other, all page indexes, the footer, its
   length and "PAR1" (parquet-format, File format). taco_pq_write makes the schema and settings and
   writes the magic; a batch is cut into pieces of 8,192 rows, which every leaf takes in turn; when
   a row group is full, or is ended by taco_pq_writer_flush, its chunks are written;
   taco_pq_writer_close ends the last one and writes the rest. Batch boundaries leave no trace in
   the file.

   The first failure is in w->err, and nothing is written after it; close then discards the sink's
   contents. Start reading at taco__pq_writer_add_batch. */
#include "parquet_write.h"
#include "../base/base.h"
#include "../base/sink.h"
#include "../codec/encode.h"
#include "../parquet/parquet.h"

#define TACO__PQ_WRITER_NAME "taco.h version " TACO_VERSION

TACO__FN bool taco__pq_writer_write(taco_pq_writer *w, const void *data, size_t len)
{
    if (len && !w->sink.write(w->sink.ctx, w->offset, data, len)) {
        TACO__FAIL(&w->err, TACO_ERR_IO, w->offset, "writing %u bytes failed%s", TACO__U(len),
                   taco__sink_cause(&w->sink));
        return false;
    }
    w->offset += len;
    return true;
}

/* Ends the current row group, if there is one. */
static bool taco__pq_writer_end_group(taco_pq_writer *w)
{
    taco__group_record g;
    size_t i;
    memset(&g, 0, sizeof g);
    if (w->group_rows == 0) { return true; }
    g.rows = w->group_rows;
    g.offset = w->offset;
    if (!taco__write_tasks_end_full_pages(w, true)) { return false; }
    for (i = 0; i < w->leaf_count; i++) {
        taco__leaf_writer *l = &w->leaves[i];
        if (!taco__chunk_writer_end_chunk(w, l, &g)) { return taco__chunk_writer_fail(w, l); }
    }
    w->rows += w->group_rows;
    w->group_rows = 0;
    return taco__buf_append(&w->footer.groups, &g, sizeof g, &w->err);
}

/* ---- batches ---- */

static bool taco__pq_writer_same_parameters(const taco_field *f, const taco_field *g)
{
    return f->type == g->type && f->unit == g->unit && f->width == g->width &&
           f->precision == g->precision && f->scale == g->scale &&
           f->child_count == g->child_count && f->nullable == g->nullable;
}

/* Whether an array can be written as the field: the same type at all levels, children of structs
   long enough. */
static bool taco__pq_writer_same_type(const taco_field *f, const taco_array *a)
{
    uint32_t i;
    if (!a->field || !taco__pq_writer_same_parameters(f, a->field) ||
        (a->dictionary && (a->dictionary->field->type != f->type || f->child_count))) {
        return false;
    }
    for (i = 0; i < f->child_count; i++) {
        if (!taco__pq_writer_same_type(&f->children[i], &a->children[i]) ||
            (f->type == TACO_STRUCT && a->children[i].length < a->length)) {
            return false;
        }
    }
    return true;
}

/* Whether the batch has the columns and types that the file was begun with. */
static bool taco__pq_writer_check_batch(taco_pq_writer *w, const taco_batch *b)
{
    size_t i;
    if (b->column_count != w->caller_count || b->length > INT32_MAX) {
        TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "a batch of %u columns and %u rows; %u columns and at most 2147483647 rows are "
                   "expected",
                   TACO__U(b->column_count), TACO__U(b->length), TACO__U(w->caller_count));
        return false;
    }
    for (i = 0; i < b->column_count; i++) {
        if (!taco__pq_writer_same_type(&w->fields[i], &b->columns[i]) ||
            b->columns[i].length < b->length) {
            taco_bytes name = taco__bytes_text(w->fields[i].name);
            TACO__FAIL(&w->err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                       "column %q of the batch has another type or length than was declared",
                       &name);
            return false;
        }
    }
    return true;
}

/* Adds rows [at, at + n) of a batch to all geometry columns, then to all leaves except those that
   tasks have already given them: their `ahead` is more than `done`. */
static bool taco__pq_writer_add_piece(taco_pq_writer *w, const taco_batch *b, size_t at, size_t n,
                                      size_t done)
{
    size_t i;
    for (i = 0; i < w->geo_count; i++) {
        if (!taco__geo_column_add_rows(w, &w->geo[i], &b->columns[w->geo[i].column], at, n)) {
            return false;
        }
    }
    for (i = 0; i < w->leaf_count; i++) {
        taco__leaf_writer *l = &w->leaves[i];
        size_t column = l->schema.column;
        bool made = column >= w->caller_count;
        const taco_array *a = made ? taco__geo_column_made_array(w, column) : &b->columns[column];
        if (l->ahead <= done && !taco__page_writer_add_rows(w, l, a, made ? 0 : at, n)) {
            return taco__chunk_writer_fail(w, l);
        }
    }
    return true;
}

/* Rows [at, at + n) of a batch, piece by piece. */
static bool taco__pq_writer_add_rows(taco_pq_writer *w, const taco_batch *b, size_t at, size_t n)
{
    size_t done = 0;
    taco__write_tasks_add_rows(w, b, at, n);
    while (done < n) {
        const size_t piece = TACO__MIN(n - done, (size_t)TACO__PQ_WRITER_ROWS);
        if (!taco__pq_writer_add_piece(w, b, at + done, piece, done) ||
            !taco__write_tasks_end_full_pages(w, false)) {
            return false;
        }
        done += piece;
    }
    return true;
}

static bool taco__pq_writer_add_batch(taco_pq_writer *w, const taco_batch *b)
{
    size_t at = 0;
    while (at < b->length) {
        uint64_t room = w->opt.row_group_rows - w->group_rows;
        size_t n = TACO__MIN(b->length - at,
                             (size_t)(w->tasks ? TACO__WRITE_TASK_ROWS : TACO__PQ_WRITER_ROWS));
        n = n > room ? (size_t)room : n;
        if (!taco__pq_writer_add_rows(w, b, at, n)) { return false; }
        at += n;
        w->group_rows += n;
        if (w->group_rows == w->opt.row_group_rows && !taco__pq_writer_end_group(w)) {
            return false;
        }
    }
    return true;
}

/* ---- the footer ---- */

/* ColumnChunk. file_offset (2) would refer to a copy of the metadata, which is not written. */
static void taco__pq_writer_column_chunk(taco_pq_writer *w, taco__thrift_writer *t,
                                         const taco__chunk_record *c)
{
    taco__thrift_write_begin_item(t);
    taco__thrift_write_i64(t, 2, 0);
    taco__thrift_write_field(t, 3, TACO__THRIFT_STRUCT);
    taco__thrift_write_raw(t, w->footer.metas.data + c->meta_at, c->meta_len);
    if (c->offset_len) {
        taco__thrift_write_i64(t, 4, (int64_t)c->offset_offset);
        taco__thrift_write_i32(t, 5, (int32_t)c->offset_len);
    }
    if (c->column_len) {
        taco__thrift_write_i64(t, 6, (int64_t)c->column_offset);
        taco__thrift_write_i32(t, 7, (int32_t)c->column_len);
    }
    taco__thrift_write_end(t);
}

/* RowGroups, field 4. ordinal (7) is an i16: later row groups have none. */
static void taco__pq_writer_row_groups(taco_pq_writer *w, taco__thrift_writer *t)
{
    const taco__group_record *g = (const taco__group_record *)(const void *)w->footer.groups.data;
    const taco__chunk_record *c = (const taco__chunk_record *)(const void *)w->footer.chunks.data;
    size_t n = w->footer.groups.len / sizeof *g, i, k;
    taco__thrift_write_list(t, 4, TACO__THRIFT_STRUCT, n);
    for (i = 0; i < n; i++) {
        taco__thrift_write_begin_item(t);
        taco__thrift_write_list(t, 1, TACO__THRIFT_STRUCT, w->leaf_count);
        for (k = 0; k < w->leaf_count; k++) {
            taco__pq_writer_column_chunk(w, t, c++);
        }
        taco__thrift_write_i64(t, 2, (int64_t)g[i].uncompressed);
        taco__thrift_write_i64(t, 3, (int64_t)g[i].rows);
        taco__thrift_write_i64(t, 5, (int64_t)g[i].offset);
        taco__thrift_write_i64(t, 6, (int64_t)g[i].compressed);
        if (i <= INT16_MAX) {
            taco__thrift_write_field(t, 7, TACO__THRIFT_I16);
            taco__thrift_write_number(t, (int64_t)i);
        }
        taco__thrift_write_end(t);
    }
}

/* Makes FileMetaData in scratch.body. */
static bool taco__pq_writer_make_footer(taco_pq_writer *w)
{
    const taco__footer_parts *f = &w->footer;
    taco__thrift_writer t;
    size_t i;
    w->scratch.body.len = 0;
    taco__thrift_write_init(&t, &w->scratch.body, &w->err);
    taco__thrift_write_i32(&t, 1, 2); /* version 2: logical types and page indexes */
    taco__thrift_write_list(&t, 2, TACO__THRIFT_STRUCT, f->schema_count);
    taco__thrift_write_raw(&t, f->schema.data, f->schema.len);
    taco__thrift_write_i64(&t, 3, (int64_t)w->rows);
    taco__pq_writer_row_groups(w, &t);
    if (f->key_count) {
        taco__thrift_write_list(&t, 5, TACO__THRIFT_STRUCT, f->key_count);
        taco__thrift_write_raw(&t, f->keys.data, f->keys.len);
    }
    taco__thrift_write_binary(&t, 6, taco__bytes_text(TACO__PQ_WRITER_NAME));
    taco__thrift_write_list(&t, 7, TACO__THRIFT_STRUCT, w->leaf_count);
    for (i = 0; i < w->leaf_count; i++) { /* ColumnOrder: by type, of every leaf */
        taco__thrift_write_begin_item(&t);
        taco__thrift_write_empty(&t, TACO__PQ_ORDER_TYPE);
        taco__thrift_write_end(&t);
    }
    return taco__thrift_write_end(&t);
}

/* The footer, its length, and the magic. */
static bool taco__pq_writer_footer(taco_pq_writer *w)
{
    const taco__buf *body = &w->scratch.body;
    uint8_t tail[8];
    if (!taco__pq_writer_make_footer(w)) { return false; }
    if (body->len > INT32_MAX) {
        TACO__FAIL(&w->err, TACO_ERR_LIMIT, w->offset,
                   "a footer of %u bytes, at most 2147483647 are allowed", TACO__U(body->len));
        return false;
    }
    taco__put_le32(tail, (uint32_t)body->len);
    memcpy(tail + 4, "PAR1", 4);
    return taco__pq_writer_write(w, body->data, body->len) && taco__pq_writer_write(w, tail, 8);
}

/* ---- open and close ---- */

static void taco__pq_writer_free_leaf(taco__leaf_writer *l)
{
    taco__buf *b[TACO__LEAF_BUFFERS];
    size_t i;
    taco__write_tasks_buffers(l, b);
    for (i = 0; i < TACO__LEAF_BUFFERS; i++) {
        taco__buf_free(b[i]);
    }
}

static void taco__pq_writer_free_geo(taco__geo_column *g)
{
    size_t k;
    if (!g->made) { return; }
    for (k = 0; k < 4; k++) {
        taco__buf_free(&g->box[k]);
    }
    taco__buf_free(&g->validity);
}

TACO__FN void taco__pq_writer_init_scratch(taco__write_scratch *s, taco__mem *mem)
{
    memset(s, 0, sizeof *s);
    taco__levels_init(&s->levels, mem);
    s->body.mem = s->packed.mem = s->trial.mem = s->lengths.mem = mem;
}

TACO__FN void taco__pq_writer_free_scratch(taco__write_scratch *s)
{
    taco__levels_free(&s->levels);
    taco__buf_free(&s->body);
    taco__buf_free(&s->packed);
    taco__buf_free(&s->trial);
    taco__buf_free(&s->lengths);
}

static void taco__pq_writer_init_footer(taco__footer_parts *f, taco__mem *mem)
{
    f->schema.mem = f->keys.mem = f->metas.mem = f->indexes.mem = mem;
    f->chunks.mem = f->groups.mem = mem;
}

static void taco__pq_writer_free_footer(taco__footer_parts *f)
{
    taco__buf_free(&f->schema);
    taco__buf_free(&f->keys);
    taco__buf_free(&f->metas);
    taco__buf_free(&f->indexes);
    taco__buf_free(&f->chunks);
    taco__buf_free(&f->groups);
}

static void taco__pq_writer_free(taco_pq_writer *w)
{
    taco__mem mem;
    size_t i;
    for (i = 0; i < w->leaf_count; i++) {
        taco__pq_writer_free_leaf(&w->leaves[i]);
    }
    for (i = 0; i < w->geo_count; i++) {
        taco__pq_writer_free_geo(&w->geo[i]);
    }
    taco__compress_free(&w->compressor);
    taco__pq_writer_free_scratch(&w->scratch);
    taco__pq_writer_free_footer(&w->footer);
    taco__write_tasks_close(w);
    taco__arena_free(&w->arena);
    mem = w->mem;
    taco__mem_free(&mem, w, sizeof *w);
}

/* Closes the sink. That frees its own copy of the path, so what a message shows of it is copied
   before. */
static void taco__pq_writer_close_sink(taco_pq_writer *w, bool keep)
{
    char path[65];
    taco_bytes name = taco__sink_name(&w->sink);
    name.len = TACO__MIN(name.len, sizeof path);
    if (name.len) { memcpy(path, name.data, name.len); }
    name.data = (const uint8_t *)path;
    if (w->sink.close(w->sink.ctx, keep) || !keep) { return; }
    if (name.len) {
        TACO__FAIL(&w->err, TACO_ERR_IO, TACO_NO_OFFSET, "finishing %q, %u bytes, failed%s", &name,
                   w->offset, taco__sink_cause(&w->sink));
    } else {
        TACO__FAIL(&w->err, TACO_ERR_IO, TACO_NO_OFFSET, "finishing the file of %u bytes failed",
                   w->offset);
    }
}

/* NULL is accepted. */
static taco_status taco__pq_writer_close(taco_pq_writer *w, taco_error *err)
{
    taco_status code;
    bool good;
    if (!w) { return TACO_OK; }
    good = w->err.code == TACO_OK && taco__pq_writer_end_group(w) &&
           taco__page_index_write_all(w) && taco__geo_column_write_key(w) &&
           taco__pq_writer_footer(w);
    taco__pq_writer_close_sink(w, good);
    code = w->err.code;
    if (err && err->code == TACO_OK && code != TACO_OK) { *err = w->err; }
    taco__pq_writer_free(w);
    return code;
}

/* A writer with only its memory, the sink and the options; NULL on failure. */
static taco_pq_writer *taco__pq_writer_alloc(const taco_sink *sink,
                                             const taco_pq_write_options *opt, taco_error *err)
{
    taco__mem mem;
    taco_pq_writer *w;
    taco__mem_init(&mem, opt ? opt->options : NULL);
    w = (taco_pq_writer *)taco__mem_alloc(&mem, sizeof *w, err);
    if (!w) { return NULL; }
    w->mem = mem;
    w->arena.mem = w->compressor.mem = &w->mem;
    taco__pq_writer_init_scratch(&w->scratch, &w->mem);
    taco__pq_writer_init_footer(&w->footer, &w->mem);
    w->sink = *sink;
    if (opt) { w->opt = *opt; }
    return w;
}

/* Everything before the first row. */
static bool taco__pq_writer_begin(taco_pq_writer *w, const taco_field *fields, size_t n)
{
    w->fields = taco__schema_write_copy_fields(w, fields, n, 0);
    w->caller_count = w->field_count = n;
    return w->fields && taco__geo_column_init_all(w) && taco__schema_write(w) &&
           taco__write_options_apply(w) && taco__key_values_write(w) &&
           taco__pq_writer_write(w, "PAR1", 4);
}

/* arrow is the schema of the stream that provides the rows, or NULL. The sink is closed on
   failure. */
static taco_pq_writer *taco__pq_writer_open(const taco_sink *sink, const taco_field *fields,
                                            size_t n, const struct ArrowSchema *arrow,
                                            const taco_pq_write_options *opt, taco_error *err)
{
    taco_options options;
    taco_pq_writer *w;
    bool good;
    if (!taco__sink_check(sink, err)) { return NULL; }
    w = taco__pq_writer_alloc(sink, opt, err);
    if (!w) {
        taco__sink_abort(sink);
        return NULL;
    }
    taco__options_init(&options, w->opt.options);
    w->opt.options = &options;
    w->host = options;
    w->arrow = arrow;
    good = taco__pq_writer_begin(w, fields, n);
    if (good) { taco__write_tasks_open(w); }
    w->arrow = NULL; /* what these point to need not live longer */
    w->opt.options = NULL;
    w->opt.columns = NULL;
    w->opt.keys = NULL;
    w->opt.like = NULL;
    w->opt.geometries = NULL;
    if (!good) {
        taco__pq_writer_close(w, err);
        return NULL;
    }
    return w;
}

/* Appends the remaining rows of an import, and closes it. */
static void taco__pq_writer_add_import(taco_pq_writer *w, taco_import *in)
{
    taco_batch b;
    memset(&b, 0, sizeof b);
    while (w->err.code == TACO_OK && taco__import_next(in, &b)) {
        if (taco__pq_writer_check_batch(w, &b)) { taco__pq_writer_add_batch(w, &b); }
    }
    taco__import_close(in, &w->err);
}

/* ---- the public calls ---- */

TACO_API taco_pq_writer *taco_pq_write(const taco_sink *sink, const taco_field *fields, size_t n,
                                       const taco_pq_write_options *opt, taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    return taco__pq_writer_open(sink, fields, n, NULL, opt, taco__error_fresh(err, &own));
}

TACO_API taco_status taco_pq_writer_batch(taco_pq_writer *w, const taco_batch *batch)
{
    if (!w || !batch) { return TACO_ERR_ARGUMENT; }
    if (w->err.code == TACO_OK && taco__pq_writer_check_batch(w, batch)) {
        taco__pq_writer_add_batch(w, batch);
    }
    return w->err.code;
}

TACO_API taco_status taco_pq_writer_flush(taco_pq_writer *w)
{
    if (!w) { return TACO_ERR_ARGUMENT; }
    if (w->err.code == TACO_OK) { taco__pq_writer_end_group(w); }
    return w->err.code;
}

TACO_API taco_status taco_pq_writer_close(taco_pq_writer *w, taco_error *err)
{
    return taco__pq_writer_close(w, err);
}

TACO_API void taco_pq_writer_abort(taco_pq_writer *w)
{
    if (w) {
        w->sink.close(w->sink.ctx, false);
        taco__pq_writer_free(w);
    }
}

TACO_API taco_status taco_pq_writer_stream(taco_pq_writer *w, struct ArrowArrayStream *stream)
{
    taco_options options;
    taco_import *in;
    if (!w) {
        if (stream && stream->release) { stream->release(stream); }
        return TACO_ERR_ARGUMENT;
    }
    memset(&options, 0, sizeof options);
    options.allocator = &w->mem.a;
    options.limits.max_memory = w->mem.limit;
    in = taco__import_open(stream, &options, &w->err);
    if (in) { taco__pq_writer_add_import(w, in); }
    return w->err.code;
}

TACO_API taco_status taco_pq_write_stream(const taco_sink *sink, struct ArrowArrayStream *stream,
                                          const taco_pq_write_options *opt, taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco_pq_writer *w;
    taco_import *in;
    err = taco__error_fresh(err, &own);
    in = taco__import_open(stream, opt ? opt->options : NULL, err);
    if (!in) {
        taco__sink_abort(sink);
        return err->code;
    }
    w = taco__pq_writer_open(sink, in->root.field->children, in->root.field->child_count,
                             &in->schema, opt, err);
    if (!w) {
        taco__import_close(in, NULL);
        return err->code;
    }
    taco__pq_writer_add_import(w, in);
    return taco__pq_writer_close(w, err);
}
