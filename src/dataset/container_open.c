/* container_open.c - one interface over archives, folders and catalogues: collection, levels as
   tables, files.. Spec: TACO 2.0 §6 */
#include "dataset.h"
#include "../base/base.h"
#include "../parquet/parquet.h"

#define TACO__OPEN_WHOLE_BYTES 1048576 /* metadata up to this is taken in one read */

/* The directory that holds a file or directory, with a '/' at the end; "./" for a bare name. */
static const char *taco__container_open_parent_dir(taco__container *s, const char *path,
                                                   taco_error *err)
{
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/') {
        n--;
    }
    while (n && path[n - 1] != '/') {
        n--;
    }
    return n ? taco__arena_text(s->arena, taco__bytes_of(path, n), err) : "./";
}

/* Opens a file quietly: false when there is none. */
static bool taco__container_open_try_file(taco__container *s, const char *path, taco__file *out)
{
    taco_source src;
    if (!path || !taco__source_open_path(s->options, path, &src, NULL)) { return false; }
    taco__file_init(out, &src, "", s->mem);
    return true;
}

static bool taco__container_open_try_name(taco__container *s, const char *dir, const char *name,
                                          taco__file *out)
{
    const char *path = taco__container_join_path(s, dir, name, NULL);
    return taco__container_open_try_file(s, path, out);
}

/* ---- collection
   --------------------------------------------------------------------------------- */

static bool taco__container_open_read_collection(taco__container *s, taco__file *file,
                                                 taco__range range, const char *name,
                                                 taco_error *err)
{
    taco__buf scratch;
    const uint8_t *text;
    bool ok = false;
    size_t len;
    memset(&scratch, 0, sizeof scratch);
    scratch.mem = s->mem;
    if (range.len > s->options->limits.max_metadata || !taco__checked_to_size(range.len, &len)) {
        TACO__FAIL(err, TACO_ERR_LIMIT, range.offset, "%u bytes, limits.max_metadata is %u",
                   range.len, s->options->limits.max_metadata);
    } else {
        text = taco__file_view(file, range.offset, len, &scratch, err);
        ok = text && taco__collection_parse(s->arena, taco__bytes_of(text, len),
                                            &s->options->limits, &s->coll, err) == TACO_OK;
    }
    taco__buf_free(&scratch);
    if (!ok) { taco__error_prefix(err, "%s", name); }
    return ok;
}

/* ---- archives
   ----------------------------------------------------------------------------------- */

static bool taco__container_open_name_levels(taco__container *s, const char *prefix,
                                             taco_error *err)
{
    static const char *const names[] = {"level0.parquet", "level1.parquet", "level2.parquet",
                                        "level3.parquet", "level4.parquet", "level5.parquet"};
    uint32_t i;
    for (i = 0; i < TACO__MAX_LEVELS; i++) {
        s->levels[i].name = taco__container_join_path(s, prefix, names[i], err);
        s->levels[i].padded = -1;
        if (!s->levels[i].name) { return false; }
    }
    return true;
}

/* Takes over an index: the ranges become levels, and the metadata is read: whole when it is small,
   else COLLECTION.json together with what stands in front of it, the footer of the last level, and
   of a vectored source all footers. */
static bool taco__container_open_read_index(taco__container *s, taco_error *err)
{
    taco__range want[1 + TACO__MAX_LEVELS];
    uint64_t begin = s->index.collection.offset, end = begin + s->index.collection.len;
    uint32_t i, n = 1;
    s->level_count = s->index.levels;
    for (i = 0; i < s->level_count; i++) {
        const taco__range *r = &s->index.level[i];
        s->levels[i].present = r->len != 0;
        s->levels[i].range = *r;
        if (r->len) {
            begin = TACO__MIN(begin, r->offset);
            end = TACO__MAX(end, r->offset + r->len);
        }
    }
    if (end - begin > TACO__OPEN_WHOLE_BYTES) {
        begin = s->index.collection.offset;
        for (i = 0; i < s->level_count;
             i++) { /* the level that ends right in front, past a local file header */
            uint64_t last = s->index.level[i].offset + s->index.level[i].len;
            uint64_t tail = TACO__MIN(s->index.level[i].len, (uint64_t)TACO__PQ_FILE_TAIL);
            if (tail && last <= s->index.collection.offset &&
                s->index.collection.offset - last < 1024) {
                begin = last - tail;
            } else if (tail && s->file.src.read_many) {
                want[n].offset = last - tail;
                want[n++].len = tail;
            }
        }
        end = s->index.collection.offset + s->index.collection.len;
    }
    want[0].offset = begin;
    want[0].len = end - begin;
    return taco__file_fetch(&s->file, want, n, err) &&
           taco__container_open_read_collection(s, &s->file, s->index.collection, "COLLECTION.json",
                                                err);
}

