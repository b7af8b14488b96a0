/* write.h - creates, exports, merges, extends and repairs datasets

       tree.c                 ids, types, parents and places of all samples
       pit_schema.c           taco:pit_schema, counted from the tree
       collection_document.c  COLLECTION.json
       level_tables.c         METADATA/levelN.parquet and __meta__
       zip_write.c            archives: local headers, central directory, TACO_HEADER
       payload_batch.c        bytes of samples, read and written by tasks
       samples_ahead.c        the next files to copy, opened by tasks
       payload_ranges.c       limits copied payloads to what the source has
       container_write.c      an archive or a FOLDER from all of these. Start here
       column_builder.c       columns made row by row
       dataset_writer.c       taco_create, samples and folders
       sample_values.c        taco_writer_set_*
       extensions.c           columns of STAC, ISTAC, split, scaling
       spatial_codes.c        majortom:code, spatialgroup:code
       band_statistics.c      geotiff:stats
       collection_members.c   labels, publications, optical bands
       export.c               taco_export, taco_repack
       export_source.c        their columns and payloads
       catalogue.c            taco_create_tacocat, taco_create_tacollection
       catalogue_tables.c     their tables
       merged_collection.c    their collection
       repair.c               taco_repair
       repair_tree.c          its tree
       sample_tables.c        taco_table: CSV, NDJSON, Parquet
       sample_rows.c          their rows by the path of a sample
       from_directory.c       taco_create_directory
       directory_ahead.c      the next files, opened by tasks
       directory_scan.c       entries of a directory
       directory_values.c     values of a sample
       directory_places.c     grid and times of a FOLDER, from the TIFFs below it
       derived_columns.c      centroids and middles of times, from a table's columns
       directory_parts.c      groups and parts
       add_columns.c          taco_add_columns
       archive_edit.c         TACO_HEADER alone, archives with any members

   All writers work alike: they fill a taco__tree, declare columns (taco__container_columns) and
   pass both to container_write.c, which makes a complete container or none. Public calls
   are in api/taco_write.h; src/legacy uses the container writer for conversions.

   Functions that may fail return false or NULL with a message in *err, which is never NULL
   inside this folder unless said so. Structs are zeroed, then _init or _begin, and their _free
   or _abort frees everything; arrays of rows are in taco__buf, data that lives as long as the
   writer in its arena. A taco__input is closed by whoever opened it, a taco_sink by whoever it
   was passed to. */
#ifndef TACO__WRITE_H
#define TACO__WRITE_H

#include "../api/taco_write.h"
#include "../base/base.h"
#include "../base/sink.h"
#include "../base/file_copy.h"
#include "../base/json.h"
#include "../arrow/arrow.h"
#include "../parquet/parquet.h"
#include "../filter/filter.h"
#include "../dataset/dataset.h"
#include "../validate/validate.h"

/* ---- tree.c: samples and their places ---- */

/* The samples of one level, in columns. Children of a parent are adjacent, and in the order of
   their parents. Indexes are rows; sizes are known to fit: rows and ends are below 2^31. */
typedef struct taco__tree_level {
    taco__buf ids;     /* all ids, concatenated */
    taco__buf ends;    /* int32: the id of row r is ids[ends[r]] to ids[ends[r + 1]], as in Arrow */
    taco__buf parents; /* uint32: row in the level above; empty at level 0 */
    taco__buf folders; /* uint8: 1 for a FOLDER, 0 for a FILE */
    taco__buf offsets; /* int64: offset of the bytes in the archive; for a FOLDER of its __meta__ */
    taco__buf sizes;   /* int64: number of bytes */
    size_t rows;
} taco__tree_level;

typedef struct taco__tree {
    taco__tree_level level[TACO__MAX_LEVELS];
    uint32_t levels; /* number of levels with rows */
} taco__tree;

/* A walk through all samples, all zeros at first: the next row of each level. */
typedef struct taco__tree_walk {
    size_t next[TACO__MAX_LEVELS];
    uint32_t level;
} taco__tree_walk;

/* ---- zip_write.c ---- */

typedef struct taco__zip_writer {
    taco__output *out;
    taco__mem *mem;
    taco__buf entries; /* data of each entry for the directory: see taco__zip_write_note_entry */
    taco__buf name;    /* name of the last entry */
    size_t crc_at;     /* where the CRC of the last entry is in `entries` */
    uint64_t count;    /* entries written, without TACO_HEADER */
    uint32_t stamp;    /* DOS date and time of all entries */
    /* For an archive that is extended: the offset of our entries, and the old_count headers of its
       directory to keep. */
    uint64_t begin, old_count;
    taco_bytes old_headers;
} taco__zip_writer;

/* An entry whose size is known only at its end: a sink for others to write to. */
typedef struct taco__zip_write_stream {
    taco__zip_writer *z;
    taco_error *err; /* error for failures of its sink */
    taco__buf name;
    uint64_t head, data, size; /* offsets of its local header and its bytes; their number */
    uint32_t crc;
    taco__buf pending; /* the bytes, for outputs that cannot go back to the header */
    bool open;
} taco__zip_write_stream;

/* ---- container_write.c ---- */

/* The user's columns, without id, type and the format's own: fields for each level, and batches of
   rows in the order of the tree. {0} if there are none. */
