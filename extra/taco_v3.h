/* taco_v3.h - TACO 3, every draft of it: archives, FOLDERs, catalogues, lists of sources; read
   only.

   Optional, next to taco.h and taco_parquet.h. In the one source file that holds the
   implementation:

       #define TACO_IMPLEMENTATION
       #include "taco_v3.h"          (includes the other headers it needs)

   C99 or C++11; nothing but libc. What taco.h says about errors, ownership, limits and threads
   holds here.

       const taco_opener *openers[] = {taco_v3_opener(), NULL};
       taco_options       opt = {0};
       opt.openers = openers;
       ds = taco_open("dataset.zip", &opt, &err);

   Level 0 of the dataset is the relation `dataset`: a row for each sample, with its columns, its
   number (taco:sample_index), in a catalogue or a list of sources the archive (source_file), and
   for each declared file FILE::location, its path for GDAL, and FILE::minimum and the like, if
   there are statistics. A sequence of files img*[1,12].tif is one column of lists, img::location,
   in the order of the numbers. Keys of samples are ids or positions, then a path:
   "scene-5/before/B02.tif", "@0/before/B02.tif".

   GENERATED from src/ by `make headers`: edit src/, not this file. src/where.sh taco_v3.h:LINE
   prints where a line comes from. */
#ifndef TACO_V3_H
#define TACO_V3_H

#include "taco_write.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the opener of TACO 3, for taco_options.openers. taco_open then takes CoZIP archives
   whatever their names, whose index, ranges and hash are checked, and directories: a FOLDER, a
   .tacocat or its parent; taco_open_many several archives or FOLDERs of one collection.
   taco:version must be 3.0.0, as it has been in all drafts. A constant. */
TACO_API const taco_opener *taco_v3_opener(void);

/* Returns a table as a dataset of one level, for queries, SQL and exports: "sample", "children",
   "children/before" (the contents of each sample's folder `before`), or "dataset", which is ds.
   Tables have the columns that are stored, and internal:gdal_vsi. It is closed with ds. NULL, with
   NOT_FOUND, if there is no such table. */
TACO_API taco_dataset *taco_v3_table(taco_dataset *ds, const char *name, taco_error *err);

/* Returns a list of columns of level 0 for taco_query.select: all columns of the samples, and those
   of the n declared files, of the files' columns no others (n 0: those of every file). A file is
   named as in taco:structure, a sequence also without its "*[...]".

       ds           a TACO 3
       files        names of declared files; NOT_FOUND, with the name, for any other
       n            how many
       places_only  only FILE::location, and no columns of the samples

   The text is valid until the next call for ds. NULL on failure. */
TACO_API const char *taco_v3_columns(taco_dataset *ds, const char *const *files, size_t n,
                                     bool places_only, taco_error *err);

#ifdef __cplusplus
}
#endif
#endif /* TACO_V3_H */

#if defined(TACO_IMPLEMENTATION) && !defined(TACO__V3_IMPLEMENTED)
#define TACO__V3_IMPLEMENTED
#include "taco_write.h" /* its implementation too, where only its declarations were seen before */

/* Made from these files of src/ by `make headers`; edit them, not this.

   taco3/v3.h                           TACO 3: archives (CoZIP), FOLDERs and catalogues, read as datasets
   taco3/cozip.c                        the index of a CoZIP archive: names and ranges, every one of them checked
   taco3/v3_contract.c                  taco:structure and taco:metadata: the levels, and the files that every sample has
   taco3/v3_open.c                      the opener of TACO 3: archives, FOLDERs, catalogues, and lists of these
   taco3/v3_level.c                     the tables of the levels, each also as a dataset of one level
   taco3/v3_places.c                    where the bytes of rows are, and which rows belong to which sample and file
   taco3/v3_window.c                    the places of few samples of a large archive, read without those of all others
   taco3/v3_wide.c                      level 0, the relation `dataset`: a row for each sample, with the places of its files
   taco3/v3_filter.c                    boxes and periods on the columns of all drafts of TACO 3
   taco3/v3_walk.c                      from a key and a path to a file, and the rows below a sample or a folder
   taco3/v3_info.c                      the description of a TACO 3 as JSON, and which columns belong to a declared file
   taco3/v3_check.c                     taco_validate of TACO 3: the collection, the archive, the files of a FOLDER, the
   taco3/v3_check_level.c               a table of TACO 3: its columns against the contract, and every row
*/

/* ==== src/taco3/v3.h ==== */
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

/* #include "../api/taco_v3.h" */
/* #include "../base/base.h" */
/* #include "../base/json.h" */
/* #include "../arrow/arrow.h" */
/* #include "../parquet/parquet.h" */
/* #include "../filter/filter.h" */
/* #include "../dataset/dataset.h" */
/* #include "../validate/validate.h" */

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
/* ==== src/taco3/cozip.c ==== */
/* cozip.c - the index of a CoZIP archive: names and ranges, every one of them checked

   In: the first bytes of an archive and its last 32 KiB, read in one round. Out: the entries of its
   index. CoZIP 1: the first entry of the archive is __cozip__, stored, with an extra field 0xCA0C
   that has the hash of the index and of the end of the archive.

       30 + 9 + 12 bytes: local header, name, extra field 0xCA0C; then, all little-endian,
       "CZIP", u16 version, u8 profile, u32 n,
       n x u16 lengths, names, n x u64 offsets from byte 0, n x u64 sizes

   No bytes may be left over, names are unique and cannot lead out of a directory, and ranges lie in
   the archive, after the header. The hash, FNV-1a of 64 bits, covers the index, then the last
   32,768 bytes: the central directory and the end of the metadata. It is checked always, of local
   files, too: an archive that was cut or changed is noticed before anything of it is used. Nothing
   is read from the central directory, which validation compares with the index. The words in
   capitals that begin messages are the names that CoZIP gives to errors.

   Start reading at taco__cozip_read. */
/* #include "v3.h" */

/* Whether a file begins with an entry __cozip__: whatever is wrong with the rest, it is one. */
TACO__FN bool taco__cozip_is_head(taco_bytes head)
{
    return head.len >= 39 && taco__load_le32(head.data) == TACO__ZIP_SIG_LOCAL &&
           taco__load_le16(head.data + 26) == 9 && memcmp(head.data + 30, "__cozip__", 9) == 0;
}

/* ---- the local header ---- */

/* A fault of the index at a byte of the archive; false. */
static bool taco__cozip_fail(uint64_t at, const char *what, taco_error *err)
{
    TACO__FAIL(err, TACO_ERR_CORRUPT, at, "%s", what);
    return false;
}

/* Checks the local header, and sets *size to the bytes of the index. */
static bool taco__cozip_check_header(const uint8_t *p, uint64_t file_size, uint64_t *size,
                                     taco_error *err)
{
    uint32_t stored = taco__load_le32(p + 18), plain = taco__load_le32(p + 22);
    if (taco__load_le16(p + 6) & 0x2049U) {
        return taco__cozip_fail(
            6, "INVALID_LFH: __cozip__ is encrypted, patched or has a descriptor", err);
    }
    if (taco__load_le16(p + 8)) {
        return taco__cozip_fail(8, "INVALID_LFH: __cozip__ is compressed, must be stored", err);
    }
    if (stored != plain || !plain || plain == UINT32_MAX) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, 18,
                   "INVALID_LFH: __cozip__ has sizes %u and %u, must be equal and not 0",
                   TACO__U(stored), TACO__U(plain));
        return false;
    }
    if (taco__load_le16(p + 28) != 12 || taco__load_le16(p + 39) != 0xCA0C ||
        taco__load_le16(p + 41) != 8) {
        return taco__cozip_fail(28, "INVALID_LFH: __cozip__ has no extra field 0xCA0C with a hash",
                                err);
    }
    if (!taco__checked_range(TACO__COZIP_HEADER_BYTES, plain, file_size)) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, 22,
                   "TRUNCATED_INDEX: an index of %u bytes, the archive has %u", TACO__U(plain),
                   file_size);
        return false;
    }
    *size = plain;
    return true;
}

/* ---- the hash ---- */

/* FNV-1a, 64 bits. */
static uint64_t taco__cozip_hash(uint64_t h, const uint8_t *p, size_t n)
{
    size_t i;
    for (i = 0; i < n; i++) {
        h = (h ^ p[i]) * UINT64_C(0x100000001B3);
    }
    return h;
}

/* The hash of the index, then of the last bytes of the archive; bytes in both count once. */
static bool taco__cozip_check_hash(taco__file *f, taco_bytes index, uint64_t stored,
                                   taco_error *err)
{
    uint64_t end = TACO__COZIP_HEADER_BYTES + (uint64_t)index.len,
             at = TACO__MAX(f->src.size - TACO__COZIP_TAIL_BYTES, end), h;
    size_t n = (size_t)(f->src.size - at);
    const uint8_t *tail;
    taco__buf scratch;
    memset(&scratch, 0, sizeof scratch);
    scratch.mem = f->mem;
    h = taco__cozip_hash(UINT64_C(0xCBF29CE484222325), index.data, index.len);
    tail = n ? taco__file_view(f, at, n, &scratch, err) : index.data;
    if (tail) { h = taco__cozip_hash(h, tail, n); }
    taco__buf_free(&scratch);
    if (!tail) { return false; }
    if (h != stored) {
        TACO__FAIL(err, TACO_ERR_CHECKSUM, 43,
                   "HASH_MISMATCH: index and end of the archive have another hash than stored");
        return false;
    }
    return true;
}

/* ---- the entries ---- */

/* Checks one entry. */
static bool taco__cozip_check_entry(const taco__cozip_entry *e, uint64_t file_size, uint64_t at,
                                    taco_error *err)
{
    static const char what[] = "INVALID_NAME: the index: name";
    const taco_bytes name = e->name;
    size_t i;
    for (i = 0; i < name.len && name.data[i] <= 0x7F; i++) {}
    if (i < name.len || (name.len > 1 && name.data[1] == ':') ||
        taco__bytes_equal(name, taco__bytes_text("__cozip__")) ||
        taco__bytes_equal(name, taco__bytes_text("__cozip_padding__"))) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, at, "%s %q is not ASCII, has a drive, or is reserved",
                   what, &name);
        return false;
    }
    if (taco__vsi_check_path(name, false, what, err) != TACO_OK) { return false; }
    if (e->range.len == 0 || e->range.offset < TACO__COZIP_HEADER_BYTES ||
        !taco__checked_range(e->range.offset, e->range.len, file_size)) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, at,
                   "INVALID_OFFSET: the index has %q at %u with %u bytes, the archive has %u",
                   &e->name, e->range.offset, e->range.len, file_size);
        return false;
    }
    return true;
}

/* The offset of names in the index, and whether its parts add up to its size. */
static bool taco__cozip_check_lengths(taco_bytes index, uint64_t n, size_t *names, taco_error *err)
{
    uint64_t total = TACO__COZIP_FIXED_BYTES, i;
    if (n > index.len / 19) { /* the least that an entry takes: a length, a byte, two numbers */
        TACO__FAIL(err, TACO_ERR_CORRUPT, 58, "TRUNCATED_INDEX: %u entries in an index of %u bytes",
                   n, TACO__U(index.len));
        return false;
    }
    *names = TACO__COZIP_FIXED_BYTES + 2 * (size_t)n;
    total += n * 18;
    for (i = 0; i < n; i++) {
        uint16_t len = taco__load_le16(index.data + TACO__COZIP_FIXED_BYTES + 2 * i);
        if (!len) { return taco__cozip_fail(62 + 2 * i, "INVALID_NAME: an empty name", err); }
        total += len;
    }
    if (total != index.len) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, 58,
                   "TRUNCATED_INDEX: %u entries need %u bytes, the index has %u", n, total,
                   TACO__U(index.len));
        return false;
    }
    return true;
}

/* Reads the entries of an index whose hash is right; names are copied to the arena. */
static bool taco__cozip_read_entries(taco_bytes index, uint64_t file_size, taco__arena *arena,
                                     taco__cozip *out, taco_error *err)
{
    size_t n = taco__load_le32(index.data + 7), at, numbers, i;
    bool ok = true;
    if (!taco__cozip_check_lengths(index, n, &at, err)) { return false; }
    numbers = index.len - 16 * n;
    out->entries = (taco__cozip_entry *)taco__arena_array(arena, n + 1, sizeof *out->entries, err);
    for (i = 0; (ok = ok && out->entries) && i < n; i++) {
        taco__cozip_entry *e = &out->entries[i];
        size_t len = taco__load_le16(index.data + TACO__COZIP_FIXED_BYTES + 2 * i);
        char *name = taco__arena_text(arena, taco__bytes_of(index.data + at, len), err);
        taco__hash_slot *slot = NULL;
        bool added = true;
        e->name = taco__bytes_of(name, len);
        e->range.offset = taco__load_le64(index.data + numbers + 8 * i);
        e->range.len = taco__load_le64(index.data + numbers + 8 * n + 8 * i);
        ok = name && taco__cozip_check_entry(e, file_size, TACO__COZIP_HEADER_BYTES + at, err);
        slot = ok ? taco__hash_map_add(&out->names, e->name, &added, err) : NULL;
        ok = slot != NULL;
        if (ok) { slot->value = i; }
        if (ok && !added) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO__COZIP_HEADER_BYTES + at,
                       "DUPLICATE_NAME: the index lists %q twice", &e->name);
            ok = false;
        }
        at += len;
    }
    out->count = n;
    return ok;
}

/* Checks what precedes the entries. */
static bool taco__cozip_check_fixed(taco_bytes index, taco_error *err)
{
    if (index.len < TACO__COZIP_FIXED_BYTES || memcmp(index.data, "CZIP", 4) != 0) {
        return taco__cozip_fail(51, "INVALID_MAGIC: the index does not begin with CZIP", err);
    }
    if (taco__load_le16(index.data + 4) != 1) {
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, 55,
                   "UNSUPPORTED_VERSION: CoZIP version %u, 1 is supported",
                   TACO__U(taco__load_le16(index.data + 4)));
        return false;
    }
    if (index.data[6] != 2) {
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, 57,
                   "UNKNOWN_PROFILE: a CoZIP of profile %u, not a TACO 3 (2)",
                   TACO__U(index.data[6]));
        return false;
    }
    return true;
}

/* Fetches the index, or what of it is in the first bytes, and the end, in one round. */
static bool taco__cozip_fetch(taco__file *f, taco_error *err)
{
    taco__range want[2];
    bool roomy = taco__mem_ahead(f->mem, TACO__COZIP_FIRST_BYTES) == TACO__COZIP_FIRST_BYTES;
    want[0].offset = 0;
    want[0].len = TACO__MIN(f->src.size, (uint64_t)TACO__COZIP_FIRST_BYTES);
    want[1].offset = f->src.size - TACO__COZIP_TAIL_BYTES;
    want[1].len = TACO__COZIP_TAIL_BYTES;
    return taco__file_fetch(f, want, roomy ? 2 : 0, err);
}

/* Checks the index in the order in which its bytes may be trusted: magic and version say whether it
   is one, the hash whether it is whole, and only then are names and ranges taken from it. */
static bool taco__cozip_read_index(taco__file *f, const uint8_t *header, uint64_t size,
                                   taco__arena *arena, taco__cozip *out, taco_error *err)
{
    uint64_t stored = taco__load_le64(header + 43);
    taco__buf scratch;
    taco_bytes index;
    bool ok;
    memset(&scratch, 0, sizeof scratch);
    scratch.mem = f->mem;
    index.len = (size_t)size;
    index.data = taco__file_view(f, TACO__COZIP_HEADER_BYTES, index.len, &scratch, err);
    ok = index.data && taco__cozip_check_fixed(index, err) &&
         taco__cozip_check_hash(f, index, stored, err) &&
         taco__cozip_read_entries(index, f->src.size, arena, out, err);
    taco__buf_free(&scratch);
    return ok;
}

/* Reads and checks the index of an archive; taco__cozip_free frees it. */
TACO__FN bool taco__cozip_read(taco__file *f, taco__arena *arena, const taco_limits *limits,
                               taco__cozip *out, taco_error *err)
{
    uint8_t header[TACO__COZIP_HEADER_BYTES];
    uint64_t size;
    memset(out, 0, sizeof *out);
    out->names.mem = arena->mem;
    if (f->src.size < TACO__COZIP_HEADER_BYTES + TACO__COZIP_TAIL_BYTES) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, TACO_NO_OFFSET,
                   "ARCHIVE_TOO_SMALL: %u bytes, a CoZIP has at least %u", f->src.size,
                   TACO__U(TACO__COZIP_HEADER_BYTES + TACO__COZIP_TAIL_BYTES));
        return false;
    }
    if (!taco__cozip_fetch(f, err) || !taco__file_read(f, 0, header, sizeof header, err) ||
        !taco__cozip_check_header(header, f->src.size, &size, err)) {
        return false;
    }
    if (size > limits->max_metadata || size > SIZE_MAX / 2) {
        TACO__FAIL(err, TACO_ERR_LIMIT, 22, "an index of %u bytes, limits.max_metadata is %u", size,
                   limits->max_metadata);
        return false;
    }
    return taco__cozip_read_index(f, header, size, arena, out, err);
}

/* The entry of that name; NULL: none. */
TACO__FN const taco__cozip_entry *taco__cozip_find(const taco__cozip *x, taco_bytes name)
{
    const taco__hash_slot *slot = taco__hash_map_find(&x->names, name);
    return slot ? &x->entries[slot->value] : NULL;
}

/* Also after a failure of taco__cozip_read. */
TACO__FN void taco__cozip_free(taco__cozip *x)
{
    taco__hash_map_free(&x->names);
}
/* ==== src/taco3/v3_contract.c ==== */
/* v3_contract.c - taco:structure and taco:metadata: the levels, and the files that every sample has

   In: the root of COLLECTION.json. Out: a taco__v3_contract: levels with parents before children,
   and declared files with the level of their rows. taco:structure is a list of relative paths,
   whose last component may be a sequence, `img*[1,12].tif`: img0.tif and at most eleven more.
   taco:metadata has the levels, with the fields of each. TACO 3 "Structure", "Metadata contract".

   Start reading at taco__v3_contract_read. */
/* #include "v3.h" */

/* ---- levels ---- */

/* The name of a level's table: "children/a/b" is in children__a__b.parquet. */
static const char *taco__v3_contract_file_name(taco__arena *arena, taco_bytes name, taco_error *err)
{
    size_t i, n = 0;
    char *to = (char *)taco__arena_alloc(arena, 2 * name.len + 9, err);
    for (i = 0; to && i < name.len; i++) {
        to[n++] = name.data[i] == '/' ? '_' : (char)name.data[i];
        if (name.data[i] == '/') { to[n++] = '_'; }
    }
    if (to) { memcpy(to + n, ".parquet", 9); }
    return to;
}

/* Whether a path, or the name of a level, can be one inside a sample. */
static bool taco__v3_contract_check_path(taco_bytes path, const char *what, taco_error *err)
{
    size_t i;
    for (i = 0; i < path.len && path.data[i] >= 0x20 && path.data[i] <= 0x7E; i++) {}
    if (i < path.len) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "%s: %q is not printable ASCII", what,
                   &path);
        return false;
    }
    return taco__vsi_check_path(path, false, what, err) == TACO_OK;
}

/* The bytes before the last '/'; {NULL, 0} without one. */
static taco_bytes taco__v3_contract_folder(taco_bytes path)
{
    size_t n = path.len;
    while (n && path.data[n - 1] != '/') {
        n--;
    }
    return taco__bytes_of(path.data, n ? n - 1 : 0);
}

/* How deep a level is: 0 for sample, 1 for children. */
static size_t taco__v3_contract_depth(taco_bytes name)
{
    size_t i, n = taco__bytes_starts_with(name, "children");
    for (i = 0; i < name.len; i++) {
        n += name.data[i] == '/';
    }
    return n;
}

/* By depth, then by name: parents come first. */
static int taco__v3_contract_compare(taco_bytes a, taco_bytes b)
{
    size_t m = taco__v3_contract_depth(a), n = taco__v3_contract_depth(b);
    return m != n ? (m < n ? -1 : 1) : taco__bytes_compare(a, b);
}

/* taco__sort_compare. */
static int taco__v3_contract_compare_levels(const void *ctx, const void *a, const void *b)
{
    (void)ctx;
    return taco__v3_contract_compare(taco__bytes_text(((const taco__v3_level *)a)->name),
                                     taco__bytes_text(((const taco__v3_level *)b)->name));
}

/* The index of a level; TACO__NONE: there is none of that name. */
TACO__FN size_t taco__v3_contract_find_level(const taco__v3_contract *c, taco_bytes name)
{
    size_t at = 0;
    TACO__LOWER_BOUND(at, c->level_count, i,
                      taco__v3_contract_compare(taco__bytes_text(c->levels[i].name), name) < 0);
    return at < c->level_count && taco__bytes_equal(taco__bytes_text(c->levels[at].name), name)
               ? at
               : TACO__NONE;
}

/* Adds one level, if its name can be one. */
static bool taco__v3_contract_add_level(taco__arena *arena, taco__v3_contract *c,
                                        const taco__json *key, const taco__json *fields,
                                        taco_error *err)
{
    taco_bytes name = taco__json_bytes(key);
    taco__v3_level *l = &c->levels[c->level_count];
    if (!taco__json_is(fields, TACO__JSON_OBJECT)) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, key->begin,
                   "taco:metadata: level %q must be an object, found %s", &name,
                   taco__json_type_name(fields));
        return false;
    }
    if (!(taco__bytes_equal(name, taco__bytes_text("sample")) ||
          taco__bytes_equal(name, taco__bytes_text("children")) ||
          taco__bytes_starts_with(name, "children/"))) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, key->begin, "taco:metadata: %q is not a level", &name);
        return false;
    }
    if (!taco__v3_contract_check_path(name, "taco:metadata", err)) { return false; }
    l->name = taco__arena_text(arena, name, err);
    l->file = l->name ? taco__v3_contract_file_name(arena, name, err) : NULL;
    l->fields = fields;
    c->level_count += l->file != NULL;
    return l->file != NULL;
}

/* Finds the parent of each level. */
static bool taco__v3_contract_find_parents(taco__v3_contract *c, taco_error *err)
{
    size_t i;
    for (i = 0; i < c->level_count; i++) {
        taco_bytes name = taco__bytes_text(c->levels[i].name);
        taco_bytes above = taco__v3_contract_folder(name);
        if (i == 0) {
            c->levels[i].parent = TACO__NONE;
            continue;
        }
        if (strcmp(c->levels[i - 1].name, c->levels[i].name) == 0) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "taco:metadata has level %q twice",
                       &name);
            return false;
        }
        c->levels[i].parent = above.len ? taco__v3_contract_find_level(c, above) : 0;
        if (c->levels[i].parent == TACO__NONE) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "taco:metadata has level %q, but not its parent %q", &name, &above);
            return false;
        }
    }
    return true;
}

