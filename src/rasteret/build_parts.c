/* build_parts.c - partitions: writes the rows of a batch to the files named by their keys

   In: a batch with its computed columns; out: rows in the Parquet files
   target/year=2020/month=1/part-0.parquet, or in the target itself. A file is created at its first
   row and stays open to the end, since more rows of its partition may come at any time. At most 512
   are open, as each Parquet writer holds a row group in memory. Values in names are
   percent-encoded, as by Arrow's dataset writer.

   Start reading at taco__build_parts_write. */
#include "rasteret.h"
#include "../base/base.h"
#include "../base/file_copy.h"
#include "../arrow/arrow.h"
#include "../parquet_write/parquet_write.h"

/* The array of column i for the rows of a batch. */
static void taco__build_parts_column(taco__build *b, size_t i, const taco_batch *in,
                                     taco_array *out)
{
    taco__build_column *c = &b->columns[i];
    if (c->kind == TACO__BUILD_SOURCE) {
        *out = in->columns[c->source];
    } else {
        taco__array_builder_view(&c->made, out);
    }
    out->field = &c->field;
}

/* ---- files ---- */

#ifndef TACO_NO_STDIO
static bool taco__build_parts_open_sink(taco__build *b, const char *path, taco_sink *out,
                                        taco_error *err)
{
    return taco_sink_file(out, path, &b->options, err) == TACO_OK;
}

static bool taco__build_parts_make_dir(const char *path, taco_error *err)
{
    return taco__dir_make(path, err);
}
#else
static bool taco__build_parts_open_sink(taco__build *b, const char *path, taco_sink *out,
                                        taco_error *err)
{
    (void)b;
    (void)out;
    TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET, "%s: no files under TACO_NO_STDIO", path);
    return false;
}

static bool taco__build_parts_make_dir(const char *path, taco_error *err)
{
    TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET, "%s: no files under TACO_NO_STDIO", path);
    return false;
}
#endif

/* Codec, level and row groups are those of Rasteret's own writer; geometry is GeoParquet's primary
   column, bbox its covering. */
static bool taco__build_parts_open_writer(taco__build *b, taco__build_part *p, const char *path,
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
    if (!taco__build_parts_open_sink(b, path, &sink, err)) { return false; }
    p->writer = taco_pq_write(&sink, b->out, b->out_count, &w, err);
    return p->writer != NULL;
}

/* Creates the directory that b->text names so far, and records it if it is new. */
static bool taco__build_parts_make_text_dir(taco__build *b, taco_error *err)
{
    size_t len = b->text.len;
    taco__build_dir *made = NULL;
    if (!taco__buf_append_char(&b->text, 0, err)) { return false; }
    if (!taco__plat_name_exists((const char *)b->text.data)) {
        made = (taco__build_dir *)taco__arena_alloc(&b->arena, sizeof *made, err);
        if (!made) { return false; }
        made->path = taco__arena_text(&b->arena, taco__bytes_of(b->text.data, len), err);
        if (!made->path) { return false; }
    }
    if (!taco__build_parts_make_dir((const char *)b->text.data, err)) { return false; }
    if (made) {
        made->before = b->parts.dirs;
        b->parts.dirs = made;
    }
    b->text.len = len;
    return true;
}

/* Creates the target and the nested directories of a partition; afterwards b->text names the
   innermost one. */
static bool taco__build_parts_make_dirs(taco__build *b, const char *key, taco_error *err)
{
    const char *end = key;
    if (!taco__build_parts_make_text_dir(b, err)) { return false; }
    while (*end) {
        const char *name = end;
        end = strchr(name, '/') ? strchr(name, '/') : name + strlen(name);
        if (!taco__buf_append_char(&b->text, '/', err) ||
            !taco__buf_append(&b->text, name, (size_t)(end - name), err) ||
            !taco__build_parts_make_text_dir(b, err)) {
            return false;
        }
        end += *end == '/';
    }
    return true;
}

/* Opens target/key/part-0.parquet, or the target itself if the options ask for one file. */
TACO__FN bool taco__build_parts_open(taco__build *b, const char *key, taco_error *err)
{
    taco__build_part *p = &b->parts.list[b->parts.count];
    if (b->parts.count == TACO__BUILD_MAX_PARTS) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "more than %u partitions: partition by fewer columns, or none",
                   TACO__U(TACO__BUILD_MAX_PARTS));
        return false;
    }
    p->key = taco__arena_text(&b->arena, taco__bytes_text(key), err);
    b->text.len = 0;
    if (!p->key || !taco__buf_append_text(&b->text, b->target, err)) { return false; }
    if (!b->opt->single && (!taco__build_parts_make_dirs(b, p->key, err) ||
                            !taco__buf_append_text(&b->text, "/part-0.parquet", err))) {
        return false;
    }
    p->path = taco__arena_text(&b->arena, taco__bytes_of(b->text.data, b->text.len), err);
    if (!p->path || !taco__build_parts_open_writer(b, p, p->path, err)) { return false; }
    b->parts.count++;
    return true;
}

