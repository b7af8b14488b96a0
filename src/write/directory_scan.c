/* directory_scan.c - entries of a directory in the order of their samples

   In: the path of a directory, in g->path; out: its entries: first those that rows of the tables
   are about, in the order of the rows, then the others by name. Kinds and sizes are requested from
   the file system only if they are needed.

   g->path is one buffer for all paths: a directory is identified by the length of its path in it
   (dir), and names are put after that. The list of a directory is freed when its samples have been
   written, so that memory never holds more than the directories along one path. */
#include "write.h"
#include "../base/base.h"
#include "../base/file_copy.h"
#include "../dataset/dataset.h"

/* ---- the directory ---- */

/* True if c is in the set after a '[', such as "a-z]" or "!0-9]"; *p moves after its ']'. A set
   without an end is not a set. */
static bool taco__dir_scan_in_set(const char **p, char c)
{
    const char *s = *p;
    bool outside = *s == '!' || *s == '^', found = false;
    s += outside;
    do {
        char from = *s, to = from;
        if (!*s) { return false; }
        s++;
        if (s[0] == '-' && s[1] && s[1] != ']') {
            to = s[1];
            s += 2;
        }
        found = found || (c >= from && c <= to);
    } while (*s != ']');
    *p = s + 1;
    return found != outside;
}

/* Matches a name with a shell pattern: *, ? and sets. Only the last * is ever retried, so the time
   is at most the product of both lengths. */
static bool taco__dir_scan_fits(const char *pattern, const char *name)
{
    const char *star = NULL, *at = NULL;
    while (*name) {
        const char *p = pattern + 1;
        bool one = *pattern == '['   ? taco__dir_scan_in_set(&p, *name)
                   : *pattern == '?' ? true
                                     : *pattern == *name && *pattern != '*';
        if (*pattern == '*') {
            star = ++pattern;
            at = name;
        } else if (*pattern && one) {
            pattern = p;
            name++;
        } else if (star) {
            pattern = star;
            name = ++at;
        } else {
            return false;
        }
    }
    while (*pattern == '*') {
        pattern++;
    }
    return !*pattern;
}

/* True if one of n patterns fits. */
static bool taco__dir_scan_fits_any(const char *const *patterns, size_t n, const char *name)
{
    size_t i;
    for (i = 0; i < n && !taco__dir_scan_fits(patterns[i], name); i++) {}
    return i < n;
}

/* True if a file is included. Hidden and excluded names have been removed before. */
static bool taco__dir_scan_is_included(const taco__from_dir *g, const taco__dir_scan_entry *e)
{
    const taco_directory_options *how = g->how;
    return e->folder || !how->include_count ||
           taco__dir_scan_fits_any(how->include, how->include_count, e->name);
}

/* Adds a listed entry, unless it is hidden or excluded; callback of taco__plat_list_dir. e->row is
   temporarily 1 if the kind is unknown. */
static bool taco__dir_scan_add(void *ctx, const char *name, taco__path_kind kind)
{
    taco__dir_scan_list *l = (taco__dir_scan_list *)ctx;
    taco__dir_scan_entry *e;
    const taco_directory_options *how = l->g->how;
    if ((name[0] == '.' && !how->hidden) ||
        taco__dir_scan_fits_any(how->exclude, how->exclude_count, name)) {
        return true;
    }
    if (l->count == l->cap) {
        size_t cap = l->cap ? l->cap * 2 : 16;
        taco__dir_scan_entry *grown = (taco__dir_scan_entry *)taco__mem_resize(
            &l->g->mem, l->entries, l->cap * sizeof *grown, cap * sizeof *grown, l->g->err);
        if (!grown) { return false; }
        l->entries = grown;
        l->cap = cap;
    }
    e = &l->entries[l->count++];
    memset(e, 0, sizeof *e);
    e->near = UINT32_MAX;
    e->name = taco__arena_text(&l->g->arena, taco__bytes_text(name), l->g->err);
    e->folder = kind == TACO__PATH_DIRECTORY;
    e->listed = kind == TACO__PATH_FILE;
    e->row = kind == TACO__PATH_MISSING; /* temporary: the kind is unknown */
    return e->name != NULL;
}

