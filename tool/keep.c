/* keep.c - whether a directory may be replaced: only if it is empty, or a dataset and nothing else.
   A FOLDER has COLLECTION.json, METADATA/levelN, and below DATA what its levels list (the id at
   level 0, internal:relative_path below, as readers resolve them) and __meta__; a catalogue has
   COLLECTION.json and levelN; a Rasteret collection k=v directories and part-N.parquet. Whatever
   does not open as one of these is kept, and so is any other name in it.

   The paths of all rows are a sorted list of hashes: 8 bytes for each, and the directories are
   listed once, which is less work than removing them. Start reading at reason_to_keep. */
#include "tool.h"

#include <stdlib.h>
#include <string.h>

/* Directories in directories: more than a dataset has. */
enum { MOST_DEPTH = 64 };

/* A directory being compared with what a dataset has. */
typedef struct comparison {
    taco_kind kind;
    uint32_t levels;
    /* of the paths below DATA, sorted */
    uint64_t *listed;
    size_t count;
    /* the path of the entry, and the length of its beginning that is the directory's */
    char *path;
    size_t root;
    unsigned depth;
    /* path of the first stranger below the directory, or NULL */
    char *stranger;
} comparison;

/* FNV-1a */
static uint64_t hash_path(const void *path, size_t n)
{
    const uint8_t *p = (const uint8_t *)path;
    uint64_t h = UINT64_C(0xCBF29CE484222325);
    size_t i;
    for (i = 0; i < n; i++) {
        h = (h ^ p[i]) * UINT64_C(0x100000001B3);
    }
    return h;
}

