/* build.c - makes a collection from a table of records or from another collection

   In: a Parquet file or the directory of a collection, and taco_rasteret_options; out: a directory
   of partitions, or one file. The columns are planned once (build_columns.c). Then each batch of
   the source passes through build_values.c, which computes the columns missing from the source, and
   enrich.c, which parses the headers of its assets; build_parts.c writes its rows to the files of
   their partitions. Batches have 128 rows if headers are read, to limit how many are in memory at
   the same time.

   Start reading at taco__build_run. */
#include "rasteret.h"
#include "../base/base.h"
#include "../arrow/arrow.h"
#include "../dataset/dataset.h"

/* ---- the source ---- */

/* A directory must be a collection, and is read through a cursor. */
static bool taco__build_open_collection(taco__build *b, const char *path, taco_error *err)
{
    taco__build_source *s = &b->source;
    b->options.openers = taco__rasteret_openers();
    s->ds = taco_open(path, &b->options, err);
    s->cursor = s->ds ? taco_select(s->ds, NULL, err) : NULL;
    s->fields = s->cursor ? taco_cursor_fields(s->cursor, &s->count) : NULL;
    return s->fields != NULL;
}

/* A Parquet file is read as it is; it need not be a collection. */
static bool taco__build_open_file(taco__build *b, const char *path, const taco_source *src,
                                  taco_error *err)
{
    taco__build_source *s = &b->source;
    taco_pq_query q;
    memset(&q, 0, sizeof q);
    q.batch_rows = b->opt->enrich ? TACO__BUILD_BATCH_ROWS : 0;
    s->pq = src ? taco_pq_open_source(src, path, &b->options, err)
                : taco_pq_open(path, &b->options, err);
    s->reader = s->pq ? taco_pq_read(s->pq, &q, err) : NULL;
    s->fields = s->reader ? taco_pq_reader_fields(s->reader, &s->count) : NULL;
    return s->fields != NULL;
}

/* A caller's source is always a Parquet file; path is then only its name in messages. */
static bool taco__build_open_source(taco__build *b, const char *path, const taco_source *src,
                                    taco_error *err)
{
    uint64_t size;
    return !src && taco__plat_stat(path, &size) == TACO__PATH_DIRECTORY
               ? taco__build_open_collection(b, path, err)
               : taco__build_open_file(b, path, src, err);
}

/* False at the end and on failure; taco__build_end_source tells them apart. */
static bool taco__build_next_batch(taco__build_source *s, taco_batch *out)
{
    return s->cursor ? taco_cursor_batch(s->cursor, out) : taco_pq_reader_next(s->reader, out);
}

/* Slices borrow the source's fields, so they must be freed before it is closed. */
static void taco__build_free_slices(taco__build_source *s)
{
    size_t i;
    for (i = 0; s->slices && i < s->count; i++) {
        taco__array_buf_free(&s->slices[i]);
    }
    s->slices = NULL;
}

/* Closes the source, and returns the failure that ended the reading, if any. */
static bool taco__build_end_source(taco__build_source *s, taco_error *err)
{
    taco_status code;
    taco__build_free_slices(s);
    code = s->cursor ? taco_cursor_close(s->cursor, err) : taco_pq_reader_close(s->reader, err);
    s->cursor = NULL;
    s->reader = NULL;
    return code == TACO_OK;
}

static void taco__build_close_source(taco__build_source *s)
{
    taco__build_free_slices(s);
    taco_cursor_close(s->cursor, NULL);
    taco_close(s->ds);
    taco_pq_reader_close(s->reader, NULL);
    taco_pq_close(s->pq);
}

/* ---- key-value metadata ---- */

/* A value from the key-value metadata, for a collection that of its first file; {NULL, 0} if there
   is none. */
static taco_bytes taco__build_source_key_value(const taco__build_source *s, const char *key)
{
    return taco_pq_key_value(s->ds ? &s->ds->stores[0].levels[0].pq : s->pq, key);
}

