/* dataset.h - what the folder offers to the others. */
#ifndef TACO__DATASET_H
#define TACO__DATASET_H

#include "../api/taco.h"
#include "../base/base.h"
#include "../base/json.h"
#include "../parquet/parquet.h"
#include "../filter/filter.h"

/* Two things in this document decide whether a dataset can be read: `id` and `taco:pit_schema`, and
   these are refused unless they are well formed. Everything else is told as it is and has a
   default; whether it is right is for validation. Counts (n, shape) go stale in catalogues and
   exports, so nobody may size or index anything by them. */

#define TACO__PIT_MAX_DEPTH                                                                        \
    5 /* levels below the root: the header index of an archive has no room for more */

/* tasks, licenses, keywords. */
typedef struct taco__collection_texts {
    const char *const *items; /* NUL-terminated */
    size_t count;
} taco__collection_texts;

/* The children that every folder of one kind has, in order. */
typedef struct taco__pit_pattern {
    const uint8_t *folders; /* count of them: 1 for a FOLDER, 0 for a FILE */
    const taco_bytes *ids;  /* count of them, each with a NUL behind it */
    size_t count;
    int64_t n; /* rows, as the document says; -1 where it does not. Never to be trusted */
    const taco__json *node; /* the object in the document */
} taco__pit_pattern;

/* The patterns of one level: one for every kind of folder in the level above, in its order. */
typedef struct taco__pit_level {
    const taco__pit_pattern *patterns;
    size_t count;
    bool present; /* the document has this key, even with no pattern */
} taco__pit_level;

/* The Position-Invariant Tree: what is at which place below any sample. */
typedef struct taco__pit {
    bool folders;                                /* the samples of level 0 are FOLDERs */
    uint32_t depth;                              /* the deepest level that is described */
    int64_t n;                                   /* root.n; -1 where there is none */
    taco__pit_level levels[TACO__PIT_MAX_DEPTH]; /* [d - 1] is what the document calls "d" */
    const int64_t *shape; /* NULL where the document has none, or no integers */
    size_t shape_count;
} taco__pit;

/* All of it lives in the arena. A json value is NULL where the document has no such key. */
typedef struct taco__collection {
    const char *id;
    const char *dataset_version; /* "unknown" */
    const char *description;     /* "" */
    const char *taco_version;    /* "" */
    const char *title;           /* NULL */
    taco__collection_texts tasks, licenses, keywords;
    const taco__json *providers, *curators, *extent, *pit_schema, *field_schema, *sources;
    bool has_spatial, has_temporal;
    double spatial[4];       /* west, south, east, north */
    const char *temporal[2]; /* start, end */
    taco__pit pit;
    taco__json_doc doc; /* all of it, extensions included */
} taco__collection;

#define TACO__ZIP_LOCAL_BYTES 30 /* bytes of a local header without name and extra (§4.3.7)       */
#define TACO__ZIP_CENTRAL_BYTES                                                                    \
    46                          /* of a central directory header (§4.3.12)                       */
#define TACO__ZIP_EOCD_BYTES 22 /* of the end of central directory record (§4.3.16)              */
#define TACO__ZIP_EOCD64_BYTES                                                                     \
    56 /* of its ZIP64 form (§4.3.14)                                   */
#define TACO__ZIP_LOCATOR_BYTES                                                                    \
    20 /* of the record that says where that is (§4.3.15)               */

#define TACO__ZIP_SIG_LOCAL   0x04034B50U
#define TACO__ZIP_SIG_CENTRAL 0x02014B50U
#define TACO__ZIP_SIG_EOCD    0x06054B50U
#define TACO__ZIP_SIG_EOCD64  0x06064B50U
#define TACO__ZIP_SIG_LOCATOR 0x07064B50U

#define TACO__ZIP_ENCRYPTED                                                                        \
    0x2041U /* flag bits 0, 6 and 13: some form of encryption (§4.4.4)        */
#define TACO__ZIP_DESCRIPTOR                                                                       \
    0x0008U /* bit 3: sizes and CRC of the local header are behind the bytes */

/* what the records at the end say; offset and size are proven */
typedef struct taco__zip_dir {
    uint64_t file_size;
    uint64_t offset, size, entries; /* the central directory                                  */
    uint64_t end;                   /* first byte of the end records (EOCD64 or EOCD)         */
    uint64_t gap;                   /* bytes between directory and end records; 0 as a rule   */
    uint64_t eocd;                  /* where the EOCD is                                      */
    uint64_t trailing;              /* bytes behind the EOCD and its comment; 0 as a rule     */
    uint64_t eocd64;                /* where the EOCD64 is; 0 without one                     */
    bool odd64;                     /* its length does not reach to its locator               */
    bool pending;     /* the EOCD64 lies before the tail: taco__zip_read_eocd64 next */
    uint32_t comment; /* bytes of the archive comment                           */
} taco__zip_dir;

/* one central directory header; slices point into the directory */
typedef struct taco__zip_entry {
    taco_bytes name, extra, comment;
    uint64_t at;    /* of the header, in the file */
    uint64_t index; /* 0 for the first            */
    uint64_t size, csize, local;
    uint32_t crc, external;
    uint16_t made, needed, flags, method, time, date;
    bool zip64;
} taco__zip_entry;

typedef struct taco__zip_local_header {
    taco_bytes name, extra; /* {NULL, 0} while partial                     */
    uint64_t size, csize;
    uint64_t length, data; /* of the header; where the bytes begin        */
    uint32_t crc;
    uint16_t needed, flags, method;
    bool partial; /* fewer than length bytes were given: the sizes may be those of ZIP64 */
} taco__zip_local_header;

typedef struct taco__zip_iter {
    taco__byte_reader cur;
    const taco__zip_dir *dir;
    uint64_t index;
    bool bad;
} taco__zip_iter;

#define TACO__INDEX_LEVELS 6 /* METADATA/level0.parquet to level5.parquet */
#define TACO__INDEX_HEADER_BYTES                                                                   \
    157 /* bytes of a TACO_HEADER with its local header: read at least so many */
