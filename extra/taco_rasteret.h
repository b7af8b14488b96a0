/* taco_rasteret.h - Rasteret collections: read, validate, enrich, write.

   Optional, next to taco.h and taco_parquet.h. In the one source file that holds the
   implementation:

       #define TACO_IMPLEMENTATION
       #include "taco_rasteret.h"          (includes the other headers it needs)

   C99 or C++11; nothing but libc. What taco.h says about errors, ownership, limits and threads
   holds here.

   A Rasteret collection is a Parquet table of records: id, datetime, geometry, assets and a box,
   and a {band}_metadata column for each band, which says where the tiles of the band's TIFF are.
   Both schema lines are read: scene_bbox with bbox_minx ... bbox_maxy (rasteret up to 0.3.4) and
   the struct bbox (from 0.3.5); both are written. To read one as a dataset:

       const taco_opener *openers[] = {taco_rasteret_opener(), NULL};
       taco_options       opt = {0};
       opt.openers = openers;
       ds = taco_open("s2_records", &opt, &err);

   GENERATED from src/ by `make headers`: edit src/, not this file. src/where.sh
   taco_rasteret.h:LINE prints where a line comes from. */
#ifndef TACO_RASTERET_H
#define TACO_RASTERET_H

#include "taco_write.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the opener of Rasteret collections, for taco_options.openers: taco_open then takes a
   hive-partitioned directory of Parquet files, or one of these, that meets the schema contract. Its
   rows are level 0, files in byte order of their paths; partition keys are columns after the stored
   ones, INT32 if all values are numbers, else TEXT. A column that only some files have is null in
   the others. taco_query.bbox compares the records' boxes, edges included; taco_query.time "A/B"
   means A <= datetime <= B, where a bare date is its midnight ("A" alone is the whole day). Rows
   with null match neither. Directories are listed by system calls, even if taco_options.open_file
   is set. A constant. */
TACO_API const taco_opener *taco_rasteret_opener(void);
/* Checks that a collection meets the contract, by the rules of taco_validate, whose first error is
   the result: required columns, their types, one form of box, every row. */
TACO_API taco_status taco_rasteret_validate(const char *path, const taco_options *opt,
                                            taco_error *err);

typedef struct taco_rasteret_pair {
    const char *from, *to;
} taco_rasteret_pair;

typedef struct taco_rasteret_band {
    const char *name;
    int64_t index; /* of the sample in the file named by href_column */
} taco_rasteret_band;

/* {0}: year=Y/month=M/part-0.parquet below the target, without headers */
typedef struct taco_rasteret_options {
    const char *name, *description,
        *data_source; /* NULL: the source's, else its file name, "", "" */
    /* ISO 8601, both or neither; NULL: the source's */
    const char *start_date, *end_date;
    const char *created; /* NULL: left out, so that the same input gives the same bytes */
    const taco_rasteret_pair *rename; /* columns that get a second name: the contract's */
    size_t rename_count;
    const char *href_column; /* if there are no assets: they are made from this and bands */
    const taco_rasteret_band *bands;
    size_t band_count;
    /* prefixes of values of href_column: the first that matches is replaced */
    const taco_rasteret_pair *rewrite;
    size_t rewrite_count;
    const char *const *partition; /* columns; NULL: year, month */
    size_t partition_count;
    bool single; /* the target is one Parquet file */
    /* adds {band}_metadata columns from the headers of the assets; unreadable ones are null, with a
       warning */
    bool enrich;
    /* prepended to relative hrefs to open them; NULL: nothing */
    const char *base;
    /* allocator, limits, warn, open_file, parallel_for: tasks open assets and parse their
       headers */
    const taco_options *options;
} taco_rasteret_options;

/* Writes a collection, with both forms of box, from a Parquet file of records or from another
   collection. Renamed columns get a second name; integer ids become text; integer years, dates and
   ISO text in datetime become timestamps. Missing assets, proj:epsg, crs, year, month and boxes are
   computed (boxes from the bounds of geometry; null, with a warning, if that is null or not WKB),
   and the key-value entries and GeoParquet's `geo` are written. CORRUPT when required columns are
   missing, when the assets of a record have different CRSs, or when not a single asset could be
   parsed. Opens at most 512 files for writing; without `single` the target is a new directory. opt
   may be NULL.

       source  path of a Parquet file of records, or of a collection
       target  path of the collection: a directory, or with opt->single a file
       opt     options; NULL: defaults */
TACO_API taco_status taco_rasteret_build(const char *source, const char *target,
                                         const taco_rasteret_options *opt, taco_error *err);

/* Writes a collection of the TIFFs in a TACO dataset: a record for each FILE of the deepest level
   that is a TIFF. Its id is the ids from the top, joined by '/'; datetime is stac:time_start or
   istac:time_start of the FILE or its ancestors, geometry its corners in longitude and latitude:
   two boxes if it crosses 180 degrees. The box of that record is then from -180 to 180, as in
   Rasteret.
   hrefs name the archives, tile offsets count from their beginning, and taco:vsi has the path for
   GDAL. The band is called "data". The options about columns and hrefs are ignored. FILEs that are
   not tiled TIFFs in a CRS of taco_lonlat are left out, with a warning; NOT_FOUND if all are. LIMIT
   if there are more FILEs to open than a 64th of limits.max_values.

       dataset  path, as taco_open takes it
       target   as that of taco_rasteret_build
       opt      options; NULL: defaults */
TACO_API taco_status taco_rasteret_from_taco(const char *dataset, const char *target,
                                             const taco_rasteret_options *opt, taco_error *err);
/* Writes the files of a collection's first band as a TACO dataset: a FILE for each record, with
   stac: columns if the header has a CRS and the record a datetime. The file is taco:vsi if there is
   one, else the href, with opt->base prepended. collection is COLLECTION.json as
   taco_writer_collection takes it. create may be NULL.

       source      path of a collection
       target      path of the dataset, as taco_create takes it
       collection  a JSON object, NUL-terminated; not NULL
       opt         base and options of the collection; NULL: defaults
       create      options of the dataset; NULL: defaults */
TACO_API taco_status taco_rasteret_to_taco(const char *source, const char *target,
                                           const char *collection, const taco_rasteret_options *opt,
                                           const taco_create_options *create, taco_error *err);

/* ---- a dataset's descriptor ------------------------------------------------------------------ */

/* A dataset's entry in Rasteret's registry (DatasetDescriptor), as options to build with: name,
   description, data_source (stac_collection, else id), rename (column_map, field_roles),
   href_column and bands (band_index_map), rewrite (cloud_config.url_patterns); others are {0}. json
   is one object or a list of objects, from which id selects one (NULL: the first). The options live
   as long as the handle. NULL on failure: ARGUMENT if it is not a descriptor, NOT_FOUND. */
typedef struct taco_rasteret_descriptor taco_rasteret_descriptor;
/* Opens a descriptor; the caller closes it.

       json  len bytes of JSON; not kept
       len   bytes
       id    of the dataset; NULL: the first
       opt   gives allocator and limits; NULL: defaults */
TACO_API taco_rasteret_descriptor *taco_rasteret_descriptor_open(const char *json, size_t len,
                                                                 const char *id,
                                                                 const taco_options *opt,
                                                                 taco_error *err);
TACO_API const taco_rasteret_options *
taco_rasteret_descriptor_options(const taco_rasteret_descriptor *d);
TACO_API void taco_rasteret_descriptor_close(taco_rasteret_descriptor *d);

/* ---- what collections are used for ----------------------------------------------------------- */

/* Counts over the records of a collection, for some bands. */
typedef struct taco_rasteret_readiness {
    uint64_t records, complete; /* all records; those with metadata of all bands */
    uint64_t partial;           /* with metadata of some: an execution layer skips these */
    uint64_t without_time, without_crs;
    int64_t epsg; /* of the first record that has one */
    bool mixed_crs;
} taco_rasteret_readiness;

/* Checks that an open collection has what the contract's layers need for n bands: a box and
   {band}_metadata (execution layer); one proj:epsg for all and a time (TorchGeo). CORRUPT, with the
   first thing that is missing; records that a layer would skip are warnings. how->found is called
   for each, with its clause. how, out and err may be NULL.

       ds     an open collection
       bands  n names, as in {band}_metadata; not kept
       n      number of bands
       how    found and its ctx are used; may be NULL
       out    gets the counts; may be NULL */
TACO_API taco_status taco_rasteret_ready(taco_dataset *ds, const char *const *bands, size_t n,
                                         const taco_validate_options *how,
                                         taco_rasteret_readiness *out, taco_error *err);

/* A tile of a band of a record that a window touches. Texts live until the function that gets it
   returns. */
typedef struct taco_rasteret_tile {
    const char *id, *band;
    taco_range range;    /* in the asset's file, named as in the asset; empty for a sparse tile */
    int32_t epsg;        /* of the record; 0: not known */
    int64_t column, row; /* of the tile */
    int64_t tile_width, tile_height; /* in pixels, as stored */
    int64_t x, y, columns, rows;     /* the part of it inside the window, in pixels of the image */
} taco_rasteret_tile;

/* {0} with bands: all tiles of all records */
typedef struct taco_rasteret_window {
    const char *const *bands;
    size_t band_count;
    const double *bbox;      /* west, south, east, north; NULL: all */
    int32_t epsg;            /* of the box; 0: degrees. Images in another CRS are left out */
    const taco_query *query; /* a further filter on records; may be NULL */
} taco_rasteret_window;

typedef struct taco_rasteret_tiles_sums {
    uint64_t records, tiles, bytes;
    uint64_t skipped;  /* bands of records without usable metadata */
    uint64_t unplaced; /* records in a CRS that the box cannot be compared with */
} taco_rasteret_tiles_sums;

/* Calls found for every tile, record by record and band by band, from the {band}_metadata alone: no
   file is opened. The ranges are what to read for a window, like those of a plan (taco_sql.h). A
   box in degrees is compared with images in geographic CRSs, UTM and web mercator. found returns
   false to stop. NOT_FOUND for a band that the collection does not have. out may be NULL.

       ds     an open collection
       how    bands and window
       found  called for each tile; returning false stops, which is not a failure
       ctx    passed to found
       out    gets the sums, bytes included; may be NULL */
TACO_API taco_status taco_rasteret_tiles(taco_dataset *ds, const taco_rasteret_window *how,
                                         bool (*found)(void *ctx, const taco_rasteret_tile *tile),
                                         void *ctx, taco_rasteret_tiles_sums *out, taco_error *err);

#ifdef __cplusplus
}
#endif
#endif /* TACO_RASTERET_H */

#if defined(TACO_IMPLEMENTATION) && !defined(TACO__RASTERET_IMPLEMENTED)
#define TACO__RASTERET_IMPLEMENTED
#include "taco_write.h" /* its implementation too, where only its declarations were seen before */

/* Made from these files of src/ by `make headers`; edit them, not this.

   rasteret/rasteret.h                  Rasteret collections: read as datasets, built from tables, to and from TACO
   rasteret/hive.c                      partitioned directories of Parquet files, and a pool of open ones
   rasteret/contract.c                  what a Rasteret collection must have: columns, types, a box
   rasteret/collection.c                the opener: a Rasteret collection as a dataset, one container per file
   rasteret/collection_info.c           the description of a collection, for taco_info_json
   rasteret/collection_filter.c         bbox and time of a query on a collection: conditions on boxes and datetimes
   rasteret/enrich.c                    headers of the assets of a batch, parsed once each, as {band}_metadata columns
   rasteret/build.c                     makes a collection from a table of records or from another collection
   rasteret/build_columns.c             plans the columns of a new collection
   rasteret/build_values.c              the values of columns that the source of a collection does not have
   rasteret/build_parts.c               partitions: writes the rows of a batch to the files named by their keys
   rasteret/convert.c                   the TIFFs of a TACO dataset as a collection, and a collection's files as a dataset
   rasteret/check.c                     taco_validate of a Rasteret collection: types of columns, then one pass over the rows
   rasteret/check_rows.c                the records of a Rasteret collection, checked against tier 1 of its contract
   rasteret/check_metadata.c            {band}_metadata, checked against tier 2 of Rasteret's contract
   rasteret/tiles.c                     which byte ranges of which files hold the tiles of a box
   rasteret/ready.c                     whether a collection has what the layers above need, for some bands
   rasteret/descriptor.c                converts a dataset's descriptor to options of taco_rasteret_build
*/

/* ==== src/rasteret/rasteret.h ==== */
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

/* #include "../api/taco_rasteret.h" */
/* #include "../base/base.h" */
/* #include "../arrow/arrow.h" */
/* #include "../parquet/parquet.h" */
/* #include "../filter/filter.h" */
/* #include "../parquet_write/parquet_write.h" */
/* #include "../dataset/dataset.h" */
/* #include "../tiff/tiff.h" */
/* #include "../validate/validate.h" */
/* #include "../write/write.h" */

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
/* ==== src/rasteret/hive.c ==== */
/* hive.c - partitioned directories of Parquet files, and a pool of open ones

   In: the path of a file or a directory; out: the files, in byte order of their paths, with the
   keys in the names of their directories: a/year=2020/part-0.parquet has year 2020 (Hive's layout,
   as Arrow's dataset writer makes it: values percent-encoded, null as __HIVE_DEFAULT_PARTITION__).
   Names that begin with '.' or '_' are not data.

   A collection may have more files than a process can have open. taco__hive_file is a source that
   opens its file when it is read, and closes the least recently used one of its pool. */
/* #include "rasteret.h" */
/* #include "../base/base.h" */
/* #include "../dataset/dataset.h" */

#define TACO__HIVE_MAX_DEPTH 32     /* most nested directories; stops links to a parent */
#define TACO__HIVE_MAX_FILES 100000 /* most files in a collection, and names in a directory */

/* A directory being listed. */
typedef struct taco__hive_dir {
    taco__arena *arena;
    const char **names;
    size_t count, cap;
    taco_error *err;
} taco__hive_dir;

/* Capacity doubles; old lists stay in the arena, which is freed with the dataset. */
TACO__FN bool taco__hive_reserve(taco__arena *arena, void **list, size_t count, size_t *cap,
                                 size_t size, taco_error *err)
{
    void *more;
    if (count < *cap) { return true; }
    more = taco__arena_array(arena, *cap * 2 + 8, size, err);
    if (more && count) { memcpy(more, *list, count * size); }
    *list = more ? more : *list;
    *cap = more ? *cap * 2 + 8 : *cap;
    return more != NULL;
}

/* Adds a name of the directory, unless it is not data. */
static bool taco__hive_add_name(void *ctx, const char *name, taco__path_kind kind)
{
    taco__hive_dir *d = (taco__hive_dir *)ctx;
    void *list = (void *)d->names;
    (void)kind;
    if (name[0] == '.' || name[0] == '_') { return true; }
    if (d->count >= TACO__HIVE_MAX_FILES) {
        TACO__FAIL(d->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "more than %u names in a directory",
                   TACO__U(TACO__HIVE_MAX_FILES));
        return false;
    }
    if (!taco__hive_reserve(d->arena, &list, d->count, &d->cap, sizeof *d->names, d->err)) {
        return false;
    }
    d->names = (const char **)list;
    d->names[d->count] = taco__arena_text(d->arena, taco__bytes_text(name), d->err);
    return d->names[d->count++] != NULL;
}

/* %41 becomes A; %00 and invalid escapes stay as they are. */
static void taco__hive_unescape(char *s)
{
    char *to = s;
    for (; *s; s++) {
        int hi = *s == '%' ? taco__ascii_hex_value((uint8_t)s[1]) : -1;
        int lo = hi < 0 ? -1 : taco__ascii_hex_value((uint8_t)s[2]);
        bool plain = lo < 0 || (hi | lo) == 0;
        *to = *s;
        if (!plain) { *to = (char)(unsigned char)(hi << 4 | lo); }
        to++;
        s += plain ? 0 : 2;
    }
    *to = 0;
}

/* One name=value, unescaped; eq is the index of its '='. */
static bool taco__hive_split_key(taco__hive *h, const char *text, size_t eq, taco__hive_key *out)
{
    char *name = taco__arena_text(h->arena, taco__bytes_of(text, eq), h->err);
    char *value = taco__arena_text(h->arena, taco__bytes_text(text + eq + 1), h->err);
    if (!name || !value) { return false; }
    taco__hive_unescape(name);
    taco__hive_unescape(value);
    out->name = name;
    out->value = strcmp(value, TACO__HIVE_NULL_NAME) == 0 ? NULL : value;
    return true;
}

/* The keys of a directory below one with *count keys: if its name is a key, a copy with that key
   added. */
static bool taco__hive_parse_key(taco__hive *h, const char *name, const taco__hive_key **keys,
                                 size_t *count)
{
    const char *eq = strchr(name, '=');
    taco__hive_key *more;
    if (!eq || eq == name) { return true; }
    more = (taco__hive_key *)taco__arena_array(h->arena, *count + 1, sizeof *more, h->err);
    if (!more || !taco__hive_split_key(h, name, (size_t)(eq - name), &more[*count])) {
        return false;
    }
    if (*count) { memcpy(more, *keys, *count * sizeof *more); }
    *keys = more;
    ++*count;
    return true;
}

TACO__FN bool taco__hive_add_part(taco__hive *h, const char *path, const taco__hive_key *keys,
                                  size_t count)
{
    void *list = h->parts;
    if (h->count >= TACO__HIVE_MAX_FILES) {
        TACO__FAIL(h->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "more than %u files in a collection",
                   TACO__U(TACO__HIVE_MAX_FILES));
        return false;
    }
    if (!taco__hive_reserve(h->arena, &list, h->count, &h->cap, sizeof *h->parts, h->err)) {
        return false;
    }
    h->parts = (taco__hive_part *)list;
    h->parts[h->count].path = path;
    h->parts[h->count].keys = keys;
    h->parts[h->count++].key_count = count;
    return true;
}

/* dir, a slash unless dir ends with one, and name; NULL if out of memory. */
static const char *taco__hive_join(taco__hive *h, const char *dir, const char *name)
{
    size_t n = strlen(dir), m = strlen(name);
    char *path = (char *)taco__arena_alloc(h->arena, n + m + 2, h->err);
    if (!path) { return NULL; }
    memcpy(path, dir, n);
    if (!n || dir[n - 1] != '/') { path[n++] = '/'; }
    memcpy(path + n, name, m);
    return path;
}

static bool taco__hive_is_parquet(const char *path)
{
    return taco__container_ends_with(path, ".parquet") || taco__container_ends_with(path, ".pq");
}

/* One name in a directory: a file is added, a partition directory is walked. Other directories are
   not part of the collection. */
static bool taco__hive_enter(taco__hive *h, const char *dir, const char *name,
                             const taco__hive_key *keys, size_t count, unsigned depth)
{
    const char *path = taco__hive_join(h, dir, name);
    uint64_t size;
    if (!path) { return false; }
    switch (taco__plat_stat(path, &size)) {
    case TACO__PATH_DIRECTORY:
        if (depth >= TACO__HIVE_MAX_DEPTH || !strchr(name, '=') || name[0] == '=') { return true; }
        return taco__hive_parse_key(h, name, &keys, &count) &&
               taco__hive_walk(h, path, keys, count, depth + 1);
    case TACO__PATH_FILE:
        return !taco__hive_is_parquet(path) || taco__hive_add_part(h, path, keys, count);
    default: return true;
    }
}

/* Lists the directory and enters every name, in the order of their bytes. Links are followed; the
   limit of depth ends cycles. */
TACO__FN bool taco__hive_walk(taco__hive *h, const char *dir, const taco__hive_key *keys,
                              size_t count, unsigned depth)
{
    taco__hive_dir d;
    taco_bytes name = taco__bytes_text(dir);
    size_t i;
    memset(&d, 0, sizeof d);
    d.arena = h->arena;
    d.err = h->err;
    if (!taco__plat_list_dir(dir, taco__hive_add_name, &d)) {
        TACO__FAIL(h->err, TACO_ERR_IO, TACO_NO_OFFSET, "cannot list the directory %q", &name);
        return false;
    }
    if (!taco__sort_in(h->arena->mem, (void *)d.names, d.count, sizeof *d.names,
                       taco__container_compare_names, NULL, h->err)) {
        return false;
    }
    for (i = 0; i < d.count && !(h->any && h->count); i++) {
        if (!taco__hive_enter(h, dir, d.names[i], keys, count, depth)) { return false; }
    }
    return true;
}

static int taco__hive_compare_parts(const void *ctx, const void *a, const void *b)
{
    (void)ctx;
    return strcmp(((const taco__hive_part *)a)->path, ((const taco__hive_part *)b)->path);
}

/* A walk visits a directory "a" before a file "a.parquet" next to it, whose path sorts first; so
   all files are sorted again. */
TACO__FN bool taco__hive_find_parts(taco__hive *h, const char *path)
{
    uint64_t size;
    if (taco__plat_stat(path, &size) != TACO__PATH_DIRECTORY) {
        return taco__hive_add_part(h, path, NULL, 0);
    }
    if (!taco__hive_walk(h, path, NULL, 0, 0)) { return false; }
    return taco__sort_in(h->arena->mem, h->parts, h->count, sizeof *h->parts,
                         taco__hive_compare_parts, NULL, h->err);
}

/* ---- the pool ---- */

/* A free slot, or that of the least recently used file, which is closed. */
static taco__hive_file **taco__hive_file_make_room(taco__hive_pool *pool)
{
    taco__hive_file **slot = pool->open;
    size_t i;
    for (i = 0; i < TACO__HIVE_MAX_OPEN && *slot; i++) {
        if (!pool->open[i] || pool->open[i]->used < (*slot)->used) { slot = &pool->open[i]; }
    }
    if (*slot) {
        (*slot)->src.close((*slot)->src.ctx);
        (*slot)->open = false;
        *slot = NULL;
    }
    return slot;
}

/* A file with nothing to close takes no slot. */
TACO__FN bool taco__hive_file_open(taco__hive_file *f, taco_error *err)
{
    taco__hive_file **slot;
    f->used = ++f->pool->clock;
    if (f->open) { return true; }
    slot = taco__hive_file_make_room(f->pool);
    if (!taco__source_open_path(f->options, f->path, &f->src, err)) { return false; }
    f->open = true;
    *slot = f->src.close ? f : NULL;
    return true;
}

/* taco_source.read: reopens the file if it has been closed meanwhile. The size is checked again,
   since the file may have been replaced. */
TACO__FN bool taco__hive_file_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    taco__hive_file *f = (taco__hive_file *)ctx;
    return taco__hive_file_open(f, NULL) && taco__checked_range(offset, len, f->src.size) &&
           f->src.read(f->src.ctx, offset, dst, len);
}

/* taco_source.close: takes the file out of its pool. */
TACO__FN void taco__hive_file_close(void *ctx)
{
    taco__hive_file *f = (taco__hive_file *)ctx;
    size_t i;
    for (i = 0; i < TACO__HIVE_MAX_OPEN; i++) {
        f->pool->open[i] = f->pool->open[i] == f ? NULL : f->pool->open[i];
    }
    if (f->open && f->src.close) { f->src.close(f->src.ctx); }
    f->open = false;
}
/* ==== src/rasteret/contract.c ==== */
/* contract.c - what a Rasteret collection must have: columns, types, a box

   In: the fields of a dataset; out: an error that names what is missing. Required are id, datetime,
   geometry and assets, and one of the two boxes: the struct bbox of xmin, ymin, xmax, ymax
   (rasteret from 0.3.5), or the list scene_bbox (before). Types are fixed for text ids, timestamps,
   WKB and structs of assets. Spec: Rasteret's schema contract.

   taco_rasteret_validate is the public call; the opener and the builder use the parts. */
/* #include "rasteret.h" */
/* #include "../base/base.h" */
/* #include "../dataset/dataset.h" */
/* #include "../validate/validate.h" */

/* Required columns and forms of the box found so far. */
typedef struct taco__contract {
    bool id, datetime, geometry, assets, box, list;
} taco__contract;

/* The four members must be DOUBLE; they may be in any order, and there may be others. */
TACO__FN bool taco__contract_find_bbox(const taco_field *f, size_t at[4])
{
    static const char *const names[4] = {"xmin", "ymin", "xmax", "ymax"};
    size_t i;
    uint32_t k;
    for (i = 0; i < 4; i++) {
        at[i] = SIZE_MAX;
        for (k = 0; f->type == TACO_STRUCT && k < f->child_count; k++) {
            if (strcmp(f->children[k].name, names[i]) == 0 && f->children[k].type == TACO_DOUBLE) {
                at[i] = k;
            }
        }
        if (at[i] == SIZE_MAX) { return false; }
    }
    return true;
}

TACO__FN bool taco__contract_is_bbox_list(const taco_field *f)
{
    return f->type == TACO_LIST && f->child_count == 1 && f->children[0].type == TACO_DOUBLE;
}

/* Records a column by its name; a box only counts if it has the right form. */
static void taco__contract_add_field(taco__contract *c, const taco_field *f)
{
    size_t at[4];
    c->id = c->id || strcmp(f->name, "id") == 0;
    c->datetime = c->datetime || strcmp(f->name, "datetime") == 0;
    c->geometry = c->geometry || strcmp(f->name, "geometry") == 0;
    c->assets = c->assets || strcmp(f->name, "assets") == 0;
    c->box = c->box || (strcmp(f->name, "bbox") == 0 && taco__contract_find_bbox(f, at));
    c->list = c->list || (strcmp(f->name, "scene_bbox") == 0 && taco__contract_is_bbox_list(f));
}

static bool taco__contract_is_complete(const taco__contract *c)
{
    return c->id && c->datetime && c->geometry && c->assets && (c->box || c->list);
}

/* Fails with CORRUPT, and names everything missing. */
static bool taco__contract_check_complete(const taco__contract *c, taco_error *err)
{
    if (taco__contract_is_complete(c)) { return true; }
    TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
               "no Rasteret collection, required columns are missing:%s%s%s%s%s",
               c->id ? "" : " id", c->datetime ? "" : " datetime", c->geometry ? "" : " geometry",
               c->assets ? "" : " assets", c->box || c->list ? "" : " bbox");
    return false;
}

/* Columns with other names may be of any type. */
TACO__FN bool taco__contract_check_type(const taco_field *f, taco_error *err)
{
    const char *expected = NULL;
    taco_bytes name = taco__bytes_text(f->name);
    if (strcmp(f->name, "datetime") == 0 && f->type != TACO_TIMESTAMP) {
        expected = "a timestamp";
    } else if (strcmp(f->name, "geometry") == 0 && f->type != TACO_BINARY) {
        expected = "binary (WKB)";
    } else if (strcmp(f->name, "assets") == 0 && f->type != TACO_STRUCT) {
        expected = "a struct of assets";
    } else if (strcmp(f->name, "id") == 0 && f->type != TACO_TEXT) {
        expected = "text";
    }
    if (expected) {
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET, "column %q is not %s", &name, expected);
    }
    return !expected;
}

/* Whether most required columns are there, so that the rest is missing by mistake. Otherwise the
   file is not meant to be a collection. */
static bool taco__contract_is_likely(const taco__contract *c)
{
    return c->id + c->datetime + c->geometry + c->assets + (c->box || c->list) >= 3;
}

/* The error for a Parquet file that is not a dataset of any format. */
static bool taco__contract_fail_stranger(const char *path, taco_error *err)
{
    uint64_t size;
    bool directory = taco__plat_stat(path, &size) == TACO__PATH_DIRECTORY;
    TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
               "%s: not a dataset but %s: `taco parquet schema` shows the columns%s", path,
               directory ? "a directory of Parquet files" : "a Parquet file",
               directory ? " of one" : "");
    return false;
}

/* A column that only some of the files have counts: it is null in the others. */
TACO__FN bool taco__contract_check_dataset(taco_dataset *ds, const char *path, taco_error *err)
{
    taco__contract seen;
    size_t n, i;
    const taco_field *f = taco_level_fields(ds, 0, &n, err);
    memset(&seen, 0, sizeof seen);
    for (i = 0; f && i < n; i++) {
        taco__contract_add_field(&seen, &f[i]);
    }
    if (f && !taco__contract_is_likely(&seen) && ds->options.openers != taco__rasteret_openers()) {
        return taco__contract_fail_stranger(path, err);
    }
    if (f && !taco__contract_check_complete(&seen, err)) {
        taco__error_prefix(err, "%s", path);
        return false;
    }
    return f != NULL;
}

/* A file that is not a collection has been rejected before. */
TACO__FN bool taco__contract_check_types(taco_dataset *ds, taco_error *err)
{
    size_t n = 0, i;
    const taco_field *f = taco_level_fields(ds, 0, &n, err);
    for (i = 0; f && i < n; i++) {
        if (!taco__contract_check_type(&f[i], err)) { return false; }
    }
    return true;
}

/* Runs the checks of taco_validate; the first error is the result. */
static bool taco__contract_check_rows(taco_dataset *ds, taco_error *err)
{
    taco_validate_options how;
    taco_validated sum;
    taco__findings f;
    memset(&how, 0, sizeof how);
    memset(&sum, 0, sizeof sum);
    memset(&f, 0, sizeof f);
    f.how = &how;
    f.sum = &sum;
    f.part = "";
    if (!taco__rasteret_check(ds, &f, err)) { return false; }
    if (f.first.code != TACO_OK) { *err = f.first; }
    return f.first.code == TACO_OK;
}

/* The opener checks the columns itself; a dataset opened by another opener is not a collection. */
TACO_API taco_status taco_rasteret_validate(const char *path, const taco_options *opt,
                                            taco_error *err)
{
    static const taco__contract nothing = {false, false, false, false, false, false};
    taco_options o;
    taco_error own;
    taco_dataset *ds;
    err = taco__error_fresh(err, NULL);
    memset(&o, 0, sizeof o);
    memset(&own, 0, sizeof own);
    if (opt) { o = *opt; }
    o.openers = taco__rasteret_openers();
    ds = taco_open(path, &o, &own);
    if (ds && !(ds->stores[0].format
                    ? taco__contract_check_types(ds, &own) && taco__contract_check_rows(ds, &own)
                    : taco__contract_check_complete(&nothing, &own))) {
        taco__error_prefix(&own, "%s", path);
    }
    taco_close(ds);
    if (err && err->code == TACO_OK && own.code != TACO_OK) { *err = own; }
    return own.code;
}
/* ==== src/rasteret/collection.c ==== */
/* collection.c - the opener: a Rasteret collection as a dataset, one container per file

   In: paths of collections, directories or files; out: a taco_dataset whose containers are their
   Parquet files, in byte order of the paths, with one level each. Partitions of a directory become
   columns after the stored ones: INT32 if all values are numbers, else TEXT. A file's footer is
   read when its level is first requested (taco__rasteret_read_level).

   Start reading at taco__rasteret_open; taco__rasteret_opener lists what taco_open calls. */
/* #include "rasteret.h" */
/* #include "../base/base.h" */
/* #include "../parquet/parquet.h" */
/* #include "../dataset/dataset.h" */

