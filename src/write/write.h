/* write.h - what the folder offers to the others. */
#ifndef TACO__WRITE_H
#define TACO__WRITE_H

#include "../api/taco_write.h"
#include "../base/base.h"
#include "../base/sink.h"
#include "../base/file_copy.h"
#include "../base/json.h"
#include "../arrow/arrow.h"
#include "../parquet/parquet.h"
#include "../filter/filter.h"
#include "../dataset/dataset.h"
#include "../validate/validate.h"

/* ---- the tree: ids, types, parents and places of all samples ---- */

/* The samples of one level, in order: the children of a parent stand together, behind those of the
   parents before it. */
typedef struct taco__tree_level {
    taco__buf ids;     /* one behind the other                                          */
    taco__buf ends;    /* int32 where ids begin: rows + 1 of them, as Arrow's offsets   */
    taco__buf parents; /* uint32 row in the level above; nothing at level 0             */
    taco__buf folders; /* uint8: 1 for a FOLDER                                         */
    taco__buf offsets; /* int64 where the bytes are in the archive; a FOLDER's __meta__ */
    taco__buf sizes;   /* int64 how many                                                */
    size_t rows;
} taco__tree_level;

typedef struct taco__tree {
    taco__tree_level level[TACO__MAX_LEVELS];
    uint32_t levels; /* those with rows */
} taco__tree;

/* ---- where and when: what the columns of STAC and ISTAC say of all samples ---- */

/* Longitudes are gathered twice, the second time from 0 to 360: the narrower box is that of samples
   on both sides of the antimeridian. */
typedef struct taco__extent {
    bool box, times;
    uint32_t box_level, time_level; /* that they are of: the first that has such columns */
    double west, south, east, north, west360, east360;
    int64_t first, last; /* microseconds since 1970 */
} taco__extent;

typedef struct taco__zip_writer {
    taco__output *out;
    taco__mem *mem;
    taco__buf entries, name; /* what is kept; the last name */
    uint64_t count;
    uint32_t stamp; /* DOS date and time of all entries */
    /* An archive that goes on: where our entries begin, and the headers of its directory that stay,
       `stays` of them */
    uint64_t begin, stays;
    taco_bytes headers;
} taco__zip_writer;

/* An entry whose size is not known before: a sink to be written by somebody else. */
typedef struct taco__zip_write_stream {
    taco__zip_writer *z;
    taco_error *err;
    taco__buf name;
    uint64_t head, data, size;
    uint32_t crc;
    taco__buf held; /* for outputs that cannot go back to a header */
    bool open;
} taco__zip_write_stream;

/* The user's columns: per level fields, and batches of rows in the order of the tree. */
typedef struct taco__container_columns {
    void *ctx;
    const taco_field *fields[TACO__MAX_LEVELS];
    size_t counts[TACO__MAX_LEVELS];
    /* Starts a level, from its first row; called twice for a level below the first. Not called for
       levels without columns. */
    bool (*begin)(void *ctx, uint32_t level, taco_error *err);
    /* The next batch, which lives until the next call; of length 0 at the end. */
    bool (*next)(void *ctx, taco_batch *out, taco_error *err);
} taco__container_columns;

typedef struct taco__container_writer {
    taco__mem *mem;
    taco_options options;
    taco_create_options opt;
    taco__tree *tree;
    bool zip, open;
    taco__output out;
    taco__zip_writer z;
    taco__buf path;   /* FOLDER: the directory being made; then the name at hand */
    size_t root;      /* bytes of the former, a '/' at its end, 0 in archives */
    taco__buf target; /* FOLDER: its final name */
    uint8_t *buffer;  /* FOLDER: for copies */
    taco__range ranges[TACO__MAX_LEVELS + 1];
    taco__extent span;
    uint64_t payload; /* bytes of FILEs so far */
} taco__container_writer;

/* Fills *in with the bytes of a FILE; they are copied and closed before the next call. */
typedef bool (*taco__container_payload_fn)(void *ctx, uint32_t level, size_t row, taco__input *in,
                                           taco_error *err);

#define TACO__BUILDER_SLICE 16384 /* rows of a batch that goes to the tables, a multiple of 8 */

/* A column that grows: Arrow's buffers, and those of its children. */
typedef struct taco__builder {
    taco_field field;
    taco__buf validity, offsets, values; /* values: bytes of TEXT and BINARY, too */
    size_t length, nulls;
    struct taco__builder *children;
    taco_array array;       /* all of it, once it is complete */
    taco__array_buf pieces; /* for slices */
} taco__builder;