#define TACO__INDEX_PAYLOAD_BYTES 116 /* count, 3 bytes of padding, 7 pairs of offset and length */
#define TACO__INDEX_TACOCAT_BYTES 128 /* bytes of the header of a TACOCAT */

/* What is odd in a TACO_HEADER but was read; `validate` tells. */
#define TACO__INDEX_ODD_NAME    1U  /* the name of tacozip 0.5 and before                    */
#define TACO__INDEX_ODD_LENGTH  2U  /* the local header gives another length than 116        */
#define TACO__INDEX_ODD_PADDING 4U  /* the bytes behind the count are not zero               */
#define TACO__INDEX_ODD_GAP     8U  /* a level of length 0 before the last one               */
#define TACO__INDEX_ODD_CRC     16U /* the payload is not the one the local header's CRC is of */

typedef struct taco__index {
    taco__range level[TACO__INDEX_LEVELS]; /* len 0: there is no such level            */
    taco__range collection;
    uint32_t levels; /* the deepest level that is there, plus one                   */
    uint32_t count;  /* entries the header announces                                */
    uint32_t table;  /* where the pairs of offset and length begin in the file, or 0 */
    uint32_t last;   /* which of the pairs is that of the collection                */
    unsigned odd;    /* TACO__INDEX_ODD_NAME ...                                       */
    bool recover;    /* refused, but it is a TACO archive: its central directory may do */
} taco__index;

/* The metadata of the first FOLDER datasets. A schema becomes a tree of nodes, one per Arrow column
   or child. A node appends to its own buffers while rows are decoded, and these move to the arena
   when all is read.

   Nothing in a row is free: every value that can differ takes a byte of the file. What takes none
   (null, and records of nothing else) is never visited, only given its length at the end; and
   children of a null record are filled up in one step when the next one that is not null comes. So
   time goes with bytes read plus bytes made, and those have limits. */

/* What a file becomes. All of it is the arena's. */
typedef struct taco__avro_table {
    const taco_field *fields; /* field_count of them */
    size_t field_count;
    const taco_array *columns; /* as many, of rows values each */
    size_t rows;
} taco__avro_table;

/* How a value is encoded; the Arrow type it becomes also depends on its logical type. From ARRAY on
   there are children. */
typedef enum taco__avro_kind {
    TACO__AVRO_NULL = 0,
    TACO__AVRO_BOOLEAN,
    TACO__AVRO_INT,
    TACO__AVRO_LONG,
    TACO__AVRO_FLOAT,
    TACO__AVRO_DOUBLE,
    TACO__AVRO_BYTES,
    TACO__AVRO_STRING,
    TACO__AVRO_FIXED,
    TACO__AVRO_ENUM,
    TACO__AVRO_ARRAY,
    TACO__AVRO_MAP,
    TACO__AVRO_RECORD
} taco__avro_kind;

typedef struct taco__avro_node {
    taco_field *field;
    /* child_count of them; their fields lie in the same order */
    struct taco__avro_node *children;
    uint32_t child_count;
    const uint32_t *live; /* RECORD: which children are not empty, live_count of them */
    uint32_t live_count;
    uint32_t branches;    /* of its union, 0 when there is none */
    uint32_t null_branch; /* which of them is null */
    uint32_t symbol_count;
    const taco_bytes *symbols; /* ENUM */
    int32_t fixed;             /* FIXED: bytes in the file */
    uint8_t kind;              /* taco__avro_kind */
    bool empty;                /* takes no byte in any row, and is never visited */
    size_t length;             /* entries so far; below a null record this may be behind */
    size_t null_count;
    taco__buf validity, offsets,
        values; /* as taco_array wants them; each empty where it has no such part */
} taco__avro_node;

typedef struct taco__avro_name {
    const struct taco__avro_name *next;
    taco_bytes space, name;
    uint32_t hash;
    bool open; /* its own definition is being read */
    const taco__json *schema;
} taco__avro_name;

/* One file that is being read. */
typedef struct taco__avro {
    taco__arena *arena;
    taco__byte_reader c; /* over the file, or over one block of it */
    uint64_t base;       /* where in the file the cursor's bytes begin */
    bool packed; /* they are unpacked from a block at base, and have no offsets of their own */
    uint64_t empty_left; /* values of no bytes that may still be claimed */
    uint32_t node_count, max_nodes, max_depth;
    uint32_t leaf_count, name_count, expanded;
    taco__avro_name *names; /* the latest first */
    taco_error *err;        /* never NULL in here */
} taco__avro;

#define TACO__MAX_LEVELS       TACO__INDEX_LEVELS
#define TACO__OPEN_FIRST_BYTES 256 /* bytes of the first read: the header */
#define TACO__PADDING_PREFIX                                                                       \
    "__TACOPAD" /* begins the id of rows that only keep the tree regular (spec 5.5) */
#define TACO__NONE SIZE_MAX

/* Columns that readers need, by place in the table; TACO__NONE where it has none (facts of
   §7.2.3). */
typedef struct taco__column_roles {
    size_t id, type, parent, current, offset, size, relative, source;
    size_t subfile; /* formats only: the path as the table holds it */
} taco__column_roles;

typedef struct taco__level {
    /* METADATA/level0.parquet: in messages, and of the file for directories */
    const char *name;
    const char *path; /* of its own file; NULL: a range of the container's file */
    taco__range range;
    bool present, opened, avro;
    taco__file file; /* its own */
    bool file_open;
    taco_pq_file pq;
    taco__table table;
    taco__column_roles role;
    taco_field *arrays_fields;
    /* row of the parent in the level above, -1 for an orphan; made by room join */
    int32_t *parents;
    int8_t padded; /* may hold padding rows: -1 not known yet */
    uint8_t alone; /* rows whose parents were looked up one by one */
} taco__level;

/* bytes of a file that a result keeps until it ends */
typedef struct taco__cached_range {
    taco__file *file;
    taco__range range;
} taco__cached_range;

