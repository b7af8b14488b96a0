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
   same where a tortilla becomes a TACO and back. stac:centroid is not computed: that takes a
   library of projections.

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
   Lives for ever. */
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
} taco_tortilla_options;

/* Writes samples as a .tortilla or .taco of the last version that was read (200-byte header,
   Parquet footer); as name.0000.part.tortilla and on where they are more than part_bytes. samples
   are columns under their names, of which tortilla:id and tortilla:file_format (a GDAL driver,
   BYTES, TORTILLA) must be there; offset and length are made. payload hands out the bytes of a row,
   twice: the source is closed by us. ARGUMENT for ids that are not unique, another
   tortilla:data_split than train, validation, test, and times that end before they start. Files
   appear when complete. */
TACO_API taco_status taco_tortilla_create(const char *path, const taco_batch *samples,
                                          bool (*payload)(void *ctx, size_t row, taco_source *out),
                                          void *ctx, const taco_tortilla_options *opt,
                                          taco_error *err);
/* Writes the rows of a query on old files as a tortilla of their own, in the order of their
   offsets; q->select and q->flat are not for this. The collection is lost, as with the old
   compile(). */
TACO_API taco_status taco_tortilla_compile(taco_dataset *ds, const taco_query *q, const char *path,
                                           taco_error *err);
/* These make `out` of the file `in`; both may be the same name: it is replaced when the new file is
   complete. A tortilla with a collection becomes a TACO, and back, to the same bytes; a TACO gets
   another collection (a JSON object); a file gets another footer, whose rows keep their
   tortilla:offset and tortilla:length while columns named internal:* and geometry are dropped. */
TACO_API taco_status taco_tortilla_to_taco(const char *in, const char *out, const char *collection,
                                           const taco_options *opt, taco_error *err);
TACO_API taco_status taco_tortilla_from_taco(const char *in, const char *out,
                                             const taco_options *opt, taco_error *err);
TACO_API taco_status taco_tortilla_edit_collection(const char *in, const char *out,
                                                   const char *collection, const taco_options *opt,
                                                   taco_error *err);
TACO_API taco_status taco_tortilla_edit_footer(const char *in, const char *out,
                                               const taco_batch *rows, const taco_options *opt,
                                               taco_error *err);

/* ---- forward to TACO 2
   -------------------------------------------------------------------------------- */

/* {0} = defaults, in brackets */
typedef struct taco_convert_options {
    /* of the container that is made; any_tree: PIT-1 is not asked for */
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
   where the samples have different trees (PIT-1) and opt does not allow it. opt may be NULL. */
TACO_API taco_status taco_convert_to_taco2(const char *const *in, size_t n, const char *out,
                                           const taco_convert_options *opt, taco_error *err);
/* Makes a .tortilla, or for a name that ends in .taco a TACO 0.x, of one TACO 2 archive or FOLDER:
   FOLDERs become nested tortillas, and what taco_convert_to_taco2 changed is changed back.
   opt->create is not used but for its options. */
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
   taco_close. {NULL, 0} on failure: ARGUMENT for a tortilla, which has no collection. */
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

   legacy/legacy.h                      what the folder offers to the others.
   legacy/array_concat.c                arrays put together of pieces of others, columns of several tables made one..
   legacy/tortilla_read.c               headers, footers and nested tables of Tortilla and TACO 0.x.. Spec: Tortilla
   legacy/footer_chain_read.c           the streaming chain of footers of TACO 0.2.0.. Spec: TACO 0.2.0
   legacy/legacy_dataset.c              Tortilla and TACO 0.x as datasets: collection, levels, children, filters..
   legacy/legacy_table.c                Tortilla and TACO 0.x as datasets: collection, levels, children, filters.. Spec:
   legacy/tortilla_write.c              writers of the old containers.. Spec: Tortilla 0.5.0 "Format", TACO 0.2.0
   legacy/tortilla_create.c             writers of the old containers.. Spec: Tortilla 0.5.0 "Format", TACO 0.2.0
   legacy/footer_chain_write.c          writers of the old containers.. Spec: Tortilla 0.5.0 "Format", TACO
   legacy/tortilla_edit.c               writers of the old containers.. Spec: Tortilla 0.5.0 "Format", TACO 0.2.0
   legacy/convert.c                     old datasets as TACO 2, and back.. Spec: TACO 2.0.0 §5, §6
   legacy/to_taco2.c                    old datasets as TACO 2, and back.. Spec: TACO 2.0.0 §5, §6
   legacy/from_taco2.c                  TACO 2 as Tortilla and TACO 0.x.. Spec: Tortilla 0.5.0
   legacy/sha256.c                      SHA-256 of a source.. Spec: FIPS 180-4
   legacy/metadata_export.c             what a collection says, in the words of STAC, DataCite, data cards and
   legacy/metadata_stac.c               what a collection says, in the words of STAC, DataCite, data cards and
   legacy/metadata_datacite.c           what a collection says, in the words of STAC, DataCite, data cards and
   legacy/metadata_datacard.c           what a collection says, in the words of STAC, DataCite, data cards and
   legacy/metadata_croissant.c          what a collection says, in the words of STAC, DataCite, data cards and
*/

/* ==== src/legacy/legacy.h ==== */
/* legacy.h - what the folder offers to the others. */
#ifndef TACO__LEGACY_H
#define TACO__LEGACY_H

/* #include "../api/taco_legacy.h" */
/* #include "../base/base.h" */
/* #include "../base/sink.h" */
/* #include "../base/file_copy.h" */
/* #include "../base/json.h" */
/* #include "../parquet/parquet.h" */
/* #include "../dataset/dataset.h" */
/* #include "../write/write.h" */

/* Rows [first, first + n) of an array; NULL: n nulls. */
typedef struct taco__concat_slice {
    const taco_array *a;
    size_t first, n;
} taco__concat_slice;

#define TACO__TORTILLA_HEADER_BYTES 200 /* bytes of a header; the first writers' have 50 */

/* A header, with all ranges in the file, not in the tortilla. */
typedef struct taco__tortilla {
    uint64_t base; /* where it begins: 0, or where a nested one does */
    uint64_t body; /* where its payloads may begin */
    taco__range footer, collection;
    uint64_t parts; /* of the whole set */
    /* the one format of all its samples, in files of before 0.3; else NULL */
    const char *driver;
} taco__tortilla;

/* ---- footers
   -------------------------------------------------------------------------------------- */

/* The rows of a footer as they are stored, but for offsets, which are those in the file. */
typedef struct taco__tortilla_table {
    taco__table t;      /* arrays in an arena */
    taco_bytes pointer; /* of the chain; {NULL, 0} without one */
    uint64_t base;      /* of the tortilla */
    size_t id, offset, length;
    size_t format; /* the column that says which rows are tortillas, or TACO__NONE */
    bool all;      /* all of them are */
    uint32_t file; /* which of the files of a store */
    const char *driver;
} taco__tortilla_table;

#define TACO__CHAIN_MAX_OBJECTS 16 /* objects: n + 2 for a nesting of n */

/* The objects of a file: table k holds the rows of level k, and the chunks of TOGs last. */
typedef struct taco__chain {
    taco__tortilla_table tables[TACO__CHAIN_MAX_OBJECTS];
    taco__range ranges[TACO__CHAIN_MAX_OBJECTS + 1];
    int64_t *parents[TACO__CHAIN_MAX_OBJECTS]; /* of a row, in the table before; -1 for none */
    size_t count;
} taco__chain;

/* Level 0 is the footer. A sample whose format is TORTILLA is a FOLDER; the rows of all of them
   together are the next level, in the order of their parents, and null where one of them lacks a
   column. Of a chain, object k is level k. All is held in arrays: footers are small beside the
   payloads, and offsets inside a nested tortilla must be made those of the file. Deeper levels are
   read when they are first asked for. */

typedef struct taco__legacy_file {
    const char *path; /* as it was given */
    const char *vsi;  /* as GDAL calls it; local paths stay as they were given, too */
    taco__tortilla head;
    taco__chain *chain; /* NULL: none */
} taco__legacy_file;

/* Rows of a level, beside its table. */
typedef struct taco__legacy_level {
    bool built;
    taco_error why; /* it could not be */
    taco__table t;
    uint32_t *file;
    size_t *object_row; /* in its footer or object of the chain */
    uint8_t *folder;
    int64_t *offset, *size;
    const taco_array *path; /* keys from the top; of level 0 the ids */
} taco__legacy_level;

typedef struct taco__legacy {
    taco__legacy_file *files;
    size_t file_count;
    taco__legacy_level levels[TACO__MAX_LEVELS];
} taco__legacy;

/* Rows of a footer that go into a table. */
typedef struct taco__legacy_run {
    const taco__tortilla_table *t;
    size_t first, n;
    int64_t parent, row; /* of the first row: in the level above, and in its own */
} taco__legacy_run;

/* A table that is made of runs. */
typedef struct taco__legacy_table {
    taco__container *s;
    taco__legacy *own;
    taco__arena *arena;
    const taco__legacy_run *runs;
    size_t count, rows;
    taco_field *fields;
    taco_array *arrays;
    size_t n, stored;
    taco_error *err;
} taco__legacy_table;

typedef struct taco__legacy_sort_key {
    taco_bytes id;
    size_t file, row;
} taco__legacy_sort_key;

/* A footer says where payloads are and stands behind them, and a nested tortilla is a payload. So
   sizes come first, from the leaves up, then footers, and the bytes go out in one pass, without a
   patch. */

#define TACO__TORTILLA_PART_BYTES                                                                  \
    UINT64_C(20000000000) /* payload bytes of a part, as the last writer had them */

/* Samples that become one tortilla. */
typedef struct taco__tortilla_node {
    const taco_array *columns; /* of all rows, without offset and length */
    size_t column_count, rows;
    uint64_t *sizes;
    struct taco__tortilla_node **kids; /* of rows that are tortillas; NULL: none is */
    size_t tag;                        /* the caller's: its first row in the tables */
    uint32_t level;
    const size_t *rows_of; /* the caller's: rows of its tables */
    taco_bytes footer;
    uint64_t body; /* bytes between header and footer */
} taco__tortilla_node;

/* Fills *in with the bytes of a row; they are copied and closed before the next call. */
typedef bool (*taco__tortilla_payload_fn)(void *ctx, const taco__tortilla_node *node, size_t row,
                                          taco__input *in, taco_error *err);

typedef struct taco__tortilla_writer {
    taco__mem mem;
    taco__arena arena;
    taco_options options;
    taco__output out;
    taco__tortilla_payload_fn payload;
    void *ctx;
    bool closes;   /* the sources that payload hands out are ours to close */
    bool compiled; /* tortilla:length in front of tortilla:offset, as compile() had it */
    taco_error *err;
} taco__tortilla_writer;

typedef struct taco__tortilla_sort_key {
    int64_t offset;
    size_t row;
} taco__tortilla_sort_key;

typedef struct taco__conversion {
    taco_convert_options opt;
    taco_options options; /* the caller's, with our opener */
    const taco_opener *openers[2];
    taco__mem mem;
    taco__arena arena;
    taco_dataset *ds;
    taco__legacy *own;
    taco__tree tree;
    uint32_t levels;
    size_t *rows[TACO__MAX_LEVELS]; /* of the old table; SIZE_MAX for padding */
    taco_field *fields[TACO__MAX_LEVELS];
    taco_array *arrays[TACO__MAX_LEVELS];
    size_t counts[TACO__MAX_LEVELS], lengths[TACO__MAX_LEVELS];
    uint8_t *chosen; /* of level 0; NULL: all */
    bool renamed;    /* ids: the old ones stay, as tortilla:id */
    uint32_t at;     /* level that is being handed out */
    bool given;
    taco_error *err;
} taco__conversion;

/* The rows of a level with padding, read through the public calls. */
typedef struct taco__from_taco2_level {
    taco_batch rows;
    const taco_array *id, *type, *current, *parent;
    taco_array *columns; /* of the old footer */
    size_t count;
    /* the rows by the number of their parent in the level above */
    taco__tortilla_sort_key *byparent;
    const char **keys; /* for taco_payload */
} taco__from_taco2_level;

typedef struct taco__from_taco2 {
    taco__conversion f;
    taco__tortilla_writer w;
    taco__from_taco2_level levels[TACO__MAX_LEVELS];
    uint32_t depth;
} taco__from_taco2;

/* JSON and Markdown being written. A failure sticks. */
typedef struct taco__metadata_writer {
    taco__buf *b;
    const taco__json *root; /* of the collection */
    const char *path;       /* of the dataset */
    taco_dataset *ds;
    taco_collection_export_options opt;
    taco_error *err;
    bool ok;
} taco__metadata_writer;

/* ---- array_concat.c ---- */

TACO__FN bool taco__concat_is_float(taco_type t);
TACO__FN bool taco__concat_is_integer(taco_type t);
TACO__FN bool taco__concat_copy_field(taco__arena *arena, const taco_field *f, taco_field *out,
                                      taco_error *err);
TACO__FN bool taco__concat_unify_field(taco__arena *arena, taco_field *f, const taco_field *other,
                                       uint32_t depth, taco_error *err);
TACO__FN bool taco__concat_arrays(taco__arena *arena, const taco_field *f,
                                  const taco__concat_slice *p, size_t count, taco_array *out,
                                  taco_error *err);

/* ---- tortilla_read.c ---- */

TACO__FN bool taco__tortilla_read_header(taco__file *file, uint64_t base, taco__arena *arena,
                                         taco__tortilla *out, taco_error *err);
TACO__FN bool taco__tortilla_read_footer(taco__container *s, taco__file *file, taco__range range,
                                         uint64_t base, const char *driver, taco__arena *arena,
                                         taco__tortilla_table *out, taco_error *err);
TACO__FN bool taco__tortilla_is_nested(const taco__tortilla_table *t, size_t i);

/* ---- footer_chain_read.c ---- */

TACO__FN bool taco__chain_parse_pointer(taco_bytes text, bool *ends, taco__range *out,
                                        taco_error *err);
TACO__FN bool taco__chain_read(taco__container *s, taco__file *file,
                               const taco__tortilla_table *first, taco__range range,
                               taco__arena *arena, taco__chain *c, taco_error *err);

/* ---- legacy_dataset.c ---- */

TACO__FN taco__file *taco__legacy_find_file(taco__container *s, const taco__legacy *own, size_t k,
                                            taco_error *err);
TACO__FN bool taco__legacy_parse_point(taco_bytes wkt, double *x, double *y);
TACO__FN int taco__legacy_compare_sort_keys(const void *a, const void *b);

/* ---- legacy_table.c ---- */

TACO__FN bool taco__legacy_table_unify_columns(taco__legacy_table *m, taco__arena *scratch);
TACO__FN bool taco__legacy_table_copy_columns(taco__legacy_table *m, taco__arena *scratch);
TACO__FN bool taco__legacy_table_build(taco__container *s, taco__legacy *own, taco__arena *arena,
                                       const taco__legacy_run *runs, size_t count, bool top,
                                       const taco__legacy_level *above, taco__table *out,
                                       taco_error *err);

/* ---- tortilla_write.c ---- */

TACO__FN void taco__tortilla_write_init(taco__tortilla_writer *w, const taco_options *opt,
                                        taco_error *err);
TACO__FN bool taco__tortilla_write_encode_footer(taco__tortilla_writer *w,
                                                 const taco_array *columns, size_t n, size_t rows,
                                                 const char *pointer, taco_bytes *out);
TACO__FN bool taco__tortilla_write_make_columns(taco__tortilla_writer *w,
                                                const taco__tortilla_node *node,
                                                const int64_t *offsets, const int64_t *sizes,
                                                taco_array *out, size_t *n);
TACO__FN bool taco__tortilla_write_measure(taco__tortilla_writer *w, taco__tortilla_node *node);
TACO__FN bool taco__tortilla_write_header(taco__tortilla_writer *w, const char *magic, uint64_t fo,
                                          uint64_t fl, uint64_t parts, uint64_t co, uint64_t cl);
TACO__FN bool taco__tortilla_write_payload(taco__tortilla_writer *w, const taco__input *in);
TACO__FN bool taco__tortilla_write_body(taco__tortilla_writer *w, const taco__tortilla_node *node);
TACO__FN bool taco__tortilla_write_open(taco__tortilla_writer *w, const char *path);
TACO__FN bool taco__tortilla_write_file(taco__tortilla_writer *w, const char *path,
                                        const taco__tortilla_node *node, uint64_t parts,
                                        taco_bytes collection);
TACO__FN bool taco__tortilla_write_parts(taco__tortilla_writer *w, const char *path,
                                         taco__tortilla_node *node, uint64_t most,
                                         taco_bytes collection);
TACO__FN const taco_array *taco__tortilla_write_find_column(const taco_array *columns, size_t n,
                                                            const char *name);
TACO__FN bool taco__tortilla_write_check_node(taco__tortilla_writer *w,
                                              const taco__tortilla_node *node);
TACO__FN bool taco__tortilla_write_check_json(taco__tortilla_writer *w, const char *text,
                                              taco_bytes *out);
TACO__FN taco_status taco__tortilla_write_finish(taco__tortilla_writer *w, bool ok,
                                                 const char *path);

/* ---- tortilla_create.c ---- */

TACO__FN bool taco__tortilla_compile_read_rows(taco__tortilla_writer *w, taco_cursor *c,
                                               taco_batch *out);
TACO__FN int taco__tortilla_compile_compare(const void *a, const void *b);

/* ---- footer_chain_write.c ---- */

TACO__FN bool taco__chain_write_file(taco__tortilla_writer *w, const char *path,
                                     taco__tortilla_node *node, taco_bytes collection, bool chunks);

/* ---- convert.c ---- */

TACO__FN void taco__convert_note(taco__conversion *f, const char *text, const char *what);
TACO__FN void taco__convert_init(taco__conversion *f, const taco_convert_options *opt,
                                 taco_error *err);
TACO__FN void taco__convert_free(taco__conversion *f);
TACO__FN bool taco__convert_read_bbox(const taco__json *spatial, double box[4]);
TACO__FN bool taco__convert_collection_to_taco2(taco__conversion *f, const char *name,
                                                taco__json_doc *doc);
TACO__FN bool taco__convert_collection_from_taco2(taco__from_taco2 *b, taco__buf *out);

/* ---- sha256.c ---- */

TACO__FN bool taco__sha256_file(const char *path, const taco_options *o, taco__mem *mem,
                                char hex[65], uint64_t *size, taco_error *err);

/* ---- metadata_export.c ---- */

TACO__FN void taco__metadata_puts(taco__metadata_writer *a, const char *text);
TACO__FN void taco__metadata_bytes(taco__metadata_writer *a, taco_bytes text);
TACO__FN void taco__metadata_open(taco__metadata_writer *a, const char *key, const char *bracket);
TACO__FN void taco__metadata_close(taco__metadata_writer *a, const char *bracket);
TACO__FN void taco__metadata_text(taco__metadata_writer *a, const char *key, taco_bytes text);
TACO__FN void taco__metadata_string(taco__metadata_writer *a, const char *key, const char *text);
TACO__FN void taco__metadata_number(taco__metadata_writer *a, const char *key, double x);
TACO__FN void taco__metadata_value(taco__metadata_writer *a, const char *key, const taco__json *n);
TACO__FN taco_bytes taco__metadata_text_of(const taco__json *n, const char *key);
TACO__FN const taco__json *taco__metadata_member(const taco__metadata_writer *a, const char *key);
TACO__FN taco_bytes taco__metadata_member_text(const taco__metadata_writer *a, const char *key);
TACO__FN taco_bytes taco__metadata_first_text(const taco__json *n, const char *one,
                                              const char *list, const char *inner);
TACO__FN taco_bytes taco__metadata_person_name(const taco__json *who);
TACO__FN taco_bytes taco__metadata_person_url(const taco__json *who);
TACO__FN taco_bytes taco__metadata_title(const taco__metadata_writer *a);
TACO__FN bool taco__metadata_time_range(const taco__metadata_writer *a, taco_bytes out[2]);
TACO__FN bool taco__metadata_bbox(const taco__metadata_writer *a, double box[4]);
TACO__FN const taco__json *taco__metadata_publications(const taco__metadata_writer *a);
TACO__FN const char *taco__metadata_base_name(const char *path);
TACO__FN const char *taco__metadata_file_name(const taco__metadata_writer *a);
TACO__FN const char *taco__metadata_media_type(const taco__metadata_writer *a);
TACO__FN void taco__metadata_license(taco__metadata_writer *a, const char *key, taco_bytes id);
TACO__FN const taco__json *taco__metadata_list_bands(const taco__metadata_writer *a);

/* ---- metadata_stac.c ---- */

TACO__FN void taco__metadata_stac(taco__metadata_writer *a);

/* ---- metadata_datacite.c ---- */

TACO__FN void taco__metadata_datacite(taco__metadata_writer *a);

/* ---- metadata_datacard.c ---- */

TACO__FN void taco__metadata_datacard(taco__metadata_writer *a);

/* ---- metadata_croissant.c ---- */

TACO__FN void taco__metadata_croissant(taco__metadata_writer *a);

#endif /* TACO__LEGACY_H */
/* ==== src/legacy/array_concat.c ==== */
/* array_concat.c - arrays put together of pieces of others, columns of several tables made one..
   Spec: Arrow columnar format */
/* #include "legacy.h" */
/* #include "../base/base.h" */
/* #include "../arrow/arrow.h" */
/* #include "../dataset/dataset.h" */

TACO__FN bool taco__concat_is_float(taco_type t)
{
    return t == TACO_HALF || t == TACO_FLOAT || t == TACO_DOUBLE;
}

TACO__FN bool taco__concat_is_integer(taco_type t)
{
    return t >= TACO_INT8 && t <= TACO_UINT64;
}

/* The field of that name among the children of f, TACO__NONE when there is none. */
static size_t taco__concat_find_child(const taco_field *f, const char *name)
{
    return taco__cursor_column_find_field(f->children, f->child_count, name);
}

/* A copy of a field with all below it. */
TACO__FN bool taco__concat_copy_field(taco__arena *arena, const taco_field *f, taco_field *out,
                                      taco_error *err)
{
    taco_field *children =
        (taco_field *)taco__arena_array(arena, f->child_count, sizeof *children, err);
    uint32_t i;
    *out = *f;
    out->name = taco__arena_text(arena, taco__bytes_text(f->name), err);
    out->children = children;
    for (i = 0; out->name && children && i < f->child_count; i++) {
        if (!taco__concat_copy_field(arena, &f->children[i], &children[i], err)) { return false; }
    }
    return out->name && children;
}

/* The children of two fields: those of a STRUCT by name, in the order in which they are first
   met. */
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

/* Makes *f a field that also holds the values of other: whole numbers and fractions meet in DOUBLE,
   as in pandas, nulls in anything. TYPE when there is none. */
TACO__FN bool taco__concat_unify_field(taco__arena *arena, taco_field *f, const taco_field *other,
                                       uint32_t depth, taco_error *err)
{
    taco_type a = f->type, b = other->type;
    bool numbers = (taco__concat_is_integer(a) || taco__concat_is_float(a)) &&
                   (taco__concat_is_integer(b) || taco__concat_is_float(b));
    f->nullable = true;
    if (b == TACO_NULL || depth > TACO__DEFAULT_MAX_DEPTH) { return true; }
    if (a == TACO_NULL) {
        const char *name = f->name;
        *f = *other;
        f->name = name;
        f->nullable = true;
        return true;
    }
    if (numbers && a != b) {
        bool whole = taco__concat_is_integer(a) && taco__concat_is_integer(b) && a != TACO_UINT64 &&
                     b != TACO_UINT64;
        f->type = whole ? TACO_INT64 : TACO_DOUBLE;
        f->width = 8;
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

/* ---- values
   -------------------------------------------------------------------------------------- */

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
            if (p[i].a && taco_array_valid(p[i].a, p[i].first + k)) {
                taco__bitmap_set(bits, at);
            } else {
                out->null_count++;
            }
        }
    }
    out->validity = out->null_count ? bits : NULL;
    return bits != NULL;
}

/* The array that holds the values of row i of a, and where. */
TACO__INLINE const taco_array *taco__concat_resolve_value(const taco_array *a, size_t i, size_t *at)
{
    *at = a->dictionary ? (size_t)a->v.i32[i] : i;
    return a->dictionary ? a->dictionary : a;
}

static bool taco__concat_text(taco__arena *arena, const taco__concat_slice *p, size_t count,
                              taco_array *out, taco_error *err)
{
    int32_t *offsets = (int32_t *)taco__arena_array(arena, out->length + 1, sizeof *offsets, err);
    uint64_t total = 0;
    uint8_t *to;
    size_t i, k, at, row = 0;
    if (!offsets) { return false; }
    for (i = 0; i < count; i++) {
        for (k = 0; k < p[i].n; k++) {
            if (p[i].a && taco_array_valid(p[i].a, p[i].first + k)) {
                const taco_array *v = taco__concat_resolve_value(p[i].a, p[i].first + k, &at);
                total += (uint32_t)(v->offsets[at + 1] - v->offsets[at]);
            }
            if (total > INT32_MAX) {
                TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                           "more than %u bytes of text in a column", TACO__U(INT32_MAX));
                return false;
            }
            offsets[++row] = (int32_t)total;
        }
    }
    to = (uint8_t *)taco__arena_alloc(arena, (size_t)total + TACO__PAD, err);
    out->offsets = offsets;
    out->v.any = to;
    for (i = row = 0; to && i < count; i++) {
        for (k = 0; k < p[i].n; k++, row++) {
            size_t n = (size_t)(offsets[row + 1] - offsets[row]);
            if (n) {
                const taco_array *v = taco__concat_resolve_value(p[i].a, p[i].first + k, &at);
                memcpy(to + offsets[row], v->v.u8 + v->offsets[at], n);
            }
        }
    }
    return to != NULL;
}

/* Ticks of one unit in those of a finer one; beyond the reach of int64 they stay at its end. */
static int64_t taco__concat_scale_ticks(int64_t x, taco_unit from, taco_unit to)
{
    for (; from < to; from = (taco_unit)(from + 1)) {
        if (x > INT64_MAX / 1000 || x < INT64_MIN / 1000) { return x < 0 ? INT64_MIN : INT64_MAX; }
        x *= 1000;
    }
    return x;
}

/* Values of one width, converted where the fields differ. */
static void taco__concat_fixed(const taco_field *f, const taco__concat_slice *p, size_t count,
                               uint8_t *to)
{
    size_t width = (size_t)f->width, i, k, at;
    for (i = 0; i < count; to += p[i].n * width, i++) {
        const taco_array *a = p[i].a;
        bool same = a && a->field->type == f->type && a->field->width == f->width &&
                    (f->type != TACO_TIMESTAMP || a->field->unit == f->unit);
        if (!a || a->field->type == TACO_NULL) { continue; }
        if (same && !a->dictionary) {
            memcpy(to, a->v.u8 + p[i].first * width, p[i].n * width);
            continue;
        }
        for (k = 0; k < p[i].n; k++) {
            const taco_array *v;
            if (!taco_array_valid(a, p[i].first + k)) { continue; }
            v = taco__concat_resolve_value(a, p[i].first + k, &at);
            if (same) {
                memcpy(to + k * width, v->v.u8 + at * width, width);
            } else if (f->type == TACO_DOUBLE) {
                double d = taco_array_double(v, at);
                memcpy(to + k * 8, &d, 8);
            } else {
                int64_t x = taco_array_int(v, at);
                x = f->type == TACO_TIMESTAMP ? taco__concat_scale_ticks(x, a->field->unit, f->unit)
                                              : x;
                memcpy(to + k * 8, &x, 8);
            }
        }
    }
}

/* Children of lists and structs: pieces of the children. */
static bool taco__concat_children(taco__arena *arena, const taco_field *f,
                                  const taco__concat_slice *p, size_t count, taco_array *out,
                                  taco_error *err)
{
    bool lists = f->type != TACO_STRUCT;
    int32_t *offsets = NULL;
    taco__concat_slice *inner =
        (taco__concat_slice *)taco__arena_array(arena, count, sizeof *inner, err);
    taco_array *children =
        (taco_array *)taco__arena_array(arena, f->child_count, sizeof *children, err);
    uint64_t total = 0;
    size_t i, k, row = 0;
    uint32_t c;
    if (lists) {
        offsets = (int32_t *)taco__arena_array(arena, out->length + 1, sizeof *offsets, err);
    }
    if (!inner || !children || (lists && !offsets)) { return false; }
    for (i = 0; lists && i < count; i++) {
        const taco_array *a = p[i].a && p[i].a->field->type == f->type ? p[i].a : NULL;
        for (k = 0; k < p[i].n; k++) {
            total +=
                a ? (uint32_t)(a->offsets[p[i].first + k + 1] - a->offsets[p[i].first + k]) : 0;
            if (total > INT32_MAX) {
                TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                           "more than %u list elements in a column", TACO__U(INT32_MAX));
                return false;
            }
            offsets[++row] = (int32_t)total;
        }
    }
    out->offsets = offsets;
    out->children = children;
    for (c = 0; c < f->child_count; c++) {
        for (i = 0; i < count; i++) {
            const taco_array *a = p[i].a && p[i].a->field->type == f->type ? p[i].a : NULL;
            size_t at = !a      ? TACO__NONE
                        : lists ? (size_t)c
                                : taco__concat_find_child(a->field, f->children[c].name);
            inner[i].a = at == TACO__NONE ? NULL : &a->children[at];
            inner[i].first = lists && a ? (size_t)a->offsets[p[i].first] : p[i].first;
            inner[i].n = !lists ? p[i].n
                         : a    ? (size_t)(a->offsets[p[i].first + p[i].n] - a->offsets[p[i].first])
                                : 0;
        }
        if (!taco__concat_arrays(arena, &f->children[c], inner, count, &children[c], err)) {
            return false;
        }
    }
    return true;
}

/* *out = the pieces one after the other, as f, which taco__concat_unify_field made of their fields;
   all in the arena, nothing shared with them. */
