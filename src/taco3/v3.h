/* v3.h - TACO 3: archives (CoZIP), FOLDERs and catalogues, read as datasets

   A TACO 3 dataset is a tree of tables. Level `sample` has a row for each sample; `children` has
   the files and folders of its samples, `children/before` those of each sample's folder `before`,
   and so on. Folder or file follows from the collection: taco:structure lists the files that every
   sample has. There is no type column, and ids exist only at the level of samples. Readers show the
   tree as one wide relation, `dataset`: a row for each sample, with the place of each of its files.

   Here the wide relation is level 0 of the dataset, and each table is a dataset of one level of its
   own, opened on first use, so that queries, SQL and exports work with both. Reading order:

     cozip.c          the index at byte 0 of an archive, its names, ranges and hash
     v3_contract.c    taco:structure and taco:metadata: levels and declared files
     v3_open.c        the opener: what is at a path; archives, FOLDERs, catalogues, lists of them
     v3_level.c       the tables: footers, columns, each as a dataset
     v3_places.c      where the bytes of rows are, and which rows belong to which sample and file
     v3_window.c      the same for few samples of a large archive
     v3_wide.c        level 0: columns of the samples, and those made for each file
     v3_filter.c      boxes and periods, on the columns of all drafts
     v3_walk.c        from a key and a path to a file; the children of a sample
     v3_info.c        the description as JSON
     v3_check.c       taco_validate: collection, archive, FOLDER, catalogue
     v3_check_level.c tables against the contract, and every row

   With taco:structure ["before/B02.tif", "before/B03.tif", "map.tif"] and two samples the tables
   are

       sample            children                children/before
       0  "0"  scene-5   0  of 0  "0/before"     0  of 0  "0/before/B02.tif"
       1  "1"  scene-4   1  of 0  "0/map.tif"    1  of 0  "0/before/B03.tif"
                         2  of 1  "1/before"     2  of 2  "1/before/B02.tif"
                         3  of 1  "1/map.tif"    3  of 2  "1/before/B03.tif"

   (internal:current_id, internal:parent_id, internal:relative_path), and level 0 has the columns
   id, "before/B02.tif::location", "before/B03.tif::location" and "map.tif::location".

   Ownership: everything of a container is in the arena of the dataset, but for open tables and what
   is counted by taco__mem, which taco_opener.close frees. The tables as datasets borrow all of it.
   Trust: names, ranges and the hash are checked when an archive is opened; numbers and paths of
   rows when they are read for the first time.

   Nothing here writes TACO 3. Spec: TACO 3.0.0, CoZIP 1. */
#ifndef TACO__V3_H
#define TACO__V3_H

#include "../api/taco_v3.h"
#include "../base/base.h"
#include "../base/json.h"
#include "../arrow/arrow.h"
#include "../parquet/parquet.h"
#include "../filter/filter.h"
#include "../dataset/dataset.h"
#include "../validate/validate.h"

/* ---- CoZIP ---- */

/* bytes of the local header of __cozip__, with its name and its extra field */
#define TACO__COZIP_HEADER_BYTES 51
/* bytes of the index before its lengths: magic, version, profile, count */
#define TACO__COZIP_FIXED_BYTES 11
/* bytes at the end of the archive that the hash covers */
#define TACO__COZIP_TAIL_BYTES 32768
/* bytes of the first read, if the archive is that long */
#define TACO__COZIP_FIRST_BYTES 65536

typedef struct taco__cozip_entry {
    taco_bytes name; /* with a NUL after it */
    taco__range range;
} taco__cozip_entry;

typedef struct taco__cozip {
    taco__cozip_entry *entries;
    size_t count;
    taco__hash_map names; /* index of each entry; free it with taco__cozip_free */
} taco__cozip;

/* ---- the contract ---- */

#define TACO__V3_VERSION "3.0.0"
/* most levels, and most declared files; there is no limit in the format */
#define TACO__V3_MOST           100000
#define TACO__V3_MOST_SEQUENCES 1000

/* A table of the contract. Its name says where it is: "children/before" has the contents of the
   folder `before` of every sample. */
typedef struct taco__v3_level {
    const char *name;         /* "children/before" */
    const char *file;         /* "children__before.parquet" */
    size_t parent;            /* TACO__NONE: sample */
    const taco__json *fields; /* its object in taco:metadata */
} taco__v3_level;

/* A file that every sample has, or a sequence of them: from `least` to `most` files, with the
   numbers from 0 on between `name` and `after`. Whether a row is one follows from its path alone;
   rows of folders are those whose path is a level. */
typedef struct taco__v3_file {
    const char *path; /* as declared: "before/img*[1,12].tif" */
    const char
        *made;       /* begins the names of its columns: the path, for a sequence without "*[..." */
    size_t level;    /* the level whose rows its files are */
    taco_bytes name; /* in its folder; for a sequence what comes before the number */
    taco_bytes after; /* and after it */
    bool sequence;
    uint64_t least, most; /* how many files a sequence has */
} taco__v3_file;

