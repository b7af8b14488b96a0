/* rasteret.h - Rasteret collections: read as datasets, built from tables, to and from TACO

   hive.c               a directory of Parquet files, partitions in the names of its directories
   contract.c           which columns a collection must have, and of which types
   collection.c         the opener: a collection as a dataset, one container per file
   collection_filter.c  bbox and time filters on the records' boxes and datetimes
   collection_info.c    the description of a collection
   build.c              makes a collection from a table or a collection, batch by batch
   build_columns.c      plans the columns of the new collection
   build_values.c       computes those missing from the source
   build_parts.c        partitions: writes rows to their files
   enrich.c             headers of the assets' TIFFs into {band}_metadata columns
   convert.c            the TIFFs of a TACO dataset as a collection, and back
   check.c              taco_validate: types of columns, and a pass over the rows
   check_rows.c         rules for records
   check_metadata.c     rules for {band}_metadata
   tiles.c              tiles and byte ranges of a box
   ready.c              whether the layers above have what they need
   descriptor.c         turns a dataset's descriptor into options

   A collection is a table of records with the columns id, datetime, geometry, assets and a box.
   Collections are read with taco_open, through taco_rasteret_opener; other folders use nothing else
   from here. A taco__build and all its memory live for one call. Functions return false with the
   caller's err set; the public calls add the path. */
#ifndef TACO__RASTERET_H
#define TACO__RASTERET_H

#include "../api/taco_rasteret.h"
#include "../base/base.h"
#include "../arrow/arrow.h"
#include "../parquet/parquet.h"
#include "../filter/filter.h"
#include "../parquet_write/parquet_write.h"
#include "../dataset/dataset.h"
#include "../tiff/tiff.h"
#include "../validate/validate.h"
#include "../write/write.h"

/* ---- directories of Parquet files ---- */

#ifndef TACO__HIVE_MAX_OPEN
#define TACO__HIVE_MAX_OPEN 64 /* most files of a collection open at the same time */
#endif
#define TACO__HIVE_NULL_NAME "__HIVE_DEFAULT_PARTITION__" /* Hive's and Arrow's name for null */

/* One name=value of a path, unescaped. */
typedef struct taco__hive_key {
    const char *name;
    const char *value; /* NULL: the default partition */
} taco__hive_key;

/* A file below the directory. */
typedef struct taco__hive_part {
    const char *path; /* the path to open */
    const taco__hive_key *keys;
    size_t key_count;
} taco__hive_part;

/* The files of a collection, in byte order of their paths. */
typedef struct taco__hive {
    taco__arena *arena;
    taco__hive_part *parts;
    size_t count, cap;
    taco_error *err;
    bool any; /* stop the walk at the first file */
} taco__hive;

/* A file that may be closed while others are read, and reopened later. */
typedef struct taco__hive_file {
    const taco_options *options;
    const char *path;
    taco_source src;
    bool open;
    uint64_t used; /* the pool's clock at the last use */
    struct taco__hive_pool *pool;
} taco__hive_file;

typedef struct taco__hive_pool {
    taco__hive_file *open[TACO__HIVE_MAX_OPEN]; /* filled from the front; NULL: free */
    uint64_t clock;
} taco__hive_pool;

/* One file of a collection, the format_state of its container. */
typedef struct taco__rasteret_file {
    const taco__hive_part *part;
    taco__hive_file file;
    /* the partition columns of its collection, and their values here as arrays of one row */
    taco_field *key_fields;
    const taco_array *key_values;
    size_t key_count;
    bool stays_open;  /* the collection has at most TACO__HIVE_MAX_OPEN files */
    const char *root; /* the path of its collection */
} taco__rasteret_file;

/* ---- assets and their headers ---- */

#define TACO__ENRICH_FIELDS    17 /* fields of a {band}_metadata column */
#define TACO__ENRICH_MAX_BANDS 1024

/* A file named in the batch: one entry, however many rows and bands name it. */
typedef struct taco__enrich_asset {
    taco_bytes href;
    const char *path; /* the file to open */
    uint64_t offset;  /* /vsisubfile/: where the asset begins */
    uint64_t size;    /* and its length; 0 = to the end of the file */
    taco_tiff *tiff;  /* NULL if its header could not be read, see err */
    taco_error err;
} taco__enrich_asset;

/* Where one row has one band: a sample of a file. */
typedef struct taco__enrich_ref {
    size_t row, band;
    size_t asset;
    int64_t index;
} taco__enrich_ref;