/* Reads taco:metadata. The order of the document does not matter: levels are sorted by depth, so
   that a level can be resolved after its parent. */
static bool taco__v3_contract_read_levels(taco__arena *arena, const taco__json *root,
                                          taco__v3_contract *c, taco_error *err)
{
    const taco__json *metadata = taco__json_get(root, "taco:metadata"), *key;
    size_t n = taco__json_is(metadata, TACO__JSON_OBJECT) ? metadata->count : 0;
    if (!taco__json_is(metadata, TACO__JSON_OBJECT) || n > TACO__V3_MOST) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, (metadata ? metadata : root)->begin,
                   "taco:metadata must be an object of at most %u levels, found %s",
                   TACO__U(TACO__V3_MOST), taco__json_type_name(metadata));
        return false;
    }
    c->levels = (taco__v3_level *)taco__arena_array(arena, n + 1, sizeof *c->levels, err);
    for (key = c->levels ? taco__json_first(metadata) : NULL; key && n; n--) {
        const taco__json *value = key + 1;
        if (!taco__v3_contract_add_level(arena, c, key, value, err)) { return false; }
        key = n > 1 ? taco__json_next(value) : NULL;
    }
    if (!c->levels || !taco__sort_in(arena->mem, c->levels, c->level_count, sizeof *c->levels,
                                     taco__v3_contract_compare_levels, NULL, err)) {
        return false;
    }
    if (c->level_count < 2 || strcmp(c->levels[0].name, "sample") != 0 ||
        strcmp(c->levels[1].name, "children") != 0) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, metadata->begin,
                   "taco:metadata must have the levels sample and children");
        return false;
    }
    return taco__v3_contract_find_parents(c, err);
}

/* ---- files ---- */

/* A number without leading zeros, with blanks around it; moves *p past it. */
static bool taco__v3_contract_read_number(const char **p, uint64_t *out)
{
    const char *from;
    while (**p == ' ') {
        ++*p;
    }
    from = *p;
    while (taco__ascii_is_digit((uint8_t) * *p)) {
        ++*p;
    }
    if (!taco__num_parse_u64(taco__bytes_of(from, (size_t)(*p - from)), out) ||
        (*from == '0' && *p - from > 1)) {
        return false;
    }
    while (**p == ' ') {
        ++*p;
    }
    return true;
}

/* prefix*[a,b]suffix, where `star` is the '*' of a file's last component. */
static bool taco__v3_contract_read_sequence(taco__arena *arena, taco__v3_file *f, const char *star,
                                            taco_error *err)
{
    const char *p = star + 1;
    taco_bytes path = taco__bytes_text(f->path);
    f->sequence = true;
    if (*p++ != '[' || !taco__v3_contract_read_number(&p, &f->least) || *p++ != ',' ||
        !taco__v3_contract_read_number(&p, &f->most) || *p++ != ']' || strchr(p, '*') ||
        f->name.len == 0) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "taco:structure: %q is not prefix*[least,most]suffix", &path);
        return false;
    }
    if (f->least < 1 || f->most < f->least) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "taco:structure: %q has from %u to %u files, must be at least 1 and not less",
                   &path, f->least, f->most);
        return false;
    }
    f->after = taco__bytes_text(p);
    f->made = taco__arena_text(arena, taco__bytes_of(f->path, (size_t)(star - f->path)), err);
    return f->made != NULL;
}

/* Reads one declared path. */
static bool taco__v3_contract_read_file(taco__arena *arena, const taco__v3_contract *c,
                                        const taco__json *node, taco__v3_file *f, taco_error *err)
{
    taco_bytes path = taco__json_bytes(node), folder, level;
    const char *star;
    char *name;
    if (!taco__v3_contract_check_path(path, "taco:structure", err)) { return false; }
    folder = taco__v3_contract_folder(path);
    name = (char *)taco__arena_alloc(arena, folder.len + 10, err);
    f->path = f->made = taco__arena_text(arena, path, err);
    if (!name || !f->path) { return false; }
    memcpy(name, "children/", 9);
    if (folder.len) { memcpy(name + 9, folder.data, folder.len); }
    level = taco__bytes_of(name, folder.len ? folder.len + 9 : 8);
    f->level = taco__v3_contract_find_level(c, level);
    if (f->level == TACO__NONE) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, node->begin,
                   "taco:structure has %q, but taco:metadata has no level %q", &path, &level);
        return false;
    }
    f->name = taco__bytes_text(f->path + (folder.len ? folder.len + 1 : 0));
    star = strchr(f->path, '*');
    if (!star) { return true; }
    if ((const uint8_t *)star < f->name.data) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, node->begin, "taco:structure: a '*' in a folder of %q",
                   &path);
        return false;
    }
    f->name.len = (size_t)((const uint8_t *)star - f->name.data);
    return taco__v3_contract_read_sequence(arena, f, star, err);
}

/* The number of a file of a sequence, if the name in its folder is one: without leading zeros,
   below `most`. */
TACO__FN bool taco__v3_contract_number(const taco__v3_file *f, taco_bytes name, uint64_t *out)
{
    taco_bytes digits;
    size_t n = f->name.len + f->after.len;
    if (name.len <= n || memcmp(name.data, f->name.data, f->name.len) != 0 ||
        (f->after.len &&
         memcmp(name.data + name.len - f->after.len, f->after.data, f->after.len) != 0)) {
        return false;
    }
    digits = taco__bytes_of(name.data + f->name.len, name.len - n);
    return taco__vsi_parse_number(digits, out) && (digits.data[0] != '0' || digits.len == 1) &&
           *out < f->most;
}

/* Whether bytes could be part of the number of a file. */
static bool taco__v3_contract_all_digits(const uint8_t *p, size_t n)
{
    while (n && taco__ascii_is_digit(p[n - 1])) {
        n--;
    }
    return n == 0;
}

/* Whether two sequences of a folder may have a name in common: one prefix continues the other with
   digits, and one suffix the other. */
static bool taco__v3_contract_meet(const taco__v3_file *a, const taco__v3_file *b)
{
    size_t p = TACO__MIN(a->name.len, b->name.len), s = TACO__MIN(a->after.len, b->after.len);
    const taco__v3_file *x = a->name.len > b->name.len ? a : b;
    const taco__v3_file *y = a->after.len > b->after.len ? a : b;
    return (!p || memcmp(a->name.data, b->name.data, p) == 0) &&
           taco__v3_contract_all_digits(x->name.data + p, x->name.len - p) &&
           (!s ||
            memcmp(a->after.data + a->after.len - s, b->after.data + b->after.len - s, s) == 0) &&
           taco__v3_contract_all_digits(y->after.data, y->after.len - s);
}

/* No name may be one of a sequence and also of something else. */
static bool taco__v3_contract_check_sequences(taco__arena *arena, const taco__v3_contract *c,
                                              taco_error *err)
{
    size_t *list = (size_t *)taco__arena_array(arena, c->file_count + 1, sizeof *list, err);
    size_t i, k, n = 0;
    uint64_t number;
    for (i = 0; list && i < c->file_count; i++) {
        if (c->files[i].sequence) { list[n++] = i; }
    }
    if (list && n > TACO__V3_MOST_SEQUENCES) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "taco:structure has %u sequences, at most %u are supported", TACO__U(n),
                   TACO__U(TACO__V3_MOST_SEQUENCES));
        return false;
    }
    for (k = 0; list && k < n; k++) {
        const taco__v3_file *a = &c->files[list[k]];
        for (i = 0; i < c->file_count; i++) {
            const taco__v3_file *b = &c->files[i];
            if (i == list[k] || a->level != b->level ||
                !(b->sequence ? taco__v3_contract_meet(a, b)
                              : taco__v3_contract_number(a, b->name, &number))) {
                continue;
            }
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "taco:structure: %s and %s have names in common", a->path, b->path);
            return false;
        }
    }
    return list != NULL;
}

/* Reads the contract of a collection. What only validation minds, such as names that differ in case
   alone, is left to it, and two columns of one name are refused when level 0 is opened. */
TACO__FN bool taco__v3_contract_read(taco__arena *arena, const taco__json *root,
                                     taco__v3_contract *out, taco_error *err)
{
    const taco__json *structure = taco__json_get(root, "taco:structure"), *node;
    size_t n = taco__json_length(structure);
    memset(out, 0, sizeof *out);
    if (taco__json_is(structure, TACO__JSON_NULL)) { /* until taco-eo 0.8: no files are declared */
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, structure->begin,
                   "taco:structure is null, as in drafts of one undeclared file per sample, which "
                   "are not read");
        return false;
    }
    if (!taco__json_is(structure, TACO__JSON_ARRAY) || n == 0 || n > TACO__V3_MOST) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, (structure ? structure : root)->begin,
                   "taco:structure must be a list of 1 to %u paths, found %s of %u",
                   TACO__U(TACO__V3_MOST), taco__json_type_name(structure), TACO__U(n));
        return false;
    }
    if (!taco__v3_contract_read_levels(arena, root, out, err)) { return false; }
    out->files = (taco__v3_file *)taco__arena_array(arena, n, sizeof *out->files, err);
    for (node = out->files ? taco__json_first(structure) : NULL; node && out->file_count < n;
         out->file_count++) {
        if (!taco__v3_contract_read_file(arena, out, node, &out->files[out->file_count], err)) {
            return false;
        }
        node = out->file_count + 1 < n ? taco__json_next(node) : NULL;
    }
    return out->files && taco__v3_contract_check_sequences(arena, out, err);
}
/* ==== src/taco3/v3_open.c ==== */
/* v3_open.c - the opener of TACO 3: archives, FOLDERs, catalogues, and lists of these

   In: paths. Out: a dataset with a container for each, whose level 0 is the wide relation. What is
   at a path is told by its first bytes (an entry __cozip__), or by the collection of a directory,
   never by a suffix or a version. An archive is read in two rounds: index and end, then collection
   and footers. Start reading at taco__v3_open. */
/* #include "v3.h" */

/* Metadata of an archive up to this size is read in one piece. */
#define TACO__V3_WHOLE_BYTES 1048576
/* Most footers that are fetched with the collection. */
#define TACO__V3_FOOTERS 64

/* taco_opener.detect. A CoZIP of another profile is claimed as well: its message is then about
   that. */
static bool taco__v3_detect(taco__container *s, const char *path, taco_bytes head)
{
    (void)s;
    (void)path;
    return head.data && taco__cozip_is_head(head);
}

/* A key of TACO 3 that TACO 2 does not have, and not the other way around. */
static bool taco__v3_is_collection(taco_bytes json)
{
    return taco__bytes_find(json, 0, taco__bytes_text("\"taco:version\""), false) != SIZE_MAX &&
           taco__bytes_find(json, 0, taco__bytes_text("\"taco:pit_schema\""), false) == SIZE_MAX;
}

/* ---- the collection ---- */

/* Keys of the prefixes that are reserved must be known ones: a later draft may change what they
   mean. Of a key that occurs twice, readers take either. */
static bool taco__v3_open_check_keys(taco__container *s, const taco__json *root, taco_error *err)
{
    static const char *const known[] = {"taco:version", "taco:structure", "taco:metadata",
                                        "taco:sources", "taco:derived",   "taco:extensions"};
    const taco__json *key;
    taco__hash_map seen;
    uint32_t i;
    size_t k;
    bool ok = true, added;
    memset(&seen, 0, sizeof seen);
    seen.mem = s->mem;
    for (i = 0, key = taco__json_first(root); ok && i < root->count;
         i++, key = taco__json_next(key + 1)) {
        taco_bytes name = taco__json_bytes(key);
        ok = taco__hash_map_add(&seen, name, &added, err) != NULL;
        if (ok && !added) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, key->begin, "key %q occurs twice", &name);
            ok = false;
        }
        if (!ok || !(taco__bytes_starts_with(name, "taco:") ||
                     taco__bytes_starts_with(name, "internal:") ||
                     taco__bytes_starts_with(name, "cozip:"))) {
            continue;
        }
        for (k = 0; k < TACO__COUNT(known) && !taco__bytes_equal(name, taco__bytes_text(known[k]));
             k++) {}
        if (k == TACO__COUNT(known)) {
            TACO__FAIL(err, TACO_ERR_UNSUPPORTED, key->begin,
                       "key %q is reserved, and this reader does not know it", &name);
            ok = false;
        }
    }
    taco__hash_map_free(&seen);
    return ok;
}

/* Fills the collection from its parsed document. */
static bool taco__v3_read_members(taco__container *s, taco_error *err)
{
    taco__collection *c = &s->coll;
    const taco__json *root = c->doc.root, *version, *id;
    taco_bytes text;
    if (!taco__json_is(root, TACO__JSON_OBJECT)) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, 0, "a collection must be a JSON object, found %s",
                   taco__json_type_name(root));
        return false;
    }
    if (!taco__v3_open_check_keys(s, root, err)) { return false; }
    version = taco__json_get(root, "taco:version");
    text = taco__json_bytes(version);
    if (!taco__bytes_equal(text, taco__bytes_text(TACO__V3_VERSION))) {
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, (version ? version : root)->begin,
                   version ? "taco:version is %q, " TACO__V3_VERSION " is supported"
                           : "there is no taco:version",
                   &text);
        return false;
    }
    id = taco__json_get(root, "id");
    c->id = taco__json_text(id);
    if (!c->id) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, (id ? id : root)->begin, "id must be a string, found %s",
                   taco__json_type_name(id));
        return false;
    }
    c->taco_version = TACO__V3_VERSION;
    c->dataset_version = taco__json_text(taco__json_get(root, "dataset_version"));
    c->description = taco__json_text(taco__json_get(root, "description"));
    c->title = taco__json_text(taco__json_get(root, "title"));
    c->providers = taco__json_get(root, "providers");
    c->curators = taco__json_get(root, "curators");
    c->extent = taco__json_get(root, "extent");
    c->sources = taco__json_get(root, "taco:sources");
    taco__collection_read_extent(c);
    return true;
}

/* Reads COLLECTION.json in a range of a file. */
static bool taco__v3_read_collection(taco__v3_store *x, taco__file *file, taco__range range,
                                     taco_error *err)
{
    taco__container *s = x->s;
    char *text;
    size_t len;
    if (range.len > s->options->limits.max_metadata || !taco__checked_to_size(range.len, &len)) {
        TACO__FAIL(err, TACO_ERR_LIMIT, range.offset, "%u bytes, limits.max_metadata is %u",
                   range.len, s->options->limits.max_metadata);
        taco__error_prefix(err, "COLLECTION.json");
        return false;
    }
    text = (char *)taco__arena_alloc(s->arena, len + 1, err);
    if (text && taco__file_read(file, range.offset, text, len, err) &&
        taco__json_parse(s->arena, taco__bytes_of(text, len), &s->options->limits, &s->coll.doc,
                         err) == TACO_OK &&
        taco__v3_read_members(s, err) &&
        taco__v3_contract_read(s->arena, s->coll.doc.root, &x->contract, err)) {
        return true;
    }
    taco__error_prefix(err, "COLLECTION.json");
    return false;
}

/* Makes room for what is known of each level and each file. */
static bool taco__v3_alloc(taco__v3_store *x, taco_error *err)
{
    taco__arena *a = x->s->arena;
    size_t n = x->contract.level_count, m = x->contract.file_count;
    x->tables = (taco__v3_table *)taco__arena_array(a, n, sizeof *x->tables, err);
    x->places = (taco__v3_places *)taco__arena_array(a, n, sizeof *x->places, err);
    x->rows = (taco__v3_rows *)taco__arena_array(a, m, sizeof *x->rows, err);
    x->sample_of = (int32_t **)taco__arena_array(a, n, sizeof *x->sample_of, err);
    x->mapped = (bool *)taco__arena_array(a, n, sizeof *x->mapped, err);
    x->windows = (taco__v3_window *)taco__arena_array(a, n, sizeof *x->windows, err);
    return x->windows && x->tables && x->places && x->rows && x->sample_of && x->mapped;
}

/* ---- archives ---- */

/* Fetches the collection and the tables, or their footers, in one round. */
static bool taco__v3_fetch(taco__container *s, const taco__cozip *index,
                           const taco__cozip_entry *collection, taco_error *err)
{
    taco__range want[TACO__V3_FOOTERS + 1];
    uint64_t begin = collection->range.offset, end = begin + collection->range.len;
    size_t i, n = 1;
    want[0] = collection->range;
    for (i = 0; i < index->count; i++) {
        const taco__cozip_entry *e = &index->entries[i];
        uint64_t tail = TACO__MIN(e->range.len, (uint64_t)TACO__PQ_FILE_TAIL);
        if (!taco__bytes_starts_with(e->name, "METADATA/")) { continue; }
        begin = TACO__MIN(begin, e->range.offset);
        end = TACO__MAX(end, e->range.offset + e->range.len);
        if (n <= TACO__V3_FOOTERS && s->file.src.read_many) {
            want[n].offset = e->range.offset + e->range.len - tail;
            want[n++].len = tail;
        }
    }
    if (end - begin <= taco__mem_ahead(s->mem, TACO__V3_WHOLE_BYTES)) {
        want[0].offset = begin;
        want[0].len = end - begin;
        n = 1;
    }
    return taco__file_fetch(&s->file, want, n, err);
}

/* The tables that the index lists must be the levels. */
static bool taco__v3_find_tables(taco__v3_store *x, const taco__cozip *index, taco_error *err)
{
    const taco__v3_contract *c = &x->contract;
    size_t i, n = 0;
    for (i = 0; i < c->level_count; i++) {
        const char *name = taco__container_join_path(x->s, "METADATA/", c->levels[i].file, err);
        const taco__cozip_entry *e = name ? taco__cozip_find(index, taco__bytes_text(name)) : NULL;
        if (!name) { return false; }
        if (!e) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "MISSING_ENTRY: taco:metadata has level %s, the index has no %s",
                       c->levels[i].name, name);
            return false;
        }
        x->tables[i].range = e->range;
    }
    for (i = 0; i < index->count; i++) {
        taco_bytes name = index->entries[i].name;
        n += taco__bytes_starts_with(name, "METADATA/") && name.len > 8 &&
             memcmp(name.data + name.len - 8, ".parquet", 8) == 0;
    }
    if (n != c->level_count) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "the index lists %u tables, taco:metadata has %u levels", TACO__U(n),
                   TACO__U(c->level_count));
        return false;
    }
    return true;
}

/* Opens an archive: its index, then the collection that the index locates, then the ranges of the
   tables that the collection demands. */
static bool taco__v3_open_archive(taco__v3_store *x, taco_error *err)
{
    taco__container *s = x->s;
    taco__cozip index;
    const taco__cozip_entry *collection;
    bool ok = taco__cozip_read(&s->file, s->arena, &s->options->limits, &index, err);
    collection = ok ? taco__cozip_find(&index, taco__bytes_text("COLLECTION.json")) : NULL;
    if (ok && !collection) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "MISSING_ENTRY: the index has no COLLECTION.json");
    }
    s->kind = TACO_KIND_ZIP;
    ok = ok && collection && taco__container_set_vsi_root(s, s->name, false, err) &&
         taco__v3_fetch(s, &index, collection, err) &&
         taco__v3_read_collection(x, &s->file, collection->range, err) && taco__v3_alloc(x, err) &&
         taco__v3_find_tables(x, &index, err);
    taco__cozip_free(&index);
    return ok;
}

/* ---- directories ---- */

/* Tables in a directory that the contract does not have. */
typedef struct taco__v3_stray {
    const taco__v3_contract *contract;
    char name[80];
} taco__v3_stray;

/* taco__plat_list_fn. */
static bool taco__v3_note_stray(void *ctx, const char *name, taco__path_kind kind)
{
    taco__v3_stray *stray = (taco__v3_stray *)ctx;
    size_t i, n = TACO__MIN(strlen(name), sizeof stray->name - 1);
    if (kind == TACO__PATH_DIRECTORY || !taco__container_ends_with(name, ".parquet")) {
        return true;
    }
    for (i = 0; i < stray->contract->level_count; i++) {
        if (strcmp(stray->contract->levels[i].file, name) == 0) { return true; }
    }
    memcpy(stray->name, name, n);
    return false;
}

/* On disk, the tables must be the levels; elsewhere a missing one is noticed when it is used. */
static bool taco__v3_check_directory(taco__v3_store *x, const char *dir, taco_error *err)
{
    taco__container *s = x->s;
    taco__v3_stray stray;
    taco_bytes name;
    uint64_t size;
    size_t i;
    if (s->options->open_file || taco__vsi_is_remote(taco__bytes_text(dir))) { return true; }
    for (i = 0; i < x->contract.level_count; i++) {
        const char *path = taco__container_join_path(s, dir, x->contract.levels[i].file, err);
        if (!path) { return false; }
        if (taco__plat_stat(path, &size) != TACO__PATH_FILE) {
            TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "there is no %s, of level %s",
                       x->contract.levels[i].file, x->contract.levels[i].name);
            return false;
        }
    }
    memset(&stray, 0, sizeof stray);
    stray.contract = &x->contract;
    taco__plat_list_dir(dir, taco__v3_note_stray, &stray);
    name = taco__bytes_text(stray.name);
    if (name.len) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "taco:metadata has no level with the table %q", &name);
    }
    return !name.len;
}

/* Opens a FOLDER or a catalogue, whose collection container_open.c has recognized. */
static bool taco__v3_open_directory(taco__v3_store *x, taco_error *err)
{
    taco__container *s = x->s;
    const char *path = taco__container_join_path(s, s->dir, "COLLECTION.json", err), *dir;
    taco_source src;
    taco__file file;
    taco__range whole;
    bool ok;
    if (!path || !taco__source_open_path(s->options, path, &src, err)) { return false; }
    taco__file_init(&file, &src, "", s->mem);
    whole.offset = 0;
    whole.len = src.size;
    ok = taco__v3_read_collection(x, &file, whole, err);
    taco__file_close(&file);
    dir = s->kind == TACO_KIND_FOLDER ? taco__container_join_path(s, s->dir, "METADATA/", err)
                                      : s->dir;
    return ok && dir && taco__v3_alloc(x, err) && taco__v3_check_directory(x, dir, err);
}

/* ---- datasets ---- */

/* The value of a member as in the document. */
static taco_bytes taco__v3_raw(const taco__container *s, const char *key)
{
    const taco__json *n = taco__json_get(s->coll.doc.root, key);
    return n ? taco__json_raw(&s->coll.doc, n) : taco__bytes_of(NULL, 0);
}

