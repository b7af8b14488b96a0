/* collection_document.c - COLLECTION.json: the user's fields in order, and what is computed

   In: the parsed collection of the user or of a source, the tree, the extent and the columns of
   all levels; out: the text of COLLECTION.json, indented by four. TACO 2.0 §5.6 (order of
   fields), §7.2.3 (taco:field_schema).

   taco__document_write puts flat JSON together and prints it again with indentation, so that
   members copied from the source need no care. Also offered: copying members of an object but
   for some keys (taco__document_copy_members), which exports and repair use. */
#include "write.h"
#include "../base/base.h"
#include "../base/json.h"
#include "../parquet/parquet.h"
#include "../validate/validate.h"

/* ---- taco:field_schema ---- */

/* What the reference says about the columns that every table has; NULL for others. */
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

/* The description of a column of a level in another field schema (rows of [name, type,
   description]; may be NULL); empty where it has none. */
static taco_bytes taco__document_given_description(const taco__json *schema, const char *level,
                                                   const char *name)
{
    const taco__json *list = taco__json_get(schema, level), *row;
    size_t i, n = taco__json_length(list);
    for (i = 0, row = n ? taco__json_first(list) : NULL; i < n; i++, row = taco__json_next(row)) {
        if (taco__json_equals(taco__json_at(row, 0), name)) {
            return taco__json_bytes(taco__json_at(row, 2));
        }
    }
    return taco__bytes_of("", 0);
}

/* Appends [name, type, description]. Types have Arrow's names in lower case, as in the
   reference. */
static bool taco__document_write_field(const taco_field *f, const char *level,
                                       const taco__json *known, taco__buf *out, taco_error *err)
{
    const char *text = taco__document_standard_description(f->name);
    taco_bytes said =
        text ? taco__bytes_text(text) : taco__document_given_description(known, level, f->name);
    taco__buf type;
    size_t at;
    bool ok;
    memset(&type, 0, sizeof type);
    type.mem = out->mem;
    ok = taco__type_name_append(f, &type, err);
    for (at = 0; at < type.len; at++) { /* the reference has the names in lower case */
        uint8_t c = type.data[at];
        type.data[at] = (uint8_t)(c >= 'A' && c <= 'Z' ? c + 32 : c);
    }
    ok = ok && taco__buf_append_char(out, '[', err) &&
         taco__json_print_text(out, taco__bytes_text(f->name), err) &&
         taco__buf_append_char(out, ',', err) &&
         taco__json_print_text(out, taco__bytes_of(type.data, type.len), err) &&
         taco__buf_append_char(out, ',', err) && taco__json_print_text(out, said, err) &&
         taco__buf_append_char(out, ']', err);
    taco__buf_free(&type);
    return ok;
}

/* Appends one level of taco:field_schema: id, type, the user's n columns, then those every
   container adds. known may be NULL. */
TACO__FN bool taco__document_write_fields(uint32_t level, const taco_field *fields, size_t n,
                                          const taco__json *known, taco__buf *out, taco_error *err)
{
    const taco_field core[] = {taco__field_make("id", TACO_TEXT),
                               taco__field_make("type", TACO_TEXT),
                               taco__field_make("internal:current_id", TACO_INT64),
                               taco__field_make("internal:parent_id", TACO_INT64),
                               taco__field_make("internal:relative_path", TACO_TEXT)};
    char key[] = "level0";
    size_t i, last = level ? 5 : 4;
    bool ok;
    key[5] = (char)('0' + level);
    ok = taco__buf_append_char(out, '"', err) && taco__buf_append_text(out, key, err) &&
         taco__buf_append_text(out, "\":[", err);
    for (i = 0; ok && i < last + n; i++) {
        const taco_field *f = i < 2 ? &core[i] : i < 2 + n ? &fields[i - 2] : &core[i - n];
        ok = (i == 0 || taco__buf_append_char(out, ',', err)) &&
             taco__document_write_field(f, key, known, out, err);
    }
    return ok && taco__buf_append_char(out, ']', err);
}

