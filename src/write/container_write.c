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

   If the tree is known beforehand, taco__container_write_samples walks it and requests the bytes of
   each FILE. The caller checks PIT-1; equal ids of siblings and FOLDERs without children are
   refused here. A FOLDER is made under a temporary name (base/temporary.h) and renamed at the end.

   A dataset of one FOLDER `s` with a file `a` is, in an archive in this order, as a FOLDER except
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

/* True if a container is an archive: by kind if that is set, else by the extension of its name, in
   upper or lower case. */
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

/* Frees the members of a writer, and removes an incomplete FOLDER. An archive has been closed, or
   was never opened. */
static void taco__container_write_free(taco__container_writer *p)
{
    taco__payload_batch_free(p);
    taco__zip_write_free(&p->z);
    taco__buf_free(&p->path);
    taco__buf_free(&p->target);
    taco__payload_ranges_free(&p->copied);
#if TACO__DIRS
    taco__temporary_remove(&p->directory); /* removes an incomplete one */
#endif
    taco__mem_free(p->mem, p->buffer, TACO__OUTPUT_BYTES);
    p->buffer = NULL;
    p->open = false;
}

/* Discards the container. Does nothing if none is open. */
TACO__FN void taco__container_write_abort(taco__container_writer *p)
{
    if (!p->open) { return; }
    if (p->zip) { taco__output_close(&p->out, false, NULL); }
    taco__container_write_free(p);
}

/* Initializes a writer with options and defaults. DOS time begins in 1980. opt may be NULL, and is
   copied. */
TACO__FN void taco__container_write_init(taco__container_writer *p, const taco_create_options *opt,
                                         taco__tree *tree, taco__mem *mem)
{
    memset(p, 0, sizeof *p);
    p->mem = mem;
    p->tree = tree;
    p->path.mem = p->target.mem = p->copied.mem = p->copied.sources.mem = mem;
    if (opt) { p->opt = *opt; }
    taco__options_init(&p->options, p->opt.options);
    p->copied.most = p->options.limits.max_output;
    p->opt.options = NULL; /* the caller may free its options */
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
/* The path of a name in the directory being made, NUL-terminated; valid until the next call. NULL
   if out of memory. */
static const char *taco__container_write_path(taco__container_writer *p, const char *name,
                                              taco_error *err)
{
    p->path.len = p->root;
    return taco__buf_append(&p->path, name, strlen(name) + 1, err) ? (const char *)p->path.data
                                                                   : NULL;
}

/* Makes the directory, next to its final name, with DATA and METADATA in it. */
static bool taco__container_write_begin_folder(taco__container_writer *p, const char *path,
                                               taco_error *err)
{
    size_t n = strlen(path);
    const char *at;
    while (n > 1 && taco__plat_is_slash(path[n - 1])) {
        n--;
    }
    if (!taco__buf_append(&p->target, path, n, err) || !taco__buf_append_char(&p->target, 0, err) ||
        !taco__temporary_make(&p->directory, (const char *)p->target.data, NULL, &p->options,
                              p->mem, err) ||
        !taco__buf_append_text(&p->path, p->directory.name, err) ||
        !taco__buf_append_char(&p->path, '/', err)) {
        return false;
    }
    p->root = p->path.len;
    p->buffer = (uint8_t *)taco__mem_alloc(p->mem, TACO__OUTPUT_BYTES, err);
    return p->buffer && (at = taco__container_write_path(p, "DATA", err)) != NULL &&
           taco__dir_make_new(at, err) &&
           (at = taco__container_write_path(p, "METADATA", err)) != NULL &&
           taco__dir_make_new(at, err);
}
#endif

/* Begins to replace the metadata of the FOLDER dataset at path: finishing writes only its tables
   and COLLECTION.json, and renames each over the old one when it is complete. Payloads are kept. */
TACO__FN bool taco__container_write_begin_in_place(taco__container_writer *p, const char *path,
                                                   const taco_create_options *opt, taco__tree *tree,
                                                   taco__mem *mem, taco_error *err)
{
    taco__container_write_init(p, opt, tree, mem);
    p->in_place = true;
    p->open = taco__buf_append_text(&p->path, path, err) &&
              (path[strlen(path) - 1] == '/' || taco__buf_append_char(&p->path, '/', err));
    p->root = p->path.len;
    return p->open;
}

/* Begins a container at path, which must not exist unless it may be replaced: an archive if
   opt->overwrite is set, anything if taco_options.replace allows it. tree and mem belong to the
   caller, opt may be NULL. */
TACO__FN bool taco__container_write_begin(taco__container_writer *p, const char *path,
                                          const taco_create_options *opt, taco__tree *tree,
                                          taco__mem *mem, taco_error *err)
{
    taco_bytes name = taco__bytes_text(path);
    bool zip = taco__container_write_is_zip(path, opt ? opt->container : (taco_kind)0);
    uint64_t size;
    const bool directory = taco__plat_stat(path, &size) == TACO__PATH_DIRECTORY;
    taco__container_write_init(p, opt, tree, mem);
    if (!(zip && p->opt.overwrite && !directory) && !taco__temporary_is_free(path, &p->options)) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   zip         ? "%q exists already, and overwrite is not asked for"
                   : directory ? "%q exists already, and a directory is not overwritten"
                               : "%q exists already, and is no directory: a FOLDER cannot be there",
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
        p->open = taco__container_write_begin_folder(p, path, err);
        if (!p->open) { taco__container_write_free(p); }
        return p->open;
#endif
    }
    TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET, "%q: this build makes no %s", &name,
               zip ? "files" : "directories");
    return false;
}