typedef struct taco__container_columns {
    void *ctx;
    const taco_field *fields[TACO__MAX_LEVELS];
    size_t counts[TACO__MAX_LEVELS];
    /* Starts a level from its first row; called twice for levels below the first, never for levels
       without columns. */
    bool (*begin)(void *ctx, uint32_t level, taco_error *err);
    /* Returns the next batch, valid until the next call; length 0 at the end. */
    bool (*next)(void *ctx, taco_batch *out, taco_error *err);
} taco__container_columns;

/* The ranges copied from other datasets. */
typedef struct taco__payload_ranges {
    taco__mem *mem;
    uint64_t most, total; /* limits.max_output; bytes so far, if that is given */
    taco__buf sources;    /* taco__payload_source */
    size_t last;          /* index of the source used last */
} taco__payload_ranges;

typedef struct taco__payload_batch taco__payload_batch; /* payload_batch.c */

/* The sample that a failure is about, if that is not the one being stored. */
typedef struct taco__failed_sample {
    bool known;
    uint32_t level;
    size_t row;
} taco__failed_sample;

typedef struct taco__container_writer {
    taco__mem *mem;
    bool copies; /* samples come from another dataset: `copied` has their ranges */
    bool given;  /* the collection is the caller's, not that of another dataset */
    taco__payload_ranges copied;
    taco_options options;
    taco_create_options opt;
    taco__tree *tree;
    /* columns of the extensions are checked against their rules while the tables are written; a
       breach is an error if `refused`, else a warning, one for each column */
    bool checked, refused;
    bool zip, open;   /* an archive; finish or abort must follow */
    bool in_place;    /* FOLDER: an existing dataset, whose metadata is replaced file by file */
    taco__output out; /* archive: the file or sink */
    taco__zip_writer z;
    taco__buf path;   /* FOLDER: the directory being made, then a name; archive: an entry's name */
    size_t root;      /* length of that directory with a '/' at its end, 0 in archives */
    taco__buf target; /* FOLDER: its final name */
#if TACO__DIRS
    taco__temporary directory; /* FOLDER: the directory being made; none if in place */
    taco__staged *staged;      /* FOLDER: gets the complete one, which is not renamed; or NULL */
#endif
    uint8_t *buffer;                          /* FOLDER: buffer for copies */
    taco__range ranges[TACO__MAX_LEVELS + 1]; /* archive: level tables, then COLLECTION.json */
    taco__extent span;                        /* gathered while the tables are written */
    uint64_t payload, files;                  /* FILEs stored so far: their bytes, their number */
    taco__payload_batch *batch;               /* FILEs being read by tasks; NULL: none */
    bool alone;                               /* tasks are not used */
    taco__failed_sample failed;
} taco__container_writer;

/* The FILEs of another dataset. */
typedef struct taco__container_source {
    void *ctx;
    /* Fills *in with the bytes of a FILE. Unless in->later is set, they are copied before the next
       call. */
    bool (*payload)(void *ctx, uint32_t level, size_t row, taco__input *in, taco_error *err);
    /* The path of its file, valid until the next call; NULL if it has none. May be NULL. */
    const char *(*path)(void *ctx, uint32_t level, size_t row);
} taco__container_source;

typedef struct taco__samples_ahead taco__samples_ahead; /* samples_ahead.c */

/* ---- column_builder.c ---- */

/* Rows of a batch for the tables; a multiple of 8, so that bitmaps need no shift. */
#define TACO__BUILDER_SLICE 16384

/* A user's column: rows while it grows, the whole array after _finish. */
typedef struct taco__builder {
    taco__array_builder rows; /* its field is a copy in the arena */
    taco_array array;
    taco__array_buf pieces; /* slices of it */
} taco__builder;

/* ---- dataset_writer.c: the public handle ---- */

struct taco_writer {
    taco__mem mem;
    taco__arena arena;
    taco_error err; /* first failure; sticky */
    taco_options options;
    taco__container_writer pack;
    taco__tree tree;
    const char *path;                            /* "" for a sink */
    bool fill, any_tree, any_values, strict_pit; /* as in taco_create_options */
    uint32_t pad_to;
    taco__json_doc collection;
    bool has_collection, begun; /* a sample has been begun */
    uint32_t depth;             /* number of open FOLDERs */
    uint32_t level;             /* level of the sample whose values are set */
    taco__builder *columns[TACO__MAX_LEVELS];
    size_t counts[TACO__MAX_LEVELS], caps[TACO__MAX_LEVELS];
    taco__hash_map names[TACO__MAX_LEVELS]; /* column indexes by name */
    size_t hint[TACO__MAX_LEVELS];          /* column after the one set last: likely the next */
    /* while the tables are written: level and next row, arrays of a batch, fields of a level */
    uint32_t table;
    size_t at;
    taco_array *arrays;
    taco_field *fields[TACO__MAX_LEVELS];
};

/* ---- export.c, export_source.c ---- */

/* Location of the bytes of some level-0 samples, and everything below them. */
typedef struct taco__export_origin {
    taco__container *store;
    const char *source; /* in a catalogue the name of the archive; else NULL */
} taco__export_origin;

/* Rows [from, to) of one level, whose bytes were fetched as one range; file is NULL if there is
   none. */
typedef struct taco__export_window {
    taco__file *file;
    taco__range range;
    size_t from, to;
} taco__export_window;

