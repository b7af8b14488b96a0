/* hive.c - partitioned directories of Parquet files, and a pool of open ones

   In: the path of a file or a directory; out: the files, in byte order of their paths, with the
   keys in the names of their directories: a/year=2020/part-0.parquet has year 2020 (Hive's layout,
   as Arrow's dataset writer makes it: values percent-encoded, null as __HIVE_DEFAULT_PARTITION__).
   Names that begin with '.' or '_' are not data.

   A collection may have more files than a process can have open. taco__hive_file is a source that
   opens its file when it is read, and closes the least recently used one of its pool. */
#include "rasteret.h"
#include "../base/base.h"
#include "../dataset/dataset.h"

#define TACO__HIVE_MAX_DEPTH 32     /* most nested directories; stops links to a parent */
#define TACO__HIVE_MAX_FILES 100000 /* most files in a collection, and names in a directory */

/* A directory being listed. */
typedef struct taco__hive_dir {
    taco__arena *arena;
    const char **names;
    size_t count, cap;
    taco_error *err;
} taco__hive_dir;

/* Capacity doubles; old lists stay in the arena, which is freed with the dataset. */
TACO__FN bool taco__hive_reserve(taco__arena *arena, void **list, size_t count, size_t *cap,
                                 size_t size, taco_error *err)
{
    void *more;
    if (count < *cap) { return true; }
    more = taco__arena_array(arena, *cap * 2 + 8, size, err);
    if (more && count) { memcpy(more, *list, count * size); }
    *list = more ? more : *list;
    *cap = more ? *cap * 2 + 8 : *cap;
    return more != NULL;
}

/* Adds a name of the directory, unless it is not data. */
static bool taco__hive_add_name(void *ctx, const char *name, taco__path_kind kind)
{
    taco__hive_dir *d = (taco__hive_dir *)ctx;
    void *list = (void *)d->names;
    (void)kind;
    if (name[0] == '.' || name[0] == '_') { return true; }
    if (d->count >= TACO__HIVE_MAX_FILES) {
        TACO__FAIL(d->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "more than %u names in a directory",
                   TACO__U(TACO__HIVE_MAX_FILES));
        return false;
    }
    if (!taco__hive_reserve(d->arena, &list, d->count, &d->cap, sizeof *d->names, d->err)) {
        return false;
    }
    d->names = (const char **)list;
    d->names[d->count] = taco__arena_text(d->arena, taco__bytes_text(name), d->err);
    return d->names[d->count++] != NULL;
}

/* %41 becomes A; %00 and invalid escapes stay as they are. */
static void taco__hive_unescape(char *s)
{
    char *to = s;
    for (; *s; s++) {
        int hi = *s == '%' ? taco__ascii_hex_value((uint8_t)s[1]) : -1;
        int lo = hi < 0 ? -1 : taco__ascii_hex_value((uint8_t)s[2]);
        bool plain = lo < 0 || (hi | lo) == 0;
        *to = *s;
        if (!plain) { *to = (char)(unsigned char)(hi << 4 | lo); }
        to++;
        s += plain ? 0 : 2;
    }
    *to = 0;
}

/* One name=value, unescaped; eq is the index of its '='. */
static bool taco__hive_split_key(taco__hive *h, const char *text, size_t eq, taco__hive_key *out)
{
    char *name = taco__arena_text(h->arena, taco__bytes_of(text, eq), h->err);
    char *value = taco__arena_text(h->arena, taco__bytes_text(text + eq + 1), h->err);
    if (!name || !value) { return false; }
    taco__hive_unescape(name);
    taco__hive_unescape(value);
    out->name = name;
    out->value = strcmp(value, TACO__HIVE_NULL_NAME) == 0 ? NULL : value;
    return true;
}

/* The keys of a directory below one with *count keys: if its name is a key, a copy with that key
   added. */
static bool taco__hive_parse_key(taco__hive *h, const char *name, const taco__hive_key **keys,
                                 size_t *count)
{
    const char *eq = strchr(name, '=');
    taco__hive_key *more;
    if (!eq || eq == name) { return true; }
    more = (taco__hive_key *)taco__arena_array(h->arena, *count + 1, sizeof *more, h->err);
    if (!more || !taco__hive_split_key(h, name, (size_t)(eq - name), &more[*count])) {
        return false;
    }
    if (*count) { memcpy(more, *keys, *count * sizeof *more); }
    *keys = more;
    ++*count;
    return true;
}

TACO__FN bool taco__hive_add_part(taco__hive *h, const char *path, const taco__hive_key *keys,
                                  size_t count)
{
    void *list = h->parts;
    if (h->count >= TACO__HIVE_MAX_FILES) {
        TACO__FAIL(h->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "more than %u files in a collection",
                   TACO__U(TACO__HIVE_MAX_FILES));
        return false;
    }
    if (!taco__hive_reserve(h->arena, &list, h->count, &h->cap, sizeof *h->parts, h->err)) {
        return false;
    }
    h->parts = (taco__hive_part *)list;
    h->parts[h->count].path = path;
    h->parts[h->count].keys = keys;
    h->parts[h->count++].key_count = count;
    return true;
}