/* A list of sources must be of one collection. */
static bool taco__v3_check_alike(const taco__v3 *all, const taco__container *s, taco_error *err)
{
    static const char *const keys[] = {"id", "taco:structure", "taco:metadata"};
    const taco__container *first = &all->ds->stores[0];
    size_t i;
    for (i = 0; i < TACO__COUNT(keys); i++) {
        if (!taco__bytes_equal(taco__v3_raw(s, keys[i]), taco__v3_raw(first, keys[i]))) {
            TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "cannot be read together with %s: another %s", first->name, keys[i]);
            return false;
        }
    }
    if (s->kind == TACO_KIND_TACOCAT || first->kind == TACO_KIND_TACOCAT) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "a catalogue cannot be one of several sources");
        return false;
    }
    return true;
}

/* Makes a detected container one of the dataset. */
static bool taco__v3_open_store(taco__v3 *all, size_t i, taco_error *err)
{
    taco__container *s = &all->ds->stores[i];
    taco__v3_store *x = (taco__v3_store *)taco__arena_alloc(s->arena, sizeof *x, err);
    if (!x) { return false; }
    x->all = all;
    x->index = i;
    x->s = s;
    x->source_names.mem = x->sources.mem = s->mem;
    s->format_state = x;
    s->level_count = 1;
    s->levels[0].name = "dataset";
    s->levels[0].present = s->levels[0].wide = true;
    if (!(s->file_open ? taco__v3_open_archive(x, err) : taco__v3_open_directory(x, err)) ||
        (i && !taco__v3_check_alike(all, s, err))) {
        taco__error_prefix(err, "%s", s->name);
        return false;
    }
    return true;
}

/* The last component of a path, without slashes at its end. */
static taco_bytes taco__v3_base_name(const char *path)
{
    size_t n = strlen(path), k;
    while (n > 1 && taco__plat_is_slash(path[n - 1])) {
        n--;
    }
    k = taco__plat_dir_length(path, n);
    return taco__bytes_of(path + k, n - k);
}

/* The values of source_file: base names, or paths where two of these are the same. */
static bool taco__v3_name_sources(taco_dataset *ds, taco_error *err)
{
    taco__hash_map seen;
    size_t i;
    bool ok = true, clash = false, added;
    memset(&seen, 0, sizeof seen);
    seen.mem = &ds->mem;
    for (i = 0; ok && i < ds->container_count; i++) {
        ok = taco__hash_map_add(&seen, taco__v3_base_name(ds->stores[i].name), &added, err) != NULL;
        clash = clash || !added;
    }
    taco__hash_map_free(&seen);
    for (i = 0; ok && i < ds->container_count; i++) {
        taco__v3_store *x = taco__v3_store_of(&ds->stores[i]);
        x->source = clash
                        ? ds->stores[i].name
                        : taco__arena_text(&ds->arena, taco__v3_base_name(ds->stores[i].name), err);
        ok = x->source != NULL;
    }
    return ok;
}

/* Opens the other sources of a list. */
static bool taco__v3_open_others(taco__v3 *all, const char *const *paths, size_t n, taco_error *err)
{
    taco_dataset *ds = all->ds;
    size_t i;
    if (!taco__dataset_reserve(ds, n, err)) { return false; }
    taco__v3_store_of(&ds->stores[0])->s = &ds->stores[0];
    for (i = 1; i < n; i++) {
        taco__container *s = &ds->stores[i];
        if (!paths[i]) {
            TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path given");
            return false;
        }
        if (!taco__container_open_any(s, paths[i], NULL, &ds->mem, &ds->arena, &ds->options, true,
                                      err)) {
            return false;
        }
        ds->container_count++;
        if (s->format != taco__v3_format()) {
            TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "%s: cannot be read together with %s, a TACO 3", s->name,
                       ds->stores[0].name);
            return false;
        }
        if (!taco__v3_open_store(all, i, err)) { return false; }
    }
    return n == 1 || taco__v3_name_sources(ds, err);
}

/* taco_opener.open: the first container has been detected, the others are opened here. Their rows
   follow each other, and taco:sample_index runs over all of them. */
static bool taco__v3_open(taco_dataset *ds, const char *const *paths, size_t n, taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__v3 *all = (taco__v3 *)taco__arena_alloc(&ds->arena, sizeof *all, err);
    err = err ? err : &own;
    if (!all) { return false; }
    all->ds = ds;
    all->text.mem = &ds->mem;
    if (!taco__v3_open_store(all, 0, err) || (n > 1 && !taco__v3_open_others(all, paths, n, err))) {
        return false;
    }
    all->level_count = taco__v3_store_of(&ds->stores[0])->contract.level_count;
    all->levels =
        (taco_dataset **)taco__arena_array(&ds->arena, all->level_count, sizeof *all->levels, err);
    return all->levels != NULL;
}

/* The tables as datasets use the files of this one: they are closed first. */
static void taco__v3_close(taco__container *s)
{
    taco__v3_store *x = taco__v3_store_of(s);
    size_t i;
    if (!x) { return; }
    for (i = 0; x->index == 0 && x->all->levels && i < x->all->level_count; i++) {
        taco_close(x->all->levels[i]);
    }
    for (i = 0; i < x->column_count; i++) {
        if (x->columns[i].is_held) { taco__row_reader_close(&x->columns[i].held); }
    }
    if (x->index == 0) { taco__buf_free(&x->all->text); }
    taco__v3_window_free(x);
    taco__v3_level_close_tables(x);
    taco__hash_map_free(&x->source_names);
    taco__buf_free(&x->sources);
}

/* Level 0 has ids, and rows of several files each. */
static void taco__v3_roles(const taco__table *t, taco__column_roles *r)
{
    size_t id = taco__table_find_column(t, "id");
    memset(r, 0xFF, sizeof *r);
    r->id = id;
}

static const taco_opener taco__v3_opener = {"taco3",
                                            taco__v3_detect,
                                            taco__v3_open,
                                            taco__v3_wide_read,
                                            NULL,
                                            taco__v3_roles,
                                            NULL,
                                            taco__v3_filter_bbox,
                                            taco__v3_filter_time,
                                            taco__v3_close,
                                            NULL,
                                            taco__v3_check_run,
                                            taco__v3_is_collection,
                                            taco__v3_level_open,
                                            taco__v3_walk,
                                            taco__v3_walk_read,
                                            taco__v3_info_write,
                                            NULL};

TACO__FN const taco_opener *taco__v3_format(void)
{
    return &taco__v3_opener;
}

TACO_API const taco_opener *taco_v3_opener(void)
{
    return &taco__v3_opener;
}
/* ==== src/taco3/v3_level.c ==== */
/* v3_level.c - the tables of the levels, each also as a dataset of one level

   In: the range or the file of a table, and its name in the contract. Out: its footer and the
   columns that readers need (taco__v3_level_table), or a dataset over the tables of all containers
   (taco__v3_level_open), which queries, SQL and exports take like any other. Such a dataset shows
   the stored columns, without those whose names readers reserve, and internal:gdal_vsi. It reads
   the files of the dataset that it belongs to, and has its own memory. */
/* #include "v3.h" */

/* The column that internal:gdal_vsi is taken from. */
#define TACO__V3_LEVEL_PLACE "\1place"

/* ---- tables ---- */

/* Opens the file of a table in a directory. */
static bool taco__v3_level_open_file(taco__v3_store *x, size_t level, taco_error *err)
{
    taco__container *s = x->s;
    taco__v3_table *t = &x->tables[level];
    taco_source src;
    const char *path = taco__container_join_path(s, s->kind == TACO_KIND_FOLDER ? "METADATA/" : "",
                                                 x->contract.levels[level].file, err);
    path = path ? taco__container_join_path(s, s->dir, path, err) : NULL;
    if (!path || !taco__source_open_path(s->options, path, &src, err)) { return false; }
    taco__file_init(&t->file, &src, "", s->mem);
    t->file_open = true;
    t->range.offset = 0;
    t->range.len = src.size;
    return true;
}

/* Drafts agree on uint64; other integers are read, too, as validation says what is wrong. */
TACO__FN bool taco__v3_level_is_integer(const taco__v3_table *t, size_t column)
{
    return column != TACO__NONE && taco__join_is_integer(t->t.fields[column].type);
}

/* Whether a column is there, and is text. */
static bool taco__v3_level_is_text(const taco__v3_table *t, size_t column)
{
    return column != TACO__NONE && t->t.fields[column].type == TACO_TEXT;
}

/* Finds the columns that readers need. */
static void taco__v3_level_find_columns(taco__v3_table *t)
{
    t->current = taco__table_find_column(&t->t, TACO__CURRENT_ID);
    t->parent = taco__table_find_column(&t->t, TACO__PARENT_ID);
    t->path = taco__table_find_column(&t->t, "internal:relative_path");
    t->offset = taco__table_find_column(&t->t, "internal:offset");
    t->size = taco__table_find_column(&t->t, "internal:size");
    t->source = taco__table_find_column(&t->t, TACO__SOURCE_FILE);
    t->id = taco__table_find_column(&t->t, "id");
}

/* Checks that rows can be located: the level below samples needs all columns. */
static bool taco__v3_level_check_columns(const taco__v3_store *x, const taco__v3_table *t,
                                         size_t level, taco_error *err)
{
    bool placed = x->s->kind != TACO_KIND_FOLDER, many = x->s->kind == TACO_KIND_TACOCAT;
    const char *missing =
        !level                                               ? NULL
        : !taco__v3_level_is_integer(t, t->parent)           ? "internal:parent_id of integers"
        : !taco__v3_level_is_text(t, t->path)                ? "internal:relative_path of text"
        : placed && !taco__v3_level_is_integer(t, t->offset) ? "internal:offset of integers"
        : placed && !taco__v3_level_is_integer(t, t->size)   ? "internal:size of integers"
                                                             : NULL;
    missing = !missing && many && !taco__v3_level_is_text(t, t->source)
                  ? "internal:source_file of text"
                  : missing;
    if (missing) {
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET, "there is no column %s", missing);
        return false;
    }
    if (t->t.rows > INT32_MAX) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "%u rows in a level, at most %u are supported", t->t.rows, TACO__U(INT32_MAX));
        return false;
    }
    return true;
}

/* The table of a level, opened; NULL on failure. */
TACO__FN taco__v3_table *taco__v3_level_table(taco__v3_store *x, size_t level, taco_error *err)
{
    taco__container *s = x->s;
    taco__v3_table *t = &x->tables[level];
    const char *name = x->contract.levels[level].file;
    if (t->open) { return t; }
    if (!s->file_open && !t->file_open && !taco__v3_level_open_file(x, level, err)) {
        taco__error_prefix(err, "%s", s->name);
        return NULL;
    }
    if (!taco__container_open_table(s, s->file_open ? &s->file : &t->file, t->range, name, false,
                                    s->arena, &t->pq, &t->t, err)) {
        taco__error_prefix(err, "%s", s->name);
        return NULL;
    }
    t->open = true;
    taco__v3_level_find_columns(t);
    if (!taco__v3_level_check_columns(x, t, level, err)) {
        taco__pq_file_close(&t->pq);
        t->open = false;
        taco__error_prefix(err, "%s: %s", s->name, name);
        return NULL;
    }
    return t;
}

/* Closes tables and their files; may be called after a failure. */
TACO__FN void taco__v3_level_close_tables(taco__v3_store *x)
{
    size_t i;
    for (i = 0; x->tables && i < x->contract.level_count; i++) {
        taco__v3_table *t = &x->tables[i];
        if (t->open) { taco__pq_file_close(&t->pq); }
        if (t->file_open) { taco__file_close(&t->file); }
        t->open = t->file_open = false;
    }
}

/* ---- a table as a dataset ---- */

/* A container of such a dataset: format_state. */
typedef struct taco__v3_part {
    taco__v3_store *x;
    size_t level;
    taco__made_columns made;
} taco__v3_part;

/* taco__made_columns.prepare: there is one column. */
static bool taco__v3_level_prepare(void *ctx, size_t column, taco_error *err)
{
    taco__v3_part *p = (taco__v3_part *)ctx;
    (void)column;
    return taco__v3_places_read(p->x, p->level, err);
}

/* taco__made_columns.append: the paths of rows, null for those of folders. */
static bool taco__v3_level_append(void *ctx, size_t column, uint64_t first, uint64_t n,
                                  taco__array_builder *out, taco_error *err)
{
    const taco__v3_part *p = (const taco__v3_part *)ctx;
    uint64_t i;
    (void)column;
    for (i = first; i < first + n; i++) {
        bool none = true;
        if (!taco__v3_places_append(p->x, p->level, (size_t)i, &out->values, &none, err) ||
            !taco__array_builder_end_row(out, !none, err)) {
            return false;
        }
    }
    return true;
}

/* Columns whose names readers reserve are dropped where they are stored. */
TACO__FN bool taco__v3_level_is_reserved(const char *name)
{
    return strcmp(name, "taco:location") == 0 || strcmp(name, "cozip:location") == 0 ||
           strcmp(name, "taco:sample_index") == 0 || strcmp(name, TACO__GDAL_VSI) == 0;
}

/* taco_opener.level: the table of the dataset that this one belongs to, and a column of places. */
static bool taco__v3_level_read(taco__container *s, uint32_t n, taco_error *err)
{
    taco__v3_part *p = (taco__v3_part *)s->format_state;
    taco__v3_table *t = taco__v3_level_table(p->x, p->level, err);
    taco__level *l = &s->levels[n];
    size_t i, count = t ? t->t.field_count : 0, *shown;
    taco_field *fields;
    if (!t) { return false; }
    fields = (taco_field *)taco__arena_array(s->arena, count + 1, sizeof *fields, err);
    shown = (size_t *)taco__arena_array(s->arena, count + 1, sizeof *shown, err);
    if (!fields || !shown) { return false; }
    memcpy(fields, t->t.fields, count * sizeof *fields);
    l->shown = shown;
    for (i = 0; i < count; i++) {
        if (!taco__v3_level_is_reserved(fields[i].name)) { shown[l->shown_count++] = i; }
    }
    l->table = t->t;
    if (p->level) {
        fields[count++] = taco__field_make(TACO__V3_LEVEL_PLACE, TACO_TEXT);
        p->made.count = 1;
        p->made.ctx = p;
        p->made.prepare = taco__v3_level_prepare;
        p->made.append = taco__v3_level_append;
        l->table.made = &p->made;
    }
    l->table.fields = fields;
    l->table.field_count = count;
    return true;
}

/* Only the paths have a role: the other columns are data here. */
static void taco__v3_level_roles(const taco__table *t, taco__column_roles *r)
{
    size_t place = taco__table_find_column(t, TACO__V3_LEVEL_PLACE);
    memset(r, 0xFF, sizeof *r);
    r->subfile = place;
}

/* Container i of a table as a dataset. */
static bool taco__v3_level_init(taco_dataset *own, size_t i, taco__v3_store *x, size_t level,
                                taco_error *err)
{
    /* never detected, never opened: the dataset is made here */
    static const taco_opener format = {"taco3",
                                       NULL,
                                       NULL,
                                       taco__v3_level_read,
                                       NULL,
                                       taco__v3_level_roles,
                                       NULL,
                                       taco__v3_filter_bbox,
                                       taco__v3_filter_time,
                                       NULL,
                                       NULL,
                                       NULL,
                                       NULL,
                                       NULL,
                                       NULL,
                                       NULL,
                                       NULL,
                                       NULL};
    taco__container *s = &own->stores[i];
    taco__v3_part *p = (taco__v3_part *)taco__arena_alloc(&own->arena, sizeof *p, err);
    if (!p) { return false; }
    p->x = x;
    p->level = level;
    s->mem = &own->mem;
    s->arena = &own->arena;
    s->options = &own->options;
    s->name = x->s->name;
    s->vsi = x->s->vsi;
    s->kind = TACO_KIND_ZIP;
    s->coll = x->s->coll;
    s->format = &format;
    s->format_state = p;
    s->level_count = 1;
    s->levels[0].name = x->contract.levels[level].name;
    s->levels[0].present = true;
    s->levels[0].wide = level == 0;
    own->container_count++;
    return true;
}

/* taco_opener.table. */
TACO__FN taco_dataset *taco__v3_level_open(taco_dataset *ds, taco_bytes name, taco_error *err)
{
    taco__v3_store *first = taco__v3_store_of(&ds->stores[0]);
    taco__v3 *all = first->all;
    size_t level = taco__v3_contract_find_level(&first->contract, name), i;
    taco_dataset *own;
    if (taco__bytes_equal(name, taco__bytes_text("dataset"))) { return ds; }
    if (level == TACO__NONE) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                   "%s: there is no table %q; there are dataset, sample, children and folders "
                   "below, such as children/before",
                   ds->stores[0].name, &name);
        return NULL;
    }
    if (all->levels[level]) { return all->levels[level]; }
    own = taco__dataset_alloc(&ds->options, ds->container_count, err);
    for (i = 0; own && i < ds->container_count; i++) {
        if (!taco__v3_level_init(own, i, taco__v3_store_of(&ds->stores[i]), level, err)) {
            taco_close(own);
            return NULL;
        }
    }
    all->levels[level] = own;
    return own;
}

/* ---- public ---- */

TACO_API taco_dataset *taco_v3_table(taco_dataset *ds, const char *name, taco_error *err)
{
    const taco_opener *format = ds ? ds->stores[0].format : NULL;
    err = taco__error_fresh(err, NULL);
    if (!ds || !name) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given", ds ? "name" : "dataset");
        return NULL;
    }
    if (!format || !format->table) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "%s: not a TACO 3, its tables have no names but numbers: no table %s",
                   ds->stores[0].name, name);
        return NULL;
    }
    return format->table(ds, taco__bytes_text(name), err);
}
/* ==== src/taco3/v3_places.c ==== */
/* v3_places.c - where the bytes of rows are, and which rows belong to which sample and file

   In: the columns that locate rows (parent_id, relative_path, offset, size, source_file). Out: for
   each row its place, and for each declared file the row of each sample, or the rows of a sequence
   in the order of their numbers. A child belongs to the row whose current_id is its parent_id; in
   catalogues of old writers ids begin again in every archive, where they are joined together with
   the archive. What a row is follows from its path: "12/before/B02.tif" is the declared file
   before/B02.tif of a sample. Paths that could lead out of the dataset are refused.

   The numbers of 1 million samples with three files take 16 bytes a row, and 4 for each file of a
   sample. They are read on the first use of a column that needs them: queries of other columns read
   only the table of samples. For few samples of a large archive v3_window.c reads less.

   Everything is computed once and kept, in the dataset's arena. Start reading at
   taco__v3_places_map. */
/* #include "v3.h" */

/* Rows read at a time. */
#define TACO__V3_PLACES_BATCH 65536
/* Most bytes of a table that are fetched in one round from a vectored source, and kept. */
#define TACO__V3_AHEAD ((uint64_t)64 << 20)

/* ---- reading a table in batches ---- */

typedef struct taco__v3_scan {
    taco__row_reader rows;
    size_t which[4];
    uint64_t at, end;
    size_t n;
    const char *store, *table;
} taco__v3_scan;

/* Opens a scan of the columns c->which[0..count) of a table. It is closed by taco__v3_places_end,
   also if this fails. */
static bool taco__v3_places_begin(taco__v3_store *x, size_t level, taco__v3_scan *c, size_t count,
                                  taco_error *err)
{
    taco__v3_table *t = taco__v3_level_table(x, level, err);
    taco__file *file = x->s->file_open ? &x->s->file : &x->tables[level].file;
    memset(&c->rows, 0, sizeof c->rows);
    c->at = c->n = 0;
    c->end = t ? t->t.rows : 0;
    c->store = x->s->name;
    c->table = x->contract.levels[level].file;
    if (t && file->src.read_many && t->range.len <= taco__mem_ahead(file->mem, TACO__V3_AHEAD) &&
        !taco__file_fetch(file, &t->range, 1, err)) {
        return false;
    }
    return t && taco__row_reader_open(&c->rows, &t->t, c->which, count, x->s->mem, err);
}

/* The next rows, from c->at on; false at the end and on failure, which sets *ok. */
static bool taco__v3_places_next(taco__v3_scan *c, bool *ok, taco_error *err)
{
    c->at += c->n;
    c->n = (size_t)TACO__MIN(c->end - c->at, (uint64_t)TACO__V3_PLACES_BATCH);
    if (!*ok || !c->n) { return false; }
    *ok = taco__row_reader_read_range(&c->rows, c->at, c->n, err);
    return *ok;
}

/* Ends a scan; returns ok, and puts the table before the message of a failure. */
static bool taco__v3_places_end(taco__v3_scan *c, bool ok, taco_error *err)
{
    taco__row_reader_close(&c->rows);
    if (!ok) { taco__error_prefix(err, "%s: %s", c->store, c->table); }
    return ok;
}

/* An integer that is not negative; false if it is null or negative. */
static bool taco__v3_places_number(const taco_array *a, size_t i, uint64_t *out)
{
    *out = (uint64_t)taco_array_int(a, i);
    return taco_array_valid(a, i) && (a->field->type == TACO_UINT64 || *out <= INT64_MAX);
}

/* ---- archives of a catalogue ---- */

/* The index of an archive by its name in a row, which is checked. */
static bool taco__v3_places_source(taco__v3_store *x, const taco_array *a, size_t i, uint32_t *out,
                                   taco_error *err)
{
    taco_bytes name = taco_array_valid(a, i) ? taco_array_bytes(a, i) : taco__bytes_of(NULL, 0);
    taco__hash_slot *slot = name.len ? taco__hash_map_find(&x->source_names, name) : NULL;
    bool added;
    if (!slot) {
        taco_bytes kept;
        if (taco__vsi_check_path(name, false, TACO__SOURCE_FILE, err) != TACO_OK) { return false; }
        kept = taco__bytes_of(taco__arena_text(x->s->arena, name, err), name.len);
        slot = kept.data ? taco__hash_map_add(&x->source_names, kept, &added, err) : NULL;
        if (!slot || !taco__buf_append(&x->sources, &kept, sizeof kept, err)) { return false; }
        slot->value = x->sources.len / sizeof kept - 1;
    }
    *out = (uint32_t)slot->value;
    return true;
}

/* ---- places ---- */