typedef struct taco__v3_contract {
    taco__v3_level *levels; /* parents before children; [0] is sample */
    size_t level_count;
    taco__v3_file *files;
    size_t file_count;
} taco__v3_contract;

/* ---- datasets ---- */

/* A table of one container, opened on first use. */
typedef struct taco__v3_table {
    taco__range range;
    taco__file file; /* in a directory */
    bool file_open, open;
    taco_pq_file pq;
    taco__table t;
    size_t current, parent, path, offset, size, source, id; /* its columns; TACO__NONE: none */
} taco__v3_table;

/* Places of the rows of a table. What the kind of the dataset does not need is NULL, and at level
   0, whose rows have no bytes, all but `source`. */
typedef struct taco__v3_places {
    bool ready;
    uint64_t *offset, *size; /* NULL in a FOLDER; size 0: none */
    uint32_t *source;        /* catalogue: index of the archive; else NULL */
    taco_bytes *path;        /* FOLDER: internal:relative_path; else NULL */
} taco__v3_places;

/* The rows of a declared file: of a single one an index by sample, of a sequence lists, one after
   the other. */
typedef struct taco__v3_rows {
    /* one file: for each sample its row in the table, -1 for none */
    int32_t *row;
    /* a sequence: rows[start[i] .. start[i + 1]) are those of sample i, by number */
    uint32_t *start;
    int32_t *rows;
} taco__v3_rows;

/* Few samples of an archive, and the places of what they have in a level: see v3_window.c. */
typedef struct taco__v3_window {
    bool tried, lazy, open;
    size_t width;      /* rows that each sample has in the level */
    taco_bytes *names; /* their paths in the sample */
    size_t parent;     /* which row of a sample in the parent level is theirs */
    taco__row_reader rows;
    uint64_t decoded;  /* rows, so far */
    taco__buf samples; /* uint32_t, ascending: the samples that are loaded */
    taco__buf wanted;  /* the same, while they are loaded */
    taco__buf numbers; /* uint32_t: rows that are read at a time */
    taco__buf places;  /* of each sample `width` taco__range; offset UINT64_MAX: none */
} taco__v3_window;

typedef enum taco__v3_column_kind {
    TACO__V3_SOURCE = 0, /* source_file */
    TACO__V3_INDEX,      /* taco:sample_index */
    TACO__V3_LOCATION,   /* FILE::location */
    TACO__V3_VALUE       /* FILE::statistic */
} taco__v3_column_kind;

/* A column that level 0 makes: of a declared file its places, or a column of its table. */
typedef struct taco__v3_column {
    taco__v3_column_kind kind;
    size_t file;           /* declared file */
    size_t column;         /* VALUE: column of the table of its level */
    taco__row_reader held; /* VALUE: of all rows of the table, once needed */
    bool is_held;
} taco__v3_column;

/* A container: format_state. Tables, places and rows are filled on first use and do not change
   afterwards: tasks may read what taco__made_columns.prepare has made. Indexes of levels and files
   are those of the contract, which is the same in all containers of a dataset. */
typedef struct taco__v3_store {
    struct taco__v3 *all;
    size_t index; /* in the dataset */
    taco__container *s;
    const char *source; /* in a list: the name of its source_file */
    taco__v3_contract contract;
    taco__v3_table *tables; /* one for each level */
    taco__v3_places *places;
    taco__v3_rows *rows; /* one for each file */
    int32_t **sample_of; /* for each level the sample of each row, -1 for none; NULL: not known */
    bool *mapped;        /* for each level: rows of its files are known */
    taco__v3_window *windows;    /* for each level */
    taco__hash_map source_names; /* archives of a catalogue: their index */
    taco__buf sources;           /* taco_bytes: their names, by index */
    taco__v3_column *columns;    /* made columns of level 0 */
    size_t column_count;
    taco__made_columns made;
    uint64_t first_sample; /* samples of earlier containers */
} taco__v3_store;

/* What the containers of a dataset share. It is in the arena of the dataset, and the first
   container closes what it holds. */
typedef struct taco__v3 {
    taco_dataset *ds;
    taco_dataset **levels; /* the tables as datasets, by level; NULL: not opened */
    size_t level_count;
    taco__buf text; /* of taco_v3_columns */
} taco__v3;

/* Validation of one container: its problems, and what rows have accounted for so far, so that what
   is left over can be reported at the end. */
typedef struct taco__v3_check {
    taco__findings *f;
    taco__v3_store *x;
    taco__check_zip zip;  /* an archive's records */
    taco__hash_map files; /* in a FOLDER: paths below DATA/ that rows list */
} taco__v3_check;

TACO__INLINE taco__v3_store *taco__v3_store_of(const taco__container *s)
{
    return (taco__v3_store *)s->format_state;
}

