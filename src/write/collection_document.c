/* collection_document.c - COLLECTION.json: the user's fields in order, and computed ones

   In: the parsed collection of the user or of a source, the tree, the extent and the columns of
   all levels; out: the text of COLLECTION.json, indented by four. TACO 2.0 §5.6 (order of
   fields), §7.2.3 (taco:field_schema).

   taco__document_write assembles flat JSON and reprints it with indentation, so that members
   copied from the source need not be formatted. Also offered: copying members of an object except
   for some keys (taco__document_copy_members), which exports and repair use. */
#include "write.h"
#include "../base/base.h"
#include "../base/json.h"
#include "../parquet/parquet.h"
#include "../validate/validate.h"

/* ---- taco:field_schema ---- */

/* The reference's description of a standard column; NULL for others. */
static const char *taco__document_standard_description(const char *name)
{
    static const char *const texts[][2] = {
        {"id", "Unique sample identifier within parent scope. Must be unique among siblings."},
        {"type", "Sample type discriminator (FILE or FOLDER)."},
        {"internal:current_id", "Current sample position at this level (0-indexed). Enables O(1) "
                                "random access and relational JOINs (ZIP, "
                                "FOLDER, TACOCAT)."},
        {"internal:parent_id", "Foreign key referencing parent sample position in previous level "
                               "(ZIP, FOLDER, TACOCAT)."},
        {"internal:relative_path", "Relative path from DATA/ directory. Format: {parent_path}/{id} "
                                   "or {id} for level0 (ZIP, FOLDER, TACOCAT)."},
    };
    size_t i;
    for (i = 0; i < TACO__COUNT(texts); i++) {
        if (strcmp(texts[i][0], name) == 0) { return texts[i][1]; }
    }
    return NULL;
}

/* Makes a map, zeroed but for mem, from the names of a level's columns to their rows in a field
   schema (a list of [name, type, description]). Of equal names the first counts. */
static bool taco__document_index_columns(const taco__json *list, taco__hash_map *m, taco_error *err)
{
    const taco__json *row;
    size_t i, n = taco__json_length(list);
    for (i = 0, row = n ? taco__json_first(list) : NULL; i < n; i++, row = taco__json_next(row)) {
        const taco__json *name = taco__json_at(row, 0);
        bool added;
        taco__hash_slot *s;
        if (!taco__json_is(name, TACO__JSON_STRING)) { continue; }
        s = taco__hash_map_add(m, taco__json_bytes(name), &added, err);
        if (!s) { return false; }
        if (added) { s->value = (uint64_t)(row - list); }
    }
    return true;
}

/* The description of a column in the list of that map; empty if it has none. */
static taco_bytes taco__document_given_description(const taco__json *list, const taco__hash_map *m,
                                                   const char *name)
{
    const taco__hash_slot *s = taco__hash_map_find(m, taco__bytes_text(name));
    return s ? taco__json_bytes(taco__json_at(list + s->value, 2)) : taco__bytes_of("", 0);
}

/* Appends [name, type, description]. Types have Arrow's names in lower case, as in the
   reference. */
static void taco__document_write_field(const taco_field *f, const taco__json *list,
                                       const taco__hash_map *known, taco__json_writer *w)
{
    const char *text = taco__document_standard_description(f->name);
    taco_bytes said =
        text ? taco__bytes_text(text) : taco__document_given_description(list, known, f->name);
    taco__buf type;
    size_t at;
    memset(&type, 0, sizeof type);
    type.mem = w->out->mem;
    w->ok = w->ok && taco__type_name_append(f, &type, w->err);
    for (at = 0; at < type.len; at++) { /* the reference has the names in lower case */
        uint8_t c = type.data[at];
        type.data[at] = (uint8_t)(c >= 'A' && c <= 'Z' ? c + 32 : c);
    }
    taco__json_write_begin(w, NULL, '[');
    taco__json_write_quoted_value(w, NULL, taco__bytes_text(f->name));
    taco__json_write_quoted_value(w, NULL, taco__bytes_of(type.data, type.len));
    taco__json_write_quoted_value(w, NULL, said);
    taco__json_write_end(w, ']');
    taco__buf_free(&type);
}

/* Writes one level of taco:field_schema: id, type, the user's n columns, then those that every
   container adds. known may be NULL. */
