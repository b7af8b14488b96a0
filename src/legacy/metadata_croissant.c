/* metadata_croissant.c - a collection as Croissant 1.0, which dataset search engines read

   In: a collection, the dataset's file, and perhaps a Parquet table of its samples; out: one
   JSON-LD object: schema.org's Dataset, with the files as FileObjects, whose SHA-256 is
   computed here, and the columns of the table as the fields of one RecordSet. Spec: Croissant
   1.0. Start reading at taco__metadata_croissant. */
#include "legacy.h"
#include "../base/base.h"
#include "../base/json.h"
#include "../base/sha256.h"
#include "../parquet/parquet.h"

/* ---- files ---- */

/* Adds all bytes of a source; piece has room for `room` of them. */
static bool taco__metadata_croissant_read(taco__sha256 *s, const taco_source *src, uint8_t *piece,
                                          size_t room, const char *path, taco_error *err)
{
    taco_bytes name = taco__bytes_text(path);
    uint64_t at;
    for (at = 0; at < src->size; at += room) {
        size_t n = (size_t)TACO__MIN((uint64_t)room, src->size - at);
        if (!src->read(src->ctx, at, piece, n)) {
            TACO__FAIL(err, TACO_ERR_IO, at, "reading %q failed", &name);
            return false;
        }
        taco__sha256_update(s, piece, n);
    }
    return true;
}

/* Hashes a whole file, in pieces: 64 digits and a zero byte; *size is its length. */
static bool taco__metadata_croissant_digest(const char *path, const taco_options *o, taco__mem *mem,
                                            char hex[65], uint64_t *size, taco_error *err)
{
    const size_t room = 1 << 18;
    taco_source src;
    taco__sha256 s;
    uint8_t *piece;
    bool ok;
    if (!taco__source_open_path(o, path, &src, err)) { return false; }
    piece = (uint8_t *)taco__mem_alloc(mem, room, err);
    taco__sha256_init(&s);
    ok = piece && taco__metadata_croissant_read(&s, &src, piece, room, path, err);
    *size = src.size;
    taco__sha256_finish(&s, hex);
    taco__mem_free(mem, piece, room);
    if (src.close) { src.close(src.ctx); }
    return ok;
}

/* Writes a FileObject; its name is also its @id. */
static void taco__metadata_croissant_file(taco__metadata_writer *a, const char *path,
                                          const char *type)
{
    const char *name = taco__metadata_base_name(path);
    char hex[65], size[40];
    uint64_t n;
    size_t k;
    if (!a->json.ok || !taco__metadata_croissant_digest(path, &a->ds->options, &a->ds->mem, hex, &n,
                                                        a->json.err)) {
        a->json.ok = false;
        return;
    }
    k = taco__num_format_u64(size, n);
    memcpy(size + k, " B", 3);
    taco__metadata_begin(a, NULL, '{');
    taco__metadata_string(a, "@type", "cr:FileObject");
    taco__metadata_string(a, "@id", name);
    taco__metadata_string(a, "name", name);
    taco__metadata_string(a, "contentUrl", name);
    taco__metadata_string(a, "encodingFormat", type);
    taco__metadata_string(a, "sha256", hex);
    taco__metadata_string(a, "contentSize", size);
    taco__metadata_end(a, '}');
}

/* Writes distribution: the dataset if it is one file, since a FOLDER has no digest, and the
   table. */
static void taco__metadata_croissant_files(taco__metadata_writer *a)
{
    taco__metadata_begin(a, "distribution", '[');
    if (a->ds->stores[0].file_open) {
        taco__metadata_croissant_file(a, a->path, taco__metadata_media_type(a));
    }
    if (a->opt.table) { taco__metadata_croissant_file(a, a->opt.table, "application/x-parquet"); }
    taco__metadata_end(a, ']');
}

/* ---- fields ---- */

