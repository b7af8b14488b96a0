/* legacy.h - what the folder offers to the others. */
#ifndef TACO__LEGACY_H
#define TACO__LEGACY_H

#include "../api/taco_legacy.h"
#include "../base/base.h"
#include "../base/sink.h"
#include "../base/file_copy.h"
#include "../base/json.h"
#include "../parquet/parquet.h"
#include "../dataset/dataset.h"
#include "../write/write.h"

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
