/* cursor.h - the parts of a cursor: columns, table readers, the batch, sorted rows, single rows */
#ifndef TACO__CURSOR_H
#define TACO__CURSOR_H

#include "../filter/scan.h"
#include "cascade.h"
#include "navigation.h"

/* A cursor is a query bound to a dataset, and the state of reading its rows. It has one table
   reader for each container (or one for the children of a FOLDER), which scans the queried level
   and fetches ancestors for flat views. Batches are composed of columns from the readers and
   computed ones: paths, file names, row numbers. A result with ORDER BY is read in two steps: the
   keys of all rows, then the columns of the rows returned. SQL replaces all that with its own
   producer.

   Each part below is changed only by the file its comment names; the others read it. A cursor is
   closed part by part, in reverse order. */

/* ---- queries: query_parse.c ---- */

/* An entry of a list of columns, taco_query.select or .order. */
typedef struct taco__query_column {
    const char *name;
    /* order: set by callers inside the library */
    bool descending;
    /* list from text: what follows the name, such as "desc" or a mistake, and where that begins */
    taco_bytes rest;
    size_t rest_at;
} taco__query_column;

/* The entries of such a list, in its order. */
typedef struct taco__query_columns {
    const taco__query_column *items;
    size_t count;
    /* false: no list, meaning every column, or storage order */
    bool given;
    /* list from text: the mistake after the last item, or NULL */
    const taco_error *err;
} taco__query_columns;

/* A filter, with its condition as an unbound tree: set by callers inside the library, or parsed
   from f.where. */
typedef struct taco__query_filter {
    taco_filter f;
    const taco__expr *where;
    /* the tree if parsed from f.where: the query owns it */
    taco__expr *parsed;
} taco__query_filter;

/* A parsed taco_query. */
typedef struct taco__query {
    taco__query_filter *filters;
    size_t filter_count;
    uint32_t table;
    bool flat, padding;
    taco__query_columns select, order;
    /* limit 0: none */
    uint64_t limit, offset;
    /* positions of rows; row_to 0: all */
    uint64_t row_from, row_to;
} taco__query;

/* ---- columns: cursor_columns.c ---- */

/* A column not in any file, for SQL: number of the container << 32 | row of the level. */
#define TACO__ROW_ID "\1row"

/* Where the values of a column come from. */
typedef enum taco__cursor_column_kind {
    /* the table, or nulls if it has no such column */
    TACO__CURSOR_COLUMN_STORED = 0,
    /* GDAL paths, made row by row */
    TACO__CURSOR_COLUMN_VSI,
    /* the path of the container */
    TACO__CURSOR_COLUMN_SOURCE_PATH,
    /* the table's column, else the name of the container's file */
    TACO__CURSOR_COLUMN_SOURCE_FILE,
    /* the table's column, else the row's number in its archive */
    TACO__CURSOR_COLUMN_CURRENT_ID,
    TACO__CURSOR_COLUMN_ROW_ID
} taco__cursor_column_kind;

/* The origin of a result column. */
typedef struct taco__cursor_column {
    taco__cursor_column_kind kind;
    /* the level whose table has it, and its name there, without prefix */
    uint32_t level;
    const char *name;
} taco__cursor_column;

/* The columns of a result, in the cursor's arena. */
typedef struct taco__cursor_columns {
    /* name and type of each; nullable, because a container may lack it */
    taco_field *fields;
    /* one for each field; NULL if a producer makes the batches */
    taco__cursor_column *origins;
    size_t count;
    /* further columns, which can be named but are not part of '*' */
    size_t hidden;
} taco__cursor_columns;

/* ---- GDAL paths: sample_path.c ---- */

