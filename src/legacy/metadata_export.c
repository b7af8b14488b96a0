/* metadata_export.c - taco_collection_export: a collection in other formats

   In: the collection of a dataset of either generation; out: a STAC Collection 1.1.0, DataCite
   4.5 or Croissant 1.0, JSON with an indent of two, or a data card, Markdown with front matter.
   Each has its own file (metadata_stac.c and so on). Shared code is here: writing values, which
   omits what the collection lacks, and finding members in either generation: TACO 2 may have the
   whole old document as legacy:collection.

   A document is written without indents, parsed, and printed again, which is cheap at its size. */
#include "legacy.h"
#include "../base/base.h"
#include "../base/json.h"
#include "../dataset/dataset.h"
#include "../validate/validate.h"

/* ---- values ---- */

TACO__FN void taco__metadata_begin(taco__metadata_writer *a, const char *key, char bracket)
{
    taco__json_write_begin(&a->json, key, bracket);
}

TACO__FN void taco__metadata_end(taco__metadata_writer *a, char bracket)
{
    taco__json_write_end(&a->json, bracket);
}

TACO__FN void taco__metadata_text(taco__metadata_writer *a, const char *key, taco_bytes text)
{
    taco__json_writer *w = &a->json;
    if (!text.len) { return; }
    taco__json_write_key(w, key);
    w->ok = w->ok && taco__json_write_name(w->out, text, w->err);
}

TACO__FN void taco__metadata_string(taco__metadata_writer *a, const char *key, const char *text)
{
    taco__metadata_text(a, key, taco__bytes_text(text));
}

TACO__FN void taco__metadata_number(taco__metadata_writer *a, const char *key, double x)
{
    taco__json_write_double(&a->json, key, x);
}

TACO__FN void taco__metadata_value(taco__metadata_writer *a, const char *key, const taco__json *n)
{
    taco__json_writer *w = &a->json;
    if (taco__rules_is_null(n)) { return; }
    taco__json_write_key(w, key);
    w->ok = w->ok && taco__json_print(w->out, n, 0, w->err);
}

/* Copies bytes to p, and returns their end. */
static char *taco__metadata_copy(char *p, taco_bytes b)
{
    if (b.len) { memcpy(p, b.data, b.len); }
    return p + b.len;
}

TACO__FN void taco__metadata_joined(taco__metadata_writer *a, const char *key, taco_bytes before,
                                    taco_bytes text, taco_bytes after)
{
    size_t n = before.len + text.len + after.len;
    char *p = (char *)taco__arena_alloc(a->arena, n + 1, a->json.err);
    if (!p) {
        a->json.ok = false;
        return;
    }
    taco__metadata_copy(taco__metadata_copy(taco__metadata_copy(p, before), text), after);
    taco__metadata_text(a, key, taco__bytes_of(p, n));
}

TACO__FN void taco__metadata_license(taco__metadata_writer *a, const char *key, taco_bytes id)
{
    taco__metadata_joined(a, key, taco__bytes_text("https://spdx.org/licenses/"), id,
                          taco__bytes_text(".html"));
}

/* ---- what collections of both generations say ---- */

TACO__FN taco_bytes taco__metadata_text_of(const taco__json *n, const char *key)
{
    return taco__json_bytes(taco__json_get(n, key));
}

TACO__FN const taco__json *taco__metadata_member(const taco__metadata_writer *a, const char *key)
{
    const taco__json *n = taco__json_get(a->root, key);
    return n ? n : taco__json_get(taco__json_get(a->root, "legacy:collection"), key);
}

TACO__FN taco_bytes taco__metadata_member_text(const taco__metadata_writer *a, const char *key)
{
    return taco__metadata_text_of(a->root, key);
}

TACO__FN taco_bytes taco__metadata_first_text(const taco__json *n, const char *one,
                                              const char *list, const char *inner)
{
    const taco__json *first = taco__json_at(taco__json_get(n, list), 0);
    taco_bytes text = taco__metadata_text_of(n, one);
    return text.len ? text : inner ? taco__metadata_text_of(first, inner) : taco__json_bytes(first);
}

