/* file_writer.c - the schema, options and key-value metadata of a file to be written.. Spec:
   parquet.thrift, LogicalTypes.md, GeoParquet 1.1 */
#include "parquet_write.h"
#include "../base/base.h"
#include "../base/sink.h"
#include "../codec/encode.h"
#include "../parquet/parquet.h"

#define TACO__PQ_WRITER_ROWS 8192 /* rows that are taken apart at a time */
#define TACO__PQ_WRITER_NAME "taco.h version " TACO_VERSION

TACO__FN bool taco__pq_writer_write(taco_pq_writer *w, const void *data, size_t len)
{
    if (len && !w->sink.write(w->sink.ctx, w->offset, data, len)) {
        TACO__FAIL(&w->err, TACO_ERR_IO, w->offset, "writing %u bytes failed", TACO__U(len));
        return false;
    }
    w->offset += len;
    return true;
}

/* Ends the row group that is in the making, if there is one. */
static bool taco__pq_writer_end_group(taco_pq_writer *w)
{
    taco__group_record g;
    size_t i;
    memset(&g, 0, sizeof g);
    if (w->group_rows == 0) { return true; }
    g.rows = w->group_rows;
    g.offset = w->offset;
    for (i = 0; i < w->leaf_count; i++) {
        taco__leaf_writer *l = &w->leaves[i];
        if (!taco__page_writer_end_full_pages(w, l, true) ||
            !taco__chunk_writer_end_chunk(w, l, &g)) {
            return taco__chunk_writer_metadata_position(w, l);
        }
    }
    w->rows += w->group_rows;
    w->group_rows = 0;
    return taco__buf_append(&w->groups, &g, sizeof g, &w->err);
}

/* ---- batches
   ------------------------------------------------------------------------------------------ */