/* ---- detection ---- */

/* Accepts a file that begins like Parquet, or a directory with a Parquet file anywhere below. */
static bool taco__rasteret_detect(taco__container *s, const char *path, taco_bytes head)
{
    taco__hive h;
    taco_error none;
    uint64_t size;
    if (head.data) { return taco__bytes_starts_with(head, "PAR1"); }
    if (taco__plat_stat(path, &size) != TACO__PATH_DIRECTORY) { return false; }
    memset(&h, 0, sizeof h);
    memset(&none, 0, sizeof none);
    h.arena = s->arena;
    h.err = &none;
    h.any = true;
    /* if out of memory, claim it: opening it will report that */
    return taco__hive_walk(&h, path, NULL, 0, 0) ? h.count > 0 : none.code == TACO_ERR_MEMORY;
}

/* False, with *out 0, if the text is not a number or does not fit INT32. */
static bool taco__rasteret_parse_int32(const char *s, int32_t *out)
{
    int64_t x;
    bool ok = taco__num_parse_i64(taco__bytes_text(s), &x) && x >= INT32_MIN && x <= INT32_MAX;
    *out = ok ? (int32_t)x : 0;
    return ok;
}

/* ---- partition columns ---- */

/* The fields of the partition columns, in a growing list. */
typedef struct taco__rasteret_keys {
    taco_field *fields;
    size_t count, cap;
} taco__rasteret_keys;

/* The field of a key; a new one is INT32 until a value is not a number. NULL when out of memory. */
static taco_field *taco__rasteret_find_key(taco__hive *h, taco__rasteret_keys *k, const char *name)
{
    void *list = k->fields;
    size_t i;
    for (i = 0; i < k->count && strcmp(k->fields[i].name, name) != 0; i++) {}
    if (i < k->count) { return &k->fields[i]; }
    if (!taco__hive_reserve(h->arena, &list, k->count, &k->cap, sizeof *k->fields, h->err)) {
        return NULL;
    }
    k->fields = (taco_field *)list;
    k->fields[k->count] = taco__field_make(name, TACO_INT32);
    return &k->fields[k->count++];
}

/* The partition columns of all parts of one collection, in order of first occurrence. */
static bool taco__rasteret_partition_fields(taco__hive *h, taco__rasteret_keys *out)
{
    size_t i, k;
    int32_t x;
    memset(out, 0, sizeof *out);
    for (i = 0; i < h->count; i++) {
        for (k = 0; k < h->parts[i].key_count; k++) {
            const taco__hive_key *key = &h->parts[i].keys[k];
            taco_field *f = taco__rasteret_find_key(h, out, key->name);
            if (!f) { return false; }
            if (key->value && !taco__rasteret_parse_int32(key->value, &x)) {
                *f = taco__field_make(key->name, TACO_TEXT);
            }
        }
    }
    return true;
}

/* The value of a key in one part; the innermost directory wins. NULL if missing or null. */
static const char *taco__rasteret_key_value(const taco__hive_part *p, const char *name)
{
    const char *value = NULL;
    size_t i;
    for (i = 0; i < p->key_count; i++) {
        value = strcmp(p->keys[i].name, name) == 0 ? p->keys[i].value : value;
    }
    return value;
}

/* The values of partition columns in one part, as arrays of one row. v has two numbers per column:
   an INT32, or the offsets of a text. */
static taco_array *taco__rasteret_partition_values(taco__arena *arena, const taco__hive_part *p,
                                                   const taco__rasteret_keys *keys, taco_error *err)
{
    size_t n = keys->count, i;
    taco_array *a = (taco_array *)taco__arena_array(arena, n + 1, sizeof *a, err);
    int32_t *v = (int32_t *)taco__arena_array(arena, n + 1, 2 * sizeof *v, err);
    uint8_t *null = (uint8_t *)taco__arena_alloc(arena, 8, err);
    if (!a || !v || !null) { return NULL; }
    for (i = 0; i < n; i++, v += 2) {
        const char *value = taco__rasteret_key_value(p, keys->fields[i].name);
        a[i].field = &keys->fields[i];
        a[i].length = 1;
        a[i].null_count = value ? 0 : 1;
        a[i].validity = value ? NULL : null;
        if (keys->fields[i].type == TACO_INT32) {
            (void)taco__rasteret_parse_int32(value ? value : "0", &v[0]);
            a[i].v.i32 = &v[0];
        } else {
            v[1] = (int32_t)(value ? strlen(value) : 0);
            a[i].offsets = v;
            a[i].v.any = value ? (const void *)value : (const void *)null;
        }
    }
    return a;
}

/* ---- containers ---- */

/* Makes a container with one level, a file. */
static bool taco__rasteret_init_store(taco_dataset *ds, taco__container *s,
                                      const taco_opener *format, const taco__hive_part *part,
                                      taco__rasteret_file *r, taco_error *err)
{
    memset(s, 0, sizeof *s);
    s->mem = &ds->mem;
    s->arena = &ds->arena;
    s->options = &ds->options;
    s->format = format;
    s->format_state = r;
    s->name = part->path;
    s->kind = TACO_KIND_ZIP;
    s->level_count = 1;
    s->levels[0].name = "rows";
    s->levels[0].present = true;
    s->coll.dataset_version = "unknown";
    s->coll.description = s->coll.taco_version = "";
    s->coll.id = "";
    return taco__container_set_vsi_root(s, part->path, false, err);
}

/* Adds the container of one part. */
static bool taco__rasteret_add_part(taco_dataset *ds, const taco_opener *format,
                                    const taco__hive_part *part, const taco__rasteret_keys *keys,
                                    const char *root, taco__hive_pool *pool, taco_error *err)
{
    taco__rasteret_file *r = (taco__rasteret_file *)taco__arena_alloc(&ds->arena, sizeof *r, err);
    if (!r ||
        !taco__rasteret_init_store(ds, &ds->stores[ds->container_count], format, part, r, err)) {
        return false;
    }
    ds->container_count++;
    r->part = part;
    r->root = root;
    r->file.path = part->path;
    r->file.options = &ds->options;
    r->file.pool = pool;
    r->key_fields = keys->fields;
    r->key_count = keys->count;
    r->key_values = taco__rasteret_partition_values(&ds->arena, part, keys, err);
    return r->key_values != NULL;
}

/* Adds all parts of one collection. file, unless NULL, is the caller's open file for path, and the
   container takes it over. */
static bool taco__rasteret_add_collection(taco_dataset *ds, const taco_opener *format,
                                          const char *path, taco__file *file, taco__hive_pool *pool,
                                          taco_error *err)
{
    taco__rasteret_keys keys;
    taco__hive h;
    size_t k;
    memset(&h, 0, sizeof h);
    h.arena = &ds->arena;
    h.err = err;
    if (!(file ? taco__hive_add_part(&h, path, NULL, 0) : taco__hive_find_parts(&h, path)) ||
        !taco__rasteret_partition_fields(&h, &keys) ||
        !taco__dataset_reserve(ds, ds->container_count + h.count, err)) {
        taco__error_prefix(err, "%s", path);
        return false;
    }
    for (k = 0; k < h.count; k++) {
        taco__container *s = &ds->stores[ds->container_count];
        if (!taco__rasteret_add_part(ds, format, &h.parts[k], &keys, path, pool, err)) {
            return false;
        }
        if (file) {
            s->file = *file;
            s->file_open = true;
        }
    }
    return true;
}

/* Decides whether files may stay open; fails if there are none. */
static bool taco__rasteret_count_files(taco_dataset *ds, const char *path, taco_error *err)
{
    size_t i;
    for (i = 0; i < ds->container_count; i++) {
        ((taco__rasteret_file *)ds->stores[i].format_state)->stays_open =
            ds->container_count <= TACO__HIVE_MAX_OPEN;
    }
    if (ds->container_count == 0) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "%s: no Parquet files below", path);
    }
    return ds->container_count != 0;
}

/* stores[0] may hold the file of a caller's source, which is moved to its own container, or closed
   if there is none. */
static bool taco__rasteret_open(taco_dataset *ds, const char *const *paths, size_t n,
                                taco_error *err)
{
    const taco_opener *format = ds->stores[0].format;
    taco__file file = ds->stores[0].file;
    bool opened = ds->stores[0].file_open, mine = opened && n == 1, ok;
    taco__hive_pool *pool = (taco__hive_pool *)taco__arena_alloc(&ds->arena, sizeof *pool, err);
    size_t i;
    ds->stores[0].file_open = false;
    ds->mode = TACO_COLUMNS_FILL_MISSING;
    ds->container_count = 0;
    for (ok = pool != NULL, i = 0; ok && i < n; i++) {
        ok = taco__rasteret_add_collection(ds, format, paths[i], mine ? &file : NULL, pool, err);
    }
    if (opened && !(mine && ds->container_count && ds->stores[0].file_open)) {
        taco__file_close(&file);
    }
    return ok && taco__rasteret_count_files(ds, paths[0], err) &&
           taco__contract_check_dataset(ds, paths[0], err) &&
           taco__rasteret_info_describe(ds, false, err);
}

/* ---- levels ---- */

/* Opens the file of a container: permanently, or as a source that may be closed and reopened, which
   cannot offer views of its memory. */
static bool taco__rasteret_open_file(taco__container *s, taco__level *l, taco__rasteret_file *r,
                                     taco_error *err)
{
    taco_source src;
    if (r->stays_open) {
        if (!taco__source_open_path(s->options, r->part->path, &src, err)) { return false; }
    } else {
        if (!taco__hive_file_open(&r->file, err)) { return false; }
        src = r->file.src;
        src.ctx = &r->file;
        src.read = taco__hive_file_read;
        src.close = taco__hive_file_close;
        src.view = NULL;
        src.read_many = NULL;
    }
    taco__file_init(&l->file, &src, "", s->mem);
    l->file_open = true;
    return true;
}

/* Adds the partition columns to a table, except those that the file also stores. */
static bool taco__rasteret_add_keys(taco__container *s, taco__table *t,
                                    const taco__rasteret_file *r, taco_error *err)
{
    size_t i, count = t->field_count;
    taco_field *fields =
        (taco_field *)taco__arena_array(s->arena, count + r->key_count + 1, sizeof *fields, err);
    taco_array *values =
        (taco_array *)taco__arena_array(s->arena, r->key_count + 1, sizeof *values, err);
    if (!fields || !values) { return false; }
    memcpy(fields, t->fields, count * sizeof *fields);
    for (i = 0; i < r->key_count; i++) {
        if (taco__table_find_column(t, r->key_fields[i].name) == TACO__NONE) {
            values[t->constant_count++] = r->key_values[i];
            fields[count++] = r->key_fields[i];
        }
    }
    t->fields = fields;
    t->field_count = count;
    t->constants = values;
    return true;
}

/* The table of one file, with its partition columns. */
static bool taco__rasteret_read_level(taco__container *s, uint32_t n, taco_error *err)
{
    taco__rasteret_file *r = (taco__rasteret_file *)s->format_state;
    taco__level *l = &s->levels[n];
    taco__file *file = s->file_open ? &s->file : &l->file;
    if (!s->file_open && !l->file_open && !taco__rasteret_open_file(s, l, r, err)) { return false; }
    l->range.offset = 0;
    l->range.len = file->src.size;
    return taco__container_open_table(s, file, l->range, l->name, false, s->arena, &l->pq,
                                      &l->table, err) &&
           taco__rasteret_add_keys(s, &l->table, r, err);
}

/* The rows are records, without the columns that locate a sample and its bytes. */
static void taco__rasteret_roles(const taco__table *t, taco__column_roles *r)
{
    (void)t;
    r->type = r->parent = r->current = r->offset = r->size = r->relative = r->source = TACO__NONE;
}

/* taco_opener.info: the description with a summary of all rows, for taco_info_json. */
static bool taco__rasteret_info(taco_dataset *ds, taco_error *err)
{
    return taco__rasteret_info_describe(ds, true, err);
}

static const taco_opener taco__rasteret_opener = {"rasteret",
                                                  taco__rasteret_detect,
                                                  taco__rasteret_open,
                                                  taco__rasteret_read_level,
                                                  NULL,
                                                  taco__rasteret_roles,
                                                  NULL,
                                                  taco__rasteret_filter_bbox,
                                                  taco__rasteret_filter_time,
                                                  NULL,
                                                  taco__rasteret_info,
                                                  taco__rasteret_check,
                                                  NULL,
                                                  NULL,
                                                  NULL,
                                                  NULL,
                                                  NULL,
                                                  NULL};

TACO_API const taco_opener *taco_rasteret_opener(void)
{
    return &taco__rasteret_opener;
}

TACO__FN const taco_opener *const *taco__rasteret_openers(void)
{
    static const taco_opener *const openers[2] = {&taco__rasteret_opener, NULL};
    return openers;
}
/* ==== src/rasteret/collection_info.c ==== */
/* collection_info.c - the description of a collection, for taco_info_json

   In: the key-value metadata of the first file (name, description, data_source, date_range), and on
   demand the boxes, codes and collection names in all rows. Out: the collection of the first
   container: a JSON object with the members of Rasteret's own description. Its bounds, epsg, len
   and bands are only computed for taco_info_json, as they take a pass over all rows.

   Start reading at taco__rasteret_info_describe. */
/* #include "rasteret.h" */
/* #include "../base/base.h" */
/* #include "../base/json.h" */
/* #include "../dataset/dataset.h" */

/* ---- summary of the rows ---- */

/* Gathered over all rows. */
typedef struct taco__rasteret_info_summary {
    double box[4];
    bool boxed;
    int64_t epsg[256]; /* ascending; further codes are dropped */
    size_t epsg_count;
    char source[256]; /* first value of the column `collection` */
} taco__rasteret_info_summary;

/* Adds a code, unless it is already there or there are too many. */
static void taco__rasteret_info_add_code(taco__rasteret_info_summary *f, int64_t code)
{
    size_t i = 0;
    while (i < f->epsg_count && f->epsg[i] < code) {
        i++;
    }
    if (f->epsg_count < TACO__COUNT(f->epsg) && (i == f->epsg_count || f->epsg[i] != code)) {
        memmove(&f->epsg[i + 1], &f->epsg[i], (f->epsg_count - i) * sizeof *f->epsg);
        f->epsg[i] = code;
        f->epsg_count++;
    }
}

/* Extends the bounds by one box. */
static void taco__rasteret_info_add_bbox(taco__rasteret_info_summary *f, const double box[4])
{
    size_t k;
    for (k = 0; k < 4; k++) {
        if (!f->boxed || (k < 2 ? box[k] < f->box[k] : box[k] > f->box[k])) { f->box[k] = box[k]; }
    }
    f->boxed = true;
}

/* The box of row i, from a struct or a list; false if it is null or not numeric. */
static bool taco__rasteret_info_row_bbox(const taco_array *a, const size_t at[4], size_t i,
                                         double box[4])
{
    size_t k;
    if (!taco_array_valid(a, i) ||
        (a->field->type == TACO_LIST && a->offsets[i + 1] - a->offsets[i] != 4)) {
        return false;
    }
    for (k = 0; k < 4; k++) {
        const taco_array *c = &a->children[a->field->type == TACO_LIST ? 0 : at[k]];
        size_t j = a->field->type == TACO_LIST ? (size_t)a->offsets[i] + k : i;
        if (!taco_array_valid(c, j)) { return false; }
        box[k] = taco_array_double(c, j);
        if (box[k] != box[k]) { return false; }
    }
    return true;
}

/* Columns that are read if they have the expected type. */
enum {
    TACO__RASTERET_INFO_BBOX,
    TACO__RASTERET_INFO_SCENE_BBOX,
    TACO__RASTERET_INFO_EPSG,
    TACO__RASTERET_INFO_COLLECTION,
    TACO__RASTERET_INFO_COLUMNS
};

static const char *const taco__rasteret_info_names[TACO__RASTERET_INFO_COLUMNS] = {
    "bbox", "scene_bbox", "proj:epsg", "collection"};

/* Which of the columns a field is; TACO__RASTERET_INFO_COLUMNS if none. */
static size_t taco__rasteret_info_kind(const taco_field *f)
{
    size_t at[4], k;
    bool fits[TACO__RASTERET_INFO_COLUMNS];
    fits[TACO__RASTERET_INFO_BBOX] = taco__contract_find_bbox(f, at);
    fits[TACO__RASTERET_INFO_SCENE_BBOX] = taco__contract_is_bbox_list(f);
    fits[TACO__RASTERET_INFO_EPSG] = f->type >= TACO_INT8 && f->type <= TACO_UINT64;
    fits[TACO__RASTERET_INFO_COLLECTION] = f->type == TACO_TEXT;
    for (k = 0; k < TACO__RASTERET_INFO_COLUMNS; k++) {
        if (fits[k] && strcmp(f->name, taco__rasteret_info_names[k]) == 0) { return k; }
    }
    return k;
}

/* The columns to read; for boxes the struct, if there is one. */
static size_t taco__rasteret_info_select(const taco_field *f, size_t n, taco__query_column *items)
{
    bool have[TACO__RASTERET_INFO_COLUMNS + 1] = {false, false, false, false, false};
    size_t i, k, count = 0;
    for (i = 0; i < n; i++) {
        have[taco__rasteret_info_kind(&f[i])] = true;
    }
    have[TACO__RASTERET_INFO_SCENE_BBOX] =
        have[TACO__RASTERET_INFO_SCENE_BBOX] && !have[TACO__RASTERET_INFO_BBOX];
    for (k = 0; k < TACO__RASTERET_INFO_COLUMNS; k++) {
        if (have[k]) { items[count++].name = taco__rasteret_info_names[k]; }
    }
    return count;
}

/* Adds one value of a column of that kind. */
static void taco__rasteret_info_add_value(taco__rasteret_info_summary *f, size_t kind,
                                          const taco_array *a, const size_t at[4], size_t i)
{
    double box[4];
    taco_bytes v;
    switch (kind) {
    case TACO__RASTERET_INFO_EPSG:
        if (taco_array_valid(a, i)) { taco__rasteret_info_add_code(f, taco_array_int(a, i)); }
        break;
    case TACO__RASTERET_INFO_COLLECTION:
        v = taco_array_bytes(a, i);
        if (v.len && v.len < sizeof f->source && !f->source[0]) {
            memcpy(f->source, v.data, v.len);
        }
        break;
    default:
        if (taco__rasteret_info_row_bbox(a, at, i, box)) { taco__rasteret_info_add_bbox(f, box); }
        break;
    }
}

/* Adds the rows of a batch. A column's type may differ from the one in the merged schema. */
static void taco__rasteret_info_add_batch(taco__rasteret_info_summary *f, const taco_batch *b)
{
    size_t i, k, at[4] = {0, 0, 0, 0};
    for (k = 0; k < b->column_count; k++) {
        const taco_array *a = &b->columns[k];
        size_t kind = taco__rasteret_info_kind(a->field);
        if (kind == TACO__RASTERET_INFO_BBOX) { taco__contract_find_bbox(a->field, at); }
        for (i = 0; kind < TACO__RASTERET_INFO_COLUMNS && i < b->length; i++) {
            taco__rasteret_info_add_value(f, kind, a, at, i);
        }
    }
}

/* A pass over all rows. */
static bool taco__rasteret_info_scan(taco_dataset *ds, taco__rasteret_info_summary *out,
                                     taco_error *err)
{
    taco__query_column items[TACO__RASTERET_INFO_COLUMNS];
    taco__query q;
    taco_cursor *c;
    taco_batch b;
    size_t n;
    const taco_field *f = taco_level_fields(ds, 0, &n, err);
    memset(&q, 0, sizeof q);
    memset(items, 0, sizeof items);
    q.select.items = items;
    q.select.count = f ? taco__rasteret_info_select(f, n, items) : 0;
    q.select.given = true;
    if (!f || q.select.count == 0) { return f != NULL; }
    c = taco__select_open(ds, &q, NULL, err);
    while (c && taco_cursor_batch(c, &b)) {
        taco__rasteret_info_add_batch(out, &b);
    }
    return taco_cursor_close(c, err) == TACO_OK && c != NULL;
}

/* ---- the document ---- */

/* "/data/s2_records/" is s2_records, "a/b.c.parquet" b.c; a name that is all suffix stays. */
TACO__FN taco_bytes taco__rasteret_info_default_name(const char *path)
{
    size_t n = strlen(path), from, i;
    while (n > 1 && path[n - 1] == '/') {
        n--;
    }
    for (from = n; from && path[from - 1] != '/' && path[from - 1] != '\\'; from--) {}
    for (i = n; i > from + 1; i--) {
        if (path[i - 1] == '.') {
            n = i - 1;
            break;
        }
    }
    return taco__bytes_of(path + from, n - from);
}

/* "bands": the names of the {band}_metadata columns, without that ending. */
static bool taco__rasteret_info_write_bands(taco_dataset *ds, taco__json_writer *j)
{
    size_t n, i;
    const taco_field *f = taco_level_fields(ds, 0, &n, j->err);
    taco__json_write_begin(j, "bands", '[');
    for (i = 0; f && i < n; i++) {
        size_t len = strlen(f[i].name);
        if (taco__container_ends_with(f[i].name, "_metadata")) {
            taco__json_write_bytes_value(j, NULL, taco__bytes_of(f[i].name, len - 9));
        }
    }
    taco__json_write_end(j, ']');
    return f && j->ok;
}

/* bounds, epsg and len. */
static bool taco__rasteret_info_write_summary(taco_dataset *ds,
                                              const taco__rasteret_info_summary *f,
                                              taco__json_writer *j)
{
    int64_t rows = taco_level_rows(ds, 0, j->err);
    char text[24];
    size_t i;
    if (rows < 0) { return false; }
    if (f->boxed) {
        taco__json_write_begin(j, "bounds", '[');
        for (i = 0; i < 4; i++) {
            taco__json_write_double(j, NULL, f->box[i]);
        }
        taco__json_write_end(j, ']');
    } else {
        taco__json_write_text(j, "bounds", NULL);
    }
    taco__json_write_begin(j, "epsg", '[');
    for (i = 0; i < f->epsg_count; i++) {
        taco__json_write_raw(j, NULL, taco__bytes_of(text, taco__num_format_i64(text, f->epsg[i])));
    }
    taco__json_write_end(j, ']');
    taco__json_write_u64(j, "len", (uint64_t)rows);
    return j->ok;
}

/* date_range is "start,end". */
static void taco__rasteret_info_write_dates(taco__json_writer *j, taco_bytes dates)
{
    const uint8_t *comma = dates.len ? (const uint8_t *)memchr(dates.data, ',', dates.len) : NULL;
    size_t at = comma ? (size_t)(comma - dates.data) : 0;
    if (comma) {
        taco__json_write_bytes_value(j, "start_date", taco__bytes_of(dates.data, at));
        taco__json_write_bytes_value(j, "end_date", taco__bytes_of(comma + 1, dates.len - at - 1));
    } else {
        taco__json_write_text(j, "start_date", NULL);
        taco__json_write_text(j, "end_date", NULL);
    }
}

/* Writes the document, with the summary of the rows if `whole`. */
static bool taco__rasteret_info_write(taco_dataset *ds, const taco_pq_file *pq, taco_bytes name,
                                      bool whole, taco__json_writer *j)
{
    taco_bytes source = taco_pq_key_value(pq, "data_source");
    taco__rasteret_info_summary f;
    memset(&f, 0, sizeof f);
    if (whole && !taco__rasteret_info_scan(ds, &f, j->err)) { return false; }
    taco__json_write_begin(j, NULL, '{');
    taco__json_write_bytes_value(j, "name", name);
    taco__json_write_bytes_value(j, "description", taco_pq_key_value(pq, "description"));
    taco__json_write_bytes_value(j, "data_source",
                                 source.len ? source : taco__bytes_text(f.source));
    taco__rasteret_info_write_dates(j, taco_pq_key_value(pq, "date_range"));
    if (whole &&
        !(taco__rasteret_info_write_bands(ds, j) && taco__rasteret_info_write_summary(ds, &f, j))) {
        return false;
    }
    taco__json_write_end(j, '}');
    return j->ok;
}

/* The document is parsed again like any COLLECTION.json, since the code that prints it works on
   JSON nodes. */
TACO__FN bool taco__rasteret_info_describe(taco_dataset *ds, bool whole, taco_error *err)
{
    taco__container *s = &ds->stores[0];
    taco__level *l = taco__container_level(s, 0, err);
    const char *root = ((const taco__rasteret_file *)s->format_state)->root;
    taco__json_writer j;
    taco__buf b;
    taco_bytes name;
    char *copy;
    bool ok;
    if (!l) { return false; }
    memset(&b, 0, sizeof b);
    b.mem = s->mem;
    j = taco__json_writer_init(&b, err);
    name = taco_pq_key_value(&l->pq, "name");
    name = name.len ? name : taco__rasteret_info_default_name(root);
    ok = taco__rasteret_info_write(ds, &l->pq, name, whole, &j);
    copy = ok ? taco__arena_text(s->arena, taco__bytes_of(b.data, b.len), err) : NULL;
    ok = copy && taco__json_parse(s->arena, taco__bytes_of(copy, b.len), &ds->options.limits,
                                  &s->coll.doc, err) == TACO_OK;
    s->coll.id = ok ? taco__arena_text(s->arena, name, err) : "";
    s->coll.description =
        ok ? taco__arena_text(s->arena, taco_pq_key_value(&l->pq, "description"), err) : "";
    taco__buf_free(&b);
    return ok && s->coll.id && s->coll.description;
}
/* ==== src/rasteret/collection_filter.c ==== */
/* collection_filter.c - bbox and time of a query on a collection: conditions on boxes and datetimes

   In: taco_filter.bbox or .time, and the table of one file; out: an expression that the scan tests
   and prunes by. A box matches a record whose own box intersects it, edges included. The scalar
   columns bbox_minx ... bbox_maxy are preferred, since their statistics prune row groups and pages,
   then the struct bbox, then the list scene_bbox. Times are those of Rasteret: "A/B" is A <=
   datetime <= B, "A" alone the whole day. Records with null never match. */
/* #include "rasteret.h" */
/* #include "../base/base.h" */
/* #include "../parquet/parquet.h" */
/* #include "../filter/scan.h" */
/* #include "../dataset/dataset.h" */

/* ---- boxes ---- */

typedef struct taco__rasteret_filter_box {
    double edge[4]; /* west, south, east, north */
    size_t at[4];   /* indexes of xmin, ymin, xmax, ymax */
} taco__rasteret_filter_box;

/* Boxes that only touch do intersect; with a NaN none does. */
static bool taco__rasteret_filter_intersects(const taco__rasteret_filter_box *b,
                                             const double box[4])
{
    return box[2] >= b->edge[0] && box[0] <= b->edge[2] && box[3] >= b->edge[1] &&
           box[1] <= b->edge[3];
}

/* The box of row i, from a struct; false if one of the four is null. */
static bool taco__rasteret_filter_read_struct(const taco_array *a, const size_t at[4], size_t i,
                                              double box[4])
{
    size_t k;
    if (!taco_array_valid(a, i)) { return false; }
    for (k = 0; k < 4; k++) {
        const taco_array *side = &a->children[at[k]];
        if (!taco_array_valid(side, i)) { return false; }
        box[k] = taco_array_double(side, i);
    }
    return true;
}

/* The same from a list of four. */
static bool taco__rasteret_filter_read_list(const taco_array *a, size_t i, double box[4])
{
    size_t k, first = (size_t)a->offsets[i];
    if (!taco_array_valid(a, i) || a->offsets[i + 1] - a->offsets[i] != 4) { return false; }
    for (k = 0; k < 4; k++) {
        if (!taco_array_valid(&a->children[0], first + k)) { return false; }
        box[k] = taco_array_double(&a->children[0], first + k);
    }
    return true;
}

/* taco__custom_predicate.eval for bbox; NaN matches nothing. */
static bool taco__rasteret_filter_bbox_struct(void *ctx, const taco_array *a, size_t rows,
                                              uint8_t *true_bits, uint8_t *valid_bits,
                                              taco_error *err)
{
    const taco__rasteret_filter_box *b = (const taco__rasteret_filter_box *)ctx;
    double box[4];
    size_t i;
    (void)valid_bits;
    (void)err;
    for (i = 0; i < rows; i++) {
        if (taco__rasteret_filter_read_struct(a, b->at, i, box) &&
            taco__rasteret_filter_intersects(b, box)) {
            taco__bitmap_set(true_bits, i);
        }
    }
    return true;
}

/* The same for scene_bbox. */
static bool taco__rasteret_filter_bbox_list(void *ctx, const taco_array *a, size_t rows,
                                            uint8_t *true_bits, uint8_t *valid_bits,
                                            taco_error *err)
{
    const taco__rasteret_filter_box *b = (const taco__rasteret_filter_box *)ctx;
    double box[4];
    size_t i;
    (void)valid_bits;
    (void)err;
    for (i = 0; i < rows; i++) {
        if (taco__rasteret_filter_read_list(a, i, box) &&
            taco__rasteret_filter_intersects(b, box)) {
            taco__bitmap_set(true_bits, i);
        }
    }
    return true;
}

/* Whether, by its statistics, a row group may have a record that intersects b. */
static bool taco__rasteret_filter_group_may_match(const taco__pq_metadata *m, uint32_t g,
                                                  uint32_t first_leaf,
                                                  const taco__rasteret_filter_box *b)
{
    size_t k;
    for (k = 0; k < 4; k++) {
        uint32_t leaf = first_leaf + (uint32_t)b->at[k];
        taco__pq_bounds s;
        taco__column_stats range;
        taco__stats_bounds(m, &m->leaves[leaf], &m->groups[g].chunks[leaf].stats, &s);
        taco__scan_prune_bounds_of(&m->leaves[leaf], &s, m->groups[g].rows, &range);
        if (k < 2 ? range.has_min && range.min.f > b->edge[k + 2]
                  : range.has_max && range.max.f < b->edge[k - 2]) {
            return false;
        }
    }
    return true;
}

/* The same for any row group of the file. Done here because scans do not prune by leaves of a
   struct. */
static bool taco__rasteret_filter_may_match(const taco__table *t, size_t column,
                                            const taco__rasteret_filter_box *b)
{
    const taco__pq_metadata *m = t->pq ? &t->pq->meta : NULL;
    uint32_t g;
    if (!m || column >= t->stored) { return true; }
    for (g = 0; g < m->group_count; g++) {
        if (taco__rasteret_filter_group_may_match(m, g, t->fields[column].leaf, b)) { return true; }
    }
    return false;
}

/* Compares the DOUBLE column of that name with one edge; NULL, without an error, if there is
   none. */
static taco__expr *taco__rasteret_filter_compare_edge(taco__arena *arena, const taco__table *t,
                                                      const char *name, taco__compare_op op,
                                                      double edge, taco_error *err)
{
    size_t c = taco__table_find_column(t, name);
    if (c == TACO__NONE || t->fields[c].type != TACO_DOUBLE) { return NULL; }
    return taco__expr_compare(
        arena, op, taco__expr_column(arena, c, err),
        taco__expr_const(arena, taco__scalar_make_double(TACO_DOUBLE, edge), err), err);
}