/* Makes room for the places of n rows: numbers, or in a FOLDER paths. */
static bool taco__v3_places_alloc(taco__v3_store *x, size_t level, size_t n, taco_error *err)
{
    taco__arena *a = x->s->arena;
    taco__v3_places *p = &x->places[level];
    if (x->s->kind == TACO_KIND_FOLDER) {
        p->path = level ? (taco_bytes *)taco__arena_array(a, n + 1, sizeof *p->path, err) : NULL;
        return !level || p->path;
    }
    if (level) {
        p->offset = (uint64_t *)taco__arena_array(a, n + 1, sizeof *p->offset, err);
        p->size = (uint64_t *)taco__arena_array(a, n + 1, sizeof *p->size, err);
        if (!p->offset || !p->size) { return false; }
    }
    if (x->s->kind == TACO_KIND_TACOCAT) {
        p->source = (uint32_t *)taco__arena_array(a, n + 1, sizeof *p->source, err);
        return p->source != NULL;
    }
    return true;
}

/* The columns of a level's places. */
static size_t taco__v3_places_columns(const taco__v3_store *x, const taco__v3_table *t,
                                      size_t level, size_t *which)
{
    size_t n = 0;
    if (x->s->kind == TACO_KIND_FOLDER) {
        if (level) { which[n++] = t->path; }
        return n;
    }
    if (level) {
        which[n++] = t->offset;
        which[n++] = t->size;
    }
    if (x->s->kind == TACO_KIND_TACOCAT) { which[n++] = t->source; }
    return n;
}

/* Row i of a batch that is row `row` of the level; arrays are those of taco__v3_places_columns. */
static bool taco__v3_places_read_row(taco__v3_store *x, taco__v3_places *p, const taco_array *a,
                                     size_t i, size_t row, taco_error *err)
{
    if (p->path) {
        taco_bytes path = taco_array_valid(a, i) ? taco_array_bytes(a, i) : taco__bytes_of(NULL, 0);
        if (taco__vsi_check_path(path, false, "internal:relative_path", err) != TACO_OK) {
            return false;
        }
        p->path[row] = taco__bytes_of(taco__arena_text(x->s->arena, path, err), path.len);
        return p->path[row].data != NULL;
    }
    if (p->offset) {
        if (!taco_array_valid(&a[0], i) || !taco_array_valid(&a[1], i)) {
            p->offset[row] = UINT64_MAX;
        } else if (!taco__v3_places_number(&a[0], i, &p->offset[row]) ||
                   !taco__v3_places_number(&a[1], i, &p->size[row])) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "row %u: internal:offset or internal:size is negative", TACO__U(row));
            return false;
        }
        a += 2;
    }
    return !p->source || taco__v3_places_source(x, a, i, &p->source[row], err);
}

/* Reads the places of all rows of a level, once. */
TACO__FN bool taco__v3_places_read(taco__v3_store *x, size_t level, taco_error *err)
{
    taco__v3_places *p = &x->places[level];
    taco__v3_table *t = taco__v3_level_table(x, level, err);
    taco__v3_scan c;
    size_t count, i;
    bool ok;
    if (!t || p->ready) { return t != NULL; }
    count = taco__v3_places_columns(x, t, level, c.which);
    if (!taco__v3_places_alloc(x, level, (size_t)t->t.rows, err)) { return false; }
    p->ready = count == 0;
    if (p->ready) { return true; }
    ok = taco__v3_places_begin(x, level, &c, count, err);
    while (taco__v3_places_next(&c, &ok, err)) {
        for (i = 0; ok && i < c.n; i++) {
            ok = taco__v3_places_read_row(x, p, c.rows.arrays, i, (size_t)c.at + i, err);
        }
    }
    p->ready = ok;
    return taco__v3_places_end(&c, ok, err);
}

/* Whether a path below a FOLDER is that of a folder, "12/before": a level of the contract. */
TACO__FN bool taco__v3_places_is_folder(const taco__v3_store *x, taco_bytes path)
{
    const uint8_t *slash =
        path.len ? (const uint8_t *)memchr(path.data, '/', path.len) : (const uint8_t *)NULL;
    char name[1024];
    size_t n = slash ? path.len - (size_t)(slash - path.data) : 0;
    if (!n || n + 8 > sizeof name) { return false; }
    memcpy(name, "children", 8);
    memcpy(name + 8, slash, n);
    return taco__v3_contract_find_level(&x->contract, taco__bytes_of(name, n + 8)) != TACO__NONE;
}

TACO__FN bool taco__v3_places_append_range(const taco__v3_store *x, size_t level, size_t row,
                                           uint64_t offset, uint64_t size, taco_bytes source,
                                           taco__buf *out, taco_error *err)
{
    const taco__container *s = x->s;
    if (s->kind == TACO_KIND_ZIP && !taco__checked_range(offset, size, s->file.src.size)) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "%s: %s: row %u: %u bytes at %u are outside of the archive, which has %u",
                   s->name, x->contract.levels[level].file, TACO__U(row), size, offset,
                   s->file.src.size);
        return false;
    }
    return taco__vsi_append_subfile(out, offset, size, taco__bytes_text(s->vsi), source, err);
}

/* Appends the path for GDAL of a row whose places are known; *none: it has none. */
TACO__FN bool taco__v3_places_append(const taco__v3_store *x, size_t level, size_t row,
                                     taco__buf *out, bool *none, taco_error *err)
{
    const taco__v3_places *p = &x->places[level];
    const taco__container *s = x->s;
    *none = true;
    if (p->path) {
        *none = taco__v3_places_is_folder(x, p->path[row]);
        return *none || taco__vsi_append_folder(out, taco__bytes_text(s->vsi), p->path[row], false,
                                                "internal:relative_path", err);
    }
    if (!p->offset || p->offset[row] == UINT64_MAX) { return true; }
    *none = false;
    return taco__v3_places_append_range(
        x, level, row, p->offset[row], p->size[row],
        p->source ? ((const taco_bytes *)(const void *)x->sources.data)[p->source[row]]
                  : taco__bytes_of(NULL, 0),
        out, err);
}

/* ---- parents ---- */

/* A key of a row: its archive and its id, which is at most 32 bits. */
static bool taco__v3_places_key(taco__v3_store *x, const taco_array *a, size_t i, uint64_t *key,
                                taco_error *err)
{
    uint32_t source = 0;
    bool known = taco__v3_places_number(a, i, key);
    if (x->s->kind == TACO_KIND_TACOCAT && !taco__v3_places_source(x, &a[1], i, &source, err)) {
        return false;
    }
    *key = known && *key <= UINT32_MAX ? *key | (uint64_t)source << 32 : UINT64_MAX;
    return true;
}

/* Whether the current_id of every row of a level is its number; if not, `ids` gets the rows by
   archive and id. */
static bool taco__v3_places_ids(taco__v3_store *x, size_t level, bool *numbered,
                                taco__hash_map *ids, taco_error *err)
{
    taco__v3_table *t = taco__v3_level_table(x, level, err);
    bool many = x->s->kind == TACO_KIND_TACOCAT, ok, added;
    taco__v3_scan c;
    size_t i, pass;
    uint64_t key;
    *numbered = true;
    if (!t || !taco__join_is_integer(t->current == TACO__NONE ? TACO_INT64
                                                              : t->t.fields[t->current].type)) {
        if (t) {
            TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                       "%s: %s: internal:current_id must be "
                       "integers",
                       x->s->name, x->contract.levels[level].file);
        }
        return false;
    }
    if (t->current == TACO__NONE) { return true; }
    c.which[0] = t->current;
    c.which[1] = t->source;
    for (pass = 0, ok = true; ok && pass < 2 && (pass == 0 || !*numbered); pass++) {
        ok = taco__v3_places_begin(x, level, &c, pass && many ? 2 : 1, err);
        while (taco__v3_places_next(&c, &ok, err)) {
            for (i = 0; ok && i < c.n; i++) {
                const taco_array *a = c.rows.arrays;
                taco__hash_slot *slot;
                if (!pass) {
                    *numbered = *numbered && taco__v3_places_number(a, i, &key) && key == c.at + i;
                    continue;
                }
                ok = taco__v3_places_key(x, a, i, &key, err);
                slot = ok ? taco__hash_map_add_u64(ids, key, &added, err) : NULL;
                ok = slot != NULL;
                if (ok && added) { slot->value = c.at + i; }
            }
        }
        ok = taco__v3_places_end(&c, ok, err);
    }
    return ok;
}

/* For each row of a level its row in the parent level, -1 for none. */
TACO__FN bool taco__v3_places_parents(taco__v3_store *x, size_t level, int32_t *out,
                                      taco_error *err)
{
    size_t above = x->contract.levels[level].parent, i;
    bool many = x->s->kind == TACO_KIND_TACOCAT, numbered, ok;
    taco__v3_table *t = taco__v3_level_table(x, level, err),
                   *up = t ? taco__v3_level_table(x, above, err) : NULL;
    taco__hash_map ids;
    taco__v3_scan c;
    uint64_t key;
    memset(&ids, 0, sizeof ids);
    ids.mem = x->s->mem;
    ok = up && taco__v3_places_ids(x, above, &numbered, &ids, err);
    if (!ok) {
        taco__hash_map_free(&ids);
        return false;
    }
    c.which[0] = t->parent;
    c.which[1] = t->source;
    ok = taco__v3_places_begin(x, level, &c, many && !numbered ? 2 : 1, err);
    while (taco__v3_places_next(&c, &ok, err)) {
        for (i = 0; ok && i < c.n; i++) {
            const taco_array *a = c.rows.arrays;
            int32_t *row = &out[(size_t)c.at + i];
            const taco__hash_slot *slot;
            *row = -1;
            if (numbered) {
                if (taco__v3_places_number(a, i, &key) && key < up->t.rows) { *row = (int32_t)key; }
                continue;
            }
            ok = taco__v3_places_key(x, a, i, &key, err);
            slot = ok && key != UINT64_MAX ? taco__hash_map_find_u64(&ids, key) : NULL;
            if (slot) { *row = (int32_t)slot->value; }
        }
    }
    taco__hash_map_free(&ids);
    return taco__v3_places_end(&c, ok, err);
}

/* Makes sample_of of a level whose parent has it. */
static bool taco__v3_places_samples(taco__v3_store *x, size_t level, taco_error *err)
{
    size_t above = x->contract.levels[level].parent, i;
    taco__v3_table *t = taco__v3_level_table(x, level, err);
    int32_t *of =
        t ? (int32_t *)taco__arena_array(x->s->arena, (size_t)t->t.rows + 1, sizeof *of, err)
          : NULL;
    if (!of || !taco__v3_places_parents(x, level, of, err)) { return false; }
    for (i = 0; above && i < t->t.rows; i++) {
        if (of[i] >= 0) { of[i] = x->sample_of[above][of[i]]; }
    }
    x->sample_of[level] = of;
    return true;
}

/* Makes sample_of of a level, and of those above it, from the top. */
static bool taco__v3_places_find_samples(taco__v3_store *x, size_t level, taco_error *err)
{
    while (!x->sample_of[level]) {
        size_t l = level, above = x->contract.levels[l].parent;
        while (above && !x->sample_of[above]) {
            l = above;
            above = x->contract.levels[l].parent;
        }
        if (!taco__v3_places_samples(x, l, err)) { return false; }
    }
    return true;
}

/* ---- rows of files ---- */

/* A file of a sequence. */
typedef struct taco__v3_item {
    uint32_t sample;
    int32_t row;
    uint64_t number;
} taco__v3_item;

/* What is found while the rows of a level are mapped to its files. */
typedef struct taco__v3_map {
    taco__v3_store *x;
    size_t level;
    taco_bytes folder; /* in front of the names, with a '/'; or nothing */
    size_t samples;
    taco__hash_map names; /* of single files: their index */
    size_t *sequences;    /* indexes of the sequences */
    size_t sequence_count;
    taco__buf *items; /* for each: taco__v3_item */
    size_t last;      /* the single file found last: the next one is likely to follow */
} taco__v3_map;

/* A file that a sample has twice: one of them would be shown, and nobody could say which; false. */
static bool taco__v3_places_fail_twice(const taco__v3_map *m, size_t sample, const char *path,
                                       taco_error *err)
{
    TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "sample %u has file %s twice",
               TACO__U(sample), path);
    taco__error_prefix(err, "%s: %s", m->x->s->name, m->x->contract.levels[m->level].file);
    return false;
}

/* Puts one row where it belongs; rows of no file, which are folders, are left out. */
static bool taco__v3_places_map_row(taco__v3_map *m, taco_bytes name, int32_t sample, size_t row,
                                    taco_error *err)
{
    taco__v3_store *x = m->x;
    const taco__hash_slot *slot = taco__hash_map_find(&m->names, name);
    taco__v3_item item;
    size_t i;
    if (slot) {
        int32_t *at = &x->rows[slot->value].row[sample];
        if (*at >= 0) {
            return taco__v3_places_fail_twice(m, (size_t)sample,
                                              x->contract.files[slot->value].path, err);
        }
        *at = (int32_t)row;
        return true;
    }
    for (i = 0; i < m->sequence_count; i++) {
        if (!taco__v3_contract_number(&x->contract.files[m->sequences[i]], name, &item.number)) {
            continue;
        }
        item.sample = (uint32_t)sample;
        item.row = (int32_t)row;
        return taco__buf_append(&m->items[i], &item, sizeof item, err);
    }
    return true;
}

/* The name of a row in its folder; {NULL, 0}: its path is not in the level's folder. */
static taco_bytes taco__v3_places_name(const taco__v3_map *m, taco_bytes path)
{
    const uint8_t *slash = path.len ? (const uint8_t *)memchr(path.data, '/', path.len) : NULL;
    taco_bytes rest;
    if (!slash) { return taco__bytes_of(NULL, 0); }
    rest = taco__bytes_of(slash + 1, path.len - (size_t)(slash - path.data) - 1);
    if (rest.len <= m->folder.len ||
        (m->folder.len && memcmp(rest.data, m->folder.data, m->folder.len) != 0)) {
        return taco__bytes_of(NULL, 0);
    }
    return taco__bytes_of(rest.data + m->folder.len, rest.len - m->folder.len);
}

/* taco__sort_compare: by sample, then by number: img10 comes after img9. */
static int taco__v3_places_compare_items(const void *ctx, const void *a, const void *b)
{
    const taco__v3_item *x = (const taco__v3_item *)a, *y = (const taco__v3_item *)b;
    (void)ctx;
    return x->sample != y->sample   ? (x->sample < y->sample ? -1 : 1)
           : x->number != y->number ? (x->number < y->number ? -1 : 1)
                                    : 0;
}

/* The rows of a sequence, by sample and number. */
static bool taco__v3_places_sort_items(taco__v3_map *m, size_t i, taco_error *err)
{
    taco__v3_rows *r = &m->x->rows[m->sequences[i]];
    taco__v3_item *items = (taco__v3_item *)(void *)m->items[i].data;
    size_t n = m->items[i].len / sizeof *items, k, sample = 0;
    if (n && !taco__sort_in(m->x->s->mem, items, n, sizeof *items, taco__v3_places_compare_items,
                            NULL, err)) {
        return false;
    }
    r->start = (uint32_t *)taco__arena_array(m->x->s->arena, m->samples + 1, sizeof *r->start, err);
    r->rows = (int32_t *)taco__arena_array(m->x->s->arena, n + 1, sizeof *r->rows, err);
    if (!r->start || !r->rows) { return false; }
    for (k = 0; k < n; k++) {
        if (k && taco__v3_places_compare_items(NULL, &items[k - 1], &items[k]) == 0) {
            return taco__v3_places_fail_twice(m, items[k].sample,
                                              m->x->contract.files[m->sequences[i]].path, err);
        }
        while (sample < items[k].sample) {
            r->start[++sample] = (uint32_t)k;
        }
        r->rows[k] = items[k].row;
    }
    while (sample < m->samples) {
        r->start[++sample] = (uint32_t)n;
    }
    return true;
}

/* Prepares the files of a level: names to find, rows to fill. */
static bool taco__v3_places_begin_map(taco__v3_map *m, taco_error *err)
{
    taco__v3_store *x = m->x;
    taco__arena *a = x->s->arena;
    size_t i, k, n = x->contract.file_count;
    m->names.mem = x->s->mem;
    m->sequences = (size_t *)taco__arena_array(a, n + 1, sizeof *m->sequences, err);
    m->items = (taco__buf *)taco__arena_array(a, n + 1, sizeof *m->items, err);
    for (i = 0; m->sequences && m->items && i < n; i++) {
        const taco__v3_file *f = &x->contract.files[i];
        taco__hash_slot *slot;
        bool added;
        if (f->level != m->level) { continue; }
        m->folder = taco__bytes_of(f->path, (size_t)((const char *)f->name.data - f->path));
        if (f->sequence) {
            m->items[m->sequence_count].mem = x->s->mem;
            m->sequences[m->sequence_count++] = i;
            continue;
        }
        slot = taco__hash_map_add(&m->names, f->name, &added, err);
        x->rows[i].row = (int32_t *)taco__arena_array(a, m->samples + 1, sizeof(int32_t), err);
        if (!slot || !x->rows[i].row) { return false; }
        slot->value = i;
        for (k = 0; k < m->samples; k++) {
            x->rows[i].row[k] = -1;
        }
    }
    return m->sequences && m->items;
}

/* Maps all rows of a level. */
static bool taco__v3_places_map_rows(taco__v3_map *m, taco_error *err)
{
    taco__v3_store *x = m->x;
    const int32_t *sample_of = x->sample_of[m->level];
    taco__v3_scan c;
    size_t i;
    bool ok;
    c.which[0] = x->tables[m->level].path;
    ok = taco__v3_places_begin(x, m->level, &c, 1, err);
    while (taco__v3_places_next(&c, &ok, err)) {
        for (i = 0; ok && i < c.n; i++) {
            const taco_array *a = c.rows.arrays;
            int32_t sample = sample_of[(size_t)c.at + i];
            taco_bytes path = taco_array_valid(a, i) ? taco_array_bytes(a, i)
                                                     : taco__bytes_of(NULL, 0),
                       name;
            ok = taco__vsi_check_path(path, false, "internal:relative_path", err) == TACO_OK;
            name = taco__v3_places_name(m, path);
            if (ok && sample >= 0 && name.data) {
                ok = taco__v3_places_map_row(m, name, sample, (size_t)c.at + i, err);
            }
        }
    }
    return taco__v3_places_end(&c, ok, err);
}

/* Finds the rows of a declared file, and their places, once. */
TACO__FN bool taco__v3_places_map(taco__v3_store *x, size_t file, taco_error *err)
{
    size_t level = x->contract.files[file].level, i;
    taco__v3_table *samples = taco__v3_level_table(x, 0, err);
    taco__v3_map m;
    bool ok;
    if (!samples || x->mapped[level]) { return samples != NULL; }
    memset(&m, 0, sizeof m);
    m.x = x;
    m.level = level;
    m.samples = (size_t)samples->t.rows;
    ok = taco__v3_places_read(x, level, err) && taco__v3_places_find_samples(x, level, err) &&
         taco__v3_places_begin_map(&m, err) && taco__v3_places_map_rows(&m, err);
    for (i = 0; ok && i < m.sequence_count; i++) {
        ok = taco__v3_places_sort_items(&m, i, err);
    }
    for (i = 0; i < m.sequence_count; i++) {
        taco__buf_free(&m.items[i]);
    }
    taco__hash_map_free(&m.names);
    x->mapped[level] = ok;
    return ok;
}
/* ==== src/taco3/v3_window.c ==== */
/* v3_window.c - the places of few samples of a large archive, read without those of all others

   In: numbers of samples. Out: where the bytes of their files are. Writers give every sample the
   same rows in the same order, unless it has sequences: in a level of w rows a sample, those of
   sample i are [i * w, (i + 1) * w). They are read, and every one of them is checked: its
   current_id is its number, its parent_id that of the sample or folder, its path that of the file.
   If anything differs, or a table has been decoded several times, v3_places.c looks at all rows.

   What is loaded is replaced by the next load. Start reading at taco__v3_window_load. */
/* #include "v3.h" */

/* Fewest samples for this: tables of fewer are read as a whole, which checks more. */
#ifndef TACO__V3_WINDOW_LEAST
#define TACO__V3_WINDOW_LEAST 16384
#endif
/* Most rows of a sample in a level. */
#define TACO__V3_WINDOW_WIDTH 1024
/* Most rows that are read at a time. */
#define TACO__V3_WINDOW_ROWS 65536
/* A table is not decoded more often than this. */
#define TACO__V3_WINDOW_TIMES 4

TACO__FN void taco__v3_window_free(taco__v3_store *x)
{
    size_t i;
    for (i = 0; x->windows && i < x->contract.level_count; i++) {
        taco__v3_window *w = &x->windows[i];
        if (w->open) { taco__row_reader_close(&w->rows); }
        taco__buf_free(&w->samples);
        taco__buf_free(&w->wanted);
        taco__buf_free(&w->numbers);
        taco__buf_free(&w->places);
    }
}

/* ---- what rows a sample has ---- */

/* Whether a path is `sample`, a slash and `name`. */
static bool taco__v3_window_is_path(taco_bytes path, uint64_t sample, taco_bytes name)
{
    char digits[24];
    size_t n = taco__num_format_u64(digits, sample);
    return path.len == n + 1 + name.len && memcmp(path.data, digits, n) == 0 &&
           path.data[n] == '/' && memcmp(path.data + n + 1, name.data, name.len) == 0;
}

/* The index of a name; TACO__NONE. */
static size_t taco__v3_window_find(const taco__v3_window *w, taco_bytes name)
{
    size_t i;
    for (i = 0; i < w->width && !taco__bytes_equal(w->names[i], name); i++) {}
    return i < w->width ? i : TACO__NONE;
}

/* Learns the names of a sample's rows from those of the first. */
static bool taco__v3_window_read_names(taco__v3_store *x, size_t level, bool *good, taco_error *err)
{
    taco__v3_window *w = &x->windows[level];
    taco__v3_table *t = &x->tables[level];
    taco__row_reader rows;
    size_t i;
    w->names = (taco_bytes *)taco__arena_array(x->s->arena, w->width, sizeof *w->names, err);
    if (!w->names || !taco__row_reader_open(&rows, &t->t, &t->path, 1, x->s->mem, err)) {
        return false;
    }
    *good = taco__row_reader_read_range(&rows, 0, w->width, err);
    for (i = 0; *good && i < w->width; i++) {
        taco_bytes b = taco_array_bytes(&rows.arrays[0], i);
        *good = b.len > 2 && memcmp(b.data, "0/", 2) == 0;
        if (*good) {
            b = taco__bytes_of(b.data + 2, b.len - 2);
            w->names[i] = taco__bytes_of(taco__arena_text(x->s->arena, b, err), b.len);
            *good = w->names[i].data != NULL;
        }
    }
    taco__row_reader_close(&rows);
    return true;
}