/* Adds an entry to write to every file. The Parquet writer itself writes `geo`. */
static bool taco__build_add_key(taco__build *b, const char *key, taco_bytes value, taco_error *err)
{
    taco_pq_key *k = &b->keys[b->key_count++];
    k->key = key;
    k->value = taco__arena_text(&b->arena, value, err);
    return k->value != NULL;
}

/* The value in the options, else the one in the source. */
static taco_bytes taco__build_choose_value(const taco__build *b, const char *asked, const char *key)
{
    return asked ? taco__bytes_text(asked) : taco__build_source_key_value(&b->source, key);
}

/* date_range is "start,end". */
static bool taco__build_add_dates(taco__build *b, taco_error *err)
{
    const taco_rasteret_options *o = b->opt;
    taco_bytes dates = taco__build_source_key_value(&b->source, "date_range");
    if (o->start_date && o->end_date) {
        b->text.len = 0;
        if (!taco__buf_append_text(&b->text, o->start_date, err) ||
            !taco__buf_append_char(&b->text, ',', err) ||
            !taco__buf_append_text(&b->text, o->end_date, err)) {
            return false;
        }
        dates = taco__bytes_of(b->text.data, b->text.len);
    }
    return taco__build_add_key(b, "date_range", dates, err);
}

/* In the order of Rasteret's own writer. created is only written if it is known, so that the same
   input gives the same bytes. */
static bool taco__build_add_keys(taco__build *b, const char *source, taco_error *err)
{
    const taco_rasteret_options *o = b->opt;
    taco_bytes name = taco__build_choose_value(b, o->name, "name");
    taco_bytes created = taco__build_choose_value(b, o->created, "created");
    name = name.len ? name : taco__rasteret_info_default_name(source);
    return taco__build_add_key(b, "description",
                               taco__build_choose_value(b, o->description, "description"), err) &&
           taco__build_add_key(b, "name", name, err) &&
           taco__build_add_key(b, "data_source",
                               taco__build_choose_value(b, o->data_source, "data_source"), err) &&
           (!created.len || taco__build_add_key(b, "created", created, err)) &&
           taco__build_add_dates(b, err) &&
           taco__build_add_key(b, "rasteret_collection_version", taco__bytes_text("1"), err);
}

/* ---- batches ---- */

static bool taco__build_init_slices(taco__build *b, taco_error *err)
{
    taco__build_source *s = &b->source;
    size_t i;
    if (s->slices) { return true; }
    s->slices = (taco__array_buf *)taco__arena_array(&b->arena, s->count, sizeof *s->slices, err);
    s->sliced = (taco_array *)taco__arena_array(&b->arena, s->count, sizeof *s->sliced, err);
    if (!s->slices || !s->sliced) { return false; }
    for (i = 0; i < s->count; i++) {
        if (!taco__array_buf_init(&s->slices[i], &s->fields[i], &b->mem, &b->arena, err)) {
            return false;
        }
    }
    return true;
}

/* Rows [at, at + n) of a batch of the source, without copying; at is a multiple of 8. Not in the
   headers' arena, which is freed before the rows are written. */
static bool taco__build_slice(taco__build *b, const taco_batch *in, size_t at, size_t n,
                              taco_batch *out, taco_error *err)
{
    taco__build_source *s = &b->source;
    size_t i;
    if (!taco__build_init_slices(b, err)) { return false; }
    for (i = 0; i < s->count; i++) {
        s->sliced[i] = taco__array_buf_slice(&s->slices[i], &in->columns[i], at, n);
    }
    *out = *in;
    out->columns = s->sliced;
    out->length = n;
    return true;
}

/* Makes and writes the rows of one batch; the arena of its headers is freed with it. */
static bool taco__build_add_batch(taco__build *b, const taco_batch *in, taco_error *err)
{
    if (!taco__build_values_make_batch(b, in, err) || !taco__build_parts_write(b, in, err)) {
        return false;
    }
    b->rows += in->length;
    taco__arena_free(&b->enrich.arena);
    return true;
}

