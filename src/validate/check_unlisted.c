/* check_unlisted.c - files in the directories of a FOLDER dataset that no row lists

   In: a FOLDER dataset whose levels are in memory, on a file system that lists directories; out:
   a warning for each file or directory that neither the format (COLLECTION.json,
   METADATA/levelN.parquet, __meta__) nor a row knows, in the order of their names, and an error
   for a level after a gap. TACO 2.0 §6.2. Without such a file system (a caller's open_file)
   nothing is found.

   The paths of all rows are a set of hashes (taco__check_unlisted_list_rows); the walk
   (taco__check_unlisted_entry calls itself through taco__plat_list_dir) looks every entry up by
   its path below the dataset. Names are gathered first and sorted: file systems list in any
   order. */
#include "validate.h"
#include "../base/base.h"
#include "../dataset/dataset.h"

/* ---- files that no level lists ---- */

/* State of the walk. */
typedef struct taco__check_unlisted_dirs {
    taco__check_dataset *c;
    taco__hash_map listed; /* a set: hashes of the paths of all rows */
    taco__buf path;        /* path of the directory, with a '/' at its end; then of its entry */
    size_t root;           /* length of the dataset's path at its beginning */
    uint32_t depth;        /* 0: the dataset, 1: DATA or METADATA, ... */
    const char **strays;
    size_t count, cap;
    taco_error *err;
} taco__check_unlisted_dirs;

/* True if the path is the table of level i; for a level that did not open, only the prefix is
   compared. */
static bool taco__check_unlisted_is_table(const taco__check_tree_state *t, uint32_t i,
                                          taco_bytes path)
{
    static const char begin[] = "METADATA/level";
    if (t->levels[i].l) { return taco__bytes_equal(taco__bytes_text(t->levels[i].l->name), path); }
    return path.len > sizeof begin && taco__bytes_starts_with(path, begin) &&
           path.data[sizeof begin - 1] == '0' + i && path.data[sizeof begin] == '.';
}

/* True if the path belongs to the format or to a row; depth says which rule applies. */
static bool taco__check_unlisted_is_expected(taco__check_unlisted_dirs *w, taco_bytes path)
{
    taco__check_tree_state *t = &w->c->tree;
    uint32_t i;
    if (w->depth == 0) {
        return taco__bytes_equal(path, taco__bytes_text("COLLECTION.json")) ||
               taco__bytes_equal(path, taco__bytes_text("METADATA")) ||
               taco__bytes_equal(path, taco__bytes_text("DATA"));
    }
    if (taco__bytes_starts_with(path, "METADATA/")) {
        for (i = 0; i < t->count && !taco__check_unlisted_is_table(t, i, path); i++) {}
        return i < t->count;
    }
    return taco__hash_map_find_u64(
               &w->listed, taco__findings_hash_path(TACO__FINDINGS_HASH_SEED, path)) != NULL;
}

/* Records a copy of a stray path. */
static bool taco__check_unlisted_add(taco__check_unlisted_dirs *w, taco_bytes path)
{
    if (w->count == w->cap) {
        size_t cap = w->cap ? w->cap * 2 : 16;
        const char **grown = (const char **)taco__mem_resize(
            w->c->mem, (void *)w->strays, w->cap * sizeof *grown, cap * sizeof *grown, w->err);
        if (!grown) { return false; }
        w->strays = grown;
        w->cap = cap;
    }
    w->strays[w->count] = taco__arena_text(&w->c->arena, path, w->err);
    return w->strays[w->count++] != NULL;
}

/* One entry of a directory: recorded if it is unknown, entered if it is a directory. Called for
   every name; false ends the walk. w->path is extended by the name and cut back afterwards. */
static bool taco__check_unlisted_entry(void *ctx, const char *name, taco__path_kind kind)
{
    taco__check_unlisted_dirs *w = (taco__check_unlisted_dirs *)ctx;
    size_t dir = w->path.len;
    uint64_t size;
    taco_bytes path;
    bool ok = taco__buf_append(&w->path, name, strlen(name), w->err);
    path = taco__bytes_of(w->path.data + w->root, w->path.len - w->root);
    if (ok && !(w->depth > 1 && strcmp(name, "__meta__") == 0) &&
        !taco__check_unlisted_is_expected(w, path)) {
        ok = taco__check_unlisted_add(w, path);
    } else if (ok && w->depth <= TACO__MAX_LEVELS) {
        ok = taco__buf_append_char(&w->path, 0, w->err);
        if (ok && (kind == TACO__PATH_DIRECTORY ||
                   (kind == TACO__PATH_MISSING &&
                    taco__plat_stat((const char *)w->path.data, &size) == TACO__PATH_DIRECTORY))) {
            w->path.data[w->path.len - 1] = '/';
            ok = taco__buf_append_char(&w->path, 0, w->err);
            w->path.len -= ok;
            w->depth++;
            ok = ok &&
                 (taco__plat_list_dir((const char *)w->path.data, taco__check_unlisted_entry, w) ||
                  w->err->code == TACO_OK); /* an unreadable directory is not one of ours */
            w->depth--;
        }
    }
    w->path.len = dir;
    return ok;
}

