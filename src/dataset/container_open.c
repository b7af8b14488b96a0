/* container_open.c - finds out what is at a path, and opens it: archive, directory, catalogue,
   format

   In: a path or a source. Out: a taco__container with its collection read and its levels found, but
   not opened. TACO 2.0 §6.

   The content decides what it is. A path that does not look like a file is tried as a directory
   first (taco__container_open_try_directory): a catalogue with a .tacocat/, a FOLDER, a directory
   with a __TACOCAT__. A file is read once (taco__container_open_file): its first bytes say whether
   it is a catalogue, one of the formats of taco_options.openers, or an archive, whose TACO_HEADER
   locates the metadata; a second read fetches that. */
#include "container.h"
#include "gdal_path.h"
#include "../base/base.h"
#include "../parquet/parquet.h"

/* Metadata up to this size is read in one piece. */
#define TACO__OPEN_WHOLE_BYTES 1048576
/* A level that ends at most this many bytes before COLLECTION.json is taken to be right before it,
   with only a local file header between them. */
#define TACO__OPEN_NEXT_TO 1024

/* ---- trying paths ---- */

/* The directory that holds a file or directory, with a '/' at the end; "./" for a bare name. */
static TACO__ONCE const char *taco__container_open_parent_dir(taco__container *s, const char *path,
                                                              taco_error *err)
{
    size_t n = strlen(path);
    while (n > 1 && taco__plat_is_slash(path[n - 1])) {
        n--;
    }
    n = taco__plat_dir_length(path, n);
    return n ? taco__arena_text(s->arena, taco__bytes_of(path, n), err) : "./";
}

/* Opens a source quietly: false if there is none. Keeps the reason if the system refuses one. */
static TACO__ONCE bool taco__container_open_try_source(taco__container *s, const char *path,
                                                       taco_source *src)
{
    taco_error why = {0, TACO_OK, 0, {0}};
    if (taco__source_open_path(s->options, path, src, &why)) { return true; }
    if (why.code == TACO_ERR_IO && !s->refused) {
        s->refused = taco__arena_text(s->arena, taco__bytes_text(why.text), NULL);
    }
    return false;
}

/* The same, as a file. */
static TACO__ONCE bool taco__container_open_try_file(taco__container *s, const char *path,
                                                     taco__file *out)
{
    taco_source src;
    if (!path || !taco__container_open_try_source(s, path, &src)) { return false; }
    taco__file_init(out, &src, "", s->mem);
    return true;
}

static TACO__ONCE bool taco__container_open_try_name(taco__container *s, const char *dir,
                                                     const char *name, taco__file *out,
                                                     taco_error *err)
{
    const char *path = taco__container_join_path(s, dir, name, err);
    return taco__container_open_try_file(s, path, out);
}

/* Whether there is such a file. */
static TACO__ONCE bool taco__container_open_has_name(taco__container *s, const char *dir,
                                                     const char *name, taco_error *err)
{
    taco__file file;
    bool found = taco__container_open_try_name(s, dir, name, &file, err);
    if (found) { taco__file_close(&file); }
    return found;
}

/* ---- shared by all kinds ---- */

static TACO__ONCE bool taco__container_open_read_collection(taco__container *s, taco__file *file,
                                                            taco__range range, taco_error *err)
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
    if (ok) {
        taco__container_warn_version(s);
    } else {
        taco__error_prefix(err, "COLLECTION.json");
    }
    return ok;
}

