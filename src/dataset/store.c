/* ==== ROOM store: one interface over archives, folders and catalogues: collection, levels as tables, files.
   Uses: pq:read index zip vsi coll avro. Spec: TACO 2.0 §6 ==== */

#define TACO__MAX_LEVELS       TACO__INDEX_LEVELS
#define TACO__OPEN_FIRST_BYTES 256     /* bytes of the first read: the header */
#define TACO__OPEN_WHOLE_BYTES 1048576 /* metadata up to this is taken in one read */
#define TACO__PADDING_PREFIX                                                                       \
    "__TACOPAD" /* begins the id of rows that only keep the tree regular (spec 5.5) */
#define TACO__NONE SIZE_MAX

/* Columns that readers need, by place in the table; TACO__NONE where it has none (facts of §7.2.3). */
typedef struct taco__column_roles {
    size_t id, type, parent, current, offset, size, relative, source;
    size_t subfile; /* formats only: the path as the table holds it */
} taco__column_roles;

typedef struct taco__level {
    const char  *name; /* METADATA/level0.parquet: in messages, and of the file for directories */
    const char  *path; /* of its own file; NULL: a range of the container's file */
    taco__range  range;
    bool         present, opened, avro;
    taco__file   file; /* its own */
    bool         file_open;
    taco_pq_file pq;
    taco__table  table;
    taco__column_roles role;
    taco_field        *arrays_fields;
    int32_t
           *parents; /* row of the parent in the level above, -1 for an orphan; made by room join */
    int8_t  padded;  /* may hold padding rows: -1 not known yet */
    uint8_t alone;   /* rows whose parents were looked up one by one */
} taco__level;

typedef struct taco__cached_range { /* bytes of a file that a result keeps until it ends */
    taco__file *file;
    taco__range range;
} taco__cached_range;

/* An archive of a catalogue. */
typedef struct taco__archive {
    taco__file            file; /* first: a file of one of them is one of them */
    struct taco__archive *next;
    const char           *name;
    bool                  open;
    size_t                users; /* cursors over its rows */
} taco__archive;

typedef struct taco__container {
    taco__mem          *mem;
    taco__arena        *arena;
    const taco_options *options;
    const char         *name; /* as the caller gave it: in messages */
    const char *dir;   /* FOLDER, TACOCAT: what file names are appended to, with a '/' at the end */
    const char *vsi;   /* root of paths: archive, directory, or base of the archives with a '/' */
    const char *parts; /* TACOCAT: where the archives are, for open_file, with a '/' at the end */
    taco_kind   kind;
    taco__file  file; /* archive or __TACOCAT__ */
    bool        file_open;
    taco__index index;
    taco__collection coll;
    uint32_t         level_count;
    taco__level      levels[TACO__MAX_LEVELS];
    taco__archive
        *archives; /* TACOCAT: the archive that was read last, and those that cursors use */
    const taco_opener *format; /* NULL: one of ours */
    void              *own;    /* the format's, in the arena */
    bool               more;   /* the format has not counted its levels */
    bool               any;    /* formats are asked, too */
} taco__container;

/* A FOLDER that a format finds the children of. */
typedef struct taco__format_folder {
    taco__file *file; /* that holds it */
    int64_t     offset, size;
    int64_t     row; /* its internal:current_id, -1 when its table has none */
    uint32_t    level;
    const char *source; /* its internal:source_file; NULL for kind ZIP */
    bool        folder;
} taco__format_folder;

/* What another header adds to taco_open. Its stores say ZIP where all rows are of one file, TACOCAT where
   internal:source_file is the path of each; the other columns that levels and navigation go by are those of TACO 2.
   Paths are not made: internal:subfile holds them, where there are any. A member may be NULL unless it says otherwise. */
