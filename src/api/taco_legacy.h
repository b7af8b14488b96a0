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