/* The data type of a column; NULL if Croissant has none for it. */
static const char *taco__metadata_croissant_data_type(const taco_field *f)
{
    return f->type == TACO_BOOL               ? "sc:Boolean"
           : taco__concat_is_integer(f->type) ? "sc:Integer"
           : taco__concat_is_float(f->type)   ? "sc:Float"
           : f->type == TACO_TEXT             ? "sc:Text"
                                              : NULL;
}

/* Writes samples/name as an @id without colons, which would end a prefix of the context. */
static void taco__metadata_croissant_id(taco__metadata_writer *a, const char *name)
{
    char *text = taco__arena_text(a->arena, taco__bytes_text(name), a->json.err), *p;
    if (!text) {
        a->json.ok = false;
        return;
    }
    for (p = text; *p; p++) {
        *p = *p == ':' ? '_' : *p;
    }
    taco__metadata_joined(a, "@id", taco__bytes_text("samples/"), taco__bytes_text(text),
                          taco__bytes_of(NULL, 0));
}

/* Writes where the values of a field are: in a column of the table. */
static void taco__metadata_croissant_source(taco__metadata_writer *a, const char *column)
{
    taco__metadata_begin(a, "source", '{');
    taco__metadata_begin(a, "fileObject", '{');
    taco__metadata_string(a, "@id", taco__metadata_base_name(a->opt.table));
    taco__metadata_end(a, '}');
    taco__metadata_begin(a, "extract", '{');
    taco__metadata_string(a, "column", column);
    taco__metadata_end(a, '}');
    taco__metadata_end(a, '}');
}

/* Writes a column; nothing if Croissant has no type for it. Lists are repeated fields. */
static void taco__metadata_croissant_field(taco__metadata_writer *a, const taco_field *f)
{
    bool list = f->type == TACO_LIST;
    const char *type = taco__metadata_croissant_data_type(list ? f->children : f);
    if (!type) { return; }
    taco__metadata_begin(a, NULL, '{');
    taco__metadata_string(a, "@type", "cr:Field");
    taco__metadata_croissant_id(a, f->name);
    taco__metadata_string(a, "name", f->name);
    taco__metadata_string(a, "dataType", type);
    if (list) { taco__json_write_bool(&a->json, "repeated", true); }
    taco__metadata_croissant_source(a, f->name);
    taco__metadata_end(a, '}');
}

/* Writes the column that identifies a sample; nothing if there is none. */
static void taco__metadata_croissant_key(taco__metadata_writer *a, const taco_field *f, size_t n)
{
    size_t i;
    for (i = 0; i < n; i++) {
        if (strcmp(f[i].name, "id") == 0 || strcmp(f[i].name, "tortilla:id") == 0) {
            taco__metadata_begin(a, "key", '{');
            taco__metadata_croissant_id(a, f[i].name);
            taco__metadata_end(a, '}');
            return;
        }
    }
}

/* Writes the RecordSet of n columns. */
static void taco__metadata_croissant_records(taco__metadata_writer *a, const taco_field *f,
                                             size_t n)
{
    size_t i;
    taco__metadata_begin(a, "recordSet", '[');
    taco__metadata_begin(a, NULL, '{');
    taco__metadata_string(a, "@type", "cr:RecordSet");
    taco__metadata_string(a, "@id", "samples");
    taco__metadata_string(a, "name", "samples");
    taco__metadata_croissant_key(a, f, n);
    taco__metadata_begin(a, "field", '[');
    for (i = 0; i < n; i++) {
        taco__metadata_croissant_field(a, &f[i]);
    }
    taco__metadata_end(a, ']');
    taco__metadata_end(a, '}');
    taco__metadata_end(a, ']');
}

/* Writes the RecordSet of the table; nothing if none was requested. */
static void taco__metadata_croissant_table(taco__metadata_writer *a)
{
    taco_pq_file *file = NULL;
    taco_source src;
    const taco_field *f;
    size_t n;
    if (!a->opt.table || !a->json.ok) { return; }
    if (taco__source_open_path(&a->ds->options, a->opt.table, &src, a->json.err)) {
        file = taco_pq_open_source(&src, a->opt.table, &a->ds->options, a->json.err);
    }
    a->json.ok = file != NULL;
    if (!file) { return; }
    f = taco_pq_fields(file, &n);
    taco__metadata_croissant_records(a, f, n);
    taco_pq_close(file);
}