typedef enum taco__sample_path_mode {
    /* no paths: all null */
    TACO__SAMPLE_PATH_NONE = 0,
    /* archive: OFFSET, SIZE */
    TACO__SAMPLE_PATH_ZIP,
    /* archives of a catalogue: OFFSET, SIZE, NAME is internal:source_file */
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

/* The columns that paths are made from. */
typedef enum taco__sample_path_input {
    TACO__SAMPLE_PATH_OFFSET = 0,
    TACO__SAMPLE_PATH_SIZE,
    TACO__SAMPLE_PATH_NAME,
    TACO__SAMPLE_PATH_TYPE,
    TACO__SAMPLE_PATH_INPUTS
} taco__sample_path_input;

/* How to make the paths of a table's rows, and the buffers of the last such column. */
typedef struct taco__sample_path_maker {
    taco__sample_path_mode mode;
    /* archive, base of the archives, dataset or parent directory; borrowed */
    taco_bytes root;
    /* For each input, TACO__NONE if the mode does not use it: first the column of the table, then,
       once the reader is open, its index among the arrays that are read. */
    size_t input[TACO__SAMPLE_PATH_INPUTS];
    /* the paths; and the root again, padded for copies of 32 bytes */
    taco__buf offsets, bytes, validity, padded_root;
} taco__sample_path_maker;

/* Paths made by a task, for rows that a task of the scan has read. */
typedef struct taco__sample_path_task {
    /* memory account of the task */
    taco__mem own;
    taco__sample_path_maker maker;
    taco_array *in, out;
    /* its rows: n rows beginning at `from`, of one reader and one round of the scan's tasks */
    const taco__scan_reader *reader;
    size_t from, n;
    uint64_t round;
    bool ok;
} taco__sample_path_task;

/* The tasks of one table reader; none if no paths are requested, or the host has no tasks. */
typedef struct taco__sample_path_tasks {
    taco__sample_path_task *items;
    size_t count;
    taco__mem *mem;
} taco__sample_path_tasks;

/* ---- readers: table_reader.c ---- */

/* Which rows of a table are returned. */
typedef struct taco__table_filter {
    /* tested while rows are read; NULL: nothing */
    taco__expr *where;
    /* If conditions on several levels have to hold together: those of each level, and the deepest
       such level. They are tested before rows are read, and leave the rows of `cascade`. NULL: only
       the rows of this level are tested. */
    taco__expr **conditions;
    /* rows of each level that may be returned: the caller's masks, and the container's kept rows;
       NULL: all. Borrowed until the cursor is open. */
    uint8_t *masks[TACO__MAX_LEVELS];
    uint32_t deepest;
    /* the conditions have been tested */
    bool has_cascade;
    taco__cascade cascade;
} taco__table_filter;

/* State of reading the rows of one container, or of one __meta__ table. */
typedef struct taco__table_reader {
    const taco__table *table;
    /* NULL for children */
    taco__container *store;
    taco__table_filter filter;
    taco__scan scan;
    bool open;
    /* flat views: columns of ancestors by level, and their paths */
    taco__row_reader ancestors[TACO__MAX_LEVELS];
    taco__sample_path_maker ancestor_paths[TACO__MAX_LEVELS];
    /* for each output column, its index in the arrays of its level; TACO__NONE: not stored here */
    size_t *place;
    taco__sample_path_maker paths; /* paths of the rows' own level */
    taco__sample_path_tasks path_tasks;
    /* columns with the same value in every row */
    taco_bytes source_path, source_file;
    /* internal:current_id by row, if a catalogue has none; NULL: the row's number */
    int32_t *current_ids;
    /* sorted results: the numbers of all matching rows */
    uint32_t *row_numbers;
    size_t row_number_count;
} taco__table_reader;

/* ---- queries: select.c ---- */

/* What a query cannot express, for SQL and views. All zeros is taco_select. */
typedef struct taco__select_options {
    /* Rows that may be returned: masks[store * TACO__MAX_LEVELS + level] is a bitmap of the rows of
       a level, NULL for all. NULL: no masks. Borrowed until the cursor is open. */
    uint8_t *const *masks;
    /* Columns that '*' does not show may be named: TACO__ROW_ID, internal:current_id. */
    bool shows_hidden;
    /* Conditions apply to the rows themselves: if no other level is involved, rows without a parent
       stay. If false, the parent of every row is looked up, as in the reference. */
    bool keeps_orphans;
    /* For inspecting what would be read (taco_view_plan): the query is bound and its readers are
       open, but no cascade is run and nothing is sorted. No batch may be requested. */
    bool plan_only;
    /* Rows are in the order of storage, whatever the query says: tasks sort them. */
    bool unsorted;
    /* For a flat query, the view lN of the reference's SQL: all rows, including FOLDERs, with the
       internal columns of all levels except those that join them. */
    bool whole;
} taco__select_options;

/* The parts of a query needed while rows are read. */
typedef struct taco__bound_query {
    /* level of the rows */
    uint32_t level;
    bool flat, whole, padding;
    /* rows still to skip, and rows still to return; both count down */
    uint64_t skip, left;
} taco__bound_query;

/* ---- the batch: batch_compose.c ---- */

/* Buffers of a column that has the same text in every row. */
typedef struct taco__constant_text {
    taco__buf offsets, bytes;
} taco__constant_text;

/* Which rows of a level a batch contains. */
typedef struct taco__batch_rows {
    /* base + numbers[i] for each row of the current reader, lent by its scan. NULL: rows of the
       sorted order, from order_at on */
    const uint32_t *numbers;
    uint64_t base;
    size_t order_at;
    size_t count;
} taco__batch_rows;

/* The last batch, and the memory of its computed columns. */
typedef struct taco__batch_maker {
    /* one per column, including hidden ones */
    taco_array *arrays;
    taco__batch_rows rows;
    taco__constant_text source_path, source_file;
    taco__buf current_ids, row_ids;
    /* columns cast to the common type of all containers, and nulls of those that one lacks */
    taco__arena casts;
    /* result of taco_cursor_positions */
    taco__buf positions;
} taco__batch_maker;

/* ---- sorted results: cursor_order.c fills `order`, cursor_sorted.c reads by it ---- */

/* One row of a sorted result: a reader, and an index of its row_numbers. */
typedef struct taco__sorted_row {
    uint32_t reader, at;
} taco__sorted_row;

/* The output columns of one reader and level, and their indexes in its arrays. */
typedef struct taco__sorted_columns {
    taco__row_reader rows;
    size_t *places;
} taco__sorted_columns;

typedef struct taco__sorted_rows {
    /* the query has an order */
    bool active;
    taco__sorted_row *order;
    /* rows in the order, and how many have been returned */
    size_t count, at;
    /* columns[reader * TACO__MAX_LEVELS + level], opened for the first batch */
    taco__sorted_columns *columns;
    /* ranges read for the keys, or for earlier rows */
    taco__range_cache cache;
} taco__sorted_rows;

/* A value to compare: rank first, then text. The rank alone orders numbers; for texts it is the
   first 8 bytes, so that most comparisons never look at the text. */
typedef struct taco__cursor_order_key {
    uint64_t rank;
    taco_bytes text;
    bool null;
} taco__cursor_order_key;

/* A row to sort: a key for each column of the list. */
typedef struct taco__cursor_order_item {
    const taco__cursor_order_key *keys;
    /* its reader, and its index among that reader's rows */
    uint32_t reader, at;
} taco__cursor_order_item;

/* One column of the list. */
typedef struct taco__cursor_order_spec {
    /* column of the result */
    size_t column;
    bool descending;
} taco__cursor_order_spec;

/* The columns to sort by, for one reader: a row reader for each level, and for each key the index
   of its column in the arrays of its level; TACO__NONE if the reader has no such column. */
typedef struct taco__cursor_order_columns {
    taco__row_reader levels[TACO__MAX_LEVELS];
    size_t *places;
} taco__cursor_order_columns;

/* The list, and the rows to sort. */
typedef struct taco__cursor_order {
    taco__cursor_order_spec *specs;
    size_t count;
    /* for each reader; texts of keys are borrowed from these */
    taco__cursor_order_columns *columns;
    taco__cursor_order_item *items;
    size_t total;
} taco__cursor_order;

/* ---- one row at a time: cursor.c ---- */

/* Columns by name: callers request the same few names in every row, usually with the same pointers.
   An entry is valid if the column it remembers has that name. */
#define TACO__ROW_CURSOR_NAMES 16

/* A column that is not shown, see cursor_lookup.c. */
typedef struct taco__cursor_lookup taco__cursor_lookup;

typedef struct taco__row_cursor {
    /* the batch that contains `row`; begun: there is one */
    taco_batch batch;
    size_t row;
    bool begun;
    /* number of batches so far */
    uint64_t serial;
    /* taco_cursor_next was used: the caller may no longer request batches */
    bool rowwise;
    /* addresses of names, and the columns they were resolved to */
    uintptr_t names[TACO__ROW_CURSOR_NAMES];
    size_t columns[TACO__ROW_CURSOR_NAMES];
    /* text of the current row, one per column; NULL until requested */
    taco__buf *texts;
    taco__buf json;
    /* requested columns that are not shown, in the arena */
    taco__cursor_lookup *lookups;
} taco__row_cursor;

/* ---- children of a FOLDER: children.c ---- */

typedef struct taco__cursor_children {
    bool active;
    /* key path of the FOLDER */
    const char *folder;
    taco__container *parent;
    /* the table of the rows */
    taco__local_meta meta;
    /* this cursor counts as a user of its archive */
    bool counted;
} taco__cursor_children;

/* ---- other producers ---- */

/* What makes the batches instead of the table readers: taco_sql. */
typedef struct taco__cursor_producer {
    void *state;
    /* as taco_cursor_batch; NULL: there is no producer */
    bool (*next)(taco_cursor *c, taco_batch *out);
    void (*end)(taco_cursor *c);
    /* the hidden column TACO__ROW_ID, as long as rows are those of the dataset; or TACO__NONE */
    size_t row_id;
} taco__cursor_producer;

/* ---- cursors ---- */

struct taco_cursor {
    taco_dataset *ds;
    taco__mem *mem;
    taco__arena arena;
    /* the first error; nothing is returned after it */
    taco_error err;
    /* the dataset was exported with the cursor, and is closed with it */
    bool owns_dataset;
    taco__cursor_columns columns;
    taco__bound_query query;
    /* one for each container; rows are read from readers[reader] */
    taco__table_reader *readers;
    size_t reader_count, reader;
    taco__batch_maker batch;
    taco__sorted_rows sorted;
    taco__row_cursor row;
    taco__cursor_children children;
    taco__cursor_producer producer;
};

/* ---- condition_levels.c ---- */

TACO__FN bool taco__condition_levels(const taco__container *s, taco__arena *arena, uint32_t level,
                                     taco__expr *e, taco__expr *parts[TACO__MAX_LEVELS],
                                     taco_error *err);
TACO__FN void taco__condition_hint(taco__container *s, uint32_t level, const taco__expr *e,
                                   taco_error *err);

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

/* Finds one of n fields; TACO__NONE if there is none. */
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

/* The same in tasks. */
TACO__FN void taco__sample_path_tasks_init(taco_cursor *c, taco__table_reader *f);
TACO__FN void taco__sample_path_tasks_free(taco__sample_path_tasks *t);
TACO__FN bool taco__sample_path_take_from_tasks(taco_cursor *c, taco__table_reader *f, size_t n,
                                                taco_array *out);

/* ---- table_reader.c ---- */

/* To be called in this order: bind the conditions, run the cascade, open. */
TACO__FN bool taco__table_reader_bind(taco_cursor *c, taco__table_reader *f,
                                      taco__query_filter *filters, size_t n,
                                      const taco__select_options *opt);
TACO__FN bool taco__table_reader_run_cascade(taco_cursor *c, taco__table_reader *f);
TACO__FN bool taco__table_reader_open(taco_cursor *c, taco__table_reader *f);
TACO__FN void taco__table_reader_close(taco__table_reader *f);
TACO__FN bool taco__table_reader_set_filter(taco_cursor *c, taco__expr *where);
TACO__FN bool taco__table_reader_need_columns(const taco__row_reader *r, const uint8_t *picked,
                                              taco__buf *ranges, taco_error *err);

/* The reader of the output columns of a level. */
TACO__INLINE taco__row_reader *taco__table_reader_level(const taco_cursor *c, taco__table_reader *f,
                                                        uint32_t level)
{
    return level == c->query.level ? &f->scan.out : &f->ancestors[level];
}

/* The first level with output columns; the last is that of the rows. */
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

TACO__FN int taco__cursor_order_compare(const void *ctx, const void *a, const void *b);
TACO__FN bool taco__cursor_order_find_columns(taco_cursor *c, const taco__query_columns *list,
                                              taco__cursor_order *o);
TACO__FN bool taco__cursor_order_read(taco_cursor *c, taco__cursor_order *o);
TACO__FN void taco__cursor_order_close(taco_cursor *c, taco__cursor_order *o);
TACO__FN bool taco__cursor_order_sort(taco_cursor *c, const taco__query *q,
                                      const taco__select_options *opt);

/* ---- task_handle.c ---- */

TACO__FN bool taco__task_handle_is_possible(taco_dataset *ds, uint32_t level);
TACO__FN uint64_t taco__task_handle_memory(const taco__mem *mem, size_t width);
TACO__FN taco_dataset *taco__task_handle_open(const taco_dataset *ds, uint64_t max_memory,
                                              taco_error *err);
TACO__FN void taco__task_handle_close(taco_dataset *own, taco__mem *mem);

/* ---- order_tasks.c ---- */

TACO__FN bool taco__order_tasks_run(taco_cursor *c, const taco__query *q,
                                    const taco__select_options *opt, taco__cursor_order *o);

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

/* The column that weights statistics: the shape of a sample's array. */
#define TACO__PIXEL_STATS_SHAPE "stac:tensor_shape"

#endif /* TACO__CURSOR_H */