/* maxx >= west, maxy >= south, minx <= east, miny <= north; NULL if the file lacks one of the four
   columns, or on failure. */
static taco__expr *taco__rasteret_filter_edges(taco__arena *arena, const taco__table *t,
                                               const double edge[4], taco_error *err)
{
    static const char *const names[4] = {"bbox_maxx", "bbox_maxy", "bbox_minx", "bbox_miny"};
    taco__expr *e = NULL, *x;
    size_t i;
    for (i = 0; i < 4; i++) {
        x = taco__rasteret_filter_compare_edge(arena, t, names[i],
                                               i < 2 ? TACO__OP_GE : TACO__OP_LE, edge[i], err);
        e = x ? taco__expr_and(arena, e, x, err) : NULL;
        if (!e) { return NULL; }
    }
    return e;
}

/* A condition that no row satisfies, so that none is read. */
static taco__expr *taco__rasteret_filter_never(taco__arena *arena, taco_error *err)
{
    return taco__expr_const(arena, taco__expr_bool_value(0), err);
}

/* Tests row by row, the struct or the list; in a file without boxes these are null. */
static taco__expr *taco__rasteret_filter_custom(taco__arena *arena, const taco__table *t,
                                                taco__rasteret_filter_box *b, taco_error *err)
{
    taco__custom_predicate custom;
    size_t c = taco__table_find_column(t, "bbox");
    memset(&custom, 0, sizeof custom);
    custom.ctx = b;
    if (c != TACO__NONE && taco__contract_find_bbox(&t->fields[c], b->at)) {
        custom.eval = taco__rasteret_filter_bbox_struct;
        return taco__rasteret_filter_may_match(t, c, b) ? taco__expr_custom(arena, c, &custom, err)
                                                        : taco__rasteret_filter_never(arena, err);
    }
    c = taco__table_find_column(t, "scene_bbox");
    if (c != TACO__NONE && taco__contract_is_bbox_list(&t->fields[c])) {
        custom.eval = taco__rasteret_filter_bbox_list;
        return taco__expr_custom(arena, c, &custom, err);
    }
    return taco__rasteret_filter_never(arena, err);
}

/* Boxes are neither normalized nor wrapped at the antimeridian. */
TACO__FN taco__expr *taco__rasteret_filter_bbox(taco__arena *arena, const taco__table *t,
                                                const taco_filter *f, taco_error *err)
{
    taco__rasteret_filter_box *b =
        (taco__rasteret_filter_box *)taco__arena_alloc(arena, sizeof *b, err);
    taco__expr *e;
    if (!b) { return NULL; }
    memcpy(b->edge, f->bbox, sizeof b->edge);
    if (!(b->edge[0] <= b->edge[2] && b->edge[1] <= b->edge[3])) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "invalid box: west and south must not exceed east and north");
        return NULL;
    }
    e = taco__rasteret_filter_edges(arena, t, b->edge, err);
    return e || err->code != TACO_OK ? e : taco__rasteret_filter_custom(arena, t, b, err);
}

/* ---- times ---- */

/* The datetime column; TACO__NONE if it cannot be filtered. */
static size_t taco__rasteret_filter_time_column(const taco__table *t, const char *name,
                                                taco_error *err)
{
    size_t c = taco__table_find_column(t, name ? name : "datetime");
    if (c == TACO__NONE) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                   "the collection has no datetime column");
    } else if (t->fields[c].type != TACO_NULL && t->fields[c].type != TACO_TIMESTAMP) {
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                   "the collection's datetime column is not a timestamp");
        c = TACO__NONE;
    }
    return c;
}

/* The first instant after the period that ends with us, in the column's unit. In nanoseconds the
   last microsecond is part of it as a whole, unless it is the end of "A/B". */
static int64_t taco__rasteret_filter_after(int64_t us, taco_unit unit, bool range)
{
    switch (unit) {
    case TACO_NANO:
        return us > INT64_MAX / 1000 - 1   ? INT64_MAX
               : us < INT64_MIN / 1000 + 1 ? INT64_MIN
                                           : us * 1000 + (range ? 1 : 1000);
    case TACO_MILLI: return taco__time_floor_div(us, 1000) + 1;
    case TACO_SECOND: return taco__time_floor_div(us, 1000000) + 1;
    default: return us + 1;
    }
}

/* The end of a period is part of it; the condition is a half-open range. */
TACO__FN taco__expr *taco__rasteret_filter_time(taco__arena *arena, const taco__table *t,
                                                const taco_filter *f, taco_error *err)
{
    int64_t day = 0, last = 0, from = 0, to = 0;
    bool range = strchr(f->time, '/') != NULL;
    size_t c;
    if (taco__time_parse_range(f->time, &day, &last, &from, &to, err) != TACO_OK) { return NULL; }
    c = taco__rasteret_filter_time_column(t, f->time_column, err);
    if (c == TACO__NONE) { return NULL; }
    if (t->fields[c].type == TACO_NULL) { return taco__rasteret_filter_never(arena, err); }
    if (from > to) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "invalid time range: its end is before its start");
        return NULL;
    }
    /* a date alone means that whole day */
    if (!range && from == day * TACO__TIME_DAY_MICROS && to == from) {
        to += TACO__TIME_DAY_MICROS - 1;
    }
    return taco__expr_range_i64(arena, c, taco__query_time_in_unit(from, t->fields[c].unit), true,
                                taco__rasteret_filter_after(to, t->fields[c].unit, range), true,
                                err);
}
/* ==== src/rasteret/enrich.c ==== */
/* enrich.c - headers of the assets of a batch, parsed once each, as {band}_metadata columns

   In: the assets column of a batch and the bands to enrich; out: for each band a struct of 17
   fields per row, which lets a reader find the tiles of the band's TIFF without opening it
   (Rasteret's schema contract, COG acceleration columns), and the EPSG code in the headers.

   taco__enrich_collect_assets lists the assets of rows and bands, and each file once;
   taco__enrich_run opens and parses the files, in parallel if the caller has tasks;
   taco__enrich_fill_columns writes the rows. Headers that cannot be read give null and a warning.
   hrefs may be /vsisubfile/ paths into archives: offsets of tiles then count from the beginning of
   the archive. */
/* #include "rasteret.h" */
/* #include "../base/base.h" */
/* #include "../dataset/dataset.h" */
/* #include "../tiff/tiff.h" */
/* #include "../write/write.h" */

/* ---- columns ---- */

/* Indexes of the fields, in the contract's order. */
enum {
    TACO__ENRICH_WIDTH,
    TACO__ENRICH_HEIGHT,
    TACO__ENRICH_TILE_WIDTH,
    TACO__ENRICH_TILE_HEIGHT,
    TACO__ENRICH_DTYPE,
    TACO__ENRICH_TRANSFORM,
    TACO__ENRICH_PREDICTOR,
    TACO__ENRICH_COMPRESSION,
    TACO__ENRICH_OFFSETS,
    TACO__ENRICH_COUNTS,
    TACO__ENRICH_SCALE,
    TACO__ENRICH_TIEPOINT,
    TACO__ENRICH_NODATA,
    TACO__ENRICH_SAMPLES,
    TACO__ENRICH_PLANAR,
    TACO__ENRICH_PHOTOMETRIC,
    TACO__ENRICH_EXTRA
};

/* Tag values are INT32 as in the contract, which has no unsigned types; larger ones become null. */
TACO__FN void taco__enrich_init_fields(taco_field out[TACO__ENRICH_FIELDS], const taco_field *f64,
                                       const taco_field *i64, const taco_field *i32)
{
    static const char *const names[TACO__ENRICH_FIELDS] = {
        "image_width", "image_height", "tile_width",  "tile_height",       "dtype",
        "transform",   "predictor",    "compression", "tile_offsets",      "tile_byte_counts",
        "pixel_scale", "tiepoint",     "nodata",      "samples_per_pixel", "planar_configuration",
        "photometric", "extra_samples"};
    size_t i;
    for (i = 0; i < TACO__ENRICH_FIELDS; i++) {
        switch (i) {
        case TACO__ENRICH_DTYPE: out[i] = taco__field_make(names[i], TACO_TEXT); break;
        case TACO__ENRICH_NODATA: out[i] = taco__field_make(names[i], TACO_DOUBLE); break;
        case TACO__ENRICH_TRANSFORM:
        case TACO__ENRICH_SCALE:
        case TACO__ENRICH_TIEPOINT:
            out[i] = taco__field_make_nested(names[i], TACO_LIST, f64, 1);
            break;
        case TACO__ENRICH_OFFSETS:
        case TACO__ENRICH_COUNTS:
            out[i] = taco__field_make_nested(names[i], TACO_LIST, i64, 1);
            break;
        case TACO__ENRICH_EXTRA:
            out[i] = taco__field_make_nested(names[i], TACO_LIST, i32, 1);
            break;
        default: out[i] = taco__field_make(names[i], TACO_INT32); break;
        }
    }
}

/* Appends the offsets or sizes of one band's tiles as a list; add is the offset of the TIFF in the
   file that the asset names. */
static bool taco__enrich_append_table(taco__array_builder *c, const uint64_t *v, size_t n,
                                      uint64_t add, taco_error *err)
{
    uint8_t *to = taco__array_builder_append_unset(&c->children[0], n, err);
    uint64_t x;
    size_t i;
    for (i = 0; to && i < n; i++) {
        if (!taco__checked_add64(v[i], add, &x) || x > INT64_MAX) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "tile at byte %u", v[i]);
            return false;
        }
        memcpy(to + i * sizeof x, &x, sizeof x);
    }
    return to && taco__array_builder_end_row(c, true, err);
}

/* Appends a tag's value; null if the tag is absent, or does not fit INT32. */
static bool taco__enrich_append_optional(taco__array_builder *c, bool there, uint32_t x,
                                         taco_error *err)
{
    return there && x <= INT32_MAX ? taco__array_builder_append_int(c, (int64_t)x, err)
                                   : taco__array_builder_append_null(c, err);
}

/* Appends sizes, and how the tiles are stored. */
static bool taco__enrich_append_layout(taco__array_builder *k, const taco_tiff_header *h,
                                       taco_error *err)
{
    return taco__array_builder_append_int(&k[TACO__ENRICH_WIDTH], h->image_width, err) &&
           taco__array_builder_append_int(&k[TACO__ENRICH_HEIGHT], h->image_height, err) &&
           taco__array_builder_append_int(&k[TACO__ENRICH_TILE_WIDTH], h->tile_width, err) &&
           taco__array_builder_append_int(&k[TACO__ENRICH_TILE_HEIGHT], h->tile_height, err) &&
           taco__array_builder_append_text(&k[TACO__ENRICH_DTYPE], h->dtype, err) &&
           taco__enrich_append_optional(&k[TACO__ENRICH_PREDICTOR], true, h->predictor, err) &&
           taco__enrich_append_optional(&k[TACO__ENRICH_COMPRESSION], true, h->compression, err) &&
           taco__enrich_append_optional(&k[TACO__ENRICH_SAMPLES], true, h->samples_per_pixel,
                                        err) &&
           taco__enrich_append_optional(&k[TACO__ENRICH_PLANAR], true, h->planar_configuration,
                                        err);
}

/* Appends the position of the image. */
static bool taco__enrich_append_place(taco__array_builder *k, const taco_tiff_header *h,
                                      taco_error *err)
{
    return taco__array_builder_append_doubles(&k[TACO__ENRICH_TRANSFORM], h->transform, 4, err) &&
           taco__array_builder_append_doubles(&k[TACO__ENRICH_SCALE],
                                              h->has_scale ? h->pixel_scale : NULL, 3, err) &&
           taco__array_builder_append_doubles(&k[TACO__ENRICH_TIEPOINT], h->tiepoints,
                                              h->tiepoint_count, err);
}

/* Appends how to interpret its values. */
static bool taco__enrich_append_meaning(taco__array_builder *k, const taco_tiff_header *h,
                                        taco_error *err)
{
    taco__array_builder *extra = &k[TACO__ENRICH_EXTRA];
    size_t i;
    bool ok =
        (h->has_nodata ? taco__array_builder_append_double(&k[TACO__ENRICH_NODATA], h->nodata, err)
                       : taco__array_builder_append_null(&k[TACO__ENRICH_NODATA], err)) &&
        taco__enrich_append_optional(&k[TACO__ENRICH_PHOTOMETRIC], h->has_photometric,
                                     h->photometric, err);
    for (i = 0; ok && h->extra_samples && i < h->extra_sample_count; i++) {
        ok = taco__array_builder_append_int(&extra->children[0], (int64_t)h->extra_samples[i], err);
    }
    return ok && taco__array_builder_end_row(extra, h->extra_sample_count != 0, err);
}

/* Appends a row to a {band}_metadata column: n tiles, beginning with `first`. */
static bool taco__enrich_append_row(taco__array_builder *c, const taco_tiff *t, size_t first,
                                    size_t n, uint64_t add, taco_error *err)
{
    const taco_tiff_header *h = taco_tiff_get(t);
    taco__array_builder *k = c->children;
    return taco__enrich_append_layout(k, h, err) && taco__enrich_append_place(k, h, err) &&
           taco__enrich_append_meaning(k, h, err) &&
           taco__enrich_append_table(&k[TACO__ENRICH_OFFSETS], h->tile_offsets + first, n, add,
                                     err) &&
           taco__enrich_append_table(&k[TACO__ENRICH_COUNTS], h->tile_byte_counts + first, n, 0,
                                     err) &&
           taco__array_builder_end_row(c, true, err);
}

/* ---- headers ---- */

/* A range of a source, as a source. */
typedef struct taco__enrich_window {
    taco_source src;
    uint64_t offset;
} taco__enrich_window;

/* taco_source.read of a window, whose range was checked when it was opened. */
static bool taco__enrich_window_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    const taco__enrich_window *w = (const taco__enrich_window *)ctx;
    return w->src.read(w->src.ctx, w->offset + offset, dst, len);
}

/* Makes *src the asset's range of its file, if it has one. */
static bool taco__enrich_open_window(taco__enrich_asset *a, taco__enrich_window *w,
                                     taco_source *src)
{
    if (!a->offset && !a->size) { return true; }
    w->offset = a->offset;
    src->ctx = w;
    src->read = taco__enrich_window_read;
    src->view = NULL;
    src->read_many = NULL;
    src->size = a->size;
    if (taco__checked_range(a->offset, a->size, w->src.size)) { return true; }
    TACO__FAIL(&a->err, TACO_ERR_TRUNCATED, a->offset,
               "the sub-file of %u bytes reaches over the end at %u", a->size, w->src.size);
    return false;
}

/* Closes the source, since the header holds everything needed later. */
TACO__FN void taco__enrich_parse_asset(void *arg, size_t i)
{
    taco__enrich *e = (taco__enrich *)arg;
    taco__enrich_asset *a = &e->assets[i];
    taco__enrich_window w;
    taco_source src;
    memset(&w, 0, sizeof w);
    if (!taco__source_open_path(e->options, a->path, &w.src, &a->err)) { return; }
    src = w.src;
    src.close = NULL;
    if (taco__enrich_open_window(a, &w, &src)) {
        a->tiff = taco_tiff_open(&src, a->path, e->options, &a->err);
    }
    if (a->tiff && taco_tiff_tiles_ok(a->tiff, &a->err) != TACO_OK) {
        taco_tiff_close(a->tiff);
        a->tiff = NULL;
    }
    if (w.src.close) { w.src.close(w.src.ctx); }
}

/* ---- hrefs ---- */

/* "/vsisubfile/100_50,/vsicurl/https://x/a.tacozip" is 50 bytes at 100 of what follows the
   comma. */
TACO__FN bool taco__enrich_parse_subfile(taco_bytes href, taco_bytes *path, uint64_t *offset,
                                         uint64_t *size)
{
    static const char prefix[] = "/vsisubfile/";
    size_t from = sizeof prefix - 1, low, comma;
    if (!taco__bytes_starts_with(href, prefix)) { return false; }
    for (low = from; low < href.len && href.data[low] != '_'; low++) {}
    for (comma = low; comma < href.len && href.data[comma] != ','; comma++) {}
    if (comma == href.len ||
        !taco__num_parse_u64(taco__bytes_of(href.data + from, low - from), offset) ||
        !taco__num_parse_u64(taco__bytes_of(href.data + low + 1, comma - low - 1), size)) {
        return false;
    }
    *path = taco__bytes_of(href.data + comma + 1, href.len - comma - 1);
    return true;
}

/* file:// paths are local ones; the base is for relative paths, also below /vsisubfile/. */
TACO__FN bool taco__enrich_resolve_href(taco__enrich *e, taco__enrich_asset *a, taco_error *err)
{
    taco_bytes path = a->href;
    size_t n = strlen(e->base);
    char *text;
    (void)taco__enrich_parse_subfile(a->href, &path, &a->offset, &a->size);
    if (path.len > 7 && taco__bytes_starts_with(path, "file://")) {
        path = taco__bytes_of(path.data + 7, path.len - 7);
    }
    if (path.len == 0 || taco__plat_is_absolute((const char *)path.data, path.len) ||
        taco__vsi_is_remote(path)) {
        n = 0;
    }
    text = (char *)taco__arena_alloc(&e->arena, n + path.len + 1, err);
    if (text) {
        memcpy(text, e->base, n);
        if (path.len) { memcpy(text + n, path.data, path.len); }
    }
    a->path = text;
    return text != NULL;
}

/* The child of a struct array by its name; NULL if there is none. */
static const taco_array *taco__enrich_find_child(const taco_array *a, const char *name)
{
    uint32_t i;
    for (i = 0; a->field->type == TACO_STRUCT && i < a->field->child_count; i++) {
        if (strcmp(a->field->children[i].name, name) == 0) { return &a->children[i]; }
    }
    return NULL;
}

/* Without a band_index, the file's first sample is taken. */
TACO__FN bool taco__enrich_read_asset(const taco_array *asset, size_t row, taco_bytes *href,
                                      int64_t *index)
{
    const taco_array *h = asset, *b;
    *index = 0;
    if (!taco_array_valid(asset, row)) { return false; }
    if (asset->field->type == TACO_STRUCT) {
        h = taco__enrich_find_child(asset, "href");
        b = taco__enrich_find_child(asset, "band_index");
        if (b && taco_array_valid(b, row)) { *index = taco_array_int(b, row); }
    }
    if (!h || h->field->type != TACO_TEXT) { return false; }
    *href = taco_array_bytes(h, row);
    return href->len != 0;
}

/* ---- the assets of a batch ---- */

static int taco__enrich_compare_assets(const void *ctx, const void *a, const void *b)
{
    (void)ctx;
    return taco__bytes_compare(((const taco__enrich_asset *)a)->href,
                               ((const taco__enrich_asset *)b)->href);
}

/* Sorts the n files by href, drops duplicates, and updates the refs, the i-th of which named the
   i-th file. */
static bool taco__enrich_merge_assets(taco__enrich *e, size_t n, taco_error *err)
{
    taco__enrich_asset *list = e->assets;
    taco_bytes *names = (taco_bytes *)taco__arena_array(&e->arena, n + 1, sizeof *names, err);
    size_t i;
    if (!names) { return false; }
    for (i = 0; i < n; i++) {
        names[i] = list[i].href;
    }
    if (!taco__sort_in(e->mem, list, n, sizeof *list, taco__enrich_compare_assets, NULL, err)) {
        return false;
    }
    for (i = 0; i < n; i++) {
        if (e->asset_count == 0 ||
            !taco__bytes_equal(list[e->asset_count - 1].href, list[i].href)) {
            list[e->asset_count++] = list[i];
        }
    }
    for (i = 0; i < n; i++) {
        size_t at = 0;
        TACO__LOWER_BOUND(at, e->asset_count, k, taco__bytes_compare(list[k].href, names[i]) < 0);
        e->refs[i].asset = at;
    }
    return true;
}

/* Allocates an asset for every row and band. */
static bool taco__enrich_alloc_refs(taco__enrich *e, size_t rows, size_t band_count,
                                    taco_error *err)
{
    size_t most;
    if (!taco__checked_mul_size(rows, band_count, &most)) { most = SIZE_MAX / sizeof *e->assets; }
    e->asset_count = e->ref_count = 0;
    e->assets =
        (taco__enrich_asset *)taco__arena_array(&e->arena, most + 1, sizeof *e->assets, err);
    e->refs = (taco__enrich_ref *)taco__arena_array(&e->arena, most + 1, sizeof *e->refs, err);
    return e->assets && e->refs;
}

TACO__FN bool taco__enrich_collect_assets(taco__enrich *e, const taco_array *assets,
                                          const uint32_t *bands, size_t band_count, size_t rows,
                                          taco_error *err)
{
    size_t row, b, i, n = 0;
    if (!taco__enrich_alloc_refs(e, rows, band_count, err)) { return false; }
    for (row = 0; row < rows; row++) {
        for (b = 0; b < band_count && taco_array_valid(assets, row); b++) {
            taco__enrich_ref *r = &e->refs[n];
            if (taco__enrich_read_asset(&assets->children[bands[b]], row, &e->assets[n].href,
                                        &r->index)) {
                r->row = row;
                r->band = b;
                n++;
            }
        }
    }
    e->ref_count = n;
    if (!taco__enrich_merge_assets(e, n, err)) { return false; }
    for (i = 0; i < e->asset_count; i++) {
        if (!taco__enrich_resolve_href(e, &e->assets[i], err)) { return false; }
    }
    return true;
}

/* Each task touches one asset, and tasks share only the options; so counting and warnings come
   afterwards. */
TACO__FN bool taco__enrich_run(taco__enrich *e, taco_error *err)
{
    size_t i;
    taco__tasks_run(e->options, e->asset_count, taco__enrich_parse_asset, e);
    for (i = 0; i < e->asset_count; i++) {
        taco__enrich_asset *a = &e->assets[i];
        e->tried++;
        e->parsed += a->tiff != NULL;
        if (!a->tiff && a->err.code == TACO_ERR_MEMORY) { /* nothing is wrong with the file */
            if (err) { *err = a->err; }
            taco__error_prefix(err, "asset %q", &a->href);
            return false;
        }
        if (!a->tiff && e->options->warn) {
            taco__error_prefix(&a->err, "asset %q", &a->href);
            e->options->warn(e->options->warn_ctx, &a->err);
        }
    }
    return true;
}

/* ---- rows ---- */

/* Finds the tiles of one band in its file; false, with a warning, if none match. */
static bool taco__enrich_find_tiles(const taco__enrich *e, const taco__enrich_ref *r, size_t *first,
                                    size_t *n)
{
    const taco_tiff *t = e->assets[r->asset].tiff;
    const taco_tiff_header *h = taco_tiff_get(t);
    taco_error bad;
    memset(&bad, 0, sizeof bad);
    if (taco_tiff_band(t, r->index, first, n, &bad) == TACO_OK &&
        h->tile_byte_count_count == h->tile_offset_count) {
        return true;
    }
    TACO__FAIL(&bad, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "%u tile offsets, %u byte counts",
               TACO__U(h->tile_offset_count), TACO__U(h->tile_byte_count_count));
    if (e->options->warn) { e->options->warn(e->options->warn_ctx, &bad); }
    return false;
}

/* The assets of one record must agree on its CRS; 0 means unknown. */
static bool taco__enrich_merge_code(int32_t *code, int32_t found, const taco_array *ids, size_t row,
                                    taco_error *err)
{
    if (found && *code && *code != found) {
        taco_bytes id = taco_array_bytes(ids, row);
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "the assets of record %q have different CRSs (EPSG %d and %d)", &id,
                   TACO__D(*code), TACO__D(found));
        return false;
    }
    *code = found ? found : *code;
    return true;
}

/* Appends nulls for missing rows, up to row `end`. */
static bool taco__enrich_append_nulls(taco__array_builder *c, size_t end, taco_error *err)
{
    while (c->length < end) {
        if (!taco__array_builder_append_null(c, err)) { return false; }
    }
    return true;
}

/* Fills the column of one band. */
static bool taco__enrich_fill_column(taco__enrich *e, taco__array_builder *c, size_t band,
                                     const taco_array *ids, int32_t *codes, taco_error *err)
{
    size_t i, first = 0, n = 0;
    for (i = 0; i < e->ref_count; i++) {
        const taco__enrich_ref *r = &e->refs[i];
        const taco__enrich_asset *a = &e->assets[r->asset];
        if (r->band != band || !a->tiff || !taco__enrich_find_tiles(e, r, &first, &n)) { continue; }
        if (!taco__enrich_append_nulls(c, r->row, err) ||
            !taco__enrich_merge_code(&codes[r->row], taco_tiff_get(a->tiff)->epsg, ids, r->row,
                                     err) ||
            !taco__enrich_append_row(c, a->tiff, first, n, a->offset, err)) {
            return false;
        }
    }
    return true;
}

/* Afterwards every column has `rows` rows, with null for those without a header. */
TACO__FN bool taco__enrich_fill_columns(taco__enrich *e, taco__array_builder *columns,
                                        size_t band_count, size_t rows, const taco_array *ids,
                                        int32_t *codes, taco_error *err)
{
    size_t b;
    memset(codes, 0, rows * sizeof *codes);
    for (b = 0; b < band_count; b++) {
        if (!taco__enrich_fill_column(e, &columns[b], b, ids, codes, err) ||
            !taco__enrich_append_nulls(&columns[b], rows, err)) {
            return false;
        }
    }
    return true;
}

TACO__FN void taco__enrich_free(taco__enrich *e)
{
    size_t i;
    for (i = 0; i < e->asset_count; i++) {
        taco_tiff_close(e->assets[i].tiff);
    }
    e->asset_count = e->ref_count = 0;
    taco__arena_free(&e->arena);
}
/* ==== src/rasteret/build.c ==== */
/* build.c - makes a collection from a table of records or from another collection

   In: a Parquet file or the directory of a collection, and taco_rasteret_options; out: a directory
   of partitions, or one file. The columns are planned once (build_columns.c). Then each batch of
   the source passes through build_values.c, which computes the columns missing from the source, and
   enrich.c, which parses the headers of its assets; build_parts.c writes its rows to the files of
   their partitions. Batches have 128 rows if headers are read, to limit how many are in memory at
   the same time.

   Start reading at taco__build_run. */
/* #include "rasteret.h" */
/* #include "../base/base.h" */
/* #include "../arrow/arrow.h" */
/* #include "../dataset/dataset.h" */

/* ---- the source ---- */

/* A directory must be a collection, and is read through a cursor. */
static bool taco__build_open_collection(taco__build *b, const char *path, taco_error *err)
{
    taco__build_source *s = &b->source;
    b->options.openers = taco__rasteret_openers();
    s->ds = taco_open(path, &b->options, err);
    s->cursor = s->ds ? taco_select(s->ds, NULL, err) : NULL;
    s->fields = s->cursor ? taco_cursor_fields(s->cursor, &s->count) : NULL;
    return s->fields != NULL;
}

/* A Parquet file is read as it is; it need not be a collection. */
static bool taco__build_open_file(taco__build *b, const char *path, const taco_source *src,
                                  taco_error *err)
{
    taco__build_source *s = &b->source;
    taco_pq_query q;
    memset(&q, 0, sizeof q);
    q.batch_rows = b->opt->enrich ? TACO__BUILD_BATCH_ROWS : 0;
    s->pq = src ? taco_pq_open_source(src, path, &b->options, err)
                : taco_pq_open(path, &b->options, err);
    s->reader = s->pq ? taco_pq_read(s->pq, &q, err) : NULL;
    s->fields = s->reader ? taco_pq_reader_fields(s->reader, &s->count) : NULL;
    return s->fields != NULL;
}

/* A caller's source is always a Parquet file; path is then only its name in messages. */
static bool taco__build_open_source(taco__build *b, const char *path, const taco_source *src,
                                    taco_error *err)
{
    uint64_t size;
    return !src && taco__plat_stat(path, &size) == TACO__PATH_DIRECTORY
               ? taco__build_open_collection(b, path, err)
               : taco__build_open_file(b, path, src, err);
}

/* False at the end and on failure; taco__build_end_source tells them apart. */
static bool taco__build_next_batch(taco__build_source *s, taco_batch *out)
{
    return s->cursor ? taco_cursor_batch(s->cursor, out) : taco_pq_reader_next(s->reader, out);
}

/* Slices borrow the source's fields, so they must be freed before it is closed. */
static void taco__build_free_slices(taco__build_source *s)
{
    size_t i;
    for (i = 0; s->slices && i < s->count; i++) {
        taco__array_buf_free(&s->slices[i]);
    }
    s->slices = NULL;
}

/* Closes the source, and returns the failure that ended the reading, if any. */
static bool taco__build_end_source(taco__build_source *s, taco_error *err)
{
    taco_status code;
    taco__build_free_slices(s);
    code = s->cursor ? taco_cursor_close(s->cursor, err) : taco_pq_reader_close(s->reader, err);
    s->cursor = NULL;
    s->reader = NULL;
    return code == TACO_OK;
}

static void taco__build_close_source(taco__build_source *s)
{
    taco__build_free_slices(s);
    taco_cursor_close(s->cursor, NULL);
    taco_close(s->ds);
    taco_pq_reader_close(s->reader, NULL);
    taco_pq_close(s->pq);
}

/* ---- key-value metadata ---- */

/* A value from the key-value metadata, for a collection that of its first file; {NULL, 0} if there
   is none. */
static taco_bytes taco__build_source_key_value(const taco__build_source *s, const char *key)
{
    return taco_pq_key_value(s->ds ? &s->ds->stores[0].levels[0].pq : s->pq, key);
}

/* Adds an entry to write to every file. The Parquet writer itself writes `geo`. */
static bool taco__build_add_key(taco__build *b, const char *key, taco_bytes value, taco_error *err)
{
    taco_pq_key *k = &b->keys[b->key_count++];
    k->key = key;
    k->value = taco__arena_text(&b->arena, value, err);
    return k->value != NULL;
}

/* The value in the options, else the one in the source. */
static taco_bytes taco__build_choose_value(const taco__build *b, const char *asked, const char *key)
{
    return asked ? taco__bytes_text(asked) : taco__build_source_key_value(&b->source, key);
}

/* date_range is "start,end". */
static bool taco__build_add_dates(taco__build *b, taco_error *err)
{
    const taco_rasteret_options *o = b->opt;
    taco_bytes dates = taco__build_source_key_value(&b->source, "date_range");
    if (o->start_date && o->end_date) {
        b->text.len = 0;
        if (!taco__buf_append_text(&b->text, o->start_date, err) ||
            !taco__buf_append_char(&b->text, ',', err) ||
            !taco__buf_append_text(&b->text, o->end_date, err)) {
            return false;
        }
        dates = taco__bytes_of(b->text.data, b->text.len);
    }
    return taco__build_add_key(b, "date_range", dates, err);
}