/* ---- samples ---- */

/* Sets p->path to the destination of a sample's bytes (DATA/ and its path), with a suffix, but
   without a NUL at its end. */
TACO__FN bool taco__container_write_sample_path(taco__container_writer *p, uint32_t level,
                                                size_t row, const char *suffix, taco_error *err)
{
    p->path.len = p->root;
    return taco__buf_append_text(&p->path, "DATA/", err) &&
           taco__tree_path(p->tree, level, row, &p->path, err) &&
           taco__buf_append_text(&p->path, suffix, err);
}

/* Ids in a FOLDER are names of files: on Windows a ':' would select another file. */
static bool taco__container_write_check_id(taco_bytes id, taco_error *err)
{
    return taco__rules_check_file_name(id, err) == TACO_OK &&
           (taco__rules_is_padding(id) || taco__rules_check_id(id, err) == TACO_OK);
}

/* Counts a FILE whose bytes are stored, and reports progress. */
TACO__FN bool taco__container_write_stored(taco__container_writer *p, uint64_t size,
                                           taco_error *err)
{
    p->payload += size;
    p->files++;
    if (p->opt.progress && !p->opt.progress(p->opt.progress_ctx, p->payload, p->opt.total)) {
        TACO__FAIL(err, TACO_ERR_STATE, TACO_NO_OFFSET, "stopped by the caller");
        return false;
    }
    return true;
}

/* Stores the bytes of a FILE, whose destination is in p->path: now, or in a batch. */
static bool taco__container_write_payload(taco__container_writer *p, uint32_t level, size_t row,
                                          taco__input *in, taco_error *err)
{
    uint64_t offset = 0, size = in->size;
    uint32_t crc = in->crc;
    bool ok = taco__payload_batch_begin(p, in, err), later = p->batch != NULL;
    if (ok && later) {
        ok = taco__payload_batch_add(p, level, row, in, &offset, err);
    } else if (ok && p->zip) {
        ok = taco__zip_write_entry(&p->z, taco__bytes_of(p->path.data, p->path.len), in, &offset,
                                   &crc, err);
    } else if (ok) {
#if TACO__DIRS
        ok = taco__dir_write_file((const char *)p->path.data, in, p->buffer, &crc, err);
#endif
    }
    if (!ok || (!later && !taco__zip_check_copied(&p->options, in->has_crc, in->crc, crc,
                                                  taco__tree_id(p->tree, level, row), err))) {
        return false;
    }
    taco__tree_set_place(p->tree, level, row, offset, size);
    return later || taco__container_write_stored(p, size, err);
}

/* Stores the bytes of a FILE that is in the tree. For a FOLDER (in is NULL) makes its directory, or
   does nothing in archives. Sets its place in the tree and reports progress. A failure may be about
   an earlier sample, p->failed. The input is still to be closed. */