TACO__FN bool taco__build_parts_close(taco__build *b, taco_error *err)
{
    size_t i;
    for (i = 0; i < b->parts.count; i++) {
        taco_pq_writer *w = b->parts.list[i].writer;
        b->parts.list[i].writer = NULL;
        if (taco_pq_writer_close(w, err) != TACO_OK) { return false; }
#if TACO__DIRS
        b->parts.list[i].made = taco__plat_identify(b->parts.list[i].path, &b->parts.list[i].id);
#endif
    }
    b->parts.complete = true;
    return true;
}

/* Removes completed files, and then the directories that were created, which are empty by then: a
   collection is written as a whole or not at all. */
static void taco__build_parts_undo(taco__build *b)
{
#if TACO__DIRS
    const taco__build_dir *dir;
    size_t i;
    for (i = 0; i < b->parts.count; i++) {
        const taco__build_part *p = &b->parts.list[i];
        if (p->made) { taco__temporary_remove_made(p->path, &p->id); }
    }
    for (dir = b->parts.dirs; dir; dir = dir->before) {
        TACO__RMDIR(dir->path);
    }
#else
    (void)b;
#endif
}

TACO__FN void taco__build_parts_abort(taco__build *b)
{
    size_t i;
    for (i = 0; i < b->parts.count; i++) {
        if (b->parts.list[i].writer) { taco_pq_writer_abort(b->parts.list[i].writer); }
    }
    if (!b->parts.complete) { taco__build_parts_undo(b); }
    taco__buf_free(&b->parts.of_row);
    taco__buf_free(&b->parts.rows);
}

/* ---- keys ---- */

/* Whether a byte needs no escape in a name: the unreserved ones of RFC 3986. */
static bool taco__build_parts_is_unreserved(uint8_t c)
{
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '-' ||
           c == '_' || c == '.' || c == '~';
}

/* All other bytes become %XX, including slashes, so that a value cannot create a directory. */
static bool taco__build_parts_append_escaped(taco__buf *t, taco_bytes v, taco_error *err)
{
    static const char digits[] = "0123456789ABCDEF";
    size_t i;
    bool ok = true;
    for (i = 0; ok && i < v.len; i++) {
        uint8_t c = v.data[i];
        ok = taco__build_parts_is_unreserved(c)
                 ? taco__buf_append_char(t, (char)c, err)
                 : taco__buf_append_char(t, '%', err) &&
                       taco__buf_append_char(t, digits[c >> 4], err) &&
                       taco__buf_append_char(t, digits[c & 15], err);
    }
    return ok;
}

/* Appends name=value of a partition, after a slash unless it is the first. */
static bool taco__build_parts_append_key(taco__buf *t, const taco_array *a, size_t row,
                                         taco_error *err)
{
    char text[24];
    taco_bytes v;
    if ((t->len && !taco__buf_append_char(t, '/', err)) ||
        !taco__buf_append_text(t, a->field->name, err) || !taco__buf_append_char(t, '=', err)) {
        return false;
    }
    if (!taco_array_valid(a, row)) { return taco__buf_append_text(t, TACO__HIVE_NULL_NAME, err); }
    v = a->field->type == TACO_TEXT
            ? taco_array_bytes(a, row)
            : taco__bytes_of(text, taco__num_format_i64(text, taco_array_int(a, row)));
    return taco__build_parts_append_escaped(t, v, err);
}

/* Finds the part of a key, or begins a new one. The previous row's part is tried first, as rows of
   a partition are often adjacent. */
static bool taco__build_parts_find(taco__build *b, const char *key, uint32_t *part, taco_error *err)
{
    const taco__build_parts *p = &b->parts;
    if (*part < p->count && strcmp(p->list[*part].key, key) == 0) { return true; }
    for (*part = 0; *part < p->count && strcmp(p->list[*part].key, key) != 0; ++*part) {}
    return *part < p->count || taco__build_parts_open(b, key, err);
}

