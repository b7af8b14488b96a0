/* cursor.h - the parts of a cursor: columns, readers of tables, the batch, sorted and single
   rows. */
#ifndef TACO__CURSOR_H
#define TACO__CURSOR_H

#include "../filter/scan.h"
#include "cascade.h"
#include "navigation.h"

/* A cursor is a query bound to a dataset, and its rows on their way out. It has one table reader
   for each container (or one for the children of a FOLDER), which scans the level that was asked
   for and fetches ancestors for flat views. Batches are composed of what the readers read and of
   columns that are made: paths, file names, row numbers. A result with ORDER BY is read in two
   steps: the keys of all rows, then the columns of the rows that come out. SQL puts a producer of
   its own in the place of all that.

   Each part below is changed by the file that its comment names, and by no other; the others
   read it. A cursor is closed part by part, in the reverse order. */

/* ---- queries: query_parse.c ---- */

/* An entry of a list of columns, taco_query.select or .order. */
typedef struct taco__query_column {
    const char *name;
    /* of order: set by callers inside of the library */
    bool descending;
    /* of a text: what follows the name, such as "desc" or a mistake, and where that begins in it */
    taco_bytes rest;
    size_t rest_at;
} taco__query_column;

/* The entries of such a list, in its order. */
typedef struct taco__query_columns {
    const taco__query_column *items;
    size_t count;
    /* false: no list, which means every column, or storage order */
    bool given;
    /* of a text: the mistake that follows the last of items, or NULL */
    const taco_error *err;
} taco__query_columns;

/* A filter, and its condition as a tree that is not bound: set by callers inside of the library, or
   made of f.where. */
typedef struct taco__query_filter {
    taco_filter f;
    const taco__expr *where;
    /* where it was made of f.where: the same tree, which the query owns */
    taco__expr *parsed;
} taco__query_filter;

/* taco_query taken apart. */
typedef struct taco__query {
    taco__query_filter *filters;
    size_t filter_count;
    uint32_t table;
    bool flat, padding;
    taco__query_columns select, order;
    /* limit 0: none */
    uint64_t limit, offset;
    /* places of rows; row_to 0: all */
    uint64_t row_from, row_to;
} taco__query;

/* ---- columns: cursor_columns.c ---- */

/* A column of no file, for SQL: number of the container << 32 | row of the level. */
#define TACO__ROW_ID "\1row"

/* Where the values of a column come from. */
typedef enum taco__cursor_column_kind {
    /* the table, or nulls where it has no such column */
    TACO__CURSOR_COLUMN_STORED = 0,
    /* GDAL paths, made row by row */
    TACO__CURSOR_COLUMN_VSI,
    /* the path of the container */
    TACO__CURSOR_COLUMN_SOURCE_PATH,
    /* a column where the table has it, else the name of the container's file */
    TACO__CURSOR_COLUMN_SOURCE_FILE,
    /* a column where the table has it, else the row's number in its archive */
    TACO__CURSOR_COLUMN_CURRENT_ID,
    TACO__CURSOR_COLUMN_ROW_ID
} taco__cursor_column_kind;

/* What a column of the result is of. */
typedef struct taco__cursor_column {
    taco__cursor_column_kind kind;
    /* the level whose table has it, and its name there, without a prefix */
    uint32_t level;
    const char *name;
} taco__cursor_column;

/* The columns of a result, in the cursor's arena. */
typedef struct taco__cursor_columns {
    /* name and type of each; nullable, as a container may lack it */
    taco_field *fields;
    /* as many; NULL where a producer makes the batches */
    taco__cursor_column *origins;
    size_t count;
    /* columns after those, which can be named but do not come with '*' */
    size_t hidden;
} taco__cursor_columns;

/* ---- GDAL paths: sample_path.c ---- */

typedef enum taco__sample_path_mode {
    /* no paths: all are null */
    TACO__SAMPLE_PATH_NONE = 0,
    /* of an archive: OFFSET, SIZE */
    TACO__SAMPLE_PATH_ZIP,
    /* of the archives of a catalogue: OFFSET, SIZE, NAME is internal:source_file */
    TACO__SAMPLE_PATH_TACOCAT,
    /* FOLDER, level 0: TYPE, NAME is id */
    TACO__SAMPLE_PATH_TOP,
    /* FOLDER, below: TYPE, NAME is internal:relative_path */
    TACO__SAMPLE_PATH_RELATIVE,
    /* FOLDER, rows of a __meta__: TYPE, NAME is id, the root is the parent's directory */
    TACO__SAMPLE_PATH_CHILD,
    /* formats: NAME holds the paths */
    TACO__SAMPLE_PATH_STORED
} taco__sample_path_mode;

