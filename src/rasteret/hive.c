/* hive.c - partitioned directories of Parquet files as one table. */
#include "rasteret.h"
#include "../base/base.h"
#include "../dataset/dataset.h"

#define TACO__HIVE_MAX_DEPTH 32
#define TACO__HIVE_MAX_FILES 100000

/* a directory that is being listed */
typedef struct taco__hive_dir {
    taco__arena *arena;
    const char **names;
    size_t count, cap;
    taco_error *err;
} taco__hive_dir;

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

/* Names that begin with '.' or '_' are not data, as Arrow has it. */
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

static int taco__hive_hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* %41 becomes A; what is no escape stays. */
static void taco__hive_unescape(char *s)
{
    char *to = s;
    for (; *s; s++) {
        int hi = *s == '%' ? taco__hive_hex_digit(s[1]) : -1,
            lo = hi < 0 ? -1 : taco__hive_hex_digit(s[2]);
        bool plain = lo < 0 || (hi | lo) == 0;
        *to = *s;
        if (!plain) { *to = (char)(unsigned char)(hi << 4 | lo); }
        to++;
        s += plain ? 0 : 2;
    }
    *to = 0;
}

/* The keys of a directory below one with `count` keys. */
static bool taco__hive_parse_key(taco__hive *h, const char *name, const taco__hive_key **keys,
                                 size_t *count)
{
    const char *eq = strchr(name, '=');
    taco__hive_key *more;
    char *text;
    if (!eq || eq == name) { return true; }
    more = (taco__hive_key *)taco__arena_array(h->arena, *count + 1, sizeof *more, h->err);
    text = taco__arena_text(h->arena, taco__bytes_text(name), h->err);
    if (!more || !text) { return false; }
    if (*count) { memcpy(more, *keys, *count * sizeof *more); }
    text[eq - name] = 0;
    more[*count].name = text;
    text += eq - name + 1;
    taco__hive_unescape(text);
    more[*count].value = strcmp(text, TACO__HIVE_NULL_NAME) == 0 ? NULL : text;
    text = (char *)taco__arena_text(h->arena, taco__bytes_text(more[*count].name), h->err);
    if (!text) { return false; }
    taco__hive_unescape(text);
    more[(*count)++].name = text;
    *keys = more;
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

static bool taco__hive_enter(taco__hive *h, const char *dir, const char *name,
                             const taco__hive_key *keys, size_t count, unsigned depth)
{
    size_t n = strlen(dir), m = strlen(name);
    char *path = (char *)taco__arena_alloc(h->arena, n + m + 2, h->err);
    uint64_t size;
    if (!path) { return false; }
    memcpy(path, dir, n);
    path[n] = '/';
    n += n && dir[n - 1] == '/' ? 0 : 1;
    memcpy(path + n, name, m);
    switch (taco__plat_stat(path, &size)) {
    case TACO__PATH_DIRECTORY:
        return depth < TACO__HIVE_MAX_DEPTH ? taco__hive_parse_key(h, name, &keys, &count) &&
                                                  taco__hive_walk(h, path, keys, count, depth + 1)
                                            : true;
    case TACO__PATH_FILE:
        return taco__container_ends_with(path, ".parquet") || taco__container_ends_with(path, ".pq")
                   ? taco__hive_add_part(h, path, keys, count)
                   : true;
    default: return true;
    }
}

/* Files below a directory, in the order of their names' bytes. */
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
    if (d.count) {
        qsort((void *)d.names, d.count, sizeof *d.names, taco__container_compare_names);
    }
    for (i = 0; i < d.count && !(h->any && h->count); i++) {
        if (!taco__hive_enter(h, dir, d.names[i], keys, count, depth)) { return false; }
    }
    return true;
}

static int taco__hive_compare_parts(const void *a, const void *b)
{
    return strcmp(((const taco__hive_part *)a)->path, ((const taco__hive_part *)b)->path);
}

/* The files of what stands at path. */
TACO__FN bool taco__hive_find_parts(taco__hive *h, const char *path)
{
    uint64_t size;
    if (taco__plat_stat(path, &size) != TACO__PATH_DIRECTORY) {
        return taco__hive_add_part(h, path, NULL, 0);
    }
    if (!taco__hive_walk(h, path, NULL, 0, 0)) { return false; }
    if (h->count > 1) { qsort(h->parts, h->count, sizeof *h->parts, taco__hive_compare_parts); }
    return true;
}

TACO__FN bool taco__hive_file_open(taco__hive_file *f, taco_error *err)
{
    taco__hive_file **slot = f->pool->open;
    size_t i;
    f->used = ++f->pool->clock;
    if (f->open) { return true; }
    for (i = 0; i < TACO__HIVE_MAX_OPEN && *slot; i++) {
        if (!f->pool->open[i] || f->pool->open[i]->used < (*slot)->used) {
            slot = &f->pool->open[i];
        }
    }
    if (*slot) {
        (*slot)->src.close((*slot)->src.ctx);
        (*slot)->open = false;
        *slot = NULL;
    }
    if (!taco__source_open_path(f->options, f->path, &f->src, err)) { return false; }
    f->open = true;
    *slot = f->src.close ? f : NULL;
    return true;
}

TACO__FN bool taco__hive_file_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    taco__hive_file *f = (taco__hive_file *)ctx;
    return taco__hive_file_open(f, NULL) && taco__checked_range(offset, len, f->src.size) &&
           f->src.read(f->src.ctx, offset, dst, len);
}

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
