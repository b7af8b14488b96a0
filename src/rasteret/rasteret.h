/* rasteret.h - Rasteret collections: read as datasets, built from tables, to and from TACO

   hive.c               a directory of Parquet files, partitions in the names of its directories
   contract.c           which columns a collection must have, and of which types
   collection.c         the opener: a collection as a dataset, one container per file
   collection_filter.c  bbox and time filters on the records' boxes and datetimes
   collection_info.c    what a collection says of itself
   build.c              a table or a collection in, a collection out: batch after batch
   build_columns.c      plans the columns of what is built
   build_values.c       makes those the source does not have
   build_parts.c        partitions: rows to files
   enrich.c             headers of the assets' TIFFs into {band}_metadata columns
   convert.c            the TIFFs of a TACO dataset as a collection, and back
   check.c              taco_validate: types of columns, and a pass over the rows
   check_rows.c         what a record must be
   check_metadata.c     what {band}_metadata must be
   tiles.c              tiles and byte ranges of a box
   ready.c              whether the layers above have what they need
   descriptor.c         a dataset's descriptor as options

   A collection is a table of records with the columns id, datetime, geometry, assets and a box.
   What is read is opened by taco_open through taco_rasteret_opener; nothing else here is for other
   folders. A taco__build lives during one call, with all its memory; functions return false with
   the caller's err set, and the public calls add the path. */
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
#define TACO__HIVE_MAX_OPEN 64 /* files of a collection that are open at the same time */
#endif
#define TACO__HIVE_NULL_NAME "__HIVE_DEFAULT_PARTITION__" /* Hive's and Arrow's name of null */

/* One name=value of a path, unescaped. */
typedef struct taco__hive_key {
    const char *name;
    const char *value; /* NULL: the default partition */
} taco__hive_key;

/* A file below the directory. */
typedef struct taco__hive_part {
    const char *path; /* as it is opened */
    const taco__hive_key *keys;
    size_t key_count;
} taco__hive_part;

/* The files of a collection, in the order of their paths' bytes. */
typedef struct taco__hive {
    taco__arena *arena;
    taco__hive_part *parts;
    size_t count, cap;
    taco_error *err;
    bool any; /* one file is enough: the walk ends there */
} taco__hive;

/* A file that is closed while others are read, and opened again. */
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
    bool stays_open;  /* no more files than TACO__HIVE_MAX_OPEN */
    const char *root; /* the path of its collection */
} taco__rasteret_file;

/* ---- assets and their headers ---- */

#define TACO__ENRICH_FIELDS    17 /* of a {band}_metadata column */
#define TACO__ENRICH_MAX_BANDS 1024

/* One file of the batch, however many rows and bands name it. */
typedef struct taco__enrich_asset {
    taco_bytes href;
    const char *path; /* what is opened */
    uint64_t offset;  /* /vsisubfile/: where it begins there, */
    uint64_t size;    /* and how long it is; 0 = to the end */
    taco_tiff *tiff;  /* NULL: its header could not be read; err says why */
    taco_error err;
} taco__enrich_asset;

/* What one row says of one band: which sample of which file. */
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
    const char *base;           /* before relative hrefs; "" */
    taco__enrich_asset *assets; /* by href, each once */
    size_t asset_count;
    taco__enrich_ref *refs; /* by row, then band */
    size_t ref_count;
    uint64_t tried, parsed; /* files over all batches */
} taco__enrich;

/* ---- building ---- */

#define TACO__BUILD_BATCH_ROWS 128 /* whose headers are in memory together; a multiple of 8 */
#define TACO__BUILD_MAX_PARTS  512 /* files that are written at the same time */

/* Where a column comes from. */
typedef enum taco__build_column_kind {
    TACO__BUILD_SOURCE = 0, /* the source, maybe under another name */
    TACO__BUILD_ID,         /* an integer id as text */
    TACO__BUILD_DATETIME,   /* a year, a date or text as a timestamp */
    TACO__BUILD_ASSETS,     /* an href column as assets of the bands */
    TACO__BUILD_EPSG,
    TACO__BUILD_CRS,
    TACO__BUILD_BAND,      /* {band}_metadata; all from here on are made of the geometry or time */
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
    bool key;                 /* of the partitions, and not in the files */
    taco__array_builder made; /* of all kinds but SOURCE */
    taco__array_buf picked;   /* the rows of one partition */
} taco__build_column;

/* What is built from: a collection, or one Parquet file. */
typedef struct taco__build_source {
    taco_dataset *ds;
    taco_cursor *cursor;
    taco_pq_file *pq;
    taco_pq_reader *reader;
    const taco_field *fields;
    size_t count;
    /* for pieces of its batches, a column each; NULL until one is needed */
    taco__array_buf *slices;
    taco_array *sliced;
} taco__build_source;

/* Columns of the source by their role; TACO__NONE where it has none. */
typedef struct taco__build_roles {
    size_t id, datetime, geometry, assets, href;
    size_t code, epsg, crs; /* proj:code, proj:epsg, crs: the first that says one counts */
} taco__build_roles;