struct taco_writer {
    taco__mem mem;
    taco__arena arena;
    taco_error err;
    taco_options options;
    taco__container_writer pack;
    taco__tree tree;
    const char *path;
    bool fill, any_tree;
    uint32_t pad_to;
    taco__json_doc collection;
    bool has_collection, begun; /* some sample is there */
    uint32_t depth;             /* FOLDERs that are open */
    uint32_t level;             /* of the sample at hand */
    taco__builder *columns[TACO__MAX_LEVELS];
    size_t counts[TACO__MAX_LEVELS], caps[TACO__MAX_LEVELS];
    size_t hint[TACO__MAX_LEVELS]; /* columns are set in the same order as a rule */
    /* while the tables are written */
    uint32_t table;
    size_t at;
    taco_array *arrays;
    taco_field *fields[TACO__MAX_LEVELS];
};

/* ---- columns made row by row
   ---------------------------------------------------------------------- */

/* Grows by one row at a time, nested ones through their children. The buffers are reused from batch
   to batch. */
typedef struct taco__row_builder {
    const taco_field *field;
    size_t length, nulls;
    taco__buf validity, offsets, values;
    struct taco__row_builder *child; /* field->child_count of them */
    taco_array *arrays;
} taco__row_builder;

/* ---- functions of angles, without libm
   ------------------------------------------------------------ */

#define TACO__PROJECTION_PI 3.14159265358979323846

/* where the bytes of some level-0 samples, and of all below them, are */
typedef struct taco__export_origin {
    taco__container *store;
    const char *source; /* TACOCAT: the archive */
} taco__export_origin;

/* rows of one level whose bytes are held */
typedef struct taco__export_window {
    taco__file *file;
    taco__range range;
    size_t from, to;
} taco__export_window;

typedef struct taco__export {
    taco_dataset *ds;
    taco__mem mem;
    taco__arena arena;
    taco__tree tree;
    /* bits of the rows of all stores, one behind the other */
    uint8_t *chosen[TACO__MAX_LEVELS];
    size_t rows[TACO__MAX_LEVELS];
    /* int32 number in the tree of each row of the level that was read last, or -1 */
    taco__buf map;
    taco__buf places; /* taco__export_origin */
    taco__buf place;  /* uint32 of each level-0 sample */
    uint64_t total;   /* bytes of payload, where they are known */
    size_t last;      /* place whose archive is open */
    taco__file *file;
    taco__export_window window[TACO__MAX_LEVELS];
    taco_source held; /* the file at hand, read from what is held */
    taco__buf path, head;
    /* the columns of a level */
    taco__container_columns source;
    taco_cursor *cursor;
    uint32_t level;
    size_t at;
    taco__arena columns;
    taco__array_buf *taken;
    taco_array *arrays;
    taco__buf index;
    /* int32: levels whose rows do not stand in the order of their parents */
    taco__buf order[TACO__MAX_LEVELS];
    taco__builder *whole; /* such a level, all of it */
} taco__export;

/* The tables of the parts are read twice, a part at a time: once to check them and to count, once
   to copy their rows. What is kept of a part is its id and extent. */

typedef struct taco__catalogue_part {
    const char *path, *name, *id; /* name: the bare file name */
    bool has_spatial, has_temporal;
    double spatial[4];
    const char *temporal[2];
} taco__catalogue_part;

typedef struct taco__catalogue {
    taco__mem mem;
    taco__arena arena;
    taco_options options;
    taco_merge_options opt;
    taco__catalogue_part *parts;
    size_t count;
    taco__collection coll; /* of the first part */
    uint32_t levels;
    taco_field *fields[TACO__MAX_LEVELS]; /* of the catalogue's tables */
    size_t columns[TACO__MAX_LEVELS];
    uint64_t rows[TACO__MAX_LEVELS];
    int64_t *sums[TACO__PIT_MAX_DEPTH]; /* n of each pattern; -1 where one has none */
    int64_t shape[TACO__MAX_LEVELS];
    bool shaped;
} taco__catalogue;

/* What stands is believed in this order: for the bytes of a sample the entry of its path in the
   central directory, then its __meta__, then the level; for the samples of a FOLDER its __meta__,
   then the level; for their columns the level, and __meta__ where the two disagree about the rows.
   Payloads keep their order, and are only copied where their CRC-32 is the one the archive
   gives. */

