/* legacy.h - Tortilla and TACO 0.x, the formats before TACO 2: read, written, converted

   A tortilla is one file: a header of 200 bytes, the bytes of samples one after another, and
   a footer, a Parquet table with a row per sample. A sample may be a tortilla itself. A TACO
   0.x is a tortilla with a collection, a JSON document, after its footer; TACO 0.2.0 may have a
   chain of footers, one per level of nesting. The folder gives such files to dataset/ as one
   more kind of container (taco_legacy_opener), writes them, converts them to TACO 2 and back,
   and says what a collection of either generation has to say in the words of others (STAC,
   DataCite, Croissant, data cards). Parquet is parquet/ and parquet_write/, TACO 2 is dataset/
   and write/.

   Reading order:
     array_concat.c           arrays put together of slices of others
     tortilla_read.c          one header, one footer
     footer_chain_read.c      the objects of a chain
     legacy_table.c           rows of footers as the table of a level
     legacy_levels.c          the levels below level 0
     legacy_parts.c           files that are parts of one
     legacy_filter.c          bbox and time of a query
     legacy_dataset.c         the opener
     gdal_drivers.c           names of formats
     legacy_rules.c           what may be in a row: the rules of both documents
     legacy_collection.c      what may be in a collection
     legacy_check.c           taco_validate of old files: these, headers, ranges, chains
     tortilla_write.c         header, payloads, footer, parts
     tortilla_check.c         the rules, for writers
     tortilla_centroid.c      stac:centroid, computed
     tortilla_create.c        taco_tortilla_create
     tortilla_compile.c       taco_tortilla_compile: the rows of a query
     tortilla_edit.c          another collection, another footer
     footer_chain_write.c     a file with a chain
     footer_chunks.c          the chain's table of tiles
     convert.c                what both conversions share
     convert_collection.c     a collection of one generation as one of the other
     to_taco2.c               taco_convert_to_taco2
     to_taco2_tree.c          the rows that are converted, as a tree
     to_taco2_columns.c       their columns
     from_taco2.c             taco_convert_from_taco2
     from_taco2_columns.c     its columns
     sha256.c                 digests of files
     metadata_export.c        taco_collection_export, and what its writers share
     metadata_stac.c, metadata_datacite.c, metadata_datacard.c, metadata_croissant.c

   Tables are held whole, in arenas: footers are small compared with payloads. A function that
   returns false or NULL has filled *err; what it allocated goes when its arena does. */
#ifndef TACO__LEGACY_H
#define TACO__LEGACY_H

#include "../api/taco_legacy.h"
#include "../base/base.h"
#include "../base/sink.h"
#include "../base/file_copy.h"
#include "../base/json.h"
#include "../parquet/parquet.h"
#include "../dataset/dataset.h"
#include "../validate/validate.h"
#include "../write/write.h"

/* ---- array_concat.c ---- */

/* Rows [first, first + n) of an array; NULL: n nulls. */
typedef struct taco__concat_slice {
    const taco_array *a;
    size_t first, n;
} taco__concat_slice;

/* Types whose values meet in DOUBLE (FLOAT, DOUBLE and halves), and those of whole numbers,
   signed or not. */
TACO__FN bool taco__concat_is_float(taco_type t);
TACO__FN bool taco__concat_is_integer(taco_type t);
/* Makes f a field for values of both: whole numbers and fractions meet in DOUBLE, as in pandas,
   times in the finer unit, nulls in anything, structs in the children of both. TYPE when there
   is none. Nullable in any case. depth: 0 for a column. */
TACO__FN bool taco__concat_unify_field(taco__arena *arena, taco_field *f, const taco_field *other,
                                       uint32_t depth, taco_error *err);
/* The slices one after another, of field f; *out points to f. Their own fields are f's or were
   unified into it. */
TACO__FN bool taco__concat_arrays(taco__arena *arena, const taco_field *f,
                                  const taco__concat_slice *p, size_t count, taco_array *out,
                                  taco_error *err);

/* ---- tortilla_read.c ---- */

#define TACO__TORTILLA_HEADER_BYTES       200
#define TACO__TORTILLA_FIRST_HEADER_BYTES 50 /* of the first writers' files */

/* A header (Tortilla 0.5.0 "Format"; TACO 0.2.0 "Data format"), with all ranges in the file,
   not in the tortilla. */