/* Names all possible levels: prefix is "METADATA/" or "". */
static TACO__ONCE bool taco__container_open_name_levels(taco__container *s, const char *prefix,
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

/* The caller's format that recognizes what is at path; NULL: none. */
static TACO__ONCE const taco_opener *
taco__container_open_detect_format(taco__container *s, const char *path, taco_bytes head)
{
    const taco_opener *const *f = s->try_formats ? s->options->openers : NULL;
    for (; f && *f; f++) {
        if ((*f)->detect(s, path, head)) { return *f; }
    }
    return NULL;
}

/* ---- archives and __TACOCAT__ files ---- */

/* Sets the levels from the index, and returns the range that covers all metadata. */
static TACO__ONCE taco__range taco__container_open_set_levels(taco__container *s)
{
    uint64_t begin = s->index.collection.offset, end = begin + s->index.collection.len;
    taco__range all;
    uint32_t i;
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
    all.offset = begin;
    all.len = end - begin;
    return all;
}

/* For metadata too large for one piece: want[0] becomes COLLECTION.json, together with the footer
   of the level right before it; for a vectored source the footers of the other levels follow.
   Handles with little memory read footers on demand. Returns the number of ranges. */
static TACO__ONCE uint32_t taco__container_open_list_footers(const taco__container *s,
                                                             taco__range *want)
{
    const taco__range *coll = &s->index.collection;
    const bool roomy = taco__mem_ahead(s->file.mem, TACO__PQ_FILE_TAIL) == TACO__PQ_FILE_TAIL;
    uint64_t begin = coll->offset;
    uint32_t i, n = 1;
    for (i = 0; i < s->level_count; i++) {
        uint64_t last = s->index.level[i].offset + s->index.level[i].len;
        uint64_t tail = roomy ? TACO__MIN(s->index.level[i].len, (uint64_t)TACO__PQ_FILE_TAIL) : 0;
        if (tail && last <= coll->offset && coll->offset - last < TACO__OPEN_NEXT_TO) {
            begin = last - tail;
        } else if (tail && s->file.src.read_many) {
            want[n].offset = last - tail;
            want[n++].len = tail;
        }
    }
    want[0].offset = begin;
    want[0].len = coll->offset + coll->len - begin;
    return n;
}

/* Takes over an index: its ranges become levels, and the metadata is read in one round. */
static TACO__ONCE bool taco__container_open_read_index(taco__container *s, taco_error *err)
{
    taco__range want[1 + TACO__MAX_LEVELS];
    uint32_t n = 1;
    want[0] = taco__container_open_set_levels(s);
    if (want[0].len > taco__mem_ahead(s->file.mem, TACO__OPEN_WHOLE_BYTES)) {
        n = taco__container_open_list_footers(s, want);
    }
    return taco__file_fetch(&s->file, want, n, err) &&
           taco__container_open_read_collection(s, &s->file, s->index.collection, err);
}

/* A __TACOCAT__ file: the archives are next to it. */
static TACO__ONCE bool taco__container_open_tacocat(taco__container *s, const char *path,
                                                    taco_bytes head, taco_error *err)
{
    s->kind = TACO_KIND_TACOCAT;
    if (taco__index_read_tacocat(head, s->file.src.size, &s->index, err) != TACO_OK ||
        !taco__container_open_name_levels(s, "", err)) {
        return false;
    }
    s->dir = s->archive_dir = taco__container_open_parent_dir(s, path, err);
    return s->dir && taco__container_set_vsi_root(s, s->dir, true, err) &&
           taco__container_open_read_index(s, err);
}

/* The index of an archive: from its TACO_HEADER, or, if that is damaged, from its central
   directory. If both fail, the error is about the header. */
static TACO__ONCE bool taco__container_open_find_index(taco__container *s, taco_bytes head,
                                                       taco_error *err)
{
    taco_error why, second;
    memset(&why, 0, sizeof why);
    memset(&second, 0, sizeof second);
    if (taco__index_read_header(head, s->file.src.size, &s->index, &why) == TACO_OK) {
        return true;
    }
    if (!s->index.recover || taco__index_recover(&s->file, s->options->limits.max_metadata,
                                                 &s->index, &second) != TACO_OK) {
        taco__error_copy(err, &why);
        return false;
    }
    taco__container_warn(s, &why,
                         "the TACO_HEADER is damaged, the central directory is used instead");
    return true;
}

/* The first bytes of s->file, which stay in memory; data is NULL on failure. */
static TACO__ONCE taco_bytes taco__container_open_head(taco__container *s, taco_error *err)
{
    static const uint8_t none = 0;
    taco__range head;
    const uint8_t *p;
    size_t n;
    head.offset = 0;
    head.len = TACO__MIN(s->file.src.size, (uint64_t)TACO__OPEN_FIRST_BYTES);
    n = (size_t)head.len;
    if (!taco__file_fetch(&s->file, &head, 1, err)) { return taco__bytes_of(NULL, 0); }
    p = n ? taco__file_cached(&s->file, 0, n) : &none;
    if (!p) { TACO__FAIL(err, TACO_ERR_IO, 0, "reading %u bytes failed", TACO__U(n)); }
    return taco__bytes_of(p, n);
}

/* A file of another kind that someone may mistake for a dataset. */
static TACO__ONCE bool taco__container_open_is_stranger(taco_bytes head, taco_error *err)
{
    const char *kind =
        taco__bytes_starts_with(head, "PAR1")
            ? "a Parquet file: `taco parquet schema` shows its columns"
        : head.len >= 4 &&
                (memcmp(head.data, "II*\0", 4) == 0 || memcmp(head.data, "MM\0*", 4) == 0 ||
                 memcmp(head.data, "II+\0", 4) == 0 || memcmp(head.data, "MM\0+", 4) == 0)
            ? "a TIFF: `taco create` makes a dataset of a directory of files"
            : NULL;
    if (kind) {
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET, "not a dataset but %s", kind);
    }
    return kind != NULL;
}