/* In the order of Rasteret's own writer. created is only written if it is known, so that the same
   input gives the same bytes. */
static bool taco__build_add_keys(taco__build *b, const char *source, taco_error *err)
{
    const taco_rasteret_options *o = b->opt;
    taco_bytes name = taco__build_choose_value(b, o->name, "name");
    taco_bytes created = taco__build_choose_value(b, o->created, "created");
    name = name.len ? name : taco__rasteret_info_default_name(source);
    return taco__build_add_key(b, "description",
                               taco__build_choose_value(b, o->description, "description"), err) &&
           taco__build_add_key(b, "name", name, err) &&
           taco__build_add_key(b, "data_source",
                               taco__build_choose_value(b, o->data_source, "data_source"), err) &&
           (!created.len || taco__build_add_key(b, "created", created, err)) &&
           taco__build_add_dates(b, err) &&
           taco__build_add_key(b, "rasteret_collection_version", taco__bytes_text("1"), err);
}

/* ---- batches ---- */

static bool taco__build_init_slices(taco__build *b, taco_error *err)
{
    taco__build_source *s = &b->source;
    size_t i;
    if (s->slices) { return true; }
    s->slices = (taco__array_buf *)taco__arena_array(&b->arena, s->count, sizeof *s->slices, err);
    s->sliced = (taco_array *)taco__arena_array(&b->arena, s->count, sizeof *s->sliced, err);
    if (!s->slices || !s->sliced) { return false; }
    for (i = 0; i < s->count; i++) {
        if (!taco__array_buf_init(&s->slices[i], &s->fields[i], &b->mem, &b->arena, err)) {
            return false;
        }
    }
    return true;
}

/* Rows [at, at + n) of a batch of the source, without copying; at is a multiple of 8. Not in the
   headers' arena, which is freed before the rows are written. */
static bool taco__build_slice(taco__build *b, const taco_batch *in, size_t at, size_t n,
                              taco_batch *out, taco_error *err)
{
    taco__build_source *s = &b->source;
    size_t i;
    if (!taco__build_init_slices(b, err)) { return false; }
    for (i = 0; i < s->count; i++) {
        s->sliced[i] = taco__array_buf_slice(&s->slices[i], &in->columns[i], at, n);
    }
    *out = *in;
    out->columns = s->sliced;
    out->length = n;
    return true;
}

/* Makes and writes the rows of one batch; the arena of its headers is freed with it. */
static bool taco__build_add_batch(taco__build *b, const taco_batch *in, taco_error *err)
{
    if (!taco__build_values_make_batch(b, in, err) || !taco__build_parts_write(b, in, err)) {
        return false;
    }
    b->rows += in->length;
    taco__arena_free(&b->enrich.arena);
    return true;
}

/* A cursor's batches are split, as they have more rows than are parsed together. */
static bool taco__build_add_rows(taco__build *b, const taco_batch *in, taco_error *err)
{
    size_t step = b->bands.count ? TACO__BUILD_BATCH_ROWS : in->length, at;
    taco_batch part;
    if (in->length <= step) { return in->length == 0 || taco__build_add_batch(b, in, err); }
    for (at = 0; at < in->length; at += step) {
        if (!taco__build_slice(b, in, at, TACO__MIN(step, in->length - at), &part, err) ||
            !taco__build_add_batch(b, &part, err)) {
            return false;
        }
    }
    return true;
}

#if TACO__DIRS
/* A directory that does not exist, or may be replaced, is made under a temporary name; into another
   one files are added. */
static bool taco__build_begin_directory(taco__build *b, const char *target, taco_error *err)
{
    if (b->opt->single || !taco__temporary_is_free(target, &b->options)) { return true; }
    if (!taco__temporary_make(&b->directory, target, NULL, &b->options, &b->mem, err)) {
        return false;
    }
    b->target = b->directory.name;
    return true;
}

/* A collection without rows has no directory. */
static bool taco__build_end_directory(taco__build *b, const char *target, taco_error *err)
{
    return !b->directory.name || b->parts.count == 0 ||
           taco__dir_commit(&b->directory, target, b->parts.list[0].path, err);
}
#endif

/* Reads, computes and writes everything. An empty collection is an empty file if the target is a
   file, and no file at all if it is a directory. */
static bool taco__build_run(taco__build *b, taco_error *err)
{
    taco_batch in;
    const char *target = b->target;
#if TACO__DIRS
    if (!taco__build_begin_directory(b, target, err)) { return false; }
#endif
    while (taco__build_next_batch(&b->source, &in)) {
        if (!taco__build_add_rows(b, &in, err)) { return false; }
    }
    if (!taco__build_end_source(&b->source, err)) { return false; }
    if (b->enrich.tried && !b->enrich.parsed) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "none of the headers of %u assets could be read", b->enrich.tried);
        return false;
    }
    if (b->parts.count == 0 && b->opt->single && !taco__build_parts_open(b, "", err)) {
        return false;
    }
    if (!taco__build_parts_close(b, err)) { return false; }
#if TACO__DIRS
    return taco__build_end_directory(b, target, err);
#else
    (void)target;
    return true;
#endif
}

/* ---- one call ---- */

/* Drops unfinished files after a failure; after taco__build_parts_close there are none. */
static void taco__build_free(taco__build *b)
{
    size_t i;
    taco__build_parts_abort(b);
#if TACO__DIRS
    taco__temporary_remove(&b->directory);
#endif
    for (i = 0; i < b->count; i++) {
        taco__array_builder_free(&b->columns[i].made);
        taco__array_buf_free(&b->columns[i].picked);
    }
    taco__build_close_source(&b->source);
    taco__buf_free(&b->text);
    taco__buf_free(&b->codes);
    taco__arena_free(&b->enrich.arena);
    taco__arena_free(&b->arena);
}

static void taco__build_init(taco__build *b, const taco_rasteret_options *opt, const char *target)
{
    b->opt = opt;
    b->target = target;
    taco__options_init(&b->options, opt->options);
    b->arena.mem = b->text.mem = b->codes.mem = &b->mem;
    b->parts.of_row.mem = b->parts.rows.mem = &b->mem;
    b->enrich.mem = b->enrich.arena.mem = &b->mem;
    b->enrich.options = &b->options;
    b->enrich.base = opt->base ? opt->base : "";
}

/* The state is too large for the stack. Every message names the source once. */
TACO__FN taco_status taco__build_collection(const char *source, const taco_source *src,
                                            const char *target, const taco_rasteret_options *opt,
                                            taco_error *err)
{
    taco__mem mem;
    taco__build *b;
    taco_error own;
    memset(&own, 0, sizeof own);
    taco__mem_init(&mem, opt->options);
    b = (taco__build *)taco__mem_alloc(&mem, sizeof *b, err);
    if (!b) { return TACO_ERR_MEMORY; }
    b->mem = mem;
    b->whole_files = src != NULL;
    taco__build_init(b, opt, target);
    if (taco__build_open_source(b, source, src, &own) && taco__build_columns_plan(b, &own) &&
        taco__build_add_keys(b, source, &own)) {
        (void)taco__build_run(b, &own);
    }
    if (own.code != TACO_OK && !strstr(own.text, source)) {
        taco__error_prefix(&own, "%s", source);
    }
    taco__build_free(b);
    mem = b->mem;
    taco__mem_free(&mem, b, sizeof *b);
    if (err && err->code == TACO_OK && own.code != TACO_OK) { *err = own; }
    return own.code;
}

TACO_API taco_status taco_rasteret_build(const char *source, const char *target,
                                         const taco_rasteret_options *opt, taco_error *err)
{
    taco_rasteret_options defaults;
    err = taco__error_fresh(err, NULL);
    memset(&defaults, 0, sizeof defaults);
    if (!source || !target) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given",
                          source ? "target" : "source");
    }
    return taco__build_collection(source, NULL, target, opt ? opt : &defaults, err);
}
/* ==== src/rasteret/build_columns.c ==== */
/* build_columns.c - plans the columns of a new collection

   In: the fields of the source and the options; out: b->columns, in the order in the files: those
   of the source, the renamed ones, then those that the contract requires and the source lacks
   (Rasteret's schema contract): text ids, timestamps, assets, proj:epsg and crs, a {band}_metadata
   column per band if headers are requested, both forms of the box, year and month. A computed
   column replaces one with the same name. Columns that name partitions are not in the files.

   Start reading at taco__build_columns_plan. */
/* #include "rasteret.h" */
/* #include "../base/base.h" */
/* #include "../arrow/arrow.h" */
/* #include "../write/write.h" */

/* ---- columns of the source ---- */

/* Column of the source that has, or is renamed to, this name; TACO__NONE if there is none. */
static size_t taco__build_columns_find_source(const taco__build *b, const char *name)
{
    size_t i, k;
    for (i = 0; i < b->source.count; i++) {
        if (strcmp(b->source.fields[i].name, name) == 0) { return i; }
    }
    for (k = 0; k < b->opt->rename_count; k++) {
        for (i = 0; strcmp(b->opt->rename[k].to, name) == 0 && i < b->source.count; i++) {
            if (strcmp(b->source.fields[i].name, b->opt->rename[k].from) == 0) { return i; }
        }
    }
    return TACO__NONE;
}

static bool taco__build_columns_is_integer(const taco_field *f)
{
    return f->type >= TACO_INT8 && f->type <= TACO_UINT64;
}

/* ---- columns that are written ---- */

/* Index of the column of that name; b->count if there is none. */
static size_t taco__build_columns_find(const taco__build *b, const char *name)
{
    size_t i;
    for (i = 0; i < b->count && strcmp(b->columns[i].field.name, name) != 0; i++) {}
    return i;
}

/* Sets the i-th column, which may be the one after the last. */
static taco__build_column *taco__build_columns_set(taco__build *b, size_t i, const taco_field *f,
                                                   taco__build_column_kind kind, size_t source)
{
    taco__build_column *c = &b->columns[i];
    b->count += i == b->count;
    memset(c, 0, sizeof *c);
    c->field = *f;
    c->field.nullable = true;
    c->kind = kind;
    c->source = source;
    return c;
}

/* Adds a column, or replaces the one with that name. */
static taco__build_column *taco__build_columns_add(taco__build *b, const taco_field *f,
                                                   taco__build_column_kind kind, size_t source)
{
    return taco__build_columns_set(b, taco__build_columns_find(b, f->name), f, kind, source);
}

static bool taco__build_columns_has(const taco__build *b, const char *name)
{
    return taco__build_columns_find(b, name) < b->count;
}

/* A column of a type without parameters. */
static void taco__build_columns_add_plain(taco__build *b, const char *name, taco_type type,
                                          taco__build_column_kind kind, size_t band)
{
    taco_field f = taco__field_make(name, type);
    taco__build_columns_add(b, &f, kind, TACO__NONE)->band = band;
}

/* Adds the renamed columns again, under the contract's names. */
static bool taco__build_columns_add_renamed(taco__build *b, taco_error *err)
{
    size_t k;
    for (k = 0; k < b->opt->rename_count; k++) {
        taco_bytes name = taco__bytes_text(b->opt->rename[k].from);
        size_t i = taco__build_columns_find_source(b, b->opt->rename[k].from);
        taco_field f;
        if (i == TACO__NONE) {
            TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "no column %q to rename", &name);
            return false;
        }
        f = b->source.fields[i];
        f.name = b->opt->rename[k].to;
        taco__build_columns_add(b, &f, TACO__BUILD_SOURCE, i);
    }
    return true;
}

/* The column of the source that is written under that name; TACO__NONE if there is none. */
static size_t taco__build_columns_find_role(const taco__build *b, const char *name)
{
    size_t i = taco__build_columns_find(b, name);
    return i < b->count ? b->columns[i].source : TACO__NONE;
}

/* Looks for the contract's columns, under their own names or renamed. id, datetime and geometry are
   required, and are checked later, by name. */
static void taco__build_columns_find_roles(taco__build *b)
{
    taco__build_roles *r = &b->roles;
    r->id = taco__build_columns_find_role(b, "id");
    r->datetime = taco__build_columns_find_role(b, "datetime");
    r->geometry = taco__build_columns_find_role(b, "geometry");
    r->assets = taco__build_columns_find_role(b, "assets");
    r->code = taco__build_columns_find_role(b, "proj:code");
    r->epsg = taco__build_columns_find_role(b, "proj:epsg");
    r->crs = taco__build_columns_find_role(b, "crs");
    r->href = TACO__NONE;
}

/* Adds the columns of the source, except those that a TACO reader has added. Of equal names the
   last counts, in the place of the first. */
static bool taco__build_columns_add_sources(taco__build *b, taco_error *err)
{
    size_t i, n = b->source.count;
    size_t *at = (size_t *)taco__arena_array(&b->arena, n + 1, sizeof *at, err);
    taco__field_index names;
    if (!at) { return false; }
    taco__field_index_init(&names, b->source.fields, n, &b->mem);
    for (i = 0; i < n; i++) {
        const taco_field *f = &b->source.fields[i];
        size_t first = taco__field_index_find(&names, f->name);
        if (taco__bytes_starts_with(taco__bytes_text(f->name), "internal:")) { continue; }
        if (first == i) { at[i] = b->count; }
        taco__build_columns_set(b, at[first], f, TACO__BUILD_SOURCE, i);
    }
    taco__field_index_free(&names);
    if (!taco__build_columns_add_renamed(b, err)) { return false; }
    taco__build_columns_find_roles(b);
    return true;
}

/* ---- assets and bands ---- */

/* The column named by opt->href_column; false if assets cannot be made from it. */
static bool taco__build_columns_find_href(taco__build *b, taco_error *err)
{
    taco_bytes name = taco__bytes_text(b->opt->href_column);
    size_t at = b->roles.href = taco__build_columns_find_source(b, b->opt->href_column);
    if (at != TACO__NONE && b->source.fields[at].type == TACO_TEXT && b->opt->band_count) {
        return true;
    }
    TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
               at == TACO__NONE ? "no column %q for the hrefs of assets"
                                : "column %q is not text, or no band is named for it",
               &name);
    return false;
}

/* Adds assets made from href_column and bands, {band: {href, band_index}}, if the source has
   none. */
static bool taco__build_columns_add_assets(taco__build *b, taco_error *err)
{
    taco__build_fields *s = &b->fields;
    size_t n = b->opt->band_count, i;
    taco_field f;
    if (b->roles.assets != TACO__NONE || !b->opt->href_column) { return true; }
    if (!taco__build_columns_find_href(b, err)) { return false; }
    s->asset[0] = taco__field_make("href", TACO_TEXT);
    s->asset[1] = taco__field_make("band_index", TACO_INT64);
    s->assets = (taco_field *)taco__arena_array(&b->arena, n, sizeof *s->assets, err);
    if (!s->assets) { return false; }
    for (i = 0; i < n; i++) {
        s->assets[i] = taco__field_make_nested(b->opt->bands[i].name, TACO_STRUCT, s->asset, 2);
    }
    f = taco__field_make_nested("assets", TACO_STRUCT, s->assets, (uint32_t)n);
    taco__build_columns_add(b, &f, TACO__BUILD_ASSETS, TACO__NONE);
    return true;
}

/* Every band that is made or enriched has a column of its own: fails if two have the same name. */
static bool taco__build_columns_check_bands(taco__build *b, taco_error *err)
{
    size_t at = taco__build_columns_find(b, "assets"), i;
    const taco__build_column *c = &b->columns[at];
    taco__field_index names;
    if (at == b->count || c->field.type != TACO_STRUCT ||
        (c->kind == TACO__BUILD_SOURCE && !b->opt->enrich)) {
        return true;
    }
    taco__field_index_init(&names, c->field.children, c->field.child_count, &b->mem);
    for (i = 0; i < c->field.child_count; i++) {
        taco_bytes name = taco__bytes_text(c->field.children[i].name);
        if (taco__field_index_find(&names, c->field.children[i].name) != i) {
            TACO__FAIL(err, c->kind == TACO__BUILD_SOURCE ? TACO_ERR_CORRUPT : TACO_ERR_ARGUMENT,
                       TACO_NO_OFFSET, "two assets are named %q", &name);
            break;
        }
    }
    taco__field_index_free(&names);
    return i == c->field.child_count;
}

/* Whether the options name a band; if they name none, all are wanted. */
static bool taco__build_columns_wants_band(const taco__build *b, const char *name)
{
    size_t k;
    for (k = 0; k < b->opt->band_count; k++) {
        if (strcmp(b->opt->bands[k].name, name) == 0) { return true; }
    }
    return b->opt->band_count == 0;
}

/* Finds the bands of an assets column to enrich. */
static bool taco__build_columns_find_bands(taco__build *b, const taco_field *assets,
                                           taco_error *err)
{
    taco__build_bands *x = &b->bands;
    size_t n = (size_t)assets->child_count + 1;
    uint32_t i;
    x->names = (const char **)taco__arena_array(&b->arena, n, sizeof *x->names, err);
    x->children = (uint32_t *)taco__arena_array(&b->arena, n, sizeof *x->children, err);
    if (!x->names || !x->children) { return false; }
    for (i = 0; i < assets->child_count && x->count < TACO__ENRICH_MAX_BANDS; i++) {
        if (taco__build_columns_wants_band(b, assets->children[i].name)) {
            x->names[x->count] = assets->children[i].name;
            x->children[x->count++] = i;
        }
    }
    return true;
}

/* Adds {band}_metadata for band k. */
static bool taco__build_columns_add_band(taco__build *b, size_t k, taco_error *err)
{
    size_t n = strlen(b->bands.names[k]);
    char *name = (char *)taco__arena_alloc(&b->arena, n + 10, err);
    taco_field f;
    if (!name) { return false; }
    memcpy(name, b->bands.names[k], n);
    memcpy(name + n, "_metadata", 9);
    f = taco__field_make_nested(name, TACO_STRUCT, b->fields.metadata, TACO__ENRICH_FIELDS);
    taco__build_columns_add(b, &f, TACO__BUILD_BAND, TACO__NONE)->band = k;
    return true;
}

/* Adds a metadata column for each band if headers are requested. */
static bool taco__build_columns_add_bands(taco__build *b, taco_error *err)
{
    size_t at = taco__build_columns_find(b, "assets"), k;
    if (!b->opt->enrich || at == b->count || b->columns[at].field.type != TACO_STRUCT) {
        return true;
    }
    if (!taco__build_columns_find_bands(b, &b->columns[at].field, err)) { return false; }
    for (k = 0; k < b->bands.count; k++) {
        if (!taco__build_columns_add_band(b, k, err)) { return false; }
    }
    return true;
}

/* ---- the rest of the contract ---- */

/* Adds the list, the scalars and the struct. */
static void taco__build_columns_add_bboxes(taco__build *b)
{
    static const char *const scalars[4] = {"bbox_minx", "bbox_miny", "bbox_maxx", "bbox_maxy"};
    static const char *const names[4] = {"xmin", "ymin", "xmax", "ymax"};
    taco_field f = taco__field_make_nested("scene_bbox", TACO_LIST, &b->fields.f64, 1);
    size_t i;
    taco__build_columns_add(b, &f, TACO__BUILD_BBOX_LIST, TACO__NONE);
    for (i = 0; i < 4; i++) {
        taco__build_columns_add_plain(b, scalars[i], TACO_DOUBLE, TACO__BUILD_BBOX_EDGE, i);
        b->fields.sides[i] = taco__field_make(names[i], TACO_DOUBLE);
    }
    f = taco__field_make_nested("bbox", TACO_STRUCT, b->fields.sides, 4);
    taco__build_columns_add(b, &f, TACO__BUILD_BBOX, TACO__NONE);
}

/* Fails if a required column is missing and cannot be computed. */
static bool taco__build_columns_check_required(const taco__build *b, taco_error *err)
{
    bool id = taco__build_columns_has(b, "id"), datetime = taco__build_columns_has(b, "datetime");
    bool geometry = taco__build_columns_has(b, "geometry"),
         assets = taco__build_columns_has(b, "assets");
    if (!id || !datetime || !geometry || !assets) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "the table is missing required columns:%s%s%s%s", id ? "" : " id",
                   datetime ? "" : " datetime", geometry ? "" : " geometry",
                   assets ? "" : " assets");
        return false;
    }
    return true;
}

/* Adds proj:epsg and crs if anything may provide them. */
static void taco__build_columns_add_crs(taco__build *b)
{
    const taco__build_roles *r = &b->roles;
    if (r->code != TACO__NONE || r->epsg != TACO__NONE || r->crs != TACO__NONE || b->opt->enrich) {
        taco__build_columns_add_plain(b, "proj:epsg", TACO_INT32, TACO__BUILD_EPSG, 0);
        taco__build_columns_add_plain(b, "crs", TACO_TEXT, TACO__BUILD_CRS, 0);
    }
}

/* Replaces ids and times whose type is not the contract's by converted ones. */
static void taco__build_columns_add_converted(taco__build *b)
{
    const taco_field *in = b->source.fields;
    size_t id = b->roles.id, time = b->roles.datetime;
    if (id != TACO__NONE && taco__build_columns_is_integer(&in[id])) {
        taco__build_columns_add_plain(b, "id", TACO_TEXT, TACO__BUILD_ID, 0);
    }
    if (time != TACO__NONE && in[time].type != TACO_TIMESTAMP) {
        taco__build_columns_add_plain(b, "datetime", TACO_TIMESTAMP, TACO__BUILD_DATETIME, 0);
    }
}

/* Adds year and month; the source may have columns of these names already. */
static void taco__build_columns_add_dates(taco__build *b)
{
    if (!taco__build_columns_has(b, "year")) {
        taco__build_columns_add_plain(b, "year", TACO_INT32, TACO__BUILD_YEAR, 0);
    }
    if (!taco__build_columns_has(b, "month")) {
        taco__build_columns_add_plain(b, "month", TACO_INT32, TACO__BUILD_MONTH, 0);
    }
}

/* ---- partitions and files ---- */

/* Marks the columns that name partitions: those in the options, or year and month. */
static bool taco__build_columns_mark_keys(taco__build *b, taco_error *err)
{
    static const char *const usual[2] = {"year", "month"};
    const char *const *names = b->opt->partition ? b->opt->partition : usual;
    size_t n = b->opt->single ? 0 : b->opt->partition ? b->opt->partition_count : 2, i, k;
    for (k = 0; k < n; k++) {
        i = taco__build_columns_find(b, names[k]);
        if (i == b->count || (b->columns[i].field.type != TACO_TEXT &&
                              !taco__build_columns_is_integer(&b->columns[i].field))) {
            taco_bytes name = taco__bytes_text(names[k]);
            TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "no column %q of text or integers to partition by", &name);
            return false;
        }
        b->columns[i].key = true;
    }
    return true;
}

/* Sets the fields of the files, and the buffers of computed and picked values. */
static bool taco__build_columns_init_buffers(taco__build *b, taco_error *err)
{
    size_t i;
    b->out = (taco_field *)taco__arena_array(&b->arena, b->count + 1, sizeof *b->out, err);
    for (i = 0; b->out && i < b->count; i++) {
        taco__build_column *c = &b->columns[i];
        if ((c->kind != TACO__BUILD_SOURCE &&
             !taco__array_builder_init(&c->made, &c->field, &b->mem, &b->arena, err)) ||
            !taco__array_buf_init(&c->picked, &c->field, &b->mem, &b->arena, err)) {
            return false;
        }
        if (!c->key) { b->out[b->out_count++] = c->field; }
    }
    return b->out != NULL;
}

/* Fails before the first file is created if the result would not be a valid collection. */
static bool taco__build_columns_check_types(const taco__build *b, taco_error *err)
{
    size_t i;
    for (i = 0; i < b->count; i++) {
        if (!taco__contract_check_type(&b->columns[i].field, err)) { return false; }
    }
    return true;
}

/* Allocates all columns, and the fields that they borrow. */
static bool taco__build_columns_init(taco__build *b, taco_error *err)
{
    taco__build_fields *s = &b->fields;
    size_t most = b->source.count + b->opt->rename_count + TACO__ENRICH_MAX_BANDS + 32;
    b->columns = (taco__build_column *)taco__arena_array(&b->arena, most, sizeof *b->columns, err);
    s->f64 = taco__field_make("element", TACO_DOUBLE);
    s->i64 = taco__field_make("element", TACO_INT64);
    s->i32 = taco__field_make("element", TACO_INT32);
    taco__enrich_init_fields(s->metadata, &s->f64, &s->i64, &s->i32);
    return b->columns != NULL;
}

/* The order of the calls is the order of the columns in the files. */
TACO__FN bool taco__build_columns_plan(taco__build *b, taco_error *err)
{
    if (!taco__build_columns_init(b, err) || !taco__build_columns_add_sources(b, err) ||
        !taco__build_columns_add_assets(b, err) || !taco__build_columns_check_bands(b, err)) {
        return false;
    }
    taco__build_columns_add_converted(b);
    if (!taco__build_columns_check_required(b, err)) { return false; }
    taco__build_columns_add_crs(b);
    if (!taco__build_columns_add_bands(b, err)) { return false; }
    taco__build_columns_add_bboxes(b);
    taco__build_columns_add_dates(b);
    return taco__build_columns_check_types(b, err) && taco__build_columns_mark_keys(b, err) &&
           taco__build_columns_init_buffers(b, err);
}
/* ==== src/rasteret/build_values.c ==== */
/* build_values.c - the values of columns that the source of a collection does not have

   In: a batch of the source; out: the builders of all computed columns, filled with its rows: text
   ids, timestamps from years, dates and ISO text, assets from an href column, CRSs, metadata of the
   bands (enrich.c), boxes from the bounds of the geometry, year and month.

   Start reading at taco__build_values_make_batch. The order matters there: CRSs may come from
   headers, and hrefs into archives are rewritten twice. */
/* #include "rasteret.h" */
/* #include "../base/base.h" */
/* #include "../geo/geo.h" */

/* ---- times ---- */

/* A year as a number. */
static bool taco__build_values_read_year(const taco_array *a, size_t i, int64_t *us,
                                         taco_error *err)
{
    int64_t year = taco_array_int(a, i);
    if (a->field->type >= TACO_INT8 && a->field->type <= TACO_UINT64 && year >= -9999 &&
        year <= 9999) {
        *us = taco__time_days_from_date(year, 1, 1) * TACO__TIME_DAY_MICROS;
        return true;
    }
    TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
               "datetime is neither a time, nor text, nor a year");
    return false;
}

/* Times beyond int64 become 1970. False, without an error, for null. */
TACO__FN bool taco__build_values_read_time(const taco_array *a, size_t i, int64_t *us,
                                           taco_error *err)
{
    bool date;
    taco_bytes text;
    if (!taco_array_valid(a, i)) { return false; }
    switch (a->field->type) {
    case TACO_TIMESTAMP:
    case TACO_DATE:
        if (!taco__array_read_micros(a, i, us)) { *us = 0; }
        return true;
    case TACO_TEXT:
        text = taco_array_bytes(a, i);
        if (taco__time_parse(text, us, &date)) { return true; }
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "datetime %q is not ISO 8601", &text);
        return false;
    default: return taco__build_values_read_year(a, i, us, err);
    }
}

/* ---- CRSs ---- */

/* Whether a text begins with EPSG:, in any case. */
static bool taco__build_values_has_prefix(taco_bytes t)
{
    static const char prefix[] = "epsg:";
    size_t i;
    for (i = 0; i < 5; i++) {
        if (t.len <= 5 || taco__ascii_lower(t.data[i]) != (uint8_t)prefix[i]) { return false; }
    }
    return true;
}

/* The number in EPSG:n, or in plain digits; 0 for anything else. */
static int32_t taco__build_values_read_epsg(const taco_array *a, size_t i)
{
    taco_bytes t;
    uint64_t x = 0;
    int64_t v;
    if (!taco_array_valid(a, i)) { return 0; }
    if (a->field->type != TACO_TEXT) {
        v = taco_array_int(a, i);
        return v > 0 && v <= INT32_MAX ? (int32_t)v : 0;
    }
    t = taco_array_bytes(a, i);
    while (t.len && t.data[0] == ' ') {
        t = taco__bytes_of(t.data + 1, t.len - 1);
    }
    while (t.len && t.data[t.len - 1] == ' ') {
        t.len--;
    }
    if (taco__build_values_has_prefix(t)) { t = taco__bytes_of(t.data + 5, t.len - 5); }
    return taco__num_parse_u64(t, &x) && x <= INT32_MAX ? (int32_t)x : 0;
}

/* The code of a row, from the first of proj:code, proj:epsg, crs and its assets' headers that has
   one. */
static int32_t taco__build_values_row_code(const taco__build *b, const taco_batch *in, size_t i,
                                           const int32_t *codes)
{
    size_t order[3], k;
    int32_t code = 0;
    order[0] = b->roles.code;
    order[1] = b->roles.epsg;
    order[2] = b->roles.crs;
    for (k = 0; k < 3 && !code; k++) {
        if (order[k] != TACO__NONE) {
            code = taco__build_values_read_epsg(&in->columns[order[k]], i);
        }
    }
    return code ? code : codes ? codes[i] : 0;
}

/* Keeps the text of the crs column if it is not an EPSG code. */
static bool taco__build_values_keep_crs(const taco__build *b, const taco_batch *in, size_t i,
                                        taco__array_builder *crs, taco_error *err)
{
    size_t c = b->roles.crs;
    if (c == TACO__NONE || b->source.fields[c].type != TACO_TEXT ||
        !taco_array_valid(&in->columns[c], i)) {
        return taco__array_builder_append_null(crs, err);
    }
    return taco__array_builder_append_bytes(crs, taco_array_bytes(&in->columns[c], i), err);
}

/* proj:epsg and crs. codes is NULL if no headers were read. */
static bool taco__build_values_make_crs(taco__build *b, const taco_batch *in,
                                        taco__array_builder *epsg, taco__array_builder *crs,
                                        const int32_t *codes, taco_error *err)
{
    char text[24] = "EPSG:";
    size_t i;
    for (i = 0; i < in->length; i++) {
        int32_t code = taco__build_values_row_code(b, in, i, codes);
        bool ok;
        if (code) {
            text[5 + taco__num_format_u64(text + 5, (uint64_t)code)] = 0;
            ok = taco__array_builder_append_int(epsg, code, err) &&
                 taco__array_builder_append_text(crs, text, err);
        } else {
            ok = taco__array_builder_append_null(epsg, err) &&
                 taco__build_values_keep_crs(b, in, i, crs, err);
        }
        if (!ok) { return false; }
    }
    return true;
}

/* ---- assets ---- */

/* Replaces the beginning of an href by the first rule that matches. Returns the new beginning;
   *rest follows it. */
static const char *taco__build_values_rewrite(const taco_rasteret_options *o, taco_bytes *rest)
{
    size_t k;
    for (k = 0; k < o->rewrite_count; k++) {
        if (taco__bytes_starts_with(*rest, o->rewrite[k].from)) {
            size_t n = strlen(o->rewrite[k].from);
            *rest = taco__bytes_of(rest->data + n, rest->len - n);
            return o->rewrite[k].to;
        }
    }
    return "";
}