/* Order by name. */
static int taco__check_unlisted_compare(const void *ctx, const void *a, const void *b)
{
    (void)ctx;
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Fills the set of known paths; `rows` is the number of rows in all levels. */
static bool taco__check_unlisted_list_rows(taco__check_unlisted_dirs *w, size_t rows)
{
    const taco__check_tree_state *t = &w->c->tree;
    uint32_t level;
    size_t i;
    bool added;
    if (!taco__hash_map_reset(&w->listed, rows, w->err)) { return false; }
    for (level = 0; level < t->count; level++) {
        for (i = 0; i < t->levels[level].rows; i++) {
            if (!taco__hash_map_add_u64(&w->listed, t->levels[level].path[i], &added, w->err)) {
                return false;
            }
        }
    }
    return true;
}

/* Fills the set of known paths, walks the directories, sorts the stray paths. */
static bool taco__check_unlisted_walk(taco__check_unlisted_dirs *w)
{
    taco__check_dataset *c = w->c;
    taco__check_tree_state *t = &c->tree;
    size_t rows = 0;
    uint32_t level;
    for (level = 0; level < t->count; level++) {
        if (!t->levels[level].path) {
            return true; /* a level is not readable, which has been reported */
        }
        rows += t->levels[level].rows;
    }
    if (!taco__check_unlisted_list_rows(w, rows) ||
        !taco__buf_append_text(&w->path, c->store.dir, w->err)) {
        return false;
    }
    w->root = w->path.len;
    if (!taco__buf_append_char(&w->path, 0, w->err)) { return false; }
    w->path.len--;
    (void)taco__plat_list_dir(w->root ? (const char *)w->path.data : ".",
                              taco__check_unlisted_entry, w);
    return w->err->code == TACO_OK &&
           taco__sort_in(w->c->mem, (void *)w->strays, w->count, sizeof *w->strays,
                         taco__check_unlisted_compare, NULL, w->err);
}

/* The table of a level that no reader opens, because a level before it is missing (§5.1). */
static bool taco__check_unlisted_is_level(taco_bytes path)
{
    static const char start[] = "METADATA/level";
    size_t at = sizeof start - 1;
    taco_bytes end;
    if (!taco__bytes_starts_with(path, start)) { return false; }
    while (at < path.len && path.data[at] >= '0' && path.data[at] <= '9') {
        at++;
    }
    end = taco__bytes_of(path.data + at, path.len - at);
    return at >= sizeof start && (taco__bytes_equal(end, taco__bytes_text(".parquet")) ||
                                  taco__bytes_equal(end, taco__bytes_text(".avro")));
}

/* Reports every stray file: a warning, but an error for tables of levels, whose samples are lost.
   False if the check itself failed. */
TACO__FN bool taco__check_unlisted_run(taco__check_dataset *c, taco_error *err)
{
    taco__check_unlisted_dirs w;
    size_t i;
    bool ok;
    memset(&w, 0, sizeof w);
    w.c = c;
    w.err = err;
    w.path.mem = w.listed.mem = c->mem;
    ok = taco__check_unlisted_walk(&w);
    for (i = 0; ok && i < w.count && !c->f->stop; i++) {
        taco_bytes name = taco__bytes_text(w.strays[i]);
        taco__findings_set_place(c->f, "%q", &name);
        if (taco__check_unlisted_is_level(name)) {
            TACO__FINDINGS_ERROR(c->f, "a level beyond a gap: no reader gets to its rows, as the "
                                       "level before it is missing");
        } else {
            TACO__FINDINGS_WARN(c->f, "no level lists this file");
        }
    }
    taco__findings_end_table(c->f, "directories");
    taco__buf_free(&w.path);
    taco__hash_map_free(&w.listed);
    taco__mem_free(c->mem, (void *)w.strays, w.cap * sizeof *w.strays);
    return ok;
}

/* ---- formats ---- */

/* A directory of a format's dataset. */
typedef struct taco__check_unlisted_tree {
    taco__findings *f;
    taco__container *s;
    const char *path; /* below the dataset, with a '/' at the end */
    const taco__hash_map *listed;
    unsigned depth;
    taco_error *err;
    bool ok;
} taco__check_unlisted_tree;

/* taco__plat_list_fn */
static bool taco__check_unlisted_file(void *ctx, const char *name, taco__path_kind kind)
{
    taco__check_unlisted_tree *w = (taco__check_unlisted_tree *)ctx, below = *w;
    const char *path = taco__container_join_path(w->s, w->path, name, w->err),
               *full = path ? taco__container_join_path(w->s, w->s->dir, path, w->err) : NULL;
    taco_bytes text = taco__bytes_text(path);
    uint64_t size;
    (void)kind;
    w->ok = full != NULL;
    if (!full || w->f->stop) { return false; }
    if (taco__plat_stat(full, &size) == TACO__PATH_DIRECTORY) {
        below.path = taco__container_join_path(w->s, path, "/", w->err);
        below.depth++;
        w->ok = below.path != NULL;
        if (w->ok && below.depth < 256) {
            taco__plat_list_dir(full, taco__check_unlisted_file, &below);
        }
        w->ok = w->ok && below.ok;
    } else if (!taco__hash_map_find(w->listed, text)) {
        taco__findings_set_place(w->f, "%q", &text);
        TACO__FINDINGS_ERROR(w->f, "no level lists this file");
    }
    return w->ok;
}

/* Reports every file below a directory of a dataset, a path with a '/' at the end, that is not in a
   set of paths. Only on a file system that lists directories. */
TACO__FN bool taco__check_unlisted_below(taco__findings *f, taco__container *s, const char *path,
                                         const taco__hash_map *listed, taco_error *err)
{
    taco__check_unlisted_tree w;
    const char *full = taco__container_join_path(s, s->dir, path, err);
    w.f = f;
    w.s = s;
    w.path = path;
    w.listed = listed;
    w.depth = 0;
    w.err = err;
    w.ok = full != NULL;
    if (full && !s->options->open_file) {
        taco__plat_list_dir(full, taco__check_unlisted_file, &w);
    }
    return w.ok;
}