TACO__FN void taco__metadata_each(taco__metadata_writer *a, const taco__json *list,
                                  void (*each)(taco__metadata_writer *a, const taco__json *n))
{
    size_t n = taco__json_length(list), i;
    const taco__json *e;
    for (i = 0, e = n ? taco__json_first(list) : NULL; i < n; i++, e = taco__json_next(e)) {
        each(a, e);
    }
}

TACO__FN void taco__metadata_item(taco__metadata_writer *a, const taco__json *text)
{
    taco__metadata_text(a, NULL, taco__json_bytes(text));
}

TACO__FN taco_bytes taco__metadata_person_house(const taco__json *who)
{
    taco_bytes house = taco__metadata_text_of(who, "organization");
    return house.len ? house : taco__metadata_text_of(who, "affiliation");
}

TACO__FN taco_bytes taco__metadata_person_name(const taco__json *who)
{
    taco_bytes name = taco__metadata_text_of(who, "name");
    return name.len ? name : taco__metadata_person_house(who);
}

TACO__FN const taco__json *taco__metadata_curators(const taco__metadata_writer *a)
{
    const taco__json *list = taco__metadata_member(a, "curators");
    return taco__json_length(list) ? list : taco__metadata_member(a, "data_curator");
}

TACO__FN void taco__metadata_each_task(taco__metadata_writer *a,
                                       void (*each)(taco__metadata_writer *a,
                                                    const taco__json *task))
{
    const taco__json *tasks = taco__json_get(a->root, "tasks");
    const taco__json *task = taco__metadata_member(a, "task"), *n = taco__json_first(tasks);
    bool known = !taco__json_bytes(task).len;
    size_t i, count = taco__json_length(tasks);
    for (i = 0; i < count; i++, n = taco__json_next(n)) {
        known = known || taco__bytes_equal(taco__json_bytes(n), taco__json_bytes(task));
        each(a, n);
    }
    if (!known) { each(a, task); }
}

TACO__FN taco_bytes taco__metadata_person_url(const taco__json *who)
{
    return taco__metadata_first_text(who, "url", "links", "href");
}

TACO__FN taco_bytes taco__metadata_title(const taco__metadata_writer *a)
{
    taco_bytes title = taco__metadata_member_text(a, "title");
    return title.len ? title : taco__metadata_member_text(a, "id");
}

TACO__FN taco_bytes taco__metadata_doi(const taco__metadata_writer *a)
{
    return taco__metadata_text_of(taco__metadata_member(a, "scientific"), "doi");
}

TACO__FN bool taco__metadata_time_range(const taco__metadata_writer *a, taco_bytes out[2])
{
    const taco__json *times = taco__json_get(taco__json_get(a->root, "extent"), "temporal");
    const taco__json *first = taco__json_at(times, 0);
    first = taco__json_is(first, TACO__JSON_STRING) ? times : first;
    out[0] = taco__json_bytes(taco__json_at(first, 0));
    out[1] = taco__json_bytes(taco__json_at(first, 1));
    return out[0].len && out[1].len;
}

TACO__FN bool taco__metadata_bbox(const taco__metadata_writer *a, double box[4])
{
    const taco__json *extent = taco__json_get(a->root, "extent");
    return taco__convert_collection_box(taco__json_get(extent, "spatial"), box);
}

TACO__FN const taco__json *taco__metadata_publications(const taco__metadata_writer *a)
{
    const taco__json *p = taco__json_get(taco__metadata_member(a, "scientific"), "publications");
    return p ? p : taco__json_get(a->root, "publications");
}

TACO__FN const taco__json *taco__metadata_bands(const taco__metadata_writer *a)
{
    const taco__json *list = taco__json_get(taco__metadata_member(a, "optical_data"), "bands");
    return list ? list : taco__json_get(a->root, "optical:bands");
}

TACO__FN const char *taco__metadata_base_name(const char *path)
{
    return path + taco__plat_dir_length(path, strlen(path));
}

TACO__FN const char *taco__metadata_media_type(const taco__metadata_writer *a)
{
    const taco__container *s = &a->ds->stores[0];
    return taco__container_ends_with(a->path, ".taco") ||
                   taco__container_ends_with(a->path, ".tortilla")
               ? "application/vnd.tortilla+blob"
           : s->kind == TACO_KIND_TACOCAT && s->file_open ? "application/octet-stream"
                                                          : "application/zip";
}