/* Adds the assets of one row: every band has the same href, and its own sample in that file. */
static bool taco__build_values_add_assets(taco__build *b, taco__array_builder *c, taco_bytes href,
                                          taco_error *err)
{
    const char *to = taco__build_values_rewrite(b->opt, &href);
    size_t k;
    for (k = 0; k < b->opt->band_count; k++) {
        taco__array_builder *asset = &c->children[k];
        if (!taco__buf_append_text(&asset->children[0].values, to, err) ||
            !taco__array_builder_append_bytes(&asset->children[0], href, err) ||
            !taco__array_builder_append_int(&asset->children[1], b->opt->bands[k].index, err) ||
            !taco__array_builder_end_row(asset, true, err)) {
            return false;
        }
    }
    return taco__array_builder_end_row(c, true, err);
}

/* Makes the assets of a batch; if whole, hrefs name the archive that a /vsisubfile/ path points
   into. */
static bool taco__build_values_make_assets(taco__build *b, const taco_array *hrefs,
                                           taco__array_builder *c, size_t rows, bool whole,
                                           taco_error *err)
{
    size_t i;
    taco__array_builder_reset(c);
    for (i = 0; i < rows; i++) {
        taco_bytes href = taco_array_bytes(hrefs, i);
        uint64_t offset, size;
        if (whole) { (void)taco__enrich_parse_subfile(href, &href, &offset, &size); }
        if (!taco_array_valid(hrefs, i) ? !taco__array_builder_append_null(c, err)
                                        : !taco__build_values_add_assets(b, c, href, err)) {
            return false;
        }
    }
    return true;
}

/* ---- boxes ---- */

/* Bounds of a geometry; false if it has none. Warns about the first one that is null or not WKB. */
static bool taco__build_values_read_bounds(taco__build *b, const taco_array *a, size_t i,
                                           double box[4])
{
    taco_error why;
    bool empty = true;
    memset(&why, 0, sizeof why);
    if (taco_array_valid(a, i) &&
        taco__wkb_bounds(taco_array_bytes(a, i), box, &empty, &why) == TACO_OK) {
        return !empty;
    }
    if (b->options.warn && !b->warned) {
        b->warned = true;
        TACO__FAIL(&why, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "it is null");
        taco__error_prefix(&why, "row %u: no box can be made of the geometry, and perhaps of more",
                           b->rows + i);
        b->options.warn(b->options.warn_ctx, &why);
    }
    return false;
}

/* Appends a box in the column's form. */
static bool taco__build_values_append_bbox(taco__build_column *c, const double box[4],
                                           taco_error *err)
{
    size_t k;
    if (c->kind == TACO__BUILD_BBOX_LIST) {
        return taco__array_builder_append_doubles(&c->made, box, 4, err);
    }
    if (c->kind == TACO__BUILD_BBOX_EDGE) {
        return taco__array_builder_append_double(&c->made, box[c->band], err);
    }
    for (k = 0; k < 4; k++) {
        if (!taco__array_builder_append_double(&c->made.children[k], box[k], err)) { return false; }
    }
    return taco__array_builder_end_row(&c->made, true, err);
}

/* ---- one column ---- */

/* Appends an integer id as digits. */
static bool taco__build_values_append_id(taco__build_column *c, const taco_array *ids, size_t i,
                                         taco_error *err)
{
    char text[24];
    if (!taco_array_valid(ids, i)) { return taco__array_builder_append_null(&c->made, err); }
    return taco__array_builder_append_bytes(
        &c->made, taco__bytes_of(text, taco__num_format_i64(text, taco_array_int(ids, i))), err);
}

/* Appends a time, or its year or month. */
static bool taco__build_values_append_time(taco__build_column *c, const taco_array *times, size_t i,
                                           taco_error *err)
{
    int64_t us;
    taco__time_civil day;
    if (!taco__build_values_read_time(times, i, &us, err)) {
        return err->code == TACO_OK && taco__array_builder_append_null(&c->made, err);
    }
    if (c->kind == TACO__BUILD_DATETIME) {
        return taco__array_builder_append_int(&c->made, us, err);
    }
    day = taco__time_date_from_days(taco__time_floor_div(us, TACO__TIME_DAY_MICROS));
    return taco__array_builder_append_int(&c->made,
                                          c->kind == TACO__BUILD_YEAR ? day.year : day.month, err);
}

/* Appends one row of a column that is computed from a single other column. */
static bool taco__build_values_append(taco__build *b, taco__build_column *c, const taco_batch *in,
                                      size_t i, taco_error *err)
{
    double box[4];
    switch (c->kind) {
    case TACO__BUILD_ID: return taco__build_values_append_id(c, &in->columns[b->roles.id], i, err);
    case TACO__BUILD_DATETIME:
    case TACO__BUILD_YEAR:
    case TACO__BUILD_MONTH:
        return taco__build_values_append_time(c, &in->columns[b->roles.datetime], i, err);
    default:
        return taco__build_values_read_bounds(b, &in->columns[b->roles.geometry], i, box)
                   ? taco__build_values_append_bbox(c, box, err)
                   : taco__array_builder_append_null(&c->made, err);
    }
}

/* Makes all columns that are computed from a single other column. */
static bool taco__build_values_make_columns(taco__build *b, const taco_batch *in, taco_error *err)
{
    size_t k, i;
    for (k = 0; k < b->count; k++) {
        taco__build_column *c = &b->columns[k];
        if (c->kind != TACO__BUILD_ID && c->kind != TACO__BUILD_DATETIME &&
            c->kind < TACO__BUILD_BBOX_LIST) {
            continue;
        }
        for (i = 0; i < in->length; i++) {
            if (!taco__build_values_append(b, c, in, i, err)) { return false; }
        }
    }
    return true;
}

/* ---- a batch ---- */

/* The column of a kind, and of a band if the kind has one per band; NULL if it is not made. */
static taco__build_column *taco__build_values_find_column(taco__build *b,
                                                          taco__build_column_kind kind, size_t band)
{
    size_t i;
    for (i = 0; i < b->count; i++) {
        if (b->columns[i].kind == kind && b->columns[i].band == band) { return &b->columns[i]; }
    }
    return NULL;
}

/* Fills the columns of the bands with the headers of a batch's assets. The builders are moved to a
   contiguous array and back, as their buffers may grow. */
static bool taco__build_values_fill_bands(taco__build *b, const taco_array *assets,
                                          const taco_batch *in, int32_t *codes, taco_error *err)
{
    size_t n = b->bands.count, k;
    taco__array_builder *made =
        (taco__array_builder *)taco__arena_array(&b->enrich.arena, n, sizeof *made, err);
    bool ok = made && taco__enrich_collect_assets(&b->enrich, assets, b->bands.children, n,
                                                  in->length, err);
    if (!ok || !taco__enrich_run(&b->enrich, err)) { return false; }
    for (k = 0; k < n; k++) {
        made[k] = taco__build_values_find_column(b, TACO__BUILD_BAND, k)->made;
    }
    ok = taco__enrich_fill_columns(&b->enrich, made, n, in->length, &in->columns[b->roles.id],
                                   codes, err);
    for (k = 0; k < n; k++) {
        taco__build_values_find_column(b, TACO__BUILD_BAND, k)->made = made[k];
    }
    return ok;
}

/* Reads the headers; *codes gets the EPSG codes of the rows, NULL if no band is enriched. */
static bool taco__build_values_enrich(taco__build *b, const taco_batch *in, int32_t **codes,
                                      taco_error *err)
{
    taco__build_column *c = taco__build_values_find_column(b, TACO__BUILD_ASSETS, 0);
    taco_array assets;
    bool ok;
    *codes = NULL;
    if (b->bands.count == 0) { return true; }
    if (!taco__buf_reset(&b->codes, (in->length + 1) * sizeof **codes, err)) { return false; }
    *codes = (int32_t *)(void *)b->codes.data;
    if (c) {
        taco__array_builder_view(&c->made, &assets);
    } else {
        assets = in->columns[b->roles.assets];
    }
    ok = taco__build_values_fill_bands(b, &assets, in, *codes, err);
    taco__enrich_free(&b->enrich);
    return ok;
}

/* Assets come first, since their headers are read. If hrefs are parts of archives, the assets are
   made again afterwards, because tile offsets then count from the beginning of the archive. */
TACO__FN bool taco__build_values_make_batch(taco__build *b, const taco_batch *in, taco_error *err)
{
    taco__build_column *epsg = taco__build_values_find_column(b, TACO__BUILD_EPSG, 0);
    taco__build_column *crs = taco__build_values_find_column(b, TACO__BUILD_CRS, 0);
    taco__build_column *assets = taco__build_values_find_column(b, TACO__BUILD_ASSETS, 0);
    const taco_array *hrefs = assets ? &in->columns[b->roles.href] : NULL;
    int32_t *codes;
    size_t i;
    for (i = 0; i < b->count; i++) {
        if (b->columns[i].kind != TACO__BUILD_SOURCE) {
            taco__array_builder_reset(&b->columns[i].made);
        }
    }
    if (assets &&
        !taco__build_values_make_assets(b, hrefs, &assets->made, in->length, false, err)) {
        return false;
    }
    if (!taco__build_values_enrich(b, in, &codes, err)) { return false; }
    if (assets && b->whole_files &&
        !taco__build_values_make_assets(b, hrefs, &assets->made, in->length, true, err)) {
        return false;
    }
    return (!epsg || taco__build_values_make_crs(b, in, &epsg->made, &crs->made, codes, err)) &&
           taco__build_values_make_columns(b, in, err);
}
/* ==== src/rasteret/build_parts.c ==== */
/* build_parts.c - partitions: writes the rows of a batch to the files named by their keys

   In: a batch with its computed columns; out: rows in the Parquet files
   target/year=2020/month=1/part-0.parquet, or in the target itself. A file is created at its first
   row and stays open to the end, since more rows of its partition may come at any time. At most 512
   are open, as each Parquet writer holds a row group in memory. Values in names are
   percent-encoded, as by Arrow's dataset writer.

   Start reading at taco__build_parts_write. */
/* #include "rasteret.h" */
/* #include "../base/base.h" */
/* #include "../base/file_copy.h" */
/* #include "../arrow/arrow.h" */
/* #include "../parquet_write/parquet_write.h" */

/* The array of column i for the rows of a batch. */
static void taco__build_parts_column(taco__build *b, size_t i, const taco_batch *in,
                                     taco_array *out)
{
    taco__build_column *c = &b->columns[i];
    if (c->kind == TACO__BUILD_SOURCE) {
        *out = in->columns[c->source];
    } else {
        taco__array_builder_view(&c->made, out);
    }
    out->field = &c->field;
}

/* ---- files ---- */

#ifndef TACO_NO_STDIO
static bool taco__build_parts_open_sink(taco__build *b, const char *path, taco_sink *out,
                                        taco_error *err)
{
    return taco_sink_file(out, path, &b->options, err) == TACO_OK;
}

static bool taco__build_parts_make_dir(const char *path, taco_error *err)
{
    return taco__dir_make(path, err);
}
#else
static bool taco__build_parts_open_sink(taco__build *b, const char *path, taco_sink *out,
                                        taco_error *err)
{
    (void)b;
    (void)out;
    TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET, "%s: no files under TACO_NO_STDIO", path);
    return false;
}

static bool taco__build_parts_make_dir(const char *path, taco_error *err)
{
    TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET, "%s: no files under TACO_NO_STDIO", path);
    return false;
}
#endif

/* Codec, level and row groups are those of Rasteret's own writer; geometry is GeoParquet's primary
   column, bbox its covering. */
static bool taco__build_parts_open_writer(taco__build *b, taco__build_part *p, const char *path,
                                          taco_error *err)
{
    taco_pq_write_options w;
    taco_pq_geometry g;
    taco_sink sink;
    memset(&w, 0, sizeof w);
    memset(&g, 0, sizeof g);
    g.column = "geometry";
    g.covering = "bbox";
    w.options = &b->options;
    w.codec = TACO_CODEC_ZSTD;
    w.level = 3;
    w.row_group_rows = 50000;
    w.keys = b->keys;
    w.key_count = b->key_count;
    w.geometries = &g;
    w.geometry_count = 1;
    if (!taco__build_parts_open_sink(b, path, &sink, err)) { return false; }
    p->writer = taco_pq_write(&sink, b->out, b->out_count, &w, err);
    return p->writer != NULL;
}

/* Creates the directory that b->text names so far, and records it if it is new. */
static bool taco__build_parts_make_text_dir(taco__build *b, taco_error *err)
{
    size_t len = b->text.len;
    taco__build_dir *made = NULL;
    if (!taco__buf_append_char(&b->text, 0, err)) { return false; }
    if (!taco__plat_name_exists((const char *)b->text.data)) {
        made = (taco__build_dir *)taco__arena_alloc(&b->arena, sizeof *made, err);
        if (!made) { return false; }
        made->path = taco__arena_text(&b->arena, taco__bytes_of(b->text.data, len), err);
        if (!made->path) { return false; }
    }
    if (!taco__build_parts_make_dir((const char *)b->text.data, err)) { return false; }
    if (made) {
        made->before = b->parts.dirs;
        b->parts.dirs = made;
    }
    b->text.len = len;
    return true;
}

/* Creates the target and the nested directories of a partition; afterwards b->text names the
   innermost one. */
static bool taco__build_parts_make_dirs(taco__build *b, const char *key, taco_error *err)
{
    const char *end = key;
    if (!taco__build_parts_make_text_dir(b, err)) { return false; }
    while (*end) {
        const char *name = end;
        end = strchr(name, '/') ? strchr(name, '/') : name + strlen(name);
        if (!taco__buf_append_char(&b->text, '/', err) ||
            !taco__buf_append(&b->text, name, (size_t)(end - name), err) ||
            !taco__build_parts_make_text_dir(b, err)) {
            return false;
        }
        end += *end == '/';
    }
    return true;
}

/* Opens target/key/part-0.parquet, or the target itself if the options ask for one file. */
TACO__FN bool taco__build_parts_open(taco__build *b, const char *key, taco_error *err)
{
    taco__build_part *p = &b->parts.list[b->parts.count];
    if (b->parts.count == TACO__BUILD_MAX_PARTS) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "more than %u partitions: partition by fewer columns, or none",
                   TACO__U(TACO__BUILD_MAX_PARTS));
        return false;
    }
    p->key = taco__arena_text(&b->arena, taco__bytes_text(key), err);
    b->text.len = 0;
    if (!p->key || !taco__buf_append_text(&b->text, b->target, err)) { return false; }
    if (!b->opt->single && (!taco__build_parts_make_dirs(b, p->key, err) ||
                            !taco__buf_append_text(&b->text, "/part-0.parquet", err))) {
        return false;
    }
    p->path = taco__arena_text(&b->arena, taco__bytes_of(b->text.data, b->text.len), err);
    if (!p->path || !taco__build_parts_open_writer(b, p, p->path, err)) { return false; }
    b->parts.count++;
    return true;
}

TACO__FN bool taco__build_parts_close(taco__build *b, taco_error *err)
{
    size_t i;
    for (i = 0; i < b->parts.count; i++) {
        taco_pq_writer *w = b->parts.list[i].writer;
        b->parts.list[i].writer = NULL;
        if (taco_pq_writer_close(w, err) != TACO_OK) { return false; }
#if TACO__DIRS
        b->parts.list[i].made = taco__plat_identify(b->parts.list[i].path, &b->parts.list[i].id);
#endif
    }
    b->parts.complete = true;
    return true;
}

/* Removes completed files, and then the directories that were created, which are empty by then: a
   collection is written as a whole or not at all. */
static void taco__build_parts_undo(taco__build *b)
{
#if TACO__DIRS
    const taco__build_dir *dir;
    size_t i;
    for (i = 0; i < b->parts.count; i++) {
        const taco__build_part *p = &b->parts.list[i];
        if (p->made) { taco__temporary_remove_made(p->path, &p->id); }
    }
    for (dir = b->parts.dirs; dir; dir = dir->before) {
        TACO__RMDIR(dir->path);
    }
#else
    (void)b;
#endif
}

TACO__FN void taco__build_parts_abort(taco__build *b)
{
    size_t i;
    for (i = 0; i < b->parts.count; i++) {
        if (b->parts.list[i].writer) { taco_pq_writer_abort(b->parts.list[i].writer); }
    }
    if (!b->parts.complete) { taco__build_parts_undo(b); }
    taco__buf_free(&b->parts.of_row);
    taco__buf_free(&b->parts.rows);
}

/* ---- keys ---- */

/* Whether a byte needs no escape in a name: the unreserved ones of RFC 3986. */
static bool taco__build_parts_is_unreserved(uint8_t c)
{
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '-' ||
           c == '_' || c == '.' || c == '~';
}

/* All other bytes become %XX, including slashes, so that a value cannot create a directory. */
static bool taco__build_parts_append_escaped(taco__buf *t, taco_bytes v, taco_error *err)
{
    static const char digits[] = "0123456789ABCDEF";
    size_t i;
    bool ok = true;
    for (i = 0; ok && i < v.len; i++) {
        uint8_t c = v.data[i];
        ok = taco__build_parts_is_unreserved(c)
                 ? taco__buf_append_char(t, (char)c, err)
                 : taco__buf_append_char(t, '%', err) &&
                       taco__buf_append_char(t, digits[c >> 4], err) &&
                       taco__buf_append_char(t, digits[c & 15], err);
    }
    return ok;
}

/* Appends name=value of a partition, after a slash unless it is the first. */
static bool taco__build_parts_append_key(taco__buf *t, const taco_array *a, size_t row,
                                         taco_error *err)
{
    char text[24];
    taco_bytes v;
    if ((t->len && !taco__buf_append_char(t, '/', err)) ||
        !taco__buf_append_text(t, a->field->name, err) || !taco__buf_append_char(t, '=', err)) {
        return false;
    }
    if (!taco_array_valid(a, row)) { return taco__buf_append_text(t, TACO__HIVE_NULL_NAME, err); }
    v = a->field->type == TACO_TEXT
            ? taco_array_bytes(a, row)
            : taco__bytes_of(text, taco__num_format_i64(text, taco_array_int(a, row)));
    return taco__build_parts_append_escaped(t, v, err);
}

/* Finds the part of a key, or begins a new one. The previous row's part is tried first, as rows of
   a partition are often adjacent. */
static bool taco__build_parts_find(taco__build *b, const char *key, uint32_t *part, taco_error *err)
{
    const taco__build_parts *p = &b->parts;
    if (*part < p->count && strcmp(p->list[*part].key, key) == 0) { return true; }
    for (*part = 0; *part < p->count && strcmp(p->list[*part].key, key) != 0; ++*part) {}
    return *part < p->count || taco__build_parts_open(b, key, err);
}

/* The *n arrays of the key columns of a batch; NULL on failure. */
static taco_array *taco__build_parts_key_columns(taco__build *b, const taco_batch *in, size_t *n,
                                                 taco_error *err)
{
    taco_array *keys =
        (taco_array *)taco__arena_array(&b->enrich.arena, b->count, sizeof *keys, err);
    size_t i;
    for (*n = 0, i = 0; keys && i < b->count; i++) {
        if (b->columns[i].key) { taco__build_parts_column(b, i, in, &keys[(*n)++]); }
    }
    return keys;
}

/* Sets parts.of_row to the partition of each row of a batch. */
static bool taco__build_parts_assign(taco__build *b, const taco_batch *in, taco_error *err)
{
    taco__buf key, *of_row = &b->parts.of_row;
    size_t n, k, row;
    taco_array *keys = taco__build_parts_key_columns(b, in, &n, err);
    uint32_t part = UINT32_MAX;
    bool ok = keys && taco__buf_reset(of_row, (in->length + 1) * sizeof part, err);
    memset(&key, 0, sizeof key);
    key.mem = &b->mem;
    for (row = 0; ok && row < in->length; row++) {
        key.len = 0;
        for (k = 0; ok && k < n; k++) {
            ok = taco__build_parts_append_key(&key, &keys[k], row, err);
        }
        ok = ok && taco__buf_append_char(&key, 0, err) &&
             taco__build_parts_find(b, (const char *)key.data, &part, err) &&
             taco__buf_append(of_row, &part, sizeof part, err);
    }
    taco__buf_free(&key);
    return ok;
}

/* ---- rows ---- */

/* Collects the rows of one part in parts.rows; returns how many there are. */
static size_t taco__build_parts_pick_rows(taco__build *b, size_t part, size_t rows)
{
    const uint32_t *of_row = (const uint32_t *)(const void *)b->parts.of_row.data;
    int32_t *picked = (int32_t *)(void *)b->parts.rows.data;
    size_t row, n = 0;
    for (row = 0; row < rows; row++) {
        if (of_row[row] == part) { picked[n++] = (int32_t)row; }
    }
    return n;
}

/* The *count columns of a file for the n picked rows of a batch; copies, unless all rows were
   picked. */
static bool taco__build_parts_pick_columns(taco__build *b, const taco_batch *in, size_t n,
                                           taco_array *out, size_t *count, taco_error *err)
{
    const int32_t *rows = (const int32_t *)(const void *)b->parts.rows.data;
    size_t i;
    for (*count = 0, i = 0; i < b->count; i++) {
        taco__build_column *c = &b->columns[i];
        taco_array *to = &out[*count];
        if (c->key) { continue; }
        taco__build_parts_column(b, i, in, to);
        if (n < in->length) {
            if (!taco__take_array(&c->picked, to, rows, n, err)) { return false; }
            *to = c->picked.array;
        }
        ++*count;
    }
    return true;
}

/* Writes the rows of one part, if the batch has any. Nothing more is written after its writer has
   failed. */
static bool taco__build_parts_write_one(taco__build *b, const taco_batch *in, size_t part,
                                        taco_array *columns, taco_error *err)
{
    taco__build_part *p = &b->parts.list[part];
    size_t n = taco__build_parts_pick_rows(b, part, in->length);
    taco_batch out;
    memset(&out, 0, sizeof out);
    if (n == 0) { return true; }
    if (!taco__build_parts_pick_columns(b, in, n, columns, &out.column_count, err)) {
        return false;
    }
    out.first_row = -1;
    out.length = n;
    out.columns = columns;
    if (taco_pq_writer_batch(p->writer, &out) != TACO_OK) {
        taco_pq_writer_close(p->writer, err);
        p->writer = NULL;
        return false;
    }
    return true;
}

/* One pass over the rows for each part is cheap enough: batches are small, cost far more to
   compute, and have rows of few partitions. */
TACO__FN bool taco__build_parts_write(taco__build *b, const taco_batch *in, taco_error *err)
{
    taco_array *columns =
        (taco_array *)taco__arena_array(&b->enrich.arena, b->count + 1, sizeof *columns, err);
    size_t part;
    if (!columns || !taco__buf_reset(&b->parts.rows, (in->length + 1) * sizeof(int32_t), err) ||
        !taco__build_parts_assign(b, in, err)) {
        return false;
    }
    for (part = 0; part < b->parts.count; part++) {
        if (!taco__build_parts_write_one(b, in, part, columns, err)) { return false; }
    }
    return true;
}
/* ==== src/rasteret/convert.c ==== */
/* convert.c - the TIFFs of a TACO dataset as a collection, and a collection's files as a dataset

   From TACO: in a dataset, out a collection. Each FILE of the deepest level that is a tiled TIFF
   with a known CRS becomes a record: id, datetime, geometry and its /vsi path, written as a Parquet
   file in memory, from which build.c then makes the collection with the headers of the same files.
   To TACO: in a collection, out a dataset with a FILE per record: the file of its first band, with
   stac: columns from its header and its datetime.

   In the first case headers are read twice: once for the corners, once by build.c. */
/* #include "rasteret.h" */
/* #include "../base/base.h" */
/* #include "../geo/geo.h" */
/* #include "../parquet_write/parquet_write.h" */
/* #include "../dataset/dataset.h" */
/* #include "../tiff/tiff.h" */
/* #include "../write/write.h" */

/* Columns of the records made from a dataset. */
enum {
    TACO__RASTERET_CONVERT_ID,
    TACO__RASTERET_CONVERT_TIME,
    TACO__RASTERET_CONVERT_GEOMETRY,
    TACO__RASTERET_CONVERT_VSI,
    TACO__RASTERET_CONVERT_COLUMNS
};

#define TACO__RASTERET_CONVERT_RING 93 /* a polygon of 5 points: 1 + 4 + 4 + 4 + 5 * 16 */
#define TACO__RASTERET_CONVERT_WKB  (9 + 2 * TACO__RASTERET_CONVERT_RING) /* two of them */

/* One conversion, either way. */
typedef struct taco__rasteret_convert {
    taco__mem mem;
    taco__arena arena;
    taco_options options;
    taco__enrich enrich;
    taco_field fields[TACO__RASTERET_CONVERT_COLUMNS]; /* from TACO: the records so far */
    taco__array_builder columns[TACO__RASTERET_CONVERT_COLUMNS];
    const char *dataset;   /* from TACO: its name, for messages */
    uint64_t opened, most; /* files opened, and how many may be */
} taco__rasteret_convert;

/* Opening a file takes as long as decoding so many values. */
#define TACO__RASTERET_CONVERT_VALUES 64

/* ---- from TACO ---- */

/* Warns that a file is left out. */
static void taco__rasteret_convert_leave_out(const taco__rasteret_convert *x, const char *vsi,
                                             taco_error *why)
{
    taco_bytes name = taco__bytes_text(vsi);
    if (!x->options.warn) { return; }
    taco__error_prefix(why, "%q is left out", &name);
    x->options.warn(x->options.warn_ctx, why);
}

/* The header of one file; NULL, with a warning, if it is not a usable TIFF. */
static taco_tiff *taco__rasteret_convert_open_tiff(taco__rasteret_convert *x, const char *vsi,
                                                   taco_error *err)
{
    taco__enrich_asset a;
    taco__arena_free(&x->enrich.arena);
    memset(&a, 0, sizeof a);
    a.href = taco__bytes_text(vsi);
    x->enrich.assets = &a;
    if (!taco__enrich_resolve_href(&x->enrich, &a, err)) { return NULL; }
    taco__enrich_parse_asset(&x->enrich, 0);
    if (!a.tiff && a.err.code == TACO_ERR_MEMORY) { /* not the file's fault */
        if (err) { *err = a.err; }
    } else if (!a.tiff) {
        taco__rasteret_convert_leave_out(x, vsi, &a.err);
    }
    return a.tiff;
}

/* The corners of an image in degrees, counterclockwise from the lower left; longitudes continue
   past 180. UNSUPPORTED if the CRS cannot be converted, CORRUPT if a corner is not on the globe. */
static taco_status taco__rasteret_convert_corners(const taco_tiff_header *h, double xy[8],
                                                  taco_error *err)
{
    static const uint8_t at[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    const int32_t code = taco__projection_epsg_code(h->crs);
    const double *g = h->geotransform;
    taco_bytes crs = taco__bytes_text(h->crs);
    size_t i;
    for (i = 0; i < 4; i++) {
        double x = at[i][0] ? h->image_width : 0, y = at[i][1] ? h->image_height : 0,
               *out = xy + 2 * i;
        if (!taco__projection_inverse_unwrapped(code, g[0] + x * g[1] + y * g[2],
                                                g[3] + x * g[4] + y * g[5], out)) {
            return TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                              "its CRS is %q, must be UTM, web mercator or geographic", &crs);
        }
        if (!taco__projection_clamp(out) &&
            !(out[0] >= -540 && out[0] <= 540 && out[1] >= -90 && out[1] <= 90)) {
            return TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                              "a corner is not on the globe, by its geotransform in %q", &crs);
        }
    }
    return TACO_OK;
}

/* Writes a polygon of four corners. */
static void taco__rasteret_convert_write_ring(const double xy[8], uint8_t *wkb)
{
    size_t i;
    memset(wkb, 0, TACO__RASTERET_CONVERT_RING);
    wkb[0] = wkb[5] = 1; /* little-endian; one ring */
    wkb[1] = TACO__WKB_POLYGON;
    wkb[9] = 5; /* points */
    for (i = 0; i < 5; i++) {
        const double *p = xy + 2 * (i % 4);
        taco__put_le64(wkb + 13 + 16 * i, taco__f64_to_bits(p[0]));
        taco__put_le64(wkb + 21 + 16 * i, taco__f64_to_bits(p[1]));
    }
}

/* Writes a box as a polygon, moved by `turn` degrees. */
static void taco__rasteret_convert_write_box(double west, double south, double east, double north,
                                             double turn, uint8_t *wkb)
{
    double xy[8];
    xy[0] = xy[6] = west + turn;
    xy[2] = xy[4] = east + turn;
    xy[1] = xy[3] = south;
    xy[5] = xy[7] = north;
    taco__rasteret_convert_write_ring(xy, wkb);
}

/* Corners as WKB in -180 to 180, and its length: a polygon, or two boxes where they are on both
   sides of the antimeridian (RFC 7946 3.1.9). Rasteret makes its boxes from the geometry and
   compares them as they are: a box of both sides is all around the globe, and finds the image. */
static size_t taco__rasteret_convert_write_wkb(double xy[8],
                                               uint8_t wkb[TACO__RASTERET_CONVERT_WKB])
{
    double box[4] = {540, 90, -540, -90}, turn, cut;
    size_t i;
    for (i = 0; i < 4; i++) {
        box[0] = TACO__MIN(box[0], xy[2 * i]);
        box[1] = TACO__MIN(box[1], xy[2 * i + 1]);
        box[2] = TACO__MAX(box[2], xy[2 * i]);
        box[3] = TACO__MAX(box[3], xy[2 * i + 1]);
    }
    turn = box[0] >= 180 ? -360 : box[2] <= -180 ? 360 : 0;
    cut = box[0] < -180 ? -180 : 180;
    if (turn < 0 || turn > 0 || (box[0] >= -180 && box[2] <= 180)) {
        for (i = 0; i < 8; i += 2) {
            xy[i] += turn;
        }
        taco__rasteret_convert_write_ring(xy, wkb);
        return TACO__RASTERET_CONVERT_RING;
    }
    memset(wkb, 0, 9);
    wkb[0] = 1;
    wkb[1] = TACO__WKB_MULTIPOLYGON;
    wkb[5] = 2;
    taco__rasteret_convert_write_box(box[0], box[1], cut, box[3], cut < 0 ? 360 : 0, wkb + 9);
    taco__rasteret_convert_write_box(cut, box[1], box[2], box[3], cut < 0 ? 0 : -360,
                                     wkb + 9 + TACO__RASTERET_CONVERT_RING);
    return TACO__RASTERET_CONVERT_WKB;
}

/* The footprint of a file as WKB, and its length; 0 without a usable header or, with a warning, if
   it has no place on the globe. */
