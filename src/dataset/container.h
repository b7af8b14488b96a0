/* container.h - one interface over archives, folders, catalogues and the formats of other
   headers. */
#ifndef TACO__CONTAINER_H
#define TACO__CONTAINER_H

#include "../api/taco.h"
#include "../base/base.h"
#include "../parquet/parquet.h"
#include "../filter/filter.h"
#include "archive.h"
#include "collection.h"

#define TACO__MAX_LEVELS TACO__INDEX_LEVELS
/* bytes of the first read of a file: the header, and what a format is recognized by */
#define TACO__OPEN_FIRST_BYTES 256
/* begins the id of rows that only keep the tree regular (TACO 2.0 §5.5) */
#define TACO__PADDING_PREFIX "__TACOPAD"
/* no column, no row, no place */
#define TACO__NONE SIZE_MAX

/* Columns that readers make, beside those that are stored. */
#define TACO__GDAL_VSI    "internal:gdal_vsi"
#define TACO__SOURCE_PATH "internal:source_path"
#define TACO__SOURCE_FILE "internal:source_file"
#define TACO__CURRENT_ID  "internal:current_id"
#define TACO__PARENT_ID   "internal:parent_id"

/* ---- levels ---- */

/* Columns that readers need, by number in the table; TACO__NONE where it has none (TACO 2.0
   §7.2.3). */
typedef struct taco__column_roles {
    size_t id, type, parent, current, offset, size, relative, source;
    /* formats only: the path as the table holds it */
    size_t subfile;
} taco__column_roles;

/* One level of a container. Its table is opened when it is first asked for. */
typedef struct taco__level {
    /* METADATA/level0.parquet: in messages, and of the file for directories */
    const char *name;
    /* of its own file; NULL: a range of the container's file */
    const char *path;
    taco__range range;
    bool present, opened, avro;
    /* its own */
    taco__file file;
    bool file_open;
    taco_pq_file pq;
    taco__table table;
    taco__column_roles role;
    /* for formats, which may keep the fields of arrays here */
    taco_field *arrays_fields;
    /* row of the parent in the level above, -1 for an orphan; made by taco__join_make_parents, NULL
       until then */
    int32_t *parents;
    /* may hold padding rows: 1, 0, or -1 while that is not known */
    int8_t padded;
    /* rows whose parents were looked up one by one; see parent_lookup.c */
    uint8_t single_lookups;
} taco__level;

/* ---- ranges that stay in memory ---- */

/* Bytes of files that were read ahead, in one round, and stay in memory until they are released. */
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
    /* first: the address of the file is that of the archive */
    taco__file file;
    struct taco__archive *next;
    const char *name;
    bool open;
    /* cursors over its rows: it must stay open for them */
    size_t users;
} taco__archive;

/* What is at one path: an archive, a directory, a catalogue, or a file of another format. Texts and
   tables live in the arena, which is the dataset's. */
typedef struct taco__container {
    taco__mem *mem;
    taco__arena *arena;
    const taco_options *options;
    /* as the caller gave it: in messages */
    const char *name;
    /* FOLDER, TACOCAT: what file names are appended to, with a '/' at the end */
    const char *dir;
    /* root of GDAL paths: archive, directory, or base of the archives with a '/' */
    const char *vsi;
    /* TACOCAT: where the archives are, for open_file, with a '/' at the end */
    const char *archive_dir;
    taco_kind kind;
    /* archive or __TACOCAT__ */
    taco__file file;
    bool file_open;
    taco__index index;
    taco__collection coll;
    uint32_t level_count;
    taco__level levels[TACO__MAX_LEVELS];
    /* TACOCAT: the archive that was read last, and those that cursors use */
    taco__archive *archives;
    /* the format it is of; NULL: TACO 2 */
    const taco_opener *format;
    /* the format's own, in the arena */
    void *format_state;
    /* the format has not counted its levels: taco__container_level_count has it do so */
    bool levels_uncounted;
    /* the rows of level 0 that the dataset has of it, a bitmap as those of a cascade; NULL: all.
       Set by taco_open_parts. */
    uint8_t *kept;
    /* why a file that was looked for could not be opened though it is there: in the arena */
    const char *refused;
    /* whether the formats of taco_options.openers are tried */
    bool try_formats;
} taco__container;

/* A FOLDER that a format finds the children of. */
typedef struct taco__format_folder {
    /* that holds it */
    taco__file *file;
    int64_t offset, size;
    /* its internal:current_id, -1 when its table has none */
    int64_t row;
    uint32_t level;
    /* its internal:source_file; NULL for kind ZIP */
    const char *source;
    bool folder;
} taco__format_folder;

