/* metadata_croissant.c - what a collection says, in the words of STAC, DataCite, data cards and
   Croissant.. Spec: STAC 1.1.0 Collection; DataCite 4.5; Croissant 1.0; TACO 0.2.0 "API" */
#include "legacy.h"
#include "../base/base.h"
#include "../base/json.h"
#include "../parquet/parquet.h"

/* ---- Croissant ---- */

/* A FileObject: its name is its @id too. */
static void taco__metadata_croissant_file(taco__metadata_writer *a, const char *path,
                                          const char *type)
{
    char hex[65], size[40];
    uint64_t n;
    if (!a->ok || !taco__sha256_file(path, &a->ds->options, &a->ds->mem, hex, &n, a->err)) {
        a->ok = false;
        return;
    }
    size[taco__num_format_u64(size, n)] = 0;
    taco__metadata_open(a, NULL, "{");
    taco__metadata_string(a, "@type", "cr:FileObject");
    taco__metadata_string(a, "@id", taco__metadata_base_name(path));
    taco__metadata_string(a, "name", taco__metadata_base_name(path));
    taco__metadata_string(a, "contentUrl", taco__metadata_base_name(path));
    taco__metadata_string(a, "encodingFormat", type);
    taco__metadata_string(a, "sha256", hex);
    taco__metadata_open(a, "contentSize", "\"");
    taco__metadata_puts(a, size);
    taco__metadata_puts(a, " B\",");
    taco__metadata_close(a, "}");
}

/* The data type of a column; NULL where Croissant has none for it. */
static const char *taco__metadata_croissant_data_type(const taco_field *f)
{
    switch (f->type) {
    case TACO_BOOL: return "sc:Boolean";
    case TACO_INT8:
    case TACO_INT16:
    case TACO_INT32:
    case TACO_INT64:
    case TACO_UINT8:
    case TACO_UINT16:
    case TACO_UINT32:
    case TACO_UINT64: return "sc:Integer";
    case TACO_HALF:
    case TACO_FLOAT:
    case TACO_DOUBLE: return "sc:Float";
    case TACO_TEXT: return "sc:Text";
    default: return NULL;
    }
}

/* An @id holds no colon: it would be a prefix of the context. */
static void taco__metadata_croissant_id(taco__metadata_writer *a, const char *key, const char *name)
{
    size_t i, at;
    taco__metadata_open(a, key, "");
    at = a->b->len;
    a->ok = a->ok && taco__json_print_text(a->b, taco__bytes_text(name), a->err);
    for (i = at; a->ok && i < a->b->len; i++) {
        a->b->data[i] = a->b->data[i] == ':' ? '_' : a->b->data[i];
    }
    if (a->ok && taco__buf_reserve(a->b, 8, a->err)) { /* behind the quote */
        memmove(a->b->data + at + 9, a->b->data + at + 1, a->b->len - at - 1);
        memcpy(a->b->data + at + 1, "samples/", 8);
        a->b->len += 8;
    } else {
        a->ok = false;
    }
    taco__metadata_puts(a, ",");
}

static void taco__metadata_croissant_field(taco__metadata_writer *a, const taco_field *f)
{
    bool list = f->type == TACO_LIST;
    const char *type = taco__metadata_croissant_data_type(list ? f->children : f);
    if (!type) { return; }
    taco__metadata_open(a, NULL, "{");
    taco__metadata_string(a, "@type", "cr:Field");
    taco__metadata_croissant_id(a, "@id", f->name);
    taco__metadata_string(a, "name", f->name);
    taco__metadata_string(a, "dataType", type);
    if (list) { taco__metadata_puts(a, "\"repeated\":true,"); }
    taco__metadata_open(a, "source", "{\"fileObject\":{");
    taco__metadata_string(a, "@id", taco__metadata_base_name(a->opt.table));
    taco__metadata_close(a, "}");
    taco__metadata_open(a, "extract", "{");
    taco__metadata_string(a, "column", f->name);
    taco__metadata_close(a, "}");
    taco__metadata_close(a, "}");
    taco__metadata_close(a, "}");
}

static void taco__metadata_croissant_record_set(taco__metadata_writer *a)
{
    taco_source src;
    taco_pq_file *file;
    const taco_field *f;
    size_t i, n, key;
    if (!a->ok || !taco__source_open_path(&a->ds->options, a->opt.table, &src, a->err) ||
        !(file = taco_pq_open_source(&src, a->opt.table, &a->ds->options, a->err))) {
        a->ok = false;
        return;
    }
    f = taco_pq_fields(file, &n);
    for (key = 0;
         key < n && strcmp(f[key].name, "id") != 0 && strcmp(f[key].name, "tortilla:id") != 0;
         key++) {}
    taco__metadata_open(a, "recordSet", "[{");
    taco__metadata_string(a, "@type", "cr:RecordSet");
    taco__metadata_string(a, "@id", "samples");
    taco__metadata_string(a, "name", "samples");
    if (key < n) {
        taco__metadata_open(a, "key", "{");
        taco__metadata_croissant_id(a, "@id", f[key].name);
        taco__metadata_close(a, "}");
    }
    taco__metadata_open(a, "field", "[");
    for (i = 0; i < n; i++) {
        taco__metadata_croissant_field(a, &f[i]);
    }
    taco__metadata_close(a, "]");
    taco__metadata_close(a, "}]");
    taco_pq_close(file);
}