/* True when arrays of the one field can be written as the other. */
static bool taco__pq_writer_same_type(const taco_field *f, const taco_array *a)
{
    uint32_t i;
    if (!a->field || a->field->type != f->type || a->field->unit != f->unit ||
        a->field->width != f->width || a->field->precision != f->precision ||
        a->field->scale != f->scale || a->field->child_count != f->child_count ||
        a->field->nullable != f->nullable ||
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

static bool taco__pq_writer_check_batch(taco_pq_writer *w, const taco_batch *b)
{
    size_t i;
    if (b->column_count != w->given || b->length > INT32_MAX) {
        TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "a batch of %u columns and %u rows; %u columns and at most 2147483647 rows are "
                   "expected",
                   TACO__U(b->column_count), TACO__U(b->length), TACO__U(w->given));
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

static bool taco__pq_writer_add_batch(taco_pq_writer *w, const taco_batch *b)
{
    size_t at = 0, i;
    while (at < b->length) {
        uint64_t room = w->opt.row_group_rows - w->group_rows;
        size_t n = TACO__MIN(b->length - at, (size_t)TACO__PQ_WRITER_ROWS);
        n = n > room ? (size_t)room : n;
        for (i = 0; i < w->geo_count; i++) {
            if (!taco__geo_column_add_rows(w, &w->geo[i], &b->columns[w->geo[i].column], at, n)) {
                return false;
            }
        }
        for (i = 0; i < w->leaf_count; i++) {
            taco__leaf_writer *l = &w->leaves[i];
            if (l->column < w->given
                    ? !taco__page_writer_add_rows(w, l, &b->columns[l->column], at, n)
                    : !taco__page_writer_add_rows(w, l, taco__geo_column_made_array(w, l->column),
                                                  0, n)) {
                return taco__chunk_writer_metadata_position(w, l);
            }
        }
        at += n;
        w->group_rows += n;
        if (w->group_rows == w->opt.row_group_rows && !taco__pq_writer_end_group(w)) {
            return false;
        }
    }
    return true;
}

static void taco__pq_writer_column_chunk(taco_pq_writer *w, taco__thrift_writer *t,
                                         const taco__chunk_record *c)
{
    taco__thrift_write_begin_item(t);
    /* file_offset: of a copy of the metadata, which is not made */
    taco__thrift_write_i64(t, 2, 0);
    taco__thrift_write_field(t, 3, TACO__THRIFT_STRUCT);
    taco__thrift_write_raw(t, w->metas.data + c->meta_at, c->meta_len);
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

static void taco__pq_writer_row_groups(taco_pq_writer *w, taco__thrift_writer *t)
{
    const taco__group_record *g = (const taco__group_record *)(const void *)w->groups.data;
    const taco__chunk_record *c = (const taco__chunk_record *)(const void *)w->chunks.data;
    size_t n = w->groups.len / sizeof *g, i, k;
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

static bool taco__pq_writer_footer(taco_pq_writer *w)
{
    taco__thrift_writer t;
    uint8_t tail[8];
    size_t i;
    w->body.len = 0;
    taco__thrift_write_init(&t, &w->body, &w->err);
    taco__thrift_write_i32(&t, 1, 2); /* version 2: logical types and page indexes */
    taco__thrift_write_list(&t, 2, TACO__THRIFT_STRUCT, w->schema_count);
    taco__thrift_write_raw(&t, w->schema.data, w->schema.len);
    taco__thrift_write_i64(&t, 3, (int64_t)w->rows);
    taco__pq_writer_row_groups(w, &t);
    if (w->key_count) {
        taco__thrift_write_list(&t, 5, TACO__THRIFT_STRUCT, w->key_count);
        taco__thrift_write_raw(&t, w->keys.data, w->keys.len);
    }
    taco__thrift_write_binary(&t, 6, taco__bytes_text(TACO__PQ_WRITER_NAME));
    taco__thrift_write_list(&t, 7, TACO__THRIFT_STRUCT, w->leaf_count);
    for (i = 0; i < w->leaf_count; i++) {
        taco__thrift_write_begin_item(&t);
        taco__thrift_write_empty(&t, TACO__PQ_ORDER_TYPE);
        taco__thrift_write_end(&t);
    }
    if (!taco__thrift_write_end(&t)) { return false; }
    if (w->body.len > INT32_MAX) {
        TACO__FAIL(&w->err, TACO_ERR_LIMIT, w->offset,
                   "a footer of %u bytes, 2147483647 are the most", TACO__U(w->body.len));
        return false;
    }
    taco__put_le32(tail, (uint32_t)w->body.len);
    memcpy(tail + 4, "PAR1", 4);
    return taco__pq_writer_write(w, w->body.data, w->body.len) && taco__pq_writer_write(w, tail, 8);
}

/* ---- life
   ---------------------------------------------------------------------------------------------- */

static void taco__pq_writer_free(taco_pq_writer *w)
{
    taco__mem mem;
    size_t i;
    for (i = 0; i < w->leaf_count; i++) {
        taco__leaf_writer *l = &w->leaves[i];
        taco__buf *all[] = {&l->values,  &l->offsets, &l->def,  &l->rep,          &l->pages,
                            &l->records, &l->bounds,  &l->dict, &l->dict_offsets, &l->slots,
                            &l->indices, &l->hashes,  &l->min,  &l->max,          &l->levels};
        size_t k;
        for (k = 0; k < TACO__COUNT(all); k++) {
            taco__buf_free(all[k]);
        }
    }
    if (w->zstd) { taco__zstd_encode_close(w->zstd); }
    taco__mem_free(&w->mem, w->snappy, sizeof *w->snappy);
    taco__mem_free(&w->mem, w->lz4, sizeof *w->lz4);
    taco__deflate_close(w->gzip);
    for (i = 0; i < w->geo_count; i++) {
        size_t k;
        for (k = 0; w->geo[i].made && k < 4; k++) {
            taco__buf_free(&w->geo[i].box[k]);
        }
        if (w->geo[i].made) { taco__buf_free(&w->geo[i].validity); }
    }
    taco__levels_free(&w->levels);
    taco__buf_free(&w->body);
    taco__buf_free(&w->packed);
    taco__buf_free(&w->best);
    taco__buf_free(&w->trial);
    taco__buf_free(&w->lengths);
    taco__buf_free(&w->schema);
    taco__buf_free(&w->keys);
    taco__buf_free(&w->metas);
    taco__buf_free(&w->indexes);
    taco__buf_free(&w->chunks);
    taco__buf_free(&w->groups);
    taco__arena_free(&w->arena);
    mem = w->mem;
    taco__mem_free(&mem, w, sizeof *w);
}

static void taco__pq_writer_init(taco_pq_writer *w)
{
    w->arena.mem = &w->mem;
    taco__levels_init(&w->levels, &w->mem);
    w->body.mem = w->packed.mem = w->best.mem = w->trial.mem = w->lengths.mem = &w->mem;
    w->schema.mem = w->keys.mem = w->metas.mem = w->indexes.mem = &w->mem;
    w->chunks.mem = w->groups.mem = &w->mem;
}

/* NULL is accepted. */
static taco_status taco__pq_writer_close(taco_pq_writer *w, taco_error *err)
{
    taco_status code;
    char path[65]; /* as much as a message shows; the sink's own copy goes with its close */
    taco_bytes name;
    bool good;
    if (!w) { return TACO_OK; }
    good = w->err.code == TACO_OK && taco__pq_writer_end_group(w) &&
           taco__page_index_write_all(w) && taco__geo_column_write_key(w) &&
           taco__pq_writer_footer(w);
    name = taco__sink_name(&w->sink);
    name.len = TACO__MIN(name.len, sizeof path);
    if (name.len) { memcpy(path, name.data, name.len); }
    name.data = (const uint8_t *)path;
    if (!w->sink.close(w->sink.ctx, good) && good) {
        if (name.len) {
            TACO__FAIL(&w->err, TACO_ERR_IO, TACO_NO_OFFSET, "finishing %q, %u bytes, failed",
                       &name, w->offset);
        } else {
            TACO__FAIL(&w->err, TACO_ERR_IO, TACO_NO_OFFSET,
                       "finishing the file of %u bytes failed", w->offset);
        }
    }
    code = w->err.code;
    if (err && err->code == TACO_OK && code != TACO_OK) { *err = w->err; }
    taco__pq_writer_free(w);
    return code;
}

/* arrow, which may be NULL, is the schema of the stream that the rows come from. */
static taco_pq_writer *taco__pq_writer_open(const taco_sink *sink, const taco_field *fields,
                                            size_t n, const struct ArrowSchema *arrow,
                                            const taco_pq_write_options *opt, taco_error *err)
{
    taco_options options;
    taco_pq_write_options o;
    taco__mem mem;
    taco_pq_writer *w;
    bool good;
    if (!taco__sink_check(sink, err)) { return NULL; }
    memset(&o, 0, sizeof o);
    o = opt ? *opt : o;
    taco__options_init(&options, o.options);
    taco__mem_init(&mem, o.options);
    w = (taco_pq_writer *)taco__mem_alloc(&mem, sizeof *w, err);
    if (!w) {
        taco__sink_abort(sink);
        return NULL;
    }
    w->mem = mem;
    taco__pq_writer_init(w);
    w->sink = *sink;
    w->opt = o;
    w->opt.options = &options;
    w->arrow = arrow;
    w->fields = taco__schema_write_copy_fields(w, fields, n, 0);
    w->given = w->field_count = n;
    good = w->fields && taco__geo_column_init_all(w) && taco__schema_write(w) &&
           taco__write_options_apply(w) && taco__key_values_write(w) &&
           taco__pq_writer_write(w, "PAR1", 4);
    w->arrow = NULL; /* what these pointed to goes now */
    w->opt.options = NULL;
    w->opt.columns = NULL;
    w->opt.keys = NULL;
    w->opt.geometries = NULL;
    if (!good) {
        taco__pq_writer_close(w, err);
        return NULL;
    }
    return w;
}

/* Appends what an import still has, and closes it. */
static void taco__pq_writer_add_import(taco_pq_writer *w, taco_import *in)
{
    taco_batch b;
    memset(&b, 0, sizeof b);
    while (w->err.code == TACO_OK && taco__import_next(in, &b)) {
        if (taco__pq_writer_check_batch(w, &b)) { taco__pq_writer_add_batch(w, &b); }
    }
    taco__import_close(in, &w->err);
}

/* ---- writing
   ------------------------------------------------------------------------------------ */

TACO_API taco_pq_writer *taco_pq_write(const taco_sink *sink, const taco_field *fields, size_t n,
                                       const taco_pq_write_options *opt, taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    return taco__pq_writer_open(sink, fields, n, NULL, opt, err ? err : &own);
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
    err = err ? err : &own;
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
