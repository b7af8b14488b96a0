/* container.h - one interface to archives, folders, catalogues and the formats of other headers */
#ifndef TACO__CONTAINER_H
#define TACO__CONTAINER_H

#include "../api/taco.h"
#include "../base/base.h"
#include "../parquet/parquet.h"
#include "../filter/filter.h"
#include "archive.h"
#include "collection.h"

#define TACO__MAX_LEVELS TACO__INDEX_LEVELS
/* bytes of the first read of a file: the header, or what identifies a format */
#define TACO__OPEN_FIRST_BYTES 256
/* begins the id of rows that only pad the tree to a regular shape (TACO 2.0 §5.5) */
#define TACO__PADDING_PREFIX "__TACOPAD"
/* no such column, row or index */
#define TACO__NONE SIZE_MAX

/* Columns that readers make, in addition to stored ones. */
#define TACO__GDAL_VSI    "internal:gdal_vsi"
#define TACO__SOURCE_PATH "internal:source_path"
#define TACO__SOURCE_FILE "internal:source_file"
#define TACO__CURRENT_ID  "internal:current_id"
#define TACO__PARENT_ID   "internal:parent_id"

/* ---- levels ---- */

/* Columns that readers need, by number in the table; TACO__NONE if absent (TACO 2.0 §7.2.3). */
typedef struct taco__column_roles {
    size_t id, type, parent, current, offset, size, relative, source;
    /* formats only: the path as stored in the table */
    size_t subfile;
} taco__column_roles;

/* One level of a container. Its table is opened on first use. */
typedef struct taco__level {
    /* METADATA/level0.parquet: for messages, and as the file name in directories */
    const char *name;
    /* path of its own file; NULL: a range of the container's file */
    const char *path;
    taco__range range;
    bool present, opened, avro;
    /* the level's own file */
    taco__file file;
    bool file_open;
    taco_pq_file pq;
    taco__table table;
    taco__column_roles role;
    /* for formats: the fields of arrays, if they are kept here */
    taco_field *arrays_fields;
    /* for each row, its parent's row in the level above, -1 for an orphan; NULL until
       taco__join_make_parents */
    int32_t *parents;
    /* places of samples: 0 not compared yet, 1 as stored, 2 `replaced`; see child_places.c */
    uint8_t places;
    taco__replaced_columns replaced;
    /* may contain padding rows: 1, 0, or -1 if not known yet */
    int8_t padded;
    /* rows whose parents were looked up individually; see parent_lookup.c */
    uint8_t single_lookups;
    /* formats: the columns of the table that a query shows, in this order; NULL: all */
    const size_t *shown;
    size_t shown_count;
    /* formats: a row is several files, so that it has no path, and it says itself where it is
       from */
    bool wide;
} taco__level;

/* ---- ranges that stay in memory ---- */

/* Byte ranges of files, read ahead in one round and kept in memory until released. */
typedef struct taco__range_cache {
    /* taco__cached_range */
    taco__buf ranges;
} taco__range_cache;

typedef struct taco__cached_range {
    taco__file *file;
    taco__range range;
} taco__cached_range;

/* ---- containers ---- */

/* An archive of a catalogue. */
typedef struct taco__archive {
    /* must be first: the address of the file is that of the archive */
    taco__file file;
    struct taco__archive *next;
    const char *name;
    bool open;
    /* number of cursors on its rows, which keep it open */
    size_t users;
} taco__archive;

/* A file of another format, as it was opened and as GDAL names it. */
typedef struct taco__format_file {
    const char *path, *vsi;
} taco__format_file;

/* What is at one path: an archive, a directory, a catalogue, or a file of another format. Texts and
   tables are in the dataset's arena. */
