/* taco_legacy.h - Tortilla 0.5 and TACO 0.2: read, write, convert.

   Optional, beside taco.h and taco_parquet.h. In the one source file that holds the implementation:

       #define TACO_IMPLEMENTATION
       #include "taco_legacy.h"          (includes the other headers it needs)

   C99 or C++11; nothing but libc. What taco.h says of errors, ownership, limits and threads holds
   here.

   Old files open as any dataset where taco_options.openers names taco_legacy_opener():

       const taco_opener *openers[] = {taco_legacy_opener(), NULL};
       taco_options       opt = {0};
       opt.openers = openers;
       ds = taco_open("old.tortilla", &opt, &err);

   READS: Tortilla 0.0.1 to 0.5.1 and TACO 0.x, with headers of 50 and 200 bytes; several parts as
   one; tortillas in tortillas, six levels of them as tables and any number by their keys; the chain
   of footers of TACO 0.2.0; the JSON footers of 2024-09. Level 0 is read when a file is opened,
   deeper levels when they are first asked for: a header and a footer for every nested tortilla,
   from a vectored source in two rounds.

   WRITES: the last version that has a reader (200-byte header, Parquet footer), byte for byte the
   same where a tortilla becomes a TACO and back. stac:centroid is computed of stac:crs,
   stac:geotransform and stac:raster_shape where it is not given.

   MADE from src/ by `make headers`: edit src/, not this file. src/where.sh taco_legacy.h:LINE
   prints where a line comes from. */
#ifndef TACO_LEGACY_H
#define TACO_LEGACY_H

#include "taco_write.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Tortilla and TACO 0.x, for taco_options.openers: by content, at any nesting, several parts as one
   dataset (their rows by tortilla:id, as the last reader had them; those of files of before 0.3 in
   the order of the files). Columns keep their names; internal:subfile is the path, and id, type and
   internal:* are added as TACO 2 has them. Filters by bbox and time know WKT points and seconds.
   Where not all parts of a set are opened, and where a collection's taco_version is no version,
   taco_options.warn is told. Lives for ever. */
TACO_API const taco_opener *taco_legacy_opener(void);

/* ---- writing the old formats, for those who must still deliver them
   ---------------------------------- */

/* {0} = defaults, in brackets */
typedef struct taco_tortilla_options {
    const taco_options *options;
    const char *collection; /* a JSON object, NUL-terminated: makes a TACO [a tortilla] */
    /* payload bytes after which another part begins [20 GB, as the last writer had it] */
    uint64_t part_bytes;
    bool chain; /* with the streaming chain of footers of TACO 0.2.0; in one part */
    /* the chain, and at its end the tiles of the TIFFs among the deepest samples, "id::k", in the
       TIFFs' order */
    bool chunks;
    /* tortilla:file_format may be a name that is no driver of GDAL's, and with chunks TIFFs need
       not be TOGs (taco_tog_check) */
    bool any_format;
    taco_lonlat_fn lonlat; /* stac:centroid in CRSs that taco_lonlat does not know; may be NULL */
    void *lonlat_ctx;
} taco_tortilla_options;

/* Writes samples as a .tortilla or .taco of the last version that was read (200-byte header,
   Parquet footer); as name.0000.part.tortilla and on where they are more than part_bytes.
   samples are columns under their names, of which tortilla:id and tortilla:file_format (a GDAL
   driver, BYTES, TORTILLA) must be there; offset and length are made, and stac:centroid where
   it is null and can be computed. payload hands out the bytes of a row, twice: the source is
   closed by us. ARGUMENT where rows or the collection break a rule of the documents that
   taco_validate calls an error (ids that are not unique, a format that is no driver of GDAL,
   times that end before they start, a collection without its core fields, ...); what it warns
   of goes to taco_options.warn. Files appear when complete.

       path     of the file to be made; replaced when it is there
       samples  the rows, borrowed during the call
       payload  fills *out with the bytes of row `row`; false is an IO error. Not NULL
       ctx      for payload
       opt      collection, parts, chain; NULL: defaults */
TACO_API taco_status taco_tortilla_create(const char *path, const taco_batch *samples,
                                          bool (*payload)(void *ctx, size_t row, taco_source *out),
                                          void *ctx, const taco_tortilla_options *opt,
                                          taco_error *err);
/* Writes the rows of a query on old files as a tortilla of their own, in the order of their
   offsets; q->select and q->flat are not for this. The collection is lost, as with the old
   compile().

       ds    opened from old files
       q     which rows; NULL: all
       path  of the file to be made; replaced when it is there */