/* The path of the dataset: of a __TACOCAT__ that was found in the directory that was named, its
   own, since documents are about files: their names, sizes and digests. NULL if out of memory. */
static const char *taco__metadata_find_path(taco_dataset *ds, taco_error *err)
{
    taco__container *s = &ds->stores[0];
    size_t n = strlen(s->name);
    return s->kind == TACO_KIND_TACOCAT && s->file_open && strncmp(s->dir, s->name, n) == 0 &&
                   strlen(s->dir) <= n + 1
               ? taco__container_join_path(s, s->dir, "__TACOCAT__", err)
               : s->name;
}

/* ---- public ---- */

/* Checks that there is a collection to export, and whatever else the kind requires. */
static bool taco__metadata_check(taco_dataset *ds, taco_collection_format kind,
                                 const taco__metadata_writer *a, taco_error *err)
{
    const char *missing = NULL;
    if (!ds) {
        missing = "no dataset given";
    } else if (!ds->stores[0].coll.doc.root) {
        missing = "the dataset has no collection";
    } else if (kind == TACO_COLLECTION_DATACITE && !a->opt.year) {
        missing = "DataCite requires a year of publication";
    }
    if (missing) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%s", missing);
        if (ds) { taco__error_prefix(err, "%s", ds->stores[0].name); }
    }
    return !missing;
}

/* Writes a document into `flat`, parses it, and prints it into ds->info. */
static bool taco__metadata_write_json(taco__metadata_writer *a, taco__buf *flat,
                                      void (*write)(taco__metadata_writer *a))
{
    taco_error *err = a->json.err;
    taco_dataset *ds = a->ds;
    taco__json_doc doc;
    write(a);
    return a->json.ok &&
           taco__json_parse(a->arena, taco__bytes_of(flat->data, flat->len), &ds->options.limits,
                            &doc, err) == TACO_OK &&
           taco__json_print(&ds->info, doc.root, 2, err) &&
           taco__buf_append_char(&ds->info, '\n', err);
}

/* Fills ds->info, with a zero byte at its end. */
static bool taco__metadata_write(taco__metadata_writer *a, taco_collection_format kind)
{
    taco_error *err = a->json.err;
    taco__buf flat, *info = &a->ds->info;
    bool ok;
    memset(&flat, 0, sizeof flat);
    flat.mem = &a->ds->mem;
    info->len = 0;
    a->json = taco__json_writer_init(kind == TACO_COLLECTION_DATACARD ? info : &flat, err);
    if (kind == TACO_COLLECTION_DATACARD) {
        taco__metadata_datacard(a);
        ok = a->json.ok;
    } else if (kind == TACO_COLLECTION_STAC) {
        ok = taco__metadata_write_json(a, &flat, taco__metadata_stac);
    } else if (kind == TACO_COLLECTION_CROISSANT) {
        ok = taco__metadata_write_json(a, &flat, taco__metadata_croissant);
    } else {
        ok = taco__metadata_write_json(a, &flat, taco__metadata_datacite);
    }
    taco__buf_free(&flat);
    return ok && taco__buf_append_char(info, 0, err);
}

TACO_API taco_bytes taco_collection_export(taco_dataset *ds, taco_collection_format kind,
                                           const taco_collection_export_options *opt,
                                           taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__metadata_writer a;
    taco__arena arena;
    bool ok;
    err = taco__error_fresh(err, &own);
    memset(&a, 0, sizeof a);
    if (opt) { a.opt = *opt; }
    if (!taco__metadata_check(ds, kind, &a, err)) { return taco__bytes_of(NULL, 0); }
    arena.mem = &ds->mem;
    arena.head = NULL;
    a.root = ds->stores[0].coll.doc.root;
    a.path = taco__metadata_find_path(ds, err);
    a.ds = ds;
    a.arena = &arena;
    a.json.err = err;
    ok = a.path && taco__metadata_write(&a, kind);
    taco__arena_free(&arena);
    return ok ? taco__bytes_of(ds->info.data, ds->info.len - 1) : taco__bytes_of(NULL, 0);
}