/* State of one export: the samples chosen, and the level and archive being read. */
typedef struct taco__export {
    taco_dataset *ds;  /* the source */
    taco_cursor *view; /* cursor whose rows are exported; NULL: those of a query */
    taco__mem mem;
    taco__arena arena;
    taco__tree tree;
    /* bitmaps of the rows of all containers of the source, one container after the other */
    uint8_t *chosen[TACO__MAX_LEVELS];
    size_t rows[TACO__MAX_LEVELS];
    /* int32: row in the tree for each row of the last level read, or -1 */
    taco__buf map;
    taco__buf places; /* taco__export_origin, without duplicates */
    taco__buf place;  /* uint32: index of the origin of each level-0 sample */
    uint64_t total;   /* bytes of payload, if known */
    size_t last;      /* index of the origin whose archive is open */
    taco__file *file;
    taco__container_writer *writer;
    taco__export_window window[TACO__MAX_LEVELS];
    taco_source prefetched; /* `file`, through the fetched window */
    taco__buf path, head;   /* path of a sample; bytes of a local header, or keys */
    /* bytes of `file` from lead_at on, with the local headers of the next payloads */
    taco__buf lead;
    uint64_t lead_at;
    /* where a sample of level 0 was found last: `before` chosen rows are before the stored row */
    size_t before, stored;
    /* the columns of a level */
    taco__container_columns source;
    taco_cursor *cursor;
    uint32_t level;
    size_t at;
    taco__arena columns;       /* data of the level being read */
    taco__array_buf *selected; /* chosen rows of a batch, by column */
    taco_array *arrays;
    taco__buf index;
    /* int32: the old row of each row, for levels whose rows are not in the order of their
       parents */
    taco__buf order[TACO__MAX_LEVELS];
    taco__builder *whole; /* all columns of such a level, in memory */
} taco__export;

/* ---- catalogue.c, catalogue_tables.c, merged_collection.c ---- */

/* Data of a part kept in memory between its two readings. */
typedef struct taco__catalogue_part {
    const char *path, *name, *id; /* name: the bare file name */
    bool has_spatial, has_temporal;
    double spatial[4];
    const char *temporal[2];
    taco__extent span; /* of its samples */
    bool is_file;
    taco__routing_mark mark; /* of the file */
} taco__catalogue_part;

/* State of a catalogue being made. */
typedef struct taco__catalogue {
    taco__mem mem;
    taco__arena arena;
    taco_options options;
    taco_merge_options opt;
    taco__catalogue_part *parts;
    size_t count;
    taco__collection coll; /* collection of the first part */
    uint32_t levels;
    taco_field *fields[TACO__MAX_LEVELS]; /* fields of the catalogue's tables */
    size_t columns[TACO__MAX_LEVELS];
    uint64_t rows[TACO__MAX_LEVELS];
    uint64_t copied;                    /* rows that have been written */
    int64_t *sums[TACO__PIT_MAX_DEPTH]; /* n of each pattern; -1 if a part has none */
    int64_t shape[TACO__MAX_LEVELS];    /* most children of each level, over all parts */
    bool shaped;                        /* every part has a shape */
    taco__differences differences;      /* differences between the columns of the parts */
} taco__catalogue;

/* ---- repair.c, repair_tree.c ---- */

/* Rows of a new level that come from one table. */
typedef struct taco__repair_range {
    bool meta;             /* in the __meta__ of `parent`, else in the old level */
    uint32_t first, count; /* old rows, or rows of the __meta__ */
    uint32_t parent;       /* new row in the level above */
} taco__repair_range;

/* A new level: the old row of each row, and where its bytes are. */
typedef struct taco__repair_level {
    taco__buf old; /* int32: row in the old level, -1 for none */
    /* int64: place of the bytes to copy, or of the __meta__ */
    taco__buf offset, size;
    taco__buf runs;               /* taco__repair_range, in the order of the new rows */
    taco__local_meta sample_meta; /* supplies the fields if the level is not readable */
    bool has_sample_meta;
    taco_field *fields; /* the user's columns */
    size_t count;
} taco__repair_level;

/* State of one taco_repair. */
typedef struct taco__repair {
    taco__check_dataset *c; /* the old dataset, as validation has read it */
    taco__findings f;
    taco_validated before; /* its counts */
    taco__mem mem;
    taco__tree tree;
    taco__repair_level levels[TACO__MAX_LEVELS];
    taco__buf path, window;
    taco_repaired *out;
    taco__staged *staged; /* gets the complete output */
    /* the columns being read: level, range and row in it, the table it comes from */
    uint32_t level;
    size_t run, at;
    taco__row_reader rows;
    bool rows_open, m_open;
    taco__local_meta m;
    taco__arena batch; /* data of the open __meta__ */
    taco_array *arrays;
    size_t *which;
} taco__repair;

/* ---- sample_tables.c ---- */

/* The type of a column's cells so far. */
typedef enum taco__sample_table_type {
    TACO__SAMPLE_TABLE_NONE,
    TACO__SAMPLE_TABLE_BOOL,
    TACO__SAMPLE_TABLE_INT,
    TACO__SAMPLE_TABLE_UINT, /* integers, some beyond int64 */
    TACO__SAMPLE_TABLE_DOUBLE,
    TACO__SAMPLE_TABLE_TEXT,
    TACO__SAMPLE_TABLE_INTS,
    TACO__SAMPLE_TABLE_UINTS,
    TACO__SAMPLE_TABLE_DOUBLES,
    TACO__SAMPLE_TABLE_LISTS, /* lists of lists of numbers */
    TACO__SAMPLE_TABLE_JSON,  /* nested deeper */
    TACO__SAMPLE_TABLE_MIXED  /* several of these: plain text */
} taco__sample_table_type;