/* The assets of a batch: collect, run, fill, free. */
typedef struct taco__enrich {
    const taco_options *options;
    taco__mem *mem;
    taco__arena arena;          /* of the batch */
    const char *base;           /* prefix of relative hrefs, or "" */
    taco__enrich_asset *assets; /* unique, sorted by href */
    size_t asset_count;
    taco__enrich_ref *refs; /* sorted by row, then band */
    size_t ref_count;
    uint64_t tried, parsed; /* number of files, over all batches */
} taco__enrich;

/* ---- building ---- */

#define TACO__BUILD_BATCH_ROWS 128 /* rows whose headers are in memory together; a multiple of 8 */
#define TACO__BUILD_MAX_PARTS  512 /* most files written at the same time */

/* How a column is made. */
typedef enum taco__build_column_kind {
    TACO__BUILD_SOURCE = 0, /* a column of the source, maybe renamed */
    TACO__BUILD_ID,         /* an integer id as text */
    TACO__BUILD_DATETIME,   /* a year, a date or text as a timestamp */
    TACO__BUILD_ASSETS,     /* an href column, as assets of the bands */
    TACO__BUILD_EPSG,
    TACO__BUILD_CRS,
    TACO__BUILD_BAND,      /* {band}_metadata; the kinds below are made from geometry or time */
    TACO__BUILD_BBOX_LIST, /* scene_bbox */
    TACO__BUILD_BBOX_EDGE, /* bbox_minx to bbox_maxy, by `band` */
    TACO__BUILD_BBOX,      /* the struct */
    TACO__BUILD_YEAR,
    TACO__BUILD_MONTH
} taco__build_column_kind;

typedef struct taco__build_column {
    taco_field field;
    taco__build_column_kind kind;
    size_t source; /* column of the source */
    size_t band;
    bool key;                 /* names partitions, and is not in the files */
    taco__array_builder made; /* all kinds except SOURCE */
    taco__array_buf picked;   /* the rows of one partition */
} taco__build_column;

/* The source: a collection, or one Parquet file. */
typedef struct taco__build_source {
    taco_dataset *ds;
    taco_cursor *cursor;
    taco_pq_file *pq;
    taco_pq_reader *reader;
    const taco_field *fields;
    size_t count;
    /* slices of its batches, one per column; NULL until needed */
    taco__array_buf *slices;
    taco_array *sliced;
} taco__build_source;

/* Columns of the source by role; TACO__NONE if it has none. */
typedef struct taco__build_roles {
    size_t id, datetime, geometry, assets, href;
    size_t code, epsg, crs; /* proj:code, proj:epsg, crs: the first with a code counts */
} taco__build_roles;

/* The bands to enrich: children of the assets column. */
typedef struct taco__build_bands {
    const char **names;
    uint32_t *children;
    size_t count;
} taco__build_bands;

/* Fields that columns borrow: elements of lists, members of structs. */
typedef struct taco__build_fields {
    taco_field f64, i64, i32;
    taco_field sides[4], metadata[TACO__ENRICH_FIELDS], asset[2];
    taco_field *assets; /* one for each band in the options */
} taco__build_fields;

/* A file being written. */
typedef struct taco__build_part {
    const char *key; /* year=2020/month=1 */
    const char *path;
    taco_pq_writer *writer;
#if TACO__DIRS
    bool made; /* the file is complete, and id identifies it */
    taco__plat_id id;
#endif
} taco__build_part;

/* A directory created for a partition. */
typedef struct taco__build_dir {
    const char *path;
    struct taco__build_dir *before;
} taco__build_dir;

typedef struct taco__build_parts {
    taco__build_part list[TACO__BUILD_MAX_PARTS];
    size_t count;
    taco__build_dir *dirs; /* latest first */
    bool complete;
    taco__buf of_row; /* uint32: the part of each row of the batch */
    taco__buf rows;   /* int32: the rows of one part */
} taco__build_parts;

typedef struct taco__build {
    taco__mem mem;
    taco__arena arena;
    const taco_rasteret_options *opt;
    taco_options options;
    const char *target; /* where files are written: `directory`, if that is set */
#if TACO__DIRS
    taco__temporary directory; /* a new collection of several files, until it is complete */
#endif
    bool whole_files; /* the final hrefs name whole files, not /vsisubfile/ parts of them */
    taco__build_source source;
    taco__build_roles roles;
    taco__build_bands bands;
    taco__build_fields fields;
    taco__build_column *columns;
    size_t count;
    taco_field *out; /* fields of the files: all columns except keys */
    size_t out_count;
    taco_pq_key keys[8]; /* key-value metadata of every file */
    size_t key_count;
    taco__build_parts parts;
    taco__enrich enrich;
    taco__buf text;  /* scratch */
    taco__buf codes; /* int32: the EPSG code of each row of the batch, from its assets */
    bool warned;     /* about geometries without a box, once per build */
    uint64_t rows;   /* written so far */
} taco__build;

