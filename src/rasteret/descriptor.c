/* descriptor.c - converts a dataset's descriptor to options of taco_rasteret_build

   In: JSON of a DatasetDescriptor as in Rasteret's registry, an object or a list, of which the
   first with the requested id is taken; out: taco_rasteret_options whose texts live as long as the
   handle. Spec: Rasteret's schema contract, dataset descriptors: identity, access and band mapping.
   Members about discovery (stac_api, collection_uri, ...) are for programs that download tables,
   and are ignored.

   column_map {source: contract} and field_roles {contract: source} give renamed columns,
   href_column (or the role href) and band_index_map the assets, cloud_config.url_patterns {from:
   to} rewritten hrefs. */
#include "rasteret.h"
#include "../base/base.h"
#include "../base/json.h"

struct taco_rasteret_descriptor {
    taco__mem mem;
    taco__arena arena;
    taco_rasteret_options options;
};

/* A text member; NULL if missing or empty. */
static const char *taco__descriptor_text(const taco__json *o, const char *key)
{
    const char *text = taco__json_text(taco__json_get(o, key));
    return text && *text ? text : NULL;
}

/* Appends the members of an object of texts to *list as pairs; turned: the object is {to: from}. A
   role `href` is not a separate column. */
static bool taco__descriptor_pairs(taco_rasteret_descriptor *d, const taco__json *o, bool turned,
                                   const taco_rasteret_pair **list, size_t *n, taco_error *err)
{
    const size_t more = taco__json_is(o, TACO__JSON_OBJECT) ? o->count : 0;
    const taco__json *key;
    taco_rasteret_pair *out;
    size_t i;
    if (!more) { return true; }
    out = (taco_rasteret_pair *)taco__arena_array(&d->arena, *n + more, sizeof *out, err);
    if (!out) { return false; }
    if (*n) { memcpy(out, *list, *n * sizeof *out); }
    for (i = 0, key = taco__json_first(o); i < more; i++, key = taco__json_next(key + 1)) {
        const char *name = taco__json_text(key), *value = taco__json_text(key + 1);
        if (!name || !value || (turned && strcmp(name, "href") == 0)) { continue; }
        if (strcmp(name, value) == 0) { continue; }
        out[*n].from = turned ? value : name;
        out[(*n)++].to = turned ? name : value;
    }
    *list = out;
    return true;
}

/* band_index_map: {name: sample}. */
static bool taco__descriptor_bands(taco_rasteret_descriptor *d, const taco__json *o,
                                   taco_error *err)
{
    const taco__json *key;
    taco_rasteret_band *out;
    size_t i, n = taco__json_is(o, TACO__JSON_OBJECT) ? o->count : 0;
    out = (taco_rasteret_band *)taco__arena_array(&d->arena, n, sizeof *out, err);
    if (!out) { return false; }
    for (i = 0, key = taco__json_first(o); i < n; i++, key = taco__json_next(key + 1)) {
        double index = -1;
        out[i].name = taco__json_text(key);
        if (!out[i].name || !taco__json_double(key + 1, &index) ||
            !(index >= 0 && index <= 65535) || (double)(int64_t)index < index) {
            TACO__FAIL(err, TACO_ERR_ARGUMENT, key->begin,
                       "band_index_map: a sample is a number from 0 to 65535");
            return false;
        }
        out[i].index = (int64_t)index;
    }
    d->options.bands = out;
    d->options.band_count = n;
    return true;
}

/* The descriptor with that id in a list, or the first if id is NULL; an object is returned
   itself. */
static const taco__json *taco__descriptor_find(const taco__json *root, const char *id)
{
    const taco__json *o;
    size_t i;
    if (taco__json_is(root, TACO__JSON_OBJECT)) { return root; }
    for (i = 0, o = taco__json_first(root); i < taco__json_length(root);
         i++, o = taco__json_next(o)) {
        const char *have = taco__json_text(taco__json_get(o, "id"));
        if (taco__json_is(o, TACO__JSON_OBJECT) && (!id || (have && strcmp(have, id) == 0))) {
            return o;
        }
    }
    return NULL;
}

/* Reads all options from one descriptor. */
static bool taco__descriptor_read(taco_rasteret_descriptor *d, const taco__json *o, taco_error *err)
{
    taco_rasteret_options *out = &d->options;
    const taco__json *roles = taco__json_get(o, "field_roles");
    const char *href = taco__descriptor_text(o, "href_column");
    const char *stac = taco__descriptor_text(o, "stac_collection");
    out->data_source = stac ? stac : taco__descriptor_text(o, "id");
    out->name = taco__descriptor_text(o, "name");
    out->description = taco__descriptor_text(o, "description");
    if (!out->data_source) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, o->begin, "a descriptor has an id");
        return false;
    }
    if (!taco__descriptor_bands(d, taco__json_get(o, "band_index_map"), err)) { return false; }
    href = href ? href : taco__descriptor_text(roles, "href");
    /* assets are made from both; if one is missing, the table already has assets */
    out->href_column = out->band_count ? href : NULL;
    out->band_count = out->href_column ? out->band_count : 0;
    return taco__descriptor_pairs(d, taco__json_get(o, "column_map"), false, &out->rename,
                                  &out->rename_count, err) &&
           taco__descriptor_pairs(d, roles, true, &out->rename, &out->rename_count, err) &&
           taco__descriptor_pairs(d,
                                  taco__json_get(taco__json_get(o, "cloud_config"), "url_patterns"),
                                  false, &out->rewrite, &out->rewrite_count, err);
}

TACO_API taco_rasteret_descriptor *taco_rasteret_descriptor_open(const char *json, size_t len,
                                                                 const char *id,
                                                                 const taco_options *opt,
                                                                 taco_error *err)
{
    taco__mem mem;
    taco_rasteret_descriptor *d;
    taco__json_doc doc;
    const taco__json *o;
    taco_bytes name = taco__bytes_text(id ? id : "");
    err = taco__error_fresh(err, NULL);
    if (!json) {
        TACO__FAIL_SOFT(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no descriptor given");
        return NULL;
    }
    taco__mem_init(&mem, opt);
    d = (taco_rasteret_descriptor *)taco__mem_alloc(&mem, sizeof *d, err);
    if (!d) { return NULL; }
    memset(d, 0, sizeof *d);
    d->mem = mem;
    d->arena.mem = &d->mem;
    memset(&doc, 0, sizeof doc);
    if (taco__json_parse(&d->arena, taco__bytes_of((const uint8_t *)json, len), NULL, &doc, err) ==
        TACO_OK) {
        o = taco__descriptor_find(doc.root, id);
        if (o && taco__descriptor_read(d, o, err)) { return d; }
        TACO__FAIL(o ? NULL : err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                   "there is no descriptor with the id %q", &name);
    }
    taco_rasteret_descriptor_close(d);
    return NULL;
}

TACO_API const taco_rasteret_options *
taco_rasteret_descriptor_options(const taco_rasteret_descriptor *d)
{
    return d ? &d->options : NULL;
}

TACO_API void taco_rasteret_descriptor_close(taco_rasteret_descriptor *d)
{
    taco__mem mem;
    if (!d) { return; }
    taco__arena_free(&d->arena);
    mem = d->mem;
    taco__mem_free(&mem, d, sizeof *d);
}