struct taco_table {
    taco__mem mem;
    taco__arena arena;
    taco_options options;
    const char *path;   /* the caller's path, while opening */
    bool csv, lines;    /* CSV, or a JSON object per line */
    bool strict;        /* mixed types are an error, else a warning */
    taco_pq_file *file; /* Parquet: its reader owns the only batch, else `columns` do */
    taco_pq_reader *reader;
    taco_batch rows;
    const taco_field *fields;
    size_t count; /* columns */
    const char **names;
    taco__hash_map by_name; /* NDJSON: column indexes by name */
    taco__sample_table_type *types;
    uint8_t *kinds; /* CSV: which integers a column has */
    taco__builder *columns;
};

/* ---- sample_rows.c, from_directory.c, directory_*.c ---- */

#define TACO__SAMPLE_ROWS_TABLES 64         /* most tables about samples */
#define TACO__SAMPLE_ROWS_NONE   UINT64_MAX /* no row for an entry */

/* Columns computed from TIFFs, for levels that have any. */
enum {
    TACO__FROM_DIR_CRS,
    TACO__FROM_DIR_SHAPE,
    TACO__FROM_DIR_TRANSFORM,
    TACO__FROM_DIR_CENTROID,
    TACO__FROM_DIR_HEADER,
    TACO__FROM_DIR_COLUMNS /* number of these */
};

/* Columns computed from others, for tables that lack them. */
enum {
    TACO__DERIVED_STAC_CENTROID,
    TACO__DERIVED_ISTAC_CENTROID,
    TACO__DERIVED_STAC_MIDDLE, /* from here on computed from two times */
    TACO__DERIVED_ISTAC_MIDDLE,
    TACO__DERIVED_COLUMNS /* number of these */
};

/* A table, and the levels it covers. */
typedef struct taco__sample_rows_table {
    taco_table *table;
    const taco_batch *rows;
    const taco_field *fields;
    size_t count, id, type;          /* number of columns, and the indexes of `id` and `type` */
    uint8_t *used[TACO__MAX_LEVELS]; /* per column: 1 if it belongs to the level */
    bool level[TACO__MAX_LEVELS];
    uint8_t *seen; /* per row: 1 if its sample was found in a directory */
} taco__sample_rows_table;

/* One entry of a directory. */
typedef struct taco__dir_scan_entry {
    const char *name;
    uint64_t row;  /* table << 32 | row, or TACO__SAMPLE_ROWS_NONE */
    uint64_t size; /* bytes of everything below, if sizes are needed */
    uint32_t set;  /* level 0: index of its dataset, in the order of first samples */
    uint32_t near; /* level 0: its group of neighbours, or UINT32_MAX */
    double point[2];
    bool folder, has_point;
    bool listed; /* listed as a regular file */
} taco__dir_scan_entry;

typedef struct taco__dir_ahead taco__dir_ahead; /* directory_ahead.c */

#define TACO__DIR_PLACE_TIMES 2 /* stac:time_start, stac:time_end */

/* Where and when a FOLDER is, by the TIFFs below it, as far as they agree. */
typedef struct taco__dir_place {
    char crs[16]; /* "": no TIFF with a place so far */
    double transform[6];
    int64_t shape[2];         /* rows and columns */
    bool differs;             /* in different places: the FOLDER has none */
    const char *name, *other; /* the first child with a place, one in another; may be NULL */
    char other_crs[16];       /* CRS of the latter */
    int64_t time[TACO__DIR_PLACE_TIMES];
    const char *timed[TACO__DIR_PLACE_TIMES]; /* the first child with a time; NULL: none has */
    bool times_differ[TACO__DIR_PLACE_TIMES];
    const char *other_time[TACO__DIR_PLACE_TIMES];
} taco__dir_place;

/* Samples whose children disagree: the first is described, the others are counted. */
typedef struct taco__dir_place_doubt {
    taco_error *first; /* in the arena, once there is one */
    uint64_t count;
} taco__dir_place_doubt;

/* State of one taco_create_directory; taco_add_columns uses its tables. */
typedef struct taco__from_dir {
    const taco_directory_options *how;
    taco_create_options create;
    taco_options options;
    taco_error *err;
    taco__mem mem;
    taco__arena arena;
    taco__sample_rows_table *tables; /* in the arena */
    size_t table_count;
    taco__hash_map by_id; /* rows by id: table << 32 | row */
    taco_writer *w;
    const char *collection;
    size_t collection_len;
    taco__buf path;                /* path of a file below the source */
    size_t root;                   /* length of SOURCE/ in it */
    uint8_t *page;                 /* bytes of a small file */
    taco__dir_ahead *ahead;        /* files opened by tasks; NULL: none */
    bool sizes;                    /* sizes must be known beforehand */
    bool tiff[TACO__MAX_LEVELS];   /* the level has TIFFs */
    bool places[TACO__MAX_LEVELS]; /* its FOLDERs are placed by the TIFFs below them */
    /* their times, which a table has for the samples below; NULL: none */
    const taco_field *times[TACO__MAX_LEVELS][TACO__DIR_PLACE_TIMES];
    taco__dir_place_doubt doubts[1 + TACO__DIR_PLACE_TIMES]; /* about places, then about times */
    bool stats[TACO__MAX_LEVELS];                            /* geotiff:stats is computed */
    bool computed[TACO__MAX_LEVELS][TACO__FROM_DIR_COLUMNS]; /* computed: no table has it */
    bool derived[TACO__MAX_LEVELS][TACO__DERIVED_COLUMNS];   /* computed: a table has its sources */
} taco__from_dir;