/* Whether the names are those of the contract, and where the folder is that they are in. */
static bool taco__v3_window_check_names(taco__v3_store *x, size_t level)
{
    taco__v3_window *w = &x->windows[level];
    const taco__v3_level *l = &x->contract.levels[level];
    size_t i;
    for (i = 0; i < x->contract.file_count; i++) {
        const taco__v3_file *f = &x->contract.files[i];
        if (f->level == level &&
            (f->sequence || taco__v3_window_find(w, taco__bytes_text(f->path)) == TACO__NONE)) {
            return false;
        }
    }
    if (!l->parent) { return true; }
    /* "children/before" is the folder "before" */
    w->parent = taco__v3_window_find(&x->windows[l->parent], taco__bytes_text(l->name + 9));
    return x->windows[l->parent].lazy && w->parent != TACO__NONE;
}

/* One level, whose parent has been looked at. */
static bool taco__v3_window_begin_level(taco__v3_store *x, size_t level, taco_error *err)
{
    taco__v3_window *w = &x->windows[level];
    taco__v3_table *samples = taco__v3_level_table(x, 0, err),
                   *t = samples ? taco__v3_level_table(x, level, err) : NULL;
    uint64_t n = samples ? samples->t.rows : 0;
    bool good = false;
    size_t which[5];
    if (!t || w->tried) { return t != NULL; }
    w->tried = true;
    w->samples.mem = w->wanted.mem = w->numbers.mem = w->places.mem = x->s->mem;
    if (x->s->kind != TACO_KIND_ZIP || x->s->file.src.read_many || !n ||
        n < TACO__V3_WINDOW_LEAST || t->t.rows % n || t->t.rows / n > TACO__V3_WINDOW_WIDTH ||
        !taco__v3_level_is_integer(t, t->current)) {
        return true;
    }
    w->width = (size_t)(t->t.rows / n);
    if (level && w->width && !taco__v3_window_read_names(x, level, &good, err)) { return false; }
    which[0] = t->current;
    which[1] = t->parent;
    which[2] = t->path;
    which[3] = t->offset;
    which[4] = t->size;
    if (level && !(good && taco__v3_window_check_names(x, level))) { return true; }
    w->open = taco__row_reader_open(&w->rows, &t->t, which, level ? 5 : 1, x->s->mem, err);
    w->lazy = w->open;
    return w->open;
}

TACO__FN bool taco__v3_window_begin(taco__v3_store *x, size_t level, taco_error *err)
{
    while (!x->windows[level].tried) {
        size_t l = level;
        while (l && !x->windows[x->contract.levels[l].parent].tried) {
            l = x->contract.levels[l].parent;
        }
        if (!taco__v3_window_begin_level(x, l, err)) { return false; }
    }
    return true;
}

/* ---- loading ---- */

/* Whether an integer of a row is a number. */
static bool taco__v3_window_is(const taco_array *a, size_t i, uint64_t number)
{
    return taco_array_valid(a, i) && (uint64_t)taco_array_int(a, i) == number;
}

/* Checks row i of a batch, which is row k of a sample, and keeps its place. */
static bool taco__v3_window_keep(const taco__v3_store *x, size_t level, size_t i, uint64_t sample,
                                 size_t k, taco__range *out)
{
    const taco__v3_window *w = &x->windows[level];
    const taco_array *a = w->rows.arrays;
    size_t above = x->contract.levels[level].parent;
    uint64_t up = level && above ? sample * x->windows[above].width + w->parent : sample;
    if (!taco__v3_window_is(&a[0], i, sample * w->width + k)) { return false; }
    if (!level) { return true; }
    if (!taco__v3_window_is(&a[1], i, up) || !taco_array_valid(&a[2], i) ||
        !taco__v3_window_is_path(taco_array_bytes(&a[2], i), sample, w->names[k])) {
        return false;
    }
    out->offset = UINT64_MAX;
    if (taco_array_valid(&a[3], i) && taco_array_valid(&a[4], i)) {
        out->offset = (uint64_t)taco_array_int(&a[3], i);
        out->len = (uint64_t)taco_array_int(&a[4], i);
    }
    /* numbers that are too large are for v3_places.c to report */
    return out->offset == UINT64_MAX || (out->offset <= INT64_MAX && out->len <= INT64_MAX);
}

/* Reads the rows of samples [at, at + n) of those wanted; *good: they are where they should be. */
static bool taco__v3_window_read(taco__v3_store *x, size_t level, size_t at, size_t n, bool *good,
                                 taco_error *err)
{
    taco__v3_window *w = &x->windows[level];
    const uint32_t *s = (const uint32_t *)(const void *)w->wanted.data + at;
    taco__range *out = level ? (taco__range *)(void *)w->places.data + at * w->width : NULL, none;
    uint64_t base = (uint64_t)s[0] * w->width;
    size_t i, k;
    w->numbers.len = 0;
    for (i = 0; i < n; i++) {
        for (k = 0; k < w->width; k++) {
            uint32_t row = (uint32_t)((uint64_t)s[i] * w->width + k - base);
            if (!taco__buf_append(&w->numbers, &row, sizeof row, err)) { return false; }
        }
    }
    if (!taco__row_reader_read(&w->rows, base, (const uint32_t *)(const void *)w->numbers.data,
                               n * w->width, err)) {
        return false;
    }
    for (i = 0; *good && i < n * w->width; i++) {
        *good =
            taco__v3_window_keep(x, level, i, s[i / w->width], i % w->width, out ? &out[i] : &none);
    }
    return true;
}

/* Counts what reading the rows from `first` to the end of sample `last` decodes. */
static void taco__v3_window_count(taco__v3_store *x, size_t level, uint64_t first, uint64_t last)
{
    taco__v3_window *w = &x->windows[level];
    const taco__pq_metadata *m = &x->tables[level].pq.meta;
    uint64_t from = (uint64_t)m->groups[taco__footer_find_row_group(m, first)].first_row;
    w->decoded += last - (first >= w->rows.next ? TACO__MAX(from, w->rows.next) : from);
    w->lazy = w->decoded / TACO__V3_WINDOW_TIMES <= x->tables[level].t.rows;
}

/* Loads the wanted samples of one level: rows of a row group at a time, so that little is held. */
static bool taco__v3_window_load_level(taco__v3_store *x, size_t level, size_t n, taco_error *err)
{
    taco__v3_window *w = &x->windows[level];
    const taco__pq_metadata *m = &x->tables[level].pq.meta;
    const uint32_t *s = (const uint32_t *)(const void *)w->wanted.data;
    size_t at, end, bytes;
    bool good = true;
    w->places.len = 0;
    if (!taco__checked_mul_size(n, w->width * sizeof(taco__range), &bytes) ||
        (level && !taco__buf_reset(&w->places, bytes, err))) {
        return false;
    }
    for (at = 0; good && w->lazy && at < n; at = end) {
        uint64_t first = (uint64_t)s[at] * w->width;
        const taco__pq_row_group *g = &m->groups[taco__footer_find_row_group(m, first)];
        uint64_t stop = (uint64_t)g->first_row + (uint64_t)g->rows;
        for (end = at + 1; end < n && (uint64_t)s[end] * w->width < stop &&
                           (end - at + 1) * w->width <= TACO__V3_WINDOW_ROWS;
             end++) {}
        taco__v3_window_count(x, level, first, ((uint64_t)s[end - 1] + 1) * w->width);
        if (!taco__v3_window_read(x, level, at, end - at, &good, err)) { return false; }
    }
    w->lazy = w->lazy && good;
    return true;
}

/* Notes which samples are wanted; *same: they are loaded. */
static bool taco__v3_window_want(taco__v3_window *w, uint64_t first, const uint32_t *rows, size_t n,
                                 bool *same, taco_error *err)
{
    uint32_t *list;
    size_t i, bytes;
    if (!taco__checked_mul_size(n, sizeof *list, &bytes) ||
        !taco__buf_reset(&w->wanted, bytes, err)) {
        return false;
    }
    list = (uint32_t *)(void *)w->wanted.data;
    w->wanted.len = bytes;
    for (i = 0; i < n; i++) {
        list[i] = (uint32_t)(first + (rows ? rows[i] : i));
    }
    *same = w->samples.len == bytes && (!n || memcmp(w->samples.data, list, bytes) == 0);
    return true;
}

TACO__FN bool taco__v3_window_load(taco__v3_store *x, size_t level, uint64_t first,
                                   const uint32_t *rows, size_t n, taco_error *err)
{
    size_t l = level;
    bool last = false, same;
    while (!last && x->windows[level].lazy) {
        taco__v3_window *w = &x->windows[l];
        taco__buf wanted;
        if (!taco__v3_window_want(w, first, rows, n, &same, err)) { return false; }
        if (!same) {
            w->samples.len = 0;
            if (!taco__v3_window_load_level(x, l, n, err)) { return false; }
            wanted = w->wanted;
            w->wanted = w->samples;
            w->samples = wanted;
        }
        x->windows[level].lazy = x->windows[level].lazy && w->lazy;
        last = l == 0;
        l = last ? 0 : x->contract.levels[l].parent;
    }
    return true;
}

TACO__FN bool taco__v3_window_append(const taco__v3_store *x, size_t file, size_t sample,
                                     taco__buf *out, bool *none, taco_error *err)
{
    const taco__v3_file *f = &x->contract.files[file];
    const taco__v3_window *w = &x->windows[f->level];
    const uint32_t *s = (const uint32_t *)(const void *)w->samples.data;
    size_t i = 0, k = taco__v3_window_find(w, taco__bytes_text(f->path)),
           n = w->samples.len / sizeof *s;
    const taco__range *place;
    TACO__LOWER_BOUND(i, n, at, s[at] < sample);
    if (i == n || s[i] != sample || k == TACO__NONE) { /* never another sample's bytes */
        TACO__FAIL(err, TACO_ERR_STATE, TACO_NO_OFFSET, "%s: the place of sample %u is not loaded",
                   x->s->name, TACO__U(sample));
        return false;
    }
    place = (const taco__range *)(const void *)w->places.data + i * w->width + k;
    *none = place->offset == UINT64_MAX;
    return *none || taco__v3_places_append_range(x, f->level, sample * w->width + k, place->offset,
                                                 place->len, taco__bytes_of(NULL, 0), out, err);
}
/* ==== src/taco3/v3_wide.c ==== */
/* v3_wide.c - level 0, the relation `dataset`: a row for each sample, with the places of its files

   In: the table of samples and the contract. Out: a table with the stored columns and the made
   ones: source_file (catalogues, lists of sources), taco:sample_index, and for each declared file
   FILE::location and a column for each rumi: field of its level, FILE::minimum; those of a sequence
   are lists. Columns are made for the rows that are read (taco__made_columns), from what
   v3_places.c knows. Internal columns are not shown. TACO 3 "Reader relation".

   Start reading at taco__v3_wide_read. */
/* #include "v3.h" */

/* Begins the names of stored columns whose own names readers reserve. */
#define TACO__V3_WIDE_DROPPED '\1'

/* ---- making columns ---- */

/* Reads all rows of a column of a file's level. */
static bool taco__v3_wide_hold(taco__v3_store *x, taco__v3_column *c, taco_error *err)
{
    taco__v3_table *t = taco__v3_level_table(x, x->contract.files[c->file].level, err);
    if (!t || c->is_held) { return t != NULL; }
    if (!taco__row_reader_open(&c->held, &t->t, &c->column, 1, x->s->mem, err)) { return false; }
    c->is_held = true;
    if (taco__row_reader_read_range(&c->held, 0, (size_t)t->t.rows, err)) { return true; }
    taco__row_reader_close(&c->held);
    c->is_held = false;
    return false;
}

/* The samples of earlier containers, which sample_index counts too. */
static bool taco__v3_wide_count_before(taco__v3_store *x, taco_error *err)
{
    size_t i;
    uint64_t n = 0;
    for (i = 0; i < x->index; i++) {
        taco__v3_table *t = taco__v3_level_table(taco__v3_store_of(&x->all->ds->stores[i]), 0, err);
        if (!t) { return false; }
        n += t->t.rows;
    }
    x->first_sample = n;
    return true;
}

/* taco__made_columns.prepare: everything that a column needs of other tables is read here, so that
   tasks only look it up. */
static bool taco__v3_wide_prepare(void *ctx, size_t column, taco_error *err)
{
    taco__v3_store *x = (taco__v3_store *)ctx;
    taco__v3_column *c = &x->columns[column];
    size_t level;
    switch (c->kind) {
    case TACO__V3_SOURCE: return x->source || taco__v3_places_read(x, 0, err);
    case TACO__V3_INDEX: return taco__v3_wide_count_before(x, err);
    case TACO__V3_VALUE:
        return taco__v3_places_map(x, c->file, err) && taco__v3_wide_hold(x, c, err);
    default:
        level = x->contract.files[c->file].level;
        return taco__v3_window_begin(x, level, err) &&
               (x->windows[level].lazy || taco__v3_places_map(x, c->file, err));
    }
}

/* taco__made_columns.load: where rows are not where they should be, all are looked at. */
static bool taco__v3_wide_load(void *ctx, size_t column, uint64_t first, const uint32_t *rows,
                               size_t n, taco_error *err)
{
    taco__v3_store *x = (taco__v3_store *)ctx;
    const taco__v3_column *c = &x->columns[column];
    size_t level = x->contract.files[c->file].level;
    if (c->kind != TACO__V3_LOCATION || x->mapped[level]) { return true; }
    return taco__v3_window_load(x, level, first, rows, n, err) &&
           (x->windows[level].lazy || taco__v3_places_map(x, c->file, err));
}

/* Appends what one row of a file's level says. */
static bool taco__v3_wide_append_cell(const taco__v3_store *x, const taco__v3_column *c, size_t row,
                                      taco__array_builder *out, taco_error *err)
{
    bool none;
    if (c->kind == TACO__V3_VALUE) {
        return taco__array_builder_append_copy(out, &c->held.arrays[0], row, err);
    }
    return taco__v3_places_append(x, x->contract.files[c->file].level, row, &out->values, &none,
                                  err) &&
           taco__array_builder_end_row(out, !none, err);
}

/* The same for a sample: a cell, or a list of them. */
static bool taco__v3_wide_append_file(const taco__v3_store *x, const taco__v3_column *c,
                                      size_t sample, taco__array_builder *out, taco_error *err)
{
    const taco__v3_rows *r = &x->rows[c->file];
    uint32_t i;
    bool none;
    if (c->kind == TACO__V3_LOCATION && !x->mapped[x->contract.files[c->file].level]) {
        return taco__v3_window_append(x, c->file, sample, &out->values, &none, err) &&
               taco__array_builder_end_row(out, !none, err);
    }
    if (!x->contract.files[c->file].sequence) {
        return r->row[sample] < 0
                   ? taco__array_builder_append_null(out, err)
                   : taco__v3_wide_append_cell(x, c, (size_t)r->row[sample], out, err);
    }
    for (i = r->start[sample]; i < r->start[sample + 1]; i++) {
        if (!taco__v3_wide_append_cell(x, c, (size_t)r->rows[i], &out->children[0], err)) {
            return false;
        }
    }
    return taco__array_builder_end_row(out, r->start[sample] < r->start[sample + 1], err);
}

/* taco__made_columns.append: rows of one column. */
static bool taco__v3_wide_append(void *ctx, size_t column, uint64_t first, uint64_t n,
                                 taco__array_builder *out, taco_error *err)
{
    const taco__v3_store *x = (const taco__v3_store *)ctx;
    const taco__v3_column *c = &x->columns[column];
    uint64_t i;
    bool ok = true;
    for (i = first; ok && i < first + n; i++) {
        if (c->kind == TACO__V3_INDEX) {
            ok = taco__array_builder_append_int(out, (int64_t)(x->first_sample + i), err);
        } else if (c->kind == TACO__V3_SOURCE) {
            ok = taco__array_builder_append_bytes(
                out,
                x->source ? taco__bytes_text(x->source)
                          : ((const taco_bytes *)(const void *)
                                 x->sources.data)[x->places[0].source[(size_t)i]],
                err);
        } else {
            ok = taco__v3_wide_append_file(x, c, (size_t)i, out, err);
        }
    }
    return ok;
}

/* ---- which columns there are ---- */

/* Columns of level 0 in the making. */
typedef struct taco__v3_wide {
    taco__v3_store *x;
    taco_field *fields;
    size_t count, *shown, shown_count, room;
} taco__v3_wide;

/* Adds a made column for a declared file, named made::name; of a sequence it is a list. */
static bool taco__v3_wide_add_file(taco__v3_wide *w, size_t file, taco__v3_column_kind kind,
                                   size_t column, const char *name, const taco_field *of,
                                   taco_error *err)
{
    taco__v3_store *x = w->x;
    const taco__v3_file *f = &x->contract.files[file];
    taco__v3_column *c = &x->columns[x->column_count];
    taco_field *element;
    size_t n = strlen(f->made), m = strlen(name);
    char *label = (char *)taco__arena_alloc(x->s->arena, n + m + 3, err);
    if (!label) { return false; }
    memcpy(label, f->made, n);
    memcpy(label + n, "::", 2);
    memcpy(label + n + 2, name, m + 1);
    c->kind = kind;
    c->file = file;
    c->column = column;
    w->fields[w->count] = *of;
    if (f->sequence) {
        element = (taco_field *)taco__arena_alloc(x->s->arena, sizeof *element, err);
        if (!element) { return false; }
        *element = *of;
        element->name = "element";
        element->nullable = true;
        w->fields[w->count] = taco__field_make_nested(label, TACO_LIST, element, 1);
    }
    w->fields[w->count].name = label;
    w->fields[w->count].nullable = true;
    w->shown[w->shown_count++] = w->count++;
    x->column_count++;
    return true;
}

/* Whether a field holds for a declared file: all do, but for those with a list of files. */
static bool taco__v3_wide_holds(const taco__v3_store *x, size_t file, const taco__json *field)
{
    const taco__v3_file *f = &x->contract.files[file];
    const taco__json *files = taco__json_get(field, "files");
    size_t i;
    if (!taco__json_is(files, TACO__JSON_ARRAY)) { return true; }
    for (i = 0; i < taco__json_length(files); i++) {
        if (taco__json_equals(taco__json_at(files, i), f->path)) { return true; }
    }
    return false;
}

/* The columns of one declared file. */
static bool taco__v3_wide_add_files(taco__v3_wide *w, size_t file, taco_error *err)
{
    taco__v3_store *x = w->x;
    taco_field text = taco__field_make("location", TACO_TEXT);
    size_t level = x->contract.files[file].level, at;
    const taco__json *fields = x->contract.levels[level].fields, *key = taco__json_first(fields);
    taco__v3_table *t;
    uint32_t i;
    if (!taco__v3_wide_add_file(w, file, TACO__V3_LOCATION, 0, "location", &text, err)) {
        return false;
    }
    for (i = 0; i < fields->count; i++, key = taco__json_next(key + 1)) {
        taco_bytes name = taco__json_bytes(key);
        if (!taco__bytes_starts_with(name, "rumi:") || !taco__v3_wide_holds(x, file, key + 1)) {
            continue;
        }
        t = taco__v3_level_table(x, level, err);
        if (!t) { return false; }
        at = taco__table_find_column(&t->t, key->text);
        if (at != TACO__NONE && !taco__v3_wide_add_file(w, file, TACO__V3_VALUE, at, key->text + 5,
                                                        &t->t.fields[at], err)) {
            return false;
        }
    }
    return true;
}

/* Adds a made column that is not of a file. */
static void taco__v3_wide_add(taco__v3_wide *w, taco__v3_column_kind kind, const char *name,
                              taco_type type)
{
    taco__v3_store *x = w->x;
    x->columns[x->column_count++].kind = kind;
    w->fields[w->count] = taco__field_make(name, type);
    w->shown[w->shown_count++] = w->count++;
}

/* The stored columns: internal ones are hidden, and reserved names are dropped. */
static void taco__v3_wide_add_stored(taco__v3_wide *w, const taco__table *t)
{
    static const char *const reserved[][2] = {{"taco:sample_index", "\1sample_index"},
                                              {"taco:location", "\1location"},
                                              {"cozip:location", "\1cozip"}};
    size_t i, k;
    for (i = 0; i < t->field_count; i++) {
        w->fields[i] = t->fields[i];
        for (k = 0; k < TACO__COUNT(reserved); k++) {
            if (strcmp(w->fields[i].name, reserved[k][0]) == 0) {
                w->fields[i].name = reserved[k][1];
            }
        }
    }
    w->count = t->field_count;
}

/* Shows the stored columns in their order, without those that place rows. */
static void taco__v3_wide_show_stored(taco__v3_wide *w, const taco__table *t)
{
    size_t i;
    for (i = 0; i < t->field_count; i++) {
        taco_bytes name = taco__bytes_text(w->fields[i].name);
        if (!taco__bytes_starts_with(name, "internal:") &&
            w->fields[i].name[0] != TACO__V3_WIDE_DROPPED) {
            w->shown[w->shown_count++] = i;
        }
    }
}

/* Room for all columns: as many fields as the tables of files have, for each file. */
static bool taco__v3_wide_alloc(taco__v3_wide *w, const taco__table *t, taco_error *err)
{
    taco__v3_store *x = w->x;
    taco__arena *a = x->s->arena;
    size_t i, room = t->field_count + 3;
    for (i = 0; i < x->contract.file_count; i++) {
        size_t more = x->contract.levels[x->contract.files[i].level].fields->count + 1U;
        if (!taco__checked_add_size(room, more, &room)) { return false; }
    }
    w->fields = (taco_field *)taco__arena_array(a, room, sizeof *w->fields, err);
    w->shown = (size_t *)taco__arena_array(a, room, sizeof *w->shown, err);
    x->columns = (taco__v3_column *)taco__arena_array(a, room, sizeof *x->columns, err);
    x->column_count = 0;
    return w->fields && w->shown && x->columns;
}