static size_t taco__rasteret_convert_footprint(const taco__rasteret_convert *x, const char *vsi,
                                               const taco_tiff *t,
                                               uint8_t wkb[TACO__RASTERET_CONVERT_WKB])
{
    const taco_tiff_header *h = t ? taco_tiff_get(t) : NULL;
    double xy[8];
    taco_error why;
    memset(&why, 0, sizeof why);
    if (!h) { return 0; }
    if (!h->has_geotransform) {
        TACO__FAIL(&why, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET, "it has no georeferencing");
    } else if (taco__rasteret_convert_corners(h, xy, &why) == TACO_OK) {
        return taco__rasteret_convert_write_wkb(xy, wkb);
    }
    taco__rasteret_convert_leave_out(x, vsi, &why);
    return 0;
}

/* Reads the time of a cell: numbers are seconds, as in Tortilla and TACO 0.x, or years in
   `datetime`, as in collections. False for null and, with a warning, for what is not a time. */
static bool taco__rasteret_convert_read_cell(const taco__rasteret_convert *x, taco_cursor *c,
                                             const char *column, bool years, int64_t *us)
{
    const size_t at = taco__cursor_column_find(c, column), row = c->row.row;
    const taco_array *a = at == TACO__NONE ? NULL : &c->row.batch.columns[at];
    taco_bytes name = taco__bytes_text(column);
    taco_error why;
    if (!a || !taco_array_valid(a, row)) { return false; }
    memset(&why, 0, sizeof why);
    if (a->field->type != TACO_TEXT && !years) { return taco__array_read_micros(a, row, us); }
    if (taco__build_values_read_time(a, row, us, &why)) { return true; }
    if (x->options.warn) {
        taco__error_prefix(&why, "%q of %s is not used", &name, taco_cursor_vsi(c));
        x->options.warn(x->options.warn_ctx, &why);
    }
    return false;
}

/* Reads a time column from the row's own level, or else from the deepest level above that has
   it. */
static bool taco__rasteret_convert_read_level_time(const taco__rasteret_convert *x, taco_cursor *c,
                                                   const char *name, uint32_t depth, int64_t *us)
{
    const bool years = strcmp(name, "datetime") == 0;
    char prefixed[40] = "l0:";
    uint32_t l;
    if (taco__rasteret_convert_read_cell(x, c, name, years, us)) { return true; }
    memcpy(prefixed + 3, name, strlen(name) + 1);
    for (l = depth + 1; l-- > 0;) {
        prefixed[1] = (char)('0' + l);
        if (taco__rasteret_convert_read_cell(x, c, prefixed, years, us)) { return true; }
    }
    return false;
}

/* Reads the first time column that has a value. */
static bool taco__rasteret_convert_read_time(const taco__rasteret_convert *x, taco_cursor *c,
                                             uint32_t depth, int64_t *us)
{
    return taco__rasteret_convert_read_level_time(x, c, "stac:time_start", depth, us) ||
           taco__rasteret_convert_read_level_time(x, c, "istac:time_start", depth, us) ||
           taco__rasteret_convert_read_level_time(x, c, "datetime", depth, us);
}

/* Appends the ids from the top level down to the row, joined by '/'. */
static bool taco__rasteret_convert_append_path(taco_cursor *c, uint32_t depth, taco__buf *out,
                                               taco_error *err)
{
    uint32_t l;
    out->len = 0;
    for (l = 0; l <= depth; l++) {
        char name[6] = "l0:id";
        const char *id;
        name[1] = (char)('0' + l);
        id = taco_cursor_text(c, depth ? name : "id");
        if (id && ((out->len && !taco__buf_append_char(out, '/', err)) ||
                   !taco__buf_append_text(out, id, err))) {
            return false;
        }
    }
    return true;
}

/* Sets how many files may be opened: a table whose values take no room names as many as it says. */
static bool taco__rasteret_convert_set_most(taco__rasteret_convert *x, taco_dataset *ds,
                                            uint32_t depth, taco_error *err)
{
    const uint64_t limit = x->options.limits.max_values / TACO__RASTERET_CONVERT_VALUES + 1;
    size_t i;
    for (i = 0; i < ds->container_count; i++) {
        const taco__level *l = taco__container_level(&ds->stores[i], depth, err);
        uint64_t more;
        if (!l) { return false; }
        more = taco__expansion_total(limit, l->table.pq ? l->table.pq->part.size : 0);
        x->most += TACO__MIN(more, UINT64_MAX - x->most);
    }
    return true;
}

/* Counts a file before it is opened. */
static bool taco__rasteret_convert_count_file(taco__rasteret_convert *x, taco_error *err)
{
    if (x->opened < x->most) {
        x->opened++;
        return true;
    }
    TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
               "%s: more than %u samples to open, limits.max_values is %u for each MiB of their "
               "table",
               x->dataset, x->most, x->options.limits.max_values);
    return false;
}

/* Adds the record of one row of the cursor; a file that is not a usable TIFF is skipped. */
static bool taco__rasteret_convert_add_record(taco__rasteret_convert *x, taco_cursor *c,
                                              uint32_t depth, taco__buf *text, taco_error *err)
{
    taco__array_builder *to = x->columns;
    uint8_t wkb[TACO__RASTERET_CONVERT_WKB];
    int64_t us;
    taco_tiff *t;
    size_t len;
    if (!taco__rasteret_convert_count_file(x, err)) { return false; }
    t = taco__rasteret_convert_open_tiff(x, taco_cursor_vsi(c), err);
    len = taco__rasteret_convert_footprint(x, taco_cursor_vsi(c), t, wkb);
    taco_tiff_close(t);
    if (!len) { return !err || err->code == TACO_OK; }
    return taco__rasteret_convert_append_path(c, depth, text, err) &&
           taco__array_builder_append_bytes(&to[TACO__RASTERET_CONVERT_ID],
                                            taco__bytes_of(text->data, text->len), err) &&
           (taco__rasteret_convert_read_time(x, c, depth, &us)
                ? taco__array_builder_append_int(&to[TACO__RASTERET_CONVERT_TIME], us, err)
                : taco__array_builder_append_null(&to[TACO__RASTERET_CONVERT_TIME], err)) &&
           taco__array_builder_append_bytes(&to[TACO__RASTERET_CONVERT_GEOMETRY],
                                            taco__bytes_of(wkb, len), err) &&
           taco__array_builder_append_text(&to[TACO__RASTERET_CONVERT_VSI], taco_cursor_vsi(c),
                                           err);
}

/* Adds the records of all FILEs of the deepest level. NOT_FOUND if there is none to add. */
static bool taco__rasteret_convert_add_records(taco__rasteret_convert *x, const char *dataset,
                                               taco_error *err)
{
    taco_dataset *ds = taco_open(dataset, &x->options, err);
    uint32_t depth = ds ? taco_levels(ds) - 1 : 0;
    taco_cursor *c;
    taco_query q;
    taco__buf text;
    bool ok = true;
    memset(&q, 0, sizeof q);
    memset(&text, 0, sizeof text);
    text.mem = &x->mem;
    q.table = depth;
    q.flat = depth > 0;
    c = ds ? taco_select(ds, &q, err) : NULL;
    x->dataset = dataset;
    ok = c && taco__rasteret_convert_set_most(x, ds, depth, err);
    while (ok && c && taco_cursor_next(c)) {
        ok = taco__rasteret_convert_add_record(x, c, depth, &text, err);
    }
    ok = taco_cursor_close(c, err) == TACO_OK && c && ok;
    taco_close(ds);
    taco__buf_free(&text);
    if (ok && !x->columns[0].length) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                   "%s: no FILE of the deepest level is a tiled TIFF in a known CRS", dataset);
        ok = false;
    }
    return ok;
}

/* Writes the records as a Parquet file in memory. */
static bool taco__rasteret_convert_write_records(taco__rasteret_convert *x, taco_sink *sink,
                                                 taco_error *err)
{
    taco_array arrays[TACO__RASTERET_CONVERT_COLUMNS];
    taco_batch batch;
    taco_pq_writer *w;
    size_t i;
    for (i = 0; i < TACO__RASTERET_CONVERT_COLUMNS; i++) {
        taco__array_builder_view(&x->columns[i], &arrays[i]);
    }
    memset(&batch, 0, sizeof batch);
    batch.length = x->columns[0].length;
    batch.columns = arrays;
    batch.column_count = TACO__RASTERET_CONVERT_COLUMNS;
    if (taco_sink_memory(sink, &x->options, err) != TACO_OK) { return false; }
    w = taco_pq_write(sink, x->fields, TACO__RASTERET_CONVERT_COLUMNS, NULL, err);
    if (w && batch.length) { taco_pq_writer_batch(w, &batch); }
    return w && taco_pq_writer_close(w, err) == TACO_OK;
}

/* taco__rasteret_convert_free must be called even if this fails. */
static bool taco__rasteret_convert_init(taco__rasteret_convert *x, const taco_rasteret_options *opt,
                                        taco_error *err)
{
    size_t i;
    memset(x, 0, sizeof *x);
    taco__mem_init(&x->mem, opt->options);
    taco__options_init(&x->options, opt->options);
    x->arena.mem = x->enrich.mem = x->enrich.arena.mem = &x->mem;
    x->enrich.options = &x->options;
    x->enrich.base = opt->base ? opt->base : "";
    x->fields[TACO__RASTERET_CONVERT_ID] = taco__field_make("id", TACO_TEXT);
    x->fields[TACO__RASTERET_CONVERT_TIME] = taco__field_make("datetime", TACO_TIMESTAMP);
    x->fields[TACO__RASTERET_CONVERT_GEOMETRY] = taco__field_make("geometry", TACO_BINARY);
    x->fields[TACO__RASTERET_CONVERT_VSI] = taco__field_make("taco:vsi", TACO_TEXT);
    for (i = 0; i < TACO__RASTERET_CONVERT_COLUMNS; i++) {
        if (!taco__array_builder_init(&x->columns[i], &x->fields[i], &x->mem, &x->arena, err)) {
            return false;
        }
    }
    return true;
}

static void taco__rasteret_convert_free(taco__rasteret_convert *x)
{
    size_t i;
    for (i = 0; i < TACO__RASTERET_CONVERT_COLUMNS; i++) {
        taco__array_builder_free(&x->columns[i]);
    }
    taco__arena_free(&x->enrich.arena);
    taco__arena_free(&x->arena);
}

/* Makes the collection, with one enriched band, from the paths in taco:vsi. */
static void taco__rasteret_convert_build(const char *dataset, const taco_sink *records,
                                         const char *target, const taco_rasteret_options *opt,
                                         taco_error *err)
{
    static const taco_rasteret_band band = {"data", 0};
    taco_rasteret_options o = *opt;
    taco_bytes bytes = taco_sink_bytes(records);
    taco_source src;
    o.rename_count = o.rewrite_count = 0;
    o.href_column = "taco:vsi";
    o.bands = &band;
    o.band_count = 1;
    o.enrich = true;
    taco_source_memory(&src, bytes.data, bytes.len);
    (void)taco__build_collection(dataset, &src, target, &o, err);
}

TACO_API taco_status taco_rasteret_from_taco(const char *dataset, const char *target,
                                             const taco_rasteret_options *opt, taco_error *err)
{
    taco_rasteret_options defaults;
    taco__rasteret_convert x;
    taco_sink sink;
    taco_error own;
    err = taco__error_fresh(err, NULL);
    memset(&defaults, 0, sizeof defaults);
    memset(&own, 0, sizeof own);
    memset(&sink, 0, sizeof sink);
    opt = opt ? opt : &defaults;
    if (!dataset || !target) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given",
                          dataset ? "target" : "dataset");
    }
    if (taco__rasteret_convert_init(&x, opt, &own) &&
        taco__rasteret_convert_add_records(&x, dataset, &own) &&
        taco__rasteret_convert_write_records(&x, &sink, &own)) {
        taco__rasteret_convert_build(dataset, &sink, target, opt, &own);
    }
    if (sink.ctx) { taco_sink_free(&sink); }
    taco__rasteret_convert_free(&x);
    if (err && err->code == TACO_OK && own.code != TACO_OK) { *err = own; }
    return own.code;
}

/* ---- to TACO ---- */

/* The path of a record's first band: taco:vsi, else its href. */
static taco_bytes taco__rasteret_convert_asset_path(const taco_batch *b, size_t row)
{
    taco_bytes href = taco__bytes_of(NULL, 0);
    int64_t index;
    size_t i;
    for (i = 0; i < b->column_count; i++) {
        const taco_array *a = &b->columns[i];
        if (strcmp(a->field->name, "taco:vsi") == 0 && a->field->type == TACO_TEXT &&
            taco_array_valid(a, row)) {
            return taco_array_bytes(a, row);
        }
        if (strcmp(a->field->name, "assets") == 0 && a->field->type == TACO_STRUCT &&
            a->field->child_count && taco_array_valid(a, row)) {
            (void)taco__enrich_read_asset(&a->children[0], row, &href, &index);
        }
    }
    return href;
}

/* The column of that name; NULL if the batch has none. */
static const taco_array *taco__rasteret_convert_column(const taco_batch *b, const char *name)
{
    size_t i;
    for (i = b->column_count; i-- > 0;) {
        if (strcmp(b->columns[i].field->name, name) == 0) { return &b->columns[i]; }
    }
    return NULL;
}

/* Opens the file of a record; *name is its id, in the arena of the asset. */
static bool taco__rasteret_convert_open_record(taco__rasteret_convert *x, const taco_array *id,
                                               size_t row, taco__enrich_asset *a, taco_source *src,
                                               char **name, taco_error *err)
{
    *name = id ? taco__arena_text(&x->enrich.arena, taco_array_bytes(id, row), err) : NULL;
    if (*name && taco__enrich_resolve_href(&x->enrich, a, err) &&
        taco__source_open_path(&x->options, a->path, src, err)) {
        return true;
    }
    taco__error_prefix(err, "record %s", *name ? *name : "without an id");
    return false;
}

/* Adds the bytes of an asset as a sample; its id is the record's, with slashes replaced by dots. */
static bool taco__rasteret_convert_add_file(taco_writer *w, char *name, const taco_source *src,
                                            const taco__enrich_asset *a)
{
    char *p;
    for (p = name; *p; p++) {
        *p = *p == '/' ? '.' : *p;
    }
    return taco_writer_range(w, name, src, a->offset, a->size || a->offset ? a->size : src->size) ==
           TACO_OK;
}

/* Sets the stac: columns of the last sample. They stay null if the header's CRS cannot be
   converted, or the record has no time. False if the time is invalid. */
static bool taco__rasteret_convert_set_stac(taco__rasteret_convert *x, taco_writer *w,
                                            taco__enrich_asset *a, const taco_array *when,
                                            size_t row, taco_error *err)
{
    taco_stac s;
    int64_t us;
    x->enrich.assets = a;
    taco__enrich_parse_asset(&x->enrich, 0);
    if (a->err.code == TACO_ERR_MEMORY && err) { *err = a->err; }
    if (a->tiff && when && taco__build_values_read_time(when, row, &us, err) &&
        taco_stac_tiff(a->tiff, &s, NULL) == TACO_OK) {
        s.time_start = us;
        (void)taco_writer_set_stac(w, &s, NULL);
    }
    taco_tiff_close(a->tiff);
    return !err || err->code == TACO_OK;
}

/* Adds the file of a record, with its stac: columns. */
static bool taco__rasteret_convert_add_sample(taco__rasteret_convert *x, taco_writer *w,
                                              const taco_batch *b, size_t row, taco_error *err)
{
    const taco_array *id = taco__rasteret_convert_column(b, "id");
    const taco_array *when = taco__rasteret_convert_column(b, "datetime");
    taco__enrich_asset a;
    taco_source src;
    char *name;
    bool ok;
    taco__arena_free(&x->enrich.arena);
    memset(&a, 0, sizeof a);
    a.href = taco__rasteret_convert_asset_path(b, row);
    if (!taco__rasteret_convert_open_record(x, id, row, &a, &src, &name, err)) { return false; }
    ok = taco__rasteret_convert_add_file(w, name, &src, &a);
    if (src.close) { src.close(src.ctx); }
    return ok && taco__rasteret_convert_set_stac(x, w, &a, when, row, err);
}

/* Adds the records of a collection to a writer. Failures of the writer itself are reported when it
   is closed. */
static void taco__rasteret_convert_add_samples(taco__rasteret_convert *x, taco_cursor *rows,
                                               taco_writer *w, taco_error *err)
{
    taco_batch b;
    size_t i;
    bool ok = true;
    while (ok && taco_cursor_batch(rows, &b)) {
        for (i = 0; ok && i < b.length; i++) {
            ok = taco__rasteret_convert_add_sample(x, w, &b, i, err);
        }
    }
}

/* Reads the collection at source and writes the dataset. */
static void taco__rasteret_convert_write_taco(taco__rasteret_convert *x, const char *source,
                                              const char *target, const char *collection,
                                              const taco_create_options *create, taco_error *err)
{
    taco_dataset *ds = taco_open(source, &x->options, err);
    bool typed = ds && taco__contract_check_types(ds, err);
    taco_cursor *rows = typed ? taco_select(ds, NULL, err) : NULL;
    taco_writer *w = rows ? taco_create(target, create, err) : NULL;
    if (w && taco_writer_collection(w, collection, strlen(collection)) == TACO_OK &&
        taco_writer_stac_columns(w, 0) == TACO_OK) {
        taco__rasteret_convert_add_samples(x, rows, w, err);
    }
    taco_cursor_close(rows, err);
    if (ds && !typed) { taco__error_prefix(err, "%s", source); }
    if (err->code != TACO_OK) {
        taco_writer_abort(w);
    } else if (w) {
        taco_writer_finish(w, err);
    }
    taco_close(ds);
}

TACO_API taco_status taco_rasteret_to_taco(const char *source, const char *target,
                                           const char *collection, const taco_rasteret_options *opt,
                                           const taco_create_options *create, taco_error *err)
{
    taco_rasteret_options defaults;
    taco_create_options c;
    taco__rasteret_convert x;
    taco_error own;
    err = taco__error_fresh(err, NULL);
    memset(&defaults, 0, sizeof defaults);
    memset(&own, 0, sizeof own);
    memset(&c, 0, sizeof c);
    opt = opt ? opt : &defaults;
    if (create) { c = *create; }
    c.options = c.options ? c.options : opt->options;
    c.fill = true;
    if (!source || !target || !collection) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "a source, a target and a collection are wanted");
    }
    if (taco__rasteret_convert_init(&x, opt, &own)) {
        x.options.openers = taco__rasteret_openers();
        taco__rasteret_convert_write_taco(&x, source, target, collection, &c, &own);
    }
    taco__rasteret_convert_free(&x);
    if (err && err->code == TACO_OK && own.code != TACO_OK) { *err = own; }
    return own.code;
}
/* ==== src/rasteret/check.c ==== */
/* check.c - taco_validate of a Rasteret collection: types of columns, then one pass over the rows

   In: an open dataset, which therefore has the required columns; out: problems in taco__findings,
   each with the tier of the contract that it breaks. A type that Rasteret cannot read is an error,
   an integer of another width a warning. Values of rows are in check_rows.c, those of
   {band}_metadata in check_metadata.c. Spec: Rasteret's schema contract, tiers 1 and 2. What the
   library itself writes without complaint (a record without a time, a box supplied by the caller)
   is a warning. Start reading at taco__rasteret_check. */
/* #include "rasteret.h" */
/* #include "../base/base.h" */
/* #include "../base/json.h" */
/* #include "../dataset/dataset.h" */
/* #include "../validate/validate.h" */

/* The rule for the type of a column. */
typedef enum taco__rasteret_check_kind {
    TACO__RASTERET_CHECK_CORE,   /* checked by taco__contract_check_type */
    TACO__RASTERET_CHECK_TIME,   /* a timestamp, or text in ISO 8601 */
    TACO__RASTERET_CHECK_LIST,   /* scene_bbox */
    TACO__RASTERET_CHECK_STRUCT, /* bbox */
    TACO__RASTERET_CHECK_EDGE,   /* double */
    TACO__RASTERET_CHECK_INTEGER
} taco__rasteret_check_kind;

/* The columns that have rules, in the order of taco__rasteret_records.column. */
static const struct {
    const char *name;
    taco__rasteret_check_kind kind;
} taco__rasteret_check_list[TACO__RASTERET_COLUMNS] = {
    {"id", TACO__RASTERET_CHECK_CORE},
    {"datetime", TACO__RASTERET_CHECK_CORE},
    {"geometry", TACO__RASTERET_CHECK_CORE},
    {"assets", TACO__RASTERET_CHECK_CORE},
    {"start_datetime", TACO__RASTERET_CHECK_TIME},
    {"end_datetime", TACO__RASTERET_CHECK_TIME},
    {"scene_bbox", TACO__RASTERET_CHECK_LIST},
    {"bbox", TACO__RASTERET_CHECK_STRUCT},
    {"bbox_minx", TACO__RASTERET_CHECK_EDGE},
    {"bbox_miny", TACO__RASTERET_CHECK_EDGE},
    {"bbox_maxx", TACO__RASTERET_CHECK_EDGE},
    {"bbox_maxy", TACO__RASTERET_CHECK_EDGE},
    {"year", TACO__RASTERET_CHECK_INTEGER},
    {"month", TACO__RASTERET_CHECK_INTEGER},
    {"proj:epsg", TACO__RASTERET_CHECK_INTEGER}};

TACO__FN bool taco__rasteret_check_is_integer(const taco_field *f)
{
    return f->type >= TACO_INT8 && f->type <= TACO_UINT64;
}

/* The expected type of a column; NULL if the column has it. */
static const char *taco__rasteret_check_expected(taco__rasteret_check_kind kind,
                                                 const taco_field *f)
{
    size_t at[4];
    switch (kind) {
    case TACO__RASTERET_CHECK_TIME:
        return f->type == TACO_TIMESTAMP || f->type == TACO_TEXT ? NULL : "a timestamp";
    case TACO__RASTERET_CHECK_LIST:
        return taco__contract_is_bbox_list(f) ? NULL : "a list of four doubles";
    case TACO__RASTERET_CHECK_STRUCT:
        return taco__contract_find_bbox(f, at) ? NULL
                                               : "a struct of doubles xmin, ymin, xmax, ymax";
    case TACO__RASTERET_CHECK_EDGE: return f->type == TACO_DOUBLE ? NULL : "double";
    case TACO__RASTERET_CHECK_INTEGER:
        return taco__rasteret_check_is_integer(f) ? NULL : "an integer";
    default: return NULL;
    }
}

TACO__FN const taco_field *taco__rasteret_check_child(const taco_field *f, const char *name,
                                                      size_t *at)
{
    uint32_t k;
    for (k = 0; k < f->child_count; k++) {
        if (strcmp(f->children[k].name, name) == 0) {
            *at = k;
            return &f->children[k];
        }
    }
    return NULL;
}

/* Each asset must be a struct of href and optionally band_index, or text, which Rasteret also
   reads. */
static void taco__rasteret_check_assets(taco__findings *f, const taco_field *assets)
{
    static const char clause[] = "Rasteret contract, tier 1, assets";
    uint32_t k;
    for (k = 0; k < assets->child_count; k++) {
        const taco_field *asset = &assets->children[k], *href, *index;
        taco_bytes name = taco__bytes_text(asset->name);
        size_t at;
        if (asset->type == TACO_TEXT || asset->type == TACO_NULL) { continue; }
        href = taco__rasteret_check_child(asset, "href", &at);
        index = taco__rasteret_check_child(asset, "band_index", &at);
        if (asset->type != TACO_STRUCT || !href || href->type != TACO_TEXT) {
            TACO__FINDINGS_CLAUSE(f, true, clause, "asset %q has no href of text", &name);
        } else if (index && index->type != TACO_NULL && !taco__rasteret_check_is_integer(index)) {
            TACO__FINDINGS_CLAUSE(f, true, clause, "asset %q: band_index must be an integer",
                                  &name);
        }
    }
}

/* Checks the type of one column. */
static void taco__rasteret_check_field(taco__findings *f, const taco_field *field)
{
    taco_error e;
    size_t k;
    memset(&e, 0, sizeof e);
    for (k = 0; k < TACO__COUNT(taco__rasteret_check_list); k++) {
        if (strcmp(field->name, taco__rasteret_check_list[k].name) == 0) { break; }
    }
    if (!taco__contract_check_type(field, &e)) {
        f->clause = "Rasteret contract, tier 1";
        taco__findings_report(f, true, &e);
        f->clause = NULL;
    } else if (strcmp(field->name, "assets") == 0) {
        taco__rasteret_check_assets(f, field);
    } else if (k < TACO__COUNT(taco__rasteret_check_list)) {
        const char *expected =
            taco__rasteret_check_expected(taco__rasteret_check_list[k].kind, field);
        if (expected) {
            TACO__FINDINGS_CLAUSE(f, true, "Rasteret contract, derived columns",
                                  "column %s must be %s", field->name, expected);
        }
    } else if (taco__container_ends_with(field->name, "_metadata")) {
        taco__rasteret_metadata_check_field(f, field);
    }
}

/* ---- the rows ---- */

/* Selects the columns to read: those with rules, and {band}_metadata. Returns how many. */
static size_t taco__rasteret_check_select(const taco_field *fields, size_t n,
                                          taco__query_column *items)
{
    size_t i, k, count = 0;
    for (i = 0; i < n; i++) {
        bool wanted = taco__container_ends_with(fields[i].name, "_metadata");
        for (k = 0; k < TACO__COUNT(taco__rasteret_check_list); k++) {
            wanted = wanted || strcmp(fields[i].name, taco__rasteret_check_list[k].name) == 0;
        }
        if (wanted) { items[count++].name = fields[i].name; }
    }
    return count;
}

/* Sets r->column to the columns of a batch. */
static void taco__rasteret_check_find(taco__rasteret_records *r, const taco_batch *b)
{
    size_t i, k;
    memset(r->column, 0, sizeof r->column);
    r->batch = b;
    for (i = 0; i < b->column_count; i++) {
        for (k = 0; k < TACO__COUNT(taco__rasteret_check_list); k++) {
            const taco_field *f = b->columns[i].field;
            taco_error e;
            memset(&e, 0, sizeof e);
            if (strcmp(f->name, taco__rasteret_check_list[k].name) == 0 &&
                !taco__rasteret_check_expected(taco__rasteret_check_list[k].kind, f) &&
                taco__contract_check_type(f, &e)) {
                r->column[k] = &b->columns[i];
            }
        }
    }
}

/* Checks all rows, batch by batch. */
static bool taco__rasteret_check_scan(taco_dataset *ds, taco__rasteret_records *r,
                                      const taco_field *fields, size_t n, taco_error *err)
{
    taco__query q;
    taco_cursor *c;
    taco_batch b;
    taco__query_column *items =
        (taco__query_column *)taco__arena_array(&r->arena, n + 1, sizeof *items, err);
    bool ok = true;
    if (!items) { return false; }
    memset(&q, 0, sizeof q);
    q.select.items = items;
    q.select.count = taco__rasteret_check_select(fields, n, items);
    q.select.given = true;
    c = taco__select_open(ds, &q, NULL, err);
    while (ok && c && !r->f->stop && taco_cursor_batch(c, &b)) {
        taco__rasteret_check_find(r, &b);
        ok = taco__rasteret_rows_check(r, err);
        r->first += b.length;
    }
    return taco_cursor_close(c, err) == TACO_OK && c != NULL && ok;
}

/* True for a CRS in degrees, longitude first: none named (CRS84), OGC:CRS84 or EPSG:4326 as
   PROJJSON. null says that it is unknown. */
static bool taco__rasteret_check_is_crs84(const taco__json *crs)
{
    const taco__json *id = taco__json_get(crs, "id"), *code = taco__json_get(id, "code");
    int64_t number = 0;
    if (!id) { return !taco__json_is(crs, TACO__JSON_NULL); }
    return taco__json_equals(code, "CRS84") || taco__json_equals(code, "4326") ||
           (taco__json_int(code, &number) && number == 4326);
}

/* The document of GeoParquet, which must declare the column geometry to be WKB in CRS84. */
static void taco__rasteret_check_geo_document(taco__findings *f, const taco__json *root)
{
    static const char clause[] = "Rasteret contract, GeoParquet";
    const taco__json *column = taco__json_get(taco__json_get(root, "columns"), "geometry");
    const taco__json *encoding = taco__json_get(column, "encoding");
    taco_bytes text = taco__json_bytes(encoding);
    if (!taco__json_is(column, TACO__JSON_OBJECT)) {
        TACO__FINDINGS_CLAUSE(f, true, clause, "geo does not describe the column geometry");
        return;
    }
    if (!taco__json_equals(encoding, "WKB")) {
        TACO__FINDINGS_CLAUSE(f, true, clause, "the encoding of geometry is %q, must be WKB",
                              &text);
    }
    if (!taco__rasteret_check_is_crs84(taco__json_get(column, "crs"))) {
        TACO__FINDINGS_CLAUSE(f, false, clause, "the CRS of geometry is not CRS84");
    }
    if (!taco__json_equals(taco__json_get(root, "primary_column"), "geometry")) {
        TACO__FINDINGS_CLAUSE(f, false, clause, "primary_column is not geometry");
    }
}

/* Checks GeoParquet's metadata. */
static bool taco__rasteret_check_geo(taco_dataset *ds, taco__findings *f, taco_error *err)
{
    static const char clause[] = "Rasteret contract, GeoParquet";
    taco__level *l = taco__container_level(&ds->stores[0], 0, err);
    taco__arena arena;
    taco__json_doc doc;
    taco_bytes text;
    taco_error e;
    if (!l) { return false; }
    memset(&arena, 0, sizeof arena);
    memset(&e, 0, sizeof e);
    arena.mem = &ds->mem;
    text = taco_pq_key_value(&l->pq, "geo");
    taco__findings_set_place(f, "key-value metadata");
    if (!text.len) {
        TACO__FINDINGS_CLAUSE(f, false, clause, "there is no key geo");
    } else if (taco__json_parse(&arena, text, &ds->options.limits, &doc, &e) == TACO_OK) {
        taco__rasteret_check_geo_document(f, doc.root);
    } else if (taco__error_is_of_machine(&e)) {
        *err = e;
    } else {
        TACO__FINDINGS_CLAUSE(f, true, clause, "geo is no JSON: %s", e.text);
    }
    taco__arena_free(&arena);
    return err->code == TACO_OK;
}