typedef struct taco__container {
    taco__mem *mem;
    taco__arena *arena;
    const taco_options *options;
    /* as the caller gave it, for messages */
    const char *name;
    /* FOLDER, TACOCAT: prefix of file names, ending in '/' */
    const char *dir;
    /* root of GDAL paths: the archive, the directory, or the base of the archives with a '/' */
    const char *vsi;
    /* TACOCAT: directory of the archives, for open_file, ending in '/' */
    const char *archive_dir;
    taco_kind kind;
    /* archive or __TACOCAT__ */
    taco__file file;
    bool file_open;
    taco__index index;
    taco__collection coll;
    uint32_t level_count;
    taco__level levels[TACO__MAX_LEVELS];
    /* TACOCAT: the archive read last, and those in use by cursors */
    taco__archive *archives;
    /* its format; NULL: TACO 2 */
    const taco_opener *format;
    /* private to the format, in the arena */
    void *format_state;
    /* the files with the bytes of its samples, if it has any */
    const taco__format_file *format_files;
    size_t format_file_count;
    /* the format has not counted its levels yet: taco__container_level_count makes it do so */
    bool levels_uncounted;
    /* bitmap of the rows of level 0 that belong to the dataset, as in a cascade; NULL: all. Set by
       taco_open_parts. */
    uint8_t *kept;
    /* why an existing file could not be opened, in the arena */
    const char *refused;
    /* try the formats of taco_options.openers */
    bool try_formats;
    /* it was told that places are replaced */
    bool told_places;
} taco__container;

/* A FOLDER whose children a format finds. */
typedef struct taco__format_folder {
    /* the file that contains it */
    taco__file *file;
    int64_t offset, size;
    /* its internal:current_id, -1 if its table has none */
    int64_t row;
    uint32_t level;
    /* its internal:source_file; NULL for kind ZIP */
    const char *source;
    bool folder;
} taco__format_folder;

struct taco__findings; /* validate.h */
struct taco__nav_node; /* navigation.h */

/* What another header adds to taco_open. Its containers have kind ZIP if all rows are in one file,
   TACOCAT if internal:source_file is the path of each; the other columns that levels and navigation
   use are those of TACO 2. Paths are not made but taken from internal:subfile, if present. A member
   may be NULL unless stated otherwise. */
struct taco_opener {
    /* the kind in taco_info_json; never NULL */
    const char *name;
    /* Whether what is at path has this format: head is the first bytes of s->file, at most
       TACO__OPEN_FIRST_BYTES, or {NULL, 0} if no file could be opened there. Must not read much,
       and reports nothing. Never NULL. */
    bool (*detect)(taco__container *s, const char *path, taco_bytes head);
    /* Opens all n paths as the containers of ds (taco__dataset_reserve); stores[0] has been
       detected, nothing is known of the others. Fills name, kind, vsi, coll, level_count and the
       levels: ranges of files, or, with `level`, only name and present. Never NULL. */
    bool (*open)(taco_dataset *ds, const char *const *paths, size_t n, taco_error *err);
    /* Fills the table of a level on first use; NULL: its file or range is opened. */
    bool (*level)(taco__container *s, uint32_t n, taco_error *err);
    /* Counts the levels of a container with levels_uncounted, because counting more than one was
       too expensive on open. On failure level_count includes the level that `level` then fails
       for. */
    bool (*deepen)(taco__container *s, taco_error *err);
    /* Sets the roles of columns with other names than in TACO 2; called after
       taco__container_find_roles. */
    void (*roles)(const taco__table *t, taco__column_roles *r);
    /* The children of a FOLDER, as arrays in the arena. */
    bool (*children)(taco__container *s, const taco__format_folder *of, taco__arena *arena,
                     taco__table *out, taco_error *err);
    /* taco_filter.bbox and .time as conditions on a table; NULL: as in TACO 2. */
    taco__expr *(*bbox)(taco__arena *arena, const taco__table *t, const taco_filter *f,
                        taco_error *err);
    taco__expr *(*time)(taco__arena *arena, const taco__table *t, const taco_filter *f,
                        taco_error *err);
    void (*close)(taco__container *s);
    /* Adds what is expensive to compute to the collection of stores[0], for taco_info_json. */
    bool (*info)(taco_dataset *ds, taco_error *err);
    /* Checks a dataset that `open` opened against the rules of the format, for taco_validate;
       findings go to f. False if the check itself failed. */
    bool (*check)(taco_dataset *ds, struct taco__findings *f, taco_error *err);
    /* For formats whose level 0 is made of a tree of named tables. Whether the COLLECTION.json of a
       directory is of this format. */
    bool (*is_collection)(taco_bytes json);
    /* A table as a dataset of one level, which is closed with ds; NULL with NOT_FOUND: there is
       none of that name. */
    taco_dataset *(*table)(taco_dataset *ds, taco_bytes name, taco_error *err);
    /* Finds the sample of a path; *out is in the arena. What has no bytes is a root. */
    bool (*walk)(taco_dataset *ds, const char *path, struct taco__nav_node *out, taco__arena *arena,
                 taco_error *err);
    /* The rows below what `walk` found, or its own row. */
    taco_cursor *(*read)(taco_dataset *ds, const struct taco__nav_node *n, taco_error *err);
    /* All of taco_info_json. */
    bool (*describe)(taco_dataset *ds, taco__buf *out, taco_error *err);
    /* The paths of all files of the set of which ds is one, in the arena; NULL: it is none of a
       set, or not all of them are there. taco_validate checks them together. */
    const char *const *(*set)(taco_dataset *ds, taco__arena *arena, size_t *n, taco_error *err);
};