struct taco_opener {
    const char *name; /* what taco_info_json calls the kind; never NULL */
    /* Whether it is the format of what stands at path: head holds the first bytes of s->file, at most TACO__OPEN_FIRST_BYTES,
       or {NULL, 0}: no file could be opened there. Reads nothing that is large, reports nothing. Never NULL. */
    bool (*detect)(taco__container *s, const char *path, taco_bytes head);
    /* Opens all n paths as the stores of ds (taco__dataset_reserve), of which stores[0] has been detected; of the others
       nothing is known. Fills name, kind, vsi, coll, level_count and the levels: ranges of files, or, with `level`,
       nothing but name and present. Never NULL. */
    bool (*open)(taco_dataset *ds, const char *const *paths, size_t n, taco_error *err);
    /* Fills the table of a level when it is first asked for; NULL: its file or range is opened. */
    bool (*level)(taco__container *s, uint32_t n, taco_error *err);
    /* Counts the levels of a store that said `more`: more than one may have been too dear to count. On failure
       level_count includes the level that `level` then fails for. */
    bool (*deepen)(taco__container *s, taco_error *err);
    /* Columns under other names than those of TACO 2; called after taco__container_find_roles. */
    void (*roles)(const taco__table *t, taco__column_roles *r);
    /* The children of a FOLDER, arrays in the arena. */
    bool (*children)(taco__container *s, const taco__format_folder *of, taco__arena *arena,
                     taco__table *out, taco_error *err);
    /* taco_filter.bbox and .time as conditions on a table; NULL: as in TACO 2. */
    taco__expr *(*bbox)(taco__arena *arena, const taco__table *t, const taco_filter *f,
                        taco_error *err);
    taco__expr *(*time)(taco__arena *arena, const taco__table *t, const taco_filter *f,
                        taco_error *err);
    void (*close)(taco__container *s);
    /* Completes the collection of stores[0] with what is dear to know, for taco_info_json. */
    bool (*info)(taco_dataset *ds, taco_error *err);
};

/* ---- names and files ---------------------------------------------------------------------------- */

