/* taco_write.h - create, consolidate, export, convert, validate and repair TACO datasets.

   Optional, next to taco.h and taco_parquet.h. In the one source file that holds the
   implementation:

       #define TACO_IMPLEMENTATION
       #include "taco_write.h"          (includes the other headers it needs)

   C99 or C++11; nothing but libc. What taco.h says about errors, ownership, limits and threads
   holds here.

   OF THE REFERENCE'S WRITER (tacotoolbox 0.26, tacobridge 0.3, tacozip 0.13) this header has:

     Sample, Tortilla, Taco                 taco_create and taco_writer_*; pad_to as in older ones
     create, its Parquet options            taco_create_options; several datasets at once:
                                            taco_create_directory with split_size and group_by;
                                            nothing temporary is written next to the output
     Taco.export_metadata, field_schema     the level tables; descriptions: taco_writer_collection
     create_tacocat, create_tacollection    taco_create_tacocat, _tacollection; also __TACOCAT__
     export, zip2folder, folder2zip         taco_export, taco_export_rows (SQL, views), taco_repack,
                                            each in one call, without plans
     validators, tacozip's self check       taco_validate, taco_repair, taco_tacotiff_ok
     STAC, ISTAC, Split, Scaling, MajorTOM  taco_writer_set_stac, ..., taco_majortom
     GeotiffStats                           taco_writer_set_stats over pixels that the caller
                                            decodes; exact, of all pixels
     TACOTIFF Header                        taco_tacotiff_header (taco_tiff.h)
     SpatialGrouping                        taco_spatial_groups: forms the same groups
     Labels, Publications, SplitStrategy,   taco_labels_json, taco_publications_json,
     OpticalData                            taco_split_json, taco_optical_json
     generate_markdown, generate_html       `taco collection --to datacard`, `taco report`, the tool
     tacozip                                taco_header_*, taco_archive_create, _replace
     (none: it makes a new dataset)         taco_add_columns: columns for an existing dataset

   and the columns of GeoEnrich, see VALUES FROM ELSEWHERE.
   Your own extensions are columns: taco_writer_field.

   GENERATED from src/ by `make headers`: edit src/, not this file. src/where.sh taco_write.h:LINE
   prints where a line comes from. */
#ifndef TACO_WRITE_H
#define TACO_WRITE_H

#include "taco_parquet_inspect.h"
#include "taco_parquet_write.h"
#include "taco_tiff.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- validate -------------------------------------------------------------------------------- */

/* A finding of validation; lives until the callback returns. */
typedef struct taco_problem {
    bool error; /* a rule is broken; false: a warning, which readers cope with */
    /* "METADATA/level1.parquet: row 7", "'DATA/a'", "COLLECTION.json: extent" */
    const char *where;
    const char *message; /* one line */
    /* document and place of the rule, such as "Tortilla 0.5.0, tortilla:data_split"; NULL if none
       is named */
    const char *clause;
} taco_problem;

/* {0} checks everything but the payloads. */
typedef struct taco_validate_options {
    /* also check every payload against its CRC, every page, the cells of __meta__ against those of
       the level, the parts of a catalogue */
    bool deep;
    bool strict_pit; /* the rule of June 2025: all FOLDERs of a level have the same children */
    /* Called for each problem; false ends the work. May be NULL. */
    bool (*found)(void *ctx, const taco_problem *p);
    /* Called with the payload bytes read so far and in total; false ends the work. May be NULL. */
    bool (*progress)(void *ctx, uint64_t done, uint64_t total);
    void *ctx;
} taco_validate_options;

typedef struct taco_validated {
    /* all are counted, but only the first 100 per rule and table are reported */
    uint64_t errors, warnings;
    uint64_t rows, entries;   /* rows of the levels; entries of the central directories */
    uint64_t payloads, bytes; /* payloads read, and their bytes, with deep */
} taco_validated;

/* Checks a dataset (anything that taco_open takes) against every rule of the specification: the
   records of an archive against each other, every internal:offset and internal:size against the
   local headers, ids, types, parents, __meta__ against the levels, PIT-1 and PIT-2,
   COLLECTION.json, the archives of a catalogue, the sources of a TACOLLECTION.json. Harmless errors
   of the reference writer are warnings, and so are entries of an archive and files of a FOLDER that
   no level lists (readers ignore them). If opt->openers has other formats, their datasets are
   checked against their own documents: Tortilla 0.5.0 and TACO 0.2.0 (rows, collections, headers,
   ranges, chains; a part together with the others of its set, if they are there), Rasteret's schema
   contract; each problem then names its clause. Returns the code
   of the first error, which is also in err, with its place; TACO_OK when there are only warnings.
   MEMORY and LIMIT mean that the check could not be completed. Memory: about 60 bytes per row and
   per entry. opt, how, out and err may be NULL.

       path  as taco_open takes it
       opt   options of the dataset; NULL: defaults
       how   what to check, callbacks; NULL: defaults
       out   gets the counts; may be NULL */
TACO_API taco_status taco_validate(const char *path, const taco_options *opt,
                                   const taco_validate_options *how, taco_validated *out,
                                   taco_error *err);
/* The same for the bytes of an archive or a `__TACOCAT__`; src is copied and always closed.

       src   bytes of the dataset; read and size must be set
       name  name in messages; may be NULL
       opt   options of the dataset; NULL: defaults
       how   what to check, callbacks; NULL: defaults
       out   gets the counts; may be NULL */
TACO_API taco_status taco_validate_source(const taco_source *src, const char *name,
                                          const taco_options *opt, const taco_validate_options *how,
                                          taco_validated *out, taco_error *err);

/* ---- repair ---------------------------------------------------------------------------------- */

typedef struct taco_repaired {
    /* errors that validation found in the old dataset, and with deep in the new one */
    uint64_t before, after;
    /* rows whose internal:offset or internal:size differed from the archive's */
    uint64_t places;
    uint64_t from_meta; /* rows taken from __meta__, because those of the level differed */
    uint64_t metas;     /* __meta__ files that could not be read and were made from the level */
    uint64_t rows, files, bytes; /* of the new dataset: rows, payloads and their bytes */
} taco_repaired;

/* Rewrites an archive or a FOLDER, as the same kind of container, at output, which must not exist.
   Offsets come from the central directory; TACO_HEADER, __meta__, levels and the counts in
   taco:pit_schema are made again. Payloads are copied unchanged, in their order, and only if their
   CRC-32 is right (CHECKSUM otherwise). how->found is called for the problems of the old dataset.
   The new one is validated with deep: returns TACO_OK when it is valid, or the first remaining
   error (repair does not change ids, trees that break PIT-1, or fields of COLLECTION.json). On
   other failures nothing is left at output. opt, how, out and err may be NULL.

       path    of the archive or FOLDER to read
       output  path of the new one, which must not exist
       opt     options of both; NULL: defaults
       how     found and progress (of the payloads copied; total is 0 for a FOLDER, where it is not
               known), and their ctx; NULL: no callbacks
       out     gets what was done; may be NULL */
TACO_API taco_status taco_repair(const char *path, const char *output, const taco_options *opt,
                                 const taco_validate_options *how, taco_repaired *out,
                                 taco_error *err);

/* ---- many datasets as one -------------------------------------------------------------------- */

/* {0} = defaults, in brackets */
typedef struct taco_merge_options {
    const taco_options *options;
    /* a directory also gets the `__TACOCAT__` file [only the .tacocat directory] */
    bool binary;
    /* columns that some archives lack are null there; for a merged collection types may differ,
       too [ARGUMENT, TYPE] */
    bool fill;
    /* archives are not checked [their records, ids and offsets are checked first] */
    bool unchecked;
    taco_codec codec; /* of the tables [ZSTD; 65536] */
    int level;
    uint64_t row_group_rows;
    /* all other options of the tables; columns, keys and geometries are not used. May be NULL */
    const taco_pq_write_options *parquet;
    /* taco_create_tacocat: called with the rows written so far and in all; false ends the work. May
       be NULL */
    bool (*progress)(void *ctx, uint64_t done, uint64_t total);
    void *progress_ctx;
} taco_merge_options;

/* Makes a catalogue of n archives (spec 6.5). An output named `__TACOCAT__` is the single file with
   the 128-byte header, one named `.tacocat` the directory that the reference has read since
   2025-12; any other name is a directory in which `.tacocat` is created. Readers look for the
   archives next to it, by their bare names, which must differ; options->warn is called once if some
   are elsewhere (readers may be given their directory: taco_set_base_path). Trees and columns must
   be the same (ARGUMENT, TYPE): the error names the differences of all archives, as many as fit,
   and options->warn is called for each. Rows follow in the order of paths, with
   internal:source_file; ids and parents count from 0 in each archive. The collection is that of the
   first archive, with counts, extent and taco:sources of all. Nothing is overwritten, and on
   failure nothing is left. Memory does not grow with the rows beyond a row group, except for
   checking (see taco_validate), an archive at a time.

       output  path of the catalogue, which must not exist
       paths   n archives, in the order of the rows; not kept
       n       number of archives, at least 1
       opt     options; NULL: defaults */
TACO_API taco_status taco_create_tacocat(const char *output, const char *const *paths, size_t n,
                                         const taco_merge_options *opt, taco_error *err);
/* Makes only the merged collection (spec 6.6) of archives and FOLDERs: TACOLLECTION.json in the
   directory output, or the file output if its name ends in .json. Trees must be the same and,
   without fill, the columns of all levels, by name and type as in the tables, except internal:...;
   the reference compares taco:field_schema, including descriptions. Errors as above.

       output  path of a directory, or of the .json file
       paths   n archives and FOLDERs; not kept
       n       number of paths, at least 1
       opt     options; NULL: defaults */
TACO_API taco_status taco_create_tacollection(const char *output, const char *const *paths,
                                              size_t n, const taco_merge_options *opt,
                                              taco_error *err);

/* ---- create ---------------------------------------------------------------------------------- */

/* {0} = defaults, in brackets */
typedef struct taco_create_options {
    const taco_options *options;
    /* [an archive for names that end in .zip or .tacozip, else a FOLDER] */
    taco_kind container;
    int64_t mtime;   /* of the entries of an archive, seconds since 1970, UTC [1980-01-01] */
    bool overwrite;  /* an existing archive is replaced [ARGUMENT] */
    bool any_tree;   /* samples may have different trees: PIT-1 is not required (spec 5.5) */
    bool fill;       /* a column that is not set is null [ARGUMENT: the schema is strict] */
    bool new_extent; /* compute the extent from the columns even if the collection has one */
    /* FOLDERs and level 0 get __TACOPAD__N rows up to a multiple of this [none] */
    uint32_t pad_to;
    /* of METADATA/levelN.parquet and __meta__ [ZSTD, none for a small __meta__; 65536] */
    taco_codec codec;
    int level;
    uint64_t row_group_rows;
    /* Called after every sample with the payload bytes so far and in total (0 if not known); false
       stops. */
    bool (*progress)(void *ctx, uint64_t bytes, uint64_t total);
    void *progress_ctx;
    uint64_t total;
    int64_t date; /* of an export, for taco:subset_date, seconds since 1970 [now] */
    /* columns of extensions may have any values [types and values are checked against the rules for
       their names, see "columns of the extensions": when creating and converting, a breach is an
       error; when exporting or repacking, a warning for each column] */
    bool any_values;
    /* taco_create and taco_create_directory apply the rule of June 2025: all FOLDERs of a level
       have the same children [ARGUMENT only when PIT-1 is broken] */
    bool strict_pit;
    /* all other options of the tables; columns, keys and geometries are not used. A small __meta__
       never has a page index. May be NULL */
    const taco_pq_write_options *parquet;
} taco_create_options;

typedef struct taco_writer taco_writer;

/* Starts a dataset at path, which must not exist: an archive for names that end in .zip or
   .tacozip, else a FOLDER. It is written under a temporary name, as by taco_sink_file, and renamed
   when it is finished. The tables of a FOLDER have content-defined pages
   (taco_pq_write_options.content_defined), so that an edit changes few of their bytes. opt may be
   NULL; what its `options` points to must outlive the writer. NULL on failure. Payloads are read
   during the call; the id, offset and columns of each sample are kept until the end. The same calls
   give the same bytes. A writer belongs to one thread at a time.

   With options->parallel_for, large files and ranges of files are read and summed by tasks while
   others are written. All functions that copy datasets or directories do this, for small files,
   too. It begins after 8 MiB or 1,024 files, and takes 3 MiB of memory for an archive (two buffers
   of 1 MiB), up to 5 MiB for a FOLDER, and up to 128 open files; with little memory, and for a
   sink, it is not done. Bytes, errors and calls of progress are the same as with one thread.

   Make the calls in the order of the tree: collection and columns; then samples, each followed by
   its values; the children of a FOLDER between its _begin and _end. After a failure every call does
   nothing and returns the same code; _finish reports it. NULL writers are accepted. */
TACO_API taco_writer *taco_create(const char *path, const taco_create_options *opt,
                                  taco_error *err);
/* Starts an archive in a sink, which is copied, and closed with the writer, on failure too.
   Payloads larger than 256 KiB are read twice, as their CRC is written before them. Otherwise as
   taco_create. */
TACO_API taco_writer *taco_create_sink(const taco_sink *sink, const taco_create_options *opt,
                                       taco_error *err);
/* Sets the fields of COLLECTION.json, one JSON object, which is checked against every rule (spec
   5.6): id, dataset_version, description, licenses, providers, tasks are required; further ones are
   kept. taco_version is 2.0.0 if it has none. If there is no extent, it is computed from
   stac:centroid, stac:time_start, ... or the istac: ones. Descriptions of columns are taken from
   "taco:field_schema": {"level0": [["name", "", "description"], ...]}. */
TACO_API taco_status taco_writer_collection(taco_writer *w, const char *json, size_t len);
/* Declares a column of a level, before its first sample. Names are [A-Za-z0-9_]+(:[A-Za-z0-9_]+)?,
   not id, type, path or internal:... Timestamps and times are in microseconds.

       w      the writer, before the first sample of the level
       level  from 0
       name   copied
       type   of the values, none of which has children */
TACO_API taco_status taco_writer_column(taco_writer *w, uint32_t level, const char *name,
                                        taco_type type);
/* Declares a column of lists in the same way.

       w      the writer, before the first sample of the level
       level  from 0
       name   copied
       items  type of the items of the lists */
TACO_API taco_status taco_writer_list(taco_writer *w, uint32_t level, const char *name,
                                      taco_type items);
/* Declares a column of any type, including nested ones; field is copied. */
TACO_API taco_status taco_writer_field(taco_writer *w, uint32_t level, const taco_field *field);
/* Adds a FILE with the bytes of a file, which is opened by opt->options->open_file if that is set.
   An id has no '/', '\\' or ':', does not start with "__", and is a valid file name; siblings have
   different ids. */
TACO_API taco_status taco_writer_file(taco_writer *w, const char *id, const char *path);
/* As taco_writer_file, with bytes in memory.

       w     the writer
       id    copied
       data  len bytes, written before the call returns; may be NULL with len 0
       len   number of bytes */
TACO_API taco_status taco_writer_bytes(taco_writer *w, const char *id, const void *data,
                                       size_t len);
/* As taco_writer_file, with a range of a source.

       w       the writer
       id      copied
       src     still belongs to the caller, and is not closed
       offset  of the first byte in the source
       size    number of bytes */
TACO_API taco_status taco_writer_range(taco_writer *w, const char *id, const taco_source *src,
                                       uint64_t offset, uint64_t size);
/* Adds a FILE of `size` bytes with this CRC-32 (of ZIP and zlib) to an archive of taco_create_sink
   without writing the bytes: the caller puts them at *offset of the output, before or after the
   writer is finished. This lets several processes share the work of one writer. Writes to the sink
   continue after them. The archive has the same bytes as with taco_writer_bytes. ARGUMENT for a
   FOLDER dataset.

       w       made by taco_create_sink
       id      copied
       size    size of the payload in bytes
       crc     CRC-32 of the payload, see taco_crc32
       offset  gets where the payload belongs in the output; not NULL */
TACO_API taco_status taco_writer_placed(taco_writer *w, const char *id, uint64_t size, uint32_t crc,
                                        uint64_t *offset);
/* Extends a CRC-32 (0: of no bytes) by len more bytes, and returns the result. */
TACO_API uint32_t taco_crc32(uint32_t crc, const void *data, size_t len);
/* Adds a FOLDER; samples until its _end are its children. Set its own columns after _begin, before
   its children, or after _end. */
TACO_API taco_status taco_writer_folder_begin(taco_writer *w, const char *id);
TACO_API taco_status taco_writer_folder_end(taco_writer *w);
/* Set a column of the sample that was begun or ended last, once. See opt->fill for columns that are
   not set. Integers can be stored in every integer, date, time and floating-point type that they
   fit; text also in dates and timestamps, as ISO 8601; NULL text is null. _set_array takes row
   `row` of an array of the column's type. TYPE when the column has another type. */
TACO_API taco_status taco_writer_set_null(taco_writer *w, const char *column);
TACO_API taco_status taco_writer_set_text(taco_writer *w, const char *column, const char *value);
/* Sets a column of TEXT, BINARY, FIXED or UUID.

       w       the writer
       column  its name
       data    len bytes, copied; may be NULL with len 0
       len     number of bytes; for FIXED and UUID the width of the column */
TACO_API taco_status taco_writer_set_bytes(taco_writer *w, const char *column, const void *data,
                                           size_t len);
TACO_API taco_status taco_writer_set_bool(taco_writer *w, const char *column, bool value);
TACO_API taco_status taco_writer_set_int(taco_writer *w, const char *column, int64_t value);
TACO_API taco_status taco_writer_set_double(taco_writer *w, const char *column, double value);
/* Sets a list of integers.

       w       the writer
       column  its name
       values  n numbers, copied; may be NULL with n 0
       n       number of values */
TACO_API taco_status taco_writer_set_ints(taco_writer *w, const char *column, const int64_t *values,
                                          size_t n);
/* Sets a list of floating-point numbers.

       w       the writer
       column  its name
       values  n numbers, copied; may be NULL with n 0
       n       number of values */
TACO_API taco_status taco_writer_set_doubles(taco_writer *w, const char *column,
                                             const double *values, size_t n);
/* Sets a column of any type.

       w       the writer
       column  its name
       values  an array of the column's type; borrowed during the call
       row     of the array, less than its length */
TACO_API taco_status taco_writer_set_array(taco_writer *w, const char *column,
                                           const taco_array *values, size_t row);
/* Checks the tree (PIT-1), writes the metadata, makes the dataset permanent and releases the
   writer. When this or an earlier call failed, nothing is left at path, and err says why. */
TACO_API taco_status taco_writer_finish(taco_writer *w, taco_error *err);
/* Discards what was written and releases the writer. */
TACO_API void taco_writer_abort(taco_writer *w);

/* Writes the samples that a query selects, with everything below them, as a new dataset at path,
   which must not exist. query may be NULL; its order, table and flat are refused. The collection is
   that of the source (the first, if there are several) with taco:subset_of and taco:subset_date,
   and with extent, taco:pit_schema and taco:field_schema of the samples written. Where consolidated
   offsets are wrong, __meta__ says where the bytes are. Payloads are read in the order of the
   source, several at a time if it has read_many. CHECKSUM, with its name, for one whose CRC-32 is
   not that in its archive, unless taco_options.keep_damaged is set. Memory: the ids and offsets of
   the samples, and a row group. On failure nothing is left at path.

       ds     the dataset to read
       path   of the new one, as taco_create takes it
       query  which samples; NULL: all
       opt    options of the new one; NULL: defaults */
TACO_API taco_status taco_export(taco_dataset *ds, const char *path, const taco_query *query,
                                 const taco_create_options *opt, taco_error *err);
/* The same for the rows of a cursor of taco_select or taco_view_rows: writes the samples of level 0
   that they are or belong to, each once, whole, in storage order, whatever columns and order the
   rows have. ARGUMENT for rows that are not samples (of GROUP BY, DISTINCT, JOIN, taco_sql,
   taco_read), STATE after taco_cursor_next. The cursor is closed, on failure too; its own failure
   takes precedence.

       rows  a cursor that has not been stepped; closed by the call
       path  of the new dataset, as taco_create takes it
       opt   options of the new dataset; NULL: defaults */
TACO_API taco_status taco_export_rows(taco_cursor *rows, const char *path,
                                      const taco_create_options *opt, taco_error *err);
/* The same for the rows of a taco_view (taco_sql.h).

       view  not changed
       path  as in taco_export_rows
       opt   as in taco_export_rows
       err   may be NULL */
#define taco_export_view(view, path, opt, err)                                                     \
    taco_export_rows(taco_view_rows((view), (err)), (path), (opt), (err))
/* Writes the whole dataset, including padding, into another container: archive to FOLDER and back,
   or a catalogue into one archive. The collection is the same except for counts. ARGUMENT if
   samples have different trees (PIT-1), unless opt->any_tree is set or the dataset is itself a
   subset; as in taco_validate, differences below level 1 are only a warning, apart from how many
   children its FOLDERs have. CORRUPT for a wrong extent, unless opt->new_extent is set, and, as in
   exports of all samples, for rows whose parent does not exist (other exports leave these out, with
   a warning).

       ds    the dataset to read
       path  of the new one, as taco_create takes it
       opt   options of the new one; NULL: defaults */
TACO_API taco_status taco_repack(taco_dataset *ds, const char *path, const taco_create_options *opt,
                                 taco_error *err);

/* ---- columns of the extensions (TACO 2.0 §8) ------------------------------------------------- */

/* RULES BY NAME. However these columns are set, taco_writer_finish refuses (ARGUMENT, TYPE) and
   taco_validate reports values that break these rules; null is always allowed:

     stac:crs, istac:crs, spatialgroup:code   text that is not empty
     stac:tensor_shape                        a list of integers, none negative
     stac:geotransform                        six finite doubles
     stac:time_start, _end, _middle; istac:   timestamps (or dates); start not after end
     stac:centroid, istac:centroid            WKB of one Point in -180..180, -90..90
     istac:geometry                           WKB, not empty
     split                                    train, test or validation (validate: a warning)
     scaling:scale_factor, scale_offset       a number or a list; no factor is 0
     scaling:padding                          a list of four integers
     majortom:code                            like 0100km_0003U_0005R, with any separator
     geotiff:stats, internal:stats            a list of numbers for each band
     geoenrich:admin_countries, _states,      text
     geoenrich:admin_districts
     other geoenrich: columns                 a number (float in tables of text) */

/* VALUES FROM ELSEWHERE. The reference's GeoEnrich fetches variables at each sample's location from
   Earth Engine. Here, whatever has such values (a raster, a service, a script) writes a table of
   them by sample id, which taco_create_directory or taco_add_columns turns into columns. Names:
   geoenrich:elevation, cisi, precipitation, temperature, soil_clay, soil_sand, soil_carbon,
   soil_bulk_density, soil_ph, gdp, human_modification, population (float), admin_countries,
   admin_states, admin_districts (text). These commands export the points of level 0, and add the
   columns to it:

       taco query s2.tacozip --select 'id,"stac:centroid"' --format csv > points.csv
       taco add s2.tacozip --samples values.csv        (id,geoenrich:elevation,...) */

/* A callback that converts a point in a CRS that taco_lonlat does not support to longitude and
   latitude (EPSG:4326); false when it cannot.

       ctx  the lonlat_ctx of the same struct
       crs  as in the column or the TIFF
       x    easting, in the units of the CRS
       y    northing
       out  gets longitude and latitude, in degrees */
typedef bool (*taco_lonlat_fn)(void *ctx, const char *crs, double x, double y, double out[2]);

/* Converts a point to longitude and latitude, in degrees. Supports, to about a nanometre of PROJ,
   geographic CRSs (EPSG:4326, 4979, 4258, 4269, OGC:CRS84), UTM zones (EPSG:326xx, 327xx, 258xx,
   269xx) and web mercator (EPSG:3857); crs is a code, a URN, or WKT that ends with its code.
   UNSUPPORTED for other CRSs, CORRUPT for points that are not on the globe.

       crs  a code, a URN, or WKT that ends with its code
       x    easting in metres, or longitude in degrees
       y    northing in metres, or latitude in degrees
       out  gets longitude and latitude, in degrees */
TACO_API taco_status taco_lonlat(const char *crs, double x, double y, double out[2],
                                 taco_error *err);

/* A raster; crs, shape and geotransform must be set, all else may be 0. */
typedef struct taco_stac {
    const char *crs;
    const int64_t *shape; /* of the tensor; rows and columns are last */
    size_t dimensions;
    double geotransform[6]; /* GDAL's */
    int64_t time_start;     /* microseconds since 1970, UTC */
    int64_t time_end;
    bool has_end;
    const double *centroid; /* longitude, latitude; NULL: the middle of the raster */
    taco_lonlat_fn lonlat;  /* for CRSs that taco_lonlat does not know; may be NULL */
    void *lonlat_ctx;
} taco_stac;

/* An irregular footprint. */
typedef struct taco_istac {
    const char *crs;
    taco_bytes geometry; /* WKB in crs */
    int64_t time_start, time_end;
    bool has_end;
    const double *centroid; /* NULL: that of the geometry */
    taco_lonlat_fn lonlat;
    void *lonlat_ctx;
    /* geographic CRSs: the centroid of a geometry across the antimeridian, whose longitudes jump
       there by more than 180 degrees, or whose parts are on both sides of it [as plane geometry] */
    bool antimeridian;
} taco_istac;

/* Fills *out with crs, shape and geotransform of a TIFF; strings and shape belong to t. UNSUPPORTED
   when it lacks one of them. */
TACO_API taco_status taco_stac_tiff(const taco_tiff *t, taco_stac *out, taco_error *err);
/* Compute centroids, in degrees: the middle of a raster (rotation is ignored, as in the reference),
   and the centroid of a geometry (of its areas, else of its lines, else of its points, in its own
   CRS). */
TACO_API taco_status taco_stac_centroid(const taco_stac *s, double out[2], taco_error *err);
TACO_API taco_status taco_istac_centroid(const taco_istac *s, double out[2], taco_error *err);

/* Declare the columns of an extension on a level, and set them on the sample that was begun last:
   stac:crs, tensor_shape, geotransform, time_start, centroid, time_end, time_middle; istac:crs,
   geometry, ...; split (train, test or validation); scaling:scale_factor, scale_offset (n numbers,
   as a list if `lists`), padding (top, right, bottom, left; NULL = null). ARGUMENT for what the
   extension forbids: an end before the start, a factor of 0, another split. */
TACO_API taco_status taco_writer_stac_columns(taco_writer *w, uint32_t level);
TACO_API taco_status taco_writer_set_stac(taco_writer *w, const taco_stac *s, taco_error *err);
TACO_API taco_status taco_writer_istac_columns(taco_writer *w, uint32_t level);
TACO_API taco_status taco_writer_set_istac(taco_writer *w, const taco_istac *s, taco_error *err);
TACO_API taco_status taco_writer_set_split(taco_writer *w, const char *split, taco_error *err);
TACO_API taco_status taco_writer_scaling_columns(taco_writer *w, uint32_t level, bool lists);
/* Sets the scaling columns of the sample that was begun last.

       w        the writer
       factors  n scale factors, none of them 0; copied. NULL: null
       offsets  n offsets; copied. NULL: null
       n        number of bands, 1 unless `lists`
       lists    whether the columns were declared as lists
       padding  pixels at top, right, bottom, left; NULL: null */
TACO_API taco_status taco_writer_set_scaling(taco_writer *w, const double *factors,
                                             const double *offsets, size_t n, bool lists,
                                             const int32_t padding[4], taco_error *err);

/* Writes the majortom:code of a point: the grid cell of about `km` kilometres (0 < km) that
   contains it, "0100km_0003U_0005R". out has room for 48 bytes.

       km   edge of a cell, in kilometres
       lon  degrees east
       lat  degrees north
       out  the caller's 48 bytes, which get the code, NUL-terminated */
TACO_API taco_status taco_majortom(double km, double lon, double lat, char *out, taco_error *err);

/* A MajorTOM grid; {0} = defaults, in brackets */
typedef struct taco_majortom_grid {
    double km;
    double south, north;   /* range of rows, by latitude of their southern edge [-85, 85] */
    double west, east;     /* range of columns, by longitude of their western edge [all] */
    const char *separator; /* between the three parts of a code ["_"] */
} taco_majortom_grid;

/* Writes the code of the cell that contains a point; the first row also contains points below it.

       grid  the grid
       lon   degrees east
       lat   degrees north
       out   the caller's buffer, which gets the code, NUL-terminated
       room  size of out in bytes: 72 and two separators are enough */
TACO_API taco_status taco_majortom_code(const taco_majortom_grid *grid, double lon, double lat,
                                        char *out, size_t room, taco_error *err);
/* Computes the south-western corner of the cell with this code. NOT_FOUND when the grid has no such
   cell.

       grid  the grid; NULL or without km: the grid of the code
       code  as taco_majortom_code makes it
       out   gets longitude and latitude, in degrees */
TACO_API taco_status taco_majortom_point(const taco_majortom_grid *grid, const char *code,
                                         double out[2], taco_error *err);

/* Computes spatialgroup:code for n points: neighbours along the Z curve form a group, numbered from
   0, of at most most_samples samples and most_bytes bytes. A point of NaN has no group
   (UINT32_MAX). Points at the same position on the curve keep their order. The reference writes
   group 7 as "sg0007".

       points        n pairs of longitude and latitude, in degrees
       sizes         n sizes in bytes; may be NULL if most_bytes is 0
       n             number of points
       most_samples  of a group; 0: any number
       most_bytes    of a group; 0: any number
       groups        the caller's array of n, which gets the groups */
TACO_API taco_status taco_spatial_groups(const double *points, const uint64_t *sizes, size_t n,
                                         uint64_t most_samples, uint64_t most_bytes,
                                         uint32_t *groups, taco_error *err);

/* Decoded pixels for geotiff:stats, for instance from GDALRasterIO as doubles, with NaN for no
   data. */
typedef struct taco_pixels {
    uint32_t bands;
    uint64_t count; /* pixels of each band */
    /* reads n pixels of a band, numbered from 0, from pixel `first` on */
    bool (*read)(void *ctx, uint32_t band, uint64_t first, double *out, size_t n);
    void *ctx;
    const int64_t *classes; /* compute the shares of these instead of min, max, mean, ... */
    size_t class_count;
    double scale, offset; /* real value = pixel * scale + offset; scale 0: not scaled */
} taco_pixels;

/* Declares the column geotiff:stats on a level. */
TACO_API taco_status taco_writer_stats_column(taco_writer *w, uint32_t level);
/* Sets it on the sample that was begun last: for each band min, max, mean, standard deviation,
   percentage of valid pixels and 25th, 50th, 75th, 95th percentile (from 100 buckets between min
   and max), or the shares of the classes. All pixels count; each is read twice. Null if a band has
   no valid pixel. */
TACO_API taco_status taco_writer_set_stats(taco_writer *w, const taco_pixels *p, taco_error *err);

typedef struct taco_label {
    const char *name, *category, *description; /* description may be NULL */
} taco_label;

typedef struct taco_publication {
    const char *doi, *citation, *summary; /* summary may be NULL */
} taco_publication;

/* This and the next three functions write members of COLLECTION.json, without braces around them,
   to be inserted into the object for taco_writer_collection. LIMIT when the buffer is too small.
   This one writes "labels:classes":[...],"labels:description":...,"labels:num_classes":n.

       labels       n classes; borrowed during the call. May be NULL with n 0
       n            number of classes
       description  of the classes as a whole; NULL: null
       out          the caller's buffer, which gets the text, NUL-terminated
       room         size of out in bytes */
TACO_API taco_status taco_labels_json(const taco_label *labels, size_t n, const char *description,
                                      char *out, size_t room, taco_error *err);
/* Writes the member "publications".

       list  n publications; borrowed during the call
       n     number of publications
       out   the caller's buffer, which gets the text, NUL-terminated
       room  size of out in bytes */
TACO_API taco_status taco_publications_json(const taco_publication *list, size_t n, char *out,
                                            size_t room, taco_error *err);
/* Writes "split:strategy": random, stratified, manual, other, none or unknown.

       strategy  one of these words
       out       the caller's buffer, which gets the text, NUL-terminated
       room      size of out in bytes */
TACO_API taco_status taco_split_json(const char *strategy, char *out, size_t room, taco_error *err);

typedef struct taco_band {
    const char *name, *common_name, *description, *unit; /* all but name may be NULL */
    double center_wavelength, full_width_half_max;       /* in unit; 0: not known */
} taco_band;

/* Writes "optical:sensor", "optical:bands", "optical:num_bands". If bands is NULL, uses built-in
   bands, in nanometres, of landsat1mss to 5mss, landsat4tm, 5tm, 7etm, 8oli, 9oli, sentinel2msi,
   eo1ali, aster and modis, or some of them: "sentinel2msi[B02,B03,B04]". Names, numbers, order and
   the missing unit are the reference's; descriptions are worded differently. Like the reference,
   they have the wavelengths of EO-1 ALI's B03 (MS-1, blue: 482.5 nm) and B04 (MS-2, green: 566 nm)
   swapped; pass bands to have them right.

       sensor  its name, followed by bands in brackets if only some are wanted
       bands   n bands; NULL: the built-in ones of the sensor
       n       number of bands; 0 with bands NULL
       out     the caller's buffer, which gets the text, NUL-terminated
       room    size of out in bytes */
TACO_API taco_status taco_optical_json(const char *sensor, const taco_band *bands, size_t n,
                                       char *out, size_t room, taco_error *err);

/* ---- a directory as a dataset ---------------------------------------------------------------- */

/* A table about samples, in memory. The extension of the name decides on the format: .csv (RFC
   4180, with a header), .parquet, .ndjson or .jsonl (one JSON object per line); with another one
   the file must be Parquet. Columns of Parquet keep their types in Parquet. Columns of text become
   bool, int64, uint64 (integers that need it), double, string or lists of numbers; *:time_start,
   *:time_middle and *:time_end times (ISO 8601), *:centroid and *:geometry WKB (from hexadecimal),
   *:geotransform doubles, geotiff:stats lists of lists, `id` always text; deeper nesting becomes a
   string of JSON.
   Columns of the extensions without any value get the type that they have in the reference. A
   column of NDJSON with incompatible types (text and numbers) is text, with a warning. A column of
   CSV stays text if a cell is neither a truth value nor a number that keeps it: 01234, +5, 1e400,
   integers beyond uint64, or of more than 53 bits beside fractions. In NDJSON numbers that do not
   fit are errors (SYNTAX), as are quotes without an end, keys given twice and UTF-16; tables
   without rows are ARGUMENT. Its fields and arrays suit taco_writer_field and
   taco_writer_set_array. */
typedef struct taco_table taco_table;
/* Reads a table. opt may be NULL. The caller closes it. NULL on failure. */
TACO_API taco_table *taco_table_open(const char *path, const taco_options *opt, taco_error *err);
/* Return all rows as one batch, and the fields of its *n columns. Both live as long as the
   table. */
TACO_API const taco_batch *taco_table_rows(const taco_table *t);
TACO_API const taco_field *taco_table_fields(const taco_table *t, size_t *n);
TACO_API void taco_table_close(taco_table *t);

/* {0} = defaults, in brackets */
typedef struct taco_directory_options {
    const taco_create_options *create;
    /* Tables about samples. Their `id` is a path relative to the source (tile_1/a.tif); the other
       columns become columns of each level where they have values. Samples with a row come first,
       in the order of the rows, the others by name. */
    const char *const *tables;
    size_t table_count;
    uint64_t split_size; /* most payload bytes of a dataset; parts are NAME_part0001... [one] */
    /* Columns of level 0, or id: makes a dataset NAME_VALUE for each of their values, in the order
       of the first samples. Values are written as by Python's str(), with one '_' for white space
       and characters that file systems refuse [none] */
    const char *const *group_by;
    size_t group_by_count;
    bool no_catalogue; /* for several archives [.tacocat next to them; see taco_options.replace] */
    /* Columns that are computed, unless a table has them: */
    /* stac:crs, tensor_shape, geotransform and centroid of *.tif and *.tiff; of FOLDERs those of
       the TIFFs in them, and stac:time_start and time_end of their rows, where they agree. A FOLDER
       whose TIFFs disagree has none; taco_options.warn is told of the first one */
    bool tiff;
    bool tacotiff; /* taco:header; UNSUPPORTED for TIFFs that are not TACOTIFFs */
    /* if > 0, majortom:code for the points of level 0: stac:centroid, else istac:centroid */
    double grid_km;
    uint64_t near_count, near_size; /* spatialgroup:code: see taco_spatial_groups [none] */
    /* called for each dataset made, and for the catalogue; after a failure only for archives that
       have replaced old ones before the next one could not. May be NULL */
    void (*made)(void *ctx, const char *path);
    void *made_ctx;
    /* Which entries become samples, by name patterns with *, ? and [a-z]: entries that match one of
       exclude do not and, if include has patterns, files that match none of them do not. Names that
       begin with '.' are left out unless `hidden` */
    const char *const *exclude, *const *include;
    size_t exclude_count, include_count;
    bool hidden;
    /* for grid_km: its range and separator; grid.km is not used */
    taco_majortom_grid grid;
    /* Do not compute columns from others: stac:centroid (from crs, geotransform, tensor_shape),
       istac:centroid (from crs, geometry), stac:time_middle and istac:time_middle (from start and
       end), which tables get as in the reference if they lack them [false] */
    bool no_derived;
    bool antimeridian; /* istac:centroid: see taco_istac */
    /* Computes geotiff:stats of *.tif and *.tiff (as taco_writer_set_stats), unless a table has it:
       fills *out with the pixels of the file at path; on failure the value is null, with *err as a
       warning. Classes come from below, scale and offset from scaling:scale_factor and scale_offset
       of the sample's row, if these are numbers. pixels_done is called for each that was filled
       [none] */
    bool (*pixels)(void *ctx, const char *path, taco_pixels *out, taco_error *err);
    void (*pixels_done)(void *ctx, taco_pixels *pixels);
    void *pixels_ctx;
    const int64_t *classes; /* compute the shares of these instead of min, max, mean, ... */
    size_t class_count;
    taco_lonlat_fn lonlat; /* centroids in CRSs that taco_lonlat does not know; may be NULL */
    void *lonlat_ctx;
} taco_directory_options;

/* Turns every entry of the directory source into a sample, a file into a FILE, a directory into a
   FOLDER, all the way down, and writes them as a dataset at path (see taco_create), or as several.
   collection: see taco_writer_collection; each of several datasets gets its own extent. Either all
   datasets are made or none, and archives that they replace stay until all are complete; if only
   their catalogue fails, they are kept, and err says so. NOT_FOUND for rows without a sample.
   Memory: the tables, and about 100 bytes per entry of the largest directories on a path.

       path        of the dataset, as taco_create takes it; several derive their names from it
       source      path of the directory to read
       collection  len bytes of JSON; not kept
       len         number of bytes
       how         tables, parts, computed columns; NULL: defaults */
TACO_API taco_status taco_create_directory(const char *path, const char *source,
                                           const char *collection, size_t len,
                                           const taco_directory_options *how, taco_error *err);

/* ---- archives and their TACO_HEADER --------------------------------------------------------- */

/* TACO_HEADER (spec 6.3), the first entry of an archive, lists up to seven ranges: in a dataset
   those of the level tables, from level 0 on, and of COLLECTION.json last. */
#define TACO_HEADER_RANGES 7
#define TACO_HEADER_BYTES  157 /* with the local header before it */

typedef struct taco_header_range {
    uint64_t offset, size;
} taco_header_range;

typedef struct taco_header {
    uint32_t count;
    taco_header_range ranges[TACO_HEADER_RANGES];
} taco_header;

/* Parses the first bytes of an archive, at least TACO_HEADER_BYTES, or just the 116 bytes of the
   entry. taco_header_bytes makes the former, dated 1980-01-01. Ranges are not compared with a file.

       first  len bytes from the beginning of the archive or the entry
       len    number of bytes; 116: only the entry
       out    gets the ranges, in bytes of the archive; not NULL */
TACO_API taco_status taco_header_parse(const void *first, size_t len, taco_header *out,
                                       taco_error *err);
TACO_API taco_status taco_header_bytes(const taco_header *h, uint8_t out[TACO_HEADER_BYTES],
                                       taco_error *err);
/* Reads the TACO_HEADER of a file, opened by opt->open_file if that is set; opt may be NULL.
   taco_header_write sets it; ranges must lie in the archive.

       path  of the archive
       opt   gives open_file; NULL: defaults
       out   gets the ranges, in bytes of the archive; not NULL */
TACO_API taco_status taco_header_read(const char *path, const taco_options *opt, taco_header *out,
                                      taco_error *err);
TACO_API taco_status taco_header_write(const char *path, const taco_header *h, taco_error *err);

/* A member of an archive: the file at path or, if that is NULL, len bytes of data. */
typedef struct taco_member {
    const char *name; /* in the archive: a relative path with '/' */
    const char *path;
    const void *data;
    size_t len;
    bool listed; /* put its range into TACO_HEADER, in the order of the members */
} taco_member;

/* {0} = defaults, in brackets */
typedef struct taco_archive_options {
    const taco_options *options;
    int64_t mtime;             /* of the entries, seconds since 1970, UTC [1980-01-01] */
    bool overwrite;            /* an existing file is replaced [ARGUMENT] */
    const taco_header *header; /* used instead of the ranges of listed members */
} taco_archive_options;

/* Writes any members, in their order, into an uncompressed archive with a TACO_HEADER. The archive
   appears complete or not at all. how may be NULL.

       path     of the archive to write
       members  n members, in the order of the archive; borrowed during the call
       n        number of members
       how      times, ranges, overwriting; NULL: defaults */
TACO_API taco_status taco_archive_create(const char *path, const taco_member *members, size_t n,
                                         const taco_archive_options *how, taco_error *err);
/* Replaces the bytes of the member with that name, and updates its range in TACO_HEADER if it is
   listed there. NOT_FOUND when there is no such member; ARGUMENT for DATA/... of a dataset, whose
   tables say where samples are. Like taco_add_columns, this and taco_header_write append to the
   archive: the old bytes and directory stay in the file, unused, and TACO_HEADER is changed once
   the rest is on disk. The archive is locked meanwhile. */
TACO_API taco_status taco_archive_replace(const char *path, const taco_member *member,
                                          taco_error *err);

/* ---- columns for an existing dataset --------------------------------------------------------- */

/* {0} = defaults, in brackets */
typedef struct taco_add_options {
    /* in place: codec, level, row_group_rows, mtime, fill are used; for an output all */
    const taco_create_options *create;
    /* as in taco_directory_options: `id` is the path of a sample, tile_1/a.tif */
    const char *const *tables;
    size_t table_count;
    bool replace; /* replace existing columns with the same names [ARGUMENT] */
} taco_add_options;

/* Adds the columns of tables to the dataset at path, in place, or writes a new dataset, in either
   container, to output.

   An archive's payload stays where it is: new __meta__, level tables and COLLECTION.json are
   appended and, once they are on disk, TACO_HEADER is changed to point to them. Whoever opens the
   archive sees the old columns or the new ones, even after a crash; other ZIP readers need the
   complete file. The old metadata stays in the file, unused, until taco_repack drops it. The
   archive is locked meanwhile: IO for a second writer, and when another file takes its name before
   the new columns take effect. After a failure the archive is unchanged.

   In a FOLDER (spec 6.4) every __meta__, the level tables and COLLECTION.json are replaced one
   after another, each file as a whole. A reader in between, and anyone after a crash, finds old
   columns in some and new ones in others; a second call with `replace` completes the change.
   COLLECTION.json is locked meanwhile.

   ARGUMENT for samples without a row (null with create.fill), NOT_FOUND for rows without a sample,
   UNSUPPORTED for other datasets without an output, and for Avro tables. Memory: the tables twice,
   the directory of the archive, about 60 bytes per sample.

       path    of an archive or FOLDER
       output  path of a new dataset; NULL: path itself is changed
       how     tables, and options of what is written */
TACO_API taco_status taco_add_columns(const char *path, const char *output,
                                      const taco_add_options *how, taco_error *err);

#ifdef __cplusplus
}
#endif
#endif /* TACO_WRITE_H */

#if defined(TACO_IMPLEMENTATION) && !defined(TACO__WRITE_IMPLEMENTED)
#define TACO__WRITE_IMPLEMENTED
#include "taco_parquet_inspect.h" /* its implementation too, where only its declarations were seen before */
#include "taco_parquet_write.h" /* its implementation too, where only its declarations were seen before */
#include "taco_tiff.h" /* its implementation too, where only its declarations were seen before */

/* Made from these files of src/ by `make headers`; edit them, not this.

   base/file_copy.h                     copying bytes from files, sources and memory, and making directories from them
   base/file_copy.c                     inputs of a copy, and making and filling directories
   validate/validate.h                  checks a dataset against every rule of the format
   validate/rules.c                     what ids, column names and COLLECTION.json may hold; shared by writers and checks
   validate/collection_extent.c         extent: the box and the time span of all samples, from their columns
   validate/column_rules.c              what the columns of the extensions may hold, by name
   validate/findings.c                  problems found by validation: place, count, when to stop
   validate/check_replaced.c            bytes of an archive that taco add has replaced
   validate/declared_type.c             whether a column has the type that a contract declares as text
   validate/check_zip.c                 the records of an archive: header, directory, local headers and bytes
   validate/check_payloads.c            the bytes of every entry of an archive against their CRC-32
   validate/check_collection.c          COLLECTION.json alone, and compared with the tables
   validate/check_tree.c                children of every row, names for messages, and the rules of the tree: PIT-1
   validate/check_level.c               METADATA/levelN.parquet: columns, every row, ids, ranges, paths, parents
   validate/check_extensions.c          the values of extension columns of a level, against their rules
   validate/check_extent.c              extents against the samples that they are said to bound
   validate/check_meta.c                __meta__ of every FOLDER against the level below: rows, columns, cells
   validate/check_dataset.c             taco_validate: opens a dataset and runs every check in order
   validate/check_unlisted.c            files in the directories of a FOLDER dataset that no row lists
   validate/check_catalogue.c           a catalogue against its archives: rows, levels, collection, taco:sources
   validate/check_sources.c             a merged collection (TACOLLECTION.json) and the datasets that it names
   write/write.h                        creates, exports, merges, extends and repairs datasets
   write/tree.c                         ids, types, parents and places of all samples of a dataset being written
   write/pit_schema.c                   taco:pit_schema: patterns of children, counted from the tree
   write/collection_document.c          COLLECTION.json: the user's fields in order, and computed ones
   write/level_tables.c                 METADATA/levelN.parquet and the __meta__ of every FOLDER
   write/zip_write.c                    writes an archive: local headers, central directory, ZIP64, TACO_HEADER
   write/payload_ranges.c               makes sure that no more payload is written than the source has
   write/payload_batch.c                the bytes of many samples, read, summed and written by the host's parallel_for
   write/samples_ahead.c                files of a FOLDER dataset, opened by tasks before they are copied
   write/container_write.c              an archive or a FOLDER from a tree: payloads, level tables, COLLECTION.json
   write/column_builder.c               a user's column, built row by row, then read in slices
   write/dataset_writer.c               taco_create and taco_writer_*: samples, folders and columns one by one
   write/sample_values.c                taco_writer_set_*: values of the sample that was begun last, by column name
   write/extensions.c                   columns of STAC, ISTAC, split and scaling, and their centroids
   write/spatial_codes.c                majortom:code of a point, and groups of neighbours along the Z curve
   write/collection_members.c           labels, publications, split and optical bands for COLLECTION.json
   write/band_statistics.c              geotiff:stats: statistics of the pixels of each band
   write/export_source.c                columns and payloads of an export, read from the source dataset
   write/export.c                       taco_export, taco_export_rows, taco_repack: samples of a dataset in a new container
   write/catalogue.c                    taco_create_tacocat and taco_create_tacollection: many datasets as one
   write/merged_collection.c            the collection of many datasets, with counts and extent of all
   write/catalogue_tables.c             tables of a catalogue: rows of all parts, in a directory or one file
   write/repair.c                       taco_repair: a dataset rewritten around the same payloads
   write/repair_tree.c                  the tree of a repaired dataset: rows by __meta__, places by the directory
   write/sample_tables.c                tables about samples from CSV, NDJSON or Parquet, in memory
   write/sample_rows.c                  rows of the tables about samples, found by the path of their sample
   write/directory_parts.c              which dataset a sample goes into: groups by value, parts by size
   write/directory_ahead.c              many files of a directory, opened by tasks before they are stored
   write/from_directory.c               taco_create_directory: every file below a directory as a sample
   write/directory_scan.c               entries of a directory in the order of their samples
   write/directory_values.c             values of a sample: from its row, its TIFF header, its position
   write/directory_places.c             grid and times of a FOLDER, from the TIFFs below it
   write/derived_columns.c              centroids and middles of times, from the columns of a table
   write/add_columns.c                  taco_add_columns: adds columns of tables to an existing dataset
   write/archive_edit.c                 TACO_HEADER alone, and archives with any members
*/

/* ==== src/base/file_copy.h ==== */
/* file_copy.h - copying bytes from files, sources and memory, and making directories from them

   For the writers of archives and folders: an input is a file, a range of a source or bytes in
   memory, read by taco__input_read; the functions of directories make the folders of a dataset. All
   of it is in file_copy.c. */
#ifndef TACO__BASE_FILE_COPY_H
#define TACO__BASE_FILE_COPY_H

/* #include "temporary.h" */

typedef struct taco__input {
    taco_source source;
    uint64_t offset, size; /* range of the source */
    bool own;              /* taco__input_close closes the source */
    /* The bytes may be read until the output is finished: the source stays open, and nobody changes
       it. */
    bool later;
    /* which of several files the range is in, from 1, for callers that compare ranges; 0:
       unknown */
    uint64_t archive;
    /* The CRC-32 that the bytes must have, if that is known. */
    bool has_crc;
    uint32_t crc;
} taco__input;

TACO__FN void taco__input_from_bytes(taco__input *in, taco_bytes b);
TACO__FN void taco__input_from_range(taco__input *in, const taco_source *src, uint64_t offset,
                                     uint64_t size);
#ifndef TACO_NO_STDIO
TACO__FN bool taco__input_open_file(taco__input *in, const char *path, taco_error *err);
#endif
/* The same without a reason for failures; *in borrows page, which holds the bytes of a small
   file. */
TACO__FN bool taco__input_open_paged(taco__input *in, const char *path,
                                     uint8_t page[TACO__PLAT_PAGE]);
/* Many small files in one directory: opened by name only, read with one call, closed together. */
TACO__FN bool taco__dir_open(taco__plat_dir *dir, const char *path);
TACO__FN void taco__dir_close(taco__plat_dir *dir);
TACO__FN bool taco__input_open_listed(taco__input *in, taco__plat_dir *dir, const char *name,
                                      uint8_t page[TACO__PLAT_PAGE]);
/* The same directory for a task: files that it opens are read, and closed by _end_task. */
TACO__FN void taco__dir_begin_task(taco__plat_dir *own, const taco__plat_dir *dir);
TACO__FN void taco__dir_end_task(taco__plat_dir *own);
/* Whether tasks may call taco__input_read concurrently. */
TACO__FN bool taco__input_tasks_may_read(const taco__input *in);
TACO__FN void taco__input_close(taco__input *in);
TACO__FN bool taco__input_read(const taco__input *in, uint64_t at, void *dst, size_t len,
                               taco_error *err);

#if TACO__DIRS
/* Writes a new file of these bytes; buffer has TACO__OUTPUT_BYTES. If they must have a CRC-32, that
   of the bytes written is returned in *crc; NULL: it is not compared. */
TACO__FN bool taco__dir_write_file(const char *path, const taco__input *in, uint8_t *buffer,
                                   uint32_t *crc, taco_error *err);
TACO__FN bool taco__dir_make(const char *path, taco_error *err);
TACO__FN bool taco__dir_make_new(const char *path, taco_error *err);
TACO__FN bool taco__dir_sync(const char *file);
TACO__FN bool taco__dir_commit(taco__temporary *from, const char *to, const char *file,
                               taco_error *err);
#endif

#endif /* TACO__BASE_FILE_COPY_H */
/* ==== src/base/file_copy.c ==== */
/* file_copy.c - inputs of a copy, and making and filling directories

   An input hides whether bytes come from a file, from a range of an archive or from memory. Files
   are copied inside the kernel if possible, else through a buffer of TACO__OUTPUT_BYTES. A
   directory of a dataset is created with a temporary name (temporary.h) and renamed by
   taco__dir_commit when everything in it is on the disk. On systems without directories (TACO__DIRS
   is 0) there are only inputs. Start with taco__dir_write_file. */
/* #include "file_copy.h" */
/* #include "base.h" */
/* #include "sink.h" */

/* ---- inputs ---- */

/* b is borrowed until the input is closed. */
TACO__FN void taco__input_from_bytes(taco__input *in, taco_bytes b)
{
    memset(in, 0, sizeof *in);
    taco_source_memory(&in->source, b.data, b.len);
    in->size = b.len;
}

/* A range that lies inside the source; the caller keeps the source. */
TACO__FN void taco__input_from_range(taco__input *in, const taco_source *src, uint64_t offset,
                                     uint64_t size)
{
    memset(in, 0, sizeof *in);
    in->source = *src;
    in->offset = offset;
    in->size = size;
}

#ifndef TACO_NO_STDIO
TACO__FN bool taco__input_open_file(taco__input *in, const char *path, taco_error *err)
{
    memset(in, 0, sizeof *in);
    in->own = taco_source_file(&in->source, path, err) == TACO_OK;
    in->size = in->source.size;
    return in->own;
}
#endif

TACO__FN bool taco__input_open_paged(taco__input *in, const char *path,
                                     uint8_t page[TACO__PLAT_PAGE])
{
#ifndef TACO_NO_STDIO
    taco_error why = {0, TACO_OK, 0, {0}};
    size_t size;
    bool ok = taco__input_open_file(in, path, &why);
    if (!ok || in->size > TACO__PLAT_PAGE) { return ok; }
    size = (size_t)in->size;
    ok = taco__input_read(in, 0, page, size, &why);
    taco__input_close(in);
    taco__input_from_bytes(in, taco__bytes_of(page, size));
    return ok;
#else
    (void)in;
    (void)path;
    (void)page;
    return false;
#endif
}

/* A directory whose files will be read; false if the system has nothing faster for that than
   opening their paths. */
TACO__FN bool taco__dir_open(taco__plat_dir *dir, const char *path)
{
    memset(dir, 0, sizeof *dir);
#ifdef TACO__OPEN_AT
    dir->fd = open(path, O_RDONLY | O_NONBLOCK);
    return dir->fd >= 0;
#else
    (void)path;
    return false;
#endif
}

TACO__FN void taco__dir_close(taco__plat_dir *dir)
{
#ifdef TACO__OPEN_AT
    taco__plat_close_deferred(dir);
    close(dir->fd);
#else
    (void)dir;
#endif
}

/* A regular file listed in such a directory. False without an error: opening its path then reports
   what is wrong. *in borrows page, which holds the bytes of a small file. */
TACO__FN bool taco__input_open_listed(taco__input *in, taco__plat_dir *dir, const char *name,
                                      uint8_t page[TACO__PLAT_PAGE])
{
#ifdef TACO__OPEN_AT
    taco__plat_file file;
    uint64_t size;
    bool whole;
    memset(in, 0, sizeof *in);
    if (!taco__plat_open_at(dir, name, &file, &size, page, &whole)) { return false; }
    if (whole) {
        taco__input_from_bytes(in, taco__bytes_of(page, (size_t)size));
    } else {
        taco__source_file_init(&in->source, file, size);
        in->size = size;
        in->own = true;
    }
    return true;
#else
    (void)in;
    (void)dir;
    (void)name;
    (void)page;
    return false;
#endif
}

TACO__FN void taco__dir_begin_task(taco__plat_dir *own, const taco__plat_dir *dir)
{
    memset(own, 0, sizeof *own);
    own->fd = dir->fd;
}

TACO__FN void taco__dir_end_task(taco__plat_dir *own)
{
#ifdef TACO__OPEN_AT
    taco__plat_close_deferred(own);
#else
    (void)own;
#endif
}

TACO__FN bool taco__input_tasks_may_read(const taco__input *in)
{
#ifdef TACO_NO_STDIO
    return in->size == 0;
#else
    return in->size == 0 || (TACO__PREAD && in->source.read == taco__source_file_read);
#endif
}

TACO__FN void taco__input_close(taco__input *in)
{
    if (in->own && in->source.close) { in->source.close(in->source.ctx); }
    memset(in, 0, sizeof *in);
}

/* Reads bytes [at, at + len), which lie inside the input. */
TACO__FN bool taco__input_read(const taco__input *in, uint64_t at, void *dst, size_t len,
                               taco_error *err)
{
    bool ok = len == 0 || in->source.read(in->source.ctx, in->offset + at, dst, len);
    if (!ok) {
        TACO__FAIL(err, TACO_ERR_IO, in->offset + at, "reading %u bytes failed", TACO__U(len));
    }
    return ok;
}

/* ---- files and directories of a FOLDER being made ---- */

#if TACO__DIRS
/* Copies inside the kernel as far as possible; returns how many bytes from the start. */
static uint64_t taco__dir_copy_range(FILE *f, const taco__input *in)
{
    uint64_t at = 0;
    while (in->source.read == taco__source_file_read && at < in->size) {
        size_t n = taco__plat_copy_range(TACO__FILE_FROM_CTX(in->source.ctx), in->offset + at, f,
                                         at, (size_t)TACO__MIN(in->size - at, (uint64_t)1 << 30));
        if (n == 0) { break; }
        at += n;
    }
    return at;
}

TACO__FN bool taco__dir_write_file(const char *path, const taco__input *in, uint8_t *buffer,
                                   uint32_t *crc, taco_error *err)
{
    taco_bytes name = taco__bytes_text(path);
    taco__plat_id id;
    uint64_t at;
    bool ok, taken = false, sums = crc && in->has_crc;
    FILE *f = taco__plat_create_file(path, &id, &taken);
    if (taken) {
        TACO__FAIL(err, TACO_ERR_IO, TACO_NO_OFFSET, "cannot be written: %q, which already exists",
                   &name);
    }
    if (!f) {
        taco__sink_open_error(path, err);
        return false;
    }
    setvbuf(f, NULL, _IONBF, 0);
    /* the kernel copies without a sum */
    at = sums ? 0 : taco__dir_copy_range(f, in);
    if (sums) { *crc = 0; }
    /* the rest goes through the buffer; the file's own position may not have moved */
    ok = at == 0 || at == in->size || TACO__FSEEK(f, at, SEEK_SET) == 0;
    if (!ok) {
        TACO__FAIL(err, TACO_ERR_IO, at, "writing to %q failed%s", &name,
                   taco__plat_cause(taco__plat_reason()));
    }
    while (ok && at < in->size) {
        size_t n = (size_t)TACO__MIN(in->size - at, (uint64_t)TACO__OUTPUT_BYTES);
        ok = taco__input_read(in, at, buffer, n, err);
        if (ok && sums) { *crc = taco__crc32(*crc, buffer, n); }
        if (ok && fwrite(buffer, 1, n, f) != n) {
            TACO__FAIL(err, TACO_ERR_IO, at, "writing %u bytes to %q failed%s", TACO__U(n), &name,
                       taco__plat_cause(taco__plat_reason()));
            ok = false;
        }
        at += n;
    }
    if (fclose(f) != 0 && ok) {
        TACO__FAIL(err, TACO_ERR_IO, at, "writing to %q failed%s", &name,
                   taco__plat_cause(taco__plat_reason()));
        ok = false;
    }
    return ok;
}

/* Creates a directory that did not exist. */
TACO__FN bool taco__dir_make_new(const char *path, taco_error *err)
{
    taco_bytes name = taco__bytes_text(path);
    int reason;
    if (TACO__MKDIR(path) == 0) { return true; }
    reason = taco__plat_reason();
    TACO__FAIL(err, TACO_ERR_IO, TACO_NO_OFFSET, "the directory cannot be made: %q%s", &name,
               taco__plat_name_exists(path) ? ", which already exists" : taco__plat_cause(reason));
    return false;
}

/* Creates a directory, or accepts an existing one. */
TACO__FN bool taco__dir_make(const char *path, taco_error *err)
{
    uint64_t size;
    return TACO__MKDIR(path) == 0 || taco__plat_stat(path, &size) == TACO__PATH_DIRECTORY ||
           taco__dir_make_new(path, err);
}

/* True if everything written to the file system of `file` has reached the disk, as far as the
   system has a call for that. */
TACO__FN bool taco__dir_sync(const char *file)
{
    FILE *f = fopen(file, TACO__SYNC_MODE);
    bool ok = f && TACO__SYNC_ALL(f) == 0;
    if (f) { fclose(f); }
    return ok;
}

/* Makes sure that everything written to the file system of `file` reaches the disk, as far as the
   system has a call for that, and renames the directory to `to`, which must not exist, or be what
   it may replace: of two writers the second one fails here. */
TACO__FN bool taco__dir_commit(taco__temporary *from, const char *to, const char *file,
                               taco_error *err)
{
    taco_bytes name = taco__bytes_text(to);
    bool ok = taco__dir_sync(file), taken;
    taken = ok && !from->replaces && taco__plat_name_exists(to);
    if (!ok || taken || !taco__temporary_rename(from, to)) {
        TACO__FAIL(err, TACO_ERR_IO, TACO_NO_OFFSET, "the directory cannot be completed: %q%s",
                   &name,
                   taken || (ok && taco__plat_name_exists(to))
                       ? ", which another writer has made in the meantime"
                       : "");
        return false;
    }
    return true;
}
#endif
/* ==== src/validate/validate.h ==== */
/* validate.h - checks a dataset against every rule of the format

       rules.c             what ids, names and COLLECTION.json may hold: also the writer's rules
       column_rules.c      what columns of the extensions may hold: also the writer's rules
       findings.c          problems with their places and counts; the hash of paths
       declared_type.c     Arrow's names of types against columns
       check_zip.c         the records of an archive, compared with each other
       check_payloads.c    CRCs of payloads
       check_collection.c  COLLECTION.json alone, and compared with the tables
       check_tree.c        children of every row, names for messages, PIT-1
       check_level.c       a level table: columns, rows, ids, ranges, paths
       check_extensions.c  the values of extension columns of a level
       check_meta.c        __meta__ of a FOLDER against the level below
       check_dataset.c     taco_validate: all checks in order. Start here
       check_replaced.c    bytes of an archive that taco add has replaced
       check_unlisted.c    files of a FOLDER dataset that no row lists
       check_sources.c     a merged collection and the datasets it names
       check_catalogue.c   a catalogue against its archives
       check_extent.c      extents against the samples
       collection_extent.c the extent of all samples; also the writer's

   It offers taco_validate, the rules to src/write, and the state of a checked dataset
   (taco__check_dataset) to repair and merge, which rebuild from it.

   A check returns false only if it could not be made (out of memory), with *err set; faults of
   the dataset become problems in taco__findings, and the check continues as long as it can.
   Loops end once findings.stop is set, at the caller's request. Structs are zeroed by their _init
   or by the caller, and their _close may be called at any time. Arrays of rows are in the arena
   of the dataset, buffers of the records in taco__buf. */
#ifndef TACO__VALIDATE_H
#define TACO__VALIDATE_H

/* #include "../api/taco_write.h" */
/* #include "../base/base.h" */
/* #include "../base/json.h" */
/* #include "../parquet_inspect/inspect.h" */
/* #include "../dataset/dataset.h" */

/* Begins the id of a row that only fills a folder up to a number of children (§5.5). */
#define TACO__RULES_PADDING TACO__PADDING_PREFIX "__"

/* ---- collection_extent.c ---- */

/* Box and time span of the samples so far, zeroed at first. Longitudes are gathered twice, the
   second time from 0 to 360: that box is narrower for samples on both sides of the antimeridian. */
typedef struct taco__extent {
    bool box, times;                 /* something was found */
    bool loose, loose_times;         /* something else may lie outside of the box, or the times */
    uint32_t box_level;              /* the first level that is in the box */
    double west, south, east, north; /* degrees */
    double west360, east360;
    int64_t first, last; /* microseconds since 1970 */
    uint8_t unplaced;    /* a bit for each level with samples at unknown positions */
} taco__extent;

TACO__FN void taco__extent_join(taco__extent *s, const taco__extent *more);
TACO__FN void taco__extent_add_batch(taco__extent *s, uint32_t level, const taco_batch *b,
                                     taco__mem *mem);
TACO__FN bool taco__extent_read(taco__extent *s, taco_dataset *ds, taco__mem *mem, taco_error *err);
TACO__FN bool taco__extent_box_covers(const taco__extent *s, const double box[4]);
TACO__FN bool taco__extent_times_cover(const taco__extent *s, const char *const text[2]);
TACO__FN void taco__extent_box(const taco__extent *s, double box[4]);
TACO__FN void taco__extent_time_texts(const taco__extent *s, char text[2][48]);
TACO__FN bool taco__extent_is_unknown(const taco__extent *s);
TACO__FN bool taco__extent_is_told(const taco__extent *s, const taco__json *otherwise);
TACO__FN void taco__extent_write(const taco__extent *s, const taco__json *otherwise,
                                 taco__json_writer *w);

/* ---- COLLECTION.json ---- */

/* Receives each breach of a rule; returns false to stop. A warning is a breach of something the
   reference requires but the specification does not. `what` is valid during the call. */
typedef bool (*taco__rules_report_fn)(void *ctx, bool warning, const taco_error *what);

/* Slots for rules in one table: a power of two, well above the number of rules. */
#define TACO__FINDINGS_RULES 256

/* How many problems of one rule were reported in the current table. A rule is identified by the
   hash of its message's format: line numbers differ between src/ and the generated headers, and may
   coincide in two files. */
typedef struct taco__findings_rule {
    uint64_t hash; /* 0: free */
    uint64_t reported;
} taco__findings_rule;

/* What one validation has found so far; the parts of a catalogue share it. */
typedef struct taco__findings {
    const taco_validate_options *how;
    taco_validated *sum;
    taco_error first;   /* the first error, its place included; what validation returns */
    bool stop;          /* stopped by the caller: nothing more is reported or read */
    const char *part;   /* "east.tacozip: " for a part of a catalogue, or "" */
    const char *clause; /* clause for the following problems, or NULL */
    char where[512];    /* place of the following problems */
    taco__findings_rule rules[TACO__FINDINGS_RULES]; /* a hash table */
    uint64_t unreported;  /* problems of this table that were counted only */
    uint64_t done, total; /* bytes of payload, for progress */
} taco__findings;

/* Its first argument, the format of the message. */
#define TACO__FINDINGS_FORMAT(format, ...) (format)

/* Reports a problem at the current place, or only counts it if its rule has been broken often in
   this table. The arguments after `error` are a format and its values, as for TACO__FAIL. */
#define TACO__FINDINGS_REPORT(f, error, ...)                                                       \
    do { /* a problem that is only counted needs no text */                                        \
        if (taco__findings_may_report((f), (error), TACO__FINDINGS_FORMAT(__VA_ARGS__, 0))) {      \
            taco_error taco__e;                                                                    \
            memset(&taco__e, 0, sizeof taco__e);                                                   \
            TACO__FAIL(&taco__e, TACO_ERR_CORRUPT, TACO_NO_OFFSET, __VA_ARGS__);                   \
            taco__findings_report((f), (error), &taco__e);                                         \
        }                                                                                          \
    } while (0)
#define TACO__FINDINGS_ERROR(f, ...) TACO__FINDINGS_REPORT(f, true, __VA_ARGS__)
#define TACO__FINDINGS_WARN(f, ...)  TACO__FINDINGS_REPORT(f, false, __VA_ARGS__)
/* A problem with the clause that it breaks: "document, section". */
#define TACO__FINDINGS_CLAUSE(f, error, text, ...)                                                 \
    do {                                                                                           \
        (f)->clause = (text);                                                                      \
        TACO__FINDINGS_REPORT(f, error, __VA_ARGS__);                                              \
        (f)->clause = NULL;                                                                        \
    } while (0)
/* Names and paths as hashes. The hash of a longer path continues from that of its beginning, so
   that a row's path is its parent's and the id. A collision can hide a fault, but does no other
   harm. */
#define TACO__FINDINGS_HASH_SEED ((uint64_t)0xCBF29CE484222325U)

/* An entry of the central directory; 56 bytes, as archives have millions of them. */
typedef struct taco__check_zip_entry {
    uint64_t name;        /* taco__findings_hash_path */
    uint64_t local, data; /* offsets of its local header and its bytes */
    uint64_t size;
    uint64_t at; /* offset of its header in the directory */
    uint32_t crc;
    bool placed; /* the local header agrees: data is known */
    bool listed; /* a row or the TACO_HEADER names it */
    bool stored; /* neither compressed nor encrypted: its bytes are the payload */
} taco__check_zip_entry;

/* The records of one archive. The caller sets the first four. */
typedef struct taco__check_zip {
    taco__findings *f;
    taco__file *file;
    taco__mem *mem;
    taco__arena *arena;
    const taco_options *options; /* parallel_for to use; may be NULL */
    taco__zip_dir dir;           /* places and sizes from the end records */
    taco_bytes directory;        /* the bytes of the central directory, in dir_bytes or in memory */
    taco__buf dir_bytes, scratch;
    bool known;                     /* the whole directory was read */
    bool differs;                   /* the TACO_HEADER disagrees with the directory */
    taco__check_zip_entry *entries; /* sorted by offset of their local headers */
    uint32_t *by_name;              /* indexes of entries, sorted by the hash of their names */
    size_t count;
    taco__index header; /* TACO_HEADER; count 0: not readable */
} taco__check_zip;

#define TACO__CHECK_TREE_BATCH 4096 /* rows read at a time */

/* A level in memory: what is compared, one or two numbers per row; names are read again if a
   message needs one. */
typedef struct taco__check_tree_level {
    taco__level *l; /* NULL: not readable */
    size_t rows;
    uint64_t *path;         /* hash of "DATA/" and the path, without a '/' at the end */
    uint64_t *key;          /* hash of type and id: equal for rows that PIT treats as the same */
    int64_t *offset, *size; /* ZIP, TACOCAT; NULL without the columns */
    uint8_t *folder;        /* 0, 1, or 2 if the type is neither */
    uint32_t *source;       /* TACOCAT: index of the archive */
    uint8_t *seen;          /* not TACOCAT: a bit for each internal:current_id */
    /* rows of the level below: kids[first[row]] to kids[first[row + 1]] */
    int32_t *first, *kids;
    /* a window of ids and paths, for messages */
    taco__row_reader names;
    size_t name_first, name_count;
    bool names_open;
} taco__check_tree_level;

/* All levels of a dataset, and the state their checks share. */
typedef struct taco__check_tree_state {
    taco__findings *f;
    taco__container *s;
    taco__mem *mem;
    taco__arena *arena;
    taco__check_zip *zip; /* NULL, or not known: there is no directory to compare with */
    uint32_t count;
    taco__check_tree_level levels[TACO__MAX_LEVELS];
    taco__join sources;            /* TACOCAT: the archives by name */
    taco__buf text, other, window; /* scratch of one check at a time */
    taco__extent span;             /* of the rows of all levels */
    uint32_t level;                /* of the row being checked, for its place in messages */
    size_t row;
} taco__check_tree_state;

/* An error at row t->row of t->level. */
#define TACO__CHECK_LEVEL_ERROR(t, ...)                                                            \
    do {                                                                                           \
        taco__check_level_set_place(t);                                                            \
        TACO__FINDINGS_ERROR((t)->f, __VA_ARGS__);                                                 \
    } while (0)

/* Rows of two tables that must have the same cells: row a_rows[i] of a, or i, and row b_rows[i] of
   b, for n of them. */
typedef struct taco__check_meta_tables {
    taco__check_tree_state *t;
    const taco__table *a, *b;
    const char *other; /* name of b, for messages */
    const uint32_t *a_rows, *b_rows;
    size_t n;
} taco__check_meta_tables;

/* ---- a dataset ---- */

/* State for one archive, folder or catalogue; each part of a catalogue gets one, one after
   another. */
typedef struct taco__check_dataset {
    taco__findings *f;
    taco__mem *mem;
    taco_options options;
    taco__arena arena;
    taco__container store;
    bool open;           /* store has to be closed */
    taco__check_zip zip; /* for an archive, else zero */
    taco__check_tree_state tree;
} taco__check_dataset;

/* ---- rules.c: TACO_OK, or a breach in *err (NULL allowed) ---- */

TACO__FN bool taco__rules_is_padding(taco_bytes id);
TACO__FN taco_status taco__rules_check_id(taco_bytes id, taco_error *err);
TACO__FN taco_status taco__rules_check_file_name(taco_bytes id, taco_error *err);
TACO__FN bool taco__rules_is_format_column(taco_bytes name);
TACO__FN taco_status taco__rules_check_own_name(taco_bytes name, taco_error *err);
TACO__FN taco_status taco__rules_check_column_name(taco_bytes name, taco_error *err);
TACO__FN bool taco__rules_is_null(const taco__json *n);
TACO__FN void taco__rules_check_collection(const taco__json_doc *doc, bool made,
                                           taco__rules_report_fn found, void *ctx);
TACO__FN bool taco__rules_stop_at_first(void *ctx, bool warning, const taco_error *what);

/* ---- column_rules.c: columns by name. _check_type and _check_rows do all there is ---- */

/* Receives each breach, with its row counted from the start of the arrays; returns false to
   stop. */
typedef bool (*taco__column_rule_report_fn)(void *ctx, const taco_field *column, size_t row,
                                            const taco_error *what);

TACO__FN bool taco__column_rule_exists(const char *name);
TACO__FN size_t taco__column_rule_types(const char *name, taco_type out[3]);
TACO__FN taco_status taco__column_rule_check_type(const taco_field *f, taco_error *err);
TACO__FN taco_status taco__column_rule_check_split(taco_bytes split, taco_error *err);
TACO__FN taco_status taco__column_rule_check_factor(double factor, taco_error *err);
TACO__FN taco_status taco__column_rule_check_times(int64_t start, int64_t end, taco_error *err);
TACO__FN bool taco__column_rule_check_rows(const taco_array *columns, size_t n, size_t rows,
                                           taco__column_rule_report_fn report, void *ctx);

/* ---- findings.c: set the place, report, end the table ---- */

TACO__FN void taco__findings_set_place(taco__findings *f, const char *where, ...);
TACO__FN void taco__findings_report(taco__findings *f, bool error, const taco_error *e);
/* True if a problem of this rule should be reported: validation has not been stopped, and the rule
   was not reported too often in this table. Otherwise it is counted here, and the caller need not
   format the message. */
TACO__FN bool taco__findings_may_report(taco__findings *f, bool error, const char *rule);
TACO__FN void taco__findings_add(taco__findings *f, bool error, const char *rule,
                                 const taco_error *e);
TACO__FN bool taco__findings_take_error(taco__findings *f, taco_error *e);
TACO__FN void taco__findings_end_table(taco__findings *f, const char *table);
TACO__FN void taco__findings_progress(taco__findings *f, uint64_t bytes);
TACO__FN bool taco__findings_read_crc(taco__findings *f, taco__file *file, taco__range r,
                                      taco__buf *window, uint32_t *crc, taco_error *e);
TACO__FN uint64_t taco__findings_hash_path(uint64_t h, taco_bytes b);

/* ---- declared_type.c ---- */

TACO__FN bool taco__declared_type_matches(const char *declared, const taco_field *f);

/* ---- check_zip.c: _run, then levels, then _unlisted, then _close ---- */

TACO__FN void taco__check_zip_close(taco__check_zip *z);
TACO__FN taco_bytes taco__check_zip_name(const taco__check_zip *z, const taco__check_zip_entry *e);
TACO__FN taco__check_zip_entry *taco__check_zip_find(const taco__check_zip *z, uint64_t hash);
TACO__FN bool taco__check_zip_records(taco__check_zip *z, uint64_t limit, taco_error *err);
TACO__FN bool taco__check_zip_run(taco__check_zip *z, uint64_t limit, taco_error *err);
TACO__FN void taco__check_zip_unlisted(taco__check_zip *z);

/* ---- check_payloads.c: entries that _run has placed ---- */

TACO__FN uint32_t taco__check_payloads_join(uint32_t a, uint32_t b, uint64_t len);
TACO__FN bool taco__check_payloads_run(taco__check_zip *z, taco_error *err);

/* ---- check_collection.c: _document any time, _tables when children are linked ---- */

TACO__FN void taco__check_collection_document(taco__findings *f, const taco__collection *c);
TACO__FN bool taco__check_collection_tables(taco__check_tree_state *t, taco_error *err);

/* ---- check_tree.c: names and children of rows; _pit when children are linked ---- */

TACO__FN void taco__check_tree_close(taco__check_tree_state *t);
TACO__FN taco_bytes taco__check_tree_name(taco__check_tree_state *t, uint32_t level, size_t row,
                                          bool path, taco_error *err);
TACO__FN taco_bytes taco__check_tree_path(taco__check_tree_state *t, uint32_t level, size_t row);
TACO__FN bool taco__check_tree_link_children(taco__check_tree_state *t, uint32_t level,
                                             taco_error *err);
TACO__FN size_t taco__check_tree_children(const taco__check_tree_state *t, uint32_t level,
                                          size_t row, const int32_t **kids);
TACO__FN bool taco__check_tree_is_subset(const taco__check_tree_state *t);
TACO__FN void taco__check_tree_pit(taco__check_tree_state *t);

/* ---- check_level.c ---- */

TACO__FN void taco__check_level_set_place(taco__check_tree_state *t);
TACO__FN bool taco__check_level_column(taco__findings *f, const taco__table *table, size_t column,
                                       const char *name, bool text, bool error);
TACO__FN void taco__check_level_id(taco__findings *f, taco_bytes id, bool valid);
TACO__FN bool taco__check_level_parquet(taco__findings *f, taco_pq_file *pq, taco_error *err);
TACO__FN bool taco__check_level_run(taco__check_tree_state *t, uint32_t level, taco_error *err);

/* ---- check_extensions.c: a level that was checked ---- */

TACO__FN bool taco__check_extensions_level(taco__check_tree_state *t, uint32_t level,
                                           taco_error *err);

/* ---- check_extent.c: when all rows have been read ---- */

TACO__FN void taco__check_extent_run(taco__findings *f, const taco__json *extent,
                                     const taco__extent *s, bool error);
TACO__FN void taco__check_extent_source(taco__findings *f, const taco__collection *merged,
                                        const char *document, const char *name,
                                        const taco_options *options, const char *path,
                                        const taco__extent *s);

/* ---- check_meta.c: a level whose children are linked; any two tables of the same rows ---- */

TACO__FN bool taco__check_meta_columns(const taco__check_meta_tables *d, taco__arena *arena,
                                       taco_error *err);
TACO__FN bool taco__check_meta_level(taco__check_tree_state *t, uint32_t level, taco_error *err);

/* ---- check_dataset.c: _open, then _one or _archive and _tables, then _close ---- */

TACO__FN void taco__check_dataset_close(taco__check_dataset *c);
TACO__FN taco__check_dataset *taco__check_dataset_open(taco__findings *f, taco__mem *mem,
                                                       const taco_options *opt, taco_error *err);
TACO__FN bool taco__check_dataset_archive(taco__check_dataset *c, taco__file *file,
                                          taco_error *err);
TACO__FN bool taco__check_dataset_levels(taco__check_dataset *c, taco_error *err);
TACO__FN bool taco__check_dataset_tables(taco__check_dataset *c, taco_error *err);
TACO__FN bool taco__check_dataset_one(taco__check_dataset *c, const char *path,
                                      const taco_source *src, taco_error *err);

/* ---- check_replaced.c ---- */

TACO__FN bool taco__check_replaced_is_metadata(taco__check_zip *z, uint64_t from, uint64_t end);
/* Whether the bytes [from, end), at least one, are the beginning of what taco add writes. */
TACO__FN bool taco__check_replaced_begins(taco__check_zip *z, uint64_t from, uint64_t end);

/* ---- check_unlisted.c ---- */

TACO__FN bool taco__check_unlisted_run(taco__check_dataset *c, taco_error *err);
TACO__FN bool taco__check_unlisted_below(taco__findings *f, taco__container *s, const char *path,
                                         const taco__hash_map *listed, taco_error *err);

/* ---- check_sources.c ---- */

TACO__FN bool taco__check_sources_run(taco__check_dataset *c, const char *path, taco_error *err);

/* ---- check_catalogue.c ---- */

TACO__FN bool taco__check_catalogue_part(taco__check_dataset *cat, uint32_t source,
                                         taco_error *err);
TACO__FN void taco__check_catalogue_sources(taco__check_dataset *c);

#endif /* TACO__VALIDATE_H */
/* ==== src/validate/rules.c ==== */
/* rules.c - what ids, column names and COLLECTION.json may hold; shared by writers and checks

   In: only values (an id, a name, a parsed document), never a dataset; out: TACO_OK or the broken
   rule as an error, or for documents one call of `found` for each breach. TACO 2.0.0 §5.5
   (padding), §5.6 (fields of the collection), §5.6.1 (ids), §7.1.2 and §7.2.3 (columns).

   The writer (src/write) stops at the first breach (taco__rules_stop_at_first); validation
   (check_collection.c, check_level.c) reports them all. A breach of something that the reference
   implementation requires but the specification does not is a warning. Start reading at
   taco__rules_check_collection. */
/* #include "validate.h" */
/* #include "../base/base.h" */
/* #include "../base/json.h" */
/* #include "../dataset/dataset.h" */

/* ---- rules of samples ---- */

/* True for "__TACOPAD__" and digits: a row that only pads a folder (§5.5). */
TACO__FN bool taco__rules_is_padding(taco_bytes id)
{
    size_t i, n = sizeof TACO__RULES_PADDING - 1;
    bool ok = id.len > n && taco__bytes_starts_with(id, TACO__RULES_PADDING);
    for (i = n; ok && i < id.len; i++) {
        ok = id.data[i] >= '0' && id.data[i] <= '9';
    }
    return ok;
}

/* §5.6: no slash, backslash or colon; no double underscore at the start, unless it is padding. It
   must also be valid UTF-8, as Parquet's strings are. */
TACO__FN taco_status taco__rules_check_id(taco_bytes id, taco_error *err)
{
    uint8_t any = 0;
    size_t i;
    for (i = 0; i < id.len; i++) {
        uint8_t b = id.data[i];
        any |= b;
        if (b == '/' || b == '\\' || b == ':') {
            char c[2] = {0, 0};
            c[0] = (char)b;
            return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                              "id %q contains '%s'; an id has no '/', '\\' and ':'", &id, c);
        }
    }
    if (taco__bytes_starts_with(id, "__") && !taco__rules_is_padding(id)) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "id %q starts with '__', which is reserved for padding", &id);
    }
    if ((any & 0x80) && !taco__utf8_valid(id)) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "id %q is not UTF-8", &id);
    }
    return TACO_OK;
}

/* Further requirements for an id that names a file, in a FOLDER or when an archive is unpacked. */
TACO__FN taco_status taco__rules_check_file_name(taco_bytes id, taco_error *err)
{
    if (id.len == 0) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "an id is empty; it names a file");
    }
    if ((id.len == 1 && id.data[0] == '.') ||
        (id.len == 2 && id.data[0] == '.' && id.data[1] == '.')) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "id %q is a directory's name for itself or the one above", &id);
    }
    if (memchr(id.data, 0, id.len) != NULL) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "id %q has a zero byte; it names a file", &id);
    }
    if (taco__bytes_equal(id, taco__bytes_text("__meta__"))) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "id %q is the name of the local metadata", &id);
    }
    return TACO_OK;
}

/* Columns that the format or its readers make, whose stored values mean nothing in another dataset
   (§7.2.3). */
static const char *const taco__rules_format_columns[] = {"id",
                                                         "type",
                                                         "internal:current_id",
                                                         "internal:parent_id",
                                                         "internal:offset",
                                                         "internal:size",
                                                         "internal:relative_path",
                                                         "internal:source_file",
                                                         "internal:source_path",
                                                         "internal:gdal_vsi",
                                                         "internal:subfile",
                                                         "internal:file_format",
                                                         "internal:id",
                                                         "internal:type"};

/* True for the format's own columns. `path` is none: it is a field of a sample (§5.5.1), which no
   stored table has, and so a user's column like any other. */
TACO__FN bool taco__rules_is_format_column(taco_bytes name)
{
    size_t i;
    for (i = 0; i < TACO__COUNT(taco__rules_format_columns); i++) {
        if (taco__bytes_equal(name, taco__bytes_text(taco__rules_format_columns[i]))) {
            return true;
        }
    }
    return false;
}

/* A user's column has none of the format's names, nor one that differs from them only in case: for
   DuckDB, with which the reference reads, these are the same. internal:stats is what band
   statistics were called once. */
TACO__FN taco_status taco__rules_check_own_name(taco_bytes name, taco_error *err)
{
    static const char internal[] = "internal:";
    taco_bytes first = taco__bytes_of(name.data, TACO__MIN(name.len, sizeof internal - 1));
    if ((!taco__ascii_is_word(name, "id") && !taco__ascii_is_word(name, "type") &&
         !taco__ascii_is_word(first, internal)) ||
        taco__bytes_equal(name, taco__bytes_text("internal:stats"))) {
        return TACO_OK;
    }
    return TACO__FAIL(
        err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
        "column %q: id, type and internal:* are the format's own, in any case; rename "
        "the column, or leave it out",
        &name);
}

/* §7.1.2: letters, digits and underscores, with at most one colon between them; and none of the
   format's names. */
TACO__FN taco_status taco__rules_check_column_name(taco_bytes name, taco_error *err)
{
    size_t i, colons = 0, run = 0;
    bool ok = name.len != 0;
    for (i = 0; ok && i < name.len; i++) {
        uint8_t c = name.data[i];
        if (c == ':') {
            ok = run != 0 && ++colons == 1;
            run = 0;
        } else {
            ok = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                 c == '_';
            run++;
        }
    }
    if (!ok || run == 0) {
        return TACO__FAIL(
            err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
            "column %q: a name is letters, digits and '_', with one ':' between at most", &name);
    }
    return taco__rules_check_own_name(name, err);
}

/* One pass over a document: where breaches go, and whether the caller has stopped it. */
typedef struct taco__rules_check {
    taco__rules_report_fn found;
    void *ctx;
    bool stopped;
} taco__rules_check;

static uint64_t taco__rules_offset(const taco__json *n)
{
    return n ? n->begin : TACO_NO_OFFSET;
}

/* Passes a breach to the caller, unless it has stopped the check. */
static void taco__rules_report(taco__rules_check *c, bool warning, const taco_error *what)
{
    c->stopped = c->stopped || !c->found(c->ctx, warning, what);
}

/* Reports a breach of a rule at node n, whose byte in the document is the offset of the error. */
#define TACO__RULES_REPORT(c, warning, n, ...)                                                     \
    do {                                                                                           \
        taco_error taco__e;                                                                        \
        memset(&taco__e, 0, sizeof taco__e);                                                       \
        TACO__FAIL(&taco__e, TACO_ERR_ARGUMENT, taco__rules_offset(n), __VA_ARGS__);               \
        taco__rules_report((c), (warning), &taco__e);                                              \
    } while (0)

/* True for a missing or null member: the format does not distinguish them. */
TACO__FN bool taco__rules_is_null(const taco__json *n)
{
    return !n || n->type == TACO__JSON_NULL;
}

/* A member that is a string: required ones must not be empty, others may be null or missing. */
static void taco__rules_check_text(taco__rules_check *c, const taco__json *root, const char *key,
                                   bool required)
{
    const taco__json *n = taco__json_get(root, key);
    if (taco__json_is(n, TACO__JSON_STRING) ? (required && n->count == 0)
                                            : (required || !taco__rules_is_null(n))) {
        TACO__RULES_REPORT(c, false, n ? n : root, "%s must be a string%s, found %s", key,
                           required ? " that is not empty" : " or null",
                           taco__json_is(n, TACO__JSON_STRING) ? "an empty one"
                                                               : taco__json_type_name(n));
    }
}

/* A member that is an array of strings, none of them empty; required ones have at least one. */
static void taco__rules_check_texts(taco__rules_check *c, const taco__json *root, const char *key,
                                    bool required)
{
    const taco__json *n = taco__json_get(root, key), *item;
    size_t i;
    if (!required && taco__rules_is_null(n)) { return; }
    if (!taco__json_is(n, TACO__JSON_ARRAY) || (required && n->count == 0)) {
        TACO__RULES_REPORT(c, false, n ? n : root, "%s must be an array of strings%s, found %s",
                           key, required ? ", at least one" : "",
                           taco__json_is(n, TACO__JSON_ARRAY) ? "an empty one"
                                                              : taco__json_type_name(n));
        return;
    }
    for (i = 0, item = taco__json_first(n); i < n->count; i++, item = taco__json_next(item)) {
        if (!taco__json_is(item, TACO__JSON_STRING) || item->count == 0) {
            TACO__RULES_REPORT(c, false, item,
                               "%s[%u] must be a string that is not empty, found %s", key,
                               TACO__U(i),
                               taco__json_is(item, TACO__JSON_STRING) ? "an empty one"
                                                                      : taco__json_type_name(item));
        }
    }
}

/* A string of a contact, if present: it begins with one of two prefixes, or contains a
   character. */
static void taco__rules_check_contact_text(taco__rules_check *c, const taco__json *who,
                                           const char *key, size_t i, const char *name)
{
    const taco__json *n = taco__json_get(who, name);
    taco_bytes text = taco__json_bytes(n);
    if (taco__rules_is_null(n)) { return; }
    if (!taco__json_is(n, TACO__JSON_STRING)) {
        TACO__RULES_REPORT(c, false, n, "%s[%u].%s must be a string, found %s", key, TACO__U(i),
                           name, taco__json_type_name(n));
    } else if (strcmp(name, "url") == 0 && text.len && !taco__bytes_starts_with(text, "http://") &&
               !taco__bytes_starts_with(text, "https://")) {
        TACO__RULES_REPORT(c, true, n, "%s[%u].url is %q, must begin with http:// or https://", key,
                           TACO__U(i), &text);
    } else if (strcmp(name, "email") == 0 && text.len && !memchr(text.data, '@', text.len)) {
        TACO__RULES_REPORT(c, true, n, "%s[%u].email is %q, must contain '@'", key, TACO__U(i),
                           &text);
    }
}

/* providers and curators: objects with a name or an organization (§5.6), roles and addresses. */
static void taco__rules_check_contacts(taco__rules_check *c, const taco__json *root,
                                       const char *key, bool required)
{
    static const char *const texts[] = {"name", "organization", "email", "role", "url"};
    const taco__json *n = taco__json_get(root, key), *who;
    size_t i, k;
    if (!required && taco__rules_is_null(n)) { return; }
    if (!taco__json_is(n, TACO__JSON_ARRAY) || (required && n->count == 0)) {
        TACO__RULES_REPORT(c, false, n ? n : root, "%s must be an array of objects%s, found %s",
                           key, required ? ", at least one" : "",
                           taco__json_is(n, TACO__JSON_ARRAY) ? "an empty one"
                                                              : taco__json_type_name(n));
        return;
    }
    for (i = 0, who = taco__json_first(n); i < n->count; i++, who = taco__json_next(who)) {
        if (!taco__json_is(who, TACO__JSON_OBJECT)) {
            TACO__RULES_REPORT(c, false, who, "%s[%u] must be an object, found %s", key, TACO__U(i),
                               taco__json_type_name(who));
            continue;
        }
        if (taco__json_bytes(taco__json_get(who, "name")).len == 0 &&
            taco__json_bytes(taco__json_get(who, "organization")).len == 0) {
            TACO__RULES_REPORT(c, false, who, "%s[%u] must have a name or an organization", key,
                               TACO__U(i));
        }
        for (k = 0; k < TACO__COUNT(texts); k++) {
            taco__rules_check_contact_text(c, who, key, i, texts[k]);
        }
        if (!taco__rules_is_null(taco__json_get(who, "roles"))) {
            const taco__json *roles = taco__json_get(who, "roles"), *role;
            bool ok = taco__json_is(roles, TACO__JSON_ARRAY);
            for (k = 0, role = taco__json_first(roles); ok && k < roles->count;
                 k++, role = taco__json_next(role)) {
                ok = taco__json_is(role, TACO__JSON_STRING);
            }
            if (!ok) {
                TACO__RULES_REPORT(c, false, roles, "%s[%u].roles must be an array of strings", key,
                                   TACO__U(i));
            }
        }
    }
}

/* The id of a dataset (§5.6): lower case letters, digits, '_' and '-'. Letters of other scripts are
   accepted, as in the reference: non-ASCII bytes are not checked. */
static void taco__rules_check_dataset_id(taco__rules_check *c, const taco__json *root)
{
    const taco__json *n = taco__json_get(root, "id");
    taco_bytes id = taco__json_bytes(n);
    size_t i;
    bool ok = id.len != 0;
    for (i = 0; ok && i < id.len; i++) {
        uint8_t b = id.data[i];
        ok = (b >= 'a' && b <= 'z') || (b >= '0' && b <= '9') || b == '_' || b == '-' || b >= 0x80;
    }
    if (!taco__json_is(n, TACO__JSON_STRING)) {
        TACO__RULES_REPORT(c, false, n ? n : root, "id must be a string, found %s",
                           taco__json_type_name(n));
    } else if (!ok) {
        TACO__RULES_REPORT(c, false, n, "id is %q, must be lower case letters, digits, '_' and '-'",
                           &id);
    }
}

/* tasks: strings (§5.6); the reference accepts only those on its own list. */
static void taco__rules_check_tasks(taco__rules_check *c, const taco__json *root)
{
    static const char *const known[] = {"regression",
                                        "classification",
                                        "scene-classification",
                                        "detection",
                                        "object-detection",
                                        "segmentation",
                                        "semantic-segmentation",
                                        "instance-segmentation",
                                        "panoptic-segmentation",
                                        "similarity-search",
                                        "generative",
                                        "image-captioning",
                                        "super-resolution",
                                        "denoising",
                                        "inpainting",
                                        "colorization",
                                        "style-transfer",
                                        "deblurring",
                                        "dehazing",
                                        "foundation-model",
                                        "other"};
    const taco__json *n = taco__json_get(root, "tasks"), *task;
    size_t i, k, count = taco__json_length(n);
    taco__rules_check_texts(c, root, "tasks", true);
    for (i = 0, task = count ? taco__json_first(n) : NULL; i < count;
         i++, task = taco__json_next(task)) {
        taco_bytes word = taco__json_bytes(task);
        for (k = 0; k < TACO__COUNT(known) && !taco__json_equals(task, known[k]); k++) {}
        if (k == TACO__COUNT(known) && word.len) {
            TACO__RULES_REPORT(c, true, task,
                               "tasks[%u] is %q, must be one of the 21 known tasks (regression, "
                               "classification, ..., other)",
                               TACO__U(i), &word);
        }
    }
}

/* extent: a box as taco__collection_check_extent requires it, which may be missing if there are
   times (samples in a CRS whose degrees the writer did not know); times in ISO 8601, the end not
   before the start. */
static void taco__rules_check_extent(taco__rules_check *c, const taco__collection *coll)
{
    taco_error what;
    int64_t us[2] = {0, 0};
    size_t i;
    bool date, ok = true;
    memset(&what, 0, sizeof what);
    if (taco__collection_check_extent(coll, &what) != TACO_OK) {
        taco__rules_report(c, false, &what);
        return;
    }
    if (taco__json_is(coll->extent, TACO__JSON_OBJECT) && !coll->has_spatial &&
        (taco__json_get(coll->extent, "spatial") || !coll->has_temporal)) {
        TACO__RULES_REPORT(c, false, coll->extent,
                           "extent.spatial must be four numbers: west, south, east, north");
    }
    for (i = 0; coll->has_temporal && i < 2; i++) {
        taco_bytes text = taco__bytes_text(coll->temporal[i]);
        if (!taco__time_parse(text, &us[i], &date)) {
            TACO__RULES_REPORT(c, false, coll->extent,
                               "extent.temporal[%u] is %q, must be an ISO 8601 date and time",
                               TACO__U(i), &text);
            ok = false;
        }
    }
    if (coll->has_temporal && ok && us[0] > us[1]) {
        TACO__RULES_REPORT(c, false, coll->extent, "extent.temporal: the start is after the end");
    }
}

/* taco_version: a version of the specification (§5.6, §8), of which this is 2; the reference writes
   0.5.0 into all its datasets. Readers accept any text, so another one is a warning; writers refuse
   it nevertheless. */
static void taco__rules_check_version(taco__rules_check *c, const taco__json *root, bool made)
{
    const taco__json *n = taco__json_get(root, "taco_version");
    taco_bytes text = taco__json_bytes(n);
    taco__rules_check_text(c, root, "taco_version", !made || n);
    if (text.len && !taco__collection_is_version(text)) {
        TACO__RULES_REPORT(c, true, n, "taco_version is %q, must be a version such as 2.0.0",
                           &text);
    } else if (text.len && !taco__bytes_starts_with(text, "2.") &&
               !taco__bytes_equal(text, taco__bytes_text("0.5.0"))) {
        TACO__RULES_REPORT(c, true, n,
                           "taco_version is %q, must be that of TACO 2, 2.x, or 0.5.0, as the "
                           "reference has it",
                           &text);
    }
}

/* Checks an object against every rule for the fields of a collection (§5.6); stops when `found`
   returns false. made: the document is about to be written, so fields that the writer fills in may
   be missing. taco:pit_schema is not checked here, but in dataset/collection.c when it is read. */
TACO__FN void taco__rules_check_collection(const taco__json_doc *doc, bool made,
                                           taco__rules_report_fn found, void *ctx)
{
    taco__rules_check c;
    taco__collection coll;
    const taco__json *root = doc->root;
    const taco__json *title = taco__json_get(root, "title");
    taco_bytes text = taco__json_bytes(title);
    size_t i, letters = 0;
    c.found = found;
    c.ctx = ctx;
    c.stopped = false;
    taco__rules_check_dataset_id(&c, root);
    if (!c.stopped) { taco__rules_check_version(&c, root, made); }
    if (!c.stopped) { taco__rules_check_text(&c, root, "dataset_version", true); }
    if (!c.stopped) { taco__rules_check_text(&c, root, "description", true); }
    if (!c.stopped) { taco__rules_check_texts(&c, root, "licenses", true); }
    if (!c.stopped) { taco__rules_check_contacts(&c, root, "providers", true); }
    if (!c.stopped) { taco__rules_check_tasks(&c, root); }
    if (!c.stopped) {
        taco__rules_check_text(&c, root, "title", false);
        for (i = 0; i < text.len; i++) {
            letters += (text.data[i] & 0xC0) != 0x80;
        }
        if (letters > 250) {
            TACO__RULES_REPORT(&c, false, title, "title has %u characters, at most 250",
                               TACO__U(letters));
        }
    }
    if (!c.stopped) { taco__rules_check_contacts(&c, root, "curators", false); }
    if (!c.stopped) { taco__rules_check_texts(&c, root, "keywords", false); }
    if (!c.stopped) {
        memset(&coll, 0, sizeof coll);
        coll.doc = *doc;
        coll.extent = taco__json_get(root, "extent");
        taco__collection_read_extent(&coll);
        taco__rules_check_extent(&c, &coll);
    }
}

/* A taco__rules_report_fn for writers: keeps the first breach in ctx, a taco_error, and stops.
   Warnings count too, so that everything we write passes the reference's rules. */
TACO__FN bool taco__rules_stop_at_first(void *ctx, bool warning, const taco_error *what)
{
    taco_error *err = (taco_error *)ctx;
    (void)warning;
    if (err->code == TACO_OK) { *err = *what; }
    return false;
}
/* ==== src/validate/collection_extent.c ==== */
/* collection_extent.c - extent: the box and the time span of all samples, from their columns

   In: batches of every level; out: the value of "extent", and whether another one covers the
   samples. TACO 2.0 §5.6 (extent), §8 (stac:centroid, stac:time_start, istac:...).

   Footprints count as well as centroids, in degrees as queries compare them, and all three times,
   so that the result bounds every sample. Longitudes are gathered twice, from -180 and from 0:
   samples on both sides of the antimeridian get the narrower box, whose west is then greater than
   its east. If a sample has a CRS but no centroid, its position is unknown, and a box without it
   would hide it from queries by extent: then there is no extent. Samples without any position get
   the whole globe, as §7.1.3 requires. `loose` is set if some geometry is in no CRS that is
   converted, or cannot be read: then the box bounds the others only. */
/* #include "validate.h" */
/* #include "../base/base.h" */
/* #include "../base/json.h" */
/* #include "../geo/geo.h" */

/* The columns of times that queries compare by default, and the others of a period. */
static const char *const taco__extent_times[] = {"istac:time_start", "istac:time_middle",
                                                 "istac:time_end",   "stac:time_start",
                                                 "stac:time_middle", "stac:time_end"};

/* ---- boxes ---- */

/* Extends the box by [west, south, east, north], where a footprint across 180 degrees continues
   past it. False if these are no degrees. */
static bool taco__extent_add_box(taco__extent *s, const double in[4])
{
    double low[2], high[2], west, east, turned;
    bool crosses;
    low[0] = high[0] = 0;
    low[1] = in[1];
    high[1] = in[3];
    if (!taco__projection_clamp(low) || !taco__projection_clamp(high) || !(in[0] >= -360.1) ||
        !(in[2] <= 360.1) || !(in[2] >= in[0])) {
        return false;
    }
    west = in[0] < -180.000001 ? in[0] + 360 : in[0] > 180.000001 ? in[0] - 360 : in[0];
    west = TACO__MAX(-180, TACO__MIN(180, west));
    east = west + (in[2] - in[0]);
    crosses = east > 180.000001;
    turned = west < 0 ? west + 360 : west;
    if (!s->box) {
        s->west = s->west360 = 1e9;
        s->east = s->east360 = -1e9;
        s->south = low[1];
        s->north = high[1];
        s->box = true;
    }
    s->west = TACO__MIN(s->west, crosses ? -180 : west);
    s->east = TACO__MAX(s->east, TACO__MIN(east, 180));
    s->south = TACO__MIN(s->south, low[1]);
    s->north = TACO__MAX(s->north, high[1]);
    crosses = turned + (east - west) > 360;
    s->west360 = TACO__MIN(s->west360, crosses ? 0 : turned);
    s->east360 = TACO__MAX(s->east360, crosses ? 360 : turned + (east - west));
    return true;
}

/* Adds the bounds of the geometry (WKB) of a row, whose CRS is converted to degrees if code is not
   0; true if it has a position that is now in the box. */
static bool taco__extent_add_geometry(taco__extent *s, taco_bytes wkb, int32_t code,
                                      taco__buf *scratch)
{
    double b[4];
    bool empty = true;
    if (!taco__box_bounds_in_degrees(code, wkb, scratch, b, &empty)) {
        s->loose = true;
        return false;
    }
    if (!empty && !taco__extent_add_box(s, b)) { s->loose = true; }
    return !empty;
}

/* Adds a column of geometries in degrees, or, with crs, in the CRS of each row. */
static void taco__extent_add_geometries(taco__extent *s, const taco_array *a, const taco_array *crs,
                                        taco__mem *mem)
{
    taco_bytes known = taco__bytes_of(NULL, 0);
    taco__buf scratch;
    int32_t code = 0;
    bool comparable = true;
    size_t i;
    memset(&scratch, 0, sizeof scratch);
    scratch.mem = mem;
    for (i = 0; i < a->length; i++) {
        taco_bytes text = crs ? taco_array_bytes(crs, i) : known;
        if (!taco_array_valid(a, i)) { continue; }
        if (!taco__bytes_equal(text, known)) {
            known = text;
            comparable = taco__box_crs_to_degrees(text, &code);
        }
        if (!comparable) {
            s->loose = true;
            continue;
        }
        taco__extent_add_geometry(s, taco_array_bytes(a, i), code, &scratch);
    }
    taco__buf_free(&scratch);
}

/* Records that a row has a CRS but no centroid. centroid and crs may be NULL. */
static void taco__extent_find_unplaced(taco__extent *s, uint32_t level, const taco_array *crs,
                                       const taco_array *centroid)
{
    size_t i;
    for (i = 0; crs && i < crs->length && !(s->unplaced >> level & 1); i++) {
        if (taco_array_bytes(crs, i).len && !(centroid && taco_array_valid(centroid, i))) {
            s->unplaced |= (uint8_t)(1U << level);
        }
    }
}

/* ---- times ---- */

/* Adds every instant of a column of times or dates. */
static void taco__extent_add_times(taco__extent *s, const taco_array *a)
{
    size_t i;
    for (i = 0; i < a->length; i++) {
        int64_t t;
        if (!taco__array_read_micros(a, i, &t)) {
            s->loose_times = s->loose_times || taco_array_valid(a, i);
            continue;
        }
        s->first = s->times ? TACO__MIN(s->first, t) : t;
        s->last = s->times ? TACO__MAX(s->last, t) : t;
        s->times = true;
    }
}

/* ---- batches ---- */

/* The column with that name, NULL if there is none. *loose is set if it cannot be one of `type` or
   of `other`, but queries might read it. */
static const taco_array *taco__extent_column(const taco_batch *b, const char *name, taco_type type,
                                             taco_type other, bool *loose)
{
    size_t i;
    for (i = 0; i < b->column_count; i++) {
        const taco_array *a = &b->columns[i];
        if (strcmp(a->field->name, name) != 0) { continue; }
        if (a->field->type == type || a->field->type == other) { return a; }
        *loose = *loose || a->field->type != TACO_NULL;
    }
    return NULL;
}

/* Adds the centroids and footprints of a batch. */
static void taco__extent_add_places(taco__extent *s, uint32_t level, const taco_batch *b,
                                    taco__mem *mem)
{
    static const char *const names[2][2] = {{"stac:centroid", "stac:crs"},
                                            {"istac:centroid", "istac:crs"}};
    const taco_array *footprint =
        taco__extent_column(b, "istac:geometry", TACO_BINARY, TACO_FIXED, &s->loose);
    bool had = s->box, ignored = false;
    size_t k;
    for (k = 0; k < 2; k++) {
        const taco_array *centroid =
            taco__extent_column(b, names[k][0], TACO_BINARY, TACO_FIXED, &s->loose);
        const taco_array *crs = taco__extent_column(b, names[k][1], TACO_TEXT, TACO_TEXT, &ignored);
        taco__extent_find_unplaced(s, level, crs, centroid);
        if (centroid) { taco__extent_add_geometries(s, centroid, NULL, mem); }
        if (k && footprint) { taco__extent_add_geometries(s, footprint, crs, mem); }
    }
    if (!had && s->box) { s->box_level = level; }
}

/* Adds a batch of a level: centroids and footprints, and every start, middle and end. */
TACO__FN void taco__extent_add_batch(taco__extent *s, uint32_t level, const taco_batch *b,
                                     taco__mem *mem)
{
    size_t i;
    taco__extent_add_places(s, level, b, mem);
    for (i = 0; i < TACO__COUNT(taco__extent_times); i++) {
        const taco_array *a = taco__extent_column(b, taco__extent_times[i], TACO_TIMESTAMP,
                                                  TACO_DATE, &s->loose_times);
        if (a) { taco__extent_add_times(s, a); }
    }
}

/* Adds the rows of a dataset, from those of its columns that queries compare by default. */
TACO__FN bool taco__extent_read(taco__extent *s, taco_dataset *ds, taco__mem *mem, taco_error *err)
{
    static const char *const places[] = {"istac:geometry", "istac:crs", "stac:centroid",
                                         "istac:centroid"};
    const size_t all = TACO__COUNT(places) + TACO__COUNT(taco__extent_times);
    taco_query q;
    taco_batch b;
    uint32_t level;
    bool ok = true;
    for (level = 0; ok && level < taco_levels(ds); level++) {
        char select[512];
        size_t n = 0, i, fields = 0, k, len;
        const taco_field *f = taco_level_fields(ds, level, &fields, err);
        taco_cursor *rows;
        for (i = 0; f && i < all; i++) {
            const char *name =
                i < TACO__COUNT(places) ? places[i] : taco__extent_times[i - TACO__COUNT(places)];
            for (k = 0; k < fields && strcmp(f[k].name, name) != 0; k++) {}
            if (k == fields) { continue; }
            len = strlen(name); /* 20 bytes at most */
            select[n] = n ? ',' : ' ';
            select[n + 1] = select[n + 2 + len] = '"';
            memcpy(select + n + 2, name, len);
            n += len + 3;
        }
        ok = f != NULL;
        if (!n) { continue; }
        memset(&q, 0, sizeof q);
        q.table = level;
        select[n] = 0;
        q.select = select;
        rows = taco_select(ds, &q, err);
        while (rows && taco_cursor_batch(rows, &b)) {
            taco__extent_add_batch(s, level, &b, mem);
        }
        ok = rows && taco_cursor_close(rows, err) == TACO_OK;
    }
    return ok;
}

/* Adds what another extent bounds. */
TACO__FN void taco__extent_join(taco__extent *s, const taco__extent *more)
{
    if (more->box && !s->box) {
        s->west = more->west;
        s->east = more->east;
        s->south = more->south;
        s->north = more->north;
        s->west360 = more->west360;
        s->east360 = more->east360;
    } else if (more->box) {
        s->west = TACO__MIN(s->west, more->west);
        s->east = TACO__MAX(s->east, more->east);
        s->south = TACO__MIN(s->south, more->south);
        s->north = TACO__MAX(s->north, more->north);
        s->west360 = TACO__MIN(s->west360, more->west360);
        s->east360 = TACO__MAX(s->east360, more->east360);
    }
    if (more->times) {
        s->first = s->times ? TACO__MIN(s->first, more->first) : more->first;
        s->last = s->times ? TACO__MAX(s->last, more->last) : more->last;
    }
    s->box = s->box || more->box;
    s->times = s->times || more->times;
    s->loose = s->loose || more->loose;
    s->loose_times = s->loose_times || more->loose_times;
}

/* ---- comparing ---- */

/* Whether bounds [in[0], in[2]] lie within [west, east], turned or not; writers round to a tenth of
   a metre. */
static bool taco__extent_lies_within(double low, double high, double west, double east)
{
    const double slack = 1e-6;
    double turn;
    for (turn = -360; turn <= 360; turn += 360) {
        if (low + turn >= west - slack && high + turn <= east + slack) { return true; }
    }
    return false;
}

/* Whether a box, whose west may be greater than its east, covers the one of the samples. */
TACO__FN bool taco__extent_box_covers(const taco__extent *s, const double box[4])
{
    const double slack = 1e-6, east = box[2] + (box[0] > box[2] ? 360 : 0);
    if (!s->box) { return true; }
    return s->south >= box[1] - slack && s->north <= box[3] + slack &&
           (taco__extent_lies_within(s->west, s->east, box[0], east) ||
            taco__extent_lies_within(s->west360, s->east360, box[0], east));
}

/* Whether two times of an extent, of which a date is the whole day, cover those of the samples;
   true if they are no times. Writers may round to seconds. */
TACO__FN bool taco__extent_times_cover(const taco__extent *s, const char *const text[2])
{
    const int64_t second = 1000000, day = INT64_C(86400000000);
    int64_t first, last;
    bool date, whole;
    if (!s->times || !taco__time_parse(taco__bytes_text(text[0]), &first, &date) ||
        !taco__time_parse(taco__bytes_text(text[1]), &last, &whole)) {
        return true;
    }
    last += whole ? day - 1 : second - 1;
    return s->first >= first && s->last <= last;
}

/* ---- output ---- */

/* The box of the samples in one piece: [west, south, east, north], its east beyond 180 if it is
   narrower so. */
TACO__FN void taco__extent_box(const taco__extent *s, double box[4])
{
    bool turned = s->east - s->west > 180 && s->east360 - s->west360 < 180;
    box[0] = turned ? s->west360 : s->west;
    box[1] = s->south;
    box[2] = turned ? s->east360 : s->east;
    box[3] = s->north;
}

/* The times of the samples as text. */
TACO__FN void taco__extent_time_texts(const taco__extent *s, char text[2][48])
{
    text[0][taco__time_format_timestamp(text[0], s->first, TACO_MICRO, true)] = 0;
    text[1][taco__time_format_timestamp(text[1], s->last, TACO_MICRO, true)] = 0;
}

/* True if samples have positions that are not known here. */
TACO__FN bool taco__extent_is_unknown(const taco__extent *s)
{
    return s->box ? s->unplaced >> s->box_level & 1 : s->unplaced != 0;
}

/* True if there is an extent to write: otherwise the member is omitted. */
TACO__FN bool taco__extent_is_told(const taco__extent *s, const taco__json *otherwise)
{
    return !taco__extent_is_unknown(s) || s->times || !taco__rules_is_null(otherwise);
}

/* Writes "spatial": the box, else that of `otherwise`; nothing if neither exists. */
static void taco__extent_write_box(const taco__extent *s, const taco__json *spatial,
                                   taco__json_writer *w)
{
    bool known = s->box && !taco__extent_is_unknown(s);
    double box[4] = {-180, -90, 180, 90};
    size_t i;
    if (!known && !taco__rules_is_null(spatial)) {
        taco__json_print_value(w, "spatial", spatial);
        return;
    }
    if (!known && taco__extent_is_unknown(s)) { return; }
    if (known) { taco__extent_box(s, box); }
    taco__json_write_begin(w, "spatial", '[');
    for (i = 0; i < 4; i++) {
        taco__json_write_double(w, NULL, i % 2 == 0 && box[i] > 180 ? box[i] - 360 : box[i]);
    }
    taco__json_write_end(w, ']');
}

/* Writes the value of extent. otherwise (may be NULL) is an older extent, used for what the columns
   lack. Without one: the globe if no sample has a position, no box if one has a position that is
   not known here, and null times. */
TACO__FN void taco__extent_write(const taco__extent *s, const taco__json *otherwise,
                                 taco__json_writer *w)
{
    const taco__json *temporal = taco__json_get(otherwise, "temporal");
    taco__json_write_begin(w, NULL, '{');
    taco__extent_write_box(s, taco__json_get(otherwise, "spatial"), w);
    if (s->times) {
        char text[2][48];
        taco__extent_time_texts(s, text);
        taco__json_write_begin(w, "temporal", '[');
        taco__json_write_text(w, NULL, text[0]);
        taco__json_write_text(w, NULL, text[1]);
        taco__json_write_end(w, ']');
    } else {
        taco__json_print_value(w, "temporal", taco__rules_is_null(temporal) ? NULL : temporal);
    }
    taco__json_write_end(w, '}');
}
/* ==== src/validate/column_rules.c ==== */
/* column_rules.c - what the columns of the extensions may hold, by name

   In: columns of a level as arrays; out: each breach, to the caller's report function. The writer,
   which refuses breaches, and validation (check_extensions.c) share one list. The rules are those
   that the reference's classes follow in what they compute (STAC, ISTAC, Split, Scaling,
   GeotiffStats, MajorTOM; TACO 2.0 §5.6.2, §8), and apply to values from other sources too.

   taco__column_rules is the list. A column has one type or a few (taco__column_rule_type_wanted),
   and one function checks a value (taco__column_rule_check_value). Nulls are always allowed: such
   a row has no value. Columns of other types are reported once, and their values are not
   checked. */
/* #include "validate.h" */
/* #include "../base/base.h" */
/* #include "../dataset/dataset.h" */
/* #include "../geo/geo.h" */

/* What a column holds, in the order of the switches below. */
typedef enum taco__column_rule_kind {
    TACO__COLUMN_RULE_NONE = 0,
    TACO__COLUMN_RULE_TEXT,      /* not empty */
    TACO__COLUMN_RULE_SHAPE,     /* sizes of an array, none negative */
    TACO__COLUMN_RULE_TRANSFORM, /* GDAL's six numbers */
    TACO__COLUMN_RULE_TIME,
    TACO__COLUMN_RULE_CENTROID, /* a point in degrees, WKB */
    TACO__COLUMN_RULE_GEOMETRY, /* WKB */
    TACO__COLUMN_RULE_SPLIT,
    TACO__COLUMN_RULE_FACTOR, /* a number or a list, none of them 0 */
    TACO__COLUMN_RULE_OFFSET, /* a number or a list */
    TACO__COLUMN_RULE_PADDING,
    TACO__COLUMN_RULE_GRID,  /* a cell of the MajorTOM grid */
    TACO__COLUMN_RULE_STATS, /* a list of numbers for each band */
    TACO__COLUMN_RULE_NUMBER,
    TACO__COLUMN_RULE_NAME /* text, which may be empty */
} taco__column_rule_kind;

static const struct {
    const char *name;
    taco__column_rule_kind kind;
} taco__column_rules[] = {
    {"stac:crs", TACO__COLUMN_RULE_TEXT},
    {"stac:tensor_shape", TACO__COLUMN_RULE_SHAPE},
    {"stac:geotransform", TACO__COLUMN_RULE_TRANSFORM},
    {"stac:time_start", TACO__COLUMN_RULE_TIME},
    {"stac:time_end", TACO__COLUMN_RULE_TIME},
    {"stac:time_middle", TACO__COLUMN_RULE_TIME},
    {"stac:centroid", TACO__COLUMN_RULE_CENTROID},
    {"istac:crs", TACO__COLUMN_RULE_TEXT},
    {"istac:geometry", TACO__COLUMN_RULE_GEOMETRY},
    {"istac:time_start", TACO__COLUMN_RULE_TIME},
    {"istac:time_end", TACO__COLUMN_RULE_TIME},
    {"istac:time_middle", TACO__COLUMN_RULE_TIME},
    {"istac:centroid", TACO__COLUMN_RULE_CENTROID},
    {"split", TACO__COLUMN_RULE_SPLIT},
    {"scaling:scale_factor", TACO__COLUMN_RULE_FACTOR},
    {"scaling:scale_offset", TACO__COLUMN_RULE_OFFSET},
    {"scaling:padding", TACO__COLUMN_RULE_PADDING},
    {"majortom:code", TACO__COLUMN_RULE_GRID},
    {"spatialgroup:code", TACO__COLUMN_RULE_TEXT},
    {"geotiff:stats", TACO__COLUMN_RULE_STATS},
    {"internal:stats", TACO__COLUMN_RULE_STATS},
    {"geoenrich:elevation", TACO__COLUMN_RULE_NUMBER},
    {"geoenrich:cisi", TACO__COLUMN_RULE_NUMBER},
    {"geoenrich:precipitation", TACO__COLUMN_RULE_NUMBER},
    {"geoenrich:temperature", TACO__COLUMN_RULE_NUMBER},
    {"geoenrich:soil_clay", TACO__COLUMN_RULE_NUMBER},
    {"geoenrich:soil_sand", TACO__COLUMN_RULE_NUMBER},
    {"geoenrich:soil_carbon", TACO__COLUMN_RULE_NUMBER},
    {"geoenrich:soil_bulk_density", TACO__COLUMN_RULE_NUMBER},
    {"geoenrich:soil_ph", TACO__COLUMN_RULE_NUMBER},
    {"geoenrich:gdp", TACO__COLUMN_RULE_NUMBER},
    {"geoenrich:human_modification", TACO__COLUMN_RULE_NUMBER},
    {"geoenrich:population", TACO__COLUMN_RULE_NUMBER},
    {"geoenrich:admin_countries", TACO__COLUMN_RULE_NAME},
    {"geoenrich:admin_states", TACO__COLUMN_RULE_NAME},
    {"geoenrich:admin_districts", TACO__COLUMN_RULE_NAME},
};

/* The kind of a column, NONE for columns without rules. */
static taco__column_rule_kind taco__column_rule_find(const char *name)
{
    size_t i;
    for (i = 0; i < TACO__COUNT(taco__column_rules); i++) {
        if (strcmp(taco__column_rules[i].name, name) == 0) { return taco__column_rules[i].kind; }
    }
    return TACO__COLUMN_RULE_NONE;
}

TACO__FN bool taco__column_rule_exists(const char *name)
{
    return taco__column_rule_find(name) != TACO__COLUMN_RULE_NONE;
}

/* ---- types ---- */

static bool taco__column_rule_is_real(const taco_field *f)
{
    return f->type == TACO_DOUBLE || f->type == TACO_FLOAT;
}

static bool taco__column_rule_is_integer(const taco_field *f)
{
    return f->type >= TACO_INT8 && f->type <= TACO_UINT64;
}

/* The type that the column should have, in words; NULL if it has it. */
static const char *taco__column_rule_type_wanted(const taco_field *f, taco__column_rule_kind kind)
{
    const taco_field *item = f->type == TACO_LIST ? &f->children[0] : NULL;
    switch (kind) {
    case TACO__COLUMN_RULE_TEXT:
    case TACO__COLUMN_RULE_SPLIT:
    case TACO__COLUMN_RULE_NAME:
    case TACO__COLUMN_RULE_GRID: return f->type == TACO_TEXT ? NULL : "text";
    case TACO__COLUMN_RULE_SHAPE:
    case TACO__COLUMN_RULE_PADDING:
        return item && taco__column_rule_is_integer(item) ? NULL : "a list of integers";
    case TACO__COLUMN_RULE_TRANSFORM:
        return item && taco__column_rule_is_real(item) ? NULL : "a list of doubles";
    case TACO__COLUMN_RULE_TIME:
        return f->type == TACO_TIMESTAMP || f->type == TACO_DATE ? NULL : "a timestamp";
    case TACO__COLUMN_RULE_CENTROID:
    case TACO__COLUMN_RULE_GEOMETRY: return f->type == TACO_BINARY ? NULL : "binary (WKB)";
    case TACO__COLUMN_RULE_FACTOR:
    case TACO__COLUMN_RULE_OFFSET:
        return taco__cursor_column_is_number(item ? item : f) ? NULL
                                                              : "a number, or a list of them";
    case TACO__COLUMN_RULE_NUMBER: return taco__cursor_column_is_number(f) ? NULL : "a number";
    case TACO__COLUMN_RULE_STATS:
        return item && item->type == TACO_LIST && taco__cursor_column_is_number(&item->children[0])
                   ? NULL
                   : "a list of numbers for each band";
    case TACO__COLUMN_RULE_NONE: break;
    }
    return NULL;
}

/* TACO_OK for columns without rules and for those with the right type. A column of nulls fits every
   type. */
TACO__FN taco_status taco__column_rule_check_type(const taco_field *f, taco_error *err)
{
    const char *wanted = taco__column_rule_type_wanted(f, taco__column_rule_find(f->name));
    taco_bytes name = taco__bytes_text(f->name);
    if (!wanted || f->type == TACO_NULL) { return TACO_OK; }
    return TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET, "column %q is not %s", &name, wanted);
}

/* The types that a column has in the reference, from the outside in, and their number; 0 for
   columns without rules. */
TACO__FN size_t taco__column_rule_types(const char *name, taco_type out[3])
{
    taco__column_rule_kind kind = taco__column_rule_find(name);
    bool list = kind == TACO__COLUMN_RULE_SHAPE || kind == TACO__COLUMN_RULE_PADDING ||
                kind == TACO__COLUMN_RULE_TRANSFORM;
    out[0] = list || kind == TACO__COLUMN_RULE_STATS ? TACO_LIST : TACO_TEXT;
    out[1] = kind == TACO__COLUMN_RULE_SHAPE       ? TACO_INT64
             : kind == TACO__COLUMN_RULE_PADDING   ? TACO_INT32
             : kind == TACO__COLUMN_RULE_TRANSFORM ? TACO_DOUBLE
                                                   : TACO_LIST;
    out[2] = TACO_FLOAT;
    if (kind == TACO__COLUMN_RULE_TIME) {
        out[0] = TACO_TIMESTAMP;
    } else if (kind == TACO__COLUMN_RULE_CENTROID || kind == TACO__COLUMN_RULE_GEOMETRY) {
        out[0] = TACO_BINARY;
    } else if (kind == TACO__COLUMN_RULE_FACTOR || kind == TACO__COLUMN_RULE_OFFSET ||
               kind == TACO__COLUMN_RULE_NUMBER) {
        out[0] = TACO_FLOAT;
    }
    return kind == TACO__COLUMN_RULE_NONE ? 0 : kind == TACO__COLUMN_RULE_STATS ? 3 : list ? 2 : 1;
}

/* ---- values ---- */

TACO__FN taco_status taco__column_rule_check_split(taco_bytes split, taco_error *err)
{
    static const char *const words[] = {"train", "test", "validation"};
    size_t i;
    for (i = 0; i < TACO__COUNT(words); i++) {
        if (taco__bytes_equal(split, taco__bytes_text(words[i]))) { return TACO_OK; }
    }
    return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                      "split is %q, allowed are train, test and validation", &split);
}

/* A factor of 0 would erase all pixels. */
TACO__FN taco_status taco__column_rule_check_factor(double factor, taco_error *err)
{
    return factor < 0 || factor > 0 ? TACO_OK
                                    : TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                                                 "scaling:scale_factor must not be 0");
}

TACO__FN taco_status taco__column_rule_check_times(int64_t start, int64_t end, taco_error *err)
{
    return start <= end
               ? TACO_OK
               : TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                            "time_start %d is after time_end %d", TACO__D(start), TACO__D(end));
}

/* Skips digits; false if there are none. */
static bool taco__column_rule_skip_digits(const uint8_t **at, const uint8_t *end)
{
    const uint8_t *from = *at;
    while (*at < end && **at >= '0' && **at <= '9') {
        (*at)++;
    }
    return *at > from;
}

/* "0100km_0003U_0005R": the size of the cell, its row up or down from the equator, its column right
   or left of Greenwich. The separator is any text without digits, the same both times. */
static taco_status taco__column_rule_check_grid(taco_bytes code, taco_error *err)
{
    const uint8_t *at = code.data, *end = code.data + code.len, *separator;
    size_t n;
    bool ok = code.len > 0 && taco__column_rule_skip_digits(&at, end) && end - at > 2 &&
              memcmp(at, "km", 2) == 0;
    at += ok ? 2 : 0;
    separator = at;
    while (ok && at < end && (*at < '0' || *at > '9')) {
        at++;
    }
    n = ok ? (size_t)(at - separator) : 0;
    ok = ok && taco__column_rule_skip_digits(&at, end) && at < end && (*at == 'U' || *at == 'D');
    at += ok ? 1 : 0;
    ok = ok && (size_t)(end - at) > n && (n == 0 || memcmp(at, separator, n) == 0);
    at += ok ? n : 0;
    ok = ok && taco__column_rule_skip_digits(&at, end) && end - at == 1 &&
         (*at == 'R' || *at == 'L');
    return ok ? TACO_OK
              : TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                           "majortom:code is %q, codes are like 0100km_0003U_0005R", &code);
}

/* A valid, non-empty geometry; a centroid is one point on the globe, in degrees. */
static taco_status taco__column_rule_check_geometry(const char *name, taco_bytes wkb, bool centroid,
                                                    taco_error *err)
{
    taco__wkb_reader reader;
    taco__wkb_item first;
    double box[4];
    bool empty = true;
    taco__wkb_reader_init(&reader, wkb);
    if (taco__wkb_next(&reader, &first, err) != TACO_OK ||
        taco__wkb_bounds(wkb, box, &empty, err) != TACO_OK) {
        taco__error_prefix(err, "%s is not WKB", name);
        return TACO_ERR_ARGUMENT;
    }
    if (centroid && first.type != TACO__WKB_POINT) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%s is a %s, must be a Point",
                          name, taco__wkb_type_name(first.type));
    }
    if (empty) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%s is empty, or NaN", name);
    }
    if (centroid && !(box[0] >= -180 && box[0] <= 180 && box[1] >= -90 && box[1] <= 90)) {
        char x[40], y[40];
        x[taco__num_format_f64(x, box[0])] = 0;
        y[taco__num_format_f64(y, box[1])] = 0;
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "%s is %s %s, not a longitude and a latitude in degrees", name, x, y);
    }
    return TACO_OK;
}

/* The numbers [from, to) of a list, or the number `from` of a plain column. */
static taco_status taco__column_rule_check_numbers(const char *name, taco__column_rule_kind kind,
                                                   const taco_array *items, size_t from, size_t to,
                                                   taco_error *err)
{
    size_t n = to - from, i, want = kind == TACO__COLUMN_RULE_TRANSFORM ? 6 : 4;
    if ((kind == TACO__COLUMN_RULE_TRANSFORM || kind == TACO__COLUMN_RULE_PADDING) && n != want) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%s has %u numbers, must be %u",
                          name, TACO__U(n), TACO__U(want));
    }
    for (i = from; i < to; i++) {
        double x = taco_array_double(items, i);
        if (!taco_array_valid(items, i)) {
            return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%s has a null in its list",
                              name);
        }
        if (kind == TACO__COLUMN_RULE_SHAPE && taco_array_int(items, i) < 0) {
            return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                              "%s has a size of %d, which is negative", name,
                              TACO__D(taco_array_int(items, i)));
        }
        if (kind == TACO__COLUMN_RULE_TRANSFORM &&
            (taco__f64_is_nan(x) || !taco__f64_is_finite(x))) {
            return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%s has a number that is %s",
                              name, taco__f64_is_nan(x) ? "NaN" : "infinite");
        }
        if (kind == TACO__COLUMN_RULE_FACTOR && taco__column_rule_check_factor(x, err) != TACO_OK) {
            return TACO_ERR_ARGUMENT;
        }
    }
    return TACO_OK;
}

/* Row i of a column of the right type: null, or a value that its kind allows. */
static taco_status taco__column_rule_check_value(const taco_array *a, taco__column_rule_kind kind,
                                                 size_t i, taco_error *err)
{
    const char *name = a->field->name;
    if (!taco_array_valid(a, i)) { return TACO_OK; }
    switch (kind) {
    case TACO__COLUMN_RULE_TEXT:
        return taco_array_bytes(a, i).len
                   ? TACO_OK
                   : TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%s is empty", name);
    case TACO__COLUMN_RULE_SPLIT: return taco__column_rule_check_split(taco_array_bytes(a, i), err);
    case TACO__COLUMN_RULE_GRID: return taco__column_rule_check_grid(taco_array_bytes(a, i), err);
    case TACO__COLUMN_RULE_CENTROID:
    case TACO__COLUMN_RULE_GEOMETRY:
        return taco__column_rule_check_geometry(name, taco_array_bytes(a, i),
                                                kind == TACO__COLUMN_RULE_CENTROID, err);
    case TACO__COLUMN_RULE_SHAPE:
    case TACO__COLUMN_RULE_TRANSFORM:
    case TACO__COLUMN_RULE_PADDING:
    case TACO__COLUMN_RULE_FACTOR:
        return a->field->type == TACO_LIST
                   ? taco__column_rule_check_numbers(name, kind, a->children, (size_t)a->offsets[i],
                                                     (size_t)a->offsets[i + 1], err)
                   : taco__column_rule_check_numbers(name, kind, a, i, i + 1, err);
    case TACO__COLUMN_RULE_TIME:
    case TACO__COLUMN_RULE_OFFSET:
    case TACO__COLUMN_RULE_STATS:
    case TACO__COLUMN_RULE_NUMBER:
    case TACO__COLUMN_RULE_NAME:
    case TACO__COLUMN_RULE_NONE: break;
    }
    return TACO_OK;
}

/* The column of times with this name among n; NULL if there is none. */
static const taco_array *taco__column_rule_find_times(const taco_array *columns, size_t n,
                                                      const char *name)
{
    size_t i;
    for (i = 0; i < n; i++) {
        const taco_field *f = columns[i].field;
        if (strcmp(f->name, name) == 0) {
            return f->type == TACO_TIMESTAMP || f->type == TACO_DATE ? &columns[i] : NULL;
        }
    }
    return NULL;
}

/* Compares the start and the end of a row, in their unit, or in microseconds if they have two. */
static taco_status taco__column_rule_check_period(const taco_array *start, const taco_array *end,
                                                  size_t row, taco_error *err)
{
    int64_t from = taco_array_int(start, row), to = taco_array_int(end, row);
    if (!taco_array_valid(start, row) || !taco_array_valid(end, row)) { return TACO_OK; }
    if ((start->field->type != end->field->type || start->field->unit != end->field->unit) &&
        !(taco__array_read_micros(start, row, &from) && taco__array_read_micros(end, row, &to))) {
        return TACO_OK;
    }
    return taco__column_rule_check_times(from, to, err);
}

/* True if the column has a type that its rules cover. */
static bool taco__column_rule_is_checked(const taco_field *f, taco__column_rule_kind kind)
{
    return kind != TACO__COLUMN_RULE_NONE && f->type != TACO_NULL &&
           !taco__column_rule_type_wanted(f, kind);
}

/* Checks the values of `rows` rows of n columns against the rules. report receives each breach with
   its row, and stops the check by returning false; then the result is false. */
TACO__FN bool taco__column_rule_check_rows(const taco_array *columns, size_t n, size_t rows,
                                           taco__column_rule_report_fn report, void *ctx)
{
    static const char *const ends[] = {"stac:time_end", "istac:time_end"};
    taco_error e;
    size_t i, k, row;
    memset(&e, 0, sizeof e);
    for (i = 0; i < n; i++) {
        const taco_array *a = &columns[i], *end = NULL;
        taco__column_rule_kind kind = taco__column_rule_find(a->field->name);
        if (!taco__column_rule_is_checked(a->field, kind)) { continue; }
        for (k = 0; k < TACO__COUNT(ends) && kind == TACO__COLUMN_RULE_TIME; k++) {
            size_t prefix = strlen(ends[k]) - strlen("end");
            if (strncmp(a->field->name, ends[k], prefix) == 0 &&
                strcmp(a->field->name + prefix, "start") == 0) {
                end = taco__column_rule_find_times(columns, n, ends[k]);
            }
        }
        for (row = 0; row < rows; row++) {
            taco_status st = taco__column_rule_check_value(a, kind, row, &e);
            if (st == TACO_OK && end) { st = taco__column_rule_check_period(a, end, row, &e); }
            if (st != TACO_OK) {
                if (!report(ctx, a->field, row, &e)) { return false; }
                memset(&e, 0, sizeof e);
            }
        }
    }
    return true;
}
/* ==== src/validate/findings.c ==== */
/* findings.c - problems found by validation: place, count, when to stop

   In: problems, each a rule's format and values, from the checks of this folder; out: calls of
   the caller's `found` with place and message, the counts in taco_validated, and the first
   error, which is what taco_validate returns.

   A check sets the place (taco__findings_set_place), then reports with TACO__FINDINGS_ERROR or
   _WARN any number of times: only the first hundred per rule and table become messages.
   taco__findings_end_table closes a table with one line about the rest. Errors of the readers
   below (a corrupt page, a bad record) become problems by taco__findings_take_error. Also here:
   CRCs of ranges with progress, and the hash by which all checks compare names and paths. */
/* #include "validate.h" */
/* #include "../base/base.h" */

/* Most problems of one rule reported in one table. The others are only counted: a large file with
   one systematic fault would produce millions of messages. */
#define TACO__FINDINGS_PER_RULE 100

/* Sets the place of the following problems: a format as for TACO__FAIL (%q quotes a taco_bytes).
   The part of a catalogue is put before it. Truncated to the size of f->where. */
TACO__FN void taco__findings_set_place(taco__findings *f, const char *where, ...)
{
    taco__fmt out;
    va_list args;
    out.at = f->where;
    out.end = f->where + sizeof f->where;
    *out.at = 0;
    taco__fmt_text(&out, f->part);
    va_start(args, where);
    taco__fmt_args(&out, where, args);
    va_end(args);
}

/* Counts a problem and passes it to the caller, who may stop validation by returning false. The
   first error is kept with its place, as the result of the validation. */
TACO__FN void taco__findings_report(taco__findings *f, bool error, const taco_error *e)
{
    taco_problem p;
    if (f->stop) { return; }
    p.error = error;
    p.where = f->where;
    p.message = e->text;
    p.clause = f->clause;
    f->sum->errors += error;
    f->sum->warnings += !error;
    if (error && f->first.code == TACO_OK) {
        f->first = *e;
        if (f->where[0]) { taco__error_prefix(&f->first, "%s", f->where); }
    }
    f->stop = f->how->found && !f->how->found(f->how->ctx, &p);
}

/* The counter of a rule, initially 0. The table never fills up: rules are the formats of our own
   messages. */
static uint64_t *taco__findings_rule_count(taco__findings *f, const char *rule)
{
    uint64_t hash = taco__findings_hash_path(TACO__FINDINGS_HASH_SEED, taco__bytes_text(rule)) | 1;
    size_t at = (size_t)(hash >> 32), tries;
    for (tries = 0; tries < TACO__FINDINGS_RULES; tries++, at++) {
        taco__findings_rule *r = &f->rules[at % TACO__FINDINGS_RULES];
        if (r->hash == 0 || r->hash == hash) {
            r->hash = hash;
            return &r->reported;
        }
    }
    return &f->rules[at % TACO__FINDINGS_RULES].reported;
}

TACO__FN bool taco__findings_may_report(taco__findings *f, bool error, const char *rule)
{
    uint64_t *reported = f->stop ? NULL : taco__findings_rule_count(f, rule);
    if (!reported || *reported >= TACO__FINDINGS_PER_RULE) {
        f->unreported++;
        f->sum->errors += error;
        f->sum->warnings += !error;
        return false;
    }
    ++*reported;
    return true;
}

/* Reports a problem of a rule, or only counts it if the rule has been broken often in this
   table. */
TACO__FN void taco__findings_add(taco__findings *f, bool error, const char *rule,
                                 const taco_error *e)
{
    if (taco__findings_may_report(f, error, rule)) { taco__findings_report(f, error, e); }
}

/* Turns a failure of a reader into a problem and clears *e. False if it is not about the dataset:
   lack of memory and failed reads stay in *e for the caller to return. */
TACO__FN bool taco__findings_take_error(taco__findings *f, taco_error *e)
{
    if (taco__error_is_of_machine(e)) { return false; }
    if (e->code != TACO_OK) { taco__findings_report(f, true, e); }
    memset(e, 0, sizeof *e);
    return true;
}

/* Ends a table: one line sums up what was only counted, and every rule may be reported again. */
TACO__FN void taco__findings_end_table(taco__findings *f, const char *table)
{
    if (f->unreported && !f->stop) {
        uint64_t left = f->unreported;
        taco_error e;
        memset(&e, 0, sizeof e);
        taco__findings_set_place(f, "%s", table);
        TACO__FAIL(&e, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "%u further problems of these kinds",
                   left);
        f->sum->warnings--; /* they have been counted already */
        taco__findings_report(f, false, &e);
    }
    f->unreported = 0;
    memset(f->rules, 0, sizeof f->rules);
}

/* Counts bytes that were read, and asks the caller whether to go on. */
TACO__FN void taco__findings_progress(taco__findings *f, uint64_t bytes)
{
    f->done += bytes;
    f->sum->bytes += bytes;
    if (f->how->progress && !f->how->progress(f->how->ctx, f->done, f->total)) { f->stop = true; }
}

/* Reads a whole range, a window at a time, for its CRC-32. False with *e set if it cannot be read.
   If the caller stops validation, *crc covers only a part: check f->stop. */
TACO__FN bool taco__findings_read_crc(taco__findings *f, taco__file *file, taco__range r,
                                      taco__buf *window, uint32_t *crc, taco_error *e)
{
    *crc = 0;
    while (r.len && !f->stop) {
        size_t n = (size_t)TACO__MIN(r.len, (uint64_t)TACO__FILE_WINDOW);
        const uint8_t *p = taco__file_view(file, r.offset, n, window, e);
        if (!p) { return false; }
        *crc = taco__crc32(*crc, p, n);
        r.offset += n;
        r.len -= n;
        taco__findings_progress(f, n);
    }
    return true;
}

/* FNV-1a, continued from state h. A row's path is hashed from its parent's: hash(hash(parent,
   "/"), id). */
TACO__FN uint64_t taco__findings_hash_path(uint64_t h, taco_bytes b)
{
    size_t i;
    for (i = 0; i < b.len; i++) {
        h = (h ^ b.data[i]) * (uint64_t)0x100000001B3U;
    }
    return h;
}
/* ==== src/validate/check_replaced.c ==== */
/* check_replaced.c - bytes of an archive that taco add has replaced

   In: an archive, and a range of its bytes that belongs to no entry of the central directory. Out:
   whether it is metadata that has been replaced by newer metadata, which is not a problem. Adding
   columns in place writes new __meta__, METADATA and COLLECTION.json after the old ones, and a new
   central directory. The old ones stay in place, so that a reader that has the archive open, or
   opens it after a crash, finds them complete.

   taco__check_replaced_is_metadata walks the range: local headers of metadata (APPNOTE §4.3.7),
   each with its bytes, then perhaps an old central directory up to its end record; the last record
   may be cut.
   taco__check_replaced_begins looks at what follows the archive that TACO_HEADER describes. */
/* #include "validate.h" */
/* #include "../base/base.h" */
/* #include "../dataset/archive.h" */

/* Sizes of a local header, a directory entry and the end record, each without names, and of the
   ZIP64 end record and its locator (APPNOTE §4.3.7, §4.3.12, §4.3.14 to §4.3.16). */
#define TACO__REPLACED_LOCAL     30
#define TACO__REPLACED_DIRECTORY 46
#define TACO__REPLACED_END       22
#define TACO__REPLACED_END64     56
#define TACO__REPLACED_LOCATOR   20

/* True for entries that are rewritten when columns are added. */
static bool taco__check_replaced_is_metadata_name(taco_bytes name)
{
    static const char meta[] = "/__meta__";
    size_t n = sizeof meta - 1;
    return taco__bytes_equal(name, taco__bytes_text("COLLECTION.json")) ||
           taco__bytes_starts_with(name, "METADATA/") ||
           (name.len > n && memcmp(name.data + name.len - n, meta, n) == 0);
}

/* Length of the local header at `at` with its bytes, 0 if it is not a header of metadata. ZIP64
   sizes would be in the extra field (§4.5.3), which taco add does not write. */
static uint64_t taco__check_replaced_entry(taco__check_zip *z, uint64_t at, uint64_t end)
{
    const uint8_t *p;
    uint64_t len;
    uint16_t name;
    if (end - at < TACO__REPLACED_LOCAL) { return 0; }
    p = taco__file_view(z->file, at, TACO__REPLACED_LOCAL, &z->scratch, NULL);
    if (!p || taco__load_le32(p) != 0x04034B50) { return 0; }
    name = taco__load_le16(p + 26);
    len = (uint64_t)TACO__REPLACED_LOCAL + name + taco__load_le16(p + 28) + taco__load_le32(p + 18);
    if (len > end - at) { return 0; }
    p = taco__file_view(z->file, at + TACO__REPLACED_LOCAL, name, &z->scratch, NULL);
    return p && taco__check_replaced_is_metadata_name(taco__bytes_of(p, name)) ? len : 0;
}

/* Length of the central directory record at `at`, 0 if it is not one. */
static uint64_t taco__check_replaced_record(taco__check_zip *z, uint64_t at, uint64_t end)
{
    uint64_t left = end - at;
    const uint8_t *p =
        left >= TACO__REPLACED_LOCATOR
            ? taco__file_view(z->file, at, (size_t)TACO__MIN(left, TACO__REPLACED_DIRECTORY),
                              &z->scratch, NULL)
            : NULL;
    if (!p) { return 0; }
    switch (taco__load_le32(p)) {
    case 0x02014B50:
        return left < TACO__REPLACED_DIRECTORY
                   ? 0
                   : (uint64_t)TACO__REPLACED_DIRECTORY + taco__load_le16(p + 28) +
                         taco__load_le16(p + 30) + taco__load_le16(p + 32);
    case 0x06064B50: return TACO__REPLACED_END64;
    case 0x07064B50: return TACO__REPLACED_LOCATOR;
    case 0x06054B50:
        return left < TACO__REPLACED_END ? 0
                                         : TACO__REPLACED_END + (uint64_t)taco__load_le16(p + 20);
    default: return 0;
    }
}

/* The file ends within what it begins with, or shows an entry of metadata or of the directory. */
TACO__FN bool taco__check_replaced_begins(taco__check_zip *z, uint64_t from, uint64_t end)
{
    static const uint8_t local[] = {'P', 'K', 3, 4}, directory[] = {'P', 'K', 1, 2};
    size_t n = (size_t)TACO__MIN(end - from, (uint64_t)TACO__REPLACED_LOCAL), known;
    const uint8_t *p = taco__file_view(z->file, from, n, &z->scratch, NULL);
    uint16_t name;
    if (!p) { return false; }
    known = TACO__MIN(n, sizeof local);
    if (memcmp(p, directory, known) == 0) { return true; }
    if (memcmp(p, local, known) != 0) { return false; }
    if (n < TACO__REPLACED_LOCAL) { return true; }
    name = taco__load_le16(p + 26);
    if (end - from - n < name) { return true; }
    p = taco__file_view(z->file, from + n, name, &z->scratch, NULL);
    return p && taco__check_replaced_is_metadata_name(taco__bytes_of(p, name));
}

/* True for a record that goes on beyond `end`: an add was killed there, and another one, which
   appends to the file, finished it. */
static bool taco__check_replaced_is_cut(taco__check_zip *z, uint64_t at, uint64_t end)
{
    static const uint8_t ends[3][4] = {{'P', 'K', 6, 6}, {'P', 'K', 6, 7}, {'P', 'K', 5, 6}};
    size_t n = (size_t)TACO__MIN(end - at, (uint64_t)4), k;
    const uint8_t *p = taco__file_view(z->file, at, n, &z->scratch, NULL);
    for (k = 0; p && k < TACO__COUNT(ends); k++) {
        if (memcmp(p, ends[k], n) == 0) { return true; }
    }
    return taco__check_replaced_begins(z, at, end);
}

/* True if all bytes [from, end) are replaced metadata. */
TACO__FN bool taco__check_replaced_is_metadata(taco__check_zip *z, uint64_t from, uint64_t end)
{
    while (from < end) {
        uint64_t n = taco__check_replaced_entry(z, from, end);
        if (!n) { n = taco__check_replaced_record(z, from, end); }
        if (!n || n > end - from) { return taco__check_replaced_is_cut(z, from, end); }
        from += n;
    }
    return true;
}
/* ==== src/validate/declared_type.c ==== */
/* declared_type.c - whether a column has the type that a contract declares as text

   In: Arrow's name of a type, as pyarrow prints it ("list<int64>", "struct<a: double?, b: string>",
   "timestamp[us, UTC]"), and the field of a Parquet column; out: whether a writer that declares
   this stores that. Types that Parquet lacks are stored as others: large_string as string, date64
   as date32, durations as int64. Units and other parameters are not compared: Parquet has fewer of
   them. TACO 3 "Metadata contract". Start reading at taco__declared_type_matches. */
/* #include "validate.h" */
/* #include "../arrow/arrow.h" */

/* Most nested types. */
#define TACO__DECLARED_TYPE_DEPTH 30

static bool taco__declared_type_accept(const char **at, const char *text)
{
    size_t n = strlen(text);
    if (strncmp(*at, text, n) != 0) { return false; }
    *at += n;
    return true;
}

/* Types without children: names that begin alike are in the order of their lengths. */
static bool taco__declared_type_plain(const char **at, const taco_field *f)
{
    static const char *const names[] = {"null",       "bool",
                                        "int8",       "int16",
                                        "int32",      "int64",
                                        "uint8",      "uint16",
                                        "uint32",     "uint64",
                                        "float16",    "halffloat",
                                        "float32",    "float64",
                                        "float",      "double",
                                        "string",     "string_view",
                                        "utf8",       "large_string",
                                        "binary",     "binary_view",
                                        "date32",     "large_binary",
                                        "date64",     "time32",
                                        "time64",     "timestamp",
                                        "duration",   "decimal32",
                                        "decimal64",  "decimal128",
                                        "decimal256", "fixed_size_binary"};
    static const uint8_t types[] = {
        TACO_NULL,    TACO_BOOL,    TACO_INT8,    TACO_INT16,     TACO_INT32, TACO_INT64,
        TACO_UINT8,   TACO_UINT16,  TACO_UINT32,  TACO_UINT64,    TACO_HALF,  TACO_HALF,
        TACO_FLOAT,   TACO_DOUBLE,  TACO_FLOAT,   TACO_DOUBLE,    TACO_TEXT,  TACO_TEXT,
        TACO_TEXT,    TACO_TEXT,    TACO_BINARY,  TACO_BINARY,    TACO_DATE,  TACO_BINARY,
        TACO_DATE,    TACO_TIME,    TACO_TIME,    TACO_TIMESTAMP, TACO_INT64, TACO_DECIMAL,
        TACO_DECIMAL, TACO_DECIMAL, TACO_DECIMAL, TACO_FIXED};
    size_t n = 0, i;
    while ((*at)[n] && !strchr("[(<>,:? ", (*at)[n])) {
        n++;
    }
    for (i = 0; i < TACO__COUNT(names) && (strlen(names[i]) != n || strncmp(*at, names[i], n) != 0);
         i++) {}
    *at += n;
    if (**at == '[' || **at == '(') { /* parameters: up to the bracket that closes them */
        const char *end = strchr(*at, **at == '[' ? ']' : ')');
        *at = end ? end + 1 : *at;
    }
    return i < TACO__COUNT(names) &&
           (f->type == types[i] || (types[i] == TACO_FIXED && f->type == TACO_UUID));
}

static bool taco__declared_type_is(const char **at, const taco_field *f, unsigned depth);

/* The children of a type, up to its '>'; those of a struct have names. '?' marks nullable ones. */
static bool taco__declared_type_children(const char **at, const taco_field *f, uint32_t count,
                                         bool named, unsigned depth)
{
    uint32_t i;
    for (i = 0; i < count; i++) {
        size_t n = named ? strlen(f->children[i].name) : 0;
        if (i && !taco__declared_type_accept(at, ", ")) { return false; }
        if (named && (strncmp(*at, f->children[i].name, n) != 0 || (*at)[n] != ':')) {
            return false;
        }
        *at += named ? n + 1 : 0;
        taco__declared_type_accept(at, " ");
        if (!taco__declared_type_is(at, &f->children[i], depth + 1)) { return false; }
        taco__declared_type_accept(at, "?");
    }
    return true;
}

/* Whether a field has the type at *at, which moves past it. */
static bool taco__declared_type_is(const char **at, const taco_field *f, unsigned depth)
{
    bool list = taco__declared_type_accept(at, "list<") ||
                taco__declared_type_accept(at, "large_list<") ||
                taco__declared_type_accept(at, "fixed_size_list<");
    bool map = !list && taco__declared_type_accept(at, "map<");
    bool group = !list && !map && taco__declared_type_accept(at, "struct<");
    if (!list && !map && !group) { return taco__declared_type_plain(at, f); }
    if (depth > TACO__DECLARED_TYPE_DEPTH || f->type != (list  ? TACO_LIST
                                                         : map ? TACO_MAP
                                                               : TACO_STRUCT)) {
        return false;
    }
    if (map && f->child_count == 1) { f = &f->children[0]; } /* its entries */
    if (!taco__declared_type_children(at, f, list ? 1 : f->child_count, group, depth)) {
        return false;
    }
    if (list && taco__declared_type_accept(at, ",")) { /* the length of fixed_size_list */
        while (**at == ' ' || taco__ascii_is_digit((uint8_t) * *at)) {
            ++*at;
        }
    }
    return taco__declared_type_accept(at, ">");
}

TACO__FN bool taco__declared_type_matches(const char *declared, const taco_field *f)
{
    return taco__declared_type_is(&declared, f, 0) && !*declared;
}
/* ==== src/validate/check_zip.c ==== */
/* check_zip.c - the records of an archive: header, directory, local headers and bytes

   In: an archive as a file; out: problems, and the entries of its central directory, sorted by
   offset and indexed by the hash of their name, for check_level.c to compare rows with. TACO 2.0
   §6.3; PKWARE APPNOTE 6.3.10 §4.3 (records), §4.4 (fields), §4.5.3 (ZIP64).

   taco__check_zip_run does everything that needs no payload: TACO_HEADER, end records, each
   entry against its local header, overlaps and gaps, equal names, and whether TACO_HEADER agrees
   with the directory. taco__check_zip_unlisted comes last, after the levels have marked the
   entries they list. check_payloads.c reads their bytes. */
/* #include "validate.h" */
/* #include "../base/base.h" */
/* #include "../dataset/dataset.h" */

/* Frees buffers; entries belong to the arena. Safe on a zeroed struct, and leaves it zeroed. */
TACO__FN void taco__check_zip_close(taco__check_zip *z)
{
    if (z->mem) {
        taco__buf_free(&z->dir_bytes);
        taco__buf_free(&z->scratch);
    }
    memset(z, 0, sizeof *z);
}

/* The name of an entry, which points into the directory: entries hold only its hash. */
TACO__FN taco_bytes taco__check_zip_name(const taco__check_zip *z, const taco__check_zip_entry *e)
{
    const uint8_t *p = z->directory.data + (size_t)(e->at - z->dir.offset);
    return taco__bytes_of(p + TACO__ZIP_CENTRAL_BYTES, taco__load_le16(p + 28));
}

/* ---- TACO_HEADER ---- */

/* True if this was the first problem: the reason why an archive cannot be opened is reported before
   its records are checked. */
static bool taco__check_zip_is_reported(const taco__findings *f, const taco_error *e)
{
    size_t n = strlen(f->first.text), m = strlen(e->text);
    return m && n >= m && strcmp(f->first.text + n - m, e->text) == 0;
}

/* Reads the first entry, TACO_HEADER (§6.3). If it cannot be parsed, header.count stays 0 and a
   problem is reported; deviations that readers accept are in header.odd, each a separate
   problem. */
static bool taco__check_zip_read_taco_header(taco__check_zip *z, taco_error *err)
{
    taco__findings *f = z->f;
    size_t n = (size_t)TACO__MIN(z->file->src.size, (uint64_t)TACO__OPEN_FIRST_BYTES);
    const uint8_t *p;
    taco_error e;
    memset(&e, 0, sizeof e);
    if (!taco__buf_reset(&z->scratch, n + 1, err)) { return false; }
    p = n ? taco__file_view(z->file, 0, n, &z->scratch, err) : z->scratch.data;
    if (!p) { return false; }
    taco__findings_set_place(f, "TACO_HEADER");
    if (taco__index_read_header(taco__bytes_of(p, n), z->file->src.size, &z->header, &e) !=
        TACO_OK) {
        z->header.count = 0;
        return taco__check_zip_is_reported(f, &e) || taco__findings_take_error(f, &e) ||
               (*err = e, false);
    }
    if (z->header.odd & TACO__INDEX_ODD_NAME) {
        TACO__FINDINGS_WARN(f, "the entry is named TACO_GHOST, as tacozip 0.5 and before did");
    }
    if (z->header.odd & TACO__INDEX_ODD_LENGTH) {
        TACO__FINDINGS_ERROR(f, "its local header gives another size than %u bytes",
                             TACO__U(TACO__INDEX_PAYLOAD_BYTES));
    }
    if (z->header.odd & TACO__INDEX_ODD_PADDING) {
        TACO__FINDINGS_WARN(f, "the three bytes behind the count of entries are not zero");
    }
    if (z->header.odd & TACO__INDEX_ODD_GAP) {
        TACO__FINDINGS_ERROR(f, "a level above the deepest one is missing");
    }
    if (z->header.odd & TACO__INDEX_ODD_CRC) {
        TACO__FINDINGS_ERROR(f,
                             "its bytes have another CRC-32 (checksum) than its local header says");
    }
    return true;
}

/* ---- the directory ---- */

/* The end of central directory (§4.3.14 to §4.3.16): nothing after it, nothing between it and
   the directory, a locator that points where it should, no comment. */
static void taco__check_zip_end_records(taco__check_zip *z)
{
    taco__findings *f = z->f;
    taco__findings_set_place(f, "end of central directory");
    if (z->dir.trailing) {
        TACO__FINDINGS_ERROR(f, "%u bytes of something else after the end record (EOCD) at %u",
                             z->dir.trailing, z->dir.eocd);
    }
    if (z->dir.gap) {
        TACO__FINDINGS_ERROR(f, "%u bytes between the central directory and its end record (EOCD)",
                             z->dir.gap);
    }
    if (z->dir.odd64) {
        TACO__FINDINGS_ERROR(f,
                             "ZIP64: the length of the end record (EOCD64) at %u is not that up "
                             "to its locator",
                             z->dir.eocd64);
    }
    if (z->dir.comment) {
        TACO__FINDINGS_WARN(f, "an archive comment of %u bytes", TACO__U(z->dir.comment));
    }
}

/* APPNOTE §4.4.17.1: no drive, no leading '/', no backslash. No '..' either: programs extract
   entries that no level lists, too. */
static bool taco__check_zip_is_relative(taco_bytes name)
{
    size_t i, from = 0;
    if (name.len == 0 || name.data[0] == '/' || memchr(name.data, 0, name.len) ||
        memchr(name.data, '\\', name.len) || (name.len > 1 && name.data[1] == ':')) {
        return false;
    }
    for (i = 0; i <= name.len; i++) {
        if (i == name.len || name.data[i] == '/') {
            if (i - from == 2 && name.data[from] == '.' && name.data[from + 1] == '.') {
                return false;
            }
            from = i + 1;
        }
    }
    return true;
}

/* Checks that need only the entry's header in the directory: stored, not encrypted, no data
   descriptor, a name that is a relative path in a known encoding. */
static void taco__check_zip_entry_flags(taco__check_zip *z, const taco__zip_entry *e)
{
    taco__findings *f = z->f;
    taco_error why;
    size_t i;
    bool ascii = true, utf8 = taco__utf8_valid(e->name);
    memset(&why, 0, sizeof why);
    if (taco__zip_check_stored(e, &why) != TACO_OK) { taco__findings_take_error(f, &why); }
    if (e->flags & TACO__ZIP_DESCRIPTOR) {
        TACO__FINDINGS_ERROR(f, "flag bit 3: sizes and CRC stand in a data descriptor behind the "
                                "bytes, not in the local header");
    }
    if (e->flags & ~(unsigned)(TACO__ZIP_DESCRIPTOR | TACO__ZIP_ENCRYPTED | 0x0806U)) {
        TACO__FINDINGS_WARN(f, "flags 0x%x", TACO__U(e->flags));
    }
    for (i = 0; i < e->name.len; i++) {
        ascii = ascii && e->name.data[i] < 0x80;
    }
    if (!ascii && (!utf8 || !(e->flags & 0x0800U))) {
        TACO__FINDINGS_WARN(f, utf8 ? "the name is UTF-8, but flag bit 11 does not say so"
                                    : "the name is not UTF-8");
    }
    if (!taco__check_zip_is_relative(e->name)) {
        TACO__FINDINGS_ERROR(
            f, "entry name %q is not a relative path, or could lead out of a directory", &e->name);
    }
}

/* The local header (APPNOTE §4.3.7) against the entry of the directory; sets out->data, the offset
   of its bytes. */
static bool taco__check_zip_local_header(taco__check_zip *z, const taco__zip_entry *e,
                                         taco__check_zip_entry *out, taco_error *err)
{
    taco__findings *f = z->f;
    taco__zip_local_header l;
    taco_error why;
    memset(&why, 0, sizeof why);
    if (taco__zip_locate_entry(z->file, &z->dir, e, &l, &z->scratch, &why) != TACO_OK) {
        return taco__findings_take_error(f, &why) || (*err = why, false);
    }
    out->data = l.data;
    out->placed = true;
    if (l.flags & TACO__ZIP_DESCRIPTOR) {
        if (!(e->flags & TACO__ZIP_DESCRIPTOR)) {
            TACO__FINDINGS_ERROR(f,
                                 "its local header has flag bit 3 (data descriptor), the central "
                                 "directory has not");
        }
        return true;
    }
    /* libzip leaves a CRC of 0 here for a file of 2^32-1 bytes */
    if (l.crc != e->crc && !(l.crc == 0 && e->size == 0xFFFFFFFFU)) {
        TACO__FINDINGS_ERROR(
            f, "CRC-32 (checksum) %x in the local header, %x in the central directory",
            TACO__U(l.crc), TACO__U(e->crc));
    }
    /* compression hints and the flag for UTF-8 names are harmless */
    if (l.flags != e->flags) {
        TACO__FINDINGS_REPORT(f, ((l.flags ^ e->flags) & ~0x0806U) != 0,
                              "flags 0x%x in the local header, 0x%x in the central directory",
                              TACO__U(l.flags), TACO__U(e->flags));
    }
    return true;
}

/* Reads the directory's headers into z->entries, in directory order. z->known is set if all could
   be read; later checks rely on it. */
static bool taco__check_zip_entries(taco__check_zip *z, taco_error *err)
{
    taco__findings *f = z->f;
    taco__zip_iter it = taco__zip_iter_init(z->directory, &z->dir);
    taco__zip_entry e;
    taco_error why;
    memset(&why, 0, sizeof why);
    z->entries = (taco__check_zip_entry *)taco__arena_array(z->arena, (size_t)z->dir.entries + 1,
                                                            sizeof *z->entries, err);
    z->by_name = (uint32_t *)taco__arena_array(z->arena, (size_t)z->dir.entries + 1,
                                               sizeof *z->by_name, err);
    if (!z->entries || !z->by_name) { return false; }
    while (!f->stop && taco__zip_next(&it, &e, &why)) {
        taco__check_zip_entry *out = &z->entries[z->count++];
        out->name = taco__findings_hash_path(TACO__FINDINGS_HASH_SEED, e.name);
        out->local = e.local;
        out->size = e.csize;
        out->at = e.at;
        out->crc = e.crc;
        out->stored = !e.method && !(e.flags & TACO__ZIP_ENCRYPTED) && e.size == e.csize;
        taco__findings_set_place(f, "%q", &e.name);
        taco__check_zip_entry_flags(z, &e);
        if (!taco__check_zip_local_header(z, &e, out, err)) { return false; }
    }
    taco__findings_set_place(f, "central directory");
    z->known = !it.bad;
    if (it.bad) { return taco__findings_take_error(f, &why) || (*err = why, false); }
    if (!f->stop && taco__byte_reader_left(&it.cur)) {
        TACO__FINDINGS_ERROR(f, "%u bytes behind the last of its %u entries",
                             TACO__U(taco__byte_reader_left(&it.cur)), z->dir.entries);
    }
    return true;
}

/* ---- all entries together ---- */

/* Order of entries by the place of their local header. */
static int taco__check_zip_compare_places(const void *ctx, const void *a, const void *b)
{
    uint64_t x = ((const taco__check_zip_entry *)a)->local,
             y = ((const taco__check_zip_entry *)b)->local;
    (void)ctx;
    return (x > y) - (x < y);
}

/* A name to sort: its hash and the index of its entry. */
typedef struct taco__check_zip_name {
    uint64_t hash;
    uint32_t entry;
} taco__check_zip_name_key;

/* Order by hash, then by place, so that the first of equal names is the first in the file. */
static int taco__check_zip_compare_names(const void *ctx, const void *a, const void *b)
{
    const taco__check_zip_name_key *x = (const taco__check_zip_name_key *)a,
                                   *y = (const taco__check_zip_name_key *)b;
    (void)ctx;
    if (x->hash != y->hash) { return x->hash < y->hash ? -1 : 1; }
    return (x->entry > y->entry) - (x->entry < y->entry);
}

/* Bytes shared by two entries are an error (extractors disagree about such archives), bytes that
   belong to no entry a warning. Entries are sorted by offset; `last` is the one that has reached
   furthest so far. */
static void taco__check_zip_overlaps(taco__check_zip *z)
{
    taco__findings *f = z->f;
    uint64_t end = 0;
    size_t i, last = 0;
    for (i = 0; i < z->count && !f->stop; i++) {
        const taco__check_zip_entry *e = &z->entries[i];
        taco_bytes name = taco__check_zip_name(z, e);
        uint64_t own = e->placed ? e->data + e->size : e->local;
        if (e->local < end && i) {
            taco_bytes other = taco__check_zip_name(z, &z->entries[last]);
            taco__findings_set_place(f, "%q", &name);
            TACO__FINDINGS_ERROR(f,
                                 "its local header at %u overlaps the entry %q, which ends at %u",
                                 e->local, &other, end);
        } else if (e->local > end && (!i || z->entries[last].placed) &&
                   !taco__check_replaced_is_metadata(z, end, e->local)) {
            taco__findings_set_place(f, "%q", &name);
            TACO__FINDINGS_WARN(f, "the %u bytes before its local header belong to no entry",
                                e->local - end);
        }
        if (own > end || !i) {
            end = own;
            last = i;
        }
    }
    taco__findings_set_place(f, "central directory");
    if (!f->stop && z->count && end < z->dir.offset && z->entries[last].placed &&
        !taco__check_replaced_is_metadata(z, end, z->dir.offset)) {
        TACO__FINDINGS_WARN(f, "the %u bytes before it belong to no entry", z->dir.offset - end);
    }
}

/* Fills z->by_name for taco__check_zip_find, and reports names that occur twice. */
static bool taco__check_zip_index_names(taco__check_zip *z, taco_error *err)
{
    taco__findings *f = z->f;
    size_t i, bytes;
    taco__check_zip_name_key *keys;
    if (!taco__checked_mul_size(z->count + 1, sizeof *keys, &bytes)) {
        return TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory"), false;
    }
    keys = (taco__check_zip_name_key *)taco__mem_alloc(z->mem, bytes, err);
    if (!keys) { return false; }
    for (i = 0; i < z->count; i++) {
        keys[i].hash = z->entries[i].name;
        keys[i].entry = (uint32_t)i;
    }
    if (!taco__sort_in(z->mem, keys, z->count, sizeof *keys, taco__check_zip_compare_names, NULL,
                       err)) {
        taco__mem_free(z->mem, keys, bytes);
        return false;
    }
    for (i = 0; i < z->count; i++) {
        z->by_name[i] = keys[i].entry;
        if (i && keys[i].hash == keys[i - 1].hash) {
            taco_bytes name = taco__check_zip_name(z, &z->entries[keys[i].entry]);
            taco__findings_set_place(f, "central directory");
            TACO__FINDINGS_ERROR(f, "two entries are named %q (duplicate)", &name);
        }
    }
    taco__mem_free(z->mem, keys, bytes);
    return true;
}

/* The entry whose name has this hash, the first of several; NULL if there is none. */
TACO__FN taco__check_zip_entry *taco__check_zip_find(const taco__check_zip *z, uint64_t hash)
{
    size_t at = 0;
    TACO__LOWER_BOUND(at, z->count, i, z->entries[z->by_name[i]].name < hash);
    return at < z->count && z->entries[z->by_name[at]].name == hash ? &z->entries[z->by_name[at]]
                                                                    : NULL;
}

/* TACO_HEADER against the directory: it must be the first entry, and its places of level tables and
   COLLECTION.json must be those in the directory. Marks these as listed. z->differs tells repair
   not to trust the header. */
static bool taco__check_zip_taco_header(taco__check_zip *z, taco_error *err)
{
    taco__findings *f = z->f;
    taco__index directory;
    taco_error why;
    size_t i;
    memset(&why, 0, sizeof why);
    taco__findings_set_place(f, "central directory");
    if (z->count) {
        taco_bytes name = taco__check_zip_name(z, &z->entries[0]);
        if (!taco__bytes_equal(name, taco__bytes_text("TACO_HEADER")) &&
            !taco__bytes_equal(name, taco__bytes_text("TACO_GHOST"))) {
            TACO__FINDINGS_ERROR(f, "the first entry is %q, must be TACO_HEADER", &name);
        }
        z->entries[0].listed = true;
    }
    for (i = 0; i < z->count; i++) {
        taco__index slot;
        memset(&slot, 0, sizeof slot);
        z->entries[i].listed =
            z->entries[i].listed ||
            taco__index_find_slot(&slot, taco__check_zip_name(z, &z->entries[i]));
    }
    if (taco__index_from_directory(z->file, &z->dir, z->directory, &directory, &z->scratch, &why) !=
        TACO_OK) {
        return taco__findings_take_error(f, &why) || (*err = why, false);
    }
    taco__findings_set_place(f, "TACO_HEADER");
    if (z->header.count && taco__index_compare(&z->header, &directory, &why) != TACO_OK) {
        z->differs = true;
        taco__findings_take_error(f, &why);
    }
    return true;
}

/* The size of the archive that TACO_HEADER describes, if what taco add had written when it was
   killed follows it; else 0. TACO_HEADER is changed last: until then, it and the old central
   directory count, even where a new one is complete. */
static uint64_t taco__check_zip_interrupted(taco__check_zip *z)
{
    const taco__range *last = &z->header.collection;
    uint64_t end;
    if (!z->header.count || z->header.odd) { return 0; }
    end = taco__zip_find_end(z->file, last->offset + last->len, &z->scratch);
    if (!end || end >= z->file->src.size) { return 0; }
    return taco__check_replaced_begins(z, end, z->file->src.size) ? end : 0;
}

/* Finds the central directory. Leaves z->dir.file_size 0 if there is none, which is reported. */
static bool taco__check_zip_open(taco__check_zip *z, taco_error *err)
{
    uint64_t size = taco__check_zip_interrupted(z), whole = z->file->src.size;
    taco_error why;
    memset(&why, 0, sizeof why);
    if (size) {
        taco__findings_set_place(z->f, "%s", "");
        TACO__FINDINGS_ERROR(z->f,
                             "an add was interrupted; `taco add` or `taco repair` finishes it: the "
                             "dataset is as before, the last %u bytes of the file are not in use",
                             whole - size);
    }
    taco__findings_set_place(z->f, "end of central directory");
    if (taco__zip_open_until(z->file, size ? size : whole, &z->dir, &z->dir_bytes, &why) !=
        TACO_OK) {
        memset(&z->dir, 0, sizeof z->dir);
        return taco__findings_take_error(z->f, &why) || (*err = why, false);
    }
    return true;
}

/* Checks the records of any archive without reading payloads. The caller sets z->f, file, mem and
   arena, leaves the rest zero, and closes z in any case. limit: most bytes of the directory. False
   if the check itself failed (memory), not if problems were found. */
TACO__FN bool taco__check_zip_records(taco__check_zip *z, uint64_t limit, taco_error *err)
{
    taco_error why;
    memset(&why, 0, sizeof why);
    z->dir_bytes.mem = z->scratch.mem = z->mem;
    if (!taco__check_zip_open(z, err)) { return false; }
    if (z->dir.file_size == 0) { return true; }
    taco__check_zip_end_records(z);
    if (taco__zip_read_directory(z->file, &z->dir, limit, &z->dir_bytes, &z->directory, &why) !=
        TACO_OK) {
        return taco__findings_take_error(z->f, &why) || (*err = why, false);
    }
    if (!taco__check_zip_entries(z, err) ||
        !taco__sort_in(z->mem, z->entries, z->count, sizeof *z->entries,
                       taco__check_zip_compare_places, NULL, err)) {
        return false;
    }
    z->f->sum->entries += z->count;
    taco__check_zip_overlaps(z);
    return taco__check_zip_index_names(z, err);
}

/* The same for an archive of TACO 2, with its TACO_HEADER. */
TACO__FN bool taco__check_zip_run(taco__check_zip *z, uint64_t limit, taco_error *err)
{
    z->scratch.mem = z->mem;
    if (!taco__check_zip_read_taco_header(z, err) || !taco__check_zip_records(z, limit, err) ||
        (z->known && !taco__check_zip_taco_header(z, err))) {
        return false;
    }
    taco__findings_end_table(z->f, "central directory");
    return true;
}

/* Warns of entries that neither TACO_HEADER nor a row lists: readers ignore them. */
TACO__FN void taco__check_zip_unlisted(taco__check_zip *z)
{
    taco__findings *f = z->f;
    size_t i;
    for (i = 0; z->known && i < z->count && !f->stop; i++) {
        if (!z->entries[i].listed) {
            taco_bytes name = taco__check_zip_name(z, &z->entries[i]);
            taco__findings_set_place(f, "%q", &name);
            TACO__FINDINGS_WARN(f, "no level lists this entry");
        }
    }
    taco__findings_end_table(f, "central directory");
}
/* ==== src/validate/check_payloads.c ==== */
/* check_payloads.c - the bytes of every entry of an archive against their CRC-32

   In: the entries of the central directory that check_zip.c has placed, in the order of the file;
   out: problems, in that order, and progress. PKWARE APPNOTE 6.3.10 §4.4.7. Everything is stored,
   nothing compressed: an entry's bytes are its payload.

   Work is done in rounds. Entries are cut into pieces; consecutive pieces form a task, which
   reads the file a window at a time and computes the CRC of each piece. Tasks are run by the
   host's parallel_for if they may read the file concurrently, otherwise by the calling thread.
   The calling thread then joins the CRCs of each entry's pieces and reports. It reads again what
   a task could not read, so that messages do not depend on threads.

   Start reading at taco__check_payloads_run. */
/* #include "validate.h" */
/* #include "../base/base.h" */

/* Most bytes of a piece (a whole number of windows) and of a round; most pieces of a task and of a
   round, and most tasks. */
#define TACO__PAYLOAD_PIECE       ((uint64_t)4 << 20)
#define TACO__PAYLOAD_ROUND       ((uint64_t)64 << 20)
#define TACO__PAYLOAD_TASK_PIECES 512
#define TACO__PAYLOAD_PIECES      8192
#define TACO__PAYLOAD_TASKS       48
/* Least bytes for which waking threads pays off. */
#define TACO__PAYLOAD_LEAST ((uint64_t)262144)

typedef struct taco__payload_piece {
    const taco__check_zip_entry *entry;
    uint64_t offset, len; /* offset and length in the file */
    uint32_t crc;
    bool ok; /* the piece was read */
} taco__payload_piece;

typedef struct taco__payload_task {
    taco__mem own;
    size_t first, end; /* pieces */
    uint64_t bytes;
} taco__payload_task;

typedef struct taco__check_payloads {
    taco__check_zip *z;
    taco__payload_piece *pieces; /* capacity: `room` */
    size_t room, count;
    taco__payload_task *tasks;
    size_t task_count;
    uint64_t bytes; /* bytes of the round */
    size_t entry;   /* next entry to cut, */
    uint64_t cut;   /* and how many of its bytes are in pieces */
    /* of the entry whose pieces are being joined */
    uint32_t crc;
    bool failed;
} taco__check_payloads;

static bool taco__check_payloads_is_checked(const taco__check_zip_entry *e)
{
    return e->placed && e->stored;
}

/* ---- joining CRCs ---- */

/* The product of two polynomials modulo the CRC-32 polynomial; the highest bit is the coefficient
   of x^0. */
static uint32_t taco__check_payloads_multiply(uint32_t a, uint32_t b)
{
    uint32_t product = 0;
    for (; a; a <<= 1) {
        product ^= a >> 31 ? b : 0;
        b = b & 1 ? b >> 1 ^ 0xEDB88320U : b >> 1;
    }
    return product;
}

/* CRC of two parts together, of CRC a and b, the second of `len` bytes: a * x^(8 len) + b. */
TACO__FN uint32_t taco__check_payloads_join(uint32_t a, uint32_t b, uint64_t len)
{
    uint32_t power = 0x800000U; /* x^8, then its squares */
    if (!a) { return b; }       /* the first piece; most entries have only one */
    for (; len; len >>= 1) {
        if (len & 1) { a = taco__check_payloads_multiply(power, a); }
        power = taco__check_payloads_multiply(power, power);
    }
    return a ^ b;
}

/* ---- a round ---- */

/* Adds a piece to the last task, or begins one. */
static void taco__check_payloads_add(taco__check_payloads *p, const taco__payload_piece *piece)
{
    taco__payload_task *t = &p->tasks[p->task_count ? p->task_count - 1 : 0];
    if (!p->task_count || t->end - t->first == TACO__PAYLOAD_TASK_PIECES ||
        t->bytes + piece->len > TACO__PAYLOAD_PIECE) {
        t = &p->tasks[p->task_count++];
        memset(t, 0, sizeof *t);
        t->first = t->end = p->count;
    }
    t->bytes += piece->len;
    t->end++;
    p->bytes += piece->len;
    p->pieces[p->count++] = *piece;
}

/* Cuts the next entries into pieces. False at the end of the entries. */
static bool taco__check_payloads_cut(taco__check_payloads *p)
{
    p->count = p->task_count = 0;
    p->bytes = 0;
    while (p->entry < p->z->count && p->count < p->room && p->bytes < TACO__PAYLOAD_ROUND &&
           p->task_count < TACO__PAYLOAD_TASKS) {
        const taco__check_zip_entry *e = &p->z->entries[p->entry];
        taco__payload_piece piece;
        memset(&piece, 0, sizeof piece);
        piece.entry = e;
        piece.offset = e->data + p->cut;
        piece.len = TACO__MIN(e->size - p->cut, TACO__PAYLOAD_PIECE);
        if (taco__check_payloads_is_checked(e)) { taco__check_payloads_add(p, &piece); }
        p->cut += piece.len;
        if (p->cut == e->size || !taco__check_payloads_is_checked(e)) {
            p->entry++;
            p->cut = 0;
        }
    }
    return p->count > 0;
}

/* ---- tasks ---- */

/* The n bytes at offset, n at most a window. Bytes after them up to `end` are read along for the
   next pieces; *at is the offset of the window. NULL if they cannot be read. */
static const uint8_t *taco__check_payloads_view(taco__file *file, uint64_t offset, size_t n,
                                                uint64_t end, taco__buf *window, uint64_t *at)
{
    const uint8_t *p = taco__file_cached(file, offset, n);
    size_t len = n;
    if (p) { return p; }
    if (offset >= *at && taco__checked_range(offset - *at, n, window->len)) {
        return window->data + (size_t)(offset - *at);
    }
    if (end > offset + n) {
        len = (size_t)TACO__MIN(end - offset, (uint64_t)TACO__FILE_WINDOW);
        len = TACO__MAX(len, n);
    }
    window->len = 0;
    if (!taco__buf_reset(window, len, NULL) ||
        !taco__file_read(file, offset, window->data, len, NULL)) {
        return NULL;
    }
    *at = offset;
    window->len = len;
    return window->data;
}

static void taco__check_payloads_task(void *arg, size_t i)
{
    taco__check_payloads *p = (taco__check_payloads *)arg;
    taco__payload_task *t = &p->tasks[i];
    const taco__payload_piece *last = &p->pieces[t->end - 1];
    const uint64_t end = last->offset + last->len;
    uint64_t at = 0;
    taco__buf window;
    size_t k;
    memset(&window, 0, sizeof window);
    window.mem = &t->own;
    for (k = t->first; k < t->end; k++) {
        taco__payload_piece *piece = &p->pieces[k];
        uint64_t done = 0;
        piece->ok = true;
        while (piece->ok && done < piece->len) {
            size_t n = (size_t)TACO__MIN(piece->len - done, (uint64_t)TACO__FILE_WINDOW);
            const uint8_t *b =
                taco__check_payloads_view(p->z->file, piece->offset + done, n, end, &window, &at);
            piece->ok = b != NULL;
            if (b) { piece->crc = taco__crc32(piece->crc, b, n); }
            done += n;
        }
    }
    taco__buf_free(&window);
}

static void taco__check_payloads_work(taco__check_payloads *p)
{
    const taco_options *host = p->z->options;
    const taco__file *file = p->z->file;
    size_t i;
    bool tasks = taco__tasks_width(host, p->task_count) > 1 && p->bytes >= TACO__PAYLOAD_LEAST &&
                 (file->src.view || taco__file_tasks_may_read(file));
    for (i = 0; i < p->task_count; i++) {
        taco__mem_task_begin(p->z->mem, &p->tasks[i].own, tasks ? p->task_count : 1);
    }
    taco__tasks_run(tasks ? host : NULL, p->task_count, taco__check_payloads_task, p);
    for (i = 0; i < p->task_count; i++) {
        taco__mem_task_merge(p->z->mem, &p->tasks[i].own);
    }
}

/* ---- findings ---- */

/* Adds a piece to the CRC of its entry, and reports progress after each window; a piece that was
   not read is read again. False with *e set if that fails. */
static bool taco__check_payloads_count(taco__check_payloads *p, const taco__payload_piece *piece,
                                       taco_error *e)
{
    taco__findings *f = p->z->f;
    uint32_t crc = piece->crc;
    uint64_t done = 0;
    if (!piece->ok) {
        taco__range r;
        r.offset = piece->offset;
        r.len = piece->len;
        if (!taco__findings_read_crc(f, p->z->file, r, &p->z->scratch, &crc, e)) { return false; }
        done = piece->len;
    }
    while (done < piece->len && !f->stop) {
        uint64_t n = TACO__MIN(piece->len - done, (uint64_t)TACO__FILE_WINDOW);
        taco__findings_progress(f, n);
        done += n;
    }
    p->crc = taco__check_payloads_join(p->crc, crc, piece->len);
    return true;
}

/* Reports what was found in a piece; after the last piece of an entry its CRC is compared with the
   directory. False with *err set if the check itself failed. */
static bool taco__check_payloads_report(taco__check_payloads *p, const taco__payload_piece *piece,
                                        taco_error *err)
{
    taco__findings *f = p->z->f;
    const taco__check_zip_entry *e = piece->entry;
    taco_bytes name = taco__check_zip_name(p->z, e);
    taco_error why;
    memset(&why, 0, sizeof why);
    if (piece->offset == e->data) {
        p->crc = 0;
        p->failed = false;
    }
    if (p->failed) { return true; }
    if (!taco__check_payloads_count(p, piece, &why)) {
        p->failed = true;
        taco__findings_set_place(f, "%q", &name);
        if (taco__findings_take_error(f, &why)) { return true; }
        *err = why;
        return false;
    }
    if (piece->offset + piece->len == e->data + e->size && p->crc != e->crc && !f->stop) {
        taco__findings_set_place(f, "%q", &name);
        TACO__FINDINGS_ERROR(f, "its %u bytes at %u have the CRC-32 (checksum) %x, not %x", e->size,
                             e->data, TACO__U(p->crc), TACO__U(e->crc));
    }
    return true;
}

/* Rounds until the last entry, or until the caller stops. */
static bool taco__check_payloads_rounds(taco__check_payloads *p, taco_error *err)
{
    size_t i;
    while (!p->z->f->stop && taco__check_payloads_cut(p)) {
        taco__check_payloads_work(p);
        for (i = 0; i < p->count && !p->z->f->stop; i++) {
            if (!taco__check_payloads_report(p, &p->pieces[i], err)) { return false; }
        }
    }
    taco__findings_end_table(p->z->f, "payloads");
    return true;
}

/* Reads the bytes of every entry (deep): their CRC-32 must match the directory. */
TACO__FN bool taco__check_payloads_run(taco__check_zip *z, taco_error *err)
{
    taco__check_payloads p;
    size_t i, tasks;
    bool ok;
    memset(&p, 0, sizeof p);
    p.z = z;
    for (i = 0; i < z->count; i++) {
        const taco__check_zip_entry *e = &z->entries[i];
        const uint64_t size = taco__check_payloads_is_checked(e) ? e->size : 0;
        z->f->total += size;
        p.room += (size_t)TACO__MIN(1 + size / TACO__PAYLOAD_PIECE, (uint64_t)TACO__PAYLOAD_PIECES);
        p.room = TACO__MIN(p.room, (size_t)TACO__PAYLOAD_PIECES);
    }
    tasks = TACO__MIN(p.room, (size_t)TACO__PAYLOAD_TASKS);
    p.pieces = (taco__payload_piece *)taco__mem_alloc(z->mem, p.room * sizeof *p.pieces, err);
    p.tasks = p.pieces ? (taco__payload_task *)taco__mem_alloc(z->mem, tasks * sizeof *p.tasks, err)
                       : NULL;
    ok = p.tasks && taco__check_payloads_rounds(&p, err);
    taco__mem_free(z->mem, p.tasks, tasks * sizeof *p.tasks);
    taco__mem_free(z->mem, p.pieces, p.room * sizeof *p.pieces);
    return ok;
}
/* ==== src/validate/check_collection.c ==== */
/* check_collection.c - COLLECTION.json alone, and compared with the tables

   In: the parsed collection of a container, then the levels as check_level.c has read them; out:
   problems under the place "COLLECTION.json: ...". TACO 2.0 §5.6 (fields, taco:field_schema),
   §5.5 (taco:pit_schema).

   taco__check_collection_document needs only the document: keys that occur twice, the rules of
   rules.c, the form of taco:field_schema. taco__check_collection_tables runs once the children
   of every row are linked: numbers, types and patterns of the pit schema against the existing
   rows, columns and types of the field schema against those of the tables. Datasets of the
   reference often describe deeper levels incompletely, which is a warning if it misleads no
   reader. */
/* #include "validate.h" */
/* #include "../base/base.h" */
/* #include "../arrow/arrow.h" */
/* #include "../base/json.h" */
/* #include "../parquet/parquet.h" */
/* #include "../dataset/dataset.h" */

/* A breach of rules.c as a problem; ctx is the taco__findings. */
static bool taco__check_collection_report(void *ctx, bool warning, const taco_error *what)
{
    taco__findings *f = (taco__findings *)ctx;
    taco__findings_report(f, !warning, what);
    return !f->stop;
}

/* Keys of the document that occur twice. Each is compared with all others, so only the first
   thousand are checked. */
static void taco__check_collection_repeated_keys(taco__findings *f, const taco__json *root)
{
    const taco__json *key;
    size_t i;
    taco__findings_set_place(f, "COLLECTION.json");
    for (i = 0, key = taco__json_first(root); i < root->count && i < 1000;
         i++, key = taco__json_next(key + 1)) {
        taco_bytes name = taco__json_bytes(key);
        if (taco__json_get_bytes(root, name) != key + 1) {
            TACO__FINDINGS_WARN(f, "the key %q occurs twice, the last one counts", &name);
        }
    }
}

/* taco:field_schema: an object of levels, each a list of [name, type, description]. Only the
   form: readers take names and types from the tables. */
static void taco__check_collection_field_schema(taco__findings *f, const taco__json *n)
{
    const taco__json *key, *row;
    size_t i, k;
    taco__findings_set_place(f, "COLLECTION.json: taco:field_schema");
    if (taco__rules_is_null(n)) {
        TACO__FINDINGS_WARN(f, "taco:field_schema is missing");
        return;
    }
    if (!taco__json_is(n, TACO__JSON_OBJECT)) {
        TACO__FINDINGS_ERROR(f, "must be an object of levels, found %s", taco__json_type_name(n));
        return;
    }
    for (i = 0, key = taco__json_first(n); i < n->count; i++, key = taco__json_next(key + 1)) {
        taco_bytes name = taco__json_bytes(key);
        const taco__json *list = key + 1;
        taco__findings_set_place(f, "COLLECTION.json: taco:field_schema: %q", &name);
        if (!taco__json_is(list, TACO__JSON_ARRAY)) {
            TACO__FINDINGS_ERROR(f, "must be an array of fields, found %s",
                                 taco__json_type_name(list));
            continue;
        }
        for (k = 0, row = taco__json_first(list); k < list->count;
             k++, row = taco__json_next(row)) {
            if (!taco__json_text(taco__json_at(row, 0)) ||
                !taco__json_text(taco__json_at(row, 1))) {
                TACO__FINDINGS_ERROR(f, "field %u must be [name, type, description]", TACO__U(k));
            }
        }
    }
}

/* All checks that need only the document. */
TACO__FN void taco__check_collection_document(taco__findings *f, const taco__collection *c)
{
    taco__check_collection_repeated_keys(f, c->doc.root);
    taco__findings_set_place(f, "COLLECTION.json");
    taco__rules_check_collection(&c->doc, false, taco__check_collection_report, f);
    taco__check_collection_field_schema(f, c->field_schema);
    taco__findings_end_table(f, "COLLECTION.json");
}

/* ---- the collection against the tables ---- */

/* True if a FOLDER has exactly the children that a pattern lists, by id and type, in order. */
static bool taco__check_collection_pattern(const taco__check_tree_state *t, uint32_t level,
                                           size_t row, const taco__pit_pattern *p)
{
    const int32_t *kids;
    size_t n = taco__check_tree_children(t, level, row, &kids), i;
    for (i = 0; i < n && i < p->count; i++) {
        if (t->levels[level + 1].key[kids[i]] !=
            taco__findings_hash_path(TACO__FINDINGS_HASH_SEED + p->folders[i], p->ids[i])) {
            return false;
        }
    }
    return n == p->count;
}

/* The patterns of one depth of taco:pit_schema.hierarchy against the level. Level 1 has one
   pattern; deeper ones describe only the FOLDERs of the first pattern above, so tables may hold
   more than the schema lists. In that case, and in subsets, a pattern without a matching FOLDER is
   a warning. */
static void taco__check_collection_patterns(taco__check_tree_state *t, uint32_t depth)
{
    const taco__pit_level *c = &t->s->coll.pit.levels[depth - 1];
    taco__check_tree_level *above = &t->levels[depth - 1];
    int64_t sum = 0;
    size_t i, row;
    taco__findings_set_place(t->f, "COLLECTION.json: taco:pit_schema.hierarchy.%u", TACO__U(depth));
    if (depth < t->count && !c->count) {
        TACO__FINDINGS_ERROR(t->f, "there is no pattern, but there is a level %u", TACO__U(depth));
        return;
    }
    if (depth >= t->count) {
        if (c->count) {
            TACO__FINDINGS_ERROR(t->f, "describes level %u, which is missing", TACO__U(depth));
        }
        return;
    }
    for (i = 0; i < c->count; i++) {
        sum = sum < 0 || c->patterns[i].n < 0 || c->patterns[i].n > INT32_MAX
                  ? -1
                  : sum + c->patterns[i].n;
        for (row = 0; above->first && row < above->rows; row++) {
            if (above->folder[row] == 1 &&
                taco__check_collection_pattern(t, depth - 1, row, &c->patterns[i])) {
                break;
            }
        }
        if (above->first && row == above->rows) {
            TACO__FINDINGS_REPORT(t->f, depth == 1 && !taco__check_tree_is_subset(t),
                                  "no FOLDER has the children that pattern %u lists", TACO__U(i));
        }
    }
    if (t->levels[depth].l && sum >= 0 && (uint64_t)sum != t->levels[depth].rows) {
        TACO__FINDINGS_WARN(t->f, "n is %d in all, level%u has %u rows", TACO__D(sum),
                            TACO__U(depth), TACO__U(t->levels[depth].rows));
    }
}

/* ---- taco:field_schema against the tables ---- */

/* Types by their names in taco:field_schema, which are Arrow's, in lower case and without what is
   in brackets. Those that Parquet stores as another type have that one. */
static const struct {
    const char *name;
    taco_type type;
} taco__check_collection_types[] = {{"bool", TACO_BOOL},
                                    {"int8", TACO_INT8},
                                    {"int16", TACO_INT16},
                                    {"int32", TACO_INT32},
                                    {"int64", TACO_INT64},
                                    {"duration", TACO_INT64},
                                    {"uint8", TACO_UINT8},
                                    {"uint16", TACO_UINT16},
                                    {"uint32", TACO_UINT32},
                                    {"uint64", TACO_UINT64},
                                    {"halffloat", TACO_HALF},
                                    {"float", TACO_FLOAT},
                                    {"float32", TACO_FLOAT},
                                    {"double", TACO_DOUBLE},
                                    {"float64", TACO_DOUBLE},
                                    {"decimal128", TACO_DECIMAL},
                                    {"decimal256", TACO_DECIMAL},
                                    {"date32", TACO_DATE},
                                    {"date64", TACO_DATE},
                                    {"time32", TACO_TIME},
                                    {"time64", TACO_TIME},
                                    {"timestamp", TACO_TIMESTAMP},
                                    {"string", TACO_TEXT},
                                    {"large_string", TACO_TEXT},
                                    {"binary", TACO_BINARY},
                                    {"large_binary", TACO_BINARY},
                                    {"fixed_size_binary", TACO_BINARY},
                                    {"list", TACO_LIST},
                                    {"large_list", TACO_LIST},
                                    {"fixed_size_list", TACO_LIST},
                                    {"map", TACO_MAP},
                                    {"struct", TACO_STRUCT}};

/* Whether a column may have this type. Names that are not known here, and null, fit any. */
static bool taco__check_collection_is_type(const taco_field *f, taco_bytes text)
{
    taco_type type = f->type == TACO_FIXED || f->type == TACO_UUID ? TACO_BINARY
                     : f->type == TACO_INT96                       ? TACO_TIMESTAMP
                                                                   : f->type;
    size_t i, n = 0;
    while (n < text.len && text.data[n] != '[' && text.data[n] != '<' && text.data[n] != '(') {
        n++;
    }
    text.len = n;
    for (i = 0; i < TACO__COUNT(taco__check_collection_types); i++) {
        if (taco__bytes_equal(text, taco__bytes_text(taco__check_collection_types[i].name))) {
            return type == taco__check_collection_types[i].type || type == TACO_NULL;
        }
    }
    return true;
}

/* One level: columns that its list has must be in the table, with that type, except "path", which
   readers add; and columns of the table, except the format's own, in the list. `names` are the
   columns of the table, `listed` is zeroed, one for each. */
static void taco__check_collection_columns(taco__check_tree_state *t, const taco__level *l,
                                           const taco__json *list, const taco__field_index *names,
                                           bool *listed)
{
    const taco__json *row;
    size_t i;
    for (i = 0, row = taco__json_first(list); i < taco__json_length(list);
         i++, row = taco__json_next(row)) {
        const char *name = taco__json_text(taco__json_at(row, 0));
        taco_bytes text = taco__bytes_text(name), type = taco__json_bytes(taco__json_at(row, 1));
        size_t at = name ? taco__field_index_find(names, name) : SIZE_MAX;
        if (name && at == SIZE_MAX && strcmp(name, "path") != 0) {
            TACO__FINDINGS_WARN(t->f, "lists the column %q, which %s has not", &text, l->name);
        } else if (at != SIZE_MAX) {
            listed[at] = true;
            if (!taco__check_collection_is_type(&l->table.fields[at], type)) {
                TACO__FINDINGS_WARN(t->f, "says %q for the type of %q, which %s does not have",
                                    &type, &text, l->name);
            }
        }
    }
    for (i = 0; i < l->table.field_count; i++) {
        taco_bytes text = taco__bytes_text(l->table.fields[i].name);
        if (!listed[i] && !taco__bytes_starts_with(text, "internal:")) {
            TACO__FINDINGS_WARN(t->f, "does not list the column %q of %s", &text, l->name);
        }
    }
}

/* taco:field_schema against the tables of all levels. */
static bool taco__check_collection_fields(taco__check_tree_state *t, taco_error *err)
{
    const taco__json *schema = t->s->coll.field_schema, *list;
    taco__field_index names;
    char key[] = "level0";
    for (; key[5] < (char)('0' + t->count); key[5]++) {
        const taco__level *l = t->levels[key[5] - '0'].l;
        bool *listed;
        list = taco__json_get(schema, key);
        taco__findings_set_place(t->f, "COLLECTION.json: taco:field_schema.%s", key);
        if (taco__json_is(schema, TACO__JSON_OBJECT) && !list) {
            TACO__FINDINGS_WARN(t->f, "is missing");
        }
        if (!l || !taco__json_is(list, TACO__JSON_ARRAY)) { continue; }
        listed = (bool *)taco__arena_array(t->arena, l->table.field_count + 1, sizeof *listed, err);
        if (!listed) { return false; }
        memset(listed, 0, l->table.field_count * sizeof *listed);
        taco__field_index_init(&names, l->table.fields, l->table.field_count, t->mem);
        taco__check_collection_columns(t, l, list, &names, listed);
        taco__field_index_free(&names);
    }
    return true;
}

/* The pit schema against the tables: root n and type, patterns, shape; then the field schema.
   Needs taco__check_tree_link_children for all levels. */
TACO__FN bool taco__check_collection_tables(taco__check_tree_state *t, taco_error *err)
{
    bool ok;
    const taco__pit *pit = &t->s->coll.pit;
    taco__check_tree_level *v = &t->levels[0];
    uint32_t d;
    taco__findings_set_place(t->f, "COLLECTION.json: taco:pit_schema.root");
    if (v->l && pit->n < 0) {
        const taco__json *n = taco__json_get(taco__json_get(t->s->coll.pit_schema, "root"), "n");
        TACO__FINDINGS_REPORT(t->f, !taco__rules_is_null(n),
                              taco__rules_is_null(n) ? "n is missing"
                                                     : "n must be an integer, 0 or more");
    } else if (v->l && (uint64_t)pit->n != v->rows) {
        TACO__FINDINGS_ERROR(t->f, "taco:pit_schema: root n is %d, level0 has %u rows",
                             TACO__D(pit->n), TACO__U(v->rows));
    }
    if (v->l && v->rows && v->folder[0] < 2 && pit->folders != (v->folder[0] == 1)) {
        TACO__FINDINGS_ERROR(t->f, "type is %s, but the samples of level0 are of type %s",
                             taco__collection_type_name(pit->folders),
                             taco__collection_type_name(v->folder[0] == 1));
    }
    for (d = 1; d <= TACO__PIT_MAX_DEPTH; d++) {
        taco__check_collection_patterns(t, d);
    }
    taco__findings_set_place(t->f, "COLLECTION.json: taco:pit_schema.shape");
    if (pit->shape && v->l &&
        (pit->shape_count != t->count || (uint64_t)pit->shape[0] != v->rows)) {
        TACO__FINDINGS_WARN(t->f, "says %u levels and %d samples, there are %u and %u",
                            TACO__U(pit->shape_count), TACO__D(pit->shape[0]), TACO__U(t->count),
                            TACO__U(v->rows));
    }
    ok = taco__check_collection_fields(t, err);
    taco__findings_end_table(t->f, "COLLECTION.json");
    return ok;
}
/* ==== src/validate/check_tree.c ==== */
/* check_tree.c - children of every row, names for messages, and the rules of the tree: PIT-1

   In: levels as check_level.c has read them into memory (hashes, types, parents); out: the
   children of every row, and problems if samples do not have the same tree below them. TACO
   2.0 §5.5 (PIT-1), §7.2.3; the draft of June 2025 §5 (strict PIT, on request).

   A level keeps two hashes per row instead of strings: key (type and id, equal for
   interchangeable siblings) and path. Trees are compared by their keys. Names are read again from
   the table only if a message needs them (taco__check_tree_name, a window of rows at a time).
   Start reading at taco__check_tree_pit. */
/* #include "validate.h" */
/* #include "../base/base.h" */
/* #include "../base/json.h" */
/* #include "../parquet/parquet.h" */
/* #include "../dataset/dataset.h" */

#define TACO__CHECK_TREE_NAMES 1024 /* rows whose names are kept for messages */

/* Frees everything except what is in the arena. Safe on a zeroed struct, and leaves it zeroed. */
TACO__FN void taco__check_tree_close(taco__check_tree_state *t)
{
    uint32_t i;
    for (i = 0; i < TACO__MAX_LEVELS; i++) {
        if (t->levels[i].names_open) { taco__row_reader_close(&t->levels[i].names); }
    }
    if (t->mem) {
        taco__join_free(&t->sources);
        taco__buf_free(&t->text);
        taco__buf_free(&t->other);
        taco__buf_free(&t->window);
    }
    memset(t, 0, sizeof *t);
}

/* ---- names for messages ---- */

/* Id of a row, or its path below DATA/ if the level has paths. {NULL, 0} if it cannot be read, with
   the reason in err, which may be NULL. Valid until the next call for this level: with two names,
   copy the first. */
TACO__FN taco_bytes taco__check_tree_name(taco__check_tree_state *t, uint32_t level, size_t row,
                                          bool path, taco_error *err)
{
    taco__check_tree_level *v = &t->levels[level];
    size_t which[2], at = 0;
    which[0] = v->l->role.id;
    which[1] = level && v->l->role.relative != TACO__NONE ? v->l->role.relative : v->l->role.id;
    if (which[0] == TACO__NONE) { return taco__bytes_of(NULL, 0); }
    if (!v->names_open) {
        v->names_open = taco__row_reader_open(&v->names, &v->l->table, which, 2, t->mem, err);
        if (!v->names_open) { return taco__bytes_of(NULL, 0); }
    }
    if (row < v->name_first || row - v->name_first >= v->name_count) {
        v->name_first = row - row % TACO__CHECK_TREE_NAMES;
        v->name_count = TACO__MIN(v->rows - v->name_first, (size_t)TACO__CHECK_TREE_NAMES);
        if (!taco__row_reader_read_range(&v->names, v->name_first, v->name_count, err)) {
            v->name_count = 0;
            return taco__bytes_of(NULL, 0);
        }
    }
    at = path ? 1 : 0;
    return v->names.arrays[at].field->type == TACO_TEXT
               ? taco_array_bytes(&v->names.arrays[at], row - v->name_first)
               : taco__bytes_of(NULL, 0);
}

/* The path of a row below DATA/, without a '/' at the end. */
TACO__FN taco_bytes taco__check_tree_path(taco__check_tree_state *t, uint32_t level, size_t row)
{
    taco_bytes b = taco__check_tree_name(t, level, row, true, NULL);
    if (b.len > 1 && b.data[b.len - 1] == '/') { b.len--; }
    return b;
}

/* Links the rows of the level below to their parents, in order, by counting sort: first[row + 2]
   counts children, then first[row + 1] is the slot of the row's next child, and at the end the
   children of row are first[row] to first[row + 1]. Orphans have no parent. */
TACO__FN bool taco__check_tree_link_children(taco__check_tree_state *t, uint32_t level,
                                             taco_error *err)
{
    taco__check_tree_level *v = &t->levels[level], *below = &t->levels[level + 1];
    const int32_t *parents = below->l ? below->l->parents : NULL;
    size_t i;
    int32_t sum = 0;
    if (!v->l || !parents) { return true; }
    v->first = (int32_t *)taco__arena_array(t->arena, v->rows + 2, sizeof *v->first, err);
    v->kids = (int32_t *)taco__arena_array(t->arena, below->rows + 1, sizeof *v->kids, err);
    if (!v->first || !v->kids) { return false; }
    for (i = 0; i < below->rows; i++) {
        if (parents[i] >= 0) { v->first[parents[i] + 2]++; }
    }
    for (i = 0; i < v->rows; i++) { /* first[row + 1] is the slot of the row's next child */
        sum += v->first[i + 2];
        v->first[i + 2] = sum;
    }
    for (i = 0; i < below->rows; i++) {
        if (parents[i] >= 0) { v->kids[v->first[parents[i] + 1]++] = (int32_t)i; }
    }
    return true;
}

/* Number of a row's children, and their row numbers; 0 if the level below is missing. */
TACO__FN size_t taco__check_tree_children(const taco__check_tree_state *t, uint32_t level,
                                          size_t row, const int32_t **kids)
{
    const taco__check_tree_level *v = &t->levels[level];
    *kids = v->first ? v->kids + v->first[row] : NULL;
    return v->first ? (size_t)(v->first[row + 1] - v->first[row]) : 0;
}

/* ---- PIT ---- */

/* two FOLDERs that must have the same children */
typedef struct taco__check_tree_pair {
    uint32_t level;
    size_t a, b; /* a is the first of its kind */
    const char *rule;
    bool error;
} taco__check_tree_pair;

/* Reports how the children of p->b (y, m of them) differ from those of p->a (x, n of them): in
   number, or at the first different one. Names are copied into t->other and t->text first, since
   reading one may invalidate another. */
static void taco__check_tree_report_difference(taco__check_tree_state *t,
                                               const taco__check_tree_pair *p, const int32_t *x,
                                               const int32_t *y, size_t n, size_t m)
{
    taco__findings *f = t->f;
    taco_bytes first = taco__check_tree_path(t, p->level, p->a), other, one, two;
    size_t i;
    uint32_t below = p->level + 1;
    t->other.len = 0; /* the window of names may move */
    if (!taco__buf_append(&t->other, first.data, first.len, NULL)) { return; }
    first = taco__bytes_of(t->other.data, t->other.len);
    t->level = p->level;
    t->row = p->b;
    taco__check_level_set_place(t);
    other = taco__check_tree_path(t, p->level, p->b);
    if (n != m) {
        TACO__FINDINGS_REPORT(f, p->error, "%s: %q has %u children, %q has %u", p->rule, &other,
                              TACO__U(m), &first, TACO__U(n));
        return;
    }
    for (i = 0; i < n; i++) {
        const uint64_t *key = t->levels[below].key;
        const uint8_t *folder = t->levels[below].folder;
        if (key[x[i]] == key[y[i]]) { continue; }
        one = taco__check_tree_name(t, below, (size_t)x[i], false, NULL);
        t->text.len = 0;
        if (!taco__buf_append(&t->text, one.data, one.len, NULL)) { return; }
        one = taco__bytes_of(t->text.data, t->text.len);
        two = taco__check_tree_name(t, below, (size_t)y[i], false, NULL);
        TACO__FINDINGS_REPORT(f, p->error, "%s: child %u of %q is the %s %q, that of %q the %s %q",
                              p->rule, TACO__U(i), &other,
                              taco__collection_type_name(folder[y[i]] == 1), &two, &first,
                              taco__collection_type_name(folder[x[i]] == 1), &one);
        return;
    }
}

/* True if both FOLDERs have the same children by id and type; otherwise the first difference is
   reported. */
static bool taco__check_tree_same_children(taco__check_tree_state *t,
                                           const taco__check_tree_pair *p)
{
    const int32_t *x, *y;
    size_t n = taco__check_tree_children(t, p->level, p->a, &x),
           m = taco__check_tree_children(t, p->level, p->b, &y), i = 0;
    const uint64_t *key = n ? t->levels[p->level + 1].key : NULL;
    if (n == m) {
        for (; i < n && key[x[i]] == key[y[i]]; i++) {}
        if (i == n) { return true; }
    }
    taco__check_tree_report_difference(t, p, x, y, n, m);
    return false;
}

/* True for an export of the reference (taco:subset_of), which keeps the schema of the original and
   may leave samples with different children: PIT differences are then warnings. */
TACO__FN bool taco__check_tree_is_subset(const taco__check_tree_state *t)
{
    return taco__json_get(t->s->coll.doc.root, "taco:subset_of") != NULL;
}

/* Compares two samples and everything below them, down to the first difference. Differences that
   the reference detects too (the children of level 0, and how many children those have) are errors,
   deeper ones warnings. Recursion ends at the deepest level. */
static void taco__check_tree_isomorphic(taco__check_tree_state *t, uint32_t level, size_t a,
                                        size_t b)
{
    taco__check_tree_pair p;
    const int32_t *x, *y;
    size_t n, i;
    p.level = level;
    p.a = a;
    p.b = b;
    p.rule = "PIT-1";
    n = taco__check_tree_children(t, level, a, &x);
    p.error = !taco__check_tree_is_subset(t) &&
              (level == 0 || (level == 1 && n != taco__check_tree_children(t, level, b, &y)));
    if (t->f->stop || !taco__check_tree_same_children(t, &p)) { return; }
    n = taco__check_tree_children(t, level, a, &x);
    taco__check_tree_children(t, level, b, &y);
    for (i = 0; i < n; i++) {
        if (t->levels[level + 1].folder[x[i]] == 1) {
            taco__check_tree_isomorphic(t, level + 1, (size_t)x[i], (size_t)y[i]);
        }
    }
}

/* The draft of June 2025 requires more than PIT-1: all FOLDERs of a level have the same
   children. */
static void taco__check_tree_strict_pit(taco__check_tree_state *t)
{
    taco__check_tree_pair p;
    uint32_t level;
    p.rule = "strict PIT";
    p.error = true;
    for (level = 0; level + 1 < t->count; level++) {
        taco__check_tree_level *v = &t->levels[level];
        p.level = level;
        p.a = SIZE_MAX;
        for (p.b = 0; v->first && p.b < v->rows && !t->f->stop; p.b++) {
            if (v->folder[p.b] != 1) { continue; }
            if (p.a == SIZE_MAX) {
                p.a = p.b;
            } else {
                taco__check_tree_same_children(t, &p);
            }
        }
    }
    taco__findings_end_table(t->f, "strict PIT");
}

/* PIT-1 (§5.5): every sample of level 0 has the type of the first and the same tree below it. With
   strict_pit the older rule is checked too. */
TACO__FN void taco__check_tree_pit(taco__check_tree_state *t)
{
    taco__check_tree_level *v = &t->levels[0];
    size_t row;
    t->level = 0;
    for (row = 1; v->l && row < v->rows && !t->f->stop; row++) {
        if (v->folder[row] != v->folder[0] && v->folder[row] < 2 && v->folder[0] < 2) {
            t->row = row;
            TACO__CHECK_LEVEL_ERROR(t,
                                    "PIT-1: the root mixes types: this sample is a %s, row 0 a %s",
                                    taco__collection_type_name(v->folder[row] == 1),
                                    taco__collection_type_name(v->folder[0] == 1));
        } else if (v->folder[row] == 1) {
            taco__check_tree_isomorphic(t, 0, 0, row);
        }
    }
    taco__findings_end_table(t->f, "PIT-1");
    if (t->f->how->strict_pit) { taco__check_tree_strict_pit(t); }
}
/* ==== src/validate/check_level.c ==== */
/* check_level.c - METADATA/levelN.parquet: columns, every row, ids, ranges, paths, parents

   In: a level of an open container, the level above it, and the entries of the archive's
   directory; out: problems under the place "levelN: row M", and the level in memory
   (taco__check_tree_level) for the files that compare levels with each other. TACO 2.0 §5.6.1
   (ids), §6.2 (tables), §6.3 (offsets), §7.1.2 (names), §7.2.3 (columns of the format).

   taco__check_level_run reads a table once. It checks the columns first (a missing one is
   reported once, and its role becomes TACO__NONE), then each row with taco__check_level_row,
   which calls one function per subject: type and path, id, numbers, range, path, entry or local
   header or file. With deep every Parquet page is verified. Uniqueness of ids is checked last,
   with the sorted hashes of all paths. */
/* #include "validate.h" */
/* #include "../base/base.h" */
/* #include "../parquet_inspect/inspect.h" */
/* #include "../dataset/dataset.h" */

/* Sets the place to the current row, t->row of t->level. */
TACO__FN void taco__check_level_set_place(taco__check_tree_state *t)
{
    taco__findings_set_place(t->f, "%s: row %u", t->levels[t->level].l->name, TACO__U(t->row));
}

#define TACO__CHECK_LEVEL_WARN(t, ...)                                                             \
    do {                                                                                           \
        taco__check_level_set_place(t);                                                            \
        TACO__FINDINGS_WARN((t)->f, __VA_ARGS__);                                                  \
    } while (0)

/* ---- columns ---- */

/* True if a column exists and has the right type (text, or integers). Otherwise a problem: an error
   if `error` is set, and always if the type is wrong. */
TACO__FN bool taco__check_level_column(taco__findings *f, const taco__table *table, size_t column,
                                       const char *name, bool text, bool error)
{
    if (column == TACO__NONE) {
        TACO__FINDINGS_REPORT(f, error, "there is no column %s", name);
        return false;
    }
    if (text ? table->fields[column].type != TACO_TEXT
             : !taco__join_is_integer(table->fields[column].type)) {
        TACO__FINDINGS_ERROR(f, "column %s must be of %s (type)", name, text ? "text" : "integers");
        return false;
    }
    return true;
}

/* Names of the user's columns: the reference accepts only this form (§7.1.2). */
static void taco__check_level_column_names(taco__findings *f, const taco__table *table)
{
    size_t i;
    for (i = 0; i < table->field_count; i++) {
        taco_bytes name = taco__bytes_text(table->fields[i].name);
        taco_error e;
        memset(&e, 0, sizeof e);
        if (!taco__rules_is_format_column(name) &&
            taco__rules_check_column_name(name, &e) != TACO_OK) {
            taco__findings_add(f, false, "column name", &e);
        }
    }
}

/* The columns that every level must have (§7.2.3). A role whose column is missing or has the wrong
   type becomes TACO__NONE, so that rows are not checked for it. */
static void taco__check_level_columns(taco__check_tree_state *t, uint32_t level)
{
    taco__level *l = t->levels[level].l;
    taco__column_roles *r = &l->role;
    bool archive = t->s->kind != TACO_KIND_FOLDER;
    taco__findings_set_place(t->f, "%s", l->name);
    r->id = taco__check_level_column(t->f, &l->table, r->id, "id", true, true) ? r->id : TACO__NONE;
    r->type = taco__check_level_column(t->f, &l->table, r->type, "type", true, true) ? r->type
                                                                                     : TACO__NONE;
    if (!taco__check_level_column(t->f, &l->table, r->parent, "internal:parent_id", false,
                                  level > 0)) {
        r->parent = TACO__NONE;
    }
    if (!taco__check_level_column(t->f, &l->table, r->current, "internal:current_id", false,
                                  false)) {
        r->current = TACO__NONE;
    }
    if (archive) {
        if (!taco__check_level_column(t->f, &l->table, r->offset, "internal:offset", false, true)) {
            r->offset = TACO__NONE;
        }
        if (!taco__check_level_column(t->f, &l->table, r->size, "internal:size", false, true)) {
            r->size = TACO__NONE;
        }
    }
    if ((level || r->relative != TACO__NONE) &&
        !taco__check_level_column(t->f, &l->table, r->relative, "internal:relative_path", true,
                                  !archive)) {
        r->relative = TACO__NONE;
    }
    if (t->s->kind == TACO_KIND_TACOCAT &&
        !taco__check_level_column(t->f, &l->table, r->source, "internal:source_file", true, true)) {
        r->source = TACO__NONE;
    }
    taco__check_level_column_names(t->f, &l->table);
    if (l->table.rows == 0) { TACO__FINDINGS_ERROR(t->f, "the table is empty, it has no rows"); }
}

/* ---- one row ---- */

/* Allowed (§5.6.1), but a list of paths with it may be read as other paths. */
static bool taco__check_level_has_control(taco_bytes id)
{
    size_t i;
    for (i = 0; i < id.len && id.data[i] >= 0x20 && id.data[i] != 0x7F; i++) {}
    return i < id.len;
}

/* The rules for ids (§5.6.1), in a level or a __meta__; the place is set. */
TACO__FN void taco__check_level_id(taco__findings *f, taco_bytes id, bool valid)
{
    taco_error e;
    memset(&e, 0, sizeof e);
    if (!valid) {
        TACO__FINDINGS_ERROR(f, "id is null");
    } else if (taco__rules_check_id(id, &e) != TACO_OK ||
               taco__rules_check_file_name(id, &e) != TACO_OK) {
        taco__findings_add(f, true, "id", &e);
    } else if (taco__check_level_has_control(id)) {
        TACO__FAIL(&e, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "id %q has a control character, which can end a line in what prints it", &id);
        taco__findings_add(f, false, "control", &e);
    }
}

/* Positions of the columns among those being read; TACO__NONE for missing ones. */
typedef struct taco__check_level_set_place {
    size_t id, type, parent, current, offset, size, relative, source;
} taco__check_level_positions;

/* Adds a column to those to read; returns its position among them, TACO__NONE for a missing one. */
static size_t taco__check_level_pick_column(size_t column, size_t *which, size_t *n)
{
    if (column == TACO__NONE) { return TACO__NONE; }
    which[*n] = column;
    return (*n)++;
}

/* True if the column is being read and is not null in row i. */
static bool taco__check_level_has_value(const taco_array *a, size_t at, size_t i)
{
    return at != TACO__NONE && taco_array_valid(&a[at], i);
}

/* Index of the archive that a row of a catalogue names, in order of first occurrence; UINT32_MAX
   with *err set if out of memory. A name that leads out of the directory is a problem, but gets an
   index too. */
static uint32_t taco__check_level_source(taco__check_tree_state *t, taco_bytes name, bool valid,
                                         taco_error *err)
{
    taco_error e;
    size_t n;
    memset(&e, 0, sizeof e);
    if (!valid) {
        TACO__CHECK_LEVEL_ERROR(t, "internal:source_file is null");
    } else if (taco__vsi_check_name(name, "internal:source_file", &e) != TACO_OK) {
        taco__check_level_set_place(t);
        taco__findings_add(t->f, true, "internal:source_file", &e);
    }
    n = taco__join_find_archive(&t->sources, name, true, err);
    return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

/* internal:offset and internal:size: both present, not negative, inside the archive. If they are
   unusable, v->offset of the row is set to -1. */
static void taco__check_level_range(taco__check_tree_state *t, const taco_array *a,
                                    const taco__check_level_positions *at, size_t i)
{
    taco__check_tree_level *v = &t->levels[t->level];
    int64_t offset, size;
    if (!v->offset) { return; }
    v->offset[t->row] = v->size[t->row] = -1;
    if (!taco__check_level_has_value(a, at->offset, i) ||
        !taco__check_level_has_value(a, at->size, i)) {
        TACO__CHECK_LEVEL_ERROR(t, "internal:offset or internal:size is null");
        return;
    }
    offset = taco_array_int(&a[at->offset], i);
    size = taco_array_int(&a[at->size], i);
    if (offset < 0 || size < 0) {
        TACO__CHECK_LEVEL_ERROR(t, "internal:offset is %d, internal:size %d: negative",
                                TACO__D(offset), TACO__D(size));
        return;
    }
    v->offset[t->row] = offset;
    v->size[t->row] = size;
    if (t->s->kind == TACO_KIND_ZIP &&
        !taco__checked_range((uint64_t)offset, (uint64_t)size, t->s->file.src.size)) {
        TACO__CHECK_LEVEL_ERROR(
            t, "internal:offset %d, internal:size %d: past the end of the file at %u",
            TACO__D(offset), TACO__D(size), t->s->file.src.size);
    }
}

/* The row's entry in the archive's directory: it must exist under the row's path, and its bytes
   must be where the row says. Marks it as listed. */
static void taco__check_level_entry(taco__check_tree_state *t, taco_bytes id)
{
    taco__check_tree_level *v = &t->levels[t->level];
    taco__check_zip_entry *e;
    bool folder = v->folder[t->row] == 1;
    uint64_t hash = v->path[t->row];
    const char *suffix = folder ? "/__meta__" : "";
    if (!t->zip || !t->zip->known || v->folder[t->row] > 1) { return; }
    e = taco__check_zip_find(t->zip, taco__findings_hash_path(hash, taco__bytes_text(suffix)));
    if (!e) {
        taco_bytes path = t->level ? taco__check_tree_path(t, t->level, t->row) : id;
        TACO__CHECK_LEVEL_ERROR(t, "the central directory has no entry DATA/%q%s of this sample",
                                &path, suffix);
        return;
    }
    e->listed = true;
    if (!e->placed || !v->offset || v->offset[t->row] < 0) { return; }
    if ((uint64_t)v->offset[t->row] != e->data || (uint64_t)v->size[t->row] != e->size) {
        taco_bytes name = taco__check_zip_name(t->zip, e);
        TACO__CHECK_LEVEL_ERROR(t,
                                "%u bytes at %u by internal:size and internal:offset, but by its "
                                "local header %q has %u at %u",
                                (uint64_t)v->size[t->row], (uint64_t)v->offset[t->row], &name,
                                e->size, e->data);
    }
}

/* The same if the directory is not readable: a local header with the row's name must end right
   before its bytes. It is 20 bytes longer with a ZIP64 extra field, so both lengths are tried.
   False if the check itself failed. */
static bool taco__check_level_local_header(taco__check_tree_state *t, taco_bytes id,
                                           taco_error *err)
{
    taco__check_tree_level *v = &t->levels[t->level];
    taco_bytes path = t->level ? taco__check_tree_path(t, t->level, t->row) : id;
    const char *suffix = v->folder[t->row] == 1 ? "/__meta__" : "";
    size_t len = TACO__ZIP_LOCAL_BYTES + 5 + path.len + strlen(suffix), tries;
    taco__zip_local_header l;
    taco_error e;
    bool ok = false;
    memset(&e, 0, sizeof e);
    if (!v->offset || v->offset[t->row] < 0 || !path.len || path.len > UINT16_MAX ||
        (t->zip && t->zip->known) || v->folder[t->row] > 1) {
        return true;
    }
    t->text.len = 0;
    if (!taco__buf_append_text(&t->text, "DATA/", err) ||
        !taco__buf_append(&t->text, path.data, path.len, err) ||
        !taco__buf_append_text(&t->text, suffix, err)) {
        return false;
    }
    for (tries = 0; tries < 2 && !ok; tries++) { /* without and with the ZIP64 extra field */
        uint64_t n = len + 20 * tries, at = (uint64_t)v->offset[t->row];
        const uint8_t *p = NULL;
        memset(&e, 0, sizeof e);
        if (at >= n && taco__checked_range(at, 0, t->s->file.src.size)) {
            p = taco__file_view(&t->s->file, at - n, (size_t)n, &t->window, &e);
        }
        ok = p &&
             taco__zip_read_local_header(taco__bytes_of(p, (size_t)n), at - n, &l, &e) == TACO_OK &&
             !l.partial && l.data == at && l.csize == (uint64_t)v->size[t->row] &&
             taco__bytes_equal(l.name, taco__bytes_of(t->text.data, t->text.len));
        if (taco__error_is_of_machine(&e)) {
            *err = e;
            return false;
        }
    }
    if (!ok) {
        TACO__CHECK_LEVEL_ERROR(t, "no local header of DATA/%q%s before the %d bytes at %d", &path,
                                suffix, TACO__D(v->size[t->row]), TACO__D(v->offset[t->row]));
    }
    return true;
}

/* The row's file in a FOLDER dataset (__meta__ for a FOLDER); with deep the whole file is read.
   path is below DATA/, and has been checked not to leave it. */
static bool taco__check_level_file(taco__check_tree_state *t, taco_bytes path, taco_error *err)
{
    taco__check_tree_level *v = &t->levels[t->level];
    bool folder = v->folder[t->row] == 1;
    taco_source src;
    taco_error e;
    bool ok = true;
    memset(&e, 0, sizeof e);
    t->text.len = 0;
    if (!taco__buf_append_text(&t->text, t->s->dir, err) ||
        !taco__buf_append_text(&t->text, "DATA/", err) ||
        !taco__buf_append(&t->text, path.data, path.len, err) ||
        !taco__buf_append(&t->text, "/__meta__", folder ? 10 : 0, err) ||
        !taco__buf_append_char(&t->text, 0, err)) {
        return false;
    }
    if (!taco__source_open_path(t->s->options, (const char *)t->text.data, &src, &e)) {
        TACO__CHECK_LEVEL_ERROR(t, "DATA/%q%s is missing: it does not exist, or cannot be read",
                                &path, folder ? "/__meta__" : "");
        return true;
    }
    if (!folder && t->f->how->deep) {
        taco__file file;
        taco__range all;
        uint32_t crc;
        taco__file_init(&file, &src, "", t->mem);
        all.offset = 0;
        all.len = src.size;
        taco__check_level_set_place(t);
        ok = taco__findings_read_crc(t->f, &file, all, &t->window, &crc, &e) ||
             taco__findings_take_error(t->f, &e);
        t->f->sum->payloads++;
        taco__file_close(&file);
        if (!ok) { *err = e; }
    } else if (src.close) {
        src.close(src.ctx);
    }
    return ok;
}

/* internal:relative_path (§7.2.3): stays inside DATA/, and is the parent's path, a '/' and the
   id. */
static void taco__check_level_relative_path(taco__check_tree_state *t, taco_bytes path, bool valid)
{
    taco__check_tree_level *v = &t->levels[t->level];
    taco_error e;
    memset(&e, 0, sizeof e);
    if (!valid) {
        TACO__CHECK_LEVEL_ERROR(t, "internal:relative_path is null");
        return;
    }
    if (taco__vsi_check_path(path, v->folder[t->row] == 1, "internal:relative_path", &e) !=
        TACO_OK) {
        TACO__CHECK_LEVEL_ERROR(t, "internal:relative_path %q is not a path inside DATA/ ('..')",
                                &path);
        return;
    }
    if (v->folder[t->row] == 1 && path.data[path.len - 1] == '/') { path.len--; }
    if (t->s->kind != TACO_KIND_TACOCAT &&
        taco__findings_hash_path(
            taco__findings_hash_path(TACO__FINDINGS_HASH_SEED, taco__bytes_text("DATA/")), path) !=
            v->path[t->row]) {
        TACO__CHECK_LEVEL_ERROR(
            t, "internal:relative_path %q is not the path of its parent and the id", &path);
    }
}

/* Fills in what other checks compare: type, archive, and the hashes of the path and of id with
   type. A row without a parent is placed below the root of its archive. */
static bool taco__check_level_begin_row(taco__check_tree_state *t, const taco_array *a,
                                        const taco__check_level_positions *at, size_t i,
                                        taco_bytes id, taco_error *err)
{
    taco__check_tree_level *v = &t->levels[t->level];
    const int32_t *parents = t->level ? v->l->parents : NULL;
    bool valid = taco__check_level_has_value(a, at->type, i);
    taco_bytes type = valid ? taco_array_bytes(&a[at->type], i) : taco__bytes_of(NULL, 0);
    int folder = taco__sample_path_parse_type(type);
    uint64_t hash = taco__findings_hash_path(TACO__FINDINGS_HASH_SEED, taco__bytes_text("DATA"));
    v->folder[t->row] = folder < 0 ? 2 : (uint8_t)folder;
    if (folder < 0) {
        if (valid) {
            TACO__CHECK_LEVEL_ERROR(t, "type is %q, must be FILE or FOLDER", &type);
        } else {
            TACO__CHECK_LEVEL_ERROR(t, "type is null, must be FILE or FOLDER");
        }
    }
    if (v->source) {
        bool known = taco__check_level_has_value(a, at->source, i);
        v->source[t->row] = taco__check_level_source(
            t, known ? taco_array_bytes(&a[at->source], i) : taco__bytes_of(NULL, 0), known, err);
        if (v->source[t->row] == UINT32_MAX) { return false; }
        hash += v->source[t->row];
    }
    if (parents && parents[t->row] >= 0) { hash = t->levels[t->level - 1].path[parents[t->row]]; }
    hash = taco__findings_hash_path(hash, taco__bytes_text("/"));
    v->path[t->row] = taco__findings_hash_path(hash, id);
    v->key[t->row] = taco__findings_hash_path(TACO__FINDINGS_HASH_SEED + v->folder[t->row], id);
    return true;
}

/* internal:current_id is the number of the row (any other permutation is accepted with a warning,
   since exports of the reference have them), internal:parent_id that of a FOLDER in the level
   above; at level 0 that of the row itself. `number` is the row's, counted within its archive. */
static void taco__check_level_numbers(taco__check_tree_state *t, const taco_array *a,
                                      const taco__check_level_positions *at, size_t i,
                                      int64_t number)
{
    taco__check_tree_level *v = &t->levels[t->level];
    bool has = taco__check_level_has_value(a, at->parent, i);
    int64_t parent = has ? taco_array_int(&a[at->parent], i) : 0, current;
    if (at->current != TACO__NONE) {
        current = taco_array_int(&a[at->current], i);
        if (!taco_array_valid(&a[at->current], i)) {
            TACO__CHECK_LEVEL_ERROR(t, "internal:current_id is null");
        } else if (v->seen && (current < 0 || (uint64_t)current >= v->rows ||
                               taco__bitmap_get(v->seen, (size_t)current))) {
            TACO__CHECK_LEVEL_ERROR(
                t,
                "internal:current_id is %d, must be a number from 0 to %u that no "
                "other row has",
                TACO__D(current), TACO__U(v->rows - 1));
        } else if (current != number) { /* exports of the reference have them */
            TACO__CHECK_LEVEL_WARN(t, "internal:current_id is %d in row %d", TACO__D(current),
                                   TACO__D(number));
        }
        if (v->seen && current >= 0 && (uint64_t)current < v->rows) {
            taco__bitmap_set(v->seen, (size_t)current);
        }
    }
    if (at->parent == TACO__NONE) { return; }
    if (!has) {
        TACO__CHECK_LEVEL_ERROR(t, "internal:parent_id is null");
    } else if (t->level == 0) {
        if (parent != number) {
            TACO__CHECK_LEVEL_WARN(t,
                                   "internal:parent_id is %d, at level 0 it is the row's own, %d",
                                   TACO__D(parent), TACO__D(number));
        }
    } else if (v->l->parents) {
        int32_t p = v->l->parents[t->row];
        if (p < 0) {
            TACO__CHECK_LEVEL_ERROR(t, "internal:parent_id is %d, which is not a row of %s",
                                    TACO__D(parent), t->levels[t->level - 1].l->name);
        } else if (t->levels[t->level - 1].folder[p] == 0) {
            TACO__CHECK_LEVEL_ERROR(t, "its parent, row %u of %s by internal:parent_id, is a FILE",
                                    TACO__U(p), t->levels[t->level - 1].l->name);
        }
    }
}

/* All checks of one row. False if the check itself failed. */
static bool taco__check_level_row(taco__check_tree_state *t, const taco_array *a,
                                  const taco__check_level_positions *at, size_t i, int64_t number,
                                  taco_error *err)
{
    taco__check_tree_level *v = &t->levels[t->level];
    bool valid = taco__check_level_has_value(a, at->id, i);
    taco_bytes id = valid ? taco_array_bytes(&a[at->id], i) : taco__bytes_of(NULL, 0);
    taco_bytes path = id;
    const int32_t *parents = v->l->parents;
    bool linked = t->level == 0 || (parents && parents[t->row] >= 0);
    taco_error e;
    memset(&e, 0, sizeof e);
    if (!taco__check_level_begin_row(t, a, at, i, id, err)) { return false; }
    if (at->id != TACO__NONE) {
        taco__check_level_set_place(t);
        taco__check_level_id(t->f, id, valid);
    }
    taco__check_level_numbers(t, a, at, i, number);
    taco__check_level_range(t, a, at, i);
    if (at->relative != TACO__NONE && t->level) {
        bool known = taco_array_valid(&a[at->relative], i);
        path = taco_array_bytes(&a[at->relative], i);
        if (!linked) { /* the path of an orphan is the one it states */
            taco_bytes own = path;
            own.len -= own.len > 1 && own.data[own.len - 1] == '/';
            v->path[t->row] = taco__findings_hash_path(
                taco__findings_hash_path(TACO__FINDINGS_HASH_SEED, taco__bytes_text("DATA/")), own);
            linked = known;
        }
        taco__check_level_relative_path(t, path, known);
    }
    if (t->s->kind == TACO_KIND_ZIP && linked) {
        taco__check_level_entry(t, id);
        if (!taco__check_level_local_header(t, id, err)) { return false; }
    }
    if (taco__bytes_starts_with(id, TACO__PADDING_PREFIX) &&
        (v->folder[t->row] || (v->size && v->size[t->row] > 0))) {
        TACO__CHECK_LEVEL_WARN(t, "padding %q is not a FILE of 0 bytes", &id);
    }
    if (t->s->kind == TACO_KIND_FOLDER && v->folder[t->row] < 2 &&
        (t->level == 0 || at->relative != TACO__NONE)) {
        if (path.len > 1 && path.data[path.len - 1] == '/') { path.len--; }
        return taco__vsi_check_path(path, false, "path", &e) != TACO_OK ||
               taco__check_level_file(t, path, err);
    }
    return true;
}

/* ---- one level ---- */

/* Arrays of a level, one cell per row: 41 bytes a row with offsets, in the arena of the dataset. */
static bool taco__check_level_alloc(taco__check_tree_state *t, taco__check_tree_level *v,
                                    taco_error *err)
{
    size_t n = v->rows + 1;
    bool archive = t->s->kind != TACO_KIND_FOLDER && v->l->role.offset != TACO__NONE &&
                   v->l->role.size != TACO__NONE;
    v->path = (uint64_t *)taco__arena_array(t->arena, n, sizeof *v->path, err);
    v->key = (uint64_t *)taco__arena_array(t->arena, n, sizeof *v->key, err);
    v->folder = (uint8_t *)taco__arena_array(t->arena, n, 1, err);
    if (archive) {
        v->offset = (int64_t *)taco__arena_array(t->arena, n, sizeof *v->offset, err);
        v->size = (int64_t *)taco__arena_array(t->arena, n, sizeof *v->size, err);
    }
    if (t->s->kind != TACO_KIND_TACOCAT && v->l->role.current != TACO__NONE) {
        v->seen = (uint8_t *)taco__arena_alloc(t->arena, TACO__BITMAP_BYTES(n), err);
        if (!v->seen) { return false; }
    }
    if (v->l->role.source != TACO__NONE && t->s->kind == TACO_KIND_TACOCAT) {
        v->source = (uint32_t *)taco__arena_array(t->arena, n, sizeof *v->source, err);
        if (!v->source) { return false; }
    }
    return v->path && v->key && v->folder && (!archive || (v->offset && v->size));
}

/* Ascending order of uint64_t. */
static int taco__check_level_compare_hashes(const void *ctx, const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    (void)ctx;
    return (x > y) - (x < y);
}

/* §7.2.3: ids are unique among siblings. Paths consist of the parent's and the id, so equal hashes
   in a level are equal siblings; each duplicate is reported once, at its last row, never at its
   first. */
static bool taco__check_level_unique_paths(taco__check_tree_state *t, taco_error *err)
{
    taco__check_tree_level *v = &t->levels[t->level];
    size_t i, k, bytes = v->rows * sizeof(uint64_t);
    uint64_t *sorted = (uint64_t *)taco__mem_alloc(t->mem, bytes, err);
    if (!sorted) { return false; }
    if (bytes) { memcpy(sorted, v->path, bytes); }
    if (!taco__sort_in(t->mem, sorted, v->rows, sizeof *sorted, taco__check_level_compare_hashes,
                       NULL, err)) {
        taco__mem_free(t->mem, sorted, bytes);
        return false;
    }
    for (i = 1; i < v->rows && !t->f->stop; i++) {
        if (sorted[i] != sorted[i - 1] || (i > 1 && sorted[i] == sorted[i - 2])) { continue; }
        if (!taco__findings_may_report(t->f, true, "duplicate id")) { continue; }
        for (k = v->rows, t->row = 0; k-- > 0;) { /* the last but first of them */
            if (v->path[k] == sorted[i]) { t->row = TACO__MAX(t->row, k); }
        }
        {
            taco_error e;
            taco_bytes id = taco__check_tree_name(t, t->level, t->row, false, NULL);
            memset(&e, 0, sizeof e);
            taco__check_level_set_place(t);
            TACO__FAIL(&e, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "id %q is a duplicate: it must be unique among its siblings", &id);
            taco__findings_report(t->f, true, &e);
        }
    }
    taco__mem_free(t->mem, sorted, bytes);
    return true;
}

/* Number of a row within its archive: in a catalogue each archive starts at 0 again. */
static int64_t taco__check_level_row_number(taco__check_tree_state *t, const taco_array *a,
                                            const taco__check_level_positions *at, size_t i,
                                            taco_error *err)
{
    size_t n;
    if (t->s->kind != TACO_KIND_TACOCAT || at->source == TACO__NONE) { return (int64_t)t->row; }
    n = taco__join_find_archive(&t->sources, taco_array_bytes(&a[at->source], i), true, err);
    return n == SIZE_MAX ? -1 : t->sources.sources[n].count++;
}

/* Reads the columns that have a role, a batch at a time, and checks every row. If the table cannot
   be read completely, v->l becomes NULL, and nothing is compared with it later. */
static bool taco__check_level_rows(taco__check_tree_state *t, taco_error *err)
{
    taco__check_tree_level *v = &t->levels[t->level];
    taco__column_roles *r = &v->l->role;
    taco__check_level_positions at;
    taco__row_reader rows;
    taco_error e;
    size_t which[8], n = 0, i, m;
    memset(&e, 0, sizeof e);
    at.id = taco__check_level_pick_column(r->id, which, &n);
    at.type = taco__check_level_pick_column(r->type, which, &n);
    at.parent = taco__check_level_pick_column(r->parent, which, &n);
    at.current = taco__check_level_pick_column(r->current, which, &n);
    at.offset = taco__check_level_pick_column(r->offset, which, &n);
    at.size = taco__check_level_pick_column(r->size, which, &n);
    at.relative = taco__check_level_pick_column(r->relative, which, &n);
    at.source = taco__check_level_pick_column(r->source, which, &n);
    for (i = 0; i < t->sources.source_count; i++) {
        t->sources.sources[i].count = 0;
    }
    if (!taco__row_reader_open(&rows, &v->l->table, which, n, t->mem, err)) { return false; }
    for (t->row = 0; t->row < v->rows && !t->f->stop && err->code == TACO_OK;) {
        m = TACO__MIN(v->rows - t->row, (size_t)TACO__CHECK_TREE_BATCH);
        if (!taco__row_reader_read_range(&rows, t->row, m, &e)) { break; }
        for (i = 0; i < m && err->code == TACO_OK; i++, t->row++) {
            int64_t number = taco__check_level_row_number(t, rows.arrays, &at, i, err);
            if (err->code != TACO_OK ||
                !taco__check_level_row(t, rows.arrays, &at, i, number, err)) {
                break;
            }
        }
    }
    taco__row_reader_close(&rows);
    if (e.code != TACO_OK) {
        taco__findings_set_place(t->f, "%s", v->l->name);
        v->l = NULL;
        if (!taco__findings_take_error(t->f, &e)) { *err = e; }
    }
    return err->code == TACO_OK;
}

/* Pages, statistics and page indexes of a table. */
typedef struct taco__check_level_pages {
    taco__findings *f;
} taco__check_level_pages;

/* A problem of a Parquet file, from taco__verify_file. */
static bool taco__check_level_page(void *ctx, bool fault, const taco_error *what)
{
    taco__check_level_pages *p = (taco__check_level_pages *)ctx;
    taco__findings_add(p->f, fault, "page", what);
    return !p->f->stop;
}

/* With deep: every page, statistic and page index of a Parquet file, and its magic. The place is
   set; pq->name is empty meanwhile, since messages would repeat it. */
TACO__FN bool taco__check_level_parquet(taco__findings *f, taco_pq_file *pq, taco_error *err)
{
    taco__check_level_pages p;
    taco_pq_checked sum;
    taco_error e;
    const char *name = pq->name;
    char magic[4];
    p.f = f;
    memset(&sum, 0, sizeof sum);
    memset(&e, 0, sizeof e);
    if (!taco__file_read(pq->part.file, pq->part.base, magic, sizeof magic, &e)) {
        return taco__findings_take_error(f, &e) || (*err = e, false);
    }
    if (memcmp(magic, "PAR1", 4) != 0) {
        TACO__FINDINGS_ERROR(f, "a Parquet file begins with PAR1, this one does not");
    }
    pq->name = ""; /* the place names it */
    taco__verify_file(pq, taco__check_level_page, &p, &sum, &e);
    pq->name = name;
    if (taco__error_is_of_machine(&e)) {
        *err = e;
        return false;
    }
    return true;
}

/* Checks one level; those above it have been checked. If it cannot be read, that is reported and
   v->l stays NULL. */
TACO__FN bool taco__check_level_run(taco__check_tree_state *t, uint32_t level, taco_error *err)
{
    taco__check_tree_level *v = &t->levels[level];
    taco_error e;
    memset(&e, 0, sizeof e);
    t->level = level;
    taco__findings_set_place(t->f, "METADATA/level%u", TACO__U(level));
    v->l = taco__container_level(t->s, level, &e);
    if (!v->l) { return taco__findings_take_error(t->f, &e) || (*err = e, false); }
    v->rows = (size_t)v->l->table.rows;
    t->f->sum->rows += v->rows;
    taco__check_level_columns(t, level);
    if (level && t->levels[level - 1].l && v->l->role.parent != TACO__NONE &&
        !taco__join_make_parents(t->s, level, &e)) {
        taco__findings_set_place(t->f, "%s", v->l->name);
        if (!taco__findings_take_error(t->f, &e)) {
            *err = e;
            return false;
        }
    }
    if (!taco__check_level_alloc(t, v, err) || !taco__check_level_rows(t, err)) { return false; }
    if (v->l && t->f->how->deep && v->l->table.pq) {
        taco__findings_set_place(t->f, "%s", v->l->name);
        if (!taco__check_level_parquet(t->f, &v->l->pq, err)) { return false; }
    }
    if (v->l && v->l->role.id != TACO__NONE && (level == 0 || v->l->parents) &&
        !taco__check_level_unique_paths(t, err)) {
        return false;
    }
    taco__findings_end_table(t->f, v->l ? v->l->name : "METADATA");
    return true;
}
/* ==== src/validate/check_extensions.c ==== */
/* check_extensions.c - the values of extension columns of a level, against their rules

   In: a level of an open container whose rows were checked; out: problems under the place
   "levelN: row M", and t->span, which bounds places and times. The rules are in column_rules.c,
   which the writer follows too. A breach is an error, but only a warning for `split`, a name
   without a namespace that tables also use for other values. */
/* #include "validate.h" */
/* #include "../base/base.h" */
/* #include "../parquet/parquet.h" */
/* #include "../dataset/dataset.h" */

/* State for the report function; t->row is the first row of the batch. */
typedef struct taco__check_extensions {
    taco__check_tree_state *t;
} taco__check_extensions;

/* A breach in a row of the batch. */
static bool taco__check_extensions_report(void *ctx, const taco_field *column, size_t row,
                                          const taco_error *what)
{
    taco__check_tree_state *t = ((taco__check_extensions *)ctx)->t;
    bool error = strcmp(column->name, "split") != 0;
    size_t first = t->row;
    t->row += row;
    taco__check_level_set_place(t);
    t->row = first;
    taco__findings_add(t->f, error, column->name, what);
    return !t->f->stop;
}

/* Picks the columns with rules; their types are checked here, once. */
static bool taco__check_extensions_columns(taco__check_tree_state *t, const taco__table *table,
                                           size_t **which, size_t *n, taco_error *err)
{
    taco_error e;
    size_t i;
    memset(&e, 0, sizeof e);
    *which = (size_t *)taco__arena_array(t->arena, table->field_count + 1, sizeof **which, err);
    *n = 0;
    for (i = 0; *which && i < table->field_count; i++) {
        const taco_field *f = &table->fields[i];
        if (!taco__column_rule_exists(f->name)) { continue; }
        if (taco__column_rule_check_type(f, &e) == TACO_OK) {
            (*which)[(*n)++] = i;
            continue;
        }
        taco__findings_add(t->f, true, f->name, &e);
        memset(&e, 0, sizeof e);
    }
    return *which != NULL;
}

/* Reads the columns with rules, a batch at a time. Unreadable ones are a problem too. */
TACO__FN bool taco__check_extensions_level(taco__check_tree_state *t, uint32_t level,
                                           taco_error *err)
{
    taco__check_tree_level *v = &t->levels[level];
    taco__check_extensions c;
    taco__row_reader rows;
    taco_batch batch;
    taco_error e;
    size_t *which, n, m;
    memset(&e, 0, sizeof e);
    c.t = t;
    if (!v->l) { return true; }
    t->level = level;
    taco__findings_set_place(t->f, "%s", v->l->name);
    if (!taco__check_extensions_columns(t, &v->l->table, &which, &n, err)) { return false; }
    if (n == 0) { return true; }
    if (!taco__row_reader_open(&rows, &v->l->table, which, n, t->mem, err)) { return false; }
    for (t->row = 0; t->row < v->rows && !t->f->stop; t->row += m) {
        m = TACO__MIN(v->rows - t->row, (size_t)TACO__CHECK_TREE_BATCH);
        if (!taco__row_reader_read_range(&rows, t->row, m, &e)) { break; }
        taco__column_rule_check_rows(rows.arrays, n, m, taco__check_extensions_report, &c);
        batch.first_row = (int64_t)t->row;
        batch.length = m;
        batch.columns = rows.arrays;
        batch.column_count = n;
        taco__extent_add_batch(&t->span, level, &batch, t->mem);
    }
    taco__row_reader_close(&rows);
    if (e.code != TACO_OK) {
        taco__findings_set_place(t->f, "%s", v->l->name);
        if (!taco__findings_take_error(t->f, &e)) { *err = e; }
    }
    return err->code == TACO_OK;
}
/* ==== src/validate/check_extent.c ==== */
/* check_extent.c - extents against the samples that they are said to bound

   In: the extent of a collection, or of a file in taco:sources, and what bounds the samples
   (taco__extent, gathered by check_extensions.c); out: problems. TACO 2.0 §5.6.3 (extent), §6.6
   (taco:sources).

   Writers make extents of centroids and of one time, so an extent that does not cover footprints
   and whole periods is a warning, and readers leave out no source because of one. They do because
   of taco:bounds (dataset/source_routing.c): what lies outside of these is an error. */
/* #include "validate.h" */
/* #include "../base/base.h" */
/* #include "../base/json.h" */
/* #include "../dataset/dataset.h" */

/* Writes a box as text: "west, south, east, north". */
static void taco__check_extent_print_box(char out[200], const double box[4])
{
    size_t i, n = 0;
    for (i = 0; i < 4; i++) {
        if (i) {
            out[n++] = ',';
            out[n++] = ' ';
        }
        n += taco__num_format_f64(out + n, box[i]);
    }
    out[n] = 0;
}

/* Reports at the current place what samples lie outside of an extent or of taco:bounds. */
TACO__FN void taco__check_extent_run(taco__findings *f, const taco__json *extent,
                                     const taco__extent *s, bool error)
{
    taco__collection c;
    double box[4];
    char told[200], text[200], times[2][48];
    memset(&c, 0, sizeof c);
    c.extent = extent;
    taco__collection_read_extent(&c);
    if (c.has_spatial && !taco__extent_box_covers(s, c.spatial)) {
        taco__extent_box(s, box);
        taco__check_extent_print_box(told, c.spatial);
        taco__check_extent_print_box(text, box);
        TACO__FINDINGS_CLAUSE(f, error, "TACO 2.0, 5.6.3",
                              "spatial is %s (west, south, east, north), but centroids and "
                              "footprints of the samples reach from %s",
                              told, text);
    }
    if (c.has_temporal && !taco__extent_times_cover(s, c.temporal)) {
        taco_bytes from = taco__bytes_text(c.temporal[0]), to = taco__bytes_text(c.temporal[1]);
        taco__extent_time_texts(s, times);
        TACO__FINDINGS_CLAUSE(f, error, "TACO 2.0, 5.6.3",
                              "temporal is %q to %q, but times of the samples reach from %s to %s",
                              &from, &to, times[0], times[1]);
    }
    if (error && ((c.has_spatial && s->loose) || (c.has_temporal && s->loose_times))) {
        TACO__FINDINGS_ERROR(f, "cannot be bounds: some places or times are in a form that is not "
                                "compared");
    }
}

/* taco:bounds of a source: of that file, and around all its samples. path may be that of a FOLDER,
   for which readers ignore them. */
static void taco__check_extent_bounds(taco__findings *f, const taco__json *bounds,
                                      const taco_options *options, const char *path,
                                      const taco__extent *s)
{
    taco__routing_mark mark;
    int64_t bytes = -1, crc = -1;
    taco_error e;
    memset(&e, 0, sizeof e);
    if (!taco__json_int(taco__json_get(bounds, "bytes"), &bytes) ||
        !taco__json_int(taco__json_get(bounds, "crc"), &crc)) {
        TACO__FINDINGS_WARN(f, "bytes and crc must be the size of the file and the CRC-32 of its "
                               "end: readers ignore these bounds");
        return;
    }
    if (!taco__routing_mark_read(options, path, &mark, &e)) {
        TACO__FINDINGS_WARN(f, "are of no file: readers ignore these bounds");
        return;
    }
    if (mark.bytes != (uint64_t)bytes || (int64_t)mark.crc != crc) {
        TACO__FINDINGS_WARN(f,
                            "the file has changed since: %d bytes with CRC-32 %d then, now %u "
                            "and %u",
                            TACO__D(bytes), TACO__D(crc), mark.bytes, TACO__U(mark.crc));
    }
    taco__check_extent_run(f, bounds, s, true);
}

/* What taco:sources of `document` says of a file, by its name; s bounds the file's samples. */
TACO__FN void taco__check_extent_source(taco__findings *f, const taco__collection *merged,
                                        const char *document, const char *name,
                                        const taco_options *options, const char *path,
                                        const taco__extent *s)
{
    const taco__json *extents = taco__json_get(merged->sources, "extents"), *x;
    size_t i;
    for (i = 0, x = taco__json_first(extents); i < taco__json_length(extents);
         i++, x = taco__json_next(x)) {
        const char *file = taco__json_text(taco__json_get(x, "file"));
        const taco__json *bounds = taco__json_get(x, "taco:bounds");
        if (!file || strcmp(file, name) != 0) { continue; }
        taco__findings_set_place(f, "%s: taco:sources: extents[%u]", document, TACO__U(i));
        taco__check_extent_run(f, x, s, false);
        if (!bounds) { continue; }
        taco__findings_set_place(f, "%s: taco:sources: extents[%u]: taco:bounds", document,
                                 TACO__U(i));
        taco__check_extent_bounds(f, bounds, options, path, s);
    }
}
/* ==== src/validate/check_meta.c ==== */
/* check_meta.c - __meta__ of every FOLDER against the level below: rows, columns, cells

   In: a level whose children are linked, and the __meta__ files of its FOLDERs; out: problems
   under "DATA/.../__meta__". TACO 2.0 §6.2 (a FOLDER's children are in its __meta__ and in the
   level below, the same rows in the same order), §5.5 (PIT-2: columns of one name have one
   type).

   taco__check_meta_level walks the FOLDERs; taco__check_meta_row opens the __meta__ of one by
   its path, in an archive through the directory rather than internal:offset. Ids, types and
   places are always compared, with deep also every cell of the common columns, as JSON text.
   taco__check_meta_columns does the same for the rows of a catalogue and an archive
   (check_catalogue.c). */
/* #include "validate.h" */
/* #include "../base/base.h" */
/* #include "../arrow/arrow.h" */
/* #include "../parquet/parquet.h" */
/* #include "../dataset/dataset.h" */

/* ---- __meta__ against the levels ---- */

/* A FOLDER whose children are compared: row `row` of `level`, its __meta__, and the rows below. */
typedef struct taco__check_meta_folder {
    taco__check_tree_state *t;
    uint32_t level;
    size_t row;
    taco__check_tree_level *below; /* NULL: there is no level to compare with */
    const int32_t *kids;
    size_t count;
    taco__local_meta m;
} taco__check_meta_folder;

/* Sets the place to the current __meta__. */
static void taco__check_meta_set_place(taco__check_meta_folder *d)
{
    taco_bytes path = taco__check_tree_path(d->t, d->level, d->row);
    taco__findings_set_place(d->t->f, "DATA/%q/__meta__", &path);
}

/* Index of the column with that name, SIZE_MAX if there is none. `guess` is tried first: tables of
   one dataset usually have it at the same position. */
static size_t taco__check_meta_find_column(const taco__table *t, const char *name, size_t guess)
{
    return guess < t->field_count && strcmp(t->fields[guess].name, name) == 0
               ? guess
               : taco__table_find_column(t, name);
}

/* PIT-2: columns of the same name have the same type (§5.5); missing columns in some folders are
   the writer's choice. */
static void taco__check_meta_schema(taco__check_meta_folder *d)
{
    const taco__table *a = &d->m.table, *b = &d->below->l->table;
    taco__findings *f = d->t->f;
    size_t i, k;
    for (i = 0; i < a->field_count; i++) {
        taco_bytes name = taco__bytes_text(a->fields[i].name);
        k = taco__check_meta_find_column(b, a->fields[i].name, i);
        if (k == SIZE_MAX) {
            if (!taco__bytes_starts_with(name, "internal:")) {
                TACO__FINDINGS_WARN(f, "PIT-2: %s has no column %q", d->below->l->name, &name);
            }
        } else if (!taco__bytes_starts_with(name, "internal:") &&
                   !taco__unify_same_type(&a->fields[i], &b->fields[k])) {
            TACO__FINDINGS_ERROR(f, "PIT-2: column %q has another type in %s", &name,
                                 d->below->l->name);
        }
    }
    for (i = 0; i < b->field_count; i++) {
        taco_bytes name = taco__bytes_text(b->fields[i].name);
        if (!taco__bytes_starts_with(name, "internal:") &&
            taco__check_meta_find_column(a, b->fields[i].name, i) == SIZE_MAX) {
            TACO__FINDINGS_WARN(f, "PIT-2: column %q of %s is missing", &name, d->below->l->name);
        }
    }
}

/* One child of a folder in its __meta__ against the row of the level. */
static void taco__check_meta_child(taco__check_meta_folder *d, const taco_array *a,
                                   const size_t at[4], size_t i, size_t number)
{
    taco__check_tree_state *t = d->t;
    taco__findings *f = t->f;
    bool valid = taco_array_valid(&a[at[0]], i);
    taco_bytes id = taco_array_bytes(&a[at[0]], i), type = taco_array_bytes(&a[at[1]], i);
    int folder = taco__sample_path_parse_type(type);
    size_t row;
    uint64_t key;
    taco__check_level_id(f, id, valid);
    if (folder < 0) {
        TACO__FINDINGS_ERROR(f, "row %u: type is %q, must be FILE or FOLDER", TACO__U(number),
                             &type);
    }
    if (!d->below || number >= d->count) { return; }
    row = (size_t)d->kids[number];
    key = taco__findings_hash_path(TACO__FINDINGS_HASH_SEED + (uint64_t)(folder < 0 ? 2 : folder),
                                   id);
    if (key != d->below->key[row]) {
        taco_bytes other = taco__check_tree_name(t, d->level + 1, row, false, NULL);
        TACO__FINDINGS_ERROR(f,
                             "row %u is the %q %q, but row %u of %s the %s %q: __meta__ and level "
                             "disagree",
                             TACO__U(number), &type, &id, TACO__U(row), d->below->l->name,
                             taco__collection_type_name(d->below->folder[row] == 1), &other);
    } else if (at[2] != TACO__NONE && d->below->offset) {
        int64_t offset = taco_array_int(&a[at[2]], i), size = taco_array_int(&a[at[3]], i);
        if (!taco_array_valid(&a[at[2]], i) || !taco_array_valid(&a[at[3]], i)) {
            TACO__FINDINGS_ERROR(f, "row %u: internal:offset or internal:size is null",
                                 TACO__U(number));
        } else if (offset != d->below->offset[row] || size != d->below->size[row]) {
            TACO__FINDINGS_ERROR(
                f,
                "row %u (id %q): internal:offset %d, internal:size %d, but %d, %d in "
                "row %u of %s: __meta__ and level disagree",
                TACO__U(number), &id, TACO__D(offset), TACO__D(size),
                TACO__D(d->below->offset[row]), TACO__D(d->below->size[row]), TACO__U(row),
                d->below->l->name);
        }
    }
}

/* Every row of a __meta__ against the child at the same position in the level. */
static bool taco__check_meta_children(taco__check_meta_folder *d, taco_error *err)
{
    taco__check_tree_state *t = d->t;
    taco__row_reader rows;
    taco_error e;
    size_t which[4], at[4] = {0, 1, TACO__NONE, TACO__NONE}, n = 2, i, m, row = 0;
    memset(&e, 0, sizeof e);
    which[0] = d->m.role.id;
    which[1] = d->m.role.type;
    if (t->s->kind == TACO_KIND_ZIP) {
        bool offset = taco__check_level_column(t->f, &d->m.table, d->m.role.offset,
                                               "internal:offset", false, true),
             size = taco__check_level_column(t->f, &d->m.table, d->m.role.size, "internal:size",
                                             false, true);
        if (offset && size) {
            at[2] = n;
            which[n++] = d->m.role.offset;
            at[3] = n;
            which[n++] = d->m.role.size;
        }
    }
    if (!taco__row_reader_open(&rows, &d->m.table, which, n, t->mem, err)) { return false; }
    while (row < d->m.table.rows && !t->f->stop) {
        m = (size_t)TACO__MIN(d->m.table.rows - row, (uint64_t)TACO__CHECK_TREE_BATCH);
        if (!taco__row_reader_read_range(&rows, row, m, &e)) { break; }
        for (i = 0; i < m; i++, row++) {
            taco__check_meta_child(d, rows.arrays, at, i, row);
        }
    }
    taco__row_reader_close(&rows);
    return e.code == TACO_OK || taco__findings_take_error(t->f, &e) || (*err = e, false);
}

/* Compares the cells of the n rows loaded in both readers, as JSON text; `first` is the index of
   the first in a_rows. */
static bool taco__check_meta_cells(const taco__check_meta_tables *d, const taco__row_reader *a,
                                   const taco__row_reader *b, size_t n, size_t first,
                                   taco_error *err)
{
    taco__check_tree_state *t = d->t;
    size_t c, i;
    for (c = 0; c < a->count; c++) {
        for (i = 0; i < n && !t->f->stop; i++) {
            t->text.len = t->other.len = 0;
            if (!taco__cell_json(&t->text, &a->arrays[c], i, err) ||
                !taco__cell_json(&t->other, &b->arrays[c], i, err)) {
                return false;
            }
            if (t->text.len != t->other.len ||
                memcmp(t->text.data, t->other.data, t->text.len) != 0) {
                taco_bytes name = taco__bytes_text(d->a->fields[a->which[c]].name);
                taco_bytes x = taco__bytes_of(t->text.data, t->text.len),
                           y = taco__bytes_of(t->other.data, t->other.len);
                TACO__FINDINGS_ERROR(t->f, "row %u, column %q is %q, in %s %q: they disagree",
                                     TACO__U(d->a_rows ? d->a_rows[first + i] : first + i), &name,
                                     &x, d->other, &y);
            }
        }
    }
    return true;
}

/* Every cell of the columns that both tables have with the same type, except for those of the
   format. */
TACO__FN bool taco__check_meta_columns(const taco__check_meta_tables *d, taco__arena *arena,
                                       taco_error *err)
{
    taco__check_tree_state *t = d->t;
    const taco__table *a = d->a, *b = d->b;
    size_t *mine = (size_t *)taco__arena_array(arena, a->field_count + 1, sizeof *mine, err),
           *theirs = (size_t *)taco__arena_array(arena, a->field_count + 1, sizeof *theirs, err);
    size_t i, n = 0;
    taco__row_reader x, y;
    taco_error e;
    bool ok = true;
    memset(&e, 0, sizeof e);
    if (!mine || !theirs) { return false; }
    for (i = 0; i < a->field_count; i++) {
        size_t k = taco__check_meta_find_column(b, a->fields[i].name, i);
        if (k != SIZE_MAX && strncmp(a->fields[i].name, "internal:", 9) != 0 &&
            taco__unify_same_type(&a->fields[i], &b->fields[k])) {
            mine[n] = i;
            theirs[n++] = k;
        }
    }
    if (!taco__row_reader_open(&x, a, mine, n, t->mem, err)) { return false; }
    if (!taco__row_reader_open(&y, b, theirs, n, t->mem, err)) {
        taco__row_reader_close(&x);
        return false;
    }
    for (i = 0; ok && i < d->n && !t->f->stop; i += TACO__CHECK_TREE_BATCH) {
        size_t m = TACO__MIN(d->n - i, (size_t)TACO__CHECK_TREE_BATCH);
        ok = (d->a_rows ? taco__row_reader_read(&x, 0, d->a_rows + i, m, &e)
                        : taco__row_reader_read_range(&x, i, m, &e)) &&
             taco__row_reader_read(&y, 0, d->b_rows + i, m, &e) &&
             taco__check_meta_cells(d, &x, &y, m, i, &e);
    }
    taco__row_reader_close(&x);
    taco__row_reader_close(&y);
    return ok || taco__findings_take_error(t->f, &e) || (*err = e, false);
}

/* Every cell of a __meta__ against the level, with deep. */
static bool taco__check_meta_values(taco__check_meta_folder *d, taco__arena *arena, taco_error *err)
{
    uint32_t *numbers = (uint32_t *)taco__arena_array(arena, d->count + 1, sizeof *numbers, err);
    size_t i;
    taco__check_meta_tables both;
    both.t = d->t;
    both.a = &d->m.table;
    both.b = &d->below->l->table;
    both.other = d->below->l->name;
    both.a_rows = NULL;
    both.b_rows = numbers;
    both.n = TACO__MIN((size_t)d->m.table.rows, d->count);
    for (i = 0; numbers && i < both.n; i++) {
        numbers[i] = (uint32_t)d->kids[i];
    }
    return numbers && taco__check_meta_columns(&both, arena, err);
}

/* All checks of one open __meta__. */
static bool taco__check_meta_run(taco__check_meta_folder *d, taco__arena *arena, taco_error *err)
{
    taco__check_tree_state *t = d->t;
    taco_error e;
    memset(&e, 0, sizeof e);
    if (t->f->how->deep && d->m.table.pq && !taco__check_level_parquet(t->f, &d->m.pq, err)) {
        return false;
    }
    if (!taco__container_check_unique_names(t->s, &d->m.table, &e)) {
        return taco__findings_take_error(t->f, &e) || (*err = e, false);
    }
    if (d->m.table.rows == 0) {
        TACO__FINDINGS_ERROR(t->f, "a FOLDER without children: the table has no rows");
    }
    if (!d->below && d->level + 1 >= t->count) {
        TACO__FINDINGS_ERROR(t->f, "a FOLDER on the deepest level: no level lists its %u children",
                             d->m.table.rows);
    }
    if (d->below && d->m.table.rows != d->count) {
        TACO__FINDINGS_ERROR(t->f,
                             "__meta__ has %u rows, %s has %u for this folder: rows are missing",
                             d->m.table.rows, d->below->l->name, TACO__U(d->count));
    }
    if (!taco__check_meta_children(d, err)) { return false; }
    if (d->below) { taco__check_meta_schema(d); }
    return !d->below || !t->f->how->deep || taco__check_meta_values(d, arena, err);
}

/* The __meta__ of one FOLDER, at the place its path gives. */
static bool taco__check_meta_row(taco__check_tree_state *t, uint32_t level, size_t row,
                                 taco_error *err)
{
    taco__check_tree_level *v = &t->levels[level];
    taco__check_meta_folder d;
    taco__nav_node node;
    taco__arena arena;
    taco_error e;
    taco_bytes path = taco__check_tree_path(t, level, row);
    bool ok;
    memset(&d, 0, sizeof d);
    memset(&node, 0, sizeof node);
    memset(&e, 0, sizeof e);
    arena.mem = t->mem;
    arena.head = NULL;
    d.t = t;
    d.level = level;
    d.row = row;
    if (v->first) {
        d.below = &t->levels[level + 1];
        d.count = taco__check_tree_children(t, level, row, &d.kids);
    }
    node.store = t->s;
    node.folder = true;
    if (t->s->kind == TACO_KIND_ZIP) {
        taco__check_zip_entry *entry =
            t->zip && t->zip->known
                ? taco__check_zip_find(
                      t->zip, taco__findings_hash_path(v->path[row], taco__bytes_text("/__meta__")))
                : NULL;
        node.has_range = (entry && entry->placed) || (v->offset && v->offset[row] >= 0);
        if (!node.has_range) { return true; }
        node.offset = entry && entry->placed ? (int64_t)entry->data : v->offset[row];
        node.size = entry && entry->placed ? (int64_t)entry->size : v->size[row];
    } else {
        if (taco__vsi_check_path(path, false, "path", &e) != TACO_OK) {
            return true; /* check_level.c has reported it */
        }
        node.path = taco__arena_text(&arena, path, err);
        if (!node.path) { return false; }
    }
    taco__check_meta_set_place(&d);
    ok = taco__local_meta_open(&node, &arena, &d.m, &e)
             ? taco__check_meta_run(&d, &arena, err)
             : taco__findings_take_error(t->f, &e) || (*err = e, false);
    taco__local_meta_close(&d.m);
    taco__arena_free(&arena);
    return ok;
}

/* The __meta__ of every FOLDER of a level. */
TACO__FN bool taco__check_meta_level(taco__check_tree_state *t, uint32_t level, taco_error *err)
{
    taco__check_tree_level *v = &t->levels[level];
    size_t row;
    for (row = 0; v->l && row < v->rows && !t->f->stop; row++) {
        if (v->folder[row] == 1 && !taco__check_meta_row(t, level, row, err)) { return false; }
    }
    taco__findings_end_table(t->f, "__meta__");
    return true;
}
/* ==== src/validate/check_dataset.c ==== */
/* check_dataset.c - taco_validate: opens a dataset and runs every check in order

   In: a path or a source and the caller's options; out: problems through `found`, counts, and
   the first error. TACO 2.0 §5 and §6; the other files of this folder have the rules.

   Order (taco__check_dataset_one): container opened, records of an archive, COLLECTION.json,
   each level separately, links between levels, __meta__, PIT, the collection against the tables,
   entries or files that nothing lists, payloads with deep. Later checks rely on what earlier ones
   could read, but never on its being correct. A file that cannot be opened as a dataset is still
   checked as an archive, which often shows why. src/write/repair.c and catalogue.c use the same
   state (taco__check_dataset) to read what they rebuild. */
/* #include "validate.h" */
/* #include "../base/base.h" */
/* #include "../dataset/dataset.h" */

/* Closes what is open; findings and memory belong to the caller. c may be NULL. */
TACO__FN void taco__check_dataset_close(taco__check_dataset *c)
{
    if (!c) { return; }
    taco__check_tree_close(&c->tree);
    taco__check_zip_close(&c->zip);
    if (c->open) { taco__container_close(&c->store); }
    taco__arena_free(&c->arena);
    taco__mem_free(c->mem, c, sizeof *c);
}

/* The state for one dataset, which is too large for a stack; NULL if out of memory. Warnings of the
   readers are off: the checks report the same things as problems. */
TACO__FN taco__check_dataset *taco__check_dataset_open(taco__findings *f, taco__mem *mem,
                                                       const taco_options *opt, taco_error *err)
{
    taco__check_dataset *c = (taco__check_dataset *)taco__mem_alloc(mem, sizeof *c, err);
    if (!c) { return NULL; }
    memset(c, 0, sizeof *c);
    c->f = f;
    c->mem = c->arena.mem = mem;
    taco__options_init(&c->options, opt);
    c->options.warn = NULL; /* the checks report the same as problems */
    return c;
}

/* Checks the records of an archive; afterwards levels are compared with c->zip. */
TACO__FN bool taco__check_dataset_archive(taco__check_dataset *c, taco__file *file, taco_error *err)
{
    c->zip.f = c->f;
    c->zip.file = file;
    c->zip.mem = c->mem;
    c->zip.arena = &c->arena;
    c->zip.options = &c->options;
    return taco__check_zip_run(&c->zip, c->options.limits.max_metadata, err);
}

/* A file that cannot be opened as a dataset may still be an archive with a damaged directory. */
static bool taco__check_dataset_unopened(taco__check_dataset *c, const char *path, taco_error *err)
{
    taco_source src;
    taco__file file;
    uint8_t magic[4] = {0};
    taco_error e;
    bool ok = true;
    memset(&e, 0, sizeof e);
    if (!path || !taco__source_open_path(&c->options, path, &src, &e)) { return true; }
    taco__file_init(&file, &src, "", c->mem);
    if (src.size >= 4 && taco__file_read(&file, 0, magic, 4, &e) &&
        memcmp(magic, "PK\3\4", 4) == 0) {
        ok = taco__check_dataset_archive(c, &file, err);
    }
    taco__check_zip_close(&c->zip);
    taco__file_close(&file);
    return ok;
}

/* Every level separately, and against the directory of its archive, from level 0 down. */
TACO__FN bool taco__check_dataset_levels(taco__check_dataset *c, taco_error *err)
{
    taco__check_tree_state *t = &c->tree;
    uint32_t i;
    t->f = c->f;
    t->s = &c->store;
    t->mem = t->text.mem = t->other.mem = t->window.mem = c->mem;
    t->arena = &c->arena;
    t->zip = c->store.kind == TACO_KIND_ZIP ? &c->zip : NULL;
    t->count = c->store.level_count;
    taco__join_init(&t->sources, &c->store);
    for (i = 0; i < t->count && !c->f->stop; i++) {
        if (!taco__check_level_run(t, i, err) || !taco__check_extensions_level(t, i, err)) {
            return false;
        }
    }
    return true;
}

/* Levels, then everything that compares them: children, __meta__, PIT, the collection and its
   extent. A catalogue has no __meta__. */
TACO__FN bool taco__check_dataset_tables(taco__check_dataset *c, taco_error *err)
{
    taco__check_tree_state *t = &c->tree;
    uint32_t i;
    if (!taco__check_dataset_levels(c, err)) { return false; }
    for (i = 0; i + 1 < t->count && !c->f->stop; i++) {
        if (!taco__check_tree_link_children(t, i, err)) { return false; }
    }
    for (i = 0; i < t->count && c->store.kind != TACO_KIND_TACOCAT && !c->f->stop; i++) {
        if (!taco__check_meta_level(t, i, err)) { return false; }
    }
    taco__check_tree_pit(t);
    if (!taco__check_collection_tables(t, err)) { return false; }
    taco__findings_set_place(c->f, "COLLECTION.json: extent");
    taco__check_extent_run(c->f, c->store.coll.extent, &t->span, false);
    return true;
}

/* One dataset, without the archives of a catalogue. If src is NULL, path is opened. False with *err
   set only if the check itself failed. */
TACO__FN bool taco__check_dataset_one(taco__check_dataset *c, const char *path,
                                      const taco_source *src, taco_error *err)
{
    taco_error e;
    memset(&e, 0, sizeof e);
    taco__findings_set_place(c->f, "%s", "");
    c->open = taco__container_open(&c->store, path, src, c->mem, &c->arena, &c->options, &e);
    if (!c->open) {
        if (!taco__findings_take_error(c->f, &e)) {
            *err = e;
            return false;
        }
        return taco__check_dataset_unopened(c, src ? NULL : path, err);
    }
    if (c->store.kind == TACO_KIND_ZIP && !taco__check_dataset_archive(c, &c->store.file, err)) {
        return false;
    }
    taco__check_collection_document(c->f, &c->store.coll);
    if (!taco__check_dataset_tables(c, err)) { return false; }
    if (c->store.kind == TACO_KIND_ZIP) {
        taco__check_zip_unlisted(&c->zip);
        return !c->f->how->deep || taco__check_payloads_run(&c->zip, err);
    }
    return c->store.kind != TACO_KIND_FOLDER || taco__check_unlisted_run(c, err);
}

/* taco_options.warn: what readers would say becomes a finding. */
static void taco__check_dataset_report(void *ctx, const taco_error *warning)
{
    taco__findings_report((taco__findings *)ctx, true, warning);
}

/* One line for places of children that are mixed up, of which each row has been reported. Comes
   last, because it changes what is read of the levels. */
static bool taco__check_dataset_places(taco__check_dataset *c, taco_error *err)
{
    taco_error e;
    uint32_t i;
    bool ok = true;
    c->options.warn = taco__check_dataset_report;
    c->options.warn_ctx = c->f;
    taco__findings_set_place(c->f, "%s", "");
    for (i = 1; ok && i < c->tree.count && !c->f->stop; i++) {
        memset(&e, 0, sizeof e);
        ok = taco__places_check(&c->store, i, &e) || taco__findings_take_error(c->f, &e);
        if (!ok) { *err = e; }
    }
    c->options.warn = NULL;
    return ok;
}

/* The dataset, and its archives if it is a catalogue; or a merged collection. */
static bool taco__check_dataset_run(taco__check_dataset *c, const char *path,
                                    const taco_source *src, taco_error *err)
{
    size_t i;
    if (!src && taco__routing_is_collection(path)) { return taco__check_sources_run(c, path, err); }
    if (!taco__check_dataset_one(c, path, src, err)) { return false; }
    if (c->open && c->store.kind == TACO_KIND_ZIP && c->f->sum->errors &&
        !taco__check_dataset_places(c, err)) {
        return false;
    }
    if (c->open && c->store.kind == TACO_KIND_TACOCAT) {
        taco__check_catalogue_sources(c);
        for (i = 0; i < c->tree.sources.source_count && !c->f->stop; i++) {
            if (!taco__check_catalogue_part(c, (uint32_t)i, err)) { return false; }
        }
    }
    return true;
}

/* ---- public ---- */

#define TACO__CHECK_DATASET_WARNINGS 16

/* Warnings of the readers while a dataset was opened. They become warnings of validation once the
   dataset turns out to be of another format. At most TACO__CHECK_DATASET_WARNINGS are kept. */
typedef struct taco__check_dataset_warnings {
    taco_error list[TACO__CHECK_DATASET_WARNINGS];
    size_t count;
} taco__check_dataset_warnings;

/* taco_options.warn. */
static void taco__check_dataset_warn(void *ctx, const taco_error *warning)
{
    taco__check_dataset_warnings *w = (taco__check_dataset_warnings *)ctx;
    if (w->count < TACO__CHECK_DATASET_WARNINGS) { w->list[w->count++] = *warning; }
}

/* Counts the rows of all levels, which reads them: unreadable ones are a problem. False if the
   check itself failed. */
static bool taco__check_dataset_count(taco_dataset *ds, taco__findings *f, taco_error *err)
{
    uint32_t l;
    for (l = 0; l < taco_levels(ds); l++) {
        taco_error e = {0, TACO_OK, 0, {0}};
        int64_t rows = taco_level_rows(ds, l, &e);
        if (rows >= 0) {
            f->sum->rows += (uint64_t)rows;
        } else if (!taco__findings_take_error(f, &e)) {
            *err = e;
            return false;
        }
    }
    return true;
}

/* Whether what is at a path, which could not be opened, is of a format that recognizes its
   datasets: then the error is what there is to say about it. */
static bool taco__check_dataset_is_named(const char *path, const taco_options *opt, taco__mem *mem)
{
    taco_error none = {0, TACO_OK, 0, {0}};
    taco__container *s = (taco__container *)taco__mem_alloc(mem, sizeof *s, NULL);
    taco__arena arena;
    bool found = false;
    arena.mem = mem;
    arena.head = NULL;
    if (s && taco__container_open_any(s, path, NULL, mem, &arena, opt, true, &none)) {
        found = s->format && s->format->is_collection;
        taco__container_close(s);
    }
    taco__arena_free(&arena);
    taco__mem_free(mem, s, sizeof *s);
    return found;
}

/* Opens a dataset of one of the caller's formats; together with the other files of its set, if it
   is one of several and all are there. NULL with *err set if it cannot be opened. */
static taco_dataset *taco__check_dataset_open_set(const char *path, const taco_options *o,
                                                  taco__check_dataset_warnings *seen,
                                                  taco__mem *mem, taco_error *err)
{
    taco_dataset *ds = taco_open(path, o, err);
    const taco_opener *format = ds ? ds->stores[0].format : NULL;
    const char *const *paths;
    taco__arena arena;
    size_t n = 0;
    if (!format || !format->set) { return ds; }
    memset(&arena, 0, sizeof arena);
    arena.mem = mem;
    paths = format->set(ds, &arena, &n, err);
    if (paths || err->code != TACO_OK) {
        taco_close(ds);
        ds = NULL;
        seen->count = 0;
    }
    if (paths) { ds = taco_open_many(paths, n, TACO_COLUMNS_INTERSECTION, o, err); }
    taco__arena_free(&arena);
    return ds;
}

/* A dataset of one of the caller's formats: all levels are read, as its opener does, then the rules
   of the format are checked. False for TACO 2, with *err set if the check failed. */
static bool taco__check_dataset_other_format(const char *path, const taco_options *opt,
                                             taco__findings *f, taco__mem *mem, taco_error *err)
{
    taco_options o = *opt;
    taco_error e = {0, TACO_OK, 0, {0}};
    taco__check_dataset_warnings *seen =
        (taco__check_dataset_warnings *)taco__mem_alloc(mem, sizeof *seen, err);
    taco_dataset *ds;
    bool other, ok;
    size_t i;
    if (!seen) { return true; }
    seen->count = 0;
    o.warn = taco__check_dataset_warn;
    o.warn_ctx = seen;
    ds = taco__check_dataset_open_set(path, &o, seen, mem, &e);
    other = ds && taco_dataset_kind(ds) == TACO_KIND_OTHER;
    ok = other && taco__check_dataset_count(ds, f, err);
    for (i = 0; ok && i < seen->count; i++) {
        taco__findings_report(f, false, &seen->list[i]);
    }
    if (ok && ds->stores[0].format->check) { ds->stores[0].format->check(ds, f, err); }
    taco_close(ds);
    taco__mem_free(mem, seen, sizeof *seen);
    if (!ds && !taco__error_is_of_machine(&e) && taco__check_dataset_is_named(path, &o, mem)) {
        taco__findings_report(f, true, &e);
        return true;
    }
    if (taco__error_is_of_machine(&e)) { /* says nothing about the dataset */
        *err = e;
        return true;
    }
    return other;
}

/* taco_validate and taco_validate_source; src is NULL for the former. */
static taco_status taco__check_dataset_validate(const char *path, const taco_source *src,
                                                const taco_options *opt,
                                                const taco_validate_options *how,
                                                taco_validated *out, taco_error *err)
{
    taco_validate_options none;
    taco_validated sum;
    taco__findings f;
    taco__mem mem;
    taco__check_dataset *c;
    taco_error own = {0, TACO_OK, 0, {0}};
    bool done;
    memset(&none, 0, sizeof none);
    memset(&sum, 0, sizeof sum);
    memset(&f, 0, sizeof f);
    f.how = how ? how : &none;
    f.sum = &sum;
    f.part = "";
    taco__mem_init(&mem, opt);
    c = taco__check_dataset_open(&f, &mem, opt, &own);
    if (c && !src && opt && opt->openers &&
        taco__check_dataset_other_format(path, opt, &f, &mem, &own)) {
        done = own.code == TACO_OK;
    } else {
        done = c && taco__check_dataset_run(c, path, src, &own);
    }
    taco__check_dataset_close(c);
    if (!done) {
        TACO__FAIL(&own, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory");
        taco__findings_set_place(&f, "%s", "");
        taco__findings_report(&f, true, &own);
    }
    if (out) { *out = sum; }
    if (done && f.first.code != TACO_OK) {
        own = f.first;
        if (strncmp(own.text, path, strlen(path)) != 0) { taco__error_prefix(&own, "%s", path); }
    }
    taco__error_copy(err, &own);
    return own.code;
}

TACO_API taco_status taco_validate(const char *path, const taco_options *opt,
                                   const taco_validate_options *how, taco_validated *out,
                                   taco_error *err)
{
    err = taco__error_fresh(err, NULL);
    if (!path) { return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path given"); }
    return taco__check_dataset_validate(path, NULL, opt, how, out, err);
}

TACO_API taco_status taco_validate_source(const taco_source *src, const char *name,
                                          const taco_options *opt, const taco_validate_options *how,
                                          taco_validated *out, taco_error *err)
{
    err = taco__error_fresh(err, NULL);
    return taco__source_check(src, err)
               ? taco__check_dataset_validate(name ? name : "", src, opt, how, out, err)
               : TACO_ERR_ARGUMENT;
}
/* ==== src/validate/check_unlisted.c ==== */
/* check_unlisted.c - files in the directories of a FOLDER dataset that no row lists

   In: a FOLDER dataset whose levels are in memory, on a file system that lists directories; out:
   a warning for each file or directory that neither the format (COLLECTION.json,
   METADATA/levelN.parquet, __meta__) nor a row knows, in the order of their names, and an error
   for a level after a gap. TACO 2.0 §6.2. Without such a file system (a caller's open_file)
   nothing is found.

   The paths of all rows are a set of hashes (taco__check_unlisted_list_rows); the walk
   (taco__check_unlisted_entry calls itself through taco__plat_list_dir) looks every entry up by
   its path below the dataset. Names are gathered first and sorted: file systems list in any
   order. */
/* #include "validate.h" */
/* #include "../base/base.h" */
/* #include "../dataset/dataset.h" */

/* ---- files that no level lists ---- */

/* State of the walk. */
typedef struct taco__check_unlisted_dirs {
    taco__check_dataset *c;
    taco__hash_map listed; /* a set: hashes of the paths of all rows */
    taco__buf path;        /* path of the directory, with a '/' at its end; then of its entry */
    size_t root;           /* length of the dataset's path at its beginning */
    uint32_t depth;        /* 0: the dataset, 1: DATA or METADATA, ... */
    const char **strays;
    size_t count, cap;
    taco_error *err;
} taco__check_unlisted_dirs;

/* True if the path is the table of level i; for a level that did not open, only the prefix is
   compared. */
static bool taco__check_unlisted_is_table(const taco__check_tree_state *t, uint32_t i,
                                          taco_bytes path)
{
    static const char begin[] = "METADATA/level";
    if (t->levels[i].l) { return taco__bytes_equal(taco__bytes_text(t->levels[i].l->name), path); }
    return path.len > sizeof begin && taco__bytes_starts_with(path, begin) &&
           path.data[sizeof begin - 1] == '0' + i && path.data[sizeof begin] == '.';
}

/* True if the path belongs to the format or to a row; depth says which rule applies. */
static bool taco__check_unlisted_is_expected(taco__check_unlisted_dirs *w, taco_bytes path)
{
    taco__check_tree_state *t = &w->c->tree;
    uint32_t i;
    if (w->depth == 0) {
        return taco__bytes_equal(path, taco__bytes_text("COLLECTION.json")) ||
               taco__bytes_equal(path, taco__bytes_text("METADATA")) ||
               taco__bytes_equal(path, taco__bytes_text("DATA"));
    }
    if (taco__bytes_starts_with(path, "METADATA/")) {
        for (i = 0; i < t->count && !taco__check_unlisted_is_table(t, i, path); i++) {}
        return i < t->count;
    }
    return taco__hash_map_find_u64(
               &w->listed, taco__findings_hash_path(TACO__FINDINGS_HASH_SEED, path)) != NULL;
}

/* Records a copy of a stray path. */
static bool taco__check_unlisted_add(taco__check_unlisted_dirs *w, taco_bytes path)
{
    if (w->count == w->cap) {
        size_t cap = w->cap ? w->cap * 2 : 16;
        const char **grown = (const char **)taco__mem_resize(
            w->c->mem, (void *)w->strays, w->cap * sizeof *grown, cap * sizeof *grown, w->err);
        if (!grown) { return false; }
        w->strays = grown;
        w->cap = cap;
    }
    w->strays[w->count] = taco__arena_text(&w->c->arena, path, w->err);
    return w->strays[w->count++] != NULL;
}

/* One entry of a directory: recorded if it is unknown, entered if it is a directory. Called for
   every name; false ends the walk. w->path is extended by the name and cut back afterwards. */
static bool taco__check_unlisted_entry(void *ctx, const char *name, taco__path_kind kind)
{
    taco__check_unlisted_dirs *w = (taco__check_unlisted_dirs *)ctx;
    size_t dir = w->path.len;
    uint64_t size;
    taco_bytes path;
    bool ok = taco__buf_append(&w->path, name, strlen(name), w->err);
    path = taco__bytes_of(w->path.data + w->root, w->path.len - w->root);
    if (ok && !(w->depth > 1 && strcmp(name, "__meta__") == 0) &&
        !taco__check_unlisted_is_expected(w, path)) {
        ok = taco__check_unlisted_add(w, path);
    } else if (ok && w->depth <= TACO__MAX_LEVELS) {
        ok = taco__buf_append_char(&w->path, 0, w->err);
        if (ok && (kind == TACO__PATH_DIRECTORY ||
                   (kind == TACO__PATH_MISSING &&
                    taco__plat_stat((const char *)w->path.data, &size) == TACO__PATH_DIRECTORY))) {
            w->path.data[w->path.len - 1] = '/';
            ok = taco__buf_append_char(&w->path, 0, w->err);
            w->path.len -= ok;
            w->depth++;
            ok = ok &&
                 (taco__plat_list_dir((const char *)w->path.data, taco__check_unlisted_entry, w) ||
                  w->err->code == TACO_OK); /* an unreadable directory is not one of ours */
            w->depth--;
        }
    }
    w->path.len = dir;
    return ok;
}

/* Order by name. */
static int taco__check_unlisted_compare(const void *ctx, const void *a, const void *b)
{
    (void)ctx;
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Fills the set of known paths; `rows` is the number of rows in all levels. */
static bool taco__check_unlisted_list_rows(taco__check_unlisted_dirs *w, size_t rows)
{
    const taco__check_tree_state *t = &w->c->tree;
    uint32_t level;
    size_t i;
    bool added;
    if (!taco__hash_map_reset(&w->listed, rows, w->err)) { return false; }
    for (level = 0; level < t->count; level++) {
        for (i = 0; i < t->levels[level].rows; i++) {
            if (!taco__hash_map_add_u64(&w->listed, t->levels[level].path[i], &added, w->err)) {
                return false;
            }
        }
    }
    return true;
}

/* Fills the set of known paths, walks the directories, sorts the stray paths. */
static bool taco__check_unlisted_walk(taco__check_unlisted_dirs *w)
{
    taco__check_dataset *c = w->c;
    taco__check_tree_state *t = &c->tree;
    size_t rows = 0;
    uint32_t level;
    for (level = 0; level < t->count; level++) {
        if (!t->levels[level].path) {
            return true; /* a level is not readable, which has been reported */
        }
        rows += t->levels[level].rows;
    }
    if (!taco__check_unlisted_list_rows(w, rows) ||
        !taco__buf_append_text(&w->path, c->store.dir, w->err)) {
        return false;
    }
    w->root = w->path.len;
    if (!taco__buf_append_char(&w->path, 0, w->err)) { return false; }
    w->path.len--;
    (void)taco__plat_list_dir(w->root ? (const char *)w->path.data : ".",
                              taco__check_unlisted_entry, w);
    return w->err->code == TACO_OK &&
           taco__sort_in(w->c->mem, (void *)w->strays, w->count, sizeof *w->strays,
                         taco__check_unlisted_compare, NULL, w->err);
}

/* The table of a level that no reader opens, because a level before it is missing (§5.1). */
static bool taco__check_unlisted_is_level(taco_bytes path)
{
    static const char start[] = "METADATA/level";
    size_t at = sizeof start - 1;
    taco_bytes end;
    if (!taco__bytes_starts_with(path, start)) { return false; }
    while (at < path.len && path.data[at] >= '0' && path.data[at] <= '9') {
        at++;
    }
    end = taco__bytes_of(path.data + at, path.len - at);
    return at >= sizeof start && (taco__bytes_equal(end, taco__bytes_text(".parquet")) ||
                                  taco__bytes_equal(end, taco__bytes_text(".avro")));
}

/* Reports every stray file: a warning, but an error for tables of levels, whose samples are lost.
   False if the check itself failed. */
TACO__FN bool taco__check_unlisted_run(taco__check_dataset *c, taco_error *err)
{
    taco__check_unlisted_dirs w;
    size_t i;
    bool ok;
    memset(&w, 0, sizeof w);
    w.c = c;
    w.err = err;
    w.path.mem = w.listed.mem = c->mem;
    ok = taco__check_unlisted_walk(&w);
    for (i = 0; ok && i < w.count && !c->f->stop; i++) {
        taco_bytes name = taco__bytes_text(w.strays[i]);
        taco__findings_set_place(c->f, "%q", &name);
        if (taco__check_unlisted_is_level(name)) {
            TACO__FINDINGS_ERROR(c->f, "a level beyond a gap: no reader gets to its rows, as the "
                                       "level before it is missing");
        } else {
            TACO__FINDINGS_WARN(c->f, "no level lists this file");
        }
    }
    taco__findings_end_table(c->f, "directories");
    taco__buf_free(&w.path);
    taco__hash_map_free(&w.listed);
    taco__mem_free(c->mem, (void *)w.strays, w.cap * sizeof *w.strays);
    return ok;
}

/* ---- formats ---- */

/* A directory of a format's dataset. */
typedef struct taco__check_unlisted_tree {
    taco__findings *f;
    taco__container *s;
    const char *path; /* below the dataset, with a '/' at the end */
    const taco__hash_map *listed;
    unsigned depth;
    taco_error *err;
    bool ok;
} taco__check_unlisted_tree;

/* taco__plat_list_fn */
static bool taco__check_unlisted_file(void *ctx, const char *name, taco__path_kind kind)
{
    taco__check_unlisted_tree *w = (taco__check_unlisted_tree *)ctx, below = *w;
    const char *path = taco__container_join_path(w->s, w->path, name, w->err),
               *full = path ? taco__container_join_path(w->s, w->s->dir, path, w->err) : NULL;
    taco_bytes text = taco__bytes_text(path);
    uint64_t size;
    (void)kind;
    w->ok = full != NULL;
    if (!full || w->f->stop) { return false; }
    if (taco__plat_stat(full, &size) == TACO__PATH_DIRECTORY) {
        below.path = taco__container_join_path(w->s, path, "/", w->err);
        below.depth++;
        w->ok = below.path != NULL;
        if (w->ok && below.depth < 256) {
            taco__plat_list_dir(full, taco__check_unlisted_file, &below);
        }
        w->ok = w->ok && below.ok;
    } else if (!taco__hash_map_find(w->listed, text)) {
        taco__findings_set_place(w->f, "%q", &text);
        TACO__FINDINGS_ERROR(w->f, "no level lists this file");
    }
    return w->ok;
}

/* Reports every file below a directory of a dataset, a path with a '/' at the end, that is not in a
   set of paths. Only on a file system that lists directories. */
TACO__FN bool taco__check_unlisted_below(taco__findings *f, taco__container *s, const char *path,
                                         const taco__hash_map *listed, taco_error *err)
{
    taco__check_unlisted_tree w;
    const char *full = taco__container_join_path(s, s->dir, path, err);
    w.f = f;
    w.s = s;
    w.path = path;
    w.listed = listed;
    w.depth = 0;
    w.err = err;
    w.ok = full != NULL;
    if (full && !s->options->open_file) {
        taco__plat_list_dir(full, taco__check_unlisted_file, &w);
    }
    return w.ok;
}
/* ==== src/validate/check_catalogue.c ==== */
/* check_catalogue.c - a catalogue against its archives: rows, levels, collection, taco:sources

   In: a .tacocat or __TACOCAT__ whose tables check_dataset.c has checked as those of one
   dataset; out: problems about the archives it names. TACO 2.0 §6.5, §6.6.

   Each archive must exist (taco__check_catalogue_part). With deep it is also validated like any
   other dataset, with its name as a prefix of problems, and each of its rows in the catalogue
   must be a row of the archive, with the same id, type, place and cells. A catalogue may lack
   rows of an archive (exports), but must not have additional ones. */
/* #include "validate.h" */
/* #include "../base/base.h" */
/* #include "../base/json.h" */
/* #include "../dataset/dataset.h" */

/* ---- catalogues ---- */

/* True when row i of the catalogue is row k of the archive. */
static bool taco__check_catalogue_same_row(const taco__check_tree_level *a, size_t i,
                                           const taco__check_tree_level *b, size_t k)
{
    return a->key[i] == b->key[k] &&
           (!a->offset || !b->offset || (a->offset[i] == b->offset[k] && a->size[i] == b->size[k]));
}

/* Rows of one level of an archive against those in the catalogue: all of them, or some in the same
   order. k walks the archive's rows, i the catalogue's; matching pairs are compared cell by cell at
   the end. */
static bool taco__check_catalogue_rows(taco__check_dataset *cat, taco__check_dataset *part,
                                       uint32_t source, uint32_t level, taco_error *err)
{
    taco__check_tree_level *a = &cat->tree.levels[level], *b = &part->tree.levels[level];
    taco__check_tree_state *t = &cat->tree;
    size_t i, k = 0, count = 0;
    uint32_t *mine, *theirs;
    taco__check_meta_tables both;
    t->level = level;
    if (!a->l || !b->l || !a->source) { return true; }
    for (i = 0; i < a->rows; i++) {
        count += a->source[i] == source;
    }
    mine = (uint32_t *)taco__arena_array(&part->arena, count + 1, sizeof *mine, err);
    theirs = (uint32_t *)taco__arena_array(&part->arena, count + 1, sizeof *theirs, err);
    if (!mine || !theirs) { return false; }
    both.n = 0;
    taco__findings_set_place(cat->f, "%s", a->l->name);
    if (count != b->rows) {
        TACO__FINDINGS_REPORT(cat->f, count > b->rows,
                              "the catalogue has %u rows of it, the archive has %u", TACO__U(count),
                              TACO__U(b->rows));
    }
    for (i = 0; i < a->rows && !cat->f->stop; i++) {
        if (a->source[i] != source) { continue; }
        for (; count != b->rows && k < b->rows && !taco__check_catalogue_same_row(a, i, b, k);
             k++) {}
        if (k < b->rows && taco__check_catalogue_same_row(a, i, b, k)) {
            mine[both.n] = (uint32_t)i;
            theirs[both.n++] = (uint32_t)k++;
            continue;
        }
        t->row = i;
        if (k == b->rows) {
            TACO__CHECK_LEVEL_ERROR(t, "the archive has no such row (id, type, internal:offset)");
            break;
        }
        if (a->key[i] != b->key[k]) {
            TACO__CHECK_LEVEL_ERROR(t, "another id or type than row %u of the archive", TACO__U(k));
        } else {
            TACO__CHECK_LEVEL_ERROR(
                t,
                "internal:offset %d, internal:size %d, but %d, %d in row %u of the "
                "archive",
                TACO__D(a->offset[i]), TACO__D(a->size[i]), TACO__D(b->offset[k]),
                TACO__D(b->size[k]), TACO__U(k));
        }
        k++;
    }
    both.t = t;
    both.a = &a->l->table;
    both.b = &b->l->table;
    both.other = "the archive";
    both.a_rows = mine;
    both.b_rows = theirs;
    taco__findings_set_place(cat->f, "%s", a->l->name);
    return taco__check_meta_columns(&both, &part->arena, err);
}

/* One archive of a catalogue: it exists; with deep it is valid, has the same levels and tree, and
   the catalogue's rows. False only if the check itself failed. */
TACO__FN bool taco__check_catalogue_part(taco__check_dataset *cat, uint32_t source, taco_error *err)
{
    taco__findings *f = cat->f;
    taco_bytes name = cat->tree.sources.sources[source].name;
    const char *path, *prefix;
    taco_source src;
    taco_error e;
    taco__check_dataset *part;
    taco__extent span;
    uint32_t i;
    bool ok = true;
    memset(&e, 0, sizeof e);
    if (taco__vsi_check_name(name, "internal:source_file", &e) != TACO_OK) {
        return true; /* check_level.c has reported it */
    }
    memset(&e, 0, sizeof e);
    path = taco__container_join_path(&cat->store, cat->store.archive_dir, (const char *)name.data,
                                     err);
    prefix =
        path ? taco__container_join_path(&cat->store, (const char *)name.data, ": ", err) : NULL;
    if (!prefix) { return false; }
    taco__findings_set_place(f, "internal:source_file");
    if (!taco__source_open_path(&cat->options, path, &src, &e)) {
        TACO__FINDINGS_ERROR(f, "the archive %q is missing: it does not exist, or cannot be read",
                             &name);
        return true;
    }
    if (!f->how->deep) {
        if (src.close) { src.close(src.ctx); }
        return true;
    }
    part = taco__check_dataset_open(f, cat->mem, &cat->options, err);
    if (!part) {
        if (src.close) { src.close(src.ctx); }
        return false;
    }
    f->part = prefix;
    ok = taco__check_dataset_one(part, path, &src, err);
    if (ok && part->open && part->store.kind == TACO_KIND_ZIP) {
        taco_error why;
        memset(&why, 0, sizeof why);
        if (part->store.level_count != cat->store.level_count) {
            taco__findings_set_place(f, "levels");
            TACO__FINDINGS_ERROR(f, "the archive has %u levels, the catalogue %u",
                                 TACO__U(part->store.level_count), TACO__U(cat->store.level_count));
        } else if (taco__collection_check_same_pit(&cat->store.coll, &part->store.coll, &why) !=
                   TACO_OK) {
            taco__findings_set_place(f, "COLLECTION.json");
            taco__findings_take_error(f, &why);
        }
        for (i = 0; ok && i < cat->store.level_count && i < part->store.level_count; i++) {
            ok = taco__check_catalogue_rows(cat, part, source, i, err);
        }
    } else if (ok && part->open) {
        taco__findings_set_place(f, "internal:source_file");
        TACO__FINDINGS_ERROR(f, "names something that is not an archive");
    }
    span = part->tree.span;
    taco__check_dataset_close(part);
    taco__findings_end_table(f, "catalogue");
    f->part = "";
    taco__check_extent_source(f, &cat->store.coll, "COLLECTION.json", (const char *)name.data,
                              &cat->options, path, &span);
    return ok;
}

/* taco:sources, as written into catalogues (§6.6): informative, so all faults are warnings. */
TACO__FN void taco__check_catalogue_sources(taco__check_dataset *c)
{
    const taco__json *sources = c->store.coll.sources, *files = taco__json_get(sources, "files"),
                     *file;
    int64_t count;
    size_t i, n = c->tree.sources.source_count;
    taco__findings_set_place(c->f, "COLLECTION.json: taco:sources");
    if (taco__rules_is_null(sources)) { return; }
    if (!taco__json_is(sources, TACO__JSON_OBJECT)) {
        TACO__FINDINGS_WARN(c->f, "must be an object, found %s", taco__json_type_name(sources));
    }
    if (taco__json_int(taco__json_get(sources, "count"), &count) && (uint64_t)count != n) {
        TACO__FINDINGS_WARN(c->f, "count is %d, the levels name %u archives", TACO__D(count),
                            TACO__U(n));
    }
    for (i = 0, file = taco__json_first(files); i < taco__json_length(files);
         i++, file = taco__json_next(file)) {
        taco_bytes name = taco__json_bytes(file);
        if (taco__join_find_archive(&c->tree.sources, name, false, NULL) == SIZE_MAX) {
            TACO__FINDINGS_WARN(c->f, "files names %q, no level does", &name);
        }
    }
}
/* ==== src/validate/check_sources.c ==== */
/* check_sources.c - a merged collection (TACOLLECTION.json) and the datasets that it names

   In: the path of a TACOLLECTION.json; out: problems of the document, of taco:sources, and of each
   source: missing, with another id or tree, with samples outside of its extent, and with deep
   everything wrong in it. TACO 2.0 §6.6. Readers may route queries by these extents, so a malformed
   one is an error here. */
/* #include "validate.h" */
/* #include "../base/base.h" */
/* #include "../base/json.h" */
/* #include "../dataset/dataset.h" */

/* Names of files: bare and unique, and as many as `count` and `ids` say; all are added to the map
   `names`. False if out of memory. */
static bool taco__check_sources_files(taco__findings *f, const taco__json *sources,
                                      taco__hash_map *names, taco_error *err)
{
    const taco__json *files = taco__json_get(sources, "files"), *x;
    size_t i, n = taco__json_length(files);
    int64_t count = -1;
    taco_error e;
    memset(&e, 0, sizeof e);
    taco__findings_set_place(f, "TACOLLECTION.json: taco:sources");
    if (!taco__json_int(taco__json_get(sources, "count"), &count) || (uint64_t)count != n) {
        TACO__FINDINGS_ERROR(f, "count is %d, there are %u files", TACO__D(count), TACO__U(n));
    }
    if (taco__json_length(taco__json_get(sources, "ids")) != n) {
        TACO__FINDINGS_ERROR(f, "%u ids for %u files",
                             TACO__U(taco__json_length(taco__json_get(sources, "ids"))),
                             TACO__U(n));
    }
    for (i = 0, x = taco__json_first(files); i < n; i++, x = taco__json_next(x)) {
        taco_bytes name = taco__json_bytes(x);
        bool added = true;
        if (taco__json_text(x) && !taco__hash_map_add(names, name, &added, err)) { return false; }
        if (!taco__json_text(x) || taco__vsi_check_name(name, "files", &e) != TACO_OK) {
            TACO__FINDINGS_ERROR(f, "files[%u] is not a bare file name", TACO__U(i));
        } else if (!added) {
            TACO__FINDINGS_ERROR(f, "files names %q twice", &name);
        }
        memset(&e, 0, sizeof e);
    }
    return true;
}

/* Extents: of listed files only, with boxes and times in the form of a collection's `extent`. */
static void taco__check_sources_extents(taco__findings *f, const taco__collection *merged,
                                        const taco__hash_map *names)
{
    const taco__json *extents = taco__json_get(merged->sources, "extents"), *x;
    size_t i;
    for (i = 0, x = taco__json_first(extents); i < taco__json_length(extents);
         i++, x = taco__json_next(x)) {
        const char *file = taco__json_text(taco__json_get(x, "file"));
        taco__collection one;
        taco_error e;
        memset(&e, 0, sizeof e);
        memset(&one, 0, sizeof one);
        one.doc = merged->doc; /* for messages */
        one.extent = x;
        taco__collection_read_extent(&one);
        taco__findings_set_place(f, "TACOLLECTION.json: taco:sources: extents[%u]", TACO__U(i));
        if (!file || !taco__hash_map_find(names, taco__json_bytes(taco__json_get(x, "file")))) {
            TACO__FINDINGS_ERROR(f, "file is none of taco:sources.files");
        }
        if (taco__collection_check_extent(&one, &e) != TACO_OK) {
            taco__findings_take_error(f, &e);
        }
    }
}

/* Reads what bounds the samples of a source that has been opened before, whose levels have not been
   read. False if the check itself failed. */
static bool taco__check_sources_read_extent(taco__check_dataset *c, const char *path,
                                            taco__extent *span, taco_error *err)
{
    taco_error e;
    taco_dataset *ds;
    bool ok;
    memset(&e, 0, sizeof e);
    ds = taco_open(path, &c->options, &e);
    ok = ds && taco__extent_read(span, ds, c->mem, &e);
    taco_close(ds);
    taco__findings_set_place(c->f, "%s", "");
    if (ok || taco__findings_take_error(c->f, &e)) { return true; }
    *err = e;
    return false;
}

/* One source: it can be opened and has the id and the tree given in the collection; with deep it is
   valid. What bounds its samples is added to *all. False if the check itself failed. */
static bool taco__check_sources_part(taco__check_dataset *c, const taco__collection *merged,
                                     const char *dir, const char *name, const char *id,
                                     taco__extent *all, taco_error *err)
{
    taco__extent span;
    taco__check_dataset *part;
    taco_error e;
    const char *path;
    bool ok = true, open;
    memset(&e, 0, sizeof e);
    memset(&span, 0, sizeof span);
    if (!name || taco__vsi_check_name(taco__bytes_text(name), "files", &e) != TACO_OK) {
        return true; /* reported already */
    }
    path = taco__container_join_path(&c->store, dir, name, err);
    if (!path) { return false; }
    c->f->part = taco__container_join_path(&c->store, name, ": ", err);
    part = c->f->part ? taco__check_dataset_open(c->f, c->mem, &c->options, err) : NULL;
    if (!part) { return false; }
    if (c->f->how->deep) {
        ok = taco__check_dataset_one(part, path, NULL, err);
    } else {
        part->open = taco__container_open(&part->store, path, NULL, c->mem, &part->arena,
                                          &part->options, &e);
        taco__findings_set_place(c->f, "%s", "");
        if (!part->open && !taco__findings_take_error(c->f, &e)) {
            *err = e;
            ok = false;
        }
    }
    memset(&e, 0, sizeof e);
    taco__findings_set_place(c->f, "COLLECTION.json");
    if (ok && part->open && id && strcmp(id, part->store.coll.id) != 0) {
        taco_bytes a = taco__bytes_text(id), b = taco__bytes_text(part->store.coll.id);
        TACO__FINDINGS_ERROR(c->f, "the id is %q, taco:sources says %q", &b, &a);
    }
    if (ok && part->open &&
        taco__collection_check_same_pit(merged, &part->store.coll, &e) != TACO_OK) {
        taco__findings_take_error(c->f, &e);
    }
    open = part->open;
    if (c->f->how->deep) { span = part->tree.span; }
    taco__check_dataset_close(part);
    if (ok && open && !c->f->how->deep) {
        ok = taco__check_sources_read_extent(c, path, &span, err);
    }
    taco__findings_end_table(c->f, name);
    c->f->part = "";
    taco__check_extent_source(c->f, merged, "TACOLLECTION.json", name, &c->options, path, &span);
    taco__extent_join(all, &span);
    return ok;
}

/* Checks all sources, in their order, and that the extent of the collection covers them. */
static bool taco__check_sources_parts(taco__check_dataset *c, const taco__collection *merged,
                                      const char *dir, taco_error *err)
{
    const taco__json *files = taco__json_get(merged->sources, "files");
    const taco__json *ids = taco__json_get(merged->sources, "ids");
    const taco__json *file = taco__json_first(files), *id = taco__json_first(ids);
    taco__extent all;
    size_t i, n = taco__json_length(files), known = taco__json_length(ids);
    bool ok = true;
    memset(&all, 0, sizeof all);
    for (i = 0; ok && i < n && !c->f->stop; i++, file = taco__json_next(file)) {
        ok = taco__check_sources_part(c, merged, dir, taco__json_text(file),
                                      i < known ? taco__json_text(id) : NULL, &all, err);
        if (i < known) { id = taco__json_next(id); }
    }
    taco__findings_set_place(c->f, "TACOLLECTION.json: extent");
    taco__check_extent_run(c->f, merged->extent, &all, false);
    return ok;
}

/* Reads the document; NULL if it cannot be read, with a problem or *err set. */
static const uint8_t *taco__check_sources_read(taco__check_dataset *c, const char *path,
                                               taco__buf *scratch, size_t *len, taco_error *err)
{
    taco_source src;
    taco__file file;
    taco_error e;
    const uint8_t *text = NULL;
    memset(&e, 0, sizeof e);
    if (taco__source_open_path(&c->options, path, &src, &e)) {
        taco__file_init(&file, &src, "", c->mem);
        if (src.size > c->options.limits.max_metadata || !taco__checked_to_size(src.size, len)) {
            TACO__FAIL(&e, TACO_ERR_LIMIT, TACO_NO_OFFSET, "%u bytes, limits.max_metadata is %u",
                       src.size, c->options.limits.max_metadata);
        } else if (taco__buf_reset(scratch, *len + 1, &e) &&
                   taco__file_read(&file, 0, scratch->data, *len, &e)) {
            text = scratch->data;
        }
        taco__file_close(&file);
    }
    if (!text && !taco__findings_take_error(c->f, &e)) { *err = e; }
    return text;
}

/* All checks of a merged collection. False if the check itself failed. */
TACO__FN bool taco__check_sources_run(taco__check_dataset *c, const char *path, taco_error *err)
{
    taco__collection merged;
    taco__buf scratch;
    taco_error e;
    const uint8_t *text;
    taco__hash_map names;
    char *dir;
    size_t n = 0;
    bool ok = true;
    memset(&scratch, 0, sizeof scratch);
    memset(&names, 0, sizeof names);
    memset(&e, 0, sizeof e);
    scratch.mem = names.mem = c->mem;
    taco__findings_set_place(c->f, "TACOLLECTION.json");
    c->store.mem = c->mem;
    c->store.arena = &c->arena;
    dir = taco__arena_text(&c->arena,
                           taco__bytes_of(path, strlen(path) - strlen("TACOLLECTION.json")), err);
    text = dir ? taco__check_sources_read(c, path, &scratch, &n, err) : NULL;
    if (!text) { ok = err->code == TACO_OK; }
    if (text && taco__collection_parse(&c->arena, taco__bytes_of(text, n), &c->options.limits,
                                       &merged, &e) != TACO_OK) {
        ok = taco__findings_take_error(c->f, &e);
    } else if (text) {
        taco__check_collection_document(c->f, &merged);
        taco__findings_set_place(c->f, "TACOLLECTION.json");
        n = taco__json_length(taco__json_get(merged.sources, "files"));
        if (n == 0) { TACO__FINDINGS_ERROR(c->f, "taco:sources.files names no dataset"); }
        ok = taco__check_sources_files(c->f, merged.sources, &names, err);
        if (ok) { taco__check_sources_extents(c->f, &merged, &names); }
        ok = ok && taco__check_sources_parts(c, &merged, dir, err);
    }
    taco__hash_map_free(&names);
    taco__buf_free(&scratch);
    return ok && dir;
}
/* ==== src/write/write.h ==== */
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

/* #include "../api/taco_write.h" */
/* #include "../base/base.h" */
/* #include "../base/sink.h" */
/* #include "../base/file_copy.h" */
/* #include "../base/json.h" */
/* #include "../arrow/arrow.h" */
/* #include "../parquet/parquet.h" */
/* #include "../filter/filter.h" */
/* #include "../dataset/dataset.h" */
/* #include "../validate/validate.h" */

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
/* ==== src/write/tree.c ==== */
/* tree.c - ids, types, parents and places of all samples of a dataset being written

   In: samples one by one, with the row of their parent in the level above; out: the tree that
   all writers work from: paths, the order of rows, the values of internal:offset and
   internal:size, and whether it obeys PIT-1. TACO 2.0 §5.5 (PIT-1), §6.2 (no empty FOLDER),
   §7.2.3 (paths, unique ids).

   A level holds its rows in columns (struct taco__tree_level), a few tens of bytes per sample,
   so that millions fit. Children of a parent are adjacent and in the order of their parents:
   taco__tree_append_ordered refuses any other order, taco__tree_append_unordered accepts it and
   taco__tree_sort then establishes this one. */
/* #include "write.h" */
/* #include "../base/base.h" */
/* #include "../dataset/dataset.h" */

/* Initializes an empty tree, whose memory is charged to mem. */
TACO__FN void taco__tree_init(taco__tree *t, taco__mem *mem)
{
    size_t i;
    memset(t, 0, sizeof *t);
    for (i = 0; i < TACO__MAX_LEVELS; i++) {
        taco__tree_level *l = &t->level[i];
        l->ids.mem = l->ends.mem = l->parents.mem = l->folders.mem = mem;
        l->offsets.mem = l->sizes.mem = mem;
    }
}

/* Frees all levels; the tree is empty afterwards and may be used again. */
TACO__FN void taco__tree_free(taco__tree *t)
{
    size_t i;
    for (i = 0; i < TACO__MAX_LEVELS; i++) {
        taco__tree_level *l = &t->level[i];
        taco__buf_free(&l->ids);
        taco__buf_free(&l->ends);
        taco__buf_free(&l->parents);
        taco__buf_free(&l->folders);
        taco__buf_free(&l->offsets);
        taco__buf_free(&l->sizes);
        l->rows = 0;
    }
    t->levels = 0;
}

/* The id of a row; valid until the level grows. */
TACO__FN taco_bytes taco__tree_id(const taco__tree *t, uint32_t level, size_t row)
{
    const taco__tree_level *l = &t->level[level];
    const int32_t *at = (const int32_t *)(const void *)l->ends.data;
    return taco__bytes_of(l->ids.data + at[row], (size_t)(at[row + 1] - at[row]));
}

/* Row of the parent in the level above. Not for level 0. */
TACO__FN size_t taco__tree_parent(const taco__tree *t, uint32_t level, size_t row)
{
    return ((const uint32_t *)(const void *)t->level[level].parents.data)[row];
}

/* True for a FOLDER, false for a FILE. */
TACO__FN bool taco__tree_is_folder(const taco__tree *t, uint32_t level, size_t row)
{
    return t->level[level].folders.data[row] != 0;
}

/* Offset of a row's bytes in the archive; 0 until they are stored, and in a FOLDER dataset. */
TACO__FN int64_t taco__tree_offset(const taco__tree *t, uint32_t level, size_t row)
{
    return ((const int64_t *)(const void *)t->level[level].offsets.data)[row];
}

/* Size of a row in bytes; for a FOLDER that of its __meta__. */
TACO__FN int64_t taco__tree_size(const taco__tree *t, uint32_t level, size_t row)
{
    return ((const int64_t *)(const void *)t->level[level].sizes.data)[row];
}

/* Sets the place of a FILE's bytes in the archive, or of a FOLDER's __meta__. */
TACO__FN void taco__tree_set_place(taco__tree *t, uint32_t level, size_t row, uint64_t offset,
                                   uint64_t size)
{
    ((int64_t *)(void *)t->level[level].offsets.data)[row] = (int64_t)offset;
    ((int64_t *)(void *)t->level[level].sizes.data)[row] = (int64_t)size;
}

/* Appends a sample to its level, in any order of parents; the parent is a FOLDER of the level
   above. Its place is 0 until it is set. */
TACO__FN bool taco__tree_append_unordered(taco__tree *t, uint32_t level, size_t parent,
                                          taco_bytes id, bool folder, taco_error *err)
{
    taco__tree_level *l = &t->level[level];
    const int64_t zero = 0;
    const uint32_t up = (uint32_t)parent;
    const int32_t none = 0;
    int32_t end;
    if (level &&
        (parent >= t->level[level - 1].rows || !t->level[level - 1].folders.data[parent])) {
        TACO__FAIL(
            err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
            "sample %q of level %u: its parent is row %u, which is not a FOLDER of the %u above",
            &id, TACO__U(level), TACO__U(parent), TACO__U(t->level[level - 1].rows));
        return false;
    }
    if (l->rows >= INT32_MAX || id.len > INT32_MAX - l->ids.len) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "more than 2^31 rows or bytes of ids in level %u", TACO__U(level));
        return false;
    }
    end = (int32_t)(l->ids.len + id.len);
    if ((l->rows == 0 && !taco__buf_append_inline(&l->ends, &none, sizeof none, err)) ||
        !taco__buf_append(&l->ids, id.data, id.len, err) ||
        !taco__buf_append_inline(&l->ends, &end, sizeof end, err) ||
        (level && !taco__buf_append_inline(&l->parents, &up, sizeof up, err)) ||
        !taco__buf_append_char(&l->folders, folder ? 1 : 0, err) ||
        !taco__buf_append_inline(&l->offsets, &zero, sizeof zero, err) ||
        !taco__buf_append_inline(&l->sizes, &zero, sizeof zero, err)) {
        return false;
    }
    l->rows++;
    t->levels = TACO__MAX(t->levels, level + 1);
    return true;
}

/* The same, but CORRUPT if its parent is before that of the previous sample. parent is ignored at
   level 0. */
TACO__FN bool taco__tree_append_ordered(taco__tree *t, uint32_t level, size_t parent, taco_bytes id,
                                        bool folder, taco_error *err)
{
    size_t rows = t->level[level].rows;
    if (level && rows && parent < taco__tree_parent(t, level, rows - 1)) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "sample %q of level %u: its parent is row %u, that of the sample before is %u",
                   &id, TACO__U(level), TACO__U(parent),
                   TACO__U(taco__tree_parent(t, level, rows - 1)));
        return false;
    }
    return taco__tree_append_unordered(t, level, parent, id, folder, err);
}

/* True if the rows of a level are sorted by parent. */
static bool taco__tree_is_sorted(const taco__tree *t, uint32_t level)
{
    size_t i = 1, rows = t->level[level].rows;
    while (level && i < rows &&
           taco__tree_parent(t, level, i - 1) <= taco__tree_parent(t, level, i)) {
        i++;
    }
    return !level || i >= rows;
}

/* Sorts the rows of a level by parent, keeping the order of siblings, with a counting sort: at[p +
   1] counts the children of p, then at[p] is the position of the next one. *order (int32) becomes
   the old row of each new row. */
static bool taco__tree_order_rows(const taco__tree *t, uint32_t level, taco__buf *order,
                                  taco_error *err)
{
    taco__buf next;
    size_t rows = t->level[level].rows, above = t->level[level - 1].rows, i;
    size_t bytes = (above + 1) * sizeof(int32_t);
    int32_t *at, *from;
    memset(&next, 0, sizeof next);
    next.mem = order->mem;
    if (!taco__buf_reserve(&next, bytes, err) ||
        !taco__buf_reserve(order, rows * sizeof *from, err)) {
        taco__buf_free(&next);
        return false;
    }
    at = (int32_t *)(void *)next.data;
    from = (int32_t *)(void *)order->data;
    memset(at, 0, bytes);
    for (i = 0; i < rows; i++) {
        at[taco__tree_parent(t, level, i) + 1]++;
    }
    for (i = 1; i <= above; i++) {
        at[i] += at[i - 1];
    }
    for (i = 0; i < rows; i++) {
        from[at[taco__tree_parent(t, level, i)]++] = (int32_t)i;
    }
    order->len = rows * sizeof *from;
    taco__buf_free(&next);
    return true;
}

/* Sorts the rows of a level by parent, keeping the order of siblings. *order (int32) is the old row
   of each new row, or empty if nothing moved. There must be no level below yet, since its parents
   would not follow. */
TACO__FN bool taco__tree_sort(taco__tree *t, uint32_t level, taco__buf *order, taco_error *err)
{
    taco__tree sorted;
    taco__tree_level old;
    const int32_t *from;
    size_t rows = t->level[level].rows, i;
    bool ok = true;
    order->len = 0;
    if (taco__tree_is_sorted(t, level)) { return true; }
    if (!taco__tree_order_rows(t, level, order, err)) { return false; }
    from = (const int32_t *)(const void *)order->data;
    taco__tree_init(&sorted, order->mem);
    sorted.level[level - 1] = t->level[level - 1]; /* borrowed: appending looks at parents */
    for (i = 0; ok && i < rows; i++) {
        size_t row = (size_t)from[i];
        ok = taco__tree_append_unordered(&sorted, level, taco__tree_parent(t, level, row),
                                         taco__tree_id(t, level, row),
                                         taco__tree_is_folder(t, level, row), err);
        if (ok) {
            taco__tree_set_place(&sorted, level, i, (uint64_t)taco__tree_offset(t, level, row),
                                 (uint64_t)taco__tree_size(t, level, row));
        }
    }
    /* the sorted level replaces the other, which is freed */
    old = t->level[level];
    t->level[level] = sorted.level[level];
    taco__tree_init(&sorted, order->mem);
    sorted.level[level] = old;
    taco__tree_free(&sorted);
    return ok;
}

/* Appends the path of a sample below DATA/, with a '/' at the end of a FOLDER's (§7.2.3). */
TACO__FN bool taco__tree_path(const taco__tree *t, uint32_t level, size_t row, taco__buf *out,
                              taco_error *err)
{
    size_t rows[TACO__MAX_LEVELS];
    uint32_t i = level;
    bool ok = true;
    rows[level] = row;
    for (; i; i--) {
        rows[i - 1] = taco__tree_parent(t, i, rows[i]);
    }
    for (i = 0; ok && i <= level; i++) {
        taco_bytes id = taco__tree_id(t, i, rows[i]);
        ok = taco__buf_append(out, id.data, id.len, err) &&
             ((i == level && !taco__tree_is_folder(t, i, rows[i])) ||
              taco__buf_append_char(out, '/', err));
    }
    return ok;
}

/* ---- rules of the tree ---- */

/* Checks that ids of the siblings [from, to) are unique; false with ARGUMENT if not, or if the
   check itself failed. map is emptied first; its memory is reused for each FOLDER. */
static bool taco__tree_check_siblings(const taco__tree *t, uint32_t level, size_t from, size_t to,
                                      taco__hash_map *map, taco_error *err)
{
    size_t row;
    if (!taco__hash_map_reset(map, to - from, err)) { return false; }
    for (row = from; row < to; row++) {
        taco_bytes id = taco__tree_id(t, level, row);
        bool added;
        taco__hash_slot *slot = taco__hash_map_add(map, id, &added, err);
        if (!slot) { return false; }
        if (!added) {
            TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "level %u: rows %u and %u both have the id %q, siblings must differ",
                       TACO__U(level), TACO__U(slot->value), TACO__U(row), &id);
            return false;
        }
        slot->value = row;
    }
    return true;
}

/* True for ids in ascending order, which are unique: true of most datasets, and needs no hash
   table. */
static bool taco__tree_ids_ascend(const taco__tree *t, uint32_t level, size_t from, size_t to)
{
    size_t row = from + 1;
    while (row < to && taco__bytes_compare(taco__tree_id(t, level, row - 1),
                                           taco__tree_id(t, level, row)) < 0) {
        row++;
    }
    return row == to;
}

/* §7.2.3: an id is unique among its siblings. */
TACO__FN taco_status taco__tree_check_unique_ids(const taco__tree *t, taco__mem *mem,
                                                 taco_error *err)
{
    taco__hash_map map;
    uint32_t level;
    bool ok = true;
    memset(&map, 0, sizeof map);
    map.mem = mem;
    for (level = 0; ok && level < t->levels; level++) {
        size_t from, to, rows = t->level[level].rows;
        for (from = 0; ok && from < rows; from = to) {
            for (to = from + 1; to < rows && (!level || taco__tree_parent(t, level, to) ==
                                                            taco__tree_parent(t, level, from));) {
                to++;
            }
            ok = taco__tree_ids_ascend(t, level, from, to) ||
                 taco__tree_check_siblings(t, level, from, to, &map, err);
        }
    }
    taco__hash_map_free(&map);
    return ok ? TACO_OK : err->code;
}

/* The rows [*from, *to) of a level below one row of the level above: rows are sorted by parent. */
static void taco__tree_find_children(const taco__tree *t, uint32_t level, size_t parent,
                                     size_t *from, size_t *to)
{
    size_t rows = t->level[level].rows, at = 0, end = 0;
    TACO__LOWER_BOUND(at, rows, i, taco__tree_parent(t, level, i) < parent);
    end = at;
    TACO__LOWER_BOUND(end, rows, i, taco__tree_parent(t, level, i) <= parent);
    *from = at;
    *to = end;
}

/* The first row of [from, to) whose id is not in [other, other_end); `to` if there is none. */
static size_t taco__tree_find_stray(const taco__tree *t, uint32_t level, size_t from, size_t to,
                                    size_t other, size_t other_end)
{
    for (; from < to; from++) {
        taco_bytes id = taco__tree_id(t, level, from);
        size_t k = other;
        while (k < other_end && !taco__bytes_equal(taco__tree_id(t, level, k), id)) {
            k++;
        }
        if (k == other_end) { return from; }
    }
    return to;
}

/* Reports how the children [y, yn) of a folder named `sample` differ from [x, xn) of the first one:
   one is missing, additional, of another type, or at another position. */
static void taco__tree_say_difference(const taco__tree *t, uint32_t level, size_t x, size_t xn,
                                      size_t y, size_t yn, taco_bytes sample, taco_error *err)
{
    size_t missing = taco__tree_find_stray(t, level, x, xn, y, yn);
    size_t extra = taco__tree_find_stray(t, level, y, yn, x, xn);
    taco_bytes id, other;
    if (missing < xn) {
        id = taco__tree_id(t, level, missing);
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "PIT-1: sample %q has no %q, which the first sample has", &sample, &id);
        return;
    }
    if (extra < yn) {
        id = taco__tree_id(t, level, extra);
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "PIT-1: sample %q has %q, which the first sample has not", &sample, &id);
        return;
    }
    while (x + 1 < xn && y + 1 < yn &&
           taco__bytes_equal(taco__tree_id(t, level, x), taco__tree_id(t, level, y)) &&
           taco__tree_is_folder(t, level, x) == taco__tree_is_folder(t, level, y)) {
        x++;
        y++;
    }
    id = taco__tree_id(t, level, y);
    other = taco__tree_id(t, level, x);
    TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
               "PIT-1: sample %q has the %s %q where the first sample has the %s %q", &sample,
               taco__collection_type_name(taco__tree_is_folder(t, level, y)), &id,
               taco__collection_type_name(taco__tree_is_folder(t, level, x)), &other);
}

/* The same for folder b, which differs from a, in the first sample. Always false. */
static bool taco__tree_fail_children(const taco__tree *t, uint32_t level, size_t a, size_t b,
                                     taco_error *err)
{
    size_t x, xn, y, yn;
    taco__buf path;
    memset(&path, 0, sizeof path);
    path.mem = t->level[0].ids.mem;
    taco__tree_find_children(t, level + 1, a, &x, &xn);
    taco__tree_find_children(t, level + 1, b, &y, &yn);
    if (taco__tree_path(t, level, b, &path, err)) {
        /* without the '/' at its end */
        taco__tree_say_difference(t, level + 1, x, xn, y, yn,
                                  taco__bytes_of(path.data, path.len - 1), err);
    }
    taco__buf_free(&path);
    return false;
}

/* Checks that two folders, and everything below them, are alike. If it is not deep, only children
   of level 0 are compared, and how many children those have. */
static bool taco__tree_check_alike(const taco__tree *t, uint32_t level, size_t a, size_t b,
                                   bool deep, taco_error *err)
{
    size_t x, xn, y, yn, i;
    const bool only_count = level == 1 && !deep;
    taco__tree_find_children(t, level + 1, a, &x, &xn);
    taco__tree_find_children(t, level + 1, b, &y, &yn);
    for (i = 0; xn - x == yn - y && x + i < xn &&
                (only_count || (taco__tree_is_folder(t, level + 1, x + i) ==
                                    taco__tree_is_folder(t, level + 1, y + i) &&
                                taco__bytes_equal(taco__tree_id(t, level + 1, x + i),
                                                  taco__tree_id(t, level + 1, y + i))));
         i++) {}
    if (xn - x != yn - y || x + i < xn) { return taco__tree_fail_children(t, level, a, b, err); }
    for (i = x; i < xn && level + 2 < t->levels && !only_count; i++) {
        if (taco__tree_is_folder(t, level + 1, i) &&
            !taco__tree_check_alike(t, level + 1, i, y + (i - x), deep, err)) {
            return false;
        }
    }
    return true;
}

/* PIT-1 (§5.5): all level-0 samples have the same type, and the same tree below them, with the same
   ids and types at the same positions. If it is not deep, only what taco__check_tree_isomorphic
   calls an error fails. */
TACO__FN taco_status taco__tree_check_pit1(const taco__tree *t, bool deep, taco_error *err)
{
    size_t n0 = t->level[0].rows, row;
    bool folder = n0 && taco__tree_is_folder(t, 0, 0);
    for (row = 1; row < n0; row++) {
        if (taco__tree_is_folder(t, 0, row) != folder) {
            taco_bytes a = taco__tree_id(t, 0, 0), b = taco__tree_id(t, 0, row);
            return TACO__FAIL(
                err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                "PIT-1: sample %q is a %s, sample %q a %s; all of level 0 must be of one type", &a,
                taco__collection_type_name(folder), &b, taco__collection_type_name(!folder));
        }
    }
    for (row = 1; folder && t->levels > 1 && row < n0; row++) {
        if (!taco__tree_check_alike(t, 0, 0, row, deep, err)) { return err->code; }
    }
    return TACO_OK;
}

/* End of the rows that have the parent of row `from`. */
static size_t taco__tree_siblings_end(const taco__tree *t, uint32_t d, size_t from)
{
    size_t row = from;
    while (row < t->level[d].rows &&
           taco__tree_parent(t, d, row) == taco__tree_parent(t, d, from)) {
        row++;
    }
    return row;
}

/* The first of k rows from `from` on that differs from the first rows of its level. */
static size_t taco__tree_unlike_first(const taco__tree *t, uint32_t d, size_t from, size_t k)
{
    size_t i;
    for (i = 0; i < k; i++) {
        taco_bytes id = taco__tree_id(t, d, from + i), other = taco__tree_id(t, d, i);
        if (!taco__bytes_equal(id, other) ||
            taco__tree_is_folder(t, d, from + i) != taco__tree_is_folder(t, d, i)) {
            break;
        }
    }
    return i;
}

/* The draft of June 2025 requires more than PIT-1: all FOLDERs of a level have the same children,
   in ids and types, whatever their parents. Rows are sorted by parent. */
TACO__FN taco_status taco__tree_check_strict_pit(const taco__tree *t, taco_error *err)
{
    uint32_t d;
    for (d = 1; d < t->levels; d++) {
        size_t k = taco__tree_siblings_end(t, d, 0), from = k, end;
        for (; from < t->level[d].rows; from = end) {
            taco_bytes folder = taco__tree_id(t, d - 1, taco__tree_parent(t, d, from));
            end = taco__tree_siblings_end(t, d, from);
            if (end - from != k) {
                return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                                  "strict PIT: level %u: FOLDER %q has %u children, the first of "
                                  "its level has %u",
                                  TACO__U(d - 1), &folder, TACO__U(end - from), TACO__U(k));
            }
            if (taco__tree_unlike_first(t, d, from, k) < k) {
                size_t i = taco__tree_unlike_first(t, d, from, k);
                taco_bytes id = taco__tree_id(t, d, from + i), other = taco__tree_id(t, d, i);
                return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                                  "strict PIT: level %u: FOLDER %q has %s %q where the first of "
                                  "its level has %s %q",
                                  TACO__U(d - 1), &folder,
                                  taco__collection_type_name(taco__tree_is_folder(t, d, from + i)),
                                  &id, taco__collection_type_name(taco__tree_is_folder(t, d, i)),
                                  &other);
            }
        }
    }
    return TACO_OK;
}

/* ARGUMENT if there is no sample, or a FOLDER without children, which could not have a __meta__
   (§6.2). */
TACO__FN bool taco__tree_check_no_empty_folder(const taco__tree *t, taco_error *err)
{
    uint32_t level;
    if (t->level[0].rows == 0) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "a dataset has at least one sample");
        return false;
    }
    for (level = 0; level < TACO__MAX_LEVELS; level++) {
        const taco__tree_level *below = level + 1 < TACO__MAX_LEVELS ? &t->level[level + 1] : NULL;
        size_t row, next = 0;
        for (row = 0; row < t->level[level].rows; row++) {
            if (!taco__tree_is_folder(t, level, row)) { continue; }
            while (below && next < below->rows && taco__tree_parent(t, level + 1, next) < row) {
                next++;
            }
            if (!below || next == below->rows || taco__tree_parent(t, level + 1, next) != row) {
                taco_bytes id = taco__tree_id(t, level, row);
                TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                           "level %u: FOLDER %q has no children", TACO__U(level), &id);
                return false;
            }
        }
    }
    return true;
}

/* The next sample, depth first: after the last child of a FOLDER, the sample after the FOLDER.
   False at the end. */
TACO__FN bool taco__tree_walk_next(const taco__tree *t, taco__tree_walk *w, uint32_t *level,
                                   size_t *row)
{
    size_t at;
    while (at = w->next[w->level],
           at >= t->level[w->level].rows ||
               (w->level && taco__tree_parent(t, w->level, at) != w->next[w->level - 1] - 1)) {
        if (w->level == 0) { return false; }
        w->level--;
    }
    *level = w->level;
    *row = at;
    w->next[w->level]++;
    w->level += taco__tree_is_folder(t, *level, at) && *level + 1 < TACO__MAX_LEVELS;
    return true;
}
/* ==== src/write/pit_schema.c ==== */
/* pit_schema.c - taco:pit_schema: patterns of children, counted from the tree

   In: a complete tree; out: the value of taco:pit_schema as JSON: root (number and type of
   samples), shape (most children of each level), hierarchy (for each level a list of patterns,
   each with n rows, types and ids). TACO 2.0 §5.5.

   A pattern describes the children of one kind of folder, taken from the fullest folder of that
   kind; each FOLDER in a pattern is a separate kind on the next level. kinds[row] is the kind of
   a row, TACO__PIT_SCHEMA_NONE if nothing below it is described. Counted, never copied, so that
   exports and parts of a dataset are right too.

   For two samples of two files each:

       {"root": {"n": 2, "type": "FOLDER"}, "shape": [2, 2],
        "hierarchy": {"1": [{"n": 4, "type": ["FILE", "FILE"], "id": ["a.tif", "b.tif"]}]}} */
/* #include "write.h" */
/* #include "../base/base.h" */
/* #include "../base/json.h" */
/* #include "../arrow/arrow.h" */
/* #include "../dataset/dataset.h" */

#define TACO__PIT_SCHEMA_NONE UINT32_MAX /* a row below which nothing is described */

/* The children of one kind of folder, taken from the fullest of these folders. */
typedef struct taco__pit_schema_pattern {
    uint32_t from, to; /* rows of the level                        */
    uint64_t n;        /* rows below all folders of the kind       */
    uint32_t below;    /* for FOLDERs: index of their first pattern in the next level */
} taco__pit_schema_pattern;

/* Fills in from, to and n of the patterns of a level; kinds are those of the rows above. */
static void taco__pit_schema_find_fullest(const taco__tree *t, uint32_t level,
                                          const uint32_t *kinds, taco__pit_schema_pattern *patterns)
{
    size_t from, to, rows = t->level[level].rows;
    for (from = 0; from < rows; from = to) {
        size_t parent = taco__tree_parent(t, level, from);
        uint32_t kind = kinds[parent];
        for (to = from + 1; to < rows && taco__tree_parent(t, level, to) == parent;) {
            to++;
        }
        if (kind != TACO__PIT_SCHEMA_NONE) {
            taco__pit_schema_pattern *p = &patterns[kind];
            p->n += to - from;
            if (to - from > p->to - p->from) {
                p->from = (uint32_t)from;
                p->to = (uint32_t)to;
            }
        }
    }
}

/* Numbers the FOLDERs in the patterns of a level, in order, and assigns every row its kind: that of
   the FOLDER at the same position in its pattern, or else with the same id. Returns the number of
   kinds. */
static uint32_t taco__pit_schema_number_kinds(const taco__tree *t, uint32_t level,
                                              const uint32_t *above,
                                              taco__pit_schema_pattern *patterns, uint32_t count,
                                              uint32_t *kinds)
{
    uint32_t i, next = 0;
    size_t row, place = 0;
    for (i = 0; i < count; i++) {
        patterns[i].below = next;
        for (row = patterns[i].from; row < patterns[i].to; row++) {
            next += taco__tree_is_folder(t, level, row);
        }
    }
    for (row = 0; row < t->level[level].rows; row++) {
        size_t parent = taco__tree_parent(t, level, row), k;
        uint32_t folders = 0;
        const taco__pit_schema_pattern *p;
        place = row && taco__tree_parent(t, level, row - 1) == parent ? place + 1 : 0;
        kinds[row] = TACO__PIT_SCHEMA_NONE;
        if (above[parent] == TACO__PIT_SCHEMA_NONE || !taco__tree_is_folder(t, level, row)) {
            continue;
        }
        p = &patterns[above[parent]];
        for (k = p->from; k < p->to; k++) {
            bool folder = taco__tree_is_folder(t, level, k);
            if (folder && (kinds[row] == TACO__PIT_SCHEMA_NONE || k - p->from == place) &&
                taco__bytes_equal(taco__tree_id(t, level, k), taco__tree_id(t, level, row))) {
                kinds[row] = p->below + folders;
            }
            folders += folder;
        }
    }
    return next;
}

/* Writes {"n": ..., "type": [...], "id": [...]}. */
static void taco__pit_schema_write_pattern(const taco__tree *t, uint32_t level,
                                           const taco__pit_schema_pattern *p, taco__json_writer *w)
{
    size_t row;
    taco__json_write_begin(w, NULL, '{');
    taco__json_write_u64(w, "n", p->n);
    taco__json_write_begin(w, "type", '[');
    for (row = p->from; row < p->to; row++) {
        bool folder = taco__tree_is_folder(t, level, row);
        taco__json_write_text(w, NULL, taco__collection_type_name(folder));
    }
    taco__json_write_end(w, ']');
    taco__json_write_begin(w, "id", '[');
    for (row = p->from; row < p->to; row++) {
        taco__json_write_quoted_value(w, NULL, taco__tree_id(t, level, row));
    }
    taco__json_write_end(w, ']');
    taco__json_write_end(w, '}');
}

/* Writes the patterns of one level, one for each kind of folder above. kinds are those of the rows
   above; *next and *count become those of this level, for the next call. */
static void taco__pit_schema_write_level(const taco__tree *t, uint32_t level,
                                         const taco__buf *kinds, taco__buf *next, uint32_t *count,
                                         taco__json_writer *w)
{
    size_t bytes;
    taco__pit_schema_pattern *patterns = NULL;
    const uint32_t *above = (const uint32_t *)(const void *)kinds->data;
    uint32_t i, n = *count;
    if (taco__array_buf_size(n, sizeof *patterns, &bytes, w->err)) {
        patterns = (taco__pit_schema_pattern *)taco__mem_alloc(next->mem, bytes, w->err);
    }
    w->ok =
        w->ok && patterns && taco__buf_reset(next, t->level[level].rows * sizeof(uint32_t), w->err);
    if (w->ok) {
        taco__pit_schema_find_fullest(t, level, above, patterns);
        *count = taco__pit_schema_number_kinds(t, level, above, patterns, n,
                                               (uint32_t *)(void *)next->data);
    }
    for (i = 0; w->ok && i < n; i++) {
        /* a folder without children has none to describe */
        if (patterns[i].to > patterns[i].from) {
            taco__pit_schema_write_pattern(t, level, &patterns[i], w);
        }
    }
    taco__mem_free(next->mem, patterns, bytes);
}

/* The longest run of children in a level. */
static uint64_t taco__pit_schema_most_children(const taco__tree *t, uint32_t level)
{
    size_t row, run = 0;
    uint64_t most = 0;
    for (row = 0; row < t->level[level].rows; row++) {
        run = row && taco__tree_parent(t, level, row) == taco__tree_parent(t, level, row - 1)
                  ? run + 1
                  : 1;
        most = TACO__MAX(most, (uint64_t)run);
    }
    return most;
}

/* Writes the value of taco:pit_schema. */
TACO__FN void taco__pit_schema_write(const taco__tree *t, taco__json_writer *w)
{
    taco__buf kinds[2];
    uint32_t level, count = 1;
    bool folders = t->level[0].rows && taco__tree_is_folder(t, 0, 0);
    memset(kinds, 0, sizeof kinds);
    kinds[0].mem = kinds[1].mem = w->out->mem;
    taco__json_write_begin(w, NULL, '{');
    taco__json_write_begin(w, "root", '{');
    taco__json_write_u64(w, "n", t->level[0].rows);
    taco__json_write_text(w, "type", taco__collection_type_name(folders));
    taco__json_write_end(w, '}');
    taco__json_write_begin(w, "shape", '[');
    taco__json_write_u64(w, NULL, t->level[0].rows);
    for (level = 1; level < t->levels; level++) {
        taco__json_write_u64(w, NULL, taco__pit_schema_most_children(t, level));
    }
    taco__json_write_end(w, ']');
    taco__json_write_begin(w, "hierarchy", '{');
    w->ok = w->ok && taco__buf_reset(&kinds[0], t->level[0].rows * sizeof(uint32_t), w->err);
    if (w->ok) { memset(kinds[0].data, 0, t->level[0].rows * sizeof(uint32_t)); }
    for (level = 1; w->ok && level < t->levels; level++) {
        char key[] = "1";
        key[0] = (char)('0' + level);
        taco__json_write_begin(w, key, '[');
        taco__pit_schema_write_level(t, level, &kinds[(level - 1) & 1], &kinds[level & 1], &count,
                                     w);
        taco__json_write_end(w, ']');
    }
    taco__buf_free(&kinds[0]);
    taco__buf_free(&kinds[1]);
    taco__json_write_end(w, '}');
    taco__json_write_end(w, '}');
}
/* ==== src/write/collection_document.c ==== */
/* collection_document.c - COLLECTION.json: the user's fields in order, and computed ones

   In: the parsed collection of the user or of a source, the tree, the extent and the columns of
   all levels; out: the text of COLLECTION.json, indented by four. TACO 2.0 §5.6 (order of
   fields), §7.2.3 (taco:field_schema).

   taco__document_write assembles flat JSON and reprints it with indentation, so that members
   copied from the source need not be formatted. Also offered: copying members of an object except
   for some keys (taco__document_copy_members), which exports and repair use. */
/* #include "write.h" */
/* #include "../base/base.h" */
/* #include "../base/json.h" */
/* #include "../parquet/parquet.h" */
/* #include "../validate/validate.h" */

/* ---- taco:field_schema ---- */

/* The reference's description of a standard column; NULL for others. */
static const char *taco__document_standard_description(const char *name)
{
    static const char *const texts[][2] = {
        {"id", "Unique sample identifier within parent scope. Must be unique among siblings."},
        {"type", "Sample type discriminator (FILE or FOLDER)."},
        {"internal:current_id", "Current sample position at this level (0-indexed). Enables O(1) "
                                "random access and relational JOINs (ZIP, "
                                "FOLDER, TACOCAT)."},
        {"internal:parent_id", "Foreign key referencing parent sample position in previous level "
                               "(ZIP, FOLDER, TACOCAT)."},
        {"internal:relative_path", "Relative path from DATA/ directory. Format: {parent_path}/{id} "
                                   "or {id} for level0 (ZIP, FOLDER, TACOCAT)."},
    };
    size_t i;
    for (i = 0; i < TACO__COUNT(texts); i++) {
        if (strcmp(texts[i][0], name) == 0) { return texts[i][1]; }
    }
    return NULL;
}

/* Makes a map, zeroed but for mem, from the names of a level's columns to their rows in a field
   schema (a list of [name, type, description]). Of equal names the first counts. */
static bool taco__document_index_columns(const taco__json *list, taco__hash_map *m, taco_error *err)
{
    const taco__json *row;
    size_t i, n = taco__json_length(list);
    for (i = 0, row = n ? taco__json_first(list) : NULL; i < n; i++, row = taco__json_next(row)) {
        const taco__json *name = taco__json_at(row, 0);
        bool added;
        taco__hash_slot *s;
        if (!taco__json_is(name, TACO__JSON_STRING)) { continue; }
        s = taco__hash_map_add(m, taco__json_bytes(name), &added, err);
        if (!s) { return false; }
        if (added) { s->value = (uint64_t)(row - list); }
    }
    return true;
}

/* The description of a column in the list of that map; empty if it has none. */
static taco_bytes taco__document_given_description(const taco__json *list, const taco__hash_map *m,
                                                   const char *name)
{
    const taco__hash_slot *s = taco__hash_map_find(m, taco__bytes_text(name));
    return s ? taco__json_bytes(taco__json_at(list + s->value, 2)) : taco__bytes_of("", 0);
}

/* Appends [name, type, description]. Types have Arrow's names in lower case, as in the
   reference. */
static void taco__document_write_field(const taco_field *f, const taco__json *list,
                                       const taco__hash_map *known, taco__json_writer *w)
{
    const char *text = taco__document_standard_description(f->name);
    taco_bytes said =
        text ? taco__bytes_text(text) : taco__document_given_description(list, known, f->name);
    taco__buf type;
    size_t at;
    memset(&type, 0, sizeof type);
    type.mem = w->out->mem;
    w->ok = w->ok && taco__type_name_append(f, &type, w->err);
    for (at = 0; at < type.len; at++) { /* the reference has the names in lower case */
        uint8_t c = type.data[at];
        type.data[at] = (uint8_t)(c >= 'A' && c <= 'Z' ? c + 32 : c);
    }
    taco__json_write_begin(w, NULL, '[');
    taco__json_write_quoted_value(w, NULL, taco__bytes_text(f->name));
    taco__json_write_quoted_value(w, NULL, taco__bytes_of(type.data, type.len));
    taco__json_write_quoted_value(w, NULL, said);
    taco__json_write_end(w, ']');
    taco__buf_free(&type);
}

/* Writes one level of taco:field_schema: id, type, the user's n columns, then those that every
   container adds. known may be NULL. */
TACO__FN void taco__document_write_fields(uint32_t level, const taco_field *fields, size_t n,
                                          const taco__json *known, taco__json_writer *w)
{
    const taco_field core[] = {taco__field_make("id", TACO_TEXT),
                               taco__field_make("type", TACO_TEXT),
                               taco__field_make("internal:current_id", TACO_INT64),
                               taco__field_make("internal:parent_id", TACO_INT64),
                               taco__field_make("internal:relative_path", TACO_TEXT)};
    char key[] = "level0";
    size_t i, last = level ? 5 : 4;
    const taco__json *list;
    taco__hash_map names;
    key[5] = (char)('0' + level);
    list = taco__json_get(known, key);
    memset(&names, 0, sizeof names);
    names.mem = w->out->mem;
    w->ok = w->ok && taco__document_index_columns(list, &names, w->err);
    taco__json_write_begin(w, key, '[');
    for (i = 0; i < last + n; i++) {
        const taco_field *f = i < 2 ? &core[i] : i < 2 + n ? &fields[i - 2] : &core[i - n];
        taco__document_write_field(f, list, &names, w);
    }
    taco__json_write_end(w, ']');
    taco__hash_map_free(&names);
}

/* ---- the document ---- */

/* Writes the members of an object except for the n keys in skip. Of equal keys the last counts. */
TACO__FN void taco__document_copy_members(const taco__json *root, const char *const *skip, size_t n,
                                          taco__json_writer *w)
{
    const taco__json *key;
    taco__hash_map members;
    uint32_t i;
    memset(&members, 0, sizeof members);
    members.mem = w->out->mem;
    w->ok = w->ok && taco__json_index_members(root, &members, w->err);
    for (i = 0, key = taco__json_first(root); i < root->count;
         i++, key = taco__json_next(key + 1)) {
        size_t k;
        for (k = 0; k < n && !taco__json_equals(key, skip[k]); k++) {}
        if (k == n && taco__json_member_counts(&members, root, key)) {
            taco__json_write_key_bytes(w, taco__json_bytes(key));
            w->ok = w->ok && taco__json_print(w->out, key + 1, 0, w->err);
        }
    }
    taco__hash_map_free(&members);
}

/* Appends the whole document: the user's fields (root) in the order of §5.6; extent, computed
   unless root has one and keep_extent is set; other members; taco:pit_schema; taco:field_schema,
   given as text. */
TACO__FN bool taco__document_write(const taco__json *root, bool keep_extent,
                                   const taco__extent *span, const taco__tree *t,
                                   taco_bytes field_schema, taco__buf *out, taco_error *err)
{
    static const char *const keys[] = {"id",
                                       "dataset_version",
                                       "description",
                                       "licenses",
                                       "providers",
                                       "tasks",
                                       "taco_version",
                                       "title",
                                       "curators",
                                       "keywords",
                                       "extent",
                                       "taco:pit_schema",
                                       "taco:field_schema",
                                       "taco:sources"};
    taco__buf flat;
    taco__json_writer w;
    taco__arena arena;
    taco__json_doc doc;
    const taco__json *extent = taco__json_get(root, "extent");
    size_t i;
    bool ok;
    memset(&flat, 0, sizeof flat);
    flat.mem = arena.mem = out->mem;
    arena.head = NULL;
    w = taco__json_writer_init(&flat, err);
    taco__json_write_begin(&w, NULL, '{');
    for (i = 0; i < 10; i++) {
        const taco__json *n = taco__json_get(root, keys[i]);
        if (i == 6 && taco__rules_is_null(n)) {
            taco__json_write_text(&w, keys[i], "2.0.0");
        } else {
            taco__json_print_value(&w, keys[i], n);
        }
    }
    if (keep_extent && !taco__rules_is_null(extent)) {
        taco__json_print_value(&w, "extent", extent);
    } else if (taco__extent_is_told(span, extent)) {
        taco__json_write_key(&w, "extent");
        taco__extent_write(span, extent, &w);
    }
    taco__document_copy_members(root, keys, TACO__COUNT(keys), &w);
    taco__json_write_key(&w, keys[11]);
    taco__pit_schema_write(t, &w);
    taco__json_write_raw(&w, keys[12], field_schema);
    taco__json_write_end(&w, '}');
    ok =
        w.ok &&
        taco__json_parse(&arena, taco__bytes_of(flat.data, flat.len), NULL, &doc, err) == TACO_OK &&
        taco__json_print(out, doc.root, 4, err) && taco__buf_append_char(out, '\n', err);
    taco__arena_free(&arena);
    taco__buf_free(&flat);
    return ok;
}
/* ==== src/write/level_tables.c ==== */
/* level_tables.c - METADATA/levelN.parquet and the __meta__ of every FOLDER

   In: the tree and the user's columns as batches (taco__container_columns); out: Parquet files
   inside the container, with their places for TACO_HEADER and for the rows of FOLDERs. TACO 2.0
   §6.2 (which tables there are), §7.2.3 (columns of the format).

   Columns come in this order: id, type, the user's, internal:current_id and internal:parent_id
   (level tables), internal:offset and internal:size (archives), internal:relative_path (level
   tables below 0). Own columns are built from the tree batch by batch, or point into it. A level
   table streams its batches; taco__level_table_write_folders goes over the rows of a level once
   and opens a new __meta__ wherever the parent changes. Tables of a FOLDER dataset have
   content-defined pages, so that an edit changes few bytes.

   Two samples s and t, each a FOLDER with one file a, have these tables in an archive (places
   left out); a __meta__ has the rows of one FOLDER, without current_id, parent_id and
   relative_path:

       level0: id s, t   type FOLDER, FOLDER   current_id 0, 1   parent_id 0, 1
       level1: id a, a   type FILE, FILE       current_id 0, 1   parent_id 0, 1   path s/a, t/a */
/* #include "write.h" */
/* #include "../base/base.h" */
/* #include "../base/file_copy.h" */
/* #include "../arrow/arrow.h" */
/* #include "../parquet_write/parquet_write.h" */

/* Rows of a batch in levels without user columns. */
#define TACO__LEVEL_TABLE_BATCH_ROWS 4096
/* Most bytes of the paths of a batch: offsets are int32. Tests use fewer. */
#ifndef TACO__LEVEL_TABLE_PATHS
#define TACO__LEVEL_TABLE_PATHS ((size_t)INT32_MAX)
#endif

/* ---- tables ---- */

/* One table, or all __meta__ of a level: fields, and arrays of the batch being written. */
typedef struct taco__level_table {
    taco__container_writer *p;
    uint32_t level;
    bool meta;
    taco__arena arena;
    taco_field *fields;
    taco_array *arrays;
    size_t count; /* columns in all */
    size_t users; /* user columns among them, after id and type */
    taco__buf types, current, parent, relative, ends, index;
    taco__array_buf *folder_rows; /* __meta__: user columns for the rows of one folder */
    /* the dictionary of `type`: rows are 0 for FILE, 1 for FOLDER */
    taco_field word;
    taco_array words;
} taco__level_table;

static const int32_t taco__level_table_type_ends[] = {0, 4, 10};

/* Frees the table; fields and arrays are in its arena. */
static void taco__level_table_free(taco__level_table *t)
{
    size_t i;
    for (i = 0; t->folder_rows && i < t->users; i++) {
        taco__array_buf_free(&t->folder_rows[i]);
    }
    taco__buf_free(&t->types);
    taco__buf_free(&t->current);
    taco__buf_free(&t->parent);
    taco__buf_free(&t->relative);
    taco__buf_free(&t->ends);
    taco__buf_free(&t->index);
    taco__arena_free(&t->arena);
}

/* Adds a column of the format. */
static void taco__level_table_add_column(taco__level_table *t, const char *name, taco_type type)
{
    t->fields[t->count] = taco__field_make(name, type);
    t->arrays[t->count].field = &t->fields[t->count];
    t->count++;
}

/* Makes the fields of a level table, or of the __meta__ of its rows, in the order of the format.
   Nothing to free after a failure. */
static bool taco__level_table_init(taco__level_table *t, taco__container_writer *p, uint32_t level,
                                   bool meta, const taco__container_columns *src, taco_error *err)
{
    size_t i;
    memset(t, 0, sizeof *t);
    t->p = p;
    t->level = level;
    t->meta = meta;
    t->arena.mem = p->mem;
    t->types.mem = t->current.mem = t->parent.mem = t->relative.mem = t->ends.mem = t->index.mem =
        p->mem;
    t->users = src->counts[level];
    t->fields = (taco_field *)taco__arena_array(&t->arena, t->users + 7, sizeof *t->fields, err);
    t->arrays = (taco_array *)taco__arena_array(&t->arena, t->users + 7, sizeof *t->arrays, err);
    t->folder_rows =
        (taco__array_buf *)taco__arena_array(&t->arena, t->users, sizeof *t->folder_rows, err);
    if (!t->fields || !t->arrays || !t->folder_rows) {
        taco__level_table_free(t);
        return false;
    }
    taco__level_table_add_column(t, "id", TACO_TEXT);
    taco__level_table_add_column(t, "type", TACO_TEXT);
    for (i = 0; i < t->users; i++) {
        t->fields[t->count++] = src->fields[level][i];
        if (meta && !taco__array_buf_init(&t->folder_rows[i], &src->fields[level][i], p->mem,
                                          &t->arena, err)) {
            taco__level_table_free(t);
            return false;
        }
    }
    if (!meta) {
        taco__level_table_add_column(t, "internal:current_id", TACO_INT64);
        taco__level_table_add_column(t, "internal:parent_id", TACO_INT64);
    }
    if (p->zip) {
        taco__level_table_add_column(t, "internal:offset", TACO_INT64);
        taco__level_table_add_column(t, "internal:size", TACO_INT64);
    }
    if (!meta && level) { taco__level_table_add_column(t, "internal:relative_path", TACO_TEXT); }
    t->word = taco__field_make("type", TACO_TEXT);
    t->words.field = &t->word;
    t->words.length = 2;
    t->words.offsets = taco__level_table_type_ends;
    t->words.v.any = "FILEFOLDER";
    return true;
}

/* Makes internal:relative_path for rows [row, row + n), in t->relative and t->ends. */
static bool taco__level_table_relative_paths(taco__level_table *t, size_t row, size_t n,
                                             taco_error *err)
{
    size_t i;
    int32_t *ends;
    t->relative.len = 0;
    if (!taco__buf_reset(&t->ends, (n + 1) * sizeof *ends, err) ||
        !taco__buf_reserve(&t->relative, 1, err)) {
        return false;
    }
    ends = (int32_t *)(void *)t->ends.data;
    ends[0] = 0;
    for (i = 0; i < n; i++) {
        if (!taco__tree_path(t->p->tree, t->level, row + i, &t->relative, err)) { return false; }
        if (t->relative.len > TACO__LEVEL_TABLE_PATHS) {
            TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                       "level %u: %u rows given at once have paths of more than %u bytes",
                       TACO__U(t->level), TACO__U(n), TACO__U(TACO__LEVEL_TABLE_PATHS));
            return false;
        }
        ends[i + 1] = (int32_t)t->relative.len;
    }
    return true;
}

/* Makes the format's own columns for rows [row, row + n) of the level, in t->arrays around the
   user's. */
static bool taco__level_table_own_columns(taco__level_table *t, size_t row, size_t n,
                                          taco_error *err)
{
    const taco__tree_level *l = &t->p->tree->level[t->level];
    size_t i, at = 2 + t->users;
    int32_t *types;
    int64_t *current, *parent;
    if (!taco__buf_reset(&t->types, n * sizeof *types, err) ||
        !taco__buf_reset(&t->current, n * sizeof *current, err) ||
        !taco__buf_reset(&t->parent, n * sizeof *parent, err)) {
        return false;
    }
    types = (int32_t *)(void *)t->types.data;
    current = (int64_t *)(void *)t->current.data;
    parent = (int64_t *)(void *)t->parent.data;
    for (i = 0; i < n; i++) {
        types[i] = l->folders.data[row + i];
        current[i] = (int64_t)(row + i);
        parent[i] =
            t->level ? (int64_t)taco__tree_parent(t->p->tree, t->level, row + i) : current[i];
    }
    for (i = 0; i < t->count; i++) {
        t->arrays[i].length = n;
    }
    t->arrays[0].offsets = (const int32_t *)(const void *)l->ends.data + row;
    t->arrays[0].v.any = l->ids.data;
    t->arrays[1].v.any = types;
    t->arrays[1].dictionary = &t->words;
    if (!t->meta) {
        t->arrays[at++].v.any = current;
        t->arrays[at++].v.any = parent;
    }
    if (t->p->zip) {
        t->arrays[at++].v.any = (const int64_t *)(const void *)l->offsets.data + row;
        t->arrays[at++].v.any = (const int64_t *)(const void *)l->sizes.data + row;
    }
    if (!t->meta && t->level) {
        if (!taco__level_table_relative_paths(t, row, n, err)) { return false; }
        t->arrays[at].offsets = (const int32_t *)(const void *)t->ends.data;
        t->arrays[at].v.any = t->relative.data;
    }
    return true;
}

/* The next batch of user columns; for a level without any, a batch without columns. ARGUMENT if the
   number of rows differs from the tree's. */
static bool taco__level_table_next_batch(const taco__container_columns *src, const taco__tree *tree,
                                         uint32_t level, size_t row, taco_batch *out,
                                         taco_error *err)
{
    size_t left = tree->level[level].rows - row;
    memset(out, 0, sizeof *out);
    if (src->counts[level] == 0) {
        out->length = TACO__MIN(left, (size_t)TACO__LEVEL_TABLE_BATCH_ROWS);
        return true;
    }
    if (!src->next(src->ctx, out, err)) { return false; }
    if (out->length > left || (out->length == 0 && left) ||
        out->column_count != src->counts[level]) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "level %u: its columns have %s than the %u rows of the tree", TACO__U(level),
                   out->length > left ? "more rows" : "fewer rows, or other columns",
                   TACO__U(tree->level[level].rows));
        return false;
    }
    return true;
}

/* The caller's options for tables, without those about columns of a single table; given may be
   NULL. */
TACO__FN taco_pq_write_options taco__level_table_user_options(const taco_pq_write_options *given)
{
    taco_pq_write_options w;
    memset(&w, 0, sizeof w);
    if (given) { w = *given; }
    w.columns = NULL;
    w.keys = NULL;
    w.geometries = NULL;
    w.column_count = w.key_count = w.geometry_count = 0;
    return w;
}

/* The options for a table; a small __meta__ has neither compression nor a page index. */
static void taco__level_table_options(const taco__container_writer *p, bool small,
                                      taco_pq_write_options *w)
{
    *w = taco__level_table_user_options(p->opt.parquet);
    w->options = &p->options;
    w->row_group_rows = p->opt.row_group_rows ? p->opt.row_group_rows : w->row_group_rows;
    w->codec = p->opt.codec ? p->opt.codec
               : w->codec   ? w->codec
               : small      ? TACO_CODEC_NONE
                            : TACO_CODEC_ZSTD;
    w->level = p->opt.level ? p->opt.level : w->level;
    w->content_defined = w->content_defined || (!p->zip && !small);
    w->no_page_index = w->no_page_index || small;
}

/* ---- __meta__ (§6.2) ---- */

/* Most rows of a __meta__ that is not worth compressing. */
#define TACO__LEVEL_TABLE_SMALL 256

/* The __meta__ being written; w is NULL if none is open. */
typedef struct taco__level_table_folder {
    taco_pq_writer *w;
    taco_sink sink;
    size_t parent;
    bool made; /* the sink has to be freed */
} taco__level_table_folder;

/* Opens the __meta__ of the folder that contains a row, in memory. */
static bool taco__level_table_folder_begin(taco__level_table *t, taco__level_table_folder *m,
                                           size_t row, taco_error *err)
{
    const taco__tree *tree = t->p->tree;
    taco_pq_write_options w;
    size_t to = row;
    m->parent = taco__tree_parent(tree, t->level, row);
    while (to < tree->level[t->level].rows && to - row <= TACO__LEVEL_TABLE_SMALL &&
           taco__tree_parent(tree, t->level, to) == m->parent) {
        to++;
    }
    taco__level_table_options(t->p, to - row <= TACO__LEVEL_TABLE_SMALL, &w);
    m->made = taco_sink_memory(&m->sink, &t->p->options, err) == TACO_OK;
    m->w = m->made ? taco_pq_write(&m->sink, t->fields, t->count, &w, err) : NULL;
    return m->w != NULL;
}

/* Writes a complete __meta__ into the container, and its place into the row of its FOLDER, in the
   level above. */
static bool taco__level_table_folder_store(taco__container_writer *p, uint32_t level, size_t row,
                                           taco_bytes bytes, taco_error *err)
{
    uint64_t offset = 0;
    uint32_t crc;
    taco__input in;
    bool ok = taco__container_write_sample_path(p, level, row, "__meta__", err);
    taco__input_from_bytes(&in, bytes);
    if (ok && p->zip) {
        ok = taco__zip_write_entry(&p->z, taco__bytes_of(p->path.data, p->path.len), &in, &offset,
                                   &crc, err);
    }
#if TACO__DIRS
    if (ok && !p->zip) {
        const char *path;
        taco_sink sink;
        ok = taco__buf_append_char(&p->path, 0, err);
        path = (const char *)p->path.data;
        if (ok && p->in_place) { /* the existing one stays until this one is complete */
            ok = taco_sink_file(&sink, path, &p->options, err) == TACO_OK;
            if (ok) {
                ok = sink.write(sink.ctx, 0, bytes.data, bytes.len);
                ok = sink.close(sink.ctx, ok) && ok;
                TACO__FAIL(ok ? NULL : err, TACO_ERR_IO, TACO_NO_OFFSET,
                           "writing __meta__ failed%s", taco__sink_cause(&sink));
            }
        } else if (ok) {
            ok = taco__dir_write_file(path, &in, p->buffer, NULL, err);
        }
    }
#endif
    if (ok) { taco__tree_set_place(p->tree, level, row, offset, bytes.len); }
    return ok;
}

/* Ends the open __meta__, if any; discards it unless `good`. */
static bool taco__level_table_folder_end(taco__level_table *t, taco__level_table_folder *m,
                                         bool good, taco_error *err)
{
    if (m->w && !good) {
        taco_pq_writer_abort(m->w);
    } else if (m->w) {
        good = taco_pq_writer_close(m->w, err) == TACO_OK &&
               taco__level_table_folder_store(t->p, t->level - 1, m->parent,
                                              taco_sink_bytes(&m->sink), err);
    }
    if (m->made) { taco_sink_free(&m->sink); }
    memset(m, 0, sizeof *m);
    return good;
}

/* Appends rows [at, at + n) of a batch that begins at row `base` to the open __meta__; all belong
   to one folder. */
static bool taco__level_table_folder_rows(taco__level_table *t, taco__level_table_folder *m,
                                          const taco_batch *batch, size_t base, size_t at, size_t n,
                                          taco_error *err)
{
    taco_batch out;
    int32_t *index;
    size_t i;
    if (!taco__buf_reset(&t->index, n * sizeof *index, err) ||
        !taco__level_table_own_columns(t, base + at, n, err)) {
        return false;
    }
    index = (int32_t *)(void *)t->index.data;
    for (i = 0; i < n; i++) {
        index[i] = (int32_t)(at + i);
    }
    for (i = 0; i < t->users; i++) {
        if (!taco__take_array(&t->folder_rows[i], &batch->columns[i], index, n, err)) {
            return false;
        }
        t->arrays[2 + i] = t->folder_rows[i].array;
    }
    memset(&out, 0, sizeof out);
    out.first_row = -1;
    out.length = n;
    out.columns = t->arrays;
    out.column_count = t->count;
    if (taco_pq_writer_batch(m->w, &out) != TACO_OK) {
        taco_pq_writer_close(m->w, err);
        m->w = NULL;
        return false;
    }
    return true;
}

/* Writes the __meta__ of all FOLDERs of the level above, in one pass over the rows of this one. */
TACO__FN bool taco__level_table_write_folders(taco__container_writer *p, uint32_t level,
                                              const taco__container_columns *src, taco_error *err)
{
    taco__level_table t;
    taco__level_table_folder m;
    size_t row = 0, rows = p->tree->level[level].rows;
    bool ok;
    memset(&m, 0, sizeof m);
    if (!taco__level_table_init(&t, p, level, true, src, err)) { return false; }
    ok = src->counts[level] == 0 || src->begin(src->ctx, level, err);
    while (ok && row < rows) {
        taco_batch b;
        size_t at = 0;
        ok = taco__level_table_next_batch(src, p->tree, level, row, &b, err);
        while (ok && at < b.length) {
            size_t to = at + 1, parent = taco__tree_parent(p->tree, level, row + at);
            while (to < b.length && taco__tree_parent(p->tree, level, row + to) == parent) {
                to++;
            }
            ok = !m.w || m.parent == parent || taco__level_table_folder_end(&t, &m, true, err);
            ok = ok && (m.w || taco__level_table_folder_begin(&t, &m, row + at, err)) &&
                 taco__level_table_folder_rows(&t, &m, &b, row, at, to - at, err);
            at = to;
        }
        row += b.length;
    }
    ok = taco__level_table_folder_end(&t, &m, ok, err) && ok;
    taco__level_table_free(&t);
    return ok;
}

/* The rows of a level being checked against the rules for their columns. */
typedef struct taco__level_table_breach {
    const taco__level_table *t;
    size_t first;     /* row of the level at which the batch begins */
    const char *told; /* column reported last: only one warning for each */
    taco_error *err;
} taco__level_table_breach;

/* taco__column_rule_report_fn: the first breach is an error, or a warning for each column. */
static bool taco__level_table_report(void *ctx, const taco_field *column, size_t row,
                                     const taco_error *what)
{
    taco__level_table_breach *b = (taco__level_table_breach *)ctx;
    const taco__container_writer *p = b->t->p;
    taco_bytes id = taco__tree_id(p->tree, b->t->level, b->first + row);
    taco_error own = *what;
    taco__error_prefix(&own, "sample %u of level %u, %q", TACO__U(b->first + row),
                       TACO__U(b->t->level), &id);
    if (p->refused) {
        *b->err = own;
        return false;
    }
    if (p->options.warn && !(b->told && strcmp(b->told, column->name) == 0)) {
        p->options.warn(p->options.warn_ctx, &own);
    }
    b->told = column->name;
    return true;
}

/* Checks the types of the user's columns; false if one is refused. */
static bool taco__level_table_check_types(const taco__level_table *t,
                                          const taco__container_columns *src, taco_error *err)
{
    const taco__container_writer *p = t->p;
    size_t i;
    for (i = 0; p->checked && i < src->counts[t->level]; i++) {
        taco_error what = {0, TACO_OK, 0, {0}};
        if (taco__column_rule_check_type(&src->fields[t->level][i], &what) == TACO_OK) { continue; }
        taco__error_prefix(&what, "level %u", TACO__U(t->level));
        if (p->refused) {
            *err = what;
            return false;
        }
        if (p->options.warn) { p->options.warn(p->options.warn_ctx, &what); }
    }
    return true;
}

/* Streams a level into its table, and adds it to the extent of the collection. */
static bool taco__level_table_write_rows(taco__level_table *t, taco_pq_writer *w,
                                         const taco__container_columns *src, taco_error *err)
{
    taco__container_writer *p = t->p;
    size_t row = 0, rows = p->tree->level[t->level].rows, i;
    taco__level_table_breach breach;
    bool ok = taco__level_table_check_types(t, src, err);
    memset(&breach, 0, sizeof breach);
    breach.t = t;
    breach.err = err;
    while (ok && row < rows) {
        taco_batch b, out;
        ok = taco__level_table_next_batch(src, p->tree, t->level, row, &b, err) &&
             taco__level_table_own_columns(t, row, b.length, err);
        breach.first = row;
        if (!ok ||
            (p->checked && !taco__column_rule_check_rows(b.columns, b.column_count, b.length,
                                                         taco__level_table_report, &breach))) {
            return false;
        }
        taco__extent_add_batch(&p->span, t->level, &b, p->mem);
        for (i = 0; i < t->users; i++) {
            t->arrays[2 + i] = b.columns[i];
        }
        memset(&out, 0, sizeof out);
        out.first_row = -1;
        out.length = b.length;
        out.columns = t->arrays;
        out.column_count = t->count;
        ok = taco_pq_writer_batch(w, &out) == TACO_OK;
        row += b.length;
    }
    return ok;
}

/* Writes METADATA/levelN.parquet. */
TACO__FN bool taco__level_table_write(taco__container_writer *p, uint32_t level,
                                      const taco__container_columns *src, taco_error *err)
{
    char name[] = "METADATA/level0.parquet";
    taco__level_table t;
    taco__zip_write_stream s;
    taco_sink sink;
    taco_pq_write_options opt;
    taco_pq_writer *w;
    bool ok;
    name[14] = (char)('0' + level);
    memset(&s, 0, sizeof s);
    if (!taco__level_table_init(&t, p, level, false, src, err)) { return false; }
    taco__level_table_options(p, false, &opt);
    ok = (src->counts[level] == 0 || src->begin(src->ctx, level, err)) &&
         taco__container_write_open_file(p, name, &s, &sink, err);
    w = ok ? taco_pq_write(&sink, t.fields, t.count, &opt, err) : NULL;
    ok = w && taco__level_table_write_rows(&t, w, src, err);
    if (w && !ok && err->code != TACO_OK) {
        taco_pq_writer_abort(w); /* the columns failed, not the writer */
    } else if (w) {
        ok = taco_pq_writer_close(w, err) == TACO_OK && ok;
    }
    p->ranges[level].offset = s.data;
    p->ranges[level].len = s.size;
    if (ok) {
        taco__log(&p->options, TACO_LOG_DEBUG, "wrote %s: %u rows", name,
                  TACO__U(p->tree->level[level].rows));
    }
    if (!ok) { taco__error_prefix(err, "%s", name); }
    taco__level_table_free(&t);
    return ok;
}
/* ==== src/write/zip_write.c ==== */
/* zip_write.c - writes an archive: local headers, central directory, ZIP64, TACO_HEADER

   In: entries in the order of the file, as inputs of a known size or streams; out: a ZIP archive
   in STORE mode whose first entry is TACO_HEADER, written last. PKWARE APPNOTE 6.3.10 §4.3
   (records), §4.4 (fields), §4.5.3 (ZIP64); TACO 2.0 §6.3.

   Order of calls: _begin (or _resume after the payload of an archive that exists), any number of
   _entry and _stream_open, _end, _free. Local headers are written as entries come, with CRC and
   size: outputs that can seek are patched, for others the CRC is computed first. There are no
   gaps between entries, so the directory needs only the name (its difference to the previous
   one), CRC and size of each: a few bytes per entry in z->entries, which _end replays into the
   central directory. */
/* #include "write.h" */
/* #include "../base/base.h" */
/* #include "../base/sink.h" */
/* #include "../base/file_copy.h" */
/* #include "../dataset/dataset.h" */

#define TACO__ZIP_WRITE_MADE_BY     0x033FU /* UNIX, version 6.3                      (§4.4.2) */
#define TACO__ZIP_WRITE_FILE_MODE   0x81A40000U /* a regular file, 0644 */
#define TACO__ZIP_WRITE_HEADER_MODE 0x01A40000U /* mode of the TACO_HEADER, as in the reference */
/* Sizes and offsets from here on are in ZIP64 fields. */
#define TACO__ZIP_WRITE_ZIP64_FROM 0xFFFFFFFFU

/* DOS time: two-second steps since 1980, in UTC; clamped to its range. */
static uint32_t taco__zip_write_dos_time(int64_t seconds)
{
    int64_t s = TACO__MIN(TACO__MAX(seconds, INT64_C(315532800)), INT64_C(4354819198));
    taco__time_civil d = taco__time_date_from_days(s / 86400);
    uint32_t t = (uint32_t)(s % 86400);
    return ((uint32_t)(d.year - 1980) << 9 | (uint32_t)d.month << 5 | (uint32_t)d.day) << 16 |
           (t / 3600 << 11 | t / 60 % 60 << 5 | t % 60 / 2);
}

/* A number of 16 bits, little-endian. */
static void taco__zip_write_put16(uint8_t *p, uint32_t x)
{
    p[0] = (uint8_t)x;
    p[1] = (uint8_t)(x >> 8);
}

#define TACO__ZIP_WRITE_VARINT_SIZE 10 /* most bytes of a number */

/* LEB128; returns the end. */
static uint8_t *taco__zip_write_put_varint(uint8_t *p, uint64_t x)
{
    for (; x >= 0x80; x >>= 7) {
        *p++ = (uint8_t)(x | 0x80);
    }
    *p++ = (uint8_t)x;
    return p;
}

/* Records what the central directory needs of the entry that begins where the last one ends: length
   of the prefix shared with the last name, length of the rest (varints), the rest, CRC (4 bytes),
   size (varint). */
TACO__FN bool taco__zip_write_note_entry(taco__zip_writer *z, taco_bytes name, uint32_t crc,
                                         uint64_t size, taco_error *err)
{
    uint8_t *p;
    size_t same = taco__bytes_common_prefix(name, taco__bytes_of(z->name.data, z->name.len));
    z->name.len = same;
    z->count++;
    if (!taco__buf_append(&z->name, name.data + same, name.len - same, err) ||
        !taco__buf_reserve(&z->entries, name.len - same + 3 * TACO__ZIP_WRITE_VARINT_SIZE + 4,
                           err)) {
        return false;
    }
    p = z->entries.data + z->entries.len;
    p = taco__zip_write_put_varint(p, same);
    p = taco__zip_write_put_varint(p, name.len - same);
    memcpy(p, name.data + same, name.len - same);
    p += name.len - same;
    taco__put_le32(p, crc);
    z->crc_at = (size_t)(p - z->entries.data);
    p = taco__zip_write_put_varint(p + 4, size);
    z->entries.len = (size_t)(p - z->entries.data);
    return true;
}

/* Sets the CRC of an entry that was noted without it; z->crc_at was `at` then. */
TACO__FN void taco__zip_write_set_crc(taco__zip_writer *z, size_t at, uint32_t crc)
{
    taco__put_le32(z->entries.data + at, crc);
}

/* Bit 11 for names that are not ASCII (§4.4.4). */
static uint32_t taco__zip_write_flags(taco_bytes name)
{
    uint8_t any = 0;
    size_t i;
    for (i = 0; i < name.len; i++) {
        any |= name.data[i];
    }
    return any & 0x80 ? 0x0800 : 0;
}

/* Size of an entry's local header: 20 bytes more for the ZIP64 extra field if the size needs it. */
TACO__FN size_t taco__zip_write_local_header_size(taco_bytes name, uint64_t size)
{
    return TACO__ZIP_LOCAL_BYTES + name.len + (size >= TACO__ZIP_WRITE_ZIP64_FROM ? 20 : 0);
}

/* Makes a local header (§4.3.7), of taco__zip_write_local_header_size bytes. Layout,
   little-endian:

        0 u32 signature   10 u32 time and date   22 u32 size, unpacked
        4 u16 version     14 u32 CRC-32          26 u16 length of the name
        6 u16 flags       18 u32 size            28 u16 length of the extra field
        8 u16 method 0                           30 the name, then the extra field

   The extra field of ZIP64 (§4.5.3), only for large entries: id 1, length 16, both sizes as u64. */
TACO__FN void taco__zip_write_local_header(const taco__zip_writer *z, uint8_t *p, taco_bytes name,
                                           uint32_t crc, uint64_t size)
{
    bool wide = size >= TACO__ZIP_WRITE_ZIP64_FROM;
    uint32_t narrow = wide ? TACO__ZIP_WRITE_ZIP64_FROM : (uint32_t)size;
    memset(p, 0, TACO__ZIP_LOCAL_BYTES);
    taco__put_le32(p, TACO__ZIP_SIG_LOCAL);
    taco__zip_write_put16(p + 4, wide ? 45 : 10);
    taco__zip_write_put16(p + 6, taco__zip_write_flags(name));
    taco__put_le32(p + 10, z->stamp);
    taco__put_le32(p + 14, crc);
    taco__put_le32(p + 18, narrow);
    taco__put_le32(p + 22, narrow);
    taco__zip_write_put16(p + 26, (uint32_t)name.len);
    taco__zip_write_put16(p + 28, wide ? 20 : 0);
    if (name.len) { memcpy(p + TACO__ZIP_LOCAL_BYTES, name.data, name.len); }
    if (wide) {
        p += TACO__ZIP_LOCAL_BYTES + name.len;
        taco__zip_write_put16(p, 1);
        taco__zip_write_put16(p + 2, 16);
        taco__put_le64(p + 4, size);
        taco__put_le64(p + 12, size);
    }
}

/* Names have a length of 16 bits (§4.4.10). */
TACO__FN bool taco__zip_write_check_name(taco_bytes name, taco_error *err)
{
    if (name.len > 0xFFFF) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "the path %q has %u bytes, an archive's has at most 65535", &name,
                   TACO__U(name.len));
        return false;
    }
    return true;
}

/* Begins an archive with space for its TACO_HEADER, which _end fills in. mtime, in seconds since
   1970, applies to all entries. out and mem belong to the caller. */
TACO__FN bool taco__zip_write_begin(taco__zip_writer *z, taco__output *out, taco__mem *mem,
                                    int64_t mtime, taco_error *err)
{
    const uint8_t blank[TACO__INDEX_HEADER_BYTES] = {0};
    memset(z, 0, sizeof *z);
    z->out = out;
    z->mem = mem;
    z->entries.mem = z->name.mem = mem;
    z->stamp = taco__zip_write_dos_time(mtime);
    return taco__output_write(out, blank, sizeof blank, err);
}

/* Continues after the first `begin` bytes of an existing archive. old_headers are the old_count
   headers of its directory to keep; they must stay valid until _end. */
TACO__FN void taco__zip_write_resume(taco__zip_writer *z, taco__output *out, taco__mem *mem,
                                     int64_t mtime, uint64_t begin, taco_bytes old_headers,
                                     uint64_t old_count)
{
    memset(z, 0, sizeof *z);
    z->out = out;
    z->mem = mem;
    z->entries.mem = z->name.mem = mem;
    z->stamp = taco__zip_write_dos_time(mtime);
    z->begin = begin;
    z->old_headers = old_headers;
    z->old_count = old_count;
    out->at = begin;
}

/* Safe on a zeroed writer; the output is not closed. */
TACO__FN void taco__zip_write_free(taco__zip_writer *z)
{
    if (z->mem) {
        taco__buf_free(&z->entries);
        taco__buf_free(&z->name);
    }
}

/* ---- entries ---- */

/* Copies the bytes of a large entry, a buffer at a time, and computes their CRC. */
static bool taco__zip_write_copy(taco__zip_writer *z, const taco__input *in, uint32_t *crc,
                                 taco_error *err)
{
    uint64_t at = 0;
    *crc = 0;
    while (at < in->size) {
        size_t n = (size_t)TACO__MIN(in->size - at, (uint64_t)TACO__OUTPUT_BYTES);
        uint8_t *p = taco__output_reserve(z->out, n, err);
        if (!p || !taco__input_read(in, at, p, n, err)) { return false; }
        *crc = taco__crc32(*crc, p, n);
        at += n;
    }
    return true;
}

/* The CRC of bytes before they are written, for outputs that cannot go back to the header. Uses the
   buffer of the output, which is flushed first. */
static bool taco__zip_write_crc(taco__zip_writer *z, const taco__input *in, uint32_t *crc,
                                taco_error *err)
{
    uint64_t at = 0;
    *crc = 0;
    if (!taco__output_flush(z->out, err)) { return false; }
    while (at < in->size) {
        size_t n = (size_t)TACO__MIN(in->size - at, (uint64_t)TACO__OUTPUT_BYTES);
        if (!taco__input_read(in, at, z->out->data, n, err)) { return false; }
        *crc = taco__crc32(*crc, z->out->data, n);
        at += n;
    }
    return true;
}

/* Header and bytes of an entry that fits into p. The CRC of a source in memory is computed in
   place, before it is copied. */
static bool taco__zip_write_small_entry(const taco__zip_writer *z, uint8_t *p, taco_bytes name,
                                        const taco__input *in, uint32_t *crc, taco_error *err)
{
    size_t len = (size_t)in->size;
    uint8_t *to = p + taco__zip_write_local_header_size(name, len);
    const void *view = in->source.view ? in->source.view(in->source.ctx, in->offset, len) : NULL;
    if (!view && !taco__input_read(in, 0, to, len, err)) { return false; }
    *crc = taco__crc32(0, view ? view : to, len);
    taco__zip_write_local_header(z, p, name, *crc, len);
    if (view) { memcpy(to, view, len); }
    return true;
}

/* Writes an entry; *offset is where its bytes begin, *crc their CRC-32. Small ones are read
   directly into the output's buffer, after their header. */
TACO__FN bool taco__zip_write_entry(taco__zip_writer *z, taco_bytes name, const taco__input *in,
                                    uint64_t *offset, uint32_t *crc, taco_error *err)
{
    size_t head = taco__zip_write_local_header_size(name, in->size);
    uint64_t at;
    uint8_t *p;
    bool ok;
    *crc = 0;
    if (!taco__zip_write_check_name(name, err)) { return false; }
    if (in->size <= TACO__OUTPUT_BYTES - head) {
        p = taco__output_reserve(z->out, head + (size_t)in->size, err);
        if (!p || !taco__zip_write_small_entry(z, p, name, in, crc, err)) { return false; }
        *offset = taco__output_position(z->out) - in->size;
        return taco__zip_write_note_entry(z, name, *crc, in->size, err);
    }
    if (!z->out->anywhere && !taco__zip_write_crc(z, in, crc, err)) { return false; }
    at = taco__output_position(z->out);
    p = taco__output_reserve(z->out, head, err);
    if (!p) { return false; }
    taco__zip_write_local_header(z, p, name, *crc, in->size);
    *offset = at + head;
    ok = taco__zip_write_copy(z, in, crc, err);
    if (ok && z->out->anywhere) {
        uint8_t sum[4];
        taco__put_le32(sum, *crc);
        ok = taco__output_patch(z->out, at + TACO__ZIP_LOCAL_CRC, sum, 4, err);
    }
    return ok && taco__zip_write_note_entry(z, name, *crc, in->size, err);
}

/* Writes the local header of an entry whose bytes the caller writes to *offset. */
TACO__FN bool taco__zip_write_gap(taco__zip_writer *z, taco_bytes name, uint64_t size, uint32_t crc,
                                  uint64_t *offset, taco_error *err)
{
    size_t head = taco__zip_write_local_header_size(name, size);
    uint8_t *p;
    if (!taco__zip_write_check_name(name, err)) { return false; }
    p = taco__output_reserve(z->out, head, err);
    if (!p) { return false; }
    taco__zip_write_local_header(z, p, name, crc, size);
    *offset = taco__output_position(z->out);
    return taco__output_skip(z->out, size, err) &&
           taco__zip_write_note_entry(z, name, crc, size, err);
}

/* sink.write of a stream: bytes come in order, without gaps. */
static bool taco__zip_write_stream_write(void *ctx, uint64_t offset, const void *src, size_t len)
{
    taco__zip_write_stream *s = (taco__zip_write_stream *)ctx;
    if (offset != s->size) { return false; }
    s->size += len;
    if (!s->z->out->anywhere) { return taco__buf_append(&s->pending, src, len, s->err); }
    s->crc = taco__crc32(s->crc, src, len);
    return taco__output_write(s->z->out, src, len, s->err);
}

/* The end of a stream: its header gets CRC and size or, if the output cannot seek, the whole entry
   is written now. */
static bool taco__zip_write_stream_finish(taco__zip_write_stream *s)
{
    taco_bytes name = taco__bytes_of(s->name.data, s->name.len);
    uint8_t head[12];
    taco__input in;
    if (!s->z->out->anywhere) {
        taco__input_from_bytes(&in, taco__bytes_of(s->pending.data, s->pending.len));
        return taco__zip_write_entry(s->z, name, &in, &s->data, &s->crc, s->err);
    }
    if (s->size >= TACO__ZIP_WRITE_ZIP64_FROM) {
        TACO__FAIL(s->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "%q has %u bytes, metadata has less than 2^32", &name, s->size);
        return false;
    }
    taco__put_le32(head, s->crc);
    taco__put_le32(head + 4, (uint32_t)s->size);
    taco__put_le32(head + 8, (uint32_t)s->size);
    return taco__output_patch(s->z->out, s->head + TACO__ZIP_LOCAL_CRC, head, sizeof head,
                              s->err) &&
           taco__zip_write_note_entry(s->z, name, s->crc, s->size, s->err);
}

/* sink.close of a stream: completes the entry if it is kept, frees in any case. */
static bool taco__zip_write_stream_close(void *ctx, bool keep)
{
    taco__zip_write_stream *s = (taco__zip_write_stream *)ctx;
    bool ok = !keep || taco__zip_write_stream_finish(s);
    taco__buf_free(&s->pending);
    taco__buf_free(&s->name);
    return ok;
}

/* Begins an entry of unknown size. Until the sink is closed nothing else may be written; then
   s->data and s->size are its place. Outputs that cannot seek keep it in memory until then, so use
   it only for metadata. */
TACO__FN bool taco__zip_write_stream_open(taco__zip_write_stream *s, taco__zip_writer *z,
                                          taco_bytes name, taco_sink *out, taco_error *err)
{
    uint8_t *p;
    size_t head = taco__zip_write_local_header_size(name, 0);
    memset(s, 0, sizeof *s);
    s->z = z;
    s->err = err;
    s->pending.mem = s->name.mem = z->mem;
    memset(out, 0, sizeof *out);
    out->ctx = s;
    out->write = taco__zip_write_stream_write;
    out->close = taco__zip_write_stream_close;
    if (!taco__zip_write_check_name(name, err) ||
        !taco__buf_append(&s->name, name.data, name.len, err)) {
        return false;
    }
    if (z->out->anywhere) {
        s->head = taco__output_position(z->out);
        p = taco__output_reserve(z->out, head, err);
        if (!p) { return false; }
        taco__zip_write_local_header(z, p, name, 0, 0);
        s->data = s->head + head;
    }
    return true;
}

/* ---- the end ---- */

/* One header of the central directory (§4.3.12); *local, where its entry begins, is moved to the
   next one. Offset 0 is TACO_HEADER. Layout: as a local header from byte 6 on, after signature,
   version made by and version needed; then comment length, disk, attributes and the offset:

        8 u16 flags    16 u32 CRC-32     28 u16 length of the name   38 u32 mode
       10 u16 method   20 u32 size       30 u16 length of extra      42 u32 local header
       12 u32 time     24 u32 unpacked   32 u16 of the comment       46 name, extra field

   Sizes and offset from 2^32 - 1 on are in the extra field, in this order, those that are
   needed. */
static bool taco__zip_write_central_header(taco__zip_writer *z, taco_bytes name, uint32_t crc,
                                           uint64_t size, uint64_t *local, taco_error *err)
{
    bool wide = size >= TACO__ZIP_WRITE_ZIP64_FROM, far = *local >= TACO__ZIP_WRITE_ZIP64_FROM;
    size_t extra = wide || far ? 4U + (wide ? 16U : 0U) + (far ? 8U : 0U) : 0;
    uint8_t *p = taco__output_reserve(z->out, TACO__ZIP_CENTRAL_BYTES + name.len + extra, err);
    if (!p) { return false; }
    memset(p, 0, TACO__ZIP_CENTRAL_BYTES);
    taco__put_le32(p, TACO__ZIP_SIG_CENTRAL);
    taco__zip_write_put16(p + 4, TACO__ZIP_WRITE_MADE_BY);
    taco__zip_write_put16(p + 6, extra ? 45 : 10);
    taco__zip_write_put16(p + 8, taco__zip_write_flags(name));
    taco__put_le32(p + 12, z->stamp);
    taco__put_le32(p + 16, crc);
    taco__put_le32(p + 20, wide ? TACO__ZIP_WRITE_ZIP64_FROM : (uint32_t)size);
    taco__put_le32(p + 24, wide ? TACO__ZIP_WRITE_ZIP64_FROM : (uint32_t)size);
    taco__zip_write_put16(p + 28, (uint32_t)name.len);
    taco__zip_write_put16(p + 30, (uint32_t)extra);
    taco__put_le32(p + 38, *local ? TACO__ZIP_WRITE_FILE_MODE : TACO__ZIP_WRITE_HEADER_MODE);
    taco__put_le32(p + 42, far ? TACO__ZIP_WRITE_ZIP64_FROM : (uint32_t)*local);
    memcpy(p + TACO__ZIP_CENTRAL_BYTES, name.data, name.len);
    if (extra) {
        p += TACO__ZIP_CENTRAL_BYTES + name.len;
        taco__zip_write_put16(p, 1);
        taco__zip_write_put16(p + 2, (uint32_t)extra - 4);
        if (wide) {
            taco__put_le64(p + 4, size);
            taco__put_le64(p + 12, size);
        }
        if (far) { taco__put_le64(p + extra - 8, *local); }
    }
    *local += taco__zip_write_local_header_size(name, size) + size;
    return true;
}

/* The end records (§4.3.14 to §4.3.16) of a directory of `size` bytes at `at`. Those of ZIP64
   come first, and only if a number needs them: its end record (56 bytes: entries at 24 and
   32, size at 40, offset at 48), its locator (20 bytes: offset of the former at 8). The old
   record has the largest numbers it can hold instead. */
static bool taco__zip_write_end_records(taco__zip_writer *z, uint64_t at, uint64_t size,
                                        taco_error *err)
{
    uint64_t count = z->old_count + z->count + 1;
    bool wide =
        count >= 0xFFFF || at >= TACO__ZIP_WRITE_ZIP64_FROM || size >= TACO__ZIP_WRITE_ZIP64_FROM;
    uint8_t b[TACO__ZIP_EOCD64_BYTES + TACO__ZIP_LOCATOR_BYTES + TACO__ZIP_EOCD_BYTES], *p = b;
    memset(b, 0, sizeof b);
    if (wide) {
        taco__put_le32(p, TACO__ZIP_SIG_EOCD64);
        taco__put_le64(p + 4, TACO__ZIP_EOCD64_BYTES - 12);
        taco__zip_write_put16(p + 12, TACO__ZIP_WRITE_MADE_BY);
        taco__zip_write_put16(p + 14, 45);
        taco__put_le64(p + 24, count);
        taco__put_le64(p + 32, count);
        taco__put_le64(p + 40, size);
        taco__put_le64(p + 48, at);
        p += TACO__ZIP_EOCD64_BYTES;
        taco__put_le32(p, TACO__ZIP_SIG_LOCATOR);
        taco__put_le64(p + 8, at + size);
        taco__put_le32(p + 16, 1);
        p += TACO__ZIP_LOCATOR_BYTES;
    }
    taco__put_le32(p, TACO__ZIP_SIG_EOCD);
    taco__zip_write_put16(p + 8, (uint32_t)TACO__MIN(count, (uint64_t)0xFFFF));
    taco__zip_write_put16(p + 10, (uint32_t)TACO__MIN(count, (uint64_t)0xFFFF));
    taco__put_le32(p + 12, (uint32_t)TACO__MIN(size, (uint64_t)TACO__ZIP_WRITE_ZIP64_FROM));
    taco__put_le32(p + 16, (uint32_t)TACO__MIN(at, (uint64_t)TACO__ZIP_WRITE_ZIP64_FROM));
    p += TACO__ZIP_EOCD_BYTES;
    return taco__output_write(z->out, b, (size_t)(p - b), err);
}

/* Makes TACO_HEADER (§6.3) with its local header: 157 bytes in all, so that its payload is at a
   fixed place. Payload: u8 number of ranges n, three zeros, then n times u64 offset and u64
   length: levels from 0 on, COLLECTION.json last; at most 7. Returns the CRC of the payload. */
TACO__FN uint32_t taco__zip_write_taco_header(const taco__zip_writer *z, const taco__range *ranges,
                                              size_t n, uint8_t out[TACO__INDEX_HEADER_BYTES])
{
    uint8_t *p = out + TACO__INDEX_HEADER_BYTES - TACO__INDEX_PAYLOAD_BYTES;
    uint32_t crc;
    size_t i;
    memset(out, 0, TACO__INDEX_HEADER_BYTES);
    p[0] = (uint8_t)n;
    for (i = 0; i < n; i++) {
        taco__put_le64(p + 4 + 16 * i, ranges[i].offset);
        taco__put_le64(p + 12 + 16 * i, ranges[i].len);
    }
    crc = taco__crc32(0, p, TACO__INDEX_PAYLOAD_BYTES);
    taco__zip_write_local_header(z, out, taco__bytes_text("TACO_HEADER"), crc,
                                 TACO__INDEX_PAYLOAD_BYTES);
    return crc;
}

/* Ends the archive: directory, end records, and finally TACO_HEADER at the front. */
TACO__FN bool taco__zip_write_end(taco__zip_writer *z, const taco__range *ranges, size_t n,
                                  taco_error *err)
{
    uint8_t header[TACO__INDEX_HEADER_BYTES];
    uint32_t crc = taco__zip_write_taco_header(z, ranges, n, header);
    uint64_t at = taco__output_position(z->out), local = 0, i;
    taco__byte_reader c = taco__byte_reader_init(taco__bytes_of(z->entries.data, z->entries.len));
    bool ok = taco__zip_write_central_header(z, taco__bytes_text("TACO_HEADER"), crc,
                                             TACO__INDEX_PAYLOAD_BYTES, &local, err);
    z->name.len = 0;
    if (z->begin) {
        local = z->begin;
        ok = ok && taco__output_write(z->out, z->old_headers.data, z->old_headers.len, err);
    }
    for (i = 0; ok && i < z->count; i++) {
        size_t rest;
        const uint8_t *p;
        z->name.len = (size_t)taco__byte_reader_varint(&c);
        rest = (size_t)taco__byte_reader_varint(&c);
        p = taco__byte_reader_take(&c, rest);
        ok = p && taco__buf_append(&z->name, p, rest, err);
        if (ok) {
            crc = taco__byte_reader_le32(&c);
            ok = taco__zip_write_central_header(z, taco__bytes_of(z->name.data, z->name.len), crc,
                                                taco__byte_reader_varint(&c), &local, err);
        }
    }
    return ok && taco__zip_write_end_records(z, at, taco__output_position(z->out) - at, err) &&
           taco__output_flush(z->out, err) &&
           taco__output_patch(z->out, 0, header, sizeof header, err);
}
/* ==== src/write/payload_ranges.c ==== */
/* payload_ranges.c - makes sure that no more payload is written than the source has

   Rows of a hostile archive can all name the same bytes: a file of a few megabytes would become an
   output of any size. So every range that is copied from an archive is recorded: together they may
   not have more bytes than the archive and, as checked when all have been copied, no two may
   overlap. If limits.max_output is given, bytes may be shared, up to that total. Start with
   taco__payload_ranges_add. */
/* #include "write.h" */
/* #include "../base/base.h" */
/* #include "../base/file_copy.h" */

/* An archive and what was copied from it. */
typedef struct taco__payload_source {
    uint64_t archive; /* taco__input.archive */
    uint64_t size, used;
    taco__buf ranges; /* taco__range */
} taco__payload_source;

/* The archives so far. */
static taco__payload_source *taco__payload_ranges_list(const taco__payload_ranges *p, size_t *n)
{
    *n = p->sources.len / sizeof(taco__payload_source);
    return (taco__payload_source *)(void *)p->sources.data;
}

/* The entry of an archive, added if it is new; rows of one archive are usually adjacent. NULL if
   out of memory. */
static taco__payload_source *taco__payload_ranges_find(taco__payload_ranges *p,
                                                       const taco__input *in, taco_error *err)
{
    taco__payload_source s, *list;
    size_t n, i;
    list = taco__payload_ranges_list(p, &n);
    if (p->last < n && list[p->last].archive == in->archive) { return &list[p->last]; }
    for (i = 0; i < n && list[i].archive != in->archive; i++) {}
    p->last = i;
    if (i == n) {
        memset(&s, 0, sizeof s);
        s.archive = in->archive;
        s.size = in->source.size;
        s.ranges.mem = p->mem;
        if (!taco__buf_append(&p->sources, &s, sizeof s, err)) { return NULL; }
        list = taco__payload_ranges_list(p, &n);
    }
    return &list[i];
}

/* Must be called before the bytes of a sample are copied. */
TACO__FN bool taco__payload_ranges_add(taco__payload_ranges *p, const taco__input *in,
                                       taco_bytes id, taco_error *err)
{
    taco__payload_source *s;
    taco__range r;
    if (p->most) {
        if (!taco__checked_range(p->total, in->size, p->most)) {
            TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                       "sample %q: %u bytes of payload with it, limits.max_output is %u", &id,
                       p->total + TACO__MIN(in->size, UINT64_MAX - p->total), p->most);
            return false;
        }
        p->total += in->size;
        return true;
    }
    if (!in->archive || in->size == 0) { return true; }
    s = taco__payload_ranges_find(p, in, err);
    if (!s) { return false; }
    if (!taco__checked_range(s->used, in->size, s->size)) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, in->offset,
                   "sample %q: the samples have more bytes than the %u of the file, so that some "
                   "share theirs; limits.max_output allows that",
                   &id, s->size);
        return false;
    }
    s->used += in->size;
    r.offset = in->offset;
    r.len = in->size;
    return taco__buf_append(&s->ranges, &r, sizeof r, err);
}

static int taco__payload_ranges_compare(const void *ctx, const void *a, const void *b)
{
    uint64_t x = ((const taco__range *)a)->offset, y = ((const taco__range *)b)->offset;
    (void)ctx;
    return (x > y) - (x < y);
}

/* CORRUPT if two ranges of one archive overlap. */
TACO__FN bool taco__payload_ranges_check(const taco__payload_ranges *p, taco_error *err)
{
    size_t n, i, k, count;
    const taco__payload_source *list = taco__payload_ranges_list(p, &n);
    for (i = 0; i < n; i++) {
        taco__range *r = (taco__range *)(void *)list[i].ranges.data;
        count = list[i].ranges.len / sizeof *r;
        if (!taco__sort_in(list[i].ranges.mem, r, count, sizeof *r, taco__payload_ranges_compare,
                           NULL, err)) {
            return false;
        }
        for (k = 1; k < count; k++) {
            if (r[k].offset < r[k - 1].offset + r[k - 1].len) {
                TACO__FAIL(err, TACO_ERR_CORRUPT, r[k].offset,
                           "two samples share bytes: %u from %u and %u from %u; limits.max_output "
                           "allows that",
                           r[k - 1].len, r[k - 1].offset, r[k].len, r[k].offset);
                return false;
            }
        }
    }
    return true;
}

TACO__FN void taco__payload_ranges_free(taco__payload_ranges *p)
{
    size_t n, i;
    taco__payload_source *list = taco__payload_ranges_list(p, &n);
    for (i = 0; i < n; i++) {
        taco__buf_free(&list[i].ranges);
    }
    taco__buf_free(&p->sources);
}
/* ==== src/write/payload_batch.c ==== */
/* payload_batch.c - the bytes of many samples, read, summed and written by the host's parallel_for

   In: samples one by one, in order, with the size of each; out: the same bytes in the same places
   as container_write.c writes alone. Only that program's own files are read and written by tasks:
   sources and sinks of the caller are called from the calling thread (taco_options.parallel_for).

   Archives: places follow from sizes, so a sample gets its place, its local header and its line in
   the directory at once, and its CRC later. There are two buffers. Bytes of samples, in steps of
   TACO__OUTPUT_BYTES (items), have their places in one; when it is full, a round of tasks reads and
   sums them, while one task writes the other buffer, since a file takes one writer at a time. Then
   the buffers change roles. FOLDERs: an item is a file, which a task makes.

   After a round the calling thread goes through the items in order (taco__payload_batch_retire):
   CRCs of a sample's items are joined, progress is reported, and the first failure is the one that
   one thread would have met. Start with taco__payload_batch_add. */
/* #include "write.h" */
/* #include "../base/base.h" */
/* #include "../base/sink.h" */
/* #include "../base/file_copy.h" */
/* #include "../dataset/cursor.h" */
/* #include "../validate/validate.h" */

/* Bytes of a buffer. Tests use fewer. */
#ifndef TACO__PAYLOAD_BATCH_BYTES
#define TACO__PAYLOAD_BATCH_BYTES ((size_t)1048576)
#endif
/* Bytes or files written by the calling thread alone before threads are worth waking. */
#ifndef TACO__PAYLOAD_BATCH_AFTER
#define TACO__PAYLOAD_BATCH_AFTER       ((uint64_t)8 << 20)
#define TACO__PAYLOAD_BATCH_AFTER_FILES ((uint64_t)1024)
/* Fewer bytes are not read by several tasks. */
#define TACO__PAYLOAD_BATCH_LEAST ((uint64_t)131072)
#endif
#define TACO__PAYLOAD_BATCH_ITEMS 1024
#define TACO__PAYLOAD_BATCH_FILES 64 /* open for items */
#define TACO__PAYLOAD_BATCH_WIDTH 8
/* Tasks of a round for its items: reading for one writer does not keep more busy, and those that
   wait cost time, too. In a FOLDER each has a file of its own. */
#define TACO__PAYLOAD_BATCH_READERS 4
#define TACO__PAYLOAD_BATCH_TASKS   (2 * TACO__PAYLOAD_BATCH_WIDTH)
/* Bytes of a round of files of a FOLDER, and what opening a file costs, in bytes copied. */
#define TACO__PAYLOAD_BATCH_ROUND ((uint64_t)64 << 20)
#define TACO__PAYLOAD_BATCH_OPEN  ((uint64_t)16384)
/* Fewer bytes are summed when they are read, while they are in the nearest cache; a file with more
   is read by tasks even if it must be complete when the call returns. */
#define TACO__PAYLOAD_BATCH_NEAR 16384
#define TACO__PAYLOAD_BATCH_FAR  ((uint64_t)1 << 20)

/* Bytes of a sample in a buffer, or a file of a FOLDER. */
typedef struct taco__payload_batch_item {
    taco__input in;  /* own: in the last item of a sample */
    uint64_t size;   /* of the input, which may be closed already */
    uint64_t at;     /* of the bytes in the input */
    size_t len;      /* 0 in a FOLDER */
    uint8_t *to;     /* archive: where the bytes belong */
    size_t path;     /* FOLDER: where its path begins in `paths` */
    uint64_t header; /* archive: position of the local header */
    size_t note;     /* archive: taco__zip_writer.crc_at */
    size_t row;
    uint32_t level, crc;
    bool first, last; /* of its sample */
    bool read, summed;
    bool has_wanted; /* the CRC that the sample must have is known */
    uint32_t wanted;
} taco__payload_batch_item;

typedef struct taco__payload_batch_task {
    size_t first, end; /* items */
    bool ok;           /* if not: item `end` failed */
    uint8_t *buffer;   /* FOLDER: for copies */
    taco_error err;
} taco__payload_batch_task;

struct taco__payload_batch {
    taco__output *out;
    taco__mem *mem;
    bool zip;
    /* archive: the buffer being filled, which begins at out->at, and the one to be written */
    uint8_t *fill, *full;
    size_t used, full_len;
    uint64_t full_at;
    bool written;
    taco_error write_error;
    taco__payload_batch_item *items;
    size_t count, files; /* files: inputs that items have open */
    uint64_t bytes;      /* of the items */
    uint32_t crc;        /* of the sample whose items are being joined */
    taco__buf paths;
    taco__payload_batch_task tasks[TACO__PAYLOAD_BATCH_TASKS];
    size_t task_count, task_most;
    void (*extra)(void *arg, size_t i);
    void *extra_arg;
};

/* ---- begin and end ---- */

/* Drops all items, closing their inputs. */
static void taco__payload_batch_drop(taco__payload_batch *b)
{
    size_t i;
    for (i = 0; i < b->count; i++) {
        taco__input_close(&b->items[i].in);
    }
    b->count = b->files = 0;
    b->bytes = 0;
    b->paths.len = 0;
}

/* Frees the batch, if there is one; what it holds is lost. */
TACO__FN void taco__payload_batch_free(taco__container_writer *p)
{
    taco__payload_batch *b = p->batch;
    size_t i;
    if (!b) { return; }
    taco__payload_batch_drop(b);
    taco__mem_free(b->mem, b->fill, TACO__PAYLOAD_BATCH_BYTES);
    taco__mem_free(b->mem, b->full, TACO__PAYLOAD_BATCH_BYTES);
    for (i = 0; i < TACO__PAYLOAD_BATCH_TASKS; i++) {
        taco__mem_free(b->mem, b->tasks[i].buffer, TACO__OUTPUT_BYTES);
    }
    taco__mem_free(b->mem, b->items, TACO__PAYLOAD_BATCH_ITEMS * sizeof *b->items);
    taco__buf_free(&b->paths);
    taco__mem_free(b->mem, b, sizeof *b);
    p->batch = NULL;
}

/* Memory for a batch; false if there is none. */
static bool taco__payload_batch_alloc(taco__container_writer *p, size_t width)
{
    taco__payload_batch *b = (taco__payload_batch *)taco__mem_alloc(p->mem, sizeof *b, NULL);
    size_t i;
    bool ok = true;
    if (!b) { return false; }
    p->batch = b;
    b->mem = b->paths.mem = p->mem;
    b->task_most = p->zip ? TACO__PAYLOAD_BATCH_READERS : 2 * width;
    b->out = &p->out;
    b->zip = p->zip;
    b->items = (taco__payload_batch_item *)taco__mem_alloc(
        p->mem, TACO__PAYLOAD_BATCH_ITEMS * sizeof *b->items, NULL);
    if (p->zip) { /* not cleared: they are filled by tasks */
        b->fill = (uint8_t *)taco__mem_resize(p->mem, NULL, 0, TACO__PAYLOAD_BATCH_BYTES, NULL);
        b->full = (uint8_t *)taco__mem_resize(p->mem, NULL, 0, TACO__PAYLOAD_BATCH_BYTES, NULL);
        ok = b->fill && b->full;
    }
    for (i = 0; ok && !p->zip && i < b->task_most; i++) {
        b->tasks[i].buffer = (uint8_t *)taco__mem_resize(p->mem, NULL, 0, TACO__OUTPUT_BYTES, NULL);
        ok = b->tasks[i].buffer != NULL;
    }
    if (ok && b->items) { return true; }
    taco__payload_batch_free(p);
    return false;
}

/* Whether tasks may read the input, in place or with a call of the system. */
static bool taco__payload_batch_may_read(const taco__container_writer *p, const taco__input *in)
{
    return (p->zip && in->source.view) || taco__input_tasks_may_read(in);
}

/* Begins a batch if that pays: enough is written with this input (NULL: with many that follow),
   which tasks may read, the host has threads, and there is plenty of memory. False if the output
   fails. */
TACO__FN bool taco__payload_batch_begin(taco__container_writer *p, const taco__input *in,
                                        taco_error *err)
{
    const uint64_t memory =
        2 * TACO__PAYLOAD_BATCH_BYTES + TACO__PAYLOAD_BATCH_TASKS * TACO__OUTPUT_BYTES;
    size_t width = taco__tasks_width(&p->options, TACO__PAYLOAD_BATCH_WIDTH);
    uint64_t size = in ? in->size : 0,
             left = p->mem->limit - TACO__MIN(p->mem->used, p->mem->limit);
    if (p->batch || width < 2 || p->alone || (p->zip && !p->out.anywhere) ||
        (in && !((in->later || size >= TACO__PAYLOAD_BATCH_FAR) &&
                 taco__payload_batch_may_read(p, in)))) {
        return true;
    }
    if (p->payload < TACO__PAYLOAD_BATCH_AFTER && size < TACO__PAYLOAD_BATCH_AFTER &&
        p->files < TACO__PAYLOAD_BATCH_AFTER_FILES && in) {
        return true;
    }
    p->alone = left / 8 < memory || !taco__payload_batch_alloc(p, width);
    return p->alone || !p->zip || taco__output_flush(&p->out, err);
}

/* ---- tasks ---- */

/* Reads and sums the bytes of an item, or makes its file. Bytes of a source in memory are summed
   before they are copied; without a view they are left to the calling thread. */
static bool taco__payload_batch_run_item(taco__payload_batch *b, taco__payload_batch_item *item,
                                         taco__payload_batch_task *t)
{
    taco__input *in = &item->in;
    const void *view;
    if (item->summed) { return true; }
#if TACO__DIRS
    if (!b->zip) {
        item->summed = taco__dir_write_file((const char *)b->paths.data + item->path, in, t->buffer,
                                            &item->crc, &t->err);
        if (item->summed) { taco__input_close(in); }
        return item->summed;
    }
#else
    (void)b;
#endif
    if (!item->read && in->source.view) {
        view = in->source.view(in->source.ctx, in->offset + item->at, item->len);
        if (!view) { return true; }
        item->crc = taco__crc32(0, view, item->len);
        memcpy(item->to, view, item->len);
        item->read = item->summed = true;
        return true;
    }
    if (!item->read && !taco__input_read(in, item->at, item->to, item->len, &t->err)) {
        return false;
    }
    item->crc = taco__crc32(0, item->to, item->len);
    item->read = item->summed = true;
    /* otherwise other tasks may be reading the same file */
    if (item->first && item->last) { taco__input_close(in); }
    return true;
}

/* Runs the items of a task, up to the first that fails. */
static void taco__payload_batch_run(taco__payload_batch *b, taco__payload_batch_task *t)
{
    size_t i;
    for (i = t->first; t->ok && i < t->end; i++) {
        t->ok = taco__payload_batch_run_item(b, &b->items[i], t);
        if (!t->ok) { t->end = i; }
    }
}

static void taco__payload_batch_write(taco__payload_batch *b)
{
    b->written = taco__output_write_at(b->out, b->full_at, b->full, b->full_len, &b->write_error);
}

/* Task 0 writes the full buffer, if there is one, as that takes longest. */
static void taco__payload_batch_task_run(void *arg, size_t i)
{
    taco__payload_batch *b = (taco__payload_batch *)arg;
    size_t writes = b->full_len != 0;
    if (i < writes) {
        taco__payload_batch_write(b);
    } else if (i - writes < b->task_count) {
        taco__payload_batch_run(b, &b->tasks[i - writes]);
    } else {
        b->extra(b->extra_arg, i - writes - b->task_count);
    }
}

/* Divides the items among at most `most` tasks: adjacent ones, of equal costs. */
static void taco__payload_batch_divide(taco__payload_batch *b, size_t most)
{
    size_t i;
    uint64_t total = b->bytes + b->count * TACO__PAYLOAD_BATCH_OPEN, share = total / most + 1,
             sum = share;
    b->task_count = 0;
    for (i = 0; i < b->count; i++) {
        taco__payload_batch_task *t = &b->tasks[b->task_count ? b->task_count - 1 : 0];
        if (sum >= share) {
            t = &b->tasks[b->task_count++];
            t->first = i;
            t->ok = true;
            memset(&t->err, 0, sizeof t->err);
            sum = 0;
        }
        t->end = i + 1;
        sum += (b->zip ? b->items[i].len : b->items[i].size) + TACO__PAYLOAD_BATCH_OPEN;
    }
}

/* ---- rounds ---- */

/* The sample of an item has been stored. */
static bool taco__payload_batch_complete(taco__container_writer *p, taco__payload_batch_item *item,
                                         taco_error *err)
{
    taco__payload_batch *b = p->batch;
    uint8_t sum[4];
    bool ok = taco__zip_check_copied(&p->options, item->has_wanted, item->wanted,
                                     b->zip ? b->crc : item->crc,
                                     taco__tree_id(p->tree, item->level, item->row), err);
    if (ok && b->zip) {
        taco__put_le32(sum, b->crc);
        taco__zip_write_set_crc(&p->z, item->note, b->crc);
        if (item->header >= b->out->at) {
            memcpy(b->fill + (size_t)(item->header - b->out->at) + TACO__ZIP_LOCAL_CRC, sum, 4);
        } else {
            ok = taco__output_write_at(b->out, item->header + TACO__ZIP_LOCAL_CRC, sum, 4, err);
        }
        b->crc = 0;
    }
    taco__input_close(&item->in);
    return ok && taco__container_write_stored(p, item->size, err);
}

/* What is left to do for an item after a round, in order. */
static bool taco__payload_batch_retire_item(taco__container_writer *p,
                                            taco__payload_batch_item *item, taco_error *err)
{
    taco__payload_batch *b = p->batch;
    if (!item->summed) { /* tasks cannot read its source */
        if (!taco__input_read(&item->in, item->at, item->to, item->len, err)) { return false; }
        item->crc = taco__crc32(0, item->to, item->len);
    }
    b->crc = taco__check_payloads_join(b->crc, item->crc, item->len);
    return !item->last || taco__payload_batch_complete(p, item, err);
}

/* Goes through the items of a round, which are dropped. A failure names the sample it is about in
   p->failed. */
static bool taco__payload_batch_retire(taco__container_writer *p, taco_error *err)
{
    taco__payload_batch *b = p->batch;
    size_t i, task = 0;
    bool ok = true;
    for (i = 0; ok && i < b->count; i++) {
        taco__payload_batch_task *t;
        while (task + 1 < b->task_count && b->tasks[task + 1].first <= i) {
            task++;
        }
        t = &b->tasks[task];
        ok = t->ok || i < t->end;
        if (!ok) {
            *err = t->err;
        } else {
            ok = taco__payload_batch_retire_item(p, &b->items[i], err);
        }
        if (!ok) {
            p->failed.known = true;
            p->failed.level = b->items[i].level;
            p->failed.row = b->items[i].row;
        }
    }
    taco__payload_batch_drop(b);
    return ok;
}

/* Runs tasks for all items, the full buffer, and n others of the caller. */
static bool taco__payload_batch_round(taco__container_writer *p, size_t n, taco_error *err)
{
    taco__payload_batch *b = p->batch;
    bool writes = b->full_len != 0, pays;
    taco__payload_batch_divide(b, n ? b->task_most / 2 : b->task_most);
    n += b->task_count + (writes ? 1U : 0U);
    b->written = true;
    memset(&b->write_error, 0, sizeof b->write_error);
    pays = writes || n > b->task_count || b->bytes >= TACO__PAYLOAD_BATCH_LEAST;
    taco__tasks_run(pays ? &p->options : NULL, n, taco__payload_batch_task_run, b);
    b->full_len = 0;
    if (!b->written) { /* samples before those of the items */
        *err = b->write_error;
        taco__payload_batch_drop(b);
        return false;
    }
    return taco__payload_batch_retire(p, err);
}

/* Reads what items still refer to: their sources may be closed afterwards. */
TACO__FN bool taco__payload_batch_settle(taco__container_writer *p, taco_error *err)
{
    return !p->batch || !p->batch->count || taco__payload_batch_round(p, 0, err);
}

/* Runs n tasks of the caller's, and what there is to do. */
TACO__FN bool taco__payload_batch_run_also(taco__container_writer *p, size_t n,
                                           void (*task)(void *arg, size_t i), void *arg,
                                           taco_error *err)
{
    if (!p->batch) {
        taco__tasks_run(&p->options, n, task, arg);
        return true;
    }
    p->batch->extra = task;
    p->batch->extra_arg = arg;
    return taco__payload_batch_round(p, n, err);
}

/* After a round: the buffers change roles. */
static bool taco__payload_batch_turn(taco__container_writer *p, taco_error *err)
{
    taco__payload_batch *b = p->batch;
    uint8_t *fill = b->fill;
    if ((b->count || b->full_len) && !taco__payload_batch_round(p, 0, err)) { return false; }
    b->fill = b->full;
    b->full = fill;
    b->full_at = b->out->at;
    b->full_len = b->used;
    b->out->at += b->used;
    b->used = 0;
    return true;
}

/* Reads and writes all that is left, and frees the batch: the output continues after it. */
TACO__FN bool taco__payload_batch_end(taco__container_writer *p, taco_error *err)
{
    bool ok = true;
    if (!p->batch) { return true; }
    if (p->batch->zip) {
        ok = taco__payload_batch_turn(p, err) &&
             (!p->batch->full_len || taco__payload_batch_round(p, 0, err));
    } else {
        ok = taco__payload_batch_settle(p, err);
    }
    taco__payload_batch_free(p);
    return ok;
}

/* After a failure elsewhere: an earlier sample, whose bytes had yet to be read, may have failed,
   and that failure takes its place. False if there is none. */
TACO__FN bool taco__payload_batch_blame_earlier(taco__container_writer *p, taco_error *err)
{
    taco_error earlier = {0, TACO_OK, 0, {0}};
    if (taco__payload_batch_settle(p, &earlier)) { return false; }
    *err = earlier;
    return true;
}

/* ---- samples ---- */

/* The next item of a sample, of len bytes of its input; those of an archive get the next len bytes
   of the buffer. */
static taco__payload_batch_item *
taco__payload_batch_append(taco__payload_batch *b, const taco__input *in, uint64_t at, size_t len)
{
    taco__payload_batch_item *item = &b->items[b->count++];
    memset(item, 0, sizeof *item);
    item->in = *in;
    item->in.own = false;
    item->size = in->size;
    item->at = at;
    item->len = len;
    item->first = at == 0;
    item->last = at + len == in->size;
    item->has_wanted = in->has_crc;
    item->wanted = in->crc;
    b->bytes += len;
    return item;
}

/* The last item of a sample closes the input. */
static void taco__payload_batch_take(taco__payload_batch *b, taco__payload_batch_item *item,
                                     taco__input *in)
{
    b->files += in->own;
    item->in.own = in->own;
    in->own = false;
}

/* A file of a FOLDER, at p->path, which ends with a NUL. Inputs that tasks cannot read, or that
   must be read now, are copied at once. */
static bool taco__payload_batch_add_file(taco__container_writer *p, uint32_t level, size_t row,
                                         taco__input *in, taco_error *err)
{
    taco__payload_batch *b = p->batch;
    taco__payload_batch_item *item;
    size_t path;
#if TACO__DIRS
    if (!in->later || !taco__input_tasks_may_read(in)) {
        uint32_t crc = 0;
        return taco__payload_batch_settle(p, err) &&
               taco__dir_write_file((const char *)p->path.data, in, p->buffer, &crc, err) &&
               taco__zip_check_copied(&p->options, in->has_crc, in->crc, crc,
                                      taco__tree_id(p->tree, level, row), err) &&
               taco__container_write_stored(p, in->size, err);
    }
#endif
    if ((b->count == TACO__PAYLOAD_BATCH_ITEMS || b->files == TACO__PAYLOAD_BATCH_FILES ||
         b->bytes >= TACO__PAYLOAD_BATCH_ROUND) &&
        !taco__payload_batch_round(p, 0, err)) {
        return false;
    }
    path = b->paths.len;
    if (!taco__buf_append(&b->paths, p->path.data, p->path.len, err)) { return false; }
    item = taco__payload_batch_append(b, in, 0, 0);
    item->last = true;
    item->path = path;
    item->level = level;
    item->row = row;
    b->bytes += in->size;
    taco__payload_batch_take(b, item, in);
    return true;
}

/* Room in the buffer for len bytes and an item. */
static bool taco__payload_batch_reserve(taco__container_writer *p, size_t len, taco_error *err)
{
    const taco__payload_batch *b = p->batch;
    return (len <= TACO__PAYLOAD_BATCH_BYTES - b->used && b->count < TACO__PAYLOAD_BATCH_ITEMS &&
            b->files < TACO__PAYLOAD_BATCH_FILES) ||
           taco__payload_batch_turn(p, err);
}

/* The bytes of a sample after its header, step by step. now: they are read by the calling thread,
   into their places. */
static bool taco__payload_batch_add_bytes(taco__container_writer *p,
                                          const taco__payload_batch_item *sample, taco__input *in,
                                          bool now, taco_error *err)
{
    taco__payload_batch *b = p->batch;
    uint64_t at = 0;
    do {
        size_t n = (size_t)TACO__MIN(in->size - at, (uint64_t)TACO__OUTPUT_BYTES);
        taco__payload_batch_item *item;
        if (!taco__payload_batch_reserve(p, n, err)) { return false; }
        if (now && !taco__input_read(in, at, b->fill + b->used, n, err)) { return false; }
        item = taco__payload_batch_append(b, in, at, n);
        item->to = b->fill + b->used;
        item->header = sample->header;
        item->note = sample->note;
        item->level = sample->level;
        item->row = sample->row;
        item->read = now;
        if (n <= TACO__PAYLOAD_BATCH_NEAR && now) {
            item->crc = taco__crc32(0, item->to, n);
            item->summed = true;
        }
        b->used += n;
        at += n;
        if (item->last && !now) { taco__payload_batch_take(b, item, in); }
    } while (at < in->size);
    return true;
}

/* An entry of an archive, named p->path. Small ones that are complete at once leave no item. */
static bool taco__payload_batch_add_entry(taco__container_writer *p, uint32_t level, size_t row,
                                          taco__input *in, uint64_t *offset, taco_error *err)
{
    taco__payload_batch *b = p->batch;
    taco_bytes name = taco__bytes_of(p->path.data, p->path.len);
    size_t head = taco__zip_write_local_header_size(name, in->size),
           step = (size_t)TACO__MIN(in->size, (uint64_t)TACO__OUTPUT_BYTES);
    bool now = !taco__payload_batch_may_read(p, in) ||
               (!in->later && in->size < TACO__PAYLOAD_BATCH_FAR),
         keep = in->later;
    taco__payload_batch_item sample;
    if (!taco__zip_write_check_name(name, err) ||
        !taco__payload_batch_reserve(p, head + step, err)) {
        return false;
    }
    memset(&sample, 0, sizeof sample);
    sample.level = level;
    sample.row = row;
    sample.header = b->out->at + b->used;
    *offset = sample.header + head;
    taco__zip_write_local_header(&p->z, b->fill + b->used, name, 0, in->size);
    if (!taco__zip_write_note_entry(&p->z, name, 0, in->size, err)) { return false; }
    sample.note = p->z.crc_at;
    b->used += head;
    if (!taco__payload_batch_add_bytes(p, &sample, in, now, err)) { return false; }
    if (now && b->count == 1 && b->items[0].summed && b->items[0].first) {
        b->count = 0;
        b->bytes = 0;
        return taco__payload_batch_retire_item(p, &b->items[0], err);
    }
    return keep || now || taco__payload_batch_settle(p, err);
}

/* Adds a FILE to the batch. p->path is the name of its entry, or in a FOLDER its path with a NUL.
   Unless in->own is still set, the input is closed when it has been read. */
TACO__FN bool taco__payload_batch_add(taco__container_writer *p, uint32_t level, size_t row,
                                      taco__input *in, uint64_t *offset, taco_error *err)
{
    return p->zip ? taco__payload_batch_add_entry(p, level, row, in, offset, err)
                  : taco__payload_batch_add_file(p, level, row, in, err);
}
/* ==== src/write/samples_ahead.c ==== */
/* samples_ahead.c - files of a FOLDER dataset, opened by tasks before they are copied

   In: samples in the order of a walk through the tree, and the paths of their files; out: an input
   for each: the bytes of a small file, an open file otherwise. As in directory_ahead.c, tasks run
   together with those of the batch, and a file that cannot be opened is left to the calling thread.
   Start with taco__samples_ahead_take. */
/* #include "write.h" */
/* #include "../base/base.h" */
/* #include "../base/file_copy.h" */
/* #include "../validate/validate.h" */

/* Files of a round and of a task, and the least that are worth a round. */
#define TACO__SAMPLES_AHEAD_FILES 64
#define TACO__SAMPLES_AHEAD_TASK  16
#define TACO__SAMPLES_AHEAD_LEAST 16

typedef struct taco__samples_ahead_item {
    taco__input in;
    uint32_t level;
    size_t row;
    size_t path; /* where it begins in `paths` */
    bool open;
} taco__samples_ahead_item;

struct taco__samples_ahead {
    taco__mem *mem;
    size_t first, count; /* the next item, and their number */
    taco__samples_ahead_item items[TACO__SAMPLES_AHEAD_FILES];
    taco__buf paths;
    uint8_t pages[TACO__SAMPLES_AHEAD_FILES][TACO__PLAT_PAGE];
};

static void taco__samples_ahead_task(void *arg, size_t i)
{
    taco__samples_ahead *a = (taco__samples_ahead *)arg;
    size_t k = i * TACO__SAMPLES_AHEAD_TASK,
           end = TACO__MIN(k + TACO__SAMPLES_AHEAD_TASK, a->count);
    for (; k < end; k++) {
        taco__samples_ahead_item *item = &a->items[k];
        item->open = taco__input_open_paged(&item->in, (const char *)a->paths.data + item->path,
                                            a->pages[k]);
    }
}

/* Closes what has not been taken. */
static void taco__samples_ahead_close(taco__samples_ahead *a)
{
    for (; a->first < a->count; a->first++) {
        if (a->items[a->first].open) { taco__input_close(&a->items[a->first].in); }
    }
    a->first = a->count = 0;
    a->paths.len = 0;
}

TACO__FN void taco__samples_ahead_free(taco__samples_ahead *a)
{
    if (a) {
        taco__mem *mem = a->mem;
        taco__samples_ahead_close(a);
        taco__buf_free(&a->paths);
        taco__mem_free(mem, a, sizeof *a);
    }
}

/* Adds a file; false if it has no path, or without memory for it. */
static bool taco__samples_ahead_add(taco__samples_ahead *a, const taco__container_source *from,
                                    uint32_t level, size_t row)
{
    taco__samples_ahead_item *item = &a->items[a->count];
    const char *path = from->path(from->ctx, level, row);
    item->path = a->paths.len;
    if (!path || !taco__buf_append(&a->paths, path, strlen(path) + 1, NULL)) { return false; }
    item->level = level;
    item->row = row;
    item->open = false;
    a->count++;
    return true;
}

/* Padding need not have a file. */
static bool taco__samples_ahead_has_file(const taco__tree *t, uint32_t level, size_t row)
{
    return !taco__tree_is_folder(t, level, row) &&
           !taco__rules_is_padding(taco__tree_id(t, level, row));
}

/* Opens the file of a FILE, and those of the FILEs that follow in the walk. False if storing the
   samples before them fails. */
static bool taco__samples_ahead_open(taco__container_writer *p, taco__samples_ahead *a,
                                     const taco__container_source *from, taco__tree_walk walk,
                                     uint32_t level, size_t row, taco_error *err)
{
    bool more = true;
    taco__samples_ahead_close(a);
    while (more && a->count < TACO__SAMPLES_AHEAD_FILES) {
        more = (!taco__samples_ahead_has_file(p->tree, level, row) ||
                taco__samples_ahead_add(a, from, level, row)) &&
               taco__tree_walk_next(p->tree, &walk, &level, &row);
    }
    if (a->count < TACO__SAMPLES_AHEAD_LEAST) {
        a->count = 0;
        return true;
    }
    return taco__payload_batch_run_also(
        p, (a->count + TACO__SAMPLES_AHEAD_TASK - 1) / TACO__SAMPLES_AHEAD_TASK,
        taco__samples_ahead_task, a, err);
}

/* The input of a FILE, which is the last sample of the walk; *found is false if it must be opened.
   The bytes of a small file are valid until the next call. *ahead is made if it is NULL and
   tasks are used. False if storing the samples before it fails. */
TACO__FN bool taco__samples_ahead_take(taco__container_writer *p, taco__samples_ahead **ahead,
                                       const taco__container_source *from,
                                       const taco__tree_walk *walk, uint32_t level, size_t row,
                                       taco__input *in, bool *found, taco_error *err)
{
    taco__samples_ahead *a = *ahead;
    taco__samples_ahead_item *item;
    *found = false;
    if (!p->batch || !from->path) { return true; }
    if (!a) {
        a = *ahead = (taco__samples_ahead *)taco__mem_alloc(p->mem, sizeof *a, NULL);
        if (!a) { return true; }
        a->mem = a->paths.mem = p->mem;
    }
    if (a->first == a->count && !taco__samples_ahead_open(p, a, from, *walk, level, row, err)) {
        return false;
    }
    item = &a->items[a->first];
    if (a->first == a->count || item->level != level || item->row != row) { return true; }
    a->first++;
    *found = item->open;
    if (*found) {
        *in = item->in;
        in->later = in->own; /* pages are used again */
        return true;
    }
    taco__samples_ahead_close(a); /* too many files may be open */
    return taco__payload_batch_settle(p, err);
}
/* ==== src/write/container_write.c ==== */
/* container_write.c - an archive or a FOLDER from a tree: payloads, level tables, COLLECTION.json

   In: a tree that grows (tree.c), the bytes of every FILE, and the user's columns as batches
   (taco__container_columns); out: a container at a path or in a sink, complete or not there at
   all. TACO 2.0 §6.1 (containers) to §6.4.

   A container is made in one pass over the samples and one or two over the columns:

       taco__tree_init(&tree, &mem);
       taco__container_write_begin(&p, "out.tacozip", opt, &tree, &mem, err)   (or ..._begin_sink)
       for every sample, depth first:
           taco__tree_append_ordered(&tree, level, parent_row, id, is_folder, err)
           taco__input_open_file(&in, path, err)        (or ..._from_range, ..._from_bytes)
           taco__container_write_sample(&p, level, row, &in, err)         (NULL for a FOLDER)
           taco__input_close(&in)
       taco__container_write_finish(&p, collection, &columns, err)           (or ..._abort)
       taco__tree_free(&tree);

   If the tree is known beforehand, taco__container_write_samples walks it and requests the bytes of
   each FILE. The caller checks PIT-1; equal ids of siblings and FOLDERs without children are
   refused here. A FOLDER is made under a temporary name (base/temporary.h) and renamed at the end.

   A dataset of one FOLDER `s` with a file `a` is, in an archive in this order, as a FOLDER except
   for the first:

       TACO_HEADER                  places of the level tables and COLLECTION.json
       DATA/s/a                     payload
       DATA/s/__meta__              the children of s, a Parquet file
       METADATA/level0.parquet      s
       METADATA/level1.parquet      a
       COLLECTION.json */
/* #include "write.h" */
/* #include "../base/base.h" */
/* #include "../base/sink.h" */
/* #include "../base/file_copy.h" */
/* #include "../base/json.h" */
/* #include "../dataset/dataset.h" */
/* #include "../validate/validate.h" */

/* True if a container is an archive: by kind if that is set, else by the extension of its name, in
   upper or lower case. */
TACO__FN bool taco__container_write_is_zip(const char *path, taco_kind container)
{
    size_t n = strlen(path), i, k;
    static const char *const ends[] = {".zip", ".tacozip"};
    for (i = 0; container == 0 && i < 2; i++) {
        size_t m = strlen(ends[i]);
        for (k = 0; n >= m && k < m && (path[n - m + k] | 32) == (ends[i][k] | 32); k++) {}
        if (n >= m && k == m) { return true; }
    }
    return container == TACO_KIND_ZIP;
}

/* ---- beginning and end ---- */

/* Frees the members of a writer, and removes an incomplete FOLDER. An archive has been closed, or
   was never opened. */
static void taco__container_write_free(taco__container_writer *p)
{
    taco__payload_batch_free(p);
    taco__zip_write_free(&p->z);
    taco__buf_free(&p->path);
    taco__buf_free(&p->target);
    taco__payload_ranges_free(&p->copied);
#if TACO__DIRS
    taco__temporary_remove(&p->directory); /* removes an incomplete one */
#endif
    taco__mem_free(p->mem, p->buffer, TACO__OUTPUT_BYTES);
    p->buffer = NULL;
    p->open = false;
}

/* Discards the container. Does nothing if none is open. */
TACO__FN void taco__container_write_abort(taco__container_writer *p)
{
    if (!p->open) { return; }
    if (p->zip) { taco__output_close(&p->out, false, NULL); }
    taco__container_write_free(p);
}

/* Initializes a writer with options and defaults. DOS time begins in 1980. opt may be NULL, and is
   copied. */
TACO__FN void taco__container_write_init(taco__container_writer *p, const taco_create_options *opt,
                                         taco__tree *tree, taco__mem *mem)
{
    memset(p, 0, sizeof *p);
    p->mem = mem;
    p->tree = tree;
    p->path.mem = p->target.mem = p->copied.mem = p->copied.sources.mem = mem;
    if (opt) { p->opt = *opt; }
    taco__options_init(&p->options, p->opt.options);
    p->copied.most = p->options.limits.max_output;
    p->opt.options = NULL; /* the caller may free its options */
    p->opt.mtime = p->opt.mtime ? p->opt.mtime : INT64_C(315532800);
}

/* Begins an archive in a sink, which is taken over, on failure too. */
TACO__FN bool taco__container_write_begin_sink(taco__container_writer *p, const taco_sink *sink,
                                               const taco_create_options *opt, taco__tree *tree,
                                               taco__mem *mem, taco_error *err)
{
    taco__container_write_init(p, opt, tree, mem);
    p->zip = true;
    if (!taco__output_open(&p->out, sink, mem, err)) { return false; }
    p->open = true;
    if (!taco__zip_write_begin(&p->z, &p->out, mem, p->opt.mtime, err)) {
        taco__container_write_abort(p);
        return false;
    }
    return true;
}

#if TACO__DIRS
/* The path of a name in the directory being made, NUL-terminated; valid until the next call. NULL
   if out of memory. */
static const char *taco__container_write_path(taco__container_writer *p, const char *name,
                                              taco_error *err)
{
    p->path.len = p->root;
    return taco__buf_append(&p->path, name, strlen(name) + 1, err) ? (const char *)p->path.data
                                                                   : NULL;
}

/* Makes the directory, next to its final name, with DATA and METADATA in it. */
static bool taco__container_write_begin_folder(taco__container_writer *p, const char *path,
                                               taco_error *err)
{
    size_t n = strlen(path);
    const char *at;
    while (n > 1 && taco__plat_is_slash(path[n - 1])) {
        n--;
    }
    if (!taco__buf_append(&p->target, path, n, err) || !taco__buf_append_char(&p->target, 0, err) ||
        !taco__temporary_make(&p->directory, (const char *)p->target.data, NULL, &p->options,
                              p->mem, err) ||
        !taco__buf_append_text(&p->path, p->directory.name, err) ||
        !taco__buf_append_char(&p->path, '/', err)) {
        return false;
    }
    p->root = p->path.len;
    p->buffer = (uint8_t *)taco__mem_alloc(p->mem, TACO__OUTPUT_BYTES, err);
    return p->buffer && (at = taco__container_write_path(p, "DATA", err)) != NULL &&
           taco__dir_make_new(at, err) &&
           (at = taco__container_write_path(p, "METADATA", err)) != NULL &&
           taco__dir_make_new(at, err);
}
#endif

/* Begins to replace the metadata of the FOLDER dataset at path: finishing writes only its tables
   and COLLECTION.json, and renames each over the old one when it is complete. Payloads are kept. */
TACO__FN bool taco__container_write_begin_in_place(taco__container_writer *p, const char *path,
                                                   const taco_create_options *opt, taco__tree *tree,
                                                   taco__mem *mem, taco_error *err)
{
    taco__container_write_init(p, opt, tree, mem);
    p->in_place = true;
    p->open = taco__buf_append_text(&p->path, path, err) &&
              (path[strlen(path) - 1] == '/' || taco__buf_append_char(&p->path, '/', err));
    p->root = p->path.len;
    return p->open;
}

/* Begins a container at path, which must not exist unless it may be replaced: an archive if
   opt->overwrite is set, anything if taco_options.replace allows it. tree and mem belong to the
   caller, opt may be NULL. */
TACO__FN bool taco__container_write_begin(taco__container_writer *p, const char *path,
                                          const taco_create_options *opt, taco__tree *tree,
                                          taco__mem *mem, taco_error *err)
{
    taco_bytes name = taco__bytes_text(path);
    bool zip = taco__container_write_is_zip(path, opt ? opt->container : (taco_kind)0);
    uint64_t size;
    const bool directory = taco__plat_stat(path, &size) == TACO__PATH_DIRECTORY;
    taco__container_write_init(p, opt, tree, mem);
    if (!(zip && p->opt.overwrite && !directory) && !taco__temporary_is_free(path, &p->options)) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   zip         ? "%q exists already, and overwrite is not asked for"
                   : directory ? "%q exists already, and a directory is not overwritten"
                               : "%q exists already, and is no directory: a FOLDER cannot be there",
                   &name);
        return false;
    }
    if (zip) {
#ifndef TACO_NO_STDIO
        taco_sink sink;
        return taco_sink_file(&sink, path, &p->options, err) == TACO_OK &&
               taco__container_write_begin_sink(p, &sink, opt, tree, mem, err);
#endif
    } else {
#if TACO__DIRS
        p->open = taco__container_write_begin_folder(p, path, err);
        if (!p->open) { taco__container_write_free(p); }
        return p->open;
#endif
    }
    TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET, "%q: this build makes no %s", &name,
               zip ? "files" : "directories");
    return false;
}

/* ---- samples ---- */

/* Sets p->path to the destination of a sample's bytes (DATA/ and its path), with a suffix, but
   without a NUL at its end. */
TACO__FN bool taco__container_write_sample_path(taco__container_writer *p, uint32_t level,
                                                size_t row, const char *suffix, taco_error *err)
{
    p->path.len = p->root;
    return taco__buf_append_text(&p->path, "DATA/", err) &&
           taco__tree_path(p->tree, level, row, &p->path, err) &&
           taco__buf_append_text(&p->path, suffix, err);
}

/* Ids in a FOLDER are names of files: on Windows a ':' would select another file. */
static bool taco__container_write_check_id(taco_bytes id, taco_error *err)
{
    return taco__rules_check_file_name(id, err) == TACO_OK &&
           (taco__rules_is_padding(id) || taco__rules_check_id(id, err) == TACO_OK);
}

/* Counts a FILE whose bytes are stored, and reports progress. */
TACO__FN bool taco__container_write_stored(taco__container_writer *p, uint64_t size,
                                           taco_error *err)
{
    p->payload += size;
    p->files++;
    if (p->opt.progress && !p->opt.progress(p->opt.progress_ctx, p->payload, p->opt.total)) {
        TACO__FAIL(err, TACO_ERR_STATE, TACO_NO_OFFSET, "stopped by the caller");
        return false;
    }
    return true;
}

/* Stores the bytes of a FILE, whose destination is in p->path: now, or in a batch. */
static bool taco__container_write_payload(taco__container_writer *p, uint32_t level, size_t row,
                                          taco__input *in, taco_error *err)
{
    uint64_t offset = 0, size = in->size;
    uint32_t crc = in->crc;
    bool ok = taco__payload_batch_begin(p, in, err), later = p->batch != NULL;
    if (ok && later) {
        ok = taco__payload_batch_add(p, level, row, in, &offset, err);
    } else if (ok && p->zip) {
        ok = taco__zip_write_entry(&p->z, taco__bytes_of(p->path.data, p->path.len), in, &offset,
                                   &crc, err);
    } else if (ok) {
#if TACO__DIRS
        ok = taco__dir_write_file((const char *)p->path.data, in, p->buffer, &crc, err);
#endif
    }
    if (!ok || (!later && !taco__zip_check_copied(&p->options, in->has_crc, in->crc, crc,
                                                  taco__tree_id(p->tree, level, row), err))) {
        return false;
    }
    taco__tree_set_place(p->tree, level, row, offset, size);
    return later || taco__container_write_stored(p, size, err);
}

/* Stores the bytes of a FILE that is in the tree. For a FOLDER (in is NULL) makes its directory, or
   does nothing in archives. Sets its place in the tree and reports progress. A failure may be about
   an earlier sample, p->failed. The input is still to be closed. */
TACO__FN bool taco__container_write_sample(taco__container_writer *p, uint32_t level, size_t row,
                                           taco__input *in, taco_error *err)
{
    if (!p->zip && !taco__container_write_check_id(taco__tree_id(p->tree, level, row), err)) {
        return false;
    }
    if (in && p->copies &&
        !taco__payload_ranges_add(&p->copied, in, taco__tree_id(p->tree, level, row), err)) {
        return false;
    }
    if (p->zip && !in) { return true; }
    if (!taco__container_write_sample_path(p, level, row, "", err) ||
        (!p->zip && !taco__buf_append_char(&p->path, 0, err))) {
        return false;
    }
    if (in) { return taco__container_write_payload(p, level, row, in, err); }
#if TACO__DIRS
    p->path.data[p->path.len - 2] = 0; /* without the '/' at its end */
    return taco__dir_make_new((const char *)p->path.data, err);
#else
    return false;
#endif
}

/* Reserves space for the bytes of a FILE in an archive, which the caller writes to *offset. */
TACO__FN bool taco__container_write_gap(taco__container_writer *p, uint32_t level, size_t row,
                                        uint64_t size, uint32_t crc, uint64_t *offset,
                                        taco_error *err)
{
    if (!taco__payload_batch_end(p, err) ||
        !taco__container_write_sample_path(p, level, row, "", err) ||
        !taco__zip_write_gap(&p->z, taco__bytes_of(p->path.data, p->path.len), size, crc, offset,
                             err)) {
        return false;
    }
    taco__tree_set_place(p->tree, level, row, *offset, size);
    p->payload += size;
    return true;
}

/* What every complete tree must satisfy; also checked before payloads are copied, which takes
   long. */
TACO__FN bool taco__container_write_check_tree(const taco__container_writer *p, taco_error *err)
{
    return taco__tree_check_no_empty_folder(p->tree, err) &&
           taco__tree_check_unique_ids(p->tree, p->mem, err) == TACO_OK;
}

/* Stores all samples of a complete tree, copied from another dataset, depth first. */
TACO__FN bool taco__container_write_samples(taco__container_writer *p,
                                            const taco__container_source *from, taco_error *err)
{
    taco__samples_ahead *ahead = NULL;
    taco__tree_walk walk;
    uint32_t level;
    size_t row;
    bool ok = true, found;
    memset(&walk, 0, sizeof walk);
    p->copies = true;
    if (!taco__container_write_check_tree(p, err)) { return false; }
    while (ok && taco__tree_walk_next(p->tree, &walk, &level, &row)) {
        if (taco__tree_is_folder(p->tree, level, row)) {
            ok = taco__container_write_sample(p, level, row, NULL, err);
        } else {
            taco__input in;
            memset(&in, 0, sizeof in);
            ok = taco__samples_ahead_take(p, &ahead, from, &walk, level, row, &in, &found, err) &&
                 (found || from->payload(from->ctx, level, row, &in, err)) &&
                 taco__container_write_sample(p, level, row, &in, err);
            taco__input_close(&in);
        }
    }
    if (!ok) { taco__payload_batch_blame_earlier(p, err); }
    taco__samples_ahead_free(ahead);
    return ok && taco__payload_batch_end(p, err);
}

/* ---- METADATA/levelN.parquet, COLLECTION.json ---- */

/* Opens a sink for a metadata file of the container; s is needed until it is closed. */
TACO__FN bool taco__container_write_open_file(taco__container_writer *p, const char *name,
                                              taco__zip_write_stream *s, taco_sink *sink,
                                              taco_error *err)
{
    if (p->zip) { return taco__zip_write_stream_open(s, &p->z, taco__bytes_text(name), sink, err); }
#if TACO__DIRS
    name = taco__container_write_path(p, name, err);
    return name && taco_sink_file(sink, name, &p->options, err) == TACO_OK;
#else
    return false;
#endif
}

/* Appends the value of taco:field_schema for all levels; known is an older one, for
   descriptions. */
static bool taco__container_write_field_schema(taco__container_writer *p,
                                               const taco__container_columns *src,
                                               const taco__json *known, taco__buf *out,
                                               taco_error *err)
{
    taco__json_writer w = taco__json_writer_init(out, err);
    uint32_t level;
    taco__json_write_begin(&w, NULL, '{');
    for (level = 0; level < p->tree->levels; level++) {
        taco__document_write_fields(level, src->fields[level], src->counts[level], known, &w);
    }
    taco__json_write_end(&w, '}');
    return w.ok;
}

/* Warns if the collection's own extent, which is kept, does not cover its samples. A copy of a
   dataset has that of the original, which validation compares. */
static void taco__container_write_compare_extent(const taco__container_writer *p,
                                                 const taco__json *given)
{
    taco__collection c;
    taco_error what = {0, TACO_OK, 0, {0}};
    bool box, times;
    memset(&c, 0, sizeof c);
    c.extent = given;
    taco__collection_read_extent(&c);
    box = c.has_spatial && !taco__extent_box_covers(&p->span, c.spatial);
    times = c.has_temporal && !taco__extent_times_cover(&p->span, c.temporal);
    if (!p->given || p->opt.new_extent || !(box || times)) { return; }
    TACO__FAIL(&what, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
               "COLLECTION.json: extent, which is the collection's own, does not cover the %s of "
               "all samples; without it, it is computed",
               box && times ? "footprints and times"
               : box        ? "footprints"
                            : "times");
    p->options.warn(p->options.warn_ctx, &what);
}

/* Warns that the collection has no box, and why. */
static void taco__container_write_warn_extent(const taco__container_writer *p,
                                              const taco__json *root)
{
    const taco__json *given = taco__json_get(root, "extent");
    taco_error what = {0, TACO_OK, 0, {0}};
    if (!p->options.warn) { return; }
    taco__container_write_compare_extent(p, given);
    if (!taco__extent_is_unknown(&p->span) ||
        !taco__rules_is_null(taco__json_get(given, "spatial"))) {
        return;
    }
    TACO__FAIL(
        &what, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
        "COLLECTION.json has no extent.spatial: samples have a CRS and no centroid, which "
        "is computed for geographic CRSs, UTM and web mercator; a collection's own extent is "
        "taken as it is");
    p->options.warn(p->options.warn_ctx, &what);
}

/* Writes COLLECTION.json; its range is the last one in TACO_HEADER. */
static bool taco__container_write_collection(taco__container_writer *p, const taco__json *root,
                                             const taco__container_columns *src, taco_error *err)
{
    taco__buf fields, text;
    taco__zip_write_stream s;
    taco_sink sink;
    bool ok;
    memset(&fields, 0, sizeof fields);
    memset(&text, 0, sizeof text);
    memset(&s, 0, sizeof s);
    fields.mem = text.mem = p->mem;
    taco__container_write_warn_extent(p, root);
    ok = taco__container_write_field_schema(p, src, taco__json_get(root, "taco:field_schema"),
                                            &fields, err) &&
         taco__document_write(root, !p->opt.new_extent, &p->span, p->tree,
                              taco__bytes_of(fields.data, fields.len), &text, err) &&
         taco__container_write_open_file(p, "COLLECTION.json", &s, &sink, err);
    if (ok) {
        ok = sink.write(sink.ctx, 0, text.data, text.len);
        ok = sink.close(sink.ctx, ok) && ok;
        TACO__FAIL(ok ? NULL : err, TACO_ERR_IO, TACO_NO_OFFSET, "writing COLLECTION.json failed%s",
                   taco__sink_cause(&sink));
    }
    p->ranges[p->tree->levels].offset = s.data;
    p->ranges[p->tree->levels].len = text.len;
    taco__buf_free(&fields);
    taco__buf_free(&text);
    return ok;
}

#if TACO__DIRS
/* Gives the complete FOLDER, whose COLLECTION.json p->path is, its name, or leaves that to the
   caller. */
static bool taco__container_write_commit(taco__container_writer *p, taco_error *err)
{
    taco_bytes name = taco__bytes_text((const char *)p->target.data);
    if (!p->staged) {
        return taco__dir_commit(&p->directory, (const char *)name.data, (const char *)p->path.data,
                                err);
    }
    if (!taco__dir_sync((const char *)p->path.data)) {
        TACO__FAIL(err, TACO_ERR_IO, TACO_NO_OFFSET, "the directory cannot be completed: %q",
                   &name);
        return false;
    }
    return taco__temporary_stage(&p->directory, p->staged, err);
}
#endif

/* Writes the metadata and completes the container: __meta__ from the deepest level up, since each
   contains the places of those below it, then level tables, COLLECTION.json and the directory. The
   writer is freed; after a failure nothing is left. collection is an object; its taco:pit_schema
   and taco:field_schema are computed again, except for descriptions in the latter. */
TACO__FN bool taco__container_write_finish(taco__container_writer *p, const taco__json *collection,
                                           const taco__container_columns *src, taco_error *err)
{
    uint32_t level;
    bool ok = taco__payload_batch_end(p, err) && taco__container_write_check_tree(p, err) &&
              taco__payload_ranges_check(&p->copied, err);
    for (level = p->tree->levels; ok && level-- > 1;) {
        ok = taco__level_table_write_folders(p, level, src, err);
    }
    for (level = 0; ok && level < p->tree->levels; level++) {
        ok = taco__level_table_write(p, level, src, err);
    }
    ok = ok && taco__container_write_collection(p, collection, src, err);
    if (ok) {
        taco__log(&p->options, TACO_LOG_INFO,
                  "wrote %s, samples: %u, levels: %u, bytes of payload: %u",
                  p->zip ? "an archive" : "a FOLDER", TACO__U(p->tree->level[0].rows),
                  TACO__U(p->tree->levels), p->payload);
    }
    if (ok && p->zip) {
        ok = taco__zip_write_end(&p->z, p->ranges, p->tree->levels + 1, err);
        if (!ok) {
            taco__container_write_abort(p);
            return false;
        }
        ok = taco__output_close(&p->out, true, err);
        taco__container_write_free(p);
        return ok;
    }
#if TACO__DIRS
    ok = ok && taco__container_write_path(p, "COLLECTION.json", err);
    ok = ok && (p->in_place || taco__container_write_commit(p, err));
#endif
    if (!ok) {
        taco__container_write_abort(p);
    } else {
        taco__container_write_free(p);
    }
    return ok;
}
/* ==== src/write/column_builder.c ==== */
/* column_builder.c - a user's column, built row by row, then read in slices

   In: a field of the caller's, and rows through taco__array_builder (arrow/builder.c) or the
   checked calls here; out: the whole column as one array, which is written to tables in slices
   (taco__array_buf_slice). The field is copied, so that names and children belong to the column,
   and is nullable, as rows without a value are null unless the schema is strict. */
/* #include "write.h" */
/* #include "../base/base.h" */
/* #include "../arrow/arrow.h" */

/* Frees rows and slices; fields are in the arena. Safe on a zeroed column. */
TACO__FN void taco__builder_free(taco__builder *c)
{
    taco__array_builder_free(&c->rows);
}

/* True if a caller's field has the children that its type requires: lists one, maps one with key
   and value. */
static bool taco__builder_is_possible(const taco_field *f)
{
    if ((f->child_count && !f->children) || (uint32_t)f->type > (uint32_t)TACO_STRUCT) {
        return false;
    }
    if (f->type == TACO_MAP) {
        return f->child_count == 1 && f->children[0].type == TACO_STRUCT &&
               f->children[0].child_count == 2;
    }
    return f->type != TACO_LIST || f->child_count == 1;
}

/* Copies a caller's field with everything below it into the arena. ARGUMENT for unknown types and
   for more than 32 levels, as the caller's structs may form a cycle. */
static bool taco__builder_copy_field(taco_field *out, const taco_field *f, taco__arena *arena,
                                     uint32_t depth, taco_error *err)
{
    taco_field *children;
    uint32_t i;
    if (depth > 32 || !taco__builder_is_possible(f)) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "a column of an impossible type");
        return false;
    }
    *out = *f;
    out->leaf = out->leaf_count = 0;
    out->width = taco__field_width(f);
    out->name = taco__arena_text(arena, taco__bytes_text(f->name ? f->name : ""), err);
    children = (taco_field *)taco__arena_array(arena, f->child_count, sizeof *children, err);
    out->children = children;
    for (i = 0; out->name && children && i < f->child_count; i++) {
        if (!taco__builder_copy_field(&children[i], &f->children[i], arena, depth + 1, err)) {
            return false;
        }
    }
    return out->name && children;
}

/* Initializes an empty column with a copy of f. It may be freed even after a failure. */
TACO__FN bool taco__builder_init(taco__builder *c, const taco_field *f, taco__mem *mem,
                                 taco__arena *arena, taco_error *err)
{
    taco_field *own = (taco_field *)taco__arena_array(arena, 1, sizeof *own, err);
    memset(c, 0, sizeof *c);
    if (!own || !taco__builder_copy_field(own, f, arena, 0, err)) { return false; }
    own->nullable = true;
    return taco__array_builder_init(&c->rows, own, mem, arena, err);
}

/* Makes c->array from all rows; no more may be appended. */
TACO__FN void taco__builder_finish(taco__builder *c)
{
    taco__array_builder_view(&c->rows, &c->array);
}

/* Parses an ISO 8601 instant to the unit of a column: DATE in days, TIMESTAMP in its unit, rounded
   down. False for other text, and on overflow. */
TACO__FN bool taco__builder_parse_time(const taco_field *f, taco_bytes text, int64_t *out)
{
    static const int64_t per[] = {1000000, 1000, 1, 1};
    bool date;
    if (!taco__time_parse(text, out, &date)) { return false; }
    if (f->type == TACO_DATE) {
        *out = taco__time_floor_div(*out, TACO__TIME_DAY_MICROS);
    } else if (f->unit == TACO_NANO) {
        if (*out > INT64_MAX / 1000 || *out < INT64_MIN / 1000) { return false; }
        *out *= 1000;
    } else {
        *out = taco__time_floor_div(*out, per[f->unit]);
    }
    return true;
}

/* Appends an integer of any width; false if it does not fit. If memory runs out, the result is true
   and *err is set. */
TACO__FN bool taco__builder_append_int(taco__array_builder *b, int64_t x, taco_error *err)
{
    if (!taco__array_builder_int_fits(b->field, x)) { return false; }
    taco__array_builder_append_int(b, x, err);
    return true;
}
/* ==== src/write/dataset_writer.c ==== */
/* dataset_writer.c - taco_create and taco_writer_*: samples, folders and columns one by one

   In: calls of the public writer in the order of the tree (collection and columns, then samples
   with their values, children between folder_begin and folder_end); out: a container
   (container_write.c). TACO 2.0 §5, §5.5 (padding), §7.1.1.

   Payloads are written immediately; ids and offsets stay in the tree, values in one builder per
   column (column_builder.c, sample_values.c) until taco_writer_finish streams them into the
   tables. Errors are sticky: after the first every call returns its code, and finish reports it.
   Columns may lag behind their level: a row without a value is filled in when the next sample
   begins (taco__dataset_writer_fill_missing), as null or as an error. Start reading at
   taco_writer_finish.

   The level of a sample is w->depth, the number of open FOLDERs. w->level is the level of the
   sample whose values are being set; after folder_end that is the FOLDER again. Its row is always
   the last one of its level. */
/* #include "write.h" */
/* #include "../base/base.h" */
/* #include "../base/sink.h" */
/* #include "../base/file_copy.h" */
/* #include "../base/json.h" */
/* #include "../arrow/arrow.h" */
/* #include "../dataset/dataset.h" */
/* #include "../validate/validate.h" */

/* ---- the handle ---- */

/* The code of the first failure; ARGUMENT if w is NULL. */
TACO__FN taco_status taco__dataset_writer_status(taco_writer *w)
{
    return w ? w->err.code : TACO_ERR_ARGUMENT;
}

/* Frees the writer itself too; its container has been finished or aborted. */
static void taco__dataset_writer_free(taco_writer *w)
{
    taco__mem mem;
    uint32_t level;
    size_t i;
    for (level = 0; level < TACO__MAX_LEVELS; level++) {
        for (i = 0; i < w->counts[level]; i++) {
            taco__builder_free(&w->columns[level][i]);
        }
        taco__mem_free(&w->mem, w->columns[level], w->caps[level] * sizeof *w->columns[level]);
        taco__hash_map_free(&w->names[level]);
    }
    taco__tree_free(&w->tree);
    taco__arena_free(&w->arena);
    mem = w->mem;
    taco__mem_free(&mem, w, sizeof *w);
}

/* The writer for a path, or for a sink (then path is ""). The sink is taken over, on failure
   too. */
static taco_writer *taco__dataset_writer_open(const char *path, const taco_sink *sink,
                                              const taco_create_options *opt, taco_error *err)
{
    taco__mem mem;
    taco_writer *w;
    taco_error own;
    taco_create_options o;
    memset(&own, 0, sizeof own);
    memset(&o, 0, sizeof o);
    err = taco__error_fresh(err, &own);
    o = opt ? *opt : o;
    taco__mem_init(&mem, o.options);
    w = (taco_writer *)taco__mem_alloc(&mem, sizeof *w, err);
    if (!w) {
        if (sink) { sink->close(sink->ctx, false); }
        return NULL;
    }
    w->mem = mem;
    w->arena.mem = &w->mem;
    taco__options_init(&w->options, o.options);
    o.options = &w->options;
    w->fill = o.fill;
    w->any_tree = o.any_tree;
    w->strict_pit = o.strict_pit;
    w->any_values = o.any_values;
    w->pad_to = o.pad_to;
    taco__tree_init(&w->tree, &w->mem);
    w->path = taco__arena_text(&w->arena, taco__bytes_text(path), err);
    if (!w->path && sink) { sink->close(sink->ctx, false); }
    if (!w->path ||
        !(sink ? taco__container_write_begin_sink(&w->pack, sink, &o, &w->tree, &w->mem, err)
               : taco__container_write_begin(&w->pack, path, &o, &w->tree, &w->mem, err))) {
        taco__dataset_writer_free(w);
        return NULL;
    }
    w->pack.given = true;
    return w;
}

TACO_API taco_writer *taco_create(const char *path, const taco_create_options *opt, taco_error *err)
{
    err = taco__error_fresh(err, NULL);
    if (!path) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path given");
        return NULL;
    }
    return taco__dataset_writer_open(path, NULL, opt, err);
}

TACO_API taco_writer *taco_create_sink(const taco_sink *sink, const taco_create_options *opt,
                                       taco_error *err)
{
    err = taco__error_fresh(err, NULL);
    return taco__sink_check(sink, err) ? taco__dataset_writer_open("", sink, opt, err) : NULL;
}

/* Leaves nothing at path. */
TACO_API void taco_writer_abort(taco_writer *w)
{
    if (w) {
        taco__container_write_abort(&w->pack);
        taco__dataset_writer_free(w);
    }
}

/* The text is copied, since nodes of the document point into it. */
TACO_API taco_status taco_writer_collection(taco_writer *w, const char *json, size_t len)
{
    char *copy;
    if (taco__dataset_writer_status(w) != TACO_OK) { return taco__dataset_writer_status(w); }
    copy = taco__arena_text(&w->arena, taco__bytes_of(json, json ? len : 0), &w->err);
    if (copy && taco__json_parse(&w->arena, taco__bytes_of(copy, json ? len : 0),
                                 &w->options.limits, &w->collection, &w->err) == TACO_OK) {
        if (!taco__json_is(w->collection.root, TACO__JSON_OBJECT)) {
            TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, 0,
                       "a collection must be a JSON object, found %s",
                       taco__json_type_name(w->collection.root));
        } else {
            w->has_collection = true;
            taco__rules_check_collection(&w->collection, true, taco__rules_stop_at_first, &w->err);
        }
    }
    if (w->err.code != TACO_OK) { taco__error_prefix(&w->err, "collection"); }
    return w->err.code;
}

/* Declares a column. With `fill` also after the first sample: earlier rows are null. */
TACO_API taco_status taco_writer_field(taco_writer *w, uint32_t level, const taco_field *field)
{
    taco_bytes name = taco__bytes_text(field && field->name ? field->name : "");
    taco__builder *c;
    bool added;
    if (taco__dataset_writer_status(w) != TACO_OK) { return taco__dataset_writer_status(w); }
    if (!field || level >= TACO__MAX_LEVELS) {
        return TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "column %q: there are levels 0 to %u", &name,
                          TACO__U(TACO__MAX_LEVELS - 1));
    }
    if (taco__rules_check_column_name(name, &w->err) != TACO_OK) { return w->err.code; }
    if (taco__hash_map_find(&w->names[level], name)) {
        return TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "column %q of level %u is declared twice", &name, TACO__U(level));
    }
    if (w->tree.level[level].rows && !w->fill) {
        return TACO__FAIL(&w->err, TACO_ERR_STATE, TACO_NO_OFFSET,
                          "column %q: level %u has samples already, and the schema is strict",
                          &name, TACO__U(level));
    }
    if (w->counts[level] == w->caps[level]) {
        size_t cap = w->caps[level] ? w->caps[level] * 2 : 8;
        taco__builder *grown = (taco__builder *)taco__mem_resize(&w->mem, w->columns[level],
                                                                 w->caps[level] * sizeof *grown,
                                                                 cap * sizeof *grown, &w->err);
        if (!grown) { return w->err.code; }
        w->columns[level] = grown;
        w->caps[level] = cap;
    }
    c = &w->columns[level][w->counts[level]++];
    if (taco__builder_init(c, field, &w->mem, &w->arena, &w->err)) {
        w->names[level].mem = &w->mem;
        (void)taco__hash_map_add(&w->names[level], taco__bytes_text(c->rows.field->name), &added,
                                 &w->err);
    }
    return w->err.code;
}

/* Refuses types with parameters or children, which only a field can describe. */
static bool taco__dataset_writer_check_type(taco_writer *w, const char *name, taco_type type)
{
    taco_bytes n = taco__bytes_text(name ? name : "");
    if (taco__dataset_writer_status(w) != TACO_OK) { return false; }
    if (type == TACO_DECIMAL || type == TACO_FIXED || type >= TACO_LIST || type < TACO_NULL) {
        TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "column %q: this type needs taco_writer_field", &n);
    }
    return w->err.code == TACO_OK;
}

TACO_API taco_status taco_writer_column(taco_writer *w, uint32_t level, const char *name,
                                        taco_type type)
{
    taco_field f;
    if (!taco__dataset_writer_check_type(w, name, type)) { return taco__dataset_writer_status(w); }
    memset(&f, 0, sizeof f);
    f.name = name;
    f.type = type;
    f.nullable = true;
    f.unit = type == TACO_TIMESTAMP || type == TACO_TIME ? TACO_MICRO : TACO_SECOND;
    return taco_writer_field(w, level, &f);
}

TACO_API taco_status taco_writer_list(taco_writer *w, uint32_t level, const char *name,
                                      taco_type items)
{
    taco_field f, item;
    if (!taco__dataset_writer_check_type(w, name, items)) { return taco__dataset_writer_status(w); }
    memset(&f, 0, sizeof f);
    memset(&item, 0, sizeof item);
    item.name = "element";
    item.type = items;
    item.nullable = true;
    f.name = name;
    f.type = TACO_LIST;
    f.children = &item;
    f.child_count = 1;
    return taco_writer_field(w, level, &f);
}

/* ---- values ---- */

/* Puts "sample 'id'" before the message of a failure; returns the status. */
TACO__FN taco_status taco__dataset_writer_prefix_error(taco_writer *w)
{
    const taco__failed_sample *f = &w->pack.failed;
    uint32_t level = f->known ? f->level : w->level;
    const taco__tree_level *l = &w->tree.level[level];
    if (w->err.code != TACO_OK && w->begun && l->rows) {
        size_t row = f->known ? f->row : l->rows - 1;
        taco_bytes id = taco__tree_id(&w->tree, level, row);
        taco__error_prefix(&w->err, "sample %u of level %u, %q", TACO__U(row), TACO__U(level), &id);
    }
    return w->err.code;
}

/* Completes a level up to `rows`: missing values become null, or are an error if the schema is
   strict. Padding never has values. */
static bool taco__dataset_writer_fill_missing(taco_writer *w, uint32_t level, size_t rows)
{
    size_t i;
    for (i = 0; i < w->counts[level]; i++) {
        taco__builder *c = &w->columns[level][i];
        while (c->rows.length < rows) {
            taco_bytes id = taco__tree_id(&w->tree, level, c->rows.length),
                       name = taco__bytes_text(c->rows.field->name);
            if (!w->fill && !taco__rules_is_padding(id)) {
                TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                           "sample %q of level %u has no value for column %q; the schema is "
                           "strict, null must be said",
                           &id, TACO__U(level), &name);
                return false;
            }
            if (!taco__array_builder_append_null(&c->rows, &w->err)) { return false; }
        }
    }
    return true;
}

/* ---- samples ---- */

/* Adds a sample of the open folder to the tree, after filling in missing values of earlier ones. */
static bool taco__dataset_writer_append_sample(taco_writer *w, taco_bytes id, bool folder)
{
    uint32_t level = w->depth;
    size_t parent = level ? w->tree.level[level - 1].rows - 1 : 0;
    w->level = level;
    if (!taco__dataset_writer_fill_missing(w, level, w->tree.level[level].rows) ||
        !taco__tree_append_ordered(&w->tree, level, parent, id, folder, &w->err)) {
        return false;
    }
    w->begun = true;
    return true;
}

/* Checks id and place of a sample (§5.6.1, depth, one type on level 0), then adds it. */
static bool taco__dataset_writer_begin_sample(taco_writer *w, const char *id, bool folder)
{
    taco_bytes name = taco__bytes_text(id ? id : "");
    if (taco__dataset_writer_status(w) != TACO_OK) { return false; }
    if (taco__rules_check_id(name, &w->err) != TACO_OK ||
        taco__rules_check_file_name(name, &w->err) != TACO_OK) {
        return false;
    }
    if (taco__rules_is_padding(name)) {
        TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "id %q starts with '__', which is reserved for padding", &name);
        return false;
    }
    if (folder && w->depth + 1 >= TACO__MAX_LEVELS) {
        TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "FOLDER %q at level %u: the deepest level is %u", &name, TACO__U(w->depth),
                   TACO__U(TACO__MAX_LEVELS - 1));
        return false;
    }
    if (!w->any_tree && w->depth == 0 && w->tree.level[0].rows &&
        taco__tree_is_folder(&w->tree, 0, 0) != folder) {
        TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "PIT-1: sample %q is a %s, the first sample is a %s; all of level 0 must be of "
                   "one type",
                   &name, taco__collection_type_name(folder), taco__collection_type_name(!folder));
        return false;
    }
    return taco__dataset_writer_append_sample(w, name, folder);
}

/* Writes the bytes of the last sample, and closes them, on failure too. */
static taco_status taco__dataset_writer_store_payload(taco_writer *w, taco__input *in)
{
    if (w->err.code == TACO_OK) {
        taco__container_write_sample(&w->pack, w->level, w->tree.level[w->level].rows - 1, in,
                                     &w->err);
    }
    if (in) { taco__input_close(in); }
    return taco__dataset_writer_prefix_error(w);
}

/* Reads what is left of earlier samples. After a failure, theirs takes its place: true if there is
   one. */
TACO__FN bool taco__dataset_writer_blame_earlier(taco_writer *w)
{
    if (!taco__payload_batch_blame_earlier(&w->pack, &w->err)) { return false; }
    taco__dataset_writer_prefix_error(w);
    return true;
}

/* Adds a FILE whose bytes are already open; they are closed, on failure too. */
TACO__FN taco_status taco__dataset_writer_add_file(taco_writer *w, const char *id, taco__input *in)
{
    if (!taco__dataset_writer_begin_sample(w, id, false)) {
        taco__input_close(in);
        return taco__dataset_writer_status(w);
    }
    return taco__dataset_writer_store_payload(w, in);
}

/* Adds a FILE of the bytes of a file, opened with the caller's open_file if there is one. later: it
   will not change, and may be read later. */
TACO__FN taco_status taco__dataset_writer_add_path(taco_writer *w, const char *id, const char *path,
                                                   bool later)
{
    taco__input in;
    memset(&in, 0, sizeof in);
    if (!taco__dataset_writer_begin_sample(w, id, false)) { return taco__dataset_writer_status(w); }
    if (!path) {
        TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path given");
    } else if (w->options.open_file) {
        if (taco__source_open_path(&w->options, path, &in.source, &w->err)) {
            in.size = in.source.size;
            in.own = true;
        }
    } else {
#ifndef TACO_NO_STDIO
        taco__input_open_file(&in, path, &w->err);
#else
        taco__source_open_path(&w->options, path, &in.source, &w->err);
#endif
    }
    in.later = later;
    return taco__dataset_writer_store_payload(w, &in);
}

TACO_API taco_status taco_writer_file(taco_writer *w, const char *id, const char *path)
{
    return taco__dataset_writer_add_path(w, id, path, false);
}

TACO_API taco_status taco_writer_bytes(taco_writer *w, const char *id, const void *data, size_t len)
{
    taco__input in;
    if (!taco__dataset_writer_begin_sample(w, id, false)) { return taco__dataset_writer_status(w); }
    taco__input_from_bytes(&in, taco__bytes_of(data, len));
    return taco__dataset_writer_store_payload(w, &in);
}

/* A part of a source, which still belongs to the caller. */
TACO_API taco_status taco_writer_range(taco_writer *w, const char *id, const taco_source *src,
                                       uint64_t offset, uint64_t size)
{
    taco__input in;
    if (!taco__dataset_writer_begin_sample(w, id, false)) { return taco__dataset_writer_status(w); }
    if (!src || !taco__checked_range(offset, size, src->size)) {
        TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, offset, "%u bytes, the source has %u", size,
                   src ? src->size : 0);
        return taco__dataset_writer_prefix_error(w);
    }
    taco__input_from_range(&in, src, offset, size);
    return taco__dataset_writer_store_payload(w, &in);
}

TACO_API taco_status taco_writer_placed(taco_writer *w, const char *id, uint64_t size, uint32_t crc,
                                        uint64_t *offset)
{
    size_t row;
    *offset = 0;
    if (!taco__dataset_writer_begin_sample(w, id, false)) { return taco__dataset_writer_status(w); }
    row = w->tree.level[w->level].rows - 1;
    if (!w->pack.zip) {
        TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "a sample whose bytes come from elsewhere, in a FOLDER dataset");
    } else {
        taco__container_write_gap(&w->pack, w->level, row, size, crc, offset, &w->err);
    }
    return taco__dataset_writer_prefix_error(w);
}

TACO_API uint32_t taco_crc32(uint32_t crc, const void *data, size_t len)
{
    return taco__crc32(crc, data, len);
}

TACO_API taco_status taco_writer_folder_begin(taco_writer *w, const char *id)
{
    if (taco__dataset_writer_begin_sample(w, id, true)) {
        w->depth++;
        return taco__dataset_writer_store_payload(w, NULL);
    }
    return taco__dataset_writer_status(w);
}

/* ---- padding (§5.5, §7.1.1) ---- */

/* Adds a padding sample, an empty FILE. */
static bool taco__dataset_writer_pad_file(taco_writer *w, taco_bytes id)
{
    taco__input in;
    taco__input_from_bytes(&in, taco__bytes_of(NULL, 0));
    return taco__dataset_writer_append_sample(w, id, false) &&
           taco__dataset_writer_store_payload(w, &in) == TACO_OK;
}

/* Repeats everything below row `like` of the level above, without bytes, below the last folder: so
   a padding sample is isomorphic to the first. */
static bool taco__dataset_writer_pad_below(taco_writer *w, uint32_t level, size_t like)
{
    size_t row;
    bool ok = true;
    w->depth = level;
    for (row = 0;
         ok && row < w->tree.level[level].rows && taco__tree_parent(&w->tree, level, row) <= like;
         row++) {
        taco_bytes id = taco__tree_id(&w->tree, level, row);
        char *copy;
        if (taco__tree_parent(&w->tree, level, row) != like) { continue; }
        copy = taco__arena_text(&w->arena, id, &w->err); /* the tree's ids move when it grows */
        id = taco__bytes_of(copy, id.len);
        if (!copy || !taco__tree_is_folder(&w->tree, level, row)) {
            ok = copy && taco__dataset_writer_pad_file(w, id);
        } else {
            ok = taco__dataset_writer_append_sample(w, id, true) &&
                 taco__dataset_writer_store_payload(w, NULL) == TACO_OK &&
                 taco__dataset_writer_pad_below(w, level + 1, row);
            w->depth = level;
        }
    }
    return ok;
}

/* Pads the children of the open folder, or at depth 0 the samples, to a multiple of pad_to. Rows
   are named __TACOPAD__0 and so on. */
static bool taco__dataset_writer_pad(taco_writer *w)
{
    const taco__tree_level *l = &w->tree.level[w->depth];
    size_t from = l->rows, n, k;
    bool fill = w->fill, ok = true;
    if (!w->pad_to || !l->rows) { return true; }
    while (from && (!w->depth || taco__tree_parent(&w->tree, w->depth, from - 1) ==
                                     w->tree.level[w->depth - 1].rows - 1)) {
        from--;
    }
    n = l->rows - from;
    n = (w->pad_to - n % w->pad_to) % w->pad_to;
    ok = taco__dataset_writer_fill_missing(w, w->depth, l->rows);
    w->fill = true; /* padding has no values */
    for (k = 0; ok && k < n; k++) {
        char id[40] = TACO__RULES_PADDING;
        size_t len = sizeof TACO__RULES_PADDING - 1;
        uint32_t depth = w->depth;
        bool folder = depth == 0 && taco__tree_is_folder(&w->tree, 0, 0);
        len += taco__num_format_u64(id + len, k);
        if (folder) {
            ok = taco__dataset_writer_append_sample(w, taco__bytes_of(id, len), true) &&
                 taco__dataset_writer_store_payload(w, NULL) == TACO_OK &&
                 taco__dataset_writer_pad_below(w, 1, 0);
        } else {
            ok = taco__dataset_writer_pad_file(w, taco__bytes_of(id, len));
        }
        w->depth = depth;
    }
    for (k = 0; ok && n && k < TACO__MAX_LEVELS; k++) {
        ok = k < w->depth ||
             taco__dataset_writer_fill_missing(w, (uint32_t)k, w->tree.level[k].rows);
    }
    w->fill = fill;
    return ok;
}

/* Pads the children, and makes the FOLDER the sample whose columns are set. */
TACO_API taco_status taco_writer_folder_end(taco_writer *w)
{
    if (taco__dataset_writer_status(w) != TACO_OK) { return taco__dataset_writer_status(w); }
    if (w->depth == 0) {
        return TACO__FAIL(&w->err, TACO_ERR_STATE, TACO_NO_OFFSET, "no FOLDER is open");
    }
    if (taco__dataset_writer_pad(w)) {
        w->depth--;
        w->level = w->depth; /* columns are those of the FOLDER again */
    }
    return w->err.code;
}

/* ---- the end ---- */

/* taco__container_columns.begin: the tables are read from the first row. */
static bool taco__dataset_writer_begin_level(void *ctx, uint32_t level, taco_error *err)
{
    taco_writer *w = (taco_writer *)ctx;
    (void)err;
    w->table = level;
    w->at = 0;
    return true;
}

/* taco__container_columns.next: slices of the complete columns, without a copy. */
static bool taco__dataset_writer_next_batch(void *ctx, taco_batch *out, taco_error *err)
{
    taco_writer *w = (taco_writer *)ctx;
    size_t rows = w->tree.level[w->table].rows, i;
    (void)err;
    memset(out, 0, sizeof *out);
    out->first_row = (int64_t)w->at;
    out->length = TACO__MIN(rows - w->at, (size_t)TACO__BUILDER_SLICE);
    for (i = 0; i < w->counts[w->table]; i++) {
        taco__builder *c = &w->columns[w->table][i];
        w->arrays[i] = taco__array_buf_slice(&c->pieces, &c->array, w->at, out->length);
    }
    out->columns = w->arrays;
    out->column_count = w->counts[w->table];
    w->at += out->length;
    return true;
}

/* Turns the builders into arrays, and describes them to the container. */
static bool taco__dataset_writer_finish_columns(taco_writer *w, taco__container_columns *src)
{
    uint32_t level;
    size_t i, most = 0;
    memset(src, 0, sizeof *src);
    src->ctx = w;
    src->begin = taco__dataset_writer_begin_level;
    src->next = taco__dataset_writer_next_batch;
    for (level = 0; level < w->tree.levels; level++) {
        size_t n = w->counts[level];
        most = TACO__MAX(most, n);
        w->fields[level] =
            (taco_field *)taco__arena_array(&w->arena, n, sizeof **w->fields, &w->err);
        for (i = 0; w->err.code == TACO_OK && i < n; i++) {
            taco__builder *c = &w->columns[level][i];
            taco__builder_finish(c);
            taco__array_buf_init(&c->pieces, c->rows.field, &w->mem, &w->arena, &w->err);
            w->fields[level][i] = *c->rows.field;
        }
        src->fields[level] = w->fields[level];
        src->counts[level] = n;
    }
    w->arrays = (taco_array *)taco__arena_array(&w->arena, most, sizeof *w->arrays, &w->err);
    return w->err.code == TACO_OK;
}

/* State for taco__column_rule_check_rows: the arrays begin with row `first`. */
typedef struct taco__dataset_writer_breach {
    taco_writer *w;
    uint32_t level;
    size_t first;
} taco__dataset_writer_breach;

/* Makes the first breach the writer's failure. */
static bool taco__dataset_writer_report(void *ctx, const taco_field *column, size_t row,
                                        const taco_error *what)
{
    const taco__dataset_writer_breach *b = (const taco__dataset_writer_breach *)ctx;
    taco_bytes id = taco__tree_id(&b->w->tree, b->level, b->first + row);
    (void)column;
    b->w->err = *what;
    taco__error_prefix(&b->w->err, "sample %u of level %u, %q", TACO__U(b->first + row),
                       TACO__U(b->level), &id);
    return false;
}

/* Checks that columns of extensions hold what their names promise, however they were set (§8). */
static bool taco__dataset_writer_check_values(taco_writer *w)
{
    taco__dataset_writer_breach b;
    taco_batch batch;
    size_t i;
    b.w = w;
    for (b.level = 0; b.level < w->tree.levels; b.level++) {
        for (i = 0; i < w->counts[b.level]; i++) {
            if (taco__column_rule_check_type(&w->fields[b.level][i], &w->err) != TACO_OK) {
                taco__error_prefix(&w->err, "level %u", TACO__U(b.level));
                return false;
            }
        }
        taco__dataset_writer_begin_level(w, b.level, &w->err);
        while (w->at < w->tree.level[b.level].rows) {
            b.first = w->at;
            if (!taco__dataset_writer_next_batch(w, &batch, &w->err) ||
                !taco__column_rule_check_rows(batch.columns, batch.column_count, batch.length,
                                              taco__dataset_writer_report, &b)) {
                return false;
            }
        }
    }
    return true;
}

/* All checks of a complete dataset, then its metadata. */
static bool taco__dataset_writer_finish(taco_writer *w)
{
    taco__container_columns src;
    uint32_t level;
    if (w->err.code != TACO_OK) { return false; }
    if (!taco__payload_batch_end(&w->pack, &w->err)) {
        if (w->pack.failed.known) { taco__dataset_writer_prefix_error(w); }
        return false;
    }
    if (w->depth) {
        taco_bytes id = taco__tree_id(&w->tree, w->depth - 1, w->tree.level[w->depth - 1].rows - 1);
        TACO__FAIL(&w->err, TACO_ERR_STATE, TACO_NO_OFFSET, "FOLDER %q is still open", &id);
        return false;
    }
    if (!w->has_collection) {
        TACO__FAIL(&w->err, TACO_ERR_STATE, TACO_NO_OFFSET, "there is no collection");
        return false;
    }
    for (level = 0; level < TACO__MAX_LEVELS; level++) {
        if (!taco__dataset_writer_fill_missing(w, level, w->tree.level[level].rows)) {
            return false;
        }
    }
    return taco__dataset_writer_pad(w) &&
           (w->any_tree || taco__tree_check_pit1(&w->tree, true, &w->err) == TACO_OK) &&
           (!w->strict_pit || taco__tree_check_strict_pit(&w->tree, &w->err) == TACO_OK) &&
           taco__dataset_writer_finish_columns(w, &src) &&
           (w->any_values || taco__dataset_writer_check_values(w)) &&
           taco__container_write_finish(&w->pack, w->collection.root, &src, &w->err);
}

/* The writer is gone afterwards, whatever the result. */
TACO_API taco_status taco_writer_finish(taco_writer *w, taco_error *err)
{
    taco_status st;
    if (!w) { return err ? err->code : TACO_ERR_ARGUMENT; }
    if (!taco__dataset_writer_finish(w)) {
        taco__container_write_abort(&w->pack); /* does nothing, unless finishing failed */
        if (w->path[0]) { taco__error_prefix(&w->err, "%s", w->path); }
    }
    st = w->err.code;
    taco__error_copy(err, &w->err);
    taco__dataset_writer_free(w);
    return st;
}
/* ==== src/write/sample_values.c ==== */
/* sample_values.c - taco_writer_set_*: values of the sample that was begun last, by column name

   In: a column's name and a value of some C type; out: one row in the column's builder, or a
   TYPE error that names the column's type and what it was given. TACO 2.0 §5, §7.1.1.

   taco__sample_value_column finds the column, guessing that columns are set in the same order
   for every sample, and brings it up to the row before. Conversions: integers into every
   integer, date, time and floating type they fit; text into dates and timestamps by ISO 8601. */
/* #include "write.h" */
/* #include "../base/base.h" */
/* #include "../parquet/parquet.h" */
/* #include "../dataset/dataset.h" */

/* The column's builder, ready for the value of the current sample. NULL on failure, with the
   writer's error set. */
static taco__array_builder *taco__sample_value_column(taco_writer *w, const char *name)
{
    taco_bytes key = taco__bytes_text(name ? name : "");
    taco__array_builder *c = NULL;
    size_t i, k, n, row;
    if (taco__dataset_writer_status(w) != TACO_OK) { return NULL; }
    if (!w->begun) {
        TACO__FAIL(&w->err, TACO_ERR_STATE, TACO_NO_OFFSET, "column %q: there is no sample yet",
                   &key);
        return NULL;
    }
    n = w->counts[w->level];
    row = w->tree.level[w->level].rows - 1;
    for (i = 0; i < n && !c; i++) {
        k = (w->hint[w->level] + i) % n;
        if (taco__bytes_equal(taco__bytes_text(w->columns[w->level][k].rows.field->name), key)) {
            c = &w->columns[w->level][k].rows;
            w->hint[w->level] = k + 1;
        }
    }
    if (!c) {
        TACO__FAIL(&w->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "level %u has no column %q",
                   TACO__U(w->level), &key);
    } else if (c->length > row) {
        TACO__FAIL(&w->err, TACO_ERR_STATE, TACO_NO_OFFSET, "column %q is set twice", &key);
    } else { /* earlier rows are complete, except in columns that were declared late */
        while (c->length < row) {
            if (!taco__array_builder_append_null(c, &w->err)) { break; }
        }
    }
    if (w->err.code != TACO_OK) {
        taco__dataset_writer_prefix_error(w);
        return NULL;
    }
    return c;
}

/* TYPE: the column's type and, in words, the value given. */
static taco_status taco__sample_value_fail_type(taco_writer *w, const taco__array_builder *c,
                                                const char *given)
{
    taco__buf b;
    taco_bytes name = taco__bytes_text(c->field->name);
    memset(&b, 0, sizeof b);
    b.mem = &w->mem;
    if (taco__type_name_append(c->field, &b, NULL) && taco__buf_append_char(&b, 0, NULL)) {
        TACO__FAIL(&w->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "column %q is %s, was given %s", &name,
                   (const char *)b.data, given);
    }
    TACO__FAIL(&w->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "column %q was given %s", &name, given);
    taco__buf_free(&b);
    return taco__dataset_writer_prefix_error(w);
}

TACO_API taco_status taco_writer_set_null(taco_writer *w, const char *column)
{
    taco__array_builder *c = taco__sample_value_column(w, column);
    if (c) { taco__array_builder_append_null(c, &w->err); }
    return taco__dataset_writer_status(w);
}

/* FIXED and UUID accept exactly their width, TEXT only UTF-8, as Parquet's strings. */
TACO_API taco_status taco_writer_set_bytes(taco_writer *w, const char *column, const void *data,
                                           size_t len)
{
    taco__array_builder *c = taco__sample_value_column(w, column);
    taco_bytes b = taco__bytes_of(data, len);
    size_t n;
    if (!c) { return taco__dataset_writer_status(w); }
    n = (size_t)c->field->width;
    if (!(c->field->type == TACO_TEXT || c->field->type == TACO_BINARY ||
          ((c->field->type == TACO_FIXED || c->field->type == TACO_UUID) && n == len))) {
        return taco__sample_value_fail_type(w, c, "bytes");
    }
    if (c->field->type == TACO_TEXT && !taco__utf8_valid(b)) {
        return taco__sample_value_fail_type(w, c, "bytes that are not UTF-8");
    }
    taco__array_builder_append_bytes(c, b, &w->err);
    return taco__dataset_writer_prefix_error(w);
}

/* Integers may be set in every numeric type: floating types round, others refuse what does not fit;
   0 and 1 in BOOL. */
TACO_API taco_status taco_writer_set_int(taco_writer *w, const char *column, int64_t value)
{
    taco__array_builder *c = taco__sample_value_column(w, column);
    taco_type t;
    double d = (double)value;
    float f = (float)value;
    if (!c) { return taco__dataset_writer_status(w); }
    t = c->field->type;
    if (t == TACO_DOUBLE || t == TACO_FLOAT) {
        taco__array_builder_append_bytes(
            c, t == TACO_DOUBLE ? taco__bytes_of(&d, 8) : taco__bytes_of(&f, 4), &w->err);
    } else if ((t >= TACO_INT8 && t <= TACO_UINT64) || t == TACO_DATE || t == TACO_TIME ||
               t == TACO_TIMESTAMP) {
        if (!taco__builder_append_int(c, value, &w->err)) {
            return taco__sample_value_fail_type(w, c, "a number that does not fit");
        }
    } else if (t == TACO_BOOL && (value == 0 || value == 1)) {
        taco__array_builder_append_bool(c, value != 0, &w->err);
    } else {
        return taco__sample_value_fail_type(w, c, "an integer");
    }
    return taco__dataset_writer_prefix_error(w);
}

TACO_API taco_status taco_writer_set_bool(taco_writer *w, const char *column, bool value)
{
    taco__array_builder *c = taco__sample_value_column(w, column);
    if (!c) { return taco__dataset_writer_status(w); }
    if (c->field->type != TACO_BOOL) { return taco__sample_value_fail_type(w, c, "a truth value"); }
    taco__array_builder_append_bool(c, value, &w->err);
    return taco__dataset_writer_prefix_error(w);
}

TACO_API taco_status taco_writer_set_double(taco_writer *w, const char *column, double value)
{
    taco__array_builder *c = taco__sample_value_column(w, column);
    if (!c) { return taco__dataset_writer_status(w); }
    if (c->field->type != TACO_DOUBLE && c->field->type != TACO_FLOAT) {
        return taco__sample_value_fail_type(w, c, "a number with a fraction");
    }
    taco__array_builder_append_double(c, value, &w->err);
    return taco__dataset_writer_prefix_error(w);
}

/* Text may also be set in dates and timestamps, as ISO 8601; NULL is null. */
TACO_API taco_status taco_writer_set_text(taco_writer *w, const char *column, const char *value)
{
    taco__array_builder *c;
    int64_t t;
    if (!value) { return taco_writer_set_null(w, column); }
    c = taco__sample_value_column(w, column);
    if (!c) { return taco__dataset_writer_status(w); }
    if (c->field->type == TACO_TEXT) {
        if (!taco__utf8_valid(taco__bytes_text(value))) {
            return taco__sample_value_fail_type(w, c, "text that is not UTF-8");
        }
        taco__array_builder_append_bytes(c, taco__bytes_text(value), &w->err);
    } else if (c->field->type == TACO_TIMESTAMP || c->field->type == TACO_DATE) {
        if (!taco__builder_parse_time(c->field, taco__bytes_text(value), &t)) {
            return taco__sample_value_fail_type(w, c, "text that is not an ISO 8601 date and time");
        }
        taco__builder_append_int(c, t, &w->err);
    } else {
        return taco__sample_value_fail_type(w, c, "text");
    }
    return taco__dataset_writer_prefix_error(w);
}

/* Sets a list of n numbers: doubles, or ints if doubles is NULL. */
static taco_status taco__sample_value_set_list(taco_writer *w, const char *column,
                                               const int64_t *ints, const double *doubles, size_t n)
{
    taco__array_builder *c = taco__sample_value_column(w, column), *item;
    size_t i;
    if (!c) { return taco__dataset_writer_status(w); }
    item = c->field->type == TACO_LIST ? &c->children[0] : NULL;
    if (!item || !(doubles ? item->field->type == TACO_DOUBLE || item->field->type == TACO_FLOAT
                           : item->field->type >= TACO_INT8 && item->field->type <= TACO_UINT64)) {
        return taco__sample_value_fail_type(w, c,
                                            doubles ? "a list of doubles" : "a list of integers");
    }
    for (i = 0; i < n && w->err.code == TACO_OK; i++) {
        if (doubles) {
            taco__array_builder_append_double(item, doubles[i], &w->err);
        } else if (!taco__builder_append_int(item, ints[i], &w->err)) {
            return taco__sample_value_fail_type(w, c, "a number that does not fit");
        }
    }
    if (w->err.code == TACO_OK) { taco__array_builder_end_row(c, true, &w->err); }
    return taco__dataset_writer_prefix_error(w);
}

TACO_API taco_status taco_writer_set_ints(taco_writer *w, const char *column, const int64_t *values,
                                          size_t n)
{
    return taco__sample_value_set_list(w, column, values, NULL, n);
}

/* values may be NULL when n is 0; a non-NULL pointer distinguishes doubles from integers. */
TACO_API taco_status taco_writer_set_doubles(taco_writer *w, const char *column,
                                             const double *values, size_t n)
{
    static const double none = 0;
    return taco__sample_value_set_list(w, column, NULL, values ? values : &none, n);
}

TACO_API taco_status taco_writer_set_array(taco_writer *w, const char *column,
                                           const taco_array *values, size_t row)
{
    taco__array_builder *c = taco__sample_value_column(w, column);
    if (!c) { return taco__dataset_writer_status(w); }
    if (!values || !taco__unify_same_type(c->field, values->field)) {
        return taco__sample_value_fail_type(w, c, "an array of another type");
    }
    taco__array_builder_append_copy(c, values, row, &w->err);
    return taco__dataset_writer_prefix_error(w);
}
/* ==== src/write/extensions.c ==== */
/* extensions.c - columns of STAC, ISTAC, split and scaling, and their centroids

   In: the values of an extension for one sample (taco_stac, taco_istac, ...); out: the
   extension's columns declared and set through the public writer. TACO 2.0 §8.

   Centroids: for a raster the middle by the geotransform, without rotation as in the reference;
   for a geometry the centroid of its areas, else of its lines, else of its points, in its own CRS,
   then converted (geo/projection.c). time_middle is rounded down. For pixels see band_statistics.c,
   for fields of the collection collection_members.c. */
/* #include "write.h" */
/* #include "../base/base.h" */
/* #include "../base/json.h" */
/* #include "../geo/geo.h" */
/* #include "../tiff/tiff.h" */
/* #include "../validate/validate.h" */

/* ---- longitude and latitude ---- */

/* Longitude and latitude of a point: computed, else by fn (may be NULL). UNSUPPORTED for other
   CRSs, CORRUPT if they are not finite or not on the globe. */
TACO__FN taco_status taco__extension_lonlat(const char *crs, double x, double y, taco_lonlat_fn fn,
                                            void *ctx, double out[2], taco_error *err)
{
    const double most = 1e9;
    taco_bytes name = taco__bytes_text(crs ? crs : "");
    bool ok;
    if (!(x > -most && x < most && y > -most && y < most)) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                          "the centroid is not a finite point of %q", &name);
    }
    ok = crs && taco__projection_inverse(taco__projection_epsg_code(crs), x, y, out);
    if (!ok && !(crs && fn && fn(ctx, crs, x, y, out))) {
        return TACO__FAIL(
            err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
            "longitude and latitude in %q are not computed here: UTM, web mercator and "
            "geographic CRSs are, others by a function of the caller's",
            &name);
    }
    if (!taco__projection_clamp(out)) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                          "a centroid in %q is outside of -180 to 180 and -90 to 90 degrees",
                          &name);
    }
    return TACO_OK;
}

TACO_API taco_status taco_lonlat(const char *crs, double x, double y, double out[2],
                                 taco_error *err)
{
    err = taco__error_fresh(err, NULL);
    return taco__extension_lonlat(crs, x, y, NULL, NULL, out, err);
}

/* ---- centroids
   ------------------------------------------------------------------------------------ */

/* Sums of points, lengths and areas, relative to `origin`, the first point. */
typedef struct taco__extension_sums {
    double origin[2], area, ax, ay, length, lx, ly, points, px, py;
    bool any;
    /* longitudes take the shorter way from one point to the next, possibly over the antimeridian,
       and likewise from the very first point to that of each part */
    bool around;
} taco__extension_sums;

/* A longitude relative to the origin, moved by whole turns as close as possible to `near`. */
static double taco__extension_turned(double x, double near)
{
    while (x - near > 180) {
        x -= 360;
    }
    while (x - near < -180) {
        x += 360;
    }
    return x;
}

/* Adds a run of points (a ring, a line, a point) to the sums. Coordinates are relative to the very
   first point, so that small shapes far from the origin keep their digits. Areas by the shoelace
   formula. */
static void taco__extension_sum_run(taco__extension_sums *m, const taco__wkb_item *run)
{
    double area = 0, cx = 0, cy = 0, x0 = 0, y0 = 0;
    size_t i;
    for (i = 0; i < run->n; i++) {
        double x = taco__wkb_coordinate(run->xy + i * run->stride, run->big);
        double y = taco__wkb_coordinate(run->xy + i * run->stride + 8, run->big);
        if (!m->any) {
            m->origin[0] = x;
            m->origin[1] = y;
            m->any = true;
        }
        x -= m->origin[0];
        y -= m->origin[1];
        /* not in degrees: it has no position, and would take many turns */
        if (m->around && x > -1e4 && x < 1e4) { x = taco__extension_turned(x, i ? x0 : 0); }
        m->points += 1;
        m->px += x;
        m->py += y;
        if (i && run->type != 1) {
            double cross = x0 * y - x * y0, dx = x - x0, dy = y - y0;
            double len = taco__math_sqrt(dx * dx + dy * dy);
            area += cross / 2;
            cx += (x0 + x) * cross / 6;
            cy += (y0 + y) * cross / 6;
            m->length += len;
            m->lx += len * (x0 + x) / 2;
            m->ly += len * (y0 + y) / 2;
        }
        x0 = x;
        y0 = y;
    }
    if (run->type == 3) { /* shells add, holes subtract, whatever their orientation */
        double sign = (area < 0) == (run->index > 0) ? 1 : -1;
        m->area += sign * area;
        m->ax += sign * cx;
        m->ay += sign * cy;
    }
}

/* Centroid of a geometry: of its area if it has one, else of its length, else of its points.
   CORRUPT if it is empty. */
static taco_status taco__extension_wkb_centroid(taco_bytes wkb, bool around, double out[2],
                                                taco_error *err)
{
    taco__wkb_reader w;
    taco__wkb_item item;
    taco__extension_sums m;
    memset(&m, 0, sizeof m);
    m.around = around;
    taco__wkb_reader_init(&w, wkb);
    for (;;) {
        taco_status st = taco__wkb_next(&w, &item, err);
        if (st != TACO_OK) { return st; }
        if (item.what == TACO__WKB_DONE) { break; }
        if (item.what == TACO__WKB_RUN) { taco__extension_sum_run(&m, &item); }
    }
    if (!m.any || taco__f64_is_nan(m.points) || taco__f64_is_nan(m.px) || taco__f64_is_nan(m.py)) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "the geometry is empty");
    }
    if (m.area > 0 || m.area < 0) {
        out[0] = m.ax / m.area;
        out[1] = m.ay / m.area;
    } else if (m.length > 0) {
        out[0] = m.lx / m.length;
        out[1] = m.ly / m.length;
    } else {
        out[0] = m.px / m.points;
        out[1] = m.py / m.points;
    }
    out[0] += m.origin[0];
    out[1] += m.origin[1];
    if (around && out[0] > -1e4 && out[0] < 1e4) { out[0] = taco__extension_turned(out[0], 0); }
    return TACO_OK;
}

/* ARGUMENT for NULL. */
static bool taco__extension_check_given(const void *values, taco_error *err)
{
    if (!values) { TACO__FAIL_SOFT(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no values given"); }
    return values != NULL;
}

TACO_API taco_status taco_stac_centroid(const taco_stac *s, double out[2], taco_error *err)
{
    const double *g = s ? s->geotransform : NULL;
    err = taco__error_fresh(err, NULL);
    if (!taco__extension_check_given(s, err)) { return TACO_ERR_ARGUMENT; }
    if (s->centroid) {
        out[0] = s->centroid[0];
        out[1] = s->centroid[1];
        return TACO_OK;
    }
    if (!s->shape || s->dimensions < 2) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "a tensor shape has rows and columns, %u sizes are given",
                          TACO__U(s->dimensions));
    }
    return taco__extension_lonlat(s->crs, g[0] + (double)s->shape[s->dimensions - 1] / 2 * g[1],
                                  g[3] + (double)s->shape[s->dimensions - 2] / 2 * g[5], s->lonlat,
                                  s->lonlat_ctx, out, err);
}

TACO_API taco_status taco_istac_centroid(const taco_istac *s, double out[2], taco_error *err)
{
    double xy[2] = {0, 0};
    err = taco__error_fresh(err, NULL);
    if (!taco__extension_check_given(s, err)) { return TACO_ERR_ARGUMENT; }
    if (s->centroid) {
        out[0] = s->centroid[0];
        out[1] = s->centroid[1];
        return TACO_OK;
    }
    if (taco__extension_wkb_centroid(
            s->geometry,
            s->antimeridian && s->crs &&
                taco__projection_is_geographic(taco__projection_epsg_code(s->crs)),
            xy, err) != TACO_OK) {
        taco__error_prefix(err, "istac:geometry");
        return err ? err->code : TACO_ERR_CORRUPT;
    }
    return taco__extension_lonlat(s->crs, xy[0], xy[1], s->lonlat, s->lonlat_ctx, out, err);
}

/* crs and shape point into t. UNSUPPORTED without a CRS code or georeferencing. */
TACO_API taco_status taco_stac_tiff(const taco_tiff *t, taco_stac *out, taco_error *err)
{
    const taco_tiff_header *h = taco_tiff_get(t);
    err = taco__error_fresh(err, NULL);
    memset(out, 0, sizeof *out);
    if (!h) { return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no TIFF given"); }
    if (!h->crs[0] || !h->has_geotransform) {
        return TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET, "%s: no %s", t->name,
                          h->crs[0] ? "georeferencing" : "CRS with a code");
    }
    out->crs = h->crs;
    out->shape = h->shape;
    out->dimensions = 3;
    memcpy(out->geotransform, h->geotransform, sizeof out->geotransform);
    return TACO_OK;
}

/* ---- columns of the writer
   ------------------------------------------------------------------------ */

/* A point as WKB, little-endian: 1, type 1, x, y. */
TACO__FN void taco__extension_write_wkb_point(const double xy[2], uint8_t wkb[21])
{
    memset(wkb, 0, 21);
    wkb[0] = wkb[1] = 1;
    taco__put_le64(wkb + 5, taco__f64_to_bits(xy[0]));
    taco__put_le64(wkb + 13, taco__f64_to_bits(xy[1]));
}

/* The middle of two times, rounded down, without overflow. */
TACO__FN int64_t taco__extension_middle(int64_t a, int64_t b)
{
    return taco__time_floor_div(a, 2) + taco__time_floor_div(b, 2) + ((a & 1) + (b & 1)) / 2;
}

/* Sets start, end and middle; without an end the latter two are null. */
static taco_status taco__extension_set_times(taco_writer *w, const char *prefix, int64_t start,
                                             int64_t end, bool has_end)
{
    char name[32];
    size_t n = strlen(prefix);
    memcpy(name, prefix, n);
    memcpy(name + n, "time_start", 11);
    taco_writer_set_int(w, name, start);
    memcpy(name + n, "time_end", 9);
    has_end ? taco_writer_set_int(w, name, end) : taco_writer_set_null(w, name);
    memcpy(name + n, "time_middle", 12);
    return has_end ? taco_writer_set_int(w, name, taco__extension_middle(start, end))
                   : taco_writer_set_null(w, name);
}

TACO_API taco_status taco_writer_stac_columns(taco_writer *w, uint32_t level)
{
    taco_writer_column(w, level, "stac:crs", TACO_TEXT);
    taco_writer_list(w, level, "stac:tensor_shape", TACO_INT64);
    taco_writer_list(w, level, "stac:geotransform", TACO_DOUBLE);
    taco_writer_column(w, level, "stac:time_start", TACO_TIMESTAMP);
    taco_writer_column(w, level, "stac:centroid", TACO_BINARY);
    taco_writer_column(w, level, "stac:time_end", TACO_TIMESTAMP);
    return taco_writer_column(w, level, "stac:time_middle", TACO_TIMESTAMP);
}

/* Failures of single columns stay in the writer; the last call returns its status. */
TACO_API taco_status taco_writer_set_stac(taco_writer *w, const taco_stac *s, taco_error *err)
{
    double xy[2];
    uint8_t wkb[21];
    taco_status st;
    err = taco__error_fresh(err, NULL);
    if (!taco__extension_check_given(s, err) ||
        (s->has_end && taco__column_rule_check_times(s->time_start, s->time_end, err) != TACO_OK)) {
        return TACO_ERR_ARGUMENT;
    }
    st = taco_stac_centroid(s, xy, err);
    if (st != TACO_OK) { return st; }
    taco__extension_write_wkb_point(xy, wkb);
    taco_writer_set_text(w, "stac:crs", s->crs);
    taco_writer_set_ints(w, "stac:tensor_shape", s->shape, s->dimensions);
    taco_writer_set_doubles(w, "stac:geotransform", s->geotransform, 6);
    taco_writer_set_bytes(w, "stac:centroid", wkb, sizeof wkb);
    return taco__extension_set_times(w, "stac:", s->time_start, s->time_end, s->has_end);
}

TACO_API taco_status taco_writer_istac_columns(taco_writer *w, uint32_t level)
{
    taco_writer_column(w, level, "istac:crs", TACO_TEXT);
    taco_writer_column(w, level, "istac:geometry", TACO_BINARY);
    taco_writer_column(w, level, "istac:time_start", TACO_TIMESTAMP);
    taco_writer_column(w, level, "istac:time_end", TACO_TIMESTAMP);
    taco_writer_column(w, level, "istac:time_middle", TACO_TIMESTAMP);
    return taco_writer_column(w, level, "istac:centroid", TACO_BINARY);
}

/* Failures of single columns stay in the writer; the last call returns its status. */
TACO_API taco_status taco_writer_set_istac(taco_writer *w, const taco_istac *s, taco_error *err)
{
    double xy[2];
    uint8_t wkb[21];
    taco_status st;
    err = taco__error_fresh(err, NULL);
    if (!taco__extension_check_given(s, err) ||
        (s->has_end && taco__column_rule_check_times(s->time_start, s->time_end, err) != TACO_OK)) {
        return TACO_ERR_ARGUMENT;
    }
    st = taco_istac_centroid(s, xy, err);
    if (st != TACO_OK) { return st; }
    taco__extension_write_wkb_point(xy, wkb);
    taco_writer_set_text(w, "istac:crs", s->crs);
    taco_writer_set_bytes(w, "istac:geometry", s->geometry.data, s->geometry.len);
    taco_writer_set_bytes(w, "istac:centroid", wkb, sizeof wkb);
    return taco__extension_set_times(w, "istac:", s->time_start, s->time_end, s->has_end);
}

TACO_API taco_status taco_writer_set_split(taco_writer *w, const char *split, taco_error *err)
{
    err = taco__error_fresh(err, NULL);
    taco_status st = taco__column_rule_check_split(taco__bytes_text(split ? split : ""), err);
    return st == TACO_OK ? taco_writer_set_text(w, "split", split) : st;
}

TACO_API taco_status taco_writer_scaling_columns(taco_writer *w, uint32_t level, bool lists)
{
    if (lists) {
        taco_writer_list(w, level, "scaling:scale_factor", TACO_FLOAT);
        taco_writer_list(w, level, "scaling:scale_offset", TACO_FLOAT);
    } else {
        taco_writer_column(w, level, "scaling:scale_factor", TACO_FLOAT);
        taco_writer_column(w, level, "scaling:scale_offset", TACO_FLOAT);
    }
    return taco_writer_list(w, level, "scaling:padding", TACO_INT32);
}

/* Sets a factor or offset, as a list or as a number; null if v is NULL. */
static taco_status taco__extension_set_scale(taco_writer *w, const char *name, const double *v,
                                             size_t n, bool lists)
{
    return !v      ? taco_writer_set_null(w, name)
           : lists ? taco_writer_set_doubles(w, name, v, n)
                   : taco_writer_set_double(w, name, v[0]);
}

/* Either `lists` of n numbers each, or one number each. */
TACO_API taco_status taco_writer_set_scaling(taco_writer *w, const double *factors,
                                             const double *offsets, size_t n, bool lists,
                                             const int32_t padding[4], taco_error *err)
{
    int64_t wide[4];
    size_t i;
    err = taco__error_fresh(err, NULL);
    for (i = 0; factors && i < n; i++) {
        taco_status st = taco__column_rule_check_factor(factors[i], err);
        if (st != TACO_OK) { return st; }
    }
    if (n == 0 || (!lists && n != 1)) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%u factors for columns of %s",
                          TACO__U(n), lists ? "lists" : "one each");
    }
    for (i = 0; padding && i < 4; i++) {
        wide[i] = padding[i];
    }
    taco__extension_set_scale(w, "scaling:scale_factor", factors, n, lists);
    taco__extension_set_scale(w, "scaling:scale_offset", offsets, n, lists);
    return padding ? taco_writer_set_ints(w, "scaling:padding", wide, 4)
                   : taco_writer_set_null(w, "scaling:padding");
}
/* ==== src/write/spatial_codes.c ==== */
/* spatial_codes.c - majortom:code of a point, and groups of neighbours along the Z curve

   In: longitudes and latitudes in degrees; out: the name of a MajorTOM grid cell (and back: the
   corner of a cell by its name), and numbers of groups of nearby points, of limited size.
   TACO 2.0 §8 (majortom:code, spatialgroup:code).

   Both repeat the reference's arithmetic: grid lines are where its floating-point numbers put
   them, groups are cut from the order along a Z curve of 21 bits per coordinate. */
/* #include "write.h" */
/* #include "../base/base.h" */
/* #include "../geo/geo.h" */

/* ---- the MajorTOM grid
   ---------------------------------------------------------------------------- */

#define TACO__SPATIAL_RADIUS 6378.137 /* radius of the earth at the equator, in kilometres */

/* Line i of lines `step` degrees apart. Each result is stored as a double, as in the reference. */
static double taco__spatial_line_at(uint64_t i, double step, double turn)
{
    TACO__ROUNDED v = (double)i * step;
    v = v - turn / 2;
    if (v < 0) { v = v + turn; }
    v = v - turn / 2;
    return v;
}

/* Lines around a circle of `turn` degrees; those from lo to hi belong to the grid. */
typedef struct taco__spatial_lines {
    uint64_t n;
    double turn, lo, hi;
} taco__spatial_lines;

/* The greatest line of the grid that is less than x; if there is none, the greatest of all with
   `wrap`, else the least. *index counts lines from 0, negative below, including those outside of
   the grid. False if the grid has no line. */
static bool taco__spatial_grid_line(const taco__spatial_lines *g, double x, bool wrap, double *line,
                                    int64_t *index)
{
    const TACO__ROUNDED step = g->turn / (double)g->n;
    double best = 0, least = 0, most = 0, at;
    bool found = false, any = false;
    uint64_t i;
    for (i = 0; i < g->n; i++) {
        at = taco__spatial_line_at(i, step, g->turn);
        if (at < g->lo || at > g->hi) { continue; }
        least = !any || at < least ? at : least;
        most = !any || at > most ? at : most;
        any = true;
        if (at < x && (!found || at > best)) {
            best = at;
            found = true;
        }
    }
    best = found ? best : wrap ? most : least;
    *index = 0;
    for (i = 0; any && i < g->n; i++) {
        at = taco__spatial_line_at(i, step, g->turn);
        *index += best >= 0 ? at >= 0 && at < best : -(at >= best && at < 0);
    }
    *line = best;
    return any;
}

/* The line with that index; false if the grid does not have it. */
static bool taco__spatial_indexed_line(const taco__spatial_lines *g, int64_t index, double *line)
{
    const TACO__ROUNDED step = g->turn / (double)g->n;
    uint64_t i = index < 0 ? g->n - (0 - (uint64_t)index) : (uint64_t)index;
    if (i >= g->n) { return false; }
    *line = taco__spatial_line_at(i, step, g->turn);
    return (*line >= 0) == (index >= 0) && *line >= g->lo && *line <= g->hi;
}

/* The next integer, for x from 0 to 2^63. */
static uint64_t taco__spatial_ceil(double x)
{
    uint64_t n = (uint64_t)x;
    return n + ((double)n < x);
}

/* Writes |x| with at least four digits; returns their end. */
TACO__FN char *taco__spatial_write_digits(char *p, int64_t x)
{
    uint64_t u = x < 0 ? 0 - (uint64_t)x : (uint64_t)x, ten;
    for (ten = 1000; ten > 1 && u < ten; ten /= 10) {
        *p++ = '0';
    }
    return p + taco__num_format_u64(p, u);
}

/* The lines of latitude, which are rows. ARGUMENT for impossible grids. */
static taco_status taco__spatial_rows(const taco_majortom_grid *g, double km,
                                      taco__spatial_lines *rows, taco_error *err)
{
    const bool given = g->south < 0 || g->south > 0 || g->north < 0 || g->north > 0;
    rows->turn = 180;
    rows->lo = given ? g->south : -85;
    rows->hi = given ? g->north : 85;
    if (!(km >= 0.5 && km <= 20000) || !(rows->lo <= rows->hi)) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "a grid of 0.5 to 20000 km is wanted, and south not above north");
    }
    rows->n = taco__spatial_ceil(TACO__PROJECTION_PI * TACO__SPATIAL_RADIUS / km);
    return TACO_OK;
}

/* The lines of longitude of a row, which are its columns: about km apart on its southern edge. */
static void taco__spatial_columns(const taco_majortom_grid *g, double km, double south,
                                  taco__spatial_lines *columns)
{
    const bool given = g->west < 0 || g->west > 0 || g->east < 0 || g->east > 0;
    double s, c, around;
    taco__projection_sincos(south * (TACO__PROJECTION_PI / 180), &s, &c);
    around = 2 * TACO__PROJECTION_PI * TACO__SPATIAL_RADIUS * c / km;
    columns->n = around > 1 ? taco__spatial_ceil(around) : 1;
    columns->turn = 360;
    columns->lo = given ? g->west : -180;
    columns->hi = given ? g->east : 180;
}

/* Rows are counted from the equator (U up, D down), columns from the meridian (R right, L left).
   Example: 100 km at 5 E, 52 N is "0100km_0058U_0003R". */
TACO_API taco_status taco_majortom_code(const taco_majortom_grid *grid, double lon, double lat,
                                        char *out, size_t room, taco_error *err)
{
    taco__spatial_lines rows, columns;
    const char *between = grid && grid->separator ? grid->separator : "_";
    size_t n = strlen(between);
    double south = 0, west;
    int64_t row = 0, column = 0;
    char number[24];
    err = taco__error_fresh(err, NULL);
    if (!grid || !out || !(lon >= -180 && lon <= 180) || !(lat >= -90 && lat <= 90)) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "a grid of 0.5 to 20000 km and a point in degrees are wanted");
    }
    if (taco__spatial_rows(grid, grid->km, &rows, err) != TACO_OK) { return TACO_ERR_ARGUMENT; }
    if (!taco__spatial_grid_line(&rows, lat, false, &south, &row)) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "the grid has no row between its south and its north");
    }
    taco__spatial_columns(grid, grid->km, south, &columns);
    /* a row without columns gets one, as in the reference: 0000R */
    taco__spatial_grid_line(&columns, lon, true, &west, &column);
    if (room < 3 * sizeof number + 2 * n) {
        return TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                          "a code needs %u bytes, there are %u", TACO__U(3 * sizeof number + 2 * n),
                          TACO__U(room));
    }
    out = taco__spatial_write_digits(out, (int64_t)grid->km);
    memcpy(out, "km", 2);
    memcpy(out + 2, between, n);
    out = taco__spatial_write_digits(out + 2 + n, row);
    *out++ = row < 0 ? 'D' : 'U';
    memcpy(out, between, n);
    out = taco__spatial_write_digits(out + n, column);
    *out++ = column < 0 ? 'L' : 'R';
    *out = 0;
    return TACO_OK;
}

TACO_API taco_status taco_majortom(double km, double lon, double lat, char *out, taco_error *err)
{
    char code[3 * 24 + 2];
    taco_majortom_grid grid;
    taco_status st;
    err = taco__error_fresh(err, NULL);
    memset(&grid, 0, sizeof grid);
    grid.km = km;
    st = taco_majortom_code(&grid, lon, lat, code, sizeof code, err);
    if (st == TACO_OK) { memcpy(out, code, strlen(code) + 1); }
    return st;
}

/* Reads the digits at the start of *text, and moves it after them. */
static bool taco__spatial_read_digits(const char **text, int64_t *out)
{
    uint64_t x = 0;
    size_t n = 0;
    while (taco__ascii_is_digit((uint8_t)(*text)[n])) {
        n++;
    }
    if (!n || n > 9 || !taco__num_parse_u64(taco__bytes_of(*text, n), &x)) { return false; }
    *text += n;
    *out = (int64_t)x;
    return true;
}

/* Parses a code: kilometres, row and column. False if it is not a code. */
static bool taco__spatial_parse_code(const char *code, const char *between, int64_t *km,
                                     int64_t *row, int64_t *column)
{
    size_t n = strlen(between);
    bool down, left;
    if (!taco__spatial_read_digits(&code, km) || strncmp(code, "km", 2) != 0 ||
        strncmp(code + 2, between, n) != 0) {
        return false;
    }
    code += 2 + n;
    if (!taco__spatial_read_digits(&code, row) || (*code != 'U' && *code != 'D')) { return false; }
    down = *code++ == 'D';
    if (strncmp(code, between, n) != 0) { return false; }
    code += n;
    if (!taco__spatial_read_digits(&code, column) || (*code != 'R' && *code != 'L')) {
        return false;
    }
    left = *code == 'L';
    *row = down ? -*row : *row;
    *column = left ? -*column : *column;
    return code[1] == 0 && !(down && *row == 0) && !(left && *column == 0);
}

TACO_API taco_status taco_majortom_point(const taco_majortom_grid *grid, const char *code,
                                         double out[2], taco_error *err)
{
    taco__spatial_lines rows, columns;
    taco_majortom_grid none;
    taco_bytes text = taco__bytes_text(code ? code : "");
    int64_t km = 0, row = 0, column = 0;
    double size, west, south;
    bool any;
    err = taco__error_fresh(err, NULL);
    memset(&none, 0, sizeof none);
    grid = grid ? grid : &none;
    if (!out ||
        !taco__spatial_parse_code((const char *)text.data, grid->separator ? grid->separator : "_",
                                  &km, &row, &column)) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "a code like 0100km_0003U_0005R is wanted, found %q", &text);
    }
    size = grid->km > 0 ? grid->km : (double)km;
    if (taco__spatial_rows(grid, size, &rows, err) != TACO_OK) { return TACO_ERR_ARGUMENT; }
    if (!taco__spatial_indexed_line(&rows, row, &south)) {
        return TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "the grid has no row of %q",
                          &text);
    }
    taco__spatial_columns(grid, size, south, &columns);
    if (!taco__spatial_indexed_line(&columns, column, &west)) {
        double line;
        int64_t first;
        any = taco__spatial_grid_line(&columns, 0, true, &line, &first);
        if (any || column != 0) {
            return TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                              "the grid has no column of %q", &text);
        }
        west = -180; /* the row has no columns: see taco_majortom_code */
    }
    out[0] = west;
    out[1] = south;
    return TACO_OK;
}

/* ---- groups of neighbours
   ------------------------------------------------------------------------- */

typedef struct taco__spatial_place {
    uint64_t code;
    size_t index;
} taco__spatial_place;

/* Order along the curve; points of the same place keep theirs. */
static int taco__spatial_compare_places(const void *ctx, const void *a, const void *b)
{
    const taco__spatial_place *x = (const taco__spatial_place *)a,
                              *y = (const taco__spatial_place *)b;
    (void)ctx;
    return x->code != y->code     ? (x->code < y->code ? -1 : 1)
           : x->index != y->index ? (x->index < y->index ? -1 : 1)
                                  : 0;
}

/* The position of a point on the Z curve over the globe: 21 bits of longitude and of latitude
   alternating, longitude in the even ones. */
static uint64_t taco__spatial_z_order(const double *point)
{
    const double most = (1 << 21) - 1;
    int64_t x = (int64_t)((point[0] + 180) / 360 * most);
    int64_t y = (int64_t)((point[1] + 90) / 180 * most);
    uint64_t code = 0;
    unsigned i;
    for (i = 0; i < 21; i++) {
        code |= ((uint64_t)x >> i & 1) << (2 * i) | ((uint64_t)y >> i & 1) << (2 * i + 1);
    }
    return code;
}

/* Sorts the points along the curve, then cuts: a new group begins when one more point would exceed
   the limits of the last. Points that are NaN or far off the globe belong to no group. */
TACO_API taco_status taco_spatial_groups(const double *points, const uint64_t *sizes, size_t n,
                                         uint64_t most_samples, uint64_t most_bytes,
                                         uint32_t *groups, taco_error *err)
{
    taco__mem mem;
    taco__spatial_place *order;
    size_t bytes, i, k = 0;
    uint64_t samples = 0, sum = 0;
    uint32_t group = 0;
    err = taco__error_fresh(err, NULL);
    if ((!most_samples && !most_bytes) || (most_bytes && !sizes)) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "groups want a most of samples or of bytes, and then sizes");
    }
    taco__mem_init(&mem, NULL);
    if (!taco__checked_mul_size(n, sizeof *order, &bytes)) {
        return TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "%u points", TACO__U(n));
    }
    order = (taco__spatial_place *)taco__mem_alloc(&mem, bytes, err);
    if (!order) { return TACO_ERR_MEMORY; }
    for (i = 0; i < n; i++) {
        const double *p = points + 2 * i;
        groups[i] = UINT32_MAX;
        if (p[0] >= -1e6 && p[0] <= 1e6 && p[1] >= -1e6 && p[1] <= 1e6) {
            order[k].index = i;
            order[k++].code = taco__spatial_z_order(p);
        }
    }
    if (!taco__sort_in(&mem, order, k, sizeof *order, taco__spatial_compare_places, NULL, err)) {
        taco__mem_free(&mem, order, bytes);
        return TACO_ERR_MEMORY;
    }
    for (i = 0; i < k; i++) {
        uint64_t size = sizes ? sizes[order[i].index] : 0;
        if (samples && ((most_samples && samples >= most_samples) ||
                        (most_bytes && (sum > most_bytes || size > most_bytes - sum)))) {
            group++;
            samples = sum = 0;
        }
        groups[order[i].index] = group;
        samples++;
        sum += size;
    }
    taco__mem_free(&mem, order, bytes ? bytes : 1);
    return TACO_OK;
}
/* ==== src/write/collection_members.c ==== */
/* collection_members.c - labels, publications, split and optical bands for COLLECTION.json

   In: structs of the caller, or the name of a sensor; out: members of an object, without braces,
   in the caller's buffer. TACO 2.0 §8 (labels, publications, split strategy, optical).

   The table of bands is the reference's. Each public call fills its own buffer and copies it out
   at the end (taco__members_copy_out), with LIMIT if the caller's is too small. */
/* #include "write.h" */
/* #include "../arrow/arrow.h" */
/* #include "../base/base.h" */

/* ---- fields of the collection ---- */

/* A writer of members into its own empty buffer. */
static taco__json_writer taco__members_writer(taco__buf *b, taco__mem *mem, taco_error *err)
{
    taco__mem_init(mem, NULL);
    memset(b, 0, sizeof *b);
    b->mem = mem;
    return taco__json_writer_init(b, err);
}

/* Copies the text, NUL-terminated, to the caller's buffer of `room` bytes; frees w's buffer in any
   case. If w failed, memory ran out. */
static taco_status taco__members_copy_out(taco__json_writer *w, char *out, size_t room,
                                          taco_error *err)
{
    taco__buf *b = w->out;
    taco_status st = w->ok ? TACO_OK : TACO_ERR_MEMORY;
    if (w->ok && b->len + 1 > room) {
        st =
            TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "the text needs %u bytes, there are %u",
                       TACO__U(b->len + 1), TACO__U(room));
    } else if (w->ok) {
        memcpy(out, b->data, b->len);
        out[b->len] = 0;
    }
    taco__buf_free(b);
    return st;
}

TACO_API taco_status taco_labels_json(const taco_label *labels, size_t n, const char *description,
                                      char *out, size_t room, taco_error *err)
{
    taco__mem mem;
    taco__buf b;
    err = taco__error_fresh(err, NULL);
    taco__json_writer w = taco__members_writer(&b, &mem, err);
    size_t i;
    taco__json_write_begin(&w, "labels:classes", '[');
    for (i = 0; i < n; i++) {
        taco__json_write_begin(&w, NULL, '{');
        taco__json_write_text(&w, "name", labels[i].name);
        taco__json_write_text(&w, "category", labels[i].category);
        taco__json_write_text(&w, "description", labels[i].description);
        taco__json_write_end(&w, '}');
    }
    taco__json_write_end(&w, ']');
    taco__json_write_text(&w, "labels:description", description);
    taco__json_write_u64(&w, "labels:num_classes", n);
    return taco__members_copy_out(&w, out, room, err);
}

TACO_API taco_status taco_publications_json(const taco_publication *list, size_t n, char *out,
                                            size_t room, taco_error *err)
{
    taco__mem mem;
    taco__buf b;
    err = taco__error_fresh(err, NULL);
    taco__json_writer w = taco__members_writer(&b, &mem, err);
    size_t i;
    taco__json_write_begin(&w, "publications", '[');
    for (i = 0; i < n; i++) {
        taco__json_write_begin(&w, NULL, '{');
        taco__json_write_text(&w, "doi", list[i].doi);
        taco__json_write_text(&w, "citation", list[i].citation);
        taco__json_write_text(&w, "summary", list[i].summary);
        taco__json_write_end(&w, '}');
    }
    taco__json_write_end(&w, ']');
    return taco__members_copy_out(&w, out, room, err);
}

/* ARGUMENT for strategies other than the reference's six. */
TACO_API taco_status taco_split_json(const char *strategy, char *out, size_t room, taco_error *err)
{
    static const char *const known[] = {"random", "stratified", "manual",
                                        "other",  "none",       "unknown"};
    taco__mem mem;
    taco__buf b;
    taco__json_writer w;
    taco_bytes name = taco__bytes_text(strategy ? strategy : "");
    size_t i;
    err = taco__error_fresh(err, NULL);
    for (i = 0; i < TACO__COUNT(known) && !taco__bytes_equal(taco__bytes_text(known[i]), name);
         i++) {}
    if (i == TACO__COUNT(known)) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "split:strategy is %q, allowed are random, stratified, manual, other, "
                          "none and unknown",
                          &name);
    }
    w = taco__members_writer(&b, &mem, err);
    taco__json_write_text(&w, "split:strategy", strategy);
    return taco__members_copy_out(&w, out, room, err);
}

/* A band of a known sensor. */
typedef struct taco__members_band {
    const char *name, *common, *what; /* what: NULL if like the common name */
    uint16_t metres;
    double centre, width; /* nanometres: full width at half maximum */
} taco__members_band;

/* Names, centres and widths are the reference's, so that both write the same. The reference
   has the wavelengths of bands MS-1 (blue: 482.5, 61) and MS-2 (green: 566, 74) of EO-1 ALI
   swapped. */
/* clang-format off */
static const taco__members_band taco__members_bands[] = {
    /* landsat1mss */
    {"B04", "Green", NULL, 60, 553.0, 98.0},
    {"B05", "Red", NULL, 60, 652.5, 95.0},
    {"B06", "NIR 1", "Near infrared 1", 60, 747.5, 105.0},
    {"B07", "NIR 2", "Near infrared 2", 60, 900.0, 178.0},
    /* landsat2mss */
    {"B04", "Green", NULL, 60, 549.5, 101.0},
    {"B05", "Red", NULL, 60, 659.0, 104.0},
    {"B06", "NIR 1", "Near infrared 1", 60, 750.5, 105.0},
    {"B07", "NIR 2", "Near infrared 2", 60, 897.0, 184.0},
    /* landsat3mss */
    {"B04", "Green", NULL, 60, 544.0, 96.0},
    {"B05", "Red", NULL, 60, 653.5, 101.0},
    {"B06", "NIR1", "Near infrared 1", 60, 743.0, 100.0},
    {"B07", "NIR 2", "Near infrared 2", 60, 896.5, 167.0},
    /* landsat4mss */
    {"B01", "Green", NULL, 60, 549.5, 109.0},
    {"B02", "Red", NULL, 60, 650.5, 93.0},
    {"B03", "NIR 1", "Near infrared 1", 60, 756.5, 111.0},
    {"B04", "NIR 2", "Near infrared 2", 60, 914.0, 216.0},
    /* landsat5mss */
    {"B01", "Green", NULL, 60, 552.5, 109.0},
    {"B02", "Red", NULL, 60, 648.5, 93.0},
    {"B03", "NIR 1", "Near infrared 1", 60, 760.0, 110.0},
    {"B04", "NIR 2", "Near infrared 2", 60, 925.0, 230.0},
    /* landsat4tm */
    {"B01", "Blue", NULL, 30, 484.5, 65.0},
    {"B02", "Green", NULL, 30, 569.0, 80.0},
    {"B03", "Red", NULL, 30, 659.0, 68.0},
    {"B04", "NIR", "Near infrared", 30, 841.0, 128.0},
    {"B05", "SWIR 1", "Shortwave infrared 1", 30, 1678.0, 214.0},
    {"B06", "TIR", "Thermal infrared", 30, 11080.0, 1300.0},
    {"B07", "SWIR 2", "Shortwave infrared 2", 30, 2222.5, 247.0},
    /* landsat5tm */
    {"B01", "Blue", NULL, 30, 485.0, 64.0},
    {"B02", "Green", NULL, 30, 569.0, 80.0},
    {"B03", "Red", NULL, 30, 660.0, 66.0},
    {"B04", "NIR", "Near infrared", 30, 840.0, 127.0},
    {"B05", "SWIR 1", "Shortwave infrared 1", 30, 1676.0, 214.0},
    {"B06", "TIR", "Thermal infrared", 30, 11435.0, 1970.0},
    {"B07", "SWIR 2", "Shortwave infrared 2", 30, 2223.5, 249.0},
    /* landsat7etm */
    {"B01", "Blue", NULL, 30, 477.5, 71.0},
    {"B02", "Green", NULL, 30, 560.0, 80.0},
    {"B03", "Red", NULL, 30, 661.5, 61.0},
    {"B04", "NIR", "Near infrared", 30, 835.0, 126.0},
    {"B05", "SWIR 1", "Shortwave infrared 1", 30, 1648.0, 198.0},
    {"B06", "TIR", "Longwave infrared", 30, 11345.0, 2030.0},
    {"B07", "SWIR 2", "Shortwave infrared 2", 30, 2205.0, 278.0},
    {"B08", "Pan", "Panchromatic", 15, 705.0, 378.0},
    /* landsat8oli */
    {"B01", "coastal aerosol", NULL, 30, 442.5, 15.0},
    {"B02", "blue", NULL, 30, 482.5, 59.0},
    {"B03", "green", NULL, 30, 561.5, 57.0},
    {"B04", "red", NULL, 30, 654.5, 37.0},
    {"B05", "NIR", "Near infrared", 30, 864.5, 27.0},
    {"B06", "SWIR 1", "Shortwave infrared 1", 30, 1609.0, 84.0},
    {"B07", "SWIR 2", "Shortwave infrared 2", 30, 2201.0, 186.0},
    {"B08", "Pan", "Panchromatic", 15, 589.5, 171.0},
    {"B09", "Cirrus", NULL, 30, 1373.5, 19.0},
    {"B10", "TIR 1", "Thermal infrared 1", 30, 10875.0, 550.0},
    {"B11", "TIR 2", "Thermal infrared 2", 30, 12025.0, 950.0},
    /* landsat9oli */
    {"B01", "coastal aerosol", NULL, 30, 443.0, 14.0},
    {"B02", "blue", NULL, 30, 481.5, 59.0},
    {"B03", "green", NULL, 30, 561.0, 56.0},
    {"B04", "red", NULL, 30, 654.0, 36.0},
    {"B05", "NIR", "Near infrared", 30, 864.5, 27.0},
    {"B06", "SWIR 1", "Shortwave infrared 1", 30, 1608.5, 85.0},
    {"B07", "SWIR 2", "Shortwave infrared 2", 30, 2200.0, 188.0},
    {"B08", "Pan", "Panchromatic", 15, 589.0, 172.0},
    {"B09", "Cirrus", NULL, 30, 1374.0, 20.0},
    {"B10", "TIR 1", "Thermal infrared 1", 30, 10825.0, 650.0},
    {"B11", "TIR 2", "Thermal infrared 2", 30, 12025.0, 850.0},
    /* sentinel2msi */
    {"B01", "coastal aerosol", NULL, 60, 443.5, 17.0},
    {"B02", "blue", NULL, 10, 496.5, 53.0},
    {"B03", "green", NULL, 10, 560.0, 34.0},
    {"B04", "red", NULL, 10, 664.5, 29.0},
    {"B05", "red edge 1", "Vegetation red edge 1", 20, 704.5, 13.0},
    {"B06", "red edge 2", "Vegetation red edge 2", 20, 740.5, 13.0},
    {"B07", "red edge 3", "Vegetation red edge 3", 20, 783.0, 18.0},
    {"B08", "NIR", "Near infrared", 10, 840.0, 114.0},
    {"B8A", "red edge 4", "Vegetation red edge 4", 20, 864.5, 19.0},
    {"B09", "water vapor", NULL, 60, 945.0, 18.0},
    {"B10", "cirrus", NULL, 60, 1375.5, 31.0},
    {"B11", "SWIR 1", "Shortwave infrared 1", 20, 1613.5, 89.0},
    {"B12", "SWIR 2", "Shortwave infrared 2", 20, 2199.5, 173.0},
    /* eo1ali */
    {"B01", "Pan", "Panchromatic", 30, 588.5, 175.0},
    {"B02", "MS-1p", "Blue", 30, 441.5, 19.0},
    {"B03", "MS-1", "Blue", 30, 566.0, 74.0},
    {"B04", "MS-2", "Green", 30, 482.5, 61.0},
    {"B05", "MS-3", "Red", 30, 660.0, 58.0},
    {"B06", "MS-4", "Near infrared", 30, 790.0, 30.0},
    {"B07", "MS-4p", "Shortwave infrared", 30, 866.0, 44.0},
    {"B08", "MS-5", "Shortwave infrared", 30, 1638.0, 184.0},
    {"B09", "MS-5p", "Shortwave infrared", 30, 1244.5, 89.0},
    {"B10", "MS-7", "Shortwave infrared", 30, 2224.0, 276.0},
    /* aster */
    {"B01", "VNIR", "Visible and near infrared", 15, 558.0, 84.0},
    {"B02", "VNIR", "Visible and near infrared", 15, 659.0, 60.0},
    {"B3N", "VNIR", "Visible and near infrared", 15, 806.0, 100.0},
    {"B3B", "VNIR", "Visible and near infrared", 15, 806.0, 108.0},
    {"B04", "SWIR", "Shortwave infrared", 30, 1655.0, 90.0},
    {"B05", "SWIR", "Shortwave infrared", 30, 2165.0, 35.0},
    {"B06", "SWIR", "Shortwave infrared", 30, 2208.5, 37.5},
    {"B07", "SWIR", "Shortwave infrared", 30, 2262.5, 45.0},
    {"B08", "SWIR", "Shortwave infrared", 30, 2333.5, 67.5},
    {"B09", "SWIR", "Shortwave infrared", 30, 2397.5, 65.0},
    {"B10", "TIR", "Thermal infrared", 90, 8280.0, 340.0},
    {"B11", "TIR", "Thermal infrared", 90, 8630.0, 340.0},
    {"B12", "TIR", "Thermal infrared", 90, 9075.0, 350.0},
    {"B13", "TIR", "Thermal infrared", 90, 10655.0, 650.0},
    {"B14", "TIR", "Thermal infrared", 90, 11300.0, 580.0},
    /* modis */
    {"B01", "B01", "Land/Cloud/Aerosols Boundaries", 250, 645.69, 45.01},
    {"B02", "B02", "Land/Cloud/Aerosols Boundaries", 250, 856.88, 37.0},
    {"B03", "B03", "Land/Cloud/Aerosols Properties", 500, 465.7, 17.979},
    {"B04", "B04", "Land/Cloud/Aerosols Properties", 500, 553.19, 18.989},
    {"B05", "B05", "Land/Cloud/Aerosols Properties", 500, 1241.5, 22.0},
    {"B06", "B06", "Land/Cloud/Aerosols Properties", 500, 1629.0, 27.9},
    {"B07", "B07", "Land/Cloud/Aerosols Properties", 500, 2113.2, 45.0},
    {"B08", "B08", "Ocean Color/Phytoplankton/Biogeochemistry", 1000, 411.67, 11.0},
    {"B09", "B09", "Ocean Color/Phytoplankton/Biogeochemistry", 1000, 442.16, 8.01},
    {"B10", "B10", "Ocean Color/Phytoplankton/Biogeochemistry", 1000, 486.69, 9.98},
    {"B11", "B11", "Ocean Color/Phytoplankton/Biogeochemistry", 1000, 529.669, 11.01},
    {"B12", "B12", "Ocean Color/Phytoplankton/Biogeochemistry", 1000, 546.71, 9.019},
    {"B13", "B13", "Ocean Color/Phytoplankton/Biogeochemistry", 1000, 665.19, 8.02},
    {"B14", "B14", "Ocean Color/Phytoplankton/Biogeochemistry", 1000, 677.219, 10.02},
    {"B15", "B15", "Ocean Color/Phytoplankton/Biogeochemistry", 1000, 746.789, 9.0},
    {"B16", "B16", "Ocean Color/Phytoplankton/Biogeochemistry", 1000, 866.809, 15.011},
    {"B17", "B17", "Atmospheric Water Vapor", 1000, 903.75, 33.0},
    {"B18", "B18", "Atmospheric Water Vapor", 1000, 935.75, 13.01},
    {"B19", "B19", "Atmospheric Water Vapor", 1000, 935.34, 44.99},
    {"B20", "B20", "Surface/Cloud Temperature", 1000, 3786.0, 190.0},
    {"B21", "B21", "Surface/Cloud Temperature", 1000, 3991.0, 80.0},
    {"B22", "B22", "Surface/Cloud Temperature", 1000, 3971.0, 80.0},
    {"B23", "B23", "Atmospheric Temperature", 1000, 4057.5, 85.0},
    {"B24", "B24", "Atmospheric Temperature", 1000, 4471.5, 85.0},
    {"B25", "B25", "Atmospheric Temperature", 1000, 4546.0, 90.0},
    {"B26", "B26", "Cirrus Clouds Water Vapor", 1000, 1383.6, 34.0},
    {"B27", "B27", "Cirrus Clouds Water Vapor", 1000, 6758.5, 225.0},
    {"B28", "B28", "Cirrus Clouds Water Vapor", 1000, 7334.5, 316.0},
    {"B29", "B29", "Cloud Properties", 1000, 8526.0, 300.0},
    {"B30", "B30", "Cloud Properties", 1000, 9752.0, 270.0},
    {"B31", "B31", "Surface/Cloud Temperature", 1000, 11013.0, 500.0},
    {"B32", "B32", "Surface/Cloud Temperature", 1000, 12039.5, 475.0},
    {"B33", "B33", "Cloud Top Altitude", 1000, 13362.0, 299.0},
    {"B34", "B34", "Cloud Top Altitude", 1000, 13682.5, 301.0},
    {"B35", "B35", "Cloud Top Altitude", 1000, 13893.0, 281.0},
    {"B36", "B36", "Cloud Top Altitude", 1000, 14143.5, 139.0},
};

/* Known sensors, and the ranges of their bands in the table above. */
static const struct {
    const char *name;
    uint8_t     first, count;
} taco__members_sensors[] = {
    {"landsat1mss", 0, 4},
    {"landsat2mss", 4, 4},
    {"landsat3mss", 8, 4},
    {"landsat4mss", 12, 4},
    {"landsat5mss", 16, 4},
    {"landsat4tm", 20, 7},
    {"landsat5tm", 27, 7},
    {"landsat7etm", 34, 8},
    {"landsat8oli", 42, 11},
    {"landsat9oli", 53, 11},
    {"sentinel2msi", 64, 13},
    {"eo1ali", 77, 10},
    {"aster", 87, 15},
    {"modis", 102, 36},
};

/* clang-format on */

/* True when a list "[B02,B03]" names a band; NULL lists all. */
static bool taco__members_is_listed(const char *list, const char *name)
{
    size_t n = strlen(name);
    if (!list) { return true; }
    while (*list) {
        list += strspn(list, "[, ");
        if (strncmp(list, name, n) == 0 && strchr(", ]", list[n]) != NULL) { return true; }
        list += strcspn(list, ", ");
    }
    return false;
}

/* Writes a number; 0 means unknown, null. */
static void taco__members_write_number(taco__json_writer *w, const char *key, double x)
{
    if (x < 0 || x > 0) {
        taco__json_write_double(w, key, x);
    } else {
        taco__json_write_text(w, key, NULL);
    }
}

/* Writes one band; `index` is its number in the sensor. */
static void taco__members_write_band(taco__json_writer *w, size_t index, const taco_band *band)
{
    taco__json_write_begin(w, NULL, '{');
    taco__json_write_text(w, "name", band->name);
    taco__json_write_u64(w, "index", index);
    taco__json_write_text(w, "common_name", band->common_name);
    taco__json_write_text(w, "description", band->description);
    taco__json_write_text(w, "unit", band->unit);
    taco__members_write_number(w, "center_wavelength", band->center_wavelength);
    taco__members_write_number(w, "full_width_half_max", band->full_width_half_max);
    taco__json_write_end(w, '}');
}

/* Writes the bands of a known sensor and returns their number. Listed bands keep their index in the
   whole sensor. */
static size_t taco__members_write_sensor(taco__json_writer *w, size_t sensor, const char *list)
{
    size_t i, n = 0;
    char text[96];
    for (i = 0; i < taco__members_sensors[sensor].count; i++) {
        const taco__members_band *known =
            &taco__members_bands[taco__members_sensors[sensor].first + i];
        const char *what = known->what ? known->what : known->common;
        size_t len = strlen(what);
        taco_band band;
        if (!taco__members_is_listed(list, known->name)) { continue; }
        memset(&band, 0, sizeof band);
        memcpy(text, what, len);
        memcpy(text + len, ", ", 2);
        len += 2 + taco__num_format_u64(text + len + 2, known->metres);
        memcpy(text + len, " m", 3);
        band.name = known->name;
        band.common_name = known->common;
        band.description = text;
        band.center_wavelength = known->centre;
        band.full_width_half_max = known->width;
        taco__members_write_band(w, i, &band);
        n++;
    }
    return n;
}

/* ARGUMENT if a list names a band that the sensor does not have. */
static bool taco__members_check_list(size_t sensor, const char *list, taco_error *err)
{
    while (list && *list) {
        size_t n, i;
        taco_bytes name;
        list += strspn(list, "[, ]");
        n = strcspn(list, ", ]");
        name = taco__bytes_of(list, n);
        for (i = 0; n && i < taco__members_sensors[sensor].count; i++) {
            const char *known = taco__members_bands[taco__members_sensors[sensor].first + i].name;
            if (taco__bytes_equal(taco__bytes_text(known), name)) { break; }
        }
        if (n && i == taco__members_sensors[sensor].count) {
            TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%s has no band %q",
                       taco__members_sensors[sensor].name, &name);
            return false;
        }
        list += n;
    }
    return true;
}

/* The sensor whose name differs in at most a third of its letters; NULL if there is none. */
static const char *taco__members_nearest_sensor(taco_bytes name)
{
    const char *near = NULL;
    size_t i, least = name.len / 3 + 1;
    for (i = 0; i < TACO__COUNT(taco__members_sensors); i++) {
        taco_bytes known = taco__bytes_text(taco__members_sensors[i].name);
        size_t d = taco__field_names_distance(name, known);
        if (d < least) {
            least = d;
            near = taco__members_sensors[i].name;
        }
    }
    return near;
}

/* sensor may end in a list of bands: "sentinel2msi[B02,B03]". If the caller gives bands, any name
   is accepted. */
TACO_API taco_status taco_optical_json(const char *sensor, const taco_band *bands, size_t n,
                                       char *out, size_t room, taco_error *err)
{
    taco__mem mem;
    taco__buf b;
    taco__json_writer w;
    taco_bytes name = taco__bytes_text(sensor ? sensor : "");
    const char *list = sensor && !bands ? strchr(sensor, '[') : NULL;
    size_t i, at;
    err = taco__error_fresh(err, NULL);
    name.len = list ? (size_t)(list - sensor) : name.len;
    for (i = 0; !bands && i < TACO__COUNT(taco__members_sensors) &&
                !taco__bytes_equal(taco__bytes_text(taco__members_sensors[i].name), name);
         i++) {}
    if (name.len == 0 || (!bands && i == TACO__COUNT(taco__members_sensors))) {
        const char *near = taco__members_nearest_sensor(name);
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "the bands of the sensor %q are not known%s%s: they must be given", &name,
                          near ? ", the nearest is " : "", near ? near : "");
    }
    if (!bands && !taco__members_check_list(i, list, err)) { return TACO_ERR_ARGUMENT; }
    w = taco__members_writer(&b, &mem, err);
    taco__json_write_bytes_value(&w, "optical:sensor", name);
    taco__json_write_begin(&w, "optical:bands", '[');
    if (!bands) { n = taco__members_write_sensor(&w, i, list); }
    for (at = 0; bands && at < n; at++) {
        taco__members_write_band(&w, at, &bands[at]);
    }
    taco__json_write_end(&w, ']');
    taco__json_write_u64(&w, "optical:num_bands", n);
    return taco__members_copy_out(&w, out, room, err);
}
/* ==== src/write/band_statistics.c ==== */
/* band_statistics.c - geotiff:stats: statistics of the pixels of each band

   In: decoded pixels, which the caller reads a part at a time (taco_pixels); out: the column
   geotiff:stats, a list of a list of float for each band: min, max, mean, standard deviation,
   percent of valid pixels, percentiles 25, 50, 75, 95; or the shares of classes. TACO 2.0 §8.

   Two passes over a band: sums by Welford's method, then a histogram of 100 buckets between min
   and max that percentiles are read from, as in the reference. NaN and the infinities are not
   valid. Scale and offset are applied to the results, not to the pixels. */
/* #include "write.h" */
/* #include "../base/base.h" */
/* #include "../base/json.h" */

/* ---- statistics of pixels ---- */

/* Buckets of the histogram for percentiles, as many as in the reference. */
#define TACO__BAND_STATS_BUCKETS 100
/* Pixels read at a time. */
#define TACO__BAND_STATS_READ 768
/* min, max, mean, std, valid %, p25, p50, p75, p95 */
#define TACO__BAND_STATS_NUMBERS 9

/* Receives the valid pixels of a band, a part at a time. */
typedef void (*taco__band_stats_fn)(void *ctx, const double *v, size_t n);

/* Reads all pixels of a band and passes on the valid ones. */
static bool taco__band_stats_for_each(const taco_pixels *p, uint32_t band, taco__band_stats_fn each,
                                      void *ctx, taco_error *err)
{
    double buffer[TACO__BAND_STATS_READ];
    uint64_t at;
    size_t n, i, k;
    for (at = 0; at < p->count; at += n) {
        n = (size_t)TACO__MIN(p->count - at, (uint64_t)TACO__BAND_STATS_READ);
        if (!p->read(p->ctx, band, at, buffer, n)) {
            TACO__FAIL(err, TACO_ERR_IO, TACO_NO_OFFSET, "band %u: pixels %u to %u cannot be read",
                       TACO__U(band), at, at + n);
            return false;
        }
        for (i = k = 0; i < n; i++) {
            buffer[k] = buffer[i];
            k += taco__f64_is_finite(buffer[i]); /* neither NaN nor infinite */
        }
        each(ctx, buffer, k);
    }
    return true;
}

/* Welford's mean and sum of squares */
typedef struct taco__band_stats_sums {
    uint64_t n;
    double min, max, mean, squares;
} taco__band_stats_sums;

/* Welford: mean and sum of squared deviations in one pass. */
static void taco__band_stats_sum_pixels(void *ctx, const double *v, size_t n)
{
    taco__band_stats_sums *s = (taco__band_stats_sums *)ctx;
    size_t i;
    for (i = 0; i < n; i++) {
        double d = v[i] - s->mean;
        s->n++;
        s->mean += d / (double)s->n;
        s->squares += d * (v[i] - s->mean);
        s->min = s->n == 1 || v[i] < s->min ? v[i] : s->min;
        s->max = s->n == 1 || v[i] > s->max ? v[i] : s->max;
    }
}

typedef struct taco__band_stats_histogram {
    uint64_t count[TACO__BAND_STATS_BUCKETS];
    double min, width;
} taco__band_stats_histogram;

/* Counts pixels by bucket; the greatest value belongs to the last one. */
static void taco__band_stats_fill_histogram(void *ctx, const double *v, size_t n)
{
    taco__band_stats_histogram *h = (taco__band_stats_histogram *)ctx;
    size_t i;
    for (i = 0; i < n; i++) {
        double at = (v[i] - h->min) / h->width;
        h->count[at < TACO__BAND_STATS_BUCKETS - 1 ? (size_t)at : TACO__BAND_STATS_BUCKETS - 1]++;
    }
}

/* The nine numbers of a band; *any is false if it has no valid pixel. */
static bool taco__band_stats_continuous(const taco_pixels *p, uint32_t band, float *out, bool *any,
                                        taco_error *err)
{
    static const double shares[] = {0.25, 0.5, 0.75, 0.95};
    taco__band_stats_sums s;
    taco__band_stats_histogram h;
    double v[TACO__BAND_STATS_NUMBERS], std;
    bool scaled = p->scale < 0 || p->scale > 0;
    size_t i, k;
    memset(&s, 0, sizeof s);
    memset(&h, 0, sizeof h);
    if (!taco__band_stats_for_each(p, band, taco__band_stats_sum_pixels, &s, err)) { return false; }
    *any = s.n != 0;
    if (!*any) { return true; }
    h.min = s.min;
    h.width = (s.max - s.min) / TACO__BAND_STATS_BUCKETS;
    std = taco__math_sqrt(s.squares / (double)s.n);
    if (h.width > 0 &&
        !taco__band_stats_for_each(p, band, taco__band_stats_fill_histogram, &h, err)) {
        return false;
    }
    v[0] = s.min;
    v[1] = s.max;
    v[2] = s.mean;
    v[3] = 0; /* the deviation, which has no offset */
    v[4] = 100 * ((double)s.n / (double)p->count);
    for (i = 0; i < 4; i++) {
        uint64_t sum = 0;
        for (k = 0; k + 1 < TACO__BAND_STATS_BUCKETS; k++) {
            sum += h.count[k];
            if ((double)sum >= shares[i] * (double)s.n) { break; }
        }
        v[5 + i] = h.width > 0 ? h.min + ((double)k + 0.5) * h.width : s.min;
    }
    for (i = 0; i < TACO__BAND_STATS_NUMBERS; i++) {
        out[i] = (float)(scaled && i != 4 ? v[i] * p->scale + p->offset : v[i]);
    }
    out[3] = (float)(h.width > 0 ? scaled ? std * p->scale : std : 0);
    return true;
}

typedef struct taco__band_stats_classes {
    const taco_pixels *p;
    uint64_t *count, all;
} taco__band_stats_classes;

/* Counts pixels of each class; those of unknown classes are ignored. */
static void taco__band_stats_count_classes(void *ctx, const double *v, size_t n)
{
    taco__band_stats_classes *c = (taco__band_stats_classes *)ctx;
    size_t i, k;
    for (i = 0; i < n; i++) {
        for (k = 0; k < c->p->class_count; k++) {
            double d = v[i] - (double)c->p->classes[k];
            if (!(d < 0 || d > 0)) {
                c->count[k]++;
                c->all++;
                break;
            }
        }
    }
}

/* The share of each class among the pixels of all classes; *any is false if there are none. */
static bool taco__band_stats_categorical(const taco_pixels *p, uint32_t band, uint64_t *count,
                                         float *out, bool *any, taco_error *err)
{
    taco__band_stats_classes c;
    size_t k;
    c.p = p;
    c.count = count;
    c.all = 0;
    memset(count, 0, p->class_count * sizeof *count);
    if (!taco__band_stats_for_each(p, band, taco__band_stats_count_classes, &c, err)) {
        return false;
    }
    *any = c.all != 0;
    for (k = 0; *any && k < p->class_count; k++) {
        out[k] = (float)((double)count[k] / (double)c.all);
    }
    return true;
}

/* geotiff:stats is a list of a list of numbers for each band. */
static void taco__band_stats_fields(taco_field f[3])
{
    f[0] = taco__field_make_nested("geotiff:stats", TACO_LIST, &f[1], 1);
    f[1] = taco__field_make_nested("element", TACO_LIST, &f[2], 1);
    f[2] = taco__field_make("element", TACO_FLOAT);
}

TACO_API taco_status taco_writer_stats_column(taco_writer *w, uint32_t level)
{
    taco_field f[3];
    taco__band_stats_fields(f);
    return taco_writer_field(w, level, &f[0]);
}

/* Sets the column from bands * numbers values, which are wrapped in arrays without a copy. */
static taco_status taco__band_stats_set(taco_writer *w, uint32_t bands, size_t numbers,
                                        const float *values, taco__arena *arena, taco_error *err)
{
    taco_field f[3];
    taco_array a[3];
    int32_t outer[2], *inner;
    uint32_t i;
    inner = (int32_t *)taco__arena_array(arena, (size_t)bands + 1, sizeof *inner, err);
    if (!inner) { return TACO_ERR_MEMORY; }
    taco__band_stats_fields(f);
    memset(a, 0, sizeof a);
    outer[0] = 0;
    outer[1] = (int32_t)bands;
    for (i = 0; i <= bands; i++) {
        inner[i] = (int32_t)(i * numbers);
    }
    for (i = 0; i < 3; i++) {
        a[i].field = &f[i];
        a[i].children = i < 2 ? &a[i + 1] : NULL;
    }
    a[0].length = 1;
    a[0].offsets = outer;
    a[1].length = bands;
    a[1].offsets = inner;
    a[2].length = bands * numbers;
    a[2].v.any = values;
    return taco_writer_set_array(w, "geotiff:stats", &a[0], 0);
}

/* Null if a band has no valid pixel: the column has numbers for all bands or none. */
TACO_API taco_status taco_writer_set_stats(taco_writer *w, const taco_pixels *p, taco_error *err)
{
    taco__mem mem;
    taco__arena arena;
    size_t numbers = p && p->class_count ? p->class_count : TACO__BAND_STATS_NUMBERS, all;
    float *values = NULL;
    uint64_t *count = NULL;
    uint32_t i;
    bool any = true, ok = true;
    taco_status st = TACO_ERR_ARGUMENT;
    err = taco__error_fresh(err, NULL);
    if (!p || !p->read || p->bands == 0 || p->count == 0 || p->bands > UINT16_MAX ||
        (p->class_count && !p->classes) || numbers > UINT16_MAX) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "geotiff:stats needs bands, pixels and a way to read them");
    }
    taco__mem_init(&mem, NULL);
    arena.mem = &mem;
    arena.head = NULL;
    all = (size_t)p->bands * numbers;
    if (all <= INT32_MAX) {
        values = (float *)taco__arena_array(&arena, all, sizeof *values, err);
        count = (uint64_t *)taco__arena_array(&arena, numbers, sizeof *count, err);
    }
    ok = values && count;
    for (i = 0; ok && any && i < p->bands; i++) {
        float *out = values + i * numbers;
        ok = p->class_count ? taco__band_stats_categorical(p, i, count, out, &any, err)
                            : taco__band_stats_continuous(p, i, out, &any, err);
    }
    if (ok) {
        st = any ? taco__band_stats_set(w, p->bands, numbers, values, &arena, err)
                 : taco_writer_set_null(w, "geotiff:stats");
    } else {
        st = err && err->code != TACO_OK ? err->code : TACO_ERR_IO;
    }
    taco__arena_free(&arena);
    return st;
}
/* ==== src/write/export_source.c ==== */
/* export_source.c - columns and payloads of an export, read from the source dataset

   In: a source dataset and the tree of chosen samples (export.c); out: the two streams a
   container is written from: batches of the user's columns (taco__container_columns) and the
   bytes of each FILE. TACO 2.0 §7.1.3, §7.1.4.

   Columns come from a cursor over the level's table, from which only chosen rows are passed on; a
   level whose rows are not in the order of their parents is read into memory and returned in the
   order of e->order. Bytes are where the level says, unless there is no local header with that
   name: then __meta__ says where (taco__export_source_range), as some writers stored the offset of
   another row in the level. If the source reads many ranges in one request, payloads are fetched a
   window at a time. */
/* #include "write.h" */
/* #include "../base/base.h" */
/* #include "../base/file_copy.h" */
/* #include "../arrow/arrow.h" */
/* #include "../parquet/parquet.h" */
/* #include "../dataset/dataset.h" */
/* #include "../validate/validate.h" */

/* Bytes of payload requested at a time from a source with read_many. */
#define TACO__EXPORT_PREFETCH 8388608
/* Payloads up to this size are small: this many bytes have the local headers of many. */
#define TACO__EXPORT_SMALL 4096
#define TACO__EXPORT_LEADS 65536

/* Frees the columns of the level being read; safe if there is none. */
TACO__FN void taco__export_source_end_level(taco__export *e)
{
    size_t i, n = e->source.counts[e->level];
    for (i = 0; i < n; i++) {
        if (e->selected) { taco__array_buf_free(&e->selected[i]); }
        if (e->whole) { taco__builder_free(&e->whole[i]); }
    }
    e->selected = NULL;
    e->whole = NULL;
    taco_cursor_close(e->cursor, NULL);
    e->cursor = NULL;
    taco__arena_free(&e->columns);
}

/* ---- columns ---- */

/* Declares the user's columns of a level: all but those of the format, nullable. A name that a new
   dataset cannot have is an error, as in tables. */
TACO__FN bool taco__export_source_fields(taco__export *e, uint32_t level, taco_error *err)
{
    size_t n, i, count = 0;
    const taco_field *all = taco_level_fields(e->ds, level, &n, err);
    taco_field *fields =
        all ? (taco_field *)taco__arena_array(&e->arena, n, sizeof *fields, err) : NULL;
    if (!fields) { return false; }
    for (i = 0; i < n; i++) {
        taco_bytes name = taco__bytes_text(all[i].name);
        if (taco__rules_is_format_column(name)) { continue; }
        if (taco__rules_check_own_name(name, err) != TACO_OK) {
            taco__error_prefix(err, "level %u", TACO__U(level));
            return false;
        }
        fields[count] = all[i];
        fields[count++].nullable = true;
    }
    e->source.fields[level] = fields;
    e->source.counts[level] = count;
    return true;
}

/* The user's columns as a query's select, NUL-terminated: "a", "b". */
static bool taco__export_source_select_list(taco__export *e, uint32_t level, taco__buf *out,
                                            taco_error *err)
{
    size_t i;
    bool ok = true;
    for (i = 0; ok && i < e->source.counts[level]; i++) {
        const char *p = e->source.fields[level][i].name;
        ok = taco__buf_append_text(out, i ? ", \"" : "\"", err);
        for (; ok && *p; p++) {
            ok = (*p != '"' || taco__buf_append_char(out, '"', err)) &&
                 taco__buf_append_char(out, *p, err);
        }
        ok = ok && taco__buf_append_char(out, '"', err);
    }
    return ok && taco__buf_append_char(out, 0, err);
}

/* The chosen rows of the next batch that has any; length 0 at the end. If all rows of a batch are
   chosen, it is passed on without a copy. */
static bool taco__export_source_next_chosen(taco__export *e, taco_batch *out, taco_error *err)
{
    taco_batch b;
    size_t i, n = 0;
    memset(out, 0, sizeof *out);
    while (n == 0) {
        int32_t *index;
        const uint64_t *place =
            taco_cursor_batch(e->cursor, &b) ? taco_cursor_positions(e->cursor) : NULL;
        if (!place) {
            taco_cursor *c = e->cursor;
            e->cursor = NULL;
            return taco_cursor_close(c, err) == TACO_OK;
        }
        if (place[b.length - 1] >= e->rows[e->level] ||
            !taco__buf_reset(&e->index, b.length * sizeof *index, err)) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "level %u has more rows than before",
                       TACO__U(e->level));
            return false;
        }
        index = (int32_t *)(void *)e->index.data;
        for (i = 0; i < b.length; i++) {
            index[n] = (int32_t)i;
            n += taco__bitmap_get(e->chosen[e->level], (size_t)place[i]);
        }
    }
    if (n == b.length) {
        *out = b;
        return true;
    }
    for (i = 0; i < b.column_count; i++) {
        if (!taco__take_array(&e->selected[i], &b.columns[i],
                              (const int32_t *)(const void *)e->index.data, n, err)) {
            return false;
        }
        e->arrays[i] = e->selected[i].array;
    }
    out->first_row = -1;
    out->length = n;
    out->columns = e->arrays;
    out->column_count = b.column_count;
    return true;
}

/* Reads all chosen rows of a level into memory, because their order differs from that in the
   source. */
static bool taco__export_source_read_level(taco__export *e, taco_error *err)
{
    size_t n = e->source.counts[e->level], i, row;
    taco_batch b;
    bool ok;
    e->whole = (taco__builder *)taco__arena_array(&e->columns, n, sizeof *e->whole, err);
    ok = e->whole != NULL;
    for (i = 0; ok && i < n; i++) {
        ok = taco__builder_init(&e->whole[i], &e->source.fields[e->level][i], &e->mem, &e->columns,
                                err);
    }
    b.length = 1;
    while (ok && b.length) {
        ok = taco__export_source_next_chosen(e, &b, err);
        for (i = 0; ok && i < n && b.length; i++) {
            for (row = 0; ok && row < b.length; row++) {
                ok = taco__array_builder_append_copy(&e->whole[i].rows, &b.columns[i], row, err);
            }
        }
    }
    for (i = 0; ok && i < n; i++) {
        taco__builder_finish(&e->whole[i]);
        ok = e->whole[i].rows.length == e->tree.level[e->level].rows;
    }
    e->at = 0;
    return ok;
}

/* taco__container_columns.begin. */
TACO__FN bool taco__export_source_begin_level(void *ctx, uint32_t level, taco_error *err)
{
    taco__export *e = (taco__export *)ctx;
    taco_query q;
    taco__buf names;
    size_t i, n = e->source.counts[level];
    bool ok;
    memset(&q, 0, sizeof q);
    memset(&names, 0, sizeof names);
    names.mem = &e->mem;
    taco__export_source_end_level(e);
    e->level = level;
    e->at = 0;
    ok = taco__export_source_select_list(e, level, &names, err);
    if (ok) {
        q.table = level;
        q.padding = true;
        q.select = (const char *)names.data;
        e->cursor = taco_select(e->ds, &q, err);
    }
    taco__buf_free(&names);
    if (!e->cursor) { return false; }
    e->arrays = (taco_array *)taco__arena_array(&e->columns, n, sizeof *e->arrays, err);
    e->selected = (taco__array_buf *)taco__arena_array(&e->columns, n, sizeof *e->selected, err);
    ok = e->arrays && e->selected;
    for (i = 0; ok && i < n; i++) {
        ok = taco__array_buf_init(&e->selected[i], &e->source.fields[level][i], &e->mem,
                                  &e->columns, err);
    }
    return ok && (!e->order[level].len || taco__export_source_read_level(e, err));
}

/* taco__container_columns.next. */
TACO__FN bool taco__export_source_next_batch(void *ctx, taco_batch *out, taco_error *err)
{
    taco__export *e = (taco__export *)ctx;
    const int32_t *order = (const int32_t *)(const void *)e->order[e->level].data;
    size_t i, n;
    if (!e->whole) { return taco__export_source_next_chosen(e, out, err); }
    n = TACO__MIN(e->tree.level[e->level].rows - e->at, (size_t)TACO__BATCH_ROWS);
    memset(out, 0, sizeof *out);
    for (i = 0; i < e->source.counts[e->level]; i++) {
        if (!taco__take_array(&e->selected[i], &e->whole[i].array, order + e->at, n, err)) {
            return false;
        }
        e->arrays[i] = e->selected[i].array;
    }
    e->at += n;
    out->first_row = -1;
    out->length = n;
    out->columns = e->arrays;
    out->column_count = e->source.counts[e->level];
    return true;
}

/* ---- payload ---- */

/* taco_source.read over a file whose window has been fetched. */
static bool taco__export_source_read_prefetched(void *ctx, uint64_t offset, void *dst, size_t len)
{
    return taco__file_read((taco__file *)ctx, offset, dst, len, NULL);
}

/* Origin of the bytes of a row, which is that of its sample of level 0. */
static const taco__export_origin *taco__export_source_origin_of(taco__export *e, uint32_t level,
                                                                size_t row, size_t *number)
{
    for (; level; level--) {
        row = taco__tree_parent(&e->tree, level, row);
    }
    *number = ((const uint32_t *)(const void *)e->place.data)[row];
    return &((const taco__export_origin *)(const void *)e->places.data)[*number];
}

/* Fetches the bytes of the following rows in one request, as long as they are close together in the
   same archive. Local headers are fetched too. */
static bool taco__export_source_prefetch(taco__export *e, uint32_t level, size_t row, size_t place,
                                         taco_error *err)
{
    taco__export_window *w = &e->window[level];
    uint64_t begin = UINT64_MAX, end = 0, sum = 0;
    size_t to = row, number;
    if (w->file == e->file && row >= w->from && row < w->to) { return true; }
    if (w->file) {
        taco__file_release(w->file, w->range.offset, w->range.len);
        w->file = NULL;
    }
    for (; to < e->tree.level[level].rows; to++) {
        uint64_t offset = (uint64_t)taco__tree_offset(&e->tree, level, to),
                 size = (uint64_t)taco__tree_size(&e->tree, level, to), low, high;
        taco__export_source_origin_of(e, level, to, &number);
        if (number != place || taco__tree_is_folder(&e->tree, level, to)) { break; }
        low = TACO__MIN(begin, offset - TACO__MIN(offset, (uint64_t)1024));
        high = TACO__MAX(end, offset + size);
        sum += size;
        if (high - low > TACO__EXPORT_PREFETCH || high - low > sum * 2 + 65536) {
            break; /* too much at once, or too far apart */
        }
        begin = low;
        end = high;
    }
    if (to > row && taco__checked_range(begin, end - begin, e->file->src.size)) {
        w->range.offset = begin;
        w->range.len = end - begin;
        w->from = row;
        w->to = to;
        if (!taco__file_fetch(e->file, &w->range, 1, err)) { return false; }
        w->file = e->file;
    }
    return true;
}

/* True if the local header of the entry `name` ends right before the offset, with or without the
   ZIP64 extra field. */
static bool taco__export_source_has_local_header(taco__export *e, uint64_t offset, taco_bytes name,
                                                 taco_error *err)
{
    const uint64_t size = e->file->src.size;
    size_t extra;
    for (extra = 0; extra <= 20; extra += 20) {
        size_t len = TACO__ZIP_LOCAL_BYTES + name.len + extra;
        if (offset < len || offset > size) { continue; }
        if (!taco__buf_reset(&e->head, len, err) ||
            !taco__file_read(e->file, offset - len, e->head.data, len, err)) {
            return false;
        }
        if (taco__load_le32(e->head.data) == TACO__ZIP_SIG_LOCAL &&
            memcmp(e->head.data + TACO__ZIP_LOCAL_BYTES, name.data, name.len) == 0) {
            return true;
        }
    }
    return false;
}

/* The stored row of a sample of level 0, counted over all containers. Samples are mostly asked for
   in order. */
static size_t taco__export_source_stored_row(taco__export *e, size_t sample)
{
    if (sample < e->before) { e->before = e->stored = 0; }
    for (; e->stored + 1 < e->rows[0]; e->stored++) {
        if (!taco__bitmap_get(e->chosen[0], e->stored)) { continue; }
        if (e->before == sample) { break; }
        e->before++;
    }
    return e->stored;
}

/* Makes e->head the keys of a row below level 0 with this path of ids. The id of its sample may
   belong to a sample of another container, too. */
static bool taco__export_source_make_keys(taco__export *e, uint32_t level, size_t row,
                                          taco_bytes path, taco_error *err)
{
    const uint8_t *slash = (const uint8_t *)memchr(path.data, '/', path.len);
    size_t skip = slash ? (size_t)(slash - path.data) : path.len;
    char digits[24];
    for (; level; level--) {
        row = taco__tree_parent(&e->tree, level, row);
    }
    e->head.len = 0;
    return taco__buf_append_text(&e->head, "@@", err) &&
           taco__buf_append(&e->head, digits,
                            taco__num_format_u64(digits, taco__export_source_stored_row(e, row)),
                            err) &&
           taco__nav_append_keys(&e->head, taco__bytes_of(path.data + skip, path.len - skip),
                                 err) &&
           taco__buf_append_char(&e->head, 0, err);
}

/* Offset and size of a FILE in its archive: those in the level if a local header confirms them,
   else those in __meta__, else those in the level. */
TACO__FN bool taco__export_source_range(taco__export *e, uint32_t level, size_t row,
                                        taco__range *out, taco_error *err)
{
    taco_sample s;
    taco_error why;
    taco_bytes name;
    out->offset = (uint64_t)taco__tree_offset(&e->tree, level, row);
    out->len = (uint64_t)taco__tree_size(&e->tree, level, row);
    if (level == 0) { return true; }
    e->path.len = 0;
    if (!taco__buf_append_text(&e->path, "DATA/", err) ||
        !taco__tree_path(&e->tree, level, row, &e->path, err)) {
        return false;
    }
    name = taco__bytes_of(e->path.data, e->path.len);
    if (taco__export_source_has_local_header(e, out->offset, name, err) || err->code != TACO_OK) {
        return err->code == TACO_OK;
    }
    memset(&why, 0, sizeof why);
    if (taco__export_source_make_keys(e, level, row, taco__bytes_of(name.data + 5, name.len - 5),
                                      err) &&
        taco_locate(e->ds, (const char *)e->head.data, &s, &why) == TACO_OK && !s.folder &&
        !s.whole) {
        out->offset = s.offset;
        out->len = s.size;
    }
    if (taco__error_is_of_machine(&why)) { *err = why; }
    return err->code == TACO_OK;
}

/* The path of a sample of a FOLDER dataset, until the next call; NULL without memory. */
static const char *taco__export_source_folder_path(taco__export *e, const taco__container *s,
                                                   uint32_t level, size_t row, taco_error *err)
{
    e->path.len = 0;
    return taco__buf_append_text(&e->path, s->dir, err) &&
                   taco__buf_append_text(&e->path, "DATA/", err) &&
                   taco__tree_path(&e->tree, level, row, &e->path, err) &&
                   taco__buf_append_char(&e->path, 0, err)
               ? (const char *)e->path.data
               : NULL;
}

/* taco__container_source.path: only files that the C library opens. */
TACO__FN const char *taco__export_source_path(void *ctx, uint32_t level, size_t row)
{
    taco__export *e = (taco__export *)ctx;
    size_t number;
    const taco__container *s = taco__export_source_origin_of(e, level, row, &number)->store;
    return s->kind == TACO_KIND_FOLDER && !s->options->open_file
               ? taco__export_source_folder_path(e, s, level, row, NULL)
               : NULL;
}

/* Opens the file of a sample of a FOLDER dataset; padding has none. */
static bool taco__export_source_open_folder_file(taco__export *e, const taco__container *s,
                                                 uint32_t level, size_t row, taco__input *in,
                                                 taco_error *err)
{
    const char *path = taco__export_source_folder_path(e, s, level, row, err);
    taco_error why;
    bool ok;
    memset(&why, 0, sizeof why);
    if (!path) { return false; }
#ifndef TACO_NO_STDIO
    ok = s->options->open_file ? taco__source_open_path(s->options, path, &in->source, &why)
                               : taco__input_open_file(in, path, &why);
#else
    ok = taco__source_open_path(s->options, path, &in->source, &why);
#endif
    if (ok && s->options->open_file) {
        in->size = in->source.size;
        in->own = true;
    }
    if (!ok && taco__rules_is_padding(taco__tree_id(&e->tree, level, row))) {
        taco__input_from_bytes(
            in, taco__bytes_of(NULL, 0)); /* no file is needed, as there are no bytes */
        ok = true;
    }
    in->later = true;
    if (!ok && err->code == TACO_OK) { *err = why; }
    return ok;
}

/* The CRC-32 of a payload in its local header. False if it is not known, or out of memory. Headers
   of small payloads are read many at a time. */
static bool taco__export_source_crc(taco__export *e, const taco__range *r, uint32_t *crc,
                                    taco_error *err)
{
    const taco_source *src = &e->file->src;
    const uint64_t lead = TACO__MIN(r->offset, (uint64_t)TACO__ZIP_LEAD), at = r->offset - lead;
    taco_bytes name;
    bool known;
    if (at < e->lead_at || r->offset > e->lead_at + e->lead.len) {
        uint64_t n = r->len <= TACO__EXPORT_SMALL ? TACO__EXPORT_LEADS : lead;
        size_t len = (size_t)TACO__MIN(n, src->size - at);
        if (!taco__buf_reset(&e->lead, len, err) || !src->read(src->ctx, at, e->lead.data, len)) {
            return false;
        }
        e->lead.len = len;
        e->lead_at = at;
    }
    if (taco__zip_lead_crc(taco__bytes_of(e->lead.data + (at - e->lead_at), (size_t)lead), r->len,
                           &known, crc, &name)) {
        return known;
    }
    return lead == TACO__ZIP_LEAD && taco__zip_stored_crc(src, r->offset, r->len, crc);
}

/* taco__container_source.payload: opens the bytes of a FILE. */
TACO__FN bool taco__export_source_payload(void *ctx, uint32_t level, size_t row, taco__input *in,
                                          taco_error *err)
{
    taco__export *e = (taco__export *)ctx;
    size_t number;
    const taco__export_origin *p = taco__export_source_origin_of(e, level, row, &number);
    taco__range r;
    if (p->store->kind == TACO_KIND_FOLDER) {
        return taco__export_source_open_folder_file(e, p->store, level, row, in, err);
    }
    if (e->last != number || !e->file) {
        /* another archive may close this one */
        if (!taco__payload_batch_settle(e->writer, err)) { return false; }
        e->file = p->source
                      ? taco__container_open_archive(p->store, taco__bytes_text(p->source), err)
                      : &p->store->file;
        e->last = number;
        e->lead.len = 0;
        if (!e->file) { return taco__container_fail(p->store, NULL, err); }
    }
    if ((e->file->src.read_many && !taco__export_source_prefetch(e, level, row, number, err)) ||
        !taco__export_source_range(e, level, row, &r, err)) {
        return false;
    }
    if (!taco__checked_range(r.offset, r.len, e->file->src.size)) {
        taco_bytes id = taco__tree_id(&e->tree, level, row);
        TACO__FAIL(err, TACO_ERR_TRUNCATED, r.offset,
                   "%s: sample %q: payload of %u bytes, the archive ends at %u",
                   p->source ? p->source : p->store->name, &id, r.len, e->file->src.size);
        return false;
    }
    if (e->file->src.read_many) {
        memset(&e->prefetched, 0, sizeof e->prefetched);
        e->prefetched.ctx = e->file;
        e->prefetched.read = taco__export_source_read_prefetched;
        e->prefetched.size = e->file->src.size;
        taco__input_from_range(in, &e->prefetched, r.offset, r.len);
        in->has_crc = taco__zip_stored_crc(&e->prefetched, r.offset, r.len, &in->crc);
    } else {
        taco__input_from_range(in, &e->file->src, r.offset, r.len);
        in->has_crc = taco__export_source_crc(e, &r, &in->crc, err);
        in->later = true;
    }
    in->archive = (uint64_t)number + 1;
    return err->code == TACO_OK;
}
/* ==== src/write/export.c ==== */
/* export.c - taco_export, taco_export_rows, taco_repack: samples of a dataset in a new container

   In: an open dataset of any container and a query, or rows of a view; out: a new archive or FOLDER
   with the selected samples, complete and renumbered. TACO 2.0 §7.1.3 (exports, taco:subset_of),
   §7.1.4 (repacking).

   taco__export_build_tree finds the chosen samples of level 0, then goes down level by level: a
   row is in when its parent is; one without a parent is reported. e->map holds, for the rows of the
   level read last, their row in the new tree. Then export_source.c streams columns and bytes, and
   container_write.c writes. add_columns.c uses the same state to rewrite a dataset with more
   columns.

   Example: of a level with 4 rows the query selects the second and the fourth: chosen = 0b1010, map
   = -1 0 -1 1. A row of the level below whose parent is 3 then has the new parent 1. */
/* #include "write.h" */
/* #include "../base/base.h" */
/* #include "../base/json.h" */
/* #include "../parquet/parquet.h" */
/* #include "../filter/filter.h" */
/* #include "../dataset/dataset.h" */
/* #include "../validate/validate.h" */

/* Frees everything in an export; the dataset stays open. */
TACO__FN void taco__export_free(taco__export *e)
{
    size_t i;
    taco__export_source_end_level(e);
    for (i = 0; i < TACO__MAX_LEVELS; i++) {
        if (e->window[i].file) {
            taco__file_release(e->window[i].file, e->window[i].range.offset,
                               e->window[i].range.len);
        }
        taco__buf_free(&e->order[i]);
        taco__mem_free(&e->mem, e->chosen[i], TACO__BITMAP_BYTES(e->rows[i]));
    }
    taco__tree_free(&e->tree);
    taco__buf_free(&e->map);
    taco__buf_free(&e->places);
    taco__buf_free(&e->place);
    taco__buf_free(&e->path);
    taco__buf_free(&e->head);
    taco__buf_free(&e->lead);
    taco__buf_free(&e->index);
    taco__arena_free(&e->arena);
}

/* ---- which samples ---- */

/* Sets the bits of the level-0 rows that pass the query, in storage order, within its offset and
   limit. */
static bool taco__export_select_samples(taco__export *e, const taco_query *query, taco_error *err)
{
    taco_query q = *query;
    uint64_t skip = q.offset, left = q.limit ? q.limit : UINT64_MAX;
    taco_cursor *c;
    const uint32_t *rows;
    uint64_t first;
    size_t i, n;
    if (q.order || q.flat || q.table) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "an export has samples of level 0 in storage order: no order, no flat view, no "
                   "other table");
        return false;
    }
    q.limit = q.offset = 0;
    q.select = "id";
    c = taco_select(e->ds, &q, err);
    while (c && left && (n = taco__compose_next_rows(c, &first, &rows)) != 0) {
        for (i = 0; i < n && left; i++) {
            if (skip) {
                skip--;
            } else {
                taco__bitmap_set(e->chosen[0], (size_t)first + rows[i]);
                left--;
            }
        }
    }
    return taco_cursor_close(c, err) == TACO_OK && c != NULL;
}

/* Sets the bits of the level-0 rows that contain the rows of a cursor, or are these rows. ARGUMENT
   for rows that are not samples. */
static bool taco__export_choose_rows(taco__export *e, taco_cursor *rows, taco_error *err)
{
    taco_batch b;
    uint64_t row, base;
    size_t i, k, store;
    while (taco_cursor_batch(rows, &b)) {
        for (i = 0; i < b.length; i++) {
            if (!taco__compose_sample_row(rows, i, &store, &row)) {
                TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                           "an export has samples: these rows are of groups, of a join or of a "
                           "FOLDER");
                return false;
            }
            if (!taco__join_top_row(&e->ds->stores[store], rows->query.level, &row, err)) {
                if (err->code != TACO_OK) { return false; }
                continue;
            }
            for (k = 0, base = 0; k < store; k++) {
                base += e->ds->stores[k].levels[0].table.rows;
            }
            taco__bitmap_set(e->chosen[0], (size_t)(base + row));
        }
    }
    return rows->err.code == TACO_OK;
}

/* Records where the bytes of the next level-0 sample are: its container and, in a catalogue, its
   archive. */
static bool taco__export_add_origin(taco__export *e, taco__container *s, taco_bytes source,
                                    taco_error *err)
{
    taco__export_origin *p = (taco__export_origin *)(void *)e->places.data, one;
    size_t i = e->places.len / sizeof *p;
    uint32_t number;
    while (i &&
           (p[i - 1].store != s ||
            (p[i - 1].source && !taco__bytes_equal(taco__bytes_text(p[i - 1].source), source)))) {
        i--; /* rows of an archive are usually adjacent: the last origin is tried first */
    }
    if (i == 0) {
        one.store = s;
        one.source = NULL;
        if (s->kind == TACO_KIND_TACOCAT) {
            if (taco__vsi_check_name(source, "internal:source_file", err) != TACO_OK) {
                return false;
            }
            one.source = taco__arena_text(&e->arena, source, err);
        }
        if ((s->kind == TACO_KIND_TACOCAT && !one.source) ||
            !taco__buf_append(&e->places, &one, sizeof one, err)) {
            return false;
        }
        i = e->places.len / sizeof one;
    }
    number = (uint32_t)i - 1;
    return taco__buf_append(&e->place, &number, sizeof number, err);
}

/* CORRUPT for ids that cannot be part of a path, or are reserved. */
static bool taco__export_check_id(taco_bytes id, bool valid, taco_error *err)
{
    if (!valid || taco__vsi_check_path(id, false, "id", err) != TACO_OK) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "id is null");
        return false;
    }
    if (memchr(id.data, '/', id.len)) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "id %q has a '/'", &id);
        return false;
    }
    if (taco__rules_check_id(id, err) == TACO_OK) { return true; }
    err->code = TACO_ERR_CORRUPT; /* the source is wrong, not the caller */
    return false;
}

/* Fails, or warns if only some samples are copied: rows without a parent are of no sample, and
   would be lost. */
static bool taco__export_report_orphan(const taco__export *e, taco__container *s,
                                       const taco__level *l, size_t row, taco_error *err)
{
    taco_error what = {0, TACO_OK, 0, {0}};
    bool whole = taco__bitmap_count(e->chosen[0], 0, e->rows[0]) == e->rows[0];
    TACO__FAIL(whole ? err : &what, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
               "row %u: internal:parent_id names no row of the level above, so that the row is of "
               "no sample",
               TACO__U(row));
    if (!whole) { taco__container_warn(s, &what, l->name); }
    return !whole;
}

/* The new row of the parent of a row, -1 if that is not in the tree. False, with CORRUPT, if it is
   a FILE. above: the container's first row in the level above. *orphan: whether there was one
   before. */
static bool taco__export_find_parent(const taco__export *e, taco__container *s,
                                     const taco__level *l, uint32_t level, size_t row, size_t above,
                                     bool *orphan, int32_t *out, taco_error *err)
{
    int32_t up = l->parents[row];
    /* no pointer into a map of no rows */
    *out = up < 0 ? -1 : ((const int32_t *)(const void *)e->map.data)[above + (size_t)up];
    if (up < 0 && !*orphan) {
        *orphan = true;
        return taco__export_report_orphan(e, s, l, row, err);
    }
    if (*out >= 0 && !taco__tree_is_folder(&e->tree, level - 1, (size_t)*out)) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "row %u: internal:parent_id names a FILE",
                   TACO__U(row));
        return false;
    }
    return true;
}

/* Columns of a level that an export reads. */
enum {
    TACO__EXPORT_ID,
    TACO__EXPORT_TYPE,
    TACO__EXPORT_OFFSET,
    TACO__EXPORT_SIZE,
    TACO__EXPORT_SOURCE,
    TACO__EXPORT_ROLES
};

/* Adds row i of a batch to the tree, with its place; `at` are the columns by role. */
static bool taco__export_add_row(taco__export *e, taco__container *s, uint32_t level, size_t parent,
                                 const taco_array *a, const size_t *at, size_t i, taco_error *err)
{
    taco_bytes id = taco_array_bytes(&a[at[TACO__EXPORT_ID]], i),
               type = taco_array_bytes(&a[at[TACO__EXPORT_TYPE]], i);
    int folder = taco__sample_path_parse_type(type);
    bool ranges = at[TACO__EXPORT_OFFSET] != TACO__NONE && at[TACO__EXPORT_SIZE] != TACO__NONE;
    int64_t offset = 0, size = 0;
    if (!taco__export_check_id(id, taco_array_valid(&a[at[TACO__EXPORT_ID]], i), err)) {
        return false;
    }
    if (folder < 0) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "type is %q, must be FILE or FOLDER",
                   &type);
        return false;
    }
    if (s->kind != TACO_KIND_FOLDER && !folder) {
        if (!ranges) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "there is no internal:offset or internal:size");
            return false;
        }
        offset = taco_array_int(&a[at[TACO__EXPORT_OFFSET]], i);
        size = taco_array_int(&a[at[TACO__EXPORT_SIZE]], i);
        if (!taco__vsi_check_range(offset, size, err)) { return false; }
        e->total += (uint64_t)size;
    }
    if (!taco__tree_append_unordered(&e->tree, level, parent, id, folder != 0, err)) {
        return false;
    }
    taco__tree_set_place(&e->tree, level, e->tree.level[level].rows - 1, (uint64_t)offset,
                         (uint64_t)size);
    return level || taco__export_add_origin(e, s,
                                            at[TACO__EXPORT_SOURCE] == TACO__NONE
                                                ? taco__bytes_of(NULL, 0)
                                                : taco_array_bytes(&a[at[TACO__EXPORT_SOURCE]], i),
                                            err);
}

/* Adds the rows of one container's level whose parent is in the tree, at level 0 the chosen ones.
   base is the container's first row in the whole level, above that in the level above. Appends to
   *map the new row of each, or -1. */
static bool taco__export_add_store(taco__export *e, taco__container *s, uint32_t level, size_t base,
                                   size_t above, taco__buf *map, taco_error *err)
{
    taco__level *l = taco__container_level(s, level, err);
    taco__column_roles r;
    size_t which[TACO__EXPORT_ROLES], at[TACO__EXPORT_ROLES], roles[TACO__EXPORT_ROLES], n = 0, i,
                                                                                         first;
    taco__row_reader rows;
    bool ok = true, orphan = false;
    if (!l || (level && !taco__join_make_parents(s, level, err)) ||
        !taco__places_check(s, level, err) || !taco__local_meta_find_roles(s, &l->table, &r, err)) {
        return false;
    }
    roles[TACO__EXPORT_ID] = r.id;
    roles[TACO__EXPORT_TYPE] = r.type;
    roles[TACO__EXPORT_OFFSET] = s->kind == TACO_KIND_FOLDER ? TACO__NONE : r.offset;
    roles[TACO__EXPORT_SIZE] = s->kind == TACO_KIND_FOLDER ? TACO__NONE : r.size;
    roles[TACO__EXPORT_SOURCE] = s->kind == TACO_KIND_TACOCAT && level == 0 ? r.source : TACO__NONE;
    for (i = 0; i < TACO__EXPORT_ROLES; i++) {
        at[i] = roles[i] == TACO__NONE ? TACO__NONE : n;
        if (roles[i] != TACO__NONE) { which[n++] = roles[i]; }
    }
    if (!taco__row_reader_open(&rows, &l->table, which, n, &e->mem, err)) { return false; }
    for (first = 0; ok && first < (size_t)l->table.rows; first += n) {
        n = (size_t)TACO__MIN(l->table.rows - first, (uint64_t)TACO__BATCH_ROWS);
        ok = taco__row_reader_read_range(&rows, first, n, err);
        for (i = 0; ok && i < n; i++) {
            size_t row = first + i;
            int32_t number = -1, parent = 0;
            bool in = taco__bitmap_get(e->chosen[level], base + row);
            if (level) {
                ok = taco__export_find_parent(e, s, l, level, row, above, &orphan, &parent, err);
                in = ok && parent >= 0;
            }
            if (in) {
                taco__bitmap_set(e->chosen[level], base + row);
                number = (int32_t)e->tree.level[level].rows;
                ok = taco__export_add_row(e, s, level, (size_t)parent, rows.arrays, at, i, err);
            }
            ok = ok && taco__buf_append(map, &number, sizeof number, err);
        }
    }
    taco__row_reader_close(&rows);
    return ok || taco__container_fail(s, l->name, err);
}

/* Sorts the rows of a level by parent, and e->map with them. */
static bool taco__export_sort_level(taco__export *e, uint32_t level, taco_error *err)
{
    int32_t *map = (int32_t *)(void *)e->map.data, *to;
    const int32_t *from;
    size_t i, rows = e->tree.level[level].rows, bytes = rows * sizeof *to;
    e->order[level].mem = &e->mem;
    if (!taco__tree_sort(&e->tree, level, &e->order[level], err)) { return false; }
    if (!e->order[level].len) { return true; }
    to = (int32_t *)taco__mem_alloc(&e->mem, bytes, err);
    if (!to) { return false; }
    from = (const int32_t *)(const void *)e->order[level].data;
    for (i = 0; i < rows; i++) {
        to[from[i]] = (int32_t)i;
    }
    for (i = 0; i < e->map.len / sizeof *map; i++) {
        map[i] = map[i] < 0 ? map[i] : to[map[i]];
    }
    taco__mem_free(&e->mem, to, bytes);
    return true;
}

/* Adds a level of all containers, then replaces e->map by that of this level. */
static bool taco__export_add_level(taco__export *e, uint32_t level, taco_error *err)
{
    taco__buf map;
    size_t i, base = 0, above = 0;
    bool ok = true;
    memset(&map, 0, sizeof map);
    map.mem = &e->mem;
    for (i = 0; ok && i < e->ds->container_count; i++) {
        ok = taco__export_add_store(e, &e->ds->stores[i], level, base, above, &map, err);
        base += ok ? (size_t)e->ds->stores[i].levels[level].table.rows : 0;
        above += ok && level ? (size_t)e->ds->stores[i].levels[level - 1].table.rows : 0;
    }
    taco__buf_free(&e->map);
    e->map = map;
    return ok && taco__export_sort_level(e, level, err);
}

/* Builds the tree of the samples that pass the query, or that contain the rows of e->view if set,
   with everything below them. NOT_FOUND if there are none. */
TACO__FN bool taco__export_build_tree(taco__export *e, const taco_query *q, taco_error *err)
{
    uint32_t level, levels = taco_levels(e->ds);
    for (level = 0; level < levels; level++) {
        int64_t rows = taco__dataset_stored_rows(e->ds, level, err);
        if (rows < 0) { return false; }
        e->rows[level] = (size_t)rows;
        e->chosen[level] =
            (uint8_t *)taco__mem_alloc(&e->mem, TACO__BITMAP_BYTES(e->rows[level]), err);
        if (!e->chosen[level] ||
            (level == 0 && !(e->view ? taco__export_choose_rows(e, e->view, err)
                                     : taco__export_select_samples(e, q, err))) ||
            !taco__export_add_level(e, level, err)) {
            return false;
        }
        if (e->tree.level[level].rows == 0 && rows) { break; }
    }
    if (e->tree.level[0].rows == 0) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "%s: no sample is left to export",
                   e->ds->stores[0].name);
        return false;
    }
    return true;
}

/* ---- the collection, and all of it ---- */

/* The collection of the new dataset: the source's; for a subset with the id of the source and the
   date (§7.1.3). */
TACO__FN const taco__json *taco__export_collection(taco__export *e, bool subset, int64_t when,
                                                   taco_error *err)
{
    static const char *const skip[] = {"taco:subset_of", "taco:subset_date", "extent"};
    const taco__collection *c = &e->ds->stores[0].coll;
    taco__json_doc doc;
    taco__buf text;
    taco__json_writer w;
    char stamp[48];
    bool ok;
    const char *copy;
    if (!subset) { return c->doc.root; }
    memset(&text, 0, sizeof text);
    text.mem = &e->mem;
    memcpy(stamp + taco__time_format_timestamp(stamp, when, TACO_SECOND, false), "+00:00", 7);
    w = taco__json_writer_init(&text, err);
    taco__json_write_begin(&w, NULL, '{');
    /* a wrong extent describes no sample of the subset either */
    taco__document_copy_members(c->doc.root, skip,
                                taco__collection_check_extent(c, NULL) == TACO_OK ? 2 : 3, &w);
    taco__json_write_quoted_value(&w, skip[0], taco__bytes_text(c->id));
    taco__json_write_text(&w, skip[1], stamp);
    taco__json_write_end(&w, '}');
    copy = w.ok ? taco__arena_text(&e->arena, taco__bytes_of(text.data, text.len), err) : NULL;
    ok = copy &&
         taco__json_parse(&e->arena, taco__bytes_of(copy, text.len), NULL, &doc, err) == TACO_OK;
    taco__buf_free(&text);
    return ok ? doc.root : NULL;
}

/* Writes the samples of the tree, with these columns and this collection. */
TACO__FN bool taco__export_write_container(taco__export *e, const char *path,
                                           const taco_create_options *opt, const taco__json *root,
                                           const taco__container_columns *source, taco_error *err)
{
    taco__container_writer p;
    taco__container_source from;
    if (!taco__container_write_begin(&p, path, opt, &e->tree, &e->mem, err)) { return false; }
    /* existing data: warnings instead of errors */
    p.checked = !(opt && opt->any_values);
    e->writer = &p;
    from.ctx = e;
    from.payload = taco__export_source_payload;
    from.path = taco__export_source_path;
    if (!taco__container_write_samples(&p, &from, err)) {
        taco__container_write_abort(&p);
        return false;
    }
    return taco__container_write_finish(&p, root, source, err);
}

/* Checks the tree of a whole copy, unless it is a subset, where samples may differ
   (taco__check_tree_is_subset): what validate calls an error fails, deeper differences are
   warnings. */
static bool taco__export_check_tree(const taco__export *e, taco_error *err)
{
    taco__container *s = &e->ds->stores[0];
    taco_error what = {0, TACO_OK, 0, {0}};
    if (taco__json_get(s->coll.doc.root, "taco:subset_of")) { return true; }
    if (taco__tree_check_pit1(&e->tree, false, err) != TACO_OK) {
        taco__error_prefix(err, "%s", s->name);
        return false;
    }
    if (s->options->warn && taco__tree_check_pit1(&e->tree, true, &what) != TACO_OK) {
        taco__container_warn(s, &what, "levels");
    }
    return true;
}

/* Checks what a whole copy takes over from its source: the extent, unless it is computed again, and
   the tree. */
static bool taco__export_check_copy(const taco__export *e, const taco_create_options *o,
                                    taco_error *err)
{
    const taco__container *s = &e->ds->stores[0];
    if (!o->new_extent && taco__collection_check_extent(&s->coll, err) != TACO_OK) {
        taco__error_prefix(err, "%s: COLLECTION.json", s->name);
        return false;
    }
    return o->any_tree || taco__export_check_tree(e, err);
}

/* Declares the columns and writes the container; options get the defaults of an export. */
static bool taco__export_write(taco__export *e, const char *path, const taco_create_options *opt,
                               bool subset, taco_error *err)
{
    taco_create_options o;
    const taco__json *root;
    uint32_t level;
    memset(&o, 0, sizeof o);
    o = opt ? *opt : o;
    if (!subset && !taco__export_check_copy(e, &o, err)) { return false; }
    o.options = o.options ? o.options : &e->ds->options;
    o.new_extent = o.new_extent || subset;
    o.total = o.total ? o.total : e->total;
    for (level = 0; level < e->tree.levels; level++) {
        if (!taco__export_source_fields(e, level, err)) { return false; }
    }
    e->source.ctx = e;
    e->source.begin = taco__export_source_begin_level;
    e->source.next = taco__export_source_next_batch;
    root = taco__export_collection(e, subset, o.date ? o.date : taco__plat_now(), err);
    return root && taco__export_write_container(e, path, &o, root, &e->source, err);
}

/* Prepares an export. taco__export_free must follow, even after a failure. */
TACO__FN bool taco__export_init(taco__export *e, taco_dataset *ds, taco_error *err)
{
    memset(e, 0, sizeof *e);
    e->ds = ds;
    taco__mem_init(&e->mem, &ds->options);
    e->arena.mem = e->columns.mem = &e->mem;
    e->map.mem = e->places.mem = e->place.mem = e->path.mem = e->head.mem = e->lead.mem =
        e->index.mem = &e->mem;
    taco__tree_init(&e->tree, &e->mem);
    if (ds->stores[0].format) {
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                   "%s: a %s, not a TACO 2 dataset: taco convert makes one", ds->stores[0].name,
                   ds->stores[0].format->name);
        return false;
    }
    return true;
}

/* taco_export, taco_export_rows (view: its rows) and taco_repack, which is not a subset, and keeps
   padding. */
static taco_status taco__export_run(taco_dataset *ds, const char *path, const taco_query *q,
                                    taco_cursor *view, const taco_create_options *opt, bool subset,
                                    taco_error *err)
{
    taco_error own;
    taco__export e;
    bool ok;
    memset(&own, 0, sizeof own);
    err = taco__error_fresh(err, &own);
    if (!ds || !path) {
        return TACO__FAIL_SOFT(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given",
                               ds ? "path" : "dataset");
    }
    if (!taco__export_init(&e, ds, err)) {
        taco__export_free(&e);
        return err->code;
    }
    e.view = view;
    ok = taco__export_build_tree(&e, q, err) && taco__export_write(&e, path, opt, subset, err);
    if (!ok) { taco__error_prefix(err, "%s", path); }
    taco__export_free(&e);
    return ok ? TACO_OK : err->code;
}

TACO_API taco_status taco_export(taco_dataset *ds, const char *path, const taco_query *query,
                                 const taco_create_options *opt, taco_error *err)
{
    taco_query all;
    err = taco__error_fresh(err, NULL);
    memset(&all, 0, sizeof all);
    return taco__export_run(ds, path, query ? query : &all, NULL, opt, true, err);
}

/* The cursor's own failure comes first: it explains why there are no more rows. */
TACO_API taco_status taco_export_rows(taco_cursor *rows, const char *path,
                                      const taco_create_options *opt, taco_error *err)
{
    taco_error own, end;
    err = taco__error_fresh(err, NULL);
    memset(&own, 0, sizeof own);
    memset(&end, 0, sizeof end);
    if (!rows) { return TACO__FAIL_SOFT(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no rows given"); }
    if (rows->row.rowwise) {
        TACO__FAIL(&own, TACO_ERR_STATE, TACO_NO_OFFSET, "the cursor is stepped by rows");
    } else {
        taco__export_run(rows->ds, path, NULL, rows, opt, true, &own);
    }
    if (taco_cursor_close(rows, &end) != TACO_OK) { own = end; }
    taco__error_copy(err, &own);
    return own.code;
}

/* A whole dataset, including padding; its collection is not that of a subset. */
TACO_API taco_status taco_repack(taco_dataset *ds, const char *path, const taco_create_options *opt,
                                 taco_error *err)
{
    taco_query all;
    err = taco__error_fresh(err, NULL);
    memset(&all, 0, sizeof all);
    all.padding = true;
    return taco__export_run(ds, path, &all, NULL, opt, false, err);
}
/* ==== src/write/catalogue.c ==== */
/* catalogue.c - taco_create_tacocat and taco_create_tacollection: many datasets as one

   In: paths of archives (for a merged collection also FOLDERs); out: a .tacocat directory, a
   __TACOCAT__ file, or TACOLLECTION.json. TACO 2.0 §6.5 (catalogues), §6.6 (merged collections).

   Every part is read twice, one at a time: once to check it and to unite columns and counts
   (taco__catalogue_add_part), once to copy its rows (catalogue_tables.c). Between the two only
   its id and extent stay in memory. The first part's collection is the base of the merged one
   (merged_collection.c). Nothing is overwritten, and what is incomplete is removed.

   Counts: n of a pattern is the sum over the parts, -1 when one part has none; shape is the
   greatest of each level; rows are counted in the tables, not believed. */
/* #include "write.h" */
/* #include "../base/base.h" */
/* #include "../arrow/arrow.h" */
/* #include "../base/file_copy.h" */
/* #include "../parquet/parquet.h" */
/* #include "../dataset/dataset.h" */
/* #include "../validate/validate.h" */

/* ---- fields ---- */

/* True for columns that every catalogue has, whether the archives do or not. */
static bool taco__catalogue_is_own_column(const char *name)
{
    return strcmp(name, "internal:current_id") == 0 || strcmp(name, "internal:source_file") == 0;
}

/* Order of columns by name. */
static int taco__catalogue_compare_fields(const void *ctx, const void *a, const void *b)
{
    (void)ctx;
    return strcmp(((const taco_field *)a)->name, ((const taco_field *)b)->name);
}

/* Compares the columns of a part's table with those of earlier parts, except for the internal: ones
   of the container, which differ between archives and FOLDERs and between writers. With opt.fill
   columns may be missing, and a merged collection, which has no rows, accepts all types (§6.6). */
static bool taco__catalogue_compare_columns(taco__catalogue *m, uint32_t level,
                                            const taco__table *t, bool tables, const char *part,
                                            taco_error *err)
{
    taco__differing first, own;
    first.name = m->opt.fill ? "the archives before it" : m->parts[0].name;
    first.fields = m->fields[level];
    first.count = m->columns[level];
    own.name = part;
    own.fields = t->fields;
    own.count = t->field_count;
    first.level = own.level = level;
    if (!tables && m->opt.fill) { return true; }
    return taco__differences_compare(&m->differences, &first, &own, "internal:", m->opt.fill,
                                     &m->mem, err);
}

/* Adds new columns of a part's table: all columns of the first part and, with opt.fill, those of
   other parts. */
static bool taco__catalogue_add_fields(taco__catalogue *m, uint32_t level, const taco__table *t,
                                       bool first, taco_error *err)
{
    taco__field_index names;
    bool ok = true;
    size_t i, n = m->columns[level];
    taco_field *all =
        (taco_field *)taco__arena_array(&m->arena, n + t->field_count + 2, sizeof *all, err);
    if (!all) { return false; }
    memcpy((void *)all, m->fields[level] ? m->fields[level] : all, n * sizeof *all);
    taco__field_index_init(&names, m->fields[level], n, &m->mem);
    for (i = 0; ok && (first || m->opt.fill) && i < t->field_count; i++) {
        const taco_field *f = &t->fields[i];
        if (taco__catalogue_is_own_column(f->name) ||
            taco__field_index_find(&names, f->name) != SIZE_MAX) {
            continue;
        }
        ok = taco__field_copy(&m->arena, f, &all[n], err);
        all[n++].nullable = true;
    }
    taco__field_index_free(&names);
    if (!ok) { return false; }
    m->fields[level] = all;
    m->columns[level] = n;
    return true;
}

/* Puts columns in the order of the reference: id, type, then all others by name. */
static bool taco__catalogue_sort_fields(taco__catalogue *m, taco_error *err)
{
    static const char *const own[] = {"internal:current_id", "internal:source_file"};
    uint32_t level;
    size_t i, k;
    for (level = 0; level < m->levels; level++) {
        size_t n = m->columns[level];
        taco_field *f = (taco_field *)taco__arena_array(&m->arena, n + 2, sizeof *f, err);
        if (!f) { return false; }
        for (i = 0, k = 2; i < n; i++) {
            const taco_field *x = &m->fields[level][i];
            f[strcmp(x->name, "id") == 0 ? 0 : strcmp(x->name, "type") == 0 ? 1 : k++] = *x;
        }
        for (i = 0; i < 2; i++) {
            f[k++] = taco__field_make(own[i], i ? TACO_TEXT : TACO_INT64);
        }
        if (!taco__sort_in(m->arena.mem, f + 2, k - 2, sizeof *f, taco__catalogue_compare_fields,
                           NULL, err)) {
            return false;
        }
        m->fields[level] = f;
        m->columns[level] = k;
    }
    return true;
}

/* ---- the parts ---- */

/* Copies the bare name of a path; '/' at its end are ignored. */
static const char *taco__catalogue_file_name(taco__catalogue *m, const char *path, taco_error *err)
{
    size_t n = strlen(path), from;
    while (n > 1 && path[n - 1] == '/') {
        n--;
    }
    for (from = n; from && path[from - 1] != '/' && path[from - 1] != '\\'; from--) {}
    return taco__arena_text(&m->arena, taco__bytes_of(path + from, n - from), err);
}

/* Reads what bounds the samples of a part. Where its own extent does not, it is replaced:
   the collection of all must cover all (§6.6). */
static bool taco__catalogue_read_extent(taco__catalogue *m, size_t number, taco_error *err)
{
    taco__catalogue_part *p = &m->parts[number];
    taco_options quiet = m->options;
    taco_dataset *ds;
    taco_error what = {0, TACO_OK, 0, {0}};
    char text[2][48];
    bool ok, box, times;
    size_t i;
    quiet.warn = NULL;
    ds = taco_open(p->path, &quiet, err);
    ok = ds && taco__extent_read(&p->span, ds, &m->mem, err);
    taco_close(ds);
    if (!ok) { return false; }
    p->is_file = taco__routing_mark_read(&m->options, p->path, &p->mark, &what);
    if (what.code == TACO_ERR_IO) {
        taco__error_prefix(&what, "%s", p->path);
        taco__error_copy(err, &what);
        return false;
    }
    box = p->has_spatial && !taco__extent_box_covers(&p->span, p->spatial);
    times = p->has_temporal && !taco__extent_times_cover(&p->span, p->temporal);
    if (box) {
        taco__extent_box(&p->span, p->spatial);
        p->spatial[2] -= p->spatial[2] > 180 ? 360 : 0;
        p->spatial[0] -= p->spatial[0] > 180 ? 360 : 0;
    }
    if (times) { taco__extent_time_texts(&p->span, text); }
    for (i = 0; times && i < 2; i++) {
        p->temporal[i] = taco__arena_text(&m->arena, taco__bytes_text(text[i]), err);
        if (!p->temporal[i]) { return false; }
    }
    if (box || times) {
        taco__log(&m->options, TACO_LOG_INFO,
                  "%s: its extent does not cover the %s of all samples: computed again", p->name,
                  box && times ? "footprints and times"
                  : box        ? "footprints"
                               : "times");
    }
    return true;
}

/* Copies id and extent of a part's collection. */
static bool taco__catalogue_copy_collection(taco__catalogue *m, size_t number,
                                            const taco__collection *c, taco_error *err)
{
    taco__catalogue_part *p = &m->parts[number];
    size_t i;
    p->id = taco__arena_text(&m->arena, taco__bytes_text(c->id), err);
    p->has_spatial = c->has_spatial;
    p->has_temporal = c->has_temporal;
    memcpy(p->spatial, c->spatial, sizeof p->spatial);
    for (i = 0; p->id && p->has_temporal && i < 2; i++) {
        p->temporal[i] = taco__arena_text(&m->arena, taco__bytes_text(c->temporal[i]), err);
        if (!p->temporal[i]) { return false; }
    }
    return p->id != NULL;
}

/* Adds a part's rows, and the n of its patterns. n is trusted only if a level has several patterns;
   for a single pattern the rows of the level are counted. */
static bool taco__catalogue_add_counts(taco__catalogue *m, const taco__collection *c,
                                       const uint64_t *rows, uint32_t levels, bool first,
                                       taco_error *err)
{
    uint32_t d;
    size_t i;
    m->shaped = (first || m->shaped) && c->pit.shape_count == levels;
    for (d = 0; d < levels; d++) {
        m->rows[d] += rows[d];
        if (m->shaped && d) { m->shape[d] = TACO__MAX(m->shape[d], c->pit.shape[d]); }
    }
    for (d = 0; d < TACO__PIT_MAX_DEPTH; d++) {
        const taco__pit_level *l = &c->pit.levels[d];
        if (first) {
            m->sums[d] =
                (int64_t *)taco__arena_array(&m->arena, l->count + 1, sizeof **m->sums, err);
            if (!m->sums[d]) { return false; }
        }
        for (i = 0; i < l->count; i++) {
            int64_t n = l->count == 1 && d + 1 < levels ? (int64_t)rows[d + 1] : l->patterns[i].n;
            m->sums[d][i] = n < 0 || m->sums[d][i] < 0 || n > INT64_MAX - m->sums[d][i]
                                ? -1
                                : m->sums[d][i] + n;
        }
    }
    return true;
}

/* Checks that an archive may be a part of a catalogue: its records, ids and places are right.
   Skipped if checks are off. */
static bool taco__catalogue_check_archive(const taco__catalogue *m, taco__check_dataset *c,
                                          const char *path, taco_error *err)
{
    if (c->store.kind != TACO_KIND_ZIP) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "%s: a catalogue is made of archives, this is a %s", path,
                   c->store.kind == TACO_KIND_FOLDER ? "FOLDER" : "catalogue");
        return false;
    }
    if (m->opt.unchecked) { return true; }
    if (!taco__check_dataset_archive(c, &c->store.file, err) ||
        !taco__check_dataset_levels(c, err)) {
        return false;
    }
    if (c->f->first.code != TACO_OK) {
        *err = c->f->first;
        taco__error_prefix(err, "%s: to be repaired before it is merged", path);
        return false;
    }
    return true;
}

/* Keeps the collection of the first part as the base of the merged one; the others must have the
   same levels and tree. */
static bool taco__catalogue_compare_part(taco__catalogue *m, size_t number,
                                         const taco__container *s, taco_error *err)
{
    if (number == 0) {
        m->levels = s->level_count;
        return taco__collection_parse(&m->arena, s->coll.doc.text, &m->options.limits, &m->coll,
                                      err) == TACO_OK;
    }
    if (s->level_count == m->levels &&
        taco__collection_check_same_pit(&m->coll, &s->coll, err) == TACO_OK) {
        return true;
    }
    TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%u levels, the first dataset has %u",
               TACO__U(s->level_count), TACO__U(m->levels));
    taco__error_prefix(err, "%s: cannot be merged with %s", m->parts[number].path,
                       m->parts[0].path);
    return false;
}

/* Opens and checks one part, and adds its columns and counts. tables: for a catalogue, whose parts
   must be archives with offsets. */
static bool taco__catalogue_add_part(taco__catalogue *m, size_t number, bool tables,
                                     taco_error *err)
{
    static const taco_validate_options none = {false, false, NULL, NULL, NULL};
    taco_validated sum;
    taco__findings f;
    taco__check_dataset *c;
    taco__catalogue_part *p = &m->parts[number];
    uint64_t rows[TACO__MAX_LEVELS] = {0};
    uint32_t i;
    bool ok;
    memset(&sum, 0, sizeof sum);
    memset(&f, 0, sizeof f);
    f.how = &none;
    f.sum = &sum;
    f.part = "";
    c = taco__check_dataset_open(&f, &m->mem, &m->options, err);
    if (!c) { return false; }
    c->open = taco__container_open(&c->store, p->path, NULL, &m->mem, &c->arena, &c->options, err);
    ok = c->open && (!tables || taco__catalogue_check_archive(m, c, p->path, err));
    for (i = 0; ok && i < c->store.level_count; i++) {
        taco__level *l = taco__container_level(&c->store, i, err);
        ok = l != NULL;
        rows[i] = ok ? l->table.rows : 0;
    }
    ok = ok && taco__catalogue_compare_part(m, number, &c->store, err) &&
         taco__catalogue_copy_collection(m, number, &c->store.coll, err);
    for (i = 0; ok && i < c->store.level_count; i++) {
        const taco__table *t = &taco__container_level(&c->store, i, err)->table;
        ok = (number == 0 || taco__catalogue_compare_columns(m, i, t, tables, p->name, err)) &&
             taco__catalogue_add_fields(m, i, t, number == 0, err);
    }
    ok = ok && taco__catalogue_add_counts(m, &c->store.coll, rows, m->levels, number == 0, err);
    ok = ok && taco__catalogue_read_extent(m, number, err);
    if (ok) { taco__log(&m->options, TACO_LOG_DEBUG, "read %s, samples: %u", p->path, rows[0]); }
    taco__check_dataset_close(c);
    return ok;
}

/* Reads all parts; taco__catalogue_end must follow, even after a failure. */
static bool taco__catalogue_begin(taco__catalogue *m, const char *const *paths, size_t n,
                                  const taco_merge_options *opt, bool tables, taco_error *err)
{
    size_t i, k;
    memset(m, 0, sizeof *m);
    if (opt) { m->opt = *opt; }
    taco__options_init(&m->options, m->opt.options);
    taco__mem_init(&m->mem, m->opt.options);
    m->arena.mem = &m->mem;
    taco__differences_init(&m->differences, &m->options);
    if (!n || !paths) {
        TACO__FAIL_SOFT(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no dataset given");
        return false;
    }
    m->parts = (taco__catalogue_part *)taco__arena_array(&m->arena, n, sizeof *m->parts, err);
    if (!m->parts) { return false; }
    m->count = n;
    for (i = 0; i < n; i++) {
        m->parts[i].path = paths[i];
        m->parts[i].name = paths[i] ? taco__catalogue_file_name(m, paths[i], err) : NULL;
        if (!m->parts[i].name) {
            TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path given");
            return false;
        }
        for (k = 0; tables && k < i; k++) {
            taco_bytes name = taco__bytes_text(m->parts[i].name);
            if (strcmp(m->parts[k].name, m->parts[i].name) == 0) {
                TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                           "two archives are named %q, a catalogue tells them by their names",
                           &name);
                return false;
            }
        }
        if (!taco__catalogue_add_part(m, i, tables, err)) { return false; }
    }
    return taco__differences_none(&m->differences, err) &&
           (!tables || taco__catalogue_sort_fields(m, err));
}

#ifndef TACO_NO_STDIO
/* Joins dir, a '/' if needed, and a name, in the arena; NULL if out of memory. */
static const char *taco__catalogue_join_path(taco__catalogue *m, const char *dir, const char *name,
                                             taco_error *err)
{
    size_t n = strlen(dir), k = strlen(name);
    char *p = (char *)taco__arena_alloc(&m->arena, n + k + 2, err);
    if (p) {
        memcpy(p, dir, n);
        p[n] = '/';
        memcpy(p + n + (n == 0 || dir[n - 1] != '/'), name, k);
    }
    return p;
}

/* ARGUMENT if the path already exists. */
static bool taco__catalogue_check_free(const taco__catalogue *m, const char *path, taco_error *err)
{
    taco_bytes name = taco__bytes_text(path);
    if (!taco__temporary_is_free(path, &m->options)) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%q exists already", &name);
        return false;
    }
    return true;
}

/* Writes a small file. */
static bool taco__catalogue_write_text(taco__catalogue *m, const char *path, taco_bytes text,
                                       taco_error *err)
{
    taco_sink sink;
    bool ok = taco_sink_file(&sink, path, &m->options, err) == TACO_OK;
    if (!ok) { return false; }
    ok = sink.write(sink.ctx, 0, text.data, text.len);
    ok = sink.close(sink.ctx, ok) && ok;
    if (!ok) {
        taco_bytes name = taco__bytes_text(path);
        TACO__FAIL(err, TACO_ERR_IO, TACO_NO_OFFSET, "cannot be written: %q%s", &name,
                   taco__sink_cause(&sink));
    }
    return ok;
}

/* True if the last part of a path is `name`; '/' at its end are ignored. */
static bool taco__catalogue_has_file_name(const char *path, const char *name)
{
    size_t n = strlen(path), k = strlen(name);
    while (n > 1 && taco__plat_is_slash(path[n - 1])) {
        n--;
    }
    return n >= k && memcmp(path + n - k, name, k) == 0 && taco__plat_dir_length(path, n) == n - k;
}

/* Writes the __TACOCAT__ file into a sink that stays open, except after a failure. */
static bool taco__catalogue_write_binary(taco__catalogue *m, const char *path, taco_sink *sink,
                                         taco_error *err)
{
    bool ok = taco__catalogue_check_free(m, path, err) &&
              taco_sink_file(sink, path, &m->options, err) == TACO_OK;
    if (ok && !taco__catalogue_table_write_file(m, sink, err)) {
        sink->close(sink->ctx, false);
        ok = false;
    }
    return ok;
}

/* Closes this sink, so that the file appears. */
static bool taco__catalogue_keep(const taco_sink *sink, const char *path, taco_error *err)
{
    taco_bytes name = taco__bytes_text(path);
    if (sink->close(sink->ctx, true)) { return true; }
    TACO__FAIL(err, TACO_ERR_IO, TACO_NO_OFFSET, "cannot be written: %q%s", &name,
               taco__sink_cause(sink));
    return false;
}

#if TACO__DIRS
/* Fills the directory of a catalogue; *file is the path of one file in it. */
static bool taco__catalogue_fill_directory(taco__catalogue *m, const char *dir, const char **file,
                                           taco_error *err)
{
    static const char *const names[] = {"level0.parquet", "level1.parquet", "level2.parquet",
                                        "level3.parquet", "level4.parquet", "level5.parquet"};
    taco__buf text;
    taco_sink sink;
    uint32_t i;
    bool ok = true;
    memset(&text, 0, sizeof text);
    text.mem = &m->mem;
    for (i = 0; ok && i < m->levels; i++) {
        const char *name = taco__catalogue_join_path(m, dir, names[i], err);
        ok = name && taco_sink_file(&sink, name, &m->options, err) == TACO_OK &&
             taco__catalogue_table_write_level(m, i, &sink, err);
    }
    *file = ok ? taco__catalogue_join_path(m, dir, "COLLECTION.json", err) : NULL;
    ok = *file && taco__merged_write(m, false, &text, err) &&
         taco__catalogue_write_text(m, *file, taco__bytes_of(text.data, text.len), err);
    taco__buf_free(&text);
    return ok;
}
#endif

/* Writes the .tacocat directory under a temporary name, and renames it when it is complete. With
   `binary`, a sink with a complete __TACOCAT__ file for that path, either both appear or
   neither. */
static bool taco__catalogue_write_directory(taco__catalogue *m, const char *path,
                                            const taco_sink *binary, const char *binary_path,
                                            taco_error *err)
{
#if TACO__DIRS
    taco__temporary t;
    const char *file = NULL;
    bool ok, open = binary != NULL;
    memset(&t, 0, sizeof t);
    ok = taco__catalogue_check_free(m, path, err) &&
         taco__temporary_make(&t, path, NULL, &m->options, &m->mem, err) &&
         taco__catalogue_fill_directory(m, t.name, &file, err) &&
         taco__dir_commit(&t, path, file, err);
    if (ok && binary) {
        open = false;
        ok = taco__catalogue_keep(binary, binary_path, err);
        if (!ok) { taco__temporary_undo(&t, path); }
    }
    if (open) { binary->close(binary->ctx, false); }
    taco__temporary_remove(&t);
    return ok;
#else
    (void)m;
    (void)binary_path;
    if (binary) { binary->close(binary->ctx, false); }
    TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET, "%s: this build makes no directories",
               path);
    return false;
#endif
}

/* Writes the form of catalogue that the name of the output selects, see taco_create_tacocat. */
static bool taco__catalogue_write(taco__catalogue *m, const char *output, taco_error *err)
{
    const char *folder, *binary;
    taco_sink sink;
    if (taco__catalogue_has_file_name(output, "__TACOCAT__")) {
        return taco__catalogue_write_binary(m, output, &sink, err) &&
               taco__catalogue_keep(&sink, output, err);
    }
    if (taco__catalogue_has_file_name(output, ".tacocat")) {
        return taco__catalogue_write_directory(m, output, NULL, NULL, err);
    }
    folder = taco__catalogue_join_path(m, output, ".tacocat", err);
    binary = taco__catalogue_join_path(m, output, "__TACOCAT__", err);
    if (!folder || !binary || !taco__catalogue_check_free(m, folder, err)) { return false; }
    if (!m->opt.binary) { return taco__catalogue_write_directory(m, folder, NULL, NULL, err); }
    return taco__catalogue_write_binary(m, binary, &sink, err) &&
           taco__catalogue_write_directory(m, folder, &sink, binary, err);
}

/* Warns of archives that are not where readers look for them: in the directory of the catalogue.
   The catalogue is complete, so out of memory is no failure. */
static void taco__catalogue_warn_elsewhere(taco__catalogue *m, const char *output)
{
    taco_error what = {0, TACO_OK, 0, {0}};
    taco_bytes first = {NULL, 0};
    size_t n = strlen(output), count = 0, i;
    const char *dir;
    if (!m->options.warn || m->options.open_file) { return; }
    while (n > 1 && taco__plat_is_slash(output[n - 1])) {
        n--;
    }
    if (taco__catalogue_has_file_name(output, "__TACOCAT__") ||
        taco__catalogue_has_file_name(output, ".tacocat")) {
        n = taco__plat_dir_length(output, n);
    }
    dir = n ? taco__arena_text(&m->arena, taco__bytes_of(output, n), NULL) : ".";
    for (i = 0; dir && i < m->count; i++) {
        const char *there = taco__catalogue_join_path(m, dir, m->parts[i].name, NULL);
        taco__plat_id id;
        if (there && taco__plat_identify(m->parts[i].path, &id) &&
            !taco__plat_is_same(there, &id, true) && !count++) {
            first = taco__bytes_text(m->parts[i].path);
        }
    }
    if (!count) { return; }
    TACO__FAIL(&what, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
               "%u of %u archives are not next to the catalogue, such as %q: readers look for them "
               "there, unless they are given another directory (--base-path)",
               TACO__U(count), TACO__U(m->count), &first);
    m->options.warn(m->options.warn_ctx, &what);
}
#endif

/* ---- public ---- */

/* Frees everything and returns the result. */
static taco_status taco__catalogue_end(taco__catalogue *m, bool ok, const taco_error *own,
                                       taco_error *err)
{
    taco_error e = *own;
    taco__arena_free(&m->arena);
    if (!ok) { TACO__FAIL(&e, TACO_ERR_IO, TACO_NO_OFFSET, "writing failed"); }
    taco__error_copy(err, &e);
    return e.code;
}

/* The name of the output decides its form: __TACOCAT__ is the file, .tacocat the directory; other
   names are directories that get a .tacocat, and with opt->binary also the file. */
TACO_API taco_status taco_create_tacocat(const char *output, const char *const *paths, size_t n,
                                         const taco_merge_options *opt, taco_error *err)
{
    taco__catalogue m;
    taco_error own = {0, TACO_OK, 0, {0}};
    bool ok;
    err = taco__error_fresh(err, NULL);
    if (!output) { return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no output given"); }
    ok = taco__catalogue_begin(&m, paths, n, opt, true, &own);
#ifndef TACO_NO_STDIO
    ok = ok && taco__catalogue_write(&m, output, &own);
    if (ok) { taco__catalogue_warn_elsewhere(&m, output); }
#endif
    if (ok) {
        taco__log(&m.options, TACO_LOG_INFO, "wrote the catalogue %s, archives: %u, samples: %u",
                  output, TACO__U(m.count), m.rows[0]);
    }
    return taco__catalogue_end(&m, ok, &own, err);
}

/* A name ending in .json is the file, any other the directory for TACOLLECTION.json. */
TACO_API taco_status taco_create_tacollection(const char *output, const char *const *paths,
                                              size_t n, const taco_merge_options *opt,
                                              taco_error *err)
{
    taco__catalogue m;
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__buf text;
    bool ok;
    err = taco__error_fresh(err, NULL);
    if (!output) { return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no output given"); }
    ok = taco__catalogue_begin(&m, paths, n, opt, false, &own);
    memset(&text, 0, sizeof text);
    text.mem = &m.mem;
#ifndef TACO_NO_STDIO
    if (ok) {
        size_t len = strlen(output);
        const char *path = len > 5 && strcmp(output + len - 5, ".json") == 0
                               ? output
                               : taco__catalogue_join_path(&m, output, "TACOLLECTION.json", &own);
        ok = path && taco__catalogue_check_free(&m, path, &own) &&
             taco__merged_write(&m, false, &text, &own) &&
             taco__catalogue_write_text(&m, path, taco__bytes_of(text.data, text.len), &own);
        if (ok) {
            taco__log(&m.options, TACO_LOG_INFO, "wrote %s, datasets: %u", path, TACO__U(m.count));
        }
    }
#endif
    taco__buf_free(&text);
    return taco__catalogue_end(&m, ok, &own, err);
}
/* ==== src/write/merged_collection.c ==== */
/* merged_collection.c - the collection of many datasets, with counts and extent of all

   In: the parts of a catalogue (catalogue.c); out: the text of its COLLECTION.json or
   TACOLLECTION.json, as the reference writes it: indented by four, everything beyond ASCII
   escaped. TACO 2.0 §6.6.

   Members keep the order of the first part's document; extent and taco:pit_schema are
   computed, taco:sources (and _tacocat in a __TACOCAT__) appended. */
/* #include "write.h" */
/* #include "../base/base.h" */
/* #include "../base/json.h" */
/* #include "../dataset/dataset.h" */

/* ---- the collection ---- */

/* The box around all boxes; false if no part has one. If one crosses the antimeridian (west >
   east), the others are moved towards it, so that the result is as narrow as possible; otherwise it
   is what the reference computes. */
static bool taco__merged_box(const taco__catalogue *m, double out[4])
{
    size_t i;
    int turn;
    bool any = false, crosses = false;
    double best;
    for (i = 0; i < m->count; i++) {
        crosses =
            crosses || (m->parts[i].has_spatial && m->parts[i].spatial[0] > m->parts[i].spatial[2]);
    }
    for (i = 0; i < m->count; i++) {
        const double *b = m->parts[i].spatial;
        double w = b[0], e = b[2] < b[0] ? b[2] + 360 : b[2], to = 0;
        if (!m->parts[i].has_spatial) { continue; }
        if (!any) {
            out[0] = w;
            out[1] = b[1];
            out[2] = e;
            out[3] = b[3];
            any = true;
            continue;
        }
        for (turn = -1, best = 1e9; turn <= 1; turn++) {
            double wide = TACO__MAX(out[2], e + turn * 360) - TACO__MIN(out[0], w + turn * 360);
            if ((crosses || turn == 0) && wide < best) {
                best = wide;
                to = turn * 360;
            }
        }
        out[0] = TACO__MIN(out[0], w + to);
        out[2] = TACO__MAX(out[2], e + to);
        out[1] = TACO__MIN(out[1], b[1]);
        out[3] = TACO__MAX(out[3], b[3]);
    }
    if (any && crosses && out[2] - out[0] >= 360) {
        out[0] = -180;
        out[2] = 180;
    } else if (any && crosses) {
        out[0] += out[0] < -180 ? 360 : out[0] > 180 ? -360 : 0;
        out[2] += out[2] < -180 ? 360 : out[2] > 180 ? -360 : 0;
    }
    return any;
}

/* Writes [west, south, east, north]. */
static void taco__merged_write_box(taco__json_writer *w, const double box[4])
{
    size_t i;
    taco__json_write_begin(w, "spatial", '[');
    for (i = 0; i < 4; i++) {
        taco__json_write_double(w, NULL, box[i]);
    }
    taco__json_write_end(w, ']');
}

/* Writes ["first", "last"]. */
static void taco__merged_write_times(taco__json_writer *w, const char *first, const char *last)
{
    taco__json_write_begin(w, "temporal", '[');
    taco__json_write_quoted_value(w, NULL, taco__bytes_text(first));
    taco__json_write_quoted_value(w, NULL, taco__bytes_text(last));
    taco__json_write_end(w, ']');
}

/* Writes extent: the box, and the earliest and latest time as written in the parts. No box if a
   part has none, since it must cover all (§6.6). */
static void taco__merged_write_extent(const taco__catalogue *m, taco__json_writer *w)
{
    double box[4] = {-180, -90, 180, 90};
    const char *text[2] = {NULL, NULL};
    int64_t best[2] = {0, 0};
    size_t i, k;
    taco__merged_box(m, box);
    for (i = 0; i < m->count; i++) {
        for (k = 0; m->parts[i].has_temporal && k < 2; k++) {
            int64_t us;
            bool date;
            if (taco__time_parse(taco__bytes_text(m->parts[i].temporal[k]), &us, &date) &&
                (!text[k] || (k ? us > best[k] : us < best[k]))) {
                text[k] = m->parts[i].temporal[k];
                best[k] = us;
            }
        }
    }
    for (i = 0; i < m->count && m->parts[i].has_spatial; i++) {}
    taco__json_write_begin(w, "extent", '{');
    if (i == m->count) { taco__merged_write_box(w, box); }
    if (text[0] && text[1]) {
        taco__merged_write_times(w, text[0], text[1]);
    } else {
        taco__json_write_text(w, "temporal", NULL);
    }
    taco__json_write_end(w, '}');
}

/* Writes a pattern, or the root, with another n; without one if n is negative. */
static void taco__merged_write_pattern(taco__json_writer *w, const char *key,
                                       const taco__json *node, int64_t n)
{
    static const char *const skip[] = {"n"};
    taco__json_write_begin(w, key, '{');
    if (n >= 0) { taco__json_write_i64(w, "n", n); }
    taco__document_copy_members(node, skip, 1, w);
    taco__json_write_end(w, '}');
}

/* Writes taco:pit_schema of the first part with the counts of all; shape only if all parts have
   one. */
static void taco__merged_write_pit_schema(const taco__catalogue *m, taco__json_writer *w)
{
    const taco__pit *pit = &m->coll.pit;
    uint32_t d;
    size_t i;
    taco__json_write_begin(w, "taco:pit_schema", '{');
    taco__merged_write_pattern(w, "root", taco__json_get(m->coll.pit_schema, "root"),
                               (int64_t)m->rows[0]);
    if (m->shaped) {
        taco__json_write_begin(w, "shape", '[');
        taco__json_write_u64(w, NULL, m->rows[0]);
        for (i = 1; i < m->levels; i++) {
            taco__json_write_i64(w, NULL, m->shape[i]);
        }
        taco__json_write_end(w, ']');
    }
    taco__json_write_begin(w, "hierarchy", '{');
    for (d = 0; d < TACO__PIT_MAX_DEPTH; d++) {
        char key[] = "1";
        if (!pit->levels[d].present) { continue; }
        key[0] = (char)('1' + d);
        taco__json_write_begin(w, key, '[');
        for (i = 0; i < pit->levels[d].count; i++) {
            taco__merged_write_pattern(w, NULL, pit->levels[d].patterns[i].node, m->sums[d][i]);
        }
        taco__json_write_end(w, ']');
    }
    taco__json_write_end(w, '}');
    taco__json_write_end(w, '}');
}

/* Writes taco:bounds of a part: what source_routing.c needs to leave it out; nothing for a FOLDER,
   whose files may change one by one. */
static void taco__merged_write_bounds(taco__json_writer *w, const taco__catalogue_part *p)
{
    const taco__extent *s = &p->span;
    bool box = s->box && !s->loose, times = s->times && !s->loose_times;
    double edge[4];
    char text[2][48];
    if (!p->is_file || !(box || times)) { return; }
    taco__json_write_begin(w, "taco:bounds", '{');
    taco__json_write_u64(w, "bytes", p->mark.bytes);
    taco__json_write_u64(w, "crc", p->mark.crc);
    if (box) {
        taco__extent_box(s, edge);
        taco__merged_write_box(w, edge);
    }
    if (times) {
        taco__extent_time_texts(s, text);
        taco__merged_write_times(w, text[0], text[1]);
    }
    taco__json_write_end(w, '}');
}

/* Writes taco:sources: number, ids, file names, extents and bounds of the parts. */
static void taco__merged_write_sources(const taco__catalogue *m, taco__json_writer *w)
{
    size_t i;
    taco__json_write_begin(w, "taco:sources", '{');
    taco__json_write_u64(w, "count", m->count);
    taco__json_write_begin(w, "ids", '[');
    for (i = 0; i < m->count; i++) {
        taco__json_write_quoted_value(w, NULL, taco__bytes_text(m->parts[i].id));
    }
    taco__json_write_end(w, ']');
    taco__json_write_begin(w, "files", '[');
    for (i = 0; i < m->count; i++) {
        taco__json_write_quoted_value(w, NULL, taco__bytes_text(m->parts[i].name));
    }
    taco__json_write_end(w, ']');
    taco__json_write_begin(w, "extents", '[');
    for (i = 0; i < m->count; i++) {
        const taco__catalogue_part *p = &m->parts[i];
        taco__json_write_begin(w, NULL, '{');
        taco__json_write_quoted_value(w, "file", taco__bytes_text(p->name));
        taco__json_write_quoted_value(w, "id", taco__bytes_text(p->id));
        if (p->has_spatial) { taco__merged_write_box(w, p->spatial); }
        if (p->has_temporal) { taco__merged_write_times(w, p->temporal[0], p->temporal[1]); }
        taco__merged_write_bounds(w, p);
        taco__json_write_end(w, '}');
    }
    taco__json_write_end(w, ']');
    taco__json_write_end(w, '}');
}

/* Writes _tacocat, as the first writers of __TACOCAT__ did; today's readers ignore it. */
static void taco__merged_write_note(const taco__catalogue *m, taco__json_writer *w)
{
    size_t i;
    taco__json_write_begin(w, "_tacocat", '{');
    taco__json_write_u64(w, "version", 1);
    taco__json_write_u64(w, "num_datasets", m->count);
    taco__json_write_begin(w, "dataset_sources", '[');
    for (i = 0; i < m->count; i++) {
        taco__json_write_quoted_value(w, NULL, taco__bytes_text(m->parts[i].name));
    }
    taco__json_write_end(w, ']');
    taco__json_write_end(w, '}');
}

/* Appends text with all non-ASCII characters as \uXXXX, in surrogate pairs if needed. text is valid
   UTF-8, as the parser checked. */
static bool taco__merged_escape_ascii(taco_bytes text, taco__buf *out, taco_error *err)
{
    static const char hex[] = "0123456789abcdef";
    size_t i = 0;
    bool ok = true;
    while (ok && i < text.len) {
        size_t from = i, k, n;
        uint32_t c, half[2];
        while (i < text.len && text.data[i] < 0x80) {
            i++;
        }
        ok = taco__buf_append(out, text.data + from, i - from, err);
        if (!ok || i == text.len) { break; }
        n = taco__utf8_length(text.data + i, text.data + text.len);
        if (n < 2) { /* impossible, as the parser checked */
            i++;
            continue;
        }
        c = text.data[i] & (0x7FU >> n);
        for (k = 1; k < n; k++) {
            c = c << 6 | (text.data[i + k] & 0x3FU);
        }
        i += n;
        half[0] = c < 0x10000U ? c : 0xD800U + ((c - 0x10000U) >> 10);
        half[1] = 0xDC00U + ((c - 0x10000U) & 0x3FFU);
        for (k = 0; ok && k < (c < 0x10000U ? 1U : 2U); k++) {
            char esc[6] = {'\\', 'u', 0, 0, 0, 0};
            unsigned d;
            for (d = 0; d < 4; d++) {
                esc[2 + d] = hex[half[k] >> (12 - 4 * d) & 15];
            }
            ok = taco__buf_append(out, esc, 6, err);
        }
    }
    return ok;
}

/* Writes the members of the first part's document, with the extent and the PIT schema of all. */
static void taco__merged_write_members(const taco__catalogue *m, taco__json_writer *w)
{
    static const char *const skip[] = {"taco:sources", "_tacocat", "taco:subset_of",
                                       "taco:subset_date"};
    const taco__json *root = m->coll.doc.root, *key;
    taco__hash_map members;
    uint32_t i;
    size_t k;
    memset(&members, 0, sizeof members);
    members.mem = w->out->mem;
    w->ok = w->ok && taco__json_index_members(root, &members, w->err);
    for (i = 0, key = taco__json_first(root); i < root->count;
         i++, key = taco__json_next(key + 1)) {
        for (k = 0; k < TACO__COUNT(skip) && !taco__json_equals(key, skip[k]); k++) {}
        if (k < TACO__COUNT(skip) || !taco__json_member_counts(&members, root, key)) { continue; }
        if (taco__json_equals(key, "extent")) {
            taco__merged_write_extent(m, w);
        } else if (taco__json_equals(key, "taco:pit_schema")) {
            taco__merged_write_pit_schema(m, w);
        } else {
            taco__json_write_key_bytes(w, taco__json_bytes(key));
            w->ok = w->ok && taco__json_print(w->out, key + 1, 0, w->err);
        }
    }
    taco__hash_map_free(&members);
}

/* Appends the merged document; note: with _tacocat. */
TACO__FN bool taco__merged_write(taco__catalogue *m, bool note, taco__buf *out, taco_error *err)
{
    taco__buf b, pretty;
    taco__json_writer w;
    taco__arena arena;
    taco__json_doc doc;
    bool ok;
    memset(&b, 0, sizeof b);
    b.mem = arena.mem = &m->mem;
    arena.head = NULL;
    pretty = b;
    w = taco__json_writer_init(&b, err);
    taco__json_write_begin(&w, NULL, '{');
    taco__merged_write_members(m, &w);
    taco__merged_write_sources(m, &w);
    if (note) { taco__merged_write_note(m, &w); }
    taco__json_write_end(&w, '}');
    ok = w.ok &&
         taco__json_parse(&arena, taco__bytes_of(b.data, b.len), &m->options.limits, &doc, err) ==
             TACO_OK &&
         taco__json_print(&pretty, doc.root, 4, err) &&
         taco__merged_escape_ascii(taco__bytes_of(pretty.data, pretty.len), out, err);
    taco__arena_free(&arena);
    taco__buf_free(&b);
    taco__buf_free(&pretty);
    return ok;
}
/* ==== src/write/catalogue_tables.c ==== */
/* catalogue_tables.c - tables of a catalogue: rows of all parts, in a directory or one file

   In: the parts and united columns of a catalogue (catalogue.c); out: level tables as Parquet,
   or the __TACOCAT__ file: 128 bytes of header (magic, version, deepest level, offset and length
   of 6 levels and the collection), then the tables and the collection. TACO 2.0 §6.5.

   Rows are copied a batch at a time; columns that a part lacks are null.
   internal:source_file is the part's name (a dictionary of one), internal:current_id the row's
   number in it, counted again. */
/* #include "write.h" */
/* #include "../base/base.h" */
/* #include "../arrow/arrow.h" */
/* #include "../parquet/parquet.h" */
/* #include "../parquet_write/parquet_write.h" */
/* #include "../dataset/dataset.h" */

/* ---- the tables ---- */

/* Rows copied at a time. */
#define TACO__CATALOGUE_TABLE_BATCH 4096

/* One level of one part being copied into the catalogue. */
typedef struct taco__catalogue_table_copy {
    taco__catalogue *m;
    uint32_t level;
    taco__table *table;
    taco__row_reader rows;
    taco__arena arena;
    taco_array *arrays;
    size_t *at; /* position among the columns being read, or TACO__NONE */
    size_t current, source;
    int64_t *numbers;
    int32_t *zeros, ends[2];
    taco_array word;
} taco__catalogue_table_copy;

/* Opens a reader over a part's columns in the catalogue's order, and prepares the arrays of missing
   ones. */
static bool taco__catalogue_table_copy_init(taco__catalogue_table_copy *c, const char *name,
                                            taco_error *err)
{
    taco__field_index names;
    bool ok = true;
    size_t i, n = 0, count = c->m->columns[c->level], *which;
    const taco_field *fields = c->m->fields[c->level];
    c->arrays = (taco_array *)taco__arena_array(&c->arena, count, sizeof *c->arrays, err);
    c->at = (size_t *)taco__arena_array(&c->arena, count, sizeof *c->at, err);
    which = (size_t *)taco__arena_array(&c->arena, count, sizeof *which, err);
    c->numbers = (int64_t *)taco__arena_array(&c->arena, TACO__CATALOGUE_TABLE_BATCH,
                                              sizeof *c->numbers, err);
    c->zeros =
        (int32_t *)taco__arena_array(&c->arena, TACO__CATALOGUE_TABLE_BATCH, sizeof *c->zeros, err);
    if (!c->arrays || !c->at || !which || !c->numbers || !c->zeros) { return false; }
    taco__field_index_init(&names, c->table->fields, c->table->field_count, c->arena.mem);
    for (i = 0; ok && i < count; i++) {
        size_t k = taco__field_index_find(&names, fields[i].name);
        c->at[i] = TACO__NONE;
        if (strcmp(fields[i].name, "internal:source_file") == 0) {
            c->source = i;
        } else if (strcmp(fields[i].name, "internal:current_id") == 0) {
            c->current = i; /* row number: archives from before 2025-12 have none */
        } else if (k != SIZE_MAX) {
            c->at[i] = n;
            which[n++] = k;
        } else {
            ok = taco__unify_null_array(&fields[i], TACO__CATALOGUE_TABLE_BATCH, &c->arrays[i],
                                        &c->arena, err);
        }
    }
    taco__field_index_free(&names);
    if (!ok) { return false; }
    c->ends[0] = 0;
    c->ends[1] = (int32_t)strlen(name);
    c->word.field = &fields[c->source];
    c->word.length = 1;
    c->word.offsets = c->ends;
    c->word.v.any = name;
    return taco__row_reader_open(&c->rows, c->table, which, n, &c->m->mem, err);
}

/* Counts rows that were written, and asks the caller whether to go on. */
static bool taco__catalogue_table_progress(taco__catalogue *m, size_t rows, taco_error *err)
{
    uint64_t total = 0;
    uint32_t i;
    m->copied += rows;
    for (i = 0; i < m->levels; i++) {
        total += m->rows[i];
    }
    if (!m->opt.progress || m->opt.progress(m->opt.progress_ctx, m->copied, total)) { return true; }
    TACO__FAIL(err, TACO_ERR_STATE, TACO_NO_OFFSET, "stopped by the caller");
    return false;
}

/* Copies all rows of a part. False with *err empty if the writer failed, which reports why when it
   is closed. */
static bool taco__catalogue_table_copy_rows(taco__catalogue_table_copy *c, taco_pq_writer *w,
                                            taco_error *err)
{
    size_t row = 0, i, count = c->m->columns[c->level];
    taco_batch b;
    memset(&b, 0, sizeof b);
    b.first_row = -1;
    b.columns = c->arrays;
    b.column_count = count;
    while (row < c->table->rows) {
        size_t n = (size_t)TACO__MIN(c->table->rows - row, (uint64_t)TACO__CATALOGUE_TABLE_BATCH);
        if (!taco__row_reader_read_range(&c->rows, row, n, err)) { return false; }
        for (i = 0; i < count; i++) {
            taco_array *a = &c->arrays[i];
            if (c->at[i] != TACO__NONE) {
                *a = c->rows.arrays[c->at[i]];
            } else if (i == c->source || i == c->current) {
                memset(a, 0, sizeof *a);
                a->field = &c->m->fields[c->level][i];
                a->v.any = i == c->source ? (const void *)c->zeros : (const void *)c->numbers;
                a->dictionary = i == c->source ? &c->word : NULL;
            } else {
                a->null_count = n;
            }
            a->length = n;
        }
        for (i = 0; i < n; i++) {
            c->numbers[i] = (int64_t)(row + i);
        }
        b.length = n;
        if (taco_pq_writer_batch(w, &b) != TACO_OK) { return false; /* the writer reports why */ }
        row += n;
        if (!taco__catalogue_table_progress(c->m, n, err)) { return false; }
    }
    return true;
}

/* Copies one level of one part into the writer. */
static bool taco__catalogue_table_copy_part(taco__catalogue *m, size_t number, uint32_t level,
                                            taco_pq_writer *w, taco_error *err)
{
    taco__container *s;
    taco__arena arena;
    taco__catalogue_table_copy c;
    taco__level *l;
    bool ok;
    memset(&c, 0, sizeof c);
    arena.mem = c.arena.mem = &m->mem;
    arena.head = NULL;
    c.m = m;
    c.level = level;
    /* too large for the stack */
    s = (taco__container *)taco__mem_alloc(&m->mem, sizeof *s, err);
    if (!s) { return false; }
    if (!taco__container_open(s, m->parts[number].path, NULL, &m->mem, &arena, &m->options, err)) {
        taco__arena_free(&arena);
        taco__mem_free(&m->mem, s, sizeof *s);
        return false;
    }
    l = taco__container_level(s, level, err);
    ok = l && taco__places_check(s, level, err);
    if (ok) {
        c.table = &l->table;
        ok = taco__catalogue_table_copy_init(&c, m->parts[number].name, err) &&
             taco__catalogue_table_copy_rows(&c, w, err);
        if (!ok) { taco__error_prefix(err, "%s", m->parts[number].path); }
        taco__row_reader_close(&c.rows);
    }
    taco__container_close(s);
    taco__mem_free(&m->mem, s, sizeof *s);
    taco__arena_free(&c.arena);
    taco__arena_free(&arena);
    return ok;
}

/* Writes a level of the catalogue into a sink, which is taken over. */
TACO__FN bool taco__catalogue_table_write_level(taco__catalogue *m, uint32_t level,
                                                const taco_sink *sink, taco_error *err)
{
    taco_pq_write_options w;
    taco_pq_writer *writer;
    size_t i;
    bool ok;
    w = taco__level_table_user_options(m->opt.parquet);
    w.options = &m->options;
    w.codec = m->opt.codec ? m->opt.codec : w.codec ? w.codec : TACO_CODEC_ZSTD;
    w.level = m->opt.level ? m->opt.level : w.level;
    w.row_group_rows = m->opt.row_group_rows ? m->opt.row_group_rows : w.row_group_rows;
    writer = taco_pq_write(sink, m->fields[level], m->columns[level], &w, err);
    ok = writer != NULL;
    for (i = 0; ok && i < m->count; i++) {
        ok = taco__catalogue_table_copy_part(m, i, level, writer, err);
    }
    if (writer && !ok && err->code != TACO_OK) {
        taco_pq_writer_abort(writer);
    } else if (writer) {
        ok = taco_pq_writer_close(writer, err) == TACO_OK && ok;
    }
    return ok;
}

/* ---- the 128-byte file (§6.5) ---- */

/* A table inside the file: its offset, and its size so far. */
typedef struct taco__catalogue_table_sink {
    taco_sink *out;
    uint64_t base, size;
} taco__catalogue_table_sink;

/* Writes to the file, relative to the beginning of the table. */
static bool taco__catalogue_table_sink_write(void *ctx, uint64_t offset, const void *src,
                                             size_t len)
{
    taco__catalogue_table_sink *s = (taco__catalogue_table_sink *)ctx;
    if (offset != s->size) { return false; }
    s->size += len;
    return s->out->write(s->out->ctx, s->base + offset, src, len);
}

/* The file stays open for the next table. */
static bool taco__catalogue_table_sink_close(void *ctx, bool keep)
{
    (void)ctx;
    (void)keep;
    return true;
}

/* Writes the __TACOCAT__ file: a header of zeros, the tables, the collection, then the header
   again with their places. Header, 128 bytes, little-endian:

         0 "TACOCAT", 0       16 u64 offset, u64 length of level 0
         8 u32 version 1      32 ... of level 1, and so on; 0 if there is none
        12 u32 deepest level  112 u64 offset, u64 length of the collection */
TACO__FN bool taco__catalogue_table_write_file(taco__catalogue *m, taco_sink *out, taco_error *err)
{
    uint8_t head[TACO__INDEX_TACOCAT_BYTES];
    taco__catalogue_table_sink part;
    taco_sink sink;
    taco__buf text;
    uint32_t i;
    bool ok;
    memset(head, 0, sizeof head);
    memcpy(head, "TACOCAT", 7);
    taco__put_le32(head + 8, 1);
    taco__put_le32(head + 12, m->levels - 1);
    memset(&text, 0, sizeof text);
    memset(&sink, 0, sizeof sink);
    text.mem = &m->mem;
    part.out = out;
    part.base = sizeof head;
    sink.ctx = &part;
    sink.write = taco__catalogue_table_sink_write;
    sink.close = taco__catalogue_table_sink_close;
    ok = out->write(out->ctx, 0, head, sizeof head);
    for (i = 0; ok && i < m->levels; i++) {
        part.size = 0;
        ok = taco__catalogue_table_write_level(m, i, &sink, err);
        taco__put_le64(head + 16 + 16 * (size_t)i, part.base);
        taco__put_le64(head + 24 + 16 * (size_t)i, part.size);
        part.base += part.size;
    }
    ok = ok && taco__merged_write(m, true, &text, err);
    taco__put_le64(head + 112, part.base);
    taco__put_le64(head + 120, text.len);
    ok = ok && out->write(out->ctx, part.base, text.data, text.len) &&
         out->write(out->ctx, 0, head, sizeof head);
    taco__buf_free(&text);
    return ok;
}
/* ==== src/write/repair.c ==== */
/* repair.c - taco_repair: a dataset rewritten around the same payloads

   In: an archive or FOLDER with wrong places, counts or headers; out: a new one of the same
   kind, valid except for what only its author can decide. TACO 2.0 §6.

   Contradictions are resolved in this order: for the bytes of a sample the entry of its path in the
   central directory, then its __meta__, then the level; for the samples of a FOLDER its __meta__,
   then the level; for their columns the level, or __meta__ if the two disagree about the rows.
   Payloads keep their order, and are copied only if they match the CRC-32 in the archive.

   Steps (taco__repair_run_all): validate the old dataset, which also reads its levels; if
   TACO_HEADER is wrong, open it again by the directory alone; build the new tree
   (repair_tree.c); write it under a temporary name. taco_repair then validates the result, and
   gives it its name. */
/* #include "write.h" */
/* #include "../base/base.h" */
/* #include "../arrow/arrow.h" */
/* #include "../base/file_copy.h" */
/* #include "../base/json.h" */
/* #include "../parquet/parquet.h" */
/* #include "../dataset/dataset.h" */
/* #include "../validate/validate.h" */

/* The ranges that the rows of a new level come from, *n of them in order. */
static const taco__repair_range *taco__repair_ranges(const taco__repair_level *l, size_t *n)
{
    *n = l->runs.len / sizeof(taco__repair_range);
    return (const taco__repair_range *)(const void *)l->runs.data;
}

/* Closes the table whose columns are being read; safe if there is none. */
static void taco__repair_close_reader(taco__repair *r)
{
    if (r->rows_open) { taco__row_reader_close(&r->rows); }
    if (r->m_open) { taco__local_meta_close(&r->m); }
    r->rows_open = r->m_open = false;
    taco__arena_free(&r->batch);
}

/* Frees everything in a repair; safe in any state after its init. */
static void taco__repair_free(taco__repair *r)
{
    size_t i;
    taco__repair_close_reader(r);
    for (i = 0; i < TACO__MAX_LEVELS; i++) {
        taco__repair_level *l = &r->levels[i];
        taco__buf_free(&l->old);
        taco__buf_free(&l->offset);
        taco__buf_free(&l->size);
        taco__buf_free(&l->runs);
        if (l->has_sample_meta) { taco__local_meta_close(&l->sample_meta); }
    }
    taco__buf_free(&r->path);
    taco__buf_free(&r->window);
    taco__tree_free(&r->tree);
    taco__check_dataset_close(r->c);
}

/* An offset or size of a row; -1 if unknown. */
static int64_t taco__repair_place(const taco__buf *b, size_t row)
{
    return ((const int64_t *)(const void *)b->data)[row];
}

/* ---- where bytes are ---- */

/* The path of a new row below DATA/, NUL-terminated and without a '/' at the end, in r->path. */
TACO__FN const char *taco__repair_path(taco__repair *r, uint32_t level, size_t row, taco_error *err)
{
    r->path.len = 0;
    if (!taco__tree_path(&r->tree, level, row, &r->path, err) ||
        !taco__buf_append_char(&r->path, 0, err)) {
        return NULL;
    }
    if (taco__tree_is_folder(&r->tree, level, row)) { r->path.data[r->path.len - 2] = 0; }
    return (const char *)r->path.data;
}

/* ---- the tree ---- */

/* Opens the __meta__ of a new FOLDER row; nothing to close after a failure. */
TACO__FN bool taco__repair_open_meta(taco__repair *r, uint32_t level, size_t row,
                                     taco__arena *arena, taco__local_meta *m, taco_error *err)
{
    taco__nav_node node;
    const char *path = taco__repair_path(r, level, row, err);
    if (!path) { return false; }
    memset(&node, 0, sizeof node);
    node.store = &r->c->store;
    node.folder = true;
    node.path = taco__arena_text(arena, taco__bytes_text(path), err);
    node.offset = taco__repair_place(&r->levels[level].offset, row);
    node.size = taco__repair_place(&r->levels[level].size, row);
    node.has_range = node.offset >= 0 && node.size >= 0;
    if (!node.path) { return false; }
    if (taco__local_meta_open(&node, arena, m, err)) { return true; }
    taco__local_meta_close(m);
    return false;
}

/* ---- columns ---- */

/* The user's columns of a new level: those of the old level, or of the first __meta__ that was read
   instead. */
static bool taco__repair_fields(taco__repair *r, uint32_t level, taco_error *err)
{
    taco__repair_level *l = &r->levels[level];
    const taco__table *t = r->c->tree.levels[level].l ? &r->c->tree.levels[level].l->table
                           : l->has_sample_meta       ? &l->sample_meta.table
                                                      : NULL;
    size_t i;
    if (!t) { return true; }
    l->fields =
        (taco_field *)taco__arena_array(&r->c->arena, t->field_count + 1, sizeof *l->fields, err);
    for (i = 0; l->fields && i < t->field_count; i++) {
        if (!taco__rules_is_format_column(taco__bytes_text(t->fields[i].name))) {
            l->fields[l->count] = t->fields[i];
            l->fields[l->count++].nullable = true;
        }
    }
    return l->fields != NULL;
}

/* Positions of the level's columns in a table; SIZE_MAX for missing ones. */
static void taco__repair_find_columns(const taco__repair_level *l, const taco__table *t,
                                      taco__mem *mem, size_t *which)
{
    taco__field_index names;
    size_t i;
    taco__field_index_init(&names, t->fields, t->field_count, mem);
    for (i = 0; i < l->count; i++) {
        which[i] = taco__field_index_find(&names, l->fields[i].name);
    }
    taco__field_index_free(&names);
}

/* taco__container_columns.begin. */
static bool taco__repair_begin_level(void *ctx, uint32_t level, taco_error *err)
{
    taco__repair *r = (taco__repair *)ctx;
    taco__repair_level *l = &r->levels[level];
    taco__check_tree_level *v = &r->c->tree.levels[level];
    taco__repair_close_reader(r);
    r->level = level;
    r->run = r->at = 0;
    r->arrays = (taco_array *)taco__arena_array(&r->c->arena, l->count + 1, sizeof *r->arrays, err);
    r->which = (size_t *)taco__arena_array(&r->c->arena, l->count + 1, sizeof *r->which, err);
    if (!r->arrays || !r->which) { return false; }
    if (v->l) {
        taco__repair_find_columns(l, &v->l->table, &r->mem, r->which);
        r->rows_open =
            taco__row_reader_open(&r->rows, &v->l->table, r->which, l->count, &r->mem, err);
        return r->rows_open;
    }
    return true;
}

/* A batch of a whole __meta__: its columns of the same name and type, nulls for others. */
static bool taco__repair_next_from_meta(taco__repair *r, const taco__repair_range *run,
                                        taco_batch *out, taco_error *err)
{
    taco__repair_level *l = &r->levels[r->level];
    size_t i, n = 0, *at;
    taco__repair_close_reader(r);
    at = (size_t *)taco__arena_array(&r->batch, l->count + 1, sizeof *at, err);
    if (!at || !taco__repair_open_meta(r, r->level - 1, run->parent, &r->batch, &r->m, err)) {
        return false;
    }
    r->m_open = true;
    taco__repair_find_columns(l, &r->m.table, &r->mem, at);
    for (i = 0; i < l->count; i++) {
        size_t k = at[i];
        at[i] = TACO__NONE;
        if (k != SIZE_MAX && taco__unify_same_type(&r->m.table.fields[k], &l->fields[i])) {
            at[i] = n;
            r->which[n++] = k;
        }
    }
    r->rows_open = taco__row_reader_open(&r->rows, &r->m.table, r->which, n, &r->mem, err);
    if (!r->rows_open || !taco__row_reader_read_range(&r->rows, 0, run->count, err)) {
        return false;
    }
    for (i = 0; i < l->count; i++) {
        if (at[i] == TACO__NONE) {
            if (!taco__unify_null_array(&l->fields[i], run->count, &r->arrays[i], &r->batch, err)) {
                return false;
            }
        } else {
            r->arrays[i] = r->rows.arrays[at[i]];
        }
    }
    out->length = run->count;
    return true;
}

/* taco__container_columns.next: the next rows of a range, from the old level or from a __meta__. */
static bool taco__repair_next_batch(void *ctx, taco_batch *out, taco_error *err)
{
    taco__repair *r = (taco__repair *)ctx;
    taco__repair_level *l = &r->levels[r->level];
    taco__check_tree_level *v = &r->c->tree.levels[r->level];
    size_t n, i, m;
    const taco__repair_range *runs = taco__repair_ranges(l, &n), *run;
    memset(out, 0, sizeof *out);
    out->first_row = -1;
    out->columns = r->arrays;
    out->column_count = l->count;
    if (r->run == n) { return true; }
    run = &runs[r->run];
    if (run->meta) {
        r->run++;
        return taco__repair_next_from_meta(r, run, out, err);
    }
    if (!r->rows_open || r->m_open) {
        taco__repair_close_reader(r);
        taco__repair_find_columns(l, &v->l->table, &r->mem, r->which);
        r->rows_open =
            taco__row_reader_open(&r->rows, &v->l->table, r->which, l->count, &r->mem, err);
        if (!r->rows_open) { return false; }
    }
    m = TACO__MIN((size_t)run->count - r->at, (size_t)TACO__CHECK_TREE_BATCH);
    if (!taco__row_reader_read_range(&r->rows, run->first + r->at, m, err)) { return false; }
    for (i = 0; i < l->count; i++) {
        r->arrays[i] = r->rows.arrays[i];
    }
    out->length = m;
    r->at += m;
    if (r->at == run->count) {
        r->run++;
        r->at = 0;
    }
    return true;
}

/* ---- payloads ---- */

/* A FILE and the place of its bytes, for sorting. */
typedef struct taco__repair_file {
    uint64_t offset;
    uint32_t level, row;
} taco__repair_file;

/* Order by place, so that payloads are read and written in their old order; then by level and
   row. */
static int taco__repair_compare_files(const void *ctx, const void *a, const void *b)
{
    const taco__repair_file *x = (const taco__repair_file *)a, *y = (const taco__repair_file *)b;
    (void)ctx;
    if (x->offset != y->offset) { return x->offset < y->offset ? -1 : 1; }
    if (x->level != y->level) { return x->level < y->level ? -1 : 1; }
    return (x->row > y->row) - (x->row < y->row);
}

/* If there is no entry for its path, a place from the tables is trusted only if some entry is
   exactly there or, without a directory, a local header with that name. */
static bool taco__repair_is_known_place(taco__repair *r, uint64_t offset, uint64_t size,
                                        const char *path, taco_error *err)
{
    taco__check_zip *z = &r->c->zip;
    size_t at = 0, len = TACO__ZIP_LOCAL_BYTES + 5 + strlen(path);
    taco__zip_local_header l;
    const uint8_t *p;
    taco_error why;
    memset(&why, 0, sizeof why);
    if (z->known) {
        const taco__check_zip_entry *e;
        /* the last entry whose local header is before the bytes */
        TACO__LOWER_BOUND(at, z->count, i, z->entries[i].local < offset);
        e = at ? &z->entries[at - 1] : NULL;
        return e && e->placed && e->stored && e->data == offset && e->size == size;
    }
    if (offset < len) { return false; }
    p = taco__file_view(&r->c->store.file, offset - len, len, &r->window, &why);
    if (taco__error_is_of_machine(&why)) { *err = why; }
    return p &&
           taco__zip_read_local_header(taco__bytes_of(p, len), offset - len, &l, &why) == TACO_OK &&
           !l.partial && l.data == offset && l.csize == size && l.method == 0 &&
           taco__bytes_starts_with(l.name, "DATA/") && l.name.len == 5 + strlen(path) &&
           memcmp(l.name.data + 5, path, strlen(path)) == 0;
}

/* Checks the bytes of a FILE: they are inside the archive, and match its CRC-32. */
static bool taco__repair_check_payload(taco__repair *r, uint32_t level, size_t row, taco_error *err)
{
    int64_t offset = taco__repair_place(&r->levels[level].offset, row),
            size = taco__repair_place(&r->levels[level].size, row);
    const char *path = taco__repair_path(r, level, row, err);
    taco_bytes name = taco__bytes_text(path);
    taco__check_zip_entry *e = path ? taco__repair_tree_find_entry(r, level, row, path) : NULL;
    taco__file *file = &r->c->store.file;
    taco__range range;
    uint32_t crc;
    if (!path) { return false; }
    if (offset < 0 || size < 0 ||
        !taco__checked_range((uint64_t)offset, (uint64_t)size, file->src.size) ||
        (e && e->size != (uint64_t)size) ||
        (!e && !taco__repair_is_known_place(r, (uint64_t)offset, (uint64_t)size, path, err))) {
        TACO__FAIL(
            err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
            "DATA/%q: its bytes are nowhere to be found, neither by the central directory nor "
            "by internal:offset",
            &name);
        return false;
    }
    if (!e) { return true; }
    /* offset from its local header if there is one, else from the table */
    range.offset = (uint64_t)offset;
    range.len = e->size;
    if (!taco__findings_read_crc(&r->f, file, range, &r->window, &crc, err) || r->f.stop) {
        return false;
    }
    if (crc != e->crc) {
        TACO__FAIL(err, TACO_ERR_CHECKSUM, range.offset,
                   "DATA/%q: its bytes are damaged, or its CRC-32 is: %x, the archive says %x",
                   &name, TACO__U(crc), TACO__U(e->crc));
        return false;
    }
    return true;
}

/* Copies one FILE, from the archive or the directory, into the new container. */
static bool taco__repair_copy_payload(taco__repair *r, taco__container_writer *p, uint32_t level,
                                      size_t row, taco_error *err)
{
    taco__input in;
    bool ok;
    memset(&in, 0, sizeof in);
    if (r->c->store.kind == TACO_KIND_ZIP) {
        if (!taco__repair_check_payload(r, level, row, err)) { return false; }
        taco__input_from_range(&in, &r->c->store.file.src,
                               (uint64_t)taco__repair_place(&r->levels[level].offset, row),
                               (uint64_t)taco__repair_place(&r->levels[level].size, row));
        in.archive = 1;
        in.later = true;
        return taco__container_write_sample(p, level, row, &in, err);
    }
    r->window.len = 0;
    ok = taco__repair_path(r, level, row, err) &&
         taco__buf_append_text(&r->window, r->c->store.dir, err) &&
         taco__buf_append_text(&r->window, "DATA/", err) &&
         taco__buf_append(&r->window, r->path.data, r->path.len, err) &&
         taco__source_open_path(&r->c->options, (const char *)r->window.data, &in.source, err);
    if (!ok) { return false; }
    in.own = in.later = true;
    in.size = in.source.size;
    ok = taco__container_write_sample(p, level, row, &in, err);
    taco__input_close(&in);
    return ok;
}

/* Copies all samples: directories of a FOLDER from level 0 down, then the bytes in the order of the
   archive. */
static bool taco__repair_copy_samples(taco__repair *r, taco__container_writer *p, taco_error *err)
{
    uint32_t level;
    size_t row, n = 0, total = 0, i, bytes;
    taco__repair_file *files;
    bool ok;
    p->copies = true;
    if (!taco__container_write_check_tree(p, err)) { return false; }
    for (level = 0; level < r->tree.levels; level++) {
        for (row = 0; row < r->tree.level[level].rows; row++) {
            total += !taco__tree_is_folder(&r->tree, level, row);
            if (taco__tree_is_folder(&r->tree, level, row) &&
                !taco__container_write_sample(p, level, row, NULL, err)) {
                return false;
            }
        }
    }
    if (!taco__checked_mul_size(total + 1, sizeof *files, &bytes)) {
        return TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory"), false;
    }
    files = (taco__repair_file *)taco__mem_alloc(&r->mem, bytes, err);
    if (!files) { return false; }
    for (level = 0; level < r->tree.levels; level++) {
        for (row = 0; row < r->tree.level[level].rows; row++) {
            if (!taco__tree_is_folder(&r->tree, level, row)) {
                files[n].offset = (uint64_t)taco__repair_place(&r->levels[level].offset, row);
                files[n].level = level;
                files[n++].row = (uint32_t)row;
            }
        }
    }
    ok = taco__sort_in(&r->mem, files, n, sizeof *files, taco__repair_compare_files, NULL, err);
    for (i = 0; ok && i < n; i++) {
        ok = taco__repair_copy_payload(r, p, files[i].level, files[i].row, err);
        r->out->files += ok;
    }
    taco__mem_free(&r->mem, files, bytes);
    if (!ok) { taco__payload_batch_blame_earlier(p, err); }
    return ok && taco__payload_batch_end(p, err);
}

/* ---- all steps ---- */

/* The collection without its extent, which is computed again. */
static const taco__json *taco__repair_collection(taco__repair *r, taco_error *err)
{
    static const char *const skip[] = {"extent"};
    taco__buf text;
    taco__json_writer w;
    taco__json_doc doc;
    bool ok;
    memset(&text, 0, sizeof text);
    text.mem = &r->mem;
    w = taco__json_writer_init(&text, err);
    taco__json_write_begin(&w, NULL, '{');
    taco__document_copy_members(r->c->store.coll.doc.root, skip, 1, &w);
    taco__json_write_end(&w, '}');
    ok = w.ok;
    if (ok) { /* the nodes point into the text, which is kept in the arena */
        char *copy = taco__arena_text(&r->c->arena, taco__bytes_of(text.data, text.len), err);
        ok = copy && taco__json_parse(&r->c->arena, taco__bytes_of(copy, text.len),
                                      &r->c->options.limits, &doc, err) == TACO_OK;
    }
    taco__buf_free(&text);
    return ok ? doc.root : NULL;
}

/* Bytes of the payloads of an archive; 0, not known, for a FOLDER, whose files are not open yet. */
static uint64_t taco__repair_sum_payloads(const taco__repair *r)
{
    uint64_t sum = 0;
    uint32_t level;
    size_t row;
    if (r->c->store.kind != TACO_KIND_ZIP) { return 0; }
    for (level = 0; level < r->tree.levels; level++) {
        for (row = 0; row < r->tree.level[level].rows; row++) {
            int64_t size = taco__repair_place(&r->levels[level].size, row);
            /* a size that is wrong fails later */
            if (size > 0 && !taco__tree_is_folder(&r->tree, level, row)) { sum += (uint64_t)size; }
        }
    }
    return sum;
}

/* Writes the new container. */
/* Begins the output, which keeps a temporary name when it is complete. */
static bool taco__repair_begin(taco__repair *r, taco__container_writer *p, const char *output,
                               const taco_create_options *create, taco_error *err)
{
#ifndef TACO_NO_STDIO
    taco_sink sink;
    if (create->container != TACO_KIND_ZIP) {
        if (!taco__container_write_begin(p, output, create, &r->tree, &r->mem, err)) {
            return false;
        }
        p->staged = r->staged;
        return true;
    }
    return taco__sink_file_staged(&sink, output, create->options, r->staged->mem, r->staged, err) ==
               TACO_OK &&
           taco__container_write_begin_sink(p, &sink, create, &r->tree, &r->mem, err);
#else
    return taco__container_write_begin(p, output, create, &r->tree, &r->mem, err);
#endif
}

static bool taco__repair_write(taco__repair *r, const char *output, const taco_options *opt,
                               taco_error *err)
{
    const taco__json *root = r->c->store.coll.doc.root;
    taco_create_options create;
    taco__container_writer p;
    taco__container_columns src;
    taco_error e;
    uint32_t level;
    memset(&create, 0, sizeof create);
    memset(&src, 0, sizeof src);
    memset(&e, 0, sizeof e);
    create.options = opt;
    create.any_tree = true;
    create.container = r->c->store.kind;
    create.progress = r->f.how->progress;
    create.progress_ctx = r->f.how->ctx;
    create.total = taco__repair_sum_payloads(r);
    if (taco__collection_check_extent(&r->c->store.coll, &e) != TACO_OK) {
        create.new_extent = true;
        root = taco__repair_collection(r, err);
        if (!root) { return false; }
    }
    src.ctx = r;
    src.begin = taco__repair_begin_level;
    src.next = taco__repair_next_batch;
    for (level = 0; level < r->tree.levels; level++) {
        if (!taco__repair_fields(r, level, err)) { return false; }
        src.fields[level] = r->levels[level].fields;
        src.counts[level] = r->levels[level].count;
        r->out->rows += r->tree.level[level].rows;
    }
    if (!taco__repair_begin(r, &p, output, &create, err)) { return false; }
    if (!taco__repair_copy_samples(r, &p, err)) {
        taco__container_write_abort(&p);
        return false;
    }
    r->out->bytes = p.payload;
    return taco__container_write_finish(&p, root, &src, err);
}

/* A source that hides a wrong TACO_HEADER: its first bytes are those of an empty one, so that the
   reader uses the central directory. With `off` the file is passed through unchanged. */
typedef struct taco__repair_mask {
    taco_source src;
    taco__mem *mem;
    bool off;
} taco__repair_mask;

/* taco_source.read, with an empty TACO_HEADER in place of the wrong one. */
static bool taco__repair_mask_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    taco__repair_mask *m = (taco__repair_mask *)ctx;
    uint8_t head[TACO__INDEX_HEADER_BYTES];
    taco__zip_writer z;
    if (!m->src.read(m->src.ctx, offset, dst, len)) { return false; }
    if (!m->off && offset < sizeof head) {
        memset(&z, 0, sizeof z);
        taco__zip_write_taco_header(&z, NULL, 0, head);
        memcpy(dst, head + (size_t)offset, TACO__MIN(len, sizeof head - (size_t)offset));
    }
    return true;
}

/* taco_source.close: closes the file and frees the mask itself. */
static void taco__repair_mask_close(void *ctx)
{
    taco__repair_mask *m = (taco__repair_mask *)ctx;
    if (m->src.close) { m->src.close(m->src.ctx); }
    taco__mem_free(m->mem, m, sizeof *m);
}

/* Opens the archive by its central directory alone. Its problems have already been reported. */
static bool taco__repair_open_masked(taco__repair *r, const char *path, taco_error *err)
{
    static const taco_validate_options none = {false, false, NULL, NULL, NULL};
    const taco_validate_options *how = r->f.how;
    taco_validated sum, *before = r->f.sum;
    taco_options options = r->c->options;
    taco__repair_mask *m;
    taco_source src;
    taco_error e;
    bool ok;
    memset(&e, 0, sizeof e);
    memset(&sum, 0, sizeof sum);
    taco__check_dataset_close(r->c);
    r->c = taco__check_dataset_open(&r->f, &r->mem, &options, err);
    if (!r->c) { return false; }
    m = (taco__repair_mask *)taco__mem_alloc(&r->mem, sizeof *m, err);
    if (!m || !taco__source_open_path(&r->c->options, path, &m->src, &e)) {
        taco__mem_free(&r->mem, m, sizeof *m);
        *err = r->f.first;
        return false;
    }
    m->mem = &r->mem;
    memset(&src, 0, sizeof src);
    src.ctx = m;
    src.size = m->src.size;
    src.read = taco__repair_mask_read;
    src.close = taco__repair_mask_close;
    r->f.how = &none; /* everything has been reported */
    r->f.sum = &sum;
    r->c->open =
        taco__container_open(&r->c->store, path, &src, &r->mem, &r->c->arena, &r->c->options, &e);
    ok = r->c->open;
    if (ok) {
        m->off = true;
        taco__file_release(&r->c->store.file, 0,
                           TACO__MIN(src.size, (uint64_t)TACO__OPEN_FIRST_BYTES));
        ok = taco__check_dataset_archive(r->c, &r->c->store.file, err) &&
             taco__check_dataset_tables(r->c, err);
    }
    r->f.how = how;
    r->f.sum = before;
    if (!r->c->open && r->f.first.code != TACO_OK) {
        *err = r->f.first; /* the first problem found */
    }
    return ok;
}

/* All steps except for the validation of the result. */
static bool taco__repair_run_all(taco__repair *r, const char *path, const char *output,
                                 const taco_options *opt, taco_error *err)
{
    if (!taco__temporary_is_free(output, opt)) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "exists already, nothing is overwritten");
        taco__error_prefix(err, "%s", output);
        return false;
    }
    if (!taco__check_dataset_one(r->c, path, NULL, err)) { return false; }
    r->out->before = r->before.errors;
    if (!r->c->open || (r->c->store.kind == TACO_KIND_ZIP && r->c->zip.differs)) {
        if (!taco__repair_open_masked(r, path, err)) { return false; }
    }
    if (r->c->store.kind == TACO_KIND_TACOCAT) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "a catalogue: repair its archives, and make it again");
        return false;
    }
    return taco__repair_tree_build(r, err) && taco__repair_write(r, output, opt, err);
}

#ifndef TACO_NO_STDIO
/* Validates the result, and once more if that fails: a file that could not be opened once says
   nothing about the dataset. False if it cannot be read, so that nobody knows its state; errors
   that cannot be decided are reported. */
static bool taco__repair_validate(const char *output, const taco_options *opt, taco_repaired *out,
                                  taco_error *err)
{
    taco_validate_options deep;
    taco_validated after;
    memset(&deep, 0, sizeof deep);
    deep.deep = true;
    if (taco_validate(output, opt, &deep, &after, NULL) != TACO_OK) {
        taco_validate(output, opt, &deep, &after, err);
    }
    out->after = after.errors;
    if (taco__error_is_of_machine(err) || err->code == TACO_ERR_LIMIT ||
        err->code == TACO_ERR_NOT_FOUND) {
        taco__error_prefix(err, "the result cannot be read again, and is removed");
        return false;
    }
    return true;
}

/* Gives the complete result its name, unless it cannot be read. */
static void taco__repair_publish(taco__staged *staged, const taco_options *opt, taco_repaired *out,
                                 taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    bool ok = taco__repair_validate(staged->temporary.name, opt, out, err);
    if (ok && !taco__staged_rename(staged, 1, &own)) {
        *err = own;
        ok = false;
    }
    if (!ok) { out->rows = out->files = out->bytes = 0; }
}
#endif

TACO_API taco_status taco_repair(const char *path, const char *output, const taco_options *opt,
                                 const taco_validate_options *how, taco_repaired *out,
                                 taco_error *err)
{
    taco__repair *r;
    taco__mem mem; /* for r, which has another one for what it reads */
    taco_repaired none;
    taco_validate_options quiet;
    taco_error own = {0, TACO_OK, 0, {0}};
    err = taco__error_fresh(err, NULL);
#ifndef TACO_NO_STDIO
    taco__staged staged;
#endif
    size_t i;
    bool done;
    out = out ? out : &none;
    memset(out, 0, sizeof *out);
    if (!path || !output) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path given");
    }
    memset(&quiet, 0, sizeof quiet);
    if (how) { quiet = *how; }
    quiet.deep = false; /* payloads are checked when they are copied */
    taco__mem_init(&mem, opt);
    r = (taco__repair *)taco__mem_alloc(&mem, sizeof *r, &own);
    if (!r) {
        taco__error_copy(err, &own);
        return own.code;
    }
    memset(r, 0, sizeof *r);
    taco__mem_init(&r->mem, opt);
    r->f.how = &quiet;
    r->f.sum = &r->before;
    r->f.part = "";
    r->out = out;
#ifndef TACO_NO_STDIO
    memset(&staged, 0, sizeof staged);
    staged.path = output;
    staged.mem = &mem;
    r->staged = &staged;
#endif
    r->path.mem = r->window.mem = r->batch.mem = &r->mem;
    for (i = 0; i < TACO__MAX_LEVELS; i++) {
        taco__repair_level *l = &r->levels[i];
        l->old.mem = l->offset.mem = l->size.mem = l->runs.mem = &r->mem;
    }
    taco__tree_init(&r->tree, &r->mem);
    r->c = taco__check_dataset_open(&r->f, &r->mem, opt, &own);
    done = r->c && taco__repair_run_all(r, path, output, opt, &own);
    taco__repair_free(r);
    taco__mem_free(&mem, r, sizeof *r);
    if (!done) {
        TACO__FAIL(&own, TACO_ERR_STATE, TACO_NO_OFFSET, "stopped by the caller");
        if (strncmp(own.text, path, strlen(path)) != 0) { taco__error_prefix(&own, "%s", path); }
        out->rows = out->files = out->bytes = 0; /* nothing was kept */
    }
#ifndef TACO_NO_STDIO
    if (done) { taco__repair_publish(&staged, opt, out, &own); }
    taco__staged_free(&staged, 1);
#endif
    taco__error_copy(err, &own);
    return own.code;
}
/* ==== src/write/repair_tree.c ==== */
/* repair_tree.c - the tree of a repaired dataset: rows by __meta__, places by the directory

   In: the levels of the old dataset as validation has read them, its __meta__ files and central
   directory; out: the new tree, and for each of its rows the old row, the place of its bytes,
   and the ranges its columns come from (taco__repair_level). TACO 2.0 §6.2.

   taco__repair_tree_build goes down level by level: the children of a FOLDER are the rows of its
   __meta__, or if that cannot be read, those in the level. Rows in both are matched by the hash of
   id and type, so that columns come from the level.

   A range (taco__repair_range) keeps runs of rows together: a level without wrong rows is one
   range of the old level, and its columns are read in large batches; a FOLDER whose __meta__
   disagrees is a separate range, read from that __meta__. */
/* #include "write.h" */
/* #include "../base/base.h" */
/* #include "../parquet/parquet.h" */
/* #include "../dataset/dataset.h" */
/* #include "../validate/validate.h" */

/* The directory's entry for a new row, for a FOLDER that of its __meta__; NULL if there is none, or
   if it is compressed. */
TACO__FN taco__check_zip_entry *taco__repair_tree_find_entry(taco__repair *r, uint32_t level,
                                                             size_t row, const char *path)
{
    uint64_t h = taco__findings_hash_path(TACO__FINDINGS_HASH_SEED, taco__bytes_text("DATA/"));
    bool folder = taco__tree_is_folder(&r->tree, level, row);
    taco__check_zip_entry *e;
    if (!r->c->zip.known) { return NULL; }
    h = taco__findings_hash_path(h, taco__bytes_text(path));
    e = taco__check_zip_find(
        &r->c->zip, folder ? taco__findings_hash_path(h, taco__bytes_text("/__meta__")) : h);
    return e && e->stored ? e : NULL;
}

/* Appends a row with the place in its table, replaced by the directory's if known. old is its row
   in the old level, -1 for none. */
static bool taco__repair_tree_append_row(taco__repair *r, uint32_t level, size_t parent,
                                         taco_bytes id, bool folder, int32_t old, int64_t offset,
                                         int64_t size, taco_error *err)
{
    taco__repair_level *l = &r->levels[level];
    taco__check_zip_entry *e;
    const taco__check_tree_level *v = &r->c->tree.levels[level];
    int64_t first = offset, last = size;
    size_t row = r->tree.level[level].rows;
    const char *path;
    if (taco__rules_check_id(id, err) != TACO_OK ||
        taco__rules_check_file_name(id, err) != TACO_OK ||
        !taco__tree_append_ordered(&r->tree, level, parent, id, folder, err)) {
        return false;
    }
    path = taco__repair_path(r, level, row, err);
    if (!path) { return false; }
    e = taco__repair_tree_find_entry(r, level, row, path);
    if (v->offset && old >= 0) { /* the place in the level */
        first = v->offset[old];
        last = v->size[old];
    }
    if (e && e->placed) {
        offset = (int64_t)e->data;
        size = (int64_t)e->size;
    }
    r->out->places += r->c->store.kind == TACO_KIND_ZIP && (first != offset || last != size);
    return taco__buf_append(&l->old, &old, sizeof old, err) &&
           taco__buf_append(&l->offset, &offset, sizeof offset, err) &&
           taco__buf_append(&l->size, &size, sizeof size, err);
}

/* Records where the columns of `count` rows come from; adjacent rows of the level form one
   range. */
static bool taco__repair_tree_append_range(taco__repair *r, uint32_t level, bool meta, size_t first,
                                           size_t count, size_t parent, taco_error *err)
{
    taco__buf *b = &r->levels[level].runs;
    taco__repair_range run,
        *last = b->len ? (taco__repair_range *)(void *)(b->data + b->len) - 1 : NULL;
    if (last && !meta && !last->meta && last->first + (uint64_t)last->count == first) {
        last->count += (uint32_t)count;
        return true;
    }
    memset(&run, 0, sizeof run);
    run.meta = meta;
    run.first = (uint32_t)first;
    run.count = (uint32_t)count;
    run.parent = (uint32_t)parent;
    return count == 0 || taco__buf_append(b, &run, sizeof run, err);
}

/* Appends rows of level 0, or of a FOLDER whose __meta__ cannot be read: n of the old level, or its
   first n if rows is NULL. */
static bool taco__repair_tree_append_from_level(taco__repair *r, uint32_t level, size_t parent,
                                                const int32_t *rows, size_t n, taco_error *err)
{
    taco__check_tree_state *t = &r->c->tree;
    taco__check_tree_level *v = &t->levels[level];
    taco_error e = {0, TACO_OK, 0, {0}};
    size_t i;
    for (i = 0; i < n; i++) {
        size_t old = rows ? (size_t)rows[i] : i;
        taco_bytes id = taco__check_tree_name(t, level, old, false, &e);
        if (taco__error_is_of_machine(&e)) { /* not a fault of the row */
            *err = e;
            return false;
        }
        if (v->folder[old] > 1 || !id.data) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "%s: row %u: id or type cannot be read, nothing can be made of it",
                       v->l->name, TACO__U(old));
            return false;
        }
        if (!taco__repair_tree_append_row(r, level, parent, id, v->folder[old] == 1, (int32_t)old,
                                          v->offset ? v->offset[old] : -1,
                                          v->size ? v->size[old] : -1, err) ||
            !taco__repair_tree_append_range(r, level, false, old, 1, parent, err)) {
            return false;
        }
    }
    return true;
}

/* True if the rows of a __meta__ are those of the old level, kids[0..n), by id and type, and these
   are adjacent. */
static bool taco__repair_tree_meta_agrees(const taco__check_tree_level *below, const int32_t *kids,
                                          size_t n, const taco_array *a, size_t first)
{
    size_t i;
    for (i = 0; i < a->length; i++) {
        int folder = taco__sample_path_parse_type(taco_array_bytes(&a[1], i));
        uint64_t key =
            taco__findings_hash_path(TACO__FINDINGS_HASH_SEED + (uint64_t)(folder < 0 ? 2 : folder),
                                     taco_array_bytes(&a[0], i));
        if (first + i >= n || below->key[kids[first + i]] != key ||
            (i && kids[first + i] != kids[first + i - 1] + 1)) {
            return false;
        }
    }
    return true;
}

/* Appends the rows of an open __meta__ as children of a new row; kids are the n old ones. *read is
   true if a failure came after reading. */
static bool taco__repair_tree_append_from_meta(taco__repair *r, uint32_t level, size_t parent,
                                               taco__local_meta *m, const int32_t *kids, size_t n,
                                               bool *read, taco_error *err)
{
    taco__check_tree_level *below = &r->c->tree.levels[level];
    bool zip = r->c->store.kind == TACO_KIND_ZIP,
         ranges = zip && m->role.offset != TACO__NONE && m->role.size != TACO__NONE &&
                  taco__join_is_integer(m->table.fields[m->role.offset].type) &&
                  taco__join_is_integer(m->table.fields[m->role.size].type);
    taco__row_reader rows;
    size_t which[4], i, row, total = (size_t)m->table.rows;
    bool ok, agrees;
    which[0] = m->role.id;
    which[1] = m->role.type;
    which[2] = ranges ? m->role.offset : m->role.id;
    which[3] = ranges ? m->role.size : m->role.id;
    *read = false;
    if (!taco__row_reader_open(&rows, &m->table, which, 4, &r->mem, err)) { return false; }
    /* the children of one FOLDER */
    ok = *read = taco__row_reader_read_range(&rows, 0, total, err);
    agrees = ok && total == n && below->l &&
             taco__repair_tree_meta_agrees(below, kids, n, rows.arrays, 0);
    for (i = 0, row = 0; ok && i < total; i++, row++) {
        taco_bytes id = taco_array_bytes(&rows.arrays[0], i),
                   type = taco_array_bytes(&rows.arrays[1], i);
        int folder = taco__sample_path_parse_type(type);
        int32_t old = agrees ? kids[i] : -1;
        size_t k;
        bool known =
            ranges && taco_array_valid(&rows.arrays[2], i) && taco_array_valid(&rows.arrays[3], i);
        for (k = 0; old < 0 && below->l && k < n; k++) { /* match by id, for the levels below */
            uint64_t key = taco__findings_hash_path(
                TACO__FINDINGS_HASH_SEED + (uint64_t)(folder < 0 ? 2 : folder), id);
            old = below->key[kids[k]] == key ? kids[k] : -1;
        }
        if (folder < 0 || !taco_array_valid(&rows.arrays[0], i)) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "__meta__: row %u: the id is null, or the type neither FILE nor FOLDER",
                       TACO__U(i));
            ok = false;
        }
        ok = ok &&
             taco__repair_tree_append_row(r, level, parent, id, folder == 1, old,
                                          known ? taco_array_int(&rows.arrays[2], i) : -1,
                                          known ? taco_array_int(&rows.arrays[3], i) : -1, err);
    }
    r->out->from_meta += agrees ? 0 : total;
    ok = ok &&
         (agrees && total
              ? taco__repair_tree_append_range(r, level, false, (size_t)kids[0], total, parent, err)
              : taco__repair_tree_append_range(r, level, true, 0, total, parent, err));
    taco__row_reader_close(&rows);
    return ok;
}

/* The children of a new FOLDER row. */
static bool taco__repair_tree_append_children(taco__repair *r, uint32_t level, size_t row,
                                              taco_error *err)
{
    taco__check_tree_state *t = &r->c->tree;
    taco__repair_level *next = &r->levels[level + 1];
    int32_t old = ((const int32_t *)(const void *)r->levels[level].old.data)[row];
    const int32_t *kids = NULL;
    size_t n = 0;
    taco__local_meta m;
    taco__arena arena;
    taco_error e;
    bool ok, read = false;
    memset(&e, 0, sizeof e);
    arena.mem = &r->mem;
    arena.head = NULL;
    if (old >= 0 && level < t->count) {
        n = taco__check_tree_children(t, level, (size_t)old, &kids);
    }
    ok = taco__repair_open_meta(r, level, row, &arena, &m, &e);
    if (ok) {
        ok = taco__repair_tree_append_from_meta(r, level + 1, row, &m, kids, n, &read, &e);
        if (ok && !t->levels[level + 1].l && !next->has_sample_meta) {
            next->sample_meta =
                m; /* Avro tables, whose columns are in the arena, have levels of their own */
            next->has_sample_meta = m.table.pq != NULL;
            if (next->has_sample_meta) {
                next->sample_meta.table.pq = &next->sample_meta.pq;
                next->sample_meta.pq.part.file =
                    m.file_open ? &next->sample_meta.file : m.pq.part.file;
                m.open = false;
            }
        }
        if (!next->has_sample_meta || m.open) { taco__local_meta_close(&m); }
    }
    if (!ok && (read || taco__error_is_of_machine(&e) || e.code == TACO_ERR_LIMIT)) {
        *err = e;
    } else if (read) {
        ok = err->code == TACO_OK;
    } else if (n) {
        r->out->metas++;
        ok = taco__repair_tree_append_from_level(r, level + 1, row, kids, n, err);
    } else {
        const char *path = taco__repair_path(r, level, row, err);
        taco_bytes name = taco__bytes_text(path);
        *err = e;
        taco__error_prefix(err,
                           "DATA/%q: no row of a level has its children, and __meta__ cannot be "
                           "read",
                           &name);
    }
    taco__arena_free(&arena);
    return ok;
}

/* Builds the tree. CORRUPT if level 0 cannot be read: its samples are nowhere else. */
TACO__FN bool taco__repair_tree_build(taco__repair *r, taco_error *err)
{
    taco__check_tree_state *t = &r->c->tree;
    uint32_t level;
    size_t row;
    if (!t->levels[0].l || t->levels[0].l->role.id == TACO__NONE) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "level 0 cannot be read, nothing else has its samples");
        return false;
    }
    if (!taco__repair_tree_append_from_level(r, 0, 0, NULL, t->levels[0].rows, err)) {
        return false;
    }
    for (level = 0; level + 1 < TACO__MAX_LEVELS; level++) {
        for (row = 0; row < r->tree.level[level].rows; row++) {
            if (taco__tree_is_folder(&r->tree, level, row) &&
                !taco__repair_tree_append_children(r, level, row, err)) {
                return false;
            }
        }
    }
    return true;
}
/* ==== src/write/sample_tables.c ==== */
/* sample_tables.c - tables about samples from CSV, NDJSON or Parquet, in memory

   In: a file, with its format by the extension; out: a taco_table, one batch of typed columns. RFC
   4180 (CSV), RFC 8259 (JSON, one object per line).

   Text is read twice, record by record through a window: once for the names and types of the
   columns (taco__sample_table_join_types unites the types of cells), once for their values. Text
   columns whose names end in :time_start, :time_middle, :time_end are times, :centroid and
   :geometry WKB in hexadecimal; columns of extensions without any value have the type of their rule
   (validate/column_rules.c). Start reading at taco__sample_table_read_records.

   Types of cells so far (taco__sample_table_type) only ever widen: NONE to anything, INT to UINT
   to DOUBLE, lists likewise, lists of different depth to JSON, and whatever does not fit together
   to MIXED, in CSV to TEXT. Text, numbers and truth values of a MIXED column are plain text; that
   it is mixed is an error if the schema is strict, else a warning
   (taco__sample_table_report_mixed). */
/* #include "write.h" */
/* #include "../base/base.h" */
/* #include "../base/json.h" */
/* #include "../validate/validate.h" */

/* Bytes read at a time; a record may be longer. */
#define TACO__SAMPLE_TABLE_WINDOW ((size_t)1 << 20)

/* True if text ends with `end`. */
TACO__FN bool taco__sample_table_has_suffix(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

/* True if a type is in a group that begins and ends with these. Within a group the later type
   includes the earlier ones. */
static bool taco__sample_table_is_among(taco__sample_table_type t, taco__sample_table_type first,
                                        taco__sample_table_type last)
{
    return t >= first && t <= last;
}

/* The common type of two types of values. Numbers widen; nested values become JSON. */
static taco__sample_table_type taco__sample_table_join_types(taco__sample_table_type a,
                                                             taco__sample_table_type b)
{
    static const taco__sample_table_type groups[2][2] = {
        {TACO__SAMPLE_TABLE_INT, TACO__SAMPLE_TABLE_DOUBLE},
        {TACO__SAMPLE_TABLE_INTS, TACO__SAMPLE_TABLE_JSON}};
    size_t i;
    if (a == TACO__SAMPLE_TABLE_NONE || b == TACO__SAMPLE_TABLE_NONE || a == b) {
        return a == TACO__SAMPLE_TABLE_NONE ? b : a;
    }
    for (i = 0; i < 2; i++) {
        if (taco__sample_table_is_among(a, groups[i][0], groups[i][1]) &&
            taco__sample_table_is_among(b, groups[i][0], groups[i][1])) {
            /* a list of lists is not the same as a list */
            return i == 1 && (a == TACO__SAMPLE_TABLE_LISTS || b == TACO__SAMPLE_TABLE_LISTS)
                       ? TACO__SAMPLE_TABLE_JSON
                       : TACO__MAX(a, b);
        }
    }
    return TACO__SAMPLE_TABLE_MIXED;
}

/* The type of digits; TEXT for what is no number of JSON. */
static taco__sample_table_type taco__sample_table_number_type(taco_bytes b)
{
    int64_t x;
    bool integral;
    if (taco__num_parse_i64(b, &x)) { return TACO__SAMPLE_TABLE_INT; }
    if (taco__num_scan_json(b, &integral) != b.len) { return TACO__SAMPLE_TABLE_TEXT; }
    return integral ? TACO__SAMPLE_TABLE_UINT : TACO__SAMPLE_TABLE_DOUBLE;
}

/* The type of a JSON value that is not an array. */
static taco__sample_table_type taco__sample_table_scalar_type(const taco__json *n)
{
    switch (n->type) {
    case TACO__JSON_NULL: return TACO__SAMPLE_TABLE_NONE;
    case TACO__JSON_FALSE:
    case TACO__JSON_TRUE: return TACO__SAMPLE_TABLE_BOOL;
    case TACO__JSON_STRING: return TACO__SAMPLE_TABLE_TEXT;
    case TACO__JSON_NUMBER:
        return taco__sample_table_number_type(taco__bytes_of(n->text, n->count));
    default: return TACO__SAMPLE_TABLE_JSON;
    }
}

/* The type of a list, from the common type of its items. An empty one may be of anything. */
static taco__sample_table_type taco__sample_table_list_type(taco__sample_table_type items)
{
    switch (items) {
    case TACO__SAMPLE_TABLE_NONE:
    case TACO__SAMPLE_TABLE_INT: return TACO__SAMPLE_TABLE_INTS;
    case TACO__SAMPLE_TABLE_UINT: return TACO__SAMPLE_TABLE_UINTS;
    case TACO__SAMPLE_TABLE_DOUBLE: return TACO__SAMPLE_TABLE_DOUBLES;
    case TACO__SAMPLE_TABLE_INTS:
    case TACO__SAMPLE_TABLE_UINTS:
    case TACO__SAMPLE_TABLE_DOUBLES: return TACO__SAMPLE_TABLE_LISTS;
    default: return TACO__SAMPLE_TABLE_JSON;
    }
}

/* The type of a JSON value: lists are of numbers, of such lists, or JSON. Nulls in them are of any
   type. */
static taco__sample_table_type taco__sample_table_json_type(const taco__json *n)
{
    taco__sample_table_type list = TACO__SAMPLE_TABLE_NONE, inner;
    const taco__json *item, *number;
    size_t i, k;
    if (n->type != TACO__JSON_ARRAY) { return taco__sample_table_scalar_type(n); }
    for (i = 0, item = n + 1; i < n->count; i++, item = taco__json_next(item)) {
        inner = taco__sample_table_scalar_type(item);
        if (item->type == TACO__JSON_ARRAY) {
            inner = TACO__SAMPLE_TABLE_NONE;
            for (k = 0, number = item + 1; k < item->count; k++, number = taco__json_next(number)) {
                inner =
                    taco__sample_table_join_types(inner, taco__sample_table_scalar_type(number));
            }
            inner = taco__sample_table_list_type(inner);
        }
        list = taco__sample_table_join_types(list, inner);
    }
    return taco__sample_table_list_type(list);
}

/* Integers of a CSV column that only some types hold. */
enum {
    TACO__SAMPLE_TABLE_NEGATIVE = 1, /* not uint64 */
    TACO__SAMPLE_TABLE_INEXACT = 2   /* not double */
};

/* The type of an integer in CSV that would be written again as it is, and what else holds it; TEXT
   for all others: 007, beyond uint64. -0 is a double. */
static taco__sample_table_type taco__sample_table_csv_integer(taco_bytes b, uint8_t *kinds)
{
    char digits[24];
    uint64_t u = 0, size;
    int64_t x = 0;
    bool is_signed = taco__num_parse_i64(b, &x);
    size_t n;
    if (!is_signed && !taco__num_parse_u64(b, &u)) { return TACO__SAMPLE_TABLE_TEXT; }
    n = is_signed ? taco__num_format_i64(digits, x) : taco__num_format_u64(digits, u);
    if (!taco__bytes_equal(b, taco__bytes_of(digits, n))) {
        return taco__bytes_equal(b, taco__bytes_text("-0")) ? TACO__SAMPLE_TABLE_DOUBLE
                                                            : TACO__SAMPLE_TABLE_TEXT;
    }
    size = !is_signed ? u : x < 0 ? 0 - (uint64_t)x : (uint64_t)x;
    /* without the zeros at its end, it must have at most 53 bits */
    while (size && size % 2 == 0) {
        size /= 2;
    }
    *kinds = (uint8_t)(*kinds | (is_signed && x < 0 ? TACO__SAMPLE_TABLE_NEGATIVE : 0) |
                       (size >> 53 ? TACO__SAMPLE_TABLE_INEXACT : 0));
    return is_signed ? TACO__SAMPLE_TABLE_INT : TACO__SAMPLE_TABLE_UINT;
}

/* The type of a number in CSV. TEXT for what a number would not keep: a '+', zeros before the
   digits, integers of other forms, and doubles that are infinite or 0 for lack of range. */
static taco__sample_table_type taco__sample_table_csv_number(taco_bytes b, uint8_t *kinds)
{
    bool integral, zero = true;
    double d = 0;
    size_t i;
    if (taco__num_scan_json(b, &integral) != b.len) { return TACO__SAMPLE_TABLE_TEXT; }
    if (integral) { return taco__sample_table_csv_integer(b, kinds); }
    for (i = 0; i < b.len && b.data[i] != 'e' && b.data[i] != 'E'; i++) {
        zero = zero && !(b.data[i] >= '1' && b.data[i] <= '9');
    }
    return taco__num_parse_f64(b, &d) && d - d == 0 && (d != 0 || zero) ? TACO__SAMPLE_TABLE_DOUBLE
                                                                        : TACO__SAMPLE_TABLE_TEXT;
}

/* The type of a CSV field: quoted ones are text, empty ones have none. */
static taco__sample_table_type taco__sample_table_csv_type(taco_bytes b, bool quoted,
                                                           uint8_t *kinds)
{
    if (quoted || b.len == 0) { return quoted ? TACO__SAMPLE_TABLE_TEXT : TACO__SAMPLE_TABLE_NONE; }
    return taco__bytes_equal(b, taco__bytes_text("true")) ||
                   taco__bytes_equal(b, taco__bytes_text("false"))
               ? TACO__SAMPLE_TABLE_BOOL
               : taco__sample_table_csv_number(b, kinds);
}

/* The type of a CSV column with one more cell: text if no type of numbers holds all of them. */
static taco__sample_table_type taco__sample_table_join_csv(taco__sample_table_type before,
                                                           taco__sample_table_type cell,
                                                           uint8_t kinds)
{
    taco__sample_table_type now = taco__sample_table_join_types(before, cell);
    bool lost = (now == TACO__SAMPLE_TABLE_UINT && (kinds & TACO__SAMPLE_TABLE_NEGATIVE)) ||
                (now == TACO__SAMPLE_TABLE_DOUBLE && (kinds & TACO__SAMPLE_TABLE_INEXACT));
    return lost || now == TACO__SAMPLE_TABLE_MIXED ? TACO__SAMPLE_TABLE_TEXT : now;
}

/* ---- records of a text ---- */

/* One pass over a text, through a window that holds at least the current record. */
typedef struct taco__sample_table_reader {
    taco_table *t;
    taco_source src;
    uint64_t read; /* bytes of src read so far */
    uint64_t base; /* offset of the window */
    taco__buf window;
    size_t begin, end, next; /* bounds of the record in the window, and the start of the next */
    size_t row;              /* number of records before it, without the header */
    bool header, fill;       /* the record is the header; this is the second pass */
    taco__buf field, scratch;
    taco__arena arena; /* JSON of the current record */
} taco__sample_table_reader;

/* Offset of the byte after the quotes that open at `at`: at the end of the window if they are not
   closed in it. */
static size_t taco__sample_table_skip_quotes(const taco__buf *window, size_t at)
{
    for (at++; at < window->len; at++) {
        if (window->data[at] != '"') { continue; }
        if (at + 1 == window->len || window->data[at + 1] != '"') { return at + 1; }
        at++;
    }
    return window->len;
}

/* Finds the end of the record that begins at r->begin; false if the window does not contain all of
   it. A line end inside quotes, which open at the start of a field, belongs to the record. CSV may
   end lines with CR alone. */
static bool taco__sample_table_record_end(taco__sample_table_reader *r)
{
    const uint8_t *text = r->window.data;
    const bool csv = r->t->csv;
    bool ended;
    size_t end = r->begin;
    while (end < r->window.len && text[end] != '\n' && !(csv && text[end] == '\r')) {
        end = csv && text[end] == '"' && (end == r->begin || text[end - 1] == ',')
                  ? taco__sample_table_skip_quotes(&r->window, end)
                  : end + 1;
    }
    ended = end < r->window.len;
    r->next = end + ended;
    r->end = end > r->begin && text[end - 1] == '\r' ? end - 1 : end;
    return ended || r->read == r->src.size;
}

/* Reads more into the window, keeping the current record. A byte order mark at the start is
   skipped. */
static bool taco__sample_table_read_more(taco__sample_table_reader *r, taco_error *err)
{
    size_t left = r->window.len - r->begin, n = TACO__SAMPLE_TABLE_WINDOW;
    n = (size_t)TACO__MIN(r->src.size - r->read, (uint64_t)n);
    if (left) { memmove(r->window.data, r->window.data + r->begin, left); }
    r->base += r->begin;
    r->window.len = left;
    r->next = r->begin = 0;
    if (!taco__buf_reserve(&r->window, n, err)) { return false; }
    if (!r->src.read(r->src.ctx, r->read, r->window.data + left, n)) {
        TACO__FAIL(err, TACO_ERR_IO, r->read, "reading failed");
        return false;
    }
    r->window.len += n;
    if (r->read == 0 && taco__bytes_is_utf16(taco__bytes_of(r->window.data, r->window.len))) {
        TACO__FAIL(err, TACO_ERR_SYNTAX, TACO_NO_OFFSET, "the text is UTF-16; tables are UTF-8");
        return false;
    }
    if (r->read == 0 && n >= 3 && memcmp(r->window.data, "\xEF\xBB\xBF", 3) == 0) { r->next = 3; }
    r->read += n;
    return true;
}

/* The next non-empty record, from r->begin to r->end; false at the end and on failure. */
static bool taco__sample_table_next_record(taco__sample_table_reader *r, taco_error *err)
{
    for (;;) {
        r->begin = r->next;
        if (r->begin < r->window.len && taco__sample_table_record_end(r)) {
            if (r->end > r->begin) { return true; }
            continue;
        }
        if (r->read == r->src.size || !taco__sample_table_read_more(r, err)) { return false; }
    }
}

/* Fails with the row, and the place of the character at an offset in the window; returns false. */
static bool taco__sample_table_fail_at(const taco__sample_table_reader *r, size_t at,
                                       const char *what, taco_error *err)
{
    TACO__FAIL(err, TACO_ERR_SYNTAX, TACO_NO_OFFSET, "%s at byte %u", what, TACO__U(r->base + at));
    if (r->header) {
        taco__error_prefix(err, "the header");
    } else {
        taco__error_prefix(err, "row %u", TACO__U(r->row + 1));
    }
    return false;
}

/* Appends the text between quotes that open at *at to r->field; *at moves after them. */
static bool taco__sample_table_csv_quoted(taco__sample_table_reader *r, size_t *at, taco_error *err)
{
    const uint8_t *text = r->window.data;
    bool closed = false;
    size_t i = *at + 1;
    for (; i < r->end; i++) {
        closed = text[i] == '"' && (++i == r->end || text[i] != '"');
        if (closed) { break; }
        if (!taco__buf_append_char(&r->field, (char)text[i], err)) { return false; }
    }
    if (!closed) {
        return taco__sample_table_fail_at(r, *at, "no end of the quotes that open", err);
    }
    if (i < r->end && text[i] != ',') {
        return taco__sample_table_fail_at(r, i, "text after a closing quote", err);
    }
    *at = i;
    return true;
}

/* A field of a CSV record, unquoted, in r->field; *at moves past its comma, *more is whether there
   was one. Quotes elsewhere than at the start of a field are text, as in DuckDB. */
static bool taco__sample_table_csv_field(taco__sample_table_reader *r, size_t *at, bool *quoted,
                                         bool *more, taco_error *err)
{
    const uint8_t *text = r->window.data;
    bool ok = true;
    r->field.len = 0;
    *quoted = *at < r->end && text[*at] == '"';
    if (*quoted && !taco__sample_table_csv_quoted(r, at, err)) { return false; }
    for (; ok && *at < r->end && text[*at] != ','; ++*at) {
        ok = taco__buf_append_char(&r->field, (char)text[*at], err);
    }
    *more = *at < r->end;
    *at += *more;
    return ok && taco__buf_reserve(&r->field, 1, err);
}

/* ---- values ---- */

/* Index of a column; t->count if there is none. */
static size_t taco__sample_table_find_column(const taco_table *t, taco_bytes name)
{
    const taco__hash_slot *s = taco__hash_map_find(&t->by_name, name);
    return s ? (size_t)s->value : t->count;
}

/* Index of the field with a name; n if there is none. */
TACO__FN size_t taco__sample_table_find_field(const taco_field *fields, size_t n, const char *name)
{
    size_t i;
    for (i = 0; i < n && strcmp(fields[i].name, name) != 0; i++) {}
    return i;
}

/* Adds a column whose type is not known yet. The arrays double at powers of two; the arena keeps
   the old ones. */
static bool taco__sample_table_add_column(taco_table *t, taco_bytes name, taco_error *err)
{
    size_t n = t->count;
    const char **names = t->names;
    taco__sample_table_type *types = t->types;
    uint8_t *kinds = t->kinds;
    const char *copy = taco__arena_text(&t->arena, name, err);
    bool added = true;
    taco__hash_slot *slot =
        copy && !t->csv
            ? taco__hash_map_add(&t->by_name, taco__bytes_of(copy, name.len), &added, err)
            : NULL;
    if (slot && added) { slot->value = n; }
    if (!slot && !t->csv) { return false; }
    if ((n & (n - 1)) == 0) { /* 0, 1, 2, 4, ...: double the room */
        names = (const char **)taco__arena_array(&t->arena, 2 * n + 1, sizeof *names, err);
        types =
            (taco__sample_table_type *)taco__arena_array(&t->arena, 2 * n + 1, sizeof *types, err);
        kinds = (uint8_t *)taco__arena_alloc(&t->arena, 2 * n + 1, err);
        if (names && types && kinds && n) {
            memcpy((void *)names, (const void *)t->names, n * sizeof *names);
            memcpy(types, t->types, n * sizeof *types);
            memcpy(kinds, t->kinds, n);
        }
    }
    if (!names || !types || !kinds || !copy) { return false; }
    names[n] = copy;
    types[n] = TACO__SAMPLE_TABLE_NONE;
    kinds[n] = 0;
    t->names = names;
    t->types = types;
    t->kinds = kinds;
    t->count++;
    return true;
}

/* Hexadecimal digits, of either case, as bytes; false for anything else. */
static bool taco__sample_table_parse_hex(taco_bytes text, taco__buf *out, taco_error *err)
{
    size_t i;
    out->len = 0;
    for (i = 0; i < text.len; i += 2) {
        int x = taco__ascii_hex_byte(text, i);
        if (x < 0 || !taco__buf_append_char(out, (char)x, err)) { return false; }
    }
    return true;
}

/* Appends a text to its column: a time, WKB or plain text. False if it cannot be converted. */
static bool taco__sample_table_append_text(taco__array_builder *col, taco_bytes b,
                                           taco__buf *scratch, taco_error *err)
{
    int64_t t;
    if (col->field->type == TACO_TIMESTAMP) {
        return taco__builder_parse_time(col->field, b, &t) && taco__builder_append_int(col, t, err);
    }
    if (col->field->type == TACO_BINARY) {
        return taco__sample_table_parse_hex(b, scratch, err) &&
               taco__array_builder_append_bytes(col, taco__bytes_of(scratch->data, scratch->len),
                                                err);
    }
    return taco__utf8_valid(b) && taco__array_builder_append_bytes(col, b, err);
}

/* Appends digits as the column's type of numbers. False if they do not fit, with an error that
   lacks the row. */
static bool taco__sample_table_append_number(taco__array_builder *col, taco_bytes b,
                                             taco_error *err)
{
    const double most =
        col->field->type == TACO_FLOAT ? 3.4028234663852886e38 : 1.7976931348623157e308;
    int64_t x = 0;
    uint64_t u = 0;
    double d = 0;
    if (col->field->type == TACO_INT64 || col->field->type == TACO_UINT64) {
        bool wide = col->field->type == TACO_UINT64;
        if (wide ? taco__num_parse_u64(b, &u) : taco__num_parse_i64(b, &x)) {
            return taco__array_builder_append_int(col, wide ? (int64_t)u : x, err);
        }
        TACO__FAIL(err, TACO_ERR_SYNTAX, TACO_NO_OFFSET,
                   "%q does not fit: integers are int64, or uint64 if all of a column fit that",
                   &b);
        return false;
    }
    if (!taco__num_parse_f64(b, &d)) { return false; }
    if (!(d >= -most && d <= most)) {
        TACO__FAIL(err, TACO_ERR_SYNTAX, TACO_NO_OFFSET, "%q is out of the range of a %s", &b,
                   col->field->type == TACO_FLOAT ? "float" : "double");
        return false;
    }
    return taco__array_builder_append_double(col, d, err);
}

/* Appends a list of numbers, or of such lists; false for other values. */
static bool taco__sample_table_append_list(taco__array_builder *col, const taco__json *n,
                                           taco_error *err)
{
    const taco__json *item;
    size_t i;
    if (n->type == TACO__JSON_NULL) { return taco__array_builder_append_null(col, err); }
    if (col->field->type != TACO_LIST) {
        return taco__sample_table_append_number(col, taco__bytes_of(n->text, n->count), err);
    }
    for (i = 0, item = n + 1; i < n->count; i++, item = taco__json_next(item)) {
        if (!taco__sample_table_append_list(&col->children[0], item, err)) { return false; }
    }
    return taco__array_builder_end_row(col, true, err);
}

/* Appends a JSON value to a column of the type found for it; missing ones are null. */
static bool taco__sample_table_append_json(taco__array_builder *col, taco__sample_table_type type,
                                           const taco__json *n, taco__buf *scratch, taco_error *err)
{
    if (!n || n->type == TACO__JSON_NULL) { return taco__array_builder_append_null(col, err); }
    if (col->field->type == TACO_LIST) { return taco__sample_table_append_list(col, n, err); }
    switch (type) {
    case TACO__SAMPLE_TABLE_BOOL:
        return taco__array_builder_append_bool(col, n->type == TACO__JSON_TRUE, err);
    case TACO__SAMPLE_TABLE_INT:
    case TACO__SAMPLE_TABLE_UINT:
    case TACO__SAMPLE_TABLE_DOUBLE:
        return taco__sample_table_append_number(col, taco__bytes_of(n->text, n->count), err);
    case TACO__SAMPLE_TABLE_TEXT:
        return taco__sample_table_append_text(col, taco__json_bytes(n), scratch, err);
    default:
        if (type == TACO__SAMPLE_TABLE_MIXED && n->type == TACO__JSON_STRING) {
            return taco__array_builder_append_bytes(col, taco__json_bytes(n), err);
        }
        scratch->len = 0;
        return taco__json_print(scratch, n, 0, err) &&
               taco__array_builder_append_bytes(col, taco__bytes_of(scratch->data, scratch->len),
                                                err);
    }
}

/* Appends a CSV field to a column of the type found for it; empty ones are null unless quoted. */
static bool taco__sample_table_append_csv(taco__array_builder *col, taco__sample_table_type type,
                                          taco_bytes b, bool quoted, taco__buf *scratch,
                                          taco_error *err)
{
    if (b.len == 0 && !quoted) { return taco__array_builder_append_null(col, err); }
    switch (type) {
    case TACO__SAMPLE_TABLE_BOOL:
        return taco__array_builder_append_bool(col, b.data[0] == 't', err);
    case TACO__SAMPLE_TABLE_INT:
    case TACO__SAMPLE_TABLE_UINT:
    case TACO__SAMPLE_TABLE_DOUBLE: return taco__sample_table_append_number(col, b, err);
    default: return taco__sample_table_append_text(col, b, scratch, err);
    }
}

/* Fails with row and column, and SYNTAX unless the failure is known; returns false. */
static bool taco__sample_table_fail_value(const taco__sample_table_reader *r, size_t column,
                                          taco_error *err)
{
    taco_bytes name = taco__bytes_text(column < r->t->count ? r->t->names[column] : "");
    TACO__FAIL(err, TACO_ERR_SYNTAX, TACO_NO_OFFSET, "not a value of the column's type");
    taco__error_prefix(err, "row %u, column %q", TACO__U(r->row + 1), &name);
    return false;
}

/* Reads one record: names from the header, types in the first pass, values in the second. */
static bool taco__sample_table_read_csv(taco__sample_table_reader *r, taco_error *err)
{
    taco_table *t = r->t;
    size_t at = r->begin, k;
    bool more = true, quoted = false;
    for (k = 0; more; k++) {
        taco_bytes b;
        if (!taco__sample_table_csv_field(r, &at, &quoted, &more, err)) { return false; }
        b = taco__bytes_of(r->field.data, r->field.len);
        if (r->header) {
            if (!r->fill && !taco__sample_table_add_column(t, b, err)) { return false; }
        } else if (k < t->count && r->fill) {
            if (!taco__sample_table_append_csv(&t->columns[k].rows, t->types[k], b, quoted,
                                               &r->scratch, err)) {
                return taco__sample_table_fail_value(r, k, err);
            }
        } else if (k < t->count) {
            taco__sample_table_type cell = taco__sample_table_csv_type(b, quoted, &t->kinds[k]);
            t->types[k] = taco__sample_table_join_csv(t->types[k], cell, t->kinds[k]);
        }
    }
    if (!r->header && k != t->count) {
        TACO__FAIL(err, TACO_ERR_SYNTAX, TACO_NO_OFFSET, "row %u has %u fields, the header %u",
                   TACO__U(r->row + 1), TACO__U(k), TACO__U(t->count));
        return false;
    }
    return true;
}

/* Reports a column of NDJSON whose types do not fit together: it had values of one type, and has
   another in this row. Ids are text, whatever they look like. An error if the schema is strict. */
static bool taco__sample_table_report_mixed(const taco__sample_table_reader *r, size_t column,
                                            taco__sample_table_type before,
                                            taco__sample_table_type here, taco_error *err)
{
    static const char *const names[] = {
        "nothing",          "truth values",   "integers",          "integers",
        "numbers",          "text",           "lists of integers", "lists of integers",
        "lists of numbers", "lists of lists", "nested values",     "values of several types"};
    taco_table *t = r->t;
    taco_bytes name = taco__bytes_text(t->names[column]);
    taco_error what;
    memset(&what, 0, sizeof what);
    if (strcmp(t->names[column], "id") == 0) { return true; }
    TACO__FAIL(&what, TACO_ERR_TYPE, TACO_NO_OFFSET,
               "row %u, column %q: %s, the rows before have %s%s", TACO__U(r->row + 1), &name,
               names[here], names[before], t->strict ? "" : "; all become text");
    if (t->strict) {
        *err = what;
    } else if (t->options.warn) {
        taco__error_prefix(&what, "%s", t->path);
        t->options.warn(t->options.warn_ctx, &what);
    }
    return !t->strict;
}

/* Appends the values of an object to all columns. SYNTAX for equal names, of which any one value
   would be a guess. */
static bool taco__sample_table_append_object(taco__sample_table_reader *r, const taco__json *object,
                                             taco_error *err)
{
    taco_table *t = r->t;
    const taco__json *key,
        **values = (const taco__json **)taco__arena_array(&r->arena, t->count, sizeof *values, err);
    size_t k, i;
    if (!values) { return false; }
    for (k = 0, key = object + 1; k < object->count; k++, key = taco__json_next(key + 1)) {
        i = taco__sample_table_find_column(t, taco__json_bytes(key));
        if (i < t->count && values[i]) {
            taco_bytes name = taco__json_bytes(key);
            TACO__FAIL(err, TACO_ERR_SYNTAX, TACO_NO_OFFSET, "row %u has the key %q twice",
                       TACO__U(r->row + 1), &name);
            return false;
        }
        if (i < t->count) { values[i] = key + 1; }
    }
    for (k = 0; k < t->count; k++) {
        if (!taco__sample_table_append_json(&t->columns[k].rows, t->types[k], values[k],
                                            &r->scratch, err)) {
            return taco__sample_table_fail_value(r, k, err);
        }
    }
    return true;
}

/* Reads one JSON object: names and types in the first pass, values in the second. */
static bool taco__sample_table_read_object(taco__sample_table_reader *r, taco_error *err)
{
    taco_table *t = r->t;
    taco__sample_table_type before, here;
    taco__json_doc doc;
    const taco__json *key;
    size_t k, i;
    if (taco__json_parse_at(&r->arena, taco__bytes_of(r->window.data + r->begin, r->end - r->begin),
                            r->base + r->begin, NULL, &doc, err) != TACO_OK) {
        return false;
    }
    if (!taco__json_is(doc.root, TACO__JSON_OBJECT)) {
        TACO__FAIL(err, TACO_ERR_SYNTAX, TACO_NO_OFFSET, "row %u is not a JSON object",
                   TACO__U(r->row + 1));
        return false;
    }
    for (k = 0, key = doc.root + 1; !r->fill && k < doc.root->count;
         k++, key = taco__json_next(key + 1)) {
        i = taco__sample_table_find_column(t, taco__json_bytes(key));
        if (i == t->count && !taco__sample_table_add_column(t, taco__json_bytes(key), err)) {
            return false;
        }
        here = taco__sample_table_json_type(key + 1);
        before = t->types[i];
        t->types[i] = taco__sample_table_join_types(before, here);
        if (t->types[i] == TACO__SAMPLE_TABLE_MIXED && before != TACO__SAMPLE_TABLE_MIXED &&
            !taco__sample_table_report_mixed(r, i, before, here, err)) {
            return false;
        }
    }
    return !r->fill || taco__sample_table_append_object(r, doc.root, err);
}

/* One pass over a text: names and types of its columns, or (fill) their values. */
static bool taco__sample_table_read_records(taco_table *t, bool fill, taco_error *err)
{
    taco__sample_table_reader r;
    bool ok = true;
    memset(&r, 0, sizeof r);
    if (!taco__source_open_path(&t->options, t->path, &r.src, err)) { return false; }
    r.t = t;
    r.fill = fill;
    r.header = t->csv;
    r.window.mem = r.field.mem = r.scratch.mem = r.arena.mem = &t->mem;
    while (ok && taco__sample_table_next_record(&r, err)) {
        ok =
            t->csv ? taco__sample_table_read_csv(&r, err) : taco__sample_table_read_object(&r, err);
        taco__arena_free(&r.arena);
        r.row += !r.header;
        r.header = false;
    }
    t->rows.length = r.row;
    if (r.src.close) { r.src.close(r.src.ctx); }
    taco__buf_free(&r.window);
    taco__buf_free(&r.field);
    taco__buf_free(&r.scratch);
    return ok && err->code == TACO_OK;
}

/* ---- columns ---- */

/* The types of the fields of a column, from the outside in, and their number: those of its cells,
   or those that its name asks for. */
static size_t taco__sample_table_field_types(const char *name, taco__sample_table_type type,
                                             taco_type out[3])
{
    static const taco_type types[] = {TACO_TEXT,   TACO_BOOL, TACO_INT64, TACO_UINT64,
                                      TACO_DOUBLE, TACO_TEXT, TACO_LIST,  TACO_LIST,
                                      TACO_LIST,   TACO_TEXT, TACO_TEXT,  TACO_TEXT},
                           items[] = {TACO_INT64, TACO_UINT64, TACO_DOUBLE};
    taco_type asked[3];
    size_t n = taco__column_rule_types(name, asked);
    if (n && (type == TACO__SAMPLE_TABLE_NONE || (n == 3 && type == TACO__SAMPLE_TABLE_LISTS))) {
        memcpy(out, asked, sizeof asked);
        return n;
    }
    out[0] = types[type];
    if (out[0] == TACO_LIST) {
        out[1] = items[type - TACO__SAMPLE_TABLE_INTS];
        /* 10 or 10.0: a geotransform is doubles */
        if (taco__sample_table_has_suffix(name, ":geotransform")) { out[1] = TACO_DOUBLE; }
    } else if (strncmp(name, "geoenrich:", 10) == 0 &&
               taco__sample_table_is_among(type, TACO__SAMPLE_TABLE_INT,
                                           TACO__SAMPLE_TABLE_DOUBLE)) {
        out[0] = TACO_FLOAT;
    }
    return out[0] == TACO_LIST ? 2 : 1;
}

/* The field of a column of text, by the type of its cells and its name. items are for the fields of
   lists in it. */
static taco_field taco__sample_table_field(const char *name, taco__sample_table_type type,
                                           taco_field items[2])
{
    taco_type types[3];
    size_t i = taco__sample_table_field_types(name, type, types);
    bool text = type == TACO__SAMPLE_TABLE_TEXT || type == TACO__SAMPLE_TABLE_NONE;
    if (text && (taco__sample_table_has_suffix(name, ":time_start") ||
                 taco__sample_table_has_suffix(name, ":time_middle") ||
                 taco__sample_table_has_suffix(name, ":time_end"))) {
        types[0] = TACO_TIMESTAMP; /* in microseconds */
    } else if (text && (taco__sample_table_has_suffix(name, ":centroid") ||
                        taco__sample_table_has_suffix(name, ":geometry"))) {
        types[0] = TACO_BINARY;
    }
    for (; i > 1; i--) {
        bool list = types[i - 1] == TACO_LIST;
        items[i - 2] =
            taco__field_make_nested("element", types[i - 1], list ? &items[i - 1] : NULL, list);
    }
    return types[0] == TACO_LIST ? taco__field_make_nested(name, TACO_LIST, items, 1)
                                 : taco__field_make(name, types[0]);
}

/* ARGUMENT for a table without rows. */
static bool taco__sample_table_check_rows(uint64_t rows, taco_error *err)
{
    if (!rows) { TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "the table has no rows"); }
    return rows != 0;
}

/* Both passes, then arrays of the columns. `id` is always text. */
static bool taco__sample_table_load_text(taco_table *t, taco_error *err)
{
    taco_array *arrays;
    taco_field *fields;
    size_t i, n;
    bool ok;
    if (!taco__sample_table_read_records(t, false, err) ||
        !taco__sample_table_check_rows(t->rows.length, err)) {
        return false;
    }
    n = t->count;
    t->columns = (taco__builder *)taco__arena_array(&t->arena, n, sizeof *t->columns, err);
    arrays = (taco_array *)taco__arena_array(&t->arena, n, sizeof *arrays, err);
    fields = (taco_field *)taco__arena_array(&t->arena, n, sizeof *fields, err);
    ok = t->columns && arrays && fields;
    for (i = 0; ok && i < n; i++) {
        taco_field items[2], f = taco__sample_table_field(t->names[i], t->types[i], items);
        if (strcmp(t->names[i], "id") == 0) { /* whatever its values look like */
            f = taco__field_make("id", TACO_TEXT);
            t->types[i] = t->csv ? TACO__SAMPLE_TABLE_TEXT : TACO__SAMPLE_TABLE_MIXED;
        }
        ok = taco__builder_init(&t->columns[i], &f, &t->mem, &t->arena, err);
    }
    ok = ok && taco__sample_table_read_records(t, true, err);
    for (i = 0; ok && i < n; i++) {
        taco__builder_finish(&t->columns[i]);
        arrays[i] = t->columns[i].array;
        fields[i] = *t->columns[i].rows.field;
    }
    t->rows.columns = arrays;
    t->fields = fields;
    return ok && err->code == TACO_OK;
}

/* Joins the batches of a reader, of which t->rows is the first, to one batch of own columns. */
static bool taco__sample_table_join_batches(taco_table *t, taco_error *err)
{
    taco_array *arrays = (taco_array *)taco__arena_array(&t->arena, t->count, sizeof *arrays, err);
    size_t rows = 0, i, row;
    bool ok;
    t->columns = (taco__builder *)taco__arena_array(&t->arena, t->count, sizeof *t->columns, err);
    ok = arrays && t->columns;
    for (i = 0; ok && i < t->count; i++) {
        ok = taco__builder_init(&t->columns[i], &t->fields[i], &t->mem, &t->arena, err);
    }
    do {
        for (i = 0; ok && i < t->count; i++) {
            for (row = 0; ok && row < t->rows.length; row++) {
                ok = taco__array_builder_append_copy(&t->columns[i].rows, &t->rows.columns[i], row,
                                                     err);
            }
        }
        rows += t->rows.length;
    } while (ok && taco_pq_reader_next(t->reader, &t->rows));
    for (i = 0; ok && i < t->count; i++) {
        taco__builder_finish(&t->columns[i]);
        arrays[i] = t->columns[i].array;
    }
    memset(&t->rows, 0, sizeof t->rows);
    t->rows.columns = arrays;
    t->rows.length = rows;
    return ok;
}

/* A Parquet file as one batch: that of its reader, if it has one row group. */
static bool taco__sample_table_load_parquet(taco_table *t, taco_error *err)
{
    taco_pq_query q;
    int64_t rows;
    memset(&q, 0, sizeof q);
    t->file = taco_pq_open(t->path, &t->options, err);
    rows = t->file ? taco_pq_rows(t->file) : 0;
    if (!t->file || !taco__sample_table_check_rows((uint64_t)rows, err)) { return false; }
    q.batch_rows = (size_t)rows + 1;
    t->reader = taco_pq_read(t->file, &q, err);
    t->fields = t->reader ? taco_pq_reader_fields(t->reader, &t->count) : NULL;
    if (!t->fields) { return false; }
    if (taco_pq_reader_next(t->reader, &t->rows) &&
        ((int64_t)t->rows.length == rows || taco__sample_table_join_batches(t, err)) &&
        (int64_t)t->rows.length == rows) {
        return err->code == TACO_OK;
    }
    t->rows.length = 0;
    taco_pq_reader_close(t->reader, err);
    t->reader = NULL;
    TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "fewer rows than the footer says");
    return false;
}

/* ---- public ---- */

/* Text columns are owned by the table; those of Parquet belong to the reader. */
TACO_API void taco_table_close(taco_table *t)
{
    taco__mem mem;
    size_t i;
    if (!t) { return; }
    for (i = 0; t->columns && i < t->count; i++) {
        taco__builder_free(&t->columns[i]);
    }
    taco_pq_reader_close(t->reader, NULL);
    taco_pq_close(t->file);
    taco__hash_map_free(&t->by_name);
    taco__arena_free(&t->arena);
    mem = t->mem;
    taco__mem_free(&mem, t, sizeof *t);
}

/* True for Parquet: by the extension of the name, or by the first bytes if it has none of a
   table. */
static bool taco__sample_table_is_parquet(const taco_table *t)
{
    taco_source src;
    char head[4] = {0};
    if (taco__sample_table_has_suffix(t->path, ".parquet")) { return true; }
    if (t->csv || t->lines || !taco__source_open_path(&t->options, t->path, &src, NULL)) {
        return false;
    }
    if (src.size < sizeof head || !src.read(src.ctx, 0, head, sizeof head)) { head[0] = 0; }
    if (src.close) { src.close(src.ctx); }
    return memcmp(head, "PAR1", sizeof head) == 0;
}

/* The extension decides the format. Errors get the path before their text. strict: columns of mixed
   types are an error. */
TACO__FN taco_table *taco__sample_table_open(const char *path, const taco_options *opt, bool strict,
                                             taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__mem mem;
    taco_table *t;
    bool ok;
    if (!path) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path given");
        return NULL;
    }
    taco__mem_init(&mem, opt);
    t = (taco_table *)taco__mem_alloc(&mem, sizeof *t, err);
    if (!t) { return NULL; }
    memset(t, 0, sizeof *t);
    t->mem = mem;
    t->arena.mem = t->by_name.mem = &t->mem;
    t->strict = strict;
    if (opt) { t->options = *opt; }
    t->path = path; /* needed only while opening */
    t->csv = taco__sample_table_has_suffix(path, ".csv");
    t->lines = taco__sample_table_has_suffix(path, ".ndjson") ||
               taco__sample_table_has_suffix(path, ".jsonl");
    if (taco__sample_table_is_parquet(t)) {
        ok = taco__sample_table_load_parquet(t, &own);
    } else if (t->csv || t->lines) {
        ok = taco__sample_table_load_text(t, &own);
    } else {
        ok = TACO__FAIL(&own, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                        "a table needs a name that ends in .ndjson, .csv or .parquet") == TACO_OK;
    }
    t->rows.column_count = t->count;
    if (!ok) {
        /* errors of opening the file name it already */
        if (own.code != TACO_ERR_NOT_FOUND && strncmp(own.text, path, strlen(path)) != 0) {
            taco__error_prefix(&own, "%s", path);
        }
        taco__error_copy(err, &own);
        taco_table_close(t);
        return NULL;
    }
    return t;
}

TACO_API taco_table *taco_table_open(const char *path, const taco_options *opt, taco_error *err)
{
    err = taco__error_fresh(err, NULL);
    return taco__sample_table_open(path, opt, false, err);
}

TACO_API const taco_batch *taco_table_rows(const taco_table *t)
{
    return t ? &t->rows : NULL;
}

TACO_API const taco_field *taco_table_fields(const taco_table *t, size_t *n)
{
    *n = t ? t->count : 0;
    return t ? t->fields : NULL;
}
/* ==== src/write/sample_rows.c ==== */
/* sample_rows.c - rows of the tables about samples, found by the path of their sample

   In: tables with a column `id`, the path of a sample below the source directory (tile_1/a.tif);
   out: for each table the levels that it covers and the columns of each, and a hash map from
   path to row. Used for directories (from_directory.c) and for added columns
   (add_columns.c).

   A level is the number of '/' in the path. If a table covers one level, all its columns belong to
   it; if it covers several, a column belongs to those where it has values. Two rows for the same
   sample are an error.

   Example: rows with id "t1", "t1/a.tif" and columns cloud (only of t1) and band (only of
   t1/a.tif): cloud belongs to level 0, band to level 1. The keys of the map point into the tables,
   so that it is valid only while these are open. */
/* #include "write.h" */
/* #include "../base/base.h" */
/* #include "../dataset/dataset.h" */
/* #include "../validate/validate.h" */

/* ---- rows by the path of their sample ---- */

/* The path that a row of a table refers to. */
TACO__FN taco_bytes taco__sample_rows_id(const taco__sample_rows_table *t, size_t row)
{
    return taco_array_bytes(&t->rows->columns[t->id], row);
}

/* The row for a path: table << 32 | row, or TACO__SAMPLE_ROWS_NONE. */
TACO__FN uint64_t taco__sample_rows_find(const taco__from_dir *g, taco_bytes id)
{
    const taco__hash_slot *slot = taco__hash_map_find(&g->by_id, id);
    return slot ? slot->value : TACO__SAMPLE_ROWS_NONE;
}

/* Marks a row whose sample was found; the sample must have the type in the row's column `type`, if
   there is one (tables from a query have it). */
TACO__FN bool taco__sample_rows_meet(taco__from_dir *g, uint64_t found, bool folder,
                                     taco_error *err)
{
    taco__sample_rows_table *t = &g->tables[found >> 32];
    size_t row = (size_t)(found & UINT32_MAX);
    const taco_array *type = t->type < t->count ? &t->rows->columns[t->type] : NULL;
    taco_bytes id = taco__sample_rows_id(t, row), said;
    t->seen[row] = 1;
    if (!type || type->field->type != TACO_TEXT || !taco_array_valid(type, row)) { return true; }
    said = taco_array_bytes(type, row);
    if (taco__bytes_equal(said, taco__bytes_text(taco__collection_type_name(folder)))) {
        return true;
    }
    TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "row %u: type is %q, %q is a %s",
               TACO__U(row + 1), &said, &id, taco__collection_type_name(folder));
    return false;
}

/* The level of a path. */
static uint32_t taco__sample_rows_level(taco_bytes id)
{
    uint32_t n = 0;
    size_t i;
    for (i = 0; i < id.len; i++) {
        n += id.data[i] == '/';
    }
    return n;
}

/* Reports an invalid id of a row; always false. */
static bool taco__sample_rows_refuse(taco__from_dir *g, size_t row, taco_bytes id,
                                     const char *fault)
{
    TACO__FAIL(g->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "row %u: id %q %s", TACO__U(row + 1), &id,
               fault);
    return false;
}

/* True if a path is written as paths of samples are: no other spelling of it names a sample, though
   the file system would find its file. */
static bool taco__sample_rows_is_normal(taco_bytes id)
{
    size_t from = 0, i;
    for (i = 0; i <= id.len; i++) {
        if (i < id.len && id.data[i] == '\\') { return false; }
        if (i < id.len && id.data[i] != '/') { continue; }
        if (i == from || (id.data[from] == '.' &&
                          (i == from + 1 || (i == from + 2 && id.data[from + 1] == '.')))) {
            return false;
        }
        from = i + 1;
    }
    return true;
}

/* Enters a row; *levels counts the levels of the table. */
static bool taco__sample_rows_add(taco__from_dir *g, size_t number, size_t row, size_t *levels)
{
    taco__sample_rows_table *t = &g->tables[number];
    taco_bytes id = taco__sample_rows_id(t, row);
    uint32_t level = taco__sample_rows_level(id);
    taco__hash_slot *slot;
    bool added;
    size_t i;
    if (!id.len || level >= TACO__MAX_LEVELS) {
        return taco__sample_rows_refuse(g, row, id, id.len ? "lies too deep" : "is empty");
    }
    if (!taco__sample_rows_is_normal(id)) {
        return taco__sample_rows_refuse(
            g, row, id,
            "is not a path of names, such as tile_1/a.tif: without '.', '..', '\\' and "
            "superfluous '/'");
    }
    slot = taco__hash_map_add(&g->by_id, id, &added, g->err);
    if (!slot) { return false; }
    if (!added) { return taco__sample_rows_refuse(g, row, id, "has a row before"); }
    slot->value = (uint64_t)number << 32 | row;
    if (!t->level[level]) {
        t->used[level] = (uint8_t *)taco__arena_alloc(&g->arena, t->count, g->err);
        t->level[level] = t->used[level] != NULL;
        ++*levels;
    }
    for (i = 0; t->level[level] && i < t->count; i++) {
        t->used[level][i] |= taco_array_valid(&t->rows->columns[i], row);
    }
    return true;
}

/* Enters the rows of a table, and assigns its columns to levels: if it has rows of several levels,
   a column belongs to those where it has values. */
static bool taco__sample_rows_add_table(taco__from_dir *g, size_t number)
{
    taco__sample_rows_table *t = &g->tables[number];
    size_t row, i, levels = 0;
    uint32_t level;
    for (row = 0; row < t->rows->length; row++) {
        if (!taco__sample_rows_add(g, number, row, &levels)) { return false; }
    }
    for (level = 0; level < TACO__MAX_LEVELS; level++) {
        for (i = 0; t->level[level] && i < t->count; i++) {
            taco_bytes name = taco__bytes_text(t->fields[i].name);
            t->used[level][i] =
                (levels == 1 || t->used[level][i]) && !taco__rules_is_format_column(name);
        }
    }
    t->seen = (uint8_t *)taco__arena_alloc(&g->arena, t->rows->length, g->err);
    return t->seen != NULL;
}

/* Refuses columns that would be lost: those with the format's names, except for `id`, `type` if it
   is text and can be compared, and what a query has added, which the writer makes again. */
static bool taco__sample_rows_check_names(const taco__sample_rows_table *t, taco_error *err)
{
    size_t i;
    for (i = 0; i < t->count; i++) {
        const taco_field *f = &t->fields[i];
        bool known = i == t->id ||
                     (i == t->type && (f->type == TACO_TEXT || f->type == TACO_NULL)) ||
                     (strncmp(f->name, "internal:", 9) == 0 &&
                      taco__rules_is_format_column(taco__bytes_text(f->name)));
        if (!known && taco__rules_check_own_name(taco__bytes_text(f->name), err) != TACO_OK) {
            return false;
        }
    }
    return true;
}

/* Opens a table; it must have a column `id` of text. */
static bool taco__sample_rows_open_table(taco__from_dir *g, const char *path)
{
    taco__sample_rows_table *t = &g->tables[g->table_count];
    t->table = taco__sample_table_open(path, &g->options, !g->create.fill, g->err);
    if (!t->table) { return false; }
    g->table_count++;
    t->rows = taco_table_rows(t->table);
    t->fields = taco_table_fields(t->table, &t->count);
    t->id = taco__sample_table_find_field(t->fields, t->count, "id");
    t->type = taco__sample_table_find_field(t->fields, t->count, "type");
    if (t->id == t->count || t->fields[t->id].type != TACO_TEXT || t->rows->length > UINT32_MAX) {
        TACO__FAIL(g->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "there is no column `id` of text");
        taco__error_prefix(g->err, "%s", path);
        return false;
    }
    if (!taco__sample_rows_check_names(t, g->err)) {
        taco__error_prefix(g->err, "%s", path);
        return false;
    }
    return true;
}

/* Opens all tables and enters their rows. The caller frees g->by_id in any case. */
TACO__FN bool taco__sample_rows_open_tables(taco__from_dir *g)
{
    size_t i, rows = 0;
    if (g->how->table_count > TACO__SAMPLE_ROWS_TABLES) {
        TACO__FAIL(g->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "%u tables, allowed are %u",
                   TACO__U(g->how->table_count), TACO__U(TACO__SAMPLE_ROWS_TABLES));
        return false;
    }
    g->tables = (taco__sample_rows_table *)taco__arena_array(&g->arena, g->how->table_count + 1,
                                                             sizeof *g->tables, g->err);
    if (!g->tables) { return false; }
    for (i = 0; i < g->how->table_count; i++) {
        if (!taco__sample_rows_open_table(g, g->how->tables[i])) { return false; }
        rows += g->tables[i].rows->length;
    }
    g->by_id.mem = &g->mem;
    if (!taco__hash_map_reset(&g->by_id, rows, g->err)) { return false; }
    for (i = 0; i < g->table_count; i++) {
        if (!taco__sample_rows_add_table(g, i)) {
            taco__error_prefix(g->err, "%s", g->how->tables[i]);
            return false;
        }
    }
    return true;
}

/* The column of that name for samples of a level; NULL if no table has one. *table is its index. */
TACO__FN const taco_array *taco__sample_rows_column(const taco__from_dir *g, uint32_t level,
                                                    const char *name, size_t *table)
{
    size_t i, k;
    for (i = 0; i < g->table_count; i++) {
        const taco__sample_rows_table *t = &g->tables[i];
        for (k = 0; t->level[level] && k < t->count; k++) {
            if (t->used[level][k] && strcmp(t->fields[k].name, name) == 0) {
                *table = i;
                return &t->rows->columns[k];
            }
        }
    }
    return NULL;
}
/* ==== src/write/directory_parts.c ==== */
/* directory_parts.c - which dataset a sample goes into: groups by value, parts by size

   In: the samples of level 0, sorted; out: datasets with a name and a run of samples each, as
   the reference cuts and names them: NAME_VALUE_part0001.tacozip.

   Groups are numbered in the order of their first samples (taco__dir_parts_assign_groups), then
   samples are sorted by group, and each group is cut when the next sample would exceed
   split_size (taco__dir_parts_cut). taco__dir_parts_file_name makes file names from values; two
   groups with the same name are an error.

   Example: target out.tacozip, group_by split, split_size 1 GB: out_train_part0001.tacozip,
   out_train_part0002.tacozip, out_test.tacozip, and .tacocat over all three. */
/* #include "write.h" */
/* #include "../base/base.h" */
/* #include "../arrow/arrow.h" */

/* Most parts of one name: their numbers have four digits. */
#define TACO__DIR_PARTS_MAX 9999

/* ---- datasets: one, parts, groups ---- */

/* Length in UTF-8 of a Unicode white-space character, as in Python's \\s; 0 for others. */
static size_t taco__dir_parts_space_length(const uint8_t *p, size_t n)
{
    uint32_t c = n ? p[0] : 'x';
    if (c == ' ' || (c >= 9 && c <= 13) || (c >= 0x1C && c <= 0x1F)) { return 1; }
    if (n >= 2 && c == 0xC2) { return p[1] == 0x85 || p[1] == 0xA0 ? 2 : 0; }
    if (n < 3 || c < 0xE1 || c > 0xE3) { return 0; }
    c = (c & 15) << 12 | (uint32_t)(p[1] & 63) << 6 | (p[2] & 63);
    return c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 ||
                   c == 0x202F || c == 0x205F || c == 0x3000
               ? 3
               : 0;
}

/* Appends a group's value as part of a file name: characters that file systems refuse, white space
   and '_' become one '_', and are removed at the ends. */
static bool taco__dir_parts_file_name(taco_bytes key, taco__buf *out, taco_error *err)
{
    size_t i = 0, from = out->len;
    while (i < key.len) {
        uint8_t c = key.data[i];
        size_t n = taco__dir_parts_space_length(key.data + i, key.len - i);
        bool gap = n || c == '_' || c == 0 || (c < 0x80 && strchr("/\\:*?\"<>|'", c) != NULL);
        if (gap && (out->len == from || out->data[out->len - 1] == '_')) {
            i += n ? n : 1;
            continue;
        }
        if (!taco__buf_append_char(out, gap ? '_' : (char)c, err)) { return false; }
        i += gap && n ? n : 1;
    }
    while (out->len > from && out->data[out->len - 1] == '_') {
        out->len--;
    }
    return true;
}

/* Appends a value as Python's str() writes it: None, True, 2020-01-01 00:00:00+00:00. */
static bool taco__dir_parts_append_value(const taco_array *a, size_t row, taco__buf *out,
                                         taco_error *err)
{
    size_t begin = out->len, i;
    bool null = false;
    if (!a || !taco_array_valid(a, row)) { return taco__buf_append_text(out, "None", err); }
    if (a->field->type == TACO_BOOL) {
        return taco__buf_append_text(out, taco_array_int(a, row) ? "True" : "False", err);
    }
    if (!taco__cell_bare(out, a, row, &null, err)) { return false; }
    if (a->field->type ==
        TACO_TIMESTAMP) { /* 2020-01-01T00:00:00.000000Z -> 2020-01-01 00:00:00+00:00 */
        bool utc = out->data[out->len - 1] == 'Z';
        out->len -= utc;
        for (i = begin; i < out->len; i++) {
            if (out->data[i] == 'T') { out->data[i] = ' '; }
        }
        while (i > begin && out->data[i - 1] == '0') {
            i--;
        }
        if (i > begin && out->data[i - 1] == '.') { out->len = i - 1; } /* no fraction */
        return !utc || taco__buf_append_text(out, "+00:00", err);
    }
    return true;
}

/* Appends the key of a sample's group: its values of all group columns, with '_' between them. */
static bool taco__dir_parts_append_key(taco__from_dir *g, const taco__dir_scan_entry *e,
                                       taco__buf *out)
{
    char text[TACO__DIR_VALUES_CODE];
    size_t i;
    out->len = 0;
    for (i = 0; i < g->how->group_by_count; i++) {
        const char *name = g->how->group_by[i];
        size_t table = 0;
        const taco_array *a = taco__sample_rows_column(g, 0, name, &table);
        bool here = a && e->row != TACO__SAMPLE_ROWS_NONE && e->row >> 32 == table, ok;
        if (i && !taco__buf_append_char(out, '_', g->err)) { return false; }
        if (!a && strcmp(name, "spatialgroup:code") == 0 &&
            (g->how->near_count || g->how->near_size)) {
            ok = taco__buf_append_text(
                out, e->near == UINT32_MAX ? "None" : taco__dir_values_group_code(e->near, text),
                g->err);
        } else if (!a && strcmp(name, "majortom:code") == 0 && g->how->grid_km > 0) {
            ok = (!e->has_point || taco__dir_values_grid_code(g, e, text)) &&
                 taco__buf_append_text(out, e->has_point ? text : "None", g->err);
        } else if (!a && strcmp(name, "id") == 0) {
            ok = taco__buf_append_text(out, e->name, g->err);
        } else if (!a) {
            taco_bytes b = taco__bytes_text(name);
            TACO__FAIL(g->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                       "no table has a column %q of samples of level 0 to group by", &b);
            return false;
        } else {
            ok = taco__dir_parts_append_value(
                here ? a : NULL, here ? (size_t)(e->row & UINT32_MAX) : 0, out, g->err);
        }
        if (!ok) { return false; }
    }
    return true;
}

/* Assigns every sample the number of its group, in the order of their first samples; *count is the
   number of groups, keys[group] the key of each. */
TACO__FN bool taco__dir_parts_assign_groups(taco__from_dir *g, taco__dir_scan_list *l,
                                            taco_bytes **keys, size_t *count)
{
    taco__hash_map groups; /* group numbers by key */
    taco__buf key;
    size_t i;
    bool ok;
    memset(&groups, 0, sizeof groups);
    memset(&key, 0, sizeof key);
    groups.mem = key.mem = &g->mem;
    *keys = (taco_bytes *)taco__arena_array(&g->arena, l->count, sizeof **keys, g->err);
    ok = *keys != NULL;
    for (i = 0; ok && i < l->count; i++) {
        taco__hash_slot *slot = NULL;
        bool added = false;
        if (taco__dir_parts_append_key(g, &l->entries[i], &key)) {
            slot = taco__hash_map_add(&groups, taco__bytes_of(key.data, key.len), &added, g->err);
        }
        ok = slot != NULL;
        if (ok && added) {
            const char *copy = taco__arena_text(&g->arena, slot->key, g->err);
            ok = copy != NULL;
            slot->key = taco__bytes_of(copy, key.len);
            slot->value = groups.count - 1;
            (*keys)[slot->value] = slot->key;
        }
        if (ok) { l->entries[i].set = (uint32_t)slot->value; }
    }
    *count = groups.count;
    taco__hash_map_free(&groups);
    taco__buf_free(&key);
    return ok;
}

/* Order by group, then by sample. */
TACO__FN int taco__dir_parts_compare_groups(const void *ctx, const void *a, const void *b)
{
    const taco__dir_scan_entry *x = (const taco__dir_scan_entry *)a,
                               *y = (const taco__dir_scan_entry *)b;
    return x->set != y->set ? (x->set < y->set ? -1 : 1) : taco__dir_scan_compare(ctx, a, b);
}

/* The name of a dataset: target with key and part before its extension. key NULL, part 0:
   without. */
static const char *taco__dir_parts_target(taco__from_dir *g, const char *target,
                                          const taco_bytes *key, size_t part)
{
    const char *dot = strrchr(target, '.'),
               *name = target + taco__plat_dir_length(target, strlen(target));
    size_t n = dot && dot > name ? (size_t)(dot - target) : strlen(target);
    taco__buf b;
    const char *out = NULL;
    char digits[24];
    bool ok;
    memset(&b, 0, sizeof b);
    b.mem = &g->mem;
    ok = taco__buf_append(&b, target, n, g->err) &&
         (!key ||
          (taco__buf_append_char(&b, '_', g->err) && taco__dir_parts_file_name(*key, &b, g->err)));
    if (ok && part) {
        *taco__spatial_write_digits(digits, (int64_t)part) = 0;
        ok =
            taco__buf_append_text(&b, "_part", g->err) && taco__buf_append_text(&b, digits, g->err);
    }
    ok = ok && taco__buf_append_text(&b, target + n, g->err);
    if (ok) { out = taco__arena_text(&g->arena, taco__bytes_of(b.data, b.len), g->err); }
    taco__buf_free(&b);
    return out;
}

/* Warns if an earlier dataset of that name had more than n parts. */
static bool taco__dir_parts_warn_of_more(taco__from_dir *g, const char *target,
                                         const taco_bytes *key, size_t n)
{
    const char *next = taco__dir_parts_target(g, target, key, n + 1);
    if (next) { taco__staged_warn_of_more(&g->options, next, "dataset", n); }
    return next != NULL;
}

/* Appends the parts for samples first to end: a new part begins when one more sample would exceed
   the size. */
TACO__FN bool taco__dir_parts_cut(taco__from_dir *g, taco__dir_scan_list *l, size_t first,
                                  size_t end, const char *target, const taco_bytes *key,
                                  taco__buf *parts)
{
    uint64_t most = g->how->split_size ? g->how->split_size : UINT64_MAX;
    size_t from = parts->len / sizeof(taco__dir_parts_part), at = first, count, i;
    taco__dir_parts_part p;
    memset(&p, 0, sizeof p);
    while (at < end) {
        size_t to = at + 1;
        uint64_t sum = l->entries[at].size;
        while (to < end && sum <= most && l->entries[to].size <= most - sum) {
            sum += l->entries[to++].size;
        }
        p.first = at;
        p.count = to - at;
        if (!taco__buf_append(parts, &p, sizeof p, g->err)) { return false; }
        at = to;
    }
    count = parts->len / sizeof p - from;
    if (count > TACO__DIR_PARTS_MAX) {
        TACO__FAIL(g->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "%u parts, allowed are %u: they are too small", TACO__U(count),
                   TACO__U(TACO__DIR_PARTS_MAX));
        return false;
    }
    for (i = 0; i < count; i++) {
        taco__dir_parts_part *part = (taco__dir_parts_part *)(void *)parts->data + from + i;
        part->name = taco__dir_parts_target(g, target, key, count > 1 ? i + 1 : 0);
        if (!part->name) { return false; }
    }
    return count < 2 || !g->create.overwrite || taco__dir_parts_warn_of_more(g, target, key, count);
}

/* Order by name. */
static int taco__dir_parts_compare_names(const void *ctx, const void *a, const void *b)
{
    (void)ctx;
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* What would be overwritten, and must not be. */
static bool taco__dir_parts_is_taken(const taco__from_dir *g, const char *path, bool zip)
{
    uint64_t size;
    return !(zip && g->create.overwrite && taco__plat_stat(path, &size) == TACO__PATH_FILE) &&
           !taco__temporary_is_free(path, &g->options);
}

/* ARGUMENT if two datasets have the same name, or an existing file would be overwritten. */
TACO__FN bool taco__dir_parts_check_free(taco__from_dir *g, const taco__dir_parts_part *parts,
                                         size_t n, bool zip, const char *catalogue)
{
    const char **names = (const char **)taco__arena_array(&g->arena, n, sizeof *names, g->err);
    size_t i;
    for (i = 0; names && i < n; i++) {
        names[i] = parts[i].name;
        if (taco__dir_parts_is_taken(g, names[i], zip)) {
            TACO__FAIL(g->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%s exists already", names[i]);
            return false;
        }
    }
    if (catalogue && taco__dir_parts_is_taken(g, catalogue, false)) {
        TACO__FAIL(g->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "%s exists already: the parts would have no catalogue", catalogue);
        return false;
    }
    if (!names || !taco__sort_in(g->arena.mem, (void *)names, n, sizeof *names,
                                 taco__dir_parts_compare_names, NULL, g->err)) {
        return false;
    }
    for (i = 1; i < n; i++) {
        if (strcmp(names[i - 1], names[i]) == 0) {
            TACO__FAIL(g->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "two groups would both be %s",
                       names[i]);
            return false;
        }
    }
    return true;
}
/* ==== src/write/directory_ahead.c ==== */
/* directory_ahead.c - many files of a directory, opened by tasks before they are stored

   In: entries of a directory, of which the next ones are listed as files; out: an input for each:
   the bytes of a small file, an open file otherwise. Opening takes most of the time that small
   files need. The tasks run together with those of the batch (payload_batch.c). A file that cannot
   be opened has no input: whoever needs it opens it by its path, and reports why that fails. Start
   with taco__dir_ahead_take. */
/* #include "write.h" */
/* #include "../base/base.h" */
/* #include "../base/file_copy.h" */
/* #include "../dataset/cursor.h" */

/* Files of a round and of a task, the least that are worth a round, and how many must follow when
   the first round is run. Tests use fewer. */
#ifndef TACO__DIR_AHEAD_FIRST
#define TACO__DIR_AHEAD_FIRST 1024
#endif
#define TACO__DIR_AHEAD_FILES 64
#define TACO__DIR_AHEAD_TASK  16
#define TACO__DIR_AHEAD_LEAST 16

struct taco__dir_ahead {
    const taco__dir_scan_list *list;
    size_t first, count; /* entries that are open, or were until they were taken */
    taco__input in[TACO__DIR_AHEAD_FILES];
    bool open[TACO__DIR_AHEAD_FILES];
    uint8_t pages[TACO__DIR_AHEAD_FILES][TACO__PLAT_PAGE];
};

static void taco__dir_ahead_task(void *arg, size_t i)
{
    taco__dir_ahead *a = (taco__dir_ahead *)arg;
    size_t k = i * TACO__DIR_AHEAD_TASK, end = TACO__MIN(k + TACO__DIR_AHEAD_TASK, a->count);
    taco__plat_dir dir;
    taco__dir_begin_task(&dir, &a->list->dir);
    for (; k < end; k++) {
        a->open[k] = taco__input_open_listed(&a->in[k], &dir, a->list->entries[a->first + k].name,
                                             a->pages[k]);
    }
    taco__dir_end_task(&dir);
}

/* Closes what has not been taken. */
static void taco__dir_ahead_close(taco__dir_ahead *a)
{
    size_t i;
    for (i = 0; i < a->count; i++) {
        if (a->open[i]) { taco__input_close(&a->in[i]); }
        a->open[i] = false;
    }
    a->count = 0;
}

TACO__FN void taco__dir_ahead_free(taco__from_dir *g)
{
    if (g->ahead) { taco__dir_ahead_close(g->ahead); }
    taco__mem_free(&g->mem, g->ahead, sizeof *g->ahead);
    g->ahead = NULL;
}

/* How many entries from i on are listed as files, at most `most`. */
static size_t taco__dir_ahead_count(const taco__dir_scan_list *l, size_t i, size_t most)
{
    size_t n = 0;
    while (n < most && i + n < l->count && l->entries[i + n].listed) {
        n++;
    }
    return n;
}

/* Opens the files from entry i on, if enough follow and the host has threads. False if storing the
   samples before them fails. */
static bool taco__dir_ahead_open(taco__from_dir *g, taco__dir_scan_list *l, size_t i,
                                 taco_error *err)
{
    taco__container_writer *p = &g->w->pack;
    taco__dir_ahead *a = g->ahead;
    size_t least = a ? TACO__DIR_AHEAD_LEAST : TACO__DIR_AHEAD_FIRST, n;
    if (!l->open || i < l->single || taco__tasks_width(&p->options, 2) < 2) { return true; }
    n = taco__dir_ahead_count(l, i, least);
    if (n < least) {
        l->single = i + n;
        return true;
    }
    if (!a) {
        a = g->ahead = (taco__dir_ahead *)taco__mem_alloc(&g->mem, sizeof *a, NULL);
        if (!a) { return true; }
    }
    if (!taco__payload_batch_begin(p, NULL, err)) { return false; }
    taco__dir_ahead_close(a);
    a->list = l;
    a->first = i;
    a->count = taco__dir_ahead_count(l, i, TACO__DIR_AHEAD_FILES);
    return taco__payload_batch_run_also(
        p, (a->count + TACO__DIR_AHEAD_TASK - 1) / TACO__DIR_AHEAD_TASK, taco__dir_ahead_task, a,
        err);
}

/* The input of entry i of a list, which the caller closes; *found is false if it must be opened.
   The bytes of a small file are valid until the next call. False if storing the samples before it
   fails. */
TACO__FN bool taco__dir_ahead_take(taco__from_dir *g, taco__dir_scan_list *l, size_t i,
                                   taco__input *in, bool *found, taco_error *err)
{
    taco__dir_ahead *a = g->ahead;
    *found = false;
    if ((!a || a->list != l || i < a->first || i - a->first >= a->count) &&
        !taco__dir_ahead_open(g, l, i, err)) {
        return false;
    }
    a = g->ahead;
    if (!a || a->list != l || i < a->first || i - a->first >= a->count) { return true; }
    *found = a->open[i - a->first];
    if (!*found) { /* too many files may be open */
        taco__dir_ahead_close(a);
        return taco__payload_batch_settle(&g->w->pack, err);
    }
    *in = a->in[i - a->first];
    a->open[i - a->first] = false;
    if (i - a->first + 1 == a->count) { a->count = 0; } /* its list may be freed */
    return true;
}
/* ==== src/write/from_directory.c ==== */
/* from_directory.c - taco_create_directory: every file below a directory as a sample

   In: a directory, tables about its files, and options; out: one dataset, or several by groups
   and sizes with a catalogue of them. TACO 2.0 §5, §6.

   taco__from_dir_run: tables (sample_rows.c), the entries of the directory in order
   (directory_scan.c), values that are computed from TIFFs and places (directory_values.c), the
   datasets they go into (directory_parts.c), then each through the public writer, depth first,
   reading one directory at a time. Either all datasets are made or none, except that they are kept
   if only the catalogue fails, and that archives which have replaced old ones stay if the next one
   cannot get its name. */
/* #include "write.h" */
/* #include "../base/base.h" */
/* #include "../base/sink.h" */
/* #include "../base/file_copy.h" */
/* #include "../dataset/dataset.h" */

/* ---- columns and samples into a writer ---- */

/* Declares the columns of every level: from all tables with rows of it, then the computed ones. */
static void taco__from_dir_declare_columns(taco__from_dir *g)
{
    static const taco_type types[TACO__FROM_DIR_COLUMNS] = {TACO_TEXT, TACO_INT64, TACO_DOUBLE,
                                                            TACO_BINARY, TACO_BINARY};
    uint32_t level;
    size_t i, k;
    for (level = 0; level < TACO__MAX_LEVELS; level++) {
        for (i = 0; i < g->table_count; i++) {
            const taco__sample_rows_table *t = &g->tables[i];
            for (k = 0; t->level[level] && k < t->count; k++) {
                if (t->used[level][k]) { taco_writer_field(g->w, level, &t->fields[k]); }
            }
        }
        for (k = 0; k < TACO__FROM_DIR_COLUMNS; k++) {
            if (g->computed[level][k] &&
                (k == TACO__FROM_DIR_SHAPE || k == TACO__FROM_DIR_TRANSFORM)) {
                taco_writer_list(g->w, level, taco__from_dir_column_names[k], types[k]);
            } else if (g->computed[level][k]) {
                taco_writer_column(g->w, level, taco__from_dir_column_names[k], types[k]);
            }
        }
    }
    for (level = 0; level < TACO__MAX_LEVELS; level++) {
        taco__derived_declare(g, level);
        taco__dir_place_declare(g, level);
        if (g->stats[level]) { taco_writer_stats_column(g->w, level); }
    }
    if (g->how->grid_km > 0) { taco_writer_column(g->w, 0, "majortom:code", TACO_TEXT); }
    if (g->how->near_count || g->how->near_size) {
        taco_writer_column(g->w, 0, "spatialgroup:code", TACO_TEXT);
    }
}

/* Adds a FILE: by its name in the open directory, which is fast, or if that fails by its path,
   whose first dir bytes are the directory's. */
static bool taco__from_dir_add_file(taco__from_dir *g, taco__dir_scan_list *l, size_t dir,
                                    const taco__dir_scan_entry *e)
{
    taco__input in;
    const char *path;
    bool found = false;
    if (e->listed &&
        !taco__dir_ahead_take(g, l, (size_t)(e - l->entries), &in, &found, &g->w->err)) {
        taco__dataset_writer_prefix_error(g->w);
        return false;
    }
    if (found ||
        (l->open && e->listed && taco__input_open_listed(&in, &l->dir, e->name, g->page))) {
        in.later = in.own; /* small files are in a page that is used again */
        return taco__dataset_writer_add_file(g->w, e->name, &in) == TACO_OK;
    }
    path = taco__dir_scan_path(g, dir, e->name);
    return path && taco__dataset_writer_add_path(g->w, e->name, path, true) == TACO_OK;
}

static bool taco__from_dir_add(taco__from_dir *g, taco__dir_scan_list *in, size_t dir,
                               uint32_t level, const taco__dir_scan_entry *e,
                               taco__dir_place *place);

/* Adds the entries of a directory to the FOLDER that was begun last, and ends it; *place gets what
   its TIFFs say about it. */
static bool taco__from_dir_add_folder(taco__from_dir *g, size_t dir, uint32_t level,
                                      const taco__dir_scan_entry *e, taco__dir_place *place)
{
    taco__dir_scan_list l;
    taco__dir_place child;
    size_t below = level + 1 < TACO__MAX_LEVELS ? taco__dir_scan_enter(g, dir, e->name) : 0, i;
    bool ok = below && taco__dir_scan_read(g, below, &l);
    if (ok) {
        for (i = 0; ok && i < l.count; i++) {
            ok = taco__from_dir_add(g, &l, below, level + 1, &l.entries[i], &child);
            if (ok && g->places[level]) { taco__dir_place_add(place, &child, l.entries[i].name); }
        }
        taco__dir_scan_free(&l);
    }
    return taco_writer_folder_end(g->w) == TACO_OK && ok;
}

/* Adds an entry of a list and everything below it; the first dir bytes of g->path are its
   directory. *place gets where it is. */
static bool taco__from_dir_add(taco__from_dir *g, taco__dir_scan_list *in, size_t dir,
                               uint32_t level, const taco__dir_scan_entry *e,
                               taco__dir_place *place)
{
    memset(place, 0, sizeof *place);
    if (!e->folder) {
        return taco__from_dir_add_file(g, in, dir, e) &&
               taco__dir_values_set(g, level, dir, e, place);
    }
    taco_writer_folder_begin(g->w, e->name);
    if (!taco__dir_values_set(g, level, dir, e, place)) {
        taco_writer_folder_end(g->w);
        return false;
    }
    if (!taco__from_dir_add_folder(g, dir, level, e, place) ||
        (g->places[level] && !taco__dir_place_set(g, level, dir, e, place))) {
        return false;
    }
    if (g->places[level]) { taco__dir_place_of_row(g, level, e, place); }
    return true;
}

/* The writer of a dataset: one of several is staged. */
static taco_writer *taco__from_dir_open(taco__from_dir *g, const taco__dir_parts_part *p)
{
#ifndef TACO_NO_STDIO
    if (p->staged && !p->zip) {
        taco_writer *w = taco_create(p->name, &g->create, g->err);
        if (w) { w->pack.staged = p->staged; }
        return w;
    }
    if (p->staged) {
        taco_sink sink;
        return taco__sink_file_staged(&sink, p->name, &g->options, &g->mem, p->staged, g->err) ==
                       TACO_OK
                   ? taco_create_sink(&sink, &g->create, g->err)
                   : NULL;
    }
#endif
    return taco_create(p->name, &g->create, g->err);
}

/* A writer into a sink does not know its path. */
static bool taco__from_dir_finish(taco__from_dir *g, const taco__dir_parts_part *p)
{
    bool ok = taco_writer_finish(g->w, g->err) == TACO_OK;
#ifndef TACO_NO_STDIO
    if (!ok && p->staged) { taco__error_prefix(g->err, "%s", p->name); }
#else
    (void)p;
#endif
    return ok;
}

/* Writes one dataset. After the samples of the last one, what is only needed to find samples is
   freed: the tables of metadata take as much again. */
static bool taco__from_dir_write(taco__from_dir *g, taco__dir_scan_list *l,
                                 const taco__dir_parts_part *p, bool last)
{
    taco__dir_place place;
    size_t i;
    bool ok = true;
    g->w = taco__from_dir_open(g, p);
    if (!g->w) { return false; }
    taco_writer_collection(g->w, g->collection, g->collection_len);
    taco__from_dir_declare_columns(g);
    for (i = 0; ok && i < p->count; i++) {
        ok = taco__from_dir_add(g, l, g->root, 0, &l->entries[p->first + i], &place);
    }
    if (!ok && taco__dataset_writer_blame_earlier(g->w)) { memset(g->err, 0, sizeof *g->err); }
    taco__dir_ahead_free(g);
    if (last) {
        taco__dir_scan_free(l);
        taco__hash_map_free(&g->by_id);
    }
    if (ok || g->err->code == TACO_OK) { /* finishing reports failures of the writer */
        return taco__from_dir_finish(g, p);
    }
    taco_writer_abort(g->w);
    return false;
}

/* ".tacocat" next to the parts; NULL if out of memory. */
static const char *taco__from_dir_catalogue_path(taco__from_dir *g, const char *target)
{
    const size_t n = taco__plat_dir_length(target, strlen(target));
    char *out = (char *)taco__arena_alloc(&g->arena, n + 16, g->err);
    if (out) {
        memcpy(out, target, n);
        memcpy(out + n, ".tacocat", 9);
    }
    return out;
}

/* Writes the catalogue of the new datasets. */
static bool taco__from_dir_write_catalogue(taco__from_dir *g, const taco__dir_parts_part *parts,
                                           size_t n, const char *catalogue)
{
    taco_merge_options m;
    const char **names = (const char **)taco__arena_array(&g->arena, n, sizeof *names, g->err);
    size_t i;
    memset(&m, 0, sizeof m);
    m.options = &g->options;
    m.unchecked = true; /* they have just been written */
    m.codec = g->create.codec;
    m.level = g->create.level;
    m.row_group_rows = g->create.row_group_rows;
    m.parquet = g->create.parquet;
    for (i = 0; names && i < n; i++) {
        names[i] = parts[i].name;
    }
    if (!names || taco_create_tacocat(catalogue, names, n, &m, g->err) != TACO_OK) {
        taco__error_prefix(g->err, "the archives are made, their catalogue is not");
        return false;
    }
    return true;
}

/* Groups and cuts the samples: appends the datasets to make. */
static bool taco__from_dir_plan(taco__from_dir *g, taco__dir_scan_list *l, const char *target,
                                taco__buf *parts)
{
    taco_bytes *keys = NULL;
    size_t groups = 1, at = 0, i;
    bool ok = true;
    if (g->how->group_by_count) {
        ok = taco__dir_parts_assign_groups(g, l, &keys, &groups) &&
             taco__sort_in(g->arena.mem, l->entries, l->count, sizeof *l->entries,
                           taco__dir_parts_compare_groups, NULL, g->err);
    }
    for (i = 0; ok && i < groups; i++) {
        size_t end = at;
        while (end < l->count && l->entries[end].set == i) {
            end++;
        }
        ok = taco__dir_parts_cut(g, l, at, end, target, keys ? &keys[i] : NULL, parts);
        at = end;
    }
    return ok;
}

/* Stages several datasets, whose old versions must stay until all are complete. *list is NULL for a
   single one. */
static bool taco__from_dir_stage(taco__from_dir *g, taco__dir_parts_part *parts, size_t count,
                                 bool zip, taco__staged **list)
{
#ifndef TACO_NO_STDIO
    size_t i;
    *list = NULL;
    if (count < 2) { return true; }
    *list = (taco__staged *)taco__arena_array(&g->arena, count, sizeof **list, g->err);
    if (!*list) { return false; }
    memset(*list, 0, count * sizeof **list);
    for (i = 0; i < count; i++) {
        (*list)[i].path = parts[i].name;
        (*list)[i].mem = &g->mem;
        parts[i].staged = &(*list)[i];
        parts[i].zip = zip;
    }
#else
    (void)g;
    (void)parts;
    (void)count;
    (void)zip;
    *list = NULL;
#endif
    return true;
}

#ifndef TACO_NO_STDIO
/* A catalogue that is about to be replaced: with the new archives it would lead to wrong bytes, so
   nothing has its name from the moment when these get theirs until the new one is there. */
typedef struct taco__old_catalogue {
    const char *path;
    char *aside; /* its name meanwhile; NULL: there is none */
    taco__plat_id id;
} taco__old_catalogue;

/* Renames it to PATH.old, or PATH.001.old and so on. */
static bool taco__old_catalogue_move(taco__from_dir *g, taco__old_catalogue *old, const char *path)
{
    const size_t n = path ? strlen(path) : 0;
    char *name;
    unsigned i = 0;
    memset(old, 0, sizeof *old);
    old->path = path;
    if (!path || !taco__plat_identify(path, &old->id)) { return true; }
    name = (char *)taco__arena_alloc(&g->arena, n + 16, g->err);
    if (!name) { return false; }
    memcpy(name, path, n);
    memcpy(name + n, ".old", 5);
    while (taco__plat_name_exists(name) && ++i < 1000) {
        memcpy(name + n, ".000.old", 9);
        name[n + 1] = (char)('0' + i / 100);
        name[n + 2] = (char)('0' + i / 10 % 10);
        name[n + 3] = (char)('0' + i % 10);
    }
    if (!taco__plat_rename(path, name, true)) {
        taco__sink_open_error(path, g->err);
        return false;
    }
    old->aside = name;
    return true;
}

/* `made`: archives have been replaced. */
static void taco__old_catalogue_end(taco__from_dir *g, taco__old_catalogue *old, bool ok, bool made)
{
    taco_error why = {0, TACO_OK, 0, {0}};
    if (!old->aside) { return; }
    if (ok && taco__plat_remove_tree(old->aside, &old->id)) { return; }
    if (!made && taco__plat_rename(old->aside, old->path, true)) { return; }
    TACO__FAIL(&why, TACO_ERR_IO, TACO_NO_OFFSET, "%s: is what %s was before", old->aside,
               old->path);
    if (g->options.warn) { g->options.warn(g->options.warn_ctx, &why); }
}
#endif

/* Gives all datasets their names; *made: some have them, though others could not get theirs. */
static bool taco__from_dir_publish(taco__from_dir *g, taco__staged *list, size_t count, bool *made)
{
    bool ok = true;
#ifndef TACO_NO_STDIO
    size_t i;
    if (!list) { return true; }
    ok = taco__staged_rename(list, count, g->err);
    for (i = 0; !ok && i < count; i++) { /* those that replaced a file stay */
        if (list[i].temporary.renamed) {
            *made = true;
            if (g->how->made) { g->how->made(g->how->made_ctx, list[i].path); }
        }
    }
#else
    (void)g;
    (void)list;
    (void)count;
    (void)made;
#endif
    return ok;
}

/* Writes every dataset, under temporary names if there are several. */
static bool taco__from_dir_write_parts(taco__from_dir *g, taco__dir_scan_list *l,
                                       const taco__dir_parts_part *parts, size_t count)
{
    size_t i;
    for (i = 0; i < count; i++) {
        if (!taco__from_dir_write(g, l, &parts[i], i + 1 == count)) { return false; }
    }
    return true;
}

/* Gives complete datasets their names, and writes their catalogue. */
static bool taco__from_dir_complete(taco__from_dir *g, const taco__dir_parts_part *parts,
                                    size_t count, taco__staged *list, const char *catalogue)
{
    size_t i;
    bool ok, made = false;
#ifndef TACO_NO_STDIO
    taco__old_catalogue old;
    if (!taco__old_catalogue_move(g, &old, catalogue)) { return false; }
#endif
    ok = taco__from_dir_publish(g, list, count, &made);
    for (i = 0; ok && i < count; i++) {
        made = true;
        if (g->how->made) { g->how->made(g->how->made_ctx, parts[i].name); }
    }
    ok = ok && (!catalogue || taco__from_dir_write_catalogue(g, parts, count, catalogue));
    if (ok && catalogue && g->how->made) { g->how->made(g->how->made_ctx, catalogue); }
#ifndef TACO_NO_STDIO
    taco__old_catalogue_end(g, &old, ok, made);
#endif
    return ok;
}

/* Writes every dataset, then the catalogue. All datasets get their names, or none. */
static bool taco__from_dir_write_all(taco__from_dir *g, taco__dir_scan_list *l, const char *target,
                                     taco__dir_parts_part *parts, size_t count)
{
    const char *catalogue = NULL;
    const bool zip = taco__container_write_is_zip(target, g->create.container);
    taco__staged *list = NULL;
    bool ok = true;
    if (count > 1 && !g->how->no_catalogue && zip) {
        catalogue = taco__from_dir_catalogue_path(g, target);
        ok = catalogue != NULL;
    }
    ok = ok && (count == 1 || taco__dir_parts_check_free(g, parts, count, zip, catalogue)) &&
         taco__from_dir_stage(g, parts, count, zip, &list);
    g->create.new_extent = g->create.new_extent || count > 1;
    ok = ok && taco__from_dir_write_parts(g, l, parts, count);
    if (ok) { taco__dir_place_warn(g); }
    ok = ok && taco__from_dir_complete(g, parts, count, list, catalogue);
#ifndef TACO_NO_STDIO
    if (list) { taco__staged_free(list, count); }
#endif
    return ok;
}

/* ---- public ---- */

/* Finds what must be known before the first sample is written: sizes, levels with TIFFs, points,
   neighbours. */
static bool taco__from_dir_prepare(taco__from_dir *g, taco__dir_scan_list *l)
{
    size_t i, table;
    uint32_t level;
    if (l->count == 0) {
        TACO__FAIL(g->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "the directory is empty");
        return false;
    }
    for (i = 0; g->sizes && i < l->count; i++) {
        if (!taco__dir_scan_sum_sizes(g, g->root, &l->entries[i], 0)) { return false; }
    }
    if ((g->how->tiff || g->how->tacotiff || g->how->pixels) &&
        !taco__dir_values_find_tiffs(g, g->root, &l->entries[0], 0)) {
        return false;
    }
    for (level = 0; level < TACO__MAX_LEVELS; level++) {
        g->stats[level] = g->tiff[level] && g->how->pixels &&
                          !taco__sample_rows_column(g, level, "geotiff:stats", &table);
        for (i = 0; g->tiff[level] && i < TACO__FROM_DIR_COLUMNS; i++) {
            g->computed[level][i] =
                (i == TACO__FROM_DIR_HEADER ? g->how->tacotiff : g->how->tiff) &&
                !taco__sample_rows_column(g, level, taco__from_dir_column_names[i], &table);
        }
    }
    taco__dir_place_find(g);
    taco__derived_find(g);
    if (taco__dir_values_needs_points(g) && !taco__dir_values_find_points(g, l)) { return false; }
    return !(g->how->near_count || g->how->near_size) || taco__dir_values_group_neighbours(g, l);
}

/* All steps, from the tables on. */
static bool taco__from_dir_run(taco__from_dir *g, const char *target, const char *source)
{
    taco__dir_scan_list l;
    taco__buf parts;
    size_t n = strlen(source);
    bool ok;
    if (!taco__sample_rows_open_tables(g) || !taco__buf_append(&g->path, source, n, g->err) ||
        !((n && source[n - 1] == '/') || taco__buf_append_char(&g->path, '/', g->err))) {
        return false;
    }
    g->root = g->path.len;
    g->page = (uint8_t *)taco__arena_alloc(&g->arena, TACO__PLAT_PAGE, g->err);
    if (!g->page || !taco__dir_scan_read(g, g->root, &l)) { return false; }
    memset(&parts, 0, sizeof parts);
    parts.mem = &g->mem;
    ok = taco__dir_scan_check_rows(g) && taco__from_dir_prepare(g, &l) &&
         taco__from_dir_plan(g, &l, target, &parts) &&
         taco__from_dir_write_all(g, &l, target, (taco__dir_parts_part *)(void *)parts.data,
                                  parts.len / sizeof(taco__dir_parts_part));
    taco__buf_free(&parts);
    taco__dir_scan_free(&l);
    return ok;
}

/* Sets up the state, runs, frees. A failure without a message is lack of memory. */
TACO_API taco_status taco_create_directory(const char *path, const char *source,
                                           const char *collection, size_t len,
                                           const taco_directory_options *how, taco_error *err)
{
    taco_directory_options none;
    taco__from_dir g;
    taco_error own = {0, TACO_OK, 0, {0}};
    size_t i;
    err = taco__error_fresh(err, NULL);
    memset(&none, 0, sizeof none);
    memset(&g, 0, sizeof g);
    if (!path || !source || !collection) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "path, source or collection is missing");
    }
    g.how = how ? how : &none;
    if (g.how->create) { g.create = *g.how->create; }
    if (g.create.options) { g.options = *g.create.options; }
    g.err = &own;
    taco__mem_init(&g.mem, g.create.options);
    g.arena.mem = g.path.mem = &g.mem;
    g.collection = collection;
    g.collection_len = len;
    g.sizes = g.how->split_size != 0 || g.how->near_size != 0;
    if (!taco__from_dir_run(&g, path, source)) {
        TACO__FAIL(&own, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory");
    }
    for (i = 0; i < g.table_count; i++) {
        taco_table_close(g.tables[i].table);
    }
    taco__buf_free(&g.path);
    taco__hash_map_free(&g.by_id);
    taco__arena_free(&g.arena);
    taco__error_copy(err, &own);
    return own.code;
}
/* ==== src/write/directory_scan.c ==== */
/* directory_scan.c - entries of a directory in the order of their samples

   In: the path of a directory, in g->path; out: its entries: first those that rows of the tables
   are about, in the order of the rows, then the others by name. Kinds and sizes are requested from
   the file system only if they are needed.

   g->path is one buffer for all paths: a directory is identified by the length of its path in it
   (dir), and names are put after that. The list of a directory is freed when its samples have been
   written, so that memory never holds more than the directories along one path. */
/* #include "write.h" */
/* #include "../base/base.h" */
/* #include "../base/file_copy.h" */
/* #include "../dataset/dataset.h" */

/* ---- the directory ---- */

/* True if c is in the set after a '[', such as "a-z]" or "!0-9]"; *p moves after its ']'. A set
   without an end is not a set. */
static bool taco__dir_scan_in_set(const char **p, char c)
{
    const char *s = *p;
    bool outside = *s == '!' || *s == '^', found = false;
    s += outside;
    do {
        char from = *s, to = from;
        if (!*s) { return false; }
        s++;
        if (s[0] == '-' && s[1] && s[1] != ']') {
            to = s[1];
            s += 2;
        }
        found = found || (c >= from && c <= to);
    } while (*s != ']');
    *p = s + 1;
    return found != outside;
}

/* Matches a name with a shell pattern: *, ? and sets. Only the last * is ever retried, so the time
   is at most the product of both lengths. */
static bool taco__dir_scan_fits(const char *pattern, const char *name)
{
    const char *star = NULL, *at = NULL;
    while (*name) {
        const char *p = pattern + 1;
        bool one = *pattern == '['   ? taco__dir_scan_in_set(&p, *name)
                   : *pattern == '?' ? true
                                     : *pattern == *name && *pattern != '*';
        if (*pattern == '*') {
            star = ++pattern;
            at = name;
        } else if (*pattern && one) {
            pattern = p;
            name++;
        } else if (star) {
            pattern = star;
            name = ++at;
        } else {
            return false;
        }
    }
    while (*pattern == '*') {
        pattern++;
    }
    return !*pattern;
}

/* True if one of n patterns fits. */
static bool taco__dir_scan_fits_any(const char *const *patterns, size_t n, const char *name)
{
    size_t i;
    for (i = 0; i < n && !taco__dir_scan_fits(patterns[i], name); i++) {}
    return i < n;
}

/* True if a file is included. Hidden and excluded names have been removed before. */
static bool taco__dir_scan_is_included(const taco__from_dir *g, const taco__dir_scan_entry *e)
{
    const taco_directory_options *how = g->how;
    return e->folder || !how->include_count ||
           taco__dir_scan_fits_any(how->include, how->include_count, e->name);
}

/* Adds a listed entry, unless it is hidden or excluded; callback of taco__plat_list_dir. e->row is
   temporarily 1 if the kind is unknown. */
static bool taco__dir_scan_add(void *ctx, const char *name, taco__path_kind kind)
{
    taco__dir_scan_list *l = (taco__dir_scan_list *)ctx;
    taco__dir_scan_entry *e;
    const taco_directory_options *how = l->g->how;
    if ((name[0] == '.' && !how->hidden) ||
        taco__dir_scan_fits_any(how->exclude, how->exclude_count, name)) {
        return true;
    }
    if (l->count == l->cap) {
        size_t cap = l->cap ? l->cap * 2 : 16;
        taco__dir_scan_entry *grown = (taco__dir_scan_entry *)taco__mem_resize(
            &l->g->mem, l->entries, l->cap * sizeof *grown, cap * sizeof *grown, l->g->err);
        if (!grown) { return false; }
        l->entries = grown;
        l->cap = cap;
    }
    e = &l->entries[l->count++];
    memset(e, 0, sizeof *e);
    e->near = UINT32_MAX;
    e->name = taco__arena_text(&l->g->arena, taco__bytes_text(name), l->g->err);
    e->folder = kind == TACO__PATH_DIRECTORY;
    e->listed = kind == TACO__PATH_FILE;
    e->row = kind == TACO__PATH_MISSING; /* temporary: the kind is unknown */
    return e->name != NULL;
}

/* Order by row; entries without one come last, by name. */
TACO__FN int taco__dir_scan_compare(const void *ctx, const void *a, const void *b)
{
    const taco__dir_scan_entry *x = (const taco__dir_scan_entry *)a,
                               *y = (const taco__dir_scan_entry *)b;
    (void)ctx;
    return x->row != y->row ? (x->row < y->row ? -1 : 1) : strcmp(x->name, y->name);
}

/* Sorts the entries. Many file systems list a directory in the order of creation, or in reverse:
   both take one pass. */
static bool taco__dir_scan_sort(taco__dir_scan_list *l)
{
    taco__dir_scan_entry *e = l->entries;
    size_t n = l->count, up = 1, down = 1, i;
    while (up < n && taco__dir_scan_compare(NULL, &e[up - 1], &e[up]) < 0) {
        up++;
    }
    while (up == 1 && down < n && taco__dir_scan_compare(NULL, &e[down - 1], &e[down]) > 0) {
        down++;
    }
    if (n > 1 && down == n) {
        for (i = 0; i < n / 2; i++) {
            taco__dir_scan_entry x = e[i];
            e[i] = e[n - 1 - i];
            e[n - 1 - i] = x;
        }
    } else if (up < n) {
        return taco__sort_in(l->g->arena.mem, e, n, sizeof *e, taco__dir_scan_compare, NULL,
                             l->g->err);
    }
    return true;
}

/* Appends a name to the directory of length dir, NUL-terminated. NULL if out of memory. */
TACO__FN const char *taco__dir_scan_path(taco__from_dir *g, size_t dir, const char *name)
{
    g->path.len = dir;
    return taco__buf_append(&g->path, name, strlen(name) + 1, g->err) ? (const char *)g->path.data
                                                                      : NULL;
}

/* Enters a directory: returns the length of its path with '/'; 0 on failure. */
TACO__FN size_t taco__dir_scan_enter(taco__from_dir *g, size_t dir, const char *name)
{
    if (!taco__dir_scan_path(g, dir, name)) { return 0; }
    g->path.data[g->path.len - 1] = '/';
    return g->path.len;
}

/* Frees a list; safe on a freed one. */
TACO__FN void taco__dir_scan_free(taco__dir_scan_list *l)
{
    taco__mem_free(&l->g->mem, l->entries, l->cap * sizeof *l->entries);
    l->entries = NULL;
    l->count = l->cap = 0;
    if (l->open) {
        taco__dir_close(&l->dir);
        l->open = false;
    }
}

/* Reports why the directory in the first dir bytes of g->path, which end in a NUL, cannot be
   listed: the system's reason, or that it is a file or missing. */
static TACO__COLD void taco__dir_scan_fail(taco__from_dir *g, size_t dir)
{
    const char *cause = taco__plat_cause(taco__plat_reason());
    char *path = (char *)g->path.data;
    taco_bytes name = taco__bytes_of(g->path.data, dir);
    uint64_t size;
    taco__path_kind kind = *cause ? TACO__PATH_DIRECTORY : taco__plat_stat(path, &size);
    if (kind == TACO__PATH_MISSING && dir > 1) { /* "file/" is not found if "file" is a file */
        path[--name.len] = 0;
        kind = taco__plat_stat(path, &size);
    }
    TACO__FAIL(g->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "%s: %q%s",
               kind == TACO__PATH_DIRECTORY ? "the directory cannot be read"
               : kind == TACO__PATH_MISSING ? "no such directory"
                                            : "not a directory",
               &name, cause);
}

/* Reads the directory in the first dir bytes of the path (with a '/' at their end), in order. */
TACO__FN bool taco__dir_scan_read(taco__from_dir *g, size_t dir, taco__dir_scan_list *l)
{
    size_t i, kept = 0;
    uint64_t size = 0;
    memset(l, 0, sizeof *l);
    l->g = g;
    g->path.len = dir;
    if (!taco__buf_append_char(&g->path, 0, g->err)) { return false; }
    if (!taco__plat_list_dir((const char *)g->path.data, taco__dir_scan_add, l)) {
        taco__dir_scan_fail(g, dir);
        taco__dir_scan_free(l);
        return false;
    }
    l->open = !g->options.open_file && taco__dir_open(&l->dir, (const char *)g->path.data);
    for (i = 0; i < l->count; i++) {
        taco__dir_scan_entry *e = &l->entries[i];
        const char *path;
        if (!e->row && !taco__dir_scan_is_included(g, e)) { continue; }
        if (!e->row && !g->table_count && !g->sizes) {
            e->row = TACO__SAMPLE_ROWS_NONE;
            l->entries[kept++] = *e;
            continue;
        }
        path = taco__dir_scan_path(g, dir, e->name);
        if (!path) {
            taco__dir_scan_free(l);
            return false;
        }
        if (e->row || (g->sizes && !e->folder)) {
            e->folder = taco__plat_stat(path, &size) == TACO__PATH_DIRECTORY;
            e->size = e->folder ? 0 : size;
            if (!taco__dir_scan_is_included(g, e)) { continue; }
        }
        e->row = taco__sample_rows_find(
            g, taco__bytes_of(g->path.data + g->root, g->path.len - 1 - g->root));
        if (e->row != TACO__SAMPLE_ROWS_NONE &&
            !taco__sample_rows_meet(g, e->row, e->folder, g->err)) {
            taco__dir_scan_free(l);
            return false;
        }
        l->entries[kept++] = *e;
    }
    l->count = kept;
    if (!taco__dir_scan_sort(l)) {
        taco__dir_scan_free(l);
        return false;
    }
    return true;
}

/* Adds the bytes of everything below an entry to e->size. */
TACO__FN bool taco__dir_scan_sum_sizes(taco__from_dir *g, size_t dir, taco__dir_scan_entry *e,
                                       unsigned depth)
{
    taco__dir_scan_list l;
    size_t i, below;
    bool ok = true;
    if (!e->folder || depth >= TACO__MAX_LEVELS) { /* too deep: reported when it is written */
        return true;
    }
    below = taco__dir_scan_enter(g, dir, e->name);
    if (!below || !taco__dir_scan_read(g, below, &l)) { return false; }
    for (i = 0; ok && i < l.count; i++) {
        ok = taco__dir_scan_sum_sizes(g, below, &l.entries[i], depth + 1);
        e->size += l.entries[i].size;
    }
    taco__dir_scan_free(&l);
    return ok;
}

/* NOT_FOUND for a row without an entry. Entries of level 0 have been seen; deeper ones are looked
   up. */
TACO__FN bool taco__dir_scan_check_rows(taco__from_dir *g)
{
    size_t i, row;
    for (i = 0; i < g->table_count; i++) {
        for (row = 0; row < g->tables[i].rows->length; row++) {
            taco_bytes id = taco__sample_rows_id(&g->tables[i], row);
            uint64_t size;
            if (g->tables[i].seen[row]) { continue; }
            g->path.len = g->root;
            if (!taco__buf_append(&g->path, id.data, id.len, g->err) ||
                !taco__buf_append_char(&g->path, 0, g->err)) {
                return false;
            }
            if (taco__plat_stat((const char *)g->path.data, &size) == TACO__PATH_MISSING) {
                TACO__FAIL(g->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                           "%s: row %u: there is no %q in the source", g->how->tables[i],
                           TACO__U(row + 1), &id);
                return false;
            }
        }
    }
    return true;
}
/* ==== src/write/directory_values.c ==== */
/* directory_values.c - values of a sample: from its row, its TIFF header, its position

   In: an entry of a directory and its row in the tables; out: its columns set through the public
   writer: those of the row, stac: columns and taco:header from a TIFF (src/tiff), majortom:code
   and spatialgroup:code from its point. TACO 2.0 §8.

   A column is computed only if no table has it. For a TIFF whose position is unknown the columns
   are null, with a warning; a TIFF that is not a TACOTIFF is an error if taco:header is
   requested. */
/* #include "write.h" */
/* #include "../base/base.h" */
/* #include "../geo/geo.h" */
/* #include "../dataset/dataset.h" */
/* #include "../tiff/tiff.h" */

/* ---- TIFFs ---- */

/* True for files named *.tif or *.tiff, in lower or upper case. */
static bool taco__dir_values_is_tiff(const taco__dir_scan_entry *e)
{
    return !e->folder && (taco__sample_table_has_suffix(e->name, ".tif") ||
                          taco__sample_table_has_suffix(e->name, ".tiff") ||
                          taco__sample_table_has_suffix(e->name, ".TIF") ||
                          taco__sample_table_has_suffix(e->name, ".TIFF"));
}

/* Finds which levels have TIFFs, and FOLDERs with TIFFs below them, from the first sample, since
   all are alike (PIT-1). */
TACO__FN bool taco__dir_values_find_tiffs(taco__from_dir *g, size_t dir,
                                          const taco__dir_scan_entry *e, uint32_t level)
{
    taco__dir_scan_list l;
    size_t i, below;
    bool ok = true;
    g->tiff[level] = g->tiff[level] || taco__dir_values_is_tiff(e);
    if (!e->folder || level + 1 >= TACO__MAX_LEVELS) { return true; }
    below = taco__dir_scan_enter(g, dir, e->name);
    if (!below || !taco__dir_scan_read(g, below, &l)) { return false; }
    for (i = 0; ok && i < l.count; i++) {
        ok = taco__dir_values_find_tiffs(g, below, &l.entries[i], level + 1);
    }
    g->places[level] = g->how->tiff && (g->tiff[level + 1] || g->places[level + 1]);
    taco__dir_scan_free(&l);
    return ok;
}

/* Opens the header of a TIFF; NULL on failure. */
static taco_tiff *taco__dir_values_open_tiff(taco__from_dir *g, const char *path, taco_error *err)
{
    taco_source src;
    taco_tiff *t = NULL;
    if (taco__source_open_path(&g->options, path, &src, err)) {
        t = taco_tiff_open(&src, path, &g->options, err);
        if (src.close) { src.close(src.ctx); }
    }
    return t;
}

/* Warns of a value that stays null, and why. */
static void taco__dir_values_warn(const taco__from_dir *g, const taco_error *why)
{
    if (g->options.warn && why->code != TACO_OK) { g->options.warn(g->options.warn_ctx, why); }
}

/* Sets the computed columns of a place: of `s` if `placed`, else null except for its shape, which
   may be NULL. *why is the reason for a centroid that stays null. */
TACO__FN void taco__dir_values_set_place(taco__from_dir *g, uint32_t level, const taco_stac *s,
                                         bool placed, taco_error *why)
{
    const bool *has = g->computed[level];
    const char *const *names = taco__from_dir_column_names;
    double xy[2];
    uint8_t point[TACO__WKB_POINT_BYTES];
    const bool centre = placed && taco_stac_centroid(s, xy, why) == TACO_OK;
    if (has[TACO__FROM_DIR_CRS]) {
        taco_writer_set_text(g->w, names[TACO__FROM_DIR_CRS], placed ? s->crs : NULL);
    }
    if (has[TACO__FROM_DIR_SHAPE]) {
        s->shape ? taco_writer_set_ints(g->w, names[TACO__FROM_DIR_SHAPE], s->shape, s->dimensions)
                 : taco_writer_set_null(g->w, names[TACO__FROM_DIR_SHAPE]);
    }
    if (has[TACO__FROM_DIR_TRANSFORM]) {
        placed ? taco_writer_set_doubles(g->w, names[TACO__FROM_DIR_TRANSFORM], s->geotransform, 6)
               : taco_writer_set_null(g->w, names[TACO__FROM_DIR_TRANSFORM]);
    }
    if (has[TACO__FROM_DIR_CENTROID]) {
        if (centre) { taco__extension_write_wkb_point(xy, point); }
        centre ? taco_writer_set_bytes(g->w, names[TACO__FROM_DIR_CENTROID], point, sizeof point)
               : taco_writer_set_null(g->w, names[TACO__FROM_DIR_CENTROID]);
    }
}

/* Sets the computed columns of one sample; all null if it is not a TIFF (path NULL). Its place goes
   into *place, if that is not NULL. */
static bool taco__dir_values_set_tiff(taco__from_dir *g, uint32_t level, const char *path,
                                      taco__dir_place *place)
{
    const bool *has = g->computed[level];
    taco_tiff *t = path ? taco__dir_values_open_tiff(g, path, g->err) : NULL;
    taco_stac s;
    taco_error why = {0, TACO_OK, 0, {0}};
    bool placed = t && taco_stac_tiff(t, &s, &why) == TACO_OK;
    taco_bytes header = {NULL, 0};
    if (path && !t) { return false; }
    if (!placed) {
        memset(&s, 0, sizeof s);
        s.shape = t ? taco_tiff_get(t)->shape : NULL;
        s.dimensions = 3;
    }
    s.lonlat = g->how->lonlat;
    s.lonlat_ctx = g->how->lonlat_ctx;
    if (placed && place) { taco__dir_place_of_tiff(place, &s); }
    taco__dir_values_set_place(g, level, &s, placed, &why);
    if (path && has[TACO__FROM_DIR_CRS]) { taco__dir_values_warn(g, &why); }
    if (has[TACO__FROM_DIR_HEADER]) {
        header = t ? taco_tacotiff_header(t, g->err) : header;
        header.data
            ? taco_writer_set_bytes(g->w, taco__from_dir_column_names[TACO__FROM_DIR_HEADER],
                                    header.data, header.len)
            : taco_writer_set_null(g->w, taco__from_dir_column_names[TACO__FROM_DIR_HEADER]);
    }
    taco_tiff_close(t);
    return g->err->code == TACO_OK;
}

/* ---- statistics of pixels ---- */

/* A number in the sample's row, if the table has such a column. */
static bool taco__dir_values_number(const taco__from_dir *g, uint32_t level,
                                    const taco__dir_scan_entry *e, const char *name, double *out)
{
    size_t table = 0;
    const taco_array *a = taco__sample_rows_column(g, level, name, &table);
    const size_t row = (size_t)(e->row & UINT32_MAX);
    if (!a || e->row == TACO__SAMPLE_ROWS_NONE || e->row >> 32 != table ||
        !taco__cursor_column_is_number(a->field) || !taco_array_valid(a, row)) {
        return false;
    }
    *out = taco_array_double(a, row);
    return true;
}

/* Sets geotiff:stats of a sample; path is NULL if it is not a TIFF. */
static bool taco__dir_values_set_stats(taco__from_dir *g, uint32_t level,
                                       const taco__dir_scan_entry *e, const char *path)
{
    taco_pixels pixels;
    taco_error why = {0, TACO_OK, 0, {0}};
    taco_status st;
    memset(&pixels, 0, sizeof pixels);
    if (!path || !g->how->pixels(g->how->pixels_ctx, path, &pixels, &why)) {
        taco__dir_values_warn(g, &why);
        taco_writer_set_null(g->w, "geotiff:stats");
        return true;
    }
    if (g->how->class_count) {
        pixels.classes = g->how->classes;
        pixels.class_count = g->how->class_count;
    }
    if (!taco__dir_values_number(g, level, e, "scaling:scale_factor", &pixels.scale) ||
        !taco__dir_values_number(g, level, e, "scaling:scale_offset", &pixels.offset)) {
        pixels.scale = pixels.offset = 0;
    }
    st = taco_writer_set_stats(g->w, &pixels, g->err);
    if (g->how->pixels_done) { g->how->pixels_done(g->how->pixels_ctx, &pixels); }
    if (st != TACO_OK) { taco__error_prefix(g->err, "%s", path); }
    return st == TACO_OK;
}

/* ---- places of the samples of level 0 ---- */

/* Parses a WKB point; false for other geometries. */
static bool taco__dir_values_parse_wkb_point(taco_bytes wkb, double out[2])
{
    double box[4];
    bool empty = true;
    if (!wkb.len || taco__wkb_bounds(wkb, box, &empty, NULL) != TACO_OK || empty ||
        box[0] < box[2] || box[1] < box[3]) {
        return false; /* not a point */
    }
    out[0] = box[0];
    out[1] = box[1];
    return true;
}

/* The place of an entry by its TIFF header, or by those below it. */
static bool taco__dir_values_read_place(taco__from_dir *g, size_t dir,
                                        const taco__dir_scan_entry *e, uint32_t level,
                                        taco__dir_place *place)
{
    taco__dir_scan_list l;
    taco__dir_place child;
    size_t i, below;
    bool ok = true;
    memset(place, 0, sizeof *place);
    if (!e->folder) {
        const char *path = taco__dir_scan_path(g, dir, e->name);
        taco_tiff *t;
        taco_stac s;
        if (!path || !taco__dir_values_is_tiff(e)) { return path != NULL; }
        t = taco__dir_values_open_tiff(g, path, g->err);
        if (t && taco_stac_tiff(t, &s, NULL) == TACO_OK) { taco__dir_place_of_tiff(place, &s); }
        taco_tiff_close(t);
        return t != NULL;
    }
    if (!g->places[level] || level + 1 >= TACO__MAX_LEVELS) { return true; }
    below = taco__dir_scan_enter(g, dir, e->name);
    if (!below || !taco__dir_scan_read(g, below, &l)) { return false; }
    for (i = 0; ok && i < l.count; i++) {
        ok = taco__dir_values_read_place(g, below, &l.entries[i], level + 1, &child);
        if (ok) { taco__dir_place_add(place, &child, l.entries[i].name); }
    }
    taco__dir_scan_free(&l);
    return ok;
}

/* Finds the points of the samples of level 0: from stac:centroid of the tables, else
   istac:centroid, else from the TIFFs if these are read. NOT_FOUND if there is none. */
TACO__FN bool taco__dir_values_find_points(taco__from_dir *g, taco__dir_scan_list *l)
{
    size_t i, table = 0;
    const taco_array *a = taco__sample_rows_column(g, 0, "stac:centroid", &table);
    bool any = false;
    a = a ? a : taco__sample_rows_column(g, 0, "istac:centroid", &table);
    for (i = 0; i < l->count; i++) {
        taco__dir_scan_entry *e = &l->entries[i];
        if (a) {
            e->has_point = e->row != TACO__SAMPLE_ROWS_NONE && e->row >> 32 == table &&
                           taco__dir_values_parse_wkb_point(
                               taco_array_bytes(a, (size_t)(e->row & UINT32_MAX)), e->point);
        } else if (taco__derived_point(g, 0, e, e->point)) {
            e->has_point = true;
        } else if (g->how->tiff) {
            taco__dir_place place;
            taco_stac s;
            if (!taco__dir_values_read_place(g, g->root, e, 0, &place)) { return false; }
            e->has_point = taco__dir_place_stac(g, &place, &s) &&
                           taco_stac_centroid(&s, e->point, NULL) == TACO_OK;
        }
        any = any || e->has_point;
    }
    if (!any) {
        TACO__FAIL(g->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                   "no sample of level 0 has a point in stac:centroid or istac:centroid");
    }
    return any;
}

/* Assigns every sample its group of neighbours. */
TACO__FN bool taco__dir_values_group_neighbours(taco__from_dir *g, taco__dir_scan_list *l)
{
    size_t n = l->count, i;
    double *points = (double *)taco__arena_array(&g->arena, 2 * n, sizeof *points, g->err);
    uint64_t *sizes = (uint64_t *)taco__arena_array(&g->arena, n, sizeof *sizes, g->err);
    uint32_t *groups = (uint32_t *)taco__arena_array(&g->arena, n, sizeof *groups, g->err);
    bool ok = points && sizes && groups;
    for (i = 0; ok && i < n; i++) {
        const taco__dir_scan_entry *e = &l->entries[i];
        points[2 * i] =
            e->has_point ? e->point[0] : taco__f64_from_bits(UINT64_C(0x7FF8000000000000));
        points[2 * i + 1] = e->point[1];
        sizes[i] = e->size;
    }
    ok = ok && taco_spatial_groups(points, sizes, n, g->how->near_count, g->how->near_size, groups,
                                   g->err) == TACO_OK;
    for (i = 0; ok && i < n; i++) {
        l->entries[i].near = groups[i];
    }
    return ok;
}

/* True if a column or a group is computed from points. */
TACO__FN bool taco__dir_values_needs_points(const taco__from_dir *g)
{
    return g->how->near_count || g->how->near_size || g->how->grid_km > 0;
}

/* The code of a group of neighbours, in the form of the reference: "sg0007". */
TACO__FN const char *taco__dir_values_group_code(uint32_t group, char out[16])
{
    char *p = out;
    memcpy(p, "sg", 2);
    p = taco__spatial_write_digits(p + 2, group);
    *p = 0;
    return out;
}

/* The grid cell of a sample with a point. */
TACO__FN bool taco__dir_values_grid_code(taco__from_dir *g, const taco__dir_scan_entry *e,
                                         char out[TACO__DIR_VALUES_CODE])
{
    taco_majortom_grid grid = g->how->grid;
    grid.km = g->how->grid_km;
    return taco_majortom_code(&grid, e->point[0], e->point[1], out, TACO__DIR_VALUES_CODE,
                              g->err) == TACO_OK;
}

/* Sets the columns computed from the point of a sample of level 0. */
static bool taco__dir_values_set_places(taco__from_dir *g, const taco__dir_scan_entry *e)
{
    char code[TACO__DIR_VALUES_CODE], near[16];
    if (g->how->grid_km > 0) {
        if (e->has_point && !taco__dir_values_grid_code(g, e, code)) { return false; }
        taco_writer_set_text(g->w, "majortom:code", e->has_point ? code : NULL);
    }
    if (g->how->near_count || g->how->near_size) {
        taco_writer_set_text(g->w, "spatialgroup:code",
                             e->near == UINT32_MAX ? NULL
                                                   : taco__dir_values_group_code(e->near, near));
    }
    return true;
}

/* Sets all values of the sample begun last: those of its row, and computed ones, except for the
   place of a FOLDER, which is known when it ends. What its parent may need goes into *place. */
TACO__FN bool taco__dir_values_set(taco__from_dir *g, uint32_t level, size_t dir,
                                   const taco__dir_scan_entry *e, taco__dir_place *place)
{
    size_t k;
    if (e->row != TACO__SAMPLE_ROWS_NONE) {
        const taco__sample_rows_table *t = &g->tables[e->row >> 32];
        for (k = 0; k < t->count; k++) {
            if (t->used[level][k]) {
                taco_writer_set_array(g->w, t->fields[k].name, &t->rows->columns[k],
                                      (size_t)(e->row & UINT32_MAX));
            }
        }
    }
    if (g->tiff[level]) {
        const bool tiff = taco__dir_values_is_tiff(e), later = e->folder && g->places[level];
        const char *path = tiff ? taco__dir_scan_path(g, dir, e->name) : NULL;
        if ((tiff && !path) ||
            (!later && (g->how->tiff || g->how->tacotiff) &&
             !taco__dir_values_set_tiff(g, level, path, place)) ||
            (g->stats[level] && !taco__dir_values_set_stats(g, level, e, path))) {
            return false;
        }
        if (tiff) { taco__dir_place_of_row(g, level, e, place); }
    }
    taco__derived_set(g, level, e);
    return level != 0 || taco__dir_values_set_places(g, e);
}
/* ==== src/write/directory_places.c ==== */
/* directory_places.c - grid and times of a FOLDER, from the TIFFs below it

   In: places of its children (taco__dir_place), one after the other; out: stac:crs, tensor_shape,
   geotransform, centroid and stac:time_* of the FOLDER, as far as the children agree. TACO 2.0 §8,
   STAC.

   Children that are not TIFFs, or have no place, do not count. Those with one agree if they have
   the same CRS and their corners are the same to half a pixel of the coarser; the grid is then that
   of the finest, and the shape rows and columns, as bands are those of a file. Times are copied
   from a table about the children. A level whose table says where its FOLDERs are keeps that
   (taco__dir_place_find). Samples whose children disagree are null there; one warning names the
   first of them and counts the others. */
/* #include "write.h" */
/* #include "../arrow/arrow.h" */
/* #include "../base/base.h" */

static const char *const taco__dir_place_times[TACO__DIR_PLACE_TIMES] = {"stac:time_start",
                                                                         "stac:time_end"};

#define TACO__DIR_PLACE_MIDDLE "stac:time_middle"

/* ---- before anything is written ---- */

/* True if a table says where the samples of a level are. */
static bool taco__dir_place_is_given(const taco__from_dir *g, uint32_t level)
{
    static const char *const names[] = {"stac:crs",      "stac:tensor_shape", "stac:geotransform",
                                        "stac:centroid", "istac:geometry",    "istac:centroid"};
    size_t i, table;
    for (i = 0; i < TACO__COUNT(names) && !taco__sample_rows_column(g, level, names[i], &table);
         i++) {}
    return i < TACO__COUNT(names);
}

/* True if the middle of the times is computed for the FOLDERs of a level. */
static bool taco__dir_place_has_middle(const taco__from_dir *g, uint32_t level)
{
    const taco_field *const *t = g->times[level];
    size_t table;
    return !g->how->no_derived && t[0] && t[1] && t[0]->unit == t[1]->unit &&
           !taco__sample_rows_column(g, level, TACO__DIR_PLACE_MIDDLE, &table);
}

/* Decides which columns FOLDERs get, the deepest level first. */
TACO__FN void taco__dir_place_find(taco__from_dir *g)
{
    uint32_t level = TACO__MAX_LEVELS - 1;
    size_t i, k, table;
    while (level-- > 0) {
        if (!g->places[level]) { continue; }
        for (i = 0; i < TACO__FROM_DIR_HEADER && !taco__dir_place_is_given(g, level); i++) {
            g->computed[level][i] = true;
        }
        for (k = 0; k < TACO__DIR_PLACE_TIMES; k++) {
            const char *name = taco__dir_place_times[k];
            const taco_array *below = taco__sample_rows_column(g, level + 1, name, &table);
            if (taco__sample_rows_column(g, level, name, &table)) { continue; }
            g->times[level][k] = !below                                 ? g->times[level + 1][k]
                                 : below->field->type == TACO_TIMESTAMP ? below->field
                                                                        : NULL;
        }
    }
}

/* Declares the times of a level; its grid is among the columns computed for TIFFs. */
TACO__FN void taco__dir_place_declare(taco__from_dir *g, uint32_t level)
{
    taco_field f;
    size_t k;
    for (k = 0; k < TACO__DIR_PLACE_TIMES; k++) {
        if (g->times[level][k]) { taco_writer_field(g->w, level, g->times[level][k]); }
    }
    if (taco__dir_place_has_middle(g, level)) {
        f = *g->times[level][0];
        f.name = TACO__DIR_PLACE_MIDDLE;
        taco_writer_field(g->w, level, &f);
    }
}

/* ---- children ---- */

/* The place of a TIFF, which has one. */
TACO__FN void taco__dir_place_of_tiff(taco__dir_place *p, const taco_stac *s)
{
    const size_t n = strlen(s->crs);
    if (n >= sizeof p->crs) { return; }
    memcpy(p->crs, s->crs, n + 1);
    memcpy(p->transform, s->geotransform, sizeof p->transform);
    memcpy(p->shape, s->shape + s->dimensions - 2, sizeof p->shape);
}

/* The times of a child, from its row. */
TACO__FN void taco__dir_place_of_row(const taco__from_dir *g, uint32_t level,
                                     const taco__dir_scan_entry *e, taco__dir_place *p)
{
    size_t k, table = 0;
    const size_t row = (size_t)(e->row & UINT32_MAX);
    for (k = 0; e->row != TACO__SAMPLE_ROWS_NONE && k < TACO__DIR_PLACE_TIMES; k++) {
        const taco_array *a = taco__sample_rows_column(g, level, taco__dir_place_times[k], &table);
        if (a && a->field->type == TACO_TIMESTAMP && e->row >> 32 == table &&
            taco_array_valid(a, row)) {
            p->time[k] = taco_array_int(a, row);
            p->timed[k] = e->name;
            p->times_differ[k] = false;
        }
    }
}

/* A corner of a grid: where `column` and `row`, 0 or 1, are its sides. */
static void taco__dir_place_corner(const taco__dir_place *p, int column, int row, double out[2])
{
    const double c = column ? (double)p->shape[1] : 0, r = row ? (double)p->shape[0] : 0;
    const double *t = p->transform;
    out[0] = t[0] + c * t[1] + r * t[2];
    out[1] = t[3] + c * t[4] + r * t[5];
}

static double taco__dir_place_size(double x)
{
    return x < 0 ? -x : x;
}

/* Width and height of the box around a pixel, the larger one. */
static double taco__dir_place_pixel(const taco__dir_place *p)
{
    const double *t = p->transform;
    double x = taco__dir_place_size(t[1]) + taco__dir_place_size(t[2]),
           y = taco__dir_place_size(t[4]) + taco__dir_place_size(t[5]);
    return x > y ? x : y;
}

/* True if two grids have one CRS and cover one area, to half a pixel of the coarser. */
static bool taco__dir_place_same(const taco__dir_place *a, const taco__dir_place *b)
{
    const double x = taco__dir_place_pixel(a), y = taco__dir_place_pixel(b);
    const double most = (x > y ? x : y) * 0.5000001;
    double p[2], q[2];
    int i;
    for (i = 0; i < 3; i++) { /* three corners fix a grid */
        taco__dir_place_corner(a, i != 0, i == 2, p);
        taco__dir_place_corner(b, i != 0, i == 2, q);
        if (!(taco__dir_place_size(p[0] - q[0]) <= most &&
              taco__dir_place_size(p[1] - q[1]) <= most)) {
            return false;
        }
    }
    return strcmp(a->crs, b->crs) == 0;
}

/* Adds the grid of a child. */
static void taco__dir_place_add_grid(taco__dir_place *p, const taco__dir_place *child,
                                     const char *name)
{
    p->differs = p->differs || child->differs;
    if (!child->crs[0] || p->differs) { return; }
    if (!p->crs[0]) {
        memcpy(p->crs, child->crs, sizeof p->crs);
        memcpy(p->transform, child->transform, sizeof p->transform);
        memcpy(p->shape, child->shape, sizeof p->shape);
        p->name = name;
        return;
    }
    if (!taco__dir_place_same(p, child)) {
        p->differs = true;
        p->other = name;
        memcpy(p->other_crs, child->crs, sizeof p->other_crs);
        return;
    }
    if (child->shape[0] > p->shape[0]) { /* finer */
        memcpy(p->transform, child->transform, sizeof p->transform);
        memcpy(p->shape, child->shape, sizeof p->shape);
    }
}

/* Adds what a child says about the FOLDER it is in. */
TACO__FN void taco__dir_place_add(taco__dir_place *p, const taco__dir_place *child,
                                  const char *name)
{
    size_t k;
    taco__dir_place_add_grid(p, child, name);
    for (k = 0; k < TACO__DIR_PLACE_TIMES; k++) {
        p->times_differ[k] = p->times_differ[k] || child->times_differ[k];
        if (!child->timed[k] || p->times_differ[k]) { continue; }
        if (!p->timed[k]) {
            p->timed[k] = name;
            p->time[k] = child->time[k];
        } else if (p->time[k] != child->time[k]) {
            p->times_differ[k] = true;
            p->other_time[k] = name;
        }
    }
}

/* ---- the FOLDER ---- */

/* The place as a raster, which points into p; false if there is none. */
TACO__FN bool taco__dir_place_stac(const taco__from_dir *g, const taco__dir_place *p,
                                   taco_stac *out)
{
    memset(out, 0, sizeof *out);
    out->lonlat = g->how->lonlat;
    out->lonlat_ctx = g->how->lonlat_ctx;
    if (!p->crs[0] || p->differs) { return false; }
    out->crs = p->crs;
    out->shape = p->shape;
    out->dimensions = 2;
    memcpy(out->geotransform, p->transform, sizeof out->geotransform);
    return true;
}

/* Describes the first sample whose children disagree, and counts the others. */
static bool taco__dir_place_doubt_add(taco__from_dir *g, size_t dir, const taco__dir_scan_entry *e,
                                      const taco__dir_place *p, size_t kind)
{
    taco__dir_place_doubt *d = &g->doubts[kind];
    const char *path;
    if (d->count++) { return true; }
    path = taco__dir_scan_path(g, dir, e->name);
    d->first = path ? (taco_error *)taco__arena_alloc(&g->arena, sizeof *d->first, g->err) : NULL;
    if (!d->first) { return false; }
    path += g->root;
    if (kind) {
        TACO__FAIL(d->first, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                   "sample '%s' has no %s: those of '%s' and '%s' differ", path,
                   taco__dir_place_times[kind - 1], p->timed[kind - 1], p->other_time[kind - 1]);
    } else if (strcmp(p->crs, p->other_crs) != 0) {
        TACO__FAIL(d->first, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                   "sample '%s' has no place: '%s' is in %s, '%s' in %s", path, p->name, p->crs,
                   p->other, p->other_crs);
    } else {
        TACO__FAIL(d->first, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                   "sample '%s' has no place: '%s' and '%s' cover different areas", path, p->name,
                   p->other);
    }
    return true;
}

/* Sets the times of the FOLDER that has just ended. */
static void taco__dir_place_set_times(taco__from_dir *g, uint32_t level, const taco__dir_place *p)
{
    bool has[TACO__DIR_PLACE_TIMES];
    size_t k;
    for (k = 0; k < TACO__DIR_PLACE_TIMES; k++) {
        has[k] = p->timed[k] && !p->times_differ[k];
        if (!g->times[level][k]) { continue; }
        has[k] ? taco_writer_set_int(g->w, taco__dir_place_times[k], p->time[k])
               : taco_writer_set_null(g->w, taco__dir_place_times[k]);
    }
    if (taco__dir_place_has_middle(g, level)) {
        has[0] && has[1] ? taco_writer_set_int(g->w, TACO__DIR_PLACE_MIDDLE,
                                               taco__extension_middle(p->time[0], p->time[1]))
                         : taco_writer_set_null(g->w, TACO__DIR_PLACE_MIDDLE);
    }
}

/* Sets grid and times of the FOLDER that has just ended. */
TACO__FN bool taco__dir_place_set(taco__from_dir *g, uint32_t level, size_t dir,
                                  const taco__dir_scan_entry *e, const taco__dir_place *p)
{
    taco_stac s;
    size_t k;
    bool ok = true;
    const bool placed = taco__dir_place_stac(g, p, &s);
    taco__dir_values_set_place(g, level, &s, placed, NULL);
    if (g->computed[level][TACO__FROM_DIR_HEADER]) {
        taco_writer_set_null(g->w, taco__from_dir_column_names[TACO__FROM_DIR_HEADER]);
    }
    taco__dir_place_set_times(g, level, p);
    if (p->other && g->computed[level][TACO__FROM_DIR_CRS]) {
        ok = taco__dir_place_doubt_add(g, dir, e, p, 0);
    }
    for (k = 0; k < TACO__DIR_PLACE_TIMES; k++) {
        if (p->other_time[k] && g->times[level][k]) {
            ok = ok && taco__dir_place_doubt_add(g, dir, e, p, k + 1);
        }
    }
    return ok && g->err->code == TACO_OK;
}

/* Warns of samples whose children disagree. */
TACO__FN void taco__dir_place_warn(const taco__from_dir *g)
{
    size_t k;
    for (k = 0; g->options.warn && k < TACO__COUNT(g->doubts); k++) {
        const taco__dir_place_doubt *d = &g->doubts[k];
        taco_error all = {0, TACO_OK, 0, {0}};
        if (d->count == 0) { continue; }
        if (d->count == 1) {
            all = *d->first;
        } else {
            TACO__FAIL(&all, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET, "%s; likewise %u more",
                       d->first->text, TACO__U(d->count - 1));
        }
        g->options.warn(g->options.warn_ctx, &all);
    }
}
/* ==== src/write/derived_columns.c ==== */
/* derived_columns.c - centroids and middles of times, from the columns of a table

   In: tables about samples (sample_rows.c); out: stac:centroid, istac:centroid, stac:time_middle
   and istac:time_middle for tables that have their sources but not the columns, as the reference's
   classes compute them (TACO 2.0 §8, STAC and ISTAC).

   taco__derived_find decides which columns each level has; a sample gets its values from its own
   row (taco__derived_set). Values that cannot be computed, such as a centroid in an unknown CRS,
   are null, with a warning. */
/* #include "write.h" */
/* #include "../arrow/arrow.h" */
/* #include "../base/base.h" */
/* #include "../dataset/dataset.h" */
/* #include "../geo/geo.h" */

/* What each column is computed from: a CRS and a geometry; a CRS, a geotransform and a shape; two
   times. */
static const char *const taco__derived_sources[TACO__DERIVED_COLUMNS][3] = {
    {"stac:crs", "stac:geotransform", "stac:tensor_shape"},
    {"istac:crs", "istac:geometry", NULL},
    {"stac:time_start", "stac:time_end", NULL},
    {"istac:time_start", "istac:time_end", NULL},
};

static const char *const taco__derived_names[TACO__DERIVED_COLUMNS] = {
    "stac:centroid", "istac:centroid", "stac:time_middle", "istac:time_middle"};

/* True if a source has the type needed. */
static bool taco__derived_fits(size_t column, size_t source, const taco_field *f)
{
    if (column >= TACO__DERIVED_STAC_MIDDLE) { return f->type == TACO_TIMESTAMP; }
    if (source == 0) { return f->type == TACO_TEXT; }
    if (column == TACO__DERIVED_ISTAC_CENTROID) { return f->type == TACO_BINARY; }
    return f->type == TACO_LIST && taco__cursor_column_is_number(&f->children[0]);
}

/* The column of a table on a level, NULL if it has none. */
static const taco_array *taco__derived_column(const taco__sample_rows_table *t, uint32_t level,
                                              const char *name)
{
    size_t k;
    for (k = 0; t->level[level] && k < t->count; k++) {
        if (t->used[level][k] && strcmp(t->fields[k].name, name) == 0) {
            return &t->rows->columns[k];
        }
    }
    return NULL;
}

/* The sources of a column in one table; false if it lacks one. */
static bool taco__derived_inputs(const taco__sample_rows_table *t, uint32_t level, size_t column,
                                 const taco_array *in[3])
{
    size_t i;
    for (i = 0; i < 3 && taco__derived_sources[column][i]; i++) {
        in[i] = taco__derived_column(t, level, taco__derived_sources[column][i]);
        if (!in[i] || !taco__derived_fits(column, i, in[i]->field)) { return false; }
    }
    return column < TACO__DERIVED_STAC_MIDDLE || in[0]->field->unit == in[1]->field->unit;
}

/* Decides which columns are computed: those for which a table has the sources, and which no table
   has. */
TACO__FN void taco__derived_find(taco__from_dir *g)
{
    uint32_t level;
    size_t c, i, table;
    const taco_array *in[3];
    for (level = 0; !g->how->no_derived && level < TACO__MAX_LEVELS; level++) {
        for (c = 0; c < TACO__DERIVED_COLUMNS; c++) {
            bool there =
                taco__sample_rows_column(g, level, taco__derived_names[c], &table) ||
                (c == TACO__DERIVED_STAC_CENTROID && g->computed[level][TACO__FROM_DIR_CENTROID]);
            for (i = 0; !there && i < g->table_count && !g->derived[level][c]; i++) {
                g->derived[level][c] = taco__derived_inputs(&g->tables[i], level, c, in);
            }
        }
    }
}

/* Declares the columns of a level. Middles have the type of the starts. */
TACO__FN void taco__derived_declare(taco__from_dir *g, uint32_t level)
{
    size_t c, table;
    for (c = 0; c < TACO__DERIVED_COLUMNS; c++) {
        const taco_array *start =
            g->derived[level][c] && c >= TACO__DERIVED_STAC_MIDDLE
                ? taco__sample_rows_column(g, level, taco__derived_sources[c][0], &table)
                : NULL;
        if (start) {
            taco_field f = *start->field;
            f.name = taco__derived_names[c];
            taco_writer_field(g->w, level, &f);
        } else if (g->derived[level][c]) {
            taco_writer_column(g->w, level, taco__derived_names[c], TACO_BINARY);
        }
    }
}

/* Reads up to n numbers of a list, and returns how many it has. */
static size_t taco__derived_numbers(const taco_array *a, size_t row, double *out, size_t n)
{
    size_t from, to, i;
    if (!taco_array_valid(a, row)) { return 0; }
    from = (size_t)a->offsets[row];
    to = (size_t)a->offsets[row + 1];
    for (i = 0; i < n && from + i < to; i++) {
        out[i] = taco_array_double(a->children, from + i);
    }
    return to - from;
}

/* The text of a cell, in `room` or, if it is long (WKT), in the arena; NULL for null, or if out of
   memory. */
static const char *taco__derived_text(taco__from_dir *g, const taco_array *a, size_t row,
                                      char room[64])
{
    taco_bytes text = taco_array_bytes(a, row);
    if (text.len == 0 || text.len >= 64) {
        return text.len ? taco__arena_text(&g->arena, text, g->err) : NULL;
    }
    memcpy(room, text.data, text.len);
    room[text.len] = 0;
    return room;
}

/* The centroid of a row. On failure *why is the reason, or NULL if a source is null. */
static bool taco__derived_centroid(taco__from_dir *g, size_t column, const taco_array *const in[3],
                                   size_t row, double xy[2], taco_error *why)
{
    char room[64];
    const char *crs = taco__derived_text(g, in[0], row, room);
    taco_istac irregular;
    taco_stac raster;
    int64_t shape[2];
    double sizes[8];
    size_t n;
    if (!crs) { return false; }
    if (column == TACO__DERIVED_ISTAC_CENTROID) {
        memset(&irregular, 0, sizeof irregular);
        irregular.crs = crs;
        irregular.geometry = taco_array_bytes(in[1], row);
        irregular.antimeridian = g->how->antimeridian;
        irregular.lonlat = g->how->lonlat;
        irregular.lonlat_ctx = g->how->lonlat_ctx;
        return irregular.geometry.len && taco_istac_centroid(&irregular, xy, why) == TACO_OK;
    }
    memset(&raster, 0, sizeof raster);
    n = taco__derived_numbers(in[2], row, sizes, 8);
    if (n < 2 || n > 8 || !(sizes[n - 2] >= 0 && sizes[n - 2] < 4e9) ||
        !(sizes[n - 1] >= 0 && sizes[n - 1] < 4e9) ||
        taco__derived_numbers(in[1], row, raster.geotransform, 6) != 6) {
        return false; /* null, or not allowed by the rules of the columns, which report it */
    }
    shape[0] = (int64_t)sizes[n - 2];
    shape[1] = (int64_t)sizes[n - 1];
    raster.crs = crs;
    raster.shape = shape;
    raster.dimensions = 2;
    raster.lonlat = g->how->lonlat;
    raster.lonlat_ctx = g->how->lonlat_ctx;
    return taco_stac_centroid(&raster, xy, why) == TACO_OK;
}

/* Warns of a value that stays null; `where` is the sample. */
static void taco__derived_warn(const taco__from_dir *g, const taco__dir_scan_entry *e,
                               const char *name, taco_error *why)
{
    if (g->options.warn && why->code != TACO_OK) {
        taco__error_prefix(why, "sample '%s': %s", e->name, name);
        g->options.warn(g->options.warn_ctx, why);
    }
}

/* The point of a sample, if its centroid is computed from its row. */
TACO__FN bool taco__derived_point(taco__from_dir *g, uint32_t level, const taco__dir_scan_entry *e,
                                  double xy[2])
{
    const taco_array *in[3];
    size_t c;
    if (e->row == TACO__SAMPLE_ROWS_NONE) { return false; }
    for (c = 0; c < TACO__DERIVED_STAC_MIDDLE; c++) {
        if (g->derived[level][c] && taco__derived_inputs(&g->tables[e->row >> 32], level, c, in) &&
            taco__derived_centroid(g, c, in, (size_t)(e->row & UINT32_MAX), xy, NULL)) {
            return true;
        }
    }
    return false;
}

/* Sets the columns of the sample begun last. */
TACO__FN void taco__derived_set(taco__from_dir *g, uint32_t level, const taco__dir_scan_entry *e)
{
    const size_t row = (size_t)(e->row & UINT32_MAX);
    size_t c;
    for (c = 0; e->row != TACO__SAMPLE_ROWS_NONE && c < TACO__DERIVED_COLUMNS; c++) {
        const char *name = taco__derived_names[c];
        const taco_array *in[3];
        taco_error why = {0, TACO_OK, 0, {0}};
        double xy[2];
        uint8_t point[TACO__WKB_POINT_BYTES];
        if (!g->derived[level][c]) { continue; }
        if (!taco__derived_inputs(&g->tables[e->row >> 32], level, c, in)) {
            taco_writer_set_null(g->w, name);
        } else if (c >= TACO__DERIVED_STAC_MIDDLE) {
            taco_array_valid(in[0], row) && taco_array_valid(in[1], row)
                ? taco_writer_set_int(g->w, name,
                                      taco__extension_middle(taco_array_int(in[0], row),
                                                             taco_array_int(in[1], row)))
                : taco_writer_set_null(g->w, name);
        } else if (taco__derived_centroid(g, c, in, row, xy, &why)) {
            taco__extension_write_wkb_point(xy, point);
            taco_writer_set_bytes(g->w, name, point, sizeof point);
        } else {
            taco__derived_warn(g, e, name, &why);
            taco_writer_set_null(g->w, name);
        }
    }
}
/* ==== src/write/add_columns.c ==== */
/* add_columns.c - taco_add_columns: adds columns of tables to an existing dataset

   In: a dataset and tables with the paths of its samples; out: a new dataset, the same archive with
   new metadata after its payload, or the same FOLDER with its metadata replaced. TACO 2.0 §6.

   The dataset is read as an export of everything (export.c), the tables as for directories
   (sample_rows.c); each level has the old columns that are kept, then the new ones. In place
   (taco__add_columns_write_in_place) nothing before the old end of the file changes until all new
   data is on disk: then TACO_HEADER is changed to point to it, so that a reader sees either state,
   even after a crash. The archive is locked before it is read (base/sink.h), and an incomplete
   change is undone. The central directory keeps the headers of payload entries. */
/* #include "write.h" */
/* #include "../base/base.h" */
/* #include "../base/sink.h" */
/* #include "../base/json.h" */
/* #include "../arrow/arrow.h" */
/* #include "../dataset/dataset.h" */
/* #include "../validate/validate.h" */

/* State of one call. */
typedef struct taco__add_columns {
    taco__from_dir g; /* the tables, and their rows by path */
    taco__export e;   /* the dataset: its tree, and the columns to keep */
    taco__builder *columns[TACO__MAX_LEVELS];
    size_t counts[TACO__MAX_LEVELS];
    taco__container_columns source; /* all columns */
    taco__arena arena;
    taco_array *arrays;
    uint32_t level;
    size_t at;
    taco__buf index;
    taco__buf old_headers;     /* entries of the archive's directory to keep */
    uint64_t old_count, begin; /* number of these; bytes of the archive to keep */
    bool replace;
#ifndef TACO_NO_STDIO
    taco__update update; /* in place: update of the archive */
#endif
} taco__add_columns;

/* ---- columns ---- */

/* A column that already exists: an error or, with `replace`, removed from those to keep. */
static bool taco__add_columns_replace(taco__add_columns *a, uint32_t level, const char *name,
                                      taco_error *err)
{
    taco_field *f = (taco_field *)(void *)(uintptr_t)(const void *)a->e.source.fields[level];
    size_t i, n = a->e.source.counts[level];
    taco_bytes text = taco__bytes_text(name);
    for (i = 0; i < n && strcmp(f[i].name, name) != 0; i++) {}
    if (i == n) { return true; }
    if (!a->replace) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "level %u has a column %q already, and replacing is not asked for",
                   TACO__U(level), &text);
        return false;
    }
    memmove(f + i, f + i + 1, (n - i - 1) * sizeof *f);
    a->e.source.counts[level]--;
    return true;
}

/* Opens a builder for each column that the tables have for a level. */
static bool taco__add_columns_open_level(taco__add_columns *a, uint32_t level, taco_error *err)
{
    size_t i, k, j, most = 0;
    for (i = 0; i < a->g.table_count; i++) {
        most += a->g.tables[i].count;
    }
    a->columns[level] =
        (taco__builder *)taco__arena_array(&a->arena, most, sizeof *a->columns[level], err);
    for (i = 0; a->columns[level] && i < a->g.table_count; i++) {
        const taco__sample_rows_table *t = &a->g.tables[i];
        for (k = 0; t->level[level] && k < t->count; k++) {
            taco_bytes name = taco__bytes_text(t->fields[k].name);
            if (!t->used[level][k]) { continue; }
            for (j = 0; j < a->counts[level]; j++) {
                if (strcmp(a->columns[level][j].rows.field->name, t->fields[k].name) == 0) {
                    TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                               "column %q of level %u is in two tables", &name, TACO__U(level));
                    return false;
                }
            }
            if (taco__rules_check_column_name(name, err) != TACO_OK ||
                !taco__add_columns_replace(a, level, t->fields[k].name, err) ||
                !taco__builder_init(&a->columns[level][a->counts[level]++], &t->fields[k],
                                    &a->e.mem, &a->arena, err)) {
                return false;
            }
        }
    }
    return a->columns[level] != NULL;
}

/* Appends the values of one sample: those in its table, null for columns of other tables. ARGUMENT
   if it has no row, unless nulls are allowed. */
static bool taco__add_columns_append_row(taco__add_columns *a, uint32_t level, size_t row,
                                         taco_error *err)
{
    taco_bytes id = taco__tree_id(&a->e.tree, level, row);
    const bool null = a->g.create.fill || taco__rules_is_padding(id);
    const taco__sample_rows_table *t;
    uint64_t x;
    size_t i, k, j = 0, at;
    a->e.path.len = 0;
    if (!taco__tree_path(&a->e.tree, level, row, &a->e.path, err)) { return false; }
    /* the '/' at the end of a FOLDER's path is not part of its id */
    at = a->e.path.len - (taco__tree_is_folder(&a->e.tree, level, row) ? 1 : 0);
    x = taco__sample_rows_find(&a->g, taco__bytes_of(a->e.path.data, at));
    if (x != TACO__SAMPLE_ROWS_NONE &&
        !taco__sample_rows_meet(&a->g, x, taco__tree_is_folder(&a->e.tree, level, row), err)) {
        return false;
    }
    for (i = 0; i < a->g.table_count; i++) {
        t = &a->g.tables[i];
        for (k = 0; t->level[level] && k < t->count; k++) {
            taco__builder *c = &a->columns[level][j];
            taco_bytes name = taco__bytes_text(t->fields[k].name);
            bool mine = x != TACO__SAMPLE_ROWS_NONE && x >> 32 == i;
            if (!t->used[level][k]) { continue; }
            if (!mine && !null) {
                TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                           "sample %q of level %u has no value for column %q; the schema is "
                           "strict, null must be said",
                           &id, TACO__U(level), &name);
                return false;
            }
            if (mine ? !taco__array_builder_append_copy(&c->rows, &t->rows->columns[k],
                                                        (size_t)(x & UINT32_MAX), err)
                     : !taco__array_builder_append_null(&c->rows, err)) {
                return false;
            }
            j++;
        }
    }
    return true;
}

/* NOT_FOUND if a row matches no sample. */
static bool taco__add_columns_check_all_used(const taco__add_columns *a, taco_error *err)
{
    size_t i, row;
    for (i = 0; i < a->g.table_count; i++) {
        for (row = 0; row < a->g.tables[i].rows->length; row++) {
            taco_bytes id = taco__sample_rows_id(&a->g.tables[i], row);
            if (!a->g.tables[i].seen[row]) {
                TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                           "%s: row %u: there is no sample %q", a->g.how->tables[i],
                           TACO__U(row + 1), &id);
                return false;
            }
        }
    }
    return true;
}

/* Makes all columns of a level; new ones are complete in memory. */
static bool taco__add_columns_make_level(taco__add_columns *a, uint32_t level, taco_error *err)
{
    size_t i, row, rows = a->e.tree.level[level].rows, stay;
    taco_field *fields;
    if (!taco__export_source_fields(&a->e, level, err) ||
        !taco__add_columns_open_level(a, level, err)) {
        return false;
    }
    for (row = 0; row < rows; row++) {
        if (!taco__add_columns_append_row(a, level, row, err)) { return false; }
    }
    stay = a->e.source.counts[level];
    a->source.counts[level] = stay + a->counts[level];
    fields =
        (taco_field *)taco__arena_array(&a->arena, stay + a->counts[level], sizeof *fields, err);
    for (i = 0; fields && i < stay + a->counts[level]; i++) {
        taco__builder *c = i < stay ? NULL : &a->columns[level][i - stay];
        if (c) {
            taco__builder_finish(c);
            if (!taco__array_buf_init(&c->pieces, c->rows.field, &a->e.mem, &a->arena, err)) {
                return false;
            }
        }
        fields[i] = c ? *c->rows.field : a->e.source.fields[level][i];
    }
    a->source.fields[level] = fields;
    return fields != NULL;
}

/* taco__container_columns.begin. */
static bool taco__add_columns_begin_level(void *ctx, uint32_t level, taco_error *err)
{
    taco__add_columns *a = (taco__add_columns *)ctx;
    a->level = level;
    a->at = 0;
    return a->e.source.counts[level] == 0 || taco__export_source_begin_level(&a->e, level, err);
}

/* taco__container_columns.next: a batch of the old columns, and the same rows of the new ones, as
   slices if they begin at a multiple of 8, else copied. */
static bool taco__add_columns_next_batch(void *ctx, taco_batch *out, taco_error *err)
{
    taco__add_columns *a = (taco__add_columns *)ctx;
    const size_t stay = a->e.source.counts[a->level], rows = a->e.tree.level[a->level].rows;
    size_t i;
    int32_t *index = NULL;
    if (stay == 0) {
        memset(out, 0, sizeof *out);
        out->length = TACO__MIN(rows - a->at, (size_t)TACO__BUILDER_SLICE);
    } else if (!taco__export_source_next_batch(&a->e, out, err)) {
        return false;
    }
    if (out->length > rows - a->at) {
        return true; /* taco__level_table_next_batch refuses the batch */
    }
    for (i = 0; i < stay && out->length; i++) {
        a->arrays[i] = out->columns[i];
    }
    if (a->at % 8) { /* row groups may end anywhere: such rows are copied */
        if (!taco__buf_reset(&a->index, out->length * sizeof *index, err)) { return false; }
        index = (int32_t *)(void *)a->index.data;
        for (i = 0; i < out->length; i++) {
            index[i] = (int32_t)(a->at + i);
        }
    }
    for (i = 0; i < a->counts[a->level]; i++) {
        taco__builder *c = &a->columns[a->level][i];
        if (index) {
            if (!taco__take_array(&c->pieces, &c->array, index, out->length, err)) { return false; }
            a->arrays[stay + i] = c->pieces.array;
        } else {
            a->arrays[stay + i] = taco__array_buf_slice(&c->pieces, &c->array, a->at, out->length);
        }
    }
    out->columns = a->arrays;
    out->column_count = stay + a->counts[a->level];
    a->at += out->length;
    return true;
}

/* ---- an extended archive ---- */

/* Finds the central directory of a file that does not end with it, as after a crash: it follows
   COLLECTION.json. */
static bool taco__add_columns_find_directory(taco__file *f, const taco__index *x,
                                             taco__zip_dir *dir, taco__buf *scratch,
                                             taco_error *err)
{
    uint64_t at = x->collection.offset + x->collection.len;
    uint64_t end = taco__zip_find_end(f, at, scratch);
    if (!end) {
        TACO__FAIL(
            err, TACO_ERR_CORRUPT, at,
            "there is no central directory at the end or after COLLECTION.json; taco repair makes "
            "one");
        return false;
    }
    return taco__zip_open_until(f, end, dir, scratch, err) == TACO_OK;
}

/* True for entries that are rewritten. */
static bool taco__add_columns_is_metadata(taco_bytes name)
{
    static const char meta[] = "/__meta__";
    const size_t n = sizeof meta - 1;
    return taco__bytes_equal(name, taco__bytes_text("TACO_HEADER")) ||
           taco__bytes_equal(name, taco__bytes_text("COLLECTION.json")) ||
           (name.len > 9 && memcmp(name.data, "METADATA/", 9) == 0) ||
           (name.len > n && memcmp(name.data, "DATA/", 5) == 0 &&
            memcmp(name.data + name.len - n, meta, n) == 0);
}

/* Reads the headers of entries to keep, and where the archive ends. */
static bool taco__add_columns_read_directory(taco__add_columns *a, taco__container *s,
                                             taco_error *err)
{
    taco__buf whole;
    taco__zip_dir dir;
    taco__zip_iter it;
    taco__zip_entry e;
    taco_bytes directory;
    bool ok;
    memset(&whole, 0, sizeof whole);
    whole.mem = &a->e.mem;
    ok = taco__zip_open(&s->file, &dir, &whole, NULL) == TACO_OK ||
         taco__add_columns_find_directory(&s->file, &s->index, &dir, &whole, err);
    ok = ok && taco__zip_read_directory(&s->file, &dir, s->options->limits.max_metadata, &whole,
                                        &directory, err) == TACO_OK;
    if (ok) {
        a->begin = s->file.src.size; /* whatever follows the records stays too */
        it = taco__zip_iter_init(directory, &dir);
        while (ok && taco__zip_next(&it, &e, err)) {
            const size_t at = (size_t)(e.at - dir.offset);
            if (!taco__add_columns_is_metadata(e.name)) {
                a->old_count++;
                ok = taco__buf_append(&a->old_headers, directory.data + at,
                                      taco__byte_reader_position(&it.cur) - at, err);
            }
        }
        ok = ok && !it.bad;
    }
    taco__buf_free(&whole);
    return ok;
}

/* Sets the places of the FILEs of a level, corrected if the level has those of another row, as in
   every writer. */
static bool taco__add_columns_fix_places(taco__add_columns *a, uint32_t level, taco_error *err)
{
    size_t row;
    taco__range r;
    for (row = 0; row < a->e.tree.level[level].rows; row++) {
        if (taco__tree_is_folder(&a->e.tree, level, row)) { continue; }
        if (!taco__export_source_range(&a->e, level, row, &r, err)) { return false; }
        if (!taco__checked_range(r.offset, r.len, a->begin)) {
            taco_bytes id = taco__tree_id(&a->e.tree, level, row);
            TACO__FAIL(err, TACO_ERR_TRUNCATED, r.offset,
                       "sample %q: payload of %u bytes, the archive ends at %u", &id, r.len,
                       a->begin);
            return false;
        }
        taco__tree_set_place(&a->e.tree, level, row, r.offset, r.len);
    }
    return true;
}

/* ---- a FOLDER changed in place ---- */

/* Replaces the metadata of a FOLDER dataset, a file at a time: each __meta__, from the deepest up,
   then the level tables, then COLLECTION.json (§6.4). A concurrent reader may find old columns in
   some files and new ones in others, but each file is complete. */
static bool taco__add_columns_write_folder(taco__add_columns *a, const char *path,
                                           const taco__json *root, taco_error *err)
{
    taco__container *s = &a->e.ds->stores[0];
    taco__container_writer p;
    uint32_t level;
    for (level = 0; level < a->e.tree.levels; level++) {
        taco__level *l = taco__container_level(s, level, err);
        if (!l || !l->table.pq) {
            TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                       "tables of Avro are not replaced in place: an output is needed");
            return false;
        }
    }
    if (!taco__container_write_begin_in_place(&p, path, &a->g.create, &a->e.tree, &a->e.mem, err)) {
        taco__container_write_abort(&p);
        return false;
    }
    return taco__container_write_finish(&p, root, &a->source, err);
}

/* Appends new metadata to the archive itself, or replaces that of a FOLDER. */
static bool taco__add_columns_write_in_place(taco__add_columns *a, const char *path,
                                             const taco__json *root, taco_error *err)
{
    taco__container *s = &a->e.ds->stores[0];
    taco__container_writer p;
    taco_sink sink;
    uint32_t level;
    bool ok;
    taco_error own = {0, TACO_OK, 0, {0}};
    taco_bytes name = taco__bytes_text(path);
    if (s->kind == TACO_KIND_FOLDER && !a->g.options.open_file) {
        return taco__add_columns_write_folder(a, path, root, err);
    }
    if (s->kind != TACO_KIND_ZIP || a->g.options.open_file) {
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                   "%q is not an archive or FOLDER on disk: an output is needed", &name);
        return false;
    }
    if (!taco__add_columns_read_directory(a, s, err)) { return false; }
    a->e.file = &s->file;
    for (level = 0; level < a->e.tree.levels; level++) {
        if (!taco__add_columns_fix_places(a, level, err)) { return false; }
    }
    memset(&sink, 0, sizeof sink);
#ifndef TACO_NO_STDIO
    if (!taco__sink_append_open(&sink, &a->update, a->begin, &a->e.mem, err)) { return false; }
#endif
    taco__container_write_init(&p, &a->g.create, &a->e.tree, &a->e.mem);
    p.zip = true;
    if (!taco__sink_check(&sink, err) || !taco__output_open(&p.out, &sink, &a->e.mem, err)) {
        return false;
    }
    p.out.anywhere = p.open = true;
    taco__zip_write_resume(&p.z, &p.out, &a->e.mem, p.opt.mtime, a->begin,
                           taco__bytes_of(a->old_headers.data, a->old_headers.len), a->old_count);
    ok = taco__container_write_finish(&p, root, &a->source, &own);
#ifndef TACO_NO_STDIO
    /* the sink refuses to lose data, but gives no reason */
    if (!ok && own.code == TACO_ERR_IO) { taco__update_check(&a->update, err); }
#endif
    if (!ok && err->code == TACO_OK) { *err = own; }
    return ok;
}

#ifndef TACO_NO_STDIO
/* The file of a FOLDER to lock: its COLLECTION.json, which is replaced last. NULL if there is
   none. */
static const char *taco__add_columns_lock_of(taco__add_columns *a, const char *path)
{
    static const char name[] = "/COLLECTION.json";
    const size_t n = strlen(path);
    uint64_t size;
    char *text = (char *)taco__arena_alloc(&a->g.arena, n + sizeof name, NULL);
    if (!text) { return NULL; }
    memcpy(text, path, n);
    memcpy(text + n, name, sizeof name);
    return taco__plat_stat(text, &size) == TACO__PATH_FILE ? text : NULL;
}
#endif

/* Opens the dataset; in place, after taking a lock. The lock is on the file that was opened: if
   another file replaces it, that is detected before the new columns take effect. */
static taco_dataset *taco__add_columns_open(taco__add_columns *a, const char *path,
                                            const char *output, const taco_options *opt,
                                            taco_error *err)
{
    taco_dataset *ds = NULL;
#ifndef TACO_NO_STDIO
    uint64_t size;
    const bool here = !output && !a->g.options.open_file;
    const taco__path_kind kind = here ? taco__plat_stat(path, &size) : TACO__PATH_MISSING;
    const char *locked = kind == TACO__PATH_FILE        ? path
                         : kind == TACO__PATH_DIRECTORY ? taco__add_columns_lock_of(a, path)
                                                        : NULL;
    if (locked) {
        if (!taco__update_open(&a->update, locked, err)) { return NULL; }
        ds = taco_open(path, opt, err);
        if (ds && !taco__update_check(&a->update, err)) {
            taco_close(ds);
            return NULL;
        }
        return ds;
    }
#endif
    (void)a;
    (void)output;
    ds = taco_open(path, opt, err);
    return ds;
}

/* ---- all steps ---- */

/* All steps, once dataset and tables are open. */
static bool taco__add_columns_write(taco__add_columns *a, const char *path, const char *output,
                                    taco_error *err)
{
    const taco__json *root;
    taco_query all;
    uint32_t level;
    size_t most = 0;
    memset(&all, 0, sizeof all);
    all.padding = true;
    if (!taco__export_build_tree(&a->e, &all, err)) { return false; }
    for (level = 0; level < a->e.tree.levels; level++) {
        if (!taco__add_columns_make_level(a, level, err)) { return false; }
        most = TACO__MAX(most, a->source.counts[level]);
    }
    a->arrays = (taco_array *)taco__arena_array(&a->arena, most, sizeof *a->arrays, err);
    a->source.ctx = a;
    a->source.begin = taco__add_columns_begin_level;
    a->source.next = taco__add_columns_next_batch;
    root = taco__export_collection(&a->e, false, 0, err);
    if (!a->arrays || !taco__add_columns_check_all_used(a, err) || !root) { return false; }
    if (!output) { return taco__add_columns_write_in_place(a, path, root, err); }
    a->g.create.total = a->g.create.total ? a->g.create.total : a->e.total;
    return taco__export_write_container(&a->e, output, &a->g.create, root, &a->source, err);
}

/* Frees columns and export, but neither the tables nor the dataset. */
static void taco__add_columns_free(taco__add_columns *a)
{
    uint32_t level;
    size_t i;
    for (level = 0; level < TACO__MAX_LEVELS; level++) {
        for (i = 0; i < a->counts[level]; i++) {
            taco__array_buf_free(&a->columns[level][i].pieces);
            taco__builder_free(&a->columns[level][i]);
        }
    }
    taco__buf_free(&a->index);
    taco__buf_free(&a->old_headers);
    taco__arena_free(&a->arena);
    taco__export_free(&a->e);
}

/* Opens tables and dataset, adds the columns, and closes everything. Messages begin with the path
   of the output, or else of the archive. */
TACO_API taco_status taco_add_columns(const char *path, const char *output,
                                      const taco_add_options *how, taco_error *err)
{
    taco_directory_options tables;
    taco__add_columns a;
    taco_error own = {0, TACO_OK, 0, {0}};
    taco_dataset *ds;
    size_t i;
    bool ok;
    err = taco__error_fresh(err, NULL);
    memset(&tables, 0, sizeof tables);
    memset(&a, 0, sizeof a);
    if (!path || !how || !how->tables || !how->table_count) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "path or tables are missing");
    }
    tables.tables = how->tables;
    tables.table_count = how->table_count;
    a.replace = how->replace;
    a.g.how = &tables;
    a.g.err = &own;
    if (how->create) { a.g.create = *how->create; }
    if (a.g.create.options) { a.g.options = *a.g.create.options; }
    taco__mem_init(&a.g.mem, a.g.create.options);
    a.g.arena.mem = a.g.path.mem = &a.g.mem;
    ds = taco__sample_rows_open_tables(&a.g)
             ? taco__add_columns_open(&a, path, output, a.g.create.options, &own)
             : NULL;
    if (ds) {
        a.g.create.options = a.g.create.options ? a.g.create.options : &ds->options;
        ok = taco__export_init(&a.e, ds, &own);
        a.arena.mem = a.old_headers.mem = a.index.mem = &a.e.mem;
        ok = ok && taco__add_columns_write(&a, path, output, &own);
        if (!ok) { taco__error_prefix(&own, "%s", output ? output : path); }
        taco__add_columns_free(&a);
    }
    taco_close(ds);
#ifndef TACO_NO_STDIO
    taco__update_close(&a.update);
#endif
    for (i = 0; i < a.g.table_count; i++) {
        taco_table_close(a.g.tables[i].table);
    }
    taco__buf_free(&a.g.path);
    taco__hash_map_free(&a.g.by_id);
    taco__arena_free(&a.g.arena);
    taco__error_copy(err, &own);
    return own.code;
}
/* ==== src/write/archive_edit.c ==== */
/* archive_edit.c - TACO_HEADER alone, and archives with any members

   In: ranges, or members with their bytes; out: the bytes of a TACO_HEADER and back, uncompressed
   archives that begin with one, and archives whose TACO_HEADER or one member has been replaced.
   TACO 2.0 §6.3; PKWARE APPNOTE 6.3.10.

   Changes are appended to an archive, with a new central directory, and TACO_HEADER is changed last
   (taco__archive_commit), as in add_columns.c: a reader that opens the archive meanwhile, or
   after a crash, sees the old state or the new one. */
/* #include "write.h" */
/* #include "../base/base.h" */
/* #include "../base/file_copy.h" */
/* #include "../base/sink.h" */
/* #include "../dataset/archive.h" */

/* DOS date of 1980-01-01, the earliest. */
#define TACO__ARCHIVE_STAMP 0x00210000U
/* Bytes of a local header with the name TACO_HEADER. */
#define TACO__ARCHIVE_LOCAL (TACO_HEADER_BYTES - TACO__INDEX_PAYLOAD_BYTES)

static const char taco__archive_header_name[] = "TACO_HEADER";

/* ---- the header as bytes ---- */

/* Converts ranges to the form of the archive writer; ARGUMENT if there are too many. */
static bool taco__archive_ranges(const taco_header *h, taco__range out[TACO_HEADER_RANGES],
                                 taco_error *err)
{
    uint32_t i;
    if (!h || h->count > TACO_HEADER_RANGES) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "a TACO_HEADER has up to %u ranges, given are %u", TACO__U(TACO_HEADER_RANGES),
                   TACO__U(h ? h->count : 0));
        return false;
    }
    for (i = 0; i < h->count; i++) {
        out[i].offset = h->ranges[i].offset;
        out[i].len = h->ranges[i].size;
    }
    return true;
}

TACO_API taco_status taco_header_bytes(const taco_header *h, uint8_t out[TACO_HEADER_BYTES],
                                       taco_error *err)
{
    taco__range ranges[TACO_HEADER_RANGES];
    taco__zip_writer z;
    err = taco__error_fresh(err, NULL);
    memset(&z, 0, sizeof z);
    z.stamp = TACO__ARCHIVE_STAMP;
    if (!out || !taco__archive_ranges(h, ranges, err)) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "nowhere to write to");
    }
    taco__zip_write_taco_header(&z, ranges, h->count, out);
    return TACO_OK;
}

TACO_API taco_status taco_header_parse(const void *first, size_t len, taco_header *out,
                                       taco_error *err)
{
    const uint8_t *p = (const uint8_t *)first;
    size_t at = 0, i;
    err = taco__error_fresh(err, NULL);
    if (!p || !out) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no bytes, or nowhere to");
    }
    memset(out, 0, sizeof *out);
    if (len != TACO__INDEX_PAYLOAD_BYTES) {
        const size_t name = len > TACO__ZIP_LOCAL_BYTES ? taco__load_le16(p + 26) : 0;
        at = TACO__ZIP_LOCAL_BYTES + name;
        /* the older name, TACO_GHOST, is a byte shorter */
        if (len < at + TACO__INDEX_PAYLOAD_BYTES || taco__load_le32(p) != TACO__ZIP_SIG_LOCAL ||
            (name != 10 && name != 11) ||
            memcmp(p + TACO__ZIP_LOCAL_BYTES, name == 10 ? "TACO_GHOST" : taco__archive_header_name,
                   name) != 0) {
            return TACO__FAIL(err, len < TACO_HEADER_BYTES ? TACO_ERR_TRUNCATED : TACO_ERR_CORRUPT,
                              0, "no TACO_HEADER in the first %u bytes", TACO__U(len));
        }
    }
    p += at;
    if (p[0] > TACO_HEADER_RANGES) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, at, "TACO_HEADER: %u ranges, %u are the most",
                          TACO__U(p[0]), TACO__U(TACO_HEADER_RANGES));
    }
    out->count = p[0];
    for (i = 0; i < out->count; i++) {
        out->ranges[i].offset = taco__load_le64(p + 4 + 16 * i);
        out->ranges[i].size = taco__load_le64(p + 12 + 16 * i);
    }
    return TACO_OK;
}

TACO_API taco_status taco_header_read(const char *path, const taco_options *opt, taco_header *out,
                                      taco_error *err)
{
    taco_options options;
    taco_source src;
    taco__mem mem;
    taco__file file;
    taco_error own = {0, TACO_OK, 0, {0}};
    uint8_t first[TACO_HEADER_BYTES];
    size_t n;
    err = taco__error_fresh(err, NULL);
    if (!path || !out) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "path or header is missing");
    }
    taco__options_init(&options, opt);
    taco__mem_init(&mem, &options);
    if (taco__source_open_path(&options, path, &src, &own)) {
        taco__file_init(&file, &src, path, &mem);
        n = (size_t)TACO__MIN(src.size, (uint64_t)sizeof first);
        if (taco__file_read(&file, 0, first, n, &own)) { taco_header_parse(first, n, out, &own); }
        taco__file_close(&file);
    }
    if (own.code != TACO_OK) { taco__error_prefix(&own, "%s", path); }
    taco__error_copy(err, &own);
    return own.code;
}

/* ---- members ---- */

/* A name that every ZIP reader can extract below a directory. */
static bool taco__archive_check_name(const char *name, taco_error *err)
{
    taco_bytes text = taco__bytes_text(name ? name : "");
    const char *p = name;
    bool good = name && *name && *name != '/' && !strchr(name, '\\') &&
                strcmp(name, taco__archive_header_name) != 0;
    for (; good && p; p = strchr(p, '/')) {
        p += *p == '/';
        good = strncmp(p, "..", 2) != 0 || (p[2] && p[2] != '/');
    }
    if (!good) {
        TACO__FAIL(
            err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
            "%q is not a valid name of a member: a relative path with '/', without '..', and "
            "not TACO_HEADER",
            &text);
    }
    return good;
}

/* Writes a member, and returns its range. */
static bool taco__archive_write_member(taco__zip_writer *z, const taco_member *m,
                                       const taco_options *options, taco__range *range,
                                       taco_error *err)
{
    taco__input in;
    taco_source src;
    uint32_t crc;
    bool ok;
    if (!m->path) {
        taco__input_from_bytes(&in, taco__bytes_of((const uint8_t *)m->data, m->len));
    } else if (taco__source_open_path(options, m->path, &src, err)) {
        taco__input_from_range(&in, &src, 0, src.size);
        in.own = true;
    } else {
        return false;
    }
    range->len = in.size;
    ok = taco__zip_write_entry(z, taco__bytes_text(m->name), &in, &range->offset, &crc, err);
    taco__input_close(&in);
    return ok;
}

/* Checks that names are valid and unique. */
static bool taco__archive_check_members(const taco_member *m, size_t n, taco__mem *mem,
                                        taco_error *err)
{
    taco__hash_map names;
    size_t i;
    bool ok = true, added = true;
    memset(&names, 0, sizeof names);
    names.mem = mem;
    for (i = 0; ok && i < n; i++) {
        taco_bytes name = taco__bytes_text(m[i].name ? m[i].name : "");
        ok = taco__archive_check_name(m[i].name, err) &&
             taco__hash_map_add(&names, name, &added, err);
        if (ok && !added) {
            TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "two members are named %q", &name);
            ok = false;
        }
    }
    taco__hash_map_free(&names);
    return ok;
}

/* Writes all members, the header and the end of an archive. The ranges are those of listed members,
   in order. */
static bool taco__archive_write(taco__zip_writer *z, const taco_member *m, size_t n,
                                const taco_options *options, const taco_header *given,
                                taco_error *err)
{
    taco__range ranges[TACO_HEADER_RANGES], place;
    size_t i, count = 0;
    for (i = 0; i < n; i++) {
        if (!taco__archive_write_member(z, &m[i], options, &place, err)) { return false; }
        if (m[i].listed && count < TACO_HEADER_RANGES) { ranges[count] = place; }
        count += m[i].listed;
    }
    if (given && !taco__archive_ranges(given, ranges, err)) { return false; }
    if (count > TACO_HEADER_RANGES) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "a TACO_HEADER lists up to %u members, given are %u",
                   TACO__U(TACO_HEADER_RANGES), TACO__U(count));
        return false;
    }
    return taco__zip_write_end(z, ranges, given ? given->count : count, err);
}

TACO_API taco_status taco_archive_create(const char *path, const taco_member *members, size_t n,
                                         const taco_archive_options *how, taco_error *err)
{
    taco_archive_options none;
    taco_options options;
    taco__mem mem;
    taco__output out;
    taco__zip_writer z;
    taco_sink sink;
    taco_error own = {0, TACO_OK, 0, {0}};
    bool ok;
    err = taco__error_fresh(err, NULL);
    memset(&none, 0, sizeof none);
    memset(&z, 0, sizeof z);
    memset(&sink, 0, sizeof sink);
    how = how ? how : &none;
    if (!path || (n && !members)) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "path or members are missing");
    }
    taco__options_init(&options, how->options);
    taco__mem_init(&mem, &options);
    ok = taco__archive_check_members(members, n, &mem, &own);
    if (ok && !how->overwrite && taco__plat_name_exists(path)) {
        TACO__FAIL(&own, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "the file exists already, and overwrite is not asked for");
        ok = false;
    }
#ifndef TACO_NO_STDIO
    ok = ok && taco_sink_file(&sink, path, &options, &own) == TACO_OK;
#else
    TACO__FAIL(&own, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET, "this build makes no files");
    ok = false;
#endif
    ok = ok && taco__output_open(&out, &sink, &mem, &own);
    if (ok) {
        out.anywhere = true;
        ok = taco__zip_write_begin(&z, &out, &mem, how->mtime, &own) &&
             taco__archive_write(&z, members, n, &options, how->header, &own);
        ok = taco__output_close(&out, ok, &own) && ok;
        taco__zip_write_free(&z);
    }
    if (!ok) {
        TACO__FAIL(&own, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory");
        taco__error_prefix(&own, "%s", path);
    }
    taco__error_copy(err, &own);
    return own.code;
}

/* ---- changing archives ---- */

#ifndef TACO_NO_STDIO
/* An archive that has been locked and read. */
typedef struct taco__archive_edit {
    taco__mem mem;
    taco_options options;
    taco__update update;
    taco__file file;
    bool open;               /* the file is open */
    taco__buf headers;       /* headers to keep: all but TACO_HEADER and the member `without` */
    uint64_t count;          /* number of these headers */
    uint64_t size;           /* size of the archive */
    taco_header header;      /* current header */
    bool found;              /* `without` exists, */
    taco_header_range range; /* and its bytes are in this range */
} taco__archive_edit;

/* Takes an entry of the directory, to keep or to replace. */
static bool taco__archive_take_entry(taco__archive_edit *a, const taco__zip_dir *dir,
                                     const taco__zip_entry *e, taco_bytes header,
                                     const char *without, taco_error *err)
{
    taco__zip_local_header local;
    taco__buf scratch;
    bool ok;
    if (taco__bytes_equal(e->name, taco__bytes_text(taco__archive_header_name))) {
        if (e->local == 0 && e->size == TACO__INDEX_PAYLOAD_BYTES && e->method == 0) {
            return true;
        }
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, e->at,
                   "TACO_HEADER is not the first entry, of %u bytes: taco repair writes it anew",
                   TACO__U(TACO__INDEX_PAYLOAD_BYTES));
        return false;
    }
    if (!without || !taco__bytes_equal(e->name, taco__bytes_text(without))) {
        a->count++;
        return taco__buf_append(&a->headers, header.data, header.len, err);
    }
    memset(&scratch, 0, sizeof scratch);
    scratch.mem = &a->mem;
    ok = taco__zip_locate_entry(&a->file, dir, e, &local, &scratch, err) == TACO_OK;
    if (ok) {
        a->found = true;
        a->range.offset = local.data;
        a->range.size = e->csize;
    }
    taco__buf_free(&scratch);
    return ok;
}

/* Reads the central directory. */
static bool taco__archive_read_directory(taco__archive_edit *a, const char *without,
                                         taco_error *err)
{
    taco__buf whole;
    taco__zip_dir dir;
    taco__zip_iter it;
    taco__zip_entry e;
    taco_bytes directory;
    bool ok;
    memset(&whole, 0, sizeof whole);
    whole.mem = &a->mem;
    ok = taco__zip_open(&a->file, &dir, &whole, err) == TACO_OK &&
         taco__zip_read_directory(&a->file, &dir, a->options.limits.max_metadata, &whole,
                                  &directory, err) == TACO_OK;
    if (ok) {
        a->size = dir.file_size;
        it = taco__zip_iter_init(directory, &dir);
        while (ok && taco__zip_next(&it, &e, err)) {
            const size_t at = (size_t)(e.at - dir.offset);
            ok = taco__archive_take_entry(
                a, &dir, &e,
                taco__bytes_of(directory.data + at, taco__byte_reader_position(&it.cur) - at),
                without, err);
        }
        ok = ok && !it.bad;
    }
    taco__buf_free(&whole);
    return ok;
}

/* Locks and reads the archive; taco__archive_close must follow, even after a failure. */
static bool taco__archive_open(taco__archive_edit *a, const char *path, const char *without,
                               taco_error *err)
{
    uint8_t first[TACO_HEADER_BYTES];
    taco_source src;
    memset(a, 0, sizeof *a);
    taco__options_init(&a->options, NULL);
    taco__mem_init(&a->mem, &a->options);
    a->headers.mem = &a->mem;
    if (!taco__update_open(&a->update, path, err) ||
        !taco__source_open_path(&a->options, path, &src, err)) {
        return false;
    }
    taco__file_init(&a->file, &src, path, &a->mem);
    a->open = true;
    return taco__update_check(&a->update, err) &&
           taco__file_read(&a->file, 0, first, (size_t)TACO__MIN(src.size, (uint64_t)sizeof first),
                           err) &&
           taco_header_parse(first, (size_t)TACO__MIN(src.size, (uint64_t)sizeof first), &a->header,
                             err) == TACO_OK &&
           taco__archive_read_directory(a, without, err);
}

static void taco__archive_close(taco__archive_edit *a)
{
    taco__buf_free(&a->headers);
    if (a->open) { taco__file_close(&a->file); }
    taco__update_close(&a->update);
}

/* Appends a member, which may be NULL, and the directory, then updates the header: the range of the
   replaced member becomes that of the new one. */
static bool taco__archive_commit(taco__archive_edit *a, const taco_member *m, taco_error *err)
{
    taco__range ranges[TACO_HEADER_RANGES], place;
    taco__output out;
    taco__zip_writer z;
    taco_sink sink;
    uint32_t i;
    bool ok = taco__archive_ranges(&a->header, ranges, err) &&
              taco__sink_append_open(&sink, &a->update, a->size, &a->mem, err) &&
              taco__output_open(&out, &sink, &a->mem, err);
    if (!ok) { return false; }
    out.anywhere = true;
    taco__zip_write_resume(&z, &out, &a->mem, 0, a->size,
                           taco__bytes_of(a->headers.data, a->headers.len), a->count);
    ok = !m || taco__archive_write_member(&z, m, &a->options, &place, err);
    for (i = 0; ok && m && i < a->header.count; i++) {
        if (ranges[i].offset == a->range.offset && ranges[i].len == a->range.size) {
            ranges[i] = place;
        }
    }
    ok = ok && taco__zip_write_end(&z, ranges, a->header.count, err);
    ok = taco__output_close(&out, ok, err) && ok;
    taco__zip_write_free(&z);
    return ok;
}
#endif

/* The end of every change of an archive. */
static taco_status taco__archive_result(const char *path, taco_error *own, taco_error *err)
{
    if (own->code != TACO_OK) { taco__error_prefix(own, "%s", path); }
    taco__error_copy(err, own);
    return own->code;
}

TACO_API taco_status taco_header_write(const char *path, const taco_header *h, taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__range ranges[TACO_HEADER_RANGES];
    err = taco__error_fresh(err, NULL);
    if (!path || !taco__archive_ranges(h, ranges, err)) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "path or header is missing");
    }
#ifndef TACO_NO_STDIO
    {
        taco__archive_edit a;
        uint32_t i;
        bool ok = taco__archive_open(&a, path, NULL, &own);
        for (i = 0; ok && i < h->count; i++) {
            ok = taco__checked_range(h->ranges[i].offset, h->ranges[i].size, a.size);
            if (!ok) {
                TACO__FAIL(&own, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                           "range %u: %u bytes at %u, the archive has %u", TACO__U(i),
                           h->ranges[i].size, h->ranges[i].offset, a.size);
            }
        }
        if (ok) {
            a.header = *h;
            taco__archive_commit(&a, NULL, &own);
        }
        taco__archive_close(&a);
    }
#else
    TACO__FAIL(&own, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET, "this build changes no files");
#endif
    return taco__archive_result(path, &own, err);
}

TACO_API taco_status taco_archive_replace(const char *path, const taco_member *member,
                                          taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    err = taco__error_fresh(err, NULL);
    if (!path || !member) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "path or member is missing");
    }
    if (!taco__archive_check_name(member->name, err)) { return TACO_ERR_ARGUMENT; }
#ifndef TACO_NO_STDIO
    {
        taco__archive_edit a;
        taco_bytes name = taco__bytes_text(member->name);
        bool ok = taco__archive_open(&a, path, member->name, &own);
        if (ok && !a.found) {
            TACO__FAIL(&own, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "no member is named %q", &name);
        } else if (ok && a.header.count > 1 && strncmp(member->name, "DATA/", 5) == 0) {
            /* level tables have their own ranges: a reader would continue to read the old bytes */
            TACO__FAIL(&own, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "%q is a sample, whose place is in the tables of the dataset: it is made "
                       "anew for that",
                       &name);
        } else if (ok) {
            taco__archive_commit(&a, member, &own);
        }
        taco__archive_close(&a);
    }
#else
    TACO__FAIL(&own, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET, "this build changes no files");
#endif
    return taco__archive_result(path, &own, err);
}
#endif /* TACO_IMPLEMENTATION */