TACO__FN bool taco__concat_arrays(taco__arena *arena, const taco_field *f,
                                  const taco__concat_slice *p, size_t count, taco_array *out,
                                  taco_error *err)
{
    uint8_t *to;
    size_t i, k, at, row = 0, bytes;
    memset(out, 0, sizeof *out);
    out->field = f;
    for (i = 0; i < count; i++) {
        out->length += p[i].n;
    }
    if (!taco__concat_validity(arena, f, p, count, out, err)) { return false; }
    if (f->type == TACO_NULL) { return true; }
    if (f->type == TACO_LIST || f->type == TACO_MAP || f->type == TACO_STRUCT) {
        return taco__concat_children(arena, f, p, count, out, err);
    }
    if (taco__array_is_var_length(f)) { return taco__concat_text(arena, p, count, out, err); }
    if (f->type != TACO_BOOL) {
        if (!taco__checked_mul_size(out->length, (size_t)f->width, &bytes) ||
            !taco__checked_add_size(bytes, TACO__PAD, &bytes)) {
            TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u rows",
                       TACO__U(out->length));
            return false;
        }
        to = (uint8_t *)taco__arena_alloc(arena, bytes, err);
        out->v.any = to;
        if (to) { taco__concat_fixed(f, p, count, to); }
        return to != NULL;
    }
    to = (uint8_t *)taco__arena_alloc(arena, TACO__BITMAP_BYTES(out->length) + 8, err);
    out->v.any = to;
    for (i = 0; to && i < count; i++) {
        for (k = 0; k < p[i].n; k++, row++) {
            if (p[i].a && taco_array_valid(p[i].a, p[i].first + k)) {
                const taco_array *v = taco__concat_resolve_value(p[i].a, p[i].first + k, &at);
                if (taco__bitmap_get(v->v.u8, at)) { taco__bitmap_set(to, row); }
            }
        }
    }
    return to != NULL;
}
/* ==== src/legacy/tortilla_read.c ==== */
/* tortilla_read.c - headers, footers and nested tables of Tortilla and TACO 0.x.. Spec: Tortilla
   0.5.0 "Format"; TACO 0.2.0 "Data format" */
/* #include "legacy.h" */
/* #include "../base/base.h" */
/* #include "../base/json.h" */
/* #include "../parquet/parquet.h" */
/* #include "../dataset/dataset.h" */

/* Text that is padded with blanks. */
static const char *taco__tortilla_read_driver(taco__arena *arena, const uint8_t *p, size_t n,
                                              taco_error *err)
{
    while (n && p[n - 1] == ' ') {
        n--;
    }
    return taco__arena_text(arena, taco__bytes_of(p, n), err);
}

static bool taco__tortilla_is_printable(const uint8_t *p, size_t n)
{
    size_t i;
    for (i = 0; i < n; i++) {
        if (p[i] < 0x20 || p[i] > 0x7E) { return false; }
    }
    return true;
}

/* A range that the header names at byte `at`: within the file, and relative to the tortilla. */
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

/* Reads the header at base. Three layouts: that of the specifications; before it one with the
   format at 18 (24 bytes, padded with blanks); and at first one of 50 bytes, with 32 for the
   format. */
TACO__FN bool taco__tortilla_read_header(taco__file *file, uint64_t base, taco__arena *arena,
                                         taco__tortilla *out, taco_error *err)
{
    uint8_t p[TACO__TORTILLA_HEADER_BYTES];
    uint64_t have = base < file->src.size ? file->src.size - base : 0;
    size_t n = (size_t)TACO__MIN(have, (uint64_t)sizeof p), at = 26;
    memset(out, 0, sizeof *out);
    memset(p, 0, sizeof p);
    out->base = base;
    out->parts = 1;
    if (n < 50) {
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
    if (taco__tortilla_is_printable(p + 18, 8)) { /* a number of parts of 2^56 there is not */
        bool first = memcmp(p + 42, "        ", 8) == 0;
        out->driver = taco__tortilla_read_driver(arena, p + 18, first ? 32 : 24, err);
        if (!out->driver) { return false; }
        out->parts = first ? 1 : taco__load_le64(p + 42);
        out->body = base + (first ? 50 : TACO__TORTILLA_HEADER_BYTES);
        at = first ? 0 : 50;
    } else {
        out->parts = taco__load_le64(p + 18);
        out->body = base + TACO__TORTILLA_HEADER_BYTES;
    }
    return taco__tortilla_read_range(file, out, p, 2, "footer", &out->footer, err) &&
           (!at || taco__load_le64(p + at + 8) == 0 ||
            taco__tortilla_read_range(file, out, p, at, "collection", &out->collection, err));
}

/* Columns that pandas keeps its index in, and those that readers made. */
static bool taco__tortilla_is_hidden_column(const char *name, const taco__json *index)
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
    for (i = 0; strncmp(name, "tortilla:", 9) != 0 && i < taco__json_length(index); i++) {
        if (taco__json_equals(taco__json_at(index, i), name)) { return true; }
    }
    return false;
}

/* Which columns of a footer are shown. */
static size_t taco__tortilla_list_columns(const taco_pq_file *pq, const taco__table *t,
                                          taco__arena *arena, size_t *which)
{
    taco__json_doc doc;
    const taco__json *index = NULL;
    taco_bytes pandas = taco_pq_key_value(pq, "pandas");
    taco_error none;
    size_t i, n = 0;
    memset(&none, 0, sizeof none);
    if (pandas.data &&
        taco__json_parse(arena, pandas, &pq->options.limits, &doc, &none) == TACO_OK) {
        index = taco__json_get(doc.root, "index_columns");
    }
    for (i = 0; i < t->field_count; i++) {
        if (!taco__tortilla_is_hidden_column(t->fields[i].name, index)) { which[n++] = i; }
    }
    return n;
}

/* Column that every footer has. */
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

/* Proves that every row lies in the file, and makes offsets those in the file. */
static bool taco__tortilla_resolve_offsets(taco__tortilla_table *t, uint64_t base, uint64_t size,
                                           taco__arena *arena, taco_error *err)
{
    taco_array *column = (taco_array *)&t->t.arrays[t->offset];
    const taco_array *lengths = &t->t.arrays[t->length];
    taco_field *f = (taco_field *)column->field;
    int64_t *at = (int64_t *)taco__arena_array(arena, (size_t)t->t.rows + 8, sizeof *at, err);
    size_t i;
    if (!at) { return false; }
    for (i = 0; i < t->t.rows; i++) {
        int64_t offset = taco_array_int(column, i), length = taco_array_int(lengths, i);
        uint64_t place;
        if (!taco_array_valid(column, i) || !taco_array_valid(lengths, i) || offset < 0 ||
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
        at[i] = (int64_t)place;
    }
    f->type = TACO_INT64;
    f->width = 8;
    column->v.any = at;
    column->dictionary = NULL;
    return true;
}

/* Copies the columns of an open footer into the arena. */
static bool taco__tortilla_copy_table(taco__container *s, taco_pq_file *pq, const taco__table *from,
                                      taco__arena *arena, taco__table *out, taco_error *err)
{
    size_t *which = (size_t *)taco__arena_array(arena, from->field_count + 1, sizeof *which, err);
    size_t i, n = which ? taco__tortilla_list_columns(pq, from, arena, which) : 0;
    taco_field *fields = (taco_field *)taco__arena_array(arena, n + 1, sizeof *fields, err);
    taco_array *arrays = (taco_array *)taco__arena_array(arena, n + 1, sizeof *arrays, err);
    taco__row_reader rows;
    bool ok = which && fields && arrays;
    if (!ok || !taco__row_reader_open(&rows, from, which, n, s->mem, err)) { return false; }
    ok = taco__row_reader_read_range(&rows, 0, (size_t)from->rows, err);
    for (i = 0; ok && i < n; i++) {
        taco__concat_slice p;
        const taco_field *f = &from->fields[which[i]];
        p.a = &rows.arrays[i];
        p.first = 0;
        p.n = (size_t)from->rows;
        ok = taco__concat_copy_field(arena, f, &fields[i], err) &&
             taco__concat_arrays(arena, &fields[i], &p, 1, &arrays[i], err);
    }
    taco__row_reader_close(&rows);
    out->fields = fields;
    out->arrays = arrays;
    out->field_count = out->stored = n;
    out->rows = from->rows;
    return ok;
}

/* Fills the three columns of the first footers. */
static bool taco__tortilla_parse_members(const taco__json *root, uint64_t at, char *text,
                                         int32_t *ends, int64_t *offset, int64_t *length,
                                         taco_error *err)
{
    const taco__json *key = taco__json_first(root);
    uint32_t i;
    for (i = 0; i < root->count; i++, key = taco__json_next(key + 1)) {
        taco_bytes id = taco__json_bytes(key);
        if (taco__json_length(key + 1) != 2 ||
            !taco__json_int(taco__json_at(key + 1, 0), &offset[i]) ||
            !taco__json_int(taco__json_at(key + 1, 1), &length[i])) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, at + key[1].begin,
                       "sample %q is %s, must be [offset, length] of whole numbers", &id,
                       taco__json_type_name(key + 1));
            return false;
        }
        if (id.len) { memcpy(text + ends[i], id.data, id.len); }
        ends[i + 1] = ends[i] + (int32_t)id.len; /* the text of a document has less than 2^31 */
    }
    return true;
}

/* Footers of 2024-09 are {"id": [offset, length], ...}, the offsets those in the file: rows in the
   order of the text. */
static bool taco__tortilla_read_json(taco__container *s, taco__file *file, taco__range range,
                                     taco__arena *arena, taco__table *out, taco_error *err)
{
    static const char *const names[] = {"tortilla:id", "tortilla:offset", "tortilla:length"};
    taco_field *f = (taco_field *)taco__arena_array(arena, 3, sizeof *f, err);
    taco_array *a = (taco_array *)taco__arena_array(arena, 3, sizeof *a, err);
    taco__json_doc doc;
    taco__arena scratch;
    uint8_t *bytes;
    char *text;
    int32_t *ends;
    int64_t *number[2];
    size_t i, n = 0;
    bool ok;
    scratch.mem = s->mem;
    scratch.head = NULL;
    bytes = f && a ? (uint8_t *)taco__arena_alloc(&scratch, (size_t)range.len + 1, err) : NULL;
    ok = bytes && taco__file_read(file, range.offset, bytes, (size_t)range.len, err) &&
         taco__json_parse_at(&scratch, taco__bytes_of(bytes, (size_t)range.len), range.offset,
                             &s->options->limits, &doc, err) == TACO_OK;
    if (ok) {
        n = doc.root->count;
        text = (char *)taco__arena_alloc(arena, (size_t)range.len + TACO__PAD, err);
        ends = (int32_t *)taco__arena_array(arena, n + 1, sizeof *ends, err);
        number[0] = (int64_t *)taco__arena_array(arena, n + 8, sizeof **number, err);
        number[1] = (int64_t *)taco__arena_array(arena, n + 8, sizeof **number, err);
        ok = text && ends && number[0] && number[1] &&
             taco__tortilla_parse_members(doc.root, range.offset, text, ends, number[0], number[1],
                                          err);
        for (i = 0; i < 3; i++) {
            f[i].name = names[i];
            f[i].type = i ? TACO_INT64 : TACO_TEXT;
            f[i].width = i ? 8 : 0;
            a[i].field = &f[i];
            a[i].length = n;
            a[i].offsets = i ? NULL : ends;
            a[i].v.any = i ? (const void *)number[i - 1] : (const void *)text;
        }
        out->fields = f;
        out->arrays = a;
        out->field_count = out->stored = 3;
        out->rows = n;
    }
    taco__arena_free(&scratch);
    return ok;
}

/* The same of a footer in Parquet, with what it says of the chain. */
static bool taco__tortilla_read_parquet(taco__container *s, taco__file *file, taco__range range,
                                        taco__arena *arena, taco__tortilla_table *out,
                                        taco_error *err)
{
    taco_pq_file pq;
    taco__table t;
    taco_bytes pointer;
    bool ok;
    if (!taco__container_open_table(s, file, range, "footer", false, arena, &pq, &t, err)) {
        return false;
    }
    pointer = taco_pq_key_value(&pq, "pointer");
    ok = t.rows <= INT32_MAX;
    if (!ok) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "%u rows, at most %u are read", t.rows,
                   TACO__U(INT32_MAX));
    }
    ok = ok && taco__tortilla_copy_table(s, &pq, &t, arena, &out->t, err);
    if (ok && pointer.data) {
        out->pointer.data = (const uint8_t *)taco__arena_text(arena, pointer, err);
        out->pointer.len = pointer.len;
        ok = out->pointer.data != NULL;
    }
    taco__pq_file_close(&pq);
    return ok;
}

/* Opens the footer at a range of a file: its rows, the columns that navigation needs proven. */
TACO__FN bool taco__tortilla_read_footer(taco__container *s, taco__file *file, taco__range range,
                                         uint64_t base, const char *driver, taco__arena *arena,
                                         taco__tortilla_table *out, taco_error *err)
{
    uint8_t first = 0;
    bool ok;
    memset(out, 0, sizeof *out);
    if (range.len > s->options->limits.max_metadata) {
        TACO__FAIL(err, TACO_ERR_LIMIT, range.offset,
                   "a footer of %u bytes, limits.max_metadata is %u", range.len,
                   s->options->limits.max_metadata);
        return false;
    }
    ok = !driver || !range.len || taco__file_read(file, range.offset, &first, 1, err);
    ok = ok && (first == '{' ? taco__tortilla_read_json(s, file, range, arena, &out->t, err)
                             : taco__tortilla_read_parquet(s, file, range, arena, out, err));
    if (ok) {
        out->base = base;
        out->driver = driver;
        out->id = taco__tortilla_find_column(&out->t, "tortilla:id", true, err);
        out->offset = out->id == TACO__NONE
                          ? TACO__NONE
                          : taco__tortilla_find_column(&out->t, "tortilla:offset", false, err);
        out->length = out->offset == TACO__NONE
                          ? TACO__NONE
                          : taco__tortilla_find_column(&out->t, "tortilla:length", false, err);
        out->format = taco__table_find_column(&out->t, "tortilla:file_format");
        if (out->format == TACO__NONE) {
            out->format = taco__table_find_column(&out->t, "internal:file_format");
        }
        if (out->format != TACO__NONE && out->t.fields[out->format].type != TACO_TEXT) {
            out->format = TACO__NONE;
        }
        out->all = driver && strcmp(driver, "TORTILLA") == 0;
        ok = out->length != TACO__NONE &&
             taco__tortilla_resolve_offsets(out, base, file->src.size, arena, err);
    }
    if (!ok) { taco__error_prefix(err, "footer at byte %u", TACO__U(range.offset)); }
    return ok;
}

/* Whether row i holds a tortilla of its own. */
TACO__FN bool taco__tortilla_is_nested(const taco__tortilla_table *t, size_t i)
{
    return t->all || (t->format != TACO__NONE &&
                      taco__bytes_equal(taco_array_bytes(&t->t.arrays[t->format], i),
                                        taco__bytes_text("TORTILLA")));
}
/* ==== src/legacy/footer_chain_read.c ==== */
/* footer_chain_read.c - the streaming chain of footers of TACO 0.2.0.. Spec: TACO 0.2.0
   "Facilitating dataset streaming" */
/* #include "legacy.h" */
/* #include "../base/base.h" */
/* #include "../parquet/parquet.h" */
/* #include "../dataset/dataset.h" */

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

/* The text up to a character, that character behind it taken away too. */
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

/* OFFSETLENGTH(A, B), with or without blanks and the quotes of JSON; NULL, null or nothing at the
   end of the chain. */
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

/* The object that the last one points at: within the file, and none of those before. */
static bool taco__chain_next(const taco__chain *c, const taco__file *file, bool *ends,
                             taco__range *out, taco_error *err)
{
    size_t i;
    if (!taco__chain_parse_pointer(c->tables[c->count - 1].pointer, ends, out, err) || *ends) {
        return *ends;
    }
    if (out->len == 0 || !taco__checked_range(out->offset, out->len, file->src.size)) {
        TACO__FAIL(err, out->len ? TACO_ERR_TRUNCATED : TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "pointer to %u bytes at %u, the file ends at %u", out->len, out->offset,
                   file->src.size);
        return false;
    }
    for (i = 0; i < c->count; i++) {
        if (out->offset < c->ranges[i].offset + c->ranges[i].len &&
            c->ranges[i].offset < out->offset + out->len) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "pointer to %u bytes at %u, where object %u of the chain stands", out->len,
                       out->offset, TACO__U(i));
            return false;
        }
    }
    if (c->count == TACO__CHAIN_MAX_OBJECTS) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "a chain of more than %u objects",
                   TACO__U(TACO__CHAIN_MAX_OBJECTS));
        return false;
    }
    return true;
}

/* ---- roots: who the parent of a row is
   ---------------------------------------------------------- */

typedef struct taco__chain_key {
    taco_bytes key; /* ids from the top, with slashes */
    size_t row;
} taco__chain_key;

static int taco__chain_compare_keys(const void *a, const void *b)
{
    const taco__chain_key *x = (const taco__chain_key *)a, *y = (const taco__chain_key *)b;
    int c = taco__bytes_compare(x->key, y->key);
    return c ? c : (x->row > y->row) - (x->row < y->row);
}

static int64_t taco__chain_find_key(const taco__chain_key *sorted, size_t n, taco_bytes key)
{
    size_t lo = 0, hi = n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (taco__bytes_compare(sorted[mid].key, key) < 0) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo < n && taco__bytes_equal(sorted[lo].key, key) ? (int64_t)sorted[lo].row : -1;
}

static const taco_array *taco__chain_root_column(const taco__tortilla_table *t)
{
    size_t c = taco__table_find_column(&t->t, "root");
    if (c == TACO__NONE) { c = taco__table_find_column(&t->t, "tortilla:root"); }
    return c == TACO__NONE ? NULL : &t->t.arrays[c];
}

/* The keys of a level's rows: the parent's, a slash, the id. */
static taco__chain_key *taco__chain_make_keys(const taco__tortilla_table *t, const int64_t *parents,
                                              const taco__chain_key *above, taco__arena *arena,
                                              taco_error *err)
{
    size_t i, n = (size_t)t->t.rows;
    taco__chain_key *keys = (taco__chain_key *)taco__arena_array(arena, n + 1, sizeof *keys, err);
    for (i = 0; keys && i < n; i++) {
        taco_bytes id = taco_array_bytes(&t->t.arrays[t->id], i), up = taco__bytes_of(NULL, 0);
        uint8_t *p;
        keys[i].row = i;
        keys[i].key = id;
        if (!above || parents[i] < 0) { continue; }
        up = above[parents[i]].key;
        p = (uint8_t *)taco__arena_alloc(arena, up.len + id.len + 1, err);
        if (!p) { return NULL; }
        if (up.len) { memcpy(p, up.data, up.len); }
        p[up.len] = '/';
        if (id.len) { memcpy(p + up.len + 1, id.data, id.len); }
        keys[i].key = taco__bytes_of(p, up.len + id.len + 1);
    }
    return keys;
}

/* parents[i] = the row of the table before that root names: by its key, or by its position. */
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
    if (above_count) {
        memcpy(sorted, above, above_count * sizeof *sorted);
        qsort(sorted, above_count, sizeof *sorted, taco__chain_compare_keys);
    }
    for (i = 0; i < t->t.rows; i++) {
        int64_t p = -1;
        if (taco__concat_is_integer(root->field->type) && taco_array_valid(root, i)) {
            p = taco_array_int(root, i);
            p = p >= 0 && (uint64_t)p < above_count ? p : -1;
        } else if (root->field->type == TACO_TEXT && taco_array_valid(root, i)) {
            p = taco__chain_find_key(sorted, above_count, taco_array_bytes(root, i));
        }
        if (p < 0) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "row %u: root is no row of the object before", TACO__U(i));
            return false;
        }
        parents[i] = p;
    }
    return true;
}

/* Follows the pointers from the first footer, which is read already, to the end of the chain. */
TACO__FN bool taco__chain_read(taco__container *s, taco__file *file,
                               const taco__tortilla_table *first, taco__range range,
                               taco__arena *arena, taco__chain *c, taco_error *err)
{
    taco__chain_key *above = NULL;
    taco__arena keys;
    bool ends = false, ok;
    memset(c, 0, sizeof *c);
    keys.mem = s->mem;
    keys.head = NULL;
    c->tables[0] = *first;
    c->ranges[0] = range;
    c->count = 1;
    ok = taco__chain_next(c, file, &ends, &c->ranges[1], err);
    while (ok && !ends) {
        size_t n = c->count;
        taco__tortilla_table *t = &c->tables[n];
        ok = taco__tortilla_read_footer(s, file, c->ranges[n], first->base, NULL, arena, t, err);
        if (!ok) { break; }
        t->file = first->file;
        c->parents[n] =
            (int64_t *)taco__arena_array(arena, (size_t)t->t.rows + 1, sizeof(int64_t), err);
        above = c->parents[n]
                    ? taco__chain_make_keys(&c->tables[n - 1], c->parents[n - 1], above, &keys, err)
                    : NULL;
        ok = above && taco__chain_find_parents(t, above, (size_t)c->tables[n - 1].t.rows,
                                               c->parents[n], &keys, err);
        c->count++;
        ok = ok && taco__chain_next(c, file, &ends, &c->ranges[c->count], err);
    }
    taco__arena_free(&keys);
    if (!ok) { taco__error_prefix(err, "object %u of the chain", TACO__U(c->count - 1)); }
    return ok;
}
/* ==== src/legacy/legacy_dataset.c ==== */
/* legacy_dataset.c - Tortilla and TACO 0.x as datasets: collection, levels, children, filters..
   Spec: Tortilla 0.5.0, TACO 0.2.0 */
/* #include "legacy.h" */
/* #include "../base/base.h" */
/* #include "../base/json.h" */
/* #include "../parquet/parquet.h" */
/* #include "../filter/filter.h" */
/* #include "../geo/geo.h" */
/* #include "../dataset/dataset.h" */

/* ---- levels
   -------------------------------------------------------------------------------------- */

/* The file that the rows of file k are in. */
TACO__FN taco__file *taco__legacy_find_file(taco__container *s, const taco__legacy *own, size_t k,
                                            taco_error *err)
{
    return own->file_count == 1
               ? &s->file
               : taco__container_open_archive(s, taco__bytes_text(own->files[k].path), err);
}

/* Notes where the rows of a level came from, for the level below it. */
static bool taco__legacy_record_rows(taco__container *s, taco__legacy_level *l,
                                     const taco__legacy_run *runs, size_t count, taco_error *err)
{
    size_t i, k, at = 0, n = (size_t)l->t.rows + 1;
    l->file = (uint32_t *)taco__arena_array(s->arena, n, sizeof *l->file, err);
    l->object_row = (size_t *)taco__arena_array(s->arena, n, sizeof *l->object_row, err);
    l->folder = (uint8_t *)taco__arena_alloc(s->arena, n, err);
    l->offset = (int64_t *)taco__arena_array(s->arena, n, sizeof *l->offset, err);
    l->size = (int64_t *)taco__arena_array(s->arena, n, sizeof *l->size, err);
    if (!l->file || !l->object_row || !l->folder || !l->offset || !l->size) { return false; }
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
    return true;
}

static bool taco__legacy_finish_level(taco__container *s, taco__legacy *own, uint32_t level,
                                      const taco__legacy_run *runs, size_t count, taco_error *err)
{
    taco__legacy_level *l = &own->levels[level];
    size_t c;
    if (!taco__legacy_table_build(s, own, s->arena, runs, count, level == 0,
                                  level ? &own->levels[level - 1] : NULL, &l->t, err) ||
        !taco__legacy_record_rows(s, l, runs, count, err)) {
        return false;
    }
    c = taco__table_find_column(&l->t, level ? "internal:relative_path" : "tortilla:id");
    l->path = c == TACO__NONE ? NULL : &l->t.arrays[c];
    l->built = true;
    return true;
}

/* The tortilla in row i of a level: its header, its footer. */
static bool taco__legacy_read_nested(taco__container *s, taco__file *file, uint64_t offset,
                                     uint32_t number, taco__arena *arena, taco__tortilla_table *out,
                                     uint64_t *budget, taco_error *err)
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

/* Bytes of the headers or footers of all nested tortillas of a level in one round, from a vectored
   source. */
static bool taco__legacy_prefetch(taco__container *s, const taco__legacy_level *l, bool footers,
                                  bool release, taco_error *err)
{
    taco__buf ranges;
    taco__arena scratch;
    size_t i;
    bool ok = true;
    memset(&ranges, 0, sizeof ranges);
    ranges.mem = scratch.mem = s->mem;
    scratch.head = NULL;
    for (i = 0; ok && i < l->t.rows; i++) {
        taco__range r;
        if (!l->folder[i]) { continue; }
        r.offset = (uint64_t)l->offset[i];
        r.len = TACO__MIN((uint64_t)TACO__TORTILLA_HEADER_BYTES, (uint64_t)l->size[i]);
        if (footers) {
            taco__tortilla head;
            ok = taco__tortilla_read_header(&s->file, r.offset, &scratch, &head, err);
            r = head.footer;
        }
        ok = ok && taco__buf_append(&ranges, &r, sizeof r, err);
    }
    for (i = 0; ok && release && i < ranges.len / sizeof(taco__range); i++) {
        taco__range r;
        memcpy(&r, ranges.data + i * sizeof r, sizeof r);
        taco__file_release(&s->file, r.offset, r.len);
    }
    ok = ok && (release || !ranges.len ||
                taco__file_fetch(&s->file, (const taco__range *)(const void *)ranges.data,
                                 ranges.len / sizeof(taco__range), err));
    taco__buf_free(&ranges);
    taco__arena_free(&scratch);
    return ok;
}

/* The rows of the chains' objects `level`, in stored order. */
static bool taco__legacy_add_chain_runs(taco__legacy *own, uint32_t level, taco__buf *runs,
                                        size_t *row, taco__arena *scratch, taco_error *err)
{
    const taco__legacy_level *above = &own->levels[level - 1];
    size_t f, i;
    for (f = 0; f < own->file_count; f++) {
        const taco__chain *c = own->files[f].chain;
        size_t *place;
        if (!c || level >= c->count) { continue; }
        place = (size_t *)taco__arena_array(scratch, (size_t)c->tables[level - 1].t.rows + 1,
                                            sizeof *place, err);
        for (i = 0; place && i < above->t.rows; i++) {
            if (above->file[i] == f) { place[above->object_row[i]] = i; }
        }
        for (i = 0; place && i < c->tables[level].t.rows; i++) {
            taco__legacy_run r;
            r.t = &c->tables[level];
            r.first = i;
            r.n = 1;
            r.parent = (int64_t)place[c->parents[level][i]];
            r.row = (int64_t)*row;
            ++*row;
            if (!taco__buf_append(runs, &r, sizeof r, err)) { return false; }
        }
        if (!place) { return false; }
    }
    return true;
}

/* The rows of nested tortillas, in the order of their parents. */
static bool taco__legacy_add_nested_runs(taco__container *s, taco__legacy *own, uint32_t level,
                                         taco__buf *runs, size_t *row, taco__arena *scratch,
                                         taco_error *err)
{
    const taco__legacy_level *above = &own->levels[level - 1];
    uint64_t budget = 1 << 20;
    size_t i;
    bool ahead = own->file_count == 1 && s->file.src.read_many && !own->files[0].chain, ok = true;
    for (i = 0; i < own->file_count; i++) {
        taco__file *f = taco__legacy_find_file(s, own, i, err);
        if (!f || !taco__checked_add64(budget, f->src.size, &budget)) { return false; }
        taco__container_count_archive_user(s, f, true);
    }
    ok = !ahead || (taco__legacy_prefetch(s, above, false, false, err) &&
                    taco__legacy_prefetch(s, above, true, false, err));
    for (i = 0; ok && i < above->t.rows; i++) {
        taco__legacy_run r;
        taco__tortilla_table *t;
        taco__file *f;
        if (!above->folder[i] || own->files[above->file[i]].chain) { continue; }
        t = (taco__tortilla_table *)taco__arena_alloc(scratch, sizeof *t, err);
        f = t ? taco__legacy_find_file(s, own, above->file[i], err) : NULL;
        ok = f && taco__legacy_read_nested(s, f, (uint64_t)above->offset[i], above->file[i],
                                           scratch, t, &budget, err);
        if (!ok && f) {
            taco_bytes key = taco_array_bytes(above->path, i);
            taco__error_prefix(err, "%q", &key);
            break;
        }
        memset(&r, 0, sizeof r);
        if (ok) {
            r.t = t;
            r.n = (size_t)t->t.rows;
            r.parent = (int64_t)i;
            r.row = (int64_t)*row;
            *row += r.n;
            ok = taco__buf_append(runs, &r, sizeof r, err);
        }
    }
    ok = ok && (!ahead || (taco__legacy_prefetch(s, above, true, true, err) &&
                           taco__legacy_prefetch(s, above, false, true, err)));
    for (i = 0; i < own->file_count; i++) {
        taco__file *f = taco__legacy_find_file(s, own, i, NULL);
        taco__container_count_archive_user(s, f, false);
    }
    return ok;
}

/* Whether there are rows below those of a level. */
static bool taco__legacy_has_rows_below(const taco__legacy *own, uint32_t level)
{
    const taco__legacy_level *l = &own->levels[level];
    size_t i;
    for (i = 0; i < own->file_count; i++) {
        if (own->files[i].chain && own->files[i].chain->count > level + 1) { return true; }
    }
    for (i = 0; i < l->t.rows; i++) {
        if (l->folder[i] && !own->files[l->file[i]].chain) { return true; }
    }
    return false;
}

static bool taco__legacy_count_levels(taco__container *s, taco_error *err)
{
    taco__legacy *own = (taco__legacy *)s->format_state;
    uint32_t level;
    bool ok = true;
    for (level = 1; ok && level < TACO__MAX_LEVELS && taco__legacy_has_rows_below(own, level - 1);
         level++) {
        taco__arena scratch;
        taco__buf runs;
        size_t row = 0;
        scratch.mem = runs.mem = s->mem;
        scratch.head = NULL;
        runs.data = NULL;
        runs.len = runs.cap = 0;
        ok = taco__legacy_add_nested_runs(s, own, level, &runs, &row, &scratch, err) &&
             taco__legacy_add_chain_runs(own, level, &runs, &row, &scratch, err) &&
             taco__legacy_finish_level(s, own, level,
                                       (const taco__legacy_run *)(const void *)runs.data,
                                       runs.len / sizeof(taco__legacy_run), err);
        taco__buf_free(&runs);
        taco__arena_free(&scratch);
        s->levels[level].present = true;
        s->level_count = level + 1;
        if (!ok) { own->levels[level].why = *err; }
    }
    if (ok && level == TACO__MAX_LEVELS && taco__legacy_has_rows_below(own, level - 1)) {
        taco_error w;
        memset(&w, 0, sizeof w);
        TACO__FAIL(&w, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "tortillas below level %u are only reached by their keys", TACO__U(level - 1));
        taco__container_warn(s, &w, "levels");
    }
    return ok;
}