/* Appends a number with the shortest digits that are read as it. */
TACO__FN bool taco__document_write_double(taco__buf *out, double x, taco_error *err)
{
    char text[40];
    size_t n = taco__num_format_f64(text, x);
    return taco__buf_append(out, text, n, err);
}

TACO__FN bool taco__document_write_int(taco__buf *out, int64_t x, taco_error *err)
{
    char digits[24];
    return taco__buf_append(out, digits, taco__num_format_i64(digits, x), err);
}

/* ---- the document ---- */

/* Appends the members of an object that are not among the n keys of skip, a ',' before each but
   the first. Of equal keys the last counts. */
TACO__FN bool taco__document_copy_members(const taco__json *root, const char *const *skip, size_t n,
                                          bool *first, taco__buf *out, taco_error *err)
{
    const taco__json *key;
    uint32_t i;
    bool ok = true;
    for (i = 0, key = taco__json_first(root); ok && i < root->count;
         i++, key = taco__json_next(key + 1)) {
        size_t k;
        for (k = 0; k < n && !taco__json_equals(key, skip[k]); k++) {}
        if (k == n && taco__json_get_bytes(root, taco__json_bytes(key)) ==
                          key + 1) { /* the last of equal keys */
            ok = (*first || taco__buf_append_char(out, ',', err)) &&
                 taco__json_print_text(out, taco__json_bytes(key), err) &&
                 taco__buf_append_char(out, ':', err) && taco__json_print(out, key + 1, 0, err);
            *first = false;
        }
    }
    return ok;
}

/* Appends "key": and, unless it is the first, a ',' before it. */
TACO__FN bool taco__document_write_key(taco__buf *out, bool *first, const char *key,
                                       taco_error *err)
{
    bool ok = (*first || taco__buf_append_char(out, ',', err)) &&
              taco__json_print_text(out, taco__bytes_text(key), err) &&
              taco__buf_append_char(out, ':', err);
    *first = false;
    return ok;
}

/* Appends the whole document: the user's fields (root) in the order of §5.6; extent, which is
   computed unless root has one and keep_extent; other members; taco:pit_schema;
   taco:field_schema, a text. */
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
    taco__arena arena;
    taco__json_doc doc;
    const taco__json *extent = taco__json_get(root, "extent");
    size_t i;
    bool ok, first = true;
    memset(&flat, 0, sizeof flat);
    flat.mem = arena.mem = out->mem;
    arena.head = NULL;
    ok = taco__buf_append_char(&flat, '{', err);
    for (i = 0; ok && i < 10; i++) {
        const taco__json *n = taco__json_get(root, keys[i]);
        ok = taco__document_write_key(&flat, &first, keys[i], err);
        if (i == 6 && taco__rules_is_null(n)) {
            ok = ok && taco__buf_append_text(&flat, "\"2.0.0\"", err);
        } else {
            ok = ok && taco__json_print(&flat, n, 0, err);
        }
    }
    keep_extent = keep_extent && !taco__rules_is_null(extent);
    if (ok && (keep_extent || taco__extent_is_told(span, extent))) {
        ok = taco__document_write_key(&flat, &first, "extent", err) &&
             (keep_extent ? taco__json_print(&flat, extent, 0, err)
                          : taco__extent_write(span, extent, &flat, err));
    }
    ok =
        ok && taco__document_copy_members(root, keys, TACO__COUNT(keys), &first, &flat, err) &&
        taco__document_write_key(&flat, &first, keys[11], err) &&
        taco__pit_schema_write(t, &flat, err) &&
        taco__document_write_key(&flat, &first, keys[12], err) &&
        taco__buf_append(&flat, field_schema.data, field_schema.len, err) &&
        taco__buf_append_char(&flat, '}', err) &&
        taco__json_parse(&arena, taco__bytes_of(flat.data, flat.len), NULL, &doc, err) == TACO_OK &&
        taco__json_print(out, doc.root, 4, err) && taco__buf_append_char(out, '\n', err);
    taco__arena_free(&arena);
    taco__buf_free(&flat);
    return ok;
}
