/* build.c - collections out, and to and from TACO. */
#include "rasteret.h"
#include "../base/base.h"
#include "../base/file_copy.h"
#include "../arrow/arrow.h"
#include "../parquet_write/parquet_write.h"
#include "../dataset/dataset.h"
#include "../write/write.h"

#define TACO__BUILD_BATCH_ROWS 128 /* of a batch with headers, which are held together */

/* ---- the source
   ---------------------------------------------------------------------------------- */

/* A Parquet file is read as it stands, whatever it holds; a directory must be a collection. */
static bool taco__build_open_source(taco__build *b, const char *source, const taco_source *src,
                                    taco_error *err)
{
    uint64_t size;
    taco_query q;
    taco_pq_query pq;
    if (!src && taco__plat_stat(source, &size) == TACO__PATH_DIRECTORY) {
        b->options.openers = taco__rasteret_openers();
        memset(&q, 0, sizeof q);
        b->ds = taco_open(source, &b->options, err);
        b->cursor = b->ds ? taco_select(b->ds, &q, err) : NULL;
        b->in = b->cursor ? taco_cursor_fields(b->cursor, &b->in_count) : NULL;
        return b->in != NULL;
    }
    memset(&pq, 0, sizeof pq);
    pq.batch_rows = b->opt->enrich ? TACO__BUILD_BATCH_ROWS : 0;
    b->pq = src ? taco_pq_open_source(src, source, &b->options, err)
                : taco_pq_open(source, &b->options, err);
    b->reader = b->pq ? taco_pq_read(b->pq, &pq, err) : NULL;
    b->in = b->reader ? taco_pq_reader_fields(b->reader, &b->in_count) : NULL;
    return b->in != NULL;
}

static bool taco__build_next_batch(taco__build *b, taco_batch *out)
{
    return b->cursor ? taco_cursor_batch(b->cursor, out) : taco_pq_reader_next(b->reader, out);
}

static taco_bytes taco__build_source_key_value(const taco__build *b, const char *key)
{
    return taco_pq_key_value(b->ds ? &b->ds->stores[0].levels[0].pq : b->pq, key);
}

/* ---- files
   --------------------------------------------------------------------------------------- */

static void taco__build_read_column(taco__build *b, size_t i, const taco_batch *in, taco_array *out)
{
    taco__build_column *c = &b->columns[i];
    if (c->what == TACO__BUILD_SOURCE) {
        *out = in->columns[c->source];
    } else {
        taco__array_builder_view(&c->made, out);
    }
    out->field = &c->field;
}

/* name=value of a partition, escaped as Arrow does it. */
static bool taco__build_append_key(taco__buf *t, const taco_array *a, size_t row, taco_error *err)
{
    taco_bytes v;
    char text[24];
    size_t i;
    if (t->len && !taco__buf_append_char(t, '/', err)) { return false; }
    if (!taco__buf_append_text(t, a->field->name, err) || !taco__buf_append_char(t, '=', err)) {
        return false;
    }
    if (!taco_array_valid(a, row)) { return taco__buf_append_text(t, TACO__HIVE_NULL_NAME, err); }
    v = a->field->type == TACO_TEXT
            ? taco_array_bytes(a, row)
            : taco__bytes_of(text, taco__num_format_i64(text, taco_array_int(a, row)));
    for (i = 0; i < v.len; i++) {
        uint8_t c = v.data[i];
        bool plain = (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') ||
                     c == '-' || c == '_' || c == '.' || c == '~';
        char escape[3];
        escape[0] = '%';
        escape[1] = "0123456789ABCDEF"[c >> 4];
        escape[2] = "0123456789ABCDEF"[c & 15];
        if (!taco__buf_append(t, plain ? (const void *)&c : escape, plain ? 1 : 3, err)) {
            return false;
        }
    }
    return true;
}

/* Key-value entries of every file; `geo` is the writer's. */
static bool taco__build_file_key_values(taco__build *b, const char *source, taco_error *err)
{
    const taco_rasteret_options *o = b->opt;
    const char *asked[4];
    static const char *const names[4] = {"description", "name", "data_source", "created"};
    taco_bytes dates = taco__build_source_key_value(b, "date_range");
    size_t i;
    asked[0] = o->description;
    asked[1] = o->name;
    asked[2] = o->data_source;
    asked[3] = o->created;
    for (i = 0; i < 4; i++) {
        taco_bytes v =
            asked[i] ? taco__bytes_text(asked[i]) : taco__build_source_key_value(b, names[i]);
        if (i == 1 && !v.len) { v = taco__rasteret_info_default_name(source); }
        if (i == 3 && !v.len) { continue; }
        b->keys[b->key_count].key = names[i];
        b->keys[b->key_count++].value = taco__arena_text(&b->arena, v, err);
    }
    if (o->start_date && o->end_date) {
        b->text.len = 0;
        if (!taco__buf_append_text(&b->text, o->start_date, err) ||
            !taco__buf_append_char(&b->text, ',', err) ||
            !taco__buf_append_text(&b->text, o->end_date, err)) {
            return false;
        }
        dates = taco__bytes_of(b->text.data, b->text.len);
    }
    b->keys[b->key_count].key = "date_range";
    b->keys[b->key_count++].value = taco__arena_text(&b->arena, dates, err);
    b->keys[b->key_count].key = "rasteret_collection_version";
    b->keys[b->key_count++].value = "1";
    for (i = 0; i < b->key_count; i++) {
        if (!b->keys[i].value) { return false; }
    }
    return true;
}

#ifndef TACO_NO_STDIO
static bool taco__build_open_sink(taco__build *b, const char *path, taco_sink *out, taco_error *err)
{
    return taco_sink_file(out, path, &b->options, err) == TACO_OK;
}

static bool taco__build_make_dir(const char *path, taco_error *err)
{
    return taco__dir_make(path, err);
}
#else
static bool taco__build_open_sink(taco__build *b, const char *path, taco_sink *out, taco_error *err)
{
    (void)b;
    (void)out;
    TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET, "%s: no files under TACO_NO_STDIO", path);
    return false;
}