struct taco__findings; /* validate.h */

/* What another header adds to taco_open. Its containers say ZIP where all rows are of one file,
   TACOCAT where internal:source_file is the path of each; the other columns that levels and
   navigation go by are those of TACO 2. Paths are not made: internal:subfile holds them, where
   there are any. A member may be NULL unless it says otherwise. */
struct taco_opener {
    /* what taco_info_json calls the kind; never NULL */
    const char *name;
    /* Whether it is the format of what is at path: head holds the first bytes of s->file, at most
       TACO__OPEN_FIRST_BYTES, or {NULL, 0}: no file could be opened there. Reads nothing that is
       large, reports nothing. Never NULL. */
    bool (*detect)(taco__container *s, const char *path, taco_bytes head);
    /* Opens all n paths as the containers of ds (taco__dataset_reserve), of which stores[0] has
       been detected; of the others nothing is known. Fills name, kind, vsi, coll, level_count
       and the levels: ranges of files, or, with `level`, nothing but name and present. Never
       NULL. */
    bool (*open)(taco_dataset *ds, const char *const *paths, size_t n, taco_error *err);
    /* Fills the table of a level when it is first asked for; NULL: its file or range is opened. */
    bool (*level)(taco__container *s, uint32_t n, taco_error *err);
    /* Counts the levels of a container that is levels_uncounted: counting more than one may have
       been too expensive at first. On failure level_count includes the level that `level` then
       fails for. */
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
    /* Completes the collection of stores[0] with what is expensive to know, for taco_info_json. */
    bool (*info)(taco_dataset *ds, taco_error *err);
    /* Holds the rules of the format against a dataset that `open` opened, for taco_validate;
       what is wrong goes to f. False when the work itself failed. */
    bool (*check)(taco_dataset *ds, struct taco__findings *f, taco_error *err);
};

/* ---- datasets ---- */

/* The columns of a level over all containers of a dataset. */
typedef struct taco__level_schema {
    /* NULL until it is first asked for */
    taco_field *fields;
    size_t count;
    /* of each field: stored under several types */
    bool *mixed;
    /* of several containers: the place of each name, or of those that are left out SIZE_MAX */
    taco__hash_map names;
} taco__level_schema;

/* One container, or several whose rows follow each other. */
struct taco_dataset {
    taco__mem mem;
    taco__arena arena;
    taco_options options;
    taco__container *stores;
    size_t container_count;
    taco_column_mode mode;
    taco__level_schema schema[TACO__MAX_LEVELS];
    /* texts that taco_info_json and taco_locate returned last */
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

/* Names. What returns text returns it in the container's arena, NULL when memory ends. */
TACO__FN const char *taco__container_join_path(taco__container *s, const char *a, const char *b,
                                               taco_error *err);
TACO__FN bool taco__container_ends_with(const char *path, const char *suffix);
TACO__FN bool taco__container_set_vsi_root(taco__container *s, const char *path, bool directory,
                                           taco_error *err);

/* Messages. */
TACO__FN bool taco__container_fail(const taco__container *s, const char *what, taco_error *err);
TACO__FN void taco__container_warn(const taco__container *s, taco_error *why, const char *what);
/* Warns of a taco_version that is no version. */
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

TACO__FN bool taco__routing_is_collection(const char *path);

/* ---- dataset.c ---- */

TACO__FN bool taco__dataset_reserve(taco_dataset *ds, size_t n, taco_error *err);
/* A dataset opened container by container: _alloc, then for each taco__container_open_any into
   stores[container_count] and _add, in the end _tell. */
TACO__FN taco_dataset *taco__dataset_alloc(const taco_options *opt, size_t stores, taco_error *err);
TACO__FN bool taco__dataset_add(taco_dataset *ds, const char *name, taco_error *err);
TACO__FN taco_dataset *taco__dataset_tell(taco_dataset *ds);
TACO__FN int64_t taco__dataset_stored_rows(taco_dataset *ds, uint32_t level, taco_error *err);

/* ---- schema_differences.c: _init, _compare for each pair, _none at the end ---- */

/* The columns of one level of a dataset. */
typedef struct taco__differing {
    const char *name; /* of the dataset */
    uint32_t level;
    const taco_field *fields;
    size_t count;
} taco__differing;

/* The differences found so far. */
typedef struct taco__differences {
    const taco_options *options; /* warn hears of each */
    size_t count, named;         /* all, and those in text */
    taco_status code;            /* TYPE where types differ, else ARGUMENT */
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