/* ---- hive.c ---- */

/* Makes room for one more item in a list of `count`, in the arena. */
TACO__FN bool taco__hive_reserve(taco__arena *arena, void **list, size_t count, size_t *cap,
                                 size_t size, taco_error *err);
TACO__FN bool taco__hive_add_part(taco__hive *h, const char *path, const taco__hive_key *keys,
                                  size_t count);
/* Adds the Parquet files below a directory; the path of dir has `count` keys. */
TACO__FN bool taco__hive_walk(taco__hive *h, const char *dir, const taco__hive_key *keys,
                              size_t count, unsigned depth);
/* Adds the file at path, or all files below a directory, sorted. */
TACO__FN bool taco__hive_find_parts(taco__hive *h, const char *path);
/* Opens a file of a pool; if too many are open, the least recently used one is closed. The other
   functions are the calls of a taco_source whose ctx is such a file. err may be NULL. */
TACO__FN bool taco__hive_file_open(taco__hive_file *f, taco_error *err);
TACO__FN bool taco__hive_file_read(void *ctx, uint64_t offset, void *dst, size_t len);
TACO__FN void taco__hive_file_close(void *ctx);

/* ---- contract.c ---- */

/* Whether a field is a bbox struct; at[] gets the indexes of xmin, ymin, xmax and ymax. */
TACO__FN bool taco__contract_find_bbox(const taco_field *f, size_t at[4]);
TACO__FN bool taco__contract_is_bbox_list(const taco_field *f);
/* Fails with TYPE if the contract demands another type for a column of that name. */
TACO__FN bool taco__contract_check_type(const taco_field *f, taco_error *err);
/* The same for all columns. */
TACO__FN bool taco__contract_check_types(taco_dataset *ds, taco_error *err);
/* Fails with CORRUPT if a required column is in none of the files. */
TACO__FN bool taco__contract_check_dataset(taco_dataset *ds, const char *path, taco_error *err);

/* ---- collection.c ---- */

/* Value of taco_options.openers with only this format, NULL-terminated. */
TACO__FN const taco_opener *const *taco__rasteret_openers(void);

/* ---- collection_info.c ---- */

/* Rasteret's name for a collection without one: the last part of its path, without suffix. */
TACO__FN taco_bytes taco__rasteret_info_default_name(const char *path);
/* Fills the collection of the first container from its file's key-value metadata; if `whole`, also
   from all rows: bounds, codes, number of records. */
TACO__FN bool taco__rasteret_info_describe(taco_dataset *ds, bool whole, taco_error *err);

/* ---- collection_filter.c ---- */

/* taco_opener.bbox and .time. */
TACO__FN taco__expr *taco__rasteret_filter_bbox(taco__arena *arena, const taco__table *t,
                                                const taco_filter *f, taco_error *err);
TACO__FN taco__expr *taco__rasteret_filter_time(taco__arena *arena, const taco__table *t,
                                                const taco_filter *f, taco_error *err);

/* ---- enrich.c ---- */

/* Fields of a {band}_metadata column, in the contract's order; element fields are borrowed. */
TACO__FN void taco__enrich_init_fields(taco_field out[TACO__ENRICH_FIELDS], const taco_field *f64,
                                       const taco_field *i64, const taco_field *i32);
/* Opens asset i and parses its header: a task. */
TACO__FN void taco__enrich_parse_asset(void *arg, size_t i);
/* File, offset and size of /vsisubfile/{offset}_{size},{path}. False for any other href. */
TACO__FN bool taco__enrich_parse_subfile(taco_bytes href, taco_bytes *path, uint64_t *offset,
                                         uint64_t *size);
/* Sets the file to open for an href; relative ones are appended to the base. */
TACO__FN bool taco__enrich_resolve_href(taco__enrich *e, taco__enrich_asset *a, taco_error *err);
/* href and band_index of one asset; a text asset is its own href. False if there is no href. */
TACO__FN bool taco__enrich_read_asset(const taco_array *asset, size_t row, taco_bytes *href,
                                      int64_t *index);
/* Finds the assets of a batch; bands[i] is a child of the assets column. */
TACO__FN bool taco__enrich_collect_assets(taco__enrich *e, const taco_array *assets,
                                          const uint32_t *bands, size_t band_count, size_t rows,
                                          taco_error *err);