/* An archive of a catalogue. */
typedef struct taco__archive {
    taco__file file; /* first: a file of one of them is one of them */
    struct taco__archive *next;
    const char *name;
    bool open;
    size_t users; /* cursors over its rows */
} taco__archive;

typedef struct taco__container {
    taco__mem *mem;
    taco__arena *arena;
    const taco_options *options;
    const char *name; /* as the caller gave it: in messages */
    /* FOLDER, TACOCAT: what file names are appended to, with a '/' at the end */
    const char *dir;
    const char *vsi; /* root of paths: archive, directory, or base of the archives with a '/' */
    /* TACOCAT: where the archives are, for open_file, with a '/' at the end */
    const char *parts;
    taco_kind kind;
    taco__file file; /* archive or __TACOCAT__ */
    bool file_open;
    taco__index index;
    taco__collection coll;
    uint32_t level_count;
    taco__level levels[TACO__MAX_LEVELS];
    /* TACOCAT: the archive that was read last, and those that cursors use */
    taco__archive *archives;
    const taco_opener *format; /* NULL: one of ours */
    void *own;                 /* the format's, in the arena */
    bool more;                 /* the format has not counted its levels */
    bool any;                  /* formats are asked, too */
} taco__container;

/* A FOLDER that a format finds the children of. */
typedef struct taco__format_folder {
    taco__file *file; /* that holds it */
    int64_t offset, size;
    int64_t row; /* its internal:current_id, -1 when its table has none */
    uint32_t level;
    const char *source; /* its internal:source_file; NULL for kind ZIP */
    bool folder;
} taco__format_folder;

/* What another header adds to taco_open. Its stores say ZIP where all rows are of one file, TACOCAT
   where internal:source_file is the path of each; the other columns that levels and navigation go
   by are those of TACO 2. Paths are not made: internal:subfile holds them, where there are any. A
   member may be NULL unless it says otherwise. */