typedef struct taco__tortilla {
    uint64_t base; /* where it begins: 0, or where a nested one does */
    uint64_t body; /* where its payloads may begin */
    taco__range footer, collection;
    uint64_t parts; /* of the whole set */
    /* the one format of all its samples, in files of before 0.3; else NULL */
    const char *driver;
} taco__tortilla;

/* The rows of a footer as they are stored, except for offsets, which are those in the file. */
typedef struct taco__tortilla_table {
    taco__table t;      /* arrays in an arena */
    taco_bytes pointer; /* of the chain; {NULL, 0} without one */
    uint64_t base;      /* of the tortilla */
    size_t id, offset, length;
    size_t format; /* the column that says which rows are tortillas, or TACO__NONE */
    bool all;      /* all of them are */
    uint32_t file; /* which of the files of a dataset */
    const char *driver;
} taco__tortilla_table;

/* The header of the tortilla that begins at `base`: three layouts, of which the head of the file
   tells. Ranges are proven to lie in the file, after the header. */
TACO__FN bool taco__tortilla_read_header(taco__file *file, uint64_t base, taco__arena *arena,
                                         taco__tortilla *out, taco_error *err);
/* The footer in a range, Parquet or JSON, of a tortilla that begins at `base`; driver as its header
   has it. Every row is proven to lie in the file. */
TACO__FN bool taco__tortilla_read_footer(taco__container *s, taco__file *file, taco__range range,
                                         uint64_t base, const char *driver, taco__arena *arena,
                                         taco__tortilla_table *out, taco_error *err);
/* Whether row i is a tortilla. */
TACO__FN bool taco__tortilla_is_nested(const taco__tortilla_table *t, size_t i);

/* ---- footer_chain_read.c ---- */

#define TACO__CHAIN_MAX_OBJECTS 16 /* objects: n + 2 for a nesting of n */

/* The objects of a file: table k holds the rows of level k, and the chunks of TOGs last. */
typedef struct taco__chain {
    taco__tortilla_table tables[TACO__CHAIN_MAX_OBJECTS];
    taco__range ranges[TACO__CHAIN_MAX_OBJECTS + 1];
    int64_t *parents[TACO__CHAIN_MAX_OBJECTS]; /* of a row, in the table before; -1 for none */
    size_t count;
} taco__chain;

/* OFFSETLENGTH(A, B), with or without blanks and quotes; NULL, null or nothing ends the chain. */
TACO__FN bool taco__chain_parse_pointer(taco_bytes text, bool *ends, taco__range *out,
                                        taco_error *err);
/* All objects from the first on, whose table has been read from `range`. */
TACO__FN bool taco__chain_read(taco__container *s, taco__file *file,
                               const taco__tortilla_table *first, taco__range range,
                               taco__arena *arena, taco__chain *c, taco_error *err);

/* ---- a dataset of old files: taco__container.format_state ---- */

/* One of the files of a dataset: parts, or files that the caller opened together. */
typedef struct taco__legacy_file {
    const char *path; /* the caller's */
    const char *vsi;  /* as GDAL calls it: local paths are absolute */
    taco__tortilla head;
    taco__chain *chain; /* NULL: none */
} taco__legacy_file;

/* Rows of a level, beside its table. */
typedef struct taco__legacy_level {
    bool built;
    taco_error why; /* why it is not, where it failed */
    taco__table t;
    uint32_t *file;     /* of each row: which file it is in, */
    size_t *object_row; /* where in its footer or object of the chain, */
    uint8_t *folder;    /* whether it is a tortilla, */
    int64_t *offset;    /* and the place of its bytes in that file */
    int64_t *size;
    const taco_array *path; /* keys from the top; of level 0 the ids */
} taco__legacy_level;

/* What the opener keeps of a dataset: all files, and the levels that were built of their rows. */
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
    int64_t parent, row; /* of the first row: in the level above, and in its own */
} taco__legacy_run;

/* A table in the making. s and state are only looked at for columns that are made. */
typedef struct taco__legacy_table {
    taco__container *s;
    taco__legacy *state;
    taco__arena *arena; /* the table's */
    const taco__legacy_run *runs;
    size_t count, rows;
    taco_field *fields;
    taco_array *arrays;
    size_t n, stored; /* columns; the first `stored` ones are those of the footers */
    taco_error *err;
} taco__legacy_table;