static bool taco__legacy_read_level(taco__container *s, uint32_t n, taco_error *err)
{
    const taco__legacy_level *l = &((const taco__legacy *)s->format_state)->levels[n];
    if (!l->built) {
        if (err && err->code == TACO_OK) { *err = l->why; }
        return false;
    }
    s->levels[n].table = l->t;
    return true;
}

/* ---- navigation
   ---------------------------------------------------------------------------------- */

static void taco__legacy_roles(const taco__table *t, taco__column_roles *r)
{
    size_t id = taco__table_find_column(t, "internal:id"),
           type = taco__table_find_column(t, "internal:type");
    r->id = id == TACO__NONE ? r->id : id; /* the footer has a column of that name */
    r->type = type == TACO__NONE ? r->type : type;
}

/* Rows of the chain's next object that name the row as their root. */
static bool taco__legacy_chain_children(taco__container *s, taco__legacy *own,
                                        const taco__format_folder *of, taco__arena *arena,
                                        taco__table *out, taco_error *err)
{
    taco__legacy_level *l = &own->levels[of->level], *below = &own->levels[of->level + 1];
    taco__arena scratch;
    taco__legacy_run *runs;
    taco__chain *c;
    size_t i, n = 0;
    bool ok;
    if (of->row < 0 || (uint64_t)of->row >= l->t.rows || !below->built) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "there is no object below in the chain");
        return false;
    }
    c = own->files[l->file[of->row]].chain;
    scratch.mem = s->mem;
    scratch.head = NULL;
    runs = (taco__legacy_run *)taco__arena_array(&scratch, (size_t)below->t.rows + 1, sizeof *runs,
                                                 err);
    for (i = 0; runs && i < below->t.rows; i++) {
        size_t k = below->object_row[i];
        if (below->file[i] == l->file[of->row] &&
            c->parents[of->level + 1][k] == (int64_t)l->object_row[of->row]) {
            runs[n].t = &c->tables[of->level + 1];
            runs[n].first = k;
            runs[n].n = 1;
            runs[n].parent = of->row;
            runs[n++].row = (int64_t)i;
        }
    }
    if (runs && n == 0) { /* all columns, no rows */
        runs[n].t = &c->tables[of->level + 1];
        n++;
    }
    ok = runs && taco__legacy_table_build(s, own, arena, runs, n, false, NULL, out, err);
    taco__arena_free(&scratch);
    return ok;
}

static bool taco__legacy_children(taco__container *s, const taco__format_folder *of,
                                  taco__arena *arena, taco__table *out, taco_error *err)
{
    taco__legacy *own = (taco__legacy *)s->format_state;
    taco__tortilla_table t;
    taco__legacy_run r;
    uint32_t number = 0;
    for (; of->source && number + 1 < own->file_count &&
           strcmp(own->files[number].path, of->source) != 0;
         number++) {}
    if (own->files[number].chain &&
        of->level + 1 < TACO__MIN(own->files[number].chain->count, (size_t)TACO__MAX_LEVELS)) {
        taco__container_level_count(s);
        return taco__legacy_chain_children(s, own, of, arena, out, err);
    }
    if (!of->folder) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "a FILE, which has no children");
        return false;
    }
    if (!taco__legacy_read_nested(s, of->file, (uint64_t)of->offset, number, arena, &t, NULL,
                                  err)) {
        return false;
    }
    r.t = &t;
    r.first = 0;
    r.n = (size_t)t.t.rows;
    r.parent = of->row;
    r.row = 0;
    return taco__legacy_table_build(s, own, arena, &r, 1, false, NULL, out, err);
}

/* ---- filters
   ------------------------------------------------------------------------------------- */

/* "POINT (x y)". */
TACO__FN bool taco__legacy_parse_point(taco_bytes wkt, double *x, double *y)
{
    const uint8_t *p = wkt.data, *end = p ? p + wkt.len : p, *from;
    double *to[2];
    int i;
    to[0] = x;
    to[1] = y;
    if (!taco__bytes_starts_with(wkt, "POINT")) { return false; }
    for (p += 5; p < end && (*p == ' ' || *p == '('); p++) {}
    for (i = 0; i < 2; i++) {
        for (; p < end && *p == ' '; p++) {}
        for (from = p; p < end && *p != ' ' && *p != ')'; p++) {}
        if (!taco__num_parse_f64(taco__bytes_of(from, (size_t)(p - from)), to[i])) { return false; }
    }
    return p < end && *p == ')';
}

static bool taco__legacy_match_bbox(void *ctx, const taco_array *a, size_t rows, uint8_t *true_bits,
                                    uint8_t *valid_bits, taco_error *err)
{
    const double *b = ((const taco__query_box *)ctx)->edge;
    size_t i;
    (void)valid_bits;
    (void)err;
    for (i = 0; i < rows; i++) {
        double x, y;
        if (taco_array_valid(a, i) && taco__legacy_parse_point(taco_array_bytes(a, i), &x, &y) &&
            x >= b[0] && x <= b[2] && y >= b[1] && y <= b[3]) {
            taco__bitmap_set(true_bits, i);
        }
    }
    return true;
}

/* stac:centroid is text; a column of WKB is compared as in TACO 2. */
static taco__expr *taco__legacy_bbox_filter(taco__arena *arena, const taco__table *t,
                                            const taco_filter *f, taco_error *err)
{
    static const char *const names[] = {"istac:geometry", "stac:centroid", "istac:centroid"};
    size_t c = taco__query_find_column(t, f->geometry_column, names, 3, "bbox", err);
    taco__custom_predicate custom;
    taco__query_box *box;
    if (c == TACO__NONE || t->fields[c].type != TACO_TEXT) {
        return c == TACO__NONE ? NULL : taco__query_add_bbox(arena, t, f, err);
    }
    box = (taco__query_box *)taco__arena_alloc(arena, sizeof *box, err);
    if (!box || taco__intersect_normalize_box(f->bbox, box->edge, err) != TACO_OK) { return NULL; }
    memset(&custom, 0, sizeof custom);
    custom.ctx = box;
    custom.eval = taco__legacy_match_bbox;
    return taco__expr_custom(arena, c, &custom, err);
}

static bool taco__legacy_match_time(void *ctx, const taco_array *a, size_t rows, uint8_t *true_bits,
                                    uint8_t *valid_bits, taco_error *err)
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

/* stac:time_start counts seconds; timestamps and text are compared as in TACO 2. */
static taco__expr *taco__legacy_time_filter(taco__arena *arena, const taco__table *t,
                                            const taco_filter *f, taco_error *err)
{
    static const char *const names[] = {"istac:time_start", "stac:time_start"};
    size_t c = taco__query_find_column(t, f->time_column, names, 2, "time", err);
    int64_t first = 0, last = 0, from = 0, to = 0;
    taco__custom_predicate custom;
    taco__query_period *span;
    if (c == TACO__NONE ||
        !(taco__concat_is_integer(t->fields[c].type) || taco__concat_is_float(t->fields[c].type))) {
        return c == TACO__NONE ? NULL : taco__query_add_time(arena, t, f, err);
    }
    span = (taco__query_period *)taco__arena_alloc(arena, sizeof *span, err);
    if (!span || taco__time_parse_range(f->time, &first, &last, &from, &to, err) != TACO_OK) {
        return NULL;
    }
    span->days = !f->exact_time;
    span->from = f->exact_time ? from : first * 86400000000LL;
    span->to = f->exact_time ? (to > from ? to : from + 1) : (last + 1) * 86400000000LL;
    memset(&custom, 0, sizeof custom);
    custom.ctx = span;
    custom.eval = taco__legacy_match_time;
    return taco__expr_custom(arena, c, &custom, err);
}

/* ---- opening
   ------------------------------------------------------------------------------------- */

/* COLLECTION of TACO 0.x: fewer rules than that of TACO 2, and no tree. */
static bool taco__legacy_read_collection(taco__container *s, taco__file *file, taco__range range,
                                         taco_error *err)
{
    taco__collection *c = &s->coll;
    const taco__json *root;
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
                            &c->doc, err) != TACO_OK) {
        taco__error_prefix(err, "collection");
        return false;
    }
    root = c->doc.root;
    if (!taco__json_is(root, TACO__JSON_OBJECT)) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, range.offset,
                   "a collection must be a JSON object, found %s", taco__json_type_name(root));
        return false;
    }
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

TACO__FN int taco__legacy_compare_sort_keys(const void *a, const void *b)
{
    const taco__legacy_sort_key *x = (const taco__legacy_sort_key *)a,
                                *y = (const taco__legacy_sort_key *)b;
    int c = taco__bytes_compare(x->id, y->id);
    c = c ? c : (x->file > y->file) - (x->file < y->file);
    return c ? c : (x->row > y->row) - (x->row < y->row);
}

/* Rows of several files by their ids, as the last reader had them; *n runs of one row each. */
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
    for (f = *n = 0; f < count; f++) {
        for (i = 0; i < tables[f].t.rows; i++, ++*n) {
            rows[*n].id = taco_array_bytes(&tables[f].t.arrays[tables[f].id], i);
            rows[*n].file = f;
            rows[*n].row = i;
        }
    }
    qsort(rows, total, sizeof *rows, taco__legacy_compare_sort_keys);
    for (i = 0; i < total; i++) {
        runs[i].t = &tables[rows[i].file];
        runs[i].first = rows[i].row;
        runs[i].n = 1;
        runs[i].row = (int64_t)i;
    }
    for (f = 0; f < count && total == 0; f++) { /* columns without rows */
        runs[(*n)++].t = &tables[f];
    }
    return runs;
}

/* STRICT wants the same columns in all files; otherwise they are null where a file lacks them. */
static bool taco__legacy_check_same_columns(const taco__legacy *own,
                                            const taco__tortilla_table *tables, taco_error *err)
{
    size_t f, c, k;
    for (f = 1; f < own->file_count; f++) {
        const taco__table *a = &tables[0].t, *b = &tables[f].t;
        for (c = 0; c < a->field_count + b->field_count; c++) {
            const char *name =
                c < a->field_count ? a->fields[c].name : b->fields[c - a->field_count].name;
            k = taco__table_find_column(c < a->field_count ? b : a, name);
            if (k == TACO__NONE) {
                taco_bytes quoted = taco__bytes_text(name);
                TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                           "%s: column %q is not in all files, --column-mode strict wants it",
                           own->files[f].path, &quoted);
                return false;
            }
        }
    }
    return true;
}

/* Level 0 of all files. */
static bool taco__legacy_read_top_level(taco__container *s, taco__legacy *own,
                                        const taco__tortilla_table *tables, taco_error *err)
{
    taco__arena scratch;
    taco__legacy_run *runs;
    size_t f, n = own->file_count, row = 0;
    bool sorted = false, ok;
    for (f = 0; f < n; f++) {
        sorted = sorted || (n > 1 && !own->files[f].head.driver);
    }
    scratch.mem = s->mem;
    scratch.head = NULL;
    runs = sorted ? taco__legacy_sort_rows(tables, n, &n, &scratch, err)
                  : (taco__legacy_run *)taco__arena_array(&scratch, n, sizeof *runs, err);
    for (f = 0; runs && !sorted && f < n; f++) {
        runs[f].t = &tables[f];
        runs[f].n = (size_t)tables[f].t.rows;
        runs[f].row = (int64_t)row;
        row += runs[f].n;
    }
    ok = runs && taco__legacy_finish_level(s, own, 0, runs, n, err);
    taco__arena_free(&scratch);
    return ok;
}

/* One file: header, collection, footer, chain. Tables of a chain stay, others are only needed for
   level 0. */
static bool taco__legacy_read_file(taco__container *s, taco__legacy *own, size_t k,
                                   taco__arena *scratch, taco__tortilla_table *out, taco_error *err)
{
    taco__legacy_file *f = &own->files[k];
    taco__file *file = taco__legacy_find_file(s, own, k, err);
    bool ends = true, ok;
    taco__range next;
    ok = file && taco__tortilla_read_header(file, 0, s->arena, &f->head, err) &&
         (k || !f->head.collection.len ||
          taco__legacy_read_collection(s, file, f->head.collection, err)) &&
         taco__tortilla_read_footer(s, file, f->head.footer, 0, f->head.driver, scratch, out, err);
    out->file = (uint32_t)k;
    ok = ok && (!out->pointer.data || taco__chain_parse_pointer(out->pointer, &ends, &next, err));
    if (ok && !ends) {
        f->chain = (taco__chain *)taco__arena_alloc(s->arena, sizeof *f->chain, err);
        ok = f->chain &&
             taco__tortilla_read_footer(s, file, f->head.footer, 0, NULL, s->arena, out, err);
        out->file = (uint32_t)k;
        ok = ok && taco__chain_read(s, file, out, f->head.footer, s->arena, f->chain, err);
    }
    if (!ok) { taco__error_prefix(err, "%s", f->path); }
    return ok;
}

/* How GDAL calls a file. */
static const char *taco__legacy_vsi_path(taco__container *s, const char *path, taco_error *err)
{
    taco__buf b;
    memset(&b, 0, sizeof b);
    b.mem = s->mem;
    if (!taco__vsi_append_root(&b, taco__bytes_text(path), err)) {
        taco__buf_free(&b);
        return NULL;
    }
    return taco__container_copy_text(s, &b, err);
}

static bool taco__legacy_open(taco_dataset *ds, const char *const *paths, size_t n, taco_error *err)
{
    static const char *const names[] = {"level0", "level1", "level2", "level3", "level4", "level5"};
    taco__container *s = &ds->stores[0];
    taco__legacy *own = (taco__legacy *)taco__arena_alloc(&ds->arena, sizeof *own, err);
    taco__tortilla_table *tables;
    taco__arena scratch;
    size_t i;
    bool ok;
    scratch.mem = s->mem;
    scratch.head = NULL;
    tables = (taco__tortilla_table *)taco__arena_array(&scratch, n, sizeof *tables, err);
    if (own) {
        own->files = (taco__legacy_file *)taco__arena_array(&ds->arena, n, sizeof *own->files, err);
        own->file_count = n;
    }
    ok = own && own->files && tables;
    s->format_state = own;
    s->kind = n == 1 ? TACO_KIND_ZIP : TACO_KIND_TACOCAT;
    s->vsi = s->name;
    s->archive_dir = "";
    for (i = 0; i < TACO__MAX_LEVELS; i++) {
        s->levels[i].name = names[i];
        s->levels[i].padded = 0;
    }
    for (i = 0; ok && i < n; i++) {
        own->files[i].path = taco__arena_text(&ds->arena, taco__bytes_text(paths[i]), err);
        own->files[i].vsi = own->files[i].path ? taco__legacy_vsi_path(s, paths[i], err) : NULL;
        ok = own->files[i].vsi && taco__legacy_read_file(s, own, i, &scratch, &tables[i], err);
    }
    ok = ok &&
         (ds->mode != TACO_COLUMNS_STRICT || taco__legacy_check_same_columns(own, tables, err)) &&
         taco__legacy_read_top_level(s, own, tables, err);
    taco__arena_free(&scratch);
    s->level_count = 1;
    s->levels[0].present = true;
    s->levels_uncounted = ok && taco__legacy_has_rows_below(own, 0);
    return ok;
}

static bool taco__legacy_detect(taco__container *s, const char *path, taco_bytes head)
{
    (void)s;
    (void)path;
    return taco__bytes_starts_with(head, "#y") || taco__bytes_starts_with(head, "WX");
}

static const taco_opener taco__legacy_opener = {"tortilla",
                                                taco__legacy_detect,
                                                taco__legacy_open,
                                                taco__legacy_read_level,
                                                taco__legacy_count_levels,
                                                taco__legacy_roles,
                                                taco__legacy_children,
                                                taco__legacy_bbox_filter,
                                                taco__legacy_time_filter,
                                                NULL,
                                                NULL};

TACO_API const taco_opener *taco_legacy_opener(void)
{
    return &taco__legacy_opener;
}
/* ==== src/legacy/legacy_table.c ==== */
/* legacy_table.c - Tortilla and TACO 0.x as datasets: collection, levels, children, filters.. Spec:
   Tortilla 0.5.0, TACO 0.2.0 */
/* #include "legacy.h" */
/* #include "../base/base.h" */
/* #include "../parquet/parquet.h" */
/* #include "../dataset/dataset.h" */

/* ---- columns
   ------------------------------------------------------------------------------------- */

/* The columns of all footers in the order in which they are first met. */
TACO__FN bool taco__legacy_table_unify_columns(taco__legacy_table *m, taco__arena *scratch)
{
    size_t i, c, k, n = 0, cap = 64;
    taco_field *list = (taco_field *)taco__arena_array(scratch, cap, sizeof *list, m->err);
    for (i = 0; list && i < m->count; i++) {
        const taco__table *t = &m->runs[i].t->t;
        if (i && m->runs[i - 1].t == m->runs[i].t) { continue; }
        for (c = 0; c < t->field_count; c++) {
            for (k = 0; k < n && strcmp(list[k].name, t->fields[c].name) != 0; k++) {}
            if (k < n) {
                if (!taco__concat_unify_field(scratch, &list[k], &t->fields[c], 0, m->err)) {
                    return false;
                }
                continue;
            }
            if (n == cap) {
                taco_field *more =
                    (taco_field *)taco__arena_array(scratch, cap * 2, sizeof *list, m->err);
                if (!more) { return false; }
                memcpy(more, list, cap * sizeof *list);
                list = more;
                cap *= 2;
            }
            list[n] = t->fields[c];
            list[n++].nullable = true;
        }
    }
    m->fields =
        list ? (taco_field *)taco__arena_array(m->arena, n + 12, sizeof *list, m->err) : NULL;
    m->arrays = m->fields
                    ? (taco_array *)taco__arena_array(m->arena, n + 12, sizeof *m->arrays, m->err)
                    : NULL;
    for (i = 0; m->arrays && i < n; i++) {
        if (!taco__concat_copy_field(m->arena, &list[i], &m->fields[i], m->err)) { return false; }
    }
    m->n = m->stored = n;
    return m->arrays != NULL;
}

TACO__FN bool taco__legacy_table_copy_columns(taco__legacy_table *m, taco__arena *scratch)
{
    taco__concat_slice *p =
        (taco__concat_slice *)taco__arena_array(scratch, m->count + 1, sizeof *p, m->err);
    size_t c, i, at = TACO__NONE;
    for (c = 0; p && c < m->stored; c++) {
        for (i = 0; i < m->count; i++) {
            const taco__legacy_run *r = &m->runs[i];
            if (!i || m->runs[i - 1].t != r->t) {
                at = taco__table_find_column(&r->t->t, m->fields[c].name);
            }
            p[i].a = at == TACO__NONE ? NULL : &r->t->t.arrays[at];
            p[i].first = r->first;
            p[i].n = r->n;
        }
        if (!taco__concat_arrays(m->arena, &m->fields[c], p, m->count, &m->arrays[c], m->err)) {
            taco__error_prefix(m->err, "column %s", m->fields[c].name);
            return false;
        }
    }
    return p != NULL;
}

static bool taco__legacy_table_has_column(const taco__legacy_table *m, const char *name)
{
    return taco__cursor_column_find_field(m->fields, m->stored, name) != TACO__NONE;
}

/* Adds a column that we make. */
static taco_array *taco__legacy_table_add_column(taco__legacy_table *m, const char *name,
                                                 taco_type type)
{
    taco_field *f = &m->fields[m->n];
    taco_array *a = &m->arrays[m->n++];
    memset(f, 0, sizeof *f);
    memset(a, 0, sizeof *a);
    f->name = name;
    f->type = type;
    f->width = type == TACO_INT64 ? 8 : 0;
    a->field = f;
    a->length = m->rows;
    return a;
}

typedef enum taco__legacy_text_column {
    TACO__LEGACY_TYPE,
    TACO__LEGACY_SUBFILE,
    TACO__LEGACY_DRIVER,
    TACO__LEGACY_SOURCE,
    TACO__LEGACY_PATH
} taco__legacy_text_column;

/* One cell of a column of text; *null where it has none. */
static bool taco__legacy_table_format_cell(const taco__legacy_table *m,
                                           taco__legacy_text_column what, const taco__legacy_run *r,
                                           size_t i, const taco__legacy_level *above,
                                           taco__buf *out, bool *null)
{
    const taco__tortilla_table *t = r->t;
    taco_bytes b;
    switch (what) {
    case TACO__LEGACY_TYPE:
        return taco__buf_append_text(out, taco__tortilla_is_nested(t, i) ? "FOLDER" : "FILE",
                                     m->err);
    case TACO__LEGACY_DRIVER:
        *null = t->driver == NULL;
        return *null || taco__buf_append_text(out, t->driver, m->err);
    case TACO__LEGACY_SOURCE:
        return taco__buf_append_text(out, m->own->files[t->file].path, m->err);
    case TACO__LEGACY_PATH:
        b = taco_array_bytes(above->path, (size_t)r->parent);
        if (!taco__buf_append(out, b.data, b.len, m->err) ||
            !taco__buf_append_char(out, '/', m->err)) {
            return false;
        }
        b = taco_array_bytes(&t->t.arrays[t->id], i);
        return taco__buf_append(out, b.data, b.len, m->err);
    default:
        return taco__vsi_append_subfile(out, (uint64_t)taco_array_int(&t->t.arrays[t->offset], i),
                                        (uint64_t)taco_array_int(&t->t.arrays[t->length], i),
                                        taco__bytes_text(m->own->files[t->file].vsi),
                                        taco__bytes_of(NULL, 0), m->err);
    }
}

static bool taco__legacy_table_add_text(taco__legacy_table *m, const char *name,
                                        taco__legacy_text_column what,
                                        const taco__legacy_level *above)
{
    taco_array *a = taco__legacy_table_add_column(m, name, TACO_TEXT);
    int32_t *offsets = (int32_t *)taco__arena_array(m->arena, m->rows + 1, sizeof *offsets, m->err);
    uint8_t *bits = (uint8_t *)taco__arena_alloc(m->arena, TACO__BITMAP_BYTES(m->rows) + 8, m->err);
    taco__buf b;
    size_t i, k, row = 0;
    bool ok = offsets && bits;
    memset(&b, 0, sizeof b);
    b.mem = m->s->mem;
    for (i = 0; ok && i < m->count; i++) {
        for (k = 0; ok && k < m->runs[i].n; k++, row++) {
            bool null = false;
            ok = taco__legacy_table_format_cell(m, what, &m->runs[i], m->runs[i].first + k, above,
                                                &b, &null);
            if (ok && b.len > INT32_MAX) {
                TACO__FAIL(m->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                           "more than %u bytes of text in column %s", TACO__U(INT32_MAX), name);
                ok = false;
            }
            if (ok) {
                offsets[row + 1] = (int32_t)b.len;
                a->null_count += null;
                if (!null) { taco__bitmap_set(bits, row); }
            }
        }
    }
    a->field = &m->fields[m->n - 1];
    a->offsets = offsets;
    a->validity = a->null_count ? bits : NULL;
    if (ok) {
        uint8_t *p = (uint8_t *)taco__arena_alloc(m->arena, b.len + TACO__PAD, m->err);
        ok = p != NULL;
        if (ok && b.len) { memcpy(p, b.data, b.len); }
        a->v.any = p;
    }
    ((taco_field *)a->field)->nullable = a->null_count != 0;
    taco__buf_free(&b);
    return ok;
}

/* Columns of row numbers. */
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

/* A column that is another one under the name that TACO 2 has for it. */
static bool taco__legacy_table_add_alias(taco__legacy_table *m, const char *name,
                                         const char *stored)
{
    size_t i;
    for (i = 0; i < m->stored && strcmp(m->fields[i].name, stored) != 0; i++) {}
    if (i == m->stored) { return true; /* of no footer at all */ }
    m->fields[m->n] = m->fields[i];
    m->fields[m->n].name = name;
    m->arrays[m->n] = m->arrays[i];
    m->arrays[m->n].field = &m->fields[m->n];
    m->n++;
    return true;
}

/* Offsets and lengths are INT64 whatever the footers have. */
static bool taco__legacy_table_add_ranges(taco__legacy_table *m)
{
    int64_t *size = (int64_t *)taco__arena_array(m->arena, m->rows + 8, sizeof *size, m->err);
    size_t i, k, at = 0;
    if (!size) { return false; }
    for (i = 0; i < m->count; i++) {
        for (k = 0; k < m->runs[i].n; k++) {
            size[at++] =
                taco_array_int(&m->runs[i].t->t.arrays[m->runs[i].t->length], m->runs[i].first + k);
        }
    }
    taco__legacy_table_add_alias(m, "internal:offset", "tortilla:offset");
    taco__legacy_table_add_column(m, "internal:size", TACO_INT64)->v.i64 = size;
    return true;
}

/* Makes the table of `count` runs: what is stored, and what levels and navigation go by. above is
   the level of the parents, NULL for level 0 and where no paths are wanted. */
TACO__FN bool taco__legacy_table_build(taco__container *s, taco__legacy *own, taco__arena *arena,
                                       const taco__legacy_run *runs, size_t count, bool top,
                                       const taco__legacy_level *above, taco__table *out,
                                       taco_error *err)
{
    taco__legacy_table m;
    taco__arena scratch;
    size_t i;
    bool ok, driver = false;
    memset(&m, 0, sizeof m);
    scratch.mem = s->mem;
    scratch.head = NULL;
    m.s = s;
    m.own = own;
    m.arena = arena;
    m.runs = runs;
    m.count = count;
    m.err = err;
    for (i = 0; i < count; i++) {
        m.rows += runs[i].n;
        driver = driver || runs[i].t->driver;
    }
    if (m.rows > INT32_MAX) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "%u rows in a level, at most %u are read",
                   TACO__U(m.rows), TACO__U(INT32_MAX));
        return false;
    }
    ok = taco__legacy_table_unify_columns(&m, &scratch) &&
         taco__legacy_table_copy_columns(&m, &scratch) &&
         taco__legacy_table_add_alias(
             &m, taco__legacy_table_has_column(&m, "id") ? "internal:id" : "id", "tortilla:id") &&
         taco__legacy_table_add_text(
             &m, taco__legacy_table_has_column(&m, "type") ? "internal:type" : "type",
             TACO__LEGACY_TYPE, NULL) &&
         (!driver || taco__legacy_table_has_column(&m, "internal:file_format") ||
          taco__legacy_table_add_text(&m, "internal:file_format", TACO__LEGACY_DRIVER, NULL)) &&
         taco__legacy_table_add_text(&m, "internal:subfile", TACO__LEGACY_SUBFILE, NULL) &&
         taco__legacy_table_add_ranges(&m) && taco__legacy_table_add_row_numbers(&m, top) &&
         (!above ||
          taco__legacy_table_add_text(&m, "internal:relative_path", TACO__LEGACY_PATH, above)) &&
         (own->file_count == 1 ||
          taco__legacy_table_add_text(&m, "internal:source_file", TACO__LEGACY_SOURCE, NULL));
    taco__arena_free(&scratch);
    memset(out, 0, sizeof *out);
    out->fields = m.fields;
    out->arrays = m.arrays;
    out->field_count = out->stored = m.n;
    out->rows = m.rows;
    return ok;
}
/* ==== src/legacy/tortilla_write.c ==== */
/* tortilla_write.c - writers of the old containers.. Spec: Tortilla 0.5.0 "Format", TACO 0.2.0 */
/* #include "legacy.h" */
/* #include "../base/base.h" */
/* #include "../base/sink.h" */
/* #include "../base/file_copy.h" */
/* #include "../base/json.h" */
/* #include "../parquet_write/parquet_write.h" */

/* Ends with what payload handed out. */
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
    w->arena.mem = &w->mem;
    w->err = err;
}

/* ---- footers
   ------------------------------------------------------------------------------------- */

/* Order of columns: those of every tortilla first. */
static int taco__tortilla_write_column_rank(const char *name)
{
    static const char *const first[] = {"tortilla:id", "tortilla:file_format",
                                        "tortilla:data_split"};
    int i;
    for (i = 0; i < 3 && strcmp(name, first[i]) != 0; i++) {}
    return i;
}

TACO__FN bool taco__tortilla_write_encode_footer(taco__tortilla_writer *w,
                                                 const taco_array *columns, size_t n, size_t rows,
                                                 const char *pointer, taco_bytes *out)
{
    taco_pq_write_options o;
    taco_pq_key key;
    taco_pq_writer *pq;
    taco_field *fields = (taco_field *)taco__arena_array(&w->arena, n + 1, sizeof *fields, w->err);
    taco_array *arrays = (taco_array *)taco__arena_array(&w->arena, n + 1, sizeof *arrays, w->err);
    taco_sink sink;
    taco_batch b;
    size_t i;
    bool ok;
    for (i = 0; fields && arrays && i < n; i++) {
        fields[i] = *columns[i].field;
        fields[i].nullable = true; /* as pandas has all of them */
        arrays[i] = columns[i];
        arrays[i].field = &fields[i];
    }
    memset(&o, 0, sizeof o);
    o.options = &w->options;
    o.codec = TACO_CODEC_ZSTD;
    o.encoding = TACO_ENCODING_PLAIN;
    o.row_group_rows = INT32_MAX;
    key.key = "pointer";
    key.value = pointer;
    o.keys = &key;
    o.key_count = pointer != NULL;
    if (!fields || !arrays || taco_sink_memory(&sink, &w->options, w->err) != TACO_OK) {
        return false;
    }
    memset(&b, 0, sizeof b);
    b.first_row = -1;
    b.length = rows;
    b.columns = arrays;
    b.column_count = n;
    pq = taco_pq_write(&sink, fields, n, &o, w->err);
    if (pq && rows) { taco_pq_writer_batch(pq, &b); }
    ok = pq && taco_pq_writer_close(pq, w->err) == TACO_OK;
    if (ok) {
        *out = taco_sink_bytes(&sink);
        out->data = (const uint8_t *)taco__arena_text(&w->arena, *out, w->err);
        ok = out->data != NULL;
    }
    taco_sink_free(&sink);
    return ok;
}

