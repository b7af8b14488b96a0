/* taco_legacy.h - Tortilla 0.5 and TACO 0.2: read, write, convert.

   Optional, next to taco.h and taco_parquet.h. In the one source file that holds the
   implementation:

       #define TACO_IMPLEMENTATION
       #include "taco_legacy.h"          (includes the other headers it needs)

   C99 or C++11; nothing but libc. What taco.h says about errors, ownership, limits and threads
   holds here.

   Old files open like any dataset if taco_options.openers has taco_legacy_opener():

       const taco_opener *openers[] = {taco_legacy_opener(), NULL};
       taco_options       opt = {0};
       opt.openers = openers;
       ds = taco_open("old.tortilla", &opt, &err);

   READS: Tortilla 0.0.1 to 0.5.1 and TACO 0.x, with headers of 50 and 200 bytes; several parts as
   one; tortillas in tortillas, six levels as tables and any number by key; the chain of footers of
   TACO 0.2.0; the JSON footers of 2024-09. Level 0 is read when a file is opened, deeper levels on
   first use: a header and a footer for every nested tortilla, in two rounds from a vectored source.

   WRITES: the last version that has a reader (200-byte header, Parquet footer). A tortilla that is
   turned into a TACO and back is the same byte for byte. stac:centroid is computed from stac:crs,
   stac:geotransform and stac:raster_shape if it is not given.

   GENERATED from src/ by `make headers`: edit src/, not this file. src/where.sh taco_legacy.h:LINE
   prints where a line comes from. */
#ifndef TACO_LEGACY_H
#define TACO_LEGACY_H

#include "taco_write.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the opener of Tortilla and TACO 0.x, for taco_options.openers. It recognizes them by
   content, at any nesting, and opens several parts as one dataset (with rows by tortilla:id, as in
   the last reader; for files from before 0.3 in order of files). Columns keep their names;
   internal:subfile is the path, and id, type and internal:* are added as in TACO 2. Filters by bbox
   and time understand WKT points and seconds. taco_options.warn is called when parts of a set are
   missing, and when a collection's taco_version is not a version. A constant. */
TACO_API const taco_opener *taco_legacy_opener(void);

/* ---- writing the old formats ----------------------------------------------------------------- */

/* {0} = defaults, in brackets */
typedef struct taco_tortilla_options {
    const taco_options *options;
    const char *collection; /* a JSON object, NUL-terminated: makes a TACO [makes a tortilla] */
    /* payload bytes after which a new part begins [20 GB, as in the last writer] */
    uint64_t part_bytes;
    bool chain; /* add the streaming chain of footers of TACO 0.2.0; writes a single part */
    /* the chain, followed by the tiles of the TIFFs among the deepest samples, "id::k", in the
       order of the TIFFs */
    bool chunks;
    /* tortilla:file_format need not be a GDAL driver, and with chunks TIFFs need not be TOGs
       (taco_tog_check) */
    bool any_format;
    taco_lonlat_fn lonlat; /* stac:centroid in CRSs that taco_lonlat does not know; may be NULL */
    void *lonlat_ctx;
    bool keep_parts; /* ARGUMENT when one of several parts exists [it is replaced] */
} taco_tortilla_options;

/* Writes samples as a .tortilla or .taco of the last version that has a reader (200-byte header,
   Parquet footer); as name.0000.part.tortilla and so on if they have more than part_bytes. The
   columns of samples keep their names; tortilla:id and tortilla:file_format (a GDAL driver, BYTES,
   TORTILLA) are required. Offset and length are computed, and stac:centroid where it is null and
   can be. payload is called twice for each row and supplies its bytes; this function closes the
   source. ARGUMENT when rows or the collection break a rule that taco_validate reports as an error
   (ids that are not unique, a format that is not a GDAL driver, times that end before they start, a
   collection without its core fields, ...); what it reports as warnings goes to taco_options.warn.
   Files appear when complete, parts when all are; a further part of that name, of an earlier file
   that had more, stays, with a warning.

       path     file to write; replaced if it exists
       samples  the rows, borrowed during the call
       payload  fills *out with the bytes of row `row`; false is an IO error. Not NULL
       ctx      passed to payload
       opt      collection, parts, chain; NULL: defaults */
TACO_API taco_status taco_tortilla_create(const char *path, const taco_batch *samples,
                                          bool (*payload)(void *ctx, size_t row, taco_source *out),
                                          void *ctx, const taco_tortilla_options *opt,
                                          taco_error *err);
/* Writes the rows of a query on old files as a new tortilla, in order of offsets; q->select and
   q->flat are refused. The collection is lost, as with the old compile().

       ds    a dataset opened from old files
       q     which rows; NULL: all
       path  file to write; replaced if it exists */
TACO_API taco_status taco_tortilla_compile(taco_dataset *ds, const taco_query *q, const char *path,
                                           taco_error *err);
/* These four functions rewrite the file `in` as `out`, which may be the same path: the file is
   replaced when the new one is complete. A tortilla becomes a TACO with a collection, and back, to
   the same bytes; a TACO gets another collection (a JSON object with the core fields of TACO
   0.2.0); a file gets another footer, whose rows keep their tortilla:offset and tortilla:length
   while columns named internal:* and geometry are dropped.

       in          path of the tortilla
       out         path of the TACO; may be the same
       collection  a JSON object, NUL-terminated
       opt         options; NULL: defaults */
TACO_API taco_status taco_tortilla_to_taco(const char *in, const char *out, const char *collection,
                                           const taco_options *opt, taco_error *err);
/* Removes the collection, see taco_tortilla_to_taco.

       in   path of the TACO
       out  path of the tortilla; may be the same
       opt  options; NULL: defaults */
TACO_API taco_status taco_tortilla_from_taco(const char *in, const char *out,
                                             const taco_options *opt, taco_error *err);
/* Gives a TACO another collection, see taco_tortilla_to_taco.

       in          path of the TACO
       out         path of the new one; may be the same
       collection  a JSON object, NUL-terminated
       opt         options; NULL: defaults */
TACO_API taco_status taco_tortilla_edit_collection(const char *in, const char *out,
                                                   const char *collection, const taco_options *opt,
                                                   taco_error *err);
/* Gives a file another footer, see taco_tortilla_to_taco.

       in    path of a tortilla or TACO
       out   path of the new one; may be the same
       rows  rows of the footer, with tortilla:offset and tortilla:length unchanged; borrowed
       opt   options; NULL: defaults */
TACO_API taco_status taco_tortilla_edit_footer(const char *in, const char *out,
                                               const taco_batch *rows, const taco_options *opt,
                                               taco_error *err);

/* ---- converting to TACO 2 and back ----------------------------------------------------------- */

/* {0} = defaults, in brackets */
typedef struct taco_convert_options {
    /* options of the new container; any_tree: if samples have different trees (PIT-1), tortillas
       from that level on stay FILEs, unchanged */
    taco_create_options create;
    /* COLLECTION.json of TACO 2, NUL-terminated [made from the old one, which it then contains as
       legacy:collection] */
    const char *collection;
    bool pad; /* FOLDERs of a level get __TACOPAD__N rows up to the size of the largest */
    /* old files: which samples to convert, as in taco_export [all] */
    const taco_query *query;
    /* Called for everything that the other format has no place for. May be NULL. */
    void (*note)(void *ctx, const char *text);
    void *note_ctx;
    bool keep_parts; /* taco_convert_from_taco2: see taco_tortilla_options */
} taco_convert_options;

/* Converts n old files, opened as one, to a TACO 2 container. Nested tortillas become FOLDERs;
   stac:time_start and stac:time_end become timestamps, stac:centroid WKB, stac:raster_shape
   stac:tensor_shape; other columns keep their names if TACO 2 allows these. ARGUMENT when the
   samples have different trees (PIT-1) and opt does not allow that. opt may be NULL.

       in   n paths of old files; not kept
       n    number of files, at least 1
       out  path of the container, as taco_create takes it
       opt  options; NULL: defaults */
TACO_API taco_status taco_convert_to_taco2(const char *const *in, size_t n, const char *out,
                                           const taco_convert_options *opt, taco_error *err);
/* Converts a TACO 2 archive or FOLDER to a .tortilla or, if the name ends in .taco, to a TACO 0.x:
   FOLDERs become nested tortillas, and what taco_convert_to_taco2 changed is changed back. A
   stac:tensor_shape of more than rows and columns is kept, next to a stac:raster_shape of these. Of
   opt->create only its options are used.

       in   path of an archive or FOLDER
       out  path of the file; replaced if it exists
       opt  note, keep_parts and create.options are used; NULL: defaults */
TACO_API taco_status taco_convert_from_taco2(const char *in, const char *out,
                                             const taco_convert_options *opt, taco_error *err);

/* ---- collections in other formats ------------------------------------------------------------ */

typedef enum taco_collection_format {
    TACO_COLLECTION_STAC = 1, /* a Collection of STAC 1.1.0 */
    TACO_COLLECTION_DATACITE, /* JSON of DataCite 4.5 */
    TACO_COLLECTION_DATACARD, /* Markdown with YAML front matter: a README */
    TACO_COLLECTION_CROISSANT /* JSON-LD of Croissant 1.0 */
} taco_collection_format;

typedef struct taco_collection_export_options {
    const char *year; /* DATACITE, CROISSANT: of publication, which collections do not contain */
    /* CROISSANT: a Parquet file with the rows of level 0, as taco_publish writes it, whose columns
       become the fields of a record set: Croissant cannot read inside an archive. NULL = none. This
       file and the dataset's own are read completely, for their SHA-256. */
    const char *table;
} taco_collection_export_options;

/* Returns the collection in another format, NUL-terminated; it lives until the next call of this or
   taco_info_json, or taco_close. {NULL, 0} on failure: ARGUMENT for a tortilla, which has no
   collection.

       ds    the dataset, which owns the text
       kind  the format
       opt   what the collection does not contain; NULL: nothing */
TACO_API taco_bytes taco_collection_export(taco_dataset *ds, taco_collection_format kind,
                                           const taco_collection_export_options *opt,
                                           taco_error *err);

#ifdef __cplusplus
}
#endif
#endif /* TACO_LEGACY_H */

#if defined(TACO_IMPLEMENTATION) && !defined(TACO__LEGACY_IMPLEMENTED)
#define TACO__LEGACY_IMPLEMENTED
#include "taco_write.h" /* its implementation too, where only its declarations were seen before */

/* Made from these files of src/ by `make headers`; edit them, not this.

   legacy/legacy.h                      Tortilla and TACO 0.x, the formats before TACO 2: read, written, converted
   legacy/array_concat.c                concatenates slices of arrays, and unifies the fields of columns
   legacy/tortilla_read.c               one header and one footer of a Tortilla or TACO 0.x file
   legacy/footer_chain_read.c           the streaming chain of footers of TACO 0.2.0
   legacy/legacy_table.c                one table of the rows of several footers, with the columns that navigation needs
   legacy/legacy_levels.c               the levels of old files: rows of footers, nested tortillas and chains as tables
   legacy/legacy_parts.c                the parts of a tortilla that was written in several files
   legacy/legacy_filter.c               bbox and time of a query on old files: centroids in text, times in seconds
   legacy/legacy_dataset.c              the opener: Tortilla and TACO 0.x files as one dataset of six levels
   legacy/gdal_drivers.c                the short names of GDAL's drivers, the values of tortilla:file_format
   legacy/legacy_rules.c                what the rows of a footer may hold: the rules of Tortilla 0.5.0 and TACO 0.2.0
   legacy/legacy_collection.c           what the collection of a TACO 0.x may hold
   legacy/legacy_check.c                taco_validate of Tortilla and TACO 0.x files
   legacy/tortilla_write.c              writes samples as Tortilla or TACO 0.x files: header, payloads, footer
   legacy/tortilla_check.c              checks the input of writers of old files before the first byte is written
   legacy/tortilla_centroid.c           computes stac:centroid for samples with a position but no centroid
   legacy/tortilla_create.c             taco_tortilla_create: writes the caller's samples as a .tortilla or .taco
   legacy/tortilla_compile.c            taco_tortilla_compile: the rows of a query on old files as a tortilla
   legacy/tortilla_edit.c               replaces the collection or the footer of existing files
   legacy/footer_chain_write.c          a file with the chain of footers of TACO 0.2.0, one object per level
   legacy/footer_chunks.c               the object at the end of a chain: the tiles of the TIFFs among the samples
   legacy/convert.c                     what conversions to TACO 2 and back have in common: options, memory, notes
   legacy/convert_collection.c          converts collections between TACO 0.x and TACO 2
   legacy/to_taco2.c                    taco_convert_to_taco2: old files as an archive or FOLDER of TACO 2
   legacy/to_taco2_tree.c               the rows of old levels as the tree of a dataset of TACO 2
   legacy/to_taco2_columns.c            converts the columns of old footers to those of a TACO 2 level
   legacy/from_taco2.c                  taco_convert_from_taco2: an archive or FOLDER of TACO 2 as a .tortilla or .taco
   legacy/from_taco2_columns.c          converts the columns of a TACO 2 level to those of an old footer
   legacy/metadata_export.c             taco_collection_export: a collection in other formats
   legacy/metadata_stac.c               a collection as a STAC Collection 1.1.0
   legacy/metadata_datacite.c           a collection as DataCite 4.5, for registering a DOI
   legacy/metadata_datacard.c           a collection as a data card, the README of a repository of datasets
   legacy/metadata_croissant.c          a collection as Croissant 1.0, which dataset search engines read
*/

/* ==== src/legacy/legacy.h ==== */
/* legacy.h - Tortilla and TACO 0.x, the formats before TACO 2: read, written, converted

   A tortilla is one file: a header of 200 bytes, the bytes of samples one after another, and
   a footer, a Parquet table with a row per sample. A sample may be a tortilla itself. A TACO
   0.x is a tortilla with a collection, a JSON document, after its footer; TACO 0.2.0 may have a
   chain of footers, one per level of nesting. The folder gives such files to dataset/ as one
   more kind of container (taco_legacy_opener), writes them, converts them to TACO 2 and back,
   and exports collections of either generation to other formats (STAC, DataCite, Croissant,
   data cards). Parquet is in parquet/ and parquet_write/, TACO 2 in dataset/ and write/.

   Reading order:
     array_concat.c           arrays concatenated from slices of others
     tortilla_read.c          one header, one footer
     footer_chain_read.c      the objects of a chain
     legacy_table.c           rows of footers as the table of a level
     legacy_levels.c          the levels below level 0
     legacy_parts.c           files that are parts of one
     legacy_filter.c          bbox and time of a query
     legacy_dataset.c         the opener
     gdal_drivers.c           names of formats
     legacy_rules.c           what rows may hold: the rules of both documents
     legacy_collection.c      what collections may hold
     legacy_check.c           taco_validate of old files: these rules, headers, ranges, chains
     tortilla_write.c         header, payloads, footer, parts
     tortilla_check.c         the same rules, for writers
     tortilla_centroid.c      stac:centroid, computed
     tortilla_create.c        taco_tortilla_create
     tortilla_compile.c       taco_tortilla_compile: the rows of a query
     tortilla_edit.c          another collection, another footer
     footer_chain_write.c     a file with a chain
     footer_chunks.c          the chain's table of tiles
     convert.c                what both conversions share
     convert_collection.c     collections, between both generations
     to_taco2.c               taco_convert_to_taco2
     to_taco2_tree.c          the rows that are converted, as a tree
     to_taco2_columns.c       their columns
     from_taco2.c             taco_convert_from_taco2
     from_taco2_columns.c     its columns
     metadata_export.c        taco_collection_export, and code shared by its writers
     metadata_stac.c, metadata_datacite.c, metadata_datacard.c, metadata_croissant.c

   Tables are kept whole in arenas, since footers are small compared with payloads. A function
   that returns false or NULL has filled *err; what it allocated is freed with its arena. */
#ifndef TACO__LEGACY_H
#define TACO__LEGACY_H

/* #include "../api/taco_legacy.h" */
/* #include "../base/base.h" */
/* #include "../base/sink.h" */
/* #include "../base/file_copy.h" */
/* #include "../base/json.h" */
/* #include "../parquet/parquet.h" */
/* #include "../dataset/dataset.h" */
/* #include "../validate/validate.h" */
/* #include "../write/write.h" */

/* ---- array_concat.c ---- */

/* Rows [first, first + n) of an array; n nulls if the array is NULL. */
typedef struct taco__concat_slice {
    const taco_array *a;
    size_t first, n;
} taco__concat_slice;

/* Types that unify to DOUBLE (FLOAT, DOUBLE and halves), and integer types, signed or not. */
TACO__FN bool taco__concat_is_float(taco_type t);
TACO__FN bool taco__concat_is_integer(taco_type t);
/* Extends f to a field for the values of both: integers and fractions become DOUBLE, as in pandas,
   times take the finer unit, nulls fit anything, structs get the children of both. TYPE if there is
   no such field. The result is always nullable. depth: 0 for a column. */
TACO__FN bool taco__concat_unify_field(taco__arena *arena, taco_field *f, const taco_field *other,
                                       uint32_t depth, taco_error *err);
/* Concatenates the slices into an array of field f; *out points to f. Their fields must be f or
   have been unified into it. */
TACO__FN bool taco__concat_arrays(taco__arena *arena, const taco_field *f,
                                  const taco__concat_slice *p, size_t count, taco_array *out,
                                  taco_error *err);

/* ---- tortilla_read.c ---- */

#define TACO__TORTILLA_HEADER_BYTES       200
#define TACO__TORTILLA_FIRST_HEADER_BYTES 50 /* in files of the first writers */

/* A header (Tortilla 0.5.0 "Format"; TACO 0.2.0 "Data format"). All ranges are relative to the
   file, not the tortilla. */
typedef struct taco__tortilla {
    uint64_t base; /* offset of the tortilla: 0 unless nested */
    uint64_t body; /* least offset of its payloads */
    taco__range footer, collection;
    uint64_t parts; /* parts in the whole set */
    /* format of all samples, in files from before 0.3; else NULL */
    const char *driver;
} taco__tortilla;

/* The rows of a footer as stored, except for offsets, which are relative to the file. */
typedef struct taco__tortilla_table {
    taco__table t;      /* arrays in an arena */
    taco_bytes pointer; /* next object of the chain; {NULL, 0} without one */
    uint64_t base;      /* offset of the tortilla */
    size_t id, offset, length;
    size_t format; /* column that tells which rows are tortillas, or TACO__NONE */
    /* columns in the order of their names: there may be as many as limits allow, in each footer */
    size_t *by_name;
    bool all;      /* all rows are tortillas */
    uint32_t file; /* index among the files of the dataset */
    const char *driver;
} taco__tortilla_table;

/* Reads the header of the tortilla at `base`: one of three layouts, recognized by its first bytes.
   Ranges are checked to lie in the file, after the header. */
TACO__FN bool taco__tortilla_read_header(taco__file *file, uint64_t base, taco__arena *arena,
                                         taco__tortilla *out, taco_error *err);
/* Reads the footer in a range, Parquet or JSON, of a tortilla at `base`; driver is that of its
   header. Every row is checked to lie in the file. */
TACO__FN bool taco__tortilla_read_footer(taco__container *s, taco__file *file, taco__range range,
                                         uint64_t base, const char *driver, taco__arena *arena,
                                         taco__tortilla_table *out, taco_error *err);
/* The first column with that name; TACO__NONE if there is none. */
TACO__FN size_t taco__tortilla_find_name(const taco__tortilla_table *t, const char *name);
/* True if row i is a tortilla. */
TACO__FN bool taco__tortilla_is_nested(const taco__tortilla_table *t, size_t i);

/* ---- footer_chain_read.c ---- */

#define TACO__CHAIN_MAX_OBJECTS 16 /* objects: n + 2 for a nesting of n */

/* The objects of a file: table k holds the rows of level k, and the chunks of TOGs last. */
typedef struct taco__chain {
    taco__tortilla_table tables[TACO__CHAIN_MAX_OBJECTS];
    taco__range ranges[TACO__CHAIN_MAX_OBJECTS + 1];
    int64_t *parents[TACO__CHAIN_MAX_OBJECTS]; /* row in the previous table, -1 for none */
    size_t count;
} taco__chain;

/* Parses OFFSETLENGTH(A, B), with or without blanks and quotes; NULL, null or nothing ends the
   chain. */
TACO__FN bool taco__chain_parse_pointer(taco_bytes text, bool *ends, taco__range *out,
                                        taco_error *err);
/* Reads all objects; `first` is the table of the first one, which has been read from `range`. */
TACO__FN bool taco__chain_read(taco__container *s, taco__file *file,
                               const taco__tortilla_table *first, taco__range range,
                               taco__arena *arena, taco__chain *c, taco_error *err);

/* ---- a dataset of old files: taco__container.format_state ---- */

/* One of the files of a dataset: a part, or one of several that the caller opened together. */
typedef struct taco__legacy_file {
    const char *path; /* path given by the caller */
    const char *vsi;  /* path for GDAL: local paths are absolute */
    taco__tortilla head;
    taco__chain *chain; /* NULL: none */
} taco__legacy_file;

/* Rows of a level, in addition to its table. */
typedef struct taco__legacy_level {
    bool built;
    taco_error why; /* the reason if it could not be built */
    taco__table t;
    uint32_t *file;     /* file of each row, */
    size_t *object_row; /* row in its footer or object of the chain, */
    uint8_t *folder;    /* 1 for tortillas, */
    int64_t *offset;    /* and offset of its bytes in the file */
    int64_t *size;
    const taco_array *path; /* keys from the top; at level 0 the ids */
} taco__legacy_level;

/* State of the opener for a dataset: all files, and the levels built from their rows. */
typedef struct taco__legacy {
    taco__legacy_file *files;
    size_t file_count;
    taco__legacy_level levels[TACO__MAX_LEVELS];
} taco__legacy;

/* ---- legacy_table.c ---- */

/* Rows [first, first + n) of a footer that go into a table. */
typedef struct taco__legacy_run {
    const taco__tortilla_table *t;
    size_t first, n;
    int64_t parent, row; /* of the first row: row in the level above, and in its own */
} taco__legacy_run;

/* A table under construction. s and state are needed only for computed columns. */
typedef struct taco__legacy_table {
    taco__container *s;
    taco__legacy *state;
    taco__arena *arena; /* arena of the table */
    const taco__legacy_run *runs;
    size_t count, rows;
    taco_field *fields;
    taco_array *arrays;
    size_t n, stored; /* columns; the first `stored` ones come from the footers */
    taco_error *err;
} taco__legacy_table;

/* Collects the fields of all runs, in order of first occurrence; TYPE if two of the same name
   cannot be unified. */
TACO__FN bool taco__legacy_table_unify_columns(taco__legacy_table *m, taco__arena *scratch);
/* Copies their values into the table's arena; rows whose footer lacks a column are null. */
TACO__FN bool taco__legacy_table_copy_columns(taco__legacy_table *m, taco__arena *scratch);
/* Builds the whole table, with the columns that TACO 2 has and footers lack. top: these are the
   rows of level 0, which are their own parents. above: paths are added, below those of this level,
   unless NULL. */
TACO__FN bool taco__legacy_table_build(taco__container *s, taco__legacy *state, taco__arena *arena,
                                       const taco__legacy_run *runs, size_t count, bool top,
                                       const taco__legacy_level *above, taco__table *out,
                                       taco_error *err);

/* ---- legacy_levels.c ---- */

/* Opens file k. It may be closed again when others are opened, unless it is counted as used. */
TACO__FN taco__file *taco__legacy_levels_file(taco__container *s, const taco__legacy *state,
                                              size_t k, taco_error *err);
/* Builds a level from its rows, after the one above. */
TACO__FN bool taco__legacy_levels_build(taco__container *s, taco__legacy *state, uint32_t level,
                                        const taco__legacy_run *runs, size_t count,
                                        taco_error *err);
/* Reads the footer of the tortilla at `offset` of file `number`. budget: bytes of footers that may
   still be read, or NULL. */
TACO__FN bool taco__legacy_levels_read_nested(taco__container *s, taco__file *file, uint64_t offset,
                                              uint32_t number, taco__arena *arena,
                                              taco__tortilla_table *out, uint64_t *budget,
                                              taco_error *err);
/* True if there is a level below this one, which has been built. */
TACO__FN bool taco__legacy_levels_any_below(const taco__legacy *state, uint32_t level);
/* taco_opener.deepen: builds all levels below level 0. */
TACO__FN bool taco__legacy_levels_count(taco__container *s, taco_error *err);
/* taco_opener.level. */
TACO__FN bool taco__legacy_levels_read(taco__container *s, uint32_t n, taco_error *err);

/* ---- legacy_parts.c ---- */

/* True if a name is NAME.####.part.tortilla or .taco; returns NAME and the number. */
TACO__FN bool taco__legacy_parts_parse(const char *path, taco_bytes *stem, uint64_t *number);
/* Warns of every set of parts that was not opened completely. */
TACO__FN void taco__legacy_parts_warn(taco__container *s, const taco__legacy *state);
/* taco_opener.set */
TACO__FN const char *const *taco__legacy_parts_set(taco_dataset *ds, taco__arena *arena, size_t *n,
                                                   taco_error *err);

/* ---- legacy_filter.c ---- */

/* Parses "POINT (x y)", the WKT of stac:centroid, in degrees; false for anything else. */
TACO__FN bool taco__legacy_filter_parse_point(taco_bytes text, double xy[2]);
/* taco_opener.bbox and .time: return conditions; NULL on failure. */
TACO__FN taco__expr *taco__legacy_filter_bbox(taco__arena *arena, const taco__table *t,
                                              const taco_filter *f, taco_error *err);
TACO__FN taco__expr *taco__legacy_filter_time(taco__arena *arena, const taco__table *t,
                                              const taco_filter *f, taco_error *err);

/* ---- gdal_drivers.c ---- */

/* True if a name is that of a GDAL driver, BYTES or TORTILLA. */
TACO__FN bool taco__gdal_is_driver(taco_bytes name);

/* ---- legacy_rules.c ---- */

/* Rows of one level or one footer, and the findings to add to. Members may be zero. */
typedef struct taco__legacy_rows {
    taco__findings *f;
    taco__mem *mem;
    const taco_array *columns;
    size_t column_count, rows;
    const taco_array *parent; /* rows with equal values belong to one tortilla; NULL: all rows do */
    const uint8_t *tiles; /* 1 for tiles of a TIFF, which have no format; NULL: there are none */
    const char *place;    /* "level 1: ", or "" */
    bool any_format;      /* format names need not be GDAL's */
    bool before_03;       /* from a writer with other rai: columns */
} taco__legacy_rows;

/* Checks rows against all rules. False if the check itself failed. */
TACO__FN bool taco__legacy_rules_check_rows(const taco__legacy_rows *r, taco_error *err);

/* ---- legacy_collection.c ---- */

/* Checks a JSON object against all rules for collections; made: it is about to be written. */
TACO__FN void taco__legacy_collection_check(taco__findings *f, const taco__json *root, bool made);

/* ---- legacy_check.c ---- */

/* taco_opener.check: a dataset of old files against Tortilla 0.5.0 and TACO 0.2.0. */
TACO__FN bool taco__legacy_check(taco_dataset *ds, taco__findings *f, taco_error *err);

/* ---- tortilla_write.c ---- */

#define TACO__TORTILLA_PART_BYTES                                                                  \
    UINT64_C(20000000000) /* payload bytes of a part, as in the last writer */

/* Samples to write as one tortilla. */
typedef struct taco__tortilla_node {
    const taco_array *columns; /* columns of all rows, without offset and length */
    size_t column_count, rows;
    uint64_t *sizes;                       /* bytes of each row, once measured */
    struct taco__tortilla_node **children; /* nodes of the tortillas; NULL: no row is one */
    size_t first_row;                      /* index of row 0 for the payload function, */
    const size_t *source_rows;             /* or that of each row */
    uint32_t level;
    taco_bytes footer;
    uint64_t body; /* bytes between header and footer */
} taco__tortilla_node;

/* Fills *in with the bytes of a row, which are copied and closed before the next call. */
typedef bool (*taco__tortilla_payload_fn)(void *ctx, const taco__tortilla_node *node, size_t row,
                                          taco__input *in, taco_error *err);

/* State shared by all writers of the folder: memory, the output, and the source of payloads. */
typedef struct taco__tortilla_writer {
    taco__mem mem;
    taco__arena arena;
    taco_options options;
    taco__output out;
    taco__tortilla_payload_fn payload;
    void *ctx;
    bool closes;   /* sources supplied by payload are ours to close */
    bool compiled; /* tortilla:length before tortilla:offset, as in compile() */
    bool any_tiff; /* tiles are listed for TIFFs that are not TOGs, too */
    bool copies;   /* samples come from another dataset: `copied` has their ranges */
    taco__payload_ranges copied;
    bool keep_parts;      /* parts that exist are refused */
    taco__staged *staged; /* gets the next file when it is complete, or NULL */
    taco_error *err;
} taco__tortilla_writer;

/* Initializes the writer; the caller sets payload, ctx and the two flags, and ends with
   taco__tortilla_write_finish. */
TACO__FN void taco__tortilla_write_init(taco__tortilla_writer *w, const taco_options *opt,
                                        taco_error *err);
/* Encodes a footer, in the arena. pointer: of a chain, or NULL. */
TACO__FN bool taco__tortilla_write_encode_footer(taco__tortilla_writer *w,
                                                 const taco_array *columns, size_t n, size_t rows,
                                                 const char *pointer, taco_bytes *out);
/* Makes all columns of a footer in order, two more than the node has; *n is their number. */
TACO__FN bool taco__tortilla_write_make_columns(taco__tortilla_writer *w,
                                                const taco__tortilla_node *node,
                                                const int64_t *offsets, const int64_t *sizes,
                                                taco_array *out, size_t *n);
/* Computes sizes and footers of a node and all nodes below it. If the samples are copies, no two
   may share bytes: see payload_ranges.c. */
TACO__FN bool taco__tortilla_write_measure(taco__tortilla_writer *w, taco__tortilla_node *node);
/* magic: "#y", or "WX" with a collection. */
TACO__FN bool taco__tortilla_write_header(taco__tortilla_writer *w, const char *magic,
                                          taco__range footer, uint64_t parts,
                                          taco__range collection);
/* Writes all bytes of `in`. */
TACO__FN bool taco__tortilla_write_payload(taco__tortilla_writer *w, const taco__input *in,
                                           taco_bytes id);
/* Writes payloads and footer of a measured node. */
TACO__FN bool taco__tortilla_write_body(taco__tortilla_writer *w, const taco__tortilla_node *node);
/* Opens w->out; taco__output_close closes it. */
TACO__FN bool taco__tortilla_write_open(taco__tortilla_writer *w, const char *path);
/* Writes a measured node as one file; with a collection it is a TACO. */
TACO__FN bool taco__tortilla_write_file(taco__tortilla_writer *w, const char *path,
                                        const taco__tortilla_node *node, uint64_t parts,
                                        taco_bytes json);
/* Writes a measured node as one file, or as parts whose payloads have at most `most` bytes each,
   unless a single row has more. They get their names when all are complete. */
TACO__FN bool taco__tortilla_write_parts(taco__tortilla_writer *w, const char *path,
                                         taco__tortilla_node *node, uint64_t most,
                                         taco_bytes collection);
/* Frees the writer; path is put before the message of a failure. */
TACO__FN taco_status taco__tortilla_write_finish(taco__tortilla_writer *w, bool ok,
                                                 const char *path);

/* ---- tortilla_check.c ---- */

/* The column with that name; NULL if there is none. */
TACO__FN const taco_array *taco__tortilla_check_find(const taco_array *columns, size_t n,
                                                     const char *name);
/* Checks rows about to be written against the rules of legacy_rules.c; any_format: except for the
   names of formats. ARGUMENT, with the first breach. */
TACO__FN bool taco__tortilla_check_rows(taco__tortilla_writer *w, const taco_array *columns,
                                        size_t n, size_t rows, bool any_format);
/* Checks the name of a file (Tortilla 0.5.0 "File Extension"): it ends in .tortilla, or with a
   collection in .taco. */
TACO__FN bool taco__tortilla_check_name(taco__tortilla_writer *w, const char *path, bool taco);
/* Checks a collection, a JSON object, like taco__tortilla_check_rows; *out is its bytes. */
TACO__FN bool taco__tortilla_check_collection(taco__tortilla_writer *w, const char *text,
                                              taco_bytes *out);

/* ---- tortilla_centroid.c ---- */

/* Adds or completes the column stac:centroid for rows with a CRS, a geotransform and a shape. */
TACO__FN bool taco__tortilla_centroid_add(taco__tortilla_writer *w, taco__tortilla_node *node,
                                          const taco_tortilla_options *opt);

/* ---- tortilla_compile.c ---- */

/* A row and a number to sort rows by: an offset, or the row of a parent. */
typedef struct taco__tortilla_sort_key {
    int64_t key;
    size_t row;
} taco__tortilla_sort_key;

/* Reads all batches of a cursor into one, in the arena. */
TACO__FN bool taco__tortilla_compile_read_rows(taco__tortilla_writer *w, taco_cursor *c,
                                               taco_batch *out);
/* taco__sort_compare for taco__tortilla_sort_key. */
TACO__FN int taco__tortilla_compile_compare(const void *ctx, const void *a, const void *b);

/* ---- footer_chain_write.c ---- */

/* A tortilla inside a payload. */
typedef struct taco__chain_nested {
    size_t top;     /* row of the node whose payload contains it */
    uint64_t base;  /* its offset in that payload */
    taco_bytes key; /* its ids from the top */
} taco__chain_nested;

/* An object of a chain: a table, and which of its rows are tortillas. */
typedef struct taco__chain_object {
    taco_array *columns;
    size_t count, rows;
    taco__chain_nested *nested;
    size_t nested_count;
} taco__chain_object;

/* Makes a column of n texts that is not nullable. */
TACO__FN bool taco__chain_write_text_column(taco__tortilla_writer *w, taco_array *a,
                                            const char *name, const taco_bytes *texts, size_t n);
/* parent/id, in the arena; {NULL, 0} if out of memory. */
TACO__FN taco_bytes taco__chain_write_make_key(taco__tortilla_writer *w, taco_bytes parent,
                                               taco_bytes id);
/* Writes a measured node as one file with a chain, and with `chunks` the table of tiles. */
TACO__FN bool taco__chain_write_file(taco__tortilla_writer *w, const char *path,
                                     taco__tortilla_node *node, taco_bytes collection, bool chunks);

/* ---- footer_chunks.c ---- */

/* Makes the table of tiles for the samples in the last object of a chain. at: offsets of the node's
   rows in the file; top: the object is also the first one. */
TACO__FN bool taco__chain_chunks_make(taco__tortilla_writer *w, const taco__tortilla_node *node,
                                      const uint64_t *at, const taco__chain_object *last, bool top,
                                      taco__chain_object *out);

/* ---- convert.c ---- */

/* State of conversions in both directions. */
typedef struct taco__conversion {
    taco_convert_options opt;
    taco_options options; /* the caller's options, with our opener */
    const taco_opener *openers[2];
    taco__mem mem;
    taco__arena arena;
    taco_dataset *ds; /* the source */
    taco_error *err;
} taco__conversion;

/* Calls the caller's note with a text that contains %s, about something the other format cannot
   express. */
TACO__FN void taco__convert_note(taco__conversion *f, const char *text, const char *what);
/* Copies the options, which may be NULL, and adds the opener. taco__convert_free frees all. */
TACO__FN void taco__convert_init(taco__conversion *f, const taco_convert_options *opt,
                                 taco_error *err);
/* Closes the source and frees the arena. */
TACO__FN void taco__convert_free(taco__conversion *f);

/* ---- convert_collection.c ---- */

/* The box around all boxes of an extent; false if there are none, or one is incomplete. */
TACO__FN bool taco__convert_collection_box(const taco__json *spatial, double box[4]);
/* Makes the TACO 2 collection of an old dataset, or takes the caller's; checks it. */
TACO__FN bool taco__convert_collection_to_taco2(taco__conversion *f, taco__json_doc *doc);
/* Appends the old collection for a TACO 2 dataset. */
TACO__FN bool taco__convert_collection_from_taco2(taco__conversion *f, taco__buf *out);

/* ---- to_taco2.c ---- */

/* A level of the new dataset. */
typedef struct taco__to_taco2_level {
    size_t *rows; /* rows of the old table; SIZE_MAX for padding */
    size_t row_count;
    taco_field *fields;
    taco_array *arrays; /* their values, in the new order */
    size_t column_count;
} taco__to_taco2_level;

/* State of taco_convert_to_taco2, and context of the container writer. */
typedef struct taco__to_taco2 {
    taco__conversion f;
    taco__legacy *state; /* state of the source */
    taco__tree tree;
    taco__to_taco2_level levels[TACO__MAX_LEVELS];
    uint32_t depth;
    uint32_t most;    /* most levels to convert; tortillas nested deeper become FILEs */
    uint8_t *chosen;  /* bitmap of the rows of level 0; NULL: all */
    bool renamed;     /* ids were changed: the old ones are kept, as tortilla:id */
    uint32_t reading; /* level being read by the writer, */
    bool batch_done;  /* and whether its only batch has been read */
    taco__container_writer *writer;
    uint32_t last; /* file that the last sample came from */
} taco__to_taco2;

/* ---- to_taco2_tree.c ---- */

/* Fills tree, depth and the rows of all levels, and checks the tree. */
TACO__FN bool taco__to_taco2_tree_build(taco__to_taco2 *c);

/* ---- to_taco2_columns.c ---- */

/* Makes the columns of a level whose rows are known. */
TACO__FN bool taco__to_taco2_columns_add(taco__to_taco2 *c, uint32_t level);

/* ---- from_taco2.c ---- */

/* The rows of a level, including padding, read through the public API. */
typedef struct taco__from_taco2_level {
    taco_batch rows;
    const taco_array *id, *type, *current, *parent;
    taco_array *columns; /* columns of the old footer */
    size_t count;
    taco__tortilla_sort_key *by_parent; /* rows sorted by their parent's row in the level above */
    const char **keys;                  /* keys for taco_payload */
} taco__from_taco2_level;

/* State of taco_convert_from_taco2; levels[k] is read before nodes are built from it. */
typedef struct taco__from_taco2 {
    taco__conversion f;
    taco__tortilla_writer w;
    taco__from_taco2_level levels[TACO__MAX_LEVELS];
    uint32_t depth;
} taco__from_taco2;

/* True if row i of a level is a FOLDER. */
TACO__FN bool taco__from_taco2_is_folder(const taco__from_taco2_level *l, size_t i);

/* ---- from_taco2_columns.c ---- */

/* Makes the columns of the old footer for a level that has been read. */
TACO__FN bool taco__from_taco2_columns_make(taco__from_taco2 *b, taco__from_taco2_level *l);

/* ---- metadata_export.c ---- */

/* A document being written. Failures are sticky, in json.ok. Data cards, which are Markdown, are
   appended to json.out with taco__metadata_puts. */
typedef struct taco__metadata_writer {
    taco__json_writer json;
    const taco__json *root; /* root of the collection */
    const char *path;       /* path of the dataset */
    taco_dataset *ds;
    taco__arena *arena;
    taco_collection_export_options opt;
    size_t items; /* items written so far of a list in text */
} taco__metadata_writer;

/* Write values; key is NULL in an array. Texts or values that are empty or null in the collection
   are omitted, with their key. */
TACO__FN void taco__metadata_begin(taco__metadata_writer *a, const char *key, char bracket);
TACO__FN void taco__metadata_end(taco__metadata_writer *a, char bracket);
TACO__FN void taco__metadata_text(taco__metadata_writer *a, const char *key, taco_bytes text);
TACO__FN void taco__metadata_string(taco__metadata_writer *a, const char *key, const char *text);
TACO__FN void taco__metadata_number(taco__metadata_writer *a, const char *key, double x);
TACO__FN void taco__metadata_value(taco__metadata_writer *a, const char *key, const taco__json *n);
/* Writes before, text and after as one string. */
TACO__FN void taco__metadata_joined(taco__metadata_writer *a, const char *key, taco_bytes before,
                                    taco_bytes text, taco_bytes after);
/* Writes the address of a licence's page at SPDX. */
TACO__FN void taco__metadata_license(taco__metadata_writer *a, const char *key, taco_bytes id);

/* The text of a member; {NULL, 0} if there is none. */
TACO__FN taco_bytes taco__metadata_text_of(const taco__json *n, const char *key);
/* A member of the collection, or of the old one kept in it: TACO 2 has no name for some. */
TACO__FN const taco__json *taco__metadata_member(const taco__metadata_writer *a, const char *key);
/* The text of a member of the collection itself. */
TACO__FN taco_bytes taco__metadata_member_text(const taco__metadata_writer *a, const char *key);
/* The text of member `one`, or of the first item in `list`, or of member `inner` of that item. */
TACO__FN taco_bytes taco__metadata_first_text(const taco__json *n, const char *one,
                                              const char *list, const char *inner);
/* Calls `each` for the elements of an array, in order. */
TACO__FN void taco__metadata_each(taco__metadata_writer *a, const taco__json *list,
                                  void (*each)(taco__metadata_writer *a, const taco__json *n));
/* The name of a person, or of the organization if there is none. */
TACO__FN taco_bytes taco__metadata_person_name(const taco__json *who);
/* A page about a person: member url in TACO 2, the first of links in TACO 0.x. */
TACO__FN taco_bytes taco__metadata_person_url(const taco__json *who);
/* The organization of a person: organization, or affiliation in TACO 0.2.0. */
TACO__FN taco_bytes taco__metadata_person_house(const taco__json *who);
/* Who prepared the data: curators, or data_curator in TACO 0.2.0; NULL if nobody is named. */
TACO__FN const taco__json *taco__metadata_curators(const taco__metadata_writer *a);
/* Calls `each` for every task: those of TACO 2, and the single text of TACO 0.x if it differs. */
TACO__FN void taco__metadata_each_task(taco__metadata_writer *a,
                                       void (*each)(taco__metadata_writer *a,
                                                    const taco__json *task));
/* Writes a text as an element of an array. */
TACO__FN void taco__metadata_item(taco__metadata_writer *a, const taco__json *text);
/* The title, or the id if there is none. */
TACO__FN taco_bytes taco__metadata_title(const taco__metadata_writer *a);
/* The DOI of the dataset. */
TACO__FN taco_bytes taco__metadata_doi(const taco__metadata_writer *a);
/* Start and end of the extent; false if one is missing. */
TACO__FN bool taco__metadata_time_range(const taco__metadata_writer *a, taco_bytes out[2]);
/* West, south, east, north of the box around all boxes of the extent; false if there is none. */
TACO__FN bool taco__metadata_bbox(const taco__metadata_writer *a, double box[4]);
/* Publications about the dataset, and bands of its images; NULL if the collection has none. */
TACO__FN const taco__json *taco__metadata_publications(const taco__metadata_writer *a);
TACO__FN const taco__json *taco__metadata_bands(const taco__metadata_writer *a);
/* The part of a path after the last slash. */
TACO__FN const char *taco__metadata_base_name(const char *path);
/* Media type of the dataset's file: that of Tortilla 0.5.0 "Media Type", or of a ZIP archive. */
TACO__FN const char *taco__metadata_media_type(const taco__metadata_writer *a);

/* ---- metadata_stac.c, metadata_datacite.c, metadata_datacard.c, metadata_croissant.c ---- */

/* Write the four documents completely; failures are in a->json.ok. */
TACO__FN void taco__metadata_stac(taco__metadata_writer *a);
TACO__FN void taco__metadata_datacite(taco__metadata_writer *a);
TACO__FN void taco__metadata_datacard(taco__metadata_writer *a);
TACO__FN void taco__metadata_croissant(taco__metadata_writer *a);

#endif /* TACO__LEGACY_H */
/* ==== src/legacy/array_concat.c ==== */
/* array_concat.c - concatenates slices of arrays, and unifies the fields of columns

   In: slices of arrays, in the order of their rows, some of them nulls; out: one array in an
   arena that shares nothing with them. The tables of old files are small compared with their
   payloads and come in pieces: a footer per nested tortilla, rows in another order, files with
   different columns. So their columns are copied into whole arrays: first the fields are unified
   (taco__concat_unify_field), then the values are copied (taco__concat_arrays), with numbers and
   times converted if the fields differ. Layouts are those of the Arrow columnar format.

   Columns are copied a slice at a time, which is why this is not arrow/builder.c. */
/* #include "legacy.h" */
/* #include "../base/base.h" */
/* #include "../arrow/arrow.h" */
/* #include "../dataset/dataset.h" */

/* ---- fields ---- */

TACO__FN bool taco__concat_is_float(taco_type t)
{
    return t == TACO_HALF || t == TACO_FLOAT || t == TACO_DOUBLE;
}

TACO__FN bool taco__concat_is_integer(taco_type t)
{
    return t >= TACO_INT8 && t <= TACO_UINT64;
}

static bool taco__concat_is_number(taco_type t)
{
    return taco__concat_is_integer(t) || taco__concat_is_float(t);
}

/* Index of the child with that name, TACO__NONE if there is none. */
static size_t taco__concat_find_child(const taco_field *f, const char *name)
{
    return taco__cursor_column_find_field(f->children, f->child_count, name);
}

/* Unifies the children of two fields: those of a STRUCT by name, in order of first occurrence,
   those of lists and maps by position. Values of a missing child are null. */
static bool taco__concat_unify_children(taco__arena *arena, taco_field *f, const taco_field *other,
                                        uint32_t depth, taco_error *err)
{
    taco_field *list = (taco_field *)taco__arena_array(
        arena, (size_t)f->child_count + other->child_count, sizeof *list, err);
    uint32_t i, n = f->child_count;
    if (!list) { return false; }
    if (n) { memcpy(list, f->children, n * sizeof *list); }
    for (i = 0; i < other->child_count; i++) {
        const taco_field *c = &other->children[i];
        size_t at = f->type == TACO_STRUCT ? taco__concat_find_child(f, c->name) : (size_t)i;
        if (at == TACO__NONE || at >= f->child_count) {
            list[n] = *c;
            list[n++].nullable = true;
        } else if (!taco__concat_unify_field(arena, &list[at], c, depth + 1, err)) {
            return false;
        }
    }
    f->children = list;
    f->child_count = n;
    return true;
}

/* Unifies two numeric types: INT64 if it holds both, else DOUBLE. */
static void taco__concat_unify_numbers(taco_field *f, taco_type a, taco_type b)
{
    bool whole = taco__concat_is_integer(a) && taco__concat_is_integer(b) && a != TACO_UINT64 &&
                 b != TACO_UINT64;
    f->type = whole ? TACO_INT64 : TACO_DOUBLE;
    f->width = 8;
}

/* Turns f, all null so far, into a field like the other one, keeping its name. */
static void taco__concat_adopt_type(taco_field *f, const taco_field *other)
{
    const char *name = f->name;
    *f = *other;
    f->name = name;
    f->nullable = true;
}

TACO__FN bool taco__concat_unify_field(taco__arena *arena, taco_field *f, const taco_field *other,
                                       uint32_t depth, taco_error *err)
{
    taco_type a = f->type, b = other->type;
    f->nullable = true;
    if (b == TACO_NULL || depth > TACO__DEFAULT_MAX_DEPTH) { return true; }
    if (a == TACO_NULL) {
        taco__concat_adopt_type(f, other);
        return true;
    }
    if (a != b && taco__concat_is_number(a) && taco__concat_is_number(b)) {
        taco__concat_unify_numbers(f, a, b);
        return true;
    }
    if (a == b && a == TACO_TIMESTAMP && f->utc == other->utc) {
        f->unit = TACO__MAX(f->unit, other->unit);
        return true;
    }
    if (a == b && (a == TACO_LIST || a == TACO_STRUCT || a == TACO_MAP)) {
        return taco__concat_unify_children(arena, f, other, depth, err);
    }
    if (!taco__unify_same_type(f, other)) {
        taco_bytes name = taco__bytes_text(f->name);
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET, "column %q has two types", &name);
        return false;
    }
    return true;
}

/* ---- values ---- */

/* True if a validity bitmap is needed: for a slice without an array, an array with a bitmap, or one
   of type NULL whose rows become nulls of another type. */
static bool taco__concat_has_nulls(const taco_field *f, const taco__concat_slice *p, size_t count)
{
    size_t i;
    for (i = 0; i < count; i++) {
        if (p[i].n && (!p[i].a || p[i].a->validity ||
                       (p[i].a->field->type == TACO_NULL && f->type != TACO_NULL))) {
            return true;
        }
    }
    return false;
}

/* True if row k of a slice has a value. */
TACO__INLINE bool taco__concat_is_valid(const taco__concat_slice *p, size_t k)
{
    return p->a && taco_array_valid(p->a, p->first + k);
}

/* The validity bitmap of all slices, and the null count. Without nulls there is no bitmap, as Arrow
   allows; a column of type NULL has none either, and counts every row. */
static bool taco__concat_validity(taco__arena *arena, const taco_field *f,
                                  const taco__concat_slice *p, size_t count, taco_array *out,
                                  taco_error *err)
{
    uint8_t *bits;
    size_t i, k, at = 0;
    if (f->type == TACO_NULL) {
        out->null_count = out->length;
        return true;
    }
    if (!taco__concat_has_nulls(f, p, count)) { return true; }
    bits = (uint8_t *)taco__arena_alloc(arena, TACO__BITMAP_BYTES(out->length) + 8, err);
    for (i = 0; bits && i < count; i++) {
        for (k = 0; k < p[i].n; k++, at++) {
            if (taco__concat_is_valid(&p[i], k)) {
                taco__bitmap_set(bits, at);
            } else {
                out->null_count++;
            }
        }
    }
    out->validity = out->null_count ? bits : NULL;
    return bits != NULL;
}

/* The array that stores the value of row i of a, and the index *at in it. */
TACO__INLINE const taco_array *taco__concat_find_value(const taco_array *a, size_t i, size_t *at)
{
    *at = a->dictionary ? (size_t)a->v.i32[i] : i;
    return a->dictionary ? a->dictionary : a;
}

/* The offsets of all texts; *total is their length in bytes. NULL on failure. */
static int32_t *taco__concat_text_offsets(taco__arena *arena, const taco__concat_slice *p,
                                          size_t count, size_t rows, size_t *total, taco_error *err)
{
    int32_t *offsets = (int32_t *)taco__arena_array(arena, rows + 1, sizeof *offsets, err);
    uint64_t sum = 0;
    size_t i, k, at, row = 0;
    for (i = 0; offsets && i < count; i++) {
        for (k = 0; k < p[i].n; k++) {
            if (taco__concat_is_valid(&p[i], k)) {
                const taco_array *v = taco__concat_find_value(p[i].a, p[i].first + k, &at);
                sum += (uint32_t)(v->offsets[at + 1] - v->offsets[at]);
            }
            if (sum > INT32_MAX) {
                TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                           "more than %u bytes of text in a column", TACO__U(INT32_MAX));
                return NULL;
            }
            offsets[++row] = (int32_t)sum;
        }
    }
    *total = (size_t)sum;
    return offsets;
}

/* Text and binary: offsets first, so that the bytes can be allocated in one piece. A null has no
   bytes. */
static bool taco__concat_text(taco__arena *arena, const taco__concat_slice *p, size_t count,
                              taco_array *out, taco_error *err)
{
    size_t i, k, at, row = 0, total = 0;
    int32_t *offsets = taco__concat_text_offsets(arena, p, count, out->length, &total, err);
    uint8_t *to = offsets ? (uint8_t *)taco__arena_alloc(arena, total + TACO__PAD, err) : NULL;
    out->offsets = offsets;
    out->v.any = to;
    for (i = 0; to && i < count; i++) {
        for (k = 0; k < p[i].n; k++, row++) {
            size_t n = (size_t)(offsets[row + 1] - offsets[row]);
            if (n) {
                const taco_array *v = taco__concat_find_value(p[i].a, p[i].first + k, &at);
                memcpy(to + offsets[row], v->v.u8 + v->offsets[at], n);
            }
        }
    }
    return to != NULL;
}

/* Converts ticks to a finer unit, clamped to the range of int64. */
static int64_t taco__concat_scale_ticks(int64_t x, taco_unit from, taco_unit to)
{
    for (; from < to; from = (taco_unit)(from + 1)) {
        if (x > INT64_MAX / 1000 || x < INT64_MIN / 1000) { return x < 0 ? INT64_MIN : INT64_MAX; }
        x *= 1000;
    }
    return x;
}

/* True if values of a can be copied to f unchanged. */
static bool taco__concat_same_values(const taco_field *f, const taco_array *a)
{
    return a->field->type == f->type && a->field->width == f->width &&
           (f->type != TACO_TIMESTAMP || a->field->unit == f->unit);
}

/* Converts one value of another type: a number, or a time of a coarser unit. */
static void taco__concat_convert(const taco_field *f, const taco_array *a, const taco_array *v,
                                 size_t at, uint8_t *to)
{
    if (f->type == TACO_DOUBLE) {
        double d = taco_array_double(v, at);
        memcpy(to, &d, 8);
    } else {
        int64_t x = taco_array_int(v, at);
        x = f->type == TACO_TIMESTAMP ? taco__concat_scale_ticks(x, a->field->unit, f->unit) : x;
        memcpy(to, &x, 8);
    }
}

/* Copies the values of one slice with a fixed width; those of null rows stay zero. */
static void taco__concat_fixed_slice(const taco_field *f, const taco__concat_slice *p, uint8_t *to)
{
    size_t width = (size_t)f->width, k, at;
    bool same = taco__concat_same_values(f, p->a);
    if (same && !p->a->dictionary) {
        memcpy(to, p->a->v.u8 + p->first * width, p->n * width);
        return;
    }
    for (k = 0; k < p->n; k++) {
        const taco_array *v;
        if (!taco_array_valid(p->a, p->first + k)) { continue; }
        v = taco__concat_find_value(p->a, p->first + k, &at);
        if (same) {
            memcpy(to + k * width, v->v.u8 + at * width, width);
        } else {
            taco__concat_convert(f, p->a, v, at, to + k * 8);
        }
    }
}

/* Values of a fixed width. Nulls stay zero: the arena supplies cleared memory. */
static bool taco__concat_fixed(taco__arena *arena, const taco_field *f, const taco__concat_slice *p,
                               size_t count, taco_array *out, taco_error *err)
{
    size_t width = (size_t)f->width, bytes, i;
    uint8_t *to;
    if (!taco__checked_mul_size(out->length, width, &bytes) ||
        !taco__checked_add_size(bytes, TACO__PAD, &bytes)) {
        TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u rows",
                   TACO__U(out->length));
        return false;
    }
    to = (uint8_t *)taco__arena_alloc(arena, bytes, err);
    out->v.any = to;
    for (i = 0; to && i < count; i++) {
        if (p[i].a && p[i].a->field->type != TACO_NULL) { taco__concat_fixed_slice(f, &p[i], to); }
        to += p[i].n * width;
    }
    return to != NULL;
}

/* Bits. Slices may begin in the middle of a byte, so bits are copied one by one. */
static bool taco__concat_bools(taco__arena *arena, const taco__concat_slice *p, size_t count,
                               taco_array *out, taco_error *err)
{
    uint8_t *to = (uint8_t *)taco__arena_alloc(arena, TACO__BITMAP_BYTES(out->length) + 8, err);
    size_t i, k, at, row = 0;
    out->v.any = to;
    for (i = 0; to && i < count; i++) {
        for (k = 0; k < p[i].n; k++, row++) {
            if (taco__concat_is_valid(&p[i], k)) {
                const taco_array *v = taco__concat_find_value(p[i].a, p[i].first + k, &at);
                if (taco__bitmap_get(v->v.u8, at)) { taco__bitmap_set(to, row); }
            }
        }
    }
    return to != NULL;
}

/* ---- nested values ---- */

/* The array of a slice if it has the type of f; else NULL: its rows have no children. */
static const taco_array *taco__concat_nested_array(const taco_field *f, const taco__concat_slice *p)
{
    return p->a && p->a->field->type == f->type ? p->a : NULL;
}

/* The offsets of all lists; NULL on failure. */
static int32_t *taco__concat_list_offsets(taco__arena *arena, const taco_field *f,
                                          const taco__concat_slice *p, size_t count, size_t rows,
                                          taco_error *err)
{
    int32_t *offsets = (int32_t *)taco__arena_array(arena, rows + 1, sizeof *offsets, err);
    uint64_t total = 0;
    size_t i, k, row = 0;
    for (i = 0; offsets && i < count; i++) {
        const taco_array *a = taco__concat_nested_array(f, &p[i]);
        for (k = p[i].first; k < p[i].first + p[i].n; k++) {
            total += a ? (uint32_t)(a->offsets[k + 1] - a->offsets[k]) : 0;
            if (total > INT32_MAX) {
                TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                           "more than %u list elements in a column", TACO__U(INT32_MAX));
                return NULL;
            }
            offsets[++row] = (int32_t)total;
        }
    }
    return offsets;
}

/* The slice of child c below a slice of f. */
static void taco__concat_child_slice(const taco_field *f, const taco__concat_slice *p, uint32_t c,
                                     taco__concat_slice *out)
{
    const taco_array *a = taco__concat_nested_array(f, p);
    size_t at;
    *out = *p;
    out->a = NULL;
    if (f->type == TACO_STRUCT) {
        at = a ? taco__concat_find_child(a->field, f->children[c].name) : TACO__NONE;
        if (at != TACO__NONE) { out->a = &a->children[at]; }
    } else {
        out->n = a ? (size_t)(a->offsets[p->first + p->n] - a->offsets[p->first]) : 0;
        if (a) {
            out->first = (size_t)a->offsets[p->first];
            out->a = &a->children[c];
        }
    }
}

/* Children of lists and structs: slices of the children. */
static bool taco__concat_children(taco__arena *arena, const taco_field *f,
                                  const taco__concat_slice *p, size_t count, taco_array *out,
                                  taco_error *err)
{
    bool lists = f->type != TACO_STRUCT;
    taco__concat_slice *below =
        (taco__concat_slice *)taco__arena_array(arena, count, sizeof *below, err);
    taco_array *children =
        (taco_array *)taco__arena_array(arena, f->child_count, sizeof *children, err);
    size_t i;
    uint32_t c;
    if (lists) { out->offsets = taco__concat_list_offsets(arena, f, p, count, out->length, err); }
    if (!below || !children || (lists && !out->offsets)) { return false; }
    out->children = children;
    for (c = 0; c < f->child_count; c++) {
        for (i = 0; i < count; i++) {
            taco__concat_child_slice(f, &p[i], c, &below[i]);
        }
        if (!taco__concat_arrays(arena, &f->children[c], below, count, &children[c], err)) {
            return false;
        }
    }
    return true;
}

TACO__FN bool taco__concat_arrays(taco__arena *arena, const taco_field *f,
                                  const taco__concat_slice *p, size_t count, taco_array *out,
                                  taco_error *err)
{
    size_t i;
    memset(out, 0, sizeof *out);
    out->field = f;
    for (i = 0; i < count; i++) {
        out->length += p[i].n;
    }
    if (!taco__concat_validity(arena, f, p, count, out, err)) { return false; }
    switch (f->type) {
    case TACO_NULL: return true;
    case TACO_LIST:
    case TACO_MAP:
    case TACO_STRUCT: return taco__concat_children(arena, f, p, count, out, err);
    case TACO_BOOL: return taco__concat_bools(arena, p, count, out, err);
    default:
        return taco__array_is_var_length(f) ? taco__concat_text(arena, p, count, out, err)
                                            : taco__concat_fixed(arena, f, p, count, out, err);
    }
}
/* ==== src/legacy/tortilla_read.c ==== */
/* tortilla_read.c - one header and one footer of a Tortilla or TACO 0.x file

   In: an open file and the offset of a tortilla in it: 0 unless it is nested. Out: the ranges in
   its header, all within the file, and the table of its footer, in an arena, with the offsets of
   its samples checked and made relative to the file. Spec: Tortilla 0.5.0 "Format", TACO 0.2.0
   "Data format". Headers, all numbers little-endian:

       0  "#y", "WX" with a collection
       2  footer: offset, length, 8 bytes each
       18 number of parts; before 0.3 the format of all samples, 24 bytes, padded with blanks
       26 collection: offset, length; before 0.3 the parts at 42, the collection at 50
       200 (of the first writers 50, with 32 for the format) payloads

   Footers are Parquet, or JSON in files of 2024-09. Start reading at taco__tortilla_read_header. */
/* #include "legacy.h" */
/* #include "../base/base.h" */
/* #include "../base/json.h" */
/* #include "../parquet/parquet.h" */
/* #include "../dataset/dataset.h" */

/* ---- headers ---- */

/* Copies text padded with blanks; NULL if out of memory. */
static const char *taco__tortilla_read_driver(taco__arena *arena, const uint8_t *p, size_t n,
                                              taco_error *err)
{
    while (n && p[n - 1] == ' ') {
        n--;
    }
    return taco__arena_text(arena, taco__bytes_of(p, n), err);
}

/* True for ASCII without control characters, like the name of a driver. */
static bool taco__tortilla_is_printable(const uint8_t *p, size_t n)
{
    size_t i;
    for (i = 0; i < n; i++) {
        if (p[i] < 0x20 || p[i] > 0x7E) { return false; }
    }
    return true;
}

/* Reads the range in the header at byte `at`, relative to the tortilla; it must lie in the file. */
static bool taco__tortilla_read_range(const taco__file *file, const taco__tortilla *t,
                                      const uint8_t *p, size_t at, const char *what,
                                      taco__range *out, taco_error *err)
{
    uint64_t offset = taco__load_le64(p + at), len = taco__load_le64(p + at + 8);
    if (!taco__checked_add64(t->base, offset, &out->offset) ||
        !taco__checked_range(out->offset, len, file->src.size)) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, t->base + at,
                   "the %s has %u bytes at %u, the file ends at %u", what, len, out->offset,
                   file->src.size);
        return false;
    }
    if (out->offset < t->body) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, t->base + at,
                   "the %s at %u lies in the header, which ends at %u", what, out->offset, t->body);
        return false;
    }
    out->len = len;
    return true;
}

/* Reads the first 200 bytes, or as many as there are. */
static bool taco__tortilla_read_bytes(taco__file *file, uint64_t base, uint8_t *p, taco_error *err)
{
    uint64_t have = base < file->src.size ? file->src.size - base : 0;
    size_t n = (size_t)TACO__MIN(have, (uint64_t)TACO__TORTILLA_HEADER_BYTES);
    memset(p, 0, TACO__TORTILLA_HEADER_BYTES);
    if (n < TACO__TORTILLA_FIRST_HEADER_BYTES) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, base,
                   "a Tortilla header has 50 or 200 bytes, %u are there", TACO__U(n));
        return false;
    }
    if (!taco__file_read(file, base, p, n, err)) { return false; }
    if (memcmp(p, "#y", 2) != 0 && memcmp(p, "WX", 2) != 0) {
        taco_bytes magic = taco__bytes_of(p, 2);
        TACO__FAIL(err, TACO_ERR_CORRUPT, base, "a Tortilla begins with '#y' or 'WX', found %q",
                   &magic);
        return false;
    }
    return true;
}

/* Reads a header from before 0.3: printable text in place of the number of parts, which would be
   2^56 or more. *collection is the position of its range, 0 if it has none. */
static bool taco__tortilla_read_old_header(const uint8_t *p, uint64_t base, taco__arena *arena,
                                           taco__tortilla *out, size_t *collection, taco_error *err)
{
    bool first = memcmp(p + 42, "        ", 8) == 0;
    out->driver = taco__tortilla_read_driver(arena, p + 18, first ? 32 : 24, err);
    out->parts = first ? 1 : taco__load_le64(p + 42);
    out->body = base + (first ? TACO__TORTILLA_FIRST_HEADER_BYTES : TACO__TORTILLA_HEADER_BYTES);
    *collection = first ? 0 : 50;
    return out->driver != NULL;
}

TACO__FN bool taco__tortilla_read_header(taco__file *file, uint64_t base, taco__arena *arena,
                                         taco__tortilla *out, taco_error *err)
{
    uint8_t p[TACO__TORTILLA_HEADER_BYTES];
    size_t collection = 26;
    memset(out, 0, sizeof *out);
    out->base = base;
    out->parts = 1;
    if (!taco__tortilla_read_bytes(file, base, p, err)) { return false; }
    if (taco__tortilla_is_printable(p + 18, 8)) {
        if (!taco__tortilla_read_old_header(p, base, arena, out, &collection, err)) {
            return false;
        }
    } else {
        out->parts = taco__load_le64(p + 18);
        out->body = base + TACO__TORTILLA_HEADER_BYTES;
    }
    return taco__tortilla_read_range(file, out, p, 2, "footer", &out->footer, err) &&
           (!collection || taco__load_le64(p + collection + 8) == 0 ||
            taco__tortilla_read_range(file, out, p, collection, "collection", &out->collection,
                                      err));
}

/* ---- columns of a footer ---- */

/* True for columns of a pandas index and those made by readers: a footer may have been written from
   a table that was read. index: the texts of index_columns. */
static bool taco__tortilla_is_hidden_column(const char *name, const taco__hash_map *index)
{
    static const char *const made[] = {
        "internal:subfile", "internal:parent_id",     "internal:current_id",  "internal:offset",
        "internal:size",    "internal:relative_path", "internal:source_file", "internal:gdal_vsi",
        "internal:id",      "internal:type"};
    size_t i, n = strlen(name);
    if (strncmp(name, "__index_level_", 14) == 0 && n > 16 && strcmp(name + n - 2, "__") == 0) {
        return true;
    }
    for (i = 0; i < TACO__COUNT(made); i++) {
        if (strcmp(name, made[i]) == 0) { return true; }
    }
    return strncmp(name, "tortilla:", 9) != 0 && taco__hash_map_find(index, taco__bytes_text(name));
}

/* Adds the names in index_columns of the pandas metadata, if there are any, to a map. */
static bool taco__tortilla_index_names(const taco_pq_file *pq, taco__arena *arena,
                                       taco__hash_map *names, taco_error *err)
{
    taco__json_doc doc;
    const taco__json *list, *name;
    taco_bytes pandas = taco_pq_key_value(pq, "pandas");
    taco_error none;
    size_t i;
    bool added;
    memset(&none, 0, sizeof none);
    if (!pandas.data) { return true; }
    if (taco__json_parse(arena, pandas, &pq->options.limits, &doc, &none) != TACO_OK) {
        bool machine = taco__error_is_of_machine(&none);
        if (machine) { *err = none; }
        return !machine; /* other metadata than that of pandas says nothing about columns */
    }
    list = taco__json_get(doc.root, "index_columns");
    for (i = 0, name = taco__json_first(list); i < taco__json_length(list);
         i++, name = taco__json_next(name)) {
        if (taco__json_text(name) &&
            !taco__hash_map_add(names, taco__json_bytes(name), &added, err)) {
            return false;
        }
    }
    return true;
}

/* Lists the columns of a footer that are shown, in which[0..*n). */
static bool taco__tortilla_list_columns(const taco_pq_file *pq, const taco__table *t,
                                        taco__arena *arena, size_t *which, size_t *n,
                                        taco_error *err)
{
    taco__hash_map index;
    size_t i;
    bool ok;
    memset(&index, 0, sizeof index);
    index.mem = arena->mem;
    ok = taco__tortilla_index_names(pq, arena, &index, err);
    for (*n = 0, i = 0; ok && i < t->field_count; i++) {
        if (!taco__tortilla_is_hidden_column(t->fields[i].name, &index)) { which[(*n)++] = i; }
    }
    taco__hash_map_free(&index);
    return ok;
}

/* A column that every footer has, with its type. TACO__NONE on failure. */
static size_t taco__tortilla_find_column(const taco__table *t, const char *name, bool text,
                                         taco_error *err)
{
    size_t c = taco__table_find_column(t, name);
    if (c == TACO__NONE) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "there is no column %s", name);
    } else if (text ? t->fields[c].type != TACO_TEXT
                    : !taco__concat_is_integer(t->fields[c].type)) {
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET, "column %s is no %s", name,
                   text ? "text" : "integer");
        c = TACO__NONE;
    }
    return c;
}

/* Computes the offset in the file of the sample in row i, and checks its range. */
static bool taco__tortilla_resolve_row(const taco__tortilla_table *t, size_t i, uint64_t base,
                                       uint64_t size, int64_t *out, taco_error *err)
{
    const taco_array *offsets = &t->t.arrays[t->offset], *lengths = &t->t.arrays[t->length];
    int64_t offset = taco_array_int(offsets, i), length = taco_array_int(lengths, i);
    uint64_t place;
    if (!taco_array_valid(offsets, i) || !taco_array_valid(lengths, i) || offset < 0 ||
        length < 0) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "row %u: tortilla:offset %d and tortilla:length %d, both must be there and "
                   "0 or more",
                   TACO__U(i), TACO__D(offset), TACO__D(length));
        return false;
    }
    if (!taco__checked_add64(base, (uint64_t)offset, &place) ||
        !taco__checked_range(place, (uint64_t)length, size)) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, TACO_NO_OFFSET,
                   "row %u: %u bytes at %u, the file ends at %u", TACO__U(i), TACO__U(length),
                   TACO__U(offset) + base, size);
        return false;
    }
    *out = (int64_t)place;
    return true;
}

/* Checks that every row lies in the file, and makes offsets relative to it: the column becomes
   INT64. */
static bool taco__tortilla_resolve_offsets(taco__tortilla_table *t, uint64_t base, uint64_t size,
                                           taco__arena *arena, taco_error *err)
{
    taco_array *column = (taco_array *)&t->t.arrays[t->offset];
    taco_field *f = (taco_field *)column->field;
    int64_t *at = (int64_t *)taco__arena_array(arena, (size_t)t->t.rows + 8, sizeof *at, err);
    size_t i;
    if (!at) { return false; }
    for (i = 0; i < t->t.rows; i++) {
        if (!taco__tortilla_resolve_row(t, i, base, size, &at[i], err)) { return false; }
    }
    f->type = TACO_INT64;
    f->width = 8;
    column->v.any = at;
    column->dictionary = NULL;
    return true;
}

/* ---- Parquet footers ---- */

/* Copies columns `which` of the rows of an open footer into the arena. */
static bool taco__tortilla_copy_columns(taco__row_reader *rows, const taco__table *from,
                                        const size_t *which, size_t n, taco__arena *arena,
                                        taco_field *fields, taco_array *arrays, taco_error *err)
{
    size_t i;
    if (!taco__row_reader_read_range(rows, 0, (size_t)from->rows, err)) { return false; }
    for (i = 0; i < n; i++) {
        taco__concat_slice p;
        p.a = &rows->arrays[i];
        p.first = 0;
        p.n = (size_t)from->rows;
        if (!taco__field_copy(arena, &from->fields[which[i]], &fields[i], err) ||
            !taco__concat_arrays(arena, &fields[i], &p, 1, &arrays[i], err)) {
            return false;
        }
    }
    return true;
}

/* Reads all columns of a footer into the arena, so that the Parquet file can be closed. */
static bool taco__tortilla_copy_table(taco__container *s, taco_pq_file *pq, const taco__table *from,
                                      taco__arena *arena, taco__table *out, taco_error *err)
{
    size_t *which = (size_t *)taco__arena_array(arena, from->field_count + 1, sizeof *which, err);
    taco_field *fields;
    taco_array *arrays;
    taco__row_reader rows;
    size_t n;
    bool ok;
    if (!which || !taco__tortilla_list_columns(pq, from, arena, which, &n, err)) { return false; }
    fields = (taco_field *)taco__arena_array(arena, n + 1, sizeof *fields, err);
    arrays = (taco_array *)taco__arena_array(arena, n + 1, sizeof *arrays, err);
    if (!fields || !arrays || !taco__row_reader_open(&rows, from, which, n, s->mem, err)) {
        return false;
    }
    ok = taco__tortilla_copy_columns(&rows, from, which, n, arena, fields, arrays, err);
    taco__row_reader_close(&rows);
    out->fields = fields;
    out->arrays = arrays;
    out->field_count = out->stored = n;
    out->rows = from->rows;
    return ok;
}

/* Reads the rows of an open footer, and its pointer to the next one of a chain. */
static bool taco__tortilla_read_open(taco__container *s, taco_pq_file *pq, const taco__table *t,
                                     taco__arena *arena, taco__tortilla_table *out, taco_error *err)
{
    taco_bytes pointer = taco_pq_key_value(pq, "pointer");
    if (t->rows > INT32_MAX) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "%u rows, at most %u are read", t->rows,
                   TACO__U(INT32_MAX));
        return false;
    }
    if (!taco__tortilla_copy_table(s, pq, t, arena, &out->t, err)) { return false; }
    if (!pointer.data) { return true; }
    out->pointer.data = (const uint8_t *)taco__arena_text(arena, pointer, err);
    out->pointer.len = pointer.len;
    return out->pointer.data != NULL;
}

/* Reads a footer in Parquet, the only format since the first writers. */
static bool taco__tortilla_read_parquet(taco__container *s, taco__file *file, taco__range range,
                                        taco__arena *arena, taco__tortilla_table *out,
                                        taco_error *err)
{
    taco_pq_file pq;
    taco__table t;
    bool ok;
    if (!taco__container_open_table(s, file, range, "footer", false, arena, &pq, &t, err)) {
        return false;
    }
    ok = taco__tortilla_read_open(s, &pq, &t, arena, out, err);
    taco__pq_file_close(&pq);
    return ok;
}

/* ---- JSON footers ---- */

/* The three columns of the first footers, under construction. */
typedef struct taco__tortilla_members {
    char *text; /* ids, concatenated */
    int32_t *ends;
    int64_t *offset, *length;
} taco__tortilla_members;

/* The text of a document has less than 2^31 bytes, so the ends fit. */
static bool taco__tortilla_parse_members(const taco__json *root, uint64_t at,
                                         taco__tortilla_members *m, taco_error *err)
{
    const taco__json *key = taco__json_first(root);
    uint32_t i;
    for (i = 0; i < root->count; i++, key = taco__json_next(key + 1)) {
        taco_bytes id = taco__json_bytes(key);
        if (taco__json_length(key + 1) != 2 ||
            !taco__json_int(taco__json_at(key + 1, 0), &m->offset[i]) ||
            !taco__json_int(taco__json_at(key + 1, 1), &m->length[i])) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, at + key[1].begin,
                       "sample %q is %s, must be [offset, length] of whole numbers", &id,
                       taco__json_type_name(key + 1));
            return false;
        }
        if (id.len) { memcpy(m->text + m->ends[i], id.data, id.len); }
        m->ends[i + 1] = m->ends[i] + (int32_t)id.len;
    }
    return true;
}

/* Makes the table of a document of n members. */
static bool taco__tortilla_make_table(const taco__tortilla_members *m, size_t n, taco__arena *arena,
                                      taco__table *out, taco_error *err)
{
    taco_field *f = (taco_field *)taco__arena_array(arena, 3, sizeof *f, err);
    taco_array *a = (taco_array *)taco__arena_array(arena, 3, sizeof *a, err);
    size_t i;
    if (!f || !a) { return false; }
    f[0] = taco__field_make("tortilla:id", TACO_TEXT);
    f[1] = taco__field_make("tortilla:offset", TACO_INT64);
    f[2] = taco__field_make("tortilla:length", TACO_INT64);
    for (i = 0; i < 3; i++) {
        f[i].nullable = false;
        a[i].field = &f[i];
        a[i].length = n;
    }
    a[0].offsets = m->ends;
    a[0].v.any = m->text;
    a[1].v.i64 = m->offset;
    a[2].v.i64 = m->length;
    out->fields = f;
    out->arrays = a;
    out->field_count = out->stored = 3;
    out->rows = n;
    return true;
}

/* Converts the members of a JSON footer to a table of three columns: id, offset and length. */
static bool taco__tortilla_parse_json(const taco__json_doc *doc, taco__range range,
                                      taco__arena *arena, taco__table *out, taco_error *err)
{
    size_t n = doc->root->count;
    taco__tortilla_members m;
    m.text = (char *)taco__arena_alloc(arena, (size_t)range.len + TACO__PAD, err);
    m.ends = (int32_t *)taco__arena_array(arena, n + 1, sizeof *m.ends, err);
    m.offset = (int64_t *)taco__arena_array(arena, n + 8, sizeof *m.offset, err);
    m.length = (int64_t *)taco__arena_array(arena, n + 8, sizeof *m.length, err);
    return m.text && m.ends && m.offset && m.length &&
           taco__tortilla_parse_members(doc->root, range.offset, &m, err) &&
           taco__tortilla_make_table(&m, n, arena, out, err);
}

/* Reads {"id": [offset, length], ...}, with offsets relative to the file; rows in the order of the
   text. */
static bool taco__tortilla_read_json(taco__container *s, taco__file *file, taco__range range,
                                     taco__arena *arena, taco__table *out, taco_error *err)
{
    taco__json_doc doc;
    taco__arena scratch;
    uint8_t *bytes;
    bool ok;
    scratch.mem = s->mem;
    scratch.head = NULL;
    bytes = (uint8_t *)taco__arena_alloc(&scratch, (size_t)range.len + 1, err);
    ok = bytes && taco__file_read(file, range.offset, bytes, (size_t)range.len, err) &&
         taco__json_parse_at(&scratch, taco__bytes_of(bytes, (size_t)range.len), range.offset,
                             &s->options->limits, &doc, err) == TACO_OK &&
         taco__tortilla_parse_json(&doc, range, arena, out, err);
    taco__arena_free(&scratch);
    return ok;
}

/* ---- footers ---- */

/* taco__sort_compare: by the names of columns, equal ones by position. */
static int taco__tortilla_compare_names(const void *ctx, const void *a, const void *b)
{
    const taco_field *f = (const taco_field *)ctx;
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    int order = strcmp(f[x].name, f[y].name);
    return order ? order : (x > y) - (x < y);
}

/* Fills by_name. */
static bool taco__tortilla_sort_names(taco__tortilla_table *t, taco__arena *arena, taco_error *err)
{
    size_t n = t->t.field_count, i;
    t->by_name = (size_t *)taco__arena_array(arena, n + 1, sizeof *t->by_name, err);
    for (i = 0; t->by_name && i < n; i++) {
        t->by_name[i] = i;
    }
    return t->by_name && taco__sort_in(arena->mem, t->by_name, n, sizeof *t->by_name,
                                       taco__tortilla_compare_names, t->t.fields, err);
}

TACO__FN size_t taco__tortilla_find_name(const taco__tortilla_table *t, const char *name)
{
    size_t at = 0, n = t->t.field_count;
    TACO__LOWER_BOUND(at, n, i, strcmp(t->t.fields[t->by_name[i]].name, name) < 0);
    return at < n && strcmp(t->t.fields[t->by_name[at]].name, name) == 0 ? t->by_name[at]
                                                                         : TACO__NONE;
}

/* The column that tells which rows are tortillas; TACO__NONE if none does. */
static size_t taco__tortilla_find_format(const taco__table *t)
{
    size_t c = taco__table_find_column(t, "tortilla:file_format");
    if (c == TACO__NONE) { c = taco__table_find_column(t, "internal:file_format"); }
    return c != TACO__NONE && t->fields[c].type == TACO_TEXT ? c : TACO__NONE;
}

/* Finds the columns that every footer has, and checks the ranges of the samples. */
static bool taco__tortilla_check_table(taco__tortilla_table *t, uint64_t base, const char *driver,
                                       uint64_t size, taco__arena *arena, taco_error *err)
{
    t->base = base;
    t->driver = driver;
    t->all = driver && strcmp(driver, "TORTILLA") == 0;
    t->format = taco__tortilla_find_format(&t->t);
    t->id = taco__tortilla_find_column(&t->t, "tortilla:id", true, err);
    if (t->id == TACO__NONE) { return false; }
    t->offset = taco__tortilla_find_column(&t->t, "tortilla:offset", false, err);
    if (t->offset == TACO__NONE) { return false; }
    t->length = taco__tortilla_find_column(&t->t, "tortilla:length", false, err);
    return t->length != TACO__NONE && taco__tortilla_sort_names(t, arena, err) &&
           taco__tortilla_resolve_offsets(t, base, size, arena, err);
}

/* Only files that have one format for all samples may have a footer in JSON. */
static bool taco__tortilla_read_table(taco__container *s, taco__file *file, taco__range range,
                                      const char *driver, taco__arena *arena,
                                      taco__tortilla_table *out, taco_error *err)
{
    uint8_t first = 0;
    if (driver && range.len && !taco__file_read(file, range.offset, &first, 1, err)) {
        return false;
    }
    return first == '{' ? taco__tortilla_read_json(s, file, range, arena, &out->t, err)
                        : taco__tortilla_read_parquet(s, file, range, arena, out, err);
}

TACO__FN bool taco__tortilla_read_footer(taco__container *s, taco__file *file, taco__range range,
                                         uint64_t base, const char *driver, taco__arena *arena,
                                         taco__tortilla_table *out, taco_error *err)
{
    memset(out, 0, sizeof *out);
    if (range.len > s->options->limits.max_metadata) {
        TACO__FAIL(err, TACO_ERR_LIMIT, range.offset,
                   "a footer of %u bytes, limits.max_metadata is %u", range.len,
                   s->options->limits.max_metadata);
        return false;
    }
    if (taco__tortilla_read_table(s, file, range, driver, arena, out, err) &&
        taco__tortilla_check_table(out, base, driver, file->src.size, arena, err)) {
        return true;
    }
    taco__error_prefix(err, "footer at byte %u", TACO__U(range.offset));
    return false;
}

TACO__FN bool taco__tortilla_is_nested(const taco__tortilla_table *t, size_t i)
{
    return t->all || (t->format != TACO__NONE &&
                      taco__bytes_equal(taco_array_bytes(&t->t.arrays[t->format], i),
                                        taco__bytes_text("TORTILLA")));
}
/* ==== src/legacy/footer_chain_read.c ==== */
/* footer_chain_read.c - the streaming chain of footers of TACO 0.2.0

   In: the first footer of a file, which has a pointer in its key-value metadata; out: the
   objects of the chain, the k-th with the rows of level k, and for each row its parent in the
   previous one. Spec: TACO 0.2.0 "Facilitating dataset streaming". A pointer is OFFSETLENGTH(A,
   B), or NULL at the end; the column root names the parent, by its key ("a/b") or by its
   position.

   For a sample img0 with a nested lrf that has tiles:

       object 0   root "img0"       tortilla:id "img0"     TORTILLA
       object 1   root "img0"       tortilla:id "lrf"      GTiff
       object 2   root "img0/lrf"   tortilla:id "lrf::0"   a tile
                  root "img0/lrf"   tortilla:id "lrf::1"

   No writer of that time made such files, so pointers are accepted in every form that the text
   allows, and everything else is checked: objects lie in the file and do not overlap, so there
   are no cycles. Start reading at taco__chain_read. */
/* #include "legacy.h" */
/* #include "../base/base.h" */
/* #include "../parquet/parquet.h" */
/* #include "../dataset/dataset.h" */

/* ---- pointers ---- */

/* Removes blanks and tabs at both ends. */
static void taco__chain_trim(taco_bytes *b)
{
    while (b->len && (b->data[0] == ' ' || b->data[0] == '\t')) {
        b->data++;
        b->len--;
    }
    while (b->len && (b->data[b->len - 1] == ' ' || b->data[b->len - 1] == '\t')) {
        b->len--;
    }
}

/* Splits off the text before a character, and drops the character. */
static bool taco__chain_split(taco_bytes *b, char end, taco_bytes *out)
{
    const uint8_t *p = b->len ? (const uint8_t *)memchr(b->data, end, b->len) : NULL;
    if (!p) { return false; }
    *out = taco__bytes_of(b->data, (size_t)(p - b->data));
    b->len -= out->len + 1;
    b->data = p + 1;
    taco__chain_trim(out);
    return true;
}

TACO__FN bool taco__chain_parse_pointer(taco_bytes text, bool *ends, taco__range *out,
                                        taco_error *err)
{
    taco_bytes b = text, a, l;
    taco__chain_trim(&b);
    if (b.len > 1 && b.data[0] == '"' && b.data[b.len - 1] == '"') {
        b = taco__bytes_of(b.data + 1, b.len - 2);
        taco__chain_trim(&b);
    }
    *ends = b.len == 0 || taco__bytes_equal(b, taco__bytes_text("NULL")) ||
            taco__bytes_equal(b, taco__bytes_text("null"));
    if (*ends) { return true; }
    if (taco__chain_split(&b, '(', &a) && taco__bytes_equal(a, taco__bytes_text("OFFSETLENGTH")) &&
        taco__chain_split(&b, ',', &a) && taco__chain_split(&b, ')', &l) && b.len == 0 &&
        taco__vsi_parse_number(a, &out->offset) && taco__vsi_parse_number(l, &out->len)) {
        return true;
    }
    TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
               "pointer is %q, allowed are OFFSETLENGTH(A, B) and NULL", &text);
    return false;
}

/* Checks that an object lies in the file and overlaps none of the previous ones. */
static bool taco__chain_check_range(const taco__chain *c, const taco__file *file,
                                    const taco__range *r, taco_error *err)
{
    size_t i;
    if (r->len == 0 || !taco__checked_range(r->offset, r->len, file->src.size)) {
        TACO__FAIL(err, r->len ? TACO_ERR_TRUNCATED : TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "pointer to %u bytes at %u, the file ends at %u", r->len, r->offset,
                   file->src.size);
        return false;
    }
    for (i = 0; i < c->count; i++) {
        if (r->offset < c->ranges[i].offset + c->ranges[i].len &&
            c->ranges[i].offset < r->offset + r->len) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "pointer to %u bytes at %u, which overlap object %u of the chain", r->len,
                       r->offset, TACO__U(i));
            return false;
        }
    }
    return true;
}

/* Finds the object that the last one points to. */
static bool taco__chain_next(const taco__chain *c, const taco__file *file, bool *ends,
                             taco__range *out, taco_error *err)
{
    if (!taco__chain_parse_pointer(c->tables[c->count - 1].pointer, ends, out, err) || *ends) {
        return *ends;
    }
    if (!taco__chain_check_range(c, file, out, err)) { return false; }
    if (c->count == TACO__CHAIN_MAX_OBJECTS) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "a chain of more than %u objects",
                   TACO__U(TACO__CHAIN_MAX_OBJECTS));
        return false;
    }
    return true;
}

/* ---- roots: who the parent of a row is ---- */

/* A row and its key. */
typedef struct taco__chain_key {
    taco_bytes key; /* ids from the top, with slashes */
    size_t row;
} taco__chain_key;

/* taco__sort_compare: by bytes, so that equal keys are adjacent. */
static int taco__chain_compare_keys(const void *ctx, const void *a, const void *b)
{
    (void)ctx;
    return taco__bytes_compare(((const taco__chain_key *)a)->key,
                               ((const taco__chain_key *)b)->key);
}

/* The first row with a key, -1 if there is none. */
static int64_t taco__chain_find_key(const taco__chain_key *sorted, size_t n, taco_bytes key)
{
    size_t at = 0;
    TACO__LOWER_BOUND(at, n, i, taco__bytes_compare(sorted[i].key, key) < 0);
    return at < n && taco__bytes_equal(sorted[at].key, key) ? (int64_t)sorted[at].row : -1;
}

/* The column that names the parents; NULL if there is none. */
static const taco_array *taco__chain_root_column(const taco__tortilla_table *t)
{
    size_t c = taco__table_find_column(&t->t, "root");
    if (c == TACO__NONE) { c = taco__table_find_column(&t->t, "tortilla:root"); }
    return c == TACO__NONE ? NULL : &t->t.arrays[c];
}

/* parent/id; {NULL, 0} if out of memory. */
static taco_bytes taco__chain_join_key(taco__arena *arena, taco_bytes parent, taco_bytes id,
                                       taco_error *err)
{
    uint8_t *p = (uint8_t *)taco__arena_alloc(arena, parent.len + id.len + 1, err);
    if (!p) { return taco__bytes_of(NULL, 0); }
    if (parent.len) { memcpy(p, parent.data, parent.len); }
    p[parent.len] = '/';
    if (id.len) { memcpy(p + parent.len + 1, id.data, id.len); }
    return taco__bytes_of(p, parent.len + id.len + 1);
}

/* The keys of a level's rows; above are those of the previous level, NULL for the first. */
static taco__chain_key *taco__chain_make_keys(const taco__tortilla_table *t, const int64_t *parents,
                                              const taco__chain_key *above, taco__arena *arena,
                                              taco_error *err)
{
    size_t i, n = (size_t)t->t.rows;
    taco__chain_key *keys = (taco__chain_key *)taco__arena_array(arena, n + 1, sizeof *keys, err);
    for (i = 0; keys && i < n; i++) {
        keys[i].row = i;
        keys[i].key = taco_array_bytes(&t->t.arrays[t->id], i);
        if (above && parents[i] >= 0) {
            keys[i].key = taco__chain_join_key(arena, above[parents[i]].key, keys[i].key, err);
            if (!keys[i].key.data) { return NULL; }
        }
    }
    return keys;
}

/* The row of the previous level that root names in row i; -1 if there is none. */
static int64_t taco__chain_find_parent(const taco_array *root, size_t i,
                                       const taco__chain_key *sorted, size_t n)
{
    int64_t p;
    if (!taco_array_valid(root, i)) { return -1; }
    if (root->field->type == TACO_TEXT) {
        return taco__chain_find_key(sorted, n, taco_array_bytes(root, i));
    }
    if (!taco__concat_is_integer(root->field->type)) { return -1; }
    p = taco_array_int(root, i);
    return p >= 0 && (uint64_t)p < n ? p : -1;
}

/* Sets parents[i] to the row of the previous level that is the parent of row i. */
static bool taco__chain_find_parents(const taco__tortilla_table *t, const taco__chain_key *above,
                                     size_t above_count, int64_t *parents, taco__arena *arena,
                                     taco_error *err)
{
    const taco_array *root = taco__chain_root_column(t);
    taco__chain_key *sorted =
        (taco__chain_key *)taco__arena_array(arena, above_count + 1, sizeof *sorted, err);
    size_t i;
    if (!root) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "there is no column root");
        return false;
    }
    if (!sorted) { return false; }
    if (above_count) { memcpy(sorted, above, above_count * sizeof *sorted); }
    if (!taco__sort_in(arena->mem, sorted, above_count, sizeof *sorted, taco__chain_compare_keys,
                       NULL, err)) {
        return false;
    }
    for (i = 0; i < t->t.rows; i++) {
        parents[i] = taco__chain_find_parent(root, i, sorted, above_count);
        if (parents[i] < 0) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "row %u: root is not a row of the previous object", TACO__U(i));
            return false;
        }
    }
    return true;
}

/* ---- the chain ---- */

/* Reads the next object, whose range is known, and finds the parents of its rows. *keys are those
   of the last object before the call, and of the new one afterwards. */
static bool taco__chain_read_object(taco__container *s, taco__file *file, taco__arena *arena,
                                    taco__chain *c, taco__chain_key **keys, taco__arena *scratch,
                                    taco_error *err)
{
    size_t n = c->count;
    const taco__tortilla_table *before = &c->tables[n - 1];
    taco__tortilla_table *t = &c->tables[n];
    if (!taco__tortilla_read_footer(s, file, c->ranges[n], before->base, NULL, arena, t, err)) {
        return false;
    }
    t->file = before->file;
    c->count++;
    c->parents[n] =
        (int64_t *)taco__arena_array(arena, (size_t)t->t.rows + 1, sizeof(int64_t), err);
    if (!c->parents[n]) { return false; }
    *keys = taco__chain_make_keys(before, c->parents[n - 1], *keys, scratch, err);
    return *keys &&
           taco__chain_find_parents(t, *keys, (size_t)before->t.rows, c->parents[n], scratch, err);
}

TACO__FN bool taco__chain_read(taco__container *s, taco__file *file,
                               const taco__tortilla_table *first, taco__range range,
                               taco__arena *arena, taco__chain *c, taco_error *err)
{
    taco__chain_key *keys = NULL;
    taco__arena scratch;
    bool ends = false, ok;
    memset(c, 0, sizeof *c);
    scratch.mem = s->mem;
    scratch.head = NULL;
    c->tables[0] = *first;
    c->ranges[0] = range;
    c->count = 1;
    ok = taco__chain_next(c, file, &ends, &c->ranges[1], err);
    while (ok && !ends) {
        ok = taco__chain_read_object(s, file, arena, c, &keys, &scratch, err) &&
             taco__chain_next(c, file, &ends, &c->ranges[c->count], err);
    }
    taco__arena_free(&scratch);
    if (!ok) { taco__error_prefix(err, "object %u of the chain", TACO__U(c->count - 1)); }
    return ok;
}
/* ==== src/legacy/legacy_table.c ==== */
/* legacy_table.c - one table of the rows of several footers, with the columns that navigation needs

   In: runs of rows of footers; out: a taco__table: the columns of all footers in order of first
   occurrence, null for footers without the column, then those that TACO 2 has and old files do
   not: id and type (internal:id and internal:type if a footer has columns of these names),
   internal:subfile, internal:offset and internal:size, row numbers, and if needed the key of a
   row and its file. Paths are made once here, not when they are read.

   Start reading at taco__legacy_table_build. */
/* #include "legacy.h" */
/* #include "../base/base.h" */
/* #include "../parquet/parquet.h" */
/* #include "../dataset/dataset.h" */

#define TACO__LEGACY_TABLE_MADE 12 /* most computed columns */

/* ---- stored columns ---- */

/* The fields of all footers, in a growing list. */
typedef struct taco__legacy_table_fields {
    taco_field *list;
    size_t n, cap;
    taco__hash_map names; /* their indexes */
} taco__legacy_table_fields;

/* Appends a field. All are nullable: rows of a footer without the column are null. */
static bool taco__legacy_table_add_field(taco__legacy_table_fields *u, const taco_field *f,
                                         taco__arena *scratch, taco_error *err)
{
    if (u->n == u->cap) {
        size_t cap = u->cap ? u->cap * 2 : 64;
        taco_field *more = (taco_field *)taco__arena_array(scratch, cap, sizeof *more, err);
        if (!more) { return false; }
        if (u->n) { memcpy(more, u->list, u->n * sizeof *more); }
        u->list = more;
        u->cap = cap;
    }
    u->list[u->n] = *f;
    u->list[u->n++].nullable = true;
    return true;
}

/* Adds the columns of one footer, or unifies them with existing ones of the same name. */
static bool taco__legacy_table_unify(taco__legacy_table_fields *u, const taco__table *t,
                                     taco__arena *scratch, taco_error *err)
{
    size_t c;
    for (c = 0; c < t->field_count; c++) {
        bool added;
        taco__hash_slot *s =
            taco__hash_map_add(&u->names, taco__bytes_text(t->fields[c].name), &added, err);
        if (!s) { return false; }
        if (added) { s->value = u->n; }
        if (added ? !taco__legacy_table_add_field(u, &t->fields[c], scratch, err)
                  : !taco__concat_unify_field(scratch, &u->list[s->value], &t->fields[c], 0, err)) {
            return false;
        }
    }
    return true;
}

/* Adds the columns of all footers. */
static bool taco__legacy_table_unify_runs(const taco__legacy_table *m, taco__legacy_table_fields *u,
                                          taco__arena *scratch)
{
    size_t i;
    for (i = 0; i < m->count; i++) {
        if (i && m->runs[i - 1].t == m->runs[i].t) { continue; }
        if (!taco__legacy_table_unify(u, &m->runs[i].t->t, scratch, m->err)) { return false; }
    }
    return true;
}

TACO__FN bool taco__legacy_table_unify_columns(taco__legacy_table *m, taco__arena *scratch)
{
    taco__legacy_table_fields u;
    size_t i;
    bool ok;
    memset(&u, 0, sizeof u);
    u.names.mem = scratch->mem;
    ok = taco__legacy_table_unify_runs(m, &u, scratch);
    taco__hash_map_free(&u.names);
    if (!ok) { return false; }
    m->fields = (taco_field *)taco__arena_array(m->arena, u.n + TACO__LEGACY_TABLE_MADE,
                                                sizeof *m->fields, m->err);
    m->arrays = (taco_array *)taco__arena_array(m->arena, u.n + TACO__LEGACY_TABLE_MADE,
                                                sizeof *m->arrays, m->err);
    if (!m->fields || !m->arrays) { return false; }
    for (i = 0; i < u.n; i++) {
        if (!taco__field_copy(m->arena, &u.list[i], &m->fields[i], m->err)) { return false; }
    }
    m->n = m->stored = u.n;
    return true;
}

/* Makes the slices of one column, without an array if a footer lacks it. Runs of one footer are
   adjacent, so its column is looked up once. */
static void taco__legacy_table_slice_column(const taco__legacy_table *m, const char *name,
                                            taco__concat_slice *p)
{
    size_t i, at = TACO__NONE;
    for (i = 0; i < m->count; i++) {
        const taco__legacy_run *r = &m->runs[i];
        if (!i || m->runs[i - 1].t != r->t) { at = taco__tortilla_find_name(r->t, name); }
        p[i].a = at == TACO__NONE ? NULL : &r->t->t.arrays[at];
        p[i].first = r->first;
        p[i].n = r->n;
    }
}

TACO__FN bool taco__legacy_table_copy_columns(taco__legacy_table *m, taco__arena *scratch)
{
    taco__concat_slice *p =
        (taco__concat_slice *)taco__arena_array(scratch, m->count + 1, sizeof *p, m->err);
    size_t c;
    for (c = 0; p && c < m->stored; c++) {
        taco__legacy_table_slice_column(m, m->fields[c].name, p);
        if (!taco__concat_arrays(m->arena, &m->fields[c], p, m->count, &m->arrays[c], m->err)) {
            taco__error_prefix(m->err, "column %s", m->fields[c].name);
            return false;
        }
    }
    return p != NULL;
}

/* True if a footer has a column of that name, which then is not computed. */
static bool taco__legacy_table_has_column(const taco__legacy_table *m, const char *name)
{
    return taco__cursor_column_find_field(m->fields, m->stored, name) != TACO__NONE;
}

/* ---- columns of text ---- */

/* Adds a computed column; the caller fills its array. */
static taco_array *taco__legacy_table_add_column(taco__legacy_table *m, const char *name,
                                                 taco_type type)
{
    taco_field *f = &m->fields[m->n];
    taco_array *a = &m->arrays[m->n++];
    *f = taco__field_make(name, type);
    f->nullable = false;
    memset(a, 0, sizeof *a);
    a->field = f;
    a->length = m->rows;
    return a;
}

/* The kinds of computed text columns. */
typedef enum taco__legacy_text_column {
    TACO__LEGACY_TYPE,    /* FILE or FOLDER */
    TACO__LEGACY_SUBFILE, /* path for GDAL */
    TACO__LEGACY_DRIVER,  /* format of all samples in a file from before 0.3, else null */
    TACO__LEGACY_SOURCE,  /* path of the file */
    TACO__LEGACY_PATH     /* ids from the top, with slashes */
} taco__legacy_text_column;

/* Appends parent/id. */
static bool taco__legacy_table_append_key(const taco__legacy_table *m, const taco__legacy_run *r,
                                          size_t i, const taco__legacy_level *above, taco__buf *out)
{
    taco_bytes parent = taco_array_bytes(above->path, (size_t)r->parent);
    taco_bytes id = taco_array_bytes(&r->t->t.arrays[r->t->id], i);
    return taco__buf_append(out, parent.data, parent.len, m->err) &&
           taco__buf_append_char(out, '/', m->err) &&
           taco__buf_append(out, id.data, id.len, m->err);
}

/* Formats one cell of a text column; *null if it has none. */
static bool taco__legacy_table_format_cell(const taco__legacy_table *m,
                                           taco__legacy_text_column what, const taco__legacy_run *r,
                                           size_t i, const taco__legacy_level *above,
                                           taco__buf *out, bool *null)
{
    const taco__tortilla_table *t = r->t;
    const taco__legacy_file *file = &m->state->files[t->file];
    switch (what) {
    case TACO__LEGACY_TYPE:
        return taco__buf_append_text(out, taco__tortilla_is_nested(t, i) ? "FOLDER" : "FILE",
                                     m->err);
    case TACO__LEGACY_DRIVER:
        *null = t->driver == NULL;
        return *null || taco__buf_append_text(out, t->driver, m->err);
    case TACO__LEGACY_SOURCE: return taco__buf_append_text(out, file->path, m->err);
    case TACO__LEGACY_PATH: return taco__legacy_table_append_key(m, r, i, above, out);
    default:
        return taco__vsi_append_subfile(out, (uint64_t)taco_array_int(&t->t.arrays[t->offset], i),
                                        (uint64_t)taco_array_int(&t->t.arrays[t->length], i),
                                        taco__bytes_text(file->vsi), taco__bytes_of(NULL, 0),
                                        m->err);
    }
}

/* A text column under construction. */
typedef struct taco__legacy_table_text {
    taco__buf bytes;
    int32_t *offsets;
    uint8_t *valid;
    size_t nulls;
} taco__legacy_table_text;

/* Appends the cells of all rows. */
static bool taco__legacy_table_format_column(const taco__legacy_table *m, const char *name,
                                             taco__legacy_text_column what,
                                             const taco__legacy_level *above,
                                             taco__legacy_table_text *x)
{
    size_t i, k, row = 0;
    for (i = 0; i < m->count; i++) {
        const taco__legacy_run *r = &m->runs[i];
        for (k = r->first; k < r->first + r->n; k++) {
            bool null = false;
            if (!taco__legacy_table_format_cell(m, what, r, k, above, &x->bytes, &null)) {
                return false;
            }
            if (x->bytes.len > INT32_MAX) {
                TACO__FAIL(m->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                           "more than %u bytes of text in column %s", TACO__U(INT32_MAX), name);
                return false;
            }
            if (!null) { taco__bitmap_set(x->valid, row); }
            x->nulls += null;
            x->offsets[++row] = (int32_t)x->bytes.len;
        }
    }
    return true;
}

/* Adds a computed text column; `what` says which. Null in rows that have no value. */
static bool taco__legacy_table_add_text(taco__legacy_table *m, const char *name,
                                        taco__legacy_text_column what,
                                        const taco__legacy_level *above)
{
    taco_array *a = taco__legacy_table_add_column(m, name, TACO_TEXT);
    taco__legacy_table_text x;
    uint8_t *bytes;
    bool ok;
    memset(&x, 0, sizeof x);
    x.bytes.mem = m->s->mem;
    x.offsets = (int32_t *)taco__arena_array(m->arena, m->rows + 1, sizeof *x.offsets, m->err);
    x.valid = (uint8_t *)taco__arena_alloc(m->arena, TACO__BITMAP_BYTES(m->rows) + 8, m->err);
    ok = x.offsets && x.valid && taco__legacy_table_format_column(m, name, what, above, &x);
    bytes = ok ? (uint8_t *)taco__arena_alloc(m->arena, x.bytes.len + TACO__PAD, m->err) : NULL;
    if (bytes && x.bytes.len) { memcpy(bytes, x.bytes.data, x.bytes.len); }
    taco__buf_free(&x.bytes);
    a->offsets = x.offsets;
    a->null_count = x.nulls;
    a->validity = x.nulls ? x.valid : NULL;
    a->v.any = bytes;
    m->fields[m->n - 1].nullable = x.nulls != 0;
    return bytes != NULL;
}

/* ---- columns of numbers ---- */

/* Adds internal:current_id and internal:parent_id: the row in its level, and the parent's in the
   level above; rows of level 0 are their own parents, as in TACO 2. */
static bool taco__legacy_table_add_row_numbers(taco__legacy_table *m, bool top)
{
    int64_t *row = (int64_t *)taco__arena_array(m->arena, m->rows + 8, sizeof *row, m->err);
    int64_t *parent = (int64_t *)taco__arena_array(m->arena, m->rows + 8, sizeof *parent, m->err);
    size_t i, k, at = 0;
    if (!row || !parent) { return false; }
    for (i = 0; i < m->count; i++) {
        for (k = 0; k < m->runs[i].n; k++, at++) {
            row[at] = m->runs[i].row + (int64_t)k;
            parent[at] = top ? row[at] : m->runs[i].parent;
        }
    }
    taco__legacy_table_add_column(m, "internal:current_id", TACO_INT64)->v.i64 = row;
    taco__legacy_table_add_column(m, "internal:parent_id", TACO_INT64)->v.i64 = parent;
    return true;
}

/* Adds a stored column again, under its name in TACO 2; nothing if no footer has it. */
static void taco__legacy_table_add_alias(taco__legacy_table *m, const char *name,
                                         const char *stored)
{
    size_t i = taco__cursor_column_find_field(m->fields, m->stored, stored);
    if (i == TACO__NONE) { return; }
    m->fields[m->n] = m->fields[i];
    m->fields[m->n].name = name;
    m->arrays[m->n] = m->arrays[i];
    m->arrays[m->n].field = &m->fields[m->n];
    m->n++;
}

/* Adds internal:offset and internal:size, INT64 whatever the type of the lengths; offsets already
   are INT64. */
static bool taco__legacy_table_add_ranges(taco__legacy_table *m)
{
    int64_t *size = (int64_t *)taco__arena_array(m->arena, m->rows + 8, sizeof *size, m->err);
    size_t i, k, at = 0;
    if (!size) { return false; }
    for (i = 0; i < m->count; i++) {
        const taco__legacy_run *r = &m->runs[i];
        for (k = r->first; k < r->first + r->n; k++) {
            size[at++] = taco_array_int(&r->t->t.arrays[r->t->length], k);
        }
    }
    taco__legacy_table_add_alias(m, "internal:offset", "tortilla:offset");
    taco__legacy_table_add_column(m, "internal:size", TACO_INT64)->v.i64 = size;
    return true;
}

/* ---- the table ---- */

/* Adds the columns that say what a row is. */
static bool taco__legacy_table_add_identity(taco__legacy_table *m, bool driver)
{
    bool id = taco__legacy_table_has_column(m, "id");
    bool type = taco__legacy_table_has_column(m, "type");
    bool format = taco__legacy_table_has_column(m, "internal:file_format");
    taco__legacy_table_add_alias(m, id ? "internal:id" : "id", "tortilla:id");
    return taco__legacy_table_add_text(m, type ? "internal:type" : "type", TACO__LEGACY_TYPE,
                                       NULL) &&
           (!driver || format ||
            taco__legacy_table_add_text(m, "internal:file_format", TACO__LEGACY_DRIVER, NULL));
}

/* Adds the columns that say where a row is. */
static bool taco__legacy_table_add_places(taco__legacy_table *m, bool top,
                                          const taco__legacy_level *above)
{
    return taco__legacy_table_add_text(m, "internal:subfile", TACO__LEGACY_SUBFILE, NULL) &&
           taco__legacy_table_add_ranges(m) && taco__legacy_table_add_row_numbers(m, top) &&
           (!above ||
            taco__legacy_table_add_text(m, "internal:relative_path", TACO__LEGACY_PATH, above)) &&
           (m->state->file_count == 1 ||
            taco__legacy_table_add_text(m, "internal:source_file", TACO__LEGACY_SOURCE, NULL));
}

/* Counts the rows; *driver is set if some come from a file from before 0.3. */
static bool taco__legacy_table_count_rows(taco__legacy_table *m, bool *driver)
{
    size_t i;
    *driver = false;
    for (i = 0; i < m->count; i++) {
        m->rows += m->runs[i].n;
        *driver = *driver || m->runs[i].t->driver;
    }
    if (m->rows > INT32_MAX) {
        TACO__FAIL(m->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "%u rows in a level, at most %u are read", TACO__U(m->rows), TACO__U(INT32_MAX));
        return false;
    }
    return true;
}

TACO__FN bool taco__legacy_table_build(taco__container *s, taco__legacy *state, taco__arena *arena,
                                       const taco__legacy_run *runs, size_t count, bool top,
                                       const taco__legacy_level *above, taco__table *out,
                                       taco_error *err)
{
    taco__legacy_table m;
    taco__arena scratch;
    bool ok, driver;
    memset(&m, 0, sizeof m);
    scratch.mem = s->mem;
    scratch.head = NULL;
    m.s = s;
    m.state = state;
    m.arena = arena;
    m.runs = runs;
    m.count = count;
    m.err = err;
    if (!taco__legacy_table_count_rows(&m, &driver)) { return false; }
    ok = taco__legacy_table_unify_columns(&m, &scratch) &&
         taco__legacy_table_copy_columns(&m, &scratch) &&
         taco__legacy_table_add_identity(&m, driver) &&
         taco__legacy_table_add_places(&m, top, above);
    taco__arena_free(&scratch);
    memset(out, 0, sizeof *out);
    out->fields = m.fields;
    out->arrays = m.arrays;
    out->field_count = out->stored = m.n;
    out->rows = m.rows;
    return ok;
}
/* ==== src/legacy/legacy_levels.c ==== */
/* legacy_levels.c - the levels of old files: rows of footers, nested tortillas and chains as tables

   In: the footers of level 0, or a level that has been built; out: the next level: the rows of
   all nested tortillas together, in the order of their parents, and those of the chains'
   objects. Level 0 is built when a dataset is opened; deeper ones are counted and built
   together, when the first of them is needed (taco__legacy_levels_count). That takes a header
   and a footer for every nested tortilla, which a source that reads many ranges at once fetches
   in two rounds.

   A file with samples a and b, of which b is a tortilla with c and d, has two levels:

       level 0   row 0  a    FILE
                 row 1  b    FOLDER
       level 1   row 0  b/c  FILE    parent 1, its offset relative to the file
                 row 1  b/d  FILE    parent 1

   A level is gathered as a list of taco__legacy_run, consecutive rows of one footer, from which
   legacy_table.c makes the table. If a level cannot be built, `why` has the error. */
/* #include "legacy.h" */
/* #include "../base/base.h" */
/* #include "../parquet/parquet.h" */
/* #include "../dataset/dataset.h" */

TACO__FN taco__file *taco__legacy_levels_file(taco__container *s, const taco__legacy *state,
                                              size_t k, taco_error *err)
{
    return state->file_count == 1
               ? &s->file
               : taco__container_open_archive(s, taco__bytes_text(state->files[k].path), err);
}

/* ---- a level from its runs ---- */

/* Allocates the arrays for the rows of a level. */
static bool taco__legacy_levels_alloc(taco__container *s, taco__legacy_level *l, taco_error *err)
{
    size_t n = (size_t)l->t.rows + 1;
    l->file = (uint32_t *)taco__arena_array(s->arena, n, sizeof *l->file, err);
    l->object_row = (size_t *)taco__arena_array(s->arena, n, sizeof *l->object_row, err);
    l->folder = (uint8_t *)taco__arena_alloc(s->arena, n, err);
    l->offset = (int64_t *)taco__arena_array(s->arena, n, sizeof *l->offset, err);
    l->size = (int64_t *)taco__arena_array(s->arena, n, sizeof *l->size, err);
    return l->file && l->object_row && l->folder && l->offset && l->size;
}

/* Records the origin of a level's rows, for the level below. */
static void taco__legacy_levels_record(taco__legacy_level *l, const taco__legacy_run *runs,
                                       size_t count)
{
    size_t i, k, at = 0;
    for (i = 0; i < count; i++) {
        const taco__tortilla_table *t = runs[i].t;
        for (k = runs[i].first; k < runs[i].first + runs[i].n; k++, at++) {
            l->file[at] = t->file;
            l->object_row[at] = k;
            l->folder[at] = taco__tortilla_is_nested(t, k);
            l->offset[at] = taco_array_int(&t->t.arrays[t->offset], k);
            l->size[at] = taco_array_int(&t->t.arrays[t->length], k);
        }
    }
}

TACO__FN bool taco__legacy_levels_build(taco__container *s, taco__legacy *state, uint32_t level,
                                        const taco__legacy_run *runs, size_t count, taco_error *err)
{
    taco__legacy_level *l = &state->levels[level];
    size_t c;
    if (!taco__legacy_table_build(s, state, s->arena, runs, count, level == 0,
                                  level ? &state->levels[level - 1] : NULL, &l->t, err) ||
        !taco__legacy_levels_alloc(s, l, err)) {
        return false;
    }
    taco__legacy_levels_record(l, runs, count);
    c = taco__table_find_column(&l->t, level ? "internal:relative_path" : "tortilla:id");
    l->path = c == TACO__NONE ? NULL : &l->t.arrays[c];
    l->built = true;
    return true;
}

/* ---- nested tortillas ---- */

TACO__FN bool taco__legacy_levels_read_nested(taco__container *s, taco__file *file, uint64_t offset,
                                              uint32_t number, taco__arena *arena,
                                              taco__tortilla_table *out, uint64_t *budget,
                                              taco_error *err)
{
    taco__tortilla head;
    if (!taco__tortilla_read_header(file, offset, arena, &head, err)) { return false; }
    if (budget && head.footer.len > *budget) {
        TACO__FAIL(err, TACO_ERR_LIMIT, offset,
                   "the footers of a level are larger than the file: samples overlap");
        return false;
    }
    if (budget) { *budget -= head.footer.len; }
    if (!taco__tortilla_read_footer(s, file, head.footer, offset, head.driver, arena, out, err)) {
        return false;
    }
    out->file = number;
    return true;
}

/* What is fetched in one round for all nested tortillas of a level. */
typedef enum taco__legacy_levels_part {
    TACO__LEGACY_HEADERS,
    TACO__LEGACY_FOOTERS /* after the headers, which locate the footers */
} taco__legacy_levels_part;

/* Lists the ranges of that part, one per nested tortilla. */
static bool taco__legacy_levels_list_ranges(taco__container *s, const taco__legacy_level *l,
                                            taco__legacy_levels_part part, taco__buf *ranges,
                                            taco_error *err)
{
    taco__arena scratch;
    size_t i;
    bool ok = true;
    scratch.mem = s->mem;
    scratch.head = NULL;
    for (i = 0; ok && i < l->t.rows; i++) {
        taco__range r;
        if (!l->folder[i]) { continue; }
        r.offset = (uint64_t)l->offset[i];
        r.len = TACO__MIN((uint64_t)TACO__TORTILLA_HEADER_BYTES, (uint64_t)l->size[i]);
        if (part == TACO__LEGACY_FOOTERS) {
            taco__tortilla head;
            ok = taco__tortilla_read_header(&s->file, r.offset, &scratch, &head, err);
            r = head.footer;
        }
        ok = ok && taco__buf_append(ranges, &r, sizeof r, err);
    }
    taco__arena_free(&scratch);
    return ok;
}

/* Fetches a part of all nested tortillas of a level in one round; with `release`, releases it. */
static bool taco__legacy_levels_fetch(taco__container *s, const taco__legacy_level *l,
                                      taco__legacy_levels_part part, bool release, taco_error *err)
{
    taco__buf ranges;
    const taco__range *r;
    size_t i, n;
    bool ok;
    memset(&ranges, 0, sizeof ranges);
    ranges.mem = s->mem;
    ok = taco__legacy_levels_list_ranges(s, l, part, &ranges, err);
    r = (const taco__range *)(const void *)ranges.data;
    n = ranges.len / sizeof *r;
    for (i = 0; ok && release && i < n; i++) {
        taco__file_release(&s->file, r[i].offset, r[i].len);
    }
    ok = ok && (release || !n || taco__file_fetch(&s->file, r, n, err));
    taco__buf_free(&ranges);
    return ok;
}

/* Fetches or releases headers, then footers, in this order: headers locate the footers. */
static bool taco__legacy_levels_fetch_all(taco__container *s, const taco__legacy_level *l,
                                          bool release, taco_error *err)
{
    return release ? taco__legacy_levels_fetch(s, l, TACO__LEGACY_FOOTERS, true, err) &&
                         taco__legacy_levels_fetch(s, l, TACO__LEGACY_HEADERS, true, err)
                   : taco__legacy_levels_fetch(s, l, TACO__LEGACY_HEADERS, false, err) &&
                         taco__legacy_levels_fetch(s, l, TACO__LEGACY_FOOTERS, false, err);
}

/* Rows gathered for a level. */
typedef struct taco__legacy_gather {
    taco__buf runs; /* taco__legacy_run each */
    size_t rows;
    taco__arena scratch; /* tables of the runs */
} taco__legacy_gather;

/* Adds n rows of a table from row `first` on, below row `parent` of the level above. */
static bool taco__legacy_levels_add_run(taco__legacy_gather *g, const taco__tortilla_table *t,
                                        size_t first, size_t n, int64_t parent, taco_error *err)
{
    taco__legacy_run r;
    r.t = t;
    r.first = first;
    r.n = n;
    r.parent = parent;
    r.row = (int64_t)g->rows;
    g->rows += n;
    return taco__buf_append(&g->runs, &r, sizeof r, err);
}

/* Adds the rows of the tortilla in row i of a level. */
static bool taco__legacy_levels_add_tortilla(taco__container *s, taco__legacy *state,
                                             const taco__legacy_level *above, size_t i,
                                             uint64_t *budget, taco__legacy_gather *g,
                                             taco_error *err)
{
    taco__tortilla_table *t =
        (taco__tortilla_table *)taco__arena_alloc(&g->scratch, sizeof *t, err);
    taco__file *f = t ? taco__legacy_levels_file(s, state, above->file[i], err) : NULL;
    if (!f) { return false; }
    if (!taco__legacy_levels_read_nested(s, f, (uint64_t)above->offset[i], above->file[i],
                                         &g->scratch, t, budget, err)) {
        taco_bytes key = taco_array_bytes(above->path, i);
        taco__error_prefix(err, "%q", &key);
        return false;
    }
    return taco__legacy_levels_add_run(g, t, 0, (size_t)t->t.rows, (int64_t)i, err);
}

/* Keeps all files open while a level is gathered. *budget is set to the total size of the files and
   some more: it limits tortillas that share their footers, which could multiply otherwise. */
static bool taco__legacy_levels_hold_files(taco__container *s, taco__legacy *state,
                                           uint64_t *budget, taco_error *err)
{
    size_t i;
    *budget = 1 << 20;
    for (i = 0; i < state->file_count; i++) {
        taco__file *f = taco__legacy_levels_file(s, state, i, err);
        if (!f || !taco__checked_add64(*budget, f->src.size, budget)) { return false; }
        taco__container_count_archive_user(s, f, true);
    }
    return true;
}

/* Undoes taco__legacy_levels_hold_files: files beyond the limit may be closed again. */
static void taco__legacy_levels_drop_files(taco__container *s, taco__legacy *state)
{
    size_t i;
    for (i = 0; i < state->file_count; i++) {
        taco__container_count_archive_user(s, taco__legacy_levels_file(s, state, i, NULL), false);
    }
}

/* Adds the rows of all nested tortillas of a level, in the order of their parents. */
static bool taco__legacy_levels_add_nested(taco__container *s, taco__legacy *state, uint32_t level,
                                           taco__legacy_gather *g, taco_error *err)
{
    const taco__legacy_level *above = &state->levels[level - 1];
    bool ahead = state->file_count == 1 && s->file.src.read_many && !state->files[0].chain, ok;
    uint64_t budget;
    size_t i;
    if (!taco__legacy_levels_hold_files(s, state, &budget, err)) { return false; }
    ok = !ahead || taco__legacy_levels_fetch_all(s, above, false, err);
    for (i = 0; ok && i < above->t.rows; i++) {
        if (above->folder[i] && !state->files[above->file[i]].chain) {
            ok = taco__legacy_levels_add_tortilla(s, state, above, i, &budget, g, err);
        }
    }
    ok = ok && (!ahead || taco__legacy_levels_fetch_all(s, above, true, err));
    taco__legacy_levels_drop_files(s, state);
    return ok;
}

/* ---- chains ---- */

/* For each row of file f's object the row in the level; NULL if out of memory. */
static size_t *taco__legacy_levels_object_rows(const taco__legacy_level *l, size_t f, size_t n,
                                               taco__arena *arena, taco_error *err)
{
    size_t *place = (size_t *)taco__arena_array(arena, n + 1, sizeof *place, err);
    size_t i;
    for (i = 0; place && i < l->t.rows; i++) {
        if (l->file[i] == f) { place[l->object_row[i]] = i; }
    }
    return place;
}

/* Adds the rows of the chains' objects for a level, in stored order. */
static bool taco__legacy_levels_add_chains(taco__legacy *state, uint32_t level,
                                           taco__legacy_gather *g, taco_error *err)
{
    size_t f, i;
    for (f = 0; f < state->file_count; f++) {
        const taco__chain *c = state->files[f].chain;
        size_t *place;
        if (!c || level >= c->count) { continue; }
        place = taco__legacy_levels_object_rows(
            &state->levels[level - 1], f, (size_t)c->tables[level - 1].t.rows, &g->scratch, err);
        if (!place) { return false; }
        for (i = 0; i < c->tables[level].t.rows; i++) {
            if (!taco__legacy_levels_add_run(g, &c->tables[level], i, 1,
                                             (int64_t)place[c->parents[level][i]], err)) {
                return false;
            }
        }
    }
    return true;
}

/* ---- counting ---- */

TACO__FN bool taco__legacy_levels_any_below(const taco__legacy *state, uint32_t level)
{
    const taco__legacy_level *l = &state->levels[level];
    size_t i;
    for (i = 0; i < state->file_count; i++) {
        if (state->files[i].chain && state->files[i].chain->count > level + 1) { return true; }
    }
    for (i = 0; i < l->t.rows; i++) {
        if (l->folder[i] && !state->files[l->file[i]].chain) { return true; }
    }
    return false;
}

/* Gathers and builds the level below one that has been built. */
static bool taco__legacy_levels_add(taco__container *s, taco__legacy *state, uint32_t level,
                                    taco_error *err)
{
    taco__legacy_gather g;
    bool ok;
    memset(&g, 0, sizeof g);
    g.runs.mem = g.scratch.mem = s->mem;
    ok = taco__legacy_levels_add_nested(s, state, level, &g, err) &&
         taco__legacy_levels_add_chains(state, level, &g, err) &&
         taco__legacy_levels_build(s, state, level,
                                   (const taco__legacy_run *)(const void *)g.runs.data,
                                   g.runs.len / sizeof(taco__legacy_run), err);
    taco__buf_free(&g.runs);
    taco__arena_free(&g.scratch);
    return ok;
}

/* TACO 2 has TACO__MAX_LEVELS levels, a tortilla may be nested deeper (Tortilla 0.5.0 "Nested
   properties"): deeper samples stay reachable by key, and the caller is warned. */
static void taco__legacy_levels_warn_deep(taco__container *s, uint32_t deepest)
{
    taco_error w;
    memset(&w, 0, sizeof w);
    TACO__FAIL(&w, TACO_ERR_LIMIT, TACO_NO_OFFSET,
               "tortillas below level %u are only reached by their keys", TACO__U(deepest));
    taco__container_warn(s, &w, "levels");
}

TACO__FN bool taco__legacy_levels_count(taco__container *s, taco_error *err)
{
    taco__legacy *state = (taco__legacy *)s->format_state;
    uint32_t level;
    for (level = 1; taco__legacy_levels_any_below(state, level - 1); level++) {
        bool ok;
        if (level == TACO__MAX_LEVELS) {
            taco__legacy_levels_warn_deep(s, level - 1);
            break;
        }
        ok = taco__legacy_levels_add(s, state, level, err);
        s->levels[level].present = true;
        s->level_count = level + 1;
        if (!ok) {
            state->levels[level].why = *err;
            return false;
        }
    }
    return true;
}

TACO__FN bool taco__legacy_levels_read(taco__container *s, uint32_t n, taco_error *err)
{
    const taco__legacy_level *l = &((const taco__legacy *)s->format_state)->levels[n];
    if (!l->built) {
        taco__error_copy(err, &l->why);
        return false;
    }
    s->levels[n].table = l->t;
    return true;
}
/* ==== src/legacy/legacy_parts.c ==== */
/* legacy_parts.c - the parts of a tortilla that was written in several files

   In: paths of files and the number of parts in their headers; out: the part number in the name of
   a file, a warning if not all parts of a set are opened, and the paths of a set. Each part can be
   read without the others, but the number of parts serves "to verify dataset completeness" (TACO
   0.2.0 "Data format"), as some of the parts look like a complete dataset with fewer samples.
   Names: NAME.####.part.tortilla (Tortilla 0.5.0 "The Data Partition", "File Extension"), with
   .taco if there is a collection. The document counts from 1, its writers from 0: both are
   accepted. */
/* #include "legacy.h" */
/* #include "../base/base.h" */
/* #include "../dataset/dataset.h" */

TACO__FN bool taco__legacy_parts_parse(const char *path, taco_bytes *stem, uint64_t *number)
{
    static const char *const ends[] = {".part.tortilla", ".part.taco"};
    size_t n = strlen(path), k, i, digits = 0;
    for (k = 0; k < TACO__COUNT(ends) && !taco__container_ends_with(path, ends[k]); k++) {}
    if (k == TACO__COUNT(ends)) { return false; }
    n -= strlen(ends[k]);
    while (digits < n && digits < 19 && path[n - digits - 1] >= '0' &&
           path[n - digits - 1] <= '9') {
        digits++;
    }
    if (digits < 4 || digits + 1 > n || path[n - digits - 1] != '.') { return false; }
    *number = 0;
    for (i = n - digits; i < n; i++) {
        *number = *number * 10 + (uint64_t)(path[i] - '0');
    }
    *stem = taco__bytes_of(path, n - digits - 1);
    return true;
}

/* The part of a file name before the number, or the whole name: files of one set share it. */
static taco_bytes taco__legacy_parts_stem(const char *path)
{
    taco_bytes stem;
    uint64_t number;
    return taco__legacy_parts_parse(path, &stem, &number) ? stem : taco__bytes_text(path);
}

/* True if file k is the first of its set; *count: number of open files of the set. Files that are
   not named as parts form sets of one. */
static bool taco__legacy_parts_count(const taco__legacy *state, size_t k, uint64_t *count)
{
    taco_bytes stem = taco__legacy_parts_stem(state->files[k].path);
    size_t i;
    *count = 0;
    for (i = 0; i < state->file_count; i++) {
        if (taco__bytes_equal(taco__legacy_parts_stem(state->files[i].path), stem)) {
            if (i < k) { return false; }
            ++*count;
        }
    }
    return true;
}

/* Each set is compared with all files, and nobody opens more files than this together. */
#define TACO__LEGACY_PARTS_MOST 4096

TACO__FN void taco__legacy_parts_warn(taco__container *s, const taco__legacy *state)
{
    size_t k;
    for (k = 0; k < state->file_count && state->file_count <= TACO__LEGACY_PARTS_MOST; k++) {
        uint64_t parts = state->files[k].head.parts, count;
        taco_error w;
        if (parts < 2 || !taco__legacy_parts_count(state, k, &count) || count == parts) {
            continue;
        }
        memset(&w, 0, sizeof w);
        TACO__FAIL(&w, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                   "%u of %u parts are opened, samples of the others are missing", count, parts);
        taco__container_warn(
            s, &w,
            state->file_count == 1 ? "parts" : taco__metadata_base_name(state->files[k].path));
    }
}

/* The name of part `number` beside one of the set, which has as many digits. */
static char *taco__legacy_parts_name(taco__arena *arena, const char *path, taco_bytes stem,
                                     uint64_t number, taco_error *err)
{
    char *out = taco__arena_text(arena, taco__bytes_text(path), err);
    size_t k = stem.len + 1;
    while (out && out[k] >= '0' && out[k] <= '9') {
        k++;
    }
    while (out && k > stem.len + 1) {
        out[--k] = (char)('0' + number % 10);
        number /= 10;
    }
    return number ? NULL : out;
}

/* Numbers count from 0, or from 1 if there is no part 0. */
TACO__FN const char *const *taco__legacy_parts_set(taco_dataset *ds, taco__arena *arena, size_t *n,
                                                   taco_error *err)
{
    const taco__legacy *state = (const taco__legacy *)ds->stores[0].format_state;
    const taco__legacy_file *file = &state->files[0];
    uint64_t parts = file->head.parts, number, size, from;
    const char **paths;
    taco_bytes stem;
    if (state->file_count != 1 || parts < 2 || parts > TACO__LEGACY_PARTS_MOST ||
        ds->options.open_file || !taco__legacy_parts_parse(file->path, &stem, &number)) {
        return NULL;
    }
    paths = (const char **)taco__arena_array(arena, (size_t)parts, sizeof *paths, err);
    for (from = 0; paths && from < 2; from++) {
        if (number < from || number - from >= parts) { continue; } /* a file of another set */
        for (*n = 0; *n < parts; ++*n) {
            char *name = taco__legacy_parts_name(arena, file->path, stem, from + *n, err);
            if (!name || taco__plat_stat(name, &size) != TACO__PATH_FILE) { break; }
            paths[*n] = name;
        }
        if (*n == parts) { return paths; }
    }
    return NULL;
}
/* ==== src/legacy/legacy_filter.c ==== */
/* legacy_filter.c - bbox and time of a query on old files: centroids in text, times in seconds

   In: taco_filter.bbox or .time, and a table; out: a condition. Tortilla has stac:centroid as
   "POINT (x y)" and stac:time_start as seconds since 1970, which are tested row by row; columns
   of WKB, timestamps and text are handled as in TACO 2 (dataset/query_filter.c). */
/* #include "legacy.h" */
/* #include "../base/base.h" */
/* #include "../filter/filter.h" */
/* #include "../geo/geo.h" */
/* #include "../dataset/dataset.h" */

TACO__FN bool taco__legacy_filter_parse_point(taco_bytes text, double xy[2])
{
    return taco__bytes_starts_with(text, "POINT") && taco__wkb_point_from_text(text, xy);
}

/* taco__custom_predicate.eval: points in the box, edges included. */
static bool taco__legacy_filter_match_bbox(void *ctx, const taco_array *a, size_t rows,
                                           uint8_t *true_bits, uint8_t *valid_bits, taco_error *err)
{
    const taco__query_box *box = (const taco__query_box *)ctx;
    double xy[2];
    size_t i, k;
    (void)valid_bits;
    (void)err;
    for (i = 0; i < rows; i++) {
        if (!taco_array_valid(a, i) ||
            !taco__legacy_filter_parse_point(taco_array_bytes(a, i), xy)) {
            continue;
        }
        for (k = 0; k < box->n; k++) {
            const double *b = box->edge[k];
            if (xy[0] >= b[0] && xy[0] <= b[2] && xy[1] >= b[1] && xy[1] <= b[3]) {
                taco__bitmap_set(true_bits, i);
            }
        }
    }
    return true;
}

TACO__FN taco__expr *taco__legacy_filter_bbox(taco__arena *arena, const taco__table *t,
                                              const taco_filter *f, taco_error *err)
{
    static const char *const names[] = {"istac:geometry", "stac:centroid", "istac:centroid"};
    size_t c = taco__query_find_column(t, f->geometry_column, names, 3, "bbox", err);
    taco__custom_predicate custom;
    taco__query_box *box;
    if (c == TACO__NONE) { return NULL; }
    if (t->fields[c].type != TACO_TEXT) { return taco__query_add_bbox(arena, t, f, NULL, err); }
    box = (taco__query_box *)taco__arena_alloc(arena, sizeof *box, err);
    if (!box || taco__intersect_split_box(f->bbox, box->edge, &box->n, err) != TACO_OK) {
        return NULL;
    }
    memset(&custom, 0, sizeof custom);
    custom.ctx = box;
    custom.eval = taco__legacy_filter_match_bbox;
    return taco__expr_custom(arena, c, &custom, err);
}

/* taco__custom_predicate.eval: seconds from `from` to before `to`, which are microseconds. */
static bool taco__legacy_filter_match_time(void *ctx, const taco_array *a, size_t rows,
                                           uint8_t *true_bits, uint8_t *valid_bits, taco_error *err)
{
    const taco__query_period *s = (const taco__query_period *)ctx;
    size_t i;
    (void)valid_bits;
    (void)err;
    for (i = 0; i < rows; i++) {
        double t = taco_array_double(a, i) * 1e6;
        if (taco_array_valid(a, i) && t >= (double)s->from && t < (double)s->to) {
            taco__bitmap_set(true_bits, i);
        }
    }
    return true;
}

/* The period of a filter in microseconds: whole days, or with exact_time instants, at least 1. */
static bool taco__legacy_filter_period(const taco_filter *f, taco__query_period *p, taco_error *err)
{
    int64_t first = 0, last = 0, from = 0, to = 0;
    if (taco__time_parse_range(f->time, &first, &last, &from, &to, err) != TACO_OK) {
        return false;
    }
    p->days = !f->exact_time;
    p->from = f->exact_time ? from : first * TACO__TIME_DAY_MICROS;
    p->to = !f->exact_time ? (last + 1) * TACO__TIME_DAY_MICROS : to > from ? to : from + 1;
    return true;
}

TACO__FN taco__expr *taco__legacy_filter_time(taco__arena *arena, const taco__table *t,
                                              const taco_filter *f, taco_error *err)
{
    static const char *const names[] = {"istac:time_start", "stac:time_start"};
    size_t c = taco__query_find_column(t, f->time_column, names, 2, "time", err);
    taco__custom_predicate custom;
    taco__query_period *period;
    if (c == TACO__NONE) { return NULL; }
    if (!taco__concat_is_integer(t->fields[c].type) && !taco__concat_is_float(t->fields[c].type)) {
        return taco__query_add_time(arena, t, f, err);
    }
    period = (taco__query_period *)taco__arena_alloc(arena, sizeof *period, err);
    if (!period || !taco__legacy_filter_period(f, period, err)) { return NULL; }
    memset(&custom, 0, sizeof custom);
    custom.ctx = period;
    custom.eval = taco__legacy_filter_match_time;
    return taco__expr_custom(arena, c, &custom, err);
}
/* ==== src/legacy/legacy_dataset.c ==== */
/* legacy_dataset.c - the opener: Tortilla and TACO 0.x files as one dataset of six levels

   In: paths of files, which are opened as one; out: a taco_dataset with one container. Its
   levels follow the nesting: a sample with format TORTILLA is a FOLDER, and the rows of all of
   them together are the next level; in a file with a chain of footers, object k is level k.
   Everything is kept in arrays: footers are small compared with the payloads, and offsets inside a
   nested tortilla have to be made relative to the file. Spec: Tortilla 0.5.0, TACO 0.2.0.

   taco__legacy_opener lists what taco_open and navigation call. Opening reads headers, collection,
   footers and chains of all files (taco__legacy_open); levels below are legacy_levels.c. */
/* #include "legacy.h" */
/* #include "../base/base.h" */
/* #include "../base/json.h" */
/* #include "../parquet/parquet.h" */
/* #include "../dataset/dataset.h" */

/* ---- navigation ---- */

/* Finds the columns with a role. Footers may have their own columns `id` and `type`. */
static void taco__legacy_roles(const taco__table *t, taco__column_roles *r)
{
    size_t id = taco__table_find_column(t, "internal:id");
    size_t type = taco__table_find_column(t, "internal:type");
    r->id = id == TACO__NONE ? r->id : id;
    r->type = type == TACO__NONE ? r->type : type;
}

/* Finds the rows of the next level whose root is a given row; runs must have room for all. Returns
   the number of runs. */
static size_t taco__legacy_find_chain_rows(const taco__legacy *state, const taco__format_folder *of,
                                           taco__legacy_run *runs)
{
    const taco__legacy_level *l = &state->levels[of->level], *below = l + 1;
    uint32_t file = l->file[of->row];
    const taco__chain *c = state->files[file].chain;
    size_t i, n = 0;
    for (i = 0; i < below->t.rows; i++) {
        size_t k = below->object_row[i];
        if (below->file[i] == file &&
            c->parents[of->level + 1][k] == (int64_t)l->object_row[of->row]) {
            runs[n].t = &c->tables[of->level + 1];
            runs[n].first = k;
            runs[n].n = 1;
            runs[n].parent = of->row;
            runs[n++].row = (int64_t)i;
        }
    }
    if (n == 0) { runs[n++].t = &c->tables[of->level + 1]; } /* all columns, no rows */
    return n;
}

/* Children of a row in a file with a chain. */
static bool taco__legacy_chain_children(taco__container *s, taco__legacy *state,
                                        const taco__format_folder *of, taco__arena *arena,
                                        taco__table *out, taco_error *err)
{
    const taco__legacy_level *l = &state->levels[of->level], *below = l + 1;
    taco__arena scratch;
    taco__legacy_run *runs;
    bool ok;
    if (of->row < 0 || (uint64_t)of->row >= l->t.rows || !below->built) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "there is no object below in the chain");
        return false;
    }
    scratch.mem = s->mem;
    scratch.head = NULL;
    runs = (taco__legacy_run *)taco__arena_array(&scratch, (size_t)below->t.rows + 1, sizeof *runs,
                                                 err);
    ok = runs && taco__legacy_table_build(s, state, arena, runs,
                                          taco__legacy_find_chain_rows(state, of, runs), false,
                                          NULL, out, err);
    taco__arena_free(&scratch);
    return ok;
}

/* Children of a nested tortilla: the rows of its footer, at any depth. */
static bool taco__legacy_nested_children(taco__container *s, taco__legacy *state,
                                         const taco__format_folder *of, uint32_t number,
                                         taco__arena *arena, taco__table *out, taco_error *err)
{
    taco__tortilla_table t;
    taco__legacy_run r;
    if (!of->folder) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "a FILE, which has no children");
        return false;
    }
    if (!taco__legacy_levels_read_nested(s, of->file, (uint64_t)of->offset, number, arena, &t, NULL,
                                         err)) {
        return false;
    }
    r.t = &t;
    r.first = 0;
    r.n = (size_t)t.t.rows;
    r.parent = of->row;
    r.row = 0;
    return taco__legacy_table_build(s, state, arena, &r, 1, false, NULL, out, err);
}

/* taco_opener.children. */
static bool taco__legacy_children(taco__container *s, const taco__format_folder *of,
                                  taco__arena *arena, taco__table *out, taco_error *err)
{
    taco__legacy *state = (taco__legacy *)s->format_state;
    const taco__chain *c;
    uint32_t k = 0;
    while (of->source && k + 1 < state->file_count &&
           strcmp(state->files[k].path, of->source) != 0) {
        k++;
    }
    c = state->files[k].chain;
    if (c && of->level + 1 < TACO__MIN(c->count, (size_t)TACO__MAX_LEVELS)) {
        taco__container_level_count(s);
        return taco__legacy_chain_children(s, state, of, arena, out, err);
    }
    return taco__legacy_nested_children(s, state, of, k, arena, out, err);
}

/* ---- the collection ---- */

/* Reads and parses the JSON in a range; false if it is not an object. */
static bool taco__legacy_parse_collection(taco__container *s, taco__file *file, taco__range range,
                                          taco__json_doc *doc, taco_error *err)
{
    size_t len;
    uint8_t *text;
    if (range.len > s->options->limits.max_metadata || !taco__checked_to_size(range.len, &len)) {
        TACO__FAIL(err, TACO_ERR_LIMIT, range.offset,
                   "a collection of %u bytes, limits.max_metadata is %u", range.len,
                   s->options->limits.max_metadata);
        return false;
    }
    text = (uint8_t *)taco__arena_alloc(s->arena, len + 1, err);
    if (!text || !taco__file_read(file, range.offset, text, len, err) ||
        taco__json_parse_at(s->arena, taco__bytes_of(text, len), range.offset, &s->options->limits,
                            doc, err) != TACO_OK) {
        taco__error_prefix(err, "collection");
        return false;
    }
    if (!taco__json_is(doc->root, TACO__JSON_OBJECT)) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, range.offset,
                   "a collection must be a JSON object, found %s", taco__json_type_name(doc->root));
        return false;
    }
    return true;
}

/* Reads the collection of a TACO 0.x, which has fewer rules than that of TACO 2, and no tree. */
static bool taco__legacy_read_collection(taco__container *s, taco__file *file, taco__range range,
                                         taco_error *err)
{
    taco__collection *c = &s->coll;
    const taco__json *root;
    if (!taco__legacy_parse_collection(s, file, range, &c->doc, err)) { return false; }
    root = c->doc.root;
    c->id = taco__json_text(taco__json_get(root, "id"));
    c->dataset_version = taco__json_text(taco__json_get(root, "dataset_version"));
    c->description = taco__json_text(taco__json_get(root, "description"));
    c->taco_version = taco__json_text(taco__json_get(root, "taco_version"));
    c->title = taco__json_text(taco__json_get(root, "title"));
    c->providers = taco__json_get(root, "providers");
    c->curators = taco__json_get(root, "curators");
    c->extent = taco__json_get(root, "extent");
    return true;
}

/* ---- level 0 ---- */

/* A row of one of the files, to sort. */
typedef struct taco__legacy_sort_key {
    taco_bytes id;
    size_t file, row;
} taco__legacy_sort_key;

/* taco__sort_compare: by the bytes of the id. */
static int taco__legacy_compare_ids(const void *ctx, const void *a, const void *b)
{
    (void)ctx;
    return taco__bytes_compare(((const taco__legacy_sort_key *)a)->id,
                               ((const taco__legacy_sort_key *)b)->id);
}

/* Lists the rows of all files, by file and row. Returns their number. */
static size_t taco__legacy_list_rows(const taco__tortilla_table *tables, size_t count,
                                     taco__legacy_sort_key *rows)
{
    size_t f, i, n = 0;
    for (f = 0; f < count; f++) {
        for (i = 0; i < tables[f].t.rows; i++, n++) {
            rows[n].id = taco_array_bytes(&tables[f].t.arrays[tables[f].id], i);
            rows[n].file = f;
            rows[n].row = i;
        }
    }
    return n;
}

/* Sorts the rows of several files by id, as the last reader did; *n runs of one row each. Without
   rows the columns of all files still count. */
static taco__legacy_run *taco__legacy_sort_rows(const taco__tortilla_table *tables, size_t count,
                                                size_t *n, taco__arena *scratch, taco_error *err)
{
    taco__legacy_sort_key *rows;
    taco__legacy_run *runs;
    size_t f, i, total = 0;
    for (f = 0; f < count; f++) {
        total += (size_t)tables[f].t.rows;
    }
    rows = (taco__legacy_sort_key *)taco__arena_array(scratch, total + 1, sizeof *rows, err);
    runs = (taco__legacy_run *)taco__arena_array(scratch, total + count, sizeof *runs, err);
    if (!rows || !runs) { return NULL; }
    *n = taco__legacy_list_rows(tables, count, rows);
    if (!taco__sort_in(scratch->mem, rows, total, sizeof *rows, taco__legacy_compare_ids, NULL,
                       err)) {
        return NULL;
    }
    for (i = 0; i < total; i++) {
        runs[i].t = &tables[rows[i].file];
        runs[i].first = rows[i].row;
        runs[i].n = 1;
        runs[i].row = (int64_t)i;
    }
    for (f = 0; f < count && total == 0; f++) {
        runs[(*n)++].t = &tables[f];
    }
    return runs;
}

/* Appends the rows of all files: one run per file. */
static taco__legacy_run *taco__legacy_append_rows(const taco__tortilla_table *tables, size_t count,
                                                  taco__arena *scratch, taco_error *err)
{
    taco__legacy_run *runs =
        (taco__legacy_run *)taco__arena_array(scratch, count, sizeof *runs, err);
    size_t f, row = 0;
    for (f = 0; runs && f < count; f++) {
        runs[f].t = &tables[f];
        runs[f].n = (size_t)tables[f].t.rows;
        runs[f].row = (int64_t)row;
        row += runs[f].n;
    }
    return runs;
}

/* True if rows of several files are sorted: those of files from before 0.3 are not. */
static bool taco__legacy_is_sorted(const taco__legacy *state)
{
    size_t f;
    for (f = 0; f < state->file_count; f++) {
        if (state->file_count > 1 && !state->files[f].head.driver) { return true; }
    }
    return false;
}

/* Builds level 0 from all files. */
static bool taco__legacy_build_top(taco__container *s, taco__legacy *state,
                                   const taco__tortilla_table *tables, taco_error *err)
{
    size_t n = state->file_count;
    taco__arena scratch;
    taco__legacy_run *runs;
    bool ok;
    scratch.mem = s->mem;
    scratch.head = NULL;
    runs = taco__legacy_is_sorted(state) ? taco__legacy_sort_rows(tables, n, &n, &scratch, err)
                                         : taco__legacy_append_rows(tables, n, &scratch, err);
    ok = runs && taco__legacy_levels_build(s, state, 0, runs, n, err);
    taco__arena_free(&scratch);
    return ok;
}

/* ---- opening ---- */

/* The first column of one table that another lacks; NULL if there is none. */
static const char *taco__legacy_find_missing(const taco__tortilla_table *a,
                                             const taco__tortilla_table *b)
{
    size_t c;
    for (c = 0; c < a->t.field_count; c++) {
        const char *name = a->t.fields[c].name;
        if (taco__tortilla_find_name(b, name) == TACO__NONE) { return name; }
    }
    return NULL;
}

/* STRICT requires the same columns in all files; otherwise missing ones are null. */
static bool taco__legacy_check_same_columns(const taco__legacy *state,
                                            const taco__tortilla_table *tables, taco_error *err)
{
    size_t f;
    for (f = 1; f < state->file_count; f++) {
        const char *name = taco__legacy_find_missing(&tables[0], &tables[f]);
        taco_bytes quoted;
        name = name ? name : taco__legacy_find_missing(&tables[f], &tables[0]);
        if (name) {
            quoted = taco__bytes_text(name);
            TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                       "%s: column %q is not in all files, as --column-mode strict requires",
                       state->files[f].path, &quoted);
            return false;
        }
    }
    return true;
}

/* Reads the chain of a file whose first footer has a pointer. The chain keeps its tables, so the
   footer is read again, into the dataset's arena. */
static bool taco__legacy_read_chain(taco__container *s, taco__file *file, taco__legacy_file *f,
                                    size_t k, taco__tortilla_table *first, taco_error *err)
{
    f->chain = (taco__chain *)taco__arena_alloc(s->arena, sizeof *f->chain, err);
    if (!f->chain ||
        !taco__tortilla_read_footer(s, file, f->head.footer, 0, NULL, s->arena, first, err)) {
        return false;
    }
    first->file = (uint32_t)k;
    return taco__chain_read(s, file, first, f->head.footer, s->arena, f->chain, err);
}

/* Reads one file: header, collection (of the first file), footer, chain. */
static bool taco__legacy_read_file(taco__container *s, taco__legacy *state, size_t k,
                                   taco__arena *scratch, taco__tortilla_table *out, taco_error *err)
{
    taco__legacy_file *f = &state->files[k];
    taco__file *file = taco__legacy_levels_file(s, state, k, err);
    bool ends = true, ok;
    taco__range next;
    ok = file && taco__tortilla_read_header(file, 0, s->arena, &f->head, err) &&
         (k || !f->head.collection.len ||
          taco__legacy_read_collection(s, file, f->head.collection, err)) &&
         taco__tortilla_read_footer(s, file, f->head.footer, 0, f->head.driver, scratch, out, err);
    out->file = (uint32_t)k;
    ok = ok && (!out->pointer.data || taco__chain_parse_pointer(out->pointer, &ends, &next, err)) &&
         (ends || taco__legacy_read_chain(s, file, f, k, out, err));
    if (!ok) { taco__error_prefix(err, "%s", f->path); }
    return ok;
}

/* The path of a file for GDAL, valid in any directory; NULL on failure. */
static const char *taco__legacy_vsi_path(taco__container *s, const char *path, taco_error *err)
{
    const char *before = s->vsi;
    const char *made = taco__container_set_vsi_root(s, path, false, err) ? s->vsi : NULL;
    s->vsi = before;
    return made;
}

/* Initializes a container whose rows are in n files; its levels are not files. */
static void taco__legacy_init_container(taco__container *s, taco__legacy *state, size_t n)
{
    static const char *const names[] = {"level0", "level1", "level2", "level3", "level4", "level5"};
    size_t i;
    s->format_state = state;
    /* as of an archive if one file has all rows, and of a catalogue if internal:source_file names
       that of each */
    s->kind = n == 1 ? TACO_KIND_ZIP : TACO_KIND_TACOCAT;
    s->vsi = s->name;
    s->archive_dir = "";
    for (i = 0; i < TACO__MAX_LEVELS; i++) {
        s->levels[i].name = names[i];
        s->levels[i].padded = 0;
    }
}

/* Reads all files, and builds level 0 from their footers. The container lists each file as it was
   opened and as GDAL names it: rows have the second, loaders open the first, which differ for URLs
   and relative paths. */
static bool taco__legacy_read_files(taco_dataset *ds, taco__legacy *state, const char *const *paths,
                                    taco__arena *scratch, taco_error *err)
{
    taco__container *s = &ds->stores[0];
    size_t n = state->file_count, i;
    taco__tortilla_table *tables =
        (taco__tortilla_table *)taco__arena_array(scratch, n, sizeof *tables, err);
    taco__format_file *named =
        (taco__format_file *)taco__arena_array(&ds->arena, n, sizeof *named, err);
    s->format_files = named;
    if (!named) { return false; }
    for (i = 0; tables && i < n; i++) {
        taco__legacy_file *f = &state->files[i];
        f->path = taco__arena_text(&ds->arena, taco__bytes_text(paths[i]), err);
        f->vsi = f->path ? taco__legacy_vsi_path(s, paths[i], err) : NULL;
        if (!f->vsi || !taco__legacy_read_file(s, state, i, scratch, &tables[i], err)) {
            return false;
        }
        named[i].path = f->path;
        named[i].vsi = f->vsi;
        s->format_file_count = i + 1;
    }
    return tables &&
           (ds->mode != TACO_COLUMNS_STRICT ||
            taco__legacy_check_same_columns(state, tables, err)) &&
           taco__legacy_build_top(s, state, tables, err);
}

/* taco_opener.open. */
static bool taco__legacy_open(taco_dataset *ds, const char *const *paths, size_t n, taco_error *err)
{
    taco__container *s = &ds->stores[0];
    taco__legacy *state = (taco__legacy *)taco__arena_alloc(&ds->arena, sizeof *state, err);
    taco__arena scratch;
    bool ok;
    if (!state) { return false; }
    state->files = (taco__legacy_file *)taco__arena_array(&ds->arena, n, sizeof *state->files, err);
    if (!state->files) { return false; }
    state->file_count = n;
    taco__legacy_init_container(s, state, n);
    scratch.mem = s->mem;
    scratch.head = NULL;
    ok = taco__legacy_read_files(ds, state, paths, &scratch, err);
    taco__arena_free(&scratch);
    s->level_count = 1;
    s->levels[0].present = true;
    s->levels_uncounted = ok && taco__legacy_levels_any_below(state, 0);
    if (ok) {
        taco__legacy_parts_warn(s, state);
        taco__container_warn_version(s);
    }
    return ok;
}

/* taco_opener.detect: by the first two bytes. */
static bool taco__legacy_detect(taco__container *s, const char *path, taco_bytes head)
{
    (void)s;
    (void)path;
    return taco__bytes_starts_with(head, "#y") || taco__bytes_starts_with(head, "WX");
}

static const taco_opener taco__legacy_opener = {"tortilla",
                                                taco__legacy_detect,
                                                taco__legacy_open,
                                                taco__legacy_levels_read,
                                                taco__legacy_levels_count,
                                                taco__legacy_roles,
                                                taco__legacy_children,
                                                taco__legacy_filter_bbox,
                                                taco__legacy_filter_time,
                                                NULL,
                                                NULL,
                                                taco__legacy_check,
                                                NULL,
                                                NULL,
                                                NULL,
                                                NULL,
                                                NULL,
                                                taco__legacy_parts_set};

TACO_API const taco_opener *taco_legacy_opener(void)
{
    return &taco__legacy_opener;
}
/* ==== src/legacy/gdal_drivers.c ==== */
/* gdal_drivers.c - the short names of GDAL's drivers, the values of tortilla:file_format

   In: a name; out: whether it is one, as `gdalinfo --formats` and `ogrinfo --formats` print
   them, or one of the two that the formats add: BYTES and TORTILLA (Tortilla 0.5.0 "The
   Footer"; TACO 0.2.0 table 1). The list holds raster and vector drivers of GDAL 2.0 to 3.12,
   those of plugins and those that were removed too: a file outlives the driver that it names.
   Names differ in case. */
/* #include "legacy.h" */
/* #include "../base/base.h" */

/* Ascending by their bytes. */
static const char *const taco__gdal_drivers[] = {"AAIGrid",
                                                 "ACE2",
                                                 "ADBC",
                                                 "ADRG",
                                                 "AIG",
                                                 "AIVector",
                                                 "ARCGEN",
                                                 "ARG",
                                                 "AVCBin",
                                                 "AVCE00",
                                                 "AVIF",
                                                 "AeronavFAA",
                                                 "AirSAR",
                                                 "AmigoCloud",
                                                 "Arrow",
                                                 "BAG",
                                                 "BASISU",
                                                 "BIGGIF",
                                                 "BLX",
                                                 "BMP",
                                                 "BNA",
                                                 "BSB",
                                                 "BT",
                                                 "BYN",
                                                 "CAD",
                                                 "CALS",
                                                 "CEOS",
                                                 "COASP",
                                                 "COG",
                                                 "COSAR",
                                                 "CPG",
                                                 "CSV",
                                                 "CSW",
                                                 "CTG",
                                                 "CTable2",
                                                 "Carto",
                                                 "Cloudant",
                                                 "CouchDB",
                                                 "DAAS",
                                                 "DB2ODBC",
                                                 "DDS",
                                                 "DERIVED",
                                                 "DGN",
                                                 "DGNv8",
                                                 "DIMAP",
                                                 "DIPEx",
                                                 "DODS",
                                                 "DOQ1",
                                                 "DOQ2",
                                                 "DTED",
                                                 "DWG",
                                                 "DXF",
                                                 "E00GRID",
                                                 "ECRGTOC",
                                                 "ECW",
                                                 "EDIGEO",
                                                 "EEDA",
                                                 "EEDAI",
                                                 "EHdr",
                                                 "EIR",
                                                 "ELAS",
                                                 "ENVI",
                                                 "EPIInfo",
                                                 "EPSILON",
                                                 "ERS",
                                                 "ESAT",
                                                 "ESRI Shapefile",
                                                 "ESRIC",
                                                 "ESRIJSON",
                                                 "EXR",
                                                 "Elasticsearch",
                                                 "FAST",
                                                 "FIT",
                                                 "FITS",
                                                 "FileGDB",
                                                 "FlatGeobuf",
                                                 "FujiBAS",
                                                 "GDALG",
                                                 "GEOR",
                                                 "GFF",
                                                 "GIF",
                                                 "GML",
                                                 "GMLAS",
                                                 "GMT",
                                                 "GNMDatabase",
                                                 "GNMFile",
                                                 "GPKG",
                                                 "GPSBabel",
                                                 "GPSTrackMaker",
                                                 "GPX",
                                                 "GRASS",
                                                 "GRASSASCIIGrid",
                                                 "GRIB",
                                                 "GS7BG",
                                                 "GSAG",
                                                 "GSBG",
                                                 "GSC",
                                                 "GTI",
                                                 "GTM",
                                                 "GTX",
                                                 "GTiff",
                                                 "GXF",
                                                 "GenBin",
                                                 "GeoJSON",
                                                 "GeoJSONSeq",
                                                 "GeoRSS",
                                                 "GeoRaster",
                                                 "Geoconcept",
                                                 "Geomedia",
                                                 "HANA",
                                                 "HDF4",
                                                 "HDF4Image",
                                                 "HDF5",
                                                 "HDF5Image",
                                                 "HEIF",
                                                 "HF2",
                                                 "HFA",
                                                 "HTF",
                                                 "HTTP",
                                                 "IDB",
                                                 "ILWIS",
                                                 "INGR",
                                                 "INGRES",
                                                 "IRIS",
                                                 "ISCE",
                                                 "ISG",
                                                 "ISIS2",
                                                 "ISIS3",
                                                 "Idrisi",
                                                 "Interlis 1",
                                                 "Interlis 2",
                                                 "JAXAPALSAR",
                                                 "JDEM",
                                                 "JML",
                                                 "JP2ECW",
                                                 "JP2KAK",
                                                 "JP2Lura",
                                                 "JP2MrSID",
                                                 "JP2OpenJPEG",
                                                 "JPEG",
                                                 "JPEGLS",
                                                 "JPEGXL",
                                                 "JPIPKAK",
                                                 "JSONFG",
                                                 "KEA",
                                                 "KML",
                                                 "KMLSUPEROVERLAY",
                                                 "KRO",
                                                 "KTX2",
                                                 "L1B",
                                                 "LAN",
                                                 "LCP",
                                                 "LIBERTIFF",
                                                 "LIBKML",
                                                 "LOSLAS",
                                                 "LVBAG",
                                                 "Leveller",
                                                 "MAP",
                                                 "MBTiles",
                                                 "MEM",
                                                 "MFF",
                                                 "MFF2",
                                                 "MG4Lidar",
                                                 "MRF",
                                                 "MSG",
                                                 "MSGN",
                                                 "MSSQLSpatial",
                                                 "MVT",
                                                 "MapInfo File",
                                                 "MapML",
                                                 "Memory",
                                                 "MiraMonRaster",
                                                 "MiraMonVector",
                                                 "MongoDB",
                                                 "MongoDBv3",
                                                 "MrSID",
                                                 "MySQL",
                                                 "NAS",
                                                 "NDF",
                                                 "NGSGEOID",
                                                 "NGW",
                                                 "NITF",
                                                 "NOAA_B",
                                                 "NSIDCbin",
                                                 "NTv2",
                                                 "NWT_GRC",
                                                 "NWT_GRD",
                                                 "OAPIF",
                                                 "OCI",
                                                 "ODBC",
                                                 "ODS",
                                                 "OGCAPI",
                                                 "OGR_DODS",
                                                 "OGR_GMT",
                                                 "OGR_GRASS",
                                                 "OGR_OGDI",
                                                 "OGR_PDS",
                                                 "OGR_SDTS",
                                                 "OGR_VRT",
                                                 "OSM",
                                                 "OZI",
                                                 "OpenAir",
                                                 "OpenFileGDB",
                                                 "PAux",
                                                 "PCIDSK",
                                                 "PCRaster",
                                                 "PDF",
                                                 "PDS",
                                                 "PDS4",
                                                 "PGDUMP",
                                                 "PGeo",
                                                 "PLMOSAIC",
                                                 "PLSCENES",
                                                 "PMTiles",
                                                 "PNG",
                                                 "PNM",
                                                 "PRF",
                                                 "Parquet",
                                                 "PostGISRaster",
                                                 "PostgreSQL",
                                                 "R",
                                                 "RCM",
                                                 "RDB",
                                                 "REC",
                                                 "RIK",
                                                 "RMF",
                                                 "ROI_PAC",
                                                 "RPFTOC",
                                                 "RRASTER",
                                                 "RS2",
                                                 "RST",
                                                 "Rasterlite",
                                                 "S102",
                                                 "S104",
                                                 "S111",
                                                 "S57",
                                                 "SAFE",
                                                 "SAGA",
                                                 "SAR_CEOS",
                                                 "SDTS",
                                                 "SEGUKOOA",
                                                 "SEGY",
                                                 "SENTINEL2",
                                                 "SGI",
                                                 "SIGDEM",
                                                 "SNAP_TIFF",
                                                 "SNODAS",
                                                 "SOSI",
                                                 "SQLite",
                                                 "SRP",
                                                 "SRTMHGT",
                                                 "STACIT",
                                                 "STACTA",
                                                 "SUA",
                                                 "SVG",
                                                 "SXF",
                                                 "Selafin",
                                                 "TGA",
                                                 "TIGER",
                                                 "TIL",
                                                 "TSX",
                                                 "Terragen",
                                                 "TileDB",
                                                 "TopoJSON",
                                                 "UK .NTF",
                                                 "USGSDEM",
                                                 "VDV",
                                                 "VFK",
                                                 "VICAR",
                                                 "VRT",
                                                 "WAsP",
                                                 "WCS",
                                                 "WEBP",
                                                 "WFS",
                                                 "WMS",
                                                 "WMTS",
                                                 "Walk",
                                                 "XLS",
                                                 "XLSX",
                                                 "XODR",
                                                 "XPM",
                                                 "XPlane",
                                                 "XYZ",
                                                 "ZMap",
                                                 "Zarr",
                                                 "netCDF",
                                                 "rasdaman"};

TACO__FN bool taco__gdal_is_driver(taco_bytes name)
{
    size_t at = 0, n = TACO__COUNT(taco__gdal_drivers);
    if (taco__bytes_equal(name, taco__bytes_text("GTiff")) ||
        taco__bytes_equal(name, taco__bytes_text("BYTES")) ||
        taco__bytes_equal(name, taco__bytes_text("TORTILLA"))) {
        return true;
    }
    TACO__LOWER_BOUND(at, n, i,
                      taco__bytes_compare(taco__bytes_text(taco__gdal_drivers[i]), name) < 0);
    return at < n && taco__bytes_equal(taco__bytes_text(taco__gdal_drivers[at]), name);
}
/* ==== src/legacy/legacy_rules.c ==== */
/* legacy_rules.c - what the rows of a footer may hold: the rules of Tortilla 0.5.0 and TACO 0.2.0

   In: columns of rows, of a file or about to be written; out: a problem in taco__findings for
   each breach, with its clause. Tables of the documents: the footer's own columns (tortilla:),
   those of a stac-tortilla and those of a rai-tortilla (Tortilla 0.5.0 "The Footer"; TACO 0.2.0
   table 1). A MUST is an error. Deviations of the writers of that time (no end of a time span,
   seconds with fractions, rai:ele for rai:elevation) are a warning or nothing, so that their
   files stay valid.

   taco_validate applies these rules to files (legacy_check.c), the writers to their input
   (tortilla_check.c). Start reading at taco__legacy_rules_check_rows. */
/* #include "legacy.h" */
/* #include "../base/base.h" */
/* #include "../validate/validate.h" */

/* What a column holds. */
typedef enum taco__legacy_rules_kind {
    TACO__LEGACY_RULES_TEXT,
    TACO__LEGACY_RULES_INTEGER,
    TACO__LEGACY_RULES_SECONDS, /* integer in the document, fractional in its writers */
    TACO__LEGACY_RULES_NUMBER,
    TACO__LEGACY_RULES_SHARE, /* number from 0 to 1 */
    TACO__LEGACY_RULES_NUMBERS,
    TACO__LEGACY_RULES_INTEGERS,
    TACO__LEGACY_RULES_KINDS
} taco__legacy_rules_kind;

/* A column of the documents. need: bits of the columns that make a stac- or rai-tortilla; two names
   for the same thing share a bit. */
typedef struct taco__legacy_rules_column {
    const char *name;
    taco__legacy_rules_kind kind;
    uint32_t need;
    const char *clause;
} taco__legacy_rules_column;

static const taco__legacy_rules_column taco__legacy_rules_columns[] = {
    {"tortilla:id", TACO__LEGACY_RULES_TEXT, 0, "Tortilla 0.5.0, tortilla:id"},
    {"tortilla:file_format", TACO__LEGACY_RULES_TEXT, 0, "Tortilla 0.5.0, tortilla:file_format"},
    {"tortilla:data_split", TACO__LEGACY_RULES_TEXT, 0, "Tortilla 0.5.0, tortilla:data_split"},
    {"tortilla:offset", TACO__LEGACY_RULES_INTEGER, 0, "Tortilla 0.5.0, tortilla:offset"},
    {"tortilla:length", TACO__LEGACY_RULES_INTEGER, 0, "Tortilla 0.5.0, tortilla:length"},
    {"stac:crs", TACO__LEGACY_RULES_TEXT, 1, "Tortilla 0.5.0, stac:crs"},
    {"stac:geotransform", TACO__LEGACY_RULES_NUMBERS, 2, "Tortilla 0.5.0, stac:geotransform"},
    {"stac:raster_shape", TACO__LEGACY_RULES_INTEGERS, 4, "Tortilla 0.5.0, stac:raster_shape"},
    {"stac:tensor_shape", TACO__LEGACY_RULES_INTEGERS, 4, "TACO 0.2.0, stac:tensor_shape"},
    {"stac:time_start", TACO__LEGACY_RULES_SECONDS, 8, "Tortilla 0.5.0, stac:time_start"},
    {"stac:time_end", TACO__LEGACY_RULES_SECONDS, 16, "Tortilla 0.5.0, stac:time_end"},
    {"stac:centroid", TACO__LEGACY_RULES_TEXT, 0, "Tortilla 0.5.0, stac:centroid"},
    {"rai:elevation", TACO__LEGACY_RULES_NUMBER, 32, "Tortilla 0.5.0, rai:elevation"},
    {"rai:ele", TACO__LEGACY_RULES_NUMBER, 32, "Tortilla 0.5.0, rai:elevation"},
    {"rai:cisi", TACO__LEGACY_RULES_SHARE, 64, "Tortilla 0.5.0, rai:cisi"},
    {"rai:gdp", TACO__LEGACY_RULES_NUMBER, 128, "Tortilla 0.5.0, rai:gdp"},
    {"rai:hdi", TACO__LEGACY_RULES_SHARE, 256, "Tortilla 0.5.0, rai:hdi"},
    {"rai:gmi", TACO__LEGACY_RULES_SHARE, 512, "Tortilla 0.5.0, rai:gmi"},
    {"rai:pop", TACO__LEGACY_RULES_NUMBER, 1024, "Tortilla 0.5.0, rai:pop"},
    {"rai:admin0", TACO__LEGACY_RULES_TEXT, 2048, "Tortilla 0.5.0, rai:admin0"},
    {"rai:admin1", TACO__LEGACY_RULES_TEXT, 4096, "Tortilla 0.5.0, rai:admin1"},
    {"rai:admin2", TACO__LEGACY_RULES_TEXT, 8192, "Tortilla 0.5.0, rai:admin2"}};

/* All columns of a stac-tortilla, and of a rai-tortilla. */
#define TACO__LEGACY_RULES_STAC 31u
#define TACO__LEGACY_RULES_RAI  16352u

/* Reports a breach in row i. The place is only formatted here, since that takes time. */
#define TACO__LEGACY_RULES_ROW(r, error, clause, i, ...)                                           \
    do {                                                                                           \
        taco__findings_set_place((r)->f, "%srow %u", (r)->place, TACO__U(i));                      \
        TACO__FINDINGS_CLAUSE((r)->f, error, clause, __VA_ARGS__);                                 \
    } while (0)

/* Reports a breach of the table as a whole. */
#define TACO__LEGACY_RULES_TABLE(r, error, clause, ...)                                            \
    do {                                                                                           \
        taco__findings_set_place((r)->f, "%scolumns", (r)->place);                                 \
        TACO__FINDINGS_CLAUSE((r)->f, error, clause, __VA_ARGS__);                                 \
    } while (0)

/* ---- types ---- */

/* True if a field has a type of that kind. Columns of only nulls pass: pandas knows no type for
   them. */
static bool taco__legacy_rules_fits(taco__legacy_rules_kind kind, const taco_field *f)
{
    taco_type t = f->type;
    if ((kind == TACO__LEGACY_RULES_NUMBERS || kind == TACO__LEGACY_RULES_INTEGERS) &&
        t == TACO_LIST) {
        t = f->children[0].type;
        return t == TACO_NULL || taco__concat_is_integer(t) ||
               (kind == TACO__LEGACY_RULES_NUMBERS && taco__concat_is_float(t));
    }
    switch (kind) {
    case TACO__LEGACY_RULES_TEXT: return t == TACO_NULL || t == TACO_TEXT;
    case TACO__LEGACY_RULES_INTEGER: return t == TACO_NULL || taco__concat_is_integer(t);
    case TACO__LEGACY_RULES_NUMBERS:
    case TACO__LEGACY_RULES_INTEGERS: return t == TACO_NULL;
    default: return t == TACO_NULL || taco__concat_is_integer(t) || taco__concat_is_float(t);
    }
}

/* Checks the type of a column in the documents. */
static bool taco__legacy_rules_check_type(const taco__legacy_rows *r,
                                          const taco__legacy_rules_column *c, const taco_field *f)
{
    static const char *const kinds[TACO__LEGACY_RULES_KINDS] = {"text",
                                                                "integers",
                                                                "seconds, which are integers",
                                                                "numbers",
                                                                "numbers from 0 to 1",
                                                                "lists of numbers",
                                                                "lists of integers"};
    if (!taco__legacy_rules_fits(c->kind, f)) {
        TACO__LEGACY_RULES_TABLE(r, true, c->clause, "column %s must hold %s", c->name,
                                 kinds[c->kind]);
        return false;
    }
    if (c->kind == TACO__LEGACY_RULES_SECONDS && taco__concat_is_float(f->type)) {
        TACO__LEGACY_RULES_TABLE(r, false, c->clause,
                                 "column %s holds fractions, seconds are integers", c->name);
    }
    return true;
}

/* ---- values of one column ---- */

/* Checks a number from 0 to 1; NaN means none, as in pandas. The document says so about cisi and
   hdi; for gmi only the paper that it cites does, so other values are a warning. */
static void taco__legacy_rules_check_share(const taco__legacy_rows *r,
                                           const taco__legacy_rules_column *c, const taco_array *a,
                                           size_t i)
{
    double x = taco_array_double(a, i);
    char text[40];
    if (x < 0 || x > 1) {
        text[taco__num_format_f64(text, x)] = 0;
        TACO__LEGACY_RULES_ROW(r, strcmp(c->name, "rai:gmi") != 0, c->clause, i,
                               "%s is %s, must lie from 0 to 1", c->name, text);
    }
}

/* Checks stac:geotransform: six numbers, in GDAL's order. */
static void taco__legacy_rules_check_geotransform(const taco__legacy_rows *r,
                                                  const taco__legacy_rules_column *c,
                                                  const taco_array *a, size_t i)
{
    size_t from = (size_t)a->offsets[i], to = (size_t)a->offsets[i + 1], k;
    bool finite = true;
    for (k = from; k < to; k++) {
        double x = taco_array_double(&a->children[0], k);
        finite = finite && taco_array_valid(&a->children[0], k) && taco__f64_is_finite(x);
    }
    if (to - from != 6 || !finite) {
        TACO__LEGACY_RULES_ROW(r, true, c->clause, i,
                               "%s has %u numbers%s, must be the 6 of GDAL's geotransform", c->name,
                               TACO__U(to - from), finite ? "" : ", some of them not finite");
    }
}

/* Checks stac:raster_shape, rows and columns, or stac:tensor_shape, any number of dimensions. */
static void taco__legacy_rules_check_shape(const taco__legacy_rows *r,
                                           const taco__legacy_rules_column *c, const taco_array *a,
                                           size_t i)
{
    size_t from = (size_t)a->offsets[i], to = (size_t)a->offsets[i + 1], k;
    bool two = strcmp(c->name, "stac:raster_shape") == 0, positive = true;
    for (k = from; k < to; k++) {
        positive = positive && taco_array_int(&a->children[0], k) > 0;
    }
    if (two ? to - from != 2 : to == from) {
        TACO__LEGACY_RULES_ROW(r, true, c->clause, i, "%s has %u numbers, must be %s", c->name,
                               TACO__U(to - from), two ? "rows and columns" : "one or more");
    } else if (!positive) {
        TACO__LEGACY_RULES_ROW(r, true, c->clause, i, "%s has a number that is not above 0",
                               c->name);
    }
}

/* Checks stac:crs: AUTHORITY:CODE. Writers accepted everything that PROJ reads, so another text is
   a warning. */
static void taco__legacy_rules_check_crs(const taco__legacy_rows *r,
                                         const taco__legacy_rules_column *c, const taco_array *a,
                                         size_t i)
{
    static const char *const known[] = {"EPSG:", "ESRI:", "SR-ORG:"};
    taco_bytes text = taco_array_bytes(a, i);
    size_t k;
    for (k = 0; k < TACO__COUNT(known); k++) {
        if (taco__bytes_starts_with(text, known[k]) && text.len > strlen(known[k])) { return; }
    }
    TACO__LEGACY_RULES_ROW(r, false, c->clause, i,
                           "%s is %q, must be a code of EPSG, ESRI or SR-ORG such as EPSG:4326",
                           c->name, &text);
}

/* Checks stac:centroid: a point in degrees. */
static void taco__legacy_rules_check_centroid(const taco__legacy_rows *r,
                                              const taco__legacy_rules_column *c,
                                              const taco_array *a, size_t i)
{
    taco_bytes text = taco_array_bytes(a, i);
    double xy[2] = {0, 0};
    bool point = taco__legacy_filter_parse_point(text, xy);
    if (!point || !(xy[0] >= -180 && xy[0] <= 180 && xy[1] >= -90 && xy[1] <= 90)) {
        TACO__LEGACY_RULES_ROW(r, true, c->clause, i, "%s is %q, must be %s", c->name, &text,
                               point ? "degrees: longitude within 180, latitude within 90"
                                     : "POINT (longitude latitude)");
    }
}

/* tortilla:data_split. */
static void taco__legacy_rules_check_split(const taco__legacy_rows *r,
                                           const taco__legacy_rules_column *c, const taco_array *a,
                                           size_t i)
{
    taco_bytes split = taco_array_bytes(a, i);
    if (taco__column_rule_check_split(split, NULL) != TACO_OK) {
        TACO__LEGACY_RULES_ROW(r, true, c->clause, i,
                               "%s is %q, allowed are train, validation, test", c->name, &split);
    }
}

/* Checks one value that is not null. */
static void taco__legacy_rules_check_value(const taco__legacy_rows *r,
                                           const taco__legacy_rules_column *c, const taco_array *a,
                                           size_t i)
{
    if (c->kind == TACO__LEGACY_RULES_SHARE) {
        taco__legacy_rules_check_share(r, c, a, i);
    } else if (c->kind == TACO__LEGACY_RULES_NUMBERS) {
        taco__legacy_rules_check_geotransform(r, c, a, i);
    } else if (c->kind == TACO__LEGACY_RULES_INTEGERS) {
        taco__legacy_rules_check_shape(r, c, a, i);
    } else if (strcmp(c->name, "tortilla:data_split") == 0) {
        taco__legacy_rules_check_split(r, c, a, i);
    } else if (strcmp(c->name, "stac:crs") == 0) {
        taco__legacy_rules_check_crs(r, c, a, i);
    } else if (strcmp(c->name, "stac:centroid") == 0) {
        taco__legacy_rules_check_centroid(r, c, a, i);
    }
}

/* True if there are rules for the values of the column. */
static bool taco__legacy_rules_has_values(const taco__legacy_rules_column *c)
{
    return c->kind == TACO__LEGACY_RULES_SHARE || c->kind == TACO__LEGACY_RULES_NUMBERS ||
           c->kind == TACO__LEGACY_RULES_INTEGERS || strcmp(c->name, "tortilla:data_split") == 0 ||
           strcmp(c->name, "stac:crs") == 0 || strcmp(c->name, "stac:centroid") == 0;
}

/* Checks type and values of all columns in the documents. *seen: bits of the existing columns of
   the right type. */
static void taco__legacy_rules_check_columns(const taco__legacy_rows *r, uint32_t *seen)
{
    size_t k, i;
    for (k = 0; k < TACO__COUNT(taco__legacy_rules_columns) && !r->f->stop; k++) {
        const taco__legacy_rules_column *c = &taco__legacy_rules_columns[k];
        const taco_array *a = taco__tortilla_check_find(r->columns, r->column_count, c->name);
        if (!a || !taco__legacy_rules_check_type(r, c, a->field)) { continue; }
        *seen |= c->need;
        for (i = 0; taco__legacy_rules_has_values(c) && i < r->rows && !r->f->stop; i++) {
            if (taco_array_valid(a, i)) { taco__legacy_rules_check_value(r, c, a, i); }
        }
    }
}

/* ---- several columns together ---- */

/* Reports a file that has some, but not all columns of a class: it is not of that class. */
static void taco__legacy_rules_check_class(const taco__legacy_rows *r, uint32_t seen, uint32_t all,
                                           const char *what, const char *clause)
{
    char missing[256] = "";
    uint32_t told = seen;
    size_t k, n = 0;
    if (!(seen & all) || (seen & all) == all) { return; }
    for (k = 0; k < TACO__COUNT(taco__legacy_rules_columns); k++) {
        const taco__legacy_rules_column *c = &taco__legacy_rules_columns[k];
        size_t len = strlen(c->name);
        if (!(c->need & all) || (c->need & told) || n + len + 2 > sizeof missing) { continue; }
        told |= c->need;
        missing[n++] = ' ';
        memcpy(missing + n, c->name, len + 1);
        n += len;
    }
    TACO__LEGACY_RULES_TABLE(r, false, clause, "no %s, columns are missing:%s", what, missing);
}

/* The column with that name if its values are numbers; NULL if there is none. */
static const taco_array *taco__legacy_rules_numbers(const taco__legacy_rows *r, const char *name)
{
    const taco_array *a = taco__tortilla_check_find(r->columns, r->column_count, name);
    return a && a->field->type != TACO_NULL &&
                   taco__legacy_rules_fits(TACO__LEGACY_RULES_NUMBER, a->field)
               ? a
               : NULL;
}

/* Checks that times do not end before they start. */
static void taco__legacy_rules_check_times(const taco__legacy_rows *r)
{
    const taco_array *start = taco__legacy_rules_numbers(r, "stac:time_start");
    const taco_array *end = taco__legacy_rules_numbers(r, "stac:time_end");
    size_t i;
    for (i = 0; start && end && i < r->rows && !r->f->stop; i++) {
        if (taco_array_valid(start, i) && taco_array_valid(end, i) &&
            taco_array_double(end, i) < taco_array_double(start, i)) {
            TACO__LEGACY_RULES_ROW(r, true, "Tortilla 0.5.0, stac:time_end", i,
                                   "stac:time_end lies before stac:time_start");
        }
    }
}

/* Checks tortilla:file_format, or the one format of old files: it exists and is a name of GDAL. The
   tiles at the end of a chain are not files and have none. */
static void taco__legacy_rules_check_formats(const taco__legacy_rows *r)
{
    static const char clause[] = "Tortilla 0.5.0, tortilla:file_format";
    const taco_array *format =
        taco__tortilla_check_find(r->columns, r->column_count, "tortilla:file_format");
    const taco_array *one =
        taco__tortilla_check_find(r->columns, r->column_count, "internal:file_format");
    size_t i;
    for (i = 0; i < r->rows && !r->f->stop; i++) {
        taco_bytes name = format ? taco_array_bytes(format, i) : taco__bytes_of(NULL, 0);
        if (!name.len && one) { name = taco_array_bytes(one, i); }
        if (name.len ? r->any_format || taco__gdal_is_driver(name) : r->tiles && r->tiles[i]) {
            continue;
        }
        if (name.len) {
            TACO__LEGACY_RULES_ROW(r, true, clause, i,
                                   "tortilla:file_format is %q, which is not a GDAL driver, nor "
                                   "BYTES or TORTILLA",
                                   &name);
        } else {
            TACO__LEGACY_RULES_ROW(
                r, true, clause, i,
                "no tortilla:file_format: must be a GDAL driver, BYTES or TORTILLA");
        }
    }
}

/* ---- ids ---- */

typedef struct taco__legacy_rules_id {
    taco_bytes id;
    int64_t parent;
    size_t row;
} taco__legacy_rules_id;

/* taco__sort_compare: by parent, id, and row. */
static int taco__legacy_rules_compare_ids(const void *ctx, const void *a, const void *b)
{
    const taco__legacy_rules_id *x = (const taco__legacy_rules_id *)a;
    const taco__legacy_rules_id *y = (const taco__legacy_rules_id *)b;
    int order = (x->parent > y->parent) - (x->parent < y->parent);
    (void)ctx;
    order = order ? order : taco__bytes_compare(x->id, y->id);
    return order ? order : (x->row > y->row) - (x->row < y->row);
}

/* Checks that ids exist, and are unique within a tortilla. */
static bool taco__legacy_rules_check_ids(const taco__legacy_rows *r, const taco_array *ids,
                                         taco_error *err)
{
    static const char clause[] = "Tortilla 0.5.0, tortilla:id";
    taco__arena scratch;
    taco__legacy_rules_id *list;
    size_t i;
    bool ok;
    scratch.mem = r->mem;
    scratch.head = NULL;
    list = (taco__legacy_rules_id *)taco__arena_array(&scratch, r->rows + 1, sizeof *list, err);
    for (i = 0; list && i < r->rows; i++) {
        list[i].id = taco_array_bytes(ids, i);
        list[i].parent = r->parent ? taco_array_int(r->parent, i) : 0;
        list[i].row = i;
        if (!list[i].id.len) { TACO__LEGACY_RULES_ROW(r, true, clause, i, "no tortilla:id"); }
    }
    ok = list && taco__sort_in(r->mem, list, r->rows, sizeof *list, taco__legacy_rules_compare_ids,
                               NULL, err);
    for (i = 1; ok && i < r->rows && !r->f->stop; i++) {
        if (list[i].parent == list[i - 1].parent && list[i].id.len &&
            taco__bytes_equal(list[i - 1].id, list[i].id)) {
            taco__findings_set_place(r->f, "%srows %u and %u", r->place, TACO__U(list[i - 1].row),
                                     TACO__U(list[i].row));
            TACO__FINDINGS_CLAUSE(r->f, true, clause,
                                  "both have the tortilla:id %q, ids must be unique", &list[i].id);
        }
    }
    taco__arena_free(&scratch);
    return ok;
}

TACO__FN bool taco__legacy_rules_check_rows(const taco__legacy_rows *r, taco_error *err)
{
    const taco_array *ids = taco__tortilla_check_find(r->columns, r->column_count, "tortilla:id");
    const taco_array *format =
        taco__tortilla_check_find(r->columns, r->column_count, "tortilla:file_format");
    bool text = ids && ids->field->type == TACO_TEXT;
    uint32_t seen = 0;
    if (!ids) {
        TACO__LEGACY_RULES_TABLE(r, true, "Tortilla 0.5.0, tortilla:id",
                                 "there is no column tortilla:id");
    }
    taco__legacy_rules_check_columns(r, &seen);
    if (!format || format->field->type == TACO_TEXT || format->field->type == TACO_NULL) {
        taco__legacy_rules_check_formats(r);
    }
    taco__legacy_rules_check_times(r);
    taco__legacy_rules_check_class(r, seen, TACO__LEGACY_RULES_STAC, "stac-tortilla",
                                   "Tortilla 0.5.0, stac-tortilla");
    if (!r->before_03) {
        taco__legacy_rules_check_class(r, seen, TACO__LEGACY_RULES_RAI, "rai-tortilla",
                                       "Tortilla 0.5.0, rai-tortilla");
    }
    return !text || taco__legacy_rules_check_ids(r, ids, err);
}
/* ==== src/legacy/legacy_collection.c ==== */
/* legacy_collection.c - what the collection of a TACO 0.x may hold

   In: the parsed document, of a file or about to be written; out: a problem in taco__findings for
   each breach, with its clause. Spec: TACO 0.2.0 "Semantic Description": the core fields are
   required, the optional ones may be missing or null. data_curator is a core field in the document,
   but the writers of that time called it `curators` and made it optional: lacking it is a warning.
   An extent is a list of boxes and a list of intervals, or one of each. */
/* #include "legacy.h" */
/* #include "../base/base.h" */
/* #include "../base/json.h" */
/* #include "../dataset/dataset.h" */
/* #include "../validate/validate.h" */

/* A breach at a member. */
#define TACO__LEGACY_COLLECTION_MEMBER(f, error, clause, key, ...)                                 \
    do {                                                                                           \
        taco__findings_set_place(f, "collection: %s", key);                                        \
        TACO__FINDINGS_CLAUSE(f, error, clause, __VA_ARGS__);                                      \
    } while (0)

static const char taco__legacy_collection_core[] = "TACO 0.2.0, Semantic Description, core fields";
static const char taco__legacy_collection_optional[] =
    "TACO 0.2.0, Semantic Description, optional fields";

/* Checks a text: required ones must not be empty, optional ones may be missing or null. */
static void taco__legacy_collection_check_text(taco__findings *f, const taco__json *root,
                                               const char *key, bool core)
{
    const taco__json *n = taco__json_get(root, key);
    bool text = taco__json_is(n, TACO__JSON_STRING);
    if (core ? !taco__json_bytes(n).len : !text && !taco__rules_is_null(n)) {
        TACO__LEGACY_COLLECTION_MEMBER(
            f, true, core ? taco__legacy_collection_core : taco__legacy_collection_optional, key,
            "must be %s, found %s", core ? "a text that is not empty" : "a text or null",
            text ? "an empty one" : taco__json_type_name(n));
    }
}

/* Checks a list of texts; core: it has at least one. */
static void taco__legacy_collection_check_texts(taco__findings *f, const taco__json *root,
                                                const char *key, bool core)
{
    const taco__json *list = taco__json_get(root, key), *text;
    const char *clause = core ? taco__legacy_collection_core : taco__legacy_collection_optional;
    size_t i, n = taco__json_length(list);
    if (!core && taco__rules_is_null(list)) { return; }
    if (!taco__json_is(list, TACO__JSON_ARRAY) || (core && !n)) {
        TACO__LEGACY_COLLECTION_MEMBER(
            f, true, clause, key, "must be a list of texts%s, found %s",
            core ? ", at least one" : "",
            taco__json_is(list, TACO__JSON_ARRAY) ? "an empty one" : taco__json_type_name(list));
        return;
    }
    for (i = 0, text = taco__json_first(list); i < n; i++, text = taco__json_next(text)) {
        if (!taco__json_bytes(text).len) {
            TACO__LEGACY_COLLECTION_MEMBER(f, true, clause, key,
                                           "item %u must be a text that is not empty, found %s",
                                           TACO__U(i), taco__json_type_name(text));
        }
    }
}

/* ---- people ---- */

/* Checks a list of contacts (table 2): objects with a name, or an organization. */
static void taco__legacy_collection_check_contacts(taco__findings *f, const taco__json *list,
                                                   const char *key)
{
    const taco__json *who;
    size_t i, n = taco__json_length(list);
    if (!taco__json_is(list, TACO__JSON_ARRAY) || !n) {
        TACO__LEGACY_COLLECTION_MEMBER(
            f, true, taco__legacy_collection_core, key,
            "must be a list of contacts, at least one, found %s",
            taco__json_is(list, TACO__JSON_ARRAY) ? "an empty one" : taco__json_type_name(list));
        return;
    }
    for (i = 0, who = taco__json_first(list); i < n; i++, who = taco__json_next(who)) {
        if (!taco__metadata_person_name(who).len) {
            TACO__LEGACY_COLLECTION_MEMBER(f, true, taco__legacy_collection_core, key,
                                           "item %u has neither a name nor an organization",
                                           TACO__U(i));
        }
    }
}

/* Checks data_curator, or `curators` as the writers called it. */
static void taco__legacy_collection_check_curators(taco__findings *f, const taco__json *root)
{
    const taco__json *list = taco__json_get(root, "data_curator");
    const char *key = list ? "data_curator" : "curators";
    list = list ? list : taco__json_get(root, "curators");
    if (!taco__rules_is_null(list) &&
        !(taco__json_is(list, TACO__JSON_ARRAY) && !taco__json_length(list))) {
        taco__legacy_collection_check_contacts(f, list, key);
    } else {
        TACO__LEGACY_COLLECTION_MEMBER(f, false, taco__legacy_collection_core, "data_curator",
                                       "is missing, and so is curators");
    }
}

/* ---- the extent ---- */

/* Checks a box of two or three dimensions, in degrees. */
static void taco__legacy_collection_check_box(taco__findings *f, const taco__json *box)
{
    size_t n = taco__json_length(box), wide = n / 2, k;
    double e[6] = {0, 0, 0, 0, 0, 0};
    bool numbers = n == 4 || n == 6;
    for (k = 0; numbers && k < n; k++) {
        numbers = taco__json_double(taco__json_at(box, k), &e[k]);
    }
    if (!numbers) {
        TACO__LEGACY_COLLECTION_MEMBER(f, true, taco__legacy_collection_core, "extent.spatial",
                                       "a box must be 4 or 6 numbers, found %u", TACO__U(n));
        return;
    }
    if (!(e[0] >= -180 && e[0] <= 180 && e[wide] >= -180 && e[wide] <= 180 && e[1] >= -90 &&
          e[1] <= e[wide + 1] && e[wide + 1] <= 90)) {
        TACO__LEGACY_COLLECTION_MEMBER(
            f, true, taco__legacy_collection_core, "extent.spatial",
            "a box must be west, south, east, north in degrees, south not "
            "above north");
    }
}

/* Parses one end of an interval to milliseconds: an ISO 8601 date, or an integer; *open is set for
   null. */
static bool taco__legacy_collection_read_time(const taco__json *n, int64_t *ms, bool *open)
{
    bool date, ok;
    *open = taco__rules_is_null(n);
    if (*open || taco__json_int(n, ms)) { return true; }
    ok = taco__time_parse(taco__json_bytes(n), ms, &date);
    if (ok) { *ms = taco__time_floor_div(*ms, 1000); }
    return ok;
}

/* Checks an interval of two times, the second not before the first. */
static void taco__legacy_collection_check_interval(taco__findings *f, const taco__json *times)
{
    int64_t ms[2] = {0, 0};
    bool open[2] = {false, false};
    if (taco__json_length(times) != 2 ||
        !taco__legacy_collection_read_time(taco__json_at(times, 0), &ms[0], &open[0]) ||
        !taco__legacy_collection_read_time(taco__json_at(times, 1), &ms[1], &open[1])) {
        TACO__LEGACY_COLLECTION_MEMBER(f, true, taco__legacy_collection_core, "extent.temporal",
                                       "an interval must be two times in ISO 8601");
    } else if (!open[0] && !open[1] && ms[1] < ms[0]) {
        TACO__LEGACY_COLLECTION_MEMBER(f, true, taco__legacy_collection_core, "extent.temporal",
                                       "an interval ends before it starts");
    }
}

/* Calls the check for each item of a list of lists, or for the list itself if its items are not
   lists. */
static void taco__legacy_collection_each(taco__findings *f, const taco__json *list, const char *key,
                                         void (*check)(taco__findings *f, const taco__json *item))
{
    const taco__json *item = taco__json_first(list);
    size_t i, n = taco__json_length(list);
    if (!taco__json_is(list, TACO__JSON_ARRAY) || !n) {
        TACO__LEGACY_COLLECTION_MEMBER(
            f, true, taco__legacy_collection_core, key,
            "must be a list that is not empty, found %s",
            taco__json_is(list, TACO__JSON_ARRAY) ? "an empty one" : taco__json_type_name(list));
    } else if (!taco__json_is(item, TACO__JSON_ARRAY)) {
        check(f, list);
    } else {
        for (i = 0; i < n; i++, item = taco__json_next(item)) {
            check(f, item);
        }
    }
}

static void taco__legacy_collection_check_extent(taco__findings *f, const taco__json *root)
{
    const taco__json *extent = taco__json_get(root, "extent"), *times;
    if (!taco__json_is(extent, TACO__JSON_OBJECT)) {
        TACO__LEGACY_COLLECTION_MEMBER(f, true, taco__legacy_collection_core, "extent",
                                       "must be an object of spatial and temporal, found %s",
                                       taco__json_type_name(extent));
        return;
    }
    times = taco__json_get(extent, "temporal");
    taco__legacy_collection_each(f, taco__json_get(extent, "spatial"), "extent.spatial",
                                 taco__legacy_collection_check_box);
    if (!taco__rules_is_null(times) &&
        !(taco__json_length(times) == 1 && taco__rules_is_null(taco__json_at(times, 0)))) {
        taco__legacy_collection_each(f, times, "extent.temporal",
                                     taco__legacy_collection_check_interval);
    } else {
        TACO__LEGACY_COLLECTION_MEMBER(f, false, taco__legacy_collection_core, "extent.temporal",
                                       "is missing");
    }
}

/* ---- the rest ---- */

/* Checks raw_link and discuss_link (table 6): an object with an address. */
static void taco__legacy_collection_check_link(taco__findings *f, const taco__json *root,
                                               const char *key)
{
    const taco__json *n = taco__json_get(root, key);
    if (taco__rules_is_null(n) || taco__metadata_text_of(n, "href").len) { return; }
    TACO__LEGACY_COLLECTION_MEMBER(f, !taco__json_bytes(n).len, taco__legacy_collection_optional,
                                   key, "must be an object with href, found %s",
                                   taco__json_type_name(n));
}

TACO__FN void taco__legacy_collection_check(taco__findings *f, const taco__json *root, bool made)
{
    static const char *const core[] = {"id", "taco_version", "dataset_version", "description"};
    static const char *const optional[] = {"title", "task", "split_strategy"};
    static const char *const links[] = {"raw_link", "discuss_link"};
    taco_bytes version = taco__metadata_text_of(root, "taco_version");
    size_t i;
    for (i = 0; i < TACO__COUNT(core); i++) {
        taco__legacy_collection_check_text(f, root, core[i], true);
    }
    if (version.len && !taco__collection_is_version(version)) {
        TACO__LEGACY_COLLECTION_MEMBER(f, made, taco__legacy_collection_core, "taco_version",
                                       "is %q, must be a version such as 0.2.0", &version);
    }
    taco__legacy_collection_check_texts(f, root, "licenses", true);
    taco__legacy_collection_check_contacts(f, taco__json_get(root, "providers"), "providers");
    taco__legacy_collection_check_curators(f, root);
    taco__legacy_collection_check_extent(f, root);
    for (i = 0; i < TACO__COUNT(optional); i++) {
        taco__legacy_collection_check_text(f, root, optional[i], false);
    }
    taco__legacy_collection_check_texts(f, root, "keywords", false);
    for (i = 0; i < TACO__COUNT(links); i++) {
        taco__legacy_collection_check_link(f, root, links[i]);
    }
    taco__findings_end_table(f, "collection");
}
/* ==== src/legacy/legacy_check.c ==== */
/* legacy_check.c - taco_validate of Tortilla and TACO 0.x files

   In: an open dataset: its headers, footers and collections are readable, every sample lies in its
   file, and chains end. Out: problems in taco__findings, each with its clause: of the headers and
   names of files, the collection (legacy_collection.c), the rows of each
   level (legacy_rules.c), the ranges of samples against each other, and the chain. Spec: Tortilla
   0.5.0 "Format", TACO 0.2.0 "Data format" and "Facilitating dataset streaming".

   File names only cause warnings: they are not part of the file, and tortilla2taco() kept them.
   Start reading at taco__legacy_check. */
/* #include "legacy.h" */
/* #include "../base/base.h" */
/* #include "../tiff/tiff.h" */
/* #include "../validate/validate.h" */

/* ---- headers and names ---- */

/* True if all bytes are zero. */
static bool taco__legacy_check_is_free(const uint8_t *p, size_t from, size_t to)
{
    while (from < to && p[from] == 0) {
        from++;
    }
    return from == to;
}

/* Checks the name of a file against its contents. */
static void taco__legacy_check_name(taco__findings *f, const taco__legacy_file *file)
{
    static const char clause[] = "Tortilla 0.5.0, File Extension";
    uint64_t parts = file->head.parts, number = 0;
    taco_bytes stem;
    bool part = taco__legacy_parts_parse(file->path, &stem, &number);
    if (part != (parts > 1)) {
        TACO__FINDINGS_CLAUSE(f, false, clause, "a file of %u parts must be named %s", parts,
                              parts > 1 ? "NAME.####.part.tortilla" : "without .####.part");
    } else if (part && number > parts) {
        TACO__FINDINGS_CLAUSE(f, false, clause, "the name says part %u, there are %u", number,
                              parts);
    }
    if (!taco__container_ends_with(file->path, file->head.collection.len ? ".taco" : ".tortilla")) {
        TACO__FINDINGS_CLAUSE(f, false, clause, "the name of a file with%s collection ends in %s",
                              file->head.collection.len ? " a" : "out a",
                              file->head.collection.len ? ".taco" : ".tortilla");
    }
}

/* Checks the header of file k: a TACO has a collection, and reserved bytes are zero. There were no
   such rules for headers before 0.3. */
static bool taco__legacy_check_header(taco__container *s, const taco__legacy *state, size_t k,
                                      taco__findings *f, taco_error *err)
{
    const taco__legacy_file *file = &state->files[k];
    taco__file *bytes = taco__legacy_levels_file(s, state, k, err);
    uint8_t p[TACO__TORTILLA_HEADER_BYTES];
    bool taco;
    taco__findings_set_place(f, state->file_count > 1 ? "%s: header" : "header",
                             taco__metadata_base_name(file->path));
    taco__legacy_check_name(f, file);
    if (!bytes || file->head.driver) { return bytes != NULL; }
    if (!taco__file_read(bytes, 0, p, sizeof p, err)) { return false; }
    taco = p[0] == 'W';
    if (file->head.parts == 0) {
        TACO__FINDINGS_CLAUSE(f, true, "Tortilla 0.5.0, The Data Partition",
                              "the number of parts is 0, must be 1 or more");
    }
    if (taco && !file->head.collection.len) {
        TACO__FINDINGS_CLAUSE(f, true, "TACO 0.2.0, Data format",
                              "a TACO (magic 'WX') without a collection");
    }
    if (!taco__legacy_check_is_free(p, taco ? 42 : 26, sizeof p)) {
        TACO__FINDINGS_CLAUSE(f, false, "Tortilla 0.5.0, The Free Space",
                              "the bytes from %u on are reserved, and not all zero",
                              TACO__U(taco ? 42 : 26));
    }
    return true;
}

/* ---- ranges ---- */

/* A range of a file that belongs to a sample or something else. */
typedef struct taco__legacy_check_range {
    uint64_t begin, end;
    uint32_t file;
    size_t row;
} taco__legacy_check_range;

/* taco__sort_compare: by file, then offset. */
static int taco__legacy_check_compare_ranges(const void *ctx, const void *a, const void *b)
{
    const taco__legacy_check_range *x = (const taco__legacy_check_range *)a;
    const taco__legacy_check_range *y = (const taco__legacy_check_range *)b;
    int order = (x->file > y->file) - (x->file < y->file);
    (void)ctx;
    return order ? order : (x->begin > y->begin) - (x->begin < y->begin);
}

/* True if a sample overlaps a range of its file. */
static bool taco__legacy_check_meets(const taco__legacy_check_range *r, taco__range other)
{
    return r->begin < r->end && other.len && r->begin < other.offset + other.len &&
           other.offset < r->end;
}

/* Checks a sample of level 0: it lies in the data, between header and footer. */
static void taco__legacy_check_top_range(taco__findings *f, const taco__legacy *state,
                                         const taco__legacy_check_range *r)
{
    const taco__tortilla *head = &state->files[r->file].head;
    const char *what = r->begin < r->end && r->begin < head->body      ? "header"
                       : taco__legacy_check_meets(r, head->footer)     ? "footer"
                       : taco__legacy_check_meets(r, head->collection) ? "collection"
                                                                       : NULL;
    if (what) {
        taco__findings_set_place(f, "level 0: row %u", TACO__U(r->row));
        TACO__FINDINGS_CLAUSE(f, true, "Tortilla 0.5.0, The Data Pile",
                              "its bytes %u to %u overlap those of the %s", r->begin, r->end, what);
    }
}

/* Checks a sample of a nested tortilla, or a tile: it lies in the bytes of its parent. */
static void taco__legacy_check_inner_range(taco__findings *f, const taco__legacy_level *above,
                                           uint32_t level, size_t parent,
                                           const taco__legacy_check_range *r)
{
    uint64_t begin = (uint64_t)above->offset[parent];
    uint64_t end = begin + (uint64_t)above->size[parent];
    if (r->begin < begin || r->end > end) {
        taco__findings_set_place(f, "level %u: row %u", TACO__U(level), TACO__U(r->row));
        TACO__FINDINGS_CLAUSE(f, true, "Tortilla 0.5.0, Nested properties",
                              "its bytes %u to %u are not within those of its parent, %u to %u",
                              r->begin, r->end, begin, end);
    }
}

/* Finds samples that share bytes. Readers accept them, and an edited footer may list a sample
   twice. */
static void taco__legacy_check_overlaps(taco__findings *f, uint32_t level,
                                        const taco__legacy_check_range *list, size_t n)
{
    size_t i, last = 0; /* the sample before i that reaches furthest */
    for (i = 1; i < n && !f->stop; i++) {
        if (list[i].file == list[last].file && list[i].begin < list[last].end &&
            list[i].begin < list[i].end) {
            taco__findings_set_place(f, "level %u: rows %u and %u", TACO__U(level),
                                     TACO__U(list[last].row), TACO__U(list[i].row));
            TACO__FINDINGS_CLAUSE(f, false, "Tortilla 0.5.0, Goals: sample isolation",
                                  "share bytes from %u on", list[i].begin);
        }
        if (list[i].file != list[last].file || list[i].end > list[last].end) { last = i; }
    }
}

/* Checks the ranges of all rows of a level. */
static bool taco__legacy_check_ranges(taco__container *s, const taco__legacy *state, uint32_t level,
                                      taco__findings *f, taco_error *err)
{
    const taco__legacy_level *l = &state->levels[level];
    size_t c = taco__table_find_column(&l->t, "internal:parent_id"), i, n = (size_t)l->t.rows;
    taco__legacy_check_range *list;
    taco__arena scratch;
    bool ok;
    scratch.mem = s->mem;
    scratch.head = NULL;
    list = (taco__legacy_check_range *)taco__arena_array(&scratch, n + 1, sizeof *list, err);
    for (i = 0; list && i < n; i++) {
        list[i].begin = (uint64_t)l->offset[i];
        list[i].end = list[i].begin + (uint64_t)l->size[i];
        list[i].file = l->file[i];
        list[i].row = i;
        if (level == 0) {
            taco__legacy_check_top_range(f, state, &list[i]);
        } else {
            taco__legacy_check_inner_range(f, l - 1, level,
                                           (size_t)taco_array_int(&l->t.arrays[c], i), &list[i]);
        }
    }
    ok = list &&
         taco__sort_in(s->mem, list, n, sizeof *list, taco__legacy_check_compare_ranges, NULL, err);
    if (ok) { taco__legacy_check_overlaps(f, level, list, n); }
    taco__arena_free(&scratch);
    return ok;
}

/* ---- chains ---- */

/* Finds the tiles of a level: the rows whose parents are not tortillas. NULL if out of memory. */
static uint8_t *taco__legacy_check_find_tiles(const taco__legacy *state, uint32_t level,
                                              taco__arena *arena, taco_error *err)
{
    const taco__legacy_level *l = &state->levels[level];
    size_t i, c = taco__table_find_column(&l->t, "internal:parent_id");
    uint8_t *tiles = (uint8_t *)taco__arena_alloc(arena, (size_t)l->t.rows + 1, err);
    for (i = 0; tiles && level && i < l->t.rows; i++) {
        tiles[i] = !l[-1].folder[taco_array_int(&l->t.arrays[c], i)];
    }
    return tiles;
}

/* Checks a tile: its id is that of its sample, "::" and a number, and its sample is a TIFF. */
static void taco__legacy_check_tile(const taco__legacy_level *l, size_t i, size_t parent,
                                    taco__findings *f)
{
    static const char clause[] = "TACO 0.2.0, Facilitating dataset streaming";
    const taco__legacy_level *above = l - 1;
    size_t ids = taco__table_find_column(&l->t, "tortilla:id");
    size_t of = taco__table_find_column(&above->t, "tortilla:id");
    size_t c = taco__table_find_column(&above->t, "tortilla:file_format");
    taco_bytes id = taco_array_bytes(&l->t.arrays[ids], i), format = {NULL, 0};
    taco_bytes sample = taco_array_bytes(&above->t.arrays[of], parent);
    if (c != TACO__NONE) { format = taco_array_bytes(&above->t.arrays[c], parent); }
    if (id.len < sample.len + 3 || memcmp(id.data, sample.data, sample.len) != 0 ||
        memcmp(id.data + sample.len, "::", 2) != 0) {
        TACO__FINDINGS_CLAUSE(f, false, clause, "the tile %q is not named as its sample %q", &id,
                              &sample);
    }
    if (!taco__bytes_equal(format, taco__bytes_text("GTiff")) &&
        !taco__bytes_equal(format, taco__bytes_text("COG"))) {
        TACO__FINDINGS_CLAUSE(
            f, true, clause, "a tile of the sample %q, whose format is %q: only GeoTIFFs have some",
            &sample, &format);
    }
}

/* The bytes of a sample, as a source. */
typedef struct taco__legacy_check_part {
    taco__file *file;
    uint64_t base;
} taco__legacy_check_part;

/* taco_source.read. */
static bool taco__legacy_check_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    const taco__legacy_check_part *p = (const taco__legacy_check_part *)ctx;
    return taco__file_read(p->file, p->base + offset, dst, len, NULL);
}

/* Checks that a sample with tiles, row i of a level, is a TOG. Only a warning, since tiles of other
   TIFFs can be read as well; and only done with deep, as it reads payloads. False if the check
   itself failed. */
static bool taco__legacy_check_tog(taco__container *s, const taco__legacy *state, uint32_t level,
                                   size_t i, taco__findings *f, taco_error *err)
{
    const taco__legacy_level *l = &state->levels[level];
    taco__legacy_check_part part;
    taco_source src;
    taco_error e;
    taco_tiff *t;
    memset(&src, 0, sizeof src);
    memset(&e, 0, sizeof e);
    part.file = taco__legacy_levels_file(s, state, l->file[i], &e);
    part.base = (uint64_t)l->offset[i];
    src.ctx = &part;
    src.size = (uint64_t)l->size[i];
    src.read = taco__legacy_check_read;
    t = part.file ? taco_tiff_open(&src, "sample", s->options, &e) : NULL;
    if (!t && taco__error_is_of_machine(&e)) {
        *err = e;
        return false;
    }
    if (!t || taco_tog_check(t, &e) != TACO_OK) {
        taco__findings_set_place(f, "level %u: row %u", TACO__U(level), TACO__U(i));
        TACO__FINDINGS_CLAUSE(f, false, "TACO 0.2.0, Facilitating dataset streaming", "%s", e.text);
    }
    taco_tiff_close(t);
    return true;
}

/* Checks the tiles of a level, and with deep the samples that contain them. */
static bool taco__legacy_check_tiles(taco__container *s, const taco__legacy *state, uint32_t level,
                                     const uint8_t *tiles, taco__findings *f, taco_error *err)
{
    const taco__legacy_level *l = &state->levels[level];
    size_t i, c = taco__table_find_column(&l->t, "internal:parent_id"), last = SIZE_MAX;
    for (i = 0; i < l->t.rows && !f->stop; i++) {
        size_t parent = tiles[i] ? (size_t)taco_array_int(&l->t.arrays[c], i) : last;
        if (!tiles[i]) { continue; }
        taco__findings_set_place(f, "level %u: row %u", TACO__U(level), TACO__U(i));
        taco__legacy_check_tile(l, i, parent, f);
        if (f->how->deep && parent != last &&
            !taco__legacy_check_tog(s, state, level - 1, parent, f, err)) {
            return false;
        }
        last = parent;
    }
    return true;
}

/* Checks that the first object of a chain has a column root, the id of each row: other objects
   refer to it. */
static void taco__legacy_check_root(const taco__chain *c, taco__findings *f)
{
    static const char clause[] = "TACO 0.2.0, Facilitating dataset streaming";
    const taco__tortilla_table *t = &c->tables[0];
    size_t root = taco__table_find_column(&t->t, "root");
    if (root == TACO__NONE) { root = taco__table_find_column(&t->t, "tortilla:root"); }
    taco__findings_set_place(f, "level 0: columns");
    if (root == TACO__NONE) {
        TACO__FINDINGS_CLAUSE(f, true, clause, "a chain of footers without a column root");
    }
}

/* ---- levels ---- */

/* Checks the rows of a level: rules, ranges, tiles. */
static bool taco__legacy_check_level(taco__container *s, const taco__legacy *state, uint32_t level,
                                     taco__findings *f, taco_error *err)
{
    const taco__legacy_level *l = &state->levels[level];
    char place[] = "level 0: ";
    size_t c = taco__table_find_column(&l->t, "internal:parent_id");
    taco__legacy_rows r;
    taco__arena scratch;
    bool ok;
    scratch.mem = s->mem;
    scratch.head = NULL;
    place[6] = (char)('0' + level);
    memset(&r, 0, sizeof r);
    r.f = f;
    r.mem = s->mem;
    r.columns = l->t.arrays;
    r.column_count = l->t.field_count;
    r.rows = (size_t)l->t.rows;
    r.parent = level ? &l->t.arrays[c] : NULL;
    r.tiles = taco__legacy_check_find_tiles(state, level, &scratch, err);
    r.place = place;
    r.before_03 = state->files[0].head.driver != NULL;
    ok = r.tiles && taco__legacy_rules_check_rows(&r, err) &&
         taco__legacy_check_ranges(s, state, level, f, err) &&
         taco__legacy_check_tiles(s, state, level, r.tiles, f, err);
    if (ok) {
        place[7] = 0;
        taco__findings_end_table(f, place);
    }
    taco__arena_free(&scratch);
    return ok;
}

TACO__FN bool taco__legacy_check(taco_dataset *ds, taco__findings *f, taco_error *err)
{
    taco__container *s = &ds->stores[0];
    const taco__legacy *state = (const taco__legacy *)s->format_state;
    uint32_t level;
    size_t k;
    for (k = 0; k < state->file_count; k++) {
        if (!taco__legacy_check_header(s, state, k, f, err)) { return false; }
        if (state->files[k].chain) { taco__legacy_check_root(state->files[k].chain, f); }
    }
    if (s->coll.doc.root) { taco__legacy_collection_check(f, s->coll.doc.root, false); }
    for (level = 0; level < s->level_count && state->levels[level].built && !f->stop; level++) {
        if (!taco__legacy_check_level(s, state, level, f, err)) { return false; }
    }
    return true;
}
/* ==== src/legacy/tortilla_write.c ==== */
/* tortilla_write.c - writes samples as Tortilla or TACO 0.x files: header, payloads, footer

   In: a taco__tortilla_node: columns of samples, some of which are tortillas with their own
   samples, and a function that supplies the bytes of each; out: a .tortilla, or with a
   collection a .taco (Tortilla 0.5.0 "Format", TACO 0.2.0), in one file or in parts.

       header 200 | payload 0 | payload 1 | ... | footer, Parquet | collection, JSON

   A footer locates the payloads and comes after them, and a nested tortilla is a payload. So
   sizes are computed first, from the leaves up (taco__tortilla_write_measure), then footers, and
   the bytes are written in one pass, without patching (taco__tortilla_write_file). To this end
   the source of each sample is opened twice. Rows are checked in tortilla_check.c. */
/* #include "legacy.h" */
/* #include "../base/base.h" */
/* #include "../base/sink.h" */
/* #include "../base/temporary.h" */
/* #include "../base/file_copy.h" */
/* #include "../base/json.h" */
/* #include "../parquet_write/parquet_write.h" */

/* Closes a source supplied by payload, if it is ours to close. */
static void taco__tortilla_write_close_input(const taco__tortilla_writer *w, taco__input *in)
{
    if (w->closes && in->source.close) { in->source.close(in->source.ctx); }
    memset(in, 0, sizeof *in);
}

TACO__FN void taco__tortilla_write_init(taco__tortilla_writer *w, const taco_options *opt,
                                        taco_error *err)
{
    memset(w, 0, sizeof *w);
    taco__mem_init(&w->mem, opt);
    taco__options_init(&w->options, opt);
    w->arena.mem = w->copied.mem = w->copied.sources.mem = &w->mem;
    w->copied.most = w->options.limits.max_output;
    w->err = err;
}

/* ---- footers ---- */

/* Order of columns: those of every tortilla first, all others have 3. */
static int taco__tortilla_write_column_rank(const char *name)
{
    static const char *const first[] = {"tortilla:id", "tortilla:file_format",
                                        "tortilla:data_split"};
    int i;
    for (i = 0; i < 3 && strcmp(name, first[i]) != 0; i++) {}
    return i;
}

/* Copies of columns whose fields are nullable, as in pandas; *fields too. */
static taco_array *taco__tortilla_write_nullable(taco__tortilla_writer *w,
                                                 const taco_array *columns, size_t n,
                                                 taco_field **fields)
{
    taco_field *f = (taco_field *)taco__arena_array(&w->arena, n + 1, sizeof *f, w->err);
    taco_array *a = (taco_array *)taco__arena_array(&w->arena, n + 1, sizeof *a, w->err);
    size_t i;
    *fields = f;
    for (i = 0; f && a && i < n; i++) {
        f[i] = *columns[i].field;
        f[i].nullable = true;
        a[i] = columns[i];
        a[i].field = &f[i];
    }
    return f ? a : NULL;
}

/* Writes one batch as a Parquet file in the way of the last writer: ZSTD, one row group. */
static bool taco__tortilla_write_parquet(taco__tortilla_writer *w, const taco_sink *sink,
                                         const taco_field *fields, const taco_batch *b,
                                         const char *pointer)
{
    taco_pq_write_options o;
    taco_pq_key key;
    taco_pq_writer *pq;
    memset(&o, 0, sizeof o);
    o.options = &w->options;
    o.codec = TACO_CODEC_ZSTD;
    o.encoding = TACO_ENCODING_PLAIN;
    o.row_group_rows = INT32_MAX;
    key.key = "pointer";
    key.value = pointer;
    o.keys = &key;
    o.key_count = pointer != NULL;
    pq = taco_pq_write(sink, fields, b->column_count, &o, w->err);
    if (pq && b->length) { taco_pq_writer_batch(pq, b); }
    return pq && taco_pq_writer_close(pq, w->err) == TACO_OK;
}

TACO__FN bool taco__tortilla_write_encode_footer(taco__tortilla_writer *w,
                                                 const taco_array *columns, size_t n, size_t rows,
                                                 const char *pointer, taco_bytes *out)
{
    taco_field *fields;
    taco_sink sink;
    taco_batch b;
    bool ok;
    memset(&b, 0, sizeof b);
    b.first_row = -1;
    b.length = rows;
    b.column_count = n;
    b.columns = taco__tortilla_write_nullable(w, columns, n, &fields);
    if (!b.columns || taco_sink_memory(&sink, &w->options, w->err) != TACO_OK) { return false; }
    ok = taco__tortilla_write_parquet(w, &sink, fields, &b, pointer);
    if (ok) {
        *out = taco_sink_bytes(&sink);
        out->data = (const uint8_t *)taco__arena_text(&w->arena, *out, w->err);
        ok = out->data != NULL;
    }
    taco_sink_free(&sink);
    return ok;
}

/* Makes tortilla:offset and tortilla:length, or in compiled files the reverse. */
static bool taco__tortilla_write_range_columns(taco__tortilla_writer *w, size_t rows,
                                               const int64_t *offsets, const int64_t *sizes,
                                               taco_array *out)
{
    taco_field *f = (taco_field *)taco__arena_array(&w->arena, 2, sizeof *f, w->err);
    size_t k;
    if (!f) { return false; }
    f[w->compiled] = taco__field_make("tortilla:offset", TACO_INT64);
    f[!w->compiled] = taco__field_make("tortilla:length", TACO_INT64);
    memset(out, 0, 2 * sizeof *out);
    for (k = 0; k < 2; k++) {
        out[k].field = &f[k];
        out[k].length = rows;
    }
    out[w->compiled].v.i64 = offsets;
    out[!w->compiled].v.i64 = sizes;
    return true;
}

/* id, format and split, then offset and length, then all others. */
TACO__FN bool taco__tortilla_write_make_columns(taco__tortilla_writer *w,
                                                const taco__tortilla_node *node,
                                                const int64_t *offsets, const int64_t *sizes,
                                                taco_array *out, size_t *n)
{
    size_t i;
    int rank;
    for (*n = 0, rank = 0; rank <= 3; rank++) {
        if (rank == 3) {
            if (!taco__tortilla_write_range_columns(w, node->rows, offsets, sizes, &out[*n])) {
                return false;
            }
            *n += 2;
        }
        for (i = 0; i < node->column_count; i++) {
            if (taco__tortilla_write_column_rank(node->columns[i].field->name) == rank) {
                out[(*n)++] = node->columns[i];
            }
        }
    }
    return true;
}

/* Places the payloads one after another, after the header: at[] are their offsets, *end the end of
   the last. */
static bool taco__tortilla_write_place_rows(taco__tortilla_writer *w,
                                            const taco__tortilla_node *node, int64_t *at,
                                            int64_t *sizes, uint64_t *end)
{
    size_t i;
    *end = TACO__TORTILLA_HEADER_BYTES;
    for (i = 0; i < node->rows; i++) {
        at[i] = (int64_t)*end;
        sizes[i] = (int64_t)node->sizes[i];
        if (!taco__checked_add64(*end, node->sizes[i], end) || *end > INT64_MAX) {
            TACO__FAIL(w->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "payloads of more than 2^63 bytes");
            return false;
        }
    }
    return true;
}

/* Makes the footer of a node whose sizes are known. */
static bool taco__tortilla_write_make_footer(taco__tortilla_writer *w, taco__tortilla_node *node)
{
    int64_t *at = (int64_t *)taco__arena_array(&w->arena, node->rows + 8, sizeof *at, w->err);
    int64_t *sizes = (int64_t *)taco__arena_array(&w->arena, node->rows + 8, sizeof *sizes, w->err);
    taco_array *columns =
        (taco_array *)taco__arena_array(&w->arena, node->column_count + 2, sizeof *columns, w->err);
    uint64_t end;
    size_t n;
    if (!at || !sizes || !columns || !taco__tortilla_write_place_rows(w, node, at, sizes, &end)) {
        return false;
    }
    node->body = end - TACO__TORTILLA_HEADER_BYTES;
    return taco__tortilla_write_make_columns(w, node, at, sizes, columns, &n) &&
           taco__tortilla_write_encode_footer(w, columns, n, node->rows, NULL, &node->footer);
}

/* The id of a row; empty if there is none. */
static taco_bytes taco__tortilla_write_id(const taco__tortilla_node *node, size_t i)
{
    const taco_array *ids =
        taco__tortilla_check_find(node->columns, node->column_count, "tortilla:id");
    return ids && ids->field->type == TACO_TEXT ? taco_array_bytes(ids, i)
                                                : taco__bytes_of(NULL, 0);
}

/* Measures one sample. */
static bool taco__tortilla_write_measure_row(taco__tortilla_writer *w, taco__tortilla_node *node,
                                             size_t i)
{
    taco__input in;
    bool ok;
    memset(&in, 0, sizeof in);
    if (!w->payload(w->ctx, node, i, &in, w->err)) { return false; }
    node->sizes[i] = in.size;
    ok = !w->copies ||
         taco__payload_ranges_add(&w->copied, &in, taco__tortilla_write_id(node, i), w->err);
    taco__tortilla_write_close_input(w, &in);
    return ok;
}

/* taco__tortilla_write_measure, without the check of what was copied. */
static bool taco__tortilla_write_measure_node(taco__tortilla_writer *w, taco__tortilla_node *node)
{
    size_t i;
    for (i = 0; i < node->rows; i++) {
        taco__tortilla_node *child = node->children ? node->children[i] : NULL;
        if (!child) {
            if (!taco__tortilla_write_measure_row(w, node, i)) { return false; }
            continue;
        }
        if (!taco__tortilla_write_measure_node(w, child)) { return false; }
        node->sizes[i] = TACO__TORTILLA_HEADER_BYTES + child->body + child->footer.len;
    }
    return taco__tortilla_write_make_footer(w, node);
}

TACO__FN bool taco__tortilla_write_measure(taco__tortilla_writer *w, taco__tortilla_node *node)
{
    return taco__tortilla_write_measure_node(w, node) &&
           taco__payload_ranges_check(&w->copied, w->err);
}

/* ---- bytes ---- */

TACO__FN bool taco__tortilla_write_header(taco__tortilla_writer *w, const char *magic,
                                          taco__range footer, uint64_t parts,
                                          taco__range collection)
{
    uint8_t p[TACO__TORTILLA_HEADER_BYTES];
    memset(p, 0, sizeof p);
    memcpy(p, magic, 2);
    taco__put_le64(p + 2, footer.offset);
    taco__put_le64(p + 10, footer.len);
    taco__put_le64(p + 18, parts);
    taco__put_le64(p + 26, collection.offset);
    taco__put_le64(p + 34, collection.len);
    return taco__output_write(&w->out, p, sizeof p, w->err);
}

TACO__FN bool taco__tortilla_write_payload(taco__tortilla_writer *w, const taco__input *in,
                                           taco_bytes id)
{
    uint64_t at = 0;
    uint32_t crc = 0;
    while (at < in->size) {
        size_t n = (size_t)TACO__MIN(in->size - at, (uint64_t)TACO__OUTPUT_BYTES / 2);
        uint8_t *room = taco__output_reserve(&w->out, n, w->err);
        if (!room || !taco__input_read(in, at, room, n, w->err)) { return false; }
        if (in->has_crc) { crc = taco__crc32(crc, room, n); }
        at += n;
    }
    return taco__zip_check_copied(&w->options, in->has_crc, in->crc, crc, id, w->err);
}

/* Writes a sample that is not a tortilla; its size must be what it was when measured. */
static bool taco__tortilla_write_row(taco__tortilla_writer *w, const taco__tortilla_node *node,
                                     size_t i)
{
    taco__input in;
    bool ok;
    memset(&in, 0, sizeof in);
    ok = w->payload(w->ctx, node, i, &in, w->err);
    if (ok && in.size != node->sizes[i]) {
        TACO__FAIL(w->err, TACO_ERR_IO, TACO_NO_OFFSET,
                   "row %u: %u bytes now, %u when it was measured", TACO__U(i), TACO__U(in.size),
                   node->sizes[i]);
        ok = false;
    }
    ok = ok && taco__tortilla_write_payload(w, &in, taco__tortilla_write_id(node, i));
    taco__tortilla_write_close_input(w, &in);
    return ok;
}

/* Writes header, payloads and footer of a tortilla inside another. It is one part, even if the file
   is not. */
static bool taco__tortilla_write_nested(taco__tortilla_writer *w, const taco__tortilla_node *node)
{
    taco__range footer, none = {0, 0};
    footer.offset = TACO__TORTILLA_HEADER_BYTES + node->body;
    footer.len = node->footer.len;
    return taco__tortilla_write_header(w, "#y", footer, 1, none) &&
           taco__tortilla_write_body(w, node);
}

TACO__FN bool taco__tortilla_write_body(taco__tortilla_writer *w, const taco__tortilla_node *node)
{
    size_t i;
    for (i = 0; i < node->rows; i++) {
        const taco__tortilla_node *child = node->children ? node->children[i] : NULL;
        if (child ? !taco__tortilla_write_nested(w, child)
                  : !taco__tortilla_write_row(w, node, i)) {
            return false;
        }
    }
    return taco__output_write(&w->out, node->footer.data, node->footer.len, w->err);
}

TACO__FN bool taco__tortilla_write_open(taco__tortilla_writer *w, const char *path)
{
#ifndef TACO_NO_STDIO
    taco_sink sink;
    return taco__sink_file_staged(&sink, path, &w->options, &w->mem, w->staged, w->err) ==
               TACO_OK &&
           taco__output_open(&w->out, &sink, &w->mem, w->err);
#else
    (void)path;
    TACO__FAIL(w->err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET, "built without files");
    return false;
#endif
}

TACO__FN bool taco__tortilla_write_file(taco__tortilla_writer *w, const char *path,
                                        const taco__tortilla_node *node, uint64_t parts,
                                        taco_bytes json)
{
    taco__range footer, collection = {0, 0};
    bool ok;
    footer.offset = TACO__TORTILLA_HEADER_BYTES + node->body;
    footer.len = node->footer.len;
    if (json.data) {
        collection.offset = footer.offset + footer.len;
        collection.len = json.len;
    }
    if (!taco__tortilla_write_open(w, path)) { return false; }
    ok = taco__tortilla_write_header(w, json.data ? "WX" : "#y", footer, parts, collection) &&
         taco__tortilla_write_body(w, node) &&
         taco__output_write(&w->out, json.data, json.len, w->err);
    return taco__output_close(&w->out, ok, w->err) && ok;
}

/* ---- parts ---- */

/* End of the part that begins at row `first`: at least one payload, and at most `most` bytes. */
static size_t taco__tortilla_write_part_end(const taco__tortilla_node *node, size_t first,
                                            uint64_t most)
{
    uint64_t sum = node->sizes[first];
    size_t i = first + 1;
    for (; i < node->rows && (!sum || sum + node->sizes[i] <= most); i++) {
        sum += node->sizes[i];
    }
    return i;
}

#ifndef TACO_NO_STDIO
/* soyuna.tortilla as soyuna.0003.part.tortilla; NULL if out of memory. */
static const char *taco__tortilla_write_part_name(taco__tortilla_writer *w, const char *path,
                                                  size_t k)
{
    size_t n = strlen(path), dot = n, digits;
    const char *ext = strrchr(path, '.'), *slash = strrchr(path, '/');
    char number[24], *out, *p;
    if (ext && (!slash || ext > slash + 1)) { dot = (size_t)(ext - path); }
    p = out = (char *)taco__arena_alloc(&w->arena, n + 40, w->err);
    if (!out) { return NULL; }
    digits = taco__num_format_u64(number, k);
    memcpy(p, path, dot);
    p += dot;
    *p++ = '.';
    for (; digits + (size_t)(p - out) < dot + 5; *p++ = '0') {} /* at least four digits */
    memcpy(p, number, digits);
    p += digits;
    memcpy(p, ".part", 5);
    memcpy(p + 5, path + dot, n - dot + 1);
    return out;
}

/* Rows [first, first + n) of a node as a separate node. Every array that is indexed by row moves
   with them; what is indexed by column is made again, and the footer with it. */
static bool taco__tortilla_write_slice(taco__tortilla_writer *w, const taco__tortilla_node *node,
                                       size_t first, size_t n, taco__tortilla_node *out)
{
    taco_array *columns =
        (taco_array *)taco__arena_array(&w->arena, node->column_count + 1, sizeof *columns, w->err);
    size_t i;
    *out = *node;
    out->columns = columns;
    out->rows = n;
    out->sizes = node->sizes + first;
    out->children = node->children ? node->children + first : NULL;
    out->first_row = node->first_row + first;
    out->source_rows = node->source_rows ? node->source_rows + first : NULL;
    for (i = 0; columns && i < node->column_count; i++) {
        taco__concat_slice p;
        p.a = &node->columns[i];
        p.first = first;
        p.n = n;
        if (!taco__concat_arrays(&w->arena, node->columns[i].field, &p, 1, &columns[i], w->err)) {
            return false;
        }
    }
    return columns && taco__tortilla_write_make_footer(w, out);
}

/* Names the parts; ARGUMENT if one exists and is to be kept. One more that exists is warned of. */
static bool taco__tortilla_write_name_parts(taco__tortilla_writer *w, const char *path,
                                            taco__staged *list, size_t parts)
{
    const char *next = taco__tortilla_write_part_name(w, path, parts);
    size_t k;
    for (k = 0; next && k < parts; k++) {
        list[k].path = taco__tortilla_write_part_name(w, path, k);
        if (!list[k].path) { return false; }
        if (w->keep_parts && taco__plat_name_exists(list[k].path)) {
            TACO__FAIL(w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%s exists already",
                       list[k].path);
            return false;
        }
    }
    if (next) { taco__staged_warn_of_more(&w->options, next, "file", parts); }
    return next != NULL;
}

/* Writes every part under a temporary name; each header contains their number. */
static bool taco__tortilla_write_stage(taco__tortilla_writer *w, const taco__tortilla_node *node,
                                       uint64_t most, taco__staged *list, size_t parts,
                                       taco_bytes collection)
{
    taco__tortilla_node rows;
    size_t first, end, k = 0;
    bool ok = true;
    for (first = 0; ok && first < node->rows; first = end, k++) {
        end = taco__tortilla_write_part_end(node, first, most);
        w->staged = &list[k];
        ok = taco__tortilla_write_slice(w, node, first, end - first, &rows) &&
             taco__tortilla_write_file(w, list[k].path, &rows, parts, collection);
    }
    w->staged = NULL;
    return ok;
}
#endif

TACO__FN bool taco__tortilla_write_parts(taco__tortilla_writer *w, const char *path,
                                         taco__tortilla_node *node, uint64_t most,
                                         taco_bytes collection)
{
    size_t first, parts = 0;
    for (first = 0; first < node->rows; first = taco__tortilla_write_part_end(node, first, most)) {
        parts++;
    }
#ifndef TACO_NO_STDIO
    if (parts > 1) {
        taco__staged *list =
            (taco__staged *)taco__arena_array(&w->arena, parts, sizeof *list, w->err);
        bool ok;
        if (!list) { return false; }
        memset(list, 0, parts * sizeof *list);
        ok = taco__tortilla_write_name_parts(w, path, list, parts) &&
             taco__tortilla_write_stage(w, node, most, list, parts, collection) &&
             taco__staged_rename(list, parts, w->err);
        taco__staged_free(list, parts);
        return ok;
    }
#endif
    return taco__tortilla_write_file(w, path, node, 1, collection);
}

/* ---- the end ---- */

TACO__FN taco_status taco__tortilla_write_finish(taco__tortilla_writer *w, bool ok,
                                                 const char *path)
{
    taco__payload_ranges_free(&w->copied);
    taco__arena_free(&w->arena);
    if (!ok) { taco__error_prefix(w->err, "%s", path); }
    return ok ? TACO_OK : w->err->code;
}
/* ==== src/legacy/tortilla_check.c ==== */
/* tortilla_check.c - checks the input of writers of old files before the first byte is written

   In: the columns of samples, or the text of a collection; out: the first error that taco_validate
   would find in a file with them (legacy_rules.c, legacy_collection.c), as a failure of the
   writer. Warnings go to taco_options.warn. */
/* #include "legacy.h" */
/* #include "../base/base.h" */
/* #include "../base/json.h" */
/* #include "../dataset/dataset.h" */
/* #include "../validate/validate.h" */

TACO__FN const taco_array *taco__tortilla_check_find(const taco_array *columns, size_t n,
                                                     const char *name)
{
    size_t i;
    for (i = 0; i < n; i++) {
        if (strcmp(columns[i].field->name, name) == 0) { return &columns[i]; }
    }
    return NULL;
}

/* Findings of a writer, and the options to report them. */
typedef struct taco__tortilla_findings {
    taco__findings f;
    taco_validate_options how;
    taco_validated sum;
    const taco_options *options;
} taco__tortilla_findings;

/* taco_validate_options.found: stops at an error, passes warnings to the caller's warn. */
static bool taco__tortilla_check_found(void *ctx, const taco_problem *p)
{
    const taco__tortilla_findings *t = (const taco__tortilla_findings *)ctx;
    taco_error e;
    if (!p->error && t->options->warn) {
        memset(&e, 0, sizeof e);
        TACO__FAIL(&e, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%s: %s [%s]", p->where, p->message,
                   p->clause ? p->clause : "");
        t->options->warn(t->options->warn_ctx, &e);
    }
    return !p->error;
}

/* Findings that stop at the first error. */
static void taco__tortilla_check_begin(taco__tortilla_findings *t, const taco_options *options)
{
    memset(t, 0, sizeof *t);
    t->how.found = taco__tortilla_check_found;
    t->how.ctx = t;
    t->f.how = &t->how;
    t->f.sum = &t->sum;
    t->f.part = "";
    t->options = options;
}

/* True if there is no error; otherwise *err is the first, with code ARGUMENT: nothing has been
   written yet. */
static bool taco__tortilla_check_end(const taco__tortilla_findings *t, taco_error *err)
{
    if (t->f.first.code == TACO_OK) { return err->code == TACO_OK; }
    if (err->code == TACO_OK) {
        *err = t->f.first;
        err->code = TACO_ERR_ARGUMENT;
    }
    return false;
}

TACO__FN bool taco__tortilla_check_rows(taco__tortilla_writer *w, const taco_array *columns,
                                        size_t n, size_t rows, bool any_format)
{
    taco__tortilla_findings t;
    taco__legacy_rows r;
    taco__tortilla_check_begin(&t, &w->options);
    memset(&r, 0, sizeof r);
    r.f = &t.f;
    r.mem = &w->mem;
    r.columns = columns;
    r.column_count = n;
    r.rows = rows;
    r.place = "";
    r.any_format = any_format;
    return taco__legacy_rules_check_rows(&r, w->err) && taco__tortilla_check_end(&t, w->err);
}

TACO__FN bool taco__tortilla_check_name(taco__tortilla_writer *w, const char *path, bool taco)
{
    const char *suffix = taco ? ".taco" : ".tortilla";
    if (taco__container_ends_with(path, suffix)) { return true; }
    TACO__FAIL(w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
               "the name of a file with%s collection must end in %s", taco ? " a" : "out a",
               suffix);
    return false;
}

TACO__FN bool taco__tortilla_check_collection(taco__tortilla_writer *w, const char *text,
                                              taco_bytes *out)
{
    taco__tortilla_findings t;
    taco__json_doc doc;
    *out = taco__bytes_text(text);
    if (taco__json_parse(&w->arena, *out, &w->options.limits, &doc, w->err) != TACO_OK) {
        taco__error_prefix(w->err, "collection");
        return false;
    }
    if (!taco__json_is(doc.root, TACO__JSON_OBJECT)) {
        TACO__FAIL(w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "a collection is a JSON object");
        return false;
    }
    taco__tortilla_check_begin(&t, &w->options);
    taco__legacy_collection_check(&t.f, doc.root, true);
    return taco__tortilla_check_end(&t, w->err);
}
/* ==== src/legacy/tortilla_centroid.c ==== */
/* tortilla_centroid.c - computes stac:centroid for samples with a position but no centroid

   In: columns stac:crs, stac:geotransform and stac:raster_shape; out: the column stac:centroid, as
   "POINT (longitude latitude)" of six decimals (Tortilla 0.5.0, stac:centroid: "automatically
   generated"). As in the last writer, the two rotation terms are ignored. Values given by the
   caller are kept. If neither write/projection.c nor the caller's function knows a CRS, the result
   is null and a warning. Start reading at taco__tortilla_centroid_add. */
/* #include "legacy.h" */
/* #include "../arrow/arrow.h" */
/* #include "../base/base.h" */
/* #include "../write/write.h" */

/* Columns that a centroid is computed from, an existing one, and the function for other CRSs. */
typedef struct taco__tortilla_centroid {
    const taco_array *crs, *geotransform, *shape, *given;
    taco_lonlat_fn lonlat;
    void *lonlat_ctx;
    taco__arena scratch;
    size_t failed; /* rows without a centroid */
    taco_error why;
} taco__tortilla_centroid;

/* A column of a type, and for lists of an element type; NULL if there is none. */
static const taco_array *taco__tortilla_centroid_find(const taco__tortilla_node *node,
                                                      const char *name, taco_type type,
                                                      bool integers)
{
    const taco_array *a = taco__tortilla_check_find(node->columns, node->column_count, name);
    if (!a || a->field->type != type || type != TACO_LIST) {
        return a && a->field->type == type ? a : NULL;
    }
    type = a->field->children[0].type;
    return (integers ? taco__concat_is_integer(type) : taco__concat_is_float(type)) ? a : NULL;
}

/* The middle of a row's raster in its own CRS; false if the row lacks information. */
static bool taco__tortilla_centroid_middle(const taco__tortilla_centroid *c, size_t row,
                                           double xy[2])
{
    const taco_array *g = &c->geotransform->children[0], *s = &c->shape->children[0];
    size_t at, last;
    if (!taco_array_valid(c->crs, row) || !taco_array_valid(c->geotransform, row) ||
        !taco_array_valid(c->shape, row)) {
        return false;
    }
    at = (size_t)c->geotransform->offsets[row];
    last = (size_t)c->shape->offsets[row + 1];
    if ((size_t)c->geotransform->offsets[row + 1] - at != 6 ||
        last - (size_t)c->shape->offsets[row] < 2) {
        return false;
    }
    xy[0] = taco_array_double(g, at) +
            (double)taco_array_int(s, last - 1) / 2 * taco_array_double(g, at + 1);
    xy[1] = taco_array_double(g, at + 3) +
            (double)taco_array_int(s, last - 2) / 2 * taco_array_double(g, at + 5);
    return true;
}

/* Degrees with six decimals, as Python prints them. */
static size_t taco__tortilla_centroid_format(char *text, double degrees)
{
    double scaled = degrees * 1e6 + (degrees < 0 ? -0.5 : 0.5);
    return taco__num_format_f64(text, (double)(int64_t)scaled / 1e6);
}

/* Formats the centroid of a row, and returns the length; 0 if there is none. */
static size_t taco__tortilla_centroid_make(taco__tortilla_centroid *c, size_t row, char text[96],
                                           taco_error *err)
{
    double xy[2], out[2];
    taco_error why;
    const char *crs;
    size_t n;
    if (!taco__tortilla_centroid_middle(c, row, xy)) { return 0; }
    crs = taco__arena_text(&c->scratch, taco_array_bytes(c->crs, row), err);
    if (!crs) { return 0; }
    memset(&why, 0, sizeof why);
    if (taco__extension_lonlat(crs, xy[0], xy[1], c->lonlat, c->lonlat_ctx, out, &why) != TACO_OK) {
        if (!c->failed++) { c->why = why; }
        return 0;
    }
    memcpy(text, "POINT (", 7);
    n = 7 + taco__tortilla_centroid_format(text + 7, out[0]);
    text[n++] = ' ';
    n += taco__tortilla_centroid_format(text + n, out[1]);
    text[n++] = ')';
    return n;
}

/* Appends all rows to a builder: the caller's value, or a computed one. */
static bool taco__tortilla_centroid_fill(taco__tortilla_centroid *c, size_t rows,
                                         taco__array_builder *b, taco_error *err)
{
    size_t i;
    for (i = 0; i < rows; i++) {
        char text[96];
        taco_bytes value = c->given ? taco_array_bytes(c->given, i) : taco__bytes_of(NULL, 0);
        if (!value.len) {
            value = taco__bytes_of(text, taco__tortilla_centroid_make(c, i, text, err));
        }
        if (err->code != TACO_OK || !(value.len ? taco__array_builder_append_bytes(b, value, err)
                                                : taco__array_builder_append_null(b, err))) {
            return false;
        }
    }
    return true;
}

/* Stores the finished column, replacing an existing one or as a new one; in the arena. */
static bool taco__tortilla_centroid_put(taco__tortilla_writer *w, taco__tortilla_node *node,
                                        const taco_field *field, taco__array_builder *b,
                                        const taco_array *given)
{
    size_t at = given ? (size_t)(given - node->columns) : node->column_count, i;
    taco_array *columns =
        (taco_array *)taco__arena_array(&w->arena, node->column_count + 2, sizeof *columns, w->err);
    taco_array view;
    taco__concat_slice p;
    p.a = taco__array_builder_view(b, &view);
    p.first = 0;
    p.n = node->rows;
    if (!columns || !taco__concat_arrays(&w->arena, field, &p, 1, &columns[at], w->err)) {
        return false;
    }
    for (i = 0; i < node->column_count; i++) {
        if (i != at) { columns[i] = node->columns[i]; }
    }
    node->columns = columns;
    node->column_count += given == NULL;
    return true;
}

/* Warns the caller how many rows have none, and why the first does not. */
static void taco__tortilla_centroid_warn(const taco__tortilla_writer *w,
                                         const taco__tortilla_centroid *c)
{
    taco_error e;
    if (!c->failed || !w->options.warn) { return; }
    memset(&e, 0, sizeof e);
    TACO__FAIL(&e, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET, "stac:centroid of %u rows is null: %s",
               TACO__U(c->failed), c->why.text);
    w->options.warn(w->options.warn_ctx, &e);
}

TACO__FN bool taco__tortilla_centroid_add(taco__tortilla_writer *w, taco__tortilla_node *node,
                                          const taco_tortilla_options *opt)
{
    taco__tortilla_centroid c;
    taco__array_builder b;
    taco_field *field;
    bool ok;
    memset(&c, 0, sizeof c);
    memset(&b, 0, sizeof b);
    c.crs = taco__tortilla_centroid_find(node, "stac:crs", TACO_TEXT, false);
    c.geotransform = taco__tortilla_centroid_find(node, "stac:geotransform", TACO_LIST, false);
    c.shape = taco__tortilla_centroid_find(node, "stac:raster_shape", TACO_LIST, true);
    if (!c.shape) {
        c.shape = taco__tortilla_centroid_find(node, "stac:tensor_shape", TACO_LIST, true);
    }
    c.given = taco__tortilla_check_find(node->columns, node->column_count, "stac:centroid");
    if (!c.crs || !c.geotransform || !c.shape ||
        (c.given && c.given->field->type != TACO_TEXT && c.given->field->type != TACO_NULL)) {
        return true;
    }
    c.lonlat = opt->lonlat;
    c.lonlat_ctx = opt->lonlat_ctx;
    c.scratch.mem = &w->mem;
    field = (taco_field *)taco__arena_alloc(&w->arena, sizeof *field, w->err);
    if (!field) { return false; }
    *field = taco__field_make("stac:centroid", TACO_TEXT);
    ok = taco__array_builder_init(&b, field, &w->mem, &w->arena, w->err) &&
         taco__tortilla_centroid_fill(&c, node->rows, &b, w->err) &&
         taco__tortilla_centroid_put(w, node, field, &b, c.given);
    taco__array_builder_free(&b);
    taco__arena_free(&c.scratch);
    if (ok) { taco__tortilla_centroid_warn(w, &c); }
    return ok;
}
/* ==== src/legacy/tortilla_create.c ==== */
/* tortilla_create.c - taco_tortilla_create: writes the caller's samples as a .tortilla or .taco

   In: columns of samples, and a function that supplies the bytes of each; out: a file, parts
   of one, or a file with a chain of footers. The columns are checked (tortilla_check.c) before
   the first byte is written. */
/* #include "legacy.h" */
/* #include "../base/base.h" */
/* #include "../base/file_copy.h" */
/* #include "../dataset/dataset.h" */

/* The caller's function, which supplies sources that we have to close. */
typedef struct taco__tortilla_caller {
    bool (*payload)(void *ctx, size_t row, taco_source *out);
    void *ctx;
} taco__tortilla_caller;

/* taco__tortilla_payload_fn: rows are counted across all parts. */
static bool taco__tortilla_create_payload(void *ctx, const taco__tortilla_node *node, size_t row,
                                          taco__input *in, taco_error *err)
{
    const taco__tortilla_caller *c = (const taco__tortilla_caller *)ctx;
    taco_source src;
    memset(&src, 0, sizeof src);
    if (!c->payload(c->ctx, node->first_row + row, &src)) {
        TACO__FAIL(err, TACO_ERR_IO, TACO_NO_OFFSET, "row %u: its bytes cannot be had",
                   TACO__U(node->first_row + row));
        return false;
    }
    taco__input_from_range(in, &src, 0, src.size);
    return true;
}

/* The columns of the caller, except for those that a footer computes. */
static bool taco__tortilla_create_node(taco__tortilla_writer *w, const taco_batch *rows,
                                       taco__tortilla_node *node)
{
    taco_array *columns =
        (taco_array *)taco__arena_array(&w->arena, rows->column_count + 1, sizeof *columns, w->err);
    size_t i;
    memset(node, 0, sizeof *node);
    node->sizes =
        (uint64_t *)taco__arena_array(&w->arena, rows->length + 1, sizeof(uint64_t), w->err);
    for (i = 0; columns && i < rows->column_count; i++) {
        const char *name = rows->columns[i].field->name;
        if (strcmp(name, "tortilla:offset") != 0 && strcmp(name, "tortilla:length") != 0 &&
            strncmp(name, "internal:", 9) != 0) {
            columns[node->column_count++] = rows->columns[i];
        }
    }
    node->columns = columns;
    node->rows = rows->length;
    return columns && node->sizes;
}

/* Writes a checked node, according to the options. */
static bool taco__tortilla_create_write(taco__tortilla_writer *w, const char *path,
                                        taco__tortilla_node *node, const taco_tortilla_options *opt,
                                        taco_bytes collection)
{
    uint64_t most = opt->part_bytes ? opt->part_bytes : TACO__TORTILLA_PART_BYTES;
    if (!taco__tortilla_check_name(w, path, collection.len != 0) ||
        !taco__tortilla_write_measure(w, node)) {
        return false;
    }
    return opt->chain || opt->chunks
               ? taco__chain_write_file(w, path, node, collection, opt->chunks)
               : taco__tortilla_write_parts(w, path, node, most, collection);
}

TACO_API taco_status taco_tortilla_create(const char *path, const taco_batch *samples,
                                          bool (*payload)(void *ctx, size_t row, taco_source *out),
                                          void *ctx, const taco_tortilla_options *opt,
                                          taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco_tortilla_options defaults;
    taco__tortilla_writer w;
    taco__tortilla_node node;
    taco__tortilla_caller caller;
    taco_bytes collection = {NULL, 0};
    bool ok;
    memset(&defaults, 0, sizeof defaults);
    opt = opt ? opt : &defaults;
    taco__tortilla_write_init(&w, opt->options, taco__error_fresh(err, &own));
    if (!path || !samples || !payload || samples->length == 0) {
        return TACO__FAIL(w.err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given",
                          !path ? "path" : "samples");
    }
    caller.payload = payload;
    caller.ctx = ctx;
    w.closes = true;
    w.any_tiff = opt->any_format;
    w.keep_parts = opt->keep_parts;
    w.payload = taco__tortilla_create_payload;
    w.ctx = &caller;
    ok = (!opt->collection || taco__tortilla_check_collection(&w, opt->collection, &collection)) &&
         taco__tortilla_create_node(&w, samples, &node) &&
         taco__tortilla_centroid_add(&w, &node, opt) &&
         taco__tortilla_check_rows(&w, node.columns, node.column_count, node.rows,
                                   opt->any_format) &&
         taco__tortilla_create_write(&w, path, &node, opt, collection);
    return taco__tortilla_write_finish(&w, ok, path);
}
/* ==== src/legacy/tortilla_compile.c ==== */
/* tortilla_compile.c - taco_tortilla_compile: the rows of a query on old files as a tortilla

   In: a dataset of old files and a query; out: one .tortilla with the samples that pass the query,
   in the order of their offsets, also across files, as in the old compile(). Columns made by
   readers are dropped. Nested tortillas are copied unchanged: offsets in their footers count from
   their own beginning. taco_convert_from_taco2 uses the functions here that read the rows of a
   cursor. */
/* #include "legacy.h" */
/* #include "../base/base.h" */
/* #include "../base/file_copy.h" */
/* #include "../dataset/dataset.h" */

/* ---- the rows of a cursor ---- */

/* Copies one batch into the arena; NULL on failure. */
static taco_array *taco__tortilla_compile_copy_batch(taco__tortilla_writer *w, const taco_batch *b,
                                                     const taco_field *fields)
{
    size_t n = b->column_count, i;
    taco_array *copy = (taco_array *)taco__arena_array(&w->arena, n + 1, sizeof *copy, w->err);
    for (i = 0; copy && i < n; i++) {
        taco__concat_slice p;
        p.a = &b->columns[i];
        p.first = 0;
        p.n = b->length;
        if (!taco__concat_arrays(&w->arena, &fields[i], &p, 1, &copy[i], w->err)) { return NULL; }
    }
    return copy;
}

/* Joins column i of all batches into one array with its own field. */
static bool taco__tortilla_compile_join_column(taco__tortilla_writer *w, taco_array *const *batches,
                                               size_t count, size_t i, const taco_field *field,
                                               taco_array *out)
{
    taco_field *f = (taco_field *)taco__arena_alloc(&w->arena, sizeof *f, w->err);
    taco__concat_slice *p =
        (taco__concat_slice *)taco__arena_array(&w->arena, count + 1, sizeof *p, w->err);
    size_t k;
    for (k = 0; p && k < count; k++) {
        p[k].a = &batches[k][i];
        p[k].n = batches[k][i].length;
    }
    return f && p && taco__field_copy(&w->arena, field, f, w->err) &&
           taco__concat_arrays(&w->arena, f, p, count, out, w->err);
}

/* Reads all batches into `list`, of taco_array * each, and joins them column by column. */
static bool taco__tortilla_compile_read_batches(taco__tortilla_writer *w, taco_cursor *c,
                                                taco__buf *list, taco_batch *out)
{
    size_t n, i;
    const taco_field *fields = taco_cursor_fields(c, &n);
    taco_array *columns =
        (taco_array *)taco__arena_array(&w->arena, n + 1, sizeof *columns, w->err);
    taco_batch b;
    while (columns && taco_cursor_batch(c, &b)) {
        taco_array *copy = taco__tortilla_compile_copy_batch(w, &b, fields);
        if (!copy || !taco__buf_append(list, &copy, sizeof copy, w->err)) { return false; }
        out->length += b.length;
    }
    for (i = 0; columns && i < n; i++) {
        if (!taco__tortilla_compile_join_column(w, (taco_array *const *)(const void *)list->data,
                                                list->len / sizeof(taco_array *), i, &fields[i],
                                                &columns[i])) {
            return false;
        }
    }
    out->columns = columns;
    out->column_count = n;
    out->first_row = -1;
    return columns != NULL;
}

TACO__FN bool taco__tortilla_compile_read_rows(taco__tortilla_writer *w, taco_cursor *c,
                                               taco_batch *out)
{
    taco__buf list;
    bool ok;
    memset(&list, 0, sizeof list);
    list.mem = &w->mem;
    memset(out, 0, sizeof *out);
    ok = taco__tortilla_compile_read_batches(w, c, &list, out);
    taco__buf_free(&list);
    return ok;
}

/* ---- the subset ---- */

/* The rows of the query, and where their bytes are. */
typedef struct taco__tortilla_subset {
    taco_dataset *ds;
    const taco_array *offset, *size, *source; /* source NULL: one file */
    const size_t *rows;                       /* in the order of writing */
    taco__hash_map numbers;                   /* numbers of sources, from 1 */
} taco__tortilla_subset;

/* The number of a row's file; 0 if out of memory. */
static uint64_t taco__tortilla_compile_number(taco__tortilla_subset *s, size_t at, taco_error *err)
{
    taco__hash_slot *slot;
    bool added;
    if (!s->source) { return 1; }
    slot = taco__hash_map_add(&s->numbers, taco_array_bytes(s->source, at), &added, err);
    if (slot && added) { slot->value = s->numbers.count; }
    return slot ? slot->value : 0;
}

/* taco__tortilla_payload_fn. */
static bool taco__tortilla_compile_payload(void *ctx, const taco__tortilla_node *node, size_t row,
                                           taco__input *in, taco_error *err)
{
    taco__tortilla_subset *s = (taco__tortilla_subset *)ctx;
    size_t at = s->rows[node->first_row + row];
    uint64_t offset = (uint64_t)taco_array_int(s->offset, at);
    uint64_t size = (uint64_t)taco_array_int(s->size, at);
    taco__file *f = &s->ds->stores[0].file;
    if (s->source) {
        f = taco__container_open_archive(&s->ds->stores[0], taco_array_bytes(s->source, at), err);
    }
    if (!f || !taco__file_check_range(f, offset, size, err)) { return false; }
    taco__input_from_range(in, &f->src, offset, size);
    in->archive = taco__tortilla_compile_number(s, at, err);
    return in->archive != 0;
}

TACO__FN int taco__tortilla_compile_compare(const void *ctx, const void *a, const void *b)
{
    int64_t x = ((const taco__tortilla_sort_key *)a)->key;
    int64_t y = ((const taco__tortilla_sort_key *)b)->key;
    (void)ctx;
    return (x > y) - (x < y);
}

/* The rows sorted by their offsets; NULL on failure. */
static const size_t *taco__tortilla_compile_sort_rows(taco__tortilla_writer *w,
                                                      const taco_array *offsets, size_t n)
{
    taco__tortilla_sort_key *places =
        (taco__tortilla_sort_key *)taco__arena_array(&w->arena, n + 1, sizeof *places, w->err);
    size_t *rows = (size_t *)taco__arena_array(&w->arena, n + 1, sizeof *rows, w->err);
    size_t i;
    if (!places || !rows) { return NULL; }
    for (i = 0; i < n; i++) {
        places[i].key = taco_array_int(offsets, i);
        places[i].row = i;
    }
    if (!taco__sort_in(&w->mem, places, n, sizeof *places, taco__tortilla_compile_compare, NULL,
                       w->err)) {
        return NULL;
    }
    for (i = 0; i < n; i++) {
        rows[i] = places[i].row;
    }
    return rows;
}

/* The name of a column in the file; NULL if it was made by a reader, like id and type. If the
   footer has columns of these names, the made ones are named internal:. */
static const char *taco__tortilla_compile_name(const taco_batch *all, const char *name)
{
    const taco_array *c = all->columns;
    size_t n = all->column_count;
    if (strcmp(name, "internal:file_format") == 0 &&
        !taco__tortilla_check_find(c, n, "tortilla:file_format")) {
        return "tortilla:file_format";
    }
    if (strncmp(name, "internal:", 9) == 0 || strcmp(name, "geometry") == 0 ||
        strcmp(name, "tortilla:offset") == 0 || strcmp(name, "tortilla:length") == 0 ||
        (strcmp(name, "id") == 0 && !taco__tortilla_check_find(c, n, "internal:id")) ||
        (strcmp(name, "type") == 0 && !taco__tortilla_check_find(c, n, "internal:type"))) {
        return NULL;
    }
    return name;
}

/* Takes rows of a column in a new order; p has room for all of them. */
static bool taco__tortilla_compile_take(taco__tortilla_writer *w, const taco_array *from,
                                        const size_t *rows, size_t n, const char *name,
                                        taco__concat_slice *p, taco_array *out)
{
    taco_field *f = (taco_field *)taco__arena_alloc(&w->arena, sizeof *f, w->err);
    size_t i;
    if (!f) { return false; }
    *f = *from->field;
    f->name = name;
    for (i = 0; i < n; i++) {
        p[i].a = from;
        p[i].first = rows[i];
        p[i].n = 1;
    }
    return taco__concat_arrays(&w->arena, f, p, n, out, w->err);
}

/* The node of all rows, sorted by offset. */
static bool taco__tortilla_compile_node(taco__tortilla_writer *w, const taco_batch *all,
                                        taco__tortilla_subset *s, taco__tortilla_node *node)
{
    size_t n = all->length, k;
    taco__concat_slice *p =
        (taco__concat_slice *)taco__arena_array(&w->arena, n + 1, sizeof *p, w->err);
    taco_array *columns =
        (taco_array *)taco__arena_array(&w->arena, all->column_count + 1, sizeof *columns, w->err);
    memset(node, 0, sizeof *node);
    node->sizes = (uint64_t *)taco__arena_array(&w->arena, n + 1, sizeof(uint64_t), w->err);
    s->rows = taco__tortilla_compile_sort_rows(w, s->offset, n);
    if (!s->rows || !p || !columns || !node->sizes) { return false; }
    for (k = 0; k < all->column_count; k++) {
        const char *name = taco__tortilla_compile_name(all, all->columns[k].field->name);
        if (name && !taco__tortilla_compile_take(w, &all->columns[k], s->rows, n, name, p,
                                                 &columns[node->column_count++])) {
            return false;
        }
    }
    node->columns = columns;
    node->rows = n;
    return true;
}

/* Writes the rows that pass a query. */
static bool taco__tortilla_compile_write(taco__tortilla_writer *w, taco_dataset *ds,
                                         const taco_batch *all, const char *path)
{
    const taco_array *c = all->columns;
    size_t n = all->column_count;
    taco__tortilla_subset s;
    taco__tortilla_node node;
    bool ok;
    memset(&s, 0, sizeof s);
    if (all->length == 0) {
        TACO__FAIL(w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no row is left to write");
        return false;
    }
    s.ds = ds;
    s.offset = taco__tortilla_check_find(c, n, "internal:offset");
    s.size = taco__tortilla_check_find(c, n, "internal:size");
    s.source = taco__tortilla_check_find(c, n, "internal:source_file");
    w->compiled = w->copies = true;
    w->payload = taco__tortilla_compile_payload;
    w->ctx = &s;
    s.numbers.mem = &w->mem;
    ok = s.offset && s.size && taco__tortilla_compile_node(w, all, &s, &node) &&
         taco__tortilla_write_measure(w, &node) &&
         taco__tortilla_write_file(w, path, &node, 1, taco__bytes_of(NULL, 0));
    taco__hash_map_free(&s.numbers);
    return ok;
}

TACO_API taco_status taco_tortilla_compile(taco_dataset *ds, const taco_query *q, const char *path,
                                           taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__tortilla_writer w;
    taco_batch all;
    taco_cursor *c;
    bool ok;
    taco__tortilla_write_init(&w, ds ? &ds->options : NULL, taco__error_fresh(err, &own));
    if (!ds || !path || ds->stores[0].format != taco_legacy_opener() ||
        (q && (q->select || q->flat))) {
        return TACO__FAIL(w.err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "a Tortilla or TACO 0.x, whole rows of it and a path are needed");
    }
    c = taco__tortilla_check_name(&w, path, false) ? taco_select(ds, q, w.err) : NULL;
    ok = c && taco__tortilla_compile_read_rows(&w, c, &all);
    if (c && taco_cursor_close(c, w.err) != TACO_OK) { ok = false; }
    ok = ok && taco__tortilla_compile_write(&w, ds, &all, path);
    return taco__tortilla_write_finish(&w, ok, path);
}
/* ==== src/legacy/tortilla_edit.c ==== */
/* tortilla_edit.c - replaces the collection or the footer of existing files

   In: the path of a .tortilla or .taco; out: a file with the same payloads, a new header, and a new
   footer or collection. Payloads are copied, never parsed; a tortilla with a collection becomes a
   TACO, and back, byte for byte. The new file is complete before it gets its name, so that both
   names may be the same. Files from before 0.3 can be read, but not edited. */
/* #include "legacy.h" */
/* #include "../base/base.h" */
/* #include "../base/sink.h" */
/* #include "../base/file_copy.h" */

/* A file being edited. */
typedef struct taco__tortilla_edit {
    taco_source src;
    taco__file file;
    taco__tortilla head;
    uint8_t raw[TACO__TORTILLA_HEADER_BYTES]; /* the header, patched and written back */
} taco__tortilla_edit;

/* Opens the file and reads its header. */
static bool taco__tortilla_edit_open(taco__tortilla_writer *w, const char *in,
                                     taco__tortilla_edit *e)
{
    memset(e, 0, sizeof *e);
    if (!taco__source_open_path(&w->options, in, &e->src, w->err)) { return false; }
    taco__file_init(&e->file, &e->src, "", &w->mem);
    if (!taco__tortilla_read_header(&e->file, 0, &w->arena, &e->head, w->err) ||
        !taco__file_read(&e->file, 0, e->raw, sizeof e->raw, w->err)) {
        return false;
    }
    if (e->head.driver) {
        TACO__FAIL(w->err, TACO_ERR_UNSUPPORTED, 18,
                   "files of before Tortilla 0.3 are read, not changed");
        return false;
    }
    return true;
}

/* Writes the header, bytes [200, end) unchanged, and what follows them. */
static bool taco__tortilla_edit_write(taco__tortilla_writer *w, taco__tortilla_edit *e,
                                      const char *out, uint64_t end, taco_bytes next,
                                      taco_bytes last)
{
    taco__input body;
    bool ok;
    if (end < TACO__TORTILLA_HEADER_BYTES || end > e->src.size) {
        TACO__FAIL(w->err, TACO_ERR_CORRUPT, 2, "the footer stands where the header is");
        return false;
    }
    if (!taco__tortilla_write_open(w, out)) { return false; }
    taco__input_from_range(&body, &e->src, TACO__TORTILLA_HEADER_BYTES,
                           end - TACO__TORTILLA_HEADER_BYTES);
    ok = taco__output_write(&w->out, e->raw, sizeof e->raw, w->err) &&
         taco__tortilla_write_payload(w, &body, taco__bytes_text("")) &&
         taco__output_write(&w->out, next.data, next.len, w->err) &&
         taco__output_write(&w->out, last.data, last.len, w->err);
    return taco__output_close(&w->out, ok, w->err) && ok;
}

/* Closes the file and frees the writer, after success or failure. */
static taco_status taco__tortilla_edit_close(taco__tortilla_writer *w, taco__tortilla_edit *e,
                                             bool ok, const char *path)
{
    if (e->src.read) { taco__file_close(&e->file); }
    return taco__tortilla_write_finish(w, ok, path);
}

/* Checks that the file is a TACO, or with `taco` false that it is not. */
static bool taco__tortilla_edit_check_kind(taco__tortilla_writer *w, const taco__tortilla_edit *e,
                                           bool taco)
{
    if ((memcmp(e->raw, "WX", 2) == 0) == taco) { return true; }
    TACO__FAIL(w->err, TACO_ERR_ARGUMENT, 0, taco ? "a tortilla, not a TACO" : "a TACO already");
    return false;
}

/* Checks that the collection is the end of the file: what is written again ends where it begins. */
static bool taco__tortilla_edit_check_end(taco__tortilla_writer *w, const taco__tortilla_edit *e)
{
    taco__range footer = e->head.footer, json = e->head.collection;
    if (!json.len ||
        (footer.offset + footer.len <= json.offset && json.offset + json.len == e->src.size)) {
        return true;
    }
    TACO__FAIL(w->err, TACO_ERR_UNSUPPORTED, 26,
               "the collection at %u has %u bytes, and is not the end of the file, which has %u: "
               "what follows it would be lost",
               json.offset, json.len, e->src.size);
    return false;
}

TACO_API taco_status taco_tortilla_to_taco(const char *in, const char *out, const char *collection,
                                           const taco_options *opt, taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__tortilla_writer w;
    taco__tortilla_edit e;
    taco_bytes json, none = {NULL, 0};
    bool ok;
    taco__tortilla_write_init(&w, opt, taco__error_fresh(err, &own));
    ok = taco__tortilla_edit_open(&w, in, &e) && taco__tortilla_edit_check_kind(&w, &e, false) &&
         taco__tortilla_check_collection(&w, collection, &json);
    if (ok) {
        memcpy(e.raw, "WX", 2);
        taco__put_le64(e.raw + 26, e.src.size);
        taco__put_le64(e.raw + 34, json.len);
        ok = taco__tortilla_edit_write(&w, &e, out, e.src.size, json, none);
    }
    return taco__tortilla_edit_close(&w, &e, ok, in);
}

TACO_API taco_status taco_tortilla_from_taco(const char *in, const char *out,
                                             const taco_options *opt, taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__tortilla_writer w;
    taco__tortilla_edit e;
    taco_bytes none = {NULL, 0};
    bool ok;
    taco__tortilla_write_init(&w, opt, taco__error_fresh(err, &own));
    ok = taco__tortilla_edit_open(&w, in, &e) && taco__tortilla_edit_check_kind(&w, &e, true) &&
         taco__tortilla_edit_check_end(&w, &e);
    if (ok) {
        memcpy(e.raw, "#y", 2);
        memset(e.raw + 26, 0, 16);
        ok = taco__tortilla_edit_write(&w, &e, out, e.head.collection.offset, none, none);
    }
    return taco__tortilla_edit_close(&w, &e, ok, in);
}

TACO_API taco_status taco_tortilla_edit_collection(const char *in, const char *out,
                                                   const char *collection, const taco_options *opt,
                                                   taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__tortilla_writer w;
    taco__tortilla_edit e;
    taco_bytes json, none = {NULL, 0};
    bool ok;
    taco__tortilla_write_init(&w, opt, taco__error_fresh(err, &own));
    ok = taco__tortilla_edit_open(&w, in, &e) && taco__tortilla_edit_check_kind(&w, &e, true) &&
         taco__tortilla_edit_check_end(&w, &e) &&
         taco__tortilla_check_collection(&w, collection, &json);
    if (ok) {
        taco__put_le64(e.raw + 34, json.len);
        ok = taco__tortilla_edit_write(&w, &e, out, e.head.collection.offset, json, none);
    }
    return taco__tortilla_edit_close(&w, &e, ok, in);
}

/* ---- another footer ---- */

/* Checks that the rows of a new footer lie before it. */
static bool taco__tortilla_edit_check_rows(taco__tortilla_writer *w, const taco__tortilla_edit *e,
                                           const taco_batch *rows)
{
    const taco_array *offset =
        taco__tortilla_check_find(rows->columns, rows->column_count, "tortilla:offset");
    const taco_array *length =
        taco__tortilla_check_find(rows->columns, rows->column_count, "tortilla:length");
    const taco_array *id =
        taco__tortilla_check_find(rows->columns, rows->column_count, "tortilla:id");
    size_t i;
    if (!offset || !length || !id || !taco__concat_is_integer(offset->field->type) ||
        !taco__concat_is_integer(length->field->type) || id->field->type != TACO_TEXT) {
        TACO__FAIL(w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "a footer has tortilla:id, tortilla:offset and tortilla:length");
        return false;
    }
    for (i = 0; i < rows->length; i++) {
        int64_t o = taco_array_int(offset, i), l = taco_array_int(length, i);
        if (o < 0 || l < 0 ||
            !taco__checked_range((uint64_t)o, (uint64_t)l, e->head.footer.offset)) {
            TACO__FAIL(w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "row %u: %d bytes at %d, the payloads end at %u", TACO__U(i), TACO__D(l),
                       TACO__D(o), e->head.footer.offset);
            return false;
        }
    }
    return true;
}

/* True for a column `id` or `type` that only repeats tortilla:id or tortilla:file_format: readers
   add such columns. */
static bool taco__tortilla_edit_is_alias(const taco_batch *rows, const taco_array *a)
{
    bool id = strcmp(a->field->name, "id") == 0;
    const taco_array *from = taco__tortilla_check_find(rows->columns, rows->column_count,
                                                       id ? "tortilla:id" : "tortilla:file_format");
    size_t i;
    if (!from || a->field->type != TACO_TEXT || (!id && strcmp(a->field->name, "type") != 0)) {
        return false;
    }
    for (i = 0; i < rows->length; i++) {
        taco_bytes want = taco_array_bytes(from, i);
        if (!id) {
            bool nested = taco__bytes_equal(want, taco__bytes_text("TORTILLA"));
            want = taco__bytes_text(nested ? "FOLDER" : "FILE");
        }
        if (!taco__bytes_equal(taco_array_bytes(a, i), want)) { return false; }
    }
    return true;
}

/* Encodes the footer of the rows: their columns, except for those made by readers. */
static bool taco__tortilla_edit_encode(taco__tortilla_writer *w, const taco_batch *rows,
                                       taco_bytes *footer)
{
    taco_array *columns =
        (taco_array *)taco__arena_array(&w->arena, rows->column_count + 1, sizeof *columns, w->err);
    size_t i, n = 0;
    for (i = 0; columns && i < rows->column_count; i++) {
        const char *name = rows->columns[i].field->name;
        if (strncmp(name, "internal:", 9) != 0 && strcmp(name, "geometry") != 0 &&
            !taco__tortilla_edit_is_alias(rows, &rows->columns[i])) {
            columns[n++] = rows->columns[i];
        }
    }
    return columns && taco__tortilla_write_encode_footer(w, columns, n, rows->length, NULL, footer);
}

/* Reads the collection unchanged; {NULL, 0} for a tortilla. */
static bool taco__tortilla_edit_read_collection(taco__tortilla_writer *w, taco__tortilla_edit *e,
                                                taco_bytes *json)
{
    taco__range r = e->head.collection;
    uint8_t *p;
    *json = taco__bytes_of(NULL, 0);
    if (!r.len) { return true; }
    p = (uint8_t *)taco__arena_alloc(&w->arena, (size_t)r.len, w->err);
    *json = taco__bytes_of(p, (size_t)r.len);
    return p && taco__file_read(&e->file, r.offset, p, (size_t)r.len, w->err);
}

TACO_API taco_status taco_tortilla_edit_footer(const char *in, const char *out,
                                               const taco_batch *rows, const taco_options *opt,
                                               taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__tortilla_writer w;
    taco__tortilla_edit e;
    taco_bytes json, footer;
    bool ok;
    taco__tortilla_write_init(&w, opt, taco__error_fresh(err, &own));
    if (!rows) {
        return TACO__FAIL_SOFT(w.err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no rows given");
    }
    ok = taco__tortilla_edit_open(&w, in, &e) && taco__tortilla_edit_check_rows(&w, &e, rows) &&
         taco__tortilla_check_rows(&w, rows->columns, rows->column_count, rows->length, true) &&
         taco__tortilla_edit_encode(&w, rows, &footer) &&
         taco__tortilla_edit_read_collection(&w, &e, &json);
    if (ok) {
        taco__put_le64(e.raw + 10, footer.len);
        if (json.data) { taco__put_le64(e.raw + 26, e.head.footer.offset + footer.len); }
        ok = taco__tortilla_edit_write(&w, &e, out, e.head.footer.offset, footer, json);
    }
    return taco__tortilla_edit_close(&w, &e, ok, in);
}
/* ==== src/legacy/footer_chain_write.c ==== */
/* footer_chain_write.c - a file with the chain of footers of TACO 0.2.0, one object per level

   In: a measured node of samples; out: one file whose first footer has the samples, and each
   further object the rows of all tortillas in the previous one, with offsets relative to the
   file and their parents' keys in the column root (TACO 0.2.0 "Facilitating dataset
   streaming"). The rows of a nested tortilla are read from the bytes that will be written for
   it.

   The last object is written first, so that each can point to the next one, and the header to
   the first:   header, payloads, object n, ..., object 1, object 0, collection. Start
   reading at taco__chain_write_file. */
/* #include "legacy.h" */
/* #include "../base/base.h" */
/* #include "../base/sink.h" */
/* #include "../base/file_copy.h" */
/* #include "../dataset/dataset.h" */

/* ---- columns ---- */

/* The offsets of n texts; NULL on failure. */
static int32_t *taco__chain_write_text_offsets(taco__tortilla_writer *w, const char *name,
                                               const taco_bytes *texts, size_t n)
{
    int32_t *ends = (int32_t *)taco__arena_array(&w->arena, n + 1, sizeof *ends, w->err);
    uint64_t total = 0;
    size_t i;
    for (i = 0; ends && i < n; i++) {
        total += texts[i].len;
        if (total > INT32_MAX) {
            TACO__FAIL(w->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "too much text in column %s", name);
            return NULL;
        }
        ends[i + 1] = (int32_t)total;
    }
    return ends;
}

TACO__FN bool taco__chain_write_text_column(taco__tortilla_writer *w, taco_array *a,
                                            const char *name, const taco_bytes *texts, size_t n)
{
    taco_field *f = (taco_field *)taco__arena_alloc(&w->arena, sizeof *f, w->err);
    int32_t *ends = taco__chain_write_text_offsets(w, name, texts, n);
    uint8_t *p;
    size_t i;
    if (!f || !ends) { return false; }
    p = (uint8_t *)taco__arena_alloc(&w->arena, (size_t)ends[n] + TACO__PAD, w->err);
    if (!p) { return false; }
    for (i = 0; i < n; i++) {
        if (texts[i].len) { memcpy(p + ends[i], texts[i].data, texts[i].len); }
    }
    *f = taco__field_make(name, TACO_TEXT);
    f->nullable = false;
    memset(a, 0, sizeof *a);
    a->field = f;
    a->length = n;
    a->offsets = ends;
    a->v.any = p;
    return true;
}

TACO__FN taco_bytes taco__chain_write_make_key(taco__tortilla_writer *w, taco_bytes parent,
                                               taco_bytes id)
{
    size_t slash = parent.len != 0;
    uint8_t *p = (uint8_t *)taco__arena_alloc(&w->arena, parent.len + id.len + 1, w->err);
    if (!p) { return taco__bytes_of(NULL, 0); }
    if (slash) {
        memcpy(p, parent.data, parent.len);
        p[parent.len] = '/';
    }
    if (id.len) { memcpy(p + parent.len + slash, id.data, id.len); }
    return taco__bytes_of(p, parent.len + slash + id.len);
}

/* ---- objects below the first ---- */

/* Tortillas and roots gathered for an object. */
typedef struct taco__chain_gather {
    taco__buf below; /* taco__chain_nested: tortillas among the rows */
    taco__buf roots; /* taco_bytes: the parent's key for every row */
} taco__chain_gather;

/* Gathers the rows of one tortilla: their root, and those that are tortillas. Their offsets, until
   now relative to the payload, become relative to the file, in which the payload begins at `at`. */
static bool taco__chain_write_add_rows(taco__tortilla_writer *w, const taco__chain_nested *nested,
                                       uint64_t at, taco__tortilla_table *t, taco__chain_gather *g)
{
    int64_t *place = (int64_t *)t->t.arrays[t->offset].v.any;
    size_t i;
    for (i = 0; i < t->t.rows; i++) {
        if (!taco__buf_append(&g->roots, &nested->key, sizeof nested->key, w->err)) {
            return false;
        }
        if (taco__tortilla_is_nested(t, i)) {
            taco__chain_nested n;
            n.top = nested->top;
            n.base = (uint64_t)place[i];
            n.key = taco__chain_write_make_key(w, nested->key,
                                               taco_array_bytes(&t->t.arrays[t->id], i));
            if (!n.key.data || !taco__buf_append(&g->below, &n, sizeof n, w->err)) { return false; }
        }
        place[i] += (int64_t)at;
    }
    return true;
}

/* Reads the footer of a tortilla inside a payload. */
static bool taco__chain_write_read_footer(taco__tortilla_writer *w, taco__file *file,
                                          const taco__chain_nested *nested,
                                          taco__tortilla_table *out)
{
    taco__tortilla head;
    bool ok;
    /* too large for the stack */
    taco__container *s = (taco__container *)taco__mem_alloc(&w->mem, sizeof *s, w->err);
    if (!s) { return false; }
    memset(s, 0, sizeof *s);
    s->mem = &w->mem;
    s->options = &w->options;
    ok = taco__tortilla_read_header(file, nested->base, &w->arena, &head, w->err) &&
         taco__tortilla_read_footer(s, file, head.footer, nested->base, head.driver, &w->arena, out,
                                    w->err);
    taco__mem_free(&w->mem, s, sizeof *s);
    return ok;
}

/* Reads the table of a tortilla inside a payload, and gathers its rows. */
static bool taco__chain_write_read_nested(taco__tortilla_writer *w, const taco__tortilla_node *node,
                                          const taco__chain_nested *nested, uint64_t at,
                                          taco__tortilla_table *out, taco__chain_gather *g)
{
    taco__file file;
    taco__input in;
    bool ok;
    memset(&in, 0, sizeof in);
    if (!w->payload(w->ctx, node, nested->top, &in, w->err)) { return false; }
    taco__file_init(&file, &in.source, "", &w->mem);
    ok = taco__chain_write_read_footer(w, &file, nested, out) &&
         taco__chain_write_add_rows(w, nested, at, out, g);
    if (!w->closes) { file.src.close = NULL; }
    taco__file_close(&file);
    return ok;
}

/* Reads the tables of all tortillas of an object, as runs of one new table. */
static bool taco__chain_write_read_all(taco__tortilla_writer *w, const taco__tortilla_node *node,
                                       const uint64_t *at, const taco__chain_object *above,
                                       taco__legacy_table *m, taco__chain_gather *g)
{
    size_t n = above->nested_count, i;
    taco__tortilla_table *tables =
        (taco__tortilla_table *)taco__arena_array(&w->arena, n, sizeof *tables, w->err);
    taco__legacy_run *runs =
        (taco__legacy_run *)taco__arena_array(&w->arena, n, sizeof *runs, w->err);
    if (!tables || !runs) { return false; }
    memset(m, 0, sizeof *m);
    m->arena = &w->arena;
    m->runs = runs;
    m->count = n;
    m->err = w->err;
    for (i = 0; i < n; i++) {
        const taco__chain_nested *nested = &above->nested[i];
        if (!taco__chain_write_read_nested(w, node, nested, at[nested->top], &tables[i], g)) {
            return false;
        }
        runs[i].t = &tables[i];
        runs[i].n = (size_t)tables[i].t.rows;
        m->rows += runs[i].n;
    }
    return true;
}

/* Makes an object from the gathered rows: root, then the columns of all footers. */
static bool taco__chain_write_make_object(taco__tortilla_writer *w, taco__legacy_table *m,
                                          const taco__chain_gather *g, taco__chain_object *out)
{
    if (!taco__legacy_table_unify_columns(m, &w->arena) ||
        !taco__legacy_table_copy_columns(m, &w->arena)) {
        return false;
    }
    out->rows = m->rows;
    out->count = m->n + 1;
    out->columns = (taco_array *)taco__arena_array(&w->arena, m->n + 1, sizeof *m->arrays, w->err);
    out->nested_count = g->below.len / sizeof *out->nested;
    out->nested = (taco__chain_nested *)taco__arena_alloc(&w->arena, g->below.len + 1, w->err);
    if (!out->columns || !out->nested ||
        !taco__chain_write_text_column(w, out->columns, "root",
                                       (const taco_bytes *)(const void *)g->roots.data, m->rows)) {
        return false;
    }
    memcpy(out->columns + 1, m->arrays, m->n * sizeof *m->arrays);
    if (g->below.len) { memcpy(out->nested, g->below.data, g->below.len); }
    return true;
}

/* Makes the next object: the rows of all tortillas in the previous one. */
static bool taco__chain_write_next_object(taco__tortilla_writer *w, const taco__tortilla_node *node,
                                          const uint64_t *at, const taco__chain_object *above,
                                          taco__chain_object *out)
{
    taco__legacy_table m;
    taco__chain_gather g;
    bool ok;
    memset(&g, 0, sizeof g);
    memset(out, 0, sizeof *out);
    g.below.mem = g.roots.mem = &w->mem;
    ok = taco__chain_write_read_all(w, node, at, above, &m, &g) &&
         taco__chain_write_make_object(w, &m, &g, out);
    taco__buf_free(&g.below);
    taco__buf_free(&g.roots);
    return ok;
}

/* ---- the first object ---- */

/* Lists the tortillas among the samples, each with its key. */
static void taco__chain_write_find_nested(const taco__tortilla_node *node, const taco_bytes *roots,
                                          taco__chain_object *out)
{
    const taco_array *format =
        taco__tortilla_check_find(node->columns, node->column_count, "tortilla:file_format");
    size_t i;
    for (i = 0; i < node->rows; i++) {
        if (taco__bytes_equal(taco_array_bytes(format, i), taco__bytes_text("TORTILLA"))) {
            taco__chain_nested *n = &out->nested[out->nested_count++];
            n->top = i;
            n->base = 0;
            n->key = roots[i];
        }
    }
}

/* Makes the first object: the samples themselves, each its own root. */
static bool taco__chain_write_first_object(taco__tortilla_writer *w,
                                           const taco__tortilla_node *node, const uint64_t *at,
                                           taco__chain_object *out)
{
    const taco_array *id =
        taco__tortilla_check_find(node->columns, node->column_count, "tortilla:id");
    size_t rows = node->rows, i, n;
    int64_t *offsets = (int64_t *)taco__arena_array(&w->arena, rows + 8, sizeof *offsets, w->err);
    int64_t *sizes = (int64_t *)taco__arena_array(&w->arena, rows + 8, sizeof *sizes, w->err);
    taco_bytes *roots = (taco_bytes *)taco__arena_array(&w->arena, rows + 1, sizeof *roots, w->err);
    memset(out, 0, sizeof *out);
    out->columns = (taco_array *)taco__arena_array(&w->arena, node->column_count + 3,
                                                   sizeof *out->columns, w->err);
    out->nested =
        (taco__chain_nested *)taco__arena_array(&w->arena, rows + 1, sizeof *out->nested, w->err);
    if (!offsets || !sizes || !roots || !out->columns || !out->nested) { return false; }
    for (i = 0; i < rows; i++) {
        offsets[i] = (int64_t)at[i];
        sizes[i] = (int64_t)node->sizes[i];
        roots[i] = taco_array_bytes(id, i);
    }
    taco__chain_write_find_nested(node, roots, out);
    out->rows = rows;
    if (!taco__chain_write_text_column(w, out->columns, "root", roots, rows) ||
        !taco__tortilla_write_make_columns(w, node, offsets, sizes, out->columns + 1, &n)) {
        return false;
    }
    out->count = n + 1;
    return true;
}

/* ---- the file ---- */

/* A chain under construction: its objects, and their encoded footers. */
typedef struct taco__chain_file {
    taco__chain_object objects[TACO__CHAIN_MAX_OBJECTS];
    taco_bytes footers[TACO__CHAIN_MAX_OBJECTS];
    size_t count;
    uint64_t *at;   /* offsets of the samples' payloads in the file */
    uint64_t first; /* offset of object 0 */
} taco__chain_file;

/* Places the payloads one after another, after the header. */
static bool taco__chain_write_place_rows(taco__tortilla_writer *w, const taco__tortilla_node *node,
                                         taco__chain_file *f)
{
    size_t i;
    f->at = (uint64_t *)taco__arena_array(&w->arena, node->rows + 1, sizeof *f->at, w->err);
    for (i = 0; f->at && i < node->rows; i++) {
        f->at[i] = i ? f->at[i - 1] + node->sizes[i - 1] : TACO__TORTILLA_HEADER_BYTES;
    }
    return f->at != NULL;
}

/* Makes all objects, and with `chunks` the table of chunks, if it has rows and fits. */
static bool taco__chain_write_make_objects(taco__tortilla_writer *w,
                                           const taco__tortilla_node *node, bool chunks,
                                           taco__chain_file *f)
{
    taco__chain_object *o = f->objects;
    if (!taco__chain_write_first_object(w, node, f->at, &o[0])) { return false; }
    for (f->count = 1; o[f->count - 1].nested_count; f->count++) {
        if (f->count == TACO__CHAIN_MAX_OBJECTS) {
            TACO__FAIL(w->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "a chain of more than %u objects",
                       TACO__U(f->count));
            return false;
        }
        if (!taco__chain_write_next_object(w, node, f->at, &o[f->count - 1], &o[f->count])) {
            return false;
        }
    }
    if (!chunks || f->count == TACO__CHAIN_MAX_OBJECTS) { return true; }
    if (!taco__chain_chunks_make(w, node, f->at, &o[f->count - 1], f->count == 1, &o[f->count])) {
        return false;
    }
    f->count += o[f->count].rows != 0;
    return true;
}

/* Formats OFFSETLENGTH(offset, len) and a zero byte. */
static void taco__chain_write_format_pointer(char *p, uint64_t offset, uint64_t len)
{
    size_t k = 13;
    memcpy(p, "OFFSETLENGTH(", k);
    k += taco__num_format_u64(p + k, offset);
    memcpy(p + k, ", ", 2);
    k += 2;
    k += taco__num_format_u64(p + k, len);
    memcpy(p + k, ")", 2);
}

/* Encodes the footers of all objects, last one first: each contains the position of the next. */
static bool taco__chain_write_encode(taco__tortilla_writer *w, const taco__tortilla_node *node,
                                     taco__chain_file *f)
{
    char pointer[80] = "NULL";
    size_t i;
    f->first = TACO__TORTILLA_HEADER_BYTES + node->body;
    for (i = f->count; i-- > 0;) {
        const taco__chain_object *o = &f->objects[i];
        if (!taco__tortilla_write_encode_footer(w, o->columns, o->count, o->rows, pointer,
                                                &f->footers[i])) {
            return false;
        }
        if (i) {
            taco__chain_write_format_pointer(pointer, f->first, f->footers[i].len);
            f->first += f->footers[i].len;
        }
    }
    return true;
}

/* Writes header, payloads, footers, collection. */
static bool taco__chain_write_bytes(taco__tortilla_writer *w, taco__tortilla_node *node,
                                    const taco__chain_file *f, taco_bytes json)
{
    taco__range footer, collection = {0, 0};
    size_t i;
    footer.offset = f->first;
    footer.len = f->footers[0].len;
    if (json.data) {
        collection.offset = footer.offset + footer.len;
        collection.len = json.len;
    }
    node->footer = taco__bytes_of(NULL, 0); /* it is written after those of the other objects */
    if (!taco__tortilla_write_header(w, json.data ? "WX" : "#y", footer, 1, collection) ||
        !taco__tortilla_write_body(w, node)) {
        return false;
    }
    for (i = f->count; i-- > 0;) {
        if (!taco__output_write(&w->out, f->footers[i].data, f->footers[i].len, w->err)) {
            return false;
        }
    }
    return taco__output_write(&w->out, json.data, json.len, w->err);
}

TACO__FN bool taco__chain_write_file(taco__tortilla_writer *w, const char *path,
                                     taco__tortilla_node *node, taco_bytes collection, bool chunks)
{
    taco__chain_file f;
    bool ok;
    memset(&f, 0, sizeof f);
    if (!taco__chain_write_place_rows(w, node, &f) ||
        !taco__chain_write_make_objects(w, node, chunks, &f) ||
        !taco__chain_write_encode(w, node, &f) || !taco__tortilla_write_open(w, path)) {
        return false;
    }
    ok = taco__chain_write_bytes(w, node, &f, collection);
    return taco__output_close(&w->out, ok, w->err) && ok;
}
/* ==== src/legacy/footer_chunks.c ==== */
/* footer_chunks.c - the object at the end of a chain: the tiles of the TIFFs among the samples

   In: the last object of a chain, and the bytes of its samples; out: a table of root,
   tortilla:id ("id::k"), tortilla:offset and tortilla:length with a row per tile, in the order
   in which the TIFF lists them (TACO 0.2.0 "Facilitating dataset streaming"). Only GeoTIFFs have
   chunks. A sample may be nested deep inside a payload, which is then opened and read. */
/* #include "legacy.h" */
/* #include "../base/base.h" */
/* #include "../base/file_copy.h" */
/* #include "../tiff/tiff.h" */

/* The rows of the table under construction. */
typedef struct taco__chain_chunks {
    taco__buf roots, ids;     /* taco_bytes */
    taco__buf offsets, sizes; /* uint64 */
    taco_source src;          /* payload that contains the current sample */
    uint64_t base;            /* offset of the sample in it */
} taco__chain_chunks;

/* A sample: a row of the last object. */
typedef struct taco__chain_sample {
    taco_bytes root, id;
    uint64_t offset, size; /* position in the file */
} taco__chain_sample;

/* taco_source.read for the current sample. */
static bool taco__chain_chunks_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    const taco__chain_chunks *c = (const taco__chain_chunks *)ctx;
    return c->src.read(c->src.ctx, c->base + offset, dst, len);
}

/* "id::k"; {NULL, 0} if out of memory. */
static taco_bytes taco__chain_chunks_name(taco__tortilla_writer *w, taco_bytes id, size_t k)
{
    char *text = (char *)taco__arena_alloc(&w->arena, id.len + 24, w->err);
    taco_bytes name = {NULL, 0};
    if (!text) { return name; }
    memcpy(text, id.data, id.len);
    memcpy(text + id.len, "::", 2);
    name.data = (const uint8_t *)text;
    name.len = id.len + 2 + taco__num_format_u64(text + id.len + 2, k);
    return name;
}

/* Adds a row: tile k, with len bytes at `offset` in the sample. */
static bool taco__chain_chunks_add_tile(taco__tortilla_writer *w, taco__chain_chunks *c,
                                        const taco__chain_sample *s, size_t k, uint64_t offset,
                                        uint64_t len)
{
    taco_bytes name = taco__chain_chunks_name(w, s->id, k);
    if (!name.data) { return false; }
    if (!taco__checked_range(offset, len, s->size)) {
        TACO__FAIL(w->err, TACO_ERR_TRUNCATED, TACO_NO_OFFSET,
                   "sample %q: tile %u has %u bytes at %u, the TIFF ends at %u", &s->id, TACO__U(k),
                   len, offset, s->size);
        return false;
    }
    offset += s->offset;
    return taco__buf_append(&c->roots, &s->root, sizeof s->root, w->err) &&
           taco__buf_append(&c->ids, &name, sizeof name, w->err) &&
           taco__buf_append(&c->offsets, &offset, sizeof offset, w->err) &&
           taco__buf_append(&c->sizes, &len, sizeof len, w->err);
}

/* Adds the tiles of one TIFF; none if its header has no tables of them. */
static bool taco__chain_chunks_add_tiles(taco__tortilla_writer *w, taco__chain_chunks *c,
                                         const taco__chain_sample *s, const taco_tiff_header *h)
{
    size_t n = TACO__MIN(h->tile_offset_count, h->tile_byte_count_count), i;
    if (!h->tile_offsets || !h->tile_byte_counts) { return true; }
    for (i = 0; i < n; i++) {
        if (!taco__chain_chunks_add_tile(w, c, s, i, h->tile_offsets[i], h->tile_byte_counts[i])) {
            return false;
        }
    }
    return true;
}

/* The row of the node whose payload contains an offset of the file; at[] are the offsets of the
   payloads. Empty samples have the offset of the next one: a sample with bytes is the last of
   these, for an empty one any will do. */
static size_t taco__chain_chunks_find_top(const taco__tortilla_node *node, const uint64_t *at,
                                          uint64_t offset, uint64_t size)
{
    size_t top = 0;
    TACO__LOWER_BOUND(top, node->rows, i, at[i] <= offset);
    top -= top > 0;
    while (top && node->sizes[top] == 0 && size) {
        top--;
    }
    return top;
}

/* True if tiles of a TIFF may be listed: only those of TOGs, unless the caller wants others. */
static bool taco__chain_chunks_is_allowed(taco__tortilla_writer *w, const taco__chain_sample *s,
                                          const taco_tiff *t)
{
    taco_error why;
    memset(&why, 0, sizeof why);
    if (w->any_tiff || taco_tog_check(t, &why) == TACO_OK) { return true; }
    TACO__FAIL(w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "sample %q: %s, its tiles are not listed",
               &s->id, why.text);
    return false;
}

/* Adds the tiles of one sample, if it is a TIFF that has some. */
static bool taco__chain_chunks_add_sample(taco__tortilla_writer *w, const taco__tortilla_node *node,
                                          const uint64_t *at, taco__chain_chunks *c,
                                          const taco__chain_sample *s)
{
    size_t top = taco__chain_chunks_find_top(node, at, s->offset, s->size);
    taco__input in;
    taco_source part;
    taco_error why; /* what is not a TIFF has no chunks */
    taco_tiff *t;
    bool ok;
    memset(&in, 0, sizeof in);
    memset(&part, 0, sizeof part);
    memset(&why, 0, sizeof why);
    if (!w->payload(w->ctx, node, top, &in, w->err)) { return false; }
    c->src = in.source;
    c->base = s->offset - at[top];
    part.ctx = c;
    part.size = s->size;
    part.read = taco__chain_chunks_read;
    t = taco__checked_range(c->base, s->size, in.source.size)
            ? taco_tiff_open(&part, "payload", &w->options, &why)
            : NULL;
    if (t) {
        ok = taco__chain_chunks_is_allowed(w, s, t) &&
             taco__chain_chunks_add_tiles(w, c, s, taco_tiff_get(t));
    } else {
        ok = !taco__error_is_of_machine(&why);
        if (!ok) {
            *w->err = why;
            taco__error_prefix(w->err, "sample %q", &s->id);
        }
    }
    taco_tiff_close(t);
    if (w->closes && in.source.close) { in.source.close(in.source.ctx); }
    return ok;
}

/* True if a sample is a GeoTIFF by its format: other samples are not opened. */
static bool taco__chain_chunks_is_tiff(const taco_array *formats, size_t i)
{
    taco_bytes format = formats ? taco_array_bytes(formats, i) : taco__bytes_of(NULL, 0);
    return taco__bytes_equal(format, taco__bytes_text("GTiff")) ||
           taco__bytes_equal(format, taco__bytes_text("COG"));
}

/* Adds the tiles of all samples of an object; top: its rows are those of level 0, whose keys are
   their ids. */
static bool taco__chain_chunks_add_all(taco__tortilla_writer *w, const taco__tortilla_node *node,
                                       const uint64_t *at, const taco__chain_object *last, bool top,
                                       taco__chain_chunks *c)
{
    const taco_array *ids = taco__tortilla_check_find(last->columns, last->count, "tortilla:id");
    const taco_array *offsets =
        taco__tortilla_check_find(last->columns, last->count, "tortilla:offset");
    const taco_array *sizes =
        taco__tortilla_check_find(last->columns, last->count, "tortilla:length");
    const taco_array *formats =
        taco__tortilla_check_find(last->columns, last->count, "tortilla:file_format");
    taco__chain_sample s;
    size_t i;
    if (!ids || !offsets || !sizes) { return false; }
    for (i = 0; i < last->rows; i++) {
        if (!taco__chain_chunks_is_tiff(formats, i)) { continue; }
        s.id = taco_array_bytes(ids, i);
        s.root = top ? s.id
                     : taco__chain_write_make_key(w, taco_array_bytes(&last->columns[0], i), s.id);
        s.offset = (uint64_t)taco_array_int(offsets, i);
        s.size = (uint64_t)taco_array_int(sizes, i);
        if (!s.root.data || !taco__chain_chunks_add_sample(w, node, at, c, &s)) { return false; }
    }
    return true;
}

/* ---- the table ---- */

/* Makes a column of numbers of the table. */
static bool taco__chain_chunks_number_column(taco__tortilla_writer *w, taco_array *a,
                                             const char *name, const taco__buf *values)
{
    taco_field *f = (taco_field *)taco__arena_alloc(&w->arena, sizeof *f, w->err);
    uint8_t *v = (uint8_t *)taco__arena_alloc(&w->arena, values->len + TACO__PAD, w->err);
    if (!f || !v) { return false; }
    if (values->len) { memcpy(v, values->data, values->len); }
    *f = taco__field_make(name, TACO_INT64);
    f->nullable = false;
    memset(a, 0, sizeof *a);
    a->field = f;
    a->length = values->len / sizeof(uint64_t);
    a->v.any = v;
    return true;
}

/* Makes the four columns of n rows. */
static bool taco__chain_chunks_make_columns(taco__tortilla_writer *w, const taco__chain_chunks *c,
                                            size_t n, taco_array *a)
{
    return taco__chain_write_text_column(w, &a[0], "root",
                                         (const taco_bytes *)(const void *)c->roots.data, n) &&
           taco__chain_write_text_column(w, &a[1], "tortilla:id",
                                         (const taco_bytes *)(const void *)c->ids.data, n) &&
           taco__chain_chunks_number_column(w, &a[2], "tortilla:offset", &c->offsets) &&
           taco__chain_chunks_number_column(w, &a[3], "tortilla:length", &c->sizes);
}

TACO__FN bool taco__chain_chunks_make(taco__tortilla_writer *w, const taco__tortilla_node *node,
                                      const uint64_t *at, const taco__chain_object *last, bool top,
                                      taco__chain_object *out)
{
    taco__chain_chunks c;
    bool ok;
    memset(&c, 0, sizeof c);
    memset(out, 0, sizeof *out);
    c.roots.mem = c.ids.mem = c.offsets.mem = c.sizes.mem = &w->mem;
    out->columns = (taco_array *)taco__arena_array(&w->arena, 4, sizeof *out->columns, w->err);
    out->count = 4;
    ok = out->columns && taco__chain_chunks_add_all(w, node, at, last, top, &c);
    out->rows = c.sizes.len / sizeof(uint64_t);
    ok = ok && taco__chain_chunks_make_columns(w, &c, out->rows, out->columns);
    taco__buf_free(&c.roots);
    taco__buf_free(&c.ids);
    taco__buf_free(&c.offsets);
    taco__buf_free(&c.sizes);
    return ok;
}
/* ==== src/legacy/convert.c ==== */
/* convert.c - what conversions to TACO 2 and back have in common: options, memory, notes

   Both open their source with the opener of old files, keep their results in one arena until
   taco__convert_free, and report everything that the other format cannot express to the caller's
   taco_convert_options.note. */
/* #include "legacy.h" */
/* #include "../base/base.h" */

TACO__FN void taco__convert_note(taco__conversion *f, const char *text, const char *what)
{
    taco_error e;
    memset(&e, 0, sizeof e);
    if (f->opt.note) {
        TACO__FAIL(&e, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET, text, what);
        f->opt.note(f->opt.note_ctx, e.text);
    }
}

TACO__FN void taco__convert_init(taco__conversion *f, const taco_convert_options *opt,
                                 taco_error *err)
{
    memset(f, 0, sizeof *f);
    if (opt) { f->opt = *opt; }
    taco__options_init(&f->options, f->opt.create.options);
    f->openers[0] = taco_legacy_opener();
    f->options.openers = f->openers;
    f->opt.create.options = &f->options;
    taco__mem_init(&f->mem, &f->options);
    f->arena.mem = &f->mem;
    f->err = err;
}

TACO__FN void taco__convert_free(taco__conversion *f)
{
    taco__arena_free(&f->arena);
    taco_close(f->ds);
    f->ds = NULL;
}
/* ==== src/legacy/convert_collection.c ==== */
/* convert_collection.c - converts collections between TACO 0.x and TACO 2

   In: the collection of a dataset, or none, since a tortilla has none; out: a document of TACO 2
   or of TACO 0.x. Members that mean the same are copied. The whole old document is kept in that of
   TACO 2 as legacy:collection, so that nothing is lost, and is restored from there. Members that
   TACO 2 requires and an old dataset lacks get placeholders, which are noted. Spec: TACO 2.0.0
   section 5, TACO 0.2.0.

   TACO 0.x                        TACO 2.0.0
       id                              id, in lower case letters, digits, '_' and '-'
       task                            tasks, of one; "general" is "other"
       extent: lists of boxes, times   extent: one box around all, the first interval
       data_curator, contact.affiliation   curators, organization
       contact.emails[0].value         email
       contact.roles[0]                role
       contact.links[0].href           url, if it begins with http
       taco_version 0.x                taco_version 2.0.0 */
/* #include "legacy.h" */
/* #include "../base/base.h" */
/* #include "../base/json.h" */
/* #include "../validate/validate.h" */

/* ---- values ---- */

/* Writes text as a JSON string, escaped; key is NULL in an array. */
static void taco__convert_collection_text(taco__json_writer *w, const char *key, taco_bytes text)
{
    taco__json_write_key(w, key);
    w->ok = w->ok && taco__json_write_name(w->out, text, w->err);
}

/* Writes any value; null if n is NULL. */
static void taco__convert_collection_value(taco__json_writer *w, const char *key,
                                           const taco__json *n)
{
    taco__json_write_key(w, key);
    w->ok = w->ok && taco__json_print(w->out, n, 0, w->err);
}

/* Writes a member of root under the same name; nothing if it is missing. */
static void taco__convert_collection_member(taco__json_writer *w, const taco__json *root,
                                            const char *key)
{
    const taco__json *n = taco__json_get(root, key);
    if (!taco__rules_is_null(n)) { taco__convert_collection_value(w, key, n); }
}

/* Writes a member that is text, or another text instead. */
static void taco__convert_collection_text_or(taco__json_writer *w, const taco__json *root,
                                             const char *key, const char *otherwise)
{
    taco_bytes text = taco__json_bytes(taco__json_get(root, key));
    taco__convert_collection_text(w, key, text.len ? text : taco__bytes_text(otherwise));
}

/* Writes a list of one text. */
static void taco__convert_collection_list_of(taco__json_writer *w, const char *key, taco_bytes text)
{
    taco__json_write_begin(w, key, '[');
    taco__convert_collection_text(w, NULL, text);
    taco__json_write_end(w, ']');
}

/* ---- extents ---- */

/* Extends box by b, which has two or three dimensions; first: box is not yet set. */
static bool taco__convert_collection_add_box(const taco__json *b, bool first, double box[4])
{
    size_t wide = taco__json_length(b) == 6 ? 3 : 2, k;
    for (k = 0; k < 4; k++) {
        double e;
        if (taco__json_length(b) != wide * 2 ||
            !taco__json_double(taco__json_at(b, k < 2 ? k : wide + k - 2), &e)) {
            return false;
        }
        box[k] = first ? e : k < 2 ? TACO__MIN(box[k], e) : TACO__MAX(box[k], e);
    }
    return true;
}

TACO__FN bool taco__convert_collection_box(const taco__json *spatial, double box[4])
{
    const taco__json *b = taco__json_first(spatial);
    size_t n = taco__json_length(spatial), i;
    if (n && taco__json_is(b, TACO__JSON_NUMBER)) {
        return taco__convert_collection_add_box(spatial, true, box);
    }
    for (i = 0; i < n; i++, b = taco__json_next(b)) {
        if (!taco__convert_collection_add_box(b, i == 0, box)) { return false; }
    }
    return n != 0;
}

/* Writes the first interval of a list, or the only one; null for an open end. */
static void taco__convert_collection_interval(taco__json_writer *w, const taco__json *times)
{
    const taco__json *first = taco__json_at(times, 0), *from, *to;
    first = taco__json_is(first, TACO__JSON_STRING) ? times : first;
    from = taco__json_at(first, 0);
    to = taco__json_at(first, 1);
    if (!taco__json_text(from) || !taco__json_text(to)) {
        taco__json_write_text(w, "temporal", NULL);
        return;
    }
    taco__json_write_begin(w, "temporal", '[');
    taco__convert_collection_value(w, NULL, from);
    taco__convert_collection_value(w, NULL, to);
    taco__json_write_end(w, ']');
}

/* Writes the extent; nothing without a box: it is then computed from the columns. */
static void taco__convert_collection_extent(taco__json_writer *w, const taco__json *root)
{
    const taco__json *extent = taco__json_get(root, "extent");
    double box[4];
    size_t i;
    if (!taco__convert_collection_box(taco__json_get(extent, "spatial"), box)) { return; }
    taco__json_write_begin(w, "extent", '{');
    taco__json_write_begin(w, "spatial", '[');
    for (i = 0; i < 4; i++) {
        taco__json_write_double(w, NULL, box[i]);
    }
    taco__json_write_end(w, ']');
    taco__convert_collection_interval(w, taco__json_get(extent, "temporal"));
    taco__json_write_end(w, '}');
}

/* ---- to TACO 2 ---- */

/* The name of an old dataset: its id, or its file name up to the first dot. */
static taco_bytes taco__convert_collection_name(const taco__json *root, const char *path)
{
    taco_bytes id = taco__json_bytes(taco__json_get(root, "id"));
    const char *dot;
    if (id.len) { return id; }
    path += taco__plat_dir_length(path, strlen(path));
    dot = strchr(path, '.');
    return taco__bytes_of(path, dot ? (size_t)(dot - path) : strlen(path));
}

/* Writes the id in lower case letters, digits, '_' and '-'. */
static void taco__convert_collection_id(taco__json_writer *w, taco_bytes name)
{
    size_t i;
    taco__json_write_key(w, "id");
    w->ok = w->ok && taco__buf_append_char(w->out, '"', w->err);
    for (i = 0; w->ok && i < name.len; i++) {
        char c = (char)name.data[i];
        bool good;
        c = c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
        good = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
        w->ok = taco__buf_append_char(w->out, good ? c : '_', w->err);
    }
    w->ok = w->ok && taco__buf_append_text(w->out, name.len ? "\"" : "dataset\"", w->err);
}

/* Writes a person: name, organization, first address, role and page. */
static void taco__convert_collection_contact(taco__json_writer *w, const taco__json *who)
{
    static const char *const keys[] = {"name", "organization", "email", "role", "url"};
    const taco__json *values[5];
    size_t k;
    values[0] = taco__json_get(who, "name");
    values[1] = taco__json_get(who, "organization");
    values[1] = values[1] ? values[1] : taco__json_get(who, "affiliation");
    values[2] = taco__json_get(taco__json_at(taco__json_get(who, "emails"), 0), "value");
    values[2] = values[2] ? values[2] : taco__json_get(who, "email");
    values[3] = taco__json_at(taco__json_get(who, "roles"), 0);
    values[4] = taco__json_get(taco__json_at(taco__json_get(who, "links"), 0), "href");
    if (!taco__bytes_starts_with(taco__json_bytes(values[4]), "http")) { values[4] = NULL; }
    taco__json_write_begin(w, NULL, '{');
    for (k = 0; k < 5; k++) {
        taco_bytes text = taco__json_bytes(values[k]);
        if (text.len) { taco__convert_collection_text(w, keys[k], text); }
    }
    taco__json_write_end(w, '}');
}

/* Writes providers or curators; nothing if there are none. */
static void taco__convert_collection_contacts(taco__json_writer *w, const taco__json *list,
                                              const char *key)
{
    const taco__json *who;
    size_t n = taco__json_length(list), i;
    if (!n) { return; }
    taco__json_write_begin(w, key, '[');
    for (i = 0, who = taco__json_first(list); i < n; i++, who = taco__json_next(who)) {
        taco__convert_collection_contact(w, who);
    }
    taco__json_write_end(w, ']');
}

/* Writes providers; TACO 2 requires at least one. */
static void taco__convert_collection_providers(taco__json_writer *w, const taco__json *root)
{
    taco__convert_collection_contacts(w, taco__json_get(root, "providers"), "providers");
    if (!taco__json_length(taco__json_get(root, "providers"))) {
        taco__json_write_raw(w, "providers", taco__bytes_text("[{\"name\":\"unknown\"}]"));
    }
}

/* Writes licenses; TACO 2 requires at least one (section 5.1). */
static void taco__convert_collection_licenses(taco__json_writer *w, const taco__json *root)
{
    const taco__json *list = taco__json_get(root, "licenses");
    if (taco__json_length(list)) {
        taco__convert_collection_value(w, "licenses", list);
    } else {
        taco__convert_collection_list_of(w, "licenses", taco__bytes_text("unknown"));
    }
}

/* Writes the one task of an old dataset as a list; "general" becomes "other". */
static void taco__convert_collection_tasks(taco__json_writer *w, const taco__json *root)
{
    taco_bytes task = taco__json_bytes(taco__json_get(root, "task"));
    if (!task.len || taco__bytes_equal(task, taco__bytes_text("general"))) {
        task = taco__bytes_text("other");
    }
    taco__convert_collection_list_of(w, "tasks", task);
}

/* Writes which dataset the new one is a subset of, and the date. */
static void taco__convert_collection_subset(taco__json_writer *w, const taco__conversion *f,
                                            taco_bytes name)
{
    int64_t when = f->opt.create.date ? f->opt.create.date : taco__plat_now();
    char stamp[48];
    size_t n = taco__time_format_timestamp(stamp, when, TACO_SECOND, false);
    memcpy(stamp + n, "+00:00", 7);
    taco__convert_collection_text(w, "taco:subset_of", name);
    taco__convert_collection_text(w, "taco:subset_date", taco__bytes_text(stamp));
}

/* Writes the document for the old collection; root is NULL if there is none. */
static void taco__convert_collection_write(taco__conversion *f, const taco__json *root,
                                           taco__json_writer *w)
{
    taco_bytes name = taco__convert_collection_name(root, f->ds->stores[0].name);
    const taco__json *curators = taco__json_get(root, "curators");
    if (!taco__json_length(curators)) { curators = taco__json_get(root, "data_curator"); }
    taco__json_write_begin(w, NULL, '{');
    taco__convert_collection_id(w, name);
    taco__convert_collection_text_or(w, root, "dataset_version", "1.0.0");
    taco__convert_collection_text_or(w, root, "description", "Converted from a tortilla.");
    taco__json_write_text(w, "taco_version", "2.0.0");
    taco__convert_collection_licenses(w, root);
    taco__convert_collection_providers(w, root);
    taco__convert_collection_tasks(w, root);
    taco__convert_collection_member(w, root, "title");
    taco__convert_collection_contacts(w, curators, "curators");
    taco__convert_collection_member(w, root, "keywords");
    taco__convert_collection_extent(w, root);
    if (f->opt.query) { taco__convert_collection_subset(w, f, name); }
    if (root) { taco__convert_collection_value(w, "legacy:collection", root); }
    taco__json_write_end(w, '}');
}

/* Makes the text of the document, in the arena. */
static bool taco__convert_collection_make(taco__conversion *f, taco_bytes *out)
{
    const taco__json *root = f->ds->stores[0].coll.doc.root;
    taco__json_writer w;
    taco__buf b;
    memset(&b, 0, sizeof b);
    b.mem = &f->mem;
    w = taco__json_writer_init(&b, f->err);
    taco__convert_collection_write(f, root, &w);
    if (w.ok && !root) {
        taco__convert_note(f,
                           "a tortilla has no collection: id, licenses, providers and tasks "
                           "are placeholders%s",
                           "");
    }
    *out = taco__bytes_of(b.data, b.len);
    if (w.ok) { out->data = (const uint8_t *)taco__arena_text(&f->arena, *out, f->err); }
    taco__buf_free(&b);
    return w.ok && out->data;
}

TACO__FN bool taco__convert_collection_to_taco2(taco__conversion *f, taco__json_doc *doc)
{
    taco_bytes text = taco__bytes_text(f->opt.collection ? f->opt.collection : "");
    if ((!f->opt.collection && !taco__convert_collection_make(f, &text)) ||
        taco__json_parse(&f->arena, text, &f->options.limits, doc, f->err) != TACO_OK) {
        return false;
    }
    if (!taco__json_is(doc->root, TACO__JSON_OBJECT)) {
        TACO__FAIL(f->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "a collection is a JSON object");
        return false;
    }
    taco__rules_check_collection(doc, true, taco__rules_stop_at_first, f->err);
    if (f->err->code != TACO_OK) { taco__error_prefix(f->err, "collection"); }
    return f->err->code == TACO_OK;
}

/* ---- from TACO 2 ---- */

/* Writes a person: emails is null or a list of {"value": address}, roles null or a list. */
static void taco__convert_collection_old_contact(taco__json_writer *w, const taco__json *who)
{
    const taco__json *mail = taco__json_get(who, "email"), *role = taco__json_get(who, "role");
    taco__json_write_begin(w, NULL, '{');
    taco__convert_collection_value(w, "name", taco__json_get(who, "name"));
    taco__convert_collection_value(w, "organization", taco__json_get(who, "organization"));
    if (taco__rules_is_null(mail)) {
        taco__json_write_text(w, "emails", NULL);
    } else {
        taco__json_write_begin(w, "emails", '[');
        taco__json_write_begin(w, NULL, '{');
        taco__convert_collection_value(w, "value", mail);
        taco__json_write_end(w, '}');
        taco__json_write_end(w, ']');
    }
    if (taco__rules_is_null(role)) {
        taco__json_write_text(w, "roles", NULL);
    } else {
        taco__json_write_begin(w, "roles", '[');
        taco__convert_collection_value(w, NULL, role);
        taco__json_write_end(w, ']');
    }
    taco__json_write_end(w, '}');
}

/* Writes providers or curators, as an empty list if there are none. */
static void taco__convert_collection_old_contacts(taco__json_writer *w, const taco__json *root,
                                                  const char *key)
{
    const taco__json *list = taco__json_get(root, key), *who;
    size_t n = taco__json_length(list), i;
    taco__json_write_begin(w, key, '[');
    for (i = 0, who = n ? taco__json_first(list) : NULL; i < n; i++, who = taco__json_next(who)) {
        taco__convert_collection_old_contact(w, who);
    }
    taco__json_write_end(w, ']');
}

/* Writes lists of one box and one interval. */
static void taco__convert_collection_old_extent(taco__json_writer *w, const taco__json *extent)
{
    taco__json_write_begin(w, "extent", '{');
    taco__json_write_begin(w, "spatial", '[');
    taco__convert_collection_value(w, NULL, taco__json_get(extent, "spatial"));
    taco__json_write_end(w, ']');
    taco__json_write_begin(w, "temporal", '[');
    taco__convert_collection_value(w, NULL, taco__json_get(extent, "temporal"));
    taco__json_write_end(w, ']');
    taco__json_write_end(w, '}');
}

/* Writes what TACO 2 has, in the order of the last writer, with null for missing members, as it
   did. */
static void taco__convert_collection_old_write(taco__json_writer *w, const taco__json *root)
{
    static const char *const copied[] = {"id", "dataset_version", "description", "licenses"};
    static const char *const nulls[] = {"split_strategy", "discuss_link", "raw_link",
                                        "optical_data",   "labels",       "scientific"};
    size_t i;
    taco__json_write_begin(w, NULL, '{');
    for (i = 0; i < TACO__COUNT(copied); i++) {
        taco__convert_collection_member(w, root, copied[i]);
    }
    taco__convert_collection_old_extent(w, taco__json_get(root, "extent"));
    taco__convert_collection_old_contacts(w, root, "providers");
    taco__convert_collection_old_contacts(w, root, "curators");
    taco__convert_collection_value(w, "task", taco__json_at(taco__json_get(root, "tasks"), 0));
    taco__json_write_text(w, "taco_version", "0.4.0");
    taco__convert_collection_value(w, "title", taco__json_get(root, "title"));
    taco__convert_collection_value(w, "keywords", taco__json_get(root, "keywords"));
    for (i = 0; i < TACO__COUNT(nulls); i++) {
        taco__json_write_text(w, nulls[i], NULL);
    }
    taco__json_write_end(w, '}');
}

TACO__FN bool taco__convert_collection_from_taco2(taco__conversion *f, taco__buf *out)
{
    const taco__json *root = f->ds->stores[0].coll.doc.root;
    const taco__json *kept = taco__json_get(root, "legacy:collection");
    taco__json_writer w = taco__json_writer_init(out, f->err);
    if (taco__json_is(kept, TACO__JSON_OBJECT)) {
        taco__convert_collection_value(&w, NULL, kept);
    } else {
        taco__convert_collection_old_write(&w, root);
    }
    return w.ok;
}
/* ==== src/legacy/to_taco2.c ==== */
/* to_taco2.c - taco_convert_to_taco2: old files as an archive or FOLDER of TACO 2

   In: paths of old files, and optionally a query; out: one TACO 2 dataset with the samples that
   pass the query, and everything below them, in their order. Payloads are copied unchanged. A
   tortilla inside another becomes a FOLDER, its rows become the level below. Spec: TACO 2.0.0
   sections 5 and 6.

   First the tree is built from the old levels (to_taco2_tree.c), then the collection
   (convert_collection.c) and the columns (to_taco2_columns.c); then the container writer of write/
   calls back for samples and columns. Start reading at taco__to_taco2_run. */
/* #include "legacy.h" */
/* #include "../base/base.h" */
/* #include "../base/file_copy.h" */
/* #include "../base/json.h" */
/* #include "../dataset/dataset.h" */
/* #include "../write/write.h" */

/* ---- the query ---- */

/* Marks the rows that pass a query. Returns their number. */
static size_t taco__to_taco2_note_rows(taco__to_taco2 *c, taco_cursor *rows)
{
    taco_batch b;
    size_t i, n = 0;
    while (rows && taco_cursor_batch(rows, &b)) {
        const uint64_t *at = taco_cursor_positions(rows);
        for (i = 0; at && i < b.length; i++, n++) {
            taco__bitmap_set(c->chosen, (size_t)at[i]);
        }
    }
    return n;
}

/* Selects the rows of level 0 that pass the query. */
static bool taco__to_taco2_select_rows(taco__to_taco2 *c)
{
    taco_query q = *c->f.opt.query;
    taco_cursor *rows;
    size_t n;
    if (q.order || q.flat || q.table) {
        TACO__FAIL(c->f.err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "what is taken are samples of level 0 in storage order: no order, no flat "
                   "view, no other table");
        return false;
    }
    c->chosen = (uint8_t *)taco__arena_alloc(
        &c->f.arena, TACO__BITMAP_BYTES((size_t)c->state->levels[0].t.rows) + 1, c->f.err);
    q.select = "id";
    rows = c->chosen ? taco_select(c->f.ds, &q, c->f.err) : NULL;
    n = taco__to_taco2_note_rows(c, rows);
    if (!rows || taco_cursor_close(rows, c->f.err) != TACO_OK) { return false; }
    if (n == 0) {
        TACO__FAIL(c->f.err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "no sample is left to export");
    }
    return n != 0;
}

/* ---- callbacks of the container writer ---- */

/* taco__container_columns.begin. */
static bool taco__to_taco2_begin_level(void *ctx, uint32_t level, taco_error *err)
{
    taco__to_taco2 *c = (taco__to_taco2 *)ctx;
    (void)err;
    c->reading = level;
    c->batch_done = false;
    return true;
}

/* taco__container_columns.next: a level is one batch. */
static bool taco__to_taco2_next_batch(void *ctx, taco_batch *out, taco_error *err)
{
    taco__to_taco2 *c = (taco__to_taco2 *)ctx;
    const taco__to_taco2_level *l = &c->levels[c->reading];
    (void)err;
    memset(out, 0, sizeof *out);
    out->length = c->batch_done ? 0 : l->row_count;
    out->columns = l->arrays;
    out->column_count = l->column_count;
    c->batch_done = true;
    return true;
}

/* The bytes of a sample: a range of an old file; padding is empty. */
static bool taco__to_taco2_payload(void *ctx, uint32_t level, size_t row, taco__input *in,
                                   taco_error *err)
{
    taco__to_taco2 *c = (taco__to_taco2 *)ctx;
    const taco__legacy_level *l = &c->state->levels[level];
    size_t k = c->levels[level].rows[row];
    taco__file *file;
    if (k == SIZE_MAX) {
        taco__input_from_bytes(in, taco__bytes_of("", 0));
        return true;
    }
    /* another file may close this one */
    if (l->file[k] != c->last && !taco__payload_batch_settle(c->writer, err)) { return false; }
    c->last = l->file[k];
    file = taco__legacy_levels_file(&c->f.ds->stores[0], c->state, l->file[k], err);
    if (!file || !taco__file_check_range(file, (uint64_t)l->offset[k], (uint64_t)l->size[k], err)) {
        return false;
    }
    taco__input_from_range(in, &file->src, (uint64_t)l->offset[k], (uint64_t)l->size[k]);
    in->archive = (uint64_t)l->file[k] + 1;
    in->later = true;
    return true;
}

/* ---- the conversion ---- */

/* Writes samples, columns and collection. */
static bool taco__to_taco2_write(taco__to_taco2 *c, const char *out,
                                 const taco__container_columns *columns, const taco__json *root)
{
    taco__container_writer p;
    taco__container_source from;
    if (!taco__container_write_begin(&p, out, &c->f.opt.create, &c->tree, &c->f.mem, c->f.err)) {
        return false;
    }
    p.checked = p.refused = !c->f.opt.create.any_values;
    c->writer = &p;
    from.ctx = c;
    from.payload = taco__to_taco2_payload;
    from.path = NULL;
    if (!taco__container_write_samples(&p, &from, c->f.err)) {
        taco__container_write_abort(&p);
        return false;
    }
    return taco__container_write_finish(&p, root, columns, c->f.err);
}

/* Chooses rows, then builds the tree, the collection and the columns of each level, in this order,
   since each needs the previous ones, and writes the container. For a subset of the samples the
   extent is computed again. */
static bool taco__to_taco2_run(taco__to_taco2 *c, const char *out)
{
    taco__container_columns columns;
    taco__json_doc doc;
    uint32_t level;
    memset(&columns, 0, sizeof columns);
    memset(&doc, 0, sizeof doc);
    c->state = (taco__legacy *)c->f.ds->stores[0].format_state;
    c->f.opt.create.new_extent = c->f.opt.create.new_extent || c->f.opt.query;
    if ((c->f.opt.query && !taco__to_taco2_select_rows(c)) || !taco__to_taco2_tree_build(c) ||
        !taco__convert_collection_to_taco2(&c->f, &doc)) {
        return false;
    }
    for (level = 0; level < c->depth; level++) {
        if (!taco__to_taco2_columns_add(c, level)) { return false; }
        columns.fields[level] = c->levels[level].fields;
        columns.counts[level] = c->levels[level].column_count;
    }
    columns.ctx = c;
    columns.begin = taco__to_taco2_begin_level;
    columns.next = taco__to_taco2_next_batch;
    return taco__to_taco2_write(c, out, &columns, doc.root);
}

TACO_API taco_status taco_convert_to_taco2(const char *const *in, size_t n, const char *out,
                                           const taco_convert_options *opt, taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__to_taco2 c;
    bool ok;
    err = taco__error_fresh(err, &own);
    if (!in || !n || !in[0] || !out) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path given");
    }
    memset(&c, 0, sizeof c);
    taco__convert_init(&c.f, opt, err);
    taco__tree_init(&c.tree, &c.f.mem);
    c.f.ds = taco_open_many(in, n, TACO_COLUMNS_FILL_MISSING, &c.f.options, err);
    ok = c.f.ds != NULL;
    if (ok && c.f.ds->stores[0].format != taco_legacy_opener()) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%s: no Tortilla or TACO 0.x", in[0]);
        ok = false;
    } else if (ok) {
        ok = taco__to_taco2_run(&c, out);
        if (!ok) { taco__error_prefix(err, "%s", in[0]); }
    }
    taco__tree_free(&c.tree);
    taco__convert_free(&c.f);
    return ok ? TACO_OK : err->code;
}
/* ==== src/legacy/to_taco2_tree.c ==== */
/* to_taco2_tree.c - the rows of old levels as the tree of a dataset of TACO 2

   In: the levels of the source, and which rows of level 0 are converted; out:
   taco__to_taco2.tree, and for each level the old row of each new one. TACO 2 requires children in
   the order of their parents, old files do not. Chunks, which are children of a FILE, cannot be
   expressed and are left out. With padding all FOLDERs of a level get the same number of children.
   If samples have different trees (PIT-1), any_tree keeps nested tortillas as files, so that they
   have the same. Ids become names of files. */
/* #include "legacy.h" */
/* #include "../base/base.h" */
/* #include "../dataset/dataset.h" */
/* #include "../validate/validate.h" */
/* #include "../write/write.h" */

/* ---- ids ---- */

/* Replaces characters that a file name cannot have. Returns whether there were any. */
static bool taco__to_taco2_tree_replace(char *id, size_t n)
{
    bool changed = false;
    size_t i;
    for (i = 0; i < n; i++) {
        if (id[i] == '/' || id[i] == '\\' || id[i] == ':' || id[i] == 0) {
            id[i] = '_';
            changed = true;
        }
    }
    return changed;
}

/* True for names that TACO 2 does not allow for samples. */
static bool taco__to_taco2_tree_is_reserved(const char *id)
{
    return !*id || strncmp(id, "__", 2) == 0 || strcmp(id, ".") == 0 || strcmp(id, "..") == 0;
}

/* Replaces what TACO 2 does not allow in an id: / \ : and a double underscore at its start. {NULL,
   0} if out of memory. */
static taco_bytes taco__to_taco2_tree_clean_id(taco__to_taco2 *c, taco_bytes id)
{
    char *text = (char *)taco__arena_alloc(&c->f.arena, id.len + 2, c->f.err), *name;
    bool changed;
    if (!text) { return taco__bytes_of(NULL, 0); }
    name = text + 1; /* with room for an x before it */
    if (id.len) { memcpy(name, id.data, id.len); }
    changed = taco__to_taco2_tree_replace(name, id.len);
    if (taco__to_taco2_tree_is_reserved(name)) {
        *--name = 'x';
        changed = true;
    }
    if (changed) {
        taco__convert_note(&c->f, "an id is not a valid file name: it becomes %s", name);
        c->renamed = true;
    }
    return taco__bytes_of(name, id.len + (name == text));
}

/* ---- the rows of a level ---- */

/* An old row, and the new row that is its parent. */
typedef struct taco__to_taco2_row {
    size_t parent, row;
} taco__to_taco2_row;

/* Values instead of a parent: */
#define TACO__TO_TACO2_CHUNK   SIZE_MAX       /* the parent is a FILE */
#define TACO__TO_TACO2_SKIPPED (SIZE_MAX - 1) /* the parent is not converted */

/* taco__sort_compare: by parent, then in stored order, which makes the sort stable. */
static int taco__to_taco2_tree_compare_rows(const void *ctx, const void *a, const void *b)
{
    const taco__to_taco2_row *x = (const taco__to_taco2_row *)a;
    const taco__to_taco2_row *y = (const taco__to_taco2_row *)b;
    (void)ctx;
    return x->parent != y->parent ? (x->parent > y->parent) - (x->parent < y->parent)
                                  : (x->row > y->row) - (x->row < y->row);
}

/* For every old row of the level above the new row, or one of the values above. NULL if out of
   memory. */
static size_t *taco__to_taco2_tree_new_rows(taco__to_taco2 *c, uint32_t level)
{
    const taco__to_taco2_level *l = &c->levels[level];
    size_t n = (size_t)c->state->levels[level].t.rows, i;
    size_t *place = (size_t *)taco__arena_array(&c->f.arena, n + 1, sizeof *place, c->f.err);
    if (!place) { return NULL; }
    for (i = 0; i < n; i++) {
        place[i] = TACO__TO_TACO2_SKIPPED;
    }
    for (i = 0; i < l->row_count; i++) {
        if (l->rows[i] != SIZE_MAX) {
            place[l->rows[i]] = taco__tree_is_folder(&c->tree, level, i) ? i : TACO__TO_TACO2_CHUNK;
        }
    }
    return place;
}

/* Rows of level 0 have no parents: 0 for those that are converted. */
static size_t taco__to_taco2_tree_top_parent(const taco__to_taco2 *c, size_t row)
{
    return !c->chosen || taco__bitmap_get(c->chosen, row) ? 0 : TACO__TO_TACO2_SKIPPED;
}

/* The old rows of a level, sorted by their new parents, without rows below a FILE, which are
   chunks. */
static taco__to_taco2_row *taco__to_taco2_tree_sort_rows(taco__to_taco2 *c, uint32_t level,
                                                         size_t *n)
{
    const taco__table *t = &c->state->levels[level].t;
    size_t column = taco__table_find_column(t, "internal:parent_id"), rows = (size_t)t->rows, i;
    taco__to_taco2_row *list =
        (taco__to_taco2_row *)taco__arena_array(&c->f.arena, rows + 1, sizeof *list, c->f.err);
    const size_t *place = level ? taco__to_taco2_tree_new_rows(c, level - 1) : NULL;
    bool chunks = false;
    *n = 0;
    if (!list || (level && !place)) { return NULL; }
    for (i = 0; i < rows; i++) {
        size_t parent = level ? place[taco_array_int(&t->arrays[column], i)]
                              : taco__to_taco2_tree_top_parent(c, i);
        chunks = chunks || parent == TACO__TO_TACO2_CHUNK;
        if (parent >= TACO__TO_TACO2_SKIPPED) { continue; }
        list[*n].parent = parent;
        list[(*n)++].row = i;
    }
    if (chunks) {
        taco__convert_note(&c->f, "the table of chunks is left out: TACO 2 has none%s", "");
    }
    return taco__sort_in(&c->f.mem, list, *n, sizeof *list, taco__to_taco2_tree_compare_rows, NULL,
                         c->f.err)
               ? list
               : NULL;
}

/* ---- the tree ---- */

/* Pads a FOLDER from `have` to `most` children. */
static bool taco__to_taco2_tree_pad(taco__to_taco2 *c, uint32_t level, size_t parent, size_t have,
                                    size_t most, taco__buf *rows)
{
    const size_t none = SIZE_MAX, prefix = sizeof TACO__RULES_PADDING - 1;
    uint64_t number;
    for (number = 0; have + number < most; number++) {
        char id[40];
        size_t n = prefix;
        memcpy(id, TACO__RULES_PADDING, prefix);
        n += taco__num_format_u64(id + n, number);
        if (!taco__tree_append_ordered(&c->tree, level, parent, taco__bytes_of(id, n), false,
                                       c->f.err) ||
            !taco__buf_append(rows, &none, sizeof none, c->f.err)) {
            return false;
        }
    }
    return true;
}

/* Adds one old row. A FOLDER in the last converted level becomes a FILE: the tortilla as it is. */
static bool taco__to_taco2_tree_add_row(taco__to_taco2 *c, uint32_t level,
                                        const taco__to_taco2_row *r, const taco_array *ids,
                                        taco__buf *rows)
{
    taco_bytes id = taco__to_taco2_tree_clean_id(c, taco_array_bytes(ids, r->row));
    bool folder = level + 1 < c->most && c->state->levels[level].folder[r->row] != 0;
    return id.data && taco__tree_append_ordered(&c->tree, level, r->parent, id, folder, c->f.err) &&
           taco__buf_append(rows, &r->row, sizeof r->row, c->f.err);
}

/* End of the rows that have the parent of list[from]. */
static size_t taco__to_taco2_tree_end_of(const taco__to_taco2_row *list, size_t from, size_t n)
{
    size_t to = from + 1;
    while (to < n && list[to].parent == list[from].parent) {
        to++;
    }
    return to;
}

/* Adds n rows that are sorted by their parents, and padding. rows: size_t each, the old rows. */
static bool taco__to_taco2_tree_add_rows(taco__to_taco2 *c, uint32_t level,
                                         const taco__to_taco2_row *list, size_t n, taco__buf *rows)
{
    const taco__table *t = &c->state->levels[level].t;
    /* a level without rows may have no columns */
    const taco_array *ids = n ? &t->arrays[taco__table_find_column(t, "tortilla:id")] : NULL;
    size_t from, to, i, most = 0;
    for (from = 0; from < n; from = to) {
        to = taco__to_taco2_tree_end_of(list, from, n);
        most = TACO__MAX(most, to - from);
    }
    for (from = 0; from < n; from = to) {
        to = taco__to_taco2_tree_end_of(list, from, n);
        for (i = from; i < to; i++) {
            if (!taco__to_taco2_tree_add_row(c, level, &list[i], ids, rows)) { return false; }
        }
        if (c->f.opt.pad && level &&
            !taco__to_taco2_tree_pad(c, level, list[from].parent, to - from, most, rows)) {
            return false;
        }
    }
    return true;
}

/* Adds a level; *any: it has rows. */
static bool taco__to_taco2_tree_add_level(taco__to_taco2 *c, uint32_t level, bool *any)
{
    taco__to_taco2_level *l = &c->levels[level];
    size_t n;
    const taco__to_taco2_row *list = taco__to_taco2_tree_sort_rows(c, level, &n);
    taco__buf rows;
    bool ok;
    memset(&rows, 0, sizeof rows);
    rows.mem = &c->f.mem;
    *any = n != 0;
    ok = list && taco__to_taco2_tree_add_rows(c, level, list, n, &rows);
    l->row_count = rows.len / sizeof *l->rows;
    l->rows = (size_t *)taco__arena_alloc(&c->f.arena, rows.len + 1, c->f.err);
    if (l->rows && rows.len) { memcpy(l->rows, rows.data, rows.len); }
    taco__buf_free(&rows);
    return ok && l->rows;
}

/* Builds the tree of the first c->most levels. */
static bool taco__to_taco2_tree_build_levels(taco__to_taco2 *c)
{
    uint32_t level;
    bool any = true;
    taco__tree_free(&c->tree);
    taco__tree_init(&c->tree, &c->f.mem);
    c->depth = 0;
    for (level = 0; level < c->most && any; level++) {
        if (!taco__container_level(&c->f.ds->stores[0], level, c->f.err) ||
            !taco__to_taco2_tree_add_level(c, level, &any)) {
            return false;
        }
        c->depth = level + (any ? 1 : 0);
    }
    return true;
}

/* With any_tree, converts only as many levels as have the same tree in all samples: nested
   tortillas below stay FILEs. Level 0 alone always passes. */
TACO__FN bool taco__to_taco2_tree_build(taco__to_taco2 *c)
{
    taco_error *err = c->f.err, differ = {0, TACO_OK, 0, {0}};
    char levels[2] = {0, 0};
    c->most = taco_levels(c->f.ds);
    if (!taco__to_taco2_tree_build_levels(c)) { return false; }
    if (taco__tree_check_pit1(&c->tree, true, &differ) == TACO_OK) { return true; }
    if (!c->f.opt.create.any_tree) {
        *err = differ;
        taco__error_prefix(err, c->f.opt.pad ? "padding does not help"
                                             : "padding or any tree may be asked for");
        return false;
    }
    do {
        c->most--;
        memset(&differ, 0, sizeof differ);
        if (!taco__to_taco2_tree_build_levels(c)) { return false; }
    } while (taco__tree_check_pit1(&c->tree, true, &differ) != TACO_OK && c->most > 1);
    levels[0] = (char)('0' + c->most - 1);
    taco__convert_note(
        &c->f,
        "samples have different trees: the tortillas in level %s stay the files that "
        "they are",
        levels);
    return true;
}
/* ==== src/legacy/to_taco2_columns.c ==== */
/* to_taco2_columns.c - converts the columns of old footers to those of a TACO 2 level

   In: the table of an old level, and the old row of each new one; out: fields and arrays in the
   new order. Columns that readers added are dropped, names are changed to ones that TACO 2 allows,
   times in seconds become timestamps, centroids in text become WKB. Values that cannot be
   converted become null, which is noted. Spec: TACO 2.0.0 section 6, Tortilla 0.5.0.

       tortilla:id                     id; kept if ids had to be changed
       tortilla:offset, :length        left out: the container has its own
       stac:raster_shape               stac:tensor_shape
       stac:time_start, :time_end      the same, as timestamps in microseconds
       stac:centroid                   the same, as WKB
       root of a chain                 left out: internal:parent_id says the same
       id, type, path                  legacy:id, legacy:type, legacy:path */
/* #include "legacy.h" */
/* #include "../base/base.h" */
/* #include "../geo/geo.h" */
/* #include "../dataset/dataset.h" */
/* #include "../write/write.h" */

/* ---- names ---- */

/* True if name is one of n names. */
static bool taco__to_taco2_columns_is_any(const char *name, const char *const *names, size_t n)
{
    size_t i;
    for (i = 0; i < n && strcmp(name, names[i]) != 0; i++) {}
    return i < n;
}

/* True if a column contains nothing that TACO 2 does not state elsewhere. */
static bool taco__to_taco2_columns_is_dropped(taco__to_taco2 *c, const char *name)
{
    static const char *const places[] = {"tortilla:offset", "tortilla:length"};
    static const char *const roots[] = {"root", "tortilla:root"};
    if (taco__to_taco2_columns_is_any(name, places, 2) ||
        (strcmp(name, "tortilla:id") == 0 && !c->renamed)) {
        return true;
    }
    if (c->state->files[0].chain && taco__to_taco2_columns_is_any(name, roots, 2)) {
        taco__convert_note(&c->f, "column %s is left out: internal:parent_id says the same", name);
        return true;
    }
    return false;
}

/* Another name for the same column, unless the table has that too; NULL if there is none. */
static const char *taco__to_taco2_columns_other_name(const taco__table *t, const char *name)
{
    static const char *const names[][2] = {{"stac:raster_shape", "stac:tensor_shape"},
                                           {"internal:file_format", "tortilla:file_format"}};
    size_t i;
    for (i = 0; i < TACO__COUNT(names); i++) {
        if (strcmp(name, names[i][0]) == 0 &&
            taco__table_find_column(t, names[i][1]) == TACO__NONE) {
            return names[i][1];
        }
    }
    return NULL;
}

/* A new name for a user's column with a name reserved in TACO 2; NULL if its name is not
   reserved. */
static const char *taco__to_taco2_columns_protected(taco__to_taco2 *c, const char *name)
{
    static const char *const names[] = {"id", "type", "path"};
    static const char *const other[] = {"legacy:id", "legacy:type", "legacy:path"};
    size_t i;
    for (i = 0; i < 3; i++) {
        if (strcmp(name, names[i]) == 0) {
            taco__convert_note(&c->f, "a column of a protected name becomes %s", other[i]);
            return other[i];
        }
    }
    return NULL;
}

/* Reduces a name to letters, digits, '_' and one colon that is not at an end; NULL if out of
   memory. */
static const char *taco__to_taco2_columns_mend(taco__to_taco2 *c, const char *name)
{
    char *copy = taco__arena_text(&c->f.arena, taco__bytes_text(name), c->f.err);
    size_t i, colons = 0;
    for (i = 0; copy && copy[i]; i++) {
        char b = copy[i];
        bool good = (b >= '0' && b <= '9') || (b >= 'A' && b <= 'Z') || (b >= 'a' && b <= 'z') ||
                    b == '_' || (b == ':' && i && copy[i + 1] && !colons++);
        copy[i] = good ? b : '_';
    }
    if (copy && strcmp(copy, name) != 0) {
        taco__convert_note(&c->f, "a column's name becomes %s", copy);
    }
    return copy;
}

/* The name of an old column in TACO 2; NULL if it has none, or if out of memory. */
static const char *taco__to_taco2_columns_name(taco__to_taco2 *c, const taco__table *t,
                                               const char *name)
{
    const char *other;
    if (taco__to_taco2_columns_is_dropped(c, name)) { return NULL; }
    other = taco__to_taco2_columns_other_name(t, name);
    if (other || strncmp(name, "internal:", 9) == 0) { return other; }
    other = taco__to_taco2_columns_protected(c, name);
    return other ? other : taco__to_taco2_columns_mend(c, name);
}

/* ---- values ---- */

/* Converts seconds to microseconds since 1970; false on overflow. */
static bool taco__to_taco2_columns_read_time(const taco_array *a, size_t i, int64_t *out)
{
    if (taco__concat_is_integer(a->field->type)) {
        int64_t s = taco_array_int(a, i);
        bool fits = s <= INT64_MAX / 1000000 && s >= INT64_MIN / 1000000;
        *out = fits ? s * 1000000 : 0;
        return fits;
    } else {
        double d = taco_array_double(a, i) * 1e6;
        bool fits = d > -9.2e18 && d < 9.2e18;
        *out = fits ? (int64_t)(d + (d < 0 ? -0.5 : 0.5)) : 0;
        return fits;
    }
}

/* A converted column under construction: a row is valid if its value could be converted. */
typedef struct taco__to_taco2_values {
    taco_array out;
    uint8_t *bits;
    size_t lost;
} taco__to_taco2_values;

/* Begins a column of n values, all of them null until they are set. */
static bool taco__to_taco2_columns_begin(taco__to_taco2 *c, const taco_field *f, size_t n,
                                         taco__to_taco2_values *v)
{
    memset(v, 0, sizeof *v);
    v->out.field = f;
    v->out.length = n;
    v->bits = (uint8_t *)taco__arena_alloc(&c->f.arena, TACO__BITMAP_BYTES(n) + 8, c->f.err);
    return v->bits != NULL;
}

/* Records whether row i had a value, and whether it could be converted. */
static void taco__to_taco2_columns_note_row(taco__to_taco2_values *v, size_t i, bool valid,
                                            bool fits)
{
    if (fits) { taco__bitmap_set(v->bits, i); }
    v->out.null_count += !fits;
    v->lost += valid && !fits;
}

/* Finishes the array, in *a. */
static void taco__to_taco2_columns_finish(taco__to_taco2 *c, taco__to_taco2_values *v,
                                          taco_array *a)
{
    v->out.validity = v->out.null_count ? v->bits : NULL;
    *a = v->out;
    if (v->lost) {
        taco__convert_note(&c->f, "values of %s that are none of their kind become null",
                           a->field->name);
    }
}

/* Converts seconds in *a to timestamps in microseconds. */
static bool taco__to_taco2_columns_convert_times(taco__to_taco2 *c, taco_field *f, taco_array *a)
{
    size_t n = a->length, i;
    int64_t *times = (int64_t *)taco__arena_array(&c->f.arena, n + 8, sizeof *times, c->f.err);
    taco__to_taco2_values v;
    *f = taco__field_make(f->name, TACO_TIMESTAMP);
    f->unit = TACO_MICRO;
    if (!times || !taco__to_taco2_columns_begin(c, f, n, &v)) { return false; }
    for (i = 0; i < n; i++) {
        bool valid = taco_array_valid(a, i);
        taco__to_taco2_columns_note_row(&v, i, valid,
                                        valid && taco__to_taco2_columns_read_time(a, i, &times[i]));
    }
    v.out.v.i64 = times;
    taco__to_taco2_columns_finish(c, &v, a);
    return true;
}

/* Converts "POINT (x y)" in *a to WKB. */
static bool taco__to_taco2_columns_convert_points(taco__to_taco2 *c, taco_field *f, taco_array *a)
{
    size_t n = a->length, i;
    int32_t *offsets = (int32_t *)taco__arena_array(&c->f.arena, n + 1, sizeof *offsets, c->f.err);
    uint8_t *wkb =
        (uint8_t *)taco__arena_array(&c->f.arena, n + 4, TACO__WKB_POINT_BYTES, c->f.err);
    taco__to_taco2_values v;
    if (n > INT32_MAX / TACO__WKB_POINT_BYTES) {
        TACO__FAIL(c->f.err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "%u rows are too many", TACO__U(n));
        return false;
    }
    f->type = TACO_BINARY;
    if (!offsets || !wkb || !taco__to_taco2_columns_begin(c, f, n, &v)) { return false; }
    for (i = 0; i < n; i++) {
        double xy[2];
        bool valid = taco_array_valid(a, i);
        bool fits = valid && taco__legacy_filter_parse_point(taco_array_bytes(a, i), xy);
        offsets[i + 1] = offsets[i] + (fits ? TACO__WKB_POINT_BYTES : 0);
        if (fits) { taco__wkb_point_write(wkb + offsets[i], xy[0], xy[1]); }
        taco__to_taco2_columns_note_row(&v, i, valid, fits);
    }
    v.out.offsets = offsets;
    v.out.v.any = wkb;
    taco__to_taco2_columns_finish(c, &v, a);
    return true;
}

/* ---- columns ---- */

/* Takes the rows of a column in their new order; null for padding. Consecutive rows form one
   slice. */
static bool taco__to_taco2_columns_take_rows(taco__to_taco2 *c, const taco__to_taco2_level *l,
                                             const taco_array *from, const taco_field *field,
                                             taco_array *out)
{
    taco__concat_slice *p =
        (taco__concat_slice *)taco__arena_array(&c->f.arena, l->row_count + 1, sizeof *p, c->f.err);
    size_t i, k = 0;
    for (i = 0; p && i < l->row_count; i++) {
        size_t row = l->rows[i];
        bool padding = row == SIZE_MAX;
        if (k && p[k - 1].a && !padding && row == p[k - 1].first + p[k - 1].n) {
            p[k - 1].n++;
            continue;
        }
        p[k].a = padding ? NULL : from;
        p[k].first = padding ? 0 : row;
        p[k++].n = 1;
    }
    return p && taco__concat_arrays(&c->f.arena, field, p, k, out, c->f.err);
}

/* True if a column of that name holds seconds. */
static bool taco__to_taco2_columns_is_seconds(const char *name, taco_type type)
{
    return (strcmp(name, "stac:time_start") == 0 || strcmp(name, "stac:time_end") == 0) &&
           (type == TACO_NULL || taco__concat_is_integer(type) || taco__concat_is_float(type));
}

/* Adds column i of the old table, under its name in TACO 2. */
static bool taco__to_taco2_columns_add_one(taco__to_taco2 *c, uint32_t level, size_t i,
                                           const char *name)
{
    const taco__table *t = &c->state->levels[level].t;
    taco__to_taco2_level *l = &c->levels[level];
    taco_field *field = &l->fields[l->column_count];
    taco_array *out = &l->arrays[l->column_count];
    taco_field *stored = (taco_field *)taco__arena_alloc(&c->f.arena, sizeof *stored, c->f.err);
    if (!stored) { return false; }
    *stored = t->fields[i];
    if (!taco__to_taco2_columns_take_rows(c, l, &t->arrays[i], stored, out)) { return false; }
    *field = *stored;
    field->name = name;
    field->nullable = true;
    l->column_count++;
    if (taco__to_taco2_columns_is_seconds(name, stored->type)) {
        return taco__to_taco2_columns_convert_times(c, field, out);
    }
    if (strcmp(name, "stac:centroid") == 0 && stored->type == TACO_TEXT) {
        return taco__to_taco2_columns_convert_points(c, field, out);
    }
    out->field = field;
    return true;
}

/* True if column id or type was made by a reader: the footer has none of that name. */
static bool taco__to_taco2_columns_is_made(const taco__table *t, const char *name)
{
    return (strcmp(name, "id") == 0 && taco__table_find_column(t, "internal:id") == TACO__NONE) ||
           (strcmp(name, "type") == 0 && taco__table_find_column(t, "internal:type") == TACO__NONE);
}

/* Adds all columns; names: those of the new ones. */
static bool taco__to_taco2_columns_add_all(taco__to_taco2 *c, uint32_t level, taco__hash_map *names)
{
    const taco__table *t = &c->state->levels[level].t;
    size_t i;
    for (i = 0; i < t->field_count; i++) {
        const char *name = t->fields[i].name;
        bool added = true;
        if (taco__to_taco2_columns_is_made(t, name)) { continue; }
        name = taco__to_taco2_columns_name(c, t, name);
        if (name && !taco__hash_map_add(names, taco__bytes_text(name), &added, c->f.err)) {
            return false;
        }
        if (!added) {
            TACO__FAIL(c->f.err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "two columns of level %u would be called %s", TACO__U(level), name);
            return false;
        }
        if (c->f.err->code != TACO_OK ||
            (name && !taco__to_taco2_columns_add_one(c, level, i, name))) {
            return false;
        }
    }
    return true;
}

TACO__FN bool taco__to_taco2_columns_add(taco__to_taco2 *c, uint32_t level)
{
    taco__to_taco2_level *l = &c->levels[level];
    size_t n = c->state->levels[level].t.field_count + 1;
    taco__hash_map names;
    bool ok;
    l->fields = (taco_field *)taco__arena_array(&c->f.arena, n, sizeof *l->fields, c->f.err);
    l->arrays = (taco_array *)taco__arena_array(&c->f.arena, n, sizeof *l->arrays, c->f.err);
    if (!l->fields || !l->arrays) { return false; }
    memset(&names, 0, sizeof names);
    names.mem = &c->f.mem;
    ok = taco__to_taco2_columns_add_all(c, level, &names);
    taco__hash_map_free(&names);
    return ok;
}
/* ==== src/legacy/from_taco2.c ==== */
/* from_taco2.c - taco_convert_from_taco2: an archive or FOLDER of TACO 2 as a .tortilla or .taco

   In: a path; out: a tortilla with the samples of level 0, in which every FOLDER becomes a tortilla
   of its children, without padding; if the name ends in .taco, a TACO with a collection. Whole
   levels are read through the public calls and turned into columns of old footers
   (from_taco2_columns.c), then into nodes, from the top down, which tortilla_write.c writes. Spec:
   Tortilla 0.5.0, TACO 0.2.0. Start reading at taco__from_taco2_run. */
/* #include "legacy.h" */
/* #include "../base/base.h" */
/* #include "../base/file_copy.h" */
/* #include "../dataset/dataset.h" */
/* #include "../validate/validate.h" */
/* #include "../write/write.h" */

/* taco__tortilla_payload_fn. */
static bool taco__from_taco2_payload(void *ctx, const taco__tortilla_node *node, size_t row,
                                     taco__input *in, taco_error *err)
{
    taco__from_taco2 *b = (taco__from_taco2 *)ctx;
    const char *key = b->levels[node->level].keys[node->source_rows[row]];
    taco__file *file = &b->f.ds->stores[0].file;
    taco_source src;
    taco_sample s;
    if (taco_locate(b->f.ds, key, &s, err) != TACO_OK) { return false; }
    if (!s.folder && !s.whole) {
        /* relative to the archive, so that samples which share bytes are detected */
        if (!taco__file_check_range(file, s.offset, s.size, err)) { return false; }
        taco__input_from_range(in, &file->src, s.offset, s.size);
        in->source.close = NULL; /* it belongs to the dataset */
        in->archive = 1;
        in->has_crc = taco__zip_stored_crc(&in->source, s.offset, s.size, &in->crc);
        return true;
    }
    if (taco_payload(b->f.ds, key, &src, err) != TACO_OK) { return false; }
    taco__input_from_range(in, &src, 0, src.size);
    return true;
}

TACO__FN bool taco__from_taco2_is_folder(const taco__from_taco2_level *l, size_t i)
{
    return taco__bytes_equal(taco_array_bytes(l->type, i), taco__bytes_text("FOLDER"));
}

/* True if row i is padding (TACO 2.0.0 section 4), which old formats do not have. */
static bool taco__from_taco2_is_padding(const taco__from_taco2_level *l, size_t i)
{
    return taco__bytes_starts_with(taco_array_bytes(l->id, i), TACO__PADDING_PREFIX);
}

/* ---- keys and parents ---- */

/* The path of keys parent/id, or only the key of the id; NULL if out of memory. */
static const char *taco__from_taco2_make_key(taco__from_taco2 *b, const char *parent, taco_bytes id)
{
    taco__buf key;
    const char *text = NULL;
    memset(&key, 0, sizeof key);
    key.mem = &b->w.mem;
    if ((!parent || (taco__buf_append_text(&key, parent, b->w.err) &&
                     taco__buf_append_char(&key, '/', b->w.err))) &&
        taco__nav_append_key(&key, id, b->w.err)) {
        text = taco__arena_text(&b->w.arena, taco__bytes_of(key.data, key.len), b->w.err);
    }
    taco__buf_free(&key);
    return text;
}

/* Makes the keys of a level's rows; parents[]: rows of the level above, which is NULL for level
   0. */
static bool taco__from_taco2_make_keys(taco__from_taco2 *b, taco__from_taco2_level *l,
                                       const taco__from_taco2_level *above, const size_t *parents)
{
    size_t i, n = l->rows.length;
    l->keys = (const char **)taco__arena_array(&b->w.arena, n + 1, sizeof *l->keys, b->w.err);
    for (i = 0; l->keys && i < n; i++) {
        l->keys[i] = taco__from_taco2_make_key(b, above ? above->keys[parents[i]] : NULL,
                                               taco_array_bytes(l->id, i));
        if (!l->keys[i]) { return false; }
    }
    return l->keys != NULL;
}

/* The rows of a level, sorted by internal:current_id; NULL on failure. */
static const taco__tortilla_sort_key *taco__from_taco2_sort_ids(taco__from_taco2 *b,
                                                                const taco__from_taco2_level *l)
{
    size_t n = l->rows.length, i;
    taco__tortilla_sort_key *ids =
        (taco__tortilla_sort_key *)taco__arena_array(&b->w.arena, n + 1, sizeof *ids, b->w.err);
    for (i = 0; ids && i < n; i++) {
        ids[i].key = l->current ? taco_array_int(l->current, i) : (int64_t)i;
        ids[i].row = i;
    }
    return ids && taco__sort_in(&b->w.mem, ids, n, sizeof *ids, taco__tortilla_compile_compare,
                                NULL, b->w.err)
               ? ids
               : NULL;
}

/* Finds each row's parent among the m rows of the level above, which are sorted by their ids. */
static bool taco__from_taco2_match_parents(taco__from_taco2 *b, taco__from_taco2_level *l,
                                           const taco__tortilla_sort_key *ids, size_t m,
                                           size_t *parents)
{
    size_t i;
    for (i = 0; i < l->rows.length; i++) {
        int64_t parent = taco_array_int(l->parent, i);
        size_t at = 0;
        TACO__LOWER_BOUND(at, m, k, ids[k].key < parent);
        if (at == m || ids[at].key != parent) {
            TACO__FAIL(b->w.err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "row %u: no row above has the internal:current_id %d", TACO__U(i),
                       TACO__D(parent));
            return false;
        }
        parents[i] = ids[at].row;
        l->by_parent[i].key = (int64_t)ids[at].row;
        l->by_parent[i].row = i;
    }
    return true;
}

/* Fills parents[] and by_parent of a level below level 0. */
static bool taco__from_taco2_find_parents(taco__from_taco2 *b, taco__from_taco2_level *l,
                                          const taco__from_taco2_level *above, size_t *parents)
{
    size_t n = l->rows.length;
    const taco__tortilla_sort_key *ids;
    if (!l->parent) {
        TACO__FAIL(b->w.err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "there is no internal:parent_id");
        return false;
    }
    ids = taco__from_taco2_sort_ids(b, above);
    l->by_parent = (taco__tortilla_sort_key *)taco__arena_array(&b->w.arena, n + 1,
                                                                sizeof *l->by_parent, b->w.err);
    return ids && l->by_parent &&
           taco__from_taco2_match_parents(b, l, ids, above->rows.length, parents) &&
           taco__sort_in(&b->w.mem, l->by_parent, n, sizeof *l->by_parent,
                         taco__tortilla_compile_compare, NULL, b->w.err);
}

/* ---- levels ---- */

/* Finds the columns of a level that identify its rows. */
static bool taco__from_taco2_find_columns(taco__from_taco2 *b, uint32_t level)
{
    taco__from_taco2_level *l = &b->levels[level];
    const taco_array *c = l->rows.columns;
    size_t n = l->rows.column_count;
    l->id = taco__tortilla_check_find(c, n, "id");
    l->type = taco__tortilla_check_find(c, n, "type");
    l->current = taco__tortilla_check_find(c, n, "internal:current_id");
    l->parent = taco__tortilla_check_find(c, n, "internal:parent_id");
    if (!l->id || !l->type || l->id->field->type != TACO_TEXT ||
        l->type->field->type != TACO_TEXT) {
        TACO__FAIL(b->w.err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "level %u: id and type must be columns of text", TACO__U(level));
        return false;
    }
    return true;
}

/* Reads all rows of a level. */
static bool taco__from_taco2_read_rows(taco__from_taco2 *b, uint32_t level)
{
    taco_query q;
    taco_cursor *c;
    bool ok;
    memset(&q, 0, sizeof q);
    q.table = level;
    q.padding = true;
    c = taco_select(b->f.ds, &q, b->w.err);
    ok = c && taco__tortilla_compile_read_rows(&b->w, c, &b->levels[level].rows);
    return (!c || taco_cursor_close(c, b->w.err) == TACO_OK) && ok;
}

/* Fills rows, parents, keys and columns of a level. */
static bool taco__from_taco2_read_level(taco__from_taco2 *b, uint32_t level)
{
    taco__from_taco2_level *l = &b->levels[level], *above = level ? l - 1 : NULL;
    size_t *parents;
    if (!taco__from_taco2_read_rows(b, level) || !taco__from_taco2_find_columns(b, level)) {
        return false;
    }
    parents =
        (size_t *)taco__arena_array(&b->w.arena, l->rows.length + 1, sizeof *parents, b->w.err);
    return parents && (!above || taco__from_taco2_find_parents(b, l, above, parents)) &&
           taco__from_taco2_make_keys(b, l, above, parents) && taco__from_taco2_columns_make(b, l);
}

/* ---- nodes ---- */

static taco__tortilla_node *taco__from_taco2_build_node(taco__from_taco2 *b, uint32_t level,
                                                        const size_t *list, size_t n);

/* The columns of the rows list[0..n) of a level; NULL on failure. */
static taco_array *taco__from_taco2_take_columns(taco__from_taco2 *b,
                                                 const taco__from_taco2_level *l,
                                                 const size_t *list, size_t n)
{
    taco__concat_slice *p =
        (taco__concat_slice *)taco__arena_array(&b->w.arena, n + 1, sizeof *p, b->w.err);
    taco_array *columns =
        (taco_array *)taco__arena_array(&b->w.arena, l->count + 1, sizeof *columns, b->w.err);
    size_t i, k;
    for (k = 0; p && columns && k < l->count; k++) {
        for (i = 0; i < n; i++) {
            p[i].a = &l->columns[k];
            p[i].first = list[i];
            p[i].n = 1;
        }
        if (!taco__concat_arrays(&b->w.arena, l->columns[k].field, p, n, &columns[k], b->w.err)) {
            return NULL;
        }
    }
    return p ? columns : NULL;
}

/* The tortilla for a FOLDER, a row of `level`. */
static taco__tortilla_node *taco__from_taco2_build_child(taco__from_taco2 *b, uint32_t level,
                                                         size_t row)
{
    const taco__from_taco2_level *l = &b->levels[level], *below = l + 1;
    size_t rows, at = 0, n = 0, *list;
    if (level + 1 >= b->depth) {
        TACO__FAIL(b->w.err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "FOLDER %s has no level below",
                   l->keys[row]);
        return NULL;
    }
    rows = below->rows.length;
    TACO__LOWER_BOUND(at, rows, i, below->by_parent[i].key < (int64_t)row);
    list = (size_t *)taco__arena_array(&b->w.arena, rows - at + 1, sizeof *list, b->w.err);
    for (; list && at < rows && below->by_parent[at].key == (int64_t)row; at++) {
        size_t child = below->by_parent[at].row;
        if (!taco__from_taco2_is_padding(below, child)) { list[n++] = child; }
    }
    return list ? taco__from_taco2_build_node(b, level + 1, list, n) : NULL;
}

/* The tortilla for the rows list[0..n) of a level and everything below them; NULL on failure. */
static taco__tortilla_node *taco__from_taco2_build_node(taco__from_taco2 *b, uint32_t level,
                                                        const size_t *list, size_t n)
{
    const taco__from_taco2_level *l = &b->levels[level];
    taco__tortilla_node *node =
        (taco__tortilla_node *)taco__arena_alloc(&b->w.arena, sizeof *node, b->w.err);
    size_t i;
    if (!node) { return NULL; }
    node->sizes = (uint64_t *)taco__arena_array(&b->w.arena, n + 1, sizeof(uint64_t), b->w.err);
    node->children = (taco__tortilla_node **)taco__arena_array(&b->w.arena, n + 1,
                                                               sizeof *node->children, b->w.err);
    node->columns = taco__from_taco2_take_columns(b, l, list, n);
    if (!node->sizes || !node->children || !node->columns) { return NULL; }
    node->column_count = l->count;
    node->rows = n;
    node->level = level;
    node->source_rows = list;
    for (i = 0; i < n; i++) {
        if (!taco__from_taco2_is_folder(l, list[i])) { continue; }
        node->children[i] = taco__from_taco2_build_child(b, level, list[i]);
        if (!node->children[i]) { return NULL; }
    }
    return node;
}

/* The tortilla for level 0. */
static taco__tortilla_node *taco__from_taco2_build_top(taco__from_taco2 *b)
{
    const taco__from_taco2_level *l = &b->levels[0];
    size_t *list =
        (size_t *)taco__arena_array(&b->w.arena, l->rows.length + 1, sizeof *list, b->w.err);
    size_t i, n = 0;
    for (i = 0; list && i < l->rows.length; i++) {
        if (!taco__from_taco2_is_padding(l, i)) { list[n++] = i; }
    }
    return list ? taco__from_taco2_build_node(b, 0, list, n) : NULL;
}

/* ---- the conversion ---- */

/* Writes the file, with a collection if its name demands one. */
static bool taco__from_taco2_write(taco__from_taco2 *b, const char *out, taco__tortilla_node *top)
{
    taco_bytes json = {NULL, 0};
    taco__buf text;
    bool ok = true;
    memset(&text, 0, sizeof text);
    text.mem = &b->w.mem;
    if (taco__container_ends_with(out, ".taco")) {
        ok = taco__convert_collection_from_taco2(&b->f, &text);
        json = taco__bytes_of(text.data, text.len);
    } else {
        taco__convert_note(
            &b->f, "the collection is left out: only a name that ends in .taco has one%s", "");
    }
    ok = ok && taco__tortilla_write_parts(&b->w, out, top, TACO__TORTILLA_PART_BYTES, json);
    taco__buf_free(&text);
    return ok;
}

/* Reads all levels, builds the nodes from the top, and writes them. Catalogues are refused, since
   their rows are in other files, and so are datasets that are not TACO 2. */
static bool taco__from_taco2_run(taco__from_taco2 *b, const char *out)
{
    taco__tortilla_node *top;
    uint32_t level;
    if (b->f.ds->stores[0].format || b->f.ds->stores[0].kind == TACO_KIND_TACOCAT) {
        TACO__FAIL(b->w.err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                   "only an archive or a FOLDER of TACO 2 goes back");
        return false;
    }
    b->depth = taco_levels(b->f.ds);
    for (level = 0; level < b->depth; level++) {
        if (!taco__from_taco2_read_level(b, level)) { return false; }
    }
    top = taco__from_taco2_build_top(b);
    return top && taco__tortilla_write_measure(&b->w, top) && taco__from_taco2_write(b, out, top);
}

TACO_API taco_status taco_convert_from_taco2(const char *in, const char *out,
                                             const taco_convert_options *opt, taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__from_taco2 *b;
    taco__mem mem;
    bool ok;
    err = taco__error_fresh(err, &own);
    if (!in || !out) { return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path given"); }
    taco__mem_init(&mem, opt ? opt->create.options : NULL);
    b = (taco__from_taco2 *)taco__mem_alloc(&mem, sizeof *b, err);
    if (!b) { return err->code; }
    memset(b, 0, sizeof *b);
    taco__convert_init(&b->f, opt, err);
    taco__tortilla_write_init(&b->w, &b->f.options, err);
    b->w.closes = b->w.copies = true;
    b->w.keep_parts = opt && opt->keep_parts;
    b->w.payload = taco__from_taco2_payload;
    b->w.ctx = b;
    b->f.ds = taco_open(in, &b->f.options, err);
    ok = b->f.ds && taco__from_taco2_run(b, out);
    taco__payload_ranges_free(&b->w.copied);
    taco__arena_free(&b->w.arena);
    if (!ok && strncmp(err->text, in, strlen(in)) != 0) { taco__error_prefix(err, "%s", in); }
    taco__convert_free(&b->f);
    taco__mem_free(&mem, b, sizeof *b);
    return ok ? TACO_OK : err->code;
}
/* ==== src/legacy/from_taco2_columns.c ==== */
/* from_taco2_columns.c - converts the columns of a TACO 2 level to those of an old footer

   In: the rows of a level; out: tortilla:id and tortilla:file_format, then the other columns,
   except for those that a footer computes: timestamps become seconds, WKB centroids text, and
   columns that taco_convert_to_taco2 renamed get their old names. A stac:tensor_shape with more
   than rows and columns keeps its name, and these two are also stac:raster_shape. Spec: Tortilla
   0.5.0. */
/* #include "legacy.h" */
/* #include "../base/base.h" */
/* #include "../geo/geo.h" */
/* #include "../dataset/dataset.h" */
/* #include "../validate/validate.h" */
/* #include "../write/write.h" */

/* ---- columns of text ---- */

/* A column of text under construction: each taco__from_taco2_columns_end_row adds a row. */
typedef struct taco__from_taco2_text {
    taco__buf bytes;
    int32_t *ends;
    uint8_t *bits;
    size_t rows, nulls;
} taco__from_taco2_text;

/* Begins an empty column of at most n texts. */
static bool taco__from_taco2_columns_begin_text(taco__from_taco2 *b, size_t n,
                                                taco__from_taco2_text *t)
{
    memset(t, 0, sizeof *t);
    t->bytes.mem = &b->w.mem;
    t->ends = (int32_t *)taco__arena_array(&b->w.arena, n + 1, sizeof *t->ends, b->w.err);
    t->bits = (uint8_t *)taco__arena_alloc(&b->w.arena, TACO__BITMAP_BYTES(n) + 8, b->w.err);
    return t->ends && t->bits;
}

/* Ends a row: the bytes appended since the previous one, or null. */
static bool taco__from_taco2_columns_end_row(taco__from_taco2 *b, taco__from_taco2_text *t,
                                             const char *name, bool valid)
{
    if (t->bytes.len > INT32_MAX) {
        TACO__FAIL(b->w.err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "too much text in column %s", name);
        return false;
    }
    if (valid) { taco__bitmap_set(t->bits, t->rows); }
    t->nulls += !valid;
    t->ends[++t->rows] = (int32_t)t->bytes.len;
    return true;
}

/* Finishes the column. */
static bool taco__from_taco2_columns_finish_text(taco__from_taco2 *b, taco__from_taco2_text *t,
                                                 const char *name, taco_array *out)
{
    taco_field *f = (taco_field *)taco__arena_alloc(&b->w.arena, sizeof *f, b->w.err);
    uint8_t *p = (uint8_t *)taco__arena_alloc(&b->w.arena, t->bytes.len + TACO__PAD, b->w.err);
    if (!f || !p) { return false; }
    *f = taco__field_make(name, TACO_TEXT);
    if (t->bytes.len) { memcpy(p, t->bytes.data, t->bytes.len); }
    memset(out, 0, sizeof *out);
    out->field = f;
    out->length = t->rows;
    out->offsets = t->ends;
    out->v.any = p;
    out->validity = t->nulls ? t->bits : NULL;
    out->null_count = t->nulls;
    return true;
}

/* ---- formats ---- */

/* GDAL's driver for the extension of a name; BYTES for unknown ones. */
static const char *taco__from_taco2_columns_driver(taco_bytes id)
{
    static const char *const ends[][2] = {
        {".tif", "GTiff"}, {".tiff", "GTiff"}, {".png", "PNG"},        {".jpg", "JPEG"},
        {".jpeg", "JPEG"}, {".nc", "netCDF"},  {".jp2", "JP2OpenJPEG"}};
    size_t i;
    for (i = 0; i < TACO__COUNT(ends); i++) {
        size_t n = strlen(ends[i][0]);
        if (id.len > n && memcmp(id.data + id.len - n, ends[i][0], n) == 0) { return ends[i][1]; }
    }
    return "BYTES";
}

/* The format of row i: TORTILLA for FOLDERs, otherwise the value of column `from` if it exists, or
   what the extension implies. */
static taco_bytes taco__from_taco2_columns_format(const taco__from_taco2_level *l,
                                                  const taco_array *from, size_t i)
{
    taco_bytes said = from ? taco_array_bytes(from, i) : taco__bytes_of(NULL, 0);
    if (taco__from_taco2_is_folder(l, i)) { return taco__bytes_text("TORTILLA"); }
    return said.len ? said
                    : taco__bytes_text(taco__from_taco2_columns_driver(taco_array_bytes(l->id, i)));
}

/* tortilla:file_format. */
static bool taco__from_taco2_columns_make_formats(taco__from_taco2 *b,
                                                  const taco__from_taco2_level *l, taco_array *out)
{
    static const char name[] = "tortilla:file_format";
    const taco_array *from = taco__tortilla_check_find(l->rows.columns, l->rows.column_count, name);
    size_t n = l->rows.length, i;
    taco__from_taco2_text t;
    bool ok = taco__from_taco2_columns_begin_text(b, n, &t);
    if (from && from->field->type != TACO_TEXT) { from = NULL; }
    for (i = 0; ok && i < n; i++) {
        taco_bytes format = taco__from_taco2_columns_format(l, from, i);
        ok = taco__buf_append(&t.bytes, format.data, format.len, b->w.err) &&
             taco__from_taco2_columns_end_row(b, &t, name, true);
    }
    ok = ok && taco__from_taco2_columns_finish_text(b, &t, name, out);
    taco__buf_free(&t.bytes);
    return ok;
}

/* ---- centroids and times ---- */

/* POINT (x y). */
static bool taco__from_taco2_columns_append_point(taco__buf *out, double x, double y,
                                                  taco_error *err)
{
    char number[2][40];
    size_t nx = taco__num_format_f64(number[0], x), ny = taco__num_format_f64(number[1], y);
    return taco__buf_append_text(out, "POINT (", err) &&
           taco__buf_append(out, number[0], nx, err) && taco__buf_append_char(out, ' ', err) &&
           taco__buf_append(out, number[1], ny, err) && taco__buf_append_char(out, ')', err);
}

/* Converts WKB to the text of its centre; null if it has no box. */
static bool taco__from_taco2_columns_convert_points(taco__from_taco2 *b, const taco_array *from,
                                                    taco_array *out)
{
    const char *name = from->field->name;
    taco__from_taco2_text t;
    bool ok = taco__from_taco2_columns_begin_text(b, from->length, &t);
    size_t i;
    for (i = 0; ok && i < from->length; i++) {
        taco_bytes wkb = taco_array_bytes(from, i);
        double box[4];
        bool empty = true;
        bool valid = wkb.len && taco__wkb_bounds(wkb, box, &empty, NULL) == TACO_OK && !empty;
        ok = (!valid || taco__from_taco2_columns_append_point(&t.bytes, (box[0] + box[2]) / 2,
                                                              (box[1] + box[3]) / 2, b->w.err)) &&
             taco__from_taco2_columns_end_row(b, &t, name, valid);
    }
    ok = ok && taco__from_taco2_columns_finish_text(b, &t, name, out);
    taco__buf_free(&t.bytes);
    return ok;
}

/* Converts timestamps and dates to seconds: integers, or fractions if any of them has one. */
static bool taco__from_taco2_columns_convert_times(taco__from_taco2 *b, const taco_array *from,
                                                   taco_array *out)
{
    static const int64_t per_second[] = {1, 1000, 1000000, 1000000000};
    const int64_t unit = per_second[from->field->unit],
                  seconds = from->field->type == TACO_DATE ? 86400 : 1;
    taco_field *f = (taco_field *)taco__arena_alloc(&b->w.arena, sizeof *f, b->w.err);
    int64_t *v = (int64_t *)taco__arena_array(&b->w.arena, from->length + 8, sizeof *v, b->w.err);
    size_t i;
    bool whole = true;
    if (!f || !v) { return false; }
    for (i = 0; i < from->length; i++) {
        whole = whole && (!taco_array_valid(from, i) || taco_array_int(from, i) % unit == 0);
    }
    for (i = 0; i < from->length; i++) {
        double d = (double)taco_array_int(from, i) / (double)unit * (double)seconds;
        v[i] = taco_array_int(from, i) / unit * seconds;
        if (!whole) { memcpy(&v[i], &d, 8); }
    }
    *f = *from->field;
    f->type = whole ? TACO_INT64 : TACO_DOUBLE;
    f->width = 8;
    *out = *from;
    out->field = f;
    out->v.i64 = v;
    return true;
}

/* ---- shapes ---- */

static const char taco__from_taco2_columns_raster_shape[] = "stac:raster_shape";

/* True if some list of a column has more than two numbers, of which an old shape consists. */
static bool taco__from_taco2_columns_has_bands(const taco_array *shape)
{
    size_t i;
    for (i = 0; i < shape->length; i++) {
        if (taco_array_valid(shape, i) && shape->offsets[i + 1] - shape->offsets[i] > 2) {
            return true;
        }
    }
    return false;
}

/* The last two numbers of each list: rows and columns. Null for shorter ones. */
static bool taco__from_taco2_columns_make_shape(taco__from_taco2 *b, const taco_array *from,
                                                taco_array *out)
{
    size_t n = from->length, i, k;
    taco__arena *arena = &b->w.arena;
    taco_field *f = (taco_field *)taco__arena_array(arena, 2, sizeof *f, b->w.err);
    taco_array *items = (taco_array *)taco__arena_array(arena, 1, sizeof *items, b->w.err);
    int32_t *ends = (int32_t *)taco__arena_array(arena, n + 1, sizeof *ends, b->w.err);
    int64_t *v = (int64_t *)taco__arena_array(arena, n, 2 * sizeof *v, b->w.err);
    uint8_t *bits = (uint8_t *)taco__arena_alloc(arena, TACO__BITMAP_BYTES(n) + 8, b->w.err);
    if (!f || !items || !ends || !v || !bits) { return false; }
    if (n > INT32_MAX / 2) {
        TACO__FAIL(b->w.err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "too many rows");
        return false;
    }
    f[1] = taco__field_make("element", TACO_INT64);
    f[0] = taco__field_make_nested(taco__from_taco2_columns_raster_shape, TACO_LIST, &f[1], 1);
    memset(out, 0, sizeof *out);
    for (i = 0; i < n; i++) {
        int32_t end = from->offsets[i + 1];
        bool valid = taco_array_valid(from, i) && end - from->offsets[i] >= 2;
        ends[i + 1] = ends[i];
        for (k = 0; valid && k < 2; k++) {
            v[ends[i + 1]++] = taco_array_int(&from->children[0], (size_t)end - 2 + k);
        }
        if (valid) { taco__bitmap_set(bits, i); }
        out->null_count += !valid;
    }
    items->field = &f[1];
    items->length = (size_t)ends[n];
    items->v.i64 = v;
    out->field = &f[0];
    out->length = n;
    out->offsets = ends;
    out->children = items;
    out->validity = out->null_count ? bits : NULL;
    return true;
}

/* ---- all columns ---- */

/* Renames a column. */
static bool taco__from_taco2_columns_rename(taco__from_taco2 *b, const taco_array *from,
                                            const char *name, taco_array *out)
{
    taco_field *f = (taco_field *)taco__arena_alloc(&b->w.arena, sizeof *f, b->w.err);
    if (!f) { return false; }
    *f = *from->field;
    f->name = name;
    *out = *from;
    out->field = f;
    return true;
}

/* True for columns that a footer computes or does not have. */
static bool taco__from_taco2_columns_is_dropped(const char *name)
{
    static const char *const names[] = {
        "id", "type", "tortilla:file_format", "tortilla:id", "tortilla:offset", "tortilla:length"};
    size_t i;
    for (i = 0; i < TACO__COUNT(names); i++) {
        if (strcmp(name, names[i]) == 0) { return true; }
    }
    return strncmp(name, "internal:", 9) == 0;
}

/* The name of a column in an old footer. */
static const char *taco__from_taco2_columns_old_name(const char *name)
{
    static const char *const names[][2] = {
        {"legacy:id", "id"}, {"legacy:type", "type"}, {"legacy:path", "path"}};
    size_t i;
    for (i = 0; i < TACO__COUNT(names); i++) {
        if (strcmp(name, names[i][0]) == 0) { return names[i][1]; }
    }
    return name;
}

/* Converts stac:tensor_shape, to one column or two: a reader of old files expects rows and columns
   in stac:raster_shape, and a conversion back needs the sizes before these, such as bands. */
static bool taco__from_taco2_columns_convert_shape(taco__from_taco2 *b, taco__from_taco2_level *l,
                                                   const taco_array *from)
{
    const char *name = from->field->name;
    bool old = taco__tortilla_check_find(l->rows.columns, l->rows.column_count,
                                         taco__from_taco2_columns_raster_shape) != NULL,
         bands = from->field->type == TACO_LIST && taco__from_taco2_columns_has_bands(from) &&
                 taco__concat_is_integer(from->children[0].field->type);
    /* Both only where sizes would be lost, and not over a raster_shape that the sample brought from
       an old file: its reader knows what it means. */
    if (bands && !old && !taco__from_taco2_columns_make_shape(b, from, &l->columns[l->count++])) {
        return false;
    }
    return taco__from_taco2_columns_rename(
        b, from, bands || old ? name : taco__from_taco2_columns_raster_shape,
        &l->columns[l->count++]);
}

/* Converts one column of the level to that of a footer. */
static bool taco__from_taco2_columns_convert(taco__from_taco2 *b, taco__from_taco2_level *l,
                                             const taco_array *from)
{
    const char *name = from->field->name;
    taco_type type = from->field->type;
    taco_array *out;
    if (strcmp(name, "stac:tensor_shape") == 0) {
        return taco__from_taco2_columns_convert_shape(b, l, from);
    }
    out = &l->columns[l->count++];
    if ((type == TACO_TIMESTAMP || type == TACO_DATE) &&
        (strcmp(name, "stac:time_start") == 0 || strcmp(name, "stac:time_end") == 0)) {
        return taco__from_taco2_columns_convert_times(b, from, out);
    }
    if (type == TACO_BINARY && strcmp(name, "stac:centroid") == 0) {
        return taco__from_taco2_columns_convert_points(b, from, out);
    }
    return taco__from_taco2_columns_rename(b, from, taco__from_taco2_columns_old_name(name), out);
}

/* The ids before taco_convert_to_taco2 changed them; the current ones if it did not. */
static const taco_array *taco__from_taco2_columns_old_ids(const taco__from_taco2_level *l)
{
    const taco_array *old =
        taco__tortilla_check_find(l->rows.columns, l->rows.column_count, "tortilla:id");
    size_t i;
    if (!old || old->field->type != TACO_TEXT) { return l->id; }
    for (i = 0; i < l->rows.length; i++) {
        if (!taco_array_valid(old, i) &&
            !taco__bytes_starts_with(taco_array_bytes(l->id, i), TACO__RULES_PADDING)) {
            return l->id;
        }
    }
    return old;
}

TACO__FN bool taco__from_taco2_columns_make(taco__from_taco2 *b, taco__from_taco2_level *l)
{
    size_t i;
    l->columns = (taco_array *)taco__arena_array(&b->w.arena, l->rows.column_count + 4,
                                                 sizeof *l->columns, b->w.err);
    if (!l->columns ||
        !taco__from_taco2_columns_rename(b, taco__from_taco2_columns_old_ids(l), "tortilla:id",
                                         &l->columns[0]) ||
        !taco__from_taco2_columns_make_formats(b, l, &l->columns[1])) {
        return false;
    }
    l->count = 2;
    for (i = 0; i < l->rows.column_count; i++) {
        const taco_array *from = &l->rows.columns[i];
        if (!taco__from_taco2_columns_is_dropped(from->field->name) &&
            !taco__from_taco2_columns_convert(b, l, from)) {
            return false;
        }
    }
    return true;
}
/* ==== src/legacy/metadata_export.c ==== */
/* metadata_export.c - taco_collection_export: a collection in other formats

   In: the collection of a dataset of either generation; out: a STAC Collection 1.1.0, DataCite
   4.5 or Croissant 1.0, JSON with an indent of two, or a data card, Markdown with front matter.
   Each has its own file (metadata_stac.c and so on). Shared code is here: writing values, which
   omits what the collection lacks, and finding members in either generation: TACO 2 may have the
   whole old document as legacy:collection.

   A document is written without indents, parsed, and printed again, which is cheap at its size. */
/* #include "legacy.h" */
/* #include "../base/base.h" */
/* #include "../base/json.h" */
/* #include "../dataset/dataset.h" */
/* #include "../validate/validate.h" */

/* ---- values ---- */

TACO__FN void taco__metadata_begin(taco__metadata_writer *a, const char *key, char bracket)
{
    taco__json_write_begin(&a->json, key, bracket);
}

TACO__FN void taco__metadata_end(taco__metadata_writer *a, char bracket)
{
    taco__json_write_end(&a->json, bracket);
}

TACO__FN void taco__metadata_text(taco__metadata_writer *a, const char *key, taco_bytes text)
{
    taco__json_writer *w = &a->json;
    if (!text.len) { return; }
    taco__json_write_key(w, key);
    w->ok = w->ok && taco__json_write_name(w->out, text, w->err);
}

TACO__FN void taco__metadata_string(taco__metadata_writer *a, const char *key, const char *text)
{
    taco__metadata_text(a, key, taco__bytes_text(text));
}

TACO__FN void taco__metadata_number(taco__metadata_writer *a, const char *key, double x)
{
    taco__json_write_double(&a->json, key, x);
}

TACO__FN void taco__metadata_value(taco__metadata_writer *a, const char *key, const taco__json *n)
{
    taco__json_writer *w = &a->json;
    if (taco__rules_is_null(n)) { return; }
    taco__json_write_key(w, key);
    w->ok = w->ok && taco__json_print(w->out, n, 0, w->err);
}

/* Copies bytes to p, and returns their end. */
static char *taco__metadata_copy(char *p, taco_bytes b)
{
    if (b.len) { memcpy(p, b.data, b.len); }
    return p + b.len;
}

TACO__FN void taco__metadata_joined(taco__metadata_writer *a, const char *key, taco_bytes before,
                                    taco_bytes text, taco_bytes after)
{
    size_t n = before.len + text.len + after.len;
    char *p = (char *)taco__arena_alloc(a->arena, n + 1, a->json.err);
    if (!p) {
        a->json.ok = false;
        return;
    }
    taco__metadata_copy(taco__metadata_copy(taco__metadata_copy(p, before), text), after);
    taco__metadata_text(a, key, taco__bytes_of(p, n));
}

TACO__FN void taco__metadata_license(taco__metadata_writer *a, const char *key, taco_bytes id)
{
    taco__metadata_joined(a, key, taco__bytes_text("https://spdx.org/licenses/"), id,
                          taco__bytes_text(".html"));
}

/* ---- what collections of both generations say ---- */

TACO__FN taco_bytes taco__metadata_text_of(const taco__json *n, const char *key)
{
    return taco__json_bytes(taco__json_get(n, key));
}

TACO__FN const taco__json *taco__metadata_member(const taco__metadata_writer *a, const char *key)
{
    const taco__json *n = taco__json_get(a->root, key);
    return n ? n : taco__json_get(taco__json_get(a->root, "legacy:collection"), key);
}

TACO__FN taco_bytes taco__metadata_member_text(const taco__metadata_writer *a, const char *key)
{
    return taco__metadata_text_of(a->root, key);
}

TACO__FN taco_bytes taco__metadata_first_text(const taco__json *n, const char *one,
                                              const char *list, const char *inner)
{
    const taco__json *first = taco__json_at(taco__json_get(n, list), 0);
    taco_bytes text = taco__metadata_text_of(n, one);
    return text.len ? text : inner ? taco__metadata_text_of(first, inner) : taco__json_bytes(first);
}

TACO__FN void taco__metadata_each(taco__metadata_writer *a, const taco__json *list,
                                  void (*each)(taco__metadata_writer *a, const taco__json *n))
{
    size_t n = taco__json_length(list), i;
    const taco__json *e;
    for (i = 0, e = n ? taco__json_first(list) : NULL; i < n; i++, e = taco__json_next(e)) {
        each(a, e);
    }
}

TACO__FN void taco__metadata_item(taco__metadata_writer *a, const taco__json *text)
{
    taco__metadata_text(a, NULL, taco__json_bytes(text));
}

TACO__FN taco_bytes taco__metadata_person_house(const taco__json *who)
{
    taco_bytes house = taco__metadata_text_of(who, "organization");
    return house.len ? house : taco__metadata_text_of(who, "affiliation");
}

TACO__FN taco_bytes taco__metadata_person_name(const taco__json *who)
{
    taco_bytes name = taco__metadata_text_of(who, "name");
    return name.len ? name : taco__metadata_person_house(who);
}

TACO__FN const taco__json *taco__metadata_curators(const taco__metadata_writer *a)
{
    const taco__json *list = taco__metadata_member(a, "curators");
    return taco__json_length(list) ? list : taco__metadata_member(a, "data_curator");
}

TACO__FN void taco__metadata_each_task(taco__metadata_writer *a,
                                       void (*each)(taco__metadata_writer *a,
                                                    const taco__json *task))
{
    const taco__json *tasks = taco__json_get(a->root, "tasks");
    const taco__json *task = taco__metadata_member(a, "task"), *n = taco__json_first(tasks);
    bool known = !taco__json_bytes(task).len;
    size_t i, count = taco__json_length(tasks);
    for (i = 0; i < count; i++, n = taco__json_next(n)) {
        known = known || taco__bytes_equal(taco__json_bytes(n), taco__json_bytes(task));
        each(a, n);
    }
    if (!known) { each(a, task); }
}

TACO__FN taco_bytes taco__metadata_person_url(const taco__json *who)
{
    return taco__metadata_first_text(who, "url", "links", "href");
}

TACO__FN taco_bytes taco__metadata_title(const taco__metadata_writer *a)
{
    taco_bytes title = taco__metadata_member_text(a, "title");
    return title.len ? title : taco__metadata_member_text(a, "id");
}

TACO__FN taco_bytes taco__metadata_doi(const taco__metadata_writer *a)
{
    return taco__metadata_text_of(taco__metadata_member(a, "scientific"), "doi");
}

TACO__FN bool taco__metadata_time_range(const taco__metadata_writer *a, taco_bytes out[2])
{
    const taco__json *times = taco__json_get(taco__json_get(a->root, "extent"), "temporal");
    const taco__json *first = taco__json_at(times, 0);
    first = taco__json_is(first, TACO__JSON_STRING) ? times : first;
    out[0] = taco__json_bytes(taco__json_at(first, 0));
    out[1] = taco__json_bytes(taco__json_at(first, 1));
    return out[0].len && out[1].len;
}

TACO__FN bool taco__metadata_bbox(const taco__metadata_writer *a, double box[4])
{
    const taco__json *extent = taco__json_get(a->root, "extent");
    return taco__convert_collection_box(taco__json_get(extent, "spatial"), box);
}

TACO__FN const taco__json *taco__metadata_publications(const taco__metadata_writer *a)
{
    const taco__json *p = taco__json_get(taco__metadata_member(a, "scientific"), "publications");
    return p ? p : taco__json_get(a->root, "publications");
}

TACO__FN const taco__json *taco__metadata_bands(const taco__metadata_writer *a)
{
    const taco__json *list = taco__json_get(taco__metadata_member(a, "optical_data"), "bands");
    return list ? list : taco__json_get(a->root, "optical:bands");
}

TACO__FN const char *taco__metadata_base_name(const char *path)
{
    return path + taco__plat_dir_length(path, strlen(path));
}

TACO__FN const char *taco__metadata_media_type(const taco__metadata_writer *a)
{
    const taco__container *s = &a->ds->stores[0];
    return taco__container_ends_with(a->path, ".taco") ||
                   taco__container_ends_with(a->path, ".tortilla")
               ? "application/vnd.tortilla+blob"
           : s->kind == TACO_KIND_TACOCAT && s->file_open ? "application/octet-stream"
                                                          : "application/zip";
}

/* The path of the dataset: of a __TACOCAT__ that was found in the directory that was named, its
   own, since documents are about files: their names, sizes and digests. NULL if out of memory. */
static const char *taco__metadata_find_path(taco_dataset *ds, taco_error *err)
{
    taco__container *s = &ds->stores[0];
    size_t n = strlen(s->name);
    return s->kind == TACO_KIND_TACOCAT && s->file_open && strncmp(s->dir, s->name, n) == 0 &&
                   strlen(s->dir) <= n + 1
               ? taco__container_join_path(s, s->dir, "__TACOCAT__", err)
               : s->name;
}

/* ---- public ---- */

/* Checks that there is a collection to export, and whatever else the kind requires. */
static bool taco__metadata_check(taco_dataset *ds, taco_collection_format kind,
                                 const taco__metadata_writer *a, taco_error *err)
{
    const char *missing = NULL;
    if (!ds) {
        missing = "no dataset given";
    } else if (!ds->stores[0].coll.doc.root) {
        missing = "the dataset has no collection";
    } else if (kind == TACO_COLLECTION_DATACITE && !a->opt.year) {
        missing = "DataCite requires a year of publication";
    }
    if (missing) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%s", missing);
        if (ds) { taco__error_prefix(err, "%s", ds->stores[0].name); }
    }
    return !missing;
}

/* Writes a document into `flat`, parses it, and prints it into ds->info. */
static bool taco__metadata_write_json(taco__metadata_writer *a, taco__buf *flat,
                                      void (*write)(taco__metadata_writer *a))
{
    taco_error *err = a->json.err;
    taco_dataset *ds = a->ds;
    taco__json_doc doc;
    write(a);
    return a->json.ok &&
           taco__json_parse(a->arena, taco__bytes_of(flat->data, flat->len), &ds->options.limits,
                            &doc, err) == TACO_OK &&
           taco__json_print(&ds->info, doc.root, 2, err) &&
           taco__buf_append_char(&ds->info, '\n', err);
}

/* Fills ds->info, with a zero byte at its end. */
static bool taco__metadata_write(taco__metadata_writer *a, taco_collection_format kind)
{
    taco_error *err = a->json.err;
    taco__buf flat, *info = &a->ds->info;
    bool ok;
    memset(&flat, 0, sizeof flat);
    flat.mem = &a->ds->mem;
    info->len = 0;
    a->json = taco__json_writer_init(kind == TACO_COLLECTION_DATACARD ? info : &flat, err);
    if (kind == TACO_COLLECTION_DATACARD) {
        taco__metadata_datacard(a);
        ok = a->json.ok;
    } else if (kind == TACO_COLLECTION_STAC) {
        ok = taco__metadata_write_json(a, &flat, taco__metadata_stac);
    } else if (kind == TACO_COLLECTION_CROISSANT) {
        ok = taco__metadata_write_json(a, &flat, taco__metadata_croissant);
    } else {
        ok = taco__metadata_write_json(a, &flat, taco__metadata_datacite);
    }
    taco__buf_free(&flat);
    return ok && taco__buf_append_char(info, 0, err);
}

TACO_API taco_bytes taco_collection_export(taco_dataset *ds, taco_collection_format kind,
                                           const taco_collection_export_options *opt,
                                           taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__metadata_writer a;
    taco__arena arena;
    bool ok;
    err = taco__error_fresh(err, &own);
    memset(&a, 0, sizeof a);
    if (opt) { a.opt = *opt; }
    if (!taco__metadata_check(ds, kind, &a, err)) { return taco__bytes_of(NULL, 0); }
    arena.mem = &ds->mem;
    arena.head = NULL;
    a.root = ds->stores[0].coll.doc.root;
    a.path = taco__metadata_find_path(ds, err);
    a.ds = ds;
    a.arena = &arena;
    a.json.err = err;
    ok = a.path && taco__metadata_write(&a, kind);
    taco__arena_free(&arena);
    return ok ? taco__bytes_of(ds->info.data, ds->info.len - 1) : taco__bytes_of(NULL, 0);
}
/* ==== src/legacy/metadata_stac.c ==== */
/* metadata_stac.c - a collection as a STAC Collection 1.1.0

   In: a collection; out: one JSON object with the extensions scientific, eo and version if it has
   values for them, and taco:task, taco:labels and taco:version for what STAC has no field for. The
   file itself is the asset "data". Spec: STAC 1.1.0 Collection. Start reading at
   taco__metadata_stac. */
/* #include "legacy.h" */
/* #include "../base/base.h" */
/* #include "../base/json.h" */

/* ---- providers ---- */

/* True if STAC has the role (1.1.0 Collection, Provider Object): one of four, in lower case. */
static bool taco__metadata_stac_is_role(taco_bytes role)
{
    static const char *const roles[] = {"licensor", "producer", "processor", "host"};
    size_t i;
    for (i = 0; i < TACO__COUNT(roles); i++) {
        if (taco__bytes_equal(role, taco__bytes_text(roles[i]))) { return true; }
    }
    return false;
}

/* Writes a person or organization, with its role, {NULL, 0} for none. */
static void taco__metadata_stac_person(taco__metadata_writer *a, const taco__json *who,
                                       taco_bytes role, bool organization)
{
    taco_bytes url = taco__metadata_person_url(who);
    if (!taco__metadata_person_name(who).len) { return; }
    taco__metadata_begin(a, NULL, '{');
    taco__metadata_text(a, "name", taco__metadata_person_name(who));
    if (organization && taco__metadata_text_of(who, "name").len) {
        taco__metadata_text(a, "description", taco__metadata_person_house(who));
    }
    if (role.len) {
        taco__metadata_begin(a, "roles", '[');
        taco__metadata_text(a, NULL, role);
        taco__metadata_end(a, ']');
    }
    if (taco__bytes_starts_with(url, "http")) { taco__metadata_text(a, "url", url); }
    taco__metadata_end(a, '}');
}

/* Writes a provider. Roles that STAC does not have are omitted, since validators refuse them. */
static void taco__metadata_stac_provider(taco__metadata_writer *a, const taco__json *who)
{
    taco_bytes role = taco__metadata_first_text(who, "role", "roles", NULL);
    if (!taco__metadata_stac_is_role(role)) { role.len = 0; }
    taco__metadata_stac_person(a, who, role, true);
}

/* Writes a curator, as a provider that processed the data. */
static void taco__metadata_stac_curator(taco__metadata_writer *a, const taco__json *who)
{
    taco__metadata_stac_person(a, who, taco__bytes_text("processor"), false);
}

/* Writes providers, then curators; STAC has one list for both. */
static void taco__metadata_stac_providers(taco__metadata_writer *a)
{
    taco__metadata_begin(a, "providers", '[');
    taco__metadata_each(a, taco__json_get(a->root, "providers"), taco__metadata_stac_provider);
    taco__metadata_each(a, taco__metadata_curators(a), taco__metadata_stac_curator);
    taco__metadata_end(a, ']');
}

/* ---- links ---- */

/* Writes a link of the collection: an object, or the address itself; nothing if there is none. */
static void taco__metadata_stac_link(taco__metadata_writer *a, const char *rel, const taco__json *n)
{
    taco_bytes href = taco__metadata_text_of(n, "href");
    href = href.len ? href : taco__json_bytes(n);
    if (!href.len) { return; }
    taco__metadata_begin(a, NULL, '{');
    taco__metadata_string(a, "rel", rel);
    taco__metadata_text(a, "href", href);
    taco__metadata_text(a, "title", taco__metadata_text_of(n, "title"));
    taco__metadata_end(a, '}');
}

/* Writes a link to the licence, which STAC recommends in addition to its id, and requires if that
   is "other". */
static void taco__metadata_stac_license(taco__metadata_writer *a, const taco__json *id)
{
    taco__metadata_begin(a, NULL, '{');
    taco__metadata_string(a, "rel", "license");
    taco__metadata_license(a, "href", taco__json_bytes(id));
    taco__metadata_text(a, "title", taco__json_bytes(id));
    taco__metadata_end(a, '}');
}

/* Writes links to licences, the raw data, the discussion, and the DOI as the scientific extension
   requires. */
static void taco__metadata_stac_links(taco__metadata_writer *a)
{
    taco_bytes doi = taco__metadata_doi(a);
    taco__metadata_begin(a, "links", '[');
    taco__metadata_each(a, taco__json_get(a->root, "licenses"), taco__metadata_stac_license);
    taco__metadata_stac_link(a, "via", taco__metadata_member(a, "raw_link"));
    taco__metadata_stac_link(a, "about", taco__metadata_member(a, "discuss_link"));
    if (doi.len) {
        taco__metadata_begin(a, NULL, '{');
        taco__metadata_string(a, "rel", "cite-as");
        taco__metadata_joined(a, "href", taco__bytes_text("https://doi.org/"), doi,
                              taco__bytes_of(NULL, 0));
        taco__metadata_end(a, '}');
    }
    taco__metadata_end(a, ']');
}

/* ---- bands ---- */

/* Writes a wavelength of a band: nanometres in the collection, micrometres in the extension. */
static void taco__metadata_stac_wavelength(taco__metadata_writer *a, const char *key,
                                           const taco__json *nanometres)
{
    double x;
    if (taco__json_double(nanometres, &x)) { taco__metadata_number(a, key, x / 1000); }
}

/* Writes a band; wavelengths use the names of the eo extension. */
static void taco__metadata_stac_band(taco__metadata_writer *a, const taco__json *n)
{
    taco__metadata_begin(a, NULL, '{');
    taco__metadata_text(a, "name", taco__metadata_text_of(n, "name"));
    taco__metadata_text(a, "description", taco__metadata_text_of(n, "description"));
    taco__metadata_stac_wavelength(a, "eo:center_wavelength",
                                   taco__json_get(n, "center_wavelength"));
    taco__metadata_stac_wavelength(a, "eo:full_width_half_max",
                                   taco__json_get(n, "full_width_half_max"));
    taco__metadata_end(a, '}');
}

/* Writes bands, which STAC 1.1.0 has at the top of a collection; nothing if there are none. */
static void taco__metadata_stac_bands(taco__metadata_writer *a)
{
    const taco__json *list = taco__metadata_bands(a);
    if (!taco__json_length(list)) { return; }
    taco__metadata_begin(a, "bands", '[');
    taco__metadata_each(a, list, taco__metadata_stac_band);
    taco__metadata_end(a, ']');
}

/* ---- extent and science ---- */

/* Writes a list of one box: the whole world if the collection has none. */
static void taco__metadata_stac_boxes(taco__metadata_writer *a)
{
    static const double world[4] = {-180, -90, 180, 90};
    double box[4];
    bool known = taco__metadata_bbox(a, box);
    size_t i;
    taco__metadata_begin(a, "bbox", '[');
    taco__metadata_begin(a, NULL, '[');
    for (i = 0; i < 4; i++) {
        taco__metadata_number(a, NULL, known ? box[i] : world[i]);
    }
    taco__metadata_end(a, ']');
    taco__metadata_end(a, ']');
}

/* Writes a list of one interval, open if the collection has none. */
static void taco__metadata_stac_intervals(taco__metadata_writer *a)
{
    taco_bytes t[2];
    taco__metadata_begin(a, "interval", '[');
    taco__metadata_begin(a, NULL, '[');
    if (taco__metadata_time_range(a, t)) {
        taco__metadata_text(a, NULL, t[0]);
        taco__metadata_text(a, NULL, t[1]);
    } else {
        taco__json_write_text(&a->json, NULL, NULL);
        taco__json_write_text(&a->json, NULL, NULL);
    }
    taco__metadata_end(a, ']');
    taco__metadata_end(a, ']');
}

/* Writes extent, for which STAC requires at least one box and one interval. */
static void taco__metadata_stac_extent(taco__metadata_writer *a)
{
    taco__metadata_begin(a, "extent", '{');
    taco__metadata_begin(a, "spatial", '{');
    taco__metadata_stac_boxes(a);
    taco__metadata_end(a, '}');
    taco__metadata_begin(a, "temporal", '{');
    taco__metadata_stac_intervals(a);
    taco__metadata_end(a, '}');
    taco__metadata_end(a, '}');
}

/* Writes a paper, by DOI or citation; nothing if it has neither. */
static void taco__metadata_stac_publication(taco__metadata_writer *a, const taco__json *n)
{
    taco_bytes doi = taco__metadata_text_of(n, "doi");
    taco_bytes citation = taco__metadata_text_of(n, "citation");
    if (!doi.len && !citation.len) { return; }
    taco__metadata_begin(a, NULL, '{');
    taco__metadata_text(a, "doi", doi);
    taco__metadata_text(a, "citation", citation);
    taco__metadata_end(a, '}');
}

/* Writes members of the scientific extension: DOI and citation of the dataset, then publications
   about it. */
static void taco__metadata_stac_science(taco__metadata_writer *a)
{
    const taco__json *list = taco__metadata_publications(a);
    taco__metadata_text(a, "sci:doi", taco__metadata_doi(a));
    taco__metadata_text(a, "sci:citation",
                        taco__metadata_text_of(taco__metadata_member(a, "scientific"), "citation"));
    if (!taco__json_length(list)) { return; }
    taco__metadata_begin(a, "sci:publications", '[');
    taco__metadata_each(a, list, taco__metadata_stac_publication);
    taco__metadata_end(a, ']');
}

/* ---- the document ---- */

/* Writes the list of extensions used in the document. */
static void taco__metadata_stac_extensions(taco__metadata_writer *a)
{
    bool bands = taco__json_length(taco__metadata_bands(a)) != 0;
    bool science = taco__json_is(taco__metadata_member(a, "scientific"), TACO__JSON_OBJECT) ||
                   taco__json_length(taco__metadata_publications(a));
    taco__metadata_begin(a, "stac_extensions", '[');
    if (science) {
        taco__metadata_string(a, NULL,
                              "https://stac-extensions.github.io/scientific/v1.0.0/schema.json");
    }
    if (bands) {
        taco__metadata_string(a, NULL, "https://stac-extensions.github.io/eo/v2.0.0/schema.json");
    }
    taco__metadata_string(a, NULL, "https://stac-extensions.github.io/version/v1.2.0/schema.json");
    taco__metadata_end(a, ']');
}

/* Writes title and licence of the dataset; several licences become "other". */
static void taco__metadata_stac_identity(taco__metadata_writer *a)
{
    const taco__json *licenses = taco__json_get(a->root, "licenses");
    bool one = taco__json_length(licenses) == 1;
    taco__metadata_text(a, "id", taco__metadata_member_text(a, "id"));
    taco__metadata_text(a, "title", taco__metadata_member_text(a, "title"));
    taco__metadata_text(a, "description", taco__metadata_member_text(a, "description"));
    taco__metadata_value(a, "keywords", taco__json_get(a->root, "keywords"));
    taco__metadata_text(a, "license",
                        one ? taco__json_bytes(taco__json_at(licenses, 0))
                            : taco__bytes_text("other"));
}

/* Writes what samples have in common. Each is a list, as STAC requires, except for the labels,
   which are kept in the form of the collection. */
static void taco__metadata_stac_summaries(taco__metadata_writer *a)
{
    taco_bytes sensor = taco__metadata_text_of(taco__metadata_member(a, "optical_data"), "sensor");
    taco__metadata_begin(a, "summaries", '{');
    if (sensor.len) {
        taco__metadata_begin(a, "platform", '[');
        taco__metadata_text(a, NULL, sensor);
        taco__metadata_end(a, ']');
    }
    taco__metadata_begin(a, "taco:task", '[');
    taco__metadata_each_task(a, taco__metadata_item);
    taco__metadata_end(a, ']');
    taco__metadata_value(a, "taco:labels",
                         taco__json_get(taco__metadata_member(a, "labels"), "label_classes"));
    taco__metadata_end(a, '}');
}

/* Writes the asset: the file, next to the document. */
static void taco__metadata_stac_assets(taco__metadata_writer *a)
{
    taco_bytes file = taco__bytes_text(taco__metadata_base_name(a->path));
    taco__metadata_begin(a, "assets", '{');
    taco__metadata_begin(a, "data", '{');
    taco__metadata_joined(a, "href", taco__bytes_text("./"), file, taco__bytes_of(NULL, 0));
    taco__metadata_string(a, "type", taco__metadata_media_type(a));
    taco__metadata_begin(a, "roles", '[');
    taco__metadata_string(a, NULL, "data");
    taco__metadata_end(a, ']');
    taco__metadata_end(a, '}');
    taco__metadata_end(a, '}');
}

TACO__FN void taco__metadata_stac(taco__metadata_writer *a)
{
    taco__metadata_begin(a, NULL, '{');
    taco__metadata_string(a, "type", "Collection");
    taco__metadata_string(a, "stac_version", "1.1.0");
    taco__metadata_stac_extensions(a);
    taco__metadata_stac_identity(a);
    taco__metadata_stac_providers(a);
    taco__metadata_stac_extent(a);
    taco__metadata_stac_links(a);
    taco__metadata_stac_science(a);
    taco__metadata_stac_bands(a);
    taco__metadata_stac_summaries(a);
    taco__metadata_text(a, "taco:version", taco__metadata_member_text(a, "taco_version"));
    taco__metadata_text(a, "version", taco__metadata_member_text(a, "dataset_version"));
    taco__metadata_stac_assets(a);
    taco__metadata_end(a, '}');
}
/* ==== src/legacy/metadata_datacite.c ==== */
/* metadata_datacite.c - a collection as DataCite 4.5, for registering a DOI

   In: a collection, and a year of publication, which collections do not have; out: one JSON
   object. Providers are the creators, curators the contributors, and the publisher is the
   organization of the first provider. Spec: DataCite Metadata Schema 4.5. Start reading at
   taco__metadata_datacite. */
/* #include "legacy.h" */
/* #include "../base/json.h" */

/* ---- people ---- */

/* Writes a person with an affiliation, or an organization; type: the role of a contributor, or
   NULL. */
static void taco__metadata_datacite_person(taco__metadata_writer *a, const taco__json *who,
                                           const char *type)
{
    bool person = taco__metadata_text_of(who, "name").len != 0;
    taco_bytes house = taco__metadata_person_house(who);
    taco__metadata_begin(a, NULL, '{');
    taco__metadata_text(a, "name", taco__metadata_person_name(who));
    taco__metadata_string(a, "nameType", person ? "Personal" : "Organizational");
    if (person && house.len) {
        taco__metadata_begin(a, "affiliation", '[');
        taco__metadata_begin(a, NULL, '{');
        taco__metadata_text(a, "name", house);
        taco__metadata_end(a, '}');
        taco__metadata_end(a, ']');
    }
    if (type) { taco__metadata_string(a, "contributorType", type); }
    taco__metadata_end(a, '}');
}

/* Writes a creator, without contributorType. */
static void taco__metadata_datacite_creator(taco__metadata_writer *a, const taco__json *who)
{
    taco__metadata_datacite_person(a, who, NULL);
}

/* Writes a contributor. DataCurator is DataCite's type for those who prepare data (appendix 1). */
static void taco__metadata_datacite_contributor(taco__metadata_writer *a, const taco__json *who)
{
    taco__metadata_datacite_person(a, who, "DataCurator");
}

/* Writes the people of a list; nothing if there are none. */
static void
taco__metadata_datacite_people(taco__metadata_writer *a, const taco__json *list, const char *key,
                               void (*each)(taco__metadata_writer *a, const taco__json *who))
{
    if (!taco__json_length(list)) { return; }
    taco__metadata_begin(a, key, '[');
    taco__metadata_each(a, list, each);
    taco__metadata_end(a, ']');
}

/* Writes publisher, which DataCite requires: the organization of the first provider, or its
   name. */
static void taco__metadata_datacite_publisher(taco__metadata_writer *a)
{
    const taco__json *first = taco__json_at(taco__json_get(a->root, "providers"), 0);
    taco_bytes house = taco__metadata_person_house(first);
    taco__metadata_begin(a, "publisher", '{');
    taco__metadata_text(a, "name", house.len ? house : taco__metadata_person_name(first));
    taco__metadata_end(a, '}');
}

/* ---- lists ---- */

/* Writes another work, and how the dataset relates to it. */
static void taco__metadata_datacite_relation(taco__metadata_writer *a, taco_bytes id,
                                             const char *type, const char *relation)
{
    if (!id.len) { return; }
    taco__metadata_begin(a, NULL, '{');
    taco__metadata_text(a, "relatedIdentifier", id);
    taco__metadata_string(a, "relatedIdentifierType", type);
    taco__metadata_string(a, "relationType", relation);
    taco__metadata_end(a, '}');
}

/* Writes a paper, which describes the dataset; without a DOI there is nothing to relate to. */
static void taco__metadata_datacite_publication(taco__metadata_writer *a, const taco__json *n)
{
    taco__metadata_datacite_relation(a, taco__metadata_text_of(n, "doi"), "DOI", "IsDescribedBy");
}

/* Writes relatedIdentifiers: papers, and the data from which the samples were made. */
static void taco__metadata_datacite_related(taco__metadata_writer *a)
{
    taco_bytes raw = taco__metadata_text_of(taco__metadata_member(a, "raw_link"), "href");
    taco__metadata_begin(a, "relatedIdentifiers", '[');
    taco__metadata_each(a, taco__metadata_publications(a), taco__metadata_datacite_publication);
    taco__metadata_datacite_relation(a, raw, "URL", "IsDerivedFrom");
    taco__metadata_end(a, ']');
}

/* Writes a keyword, which belongs to no vocabulary. */
static void taco__metadata_datacite_subject(taco__metadata_writer *a, const taco__json *keyword)
{
    taco__metadata_begin(a, NULL, '{');
    taco__metadata_text(a, "subject", taco__json_bytes(keyword));
    taco__metadata_end(a, '}');
}

/* Writes a task, from TACO's list. */
static void taco__metadata_datacite_task(taco__metadata_writer *a, const taco__json *task)
{
    taco__metadata_begin(a, NULL, '{');
    taco__metadata_text(a, "subject", taco__json_bytes(task));
    taco__metadata_string(a, "subjectScheme", "TACO task");
    taco__metadata_end(a, '}');
}

/* Writes subjects: keywords, then tasks, for which DataCite has no other place. */
static void taco__metadata_datacite_subjects(taco__metadata_writer *a)
{
    taco__metadata_begin(a, "subjects", '[');
    taco__metadata_each(a, taco__json_get(a->root, "keywords"), taco__metadata_datacite_subject);
    taco__metadata_each_task(a, taco__metadata_datacite_task);
    taco__metadata_end(a, ']');
}

/* Writes a licence by its SPDX id. The collection has no other name for it, so `rights` is also the
   id. */
static void taco__metadata_datacite_right(taco__metadata_writer *a, const taco__json *license)
{
    taco_bytes id = taco__json_bytes(license);
    taco__metadata_begin(a, NULL, '{');
    taco__metadata_text(a, "rights", id);
    taco__metadata_text(a, "rightsIdentifier", id);
    taco__metadata_string(a, "rightsIdentifierScheme", "SPDX");
    taco__metadata_string(a, "schemeUri", "https://spdx.org/licenses/");
    taco__metadata_license(a, "rightsUri", id);
    taco__metadata_end(a, '}');
}

/* ---- places and dates ---- */

/* Writes the box; nothing if the collection has none. */
static void taco__metadata_datacite_place(taco__metadata_writer *a)
{
    double box[4];
    if (!taco__metadata_bbox(a, box)) { return; }
    taco__metadata_begin(a, "geoLocations", '[');
    taco__metadata_begin(a, NULL, '{');
    taco__metadata_begin(a, "geoLocationBox", '{');
    taco__metadata_number(a, "westBoundLongitude", box[0]);
    taco__metadata_number(a, "eastBoundLongitude", box[2]);
    taco__metadata_number(a, "southBoundLatitude", box[1]);
    taco__metadata_number(a, "northBoundLatitude", box[3]);
    taco__metadata_end(a, '}');
    taco__metadata_end(a, '}');
    taco__metadata_end(a, ']');
}

/* Writes when the data was collected, start/end; nothing if the collection does not say. */
static void taco__metadata_datacite_dates(taco__metadata_writer *a)
{
    taco_bytes t[2];
    if (!taco__metadata_time_range(a, t)) { return; }
    taco__metadata_begin(a, "dates", '[');
    taco__metadata_begin(a, NULL, '{');
    taco__metadata_joined(a, "date", t[0], taco__bytes_text("/"), t[1]);
    taco__metadata_string(a, "dateType", "Collected");
    taco__metadata_end(a, '}');
    taco__metadata_end(a, ']');
}

/* ---- the document ---- */

/* Writes types, which DataCite requires: a Dataset in its terms, a TACO dataset in ours. */
static void taco__metadata_datacite_types(taco__metadata_writer *a)
{
    taco__metadata_begin(a, "types", '{');
    taco__metadata_string(a, "resourceTypeGeneral", "Dataset");
    taco__metadata_string(a, "resourceType", "TACO dataset");
    taco__metadata_end(a, '}');
}

/* Writes a list of one object with one text, and its type, if it has one. */
static void taco__metadata_datacite_one(taco__metadata_writer *a, const char *key,
                                        const char *member, taco_bytes text, const char *type)
{
    taco__metadata_begin(a, key, '[');
    taco__metadata_begin(a, NULL, '{');
    taco__metadata_text(a, member, text);
    if (type) { taco__metadata_string(a, "descriptionType", type); }
    taco__metadata_end(a, '}');
    taco__metadata_end(a, ']');
}

/* Writes a list with an object for each text of a member of the collection. */
static void
taco__metadata_datacite_list(taco__metadata_writer *a, const char *key, const char *from,
                             void (*each)(taco__metadata_writer *a, const taco__json *text))
{
    taco__metadata_begin(a, key, '[');
    taco__metadata_each(a, taco__json_get(a->root, from), each);
    taco__metadata_end(a, ']');
}

TACO__FN void taco__metadata_datacite(taco__metadata_writer *a)
{
    taco__metadata_begin(a, NULL, '{');
    taco__metadata_datacite_types(a);
    taco__metadata_datacite_people(a, taco__json_get(a->root, "providers"), "creators",
                                   taco__metadata_datacite_creator);
    taco__metadata_datacite_one(a, "titles", "title", taco__metadata_title(a), NULL);
    taco__metadata_datacite_publisher(a);
    taco__metadata_string(a, "publicationYear", a->opt.year);
    taco__metadata_text(a, "version", taco__metadata_member_text(a, "dataset_version"));
    taco__metadata_string(a, "schemaVersion", "http://datacite.org/schema/kernel-4");
    taco__metadata_text(a, "doi", taco__metadata_doi(a));
    taco__metadata_datacite_one(a, "descriptions", "description",
                                taco__metadata_member_text(a, "description"), "Abstract");
    taco__metadata_datacite_subjects(a);
    taco__metadata_datacite_people(a, taco__metadata_curators(a), "contributors",
                                   taco__metadata_datacite_contributor);
    taco__metadata_datacite_list(a, "rightsList", "licenses", taco__metadata_datacite_right);
    taco__metadata_datacite_place(a);
    taco__metadata_datacite_dates(a);
    taco__metadata_datacite_related(a);
    taco__metadata_begin(a, "formats", '[');
    taco__metadata_string(a, NULL, taco__metadata_media_type(a));
    taco__metadata_end(a, ']');
    taco__metadata_end(a, '}');
}
/* ==== src/legacy/metadata_datacard.c ==== */
/* metadata_datacard.c - a collection as a data card, the README of a repository of datasets

   In: a collection; out: Markdown with YAML front matter: how to read the dataset, its tree and
   columns, and a section with a table for each part of the collection. As this is not JSON, text is
   appended to taco__metadata_writer.json.out; failures are sticky there, too. Start reading at
   taco__metadata_datacard. */
/* #include "legacy.h" */
/* #include "../base/base.h" */
/* #include "../base/json.h" */
/* #include "../validate/validate.h" */

/* ---- text ---- */

/* Appends bytes unchanged, unless there was a failure. */
static void taco__metadata_datacard_bytes(taco__metadata_writer *a, taco_bytes text)
{
    taco__json_writer *w = &a->json;
    w->ok = w->ok && taco__buf_append(w->out, text.data, text.len, w->err);
}

/* The same for a string. */
static void taco__metadata_datacard_puts(taco__metadata_writer *a, const char *text)
{
    taco__metadata_datacard_bytes(a, taco__bytes_text(text));
}

/* Appends a value as JSON. */
static void taco__metadata_datacard_json(taco__metadata_writer *a, const taco__json *n)
{
    taco__json_writer *w = &a->json;
    w->ok = w->ok && taco__json_print(w->out, n, 0, w->err);
}

/* Appends a section of one line; nothing without a text. */
static void taco__metadata_datacard_section(taco__metadata_writer *a, const char *before,
                                            taco_bytes text)
{
    if (!text.len) { return; }
    taco__metadata_datacard_puts(a, before);
    taco__metadata_datacard_bytes(a, text);
    taco__metadata_datacard_puts(a, "**\n\n");
}

/* ---- the front matter ---- */

/* Appends an item of a YAML list. A JSON string is also a YAML string, so it needs no other
   escapes. */
static void taco__metadata_datacard_item(taco__metadata_writer *a, const taco__json *n)
{
    taco__metadata_datacard_puts(a, "  - ");
    taco__metadata_datacard_json(a, n);
    taco__metadata_datacard_puts(a, "\n");
}

/* Appends a YAML list; nothing if the collection has none. */
static void taco__metadata_datacard_list(taco__metadata_writer *a, const char *title,
                                         const char *key)
{
    const taco__json *list = taco__json_get(a->root, key);
    if (taco__json_length(list)) { taco__metadata_datacard_puts(a, title); }
    taco__metadata_each(a, list, taco__metadata_datacard_item);
}

/* Appends the members that Hugging Face reads from the head of a README: license, language, tags
   and pretty_name. */
static void taco__metadata_datacard_front_matter(taco__metadata_writer *a)
{
    taco__json_writer *w = &a->json;
    taco__metadata_datacard_puts(a, "---\n");
    taco__metadata_datacard_list(a, "license:\n", "licenses");
    taco__metadata_datacard_puts(a, "language:\n- en\n");
    taco__metadata_datacard_list(a, "tags:\n", "keywords");
    taco__metadata_datacard_puts(a, "pretty_name: ");
    w->ok = w->ok && taco__json_write_name(w->out, taco__metadata_title(a), w->err);
    taco__metadata_datacard_puts(a, "\n---\n");
}

/* Appends title, description, and how to read the file. */
static void taco__metadata_datacard_snippets(taco__metadata_writer *a)
{
    const char *file = taco__metadata_base_name(a->path);
    taco__metadata_datacard_puts(a, "# ");
    taco__metadata_datacard_bytes(a, taco__metadata_title(a));
    taco__metadata_datacard_puts(a, "\n\n");
    taco__metadata_datacard_bytes(a, taco__metadata_member_text(a, "description"));
    taco__metadata_datacard_puts(a, "\n\n## TACO Snippet\n\n```python\nimport tacoreader\n"
                                    "dataset = tacoreader.load('");
    taco__metadata_datacard_puts(a, file);
    taco__metadata_datacard_puts(a, "')\n```\n\n```r\nlibrary(tacoreader)\n"
                                    "dataset <- tacoreader::load('");
    taco__metadata_datacard_puts(a, file);
    taco__metadata_datacard_puts(a, "')\n```\n\n");
}

/* ---- tables ---- */

/* Appends text on one line, with bars escaped. */
static void taco__metadata_datacard_escape(taco__metadata_writer *a, taco_bytes text)
{
    size_t i;
    for (i = 0; i < text.len; i++) {
        char c = (char)text.data[i];
        bool line_end = c == '\n' || c == '\r';
        if (c == '|') { taco__metadata_datacard_puts(a, "\\"); }
        taco__metadata_datacard_bytes(a, line_end ? taco__bytes_text(" ") : taco__bytes_of(&c, 1));
    }
}

/* Appends a cell of a table; N/A if it is empty. */
static void taco__metadata_datacard_cell(taco__metadata_writer *a, const taco__json *n)
{
    taco__metadata_datacard_puts(a, "|");
    if (taco__rules_is_null(n)) {
        taco__metadata_datacard_puts(a, "N/A");
    } else if (taco__json_is(n, TACO__JSON_STRING)) {
        taco__metadata_datacard_escape(a, taco__json_bytes(n));
    } else {
        taco__metadata_datacard_json(a, n);
    }
}

/* A column of a table: a member of the rows' objects. */
typedef struct taco__metadata_column {
    const char *key, *head;
} taco__metadata_column;

/* Appends the first two lines of a table. */
static void taco__metadata_datacard_head(taco__metadata_writer *a, const taco__metadata_column *c,
                                         size_t n)
{
    size_t k;
    for (k = 0; k < n; k++) {
        taco__metadata_datacard_puts(a, "|**");
        taco__metadata_datacard_puts(a, c[k].head);
        taco__metadata_datacard_puts(a, "**");
    }
    taco__metadata_datacard_puts(a, "|\n|");
    for (k = 0; k < n; k++) {
        taco__metadata_datacard_puts(a, " :--- |");
    }
}

/* Appends a table with a row for each object of the list; nothing if it is empty. */
static void taco__metadata_datacard_table(taco__metadata_writer *a, const char *title,
                                          const taco__json *list, const taco__metadata_column *c,
                                          size_t n)
{
    const taco__json *row;
    size_t i, k, count = taco__json_length(list);
    if (!count) { return; }
    taco__metadata_datacard_puts(a, title);
    taco__metadata_datacard_head(a, c, n);
    for (i = 0, row = taco__json_first(list); i < count; i++, row = taco__json_next(row)) {
        taco__metadata_datacard_puts(a, "\n");
        for (k = 0; k < n; k++) {
            const taco__json *v = taco__json_get(row, c[k].key);
            if (!v && strcmp(c[k].key, "role") == 0) {
                v = taco__json_at(taco__json_get(row, "roles"), 0);
            } else if (!v && strcmp(c[k].key, "organization") == 0) {
                v = taco__json_get(row, "affiliation");
            }
            taco__metadata_datacard_cell(a, v);
        }
        taco__metadata_datacard_puts(a, "|");
    }
    taco__metadata_datacard_puts(a, "\n\n");
}

/* Appends providers or curators. */
static void taco__metadata_datacard_people(taco__metadata_writer *a, const char *title,
                                           const taco__json *list)
{
    static const taco__metadata_column columns[] = {
        {"name", "Name"}, {"organization", "Organization"}, {"role", "Role"}};
    taco__metadata_datacard_table(a, title, list, columns, 3);
}

/* Appends publications about the dataset, with a BibTeX citation if the collection has one. */
static void taco__metadata_datacard_publications(taco__metadata_writer *a)
{
    static const taco__metadata_column columns[] = {
        {"doi", "DOI"}, {"summary", "Summary"}, {"citation", "BibTeX Citation"}};
    taco__metadata_datacard_table(a, "## Scientific Publications\n\n",
                                  taco__metadata_publications(a), columns, 3);
}

/* Appends classes: labels.label_classes in TACO 0.x, labels:classes in the extension of TACO 2. */
static void taco__metadata_datacard_labels(taco__metadata_writer *a)
{
    static const taco__metadata_column columns[] = {
        {"name", "Name"}, {"category", "Category"}, {"description", "Description"}};
    const taco__json *labels = taco__metadata_member(a, "labels");
    taco__metadata_datacard_table(a, "## Labels\n\n",
                                  labels ? taco__json_get(labels, "label_classes")
                                         : taco__json_get(a->root, "labels:classes"),
                                  columns, 3);
}

/* Appends bands, with the members that optical_data.bands and optical:bands share. */
static void taco__metadata_datacard_bands(taco__metadata_writer *a)
{
    static const taco__metadata_column columns[] = {{"name", "Name"},
                                                    {"common_name", "Common Name"},
                                                    {"description", "Description"},
                                                    {"center_wavelength", "Center Wavelength"},
                                                    {"full_width_half_max", "Full Width Half Max"},
                                                    {"index", "Index"}};
    taco__metadata_datacard_table(a, "## Optical Bands\n\n", taco__metadata_bands(a), columns, 6);
}

/* ---- the tree and its columns ---- */

/* Appends the line of a pattern of a level: types of its children, and their number. */
static void taco__metadata_datacard_pattern(taco__metadata_writer *a, taco_bytes level,
                                            const taco__json *pattern)
{
    const taco__json *types = taco__json_get(pattern, "type"), *type = taco__json_first(types);
    size_t i, n = taco__json_length(types);
    taco__metadata_datacard_puts(a, "\n- Level ");
    taco__metadata_datacard_bytes(a, level);
    taco__metadata_datacard_puts(a, ": ");
    for (i = 0; i < n; i++, type = taco__json_next(type)) {
        taco__metadata_datacard_puts(a, i ? ", " : "");
        taco__metadata_datacard_bytes(a, taco__json_bytes(type));
    }
    taco__metadata_datacard_puts(a, ", samples: ");
    taco__metadata_datacard_json(a, taco__json_get(pattern, "n"));
}

/* Appends the tree of taco:pit_schema, a line for each pattern. */
static void taco__metadata_datacard_tree(taco__metadata_writer *a)
{
    const taco__json *pit = taco__json_get(a->root, "taco:pit_schema"), *level;
    const taco__json *root = taco__json_get(pit, "root");
    const taco__json *levels = taco__json_get(pit, "hierarchy");
    size_t i, k, n = taco__json_is(levels, TACO__JSON_OBJECT) ? levels->count : 0;
    if (!taco__json_is(pit, TACO__JSON_OBJECT)) { return; }
    taco__metadata_datacard_puts(a, "## Structure\n\n- Level 0: ");
    taco__metadata_datacard_bytes(a, taco__metadata_text_of(root, "type"));
    taco__metadata_datacard_puts(a, ", samples: ");
    taco__metadata_datacard_json(a, taco__json_get(root, "n"));
    for (i = 0, level = n ? taco__json_first(levels) : NULL; i < n;
         i++, level = taco__json_next(level + 1)) {
        const taco__json *pattern = taco__json_first(level + 1);
        size_t count = taco__json_length(level + 1);
        for (k = 0; k < count; k++, pattern = taco__json_next(pattern)) {
            taco__metadata_datacard_pattern(a, taco__json_bytes(level), pattern);
        }
    }
    taco__metadata_datacard_puts(a, "\n\n");
}

/* Appends the line of a column: name, type and description. */
static void taco__metadata_datacard_field(taco__metadata_writer *a, const taco__json *field)
{
    size_t i;
    taco__metadata_datacard_puts(a, "\n");
    for (i = 0; i < 3; i++) {
        taco__metadata_datacard_cell(a, taco__json_at(field, i));
    }
    taco__metadata_datacard_puts(a, "|");
}

/* Appends the columns of every level from taco:field_schema. */
static void taco__metadata_datacard_fields(taco__metadata_writer *a)
{
    const taco__json *schema = taco__json_get(a->root, "taco:field_schema"), *level;
    size_t i, n = taco__json_is(schema, TACO__JSON_OBJECT) ? schema->count : 0;
    for (i = 0, level = n ? taco__json_first(schema) : NULL; i < n;
         i++, level = taco__json_next(level + 1)) {
        taco__metadata_datacard_puts(a, i ? "### " : "## Metadata Fields\n\n### ");
        taco__metadata_datacard_bytes(a, taco__json_bytes(level));
        taco__metadata_datacard_puts(
            a, "\n\n|**Field**|**Type**|**Description**|\n| :--- | :--- | :--- |");
        taco__metadata_each(a, level + 1, taco__metadata_datacard_field);
        taco__metadata_datacard_puts(a, "\n\n");
    }
}

/* ---- the card ---- */

/* The address of a link of the collection. */
static taco_bytes taco__metadata_datacard_href(const taco__metadata_writer *a, const char *key)
{
    return taco__metadata_text_of(taco__metadata_member(a, key), "href");
}

/* Appends a task to those before it, which the writer counts. */
static void taco__metadata_datacard_task(taco__metadata_writer *a, const taco__json *task)
{
    taco__metadata_datacard_puts(a, a->items++ ? ", " : "## Task\n\nThe task of the dataset: **");
    taco__metadata_datacard_bytes(a, taco__json_bytes(task));
}

/* Appends all tasks on one line. */
static void taco__metadata_datacard_tasks(taco__metadata_writer *a)
{
    a->items = 0;
    taco__metadata_each_task(a, taco__metadata_datacard_task);
    if (a->items) { taco__metadata_datacard_puts(a, "**\n\n"); }
}

/* Appends sections of one line. Version is only a section if there is a tree. */
static void taco__metadata_datacard_facts(taco__metadata_writer *a)
{
    const taco__json *optical = taco__metadata_member(a, "optical_data");
    const taco__json *split = taco__metadata_member(a, "split_strategy");
    if (taco__json_get(a->root, "taco:pit_schema")) {
        taco__metadata_datacard_section(a, "## Version\n\nThe version of the dataset: **",
                                        taco__metadata_member_text(a, "dataset_version"));
    }
    taco__metadata_datacard_tree(a);
    taco__metadata_datacard_section(a, "## Sensor Information\n\nThe sensor of the dataset: **",
                                    optical ? taco__metadata_text_of(optical, "sensor")
                                            : taco__metadata_member_text(a, "optical:sensor"));
    taco__metadata_datacard_tasks(a);
    taco__metadata_datacard_section(a, "## Original Data Repository\n\nWhere the raw data is: **",
                                    taco__metadata_datacard_href(a, "raw_link"));
    taco__metadata_datacard_section(a, "## Discussion\n\nWhere the dataset is discussed: **",
                                    taco__metadata_datacard_href(a, "discuss_link"));
    taco__metadata_datacard_section(a, "## Split Strategy\n\nHow the dataset is divided: **",
                                    split ? taco__json_bytes(split)
                                          : taco__metadata_member_text(a, "split:strategy"));
}

TACO__FN void taco__metadata_datacard(taco__metadata_writer *a)
{
    taco__metadata_datacard_front_matter(a);
    taco__metadata_datacard_snippets(a);
    taco__metadata_datacard_facts(a);
    taco__metadata_datacard_publications(a);
    taco__metadata_datacard_people(a, "## Data Providers\n\n",
                                   taco__json_get(a->root, "providers"));
    taco__metadata_datacard_people(a, "## Curators\n\n", taco__metadata_curators(a));
    taco__metadata_datacard_labels(a);
    taco__metadata_datacard_bands(a);
    taco__metadata_datacard_fields(a);
}
/* ==== src/legacy/metadata_croissant.c ==== */
/* metadata_croissant.c - a collection as Croissant 1.0, which dataset search engines read

   In: a collection, the dataset's file, and perhaps a Parquet table of its samples; out: one
   JSON-LD object: schema.org's Dataset, with the files as FileObjects, whose SHA-256 is
   computed here, and the columns of the table as the fields of one RecordSet. Spec: Croissant
   1.0. Start reading at taco__metadata_croissant. */
/* #include "legacy.h" */
/* #include "../base/base.h" */
/* #include "../base/json.h" */
/* #include "../base/sha256.h" */
/* #include "../parquet/parquet.h" */

/* ---- files ---- */

/* Adds all bytes of a source; piece has room for `room` of them. */
static bool taco__metadata_croissant_read(taco__sha256 *s, const taco_source *src, uint8_t *piece,
                                          size_t room, const char *path, taco_error *err)
{
    taco_bytes name = taco__bytes_text(path);
    uint64_t at;
    for (at = 0; at < src->size; at += room) {
        size_t n = (size_t)TACO__MIN((uint64_t)room, src->size - at);
        if (!src->read(src->ctx, at, piece, n)) {
            TACO__FAIL(err, TACO_ERR_IO, at, "reading %q failed", &name);
            return false;
        }
        taco__sha256_update(s, piece, n);
    }
    return true;
}

/* Hashes a whole file, in pieces: 64 digits and a zero byte; *size is its length. */
static bool taco__metadata_croissant_digest(const char *path, const taco_options *o, taco__mem *mem,
                                            char hex[65], uint64_t *size, taco_error *err)
{
    const size_t room = 1 << 18;
    taco_source src;
    taco__sha256 s;
    uint8_t *piece;
    bool ok;
    if (!taco__source_open_path(o, path, &src, err)) { return false; }
    piece = (uint8_t *)taco__mem_alloc(mem, room, err);
    taco__sha256_init(&s);
    ok = piece && taco__metadata_croissant_read(&s, &src, piece, room, path, err);
    *size = src.size;
    taco__sha256_finish(&s, hex);
    taco__mem_free(mem, piece, room);
    if (src.close) { src.close(src.ctx); }
    return ok;
}

/* Writes a FileObject; its name is also its @id. */
static void taco__metadata_croissant_file(taco__metadata_writer *a, const char *path,
                                          const char *type)
{
    const char *name = taco__metadata_base_name(path);
    char hex[65], size[40];
    uint64_t n;
    size_t k;
    if (!a->json.ok || !taco__metadata_croissant_digest(path, &a->ds->options, &a->ds->mem, hex, &n,
                                                        a->json.err)) {
        a->json.ok = false;
        return;
    }
    k = taco__num_format_u64(size, n);
    memcpy(size + k, " B", 3);
    taco__metadata_begin(a, NULL, '{');
    taco__metadata_string(a, "@type", "cr:FileObject");
    taco__metadata_string(a, "@id", name);
    taco__metadata_string(a, "name", name);
    taco__metadata_string(a, "contentUrl", name);
    taco__metadata_string(a, "encodingFormat", type);
    taco__metadata_string(a, "sha256", hex);
    taco__metadata_string(a, "contentSize", size);
    taco__metadata_end(a, '}');
}

/* Writes distribution: the dataset if it is one file, since a FOLDER has no digest, and the
   table. */
static void taco__metadata_croissant_files(taco__metadata_writer *a)
{
    taco__metadata_begin(a, "distribution", '[');
    if (a->ds->stores[0].file_open) {
        taco__metadata_croissant_file(a, a->path, taco__metadata_media_type(a));
    }
    if (a->opt.table) { taco__metadata_croissant_file(a, a->opt.table, "application/x-parquet"); }
    taco__metadata_end(a, ']');
}

/* ---- fields ---- */

/* The data type of a column; NULL if Croissant has none for it. */
static const char *taco__metadata_croissant_data_type(const taco_field *f)
{
    return f->type == TACO_BOOL               ? "sc:Boolean"
           : taco__concat_is_integer(f->type) ? "sc:Integer"
           : taco__concat_is_float(f->type)   ? "sc:Float"
           : f->type == TACO_TEXT             ? "sc:Text"
                                              : NULL;
}

/* Writes samples/name as an @id without colons, which would end a prefix of the context. */
static void taco__metadata_croissant_id(taco__metadata_writer *a, const char *name)
{
    char *text = taco__arena_text(a->arena, taco__bytes_text(name), a->json.err), *p;
    if (!text) {
        a->json.ok = false;
        return;
    }
    for (p = text; *p; p++) {
        *p = *p == ':' ? '_' : *p;
    }
    taco__metadata_joined(a, "@id", taco__bytes_text("samples/"), taco__bytes_text(text),
                          taco__bytes_of(NULL, 0));
}

/* Writes where the values of a field are: in a column of the table. */
static void taco__metadata_croissant_source(taco__metadata_writer *a, const char *column)
{
    taco__metadata_begin(a, "source", '{');
    taco__metadata_begin(a, "fileObject", '{');
    taco__metadata_string(a, "@id", taco__metadata_base_name(a->opt.table));
    taco__metadata_end(a, '}');
    taco__metadata_begin(a, "extract", '{');
    taco__metadata_string(a, "column", column);
    taco__metadata_end(a, '}');
    taco__metadata_end(a, '}');
}

/* Writes a column; nothing if Croissant has no type for it. Lists are repeated fields. */
static void taco__metadata_croissant_field(taco__metadata_writer *a, const taco_field *f)
{
    bool list = f->type == TACO_LIST;
    const char *type = taco__metadata_croissant_data_type(list ? f->children : f);
    if (!type) { return; }
    taco__metadata_begin(a, NULL, '{');
    taco__metadata_string(a, "@type", "cr:Field");
    taco__metadata_croissant_id(a, f->name);
    taco__metadata_string(a, "name", f->name);
    taco__metadata_string(a, "dataType", type);
    if (list) { taco__json_write_bool(&a->json, "repeated", true); }
    taco__metadata_croissant_source(a, f->name);
    taco__metadata_end(a, '}');
}

/* Writes the column that identifies a sample; nothing if there is none. */
static void taco__metadata_croissant_key(taco__metadata_writer *a, const taco_field *f, size_t n)
{
    size_t i;
    for (i = 0; i < n; i++) {
        if (strcmp(f[i].name, "id") == 0 || strcmp(f[i].name, "tortilla:id") == 0) {
            taco__metadata_begin(a, "key", '{');
            taco__metadata_croissant_id(a, f[i].name);
            taco__metadata_end(a, '}');
            return;
        }
    }
}

/* Writes the RecordSet of n columns. */
static void taco__metadata_croissant_records(taco__metadata_writer *a, const taco_field *f,
                                             size_t n)
{
    size_t i;
    taco__metadata_begin(a, "recordSet", '[');
    taco__metadata_begin(a, NULL, '{');
    taco__metadata_string(a, "@type", "cr:RecordSet");
    taco__metadata_string(a, "@id", "samples");
    taco__metadata_string(a, "name", "samples");
    taco__metadata_croissant_key(a, f, n);
    taco__metadata_begin(a, "field", '[');
    for (i = 0; i < n; i++) {
        taco__metadata_croissant_field(a, &f[i]);
    }
    taco__metadata_end(a, ']');
    taco__metadata_end(a, '}');
    taco__metadata_end(a, ']');
}

/* Writes the RecordSet of the table; nothing if none was requested. */
static void taco__metadata_croissant_table(taco__metadata_writer *a)
{
    taco_pq_file *file = NULL;
    taco_source src;
    const taco_field *f;
    size_t n;
    if (!a->opt.table || !a->json.ok) { return; }
    if (taco__source_open_path(&a->ds->options, a->opt.table, &src, a->json.err)) {
        file = taco_pq_open_source(&src, a->opt.table, &a->ds->options, a->json.err);
    }
    a->json.ok = file != NULL;
    if (!file) { return; }
    f = taco_pq_fields(file, &n);
    taco__metadata_croissant_records(a, f, n);
    taco_pq_close(file);
}

/* ---- the document ---- */

/* Writes a person if both a name and an organization are known; else an organization. */
static void taco__metadata_croissant_creator(taco__metadata_writer *a, const taco__json *who)
{
    bool person = taco__metadata_text_of(who, "name").len && taco__metadata_person_house(who).len;
    taco__metadata_begin(a, NULL, '{');
    taco__metadata_string(a, "@type", person ? "sc:Person" : "sc:Organization");
    taco__metadata_text(a, "name", taco__metadata_person_name(who));
    taco__metadata_text(a, "url", taco__metadata_person_url(who));
    taco__metadata_text(a, "email", taco__metadata_text_of(who, "email"));
    taco__metadata_end(a, '}');
}

/* Writes a licence as the address of its page, which schema.org prefers to a name. */
static void taco__metadata_croissant_license(taco__metadata_writer *a, const taco__json *id)
{
    taco__metadata_license(a, NULL, taco__json_bytes(id));
}

/* Writes the vocabulary of the document; the same in every document. */
static void taco__metadata_croissant_context(taco__metadata_writer *a)
{
    static const char context[] =
        "{\"@language\":\"en\",\"@vocab\":\"https://schema.org/\",\"citeAs\":\"cr:citeAs\","
        "\"column\":\"cr:column\",\"conformsTo\":\"dct:conformsTo\","
        "\"cr\":\"http://mlcommons.org/croissant/\","
        "\"rai\":\"http://mlcommons.org/croissant/RAI/\","
        "\"data\":{\"@id\":\"cr:data\",\"@type\":\"@json\"},"
        "\"dataType\":{\"@id\":\"cr:dataType\",\"@type\":\"@vocab\"},"
        "\"dct\":\"http://purl.org/dc/terms/\","
        "\"examples\":{\"@id\":\"cr:examples\",\"@type\":\"@json\"},"
        "\"extract\":\"cr:extract\",\"field\":\"cr:field\",\"fileProperty\":\"cr:fileProperty\","
        "\"fileObject\":\"cr:fileObject\",\"fileSet\":\"cr:fileSet\",\"format\":\"cr:format\","
        "\"includes\":\"cr:includes\",\"isLiveDataset\":\"cr:isLiveDataset\","
        "\"jsonPath\":\"cr:jsonPath\",\"key\":\"cr:key\",\"md5\":\"cr:md5\","
        "\"parentField\":\"cr:parentField\",\"path\":\"cr:path\",\"recordSet\":\"cr:recordSet\","
        "\"references\":\"cr:references\",\"regex\":\"cr:regex\",\"repeated\":\"cr:repeated\","
        "\"replace\":\"cr:replace\",\"sc\":\"https://schema.org/\","
        "\"separator\":\"cr:separator\",\"source\":\"cr:source\",\"subField\":\"cr:subField\","
        "\"transform\":\"cr:transform\"}";
    taco__json_write_raw(&a->json, "@context", taco__bytes_text(context));
}

/* Writes who made and prepared the dataset, its source, and how to cite it. Tasks are keywords:
   neither schema.org nor Croissant has a term for them. */
static void taco__metadata_croissant_origin(taco__metadata_writer *a)
{
    const taco__json *science = taco__metadata_member(a, "scientific");
    taco__metadata_text(a, "url",
                        taco__metadata_text_of(taco__metadata_member(a, "raw_link"), "href"));
    taco__metadata_begin(a, "creator", '[');
    taco__metadata_each(a, taco__json_get(a->root, "providers"), taco__metadata_croissant_creator);
    taco__metadata_end(a, ']');
    if (taco__json_length(taco__metadata_curators(a))) {
        taco__metadata_begin(a, "contributor", '[');
        taco__metadata_each(a, taco__metadata_curators(a), taco__metadata_croissant_creator);
        taco__metadata_end(a, ']');
    }
    taco__metadata_text(a, "alternateName", taco__metadata_member_text(a, "title"));
    taco__metadata_begin(a, "keywords", '[');
    taco__metadata_each(a, taco__json_get(a->root, "keywords"), taco__metadata_item);
    taco__metadata_each_task(a, taco__metadata_item);
    taco__metadata_end(a, ']');
    taco__metadata_string(a, "datePublished", a->opt.year);
    taco__metadata_text(a, "citeAs", taco__metadata_text_of(science, "citation"));
}

TACO__FN void taco__metadata_croissant(taco__metadata_writer *a)
{
    taco__metadata_begin(a, NULL, '{');
    taco__metadata_croissant_context(a);
    taco__metadata_string(a, "@type", "sc:Dataset");
    taco__metadata_string(a, "conformsTo", "http://mlcommons.org/croissant/1.0");
    taco__metadata_text(a, "name", taco__metadata_member_text(a, "id"));
    taco__metadata_text(a, "description", taco__metadata_member_text(a, "description"));
    taco__metadata_text(a, "version", taco__metadata_member_text(a, "dataset_version"));
    taco__metadata_begin(a, "license", '[');
    taco__metadata_each(a, taco__json_get(a->root, "licenses"), taco__metadata_croissant_license);
    taco__metadata_end(a, ']');
    taco__metadata_croissant_origin(a);
    taco__metadata_croissant_files(a);
    taco__metadata_croissant_table(a);
    taco__metadata_end(a, '}');
}
#endif /* TACO_IMPLEMENTATION */