TACO_API taco_status taco_tortilla_compile(taco_dataset *ds, const taco_query *q, const char *path,
                                           taco_error *err);
/* These make `out` of the file `in`; both may be the same name: it is replaced when the new file is
   complete. A tortilla with a collection becomes a TACO, and back, to the same bytes; a TACO gets
   another collection (a JSON object with the core fields of TACO 0.2.0); a file gets another
   footer, whose rows keep their tortilla:offset and tortilla:length while columns named internal:*
   and geometry are dropped.

       in          path of the tortilla
       out         path of the TACO; may be the same
       collection  a JSON object, NUL-terminated
       opt         options; NULL: defaults */
TACO_API taco_status taco_tortilla_to_taco(const char *in, const char *out, const char *collection,
                                           const taco_options *opt, taco_error *err);
/* Drops the collection, see taco_tortilla_to_taco.

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
       rows  of the footer, with tortilla:offset and tortilla:length as they were; borrowed
       opt   options; NULL: defaults */
TACO_API taco_status taco_tortilla_edit_footer(const char *in, const char *out,
                                               const taco_batch *rows, const taco_options *opt,
                                               taco_error *err);

/* ---- forward to TACO 2
   -------------------------------------------------------------------------------- */

/* {0} = defaults, in brackets */
typedef struct taco_convert_options {
    /* of the container that is made; any_tree: where samples have different trees (PIT-1), the
       tortillas from that level on stay FILEs, as they are */
    taco_create_options create;
    /* COLLECTION.json of TACO 2, NUL-terminated [made of the old one, which it then holds as
       legacy:collection] */
    const char *collection;
    bool pad; /* FOLDERs of a level get __TACOPAD__N rows up to the fullest of them */
    /* old files: the samples that are taken, as in taco_export [all] */
    const taco_query *query;
    /* Called for each thing that the other format has no place for. May be NULL. */
    void (*note)(void *ctx, const char *text);
    void *note_ctx;
} taco_convert_options;

/* Makes a TACO 2 container of n old files, which are opened as one. Nested tortillas become
   FOLDERs; stac:time_start and stac:time_end timestamps, stac:centroid WKB, stac:raster_shape
   stac:tensor_shape; other columns keep their names as far as TACO 2 has room for them. ARGUMENT
   where the samples have different trees (PIT-1) and opt does not allow it. opt may be NULL.

       in   n paths of old files; not kept
       n    how many, at least 1
       out  path of the container, as taco_create takes it
       opt  options; NULL: defaults */
TACO_API taco_status taco_convert_to_taco2(const char *const *in, size_t n, const char *out,
                                           const taco_convert_options *opt, taco_error *err);
/* Makes a .tortilla, or for a name that ends in .taco a TACO 0.x, of one TACO 2 archive or FOLDER:
   FOLDERs become nested tortillas, and what taco_convert_to_taco2 changed is changed back.
   opt->create is not used but for its options.

       in   path of an archive or FOLDER
       out  path of the file; replaced when it is there
       opt  its query and note, and the options in create; NULL: defaults */
TACO_API taco_status taco_convert_from_taco2(const char *in, const char *out,
                                             const taco_convert_options *opt, taco_error *err);

/* ---- collections in other words, old and new
   --------------------------------------------------------- */

typedef enum taco_collection_format {
    TACO_COLLECTION_STAC = 1, /* a Collection of STAC 1.1.0 */
    TACO_COLLECTION_DATACITE, /* JSON of DataCite 4.5 */
    TACO_COLLECTION_DATACARD, /* Markdown with a head of YAML: a README */
    TACO_COLLECTION_CROISSANT /* JSON-LD of Croissant 1.0 */
} taco_collection_format;

typedef struct taco_collection_export_options {
    const char *year; /* DATACITE, CROISSANT: of publication, which no collection says */
    /* CROISSANT: a Parquet file with the rows of level 0, such as taco_publish writes, whose
       columns become the fields of a record set: Croissant cannot read inside an archive. NULL =
       none. It and the dataset's own file are read whole, for their SHA-256. */
    const char *table;
} taco_collection_export_options;

/* The text has a zero byte behind it and lives until the next call of this or taco_info_json, or
   taco_close. {NULL, 0} on failure: ARGUMENT for a tortilla, which has no collection.

       ds    the dataset, which owns the text
       kind  in whose words
       opt   what the collection does not say; NULL: nothing */
TACO_API taco_bytes taco_collection_export(taco_dataset *ds, taco_collection_format kind,
                                           const taco_collection_export_options *opt,
                                           taco_error *err);

#ifdef __cplusplus
}
#endif
#endif /* TACO_LEGACY_H */