TACO__FN bool taco__rasteret_check(taco_dataset *ds, taco__findings *f, taco_error *err)
{
    taco__rasteret_records r;
    taco_error e;
    size_t n, i;
    const taco_field *fields = taco_level_fields(ds, 0, &n, err);
    bool ok;
    if (!fields || !taco__rasteret_check_geo(ds, f, err)) { return false; }
    taco__findings_set_place(f, "columns");
    for (i = 0; i < n; i++) {
        taco__rasteret_check_field(f, &fields[i]);
    }
    memset(&r, 0, sizeof r);
    memset(&e, 0, sizeof e);
    r.f = f;
    r.ids.mem = r.arena.mem = &ds->mem;
    ok = taco__rasteret_check_scan(ds, &r, fields, n, &e);
    if (!ok) {
        taco__findings_set_place(f, "rows");
        ok = taco__findings_take_error(f, &e);
        if (!ok) { *err = e; }
    }
    taco__findings_end_table(f, "rows");
    taco__hash_map_free(&r.ids);
    taco__arena_free(&r.arena);
    return ok;
}
/* ==== src/rasteret/check_rows.c ==== */
/* check_rows.c - the records of a Rasteret collection, checked against tier 1 of its contract

   In: a batch of rows, by the columns that have rules; out: problems in taco__findings. Each record
   needs a unique id, a time or a span, a footprint in WKB, and assets with an href; boxes, year and
   month must agree with geometry and datetime. Spec: Rasteret's schema contract. */
/* #include "rasteret.h" */
/* #include "../base/base.h" */
/* #include "../geo/geo.h" */
/* #include "../validate/validate.h" */

/* Reports a breach in row i of the batch; the place is only formatted then. */
#define TACO__RASTERET_ROW(r, error, clause, i, ...)                                               \
    do {                                                                                           \
        taco__findings_set_place((r)->f, "row %u", TACO__U((r)->first + (i)));                     \
        TACO__FINDINGS_CLAUSE((r)->f, error, clause, __VA_ARGS__);                                 \
    } while (0)

/* ---- id ---- */

/* The id must be unique. Ids are copied, as the map borrows their bytes. */
static bool taco__rasteret_rows_id(taco__rasteret_records *r, size_t i, taco_error *err)
{
    static const char clause[] = "Rasteret contract, tier 1, id";
    taco_bytes id = taco_array_bytes(r->column[TACO__RASTERET_ID], i);
    taco__hash_slot *slot;
    bool added;
    if (!id.len) {
        TACO__RASTERET_ROW(r, true, clause, i, "no id");
        return true;
    }
    slot = taco__hash_map_add(&r->ids, id, &added, err);
    if (!slot) { return false; }
    if (!added) {
        TACO__RASTERET_ROW(r, true, clause, i, "the id %q is that of row %u, too", &id,
                           slot->value);
        return true;
    }
    slot->value = r->first + i;
    slot->key.data = (const uint8_t *)taco__arena_text(&r->arena, id, err);
    return slot->key.data != NULL;
}

/* ---- time ---- */

/* A time in microseconds; false if it is missing or unreadable. */
static bool taco__rasteret_rows_time(const taco_array *a, size_t i, int64_t *us)
{
    taco_error e;
    memset(&e, 0, sizeof e);
    return a && taco_array_valid(a, i) && taco__build_values_read_time(a, i, us, &e);
}

/* A row needs datetime, or a span that does not end before it starts; year and month must be those
   of datetime. */
static void taco__rasteret_rows_times(taco__rasteret_records *r, size_t i)
{
    static const char clause[] = "Rasteret contract, tier 1, datetime";
    static const char derived[] = "Rasteret contract, derived columns";
    const taco_array *year = r->column[TACO__RASTERET_YEAR];
    const taco_array *month = r->column[TACO__RASTERET_MONTH];
    int64_t at = 0, start = 0, end = 0;
    bool begins = taco__rasteret_rows_time(r->column[TACO__RASTERET_START], i, &start);
    bool ends = taco__rasteret_rows_time(r->column[TACO__RASTERET_END], i, &end);
    if (begins && ends && end < start) {
        TACO__RASTERET_ROW(r, true, clause, i, "end_datetime lies before start_datetime");
    }
    if (!r->column[TACO__RASTERET_DATETIME]) { return; }
    if (!taco__rasteret_rows_time(r->column[TACO__RASTERET_DATETIME], i, &at)) {
        if (!begins || !ends) {
            TACO__RASTERET_ROW(r, false, clause, i,
                               "no datetime, and no start_datetime and end_datetime for it");
        }
        return;
    }
    if (year && taco_array_valid(year, i)) {
        taco__time_civil day =
            taco__time_date_from_days(taco__time_floor_div(at, TACO__TIME_DAY_MICROS));
        if (taco_array_int(year, i) != day.year ||
            (month && taco_array_valid(month, i) && taco_array_int(month, i) != day.month)) {
            TACO__RASTERET_ROW(r, false, derived, i,
                               "year and month differ from those of datetime, %d-%d",
                               TACO__D(day.year), TACO__D(day.month));
        }
    }
}

/* ---- footprint and boxes ---- */

/* A box has four numbers, minima before maxima, equal to the bounds of the geometry if it has
   any. */
static void taco__rasteret_rows_box(taco__rasteret_records *r, size_t i, const char *name,
                                    const double box[4], const double *bounds)
{
    static const char clause[] = "Rasteret contract, derived columns";
    size_t k;
    bool same = true;
    if (!(box[0] <= box[2] && box[1] <= box[3])) {
        TACO__RASTERET_ROW(r, true, clause, i, "%s must be minx, miny, maxx, maxy", name);
        return;
    }
    for (k = 0; bounds && k < 4; k++) {
        double off = box[k] - bounds[k];
        same = same && off <= 1e-5 && off >= -1e-5;
    }
    if (!same) {
        TACO__RASTERET_ROW(r, false, clause, i, "%s are not the bounds of the geometry", name);
    }
}

/* scene_bbox must be a list of exactly four. */
static void taco__rasteret_rows_list(taco__rasteret_records *r, size_t i, const double *bounds)
{
    const taco_array *a = r->column[TACO__RASTERET_SCENE_BBOX];
    double box[4] = {0, 0, 0, 0};
    size_t from, n, k;
    if (!a || !taco_array_valid(a, i)) { return; }
    from = (size_t)a->offsets[i];
    n = (size_t)a->offsets[i + 1] - from;
    for (k = 0; k < n && k < 4 && taco_array_valid(&a->children[0], from + k); k++) {
        box[k] = taco_array_double(&a->children[0], from + k);
    }
    if (n != 4 || k != 4) {
        TACO__RASTERET_ROW(r, true, "Rasteret contract, derived columns", i,
                           "scene_bbox has %u numbers, must be 4", TACO__U(TACO__MIN(n, k)));
    } else {
        taco__rasteret_rows_box(r, i, "scene_bbox", box, bounds);
    }
}

/* Reads four columns or members as a box; false if one of them is null. */
static bool taco__rasteret_rows_read_edges(const taco_array *const edge[4], size_t i, double box[4])
{
    size_t k;
    for (k = 0; k < 4; k++) {
        if (!edge[k] || !taco_array_valid(edge[k], i)) { return false; }
        box[k] = taco_array_double(edge[k], i);
    }
    return true;
}

/* Checks the struct bbox, and the columns bbox_minx to bbox_maxy. */
static void taco__rasteret_rows_edges(taco__rasteret_records *r, size_t i, const double *bounds)
{
    const taco_array *a = r->column[TACO__RASTERET_BBOX], *edge[4];
    double box[4];
    size_t at[4], k;
    if (a && taco_array_valid(a, i) && taco__contract_find_bbox(a->field, at)) {
        for (k = 0; k < 4; k++) {
            edge[k] = &a->children[at[k]];
        }
        if (taco__rasteret_rows_read_edges(edge, i, box)) {
            taco__rasteret_rows_box(r, i, "bbox", box, bounds);
        }
    }
    for (k = 0; k < 4; k++) {
        edge[k] = r->column[TACO__RASTERET_MINX + k];
    }
    if (taco__rasteret_rows_read_edges(edge, i, box)) {
        taco__rasteret_rows_box(r, i, "bbox_minx to bbox_maxy", box, bounds);
    }
}

/* The geometry must be WKB in degrees. Checks the boxes too. */
static void taco__rasteret_rows_place(taco__rasteret_records *r, size_t i)
{
    static const char clause[] = "Rasteret contract, tier 1, geometry";
    const taco_array *a = r->column[TACO__RASTERET_GEOMETRY];
    const double *bounds = NULL;
    double b[4];
    bool empty = true;
    taco_error e;
    memset(&e, 0, sizeof e);
    if (a && !taco_array_valid(a, i)) {
        TACO__RASTERET_ROW(r, false, clause, i, "no geometry");
    } else if (a && taco__wkb_bounds(taco_array_bytes(a, i), b, &empty, &e) != TACO_OK) {
        TACO__RASTERET_ROW(r, true, clause, i, "geometry is not WKB: %s", e.text);
    } else if (a && !empty) {
        bounds = b;
        if (!(b[0] >= -180 && b[2] <= 180 && b[1] >= -90 && b[3] <= 90)) {
            TACO__RASTERET_ROW(r, false, clause, i, "geometry is not in degrees of CRS84");
        }
    }
    taco__rasteret_rows_list(r, i, bounds);
    taco__rasteret_rows_edges(r, i, bounds);
}

/* ---- assets ---- */

/* An asset needs an href, and its band_index must not be negative. */
static void taco__rasteret_rows_asset(taco__rasteret_records *r, const taco_array *asset, size_t i)
{
    static const char clause[] = "Rasteret contract, tier 1, assets";
    taco_bytes name = taco__bytes_text(asset->field->name), href;
    int64_t index = 0;
    if (!taco__enrich_read_asset(asset, i, &href, &index) || !href.len) {
        TACO__RASTERET_ROW(r, true, clause, i, "asset %q has no href", &name);
    } else if (index < 0) {
        TACO__RASTERET_ROW(r, true, clause, i, "asset %q: band_index is %d, must be 0 or more",
                           &name, TACO__D(index));
    }
}

/* A record needs at least one asset. */
static void taco__rasteret_rows_assets(taco__rasteret_records *r, size_t i)
{
    const taco_array *a = r->column[TACO__RASTERET_ASSETS];
    uint32_t k;
    size_t n = 0;
    for (k = 0; a && taco_array_valid(a, i) && k < a->field->child_count; k++) {
        if (a->children[k].field->type != TACO_NULL && taco_array_valid(&a->children[k], i)) {
            taco__rasteret_rows_asset(r, &a->children[k], i);
            n++;
        }
    }
    if (a && !n) {
        TACO__RASTERET_ROW(r, !taco_array_valid(a, i), "Rasteret contract, tier 1, assets", i,
                           "no assets");
    }
}

TACO__FN bool taco__rasteret_rows_check(taco__rasteret_records *r, taco_error *err)
{
    size_t i, k;
    for (i = 0; i < r->batch->length && !r->f->stop; i++) {
        if (r->column[TACO__RASTERET_ID] && !taco__rasteret_rows_id(r, i, err)) { return false; }
        taco__rasteret_rows_times(r, i);
        taco__rasteret_rows_place(r, i);
        taco__rasteret_rows_assets(r, i);
        for (k = 0; k < r->batch->column_count; k++) {
            const taco_array *a = &r->batch->columns[k];
            if (taco__container_ends_with(a->field->name, "_metadata") &&
                a->field->type == TACO_STRUCT && taco_array_valid(a, i)) {
                taco__findings_set_place(r->f, "row %u", TACO__U(r->first + i));
                taco__rasteret_metadata_check_row(r->f, a, i);
            }
        }
    }
    return true;
}
/* ==== src/rasteret/check_metadata.c ==== */
/* check_metadata.c - {band}_metadata, checked against tier 2 of Rasteret's contract

   In: the field of such a column, or a non-null row of it; out: problems in taco__findings. Fields
   and types must be those that enrich.c writes: another kind of type is an error, another integer
   width a warning. Files of older versions may lack the last five fields, and call the size of the
   image width and height. Readers of tiles compute windows and byte ranges from the values. Spec:
   Rasteret's schema contract, tier 2; numbers of the TIFF tags. */
/* #include "rasteret.h" */
/* #include "../base/base.h" */
/* #include "../validate/validate.h" */

#define TACO__RASTERET_METADATA_REQUIRED 12 /* fields that all versions have */

static const char taco__rasteret_metadata_clause[] = "Rasteret contract, tier 2";

/* ---- types ---- */

/* A field of the struct, by its name or an older one. */
static const taco_field *taco__rasteret_metadata_find(const taco_field *f, const char *name,
                                                      size_t *at)
{
    const taco_field *found = taco__rasteret_check_child(f, name, at);
    if (!found && strcmp(name, "image_width") == 0) {
        found = taco__rasteret_check_child(f, "width", at);
    }
    if (!found && strcmp(name, "image_height") == 0) {
        found = taco__rasteret_check_child(f, "height", at);
    }
    return found;
}

/* Whether two types are of the same kind (integers, floating point, ...). An integer may replace a
   floating point number. */
static bool taco__rasteret_metadata_is_kin(const taco_field *have, const taco_field *want)
{
    bool integer = taco__rasteret_check_is_integer(have);
    if (have->type == TACO_NULL || have->type == want->type) { return true; }
    return taco__rasteret_check_is_integer(want)
               ? integer
               : want->type == TACO_DOUBLE && (integer || have->type == TACO_FLOAT);
}

/* Compares a field with the contract's, including elements of lists. */
static void taco__rasteret_metadata_check_type(taco__findings *f, taco_bytes column,
                                               const taco_field *have, const taco_field *want)
{
    const taco_field *in = have, *should = want;
    if (have->type == TACO_LIST && want->type == TACO_LIST) {
        in = &have->children[0];
        should = &want->children[0];
    }
    if (!taco__rasteret_metadata_is_kin(in, should)) {
        TACO__FINDINGS_CLAUSE(f, true, taco__rasteret_metadata_clause,
                              "%q: field %s is of another type than the contract has", &column,
                              want->name);
    } else if (in->type != should->type && in->type != TACO_NULL) {
        TACO__FINDINGS_CLAUSE(f, false, taco__rasteret_metadata_clause,
                              "%q: field %s is wider or narrower than in the contract", &column,
                              want->name);
    }
}

TACO__FN void taco__rasteret_metadata_check_field(taco__findings *f, const taco_field *field)
{
    taco_field want[TACO__ENRICH_FIELDS];
    taco_field f64 = taco__field_make("item", TACO_DOUBLE);
    taco_field i64 = taco__field_make("item", TACO_INT64);
    taco_field i32 = taco__field_make("item", TACO_INT32);
    taco_bytes name = taco__bytes_text(field->name);
    size_t k, at;
    if (field->type == TACO_NULL) { return; }
    if (field->type != TACO_STRUCT) {
        TACO__FINDINGS_CLAUSE(f, true, taco__rasteret_metadata_clause, "column %q must be a struct",
                              &name);
        return;
    }
    taco__enrich_init_fields(want, &f64, &i64, &i32);
    for (k = 0; k < TACO__ENRICH_FIELDS; k++) {
        const taco_field *have = taco__rasteret_metadata_find(field, want[k].name, &at);
        if (have) {
            taco__rasteret_metadata_check_type(f, name, have, &want[k]);
        } else if (k < TACO__RASTERET_METADATA_REQUIRED) {
            TACO__FINDINGS_CLAUSE(f, true, taco__rasteret_metadata_clause, "%q has no field %s",
                                  &name, want[k].name);
        }
    }
}

/* ---- values ---- */

/* A member of a row; NULL if it is null, or of a wrong type, which has been reported already. */
static const taco_array *taco__rasteret_metadata_member(const taco_array *a, const char *name,
                                                        taco_type type, size_t i)
{
    size_t at = 0;
    const taco_field *f = taco__rasteret_metadata_find(a->field, name, &at);
    bool fits = f && (type == TACO_INT32 ? taco__rasteret_check_is_integer(f) : f->type == type);
    return fits && taco_array_valid(&a->children[at], i) ? &a->children[at] : NULL;
}

/* An integer member of a row, or a default if there is none. */
static int64_t taco__rasteret_metadata_int(const taco_array *a, const char *name, size_t i,
                                           int64_t otherwise)
{
    const taco_array *m = taco__rasteret_metadata_member(a, name, TACO_INT32, i);
    return m ? taco_array_int(m, i) : otherwise;
}

/* The length of a list in a row; -1 if there is none. */
static int64_t taco__rasteret_metadata_length(const taco_array *a, const char *name, size_t i)
{
    const taco_array *m = taco__rasteret_metadata_member(a, name, TACO_LIST, i);
    return m ? (int64_t)m->offsets[i + 1] - m->offsets[i] : -1;
}

/* Whether a list contains a null or a negative number. */
static bool taco__rasteret_metadata_is_bad(const taco_array *a, const char *name, size_t i)
{
    const taco_array *m = taco__rasteret_metadata_member(a, name, TACO_LIST, i);
    int32_t k;
    for (k = m ? m->offsets[i] : 0; m && k < m->offsets[i + 1]; k++) {
        if (!taco_array_valid(&m->children[0], (size_t)k) ||
            taco_array_int(&m->children[0], (size_t)k) < 0) {
            return true;
        }
    }
    return false;
}

/* Whether dtype is the NumPy name of a type that TIFF has. */
static bool taco__rasteret_metadata_is_dtype(taco_bytes name)
{
    static const char *const known[] = {"uint8", "uint16", "uint32",  "uint64",  "int8",   "int16",
                                        "int32", "int64",  "float16", "float32", "float64"};
    size_t k;
    for (k = 0; k < TACO__COUNT(known); k++) {
        if (taco__bytes_equal(name, taco__bytes_text(known[k]))) { return true; }
    }
    return false;
}

/* The tile tables must have the same length, and all tiles of the image. */
static void taco__rasteret_metadata_check_tiles(taco__findings *f, const taco_array *a, size_t i,
                                                const int64_t size[4])
{
    taco_bytes name = taco__bytes_text(a->field->name);
    int64_t offsets = taco__rasteret_metadata_length(a, "tile_offsets", i);
    int64_t counts = taco__rasteret_metadata_length(a, "tile_byte_counts", i);
    int64_t across = (size[0] + size[2] - 1) / size[2], down = (size[1] + size[3] - 1) / size[3];
    if (offsets != counts) {
        TACO__FINDINGS_CLAUSE(f, true, taco__rasteret_metadata_clause,
                              "%q has %d tile_offsets and %d tile_byte_counts", &name,
                              TACO__D(offsets), TACO__D(counts));
    } else if (offsets < across * down) {
        TACO__FINDINGS_CLAUSE(f, true, taco__rasteret_metadata_clause,
                              "%q has %d tile_offsets, the image has %d tiles", &name,
                              TACO__D(offsets), TACO__D(across * down));
    } else if (taco__rasteret_metadata_is_bad(a, "tile_offsets", i) ||
               taco__rasteret_metadata_is_bad(a, "tile_byte_counts", i)) {
        TACO__FINDINGS_CLAUSE(f, true, taco__rasteret_metadata_clause,
                              "%q has a tile without a place or size", &name);
    }
}

/* Checks the other texts and numbers. */
static void taco__rasteret_metadata_check_tags(taco__findings *f, const taco_array *a, size_t i)
{
    taco_bytes name = taco__bytes_text(a->field->name);
    const taco_array *dtype = taco__rasteret_metadata_member(a, "dtype", TACO_TEXT, i);
    taco_bytes text = dtype ? taco_array_bytes(dtype, i) : taco__bytes_of(NULL, 0);
    int64_t transform = taco__rasteret_metadata_length(a, "transform", i);
    int64_t planar = taco__rasteret_metadata_int(a, "planar_configuration", i, 1);
    int64_t predictor = taco__rasteret_metadata_int(a, "predictor", i, 1);
    if (!taco__rasteret_metadata_is_dtype(text)) {
        TACO__FINDINGS_CLAUSE(f, true, taco__rasteret_metadata_clause,
                              "%q: dtype is %q, must be a NumPy name such as uint16", &name, &text);
    }
    if (transform != 4 && transform != 6) {
        TACO__FINDINGS_CLAUSE(f, true, taco__rasteret_metadata_clause,
                              "%q: transform has %d numbers, must be 4", &name,
                              TACO__D(TACO__MAX(transform, 0)));
    }
    if (planar < 1 || planar > 2 || predictor < 1 || predictor > 3 ||
        taco__rasteret_metadata_int(a, "samples_per_pixel", i, 1) < 1) {
        TACO__FINDINGS_CLAUSE(f, true, taco__rasteret_metadata_clause,
                              "%q: planar_configuration is %d, predictor %d, samples_per_pixel %d: "
                              "no TIFF has that",
                              &name, TACO__D(planar), TACO__D(predictor),
                              TACO__D(taco__rasteret_metadata_int(a, "samples_per_pixel", i, 1)));
    }
}

/* Whether a list of n or more numbers has a scale that is null, 0 or not finite. Scales are
   the first and third of a transform, the first two of a pixel_scale. */
static bool taco__rasteret_metadata_is_flat(const taco_array *a, const char *name, size_t step,
                                            size_t n, size_t i)
{
    const taco_array *m = taco__rasteret_metadata_member(a, name, TACO_LIST, i);
    bool numbers = m && m->children[0].field->type == TACO_DOUBLE;
    size_t k, len = numbers ? (size_t)(m->offsets[i + 1] - m->offsets[i]) : 0;
    for (k = 0; len >= n && k < 2; k++) {
        size_t at = (size_t)m->offsets[i] + k * step;
        double x =
            taco_array_valid(&m->children[0], at) ? taco_array_double(&m->children[0], at) : 0;
        if (x == 0 || !taco__f64_is_finite(x)) { return true; }
    }
    return false;
}

/* Checks what pixels are decoded and placed by: a compression that TIFF can name (a SHORT; 0 is
   none), and the size of a pixel. */
static void taco__rasteret_metadata_check_pixels(taco__findings *f, const taco_array *a, size_t i)
{
    taco_bytes name = taco__bytes_text(a->field->name);
    int64_t compression = taco__rasteret_metadata_int(a, "compression", i, 1);
    if (compression < 1 || compression > UINT16_MAX) {
        TACO__FINDINGS_CLAUSE(f, true, taco__rasteret_metadata_clause,
                              "%q: compression is %d, no TIFF has that", &name,
                              TACO__D(compression));
    }
    if (taco__rasteret_metadata_length(a, "transform", i) == 4 &&
        taco__rasteret_metadata_is_flat(a, "transform", 2, 4, i)) {
        TACO__FINDINGS_CLAUSE(f, true, taco__rasteret_metadata_clause,
                              "%q: a scale in transform is 0, or no finite number", &name);
    }
    if (taco__rasteret_metadata_is_flat(a, "pixel_scale", 1, 2, i)) {
        TACO__FINDINGS_CLAUSE(f, true, taco__rasteret_metadata_clause,
                              "%q: pixel_scale is 0, or no finite number", &name);
    }
}

TACO__FN void taco__rasteret_metadata_check_row(taco__findings *f, const taco_array *a, size_t i)
{
    static const char *const names[4] = {"image_width", "image_height", "tile_width",
                                         "tile_height"};
    taco_bytes name = taco__bytes_text(a->field->name);
    int64_t size[4];
    size_t k;
    for (k = 0; k < 4; k++) {
        size[k] = taco__rasteret_metadata_int(a, names[k], i, 0);
        if (size[k] <= 0 || size[k] > INT32_MAX) {
            TACO__FINDINGS_CLAUSE(f, true, taco__rasteret_metadata_clause,
                                  "%q: %s is %d, must be above 0", &name, names[k],
                                  TACO__D(size[k]));
            return;
        }
    }
    taco__rasteret_metadata_check_tiles(f, a, i, size);
    taco__rasteret_metadata_check_tags(f, a, i);
    taco__rasteret_metadata_check_pixels(f, a, i);
}
/* ==== src/rasteret/tiles.c ==== */
/* tiles.c - which byte ranges of which files hold the tiles of a box

   In: a collection with {band}_metadata, bands, a box; out: for each record that intersects the
   box, the caller's function gets the tiles of each band that do, with their byte ranges. Spec:
   Rasteret's schema contract, tier 2 and execution layer: records without metadata of a band are
   skipped.

   A box in degrees is converted to the CRS of each image: points along the edges of the part that
   the image covers are projected by Newton's method, as geo/ only has the inverse
   (taco__tiles_project). The window contains all whole pixels that the box touches, like rasterio's
   window from bounds, and is cut into tiles. */
/* #include "rasteret.h" */
/* #include "../base/base.h" */
/* #include "../geo/geo.h" */

/* Points on each edge of a box to project. */
#define TACO__TILES_EDGE 20

/* A box: west or minimum x, south or minimum y, east, north. */
typedef struct taco__tiles_box {
    double v[4];
} taco__tiles_box;

/* State of one call. */
typedef struct taco__tiles {
    const taco_rasteret_window *how;
    bool (*found)(void *ctx, const taco_rasteret_tile *tile);
    void *ctx;
    taco_rasteret_tiles_sums sums;
    /* columns of the batch; metadata[band] and asset[band] */
    const taco_array *id, *assets, *code, *crs;
    const taco_array **metadata, **asset;
    bool stopped; /* by the function `found` */
} taco__tiles;

/* The contents of {band}_metadata in one row. */
typedef struct taco__tiles_image {
    int64_t width, height, tile_width, tile_height, across, down;
    double scale[2], origin[2];
    const taco_array *offsets, *counts; /* lists of the row */
    size_t first, count;                /* the band's part of the tile table */
} taco__tiles_image;

/* ---- boxes ---- */

/* Extends a box by a point; the first point initializes it. */
static void taco__tiles_add_point(taco__tiles_box *b, const double xy[2], bool *any)
{
    size_t k;
    for (k = 0; k < 2; k++) {
        b->v[k] = *any ? TACO__MIN(b->v[k], xy[k]) : xy[k];
        b->v[2 + k] = *any ? TACO__MAX(b->v[2 + k], xy[k]) : xy[k];
    }
    *any = true;
}

/* Point i of n of the outline of a box. */
static void taco__tiles_outline(const taco__tiles_box *b, size_t i, double xy[2])
{
    const double at = (double)(i % TACO__TILES_EDGE) / TACO__TILES_EDGE;
    const size_t edge = i / TACO__TILES_EDGE;
    const double w = b->v[2] - b->v[0], h = b->v[3] - b->v[1];
    xy[0] = edge == 0   ? b->v[0] + at * w
            : edge == 1 ? b->v[2]
            : edge == 2 ? b->v[2] - at * w
                        : b->v[0];
    xy[1] = edge == 1   ? b->v[1] + at * h
            : edge == 2 ? b->v[3]
            : edge == 3 ? b->v[3] - at * h
                        : b->v[1];
}

/* The bounds in degrees of a box in the CRS; longitudes continue past 180. */
static bool taco__tiles_degrees(int32_t code, const taco__tiles_box *box, taco__tiles_box *out)
{
    double xy[2], to[2];
    bool any = false;
    size_t i;
    for (i = 0; i < 4 * TACO__TILES_EDGE; i++) {
        taco__tiles_outline(box, i, xy);
        if (!taco__projection_inverse_unwrapped(code, xy[0], xy[1], to) || !(to[0] == to[0]) ||
            !(to[1] == to[1])) {
            return false;
        }
        taco__tiles_add_point(out, to, &any);
    }
    return any;
}

/* Projects one point by Newton's method, from a guess in xy, with differences of one metre. Its
   longitude continues past 180. */
static bool taco__tiles_project(int32_t code, const double lonlat[2], double xy[2])
{
    size_t step;
    for (step = 0; step < 20; step++) {
        double at[2], dx[2], dy[2], miss[2], det, move[2];
        if (!taco__projection_inverse_unwrapped(code, xy[0], xy[1], at) ||
            !taco__projection_inverse_unwrapped(code, xy[0] + 1, xy[1], dx) ||
            !taco__projection_inverse_unwrapped(code, xy[0], xy[1] + 1, dy)) {
            return false;
        }
        miss[0] = lonlat[0] - at[0];
        miss[1] = lonlat[1] - at[1];
        dx[0] -= at[0];
        dx[1] -= at[1];
        dy[0] -= at[0];
        dy[1] -= at[1];
        det = dx[0] * dy[1] - dy[0] * dx[1];
        if (!(det > 0 || det < 0)) { return false; }
        move[0] = (miss[0] * dy[1] - dy[0] * miss[1]) / det;
        move[1] = (dx[0] * miss[1] - miss[0] * dx[1]) / det;
        xy[0] += move[0];
        xy[1] += move[1];
        /* a tenth of a millimetre */
        if (move[0] * move[0] + move[1] * move[1] < 1e-8) { return true; }
    }
    return false;
}

/* The part of a box in degrees that an image covers, after `turn` degrees. A box that only touches
   an end of the image after a turn has no part: the ends of the world are one meridian. */
static bool taco__tiles_part(const taco__tiles_box *cover, const double degrees[4], double turn,
                             taco__tiles_box *part)
{
    const double slack = turn < 0 || turn > 0 ? 1e-9 : 0;
    part->v[0] = TACO__MAX(degrees[0] + turn, cover->v[0]);
    part->v[1] = TACO__MAX(degrees[1], cover->v[1]);
    part->v[2] = TACO__MIN(degrees[2] + turn, cover->v[2]);
    part->v[3] = TACO__MIN(degrees[3], cover->v[3]);
    return part->v[0] <= part->v[2] && part->v[1] <= part->v[3] &&
           part->v[2] >= cover->v[0] + slack && part->v[0] <= cover->v[2] - slack;
}

/* Extends out by a part in degrees of an image, in its CRS. */
static bool taco__tiles_add_part(int32_t code, const taco__tiles_box *image,
                                 const taco__tiles_box *part, taco__tiles_box *out, bool *any)
{
    double at[2], guess[2];
    size_t i;
    if (taco__projection_is_geographic(code)) {
        taco__tiles_add_point(out, part->v, any);
        taco__tiles_add_point(out, part->v + 2, any);
        return true;
    }
    guess[0] = (image->v[0] + image->v[2]) / 2;
    guess[1] = (image->v[1] + image->v[3]) / 2;
    for (i = 0; i < 4 * TACO__TILES_EDGE; i++) {
        taco__tiles_outline(part, i, at);
        if (!taco__tiles_project(code, at, guess)) { return false; }
        taco__tiles_add_point(out, guess, any);
    }
    return true;
}

/* The part of a box in degrees that an image covers, as a box in its CRS; false if there is none,
   or the image's bounds in degrees are unknown. If the box meets an image of the whole world at
   both ends, the part reaches from one to the other. */
static bool taco__tiles_box_in_crs(int32_t code, const taco__tiles_box *image,
                                   const double degrees[4], taco__tiles_box *out)
{
    static const double turns[] = {0, 360, -360};
    taco__tiles_box cover, part;
    bool any = false;
    size_t i;
    memset(&cover, 0, sizeof cover);
    if (!taco__tiles_degrees(code, image, &cover)) { return false; }
    for (i = 0; i < 3; i++) {
        if (taco__tiles_part(&cover, degrees, turns[i], &part) &&
            !taco__tiles_add_part(code, image, &part, out, &any)) {
            return false;
        }
    }
    return any;
}

/* ---- one image ---- */