TACO__FN bool taco__container_write_sample(taco__container_writer *p, uint32_t level, size_t row,
                                           taco__input *in, taco_error *err)
{
    if (!p->zip && !taco__container_write_check_id(taco__tree_id(p->tree, level, row), err)) {
        return false;
    }
    if (in && p->copies &&
        !taco__payload_ranges_add(&p->copied, in, taco__tree_id(p->tree, level, row), err)) {
        return false;
    }
    if (p->zip && !in) { return true; }
    if (!taco__container_write_sample_path(p, level, row, "", err) ||
        (!p->zip && !taco__buf_append_char(&p->path, 0, err))) {
        return false;
    }
    if (in) { return taco__container_write_payload(p, level, row, in, err); }
#if TACO__DIRS
    p->path.data[p->path.len - 2] = 0; /* without the '/' at its end */
    return taco__dir_make_new((const char *)p->path.data, err);
#else
    return false;
#endif
}

/* Reserves space for the bytes of a FILE in an archive, which the caller writes to *offset. */
TACO__FN bool taco__container_write_gap(taco__container_writer *p, uint32_t level, size_t row,
                                        uint64_t size, uint32_t crc, uint64_t *offset,
                                        taco_error *err)
{
    if (!taco__payload_batch_end(p, err) ||
        !taco__container_write_sample_path(p, level, row, "", err) ||
        !taco__zip_write_gap(&p->z, taco__bytes_of(p->path.data, p->path.len), size, crc, offset,
                             err)) {
        return false;
    }
    taco__tree_set_place(p->tree, level, row, *offset, size);
    p->payload += size;
    return true;
}

/* What every complete tree must satisfy; also checked before payloads are copied, which takes
   long. */
TACO__FN bool taco__container_write_check_tree(const taco__container_writer *p, taco_error *err)
{
    return taco__tree_check_no_empty_folder(p->tree, err) &&
           taco__tree_check_unique_ids(p->tree, p->mem, err) == TACO_OK;
}

/* Stores all samples of a complete tree, copied from another dataset, depth first. */
TACO__FN bool taco__container_write_samples(taco__container_writer *p,
                                            const taco__container_source *from, taco_error *err)
{
    taco__samples_ahead *ahead = NULL;
    taco__tree_walk walk;
    uint32_t level;
    size_t row;
    bool ok = true, found;
    memset(&walk, 0, sizeof walk);
    p->copies = true;
    if (!taco__container_write_check_tree(p, err)) { return false; }
    while (ok && taco__tree_walk_next(p->tree, &walk, &level, &row)) {
        if (taco__tree_is_folder(p->tree, level, row)) {
            ok = taco__container_write_sample(p, level, row, NULL, err);
        } else {
            taco__input in;
            memset(&in, 0, sizeof in);
            ok = taco__samples_ahead_take(p, &ahead, from, &walk, level, row, &in, &found, err) &&
                 (found || from->payload(from->ctx, level, row, &in, err)) &&
                 taco__container_write_sample(p, level, row, &in, err);
            taco__input_close(&in);
        }
    }
    if (!ok) { taco__payload_batch_blame_earlier(p, err); }
    taco__samples_ahead_free(ahead);
    return ok && taco__payload_batch_end(p, err);
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
    taco__json_writer w = taco__json_writer_init(out, err);
    uint32_t level;
    taco__json_write_begin(&w, NULL, '{');
    for (level = 0; level < p->tree->levels; level++) {
        taco__document_write_fields(level, src->fields[level], src->counts[level], known, &w);
    }
    taco__json_write_end(&w, '}');
    return w.ok;
}

/* Warns if the collection's own extent, which is kept, does not cover its samples. A copy of a
   dataset has that of the original, which validation compares. */
static void taco__container_write_compare_extent(const taco__container_writer *p,
                                                 const taco__json *given)
{
    taco__collection c;
    taco_error what = {0, TACO_OK, 0, {0}};
    bool box, times;
    memset(&c, 0, sizeof c);
    c.extent = given;
    taco__collection_read_extent(&c);
    box = c.has_spatial && !taco__extent_box_covers(&p->span, c.spatial);
    times = c.has_temporal && !taco__extent_times_cover(&p->span, c.temporal);
    if (!p->given || p->opt.new_extent || !(box || times)) { return; }
    TACO__FAIL(&what, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
               "COLLECTION.json: extent, which is the collection's own, does not cover the %s of "
               "all samples; without it, it is computed",
               box && times ? "footprints and times"
               : box        ? "footprints"
                            : "times");
    p->options.warn(p->options.warn_ctx, &what);
}