/* The *n arrays of the key columns of a batch; NULL on failure. */
static taco_array *taco__build_parts_key_columns(taco__build *b, const taco_batch *in, size_t *n,
                                                 taco_error *err)
{
    taco_array *keys =
        (taco_array *)taco__arena_array(&b->enrich.arena, b->count, sizeof *keys, err);
    size_t i;
    for (*n = 0, i = 0; keys && i < b->count; i++) {
        if (b->columns[i].key) { taco__build_parts_column(b, i, in, &keys[(*n)++]); }
    }
    return keys;
}

/* Sets parts.of_row to the partition of each row of a batch. */
static bool taco__build_parts_assign(taco__build *b, const taco_batch *in, taco_error *err)
{
    taco__buf key, *of_row = &b->parts.of_row;
    size_t n, k, row;
    taco_array *keys = taco__build_parts_key_columns(b, in, &n, err);
    uint32_t part = UINT32_MAX;
    bool ok = keys && taco__buf_reset(of_row, (in->length + 1) * sizeof part, err);
    memset(&key, 0, sizeof key);
    key.mem = &b->mem;
    for (row = 0; ok && row < in->length; row++) {
        key.len = 0;
        for (k = 0; ok && k < n; k++) {
            ok = taco__build_parts_append_key(&key, &keys[k], row, err);
        }
        ok = ok && taco__buf_append_char(&key, 0, err) &&
             taco__build_parts_find(b, (const char *)key.data, &part, err) &&
             taco__buf_append(of_row, &part, sizeof part, err);
    }
    taco__buf_free(&key);
    return ok;
}

/* ---- rows ---- */

/* Collects the rows of one part in parts.rows; returns how many there are. */
static size_t taco__build_parts_pick_rows(taco__build *b, size_t part, size_t rows)
{
    const uint32_t *of_row = (const uint32_t *)(const void *)b->parts.of_row.data;
    int32_t *picked = (int32_t *)(void *)b->parts.rows.data;
    size_t row, n = 0;
    for (row = 0; row < rows; row++) {
        if (of_row[row] == part) { picked[n++] = (int32_t)row; }
    }
    return n;
}

/* The *count columns of a file for the n picked rows of a batch; copies, unless all rows were
   picked. */
static bool taco__build_parts_pick_columns(taco__build *b, const taco_batch *in, size_t n,
                                           taco_array *out, size_t *count, taco_error *err)
{
    const int32_t *rows = (const int32_t *)(const void *)b->parts.rows.data;
    size_t i;
    for (*count = 0, i = 0; i < b->count; i++) {
        taco__build_column *c = &b->columns[i];
        taco_array *to = &out[*count];
        if (c->key) { continue; }
        taco__build_parts_column(b, i, in, to);
        if (n < in->length) {
            if (!taco__take_array(&c->picked, to, rows, n, err)) { return false; }
            *to = c->picked.array;
        }
        ++*count;
    }
    return true;
}

/* Writes the rows of one part, if the batch has any. Nothing more is written after its writer has
   failed. */
static bool taco__build_parts_write_one(taco__build *b, const taco_batch *in, size_t part,
                                        taco_array *columns, taco_error *err)
{
    taco__build_part *p = &b->parts.list[part];
    size_t n = taco__build_parts_pick_rows(b, part, in->length);
    taco_batch out;
    memset(&out, 0, sizeof out);
    if (n == 0) { return true; }
    if (!taco__build_parts_pick_columns(b, in, n, columns, &out.column_count, err)) {
        return false;
    }
    out.first_row = -1;
    out.length = n;
    out.columns = columns;
    if (taco_pq_writer_batch(p->writer, &out) != TACO_OK) {
        taco_pq_writer_close(p->writer, err);
        p->writer = NULL;
        return false;
    }
    return true;
}

/* One pass over the rows for each part is cheap enough: batches are small, cost far more to
   compute, and have rows of few partitions. */
TACO__FN bool taco__build_parts_write(taco__build *b, const taco_batch *in, taco_error *err)
{
    taco_array *columns =
        (taco_array *)taco__arena_array(&b->enrich.arena, b->count + 1, sizeof *columns, err);
    size_t part;
    if (!columns || !taco__buf_reset(&b->parts.rows, (in->length + 1) * sizeof(int32_t), err) ||
        !taco__build_parts_assign(b, in, err)) {
        return false;
    }
    for (part = 0; part < b->parts.count; part++) {
        if (!taco__build_parts_write_one(b, in, part, columns, err)) { return false; }
    }
    return true;
}