/* Entries of one directory. */
typedef struct taco__dir_scan_list {
    taco__from_dir *g;
    taco__dir_scan_entry *entries;
    size_t count, cap;
    taco__plat_dir dir; /* open directory, if `open` is set */
    bool open;
    size_t single; /* entries before this one are opened one by one */
} taco__dir_scan_list;

/* A dataset to make: its path, and its samples of level 0. */
typedef struct taco__dir_parts_part {
    const char *name;
    size_t first, count;
#ifndef TACO_NO_STDIO
    taco__staged *staged; /* one of several; else NULL */
    bool zip;
#endif
} taco__dir_parts_part;

/* ---- tree.c: append in order, set places, then check ----

   _append_* give the row after the last of its level; _id lives until the next one. _sort may be
   called for a level that has none below it yet. The three checks return or set ARGUMENT with a
   message that names the sample: equal ids of siblings, PIT-1, a FOLDER without children. */

TACO__FN void taco__tree_init(taco__tree *t, taco__mem *mem);
TACO__FN void taco__tree_free(taco__tree *t);
TACO__FN taco_bytes taco__tree_id(const taco__tree *t, uint32_t level, size_t row);
TACO__FN size_t taco__tree_parent(const taco__tree *t, uint32_t level, size_t row);
TACO__FN bool taco__tree_is_folder(const taco__tree *t, uint32_t level, size_t row);
TACO__FN int64_t taco__tree_offset(const taco__tree *t, uint32_t level, size_t row);
TACO__FN int64_t taco__tree_size(const taco__tree *t, uint32_t level, size_t row);
TACO__FN void taco__tree_set_place(taco__tree *t, uint32_t level, size_t row, uint64_t offset,
                                   uint64_t size);
TACO__FN bool taco__tree_append_unordered(taco__tree *t, uint32_t level, size_t parent,
                                          taco_bytes id, bool folder, taco_error *err);
TACO__FN bool taco__tree_append_ordered(taco__tree *t, uint32_t level, size_t parent, taco_bytes id,
                                        bool folder, taco_error *err);
TACO__FN bool taco__tree_sort(taco__tree *t, uint32_t level, taco__buf *order, taco_error *err);
TACO__FN bool taco__tree_path(const taco__tree *t, uint32_t level, size_t row, taco__buf *out,
                              taco_error *err);
TACO__FN taco_status taco__tree_check_unique_ids(const taco__tree *t, taco__mem *mem,
                                                 taco_error *err);
TACO__FN taco_status taco__tree_check_pit1(const taco__tree *t, bool deep, taco_error *err);
TACO__FN taco_status taco__tree_check_strict_pit(const taco__tree *t, taco_error *err);
TACO__FN bool taco__tree_walk_next(const taco__tree *t, taco__tree_walk *w, uint32_t *level,
                                   size_t *row);
TACO__FN bool taco__tree_check_no_empty_folder(const taco__tree *t, taco_error *err);

/* ---- pit_schema.c: writes the value ---- */

TACO__FN void taco__pit_schema_write(const taco__tree *t, taco__json_writer *w);

/* ---- collection_document.c ---- */

TACO__FN void taco__document_write_fields(uint32_t level, const taco_field *fields, size_t n,
                                          const taco__json *known, taco__json_writer *w);
TACO__FN void taco__document_copy_members(const taco__json *root, const char *const *skip, size_t n,
                                          taco__json_writer *w);
TACO__FN bool taco__document_write(const taco__json *root, bool keep_extent,
                                   const taco__extent *span, const taco__tree *t,
                                   taco_bytes field_schema, taco__buf *out, taco_error *err);

/* ---- level_tables.c: called by container_write.c when all samples are stored ---- */

TACO__FN taco_pq_write_options taco__level_table_user_options(const taco_pq_write_options *given);
TACO__FN bool taco__level_table_write_folders(taco__container_writer *p, uint32_t level,
                                              const taco__container_columns *src, taco_error *err);
TACO__FN bool taco__level_table_write(taco__container_writer *p, uint32_t level,
                                      const taco__container_columns *src, taco_error *err);

/* ---- zip_write.c: _begin or _resume, entries, _end, _free ----

   Entries are written in the order of the calls, a stream is the only one being written while it is
   open. After a failure nothing but _free may follow: the output is incomplete. */

#define TACO__ZIP_LOCAL_CRC 14 /* where the CRC is in a local header */

TACO__FN bool taco__zip_write_check_name(taco_bytes name, taco_error *err);
TACO__FN size_t taco__zip_write_local_header_size(taco_bytes name, uint64_t size);
TACO__FN void taco__zip_write_local_header(const taco__zip_writer *z, uint8_t *p, taco_bytes name,
                                           uint32_t crc, uint64_t size);