/* Rows of a new level that come from one place. */
typedef struct taco__repair_range {
    bool meta;             /* from the __meta__ of `parent`, else from the old level */
    uint32_t first, count; /* old rows, or rows of the __meta__ */
    uint32_t parent;       /* new row in the level above */
} taco__repair_range;

typedef struct taco__repair_level {
    taco__buf old; /* int32: row in the old level, -1 for none */
    /* int64: where the bytes are that will be copied, or the __meta__ */
    taco__buf offset, size;
    taco__buf runs;
    taco__local_meta keep; /* whose fields are used where the level is not readable */
    bool kept;
    taco_field *fields; /* the user's columns */
    size_t count;
} taco__repair_level;

typedef struct taco__repair {
    taco__check_dataset c;
    taco__findings f;
    taco_validated before;
    taco__mem mem;
    taco__tree tree;
    taco__repair_level levels[TACO__MAX_LEVELS];
    taco__buf path, window;
    taco_repaired *out;
    /* the stream of columns */
    uint32_t level;
    size_t run, at;
    taco__row_reader rows;
    bool rows_open, m_open;
    taco__local_meta m;
    taco__arena batch; /* of the __meta__ that is open */
    taco_array *arrays;
    size_t *which;
} taco__repair;

/* of the cells of a column so far */
typedef enum taco__sample_table_type {
    TACO__SAMPLE_TABLE_NONE,
    TACO__SAMPLE_TABLE_BOOL,
    TACO__SAMPLE_TABLE_INT,
    TACO__SAMPLE_TABLE_DOUBLE,
    TACO__SAMPLE_TABLE_TEXT,
    TACO__SAMPLE_TABLE_INTS,
    TACO__SAMPLE_TABLE_DOUBLES,
    TACO__SAMPLE_TABLE_JSON
} taco__sample_table_type;

struct taco_table {
    taco__mem mem;
    taco__arena arena;
    taco_options options;
    const char *path;
    bool csv;
    taco_pq_file *file; /* Parquet: the one batch is the reader's */
    taco_pq_reader *reader;
    taco_batch rows;
    const taco_field *fields;
    size_t count; /* columns */
    const char **names;
    taco__sample_table_type *types;
    taco__builder *columns;
};

#define TACO__SAMPLE_ROWS_TABLES 64
#define TACO__SAMPLE_ROWS_NONE   UINT64_MAX

/* Columns that are computed here, of a level that has TIFFs. */
enum {
    TACO__FROM_DIR_CRS,
    TACO__FROM_DIR_SHAPE,
    TACO__FROM_DIR_TRANSFORM,
    TACO__FROM_DIR_CENTROID,
    TACO__FROM_DIR_HEADER,
    TACO__FROM_DIR_COLUMNS /* so many */
};

typedef struct taco__sample_rows_table {
    taco_table *table;
    const taco_batch *rows;
    const taco_field *fields;
    size_t count, id;                /* columns, and which of them is `id` */
    uint8_t *used[TACO__MAX_LEVELS]; /* per column: it belongs to the level */
    bool level[TACO__MAX_LEVELS];
    uint8_t *seen; /* per row: its sample was met in a directory */
} taco__sample_rows_table;

/* of a directory */
typedef struct taco__dir_scan_entry {
    const char *name;
    uint64_t row;  /* table << 32 | row; NO_ROW: none is about it */
    uint64_t size; /* of all below, where sizes are wanted */
    uint32_t set;  /* level 0: the dataset it goes into, as counted in order of first samples */
    uint32_t near; /* level 0: the group of neighbours; UINT32_MAX: none */
    double point[2];
    bool folder, has_point;
    bool listed; /* as a regular file */
} taco__dir_scan_entry;

typedef struct taco__from_dir {
    const taco_directory_options *how;
    taco_create_options create;
    taco_options options;
    taco_error *err;
    taco__mem mem;
    taco__arena arena;
    taco__sample_rows_table tables[TACO__SAMPLE_ROWS_TABLES];
    size_t table_count;
    uint64_t *slots; /* table << 32 | row, plus one, by the hash of the id */
    size_t slot_count;
    taco_writer *w;
    const char *collection;
    size_t collection_len;
    taco__buf path;                                          /* of the file at hand */
    size_t root;                                             /* length of SOURCE/ in it */
    uint8_t *page;                                           /* the bytes of a small file */
    bool sizes;                                              /* are wanted before */
    bool tiff[TACO__MAX_LEVELS];                             /* has some */
    bool computed[TACO__MAX_LEVELS][TACO__FROM_DIR_COLUMNS]; /* no table has it */
} taco__from_dir;

