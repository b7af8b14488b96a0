/* stream_import.c - any Arrow C stream as batches: opening, reading, releasing

   In: a struct ArrowArrayStream, which the import owns from taco_import_open on. Out: batches of at
   most 65,536 rows whose arrays are ours: 32-bit offsets from 0, validity from bit 0 (Arrow C
   stream interface). import_schema.c makes a tree of nodes from the schema once; for each batch
   import_array.c converts the buffers of that tree, in place where the layout is the same.

   An array of the stream is cut into batches; if the text of that many rows exceeds 2^31 bytes,
   half the rows are tried. Start reading at taco__import_next. */
#include "parquet_write.h"
#include "../base/base.h"

#define TACO__IMPORT_ROWS 65536 /* most rows in a batch */

/* ---- the stream ---- */

static void taco__import_free_node(taco__import_node *k)
{
    uint32_t i;
    for (i = 0; k->children && i < k->field->child_count; i++) {
        taco__import_free_node(&k->children[i]);
    }
    if (k->dictionary) { taco__import_free_node(k->dictionary); }
    taco__buf_free(&k->validity);
    taco__buf_free(&k->offsets);
    taco__buf_free(&k->values);
}

/* Releases in the order array, schema, stream: the stream may own what the others point to. */
static void taco__import_free(taco_import *in)
{
    taco__mem mem;
    taco__import_free_node(&in->root);
    if (in->array.release) { in->array.release(&in->array); }
    if (in->schema.release) { in->schema.release(&in->schema); }
    if (in->stream.release) { in->stream.release(&in->stream); }
    taco__arena_free(&in->arena);
    mem = in->mem;
    taco__mem_free(&mem, in, sizeof *in);
}

/* A failure reported by the stream, with its own message. */
static bool taco__import_fail(taco_import *in, const char *what, int code)
{
    const char *text = in->stream.get_last_error ? in->stream.get_last_error(&in->stream) : NULL;
    taco_bytes said = taco__bytes_text(text ? text : "");
    TACO__FAIL(&in->err, TACO_ERR_IO, TACO_NO_OFFSET,
               "the %s of an Arrow stream failed with code %d: %q", what, TACO__D(code), &said);
    return false;
}

/* The schema of a stream is a struct, whose children are the columns. */
static bool taco__import_read_schema(taco_import *in)
{
    int code = in->stream.get_schema(&in->stream, &in->schema);
    if (code) {
        in->schema.release = NULL;
        return taco__import_fail(in, "schema", code);
    }
    in->root.field = (taco_field *)taco__arena_alloc(&in->arena, sizeof *in->root.field, &in->err);
    if (!in->root.field) { return false; }
    if (!in->schema.format || strcmp(in->schema.format, "+s") != 0 || in->schema.dictionary) {
        return taco__import_schema_fail(in, &in->schema, ", where a table is expected");
    }
    return taco__import_schema_field(in, &in->root, &in->schema, 0);
}

/* Makes in->array the next one with rows; false at the end and on failure. */
static bool taco__import_next_array(taco_import *in)
{
    const struct ArrowArray *a = &in->array;
    int code;
    do {
        if (in->array.release) { in->array.release(&in->array); }
        memset(&in->array, 0, sizeof in->array);
        code = in->stream.get_next(&in->stream, &in->array);
        if (code) {
            in->array.release = NULL;
            return taco__import_fail(in, "next batch", code);
        }
        if (!a->release) {
            in->ended = true;
            return false;
        }
        in->next_row = 0;
        in->turn++;
    } while (a->length == 0);
    return true;
}

/* Converts rows of the array, from the next one on: *n of them, or fewer if their text is too much
   for one batch. */
static bool taco__import_convert_rows(taco_import *in, size_t *n, taco_array *table)
{
    for (;;) {
        in->too_large = false;
        if (taco__import_array(in, &in->root, &in->array, in->next_row, *n, table)) { return true; }
        if (!in->too_large) { return false; }
        memset(&in->err, 0, sizeof in->err);
        *n /= 2;
    }
}

static bool taco__import_take_rows(taco_import *in, taco_batch *out)
{
    uint64_t left = (uint64_t)in->array.length - in->next_row;
    size_t n = (size_t)TACO__MIN(left, (uint64_t)TACO__IMPORT_ROWS);
    taco_array table;
    if (!taco__import_convert_rows(in, &n, &table)) { return false; }
    if (table.null_count) {
        return taco__import_array_fail(in, &in->root,
                                       "null rows of the table itself:", table.null_count, 0);
    }
    memset(out, 0, sizeof *out);
    out->first_row = (int64_t)in->rows;
    out->length = n;
    out->columns = in->root.arrays;
    out->column_count = in->root.field->child_count;
    in->next_row += n;
    in->rows += n;
    return true;
}

TACO__FN taco_status taco__import_close(taco_import *in, taco_error *err)
{
    taco_status code;
    if (!in) { return TACO_OK; }
    code = in->err.code;
    if (err && err->code == TACO_OK && code != TACO_OK) { *err = in->err; }
    taco__import_free(in);
    return code;
}

/* An import with only its memory and limits; NULL on failure. */
static taco_import *taco__import_alloc(const taco_options *opt, taco_error *err)
{
    taco_options options;
    taco__mem mem;
    taco_import *in;
    taco__options_init(&options, opt);
    taco__mem_init(&mem, opt);
    in = (taco_import *)taco__mem_alloc(&mem, sizeof *in, err);
    if (!in) { return NULL; }
    in->mem = mem;
    in->arena.mem = &in->mem;
    in->limits = options.limits;
    return in;
}

TACO__FN taco_import *taco__import_open(struct ArrowArrayStream *stream, const taco_options *opt,
                                        taco_error *err)
{
    taco_import *in;
    if (!stream || !stream->release) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no Arrow stream, or a released one");
        return NULL;
    }
    in = taco__import_alloc(opt, err);
    if (!in) {
        stream->release(stream);
        stream->release = NULL;
        return NULL;
    }
    in->stream = *stream; /* moved: the caller's is a released one from here on */
    memset(stream, 0, sizeof *stream);
    taco__import_schema_init_node(in, &in->root);
    if (!taco__import_read_schema(in)) {
        taco__import_close(in, err);
        return NULL;
    }
    return in;
}

TACO__FN bool taco__import_next(taco_import *in, taco_batch *out)
{
    if (in->ended || in->err.code != TACO_OK) { return false; }
    return ((in->array.release && in->next_row < (uint64_t)in->array.length) ||
            taco__import_next_array(in)) &&
           taco__import_take_rows(in, out);
}

/* ---- the public calls ---- */

TACO_API taco_import *taco_import_open(struct ArrowArrayStream *stream, const taco_options *opt,
                                       taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    return taco__import_open(stream, opt, taco__error_fresh(err, &own));
}

TACO_API const taco_field *taco_import_fields(const taco_import *in, size_t *n)
{
    if (n) { *n = in ? in->root.field->child_count : 0; }
    return in ? in->root.field->children : NULL;
}

TACO_API bool taco_import_next(taco_import *in, taco_batch *out)
{
    return in && taco__import_next(in, out);
}

TACO_API taco_status taco_import_close(taco_import *in, taco_error *err)
{
    return taco__import_close(in, err);
}