/* The fields of the columns of all runs, in the order in which they are first met; TYPE where
   two of one name cannot be unified. */
TACO__FN bool taco__legacy_table_unify_columns(taco__legacy_table *m, taco__arena *scratch);
/* Their values, in the table's arena; rows whose footer has no such column are null. */
TACO__FN bool taco__legacy_table_copy_columns(taco__legacy_table *m, taco__arena *scratch);
/* The whole table, with the columns that TACO 2 has and footers have not. top: rows of level 0,
   which are their own parents; above: paths of rows are wanted, below those of this level; else
   NULL. */
TACO__FN bool taco__legacy_table_build(taco__container *s, taco__legacy *state, taco__arena *arena,
                                       const taco__legacy_run *runs, size_t count, bool top,
                                       const taco__legacy_level *above, taco__table *out,
                                       taco_error *err);

/* ---- legacy_levels.c ---- */

/* File k, opened. It may be closed again when others are, unless it is counted as used. */
TACO__FN taco__file *taco__legacy_levels_file(taco__container *s, const taco__legacy *state,
                                              size_t k, taco_error *err);
/* Builds a level of its rows; the one above is built. */
TACO__FN bool taco__legacy_levels_build(taco__container *s, taco__legacy *state, uint32_t level,
                                        const taco__legacy_run *runs, size_t count,
                                        taco_error *err);
/* The footer of the tortilla at `offset` of file `number`. budget: bytes of footers that may
   still be read, or NULL. */
TACO__FN bool taco__legacy_levels_read_nested(taco__container *s, taco__file *file, uint64_t offset,
                                              uint32_t number, taco__arena *arena,
                                              taco__tortilla_table *out, uint64_t *budget,
                                              taco_error *err);
/* Whether there is a level below one that is built. */
TACO__FN bool taco__legacy_levels_any_below(const taco__legacy *state, uint32_t level);
/* taco_opener.deepen: builds all levels below level 0. */
TACO__FN bool taco__legacy_levels_count(taco__container *s, taco_error *err);
/* taco_opener.level. */
TACO__FN bool taco__legacy_levels_read(taco__container *s, uint32_t n, taco_error *err);

/* ---- legacy_parts.c ---- */

/* Whether a name is NAME.####.part.tortilla or .taco: NAME, and the number. */
TACO__FN bool taco__legacy_parts_parse(const char *path, taco_bytes *stem, uint64_t *number);
/* Warns of every set of parts of which some are not opened. */
TACO__FN void taco__legacy_parts_warn(taco__container *s, const taco__legacy *state);

/* ---- legacy_filter.c ---- */

/* Reads "POINT (x y)", the WKT that stac:centroid has, in degrees; false for anything else. */
TACO__FN bool taco__legacy_filter_parse_point(taco_bytes text, double xy[2]);
/* taco_opener.bbox and .time: conditions; NULL on failure. */
TACO__FN taco__expr *taco__legacy_filter_bbox(taco__arena *arena, const taco__table *t,
                                              const taco_filter *f, taco_error *err);
TACO__FN taco__expr *taco__legacy_filter_time(taco__arena *arena, const taco__table *t,
                                              const taco_filter *f, taco_error *err);

/* ---- gdal_drivers.c ---- */

/* Whether a name is that of a driver of GDAL, BYTES or TORTILLA. */
TACO__FN bool taco__gdal_is_driver(taco_bytes name);

/* ---- legacy_rules.c ---- */

/* Rows of one level, or of one footer, and where what is found goes. Zeroed members are none. */
typedef struct taco__legacy_rows {
    taco__findings *f;
    taco__mem *mem;
    const taco_array *columns;
    size_t column_count, rows;
    const taco_array *parent; /* rows with the same one are of one tortilla; NULL: all are */
    const uint8_t *tiles; /* of each row: a tile of a TIFF, which has no format; NULL: none is */
    const char *place;    /* "level 1: ", or "" */
    bool any_format;      /* names of formats need not be GDAL's */
    bool before_03;       /* of a writer that had other columns rai: */
} taco__legacy_rows;

/* Holds all rules of rows against them. False when the work itself failed. */
TACO__FN bool taco__legacy_rules_check_rows(const taco__legacy_rows *r, taco_error *err);

/* ---- legacy_collection.c ---- */

/* Holds all rules of a collection against a JSON object; made: it is about to be written. */
TACO__FN void taco__legacy_collection_check(taco__findings *f, const taco__json *root, bool made);

