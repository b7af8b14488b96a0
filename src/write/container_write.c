/* container_write.c - an archive or a FOLDER from a tree: payloads, level tables, COLLECTION.json

   In: a tree that grows (tree.c), the bytes of every FILE, and the user's columns as batches
   (taco__container_columns); out: a container at a path or in a sink, complete or not there at
   all. TACO 2.0 §6.1 (containers) to §6.4.

   A container is made in one pass over the samples and one or two over the columns:

       taco__tree_init(&tree, &mem);
       taco__container_write_begin(&p, "out.tacozip", opt, &tree, &mem, err)   (or ..._begin_sink)
       for every sample, depth first:
           taco__tree_append_ordered(&tree, level, parent_row, id, is_folder, err)
           taco__input_open_file(&in, path, err)        (or ..._from_range, ..._from_bytes)
           taco__container_write_sample(&p, level, row, &in, err)         (NULL for a FOLDER)
           taco__input_close(&in)
       taco__container_write_finish(&p, collection, &columns, err)           (or ..._abort)
       taco__tree_free(&tree);

   Where the tree is known before, taco__container_write_samples walks it and asks for the bytes
   of each FILE. PIT-1 is the caller's to check; equal ids of siblings and FOLDERs without
   children are refused here. A FOLDER is made as NAME.part and renamed at the end.

   A dataset of one FOLDER `s` with a file `a` is, in an archive in this order, as a FOLDER but
   for the first:

       TACO_HEADER                  places of the level tables and COLLECTION.json
       DATA/s/a                     payload
       DATA/s/__meta__              the children of s, a Parquet file
       METADATA/level0.parquet      s
       METADATA/level1.parquet      a
       COLLECTION.json */
#include "write.h"
#include "../base/base.h"
#include "../base/sink.h"
#include "../base/file_copy.h"
#include "../base/json.h"
#include "../dataset/dataset.h"
#include "../validate/validate.h"

/* True when a container is an archive: as asked for, else by the end of its name, in any case. */
TACO__FN bool taco__container_write_is_zip(const char *path, taco_kind container)
{
    size_t n = strlen(path), i, k;
    static const char *const ends[] = {".zip", ".tacozip"};
    for (i = 0; container == 0 && i < 2; i++) {
        size_t m = strlen(ends[i]);
        for (k = 0; n >= m && k < m && (path[n - m + k] | 32) == (ends[i][k] | 32); k++) {}
        if (n >= m && k == m) { return true; }
    }
    return container == TACO_KIND_ZIP;
}

/* ---- beginning and end ---- */

/* Frees what a writer holds. The output is closed before, or was never opened. */
static void taco__container_write_free(taco__container_writer *p)
{
    taco__zip_write_free(&p->z);
    taco__buf_free(&p->path);
    taco__buf_free(&p->target);
    taco__mem_free(p->mem, p->buffer, TACO__OUTPUT_BYTES);
    p->buffer = NULL;
    p->open = false;
}

/* Drops what was made. Does nothing when no container is open. */
TACO__FN void taco__container_write_abort(taco__container_writer *p)
{
    if (!p->open) { return; }
    if (p->zip) {
        taco__output_close(&p->out, false, NULL);
    }
#if TACO__DIRS
    else if (p->root) {
        p->path.len = p->root - 1;
        if (taco__buf_append_char(&p->path, 0, NULL)) {
            taco__dir_remove_tree((const char *)p->path.data, p->mem);
        }
    }
#endif
    taco__container_write_free(p);
}

/* A writer with its options and defaults: DOS time begins in 1980. opt may be NULL, and is
   copied. */
TACO__FN void taco__container_write_init(taco__container_writer *p, const taco_create_options *opt,
                                         taco__tree *tree, taco__mem *mem)
{
    memset(p, 0, sizeof *p);
    p->mem = mem;
    p->tree = tree;
    p->path.mem = p->target.mem = mem;
    if (opt) { p->opt = *opt; }
    taco__options_init(&p->options, p->opt.options);
    p->opt.options = NULL; /* the caller's may go */
    p->opt.mtime = p->opt.mtime ? p->opt.mtime : INT64_C(315532800);
}