typedef struct taco__dir_scan_list {
    taco__from_dir *g;
    taco__dir_scan_entry *entries;
    size_t count, cap;
    taco__plat_dir dir; /* for its files, where open is set */
    bool open;
} taco__dir_scan_list;

typedef struct taco__dir_parts_part {
    const char *name;
    size_t first, count;
} taco__dir_parts_part;

/* ---- tree.c ---- */

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
TACO__FN taco_status taco__tree_check_pit1(const taco__tree *t, taco_error *err);
TACO__FN bool taco__tree_check_no_empty_folder(const taco__tree *t, taco_error *err);

/* ---- pit_schema.c ---- */

TACO__FN bool taco__pit_schema_write(const taco__tree *t, taco__buf *out, taco_error *err);

/* ---- collection_document.c ---- */

TACO__FN bool taco__document_write_fields(uint32_t level, const taco_field *fields, size_t n,
                                          const taco__json *known, taco__buf *out, taco_error *err);
TACO__FN bool taco__document_write_double(taco__buf *out, double x, taco_error *err);
TACO__FN bool taco__document_copy_members(const taco__json *root, const char *const *skip, size_t n,
                                          bool *first, taco__buf *out, taco_error *err);
TACO__FN bool taco__document_write_key(taco__buf *out, bool *first, const char *key,
                                       taco_error *err);
TACO__FN bool taco__document_write(const taco__json *root, bool keep_extent,
                                   const taco__extent *span, const taco__tree *t,
                                   taco_bytes field_schema, taco__buf *out, taco_error *err);

/* ---- level_tables.c ---- */

TACO__FN taco_field taco__level_table_field(const char *name, taco_type type);
TACO__FN bool taco__level_table_write_folders(taco__container_writer *p, uint32_t level,
                                              const taco__container_columns *src, taco_error *err);
TACO__FN bool taco__level_table_write(taco__container_writer *p, uint32_t level,
                                      const taco__container_columns *src, taco_error *err);

/* ---- collection_extent.c ---- */

TACO__FN void taco__extent_add_batch(taco__extent *s, uint32_t level, const taco_batch *b);
TACO__FN bool taco__extent_write(const taco__extent *s, const taco__json *otherwise, taco__buf *out,
                                 taco_error *err);

/* ---- zip_write.c ---- */

TACO__FN bool taco__zip_write_begin(taco__zip_writer *z, taco__output *out, taco__mem *mem,
                                    int64_t mtime, taco_error *err);
TACO__FN void taco__zip_write_resume(taco__zip_writer *z, taco__output *out, taco__mem *mem,
                                     int64_t mtime, uint64_t begin, taco_bytes headers,
                                     uint64_t stays);
TACO__FN void taco__zip_write_free(taco__zip_writer *z);
TACO__FN bool taco__zip_write_entry(taco__zip_writer *z, taco_bytes name, const taco__input *in,
                                    uint64_t *offset, taco_error *err);
TACO__FN bool taco__zip_write_stream_open(taco__zip_write_stream *s, taco__zip_writer *z,
                                          taco_bytes name, taco_sink *out, taco_error *err);
TACO__FN uint32_t taco__zip_write_taco_header(const taco__zip_writer *z, const taco__range *ranges,
                                              size_t n, uint8_t out[TACO__INDEX_HEADER_BYTES]);
TACO__FN bool taco__zip_write_end(taco__zip_writer *z, const taco__range *ranges, size_t n,
                                  taco_error *err);

/* ---- container_write.c ---- */

TACO__FN bool taco__container_write_is_zip(const char *path, taco_kind container);
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
                                                size_t row, const char *behind, taco_error *err);
TACO__FN bool taco__container_write_sample(taco__container_writer *p, uint32_t level, size_t row,
                                           const taco__input *in, taco_error *err);
TACO__FN bool taco__container_write_samples(taco__container_writer *p,
                                            taco__container_payload_fn payload, void *ctx,
                                            taco_error *err);
TACO__FN bool taco__container_write_open_file(taco__container_writer *p, const char *name,
                                              taco__zip_write_stream *s, taco_sink *sink,
                                              taco_error *err);
