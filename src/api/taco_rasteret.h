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