/* Begins an archive in a sink, which is taken over, on failure too. */
TACO__FN bool taco__container_write_begin_sink(taco__container_writer *p, const taco_sink *sink,
                                               const taco_create_options *opt, taco__tree *tree,
                                               taco__mem *mem, taco_error *err)
{
    taco__container_write_init(p, opt, tree, mem);
    p->zip = true;
    if (!taco__output_open(&p->out, sink, mem, err)) { return false; }
    p->open = true;
    if (!taco__zip_write_begin(&p->z, &p->out, mem, p->opt.mtime, err)) {
        taco__container_write_abort(p);
        return false;
    }
    return true;
}

#if TACO__DIRS
/* The path of a name in the directory being made, NUL-terminated; lives until the next path.
   NULL without memory. */
static const char *taco__container_write_path(taco__container_writer *p, const char *name,
                                              taco_error *err)
{
    p->path.len = p->root;
    return taco__buf_append(&p->path, name, strlen(name) + 1, err) ? (const char *)p->path.data
                                                                   : NULL;
}

/* True for names that only we write into a FOLDER: a directory of nothing else was left by a
   writer that was killed, and may be removed. */
static bool taco__container_write_is_own_name(void *ctx, const char *name, taco__path_kind kind)
{
    (void)ctx;
    (void)kind;
    return strcmp(name, "DATA") == 0 || strcmp(name, "METADATA") == 0 ||
           strncmp(name, "COLLECTION.json", 15) == 0;
}

/* Makes PATH.part with DATA and METADATA in it. */
static bool taco__container_write_begin_folder(taco__container_writer *p, const char *path,
                                               taco_error *err)
{
    size_t n = strlen(path);
    uint64_t size;
    taco_bytes name = taco__bytes_text(path);
    const char *at;
    while (n > 1 && path[n - 1] == '/') {
        n--;
    }
    if (!taco__buf_append(&p->target, path, n, err) || !taco__buf_append_char(&p->target, 0, err) ||
        !taco__buf_append(&p->path, path, n, err) ||
        !taco__buf_append_text(&p->path, ".part", err) ||
        !taco__buf_append_char(&p->path, 0, err)) {
        return false;
    }
    at = (const char *)p->path.data;
    if (taco__plat_stat(at, &size) != TACO__PATH_MISSING &&
        (!taco__plat_list_dir(at, taco__container_write_is_own_name, NULL) ||
         !taco__dir_remove_tree(at, p->mem))) {
        TACO__FAIL(err, TACO_ERR_IO, TACO_NO_OFFSET,
                   "%q is in the way: it is made as %q.part first, which is there", &name, &name);
        return false;
    }
    if (!taco__dir_make(at, err)) { return false; }
    p->path.data[p->path.len - 1] = '/';
    p->root = p->path.len;
    p->open = true;
    p->buffer = (uint8_t *)taco__mem_alloc(p->mem, TACO__OUTPUT_BYTES, err);
    return p->buffer && (at = taco__container_write_path(p, "DATA", err)) != NULL &&
           taco__dir_make(at, err) &&
           (at = taco__container_write_path(p, "METADATA", err)) != NULL && taco__dir_make(at, err);
}
#endif

/* Begins a container at path, which must not exist unless opt->overwrite is set (archives only).
   tree and mem stay the caller's, opt may be NULL. */
TACO__FN bool taco__container_write_begin(taco__container_writer *p, const char *path,
                                          const taco_create_options *opt, taco__tree *tree,
                                          taco__mem *mem, taco_error *err)
{
    taco_bytes name = taco__bytes_text(path);
    uint64_t size;
    bool zip = taco__container_write_is_zip(path, opt ? opt->container : (taco_kind)0);
    taco__container_write_init(p, opt, tree, mem);
    if (taco__plat_stat(path, &size) != TACO__PATH_MISSING && !(zip && p->opt.overwrite)) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   zip ? "%q exists already, and overwrite is not asked for"
                       : "%q exists already, and a directory is not overwritten",
                   &name);
        return false;
    }
    if (zip) {
#ifndef TACO_NO_STDIO
        taco_sink sink;
        return taco_sink_file(&sink, path, &p->options, err) == TACO_OK &&
               taco__container_write_begin_sink(p, &sink, opt, tree, mem, err);
#endif
    } else {
#if TACO__DIRS
        if (taco__container_write_begin_folder(p, path, err)) { return true; }
        if (p->open) {
            taco__container_write_abort(p);
        } else {
            taco__container_write_free(p);
        }
        return false;
#endif
    }
    TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET, "%q: this build makes no %s", &name,
               zip ? "files" : "directories");
    return false;
}