/* ---- cozip.c ---- */

TACO__FN bool taco__cozip_is_head(taco_bytes head);
TACO__FN bool taco__cozip_read(taco__file *f, taco__arena *arena, const taco_limits *limits,
                               taco__cozip *out, taco_error *err);
TACO__FN const taco__cozip_entry *taco__cozip_find(const taco__cozip *x, taco_bytes name);
TACO__FN void taco__cozip_free(taco__cozip *x);

/* ---- v3_contract.c ---- */

TACO__FN bool taco__v3_contract_read(taco__arena *arena, const taco__json *root,
                                     taco__v3_contract *out, taco_error *err);
TACO__FN bool taco__v3_contract_number(const taco__v3_file *f, taco_bytes name, uint64_t *out);
TACO__FN size_t taco__v3_contract_find_level(const taco__v3_contract *c, taco_bytes name);

/* ---- v3_open.c ---- */

TACO__FN const taco_opener *taco__v3_format(void);

/* ---- v3_level.c ---- */

TACO__FN taco__v3_table *taco__v3_level_table(taco__v3_store *x, size_t level, taco_error *err);
TACO__FN void taco__v3_level_close_tables(taco__v3_store *x);
TACO__FN bool taco__v3_level_is_integer(const taco__v3_table *t, size_t column);
TACO__FN bool taco__v3_level_is_reserved(const char *name);
TACO__FN taco_dataset *taco__v3_level_open(taco_dataset *ds, taco_bytes name, taco_error *err);

/* ---- v3_places.c ---- */

TACO__FN bool taco__v3_places_read(taco__v3_store *x, size_t level, taco_error *err);
TACO__FN bool taco__v3_places_map(taco__v3_store *x, size_t file, taco_error *err);
/* For each row of a level its row in the parent level, -1 for none. */
TACO__FN bool taco__v3_places_parents(taco__v3_store *x, size_t level, int32_t *out,
                                      taco_error *err);
/* Whether the path of a row, "12/before", is that of a folder: a level of the contract. */
TACO__FN bool taco__v3_places_is_folder(const taco__v3_store *x, taco_bytes path);
TACO__FN bool taco__v3_places_append(const taco__v3_store *x, size_t level, size_t row,
                                     taco__buf *out, bool *none, taco_error *err);
/* The same for `size` bytes at `offset`; source: the archive of a catalogue, else {NULL, 0}. */
TACO__FN bool taco__v3_places_append_range(const taco__v3_store *x, size_t level, size_t row,
                                           uint64_t offset, uint64_t size, taco_bytes source,
                                           taco__buf *out, taco_error *err);

/* ---- v3_window.c ---- */

/* Finds out whether places of a level can be loaded for the samples that are read, and not for all
   at once: taco__v3_window.lazy. */
TACO__FN bool taco__v3_window_begin(taco__v3_store *x, size_t level, taco_error *err);
/* Loads the places of samples, as in taco__made_columns.load. If the level's rows are not where
   they should be, taco__v3_window.lazy ends. */
TACO__FN bool taco__v3_window_load(taco__v3_store *x, size_t level, uint64_t first,
                                   const uint32_t *rows, size_t n, taco_error *err);
/* Appends the path for GDAL of a sample's file; the sample is loaded. */
TACO__FN bool taco__v3_window_append(const taco__v3_store *x, size_t file, size_t sample,
                                     taco__buf *out, bool *none, taco_error *err);
TACO__FN void taco__v3_window_free(taco__v3_store *x);

/* ---- v3_wide.c ---- */

TACO__FN bool taco__v3_wide_read(taco__container *s, uint32_t n, taco_error *err);

/* ---- v3_filter.c ---- */

TACO__FN taco__expr *taco__v3_filter_bbox(taco__arena *arena, const taco__table *t,
                                          const taco_filter *f, taco_error *err);
TACO__FN taco__expr *taco__v3_filter_time(taco__arena *arena, const taco__table *t,
                                          const taco_filter *f, taco_error *err);

/* ---- v3_walk.c ---- */

TACO__FN bool taco__v3_walk(taco_dataset *ds, const char *path, taco__nav_node *out,
                            taco__arena *arena, taco_error *err);
TACO__FN taco_cursor *taco__v3_walk_read(taco_dataset *ds, const taco__nav_node *n,
                                         taco_error *err);

/* ---- v3_info.c ---- */

TACO__FN bool taco__v3_info_write(taco_dataset *ds, taco__buf *out, taco_error *err);

/* ---- v3_check.c ---- */

TACO__FN bool taco__v3_check_run(taco_dataset *ds, struct taco__findings *f, taco_error *err);

/* ---- v3_check_level.c ---- */

TACO__FN bool taco__v3_check_level(taco__v3_check *c, size_t level, taco_error *err);

#endif /* TACO__V3_H */