/* Identifies a file by its first bytes. s->file is open. A file of a format is left to that: only
   s->format is set. */
static TACO__ONCE bool taco__container_open_file(taco__container *s, const char *path,
                                                 taco_error *err)
{
    taco_bytes head = taco__container_open_head(s, err);
    if (!head.data) { return false; }
    if (taco__index_is_tacocat(head)) { return taco__container_open_tacocat(s, path, head, err); }
    s->format = taco__container_open_detect_format(s, path, head);
    if (s->format) { return true; }
    if (taco__container_open_is_stranger(head, err)) { return false; }
    s->kind = TACO_KIND_ZIP;
    return taco__container_open_find_index(s, head, err) &&
           taco__container_set_vsi_root(s, path, false, err) &&
           taco__container_open_name_levels(s, "METADATA/", err) &&
           taco__container_open_read_index(s, err);
}

/* ---- directories ---- */

/* "METADATA/level0.avro" of "METADATA/level0.parquet"; NULL when memory ends. */
static TACO__ONCE char *taco__container_open_avro_name(taco__container *s, const char *name,
                                                       taco_error *err)
{
    char *copy = taco__arena_text(s->arena, taco__bytes_text(name), err);
    char *dot = copy ? strstr(copy, ".parquet") : NULL;
    if (!dot) { return NULL; }
    memcpy(dot, ".avro\0\0", 8);
    return copy;
}

/* Opens the file of a level: Parquet, or Avro in the FOLDERs of the first writers. l->present: it
   exists. False if there is no memory. */
static TACO__ONCE bool taco__container_open_find_level(taco__container *s, taco__level *l,
                                                       taco_error *err)
{
    const char *path = taco__container_join_path(s, s->dir, l->name, err), *name;
    if (!path) { return false; }
    l->present = taco__container_open_try_file(s, path, &l->file);
    if (!l->present) {
        name = taco__container_open_avro_name(s, l->name, err);
        path = name ? taco__container_join_path(s, s->dir, name, err) : NULL;
        if (!path) { return false; }
        l->present = l->avro = taco__container_open_try_file(s, path, &l->file);
        l->name = l->avro ? name : l->name;
    }
    if (l->present) {
        l->path = path;
        l->file_open = true;
        l->range.len = l->file.src.size;
    }
    return true;
}

/* A file that exists but cannot be opened must never count as missing. */
static TACO__COLD bool taco__container_open_fail_refused(const taco__container *s, taco_error *err)
{
    TACO__FAIL(err, TACO_ERR_IO, TACO_NO_OFFSET, "%s", s->refused);
    return false;
}

/* The levels of a directory are separate files, which are only opened here: as many as are numbered
   consecutively. */