/* ---- samples ---- */

/* Sets p->path to where a sample's bytes go (DATA/ and its path), with a suffix; no NUL at its
   end. */
TACO__FN bool taco__container_write_sample_path(taco__container_writer *p, uint32_t level,
                                                size_t row, const char *suffix, taco_error *err)
{
    p->path.len = p->root;
    return taco__buf_append_text(&p->path, "DATA/", err) &&
           taco__tree_path(p->tree, level, row, &p->path, err) &&
           taco__buf_append_text(&p->path, suffix, err);
}

/* Stores the bytes of a FILE that is in the tree; for a FOLDER (in is NULL) its directory, of an
   archive nothing. Sets its place in the tree and reports progress. */
TACO__FN bool taco__container_write_sample(taco__container_writer *p, uint32_t level, size_t row,
                                           const taco__input *in, taco_error *err)
{
    uint64_t offset = 0;
    bool ok = true;
    if (!p->zip &&
        taco__rules_check_file_name(taco__tree_id(p->tree, level, row), err) != TACO_OK) {
        return false;
    }
    if (p->zip && in) {
        ok = taco__container_write_sample_path(p, level, row, "", err) &&
             taco__zip_write_entry(&p->z, taco__bytes_of(p->path.data, p->path.len), in, &offset,
                                   err);
    }
#if TACO__DIRS
    if (!p->zip) {
        ok = taco__container_write_sample_path(p, level, row, "", err) &&
             taco__buf_append_char(&p->path, 0, err);
        if (ok && !in) { /* without the '/' at its end */
            p->path.data[p->path.len - 2] = 0;
            ok = taco__dir_make((const char *)p->path.data, err);
        } else if (ok) {
            ok = taco__dir_write_file((const char *)p->path.data, in, p->buffer, err);
        }
    }
#endif
    if (ok && in) {
        taco__tree_set_place(p->tree, level, row, offset, in->size);
        p->payload += in->size;
        if (p->opt.progress && !p->opt.progress(p->opt.progress_ctx, p->payload, p->opt.total)) {
            TACO__FAIL(err, TACO_ERR_STATE, TACO_NO_OFFSET, "stopped by the caller");
            ok = false;
        }
    }
    return ok;
}

/* Stores all samples of a complete tree, depth first; `payload` opens the bytes of each FILE. */
TACO__FN bool taco__container_write_samples(taco__container_writer *p,
                                            taco__container_payload_fn payload, void *ctx,
                                            taco_error *err)
{
    size_t next[TACO__MAX_LEVELS + 1] = {0};
    uint32_t level = 0;
    /* the next sample of this level, or, after the last child, back to the level above */
    for (;;) {
        size_t row = next[level];
        if (row >= p->tree->level[level].rows ||
            (level && taco__tree_parent(p->tree, level, row) != next[level - 1] - 1)) {
            if (level == 0) { return true; }
            level--;
            continue;
        }
        next[level]++;
        if (taco__tree_is_folder(p->tree, level, row)) {
            if (!taco__container_write_sample(p, level, row, NULL, err)) { return false; }
            level += level + 1 < TACO__MAX_LEVELS;
        } else {
            taco__input in;
            bool ok;
            memset(&in, 0, sizeof in);
            ok = payload(ctx, level, row, &in, err) &&
                 taco__container_write_sample(p, level, row, &in, err);
            taco__input_close(&in);
            if (!ok) { return false; }
        }
    }
}

/* ---- METADATA/levelN.parquet, COLLECTION.json ---- */

/* Opens a sink for a metadata file of the container; s is needed until it is closed. */
TACO__FN bool taco__container_write_open_file(taco__container_writer *p, const char *name,
                                              taco__zip_write_stream *s, taco_sink *sink,
                                              taco_error *err)
{
    if (p->zip) { return taco__zip_write_stream_open(s, &p->z, taco__bytes_text(name), sink, err); }
#if TACO__DIRS
    name = taco__container_write_path(p, name, err);
    return name && taco_sink_file(sink, name, &p->options, err) == TACO_OK;
#else
    return false;
#endif
}