/* taco_opener.level: level 0. */
TACO__FN bool taco__v3_wide_read(taco__container *s, uint32_t n, taco_error *err)
{
    taco__v3_store *x = taco__v3_store_of(s);
    taco__v3_table *t = taco__v3_level_table(x, 0, err);
    taco__level *l = &s->levels[n];
    taco__v3_wide w;
    size_t i;
    memset(&w, 0, sizeof w);
    w.x = x;
    if (!t || !taco__v3_wide_alloc(&w, &t->t, err)) { return false; }
    taco__v3_wide_add_stored(&w, &t->t);
    if (x->source || s->kind == TACO_KIND_TACOCAT) {
        taco__v3_wide_add(&w, TACO__V3_SOURCE, "source_file", TACO_TEXT);
    }
    taco__v3_wide_add(&w, TACO__V3_INDEX, "taco:sample_index", TACO_UINT64);
    taco__v3_wide_show_stored(&w, &t->t);
    for (i = 0; i < x->contract.file_count; i++) {
        if (!taco__v3_wide_add_files(&w, i, err)) { return false; }
    }
    x->made.count = x->column_count;
    x->made.ctx = x;
    x->made.prepare = taco__v3_wide_prepare;
    x->made.append = taco__v3_wide_append;
    x->made.load = taco__v3_wide_load;
    l->table = t->t;
    l->table.fields = w.fields;
    l->table.field_count = w.count;
    l->table.made = &x->made;
    l->shown = w.shown;
    l->shown_count = w.shown_count;
    return true;
}
/* ==== src/taco3/v3_filter.c ==== */
/* v3_filter.c - boxes and periods on the columns of all drafts of TACO 3

   In: a table, and a box or a period. Out: a condition. Columns are found by the part of their name
   after the ':', and by type, since drafts name them differently: geometry, bbox, a grid
   (proj_code, proj_shape, proj_transform; before 0.11 crs, tensor_shape and geotransform in GDAL's
   order), centroid (a struct, before 0.12 WKB); datetime, start_datetime and end_datetime (before
   0.11 time_start and time_end).

   Drafts before 0.11 have geometries in the CRS of the row, which src/dataset/box_in_crs.c compares
   where it knows the projection.

   A box is tested with what a row has: its exact geometry, else its bbox, else the outline of its
   grid if that is in degrees, else its centre. A period matches an instant inside it, or a range
   that overlaps it. Start reading at taco__v3_filter_bbox and taco__v3_filter_time. */
/* #include "v3.h" */
/* #include "../geo/geo.h" */

/* ---- columns ---- */

/* The first column of one of the names, and of the type; TACO__NONE. */
static size_t taco__v3_filter_find(const taco__table *t, const char *name, const char *older,
                                   taco_type type, taco_type element)
{
    size_t i;
    for (i = 0; i < t->field_count; i++) {
        const char *colon = strchr(t->fields[i].name, ':');
        const taco_field *f = &t->fields[i];
        if (colon && colon[1] != ':' && f->type == type &&
            (strcmp(colon + 1, name) == 0 || (older && strcmp(colon + 1, older) == 0)) &&
            (type != TACO_LIST || f->children[0].type == element)) {
            return i;
        }
    }
    return TACO__NONE;
}

/* ---- conditions ---- */

/* column IS NULL, or with neg IS NOT NULL. */
static taco__expr *taco__v3_filter_is_null(taco__arena *arena, size_t column, bool neg,
                                           taco_error *err)
{
    taco__expr *e = taco__expr_make(arena, TACO__PRED_IS, 0, err);
    taco__expr *c = e ? taco__expr_column(arena, column, err) : NULL;
    if (!c) { return NULL; }
    e->is = TACO__IS_NULL;
    e->neg = neg;
    taco__expr_append_child(e, c);
    return e;
}

/* a OR b; NULL if one of them is. */
static taco__expr *taco__v3_filter_or(taco__arena *arena, taco__expr *a, taco__expr *b,
                                      taco_error *err)
{
    taco__expr *e = a && b ? taco__expr_make(arena, TACO__PRED_OR, 0, err) : NULL;
    if (e) {
        taco__expr_append_child(e, a);
        taco__expr_append_child(e, b);
    }
    return e;
}

/* a AND b; NULL if one of them is. */
static taco__expr *taco__v3_filter_and(taco__arena *arena, taco__expr *a, taco__expr *b,
                                       taco_error *err)
{
    return a && b ? taco__expr_and(arena, a, b, err) : NULL;
}

/* ---- boxes ---- */

/* Whether a box of a row meets the query's; that of a row may cross the antimeridian (w > e). */
static bool taco__v3_filter_meets(const taco__query_box *q, double w, double s, double e, double n)
{
    size_t k;
    for (k = 0; k < q->n; k++) {
        const double *x = q->edge[k];
        if (s <= x[3] && n >= x[1] && (w <= e ? w <= x[2] && e >= x[0] : x[2] >= w || x[0] <= e)) {
            return true;
        }
    }
    return false;
}

/* The n items of a list of row i, at the end of the list; false: it is null, has fewer, or a null
   among them. */
static bool taco__v3_filter_items(const taco_array *a, size_t i, size_t n, size_t *at)
{
    size_t from, to, k;
    if (!taco_array_valid(a, i)) { return false; }
    from = (size_t)a->offsets[i];
    to = (size_t)a->offsets[i + 1];
    if (to - from < n) { return false; }
    *at = to - n;
    for (k = 0; k < n; k++) {
        if (!taco_array_valid(&a->children[0], *at + k)) { return false; }
    }
    return true;
}

/* [west, south, east, north] */
static bool taco__v3_filter_test_list(void *ctx, const taco_array *a, size_t rows,
                                      uint8_t *true_bits, uint8_t *valid_bits, taco_error *err)
{
    const taco__query_box *q = (const taco__query_box *)ctx;
    size_t i, at, k;
    double x[4];
    (void)valid_bits;
    (void)err;
    for (i = 0; i < rows; i++) {
        if (!taco__v3_filter_items(a, i, 4, &at)) { continue; }
        for (k = 0; k < 4; k++) {
            x[k] = taco_array_double(&a->children[0], at + k);
        }
        if (taco__v3_filter_meets(q, x[0], x[1], x[2], x[3])) { taco__bitmap_set(true_bits, i); }
    }
    return true;
}

/* struct<lon, lat> */
static bool taco__v3_filter_test_struct(void *ctx, const taco_array *a, size_t rows,
                                        uint8_t *true_bits, uint8_t *valid_bits, taco_error *err)
{
    const taco__query_box *q = (const taco__query_box *)ctx;
    size_t i;
    (void)valid_bits;
    (void)err;
    for (i = 0; i < rows; i++) {
        double x, y;
        if (!taco_array_valid(a, i) || !taco_array_valid(&a->children[0], i) ||
            !taco_array_valid(&a->children[1], i)) {
            continue;
        }
        x = taco_array_double(&a->children[0], i);
        y = taco_array_double(&a->children[1], i);
        if (taco__v3_filter_meets(q, x, y, x, y)) { taco__bitmap_set(true_bits, i); }
    }
    return true;
}

/* A grid in degrees: its box and its transform. */
typedef struct taco__v3_grid {
    taco__query_box box;
    bool gdal; /* the order of the transform: x0, dx, rx, y0, ry, dy, not dx, rx, x0, ry, dy, y0 */
} taco__v3_grid;

/* The outline of an upright grid is a box, of another one a polygon, whose box is tested and then
   whose corners decide nothing more: grids in degrees are upright. */
static bool taco__v3_filter_test_grid(void *ctx, const taco_array *a, const taco_array *shape,
                                      size_t rows, taco__mem *mem, uint8_t *true_bits,
                                      uint8_t *valid_bits, taco_error *err)
{
    static const size_t order[2][6] = {{0, 1, 2, 3, 4, 5}, {1, 2, 0, 4, 5, 3}};
    const taco__v3_grid *g = (const taco__v3_grid *)ctx;
    size_t i, k, at, sizes;
    (void)mem;
    (void)valid_bits;
    (void)err;
    for (i = 0; i < rows; i++) {
        double t[6], w, h, x[4], y[4], box[4];
        if (!taco__v3_filter_items(a, i, 6, &at) || !taco__v3_filter_items(shape, i, 2, &sizes)) {
            continue;
        }
        for (k = 0; k < 6; k++) {
            t[k] = taco_array_double(&a->children[0], at + order[g->gdal][k]);
        }
        h = taco_array_double(&shape->children[0], sizes);
        w = taco_array_double(&shape->children[0], sizes + 1);
        for (k = 0; k < 4; k++) {
            double col = k & 1 ? w : 0, row = k & 2 ? h : 0;
            x[k] = t[0] * col + t[1] * row + t[2];
            y[k] = t[3] * col + t[4] * row + t[5];
        }
        box[0] = box[2] = x[0];
        box[1] = box[3] = y[0];
        for (k = 1; k < 4; k++) {
            box[0] = TACO__MIN(box[0], x[k]);
            box[1] = TACO__MIN(box[1], y[k]);
            box[2] = TACO__MAX(box[2], x[k]);
            box[3] = TACO__MAX(box[3], y[k]);
        }
        if (taco__v3_filter_meets(&g->box, box[0], box[1], box[2], box[3])) {
            taco__bitmap_set(true_bits, i);
        }
    }
    return true;
}

/* What a table has of footprints; TACO__NONE: it has no such column. */
typedef struct taco__v3_footprint {
    size_t geometry, crs, bbox, code, shape, transform, centre;
    bool gdal;
} taco__v3_footprint;

/* Finds the columns. The code of a grid and the CRS of an old geometry may be the same column. */
static void taco__v3_filter_find_footprint(const taco__table *t, taco__v3_footprint *p)
{
    p->geometry = taco__v3_filter_find(t, "geometry", NULL, TACO_BINARY, TACO_NULL);
    p->bbox = taco__v3_filter_find(t, "bbox", NULL, TACO_LIST, TACO_DOUBLE);
    p->crs = taco__v3_filter_find(t, "crs", NULL, TACO_TEXT, TACO_NULL);
    p->code = taco__v3_filter_find(t, "proj_code", "crs", TACO_TEXT, TACO_NULL);
    p->shape = taco__v3_filter_find(t, "proj_shape", "tensor_shape", TACO_LIST, TACO_INT64);
    p->transform = taco__v3_filter_find(t, "proj_transform", NULL, TACO_LIST, TACO_DOUBLE);
    p->gdal = p->transform == TACO__NONE;
    if (p->gdal) {
        p->transform = taco__v3_filter_find(t, "geotransform", NULL, TACO_LIST, TACO_DOUBLE);
    }
    p->centre = taco__v3_filter_find(t, "centroid", NULL, TACO_STRUCT, TACO_NULL);
    if (p->centre == TACO__NONE || t->fields[p->centre].child_count != 2) {
        p->centre = taco__v3_filter_find(t, "centroid", NULL, TACO_BINARY, TACO_NULL);
    }
}

/* The grid is in degrees, and its outline meets the box. */
static taco__expr *taco__v3_filter_grid(taco__arena *arena, const taco__v3_footprint *p,
                                        const taco__query_box *box, taco_error *err)
{
    taco__custom_predicate custom;
    taco__v3_grid *g = (taco__v3_grid *)taco__arena_alloc(arena, sizeof *g, err);
    if (!g) { return NULL; }
    g->box = *box;
    g->gdal = p->gdal;
    memset(&custom, 0, sizeof custom);
    custom.ctx = g;
    custom.with = p->shape;
    custom.eval_with = taco__v3_filter_test_grid;
    return taco__expr_custom(arena, p->transform, &custom, err);
}

/* The code of a grid is one of degrees in the order longitude, latitude. */
static taco__expr *taco__v3_filter_degrees(taco__arena *arena, size_t code, taco_error *err)
{
    return taco__v3_filter_or(
        arena, taco__expr_equals(arena, code, taco__bytes_text("EPSG:4326"), err),
        taco__expr_equals(arena, code, taco__bytes_text("OGC:CRS84"), err), err);
}

/* A test of one column, called with the box. */
static taco__expr *taco__v3_filter_custom(taco__arena *arena, size_t column, taco__query_box *box,
                                          bool (*eval)(void *, const taco_array *, size_t,
                                                       uint8_t *, uint8_t *, taco_error *),
                                          taco_error *err)
{
    taco__custom_predicate custom;
    memset(&custom, 0, sizeof custom);
    custom.ctx = box;
    custom.eval = eval;
    if (eval == taco__query_box_test) { custom.prune = taco__query_box_prune; }
    return taco__expr_custom(arena, column, &custom, err);
}

/* The geometry meets the box. Before 0.11 it is in the CRS of its row. */
static taco__expr *taco__v3_filter_geometry(taco__arena *arena, const taco__v3_footprint *p,
                                            taco__query_box *box, taco_error *err)
{
    taco__custom_predicate custom;
    memset(&custom, 0, sizeof custom);
    custom.ctx = box;
    if (p->crs == TACO__NONE) {
        return taco__v3_filter_custom(arena, p->geometry, box, taco__query_box_test, err);
    }
    custom.with = p->crs;
    custom.eval_with = taco__box_in_crs_test;
    custom.prune_with = taco__box_in_crs_prune;
    return taco__expr_custom(arena, p->geometry, &custom, err);
}

/* From the least exact to the most exact: e becomes "has it ? meets : e". */
static taco__expr *taco__v3_filter_either(taco__arena *arena, size_t column, taco__expr *meets,
                                          taco__expr *e, taco_error *err)
{
    return taco__v3_filter_or(
        arena,
        taco__v3_filter_and(arena, taco__v3_filter_is_null(arena, column, true, err), meets, err),
        taco__v3_filter_and(arena, taco__v3_filter_is_null(arena, column, false, err), e, err),
        err);
}

/* The whole condition, built from the least exact column to the most exact: at last it reads "has a
   geometry ? it meets : has a bbox ? that meets : the grid is in degrees ? its outline meets : the
   centre is inside". Columns that a table lacks leave out their step. */
static taco__expr *taco__v3_filter_footprint(taco__arena *arena, const taco__table *t,
                                             const taco__v3_footprint *p, taco__query_box *box,
                                             taco_error *err)
{
    bool grid = p->code != TACO__NONE && p->shape != TACO__NONE && p->transform != TACO__NONE;
    taco__expr *e = taco__expr_const(arena, taco__expr_bool_value(0), err), *degrees, *other;
    if (p->centre != TACO__NONE) {
        e = taco__v3_filter_custom(arena, p->centre, box,
                                   t->fields[p->centre].type == TACO_STRUCT
                                       ? taco__v3_filter_test_struct
                                       : taco__query_box_test,
                                   err);
    }
    if (grid) {
        degrees = taco__v3_filter_degrees(arena, p->code, err);
        other = degrees ? taco__expr_make(arena, TACO__PRED_NOT, 0, err) : NULL;
        if (!other) { return NULL; }
        taco__expr_append_child(other, taco__v3_filter_degrees(arena, p->code, err));
        other = taco__v3_filter_or(arena, other,
                                   taco__v3_filter_is_null(arena, p->code, false, err), err);
        e = taco__v3_filter_or(
            arena,
            taco__v3_filter_and(arena, degrees, taco__v3_filter_grid(arena, p, box, err), err),
            taco__v3_filter_and(arena, other, e, err), err);
    }
    if (p->bbox != TACO__NONE) {
        e = taco__v3_filter_either(
            arena, p->bbox,
            taco__v3_filter_custom(arena, p->bbox, box, taco__v3_filter_test_list, err), e, err);
    }
    if (p->geometry != TACO__NONE) {
        e = taco__v3_filter_either(arena, p->geometry, taco__v3_filter_geometry(arena, p, box, err),
                                   e, err);
    }
    return e;
}

/* taco_opener.bbox. */
TACO__FN taco__expr *taco__v3_filter_bbox(taco__arena *arena, const taco__table *t,
                                          const taco_filter *f, taco_error *err)
{
    taco__v3_footprint p;
    taco__query_box *box;
    if (f->geometry_column) { return taco__query_add_bbox(arena, t, f, NULL, err); }
    taco__v3_filter_find_footprint(t, &p);
    if (p.geometry == TACO__NONE && p.bbox == TACO__NONE && p.centre == TACO__NONE) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                   "no column to filter by bbox: none named geometry, bbox or centroid");
        return NULL;
    }
    box = (taco__query_box *)taco__arena_alloc(arena, sizeof *box, err);
    if (!box || taco__intersect_split_box(f->bbox, box->edge, &box->n, err) != TACO_OK) {
        return NULL;
    }
    return taco__v3_filter_footprint(arena, t, &p, box, err);
}

/* ---- periods ---- */

/* The column is in [from, to); NULL: no such bound. */
static taco__expr *taco__v3_filter_range(taco__arena *arena, const taco__table *t, size_t column,
                                         const int64_t *from, const int64_t *to, taco_error *err)
{
    taco_unit unit = t->fields[column].unit;
    return taco__expr_range_i64(arena, column, from ? taco__query_time_in_unit(*from, unit) : 0,
                                from != NULL, to ? taco__query_time_in_unit(*to, unit) : 0,
                                to != NULL, err);
}

/* taco_opener.time: an instant in the period, or a range that overlaps it. A range without an end
   is its start. */
TACO__FN taco__expr *taco__v3_filter_time(taco__arena *arena, const taco__table *t,
                                          const taco_filter *f, taco_error *err)
{
    size_t at = taco__v3_filter_find(t, "datetime", NULL, TACO_TIMESTAMP, TACO_NULL);
    size_t start =
        taco__v3_filter_find(t, "start_datetime", "time_start", TACO_TIMESTAMP, TACO_NULL);
    size_t end = taco__v3_filter_find(t, "end_datetime", "time_end", TACO_TIMESTAMP, TACO_NULL);
    taco__query_period *p;
    taco__expr *e = NULL, *range, *ends;
    if (f->time_column) { return taco__query_add_time(arena, t, f, err); }
    if (at == TACO__NONE && start == TACO__NONE) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                   "no column to filter by time: none named datetime, start_datetime or "
                   "time_start");
        return NULL;
    }
    p = taco__query_parse_period(arena, f, err);
    if (!p) { return NULL; }
    if (at != TACO__NONE) {
        e = taco__v3_filter_range(arena, t, at, &p->from, &p->to, err);
        if (!e || start == TACO__NONE) { return e; }
    }
    if (end == TACO__NONE) {
        range = taco__v3_filter_range(arena, t, start, &p->from, &p->to, err);
    } else {
        ends = taco__v3_filter_or(
            arena, taco__v3_filter_range(arena, t, end, &p->from, NULL, err),
            taco__v3_filter_and(arena, taco__v3_filter_is_null(arena, end, false, err),
                                taco__v3_filter_range(arena, t, start, &p->from, NULL, err), err),
            err);
        range = taco__v3_filter_and(
            arena, taco__v3_filter_range(arena, t, start, NULL, &p->to, err), ends, err);
    }
    return e ? taco__v3_filter_or(arena, e, range, err) : range;
}
/* ==== src/taco3/v3_walk.c ==== */
/* v3_walk.c - from a key and a path to a file, and the rows below a sample or a folder

   In: "scene-5/before/B02.tif" or "@0/before/B02.tif": an id or a position, then a path in the
   sample. Out: a taco__nav_node with the place of a file; or, for a sample or a folder, a root,
   whose rows taco__v3_walk_read lists. A file is found by its internal:relative_path, which begins
   with the number of its sample. An id with a '/' is written with a '\\' before it, or its sample
   is named by position.

   Conditions are written as the text of a filter and parsed: the same statistics then prune the
   tables as for a query of the caller's. Start reading at taco__v3_walk. */
/* #include "v3.h" */
/* #include "../filter/scan.h" */

/* ---- one row ---- */

/* The first row of a table for which a condition holds; `where` is in the words of a filter. */
static bool taco__v3_walk_find(taco__v3_store *x, const taco__table *t, const char *where,
                               taco__arena *arena, int64_t *out, taco_error *err)
{
    taco__expr *e = taco__pred_parse(arena, where, strlen(where), &x->s->options->limits, err);
    taco__scan scan;
    const uint32_t *rows;
    uint64_t base;
    *out = -1;
    if (!e || !taco__pred_bind(e, t->fields, t->field_count, arena, err) ||
        !taco__scan_open(&scan, t, e, NULL, NULL, 0, 0, x->s->mem, err)) {
        return false;
    }
    if (taco__scan_next(&scan, 1, false, &rows, &base, err)) { *out = (int64_t)(base + rows[0]); }
    taco__scan_close(&scan);
    return !err || err->code == TACO_OK;
}

/* The text of a column in one row, in the arena; {NULL, 0} on failure. */
static taco_bytes taco__v3_walk_text(taco__v3_store *x, const taco__table *t, size_t column,
                                     uint64_t row, taco__arena *arena, taco_error *err)
{
    taco__row_reader one;
    taco_bytes text = taco__bytes_of(NULL, 0);
    if (column == TACO__NONE || t->fields[column].type != TACO_TEXT) {
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET, "there is no column %s of text",
                   column == TACO__NONE ? "internal:relative_path" : t->fields[column].name);
        return text;
    }
    if (!taco__row_reader_open(&one, t, &column, 1, x->s->mem, err)) { return text; }
    if (taco__row_reader_read_range(&one, row, 1, err)) {
        taco_bytes b = taco_array_bytes(&one.arrays[0], 0);
        text = taco__bytes_of(taco__arena_text(arena, b, err), b.len);
    }
    taco__row_reader_close(&one);
    return text;
}

/* An integer of one row. */
static bool taco__v3_walk_number(taco__v3_store *x, const taco__table *t, size_t column,
                                 uint64_t row, uint64_t *out, taco_error *err)
{
    taco__row_reader one;
    bool ok;
    if (!taco__row_reader_open(&one, t, &column, 1, x->s->mem, err)) { return false; }
    ok = taco__row_reader_read_range(&one, row, 1, err);
    if (ok) {
        *out = (uint64_t)taco_array_int(&one.arrays[0], 0);
        if (!taco_array_valid(&one.arrays[0], 0) || *out > INT64_MAX) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "row %u: %s is null, negative or too large", row, t->fields[column].name);
            ok = false;
        }
    }
    taco__row_reader_close(&one);
    return ok;
}

/* ---- conditions as text ---- */

/* Appends AND "column" = value; of a text in quotes. */
static bool taco__v3_walk_append(taco__buf *b, const char *column, taco_bytes value, bool text,
                                 taco_error *err)
{
    return (!b->len || taco__buf_append_text(b, " AND ", err)) &&
           taco__lex_append_quoted(b, taco__bytes_text(column), '"', err) &&
           taco__buf_append_text(b, " = ", err) &&
           (text ? taco__lex_append_quoted(b, value, '\'', err)
                 : taco__buf_append(b, value.data, value.len, err));
}

/* ---- samples ---- */

/* A sample: its container, and its row there. */
typedef struct taco__v3_sample {
    taco__v3_store *x;
    taco__v3_table *t;
    uint64_t row;
} taco__v3_sample;

