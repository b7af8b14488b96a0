/* check_sources.c - a merged collection (TACOLLECTION.json) and the datasets that it names

   In: the path of a TACOLLECTION.json; out: problems of the document, of taco:sources, and of each
   source: missing, with another id or tree, with samples outside of its extent, and with deep
   everything wrong in it. TACO 2.0 §6.6. Readers may route queries by these extents, so a malformed
   one is an error here. */
#include "validate.h"
#include "../base/base.h"
#include "../base/json.h"
#include "../dataset/dataset.h"

/* Names of files: bare and unique, and as many as `count` and `ids` say; all are added to the map
   `names`. False if out of memory. */
static bool taco__check_sources_files(taco__findings *f, const taco__json *sources,
                                      taco__hash_map *names, taco_error *err)
{
    const taco__json *files = taco__json_get(sources, "files"), *x;
    size_t i, n = taco__json_length(files);
    int64_t count = -1;
    taco_error e;
    memset(&e, 0, sizeof e);
    taco__findings_set_place(f, "TACOLLECTION.json: taco:sources");
    if (!taco__json_int(taco__json_get(sources, "count"), &count) || (uint64_t)count != n) {
        TACO__FINDINGS_ERROR(f, "count is %d, there are %u files", TACO__D(count), TACO__U(n));
    }
    if (taco__json_length(taco__json_get(sources, "ids")) != n) {
        TACO__FINDINGS_ERROR(f, "%u ids for %u files",
                             TACO__U(taco__json_length(taco__json_get(sources, "ids"))),
                             TACO__U(n));
    }
    for (i = 0, x = taco__json_first(files); i < n; i++, x = taco__json_next(x)) {
        taco_bytes name = taco__json_bytes(x);
        bool added = true;
        if (taco__json_text(x) && !taco__hash_map_add(names, name, &added, err)) { return false; }
        if (!taco__json_text(x) || taco__vsi_check_name(name, "files", &e) != TACO_OK) {
            TACO__FINDINGS_ERROR(f, "files[%u] is not a bare file name", TACO__U(i));
        } else if (!added) {
            TACO__FINDINGS_ERROR(f, "files names %q twice", &name);
        }
        memset(&e, 0, sizeof e);
    }
    return true;
}

/* Extents: of listed files only, with boxes and times in the form of a collection's `extent`. */
static void taco__check_sources_extents(taco__findings *f, const taco__collection *merged,
                                        const taco__hash_map *names)
{
    const taco__json *extents = taco__json_get(merged->sources, "extents"), *x;
    size_t i;
    for (i = 0, x = taco__json_first(extents); i < taco__json_length(extents);
         i++, x = taco__json_next(x)) {
        const char *file = taco__json_text(taco__json_get(x, "file"));
        taco__collection one;
        taco_error e;
        memset(&e, 0, sizeof e);
        memset(&one, 0, sizeof one);
        one.doc = merged->doc; /* for messages */
        one.extent = x;
        taco__collection_read_extent(&one);
        taco__findings_set_place(f, "TACOLLECTION.json: taco:sources: extents[%u]", TACO__U(i));
        if (!file || !taco__hash_map_find(names, taco__json_bytes(taco__json_get(x, "file")))) {
            TACO__FINDINGS_ERROR(f, "file is none of taco:sources.files");
        }
        if (taco__collection_check_extent(&one, &e) != TACO_OK) {
            taco__findings_take_error(f, &e);
        }
    }
}

/* Reads what bounds the samples of a source that has been opened before, whose levels have not been
   read. False if the check itself failed. */
static bool taco__check_sources_read_extent(taco__check_dataset *c, const char *path,
                                            taco__extent *span, taco_error *err)
{
    taco_error e;
    taco_dataset *ds;
    bool ok;
    memset(&e, 0, sizeof e);
    ds = taco_open(path, &c->options, &e);
    ok = ds && taco__extent_read(span, ds, c->mem, &e);
    taco_close(ds);
    taco__findings_set_place(c->f, "%s", "");
    if (ok || taco__findings_take_error(c->f, &e)) { return true; }
    *err = e;
    return false;
}

/* One source: it can be opened and has the id and the tree given in the collection; with deep it is
   valid. What bounds its samples is added to *all. False if the check itself failed. */