/* A member of a metadata struct; NULL if missing or null. */
static const taco_array *taco__tiles_member(const taco_array *a, size_t row, const char *name,
                                            const char *older)
{
    uint32_t i;
    for (i = 0; i < a->field->child_count; i++) {
        const char *have = a->field->children[i].name;
        if ((strcmp(have, name) == 0 || (older && strcmp(have, older) == 0)) &&
            taco_array_valid(&a->children[i], row)) {
            return &a->children[i];
        }
    }
    return NULL;
}

/* A positive number in the struct, else `otherwise`. */
static int64_t taco__tiles_number(const taco_array *a, size_t row, const char *name,
                                  const char *older, int64_t otherwise)
{
    const taco_array *m = taco__tiles_member(a, row, name, older);
    int64_t x = m ? taco_array_int(m, row) : otherwise;
    return x > 0 && x <= INT32_MAX ? x : otherwise;
}

/* Reads four numbers, [scale, origin] of x and y, or the six of an affine transform without
   rotation. */
static bool taco__tiles_transform(const taco_array *a, size_t row, taco__tiles_image *out)
{
    static const size_t four[4] = {0, 1, 2, 3}, six[4] = {0, 2, 4, 5};
    const taco_array *m = taco__tiles_member(a, row, "transform", NULL);
    size_t from, n, k;
    double v[6];
    const size_t *at;
    if (!m || m->field->type != TACO_LIST) { return false; }
    from = (size_t)m->offsets[row];
    n = (size_t)m->offsets[row + 1] - from;
    if (n != 4 && n != 6) { return false; }
    for (k = 0; k < n; k++) {
        v[k] = taco_array_double(m->children, from + k);
    }
    if (n == 6 && (v[1] < 0 || v[1] > 0 || v[3] < 0 || v[3] > 0)) { return false; }
    at = n == 4 ? four : six;
    for (k = 0; k < 2; k++) {
        out->scale[k] = v[at[2 * k]];
        out->origin[k] = v[at[2 * k + 1]];
        if (!(out->scale[k] > 0 || out->scale[k] < 0)) { return false; }
    }
    return true;
}

/* Reads the members needed from a row. If a planar file's table lists all samples, the band's part
   is somewhere inside. */
static bool taco__tiles_read_image(const taco_array *a, size_t row, int64_t index,
                                   taco__tiles_image *out)
{
    uint64_t tiles;
    size_t n, counts;
    memset(out, 0, sizeof *out);
    out->width = taco__tiles_number(a, row, "image_width", "width", 0);
    out->height = taco__tiles_number(a, row, "image_height", "height", 0);
    out->tile_width = taco__tiles_number(a, row, "tile_width", NULL, out->width);
    out->tile_height = taco__tiles_number(a, row, "tile_height", NULL, out->height);
    out->offsets = taco__tiles_member(a, row, "tile_offsets", NULL);
    out->counts = taco__tiles_member(a, row, "tile_byte_counts", NULL);
    if (!out->width || !out->height || !out->offsets || !out->counts ||
        out->offsets->field->type != TACO_LIST || out->counts->field->type != TACO_LIST ||
        !taco__tiles_transform(a, row, out)) {
        return false;
    }
    out->across = (out->width + out->tile_width - 1) / out->tile_width;
    out->down = (out->height + out->tile_height - 1) / out->tile_height;
    n = (size_t)(out->offsets->offsets[row + 1] - out->offsets->offsets[row]);
    counts = (size_t)(out->counts->offsets[row + 1] - out->counts->offsets[row]);
    tiles = (uint64_t)out->across * (uint64_t)out->down;
    if (n != counts || tiles > n) { return false; }
    out->count = (size_t)tiles;
    if (n > out->count && index > 0) {
        if ((uint64_t)index >= n / out->count) { return false; }
        out->first = (size_t)index * out->count;
    }
    return true;
}

/* The pixels [from, to) along an axis that [low, high] of the CRS touches. */
static bool taco__tiles_span(double low, double high, double scale, double origin, int64_t size,
                             int64_t *from, int64_t *to)
{
    double a = (low - origin) / scale, b = (high - origin) / scale;
    double least = TACO__MIN(a, b), most = TACO__MAX(a, b);
    if (!(least < (double)size && most > 0)) { return false; }
    *from = least > 0 ? (int64_t)least : 0;
    *to = most < (double)size ? (int64_t)most : size;
    *to += *to < size && (double)*to < most;
    /* a box without extent lies in a pixel, too */
    *to = TACO__MAX(*to, *from + 1);
    return true;
}

/* Passes the tiles of a window to the caller's function. */
static void taco__tiles_cut(taco__tiles *t, const taco__tiles_image *m, size_t row,
                            const int64_t window[4], taco_rasteret_tile *tile)
{
    int64_t x, y;
    for (y = window[1] / m->tile_height; y * m->tile_height < window[3] && !t->stopped; y++) {
        for (x = window[0] / m->tile_width; x * m->tile_width < window[2] && !t->stopped; x++) {
            const size_t at = m->first + (size_t)(y * m->across + x);
            const int64_t offset =
                taco_array_int(m->offsets->children, (size_t)m->offsets->offsets[row] + at);
            const int64_t size =
                taco_array_int(m->counts->children, (size_t)m->counts->offsets[row] + at);
            tile->column = x;
            tile->row = y;
            tile->x = TACO__MAX(window[0], x * m->tile_width);
            tile->y = TACO__MAX(window[1], y * m->tile_height);
            tile->columns = TACO__MIN(window[2], (x + 1) * m->tile_width) - tile->x;
            tile->rows = TACO__MIN(window[3], (y + 1) * m->tile_height) - tile->y;
            tile->tile_width = m->tile_width;
            tile->tile_height = m->tile_height;
            /* a sparse tile has no bytes, and is all nodata */
            if (offset < 0 || size < 0) { continue; }
            tile->range.offset = (uint64_t)offset;
            tile->range.len = (uint64_t)size;
            t->sums.tiles++;
            t->sums.bytes += (uint64_t)size;
            t->stopped = !t->found(t->ctx, tile);
        }
    }
}

/* ---- records ---- */

/* The EPSG code of a record: proj:epsg, else crs; 0 if unknown. */
static int32_t taco__tiles_code(const taco__tiles *t, size_t row)
{
    char text[64];
    taco_bytes crs = t->crs ? taco_array_bytes(t->crs, row) : taco__bytes_of(NULL, 0);
    if (t->code && taco_array_valid(t->code, row)) {
        int64_t code = taco_array_int(t->code, row);
        return code > 0 && code <= INT32_MAX ? (int32_t)code : 0;
    }
    if (!crs.len || crs.len >= sizeof text) { return 0; }
    memcpy(text, crs.data, crs.len);
    text[crs.len] = 0;
    return taco__projection_epsg_code(text);
}

/* The window of a box in an image: columns [0] to [2], rows [1] to [3]. */
static bool taco__tiles_box_window(const taco__tiles *t, const taco__tiles_image *m, int32_t code,
                                   const double edge[4], int64_t window[4])
{
    taco__tiles_box image, box;
    const double far[2] = {m->origin[0] + (double)m->width * m->scale[0],
                           m->origin[1] + (double)m->height * m->scale[1]};
    bool any = false;
    memset(&image, 0, sizeof image);
    memset(&box, 0, sizeof box);
    taco__tiles_add_point(&image, m->origin, &any);
    taco__tiles_add_point(&image, far, &any);
    if (t->how->epsg == code) {
        memcpy(box.v, edge, sizeof box.v);
    } else if (!taco__tiles_box_in_crs(code, &image, edge, &box)) {
        return false;
    }
    return taco__tiles_span(box.v[0], box.v[2], m->scale[0], m->origin[0], m->width, &window[0],
                            &window[2]) &&
           taco__tiles_span(box.v[1], box.v[3], m->scale[1], m->origin[1], m->height, &window[1],
                            &window[3]);
}

/* The same for the caller's box; the whole image without one. Of a box that crosses 180 degrees one
   part is enough, since longitudes are turned as the image needs them. */
static bool taco__tiles_window(const taco__tiles *t, const taco__tiles_image *m, int32_t code,
                               int64_t window[4])
{
    double edge[2][4];
    size_t n;
    if (!t->how->bbox) {
        window[0] = window[1] = 0;
        window[2] = m->width;
        window[3] = m->height;
        return true;
    }
    /* corners of a CRS are in their order: taco_rasteret_tiles checks */
    return taco__intersect_split_box(t->how->bbox, edge, &n, NULL) == TACO_OK &&
           taco__tiles_box_window(t, m, code, edge[0], window);
}

/* Whether a box can be compared with images of a CRS. */
static bool taco__tiles_is_comparable(const taco__tiles *t, int32_t code)
{
    double at[2];
    return !t->how->bbox || t->how->epsg == code ||
           (!t->how->epsg && taco__projection_inverse(code, 0, 0, at));
}

/* Handles all bands of a record. */
static bool taco__tiles_row(taco__tiles *t, taco__arena *arena, size_t row, taco_error *err)
{
    const int32_t code = taco__tiles_code(t, row);
    const bool comparable = taco__tiles_is_comparable(t, code);
    bool unplaced = false;
    size_t k;
    t->sums.records++;
    for (k = 0; k < t->how->band_count && !t->stopped; k++) {
        taco_rasteret_tile tile;
        taco__tiles_image image;
        taco_bytes href;
        int64_t index = 0, window[4];
        if (!taco_array_valid(t->metadata[k], row) ||
            !taco__enrich_read_asset(t->asset[k], row, &href, &index) ||
            !taco__tiles_read_image(t->metadata[k], row, index, &image)) {
            t->sums.skipped++;
            continue;
        }
        unplaced = unplaced || !comparable;
        if (!comparable || !taco__tiles_window(t, &image, code, window)) { continue; }
        memset(&tile, 0, sizeof tile);
        tile.id = taco__arena_text(arena, taco_array_bytes(t->id, row), err);
        tile.range.file = taco__arena_text(arena, href, err);
        tile.band = t->how->bands[k];
        tile.epsg = code;
        if (!tile.id || !tile.range.file) { return false; }
        taco__tiles_cut(t, &image, row, window, &tile);
    }
    t->sums.unplaced += unplaced;
    return true;
}

/* The column of that name in a batch; NULL if there is none. */
static const taco_array *taco__tiles_column(const taco_batch *b, const char *name)
{
    size_t i;
    for (i = 0; i < b->column_count; i++) {
        if (strcmp(b->columns[i].field->name, name) == 0) { return &b->columns[i]; }
    }
    return NULL;
}

/* Finds the columns in a batch. */
static bool taco__tiles_bind(taco__tiles *t, taco__arena *arena, const taco_batch *b,
                             taco_error *err)
{
    size_t k, i, n = t->how->band_count;
    t->metadata = (const taco_array **)taco__arena_array(arena, n, sizeof *t->metadata, err);
    t->asset = (const taco_array **)taco__arena_array(arena, n, sizeof *t->asset, err);
    t->id = taco__tiles_column(b, "id");
    t->assets = taco__tiles_column(b, "assets");
    t->code = taco__tiles_column(b, "proj:epsg");
    t->crs = taco__tiles_column(b, "crs");
    if (!t->metadata || !t->asset) { return false; }
    for (k = 0; k < n; k++) {
        const char *band = t->how->bands[k];
        const size_t len = strlen(band);
        t->metadata[k] = t->asset[k] = NULL;
        for (i = 0; i < b->column_count; i++) {
            const char *name = b->columns[i].field->name;
            if (strncmp(name, band, len) == 0 && strcmp(name + len, "_metadata") == 0) {
                t->metadata[k] = &b->columns[i];
            }
        }
        for (i = 0; t->assets && t->assets->field->type == TACO_STRUCT &&
                    i < t->assets->field->child_count;
             i++) {
            if (strcmp(t->assets->field->children[i].name, band) == 0) {
                t->asset[k] = &t->assets->children[i];
            }
        }
        if (!t->metadata[k] || t->metadata[k]->field->type != TACO_STRUCT || !t->asset[k]) {
            taco_bytes name = taco__bytes_text(band);
            TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                       "no band %q: a band has an asset and a column %s_metadata", &name, band);
            return false;
        }
    }
    return t->id != NULL;
}

/* Quoted: "id","assets",...; only those that the collection has. NULL if out of memory. */
TACO__FN const char *taco__rasteret_select(taco_dataset *ds, taco__arena *arena,
                                           const char *const *names, size_t count,
                                           const char *const *bands, size_t n, taco_error *err)
{
    taco__buf b;
    const char *text = NULL;
    size_t i, k;
    bool ok = true;
    const taco__level *level = taco__container_level(&ds->stores[0], 0, err);
    if (!level) { return NULL; }
    memset(&b, 0, sizeof b);
    b.mem = arena->mem;
    for (i = 0; ok && i < count + n; i++) {
        const char *name = i < count ? names[i] : bands[i - count];
        const char *end = i < count ? "" : "_metadata";
        if (i < count && taco__table_find_column(&level->table, name) == TACO__NONE) { continue; }
        ok = taco__buf_append_text(&b, b.len ? ",\"" : "\"", err);
        for (k = 0; ok && name[k]; k++) {
            ok = (name[k] != '"' || taco__buf_append_char(&b, '"', err)) &&
                 taco__buf_append_char(&b, name[k], err);
        }
        ok = ok && taco__buf_append_text(&b, end, err) && taco__buf_append_char(&b, '"', err);
    }
    if (ok) { text = taco__arena_text(arena, taco__bytes_of(b.data, b.len), err); }
    taco__buf_free(&b);
    return text;
}

/* Handles all batches of the records that match the query and the box. */
static bool taco__tiles_run(taco__tiles *t, taco_dataset *ds, taco_error *err)
{
    static const char *const names[] = {"id", "assets", "proj:epsg", "crs"};
    taco__mem mem;
    taco__arena arena;
    taco_query q;
    taco_batch b;
    taco_cursor *rows = NULL;
    size_t i;
    bool ok;
    memset(&arena, 0, sizeof arena);
    taco__mem_init(&mem, &ds->options);
    arena.mem = &mem;
    memset(&q, 0, sizeof q);
    if (t->how->query) { q = *t->how->query; }
    /* boxes of records are in degrees */
    if (t->how->bbox && !t->how->epsg) { q.bbox = t->how->bbox; }
    q.select = taco__rasteret_select(ds, &arena, names, TACO__COUNT(names), t->how->bands,
                                     t->how->band_count, err);
    rows = q.select ? taco_select(ds, &q, err) : NULL;
    ok = rows != NULL;
    while (ok && !t->stopped && taco_cursor_batch(rows, &b)) {
        ok = taco__tiles_bind(t, &arena, &b, err);
        for (i = 0; ok && !t->stopped && i < b.length; i++) {
            ok = taco__tiles_row(t, &arena, i, err);
        }
        taco__arena_free(&arena);
        arena.mem = &mem;
    }
    if (rows && taco_cursor_close(rows, ok ? err : NULL) != TACO_OK) { ok = false; }
    taco__arena_free(&arena);
    return ok;
}

TACO_API taco_status taco_rasteret_tiles(taco_dataset *ds, const taco_rasteret_window *how,
                                         bool (*found)(void *ctx, const taco_rasteret_tile *tile),
                                         void *ctx, taco_rasteret_tiles_sums *out, taco_error *err)
{
    taco__tiles t;
    taco_error own = {0, TACO_OK, 0, {0}};
    size_t i;
    err = taco__error_fresh(err, NULL);
    memset(&t, 0, sizeof t);
    if (!ds || !how || !found || !how->band_count || !how->bands) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "a collection, bands and a function for their tiles are needed");
    }
    if (ds->stores[0].format != taco_rasteret_opener()) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no Rasteret collection");
    }
    for (i = 0; how->bbox && i < 2; i++) {
        bool crosses = i == 0 && !how->epsg && taco__intersect_box_crosses(how->bbox);
        if (!crosses && !(how->bbox[i] <= how->bbox[i + 2])) {
            return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                              "a box is west, south, east, north");
        }
    }
    t.how = how;
    t.found = found;
    t.ctx = ctx;
    if (!taco__tiles_run(&t, ds, &own)) {
        TACO__FAIL(&own, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory");
    }
    if (out) { *out = t.sums; }
    taco__error_copy(err, &own);
    return own.code;
}
/* ==== src/rasteret/ready.c ==== */
/* ready.c - whether a collection has what the layers above need, for some bands

   In: a collection and names of bands; out: counts; the caller's function gets each thing that is
   missing. Spec: Rasteret's schema contract, layer requirements: the execution layer (all four
   required columns, a box, {band}_metadata) and the TorchGeo adapter (id, datetime, assets,
   proj:epsg of one CRS, {band}_metadata). The former skips records without metadata of a band, the
   latter drops records without a time: both are counted, and are an error only if no record is
   left. */
/* #include "rasteret.h" */
/* #include "../base/base.h" */

/* State of one call. */
typedef struct taco__ready {
    const taco_validate_options *how;
    taco_rasteret_readiness out;
    taco_error first; /* the first error */
    bool stopped;
} taco__ready;

/* Reports a problem; the first error becomes the result. */
static void taco__ready_report(taco__ready *r, bool error, const char *clause,
                               const taco_error *what)
{
    taco_problem p;
    memset(&p, 0, sizeof p);
    p.error = error;
    p.where = "";
    p.message = taco_error_text(what);
    p.clause = clause;
    if (error && r->first.code == TACO_OK) { r->first = *what; }
    if (r->how && r->how->found && !r->stopped) { r->stopped = !r->how->found(r->how->ctx, &p); }
}

#define TACO__READY_REPORT(r, error, clause, ...)                                                  \
    do {                                                                                           \
        taco_error ready_what = {0, TACO_OK, 0, {0}};                                              \
        TACO__FAIL(&ready_what, TACO_ERR_CORRUPT, TACO_NO_OFFSET, __VA_ARGS__);                    \
        taco__ready_report(r, error, clause, &ready_what);                                         \
    } while (0)

static const char taco__ready_execution[] = "Rasteret contract, execution layer";
static const char taco__ready_torchgeo[] = "Rasteret contract, TorchGeo adapter";

/* ---- columns ---- */

/* Whether any file has a column whose name is `name` followed by `end`. */
static bool taco__ready_has(taco_dataset *ds, const char *name, const char *end, taco_error *err)
{
    size_t i, k, n = strlen(name);
    for (i = 0; i < ds->container_count; i++) {
        const taco__level *l = taco__container_level(&ds->stores[i], 0, err);
        for (k = 0; l && k < l->table.field_count; k++) {
            const char *have = l->table.fields[k].name;
            if (strncmp(have, name, n) == 0 && strcmp(have + n, end) == 0) { return true; }
        }
    }
    return false;
}

/* Checks that each band has a metadata column; assets are checked in the rows. */
static bool taco__ready_bands(taco__ready *r, taco_dataset *ds, const char *const *bands, size_t n,
                              taco_error *err)
{
    bool all = true;
    size_t k;
    for (k = 0; k < n; k++) {
        if (taco__ready_has(ds, bands[k], "_metadata", err)) { continue; }
        TACO__READY_REPORT(r, true, taco__ready_execution, "there is no column %s_metadata",
                           bands[k]);
        all = false;
    }
    return all;
}

/* ---- rows ---- */

/* Counts one record: which bands it has, its time, its CRS. */
static void taco__ready_row(taco__ready *r, const taco_batch *b, size_t n, size_t row)
{
    bool timed = false, all = true, any = false;
    size_t i;
    for (i = 0; i < b->column_count; i++) {
        const taco_array *a = &b->columns[i];
        const char *name = a->field->name;
        const bool there = taco_array_valid(a, row);
        if (strcmp(name, "datetime") == 0) {
            timed = timed || there;
        } else if (strcmp(name, "start_datetime") == 0) {
            timed = timed || there;
        } else if (strcmp(name, "proj:epsg") == 0) {
            const int64_t code = there ? taco_array_int(a, row) : 0;
            r->out.without_crs += !there;
            r->out.mixed_crs = r->out.mixed_crs || (there && r->out.epsg && code != r->out.epsg);
            r->out.epsg = there && !r->out.epsg ? code : r->out.epsg;
        } else if (i + n >= b->column_count) {
            all = all && there;
            any = any || there;
        }
    }
    r->out.records++;
    r->out.complete += all;
    r->out.partial += any && !all;
    r->out.without_time += !timed;
}

/* Counts all records. The metadata columns come last. */
static bool taco__ready_count(taco__ready *r, taco_dataset *ds, const char *const *bands, size_t n,
                              taco_error *err)
{
    static const char *const names[] = {"datetime", "start_datetime", "proj:epsg"};
    taco__mem mem;
    taco__arena arena;
    taco_query q;
    taco_batch b;
    taco_cursor *rows;
    size_t i;
    memset(&arena, 0, sizeof arena);
    memset(&q, 0, sizeof q);
    taco__mem_init(&mem, &ds->options);
    arena.mem = &mem;
    q.select = taco__rasteret_select(ds, &arena, names, TACO__COUNT(names), bands, n, err);
    rows = q.select ? taco_select(ds, &q, err) : NULL;
    while (rows && taco_cursor_batch(rows, &b)) {
        for (i = 0; i < b.length; i++) {
            taco__ready_row(r, &b, n, i);
        }
    }
    taco__arena_free(&arena);
    return rows && taco_cursor_close(rows, err) == TACO_OK;
}

/* Reports what the counts mean. */
static void taco__ready_judge(taco__ready *r, bool has_code)
{
    const taco_rasteret_readiness *o = &r->out;
    if (!o->complete) {
        TACO__READY_REPORT(r, true, taco__ready_execution,
                           "no record has metadata of all these bands");
    } else if (o->complete < o->records) {
        TACO__READY_REPORT(r, false, taco__ready_execution,
                           "%u of %u records lack metadata of a band, and are skipped",
                           TACO__U(o->records - o->complete), TACO__U(o->records));
    }
    if (!has_code || o->without_crs) {
        TACO__READY_REPORT(r, true, taco__ready_torchgeo, "%u of %u records have no proj:epsg",
                           TACO__U(has_code ? o->without_crs : o->records), TACO__U(o->records));
    }
    if (o->mixed_crs) {
        TACO__READY_REPORT(r, true, taco__ready_torchgeo,
                           "the records have several values of proj:epsg, must have one");
    }
    if (o->without_time) {
        TACO__READY_REPORT(r, o->without_time == o->records, taco__ready_torchgeo,
                           "%u of %u records have neither datetime nor start_datetime, and are "
                           "dropped",
                           TACO__U(o->without_time), TACO__U(o->records));
    }
}

TACO_API taco_status taco_rasteret_ready(taco_dataset *ds, const char *const *bands, size_t n,
                                         const taco_validate_options *how,
                                         taco_rasteret_readiness *out, taco_error *err)
{
    taco__ready r;
    taco_error own = {0, TACO_OK, 0, {0}};
    bool box, code;
    err = taco__error_fresh(err, NULL);
    memset(&r, 0, sizeof r);
    r.how = how;
    if (!ds || !bands || !n) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "a collection and names of bands are needed");
    }
    if (ds->stores[0].format != taco_rasteret_opener()) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no Rasteret collection");
    }
    code = taco__ready_has(ds, "proj:epsg", "", &own);
    box = taco__ready_has(ds, "scene_bbox", "", &own) || taco__ready_has(ds, "bbox", "", &own) ||
          taco__ready_has(ds, "bbox_minx", "", &own);
    if (!box) {
        TACO__READY_REPORT(&r, true, taco__ready_execution,
                           "there is no box: scene_bbox, bbox_minx or bbox");
    }
    if (taco__ready_bands(&r, ds, bands, n, &own) && own.code == TACO_OK &&
        taco__ready_count(&r, ds, bands, n, &own)) {
        taco__ready_judge(&r, code);
    }
    if (out) { *out = r.out; }
    if (own.code == TACO_OK) { own = r.first; }
    taco__error_copy(err, &own);
    return own.code;
}
/* ==== src/rasteret/descriptor.c ==== */
/* descriptor.c - converts a dataset's descriptor to options of taco_rasteret_build

   In: JSON of a DatasetDescriptor as in Rasteret's registry, an object or a list, of which the
   first with the requested id is taken; out: taco_rasteret_options whose texts live as long as the
   handle. Spec: Rasteret's schema contract, dataset descriptors: identity, access and band mapping.
   Members about discovery (stac_api, collection_uri, ...) are for programs that download tables,
   and are ignored.

   column_map {source: contract} and field_roles {contract: source} give renamed columns,
   href_column (or the role href) and band_index_map the assets, cloud_config.url_patterns {from:
   to} rewritten hrefs. */
/* #include "rasteret.h" */
/* #include "../base/base.h" */
/* #include "../base/json.h" */

struct taco_rasteret_descriptor {
    taco__mem mem;
    taco__arena arena;
    taco_rasteret_options options;
};

/* A text member; NULL if missing or empty. */
static const char *taco__descriptor_text(const taco__json *o, const char *key)
{
    const char *text = taco__json_text(taco__json_get(o, key));
    return text && *text ? text : NULL;
}

/* Appends the members of an object of texts to *list as pairs; turned: the object is {to: from}. A
   role `href` is not a separate column. */
static bool taco__descriptor_pairs(taco_rasteret_descriptor *d, const taco__json *o, bool turned,
                                   const taco_rasteret_pair **list, size_t *n, taco_error *err)
{
    const size_t more = taco__json_is(o, TACO__JSON_OBJECT) ? o->count : 0;
    const taco__json *key;
    taco_rasteret_pair *out;
    size_t i;
    if (!more) { return true; }
    out = (taco_rasteret_pair *)taco__arena_array(&d->arena, *n + more, sizeof *out, err);
    if (!out) { return false; }
    if (*n) { memcpy(out, *list, *n * sizeof *out); }
    for (i = 0, key = taco__json_first(o); i < more; i++, key = taco__json_next(key + 1)) {
        const char *name = taco__json_text(key), *value = taco__json_text(key + 1);
        if (!name || !value || (turned && strcmp(name, "href") == 0)) { continue; }
        if (strcmp(name, value) == 0) { continue; }
        out[*n].from = turned ? value : name;
        out[(*n)++].to = turned ? name : value;
    }
    *list = out;
    return true;
}

/* band_index_map: {name: sample}. */
static bool taco__descriptor_bands(taco_rasteret_descriptor *d, const taco__json *o,
                                   taco_error *err)
{
    const taco__json *key;
    taco_rasteret_band *out;
    size_t i, n = taco__json_is(o, TACO__JSON_OBJECT) ? o->count : 0;
    out = (taco_rasteret_band *)taco__arena_array(&d->arena, n, sizeof *out, err);
    if (!out) { return false; }
    for (i = 0, key = taco__json_first(o); i < n; i++, key = taco__json_next(key + 1)) {
        double index = -1;
        out[i].name = taco__json_text(key);
        if (!out[i].name || !taco__json_double(key + 1, &index) ||
            !(index >= 0 && index <= 65535) || (double)(int64_t)index < index) {
            TACO__FAIL(err, TACO_ERR_ARGUMENT, key->begin,
                       "band_index_map: a sample is a number from 0 to 65535");
            return false;
        }
        out[i].index = (int64_t)index;
    }
    d->options.bands = out;
    d->options.band_count = n;
    return true;
}

/* The descriptor with that id in a list, or the first if id is NULL; an object is returned
   itself. */
static const taco__json *taco__descriptor_find(const taco__json *root, const char *id)
{
    const taco__json *o;
    size_t i;
    if (taco__json_is(root, TACO__JSON_OBJECT)) { return root; }
    for (i = 0, o = taco__json_first(root); i < taco__json_length(root);
         i++, o = taco__json_next(o)) {
        const char *have = taco__json_text(taco__json_get(o, "id"));
        if (taco__json_is(o, TACO__JSON_OBJECT) && (!id || (have && strcmp(have, id) == 0))) {
            return o;
        }
    }
    return NULL;
}

/* Reads all options from one descriptor. */
static bool taco__descriptor_read(taco_rasteret_descriptor *d, const taco__json *o, taco_error *err)
{
    taco_rasteret_options *out = &d->options;
    const taco__json *roles = taco__json_get(o, "field_roles");
    const char *href = taco__descriptor_text(o, "href_column");
    const char *stac = taco__descriptor_text(o, "stac_collection");
    out->data_source = stac ? stac : taco__descriptor_text(o, "id");
    out->name = taco__descriptor_text(o, "name");
    out->description = taco__descriptor_text(o, "description");
    if (!out->data_source) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, o->begin, "a descriptor has an id");
        return false;
    }
    if (!taco__descriptor_bands(d, taco__json_get(o, "band_index_map"), err)) { return false; }
    href = href ? href : taco__descriptor_text(roles, "href");
    /* assets are made from both; if one is missing, the table already has assets */
    out->href_column = out->band_count ? href : NULL;
    out->band_count = out->href_column ? out->band_count : 0;
    return taco__descriptor_pairs(d, taco__json_get(o, "column_map"), false, &out->rename,
                                  &out->rename_count, err) &&
           taco__descriptor_pairs(d, roles, true, &out->rename, &out->rename_count, err) &&
           taco__descriptor_pairs(d,
                                  taco__json_get(taco__json_get(o, "cloud_config"), "url_patterns"),
                                  false, &out->rewrite, &out->rewrite_count, err);
}

TACO_API taco_rasteret_descriptor *taco_rasteret_descriptor_open(const char *json, size_t len,
                                                                 const char *id,
                                                                 const taco_options *opt,
                                                                 taco_error *err)
{
    taco__mem mem;
    taco_rasteret_descriptor *d;
    taco__json_doc doc;
    const taco__json *o;
    taco_bytes name = taco__bytes_text(id ? id : "");
    err = taco__error_fresh(err, NULL);
    if (!json) {
        TACO__FAIL_SOFT(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no descriptor given");
        return NULL;
    }
    taco__mem_init(&mem, opt);
    d = (taco_rasteret_descriptor *)taco__mem_alloc(&mem, sizeof *d, err);
    if (!d) { return NULL; }
    memset(d, 0, sizeof *d);
    d->mem = mem;
    d->arena.mem = &d->mem;
    memset(&doc, 0, sizeof doc);
    if (taco__json_parse(&d->arena, taco__bytes_of((const uint8_t *)json, len), NULL, &doc, err) ==
        TACO_OK) {
        o = taco__descriptor_find(doc.root, id);
        if (o && taco__descriptor_read(d, o, err)) { return d; }
        TACO__FAIL(o ? NULL : err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                   "there is no descriptor with the id %q", &name);
    }
    taco_rasteret_descriptor_close(d);
    return NULL;
}

TACO_API const taco_rasteret_options *
taco_rasteret_descriptor_options(const taco_rasteret_descriptor *d)
{
    return d ? &d->options : NULL;
}

TACO_API void taco_rasteret_descriptor_close(taco_rasteret_descriptor *d)
{
    taco__mem mem;
    if (!d) { return; }
    taco__arena_free(&d->arena);
    mem = d->mem;
    taco__mem_free(&mem, d, sizeof *d);
}
#endif /* TACO_IMPLEMENTATION */