struct taco_opener {
    const char *name; /* what taco_info_json calls the kind; never NULL */
    /* Whether it is the format of what stands at path: head holds the first bytes of s->file, at
       most TACO__OPEN_FIRST_BYTES, or {NULL, 0}: no file could be opened there. Reads nothing that
       is large, reports nothing. Never NULL. */
    bool (*detect)(taco__container *s, const char *path, taco_bytes head);
    /* Opens all n paths as the stores of ds (taco__dataset_reserve), of which stores[0] has been
       detected; of the others nothing is known. Fills name, kind, vsi, coll, level_count and the
       levels: ranges of files, or, with `level`, nothing but name and present. Never NULL. */
    bool (*open)(taco_dataset *ds, const char *const *paths, size_t n, taco_error *err);
    /* Fills the table of a level when it is first asked for; NULL: its file or range is opened. */
    bool (*level)(taco__container *s, uint32_t n, taco_error *err);
    /* Counts the levels of a store that said `more`: more than one may have been too dear to count.
       On failure level_count includes the level that `level` then fails for. */
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

/* A row's key in its level is its internal:current_id, in a catalogue together with its
   internal:source_file: ids start again in every archive (facts: disagreements 5, 18b). Files of
   before 2025-12 have no current_id: the row's number within its archive counts. */
typedef struct taco__join_archive {
    taco_bytes name;
    int64_t first, count; /* rows of the level above */
} taco__join_archive;

typedef struct taco__join_row_key {
    uint32_t source;
    int32_t row;
    int64_t id;
} taco__join_row_key;

typedef struct taco__join {
    taco__container *store;
    taco__arena arena;
    taco__join_archive *sources;
    size_t source_count, source_cap;
    uint32_t *slots; /* hash table of source numbers + 1 */
    size_t slot_count;
    /* of the level above, sorted; NULL while ids are plain row numbers */
    taco__join_row_key *keys;
    size_t key_count;
    bool plain;
} taco__join;

/* rows of a level, that a column has the numbers of */
typedef struct taco__lookup_set {
    const uint8_t *bits;
    uint64_t rows;
} taco__lookup_set;

/* ---- cascades
   ----------------------------------------------------------------------------------- */

/* Rows of each level that survive; NULL = all of them. */
typedef struct taco__cascade {
    uint8_t *bits[TACO__MAX_LEVELS];
    taco__buf held; /* taco__cached_range: what was read ahead */
} taco__cascade;

#define TACO__GDAL_VSI    "internal:gdal_vsi"
#define TACO__SOURCE_PATH "internal:source_path"
#define TACO__SOURCE_FILE "internal:source_file"

struct taco_dataset {
    taco__mem mem;
    taco__arena arena;
    taco_options options;
    taco__container *stores;
    size_t container_count;
    taco_column_mode mode;
    /* of a level, over all stores; made when first asked for */
    taco_field *fields[TACO__MAX_LEVELS];
    size_t field_count[TACO__MAX_LEVELS];
    bool *mixed[TACO__MAX_LEVELS]; /* of each: stored under several types */
    taco__buf info, locate_vsi, locate_file;
};

/* ---- filters as expressions
   ----------------------------------------------------------------------- */

typedef struct taco__query_box {
    double edge[4]; /* west, south, east, north */
} taco__query_box;

/* of microseconds, half open */
typedef struct taco__query_period {
    int64_t from, to;
    bool days;
} taco__query_period;

/* ---- paths
   ---------------------------------------------------------------------------------------- */

typedef enum taco__sample_path_mode {
    TACO__SAMPLE_PATH_NONE = 0,
    TACO__SAMPLE_PATH_ZIP,
    TACO__SAMPLE_PATH_TACOCAT,
    TACO__SAMPLE_PATH_TOP,      /* FOLDER, level 0: by id */
    TACO__SAMPLE_PATH_RELATIVE, /* FOLDER, below: by internal:relative_path */
    TACO__SAMPLE_PATH_CHILD,    /* FOLDER, rows of a __meta__: parent directory and id */
    TACO__SAMPLE_PATH_STORED    /* formats: a column holds them */
} taco__sample_path_mode;

/* How the paths of a table's rows are made, and of which columns: places in the arrays that were
   read. */
typedef struct taco__sample_path_maker {
    taco__sample_path_mode mode;
    taco_bytes root;   /* archive, base of the archives, dataset or parent directory */
    size_t a, b, name; /* offset and size, or type; source_file, id or relative_path */
    taco__buf offsets, bytes, validity, padded;
} taco__sample_path_maker;

/* ---- queries ---- */

/* An entry of a list of columns, taco_query.select or .order. */
typedef struct taco__query_column {
    const char *name;
    bool descending; /* of order: set by callers inside of the library */
    taco_bytes rest; /* of a text: what follows the name, such as "desc" or a mistake... */
    size_t rest_at;  /* ...and where in the text it begins */
} taco__query_column;

typedef struct taco__query_columns {
    const taco__query_column *items;
    size_t count;
    bool given;            /* false: no list, which means every column, or storage order */
    const taco_error *err; /* of a text: the mistake that follows the last of items, or NULL */
} taco__query_columns;

/* A filter, and its condition as a tree that is not bound: set by callers inside of the library, or
   made of f.where. */
typedef struct taco__query_filter {
    taco_filter f;
    const taco__expr *where;
    taco__expr *parsed; /* where it was made of f.where: the same tree, which the query owns */
} taco__query_filter;

/* taco_query taken apart. */
typedef struct taco__query {
    taco__query_filter *filters;
    size_t filter_count;
    uint32_t table;
    bool flat, padding;
    taco__query_columns select, order;
    uint64_t limit, offset; /* limit 0: none */
} taco__query;

#define TACO__ROW_ID     "\1row" /* no column of a file: store << 32 | row of the level */
#define TACO__CURRENT_ID "internal:current_id"

typedef enum taco__cursor_column_kind {
    TACO__CURSOR_COLUMN_STORED = 0,
    TACO__CURSOR_COLUMN_VSI,
    TACO__CURSOR_COLUMN_SOURCE_PATH,
    /* a column where the table has it, else the name of the dataset's file */
    TACO__CURSOR_COLUMN_SOURCE_FILE,
    /* a column where the table has it, else the row's number in its archive */
    TACO__CURSOR_COLUMN_CURRENT_ID,
    TACO__CURSOR_COLUMN_ROW_ID
} taco__cursor_column_kind;

/* a column that comes out */
typedef struct taco__cursor_column {
    taco__cursor_column_kind kind;
    uint32_t level;   /* COLUMN: the level it is of */
    const char *name; /* there */
} taco__cursor_column;

/* Paths of a piece of the rows that a task of the scan read, made by a task too. */
typedef struct taco__sample_path_task {
    taco__mem own;
    taco__sample_path_maker vsi;
    taco_array *in, out;
    const taco__scan_reader *lane;
    size_t from, n; /* its rows */
    uint64_t wave;  /* of the scan */
    bool ok;
} taco__sample_path_task;

/* Rows of one store (or of one __meta__ table) on their way out. */
typedef struct taco__table_reader {
    const taco__table *table;
    taco__container *store; /* NULL for children */
    taco__scan scan;
    taco__cascade picks;
    taco__expr *where;                       /* what is left to test while rows come out */
    taco__row_reader rows[TACO__MAX_LEVELS]; /* ancestors, flat views only */
    size_t *place; /* of an output column in the arrays of its level; TACO__NONE = null there */
    taco__sample_path_maker vsi;
    taco__sample_path_task *pieces; /* as many as the scan has lanes */
    size_t piece_count;
    taco__mem *mem; /* of the pieces */
    taco_bytes source_path;
    taco_bytes source_file;
    int32_t *current; /* OUT_CURRENT_ID of a catalogue; NULL: the row's number */
    /* of a dry cursor: conditions by level, where several levels are asked */
    taco__expr **tested;
    uint32_t deepest; /* of them */
    bool open, has_cascade;
    uint32_t *numbers; /* sorted results: all row numbers that were found */
    size_t row_number_count;
} taco__table_reader;

/* a row of a sorted result */
typedef struct taco__cursor_sorted_row {
    uint32_t feed, at;
} taco__cursor_sorted_row;

struct taco_cursor {
    taco_dataset *ds;
    taco__mem *mem;
    taco__arena arena;
    taco_error err;
    taco_field *fields;
    taco__cursor_column *outs;
    size_t count;
    size_t hidden; /* fields behind those: to be asked for by name, not by '*' */
    bool shows_hidden;
    bool dry;      /* opened to be looked at: nothing is tested or sorted */
    size_t row_id; /* of SQL: the hidden column that tells whose row it is, or TACO__NONE */
    taco__table_reader *readers;
    size_t reader_count, feed;
    uint32_t level; /* of the rows */
    bool flat, padding, children;
    uint64_t skip, left;
    taco_array *arrays; /* of the batch */
    taco__buf text_bits, null_bits;
    taco__buf source_offsets, file_bits, file_offsets, current_bits, row_bits;
    taco__arena unified; /* columns of the batch that were made another type */
    /* rows that may come out, by store and level; borrowed while it is opened */
    uint8_t **masks;
    const uint32_t *now; /* rows of the batch, counted from now_base; NULL: see `order` */
    uint64_t now_base;
    size_t now_order;
    taco_array *nulls;
    /* sorted results */
    bool sorted;
    taco__cursor_sorted_row *order;
    size_t order_count, order_at;
    taco__row_reader **kept; /* per feed and level: readers of the rows that come out */
    size_t ***output_places; /* where their columns stand in the feed's arrays */
    taco__buf held;          /* taco__cached_range: what was read for the keys or for rows before */
    /* the row cursor */
    taco_batch batch;
    size_t row;
    bool begun, rowwise;
    /* of the batch made last, where it came from one table in its order: the scan's row numbers,
       which it lends */
    const uint32_t *found;
    uint64_t found_base;
    size_t found_count;
    taco__buf positions;
    taco__buf *texts; /* of the current row, one per column; NULL until asked for */
    taco__buf json;
    /* of children: for taco_cursor_children */
    const char *folder; /* path of keys */
    taco__container *parent;
    taco_pq_file child_pq;
    taco__table child_table;
    taco__file child_file;
    taco__file *child_held; /* holds child_range for them */
    taco__range child_range;
    bool child_open, child_file_open;
    bool owns_dataset; /* exported with it */
    /* of taco_sql: what makes its batches, and what ends it */
    void *plan;
    bool (*next)(taco_cursor *c, taco_batch *out);
    void (*end)(taco_cursor *c);
    bool alone; /* conditions ask nothing of ancestors: rows without a parent stay */
};

/* A sample that was found by its key; what it points to lives in an arena. `__meta__` is what the
   children are read from: where it disagrees with the consolidated level (facts: disagreements 1),
   it is right. */
typedef struct taco__nav_node {
    taco__container *store;
    bool root, folder;
    bool has_range; /* archives */
    int64_t offset, size;
    const char *path;   /* FOLDER: below DATA/ */
    const char *source; /* TACOCAT: the archive */
    uint32_t level;     /* formats: where it stands */
    int64_t row;
    const char *walked; /* the keys that led here, which lead nowhere else; NULL: none */
    size_t last;        /* where the last of them begins */
} taco__nav_node;

/* A __meta__ that is open. */
typedef struct taco__local_meta {
    taco_pq_file pq;
    taco__table table;
    taco__column_roles role;
    taco__file file; /* FOLDER datasets: its own */
    bool file_open, open;
    taco__file *held; /* archives: where `range` is held until it is closed */
    taco__range range;
} taco__local_meta;

#define TACO__PIXEL_STATS_SHAPE "stac:tensor_shape"

/* ---- collection.c ---- */

TACO__FN const char *taco__collection_type_name(bool folder);
TACO__FN void taco__collection_read_extent(taco__collection *c);
TACO__FN taco_status taco__collection_parse(taco__arena *arena, taco_bytes text,
                                            const taco_limits *limits, taco__collection *out,
                                            taco_error *err);
TACO__FN taco_status taco__collection_check_same_pit(const taco__collection *a,
                                                     const taco__collection *b, taco_error *err);
TACO__FN taco_status taco__collection_check_extent(const taco__collection *c, taco_error *err);
TACO__FN bool taco__collection_write_info(taco__buf *out, const taco__collection *c,
                                          taco_error *err);

/* ---- zip_read.c ---- */

TACO__FN taco__zip_iter taco__zip_iter_init(taco_bytes directory, const taco__zip_dir *dir);
TACO__FN bool taco__zip_next(taco__zip_iter *it, taco__zip_entry *out, taco_error *err);
TACO__FN taco_status taco__zip_check_stored(const taco__zip_entry *e, taco_error *err);
TACO__FN taco_status taco__zip_read_local_header(taco_bytes b, uint64_t offset,
                                                 taco__zip_local_header *out, taco_error *err);
TACO__FN taco_status taco__zip_open(taco__file *f, taco__zip_dir *out, taco__buf *scratch,
                                    taco_error *err);
TACO__FN taco_status taco__zip_read_directory(taco__file *f, const taco__zip_dir *dir,
                                              uint64_t limit, taco__buf *scratch, taco_bytes *out,
                                              taco_error *err);
TACO__FN taco_status taco__zip_locate_entry(taco__file *f, const taco__zip_dir *dir,
                                            const taco__zip_entry *e, taco__zip_local_header *out,
                                            taco__buf *scratch, taco_error *err);

/* ---- container_index.c ---- */

TACO__FN taco_status taco__index_read_header(taco_bytes first, uint64_t file_size, taco__index *out,
                                             taco_error *err);
TACO__FN taco__range *taco__index_find_slot(taco__index *x, taco_bytes name);
TACO__FN taco_status taco__index_from_directory(taco__file *f, const taco__zip_dir *dir,
                                                taco_bytes directory, taco__index *out,
                                                taco__buf *scratch, taco_error *err);
TACO__FN taco_status taco__index_recover(taco__file *f, uint64_t limit, taco__index *out,
                                         taco_error *err);
TACO__FN taco_status taco__index_compare(const taco__index *header, const taco__index *directory,
                                         taco_error *err);
TACO__FN bool taco__index_is_tacocat(taco_bytes first);
TACO__FN taco_status taco__index_read_tacocat(taco_bytes first, uint64_t file_size,
                                              taco__index *out, taco_error *err);

/* ---- gdal_path.c ---- */

TACO__FN bool taco__vsi_is_remote(taco_bytes path);
TACO__FN bool taco__vsi_append_root(taco__buf *out, taco_bytes path, taco_error *err);
TACO__FN bool taco__vsi_append_base(taco__buf *out, taco_bytes path, taco_error *err);
TACO__FN taco_status taco__vsi_check_path(taco_bytes value, bool folder, const char *column,
                                          taco_error *err);
TACO__FN taco_status taco__vsi_check_name(taco_bytes value, const char *column, taco_error *err);
TACO__FN bool taco__vsi_append_tacocat(taco__buf *out, int64_t offset, int64_t size,
                                       taco_bytes base, taco_bytes source_file, taco_error *err);
TACO__FN bool taco__vsi_append_folder(taco__buf *out, taco_bytes root, taco_bytes relative,
                                      bool folder, const char *column, taco_error *err);
TACO__FN bool taco__vsi_append_child(taco__buf *out, taco_bytes folder, taco_bytes id,
                                     taco_error *err);
TACO__FN bool taco__vsi_parse_number(taco_bytes text, uint64_t *out);

/* ---- avro_read.c ---- */

TACO__FN taco_status taco__avro_read(taco__arena *arena, taco_bytes file, const taco_limits *limits,
                                     taco__avro_table *out, taco_error *err);

/* ---- avro_schema.c ---- */

TACO__FN bool taco__avro_schema_any(taco__avro *a, const taco__json *s, taco_bytes space,
                                    uint32_t depth, taco__avro_node *n);

/* ---- container.c ---- */

TACO__FN const char *taco__container_join_path(taco__container *s, const char *a, const char *b,
                                               taco_error *err);
TACO__FN bool taco__container_ends_with(const char *path, const char *suffix);
TACO__FN const char *taco__container_copy_text(taco__container *s, taco__buf *b, taco_error *err);
TACO__FN bool taco__container_set_vsi_root(taco__container *s, const char *path, bool directory,
                                           taco_error *err);
TACO__FN void taco__container_close(taco__container *s);
TACO__FN void taco__container_warn(const taco__container *s, taco_error *why, const char *what);
TACO__FN int taco__container_compare_names(const void *a, const void *b);
TACO__FN bool taco__container_check_unique_names(taco__container *s, const taco__table *t,
                                                 taco_error *err);
TACO__FN void taco__container_find_roles(const taco__container *s, const taco__table *t,
                                         taco__column_roles *r);
TACO__FN bool taco__container_open_table(taco__container *s, taco__file *file, taco__range range,
                                         const char *name, bool avro, taco__arena *arena,
                                         taco_pq_file *pq, taco__table *table, taco_error *err);
TACO__FN uint32_t taco__container_level_count(taco__container *s);
TACO__FN taco__level *taco__container_level(taco__container *s, uint32_t n, taco_error *err);
TACO__FN bool taco__container_fail(const taco__container *s, const char *what, taco_error *err);
TACO__FN void taco__container_count_archive_user(taco__container *s, const taco__file *file,
                                                 bool begins);
TACO__FN taco__file *taco__container_open_archive(taco__container *s, taco_bytes name,
                                                  taco_error *err);

/* ---- container_open.c ---- */

TACO__FN bool taco__container_open_any(taco__container *s, const char *path, const taco_source *src,
                                       taco__mem *mem, taco__arena *arena,
                                       const taco_options *options, bool any, taco_error *err);
TACO__FN bool taco__container_open(taco__container *s, const char *path, const taco_source *src,
                                   taco__mem *mem, taco__arena *arena, const taco_options *options,
                                   taco_error *err);

/* ---- level_join.c ---- */

TACO__FN size_t taco__join_find_archive(taco__join *j, taco_bytes name, bool add, taco_error *err);
TACO__FN bool taco__join_is_integer(taco_type t);
TACO__FN bool taco__join_number_rows(taco__container *s, taco__level *l, int32_t *out,
                                     taco_error *err);
TACO__FN bool taco__join_make_parents(taco__container *s, uint32_t n, taco_error *err);

/* ---- query_parse.c ---- */

TACO__FN bool taco__query_parse_columns(taco__arena *arena, const char *text,
                                        taco__query_columns *out, taco_error *err);
TACO__FN bool taco__query_parse_ends(const taco__query_columns *list, taco_error *err);
TACO__FN bool taco__query_parse(taco__arena *arena, const taco_query *q, taco__query *out,
                                taco_error *err);
TACO__FN bool taco__query_parse_condition(taco__query_filter *f, taco__arena *arena,
                                          const taco_limits *limits, bool last, taco__expr **e,
                                          taco_error *err);

/* ---- query_filter.c ---- */

TACO__FN bool taco__query_hide_padding(taco__level *l, taco__arena *arena, taco__expr **e,
                                       taco_error *err);
TACO__FN size_t taco__query_find_column(const taco__table *t, const char *asked,
                                        const char *const *names, size_t n, const char *what,
                                        taco_error *err);
TACO__FN taco__expr *taco__query_add_bbox(taco__arena *arena, const taco__table *t,
                                          const taco_filter *f, taco_error *err);
TACO__FN int64_t taco__query_time_in_unit(int64_t us, taco_unit unit);
TACO__FN taco__expr *taco__query_add_time(taco__arena *arena, const taco__table *t,
                                          const taco_filter *f, taco_error *err);
TACO__FN bool taco__query_add_filter(const taco__container *s, taco__arena *arena,
                                     const taco__table *t, const taco_filter *f, taco__expr **e,
                                     taco_error *err);

/* ---- parent_lookup.c ---- */

TACO__FN bool taco__lookup_is_possible(const taco__container *s, uint32_t n);
TACO__FN bool taco__lookup_find_rows(taco__container *s, taco__level *l, size_t column,
                                     const taco__lookup_set *few, uint8_t *out, uint64_t *found,
                                     taco_error *err);
TACO__FN bool taco__lookup_ids_are_row_numbers(taco__container *s, taco__level *l,
                                               const taco__lookup_set *few, uint64_t count,
                                               bool *own, taco_error *err);
TACO__FN bool taco__lookup_parent(taco__container *s, uint32_t n, uint64_t row, int64_t *out,
                                  taco_error *err);

/* ---- cascade.c ---- */

TACO__FN size_t taco__cascade_bitmap_bytes(const taco__container *s, uint32_t level);
TACO__FN void taco__cascade_free(taco__container *s, taco__cascade *p);
TACO__FN bool taco__cascade_alloc_bitmap(taco__container *s, taco__cascade *p, uint32_t level,
                                         taco_error *err);
TACO__FN bool taco__cascade_need_level(taco__container *s, uint32_t l, const taco__expr *where,
                                       uint32_t last, uint32_t certain, taco__buf *ranges,
                                       taco_error *err);
TACO__FN bool taco__cascade_need_indexes(taco__container *s, uint32_t l, uint32_t last,
                                         taco__buf *ranges, taco_error *err);
TACO__FN bool taco__cascade_cache_ranges(taco__cascade *p, taco__file *file, taco__buf *ranges,
                                         taco_error *err);
TACO__FN bool taco__cascade_run(taco__container *s, taco__cascade *p, taco__expr *const *where,
                                uint8_t *const *masks, uint32_t deepest, uint32_t table,
                                taco_error *err);

/* ---- type_union.c ---- */

TACO__FN bool taco__unify_same_type(const taco_field *a, const taco_field *b);
TACO__FN bool taco__unify_type(taco__arena *arena, const taco_field *a, const taco_field *b,
                               taco_field *out, taco_error *err);
TACO__FN bool taco__unify_null_array(const taco_field *f, size_t n, taco_array *a,
                                     taco__arena *arena, taco_error *err);
TACO__FN bool taco__unify_cast_array(taco__arena *arena, const taco_field *to, const taco_array *in,
                                     taco_array *out, taco_error *err);

/* ---- sample_path.c ---- */

TACO__FN void taco__sample_path_maker_free(taco__sample_path_maker *m);
TACO__FN size_t taco__sample_path_maker_init(taco__sample_path_maker *m, const taco__container *s,
                                             const taco__table *t, const taco__column_roles *r,
                                             uint32_t level, size_t which[3], taco_error *err);
TACO__FN int taco__sample_path_parse_type(taco_bytes type);
TACO__FN bool taco__sample_path_make_column(taco__sample_path_maker *m, taco__mem *mem,
                                            const taco_array *in, size_t n, const taco_field *field,
                                            taco_array *out, taco_error *err);
TACO__FN void taco__sample_path_tasks_init(taco_cursor *c, taco__table_reader *f);
TACO__FN bool taco__sample_path_take_from_tasks(taco_cursor *c, taco__table_reader *f, size_t n,
                                                taco_array *out);

/* ---- cursor_columns.c ---- */

TACO__FN bool taco__cursor_column_is_stored(const taco__cursor_column *o);
TACO__FN bool taco__cursor_column_add(taco_cursor *c, taco__cursor_column_kind kind, uint32_t level,
                                      const char *name, const char *label, const taco_field *f);
TACO__FN bool taco__cursor_column_reserve(taco_cursor *c, size_t n);
TACO__FN void taco__cursor_column_init_text(taco_field *f);
TACO__FN bool taco__cursor_column_add_all(taco_cursor *c, uint32_t level);
TACO__FN size_t taco__cursor_column_find_field(const taco_field *fields, size_t n,
                                               const char *name);
TACO__FN size_t taco__cursor_column_find(const taco_cursor *c, const char *name);
TACO__FN bool taco__cursor_column_select(taco_cursor *c, const taco__query_columns *list);
TACO__FN bool taco__cursor_column_is_number(const taco_field *f);
TACO__FN size_t taco__cursor_column_prefix_length(const char *label);
TACO__FN size_t taco__cursor_column_find_unprefixed(const taco_field *fields, size_t n,
                                                    const char *name, bool exact);
TACO__FN size_t taco__cursor_column_find_same_level(const taco_field *fields, size_t n,
                                                    const char *of, const char *name);
TACO__FN bool taco__cursor_column_append_quoted(taco__buf *list, const char *name, taco_error *err);

/* ---- dataset.c ---- */

TACO__FN bool taco__dataset_reserve(taco_dataset *ds, size_t n, taco_error *err);

/* ---- schema_union.c ---- */

TACO__FN bool taco__schema_union_level_fields(taco_dataset *ds, uint32_t level, taco_error *err);
TACO__FN bool taco__schema_union_is_mixed(const taco_dataset *ds, uint32_t level, const char *name);

/* ---- table_reader.c ---- */

TACO__FN bool taco__table_reader_need_columns(const taco__row_reader *r, const uint8_t *picked,
                                              taco__buf *ranges, taco_error *err);
TACO__FN bool taco__table_reader_open(taco_cursor *c, taco__table_reader *f,
                                      const taco__column_roles *roles,
                                      const taco__cursor_column *outs, size_t count,
                                      taco_error *err);
TACO__FN void taco__table_reader_close(taco__table_reader *f);
TACO__FN bool taco__table_reader_filter(taco_cursor *c, taco__table_reader *f,
                                        taco__query_filter *filters, size_t n, taco_error *err);
TACO__FN bool taco__table_reader_set_filter(taco_cursor *c, taco__expr *where);

/* ---- cursor_sorted.c ---- */

TACO__FN void taco__cursor_sorted_release_cached(taco_cursor *c);
TACO__FN bool taco__cursor_sorted_collect_rows(taco_cursor *c, taco__table_reader *f);
TACO__FN bool taco__cursor_sorted_read_rows(taco_cursor *c, taco__table_reader *f,
                                            taco__row_reader *rows, const uint32_t *numbers,
                                            size_t n, const taco_array **by_level);
TACO__FN bool taco__cursor_sorted_next(taco_cursor *c, taco_batch *out);

/* ---- cursor.c ---- */

TACO__FN bool taco__cursor_fail(taco_cursor *c, const taco__table_reader *f, bool level);
TACO__FN taco_cursor *taco__cursor_alloc(taco_dataset *ds, size_t readers, taco_error *err);

/* ---- batch_compose.c ---- */

TACO__FN bool taco__compose_sample_row(const taco_cursor *c, size_t i, size_t *store,
                                       uint64_t *row);
TACO__FN bool taco__compose_is_mixed(const taco_cursor *c, size_t i);
TACO__FN bool taco__compose_batch(taco_cursor *c, taco__table_reader *f,
                                  const taco_array *const *by_level, size_t n);
TACO__FN bool taco__compose_read_level(taco_cursor *c, taco__row_reader *r, const uint32_t *rows,
                                       size_t n);
TACO__FN bool taco__compose_next(taco_cursor *c, taco_batch *out);

/* ---- cursor_order.c ---- */

TACO__FN bool taco__cursor_order_sort(taco_cursor *c, const taco__query_columns *list);

/* ---- select.c ---- */

TACO__FN bool taco__select_open(taco_cursor *c, const taco__query *q);
TACO__FN taco_cursor *taco__select_columns_only(taco_dataset *ds, const taco_query *q,
                                                taco_error *err);

/* ---- navigation.c ---- */

TACO__FN bool taco__nav_is_stored_position(taco_bytes key);
TACO__FN bool taco__nav_append_key(taco__buf *b, taco_bytes id, taco_error *err);
TACO__FN taco_bytes taco__nav_key_to_id(taco_bytes key, taco__arena *arena, taco_error *err);
TACO__FN bool taco__nav_parse_position(taco_bytes key, uint64_t *out);
TACO__FN bool taco__nav_make_filter(const taco__table *t, const taco__column_roles *r,
                                    const taco_bytes *id, bool padding, taco__arena *arena,
                                    taco__expr **out, taco_error *err);
TACO__FN bool taco__nav_walk(taco_dataset *ds, const char *path, bool padding, taco__nav_node *node,
                             taco__arena *arena, taco_error *err);
TACO__FN const char *taco__nav_id_predicate(taco__arena *arena, const char *id, taco_bytes key,
                                            taco_error *err);
TACO__FN const char *taco__nav_id_column(const taco__container *s, uint32_t level);
TACO__FN bool taco__nav_path_of_row(taco_dataset *ds, size_t store, uint32_t level, uint64_t row,
                                    taco__buf *path, taco_error *err);

/* ---- local_metadata.c ---- */

TACO__FN void taco__local_meta_close(taco__local_meta *m);
TACO__FN bool taco__local_meta_find_roles(const taco__container *s, const taco__table *t,
                                          taco__column_roles *r, taco_error *err);
TACO__FN const char *taco__local_meta_folder_path(const taco__nav_node *n, const char *suffix,
                                                  taco_error *err);
TACO__FN bool taco__local_meta_open(const taco__nav_node *n, taco__arena *arena,
                                    taco__local_meta *m, taco_error *err);

/* ---- children.c ---- */

TACO__FN const char *taco__children_directory(const taco__nav_node *n, taco_error *err);

/* ---- paths of samples ---- */

/* The eight decimal digits of x < 10^8, one a byte, the first in the lowest: all of them at once,
   by multiplication with rounded reciprocals that are exact in these ranges. */
TACO__INLINE uint64_t taco__vsi_eight_digits(uint32_t x)
{
    uint64_t four = x / 10000U | (uint64_t)(x % 10000U) << 32, two, one;
    two = ((four * 10486U) >> 20) & 0x0000007F0000007FU; /* / 100, below 10^4 */
    two |= (four - two * 100U) << 16;
    one = ((two * 103U) >> 10) & 0x000F000F000F000FU; /* / 10, below 10^2 */
    return one | (two - one * 10U) << 8;
}

/* Writes x in decimal and returns the end. At most 20 digits; up to 8 bytes behind them are
   overwritten. */
TACO__INLINE uint8_t *taco__vsi_write_digits(uint8_t *p, uint64_t x)
{
    const uint64_t zeros = 0x3030303030303030U, base = 100000000U;
    uint64_t parts[3], d;
    unsigned skip;
    size_t n = 0;
    if (x < 100) { /* offsets are long, the sizes of small samples are not */
        unsigned y = (unsigned)x, tens = (y * 205U) >> 11, one = y < 10;
        unsigned two = (tens | (y - tens * 10U) << 8 | 0x3030U) >> (8 * one);
        p[0] = (uint8_t)two;
        p[1] = (uint8_t)(two >> 8);
        return p + 2 - one;
    }
    while (x >= base) {
        parts[n++] = x % base;
        x /= base;
    }
    d = taco__vsi_eight_digits((uint32_t)x);
    /* leading zeros, but for the last digit */
    skip = taco__plat_ctz64(d | (uint64_t)1 << 56) / 8;
    taco__put_le64(p, (d + zeros) >> (8 * skip));
    p += 8 - skip;
    while (n) {
        taco__put_le64(p, taco__vsi_eight_digits((uint32_t)parts[--n]) + zeros);
        p += 8;
    }
    return p;
}

/* Appends /vsisubfile/{offset}_{size},{root}{name}. root is that of an archive and name empty, or
   root is the base of a TACOCAT and name a checked source file. */
TACO__INLINE bool taco__vsi_append_subfile(taco__buf *out, uint64_t offset, uint64_t size,
                                           taco_bytes root, taco_bytes name, taco_error *err)
{
    size_t tail;
    uint8_t *p;
    if (!taco__checked_add_size(root.len, name.len, &tail) || tail > SIZE_MAX - 62) {
        TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for a path");
        return false;
    }
    tail += 62; /* "/vsisubfile/" + 20 + "_" + 20 + "," + 8 */
    if (TACO__UNLIKELY(!out->data || tail > out->cap - out->len) &&
        !taco__buf_reserve(out, tail, err)) {
        return false;
    }
    tail -= 62;
    p = out->data + out->len;
    memcpy(p, "/vsisubfile/", 12);
    p = taco__vsi_write_digits(p + 12, offset);
    *p++ = '_';
    p = taco__vsi_write_digits(p, size);
    *p++ = ',';
    if (root.len) { memcpy(p, root.data, root.len); }
    if (name.len) { memcpy(p + root.len, name.data, name.len); }
    out->len = (size_t)(p - out->data) + tail;
    return true;
}

/* Proves the values of a row's internal:offset and internal:size. */
TACO__INLINE bool taco__vsi_check_range(int64_t offset, int64_t size, taco_error *err)
{
    if (TACO__UNLIKELY(offset < 0 || size < 0)) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "%s is %d, must not be negative",
                   offset < 0 ? "internal:offset" : "internal:size",
                   TACO__D(offset < 0 ? offset : size));
        return false;
    }
    return true;
}

/* A sample of an archive, at any level, FILE and FOLDER (its __meta__) alike. */
TACO__INLINE bool taco__vsi_append_zip(taco__buf *out, int64_t offset, int64_t size,
                                       taco_bytes root, taco_error *err)
{
    return taco__vsi_check_range(offset, size, err) &&
           taco__vsi_append_subfile(out, (uint64_t)offset, (uint64_t)size, root,
                                    taco__bytes_of(NULL, 0), err);
}

#endif /* TACO__DATASET_H */