/* The first sample with an id. Drafts before 0.9 have no ids: nothing is found. */
static bool taco__v3_walk_by_id(taco__v3_store *x, taco__v3_table *t, taco_bytes key,
                                taco__arena *arena, int64_t *found, taco_error *err)
{
    taco_bytes id = taco__nav_key_to_id(key, arena, err);
    taco__buf where;
    bool ok;
    *found = -1;
    if (t->id == TACO__NONE || t->t.fields[t->id].type != TACO_TEXT) { return true; }
    memset(&where, 0, sizeof where);
    where.mem = x->s->mem;
    ok = id.data && taco__v3_walk_append(&where, "id", id, true, err) &&
         taco__buf_append_char(&where, 0, err) &&
         taco__v3_walk_find(x, &t->t, (const char *)where.data, arena, found, err);
    taco__buf_free(&where);
    return ok;
}

/* Finds the sample of a key in all containers. */
static bool taco__v3_walk_sample(taco_dataset *ds, taco_bytes key, taco__arena *arena,
                                 taco__v3_sample *out, taco_error *err)
{
    uint64_t left = 0;
    bool position = taco__nav_parse_position(key, &left);
    int64_t found;
    size_t i;
    for (i = 0; i < ds->container_count; i++) {
        out->x = taco__v3_store_of(&ds->stores[i]);
        out->t = taco__v3_level_table(out->x, 0, err);
        if (!out->t) { return false; }
        out->row = left;
        if (position && left < out->t->t.rows) { return true; }
        left -= position ? out->t->t.rows : 0;
        if (position) { continue; }
        if (!taco__v3_walk_by_id(out->x, out->t, key, arena, &found, err)) { return false; }
        out->row = (uint64_t)found;
        if (found >= 0) { return true; }
    }
    TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "there is no sample %q", &key);
    taco__error_prefix(err, "%s", ds->stores[0].name);
    return false;
}

/* ---- files and folders ---- */

/* The condition on a level that a row is the one of a path in a sample: in a catalogue, of the same
   archive. */
static bool taco__v3_walk_row_condition(const taco__v3_sample *p, taco_bytes path,
                                        taco__arena *arena, taco__buf *where, taco_error *err)
{
    taco_bytes number = taco__v3_walk_text(p->x, &p->t->t, p->t->path, p->row, arena, err), source;
    taco__buf whole;
    bool ok;
    memset(&whole, 0, sizeof whole);
    whole.mem = where->mem;
    ok = number.data && taco__buf_append(&whole, number.data, number.len, err) &&
         taco__buf_append_char(&whole, '/', err) &&
         taco__buf_append(&whole, path.data, path.len, err) &&
         taco__v3_walk_append(where, "internal:relative_path",
                              taco__bytes_of(whole.data, whole.len), true, err);
    taco__buf_free(&whole);
    if (!ok || p->x->s->kind != TACO_KIND_TACOCAT) { return ok; }
    source = taco__v3_walk_text(p->x, &p->t->t, p->t->source, p->row, arena, err);
    return source.data && taco__v3_walk_append(where, TACO__SOURCE_FILE, source, true, err);
}

/* The condition that rows are below a row of a table, which is a sample or a folder. */
static bool taco__v3_walk_children_condition(const taco__v3_sample *p, const taco__v3_table *t,
                                             uint64_t row, taco__arena *arena, taco__buf *where,
                                             taco_error *err)
{
    uint64_t id = row;
    taco_bytes source;
    char digits[24];
    if (t->current != TACO__NONE && !taco__v3_walk_number(p->x, &t->t, t->current, row, &id, err)) {
        return false;
    }
    if (!taco__v3_walk_append(where, TACO__PARENT_ID,
                              taco__bytes_of(digits, taco__num_format_u64(digits, id)), false,
                              err)) {
        return false;
    }
    if (p->x->s->kind != TACO_KIND_TACOCAT) { return true; }
    source = taco__v3_walk_text(p->x, &t->t, t->source, row, arena, err);
    return source.data && taco__v3_walk_append(where, TACO__SOURCE_FILE, source, true, err);
}

/* A catalogue on disk must have all archives of taco:sources before bytes are read from one: of an
   incomplete one there is no telling what else is missing. */
static bool taco__v3_walk_check_sources(taco__container *s, taco__arena *arena, taco_error *err)
{
    const taco__json *list = taco__json_get(s->coll.sources, "partitions"), *part;
    size_t i, n = taco__json_length(list);
    uint64_t size;
    if (s->options->open_file || taco__vsi_is_remote(taco__bytes_text(s->archive_dir))) {
        return true;
    }
    for (i = 0, part = taco__json_first(list); i < n; i++, part = taco__json_next(part)) {
        taco_bytes name = taco__json_bytes(taco__json_get(part, "file"));
        const char *text, *path;
        if (taco__vsi_check_path(name, false, "taco:sources", err) != TACO_OK) { return false; }
        text = taco__arena_text(arena, name, err);
        path = text ? taco__container_join_path(s, s->archive_dir, text, err) : NULL;
        if (!path) { return false; }
        if (taco__plat_stat(path, &size) != TACO__PATH_FILE) {
            TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                       "the catalogue is incomplete: there is no %q of taco:sources", &name);
            return false;
        }
    }
    return true;
}

/* Fills the place of a file from its row. */
static bool taco__v3_walk_place(const taco__v3_sample *p, const taco__v3_table *t, uint64_t row,
                                taco__arena *arena, taco__nav_node *out, taco_error *err)
{
    uint64_t offset = 0, size = 0;
    if (p->x->s->kind == TACO_KIND_FOLDER) {
        taco_bytes path = taco__v3_walk_text(p->x, &t->t, t->path, row, arena, err);
        out->path = (const char *)path.data;
        return path.data &&
               taco__vsi_check_path(path, false, "internal:relative_path", err) == TACO_OK;
    }
    if (!taco__v3_walk_number(p->x, &t->t, t->offset, row, &offset, err) ||
        !taco__v3_walk_number(p->x, &t->t, t->size, row, &size, err)) {
        return false;
    }
    out->has_range = true;
    out->offset = (int64_t)offset;
    out->size = (int64_t)size;
    if (p->x->s->kind == TACO_KIND_TACOCAT) {
        taco_bytes source = taco__v3_walk_text(p->x, &t->t, t->source, row, arena, err);
        out->source = (const char *)source.data;
        return source.data &&
               taco__vsi_check_path(source, false, TACO__SOURCE_FILE, err) == TACO_OK &&
               taco__v3_walk_check_sources(p->x->s, arena, err);
    }
    return true;
}

/* The level of the rows of a path: that of its folder, or its own. */
static size_t taco__v3_walk_level(const taco__v3_store *x, taco_bytes path, bool folder,
                                  taco__arena *arena, taco_error *err)
{
    char *name = (char *)taco__arena_alloc(arena, path.len + 10, err);
    size_t n = path.len;
    if (!name) { return TACO__NONE; }
    while (!folder && n && path.data[n - 1] != '/') {
        n--;
    }
    n -= !folder && n;
    memcpy(name, "children/", 9);
    if (n) { memcpy(name + 9, path.data, n); }
    return taco__v3_contract_find_level(&x->contract, taco__bytes_of(name, n ? n + 9 : 8));
}

/* Finds a path in a sample. where: the condition for taco__v3_walk_read. */
static bool taco__v3_walk_path(const taco__v3_sample *p, taco_bytes path, taco__arena *arena,
                               taco__nav_node *out, taco__buf *where, taco_error *err)
{
    size_t level = taco__v3_walk_level(p->x, path, false, arena, err),
           below = taco__v3_walk_level(p->x, path, true, arena, err);
    taco__v3_table *t = level == TACO__NONE ? NULL : taco__v3_level_table(p->x, level, err);
    int64_t found = -1;
    if (level != TACO__NONE && !t) { return false; }
    if (t && (!taco__v3_walk_row_condition(p, path, arena, where, err) ||
              !taco__buf_append_char(where, 0, err) ||
              !taco__v3_walk_find(p->x, &t->t, (const char *)where->data, arena, &found, err))) {
        return false;
    }
    if (found < 0) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "the sample has no file %q", &path);
        return false;
    }
    out->level = (uint32_t)level;
    out->row = found;
    if (below == TACO__NONE) {
        out->root = out->folder = false;
        return taco__v3_walk_place(p, t, (uint64_t)found, arena, out, err);
    }
    out->level = (uint32_t)below;
    where->len = 0;
    return taco__v3_walk_children_condition(p, t, (uint64_t)found, arena, where, err) &&
           taco__buf_append_char(where, 0, err);
}

/* taco_opener.walk. out->key_path becomes the condition on the rows of out->level that are below a
   sample or folder, or that of a file. */
TACO__FN bool taco__v3_walk(taco_dataset *ds, const char *path, taco__nav_node *out,
                            taco__arena *arena, taco_error *err)
{
    const char *end = taco__nav_key_end(path);
    taco_bytes key = taco__bytes_of(path, (size_t)(end - path)), whole = taco__bytes_text(path);
    taco__v3_sample p;
    taco__buf where;
    bool ok;
    if (!taco__v3_walk_sample(ds, key, arena, &p, err)) { return false; }
    memset(&where, 0, sizeof where);
    where.mem = &ds->mem;
    out->store = p.x->s;
    out->level = 1;
    ok = *end && end[1] ? taco__v3_walk_path(&p, taco__bytes_text(end + 1), arena, out, &where, err)
                        : taco__v3_walk_children_condition(&p, p.t, p.row, arena, &where, err) &&
                              taco__buf_append_char(&where, 0, err);
    if (ok) {
        out->key_path = taco__arena_text(arena, taco__bytes_of(where.data, where.len - 1), err);
        ok = out->key_path != NULL;
    }
    taco__buf_free(&where);
    if (!ok) { taco__error_prefix(err, "%s: %q", p.x->s->name, &whole); }
    return ok;
}

/* taco_opener.read: the rows of a level for which the condition holds, in the node's container. */
TACO__FN taco_cursor *taco__v3_walk_read(taco_dataset *ds, const taco__nav_node *n, taco_error *err)
{
    taco__v3_store *x = taco__v3_store_of(n->store);
    taco_dataset *rows =
        taco__v3_level_open(ds, taco__bytes_text(x->contract.levels[n->level].name), err);
    taco__query q;
    taco__query_filter filter;
    size_t i;
    if (!rows) { return NULL; }
    memset(&q, 0, sizeof q);
    memset(&filter, 0, sizeof filter);
    filter.f.where = n->key_path;
    q.filters = &filter;
    q.filter_count = 1;
    for (i = 0; i <= x->index; i++) {
        taco__v3_table *t = taco__v3_level_table(taco__v3_store_of(&ds->stores[i]), n->level, err);
        if (!t) { return NULL; }
        q.row_from = q.row_to;
        q.row_to += t->t.rows;
    }
    return taco__select_open(rows, &q, NULL, err);
}
/* ==== src/taco3/v3_info.c ==== */
/* v3_info.c - the description of a TACO 3 as JSON, and which columns belong to a declared file

   In: an open dataset. Out: the text of taco_info_json, whose levels have names; and lists of
   columns for taco_query.select. */
/* #include "v3.h" */

/* ---- JSON ---- */

/* One level over all containers. */
static void taco__v3_info_level(taco_dataset *ds, size_t level, taco__json_writer *w)
{
    const char *name = taco__v3_store_of(&ds->stores[0])->contract.levels[level].name;
    taco_dataset *own = taco__v3_level_open(ds, taco__bytes_text(name), w->err);
    w->ok = w->ok && own;
    if (own) { taco__dataset_write_level(own, 0, name, w); }
}

/* taco_opener.describe. */
TACO__FN bool taco__v3_info_write(taco_dataset *ds, taco__buf *out, taco_error *err)
{
    static const char *const kinds[] = {"", "zip", "folder", "tacocat"};
    static const char *const same[] = {"id",     "description", "tasks",
                                       "extent", "providers",   "licenses",
                                       "title",  "curators",    "keywords"};
    const taco__json *root = ds->stores[0].coll.doc.root;
    int64_t rows = taco_level_rows(ds, 0, err);
    taco__json_writer w;
    size_t i;
    if (rows < 0) { return false; }
    w = taco__json_writer_init(out, err);
    taco__json_write_begin(&w, NULL, '{');
    for (i = 0; i < TACO__COUNT(same); i++) {
        taco__json_print_value(&w, same[i], taco__json_get(root, same[i]));
    }
    taco__json_print_value(&w, "version", taco__json_get(root, "dataset_version"));
    taco__json_print_value(&w, "taco_version", taco__json_get(root, "taco:version"));
    taco__json_print_value(&w, "structure", taco__json_get(root, "taco:structure"));
    taco__json_print_value(&w, "collection", root);
    taco__json_write_text(&w, "kind", kinds[ds->stores[0].kind]);
    taco__json_write_u64(&w, "n", (uint64_t)rows);
    taco__json_write_begin(&w, "levels", '[');
    for (i = 0; w.ok && i < taco__v3_store_of(&ds->stores[0])->contract.level_count; i++) {
        taco__v3_info_level(ds, i, &w);
    }
    taco__json_write_end(&w, ']');
    taco__json_write_end(&w, '}');
    return w.ok;
}

/* ---- columns of files ---- */

/* Whether a column "PATH::what" belongs to one of the declared files. */
static bool taco__v3_info_is_of(const taco__v3_contract *c, const char *column,
                                const char *const *files, size_t n, const char *only)
{
    const char *what = strstr(column, "::");
    size_t i, k;
    if (!what || (only && strcmp(what + 2, only) != 0)) { return false; }
    for (i = 0; i < c->file_count; i++) {
        if (strlen(c->files[i].made) != (size_t)(what - column) ||
            memcmp(c->files[i].made, column, (size_t)(what - column)) != 0) {
            continue;
        }
        for (k = 0; k < n && strcmp(files[k], c->files[i].path) != 0 &&
                    strcmp(files[k], c->files[i].made) != 0;
             k++) {}
        if (k < n || !n) { return true; }
    }
    return false;
}

/* Fails if a name is no declared file: a misspelt one must not leave out columns without a word,
   nor may a path that only some samples have. Names of several files are allowed, in any order,
   and the same one more than once. */
static bool taco__v3_info_check_files(const taco_dataset *ds, const char *const *files, size_t n,
                                      taco_error *err)
{
    const taco__v3_contract *c = &taco__v3_store_of(&ds->stores[0])->contract;
    size_t i, k;
    for (k = 0; k < n; k++) {
        taco_bytes name = taco__bytes_text(files[k]);
        for (i = 0; i < c->file_count && strcmp(files[k], c->files[i].path) != 0 &&
                    strcmp(files[k], c->files[i].made) != 0;
             i++) {}
        if (i == c->file_count) {
            TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "%s: taco:structure has no file %q",
                       ds->stores[0].name, &name);
            return false;
        }
    }
    return true;
}

TACO_API const char *taco_v3_columns(taco_dataset *ds, const char *const *files, size_t n,
                                     bool places_only, taco_error *err)
{
    const taco_field *f;
    taco__v3_store *x;
    taco__buf *text;
    size_t i, count;
    bool ok = true;
    err = taco__error_fresh(err, NULL);
    if (!ds || ds->stores[0].format != taco__v3_format()) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "not a TACO 3, which declares its files");
        return NULL;
    }
    f = taco_level_fields(ds, 0, &count, err);
    if (!f || !taco__v3_info_check_files(ds, files, n, err)) { return NULL; }
    x = taco__v3_store_of(&ds->stores[0]);
    text = &x->all->text;
    text->len = 0;
    for (i = 0; ok && i < count; i++) {
        bool made = taco__v3_info_is_of(&x->contract, f[i].name, NULL, 0, NULL);
        if (places_only ? !taco__v3_info_is_of(&x->contract, f[i].name, files, n, "location")
                        : made && !taco__v3_info_is_of(&x->contract, f[i].name, files, n, NULL)) {
            continue;
        }
        ok = (!text->len || taco__buf_append_text(text, ", ", err)) &&
             taco__lex_append_quoted(text, taco__bytes_text(f[i].name), '"', err);
    }
    return ok && taco__buf_append_char(text, 0, err) ? (const char *)text->data : NULL;
}
/* ==== src/taco3/v3_check.c ==== */
/* v3_check.c - taco_validate of TACO 3: the collection, the archive, the files of a FOLDER, the
   archives of a catalogue

   In: an open dataset, whose index and contract are therefore in order; out: problems in
   taco__findings. What readers need was checked when it was opened; here comes what they can do
   without: texts of the collection, the central directory against the tables, payloads (deep),
   files that no row lists, archives that taco:sources names. Tables and their rows are in
   v3_check_level.c. Start reading at taco__v3_check. */
/* #include "v3.h" */
/* #include "../validate/validate.h" */

/* ---- COLLECTION.json ---- */

/* Whether a member is a list of at least one object or text; of objects, that each has a name. */
static void taco__v3_check_list(taco__findings *f, const taco__json *root, const char *key,
                                taco__json_type type)
{
    const taco__json *list = taco__json_get(root, key), *item;
    size_t i, n = taco__json_length(list);
    if (n == 0) {
        TACO__FINDINGS_ERROR(f, "%s must be a list that is not empty, found %s", key,
                             taco__json_type_name(list));
    }
    for (i = 0, item = taco__json_first(list); i < n; i++, item = taco__json_next(item)) {
        if (!taco__json_is(item, type)) {
            TACO__FINDINGS_ERROR(f, "%s[%u] is %s", key, TACO__U(i), taco__json_type_name(item));
        } else if (type == TACO__JSON_OBJECT && !taco__json_text(taco__json_get(item, "name"))) {
            TACO__FINDINGS_ERROR(f, "%s[%u] has no name", key, TACO__U(i));
        }
    }
}

/* Keys without a namespace are those of the specification. */
static void taco__v3_check_keys_known(taco__findings *f, const taco__json *root)
{
    static const char *const known[] = {"id",     "description",    "licenses", "providers",
                                        "tasks",  "title",          "curators", "keywords",
                                        "extent", "dataset_version"};
    const taco__json *key;
    uint32_t i;
    size_t k;
    for (i = 0, key = taco__json_first(root); i < root->count;
         i++, key = taco__json_next(key + 1)) {
        taco_bytes name = taco__json_bytes(key);
        for (k = 0; k < TACO__COUNT(known) && !taco__bytes_equal(name, taco__bytes_text(known[k]));
             k++) {}
        if (k == TACO__COUNT(known) && !memchr(name.data, ':', name.len)) {
            TACO__FINDINGS_ERROR(f, "key %q is unknown, and has no namespace", &name);
        }
    }
}

/* The characters of a declared path. */
static void taco__v3_check_path_text(taco__findings *f, const char *path)
{
    size_t i, n = strlen(path);
    taco_bytes name = taco__bytes_text(path);
    for (i = 0; i < n; i++) {
        if (strchr("<>:\"\\|?", path[i]) || (path[i] == '_' && path[i + 1] == '_') ||
            ((path[i] == ' ' || path[i] == '.') && (!path[i + 1] || path[i + 1] == '/'))) {
            TACO__FINDINGS_ERROR(f, "taco:structure: %q is not a portable path, at character %u",
                                 &name, TACO__U(i));
            return;
        }
    }
}

static void taco__v3_check_collection(taco__findings *f, const taco__v3_store *x)
{
    const taco__collection *c = &x->s->coll;
    const taco__json *root = c->doc.root;
    taco_error e;
    size_t i;
    taco__findings_set_place(f, "COLLECTION.json");
    memset(&e, 0, sizeof e);
    taco__v3_check_keys_known(f, root);
    if (!*c->id || strpbrk(c->id, "/\\:")) {
        TACO__FINDINGS_ERROR(f, "id must be a text without '/', '\\' and ':'");
    }
    if (!c->description) { TACO__FINDINGS_ERROR(f, "description must be a text"); }
    taco__v3_check_list(f, root, "licenses", TACO__JSON_STRING);
    taco__v3_check_list(f, root, "providers", TACO__JSON_OBJECT);
    if (taco__json_get(root, "tasks")) { taco__v3_check_list(f, root, "tasks", TACO__JSON_STRING); }
    if (taco__collection_check_extent(c, &e) != TACO_OK) { taco__findings_report(f, true, &e); }
    for (i = 0; i < x->contract.file_count; i++) {
        taco__v3_check_path_text(f, x->contract.files[i].path);
    }
    if ((x->s->kind == TACO_KIND_TACOCAT) != (c->sources != NULL)) {
        TACO__FINDINGS_ERROR(f, "taco:sources must be in the collection of a catalogue, and in no "
                                "other");
    }
}

/* ---- archives ---- */

/* Entries that no row names. */
static void taco__v3_check_list_own(taco__v3_check *c)
{
    size_t i;
    for (i = 0; i < c->zip.count; i++) {
        taco_bytes name = taco__check_zip_name(&c->zip, &c->zip.entries[i]);
        if (taco__bytes_starts_with(name, "METADATA/") ||
            taco__bytes_equal(name, taco__bytes_text("COLLECTION.json")) ||
            taco__bytes_starts_with(name, "__cozip_")) {
            c->zip.entries[i].listed = true;
        }
    }
}

/* The records of the archive: stored entries, no comment, nothing between or behind them. */
static bool taco__v3_check_archive(taco__v3_check *c, taco_error *err)
{
    taco__container *s = c->x->s;
    c->zip.f = c->f;
    c->zip.file = &s->file;
    c->zip.mem = s->mem;
    c->zip.arena = s->arena;
    c->zip.options = s->options;
    if (!taco__check_zip_records(&c->zip, s->options->limits.max_metadata, err)) { return false; }
    if (c->zip.dir.comment) {
        TACO__FINDINGS_ERROR(c->f, "an archive comment of %u bytes", TACO__U(c->zip.dir.comment));
    }
    taco__v3_check_list_own(c);
    taco__findings_end_table(c->f, "central directory");
    return true;
}

/* ---- FOLDERs ---- */

static bool taco__v3_check_folder(taco__v3_check *c, taco_error *err)
{
    return taco__check_unlisted_below(c->f, c->x->s, "DATA/", &c->files, err);
}

/* ---- catalogues ---- */

/* Samples of each archive, counted from the rows. */
static uint64_t taco__v3_check_count(const taco__v3_store *x, taco_bytes name, uint64_t rows)
{
    const taco__hash_slot *slot = taco__hash_map_find(&x->source_names, name);
    uint64_t i, n = 0;
    for (i = 0; slot && i < rows; i++) {
        n += x->places[0].source[(size_t)i] == slot->value;
    }
    return n;
}