/* ---- legacy_check.c ---- */

/* taco_opener.check: a dataset of old files against Tortilla 0.5.0 and TACO 0.2.0. */
TACO__FN bool taco__legacy_check(taco_dataset *ds, taco__findings *f, taco_error *err);

/* ---- tortilla_write.c ---- */

#define TACO__TORTILLA_PART_BYTES                                                                  \
    UINT64_C(20000000000) /* payload bytes of a part, as the last writer had them */

/* Samples that become one tortilla. */
typedef struct taco__tortilla_node {
    const taco_array *columns; /* of all rows, without offset and length */
    size_t column_count, rows;
    uint64_t *sizes;                       /* bytes of each row, once measured */
    struct taco__tortilla_node **children; /* of rows that are tortillas; NULL: none is */
    size_t first_row;          /* the payload function's: what row 0 is among its rows */
    const size_t *source_rows; /* or which of its rows each is */
    uint32_t level;
    taco_bytes footer;
    uint64_t body; /* bytes between header and footer */
} taco__tortilla_node;

/* Fills *in with the bytes of a row; they are copied and closed before the next call. */
typedef bool (*taco__tortilla_payload_fn)(void *ctx, const taco__tortilla_node *node, size_t row,
                                          taco__input *in, taco_error *err);

/* What all writers of the folder share: memory, the output, and where payloads come from. */
typedef struct taco__tortilla_writer {
    taco__mem mem;
    taco__arena arena;
    taco_options options;
    taco__output out;
    taco__tortilla_payload_fn payload;
    void *ctx;
    bool closes;   /* the sources that payload supplies are ours to close */
    bool compiled; /* tortilla:length before tortilla:offset, as compile() had it */
    bool any_tiff; /* tiles are listed of TIFFs that are not TOGs, too */
    bool copies;   /* the samples are those of another dataset: `copied` has their ranges */
    taco__payload_ranges copied;
    taco_error *err;
} taco__tortilla_writer;

/* Ended by taco__tortilla_write_finish. The caller sets payload, ctx and the two flags. */
TACO__FN void taco__tortilla_write_init(taco__tortilla_writer *w, const taco_options *opt,
                                        taco_error *err);
/* The bytes of a footer, in the arena. pointer: of a chain, or NULL. */
TACO__FN bool taco__tortilla_write_encode_footer(taco__tortilla_writer *w,
                                                 const taco_array *columns, size_t n, size_t rows,
                                                 const char *pointer, taco_bytes *out);
/* All columns of a footer in their order, two more than the node has; *n how many. */
TACO__FN bool taco__tortilla_write_make_columns(taco__tortilla_writer *w,
                                                const taco__tortilla_node *node,
                                                const int64_t *offsets, const int64_t *sizes,
                                                taco_array *out, size_t *n);
/* Sizes and footers of a node and of all nodes below it. Where the samples are copies, no two may
   share bytes: see payload_ranges.c. */
TACO__FN bool taco__tortilla_write_measure(taco__tortilla_writer *w, taco__tortilla_node *node);
/* magic: "#y", or "WX" with a collection. */
TACO__FN bool taco__tortilla_write_header(taco__tortilla_writer *w, const char *magic,
                                          taco__range footer, uint64_t parts,
                                          taco__range collection);
/* All bytes of `in`. */
TACO__FN bool taco__tortilla_write_payload(taco__tortilla_writer *w, const taco__input *in);
/* Payloads and footer of a node that was measured. */
TACO__FN bool taco__tortilla_write_body(taco__tortilla_writer *w, const taco__tortilla_node *node);
/* Opens w->out, which taco__output_close ends. */
TACO__FN bool taco__tortilla_write_open(taco__tortilla_writer *w, const char *path);
/* One file of a node that was measured; a collection makes it a TACO. */
TACO__FN bool taco__tortilla_write_file(taco__tortilla_writer *w, const char *path,
                                        const taco__tortilla_node *node, uint64_t parts,
                                        taco_bytes json);
/* One file of a node that was measured, or parts whose payloads have at most `most` bytes each,
   except for one row that has more. */
TACO__FN bool taco__tortilla_write_parts(taco__tortilla_writer *w, const char *path,
                                         taco__tortilla_node *node, uint64_t most,
                                         taco_bytes collection);