/* ---- datasets ---- */

/* The columns of a level over all containers of a dataset. */
typedef struct taco__level_schema {
    /* NULL until first used */
    taco_field *fields;
    size_t count;
    /* for each field: stored under several types */
    bool *mixed;
    /* several containers: index of each name; SIZE_MAX if it is left out */
    taco__hash_map names;
} taco__level_schema;

/* One container, or several with their rows concatenated. */
struct taco_dataset {
    taco__mem mem;
    taco__arena arena;
    taco_options options;
    taco__container *stores;
    size_t container_count;
    taco_column_mode mode;
    taco__level_schema schema[TACO__MAX_LEVELS];
    /* texts last returned by taco_info_json and taco_locate */
    taco__buf info, locate_vsi, locate_file;
};

/* ---- container_open.c ---- */

TACO__FN bool taco__container_open_any(taco__container *s, const char *path, const taco_source *src,
                                       taco__mem *mem, taco__arena *arena,
                                       const taco_options *options, bool any, taco_error *err);
TACO__FN bool taco__container_open(taco__container *s, const char *path, const taco_source *src,
                                   taco__mem *mem, taco__arena *arena, const taco_options *options,
                                   taco_error *err);

/* ---- container.c ---- */

TACO__FN void taco__container_close(taco__container *s);

/* Names. Text is returned in the container's arena, NULL if there is no memory. */
TACO__FN const char *taco__container_join_path(taco__container *s, const char *a, const char *b,
                                               taco_error *err);
TACO__FN const char *taco__container_full_path(taco__container *s, const char *path,
                                               taco_error *err);
TACO__FN bool taco__container_ends_with(const char *path, const char *suffix);
TACO__FN bool taco__container_set_vsi_root(taco__container *s, const char *path, bool directory,
                                           taco_error *err);

/* Messages. */
TACO__FN bool taco__container_fail(const taco__container *s, const char *what, taco_error *err);
TACO__FN void taco__container_warn(const taco__container *s, taco_error *why, const char *what);
/* Warns about a taco_version that is not a version. */
TACO__FN void taco__container_warn_version(const taco__container *s);

/* Tables. */
TACO__FN int taco__container_compare_names(const void *ctx, const void *a, const void *b);
TACO__FN bool taco__container_check_unique_names(taco__container *s, const taco__table *t,
                                                 taco_error *err);
TACO__FN void taco__container_find_roles(const taco__container *s, const taco__table *t,
                                         taco__column_roles *r);
TACO__FN bool taco__container_open_table(taco__container *s, taco__file *file, taco__range range,
                                         const char *name, bool avro, taco__arena *arena,
                                         taco_pq_file *pq, taco__table *table, taco_error *err);