/* The format of the caller's that what stands at path is of; NULL: none. */
static const taco_opener *taco__container_open_detect_format(taco__container *s, const char *path,
                                                             taco_bytes head)
{
    const taco_opener *const *f = s->try_formats ? s->options->openers : NULL;
    for (; f && *f; f++) {
        if ((*f)->detect(s, path, head)) { return *f; }
    }
    return NULL;
}

/* An archive or a __TACOCAT__ file, by its first bytes. s->file is open. */
static bool taco__container_open_open_file(taco__container *s, const char *path, taco_error *err)
{
    taco__range head;
    taco_error why;
    const uint8_t *p;
    uint8_t none = 0;
    size_t n;
    head.offset = 0;
    head.len = TACO__MIN(s->file.src.size, (uint64_t)TACO__OPEN_FIRST_BYTES);
    n = (size_t)head.len;
    if (!taco__file_fetch(&s->file, &head, 1, err)) { return false; }
    p = n ? taco__file_cached(&s->file, 0, n) : &none;
    if (!p) {
        TACO__FAIL(err, TACO_ERR_IO, 0, "reading %u bytes failed", TACO__U(n));
        return false;
    }
    if (taco__index_is_tacocat(taco__bytes_of(p, n))) {
        s->kind = TACO_KIND_TACOCAT;
        if (taco__index_read_tacocat(taco__bytes_of(p, n), s->file.src.size, &s->index, err) !=
                TACO_OK ||
            !taco__container_open_name_levels(s, "", err)) {
            return false;
        }
        s->dir = s->archive_dir = taco__container_open_parent_dir(s, path, err);
        return s->dir && taco__container_set_vsi_root(s, s->dir, true, err) &&
               taco__container_open_read_index(s, err);
    }
    s->format = taco__container_open_detect_format(s, path, taco__bytes_of(p, n));
    if (s->format) { return true; }
    s->kind = TACO_KIND_ZIP;
    memset(&why, 0, sizeof why);
    if (taco__index_read_header(taco__bytes_of(p, n), s->file.src.size, &s->index, &why) !=
        TACO_OK) {
        taco_error second;
        bool worth = s->index.recover;
        memset(&second, 0, sizeof second);
        if (!worth || taco__index_recover(&s->file, s->options->limits.max_metadata, &s->index,
                                          &second) != TACO_OK) {
            if (err && err->code == TACO_OK) { *err = why; }
            return false;
        }
        taco__container_warn(s, &why,
                             "the TACO_HEADER is damaged, the central directory is used instead");
    }
    return taco__container_set_vsi_root(s, path, false, err) &&
           taco__container_open_name_levels(s, "METADATA/", err) &&
           taco__container_open_read_index(s, err);
}

/* ---- directories
   -------------------------------------------------------------------------------- */

/* Levels of a directory are files of their own, which are only opened here: as many as follow each
   other. */
static bool taco__container_open_find_levels(taco__container *s, const char *metadata,
                                             taco_error *err)
{
    uint32_t i;
    if (!taco__container_open_name_levels(s, metadata, err)) { return false; }
    for (i = 0; i < TACO__MAX_LEVELS; i++) {
        taco__level *l = &s->levels[i];
        const char *path = taco__container_join_path(s, s->dir, l->name, err);
        if (!path) { return false; }
        /* the first writers' FOLDERs hold Avro */
        if (!taco__container_open_try_file(s, path, &l->file)) {
            char *name = taco__arena_text(s->arena, taco__bytes_text(l->name), err);
            char *dot = name ? strstr(name, ".parquet") : NULL;
            if (!dot) { return false; }
            memcpy(dot, ".avro\0\0", 8);
            path = taco__container_join_path(s, s->dir, name, err);
            if (!path || !taco__container_open_try_file(s, path, &l->file)) { break; }
            l->name = name;
            l->avro = true;
        }
        l->path = path;
        l->file_open = l->present = true;
        l->range.len = l->file.src.size;
    }
    s->level_count = i;
    if (i == 0) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "%s is missing", s->levels[0].name);
        return false;
    }
    return true;
}

static bool taco__container_open_read_directory(taco__container *s, taco_kind kind, const char *dir,
                                                taco__file *collection, taco_error *err)
{
    taco__range whole;
    bool ok;
    s->kind = kind;
    s->dir = dir;
    whole.offset = 0;
    whole.len = collection->src.size;
    ok = taco__container_open_read_collection(s, collection, whole, "COLLECTION.json", err);
    taco__file_close(collection);
    return ok &&
           taco__container_open_find_levels(s, kind == TACO_KIND_FOLDER ? "METADATA/" : "", err);
}

