/* metadata_export.c - what a collection says, in the words of STAC, DataCite, data cards and
   Croissant.. Spec: STAC 1.1.0 Collection; DataCite 4.5; Croissant 1.0; TACO 0.2.0 "API" */
#include "legacy.h"
#include "../base/base.h"
#include "../base/json.h"
#include "../dataset/dataset.h"
#include "../validate/validate.h"
#include "../write/write.h"

TACO__FN void taco__metadata_puts(taco__metadata_writer *a, const char *text)
{
    a->ok = a->ok && taco__buf_append_text(a->b, text, a->err);
}

TACO__FN void taco__metadata_bytes(taco__metadata_writer *a, taco_bytes text)
{
    a->ok = a->ok && taco__buf_append(a->b, text.data, text.len, a->err);
}

/* Every value ends with a comma, which the bracket that closes takes back. */
TACO__FN void taco__metadata_open(taco__metadata_writer *a, const char *key, const char *bracket)
{
    if (key) {
        taco__metadata_puts(a, "\"");
        taco__metadata_puts(a, key);
        taco__metadata_puts(a, "\":");
    }
    taco__metadata_puts(a, bracket);
}

TACO__FN void taco__metadata_close(taco__metadata_writer *a, const char *bracket)
{
    if (a->ok && a->b->len && a->b->data[a->b->len - 1] == ',') { a->b->len--; }
    taco__metadata_puts(a, bracket);
    taco__metadata_puts(a, ",");
}

/* A text; nothing where it is empty. */
TACO__FN void taco__metadata_text(taco__metadata_writer *a, const char *key, taco_bytes text)
{
    if (text.len) {
        taco__metadata_open(a, key, "");
        a->ok = a->ok && taco__json_print_text(a->b, text, a->err);
        taco__metadata_puts(a, ",");
    }
}

TACO__FN void taco__metadata_string(taco__metadata_writer *a, const char *key, const char *text)
{
    taco__metadata_text(a, key, taco__bytes_text(text));
}

TACO__FN void taco__metadata_number(taco__metadata_writer *a, const char *key, double x)
{
    taco__metadata_open(a, key, "");
    a->ok = a->ok && taco__document_write_double(a->b, x, a->err);
    taco__metadata_puts(a, ",");
}

/* A value as it stands; nothing where it is null. */
TACO__FN void taco__metadata_value(taco__metadata_writer *a, const char *key, const taco__json *n)
{
    if (!taco__rules_is_null(n)) {
        taco__metadata_open(a, key, "");
        a->ok = a->ok && taco__json_print(a->b, n, 0, a->err);
        taco__metadata_puts(a, ",");
    }
}

/* ---- what collections of both generations say ---- */

TACO__FN taco_bytes taco__metadata_text_of(const taco__json *n, const char *key)
{
    return taco__json_bytes(taco__json_get(n, key));
}

/* What TACO 2 has no name for stands in the old document that was kept. */
TACO__FN const taco__json *taco__metadata_member(const taco__metadata_writer *a, const char *key)
{
    const taco__json *n = taco__json_get(a->root, key);
    return n ? n : taco__json_get(taco__json_get(a->root, "legacy:collection"), key);
}

TACO__FN taco_bytes taco__metadata_member_text(const taco__metadata_writer *a, const char *key)
{
    return taco__metadata_text_of(a->root, key);
}

/* Values that are in a list of TACO 2 or under another name in TACO 0.x. */
TACO__FN taco_bytes taco__metadata_first_text(const taco__json *n, const char *one,
                                              const char *list, const char *inner)
{
    const taco__json *first = taco__json_at(taco__json_get(n, list), 0);
    taco_bytes text = taco__metadata_text_of(n, one);
    return text.len ? text : inner ? taco__metadata_text_of(first, inner) : taco__json_bytes(first);
}

TACO__FN taco_bytes taco__metadata_person_name(const taco__json *who)
{
    taco_bytes name = taco__metadata_text_of(who, "name");
    return name.len ? name : taco__metadata_text_of(who, "organization");
}

TACO__FN taco_bytes taco__metadata_person_url(const taco__json *who)
{
    return taco__metadata_first_text(who, "url", "links", "href");
}

/* The title, the id where it has none. */
TACO__FN taco_bytes taco__metadata_title(const taco__metadata_writer *a)
{
    taco_bytes title = taco__metadata_member_text(a, "title");
    return title.len ? title : taco__metadata_member_text(a, "id");
}