/* Order by row; entries without one come last, by name. */
TACO__FN int taco__dir_scan_compare(const void *ctx, const void *a, const void *b)
{
    const taco__dir_scan_entry *x = (const taco__dir_scan_entry *)a,
                               *y = (const taco__dir_scan_entry *)b;
    (void)ctx;
    return x->row != y->row ? (x->row < y->row ? -1 : 1) : strcmp(x->name, y->name);
}

/* Sorts the entries. Many file systems list a directory in the order of creation, or in reverse:
   both take one pass. */
static bool taco__dir_scan_sort(taco__dir_scan_list *l)
{
    taco__dir_scan_entry *e = l->entries;
    size_t n = l->count, up = 1, down = 1, i;
    while (up < n && taco__dir_scan_compare(NULL, &e[up - 1], &e[up]) < 0) {
        up++;
    }
    while (up == 1 && down < n && taco__dir_scan_compare(NULL, &e[down - 1], &e[down]) > 0) {
        down++;
    }
    if (n > 1 && down == n) {
        for (i = 0; i < n / 2; i++) {
            taco__dir_scan_entry x = e[i];
            e[i] = e[n - 1 - i];
            e[n - 1 - i] = x;
        }
    } else if (up < n) {
        return taco__sort_in(l->g->arena.mem, e, n, sizeof *e, taco__dir_scan_compare, NULL,
                             l->g->err);
    }
    return true;
}

/* Appends a name to the directory of length dir, NUL-terminated. NULL if out of memory. */
TACO__FN const char *taco__dir_scan_path(taco__from_dir *g, size_t dir, const char *name)
{
    g->path.len = dir;
    return taco__buf_append(&g->path, name, strlen(name) + 1, g->err) ? (const char *)g->path.data
                                                                      : NULL;
}

/* Enters a directory: returns the length of its path with '/'; 0 on failure. */
TACO__FN size_t taco__dir_scan_enter(taco__from_dir *g, size_t dir, const char *name)
{
    if (!taco__dir_scan_path(g, dir, name)) { return 0; }
    g->path.data[g->path.len - 1] = '/';
    return g->path.len;
}

/* Frees a list; safe on a freed one. */
TACO__FN void taco__dir_scan_free(taco__dir_scan_list *l)
{
    taco__mem_free(&l->g->mem, l->entries, l->cap * sizeof *l->entries);
    l->entries = NULL;
    l->count = l->cap = 0;
    if (l->open) {
        taco__dir_close(&l->dir);
        l->open = false;
    }
}

/* Reports why the directory in the first dir bytes of g->path, which end in a NUL, cannot be
   listed: the system's reason, or that it is a file or missing. */
static TACO__COLD void taco__dir_scan_fail(taco__from_dir *g, size_t dir)
{
    const char *cause = taco__plat_cause(taco__plat_reason());
    char *path = (char *)g->path.data;
    taco_bytes name = taco__bytes_of(g->path.data, dir);
    uint64_t size;
    taco__path_kind kind = *cause ? TACO__PATH_DIRECTORY : taco__plat_stat(path, &size);
    if (kind == TACO__PATH_MISSING && dir > 1) { /* "file/" is not found if "file" is a file */
        path[--name.len] = 0;
        kind = taco__plat_stat(path, &size);
    }
    TACO__FAIL(g->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "%s: %q%s",
               kind == TACO__PATH_DIRECTORY ? "the directory cannot be read"
               : kind == TACO__PATH_MISSING ? "no such directory"
                                            : "not a directory",
               &name, cause);
}