static bool taco__build_make_dir(const char *path, taco_error *err)
{
    TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET, "%s: no files under TACO_NO_STDIO", path);
    return false;
}
#endif

static bool taco__build_open_writer(taco__build *b, taco__build_part *p, const char *path,
                                    taco_error *err)
{
    taco_pq_write_options w;
    taco_pq_geometry g;
    taco_sink sink;
    memset(&w, 0, sizeof w);
    memset(&g, 0, sizeof g);
    g.column = "geometry";
    g.covering = "bbox";
    w.options = &b->options;
    w.codec = TACO_CODEC_ZSTD;
    w.level = 3;
    w.row_group_rows = 50000;
    w.keys = b->keys;
    w.key_count = b->key_count;
    w.geometries = &g;
    w.geometry_count = 1;
    if (!taco__build_open_sink(b, path, &sink, err)) { return false; }
    p->writer = taco_pq_write(&sink, b->out, b->out_count, &w, err);
    return p->writer != NULL;
}

/* Makes the directories of a partition, one below the other, and opens its file. */
static taco__build_part *taco__build_open_part(taco__build *b, const char *key, taco_error *err)
{
    taco__build_part *p = &b->parts[b->part_count];
    size_t i, n = strlen(b->target);
    if (b->part_count == TACO__BUILD_MAX_PARTS) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "more than %u partitions: partition by fewer columns, or none",
                   TACO__U(TACO__BUILD_MAX_PARTS));
        return NULL;
    }
    p->key = taco__arena_text(&b->arena, taco__bytes_text(key), err);
    b->text.len = 0;
    if (!p->key || !taco__buf_append(&b->text, b->target, n, err)) { return NULL; }
    if (!b->opt->single) {
        for (i = 0;; i++) {
            bool last = p->key[i] == 0;
            if (last || p->key[i] == '/' || i == 0) {
                size_t len = b->text.len;
                if (!taco__buf_append_char(&b->text, 0, err) ||
                    !taco__build_make_dir((const char *)b->text.data, err)) {
                    return NULL;
                }
                b->text.len = len;
            }
            if (last) { break; }
            if ((i == 0 && !taco__buf_append_char(&b->text, '/', err)) ||
                !taco__buf_append_char(&b->text, p->key[i], err)) {
                return NULL;
            }
        }
        if (!taco__buf_append_text(&b->text, "/part-0.parquet", err)) { return NULL; }
    }
    if (!taco__buf_append_char(&b->text, 0, err) ||
        !taco__build_open_writer(b, p, (const char *)b->text.data, err)) {
        return NULL;
    }
    b->part_count++;
    return p;
}