TACO__FN bool taco__container_write_finish(taco__container_writer *p, const taco__json *collection,
                                           const taco__container_columns *src, taco_error *err);

/* ---- column_builder.c ---- */

TACO__FN void taco__builder_free(taco__builder *c);
TACO__FN size_t taco__builder_value_width(const taco_field *f);
TACO__FN bool taco__builder_init(taco__builder *c, const taco_field *f, taco__mem *mem,
                                 taco__arena *arena, uint32_t depth, taco_error *err);
TACO__FN bool taco__builder_append_offset(taco__builder *c, size_t end, taco_error *err);
TACO__FN bool taco__builder_append_validity(taco__builder *c, bool valid, taco_error *err);
TACO__FN bool taco__builder_append_null(taco__builder *c, taco_error *err);
TACO__FN bool taco__builder_append_bytes(taco__builder *c, taco_bytes b, taco_error *err);
TACO__FN bool taco__builder_append_bool(taco__builder *c, bool value, taco_error *err);
TACO__FN bool taco__builder_append_copy(taco__builder *c, const taco_array *a, size_t i,
                                        taco_error *err);
TACO__FN void taco__builder_finish(taco__builder *c, taco__arena *arena, taco_error *err);
TACO__FN bool taco__builder_parse_time(const taco_field *f, taco_bytes text, int64_t *out);
TACO__FN bool taco__builder_append_int(taco__builder *c, int64_t x, taco_error *err);

/* ---- dataset_writer.c ---- */

TACO__FN taco_status taco__dataset_writer_status(taco_writer *w);
TACO__FN taco_status taco__dataset_writer_prefix_error(taco_writer *w);
TACO__FN taco_status taco__dataset_writer_add_file(taco_writer *w, const char *id, taco__input *in);

/* ---- row_builder.c ---- */

TACO__FN void taco__row_builder_reset(taco__row_builder *c);
TACO__FN bool taco__row_builder_init(taco__row_builder *c, const taco_field *f, taco__mem *mem,
                                     taco__arena *arena, taco_error *err);
TACO__FN void taco__row_builder_free(taco__row_builder *c);
TACO__FN bool taco__row_builder_end_row(taco__row_builder *c, bool valid, taco_error *err);
TACO__FN bool taco__row_builder_append_null(taco__row_builder *c, taco_error *err);
TACO__FN bool taco__row_builder_append_int(taco__row_builder *c, int64_t x, taco_error *err);
TACO__FN bool taco__row_builder_append_double(taco__row_builder *c, double x, taco_error *err);
TACO__FN bool taco__row_builder_append_bytes(taco__row_builder *c, taco_bytes b, taco_error *err);
TACO__FN bool taco__row_builder_append_text(taco__row_builder *c, const char *s, taco_error *err);
TACO__FN bool taco__row_builder_append_doubles(taco__row_builder *c, const double *v, size_t n,
                                               taco_error *err);
TACO__FN uint64_t *taco__row_builder_append_unset(taco__row_builder *c, size_t n, taco_error *err);
TACO__FN taco_array *taco__row_builder_array(taco__row_builder *c, taco_array *out);
TACO__FN taco_field taco__row_builder_field(const char *name, taco_type type);
TACO__FN taco_field taco__row_builder_nested_field(const char *name, taco_type type,
                                                   const taco_field *children, uint32_t n);

/* ---- projection.c ---- */

TACO__FN void taco__projection_sincos(double x, double *s, double *c);
TACO__FN taco_status taco__projection_lonlat(const char *crs, double x, double y, taco_lonlat_fn fn,
                                             void *ctx, double out[2], taco_error *err);

/* ---- extensions.c ---- */

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
TACO__FN bool taco__export_source_payload(void *ctx, uint32_t level, size_t row, taco__input *in,
                                          taco_error *err);

/* ---- export.c ---- */

TACO__FN void taco__export_free(taco__export *e);
TACO__FN bool taco__export_build_tree(taco__export *e, const taco_query *q, taco_error *err);
TACO__FN const taco__json *taco__export_collection(taco__export *e, bool subset, int64_t when,
                                                   taco_error *err);
TACO__FN bool taco__export_write_container(taco__export *e, const char *path,
                                           const taco_create_options *opt, const taco__json *root,
                                           const taco__container_columns *source, taco_error *err);