static void taco__metadata_croissant_people(taco__metadata_writer *a)
{
    const taco__json *list = taco__json_get(a->root, "providers"), *who;
    size_t i, n = taco__json_length(list);
    taco__metadata_open(a, "creator", "[");
    for (i = 0, who = n ? taco__json_first(list) : NULL; i < n; i++, who = taco__json_next(who)) {
        bool person = taco__metadata_text_of(who, "name").len &&
                      taco__metadata_text_of(who, "organization").len;
        taco__metadata_open(a, NULL, "{");
        taco__metadata_string(a, "@type", person ? "sc:Person" : "sc:Organization");
        taco__metadata_text(a, "name", taco__metadata_person_name(who));
        taco__metadata_text(a, "url", taco__metadata_person_url(who));
        taco__metadata_text(a, "email", taco__metadata_text_of(who, "email"));
        taco__metadata_close(a, "}");
    }
    taco__metadata_close(a, "]");
}

TACO__FN void taco__metadata_croissant(taco__metadata_writer *a)
{
    static const char context[] =
        "{\"@language\":\"en\",\"@vocab\":\"https://schema.org/\",\"citeAs\":\"cr:citeAs\","
        "\"column\":\"cr:column\",\"conformsTo\":\"dct:conformsTo\","
        "\"cr\":\"http://mlcommons.org/croissant/\","
        "\"rai\":\"http://mlcommons.org/croissant/RAI/\","
        "\"data\":{\"@id\":\"cr:data\",\"@type\":\"@json\"},"
        "\"dataType\":{\"@id\":\"cr:dataType\",\"@type\":\"@vocab\"},"
        "\"dct\":\"http://purl.org/dc/terms/\","
        "\"examples\":{\"@id\":\"cr:examples\",\"@type\":\"@json\"},"
        "\"extract\":\"cr:extract\",\"field\":\"cr:field\",\"fileProperty\":\"cr:fileProperty\","
        "\"fileObject\":\"cr:fileObject\",\"fileSet\":\"cr:fileSet\",\"format\":\"cr:format\","
        "\"includes\":\"cr:includes\",\"isLiveDataset\":\"cr:isLiveDataset\","
        "\"jsonPath\":\"cr:jsonPath\",\"key\":\"cr:key\",\"md5\":\"cr:md5\","
        "\"parentField\":\"cr:parentField\",\"path\":\"cr:path\",\"recordSet\":\"cr:recordSet\","
        "\"references\":\"cr:references\",\"regex\":\"cr:regex\",\"repeated\":\"cr:repeated\","
        "\"replace\":\"cr:replace\",\"sc\":\"https://schema.org/\","
        "\"separator\":\"cr:separator\",\"source\":\"cr:source\",\"subField\":\"cr:subField\","
        "\"transform\":\"cr:transform\"},";
    const taco__json *list = taco__json_get(a->root, "licenses"), *n;
    size_t i, count = taco__json_length(list);
    taco__metadata_open(a, NULL, "{");
    taco__metadata_open(a, "@context", context);
    taco__metadata_string(a, "@type", "sc:Dataset");
    taco__metadata_string(a, "conformsTo", "http://mlcommons.org/croissant/1.0");
    taco__metadata_text(a, "name", taco__metadata_member_text(a, "id"));
    taco__metadata_text(a, "description", taco__metadata_member_text(a, "description"));
    taco__metadata_text(a, "version", taco__metadata_member_text(a, "dataset_version"));
    taco__metadata_open(a, "license", "[");
    for (i = 0, n = count ? taco__json_first(list) : NULL; i < count; i++, n = taco__json_next(n)) {
        taco__metadata_license(a, NULL, taco__json_bytes(n));
    }
    taco__metadata_close(a, "]");
    taco__metadata_text(a, "url",
                        taco__metadata_text_of(taco__metadata_member(a, "raw_link"), "href"));
    taco__metadata_croissant_people(a);
    taco__metadata_text(a, "alternateName", taco__metadata_member_text(a, "title"));
    taco__metadata_value(a, "keywords", taco__json_get(a->root, "keywords"));
    taco__metadata_string(a, "datePublished", a->opt.year);
    taco__metadata_text(a, "citeAs",
                        taco__metadata_text_of(taco__metadata_member(a, "scientific"), "citation"));
    taco__metadata_open(a, "distribution", "[");
    if (a->ds->stores[0].file_open) {
        taco__metadata_croissant_file(a, a->path, taco__metadata_media_type(a));
    }
    if (a->opt.table) { taco__metadata_croissant_file(a, a->opt.table, "application/x-parquet"); }
    taco__metadata_close(a, "]");
    if (a->opt.table) { taco__metadata_croissant_record_set(a); }
    taco__metadata_close(a, "}");
}