/* One archive of taco:sources. */
static bool taco__v3_check_part(taco__v3_check *c, const taco__json *part, taco__hash_map *seen,
                                uint64_t rows, taco_error *err)
{
    taco__container *s = c->x->s;
    taco_bytes name = taco__json_bytes(taco__json_get(part, "file"));
    const char *text = taco__arena_text(s->arena, name, err),
               *path = text ? taco__container_join_path(s, s->archive_dir, text, err) : NULL;
    int64_t samples = -1;
    uint64_t size, found = taco__v3_check_count(c->x, name, rows);
    taco_error e;
    bool added;
    if (!path || !taco__hash_map_add(seen, name, &added, err)) { return false; }
    memset(&e, 0, sizeof e);
    if (taco__vsi_check_path(name, false, "taco:sources file", &e) != TACO_OK) {
        taco__findings_report(c->f, true, &e);
    } else if (!s->options->open_file && !taco__vsi_is_remote(taco__bytes_text(path)) &&
               taco__plat_stat(path, &size) != TACO__PATH_FILE) {
        TACO__FINDINGS_ERROR(c->f, "there is no %q of taco:sources", &name);
    }
    if (!added) { TACO__FINDINGS_ERROR(c->f, "taco:sources has %q twice", &name); }
    if (!taco__json_int(taco__json_get(part, "samples"), &samples) || samples < 0 ||
        (uint64_t)samples != found) {
        TACO__FINDINGS_ERROR(c->f, "taco:sources has %d samples of %q, the tables have %u",
                             TACO__D(samples), &name, found);
    }
    return true;
}

static bool taco__v3_check_sources(taco__v3_check *c, taco_error *err)
{
    taco__v3_store *x = c->x;
    const taco__json *parts = taco__json_get(x->s->coll.sources, "partitions"), *part;
    taco__v3_table *t = taco__v3_level_table(x, 0, err);
    size_t i, n = taco__json_length(parts);
    taco__hash_map seen;
    int64_t samples = -1;
    bool ok = t && taco__v3_places_read(x, 0, err);
    if (!ok) { return false; }
    memset(&seen, 0, sizeof seen);
    seen.mem = x->s->mem;
    taco__findings_set_place(c->f, "COLLECTION.json");
    if (!taco__json_int(taco__json_get(x->s->coll.sources, "samples"), &samples) || samples < 0 ||
        (uint64_t)samples != t->t.rows) {
        TACO__FINDINGS_ERROR(c->f, "taco:sources has %d samples, sample.parquet has %u",
                             TACO__D(samples), t->t.rows);
    }
    for (i = 0, part = taco__json_first(parts); ok && i < n; i++, part = taco__json_next(part)) {
        ok = taco__v3_check_part(c, part, &seen, t->t.rows, err);
    }
    for (i = 0; ok && i < x->sources.len / sizeof(taco_bytes); i++) {
        taco_bytes name = ((const taco_bytes *)(const void *)x->sources.data)[i];
        if (!taco__hash_map_find(&seen, name)) {
            TACO__FINDINGS_ERROR(c->f,
                                 "the tables have an internal:source_file %q, which is not in "
                                 "taco:sources",
                                 &name);
        }
        if (name.len < 5 || memcmp(name.data + name.len - 4, ".zip", 4) != 0) {
            TACO__FINDINGS_ERROR(c->f, "internal:source_file %q does not end in .zip", &name);
        }
    }
    taco__hash_map_free(&seen);
    return ok;
}

/* ---- all ---- */

/* Checks of one container, in an order in which the first problem is the most telling. */
static bool taco__v3_check_store(taco__v3_check *c, taco_error *err)
{
    taco__v3_store *x = c->x;
    size_t i;
    taco__v3_check_collection(c->f, x);
    if (x->s->kind == TACO_KIND_ZIP && !taco__v3_check_archive(c, err)) { return false; }
    for (i = 0; i < x->contract.level_count && !c->f->stop; i++) {
        if (!taco__v3_check_level(c, i, err)) { return false; } /* problems are no failure */
    }
    if (x->s->kind == TACO_KIND_ZIP) {
        taco__check_zip_unlisted(&c->zip);
        return !c->f->how->deep || c->f->stop || taco__check_payloads_run(&c->zip, err);
    }
    return x->s->kind == TACO_KIND_FOLDER ? taco__v3_check_folder(c, err)
                                          : taco__v3_check_sources(c, err);
}

/* taco_opener.check. A failure that is about the dataset is one more problem. */
TACO__FN bool taco__v3_check_run(taco_dataset *ds, struct taco__findings *f, taco_error *err)
{
    size_t i;
    for (i = 0; i < ds->container_count; i++) {
        taco__v3_check c;
        taco_error e = {0, TACO_OK, 0, {0}};
        bool ok;
        memset(&c, 0, sizeof c);
        c.f = f;
        c.x = taco__v3_store_of(&ds->stores[i]);
        c.files.mem = &ds->mem;
        ok = taco__v3_check_store(&c, &e) || taco__findings_take_error(f, &e);
        if (c.zip.mem) { taco__check_zip_close(&c.zip); }
        taco__hash_map_free(&c.files);
        if (!ok) {
            *err = e;
            return false;
        }
    }
    return true;
}
/* ==== src/taco3/v3_check_level.c ==== */
/* v3_check_level.c - a table of TACO 3: its columns against the contract, and every row

   In: one level of a container that is being checked. Out: problems. Columns: those that place rows
   with the types of the specification, those of taco:metadata with the declared types and
   nullability, and no others. Rows: current_id is the row number (in catalogues of old writers it
   begins again in every archive), the parent exists and comes in order, the path is that of the
   parent and one name more, which is a folder of the contract or a declared file; files have bytes
   inside of the archive, which its directory has at the same place; folders have none. Samples have
   every declared file once, sequences from 0 on without gaps. Start reading at
   taco__v3_check_level. */
/* #include "v3.h" */
/* #include "../validate/validate.h" */

/* ---- columns ---- */

/* A column that places rows: its type, and whether it may be null. */
static void taco__v3_check_column(taco__v3_check *c, const taco__v3_table *t, const char *name,
                                  size_t at, taco_type type, bool nullable)
{
    taco_field want = taco__field_make(name, type);
    if (at == TACO__NONE) {
        TACO__FINDINGS_ERROR(c->f, "there is no column %s", name);
    } else if (t->t.fields[at].type != type) {
        TACO__FINDINGS_ERROR(c->f, "column %s has type %s, must be %s", name,
                             taco__type_word(t->t.fields[at].type), taco__type_word(want.type));
    } else if (t->t.fields[at].nullable && !nullable) {
        TACO__FINDINGS_ERROR(c->f, "column %s may be null, must not", name);
    }
}

static void taco__v3_check_columns(taco__v3_check *c, const taco__v3_table *t, size_t level)
{
    const bool folder = c->x->s->kind == TACO_KIND_FOLDER;
    taco__v3_check_column(c, t, TACO__CURRENT_ID, t->current, TACO_UINT64, false);
    taco__v3_check_column(c, t, "internal:relative_path", t->path, TACO_TEXT, false);
    if (level) { taco__v3_check_column(c, t, TACO__PARENT_ID, t->parent, TACO_UINT64, false); }
    if (level && !folder) {
        taco__v3_check_column(c, t, "internal:offset", t->offset, TACO_UINT64, true);
        taco__v3_check_column(c, t, "internal:size", t->size, TACO_UINT64, true);
    }
    if (c->x->s->kind == TACO_KIND_TACOCAT) {
        taco__v3_check_column(c, t, TACO__SOURCE_FILE, t->source, TACO_TEXT, false);
    }
    if (!level && t->id != TACO__NONE) {
        taco__v3_check_column(c, t, "id", t->id, TACO_TEXT, false);
    } else if (!level) {
        TACO__FINDINGS_WARN(c->f, "there is no column id, as before 0.9");
    }
}

/* One field of taco:metadata against its column. */
static void taco__v3_check_field(taco__v3_check *c, const taco__v3_table *t, const taco__json *key)
{
    taco_bytes name = taco__json_bytes(key), type;
    const taco__json *nullable = taco__json_get(key + 1, "nullable");
    size_t at = taco__table_find_column(&t->t, key->text);
    const char *declared = taco__json_text(taco__json_get(key + 1, "type"));
    type = taco__bytes_text(declared);
    if (at == TACO__NONE) {
        TACO__FINDINGS_ERROR(c->f, "taco:metadata has %q, the table has no such column", &name);
        return;
    }
    if (!declared || !taco__declared_type_matches(declared, &t->t.fields[at])) {
        TACO__FINDINGS_ERROR(c->f, "column %q is declared as %q, stored as %s", &name, &type,
                             taco__type_word(t->t.fields[at].type));
    }
    if (taco__json_is(nullable, TACO__JSON_FALSE) != !t->t.fields[at].nullable) {
        TACO__FINDINGS_ERROR(c->f, "column %q is declared as %s, stored as %s", &name,
                             t->t.fields[at].nullable ? "not nullable" : "nullable",
                             t->t.fields[at].nullable ? "nullable" : "not nullable");
    }
}

/* taco:metadata against the columns, in both directions; and the level that the file names. */
static void taco__v3_check_contract(taco__v3_check *c, const taco__v3_table *t, size_t level)
{
    const taco__v3_level *l = &c->x->contract.levels[level];
    const taco__json *key;
    taco_bytes own = taco_pq_key_value(&t->pq, "taco:level");
    size_t i;
    for (i = 0, key = taco__json_first(l->fields); i < l->fields->count;
         i++, key = taco__json_next(key + 1)) {
        taco__v3_check_field(c, t, key);
    }
    for (i = 0; i < t->t.field_count; i++) {
        taco_bytes name = taco__bytes_text(t->t.fields[i].name);
        if (i != t->id && !taco__bytes_starts_with(name, "internal:") &&
            !taco__json_get_bytes(l->fields, name)) {
            TACO__FINDINGS_REPORT(c->f, !taco__v3_level_is_reserved(t->t.fields[i].name),
                                  "column %q is not in taco:metadata", &name);
        }
    }
    if (own.data && !taco__bytes_equal(own, taco__bytes_text(l->name))) {
        TACO__FINDINGS_ERROR(c->f, "taco:level is %q, this is the table of level %s", &own,
                             l->name);
    }
}

/* ---- rows ---- */

/* The rows of one table, all columns that place them in memory. */
typedef struct taco__v3_checked {
    taco__v3_check *c;
    taco__v3_table *t;
    size_t level;
    taco__row_reader own, above; /* columns of this table; paths of the parent level */
    const taco_array *current, *path, *offset, *size, *source, *id;
    int32_t *parents;
    uint8_t *mapped;    /* rows that are declared files */
    uint64_t number;    /* of the row in its archive */
    taco_bytes archive; /* of the row before */
    taco__hash_map ids;
} taco__v3_checked;

/* The text of a row; {NULL, 0} if it is null. */
static taco_bytes taco__v3_check_text(const taco_array *a, size_t i)
{
    return a && taco_array_valid(a, i) ? taco_array_bytes(a, i) : taco__bytes_of(NULL, 0);
}

/* current_id, and the number of the row in its archive. */
static void taco__v3_check_current(taco__v3_checked *k, size_t i)
{
    taco_bytes source = taco__v3_check_text(k->source, i);
    uint64_t id = k->current ? (uint64_t)taco_array_int(k->current, i) : i;
    k->number = k->source && taco__bytes_equal(source, k->archive) ? k->number + 1
                : k->source                                        ? 0
                                                                   : i;
    k->archive = source;
    if (id != i && id != k->number) {
        TACO__FINDINGS_ERROR(k->c->f, "internal:current_id is %u, must be the row number", id);
    } else if (id != i) {
        TACO__FINDINGS_WARN(k->c->f, "internal:current_id begins again in an archive, as before "
                                     "0.9");
    }
}

/* The path must be the parent's and one name more, or of a sample its number. */
static void taco__v3_check_row_path(taco__v3_checked *k, size_t i)
{
    taco__findings *f = k->c->f;
    taco_bytes path = taco__v3_check_text(k->path, i), above;
    char digits[24];
    size_t n = taco__num_format_u64(digits, k->number);
    if (!k->level) {
        if (!taco__bytes_equal(path, taco__bytes_of(digits, n))) {
            TACO__FINDINGS_ERROR(
                f, "internal:relative_path is %q, must be the number of the sample", &path);
        }
        return;
    }
    if (k->parents[i] < 0) {
        TACO__FINDINGS_ERROR(f, "internal:parent_id is that of no row of the level above");
        return;
    }
    if (i && k->parents[i] < k->parents[i - 1]) {
        TACO__FINDINGS_ERROR(f, "internal:parent_id is less than in the row before");
    }
    above = taco_array_bytes(&k->above.arrays[0], (size_t)k->parents[i]);
    if (path.len < above.len + 2 || memcmp(path.data, above.data, above.len) != 0 ||
        path.data[above.len] != '/' ||
        memchr(path.data + above.len + 1, '/', path.len - above.len - 1)) {
        TACO__FINDINGS_ERROR(f, "internal:relative_path is %q, that of its parent %q", &path,
                             &above);
    }
}

/* The bytes of a file in an archive: inside of it, and where its directory says. */
static void taco__v3_check_range(taco__v3_checked *k, size_t i, taco_bytes path)
{
    taco__findings *f = k->c->f;
    uint64_t offset = (uint64_t)taco_array_int(k->offset, i),
             size = (uint64_t)taco_array_int(k->size, i);
    taco__check_zip_entry *e;
    if (size == 0) { TACO__FINDINGS_ERROR(f, "internal:size is 0, a file is not empty"); }
    if (k->c->x->s->kind != TACO_KIND_ZIP) { return; }
    if (!taco__checked_range(offset, size, k->c->x->s->file.src.size)) {
        TACO__FINDINGS_ERROR(
            f, "internal:offset %u and internal:size %u are outside of the archive", offset, size);
    }
    if (!k->c->zip.known) { return; }
    e = taco__check_zip_find(
        &k->c->zip,
        taco__findings_hash_path(
            taco__findings_hash_path(TACO__FINDINGS_HASH_SEED, taco__bytes_text("DATA/")), path));
    if (!e) {
        TACO__FINDINGS_ERROR(f, "the archive has no entry DATA/%q", &path);
        return;
    }
    e->listed = true;
    if (e->placed && (e->data != offset || e->size != size)) {
        TACO__FINDINGS_ERROR(f,
                             "internal:offset and internal:size are %u and %u, DATA/%q is at %u "
                             "with %u bytes",
                             offset, size, &path, e->data, e->size);
    }
}

/* The file of a row on disk, which the walk over DATA/ will expect. */
static bool taco__v3_check_on_disk(taco__v3_checked *k, taco_bytes path, taco_error *err)
{
    taco__container *s = k->c->x->s;
    const char *text = taco__arena_text(s->arena, path, err),
               *data = text ? taco__container_join_path(s, "DATA/", text, err) : NULL,
               *full = data ? taco__container_join_path(s, s->dir, data, err) : NULL;
    uint64_t size;
    bool added;
    if (!full || !taco__hash_map_add(&k->c->files, taco__bytes_text(data), &added, err)) {
        return false;
    }
    if (!s->options->open_file && taco__plat_stat(full, &size) != TACO__PATH_FILE) {
        TACO__FINDINGS_ERROR(k->c->f, "there is no file %s", data);
    }
    return true;
}

/* A row is a file or a folder: has it what that has, and only that? */
static bool taco__v3_check_kind(taco__v3_checked *k, size_t i, taco_error *err)
{
    taco__findings *f = k->c->f;
    taco_bytes path = taco__v3_check_text(k->path, i);
    bool placed = k->offset && taco_array_valid(k->offset, i) && taco_array_valid(k->size, i);
    if (taco__bitmap_get(k->mapped, i)) {
        if (k->c->x->s->kind == TACO_KIND_FOLDER) { return taco__v3_check_on_disk(k, path, err); }
        if (placed) {
            taco__v3_check_range(k, i, path);
        } else {
            TACO__FINDINGS_ERROR(f, "internal:offset or internal:size of a file is null");
        }
    } else if (!taco__v3_places_is_folder(k->c->x, path)) {
        TACO__FINDINGS_ERROR(f, "%q is neither a file of taco:structure nor a folder", &path);
    } else if (k->offset && (taco_array_valid(k->offset, i) || taco_array_valid(k->size, i))) {
        TACO__FINDINGS_ERROR(f, "a folder with an internal:offset or internal:size");
    }
    return true;
}

/* Ids of samples: text that is not blank, each once in its archive. */
static bool taco__v3_check_id(taco__v3_checked *k, size_t i, taco_error *err)
{
    taco_bytes id = taco__v3_check_text(k->id, i);
    size_t n = 0;
    bool added = true;
    if (!k->id) { return true; }
    while (n < id.len && (id.data[n] == ' ' || (id.data[n] >= 9 && id.data[n] <= 13))) {
        n++;
    }
    if (n == id.len) {
        TACO__FINDINGS_ERROR(k->c->f, "id is null or blank");
        return true;
    }
    if (!taco__hash_map_add(&k->ids, id, &added, err)) { return false; }
    if (!added) {
        TACO__FINDINGS_REPORT(k->c->f, k->c->x->s->kind != TACO_KIND_TACOCAT, "id %q occurs twice",
                              &id);
    }
    return true;
}

/* Marks the rows of declared files, and reports samples that lack one. */
static bool taco__v3_check_files(taco__v3_checked *k, taco_error *err)
{
    taco__v3_store *x = k->c->x;
    size_t i, s, samples = (size_t)x->tables[0].t.rows;
    uint32_t j;
    for (i = 0; i < x->contract.file_count; i++) {
        const taco__v3_file *file = &x->contract.files[i];
        const taco__v3_rows *r = &x->rows[i];
        if (file->level != k->level) { continue; }
        if (!taco__v3_places_map(x, i, err)) { return false; }
        for (s = 0; s < samples; s++) {
            uint32_t n = file->sequence ? r->start[s + 1] - r->start[s] : r->row[s] >= 0;
            if (file->sequence ? n < file->least || n > file->most : !n) {
                TACO__FINDINGS_ERROR(k->c->f, "sample %u has %u files %s of taco:structure",
                                     TACO__U(s), TACO__U(n), file->path);
            }
            if (!file->sequence && n) { taco__bitmap_set(k->mapped, (size_t)r->row[s]); }
            for (j = file->sequence ? r->start[s] : 0; file->sequence && j < r->start[s + 1]; j++) {
                taco_bytes path = taco__v3_check_text(k->path, (size_t)r->rows[j]);
                size_t at = path.len - file->after.len;
                char digits[24];
                size_t len = taco__num_format_u64(digits, j - r->start[s]);
                taco__bitmap_set(k->mapped, (size_t)r->rows[j]);
                if (at < len || memcmp(path.data + at - len, digits, len) != 0) {
                    TACO__FINDINGS_ERROR(k->c->f, "sample %u: the sequence %s has a gap before %q",
                                         TACO__U(s), file->path, &path);
                }
            }
        }
    }
    return true;
}

/* Opens the columns of a level and the paths above it. */
static bool taco__v3_check_open(taco__v3_checked *k, taco_error *err)
{
    taco__v3_store *x = k->c->x;
    const size_t columns[] = {k->t->current, k->t->path,   k->t->offset,
                              k->t->size,    k->t->source, k->level ? TACO__NONE : k->t->id};
    const taco_array **out[6];
    size_t which[6], i, n = 0, rows = (size_t)k->t->t.rows, up;
    taco__v3_table *above;
    out[0] = &k->current, out[1] = &k->path, out[2] = &k->offset;
    out[3] = &k->size, out[4] = &k->source, out[5] = &k->id;
    for (i = 0; i < 6; i++) {
        if (columns[i] != TACO__NONE) { which[n++] = columns[i]; }
    }
    k->mapped = (uint8_t *)taco__arena_alloc(x->s->arena, TACO__BITMAP_BYTES(rows) + 8, err);
    if (!k->mapped || !taco__row_reader_open(&k->own, &k->t->t, which, n, x->s->mem, err) ||
        !taco__row_reader_read_range(&k->own, 0, rows, err)) {
        return false;
    }
    for (i = n = 0; i < 6; i++) {
        if (columns[i] != TACO__NONE) { *out[i] = &k->own.arrays[n++]; }
    }
    if (!k->level) { return true; }
    up = x->contract.levels[k->level].parent;
    above = taco__v3_level_table(x, up, err);
    k->parents = (int32_t *)taco__arena_array(x->s->arena, rows + 1, sizeof *k->parents, err);
    if (above && above->path == TACO__NONE) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "there is no internal:relative_path");
        return false;
    }
    return above && k->parents && taco__v3_places_parents(x, k->level, k->parents, err) &&
           taco__row_reader_open(&k->above, &above->t, &above->path, 1, x->s->mem, err) &&
           taco__row_reader_read_range(&k->above, 0, (size_t)above->t.rows, err);
}

static bool taco__v3_check_rows(taco__v3_checked *k, taco_error *err)
{
    const char *table = k->c->x->contract.levels[k->level].file;
    size_t i;
    if (!taco__v3_check_open(k, err) || (k->level && !taco__v3_check_files(k, err))) {
        return false;
    }
    for (i = 0; i < k->t->t.rows && !k->c->f->stop; i++) {
        taco__findings_set_place(k->c->f, "%s: row %u", table, TACO__U(i));
        taco__v3_check_current(k, i);
        taco__v3_check_row_path(k, i);
        if (k->level ? !taco__v3_check_kind(k, i, err) : !taco__v3_check_id(k, i, err)) {
            return false;
        }
    }
    taco__findings_end_table(k->c->f, table);
    return true;
}

/* Checks one table. False if the check itself failed. */
TACO__FN bool taco__v3_check_level(taco__v3_check *c, size_t level, taco_error *err)
{
    taco__v3_checked k;
    taco_error e = {0, TACO_OK, 0, {0}};
    bool ok;
    memset(&k, 0, sizeof k);
    k.c = c;
    k.level = level;
    k.ids.mem = c->x->s->mem;
    taco__findings_set_place(c->f, "%s", c->x->contract.levels[level].file);
    k.t = taco__v3_level_table(c->x, level, &e);
    ok = k.t != NULL;
    if (ok) {
        if (!level && !k.t->t.rows) { TACO__FINDINGS_ERROR(c->f, "there are no samples"); }
        taco__v3_check_columns(c, k.t, level);
        taco__v3_check_contract(c, k.t, level);
        ok = c->f->first.code != TACO_OK && k.t->path == TACO__NONE ? true
                                                                    : taco__v3_check_rows(&k, &e);
    }
    taco__row_reader_close(&k.own);
    taco__row_reader_close(&k.above);
    taco__hash_map_free(&k.ids);
    if (!ok && !taco__findings_take_error(c->f, &e)) {
        *err = e;
        return false;
    }
    return true;
}
#endif /* TACO_IMPLEMENTATION */
