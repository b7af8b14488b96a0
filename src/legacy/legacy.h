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