/* Frees the writer; path goes before the text of a failure. */
TACO__FN taco_status taco__tortilla_write_finish(taco__tortilla_writer *w, bool ok,
                                                 const char *path);

/* ---- tortilla_check.c ---- */

/* The column of that name; NULL: there is none. */
TACO__FN const taco_array *taco__tortilla_check_find(const taco_array *columns, size_t n,
                                                     const char *name);
/* That rows about to be written keep the rules of legacy_rules.c; any_format: except for the names
   of formats. ARGUMENT, with the first breach. */
TACO__FN bool taco__tortilla_check_rows(taco__tortilla_writer *w, const taco_array *columns,
                                        size_t n, size_t rows, bool any_format);
/* That a file may be called so (Tortilla 0.5.0 "File Extension"): .tortilla, with a collection
   .taco. */
TACO__FN bool taco__tortilla_check_name(taco__tortilla_writer *w, const char *path, bool taco);
/* The same as for rows of a collection, a JSON object; *out its bytes. */
TACO__FN bool taco__tortilla_check_collection(taco__tortilla_writer *w, const char *text,
                                              taco_bytes *out);

/* ---- tortilla_centroid.c ---- */

/* Adds or completes the column stac:centroid of rows that have a CRS, a geotransform and a
   shape. */
TACO__FN bool taco__tortilla_centroid_add(taco__tortilla_writer *w, taco__tortilla_node *node,
                                          const taco_tortilla_options *opt);

/* ---- tortilla_compile.c ---- */

/* A row by a number, to sort rows by: an offset, or the row of a parent. */
typedef struct taco__tortilla_sort_key {
    int64_t key;
    size_t row;
} taco__tortilla_sort_key;

/* All batches of a cursor as one, in the arena. */
TACO__FN bool taco__tortilla_compile_read_rows(taco__tortilla_writer *w, taco_cursor *c,
                                               taco_batch *out);
/* taco__sort_compare of taco__tortilla_sort_key. */
TACO__FN int taco__tortilla_compile_compare(const void *ctx, const void *a, const void *b);

/* ---- footer_chain_write.c ---- */

/* A tortilla inside a payload. */
typedef struct taco__chain_nested {
    size_t top;     /* the row of the node whose payload it is in */
    uint64_t base;  /* where it begins in there */
    taco_bytes key; /* its ids from the top */
} taco__chain_nested;

/* An object of a chain: a table, and the tortillas among its rows. */
typedef struct taco__chain_object {
    taco_array *columns;
    size_t count, rows;
    taco__chain_nested *nested;
    size_t nested_count;
} taco__chain_object;

/* A column of n texts; it is not nullable. */
TACO__FN bool taco__chain_write_text_column(taco__tortilla_writer *w, taco_array *a,
                                            const char *name, const taco_bytes *texts, size_t n);
/* parent/id, in the arena; {NULL, 0} without memory. */
TACO__FN taco_bytes taco__chain_write_make_key(taco__tortilla_writer *w, taco_bytes parent,
                                               taco_bytes id);
/* One file of a node that was measured, with a chain, and with `chunks` the table of tiles. */
TACO__FN bool taco__chain_write_file(taco__tortilla_writer *w, const char *path,
                                     taco__tortilla_node *node, taco_bytes collection, bool chunks);

/* ---- footer_chunks.c ---- */

/* The table of tiles of the samples in the last object of a chain. at: where the rows of the node
   begin in the file; top: the object is the first one, too. */
TACO__FN bool taco__chain_chunks_make(taco__tortilla_writer *w, const taco__tortilla_node *node,
                                      const uint64_t *at, const taco__chain_object *last, bool top,
                                      taco__chain_object *out);

/* ---- convert.c ---- */

/* What conversions of both directions have. */
typedef struct taco__conversion {
    taco_convert_options opt;
    taco_options options; /* the caller's, with our opener */
    const taco_opener *openers[2];
    taco__mem mem;
    taco__arena arena;
    taco_dataset *ds; /* the source */
    taco_error *err;
} taco__conversion;

/* Hands the caller's note a text with %s in it, of what the other format has no place for. */
TACO__FN void taco__convert_note(taco__conversion *f, const char *text, const char *what);
/* Copies the options, which may be NULL, and adds the opener; taco__convert_free ends it. */
TACO__FN void taco__convert_init(taco__conversion *f, const taco_convert_options *opt,
                                 taco_error *err);