TACO__FN bool taco__metadata_time_range(const taco__metadata_writer *a, taco_bytes out[2])
{
    const taco__json *t = taco__json_get(taco__json_get(a->root, "extent"), "temporal"),
                     *one = taco__json_at(t, 0);
    one = taco__json_is(one, TACO__JSON_STRING) ? t : one;
    out[0] = taco__json_bytes(taco__json_at(one, 0));
    out[1] = taco__json_bytes(taco__json_at(one, 1));
    return out[0].len && out[1].len;
}

TACO__FN bool taco__metadata_bbox(const taco__metadata_writer *a, double box[4])
{
    return taco__convert_read_bbox(taco__json_get(taco__json_get(a->root, "extent"), "spatial"),
                                   box);
}

TACO__FN const taco__json *taco__metadata_publications(const taco__metadata_writer *a)
{
    const taco__json *p = taco__json_get(taco__metadata_member(a, "scientific"), "publications");
    return p ? p : taco__json_get(a->root, "publications");
}

TACO__FN const char *taco__metadata_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

TACO__FN const char *taco__metadata_file_name(const taco__metadata_writer *a)
{
    return taco__metadata_base_name(a->path);
}

TACO__FN const char *taco__metadata_media_type(const taco__metadata_writer *a)
{
    return taco__container_ends_with(a->path, ".taco") ||
                   taco__container_ends_with(a->path, ".tortilla")
               ? "application/vnd.tortilla+blob"
               : "application/zip";
}

/* The page of a licence at SPDX. */
TACO__FN void taco__metadata_license(taco__metadata_writer *a, const char *key, taco_bytes id)
{
    taco__metadata_open(a, key, "\"https://spdx.org/licenses/");
    taco__metadata_bytes(a, id);
    taco__metadata_puts(a, ".html\",");
}

/* Bands of TACO 0.x, or of the extensions of TACO 2. */
TACO__FN const taco__json *taco__metadata_list_bands(const taco__metadata_writer *a)
{
    const taco__json *list = taco__json_get(taco__metadata_member(a, "optical_data"), "bands");
    return list ? list : taco__json_get(a->root, "optical:bands");
}

/* ---- public ---- */

TACO_API taco_bytes taco_collection_export(taco_dataset *ds, taco_collection_format kind,
                                           const taco_collection_export_options *opt,
                                           taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__metadata_writer a;
    taco__arena arena;
    taco__json_doc doc;
    taco__buf flat;
    bool ok;
    err = err ? err : &own;
    memset(&a, 0, sizeof a);
    memset(&flat, 0, sizeof flat);
    if (opt) { a.opt = *opt; }
    if (!ds || !ds->stores[0].coll.doc.root || (kind == TACO_COLLECTION_DATACITE && !a.opt.year)) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%s",
                   !ds                            ? "no dataset given"
                   : !ds->stores[0].coll.doc.root ? "the dataset has no collection"
                                                  : "DataCite wants a year of publication");
        if (ds) { taco__error_prefix(err, "%s", ds->stores[0].name); }
        return taco__bytes_of(NULL, 0);
    }
    flat.mem = arena.mem = &ds->mem;
    arena.head = NULL;
    a.root = ds->stores[0].coll.doc.root;
    a.path = ds->stores[0].name;
    a.ds = ds;
    a.err = err;
    a.ok = true;
    ds->info.len = 0;
    a.b = kind == TACO_COLLECTION_DATACARD ? &ds->info : &flat;
    if (kind == TACO_COLLECTION_DATACARD) {
        taco__metadata_datacard(&a);
    } else if (kind == TACO_COLLECTION_STAC) {
        taco__metadata_stac(&a);
    } else if (kind == TACO_COLLECTION_CROISSANT) {
        taco__metadata_croissant(&a);
    } else {
        taco__metadata_datacite(&a);
    }
    ok = a.ok;
    if (ok && kind != TACO_COLLECTION_DATACARD) {
        flat.len--; /* the last comma */
        ok = taco__json_parse(&arena, taco__bytes_of(flat.data, flat.len), &ds->options.limits,
                              &doc, err) == TACO_OK &&
             taco__json_print(&ds->info, doc.root, 2, err) &&
             taco__buf_append_char(&ds->info, '\n', err);
    }
    ok = ok && taco__buf_append_char(&ds->info, 0, err);
    taco__buf_free(&flat);
    taco__arena_free(&arena);
    return ok ? taco__bytes_of(ds->info.data, ds->info.len - 1) : taco__bytes_of(NULL, 0);
}