/* ---- the document ---- */

/* Writes a person if both a name and an organization are known; else an organization. */
static void taco__metadata_croissant_creator(taco__metadata_writer *a, const taco__json *who)
{
    bool person = taco__metadata_text_of(who, "name").len && taco__metadata_person_house(who).len;
    taco__metadata_begin(a, NULL, '{');
    taco__metadata_string(a, "@type", person ? "sc:Person" : "sc:Organization");
    taco__metadata_text(a, "name", taco__metadata_person_name(who));
    taco__metadata_text(a, "url", taco__metadata_person_url(who));
    taco__metadata_text(a, "email", taco__metadata_text_of(who, "email"));
    taco__metadata_end(a, '}');
}

/* Writes a licence as the address of its page, which schema.org prefers to a name. */
static void taco__metadata_croissant_license(taco__metadata_writer *a, const taco__json *id)
{
    taco__metadata_license(a, NULL, taco__json_bytes(id));
}

/* Writes the vocabulary of the document; the same in every document. */
static void taco__metadata_croissant_context(taco__metadata_writer *a)
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
        "\"transform\":\"cr:transform\"}";
    taco__json_write_raw(&a->json, "@context", taco__bytes_text(context));
}

/* Writes who made and prepared the dataset, its source, and how to cite it. Tasks are keywords:
   neither schema.org nor Croissant has a term for them. */
static void taco__metadata_croissant_origin(taco__metadata_writer *a)
{
    const taco__json *science = taco__metadata_member(a, "scientific");
    taco__metadata_text(a, "url",
                        taco__metadata_text_of(taco__metadata_member(a, "raw_link"), "href"));
    taco__metadata_begin(a, "creator", '[');
    taco__metadata_each(a, taco__json_get(a->root, "providers"), taco__metadata_croissant_creator);
    taco__metadata_end(a, ']');
    if (taco__json_length(taco__metadata_curators(a))) {
        taco__metadata_begin(a, "contributor", '[');
        taco__metadata_each(a, taco__metadata_curators(a), taco__metadata_croissant_creator);
        taco__metadata_end(a, ']');
    }
    taco__metadata_text(a, "alternateName", taco__metadata_member_text(a, "title"));
    taco__metadata_begin(a, "keywords", '[');
    taco__metadata_each(a, taco__json_get(a->root, "keywords"), taco__metadata_item);
    taco__metadata_each_task(a, taco__metadata_item);
    taco__metadata_end(a, ']');
    taco__metadata_string(a, "datePublished", a->opt.year);
    taco__metadata_text(a, "citeAs", taco__metadata_text_of(science, "citation"));
}

TACO__FN void taco__metadata_croissant(taco__metadata_writer *a)
{
    taco__metadata_begin(a, NULL, '{');
    taco__metadata_croissant_context(a);
    taco__metadata_string(a, "@type", "sc:Dataset");
    taco__metadata_string(a, "conformsTo", "http://mlcommons.org/croissant/1.0");
    taco__metadata_text(a, "name", taco__metadata_member_text(a, "id"));
    taco__metadata_text(a, "description", taco__metadata_member_text(a, "description"));
    taco__metadata_text(a, "version", taco__metadata_member_text(a, "dataset_version"));
    taco__metadata_begin(a, "license", '[');
    taco__metadata_each(a, taco__json_get(a->root, "licenses"), taco__metadata_croissant_license);
    taco__metadata_end(a, ']');
    taco__metadata_croissant_origin(a);
    taco__metadata_croissant_files(a);
    taco__metadata_croissant_table(a);
    taco__metadata_end(a, '}');
}