/* The partition of every row of a batch, as uint32 in part_of. */
static bool taco__build_assign_parts(taco__build *b, const taco_batch *in, taco_error *err)
{
    taco_array *keys =
        (taco_array *)taco__arena_array(&b->enrich.arena, b->count, sizeof *keys, err);
    taco__buf key;
    size_t n = 0, i, k, row, last = SIZE_MAX;
    bool ok = keys != NULL;
    memset(&key, 0, sizeof key);
    key.mem = &b->mem;
    for (i = 0; ok && i < b->count; i++) {
        if (b->columns[i].key) { taco__build_read_column(b, i, in, &keys[n++]); }
    }
    ok = ok && taco__buf_reset(&b->index, (in->length + 1) * sizeof(int32_t), err) &&
         taco__buf_reset(&b->part_of, (in->length + 1) * sizeof(uint32_t), err);
    for (row = 0; ok && row < in->length; row++) {
        uint32_t part;
        key.len = 0;
        for (k = 0; ok && k < n; k++) {
            ok = taco__build_append_key(&key, &keys[k], row, err);
        }
        ok = ok && taco__buf_append_char(&key, 0, err);
        if (ok && (last == SIZE_MAX || strcmp(b->parts[last].key, (const char *)key.data) != 0)) {
            for (last = 0;
                 last < b->part_count && strcmp(b->parts[last].key, (const char *)key.data) != 0;
                 last++) {}
            ok = last < b->part_count || taco__build_open_part(b, (const char *)key.data, err);
        }
        part = (uint32_t)last;
        ok = ok && taco__buf_append(&b->part_of, &part, sizeof part, err);
    }
    taco__buf_free(&key);
    return ok;
}

static bool taco__build_write_batch(taco__build *b, const taco_batch *in, taco_error *err)
{
    taco_array *all =
        (taco_array *)taco__arena_array(&b->enrich.arena, b->count + 1, sizeof *all, err);
    const uint32_t *part_of;
    int32_t *index;
    size_t p, i, k, n, row;
    taco_batch out;
    if (!all || !taco__build_assign_parts(b, in, err)) { return false; }
    part_of = (const uint32_t *)(const void *)b->part_of.data;
    index = (int32_t *)(void *)b->index.data;
    for (p = 0; p < b->part_count; p++) {
        for (row = n = 0; row < in->length; row++) {
            if (part_of[row] == p) { index[n++] = (int32_t)row; }
        }
        for (i = k = 0; n && i < b->count; i++) {
            taco_array whole;
            if (b->columns[i].key) { continue; }
            taco__build_read_column(b, i, in, &whole);
            if (n < in->length) {
                if (!taco__take_array(&b->columns[i].taken, &whole, index, n, err)) {
                    return false;
                }
                whole = b->columns[i].taken.array;
            }
            all[k++] = whole;
        }
        memset(&out, 0, sizeof out);
        out.first_row = -1;
        out.length = n;
        out.columns = all;
        out.column_count = k;
        if (n && taco_pq_writer_batch(b->parts[p].writer, &out) != TACO_OK) {
            taco_pq_writer_close(b->parts[p].writer, err);
            b->parts[p].writer = NULL;
            return false;
        }
    }
    return true;
}

/* Rows [at, at + n) of the columns of the source, through buffers of their own. */
static bool taco__build_slice_columns(taco__build *b, taco_array *columns, size_t at, size_t n,
                                      taco_error *err)
{
    size_t i;
    int32_t *index;
    if (!b->cuts) {
        b->cuts =
            (taco__array_buf *)taco__arena_array(&b->arena, b->in_count, sizeof *b->cuts, err);
        for (i = 0; b->cuts && i < b->in_count; i++) {
            if (!taco__array_buf_init(&b->cuts[i], &b->in[i], &b->mem, &b->arena, err)) {
                return false;
            }
        }
    }
    if (!b->cuts || !taco__buf_reset(&b->index, (n + 1) * sizeof *index, err)) { return false; }
    index = (int32_t *)(void *)b->index.data;
    for (i = 0; i < n; i++) {
        index[i] = (int32_t)(at + i);
    }
    for (i = 0; i < b->in_count; i++) {
        if (!taco__take_array(&b->cuts[i], &columns[i], index, n, err)) { return false; }
        columns[i] = b->cuts[i].array;
    }
    return true;
}