static bool taco__check_sources_part(taco__check_dataset *c, const taco__collection *merged,
                                     const char *dir, const char *name, const char *id,
                                     taco__extent *all, taco_error *err)
{
    taco__extent span;
    taco__check_dataset *part;
    taco_error e;
    const char *path;
    bool ok = true, open;
    memset(&e, 0, sizeof e);
    memset(&span, 0, sizeof span);
    if (!name || taco__vsi_check_name(taco__bytes_text(name), "files", &e) != TACO_OK) {
        return true; /* reported already */
    }
    path = taco__container_join_path(&c->store, dir, name, err);
    if (!path) { return false; }
    c->f->part = taco__container_join_path(&c->store, name, ": ", err);
    part = c->f->part ? taco__check_dataset_open(c->f, c->mem, &c->options, err) : NULL;
    if (!part) { return false; }
    if (c->f->how->deep) {
        ok = taco__check_dataset_one(part, path, NULL, err);
    } else {
        part->open = taco__container_open(&part->store, path, NULL, c->mem, &part->arena,
                                          &part->options, &e);
        taco__findings_set_place(c->f, "%s", "");
        if (!part->open && !taco__findings_take_error(c->f, &e)) {
            *err = e;
            ok = false;
        }
    }
    memset(&e, 0, sizeof e);
    taco__findings_set_place(c->f, "COLLECTION.json");
    if (ok && part->open && id && strcmp(id, part->store.coll.id) != 0) {
        taco_bytes a = taco__bytes_text(id), b = taco__bytes_text(part->store.coll.id);
        TACO__FINDINGS_ERROR(c->f, "the id is %q, taco:sources says %q", &b, &a);
    }
    if (ok && part->open &&
        taco__collection_check_same_pit(merged, &part->store.coll, &e) != TACO_OK) {
        taco__findings_take_error(c->f, &e);
    }
    open = part->open;
    if (c->f->how->deep) { span = part->tree.span; }
    taco__check_dataset_close(part);
    if (ok && open && !c->f->how->deep) {
        ok = taco__check_sources_read_extent(c, path, &span, err);
    }
    taco__findings_end_table(c->f, name);
    c->f->part = "";
    taco__check_extent_source(c->f, merged, "TACOLLECTION.json", name, &c->options, path, &span);
    taco__extent_join(all, &span);
    return ok;
}

/* Checks all sources, in their order, and that the extent of the collection covers them. */
static bool taco__check_sources_parts(taco__check_dataset *c, const taco__collection *merged,
                                      const char *dir, taco_error *err)
{
    const taco__json *files = taco__json_get(merged->sources, "files");
    const taco__json *ids = taco__json_get(merged->sources, "ids");
    const taco__json *file = taco__json_first(files), *id = taco__json_first(ids);
    taco__extent all;
    size_t i, n = taco__json_length(files), known = taco__json_length(ids);
    bool ok = true;
    memset(&all, 0, sizeof all);
    for (i = 0; ok && i < n && !c->f->stop; i++, file = taco__json_next(file)) {
        ok = taco__check_sources_part(c, merged, dir, taco__json_text(file),
                                      i < known ? taco__json_text(id) : NULL, &all, err);
        if (i < known) { id = taco__json_next(id); }
    }
    taco__findings_set_place(c->f, "TACOLLECTION.json: extent");
    taco__check_extent_run(c->f, merged->extent, &all, false);
    return ok;
}

/* Reads the document; NULL if it cannot be read, with a problem or *err set. */
static const uint8_t *taco__check_sources_read(taco__check_dataset *c, const char *path,
                                               taco__buf *scratch, size_t *len, taco_error *err)
{
    taco_source src;
    taco__file file;
    taco_error e;
    const uint8_t *text = NULL;
    memset(&e, 0, sizeof e);
    if (taco__source_open_path(&c->options, path, &src, &e)) {
        taco__file_init(&file, &src, "", c->mem);
        if (src.size > c->options.limits.max_metadata || !taco__checked_to_size(src.size, len)) {
            TACO__FAIL(&e, TACO_ERR_LIMIT, TACO_NO_OFFSET, "%u bytes, limits.max_metadata is %u",
                       src.size, c->options.limits.max_metadata);
        } else if (taco__buf_reset(scratch, *len + 1, &e) &&
                   taco__file_read(&file, 0, scratch->data, *len, &e)) {
            text = scratch->data;
        }
        taco__file_close(&file);
    }
    if (!text && !taco__findings_take_error(c->f, &e)) { *err = e; }
    return text;
}

/* All checks of a merged collection. False if the check itself failed. */
TACO__FN bool taco__check_sources_run(taco__check_dataset *c, const char *path, taco_error *err)
{
    taco__collection merged;
    taco__buf scratch;
    taco_error e;
    const uint8_t *text;
    taco__hash_map names;
    char *dir;
    size_t n = 0;
    bool ok = true;
    memset(&scratch, 0, sizeof scratch);
    memset(&names, 0, sizeof names);
    memset(&e, 0, sizeof e);
    scratch.mem = names.mem = c->mem;
    taco__findings_set_place(c->f, "TACOLLECTION.json");
    c->store.mem = c->mem;
    c->store.arena = &c->arena;
    dir = taco__arena_text(&c->arena,
                           taco__bytes_of(path, strlen(path) - strlen("TACOLLECTION.json")), err);
    text = dir ? taco__check_sources_read(c, path, &scratch, &n, err) : NULL;
    if (!text) { ok = err->code == TACO_OK; }
    if (text && taco__collection_parse(&c->arena, taco__bytes_of(text, n), &c->options.limits,
                                       &merged, &e) != TACO_OK) {
        ok = taco__findings_take_error(c->f, &e);
    } else if (text) {
        taco__check_collection_document(c->f, &merged);
        taco__findings_set_place(c->f, "TACOLLECTION.json");
        n = taco__json_length(taco__json_get(merged.sources, "files"));
        if (n == 0) { TACO__FINDINGS_ERROR(c->f, "taco:sources.files names no dataset"); }
        ok = taco__check_sources_files(c->f, merged.sources, &names, err);
        if (ok) { taco__check_sources_extents(c->f, &merged, &names); }
        ok = ok && taco__check_sources_parts(c, &merged, dir, err);
    }
    taco__hash_map_free(&names);
    taco__buf_free(&scratch);
    return ok && dir;
}