/* The columns that paths are made of. */
typedef enum taco__sample_path_input {
    TACO__SAMPLE_PATH_OFFSET = 0,
    TACO__SAMPLE_PATH_SIZE,
    TACO__SAMPLE_PATH_NAME,
    TACO__SAMPLE_PATH_TYPE,
    TACO__SAMPLE_PATH_INPUTS
} taco__sample_path_input;

/* How the paths of a table's rows are made, and the buffers of the last column of them. */
typedef struct taco__sample_path_maker {
    taco__sample_path_mode mode;
    /* archive, base of the archives, dataset or parent directory; borrowed */
    taco_bytes root;
    /* Of each input, TACO__NONE where the mode has no use for it: first the column of the table,
       then, once the reader is open, its place among the arrays that are read. */
    size_t input[TACO__SAMPLE_PATH_INPUTS];
    /* the paths; root once more, padded for copies of 32 bytes */
    taco__buf offsets, bytes, validity, padded_root;
} taco__sample_path_maker;

/* Paths that a task makes, of rows that a task of the scan has read. */
typedef struct taco__sample_path_task {
    /* what its buffers are accounted to while it runs */
    taco__mem own;
    taco__sample_path_maker maker;
    taco_array *in, out;
    /* its rows: n from `from` on, of a reader and a round of the scan's tasks */
    const taco__scan_reader *reader;
    size_t from, n;
    uint64_t round;
    bool ok;
} taco__sample_path_task;

/* The tasks of one table reader; none where nobody asks for paths, or the host has no tasks. */
typedef struct taco__sample_path_tasks {
    taco__sample_path_task *items;
    size_t count;
    taco__mem *mem;
} taco__sample_path_tasks;

/* ---- readers: table_reader.c ---- */

/* Which rows of a table come out. */
typedef struct taco__table_filter {
    /* what is tested while rows are read; NULL: nothing */
    taco__expr *where;
    /* Where conditions on several levels hold together: those of each level, and the deepest level
       that has some. They are tested before the rows are read, and leave the rows of `cascade`.
       NULL: the rows of this level are tested on their own. */
    taco__expr **conditions;
    /* rows of each level that may come out: the caller's masks, and what is kept of the container;
       NULL: all. Borrowed until the cursor is open. */
    uint8_t *masks[TACO__MAX_LEVELS];
    uint32_t deepest;
    /* the conditions have been tested */
    bool has_cascade;
    taco__cascade cascade;
} taco__table_filter;

/* Rows of one container, or of one __meta__ table, on their way out. */
typedef struct taco__table_reader {
    const taco__table *table;
    /* NULL for children */
    taco__container *store;
    taco__table_filter filter;
    taco__scan scan;
    bool open;
    /* of flat views, by level: columns of ancestors, and their paths */
    taco__row_reader ancestors[TACO__MAX_LEVELS];
    taco__sample_path_maker ancestor_paths[TACO__MAX_LEVELS];
    /* of each output column, its place in the arrays of its level; TACO__NONE: not stored here */
    size_t *place;
    taco__sample_path_maker paths; /* of the rows' own level */
    taco__sample_path_tasks path_tasks;
    /* values of the columns that are the same in every row */
    taco_bytes source_path, source_file;
    /* internal:current_id by row, where a catalogue has none; NULL: it is the row's number */
    int32_t *current_ids;
    /* sorted results: the numbers of all rows that were found */
    uint32_t *row_numbers;
    size_t row_number_count;
} taco__table_reader;

/* ---- queries: select.c ---- */

/* What a query cannot say, for SQL and views. All zero is what taco_select does. */
typedef struct taco__select_options {
    /* Rows that may come out: masks[store * TACO__MAX_LEVELS + level] is a bitmap over the rows of
       a level, NULL for all of them. NULL: no masks. Borrowed until the cursor is open. */
    uint8_t *const *masks;
    /* Columns may be named that '*' does not show: TACO__ROW_ID, internal:current_id. */
    bool shows_hidden;
    /* Conditions are about the rows themselves: where they need no other level, rows without a
       parent stay. Without it the parents of every row are looked up, as in the reference. */
    bool keeps_orphans;
    /* To look at what would be read (taco_view_plan): the query is bound and its readers are open,
       but no cascade is run and nothing is sorted. No batch may be asked for. */
    bool plan_only;
    /* Of a flat query: the view lN of the reference's SQL, which is all rows, FOLDERs too, and has
       the internal columns of all levels but those that join them. */
    bool whole;
} taco__select_options;