/* dir, a slash unless dir ends with one, and name; NULL if out of memory. */
static const char *taco__hive_join(taco__hive *h, const char *dir, const char *name)
{
    size_t n = strlen(dir), m = strlen(name);
    char *path = (char *)taco__arena_alloc(h->arena, n + m + 2, h->err);
    if (!path) { return NULL; }
    memcpy(path, dir, n);
    if (!n || dir[n - 1] != '/') { path[n++] = '/'; }
    memcpy(path + n, name, m);
    return path;
}

static bool taco__hive_is_parquet(const char *path)
{
    return taco__container_ends_with(path, ".parquet") || taco__container_ends_with(path, ".pq");
}

/* One name in a directory: a file is added, a partition directory is walked. Other directories are
   not part of the collection. */
static bool taco__hive_enter(taco__hive *h, const char *dir, const char *name,
                             const taco__hive_key *keys, size_t count, unsigned depth)
{
    const char *path = taco__hive_join(h, dir, name);
    uint64_t size;
    if (!path) { return false; }
    switch (taco__plat_stat(path, &size)) {
    case TACO__PATH_DIRECTORY:
        if (depth >= TACO__HIVE_MAX_DEPTH || !strchr(name, '=') || name[0] == '=') { return true; }
        return taco__hive_parse_key(h, name, &keys, &count) &&
               taco__hive_walk(h, path, keys, count, depth + 1);
    case TACO__PATH_FILE:
        return !taco__hive_is_parquet(path) || taco__hive_add_part(h, path, keys, count);
    default: return true;
    }
}

/* Lists the directory and enters every name, in the order of their bytes. Links are followed; the
   limit of depth ends cycles. */
TACO__FN bool taco__hive_walk(taco__hive *h, const char *dir, const taco__hive_key *keys,
                              size_t count, unsigned depth)
{
    taco__hive_dir d;
    taco_bytes name = taco__bytes_text(dir);
    size_t i;
    memset(&d, 0, sizeof d);
    d.arena = h->arena;
    d.err = h->err;
    if (!taco__plat_list_dir(dir, taco__hive_add_name, &d)) {
        TACO__FAIL(h->err, TACO_ERR_IO, TACO_NO_OFFSET, "cannot list the directory %q", &name);
        return false;
    }
    if (!taco__sort_in(h->arena->mem, (void *)d.names, d.count, sizeof *d.names,
                       taco__container_compare_names, NULL, h->err)) {
        return false;
    }
    for (i = 0; i < d.count && !(h->any && h->count); i++) {
        if (!taco__hive_enter(h, dir, d.names[i], keys, count, depth)) { return false; }
    }
    return true;
}

static int taco__hive_compare_parts(const void *ctx, const void *a, const void *b)
{
    (void)ctx;
    return strcmp(((const taco__hive_part *)a)->path, ((const taco__hive_part *)b)->path);
}

/* A walk visits a directory "a" before a file "a.parquet" next to it, whose path sorts first; so
   all files are sorted again. */
TACO__FN bool taco__hive_find_parts(taco__hive *h, const char *path)
{
    uint64_t size;
    if (taco__plat_stat(path, &size) != TACO__PATH_DIRECTORY) {
        return taco__hive_add_part(h, path, NULL, 0);
    }
    if (!taco__hive_walk(h, path, NULL, 0, 0)) { return false; }
    return taco__sort_in(h->arena->mem, h->parts, h->count, sizeof *h->parts,
                         taco__hive_compare_parts, NULL, h->err);
}

/* ---- the pool ---- */

/* A free slot, or that of the least recently used file, which is closed. */
static taco__hive_file **taco__hive_file_make_room(taco__hive_pool *pool)
{
    taco__hive_file **slot = pool->open;
    size_t i;
    for (i = 0; i < TACO__HIVE_MAX_OPEN && *slot; i++) {
        if (!pool->open[i] || pool->open[i]->used < (*slot)->used) { slot = &pool->open[i]; }
    }
    if (*slot) {
        (*slot)->src.close((*slot)->src.ctx);
        (*slot)->open = false;
        *slot = NULL;
    }
    return slot;
}

/* A file with nothing to close takes no slot. */
TACO__FN bool taco__hive_file_open(taco__hive_file *f, taco_error *err)
{
    taco__hive_file **slot;
    f->used = ++f->pool->clock;
    if (f->open) { return true; }
    slot = taco__hive_file_make_room(f->pool);
    if (!taco__source_open_path(f->options, f->path, &f->src, err)) { return false; }
    f->open = true;
    *slot = f->src.close ? f : NULL;
    return true;
}

/* taco_source.read: reopens the file if it has been closed meanwhile. The size is checked again,
   since the file may have been replaced. */
TACO__FN bool taco__hive_file_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    taco__hive_file *f = (taco__hive_file *)ctx;
    return taco__hive_file_open(f, NULL) && taco__checked_range(offset, len, f->src.size) &&
           f->src.read(f->src.ctx, offset, dst, len);
}

/* taco_source.close: takes the file out of its pool. */
TACO__FN void taco__hive_file_close(void *ctx)
{
    taco__hive_file *f = (taco__hive_file *)ctx;
    size_t i;
    for (i = 0; i < TACO__HIVE_MAX_OPEN; i++) {
        f->pool->open[i] = f->pool->open[i] == f ? NULL : f->pool->open[i];
    }
    if (f->open && f->src.close) { f->src.close(f->src.ctx); }
    f->open = false;
}