/* Tries path as a directory. *found tells whether it is one of ours; then the result counts. */
static bool taco__container_open_try_directory(taco__container *s, const char *path, bool *found,
                                               taco_error *err)
{
    const char *dir = taco__container_ends_with(path, "/")
                          ? path
                          : taco__container_join_path(s, path, "/", err),
               *inner, *parent;
    taco__file file, level;
    *found = false;
    if (!dir) { return false; }
    inner = taco__container_ends_with(dir, "/.tacocat/") || strcmp(dir, ".tacocat/") == 0
                ? dir
                : taco__container_join_path(s, dir, ".tacocat/", err);
    if (!inner) { return false; }
    if (taco__container_open_try_name(s, inner, "COLLECTION.json",
                                      &file)) { /* the catalogue wins, as in the reference */
        *found = true;
        parent = inner != dir ? dir : taco__container_open_parent_dir(s, dir, err);
        s->archive_dir = parent;
        if (!parent || !taco__container_set_vsi_root(s, parent, true, err)) {
            taco__file_close(&file);
            return false;
        }
        return taco__container_open_read_directory(s, TACO_KIND_TACOCAT, inner, &file, err);
    }
    if (taco__container_open_try_name(s, inner, "level0.parquet", &level)) {
        *found = true;
        taco__file_close(&level);
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                   "the catalogue's COLLECTION.json is missing");
        return false;
    }
    if (taco__container_open_try_name(s, dir, "COLLECTION.json", &file)) {
        *found = true;
        if (!taco__container_set_vsi_root(s, path, false, err)) {
            taco__file_close(&file);
            return false;
        }
        return taco__container_open_read_directory(s, TACO_KIND_FOLDER, dir, &file, err);
    }
    if (taco__container_open_try_name(s, dir, "METADATA/level0.parquet", &level)) {
        *found = true;
        taco__file_close(&level);
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "COLLECTION.json is missing");
        return false;
    }
    if (taco__container_open_try_name(s, dir, "__TACOCAT__", &s->file)) {
        *found = true;
        s->file_open = true;
        path = taco__container_join_path(s, dir, "__TACOCAT__", err);
        return path && taco__container_open_open_file(s, path, err);
    }
    return false;
}

/* Nothing at `path` opened. A second look at the disk says more, but only where it is the disk that
   was asked. */
static TACO__COLD void taco__container_open_fail_missing(const taco__container *s, const char *path,
                                                         taco_error *err)
{
    uint64_t size;
    taco__path_kind kind =
        s->options->open_file ? TACO__PATH_MISSING : taco__plat_stat(path, &size);
    TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "%s",
               strstr(path, "://") || strncmp(path, "/vsi", 4) == 0
                   ? "not a local file: a program opens others with taco_options.open_file or "
                     "taco_open_source"
               : kind == TACO__PATH_DIRECTORY ? "a directory without COLLECTION.json"
               : kind == TACO__PATH_SPECIAL   ? "a pipe or a device: a dataset is read out of order"
               : kind == TACO__PATH_MISSING
                   ? "no archive of that name, and no directory with COLLECTION.json"
                   : "the file is not readable");
}

static bool taco__container_open_path(taco__container *s, const char *path, taco_error *err)
{
    bool found = false, file_first = taco__container_ends_with(path, ".tacozip") ||
                                     taco__container_ends_with(path, ".zip") ||
                                     taco__container_ends_with(path, "__TACOCAT__");
    taco_source src;
    if (!file_first) {
        bool ok = taco__container_open_try_directory(s, path, &found, err);
        if (found) { return ok; }
    }
    if (!taco__source_open_path(s->options, path, &src, NULL)) {
        if (file_first && taco__container_open_try_directory(s, path, &found, err)) { return true; }
        s->format =
            found ? NULL : taco__container_open_detect_format(s, path, taco__bytes_of(NULL, 0));
        if (s->format) { return true; }
        if (!found) { taco__container_open_fail_missing(s, path, err); }
        return false;
    }
    taco__file_init(&s->file, &src, "", s->mem);
    s->file_open = true;
    return taco__container_open_open_file(s, path, err);
}

/* Opens what stands at path, or, when src is given, the file src under that name; src is taken over
   in any case. mem, arena and options outlive the store. any: what is of one of the caller's
   formats is taken, and nothing but that is found out of it. */
TACO__FN bool taco__container_open_any(taco__container *s, const char *path, const taco_source *src,
                                       taco__mem *mem, taco__arena *arena,
                                       const taco_options *options, bool any, taco_error *err)
{
    bool ok;
    memset(s, 0, sizeof *s);
    s->mem = mem;
    s->arena = arena;
    s->options = options;
    s->try_formats = any;
    if (src) {
        taco__file_init(&s->file, src, "", mem);
        s->file_open = true;
    }
    s->name = taco__arena_text(arena, taco__bytes_text(path), err);
    ok = s->name && (src ? taco__container_open_open_file(s, s->name, err)
                         : taco__container_open_path(s, s->name, err));
    if (!ok) {
        taco__error_prefix(err, "%s", path);
        taco__container_close(s);
    }
    return ok;
}

/* The same for what is TACO 2 alone. */
TACO__FN bool taco__container_open(taco__container *s, const char *path, const taco_source *src,
                                   taco__mem *mem, taco__arena *arena, const taco_options *options,
                                   taco_error *err)
{
    return taco__container_open_any(s, path, src, mem, arena, options, false, err);
}