/* A query as far as rows on their way out depend on it. */
typedef struct taco__bound_query {
    /* of the rows */
    uint32_t level;
    bool flat, whole, padding;
    /* rows before the first one that comes out, and rows to come; both count down */
    uint64_t skip, left;
} taco__bound_query;

/* ---- the batch: batch_compose.c ---- */

/* Buffers of a column that has the same text in every row. */
typedef struct taco__constant_text {
    taco__buf offsets, bytes;
} taco__constant_text;

/* Which rows of a level a batch has. */
typedef struct taco__batch_rows {
    /* base + numbers[i] for each row of the reader at hand, lent by its scan. NULL: rows of the
       sorted order, from order_at on */
    const uint32_t *numbers;
    uint64_t base;
    size_t order_at;
    size_t count;
} taco__batch_rows;

/* The batch that was made last, and the memory of its columns that are not read but made. */
typedef struct taco__batch_maker {
    /* one per column, hidden ones too */
    taco_array *arrays;
    taco__batch_rows rows;
    /* validity of columns of nulls */
    taco__buf zeros;
    taco__constant_text source_path, source_file;
    taco__buf current_ids, row_ids;
    /* columns that were cast to the type of all containers */
    taco__arena casts;
    /* of taco_cursor_positions */
    taco__buf positions;
} taco__batch_maker;

/* ---- sorted results: cursor_order.c fills `order`, cursor_sorted.c reads by it ---- */

/* One row of a sorted result: a reader, and an index of its row_numbers. */
typedef struct taco__sorted_row {
    uint32_t reader, at;
} taco__sorted_row;

/* The columns of one reader and level that come out, and their places in its arrays. */
typedef struct taco__sorted_columns {
    taco__row_reader rows;
    size_t *places;
} taco__sorted_columns;

typedef struct taco__sorted_rows {
    /* the query has an order */
    bool active;
    taco__sorted_row *order;
    /* rows of the order, and how many have come out */
    size_t count, at;
    /* columns[reader * TACO__MAX_LEVELS + level], opened for the first batch */
    taco__sorted_columns *columns;
    /* what was read for the keys, or for rows before */
    taco__range_cache cache;
} taco__sorted_rows;

/* ---- one row at a time: cursor.c ---- */

/* Columns by name: callers ask for the same few names in every row, as a rule with the same
   pointers. An entry is right where the column it remembers has the name. */
#define TACO__ROW_CURSOR_NAMES 16

/* A column that is not shown, see cursor_lookup.c. */
typedef struct taco__cursor_lookup taco__cursor_lookup;

typedef struct taco__row_cursor {
    /* the batch that `row` is of; begun: there is one */
    taco_batch batch;
    size_t row;
    bool begun;
    /* counts the batches */
    uint64_t serial;
    /* taco_cursor_next was used: batches are no longer the caller's to ask for */
    bool rowwise;
    /* the addresses of names, and the columns they led to */
    uintptr_t names[TACO__ROW_CURSOR_NAMES];
    size_t columns[TACO__ROW_CURSOR_NAMES];
    /* of the current row, one per column; NULL until text is asked for */
    taco__buf *texts;
    taco__buf json;
    /* columns that were asked for and are not shown, in the arena */
    taco__cursor_lookup *lookups;
} taco__row_cursor;

/* ---- children of a FOLDER: children.c ---- */

typedef struct taco__cursor_children {
    bool active;
    /* path of keys of the FOLDER */
    const char *folder;
    taco__container *parent;
    /* the table of the rows */
    taco__local_meta meta;
    /* its archive has this cursor as a user */
    bool counted;
} taco__cursor_children;

/* ---- other producers ---- */

/* What makes the batches where the table readers do not: taco_sql. */
typedef struct taco__cursor_producer {
    void *state;
    /* as taco_cursor_batch; NULL: there is no producer */
    bool (*next)(taco_cursor *c, taco_batch *out);
    void (*end)(taco_cursor *c);
    /* the hidden column TACO__ROW_ID, as long as rows are rows of the dataset; or TACO__NONE */
    size_t row_id;
} taco__cursor_producer;