TACO__FN void taco__document_write_fields(uint32_t level, const taco_field *fields, size_t n,
                                          const taco__json *known, taco__json_writer *w)
{
    const taco_field core[] = {taco__field_make("id", TACO_TEXT),
                               taco__field_make("type", TACO_TEXT),
                               taco__field_make("internal:current_id", TACO_INT64),
                               taco__field_make("internal:parent_id", TACO_INT64),
                               taco__field_make("internal:relative_path", TACO_TEXT)};
    char key[] = "level0";
    size_t i, last = level ? 5 : 4;
    const taco__json *list;
    taco__hash_map names;
    key[5] = (char)('0' + level);
    list = taco__json_get(known, key);
    memset(&names, 0, sizeof names);
    names.mem = w->out->mem;
    w->ok = w->ok && taco__document_index_columns(list, &names, w->err);
    taco__json_write_begin(w, key, '[');
    for (i = 0; i < last + n; i++) {
        const taco_field *f = i < 2 ? &core[i] : i < 2 + n ? &fields[i - 2] : &core[i - n];
        taco__document_write_field(f, list, &names, w);
    }
    taco__json_write_end(w, ']');
    taco__hash_map_free(&names);
}

/* ---- the document ---- */

/* Writes the members of an object except for the n keys in skip. Of equal keys the last counts. */
TACO__FN void taco__document_copy_members(const taco__json *root, const char *const *skip, size_t n,
                                          taco__json_writer *w)
{
    const taco__json *key;
    taco__hash_map members;
    uint32_t i;
    memset(&members, 0, sizeof members);
    members.mem = w->out->mem;
    w->ok = w->ok && taco__json_index_members(root, &members, w->err);
    for (i = 0, key = taco__json_first(root); i < root->count;
         i++, key = taco__json_next(key + 1)) {
        size_t k;
        for (k = 0; k < n && !taco__json_equals(key, skip[k]); k++) {}
        if (k == n && taco__json_member_counts(&members, root, key)) {
            taco__json_write_key_bytes(w, taco__json_bytes(key));
            w->ok = w->ok && taco__json_print(w->out, key + 1, 0, w->err);
        }
    }
    taco__hash_map_free(&members);
}

/* Appends the whole document: the user's fields (root) in the order of §5.6; extent, computed
   unless root has one and keep_extent is set; other members; taco:pit_schema; taco:field_schema,
   given as text. */
TACO__FN bool taco__document_write(const taco__json *root, bool keep_extent,
                                   const taco__extent *span, const taco__tree *t,
                                   taco_bytes field_schema, taco__buf *out, taco_error *err)
{
    static const char *const keys[] = {"id",
                                       "dataset_version",
                                       "description",
                                       "licenses",
                                       "providers",
                                       "tasks",
                                       "taco_version",
                                       "title",
                                       "curators",
                                       "keywords",
                                       "extent",
                                       "taco:pit_schema",
                                       "taco:field_schema",
                                       "taco:sources"};
    taco__buf flat;
    taco__json_writer w;
    taco__arena arena;
    taco__json_doc doc;
    const taco__json *extent = taco__json_get(root, "extent");
    size_t i;
    bool ok;
    memset(&flat, 0, sizeof flat);
    flat.mem = arena.mem = out->mem;
    arena.head = NULL;
    w = taco__json_writer_init(&flat, err);
    taco__json_write_begin(&w, NULL, '{');
    for (i = 0; i < 10; i++) {
        const taco__json *n = taco__json_get(root, keys[i]);
        if (i == 6 && taco__rules_is_null(n)) {
            taco__json_write_text(&w, keys[i], "2.0.0");
        } else {
            taco__json_print_value(&w, keys[i], n);
        }
    }
    if (keep_extent && !taco__rules_is_null(extent)) {
        taco__json_print_value(&w, "extent", extent);
    } else if (taco__extent_is_told(span, extent)) {
        taco__json_write_key(&w, "extent");
        taco__extent_write(span, extent, &w);
    }
    taco__document_copy_members(root, keys, TACO__COUNT(keys), &w);
    taco__json_write_key(&w, keys[11]);
    taco__pit_schema_write(t, &w);
    taco__json_write_raw(&w, keys[12], field_schema);
    taco__json_write_end(&w, '}');
    ok =
        w.ok &&
        taco__json_parse(&arena, taco__bytes_of(flat.data, flat.len), NULL, &doc, err) == TACO_OK &&
        taco__json_print(out, doc.root, 4, err) && taco__buf_append_char(out, '\n', err);
    taco__arena_free(&arena);
    taco__buf_free(&flat);
    return ok;
}
