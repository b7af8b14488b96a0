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