/* The bands that are enriched: children of the assets column. */
typedef struct taco__build_bands {
    const char **names;
    uint32_t *children;
    size_t count;
} taco__build_bands;

/* Fields that columns borrow: elements of lists, members of structs. */
typedef struct taco__build_fields {
    taco_field f64, i64, i32;
    taco_field sides[4], metadata[TACO__ENRICH_FIELDS], asset[2];
    taco_field *assets; /* one per band of the options */
} taco__build_fields;

/* A file that is being written. */
typedef struct taco__build_part {
    const char *key; /* year=2020/month=1 */
    const char *path;
    taco_pq_writer *writer;
#if TACO__DIRS
    bool made; /* the file is complete, and this one */
    taco__plat_id id;
#endif
} taco__build_part;

/* A directory that was made for a partition. */
typedef struct taco__build_dir {
    const char *path;
    struct taco__build_dir *before;
} taco__build_dir;

typedef struct taco__build_parts {
    taco__build_part list[TACO__BUILD_MAX_PARTS];
    size_t count;
    taco__build_dir *dirs; /* the last one made */
    bool complete;
    taco__buf of_row; /* uint32: the part of every row of the batch */
    taco__buf rows;   /* int32: the rows of one part */
} taco__build_parts;

typedef struct taco__build {
    taco__mem mem;
    taco__arena arena;
    const taco_rasteret_options *opt;
    taco_options options;
    const char *target;
    bool whole_files; /* hrefs name files in the end, not /vsisubfile/ parts of them */
    taco__build_source source;
    taco__build_roles roles;
    taco__build_bands bands;
    taco__build_fields fields;
    taco__build_column *columns;
    size_t count;
    taco_field *out; /* of the files: all columns but keys */
    size_t out_count;
    taco_pq_key keys[8]; /* key-value metadata of every file */
    size_t key_count;
    taco__build_parts parts;
    taco__enrich enrich;
    taco__buf text;  /* scratch */
    taco__buf codes; /* int32: the EPSG code of every row of the batch, by its assets */
    bool warned;     /* of geometries without a box, once */
    uint64_t rows;   /* so far */
} taco__build;

/* ---- hive.c ---- */

/* Makes room for item `count` of a list in the arena. */
TACO__FN bool taco__hive_reserve(taco__arena *arena, void **list, size_t count, size_t *cap,
                                 size_t size, taco_error *err);
TACO__FN bool taco__hive_add_part(taco__hive *h, const char *path, const taco__hive_key *keys,
                                  size_t count);
/* Adds the Parquet files below a directory, whose own path has `count` keys. */
TACO__FN bool taco__hive_walk(taco__hive *h, const char *dir, const taco__hive_key *keys,
                              size_t count, unsigned depth);
/* Adds what path names: one file, or all below a directory, sorted. */
TACO__FN bool taco__hive_find_parts(taco__hive *h, const char *path);
/* Opens a file of a pool, closing the one that was used least recently where there are too many;
   and the calls of a taco_source whose ctx is such a file. err may be NULL. */
TACO__FN bool taco__hive_file_open(taco__hive_file *f, taco_error *err);
TACO__FN bool taco__hive_file_read(void *ctx, uint64_t offset, void *dst, size_t len);
TACO__FN void taco__hive_file_close(void *ctx);

/* ---- contract.c ---- */

/* Whether a field is a bbox struct; at[] are the places of xmin, ymin, xmax and ymax. */
TACO__FN bool taco__contract_find_bbox(const taco_field *f, size_t at[4]);
TACO__FN bool taco__contract_is_bbox_list(const taco_field *f);
/* TYPE where the contract wants another type of a column of that name. */
TACO__FN bool taco__contract_check_type(const taco_field *f, taco_error *err);
/* CORRUPT where the files have not all required columns between them. */
TACO__FN bool taco__contract_check_dataset(taco_dataset *ds, const char *path, taco_error *err);

/* ---- collection.c ---- */

/* taco_options.openers of this format alone, NULL at the end. */
TACO__FN const taco_opener *const *taco__rasteret_openers(void);

/* ---- collection_info.c ---- */

/* Rasteret's name of a collection without one: the last part of its path, without a suffix. */
TACO__FN taco_bytes taco__rasteret_info_default_name(const char *path);
/* Fills the collection of the first container from its file's key-value metadata; with `whole` also
   what only the rows say: bounds, codes, number. */
TACO__FN bool taco__rasteret_info_describe(taco_dataset *ds, bool whole, taco_error *err);

/* ---- collection_filter.c ---- */

/* taco_opener.bbox and .time. */
TACO__FN taco__expr *taco__rasteret_filter_bbox(taco__arena *arena, const taco__table *t,
                                                const taco_filter *f, taco_error *err);
TACO__FN taco__expr *taco__rasteret_filter_time(taco__arena *arena, const taco__table *t,
                                                const taco_filter *f, taco_error *err);

/* ---- enrich.c ---- */