static bool taco__build_run(taco__build *b, taco_error *err)
{
    taco_batch in;
    size_t at, i;
    while (taco__build_next_batch(
        b, &in)) { /* a cursor's batches are larger than what is parsed together */
        size_t step = b->band_count ? TACO__BUILD_BATCH_ROWS : in.length;
        for (at = 0; at < in.length; at += step) {
            taco_batch part = in;
            if (in.length > step) {
                taco_array *cut = (taco_array *)taco__arena_array(&b->enrich.arena, b->in_count,
                                                                  sizeof *cut, err);
                part.length = TACO__MIN(step, in.length - at);
                for (i = 0; cut && i < b->in_count; i++) {
                    cut[i] = in.columns[i];
                }
                if (!cut || !taco__build_slice_columns(b, cut, at, part.length, err)) {
                    return false;
                }
                part.columns = cut;
            }
            if (!taco__build_values_make_batch(b, &part, err) ||
                !taco__build_write_batch(b, &part, err)) {
                return false;
            }
            b->rows += part.length;
            taco__arena_free(&b->enrich.arena);
        }
    }
    if ((b->cursor ? taco_cursor_close(b->cursor, err) : taco_pq_reader_close(b->reader, err)) !=
        TACO_OK) {
        b->cursor = NULL;
        b->reader = NULL;
        return false;
    }
    b->cursor = NULL;
    b->reader = NULL;
    if (b->enrich.tried && !b->enrich.parsed) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "none of the headers of %u assets could be read", b->enrich.tried);
        return false;
    }
    if (b->part_count == 0 && b->opt->single && !taco__build_open_part(b, "", err)) {
        return false; /* a collection of no records is a file of none */
    }
    for (i = 0; i < b->part_count; i++) {
        taco_pq_writer *w = b->parts[i].writer;
        b->parts[i].writer = NULL;
        if (taco_pq_writer_close(w, err) != TACO_OK) { return false; }
    }
    return true;
}

static void taco__build_free(taco__build *b)
{
    size_t i;
    for (i = 0; i < b->part_count; i++) {
        if (b->parts[i].writer) { taco_pq_writer_abort(b->parts[i].writer); }
    }
    if (b->part_count < TACO__BUILD_MAX_PARTS && b->parts[b->part_count].writer) {
        taco_pq_writer_abort(b->parts[b->part_count].writer);
    }
    for (i = 0; i < b->count; i++) {
        taco__array_builder_free(&b->columns[i].made);
        taco__array_buf_free(&b->columns[i].taken);
    }
    for (i = 0; b->cuts && i < b->in_count; i++) {
        taco__array_buf_free(&b->cuts[i]);
    }
    taco_cursor_close(b->cursor, NULL);
    taco_close(b->ds);
    taco_pq_reader_close(b->reader, NULL);
    taco_pq_close(b->pq);
    taco__buf_free(&b->text);
    taco__buf_free(&b->part_of);
    taco__buf_free(&b->index);
    taco__buf_free(&b->codes);
    taco__arena_free(&b->enrich.arena);
    taco__arena_free(&b->arena);
}

/* Builds from what stands at source, or from the Parquet file src, which stays the caller's. */
TACO__FN taco_status taco__build_collection(const char *source, const taco_source *src,
                                            const char *target, const taco_rasteret_options *opt,
                                            taco_error *err)
{
    taco__mem mem;
    taco__build *b;
    taco_error own;
    memset(&own, 0, sizeof own);
    taco__mem_init(&mem, opt->options);
    b = (taco__build *)taco__mem_alloc(&mem, sizeof *b, err);
    if (!b) { return TACO_ERR_MEMORY; }
    b->mem = mem;
    b->opt = opt;
    b->plain = src != NULL;
    b->target = target;
    taco__options_init(&b->options, opt->options);
    b->arena.mem = b->text.mem = b->part_of.mem = b->index.mem = b->codes.mem = &b->mem;
    b->enrich.mem = b->enrich.arena.mem = &b->mem;
    b->enrich.options = &b->options;
    b->enrich.base = opt->base ? opt->base : "";
    if (taco__build_open_source(b, source, src, &own) && taco__build_columns_plan(b, &own) &&
        taco__build_file_key_values(b, source, &own)) {
        (void)taco__build_run(b, &own);
    }
    if (own.code != TACO_OK && !strstr(own.text, source)) {
        taco__error_prefix(&own, "%s", source);
    }
    taco__build_free(b);
    mem = b->mem;
    taco__mem_free(&mem, b, sizeof *b);
    if (err && err->code == TACO_OK && own.code != TACO_OK) { *err = own; }
    return own.code;
}

TACO_API taco_status taco_rasteret_build(const char *source, const char *target,
                                         const taco_rasteret_options *opt, taco_error *err)
{
    taco_rasteret_options usual;
    memset(&usual, 0, sizeof usual);
    if (!source || !target) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given",
                          source ? "target" : "source");
    }
    return taco__build_collection(source, NULL, target, opt ? opt : &usual, err);
}
