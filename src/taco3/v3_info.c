/* v3_info.c - the description of a TACO 3 as JSON, and which columns belong to a declared file

   In: an open dataset. Out: the text of taco_info_json, whose levels have names; and lists of
   columns for taco_query.select. */
#include "v3.h"

/* ---- JSON ---- */

/* One level over all containers. */
static void taco__v3_info_level(taco_dataset *ds, size_t level, taco__json_writer *w)
{
    const char *name = taco__v3_store_of(&ds->stores[0])->contract.levels[level].name;
    taco_dataset *own = taco__v3_level_open(ds, taco__bytes_text(name), w->err);
    w->ok = w->ok && own;
    if (own) { taco__dataset_write_level(own, 0, name, w); }
}

/* taco_opener.describe. */
TACO__FN bool taco__v3_info_write(taco_dataset *ds, taco__buf *out, taco_error *err)
{
    static const char *const kinds[] = {"", "zip", "folder", "tacocat"};
    static const char *const same[] = {"id",     "description", "tasks",
                                       "extent", "providers",   "licenses",
                                       "title",  "curators",    "keywords"};
    const taco__json *root = ds->stores[0].coll.doc.root;
    int64_t rows = taco_level_rows(ds, 0, err);
    taco__json_writer w;
    size_t i;
    if (rows < 0) { return false; }
    w = taco__json_writer_init(out, err);
    taco__json_write_begin(&w, NULL, '{');
    for (i = 0; i < TACO__COUNT(same); i++) {
        taco__json_print_value(&w, same[i], taco__json_get(root, same[i]));
    }
    taco__json_print_value(&w, "version", taco__json_get(root, "dataset_version"));
    taco__json_print_value(&w, "taco_version", taco__json_get(root, "taco:version"));
    taco__json_print_value(&w, "structure", taco__json_get(root, "taco:structure"));
    taco__json_print_value(&w, "collection", root);
    taco__json_write_text(&w, "kind", kinds[ds->stores[0].kind]);
    taco__json_write_u64(&w, "n", (uint64_t)rows);
    taco__json_write_begin(&w, "levels", '[');
    for (i = 0; w.ok && i < taco__v3_store_of(&ds->stores[0])->contract.level_count; i++) {
        taco__v3_info_level(ds, i, &w);
    }
    taco__json_write_end(&w, ']');
    taco__json_write_end(&w, '}');
    return w.ok;
}

/* ---- columns of files ---- */

/* Whether a column "PATH::what" belongs to one of the declared files. */
static bool taco__v3_info_is_of(const taco__v3_contract *c, const char *column,
                                const char *const *files, size_t n, const char *only)
{
    const char *what = strstr(column, "::");
    size_t i, k;
    if (!what || (only && strcmp(what + 2, only) != 0)) { return false; }
    for (i = 0; i < c->file_count; i++) {
        if (strlen(c->files[i].made) != (size_t)(what - column) ||
            memcmp(c->files[i].made, column, (size_t)(what - column)) != 0) {
            continue;
        }
        for (k = 0; k < n && strcmp(files[k], c->files[i].path) != 0 &&
                    strcmp(files[k], c->files[i].made) != 0;
             k++) {}
        if (k < n || !n) { return true; }
    }
    return false;
}

/* Fails if a name is no declared file: a misspelt one must not leave out columns without a word,
   nor may a path that only some samples have. Names of several files are allowed, in any order,
   and the same one more than once. */
static bool taco__v3_info_check_files(const taco_dataset *ds, const char *const *files, size_t n,
                                      taco_error *err)
{
    const taco__v3_contract *c = &taco__v3_store_of(&ds->stores[0])->contract;
    size_t i, k;
    for (k = 0; k < n; k++) {
        taco_bytes name = taco__bytes_text(files[k]);
        for (i = 0; i < c->file_count && strcmp(files[k], c->files[i].path) != 0 &&
                    strcmp(files[k], c->files[i].made) != 0;
             i++) {}
        if (i == c->file_count) {
            TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "%s: taco:structure has no file %q",
                       ds->stores[0].name, &name);
            return false;
        }
    }
    return true;
}

TACO_API const char *taco_v3_columns(taco_dataset *ds, const char *const *files, size_t n,
                                     bool places_only, taco_error *err)
{
    const taco_field *f;
    taco__v3_store *x;
    taco__buf *text;
    size_t i, count;
    bool ok = true;
    err = taco__error_fresh(err, NULL);
    if (!ds || ds->stores[0].format != taco__v3_format()) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "not a TACO 3, which declares its files");
        return NULL;
    }
    f = taco_level_fields(ds, 0, &count, err);
    if (!f || !taco__v3_info_check_files(ds, files, n, err)) { return NULL; }
    x = taco__v3_store_of(&ds->stores[0]);
    text = &x->all->text;
    text->len = 0;
    for (i = 0; ok && i < count; i++) {
        bool made = taco__v3_info_is_of(&x->contract, f[i].name, NULL, 0, NULL);
        if (places_only ? !taco__v3_info_is_of(&x->contract, f[i].name, files, n, "location")
                        : made && !taco__v3_info_is_of(&x->contract, f[i].name, files, n, NULL)) {
            continue;
        }
        ok = (!text->len || taco__buf_append_text(text, ", ", err)) &&
             taco__lex_append_quoted(text, taco__bytes_text(f[i].name), '"', err);
    }
    return ok && taco__buf_append_char(text, 0, err) ? (const char *)text->data : NULL;
}