/* Fields of a {band}_metadata column, in the contract's order; those of elements are borrowed. */
TACO__FN void taco__enrich_init_fields(taco_field out[TACO__ENRICH_FIELDS], const taco_field *f64,
                                       const taco_field *i64, const taco_field *i32);
/* Opens asset i and parses its header: a task. */
TACO__FN void taco__enrich_parse_asset(void *arg, size_t i);
/* File, offset and size of /vsisubfile/{offset}_{size},{path}. False when href is none. */
TACO__FN bool taco__enrich_parse_subfile(taco_bytes href, taco_bytes *path, uint64_t *offset,
                                         uint64_t *size);
/* Sets what is opened for an href: relative ones come after the base. */
TACO__FN bool taco__enrich_resolve_href(taco__enrich *e, taco__enrich_asset *a, taco_error *err);
/* href and band_index of one asset; an asset that is text is its href. False without one. */
TACO__FN bool taco__enrich_read_asset(const taco_array *asset, size_t row, taco_bytes *href,
                                      int64_t *index);
/* Finds the assets of a batch; bands[i] is a child of the assets column. */
TACO__FN bool taco__enrich_collect_assets(taco__enrich *e, const taco_array *assets,
                                          const uint32_t *bands, size_t band_count, size_t rows,
                                          taco_error *err);
/* Parses all headers, by tasks where the options have any, and warns of those that fail. False only
   without memory. */
TACO__FN bool taco__enrich_run(taco__enrich *e, taco_error *err);
/* Fills one column for each band, and codes[row] with the EPSG code of each record, 0 where no
   asset says one. */
TACO__FN bool taco__enrich_fill_columns(taco__enrich *e, taco__array_builder *columns,
                                        size_t band_count, size_t rows, const taco_array *ids,
                                        int32_t *codes, taco_error *err);
/* Closes the headers, and frees what belongs to the batch. */
TACO__FN void taco__enrich_free(taco__enrich *e);

/* ---- tiles.c ---- */

/* The columns of these names that the collection has, and {band}_metadata of the bands, for
   taco_query.select; in the arena. NULL when out of memory. */
TACO__FN const char *taco__rasteret_select(taco_dataset *ds, taco__arena *arena,
                                           const char *const *names, size_t count,
                                           const char *const *bands, size_t n, taco_error *err);

/* ---- build.c ---- */

/* Builds from what is at source, or from the Parquet file src, which still belongs to the
   caller. */
TACO__FN taco_status taco__build_collection(const char *source, const taco_source *src,
                                            const char *target, const taco_rasteret_options *opt,
                                            taco_error *err);

/* ---- build_columns.c ---- */

TACO__FN bool taco__build_columns_plan(taco__build *b, taco_error *err);

/* ---- build_values.c ---- */

/* A time in microseconds, from a timestamp, a date, a year or text. False: null, or err is set. */
TACO__FN bool taco__build_values_read_time(const taco_array *a, size_t i, int64_t *us,
                                           taco_error *err);
/* Fills the builders of all columns that are made, for the rows of a batch. */
TACO__FN bool taco__build_values_make_batch(taco__build *b, const taco_batch *in, taco_error *err);

/* ---- build_parts.c ---- */

/* Begins the file of a partition; a collection of no records is one file, of key "". */
TACO__FN bool taco__build_parts_open(taco__build *b, const char *key, taco_error *err);
/* Writes the rows of a batch, each to the file of its partition. */
TACO__FN bool taco__build_parts_write(taco__build *b, const taco_batch *in, taco_error *err);
/* Ends all files; the others are dropped when one fails. */
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

/* The rows that are being checked. */
typedef struct taco__rasteret_records {
    taco__findings *f;
    taco__arena arena;
    taco__hash_map ids; /* of all rows so far, in the arena */
    const taco_batch *batch;
    const taco_array *column[TACO__RASTERET_COLUMNS]; /* NULL: none, or of a wrong type */
    uint64_t first;                                   /* row of the batch */
} taco__rasteret_records;

TACO__FN bool taco__rasteret_check_is_integer(const taco_field *f);
/* A member of a struct and its place; NULL for none. */
TACO__FN const taco_field *taco__rasteret_check_child(const taco_field *f, const char *name,
                                                      size_t *at);
/* taco_opener.check: a collection against its contract. */
TACO__FN bool taco__rasteret_check(taco_dataset *ds, taco__findings *f, taco_error *err);

/* ---- check_rows.c ---- */

/* The rows of r->batch. False when the work itself failed. */
TACO__FN bool taco__rasteret_rows_check(taco__rasteret_records *r, taco_error *err);

/* ---- check_metadata.c ---- */

/* The type of a column {band}_metadata, and a row of it that is not null, whose place is set. */
TACO__FN void taco__rasteret_metadata_check_field(taco__findings *f, const taco_field *field);
TACO__FN void taco__rasteret_metadata_check_row(taco__findings *f, const taco_array *a, size_t i);

#endif /* TACO__RASTERET_H */