/* Reads the directory in the first dir bytes of the path (with a '/' at their end), in order. */
TACO__FN bool taco__dir_scan_read(taco__from_dir *g, size_t dir, taco__dir_scan_list *l)
{
    size_t i, kept = 0;
    uint64_t size = 0;
    memset(l, 0, sizeof *l);
    l->g = g;
    g->path.len = dir;
    if (!taco__buf_append_char(&g->path, 0, g->err)) { return false; }
    if (!taco__plat_list_dir((const char *)g->path.data, taco__dir_scan_add, l)) {
        taco__dir_scan_fail(g, dir);
        taco__dir_scan_free(l);
        return false;
    }
    l->open = !g->options.open_file && taco__dir_open(&l->dir, (const char *)g->path.data);
    for (i = 0; i < l->count; i++) {
        taco__dir_scan_entry *e = &l->entries[i];
        const char *path;
        if (!e->row && !taco__dir_scan_is_included(g, e)) { continue; }
        if (!e->row && !g->table_count && !g->sizes) {
            e->row = TACO__SAMPLE_ROWS_NONE;
            l->entries[kept++] = *e;
            continue;
        }
        path = taco__dir_scan_path(g, dir, e->name);
        if (!path) {
            taco__dir_scan_free(l);
            return false;
        }
        if (e->row || (g->sizes && !e->folder)) {
            e->folder = taco__plat_stat(path, &size) == TACO__PATH_DIRECTORY;
            e->size = e->folder ? 0 : size;
            if (!taco__dir_scan_is_included(g, e)) { continue; }
        }
        e->row = taco__sample_rows_find(
            g, taco__bytes_of(g->path.data + g->root, g->path.len - 1 - g->root));
        if (e->row != TACO__SAMPLE_ROWS_NONE &&
            !taco__sample_rows_meet(g, e->row, e->folder, g->err)) {
            taco__dir_scan_free(l);
            return false;
        }
        l->entries[kept++] = *e;
    }
    l->count = kept;
    if (!taco__dir_scan_sort(l)) {
        taco__dir_scan_free(l);
        return false;
    }
    return true;
}

/* Adds the bytes of everything below an entry to e->size. */
TACO__FN bool taco__dir_scan_sum_sizes(taco__from_dir *g, size_t dir, taco__dir_scan_entry *e,
                                       unsigned depth)
{
    taco__dir_scan_list l;
    size_t i, below;
    bool ok = true;
    if (!e->folder || depth >= TACO__MAX_LEVELS) { /* too deep: reported when it is written */
        return true;
    }
    below = taco__dir_scan_enter(g, dir, e->name);
    if (!below || !taco__dir_scan_read(g, below, &l)) { return false; }
    for (i = 0; ok && i < l.count; i++) {
        ok = taco__dir_scan_sum_sizes(g, below, &l.entries[i], depth + 1);
        e->size += l.entries[i].size;
    }
    taco__dir_scan_free(&l);
    return ok;
}

/* NOT_FOUND for a row without an entry. Entries of level 0 have been seen; deeper ones are looked
   up. */
TACO__FN bool taco__dir_scan_check_rows(taco__from_dir *g)
{
    size_t i, row;
    for (i = 0; i < g->table_count; i++) {
        for (row = 0; row < g->tables[i].rows->length; row++) {
            taco_bytes id = taco__sample_rows_id(&g->tables[i], row);
            uint64_t size;
            if (g->tables[i].seen[row]) { continue; }
            g->path.len = g->root;
            if (!taco__buf_append(&g->path, id.data, id.len, g->err) ||
                !taco__buf_append_char(&g->path, 0, g->err)) {
                return false;
            }
            if (taco__plat_stat((const char *)g->path.data, &size) == TACO__PATH_MISSING) {
                TACO__FAIL(g->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                           "%s: row %u: there is no %q in the source", g->how->tables[i],
                           TACO__U(row + 1), &id);
                return false;
            }
        }
    }
    return true;
}
