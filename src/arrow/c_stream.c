/* c_stream.c - a reader or cursor as Arrow's C stream interface

   In: a taco__arrow_source; out: a stream that returns its schema and batches, and closes it when
   released. Spec: Arrow "The Arrow C stream interface". Schemas and arrays are made in c_schema.c
   and c_array.c; errors stay in the source's reader, and a copy of the last one in the stream. */
#include "arrow.h"
#include "../base/base.h"

/* The private data of a struct ArrowArrayStream. */
typedef struct taco__arrow_stream {
    taco__arrow_source src;
    taco_error err; /* of the last call that failed */
} taco__arrow_stream;

/* The C stream interface has errno codes; the text comes from get_last_error. */
static int taco__arrow_stream_errno(taco_status code)
{
    switch (code) {
    case TACO_OK: return 0;
    case TACO_ERR_MEMORY:
    case TACO_ERR_LIMIT: return TACO__ENOMEM;
    case TACO_ERR_IO: return TACO__EIO;
    default: return TACO__EINVAL;
    }
}

/* The file's key-value metadata, except the writer's own Arrow schema, which this one replaces. */
static bool taco__arrow_stream_metadata(const taco__arrow_source *s, taco__buf *out,
                                        taco_error *err)
{
    size_t i, n = 0;
    if (!taco__arrow_append_count(out, 0, err)) { return false; }
    for (i = 0; i < s->pair_count; i++) {
        taco_bytes key = s->pairs[i].key, value = s->pairs[i].value;
        if (key.len > INT32_MAX || value.len > INT32_MAX || !taco__utf8_valid(key) ||
            !taco__utf8_valid(value) || taco__bytes_equal(key, taco__bytes_text("ARROW:schema"))) {
            continue;
        }
        if (!taco__arrow_append_pair(out, key, value, err)) { return false; }
        n++;
    }
    if (n) {
        int32_t count = (int32_t)n;
        memcpy(out->data, &count, sizeof count);
    } else {
        out->len = 0;
    }
    return true;
}

/* The schema of the batches: a struct of the source's fields, with the file's metadata. */
static bool taco__arrow_stream_export_schema(taco__arrow_stream *s, struct ArrowSchema *out)
{
    taco__arrow_source *src = &s->src;
    taco__arrow_export x;
    taco__buf pairs;
    size_t i;
    bool ok;
    memset(&x, 0, sizeof x);
    memset(&pairs, 0, sizeof pairs);
    x.mem = pairs.mem = src->mem;
    ok = taco__arrow_stream_metadata(src, &pairs, &s->err) &&
         taco__arrow_schema_init(&x, out, src->count, taco__bytes_text(""),
                                 taco__bytes_of(pairs.data, pairs.len), &s->err);
    taco__buf_free(&pairs);
    if (!ok) { return false; }
    memcpy(((taco__arrow_schema_data *)out->private_data)->format, "+s", 3);
    for (i = 0; ok && i < src->count; i++) {
        ok = taco__arrow_schema_export(&x, &src->fields[i], src->all_nullable, out->children[i],
                                       &s->err);
    }
    if (!ok) { out->release(out); }
    taco__mem_disown(src->mem, x.charged);
    return ok;
}

static int taco__arrow_stream_get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    taco__arrow_stream *s = (taco__arrow_stream *)stream->private_data;
    memset(out, 0, sizeof *out);
    memset(&s->err, 0, sizeof s->err);
    return taco__arrow_stream_export_schema(s, out) ? 0 : taco__arrow_stream_errno(s->err.code);
}

/* A released array marks the end of the stream, unless the reader has failed. */
static int taco__arrow_stream_get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    taco__arrow_stream *s = (taco__arrow_stream *)stream->private_data;
    taco__arrow_export x;
    taco_batch b;
    memset(out, 0, sizeof *out);
    memset(&x, 0, sizeof x);
    x.mem = s->src.mem;
    if (s->src.next(s->src.ctx, &b) &&
        !taco__arrow_batch_export(&x, s->src.fields, &b, s->src.owner, s->src.ctx, out,
                                  s->src.err)) {
        s->src.prefix_error(s->src.ctx);
    }
    s->err = *s->src.err;
    return taco__arrow_stream_errno(s->err.code);
}

static const char *taco__arrow_stream_get_last_error(struct ArrowArrayStream *stream)
{
    const taco__arrow_stream *s = (const taco__arrow_stream *)stream->private_data;
    return s->err.code == TACO_OK ? NULL : s->err.text[0] ? s->err.text : "failed";
}

/* Closes the source; exported arrays are independent of it. */
static void taco__arrow_stream_release(struct ArrowArrayStream *stream)
{
    taco__arrow_stream *s = (taco__arrow_stream *)stream->private_data;
    taco__arrow_source src = s->src;
    taco__mem_free(src.mem, s, sizeof *s);
    src.close(src.ctx);
    stream->release = NULL;
    stream->private_data = NULL;
}

TACO__FN taco_status taco__arrow_stream_open(const taco__arrow_source *src,
                                             struct ArrowArrayStream *out, taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__arrow_stream *s = NULL;
    err = taco__error_fresh(err, &own);
    if (out) { memset(out, 0, sizeof *out); }
    if (!out || !src->ctx) {
        TACO__FAIL_SOFT(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given",
                        out ? "rows" : "stream");
    } else {
        s = (taco__arrow_stream *)taco__mem_alloc(src->mem, sizeof *s, err);
    }
    if (!s) {
        if (src->ctx) { src->close(src->ctx); }
        return err->code;
    }
    s->src = *src;
    out->get_schema = taco__arrow_stream_get_schema;
    out->get_next = taco__arrow_stream_get_next;
    out->get_last_error = taco__arrow_stream_get_last_error;
    out->release = taco__arrow_stream_release;
    out->private_data = s;
    return TACO_OK;
}