TACO__FN bool taco__export_init(taco__export *e, taco_dataset *ds, taco_error *err);

/* ---- merged_collection.c ---- */

TACO__FN bool taco__merged_write(taco__catalogue *m, bool note, taco__buf *out, taco_error *err);

/* ---- catalogue_tables.c ---- */

TACO__FN bool taco__catalogue_table_write_level(taco__catalogue *m, uint32_t level,
                                                const taco_sink *sink, taco_error *err);
TACO__FN bool taco__catalogue_table_write_file(taco__catalogue *m, taco_sink *out, taco_error *err);

/* ---- repair.c ---- */

TACO__FN const char *taco__repair_path(taco__repair *r, uint32_t level, size_t row,
                                       taco_error *err);
TACO__FN bool taco__repair_open_meta(taco__repair *r, uint32_t level, size_t row,
                                     taco__arena *arena, taco__local_meta *m, taco_error *err);

/* ---- repair_tree.c ---- */

TACO__FN taco__check_zip_entry *taco__repair_tree_find_entry(taco__repair *r, uint32_t level,
                                                             size_t row, const char *path);
TACO__FN bool taco__repair_tree_build(taco__repair *r, taco_error *err);

/* ---- sample_tables.c ---- */

TACO__FN bool taco__sample_table_has_suffix(const char *text, const char *end);
TACO__FN size_t taco__sample_table_find_field(const taco_field *fields, size_t n, const char *name);

/* ---- sample_rows.c ---- */

TACO__FN taco_bytes taco__sample_rows_id(const taco__sample_rows_table *t, size_t row);
TACO__FN uint64_t *taco__sample_rows_slot(const taco__from_dir *g, taco_bytes id);
TACO__FN bool taco__sample_rows_open_tables(taco__from_dir *g);
TACO__FN const taco_array *taco__sample_rows_column(const taco__from_dir *g, uint32_t level,
                                                    const char *name, size_t *table);

/* ---- directory_parts.c ---- */

TACO__FN bool taco__dir_parts_assign_groups(taco__from_dir *g, taco__dir_scan_list *l,
                                            taco_bytes **keys, size_t *count);
TACO__FN int taco__dir_parts_compare_groups(const void *a, const void *b);
TACO__FN bool taco__dir_parts_cut(taco__from_dir *g, taco__dir_scan_list *l, size_t first,
                                  size_t end, const char *target, const taco_bytes *key,
                                  taco__dir_parts_part *parts, size_t *count);
TACO__FN bool taco__dir_parts_check_free(taco__from_dir *g, const taco__dir_parts_part *parts,
                                         size_t n, const char *catalogue);

/* ---- directory_scan.c ---- */

TACO__FN int taco__dir_scan_compare(const void *a, const void *b);
TACO__FN const char *taco__dir_scan_path(taco__from_dir *g, size_t dir, const char *name);
TACO__FN size_t taco__dir_scan_enter(taco__from_dir *g, size_t dir, const char *name);
TACO__FN void taco__dir_scan_free(taco__dir_scan_list *l);
TACO__FN bool taco__dir_scan_read(taco__from_dir *g, size_t dir, taco__dir_scan_list *l);
TACO__FN bool taco__dir_scan_sum_sizes(taco__from_dir *g, size_t dir, taco__dir_scan_entry *e,
                                       unsigned depth);
TACO__FN bool taco__dir_scan_check_rows(taco__from_dir *g);

/* ---- directory_values.c ---- */

TACO__FN bool taco__dir_values_find_tiffs(taco__from_dir *g, size_t dir,
                                          const taco__dir_scan_entry *e, uint32_t level);
TACO__FN bool taco__dir_values_find_points(taco__from_dir *g, taco__dir_scan_list *l);
TACO__FN bool taco__dir_values_group_neighbours(taco__from_dir *g, taco__dir_scan_list *l);
TACO__FN bool taco__dir_values_needs_points(const taco__from_dir *g);
TACO__FN const char *taco__dir_values_group_code(uint32_t group, char out[16]);
TACO__FN bool taco__dir_values_set(taco__from_dir *g, uint32_t level, size_t dir,
                                   const taco__dir_scan_entry *e);

static const char *const taco__from_dir_column_names[TACO__FROM_DIR_COLUMNS] = {
    "stac:crs", "stac:tensor_shape", "stac:geotransform", "stac:centroid", "taco:header"};

#endif /* TACO__WRITE_H */