/* Warns that the collection has no box, and why. */
static void taco__container_write_warn_extent(const taco__container_writer *p,
                                              const taco__json *root)
{
    const taco__json *given = taco__json_get(root, "extent");
    taco_error what = {0, TACO_OK, 0, {0}};
    if (!p->options.warn) { return; }
    taco__container_write_compare_extent(p, given);
    if (!taco__extent_is_unknown(&p->span) ||
        !taco__rules_is_null(taco__json_get(given, "spatial"))) {
        return;
    }
    TACO__FAIL(
        &what, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
        "COLLECTION.json has no extent.spatial: samples have a CRS and no centroid, which "
        "is computed for geographic CRSs, UTM and web mercator; a collection's own extent is "
        "taken as it is");
    p->options.warn(p->options.warn_ctx, &what);
}

/* Writes COLLECTION.json; its range is the last one in TACO_HEADER. */
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
    taco__container_write_warn_extent(p, root);
    ok = taco__container_write_field_schema(p, src, taco__json_get(root, "taco:field_schema"),
                                            &fields, err) &&
         taco__document_write(root, !p->opt.new_extent, &p->span, p->tree,
                              taco__bytes_of(fields.data, fields.len), &text, err) &&
         taco__container_write_open_file(p, "COLLECTION.json", &s, &sink, err);
    if (ok) {
        ok = sink.write(sink.ctx, 0, text.data, text.len);
        ok = sink.close(sink.ctx, ok) && ok;
        TACO__FAIL(ok ? NULL : err, TACO_ERR_IO, TACO_NO_OFFSET, "writing COLLECTION.json failed%s",
                   taco__sink_cause(&sink));
    }
    p->ranges[p->tree->levels].offset = s.data;
    p->ranges[p->tree->levels].len = text.len;
    taco__buf_free(&fields);
    taco__buf_free(&text);
    return ok;
}

#if TACO__DIRS
/* Gives the complete FOLDER, whose COLLECTION.json p->path is, its name, or leaves that to the
   caller. */
static bool taco__container_write_commit(taco__container_writer *p, taco_error *err)
{
    taco_bytes name = taco__bytes_text((const char *)p->target.data);
    if (!p->staged) {
        return taco__dir_commit(&p->directory, (const char *)name.data, (const char *)p->path.data,
                                err);
    }
    if (!taco__dir_sync((const char *)p->path.data)) {
        TACO__FAIL(err, TACO_ERR_IO, TACO_NO_OFFSET, "the directory cannot be completed: %q",
                   &name);
        return false;
    }
    return taco__temporary_stage(&p->directory, p->staged, err);
}
#endif

/* Writes the metadata and completes the container: __meta__ from the deepest level up, since each
   contains the places of those below it, then level tables, COLLECTION.json and the directory. The
   writer is freed; after a failure nothing is left. collection is an object; its taco:pit_schema
   and taco:field_schema are computed again, except for descriptions in the latter. */
TACO__FN bool taco__container_write_finish(taco__container_writer *p, const taco__json *collection,
                                           const taco__container_columns *src, taco_error *err)
{
    uint32_t level;
    bool ok = taco__payload_batch_end(p, err) && taco__container_write_check_tree(p, err) &&
              taco__payload_ranges_check(&p->copied, err);
    for (level = p->tree->levels; ok && level-- > 1;) {
        ok = taco__level_table_write_folders(p, level, src, err);
    }
    for (level = 0; ok && level < p->tree->levels; level++) {
        ok = taco__level_table_write(p, level, src, err);
    }
    ok = ok && taco__container_write_collection(p, collection, src, err);
    if (ok) {
        taco__log(&p->options, TACO_LOG_INFO,
                  "wrote %s, samples: %u, levels: %u, bytes of payload: %u",
                  p->zip ? "an archive" : "a FOLDER", TACO__U(p->tree->level[0].rows),
                  TACO__U(p->tree->levels), p->payload);
    }
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
    ok = ok && taco__container_write_path(p, "COLLECTION.json", err);
    ok = ok && (p->in_place || taco__container_write_commit(p, err));
#endif
    if (!ok) {
        taco__container_write_abort(p);
    } else {
        taco__container_write_free(p);
    }
    return ok;
}