/* Appends the value of taco:field_schema for all levels; known is an older one, for
   descriptions. */
static bool taco__container_write_field_schema(taco__container_writer *p,
                                               const taco__container_columns *src,
                                               const taco__json *known, taco__buf *out,
                                               taco_error *err)
{
    uint32_t level;
    bool ok = taco__buf_append_char(out, '{', err);
    for (level = 0; ok && level < p->tree->levels; level++) {
        ok = (level == 0 || taco__buf_append_char(out, ',', err)) &&
             taco__document_write_fields(level, src->fields[level], src->counts[level], known, out,
                                         err);
    }
    return ok && taco__buf_append_char(out, '}', err);
}

/* Writes COLLECTION.json; its range is the last of TACO_HEADER's. */
static bool taco__container_write_collection(taco__container_writer *p, const taco__json *root,
                                             const taco__container_columns *src, taco_error *err)
{
    taco__buf fields, text;
    taco__zip_write_stream s;
    taco_sink sink;
    bool ok;
    memset(&fields, 0, sizeof fields);
    memset(&text, 0, sizeof text);
    memset(&s, 0, sizeof s);
    fields.mem = text.mem = p->mem;
    ok = taco__container_write_field_schema(p, src, taco__json_get(root, "taco:field_schema"),
                                            &fields, err) &&
         taco__document_write(root, !p->opt.new_extent, &p->span, p->tree,
                              taco__bytes_of(fields.data, fields.len), &text, err) &&
         taco__container_write_open_file(p, "COLLECTION.json", &s, &sink, err);
    if (ok) {
        ok = sink.write(sink.ctx, 0, text.data, text.len);
        ok = sink.close(sink.ctx, ok) && ok;
        TACO__FAIL(ok ? NULL : err, TACO_ERR_IO, TACO_NO_OFFSET, "writing COLLECTION.json failed");
    }
    p->ranges[p->tree->levels].offset = s.data;
    p->ranges[p->tree->levels].len = text.len;
    taco__buf_free(&fields);
    taco__buf_free(&text);
    return ok;
}

/* Writes the metadata and completes the container: __meta__ from the deepest level up, so that
   each knows the places of those below it, then level tables, COLLECTION.json and the directory.
   The writer is freed; after a failure nothing is left. collection is an object; its
   taco:pit_schema and taco:field_schema are made again, but for descriptions in the latter. */
TACO__FN bool taco__container_write_finish(taco__container_writer *p, const taco__json *collection,
                                           const taco__container_columns *src, taco_error *err)
{
    uint32_t level;
    bool ok = taco__tree_check_no_empty_folder(p->tree, err) &&
              taco__tree_check_unique_ids(p->tree, p->mem, err) == TACO_OK;
    for (level = p->tree->levels; ok && level-- > 1;) {
        ok = taco__level_table_write_folders(p, level, src, err);
    }
    for (level = 0; ok && level < p->tree->levels; level++) {
        ok = taco__level_table_write(p, level, src, err);
    }
    ok = ok && taco__container_write_collection(p, collection, src, err);
    if (ok && p->zip) {
        ok = taco__zip_write_end(&p->z, p->ranges, p->tree->levels + 1, err);
        if (!ok) {
            taco__container_write_abort(p);
            return false;
        }
        ok = taco__output_close(&p->out, true, err);
        taco__container_write_free(p);
        return ok;
    }
#if TACO__DIRS
    if (ok) {
        taco__buf from;
        memset(&from, 0, sizeof from);
        from.mem = p->mem;
        ok = taco__buf_append(&from, p->path.data, p->root - 1, err) &&
             taco__buf_append_char(&from, 0, err) &&
             taco__container_write_path(p, "COLLECTION.json", err) &&
             taco__dir_rename((const char *)from.data, (const char *)p->target.data,
                              (const char *)p->path.data, err);
        taco__buf_free(&from);
    }
#endif
    if (!ok) {
        taco__container_write_abort(p);
    } else {
        taco__container_write_free(p);
    }
    return ok;
}