static int compare_hashes(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* ---- what the rows of a FOLDER list ---- */

/* Adds the paths of a level; false with err set. */
static bool list_level(comparison *c, taco_dataset *ds, uint32_t level, taco_error *err)
{
    taco_query q;
    taco_cursor *rows;
    taco_batch batch;
    size_t i;
    memset(&q, 0, sizeof q);
    q.table = level;
    q.select = level ? "\"internal:relative_path\"" : "id";
    q.padding = true;
    rows = taco_select(ds, &q, err);
    while (rows && taco_cursor_batch(rows, &batch)) {
        for (i = 0; i < batch.length; i++) {
            taco_bytes path = taco_array_bytes(&batch.columns[0], i);
            /* FOLDERs may have one at the end */
            path.len -= path.len && path.data[path.len - 1] == '/';
            c->listed = (uint64_t *)grow_list(c->listed, c->count, sizeof *c->listed);
            c->listed[c->count++] = hash_path(path.data, path.len);
        }
    }
    return taco_cursor_close(rows, err) == TACO_OK;
}

/* Adds the paths of all levels, sorted. */
static bool list_rows(comparison *c, taco_dataset *ds, taco_error *err)
{
    uint32_t level;
    for (level = 0; level < c->levels; level++) {
        if (!list_level(c, ds, level, err)) { return false; }
    }
    if (c->count) { qsort(c->listed, c->count, sizeof *c->listed, compare_hashes); }
    return true;
}

/* ---- names ---- */

/* levelN.parquet or levelN.avro, of a level that the dataset has */
static bool is_level_table(const comparison *c, const char *name)
{
    return strncmp(name, "level", 5) == 0 && name[5] >= '0' && name[5] <= '9' &&
           (uint32_t)(name[5] - '0') < c->levels &&
           (strcmp(name + 6, ".parquet") == 0 || strcmp(name + 6, ".avro") == 0);
}

/* `path` is below the directory, `name` its last name. */
static bool is_of_folder(const comparison *c, const char *path, const char *name)
{
    uint64_t h;
    if (c->depth == 0) {
        return strcmp(name, "COLLECTION.json") == 0 || strcmp(name, "DATA") == 0 ||
               strcmp(name, "METADATA") == 0;
    }
    if (strncmp(path, "METADATA/", 9) == 0) { return c->depth == 1 && is_level_table(c, name); }
    if (c->depth > 1 && strcmp(name, "__meta__") == 0) { return true; }
    h = hash_path(path + 5, strlen(path + 5));
    return c->count && bsearch(&h, c->listed, c->count, sizeof h, compare_hashes) != NULL;
}

/* k=v is a directory, part-N.parquet a file. */
static bool is_of_rasteret(const char *name, bool directory)
{
    const char *value = strchr(name, '=');
    size_t digits = strncmp(name, "part-", 5) == 0 ? strspn(name + 5, "0123456789") : 0;
    return directory ? value && value > name : digits && strcmp(name + 5 + digits, ".parquet") == 0;
}

static bool is_expected(const comparison *c, const char *path, const char *name, bool directory)
{
    switch (c->kind) {
    case TACO_KIND_FOLDER: return is_of_folder(c, path, name);
    case TACO_KIND_TACOCAT:
        return !directory && (strcmp(name, "COLLECTION.json") == 0 || is_level_table(c, name));
    case TACO_KIND_OTHER: return is_of_rasteret(name, directory);
    default: return false;
    }
}

/* visit_directory's function for an entry: false at the first stranger. Directories of what is no
   dataset are entered, too, as a file in them says more. */
static bool compare_entry(void *ctx, const char *name)
{
    comparison *c = (comparison *)ctx;
    char *dir = c->path;
    bool directory, expected;
    c->path = (char *)malloc(strlen(dir) + strlen(name) + 2);
    if (!c->path) {
        c->path = dir;
        c->stranger = copy_text(name);
        return false;
    }
    sprintf(c->path, "%s/%s", dir, name);
    directory = kind_of_path(c->path) == PATH_DIRECTORY;
    expected = is_expected(c, c->path + c->root, name, directory);
    if (directory && (expected || c->kind == 0) && c->depth < MOST_DEPTH) {
        c->depth++;
        visit_directory(c->path, compare_entry, c);
        c->depth--;
    }
    if (!c->stranger && (!expected || c->depth == MOST_DEPTH)) {
        c->stranger = copy_text(c->path + c->root);
    }
    free(c->path);
    c->path = dir;
    return c->stranger == NULL;
}

/* ---- the answer ---- */

/* Opens what is in the directory; 0, with err set, if it is no dataset that a command makes. */
static taco_kind open_old(comparison *c, const char *path, bool rasteret, taco_error *err)
{
    const taco_opener *openers[2];
    taco_options opt;
    taco_dataset *ds;
    memset(&opt, 0, sizeof opt);
    openers[0] = rasteret ? taco_rasteret_opener() : NULL;
    openers[1] = NULL;
    opt.openers = openers;
    ds = taco_open(path, &opt, err);
    c->kind = taco_dataset_kind(ds);
    c->levels = taco_levels(ds);
    if (c->kind == TACO_KIND_FOLDER && !list_rows(c, ds, err)) { c->kind = (taco_kind)0; }
    taco_close(ds);
    return c->kind;
}

const char *reason_to_keep(const char *path, bool rasteret)
{
    comparison c;
    taco_error err = {0};
    char *collection = (char *)grow_list(NULL, 0, strlen(path) + 18), *why = NULL;
    memset(&c, 0, sizeof c);
    c.path = copy_text(path);
    c.root = strlen(path) + 1;
    sprintf(collection, "%s/COLLECTION.json", path);
    if (open_old(&c, path, rasteret, &err) == 0 && kind_of_path(collection) == PATH_FILE) {
        why = (char *)grow_list(NULL, 0, strlen(err.text) + 64);
        sprintf(why, "it does not open as a dataset: %s", taco_error_text(&err));
    } else {
        visit_directory(path, compare_entry, &c);
        if (c.stranger) {
            why = (char *)grow_list(NULL, 0, strlen(c.stranger) + 64);
            sprintf(why, "'%s' in it is of no dataset", c.stranger);
        }
    }
    return why;
}

/* ---- catalogues ---- */

static bool is_digits(const char *text, size_t n)
{
    size_t i;
    for (i = 0; i < n && text[i] >= '0' && text[i] <= '9'; i++) {}
    return i == n;
}

/* Whether create makes an archive of that name, which need not be NUL-terminated. */
static bool is_own_archive(taco_bytes name, const char *target, bool groups)
{
    const char *dot = strrchr(target, '.'), *text = (const char *)name.data;
    size_t stem = dot && dot > target ? (size_t)(dot - target) : strlen(target), rest, end;
    end = strlen(target + stem);
    if (name.len < stem + end || memcmp(text, target, stem) != 0 ||
        memcmp(text + name.len - end, target + stem, end) != 0) {
        return false;
    }
    rest = name.len - stem - end;
    text += stem;
    return rest == 0 || (rest > 1 && text[0] == '_' &&
                         (groups || (rest > 5 && memcmp(text, "_part", 5) == 0 &&
                                     is_digits(text + 5, rest - 5))));
}

const char *other_archive(const char *catalogue, const char *target, bool groups)
{
    taco_error err = {0};
    taco_dataset *ds = taco_open(catalogue, NULL, &err);
    taco_query q;
    taco_cursor *rows;
    taco_batch batch;
    char *other = NULL;
    size_t i;
    memset(&q, 0, sizeof q);
    q.select = "\"internal:source_file\"";
    q.padding = true;
    rows = ds ? taco_select(ds, &q, &err) : NULL;
    while (rows && !other && taco_cursor_batch(rows, &batch)) {
        for (i = 0; !other && i < batch.length; i++) {
            taco_bytes name = taco_array_bytes(&batch.columns[0], i);
            if (!name.data || !is_own_archive(name, target, groups)) {
                other = (char *)grow_list(NULL, 0, name.len + 1);
                if (name.data) { memcpy(other, name.data, name.len); }
                other[name.len] = 0;
            }
        }
    }
    taco_cursor_close(rows, &err);
    taco_close(ds);
    return other ? other : err.code ? copy_text(taco_error_text(&err)) : NULL;
}