static TACO__ONCE bool taco__container_open_find_levels(taco__container *s, const char *metadata,
                                                        taco_error *err)
{
    uint32_t i;
    if (!taco__container_open_name_levels(s, metadata, err)) { return false; }
    for (i = 0; i < TACO__MAX_LEVELS; i++) {
        if (!taco__container_open_find_level(s, &s->levels[i], err)) { return false; }
        if (!s->levels[i].present) { break; }
    }
    s->level_count = i;
    if (s->refused) { return taco__container_open_fail_refused(s, err); }
    if (i == 0) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "%s is missing", s->levels[0].name);
        return false;
    }
    return true;
}

/* The caller's format that has a COLLECTION.json like this one; NULL: none. */
static TACO__ONCE const taco_opener *taco__container_open_claim_collection(taco__container *s,
                                                                           taco__file *collection)
{
    const taco_opener *const *f = s->try_formats ? s->options->openers : NULL;
    const taco_opener *found = NULL;
    taco_error none = {0, TACO_OK, 0, {0}};
    taco__buf scratch;
    taco_bytes text;
    memset(&scratch, 0, sizeof scratch);
    scratch.mem = s->mem;
    text.data = NULL;
    for (; f && *f && !found && collection->src.size <= s->options->limits.max_metadata; f++) {
        if (!(*f)->is_collection || !taco__checked_to_size(collection->src.size, &text.len)) {
            continue;
        }
        if (!text.data) { text.data = taco__file_view(collection, 0, text.len, &scratch, &none); }
        found = text.data && (*f)->is_collection(text) ? *f : NULL;
    }
    taco__buf_free(&scratch);
    return found;
}

/* Reads a directory whose COLLECTION.json is open, and closes that file. Of a format only
   s->format, kind and directories are set. */
static TACO__ONCE bool taco__container_open_directory(taco__container *s, taco_kind kind,
                                                      const char *dir, taco__file *collection,
                                                      taco_error *err)
{
    taco__range whole;
    bool ok;
    s->kind = kind;
    s->dir = dir;
    whole.offset = 0;
    whole.len = collection->src.size;
    s->format = taco__container_open_claim_collection(s, collection);
    ok = s->format || taco__container_open_read_collection(s, collection, whole, err);
    taco__file_close(collection);
    return s->format || (ok && taco__container_open_find_levels(
                                   s, kind == TACO_KIND_FOLDER ? "METADATA/" : "", err));
}

/* A directory of a dataset without its collection. */
static TACO__ONCE bool taco__container_open_fail_collection(const char *message, taco_error *err)
{
    TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "%s", message);
    return false;
}

/* True if the last name of a directory, which ends with a separator, is .tacocat. */
static TACO__ONCE bool taco__container_open_is_catalogue(const char *dir)
{
    const size_t n = strlen(dir) - 1, k = sizeof ".tacocat" - 1;
    return n >= k && memcmp(dir + n - k, ".tacocat", k) == 0 &&
           taco__plat_dir_length(dir, n) == n - k;
}

/* Tries a .tacocat/, which is `dir` itself or inside it. *found: there is one, and the result
   counts. */
static TACO__ONCE bool taco__container_open_try_catalogue(taco__container *s, const char *dir,
                                                          bool *found, taco_error *err)
{
    const bool itself = taco__container_open_is_catalogue(dir);
    const char *inner = itself ? dir : taco__container_join_path(s, dir, ".tacocat/", err);
    taco__file file;
    if (!inner) { return false; }
    *found = true;
    if (taco__container_open_try_name(s, inner, "COLLECTION.json", &file, err)) {
        s->archive_dir = itself ? taco__container_open_parent_dir(s, dir, err) : dir;
        if (s->archive_dir && taco__container_set_vsi_root(s, s->archive_dir, true, err)) {
            return taco__container_open_directory(s, TACO_KIND_TACOCAT, inner, &file, err);
        }
        taco__file_close(&file);
        return false;
    }
    if (taco__container_open_has_name(s, inner, "level0.parquet", err)) {
        return taco__container_open_fail_collection("the catalogue's COLLECTION.json is missing",
                                                    err);
    }
    *found = false;
    return false;
}