TACO__FN bool taco__zip_write_note_entry(taco__zip_writer *z, taco_bytes name, uint32_t crc,
                                         uint64_t size, taco_error *err);
TACO__FN void taco__zip_write_set_crc(taco__zip_writer *z, size_t at, uint32_t crc);
TACO__FN bool taco__zip_write_begin(taco__zip_writer *z, taco__output *out, taco__mem *mem,
                                    int64_t mtime, taco_error *err);
TACO__FN void taco__zip_write_resume(taco__zip_writer *z, taco__output *out, taco__mem *mem,
                                     int64_t mtime, uint64_t begin, taco_bytes old_headers,
                                     uint64_t old_count);
TACO__FN void taco__zip_write_free(taco__zip_writer *z);
TACO__FN bool taco__zip_write_entry(taco__zip_writer *z, taco_bytes name, const taco__input *in,
                                    uint64_t *offset, uint32_t *crc, taco_error *err);
TACO__FN bool taco__zip_write_gap(taco__zip_writer *z, taco_bytes name, uint64_t size, uint32_t crc,
                                  uint64_t *offset, taco_error *err);
TACO__FN bool taco__zip_write_stream_open(taco__zip_write_stream *s, taco__zip_writer *z,
                                          taco_bytes name, taco_sink *out, taco_error *err);
TACO__FN uint32_t taco__zip_write_taco_header(const taco__zip_writer *z, const taco__range *ranges,
                                              size_t n, uint8_t out[TACO__INDEX_HEADER_BYTES]);
TACO__FN bool taco__zip_write_end(taco__zip_writer *z, const taco__range *ranges, size_t n,
                                  taco_error *err);

/* ---- payload_batch.c: for container_write.c; _begin, _add, _end ---- */

TACO__FN bool taco__payload_batch_begin(taco__container_writer *p, const taco__input *in,
                                        taco_error *err);
TACO__FN bool taco__payload_batch_add(taco__container_writer *p, uint32_t level, size_t row,
                                      taco__input *in, uint64_t *offset, taco_error *err);
TACO__FN bool taco__payload_batch_run_also(taco__container_writer *p, size_t n,
                                           void (*task)(void *arg, size_t i), void *arg,
                                           taco_error *err);
TACO__FN bool taco__payload_batch_settle(taco__container_writer *p, taco_error *err);
TACO__FN bool taco__payload_batch_blame_earlier(taco__container_writer *p, taco_error *err);
TACO__FN bool taco__payload_batch_end(taco__container_writer *p, taco_error *err);
TACO__FN void taco__payload_batch_free(taco__container_writer *p);

/* ---- samples_ahead.c: for container_write.c ---- */

TACO__FN bool taco__samples_ahead_take(taco__container_writer *p, taco__samples_ahead **ahead,
                                       const taco__container_source *from,
                                       const taco__tree_walk *walk, uint32_t level, size_t row,
                                       taco__input *in, bool *found, taco_error *err);
TACO__FN void taco__samples_ahead_free(taco__samples_ahead *a);

/* ---- payload_ranges.c: add before each copy, check after all ---- */

TACO__FN bool taco__payload_ranges_add(taco__payload_ranges *p, const taco__input *in,
                                       taco_bytes id, taco_error *err);
TACO__FN bool taco__payload_ranges_check(const taco__payload_ranges *p, taco_error *err);
TACO__FN void taco__payload_ranges_free(taco__payload_ranges *p);

/* ---- container_write.c: _begin, samples, _finish or _abort; the example is in its head ---- */

TACO__FN bool taco__container_write_is_zip(const char *path, taco_kind container);
TACO__FN bool taco__container_write_check_tree(const taco__container_writer *p, taco_error *err);
TACO__FN bool taco__container_write_begin_in_place(taco__container_writer *p, const char *path,
                                                   const taco_create_options *opt, taco__tree *tree,
                                                   taco__mem *mem, taco_error *err);
TACO__FN void taco__container_write_abort(taco__container_writer *p);
TACO__FN void taco__container_write_init(taco__container_writer *p, const taco_create_options *opt,
                                         taco__tree *tree, taco__mem *mem);
TACO__FN bool taco__container_write_begin_sink(taco__container_writer *p, const taco_sink *sink,
                                               const taco_create_options *opt, taco__tree *tree,
                                               taco__mem *mem, taco_error *err);
TACO__FN bool taco__container_write_begin(taco__container_writer *p, const char *path,
                                          const taco_create_options *opt, taco__tree *tree,
                                          taco__mem *mem, taco_error *err);
TACO__FN bool taco__container_write_sample_path(taco__container_writer *p, uint32_t level,
                                                size_t row, const char *suffix, taco_error *err);
TACO__FN bool taco__container_write_sample(taco__container_writer *p, uint32_t level, size_t row,
                                           taco__input *in, taco_error *err);
TACO__FN bool taco__container_write_stored(taco__container_writer *p, uint64_t size,
                                           taco_error *err);
TACO__FN bool taco__container_write_gap(taco__container_writer *p, uint32_t level, size_t row,
                                        uint64_t size, uint32_t crc, uint64_t *offset,
                                        taco_error *err);
TACO__FN bool taco__container_write_samples(taco__container_writer *p,
                                            const taco__container_source *from, taco_error *err);
TACO__FN bool taco__container_write_open_file(taco__container_writer *p, const char *name,
                                              taco__zip_write_stream *s, taco_sink *sink,
                                              taco_error *err);