TACO__FN const char *taco__container_join_path(taco__container *s, const char *a, const char *b,
                                               taco_error *err)
{
    size_t n = strlen(a), m = strlen(b);
    char  *p = (char *)taco__arena_alloc(s->arena, n + m + 1, err);
    if (p) {
        memcpy(p, a, n);
        memcpy(p + n, b, m);
    }
    return p;
}
TACO__FN bool taco__container_ends_with(const char *path, const char *suffix)
{
    size_t n = strlen(path), m = strlen(suffix);
    return n >= m && strcmp(path + n - m, suffix) == 0;
}
/* A path made absolute where that is the caller's file system; URLs and /vsi paths stay. */
TACO__FN const char *taco__container_absolute_path(taco__container *s, const char *path,
                                                   taco_error *err)
{
    char *buffer;
    if (taco__vsi_is_remote(taco__bytes_text(path)) || s->options->open_file) {
        return taco__arena_text(s->arena, taco__bytes_text(path), err);
    }
    buffer = (char *)taco__arena_alloc(s->arena, TACO__PATH_MAX + 1, err);
    if (!buffer) {
        return NULL;
    }
    return TACO__REALPATH(path, buffer) ? buffer
                                        : taco__arena_text(s->arena, taco__bytes_text(path), err);
}
TACO__FN const char *taco__container_copy_text(taco__container *s, taco__buf *b, taco_error *err)
{
    const char *text = taco__arena_text(s->arena, taco__bytes_of(b->data, b->len), err);
    taco__buf_free(b);
    return text;
}
/* The directory that holds a file or directory, with a '/' at the end; "./" for a bare name. */
TACO__FN const char *taco__container_open_parent_dir(taco__container *s, const char *path,
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
/* The root of paths: how GDAL calls what stands at `path`. */
TACO__FN bool taco__container_set_vsi_root(taco__container *s, const char *path, bool directory,
                                           taco_error *err)
{
    taco__buf   b;
    const char *absolute = taco__container_absolute_path(s, path, err);
    memset(&b, 0, sizeof b);
    b.mem = s->mem;
    if (!absolute || !(directory ? taco__vsi_append_base(&b, taco__bytes_text(absolute), err)
                                 : taco__vsi_append_root(&b, taco__bytes_text(absolute), err))) {
        taco__buf_free(&b);
        return false;
    }
    s->vsi = taco__container_copy_text(s, &b, err);
    return s->vsi != NULL;
}
/* Opens a file quietly: false when there is none. */
TACO__FN bool taco__container_open_try_file(taco__container *s, const char *path, taco__file *out)
{
    taco_source src;
    if (!path || !taco__source_open_path(s->options, path, &src, NULL)) {
        return false;
    }
    taco__file_init(out, &src, "", s->mem);
    return true;
}
TACO__FN bool taco__container_open_try_name(taco__container *s, const char *dir, const char *name,
                                            taco__file *out)
{
    const char *path = taco__container_join_path(s, dir, name, NULL);
    return taco__container_open_try_file(s, path, out);
}
TACO__FN void taco__container_close(taco__container *s)
{
    uint32_t i;
    if (s->format && s->format->close) {
        s->format->close(s);
    }
    for (i = 0; i < TACO__MAX_LEVELS; i++) {
        taco__level *l = &s->levels[i];
        if (l->table.pq) {
            taco__pq_file_close(&l->pq);
        }
        if (l->file_open) {
            taco__file_close(&l->file);
        }
        if (l->parents) {
            taco__mem_free(s->mem, l->parents, (size_t)l->table.rows * sizeof *l->parents);
        }
    }
    if (s->file_open) {
        taco__file_close(&s->file);
    }
    for (; s->archives; s->archives = s->archives->next) {
        if (s->archives->open) {
            taco__file_close(&s->archives->file);
        }
    }
    memset(s, 0, sizeof *s);
}
TACO__FN void taco__container_warn(const taco__container *s, taco_error *why, const char *what)
{
    if (s->options->warn) {
        taco__error_prefix(why, "%s: %s", s->name, what);
        s->options->warn(s->options->warn_ctx, why);
    }
}

/* ---- collection --------------------------------------------------------------------------------- */

TACO__FN bool taco__container_open_read_collection(taco__container *s, taco__file *file,
                                                   taco__range range, const char *name,
                                                   taco_error *err)
{
    taco__buf      scratch;
    const uint8_t *text;
    bool           ok = false;
    size_t         len;
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
    if (!ok) {
        taco__error_prefix(err, "%s", name);
    }
    return ok;
}

/* ---- archives ----------------------------------------------------------------------------------- */

TACO__FN bool taco__container_open_name_levels(taco__container *s, const char *prefix,
                                               taco_error *err)
{
    static const char *const names[] = {"level0.parquet", "level1.parquet", "level2.parquet",
                                        "level3.parquet", "level4.parquet", "level5.parquet"};
    uint32_t                 i;
    for (i = 0; i < TACO__MAX_LEVELS; i++) {
        s->levels[i].name = taco__container_join_path(s, prefix, names[i], err);
        s->levels[i].padded = -1;
        if (!s->levels[i].name) {
            return false;
        }
    }
    return true;
}
/* Takes over an index: the ranges become levels, and the metadata is read: whole when it is small, else COLLECTION.json
   together with what stands in front of it, the footer of the last level, and of a vectored source all footers. */
TACO__FN bool taco__container_open_read_index(taco__container *s, taco_error *err)
{
    taco__range want[1 + TACO__MAX_LEVELS];
    uint64_t    begin = s->index.collection.offset, end = begin + s->index.collection.len;
    uint32_t    i, n = 1;
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
TACO__FN const taco_opener *taco__container_open_detect_format(taco__container *s, const char *path,
                                                               taco_bytes head)
{
    const taco_opener *const *f = s->any ? s->options->openers : NULL;
    for (; f && *f; f++) {
        if ((*f)->detect(s, path, head)) {
            return *f;
        }
    }
    return NULL;
}
/* An archive or a __TACOCAT__ file, by its first bytes. s->file is open. */
TACO__FN bool taco__container_open_open_file(taco__container *s, const char *path, taco_error *err)
{
    taco__range    head;
    taco_error     why;
    const uint8_t *p;
    uint8_t        none = 0;
    size_t         n;
    head.offset = 0;
    head.len = TACO__MIN(s->file.src.size, (uint64_t)TACO__OPEN_FIRST_BYTES);
    n = (size_t)head.len;
    if (!taco__file_fetch(&s->file, &head, 1, err)) {
        return false;
    }
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
        s->dir = s->parts = taco__container_open_parent_dir(s, path, err);
        return s->dir && taco__container_set_vsi_root(s, s->dir, true, err) &&
               taco__container_open_read_index(s, err);
    }
    s->format = taco__container_open_detect_format(s, path, taco__bytes_of(p, n));
    if (s->format) {
        return true;
    }
    s->kind = TACO_KIND_ZIP;
    memset(&why, 0, sizeof why);
    if (taco__index_read_header(taco__bytes_of(p, n), s->file.src.size, &s->index, &why) !=
        TACO_OK) {
        taco_error second;
        bool       worth = s->index.recover;
        memset(&second, 0, sizeof second);
        if (!worth || taco__index_recover(&s->file, s->options->limits.max_metadata, &s->index,
                                          &second) != TACO_OK) {
            if (err && err->code == TACO_OK) {
                *err = why;
            }
            return false;
        }
        taco__container_warn(s, &why,
                             "the TACO_HEADER is damaged, the central directory is used instead");
    }
    return taco__container_set_vsi_root(s, path, false, err) &&
           taco__container_open_name_levels(s, "METADATA/", err) &&
           taco__container_open_read_index(s, err);
}

/* ---- directories -------------------------------------------------------------------------------- */

/* Levels of a directory are files of their own, which are only opened here: as many as follow each other. */
TACO__FN bool taco__container_open_find_levels(taco__container *s, const char *metadata,
                                               taco_error *err)
{
    uint32_t i;
    if (!taco__container_open_name_levels(s, metadata, err)) {
        return false;
    }
    for (i = 0; i < TACO__MAX_LEVELS; i++) {
        taco__level *l = &s->levels[i];
        const char  *path = taco__container_join_path(s, s->dir, l->name, err);
        if (!path) {
            return false;
        }
        if (!taco__container_open_try_file(s, path,
                                           &l->file)) { /* the first writers' FOLDERs hold Avro */
            char *name = taco__arena_text(s->arena, taco__bytes_text(l->name), err);
            char *dot = name ? strstr(name, ".parquet") : NULL;
            if (!dot) {
                return false;
            }
            memcpy(dot, ".avro\0\0", 8);
            path = taco__container_join_path(s, s->dir, name, err);
            if (!path || !taco__container_open_try_file(s, path, &l->file)) {
                break;
            }
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
TACO__FN bool taco__container_open_read_directory(taco__container *s, taco_kind kind,
                                                  const char *dir, taco__file *collection,
                                                  taco_error *err)
{
    taco__range whole;
    bool        ok;
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
TACO__FN bool taco__container_open_try_directory(taco__container *s, const char *path, bool *found,
                                                 taco_error *err)
{
    const char *dir = taco__container_ends_with(path, "/")
                          ? path
                          : taco__container_join_path(s, path, "/", err),
               *inner, *parent;
    taco__file file, level;
    *found = false;
    if (!dir) {
        return false;
    }
    inner = taco__container_ends_with(dir, "/.tacocat/") || strcmp(dir, ".tacocat/") == 0
                ? dir
                : taco__container_join_path(s, dir, ".tacocat/", err);
    if (!inner) {
        return false;
    }
    if (taco__container_open_try_name(s, inner, "COLLECTION.json",
                                      &file)) { /* the catalogue wins, as in the reference */
        *found = true;
        parent = inner != dir ? dir : taco__container_open_parent_dir(s, dir, err);
        s->parts = parent;
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

/* Nothing at `path` opened. A second look at the disk says more, but only where it is the disk that was asked. */
TACO__COLD void taco__container_open_fail_missing(const taco__container *s, const char *path,
                                                  taco_error *err)
{
    uint64_t        size;
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
TACO__FN bool taco__container_open_path(taco__container *s, const char *path, taco_error *err)
{
    bool found = false, file_first = taco__container_ends_with(path, ".tacozip") ||
                                     taco__container_ends_with(path, ".zip") ||
                                     taco__container_ends_with(path, "__TACOCAT__");
    taco_source src;
    if (!file_first) {
        bool ok = taco__container_open_try_directory(s, path, &found, err);
        if (found) {
            return ok;
        }
    }
    if (!taco__source_open_path(s->options, path, &src, NULL)) {
        if (file_first && taco__container_open_try_directory(s, path, &found, err)) {
            return true;
        }
        s->format =
            found ? NULL : taco__container_open_detect_format(s, path, taco__bytes_of(NULL, 0));
        if (s->format) {
            return true;
        }
        if (!found) {
            taco__container_open_fail_missing(s, path, err);
        }
        return false;
    }
    taco__file_init(&s->file, &src, "", s->mem);
    s->file_open = true;
    return taco__container_open_open_file(s, path, err);
}
/* Opens what stands at path, or, when src is given, the file src under that name; src is taken over in any case. mem,
   arena and options outlive the store. any: what is of one of the caller's formats is taken,
   and nothing but that is found out of it. */
TACO__FN bool taco__container_open_any(taco__container *s, const char *path, const taco_source *src,
                                       taco__mem *mem, taco__arena *arena,
                                       const taco_options *options, bool any, taco_error *err)
{
    bool ok;
    memset(s, 0, sizeof *s);
    s->mem = mem;
    s->arena = arena;
    s->options = options;
    s->any = any;
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

/* ---- levels as tables --------------------------------------------------------------------------- */

TACO__FN int taco__container_compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}
/* A name must mean one column. */
TACO__FN bool taco__container_check_unique_names(taco__container *s, const taco__table *t,
                                                 taco_error *err)
{
    size_t       i, bytes = t->field_count * sizeof(const char *);
    const char **names = (const char **)taco__mem_alloc(s->mem, bytes, err);
    bool         ok = names != NULL;
    for (i = 0; ok && i < t->field_count; i++) {
        names[i] = t->fields[i].name;
    }
    if (ok) {
        qsort((void *)names, t->field_count, sizeof *names, taco__container_compare_names);
    }
    for (i = 1; ok && i < t->field_count; i++) {
        if (strcmp(names[i - 1], names[i]) == 0) {
            taco_bytes name = taco__bytes_text(names[i]);
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "column %q occurs twice", &name);
            ok = false;
        }
    }
    taco__mem_free(s->mem, (void *)names, bytes);
    return ok;
}
TACO__FN void taco__container_find_roles(const taco__container *s, const taco__table *t,
                                         taco__column_roles *r)
{
    r->subfile = s->format ? taco__table_find_column(t, "internal:subfile") : TACO__NONE;
    r->id = taco__table_find_column(t, "id");
    r->type = taco__table_find_column(t, "type");
    r->parent = taco__table_find_column(t, "internal:parent_id");
    r->current = taco__table_find_column(t, "internal:current_id");
    r->offset = taco__table_find_column(t, "internal:offset");
    r->size = taco__table_find_column(t, "internal:size");
    r->relative = taco__table_find_column(t, "internal:relative_path");
    r->source = taco__table_find_column(t, "internal:source_file");
    if (s->format && s->format->roles) {
        s->format->roles(t, r);
    }
}
/* Opens Parquet or Avro bytes at a range of a file as a table. pq lives as long as the table; avro goes to the arena. */
TACO__FN bool taco__container_open_table(taco__container *s, taco__file *file, taco__range range,
                                         const char *name, bool avro, taco__arena *arena,
                                         taco_pq_file *pq, taco__table *table, taco_error *err)
{
    memset(pq, 0, sizeof *pq);
    memset(table, 0, sizeof *table);
    if (avro) {
        taco__buf        scratch;
        taco__avro_table t;
        const uint8_t   *p = NULL;
        size_t           len;
        taco_status      st = TACO_ERR_LIMIT;
        memset(&scratch, 0, sizeof scratch);
        scratch.mem = s->mem;
        if (range.len > s->options->limits.max_metadata ||
            !taco__checked_to_size(range.len, &len)) {
            TACO__FAIL(err, TACO_ERR_LIMIT, range.offset,
                       "%u bytes of Avro, limits.max_metadata is %u", range.len,
                       s->options->limits.max_metadata);
        } else {
            p = taco__file_view(file, range.offset, len, &scratch, err);
            st = p ? taco__avro_read(arena, taco__bytes_of(p, len), &s->options->limits, &t, err)
                   : TACO_ERR_IO;
        }
        taco__buf_free(&scratch);
        if (st != TACO_OK) {
            taco__error_prefix(err, "%s", name);
            return false;
        }
        table->fields = t.fields;
        table->field_count = table->stored = t.field_count;
        table->arrays = t.columns;
        table->rows = t.rows;
        return true;
    }
    pq->mem = s->mem;
    pq->name = name;
    pq->options = *s->options;
    pq->part.file = file;
    pq->part.base = range.offset;
    pq->part.size = range.len;
    if (!taco__pq_file_open(pq, err)) {
        taco__pq_file_close(pq);
        taco__error_prefix(err, "%s", name);
        return false;
    }
    taco__table_from_file(table, pq);
    return true;
}
/* Number of levels, which formats count when it is first asked for. */
TACO__FN uint32_t taco__container_level_count(taco__container *s)
{
    taco_error none; /* the level that is missing then reports it */
    if (s->more) {
        memset(&none, 0, sizeof none);
        s->more = false;
        s->format->deepen(s, &none);
    }
    return s->level_count;
}
/* The table of a level, opened when it is first asked for. */
TACO__FN taco__level *taco__container_level(taco__container *s, uint32_t n, taco_error *err)
{
    taco__level *l = &s->levels[n];
    bool         ok;
    if (n) {
        taco__container_level_count(s);
    }
    if (n >= s->level_count || !l->present) {
        TACO__FAIL(err, n < s->level_count ? TACO_ERR_CORRUPT : TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "there is no level %u, the deepest is %u", TACO__U(n),
                   TACO__U(s->level_count - 1));
        taco__error_prefix(err, "%s", s->name);
        return NULL;
    }
    if (l->opened) {
        return l;
    }
    ok = s->format && s->format->level
             ? s->format->level(s, n, err)
             : taco__container_open_table(s, l->path ? &l->file : &s->file, l->range, l->name,
                                          l->avro, s->arena, &l->pq, &l->table, err);
    if (!ok) {
        taco__error_prefix(err, "%s", s->name);
        return NULL;
    }
    if (l->table.rows > INT32_MAX) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "%u rows in a level, at most %u are read",
                   l->table.rows, TACO__U(INT32_MAX));
    } else if (taco__container_check_unique_names(s, &l->table, err)) {
        taco__container_find_roles(s, &l->table, &l->role);
        l->opened = true;
        return l;
    }
    taco__error_prefix(err, "%s: %s", s->name, l->name);
    if (l->table.pq) {
        taco__pq_file_close(&l->pq);
    }
    memset(&l->table, 0, sizeof l->table);
    return NULL;
}
/* Puts dataset and level in front of a message. */
TACO__FN bool taco__container_fail(const taco__container *s, const char *what, taco_error *err)
{
    if (what) {
        taco__error_prefix(err, "%s: %s", s->name, what);
    } else {
        taco__error_prefix(err, "%s", s->name);
    }
    return false;
}
/* Counts a cursor over the rows of an archive of a catalogue; other files are not counted. */
TACO__FN void taco__container_count_archive_user(taco__container *s, const taco__file *file,
                                                 bool begins)
{
    taco__archive *a;
    for (a = s->archives; a; a = a->next) {
        if (&a->file == file) {
            a->users += begins ? 1 : SIZE_MAX;
        }
    }
}
/* The archive of a row of a catalogue, opened; the last one is kept. name was checked to be a bare file name. */
TACO__FN taco__file *taco__container_open_archive(taco__container *s, taco_bytes name,
                                                  taco_error *err)
{
    taco_source    src;
    taco__archive *a, *idle = NULL;
    const char    *text = taco__arena_text(s->arena, name, err),
               *path = text ? taco__container_join_path(s, s->parts, text, err) : NULL;
    if (!path) {
        return NULL;
    }
    for (a = s->archives; a; a = a->next) {
        if (a->open && strcmp(a->name, path) == 0) {
            return &a->file;
        }
        idle = a->users ? idle : a;
    }
    if (!idle) {
        idle = (taco__archive *)taco__arena_alloc(s->arena, sizeof *idle, err);
        if (!idle) {
            return NULL;
        }
        idle->next = s->archives;
        s->archives = idle;
    }
    if (idle->open) {
        taco__file_close(&idle->file);
        idle->open = false;
    }
    if (!taco__source_open_path(s->options, path, &src, err)) {
        return NULL;
    }
    taco__file_init(&idle->file, &src, "", s->mem);
    idle->open = true;
    idle->name = path;
    return &idle->file;
}