/* Tries a FOLDER dataset. path is its name, dir the same with a '/' at the end. */
static TACO__ONCE bool taco__container_open_try_folder(taco__container *s, const char *path,
                                                       const char *dir, bool *found,
                                                       taco_error *err)
{
    taco__file file;
    *found = true;
    if (taco__container_open_try_name(s, dir, "COLLECTION.json", &file, err)) {
        if (taco__container_set_vsi_root(s, path, false, err)) {
            return taco__container_open_directory(s, TACO_KIND_FOLDER, dir, &file, err);
        }
        taco__file_close(&file);
        return false;
    }
    if (taco__container_open_has_name(s, dir, "METADATA/level0.parquet", err)) {
        return taco__container_open_fail_collection("COLLECTION.json is missing", err);
    }
    *found = false;
    return false;
}

/* Tries path as a directory. *found: it is a dataset, and the result counts. A catalogue wins over
   a FOLDER, as in the reference. */
static TACO__ONCE bool taco__container_open_try_directory(taco__container *s, const char *path,
                                                          bool *found, taco_error *err)
{
    const size_t n = strlen(path);
    const char *dir =
        n && taco__plat_is_slash(path[n - 1]) ? path : taco__container_join_path(s, path, "/", err);
    bool ok;
    *found = false;
    if (!dir) { return false; }
    ok = taco__container_open_try_catalogue(s, dir, found, err);
    if (*found || (err && err->code != TACO_OK)) { return ok; }
    ok = taco__container_open_try_folder(s, path, dir, found, err);
    if (*found) { return ok; }
    if (!taco__container_open_try_name(s, dir, "__TACOCAT__", &s->file, err)) { return false; }
    *found = s->file_open = true;
    path = taco__container_join_path(s, dir, "__TACOCAT__", err);
    return path && taco__container_open_file(s, path, err);
}

/* ---- any path ---- */

/* Datasets directly inside a directory, for a message. */
typedef struct taco__container_nearby {
    taco__container *s;
    const char *dir;
    char text[256];
    size_t named, more;
} taco__container_nearby;

/* Whether a name in a directory is that of a dataset: an archive, or a directory with one. */
static TACO__ONCE bool taco__container_open_is_nearby(const taco__container_nearby *near,
                                                      const char *name, taco__path_kind kind)
{
    static const char *const insides[] = {"/COLLECTION.json", "/.tacocat/COLLECTION.json",
                                          "/__TACOCAT__"};
    const char *path;
    uint64_t size;
    size_t i;
    if (kind != TACO__PATH_DIRECTORY) {
        return taco__container_ends_with(name, ".tacozip") ||
               taco__container_ends_with(name, ".tortilla") ||
               taco__container_ends_with(name, ".taco");
    }
    path = taco__container_join_path(near->s, near->dir, "/", NULL);
    path = path ? taco__container_join_path(near->s, path, name, NULL) : NULL;
    for (i = 0; path && i < sizeof insides / sizeof insides[0]; i++) {
        const char *inside = taco__container_join_path(near->s, path, insides[i], NULL);
        if (inside && taco__plat_stat(inside, &size) == TACO__PATH_FILE) { return true; }
    }
    return false;
}

/* taco__plat_list_fn: keeps the first few names, and counts the others. */
static TACO__ONCE bool taco__container_open_add_nearby(void *ctx, const char *name,
                                                       taco__path_kind kind)
{
    taco__container_nearby *near = (taco__container_nearby *)ctx;
    const char *between = near->named ? ", " : " ";
    size_t at = strlen(near->text), gap = strlen(between), n = strlen(name), i;
    bool plain = true;
    if (!taco__container_open_is_nearby(near, name, kind)) { return true; }
    /* the message is one line */
    for (i = 0; i < n; i++) {
        plain = plain && (uint8_t)name[i] >= 0x20 && (uint8_t)name[i] != 0x7F;
    }
    if (!plain || near->named == 5 || at + gap + n >= sizeof near->text) {
        near->more++;
    } else {
        memcpy(near->text + at, between, gap);
        memcpy(near->text + at + gap, name, n + 1);
        near->named++;
    }
    return true;
}