TACO__FN bool taco__container_write_finish(taco__container_writer *p, const taco__json *collection,
                                           const taco__container_columns *src, taco_error *err);

/* ---- column_builder.c: rows are appended to c->rows (arrow/builder.c) ---- */

TACO__FN void taco__builder_free(taco__builder *c);
TACO__FN bool taco__builder_init(taco__builder *c, const taco_field *f, taco__mem *mem,
                                 taco__arena *arena, taco_error *err);
TACO__FN void taco__builder_finish(taco__builder *c);
TACO__FN bool taco__builder_parse_time(const taco_field *f, taco_bytes text, int64_t *out);
TACO__FN bool taco__builder_append_int(taco__array_builder *b, int64_t x, taco_error *err);

/* ---- dataset_writer.c: for files that set values ---- */

TACO__FN taco_status taco__dataset_writer_status(taco_writer *w);
TACO__FN taco_status taco__dataset_writer_prefix_error(taco_writer *w);
TACO__FN taco_status taco__dataset_writer_add_file(taco_writer *w, const char *id, taco__input *in);
TACO__FN taco_status taco__dataset_writer_add_path(taco_writer *w, const char *id, const char *path,
                                                   bool later);
TACO__FN bool taco__dataset_writer_blame_earlier(taco_writer *w);

/* ---- extensions.c ---- */

TACO__FN taco_status taco__extension_lonlat(const char *crs, double x, double y, taco_lonlat_fn fn,
                                            void *ctx, double out[2], taco_error *err);
TACO__FN int64_t taco__extension_middle(int64_t a, int64_t b);
TACO__FN void taco__extension_write_wkb_point(const double xy[2], uint8_t wkb[21]);

/* ---- spatial_codes.c ---- */

TACO__FN char *taco__spatial_write_digits(char *p, int64_t x);

/* ---- export_source.c ---- */

TACO__FN void taco__export_source_end_level(taco__export *e);
TACO__FN bool taco__export_source_fields(taco__export *e, uint32_t level, taco_error *err);
TACO__FN bool taco__export_source_begin_level(void *ctx, uint32_t level, taco_error *err);
TACO__FN bool taco__export_source_next_batch(void *ctx, taco_batch *out, taco_error *err);
TACO__FN bool taco__export_source_range(taco__export *e, uint32_t level, size_t row,
                                        taco__range *out, taco_error *err);
TACO__FN const char *taco__export_source_path(void *ctx, uint32_t level, size_t row);
TACO__FN bool taco__export_source_payload(void *ctx, uint32_t level, size_t row, taco__input *in,
                                          taco_error *err);

/* ---- export.c: _init, _build_tree, columns, _write_container, _free ----

   For each level taco__export_source_fields declares the columns that stay; add_columns.c puts its
   own after these. taco__export_write_container takes any taco__container_columns over the tree. */

TACO__FN void taco__export_free(taco__export *e);
TACO__FN bool taco__export_build_tree(taco__export *e, const taco_query *q, taco_error *err);
TACO__FN const taco__json *taco__export_collection(taco__export *e, bool subset, int64_t when,
                                                   taco_error *err);
TACO__FN bool taco__export_write_container(taco__export *e, const char *path,
                                           const taco_create_options *opt, const taco__json *root,
                                           const taco__container_columns *source, taco_error *err);
TACO__FN bool taco__export_init(taco__export *e, taco_dataset *ds, taco_error *err);

/* ---- merged_collection.c: note: with _tacocat, as in the __TACOCAT__ file ---- */

TACO__FN bool taco__merged_write(taco__catalogue *m, bool note, taco__buf *out, taco_error *err);

/* ---- catalogue_tables.c ---- */

TACO__FN bool taco__catalogue_table_write_level(taco__catalogue *m, uint32_t level,
                                                const taco_sink *sink, taco_error *err);
TACO__FN bool taco__catalogue_table_write_file(taco__catalogue *m, taco_sink *out, taco_error *err);

/* ---- repair.c: for repair_tree.c ---- */

TACO__FN const char *taco__repair_path(taco__repair *r, uint32_t level, size_t row,
                                       taco_error *err);
TACO__FN bool taco__repair_open_meta(taco__repair *r, uint32_t level, size_t row,
                                     taco__arena *arena, taco__local_meta *m, taco_error *err);

/* ---- repair_tree.c ---- */

TACO__FN taco__check_zip_entry *taco__repair_tree_find_entry(taco__repair *r, uint32_t level,
                                                             size_t row, const char *path);
TACO__FN bool taco__repair_tree_build(taco__repair *r, taco_error *err);

/* ---- sample_tables.c ---- */

TACO__FN taco_table *taco__sample_table_open(const char *path, const taco_options *opt, bool strict,
                                             taco_error *err);
TACO__FN bool taco__sample_table_has_suffix(const char *text, const char *end);
TACO__FN size_t taco__sample_table_find_field(const taco_field *fields, size_t n, const char *name);

/* ---- directory_ahead.c: entries in order; _free before their list is freed ---- */

TACO__FN bool taco__dir_ahead_take(taco__from_dir *g, taco__dir_scan_list *l, size_t i,
                                   taco__input *in, bool *found, taco_error *err);
TACO__FN void taco__dir_ahead_free(taco__from_dir *g);

/* ---- sample_rows.c: _open_tables first; g->how->tables has the paths ---- */