/* Closes the source and frees the arena. */
TACO__FN void taco__convert_free(taco__conversion *f);

/* ---- convert_collection.c ---- */

/* The boxes of an extent together; false when there is none, or one that is not whole. */
TACO__FN bool taco__convert_collection_box(const taco__json *spatial, double box[4]);
/* The collection of TACO 2 for an old dataset, or the caller's; checked. */
TACO__FN bool taco__convert_collection_to_taco2(taco__conversion *f, taco__json_doc *doc);
/* The old collection for a TACO 2, appended. */
TACO__FN bool taco__convert_collection_from_taco2(taco__conversion *f, taco__buf *out);

/* ---- to_taco2.c ---- */

/* A level of the new dataset. */
typedef struct taco__to_taco2_level {
    size_t *rows; /* of the old table; SIZE_MAX for padding */
    size_t row_count;
    taco_field *fields;
    taco_array *arrays; /* what they hold, in the new order */
    size_t column_count;
} taco__to_taco2_level;

/* The state of taco_convert_to_taco2; the container writer has it as its context. */
typedef struct taco__to_taco2 {
    taco__conversion f;
    taco__legacy *state; /* of the source */
    taco__tree tree;
    taco__to_taco2_level levels[TACO__MAX_LEVELS];
    uint32_t depth;
    uint32_t most;    /* levels that are taken; what is nested deeper is a FILE */
    uint8_t *chosen;  /* bits of the rows of level 0; NULL: all */
    bool renamed;     /* ids: the old ones stay, as tortilla:id */
    uint32_t reading; /* the level that is read by the writer, */
    bool batch_done;  /* and whether it has had its one batch */
} taco__to_taco2;

/* ---- to_taco2_tree.c ---- */

/* Fills tree, depth and the rows of all levels, and checks the tree. */
TACO__FN bool taco__to_taco2_tree_build(taco__to_taco2 *c);

/* ---- to_taco2_columns.c ---- */

/* The columns of a level whose rows are known. */
TACO__FN bool taco__to_taco2_columns_add(taco__to_taco2 *c, uint32_t level);

/* ---- from_taco2.c ---- */

/* The rows of a level with padding, read through the public calls. */
typedef struct taco__from_taco2_level {
    taco_batch rows;
    const taco_array *id, *type, *current, *parent;
    taco_array *columns; /* of the old footer */
    size_t count;
    taco__tortilla_sort_key *by_parent; /* the rows by that of their parent, in the level above */
    const char **keys;                  /* for taco_payload */
} taco__from_taco2_level;

/* The state of taco_convert_from_taco2; levels[k] is read before nodes are built of it. */
typedef struct taco__from_taco2 {
    taco__conversion f;
    taco__tortilla_writer w;
    taco__from_taco2_level levels[TACO__MAX_LEVELS];
    uint32_t depth;
} taco__from_taco2;

/* Whether row i of a level is a FOLDER. */
TACO__FN bool taco__from_taco2_is_folder(const taco__from_taco2_level *l, size_t i);

/* ---- from_taco2_columns.c ---- */

/* Makes the columns of the old footer of a level that was read. */
TACO__FN bool taco__from_taco2_columns_make(taco__from_taco2 *b, taco__from_taco2_level *l);

/* ---- sha256.c ---- */

/* Of a whole file, by pieces: 64 digits and a zero byte; *size its length. */
TACO__FN bool taco__sha256_file(const char *path, const taco_options *o, taco__mem *mem,
                                char hex[65], uint64_t *size, taco_error *err);

/* ---- metadata_export.c ---- */

/* A document being written. A failure sticks, in json.ok. Data cards, which are Markdown, are
   appended to json.out with taco__metadata_puts. */
typedef struct taco__metadata_writer {
    taco__json_writer json;
    const taco__json *root; /* of the collection */
    const char *path;       /* of the dataset */
    taco_dataset *ds;
    taco__arena *arena;
    taco_collection_export_options opt;
    size_t items; /* of a list that is being written as text */
} taco__metadata_writer;

/* Values; key is NULL in an array. A text or a value of the collection that is empty or null is
   left out, with its key. */