/* A directory that is not a dataset: names those inside, since the user may have meant one of
   them. */
static TACO__COLD void taco__container_open_fail_directory(taco__container *s, const char *path,
                                                           taco_error *err)
{
    taco__container_nearby near;
    memset(&near, 0, sizeof near);
    near.s = s;
    near.dir = path;
    taco__plat_list_dir(path, taco__container_open_add_nearby, &near);
    if (near.more) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                   "a directory without COLLECTION.json, so not a dataset; it contains:%s and "
                   "%u more",
                   near.text, TACO__U(near.more));
        return;
    }
    TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
               "a directory without COLLECTION.json, so not a dataset%s%s",
               near.named ? "; it contains:" : "", near.text);
}

/* Nothing at `path` could be opened. If the path is on disk, a second look says why. */
static TACO__COLD void taco__container_open_fail_missing(taco__container *s, const char *path,
                                                         taco_error *err)
{
    uint64_t size;
    taco__path_kind kind =
        s->options->open_file ? TACO__PATH_MISSING : taco__plat_stat(path, &size);
    if (s->refused) {
        taco__container_open_fail_refused(s, err);
        return;
    }
    if (kind == TACO__PATH_DIRECTORY) {
        taco__container_open_fail_directory(s, path, err);
        return;
    }
    TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "%s",
               !s->options->open_file && (strstr(path, "://") || strncmp(path, "/vsi", 4) == 0)
                   ? "not a local file: a program opens others with taco_options.open_file or "
                     "taco_open_source"
               : kind == TACO__PATH_SPECIAL ? "a pipe or a device: a dataset needs random access"
               : kind == TACO__PATH_MISSING
                   ? "no archive of that name, and no directory with COLLECTION.json"
                   : "the file is not readable");
}

/* A path whose name looks like that of a file. */
static TACO__ONCE bool taco__container_open_looks_like_file(const char *path)
{
    return taco__container_ends_with(path, ".tacozip") || taco__container_ends_with(path, ".zip") ||
           taco__container_ends_with(path, "__TACOCAT__");
}

static TACO__ONCE bool taco__container_open_path(taco__container *s, const char *path,
                                                 taco_error *err)
{
    bool found = false, ok, file_first = taco__container_open_looks_like_file(path);
    taco_source src;
    if (!file_first) {
        ok = taco__container_open_try_directory(s, path, &found, err);
        if (found || (err && err->code != TACO_OK)) { return ok; }
    }
    if (taco__container_open_try_source(s, path, &src)) {
        taco__file_init(&s->file, &src, "", s->mem);
        s->file_open = true;
        return taco__container_open_file(s, path, err);
    }
    if (file_first && taco__container_open_try_directory(s, path, &found, err)) { return true; }
    s->format = found ? NULL : taco__container_open_detect_format(s, path, taco__bytes_of(NULL, 0));
    if (s->format) { return true; }
    if (!found) { taco__container_open_fail_missing(s, path, err); }
    return false;
}

/* Opens what is at path, or, when src is given, the file src under that name; src is taken over in
   any case. mem, arena and options outlive the container. any: the formats of the options are
   tried; for a dataset of one of these only s->format is set. */
TACO__FN TACO__ONCE bool taco__container_open_any(taco__container *s, const char *path,
                                                  const taco_source *src, taco__mem *mem,
                                                  taco__arena *arena, const taco_options *options,
                                                  bool any, taco_error *err)
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
    ok = s->name && (src ? taco__container_open_file(s, s->name, err)
                         : taco__container_open_path(s, s->name, err));
    if (!ok) {
        taco__error_prefix(err, "%s", path);
        taco__container_close(s);
    }
    return ok;
}

/* The same for TACO 2 only. */
TACO__FN TACO__ONCE bool taco__container_open(taco__container *s, const char *path,
                                              const taco_source *src, taco__mem *mem,
                                              taco__arena *arena, const taco_options *options,
                                              taco_error *err)
{
    return taco__container_open_any(s, path, src, mem, arena, options, false, err);
}