TACO__FN taco_bytes taco__sample_rows_id(const taco__sample_rows_table *t, size_t row);
TACO__FN uint64_t taco__sample_rows_find(const taco__from_dir *g, taco_bytes id);
TACO__FN bool taco__sample_rows_meet(taco__from_dir *g, uint64_t found, bool folder,
                                     taco_error *err);
TACO__FN bool taco__sample_rows_open_tables(taco__from_dir *g);
TACO__FN const taco_array *taco__sample_rows_column(const taco__from_dir *g, uint32_t level,
                                                    const char *name, size_t *table);

/* ---- directory_parts.c: groups, then a sort by group, then cuts of each group ---- */

TACO__FN bool taco__dir_parts_assign_groups(taco__from_dir *g, taco__dir_scan_list *l,
                                            taco_bytes **keys, size_t *count);
TACO__FN int taco__dir_parts_compare_groups(const void *ctx, const void *a, const void *b);
TACO__FN bool taco__dir_parts_cut(taco__from_dir *g, taco__dir_scan_list *l, size_t first,
                                  size_t end, const char *target, const taco_bytes *key,
                                  taco__buf *parts);
TACO__FN bool taco__dir_parts_check_free(taco__from_dir *g, const taco__dir_parts_part *parts,
                                         size_t n, bool zip, const char *catalogue);

/* ---- directory_scan.c: dir is the length of a directory's path in g->path ---- */

TACO__FN int taco__dir_scan_compare(const void *ctx, const void *a, const void *b);
TACO__FN const char *taco__dir_scan_path(taco__from_dir *g, size_t dir, const char *name);
TACO__FN size_t taco__dir_scan_enter(taco__from_dir *g, size_t dir, const char *name);
TACO__FN void taco__dir_scan_free(taco__dir_scan_list *l);
TACO__FN bool taco__dir_scan_read(taco__from_dir *g, size_t dir, taco__dir_scan_list *l);
TACO__FN bool taco__dir_scan_sum_sizes(taco__from_dir *g, size_t dir, taco__dir_scan_entry *e,
                                       unsigned depth);
TACO__FN bool taco__dir_scan_check_rows(taco__from_dir *g);

/* ---- directory_values.c: what is computed ----

   _find_tiffs, _find_points and _group_neighbours run once, before anything is written; _set for
   every sample right after it was begun. */

TACO__FN bool taco__dir_values_find_tiffs(taco__from_dir *g, size_t dir,
                                          const taco__dir_scan_entry *e, uint32_t level);
TACO__FN bool taco__dir_values_find_points(taco__from_dir *g, taco__dir_scan_list *l);
TACO__FN bool taco__dir_values_group_neighbours(taco__from_dir *g, taco__dir_scan_list *l);
TACO__FN bool taco__dir_values_needs_points(const taco__from_dir *g);
#define TACO__DIR_VALUES_CODE 256 /* bytes of a grid cell's code, with its separators */

TACO__FN bool taco__dir_values_grid_code(taco__from_dir *g, const taco__dir_scan_entry *e,
                                         char out[TACO__DIR_VALUES_CODE]);
TACO__FN const char *taco__dir_values_group_code(uint32_t group, char out[16]);
TACO__FN bool taco__dir_values_set(taco__from_dir *g, uint32_t level, size_t dir,
                                   const taco__dir_scan_entry *e, taco__dir_place *place);
TACO__FN void taco__dir_values_set_place(taco__from_dir *g, uint32_t level, const taco_stac *s,
                                         bool placed, taco_error *why);

/* ---- directory_places.c: _find before anything is written, _add for each child of a FOLDER, _set
   when it has ended, _warn at the end ---- */

TACO__FN void taco__dir_place_find(taco__from_dir *g);
TACO__FN void taco__dir_place_declare(taco__from_dir *g, uint32_t level);
TACO__FN void taco__dir_place_of_tiff(taco__dir_place *p, const taco_stac *s);
TACO__FN void taco__dir_place_of_row(const taco__from_dir *g, uint32_t level,
                                     const taco__dir_scan_entry *e, taco__dir_place *p);
TACO__FN void taco__dir_place_add(taco__dir_place *p, const taco__dir_place *child,
                                  const char *name);
TACO__FN bool taco__dir_place_stac(const taco__from_dir *g, const taco__dir_place *p,
                                   taco_stac *out);
TACO__FN bool taco__dir_place_set(taco__from_dir *g, uint32_t level, size_t dir,
                                  const taco__dir_scan_entry *e, const taco__dir_place *p);
TACO__FN void taco__dir_place_warn(const taco__from_dir *g);

/* ---- derived_columns.c: _find after the tables are open and `computed` is known ---- */

TACO__FN void taco__derived_find(taco__from_dir *g);
TACO__FN void taco__derived_declare(taco__from_dir *g, uint32_t level);
TACO__FN bool taco__derived_point(taco__from_dir *g, uint32_t level, const taco__dir_scan_entry *e,
                                  double xy[2]);
TACO__FN void taco__derived_set(taco__from_dir *g, uint32_t level, const taco__dir_scan_entry *e);

static const char *const taco__from_dir_column_names[TACO__FROM_DIR_COLUMNS] = {
    "stac:crs", "stac:tensor_shape", "stac:geotransform", "stac:centroid", "taco:header"};

#endif /* TACO__WRITE_H */