TACO__FN void taco__metadata_begin(taco__metadata_writer *a, const char *key, char bracket);
TACO__FN void taco__metadata_end(taco__metadata_writer *a, char bracket);
TACO__FN void taco__metadata_text(taco__metadata_writer *a, const char *key, taco_bytes text);
TACO__FN void taco__metadata_string(taco__metadata_writer *a, const char *key, const char *text);
TACO__FN void taco__metadata_number(taco__metadata_writer *a, const char *key, double x);
TACO__FN void taco__metadata_value(taco__metadata_writer *a, const char *key, const taco__json *n);
/* before, text and after as one string. */
TACO__FN void taco__metadata_joined(taco__metadata_writer *a, const char *key, taco_bytes before,
                                    taco_bytes text, taco_bytes after);
/* The page of a licence at SPDX. */
TACO__FN void taco__metadata_license(taco__metadata_writer *a, const char *key, taco_bytes id);

/* The text of a member; {NULL, 0} where there is none. */
TACO__FN taco_bytes taco__metadata_text_of(const taco__json *n, const char *key);
/* A member of the collection, or of the old one that was kept in it: TACO 2 has no name for
   some. */
TACO__FN const taco__json *taco__metadata_member(const taco__metadata_writer *a, const char *key);
/* The text of a member of the collection itself. */
TACO__FN taco_bytes taco__metadata_member_text(const taco__metadata_writer *a, const char *key);
/* The text of member `one`, or of the first in `list`, or of member `inner` of that. */
TACO__FN taco_bytes taco__metadata_first_text(const taco__json *n, const char *one,
                                              const char *list, const char *inner);
/* Calls `each` for the elements of an array, in order. */
TACO__FN void taco__metadata_each(taco__metadata_writer *a, const taco__json *list,
                                  void (*each)(taco__metadata_writer *a, const taco__json *n));
/* A person, or the organization where there is no person. */
TACO__FN taco_bytes taco__metadata_person_name(const taco__json *who);
/* A page about a person: member url of TACO 2, or the first of links of TACO 0.x. */
TACO__FN taco_bytes taco__metadata_person_url(const taco__json *who);
/* The house a person is of: organization, or affiliation as TACO 0.2.0 has it. */
TACO__FN taco_bytes taco__metadata_person_house(const taco__json *who);
/* Who prepared the data: curators, or data_curator of TACO 0.2.0; NULL: nobody is named. */
TACO__FN const taco__json *taco__metadata_curators(const taco__metadata_writer *a);
/* Calls `each` for every task: those of TACO 2, and the one text of TACO 0.x where it says
   another. */
TACO__FN void taco__metadata_each_task(taco__metadata_writer *a,
                                       void (*each)(taco__metadata_writer *a,
                                                    const taco__json *task));
/* A text as an element of an array. */
TACO__FN void taco__metadata_item(taco__metadata_writer *a, const taco__json *text);
/* The title, the id where there is none. */
TACO__FN taco_bytes taco__metadata_title(const taco__metadata_writer *a);
/* The DOI of the dataset. */
TACO__FN taco_bytes taco__metadata_doi(const taco__metadata_writer *a);
/* Start and end of the extent; false where one is missing. */
TACO__FN bool taco__metadata_time_range(const taco__metadata_writer *a, taco_bytes out[2]);
/* West, south, east, north: all boxes of the extent together; false where there is none. */
TACO__FN bool taco__metadata_bbox(const taco__metadata_writer *a, double box[4]);
/* Works about the dataset, and bands of its images; NULL where the collection has none. */
TACO__FN const taco__json *taco__metadata_publications(const taco__metadata_writer *a);
TACO__FN const taco__json *taco__metadata_bands(const taco__metadata_writer *a);
/* What comes after the last slash. */
TACO__FN const char *taco__metadata_base_name(const char *path);
/* Of the dataset's file: that of Tortilla 0.5.0 "Media Type", or a ZIP archive's. */
TACO__FN const char *taco__metadata_media_type(const taco__metadata_writer *a);

/* ---- metadata_stac.c, metadata_datacite.c, metadata_datacard.c, metadata_croissant.c ---- */

/* The four documents, whole; a failure is in a->json.ok. */
TACO__FN void taco__metadata_stac(taco__metadata_writer *a);
TACO__FN void taco__metadata_datacite(taco__metadata_writer *a);
TACO__FN void taco__metadata_datacard(taco__metadata_writer *a);
TACO__FN void taco__metadata_croissant(taco__metadata_writer *a);

#endif /* TACO__LEGACY_H */