TACO__FN uint32_t taco__container_level_count(taco__container *s);
TACO__FN taco__level *taco__container_level(taco__container *s, uint32_t n, taco_error *err);

/* Archives of a catalogue. */
TACO__FN taco__file *taco__container_open_archive(taco__container *s, taco_bytes name,
                                                  taco_error *err);
TACO__FN void taco__container_count_archive_user(taco__container *s, const taco__file *file,
                                                 bool begins);

/* ---- range_cache.c ---- */

TACO__FN void taco__range_cache_init(taco__range_cache *c, taco__mem *mem);
TACO__FN bool taco__range_cache_fetch(taco__range_cache *c, taco__file *file,
                                      const taco__buf *ranges, taco_error *err);
TACO__FN uint64_t taco__range_cache_bytes(const taco__range_cache *c);
TACO__FN void taco__range_cache_release(taco__range_cache *c);
TACO__FN void taco__range_cache_free(taco__range_cache *c);

/* ---- source_routing.c ---- */

/* What a file is told from another one by. */
typedef struct taco__routing_mark {
    uint64_t bytes;
    uint32_t crc;
} taco__routing_mark;

TACO__FN bool taco__routing_is_collection(const char *path);
TACO__FN bool taco__routing_mark_read(const taco_options *options, const char *path,
                                      taco__routing_mark *out, taco_error *err);

/* ---- dataset.c ---- */

TACO__FN bool taco__dataset_reserve(taco_dataset *ds, size_t n, taco_error *err);
/* Opens a dataset container by container: _alloc, then for each taco__container_open_any into
   stores[container_count] and _add, finally _tell. */
TACO__FN taco_dataset *taco__dataset_alloc(const taco_options *opt, size_t stores, taco_error *err);
TACO__FN bool taco__dataset_add(taco_dataset *ds, const char *name, taco_error *err);
TACO__FN taco_dataset *taco__dataset_tell(taco_dataset *ds);
TACO__FN int64_t taco__dataset_stored_rows(taco_dataset *ds, uint32_t level, taco_error *err);

TACO__FN void taco__dataset_write_level(taco_dataset *ds, uint32_t l, const char *name,
                                        taco__json_writer *w);

/* ---- schema_differences.c: _init, _compare for each pair, _none at the end ---- */

/* The columns of one level of a dataset. */
typedef struct taco__differing {
    const char *name; /* name of the dataset */
    uint32_t level;
    const taco_field *fields;
    size_t count;
} taco__differing;

/* The differences found so far. */
typedef struct taco__differences {
    const taco_options *options; /* its warn is called for each */
    size_t count, named;         /* all, and those named in text */
    taco_status code;            /* TYPE if types differ, else ARGUMENT */
    size_t len;
    char text[320];
} taco__differences;

TACO__FN void taco__differences_init(taco__differences *d, const taco_options *options);
TACO__FN bool taco__differences_compare(taco__differences *d, const taco__differing *first,
                                        const taco__differing *b, const char *without,
                                        bool only_types, taco__mem *mem, taco_error *err);
TACO__FN bool taco__differences_none(const taco__differences *d, taco_error *err);

/* ---- schema_union.c ---- */

TACO__FN bool taco__schema_union_level_fields(taco_dataset *ds, uint32_t level, taco_error *err);
TACO__FN bool taco__schema_union_is_mixed(const taco_dataset *ds, uint32_t level, const char *name);

/* ---- type_union.c ---- */

TACO__FN bool taco__unify_same_type(const taco_field *a, const taco_field *b);
TACO__FN bool taco__unify_type(taco__arena *arena, const taco_field *a, const taco_field *b,
                               taco_field *out, taco_error *err);
TACO__FN bool taco__unify_null_array(const taco_field *f, size_t n, taco_array *a,
                                     taco__arena *arena, taco_error *err);
TACO__FN bool taco__unify_cast_array(taco__arena *arena, const taco_field *to, const taco_array *in,
                                     taco_array *out, taco_error *err);

#endif /* TACO__CONTAINER_H */