/* The columns of a footer: those of the node, offset and length among them. */
TACO__FN bool taco__tortilla_write_make_columns(taco__tortilla_writer *w,
                                                const taco__tortilla_node *node,
                                                const int64_t *offsets, const int64_t *sizes,
                                                taco_array *out, size_t *n)
{
    taco_field *f = (taco_field *)taco__arena_array(&w->arena, 2, sizeof *f, w->err);
    size_t i, k;
    int rank;
    if (!f) { return false; }
    for (i = 0; i < 2; i++) {
        f[i].type = TACO_INT64;
        f[i].width = 8;
    }
    f[0].name = w->compiled ? "tortilla:length" : "tortilla:offset";
    f[1].name = w->compiled ? "tortilla:offset" : "tortilla:length";
    for (*n = 0, rank = 0; rank <= 3; rank++) {
        if (rank == 3) {
            for (k = 0; k < 2; k++) {
                taco_array *a = &out[(*n)++];
                memset(a, 0, sizeof *a);
                a->field = &f[k];
                a->length = node->rows;
                a->v.i64 = (k == 0) == w->compiled ? sizes : offsets;
            }
        }
        for (i = 0; i < node->column_count; i++) {
            if (taco__tortilla_write_column_rank(node->columns[i].field->name) == rank) {
                out[(*n)++] = node->columns[i];
            }
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
    uint64_t next = TACO__TORTILLA_HEADER_BYTES;
    size_t i, n;
    if (!at || !sizes || !columns) { return false; }
    for (i = 0; i < node->rows; i++) {
        at[i] = (int64_t)next;
        sizes[i] = (int64_t)node->sizes[i];
        if (!taco__checked_add64(next, node->sizes[i], &next) || next > INT64_MAX) {
            TACO__FAIL(w->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "payloads of more than 2^63 bytes");
            return false;
        }
    }
    node->body = next - TACO__TORTILLA_HEADER_BYTES;
    return taco__tortilla_write_make_columns(w, node, at, sizes, columns, &n) &&
           taco__tortilla_write_encode_footer(w, columns, n, node->rows, NULL, &node->footer);
}

/* Sizes and footers of a node and all below it. */
TACO__FN bool taco__tortilla_write_measure(taco__tortilla_writer *w, taco__tortilla_node *node)
{
    size_t i;
    for (i = 0; i < node->rows; i++) {
        taco__input in;
        if (node->kids && node->kids[i]) {
            taco__tortilla_node *kid = node->kids[i];
            if (!taco__tortilla_write_measure(w, kid)) { return false; }
            node->sizes[i] = TACO__TORTILLA_HEADER_BYTES + kid->body + kid->footer.len;
            continue;
        }
        memset(&in, 0, sizeof in);
        if (!w->payload(w->ctx, node, i, &in, w->err)) { return false; }
        node->sizes[i] = in.size;
        taco__tortilla_write_close_input(w, &in);
    }
    return taco__tortilla_write_make_footer(w, node);
}

/* ---- bytes
   --------------------------------------------------------------------------------------- */

TACO__FN bool taco__tortilla_write_header(taco__tortilla_writer *w, const char *magic, uint64_t fo,
                                          uint64_t fl, uint64_t parts, uint64_t co, uint64_t cl)
{
    uint8_t p[TACO__TORTILLA_HEADER_BYTES];
    memset(p, 0, sizeof p);
    memcpy(p, magic, 2);
    taco__put_le64(p + 2, fo);
    taco__put_le64(p + 10, fl);
    taco__put_le64(p + 18, parts);
    taco__put_le64(p + 26, co);
    taco__put_le64(p + 34, cl);
    return taco__output_write(&w->out, p, sizeof p, w->err);
}

TACO__FN bool taco__tortilla_write_payload(taco__tortilla_writer *w, const taco__input *in)
{
    uint64_t at = 0;
    while (at < in->size) {
        size_t n = (size_t)TACO__MIN(in->size - at, (uint64_t)TACO__OUTPUT_BYTES / 2);
        uint8_t *room = taco__output_reserve(&w->out, n, w->err);
        if (!room || !taco__input_read(in, at, room, n, w->err)) { return false; }
        at += n;
    }
    return true;
}

/* Payloads and footer. */
TACO__FN bool taco__tortilla_write_body(taco__tortilla_writer *w, const taco__tortilla_node *node)
{
    size_t i;
    for (i = 0; i < node->rows; i++) {
        taco__input in;
        bool ok;
        if (node->kids && node->kids[i]) {
            const taco__tortilla_node *kid = node->kids[i];
            if (!taco__tortilla_write_header(w, "#y", TACO__TORTILLA_HEADER_BYTES + kid->body,
                                             kid->footer.len, 1, 0, 0) ||
                !taco__tortilla_write_body(w, kid)) {
                return false;
            }
            continue;
        }
        memset(&in, 0, sizeof in);
        ok = w->payload(w->ctx, node, i, &in, w->err);
        if (ok && in.size != node->sizes[i]) {
            TACO__FAIL(w->err, TACO_ERR_IO, TACO_NO_OFFSET,
                       "row %u: %u bytes now, %u when it was measured", TACO__U(i),
                       TACO__U(in.size), node->sizes[i]);
            ok = false;
        }
        ok = ok && taco__tortilla_write_payload(w, &in);
        taco__tortilla_write_close_input(w, &in);
        if (!ok) { return false; }
    }
    return taco__output_write(&w->out, node->footer.data, node->footer.len, w->err);
}

TACO__FN bool taco__tortilla_write_open(taco__tortilla_writer *w, const char *path)
{
#ifndef TACO_NO_STDIO
    taco_sink sink;
    return taco_sink_file(&sink, path, &w->options, w->err) == TACO_OK &&
           taco__output_open(&w->out, &sink, &w->mem, w->err);
#else
    (void)path;
    TACO__FAIL(w->err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET, "built without files");
    return false;
#endif
}

/* One file of a node that was measured; a collection makes it a TACO. */
TACO__FN bool taco__tortilla_write_file(taco__tortilla_writer *w, const char *path,
                                        const taco__tortilla_node *node, uint64_t parts,
                                        taco_bytes collection)
{
    uint64_t fo = TACO__TORTILLA_HEADER_BYTES + node->body, co = fo + node->footer.len;
    bool ok;
    if (!taco__tortilla_write_open(w, path)) { return false; }
    ok = taco__tortilla_write_header(w, collection.data ? "WX" : "#y", fo, node->footer.len, parts,
                                     collection.data ? co : 0, collection.len) &&
         taco__tortilla_write_body(w, node) &&
         taco__output_write(&w->out, collection.data, collection.len, w->err);
    return taco__output_close(&w->out, ok, w->err) && ok;
}

/* soyuna.tortilla as soyuna.0003.part.tortilla. */
static const char *taco__tortilla_write_part_name(taco__tortilla_writer *w, const char *path,
                                                  size_t k)
{
    size_t n = strlen(path), dot = n, digits;
    const char *ext = strrchr(path, '.'), *slash = strrchr(path, '/');
    char number[24], *out;
    if (ext && (!slash || ext > slash + 1)) { dot = (size_t)(ext - path); }
    out = (char *)taco__arena_alloc(&w->arena, n + 40, w->err);
    if (!out) { return NULL; }
    digits = taco__num_format_u64(number, k);
    memcpy(out, path, dot);
    out[dot] = '.';
    memset(out + dot + 1, '0', 4);
    n = digits < 4 ? dot + 5 - digits : dot + 1;
    memcpy(out + n, number, digits);
    strcpy(out + n + digits, ".part");
    strcat(out, path + dot);
    return out;
}

/* Rows [first, first + n) of a node as a node of their own. */
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
    out->kids = node->kids ? node->kids + first : NULL;
    out->tag = node->tag + first;
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

/* Writes a node that was measured as one file, or as parts whose payloads have at most `most`
   bytes: a sample that is larger stands alone. tag counts the rows of the slices on. */
TACO__FN bool taco__tortilla_write_parts(taco__tortilla_writer *w, const char *path,
                                         taco__tortilla_node *node, uint64_t most,
                                         taco_bytes collection)
{
    size_t i, first = 0, parts = 1, k = 0;
    uint64_t sum = 0;
    for (i = 0; i < node->rows; i++) { /* how many there will be stands in each of them */
        if (sum && sum + node->sizes[i] > most) {
            parts++;
            sum = 0;
        }
        sum += node->sizes[i];
    }
    if (parts == 1) { return taco__tortilla_write_file(w, path, node, 1, collection); }
    for (i = sum = 0; i <= node->rows; i++) {
        if (i == node->rows || (sum && sum + node->sizes[i] > most)) {
            taco__tortilla_node part;
            const char *name = taco__tortilla_write_part_name(w, path, k++);
            if (!name || !taco__tortilla_write_slice(w, node, first, i - first, &part) ||
                !taco__tortilla_write_file(w, name, &part, parts, collection)) {
                return false;
            }
            first = i;
            sum = 0;
        }
        sum += i < node->rows ? node->sizes[i] : 0;
    }
    return true;
}

/* ---- the rules of samples
   ------------------------------------------------------------------------- */

TACO__FN const taco_array *taco__tortilla_write_find_column(const taco_array *columns, size_t n,
                                                            const char *name)
{
    size_t i;
    for (i = 0; i < n; i++) {
        if (strcmp(columns[i].field->name, name) == 0) { return &columns[i]; }
    }
    return NULL;
}

static bool taco__tortilla_write_check_ids(taco__tortilla_writer *w, const taco_array *ids,
                                           size_t rows)
{
    taco__legacy_sort_key *list =
        (taco__legacy_sort_key *)taco__arena_array(&w->arena, rows + 1, sizeof *list, w->err);
    size_t i;
    for (i = 0; list && i < rows; i++) {
        list[i].id = taco_array_bytes(ids, i);
        list[i].file = 0;
        list[i].row = i;
        if (!list[i].id.len) {
            TACO__FAIL(w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "row %u has no tortilla:id",
                       TACO__U(i));
            return false;
        }
    }
    if (!list) { return false; }
    qsort(list, rows, sizeof *list, taco__legacy_compare_sort_keys);
    for (i = 1; i < rows; i++) {
        if (taco__bytes_equal(list[i - 1].id, list[i].id)) {
            TACO__FAIL(w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "rows %u and %u both have the tortilla:id %q, they must be unique",
                       TACO__U(list[i - 1].row), TACO__U(list[i].row), &list[i].id);
            return false;
        }
    }
    return true;
}

/* What the last writer refused: ids that are not unique, no format, another split, an end before
   the start. */
TACO__FN bool taco__tortilla_write_check_node(taco__tortilla_writer *w,
                                              const taco__tortilla_node *node)
{
    static const char *const splits[] = {"train", "validation", "test"};
    const taco_array *id =
        taco__tortilla_write_find_column(node->columns, node->column_count, "tortilla:id");
    const taco_array *format =
        taco__tortilla_write_find_column(node->columns, node->column_count, "tortilla:file_format");
    const taco_array *split =
        taco__tortilla_write_find_column(node->columns, node->column_count, "tortilla:data_split");
    const taco_array *start =
        taco__tortilla_write_find_column(node->columns, node->column_count, "stac:time_start");
    const taco_array *end =
        taco__tortilla_write_find_column(node->columns, node->column_count, "stac:time_end");
    size_t i, k;
    if (!id || id->field->type != TACO_TEXT || !format || format->field->type != TACO_TEXT) {
        TACO__FAIL(w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%s must be a column of text",
                   id && id->field->type == TACO_TEXT ? "tortilla:file_format" : "tortilla:id");
        return false;
    }
    for (i = 0; i < node->rows; i++) {
        taco_bytes s = split ? taco_array_bytes(split, i) : taco__bytes_of(NULL, 0);
        for (k = 0; s.data && k < 3 && !taco__bytes_equal(s, taco__bytes_text(splits[k])); k++) {}
        if (taco_array_bytes(format, i).len == 0) {
            TACO__FAIL(w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "row %u has no tortilla:file_format: a GDAL driver, BYTES or TORTILLA",
                       TACO__U(i));
            return false;
        }
        if (s.data && k == 3) {
            TACO__FAIL(w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "row %u: tortilla:data_split is %q, allowed are train, validation, test",
                       TACO__U(i), &s);
            return false;
        }
        if (start && end && taco_array_valid(start, i) && taco_array_valid(end, i) &&
            taco_array_double(end, i) < taco_array_double(start, i)) {
            TACO__FAIL(w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "row %u: stac:time_end lies before stac:time_start", TACO__U(i));
            return false;
        }
    }
    return taco__tortilla_write_check_ids(w, id, node->rows);
}

/* A text that is a JSON object, for the collection. */
TACO__FN bool taco__tortilla_write_check_json(taco__tortilla_writer *w, const char *text,
                                              taco_bytes *out)
{
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
    return true;
}

TACO__FN taco_status taco__tortilla_write_finish(taco__tortilla_writer *w, bool ok,
                                                 const char *path)
{
    taco__arena_free(&w->arena);
    if (!ok) { taco__error_prefix(w->err, "%s", path); }
    return ok ? TACO_OK : w->err->code;
}
/* ==== src/legacy/tortilla_create.c ==== */
/* tortilla_create.c - writers of the old containers.. Spec: Tortilla 0.5.0 "Format", TACO 0.2.0 */
/* #include "legacy.h" */
/* #include "../base/base.h" */
/* #include "../base/file_copy.h" */
/* #include "../dataset/dataset.h" */

/* ---- create
   --------------------------------------------------------------------------------------- */

typedef struct taco__tortilla_caller {
    bool (*payload)(void *ctx, size_t row, taco_source *out);
    void *ctx;
} taco__tortilla_caller;

static bool taco__tortilla_create_payload(void *ctx, const taco__tortilla_node *node, size_t row,
                                          taco__input *in, taco_error *err)
{
    const taco__tortilla_caller *c = (const taco__tortilla_caller *)ctx;
    taco_source src;
    memset(&src, 0, sizeof src);
    if (!c->payload(c->ctx, node->tag + row, &src)) {
        TACO__FAIL(err, TACO_ERR_IO, TACO_NO_OFFSET, "row %u: its bytes cannot be had",
                   TACO__U(node->tag + row));
        return false;
    }
    taco__input_from_range(in, &src, 0, src.size);
    return true;
}

/* Columns that the writer makes itself are left out. */
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

TACO_API taco_status taco_tortilla_create(const char *path, const taco_batch *samples,
                                          bool (*payload)(void *ctx, size_t row, taco_source *out),
                                          void *ctx, const taco_tortilla_options *opt,
                                          taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__tortilla_writer w;
    taco__tortilla_node node;
    taco__tortilla_caller caller;
    taco_bytes collection = {NULL, 0};
    bool ok;
    taco__tortilla_write_init(&w, opt ? opt->options : NULL, err ? err : &own);
    if (!path || !samples || !payload || samples->length == 0) {
        return TACO__FAIL(w.err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given",
                          !path ? "path" : "samples");
    }
    caller.payload = payload;
    caller.ctx = ctx;
    w.closes = true;
    w.payload = taco__tortilla_create_payload;
    w.ctx = &caller;
    ok = (!opt || !opt->collection ||
          taco__tortilla_write_check_json(&w, opt->collection, &collection)) &&
         taco__tortilla_create_node(&w, samples, &node) &&
         taco__tortilla_write_check_node(&w, &node) && taco__tortilla_write_measure(&w, &node) &&
         (opt && (opt->chain || opt->chunks)
              ? taco__chain_write_file(&w, path, &node, collection, opt->chunks)
              : taco__tortilla_write_parts(&w, path, &node,
                                           opt && opt->part_bytes ? opt->part_bytes
                                                                  : TACO__TORTILLA_PART_BYTES,
                                           collection));
    return taco__tortilla_write_finish(&w, ok, path);
}

/* ---- compile
   -------------------------------------------------------------------------------------- */

/* All rows of a cursor as arrays in the arena. */
TACO__FN bool taco__tortilla_compile_read_rows(taco__tortilla_writer *w, taco_cursor *c,
                                               taco_batch *out)
{
    size_t n, i, k, parts = 0;
    const taco_field *fields = taco_cursor_fields(c, &n);
    taco__buf list; /* of arrays of arrays */
    taco_batch b;
    taco_array *columns =
        (taco_array *)taco__arena_array(&w->arena, n + 1, sizeof *columns, w->err);
    bool ok = columns != NULL;
    memset(&list, 0, sizeof list);
    list.mem = &w->mem;
    memset(out, 0, sizeof *out);
    while (ok && taco_cursor_batch(c, &b)) {
        taco_array *copy = (taco_array *)taco__arena_array(&w->arena, n + 1, sizeof *copy, w->err);
        ok = copy && taco__buf_append(&list, &copy, sizeof copy, w->err);
        for (i = 0; ok && i < n; i++) {
            taco__concat_slice p;
            p.a = &b.columns[i];
            p.first = 0;
            p.n = b.length;
            ok = taco__concat_arrays(&w->arena, &fields[i], &p, 1, &copy[i], w->err);
        }
        out->length += b.length;
        parts++;
    }
    for (i = 0; ok && i < n; i++) {
        taco_field *f = (taco_field *)taco__arena_alloc(&w->arena, sizeof *f, w->err);
        taco__concat_slice *p =
            (taco__concat_slice *)taco__arena_array(&w->arena, parts + 1, sizeof *p, w->err);
        for (k = 0; p && k < parts; k++) {
            const taco_array *copy = ((taco_array **)(void *)list.data)[k];
            p[k].a = &copy[i];
            p[k].n = copy[i].length;
        }
        ok = f && p && taco__concat_copy_field(&w->arena, &fields[i], f, w->err) &&
             taco__concat_arrays(&w->arena, f, p, parts, &columns[i], w->err);
    }
    taco__buf_free(&list);
    out->columns = columns;
    out->column_count = n;
    out->first_row = -1;
    return ok;
}

typedef struct taco__tortilla_subset {
    taco_dataset *ds;
    const taco_array *offset, *size, *source;
    const size_t *rows; /* in the order in which they are written */
} taco__tortilla_subset;

static bool taco__tortilla_compile_payload(void *ctx, const taco__tortilla_node *node, size_t row,
                                           taco__input *in, taco_error *err)
{
    const taco__tortilla_subset *s = (const taco__tortilla_subset *)ctx;
    size_t at = s->rows[node->tag + row];
    uint64_t offset = (uint64_t)taco_array_int(s->offset, at),
             size = (uint64_t)taco_array_int(s->size, at);
    taco__file *f = &s->ds->stores[0].file;
    if (s->source) {
        f = taco__container_open_archive(&s->ds->stores[0], taco_array_bytes(s->source, at), err);
    }
    if (!f || !taco__file_check_range(f, offset, size, err)) { return false; }
    taco__input_from_range(in, &f->src, offset, size);
    return true;
}

TACO__FN int taco__tortilla_compile_compare(const void *a, const void *b)
{
    const taco__tortilla_sort_key *x = (const taco__tortilla_sort_key *)a,
                                  *y = (const taco__tortilla_sort_key *)b;
    return x->offset != y->offset ? (x->offset > y->offset) - (x->offset < y->offset)
                                  : (x->row > y->row) - (x->row < y->row);
}

/* The rows by their old offsets, across files too; columns of our own are dropped. */
static bool taco__tortilla_compile_node(taco__tortilla_writer *w, const taco_batch *all,
                                        taco__tortilla_subset *s, taco__tortilla_node *node)
{
    taco__tortilla_sort_key *places = (taco__tortilla_sort_key *)taco__arena_array(
        &w->arena, all->length + 1, sizeof *places, w->err);
    size_t *rows = (size_t *)taco__arena_array(&w->arena, all->length + 1, sizeof *rows, w->err);
    taco__concat_slice *p =
        (taco__concat_slice *)taco__arena_array(&w->arena, all->length + 1, sizeof *p, w->err);
    taco_array *columns =
        (taco_array *)taco__arena_array(&w->arena, all->column_count + 1, sizeof *columns, w->err);
    bool has_format = taco__tortilla_write_find_column(all->columns, all->column_count,
                                                       "tortilla:file_format"),
         user_id = taco__tortilla_write_find_column(all->columns, all->column_count, "internal:id"),
         user_type =
             taco__tortilla_write_find_column(all->columns, all->column_count, "internal:type");
    size_t i, k;
    memset(node, 0, sizeof *node);
    node->sizes =
        (uint64_t *)taco__arena_array(&w->arena, all->length + 1, sizeof(uint64_t), w->err);
    if (!places || !rows || !p || !columns || !node->sizes) { return false; }
    for (i = 0; i < all->length; i++) {
        places[i].offset = taco_array_int(s->offset, i);
        places[i].row = i;
    }
    qsort(places, all->length, sizeof *places, taco__tortilla_compile_compare);
    for (i = 0; i < all->length; i++) {
        rows[i] = places[i].row;
    }
    for (k = 0; k < all->column_count; k++) {
        const taco_field *from = all->columns[k].field;
        taco_field *f;
        bool format = !has_format && strcmp(from->name, "internal:file_format") == 0;
        if (!format &&
            (strncmp(from->name, "internal:", 9) == 0 || strcmp(from->name, "geometry") == 0 ||
             strcmp(from->name, "tortilla:offset") == 0 ||
             strcmp(from->name, "tortilla:length") == 0 ||
             (!user_id && strcmp(from->name, "id") == 0) ||
             (!user_type && strcmp(from->name, "type") == 0))) {
            continue;
        }
        f = (taco_field *)taco__arena_alloc(&w->arena, sizeof *f, w->err);
        for (i = 0; i < all->length; i++) {
            p[i].a = &all->columns[k];
            p[i].first = rows[i];
            p[i].n = 1;
        }
        if (!f) { return false; }
        *f = *from;
        f->name = format ? "tortilla:file_format" : f->name;
        if (!taco__concat_arrays(&w->arena, f, p, all->length, &columns[node->column_count++],
                                 w->err)) {
            return false;
        }
    }
    s->rows = rows;
    node->columns = columns;
    node->rows = all->length;
    return true;
}

TACO_API taco_status taco_tortilla_compile(taco_dataset *ds, const taco_query *q, const char *path,
                                           taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__tortilla_writer w;
    taco__tortilla_node node;
    taco__tortilla_subset s;
    taco_batch all;
    taco_cursor *c;
    bool ok;
    taco__tortilla_write_init(&w, ds ? &ds->options : NULL, err ? err : &own);
    if (!ds || !path || ds->stores[0].format != taco_legacy_opener() ||
        (q && (q->select || q->flat))) {
        return TACO__FAIL(w.err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "a Tortilla or TACO 0.x, whole rows of it and a path are needed");
    }
    c = taco_select(ds, q, w.err);
    ok = c && taco__tortilla_compile_read_rows(&w, c, &all);
    if (c && taco_cursor_close(c, w.err) != TACO_OK) { ok = false; }
    memset(&s, 0, sizeof s);
    s.ds = ds;
    if (ok && all.length == 0) {
        TACO__FAIL(w.err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no row is left to write");
        ok = false;
    }
    if (ok) {
        s.offset =
            taco__tortilla_write_find_column(all.columns, all.column_count, "internal:offset");
        s.size = taco__tortilla_write_find_column(all.columns, all.column_count, "internal:size");
        s.source =
            taco__tortilla_write_find_column(all.columns, all.column_count, "internal:source_file");
        w.compiled = true;
        w.payload = taco__tortilla_compile_payload;
        w.ctx = &s;
        ok = s.offset && s.size && taco__tortilla_compile_node(&w, &all, &s, &node) &&
             taco__tortilla_write_measure(&w, &node) &&
             taco__tortilla_write_file(&w, path, &node, 1, taco__bytes_of(NULL, 0));
    }
    return taco__tortilla_write_finish(&w, ok, path);
}
/* ==== src/legacy/footer_chain_write.c ==== */
/* footer_chain_write.c - writers of the old containers.. Spec: Tortilla 0.5.0 "Format", TACO
   0.2.0 */
/* #include "legacy.h" */
/* #include "../base/base.h" */
/* #include "../base/sink.h" */
/* #include "../base/file_copy.h" */
/* #include "../dataset/dataset.h" */
/* #include "../tiff/tiff.h" */

/* ---- the chain of footers
   ---------------------------------------------------------------------------- */

/* A tortilla below the top: which payload of the top holds it, and where in it. */
typedef struct taco__chain_nested {
    size_t top;
    uint64_t base;  /* in that payload */
    taco_bytes key; /* of the row that it is */
} taco__chain_nested;

/* One object: its rows, and the tortillas among them. */
typedef struct taco__chain_object {
    taco_array *columns;
    size_t count, rows;
    taco__chain_nested *inner;
    size_t inner_count;
} taco__chain_object;

/* A column of text: root, of the keys of parents, is the first one of every object. */
static bool taco__chain_write_text_column(taco__tortilla_writer *w, taco_array *a, const char *name,
                                          const taco_bytes *roots, size_t n)
{
    taco_field *f = (taco_field *)taco__arena_alloc(&w->arena, sizeof *f, w->err);
    int32_t *ends = (int32_t *)taco__arena_array(&w->arena, n + 1, sizeof *ends, w->err);
    uint64_t total = 0;
    uint8_t *p;
    size_t i;
    for (i = 0; ends && i < n; i++) {
        total += roots[i].len;
        if (total > INT32_MAX) {
            TACO__FAIL(w->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "too much text in column %s", name);
            return false;
        }
        ends[i + 1] = (int32_t)total;
    }
    p = (uint8_t *)taco__arena_alloc(&w->arena, (size_t)total + TACO__PAD, w->err);
    if (!f || !ends || !p) { return false; }
    for (i = 0; i < n; i++) {
        if (roots[i].len) { memcpy(p + ends[i], roots[i].data, roots[i].len); }
    }
    f->name = name;
    f->type = TACO_TEXT;
    memset(a, 0, sizeof *a);
    a->field = f;
    a->length = n;
    a->offsets = ends;
    a->v.any = p;
    return true;
}

/* The key of a row: that of its parent, a slash, its id. */
static taco_bytes taco__chain_write_make_key(taco__tortilla_writer *w, taco_bytes parent,
                                             taco_bytes id)
{
    uint8_t *p = (uint8_t *)taco__arena_alloc(&w->arena, parent.len + id.len + 1, w->err);
    if (!p) { return taco__bytes_of(NULL, 0); }
    if (parent.len) {
        memcpy(p, parent.data, parent.len);
        p[parent.len] = '/';
    }
    if (id.len) { memcpy(p + parent.len + (parent.len != 0), id.data, id.len); }
    return taco__bytes_of(p, parent.len + (parent.len != 0) + id.len);
}

/* Reads the footer of a tortilla inside a payload. Its offsets become those in the file, whose
   payload begins at `at`. */
static bool taco__chain_write_read_nested(taco__tortilla_writer *w, const taco__tortilla_node *node,
                                          const taco__chain_nested *inner, uint64_t at,
                                          taco__tortilla_table *out, taco__buf *below,
                                          taco__buf *roots)
{
    taco__container s;
    taco__file file;
    taco__tortilla head;
    taco__input in;
    size_t i;
    bool ok;
    memset(&s, 0, sizeof s);
    memset(&in, 0, sizeof in);
    s.mem = &w->mem;
    s.options = &w->options;
    if (!w->payload(w->ctx, node, inner->top, &in, w->err)) { return false; }
    taco__file_init(&file, &in.source, "", &w->mem);
    ok = taco__tortilla_read_header(&file, inner->base, &w->arena, &head, w->err) &&
         taco__tortilla_read_footer(&s, &file, head.footer, inner->base, head.driver, &w->arena,
                                    out, w->err);
    for (i = 0; ok && i < out->t.rows; i++) {
        int64_t *place = (int64_t *)out->t.arrays[out->offset].v.any;
        taco_bytes id = taco_array_bytes(&out->t.arrays[out->id], i);
        ok = taco__buf_append(roots, &inner->key, sizeof inner->key, w->err);
        if (ok && taco__tortilla_is_nested(out, i)) {
            taco__chain_nested n;
            n.top = inner->top;
            n.base = (uint64_t)place[i];
            n.key = taco__chain_write_make_key(w, inner->key, id);
            ok = n.key.data && taco__buf_append(below, &n, sizeof n, w->err);
        }
        place[i] += (int64_t)at;
    }
    if (w->closes) {
        taco__file_close(&file);
    } else {
        file.src.close = NULL;
        taco__file_close(&file);
    }
    return ok;
}

/* The object below another one: the rows of all its tortillas. */
static bool taco__chain_write_next_object(taco__tortilla_writer *w, const taco__tortilla_node *node,
                                          const uint64_t *at, const taco__chain_object *above,
                                          taco__chain_object *out)
{
    taco__tortilla_table *tables = (taco__tortilla_table *)taco__arena_array(
        &w->arena, above->inner_count, sizeof *tables, w->err);
    taco__legacy_run *runs =
        (taco__legacy_run *)taco__arena_array(&w->arena, above->inner_count, sizeof *runs, w->err);
    taco__legacy_table m;
    taco__buf below, roots;
    size_t i;
    bool ok = tables && runs;
    memset(&m, 0, sizeof m);
    memset(&below, 0, sizeof below);
    memset(&roots, 0, sizeof roots);
    below.mem = roots.mem = &w->mem;
    m.arena = &w->arena;
    m.runs = runs;
    m.count = above->inner_count;
    m.err = w->err;
    for (i = 0; ok && i < m.count; i++) {
        ok = taco__chain_write_read_nested(w, node, &above->inner[i], at[above->inner[i].top],
                                           &tables[i], &below, &roots);
        runs[i].t = &tables[i];
        runs[i].n = ok ? (size_t)tables[i].t.rows : 0;
        m.rows += runs[i].n;
    }
    ok = ok && taco__legacy_table_unify_columns(&m, &w->arena) &&
         taco__legacy_table_copy_columns(&m, &w->arena);
    memset(out, 0, sizeof *out);
    if (ok) {
        out->rows = m.rows;
        out->count = m.n + 1;
        out->columns =
            (taco_array *)taco__arena_array(&w->arena, m.n + 1, sizeof *m.arrays, w->err);
        out->inner_count = below.len / sizeof *out->inner;
        out->inner = (taco__chain_nested *)taco__arena_alloc(&w->arena, below.len + 1, w->err);
        ok = out->columns && out->inner &&
             taco__chain_write_text_column(w, out->columns, "root",
                                           (const taco_bytes *)(const void *)roots.data, m.rows);
    }
    if (ok) {
        memcpy(out->columns + 1, m.arrays, m.n * sizeof *m.arrays);
        if (below.len) { memcpy(out->inner, below.data, below.len); }
    }
    taco__buf_free(&below);
    taco__buf_free(&roots);
    return ok;
}

/* The first object: the samples themselves, each its own root. */
static bool taco__chain_write_first_object(taco__tortilla_writer *w,
                                           const taco__tortilla_node *node, const uint64_t *at,
                                           taco__chain_object *out)
{
    const taco_array *id =
        taco__tortilla_write_find_column(node->columns, node->column_count, "tortilla:id");
    const taco_array *format =
        taco__tortilla_write_find_column(node->columns, node->column_count, "tortilla:file_format");
    int64_t *offsets =
        (int64_t *)taco__arena_array(&w->arena, node->rows + 8, sizeof *offsets, w->err);
    int64_t *sizes = (int64_t *)taco__arena_array(&w->arena, node->rows + 8, sizeof *sizes, w->err);
    taco_bytes *roots =
        (taco_bytes *)taco__arena_array(&w->arena, node->rows + 1, sizeof *roots, w->err);
    size_t i, n;
    memset(out, 0, sizeof *out);
    out->columns = (taco_array *)taco__arena_array(&w->arena, node->column_count + 3,
                                                   sizeof *out->columns, w->err);
    out->inner = (taco__chain_nested *)taco__arena_array(&w->arena, node->rows + 1,
                                                         sizeof *out->inner, w->err);
    if (!offsets || !sizes || !roots || !out->columns || !out->inner) { return false; }
    for (i = 0; i < node->rows; i++) {
        offsets[i] = (int64_t)at[i];
        sizes[i] = (int64_t)node->sizes[i];
        roots[i] = taco_array_bytes(id, i);
        if (taco__bytes_equal(taco_array_bytes(format, i), taco__bytes_text("TORTILLA"))) {
            out->inner[out->inner_count].top = i;
            out->inner[out->inner_count].base = 0;
            out->inner[out->inner_count++].key = roots[i];
        }
    }
    out->rows = node->rows;
    if (!taco__chain_write_text_column(w, out->columns, "root", roots, node->rows) ||
        !taco__tortilla_write_make_columns(w, node, offsets, sizes, out->columns + 1, &n)) {
        return false;
    }
    out->count = n + 1;
    return true;
}

/* ---- the table of chunks ---- */

/* Rows of the table that is being made. */
typedef struct taco__chain_chunks {
    taco__buf roots, ids; /* taco_bytes */
    taco__buf offsets, sizes;
    taco_source src; /* of the payload that holds the sample */
    uint64_t base;   /* of the sample in it */
} taco__chain_chunks;

static bool taco__chain_write_read_sample(void *ctx, uint64_t offset, void *dst, size_t len)
{
    const taco__chain_chunks *c = (const taco__chain_chunks *)ctx;
    return c->src.read(c->src.ctx, c->base + offset, dst, len);
}

/* The tiles of one TIFF, which begins at `at` in the file. */
static bool taco__chain_write_add_tiles(taco__tortilla_writer *w, taco__chain_chunks *c,
                                        const taco_tiff_header *h, taco_bytes root, taco_bytes id,
                                        uint64_t at, uint64_t size)
{
    size_t i, n = TACO__MIN(h->tile_offset_count, h->tile_byte_count_count);
    for (i = 0; i < n; i++) {
        uint64_t offset = h->tile_offsets[i], len = h->tile_byte_counts[i];
        taco_bytes name;
        char *text = (char *)taco__arena_alloc(&w->arena, id.len + 24, w->err);
        if (!text) { return false; }
        if (!taco__checked_range(offset, len, size)) {
            TACO__FAIL(w->err, TACO_ERR_TRUNCATED, TACO_NO_OFFSET,
                       "sample %q: tile %u has %u bytes at %u, the TIFF ends at %u", &id,
                       TACO__U(i), len, offset, size);
            return false;
        }
        memcpy(text, id.data, id.len);
        memcpy(text + id.len, "::", 2);
        name.data = (const uint8_t *)text;
        name.len = id.len + 2 + taco__num_format_u64(text + id.len + 2, i);
        offset += at;
        if (!taco__buf_append(&c->roots, &root, sizeof root, w->err) ||
            !taco__buf_append(&c->ids, &name, sizeof name, w->err) ||
            !taco__buf_append(&c->offsets, &offset, sizeof offset, w->err) ||
            !taco__buf_append(&c->sizes, &len, sizeof len, w->err)) {
            return false;
        }
    }
    return true;
}

/* The tiles of one sample, where it is a TIFF that has some. at[top] is where the payload begins
   that holds it. */
static bool taco__chain_write_add_sample(taco__tortilla_writer *w, const taco__tortilla_node *node,
                                         const uint64_t *at, taco__chain_chunks *c, taco_bytes root,
                                         taco_bytes id, uint64_t offset, uint64_t size)
{
    size_t top = 0, high = node->rows;
    taco__input in;
    taco_source part;
    taco_error why; /* what is no TIFF has no chunks */
    taco_tiff *t;
    bool ok = true;
    while (high - top > 1) {
        size_t mid = top + (high - top) / 2;
        if (at[mid] <= offset) {
            top = mid;
        } else {
            high = mid;
        }
    }
    while (top && node->sizes[top] == 0 && size) { /* samples without bytes share a place */
        top--;
    }
    memset(&in, 0, sizeof in);
    memset(&part, 0, sizeof part);
    memset(&why, 0, sizeof why);
    if (!w->payload(w->ctx, node, top, &in, w->err)) { return false; }
    c->src = in.source;
    c->base = offset - at[top];
    part.ctx = c;
    part.size = size;
    part.read = taco__chain_write_read_sample;
    t = taco__checked_range(c->base, size, in.source.size)
            ? taco_tiff_open(&part, "payload", &w->options, &why)
            : NULL;
    if (t && taco_tiff_get(t)->tile_offsets && taco_tiff_get(t)->tile_byte_counts) {
        ok = taco__chain_write_add_tiles(w, c, taco_tiff_get(t), root, id, offset, size);
    }
    taco_tiff_close(t);
    if (w->closes && in.source.close) { in.source.close(in.source.ctx); }
    return ok;
}

/* A column of numbers of the table. */
static bool taco__chain_write_number_column(taco__tortilla_writer *w, taco_array *a,
                                            const char *name, const taco__buf *values)
{
    taco_field *f = (taco_field *)taco__arena_alloc(&w->arena, sizeof *f, w->err);
    uint8_t *v = (uint8_t *)taco__arena_alloc(&w->arena, values->len + TACO__PAD, w->err);
    if (!f || !v) { return false; }
    if (values->len) { memcpy(v, values->data, values->len); }
    f->name = name;
    f->type = TACO_INT64;
    f->width = 8;
    memset(a, 0, sizeof *a);
    a->field = f;
    a->length = values->len / sizeof(uint64_t);
    a->v.any = v;
    return true;
}

/* The object behind the last: root, id, offset and length of every chunk; no rows where there are
   none. */
static bool taco__chain_write_chunk_table(taco__tortilla_writer *w, const taco__tortilla_node *node,
                                          const uint64_t *at, const taco__chain_object *last,
                                          bool top, taco__chain_object *out)
{
    const taco_array *id =
        taco__tortilla_write_find_column(last->columns, last->count, "tortilla:id");
    const taco_array *offset =
        taco__tortilla_write_find_column(last->columns, last->count, "tortilla:offset");
    const taco_array *size =
        taco__tortilla_write_find_column(last->columns, last->count, "tortilla:length");
    taco__chain_chunks c;
    taco_array *a = (taco_array *)taco__arena_array(&w->arena, 4, sizeof *a, w->err);
    size_t i, n;
    bool ok = a && id && offset && size;
    memset(&c, 0, sizeof c);
    c.roots.mem = c.ids.mem = c.offsets.mem = c.sizes.mem = &w->mem;
    for (i = 0; ok && i < last->rows; i++) {
        taco_bytes name = taco_array_bytes(id, i),
                   root = top ? name
                              : taco__chain_write_make_key(
                                    w, taco_array_bytes(&last->columns[0], i), name);
        ok = root.data && taco__chain_write_add_sample(w, node, at, &c, root, name,
                                                       (uint64_t)taco_array_int(offset, i),
                                                       (uint64_t)taco_array_int(size, i));
    }
    n = c.sizes.len / sizeof(uint64_t);
    ok = ok &&
         taco__chain_write_text_column(w, &a[0], "root",
                                       (const taco_bytes *)(const void *)c.roots.data, n) &&
         taco__chain_write_text_column(w, &a[1], "tortilla:id",
                                       (const taco_bytes *)(const void *)c.ids.data, n) &&
         taco__chain_write_number_column(w, &a[2], "tortilla:offset", &c.offsets) &&
         taco__chain_write_number_column(w, &a[3], "tortilla:length", &c.sizes);
    memset(out, 0, sizeof *out);
    out->columns = a;
    out->count = 4;
    out->rows = n;
    taco__buf_free(&c.roots);
    taco__buf_free(&c.ids);
    taco__buf_free(&c.offsets);
    taco__buf_free(&c.sizes);
    return ok;
}

/* Writes a node that was measured with a chain of footers. The objects stand last first, so that
   each knows where the next one is; the header names the first. */
TACO__FN bool taco__chain_write_file(taco__tortilla_writer *w, const char *path,
                                     taco__tortilla_node *node, taco_bytes collection, bool chunks)
{
    taco__chain_object objects[TACO__CHAIN_MAX_OBJECTS];
    taco_bytes bytes[TACO__CHAIN_MAX_OBJECTS];
    uint64_t *at = (uint64_t *)taco__arena_array(&w->arena, node->rows + 1, sizeof *at, w->err);
    uint64_t place = TACO__TORTILLA_HEADER_BYTES + node->body;
    char pointer[80] = "NULL";
    size_t i, n = 1;
    bool ok = at != NULL;
    for (i = 0; ok && i < node->rows; i++) {
        at[i] = i ? at[i - 1] + node->sizes[i - 1] : TACO__TORTILLA_HEADER_BYTES;
    }
    ok = ok && taco__chain_write_first_object(w, node, at, &objects[0]);
    for (; ok && objects[n - 1].inner_count; n++) {
        if (n == TACO__CHAIN_MAX_OBJECTS) {
            TACO__FAIL(w->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "a chain of more than %u objects",
                       TACO__U(n));
            return false;
        }
        ok = taco__chain_write_next_object(w, node, at, &objects[n - 1], &objects[n]);
    }
    if (ok && chunks && n < TACO__CHAIN_MAX_OBJECTS) {
        ok = taco__chain_write_chunk_table(w, node, at, &objects[n - 1], n == 1, &objects[n]);
        n += ok && objects[n].rows;
    }
    for (i = n; ok && i-- > 0;) {
        size_t k = 13;
        ok = taco__tortilla_write_encode_footer(w, objects[i].columns, objects[i].count,
                                                objects[i].rows, pointer, &bytes[i]);
        if (ok && i) {
            memcpy(pointer, "OFFSETLENGTH(", k);
            k += taco__num_format_u64(pointer + k, place);
            memcpy(pointer + k, ", ", 2);
            k += 2;
            k += taco__num_format_u64(pointer + k, bytes[i].len);
            memcpy(pointer + k, ")", 2);
            place += bytes[i].len;
        }
    }
    if (!ok || !taco__tortilla_write_open(w, path)) { return false; }
    node->footer = taco__bytes_of(NULL, 0);
    ok = taco__tortilla_write_header(w, collection.data ? "WX" : "#y", place, bytes[0].len, 1,
                                     collection.data ? place + bytes[0].len : 0, collection.len) &&
         taco__tortilla_write_body(w, node);
    for (i = n; ok && i-- > 0;) {
        ok = taco__output_write(&w->out, bytes[i].data, bytes[i].len, w->err);
    }
    ok = ok && taco__output_write(&w->out, collection.data, collection.len, w->err);
    return taco__output_close(&w->out, ok, w->err) && ok;
}
/* ==== src/legacy/tortilla_edit.c ==== */
/* tortilla_edit.c - writers of the old containers.. Spec: Tortilla 0.5.0 "Format", TACO 0.2.0 */
/* #include "legacy.h" */
/* #include "../base/base.h" */
/* #include "../base/sink.h" */
/* #include "../base/file_copy.h" */

/* ---- files that stand, changed
   --------------------------------------------------------------------- */

/* What is made of a file: its bytes up to where the footer or the collection begins, and another
   footer or collection. */
typedef struct taco__tortilla_edit {
    taco_source src;
    taco__file file;
    taco__tortilla head;
    uint8_t raw[TACO__TORTILLA_HEADER_BYTES];
} taco__tortilla_edit;

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

/* Header, bytes [200, kept) as they are, and what comes behind them. */
static bool taco__tortilla_edit_write(taco__tortilla_writer *w, taco__tortilla_edit *e,
                                      const char *out, uint64_t kept, taco_bytes behind,
                                      taco_bytes last)
{
    taco__input body;
    bool ok;
    if (kept < TACO__TORTILLA_HEADER_BYTES || kept > e->src.size) {
        TACO__FAIL(w->err, TACO_ERR_CORRUPT, 2, "the footer stands where the header is");
        return false;
    }
    if (!taco__tortilla_write_open(w, out)) { return false; }
    taco__input_from_range(&body, &e->src, TACO__TORTILLA_HEADER_BYTES,
                           kept - TACO__TORTILLA_HEADER_BYTES);
    ok = taco__output_write(&w->out, e->raw, sizeof e->raw, w->err) &&
         taco__tortilla_write_payload(w, &body) &&
         taco__output_write(&w->out, behind.data, behind.len, w->err) &&
         taco__output_write(&w->out, last.data, last.len, w->err);
    return taco__output_close(&w->out, ok, w->err) && ok;
}

static taco_status taco__tortilla_edit_close(taco__tortilla_writer *w, taco__tortilla_edit *e,
                                             bool ok, const char *path)
{
    if (e->src.read) { taco__file_close(&e->file); }
    return taco__tortilla_write_finish(w, ok, path);
}

static bool taco__tortilla_edit_check_kind(taco__tortilla_writer *w, const taco__tortilla_edit *e,
                                           bool wanted)
{
    if ((memcmp(e->raw, "WX", 2) == 0) == wanted) { return true; }
    TACO__FAIL(w->err, TACO_ERR_ARGUMENT, 0, wanted ? "a tortilla, not a TACO" : "a TACO already");
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
    taco__tortilla_write_init(&w, opt, err ? err : &own);
    ok = taco__tortilla_edit_open(&w, in, &e) && taco__tortilla_edit_check_kind(&w, &e, false) &&
         taco__tortilla_write_check_json(&w, collection, &json);
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
    taco__tortilla_write_init(&w, opt, err ? err : &own);
    ok = taco__tortilla_edit_open(&w, in, &e) && taco__tortilla_edit_check_kind(&w, &e, true);
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
    taco__tortilla_write_init(&w, opt, err ? err : &own);
    ok = taco__tortilla_edit_open(&w, in, &e) && taco__tortilla_edit_check_kind(&w, &e, true) &&
         taco__tortilla_write_check_json(&w, collection, &json);
    if (ok) {
        taco__put_le64(e.raw + 34, json.len);
        ok = taco__tortilla_edit_write(&w, &e, out, e.head.collection.offset, json, none);
    }
    return taco__tortilla_edit_close(&w, &e, ok, in);
}

/* The rows of a footer to come must lie in front of it. */
static bool taco__tortilla_edit_check_rows(taco__tortilla_writer *w, const taco__tortilla_edit *e,
                                           const taco_batch *rows)
{
    const taco_array *offset =
        taco__tortilla_write_find_column(rows->columns, rows->column_count, "tortilla:offset");
    const taco_array *length =
        taco__tortilla_write_find_column(rows->columns, rows->column_count, "tortilla:length");
    const taco_array *id =
        taco__tortilla_write_find_column(rows->columns, rows->column_count, "tortilla:id");
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

TACO_API taco_status taco_tortilla_edit_footer(const char *in, const char *out,
                                               const taco_batch *rows, const taco_options *opt,
                                               taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__tortilla_writer w;
    taco__tortilla_edit e;
    taco_bytes json = {NULL, 0}, footer = {NULL, 0};
    taco_array *columns;
    size_t i, n = 0;
    bool ok;
    taco__tortilla_write_init(&w, opt, err ? err : &own);
    if (!rows) { return TACO__FAIL(w.err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no rows given"); }
    ok = taco__tortilla_edit_open(&w, in, &e) && taco__tortilla_edit_check_rows(&w, &e, rows);
    columns =
        (taco_array *)taco__arena_array(&w.arena, rows->column_count + 1, sizeof *columns, w.err);
    for (i = 0; columns && i < rows->column_count; i++) {
        const char *name = rows->columns[i].field->name;
        if (strncmp(name, "internal:", 9) != 0 && strcmp(name, "geometry") != 0) {
            columns[n++] = rows->columns[i];
        }
    }
    ok = ok && columns &&
         taco__tortilla_write_encode_footer(&w, columns, n, rows->length, NULL, &footer);
    if (ok && e.head.collection.len) {
        uint8_t *p = (uint8_t *)taco__arena_alloc(&w.arena, (size_t)e.head.collection.len, w.err);
        ok = p && taco__file_read(&e.file, e.head.collection.offset, p,
                                  (size_t)e.head.collection.len, w.err);
        json = taco__bytes_of(p, (size_t)e.head.collection.len);
        taco__put_le64(e.raw + 26, e.head.footer.offset + footer.len);
    }
    taco__put_le64(e.raw + 10, footer.len);
    ok = ok && taco__tortilla_edit_write(&w, &e, out, e.head.footer.offset, footer, json);
    return taco__tortilla_edit_close(&w, &e, ok, in);
}
/* ==== src/legacy/convert.c ==== */
/* convert.c - old datasets as TACO 2, and back.. Spec: TACO 2.0.0 §5, §6 */
/* #include "legacy.h" */
/* #include "../base/base.h" */
/* #include "../base/json.h" */
/* #include "../validate/validate.h" */
/* #include "../write/write.h" */

/* Tells the caller what the other format has no place for. */
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
    taco__tree_init(&f->tree, &f->mem);
}

TACO__FN void taco__convert_free(taco__conversion *f)
{
    taco__tree_free(&f->tree);
    taco__arena_free(&f->arena);
    taco_close(f->ds);
    f->ds = NULL;
}

/* ---- the collection
   ------------------------------------------------------------------------------- */

static bool taco__convert_append_key(taco__buf *b, const char *key, taco_error *err)
{
    return (b->len == 1 || taco__buf_append_char(b, ',', err)) &&
           taco__buf_append_char(b, '"', err) && taco__buf_append_text(b, key, err) &&
           taco__buf_append_text(b, "\":", err);
}

static bool taco__convert_append_text(taco__buf *b, const char *key, taco_bytes text,
                                      taco_error *err)
{
    return taco__convert_append_key(b, key, err) && taco__json_print_text(b, text, err);
}

/* A member as it stands; nothing where the document has none. */
static bool taco__convert_copy_member(taco__buf *b, const taco__json *root, const char *key,
                                      taco_error *err)
{
    const taco__json *n = taco__json_get(root, key);
    return taco__rules_is_null(n) ||
           (taco__convert_append_key(b, key, err) && taco__json_print(b, n, 0, err));
}

/* The id in lower case letters, digits, '_' and '-'. */
static bool taco__convert_append_id(taco__buf *b, taco_bytes id, taco_error *err)
{
    size_t i;
    bool ok = taco__convert_append_key(b, "id", err) && taco__buf_append_char(b, '"', err);
    for (i = 0; ok && i < id.len; i++) {
        char c = (char)id.data[i];
        c = c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
        ok = taco__buf_append_char(
            b, (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' ? c : '_', err);
    }
    return ok && (id.len || taco__buf_append_text(b, "dataset", err)) &&
           taco__buf_append_char(b, '"', err);
}

/* providers or curators: name, organization, the first address and role. */
static bool taco__convert_append_contacts(taco__buf *b, const taco__json *root, const char *key,
                                          taco_error *err)
{
    const taco__json *list = taco__json_get(root, key), *who;
    size_t i, k;
    bool ok;
    if (!taco__json_length(list)) { return true; }
    ok = taco__convert_append_key(b, key, err) && taco__buf_append_char(b, '[', err);
    for (i = 0, who = taco__json_first(list); ok && i < list->count;
         i++, who = taco__json_next(who)) {
        static const char *const keys[] = {"name", "organization", "email", "role", "url"};
        const taco__json *values[5];
        bool first = true;
        values[0] = taco__json_get(who, "name");
        values[1] = taco__json_get(who, "organization");
        values[2] = taco__json_get(taco__json_at(taco__json_get(who, "emails"), 0), "value");
        values[3] = taco__json_at(taco__json_get(who, "roles"), 0);
        values[4] = taco__json_get(taco__json_at(taco__json_get(who, "links"), 0), "href");
        if (!taco__bytes_starts_with(taco__json_bytes(values[4]), "http")) { values[4] = NULL; }
        ok = taco__buf_append_text(b, i ? ",{" : "{", err);
        for (k = 0; ok && k < 5; k++) {
            if (taco__json_bytes(values[k]).len) {
                ok = (first || taco__buf_append_char(b, ',', err)) &&
                     taco__buf_append_char(b, '"', err) && taco__buf_append_text(b, keys[k], err) &&
                     taco__buf_append_text(b, "\":", err) &&
                     taco__json_print_text(b, taco__json_bytes(values[k]), err);
                first = false;
            }
        }
        ok = ok && taco__buf_append_char(b, '}', err);
    }
    return ok && taco__buf_append_char(b, ']', err);
}

/* The boxes of an extent together; false when there is none that is whole. */
TACO__FN bool taco__convert_read_bbox(const taco__json *spatial, double box[4])
{
    size_t i, k, n = taco__json_length(spatial);
    bool flat = n && taco__json_is(taco__json_at(spatial, 0), TACO__JSON_NUMBER);
    for (i = 0; i < (flat ? 1 : n); i++) {
        const taco__json *b = flat ? spatial : taco__json_at(spatial, i);
        size_t wide = taco__json_length(b) == 6 ? 3 : 2;
        double e[4];
        for (k = 0; k < 4; k++) {
            if (taco__json_length(b) != wide * 2 ||
                !taco__json_double(taco__json_at(b, k < 2 ? k : wide + k - 2), &e[k])) {
                return false;
            }
            box[k] = !i ? e[k] : k < 2 ? TACO__MIN(box[k], e[k]) : TACO__MAX(box[k], e[k]);
        }
    }
    return n != 0;
}

static bool taco__convert_append_extent(taco__buf *b, const taco__json *root, taco_error *err)
{
    const taco__json *extent = taco__json_get(root, "extent"),
                     *times = taco__json_get(extent, "temporal"), *one = taco__json_at(times, 0);
    double box[4];
    size_t i;
    bool ok;
    one = taco__json_is(one, TACO__JSON_STRING) ? times : one;
    if (!taco__convert_read_bbox(taco__json_get(extent, "spatial"), box)) {
        return true; /* it is computed from the columns */
    }
    ok = taco__convert_append_key(b, "extent", err) &&
         taco__buf_append_text(b, "{\"spatial\":", err);
    for (i = 0; ok && i < 4; i++) {
        ok = taco__buf_append_char(b, i ? ',' : '[', err) &&
             taco__document_write_double(b, box[i], err);
    }
    ok = ok && taco__buf_append_text(b, "],\"temporal\":", err);
    if (taco__json_text(taco__json_at(one, 0)) && taco__json_text(taco__json_at(one, 1))) {
        ok = ok && taco__buf_append_char(b, '[', err) &&
             taco__json_print_text(b, taco__json_bytes(taco__json_at(one, 0)), err) &&
             taco__buf_append_char(b, ',', err) &&
             taco__json_print_text(b, taco__json_bytes(taco__json_at(one, 1)), err) &&
             taco__buf_append_text(b, "]", err);
    } else {
        ok = ok && taco__buf_append_text(b, "null", err);
    }
    return ok && taco__buf_append_char(b, '}', err);
}

/* The collection of TACO 2 for one of TACO 0.x: the members that mean the same, and the whole old
   document as legacy:collection, so that nothing is lost. root NULL: of a tortilla, which has
   none. */
static bool taco__convert_document_to_taco2(taco__conversion *f, const taco__json *root,
                                            const char *name, taco__buf *b)
{
    taco_error *err = f->err;
    taco_bytes id = taco__json_bytes(taco__json_get(root, "id")), text;
    bool ok;
    if (!id.len) {
        const char *slash = strrchr(name, '/'), *dot;
        name = slash ? slash + 1 : name;
        dot = strchr(name, '.');
        id = taco__bytes_of(name, dot ? (size_t)(dot - name) : strlen(name));
    }
    ok = taco__buf_append_char(b, '{', err) && taco__convert_append_id(b, id, err);
    text = taco__json_bytes(taco__json_get(root, "dataset_version"));
    ok = ok && taco__convert_append_text(b, "dataset_version",
                                         text.len ? text : taco__bytes_text("1.0.0"), err);
    text = taco__json_bytes(taco__json_get(root, "description"));
    ok = ok &&
         taco__convert_append_text(b, "description",
                                   text.len ? text : taco__bytes_text("Converted from a tortilla."),
                                   err) &&
         taco__convert_append_text(b, "taco_version", taco__bytes_text("2.0.0"), err);
    if (taco__json_length(taco__json_get(root, "licenses"))) {
        ok = ok && taco__convert_copy_member(b, root, "licenses", err);
    } else {
        ok = ok && taco__convert_append_key(b, "licenses", err) &&
             taco__buf_append_text(b, "[\"unknown\"]", err);
    }
    if (taco__json_length(taco__json_get(root, "providers"))) {
        ok = ok && taco__convert_append_contacts(b, root, "providers", err);
    } else {
        ok = ok && taco__convert_append_key(b, "providers", err) &&
             taco__buf_append_text(b, "[{\"name\":\"unknown\"}]", err);
    }
    text = taco__json_bytes(taco__json_get(root, "task"));
    text = !text.len || taco__bytes_equal(text, taco__bytes_text("general"))
               ? taco__bytes_text("other")
               : text;
    ok = ok && taco__convert_append_key(b, "tasks", err) && taco__buf_append_char(b, '[', err) &&
         taco__json_print_text(b, text, err) && taco__buf_append_char(b, ']', err) &&
         taco__convert_copy_member(b, root, "title", err) &&
         taco__convert_append_contacts(b, root, "curators", err) &&
         taco__convert_copy_member(b, root, "keywords", err) &&
         taco__convert_append_extent(b, root, err);
    if (f->opt.query) {
        char stamp[48];
        int64_t when = f->opt.create.date ? f->opt.create.date : taco__plat_now();
        size_t n = taco__time_format_timestamp(stamp, when, TACO_SECOND, false);
        memcpy(stamp + n, "+00:00", 7);
        ok = ok && taco__convert_append_text(b, "taco:subset_of", id, err) &&
             taco__convert_append_text(b, "taco:subset_date", taco__bytes_text(stamp), err);
    }
    if (root) {
        ok = ok && taco__convert_append_key(b, "legacy:collection", err) &&
             taco__json_print(b, root, 0, err);
    } else if (ok) {
        taco__convert_note(f,
                           "a tortilla has no collection: id, licenses, providers and tasks "
                           "are placeholders%s",
                           "");
    }
    return ok && taco__buf_append_char(b, '}', err);
}

TACO__FN bool taco__convert_collection_to_taco2(taco__conversion *f, const char *name,
                                                taco__json_doc *doc)
{
    const taco__json *root = f->ds->stores[0].coll.doc.root;
    taco__buf b;
    taco_bytes text = taco__bytes_of(NULL, 0);
    bool ok = true;
    memset(&b, 0, sizeof b);
    b.mem = &f->mem;
    if (f->opt.collection) {
        text = taco__bytes_text(f->opt.collection);
    } else {
        ok = taco__convert_document_to_taco2(f, root, name, &b);
        text.data =
            ok ? (const uint8_t *)taco__arena_text(&f->arena, taco__bytes_of(b.data, b.len), f->err)
               : NULL;
        text.len = b.len;
        ok = ok && text.data;
    }
    taco__buf_free(&b);
    if (!ok || taco__json_parse(&f->arena, text, &f->options.limits, doc, f->err) != TACO_OK) {
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

/* ---- the collection, the file ---- */

/* The document that taco_convert_to_taco2 kept, or one of what TACO 2 has, in the order of the last
   writer. */
TACO__FN bool taco__convert_collection_from_taco2(taco__from_taco2 *b, taco__buf *out)
{
    static const char *const nulls[] = {"split_strategy", "discuss_link", "raw_link",
                                        "optical_data",   "labels",       "scientific"};
    const taco__json *root = b->f.ds->stores[0].coll.doc.root,
                     *old = taco__json_get(root, "legacy:collection"),
                     *extent = taco__json_get(root, "extent");
    taco_error *err = b->w.err;
    size_t i, k;
    bool ok;
    if (taco__json_is(old, TACO__JSON_OBJECT)) { return taco__json_print(out, old, 0, err); }
    ok = taco__buf_append_char(out, '{', err) && taco__convert_copy_member(out, root, "id", err) &&
         taco__convert_copy_member(out, root, "dataset_version", err) &&
         taco__convert_copy_member(out, root, "description", err) &&
         taco__convert_copy_member(out, root, "licenses", err) &&
         taco__convert_append_key(out, "extent", err) &&
         taco__buf_append_text(out, "{\"spatial\":[", err) &&
         taco__json_print(out, taco__json_get(extent, "spatial"), 0, err) &&
         taco__buf_append_text(out, "],\"temporal\":[", err) &&
         taco__json_print(out, taco__json_get(extent, "temporal"), 0, err) &&
         taco__buf_append_text(out, "]}", err);
    for (k = 0; ok && k < 2; k++) {
        const taco__json *list = taco__json_get(root, k ? "curators" : "providers");
        const taco__json *who = taco__json_length(list) ? taco__json_first(list) : NULL;
        ok = taco__convert_append_key(out, k ? "curators" : "providers", err) &&
             taco__buf_append_char(out, '[', err);
        for (i = 0; ok && i < taco__json_length(list); i++, who = taco__json_next(who)) {
            const taco__json *role = taco__json_get(who, "role"),
                             *mail = taco__json_get(who, "email");
            ok = taco__buf_append_text(out, i ? ",{\"name\":" : "{\"name\":", err) &&
                 taco__json_print(out, taco__json_get(who, "name"), 0, err) &&
                 taco__buf_append_text(out, ",\"organization\":", err) &&
                 taco__json_print(out, taco__json_get(who, "organization"), 0, err) &&
                 taco__buf_append_text(out, ",\"emails\":", err) &&
                 (taco__rules_is_null(mail) ? taco__buf_append_text(out, "null", err)
                                            : taco__buf_append_text(out, "[{\"value\":", err) &&
                                                  taco__json_print(out, mail, 0, err) &&
                                                  taco__buf_append_text(out, "}]", err)) &&
                 taco__buf_append_text(out, ",\"roles\":", err) &&
                 (taco__rules_is_null(role) ? taco__buf_append_text(out, "null", err)
                                            : taco__buf_append_char(out, '[', err) &&
                                                  taco__json_print(out, role, 0, err) &&
                                                  taco__buf_append_char(out, ']', err)) &&
                 taco__buf_append_char(out, '}', err);
        }
        ok = ok && taco__buf_append_char(out, ']', err);
    }
    ok = ok && taco__convert_append_key(out, "task", err) &&
         taco__json_print(out, taco__json_at(taco__json_get(root, "tasks"), 0), 0, err) &&
         taco__convert_append_text(out, "taco_version", taco__bytes_text("0.4.0"), err) &&
         taco__convert_append_key(out, "title", err) &&
         taco__json_print(out, taco__json_get(root, "title"), 0, err) &&
         taco__convert_append_key(out, "keywords", err) &&
         taco__json_print(out, taco__json_get(root, "keywords"), 0, err);
    for (i = 0; ok && i < TACO__COUNT(nulls); i++) {
        ok =
            taco__convert_append_key(out, nulls[i], err) && taco__buf_append_text(out, "null", err);
    }
    return ok && taco__buf_append_char(out, '}', err);
}
/* ==== src/legacy/to_taco2.c ==== */
/* to_taco2.c - old datasets as TACO 2, and back.. Spec: TACO 2.0.0 §5, §6 */
/* #include "legacy.h" */
/* #include "../base/base.h" */
/* #include "../base/file_copy.h" */
/* #include "../base/json.h" */
/* #include "../parquet/parquet.h" */
/* #include "../dataset/dataset.h" */
/* #include "../validate/validate.h" */
/* #include "../write/write.h" */

/* ---- the tree
   ------------------------------------------------------------------------------------ */

/* An id without what TACO 2 has no place for: / \ : and a double underscore in front. */
static taco_bytes taco__to_taco2_clean_id(taco__conversion *f, taco_bytes id)
{
    char *copy = taco__arena_text(&f->arena, id, f->err), *p;
    size_t i, n = id.len;
    bool changed = false;
    for (i = 0; copy && i < n; i++) {
        if (copy[i] == '/' || copy[i] == '\\' || copy[i] == ':' || copy[i] == 0) {
            copy[i] = '_';
            changed = true;
        }
    }
    if (copy && (n == 0 || strncmp(copy, "__", 2) == 0 || strcmp(copy, ".") == 0 ||
                 strcmp(copy, "..") == 0)) {
        p = (char *)taco__arena_alloc(&f->arena, n + 3, f->err);
        if (p) {
            p[0] = 'x';
            memcpy(p + 1, copy, n);
            n++;
        }
        copy = p;
        changed = true;
    }
    if (copy && changed) {
        taco__convert_note(f, "an id is no name of a file: it becomes %s", copy);
        f->renamed = true;
    }
    return taco__bytes_of(copy, copy ? n : 0);
}

/* The rows of level 0 that the query leaves. */
static bool taco__to_taco2_select_rows(taco__conversion *f)
{
    taco_query q = *f->opt.query;
    taco_cursor *c;
    taco_batch b;
    size_t i, n = 0;
    if (q.order || q.flat || q.table) {
        TACO__FAIL(f->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "what is taken are samples of level 0 in storage order: no order, no flat "
                   "view, no other table");
        return false;
    }
    f->chosen = (uint8_t *)taco__arena_alloc(
        &f->arena, TACO__BITMAP_BYTES((size_t)f->own->levels[0].t.rows) + 1, f->err);
    q.select = "id";
    c = f->chosen ? taco_select(f->ds, &q, f->err) : NULL;
    while (c && taco_cursor_batch(c, &b)) {
        const uint64_t *at = taco_cursor_positions(c);
        for (i = 0; at && i < b.length; i++, n++) {
            taco__bitmap_set(f->chosen, (size_t)at[i]);
        }
    }
    if (!c || taco_cursor_close(c, f->err) != TACO_OK) { return false; }
    if (n == 0) {
        TACO__FAIL(f->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "no sample is left to export");
    }
    return n != 0;
}

typedef struct taco__to_taco2_row {
    size_t parent, row;
} taco__to_taco2_row;

static int taco__to_taco2_compare_rows(const void *a, const void *b)
{
    const taco__to_taco2_row *x = (const taco__to_taco2_row *)a, *y = (const taco__to_taco2_row *)b;
    return x->parent != y->parent ? (x->parent > y->parent) - (x->parent < y->parent)
                                  : (x->row > y->row) - (x->row < y->row);
}

/* The old rows of a level by their new parents; those below a FILE, which are chunks, are left
   out. */
static taco__to_taco2_row *taco__to_taco2_sort_rows(taco__conversion *f, uint32_t level, size_t *n)
{
    const taco__legacy_level *l = &f->own->levels[level];
    size_t i, k, column = taco__table_find_column(&l->t, "internal:parent_id"), lost = 0;
    const size_t out = SIZE_MAX - 1;
    taco__to_taco2_row *list = (taco__to_taco2_row *)taco__arena_array(
        &f->arena, (size_t)l->t.rows + 1, sizeof *list, f->err);
    size_t *place = NULL;
    if (level) {
        place = (size_t *)taco__arena_array(&f->arena, (size_t)f->own->levels[level - 1].t.rows + 1,
                                            sizeof *place, f->err);
    }
    if (!list || (level && !place)) { return NULL; }
    /* of an old row among the new ones; SIZE_MAX of a FILE, `out` of what is not taken */
    if (level) {
        for (i = 0; i < f->own->levels[level - 1].t.rows; i++) {
            place[i] = out;
        }
        for (i = 0; i < f->tree.level[level - 1].rows; i++) {
            k = f->rows[level - 1][i];
            if (k != SIZE_MAX) {
                place[k] = taco__tree_is_folder(&f->tree, level - 1, i) ? i : SIZE_MAX;
            }
        }
    }
    for (i = *n = 0; i < l->t.rows; i++) {
        size_t parent = level || !f->chosen || taco__bitmap_get(f->chosen, i) ? 0 : out;
        if (level) {
            int64_t p = taco_array_int(&l->t.arrays[column], i);
            parent = place[p];
        }
        if (parent == SIZE_MAX) {
            lost++;
            continue;
        }
        if (parent == out) { continue; }
        list[*n].parent = parent;
        list[(*n)++].row = i;
    }
    qsort(list, *n, sizeof *list, taco__to_taco2_compare_rows);
    if (lost) { taco__convert_note(f, "the table of chunks is left out: TACO 2 has none%s", ""); }
    return list;
}

/* Appends padding until a folder has `most` children. */
static bool taco__to_taco2_add_padding(taco__conversion *f, uint32_t level, size_t parent,
                                       size_t have, size_t most, taco__buf *rows)
{
    size_t number = 0, none = SIZE_MAX;
    for (; have < most; have++) {
        char id[40];
        size_t n = sizeof TACO__RULES_PADDING - 1;
        memcpy(id, TACO__RULES_PADDING, n);
        n += taco__num_format_u64(id + n, number++);
        if (!taco__tree_append_ordered(&f->tree, level, parent, taco__bytes_of(id, n), false,
                                       f->err) ||
            !taco__buf_append(rows, &none, sizeof none, f->err)) {
            return false;
        }
    }
    return true;
}

static bool taco__to_taco2_add_level(taco__conversion *f, uint32_t level, bool *any)
{
    const taco__legacy_level *l = &f->own->levels[level];
    const taco_array *ids = &l->t.arrays[taco__table_find_column(&l->t, "tortilla:id")];
    taco__to_taco2_row *list;
    taco__buf rows;
    size_t n = 0, i, to, most = 0;
    bool ok = true;
    list = taco__to_taco2_sort_rows(f, level, &n);
    memset(&rows, 0, sizeof rows);
    rows.mem = &f->mem;
    for (i = 0; list && i < n; i = to) {
        for (to = i + 1; to < n && list[to].parent == list[i].parent; to++) {}
        most = TACO__MAX(most, to - i);
    }
    *any = n != 0;
    for (i = 0; list && ok && i < n; i = to) {
        size_t from = i;
        for (to = i; ok && to < n && list[to].parent == list[from].parent; to++) {
            size_t row = list[to].row;
            ok = taco__tree_append_ordered(&f->tree, level, list[to].parent,
                                           taco__to_taco2_clean_id(f, taco_array_bytes(ids, row)),
                                           l->folder[row] != 0, f->err) &&
                 taco__buf_append(&rows, &row, sizeof row, f->err);
        }
        ok =
            ok && (!f->opt.pad || !level ||
                   taco__to_taco2_add_padding(f, level, list[from].parent, to - from, most, &rows));
    }
    f->lengths[level] = rows.len / sizeof(size_t);
    f->rows[level] = (size_t *)taco__arena_alloc(&f->arena, rows.len + 1, f->err);
    if (f->rows[level] && rows.len) { memcpy(f->rows[level], rows.data, rows.len); }
    taco__buf_free(&rows);
    return ok && list && f->rows[level];
}

static bool taco__to_taco2_build_tree(taco__conversion *f)
{
    uint32_t level, n = taco_levels(f->ds);
    bool any = true;
    for (level = 0; level < n && any; level++) {
        if (!taco__container_level(&f->ds->stores[0], level, f->err) ||
            !taco__to_taco2_add_level(f, level, &any)) {
            return false;
        }
        f->levels = level + (any ? 1 : 0);
    }
    if (!f->opt.create.any_tree && taco__tree_check_pit1(&f->tree, f->err) != TACO_OK) {
        taco__error_prefix(f->err, f->opt.pad ? "padding does not help"
                                              : "padding or any tree may be asked for");
        return false;
    }
    return true;
}

/* ---- columns
   ------------------------------------------------------------------------------------- */

/* The name in TACO 2 of an old column; NULL: it has none. */
static const char *taco__to_taco2_column_name(taco__conversion *f, const taco__table *t,
                                              const char *name)
{
    char *copy;
    size_t i, colons = 0;
    if ((strcmp(name, "tortilla:id") == 0 && !f->renamed) || strcmp(name, "tortilla:offset") == 0 ||
        strcmp(name, "tortilla:length") == 0) {
        return NULL;
    }
    if (f->own->files[0].chain &&
        (strcmp(name, "root") == 0 || strcmp(name, "tortilla:root") == 0)) {
        taco__convert_note(f, "column %s is left out: internal:parent_id says the same", name);
        return NULL;
    }
    if (strcmp(name, "stac:raster_shape") == 0 &&
        taco__table_find_column(t, "stac:tensor_shape") == TACO__NONE) {
        return "stac:tensor_shape";
    }
    if (strcmp(name, "internal:file_format") == 0 &&
        taco__table_find_column(t, "tortilla:file_format") == TACO__NONE) {
        return "tortilla:file_format";
    }
    if (strncmp(name, "internal:", 9) == 0) { return NULL; }
    if (strcmp(name, "id") == 0 || strcmp(name, "type") == 0 || strcmp(name, "path") == 0) {
        static const char *const other[] = {"legacy:id", "legacy:type", "legacy:path"};
        name = other[name[0] == 'i' ? 0 : name[0] == 't' ? 1 : 2];
        taco__convert_note(f, "a column of a protected name becomes %s", name);
        return name;
    }
    copy = taco__arena_text(&f->arena, taco__bytes_text(name), f->err);
    for (i = 0; copy && copy[i]; i++) {
        char c = copy[i];
        bool good = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                    c == '_' || (c == ':' && i && copy[i + 1] && !colons++);
        copy[i] = good ? c : '_';
    }
    if (copy && strcmp(copy, name) != 0) {
        taco__convert_note(f, "a column's name becomes %s", copy);
    }
    return copy;
}

/* Seconds as microseconds since 1970; beyond what they hold, null. */
static bool taco__to_taco2_read_time(const taco_array *a, size_t i, int64_t *out)
{
    if (taco__concat_is_integer(a->field->type)) {
        int64_t s = taco_array_int(a, i);
        *out = s > INT64_MAX / 1000000 || s < INT64_MIN / 1000000 ? 0 : s * 1000000;
        return *out != 0 || s == 0;
    } else {
        double d = taco_array_double(a, i) * 1e6;
        if (!(d > -9.2e18 && d < 9.2e18)) { return false; }
        *out = (int64_t)(d + (d < 0 ? -0.5 : 0.5));
        return true;
    }
}

/* Times of seconds become timestamps, centroids of WKT become WKB. What cannot be is null, and
   told. */
static bool taco__to_taco2_convert_column(taco__conversion *f, taco_field *field, taco_array *a)
{
    size_t i, n = a->length, lost = 0;
    bool stamp = field->type == TACO_TIMESTAMP;
    int64_t *values = (int64_t *)taco__arena_array(&f->arena, n + 8, sizeof *values, f->err);
    uint8_t *bits = (uint8_t *)taco__arena_alloc(&f->arena, TACO__BITMAP_BYTES(n) + 8, f->err);
    int32_t *offsets = (int32_t *)taco__arena_array(&f->arena, n + 1, sizeof *offsets, f->err);
    uint8_t *wkb = stamp ? NULL : (uint8_t *)taco__arena_array(&f->arena, n + 4, 21, f->err);
    taco_array out;
    if (!values || !bits || !offsets || (!stamp && !wkb) || n > INT32_MAX / 21) {
        TACO__FAIL(f->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "%u rows are too many", TACO__U(n));
        return false;
    }
    memset(&out, 0, sizeof out);
    out.field = field;
    out.length = n;
    for (i = 0; i < n; i++) {
        double xy[2];
        int64_t us;
        bool valid = taco_array_valid(a, i), good = false;
        offsets[i + 1] = offsets[i];
        if (valid && stamp) {
            good = taco__to_taco2_read_time(a, i, &us);
            values[i] = good ? us : 0;
        } else if (valid) {
            good = taco__legacy_parse_point(taco_array_bytes(a, i), &xy[0], &xy[1]);
        }
        if (good && !stamp) {
            uint8_t *p = wkb + offsets[i];
            p[0] = 1;
            taco__put_le32(p + 1, 1);
            taco__put_le64(p + 5, taco__f64_to_bits(xy[0]));
            taco__put_le64(p + 13, taco__f64_to_bits(xy[1]));
            offsets[i + 1] += 21;
        }
        if (good) { taco__bitmap_set(bits, i); }
        out.null_count += !good;
        lost += valid && !good;
    }
    out.validity = out.null_count ? bits : NULL;
    out.offsets = stamp ? NULL : offsets;
    out.v.any = stamp ? (const void *)values : (const void *)wkb;
    *a = out;
    if (lost) {
        taco__convert_note(f, "values of %s that are none of their kind become null", field->name);
    }
    return true;
}

/* The rows of a column in their new order. */
static bool taco__to_taco2_take_rows(taco__conversion *f, uint32_t level, const taco_array *from,
                                     const taco_field *field, taco_array *out)
{
    size_t i, k, n = f->lengths[level];
    taco__concat_slice *p =
        (taco__concat_slice *)taco__arena_array(&f->arena, n + 1, sizeof *p, f->err);
    for (i = k = 0; p && i < n; i++) {
        size_t row = f->rows[level][i];
        if (k && p[k - 1].a && row != SIZE_MAX && row == p[k - 1].first + p[k - 1].n) {
            p[k - 1].n++;
            continue;
        }
        p[k].a = row == SIZE_MAX ? NULL : from;
        p[k].first = row == SIZE_MAX ? 0 : row;
        p[k++].n = 1;
    }
    return p && taco__concat_arrays(&f->arena, field, p, k, out, f->err);
}

static bool taco__to_taco2_add_column(taco__conversion *f, uint32_t level, size_t c,
                                      const char *name)
{
    const taco__table *t = &f->own->levels[level].t;
    taco_field *field = &f->fields[level][f->counts[level]];
    taco_array *out = &f->arrays[level][f->counts[level]];
    taco_field stored = t->fields[c];
    bool time = strcmp(name, "stac:time_start") == 0 || strcmp(name, "stac:time_end") == 0;
    if (!taco__to_taco2_take_rows(f, level, &t->arrays[c], &stored, out)) { return false; }
    *field = stored;
    field->name = name;
    field->nullable = true;
    f->counts[level]++;
    if (time && (stored.type == TACO_NULL || taco__concat_is_integer(stored.type) ||
                 taco__concat_is_float(stored.type))) {
        taco_field *was = (taco_field *)taco__arena_alloc(&f->arena, sizeof *was, f->err);
        field->type = TACO_TIMESTAMP;
        field->unit = TACO_MICRO;
        field->width = 8;
        if (!was) { return false; }
        *was = stored;
        out->field = was;
        return taco__to_taco2_convert_column(f, field, out);
    }
    if (strcmp(name, "stac:centroid") == 0 && stored.type == TACO_TEXT) {
        taco_field *was = (taco_field *)taco__arena_alloc(&f->arena, sizeof *was, f->err);
        field->type = TACO_BINARY;
        if (!was) { return false; }
        *was = stored;
        out->field = was;
        return taco__to_taco2_convert_column(f, field, out);
    }
    out->field = field;
    return true;
}

static bool taco__to_taco2_add_columns(taco__conversion *f, uint32_t level)
{
    const taco__table *t = &f->own->levels[level].t;
    size_t c, k;
    bool user_id = taco__table_find_column(t, "internal:id") != TACO__NONE,
         user_type = taco__table_find_column(t, "internal:type") != TACO__NONE;
    f->fields[level] = (taco_field *)taco__arena_array(&f->arena, t->field_count + 1,
                                                       sizeof *f->fields[level], f->err);
    f->arrays[level] = (taco_array *)taco__arena_array(&f->arena, t->field_count + 1,
                                                       sizeof *f->arrays[level], f->err);
    if (!f->fields[level] || !f->arrays[level]) { return false; }
    for (c = 0; c < t->field_count; c++) {
        const char *name = t->fields[c].name;
        if ((!user_id && strcmp(name, "id") == 0) || (!user_type && strcmp(name, "type") == 0)) {
            continue;
        }
        name = taco__to_taco2_column_name(f, t, name);
        for (k = 0; name && k < f->counts[level]; k++) {
            if (strcmp(f->fields[level][k].name, name) == 0) {
                TACO__FAIL(f->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                           "two columns of level %u would be called %s", TACO__U(level), name);
                return false;
            }
        }
        if (f->err->code != TACO_OK || (name && !taco__to_taco2_add_column(f, level, c, name))) {
            return false;
        }
    }
    return true;
}

static bool taco__to_taco2_begin_level(void *ctx, uint32_t level, taco_error *err)
{
    taco__conversion *f = (taco__conversion *)ctx;
    (void)err;
    f->at = level;
    f->given = false;
    return true;
}

static bool taco__to_taco2_next_batch(void *ctx, taco_batch *out, taco_error *err)
{
    taco__conversion *f = (taco__conversion *)ctx;
    (void)err;
    memset(out, 0, sizeof *out);
    out->length = f->given ? 0 : f->lengths[f->at];
    out->columns = f->arrays[f->at];
    out->column_count = f->counts[f->at];
    f->given = true;
    return true;
}

static bool taco__to_taco2_payload(void *ctx, uint32_t level, size_t row, taco__input *in,
                                   taco_error *err)
{
    taco__conversion *f = (taco__conversion *)ctx;
    taco__legacy_level *l = &f->own->levels[level];
    size_t k = f->rows[level][row];
    taco__file *file;
    if (k == SIZE_MAX) {
        taco__input_from_bytes(in, taco__bytes_of("", 0));
        return true;
    }
    file = taco__legacy_find_file(&f->ds->stores[0], f->own, l->file[k], err);
    if (!file || !taco__file_check_range(file, (uint64_t)l->offset[k], (uint64_t)l->size[k], err)) {
        return false;
    }
    taco__input_from_range(in, &file->src, (uint64_t)l->offset[k], (uint64_t)l->size[k]);
    return true;
}

/* ---- there
   ---------------------------------------------------------------------------------------- */

static bool taco__to_taco2_run(taco__conversion *f, const char *out)
{
    taco__container_writer p;
    taco__container_columns src;
    taco__json_doc doc;
    uint32_t level;
    memset(&src, 0, sizeof src);
    memset(&doc, 0, sizeof doc);
    if (!taco__to_taco2_build_tree(f) ||
        !taco__convert_collection_to_taco2(f, f->ds->stores[0].name, &doc)) {
        return false;
    }
    for (level = 0; level < f->levels; level++) {
        if (!taco__to_taco2_add_columns(f, level)) { return false; }
        src.fields[level] = f->fields[level];
        src.counts[level] = f->counts[level];
    }
    src.ctx = f;
    src.begin = taco__to_taco2_begin_level;
    src.next = taco__to_taco2_next_batch;
    if (!taco__container_write_begin(&p, out, &f->opt.create, &f->tree, &f->mem, f->err)) {
        return false;
    }
    if (!taco__container_write_samples(&p, taco__to_taco2_payload, f, f->err)) {
        taco__container_write_abort(&p);
        return false;
    }
    return taco__container_write_finish(&p, doc.root, &src, f->err);
}

TACO_API taco_status taco_convert_to_taco2(const char *const *in, size_t n, const char *out,
                                           const taco_convert_options *opt, taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__conversion f;
    bool ok;
    err = err ? err : &own;
    if (!in || !n || !in[0] || !out) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path given");
    }
    taco__convert_init(&f, opt, err);
    f.ds = taco_open_many(in, n, TACO_COLUMNS_FILL_MISSING, &f.options, err);
    ok = f.ds != NULL;
    if (ok && f.ds->stores[0].format != taco_legacy_opener()) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%s: no Tortilla or TACO 0.x", in[0]);
        ok = false;
    } else if (ok) {
        f.own = (taco__legacy *)f.ds->stores[0].format_state;
        f.opt.create.new_extent = f.opt.create.new_extent || f.opt.query;
        ok = (!f.opt.query || taco__to_taco2_select_rows(&f)) && taco__to_taco2_run(&f, out);
        if (!ok) { taco__error_prefix(err, "%s", in[0]); }
    }
    taco__convert_free(&f);
    return ok ? TACO_OK : err->code;
}
/* ==== src/legacy/from_taco2.c ==== */
/* from_taco2.c - TACO 2 as Tortilla and TACO 0.x.. Spec: Tortilla 0.5.0 */
/* #include "legacy.h" */
/* #include "../base/base.h" */
/* #include "../base/file_copy.h" */
/* #include "../geo/geo.h" */
/* #include "../dataset/dataset.h" */
/* #include "../validate/validate.h" */
/* #include "../write/write.h" */

static bool taco__from_taco2_payload(void *ctx, const taco__tortilla_node *node, size_t row,
                                     taco__input *in, taco_error *err)
{
    taco__from_taco2 *b = (taco__from_taco2 *)ctx;
    taco_source src;
    if (taco_payload(b->f.ds, b->levels[node->level].keys[node->rows_of[row]], &src, err) !=
        TACO_OK) {
        return false;
    }
    taco__input_from_range(in, &src, 0, src.size);
    return true;
}

/* First of the rows whose parent is not below `parent`. */
static size_t taco__from_taco2_lower_bound(const taco__tortilla_sort_key *list, size_t n,
                                           int64_t parent)
{
    size_t lo = 0;
    while (lo < n) {
        size_t mid = lo + (n - lo) / 2;
        if (list[mid].offset < parent) {
            lo = mid + 1;
        } else {
            n = mid;
        }
    }
    return lo;
}

static bool taco__from_taco2_is_folder(const taco__from_taco2_level *l, size_t i)
{
    return taco__bytes_equal(taco_array_bytes(l->type, i), taco__bytes_text("FOLDER"));
}

static bool taco__from_taco2_is_padding(const taco__from_taco2_level *l, size_t i)
{
    return taco__bytes_starts_with(taco_array_bytes(l->id, i), TACO__PADDING_PREFIX);
}

/* ---- columns ---- */

/* A column of text that a buffer and its ends hold. */
static bool taco__from_taco2_make_text_column(taco__from_taco2 *b, taco_array *a, const char *name,
                                              const taco__buf *text, const int32_t *ends,
                                              const uint8_t *bits)
{
    taco_field *f = (taco_field *)taco__arena_alloc(&b->w.arena, sizeof *f, b->w.err);
    uint8_t *p = (uint8_t *)taco__arena_alloc(&b->w.arena, text->len + TACO__PAD, b->w.err);
    if (!f || !p) { return false; }
    f->name = name;
    f->type = TACO_TEXT;
    f->nullable = true;
    if (text->len) { memcpy(p, text->data, text->len); }
    a->field = f;
    a->offsets = ends;
    a->v.any = p;
    a->validity = bits;
    a->dictionary = NULL;
    return true;
}

/* GDAL's driver by the end of a name; what no name says is BYTES. */
static const char *taco__from_taco2_gdal_driver(taco_bytes id)
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

/* What the rows are: TORTILLA for FOLDERs, what a column says, or their names. Or centroids as
   text. */
static bool taco__from_taco2_convert_text(taco__from_taco2 *b, const taco__from_taco2_level *l,
                                          const taco_array *from, bool points, const char *name,
                                          taco_array *out)
{
    size_t i, n = l->rows.length;
    int32_t *ends = (int32_t *)taco__arena_array(&b->w.arena, n + 1, sizeof *ends, b->w.err);
    uint8_t *bits = (uint8_t *)taco__arena_alloc(&b->w.arena, TACO__BITMAP_BYTES(n) + 8, b->w.err);
    taco__buf text;
    bool ok = ends && bits;
    memset(&text, 0, sizeof text);
    text.mem = &b->w.mem;
    memset(out, 0, sizeof *out);
    out->length = n;
    for (i = 0; ok && i < n; i++) {
        taco_bytes value = from ? taco_array_bytes(from, i) : taco__bytes_of(NULL, 0);
        double box[4];
        bool empty = true, valid = true;
        if (points) {
            valid = value.len && taco__wkb_bounds(value, box, &empty, NULL) == TACO_OK && !empty;
            ok = !valid || (taco__buf_append_text(&text, "POINT (", b->w.err) &&
                            taco__document_write_double(&text, (box[0] + box[2]) / 2, b->w.err) &&
                            taco__buf_append_char(&text, ' ', b->w.err) &&
                            taco__document_write_double(&text, (box[1] + box[3]) / 2, b->w.err) &&
                            taco__buf_append_char(&text, ')', b->w.err));
        } else if (taco__from_taco2_is_folder(l, i) || !value.len) {
            ok = taco__buf_append_text(
                &text,
                taco__from_taco2_is_folder(l, i)
                    ? "TORTILLA"
                    : taco__from_taco2_gdal_driver(taco_array_bytes(l->id, i)),
                b->w.err);
        } else {
            ok = taco__buf_append(&text, value.data, value.len, b->w.err);
        }
        if (ok && text.len > INT32_MAX) {
            TACO__FAIL(b->w.err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "too much text in column %s",
                       name);
            ok = false;
        }
        if (valid && ok) { taco__bitmap_set(bits, i); }
        out->null_count += !valid;
        if (ok) { ends[i + 1] = (int32_t)text.len; }
    }
    ok = ok && taco__from_taco2_make_text_column(b, out, name, &text, ends,
                                                 out->null_count ? bits : NULL);
    taco__buf_free(&text);
    return ok;
}

/* Timestamps as seconds: whole ones, or with a fraction where one of them has one. */
static bool taco__from_taco2_convert_time(taco__from_taco2 *b, const taco_array *from,
                                          taco_array *out)
{
    static const int64_t per[] = {1, 1000, 1000000, 1000000000};
    int64_t unit = per[from->field->unit];
    taco_field *f = (taco_field *)taco__arena_alloc(&b->w.arena, sizeof *f, b->w.err);
    int64_t *v = (int64_t *)taco__arena_array(&b->w.arena, from->length + 8, sizeof *v, b->w.err);
    size_t i;
    bool whole = true;
    if (!f || !v) { return false; }
    for (i = 0; i < from->length; i++) {
        whole = whole && (!taco_array_valid(from, i) || taco_array_int(from, i) % unit == 0);
    }
    for (i = 0; i < from->length; i++) {
        double d = (double)taco_array_int(from, i) / (double)unit;
        v[i] = taco_array_int(from, i) / unit;
        if (!whole) { memcpy(&v[i], &d, 8); }
    }
    *f = *from->field;
    f->type = whole ? TACO_INT64 : TACO_DOUBLE;
    *out = *from;
    out->field = f;
    out->v.i64 = v;
    return true;
}

static bool taco__from_taco2_add_column(taco__from_taco2 *b, taco__from_taco2_level *l,
                                        const taco_array *from)
{
    const char *name = from->field->name;
    taco_array *out = &l->columns[l->count];
    taco_field *f;
    if (strcmp(name, "id") == 0 || strcmp(name, "type") == 0 ||
        strcmp(name, "tortilla:file_format") == 0 || strcmp(name, "tortilla:id") == 0 ||
        strcmp(name, "tortilla:offset") == 0 || strcmp(name, "tortilla:length") == 0 ||
        strncmp(name, "internal:", 9) == 0) {
        return true;
    }
    l->count++;
    if ((strcmp(name, "stac:time_start") == 0 || strcmp(name, "stac:time_end") == 0) &&
        from->field->type == TACO_TIMESTAMP) {
        return taco__from_taco2_convert_time(b, from, out);
    }
    if (strcmp(name, "stac:centroid") == 0 && from->field->type == TACO_BINARY) {
        return taco__from_taco2_convert_text(b, l, from, true, name, out);
    }
    f = (taco_field *)taco__arena_alloc(&b->w.arena, sizeof *f, b->w.err);
    if (!f) { return false; }
    *f = *from->field;
    f->name = strcmp(name, "stac:tensor_shape") == 0 ? "stac:raster_shape"
              : strcmp(name, "legacy:id") == 0       ? "id"
              : strcmp(name, "legacy:type") == 0     ? "type"
              : strcmp(name, "legacy:path") == 0     ? "path"
                                                     : name;
    *out = *from;
    out->field = f;
    return true;
}

/* The ids of before taco_convert_to_taco2 changed them; those of now where it did not. */
static const taco_array *taco__from_taco2_original_ids(const taco__from_taco2_level *l)
{
    const taco_array *old =
        taco__tortilla_write_find_column(l->rows.columns, l->rows.column_count, "tortilla:id");
    size_t i;
    for (i = 0; old && i < l->rows.length; i++) {
        if (old->field->type != TACO_TEXT ||
            (!taco_array_valid(old, i) &&
             !taco__bytes_starts_with(taco_array_bytes(l->id, i), TACO__RULES_PADDING))) {
            old = NULL;
        }
    }
    return old ? old : l->id;
}

static bool taco__from_taco2_add_columns(taco__from_taco2 *b, taco__from_taco2_level *l)
{
    const taco_array *format = taco__tortilla_write_find_column(
        l->rows.columns, l->rows.column_count, "tortilla:file_format");
    taco_field *id = (taco_field *)taco__arena_alloc(&b->w.arena, sizeof *id, b->w.err);
    size_t c;
    l->columns = (taco_array *)taco__arena_array(&b->w.arena, l->rows.column_count + 3,
                                                 sizeof *l->columns, b->w.err);
    if (!id || !l->columns) { return false; }
    l->columns[0] = *taco__from_taco2_original_ids(l);
    *id = *l->columns[0].field;
    id->name = "tortilla:id";
    l->columns[0].field = id;
    l->count = 2;
    if (!taco__from_taco2_convert_text(b, l,
                                       format && format->field->type == TACO_TEXT ? format : NULL,
                                       false, "tortilla:file_format", &l->columns[1])) {
        return false;
    }
    for (c = 0; c < l->rows.column_count; c++) {
        if (!taco__from_taco2_add_column(b, l, &l->rows.columns[c])) { return false; }
    }
    return true;
}

/* ---- levels and nodes ---- */

/* The keys of a level's rows, which stand below those of their parents. */
static bool taco__from_taco2_make_keys(taco__from_taco2 *b, taco__from_taco2_level *l,
                                       const taco__from_taco2_level *above, const size_t *parents)
{
    size_t i, n = l->rows.length;
    l->keys = (const char **)taco__arena_array(&b->w.arena, n + 1, sizeof *l->keys, b->w.err);
    for (i = 0; l->keys && i < n; i++) {
        taco_bytes id = taco_array_bytes(l->id, i);
        const char *up = above ? above->keys[parents[i]] : "";
        size_t m = strlen(up);
        char *p = (char *)taco__arena_alloc(&b->w.arena, m + id.len + 2, b->w.err);
        if (!p) { return false; }
        memcpy(p, up, m);
        if (m) { p[m++] = '/'; }
        if (id.len) { memcpy(p + m, id.data, id.len); }
        l->keys[i] = p;
    }
    return l->keys != NULL;
}

/* Which row of the level above is the parent of each. */
static bool taco__from_taco2_find_parents(taco__from_taco2 *b, taco__from_taco2_level *l,
                                          const taco__from_taco2_level *above, size_t *parents)
{
    taco__tortilla_sort_key *ids = (taco__tortilla_sort_key *)taco__arena_array(
        &b->w.arena, above->rows.length + 1, sizeof *ids, b->w.err);
    size_t i, n = l->rows.length, m = above->rows.length;
    l->byparent = (taco__tortilla_sort_key *)taco__arena_array(&b->w.arena, n + 1,
                                                               sizeof *l->byparent, b->w.err);
    if (!ids || !l->byparent || !l->parent) {
        TACO__FAIL(b->w.err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "there is no internal:parent_id");
        return false;
    }
    for (i = 0; i < m; i++) {
        ids[i].offset = above->current ? taco_array_int(above->current, i) : (int64_t)i;
        ids[i].row = i;
    }
    qsort(ids, m, sizeof *ids, taco__tortilla_compile_compare);
    for (i = 0; i < n; i++) {
        int64_t parent = taco_array_int(l->parent, i);
        size_t at = taco__from_taco2_lower_bound(ids, m, parent);
        if (at == m || ids[at].offset != parent) {
            TACO__FAIL(b->w.err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "row %u: no row above has the internal:current_id %d", TACO__U(i),
                       TACO__D(parent));
            return false;
        }
        parents[i] = ids[at].row;
        l->byparent[i].offset = (int64_t)ids[at].row;
        l->byparent[i].row = i;
    }
    qsort(l->byparent, n, sizeof *l->byparent, taco__tortilla_compile_compare);
    return true;
}

static bool taco__from_taco2_read_level(taco__from_taco2 *b, uint32_t level)
{
    taco__from_taco2_level *l = &b->levels[level], *above = level ? l - 1 : NULL;
    taco_query q;
    taco_cursor *c;
    size_t *parents;
    bool ok;
    memset(&q, 0, sizeof q);
    q.table = level;
    q.padding = true;
    c = taco_select(b->f.ds, &q, b->w.err);
    ok = c && taco__tortilla_compile_read_rows(&b->w, c, &l->rows);
    if (c && taco_cursor_close(c, b->w.err) != TACO_OK) { ok = false; }
    if (!ok) { return false; }
    l->id = taco__tortilla_write_find_column(l->rows.columns, l->rows.column_count, "id");
    l->type = taco__tortilla_write_find_column(l->rows.columns, l->rows.column_count, "type");
    l->current = taco__tortilla_write_find_column(l->rows.columns, l->rows.column_count,
                                                  "internal:current_id");
    l->parent = taco__tortilla_write_find_column(l->rows.columns, l->rows.column_count,
                                                 "internal:parent_id");
    if (!l->id || !l->type || l->id->field->type != TACO_TEXT ||
        l->type->field->type != TACO_TEXT) {
        TACO__FAIL(b->w.err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "level %u: id and type must be columns of text", TACO__U(level));
        return false;
    }
    parents =
        (size_t *)taco__arena_array(&b->w.arena, l->rows.length + 1, sizeof *parents, b->w.err);
    return parents && (!above || taco__from_taco2_find_parents(b, l, above, parents)) &&
           taco__from_taco2_make_keys(b, l, above, parents) && taco__from_taco2_add_columns(b, l);
}

/* The tortilla of the rows list[0..n) of a level, and of all below them; padding is left out. */
static taco__tortilla_node *taco__from_taco2_build_node(taco__from_taco2 *b, uint32_t level,
                                                        size_t *list, size_t n)
{
    taco__from_taco2_level *l = &b->levels[level];
    taco__tortilla_node *node =
        (taco__tortilla_node *)taco__arena_alloc(&b->w.arena, sizeof *node, b->w.err);
    taco__concat_slice *p =
        (taco__concat_slice *)taco__arena_array(&b->w.arena, n + 1, sizeof *p, b->w.err);
    taco_array *columns =
        (taco_array *)taco__arena_array(&b->w.arena, l->count + 1, sizeof *columns, b->w.err);
    size_t i, k;
    if (!node || !p || !columns) { return NULL; }
    node->sizes = (uint64_t *)taco__arena_array(&b->w.arena, n + 1, sizeof(uint64_t), b->w.err);
    node->kids =
        (taco__tortilla_node **)taco__arena_array(&b->w.arena, n + 1, sizeof *node->kids, b->w.err);
    node->columns = columns;
    node->column_count = l->count;
    node->rows = n;
    node->level = level;
    node->rows_of = list;
    for (i = 0; i < n; i++) {
        p[i].a = NULL;
        p[i].first = list[i];
        p[i].n = 1;
    }
    for (k = 0; node->sizes && node->kids && k < l->count; k++) {
        for (i = 0; i < n; i++) {
            p[i].a = &l->columns[k];
        }
        if (!taco__concat_arrays(&b->w.arena, l->columns[k].field, p, n, &columns[k], b->w.err)) {
            return NULL;
        }
    }
    for (i = 0; node->sizes && node->kids && i < n; i++) {
        taco__from_taco2_level *below = l + 1;
        size_t at, m = 0, *kids;
        if (!taco__from_taco2_is_folder(l, list[i])) { continue; }
        if (level + 1 >= b->depth) {
            TACO__FAIL(b->w.err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "FOLDER %s has no level below",
                       l->keys[list[i]]);
            return NULL;
        }
        at = taco__from_taco2_lower_bound(below->byparent, below->rows.length, (int64_t)list[i]);
        kids = (size_t *)taco__arena_array(&b->w.arena, below->rows.length - at + 1, sizeof *kids,
                                           b->w.err);
        for (; kids && at < below->rows.length && below->byparent[at].offset == (int64_t)list[i];
             at++) {
            if (!taco__from_taco2_is_padding(below, below->byparent[at].row)) {
                kids[m++] = below->byparent[at].row;
            }
        }
        node->kids[i] = kids ? taco__from_taco2_build_node(b, level + 1, kids, m) : NULL;
        if (!node->kids[i]) { return NULL; }
    }
    return node->sizes && node->kids ? node : NULL;
}

static bool taco__from_taco2_run(taco__from_taco2 *b, const char *out)
{
    taco__buf text;
    taco__tortilla_node *top;
    taco_bytes json = {NULL, 0};
    size_t *list, i, n = 0;
    uint32_t level;
    bool ok;
    b->depth = taco_levels(b->f.ds);
    for (level = 0; level < b->depth; level++) {
        if (!taco__from_taco2_read_level(b, level)) { return false; }
    }
    list = (size_t *)taco__arena_array(&b->w.arena, b->levels[0].rows.length + 1, sizeof *list,
                                       b->w.err);
    for (i = 0; list && i < b->levels[0].rows.length; i++) {
        if (!taco__from_taco2_is_padding(&b->levels[0], i)) { list[n++] = i; }
    }
    top = list ? taco__from_taco2_build_node(b, 0, list, n) : NULL;
    memset(&text, 0, sizeof text);
    text.mem = &b->w.mem;
    ok = top && taco__tortilla_write_measure(&b->w, top);
    if (ok && taco__container_ends_with(out, ".taco")) {
        ok = taco__convert_collection_from_taco2(b, &text);
        json = taco__bytes_of(text.data, text.len);
    } else if (ok) {
        taco__convert_note(
            &b->f, "the collection is left out: only a name that ends in .taco has one%s", "");
    }
    ok = ok && taco__tortilla_write_parts(&b->w, out, top, TACO__TORTILLA_PART_BYTES, json);
    taco__buf_free(&text);
    return ok;
}

TACO_API taco_status taco_convert_from_taco2(const char *in, const char *out,
                                             const taco_convert_options *opt, taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__from_taco2 *b;
    taco__mem mem;
    bool ok;
    err = err ? err : &own;
    if (!in || !out) { return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path given"); }
    taco__mem_init(&mem, opt ? opt->create.options : NULL);
    b = (taco__from_taco2 *)taco__mem_alloc(&mem, sizeof *b, err);
    if (!b) { return err->code; }
    taco__convert_init(&b->f, opt, err);
    taco__tortilla_write_init(&b->w, &b->f.options, err);
    b->w.closes = true;
    b->w.payload = taco__from_taco2_payload;
    b->w.ctx = b;
    b->f.ds = taco_open(in, &b->f.options, err);
    ok = b->f.ds != NULL;
    if (ok && (b->f.ds->stores[0].format || b->f.ds->stores[0].kind == TACO_KIND_TACOCAT)) {
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                   "only an archive or a FOLDER of TACO 2 goes back");
        ok = false;
    }
    ok = ok && taco__from_taco2_run(b, out);
    taco__arena_free(&b->w.arena);
    if (!ok && strncmp(err->text, in, strlen(in)) != 0) { taco__error_prefix(err, "%s", in); }
    taco__convert_free(&b->f);
    taco__mem_free(&mem, b, sizeof *b);
    return ok ? TACO_OK : err->code;
}
/* ==== src/legacy/sha256.c ==== */
/* sha256.c - SHA-256 of a source.. Spec: FIPS 180-4 */
/* #include "legacy.h" */
/* #include "../base/base.h" */

typedef struct taco__sha256 {
    uint32_t h[8];
    uint8_t block[64];
    uint64_t total;
} taco__sha256;

TACO__INLINE uint32_t taco__sha256_rotate(uint32_t x, unsigned n)
{
    return x >> n | x << (32 - n);
}

static void taco__sha256_init(taco__sha256 *s)
{
    static const uint32_t first[8] = {0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A,
                                      0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19};
    memset(s, 0, sizeof *s);
    memcpy(s->h, first, sizeof first);
}

static void taco__sha256_block(taco__sha256 *s, const uint8_t *p)
{
    static const uint32_t k[64] = {
        0x428A2F98, 0x71374491, 0xB5C0FBCF, 0xE9B5DBA5, 0x3956C25B, 0x59F111F1, 0x923F82A4,
        0xAB1C5ED5, 0xD807AA98, 0x12835B01, 0x243185BE, 0x550C7DC3, 0x72BE5D74, 0x80DEB1FE,
        0x9BDC06A7, 0xC19BF174, 0xE49B69C1, 0xEFBE4786, 0x0FC19DC6, 0x240CA1CC, 0x2DE92C6F,
        0x4A7484AA, 0x5CB0A9DC, 0x76F988DA, 0x983E5152, 0xA831C66D, 0xB00327C8, 0xBF597FC7,
        0xC6E00BF3, 0xD5A79147, 0x06CA6351, 0x14292967, 0x27B70A85, 0x2E1B2138, 0x4D2C6DFC,
        0x53380D13, 0x650A7354, 0x766A0ABB, 0x81C2C92E, 0x92722C85, 0xA2BFE8A1, 0xA81A664B,
        0xC24B8B70, 0xC76C51A3, 0xD192E819, 0xD6990624, 0xF40E3585, 0x106AA070, 0x19A4C116,
        0x1E376C08, 0x2748774C, 0x34B0BCB5, 0x391C0CB3, 0x4ED8AA4A, 0x5B9CCA4F, 0x682E6FF3,
        0x748F82EE, 0x78A5636F, 0x84C87814, 0x8CC70208, 0x90BEFFFA, 0xA4506CEB, 0xBEF9A3F7,
        0xC67178F2};
    uint32_t w[64], h[8];
    unsigned i;
    for (i = 0; i < 16; i++) {
        w[i] = (uint32_t)p[4 * i] << 24 | (uint32_t)p[4 * i + 1] << 16 |
               (uint32_t)p[4 * i + 2] << 8 | p[4 * i + 3];
    }
    for (; i < 64; i++) {
        uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (taco__sha256_rotate(a, 7) ^ taco__sha256_rotate(a, 18) ^ a >> 3) +
               w[i - 7] + (taco__sha256_rotate(b, 17) ^ taco__sha256_rotate(b, 19) ^ b >> 10);
    }
    memcpy(h, s->h, sizeof h);
    for (i = 0; i < 64; i++) {
        uint32_t a = h[0], e = h[4], x, y;
        x = h[7] +
            (taco__sha256_rotate(e, 6) ^ taco__sha256_rotate(e, 11) ^ taco__sha256_rotate(e, 25)) +
            ((e & h[5]) ^ (~e & h[6])) + k[i] + w[i];
        y = (taco__sha256_rotate(a, 2) ^ taco__sha256_rotate(a, 13) ^ taco__sha256_rotate(a, 22)) +
            ((a & h[1]) ^ (a & h[2]) ^ (h[1] & h[2]));
        memmove(h + 1, h, 7 * sizeof *h);
        h[4] += x;
        h[0] = x + y;
    }
    for (i = 0; i < 8; i++) {
        s->h[i] += h[i];
    }
}

static void taco__sha256_update(taco__sha256 *s, const uint8_t *p, size_t len)
{
    while (len) {
        size_t at = (size_t)(s->total % 64), n = TACO__MIN(len, 64 - at);
        memcpy(s->block + at, p, n);
        s->total += n;
        p += n;
        len -= n;
        if (at + n == 64) { taco__sha256_block(s, s->block); }
    }
}

/* Ends it, as 64 digits and a zero byte. */
static void taco__sha256_finish(taco__sha256 *s, char hex[65])
{
    static const char digits[] = "0123456789abcdef";
    static const uint8_t pad[64] = {0x80};
    uint64_t bits = s->total * 8;
    uint8_t len[8];
    unsigned i;
    for (i = 0; i < 8; i++) {
        len[i] = (uint8_t)(bits >> (56 - 8 * i));
    }
    taco__sha256_update(s, pad, (size_t)(64 - (s->total + 8) % 64));
    taco__sha256_update(s, len, 8);
    for (i = 0; i < 64; i++) {
        hex[i] = digits[s->h[i / 8] >> (28 - 4 * (i % 8)) & 15];
    }
    hex[64] = 0;
}

/* Of a whole file, by pieces; *size its length. */
TACO__FN bool taco__sha256_file(const char *path, const taco_options *o, taco__mem *mem,
                                char hex[65], uint64_t *size, taco_error *err)
{
    enum { PIECE = 1 << 18 };

    taco_bytes name = taco__bytes_text(path);
    taco_source src;
    taco__sha256 s;
    uint8_t *piece;
    uint64_t at;
    bool ok;
    if (!taco__source_open_path(o, path, &src, err)) { return false; }
    piece = (uint8_t *)taco__mem_alloc(mem, PIECE, err);
    ok = piece != NULL;
    taco__sha256_init(&s);
    for (at = 0; ok && at < src.size; at += PIECE) {
        size_t n = (size_t)TACO__MIN((uint64_t)PIECE, src.size - at);
        ok = src.read(src.ctx, at, piece, n);
        if (!ok) {
            TACO__FAIL(err, TACO_ERR_IO, at, "reading %q failed", &name);
        } else {
            taco__sha256_update(&s, piece, n);
        }
    }
    *size = src.size;
    taco__sha256_finish(&s, hex);
    taco__mem_free(mem, piece, PIECE);
    if (src.close) { src.close(src.ctx); }
    return ok;
}
/* ==== src/legacy/metadata_export.c ==== */
/* metadata_export.c - what a collection says, in the words of STAC, DataCite, data cards and
   Croissant.. Spec: STAC 1.1.0 Collection; DataCite 4.5; Croissant 1.0; TACO 0.2.0 "API" */
/* #include "legacy.h" */
/* #include "../base/base.h" */
/* #include "../base/json.h" */
/* #include "../dataset/dataset.h" */
/* #include "../validate/validate.h" */
/* #include "../write/write.h" */

TACO__FN void taco__metadata_puts(taco__metadata_writer *a, const char *text)
{
    a->ok = a->ok && taco__buf_append_text(a->b, text, a->err);
}

TACO__FN void taco__metadata_bytes(taco__metadata_writer *a, taco_bytes text)
{
    a->ok = a->ok && taco__buf_append(a->b, text.data, text.len, a->err);
}

/* Every value ends with a comma, which the bracket that closes takes back. */
TACO__FN void taco__metadata_open(taco__metadata_writer *a, const char *key, const char *bracket)
{
    if (key) {
        taco__metadata_puts(a, "\"");
        taco__metadata_puts(a, key);
        taco__metadata_puts(a, "\":");
    }
    taco__metadata_puts(a, bracket);
}

TACO__FN void taco__metadata_close(taco__metadata_writer *a, const char *bracket)
{
    if (a->ok && a->b->len && a->b->data[a->b->len - 1] == ',') { a->b->len--; }
    taco__metadata_puts(a, bracket);
    taco__metadata_puts(a, ",");
}

/* A text; nothing where it is empty. */
TACO__FN void taco__metadata_text(taco__metadata_writer *a, const char *key, taco_bytes text)
{
    if (text.len) {
        taco__metadata_open(a, key, "");
        a->ok = a->ok && taco__json_print_text(a->b, text, a->err);
        taco__metadata_puts(a, ",");
    }
}

TACO__FN void taco__metadata_string(taco__metadata_writer *a, const char *key, const char *text)
{
    taco__metadata_text(a, key, taco__bytes_text(text));
}

TACO__FN void taco__metadata_number(taco__metadata_writer *a, const char *key, double x)
{
    taco__metadata_open(a, key, "");
    a->ok = a->ok && taco__document_write_double(a->b, x, a->err);
    taco__metadata_puts(a, ",");
}

/* A value as it stands; nothing where it is null. */
TACO__FN void taco__metadata_value(taco__metadata_writer *a, const char *key, const taco__json *n)
{
    if (!taco__rules_is_null(n)) {
        taco__metadata_open(a, key, "");
        a->ok = a->ok && taco__json_print(a->b, n, 0, a->err);
        taco__metadata_puts(a, ",");
    }
}

/* ---- what collections of both generations say ---- */

TACO__FN taco_bytes taco__metadata_text_of(const taco__json *n, const char *key)
{
    return taco__json_bytes(taco__json_get(n, key));
}

/* What TACO 2 has no name for stands in the old document that was kept. */
TACO__FN const taco__json *taco__metadata_member(const taco__metadata_writer *a, const char *key)
{
    const taco__json *n = taco__json_get(a->root, key);
    return n ? n : taco__json_get(taco__json_get(a->root, "legacy:collection"), key);
}

TACO__FN taco_bytes taco__metadata_member_text(const taco__metadata_writer *a, const char *key)
{
    return taco__metadata_text_of(a->root, key);
}

/* Values that are in a list of TACO 2 or under another name in TACO 0.x. */
TACO__FN taco_bytes taco__metadata_first_text(const taco__json *n, const char *one,
                                              const char *list, const char *inner)
{
    const taco__json *first = taco__json_at(taco__json_get(n, list), 0);
    taco_bytes text = taco__metadata_text_of(n, one);
    return text.len ? text : inner ? taco__metadata_text_of(first, inner) : taco__json_bytes(first);
}

TACO__FN taco_bytes taco__metadata_person_name(const taco__json *who)
{
    taco_bytes name = taco__metadata_text_of(who, "name");
    return name.len ? name : taco__metadata_text_of(who, "organization");
}

TACO__FN taco_bytes taco__metadata_person_url(const taco__json *who)
{
    return taco__metadata_first_text(who, "url", "links", "href");
}

/* The title, the id where it has none. */
TACO__FN taco_bytes taco__metadata_title(const taco__metadata_writer *a)
{
    taco_bytes title = taco__metadata_member_text(a, "title");
    return title.len ? title : taco__metadata_member_text(a, "id");
}

TACO__FN bool taco__metadata_time_range(const taco__metadata_writer *a, taco_bytes out[2])
{
    const taco__json *t = taco__json_get(taco__json_get(a->root, "extent"), "temporal"),
                     *one = taco__json_at(t, 0);
    one = taco__json_is(one, TACO__JSON_STRING) ? t : one;
    out[0] = taco__json_bytes(taco__json_at(one, 0));
    out[1] = taco__json_bytes(taco__json_at(one, 1));
    return out[0].len && out[1].len;
}

TACO__FN bool taco__metadata_bbox(const taco__metadata_writer *a, double box[4])
{
    return taco__convert_read_bbox(taco__json_get(taco__json_get(a->root, "extent"), "spatial"),
                                   box);
}

TACO__FN const taco__json *taco__metadata_publications(const taco__metadata_writer *a)
{
    const taco__json *p = taco__json_get(taco__metadata_member(a, "scientific"), "publications");
    return p ? p : taco__json_get(a->root, "publications");
}

TACO__FN const char *taco__metadata_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

TACO__FN const char *taco__metadata_file_name(const taco__metadata_writer *a)
{
    return taco__metadata_base_name(a->path);
}

TACO__FN const char *taco__metadata_media_type(const taco__metadata_writer *a)
{
    return taco__container_ends_with(a->path, ".taco") ||
                   taco__container_ends_with(a->path, ".tortilla")
               ? "application/vnd.tortilla+blob"
               : "application/zip";
}

/* The page of a licence at SPDX. */
TACO__FN void taco__metadata_license(taco__metadata_writer *a, const char *key, taco_bytes id)
{
    taco__metadata_open(a, key, "\"https://spdx.org/licenses/");
    taco__metadata_bytes(a, id);
    taco__metadata_puts(a, ".html\",");
}

/* Bands of TACO 0.x, or of the extensions of TACO 2. */
TACO__FN const taco__json *taco__metadata_list_bands(const taco__metadata_writer *a)
{
    const taco__json *list = taco__json_get(taco__metadata_member(a, "optical_data"), "bands");
    return list ? list : taco__json_get(a->root, "optical:bands");
}

/* ---- public ---- */

TACO_API taco_bytes taco_collection_export(taco_dataset *ds, taco_collection_format kind,
                                           const taco_collection_export_options *opt,
                                           taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__metadata_writer a;
    taco__arena arena;
    taco__json_doc doc;
    taco__buf flat;
    bool ok;
    err = err ? err : &own;
    memset(&a, 0, sizeof a);
    memset(&flat, 0, sizeof flat);
    if (opt) { a.opt = *opt; }
    if (!ds || !ds->stores[0].coll.doc.root || (kind == TACO_COLLECTION_DATACITE && !a.opt.year)) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%s",
                   !ds                            ? "no dataset given"
                   : !ds->stores[0].coll.doc.root ? "the dataset has no collection"
                                                  : "DataCite wants a year of publication");
        if (ds) { taco__error_prefix(err, "%s", ds->stores[0].name); }
        return taco__bytes_of(NULL, 0);
    }
    flat.mem = arena.mem = &ds->mem;
    arena.head = NULL;
    a.root = ds->stores[0].coll.doc.root;
    a.path = ds->stores[0].name;
    a.ds = ds;
    a.err = err;
    a.ok = true;
    ds->info.len = 0;
    a.b = kind == TACO_COLLECTION_DATACARD ? &ds->info : &flat;
    if (kind == TACO_COLLECTION_DATACARD) {
        taco__metadata_datacard(&a);
    } else if (kind == TACO_COLLECTION_STAC) {
        taco__metadata_stac(&a);
    } else if (kind == TACO_COLLECTION_CROISSANT) {
        taco__metadata_croissant(&a);
    } else {
        taco__metadata_datacite(&a);
    }
    ok = a.ok;
    if (ok && kind != TACO_COLLECTION_DATACARD) {
        flat.len--; /* the last comma */
        ok = taco__json_parse(&arena, taco__bytes_of(flat.data, flat.len), &ds->options.limits,
                              &doc, err) == TACO_OK &&
             taco__json_print(&ds->info, doc.root, 2, err) &&
             taco__buf_append_char(&ds->info, '\n', err);
    }
    ok = ok && taco__buf_append_char(&ds->info, 0, err);
    taco__buf_free(&flat);
    taco__arena_free(&arena);
    return ok ? taco__bytes_of(ds->info.data, ds->info.len - 1) : taco__bytes_of(NULL, 0);
}
/* ==== src/legacy/metadata_stac.c ==== */
/* metadata_stac.c - what a collection says, in the words of STAC, DataCite, data cards and
   Croissant.. Spec: STAC 1.1.0 Collection; DataCite 4.5; Croissant 1.0; TACO 0.2.0 "API" */
/* #include "legacy.h" */
/* #include "../base/base.h" */
/* #include "../base/json.h" */

/* ---- STAC ---- */

static bool taco__metadata_stac_is_role(taco_bytes role)
{
    return taco__bytes_equal(role, taco__bytes_text("licensor")) ||
           taco__bytes_equal(role, taco__bytes_text("producer")) ||
           taco__bytes_equal(role, taco__bytes_text("processor")) ||
           taco__bytes_equal(role, taco__bytes_text("host"));
}

static void taco__metadata_stac_people(taco__metadata_writer *a, const char *key, bool curators)
{
    const taco__json *list = taco__json_get(a->root, key), *who;
    size_t i, n = taco__json_length(list);
    for (i = 0, who = n ? taco__json_first(list) : NULL; i < n; i++, who = taco__json_next(who)) {
        taco_bytes role = taco__metadata_first_text(who, "role", "roles", NULL),
                   url = taco__metadata_person_url(who);
        if (!taco__metadata_person_name(who).len) { continue; }
        taco__metadata_open(a, NULL, "{");
        taco__metadata_text(a, "name", taco__metadata_person_name(who));
        if (!curators && taco__metadata_text_of(who, "name").len) {
            taco__metadata_text(a, "description", taco__metadata_text_of(who, "organization"));
        }
        if (curators || taco__metadata_stac_is_role(role)) {
            taco__metadata_open(a, "roles", "[");
            taco__metadata_text(a, NULL, curators ? taco__bytes_text("processor") : role);
            taco__metadata_close(a, "]");
        }
        if (taco__bytes_starts_with(url, "http")) { taco__metadata_text(a, "url", url); }
        taco__metadata_close(a, "}");
    }
}

static void taco__metadata_stac_link(taco__metadata_writer *a, const char *rel, const taco__json *n)
{
    taco_bytes href = taco__metadata_text_of(n, "href");
    href = href.len ? href : taco__json_bytes(n);
    if (href.len) {
        taco__metadata_open(a, NULL, "{");
        taco__metadata_string(a, "rel", rel);
        taco__metadata_text(a, "href", href);
        taco__metadata_text(a, "title", taco__metadata_text_of(n, "title"));
        taco__metadata_close(a, "}");
    }
}

static void taco__metadata_stac_links(taco__metadata_writer *a)
{
    const taco__json *list = taco__json_get(a->root, "licenses"), *n;
    taco_bytes doi = taco__metadata_text_of(taco__metadata_member(a, "scientific"), "doi");
    size_t i, count = taco__json_length(list);
    taco__metadata_open(a, "links", "[");
    for (i = 0, n = count ? taco__json_first(list) : NULL; i < count; i++, n = taco__json_next(n)) {
        taco__metadata_open(a, NULL, "{");
        taco__metadata_string(a, "rel", "license");
        taco__metadata_license(a, "href", taco__json_bytes(n));
        taco__metadata_text(a, "title", taco__json_bytes(n));
        taco__metadata_close(a, "}");
    }
    taco__metadata_stac_link(a, "via", taco__metadata_member(a, "raw_link"));
    taco__metadata_stac_link(a, "about", taco__metadata_member(a, "discuss_link"));
    if (doi.len) {
        taco__metadata_open(a, NULL, "{");
        taco__metadata_string(a, "rel", "cite-as");
        taco__metadata_open(a, "href", "\"https://doi.org/");
        taco__metadata_bytes(a, doi);
        taco__metadata_puts(a, "\",");
        taco__metadata_close(a, "}");
    }
    taco__metadata_close(a, "]");
}

/* Wavelengths of the collection are nanometres, of the extension micrometres. */
static void taco__metadata_stac_bands(taco__metadata_writer *a)
{
    const taco__json *list = taco__metadata_list_bands(a), *n;
    size_t i, count = taco__json_length(list);
    if (!count) { return; }
    taco__metadata_open(a, "bands", "[");
    for (i = 0, n = taco__json_first(list); i < count; i++, n = taco__json_next(n)) {
        double x;
        taco__metadata_open(a, NULL, "{");
        taco__metadata_text(a, "name", taco__metadata_text_of(n, "name"));
        taco__metadata_text(a, "description", taco__metadata_text_of(n, "description"));
        if (taco__json_double(taco__json_get(n, "center_wavelength"), &x)) {
            taco__metadata_number(a, "eo:center_wavelength", x / 1000);
        }
        if (taco__json_double(taco__json_get(n, "full_width_half_max"), &x)) {
            taco__metadata_number(a, "eo:full_width_half_max", x / 1000);
        }
        taco__metadata_close(a, "}");
    }
    taco__metadata_close(a, "]");
}

static void taco__metadata_stac_extent(taco__metadata_writer *a)
{
    double box[4] = {-180, -90, 180, 90};
    taco_bytes t[2];
    size_t i;
    if (!taco__metadata_bbox(a, box)) {
        box[0] = -180;
        box[1] = -90;
        box[2] = 180;
        box[3] = 90;
    }
    taco__metadata_open(a, "extent", "{");
    taco__metadata_open(a, "spatial", "{\"bbox\":[[");
    for (i = 0; i < 4; i++) {
        taco__metadata_number(a, NULL, box[i]);
    }
    taco__metadata_close(a, "]]}");
    taco__metadata_open(a, "temporal", "{\"interval\":[[");
    if (taco__metadata_time_range(a, t)) {
        taco__metadata_text(a, NULL, t[0]);
        taco__metadata_text(a, NULL, t[1]);
    } else {
        taco__metadata_puts(a, "null,null,");
    }
    taco__metadata_close(a, "]]}");
    taco__metadata_close(a, "}");
}

static void taco__metadata_stac_science(taco__metadata_writer *a)
{
    const taco__json *s = taco__metadata_member(a, "scientific"),
                     *list = taco__metadata_publications(a), *n;
    size_t i, count = taco__json_length(list);
    taco__metadata_text(a, "sci:doi", taco__metadata_text_of(s, "doi"));
    taco__metadata_text(a, "sci:citation", taco__metadata_text_of(s, "citation"));
    if (!count) { return; }
    taco__metadata_open(a, "sci:publications", "[");
    for (i = 0, n = taco__json_first(list); i < count; i++, n = taco__json_next(n)) {
        if (taco__metadata_text_of(n, "doi").len || taco__metadata_text_of(n, "citation").len) {
            taco__metadata_open(a, NULL, "{");
            taco__metadata_text(a, "doi", taco__metadata_text_of(n, "doi"));
            taco__metadata_text(a, "citation", taco__metadata_text_of(n, "citation"));
            taco__metadata_close(a, "}");
        }
    }
    taco__metadata_close(a, "]");
}

TACO__FN void taco__metadata_stac(taco__metadata_writer *a)
{
    const taco__json *licenses = taco__json_get(a->root, "licenses");
    bool bands = taco__json_length(taco__metadata_list_bands(a)) != 0,
         science = taco__json_is(taco__metadata_member(a, "scientific"), TACO__JSON_OBJECT) ||
                   taco__json_length(taco__metadata_publications(a));
    taco__metadata_open(a, NULL, "{");
    taco__metadata_string(a, "type", "Collection");
    taco__metadata_string(a, "stac_version", "1.1.0");
    taco__metadata_open(a, "stac_extensions", "[");
    if (science) {
        taco__metadata_string(a, NULL,
                              "https://stac-extensions.github.io/scientific/v1.0.0/schema.json");
    }
    if (bands) {
        taco__metadata_string(a, NULL, "https://stac-extensions.github.io/eo/v2.0.0/schema.json");
    }
    taco__metadata_string(a, NULL, "https://stac-extensions.github.io/version/v1.2.0/schema.json");
    taco__metadata_close(a, "]");
    taco__metadata_text(a, "id", taco__metadata_member_text(a, "id"));
    taco__metadata_text(a, "title", taco__metadata_member_text(a, "title"));
    taco__metadata_text(a, "description", taco__metadata_member_text(a, "description"));
    taco__metadata_value(a, "keywords", taco__json_get(a->root, "keywords"));
    taco__metadata_text(a, "license",
                        taco__json_length(licenses) == 1
                            ? taco__json_bytes(taco__json_at(licenses, 0))
                            : taco__bytes_text("other"));
    taco__metadata_open(a, "providers", "[");
    taco__metadata_stac_people(a, "providers", false);
    taco__metadata_stac_people(a, "curators", true);
    taco__metadata_close(a, "]");
    taco__metadata_stac_extent(a);
    taco__metadata_stac_links(a);
    taco__metadata_stac_science(a);
    taco__metadata_stac_bands(a);
    taco__metadata_open(a, "summaries", "{");
    if (taco__metadata_text_of(taco__metadata_member(a, "optical_data"), "sensor").len) {
        taco__metadata_open(a, "platform", "[");
        taco__metadata_text(
            a, NULL, taco__metadata_text_of(taco__metadata_member(a, "optical_data"), "sensor"));
        taco__metadata_close(a, "]");
    }
    taco__metadata_open(a, "taco:task", "[");
    taco__metadata_text(a, NULL, taco__metadata_first_text(a->root, "task", "tasks", NULL));
    taco__metadata_close(a, "]");
    taco__metadata_value(a, "taco:labels",
                         taco__json_get(taco__metadata_member(a, "labels"), "label_classes"));
    taco__metadata_close(a, "}");
    taco__metadata_text(a, "taco:version", taco__metadata_member_text(a, "taco_version"));
    taco__metadata_text(a, "version", taco__metadata_member_text(a, "dataset_version"));
    taco__metadata_open(a, "assets", "{");
    taco__metadata_open(a, "data", "{");
    taco__metadata_open(a, "href", "\"./");
    taco__metadata_puts(a, taco__metadata_file_name(a));
    taco__metadata_puts(a, "\",");
    taco__metadata_string(a, "type", taco__metadata_media_type(a));
    taco__metadata_puts(a, "\"roles\":[\"data\"],");
    taco__metadata_close(a, "}");
    taco__metadata_close(a, "}");
    taco__metadata_close(a, "}");
}
/* ==== src/legacy/metadata_datacite.c ==== */
/* metadata_datacite.c - what a collection says, in the words of STAC, DataCite, data cards and
   Croissant.. Spec: STAC 1.1.0 Collection; DataCite 4.5; Croissant 1.0; TACO 0.2.0 "API" */
/* #include "legacy.h" */
/* #include "../base/json.h" */

/* ---- DataCite ---- */

static void taco__metadata_datacite_people(taco__metadata_writer *a, const char *key,
                                           const char *to, const char *type)
{
    const taco__json *list = taco__json_get(a->root, key), *who;
    size_t i, n = taco__json_length(list);
    if (!n) { return; }
    taco__metadata_open(a, to, "[");
    for (i = 0, who = taco__json_first(list); i < n; i++, who = taco__json_next(who)) {
        bool person = taco__metadata_text_of(who, "name").len != 0;
        taco__metadata_open(a, NULL, "{");
        taco__metadata_text(a, "name", taco__metadata_person_name(who));
        taco__metadata_string(a, "nameType", person ? "Personal" : "Organizational");
        if (person && taco__metadata_text_of(who, "organization").len) {
            taco__metadata_open(a, "affiliation", "[{");
            taco__metadata_text(a, "name", taco__metadata_text_of(who, "organization"));
            taco__metadata_close(a, "}]");
        }
        if (type) { taco__metadata_string(a, "contributorType", type); }
        taco__metadata_close(a, "}");
    }
    taco__metadata_close(a, "]");
}

static void taco__metadata_datacite_related(taco__metadata_writer *a)
{
    const taco__json *list = taco__metadata_publications(a), *n;
    taco_bytes raw = taco__metadata_text_of(taco__metadata_member(a, "raw_link"), "href");
    size_t i, count = taco__json_length(list);
    taco__metadata_open(a, "relatedIdentifiers", "[");
    for (i = 0, n = count ? taco__json_first(list) : NULL; i < count; i++, n = taco__json_next(n)) {
        if (taco__metadata_text_of(n, "doi").len) {
            taco__metadata_open(a, NULL, "{");
            taco__metadata_text(a, "relatedIdentifier", taco__metadata_text_of(n, "doi"));
            taco__metadata_string(a, "relatedIdentifierType", "DOI");
            taco__metadata_string(a, "relationType", "IsDescribedBy");
            taco__metadata_close(a, "}");
        }
    }
    if (raw.len) {
        taco__metadata_open(a, NULL, "{");
        taco__metadata_text(a, "relatedIdentifier", raw);
        taco__metadata_string(a, "relatedIdentifierType", "URL");
        taco__metadata_string(a, "relationType", "IsDerivedFrom");
        taco__metadata_close(a, "}");
    }
    taco__metadata_close(a, "]");
}

static void taco__metadata_datacite_places(taco__metadata_writer *a)
{
    double box[4];
    taco_bytes t[2];
    if (taco__metadata_bbox(a, box)) {
        taco__metadata_open(a, "geoLocations", "[{");
        taco__metadata_open(a, "geoLocationBox", "{");
        taco__metadata_number(a, "westBoundLongitude", box[0]);
        taco__metadata_number(a, "eastBoundLongitude", box[2]);
        taco__metadata_number(a, "southBoundLatitude", box[1]);
        taco__metadata_number(a, "northBoundLatitude", box[3]);
        taco__metadata_close(a, "}");
        taco__metadata_close(a, "}]");
    }
    if (taco__metadata_time_range(a, t)) {
        taco__metadata_open(a, "dates", "[{\"date\":\"");
        taco__metadata_bytes(a, t[0]);
        taco__metadata_puts(a, "/");
        taco__metadata_bytes(a, t[1]);
        taco__metadata_puts(a, "\",\"dateType\":\"Collected\",");
        taco__metadata_close(a, "}]");
    }
}

TACO__FN void taco__metadata_datacite(taco__metadata_writer *a)
{
    const taco__json *n, *first = taco__json_at(taco__json_get(a->root, "providers"), 0), *list;
    size_t i, count;
    taco_bytes house = taco__metadata_text_of(first, "organization");
    taco__metadata_open(a, NULL,
                        "{\"types\":{\"resourceTypeGeneral\":\"Dataset\","
                        "\"resourceType\":\"TACO dataset\"},");
    taco__metadata_datacite_people(a, "providers", "creators", NULL);
    taco__metadata_open(a, "titles", "[{");
    taco__metadata_text(a, "title", taco__metadata_title(a));
    taco__metadata_close(a, "}]");
    taco__metadata_open(a, "publisher", "{");
    taco__metadata_text(a, "name", house.len ? house : taco__metadata_person_name(first));
    taco__metadata_close(a, "}");
    taco__metadata_string(a, "publicationYear", a->opt.year);
    taco__metadata_text(a, "version", taco__metadata_member_text(a, "dataset_version"));
    taco__metadata_string(a, "schemaVersion", "http://datacite.org/schema/kernel-4");
    taco__metadata_text(a, "doi",
                        taco__metadata_text_of(taco__metadata_member(a, "scientific"), "doi"));
    taco__metadata_open(a, "descriptions", "[{");
    taco__metadata_text(a, "description", taco__metadata_member_text(a, "description"));
    taco__metadata_string(a, "descriptionType", "Abstract");
    taco__metadata_close(a, "}]");
    list = taco__json_get(a->root, "keywords");
    count = taco__json_length(list);
    taco__metadata_open(a, "subjects", "[");
    for (i = 0, n = count ? taco__json_first(list) : NULL; i < count; i++, n = taco__json_next(n)) {
        taco__metadata_open(a, NULL, "{");
        taco__metadata_text(a, "subject", taco__json_bytes(n));
        taco__metadata_close(a, "}");
    }
    taco__metadata_close(a, "]");
    taco__metadata_datacite_people(a, "curators", "contributors", "DataCurator");
    list = taco__json_get(a->root, "licenses");
    count = taco__json_length(list);
    taco__metadata_open(a, "rightsList", "[");
    for (i = 0, n = count ? taco__json_first(list) : NULL; i < count; i++, n = taco__json_next(n)) {
        taco__metadata_open(a, NULL, "{");
        taco__metadata_text(a, "rights", taco__json_bytes(n));
        taco__metadata_text(a, "rightsIdentifier", taco__json_bytes(n));
        taco__metadata_string(a, "rightsIdentifierScheme", "SPDX");
        taco__metadata_string(a, "schemeUri", "https://spdx.org/licenses/");
        taco__metadata_license(a, "rightsUri", taco__json_bytes(n));
        taco__metadata_close(a, "}");
    }
    taco__metadata_close(a, "]");
    taco__metadata_datacite_places(a);
    taco__metadata_datacite_related(a);
    taco__metadata_open(a, "formats", "[");
    taco__metadata_string(a, NULL, taco__metadata_media_type(a));
    taco__metadata_close(a, "]");
    taco__metadata_close(a, "}");
}
/* ==== src/legacy/metadata_datacard.c ==== */
/* metadata_datacard.c - what a collection says, in the words of STAC, DataCite, data cards and
   Croissant.. Spec: STAC 1.1.0 Collection; DataCite 4.5; Croissant 1.0; TACO 0.2.0 "API" */
/* #include "legacy.h" */
/* #include "../base/base.h" */
/* #include "../base/json.h" */
/* #include "../validate/validate.h" */

/* ---- data card ---- */

static void taco__metadata_datacard_list(taco__metadata_writer *a, const char *title,
                                         const char *key)
{
    const taco__json *list = taco__json_get(a->root, key), *n;
    size_t i, count = taco__json_length(list);
    if (count) {
        taco__metadata_puts(a, title);
        for (i = 0, n = taco__json_first(list); i < count; i++, n = taco__json_next(n)) {
            taco__metadata_puts(a, "  - ");
            a->ok = a->ok && taco__json_print(a->b, n, 0, a->err);
            taco__metadata_puts(a, "\n");
        }
    }
}

/* A cell of a table: one line, its bars escaped; N/A where there is nothing. */
static void taco__metadata_datacard_cell(taco__metadata_writer *a, const taco__json *n)
{
    taco_bytes b = taco__json_bytes(n);
    size_t i;
    taco__metadata_puts(a, "|");
    if (taco__rules_is_null(n)) {
        taco__metadata_puts(a, "N/A");
    } else if (!taco__json_is(n, TACO__JSON_STRING)) {
        a->ok = a->ok && taco__json_print(a->b, n, 0, a->err);
    }
    for (i = 0; i < b.len; i++) {
        char c[3] = {'\\', 0, 0};
        c[b.data[i] == '|'] = (char)(b.data[i] == '\n' || b.data[i] == '\r' ? ' ' : b.data[i]);
        taco__metadata_puts(a, c);
    }
}

static void taco__metadata_datacard_table(taco__metadata_writer *a, const char *title,
                                          const taco__json *list, const char *const *keys,
                                          const char *const *heads, size_t n)
{
    const taco__json *row;
    size_t i, k, count = taco__json_length(list);
    if (!count) { return; }
    taco__metadata_puts(a, title);
    for (k = 0; k < n; k++) {
        taco__metadata_puts(a, "|**");
        taco__metadata_puts(a, heads[k]);
        taco__metadata_puts(a, "**");
    }
    taco__metadata_puts(a, "|\n|");
    for (k = 0; k < n; k++) {
        taco__metadata_puts(a, " :--- |");
    }
    for (i = 0, row = taco__json_first(list); i < count; i++, row = taco__json_next(row)) {
        taco__metadata_puts(a, "\n");
        for (k = 0; k < n; k++) {
            const taco__json *v = taco__json_get(row, keys[k]);
            if (!v && strcmp(keys[k], "role") == 0) {
                v = taco__json_at(taco__json_get(row, "roles"), 0);
            }
            taco__metadata_datacard_cell(a, v);
        }
        taco__metadata_puts(a, "|");
    }
    taco__metadata_puts(a, "\n\n");
}

static void taco__metadata_datacard_line(taco__metadata_writer *a, const char *before,
                                         taco_bytes text)
{
    if (text.len) {
        taco__metadata_puts(a, before);
        taco__metadata_bytes(a, text);
        taco__metadata_puts(a, "**\n\n");
    }
}

/* The tree as taco:pit_schema tells it, a line for each level. */
static void taco__metadata_datacard_tree(taco__metadata_writer *a)
{
    const taco__json *pit = taco__json_get(a->root, "taco:pit_schema"), *level, *one, *types;
    const taco__json *hierarchy = taco__json_get(pit, "hierarchy");
    size_t i, k, j, n = taco__json_is(hierarchy, TACO__JSON_OBJECT) ? hierarchy->count : 0;
    if (!taco__json_is(pit, TACO__JSON_OBJECT)) { return; }
    taco__metadata_puts(a, "## Structure\n\n- Level 0: ");
    taco__metadata_bytes(a, taco__metadata_text_of(taco__json_get(pit, "root"), "type"));
    taco__metadata_puts(a, ", samples: ");
    a->ok = a->ok &&
            taco__json_print(a->b, taco__json_get(taco__json_get(pit, "root"), "n"), 0, a->err);
    for (i = 0, level = n ? hierarchy + 1 : NULL; i < n; i++, level = taco__json_next(level + 1)) {
        size_t patterns = taco__json_length(level + 1);
        for (k = 0; k < patterns; k++) {
            one = taco__json_at(level + 1, k);
            types = taco__json_get(one, "type");
            taco__metadata_puts(a, "\n- Level ");
            taco__metadata_bytes(a, taco__json_bytes(level));
            taco__metadata_puts(a, ": ");
            for (j = 0; j < taco__json_length(types); j++) {
                taco__metadata_puts(a, j ? ", " : "");
                taco__metadata_bytes(a, taco__json_bytes(taco__json_at(types, j)));
            }
            taco__metadata_puts(a, ", samples: ");
            a->ok = a->ok && taco__json_print(a->b, taco__json_get(one, "n"), 0, a->err);
        }
    }
    taco__metadata_puts(a, "\n\n");
}

/* The columns of every level. */
static void taco__metadata_datacard_fields(taco__metadata_writer *a)
{
    const taco__json *schema = taco__json_get(a->root, "taco:field_schema"), *level, *row;
    size_t i, k, j, n = taco__json_is(schema, TACO__JSON_OBJECT) ? schema->count : 0;
    for (i = 0, level = n ? schema + 1 : NULL; i < n; i++, level = taco__json_next(level + 1)) {
        size_t rows = taco__json_length(level + 1);
        taco__metadata_puts(a, i ? "" : "## Metadata Fields\n\n");
        taco__metadata_puts(a, "### ");
        taco__metadata_bytes(a, taco__json_bytes(level));
        taco__metadata_puts(a, "\n\n|**Field**|**Type**|**Description**|\n| :--- | :--- | :--- |");
        for (k = 0, row = rows ? taco__json_first(level + 1) : NULL; k < rows;
             k++, row = taco__json_next(row)) {
            taco__metadata_puts(a, "\n");
            for (j = 0; j < 3; j++) {
                taco__metadata_datacard_cell(a, taco__json_at(row, j));
            }
            taco__metadata_puts(a, "|");
        }
        taco__metadata_puts(a, "\n\n");
    }
}

TACO__FN void taco__metadata_datacard(taco__metadata_writer *a)
{
    static const char *const people[] = {"name", "organization", "role"},
                             *const people_heads[] = {"Name", "Organization", "Role"},
                             *const labels[] = {"name", "category", "description"},
                             *const label_heads[] = {"Name", "Category", "Description"},
                             *const bands[] = {"name",
                                               "common_name",
                                               "description",
                                               "center_wavelength",
                                               "full_width_half_max",
                                               "index"},
                             *const band_heads[] = {"Name",
                                                    "Common Name",
                                                    "Description",
                                                    "Center Wavelength",
                                                    "Full Width Half Max",
                                                    "Index"},
                             *const papers[] = {"doi", "summary", "citation"},
                             *const paper_heads[] = {"DOI", "Summary", "BibTeX Citation"};
    const taco__json *optical = taco__metadata_member(a, "optical_data"),
                     *label = taco__metadata_member(a, "labels"),
                     *strategy = taco__metadata_member(a, "split_strategy"),
                     *pit = taco__json_get(a->root, "taco:pit_schema");
    taco__metadata_puts(a, "---\n");
    taco__metadata_datacard_list(a, "license:\n", "licenses");
    taco__metadata_puts(a, "language:\n- en\n");
    taco__metadata_datacard_list(a, "tags:\n", "keywords");
    taco__metadata_puts(a, "pretty_name: ");
    a->ok = a->ok && taco__json_print_text(a->b, taco__metadata_title(a), a->err);
    taco__metadata_puts(a, "\n---\n# ");
    taco__metadata_bytes(a, taco__metadata_title(a));
    taco__metadata_puts(a, "\n\n");
    taco__metadata_bytes(a, taco__metadata_member_text(a, "description"));
    taco__metadata_puts(a, "\n\n## TACO Snippet\n\n```python\nimport tacoreader\ndataset = "
                           "tacoreader.load('");
    taco__metadata_puts(a, taco__metadata_file_name(a));
    taco__metadata_puts(a, "')\n```\n\n```r\nlibrary(tacoreader)\ndataset <- tacoreader::load('");
    taco__metadata_puts(a, taco__metadata_file_name(a));
    taco__metadata_puts(a, "')\n```\n\n");
    taco__metadata_datacard_line(a, "## Version\n\nThe version of the dataset: **",
                                 pit ? taco__metadata_member_text(a, "dataset_version")
                                     : taco__bytes_of(NULL, 0));
    taco__metadata_datacard_tree(a);
    taco__metadata_datacard_line(a, "## Sensor Information\n\nThe sensor of the dataset: **",
                                 optical ? taco__metadata_text_of(optical, "sensor")
                                         : taco__metadata_member_text(a, "optical:sensor"));
    taco__metadata_datacard_line(a, "## Task\n\nThe task of the dataset: **",
                                 taco__metadata_first_text(a->root, "task", "tasks", NULL));
    taco__metadata_datacard_line(
        a, "## Original Data Repository\n\nWhere the raw data is: **",
        taco__metadata_text_of(taco__metadata_member(a, "raw_link"), "href"));
    taco__metadata_datacard_line(
        a, "## Discussion\n\nWhere the dataset is discussed: **",
        taco__metadata_text_of(taco__metadata_member(a, "discuss_link"), "href"));
    taco__metadata_datacard_line(a, "## Split Strategy\n\nHow the dataset is divided: **",
                                 strategy ? taco__json_bytes(strategy)
                                          : taco__metadata_member_text(a, "split:strategy"));
    taco__metadata_datacard_table(a, "## Scientific Publications\n\n",
                                  taco__metadata_publications(a), papers, paper_heads, 3);
    taco__metadata_datacard_table(a, "## Data Providers\n\n", taco__json_get(a->root, "providers"),
                                  people, people_heads, 3);
    taco__metadata_datacard_table(a, "## Curators\n\n", taco__json_get(a->root, "curators"), people,
                                  people_heads, 3);
    taco__metadata_datacard_table(a, "## Labels\n\n",
                                  label ? taco__json_get(label, "label_classes")
                                        : taco__json_get(a->root, "labels:classes"),
                                  labels, label_heads, 3);
    taco__metadata_datacard_table(a, "## Optical Bands\n\n", taco__metadata_list_bands(a), bands,
                                  band_heads, 6);
    taco__metadata_datacard_fields(a);
}
/* ==== src/legacy/metadata_croissant.c ==== */
/* metadata_croissant.c - what a collection says, in the words of STAC, DataCite, data cards and
   Croissant.. Spec: STAC 1.1.0 Collection; DataCite 4.5; Croissant 1.0; TACO 0.2.0 "API" */
/* #include "legacy.h" */
/* #include "../base/base.h" */
/* #include "../base/json.h" */
/* #include "../parquet/parquet.h" */

/* ---- Croissant ---- */

/* A FileObject: its name is its @id too. */
static void taco__metadata_croissant_file(taco__metadata_writer *a, const char *path,
                                          const char *type)
{
    char hex[65], size[40];
    uint64_t n;
    if (!a->ok || !taco__sha256_file(path, &a->ds->options, &a->ds->mem, hex, &n, a->err)) {
        a->ok = false;
        return;
    }
    size[taco__num_format_u64(size, n)] = 0;
    taco__metadata_open(a, NULL, "{");
    taco__metadata_string(a, "@type", "cr:FileObject");
    taco__metadata_string(a, "@id", taco__metadata_base_name(path));
    taco__metadata_string(a, "name", taco__metadata_base_name(path));
    taco__metadata_string(a, "contentUrl", taco__metadata_base_name(path));
    taco__metadata_string(a, "encodingFormat", type);
    taco__metadata_string(a, "sha256", hex);
    taco__metadata_open(a, "contentSize", "\"");
    taco__metadata_puts(a, size);
    taco__metadata_puts(a, " B\",");
    taco__metadata_close(a, "}");
}

/* The data type of a column; NULL where Croissant has none for it. */
static const char *taco__metadata_croissant_data_type(const taco_field *f)
{
    switch (f->type) {
    case TACO_BOOL: return "sc:Boolean";
    case TACO_INT8:
    case TACO_INT16:
    case TACO_INT32:
    case TACO_INT64:
    case TACO_UINT8:
    case TACO_UINT16:
    case TACO_UINT32:
    case TACO_UINT64: return "sc:Integer";
    case TACO_HALF:
    case TACO_FLOAT:
    case TACO_DOUBLE: return "sc:Float";
    case TACO_TEXT: return "sc:Text";
    default: return NULL;
    }
}

/* An @id holds no colon: it would be a prefix of the context. */
static void taco__metadata_croissant_id(taco__metadata_writer *a, const char *key, const char *name)
{
    size_t i, at;
    taco__metadata_open(a, key, "");
    at = a->b->len;
    a->ok = a->ok && taco__json_print_text(a->b, taco__bytes_text(name), a->err);
    for (i = at; a->ok && i < a->b->len; i++) {
        a->b->data[i] = a->b->data[i] == ':' ? '_' : a->b->data[i];
    }
    if (a->ok && taco__buf_reserve(a->b, 8, a->err)) { /* behind the quote */
        memmove(a->b->data + at + 9, a->b->data + at + 1, a->b->len - at - 1);
        memcpy(a->b->data + at + 1, "samples/", 8);
        a->b->len += 8;
    } else {
        a->ok = false;
    }
    taco__metadata_puts(a, ",");
}

static void taco__metadata_croissant_field(taco__metadata_writer *a, const taco_field *f)
{
    bool list = f->type == TACO_LIST;
    const char *type = taco__metadata_croissant_data_type(list ? f->children : f);
    if (!type) { return; }
    taco__metadata_open(a, NULL, "{");
    taco__metadata_string(a, "@type", "cr:Field");
    taco__metadata_croissant_id(a, "@id", f->name);
    taco__metadata_string(a, "name", f->name);
    taco__metadata_string(a, "dataType", type);
    if (list) { taco__metadata_puts(a, "\"repeated\":true,"); }
    taco__metadata_open(a, "source", "{\"fileObject\":{");
    taco__metadata_string(a, "@id", taco__metadata_base_name(a->opt.table));
    taco__metadata_close(a, "}");
    taco__metadata_open(a, "extract", "{");
    taco__metadata_string(a, "column", f->name);
    taco__metadata_close(a, "}");
    taco__metadata_close(a, "}");
    taco__metadata_close(a, "}");
}

static void taco__metadata_croissant_record_set(taco__metadata_writer *a)
{
    taco_source src;
    taco_pq_file *file;
    const taco_field *f;
    size_t i, n, key;
    if (!a->ok || !taco__source_open_path(&a->ds->options, a->opt.table, &src, a->err) ||
        !(file = taco_pq_open_source(&src, a->opt.table, &a->ds->options, a->err))) {
        a->ok = false;
        return;
    }
    f = taco_pq_fields(file, &n);
    for (key = 0;
         key < n && strcmp(f[key].name, "id") != 0 && strcmp(f[key].name, "tortilla:id") != 0;
         key++) {}
    taco__metadata_open(a, "recordSet", "[{");
    taco__metadata_string(a, "@type", "cr:RecordSet");
    taco__metadata_string(a, "@id", "samples");
    taco__metadata_string(a, "name", "samples");
    if (key < n) {
        taco__metadata_open(a, "key", "{");
        taco__metadata_croissant_id(a, "@id", f[key].name);
        taco__metadata_close(a, "}");
    }
    taco__metadata_open(a, "field", "[");
    for (i = 0; i < n; i++) {
        taco__metadata_croissant_field(a, &f[i]);
    }
    taco__metadata_close(a, "]");
    taco__metadata_close(a, "}]");
    taco_pq_close(file);
}

static void taco__metadata_croissant_people(taco__metadata_writer *a)
{
    const taco__json *list = taco__json_get(a->root, "providers"), *who;
    size_t i, n = taco__json_length(list);
    taco__metadata_open(a, "creator", "[");
    for (i = 0, who = n ? taco__json_first(list) : NULL; i < n; i++, who = taco__json_next(who)) {
        bool person = taco__metadata_text_of(who, "name").len &&
                      taco__metadata_text_of(who, "organization").len;
        taco__metadata_open(a, NULL, "{");
        taco__metadata_string(a, "@type", person ? "sc:Person" : "sc:Organization");
        taco__metadata_text(a, "name", taco__metadata_person_name(who));
        taco__metadata_text(a, "url", taco__metadata_person_url(who));
        taco__metadata_text(a, "email", taco__metadata_text_of(who, "email"));
        taco__metadata_close(a, "}");
    }
    taco__metadata_close(a, "]");
}

TACO__FN void taco__metadata_croissant(taco__metadata_writer *a)
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
        "\"transform\":\"cr:transform\"},";
    const taco__json *list = taco__json_get(a->root, "licenses"), *n;
    size_t i, count = taco__json_length(list);
    taco__metadata_open(a, NULL, "{");
    taco__metadata_open(a, "@context", context);
    taco__metadata_string(a, "@type", "sc:Dataset");
    taco__metadata_string(a, "conformsTo", "http://mlcommons.org/croissant/1.0");
    taco__metadata_text(a, "name", taco__metadata_member_text(a, "id"));
    taco__metadata_text(a, "description", taco__metadata_member_text(a, "description"));
    taco__metadata_text(a, "version", taco__metadata_member_text(a, "dataset_version"));
    taco__metadata_open(a, "license", "[");
    for (i = 0, n = count ? taco__json_first(list) : NULL; i < count; i++, n = taco__json_next(n)) {
        taco__metadata_license(a, NULL, taco__json_bytes(n));
    }
    taco__metadata_close(a, "]");
    taco__metadata_text(a, "url",
                        taco__metadata_text_of(taco__metadata_member(a, "raw_link"), "href"));
    taco__metadata_croissant_people(a);
    taco__metadata_text(a, "alternateName", taco__metadata_member_text(a, "title"));
    taco__metadata_value(a, "keywords", taco__json_get(a->root, "keywords"));
    taco__metadata_string(a, "datePublished", a->opt.year);
    taco__metadata_text(a, "citeAs",
                        taco__metadata_text_of(taco__metadata_member(a, "scientific"), "citation"));
    taco__metadata_open(a, "distribution", "[");
    if (a->ds->stores[0].file_open) {
        taco__metadata_croissant_file(a, a->path, taco__metadata_media_type(a));
    }
    if (a->opt.table) { taco__metadata_croissant_file(a, a->opt.table, "application/x-parquet"); }
    taco__metadata_close(a, "]");
    if (a->opt.table) { taco__metadata_croissant_record_set(a); }
    taco__metadata_close(a, "}");
}
#endif /* TACO_IMPLEMENTATION */