/* ---- cursors ---- */

struct taco_cursor {
    taco_dataset *ds;
    taco__mem *mem;
    taco__arena arena;
    /* the first error: nothing comes out after it */
    taco_error err;
    /* the dataset was exported with it, and is closed with it */
    bool owns_dataset;
    taco__cursor_columns columns;
    taco__bound_query query;
    /* one for each container; rows come from readers[reader] */
    taco__table_reader *readers;
    size_t reader_count, reader;
    taco__batch_maker batch;
    taco__sorted_rows sorted;
    taco__row_cursor row;
    taco__cursor_children children;
    taco__cursor_producer producer;
};

/* ---- query_parse.c ---- */

TACO__FN bool taco__query_parse_columns(taco__arena *arena, const char *text,
                                        taco__query_columns *out, taco_error *err);
TACO__FN bool taco__query_parse_ends(const taco__query_columns *list, taco_error *err);
TACO__FN bool taco__query_parse(taco__arena *arena, const taco_query *q, taco__query *out,
                                taco_error *err);
TACO__FN bool taco__query_parse_condition(taco__query_filter *f, taco__arena *arena,
                                          const taco_limits *limits, bool last, taco__expr **e,
                                          taco_error *err);

/* ---- cursor_columns.c ---- */

/* Building the columns of a cursor. */
TACO__FN bool taco__cursor_column_reserve(taco_cursor *c, size_t n);
TACO__FN void taco__cursor_column_add(taco_cursor *c, taco__cursor_column_kind kind, uint32_t level,
                                      const char *name, const char *label, const taco_field *f);
TACO__FN void taco__cursor_column_add_vsi(taco_cursor *c, uint32_t level);
TACO__FN bool taco__cursor_column_add_all(taco_cursor *c, uint32_t level, bool hidden);
TACO__FN bool taco__cursor_column_select(taco_cursor *c, const taco__query_columns *list);
TACO__FN bool taco__cursor_column_is_stored(const taco__cursor_column *o);

/* Finding one of n fields; TACO__NONE where there is none. */
TACO__FN size_t taco__cursor_column_find_field(const taco_field *fields, size_t n,
                                               const char *name);
TACO__FN size_t taco__cursor_column_find(const taco_cursor *c, const char *name);
TACO__FN size_t taco__cursor_column_prefix_length(const char *label);
TACO__FN size_t taco__cursor_column_find_unprefixed(const taco_field *fields, size_t n,
                                                    const char *name, bool exact);
TACO__FN size_t taco__cursor_column_find_same_level(const taco_field *fields, size_t n,
                                                    const char *of, const char *name);
TACO__FN bool taco__cursor_column_is_number(const taco_field *f);

/* ---- sample_path.c ---- */

TACO__FN bool taco__sample_path_init(taco__sample_path_maker *m, const taco__container *s,
                                     const taco__table *t, const taco__column_roles *r,
                                     uint32_t level, taco_error *err);
TACO__FN bool taco__sample_path_init_children(taco__sample_path_maker *m, const taco__nav_node *n,
                                              const taco__table *t, const taco__column_roles *r,
                                              taco_error *err);
TACO__FN bool taco__sample_path_is_asked_for(const taco_cursor *c, uint32_t level);
TACO__FN void taco__sample_path_free(taco__sample_path_maker *m);
TACO__FN bool taco__sample_path_make_column(taco__sample_path_maker *m, taco__mem *mem,
                                            const taco_array *in, size_t n, const taco_field *field,
                                            taco_array *out, taco_error *err);
TACO__FN int taco__sample_path_parse_type(taco_bytes type);

/* The same by tasks. */
TACO__FN void taco__sample_path_tasks_init(taco_cursor *c, taco__table_reader *f);
TACO__FN void taco__sample_path_tasks_free(taco__sample_path_tasks *t);
TACO__FN bool taco__sample_path_take_from_tasks(taco_cursor *c, taco__table_reader *f, size_t n,
                                                taco_array *out);

/* ---- table_reader.c ---- */

/* In this order: bind what is tested, test what has to be tested before rows are read, open. */
TACO__FN bool taco__table_reader_bind(taco_cursor *c, taco__table_reader *f,
                                      taco__query_filter *filters, size_t n,
                                      const taco__select_options *opt);