/* A cursor's batches are split, as they have more rows than are parsed together. */
static bool taco__build_add_rows(taco__build *b, const taco_batch *in, taco_error *err)
{
    size_t step = b->bands.count ? TACO__BUILD_BATCH_ROWS : in->length, at;
    taco_batch part;
    if (in->length <= step) { return in->length == 0 || taco__build_add_batch(b, in, err); }
    for (at = 0; at < in->length; at += step) {
        if (!taco__build_slice(b, in, at, TACO__MIN(step, in->length - at), &part, err) ||
            !taco__build_add_batch(b, &part, err)) {
            return false;
        }
    }
    return true;
}

#if TACO__DIRS
/* A directory that does not exist, or may be replaced, is made under a temporary name; into another
   one files are added. */
static bool taco__build_begin_directory(taco__build *b, const char *target, taco_error *err)
{
    if (b->opt->single || !taco__temporary_is_free(target, &b->options)) { return true; }
    if (!taco__temporary_make(&b->directory, target, NULL, &b->options, &b->mem, err)) {
        return false;
    }
    b->target = b->directory.name;
    return true;
}

/* A collection without rows has no directory. */
static bool taco__build_end_directory(taco__build *b, const char *target, taco_error *err)
{
    return !b->directory.name || b->parts.count == 0 ||
           taco__dir_commit(&b->directory, target, b->parts.list[0].path, err);
}
#endif

/* Reads, computes and writes everything. An empty collection is an empty file if the target is a
   file, and no file at all if it is a directory. */
static bool taco__build_run(taco__build *b, taco_error *err)
{
    taco_batch in;
    const char *target = b->target;
#if TACO__DIRS
    if (!taco__build_begin_directory(b, target, err)) { return false; }
#endif
    while (taco__build_next_batch(&b->source, &in)) {
        if (!taco__build_add_rows(b, &in, err)) { return false; }
    }
    if (!taco__build_end_source(&b->source, err)) { return false; }
    if (b->enrich.tried && !b->enrich.parsed) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "none of the headers of %u assets could be read", b->enrich.tried);
        return false;
    }
    if (b->parts.count == 0 && b->opt->single && !taco__build_parts_open(b, "", err)) {
        return false;
    }
    if (!taco__build_parts_close(b, err)) { return false; }
#if TACO__DIRS
    return taco__build_end_directory(b, target, err);
#else
    (void)target;
    return true;
#endif
}

/* ---- one call ---- */

/* Drops unfinished files after a failure; after taco__build_parts_close there are none. */
static void taco__build_free(taco__build *b)
{
    size_t i;
    taco__build_parts_abort(b);
#if TACO__DIRS
    taco__temporary_remove(&b->directory);
#endif
    for (i = 0; i < b->count; i++) {
        taco__array_builder_free(&b->columns[i].made);
        taco__array_buf_free(&b->columns[i].picked);
    }
    taco__build_close_source(&b->source);
    taco__buf_free(&b->text);
    taco__buf_free(&b->codes);
    taco__arena_free(&b->enrich.arena);
    taco__arena_free(&b->arena);
}

static void taco__build_init(taco__build *b, const taco_rasteret_options *opt, const char *target)
{
    b->opt = opt;
    b->target = target;
    taco__options_init(&b->options, opt->options);
    b->arena.mem = b->text.mem = b->codes.mem = &b->mem;
    b->parts.of_row.mem = b->parts.rows.mem = &b->mem;
    b->enrich.mem = b->enrich.arena.mem = &b->mem;
    b->enrich.options = &b->options;
    b->enrich.base = opt->base ? opt->base : "";
}

/* The state is too large for the stack. Every message names the source once. */
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
    b->whole_files = src != NULL;
    taco__build_init(b, opt, target);
    if (taco__build_open_source(b, source, src, &own) && taco__build_columns_plan(b, &own) &&
        taco__build_add_keys(b, source, &own)) {
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
    taco_rasteret_options defaults;
    err = taco__error_fresh(err, NULL);
    memset(&defaults, 0, sizeof defaults);
    if (!source || !target) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given",
                          source ? "target" : "source");
    }
    return taco__build_collection(source, NULL, target, opt ? opt : &defaults, err);
}