/* Parses all headers, in parallel if the options have tasks, and warns about those that fail. False
   only if out of memory. */
TACO__FN bool taco__enrich_run(taco__enrich *e, taco_error *err);
/* Fills one column for each band, and codes[row] with the EPSG code of each record, 0 if no asset
   has one. */
TACO__FN bool taco__enrich_fill_columns(taco__enrich *e, taco__array_builder *columns,
                                        size_t band_count, size_t rows, const taco_array *ids,
                                        int32_t *codes, taco_error *err);
/* Frees the headers and everything else of the batch. */
TACO__FN void taco__enrich_free(taco__enrich *e);

/* ---- tiles.c ---- */

/* A list for taco_query.select, in the arena: those of the named columns that the collection has,
   and {band}_metadata of the bands. NULL if out of memory. */
TACO__FN const char *taco__rasteret_select(taco_dataset *ds, taco__arena *arena,
                                           const char *const *names, size_t count,
                                           const char *const *bands, size_t n, taco_error *err);

/* ---- build.c ---- */

/* Builds from the path source, or from the Parquet file src, which the caller still owns. */
TACO__FN taco_status taco__build_collection(const char *source, const taco_source *src,
                                            const char *target, const taco_rasteret_options *opt,
                                            taco_error *err);

/* ---- build_columns.c ---- */

TACO__FN bool taco__build_columns_plan(taco__build *b, taco_error *err);

/* ---- build_values.c ---- */

/* A time in microseconds, from a timestamp, a date, a year or text. False: null, or err is set. */
TACO__FN bool taco__build_values_read_time(const taco_array *a, size_t i, int64_t *us,
                                           taco_error *err);
/* Fills the builders of all computed columns, for the rows of a batch. */
TACO__FN bool taco__build_values_make_batch(taco__build *b, const taco_batch *in, taco_error *err);

/* ---- build_parts.c ---- */

/* Begins the file of a partition; an empty collection is one file, with the key "". */
TACO__FN bool taco__build_parts_open(taco__build *b, const char *key, taco_error *err);
/* Writes the rows of a batch, each to the file of its partition. */
TACO__FN bool taco__build_parts_write(taco__build *b, const taco_batch *in, taco_error *err);
/* Completes all files; if one fails, the rest are dropped. */
TACO__FN bool taco__build_parts_close(taco__build *b, taco_error *err);
TACO__FN void taco__build_parts_abort(taco__build *b);

/* ---- check.c ---- */

/* Columns that have rules; four edges follow TACO__RASTERET_MINX. */
enum {
    TACO__RASTERET_ID,
    TACO__RASTERET_DATETIME,
    TACO__RASTERET_GEOMETRY,
    TACO__RASTERET_ASSETS,
    TACO__RASTERET_START,
    TACO__RASTERET_END,
    TACO__RASTERET_SCENE_BBOX,
    TACO__RASTERET_BBOX,
    TACO__RASTERET_MINX,
    TACO__RASTERET_YEAR = TACO__RASTERET_MINX + 4,
    TACO__RASTERET_MONTH,
    TACO__RASTERET_EPSG,
    TACO__RASTERET_COLUMNS
};

/* State of checking rows. */
typedef struct taco__rasteret_records {
    taco__findings *f;
    taco__arena arena;
    taco__hash_map ids; /* ids of all rows so far, in the arena */
    const taco_batch *batch;
    const taco_array *column[TACO__RASTERET_COLUMNS]; /* NULL: missing, or of the wrong type */
    uint64_t first;                                   /* number of the batch's first row */
} taco__rasteret_records;

TACO__FN bool taco__rasteret_check_is_integer(const taco_field *f);
/* A member of a struct and its index; NULL if there is none. */
TACO__FN const taco_field *taco__rasteret_check_child(const taco_field *f, const char *name,
                                                      size_t *at);
/* taco_opener.check: checks a collection against its contract. */
TACO__FN bool taco__rasteret_check(taco_dataset *ds, taco__findings *f, taco_error *err);

/* ---- check_rows.c ---- */

/* Checks the rows of r->batch. False if the check itself failed. */
TACO__FN bool taco__rasteret_rows_check(taco__rasteret_records *r, taco_error *err);

/* ---- check_metadata.c ---- */

/* Check the type of a {band}_metadata column, and a non-null row of it; its place is already
   set. */
TACO__FN void taco__rasteret_metadata_check_field(taco__findings *f, const taco_field *field);
TACO__FN void taco__rasteret_metadata_check_row(taco__findings *f, const taco_array *a, size_t i);

#endif /* TACO__RASTERET_H */