TACO__FN bool taco__table_reader_run_cascade(taco_cursor *c, taco__table_reader *f);
TACO__FN bool taco__table_reader_open(taco_cursor *c, taco__table_reader *f);
TACO__FN void taco__table_reader_close(taco__table_reader *f);
TACO__FN bool taco__table_reader_set_filter(taco_cursor *c, taco__expr *where);
TACO__FN bool taco__table_reader_need_columns(const taco__row_reader *r, const uint8_t *picked,
                                              taco__buf *ranges, taco_error *err);

/* The reader of the columns of a level that comes out. */
TACO__INLINE taco__row_reader *taco__table_reader_level(const taco_cursor *c, taco__table_reader *f,
                                                        uint32_t level)
{
    return level == c->query.level ? &f->scan.out : &f->ancestors[level];
}

/* The first level whose columns come out; the last is that of the rows. */
TACO__INLINE uint32_t taco__table_reader_first_level(const taco_cursor *c)
{
    return c->query.flat ? 0 : c->query.level;
}

/* ---- select.c ---- */

TACO__FN taco_cursor *taco__select_open(taco_dataset *ds, const taco__query *q,
                                        const taco__select_options *opt, taco_error *err);
TACO__FN taco_cursor *taco__select_columns(taco_dataset *ds, uint32_t level, bool flat,
                                           const taco__select_options *opt, taco_error *err);
TACO__FN taco_cursor *taco__select_columns_only(taco_dataset *ds, const taco_query *q,
                                                taco_error *err);

/* ---- cursor.c ---- */

TACO__FN taco_cursor *taco__cursor_alloc(taco_dataset *ds, size_t readers, taco_error *err);
TACO__FN bool taco__cursor_fail(taco_cursor *c, const taco__table_reader *f, bool level);
TACO__FN const taco__container *taco__cursor_container(taco_cursor *c);
TACO__FN void taco__cursor_set_window(taco_cursor *c, uint64_t skip, uint64_t left);

/* ---- batch_compose.c ---- */

TACO__FN void taco__compose_init(taco__batch_maker *b, taco__mem *mem);
TACO__FN void taco__compose_free(taco__batch_maker *b);
TACO__FN bool taco__compose_next(taco_cursor *c, taco_batch *out);
TACO__FN bool taco__compose_batch(taco_cursor *c, taco__table_reader *f,
                                  const taco_array *const *by_level, size_t n);
TACO__FN void taco__compose_hand_out(taco_cursor *c, size_t n, int64_t first_row, taco_batch *out);

/* Rows without their columns. */
TACO__FN size_t taco__compose_next_rows(taco_cursor *c, uint64_t *first, const uint32_t **rows);
TACO__FN bool taco__compose_count_rows(taco_cursor *c, uint64_t *count);
TACO__FN bool taco__compose_sample_row(const taco_cursor *c, size_t i, size_t *store,
                                       uint64_t *row);

TACO__FN bool taco__compose_read_level(taco_cursor *c, taco__row_reader *r, const uint32_t *rows,
                                       size_t n);
TACO__FN bool taco__compose_is_mixed(const taco_cursor *c, size_t i);

/* ---- cursor_lookup.c ---- */

TACO__FN bool taco__lookup_cell(taco_cursor *c, const char *name, taco_bytes *text, int64_t *number,
                                bool *is_number);
TACO__FN bool taco__lookup_has_samples(const taco_cursor *c);
TACO__FN void taco__lookup_free(taco_cursor *c);

/* ---- cursor_order.c ---- */

TACO__FN bool taco__cursor_order_sort(taco_cursor *c, const taco__query_columns *list);

/* ---- cursor_sorted.c ---- */

TACO__FN void taco__cursor_sorted_free(taco_cursor *c);
TACO__FN bool taco__cursor_sorted_collect_rows(taco_cursor *c, taco__table_reader *f);
TACO__FN bool taco__cursor_sorted_read_rows(taco_cursor *c, taco__table_reader *f,
                                            taco__row_reader *const *rows, const uint32_t *numbers,
                                            size_t n, const taco_array **by_level);
TACO__FN bool taco__cursor_sorted_next(taco_cursor *c, taco_batch *out);

/* ---- children.c ---- */

TACO__FN void taco__children_close(taco__cursor_children *x);

/* ---- pixel_stats.c ---- */

/* The column that weights statistics: sizes of a sample's array. */
#define TACO__PIXEL_STATS_SHAPE "stac:tensor_shape"

#endif /* TACO__CURSOR_H */
