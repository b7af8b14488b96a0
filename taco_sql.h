/* taco_sql.h - SQL over TACO datasets, views put together step by step, and plans of what they
   read. Optional: it needs taco.h and taco_parquet.h beside it.

   Do this in exactly one source file, before other includes:

       #define TACO_IMPLEMENTATION
       #include "taco_sql.h"

   and include the header plainly wherever else it is used. The 15 lines that answer a question:

       taco_error err = {0};
       taco_dataset *ds = taco_open("s2.tacozip", NULL, &err);
       taco_cursor *rows = ds ? taco_sql(ds,
           "SELECT split, count(*) AS n, avg(\"stac:cloud_cover\") AS cloud "
           "FROM data WHERE \"stac:cloud_cover\" < 20 GROUP BY split ORDER BY n DESC", &err) : NULL;
       while (taco_cursor_next(rows)) {
           double cloud = 0;
           taco_bytes split = {NULL, 0};
           taco_cursor_double(rows, "cloud", &cloud);
           taco_cursor_bytes(rows, "split", &split);
           printf("%.*s %.1f\n", (int)split.len, (const char *)split.data, cloud);
       }
       if (taco_cursor_close(rows, &err) != TACO_OK || err.code != TACO_OK)
           fprintf(stderr, "%s\n", err.text);
       taco_close(ds);

   The result is a cursor like that of taco_select: its rows, batches, fields and Arrow stream are
   those of taco.h.

   SQL. taco_sql takes one SELECT, in DuckDB's dialect, with its types and names of columns:
     SELECT [DISTINCT] expr [AS name], *, t.*, * EXCLUDE (...)
     FROM data | level0..5 | l0..5 [alias] [[LEFT] JOIN table [alias] ON a = b [AND ...]]...
     [WHERE cond] [GROUP BY expr, ... | ALL] [HAVING cond]
     [ORDER BY expr [ASC | DESC] [NULLS FIRST | LAST], ... | ALL] [LIMIT n] [OFFSET n]
   Tables: data is level0, level1 the rows of the level below it and so on, l1 the FILE rows of
   level 1 with the columns of their ancestors, which are called "l0:name".
   Expressions: + - * / // % ||, comparisons, IS [NOT] DISTINCT FROM | NULL | TRUE, IN, BETWEEN,
   [I]LIKE, CASE, CAST, TRY_CAST, ::, lists[i], [i:j], fields of structs, functions of texts,
   numbers, dates and lists, ST_Intersects and ST_Within with ST_MakeEnvelope.
   Aggregates: count sum avg min max first last any_value stddev variance median quantile_cont
   quantile_disc list bool_and bool_or, with DISTINCT and FILTER.
   Not taken: subqueries, set operations, window functions; the error names what it found.
   HUGEINT comes out as DECIMAL(38, 0). A join of internal:parent_id with internal:current_id stays
   within one archive.
   What is read: the columns that the query names. Conditions of WHERE that compare a column with
   literals prune row groups and pages before anything else is read, as those of taco_query do.

   VIEWS. A view is a list of steps: filters, columns, order, limits, SELECTs. Each call makes a new
   view and leaves the one before as it was; nothing is read until rows are asked for.
       taco_view *all = taco_view_open(ds, NULL, &err);
       taco_view *v = taco_view_sql(all, "SELECT id, v FROM data WHERE v > 0.5 ORDER BY v", &err);
       taco_view *w = taco_view_filter_bbox(v, box, NULL, 1, &err);
       rows = taco_view_rows(w, &err);
   Filters, conditions that a scan can test, plain columns, sort keys and limits become one
   taco_query, whatever order they come in; a limit before a filter is run for the numbers of its
   rows. Other SELECTs run over that query, each over the one before, streaming where they neither
   group nor sort. Filters of levels go below SELECTs that keep the rows. id, type and internal:*
   can be named, and navigated by, after any step that keeps rows.

   PLANS. taco_view_plan, and `taco query --explain`, show what a view will read before it does:
   row groups and pages that are pruned, ranges of bytes by round. Over a taco_feed, whose files are
   the ranges that a host handed in, that works without a read that waits.

   MADE from src/ by `make headers`: edit src/, not this file. src/where.sh taco_sql.h:LINE prints
   where a line comes from. */
#ifndef TACO_SQL_H
#define TACO_SQL_H

#include "taco.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- SQL ------------------------------------------------------------------------------------- */

/* Rows of one SELECT over data, level0 ... level5 (rows of a level) and l0 ... l5 (FILE rows with
   their ancestors' columns), see the manual. Columns are named as DuckDB names them; padding is
   hidden. sql is not kept. Errors of the text say at which column; failures of a value (overflow, a
   cast) come when its rows do. NULL on failure. */
TACO_API taco_cursor *taco_sql(taco_dataset *ds, const char *sql, taco_error *err);

/* ---- views ----------------------------------------------------------------------------------- */

/* A query that is put together step by step. Every call below returns a new view and leaves its
   argument as it was; no level is read until rows are asked for, so that unknown columns are found
   then, and mistakes of the text at once. The dataset is borrowed: it must outlive its views, and
   what they hand out. NULL on failure; a NULL view is an ARGUMENT error. Views are freed one by
   one, in any order. */
typedef struct taco_view taco_view;

/* The samples of a query, which is not kept; NULL: those of level 0. */
TACO_API taco_view *taco_view_open(taco_dataset *ds, const taco_query *q, taco_error *err);
/* Filters of rows of a level, as those of taco_query: all of them hold together, those of several
   levels along one path. Behind a limit they hold for the rows that it leaves. Not for rows that
   GROUP BY, DISTINCT or JOIN made. */
TACO_API taco_view *taco_view_filter(const taco_view *v, const taco_filter *f, taco_error *err);
TACO_API taco_view *taco_view_where(const taco_view *v, const char *where, uint32_t level,
                                    taco_error *err);
TACO_API taco_view *taco_view_filter_bbox(const taco_view *v, const double box[4],
                                          const char *geometry_column, uint32_t level,
                                          taco_error *err);
TACO_API taco_view *taco_view_filter_datetime(const taco_view *v, const char *time,
                                              const char *time_column, uint32_t level,
                                              taco_error *err);
/* The rows of another level below or above those that are left, or its flat view. */
TACO_API taco_view *taco_view_table(const taco_view *v, uint32_t level, bool flat, taco_error *err);
/* "a, b"; "a desc, b" (the last order holds); limit 0 = none, of what is left by limits before. */
TACO_API taco_view *taco_view_select(const taco_view *v, const char *columns, taco_error *err);
TACO_API taco_view *taco_view_order(const taco_view *v, const char *columns, taco_error *err);
TACO_API taco_view *taco_view_limit(const taco_view *v, uint64_t limit, uint64_t offset,
                                    taco_error *err);
/* One SELECT as in taco_sql, where `data` is this view; other tables are the dataset's. As long as
   rows of the view stay rows (no GROUP BY, DISTINCT, aggregate, JOIN), id, type and internal:* can
   be named by later steps and navigated by, selected or not (spec 7.2.3); giving one of these names
   to something else is an ARGUMENT error. */
TACO_API taco_view *taco_view_sql(const taco_view *v, const char *sql, taco_error *err);
/* Runs the view. */
TACO_API taco_cursor *taco_view_rows(const taco_view *v, taco_error *err);
/* Runs it and hands the batches to an Arrow consumer, as taco_cursor_export. */
TACO_API taco_status taco_view_export(const taco_view *v, struct ArrowArrayStream *out,
                                      taco_error *err);
/* taco_read from the view: the first key is an id or an @position among its rows; "" gives the
   rows. */
TACO_API taco_cursor *taco_view_read(const taco_view *v, const char *path, bool padding,
                                     taco_error *err);
/* NULL is accepted. */
TACO_API void taco_view_free(taco_view *v);

/* ---- plans ----------------------------------------------------------------------------------- */

/* a level of a dataset that is tested or comes out */
typedef struct taco_plan_table {
    const char *dataset;
    uint32_t level;
    bool at_most; /* of rows_left: what is tested may leave less */
    uint64_t rows, rows_left;
    uint64_t groups, groups_pruned; /* row groups, by statistics and bloom filters */
    uint64_t pages, pages_pruned;   /* stretches between page boundaries, by page indexes */
    const char *const *tested, *const *shown; /* columns */
    size_t tested_count, shown_count;
} taco_plan_table;

typedef struct taco_plan {
    const taco_range *ranges; /* by round: what is not held already, near ones joined */
    size_t range_count;
    uint32_t rounds;
    uint64_t bytes, held; /* of the ranges; of those that are held already */
    uint64_t index_bytes; /* page indexes and bloom filters that were read for the plan */
    const taco_plan_table *tables;
    size_t table_count;
    const char *const *selects; /* those over the query, the lowest first */
    size_t select_count;
    /* conditions of those SELECTs that the query tests in their place */
    const char *const *pushed_down;
    size_t pushed_down_count;
    /* else: round 0 has to be there before the plan can look further; plan again then */
    bool complete;
} taco_plan;

/* What the view will read, as a vectored source (read_many) will be asked for it. Reads footers and
   page indexes where they were not read yet, and nothing else; rows that conditions leave are not
   known, so that later rounds are bounds. NULL on failure. The caller frees it, before the dataset
   is closed. */
TACO_API taco_plan *taco_view_plan(const taco_view *v, taco_error *err);
/* What `taco query --explain` prints, and with --json. Live as long as the plan. {NULL, 0} on
   failure. */
TACO_API taco_bytes taco_plan_text(taco_plan *plan, taco_error *err);
TACO_API taco_bytes taco_plan_json(taco_plan *plan, taco_error *err);
/* NULL is accepted. */
TACO_API void taco_plan_free(taco_plan *plan);

#ifdef __cplusplus
}
#endif
#endif /* TACO_SQL_H */

#if defined(TACO_IMPLEMENTATION) && !defined(TACO__SQL_IMPLEMENTED)
#define TACO__SQL_IMPLEMENTED
#include "taco.h" /* its implementation too, where only its declarations were seen before */

/* Made from these files of src/ by `make headers`; edit them, not this.

   sql/sql.h                            folder sql: SELECT over the tables of a dataset, views, and plans of what they read
   sql/sql_type.c                       types of SQL: from and to Arrow fields, names, forms of values
   sql/vector.c                         vectors of typed values: made, filled, chosen from, compared, hashed
   sql/vector_arrow.c                   vectors of SQL from Arrow arrays, and Arrow arrays from vectors
   sql/sql_parse.c                      parser of a whole SELECT statement
   sql/sql_parse_expr.c                 dialect of SELECT: operands of expressions and operators of values
   sql/sql_parse_type.c                 parser of type names (CAST, ::) and of INTERVAL literals
   sql/cast.c                           CAST and TRY_CAST of vectors, and values as text
   sql/functions.c                      table of scalar functions, and the call of one over a batch
   sql/func_number.c                    arithmetic, rounding, signs: integers, DECIMAL and floating point
   sql/func_text.c                      functions of texts: case, parts, search, padding, LIKE, concatenation
   sql/func_date.c                      functions of DATE and TIMESTAMP: parts, truncation, differences, sums
   sql/func_list.c                      functions of lists: length, search, elements, slices
   sql/func_geometry.c                  ST_* functions on WKB geometries and boxes (OGC 06-103r4)
   sql/aggregates.c                     aggregates: one state for each group, updated by batches
   sql/bind.c                           binder: names of a SELECT's expressions become columns, every node gets a type
   sql/sql_expr_text.c                  expressions as text: names of columns, and equal trees
   sql/bind_type.c                      type rules: which type operands are brought to, and what comes out
   sql/bind_call.c                      binder of calls: the function, its arguments' types, its result
   sql/evaluate.c                       bound expressions computed over batches of vectors
   sql/operators.c                      operators of a plan: scan, filter, group, project, limit
   sql/hash_join.c                      hash joins: [LEFT] JOIN ... ON with at least one equality
   sql/group_table.c                    distinct rows, numbered: keys of GROUP BY and rows of DISTINCT
   sql/sort_operator.c                  ORDER BY: rows kept, sorted by index, handed out in batches
   sql/planner.c                        planner: a parsed SELECT becomes a plan over cursors of the dataset
   sql/pushdown.c                       pushdown: conditions of WHERE that a scan can test become its predicate
   sql/planner_output.c                 planner of what comes out: *, GROUP BY, select items, ORDER BY, fields
   sql/view.c                           views: the public calls, each of which adds a step to a list
   sql/view_layers.c                    layers of a view: SELECTs that run over the query below
   sql/view_query.c                     plan of a view: its steps made one query, and layers over it
   sql/view_pushdown.c                  conditions, sort keys and limits of a layer moved into the query below
   sql/explain.c                        plans for people: what a view will read, computed before it reads
*/

/* ==== src/sql/sql.h ==== */
/* sql.h - folder sql: SELECT over the tables of a dataset, views, and plans of what they read

   A SELECT runs in the steps of its files:

     text -> sql_parse.c, sql_parse_expr.c, sql_parse_type.c   a taco__sql_select; the parser of
                                                               expressions is filter/parser.c
     names -> bind.c, bind_call.c, bind_type.c                 types, columns, functions
              sql_expr_text.c                                  names of columns, equality of trees
     plan -> planner.c, planner_output.c, pushdown.c           a taco__executor over cursors
     rows -> operators.c, hash_join.c, group_table.c,          batches of vectors, pulled by the
             sort_operator.c                                   cursor of the result
     values -> evaluate.c, functions.c, func_*.c, cast.c,      expressions over batches
               aggregates.c
               sql_type.c, vector.c, vector_arrow.c            types and vectors, from and to Arrow

   Views (view.c) collect steps; view_query.c makes one taco__query of them and, where that cannot
   say them, layers (view_layers.c), whose conditions sink into the query (view_pushdown.c).
   explain.c shows what a view will read.

   Others use little of it: taco_sql, the taco_view_* and taco_plan_* calls are the door.
   Ownership: trees, plans and results' fields live in the arena of the result's cursor; vectors
   of a batch in executor.batch, which is emptied before the next batch; what outlives a batch in
   executor.hold. Errors: functions return false or NULL with the first error in the cursor's
   err, which taco__operator_err gives; texts of errors name the column of the query. */
#ifndef TACO__SQL_H
#define TACO__SQL_H

/* #include "../api/taco_sql.h" */
/* #include "../base/base.h" */
/* #include "../filter/filter.h" */
/* #include "../dataset/dataset.h" */

/* ==== vectors: vector.c, vector_arrow.c ==== */

/* How values of a type are held: few forms, so that each operation is written few times. */
typedef enum taco__physical_type {
    TACO__PHYS_NULL = 0,
    TACO__PHYS_INT, /* int64_t: BOOL, integers up to INT64, UINT32, DATE, TIME, TIMESTAMP */
    TACO__PHYS_BIG, /* taco__i256: UINT64, DECIMAL */
    TACO__PHYS_DBL, /* double: FLOAT (rounded to it) and DOUBLE */
    TACO__PHYS_STR, /* bytes: TEXT, BINARY, UUID, INTERVAL (taco__sql_interval) */
    TACO__PHYS_LIST,
    TACO__PHYS_STRUCT
} taco__physical_type;

/* elements of a list in its child */
/* Example: [[1, 2], [], [3]] has the spans {0, 2}, {2, 0}, {2, 1} over a child of [1, 2, 3]; spans
   may overlap and leave gaps, as slices share the child of their list. */
typedef struct taco__sql_list_span {
    uint32_t at, len;
} taco__sql_list_span;

/* INTERVAL '1 month 2 days -3 hours' is {1, 2, -10800000000}. The parts are not converted into each
   other: a month has 28 to 31 days. */
typedef struct taco__sql_interval {
    int32_t months, days;
    int64_t micros;
} taco__sql_interval;

/* n values of one type. Value i is at i * step, step 0 being a constant, which has one value. A row
   whose valid byte is 0 is null, and its value may be anything; valid NULL: no nulls.
   Example: the column [7, NULL, 9] is {v.i = {7, ?, 9}, valid = {1, 0, 1}, n = 3, step = 1}. */
typedef struct taco__vec {
    const taco__sql_type *type;
    size_t n, step;
    uint8_t *valid;       /* by row, not by step: of a constant n bytes too, or NULL */
    const int32_t *codes; /* STR as it was loaded: entries of a dictionary, or NULL */
    size_t code_n;        /* of the dictionary; codes of nulls may be any */
    /* in place of values: an array that goes out as it is, or whose dictionary has the texts of the
       codes */
    const taco_array *source;

    /* the member of the type's taco__physical_type; LIST and STRUCT have values in kids */
    union {
        void *any;
        int64_t *i;
        double *f;
        taco__i256 *d;
        taco_bytes *s;
        taco__sql_list_span *l;
    } v;
    struct taco__vec *kids; /* LIST and MAP: one, all elements; STRUCT: one for each field */
} taco__vec;

/* An index of rows (uint32_t) is how rows are chosen, sorted and joined; batches and what is held
   have fewer than 2^32 - 1 rows, which builders check. */
#define TACO__VEC_NONE UINT32_MAX /* in an index: no row, all values null */

/* A column that grows: rows are appended, bytes are copied into the arena. v may be used as a
   vector at any time; appending moves its memory, so a copy of v is out of date then. */
typedef struct taco__vec_builder {
    taco__vec v;
    size_t cap;                     /* values there is room for */
    struct taco__vec_builder *kids; /* of which v.kids are the vectors */
} taco__vec_builder;

/* ==== statements: sql_parse.c ==== */

/* A key of ORDER BY. e NULL: ALL, every item. */
typedef struct taco__sql_sort_key {
    taco__sql_expr *e;
    bool desc, nulls_first;
} taco__sql_sort_key;

/* A table of FROM. The planner changes level and flat where `data` is a view. */
typedef struct taco__sql_table_ref {
    taco_bytes name, alias; /* the alias is the name where there is none */
    size_t at;              /* column in the text */
    bool left, flat;        /* LEFT JOIN; l0 ... l5 */
    uint32_t level;
    taco__sql_expr *on; /* NULL for the first table */
} taco__sql_table_ref;

#define TACO__SQL_MAX_TABLES 8 /* of FROM: tables are bits of a mask, plans have arrays of them */
/* A longer text is a LIMIT error before anything of it is read. */
#define TACO__SQL_MAX_TEXT ((size_t)1 << 20) /* bytes of a query */

/* A SELECT as it was parsed. Trees are bound in place later, so that a SELECT is planned once; a
   view parses its text again. */
typedef struct taco__sql_select {
    bool distinct, group_all, order_all, has_limit;
    /* lists: the operands of these nodes; groups NULL without GROUP BY */
    taco__sql_expr *items, *groups;
    taco__sql_table_ref from[TACO__SQL_MAX_TABLES];
    size_t from_count;
    taco__sql_expr *where, *having; /* or NULL */
    taco__sql_sort_key order[64];
    size_t order_count;
    uint64_t limit, offset;
} taco__sql_select;

/* ==== functions: functions.c, func_*.c ==== */

/* What a call runs. Ids of a subject are next to each other, taco__func_dispatch goes by ranges:
   texts from LOWER to SPLIT_PART, dates from PART to EPOCH, geometries from GEOM on. */
typedef enum taco__func_id {
    /* operators */
    TACO__FUNC_ADD = 1,
    TACO__FUNC_SUB,
    TACO__FUNC_MUL,
    TACO__FUNC_DIV,
    TACO__FUNC_IDIV,
    TACO__FUNC_MOD,
    TACO__FUNC_MOD_NULL, /* of DECIMALs that are too wide for one: in DOUBLE, null for 0 */
    TACO__FUNC_NEG,
    TACO__FUNC_PLUS,
    TACO__FUNC_CONCAT_OP,
    TACO__FUNC_LIKE,
    /* of any type: which argument */
    TACO__FUNC_COALESCE,
    TACO__FUNC_NULLIF,
    TACO__FUNC_GREATEST,
    TACO__FUNC_LEAST,
    TACO__FUNC_TYPEOF,
    /* texts */
    TACO__FUNC_LOWER,
    TACO__FUNC_UPPER,
    TACO__FUNC_LENGTH,
    TACO__FUNC_STRLEN,
    TACO__FUNC_OCTETS,
    TACO__FUNC_SUBSTR,
    TACO__FUNC_LEFT,
    TACO__FUNC_RIGHT,
    TACO__FUNC_TRIM,
    TACO__FUNC_LTRIM,
    TACO__FUNC_RTRIM,
    TACO__FUNC_REPLACE,
    TACO__FUNC_CONTAINS,
    TACO__FUNC_STARTS,
    TACO__FUNC_ENDS,
    TACO__FUNC_CONCAT,
    TACO__FUNC_CONCAT_WS,
    TACO__FUNC_STRPOS,
    TACO__FUNC_REVERSE,
    TACO__FUNC_LPAD,
    TACO__FUNC_RPAD,
    TACO__FUNC_REPEAT,
    TACO__FUNC_SPLIT_PART,
    TACO__FUNC_ASCII,
    /* numbers */
    TACO__FUNC_ABS,
    TACO__FUNC_ROUND,
    TACO__FUNC_FLOOR,
    TACO__FUNC_CEIL,
    TACO__FUNC_TRUNC,
    TACO__FUNC_SQRT,
    TACO__FUNC_SIGN,
    TACO__FUNC_ISNAN,
    TACO__FUNC_ISINF,
    TACO__FUNC_ISFINITE,
    /* dates */
    TACO__FUNC_PART,
    TACO__FUNC_TRUNC_DATE,
    TACO__FUNC_DATE_DIFF,
    TACO__FUNC_LAST_DAY,
    TACO__FUNC_DAYNAME,
    TACO__FUNC_MONTHNAME,
    TACO__FUNC_MAKE_DATE,
    TACO__FUNC_EPOCH,
    /* lists */
    TACO__FUNC_HAS,
    TACO__FUNC_ELEMENT,
    /* geometries */
    TACO__FUNC_GEOM,
    TACO__FUNC_ENVELOPE,
    TACO__FUNC_POINT,
    TACO__FUNC_INTERSECTS,
    TACO__FUNC_WITHIN,
    TACO__FUNC_X,
    TACO__FUNC_Y
} taco__func_id;

/* A function. Arguments, a letter each, the last of which holds for all that follow: t text,
   i BIGINT, d DOUBLE, b BOOL, w DATE or TIMESTAMP, n number, l list, B blob, g geometry, * any.
   Result: t text, i BIGINT, I INTEGER, 1 TINYINT, d DOUBLE, b BOOL, D DATE, g geometry, = the first
   argument's, ? what taco__bind_call_special works out. `part` is the part of a date that the
   function takes out, year of year(d).
   Example: {"lpad", TACO__FUNC_LPAD, 3, 3, "tit", 't', NULL} is lpad(VARCHAR, BIGINT, VARCHAR). */
typedef struct taco__func {
    const char *name;
    uint8_t id, least, most; /* numbers of arguments */
    const char *args;
    char result;
    const char *part;
} taco__func;

/* One call over a batch. `plan` is the part of a date, or a compiled LIKE, or NULL. The rows of
   *out are set to null where an argument is, before the function is run. */
typedef struct taco__func_call {
    taco__arena *arena;
    taco_error *err;
    uint32_t id;
    const taco__vec *a;
    uint32_t n;
    const void *plan;
    const char *name;
    taco__vec *out;
} taco__func_call;

/* Argument k in row i of the call x. */
#define TACO__FUNC_ARG_INT(k)    (x->a[k].v.i[i * x->a[k].step])
#define TACO__FUNC_ARG_DOUBLE(k) (x->a[k].v.f[i * x->a[k].step])
#define TACO__FUNC_ARG_TEXT(k)   (x->a[k].v.s[i * x->a[k].step])
#define TACO__FUNC_ARG_BIG(k)    (x->a[k].v.d[i * x->a[k].step])

/* Parts of a date. From ISOYEAR on they can be taken out, and nothing be truncated to them. */
typedef enum taco__date_part {
    TACO__DATE_PART_YEAR = 0,
    TACO__DATE_PART_MONTH,
    TACO__DATE_PART_DAY,
    TACO__DATE_PART_HOUR,
    TACO__DATE_PART_MINUTE,
    TACO__DATE_PART_SECOND,
    TACO__DATE_PART_MILLI,
    TACO__DATE_PART_MICRO,
    TACO__DATE_PART_DOW,
    TACO__DATE_PART_ISODOW,
    TACO__DATE_PART_DOY,
    TACO__DATE_PART_WEEK,
    TACO__DATE_PART_QUARTER,
    TACO__DATE_PART_DECADE,
    TACO__DATE_PART_CENTURY,
    TACO__DATE_PART_ISOYEAR,
    TACO__DATE_PART_EPOCH,
    TACO__DATE_PART_EPOCH_MS,
    TACO__DATE_PART_EPOCH_US
} taco__date_part;

/* ==== aggregates: aggregates.c ==== */

/* MIN ... LAST store a value, from MEDIAN on all values are collected. */
typedef enum taco__aggregate_id {
    TACO__AGGREGATE_COUNT = 1,
    TACO__AGGREGATE_COUNT_STAR,
    TACO__AGGREGATE_SUM,
    TACO__AGGREGATE_AVG,
    TACO__AGGREGATE_MIN,
    TACO__AGGREGATE_MAX,
    TACO__AGGREGATE_FIRST,
    TACO__AGGREGATE_ANY,
    TACO__AGGREGATE_LAST,
    TACO__AGGREGATE_STDDEV,
    TACO__AGGREGATE_STDDEV_POP,
    TACO__AGGREGATE_VAR,
    TACO__AGGREGATE_VAR_POP,
    TACO__AGGREGATE_AND,
    TACO__AGGREGATE_OR,
    TACO__AGGREGATE_COUNT_IF,
    TACO__AGGREGATE_MEDIAN,
    TACO__AGGREGATE_CONT,
    TACO__AGGREGATE_DISC,
    TACO__AGGREGATE_LIST
} taco__aggregate_id;

/* The state of one group. */
typedef struct taco__aggregate_state {
    int64_t n, i; /* values seen; a sum, a BOOLEAN, or the row of the pile */
    double f, g;  /* sum, or mean and sum of squared distances from it */
    taco__i256 d; /* sum: what i could not hold */
} taco__aggregate_state;

/* One aggregate of a query with the states of all groups. */
typedef struct taco__aggregate {
    uint8_t id;
    bool distinct;
    double q; /* of quantiles: 0 to 1 */
    taco__sql_type arg, result;
    taco__aggregate_state *states;
    size_t cap;
    taco__vec_builder pile; /* MIN, MAX, ...: the values kept; collectors: all of them */
    taco__buf groups;       /* collectors: the group of each row of the pile */
    bool piled;             /* pile is ready */
} taco__aggregate;

/* ==== binding: bind.c, bind_call.c, bind_type.c ==== */

/* A table of FROM as names see it. */
typedef struct taco__bind_table {
    taco_bytes alias;
    const taco_field *fields;
    const taco__sql_type *types;
    size_t count, visible; /* '*' means the visible ones, the others have to be named */
    size_t *place;         /* of a column in the batch; TACO__NONE until it is asked for */
} taco__bind_table;

/* A column of the batch: one that some tree asks for. */
typedef struct taco__bind_column {
    uint32_t table;
    size_t column;
} taco__bind_column;

/* An aggregate of the query, and what it is computed of; arg NULL for COUNT(*). */
typedef struct taco__bind_aggregation {
    taco__aggregate a;
    taco__sql_expr *arg, *filter;
    taco_bytes text; /* by which equal ones are found */
} taco__bind_aggregation;

/* Equal aggregates count once. */
#define TACO__BIND_MAX_AGGREGATES 256

/* What binding knows and collects. With groups, trees are bound to columns of groups: first the
   keys, then the aggregates; arguments of aggregates (inside) to columns of rows. */
typedef struct taco__bind {
    taco__arena *arena;
    taco_error *err;
    taco__sql_select *s;
    taco__bind_table tables[TACO__SQL_MAX_TABLES];
    size_t table_count;
    taco__bind_column *columns;
    size_t column_count, column_cap;
    taco__bind_aggregation *aggrs;
    size_t aggr_count;
    taco__sql_expr **groups; /* keys of GROUP BY, bound */
    taco_bytes *group_texts; /* as they were written, to find them in other trees */
    size_t group_count;
    bool grouped;               /* there are groups, if only one of all rows */
    bool inside;                /* an aggregate's argument is being bound */
    bool no_aggr;               /* in WHERE, ON, GROUP BY */
    size_t aliases;             /* select items that may be named */
    taco__sql_expr **sources;   /* the select items as written */
    size_t source_count, nodes; /* nodes: of copies that aliases made */
    uint32_t alias_depth;
} taco__bind;

/* ==== running: evaluate.c, operators.c and the operators of their own ==== */

/* Columns that trees are computed over, by their place in taco__bind.columns (or by group key and
   aggregate), and n rows. Columns that were not loaded have no type. */
typedef struct taco__sql_batch {
    taco__arena *arena;
    taco_error *err;
    const taco__vec *cols;
    size_t count, n;
} taco__sql_batch;

#define TACO__SQL_BATCH_ROWS ((size_t)4096) /* rows of batches that are made here, not by scans */

/* What a query does with a column of the batch, and so what is loaded of it. */
typedef enum taco__column_use {
    TACO__COLUMN_USE_VALUES = 0,   /* computed with */
    TACO__COLUMN_USE_PASS_THROUGH, /* goes out only */
    /* the only key of groups, and nothing else: texts of codes will do */
    TACO__COLUMN_USE_CODES
} taco__column_use;

/* A join of one more table; see hash_join.c. */
typedef struct taco__hash_join {
    taco__sql_expr **left, **right; /* pairs of keys: of tables before, of this one */
    size_t keys;
    taco__sql_expr *rest; /* what else ON asks */
    bool outer;
    /* the columns of the table, all rows; indexed as the batch's are */
    taco__vec_builder *cols;
    size_t rows;
    taco__vec *key_cols;    /* keys of its rows */
    uint64_t *hashes;       /* of the keys of each row */
    uint32_t *heads, *next; /* chains of rows, row + 1: by slot, by row */
    size_t slots;           /* a power of two */
} taco__hash_join;

/* Distinct rows, numbered in the order they came; see group_table.c. */
typedef struct taco__group_table {
    taco__vec_builder *cols;
    taco__vec *vecs; /* the same, for comparing */
    size_t width, count, cap, slots;
    uint64_t *hashes;
    uint32_t *table; /* group + 1 */
} taco__group_table;

/* What FROM data means where that is not level 0: the rows of a view. */
typedef struct taco__sql_source {
    void *ctx;
    const taco_field *fields; /* the first `visible` of them are those of '*' */
    size_t count, visible;
    /* conditions may become filters of rows of `level`, or of its ancestors if flat */
    bool pushes;
    bool flat;
    uint32_t level;
    /* A cursor over these columns of the rows, with further filters; NULL on failure. Called
       once. */
    taco_cursor *(*open)(void *ctx, const taco__query_columns *select,
                         const taco__query_filter *filters, size_t n, taco_error *err);
} taco__sql_source;

/* A SELECT that is planned and run. */
typedef struct taco__executor {
    const taco__sql_source *base; /* what `data` means, or NULL; only while it is planned */
    const char *const *extras;    /* columns that go with the rows unseen */
    size_t extra_count;
    bool dry;       /* to be looked at */
    taco_cursor *c; /* the result's; its arena holds the plan */
    taco__sql_select s;
    taco__bind b;
    taco__arena batch;   /* of the batch at hand: emptied before the next one */
    taco__arena hold[2]; /* rows that are kept; the second while they move there */
    taco_cursor *scans[TACO__SQL_MAX_TABLES];
    size_t *scan_cols[TACO__SQL_MAX_TABLES]; /* places in the batch of a scan's columns */
    size_t scan_count[TACO__SQL_MAX_TABLES];
    size_t *scan_from[TACO__SQL_MAX_TABLES]; /* of each, its place in the scan's batches */
    uint8_t *use;         /* of the batch's columns, by place: taco__column_use */
    uint64_t bare;        /* rows of a first table that no column is read of */
    bool is_bare, limits; /* limits: OFFSET and LIMIT are those of the scan */
    taco__hash_join joins[TACO__SQL_MAX_TABLES];
    taco__sql_expr **where; /* conjuncts that no scan tests */
    size_t where_count;
    taco__sql_expr **items;   /* results, and after them sort keys that are none */
    size_t item_count, width; /* results; all of items */
    taco__sql_sort_key order[64];
    size_t order_at[64], order_count;
    taco__group_table groups, seen;
    bool grouped, begun, sorted;
    taco__vec *input; /* of groups: their columns, computed; rows input_at ... are still to come */
    size_t input_n, input_at;
    taco__vec_builder *kept; /* sorted results */
    taco__vec *kept_vecs;
    uint32_t *sequence; /* numbers of kept rows, in order */
    size_t sequence_n, sequence_at;
    size_t worst;        /* of a LIMIT: the last of the kept rows that are needed */
    bool has_worst;      /* later rows are compared with it */
    uint64_t skip, left; /* OFFSET and LIMIT; UINT64_MAX: none */
} taco__executor;

/* ==== conditions for the scans: pushdown.c ==== */

/* Conditions of a scan: one for each level of each table, rows of a flat view being paths. */
/* The number of a slot is taco__pushdown_find_slot's result; slots of levels that a table has not
   stay empty. */
#define TACO__PUSHDOWN_SLOTS ((size_t)TACO__SQL_MAX_TABLES * TACO__MAX_LEVELS)

/* What scans test, by slot: table * TACO__MAX_LEVELS + level. */
typedef struct taco__pushdown {
    taco__expr *where[TACO__PUSHDOWN_SLOTS]; /* NULL: every row */
    double box[TACO__PUSHDOWN_SLOTS][4];
    /* the column that must meet the box; NULL: none */
    const char *geometry[TACO__PUSHDOWN_SLOTS];
} taco__pushdown;

/* ==== views: view*.c ==== */

/* FILTER is 0, so that a zeroed step is a filter that lets all rows pass. */
typedef enum taco__view_step_kind {
    TACO__VIEW_STEP_FILTER = 0,
    TACO__VIEW_STEP_TABLE,
    TACO__VIEW_STEP_SELECT,
    TACO__VIEW_STEP_ORDER,
    TACO__VIEW_STEP_LIMIT,
    TACO__VIEW_STEP_SQL
} taco__view_step_kind;

/* One call on a view. What it points to is copied into the view's arena. */
typedef struct taco__view_step {
    taco__view_step_kind kind;
    taco_filter f; /* FILTER; f.bbox is box */
    double box[4];
    const char *text;       /* SELECT, ORDER, SQL */
    uint64_t limit, offset; /* LIMIT; limit 0: none */
    uint32_t level;         /* TABLE */
    bool flat, padding;
} taco__view_step;

struct taco_view {
    taco_dataset *ds;
    taco__arena arena;
    taco__view_step *steps;
    size_t count;
};

/* A SELECT over the rows of the query or of the layer below it. */
typedef struct taco__view_layer {
    const char *sql;
    taco__sql_select *s; /* to be looked at; what runs is parsed again */
    bool keeps;          /* its rows are rows of what is below, one for one */
    bool limits;         /* it has LIMIT or OFFSET... */
    bool unlimited;      /* ...that the query below or a mask has by now */
    bool unordered;      /* the query below has its order */
    bool *pushed_down;   /* conjuncts of WHERE that the query below has */
    taco_bytes *names;   /* protected columns that it names */
    size_t name_count;
} taco__view_layer;

/* The plan of a view: one query, and layers over it. It lives while cursors are opened. */
typedef struct taco__view_query {
    taco_dataset *ds;
    taco__arena arena;
    taco_error *err;
    taco__query q; /* its filters are these: */
    taco__query_filter *filters;
    size_t filter_count, filter_cap;
    bool dry; /* nothing is run: limits that would have to be leave every row */
    taco__query_columns dry_order; /* then: columns that they would have been ordered by */
    bool limited;
    uint64_t limit, offset; /* UINT64_MAX: no limit */
    uint8_t **masks;        /* by store and level */
    taco__view_layer *layers;
    size_t layer_count;
    const char **pushed_down; /* conditions that went below layers */
    size_t pushed_down_count, pushed_down_cap;
} taco__view_query;

/* What `data` is to a layer: the rows of the layers below it. */
typedef struct taco__view_source {
    taco__sql_source base;
    taco__view_query *z;
    size_t layers; /* below */
    bool ids;
    taco_cursor *ready; /* opened to see its columns; the first to be handed out */
    taco_cursor *probe; /* holds the columns */
} taco__view_source;

/* ---- sql_type.c ----
   Types by value: small structs that borrow their children and names from an arena or a field.
   Widths and forms are in bytes. */

TACO__FN taco__physical_type taco__sql_type_physical(const taco__sql_type *t);
TACO__FN size_t taco__sql_type_physical_size(taco__physical_type p);
TACO__FN bool taco__sql_type_equal(const taco__sql_type *a, const taco__sql_type *b);
TACO__FN bool taco__sql_type_from_field(taco__arena *arena, const taco_field *f,
                                        taco__sql_type *out, taco_error *err);
TACO__FN bool taco__sql_type_to_field(taco__arena *arena, const taco__sql_type *t, const char *name,
                                      taco_field *out, taco_error *err);
TACO__FN void taco__sql_type_text(const taco__sql_type *t, char *text, size_t n);
TACO__FN bool taco__sql_type_is_number(const taco__sql_type *t);
TACO__FN bool taco__sql_type_is_hugeint(const taco__sql_type *t);
TACO__FN bool taco__sql_type_is_datetime(const taco__sql_type *t);
TACO__FN taco__sql_type taco__sql_type_simple(taco_type id);
TACO__FN taco__sql_type taco__sql_type_hugeint(void);
TACO__FN taco__sql_type taco__sql_type_common_int(const taco__sql_type *a, const taco__sql_type *c);

/* ---- vector.c ----
   All of them fail with false and the error set when memory ends; the vectors they make live as
   long as the arena. taco__vec_take and taco__vec_flatten share bytes with their source, builders
   copy. Compare and hash take rows i and j by number, constants included. */

TACO__FN bool taco__vec_init(taco__arena *arena, const taco__sql_type *type, size_t n,
                             taco__vec *out, taco_error *err);
TACO__FN bool taco__vec_init_validity(taco__arena *arena, taco__vec *v, taco_error *err);
TACO__FN bool taco__vec_init_null(taco__arena *arena, const taco__sql_type *type, size_t n,
                                  taco__vec *out, taco_error *err);
TACO__FN bool taco__vec_fail_too_long(taco_error *err);
TACO__FN bool taco__vec_take(taco__arena *arena, const taco__vec *v, const uint32_t *idx, size_t n,
                             taco__vec *out, taco_error *err);
TACO__FN bool taco__vec_flatten(taco__arena *arena, taco__vec *v, taco_error *err);
TACO__FN bool taco__vec_builder_init(taco__arena *arena, const taco__sql_type *type,
                                     taco__vec_builder *p, taco_error *err);
TACO__FN bool taco__vec_builder_append(taco__arena *arena, taco__vec_builder *p, const taco__vec *v,
                                       const uint32_t *idx, size_t n, taco_error *err);
TACO__FN int taco__vec_compare_nulls(const taco__vec *a, size_t i, const taco__vec *b, size_t j);
TACO__FN int taco__vec_compare(const taco__vec *a, size_t i, const taco__vec *b, size_t j);
TACO__FN uint64_t taco__vec_hash_one(const taco__vec *v, size_t i);
TACO__FN void taco__vec_hash(const taco__vec *v, uint64_t *out);
TACO__FN bool taco__vec_equal(const taco__vec *a, size_t i, const taco__vec *b, size_t j,
                              size_t columns);

/* ---- vector_arrow.c ----
   The array must outlive a vector that was loaded of it. taco__vec_arrow_load_codes is for a text
   of which only the codes are looked at: call taco__vec_arrow_load_code_text before a value is. */

TACO__FN bool taco__vec_arrow_load_codes(taco__arena *arena, const taco_array *a,
                                         const taco__sql_type *type, taco__vec *out,
                                         taco_error *err);
TACO__FN void taco__vec_arrow_load_code_text(const taco__vec *v, size_t i);
TACO__FN bool taco__vec_arrow_load(taco__arena *arena, const taco_array *a,
                                   const taco__sql_type *type, taco__vec *out, taco_error *err);
TACO__FN bool taco__vec_arrow_store(taco__arena *arena, const taco__vec *v, const taco_field *f,
                                    taco_array *out, taco_error *err);

/* ---- sql_parse.c ----
   Text to tree; filter/parser.c has the parser itself. p->err must be clean at the beginning. */

TACO__FN bool taco__sql_parse_is_reserved(taco_bytes b);
TACO__FN bool taco__sql_parse_name(taco__parser *p, bool reserved, taco_bytes *out);
TACO__FN bool taco__sql_parse(taco__arena *arena, const char *text, size_t len, uint32_t max_depth,
                              taco__sql_select *s, taco_error *err);

/* ---- sql_parse_expr.c ----
   What SELECT adds to the expressions of filter/parser.c. */

TACO__FN const taco__dialect *taco__sql_parse_expr_dialect(void);

/* ---- sql_parse_type.c ----
   Types after CAST and ::, and INTERVAL, which the parser of expressions meets. */

TACO__FN bool taco__sql_parse_type_number(taco__parser *p, uint64_t *out);
TACO__FN bool taco__sql_parse_type(taco__parser *p, taco__sql_type *t);
TACO__FN taco__sql_expr *taco__sql_parse_type_interval(taco__parser *p, size_t at);

/* ---- cast.c ----
   taco__cast_is_possible says before anything runs whether a cast exists; taco__cast_vector then
   fails, or makes nulls for TRY_CAST, only for single values. taco__cast_format appends to b,
   which may hold something already. */

TACO__FN bool taco__cast_is_possible(const taco__sql_type *a, const taco__sql_type *b);
TACO__FN bool taco__cast_fits(const taco__scalar_type *t, const taco__i256 *x);
TACO__FN bool taco__cast_double_to_int(double d, taco__i256 *out);
TACO__FN double taco__cast_to_double(const taco__vec *v, size_t i, bool single);
TACO__FN bool taco__cast_format(taco__buf *b, const taco__vec *v, size_t i, bool nested,
                                taco_error *err);
TACO__FN bool taco__cast_vector(taco__arena *arena, const taco__vec *src, const taco__sql_type *to,
                                bool tries, taco__vec *out, taco_error *err);

/* ---- functions.c ----
   taco__func_find is the binder's, taco__func_run the evaluator's. */

TACO__FN const taco__func *taco__func_find(taco_bytes name, uint32_t args, bool *known);
TACO__FN bool taco__func_set_null(taco__func_call *x, size_t i);
TACO__FN bool taco__func_run(taco__func_call *x, const taco__sql_type *type, size_t n);

/* ---- func_number.c ----
   Called by functions.c, and by aggregates.c for sums. Rows that are null already are skipped. */

TACO__FN TACO__COLD bool taco__func_number_fail_overflow(taco__func_call *x);
TACO__FN bool taco__func_number_run(taco__func_call *x);

/* ---- func_text.c ----
   taco__func_text_row is called for each row, the others for a whole batch. */

TACO__FN size_t taco__func_text_length(taco_bytes s);
TACO__FN taco_bytes taco__func_text_range(taco_bytes s, int64_t from, int64_t to);
TACO__FN bool taco__func_text_row(taco__func_call *x, size_t i);
TACO__FN bool taco__func_text_like(taco__func_call *x);
TACO__FN bool taco__func_text_to_number(taco__func_call *x);
TACO__FN bool taco__func_text_concat(taco__func_call *x);

/* ---- func_date.c ---- Parts are found by name once, when a call is bound; the result is kept
   in taco__func_call.plan. */

TACO__FN int taco__func_date_find_part(taco_bytes b);
TACO__FN bool taco__func_date_row(taco__func_call *x, size_t i);
TACO__FN bool taco__func_date_add(taco__func_call *x);

/* ---- func_list.c ----
   Lists of any type; the slice of a text is here too. */

TACO__FN bool taco__func_list_element(taco__func_call *x);
TACO__FN bool taco__func_list_slice(taco__func_call *x);
TACO__FN bool taco__func_list_run(taco__func_call *x);

/* ---- func_geometry.c ----
   taco__func_geo_parse_box is pushdown.c's way to see a constant box. */

TACO__FN bool taco__func_geo_parse_box(taco_bytes s, double box[4]);
TACO__FN bool taco__func_geo_run(taco__func_call *x);

/* ---- aggregates.c ----
   An aggregate is used in this order: set_result_type when it is bound; then for every batch
   reserve (for all groups so far) and add; finish once. The arena holds states and values until
   then; the caller frees a->groups. */

TACO__FN uint8_t taco__aggregate_find(taco_bytes name);
TACO__FN bool taco__aggregate_reserve(taco__aggregate *a, taco__arena *arena, size_t n,
                                      taco_error *err);
TACO__FN bool taco__aggregate_add(taco__aggregate *a, taco__arena *arena, const taco__vec *v,
                                  const uint32_t *group, const uint8_t *keep, size_t n,
                                  taco_error *err);
TACO__FN bool taco__aggregate_finish(taco__aggregate *a, taco__arena *arena, size_t groups,
                                     taco__vec *out, taco_error *err);
TACO__FN bool taco__aggregate_set_result_type(taco__aggregate *a);

/* ---- bind.c ----
   Everything works on the tree in place, with errors in b->err. taco__bind_find_column looks a
   name up without binding it. */

TACO__FN TACO__COLD bool taco__bind_fail(taco__bind *b, const taco__sql_expr *e, const char *what);
TACO__FN bool taco__bind_name_is(taco_bytes a, const char *name);
TACO__FN bool taco__bind_names_equal(taco_bytes a, taco_bytes b);
TACO__FN bool taco__bind_find_column(taco__bind *b, const taco__sql_expr *e, size_t *table,
                                     size_t *column);
TACO__FN void taco__bind_qualify(taco__bind *b, taco__sql_expr *e);
TACO__FN bool taco__bind_count_nodes(taco__bind *b, const taco__sql_expr *e);
TACO__FN bool taco__bind_require_bool(taco__bind *b, taco__sql_expr **at);
TACO__FN bool taco__bind_children(taco__bind *b, taco__sql_expr *e);
TACO__FN bool taco__bind_struct_field(taco__bind *b, taco__sql_expr *e, taco_bytes name);
TACO__FN bool taco__bind_expr(taco__bind *b, taco__sql_expr **at);

/* ---- sql_expr_text.c ----
   Texts are in the binder's arena. A tree must not be bound yet: binding loses names. */

TACO__FN bool taco__sql_expr_text_constant(taco__bind *b, taco__buf *out, const taco__sql_expr *e);
TACO__FN bool taco__sql_expr_text_copy(taco__bind *b, const taco__sql_expr *e, taco_bytes *out);
TACO__FN const char *taco__sql_expr_text_label(taco__bind *b, const taco__sql_expr *e);

/* ---- bind_type.c ----
   Operands must be bound. taco__bind_type_add_cast replaces *at by a CAST around it; the others
   call it. */

TACO__FN bool taco__bind_type_add_cast(taco__bind *b, taco__sql_expr **at, const taco__sql_type *t);
TACO__FN bool taco__bind_type_common(const taco__sql_expr *a, const taco__sql_type *ta,
                                     const taco__sql_expr *c, bool compare, taco__sql_type *out);
TACO__FN TACO__COLD bool taco__bind_type_fail_mismatch(taco__bind *b, const taco__sql_expr *e,
                                                       const taco__sql_type *x,
                                                       const taco__sql_type *y, const char *what);
TACO__FN bool taco__bind_type_unify(taco__bind *b, taco__sql_expr *e, uint32_t first, uint32_t step,
                                    bool odd_last, bool compare, taco__sql_type *out);
TACO__FN bool taco__bind_type_arithmetic(taco__bind *b, taco__sql_expr *e);
TACO__FN bool taco__bind_type_round(taco__bind *b, taco__sql_expr *e);

/* ---- bind_call.c ----
   Arguments are bound here, as those of aggregates are bound otherwise. */

TACO__FN bool taco__bind_call(taco__bind *b, taco__sql_expr *e);

/* ---- evaluate.c ----
   The tree must be bound to the columns of the batch. Results may share memory with these. */

TACO__FN bool taco__evaluate_subset(const taco__sql_batch *c, const uint32_t *idx, size_t n,
                                    taco__sql_batch *out);
TACO__FN bool taco__evaluate_expr(taco__sql_batch *c, const taco__sql_expr *e, taco__vec *out);
TACO__FN uint32_t *taco__evaluate_filter(taco__sql_batch *c, const taco__sql_expr *e, size_t *n);

/* ---- operators.c ----
   taco__operator_next is what the cursor of a SELECT calls; hash_join.c and group_table.c use the
   scan and batches of expressions. */

TACO__FN taco_error *taco__operator_err(taco__executor *x);
TACO__FN bool taco__operator_scan(taco__executor *x, size_t t, taco__vec *cols, size_t *n);
TACO__FN void taco__operator_init_batch(taco__executor *x, taco__sql_batch *c,
                                        const taco__vec *cols, size_t count, size_t n);
TACO__FN bool taco__operator_next(taco__executor *x, taco_batch *out);
TACO__FN void taco__operator_close(taco__executor *x);

/* ---- hash_join.c ----
   Build once for each table after the first, before any batch is run through it. */

TACO__FN bool taco__hash_join_build(taco__executor *x, size_t t);
TACO__FN bool taco__hash_join_run(taco__executor *x, size_t t, taco__vec **cols, size_t *n);

/* ---- group_table.c ----
   Numbers of groups are dense, from 0, and never change. */

TACO__FN bool taco__group_table_init(taco__executor *x, taco__group_table *g,
                                     taco__sql_expr *const *types, size_t width);
TACO__FN bool taco__group_table_number_rows(taco__executor *x, taco__group_table *g,
                                            const taco__vec *v, size_t n, uint32_t *out);

/* ---- sort_operator.c ----
   Init, add every batch, sort, then next until *end. Rows that were added are copies. */

TACO__FN bool taco__sort_operator_sort(taco__executor *x, size_t n);
TACO__FN bool taco__sort_operator_init_rows(taco__executor *x, taco__arena *hold,
                                            taco__vec_builder **out);
TACO__FN void taco__sort_operator_set_vectors(taco__executor *x);
TACO__FN bool taco__sort_operator_add(taco__executor *x, const taco__vec *v, size_t n);
TACO__FN bool taco__sort_operator_next(taco__executor *x, taco__vec **v, size_t *n, bool *end);

/* ---- planner.c ---- Views plan in parts: they bind the table and look, before they decide
   whether a layer is needed. */

TACO__FN bool taco__planner_is_source(const taco__executor *x, size_t t);
TACO__FN bool taco__planner_bind_table(taco__executor *x, size_t t);
TACO__FN void taco__planner_qualify(taco__executor *x);
TACO__FN taco__executor *taco__planner_init(taco_cursor *c, const char *sql);
TACO__FN bool taco__planner_run(taco__executor *x);

/* ---- pushdown.c ----
   Slots: table * TACO__MAX_LEVELS + level. taco__pushdown_find_slot looks at trees that are
   qualified but not bound. */

TACO__FN taco__pushdown *taco__pushdown_new(taco__executor *x);
TACO__FN size_t taco__pushdown_find_slot(taco__executor *x, const taco__sql_expr *e);
TACO__FN const char *taco__pushdown_column_name(void *executor, const taco__sql_expr *e);
TACO__FN taco__expr *taco__pushdown_predicate(taco__executor *x, taco__arena *arena,
                                              const taco__sql_expr *e);
TACO__FN bool taco__pushdown_split_where(taco__executor *x, taco__pushdown *pushed);

/* ---- planner_output.c ----
   In the order in which taco__planner_plan calls them; each needs what the one before made. */

TACO__FN bool taco__planner_output_expand_stars(taco__executor *x);
TACO__FN bool taco__planner_output_has_aggregate(const taco__sql_expr *e);
TACO__FN bool taco__planner_output_bind_groups(taco__executor *x);
TACO__FN bool taco__planner_output_bind_order(taco__executor *x);
TACO__FN bool taco__planner_output_bind_items(taco__executor *x);
TACO__FN bool taco__planner_output_set_fields(taco__executor *x);

/* ---- view.c ----
   What the files of views share. */

TACO__FN bool taco__view_is_protected(taco_bytes name);
TACO__FN bool taco__view_keeps_rows(const taco__sql_select *s);

/* ---- view_layers.c ----
   A layer is numbered from 1 for the lowest; "the first n layers" are those below number n + 1. */

TACO__FN bool taco__view_layer_init(taco__view_query *z, const char *sql);
TACO__FN bool taco__view_layer_append_list(taco__view_query *z, const taco__query_columns *list,
                                           taco__buf *out);
TACO__FN bool taco__view_layer_source_init(taco__view_query *z, taco__view_source *b, size_t layers,
                                           bool ids, taco_error *err);
TACO__FN void taco__view_layer_source_free(taco__view_source *b);
TACO__FN size_t taco__view_layer_conjuncts(taco__sql_select *s, taco__sql_expr ***list);
TACO__FN taco_cursor *taco__view_layer_open(taco__view_query *z, size_t n, bool ids,
                                            taco_error *err);

/* ---- view_query.c ----
   A plan is made on the stack: init, open one cursor or several, free. Cursors outlive it. */

TACO__FN taco_cursor *taco__view_query_open_base(taco__view_query *z,
                                                 const taco__query_columns *select,
                                                 const taco__query_filter *more, size_t n,
                                                 taco_error *err);
TACO__FN taco_cursor *taco__view_query_open(taco__view_query *z, bool ids);
TACO__FN void taco__view_query_free(taco__view_query *z);
TACO__FN bool taco__view_query_add_filter(taco__view_query *z, const taco__query_filter *f);
TACO__FN bool taco__view_query_add_limit(taco__view_query *z, uint64_t limit, uint64_t offset);
TACO__FN bool taco__view_query_apply_filter(taco__view_query *z, const taco_filter *f);
TACO__FN bool taco__view_query_init(taco__view_query *z, const taco_view *v, bool dry,
                                    taco_error *err);
TACO__FN bool taco__view_query_open_dry(taco__view_query *z, const taco_view *v, taco_error *err,
                                        taco_cursor **c);

/* ---- view_pushdown.c ----
   Called once for each layer that is added, with the layer planned as far as its names. */

TACO__FN bool taco__view_pushdown_run(taco__view_query *z, taco__executor *x);

TACO__INLINE bool taco__vec_is_valid(const taco__vec *v, size_t i)
{
    return !v->valid || v->valid[i * v->step];
}

TACO__INLINE uint64_t taco__vec_hash_mix(uint64_t x)
{
    x ^= x >> 32;
    x *= UINT64_C(0xD6E8FEB86659FD93);
    x ^= x >> 32;
    x *= UINT64_C(0xD6E8FEB86659FD93);
    return x ^ x >> 32;
}

TACO__INLINE bool taco__func_number_add64(int64_t a, int64_t b, int64_t *out)
{
    *out = (int64_t)((uint64_t)a + (uint64_t)b);
    return ((a ^ *out) & (b ^ *out)) >= 0;
}

#endif /* TACO__SQL_H */
/* ==== src/sql/sql_type.c ==== */
/* sql_type.c - types of SQL: from and to Arrow fields, names, forms of values

   A taco__sql_type is a taco__scalar_type with what nests in it. Several types share one physical
   form (taco__sql_type_physical), so that each operation is written for five forms and not for
   twenty-five types. HUGEINT is a DECIMAL of precision 39, and a GEOMETRY a BINARY with `geo` set:
   Arrow has neither. Names are those of DuckDB's typeof. */
/* #include "sql.h" */
/* #include "../base/base.h" */
/* #include "../filter/filter.h" */

/* How values of the type are held. */
TACO__FN taco__physical_type taco__sql_type_physical(const taco__sql_type *t)
{
    switch (t->t.id) {
    case TACO_NULL: return TACO__PHYS_NULL;
    case TACO_UINT64:
    case TACO_DECIMAL: return TACO__PHYS_BIG;
    case TACO_HALF:
    case TACO_FLOAT:
    case TACO_DOUBLE: return TACO__PHYS_DBL;
    case TACO_TEXT:
    case TACO_BINARY:
    case TACO_FIXED:
    case TACO_UUID:
    case TACO_INT96:
    case TACO_INTERVAL: return TACO__PHYS_STR;
    case TACO_LIST:
    case TACO_MAP: return TACO__PHYS_LIST;
    case TACO_STRUCT: return TACO__PHYS_STRUCT;
    default: return TACO__PHYS_INT;
    }
}

/* Bytes of a value; 0 for forms without values of their own (nulls, structs). */
TACO__FN size_t taco__sql_type_physical_size(taco__physical_type p)
{
    static const size_t sizes[] = {0,
                                   sizeof(int64_t),
                                   sizeof(taco__i256),
                                   sizeof(double),
                                   sizeof(taco_bytes),
                                   sizeof(taco__sql_list_span),
                                   0};
    return sizes[p];
}

/* Whether two types are the same, children and names of fields included. Units count only for
   types that have them: a DATE from a `where` and one from a file are equal. */
TACO__FN bool taco__sql_type_equal(const taco__sql_type *a, const taco__sql_type *b)
{
    uint32_t i;
    if (a->t.id != b->t.id || a->geo != b->geo || a->count != b->count) { return false; }
    if ((a->t.id == TACO_DECIMAL &&
         (a->t.precision != b->t.precision || a->t.scale != b->t.scale)) ||
        ((a->t.id == TACO_TIME || a->t.id == TACO_TIMESTAMP) && a->t.unit != b->t.unit) ||
        (a->t.id == TACO_TIMESTAMP && a->t.utc != b->t.utc)) {
        return false;
    }
    for (i = 0; i < a->count; i++) {
        if (!taco__sql_type_equal(&a->kids[i], &b->kids[i]) ||
            (a->names && b->names && strcmp(a->names[i], b->names[i]) != 0)) {
            return false;
        }
    }
    return true;
}

/* ---- types from fields, fields from types ---- */

/* The type of a column. HALF is FLOAT, a column of nulls INTEGER, a TIME of milliseconds one of
   microseconds: DuckDB has no others. Children are in the arena, names are borrowed from f. */
TACO__FN bool taco__sql_type_from_field(taco__arena *arena, const taco_field *f,
                                        taco__sql_type *out, taco_error *err)
{
    uint32_t i;
    taco__sql_type *kids;
    const char **names;
    memset(out, 0, sizeof *out);
    out->t = taco__scalar_type_of_field(f);
    out->t.id = f->type == TACO_HALF ? TACO_FLOAT : f->type == TACO_NULL ? TACO_INT32 : out->t.id;
    if (out->t.id == TACO_TIME && out->t.unit == TACO_MILLI) {
        out->t.unit = TACO_MICRO; /* DuckDB's only TIME */
    }
    if (f->type != TACO_DECIMAL) { out->t.precision = out->t.scale = 0; }
    /* children of lists, maps (a struct of key and value) and structs */
    if (!f->child_count) { return true; }
    out->count = f->child_count;
    out->kids = kids =
        (taco__sql_type *)taco__arena_array(arena, f->child_count, sizeof *kids, err);
    names = (const char **)taco__arena_array(arena, f->child_count, sizeof *names, err);
    out->names = names;
    for (i = 0; kids && names && i < f->child_count; i++) {
        names[i] = f->children[i].name;
        if (!taco__sql_type_from_field(arena, &f->children[i], &kids[i], err)) { return false; }
    }
    return kids && names;
}

/* The Arrow field of a result of the type; HUGEINT is DECIMAL(38, 0) there. Children are in the
   arena, names are borrowed. */
TACO__FN bool taco__sql_type_to_field(taco__arena *arena, const taco__sql_type *t, const char *name,
                                      taco_field *out, taco_error *err)
{
    static const uint8_t widths[] = {0, 0, 1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 8, 16, 4, 8, 8};
    taco_field *kids;
    uint32_t i;
    memset(out, 0, sizeof *out);
    out->name = name;
    out->type = t->t.id;
    out->unit = t->t.unit;
    out->utc = t->t.utc;
    out->nullable = true;
    out->width = (size_t)t->t.id < sizeof widths ? widths[t->t.id] : t->t.id == TACO_UUID ? 16 : 0;
    out->precision = TACO__MIN(t->t.precision, t->t.precision == 39 ? 38 : t->t.precision);
    out->scale = t->t.scale;
    if (t->t.id == TACO_DECIMAL && t->t.precision > 39) { out->width = 32; }
    if (t->t.id == TACO_TIME && t->t.unit == TACO_MILLI) { out->width = 4; }
    /* children; the element of a list is called item, as Arrow has it */
    if (!t->count) { return true; }
    kids = (taco_field *)taco__arena_array(arena, t->count, sizeof *kids, err);
    out->children = kids;
    out->child_count = t->count;
    for (i = 0; kids && i < t->count; i++) {
        if (!taco__sql_type_to_field(arena, &t->kids[i], t->names ? t->names[i] : "item", &kids[i],
                                     err)) {
            return false;
        }
    }
    return kids != NULL;
}

/* Names as DuckDB's typeof has them. */
static void taco__sql_type_format(const taco__sql_type *t, taco__fmt *f)
{
    static const char *const names[] = {
        "\"NULL\"",  "BOOLEAN",  "TINYINT",   "SMALLINT",  "INTEGER",  "BIGINT",  "UTINYINT",
        "USMALLINT", "UINTEGER", "UBIGINT",   "FLOAT",     "FLOAT",    "DOUBLE",  "DECIMAL",
        "DATE",      "TIME",     "TIMESTAMP", "TIMESTAMP", "INTERVAL", "VARCHAR", "BLOB",
        "BLOB",      "UUID",     "LIST",      "MAP",       "STRUCT"};
    static const char *const stamps[] = {"TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP",
                                         "TIMESTAMP_NS"};
    uint32_t i;
    if (t->t.id == TACO_DECIMAL && t->t.precision == 39) {
        taco__fmt_text(f, "HUGEINT");
    } else if (t->t.id == TACO_DECIMAL) {
        taco__fmt_text(f, "DECIMAL(");
        taco__fmt_number(f, (uint64_t)t->t.precision, 10);
        taco__fmt_char(f, ',');
        taco__fmt_number(f, (uint64_t)t->t.scale, 10);
        taco__fmt_char(f, ')');
    } else if (t->t.id == TACO_TIMESTAMP) {
        taco__fmt_text(f, t->t.utc ? "TIMESTAMP WITH TIME ZONE" : stamps[t->t.unit]);
    } else if (t->t.id == TACO_LIST) {
        taco__sql_type_format(&t->kids[0], f);
        taco__fmt_text(f, "[]");
    } else if (t->t.id == TACO_STRUCT) {
        taco__fmt_text(f, "STRUCT(");
        for (i = 0; i < t->count; i++) {
            taco__fmt_text(f, i ? ", " : "");
            taco__fmt_text(f, t->names[i]);
            taco__fmt_char(f, ' ');
            taco__sql_type_format(&t->kids[i], f);
        }
        taco__fmt_char(f, ')');
    } else {
        taco__fmt_text(f, t->geo ? "GEOMETRY" : names[t->t.id]);
    }
}

/* The name of the type into text, of n bytes; cut where it is longer. */
TACO__FN void taco__sql_type_text(const taco__sql_type *t, char *text, size_t n)
{
    taco__fmt f;
    f.at = text;
    f.end = text + n;
    *text = 0;
    taco__sql_type_format(t, &f);
}

/* Integers, DECIMAL, floating point. */
TACO__FN bool taco__sql_type_is_number(const taco__sql_type *t)
{
    return taco__scalar_is_number(t->t.id);
}

/* Whether it is the 128-bit integer, which is a DECIMAL of precision 39 here. */
TACO__FN bool taco__sql_type_is_hugeint(const taco__sql_type *t)
{
    return t->t.id == TACO_DECIMAL && t->t.precision == 39;
}

/* DATE or TIMESTAMP, of any unit. */
TACO__FN bool taco__sql_type_is_datetime(const taco__sql_type *t)
{
    return t->t.id == TACO_DATE || t->t.id == TACO_TIMESTAMP;
}

/* ---- types ---- */

/* A type without children; TIMESTAMP is that of microseconds. */
TACO__FN taco__sql_type taco__sql_type_simple(taco_type id)
{
    taco__sql_type t;
    memset(&t, 0, sizeof t);
    t.t = taco__scalar_simple_type(id);
    if (id == TACO_TIMESTAMP) { t.t.unit = TACO_MICRO; }
    return t;
}

/* HUGEINT. */
TACO__FN taco__sql_type taco__sql_type_hugeint(void)
{
    taco__sql_type t = taco__sql_type_simple(TACO_DECIMAL);
    t.t.precision = 39;
    return t;
}

/* ---- operators ---- */

/* The integer type of an operation, by DuckDB's costs: the wider one of two of one sign; the
   signed one where it is wider than the unsigned; else BIGINT, or HUGEINT with a UBIGINT. */
TACO__FN taco__sql_type taco__sql_type_common_int(const taco__sql_type *a, const taco__sql_type *c)
{
    bool ua = a->t.id >= TACO_UINT8, uc = c->t.id >= TACO_UINT8;
    taco_type u = ua ? a->t.id : c->t.id, s = ua ? c->t.id : a->t.id;
    if (ua == uc) { return a->t.id > c->t.id ? *a : *c; }
    if (u == TACO_UINT64) { return taco__sql_type_hugeint(); }
    return taco__sql_type_simple(s - TACO_INT8 > u - TACO_UINT8 ? s : TACO_INT64);
}
/* ==== src/sql/vector.c ==== */
/* vector.c - vectors of typed values: made, filled, chosen from, compared, hashed

   A taco__vec is a batch of one column or of one intermediate result. Value i of a vector is at i
   * step; a constant has one value and step 0. `valid` is a byte for each row, or NULL where
   nothing is null. Vectors live in an arena, as a rule that of the batch, and share bytes with
   what they were made of. A taco__vec_builder grows and owns copies: it holds what outlives a
   batch (groups, sorted rows, the inner side of a join). */
/* #include "sql.h" */
/* #include "../base/base.h" */
/* #include "../filter/filter.h" */

/* n zeroed values, not null; children of structs have n values too, those of lists none yet. A
   vector of the type NULL has no values, and a mask that says so. */
TACO__FN bool taco__vec_init(taco__arena *arena, const taco__sql_type *type, size_t n,
                             taco__vec *out, taco_error *err)
{
    taco__physical_type p = taco__sql_type_physical(type);
    uint32_t i;
    memset(out, 0, sizeof *out);
    out->type = type;
    out->n = n;
    out->step = 1;
    if (taco__sql_type_physical_size(p)) {
        out->v.any = taco__arena_array(arena, n, taco__sql_type_physical_size(p), err);
        if (!out->v.any) { return false; }
    }
    if (p == TACO__PHYS_NULL) {
        out->valid = (uint8_t *)taco__arena_alloc(arena, n, err);
        return out->valid != NULL;
    }
    if (type->count) {
        out->kids = (taco__vec *)taco__arena_array(arena, type->count, sizeof *out->kids, err);
        for (i = 0; out->kids && i < type->count; i++) {
            if (!taco__vec_init(arena, &type->kids[i], p == TACO__PHYS_STRUCT ? n : 0,
                                &out->kids[i], err)) {
                return false;
            }
        }
        return out->kids != NULL;
    }
    return true;
}

/* Room to mark nulls; everything is valid at first. */
TACO__FN bool taco__vec_init_validity(taco__arena *arena, taco__vec *v, taco_error *err)
{
    if (!v->valid) {
        v->valid = (uint8_t *)taco__arena_alloc(arena, v->n, err);
        if (!v->valid) { return false; }
        memset(v->valid, 1, v->n);
    }
    return true;
}

/* n nulls of a type. */
TACO__FN bool taco__vec_init_null(taco__arena *arena, const taco__sql_type *type, size_t n,
                                  taco__vec *out, taco_error *err)
{
    if (!taco__vec_init(arena, type, n, out, err) || !taco__vec_init_validity(arena, out, err)) {
        return false;
    }
    memset(out->valid, 0, n);
    return true;
}

/* A LIMIT error: offsets of Arrow have 31 bits. */
TACO__FN bool taco__vec_fail_too_long(taco_error *err)
{
    TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
               "the values of a batch take more than 2147483647 bytes or elements");
    return false;
}

/* ---- choosing rows ---- */

/* out[i] is valid where row idx[i] of v is one and valid. Without a mask where all are. */
static bool taco__vec_take_validity(taco__arena *arena, const taco__vec *v, const uint32_t *idx,
                                    size_t n, taco__vec *out, taco_error *err)
{
    size_t i, gone = 0;
    for (i = 0; i < n; i++) {
        gone += idx[i] == TACO__VEC_NONE;
    }
    if ((!v->valid && !gone) || taco__sql_type_physical(v->type) == TACO__PHYS_NULL) {
        return true;
    }
    if (!taco__vec_init_validity(arena, out, err)) { return false; }
    for (i = 0; i < n; i++) {
        out->valid[i] = idx[i] != TACO__VEC_NONE && taco__vec_is_valid(v, idx[i]);
    }
    return true;
}

/* The rows of each field of a struct. */
static bool taco__vec_take_fields(taco__arena *arena, const taco__vec *v, const uint32_t *idx,
                                  size_t n, taco__vec *out, taco_error *err)
{
    size_t i;
    uint32_t k, *zero = NULL;
    out->kids = (taco__vec *)taco__arena_array(arena, v->type->count, sizeof *out->kids, err);
    if (!v->step) { /* a constant: its child has one row */
        zero = (uint32_t *)taco__arena_array(arena, n, sizeof *zero, err);
        if (!zero) { return false; }
        for (i = 0; i < n; i++) {
            zero[i] = idx[i] == TACO__VEC_NONE ? idx[i] : 0;
        }
    }
    for (k = 0; out->kids && k < v->type->count; k++) {
        if (!taco__vec_take(arena, &v->kids[k], zero ? zero : idx, n, &out->kids[k], err)) {
            return false;
        }
    }
    return out->kids != NULL;
}

/* out = the rows idx[0..n) of v; TACO__VEC_NONE gives null. Bytes are shared with v, and so are
   elements of lists: only their spans are copied. */
TACO__FN bool taco__vec_take(taco__arena *arena, const taco__vec *v, const uint32_t *idx, size_t n,
                             taco__vec *out, taco_error *err)
{
    taco__physical_type p = taco__sql_type_physical(v->type);
    size_t i;
    /* these share or make their children below: none are allocated here */
    if (p == TACO__PHYS_STRUCT || p == TACO__PHYS_LIST) {
        memset(out, 0, sizeof *out);
        out->type = v->type;
        out->n = n;
        out->step = 1;
        out->kids = v->kids;
    } else if (!taco__vec_init(arena, v->type, n, out, err)) {
        return false;
    }
    if (p == TACO__PHYS_LIST) {
        out->v.l = (taco__sql_list_span *)taco__arena_array(arena, n, sizeof *out->v.l, err);
        if (!out->v.l) { return false; }
    }
    if (!taco__vec_take_validity(arena, v, idx, n, out, err)) { return false; }
#define TACO__VEC_COPY(m)                                                                          \
    for (i = 0; i < n; i++) {                                                                      \
        if (idx[i] != TACO__VEC_NONE) { out->v.m[i] = v->v.m[idx[i] * v->step]; }                  \
    }                                                                                              \
    return true
    switch (p) {
    case TACO__PHYS_INT: TACO__VEC_COPY(i);
    case TACO__PHYS_DBL: TACO__VEC_COPY(f);
    case TACO__PHYS_BIG: TACO__VEC_COPY(d);
    case TACO__PHYS_STR: TACO__VEC_COPY(s);
    case TACO__PHYS_LIST: TACO__VEC_COPY(l);
    case TACO__PHYS_STRUCT: return taco__vec_take_fields(arena, v, idx, n, out, err);
    default: return true;
    }
#undef TACO__VEC_COPY
}

/* A vector whose value i is at i; v itself unless it is a constant, which is repeated. Functions
   that walk values without looking at step call this first. */
TACO__FN bool taco__vec_flatten(taco__arena *arena, taco__vec *v, taco_error *err)
{
    uint32_t *idx;
    taco__vec out;
    if (v->step) { return true; }
    idx = (uint32_t *)taco__arena_array(arena, v->n, sizeof *idx, err); /* zeros */
    if (!idx || !taco__vec_take(arena, v, idx, v->n, &out, err)) { return false; }
    *v = out;
    return true;
}

/* An empty builder of values of a type, with builders for its children. */
TACO__FN bool taco__vec_builder_init(taco__arena *arena, const taco__sql_type *type,
                                     taco__vec_builder *p, taco_error *err)
{
    uint32_t k;
    memset(p, 0, sizeof *p);
    p->v.type = type;
    p->v.step = 1;
    if (type->count) {
        p->kids = (taco__vec_builder *)taco__arena_array(arena, type->count, sizeof *p->kids, err);
        p->v.kids = (taco__vec *)taco__arena_array(arena, type->count, sizeof *p->v.kids, err);
        for (k = 0; p->kids && p->v.kids && k < type->count; k++) {
            if (!taco__vec_builder_init(arena, &type->kids[k], &p->kids[k], err)) { return false; }
            p->v.kids[k] = p->kids[k].v;
        }
        return p->kids && p->v.kids;
    }
    return true;
}

/* Room for `extra` more values, children not included. Old memory stays in the arena: builders
   double. */
static bool taco__vec_builder_reserve(taco__arena *arena, taco__vec_builder *p, size_t extra,
                                      taco_error *err)
{
    size_t size = taco__sql_type_physical_size(taco__sql_type_physical(p->v.type)), cap;
    uint8_t *valid;
    void *data = NULL;
    if (extra <= p->cap - p->v.n) { return true; }
    /* row numbers have 32 bits, of which TACO__VEC_NONE is no number */
    if (extra > UINT32_MAX - 1 - p->v.n) { return taco__vec_fail_too_long(err); }
    cap = TACO__MAX(p->v.n + extra, p->cap ? p->cap * 2 : (size_t)64);
    valid = (uint8_t *)taco__arena_alloc(arena, cap, err);
    data = size ? taco__arena_array(arena, cap, size, err) : NULL;
    if (!valid || (size && !data)) { return false; }
    if (p->v.n) {
        memcpy(valid, p->v.valid, p->v.n);
        if (size) { memcpy(data, p->v.v.any, p->v.n * size); }
    }
    p->v.valid = valid;
    p->v.v.any = data;
    p->cap = cap;
    return true;
}

/* Appends the elements of a list, which become value `to`. */
static bool taco__vec_builder_append_list(taco__arena *arena, taco__vec_builder *p, size_t to,
                                          const taco__vec *v, taco__sql_list_span span,
                                          taco_error *err)
{
    uint32_t *at = (uint32_t *)taco__arena_array(arena, span.len, sizeof *at, err), k;
    for (k = 0; at && k < span.len; k++) {
        at[k] = span.at + k;
    }
    p->v.v.l[to].at = (uint32_t)p->kids[0].v.n;
    p->v.v.l[to].len = span.len;
    return at && taco__vec_builder_append(arena, &p->kids[0], &v->kids[0], at, span.len, err);
}

/* Appends the fields of a struct; those of a null too, so that all columns have as many rows. */
static bool taco__vec_builder_append_fields(taco__arena *arena, taco__vec_builder *p,
                                            const taco__vec *v, size_t row, taco_error *err)
{
    uint32_t at = (uint32_t)row, k;
    for (k = 0; k < v->type->count; k++) {
        if (!taco__vec_builder_append(arena, &p->kids[k], &v->kids[k], &at, 1, err)) {
            return false;
        }
    }
    return true;
}

/* Value `to` becomes that at `row` of v's values; bytes are copied. */
TACO__INLINE bool taco__vec_builder_set(taco__arena *arena, taco__vec_builder *p, size_t to,
                                        taco__physical_type ph, const taco__vec *v, size_t row,
                                        taco_error *err)
{
    char *copy;
    switch (ph) {
    case TACO__PHYS_INT: p->v.v.i[to] = v->v.i[row]; return true;
    case TACO__PHYS_DBL: p->v.v.f[to] = v->v.f[row]; return true;
    case TACO__PHYS_BIG: p->v.v.d[to] = v->v.d[row]; return true;
    case TACO__PHYS_STR:
        copy = taco__arena_text(arena, v->v.s[row], err);
        p->v.v.s[to] = taco__bytes_of(copy, v->v.s[row].len);
        return copy != NULL;
    case TACO__PHYS_LIST: return taco__vec_builder_append_list(arena, p, to, v, v->v.l[row], err);
    case TACO__PHYS_STRUCT: return taco__vec_builder_append_fields(arena, p, v, row, err);
    default: return true;
    }
}

/* Appends the rows idx[0..n) of v, or for NULL its first n. */
TACO__FN bool taco__vec_builder_append(taco__arena *arena, taco__vec_builder *p, const taco__vec *v,
                                       const uint32_t *idx, size_t n, taco_error *err)
{
    taco__physical_type ph = taco__sql_type_physical(v->type);
    size_t i, from = p->v.n;
    uint32_t k;
    if (!taco__vec_builder_reserve(arena, p, n, err)) { return false; }
    for (i = 0; i < n; i++) {
        size_t row = idx ? idx[i] : i;
        bool ok = taco__vec_is_valid(v, row) && ph != TACO__PHYS_NULL;
        p->v.valid[from + i] = ok;
        if ((ok || ph == TACO__PHYS_STRUCT) &&
            !taco__vec_builder_set(arena, p, from + i, ph, v, row * v->step, err)) {
            return false;
        }
    }
    p->v.n += n;
    for (k = 0; k < v->type->count; k++) {
        p->v.kids[k] = p->kids[k].v;
    }
    return true;
}

/* Order of two values that may be null: nulls are last, as inside lists and structs of a sort, and
   equal to each other, as in GROUP BY. */
TACO__FN int taco__vec_compare_nulls(const taco__vec *a, size_t i, const taco__vec *b, size_t j)
{
    bool x = taco__vec_is_valid(a, i), y = taco__vec_is_valid(b, j);
    if (!x || !y) { return (int)y - (int)x; }
    return taco__vec_compare(a, i, b, j);
}

/* Order of two values of one type that are not null: numbers by value with NaN the greatest, bytes
   as unsigned, lists element by element and then by length, structs field by field. */
TACO__FN int taco__vec_compare(const taco__vec *a, size_t i, const taco__vec *b, size_t j)
{
    size_t k;
    int c;
    i *= a->step;
    j *= b->step;
    switch (taco__sql_type_physical(a->type)) {
    case TACO__PHYS_INT: return (a->v.i[i] > b->v.i[j]) - (a->v.i[i] < b->v.i[j]);
    case TACO__PHYS_DBL: return taco__scalar_compare_double(a->v.f[i], b->v.f[j]);
    case TACO__PHYS_BIG: return taco__i256_compare(&a->v.d[i], &b->v.d[j]);
    case TACO__PHYS_STR: return taco__bytes_compare(a->v.s[i], b->v.s[j]);
    case TACO__PHYS_LIST: {
        taco__sql_list_span x = a->v.l[i], y = b->v.l[j];
        for (k = 0; k < x.len && k < y.len; k++) {
            c = taco__vec_compare_nulls(&a->kids[0], x.at + k, &b->kids[0], y.at + k);
            if (c) { return c; }
        }
        return (x.len > y.len) - (x.len < y.len);
    }
    case TACO__PHYS_STRUCT:
        for (k = 0; k < a->type->count; k++) {
            c = taco__vec_compare_nulls(&a->kids[k], i, &b->kids[k], j);
            if (c) { return c; }
        }
        return 0;
    default: return 0;
    }
}

/* The hash of one value; equal values have equal ones (0.0 and -0.0, all NaNs, nulls). */
TACO__FN uint64_t taco__vec_hash_one(const taco__vec *v, size_t i)
{
    uint64_t h = 0;
    size_t k;
    if (!taco__vec_is_valid(v, i)) { return 0x9E3779B9; }
    i *= v->step;
    switch (taco__sql_type_physical(v->type)) {
    case TACO__PHYS_INT: return taco__vec_hash_mix((uint64_t)v->v.i[i]);
    /* NaNs are equal to each other, and 0.0 to -0.0 */
    case TACO__PHYS_DBL:
        return v->v.f[i] != v->v.f[i]
                   ? 77
                   : taco__vec_hash_mix(taco__f64_to_bits(v->v.f[i] == 0 ? 0.0 : v->v.f[i]));
    case TACO__PHYS_BIG:
        return taco__vec_hash_mix(v->v.d[i].w[0] ^ taco__vec_hash_mix(v->v.d[i].w[1]));
    case TACO__PHYS_STR:
        return v->v.s[i].len ? taco__xxh64_hash(0, v->v.s[i].data, v->v.s[i].len) : 1;
    case TACO__PHYS_LIST:
        for (k = 0; k < v->v.l[i].len; k++) {
            h = taco__vec_hash_mix(h ^ taco__vec_hash_one(&v->kids[0], v->v.l[i].at + k));
        }
        return h;
    case TACO__PHYS_STRUCT:
        for (k = 0; k < v->type->count; k++) {
            h = taco__vec_hash_mix(h ^ taco__vec_hash_one(&v->kids[k], i));
        }
        return h;
    default: return 0;
    }
}

/* Mixes the hash of every row into out[0..n), so that a key of several columns is hashed by
   calling it for each of them. */
TACO__FN void taco__vec_hash(const taco__vec *v, uint64_t *out)
{
    size_t i;
    for (i = 0; i < v->n; i++) {
        out[i] = taco__vec_hash_mix(out[i] * 31 + taco__vec_hash_one(v, i));
    }
}

/* Rows that are equal in all columns; null equals null. */
TACO__FN bool taco__vec_equal(const taco__vec *a, size_t i, const taco__vec *b, size_t j,
                              size_t columns)
{
    size_t k;
    for (k = 0; k < columns; k++) {
        if (taco__vec_compare_nulls(&a[k], i, &b[k], j) != 0) { return false; }
    }
    return true;
}
/* ==== src/sql/vector_arrow.c ==== */
/* vector_arrow.c - vectors of SQL from Arrow arrays, and Arrow arrays from vectors

   In: arrays of a cursor's batch, dictionaries included, in the forms of the Arrow columnar
   format. Out: the same values in one of the physical forms, and back for the result. Numbers are
   converted, bytes are shared with the array. Texts with a dictionary keep their codes
   (taco__vec.codes), by which group_table.c groups without looking at the texts. */
/* #include "sql.h" */
/* #include "../base/base.h" */
/* #include "../arrow/arrow.h" */
/* #include "../filter/filter.h" */

/* UINT64, and DECIMALs of any width: little-endian in Arrow, big-endian where they come as
   BINARY. */
static bool taco__vec_arrow_load_decimal(const taco_array *a, taco__vec *out)
{
    size_t i;
    for (i = 0; i < out->n; i++) {
        if (!taco__vec_is_valid(out, i)) { continue; }
        if (a->field->type == TACO_UINT64) {
            out->v.d[i] = taco__i256_from_u64(a->v.u64[i]);
        } else if (a->field->width) {
            out->v.d[i] =
                taco__i256_from_le(a->v.u8 + i * (size_t)a->field->width, (size_t)a->field->width);
        } else {
            taco__i256_from_be(taco__bytes_of(a->v.u8 + a->offsets[i],
                                              (size_t)(a->offsets[i + 1] - a->offsets[i])),
                               &out->v.d[i]);
        }
    }
    return true;
}

/* Texts and bytes, which are shared with the array; with their codes where there is a
   dictionary. */
static void taco__vec_arrow_load_text(const taco_array *a, taco__vec *out)
{
    const taco_array *d = a->dictionary ? a->dictionary : a;
    size_t i;
    if (!taco__array_is_var_length(d->field)) {
        for (i = 0; i < out->n; i++) {
            out->v.s[i] = taco_array_bytes(a, i);
        }
        return;
    }
    for (i = 0; i < out->n; i++) {
        size_t k = a->dictionary ? (size_t)(uint32_t)a->v.i32[i] : i;
        if (taco__vec_is_valid(out, i)) {
            out->v.s[i] = taco__bytes_of(d->v.u8 + d->offsets[k],
                                         (size_t)(d->offsets[k + 1] - d->offsets[k]));
        }
    }
    out->codes = a->dictionary ? a->v.i32 : NULL;
    out->code_n = a->dictionary ? d->length : 0;
}

/* Nulls and codes of a text with a dictionary, without the texts: a value is there once
   taco__vec_arrow_load_code_text has made it. So a group of many rows costs one text. */
TACO__FN bool taco__vec_arrow_load_codes(taco__arena *arena, const taco_array *a,
                                         const taco__sql_type *type, taco__vec *out,
                                         taco_error *err)
{
    size_t i;
    if (!taco__vec_init(arena, type, a->length, out, err)) { return false; }
    if (a->validity && a->null_count) {
        if (!taco__vec_init_validity(arena, out, err)) { return false; }
        for (i = 0; i < a->length; i++) {
            out->valid[i] = taco__bitmap_get(a->validity, i);
        }
    }
    out->codes = a->v.i32;
    out->code_n = a->dictionary->length;
    out->source = a;
    return true;
}

/* Makes value i of a vector of codes. */
TACO__FN void taco__vec_arrow_load_code_text(const taco__vec *v, size_t i)
{
    if (v->source) { v->v.s[i] = taco_array_bytes(v->source, i); }
}

/* Children of lists, maps and structs, and the spans of lists. */
static bool taco__vec_arrow_load_nested(taco__arena *arena, const taco_array *a, taco__vec *out,
                                        taco_error *err)
{
    uint32_t k;
    size_t i;
    for (k = 0; k < out->type->count; k++) {
        if (!taco__vec_arrow_load(arena, &a->children[k], &out->type->kids[k], &out->kids[k],
                                  err)) {
            return false;
        }
    }
    for (i = 0; out->type->t.id != TACO_STRUCT && i < out->n; i++) {
        if (taco__vec_is_valid(out, i)) {
            out->v.l[i].at = (uint32_t)a->offsets[i];
            out->v.l[i].len = (uint32_t)(a->offsets[i + 1] - a->offsets[i]);
        }
    }
    return true;
}

/* An array as a vector of `type`, the type of its field. Bytes and children are shared: the array
   must live as long. */
TACO__FN bool taco__vec_arrow_load(taco__arena *arena, const taco_array *a,
                                   const taco__sql_type *type, taco__vec *out, taco_error *err)
{
    size_t i, n = a->length;
    taco__physical_type p = taco__sql_type_physical(type);
    /* an array of nulls may come without values */
    bool nothing = a->null_count == n && !a->v.any && !a->offsets && !a->children;
    if ((a->field->type == TACO_NULL || nothing) && type->t.id != TACO_NULL) {
        return taco__vec_init_null(arena, type, n, out, err);
    }
    if (!taco__vec_init(arena, type, n, out, err)) { return false; }
    if (p == TACO__PHYS_NULL) { return true; }
    if (a->validity && a->null_count) {
        if (!taco__vec_init_validity(arena, out, err)) { return false; }
        for (i = 0; i < n; i++) {
            out->valid[i] = taco__bitmap_get(a->validity, i);
        }
    }
    switch (p) {
    case TACO__PHYS_INT:
        if (a->field->type == TACO_INT64 && !a->dictionary && n) {
            memcpy(out->v.i, a->v.i64, n * sizeof(int64_t));
            /* nanoseconds that fit become microseconds, as DuckDB reads them */
        } else if (a->field->type == TACO_INT96) {
            for (i = 0; i < n; i++) {
                int64_t ns = 0;
                if (taco__vec_is_valid(out, i) &&
                    taco__time_int96_to_nanos(a->v.u8 + i * 12, &ns)) {
                    out->v.i[i] = taco__time_floor_div(ns, 1000);
                }
            }
        } else {
            int64_t per = a->field->type == TACO_TIME && a->field->unit == TACO_MILLI ? 1000 : 1;
            for (i = 0; i < n; i++) { /* a TIME of milliseconds has 32 bits */
                out->v.i[i] = taco_array_int(a, i) * per;
            }
        }
        return true;
    case TACO__PHYS_DBL:
        if (a->field->type == TACO_DOUBLE && !a->dictionary && n) {
            memcpy(out->v.f, a->v.f64, n * sizeof(double));
            return true;
        }
        for (i = 0; i < n; i++) {
            out->v.f[i] = taco_array_double(a, i);
        }
        return true;
    case TACO__PHYS_STR: taco__vec_arrow_load_text(a, out); return true;
    case TACO__PHYS_BIG: return taco__vec_arrow_load_decimal(a, out);
    default: return taco__vec_arrow_load_nested(arena, a, out, err);
    }
}

/* BOOLs as bits, integers in the width of the field. */
static bool taco__vec_arrow_store_int(taco__arena *arena, const taco__vec *v, const taco_field *f,
                                      taco_array *out, taco_error *err)
{
    size_t i, w = (size_t)f->width;
    uint8_t *p = (uint8_t *)(f->type == TACO_BOOL
                                 ? taco__arena_alloc(arena, TACO__BITMAP_BYTES(v->n) + 8, err)
                                 : taco__arena_array(arena, v->n + 1, w, err));
    if (!p) { return false; }
    out->v.any = p;
    for (i = 0; i < v->n; i++) {
        int64_t x = v->v.i[i * v->step];
        if (f->type == TACO_BOOL) {
            if (x && taco__vec_is_valid(v, i)) { taco__bitmap_set(p, i); }
        } else if (w == 8) {
            memcpy(p + i * 8, &x, 8);
        } else if (w == 4) {
            uint32_t y = (uint32_t)x;
            memcpy(p + i * 4, &y, 4);
        } else if (w == 2) {
            uint16_t y = (uint16_t)x;
            memcpy(p + i * 2, &y, 2);
        } else {
            p[i] = (uint8_t)x;
        }
    }
    return true;
}

/* Floating point, UINT64, DECIMAL and UUID in the width of the field; nulls are zeros. */
static bool taco__vec_arrow_store_fixed(taco__arena *arena, const taco__vec *v, const taco_field *f,
                                        taco_array *out, taco_error *err)
{
    size_t i, k, w = (size_t)f->width;
    uint8_t *p = (uint8_t *)taco__arena_array(arena, v->n + 1, w, err);
    if (!p) { return false; }
    out->v.any = p;
    for (i = 0; i < v->n; i++) {
        if (!taco__vec_is_valid(v, i)) { continue; }
        if (f->type == TACO_UINT64) {
            memcpy(p + i * 8, &v->v.d[i * v->step].w[0], 8);
        } else if (f->type == TACO_DECIMAL) {
            for (k = 0; k < w / 8; k++) {
                taco__put_le64(p + i * w + k * 8, v->v.d[i * v->step].w[k]);
            }
        } else if (f->type == TACO_FLOAT) {
            float x = (float)v->v.f[i * v->step];
            memcpy(p + i * 4, &x, 4);
        } else if (f->type == TACO_DOUBLE) {
            memcpy(p + i * 8, &v->v.f[i * v->step], 8);
        } else if (v->v.s[i * v->step].len == w) { /* UUID */
            memcpy(p + i * w, v->v.s[i * v->step].data, w);
        }
    }
    return true;
}

/* Texts and bytes with 32-bit offsets; nulls are empty. */
static bool taco__vec_arrow_store_text(taco__arena *arena, const taco__vec *v, taco_array *out,
                                       taco_error *err)
{
    int32_t *offsets = (int32_t *)taco__arena_array(arena, v->n + 1, sizeof *offsets, err);
    uint64_t total = 0;
    size_t i;
    uint8_t *p;
    for (i = 0; i < v->n; i++) {
        total += taco__vec_is_valid(v, i) ? v->v.s[i * v->step].len : 0;
    }
    if (total > INT32_MAX) { return taco__vec_fail_too_long(err); }
    p = (uint8_t *)taco__arena_alloc(arena, (size_t)total, err);
    if (!offsets || !p) { return false; }
    out->offsets = offsets;
    out->v.any = p;
    for (i = 0, total = 0; i < v->n; i++) {
        taco_bytes b = taco__vec_is_valid(v, i) ? v->v.s[i * v->step] : taco__bytes_of(NULL, 0);
        if (b.len) { memcpy(p + total, b.data, b.len); }
        total += b.len;
        offsets[i + 1] = (int32_t)total;
    }
    return true;
}

/* A list: its elements are chosen out of the child, so that gaps and shared spans go. */
static bool taco__vec_arrow_store_list(taco__arena *arena, const taco__vec *v, const taco_field *f,
                                       taco_array *out, taco_error *err)
{
    int32_t *offsets = (int32_t *)taco__arena_array(arena, v->n + 1, sizeof *offsets, err);
    taco_array *kid = (taco_array *)taco__arena_alloc(arena, sizeof *kid, err);
    uint64_t total = 0;
    uint32_t *idx;
    size_t i, k;
    taco__vec chosen;
    for (i = 0; i < v->n; i++) {
        total += taco__vec_is_valid(v, i) ? v->v.l[i * v->step].len : 0;
    }
    if (total > INT32_MAX) { return taco__vec_fail_too_long(err); }
    idx = (uint32_t *)taco__arena_array(arena, (size_t)total, sizeof *idx, err);
    if (!offsets || !kid || !idx) { return false; }
    for (i = 0, total = 0; i < v->n; i++) {
        taco__sql_list_span s = v->v.l[i * v->step];
        for (k = 0; taco__vec_is_valid(v, i) && k < s.len; k++) {
            idx[total++] = s.at + (uint32_t)k;
        }
        offsets[i + 1] = (int32_t)total;
    }
    out->offsets = offsets;
    out->children = kid;
    return taco__vec_take(arena, &v->kids[0], idx, (size_t)total, &chosen, err) &&
           taco__vec_arrow_store(arena, &chosen, &f->children[0], kid, err);
}

/* A vector as an array of the field, in the arena; children of structs and lists too. */
TACO__FN bool taco__vec_arrow_store(taco__arena *arena, const taco__vec *v, const taco_field *f,
                                    taco_array *out, taco_error *err)
{
    size_t i;
    uint8_t *bits;
    memset(out, 0, sizeof *out);
    out->field = f;
    out->length = v->n;
    if (v->valid) {
        bits = (uint8_t *)taco__arena_alloc(arena, TACO__BITMAP_BYTES(v->n) + 8, err);
        if (!bits) { return false; }
        for (i = 0; i < v->n; i++) {
            if (taco__vec_is_valid(v, i)) {
                taco__bitmap_set(bits, i);
            } else {
                out->null_count++;
            }
        }
        out->validity = bits;
    }
    switch (taco__sql_type_physical(v->type)) {
    case TACO__PHYS_NULL: return true;
    case TACO__PHYS_INT: return taco__vec_arrow_store_int(arena, v, f, out, err);
    case TACO__PHYS_STR:
        if (f->type != TACO_UUID) {
            return taco__vec_arrow_store_text(arena, v, out, err);
        } /* fall through */
    case TACO__PHYS_DBL:
    case TACO__PHYS_BIG: return taco__vec_arrow_store_fixed(arena, v, f, out, err);
    case TACO__PHYS_LIST: return taco__vec_arrow_store_list(arena, v, f, out, err);
    default: {
        taco_array *kids =
            (taco_array *)taco__arena_array(arena, f->child_count, sizeof *kids, err);
        out->children = kids;
        for (i = 0; kids && i < f->child_count; i++) {
            taco__vec kid = v->kids[i];
            if (!v->step) {
                kid.step = 0;
                kid.n = v->n;
            }
            if (!taco__vec_arrow_store(arena, &kid, &f->children[i], &kids[i], err)) {
                return false;
            }
        }
        return kids != NULL;
    }
    }
}
/* ==== src/sql/sql_parse.c ==== */
/* sql_parse.c - parser of a whole SELECT statement

   In: the text of taco_sql or of a step of a view. Out: a taco__sql_select, whose expressions are
   trees of taco__sql_expr; names are not looked up yet. SQL that DuckDB has and this has not is
   refused by name, with the column of the text, so that nobody looks for a typing error. Start at
   taco__sql_parse, at the end; the grammar is in the manual of taco_sql.h. Expressions are read by
   filter/parser.c with the dialect of sql_parse_expr.c. */
/* #include "sql.h" */
/* #include "../base/base.h" */
/* #include "../filter/filter.h" */

/* Words that are no column and no alias unless quoted: those of DuckDB that begin a clause or an
   operator here. Fewer are reserved in a `where` (predicate_parse.c), which has no clauses. */
TACO__FN bool taco__sql_parse_is_reserved(taco_bytes b)
{
    static const char *const words[] = {
        "select",     "from",     "where",   "group",     "having",  "order", "limit",
        "offset",     "on",       "join",    "inner",     "left",    "right", "full",
        "cross",      "union",    "except",  "intersect", "and",     "or",    "not",
        "as",         "distinct", "asc",     "desc",      "case",    "when",  "then",
        "else",       "end",      "in",      "is",        "between", "like",  "ilike",
        "null",       "true",     "false",   "using",     "natural", "with",  "window",
        "qualify",    "outer",    "cast",    "isnull",    "notnull", "any",   "all",
        "some",       "exists",   "fetch",   "for",       "semi",    "anti",  "asof",
        "positional", "similar",  "glob",    "table",     "lateral", "nulls", "tablesample",
        "default",    "collate",  "unpivot", "pivot"};
    size_t i;
    for (i = 0; i < TACO__COUNT(words); i++) {
        if (taco__ascii_is_word(b, words[i])) { return true; }
    }
    return false;
}

/* A name, bare or quoted, into *out; false when the token is none, which is an error only with
   p->err set. reserved: any word will do, as after AS or a point. */
TACO__FN bool taco__sql_parse_name(taco__parser *p, bool reserved, taco_bytes *out)
{
    if (p->lex.kind == TACO__TOK_QUOTED) {
        return taco__lex_unquote(&p->lex, p->arena, out) && taco__parse_next(p);
    }
    if (p->lex.kind == TACO__TOK_NAME && (reserved || !taco__sql_parse_is_reserved(p->lex.raw))) {
        *out = p->lex.raw;
        return taco__parse_next(p);
    }
    return false;
}

/* ---- the statement ---- */

/* The list of SELECT, with aliases. A comma may stand before FROM, as in DuckDB; a star has no
   alias. An alias without AS must not be a reserved word, or FROM would be one. */
static bool taco__sql_parse_items(taco__parser *p, taco__sql_select *s)
{
    s->items = taco__sql_expr_new(p, TACO__SQL_EXPR_CALL, 0);
    do {
        taco__sql_expr *e =
            taco__lex_is_word(&p->lex, "from") ? NULL : taco__parse_expr(p, TACO__BINDS_OR);
        if (!e) {
            if (taco__parse_is_ok(p)) { taco__lex_fail_expected(&p->lex, "a value"); }
            return false;
        }
        if (taco__parse_accept_word(p, "as")) {
            if (!taco__sql_parse_name(p, true, &e->alias)) {
                taco__lex_fail_expected(&p->lex, "a name behind AS");
                return false;
            }
        } else if (e->kind != TACO__SQL_EXPR_STAR) {
            taco__sql_parse_name(p, false, &e->alias);
        }
        if (!taco__sql_expr_add_child(p, s->items, e)) { return false; }
    } while (taco__parse_accept(p, ",") && !taco__lex_is_word(&p->lex, "from"));
    return taco__parse_is_ok(p);
}

/* A table of FROM: data, level0 ... level5 or l0 ... l5, and its alias. Whether the dataset has
   the level is the planner's to say. */
static bool taco__sql_parse_table(taco__parser *p, taco__sql_table_ref *f)
{
    size_t digits;
    f->at = p->lex.at;
    if (taco__lex_is_sign(&p->lex, "(")) {
        taco__parse_fail(p, p->lex.at, "subqueries are not supported");
        return false;
    }
    if (!taco__sql_parse_name(p, false, &f->name)) {
        taco__lex_fail_expected(&p->lex, "a table: data, level0 ... level5, l0 ... l5");
        return false;
    }
    /* read_parquet(...) and schema.table exist in DuckDB */
    if (taco__lex_is_sign(&p->lex, "(") || taco__lex_is_sign(&p->lex, ".")) {
        taco__parse_fail(p, p->lex.at, "table functions and schemas are not supported");
        return false;
    }
    /* l3: flat, with one letter before the digit; level3: plain */
    digits = f->name.len ? f->name.len - 1 : 0;
    f->flat = digits == 1;
    f->level = digits < f->name.len ? (uint32_t)(f->name.data[digits] - '0') : 0;
    if (taco__ascii_is_word(f->name, "data")) {
        f->level = 0;
    } else if (f->level > 5 ||
               !(taco__ascii_is_word(taco__bytes_of(f->name.data, digits), "l") ||
                 taco__ascii_is_word(taco__bytes_of(f->name.data, digits), "level"))) {
        TACO__FAIL(p->err, TACO_ERR_SYNTAX, f->at,
                   "no such table: %q; there are data, level0 ... level5, l0 ... l5", &f->name);
        return false;
    }
    f->alias = f->name;
    if (taco__parse_accept_word(p, "as")) {
        if (!taco__sql_parse_name(p, false, &f->alias)) {
            taco__lex_fail_expected(&p->lex, "a name behind AS");
            return false;
        }
    } else {
        taco__sql_parse_name(p, false, &f->alias);
    }
    return taco__parse_is_ok(p);
}

/* FROM and its joins. Joins that are not taken are refused by their word. */
static bool taco__sql_parse_from(taco__parser *p, taco__sql_select *s)
{
    static const char *const refused[] = {"right", "full", "cross",      "natural",    "semi",
                                          "anti",  "asof", "positional", "tablesample"};
    size_t i;
    if (!taco__sql_parse_table(p, &s->from[s->from_count++])) { return false; }
    for (;;) {
        taco__sql_table_ref *f = &s->from[s->from_count];
        for (i = 0; i < TACO__COUNT(refused); i++) {
            if (taco__lex_is_word(&p->lex, refused[i])) {
                TACO__FAIL(p->err, TACO_ERR_SYNTAX, p->lex.at,
                           "%s joins are not supported, only [INNER] and LEFT", refused[i]);
                return false;
            }
        }
        if (taco__lex_is_sign(&p->lex, ",")) {
            taco__parse_fail(p, p->lex.at, "write JOIN ... ON instead of a comma between tables");
            return false;
        }
        if (!taco__lex_is_word(&p->lex, "left") && !taco__lex_is_word(&p->lex, "inner") &&
            !taco__lex_is_word(&p->lex, "join")) {
            return taco__parse_is_ok(p);
        }
        if (s->from_count == TACO__SQL_MAX_TABLES) {
            TACO__FAIL(p->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "more than %u tables",
                       TACO__U(TACO__SQL_MAX_TABLES));
            return false;
        }
        /* s->from may hold what a failed parse left */
        memset(f, 0, sizeof *f);
        f->left = taco__parse_accept_word(p, "left");
        if (!f->left) {
            taco__parse_accept_word(p, "inner");
        } else {
            taco__parse_accept_word(p, "outer");
        }
        s->from_count++;
        if (!taco__parse_expect(p, "join") || !taco__sql_parse_table(p, f)) { return false; }
        if (taco__lex_is_word(&p->lex, "using")) {
            taco__parse_fail(p, p->lex.at, "USING is not supported: write ON a.x = b.x");
            return false;
        }
        if (!taco__parse_expect(p, "on")) { return false; }
        f->on = taco__parse_expr(p, TACO__BINDS_OR);
        if (!f->on) { return false; }
    }
}

/* GROUP BY, after GROUP. */
static bool taco__sql_parse_groups(taco__parser *p, taco__sql_select *s)
{
    s->groups = taco__sql_expr_new(p, TACO__SQL_EXPR_CALL, p->lex.at);
    if (!s->groups || !taco__parse_expect(p, "by")) { return false; }
    if (taco__parse_accept_word(p, "all")) {
        s->group_all = true;
        return true;
    }
    do {
        if (taco__lex_is_word(&p->lex, "grouping") || taco__lex_is_word(&p->lex, "rollup") ||
            taco__lex_is_word(&p->lex, "cube")) {
            taco__parse_fail(p, p->lex.at, "grouping sets are not supported");
            return false;
        }
        if (!taco__sql_expr_add_child(p, s->groups, taco__parse_expr(p, TACO__BINDS_OR))) {
            return false;
        }
    } while (taco__parse_accept(p, ","));
    return taco__parse_is_ok(p);
}

/* ORDER BY, after ORDER. A key of ALL has no expression and is the only one. Nulls are last unless
   NULLS FIRST says otherwise, in both directions: DuckDB's default. */
static bool taco__sql_parse_order(taco__parser *p, taco__sql_select *s)
{
    if (!taco__parse_expect(p, "by")) { return false; }
    do {
        taco__sql_sort_key *o = &s->order[s->order_count];
        if (s->order_count == TACO__COUNT(s->order)) {
            TACO__FAIL(p->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "more than %u sort keys",
                       TACO__U(TACO__COUNT(s->order)));
            return false;
        }
        /* ALL is a key only where it is the first */
        if (!s->order_count && taco__lex_is_word(&p->lex, "all")) {
            s->order_all = true;
            taco__parse_next(p);
        } else {
            o->e = taco__parse_expr(p, TACO__BINDS_OR);
            if (!o->e) { return false; }
        }
        s->order_count++;
        o->desc = taco__parse_accept_word(p, "desc");
        if (!o->desc) { taco__parse_accept_word(p, "asc"); }
        if (taco__parse_accept_word(p, "nulls")) {
            o->nulls_first = taco__parse_accept_word(p, "first");
            if (!o->nulls_first && !taco__parse_expect(p, "last")) { return false; }
        }
    } while (!s->order_all && taco__parse_accept(p, ","));
    return taco__parse_is_ok(p);
}

/* LIMIT and OFFSET, in either order, whole numbers only, and the end of the text, after a
   semicolon if there is one. Clauses that could follow in DuckDB are refused by name. */
static bool taco__sql_parse_limits(taco__parser *p, taco__sql_select *s)
{
    int i;
    for (i = 0; i < 2; i++) {
        if (taco__parse_accept_word(p, "limit")) {
            s->has_limit = true;
            if (!taco__sql_parse_type_number(p, &s->limit)) { return false; }
        } else if (taco__parse_accept_word(p, "offset")) {
            if (!taco__sql_parse_type_number(p, &s->offset)) { return false; }
        }
    }
    taco__parse_accept(p, ";");
    if (taco__parse_is_ok(p) && p->lex.kind != TACO__TOK_END) {
        static const char *const known[] = {"union",   "intersect", "except", "window",
                                            "qualify", "using",     "select"};
        size_t k;
        for (k = 0; k < TACO__COUNT(known); k++) {
            if (taco__lex_is_word(&p->lex, known[k])) {
                TACO__FAIL(p->err, TACO_ERR_SYNTAX, p->lex.at, "%s is not supported here",
                           known[k]);
            }
        }
        taco__lex_fail_expected(&p->lex, "the end of the query");
    }
    return taco__parse_is_ok(p);
}

/* The clauses in their order. */
static bool taco__sql_parse_select(taco__parser *p, taco__sql_select *s)
{
    if (taco__lex_is_word(&p->lex, "with")) {
        taco__parse_fail(p, p->lex.at, "WITH is not supported");
        return false;
    }
    if (!taco__parse_expect(p, "select")) { return false; }
    s->distinct = taco__parse_accept_word(p, "distinct");
    if (s->distinct && taco__lex_is_word(&p->lex, "on")) {
        taco__parse_fail(p, p->lex.at, "DISTINCT ON is not supported");
        return false;
    }
    /* SELECT ALL is SELECT */
    if (!s->distinct) { taco__parse_accept_word(p, "all"); }
    if (!taco__sql_parse_items(p, s) || !taco__parse_expect(p, "from") ||
        !taco__sql_parse_from(p, s)) {
        return false;
    }
    if (taco__parse_accept_word(p, "where")) { s->where = taco__parse_expr(p, TACO__BINDS_OR); }
    if (taco__parse_is_ok(p) && taco__parse_accept_word(p, "group") &&
        !taco__sql_parse_groups(p, s)) {
        return false;
    }
    if (taco__parse_is_ok(p) && taco__parse_accept_word(p, "having")) {
        s->having = taco__parse_expr(p, TACO__BINDS_OR);
    }
    if (taco__parse_is_ok(p) && taco__parse_accept_word(p, "order") &&
        !taco__sql_parse_order(p, s)) {
        return false;
    }
    return taco__parse_is_ok(p) && taco__sql_parse_limits(p, s);
}

/* Parses a SELECT into *s, which is zeroed and lives as long as the arena and the text: names are
   borrowed from both. False with SYNTAX and the column, LIMIT (max_depth is that of limits, 0 for
   the default) or MEMORY. */
TACO__FN bool taco__sql_parse(taco__arena *arena, const char *text, size_t len, uint32_t max_depth,
                              taco__sql_select *s, taco_error *err)
{
    taco__parser p;
    memset(&p, 0, sizeof p);
    p.dialect = taco__sql_parse_expr_dialect();
    p.arena = arena;
    p.err = err;
    p.max_depth = max_depth ? max_depth : 200;
    p.max_depth = TACO__MIN(p.max_depth, 1000);
    if (len > TACO__SQL_MAX_TEXT) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "a query of %u bytes, %u are the most",
                   TACO__U(len), TACO__U(TACO__SQL_MAX_TEXT));
        return false;
    }
    return taco__lex_init(&p.lex, text, len, err) && taco__sql_parse_select(&p, s);
}
/* ==== src/sql/sql_parse_expr.c ==== */
/* sql_parse_expr.c - dialect of SELECT: operands of expressions and operators of values

   The operators of conditions and their precedence are filter/parser.c's, which calls the two
   functions that taco__sql_parse_expr_dialect names: an operand with its sign and what follows it
   (.field, [index], ::type), and operators beyond comparisons (+ || // and others). Calls keep the
   name as it was written: sql_expr_text.c makes the name of a result's column of it. */
/* #include "sql.h" */
/* #include "../base/base.h" */
/* #include "../filter/filter.h" */

/* ---- primaries ---- */

/* CASE [value] WHEN ... END, after CASE. With a value every WHEN becomes a comparison with it. */
static taco__sql_expr *taco__sql_parse_expr_case(taco__parser *p, size_t at)
{
    taco__sql_expr *e = taco__sql_expr_new(p, TACO__SQL_EXPR_CASE, at), *base = NULL, *x;
    if (e && !taco__lex_is_word(&p->lex, "when")) {
        base = taco__parse_expr(p, TACO__BINDS_OR);
        if (!base) { return NULL; }
    }
    do {
        if (!taco__parse_expect(p, "when")) { return NULL; }
        x = taco__parse_expr(p, TACO__BINDS_OR);
        if (base && x) {
            taco__sql_expr *cmp = taco__sql_expr_new(p, TACO__SQL_EXPR_CMP, x->at);
            x = taco__sql_expr_add_child(p, taco__sql_expr_add_child(p, cmp, base), x);
        }
        e = taco__sql_expr_add_child(p, e, x);
        if (!e || !taco__parse_expect(p, "then") ||
            !taco__sql_expr_add_child(p, e, taco__parse_expr(p, TACO__BINDS_OR))) {
            return NULL;
        }
    } while (taco__lex_is_word(&p->lex, "when"));
    x = taco__parse_accept_word(p, "else")
            ? taco__parse_expr(p, TACO__BINDS_OR)
            : taco__sql_expr_new_const(p, at, taco__scalar_make_null());
    e = taco__sql_expr_add_child(p, e, x);
    return e && taco__parse_expect(p, "end") ? e : NULL;
}

/* x AS type, at the type; `until` is the sign that ends it, NULL after ::. */
static taco__sql_expr *taco__sql_parse_expr_cast(taco__parser *p, size_t at, taco__sql_expr *x,
                                                 const char *until, bool tries)
{
    taco__sql_expr *e =
        taco__sql_expr_add_child(p, taco__sql_expr_new(p, TACO__SQL_EXPR_CAST, at), x);
    if (!e || !taco__sql_parse_type(p, &e->to) || (until && !taco__parse_expect(p, until))) {
        return NULL;
    }
    e->tries = tries;
    return e;
}

/* What stands between two arguments: a comma, or one of the words of position and substring. False
   at the end. */
static bool taco__sql_parse_expr_separator(taco__parser *p, taco__sql_expr *e)
{
    if (e->n == 1 && taco__ascii_is_word(e->name, "position") && taco__lex_is_word(&p->lex, "in")) {
        return taco__parse_next(p);
    }
    if (e->n < 3 && taco__ascii_is_word(e->name, "substring") &&
        (taco__lex_is_word(&p->lex, "from") || taco__lex_is_word(&p->lex, "for"))) {
        e->tries = true; /* for its name */
        return taco__parse_next(p);
    }
    return taco__parse_accept(p, ",");
}

/* FILTER (WHERE condition), at the parenthesis. */
static bool taco__sql_parse_expr_filter(taco__parser *p, taco__sql_expr *e)
{
    if (!taco__parse_expect(p, "(")) { return false; }
    taco__parse_accept_word(p, "where");
    e->filter = taco__parse_expr(p, TACO__BINDS_OR);
    if (!e->filter || !taco__parse_expect(p, ")")) { return false; }
    e->depth = TACO__MAX(e->depth, e->filter->depth + 1);
    return true;
}

/* Arguments up to the closing parenthesis, DISTINCT and FILTER. */
static taco__sql_expr *taco__sql_parse_expr_args(taco__parser *p, taco__sql_expr *e)
{
    if (taco__lex_is_sign(&p->lex, "*")) {
        if (!taco__parse_next(p)) { return NULL; }
        if (!taco__ascii_is_word(e->name, "count")) {
            return taco__parse_fail(p, e->at, "only COUNT takes *");
        }
    } else if (!taco__lex_is_sign(&p->lex, ")")) {
        e->distinct = taco__parse_accept_word(p, "distinct");
        do {
            if (!taco__sql_expr_add_child(p, e, taco__parse_expr(p, TACO__BINDS_OR))) {
                return NULL;
            }
            if (taco__lex_is_sign(&p->lex, "=>") || taco__lex_is_sign(&p->lex, ":=")) {
                return taco__parse_fail(p, p->lex.at, "named arguments are not supported");
            }
        } while (taco__sql_parse_expr_separator(p, e));
    }
    if (taco__lex_is_word(&p->lex, "order")) {
        return taco__parse_fail(p, p->lex.at, "ORDER BY inside an aggregate is not supported");
    }
    if (!taco__parse_expect(p, ")") ||
        (taco__parse_accept_word(p, "filter") && !taco__sql_parse_expr_filter(p, e))) {
        return NULL;
    }
    if (taco__lex_is_word(&p->lex, "over")) {
        return taco__parse_fail(p, p->lex.at, "window functions (OVER) are not supported");
    }
    if (taco__lex_is_word(&p->lex, "within")) {
        return taco__parse_fail(p, p->lex.at, "WITHIN GROUP is not supported");
    }
    return e;
}

/* A call, after its parenthesis. Forms with words between the arguments become plain calls:
   extract(year FROM d) is date_part('year', d), position(a IN b) is position(b, a). */
static taco__sql_expr *taco__sql_parse_expr_call(taco__parser *p, taco_bytes name, size_t at)
{
    taco__sql_expr *e = taco__sql_expr_new(p, TACO__SQL_EXPR_CALL, at), *part;
    if (!e) { return NULL; }
    e->name = name;
    if (taco__ascii_is_word(name, "extract")) { /* (part FROM value) */
        taco_bytes unit = p->lex.raw;
        if ((p->lex.kind != TACO__TOK_NAME && p->lex.kind != TACO__TOK_STRING) ||
            !taco__parse_next(p) || !taco__parse_expect(p, "from")) {
            taco__lex_fail_expected(&p->lex, "a part of a date and FROM");
            return NULL;
        }
        e->name = taco__bytes_text("date_part");
        e->tries = true;
        part = taco__sql_expr_new_const(p, at, taco__scalar_make_bytes(TACO_TEXT, unit));
        e = taco__sql_expr_add_child(p, taco__sql_expr_add_child(p, e, part),
                                     taco__parse_expr(p, TACO__BINDS_OR));
        return e && taco__parse_expect(p, ")") ? e : NULL;
    }
    if (taco__ascii_is_word(name, "trim") &&
        (taco__lex_is_word(&p->lex, "both") || taco__lex_is_word(&p->lex, "leading") ||
         taco__lex_is_word(&p->lex, "trailing"))) {
        return taco__parse_fail(p, p->lex.at, "write trim, ltrim or rtrim with two arguments");
    }
    e = taco__sql_parse_expr_args(p, e);
    if (e && e->n == 2 && taco__ascii_is_word(name, "position")) { /* (what IN text) */
        taco__sql_expr *x = e->kid[0];
        e->kid[0] = e->kid[1];
        e->kid[1] = x;
    }
    return e;
}

/* A literal with its type in front: DATE '2020-01-01' is the cast of a text. NULL without an error
   when it is none: date may be a column or a function. */
static taco__sql_expr *taco__sql_parse_expr_typed_literal(taco__parser *p, taco_bytes word,
                                                          size_t at)
{
    taco__sql_type t;
    taco__sql_expr *e;
    taco_bytes text;
    memset(&t, 0, sizeof t);
    if (p->lex.kind != TACO__TOK_STRING || !taco__pred_parse_type_name(word, &t.t)) { return NULL; }
    if (t.t.id != TACO_TIME && t.t.id != TACO_TIMESTAMP) { t.t.unit = TACO_SECOND; }
    if (!taco__lex_unquote(&p->lex, p->arena, &text)) { return NULL; }
    e = taco__sql_expr_add_child(
        p, taco__sql_expr_new(p, TACO__SQL_EXPR_CAST, at),
        taco__sql_expr_new_const(p, p->lex.at, taco__scalar_make_bytes(TACO_TEXT, text)));
    if (e) { e->to = t; }
    return taco__parse_next(p) ? e : NULL;
}

/* What a bare word begins: a constant, CASE, INTERVAL, a cast, a typed literal, a call or a
   column. */
static taco__sql_expr *taco__sql_parse_expr_word_primary(taco__parser *p)
{
    taco_bytes word = p->lex.raw;
    size_t at = p->lex.at;
    taco__sql_expr *e;
    if (taco__lex_is_word(&p->lex, "exists") || taco__lex_is_word(&p->lex, "select")) {
        return taco__parse_fail(p, at, "subqueries are not supported");
    }
    if (!taco__parse_next(p)) { return NULL; }
    if (taco__ascii_is_word(word, "null")) {
        return taco__sql_expr_new_const(p, at, taco__scalar_make_null());
    }
    if (taco__ascii_is_word(word, "true") || taco__ascii_is_word(word, "false")) {
        return taco__sql_expr_new_const(
            p, at, taco__scalar_make_int(TACO_BOOL, (word.data[0] | 0x20) == 't'));
    }
    if (taco__ascii_is_word(word, "case")) { return taco__sql_parse_expr_case(p, at); }
    if (taco__ascii_is_word(word, "interval") && !taco__lex_is_sign(&p->lex, "(")) {
        return taco__sql_parse_type_interval(p, at);
    }
    if ((taco__ascii_is_word(word, "cast") || taco__ascii_is_word(word, "try_cast")) &&
        taco__lex_is_sign(&p->lex, "(")) {
        e = taco__parse_next(p) ? taco__parse_expr(p, TACO__BINDS_OR) : NULL;
        return e && taco__parse_expect(p, "as")
                   ? taco__sql_parse_expr_cast(p, at, e, ")", (word.data[0] | 0x20) == 't')
                   : NULL;
    }
    e = taco__sql_parse_expr_typed_literal(p, word, at);
    if (e || !taco__parse_is_ok(p)) { return e; }
    if (taco__lex_is_sign(&p->lex, "(") &&
        (!taco__sql_parse_is_reserved(word) || taco__ascii_is_word(word, "left") ||
         taco__ascii_is_word(word, "right"))) {
        return taco__parse_next(p) ? taco__sql_parse_expr_call(p, word, at) : NULL;
    }
    if (taco__sql_parse_is_reserved(word)) {
        TACO__FAIL(p->err, TACO_ERR_SYNTAX, at, "expected a value, found %q", &word);
        return NULL;
    }
    e = taco__sql_expr_new(p, TACO__SQL_EXPR_COLUMN, at);
    if (e) { e->name = word; }
    return e;
}

/* * [EXCLUDE (...)] or table.*, after the star. */
static taco__sql_expr *taco__sql_parse_expr_star(taco__parser *p, size_t at, taco_bytes table)
{
    taco__sql_expr *e = taco__sql_expr_new(p, TACO__SQL_EXPR_STAR, at);
    bool many;
    if (!e) { return NULL; }
    e->table = table;
    /* DuckDB has more forms after a star */
    if (taco__lex_is_word(&p->lex, "replace") || taco__lex_is_word(&p->lex, "rename") ||
        taco__lex_is_word(&p->lex, "like")) {
        return taco__parse_fail(p, p->lex.at, "of the forms behind *, only EXCLUDE is supported");
    }
    if (!taco__lex_is_word(&p->lex, "exclude")) { return e; }
    taco__parse_next(p);
    /* EXCLUDE takes one name without parentheses */
    many = taco__parse_accept(p, "(");
    do {
        taco__sql_expr *c = taco__sql_expr_new(p, TACO__SQL_EXPR_COLUMN, p->lex.at);
        if (!c || !taco__sql_parse_name(p, false, &c->name)) {
            taco__lex_fail_expected(&p->lex, "a column");
            return NULL;
        }
        if (taco__parse_accept(p, ".")) {
            c->table = c->name;
            if (!taco__sql_parse_name(p, true, &c->name)) {
                taco__lex_fail_expected(&p->lex, "a column");
                return NULL;
            }
        }
        if (!taco__sql_expr_add_child(p, e, c)) { return NULL; }
    } while (many && taco__parse_accept(p, ","));
    return !many || taco__parse_expect(p, ")") ? e : NULL;
}

/* An operand without signs and suffixes. */
static taco__sql_expr *taco__sql_parse_expr_primary(taco__parser *p)
{
    size_t at = p->lex.at;
    taco__sql_expr *e = NULL;
    switch (p->lex.kind) {
    case TACO__TOK_NUMBER:
        e = taco__sql_expr_new_const(p, at,
                                     taco__pred_parse_number(p->lex.raw, p->lex.integral, false));
        return taco__parse_next(p) ? e : NULL;
    case TACO__TOK_STRING: {
        taco_bytes text;
        if (!taco__lex_unquote(&p->lex, p->arena, &text)) { return NULL; }
        e = taco__sql_expr_new_const(p, at, taco__scalar_make_bytes(TACO_TEXT, text));
        return taco__parse_next(p) ? e : NULL;
    }
    case TACO__TOK_QUOTED:
        e = taco__sql_expr_new(p, TACO__SQL_EXPR_COLUMN, at);
        return e && taco__sql_parse_name(p, false, &e->name) ? e : NULL;
    case TACO__TOK_NAME: return taco__sql_parse_expr_word_primary(p);
    case TACO__TOK_BLOB:
        return taco__parse_fail(p, at, "blob literals are not supported: write '...'::BLOB");
    default: break;
    }
    if (taco__parse_accept(p, "(")) {
        if (taco__lex_is_word(&p->lex, "select") || taco__lex_is_word(&p->lex, "with")) {
            return taco__parse_fail(p, p->lex.at, "subqueries are not supported");
        }
        e = taco__parse_expr(p, TACO__BINDS_OR);
        if (e && taco__lex_is_sign(&p->lex, ",")) {
            return taco__parse_fail(p, p->lex.at, "rows in parentheses are not supported");
        }
        return e && taco__parse_expect(p, ")") ? e : NULL;
    }
    if (taco__lex_is_sign(&p->lex, "[") || taco__lex_is_sign(&p->lex, "{")) {
        return taco__parse_fail(p, at, "lists and structs cannot be written here");
    }
    if (taco__parse_accept(p, "*")) {
        return taco__sql_parse_expr_star(p, at, taco__bytes_of(NULL, 0));
    }
    if (taco__parse_is_ok(p)) { taco__lex_fail_expected(&p->lex, "a value"); }
    return NULL;
}

/* An end of a slice, at the sign that follows where it is open. */
static taco__sql_expr *taco__sql_parse_expr_bound(taco__parser *p, const char *open)
{
    return taco__lex_is_sign(&p->lex, open)
               ? taco__sql_expr_new_const(p, p->lex.at, taco__scalar_make_null())
               : taco__parse_expr(p, TACO__BINDS_OR);
}

/* value[index] or value[from:to], after the bracket. */
static taco__sql_expr *taco__sql_parse_expr_index(taco__parser *p, taco__sql_expr *value)
{
    taco__sql_expr *e, *from = taco__sql_parse_expr_bound(p, ":");
    bool slice = from && taco__parse_accept(p, ":");
    e = taco__sql_expr_new(p, slice ? TACO__SQL_EXPR_SLICE : TACO__SQL_EXPR_INDEX, value->at);
    e = taco__sql_expr_add_child(p, taco__sql_expr_add_child(p, e, value), from);
    if (slice) { e = taco__sql_expr_add_child(p, e, taco__sql_parse_expr_bound(p, "]")); }
    if (e && taco__lex_is_sign(&p->lex, ":")) {
        return taco__parse_fail(p, p->lex.at, "slices with a step are not supported");
    }
    return e && taco__parse_expect(p, "]") ? e : NULL;
}

/* value.name or table.*, after the point, which is at `at`. Whether value is a table is not known
   before names are. */
static taco__sql_expr *taco__sql_parse_expr_field(taco__parser *p, taco__sql_expr *value, size_t at)
{
    taco__sql_expr *f;
    if (taco__lex_is_sign(&p->lex, "*") && value->kind == TACO__SQL_EXPR_COLUMN &&
        !value->table.len) {
        return taco__parse_next(p) ? taco__sql_parse_expr_star(p, value->at, value->name) : NULL;
    }
    f = taco__sql_expr_add_child(p, taco__sql_expr_new(p, TACO__SQL_EXPR_FIELD, value->at), value);
    if (!f || !taco__sql_parse_name(p, true, &f->name)) {
        taco__lex_fail_expected(&p->lex, "a name behind the point");
        return NULL;
    }
    if (taco__lex_is_sign(&p->lex, "(")) {
        return taco__parse_fail(p, at, "calls behind a point are not supported");
    }
    f->infix = true; /* table.column, until it is bound */
    return f;
}

/* An operand and what follows it: .field, [index], [from:to], ::type. */
static taco__sql_expr *taco__sql_parse_expr_postfix(taco__parser *p)
{
    taco__sql_expr *e = taco__sql_parse_expr_primary(p);
    while (e && taco__parse_is_ok(p)) {
        size_t at = p->lex.at;
        if (taco__parse_accept(p, ".")) {
            bool star = taco__lex_is_sign(&p->lex, "*");
            e = taco__sql_parse_expr_field(p, e, at);
            if (star) { return e; }
        } else if (taco__parse_accept(p, "::")) {
            e = taco__sql_parse_expr_cast(p, e->at, e, NULL, false);
        } else if (taco__parse_accept(p, "[")) {
            e = taco__sql_parse_expr_index(p, e);
        } else {
            break;
        }
    }
    return taco__parse_is_ok(p) ? e : NULL;
}

/* An operand with its signs: taco__dialect.operand. -5 is one literal, of the type that holds -5,
   so that -2147483648 is an INTEGER and not the negation of a BIGINT; - - 5 is the negation of
   that literal. Each sign counts for the depth. */
static taco__sql_expr *taco__sql_parse_expr_unary(taco__parser *p)
{
    size_t at = p->lex.at;
    taco__sql_expr *e;
    const char *sign = taco__lex_is_sign(&p->lex, "-")   ? "-"
                       : taco__lex_is_sign(&p->lex, "+") ? "+"
                                                         : NULL;
    if (!sign) { return taco__sql_parse_expr_postfix(p); }
    if (++p->depth > p->max_depth) { return taco__parse_fail_depth(p); }
    /* signs nest: - - 5 */
    e = taco__parse_next(p) ? taco__sql_parse_expr_unary(p) : NULL;
    p->depth--;
    if (e && *sign == '-' && e->kind == TACO__SQL_EXPR_CONST && !e->neg && !e->infix &&
        taco__scalar_is_number(e->value.type.id)) { /* -5 is a literal */
        e->value.d = taco__i256_negate(e->value.d);
        e->value.f = -e->value.f;
        e->neg = true;
        if (taco__scalar_is_int(e->value.type.id) || e->value.type.precision == 39) {
            int64_t x = (int64_t)e->value.d.w[0];
            if (taco__i256_is_i64(&e->value.d)) {
                e->value.type = taco__scalar_simple_type(
                    x >= INT32_MIN && x <= INT32_MAX ? TACO_INT32 : TACO_INT64);
                e->literal = 1;
            }
        }
        e->at = at;
        return e;
    }
    return e ? taco__sql_expr_new_call(p, sign, at, e, NULL) : NULL;
}

/* ---- operators ---- */

/* taco__dialect.find_operator: those of conditions, and those that make values. */
static int taco__sql_parse_expr_find_operator(taco__parser *p, const char **name)
{
    static const struct {
        const char *sign;
        int strength;
    } signs[] = {
        {"||", TACO__BINDS_VALUE},   {"+", TACO__BINDS_ADD},      {"-", TACO__BINDS_ADD},
        {"*", TACO__BINDS_MULTIPLY}, {"/", TACO__BINDS_MULTIPLY}, {"//", TACO__BINDS_MULTIPLY},
        {"%", TACO__BINDS_MULTIPLY}, {"~~", TACO__BINDS_VALUE},   {"!~~", TACO__BINDS_VALUE},
        {"~~*", TACO__BINDS_VALUE},  {"!~~*", TACO__BINDS_VALUE}};

    int strength = taco__parse_find_operator(p, name);
    size_t i;
    for (i = 0; !strength && p->lex.kind == TACO__TOK_SIGN && i < TACO__COUNT(signs); i++) {
        if (taco__lex_is_sign(&p->lex, signs[i].sign)) {
            *name = signs[i].sign;
            strength = signs[i].strength;
        }
    }
    return strength;
}

/* What parser.c needs to know of a SELECT. */
TACO__FN const taco__dialect *taco__sql_parse_expr_dialect(void)
{
    static const taco__dialect dialect = {false,
                                          1,
                                          "an expression deeper than %u, see limits.max_depth",
                                          "from",
                                          "(",
                                          ")",
                                          "and",
                                          taco__sql_parse_expr_unary,
                                          taco__sql_parse_expr_find_operator};
    return &dialect;
}
/* ==== src/sql/sql_parse_type.c ==== */
/* sql_parse_type.c - parser of type names (CAST, ::) and of INTERVAL literals

   Types are those of taco__pred_parse_type_name, which literals of a `where` may have, and
   DuckDB's further spellings. An INTERVAL is kept as a taco__sql_interval in the bytes of the
   literal. */
/* #include "sql.h" */
/* #include "../base/base.h" */
/* #include "../filter/filter.h" */

/* ---- types ---- */

/* A whole number without a sign, of LIMIT or in a type. */
TACO__FN bool taco__sql_parse_type_number(taco__parser *p, uint64_t *out)
{
    if (p->lex.kind != TACO__TOK_NUMBER || !p->lex.integral ||
        !taco__num_parse_u64(p->lex.raw, out)) {
        taco__lex_fail_expected(&p->lex, "a whole number");
        return false;
    }
    return taco__parse_next(p);
}

/* DECIMAL[(width[, scale])], after the word; DECIMAL alone is DECIMAL(18, 3). */
static bool taco__sql_parse_type_decimal(taco__parser *p, taco__sql_type *t)
{
    uint64_t width = 18, scale = 3;
    size_t at = p->lex.at;
    t->t = taco__scalar_simple_type(TACO_DECIMAL);
    if (taco__parse_accept(p, "(")) {
        scale = 0;
        if (!taco__sql_parse_type_number(p, &width) ||
            (taco__parse_accept(p, ",") && !taco__sql_parse_type_number(p, &scale)) ||
            !taco__parse_expect(p, ")")) {
            return false;
        }
    }
    if (width < 1 || width > 38 || scale > width) {
        taco__parse_fail(p, at, "DECIMAL takes 1 to 38 digits and a scale of at most as many");
        return false;
    }
    t->t.precision = (int32_t)width;
    t->t.scale = (int32_t)scale;
    return taco__parse_is_ok(p);
}

/* Spellings of types beyond those of taco__pred_parse_type_name. */
static bool taco__sql_parse_type_find(taco_bytes name, taco__scalar_type *out)
{
    static const struct {
        const char *name;
        taco_type id;
        taco_unit unit;
    } more[] = {{"hugeint", TACO_DECIMAL, TACO_SECOND},
                {"int128", TACO_DECIMAL, TACO_SECOND},
                {"timestamp_ms", TACO_TIMESTAMP, TACO_MILLI},
                {"timestamp_s", TACO_TIMESTAMP, TACO_SECOND},
                {"float4", TACO_FLOAT, TACO_SECOND},
                {"float8", TACO_DOUBLE, TACO_SECOND},
                {"int1", TACO_INT8, TACO_SECOND},
                {"int2", TACO_INT16, TACO_SECOND},
                {"short", TACO_INT16, TACO_SECOND},
                {"int4", TACO_INT32, TACO_SECOND},
                {"signed", TACO_INT32, TACO_SECOND},
                {"int8", TACO_INT64, TACO_SECOND},
                {"long", TACO_INT64, TACO_SECOND},
                {"char", TACO_TEXT, TACO_SECOND},
                {"bpchar", TACO_TEXT, TACO_SECOND},
                {"logical", TACO_BOOL, TACO_SECOND}};

    size_t i;
    for (i = 0; i < TACO__COUNT(more); i++) {
        if (taco__ascii_is_word(name, more[i].name)) {
            *out = taco__scalar_simple_type(more[i].id);
            out->unit = more[i].unit;
            out->precision = more[i].id == TACO_DECIMAL ? 39 : 0;
            return true;
        }
    }
    return false;
}

/* What may follow the name of a type: a length of VARCHAR, WITH TIME ZONE. `at` is where the name
   begins. */
static bool taco__sql_parse_type_suffix(taco__parser *p, size_t at, taco__sql_type *t)
{
    uint64_t n;
    if (taco__parse_accept(p, "(") &&
        (t->t.id != TACO_TEXT || !taco__sql_parse_type_number(p, &n) ||
         !taco__parse_expect(p, ")"))) {
        taco__parse_fail(p, at, "the type takes no length");
        return false;
    }
    if (t->t.id == TACO_TIMESTAMP && taco__lex_is_word(&p->lex, "with")) {
        taco__parse_next(p);
        if (!taco__parse_expect(p, "time") || !taco__parse_expect(p, "zone")) { return false; }
        t->t.utc = true;
    }
    if (taco__lex_is_sign(&p->lex, "[")) {
        taco__parse_fail(p, p->lex.at, "casts to lists are not supported");
        return false;
    }
    return taco__parse_is_ok(p);
}

/* A type name, of a CAST. The length of VARCHAR(10) is not looked at, as in DuckDB. */
TACO__FN bool taco__sql_parse_type(taco__parser *p, taco__sql_type *t)
{
    size_t at = p->lex.at;
    taco_bytes name = p->lex.raw;
    memset(t, 0, sizeof *t);
    if (p->lex.kind != TACO__TOK_NAME && p->lex.kind != TACO__TOK_QUOTED) {
        taco__lex_fail_expected(&p->lex, "a type");
        return false;
    }
    if (!taco__parse_next(p)) { return false; }
    if (taco__ascii_is_word(name, "decimal") || taco__ascii_is_word(name, "numeric") ||
        taco__ascii_is_word(name, "dec")) {
        return taco__sql_parse_type_decimal(p, t);
    }
    if (!taco__pred_parse_type_name(name, &t->t) && !taco__sql_parse_type_find(name, &t->t)) {
        TACO__FAIL(p->err, TACO_ERR_SYNTAX, at, "no such type here: %q", &name);
        return false;
    }
    if (t->t.id != TACO_TIME && t->t.id != TACO_TIMESTAMP) { t->t.unit = TACO_SECOND; }
    return taco__sql_parse_type_suffix(p, at, t);
}

/* ---- intervals ---- */

/* Adds n units of that name, which may end with s, to an interval. False for no such unit, or
   where n is out of range. */
static bool taco__sql_parse_type_interval_unit(taco_bytes w, int64_t n, taco__sql_interval *out)
{
    static const struct {
        const char *name;
        int32_t months, days;
        int64_t micros;
    } units[] = {{"year", 12, 0, 0},
                 {"month", 1, 0, 0},
                 {"mon", 1, 0, 0},
                 {"week", 0, 7, 0},
                 {"day", 0, 1, 0},
                 {"hour", 0, 0, 3600000000LL},
                 {"minute", 0, 0, 60000000},
                 {"min", 0, 0, 60000000},
                 {"second", 0, 0, 1000000},
                 {"sec", 0, 0, 1000000},
                 {"millisecond", 0, 0, 1000},
                 {"microsecond", 0, 0, 1},
                 {"quarter", 3, 0, 0},
                 {"decade", 120, 0, 0},
                 {"h", 0, 0, 3600000000LL},
                 {"m", 0, 0, 60000000},
                 {"s", 0, 0, 1000000},
                 {"d", 0, 1, 0},
                 {"y", 12, 0, 0},
                 {"w", 0, 7, 0}};

    size_t i;
    for (i = 0; i < TACO__COUNT(units); i++) {
        size_t len = strlen(units[i].name);
        if (taco__ascii_is_word(w, units[i].name) ||
            (len > 2 && w.len == len + 1 && (w.data[len] | 0x20) == 's' &&
             taco__ascii_is_word(taco__bytes_of(w.data, len), units[i].name))) {
            if (n > 100000000 || n < -100000000 ||
                (units[i].micros &&
                 (n > INT64_MAX / 4 / units[i].micros || n < -(INT64_MAX / 4 / units[i].micros)))) {
                return false;
            }
            out->months += (int32_t)(n * units[i].months);
            out->days += (int32_t)(n * units[i].days);
            out->micros += n * units[i].micros;
            return true;
        }
    }
    return false;
}

/* Steps over blanks from i on. */
static size_t taco__sql_parse_type_skip_blanks(taco_bytes b, size_t i)
{
    while (i < b.len && b.data[i] == ' ') {
        i++;
    }
    return i;
}

/* A whole number with a sign at *at; steps over it. False where there is none. */
static bool taco__sql_parse_type_interval_number(taco_bytes b, size_t *at, int64_t *out)
{
    size_t i = *at, from = *at + (b.data[*at] == '+');
    i += b.data[i] == '-' || b.data[i] == '+';
    while (i < b.len && taco__lex_is_digit(b.data[i])) {
        i++;
    }
    *at = i;
    return taco__num_parse_i64(taco__bytes_of(b.data + from, i - from), out);
}

/* '1 year 2 days -3 hours' */
static bool taco__sql_parse_type_interval_text(taco_bytes b, taco__sql_interval *out)
{
    size_t i, from, parts = 0;
    int64_t n;
    for (i = taco__sql_parse_type_skip_blanks(b, 0); i < b.len;
         i = taco__sql_parse_type_skip_blanks(b, i)) {
        if (!taco__sql_parse_type_interval_number(b, &i, &n)) { return false; }
        from = i = taco__sql_parse_type_skip_blanks(b, i);
        while (i < b.len && taco__lex_is_letter(b.data[i])) {
            i++;
        }
        if (!taco__sql_parse_type_interval_unit(taco__bytes_of(b.data + from, i - from), n, out) ||
            ++parts > 8) {
            return false;
        }
    }
    return parts > 0;
}

/* INTERVAL '1 day', INTERVAL 3 MONTH, INTERVAL '3' MONTH, after the word. The literal's name is
   its text, for the name of the column. Months, days and microseconds stay apart: a month has no
   fixed number of days, a day none of hours. */
TACO__FN taco__sql_expr *taco__sql_parse_type_interval(taco__parser *p, size_t at)
{
    taco__sql_interval *v = (taco__sql_interval *)taco__arena_alloc(p->arena, sizeof *v, p->err);
    taco_bytes text;
    taco__sql_expr *e;
    int64_t n;
    bool neg, number = p->lex.kind == TACO__TOK_NUMBER || taco__lex_is_sign(&p->lex, "-");
    if (!v) { return NULL; }
    neg = taco__parse_accept(p, "-");
    if (p->lex.kind != TACO__TOK_STRING && p->lex.kind != TACO__TOK_NUMBER) {
        taco__lex_fail_expected(&p->lex, "a text or a number behind INTERVAL");
        return NULL;
    }
    text = p->lex.raw;
    if (!taco__parse_next(p)) { return NULL; }
    if (number || (p->lex.kind == TACO__TOK_NAME && taco__num_parse_i64(text, &n))) {
        if (!taco__num_parse_i64(text, &n) || p->lex.kind != TACO__TOK_NAME ||
            !taco__sql_parse_type_interval_unit(p->lex.raw, neg ? -n : n, v)) {
            return taco__parse_fail(p, at, "INTERVAL takes a whole number and a unit, or a text");
        }
        text = taco__bytes_of(p->lex.text.data + at, p->lex.end - at);
        if (!taco__parse_next(p)) { return NULL; }
    } else if (!taco__sql_parse_type_interval_text(text, v)) {
        return taco__parse_fail(p, at, "INTERVAL takes '[-]N unit ...' with whole numbers");
    }
    e = taco__sql_expr_new_const(
        p, at, taco__scalar_make_bytes(TACO_INTERVAL, taco__bytes_of(v, sizeof *v)));
    if (e) { e->name = text; }
    return e;
}
/* ==== src/sql/cast.c ==== */
/* cast.c - CAST and TRY_CAST of vectors, and values as text

   In: a vector of one type. Out: a vector of another; where a value cannot be converted, an error
   that shows it, or a null for TRY_CAST. Rounding, ranges and spellings are DuckDB's.
   taco__cast_format writes a value as CAST AS VARCHAR does. Start at taco__cast_vector, at the
   end; conversions between numbers go through 256-bit integers, the frequent ones through
   taco__cast_fast.

   Example: '12.5' as DECIMAL(4, 1) is 12.5 and as INTEGER 13; 'x' as INTEGER is an error with CAST
   and NULL with TRY_CAST. */
/* #include "sql.h" */
/* #include "../base/base.h" */
/* #include "../base/json.h" */
/* #include "../filter/filter.h" */

/* one conversion of a vector */
typedef struct taco__cast {
    taco__arena *arena;
    const taco__sql_type *to;
    taco_error *err;
    bool memory; /* the arena failed: no NULL of TRY_CAST hides that */
} taco__cast;

/* What can be cast at all. */
TACO__FN bool taco__cast_is_possible(const taco__sql_type *a, const taco__sql_type *b)
{
    bool na = taco__sql_type_is_number(a) || a->t.id == TACO_BOOL,
         nb = taco__sql_type_is_number(b) || b->t.id == TACO_BOOL;
    if (a->t.id == TACO_NULL || taco__sql_type_equal(a, b) || (na && nb)) { return true; }
    if (b->t.id == TACO_TEXT) { return a->t.id != TACO_INTERVAL && !a->geo; }
    if (a->t.id == TACO_TEXT) {
        return !taco__scalar_is_nested(b->t.id) && b->t.id != TACO_INTERVAL;
    }
    return (taco__sql_type_is_datetime(a) && taco__sql_type_is_datetime(b)) ||
           (a->t.id == TACO_TIMESTAMP && b->t.id == TACO_TIME) ||
           (a->t.id == TACO_TIME && b->t.id == TACO_TIME);
}

/* True when x lies in the type. HUGEINT has 128 bits, which is less than its 39 digits could
   say. */
TACO__FN bool taco__cast_fits(const taco__scalar_type *t, const taco__i256 *x)
{
    if (t->id == TACO_DECIMAL && t->precision == 39) {
        uint64_t sign = x->w[1] >> 63 ? UINT64_MAX : 0;
        return x->w[2] == sign && x->w[3] == sign;
    }
    return taco__scalar_fits(t, x);
}

/* A whole double as an integer; false beyond 255 bits and for NaN. The mantissa is shifted by the
   exponent, without the rounding that a conversion by way of int64_t would need. */
TACO__FN bool taco__cast_double_to_int(double d, taco__i256 *out)
{
    uint64_t bits = taco__f64_to_bits(d),
             m = (bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)1 << 52;
    int e = (int)(bits >> 52 & 0x7FF) - 1075;
    size_t i;
    if (d == 0) {
        *out = taco__i256_from_i64(0);
        return true;
    }
    if (d != d || e > 200) { return false; }
    if (e <= 0) {
        *out = taco__i256_from_i64(e <= -64 ? 0 : (int64_t)(m >> -e));
    } else {
        *out = taco__i256_from_i64((int64_t)m);
        for (i = 0; i < (size_t)e; i++) {
            taco__i256_multiply_add(out, 2, 0);
        }
    }
    if (bits >> 63) { *out = taco__i256_negate(*out); }
    return true;
}

/* Value i of a numeric vector as an exact number of scale to_scale. Digits that go are rounded
   away from zero at a half; DOUBLE to integers rounds to even, as DuckDB does: CAST(2.5e0 AS
   INTEGER) is 2, CAST(2.5 AS INTEGER) is 3. */
static bool taco__cast_to_exact(const taco__vec *v, size_t i, int32_t to_scale, taco__i256 *out)
{
    static const double ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,
                                 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
                                 1e20, 1e21, 1e22, 1e23, 1e24, 1e25, 1e26, 1e27, 1e28, 1e29,
                                 1e30, 1e31, 1e32, 1e33, 1e34, 1e35, 1e36, 1e37, 1e38};
    int32_t have = v->type->t.id == TACO_DECIMAL ? v->type->t.scale : 0;
    i *= v->step;
    switch (taco__sql_type_physical(v->type)) {
    case TACO__PHYS_DBL: {
        bool narrow = v->type->t.id != TACO_DOUBLE;
        double d = to_scale ? v->v.f[i] * ten[to_scale] : v->v.f[i];
        d = narrow ? (double)(float)d : d;
        return taco__cast_double_to_int(to_scale ? taco__math_round(d) : taco__math_round_even(d),
                                        out);
    }
    case TACO__PHYS_INT: *out = taco__i256_from_i64(v->v.i[i]); break;
    default: *out = v->v.d[i]; break;
    }
    if (to_scale >= have) { return taco__i256_mul10(out, to_scale - have); }
    *out = taco__i256_div10(*out, have - to_scale, true);
    return true;
}

/* Value i of a numeric vector as DOUBLE, or rounded to FLOAT (single). */
TACO__FN double taco__cast_to_double(const taco__vec *v, size_t i, bool single)
{
    taco__scalar x;
    i *= v->step;
    switch (taco__sql_type_physical(v->type)) {
    case TACO__PHYS_DBL: return single ? (double)(float)v->v.f[i] : v->v.f[i];
    case TACO__PHYS_INT: return single ? (double)(float)v->v.i[i] : (double)v->v.i[i];
    default:
        x = taco__scalar_make_null();
        x.type = v->type->t;
        x.d = v->v.d[i];
        return taco__scalar_to_double(&x, single);
    }
}

/* YYYY-MM-DD with at least four digits of the year. Years before 1 count backwards: year 0 is
   0001-..-.. (BC). */
static bool taco__cast_format_date(taco__buf *b, int64_t day, taco_error *err)
{
    taco__time_civil c = taco__time_date_from_days(day);
    int64_t year = c.year > 0 ? c.year : 1 - c.year;
    char text[32], *p = text;
    for (; p < text + 4 && year < (p == text       ? 1000
                                   : p == text + 1 ? 100
                                   : p == text + 2 ? 10
                                                   : 0);) {
        *p++ = '0';
    }
    p += taco__num_format_i64(p, year);
    *p++ = '-';
    p = taco__num_put2(p, (uint32_t)c.month);
    *p++ = '-';
    p = taco__num_put2(p, (uint32_t)c.day);
    return taco__buf_append(b, text, (size_t)(p - text), err) &&
           (c.year > 0 || taco__buf_append_text(b, " (BC)", err));
}

/* DATE, TIME and TIMESTAMP: zeros at the end of the fraction are left out, instants end with
   +00. */
static bool taco__cast_format_datetime(taco__buf *b, const taco__vec *v, size_t i, taco_error *err)
{
    char text[TACO__TIME_CHARS];
    size_t n;
    int64_t x = v->v.i[i], day;
    if (v->type->t.id == TACO_DATE) { return taco__cast_format_date(b, x, err); }
    if (v->type->t.id == TACO_TIMESTAMP) {
        day = (int64_t)taco__time_units_per_second(v->type->t.unit) * 86400;
        if (!taco__cast_format_date(b, taco__time_floor_div(x, day), err) ||
            !taco__buf_append_char(b, ' ', err)) {
            return false;
        }
        x = taco__time_floor_mod(x, day);
    }
    taco__time_format_time(text, x, v->type->t.unit, &n);
    if (v->type->t.unit != TACO_SECOND && memchr(text, '.', n)) {
        while (n && text[n - 1] == '0') {
            n--;
        }
        n -= n && text[n - 1] == '.';
    }
    return taco__buf_append(b, text, n, err) &&
           (!v->type->t.utc || taco__buf_append_text(b, "+00", err));
}

/* Bytes as text: printable ASCII as it is, everything else as \xHH. */
static bool taco__cast_format_blob(taco__buf *b, taco_bytes s, taco_error *err)
{
    size_t i;
    for (i = 0; i < s.len; i++) {
        uint8_t c = s.data[i];
        char hex[4] = {'\\', 'x', "0123456789ABCDEF"[c >> 4], "0123456789ABCDEF"[c & 15]};
        if (c >= 0x20 && c < 0x7F && c != '\\' && c != '\'' && c != '"') {
            hex[0] = (char)c;
            if (!taco__buf_append_char(b, hex[0], err)) { return false; }
        } else if (!taco__buf_append(b, hex, 4, err)) {
            return false;
        }
    }
    return true;
}

/* 16 bytes as 8-4-4-4-12 hexadecimal digits. */
static bool taco__cast_format_uuid(taco__buf *b, taco_bytes s, taco_error *err)
{
    size_t i;
    for (i = 0; i < s.len; i++) {
        char hex[2] = {"0123456789abcdef"[s.data[i] >> 4], "0123456789abcdef"[s.data[i] & 15]};
        if (((i == 4 || i == 6 || i == 8 || i == 10) && !taco__buf_append_char(b, '-', err)) ||
            !taco__buf_append(b, hex, 2, err)) {
            return false;
        }
    }
    return true;
}

/* The shortest digits that read back as the same FLOAT or DOUBLE; nan, inf, -inf. */
static bool taco__cast_format_float(taco__buf *b, const taco__vec *v, double d, taco_error *err)
{
    char text[32];
    size_t n = v->type->t.id == TACO_DOUBLE ? taco__num_format_f64(text, d)
                                            : taco__num_format_f32(text, (float)d);
    if (d != d) { return taco__buf_append_text(b, "nan", err); }
    if (d - d != 0) { return taco__buf_append_text(b, d < 0 ? "-inf" : "inf", err); }
    return taco__buf_append(b, text, n, err);
}

/* [a, b] for a list, {key=value, ...} for a map. */
static bool taco__cast_format_list(taco__buf *b, const taco__vec *v, size_t i, taco_error *err)
{
    taco__sql_list_span s = v->v.l[i];
    uint32_t k;
    bool map = v->type->t.id == TACO_MAP, ok = taco__buf_append_char(b, map ? '{' : '[', err);
    for (k = 0; ok && k < s.len; k++) {
        ok = !k || taco__buf_append_text(b, ", ", err);
        if (map) {
            ok = ok && taco__cast_format(b, &v->kids[0].kids[0], s.at + k, true, err) &&
                 taco__buf_append_char(b, '=', err) &&
                 taco__cast_format(b, &v->kids[0].kids[1], s.at + k, true, err);
        } else {
            ok = ok && taco__cast_format(b, &v->kids[0], s.at + k, true, err);
        }
    }
    return ok && taco__buf_append_char(b, map ? '}' : ']', err);
}

/* A text inside a list or struct: in single quotes where it could be taken for something else,
   such as [a, 'b, c', 'null'], with ' and \ escaped. */
static bool taco__cast_format_nested_text(taco__buf *b, taco_bytes s, taco_error *err)
{
    bool quote = s.len == 0 || s.data[0] == ' ' || s.data[s.len - 1] == ' ' ||
                 taco__ascii_is_word(s, "null");
    size_t i;
    for (i = 0; !quote && i < s.len; i++) {
        quote = s.data[i] && strchr("'\"(),\\{}[]:=", s.data[i]) != NULL;
    }
    if (!quote) { return taco__buf_append(b, s.data, s.len, err); }
    if (!taco__buf_append_char(b, '\'', err)) { return false; }
    for (i = 0; i < s.len; i++) {
        if (((s.data[i] == '\'' || s.data[i] == '\\') && !taco__buf_append_char(b, '\\', err)) ||
            !taco__buf_append_char(b, (char)s.data[i], err)) {
            return false;
        }
    }
    return taco__buf_append_char(b, '\'', err);
}

/* One value, as CAST AS VARCHAR writes it. */
TACO__FN bool taco__cast_format(taco__buf *b, const taco__vec *v, size_t i, bool nested,
                                taco_error *err)
{
    char text[32];
    uint32_t k;
    if (!taco__vec_is_valid(v, i)) { return taco__buf_append_text(b, "NULL", err); }
    i *= v->step;
    switch (v->type->t.id) {
    case TACO_BOOL: return taco__buf_append_text(b, v->v.i[i] ? "true" : "false", err);
    case TACO_HALF:
    case TACO_FLOAT:
    case TACO_DOUBLE: return taco__cast_format_float(b, v, v->v.f[i], err);
    case TACO_UINT64:
    case TACO_DECIMAL: {
        uint8_t le[32];
        uint32_t w;
        for (w = 0; w < 4; w++) {
            taco__put_le64(le + w * 8, v->v.d[i].w[w]);
        }
        return taco__decimal_append_le(b, le, 32,
                                       v->type->t.id == TACO_DECIMAL ? v->type->t.scale : 0, err);
    }
    case TACO_DATE:
    case TACO_TIME:
    case TACO_TIMESTAMP: return taco__cast_format_datetime(b, v, i, err);
    case TACO_TEXT:
        return nested ? taco__cast_format_nested_text(b, v->v.s[i], err)
                      : taco__buf_append(b, v->v.s[i].data, v->v.s[i].len, err);
    case TACO_BINARY: return taco__cast_format_blob(b, v->v.s[i], err);
    case TACO_UUID: return taco__cast_format_uuid(b, v->v.s[i], err);
    case TACO_LIST:
    case TACO_MAP: return taco__cast_format_list(b, v, i, err);
    case TACO_STRUCT:
        if (!taco__buf_append_char(b, '{', err)) { return false; }
        for (k = 0; k < v->type->count; k++) {
            if ((k && !taco__buf_append_text(b, ", ", err)) ||
                !taco__buf_append_char(b, '\'', err) ||
                !taco__buf_append_text(b, v->type->names[k], err) ||
                !taco__buf_append_text(b, "': ", err) ||
                !taco__cast_format(b, &v->kids[k], i, true, err)) {
                return false;
            }
        }
        return taco__buf_append_char(b, '}', err);
    default: return taco__buf_append(b, text, taco__num_format_i64(text, v->v.i[i]), err);
    }
}

/* Casts a whole vector to VARCHAR. */
static bool taco__cast_to_text(taco__cast *c, const taco__vec *v, taco__vec *out)
{
    taco__buf b;
    size_t i;
    bool ok = true;
    memset(&b, 0, sizeof b);
    b.mem = c->arena->mem;
    for (i = 0; ok && i < v->n; i++) {
        char *copy;
        if (!taco__vec_is_valid(v, i)) { continue; }
        b.len = 0;
        ok = taco__cast_format(&b, v, i, false, c->err);
        copy = ok ? taco__arena_text(c->arena, taco__bytes_of(b.data, b.len), c->err) : NULL;
        out->v.s[i] = taco__bytes_of(copy, b.len);
        ok = copy != NULL;
    }
    taco__buf_free(&b);
    c->memory = !ok;
    return ok;
}

/* ---- one value ---- */

/* Value i, a text, as a value of the type. False where it does not spell one, or without memory
   (c->memory). Times are read to the microsecond or nanosecond and then brought to the unit of the
   type. */
static bool taco__cast_from_text(taco__cast *c, const taco__vec *v, size_t i, taco__vec *out)
{
    taco__scalar x;
    taco__scalar_type t = c->to->t;
    bool huge = taco__sql_type_is_hugeint(c->to);
    taco_bytes s = v->v.s[i * v->step];
    int32_t up;
    if (t.id == TACO_BINARY && c->to->geo) { return false; }
    if (!taco__scalar_parse(c->arena, s, &t, &x, c->err)) {
        c->memory = c->err && c->err->code != TACO_OK;
        return false;
    }
    if (huge && !taco__cast_fits(&t, &x.d)) { return false; }
    switch (taco__sql_type_physical(c->to)) {
    case TACO__PHYS_DBL: out->v.f[i] = x.f; return true;
    case TACO__PHYS_BIG: out->v.d[i] = x.d; return true;
    case TACO__PHYS_STR: out->v.s[i] = x.b; return true;
    default:
        if (t.id == TACO_TIMESTAMP || t.id == TACO_TIME) {
            up = 3 * ((int32_t)t.unit - (int32_t)x.type.unit);
            if (up > 0 && !taco__i256_mul10(&x.d, up)) { return false; }
            x.d = up < 0 ? taco__i256_from_i64(
                               taco__time_floor_div((int64_t)x.d.w[0], up == -3 ? 1000 : 1000000))
                         : x.d;
            if (!taco__i256_is_i64(&x.d)) { return false; }
        }
        out->v.i[i] = (int64_t)x.d.w[0];
        return true;
    }
}

/* Between DATE, TIME and TIMESTAMP of any unit. A finer unit is exact or overflows (false). To a
   coarser one microseconds are rounded to the nearest, nanoseconds are cut towards zero, and a
   time of day is taken by floor, so that it is never negative. False too for casts that DuckDB has
   not. */
static bool taco__cast_datetime(const taco__vec *v, size_t i, const taco__scalar_type *to,
                                int64_t *out)
{
    const taco__scalar_type *from = &v->type->t;
    int64_t x = v->v.i[i * v->step], day, per;
    taco__i256 big;
    int32_t up;
    if (from->id == TACO_DATE && to->id == TACO_TIMESTAMP) {
        big = taco__i256_from_i64(x * 86400);
        if (!taco__i256_mul10(&big, 3 * (int32_t)to->unit) || !taco__i256_is_i64(&big)) {
            return false;
        }
        *out = (int64_t)big.w[0];
        return true;
    }
    if (from->id == TACO_TIMESTAMP && to->id != TACO_TIMESTAMP) {
        if (from->utc && to->id == TACO_TIME) {
            return false; /* DuckDB has no such cast, and TRY_CAST makes it NULL */
        }
        per = (int64_t)taco__time_units_per_second(from->unit);
        if (from->unit == TACO_NANO && to->id == TACO_DATE) {
            x /= 1000;
            per = 1000000;
        }
        day = per * 86400;
        if (to->id == TACO_DATE) {
            *out = taco__time_floor_div(x, day);
            return true;
        }
        x = taco__time_floor_mod(x, day);
    }
    up = 3 * ((int32_t)to->unit - (int32_t)from->unit);
    big = taco__i256_from_i64(x);
    if (up >= 0) {
        if (!taco__i256_mul10(&big, up) || !taco__i256_is_i64(&big)) { return false; }
        *out = (int64_t)big.w[0];
        return true;
    }
    per = up == -3 ? 1000 : up == -6 ? 1000000 : 1000000000;
    if (from->unit == TACO_MICRO && to->id == TACO_TIMESTAMP) { /* rounded away from 1970 */
        x /= per / 2;
        *out = (x < 0 ? x - 1 : x + 1) / 2;
        return true;
    }
    if (to->id == TACO_TIMESTAMP && to->unit != TACO_MICRO) {
        return false; /* DuckDB has no such cast, and TRY_CAST makes it NULL */
    }
    *out = from->unit == TACO_NANO ? x / per : taco__time_floor_div(x, per);
    return true;
}

/* Whether a float is not below the least value of an integer type: DuckDB asks that before it
   rounds. */
static bool taco__cast_is_above_min(const taco__vec *v, size_t i, taco_type to)
{
    double least = to == TACO_INT8    ? INT8_MIN
                   : to == TACO_INT16 ? INT16_MIN
                   : to == TACO_INT32 ? INT32_MIN
                                      : 0;
    bool asks = taco__scalar_is_int(to) && to != TACO_INT64;
    return !asks || taco__sql_type_physical(v->type) != TACO__PHYS_DBL ||
           v->v.f[i * v->step] >= least;
}

/* Value i, a number or BOOLEAN, as another numeric type. False where it does not fit. */
static bool taco__cast_number(taco__cast *c, const taco__vec *v, size_t i, taco__vec *out)
{
    const taco__scalar_type *t = &c->to->t;
    taco__i256 x;
    double d;
    switch (taco__sql_type_physical(c->to)) {
    case TACO__PHYS_DBL:
        out->v.f[i] = taco__cast_to_double(v, i, t->id != TACO_DOUBLE);
        d = taco__sql_type_physical(v->type) == TACO__PHYS_DBL ? v->v.f[i * v->step] : 0;
        /* finite to infinite */
        return !(out->v.f[i] - out->v.f[i] != 0 && d == d && d - d == 0);
    case TACO__PHYS_BIG:
        if (!taco__cast_to_exact(v, i, t->id == TACO_DECIMAL ? t->scale : 0, &out->v.d[i])) {
            return false;
        }
        return taco__cast_is_above_min(v, i, t->id) && taco__cast_fits(t, &out->v.d[i]);
    default:
        if (t->id == TACO_BOOL) {
            switch (taco__sql_type_physical(v->type)) {
            case TACO__PHYS_DBL: out->v.i[i] = v->v.f[i * v->step] != 0; return true;
            case TACO__PHYS_INT: out->v.i[i] = v->v.i[i * v->step] != 0; return true;
            default:
                x = taco__i256_from_i64(0);
                out->v.i[i] = taco__i256_compare(&v->v.d[i * v->step], &x) != 0;
                return true;
            }
        }
        if (!taco__cast_to_exact(v, i, 0, &x) || !taco__scalar_fits(t, &x) ||
            !taco__cast_is_above_min(v, i, t->id)) {
            return false;
        }
        out->v.i[i] = (int64_t)x.w[0];
        return true;
    }
}

/* Converts value i into out; false where it has none in the type, without an error. */
static bool taco__cast_value(taco__cast *c, const taco__vec *v, size_t i, taco__vec *out)
{
    if (v->type->t.id == TACO_TEXT) { return taco__cast_from_text(c, v, i, out); }
    if (taco__sql_type_is_datetime(v->type) || v->type->t.id == TACO_TIME) {
        return taco__cast_datetime(v, i, &c->to->t, &out->v.i[i]);
    }
    return taco__cast_number(c, v, i, out);
}

/* The error of a CAST: the value as text, and the type it is none of. */
static TACO__COLD bool taco__cast_fail(taco__cast *c, const taco__vec *v, size_t i)
{
    char name[96];
    taco__buf b;
    taco_bytes text;
    memset(&b, 0, sizeof b);
    b.mem = c->arena->mem;
    taco__sql_type_text(c->to, name, sizeof name);
    if (taco__cast_format(&b, v, i, false, c->err)) {
        text = taco__bytes_of(b.data, b.len);
        TACO__FAIL(c->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "%q is no %s", &text, name);
    }
    taco__buf_free(&b);
    return false;
}

/* Integers of which all values fit, and integers to DOUBLE, without a call for each value: the
   casts that binding adds most often. False: not one of them, and nothing was done. */
static bool taco__cast_fast(const taco__vec *v, const taco__sql_type *to, taco__vec *out)
{
    size_t i;
    taco__physical_type from = taco__sql_type_physical(v->type);
    taco_type a = v->type->t.id, b = to->t.id;
    if (from != TACO__PHYS_INT || !(taco__scalar_is_int(a) || a == TACO_BOOL)) { return false; }
    if (b == TACO_DOUBLE) {
        for (i = 0; i < v->n; i++) {
            out->v.f[i] = (double)v->v.i[i * v->step];
        }
        return true;
    }
    if (b == TACO_INT64 || (b > a && b <= TACO_INT64 && a <= TACO_INT64 && a != TACO_BOOL)) {
        for (i = 0; i < v->n; i++) {
            out->v.i[i] = v->v.i[i * v->step];
        }
        return true;
    }
    return false;
}

/* out = v as type `to`. Where a value cannot be: null (tries), or a failure. A constant is
   converted once and stays one; out may be src. Types must have a cast (taco__cast_is_possible). */
TACO__FN bool taco__cast_vector(taco__arena *arena, const taco__vec *src, const taco__sql_type *to,
                                bool tries, taco__vec *out, taco_error *err)
{
    taco__cast c;
    const taco__vec whole = *src, *v = &whole; /* out may be src */
    taco__vec one = whole;
    size_t i, n = v->step ? v->n : TACO__MIN(v->n, (size_t)1);
    if (taco__sql_type_equal(v->type, to)) {
        *out = *v;
        out->type = to;
        return true;
    }
    c.arena = arena;
    c.to = to;
    c.err = err;
    c.memory = false;
    /* NULL has every type */
    if (v->type->t.id == TACO_NULL) { return taco__vec_init_null(arena, to, v->n, out, err); }
    /* of a constant only the one value is converted */
    one.n = n;
    if (!taco__vec_init(arena, to, n, out, err) ||
        (v->valid && !taco__vec_init_validity(arena, out, err))) {
        return false;
    }
    for (i = 0; v->valid && i < n; i++) {
        out->valid[i] = taco__vec_is_valid(v, i);
    }
    if (to->t.id == TACO_TEXT) {
        if (!taco__cast_to_text(&c, &one, out)) { return false; }
    } else if (!taco__cast_fast(&one, to, out)) {
        for (i = 0; i < n; i++) {
            if (!taco__vec_is_valid(v, i) || taco__cast_value(&c, v, i, out)) { continue; }
            if (c.memory || !tries) { return c.memory ? false : taco__cast_fail(&c, v, i); }
            if (!taco__vec_init_validity(arena, out, err)) { return false; }
            out->valid[i] = 0;
        }
    }
    if (!v->step) {
        out->n = v->n;
        out->step = 0;
    }
    return true;
}
/* ==== src/sql/functions.c ==== */
/* functions.c - table of scalar functions, and the call of one over a batch

   A function has a row in taco__funcs: name, id, numbers of arguments, their types and the
   result's. taco__func_run allocates the result, makes rows null where an argument is, and hands
   the call to the file of the subject: func_number.c, func_text.c, func_date.c, func_list.c,
   func_geometry.c. To add a function: an id in sql.h, a row here, a case there. */
/* #include "sql.h" */
/* #include "../base/base.h" */

/* All functions, several rows for one name where the number of arguments decides. Searched from the
   top, ASCII case ignored; see taco__func for the letters. */
static const taco__func taco__funcs[] = {
    /* operators; / and // by zero are null */
    {"+", TACO__FUNC_ADD, 2, 2, "*", '?', NULL},
    {"+", TACO__FUNC_PLUS, 1, 1, "n", '=', NULL},
    {"-", TACO__FUNC_SUB, 2, 2, "*", '?', NULL},
    {"-", TACO__FUNC_NEG, 1, 1, "n", '=', NULL},
    {"*", TACO__FUNC_MUL, 2, 2, "*", '?', NULL},
    {"/", TACO__FUNC_DIV, 2, 2, "*", '?', NULL},
    {"//", TACO__FUNC_IDIV, 2, 2, "*", '?', NULL},
    {"%", TACO__FUNC_MOD, 2, 2, "*", '?', NULL},
    {"mod", TACO__FUNC_MOD, 2, 2, "*", '?', NULL},
    {"||", TACO__FUNC_CONCAT_OP, 2, 2, "*", '?', NULL},
    /* LIKE, NOT LIKE, ILIKE, NOT ILIKE; the third argument is that of ESCAPE */
    {"~~", TACO__FUNC_LIKE, 2, 3, "t", 'b', "~~"},
    {"!~~", TACO__FUNC_LIKE, 2, 3, "t", 'b', "!~~"},
    {"~~*", TACO__FUNC_LIKE, 2, 3, "t", 'b', "~~*"},
    {"!~~*", TACO__FUNC_LIKE, 2, 3, "t", 'b', "!~~*"},
    /* which of the arguments: all of them are cast to one type */
    {"coalesce", TACO__FUNC_COALESCE, 1, 255, "*", '?', NULL},
    {"ifnull", TACO__FUNC_COALESCE, 2, 2, "*", '?', NULL},
    {"nullif", TACO__FUNC_NULLIF, 2, 2, "*", '?', NULL},
    {"greatest", TACO__FUNC_GREATEST, 1, 255, "*", '?', NULL},
    {"least", TACO__FUNC_LEAST, 1, 255, "*", '?', NULL},
    {"typeof", TACO__FUNC_TYPEOF, 1, 1, "*", 't', NULL},
    /* texts; positions and lengths are characters, but for strlen and octet_length */
    {"lower", TACO__FUNC_LOWER, 1, 1, "t", 't', NULL},
    {"lcase", TACO__FUNC_LOWER, 1, 1, "t", 't', NULL},
    {"upper", TACO__FUNC_UPPER, 1, 1, "t", 't', NULL},
    {"ucase", TACO__FUNC_UPPER, 1, 1, "t", 't', NULL},
    {"length", TACO__FUNC_LENGTH, 1, 1, "*", 'i', NULL},
    {"len", TACO__FUNC_LENGTH, 1, 1, "*", 'i', NULL},
    {"char_length", TACO__FUNC_LENGTH, 1, 1, "t", 'i', NULL},
    {"character_length", TACO__FUNC_LENGTH, 1, 1, "t", 'i', NULL},
    {"array_length", TACO__FUNC_LENGTH, 1, 1, "l", 'i', NULL},
    {"strlen", TACO__FUNC_STRLEN, 1, 1, "t", 'i', NULL},
    {"octet_length", TACO__FUNC_OCTETS, 1, 1, "B", 'i', NULL},
    {"substr", TACO__FUNC_SUBSTR, 2, 3, "ti", 't', NULL},
    {"substring", TACO__FUNC_SUBSTR, 2, 3, "ti", 't', NULL},
    {"left", TACO__FUNC_LEFT, 2, 2, "ti", 't', NULL},
    {"right", TACO__FUNC_RIGHT, 2, 2, "ti", 't', NULL},
    {"trim", TACO__FUNC_TRIM, 1, 2, "t", 't', NULL},
    {"ltrim", TACO__FUNC_LTRIM, 1, 2, "t", 't', NULL},
    {"rtrim", TACO__FUNC_RTRIM, 1, 2, "t", 't', NULL},
    {"replace", TACO__FUNC_REPLACE, 3, 3, "t", 't', NULL},
    {"contains", TACO__FUNC_CONTAINS, 2, 2, "t", 'b', NULL},
    {"starts_with", TACO__FUNC_STARTS, 2, 2, "t", 'b', NULL},
    {"prefix", TACO__FUNC_STARTS, 2, 2, "t", 'b', NULL},
    {"ends_with", TACO__FUNC_ENDS, 2, 2, "t", 'b', NULL},
    {"suffix", TACO__FUNC_ENDS, 2, 2, "t", 'b', NULL},
    {"concat", TACO__FUNC_CONCAT, 1, 255, "*", 't', NULL},
    {"concat_ws", TACO__FUNC_CONCAT_WS, 2, 255, "*", 't', NULL},
    {"strpos", TACO__FUNC_STRPOS, 2, 2, "t", 'i', NULL},
    {"instr", TACO__FUNC_STRPOS, 2, 2, "t", 'i', NULL},
    {"position", TACO__FUNC_STRPOS, 2, 2, "t", 'i', NULL},
    {"reverse", TACO__FUNC_REVERSE, 1, 1, "t", 't', NULL},
    {"lpad", TACO__FUNC_LPAD, 3, 3, "tit", 't', NULL},
    {"rpad", TACO__FUNC_RPAD, 3, 3, "tit", 't', NULL},
    {"repeat", TACO__FUNC_REPEAT, 2, 2, "ti", 't', NULL},
    {"split_part", TACO__FUNC_SPLIT_PART, 3, 3, "tti", 't', NULL},
    {"ascii", TACO__FUNC_ASCII, 1, 1, "t", 'I', NULL},
    /* numbers */
    {"abs", TACO__FUNC_ABS, 1, 1, "n", '=', NULL},
    {"round", TACO__FUNC_ROUND, 1, 2, "ni", '?', NULL},
    {"floor", TACO__FUNC_FLOOR, 1, 1, "n", '?', NULL},
    {"ceil", TACO__FUNC_CEIL, 1, 1, "n", '?', NULL},
    {"ceiling", TACO__FUNC_CEIL, 1, 1, "n", '?', NULL},
    {"trunc", TACO__FUNC_TRUNC, 1, 1, "n", '?', NULL},
    {"sqrt", TACO__FUNC_SQRT, 1, 1, "d", 'd', NULL},
    {"sign", TACO__FUNC_SIGN, 1, 1, "n", '1', NULL},
    {"isnan", TACO__FUNC_ISNAN, 1, 1, "d", 'b', NULL},
    {"isinf", TACO__FUNC_ISINF, 1, 1, "d", 'b', NULL},
    {"isfinite", TACO__FUNC_ISFINITE, 1, 1, "d", 'b', NULL},
    /* dates: PART takes out what its last column names */
    {"date_part", TACO__FUNC_PART, 2, 2, "tw", '?', NULL},
    {"datepart", TACO__FUNC_PART, 2, 2, "tw", '?', NULL},
    {"year", TACO__FUNC_PART, 1, 1, "w", 'i', "year"},
    {"month", TACO__FUNC_PART, 1, 1, "w", 'i', "month"},
    {"day", TACO__FUNC_PART, 1, 1, "w", 'i', "day"},
    {"dayofmonth", TACO__FUNC_PART, 1, 1, "w", 'i', "day"},
    {"hour", TACO__FUNC_PART, 1, 1, "w", 'i', "hour"},
    {"minute", TACO__FUNC_PART, 1, 1, "w", 'i', "minute"},
    {"second", TACO__FUNC_PART, 1, 1, "w", 'i', "second"},
    {"millisecond", TACO__FUNC_PART, 1, 1, "w", 'i', "millisecond"},
    {"microsecond", TACO__FUNC_PART, 1, 1, "w", 'i', "microsecond"},
    {"dayofweek", TACO__FUNC_PART, 1, 1, "w", 'i', "dow"},
    {"weekday", TACO__FUNC_PART, 1, 1, "w", 'i', "dow"},
    {"isodow", TACO__FUNC_PART, 1, 1, "w", 'i', "isodow"},
    {"dayofyear", TACO__FUNC_PART, 1, 1, "w", 'i', "doy"},
    {"week", TACO__FUNC_PART, 1, 1, "w", 'i', "week"},
    {"weekofyear", TACO__FUNC_PART, 1, 1, "w", 'i', "week"},
    {"quarter", TACO__FUNC_PART, 1, 1, "w", 'i', "quarter"},
    {"isoyear", TACO__FUNC_PART, 1, 1, "w", 'i', "isoyear"},
    {"epoch", TACO__FUNC_EPOCH, 1, 1, "w", 'd', NULL},
    {"epoch_ms", TACO__FUNC_PART, 1, 1, "w", 'i', "epoch_ms"},
    {"epoch_us", TACO__FUNC_PART, 1, 1, "w", 'i', "epoch_us"},
    /* dates: boundaries of a part */
    {"date_trunc", TACO__FUNC_TRUNC_DATE, 2, 2, "tw", '?', NULL},
    {"datetrunc", TACO__FUNC_TRUNC_DATE, 2, 2, "tw", '?', NULL},
    {"date_diff", TACO__FUNC_DATE_DIFF, 3, 3, "tw", 'i', NULL},
    {"datediff", TACO__FUNC_DATE_DIFF, 3, 3, "tw", 'i', NULL},
    {"last_day", TACO__FUNC_LAST_DAY, 1, 1, "w", 'D', NULL},
    {"dayname", TACO__FUNC_DAYNAME, 1, 1, "w", 't', NULL},
    {"monthname", TACO__FUNC_MONTHNAME, 1, 1, "w", 't', NULL},
    {"make_date", TACO__FUNC_MAKE_DATE, 3, 3, "i", 'D', NULL},
    /* lists */
    {"list_contains", TACO__FUNC_HAS, 2, 2, "l*", 'b', NULL},
    {"array_contains", TACO__FUNC_HAS, 2, 2, "l*", 'b', NULL},
    {"list_has", TACO__FUNC_HAS, 2, 2, "l*", 'b', NULL},
    {"list_extract", TACO__FUNC_ELEMENT, 2, 2, "*i", '?', NULL},
    {"list_element", TACO__FUNC_ELEMENT, 2, 2, "*i", '?', NULL},
    {"array_extract", TACO__FUNC_ELEMENT, 2, 2, "*i", '?', NULL},
    /* geometries; DuckDB has these in its spatial extension */
    {"st_geomfromwkb", TACO__FUNC_GEOM, 1, 1, "B", 'g', NULL},
    {"st_makeenvelope", TACO__FUNC_ENVELOPE, 4, 4, "d", 'g', NULL},
    {"st_point", TACO__FUNC_POINT, 2, 2, "d", 'g', NULL},
    {"st_intersects", TACO__FUNC_INTERSECTS, 2, 2, "g", 'b', NULL},
    {"st_within", TACO__FUNC_WITHIN, 2, 2, "g", 'b', NULL},
    {"st_x", TACO__FUNC_X, 1, 1, "g", 'd', NULL},
    {"st_y", TACO__FUNC_Y, 1, 1, "g", 'd', NULL}};

/* The row of a function that takes so many arguments; NULL where there is none, *known telling
   whether the name is one. */
TACO__FN const taco__func *taco__func_find(taco_bytes name, uint32_t args, bool *known)
{
    size_t i;
    *known = false;
    for (i = 0; i < TACO__COUNT(taco__funcs); i++) {
        if (taco__ascii_is_word(name, taco__funcs[i].name)) {
            *known = true;
            if (args >= taco__funcs[i].least && args <= taco__funcs[i].most) {
                return &taco__funcs[i];
            }
        }
    }
    return NULL;
}

/* A null in row i of the result. */
TACO__FN bool taco__func_set_null(taco__func_call *x, size_t i)
{
    if (!taco__vec_init_validity(x->arena, x->out, x->err)) { return false; }
    x->out->valid[i] = 0;
    return true;
}

/* ---- the rest ---- */

/* coalesce, greatest, least, nullif over arguments of one type: which argument each row takes.
   Nulls are passed over; a row where all are null is null. */
static bool taco__func_choose(taco__func_call *x)
{
    taco__vec_builder p;
    size_t i, n = x->out->n;
    uint32_t k;
    if (!taco__vec_builder_init(x->arena, x->out->type, &p, x->err)) { return false; }
    for (i = 0; i < n; i++) {
        uint32_t pick = UINT32_MAX, row = (uint32_t)i;
        for (k = 0; k < (x->id == TACO__FUNC_NULLIF ? 1 : x->n); k++) {
            int c;
            if (!taco__vec_is_valid(&x->a[k], i)) { continue; }
            if (pick == UINT32_MAX) {
                pick = k;
                if (x->id == TACO__FUNC_COALESCE) { break; }
                continue;
            }
            c = taco__vec_compare(&x->a[k], i, &x->a[pick], i);
            pick = (x->id == TACO__FUNC_GREATEST ? c > 0 : c < 0) ? k : pick;
        }
        k = pick == UINT32_MAX ? 0 : pick;
        if (!taco__vec_builder_append(x->arena, &p, &x->a[k], &row, 1, x->err)) { return false; }
    }
    *x->out = p.v;
    return true;
}

/* Runs a function for each row that is not null. */
static bool taco__func_each_row(taco__func_call *x, bool (*row)(taco__func_call *x, size_t i))
{
    size_t i;
    for (i = 0; i < x->out->n; i++) {
        if (taco__vec_is_valid(x->out, i) && !row(x, i)) { return false; }
    }
    return true;
}

/* Hands a call to the file of its subject. Ids of a subject are next to each other in
   taco__func_id. */
static bool taco__func_dispatch(taco__func_call *x)
{
    char name[128];
    char *copy;
    size_t i;
    switch (x->id) {
    case TACO__FUNC_COALESCE:
    case TACO__FUNC_GREATEST:
    case TACO__FUNC_LEAST: return taco__func_choose(x);
    case TACO__FUNC_TYPEOF:
        taco__sql_type_text(x->a[0].type, name, sizeof name);
        copy = taco__arena_text(x->arena, taco__bytes_text(name), x->err);
        for (i = 0; copy && i < x->out->n; i++) {
            x->out->v.s[i] = taco__bytes_text(copy);
        }
        return copy != NULL;
    case TACO__FUNC_CONCAT_OP:
    case TACO__FUNC_CONCAT:
    case TACO__FUNC_CONCAT_WS: return taco__func_text_concat(x);
    case TACO__FUNC_LIKE: return taco__func_text_like(x);
    case TACO__FUNC_HAS: return taco__func_list_run(x);
    case TACO__FUNC_ELEMENT: return taco__func_list_element(x);
    case TACO__FUNC_LENGTH:
        if (taco__sql_type_physical(x->a[0].type) == TACO__PHYS_LIST) {
            return taco__func_list_run(x);
        } /* fall through */
    case TACO__FUNC_STRLEN:
    case TACO__FUNC_OCTETS:
    case TACO__FUNC_ASCII:
    case TACO__FUNC_CONTAINS:
    case TACO__FUNC_STARTS:
    case TACO__FUNC_ENDS:
    case TACO__FUNC_STRPOS: return taco__func_text_to_number(x);
    default: break;
    }
    /* by range: see taco__func_id */
    if (x->id >= TACO__FUNC_LOWER && x->id <= TACO__FUNC_SPLIT_PART) {
        return taco__func_each_row(x, taco__func_text_row);
    }
    if (x->id >= TACO__FUNC_PART && x->id <= TACO__FUNC_EPOCH) {
        return taco__func_each_row(x, taco__func_date_row);
    }
    if (x->id >= TACO__FUNC_GEOM) { return taco__func_geo_run(x); }
    if ((x->id == TACO__FUNC_ADD || x->id == TACO__FUNC_SUB) &&
        x->a[1].type->t.id == TACO_INTERVAL) {
        return taco__func_date_add(x);
    }
    return taco__func_number_run(x);
}

/* Runs a call over n rows: where an argument is null the result is, but for functions that say
   otherwise (coalesce, concat and others). A call of constants alone is computed once and is a
   constant. */
TACO__FN bool taco__func_run(taco__func_call *x, const taco__sql_type *type, size_t n)
{
    bool keep = x->id == TACO__FUNC_COALESCE || x->id == TACO__FUNC_GREATEST ||
                x->id == TACO__FUNC_LEAST || x->id == TACO__FUNC_CONCAT ||
                x->id == TACO__FUNC_CONCAT_WS || x->id == TACO__FUNC_TYPEOF;
    bool constant = x->n > 0;
    uint32_t k;
    size_t i;
    for (k = 0; k < x->n; k++) {
        constant = constant && !x->a[k].step;
    }
    if (!taco__vec_init(x->arena, type, constant ? TACO__MIN(n, (size_t)1) : n, x->out, x->err)) {
        return false;
    }
    /* a null argument makes the row null before the function sees it */
    for (k = 0; !keep && k < x->n; k++) {
        const taco__vec *a = &x->a[k];
        if (!a->valid) { continue; }
        if (!taco__vec_init_validity(x->arena, x->out, x->err)) { return false; }
        for (i = 0; i < x->out->n; i++) {
            x->out->valid[i] = x->out->valid[i] && taco__vec_is_valid(a, i);
        }
    }
    if (!taco__func_dispatch(x)) { return false; }
    if (constant) {
        x->out->step = 0;
        x->out->n = n;
    }
    return true;
}
/* ==== src/sql/func_number.c ==== */
/* func_number.c - arithmetic, rounding, signs: integers, DECIMAL and floating point

   Integers are checked for overflow and fail as DuckDB's do; the result of a division by zero is
   null. DECIMALs are computed in 256 bits and checked against the result's precision.

   Example: 9223372036854775807 + 1 is an error (overflow of BIGINT in +), 1 // 0 is NULL, and
   DECIMAL(4, 1) * DECIMAL(4, 1) is a DECIMAL(8, 2). */
/* #include "sql.h" */
/* #include "../base/base.h" */
/* #include "../base/json.h" */
/* #include "../filter/filter.h" */

/* ---- arithmetic ---- */

/* "overflow of INTEGER in +": the result does not fit its type. */
TACO__FN TACO__COLD bool taco__func_number_fail_overflow(taco__func_call *x)
{
    char type[64];
    taco__sql_type_text(x->out->type, type, sizeof type);
    TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "overflow of %s in %s", type, x->name);
    return false;
}

/* a - b; false on overflow. The sum wraps in unsigned arithmetic, where C defines it. */
TACO__INLINE bool taco__func_number_sub64(int64_t a, int64_t b, int64_t *out)
{
    *out = (int64_t)((uint64_t)a - (uint64_t)b);
    return ((a ^ b) & (a ^ *out)) >= 0;
}

/* a * b; false on overflow. */
static bool taco__func_number_mul64(int64_t a, int64_t b, int64_t *out)
{
    /* the frequent case needs no division */
    if (a >= INT32_MIN && a <= INT32_MAX && b >= INT32_MIN && b <= INT32_MAX) {
        *out = a * b;
        return true;
    }
    if (a == 0 || b == 0) {
        *out = 0;
        return true;
    }
    if (a == -1 || b == -1) { return taco__func_number_sub64(0, a == -1 ? b : a, out); }
    /* a and b are not 0 or -1: the quotients are defined */
    if (b > 0 ? (a > INT64_MAX / b || a < INT64_MIN / b)
              : (a < INT64_MAX / b || a > INT64_MIN / b)) {
        return false;
    }
    *out = a * b;
    return true;
}

/* Smallest and greatest value of an integer type. */
static void taco__func_number_limits(taco_type t, int64_t *lo, int64_t *hi)
{
    static const uint8_t bits[] = {0, 1, 8, 16, 32, 64, 8, 16, 32};
    if (t >= TACO_UINT8 && t <= TACO_UINT32) {
        *lo = 0;
        *hi = (int64_t)(UINT32_MAX >> (32 - bits[t]));
    } else {
        unsigned n = t >= TACO_INT8 && t <= TACO_INT64 ? bits[t] : t == TACO_DATE ? 32 : 64;
        *lo = INT64_MIN >> (64 - n);
        *hi = INT64_MAX >> (64 - n);
    }
}

/* Arithmetic of integers up to 64 bits over a batch, with a check for overflow of the narrower
   type. */
static bool taco__func_number_int(taco__func_call *x)
{
    int64_t lo, hi, r = 0;
    size_t i;
    bool narrow = x->out->type->t.id != TACO_INT64;
    taco__func_number_limits(x->out->type->t.id, &lo, &hi);
    for (i = 0; i < x->out->n; i++) {
        int64_t a, b;
        bool ok = true;
        if (!taco__vec_is_valid(x->out, i)) { continue; }
        a = TACO__FUNC_ARG_INT(0);
        b = x->n > 1 ? TACO__FUNC_ARG_INT(1) : 0;
        switch (x->id) {
        case TACO__FUNC_ADD: ok = taco__func_number_add64(a, b, &r); break;
        case TACO__FUNC_SUB: ok = taco__func_number_sub64(a, b, &r); break;
        case TACO__FUNC_MUL: ok = taco__func_number_mul64(a, b, &r); break;
        case TACO__FUNC_ABS: ok = a >= 0 ? (r = a, true) : taco__func_number_sub64(0, a, &r); break;
        case TACO__FUNC_NEG:
            if (lo == 0) { /* unsigned numbers wrap */
                r = (int64_t)((0 - (uint64_t)a) & (uint64_t)hi);
            } else {
                ok = taco__func_number_sub64(0, a, &r);
            }
            break;
        default: /* // and %; their fractions are cut off */
            if (b == 0) {
                if (!taco__func_set_null(x, i)) { return false; }
                continue;
            }
            /* the quotient may not fit, which is an error of the remainder too */
            if (b == -1) {
                ok = taco__func_number_sub64(0, a, &r) && (!narrow || r <= hi);
                r = x->id == TACO__FUNC_MOD ? 0 : r;
            } else {
                r = x->id == TACO__FUNC_MOD ? a % b : a / b;
            }
            break;
        }
        if (!ok || (narrow && (r < lo || r > hi))) { return taco__func_number_fail_overflow(x); }
        x->out->v.i[i] = r;
    }
    return true;
}

/* round(d, digits), half away from zero; negative digits round in front of the point. Where
   scaling overflows, the number has no such digit: d itself, or 0. */
static double taco__func_number_round_double(double d, int64_t digits)
{
    double m = 1, r;
    int64_t k;
    if (digits == 0) { return taco__math_round(d); }
    digits = TACO__MAX(-400, TACO__MIN(digits, 400));
    for (k = digits < 0 ? -digits : digits; k > 0; k--) {
        m *= 10;
    }
    if (digits < 0) {
        r = taco__math_round(d / m) * m;
        return r - r == 0 ? r : 0;
    }
    r = taco__math_round(d * m) / m;
    return r - r == 0 ? r : d;
}

/* Arithmetic and rounding of FLOAT and DOUBLE over a batch; FLOAT results are rounded to FLOAT. */
static bool taco__func_number_double(taco__func_call *x)
{
    bool single = x->out->type->t.id == TACO_FLOAT;
    size_t i;
    for (i = 0; i < x->out->n; i++) {
        double a, b, r;
        if (!taco__vec_is_valid(x->out, i)) { continue; }
        a = TACO__FUNC_ARG_DOUBLE(0);
        b = x->n > 1 && x->id != TACO__FUNC_ROUND ? TACO__FUNC_ARG_DOUBLE(1) : 0;
        switch (x->id) {
        case TACO__FUNC_ADD: r = a + b; break;
        case TACO__FUNC_SUB: r = a - b; break;
        case TACO__FUNC_MUL: r = a * b; break;
        case TACO__FUNC_IDIV:
            if (b == 0) {
                if (!taco__func_set_null(x, i)) { return false; }
                continue;
            } /* fall through */
        case TACO__FUNC_DIV:
            r = b == 0
                    ? (a == 0 || a != a
                           ? taco__f64_from_bits((uint64_t)0x7FF8 << 48)
                           : taco__f64_from_bits(
                                 (uint64_t)((a < 0) != (taco__f64_to_bits(b) >> 63 != 0) ? 0xFFF0
                                                                                         : 0x7FF0)
                                 << 48))
                    : a / b;
            break;
        case TACO__FUNC_MOD_NULL:
            if (b == 0) {
                if (!taco__func_set_null(x, i)) { return false; }
                continue;
            } /* fall through */
        case TACO__FUNC_MOD: r = taco__math_fmod(a, b); break;
        case TACO__FUNC_ABS: r = taco__f64_from_bits(taco__f64_to_bits(a) & INT64_MAX); break;
        case TACO__FUNC_NEG:
            r = taco__f64_from_bits(taco__f64_to_bits(a) ^ (uint64_t)1 << 63);
            break;
        case TACO__FUNC_FLOOR: r = taco__math_floor(a); break;
        case TACO__FUNC_CEIL: r = -taco__math_floor(-a); break;
        case TACO__FUNC_TRUNC: r = a < 0 ? -taco__math_floor(-a) : taco__math_floor(a); break;
        case TACO__FUNC_SQRT:
            if (a < 0) {
                TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                           "square root of a negative number");
                return false;
            }
            r = taco__math_sqrt(a);
            break;
        default: r = taco__func_number_round_double(a, x->n > 1 ? TACO__FUNC_ARG_INT(1) : 0); break;
        }
        x->out->v.f[i] = single ? (double)(float)r : r;
    }
    return true;
}

/* Magnitudes of up to 128 bits each. */
static taco__i256 taco__func_number_mul_big(taco__i256 a, taco__i256 b)
{
    bool neg = taco__i256_is_negative(&a) != taco__i256_is_negative(&b);
    taco__i256 r = taco__i256_from_i64(0);
    size_t i, j;
    a = taco__i256_is_negative(&a) ? taco__i256_negate(a) : a;
    b = taco__i256_is_negative(&b) ? taco__i256_negate(b) : b;
    for (i = 0; i < 4; i++) {
        uint64_t carry = 0, m = b.w[i / 2] >> (i % 2 * 32) & UINT32_MAX;
        for (j = 0; i + j < 8; j++) {
            size_t at = i + j;
            unsigned s = (unsigned)(at % 2 * 32);
            uint64_t d = j < 4 ? (a.w[j / 2] >> (j % 2 * 32) & UINT32_MAX) : 0,
                     t = d * m + (r.w[at / 2] >> s & UINT32_MAX) + carry;
            r.w[at / 2] = (r.w[at / 2] & ~((uint64_t)UINT32_MAX << s)) | (t & UINT32_MAX) << s;
            carry = t >> 32;
        }
    }
    return neg ? taco__i256_negate(r) : r;
}

/* Quotient towards zero and the rest, bit by bit; b is not 0. */
static taco__i256 taco__func_number_div_big(taco__i256 a, taco__i256 b, taco__i256 *rest)
{
    bool na = taco__i256_is_negative(&a), nb = taco__i256_is_negative(&b);
    taco__i256 q = taco__i256_from_i64(0), r = q;
    int i;
    a = na ? taco__i256_negate(a) : a;
    b = nb ? taco__i256_negate(b) : b;
    for (i = 255; i >= 0; i--) {
        r = taco__i256_add(r, r);
        r.w[0] |= a.w[i / 64] >> (i % 64) & 1;
        if (taco__i256_compare(&r, &b) >= 0) {
            r = taco__i256_add(r, taco__i256_negate(b));
            q.w[i / 64] |= (uint64_t)1 << (i % 64);
        }
    }
    *rest = na ? taco__i256_negate(r) : r;
    return na != nb ? taco__i256_negate(q) : q;
}

/* Rounds a decimal to `digits` fewer digits after the point: floor, ceil, trunc, or round, which
   goes away from zero at a half. The result has the smaller scale: 2.75 with one digit fewer is 28
   at scale 1. */
static taco__i256 taco__func_number_round_decimal(taco__i256 a, int32_t digits, uint32_t id)
{
    taco__i256 q = taco__i256_div10(a, digits, id == TACO__FUNC_ROUND), back = q;
    if (id == TACO__FUNC_FLOOR || id == TACO__FUNC_CEIL) {
        int c;
        taco__i256_mul10(&back, digits);
        c = taco__i256_compare(&back, &a);
        if (id == TACO__FUNC_FLOOR && c > 0) {
            q = taco__i256_add(q, taco__i256_from_i64(-1));
        } else if (id == TACO__FUNC_CEIL && c < 0) {
            q = taco__i256_add(q, taco__i256_from_i64(1));
        }
    }
    return q;
}

/* Arithmetic and rounding of DECIMAL, HUGEINT and UBIGINT over a batch. The binder gave both
   operands the scale that the operation needs. */
static bool taco__func_number_decimal(taco__func_call *x)
{
    const taco__scalar_type *t = &x->out->type->t;
    taco__i256 zero = taco__i256_from_i64(0), rest;
    size_t i;
    for (i = 0; i < x->out->n; i++) {
        taco__i256 a, b = zero, r;
        if (!taco__vec_is_valid(x->out, i)) { continue; }
        a = TACO__FUNC_ARG_BIG(0);
        b = x->n > 1 && x->id != TACO__FUNC_ROUND ? TACO__FUNC_ARG_BIG(1) : zero;
        switch (x->id) {
        case TACO__FUNC_ADD: r = taco__i256_add(a, b); break;
        case TACO__FUNC_SUB: r = taco__i256_add(a, taco__i256_negate(b)); break;
        case TACO__FUNC_MUL: r = taco__func_number_mul_big(a, b); break;
        case TACO__FUNC_ABS: r = taco__i256_is_negative(&a) ? taco__i256_negate(a) : a; break;
        case TACO__FUNC_NEG:
            r = taco__i256_negate(a);
            if (t->id == TACO_UINT64) { /* wraps */
                r = taco__i256_from_u64(r.w[0]);
            }
            break;
        case TACO__FUNC_IDIV:
        case TACO__FUNC_MOD:
            if (taco__i256_compare(&b, &zero) == 0) {
                if (!taco__func_set_null(x, i)) { return false; }
                continue;
            }
            r = taco__func_number_div_big(a, b, &rest);
            r = x->id == TACO__FUNC_MOD ? rest : r;
            break;
        default:
            r = taco__func_number_round_decimal(a, x->a[0].type->t.scale - t->scale, x->id);
            break;
        }
        if (!taco__cast_fits(t, &r)) { return taco__func_number_fail_overflow(x); }
        x->out->v.d[i] = r;
    }
    return true;
}

/* round(BIGINT, -n) */
static bool taco__func_number_round_int(taco__func_call *x)
{
    size_t i;
    for (i = 0; i < x->out->n; i++) {
        int64_t digits = x->n > 1 && taco__vec_is_valid(x->out, i) ? TACO__FUNC_ARG_INT(1) : 0;
        taco__i256 r;
        if (!taco__vec_is_valid(x->out, i)) { continue; }
        r = taco__i256_from_i64(TACO__FUNC_ARG_INT(0));
        if (digits < 0) {
            r = digits < -30 ? taco__i256_from_i64(0) : taco__i256_div10(r, (int32_t)-digits, true);
            if (digits >= -30) { taco__i256_mul10(&r, (int32_t)-digits); }
        }
        if (!taco__cast_fits(&x->out->type->t, &r)) { return taco__func_number_fail_overflow(x); }
        x->out->v.i[i] = (int64_t)r.w[0];
    }
    return true;
}

/* -1, 0 or 1; 0 for NaN. */
static bool taco__func_number_sign(taco__func_call *x)
{
    size_t i;
    for (i = 0; i < x->out->n; i++) {
        double d = taco__vec_is_valid(x->out, i) ? taco__cast_to_double(&x->a[0], i, false) : 0;
        x->out->v.i[i] = (d > 0) - (d < 0);
    }
    return true;
}

/* Runs a numeric function over a batch, in the form that its result has. */
TACO__FN bool taco__func_number_run(taco__func_call *x)
{
    size_t i;
    switch (x->id) {
    case TACO__FUNC_SIGN: return taco__func_number_sign(x);
    case TACO__FUNC_ISNAN:
    case TACO__FUNC_ISINF:
    case TACO__FUNC_ISFINITE:
        for (i = 0; i < x->out->n; i++) {
            double d = taco__vec_is_valid(x->out, i) ? TACO__FUNC_ARG_DOUBLE(0) : 0;
            bool finite = d - d == 0;
            x->out->v.i[i] = x->id == TACO__FUNC_ISNAN   ? d != d
                             : x->id == TACO__FUNC_ISINF ? !finite && d == d
                                                         : finite;
        }
        return true;
    case TACO__FUNC_PLUS: *x->out = x->a[0]; return taco__vec_flatten(x->arena, x->out, x->err);
    default: break;
    }
    if (taco__sql_type_physical(x->out->type) == TACO__PHYS_DBL) {
        return taco__func_number_double(x);
    }
    if (taco__sql_type_physical(x->out->type) == TACO__PHYS_BIG) {
        return taco__func_number_decimal(x);
    }
    return x->id == TACO__FUNC_ROUND || x->id == TACO__FUNC_TRUNC ? taco__func_number_round_int(x)
                                                                  : taco__func_number_int(x);
}
/* ==== src/sql/func_text.c ==== */
/* func_text.c - functions of texts: case, parts, search, padding, LIKE, concatenation

   Texts are UTF-8. Positions and lengths count characters (code points), as DuckDB's do; bytes
   that are no UTF-8 count one by one and are kept as they are. Parts of a text share its bytes.
   What a function may make of one value is limited (TACO__FUNC_MAX_TEXT): repeat(s, 1000000000) is
   an error. */
/* #include "sql.h" */
/* #include "../base/base.h" */
/* #include "../filter/filter.h" */

/* ---- text ---- */

/* Characters of a text: bytes that are no continuation of one. */
TACO__FN size_t taco__func_text_length(taco_bytes s)
{
    size_t i, n = 0;
    for (i = 0; i < s.len; i++) {
        n += (s.data[i] & 0xC0) != 0x80;
    }
    return n;
}

/* Where the character is that comes k after the one at byte `at`; the end when there are fewer. */
static size_t taco__func_text_skip(taco_bytes s, size_t at, size_t k)
{
    for (; k && at < s.len; k--) {
        at += taco__like_char_width(s, at);
    }
    return at;
}

/* Bytes [from, to) of a text; empty where they are the wrong way round. */
static taco_bytes taco__func_text_slice(taco_bytes s, size_t from, size_t to)
{
    return from < to ? taco__bytes_of(s.data + from, to - from) : taco__bytes_of(s.data, 0);
}

/* Characters [from, to) counted from 0, cut to those there are; the bytes are shared. */
TACO__FN taco_bytes taco__func_text_range(taco_bytes s, int64_t from, int64_t to)
{
    size_t a, b;
    from = TACO__MAX(from, 0);
    if (to <= from) { return taco__bytes_of(s.data, 0); }
    a = taco__func_text_skip(s, 0, (size_t)TACO__MIN(from, (int64_t)s.len));
    b = taco__func_text_skip(s, a, (size_t)TACO__MIN(to - from, (int64_t)s.len));
    return taco__func_text_slice(s, a, b);
}

/* substr: 1 is the first character, negative positions count from the end; a negative length goes
   left. Examples: substr('hello', 2, 3) is ell, substr('hello', -3) is llo, substr('hello', 4, -2)
   is el. Position 0 is one before the first and takes one of the length. */
static taco_bytes taco__func_text_substr(taco_bytes s, int64_t at, int64_t len, bool has_len)
{
    int64_t n = (int64_t)taco__func_text_length(s), limit = INT64_C(1) << 40, from, to;
    at = TACO__MAX(-limit, TACO__MIN(at, limit));
    len = has_len ? TACO__MAX(-limit, TACO__MIN(len, limit)) : limit;
    from = at > 0 ? at - 1 : at < 0 ? n + at : 0;
    if (at == 0 && has_len) { /* position 0 takes one of the length */
        len -= len > 0;
    }
    if (from < 0) { /* what lies in front of the text is counted and not there */
        len = has_len && len > 0 ? TACO__MAX(len + from, 0) : len;
        from = 0;
    }
    to = from + len;
    return len < 0 ? taco__func_text_range(s, to, from) : taco__func_text_range(s, from, to);
}

/* Writes a character as UTF-8, up to 4 bytes; returns how many. */
static size_t taco__func_text_write_char(uint8_t *p, uint32_t c)
{
    if (c < 0x80) {
        p[0] = (uint8_t)c;
        return 1;
    }
    if (c < 0x800) {
        p[0] = (uint8_t)(0xC0 | c >> 6);
        p[1] = (uint8_t)(0x80 | (c & 63));
        return 2;
    }
    if (c < 0x10000) {
        p[0] = (uint8_t)(0xE0 | c >> 12);
        p[1] = (uint8_t)(0x80 | (c >> 6 & 63));
        p[2] = (uint8_t)(0x80 | (c & 63));
        return 3;
    }
    p[0] = (uint8_t)(0xF0 | c >> 18);
    p[1] = (uint8_t)(0x80 | (c >> 12 & 63));
    p[2] = (uint8_t)(0x80 | (c >> 6 & 63));
    p[3] = (uint8_t)(0x80 | (c & 63));
    return 4;
}

/* The upper case is the character whose lower case it is. */
static uint32_t taco__func_text_upper_char(uint32_t c)
{
    size_t i;
    if (c < 0x80) { return c >= 'a' && c <= 'z' ? c - 32 : c; }
    for (i = 0; i < TACO__COUNT(taco__like_case_ranges); i++) {
        uint32_t u = (uint32_t)((int32_t)c - taco__like_case_ranges[i].delta);
        if (u >= taco__like_case_ranges[i].first && u <= taco__like_case_ranges[i].last &&
            (u - taco__like_case_ranges[i].first) % taco__like_case_ranges[i].step == 0) {
            return u;
        }
    }
    return c;
}

/* lower and upper by simple case mapping. A character may need one byte more in the other case, at
   most twice as many. */
static bool taco__func_text_change_case(taco__func_call *x, taco_bytes s, taco_bytes *out)
{
    size_t i, n = 0, room;
    uint8_t *p;
    if (!taco__checked_mul_size(s.len, 2, &room)) { return false; }
    /* no simple mapping makes a character more than twice as long */
    p = (uint8_t *)taco__arena_alloc(x->arena, room + 4, x->err);
    for (i = 0; p && i < s.len;) {
        size_t w = taco__like_char_width(s, i);
        uint32_t c = taco__like_char_at(s, i, w);
        if (c > 0x10FFFF) { /* broken bytes stay */
            memcpy(p + n, s.data + i, w);
            n += w;
        } else {
            n += taco__func_text_write_char(p + n, x->id == TACO__FUNC_UPPER
                                                       ? taco__func_text_upper_char(c)
                                                       : taco__like_lower(c));
        }
        i += w;
    }
    *out = taco__bytes_of(p, n);
    return p != NULL;
}

/* Whether the w bytes of a character at s[at] are one of the characters of a set. */
static bool taco__func_text_is_in_set(taco_bytes set, taco_bytes s, size_t at, size_t w)
{
    size_t i;
    for (i = 0; i < set.len; i += taco__like_char_width(set, i)) {
        if (taco__like_char_width(set, i) == w && memcmp(set.data + i, s.data + at, w) == 0) {
            return true;
        }
    }
    return false;
}

/* The text without characters of the set at its ends: trim('xaxbx', 'x') is axb. Characters of the
   set are whole code points, not bytes. */
static taco_bytes taco__func_text_trim(taco_bytes s, taco_bytes set, bool left, bool right)
{
    size_t from = 0, to = s.len;
    while (left && from < to &&
           taco__func_text_is_in_set(set, s, from, taco__like_char_width(s, from))) {
        from += taco__like_char_width(s, from);
    }
    /* back to the first byte of the last character */
    while (right && from < to) {
        size_t at = to - 1;
        while (at > from && (s.data[at] & 0xC0) == 0x80) {
            at--;
        }
        if (!taco__func_text_is_in_set(set, s, at, to - at)) { break; }
        to = at;
    }
    return taco__func_text_slice(s, from, to);
}

/* Where `what` first occurs at or after `from`; SIZE_MAX where it does not. */
static size_t taco__func_text_find(taco_bytes s, size_t from,
                                   taco_bytes what) /* SIZE_MAX: not there */
{
    size_t i;
    for (i = from; what.len <= s.len && i <= s.len - what.len; i++) {
        if (what.len == 0 || memcmp(s.data + i, what.data, what.len) == 0) { return i; }
    }
    return SIZE_MAX;
}

#define TACO__FUNC_MAX_TEXT ((uint64_t)1 << 28) /* bytes of one text a function may make */

/* A LIMIT error: the result would pass TACO__FUNC_MAX_TEXT. */
static TACO__COLD bool taco__func_text_fail_too_long(taco__func_call *x)
{
    TACO__FAIL(x->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "%s would make a text of more than %u bytes",
               x->name, TACO__FUNC_MAX_TEXT);
    return false;
}

/* All occurrences of `what` replaced, from left to right and not within what was put in. They are
   counted first, so that the result is allocated once. An empty `what` occurs nowhere. */
static bool taco__func_text_replace(taco__func_call *x, taco_bytes s, taco_bytes what,
                                    taco_bytes with, taco_bytes *out)
{
    size_t i, at, hits = 0, n = 0;
    uint8_t *p;
    for (i = 0; what.len && (at = taco__func_text_find(s, i, what)) != SIZE_MAX;
         i = at + what.len) {
        hits++;
    }
    if ((uint64_t)hits * with.len + s.len > TACO__FUNC_MAX_TEXT) {
        return taco__func_text_fail_too_long(x);
    }
    p = (uint8_t *)taco__arena_alloc(x->arena, s.len + hits * with.len, x->err);
    for (i = 0; p && i < s.len;) {
        at = hits ? taco__func_text_find(s, i, what) : SIZE_MAX;
        at = at == SIZE_MAX ? s.len : at;
        memcpy(p + n, s.data + i, at - i);
        n += at - i;
        i = at;
        if (at < s.len) {
            if (with.len) { memcpy(p + n, with.data, with.len); }
            n += with.len;
            i += what.len;
        }
    }
    *out = taco__bytes_of(p, n);
    return p != NULL;
}

/* lpad and rpad to `want` characters: lpad('7', 3, '0') is 007, and rpad('a', 4, 'xy') axyx. A
   longer text is cut to its first `want` characters in both. */
static bool taco__func_text_pad(taco__func_call *x, taco_bytes s, int64_t want, taco_bytes pad,
                                taco_bytes *out)
{
    int64_t have = (int64_t)taco__func_text_length(s), more, k;
    size_t at = 0, n = 0;
    uint8_t *p;
    bool left = x->id == TACO__FUNC_LPAD;
    if (want <= have) {
        *out = taco__func_text_range(s, 0, want);
        return true;
    }
    if (!pad.len) {
        TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "nothing to pad with");
        return false;
    }
    more = want - have;
    if ((uint64_t)more > TACO__FUNC_MAX_TEXT / 4) { return taco__func_text_fail_too_long(x); }
    p = (uint8_t *)taco__arena_alloc(x->arena, s.len + (size_t)more * 4, x->err);
    if (!p) { return false; }
    if (!left && s.len) {
        memcpy(p, s.data, s.len);
        n = s.len;
    }
    for (k = 0; k < more; k++) {
        size_t w = taco__like_char_width(pad, at);
        memcpy(p + n, pad.data + at, w);
        n += w;
        at = at + w >= pad.len ? 0 : at + w;
    }
    if (left && s.len) {
        memcpy(p + n, s.data, s.len);
        n += s.len;
    }
    *out = taco__bytes_of(p, n);
    return true;
}

/* The text `times` times; empty for none or fewer. */
static bool taco__func_text_repeat(taco__func_call *x, taco_bytes s, int64_t times, taco_bytes *out)
{
    uint8_t *p;
    size_t k;
    *out = taco__bytes_of(s.data, 0);
    if (times <= 0 || s.len == 0) { return true; }
    if ((uint64_t)times > TACO__FUNC_MAX_TEXT / s.len) { return taco__func_text_fail_too_long(x); }
    p = (uint8_t *)taco__arena_alloc(x->arena, s.len * (size_t)times, x->err);
    for (k = 0; p && k < (size_t)times; k++) {
        memcpy(p + k * s.len, s.data, s.len);
    }
    *out = taco__bytes_of(p, s.len * (size_t)times);
    return p != NULL;
}

/* Characters that belong to the one before: combining marks, variation selectors, joiners. */
static bool taco__func_text_is_combining(uint32_t c)
{
    return (c >= 0x300 && c <= 0x36F) || (c >= 0xFE00 && c <= 0xFE0F) || c == 0x200D ||
           (c >= 0x1F3FB && c <= 0x1F3FF) || (c >= 0x20D0 && c <= 0x20FF);
}

/* The characters in reverse order. A character and what combines with it stay together, as in
   DuckDB, which reverses grapheme clusters; this covers accents, variation selectors and joined
   emoji, not all of Unicode's rules. */
static bool taco__func_text_reverse(taco__func_call *x, taco_bytes s, taco_bytes *out)
{
    uint8_t *p = (uint8_t *)taco__arena_alloc(x->arena, s.len, x->err);
    size_t i, w;
    for (i = 0; p && i < s.len; i += w) {
        uint32_t c;
        w = taco__like_char_width(s, i);
        /* what combines with this character moves with it */
        while (i + w < s.len) {
            size_t next = taco__like_char_width(s, i + w);
            c = taco__like_char_at(s, i + w, next);
            if (!taco__func_text_is_combining(c)) { break; }
            w += next;
            if (c == 0x200D && i + w < s.len) { w += taco__like_char_width(s, i + w); }
        }
        memcpy(p + s.len - i - w, s.data + i, w);
    }
    *out = taco__bytes_of(p, s.len);
    return p != NULL;
}

/* Part k of the text between separators, from 1, or from the end for negative k:
   split_part('a-b-c', '-', 2) is b, with -1 it is c, with 5 it is empty. An empty separator splits
   nothing. */
static taco_bytes taco__func_text_split_part(taco_bytes s, taco_bytes by, int64_t k)
{
    size_t i = 0, at;
    int64_t parts = 1;
    if (!by.len) { return k == 1 || k == -1 ? s : taco__bytes_of(s.data, 0); }
    for (; (at = taco__func_text_find(s, i, by)) != SIZE_MAX; i = at + by.len) {
        parts++;
    }
    k = k < 0 ? parts + k + 1 : k;
    for (i = 0; k > 0 && k <= parts; k--) {
        at = taco__func_text_find(s, i, by);
        at = at == SIZE_MAX ? s.len : at;
        if (k == 1) { return taco__func_text_slice(s, i, at); }
        i = at + by.len;
    }
    return taco__bytes_of(s.data, 0);
}

/* Row i of functions that make a text of a text. */
TACO__FN bool taco__func_text_row(taco__func_call *x, size_t i)
{
    static const uint8_t space[] = {' '};
    taco_bytes s = TACO__FUNC_ARG_TEXT(0), *out = &x->out->v.s[i];
    int64_t k;
    switch (x->id) {
    case TACO__FUNC_LOWER:
    case TACO__FUNC_UPPER: return taco__func_text_change_case(x, s, out);
    case TACO__FUNC_SUBSTR:
        *out = taco__func_text_substr(s, TACO__FUNC_ARG_INT(1),
                                      x->n > 2 ? TACO__FUNC_ARG_INT(2) : 0, x->n > 2);
        return true;
    case TACO__FUNC_LEFT:
        k = TACO__FUNC_ARG_INT(1);
        *out = taco__func_text_range(
            s, 0,
            k < 0 ? (int64_t)taco__func_text_length(s) + TACO__MAX(k, -(INT64_C(1) << 40)) : k);
        return true;
    case TACO__FUNC_RIGHT: {
        int64_t n = (int64_t)taco__func_text_length(s);
        k = TACO__FUNC_ARG_INT(1);
        *out = taco__func_text_range(
            s, k < 0 ? TACO__MIN(n, -TACO__MAX(k, -(INT64_C(1) << 40))) : n - TACO__MIN(n, k), n);
        return true;
    }
    case TACO__FUNC_TRIM:
    case TACO__FUNC_LTRIM:
    case TACO__FUNC_RTRIM:
        *out = taco__func_text_trim(s, x->n > 1 ? TACO__FUNC_ARG_TEXT(1) : taco__bytes_of(space, 1),
                                    x->id != TACO__FUNC_RTRIM, x->id != TACO__FUNC_LTRIM);
        return true;
    case TACO__FUNC_REPLACE:
        return taco__func_text_replace(x, s, TACO__FUNC_ARG_TEXT(1), TACO__FUNC_ARG_TEXT(2), out);
    case TACO__FUNC_LPAD:
    case TACO__FUNC_RPAD:
        return taco__func_text_pad(x, s, TACO__FUNC_ARG_INT(1), TACO__FUNC_ARG_TEXT(2), out);
    case TACO__FUNC_REPEAT: return taco__func_text_repeat(x, s, TACO__FUNC_ARG_INT(1), out);
    case TACO__FUNC_REVERSE: return taco__func_text_reverse(x, s, out);
    default:
        *out = taco__func_text_split_part(s, TACO__FUNC_ARG_TEXT(1), TACO__FUNC_ARG_INT(2));
        return true;
    }
}

/* LIKE and its kin over a batch. A constant pattern was compiled by the binder; others are
   compiled for each row. */
TACO__FN bool taco__func_text_like(taco__func_call *x)
{
    const taco__like_pattern *ready = (const taco__like_pattern *)x->plan;
    bool neg = x->name[0] == '!', icase = x->name[strlen(x->name) - 1] == '*';
    taco__like_pattern k;
    size_t i;
    for (i = 0; i < x->out->n; i++) {
        if (!taco__vec_is_valid(x->out, i)) { continue; }
        if (!ready) {
            memset(&k, 0, sizeof k);
            k.icase = icase;
            if (x->n > 2) {
                taco_bytes esc = TACO__FUNC_ARG_TEXT(2);
                if (esc.len > 1) {
                    TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                               "ESCAPE takes one character, found %q", &esc);
                    return false;
                }
                k.has_escape = esc.len == 1;
                k.escape = esc.len ? esc.data[0] : 0;
            }
            if (!taco__like_compile(&k, x->arena, TACO__FUNC_ARG_TEXT(1), x->err)) { return false; }
        }
        x->out->v.i[i] = taco__like_match(ready ? ready : &k, TACO__FUNC_ARG_TEXT(0)) != neg;
    }
    return true;
}

/* Integers and booleans of texts: lengths, positions (from 1; 0 for not there), tests. */
TACO__FN bool taco__func_text_to_number(taco__func_call *x)
{
    size_t i, at;
    for (i = 0; i < x->out->n; i++) {
        taco_bytes s, t = taco__bytes_of(NULL, 0);
        int64_t r = 0;
        if (!taco__vec_is_valid(x->out, i)) { continue; }
        s = TACO__FUNC_ARG_TEXT(0);
        t = x->n > 1 ? TACO__FUNC_ARG_TEXT(1) : t;
        switch (x->id) {
        case TACO__FUNC_LENGTH: r = (int64_t)taco__func_text_length(s); break;
        case TACO__FUNC_STRLEN:
        case TACO__FUNC_OCTETS: r = (int64_t)s.len; break;
        case TACO__FUNC_ASCII:
            r = s.len ? (int64_t)taco__like_char_at(s, 0, taco__like_char_width(s, 0)) : 0;
            break;
        case TACO__FUNC_CONTAINS: r = taco__like_contains(s, t); break;
        case TACO__FUNC_STARTS:
            r = s.len >= t.len && (!t.len || memcmp(s.data, t.data, t.len) == 0);
            break;
        case TACO__FUNC_ENDS:
            r = s.len >= t.len && (!t.len || memcmp(s.data + (s.len - t.len), t.data, t.len) == 0);
            break;
        default:
            at = taco__func_text_find(s, 0, t);
            r = at == SIZE_MAX ? 0
                               : (int64_t)taco__func_text_length(taco__bytes_of(s.data, at)) + 1;
            break;
        }
        x->out->v.i[i] = r;
    }
    return true;
}

/* concat, concat_ws and ||: nulls are left out by the first two, and make the result of || null.
   All arguments are text by now. The bytes are counted first, so that each result is one
   allocation. */
TACO__FN bool taco__func_text_concat(taco__func_call *x)
{
    bool ws = x->id == TACO__FUNC_CONCAT_WS;
    size_t i;
    for (i = 0; i < x->out->n; i++) {
        uint64_t total = 0;
        uint32_t k, any = 0;
        taco_bytes sep = taco__bytes_of(NULL, 0);
        uint8_t *p;
        size_t n = 0;
        if (!taco__vec_is_valid(x->out, i)) { continue; }
        if (ws) {
            if (!taco__vec_is_valid(&x->a[0], i)) {
                if (!taco__func_set_null(x, i)) { return false; }
                continue;
            }
            sep = TACO__FUNC_ARG_TEXT(0);
        }
        for (k = ws; k < x->n; k++) {
            total += taco__vec_is_valid(&x->a[k], i) ? TACO__FUNC_ARG_TEXT(k).len + sep.len : 0;
        }
        if (total > TACO__FUNC_MAX_TEXT) { return taco__func_text_fail_too_long(x); }
        p = (uint8_t *)taco__arena_alloc(x->arena, (size_t)total, x->err);
        for (k = ws; p && k < x->n; k++) {
            taco_bytes s;
            if (!taco__vec_is_valid(&x->a[k], i)) { continue; }
            s = TACO__FUNC_ARG_TEXT(k);
            if (any++ && sep.len) {
                memcpy(p + n, sep.data, sep.len);
                n += sep.len;
            }
            if (s.len) {
                memcpy(p + n, s.data, s.len);
                n += s.len;
            }
        }
        x->out->v.s[i] = taco__bytes_of(p, n);
        if (!p) { return false; }
    }
    return true;
}
/* ==== src/sql/func_date.c ==== */
/* func_date.c - functions of DATE and TIMESTAMP: parts, truncation, differences, sums

   Every value is split into days since 1970 and microseconds of the day, so that one code serves
   all units; the calendar is the proleptic Gregorian one (base/datetime.c). Instants are taken as
   UTC. */
/* #include "sql.h" */
/* #include "../base/base.h" */
/* #include "../filter/filter.h" */

/* The part of a date of that name (taco__date_part), or -1. */
TACO__FN int taco__func_date_find_part(taco_bytes b) /* -1: none */
{
    static const char *const names[] = {
        "year",        "month",   "day",    "hour",     "minute",  "second",  "millisecond",
        "microsecond", "dow",     "isodow", "doy",      "week",    "quarter", "decade",
        "century",     "isoyear", "epoch",  "epoch_ms", "epoch_us"};

    static const struct {
        const char *name;
        uint8_t part;
    } more[] = {{"years", 0},       {"y", 0},
                {"yr", 0},          {"months", 1},
                {"mon", 1},         {"days", 2},
                {"d", 2},           {"dayofmonth", 2},
                {"hours", 3},       {"h", 3},
                {"hr", 3},          {"minutes", 4},
                {"min", 4},         {"m", 4},
                {"seconds", 5},     {"sec", 5},
                {"s", 5},           {"milliseconds", 6},
                {"ms", 6},          {"microseconds", 7},
                {"us", 7},          {"dayofweek", 8},
                {"weekday", 8},     {"dayofyear", 10},
                {"weeks", 11},      {"w", 11},
                {"weekofyear", 11}, {"quarters", 12},
                {"decades", 13}};

    size_t i;
    for (i = 0; i < TACO__COUNT(names); i++) {
        if (taco__ascii_is_word(b, names[i])) { return (int)i; }
    }
    for (i = 0; i < TACO__COUNT(more); i++) {
        if (taco__ascii_is_word(b, more[i].name)) { return more[i].part; }
    }
    return -1;
}

/* Day and microsecond of the day of a DATE or TIMESTAMP. */
static void taco__func_date_split(const taco__vec *v, size_t i, int64_t *day, int64_t *micros)
{
    int64_t x = v->v.i[i * v->step], per;
    if (v->type->t.id == TACO_DATE) {
        *day = x;
        *micros = 0;
        return;
    }
    per = (int64_t)taco__time_units_per_second(v->type->t.unit);
    if (v->type->t.unit == TACO_NANO) { /* DuckDB cuts nanoseconds off towards zero */
        x /= 1000;
        per = 1000000;
    }
    *day = taco__time_floor_div(x, per * 86400);
    *micros = taco__time_floor_mod(x, per * 86400) * (1000000 / per);
}

/* ISO 8601: weeks begin on Monday, and the week that holds the year's first Thursday is the first.
   So 2021-01-03 lies in week 53 of 2020, and *year is 2020. */
static int64_t taco__func_date_iso_week(int64_t day, int64_t *year)
{
    int64_t thursday = day - taco__time_floor_mod(day + 3, 7) + 3;
    taco__time_civil c = taco__time_date_from_days(thursday);
    *year = c.year;
    return (thursday - taco__time_days_from_date(c.year, 1, 1)) / 7 + 1;
}

/* A part of an instant, given as day since 1970 and microsecond of the day. */
static int64_t taco__func_date_extract(int part, int64_t day, int64_t us)
{
    taco__time_civil c = taco__time_date_from_days(day);
    int64_t year;
    switch (part) {
    case TACO__DATE_PART_YEAR: return c.year;
    case TACO__DATE_PART_MONTH: return c.month;
    case TACO__DATE_PART_DAY: return c.day;
    case TACO__DATE_PART_HOUR: return us / 3600000000LL;
    case TACO__DATE_PART_MINUTE: return us / 60000000 % 60;
    case TACO__DATE_PART_SECOND: return us / 1000000 % 60;
    case TACO__DATE_PART_MILLI: return us / 1000 % 60000;
    case TACO__DATE_PART_MICRO: return us % 60000000;
    case TACO__DATE_PART_DOW: return taco__time_floor_mod(day + 4, 7);
    case TACO__DATE_PART_ISODOW: return taco__time_floor_mod(day + 3, 7) + 1;
    case TACO__DATE_PART_DOY: return day - taco__time_days_from_date(c.year, 1, 1) + 1;
    case TACO__DATE_PART_WEEK: return taco__func_date_iso_week(day, &year);
    case TACO__DATE_PART_QUARTER: return (c.month - 1) / 3 + 1;
    case TACO__DATE_PART_DECADE: return c.year / 10;
    case TACO__DATE_PART_CENTURY: return c.year > 0 ? (c.year - 1) / 100 + 1 : c.year / 100 - 1;
    case TACO__DATE_PART_ISOYEAR: taco__func_date_iso_week(day, &year); return year;
    case TACO__DATE_PART_EPOCH_MS: return (day * 86400000000LL + us) / 1000; /* towards 1970 */
    default: return day * 86400000000LL + us;
    }
}

/* The microsecond since 1970 at which the part of the instant began: the first of the month,
   Monday, the first day of the quarter. False where that is before what 64 bits hold. */
static bool taco__func_date_trunc(int part, int64_t day, int64_t us, int64_t *out)
{
    taco__time_civil c = taco__time_date_from_days(day);
    taco__i256 big;
    switch (part) {
    case TACO__DATE_PART_YEAR:
        day = taco__time_days_from_date(c.year, 1, 1);
        us = 0;
        break;
    case TACO__DATE_PART_MONTH:
        day = taco__time_days_from_date(c.year, c.month, 1);
        us = 0;
        break;
    case TACO__DATE_PART_QUARTER:
        day = taco__time_days_from_date(c.year, (c.month - 1) / 3 * 3 + 1, 1);
        us = 0;
        break;
    case TACO__DATE_PART_DECADE:
        day = taco__time_days_from_date(c.year / 10 * 10, 1, 1);
        us = 0;
        break;
    case TACO__DATE_PART_CENTURY:
        day = taco__time_days_from_date(c.year / 100 * 100, 1, 1);
        us = 0;
        break;
    case TACO__DATE_PART_WEEK:
        day -= taco__time_floor_mod(day + 3, 7);
        us = 0;
        break;
    case TACO__DATE_PART_HOUR: us -= us % 3600000000LL; break;
    case TACO__DATE_PART_MINUTE: us -= us % 60000000; break;
    case TACO__DATE_PART_SECOND: us -= us % 1000000; break;
    case TACO__DATE_PART_MILLI: us -= us % 1000; break;
    case TACO__DATE_PART_MICRO: break;
    default: us = 0; break;
    }
    big = taco__i256_from_i64(day * 86400);
    taco__i256_mul10(&big, 6);
    big = taco__i256_add(big, taco__i256_from_i64(us));
    *out = (int64_t)big.w[0];
    return taco__i256_is_i64(&big);
}

/* How many boundaries of the part lie between two instants, day and microsecond each:
   date_diff('year', DATE '2020-12-31', DATE '2021-01-01') is 1. Negative where b is before a. */
static int64_t taco__func_date_diff(int part, const int64_t a[2], const int64_t b[2])
{
    taco__time_civil x = taco__time_date_from_days(a[0]), y = taco__time_date_from_days(b[0]);
    int64_t per;
    switch (part) {
    case TACO__DATE_PART_YEAR: return y.year - x.year;
    case TACO__DATE_PART_DECADE: return y.year / 10 - x.year / 10;
    case TACO__DATE_PART_MONTH: return (y.year - x.year) * 12 + y.month - x.month;
    case TACO__DATE_PART_QUARTER:
        return (y.year * 12 + y.month - 1) / 3 - (x.year * 12 + x.month - 1) / 3;
    case TACO__DATE_PART_DAY: return b[0] - a[0];
    case TACO__DATE_PART_WEEK:
        return taco__time_floor_div(b[0] + 3, 7) - taco__time_floor_div(a[0] + 3, 7);
    case TACO__DATE_PART_HOUR: per = 3600000000LL; break;
    case TACO__DATE_PART_MINUTE: per = 60000000; break;
    case TACO__DATE_PART_SECOND: per = 1000000; break;
    case TACO__DATE_PART_MILLI: per = 1000; break;
    default: per = 1; break;
    }
    return (b[0] - a[0]) * (86400000000LL / per) + b[1] / per - a[1] / per;
}

/* Row i of a call of a date function. The part that it takes was found when it was bound. */
TACO__FN bool taco__func_date_row(taco__func_call *x, size_t i)
{
    static const char *const days[] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                       "Thursday", "Friday", "Saturday"};
    static const char *const months[] = {"January",   "February", "March",    "April",
                                         "May",       "June",     "July",     "August",
                                         "September", "October",  "November", "December"};
    const int *part = (const int *)x->plan;
    int64_t a[2] = {0, 0}, b[2];
    taco__time_civil c;
    if (x->id != TACO__FUNC_MAKE_DATE) {
        taco__func_date_split(&x->a[x->id == TACO__FUNC_DATE_DIFF ? 1 : x->n - 1], i, &a[0], &a[1]);
    }
    switch (x->id) {
    case TACO__FUNC_PART:
        if (*part == TACO__DATE_PART_EPOCH) {
            x->out->v.f[i] = (double)a[0] * 86400 + (double)a[1] / 1e6;
        } else {
            x->out->v.i[i] = taco__func_date_extract(*part, a[0], a[1]);
        }
        return true;
    case TACO__FUNC_EPOCH: /* divided once; days that are no timestamp would overflow */
        x->out->v.f[i] = !x->a[0].type->t.utc && a[0] < 106751991 && a[0] > -106751991
                             ? (double)(a[0] * 86400000000LL + a[1]) / 1e6
                             : (double)(a[0] * 86400) + (double)a[1] / 1e6;
        return true;
    case TACO__FUNC_TRUNC_DATE:
        return taco__func_date_trunc(*part, a[0], a[1], &x->out->v.i[i]) ||
               taco__func_number_fail_overflow(x);
    case TACO__FUNC_DATE_DIFF:
        taco__func_date_split(&x->a[2], i, &b[0], &b[1]);
        x->out->v.i[i] = taco__func_date_diff(*part, a, b);
        return true;
    case TACO__FUNC_LAST_DAY:
        c = taco__time_date_from_days(a[0]);
        x->out->v.i[i] =
            taco__time_days_from_date(c.year, c.month, taco__time_days_in_month(c.year, c.month));
        return true;
    case TACO__FUNC_DAYNAME:
        x->out->v.s[i] = taco__bytes_text(days[taco__time_floor_mod(a[0] + 4, 7)]);
        return true;
    case TACO__FUNC_MONTHNAME:
        x->out->v.s[i] = taco__bytes_text(months[taco__time_date_from_days(a[0]).month - 1]);
        return true;
    default: { /* MAKE_DATE */
        int64_t y = TACO__FUNC_ARG_INT(0), m = TACO__FUNC_ARG_INT(1), d = TACO__FUNC_ARG_INT(2);
        if (y < -5000000 || y > 5000000 || m < 1 || m > 12 || d < 1 ||
            d > taco__time_days_in_month(y, (int32_t)m)) {
            TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "no such date: %d-%d-%d", y, m, d);
            return false;
        }
        x->out->v.i[i] = taco__time_days_from_date(y, (int32_t)m, (int32_t)d);
        return true;
    }
    }
}

/* DATE and TIMESTAMP plus and minus intervals, as TIMESTAMP of microseconds. Months are added
   first, and the day is cut to the month's last: DATE '2024-01-31' + INTERVAL 1 MONTH is
   2024-02-29. Then days, then the rest. */
TACO__FN bool taco__func_date_add(taco__func_call *x)
{
    size_t i;
    for (i = 0; i < x->out->n; i++) {
        int64_t day, us, months;
        taco__sql_interval v;
        taco__time_civil c;
        taco__i256 big;
        bool minus = x->id == TACO__FUNC_SUB;
        if (!taco__vec_is_valid(x->out, i)) { continue; }
        memcpy(&v, TACO__FUNC_ARG_TEXT(1).data, sizeof v);
        taco__func_date_split(&x->a[0], i, &day, &us);
        /* months first, and the day is cut to the last of the month */
        if (v.months) {
            c = taco__time_date_from_days(day);
            months = c.year * 12 + c.month - 1 + (minus ? -(int64_t)v.months : v.months);
            c.year = taco__time_floor_div(months, 12);
            c.month = (int32_t)taco__time_floor_mod(months, 12) + 1;
            c.day = TACO__MIN(c.day, taco__time_days_in_month(c.year, c.month));
            day = taco__time_days_from_date(c.year, c.month, c.day);
        }
        day += minus ? -(int64_t)v.days : v.days;
        big = taco__i256_from_i64(day * 86400);
        taco__i256_mul10(&big, 6);
        big = taco__i256_add(big, taco__i256_from_i64(us));
        big = taco__i256_add(big, taco__i256_from_i64(minus ? -v.micros : v.micros));
        if (!taco__i256_is_i64(&big)) { return taco__func_number_fail_overflow(x); }
        x->out->v.i[i] = (int64_t)big.w[0];
    }
    return true;
}
/* ==== src/sql/func_list.c ==== */
/* func_list.c - functions of lists: length, search, elements, slices

   Indices are SQL's: 1 is the first element, -1 the last. An element outside is null, a slice
   outside is empty. Elements and slices of texts (text[1:3]) are here too.

   Example: with l = [10, 20, 30], l[1] is 10, l[-1] is 30, l[4] is NULL, l[2:3] is [20, 30]. */
/* #include "sql.h" */
/* #include "../base/base.h" */

/* ---- lists ---- */

/* Where an index of SQL points to in n elements: SIZE_MAX when outside. 1 is the first, -1 the
   last; 0 is outside. */
static size_t taco__func_list_position(int64_t k, size_t n)
{
    if (k > 0 && (uint64_t)k <= n) { return (size_t)k - 1; }
    if (k < 0 && k >= -(int64_t)n) { return (size_t)((int64_t)n + k); }
    return SIZE_MAX;
}

/* value[k] of lists and texts: null where a list has no such element, empty where a text has no
   such character. */
TACO__FN bool taco__func_list_element(taco__func_call *x)
{
    const taco__vec *v = &x->a[0];
    uint32_t *idx;
    size_t i;
    if (v->type->t.id == TACO_TEXT) {
        for (i = 0; i < x->out->n; i++) {
            if (taco__vec_is_valid(x->out, i)) {
                taco_bytes s = TACO__FUNC_ARG_TEXT(0);
                size_t at =
                    taco__func_list_position(TACO__FUNC_ARG_INT(1), taco__func_text_length(s));
                x->out->v.s[i] = at == SIZE_MAX
                                     ? taco__bytes_of(s.data, 0)
                                     : taco__func_text_range(s, (int64_t)at, (int64_t)at + 1);
            }
        }
        return true;
    }
    idx = (uint32_t *)taco__arena_array(x->arena, x->out->n, sizeof *idx, x->err);
    for (i = 0; idx && i < x->out->n; i++) {
        idx[i] = TACO__VEC_NONE;
        if (taco__vec_is_valid(x->out, i)) {
            taco__sql_list_span s = v->v.l[i * v->step];
            size_t at = taco__func_list_position(TACO__FUNC_ARG_INT(1), s.len);
            idx[i] = at == SIZE_MAX ? TACO__VEC_NONE : s.at + (uint32_t)at;
        }
    }
    return idx && taco__vec_take(x->arena, &v->kids[0], idx, x->out->n, x->out, x->err);
}

/* value[from:to], both ends included, each may be NULL for open: as [*from, *to) from 0. False
   where nothing is left. Negative ends count from the last element. */
static bool taco__func_list_slice_bounds(taco__func_call *x, size_t i, int64_t n, int64_t *from,
                                         int64_t *to)
{
    bool open_from = x->a[1].type->t.id == TACO_NULL, open_to = x->a[2].type->t.id == TACO_NULL;
    int64_t a = open_from ? 1 : TACO__FUNC_ARG_INT(1), b = open_to ? n : TACO__FUNC_ARG_INT(2);
    a = a < 0 ? TACO__MAX(n + a + 1, 1) : a == 0 ? 1 : a;
    b = b < 0 ? n + b + 1 : b;
    *from = a - 1;
    *to = TACO__MIN(b, n);
    return *from < *to;
}

/* value[from:to] over a batch. Slices of lists share the child of the list. */
TACO__FN bool taco__func_list_slice(taco__func_call *x)
{
    const taco__vec *v = &x->a[0];
    size_t i;
    int64_t from, to;
    if (v->type->t.id != TACO_TEXT) { x->out->kids = v->kids; }
    for (i = 0; i < x->out->n; i++) {
        if (!taco__vec_is_valid(x->out, i)) { continue; }
        if (v->type->t.id == TACO_TEXT) {
            taco_bytes s = TACO__FUNC_ARG_TEXT(0);
            x->out->v.s[i] =
                taco__func_list_slice_bounds(x, i, (int64_t)taco__func_text_length(s), &from, &to)
                    ? taco__func_text_range(s, from, to)
                    : taco__bytes_of(s.data, 0);
        } else {
            taco__sql_list_span s = v->v.l[i * v->step];
            bool some = taco__func_list_slice_bounds(x, i, s.len, &from, &to);
            x->out->v.l[i].at = some ? s.at + (uint32_t)from : s.at;
            x->out->v.l[i].len = some ? (uint32_t)(to - from) : 0;
        }
    }
    return true;
}

/* len(list) and list_contains(list, value). */
TACO__FN bool taco__func_list_run(taco__func_call *x)
{
    const taco__vec *v = &x->a[0];
    size_t i, k;
    for (i = 0; i < x->out->n; i++) {
        taco__sql_list_span s;
        if (!taco__vec_is_valid(x->out, i)) { continue; }
        s = v->v.l[i * v->step];
        if (x->id == TACO__FUNC_LENGTH) {
            x->out->v.i[i] = (int64_t)s.len;
            continue;
        }
        for (k = 0; k < s.len; k++) {
            if (taco__vec_is_valid(&v->kids[0], s.at + k) &&
                taco__vec_compare(&v->kids[0], s.at + k, &x->a[1], i) == 0) {
                x->out->v.i[i] = 1;
                break;
            }
        }
    }
    return true;
}
/* ==== src/sql/func_geometry.c ==== */
/* func_geometry.c - ST_* functions on WKB geometries and boxes (OGC 06-103r4)

   A geometry is WKB bytes. The tests, ST_Intersects and ST_Within, work with a box that
   ST_MakeEnvelope made; the geometry itself is tested exactly (geo/intersect.c). Where the
   geometry is a column and the box a constant, pushdown.c makes the test a filter of the scan. */
/* #include "sql.h" */
/* #include "../base/base.h" */
/* #include "../geo/geo.h" */

/* ---- geometry ---- */

/* True when a WKB is a box: one ring of five corners along the axes, as ST_MakeEnvelope makes it,
   little-endian. Other polygons that happen to be boxes are not known as such. */
TACO__FN bool taco__func_geo_parse_box(taco_bytes s, double box[4])
{
    double xy[10];
    size_t i;
    if (s.len != 93 || s.data[0] != 1 || taco__load_le32(s.data + 1) != TACO__WKB_POLYGON ||
        taco__load_le32(s.data + 5) != 1 || taco__load_le32(s.data + 9) != 5) {
        return false;
    }
    for (i = 0; i < 10; i++) {
        xy[i] = taco__f64_from_bits(taco__load_le64(s.data + 13 + i * 8));
    }
    box[0] = xy[0];
    box[1] = xy[1];
    box[2] = xy[4];
    box[3] = xy[5];
    return xy[2] == xy[0] && xy[3] == xy[5] && xy[6] == xy[4] && xy[7] == xy[1] && xy[8] == xy[0] &&
           xy[9] == xy[1];
}

/* A point as 21 bytes of little-endian WKB: byte order, type, x, y. */
static bool taco__func_geo_make_point(taco__func_call *x, double a, double b, taco_bytes *out)
{
    uint8_t *p = (uint8_t *)taco__arena_alloc(x->arena, 21, x->err);
    if (p) {
        p[0] = 1;
        taco__put_le32(p + 1, TACO__WKB_POINT);
        taco__put_le64(p + 5, taco__f64_to_bits(a));
        taco__put_le64(p + 13, taco__f64_to_bits(b));
    }
    *out = taco__bytes_of(p, 21);
    return p != NULL;
}

/* A box as 93 bytes of WKB: a polygon of one ring with five corners, clockwise from the lower
   left. taco__func_geo_parse_box knows it again. */
static bool taco__func_geo_make_envelope(taco__func_call *x, const double b[4], taco_bytes *out)
{
    static const uint8_t corner[10] = {0, 1, 0, 3, 2, 3, 2, 1, 0, 1};
    uint8_t *p = (uint8_t *)taco__arena_alloc(x->arena, 93, x->err);
    size_t i;
    if (p) {
        p[0] = 1;
        taco__put_le32(p + 1, TACO__WKB_POLYGON);
        taco__put_le32(p + 5, 1);
        taco__put_le32(p + 9, 5);
        for (i = 0; i < 10; i++) {
            taco__put_le64(p + 13 + i * 8, taco__f64_to_bits(b[corner[i]]));
        }
    }
    *out = taco__bytes_of(p, 93);
    return p != NULL;
}

/* Within a box: no position outside, and some of the inside reached, not only the edge. A line
   along an edge of the box is therefore not within it, as OGC has it: the interiors must meet. */
static bool taco__func_geo_within(taco_bytes wkb, const double b[4], bool *hit, taco_error *err)
{
    taco__wkb_reader w;
    taco__wkb_item item;
    bool all = true, inner = false, any = false;
    *hit = false;
    taco__wkb_reader_init(&w, wkb);
    for (;;) {
        size_t i;
        double px = 0, py = 0;
        if (taco__wkb_next(&w, &item, err) != TACO_OK) { return false; }
        if (item.what == TACO__WKB_DONE) {
            *hit = all && any && inner;
            return true;
        }
        for (i = 0; item.what == TACO__WKB_RUN && i < item.n; i++) {
            double gx = taco__wkb_coordinate(item.xy + i * item.stride, item.big),
                   gy = taco__wkb_coordinate(item.xy + i * item.stride + 8, item.big);
            if (item.type == TACO__WKB_POINT && (gx != gx || gy != gy)) {
                continue; /* POINT EMPTY */
            }
            any = true;
            all = all && gx >= b[0] && gx <= b[2] && gy >= b[1] && gy <= b[3];
            inner = inner || item.type == TACO__WKB_POLYGON ||
                    (gx > b[0] && gx < b[2] && gy > b[1] && gy < b[3]);
            /* between two edges it crosses the inside */
            if (i && item.type == TACO__WKB_LINESTRING) {
                inner = inner || !((px == gx && (gx == b[0] || gx == b[2])) ||
                                   (py == gy && (gy == b[1] || gy == b[3])));
            }
            px = gx;
            py = gy;
        }
    }
}

/* ST_X and ST_Y of row i: null for an empty point, an error for what is no point. */
static bool taco__func_geo_coordinate(taco__func_call *x, size_t i)
{
    taco__wkb_reader w;
    taco__wkb_item item;
    bool found = false;
    double d = 0;
    taco__wkb_reader_init(&w, TACO__FUNC_ARG_TEXT(0));
    for (;;) {
        if (taco__wkb_next(&w, &item, x->err) != TACO_OK) { return false; }
        if (item.what == TACO__WKB_DONE) { break; }
        if (item.what == TACO__WKB_BEGIN && item.type != TACO__WKB_POINT) {
            TACO__FAIL(x->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "%s takes points, found a %s",
                       x->name, taco__wkb_type_name(item.type));
            return false;
        }
        if (item.what == TACO__WKB_RUN && item.n) {
            d = taco__wkb_coordinate(item.xy + (x->id == TACO__FUNC_Y ? 8 : 0), item.big);
            found = d == d;
        }
    }
    x->out->v.f[i] = d;
    return found || taco__func_set_null(x, i);
}

/* Runs an ST_* function over a batch. */
TACO__FN bool taco__func_geo_run(taco__func_call *x)
{
    size_t i, k;
    for (i = 0; i < x->out->n; i++) {
        double b[4];
        bool hit = false, ok, first;
        if (!taco__vec_is_valid(x->out, i)) { continue; }
        switch (x->id) {
        case TACO__FUNC_GEOM: x->out->v.s[i] = TACO__FUNC_ARG_TEXT(0); continue;
        case TACO__FUNC_X:
        case TACO__FUNC_Y:
            if (!taco__func_geo_coordinate(x, i)) { return false; }
            continue;
        case TACO__FUNC_POINT:
        case TACO__FUNC_ENVELOPE:
            for (k = 0; k < x->n; k++) {
                b[k] = TACO__FUNC_ARG_DOUBLE(k);
            }
            if (!(x->n == 2 ? taco__func_geo_make_point(x, b[0], b[1], &x->out->v.s[i])
                            : taco__func_geo_make_envelope(x, b, &x->out->v.s[i]))) {
                return false;
            }
            continue;
        default: break;
        }
        /* the box is the second argument, or for ST_Intersects the first; it may differ from row
           to row */
        first = !taco__func_geo_parse_box(TACO__FUNC_ARG_TEXT(1), b);
        if (first &&
            (x->id == TACO__FUNC_WITHIN || !taco__func_geo_parse_box(TACO__FUNC_ARG_TEXT(0), b))) {
            TACO__FAIL(x->err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                       "%s works with a box of ST_MakeEnvelope only", x->name);
            return false;
        }
        {
            double box[4];
            taco_bytes g = first ? TACO__FUNC_ARG_TEXT(1) : TACO__FUNC_ARG_TEXT(0);
            ok = taco__intersect_normalize_box(b, box, x->err) == TACO_OK &&
                 (x->id == TACO__FUNC_WITHIN
                      ? taco__func_geo_within(g, box, &hit, x->err)
                      : taco__intersect_wkb_box(g, box, &hit, x->err) == TACO_OK);
        }
        if (!ok) { return false; }
        x->out->v.i[i] = hit;
    }
    return true;
}
/* ==== src/sql/aggregates.c ==== */
/* aggregates.c - aggregates: one state for each group, updated by batches

   An aggregate has one state for each group. There are three kinds: running ones (COUNT, SUM, AVG,
   STDDEV, BOOL_AND) keep numbers; MIN, MAX, FIRST, LAST, ANY_VALUE keep one value in `pile`;
   collectors (MEDIAN, quantiles, LIST, and everything with DISTINCT) keep all values, with the
   group of each, and are computed at the end. Call taco__aggregate_reserve for the groups there
   are, then taco__aggregate_add for each batch, then taco__aggregate_finish.

   Example: sum(v) FILTER (v > 0) over the numbers 0, 1, 0 of groups adds v to the states of the
   rows with v > 0 alone; the others keep theirs. */
/* #include "sql.h" */
/* #include "../base/base.h" */
/* #include "../base/json.h" */
/* #include "../filter/filter.h" */

static const struct {
    const char *name;
    uint8_t id;
} taco__aggregate_names[] = {{"count", TACO__AGGREGATE_COUNT},
                             {"sum", TACO__AGGREGATE_SUM},
                             {"avg", TACO__AGGREGATE_AVG},
                             {"mean", TACO__AGGREGATE_AVG},
                             {"min", TACO__AGGREGATE_MIN},
                             {"max", TACO__AGGREGATE_MAX},
                             {"first", TACO__AGGREGATE_FIRST},
                             {"arbitrary", TACO__AGGREGATE_FIRST},
                             {"any_value", TACO__AGGREGATE_ANY},
                             {"last", TACO__AGGREGATE_LAST},
                             {"stddev", TACO__AGGREGATE_STDDEV},
                             {"stddev_samp", TACO__AGGREGATE_STDDEV},
                             {"stddev_pop", TACO__AGGREGATE_STDDEV_POP},
                             {"variance", TACO__AGGREGATE_VAR},
                             {"var_samp", TACO__AGGREGATE_VAR},
                             {"var_pop", TACO__AGGREGATE_VAR_POP},
                             {"bool_and", TACO__AGGREGATE_AND},
                             {"bool_or", TACO__AGGREGATE_OR},
                             {"count_if", TACO__AGGREGATE_COUNT_IF},
                             {"countif", TACO__AGGREGATE_COUNT_IF},
                             {"median", TACO__AGGREGATE_MEDIAN},
                             {"quantile_cont", TACO__AGGREGATE_CONT},
                             {"quantile_disc", TACO__AGGREGATE_DISC},
                             {"quantile", TACO__AGGREGATE_DISC},
                             {"list", TACO__AGGREGATE_LIST},
                             {"array_agg", TACO__AGGREGATE_LIST}};

/* The id of the aggregate of that name, in any case; 0 for a name that is no aggregate. */
TACO__FN uint8_t taco__aggregate_find(taco_bytes name)
{
    size_t i;
    for (i = 0; i < TACO__COUNT(taco__aggregate_names); i++) {
        if (taco__ascii_is_word(name, taco__aggregate_names[i].name)) {
            return taco__aggregate_names[i].id;
        }
    }
    return 0;
}

/* Whether all values of a group are kept until the end: quantiles and LIST need them, DISTINCT
   sorts them first. */
static bool taco__aggregate_is_collector(const taco__aggregate *a)
{
    return a->id >= TACO__AGGREGATE_MEDIAN || a->distinct;
}

/* Whether a state refers to one value in the pile rather than to numbers of its own. */
static bool taco__aggregate_stores_value(const taco__aggregate *a)
{
    return a->id >= TACO__AGGREGATE_MIN && a->id <= TACO__AGGREGATE_LAST;
}

/* Room for the states of n groups; new ones are zero. Must be called before taco__aggregate_add
   with groups up to n, and makes the pile when it is called first. */
TACO__FN bool taco__aggregate_reserve(taco__aggregate *a, taco__arena *arena, size_t n,
                                      taco_error *err)
{
    taco__aggregate_state *s;
    size_t cap;
    if (!a->piled && (taco__aggregate_is_collector(a) || taco__aggregate_stores_value(a))) {
        if (!taco__vec_builder_init(arena, &a->arg, &a->pile, err)) { return false; }
        a->groups.mem = arena->mem;
        a->piled = true;
    }
    if (n <= a->cap) { return true; }
    cap = TACO__MAX(n, a->cap * 2);
    s = (taco__aggregate_state *)taco__arena_array(arena, cap, sizeof *s, err);
    if (!s) { return false; }
    if (a->cap) { memcpy(s, a->states, a->cap * sizeof *s); }
    a->states = s;
    a->cap = cap;
    return true;
}

/* Puts row i of v into the pile, for a group that has a value already over that one where the size
   allows: numbers are overwritten, texts and lists appended, the old ones being lost until the
   end. */
static bool taco__aggregate_store(taco__aggregate *a, taco__arena *arena, taco__aggregate_state *s,
                                  const taco__vec *v, size_t i, taco_error *err)
{
    taco__physical_type p = taco__sql_type_physical(v->type);
    uint32_t row = (uint32_t)i;
    bool ok = taco__vec_is_valid(v, i);
    if (s->n++ && (p == TACO__PHYS_INT || p == TACO__PHYS_DBL || p == TACO__PHYS_BIG)) {
        size_t at = (size_t)s->i;
        a->pile.v.valid[at] = ok;
        i *= v->step;
        if (!ok) { return true; }
        if (p == TACO__PHYS_INT) {
            a->pile.v.v.i[at] = v->v.i[i];
        } else if (p == TACO__PHYS_DBL) {
            a->pile.v.v.f[at] = v->v.f[i];
        } else {
            a->pile.v.v.d[at] = v->v.d[i];
        }
        return true;
    }
    s->i = (int64_t)a->pile.v.n;
    return taco__vec_builder_append(arena, &a->pile, v, &row, 1, err);
}

/* MIN, MAX, FIRST, LAST and ANY_VALUE: row i of v takes the place of the value its group has,
   where it comes before that in the order of the aggregate. FIRST and LAST take nulls too. */
static bool taco__aggregate_offer(taco__aggregate *a, taco__arena *arena, taco__aggregate_state *s,
                                  const taco__vec *v, size_t i, taco_error *err)
{
    int c;
    if (a->id == TACO__AGGREGATE_FIRST) {
        return s->n ? true : taco__aggregate_store(a, arena, s, v, i, err);
    }
    if (a->id == TACO__AGGREGATE_LAST) { return taco__aggregate_store(a, arena, s, v, i, err); }
    if (!taco__vec_is_valid(v, i) || (a->id == TACO__AGGREGATE_ANY && s->n)) { return true; }
    c = s->n ? taco__vec_compare(v, i, &a->pile.v, (size_t)s->i) : 0;
    if (!s->n || (a->id == TACO__AGGREGATE_MIN ? c < 0 : c > 0)) {
        return taco__aggregate_store(a, arena, s, v, i, err);
    }
    return true;
}

/* Welford's update: s->f is the mean so far, s->g the sum of squared distances from it. It loses
   no digits where the values are large and near each other. */
static void taco__aggregate_add_moment(taco__aggregate_state *s, double x)
{
    double step, mean;
    s->n++;
    step = (x - s->f) / (double)s->n;
    mean = s->f + step;
    s->g += (x - mean) * (x - s->f);
    s->f = mean;
}

/* SUM and AVG. Integers are added up in s->i and carried over into s->d, of 256 bits, only when
   that overflows. */
static void taco__aggregate_add_sum(taco__aggregate_state *s, const taco__vec *v, size_t i)
{
    int64_t sum;
    s->n++;
    i *= v->step;
    switch (taco__sql_type_physical(v->type)) {
    case TACO__PHYS_DBL: s->f += v->v.f[i]; break;
    case TACO__PHYS_INT: /* in 64 bits as long as they last */
        if (!taco__func_number_add64(s->i, v->v.i[i], &sum)) {
            s->d = taco__i256_add(s->d, taco__i256_from_i64(s->i));
            sum = v->v.i[i];
        }
        s->i = sum;
        break;
    default: s->d = taco__i256_add(s->d, v->v.d[i]); break;
    }
}

/* Adds row i of v to its group. */
static bool taco__aggregate_add_value(taco__aggregate *a, taco__arena *arena,
                                      taco__aggregate_state *s, const taco__vec *v, size_t i,
                                      taco_error *err)
{
    if (taco__aggregate_stores_value(a)) { return taco__aggregate_offer(a, arena, s, v, i, err); }
    if (!taco__vec_is_valid(v, i)) { return true; }
    switch (a->id) {
    case TACO__AGGREGATE_COUNT: s->n++; return true;
    case TACO__AGGREGATE_COUNT_IF: s->n += v->v.i[i * v->step] != 0; return true;
    case TACO__AGGREGATE_SUM:
    case TACO__AGGREGATE_AVG: taco__aggregate_add_sum(s, v, i); return true;
    case TACO__AGGREGATE_AND:
    case TACO__AGGREGATE_OR:
        if (!s->n++) {
            s->i = v->v.i[i * v->step];
        } else {
            s->i = a->id == TACO__AGGREGATE_AND ? s->i && v->v.i[i * v->step]
                                                : s->i || v->v.i[i * v->step];
        }
        return true;
    default: taco__aggregate_add_moment(s, v->v.f[i * v->step]); return true;
    }
}

/* Whether a collector takes row i: nulls only where the aggregate shows them. */
static bool taco__aggregate_collects(const taco__aggregate *a, const taco__vec *v, size_t i)
{
    if (taco__vec_is_valid(v, i) || a->id == TACO__AGGREGATE_LIST) { return true; }
    return !a->distinct && (a->id == TACO__AGGREGATE_FIRST || a->id == TACO__AGGREGATE_LAST);
}

/* Puts rows into the pile of a collector, and their groups beside it. */
static bool taco__aggregate_collect(taco__aggregate *a, taco__arena *arena, const taco__vec *v,
                                    const uint32_t *group, const uint8_t *keep, size_t n,
                                    taco_error *err)
{
    size_t i;
    for (i = 0; i < n; i++) {
        uint32_t row = (uint32_t)i;
        if ((!keep || keep[i]) && taco__aggregate_collects(a, v, i) &&
            (!taco__vec_builder_append(arena, &a->pile, v, &row, 1, err) ||
             !taco__buf_append(&a->groups, &group[i], sizeof group[i], err))) {
            return false;
        }
    }
    return true;
}

/* n rows: row i belongs to group[i]; keep (may be NULL) says which rows count. v is NULL for
   COUNT(*). */
TACO__FN bool taco__aggregate_add(taco__aggregate *a, taco__arena *arena, const taco__vec *v,
                                  const uint32_t *group, const uint8_t *keep, size_t n,
                                  taco_error *err)
{
    size_t i;
    if (a->id == TACO__AGGREGATE_COUNT_STAR) {
        for (i = 0; i < n; i++) {
            a->states[group[i]].n += !keep || keep[i];
        }
        return true;
    }
    if (taco__aggregate_is_collector(a)) {
        return taco__aggregate_collect(a, arena, v, group, keep, n, err);
    }
    for (i = 0; i < n; i++) {
        if ((!keep || keep[i]) &&
            !taco__aggregate_add_value(a, arena, &a->states[group[i]], v, i, err)) {
            return false;
        }
    }
    return true;
}

/* ---- results ---- */

static int taco__aggregate_compare_rows(const void *ctx, const void *a, const void *b)
{
    const taco__vec *v = (const taco__vec *)ctx;
    return taco__vec_compare_nulls(v, *(const uint32_t *)a, v, *(const uint32_t *)b);
}

/* Sorts rows of a vector by value, nulls last, equal ones in their order. */
static void taco__aggregate_sort_rows(const taco__vec *v, uint32_t *idx, uint32_t *tmp, size_t n)
{
    taco__sort(idx, tmp, n, sizeof *idx, taco__aggregate_compare_rows, v);
}

/* A point between two sorted values, in the result's type: with n values the quantile q is at (n -
   1) * q, between its two neighbours by the fraction. Texts take the lower one. */
static bool taco__aggregate_quantile(const taco__aggregate *a, taco__arena *arena,
                                     const uint32_t *idx, size_t n, taco__vec *out, size_t g,
                                     taco_error *err)
{
    double at = (double)(n - 1) * a->q, floor = taco__math_floor(at), part = at - floor;
    uint32_t ends[2];
    taco__vec lo, hi;
    ends[0] = idx[(size_t)floor];
    ends[1] = idx[TACO__MIN((size_t)floor + (part > 0), n - 1)];
    if (!taco__vec_take(arena, &a->pile.v, &ends[0], 1, &lo, err) ||
        !taco__vec_take(arena, &a->pile.v, &ends[1], 1, &hi, err) ||
        !taco__cast_vector(arena, &lo, &a->result, false, &lo, err) ||
        !taco__cast_vector(arena, &hi, &a->result, false, &hi, err)) {
        return false;
    }
    switch (taco__sql_type_physical(&a->result)) {
    case TACO__PHYS_DBL:
        out->v.f[g] = part > 0 ? lo.v.f[0] * (1.0 - part) + hi.v.f[0] * part : lo.v.f[0];
        if (a->result.t.id == TACO_FLOAT) {
            out->v.f[g] =
                part > 0 ? (double)(float)(lo.v.f[0] + (hi.v.f[0] - lo.v.f[0]) * part) : lo.v.f[0];
        }
        return true;
    case TACO__PHYS_BIG: {
        /* DuckDB cuts the step off up to 18 digits, the sum beyond */
        taco__i256 delta = taco__i256_add(hi.v.d[0], taco__i256_negate(lo.v.d[0])), step;
        bool wide = a->result.t.precision > 18;
        double d = taco__scalar_i256_to_double(&delta, false) * part;
        d += wide ? taco__scalar_i256_to_double(&lo.v.d[0], false) : 0;
        d = d < 0 ? -taco__math_floor(-d) : taco__math_floor(d);
        out->v.d[g] = lo.v.d[0];
        if (part > 0 && taco__cast_double_to_int(d, &step)) {
            out->v.d[g] = wide ? step : taco__i256_add(lo.v.d[0], step);
        }
        return true;
    }
    case TACO__PHYS_INT:
        out->v.i[g] = lo.v.i[0] + (int64_t)((double)(hi.v.i[0] - lo.v.i[0]) * part);
        return true;
    default: out->v.s[g] = lo.v.s[0]; return true;
    }
}

/* The result of group g is null: of a group without a value. */
static bool taco__aggregate_set_null(taco__arena *arena, taco__vec *out, size_t g, taco_error *err)
{
    if (!taco__vec_init_validity(arena, out, err)) { return false; }
    out->valid[g] = 0;
    return true;
}

/* Leaves one of each equal values among the rows idx[0..n), in their order; returns how many. */
static size_t taco__aggregate_unique(const taco__aggregate *a, uint32_t *idx, uint32_t *tmp,
                                     size_t n)
{
    size_t i, m = 0;
    taco__aggregate_sort_rows(&a->pile.v, idx, tmp, n);
    for (i = 0; i < n; i++) {
        if (!i || taco__vec_compare_nulls(&a->pile.v, idx[i], &a->pile.v, idx[m - 1]) != 0) {
            idx[m++] = idx[i];
        }
    }
    return m;
}

/* quantile_disc: one of the sorted values idx[0..n), the first that at least the share q is not
   above. */
static bool taco__aggregate_discrete(const taco__aggregate *a, taco__arena *arena,
                                     const uint32_t *idx, size_t n, taco__vec *out, size_t g,
                                     taco_error *err)
{
    double rest = taco__math_floor((double)n - (double)n * a->q);
    size_t at = n - (size_t)TACO__MAX(0.0, TACO__MIN(rest, (double)n));
    uint32_t row = idx[TACO__MAX(at, (size_t)1) - 1];
    taco__vec one;
    if (!taco__vec_take(arena, &a->pile.v, &row, 1, &one, err)) { return false; }
    switch (taco__sql_type_physical(&a->result)) {
    case TACO__PHYS_DBL: out->v.f[g] = one.v.f[0]; break;
    case TACO__PHYS_BIG: out->v.d[g] = one.v.d[0]; break;
    case TACO__PHYS_STR: out->v.s[g] = one.v.s[0]; break;
    default: out->v.i[g] = one.v.i[0]; break;
    }
    return true;
}

/* One group of a collector: the rows idx[0..n) of the pile. Of a running aggregate with DISTINCT
   the values are added to its state. */
static bool taco__aggregate_group_result(taco__aggregate *a, taco__arena *arena, uint32_t *idx,
                                         uint32_t *tmp, size_t n, size_t g, taco__vec *out,
                                         taco_error *err)
{
    size_t i;
    n = a->distinct ? taco__aggregate_unique(a, idx, tmp, n) : n;
    switch (a->id) {
    case TACO__AGGREGATE_LIST:
        out->v.l[g].at = (uint32_t)out->kids[0].n;
        out->v.l[g].len = (uint32_t)n;
        return n ? true : taco__aggregate_set_null(arena, out, g, err);
    case TACO__AGGREGATE_MEDIAN:
    case TACO__AGGREGATE_CONT:
    case TACO__AGGREGATE_DISC:
        if (!n) { return taco__aggregate_set_null(arena, out, g, err); }
        taco__aggregate_sort_rows(&a->pile.v, idx, tmp, n);
        return a->id == TACO__AGGREGATE_DISC || taco__sql_type_physical(&a->arg) == TACO__PHYS_STR
                   ? taco__aggregate_discrete(a, arena, idx, n, out, g, err)
                   : taco__aggregate_quantile(a, arena, idx, n, out, g, err);
    default:
        for (i = 0; i < n; i++) {
            if (!taco__aggregate_add_value(a, arena, &a->states[g], &a->pile.v, idx[i], err)) {
                return false;
            }
        }
        return true;
    }
}

/* Variances and standard deviations; of a sample null for one value, of a population for none. */
static bool taco__aggregate_spread_result(taco__aggregate *a, taco__arena *arena, size_t g,
                                          taco__vec *out, taco_error *err)
{
    const taco__aggregate_state *s = &a->states[g];
    bool pop = a->id == TACO__AGGREGATE_VAR_POP || a->id == TACO__AGGREGATE_STDDEV_POP;
    bool root = a->id == TACO__AGGREGATE_STDDEV || a->id == TACO__AGGREGATE_STDDEV_POP;
    double v;
    if (s->n < (pop ? 1 : 2)) { return taco__aggregate_set_null(arena, out, g, err); }
    v = s->n > 1 ? s->g / (double)(pop ? s->n : s->n - 1) : 0;
    if (v - v != 0) {
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET, "a variance is out of range");
        return false;
    }
    out->v.f[g] = root ? taco__math_sqrt(v) : v;
    return true;
}

/* The sum of a state of exact numbers: s->i counts above what was carried over into s->d. */
static taco__i256 taco__aggregate_total(const taco__aggregate_state *s)
{
    return taco__i256_add(s->d, taco__i256_from_i64(s->i));
}

/* AVG is DOUBLE: the exact sum by the count, and then by the scale of a DECIMAL. */
static double taco__aggregate_average(const taco__aggregate *a, const taco__aggregate_state *s)
{
    taco__i256 total = taco__aggregate_total(s);
    int32_t k, scale = a->arg.t.id == TACO_DECIMAL ? a->arg.t.scale : 0;
    double ten = 1;
    if (taco__sql_type_physical(&a->arg) == TACO__PHYS_DBL) { return s->f / (double)s->n; }
    for (k = 0; k < scale; k++) {
        ten *= 10;
    }
    return taco__scalar_i256_to_double(&total, false) / (double)s->n / ten;
}

/* SUM in the result's type, which an exact sum may pass. */
static bool taco__aggregate_sum_result(const taco__aggregate *a, const taco__aggregate_state *s,
                                       size_t g, taco__vec *out, taco_error *err)
{
    taco__i256 total = taco__aggregate_total(s);
    if (taco__sql_type_physical(&a->arg) == TACO__PHYS_DBL) {
        out->v.f[g] = s->f;
        return true;
    }
    out->v.d[g] = total;
    if (!taco__cast_fits(&a->result.t, &total)) {
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET, "overflow in sum");
        return false;
    }
    return true;
}

/* The result of group g of a running aggregate, in out. Of aggregates that store a value nothing
   but the null of an empty group: taco__aggregate_finish takes the values from the pile. */
static bool taco__aggregate_result(taco__aggregate *a, taco__arena *arena, size_t g, taco__vec *out,
                                   taco_error *err)
{
    taco__aggregate_state *s = &a->states[g];
    switch (a->id) {
    case TACO__AGGREGATE_COUNT:
    case TACO__AGGREGATE_COUNT_STAR: out->v.i[g] = s->n; return true;
    case TACO__AGGREGATE_COUNT_IF: out->v.d[g] = taco__i256_from_i64(s->n); return true;
    case TACO__AGGREGATE_VAR_POP:
    case TACO__AGGREGATE_STDDEV_POP:
    case TACO__AGGREGATE_VAR:
    case TACO__AGGREGATE_STDDEV: return taco__aggregate_spread_result(a, arena, g, out, err);
    default: break;
    }
    if (!s->n) { return taco__aggregate_set_null(arena, out, g, err); }
    switch (a->id) {
    case TACO__AGGREGATE_AND:
    case TACO__AGGREGATE_OR: out->v.i[g] = s->i; return true;
    case TACO__AGGREGATE_AVG: out->v.f[g] = taco__aggregate_average(a, s); return true;
    case TACO__AGGREGATE_SUM: return taco__aggregate_sum_result(a, s, g, out, err);
    default: return true;
    }
}

/* Sorts the rows of the pile by group, by counting, and makes the result of each group of its
   rows. The order within a group stays that of arrival, which LIST and quantiles of equal values
   show. */
static bool taco__aggregate_finish_collector(taco__aggregate *a, taco__arena *arena, size_t groups,
                                             taco__vec *out, taco_error *err)
{
    size_t n = a->pile.v.n, i, g;
    const uint32_t *of = (const uint32_t *)(const void *)a->groups.data;
    uint32_t *starts = (uint32_t *)taco__arena_array(arena, groups + 2, sizeof *starts, err),
             *idx = (uint32_t *)taco__arena_array(arena, n + 1, sizeof *idx, err),
             *tmp = (uint32_t *)taco__arena_array(arena, n + 1, sizeof *tmp, err), *list;
    size_t listed = 0;
    list = a->id == TACO__AGGREGATE_LIST
               ? (uint32_t *)taco__arena_array(arena, n + 1, sizeof *list, err)
               : tmp;
    if (!starts || !idx || !tmp || !list) { return false; }
    /* counting sort: starts[g + 1] is first where group g begins, and once its rows are placed
       where it ends */
    for (i = 0; i < n; i++) {
        starts[of[i] + 2]++;
    }
    for (g = 0; g < groups; g++) {
        starts[g + 2] += starts[g + 1];
    }
    for (i = 0; i < n; i++) {
        idx[starts[of[i] + 1]++] = (uint32_t)i;
    }
    for (g = 0; g < groups; g++) {
        size_t from = starts[g], count = starts[g + 1] - from;
        if (!taco__aggregate_group_result(a, arena, idx + from, tmp, count, g, out, err)) {
            return false;
        }
        if (a->id == TACO__AGGREGATE_LIST) {
            out->v.l[g].at = (uint32_t)listed;
            memcpy(list + listed, idx + from, out->v.l[g].len * sizeof *list);
            listed += out->v.l[g].len;
        }
    }
    return a->id != TACO__AGGREGATE_LIST ||
           taco__vec_take(arena, &a->pile.v, list, listed, &out->kids[0], err);
}

/* The results of all groups as a vector in the arena. Where DISTINCT collected the values of a
   running aggregate, these are added to the states first. */
TACO__FN bool taco__aggregate_finish(taco__aggregate *a, taco__arena *arena, size_t groups,
                                     taco__vec *out, taco_error *err)
{
    size_t g;
    uint32_t *idx;
    if (!taco__aggregate_reserve(a, arena, groups, err) ||
        !taco__vec_init(arena, &a->result, groups, out, err)) {
        return false;
    }
    if (taco__aggregate_is_collector(a)) {
        if (!taco__aggregate_finish_collector(a, arena, groups, out, err)) { return false; }
        if (a->id >= TACO__AGGREGATE_MEDIAN) { return true; }
    }
    for (g = 0; g < groups; g++) {
        if (!taco__aggregate_result(a, arena, g, out, err)) { return false; }
    }
    /* MIN and its kin: the row of the pile that each group refers to */
    if (!taco__aggregate_stores_value(a)) { return true; }
    idx = (uint32_t *)taco__arena_array(arena, groups, sizeof *idx, err);
    for (g = 0; idx && g < groups; g++) {
        idx[g] = a->states[g].n ? (uint32_t)a->states[g].i : TACO__VEC_NONE;
    }
    return idx && taco__vec_take(arena, &a->pile.v, idx, groups, out, err);
}

/* Sets a->result from a->arg by DuckDB's rules, and a->arg where the argument must be cast. False
   where the aggregate does not take the type; LIST is the binder's. */
TACO__FN bool taco__aggregate_set_result_type(taco__aggregate *a)
{
    taco__sql_type t = a->arg;
    bool number = taco__sql_type_is_number(&t), date = taco__sql_type_is_datetime(&t);
    memset(&a->result, 0, sizeof a->result);
    switch (a->id) {
    case TACO__AGGREGATE_COUNT:
    case TACO__AGGREGATE_COUNT_STAR:
        a->result.t = taco__scalar_simple_type(TACO_INT64);
        return true;
    case TACO__AGGREGATE_COUNT_IF:
        a->result.t = taco__scalar_simple_type(TACO_DECIMAL);
        a->result.t.precision = 39;
        return t.t.id == TACO_BOOL;
    case TACO__AGGREGATE_SUM:
        a->result.t = taco__scalar_simple_type(
            taco__sql_type_physical(&t) == TACO__PHYS_DBL ? TACO_DOUBLE : TACO_DECIMAL);
        if (a->result.t.id == TACO_DECIMAL) {
            a->result.t.precision = t.t.id == TACO_DECIMAL && t.t.precision != 39 ? 38 : 39;
            a->result.t.scale = t.t.id == TACO_DECIMAL ? t.t.scale : 0;
        }
        return number || t.t.id == TACO_BOOL;
    case TACO__AGGREGATE_AVG: a->result.t = taco__scalar_simple_type(TACO_DOUBLE); return number;
    case TACO__AGGREGATE_STDDEV:
    case TACO__AGGREGATE_STDDEV_POP:
    case TACO__AGGREGATE_VAR:
    case TACO__AGGREGATE_VAR_POP: /* the argument is cast to DOUBLE */
        a->result.t = taco__scalar_simple_type(TACO_DOUBLE);
        if (number) {
            memset(&a->arg, 0, sizeof a->arg);
            a->arg.t = taco__scalar_simple_type(TACO_DOUBLE);
        }
        return number;
    case TACO__AGGREGATE_AND:
    case TACO__AGGREGATE_OR: a->result = t; return t.t.id == TACO_BOOL;
    case TACO__AGGREGATE_MEDIAN:
    case TACO__AGGREGATE_CONT:
        a->result = t;
        if (taco__scalar_is_int(t.t.id) || taco__sql_type_is_hugeint(&t)) {
            memset(&a->result, 0, sizeof a->result);
            a->result.t = taco__scalar_simple_type(TACO_DOUBLE);
        } else if (t.t.id == TACO_DATE) {
            a->result.t = taco__scalar_simple_type(TACO_TIMESTAMP);
            a->result.t.unit = TACO_MICRO;
        }
        return number || date || (a->id == TACO__AGGREGATE_MEDIAN && t.t.id == TACO_TEXT);
    case TACO__AGGREGATE_DISC: a->result = t; return number || date || t.t.id == TACO_TEXT;
    case TACO__AGGREGATE_LIST: return false; /* room bind makes the type */
    default: a->result = t; return t.t.id != TACO_NULL;
    }
}
/* ==== src/sql/bind.c ==== */
/* bind.c - binder: names of a SELECT's expressions become columns, every node gets a type

   In: a tree as it was parsed. Out: the same tree, changed in place: COLUMN becomes REF to a
   column of the batch, casts are put where DuckDB has them, CALL gets the function to run. A tree
   is bound once; what is needed twice (aliases, sort keys) is copied before. Columns that no bound
   tree names are not read. Start at taco__bind_expr. bind_call.c binds calls, bind_type.c chooses
   types.

   Example: in SELECT v + 1 AS w FROM data ORDER BY w, "v" becomes REF to the column of the batch;
   1 takes the type of v, or both are cast to the type of the sum; w in ORDER BY is replaced by a
   copy of v + 1. */
/* #include "sql.h" */
/* #include "../base/base.h" */
/* #include "../arrow/arrow.h" */
/* #include "../filter/filter.h" */
/* #include "../dataset/dataset.h" */

#define TACO__BIND_MAX_NODES 100000 /* nodes that aliases may multiply to */

/* A SYNTAX error at the column of the node. */
TACO__FN TACO__COLD bool taco__bind_fail(taco__bind *b, const taco__sql_expr *e, const char *what)
{
    TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at, "%s", what);
    return false;
}

/* Whether two names are the same: case is ignored in ASCII, as in DuckDB. */
TACO__FN bool taco__bind_name_is(taco_bytes a, const char *name) /* ASCII case ignored */
{
    size_t i, n = strlen(name);
    for (i = 0; i < a.len && i < n; i++) {
        if (taco__ascii_lower(a.data[i]) != taco__ascii_lower((uint8_t)name[i])) { return false; }
    }
    return a.len == n;
}

/* taco__bind_name_is for two names that are not NUL-terminated. */
TACO__FN bool taco__bind_names_equal(taco_bytes a, taco_bytes b)
{
    size_t i;
    for (i = 0; i < a.len && i < b.len; i++) {
        if (taco__ascii_lower(a.data[i]) != taco__ascii_lower(b.data[i])) { return false; }
    }
    return a.len == b.len;
}

/* ---- columns ---- */

/* Finds a column by its name, and its table if one is named: false without an error when there is
   none, with one when several tables have it. Names that only case tells apart give the first. */
TACO__FN bool taco__bind_find_column(taco__bind *b, const taco__sql_expr *e, size_t *table,
                                     size_t *column)
{
    size_t t, c, hits = 0;
    for (t = 0; t < b->table_count; t++) {
        if (e->table.len && !taco__bind_names_equal(e->table, b->tables[t].alias)) { continue; }
        for (c = 0; c < b->tables[t].count; c++) {
            if (taco__bind_name_is(e->name, b->tables[t].fields[c].name)) {
                *table = t;
                *column = c;
                hits++;
                break;
            }
        }
    }
    if (hits > 1) {
        TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at,
                   "column %q is in several tables: write table.column", &e->name);
        return false;
    }
    return hits == 1;
}

/* The place of a table's column in the batch; a column that is asked for first gets the next
   one, and is read from then on. TACO__NONE without memory. What no bound tree asks for is never
   read. */
static size_t taco__bind_column_index(taco__bind *b, size_t table, size_t column)
{
    size_t *place = &b->tables[table].place[column];
    if (*place == TACO__NONE) {
        if (b->column_count == b->column_cap) {
            size_t cap = b->column_cap ? b->column_cap * 2 : 16;
            taco__bind_column *c =
                (taco__bind_column *)taco__arena_array(b->arena, cap, sizeof *c, b->err);
            if (!c) { return TACO__NONE; }
            if (b->column_count) { memcpy(c, b->columns, b->column_count * sizeof *c); }
            b->columns = c;
            b->column_cap = cap;
        }
        b->columns[b->column_count].table = (uint32_t)table;
        b->columns[b->column_count].column = column;
        *place = b->column_count++;
    }
    return *place;
}

/* a.b is column b of table a where there is such a table, otherwise field b of column a. The
   parser makes FIELD of both. */
static void taco__bind_qualify_node(taco__bind *b, taco__sql_expr *e)
{
    size_t t;
    if (e->kind != TACO__SQL_EXPR_FIELD || e->kid[0]->kind != TACO__SQL_EXPR_COLUMN ||
        e->kid[0]->table.len) {
        return;
    }
    for (t = 0; t < b->table_count; t++) {
        if (taco__bind_names_equal(e->kid[0]->name, b->tables[t].alias)) {
            e->kind = TACO__SQL_EXPR_COLUMN;
            e->table = e->kid[0]->name;
            e->n = 0;
            return;
        }
    }
}

/* Makes table.column, which the parser cannot tell from struct.field, a COLUMN, in the whole
   tree. */
TACO__FN void taco__bind_qualify(taco__bind *b, taco__sql_expr *e)
{
    uint32_t i;
    taco__bind_qualify_node(b, e);
    for (i = 0; i < e->n; i++) {
        taco__bind_qualify(b, e->kid[i]);
    }
    if (e->filter) { taco__bind_qualify(b, e->filter); }
}

/* ---- trees ---- */

/* Counts the nodes that a copy of the tree adds; false with a LIMIT error where aliases that name
   aliases would make too many. */
TACO__FN bool taco__bind_count_nodes(taco__bind *b, const taco__sql_expr *e)
{
    uint32_t i;
    if (++b->nodes > TACO__BIND_MAX_NODES) {
        TACO__FAIL(b->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "aliases that name each other make more than %u terms",
                   TACO__U(TACO__BIND_MAX_NODES));
        return false;
    }
    for (i = 0; i < e->n; i++) {
        if (!taco__bind_count_nodes(b, e->kid[i])) { return false; }
    }
    return true;
}

/* A select item that has the name as its alias; replaces *at by a bound copy of it, *found
   telling. In SELECT a + 1 AS b, b * 2 AS c the second item may name b, but not c: items see
   aliases to their left, other clauses see all. */
static bool taco__bind_replace_alias(taco__bind *b, taco__sql_expr **at, bool *found)
{
    taco__sql_expr *e = *at;
    size_t i;
    *found = false;
    for (i = 0; !e->table.len && i < b->aliases; i++) {
        taco__sql_expr *item = b->sources[i];
        if (item->alias.len && taco__bind_names_equal(item->alias, e->name)) {
            taco__sql_expr *copy = taco__bind_count_nodes(b, item)
                                       ? taco__sql_expr_copy(b->arena, item, b->err)
                                       : NULL;
            size_t before = b->aliases;
            bool ok;
            if (!copy) { return false; }
            /* a AS b, b AS c, ... each doubling the tree: bounded by depth and by nodes */
            if (++b->alias_depth > 16) {
                TACO__FAIL(b->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                           "aliases name each other more than 16 deep");
                return false;
            }
            copy->alias.len = 0;
            *found = true;
            *at = copy;
            b->aliases = i; /* it sees only those before it */
            ok = taco__bind_expr(b, at);
            b->aliases = before;
            b->alias_depth--;
            return ok;
        }
    }
    return true;
}

/* Binds a name: to a column of a table, or else to a select item that has it as its alias. The
   column must not be outside of groups. */
static bool taco__bind_column_ref(taco__bind *b, taco__sql_expr **at)
{
    taco__sql_expr *e = *at;
    size_t table = 0, column = 0;
    bool found;
    if (!taco__bind_find_column(b, e, &table, &column)) {
        if (b->err->code != TACO_OK || !taco__bind_replace_alias(b, at, &found)) { return false; }
        if (found) { return true; }
        if (b->table_count == 1 && !e->table.len) {
            taco__field_names_not_found(b->tables[0].fields, b->tables[0].count, e->name,
                                        TACO__FIELD_NAMES_QUOTES, b->err);
        } else {
            TACO__FAIL(b->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "there is no column %q",
                       &e->name);
        }
        return false;
    }
    /* keys of GROUP BY were recognised before: taco__bind_group_key */
    if (b->grouped && !b->inside) {
        TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at,
                   "column %q must be in GROUP BY or in an aggregate", &e->name);
        return false;
    }
    e->kind = TACO__SQL_EXPR_REF;
    e->type = b->tables[table].types[column];
    if (e->type.t.id == TACO_INTERVAL) {
        return taco__bind_fail(b, e, "INTERVAL columns are not supported");
    }
    e->index = taco__bind_column_index(b, table, column);
    e->n = 0;
    return e->index != TACO__NONE;
}

/* Casts *at to BOOLEAN; an error where DuckDB takes no condition of that type. */
TACO__FN bool taco__bind_require_bool(taco__bind *b, taco__sql_expr **at)
{
    taco__sql_type t = taco__sql_type_simple(TACO_BOOL);
    taco__sql_type *have = &(*at)->type;
    if (have->t.id != TACO_BOOL && have->t.id != TACO_NULL && !taco__sql_type_is_number(have) &&
        (*at)->literal != 2 && have->t.id != TACO_TEXT) {
        return taco__bind_type_fail_mismatch(b, *at, have, &t, "a condition is expected, not");
    }
    return taco__bind_type_add_cast(b, at, &t);
}

/* Binds all operands of a node. */
TACO__FN bool taco__bind_children(taco__bind *b, taco__sql_expr *e)
{
    uint32_t i;
    for (i = 0; i < e->n; i++) {
        if (!taco__bind_expr(b, &e->kid[i])) { return false; }
    }
    return true;
}

/* Makes e the field of that name of its operand, a struct, which is bound. */
TACO__FN bool taco__bind_struct_field(taco__bind *b, taco__sql_expr *e, taco_bytes name)
{
    const taco__sql_type *t = &e->kid[0]->type;
    uint32_t i;
    for (i = 0; t->t.id == TACO_STRUCT && i < t->count; i++) {
        if (taco__bind_name_is(name, t->names[i])) {
            e->kind = TACO__SQL_EXPR_FIELD;
            e->index = i;
            e->type = t->kids[i];
            return true;
        }
    }
    TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at,
               t->t.id == TACO_STRUCT ? "the struct has no field %q"
                                      : "%q is asked of what is no struct",
               &name);
    return false;
}

/* Casts both sides of a comparison to the type they are compared in. */
static bool taco__bind_compare(taco__bind *b, taco__sql_expr *e)
{
    taco__sql_type t;
    taco__sql_expr *x = e->kid[0], *y = e->kid[1];
    if (!taco__bind_type_common(x, &x->type, y, true, &t)) {
        return taco__bind_type_fail_mismatch(b, e, &x->type, &y->type, "no comparison of");
    }
    if (t.geo || t.t.id == TACO_INTERVAL || t.t.id == TACO_MAP) {
        return taco__bind_type_fail_mismatch(b, e, &x->type, &y->type, "no comparison of");
    }
    if (t.t.id == TACO_NULL) { t = taco__sql_type_simple(TACO_INT32); }
    e->type = taco__sql_type_simple(TACO_BOOL);
    return taco__bind_type_add_cast(b, &e->kid[0], &t) &&
           taco__bind_type_add_cast(b, &e->kid[1], &t);
}

/* value[index] and value[from:to] of lists and texts; struct['name'] is a field. */
static bool taco__bind_index(taco__bind *b, taco__sql_expr *e)
{
    taco__sql_type big = taco__sql_type_simple(TACO_INT64);
    uint32_t i;
    if (e->kid[0]->type.t.id == TACO_STRUCT && e->kind == TACO__SQL_EXPR_INDEX) {
        return e->kid[1]->literal == 2
                   ? taco__bind_struct_field(b, e, e->kid[1]->value.b)
                   : taco__bind_fail(b, e, "a struct is indexed by a name in quotes");
    }
    if (e->kid[0]->type.t.id != TACO_LIST && e->kid[0]->type.t.id != TACO_TEXT) {
        return taco__bind_type_fail_mismatch(b, e, &e->kid[0]->type, &big,
                                             "only lists and texts have elements, not");
    }
    for (i = 1; i < e->n; i++) {
        if (e->kid[i]->type.t.id == TACO_NULL && e->kind == TACO__SQL_EXPR_SLICE) { continue; }
        if (!taco__scalar_is_int(e->kid[i]->type.t.id) && e->kid[i]->type.t.id != TACO_NULL) {
            return taco__bind_type_fail_mismatch(b, e, &e->kid[i]->type, &big,
                                                 "an index is a whole number, not");
        }
        if (!taco__bind_type_add_cast(b, &e->kid[i], &big)) { return false; }
    }
    e->type = e->kid[0]->type;
    if (e->kind == TACO__SQL_EXPR_INDEX) {
        e->func = TACO__FUNC_ELEMENT;
        e->type = e->type.t.id == TACO_LIST ? e->type.kids[0] : e->type;
    }
    return true;
}

/* Conditions of CASE become BOOLEAN, results one type. The operands are when, then, when, then,
   ..., else. */
static bool taco__bind_case(taco__bind *b, taco__sql_expr *e)
{
    uint32_t i;
    for (i = 0; i + 1 < e->n; i += 2) {
        if (!taco__bind_require_bool(b, &e->kid[i])) { return false; }
    }
    return taco__bind_type_unify(b, e, 1, 2, true, false, &e->type);
}

/* Whether a tree is a key of GROUP BY, by its text; it becomes the column of that group then. False
   with an error without memory. */
static bool taco__bind_group_key(taco__bind *b, taco__sql_expr *e)
{
    taco_bytes text;
    size_t i;
    if (!b->grouped || b->inside || !b->group_count || e->kind == TACO__SQL_EXPR_CONST ||
        !taco__sql_expr_text_copy(b, e, &text)) {
        return false;
    }
    for (i = 0; i < b->group_count && !taco__bytes_equal(text, b->group_texts[i]); i++) {}
    if (i < b->group_count) {
        e->kind = TACO__SQL_EXPR_REF;
        e->index = i;
        e->type = b->groups[i]->type;
        e->n = 0;
    }
    return i < b->group_count;
}

/* Types a node whose operands are bound. */
static bool taco__bind_operator(taco__bind *b, taco__sql_expr *e)
{
    taco__sql_type t;
    uint32_t k;
    e->type = taco__sql_type_simple(TACO_BOOL);
    switch (e->kind) {
    case TACO__SQL_EXPR_CASE: return taco__bind_case(b, e);
    case TACO__SQL_EXPR_CAST:
        e->type = e->to;
        return taco__cast_is_possible(&e->kid[0]->type, &e->to) ||
               taco__bind_type_fail_mismatch(b, e, &e->kid[0]->type, &e->to, "no cast between");
    case TACO__SQL_EXPR_AND:
    case TACO__SQL_EXPR_OR:
    case TACO__SQL_EXPR_NOT:
        for (k = 0; k < e->n; k++) {
            if (!taco__bind_require_bool(b, &e->kid[k])) { return false; }
        }
        return true;
    case TACO__SQL_EXPR_CMP: return taco__bind_compare(b, e);
    case TACO__SQL_EXPR_BETWEEN:
    case TACO__SQL_EXPR_IN:
        return taco__bind_type_unify(b, e, 0, 1, false, true, &t) &&
               ((!t.geo && t.t.id != TACO_MAP) ||
                taco__bind_fail(b, e, "no comparison of that type"));
    case TACO__SQL_EXPR_INDEX:
    case TACO__SQL_EXPR_SLICE: return taco__bind_index(b, e);
    default: return true;
    }
}

/* Gives a tree types and places, in place; *at may become another node. */
TACO__FN bool taco__bind_expr(taco__bind *b, taco__sql_expr **at)
{
    taco__sql_expr *e = *at;
    if (taco__bind_group_key(b, e)) { return true; }
    if (b->err->code != TACO_OK) { return false; }
    switch (e->kind) {
    case TACO__SQL_EXPR_CONST: e->type.t = e->value.type; return true;
    case TACO__SQL_EXPR_COLUMN: return taco__bind_column_ref(b, at);
    case TACO__SQL_EXPR_STAR: return taco__bind_fail(b, e, "* has no place here");
    case TACO__SQL_EXPR_CALL:
        if (!taco__bind_call(b, e)) { return false; }
        return e->kind == TACO__SQL_EXPR_CASE ? taco__bind_expr(b, at) : true;
    case TACO__SQL_EXPR_REF: return true;
    case TACO__SQL_EXPR_FIELD:
        return taco__bind_expr(b, &e->kid[0]) && taco__bind_struct_field(b, e, e->name);
    default: return taco__bind_children(b, e) && taco__bind_operator(b, e);
    }
}
/* ==== src/sql/sql_expr_text.c ==== */
/* sql_expr_text.c - expressions as text: names of columns, and equal trees

   The text is what DuckDB's printer writes (its ParsedExpression::ToString), as DuckDB names a
   column without an alias by it: sum(v), (a + 1), CAST(x AS "DATE"). Two trees mean the same where
   their texts are equal, which is how GROUP BY, ORDER BY and equal aggregates find each other. */
/* #include "sql.h" */
/* #include "../base/base.h" */
/* #include "../filter/filter.h" */

/* ---- names ---- */

/* Function names that DuckDB's printer puts in quotes, and those it shows with their schema. */
static int taco__sql_expr_text_name_style(taco_bytes n)
{
    static const char *const quoted[] = {
        "left",   "right",  "replace",     "year",        "month",    "day",    "hour",
        "minute", "second", "millisecond", "microsecond", "quarter",  "week",   "first",
        "last",   "mode",   "substring",   "trim",        "position", "nullif", "map",
        "date",   "blob",   "double",      "overlay"};
    size_t i;
    if (taco__ascii_is_word(n, "trim") || taco__ascii_is_word(n, "position")) { return 2; }
    for (i = 0; i < TACO__COUNT(quoted); i++) {
        if (taco__ascii_is_word(n, quoted[i])) { return 1; }
    }
    return 0;
}

/* Appends text. */
static bool taco__sql_expr_text_append(taco__bind *b, taco__buf *out, const char *s)
{
    return taco__buf_append_text(out, s, b->err);
}

/* Appends bytes. */
static bool taco__sql_expr_text_append_bytes(taco__bind *b, taco__buf *out, taco_bytes s)
{
    return taco__buf_append(out, s.data, s.len, b->err);
}

/* A name, in quotes where it needs them. */
static bool taco__sql_expr_text_identifier(taco__bind *b, taco__buf *out, taco_bytes s)
{
    size_t i;
    bool plain = s.len && !taco__lex_is_digit(s.data[0]) && !taco__sql_parse_is_reserved(s);
    for (i = 0; plain && i < s.len; i++) {
        plain =
            (taco__lex_is_letter(s.data[i]) && s.data[i] < 0x80) || taco__lex_is_digit(s.data[i]);
    }
    if (plain) { return taco__sql_expr_text_append_bytes(b, out, s); }
    return taco__lex_append_quoted(out, s, '"', b->err);
}

/* A literal as DuckDB prints it: TRUE is CAST('t' AS BOOLEAN) but for IS TRUE. */
TACO__FN bool taco__sql_expr_text_constant(taco__bind *b, taco__buf *out, const taco__sql_expr *e)
{
    taco__vec v;
    memset(&v, 0, sizeof v);
    switch (e->value.type.id) {
    case TACO_NULL: return taco__sql_expr_text_append(b, out, "NULL");
    case TACO_BOOL:
        if (e->tries) {
            return taco__sql_expr_text_append(b, out, e->value.d.w[0] ? "true" : "false");
        }
        return taco__sql_expr_text_append(
            b, out, e->value.d.w[0] ? "CAST('t' AS BOOLEAN)" : "CAST('f' AS BOOLEAN)");
    case TACO_TEXT: return taco__lex_append_quoted(out, e->value.b, '\'', b->err);
    case TACO_INTERVAL: return taco__sql_expr_text_append_bytes(b, out, e->name);
    default: {
        int64_t small = (int64_t)e->value.d.w[0];
        taco__i256 big = e->value.d;
        double dbl = e->value.f;
        taco__sql_type t;
        memset(&t, 0, sizeof t);
        t.t = e->value.type;
        v.type = &t;
        v.n = v.step = 1;
        switch (taco__sql_type_physical(&t)) {
        case TACO__PHYS_INT: v.v.i = &small; break;
        case TACO__PHYS_BIG: v.v.d = &big; break;
        default: v.v.f = &dbl; break;
        }
        return taco__cast_format(out, &v, 0, false, b->err);
    }
    }
}

static bool taco__sql_expr_text(taco__bind *b, taco__buf *out, const taco__sql_expr *e);

/* Operands from `from` on, with `between` between them. */
static bool taco__sql_expr_text_list(taco__bind *b, taco__buf *out, const taco__sql_expr *e,
                                     uint32_t from, const char *between)
{
    uint32_t i;
    for (i = from; i < e->n; i++) {
        if ((i > from && !taco__sql_expr_text_append(b, out, between)) ||
            !taco__sql_expr_text(b, out, e->kid[i])) {
            return false;
        }
    }
    return true;
}

/* A type in a CAST; names that are functions too are in quotes, as DuckDB has them. */
static bool taco__sql_expr_text_type(taco__bind *b, taco__buf *out, const taco__sql_type *t)
{
    char name[96], *p;
    taco__sql_type_text(t, name, sizeof name);
    if (t->t.id == TACO_DATE || t->t.id == TACO_BINARY || t->t.id == TACO_DOUBLE ||
        t->t.id == TACO_TIME || t->t.id == TACO_UUID) {
        return taco__sql_expr_text_append(b, out, "\"") &&
               taco__sql_expr_text_append(b, out, name) && taco__sql_expr_text_append(b, out, "\"");
    }
    p = t->t.id == TACO_DECIMAL ? strchr(name, ',') : NULL;
    if (p) {
        *p = 0;
        return taco__sql_expr_text_append(b, out, name) &&
               taco__sql_expr_text_append(b, out, ", ") &&
               taco__sql_expr_text_append(b, out, p + 1);
    }
    return taco__sql_expr_text_append(b, out, name);
}

/* Operators in parentheses, functions in lower case, some of them with their schema:
   main."trim"(x). */
static bool taco__sql_expr_text_call(taco__bind *b, taco__buf *out, const taco__sql_expr *e)
{
    size_t i;
    int style;
    bool count = e->n == 0 && taco__ascii_is_word(e->name, "count"), ok;
    /* a sign: -(a) */
    if (e->infix && e->n == 1) {
        return taco__sql_expr_text_append_bytes(b, out, e->name) &&
               taco__sql_expr_text_append(b, out, "(") && taco__sql_expr_text(b, out, e->kid[0]) &&
               taco__sql_expr_text_append(b, out, ")");
    }
    /* an operator: (a + b); LIKE is one, ~~ */
    if (e->infix && e->n == 2) {
        return taco__sql_expr_text_append(b, out, "(") && taco__sql_expr_text(b, out, e->kid[0]) &&
               taco__sql_expr_text_append(b, out, " ") &&
               taco__sql_expr_text_append_bytes(b, out, e->name) &&
               taco__sql_expr_text_append(b, out, " ") && taco__sql_expr_text(b, out, e->kid[1]) &&
               taco__sql_expr_text_append(b, out, ")");
    }
    if (e->infix) {
        static const char *const names[] = {"main.like_escape(", "main.not_like_escape(",
                                            "main.ilike_escape(", "main.not_ilike_escape("};
        size_t which =
            (e->name.data[0] == '!' ? 1U : 0U) + (e->name.data[e->name.len - 1] == '*' ? 2U : 0U);
        return taco__sql_expr_text_append(b, out, names[which]) &&
               taco__sql_expr_text_list(b, out, e, 0, ", ") &&
               taco__sql_expr_text_append(b, out, ")");
    }
    if (taco__ascii_is_word(e->name, "coalesce") || taco__ascii_is_word(e->name, "ifnull")) {
        return taco__sql_expr_text_append(b, out, "COALESCE(") &&
               taco__sql_expr_text_list(b, out, e, 0, ", ") &&
               taco__sql_expr_text_append(b, out, ")");
    }
    /* functions: some names in quotes, some with their schema, aggregates as they are */
    style = e->tries ? 2 : taco__sql_expr_text_name_style(e->name);
    ok = style < 2 || taco__sql_expr_text_append(b, out, "main.");
    ok = ok && (!style || taco__ascii_is_word(e->name, "date_part") ||
                taco__sql_expr_text_append(b, out, "\""));
    for (i = 0; ok && i < e->name.len; i++) {
        ok = taco__buf_append_char(out, (char)taco__ascii_lower(e->name.data[i]), b->err);
    }
    ok = ok && (!count || taco__sql_expr_text_append(b, out, "_star"));
    ok = ok && (!style || taco__ascii_is_word(e->name, "date_part") ||
                taco__sql_expr_text_append(b, out, "\""));
    ok = ok && taco__sql_expr_text_append(b, out, e->distinct ? "(DISTINCT " : "(") &&
         taco__sql_expr_text_list(b, out, e, 0, ", ") && taco__sql_expr_text_append(b, out, ")");
    if (e->filter) {
        ok = ok && taco__sql_expr_text_append(b, out, " FILTER (WHERE ") &&
             taco__sql_expr_text(b, out, e->filter) && taco__sql_expr_text_append(b, out, ")");
    }
    return ok;
}

/* CASE WHEN (a) THEN (b) ELSE c END, with DuckDB's two blanks. */
static bool taco__sql_expr_text_case(taco__bind *b, taco__buf *out, const taco__sql_expr *e)
{
    uint32_t i;
    bool ok = taco__sql_expr_text_append(b, out, "CASE ");
    for (i = 0; ok && i + 1 < e->n; i += 2) {
        ok = taco__sql_expr_text_append(b, out, " WHEN (") &&
             taco__sql_expr_text(b, out, e->kid[i]) &&
             taco__sql_expr_text_append(b, out, ") THEN (") &&
             taco__sql_expr_text(b, out, e->kid[i + 1]) && taco__sql_expr_text_append(b, out, ")");
    }
    return ok && taco__sql_expr_text_append(b, out, " ELSE ") &&
           taco__sql_expr_text(b, out, e->kid[e->n - 1]) &&
           taco__sql_expr_text_append(b, out, " END");
}

/* table.column; the column as its table spells it. */
static bool taco__sql_expr_text_column(taco__bind *b, taco__buf *out, const taco__sql_expr *e)
{
    size_t table, column;
    taco_bytes name = e->name;
    if (e->table.len && (!taco__sql_expr_text_identifier(b, out, e->table) ||
                         !taco__sql_expr_text_append(b, out, "."))) {
        return false;
    }
    if (taco__bind_find_column(b, e, &table, &column)) {
        name = taco__bytes_text(b->tables[table].fields[column].name);
    }
    return taco__sql_expr_text_identifier(b, out, name);
}

static bool taco__sql_expr_text_cast(taco__bind *b, taco__buf *out, const taco__sql_expr *e)
{
    return taco__sql_expr_text_append(b, out, e->tries ? "TRY_CAST(" : "CAST(") &&
           taco__sql_expr_text(b, out, e->kid[0]) && taco__sql_expr_text_append(b, out, " AS ") &&
           taco__sql_expr_text_type(b, out, &e->to) && taco__sql_expr_text_append(b, out, ")");
}

/* "(", the first operand, `sign`, the others with `between` between them, `end`. */
static bool taco__sql_expr_text_infix(taco__bind *b, taco__buf *out, const taco__sql_expr *e,
                                      const char *sign, const char *between, const char *end)
{
    return taco__sql_expr_text_append(b, out, "(") && taco__sql_expr_text(b, out, e->kid[0]) &&
           taco__sql_expr_text_append(b, out, sign) &&
           taco__sql_expr_text_list(b, out, e, 1, between) &&
           taco__sql_expr_text_append(b, out, end);
}

static bool taco__sql_expr_text_comparison(taco__bind *b, taco__buf *out, const taco__sql_expr *e)
{
    static const char *const ops[] = {" = ", " != ", " < ", " <= ", " > ", " >= "};
    const char *sign = !e->nullsafe           ? ops[e->op]
                       : e->op == TACO__OP_EQ ? " IS NOT DISTINCT FROM "
                                              : " IS DISTINCT FROM ";
    return taco__sql_expr_text_infix(b, out, e, sign, "", ")");
}

/* value[index] or value[from:to]; an open end is empty. */
static bool taco__sql_expr_text_index(taco__bind *b, taco__buf *out, const taco__sql_expr *e)
{
    uint32_t k;
    bool ok = taco__sql_expr_text(b, out, e->kid[0]) && taco__sql_expr_text_append(b, out, "[");
    for (k = 1; ok && k < e->n; k++) {
        bool open = e->kind == TACO__SQL_EXPR_SLICE && e->kid[k]->value.type.id == TACO_NULL;
        ok = (k == 1 || taco__sql_expr_text_append(b, out, ":")) &&
             (open || taco__sql_expr_text(b, out, e->kid[k]));
    }
    return ok && taco__sql_expr_text_append(b, out, "]");
}

/* What DuckDB calls the expression. Trees are told apart by it too. */
static bool taco__sql_expr_text(taco__bind *b, taco__buf *out, const taco__sql_expr *e)
{
    switch (e->kind) {
    case TACO__SQL_EXPR_CONST: return taco__sql_expr_text_constant(b, out, e);
    case TACO__SQL_EXPR_COLUMN: return taco__sql_expr_text_column(b, out, e);
    case TACO__SQL_EXPR_CALL: return taco__sql_expr_text_call(b, out, e);
    case TACO__SQL_EXPR_CASE: return taco__sql_expr_text_case(b, out, e);
    case TACO__SQL_EXPR_CAST: return taco__sql_expr_text_cast(b, out, e);
    case TACO__SQL_EXPR_AND: return taco__sql_expr_text_infix(b, out, e, " AND ", " AND ", ")");
    case TACO__SQL_EXPR_OR: return taco__sql_expr_text_infix(b, out, e, " OR ", " OR ", ")");
    case TACO__SQL_EXPR_NOT:
        return taco__sql_expr_text_append(b, out, "(NOT ") &&
               taco__sql_expr_text(b, out, e->kid[0]) && taco__sql_expr_text_append(b, out, ")");
    case TACO__SQL_EXPR_CMP: return taco__sql_expr_text_comparison(b, out, e);
    case TACO__SQL_EXPR_BETWEEN:
        return taco__sql_expr_text_infix(b, out, e, " BETWEEN ", " AND ", ")");
    case TACO__SQL_EXPR_IN:
        return taco__sql_expr_text_infix(b, out, e, e->neg ? " NOT IN (" : " IN (", ", ", "))");
    case TACO__SQL_EXPR_ISNULL:
        return taco__sql_expr_text_infix(b, out, e, e->neg ? " IS NOT NULL" : " IS NULL", "", ")");
    case TACO__SQL_EXPR_INDEX:
    case TACO__SQL_EXPR_SLICE: return taco__sql_expr_text_index(b, out, e);
    case TACO__SQL_EXPR_FIELD:
        return taco__sql_expr_text(b, out, e->kid[0]) && taco__sql_expr_text_append(b, out, ".") &&
               taco__sql_expr_text_identifier(b, out, e->name);
    default: return taco__sql_expr_text_append(b, out, "?");
    }
}

/* The text of a tree in the binder's arena. */
TACO__FN bool taco__sql_expr_text_copy(taco__bind *b, const taco__sql_expr *e, taco_bytes *out)
{
    taco__buf buf;
    char *copy;
    memset(&buf, 0, sizeof buf);
    buf.mem = b->arena->mem;
    copy = taco__sql_expr_text(b, &buf, e)
               ? taco__arena_text(b->arena, taco__bytes_of(buf.data, buf.len), b->err)
               : NULL;
    *out = taco__bytes_of(copy, buf.len);
    taco__buf_free(&buf);
    return copy != NULL;
}

/* The name of a column of the result. */
TACO__FN const char *taco__sql_expr_text_label(taco__bind *b, const taco__sql_expr *e)
{
    taco_bytes name = e->alias;
    size_t table, column;
    if (!name.len && e->kind == TACO__SQL_EXPR_COLUMN) {
        name = taco__bind_find_column(b, e, &table, &column)
                   ? taco__bytes_text(b->tables[table].fields[column].name)
                   : e->name;
    } else if (!name.len && e->kind == TACO__SQL_EXPR_FIELD) {
        name = e->name;
    } else if (!name.len && e->kind == TACO__SQL_EXPR_CONST && e->value.type.id == TACO_TEXT) {
        if (!taco__sql_expr_text_copy(b, e, &name)) { return NULL; }
    } else if (!name.len && !taco__sql_expr_text_copy(b, e, &name)) {
        return NULL;
    }
    return taco__arena_text(b->arena, name, b->err);
}
/* ==== src/sql/bind_type.c ==== */
/* bind_type.c - type rules: which type operands are brought to, and what comes out

   The rules are DuckDB's: a literal takes the type of what it meets, an integer that fits does not
   widen, DECIMALs get as many digits as a sum or product needs, up to 38. Each function puts the
   casts into the tree. */
/* #include "sql.h" */
/* #include "../base/base.h" */
/* #include "../filter/filter.h" */

/* Puts a cast round *at unless it has the type already. */
TACO__FN bool taco__bind_type_add_cast(taco__bind *b, taco__sql_expr **at, const taco__sql_type *t)
{
    taco__sql_expr *e = *at, *c;
    char from[96], to[96];
    if (taco__sql_type_equal(&e->type, t)) { return true; }
    if (!taco__cast_is_possible(&e->type, t)) {
        taco__sql_type_text(&e->type, from, sizeof from);
        taco__sql_type_text(t, to, sizeof to);
        TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at, "a %s cannot be a %s", from, to);
        return false;
    }
    c = (taco__sql_expr *)taco__arena_alloc(b->arena, sizeof *c, b->err);
    if (!c) { return false; }
    c->kind = TACO__SQL_EXPR_CAST;
    c->at = e->at;
    c->kid = (taco__sql_expr **)taco__arena_alloc(b->arena, sizeof *c->kid, b->err);
    if (!c->kid) { return false; }
    c->kid[0] = e;
    c->n = c->cap = 1;
    c->type = c->to = *t;
    c->depth = e->depth + 1;
    *at = c;
    return true;
}

/* Whether e is an integer literal that the integer type t holds, and so takes that type: t_int8 +
   1 is a TINYINT. */
static bool taco__bind_type_fits_literal(const taco__sql_expr *e, const taco__sql_type *t)
{
    return e->literal == 1 && taco__scalar_is_int(t->t.id) && taco__scalar_fits(&t->t, &e->value.d);
}

/* A literal takes the type of the other side: a text where it can be cast, an integer where it
   fits. False where neither side is such a literal; *possible where it is, and can. */
static bool taco__bind_type_from_literal(const taco__sql_expr *a, const taco__sql_type *ta,
                                         const taco__sql_expr *c, taco__sql_type *out,
                                         bool *possible)
{
    const taco__sql_type *tc = &c->type;
    *possible = true;
    if (c->literal == 2 && tc->t.id == TACO_TEXT) {
        *out = *ta;
        *possible = taco__cast_is_possible(tc, ta);
    } else if (a && a->literal == 2 && ta->t.id == TACO_TEXT) {
        *out = *tc;
        *possible = taco__cast_is_possible(ta, tc);
    } else if (taco__bind_type_fits_literal(c, ta)) {
        *out = *ta;
    } else if (a && taco__bind_type_fits_literal(a, tc)) {
        *out = *tc;
    } else {
        return false;
    }
    return true;
}

/* A text and another type: compared as the other type, which must be a number; held as a text. */
static bool taco__bind_type_common_text(const taco__sql_type *ta, const taco__sql_type *tc,
                                        bool compare, taco__sql_type *out)
{
    const taco__sql_type *other = ta->t.id == TACO_TEXT ? tc : ta;
    bool number = taco__sql_type_is_number(other) || other->t.id == TACO_BOOL;
    *out = compare ? *other : ta->t.id == TACO_TEXT ? *ta : *tc;
    return compare ? number : taco__cast_is_possible(other, out);
}

/* Cuts a DECIMAL that two types need to 38 digits: those in front of the point come first. A
   HUGEINT stays one. */
static void taco__bind_type_limit_decimal(const taco__sql_type *ta, const taco__sql_type *tc,
                                          taco__sql_type *out)
{
    bool huge = taco__sql_type_is_hugeint(ta) || taco__sql_type_is_hugeint(tc);
    int32_t whole = TACO__MIN(out->t.precision - out->t.scale, 38);
    if (out->t.precision <= 38 || (out->t.precision == 39 && out->t.scale == 0 &&
                                   (huge || ta->t.id == TACO_UINT64 || tc->t.id == TACO_UINT64))) {
        return;
    }
    out->t.precision = 38;
    if (!huge) { out->t.scale = TACO__MIN(out->t.scale, 38 - whole); }
}

/* The type of a value that is one of the two. A literal takes the other's. */
TACO__FN bool taco__bind_type_common(const taco__sql_expr *a, const taco__sql_type *ta,
                                     const taco__sql_expr *c, bool compare, taco__sql_type *out)
{
    const taco__sql_type *tc = &c->type;
    bool possible;
    if (ta->t.id == TACO_NULL || tc->t.id == TACO_NULL) {
        *out = ta->t.id == TACO_NULL ? *tc : *ta;
        return true;
    }
    if (taco__sql_type_equal(ta, tc)) {
        *out = *ta;
        return true;
    }
    if (taco__bind_type_from_literal(a, ta, c, out, &possible)) { return possible; }
    if (ta->geo || tc->geo || ta->count || tc->count) { return false; }
    memset(out, 0, sizeof *out);
    if ((ta->t.id == TACO_TEXT) != (tc->t.id == TACO_TEXT)) {
        return taco__bind_type_common_text(ta, tc, compare, out);
    }
    if (!taco__scalar_common_type(&ta->t, &tc->t, true, &out->t)) { return false; }
    if (out->t.id == TACO_HALF) { out->t.id = TACO_FLOAT; }
    if (!compare && out->t.id == TACO_DECIMAL) { taco__bind_type_limit_decimal(ta, tc, out); }
    return true;
}

/* A SYNTAX error that names two types: "no comparison of VARCHAR[] and INTEGER". */
TACO__FN TACO__COLD bool taco__bind_type_fail_mismatch(taco__bind *b, const taco__sql_expr *e,
                                                       const taco__sql_type *x,
                                                       const taco__sql_type *y, const char *what)
{
    char from[96], to[96];
    taco__sql_type_text(x, from, sizeof from);
    taco__sql_type_text(y, to, sizeof to);
    TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at, "%s %s and %s", what, from, to);
    return false;
}

/* Casts the operands first, first + step, ... to one type, *out: from left to right, each with the
   type so far; odd_last: the last operand too, the ELSE of a CASE. As long as all of them are
   literals of one kind they count as one. */
TACO__FN bool taco__bind_type_unify(taco__bind *b, taco__sql_expr *e, uint32_t first, uint32_t step,
                                    bool odd_last, bool compare, taco__sql_type *out)
{
    uint32_t i;
    bool literal = true;
    *out = taco__sql_type_simple(TACO_NULL);
    for (i = first; i < e->n; i += (odd_last && i + step >= e->n && i + 1 < e->n) ? 1 : step) {
        taco__sql_type before = *out;
        taco__sql_expr held;
        memset(&held, 0, sizeof held);
        held.literal = literal ? e->kid[first]->literal : 0;
        held.value = e->kid[first]->value;
        if (!taco__bind_type_common(i > first ? &held : NULL, &before, e->kid[i], compare, out)) {
            return taco__bind_type_fail_mismatch(b, e->kid[i], &before, &e->kid[i]->type,
                                                 "no type for both");
        }
        literal = literal && e->kid[i]->literal == e->kid[first]->literal;
    }
    if (out->t.id == TACO_NULL) { *out = taco__sql_type_simple(TACO_INT32); }
    for (i = first; i < e->n; i += (odd_last && i + step >= e->n && i + 1 < e->n) ? 1 : step) {
        if (!taco__bind_type_add_cast(b, &e->kid[i], out)) { return false; }
    }
    return true;
}

/* DECIMAL of a sum or product, as DuckDB sizes it. A sum keeps the larger scale and one digit
   more: DECIMAL(5,2) + DECIMAL(4,3) is DECIMAL(7,3). A product adds precisions and scales. Results
   of operands up to 18 digits stay at 18, which fits 64 bits; beyond 38 digits % goes to DOUBLE. */
static bool taco__bind_type_decimal_result(taco__bind *b, taco__sql_expr *e, uint32_t id)
{
    taco__sql_type t[2], r = taco__sql_type_simple(TACO_DECIMAL);
    int32_t i, whole = 0, scale = 0, width = 0;
    for (i = 0; i < 2; i++) {
        t[i] = e->kid[i]->type;
        if (t[i].t.id != TACO_DECIMAL || t[i].t.precision == 39) {
            int32_t digits = taco__scalar_decimal_digits(&t[i].t);
            t[i] = taco__sql_type_simple(TACO_DECIMAL);
            t[i].t.precision = TACO__MIN(digits, 38);
        }
        whole = TACO__MAX(whole, t[i].t.precision - t[i].t.scale);
        scale = TACO__MAX(scale, t[i].t.scale);
        width = TACO__MAX(width, t[i].t.precision);
    }
    /* no DECIMAL holds both operands of the remainder */
    if (id == TACO__FUNC_MOD && TACO__MAX(scale + whole, width) > 38) {
        e->type = t[0] = t[1] = taco__sql_type_simple(TACO_DOUBLE);
        e->func = TACO__FUNC_MOD_NULL;
        return taco__bind_type_add_cast(b, &e->kid[0], &t[0]) &&
               taco__bind_type_add_cast(b, &e->kid[1], &t[1]);
    }
    /* a product keeps the scales of its operands; of sums both get that of the result */
    if (id == TACO__FUNC_MUL) {
        r.t.precision = t[0].t.precision + t[1].t.precision;
        r.t.scale = t[0].t.scale + t[1].t.scale;
        if (r.t.scale > 38) {
            return taco__bind_fail(b, e, "the product has more than 38 digits behind the point");
        }
        if (r.t.precision > 18 && width <= 18 && r.t.scale < 18) { r.t.precision = 18; }
    } else {
        r.t.scale = scale;
        r.t.precision = TACO__MAX(scale + whole, width) + (id != TACO__FUNC_MOD);
        if (r.t.precision > 18 && width <= 18 && id != TACO__FUNC_MOD) { r.t.precision = 18; }
        t[0].t.scale = t[1].t.scale = scale; /* both get the scale of the result */
        t[0].t.precision = t[1].t.precision = r.t.precision = TACO__MIN(r.t.precision, 38);
    }
    r.t.precision = TACO__MIN(r.t.precision, 38);
    e->type = r;
    return taco__bind_type_add_cast(b, &e->kid[0], &t[0]) &&
           taco__bind_type_add_cast(b, &e->kid[1], &t[1]);
}

/* DATE and TIMESTAMP with days and intervals: date + 1, 1 + date, date - date (days, BIGINT),
   timestamp +- INTERVAL. *done where it is one of these; true with *done false where it is not. */
static bool taco__bind_type_datetime_result(taco__bind *b, taco__sql_expr *e, bool *done)
{
    taco__sql_expr *x = e->kid[0], *y = e->kid[1];
    taco__sql_type day = taco__sql_type_simple(TACO_INT32);
    *done = true;
    if (e->func == TACO__FUNC_ADD && taco__sql_type_is_datetime(&y->type) &&
        !taco__sql_type_is_datetime(&x->type)) {
        e->kid[0] = y;
        e->kid[1] = x;
        x = e->kid[0];
        y = e->kid[1];
    }
    if (taco__sql_type_is_datetime(&x->type) && y->type.t.id == TACO_INTERVAL) {
        e->type = taco__sql_type_simple(TACO_TIMESTAMP);
        e->type.t.utc = x->type.t.utc;
        return true;
    }
    if (x->type.t.id == TACO_DATE &&
        (taco__scalar_is_int(y->type.t.id) && y->type.t.id != TACO_UINT64 &&
         y->type.t.id != TACO_INT64 && y->type.t.id != TACO_UINT32)) {
        e->type = x->type;
        return taco__bind_type_add_cast(b, &e->kid[1], &day);
    }
    if (e->func == TACO__FUNC_SUB && x->type.t.id == TACO_DATE && y->type.t.id == TACO_DATE) {
        e->type = taco__sql_type_simple(TACO_INT64);
        return true;
    }
    if (e->func == TACO__FUNC_SUB && taco__sql_type_is_datetime(&x->type) &&
        taco__sql_type_is_datetime(&y->type)) {
        return taco__bind_fail(
            b, e, "the difference is an INTERVAL, which is not supported: use date_diff or epoch");
    }
    *done = false;
    return true;
}

/* NULL as an operand takes the type of the other one. */
static bool taco__bind_type_null_operands(taco__bind *b, taco__sql_expr *e)
{
    taco__sql_type null = taco__sql_type_simple(TACO_INT32), t;
    uint32_t k;
    for (k = 0; k < 2; k++) {
        if (e->kid[k]->type.t.id == TACO_NULL) {
            t = e->kid[1 - k]->type.t.id == TACO_NULL ? null : e->kid[1 - k]->type;
            if (!taco__bind_type_add_cast(b, &e->kid[k], &t)) { return false; }
        }
    }
    return true;
}

static bool taco__bind_type_is_integer(const taco__sql_type *t)
{
    return taco__sql_type_is_hugeint(t) || taco__scalar_is_int(t->t.id);
}

/* The type in which two numbers meet; false for DECIMALs, which taco__bind_type_decimal_result
   sizes. */
static bool taco__bind_type_number_result(const taco__sql_expr *x, const taco__sql_expr *y,
                                          uint32_t id, taco__sql_type *out)
{
    const taco__scalar_type *a = &x->type.t, *c = &y->type.t;
    if (taco__bind_type_fits_literal(y, &x->type)) {
        *out = x->type;
    } else if (taco__bind_type_fits_literal(x, &y->type)) {
        *out = y->type;
    } else if (taco__scalar_is_int(a->id) && taco__scalar_is_int(c->id)) {
        *out = taco__sql_type_common_int(&x->type, &y->type);
    } else if (taco__scalar_is_float(a->id) || taco__scalar_is_float(c->id)) {
        *out = taco__sql_type_simple(a->id == TACO_DOUBLE || c->id == TACO_DOUBLE ? TACO_DOUBLE
                                                                                  : TACO_FLOAT);
    } else if (taco__bind_type_is_integer(&x->type) && taco__bind_type_is_integer(&y->type)) {
        *out = taco__sql_type_hugeint();
    } else if (id == TACO__FUNC_DIV || id == TACO__FUNC_IDIV) {
        *out = taco__sql_type_simple(TACO_DOUBLE);
    } else {
        return false;
    }
    return true;
}

/* Types + - * / // and %: casts both operands to the type of the operation, which is the result's
   but for dates. / is always in floating point. */
TACO__FN bool taco__bind_type_arithmetic(taco__bind *b, taco__sql_expr *e)
{
    taco__sql_expr *x, *y;
    taco__sql_type t;
    uint32_t id = e->func;
    bool done = false;
    if ((id == TACO__FUNC_ADD || id == TACO__FUNC_SUB) &&
        (!taco__bind_type_datetime_result(b, e, &done) || done)) {
        return done && b->err->code == TACO_OK;
    }
    if (!taco__bind_type_null_operands(b, e)) { return false; }
    x = e->kid[0];
    y = e->kid[1];
    if (!taco__sql_type_is_number(&x->type) || !taco__sql_type_is_number(&y->type)) {
        return taco__bind_type_fail_mismatch(b, e, &x->type, &y->type, "no arithmetic with");
    }
    if (!taco__bind_type_number_result(x, y, id, &t)) {
        return taco__bind_type_decimal_result(b, e, id);
    }
    if (id == TACO__FUNC_DIV && t.t.id != TACO_FLOAT) { t = taco__sql_type_simple(TACO_DOUBLE); }
    e->type = t;
    return taco__bind_type_add_cast(b, &e->kid[0], &t) &&
           taco__bind_type_add_cast(b, &e->kid[1], &t);
}

/* The result of ROUND, FLOOR, CEIL and TRUNC: of DECIMALs one with fewer digits after the point,
   of integers as DuckDB has it. */
TACO__FN bool taco__bind_type_round(taco__bind *b, taco__sql_expr *e)
{
    taco__sql_type *t = &e->kid[0]->type;
    int64_t digits = 0;
    bool up = e->func == TACO__FUNC_FLOOR || e->func == TACO__FUNC_CEIL;
    e->type = *t;
    if (taco__scalar_is_int(t->t.id) || taco__sql_type_is_hugeint(t)) {
        if (up) {
            e->type = taco__sql_type_simple(TACO_DOUBLE);
        } else if (e->func == TACO__FUNC_ROUND && t->t.id >= TACO_UINT8 && t->t.id <= TACO_UINT64) {
            e->type = t->t.id == TACO_UINT64 ? taco__sql_type_hugeint()
                                             : taco__sql_type_simple(TACO_INT64);
        }
        return taco__bind_type_add_cast(b, &e->kid[0], &e->type);
    }
    if (t->t.id != TACO_DECIMAL || t->t.precision == 39) { return true; }
    if (e->n > 1) {
        taco__sql_expr *d = e->kid[1]->kind == TACO__SQL_EXPR_CAST ? e->kid[1]->kid[0] : e->kid[1];
        if (d->kind != TACO__SQL_EXPR_CONST) {
            return taco__bind_fail(b, e, "ROUND of a DECIMAL takes a constant number of digits");
        }
        digits = (int64_t)d->value.d.w[0];
    }
    if (digits < 0) {
        return taco__bind_fail(b, e, "ROUND of a DECIMAL takes no negative number of digits");
    }
    if (digits < t->t.scale) { e->type.t.scale = (int32_t)digits; }
    return true;
}
/* ==== src/sql/bind_call.c ==== */
/* bind_call.c - binder of calls: the function, its arguments' types, its result

   Signatures are codes in the table of functions.c ("ti" takes a text and an integer). An
   aggregate is taken out of its expression: it is computed once a group, and the expression refers
   to its column, after those of the groups. Calls that are other syntax (IF, NULLIF) become CASE
   here. */
/* #include "sql.h" */
/* #include "../base/base.h" */
/* #include "../filter/filter.h" */

/* ---- calls ---- */

/* Casts argument i to what the code of the function's signature asks (see taco__func), or fails
   where the type is another kind. */
static bool taco__bind_call_argument(taco__bind *b, taco__sql_expr *e, uint32_t i, char code)
{
    taco__sql_type want, *have = &e->kid[i]->type;
    bool null = have->t.id == TACO_NULL, ok;
    switch (code) {
    case 't':
        want = taco__sql_type_simple(TACO_TEXT);
        ok = have->t.id == TACO_TEXT;
        break;
    case 'i':
        want = taco__sql_type_simple(TACO_INT64);
        ok = taco__scalar_is_int(have->t.id) && have->t.id != TACO_UINT64;
        break;
    case 'd':
        want = taco__sql_type_simple(TACO_DOUBLE);
        ok = taco__sql_type_is_number(have);
        break;
    case 'w':
        want = null ? taco__sql_type_simple(TACO_TIMESTAMP) : *have;
        ok = taco__sql_type_is_datetime(have);
        break;
    case 'n':
        want = null ? taco__sql_type_simple(TACO_INT64) : *have;
        ok = taco__sql_type_is_number(have);
        break;
    case 'l':
        want = *have;
        ok = have->t.id == TACO_LIST;
        break;
    case 'B':
        want = taco__sql_type_simple(TACO_BINARY);
        ok = (have->t.id == TACO_BINARY && !have->geo) || e->kid[i]->literal == 2;
        break;
    case 'g':
        want = taco__sql_type_simple(TACO_BINARY);
        want.geo = true;
        ok = have->geo;
        break;
    default: return true;
    }
    if (!ok && !null) {
        char name[96];
        taco__sql_type_text(have, name, sizeof name);
        TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->kid[i]->at, "%q does not take a %s here", &e->name,
                   name);
        return false;
    }
    return taco__bind_type_add_cast(b, &e->kid[i], &want);
}

/* Looks the part of a date up ("month" of date_trunc), which must be constant, and keeps it as the
   plan of the call. */
static bool taco__bind_call_date(taco__bind *b, taco__sql_expr *e, const taco__func *f)
{
    int *part = (int *)taco__arena_alloc(b->arena, sizeof *part, b->err);
    taco_bytes name;
    if (!part) { return false; }
    if (f->part) {
        name = taco__bytes_text(f->part);
    } else if (e->kid[0]->kind == TACO__SQL_EXPR_CONST && e->kid[0]->value.type.id == TACO_TEXT) {
        name = e->kid[0]->value.b;
    } else {
        return taco__bind_fail(b, e, "the part of a date must be a text constant");
    }
    *part = taco__func_date_find_part(name);
    if (*part < 0 || (f->id != TACO__FUNC_PART && *part >= TACO__DATE_PART_ISOYEAR) ||
        (f->id == TACO__FUNC_DATE_DIFF &&
         (*part == TACO__DATE_PART_CENTURY || *part == TACO__DATE_PART_ISODOW))) {
        TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at, "no such part of a date here: %q", &name);
        return false;
    }
    e->plan = part;
    if (f->id == TACO__FUNC_PART) {
        e->type = taco__sql_type_simple(*part == TACO__DATE_PART_EPOCH ? TACO_DOUBLE : TACO_INT64);
    } else if (f->id == TACO__FUNC_TRUNC_DATE) {
        e->type = taco__sql_type_simple(TACO_TIMESTAMP);
        e->type.t.utc = e->kid[1]->type.t.utc;
    }
    return true;
}

/* A LIKE with a constant pattern is compiled once, as the plan of the call; others are compiled
   for each row. */
static bool taco__bind_call_like(taco__bind *b, taco__sql_expr *e)
{
    taco__like_pattern *k;
    if (e->kid[1]->kind != TACO__SQL_EXPR_CONST || e->n > 2 ||
        e->kid[1]->value.type.id != TACO_TEXT) {
        return true;
    }
    k = (taco__like_pattern *)taco__arena_alloc(b->arena, sizeof *k, b->err);
    if (!k) { return false; }
    k->icase = e->name.data[e->name.len - 1] == '*';
    e->plan = k;
    return taco__like_compile(k, b->arena, e->kid[1]->value.b, b->err);
}

/* Types of functions that their signature does not say: operands of one type, results that depend
   on them. Called after the arguments were cast by the signature. */
static bool taco__bind_call_special(taco__bind *b, taco__sql_expr *e, const taco__func *f)
{
    taco__sql_type text = taco__sql_type_simple(TACO_TEXT);
    uint32_t i;
    switch (f->id) {
    case TACO__FUNC_COALESCE:
    case TACO__FUNC_GREATEST:
    case TACO__FUNC_LEAST: return taco__bind_type_unify(b, e, 0, 1, false, false, &e->type);
    case TACO__FUNC_CONCAT_OP:
    case TACO__FUNC_CONCAT:
    case TACO__FUNC_CONCAT_WS:
        for (i = 0; i < e->n; i++) {
            if (taco__scalar_is_nested(e->kid[i]->type.t.id)) {
                return taco__bind_fail(b, e->kid[i], "lists are not put together here");
            }
            if (f->id == TACO__FUNC_CONCAT_OP && e->kid[i]->type.t.id == TACO_BINARY) {
                return taco__bind_fail(b, e->kid[i], "blobs are not put together here");
            }
            if (!taco__bind_type_add_cast(b, &e->kid[i], &text)) { return false; }
        }
        e->type = text;
        return true;
    case TACO__FUNC_ROUND:
    case TACO__FUNC_FLOOR:
    case TACO__FUNC_CEIL:
    case TACO__FUNC_TRUNC: return taco__bind_type_round(b, e);
    case TACO__FUNC_LENGTH:
        if (e->kid[0]->type.t.id != TACO_LIST && e->kid[0]->type.t.id != TACO_TEXT &&
            e->kid[0]->type.t.id != TACO_NULL) {
            return taco__bind_type_fail_mismatch(b, e, &e->kid[0]->type, &text,
                                                 "LENGTH takes lists and texts, not");
        }
        return e->kid[0]->type.t.id != TACO_NULL || taco__bind_type_add_cast(b, &e->kid[0], &text);
    case TACO__FUNC_ELEMENT:
        if (e->kid[0]->type.t.id == TACO_LIST) {
            e->type = e->kid[0]->type.kids[0];
            return true;
        }
        e->type = text;
        return e->kid[0]->type.t.id == TACO_TEXT ||
               taco__bind_type_fail_mismatch(b, e, &e->kid[0]->type, &text,
                                             "only lists and texts have elements, not");
    case TACO__FUNC_HAS:
        return e->kid[0]->type.t.id == TACO_LIST
                   ? taco__bind_type_add_cast(b, &e->kid[1], &e->kid[0]->type.kids[0])
                   : taco__bind_type_add_cast(b, &e->kid[0], &text);
    case TACO__FUNC_LIKE: return taco__bind_call_like(b, e);
    case TACO__FUNC_PART:
    case TACO__FUNC_TRUNC_DATE:
    case TACO__FUNC_DATE_DIFF: return taco__bind_call_date(b, e, f);
    default: return f->id > TACO__FUNC_MOD || taco__bind_type_arithmetic(b, e);
    }
}

/* Binds a call of a function of the table, whose arguments are bound: finds it, casts the
   arguments, sets the result's type. */
static bool taco__bind_call_scalar(taco__bind *b, taco__sql_expr *e)
{
    bool known;
    const taco__func *f = taco__func_find(e->name, e->n, &known);
    uint32_t i;
    size_t codes;
    if (!f) {
        if (known) {
            TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at, "%q does not take %u arguments", &e->name,
                       TACO__U(e->n));
        } else {
            TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at, "the function %q is not supported",
                       &e->name);
        }
        return false;
    }
    if (e->distinct || e->filter) {
        return taco__bind_fail(b, e, "DISTINCT and FILTER belong to aggregates");
    }
    e->func = f->id;
    /* the last code of the signature holds for all arguments that follow */
    codes = strlen(f->args);
    if (f->id == TACO__FUNC_NEG && e->kid[0]->type.t.id == TACO_NULL) {
        e->kid[0]->type = taco__sql_type_simple(TACO_NULL);
    }
    for (i = 0; i < e->n; i++) {
        if (!taco__bind_call_argument(b, e, i, f->args[TACO__MIN((size_t)i, codes - 1)])) {
            return false;
        }
    }
    /* ? is first the type of the first argument, which taco__bind_call_special replaces */
    switch (f->result) {
    case 't': e->type = taco__sql_type_simple(TACO_TEXT); break;
    case 'i': e->type = taco__sql_type_simple(TACO_INT64); break;
    case 'I': e->type = taco__sql_type_simple(TACO_INT32); break;
    case '1': e->type = taco__sql_type_simple(TACO_INT8); break;
    case 'd': e->type = taco__sql_type_simple(TACO_DOUBLE); break;
    case 'b': e->type = taco__sql_type_simple(TACO_BOOL); break;
    case 'D': e->type = taco__sql_type_simple(TACO_DATE); break;
    case 'g':
        e->type = taco__sql_type_simple(TACO_BINARY);
        e->type.geo = true;
        break;
    default: e->type = e->kid[0]->type; break;
    }
    return taco__bind_call_special(b, e, f);
}

/* The constant second argument of a quantile. */
static bool taco__bind_call_quantile(taco__bind *b, const taco__sql_expr *q, double *out)
{
    if (q->kind == TACO__SQL_EXPR_CONST && taco__scalar_is_number(q->value.type.id)) {
        *out = taco__scalar_to_double(&q->value, false);
        if (*out >= 0 && *out <= 1) { return true; }
    }
    return taco__bind_fail(b, q, "a quantile takes a constant between 0 and 1");
}

static bool taco__bind_call_is_quantile(uint8_t id)
{
    return id == TACO__AGGREGATE_CONT || id == TACO__AGGREGATE_DISC;
}

/* Binds the argument and FILTER of an aggregate, to columns of rows rather than of groups
   (b->inside), and casts them to types that aggregates take: a condition to BOOLEAN, NULL to
   INTEGER. */
static bool taco__bind_call_aggregate_operands(taco__bind *b, taco__sql_expr *e, uint8_t id)
{
    taco__sql_type bit = taco__sql_type_simple(TACO_BOOL), null = taco__sql_type_simple(TACO_INT32),
                   when = taco__sql_type_simple(TACO_TIMESTAMP);
    const taco__sql_type *t;
    b->inside = true;
    if ((e->n && !taco__bind_expr(b, &e->kid[0])) ||
        (e->filter && !taco__bind_expr(b, &e->filter))) {
        return false;
    }
    b->inside = false;
    if (e->filter && !taco__bind_type_add_cast(b, &e->filter, &bit)) { return false; }
    t = e->n ? &e->kid[0]->type : NULL;
    if (t && t->t.id == TACO_NULL) { return taco__bind_type_add_cast(b, &e->kid[0], &null); }
    /* DuckDB interpolates timestamps of microseconds only */
    return !(t && id == TACO__AGGREGATE_CONT && t->t.id == TACO_TIMESTAMP &&
             t->t.unit != TACO_MICRO) ||
           taco__bind_type_add_cast(b, &e->kid[0], &when);
}

/* The type of an aggregate's result, of that of its argument, which is bound. */
static bool taco__bind_call_aggregate_result(taco__bind *b, const taco__sql_expr *e, uint8_t id,
                                             taco__aggregate *a)
{
    taco__sql_type *kid;
    char name[96];
    if (id == TACO__AGGREGATE_LIST) {
        kid = (taco__sql_type *)taco__arena_alloc(b->arena, sizeof *kid, b->err);
        if (!kid) { return false; }
        *kid = a->arg;
        a->result = taco__sql_type_simple(TACO_LIST);
        a->result.count = 1;
        a->result.kids = kid;
        return true;
    }
    if (taco__aggregate_set_result_type(a)) { return true; }
    taco__sql_type_text(&a->arg, name, sizeof name);
    TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at, "%q does not take a %s", &e->name, name);
    return false;
}

/* A new aggregate, with that text, at the end of b->aggrs. */
static bool taco__bind_call_add_aggregate(taco__bind *b, taco__sql_expr *e, uint8_t id,
                                          taco_bytes text)
{
    taco__bind_aggregation *g;
    if (b->aggr_count == TACO__BIND_MAX_AGGREGATES) {
        return taco__bind_fail(b, e, "more than 256 aggregates");
    }
    if (!b->aggrs) {
        b->aggrs = (taco__bind_aggregation *)taco__arena_array(b->arena, TACO__BIND_MAX_AGGREGATES,
                                                               sizeof *b->aggrs, b->err);
    }
    if (!b->aggrs) { return false; }
    g = &b->aggrs[b->aggr_count];
    g->text = text;
    g->a.id = e->n ? id : (uint8_t)TACO__AGGREGATE_COUNT_STAR;
    g->a.q = 0.5;
    g->a.distinct = e->distinct;
    if (!taco__bind_call_aggregate_operands(b, e, id) ||
        (taco__bind_call_is_quantile(id) && !taco__bind_call_quantile(b, e->kid[1], &g->a.q))) {
        return false;
    }
    g->arg = e->n ? e->kid[0] : NULL;
    g->filter = e->filter;
    g->a.arg = e->n ? e->kid[0]->type : taco__sql_type_simple(TACO_DOUBLE);
    if (!taco__bind_call_aggregate_result(b, e, id, &g->a) ||
        (g->arg && !taco__bind_type_add_cast(b, &g->arg, &g->a.arg))) {
        return false;
    }
    b->aggr_count++;
    return true;
}

/* Makes e the column of an aggregate, after those of the groups. Equal aggregates, which have the
   same text, are computed once. */
static bool taco__bind_call_aggregate(taco__bind *b, taco__sql_expr *e, uint8_t id)
{
    taco_bytes text;
    size_t i;
    if (b->inside) { return taco__bind_fail(b, e, "an aggregate inside an aggregate"); }
    if (b->no_aggr) {
        return taco__bind_fail(b, e, "an aggregate has no place in WHERE, ON or GROUP BY");
    }
    if (e->n != (taco__bind_call_is_quantile(id) ? 2U : 1U) &&
        !(id == TACO__AGGREGATE_COUNT && e->n == 0)) {
        TACO__FAIL(b->err, TACO_ERR_SYNTAX, e->at, "%q does not take %u arguments", &e->name,
                   TACO__U(e->n));
        return false;
    }
    /* before it is bound: binding changes the text */
    if (!taco__sql_expr_text_copy(b, e, &text)) { return false; }
    for (i = 0; i < b->aggr_count && !taco__bytes_equal(b->aggrs[i].text, text); i++) {}
    if (i == b->aggr_count && !taco__bind_call_add_aggregate(b, e, id, text)) { return false; }
    e->kind = TACO__SQL_EXPR_REF;
    e->index = b->group_count + i;
    e->type = b->aggrs[i].a.result;
    e->n = 0;
    e->filter = NULL;
    return true;
}

/* nullif(a, c) becomes CASE WHEN a = c THEN NULL ELSE a END, so that a is compared in the common
   type and comes out in its own. a is copied: both places are bound on their own. */
static bool taco__bind_call_nullif(taco__bind *b, taco__sql_expr *e)
{
    taco__sql_expr *cmp = (taco__sql_expr *)taco__arena_alloc(b->arena, sizeof *cmp, b->err),
                   *null = (taco__sql_expr *)taco__arena_alloc(b->arena, sizeof *null, b->err),
                   *a = e->kid[0],
                   *again = taco__bind_count_nodes(b, a) ? taco__sql_expr_copy(b->arena, a, b->err)
                                                         : NULL;
    taco__sql_expr **kids = (taco__sql_expr **)taco__arena_array(b->arena, 3, sizeof *kids, b->err);
    if (!cmp || !null || !again || !kids) { return false; }
    cmp->kind = TACO__SQL_EXPR_CMP;
    cmp->at = e->at;
    cmp->n = 2;
    cmp->kid = e->kid;
    null->at = e->at;
    kids[0] = cmp;
    kids[1] = null;
    kids[2] = again;
    e->kind = TACO__SQL_EXPR_CASE;
    e->kid = kids;
    e->n = 3;
    return true;
}

/* Binds a call: an aggregate, syntax that has the form of a call, or a function. The result may be
   another kind of node, a CASE even one that is still to be bound. */
TACO__FN bool taco__bind_call(taco__bind *b, taco__sql_expr *e)
{
    uint8_t aggr = e->infix ? 0 : taco__aggregate_find(e->name);
    if (aggr) { return taco__bind_call_aggregate(b, e, aggr); }
    /* other spellings of a field and of CASE */
    if (taco__ascii_is_word(e->name, "struct_extract") && e->n == 2 && e->kid[1]->literal == 2) {
        return taco__bind_expr(b, &e->kid[0]) && taco__bind_struct_field(b, e, e->kid[1]->value.b);
    }
    if (!e->infix && taco__ascii_is_word(e->name, "if") && e->n == 3) {
        e->kind = TACO__SQL_EXPR_CASE;
        return true;
    }
    if (!e->infix && taco__ascii_is_word(e->name, "nullif") && e->n == 2) {
        return taco__bind_call_nullif(b, e);
    }
    return taco__bind_children(b, e) && taco__bind_call_scalar(b, e);
}
/* ==== src/sql/evaluate.c ==== */
/* evaluate.c - bound expressions computed over batches of vectors

   In: a bound tree and a batch. Out: a vector with a value for each row. All operands are computed
   for all rows; CASE and COALESCE compute a branch only for the rows that take it, so that 1 // 0
   or a failing cast in another branch does no harm. Conditions are three-valued: a null is neither
   true nor false. Start at taco__evaluate_expr.

   Example: in CASE WHEN b <> 0 THEN a // b ELSE 0 END the condition is computed for all rows,
   a // b for those where it is true, and the results are put together in the rows' order. */
/* #include "sql.h" */
/* #include "../base/base.h" */
/* #include "../filter/filter.h" */

/* A constant: one value, step 0. */
static bool taco__evaluate_const(taco__sql_batch *c, const taco__sql_expr *e, taco__vec *out)
{
    if (!taco__vec_init(c->arena, &e->type, 1, out, c->err)) { return false; }
    switch (taco__sql_type_physical(&e->type)) {
    case TACO__PHYS_INT: out->v.i[0] = (int64_t)e->value.d.w[0]; break;
    case TACO__PHYS_BIG: out->v.d[0] = e->value.d; break;
    case TACO__PHYS_DBL: out->v.f[0] = e->value.f; break;
    case TACO__PHYS_STR: out->v.s[0] = e->value.b; break;
    default: break;
    }
    out->n = c->n;
    out->step = 0;
    return true;
}

/* The rows idx[0..n) of all columns, for a branch that few rows take. Columns that are only handed
   on are left out: nothing computes with them. */
TACO__FN bool taco__evaluate_subset(const taco__sql_batch *c, const uint32_t *idx, size_t n,
                                    taco__sql_batch *out)
{
    taco__vec *cols = (taco__vec *)taco__arena_array(c->arena, c->count + 1, sizeof *cols, c->err);
    size_t i;
    if (!cols) { return false; }
    for (i = 0; i < c->count; i++) {
        if (c->cols[i].type && !c->cols[i].source && /* nothing computes with such a column */
            !taco__vec_take(c->arena, &c->cols[i], idx, n, &cols[i], c->err)) {
            return false;
        }
    }
    *out = *c;
    out->cols = cols;
    out->n = n;
    return true;
}

/* CASE and COALESCE: a branch is computed for the rows that take it alone, an argument for those
   that are null so far, so that no other row can fail in it. Results of branches are appended one
   after the other and gathered at the end. */
static bool taco__evaluate_branches(taco__sql_batch *c, const taco__sql_expr *e, taco__vec *out)
{
    uint32_t *left = (uint32_t *)taco__arena_array(c->arena, c->n, sizeof *left, c->err),
             *from = (uint32_t *)taco__arena_array(c->arena, c->n, sizeof *from, c->err);
    bool cases = e->kind == TACO__SQL_EXPR_CASE; /* when, then, ..., else */
    taco__vec_builder pile;
    uint32_t k;
    size_t i, m = c->n;
    if (!left || !from || !taco__vec_builder_init(c->arena, &e->type, &pile, c->err)) {
        return false;
    }
    /* left: rows without a result yet; from: where in the pile the result of each row is */
    for (i = 0; i < m; i++) {
        left[i] = (uint32_t)i;
        from[i] = TACO__VEC_NONE;
    }
    for (k = 0; m && k < e->n; k += cases ? 2 : 1) {
        bool last = cases && k + 1 == e->n;
        /* the rows that this branch takes, and which rows of `part` they are */
        uint32_t *take = (uint32_t *)taco__arena_array(c->arena, m, sizeof *take, c->err),
                 *at = (uint32_t *)taco__arena_array(c->arena, m, sizeof *at, c->err);
        size_t taken = 0, rest = 0;
        taco__sql_batch part = *c;
        taco__vec v;
        if (!take || !at || (m < c->n && !taco__evaluate_subset(c, left, m, &part)) ||
            (!last && !taco__evaluate_expr(&part, e->kid[k], &v))) {
            return false;
        }
        for (i = 0; i < m; i++) {
            if (last || (taco__vec_is_valid(&v, i) && (!cases || v.v.i[i * v.step]))) {
                at[taken] = (uint32_t)i;
                take[taken++] = left[i];
            } else {
                left[rest++] = left[i];
            }
        }
        m = rest;
        if (!taken) { continue; }
        part = *c;
        /* of COALESCE the value is the condition */
        if (cases && ((taken < c->n && !taco__evaluate_subset(c, take, taken, &part)) ||
                      !taco__evaluate_expr(&part, e->kid[last ? k : k + 1], &v))) {
            return false;
        }
        for (i = 0; i < taken; i++) {
            from[take[i]] = (uint32_t)(pile.v.n + i);
        }
        if (!taco__vec_builder_append(c->arena, &pile, &v, cases ? NULL : at, taken, c->err)) {
            return false;
        }
    }
    return taco__vec_take(c->arena, &pile.v, from, c->n, out, c->err);
}

/* Whether a three-way order is what the operator asks. */
static bool taco__evaluate_order_matches(int op, int order)
{
    switch (op) {
    case TACO__OP_EQ: return order == 0;
    case TACO__OP_NE: return order != 0;
    case TACO__OP_LT: return order < 0;
    case TACO__OP_LE: return order <= 0;
    case TACO__OP_GT: return order > 0;
    default: return order >= 0;
    }
}

/* out[i] = a[i] op b[i], where both are there; values of nulls are compared too and not looked at.
   Integers, dates and BOOLEANs have a loop for each operator, which compilers vectorise. */
static void taco__evaluate_compare_rows(const taco__vec *a, const taco__vec *b, int op,
                                        int64_t *out, size_t n)
{
    size_t i;
#define TACO__CALC_LOOP(op)                                                                        \
    for (i = 0; i < n; i++) {                                                                      \
        out[i] = a->v.i[i * a->step] op b->v.i[i * b->step];                                       \
    }                                                                                              \
    return
    if (taco__sql_type_physical(a->type) == TACO__PHYS_INT) {
        switch (op) {
        case TACO__OP_EQ: TACO__CALC_LOOP(==);
        case TACO__OP_NE: TACO__CALC_LOOP(!=);
        case TACO__OP_LT: TACO__CALC_LOOP(<);
        case TACO__OP_LE: TACO__CALC_LOOP(<=);
        case TACO__OP_GT: TACO__CALC_LOOP(>);
        default: TACO__CALC_LOOP(>=);
        }
    }
#undef TACO__CALC_LOOP
    for (i = 0; i < n; i++) {
        out[i] = taco__vec_is_valid(a, i) && taco__vec_is_valid(b, i) &&
                 taco__evaluate_order_matches(op, taco__vec_compare(a, i, b, i));
    }
}

/* a op b for each row. Null where a side is null; with nullsafe (IS NOT DISTINCT FROM) null equals
   null. */
static bool taco__evaluate_comparison(taco__sql_batch *c, const taco__vec *a, const taco__vec *b,
                                      int op, bool nullsafe, taco__vec *out)
{
    static const taco__sql_type bit = {{TACO_BOOL, TACO_SECOND, false, 0, 0}, false, 0, NULL, NULL};
    size_t i;
    bool nulls = a->valid || b->valid;
    if (!taco__vec_init(c->arena, &bit, c->n, out, c->err) ||
        (nulls && !nullsafe && !taco__vec_init_validity(c->arena, out, c->err))) {
        return false;
    }
    taco__evaluate_compare_rows(a, b, op, out->v.i, c->n);
    for (i = 0; nulls && i < c->n; i++) {
        bool x = taco__vec_is_valid(a, i), y = taco__vec_is_valid(b, i);
        if (!nullsafe) {
            out->valid[i] = x && y;
        } else if (!x || !y) {
            out->v.i[i] = (op == TACO__OP_EQ) == (x == y);
        }
    }
    return true;
}

/* The three-valued AND (any = false) or OR of out and v, into out, which is flat and has a mask.
   One operand that decides (false for AND, true for OR) wins over null, which wins over the other
   value: NULL AND false is false, NULL AND true is null. */
static void taco__evaluate_merge_and_or(taco__vec *out, const taco__vec *v, bool any)
{
    size_t i;
    for (i = 0; i < out->n; i++) {
        bool ok = taco__vec_is_valid(v, i), x = ok && v->v.i[i * v->step];
        bool was_ok = out->valid[i], was = was_ok && out->v.i[i];
        if ((was_ok && was == any) || (ok && x == any)) {
            out->v.i[i] = any;
            out->valid[i] = 1;
        } else if (!ok || !was_ok) {
            out->valid[i] = 0;
        }
    }
}

/* A flat BOOLEAN vector of one value, with a validity mask, to be merged into. */
static bool taco__evaluate_init_flags(taco__sql_batch *c, const taco__sql_expr *e, bool value,
                                      taco__vec *out)
{
    size_t i;
    if (!taco__vec_init(c->arena, &e->type, c->n, out, c->err) ||
        !taco__vec_init_validity(c->arena, out, c->err)) {
        return false;
    }
    for (i = 0; i < c->n; i++) {
        out->v.i[i] = value;
    }
    return true;
}

/* AND and OR of any number of conditions. All of them are computed for all rows. */
static bool taco__evaluate_and_or(taco__sql_batch *c, const taco__sql_expr *e, taco__vec *out)
{
    bool any = e->kind == TACO__SQL_EXPR_OR;
    uint32_t k;
    if (!taco__evaluate_init_flags(c, e, !any, out)) { return false; }
    for (k = 0; k < e->n; k++) {
        taco__vec v;
        if (!taco__evaluate_expr(c, e->kid[k], &v)) { return false; }
        taco__evaluate_merge_and_or(out, &v, any);
    }
    return true;
}

/* value IN (...) as a chain of = joined by OR, value BETWEEN low AND high as >= AND <=, with their
   three values: 1 IN (2, NULL) is null. */
static bool taco__evaluate_in_or_between(taco__sql_batch *c, const taco__sql_expr *e,
                                         taco__vec *out)
{
    bool in = e->kind == TACO__SQL_EXPR_IN;
    uint32_t k;
    size_t i;
    taco__vec value, other, one;
    if (!taco__evaluate_init_flags(c, e, !in, out) || !taco__evaluate_expr(c, e->kid[0], &value)) {
        return false;
    }
    for (k = 1; k < e->n; k++) {
        if (!taco__evaluate_expr(c, e->kid[k], &other) ||
            !taco__evaluate_comparison(c, &value, &other,
                                       in       ? TACO__OP_EQ
                                       : k == 1 ? TACO__OP_GE
                                                : TACO__OP_LE,
                                       false, &one)) {
            return false;
        }
        taco__evaluate_merge_and_or(out, &one, in);
    }
    for (i = 0; e->neg && i < c->n; i++) {
        out->v.i[i] = !out->v.i[i];
    }
    return true;
}

/* IS [NOT] NULL, and NOT, which are both one pass over the operand. */
static bool taco__evaluate_is_null(taco__sql_batch *c, const taco__sql_expr *e, taco__vec *out)
{
    taco__vec v;
    size_t i;
    if (!taco__evaluate_expr(c, e->kid[0], &v) ||
        !taco__vec_init(c->arena, &e->type, c->n, out, c->err)) {
        return false;
    }
    for (i = 0; i < c->n; i++) {
        bool null = v.type->t.id == TACO_NULL || !taco__vec_is_valid(&v, i);
        if (e->kind == TACO__SQL_EXPR_NOT) {
            out->v.i[i] = null ? 0 : !v.v.i[i * v.step];
            if (null) {
                if (!taco__vec_init_validity(c->arena, out, c->err)) { return false; }
                out->valid[i] = 0;
            }
        } else {
            out->v.i[i] = null != e->neg;
        }
    }
    return true;
}

/* A call: arguments first, then the function over the batch. A slice has nulls of its own: an open
   end is a NULL constant that makes no row null. */
static bool taco__evaluate_call(taco__sql_batch *c, const taco__sql_expr *e, taco__vec *out)
{
    taco__func_call x;
    taco__vec *args = (taco__vec *)taco__arena_array(c->arena, e->n + 1, sizeof *args, c->err);
    char name[32];
    uint32_t k;
    for (k = 0; args && k < e->n; k++) {
        if (!taco__evaluate_expr(c, e->kid[k], &args[k])) { return false; }
    }
    if (!args) { return false; }
    memset(&x, 0, sizeof x);
    memset(name, 0, sizeof name);
    memcpy(name, e->kind == TACO__SQL_EXPR_CALL ? (const char *)e->name.data : "[]",
           e->kind == TACO__SQL_EXPR_CALL ? TACO__MIN(e->name.len, sizeof name - 1) : 2);
    x.arena = c->arena;
    x.err = c->err;
    x.id = e->func;
    x.a = args;
    x.n = e->n;
    x.plan = e->plan;
    x.name = name;
    x.out = out;
    if (e->kind != TACO__SQL_EXPR_SLICE) { return taco__func_run(&x, &e->type, c->n); }
    for (k = 0; k < e->n; k++) { /* an open end is NULL and no null */
        if (!taco__vec_flatten(c->arena, &args[k], c->err)) { return false; }
    }
    if (!taco__vec_init(c->arena, &e->type, c->n, out, c->err)) { return false; }
    for (k = 0; k < e->n; k++) {
        size_t i;
        if (!args[k].valid || args[k].type->t.id == TACO_NULL) { continue; }
        if (!taco__vec_init_validity(c->arena, out, c->err)) { return false; }
        for (i = 0; i < c->n; i++) {
            out->valid[i] = out->valid[i] && taco__vec_is_valid(&args[k], i);
        }
    }
    return taco__func_list_slice(&x);
}

/* A field of a struct: null where the struct or the field is. */
static bool taco__evaluate_field(taco__sql_batch *c, const taco__sql_expr *e, taco__vec *out)
{
    taco__vec v;
    size_t i;
    if (!taco__evaluate_expr(c, e->kid[0], &v) || !taco__vec_flatten(c->arena, &v, c->err)) {
        return false;
    }
    *out = v.kids[e->index];
    if (v.valid) {
        taco__vec copy = *out;
        copy.valid = NULL;
        if (!taco__vec_flatten(c->arena, &copy, c->err) ||
            !taco__vec_init_validity(c->arena, &copy, c->err)) {
            return false;
        }
        for (i = 0; i < c->n; i++) {
            copy.valid[i] = taco__vec_is_valid(&v, i) && taco__vec_is_valid(out, i);
        }
        *out = copy;
    }
    return true;
}

/* out = the tree's value for each row of the batch. It may share memory with the columns, and may
   be a constant (step 0). */
TACO__FN bool taco__evaluate_expr(taco__sql_batch *c, const taco__sql_expr *e, taco__vec *out)
{
    taco__vec a, b;
    switch (e->kind) {
    case TACO__SQL_EXPR_CONST: return taco__evaluate_const(c, e, out);
    case TACO__SQL_EXPR_REF: *out = c->cols[e->index]; return true;
    case TACO__SQL_EXPR_CALL:
        if (e->func == TACO__FUNC_COALESCE) {
            return taco__evaluate_branches(c, e, out);
        } /* fall through */
    case TACO__SQL_EXPR_INDEX:
    case TACO__SQL_EXPR_SLICE: return taco__evaluate_call(c, e, out);
    case TACO__SQL_EXPR_CASE: return taco__evaluate_branches(c, e, out);
    case TACO__SQL_EXPR_CAST:
        return taco__evaluate_expr(c, e->kid[0], &a) &&
               taco__cast_vector(c->arena, &a, &e->type, e->tries, out, c->err);
    case TACO__SQL_EXPR_AND:
    case TACO__SQL_EXPR_OR: return taco__evaluate_and_or(c, e, out);
    case TACO__SQL_EXPR_NOT:
    case TACO__SQL_EXPR_ISNULL: return taco__evaluate_is_null(c, e, out);
    case TACO__SQL_EXPR_CMP:
        return taco__evaluate_expr(c, e->kid[0], &a) && taco__evaluate_expr(c, e->kid[1], &b) &&
               taco__evaluate_comparison(c, &a, &b, e->op, e->nullsafe, out);
    case TACO__SQL_EXPR_BETWEEN:
    case TACO__SQL_EXPR_IN: return taco__evaluate_in_or_between(c, e, out);
    case TACO__SQL_EXPR_FIELD: return taco__evaluate_field(c, e, out);
    default: return false;
    }
}

/* The rows for which a condition is true, ascending; their number into *n. NULL on failure. */
TACO__FN uint32_t *taco__evaluate_filter(taco__sql_batch *c, const taco__sql_expr *e, size_t *n)
{
    uint32_t *idx = (uint32_t *)taco__arena_array(c->arena, c->n, sizeof *idx, c->err);
    taco__vec v;
    size_t i, m = 0;
    if (!idx || !taco__evaluate_expr(c, e, &v)) { return NULL; }
    for (i = 0; i < c->n; i++) {
        if (taco__vec_is_valid(&v, i) && v.v.i[i * v.step]) { idx[m++] = (uint32_t)i; }
    }
    *n = m;
    return idx;
}
/* ==== src/sql/operators.c ==== */
/* operators.c - operators of a plan: scan, filter, group, project, limit

   The plan is the taco__executor that planner.c filled. taco__operator_next pulls the next batch
   of the result: rows come from the scans, through joins (hash_join.c) and WHERE
   (taco__operator_filter); groups (group_table.c, aggregates.c) and sorting (sort_operator.c) read
   all their input first, in taco__operator_begin. Vectors of a batch live in x->batch, which is
   emptied before the next one; what stays lives in x->hold[0]. */
/* #include "sql.h" */
/* #include "../base/base.h" */
/* #include "../dataset/dataset.h" */

/* Where errors of a plan go: the cursor's. */
TACO__FN taco_error *taco__operator_err(taco__executor *x)
{
    return &x->c->err;
}

/* ---- scans and joins ---- */

/* The next batch of a table's columns into cols, at their places; *n 0 at the end. Columns are
   loaded as the plan needs them (taco__column_use): as vectors, as codes, or not at all, the array
   being handed on. */
TACO__FN bool taco__operator_scan(taco__executor *x, size_t t, taco__vec *cols, size_t *n)
{
    taco_batch batch;
    size_t i;
    *n = 0;
    /* no column is read of the first table: its rows were counted when it was opened */
    if (t == 0 && x->is_bare) {
        *n = (size_t)TACO__MIN(x->bare, (uint64_t)TACO__SQL_BATCH_ROWS);
        x->bare -= *n;
        return true;
    }
    if (!taco_cursor_batch(x->scans[t], &batch)) {
        if (x->scans[t]->err.code != TACO_OK) {
            *taco__operator_err(x) = x->scans[t]->err;
            return false;
        }
        return true;
    }
    for (i = 0; i < x->scan_count[t]; i++) {
        size_t place = x->scan_cols[t][i];
        size_t column = x->b.columns[place].column;
        const taco_array *a = &batch.columns[x->scan_from[t][i]];
        /* goes out as it is: a vector that only says where the array is */
        if (x->use[place] == TACO__COLUMN_USE_PASS_THROUGH) {
            cols[place].type = &x->b.tables[t].types[column];
            cols[place].n = batch.length;
            cols[place].step = 1;
            cols[place].source = a;
            continue;
        }
        /* codes pay where the dictionary is not longer than the rows that use it */
        if (x->use[place] == TACO__COLUMN_USE_CODES && a->dictionary &&
            a->dictionary->length <= batch.length) {
            if (!taco__vec_arrow_load_codes(&x->batch, a, &x->b.tables[t].types[column],
                                            &cols[place], taco__operator_err(x))) {
                return false;
            }
            continue;
        }
        if (!taco__vec_arrow_load(&x->batch, a, &x->b.tables[t].types[column], &cols[place],
                                  taco__operator_err(x))) {
            return false;
        }
    }
    *n = batch.length;
    return true;
}

/* A batch of `count` columns and n rows to compute expressions over. */
TACO__FN void taco__operator_init_batch(taco__executor *x, taco__sql_batch *c,
                                        const taco__vec *cols, size_t count, size_t n)
{
    c->arena = &x->batch;
    c->err = taco__operator_err(x);
    c->cols = cols;
    c->count = count;
    c->n = n;
}

/* A batch of joined rows that pass WHERE; *n 0 with *end at the end, and without when none of a
   batch passed. Conditions are tested one by one, each on the rows that those before left. */
static bool taco__operator_filter(taco__executor *x, taco__vec **out, size_t *n, bool *end)
{
    taco_error *err = taco__operator_err(x);
    size_t t, i, m;
    taco__vec *cols =
        (taco__vec *)taco__arena_array(&x->batch, x->b.column_count + 1, sizeof *cols, err);
    if (!cols || !taco__operator_scan(x, 0, cols, n)) { return false; }
    *end = *n == 0;
    /* each table joins its rows to those of the tables before it */
    for (t = 1; *n && t < x->b.table_count; t++) {
        if (!taco__hash_join_run(x, t, &cols, n)) { return false; }
    }
    /* conditions that no scan could test */
    for (i = 0; *n && i < x->where_count; i++) {
        taco__sql_batch calc, part;
        uint32_t *idx;
        taco__operator_init_batch(x, &calc, cols, x->b.column_count, *n);
        idx = taco__evaluate_filter(&calc, x->where[i], &m);
        if (!idx) { return false; }
        if (m < *n) {
            if (!taco__evaluate_subset(&calc, idx, m, &part)) { return false; }
            memcpy(cols, part.cols, x->b.column_count * sizeof *cols);
            *n = m;
        }
    }
    *out = cols;
    return true;
}

/* ---- groups ---- */

/* Adds a batch, whose rows belong to group[i], to all aggregates. */
static bool taco__operator_aggregate(taco__executor *x, taco__sql_batch *calc,
                                     const uint32_t *group)
{
    size_t i, k;
    for (i = 0; i < x->b.aggr_count; i++) {
        taco__bind_aggregation *g = &x->b.aggrs[i];
        taco__vec v, f;
        uint8_t *keep = NULL;
        /* FILTER: rows of the batch that this aggregate looks at */
        if (g->filter) {
            keep = (uint8_t *)taco__arena_alloc(&x->batch, calc->n, calc->err);
            if (!keep || !taco__evaluate_expr(calc, g->filter, &f)) { return false; }
            for (k = 0; k < calc->n; k++) {
                keep[k] = taco__vec_is_valid(&f, k) && f.v.i[k * f.step];
            }
        }
        if (!taco__aggregate_reserve(&g->a, &x->hold[0], TACO__MAX(x->groups.count, (size_t)1),
                                     calc->err)) {
            return false;
        }
        if (g->arg) {
            if (!taco__evaluate_expr(calc, g->arg, &v)) { return false; }
        }
        if (!taco__aggregate_add(&g->a, &x->hold[0], g->arg ? &v : NULL, group, keep, calc->n,
                                 calc->err)) {
            return false;
        }
    }
    return true;
}

/* Reads all rows into groups, and makes their keys and results the columns of x->input. Without
   GROUP BY there is one group, even of no rows. */
static bool taco__operator_group(taco__executor *x)
{
    taco_error *err = taco__operator_err(x);
    size_t i, n;
    bool end = false;
    if (!taco__group_table_init(x, &x->groups, x->b.groups, x->b.group_count)) { return false; }
    while (!end) {
        taco__vec *cols, *keys;
        uint32_t *group;
        taco__sql_batch calc;
        taco__arena_reset(&x->batch);
        if (!taco__operator_filter(x, &cols, &n, &end)) { return false; }
        if (!n) { continue; }
        taco__operator_init_batch(x, &calc, cols, x->b.column_count, n);
        keys = (taco__vec *)taco__arena_array(&x->batch, x->b.group_count + 1, sizeof *keys, err);
        group = (uint32_t *)taco__arena_array(&x->batch, n, sizeof *group, err);
        for (i = 0; keys && i < x->b.group_count; i++) {
            if (!taco__evaluate_expr(&calc, x->b.groups[i], &keys[i])) { return false; }
        }
        if (!keys || !group ||
            (x->b.group_count && !taco__group_table_number_rows(x, &x->groups, keys, n, group)) ||
            !taco__operator_aggregate(x, &calc, group)) {
            return false;
        }
    }
    /* all rows are read: keys and results become columns, which operators after this read in
       slices */
    n = x->b.group_count ? x->groups.count : 1;
    x->input = (taco__vec *)taco__arena_array(&x->hold[0], x->b.group_count + x->b.aggr_count + 1,
                                              sizeof *x->input, err);
    for (i = 0; x->input && i < x->b.group_count; i++) {
        x->input[i] = x->groups.cols[i].v;
    }
    for (i = 0; x->input && i < x->b.aggr_count; i++) {
        taco__aggregate *a = &x->b.aggrs[i].a;
        if (!taco__aggregate_reserve(a, &x->hold[0], TACO__MAX(n, (size_t)1), err) ||
            !taco__aggregate_finish(a, &x->hold[0], n, &x->input[x->b.group_count + i], err)) {
            return false;
        }
        taco__buf_free(&a->groups);
    }
    x->input_n = n;
    return x->input != NULL;
}

/* The next batch before the projection: rows that pass WHERE, or a slice of the groups that pass
   HAVING. */
static bool taco__operator_input(taco__executor *x, taco__sql_batch *calc, bool *end)
{
    taco__vec *cols;
    size_t i, n, m, count = x->b.group_count + x->b.aggr_count;
    uint32_t *idx;
    if (!x->grouped) {
        if (!taco__operator_filter(x, &cols, &n, end)) { return false; }
        taco__operator_init_batch(x, calc, cols, x->b.column_count, n);
        return true;
    }
    n = TACO__MIN(x->input_n - x->input_at, TACO__SQL_BATCH_ROWS);
    *end = n == 0;
    cols =
        (taco__vec *)taco__arena_array(&x->batch, count + 1, sizeof *cols, taco__operator_err(x));
    idx = (uint32_t *)taco__arena_array(&x->batch, n, sizeof *idx, taco__operator_err(x));
    if (!cols || !idx) { return false; }
    for (i = 0; i < n; i++) {
        idx[i] = (uint32_t)(x->input_at + i);
    }
    for (i = 0; i < count; i++) {
        if (!taco__vec_take(&x->batch, &x->input[i], idx, n, &cols[i], taco__operator_err(x))) {
            return false;
        }
    }
    x->input_at += n;
    taco__operator_init_batch(x, calc, cols, count, n);
    if (x->s.having && n) {
        idx = taco__evaluate_filter(calc, x->s.having, &m);
        return idx && (m == n || taco__evaluate_subset(calc, idx, m, calc));
    }
    return true;
}

/* ---- the result ---- */

/* The select items and sort keys of a batch. */
static bool taco__operator_project(taco__executor *x, taco__sql_batch *calc, taco__vec **out)
{
    taco__vec *v =
        (taco__vec *)taco__arena_array(&x->batch, x->width + 1, sizeof *v, taco__operator_err(x));
    size_t i;
    for (i = 0; v && i < x->width; i++) {
        if (!taco__evaluate_expr(calc, x->items[i], &v[i])) { return false; }
        if (v[i].n != calc->n) { v[i].n = calc->n; }
    }
    *out = v;
    return v != NULL;
}

/* Drops rows that were seen before. A row is new when its number in the table of seen rows is the
   next one: numbers are given in the order rows come. */
static bool taco__operator_distinct(taco__executor *x, taco__vec *v, size_t *n)
{
    uint32_t *id = (uint32_t *)taco__arena_array(&x->batch, *n, sizeof *id, taco__operator_err(x)),
             *idx;
    size_t i, m = 0, before = x->seen.count;
    idx = (uint32_t *)taco__arena_array(&x->batch, *n, sizeof *idx, taco__operator_err(x));
    if (!id || !idx ||
        (!x->seen.cols && !taco__group_table_init(x, &x->seen, x->items, x->item_count)) ||
        !taco__group_table_number_rows(x, &x->seen, v, *n, id)) {
        return false;
    }
    for (i = 0; i < *n; i++) {
        if (id[i] == before + m) { /* the first of its kind */
            idx[m++] = (uint32_t)i;
        }
    }
    for (i = 0; i < x->width; i++) {
        taco__vec part;
        if (!taco__vec_take(&x->batch, &v[i], idx, m, &part, taco__operator_err(x))) {
            return false;
        }
        v[i] = part;
    }
    *n = m;
    return true;
}

/* Projected rows, DISTINCT applied. *n may be 0 before the end. The batch arena is emptied first:
   vectors of the batch before are gone. */
static bool taco__operator_rows(taco__executor *x, taco__vec **v, size_t *n, bool *end)
{
    taco__sql_batch calc;
    taco__arena_reset(&x->batch);
    if (!taco__operator_input(x, &calc, end)) { return false; }
    *n = calc.n;
    if (!*n) { return true; }
    return taco__operator_project(x, &calc, v) &&
           (!x->s.distinct || taco__operator_distinct(x, *v, n));
}

/* What must read all its input before the first row comes out: right sides of joins, groups,
   sorting. */
static bool taco__operator_begin(taco__executor *x)
{
    size_t t;
    x->begun = true;
    for (t = 1; t < x->b.table_count; t++) {
        if (!taco__hash_join_build(x, t)) { return false; }
    }
    if (x->grouped && !taco__operator_group(x)) { return false; }
    /* rows are sorted when all are there; from then on batches come from x->sequence */
    if (x->order_count) {
        bool end = false;
        x->kept_vecs = (taco__vec *)taco__arena_array(&x->c->arena, x->width + 1,
                                                      sizeof *x->kept_vecs, taco__operator_err(x));
        if (!x->kept_vecs || !taco__sort_operator_init_rows(x, &x->hold[0], &x->kept)) {
            return false;
        }
        taco__sort_operator_set_vectors(x);
        while (!end) {
            taco__vec *v;
            size_t n;
            if (!taco__operator_rows(x, &v, &n, &end) || (n && !taco__sort_operator_add(x, v, n))) {
                return false;
            }
        }
        x->sorted = true;
        return taco__sort_operator_sort(x, x->kept_vecs[0].n);
    }
    return true;
}

/* Takes OFFSET and LIMIT off the rows of a batch. The batch may become empty while the result goes
   on. */
static bool taco__operator_limit(taco__executor *x, taco__vec *v, size_t *n)
{
    size_t skip = (size_t)TACO__MIN(x->skip, (uint64_t)*n), i;
    size_t take = (size_t)TACO__MIN((uint64_t)(*n - skip), x->left);
    uint32_t *idx;
    /* UINT64_MAX is no limit and stays so */
    x->skip -= skip;
    x->left -= x->left == UINT64_MAX ? 0 : take;
    if (take == *n) { return true; }
    idx = (uint32_t *)taco__arena_array(&x->batch, take, sizeof *idx, taco__operator_err(x));
    for (i = 0; idx && i < take; i++) {
        idx[i] = (uint32_t)(skip + i);
    }
    for (i = 0; idx && i < x->item_count; i++) {
        taco__vec part;
        if (!taco__vec_take(&x->batch, &v[i], idx, take, &part, taco__operator_err(x))) {
            return false;
        }
        v[i] = part;
    }
    *n = take;
    return idx != NULL;
}

/* The next batch of the result; false at the end and on failure. Vectors become arrays that live
   until the next call, columns that were handed on go out as they came in. */
TACO__FN bool taco__operator_next(taco__executor *x, taco_batch *out)
{
    taco_cursor *c = x->c;
    taco__vec *v = NULL;
    size_t i, n = 0;
    bool end = false;
    if (!x->left || (!x->begun && !taco__operator_begin(x))) { return false; }
    while (!end && !n) {
        if (!x->left) { return false; }
        if (!(x->sorted ? taco__sort_operator_next(x, &v, &n, &end)
                        : taco__operator_rows(x, &v, &n, &end)) ||
            (n && !taco__operator_limit(x, v, &n))) {
            return false;
        }
    }
    for (i = 0; n && i < x->item_count; i++) {
        if (v[i].source) {
            c->batch.arrays[i] = *v[i].source;
            c->batch.arrays[i].field = &c->columns.fields[i];
            continue;
        }
        if (!taco__vec_flatten(&x->batch, &v[i], &c->err) ||
            !taco__vec_arrow_store(&x->batch, &v[i], &c->columns.fields[i], &c->batch.arrays[i],
                                   &c->err)) {
            return false;
        }
    }
    out->length = n;
    out->columns = c->batch.arrays;
    out->column_count = c->columns.count;
    out->first_row = -1;
    return n != 0;
}

/* Closes the scans and frees what the plan holds; the plan itself is in the cursor's arena. */
TACO__FN void taco__operator_close(taco__executor *x)
{
    size_t i;
    for (i = 0; i < TACO__SQL_MAX_TABLES; i++) {
        taco_cursor_close(x->scans[i], NULL);
    }
    for (i = 0; i < x->b.aggr_count; i++) {
        taco__buf_free(&x->b.aggrs[i].a.groups);
    }
    taco__arena_free(&x->batch);
    taco__arena_free(&x->hold[0]);
    taco__arena_free(&x->hold[1]);
}
/* ==== src/sql/hash_join.c ==== */
/* hash_join.c - hash joins: [LEFT] JOIN ... ON with at least one equality

   The right table is read whole and hashed by its keys before the first row comes out; each batch
   of the left side then looks its rows up. Pairs of row numbers are made first, conditions of ON
   other than equalities thin them out, and the columns are gathered last. NULL keys match
   nothing.

   Example: of ON a.id = b.id AND a.v < b.v the equality is the key of the hash table, and a.v < b.v
   is computed for the pairs that it finds. */
/* #include "sql.h" */
/* #include "../base/base.h" */

/* Builders for the columns and keys of table t. */
static bool taco__hash_join_init(taco__executor *x, size_t t, taco__vec_builder *keys)
{
    taco__hash_join *j = &x->joins[t];
    taco_error *err = taco__operator_err(x);
    taco__arena *hold = &x->hold[0];
    size_t i;
    j->cols =
        (taco__vec_builder *)taco__arena_array(hold, x->b.column_count + 1, sizeof *j->cols, err);
    j->key_cols = (taco__vec *)taco__arena_array(hold, j->keys, sizeof *j->key_cols, err);
    if (!j->cols || !j->key_cols || !keys) { return false; }
    for (i = 0; i < x->scan_count[t]; i++) {
        size_t place = x->scan_cols[t][i];
        if (!taco__vec_builder_init(hold, &x->b.tables[t].types[x->b.columns[place].column],
                                    &j->cols[place], err)) {
            return false;
        }
    }
    for (i = 0; i < j->keys; i++) {
        if (!taco__vec_builder_init(hold, &j->right[i]->type, &keys[i], err)) { return false; }
    }
    return true;
}

/* Holds the n rows of a batch of table t, and their keys. */
static bool taco__hash_join_add_batch(taco__executor *x, size_t t, taco__vec_builder *keys,
                                      const taco__vec *cols, size_t n)
{
    taco__hash_join *j = &x->joins[t];
    taco_error *err = taco__operator_err(x);
    taco__sql_batch calc;
    size_t i;
    taco__operator_init_batch(x, &calc, cols, x->b.column_count, n);
    for (i = 0; i < x->scan_count[t]; i++) {
        size_t place = x->scan_cols[t][i];
        if (!taco__vec_builder_append(&x->hold[0], &j->cols[place], &cols[place], NULL, n, err)) {
            return false;
        }
    }
    for (i = 0; i < j->keys; i++) {
        taco__vec v;
        if (!taco__evaluate_expr(&calc, j->right[i], &v) ||
            !taco__vec_builder_append(&x->hold[0], &keys[i], &v, NULL, n, err)) {
            return false;
        }
    }
    j->rows += n;
    return true;
}

/* Chains the held rows by the hash of their keys: heads has the first row + 1 of a slot, next that
   of each row. Rows of a chain ascend, so that pairs come in the order of the table. */
static bool taco__hash_join_index(taco__executor *x, taco__hash_join *j)
{
    taco_error *err = taco__operator_err(x);
    taco__arena *hold = &x->hold[0];
    size_t i;
    /* at most half full */
    for (j->slots = 16; j->slots < j->rows * 2; j->slots *= 2) {}
    j->hashes = (uint64_t *)taco__arena_array(hold, j->rows + 1, sizeof *j->hashes, err);
    j->heads = (uint32_t *)taco__arena_array(hold, j->slots, sizeof *j->heads, err);
    j->next = (uint32_t *)taco__arena_array(hold, j->rows + 1, sizeof *j->next, err);
    if (!j->hashes || !j->heads || !j->next) { return false; }
    for (i = 0; i < j->keys; i++) {
        taco__vec_hash(&j->key_cols[i], j->hashes);
    }
    for (i = j->rows; i-- > 0;) {
        size_t at = (size_t)j->hashes[i] & (j->slots - 1);
        j->next[i] = j->heads[at];
        j->heads[at] = (uint32_t)i + 1;
    }
    return true;
}

/* Holds all of table t, and its keys in a hash table. */
TACO__FN bool taco__hash_join_build(taco__executor *x, size_t t)
{
    taco__hash_join *j = &x->joins[t];
    taco_error *err = taco__operator_err(x);
    taco__vec_builder *keys =
        (taco__vec_builder *)taco__arena_array(&x->hold[0], j->keys, sizeof *keys, err);
    size_t i, n;
    if (!taco__hash_join_init(x, t, keys)) { return false; }
    for (;;) {
        taco__vec *cols;
        taco__arena_reset(&x->batch);
        cols = (taco__vec *)taco__arena_array(&x->batch, x->b.column_count + 1, sizeof *cols, err);
        if (!cols || !taco__operator_scan(x, t, cols, &n)) { return false; }
        if (!n) { break; }
        if (!taco__hash_join_add_batch(x, t, keys, cols, n)) { return false; }
    }
    for (i = 0; i < j->keys; i++) {
        j->key_cols[i] = keys[i].v;
    }
    return taco__hash_join_index(x, j);
}

/* Whether a key of row i is null, so that it meets no row. */
static bool taco__hash_join_has_null_key(const taco__vec *keys, size_t n, size_t i)
{
    size_t k;
    for (k = 0; k < n; k++) {
        if (!taco__vec_is_valid(&keys[k], i)) { return true; }
    }
    return false;
}

/* A row of the left side and the row it meets, TACO__VEC_NONE for none. */
static bool taco__hash_join_add_pair(taco__executor *x, taco__buf *l, taco__buf *r, uint32_t left,
                                     uint32_t right)
{
    return taco__buf_append(l, &left, sizeof left, taco__operator_err(x)) &&
           taco__buf_append(r, &right, sizeof right, taco__operator_err(x));
}

/* The batch that a list of pairs makes: columns of tables before t by the left numbers, those of t
   by the right ones, nulls for TACO__VEC_NONE. Columns of later tables are not there yet. */
static bool taco__hash_join_combine(taco__executor *x, size_t t, const taco__vec *cols,
                                    const uint32_t *l, const uint32_t *r, size_t n, taco__vec *out)
{
    size_t i;
    for (i = 0; i < x->b.column_count; i++) {
        size_t table = x->b.columns[i].table;
        if (table < t && cols[i].type &&
            !taco__vec_take(&x->batch, &cols[i], l, n, &out[i], taco__operator_err(x))) {
            return false;
        }
        if (table == t && !taco__vec_take(&x->batch, &x->joins[t].cols[i].v, r, n, &out[i],
                                          taco__operator_err(x))) {
            return false;
        }
    }
    return true;
}

/* Pairs that pass the rest of ON; rows of the left side that lose all theirs come with none, when
   outer. */
static bool taco__hash_join_filter_pairs(taco__executor *x, size_t t, const taco__vec *cols,
                                         size_t rows, taco__buf *l, taco__buf *r)
{
    taco__hash_join *j = &x->joins[t];
    uint32_t *left = (uint32_t *)(void *)l->data, *right = (uint32_t *)(void *)r->data, *idx;
    size_t n = l->len / sizeof *left, m = 0, i, k;
    taco__vec *out = (taco__vec *)taco__arena_array(&x->batch, x->b.column_count + 1, sizeof *out,
                                                    taco__operator_err(x));
    taco__sql_batch calc;
    uint8_t *hit = (uint8_t *)taco__arena_alloc(&x->batch, rows, taco__operator_err(x));
    if (!out || !hit || !taco__hash_join_combine(x, t, cols, left, right, n, out)) { return false; }
    taco__operator_init_batch(x, &calc, out, x->b.column_count, n);
    idx = taco__evaluate_filter(&calc, j->rest, &m);
    if (!idx) { return false; }
    /* pairs that pass the rest of ON; rows of the left side that lost all of theirs come back with
   nulls where the join is LEFT */
    for (i = k = 0; i < m; i++) {
        if (right[idx[i]] != TACO__VEC_NONE) {
            left[k] = left[idx[i]];
            right[k++] = right[idx[i]];
            hit[left[k - 1]] = 1;
        }
    }
    l->len = r->len = k * sizeof *left;
    for (i = 0; j->outer && i < rows; i++) {
        if (!hit[i] && !taco__hash_join_add_pair(x, l, r, (uint32_t)i, TACO__VEC_NONE)) {
            return false;
        }
    }
    return true;
}

/* The pairs of a batch, in the order of the left side: rows of the right table that have the keys,
   or none where LEFT keeps the row. */
static bool taco__hash_join_probe(taco__executor *x, size_t t, const taco__vec *cols, size_t n,
                                  taco__buf *l, taco__buf *r)
{
    taco__hash_join *j = &x->joins[t];
    taco_error *err = taco__operator_err(x);
    taco__vec *keys = (taco__vec *)taco__arena_array(&x->batch, j->keys, sizeof *keys, err);
    uint64_t *h = (uint64_t *)taco__arena_array(&x->batch, n + 1, sizeof *h, err);
    taco__sql_batch calc;
    size_t i, k;
    if (!keys || !h) { return false; }
    taco__operator_init_batch(x, &calc, cols, x->b.column_count, n);
    for (k = 0; k < j->keys; k++) {
        if (!taco__evaluate_expr(&calc, j->left[k], &keys[k])) { return false; }
        taco__vec_hash(&keys[k], h);
    }
    /* hashes say where to look, keys whether it is a match */
    for (i = 0; i < n; i++) {
        uint32_t row = j->heads[(size_t)h[i] & (j->slots - 1)];
        bool any = false;
        for (; row && !taco__hash_join_has_null_key(keys, j->keys, i); row = j->next[row - 1]) {
            if (j->hashes[row - 1] == h[i] &&
                taco__vec_equal(j->key_cols, row - 1, keys, i, j->keys)) {
                any = true;
                if (!taco__hash_join_add_pair(x, l, r, (uint32_t)i, row - 1)) { return false; }
            }
        }
        if (!any && j->outer && !taco__hash_join_add_pair(x, l, r, (uint32_t)i, TACO__VEC_NONE)) {
            return false;
        }
    }
    return !j->rest || taco__hash_join_filter_pairs(x, t, cols, n, l, r);
}

/* Joins table t to a batch. */
TACO__FN bool taco__hash_join_run(taco__executor *x, size_t t, taco__vec **cols, size_t *n)
{
    taco__buf l, r;
    taco__vec *out = (taco__vec *)taco__arena_array(&x->batch, x->b.column_count + 1, sizeof *out,
                                                    taco__operator_err(x));
    bool ok = out != NULL;
    memset(&l, 0, sizeof l);
    memset(&r, 0, sizeof r);
    l.mem = r.mem = x->c->mem;
    ok = ok && taco__hash_join_probe(x, t, *cols, *n, &l, &r);
    ok = ok && taco__hash_join_combine(x, t, *cols, (const uint32_t *)(const void *)l.data,
                                       (const uint32_t *)(const void *)r.data,
                                       l.len / sizeof(uint32_t), out);
    *cols = out;
    *n = l.len / sizeof(uint32_t);
    taco__buf_free(&l);
    taco__buf_free(&r);
    return ok;
}
/* ==== src/sql/group_table.c ==== */
/* group_table.c - distinct rows, numbered: keys of GROUP BY and rows of DISTINCT

   An open-addressed hash table with linear probing: slots hold a group's number + 1, the rows
   themselves are columns of builders, their hashes are kept for growing and for comparing first. A
   single text key with a short dictionary is looked up once for each of its entries.

   Example: rows with the keys 'a', 'b', 'a' get the numbers 0, 1, 0; aggregates.c then adds the
   values of the rows to the states 0, 1, 0. */
/* #include "sql.h" */
/* #include "../base/base.h" */

/* ---- numbered rows ---- */

/* An empty table of rows with the types of `width` expressions. */
TACO__FN bool taco__group_table_init(taco__executor *x, taco__group_table *g,
                                     taco__sql_expr *const *types, size_t width)
{
    size_t i;
    g->width = width;
    g->cols = (taco__vec_builder *)taco__arena_array(&x->hold[0], width + 1, sizeof *g->cols,
                                                     taco__operator_err(x));
    g->vecs = (taco__vec *)taco__arena_array(&x->hold[0], width + 1, sizeof *g->vecs,
                                             taco__operator_err(x));
    for (i = 0; g->cols && g->vecs && i < width; i++) {
        if (!taco__vec_builder_init(&x->hold[0], &types[i]->type, &g->cols[i],
                                    taco__operator_err(x))) {
            return false;
        }
    }
    return g->cols && g->vecs;
}

/* Doubles the room for groups; slots stay at least half empty. */
static bool taco__group_table_grow(taco__executor *x, taco__group_table *g)
{
    size_t cap = g->cap ? g->cap * 2 : 1024, slots = cap * 2, i;
    uint64_t *hashes =
        (uint64_t *)taco__arena_array(&x->hold[0], cap, sizeof *hashes, taco__operator_err(x));
    uint32_t *table =
        (uint32_t *)taco__arena_array(&x->hold[0], slots, sizeof *table, taco__operator_err(x));
    if (!hashes || !table) { return false; }
    if (g->count) { memcpy(hashes, g->hashes, g->count * sizeof *hashes); }
    for (i = 0; i < g->count; i++) {
        size_t at = (size_t)hashes[i] & (slots - 1);
        while (table[at]) {
            at = (at + 1) & (slots - 1);
        }
        table[at] = (uint32_t)i + 1;
    }
    g->hashes = hashes;
    g->table = table;
    g->cap = cap;
    g->slots = slots;
    return true;
}

/* The number of the group of row i of v, whose hash is h, a new one if need be; UINT32_MAX
   without memory. Hashes are compared before values; slots are at least half empty, so that
   probing ends. */
static uint32_t taco__group_table_find_or_add(taco__executor *x, taco__group_table *g,
                                              const taco__vec *v, size_t i, uint64_t h)
{
    size_t at, k;
    uint32_t row = (uint32_t)i;
    if (g->count == g->cap && !taco__group_table_grow(x, g)) { return UINT32_MAX; }
    at = (size_t)h & (g->slots - 1);
    while (g->table[at] && (g->hashes[g->table[at] - 1] != h ||
                            !taco__vec_equal(g->vecs, g->table[at] - 1, v, i, g->width))) {
        at = (at + 1) & (g->slots - 1);
    }
    if (!g->table[at]) {
        for (k = 0; k < g->width; k++) {
            if (!taco__vec_builder_append(&x->hold[0], &g->cols[k], &v[k], &row, 1,
                                          taco__operator_err(x))) {
                return UINT32_MAX;
            }
            g->vecs[k] = g->cols[k].v;
        }
        g->hashes[g->count] = h;
        g->table[at] = (uint32_t)++g->count;
    }
    return g->table[at] - 1;
}

/* Groups by one text with a short dictionary: each of its entries is looked up once in a batch,
   and rows go by their code. Code code_n stands for null. */
static bool taco__group_table_number_codes(taco__executor *x, taco__group_table *g,
                                           const taco__vec *v, size_t n, uint32_t *out)
{
    uint32_t *known = (uint32_t *)taco__arena_array(&x->batch, v->code_n + 1, sizeof *known,
                                                    taco__operator_err(x)); /* group + 1 */
    size_t i;
    if (!known) { return false; }
    for (i = 0; i < n; i++) {
        size_t code = taco__vec_is_valid(v, i) ? (size_t)(uint32_t)v->codes[i] : v->code_n;
        if (TACO__UNLIKELY(!known[code])) {
            uint64_t h;
            taco__vec_arrow_load_code_text(v, i);
            h = taco__vec_hash_mix(taco__vec_hash_one(v, i));
            known[code] = taco__group_table_find_or_add(x, g, v, i, h) + 1;
            if (!known[code]) { return false; }
        }
        out[i] = known[code] - 1;
    }
    return true;
}

/* The number of each row's group, new ones added. */
TACO__FN bool taco__group_table_number_rows(taco__executor *x, taco__group_table *g,
                                            const taco__vec *v, size_t n, uint32_t *out)
{
    uint64_t *h;
    size_t i, k;
    /* one text key with fewer entries than rows */
    if (g->width == 1 && v->codes && v->step && v->code_n <= n) {
        return taco__group_table_number_codes(x, g, v, n, out);
    }
    h = (uint64_t *)taco__arena_array(&x->batch, n + 1, sizeof *h, taco__operator_err(x));
    if (!h) { return false; }
    for (k = 0; k < g->width; k++) {
        taco__vec_hash(&v[k], h);
    }
    for (i = 0; i < n; i++) {
        out[i] = taco__group_table_find_or_add(x, g, v, i, h[i]);
        if (out[i] == UINT32_MAX) { return false; }
    }
    return true;
}
/* ==== src/sql/sort_operator.c ==== */
/* sort_operator.c - ORDER BY: rows kept, sorted by index, handed out in batches

   Rows are kept in builders, column by column; sorting moves row numbers only, stably, so that
   equal rows keep their order. With a LIMIT only the best rows stay: once twice as many as needed
   are there, they are sorted and the rest is dropped (taco__sort_operator_prune), and later rows
   are compared with the worst of them first.

   Example: with LIMIT 10 over a million rows, rows are dropped down to the best ten whenever more
   than 20 and a batch of them are there. */
/* #include "sql.h" */
/* #include "../base/base.h" */

/* ---- order ---- */

/* Order of row i of a and row j of b by the sort keys, where nulls are first or last whatever the
   direction. */
static int taco__sort_operator_compare(const taco__executor *x, const taco__vec *a, size_t i,
                                       const taco__vec *b, size_t j)
{
    size_t k;
    for (k = 0; k < x->order_count; k++) {
        const taco__vec *p = &a[x->order_at[k]], *q = &b[x->order_at[k]];
        bool u = taco__vec_is_valid(p, i), v = taco__vec_is_valid(q, j);
        int c;
        if (!u || !v) {
            if (u != v) { return u == x->order[k].nulls_first ? 1 : -1; }
            continue;
        }
        c = taco__vec_compare(p, i, q, j);
        if (c) { return x->order[k].desc ? -c : c; }
    }
    return 0;
}

/* taco__sort_compare of kept rows. */
static int taco__sort_operator_compare_rows(const void *ctx, const void *a, const void *b)
{
    const taco__executor *x = (const taco__executor *)ctx;
    return taco__sort_operator_compare(x, x->kept_vecs, *(const uint32_t *)a, x->kept_vecs,
                                       *(const uint32_t *)b);
}

/* Sorts the first n rows that are kept, equal ones in their order; x->sequence gets their
   numbers. */
TACO__FN bool taco__sort_operator_sort(taco__executor *x, size_t n)
{
    taco_error *err = taco__operator_err(x);
    uint32_t *idx = (uint32_t *)taco__arena_array(&x->hold[0], n + 1, sizeof *idx, err),
             *tmp = (uint32_t *)taco__arena_array(&x->hold[0], n / 2 + 1, sizeof *tmp, err);
    size_t i;
    if (!idx || !tmp) { return false; }
    for (i = 0; i < n; i++) {
        idx[i] = (uint32_t)i;
    }
    taco__sort(idx, tmp, n, sizeof *idx, taco__sort_operator_compare_rows, x);
    x->sequence = idx;
    x->sequence_n = n;
    return true;
}

/* Empty builders with the types of items and further sort keys. */
TACO__FN bool taco__sort_operator_init_rows(taco__executor *x, taco__arena *hold,
                                            taco__vec_builder **out)
{
    size_t i;
    *out = (taco__vec_builder *)taco__arena_array(hold, x->width + 1, sizeof **out,
                                                  taco__operator_err(x));
    for (i = 0; *out && i < x->width; i++) {
        if (!taco__vec_builder_init(hold, &x->items[i]->type, &(*out)[i], taco__operator_err(x))) {
            return false;
        }
    }
    return *out != NULL;
}

/* Refreshes the vectors by which kept rows are compared: appending may move a builder's memory. */
TACO__FN void taco__sort_operator_set_vectors(taco__executor *x)
{
    size_t i;
    for (i = 0; i < x->width; i++) {
        x->kept_vecs[i] = x->kept[i].v;
    }
}

/* Of many rows only the first `want` are needed: they are sorted and moved to the other arena, the
   rest is freed with the old one. Rows that come later must be before the last of them. */
static bool taco__sort_operator_prune(taco__executor *x, size_t want)
{
    taco__vec_builder *next;
    taco__arena swap;
    size_t i;
    if (!taco__sort_operator_sort(x, x->kept_vecs[0].n) ||
        !taco__sort_operator_init_rows(x, &x->hold[1], &next)) {
        return false;
    }
    for (i = 0; i < x->width; i++) {
        if (!taco__vec_builder_append(&x->hold[1], &next[i], &x->kept_vecs[i], x->sequence, want,
                                      taco__operator_err(x))) {
            return false;
        }
    }
    x->kept = next;
    taco__sort_operator_set_vectors(x);
    swap = x->hold[0];
    x->hold[0] = x->hold[1];
    x->hold[1] = swap;
    taco__arena_free(&x->hold[1]);
    x->worst = want - 1;
    x->has_worst = true;
    return true;
}

/* Rows of v that may come before the worst one that is kept, by their first key alone: a pass over
   plain numbers, which for ORDER BY ... LIMIT drops most rows before any full comparison. Other
   types give all rows. */
static size_t taco__sort_operator_candidates(const taco__executor *x, const taco__vec *v, size_t n,
                                             uint32_t *idx)
{
    const taco__vec *p = &v[x->order_at[0]], *q = &x->kept_vecs[x->order_at[0]];
    taco__physical_type ph = taco__sql_type_physical(p->type);
    bool desc = x->order[0].desc, first = x->order[0].nulls_first;
    size_t i, m = 0;
    if ((ph != TACO__PHYS_DBL && ph != TACO__PHYS_INT) || !taco__vec_is_valid(q, x->worst)) {
        for (; m < n; m++) {
            idx[m] = (uint32_t)m;
        }
    } else if (ph == TACO__PHYS_DBL) {
        double w = q->v.f[x->worst];
        /* NaN is greater than all numbers: it is looked at in any case */
        for (i = 0; i < n; i++) {
            double d = p->v.f[i * p->step];
            bool out = desc ? d < w : d > w;
            idx[m] = (uint32_t)i;
            m += taco__vec_is_valid(p, i) ? !out || w != w || d != d : first;
        }
    } else {
        int64_t w = q->v.i[x->worst];
        for (i = 0; i < n; i++) {
            int64_t d = p->v.i[i * p->step];
            idx[m] = (uint32_t)i;
            m += taco__vec_is_valid(p, i) ? (desc ? d >= w : d <= w) : first;
        }
    }
    return m;
}

/* Keeps the rows of a batch, those of a LIMIT only if they come before the worst that is needed. */
TACO__FN bool taco__sort_operator_add(taco__executor *x, const taco__vec *v, size_t n)
{
    uint64_t want = x->skip > UINT64_MAX - x->left ? UINT64_MAX : x->skip + x->left;
    /* pruning frees hold[0]: neither groups nor rows of a join or of DISTINCT may live there */
    bool few = want && want < 100000 && !x->grouped && !x->s.distinct && x->b.table_count == 1;
    uint32_t *idx = NULL;
    size_t i, m = n;
    /* a cheap test of the first key, then a full comparison with the worst row */
    if (x->has_worst) {
        idx = (uint32_t *)taco__arena_array(&x->batch, n, sizeof *idx, taco__operator_err(x));
        if (!idx) { return false; }
        n = taco__sort_operator_candidates(x, v, n, idx);
        for (i = m = 0; i < n; i++) {
            if (taco__sort_operator_compare(x, v, idx[i], x->kept_vecs, x->worst) < 0) {
                idx[m++] = idx[i];
            }
        }
    }
    for (i = 0; m && i < x->width; i++) {
        if (!taco__vec_builder_append(&x->hold[0], &x->kept[i], &v[i], idx, m,
                                      taco__operator_err(x))) {
            return false;
        }
    }
    taco__sort_operator_set_vectors(x);
    if (few && x->kept_vecs[0].n > (size_t)want * 2 + TACO__SQL_BATCH_ROWS) {
        return taco__sort_operator_prune(x, (size_t)want);
    }
    return true;
}

/* The next batch of sorted rows; *end where there is none. */
TACO__FN bool taco__sort_operator_next(taco__executor *x, taco__vec **v, size_t *n, bool *end)
{
    size_t i, m = TACO__MIN(x->sequence_n - x->sequence_at, TACO__SQL_BATCH_ROWS);
    taco__arena_reset(&x->batch);
    *v = (taco__vec *)taco__arena_array(&x->batch, x->width + 1, sizeof **v, taco__operator_err(x));
    for (i = 0; *v && i < x->item_count; i++) {
        if (!taco__vec_take(&x->batch, &x->kept_vecs[i], x->sequence + x->sequence_at, m, &(*v)[i],
                            taco__operator_err(x))) {
            return false;
        }
    }
    x->sequence_at += m;
    *n = m;
    *end = m == 0;
    return *v != NULL;
}
/* ==== src/sql/planner.c ==== */
/* planner.c - planner: a parsed SELECT becomes a plan over cursors of the dataset

   In: the text of taco_sql, or a SELECT of a view with what FROM data means there
   (taco__sql_source). Out: a taco__executor ready for operators.c. taco__planner_plan does it in
   the order of the clauses: tables, joins, WHERE (pushdown.c gives the scans what they can test),
   groups, items, HAVING, order; then it opens a cursor for each table over the columns that bound
   trees name.

   Example: SELECT split, count(*) FROM data WHERE v > 1 AND upper(id) LIKE 'A%' GROUP BY split
     scan       columns id and split of the rows with v > 1, which statistics may prune
     filter     upper(id) LIKE 'A%': not a column against a literal, so not the scan's
     group      key split, aggregate count(*)
     project    split, count_star() */
/* #include "sql.h" */
/* #include "../base/base.h" */
/* #include "../filter/filter.h" */
/* #include "../dataset/dataset.h" */

/* ---- tables ---- */

/* Whether FROM names the view. */
TACO__FN bool taco__planner_is_source(const taco__executor *x, size_t t)
{
    return x->base && taco__ascii_is_word(x->s.from[t].name, "data");
}

/* Makes columns of a table known to the binder: the first `visible` of them are those of *. Names
   are copied. */
static bool taco__planner_bind_columns(taco__executor *x, taco__bind_table *out,
                                       const taco_field *from, size_t count, size_t visible)
{
    taco_error *err = taco__operator_err(x);
    taco__arena *arena = &x->c->arena;
    taco_field *fields = (taco_field *)taco__arena_array(arena, count + 1, sizeof *fields, err);
    taco__sql_type *types =
        (taco__sql_type *)taco__arena_array(arena, count + 1, sizeof *types, err);
    size_t i;
    out->place = (size_t *)taco__arena_array(arena, count + 1, sizeof *out->place, err);
    for (i = 0; fields && types && out->place && i < count; i++) {
        fields[i] = from[i];
        fields[i].name = taco__arena_text(arena, taco__bytes_text(from[i].name), err);
        out->place[i] = TACO__NONE;
        if (!fields[i].name || !taco__sql_type_from_field(arena, &fields[i], &types[i], err)) {
            return false;
        }
    }
    out->count = count;
    out->visible = visible;
    out->fields = fields;
    out->types = types;
    return fields && types && out->place;
}

/* Makes the columns of the table in FROM known: those of the view, or those that a cursor on the
   level would have. Such a cursor is opened without containers: nothing but schemas is read. */
TACO__FN bool taco__planner_bind_table(taco__executor *x, size_t t)
{
    taco__sql_table_ref *f = &x->s.from[t];
    taco__bind_table *out = &x->b.tables[t];
    taco_error *err = taco__operator_err(x);
    taco_cursor *probe;
    size_t i;
    bool ok;
    if (f->level && f->level >= taco_levels(x->c->ds)) {
        TACO__FAIL(err, TACO_ERR_SYNTAX, f->at, "there is no table %q: the deepest level is %u",
                   &f->name, TACO__U(taco_levels(x->c->ds) - 1));
        return false;
    }
    for (i = 0; i < t; i++) {
        if (taco__bind_names_equal(f->alias, x->s.from[i].alias)) {
            TACO__FAIL(err, TACO_ERR_SYNTAX, f->at, "two tables are called %q: give one an alias",
                       &f->alias);
            return false;
        }
    }
    out->alias = f->alias;
    if (taco__planner_is_source(x, t)) {
        f->level = x->base->level;
        f->flat = x->base->flat;
        return taco__planner_bind_columns(x, out, x->base->fields, x->base->count,
                                          x->base->visible);
    }
    probe = taco__select_columns(x->c->ds, f->level, f->flat, true, err);
    if (!probe) { return false; }
    ok = taco__planner_bind_columns(x, out, probe->columns.fields,
                                    probe->columns.count + probe->columns.hidden,
                                    probe->columns.count);
    taco_cursor_close(probe, err);
    return ok && err->code == TACO_OK;
}

/* ---- joins ---- */

/* Tables that a bound tree asks for, a bit each. */
static uint32_t taco__planner_tables_of(const taco__executor *x, const taco__sql_expr *e)
{
    uint32_t bits = e->kind == TACO__SQL_EXPR_REF ? (uint32_t)1 << x->b.columns[e->index].table : 0,
             i;
    for (i = 0; i < e->n; i++) {
        bits |= taco__planner_tables_of(x, e->kid[i]);
    }
    return bits;
}

/* A condition that the columns of one name of two tables are equal, null equal to null; the tables
   are those of the two sides of `like`. NULL without an error where one has no such column. */
static taco__sql_expr *taco__planner_new_equality(taco__executor *x, const taco__sql_expr *like,
                                                  const char *name)
{
    taco__arena *arena = &x->c->arena;
    taco__sql_expr *e =
        (taco__sql_expr *)taco__arena_alloc(arena, sizeof *e, taco__operator_err(x));
    size_t i, table, column;
    if (!e) { return NULL; }
    e->kind = TACO__SQL_EXPR_CMP;
    e->op = TACO__OP_EQ;
    e->at = like->at;
    e->nullsafe = true;
    e->kid = (taco__sql_expr **)taco__arena_array(arena, 2, sizeof *e->kid, taco__operator_err(x));
    for (i = 0; e->kid && i < 2; i++) {
        taco__sql_expr *c =
            (taco__sql_expr *)taco__arena_alloc(arena, sizeof *c, taco__operator_err(x));
        if (!c || !taco__bind_find_column(&x->b, like->kid[i], &table, &column)) { return NULL; }
        c->kind = TACO__SQL_EXPR_COLUMN;
        c->table = x->b.tables[table].alias;
        c->name = taco__bytes_text(name);
        c->at = like->at;
        if (!taco__bind_find_column(&x->b, c, &table, &column)) {
            return NULL; /* the table has no such column: no condition */
        }
        e->kid[i] = c;
    }
    e->n = 2;
    return e->kid ? e : NULL;
}

/* parent_id = current_id joins a level to the one above it. Ids start again in every archive and
   dataset, so the columns that say where a row is from must be equal too (facts: disagreements 5):
   appends conditions for those that both tables have. */
static bool taco__planner_split_parent_join(taco__executor *x, const taco__sql_expr *e,
                                            taco__sql_expr **list, size_t *n)
{
    static const char *const names[] = {TACO__SOURCE_PATH, "internal:source_file"};
    size_t i;
    bool up, down;
    if (e->kind != TACO__SQL_EXPR_CMP || e->op != TACO__OP_EQ ||
        e->kid[0]->kind != TACO__SQL_EXPR_COLUMN || e->kid[1]->kind != TACO__SQL_EXPR_COLUMN) {
        return true;
    }
    up = taco__bind_name_is(e->kid[0]->name, "internal:parent_id") &&
         taco__bind_name_is(e->kid[1]->name, "internal:current_id");
    down = taco__bind_name_is(e->kid[1]->name, "internal:parent_id") &&
           taco__bind_name_is(e->kid[0]->name, "internal:current_id");
    for (i = 0; (up || down) && i < 2; i++) {
        taco__sql_expr *more = taco__planner_new_equality(x, e, names[i]);
        if (more) { list[(*n)++] = more; }
    }
    return taco__operator_err(x)->code == TACO_OK;
}

/* The conditions of ON, each on its own, and those that taco__planner_split_parent_join adds; *n of
   them, NULL on failure. */
static taco__sql_expr **taco__planner_list_conditions(taco__executor *x, taco__sql_expr *on,
                                                      size_t *n)
{
    bool several = on->kind == TACO__SQL_EXPR_AND;
    size_t i, count = several ? on->n : 1;
    taco__sql_expr **list = (taco__sql_expr **)taco__arena_array(
        &x->c->arena, count * 3, sizeof *list, taco__operator_err(x));
    *n = count;
    for (i = 0; list && i < count; i++) {
        list[i] = several ? on->kid[i] : on;
    }
    for (i = 0; list && i < count; i++) {
        if (!taco__planner_split_parent_join(x, list[i], list, n)) { return NULL; }
    }
    return list;
}

/* Makes a bound condition a pair of keys of the join, where it is an equality of something of table
   t with something of tables before it. */
static bool taco__planner_add_join_key(const taco__executor *x, taco__hash_join *j, size_t t,
                                       const taco__sql_expr *e)
{
    uint32_t self = (uint32_t)1 << t, a, b;
    if (e->kind != TACO__SQL_EXPR_CMP || e->op != TACO__OP_EQ) { return false; }
    a = taco__planner_tables_of(x, e->kid[0]);
    b = taco__planner_tables_of(x, e->kid[1]);
    if (!(a == self && b && !(b & self)) && !(b == self && a && !(a & self))) { return false; }
    j->left[j->keys] = e->kid[a == self];
    j->right[j->keys++] = e->kid[a != self];
    return true;
}

/* Room for n keys, and an empty AND for what is no key. */
static taco__sql_expr *taco__planner_init_join(taco__executor *x, taco__hash_join *j, size_t n)
{
    taco_error *err = taco__operator_err(x);
    taco__arena *arena = &x->c->arena;
    taco__sql_expr *rest = (taco__sql_expr *)taco__arena_alloc(arena, sizeof *rest, err);
    j->left = (taco__sql_expr **)taco__arena_array(arena, n, sizeof *j->left, err);
    j->right = (taco__sql_expr **)taco__arena_array(arena, n, sizeof *j->right, err);
    if (!rest || !j->left || !j->right) { return NULL; }
    rest->kind = TACO__SQL_EXPR_AND;
    rest->type = taco__sql_type_simple(TACO_BOOL);
    rest->kid = (taco__sql_expr **)taco__arena_array(arena, n, sizeof *rest->kid, err);
    return rest->kid ? rest : NULL;
}

/* Splits ON into equalities between the new table and those before it, which are hashed, and the
   rest, which is tested on pairs. */
static bool taco__planner_plan_join(taco__executor *x, size_t t)
{
    taco__sql_expr *on = x->s.from[t].on, *rest, **list;
    taco__hash_join *j = &x->joins[t];
    size_t i, n, tables = x->b.table_count;
    j->outer = x->s.from[t].left;
    x->b.table_count = t + 1; /* ON sees the tables so far */
    list = taco__planner_list_conditions(x, on, &n);
    rest = list ? taco__planner_init_join(x, j, n) : NULL;
    if (!rest) { return false; }
    x->b.no_aggr = true;
    for (i = 0; i < n; i++) {
        if (!taco__bind_expr(&x->b, &list[i]) || !taco__bind_require_bool(&x->b, &list[i])) {
            return false;
        }
        if (!taco__planner_add_join_key(x, j, t, list[i])) { rest->kid[rest->n++] = list[i]; }
    }
    x->b.no_aggr = false;
    x->b.table_count = tables;
    j->rest = rest->n ? rest : NULL;
    if (!j->keys) {
        TACO__FAIL(taco__operator_err(x), TACO_ERR_SYNTAX, on->at,
                   "JOIN ... ON wants an equality between columns of the two tables");
        return false;
    }
    return true;
}

/* ---- opening ---- */

/* Opens the cursor that a table's rows come from: the view below, or a query of the dataset that
   asks for these columns, hidden ones included, and tests these filters. Rows without a parent
   stay (c->alone): SQL sees tables, not samples. */
static taco_cursor *taco__planner_open_rows(taco__executor *x, size_t t,
                                            const taco__query_columns *select,
                                            taco__query_filter *filters, size_t n)
{
    taco_error *err = taco__operator_err(x);
    taco__query q;
    taco__select_options opt;
    if (taco__planner_is_source(x, t)) {
        return x->base->open(x->base->ctx, select, filters, n, err);
    }
    memset(&q, 0, sizeof q);
    memset(&opt, 0, sizeof opt);
    q.table = x->s.from[t].level;
    q.flat = x->s.from[t].flat;
    q.select = *select;
    q.filters = filters;
    q.filter_count = n;
    opt.keeps_orphans = true;
    opt.shows_hidden = true;
    opt.plan_only = x->dry;
    return taco__select_open(x->c->ds, &q, &opt, err);
}

/* The columns that the query asks of a table, at least one; their number in x->scan_count[t], the
   places of their vectors in the batch in x->scan_cols[t]. */
static bool taco__planner_list_columns(taco__executor *x, size_t t, taco__query_columns *select)
{
    const taco__bind_table *table = &x->b.tables[t];
    taco_error *err = taco__operator_err(x);
    taco__query_column *items = (taco__query_column *)taco__arena_array(
        &x->c->arena, x->b.column_count + 1, sizeof *items, err);
    size_t i, n = 0;
    x->scan_cols[t] = (size_t *)taco__arena_array(&x->c->arena, x->b.column_count + 1,
                                                  sizeof **x->scan_cols, err);
    if (!items || !x->scan_cols[t]) { return false; }
    for (i = 0; i < x->b.column_count; i++) {
        if (x->b.columns[i].table == t) {
            x->scan_cols[t][n] = i;
            items[n++].name = table->fields[x->b.columns[i].column].name;
        }
    }
    x->scan_count[t] = n;
    /* the last one is the row itself, where there is such a column: nothing to read */
    if (!n) { items[n++].name = table->fields[table->count - 1].name; }
    memset(select, 0, sizeof *select);
    select->items = items;
    select->count = n;
    select->given = true;
    return true;
}

/* Counts the rows of a first table that no column is read of, as for SELECT count(*), by skipping
   all of them: without a condition row groups are skipped by the number of rows in the footer, and
   nothing is read. Rows of a view are fetched, as it may have limits of its own. */
static bool taco__planner_count_rows(taco__executor *x)
{
    taco_cursor *c = x->scans[0];
    taco_batch batch;
    if (x->dry) { return true; }
    if (taco__planner_is_source(x, 0)) { /* it may have limits of its own */
        while (taco_cursor_batch(c, &batch)) {
            x->bare += batch.length;
        }
    } else {
        (void)taco__compose_count_rows(c, &x->bare);
    }
    x->is_bare = true;
    if (c->err.code != TACO_OK) { *taco__operator_err(x) = c->err; }
    return c->err.code == TACO_OK;
}

/* The conditions that a table's scan tests, one filter for each level; *n of them. */
static void taco__planner_list_filters(const taco__pushdown *pushed, size_t t,
                                       taco__query_filter filters[TACO__MAX_LEVELS], size_t *n)
{
    size_t i;
    *n = 0;
    memset(filters, 0, TACO__MAX_LEVELS * sizeof *filters);
    for (i = 0; i < TACO__MAX_LEVELS; i++) {
        size_t slot = t * TACO__MAX_LEVELS + i;
        taco__query_filter *f = &filters[*n];
        f->where = pushed->where[slot];
        f->f.level = (uint32_t)i;
        f->f.geometry_column = pushed->geometry[slot];
        f->f.bbox = pushed->geometry[slot] ? pushed->box[slot] : NULL;
        *n += f->where || f->f.bbox;
    }
}

/* Opens the scan of a table over the columns the query asks for, and notes where in its batches
   each of them is: a view's cursor may have more columns. */
static bool taco__planner_open_scan(taco__executor *x, size_t t, const taco__pushdown *pushed)
{
    taco__query_filter filters[TACO__MAX_LEVELS];
    taco__query_columns select;
    taco_cursor *c;
    size_t i, k, n, count;
    taco_error *err = taco__operator_err(x);
    taco__planner_list_filters(pushed, t, filters, &count);
    if (!taco__planner_list_columns(x, t, &select)) { return false; }
    n = x->scan_count[t];
    c = x->scans[t] = taco__planner_open_rows(x, t, &select, filters, count);
    x->scan_from[t] = (size_t *)taco__arena_array(&x->c->arena, n + 1, sizeof **x->scan_from, err);
    /* a view's cursor may have more of them */
    for (i = 0; c && x->scan_from[t] && i < n; i++) {
        const taco__bind_column *want = &x->b.columns[x->scan_cols[t][i]];
        for (k = 0;
             k < c->columns.count + c->columns.hidden &&
             strcmp(c->columns.fields[k].name, x->b.tables[t].fields[want->column].name) != 0;
             k++) {}
        x->scan_from[t][i] = k;
    }
    return c && x->scan_from[t] && (n || t || taco__planner_count_rows(x));
}

/* Points that still may be table.column. */
TACO__FN void taco__planner_qualify(taco__executor *x)
{
    size_t i;
    for (i = 0; i < x->s.items->n; i++) {
        taco__bind_qualify(&x->b, x->s.items->kid[i]);
    }
    for (i = 0; x->s.groups && i < x->s.groups->n; i++) {
        taco__bind_qualify(&x->b, x->s.groups->kid[i]);
    }
    for (i = 0; i < x->s.order_count; i++) {
        if (x->s.order[i].e) { taco__bind_qualify(&x->b, x->s.order[i].e); }
    }
    for (i = 1; i < x->s.from_count; i++) {
        taco__bind_qualify(&x->b, x->s.from[i].on);
    }
    if (x->s.where) { taco__bind_qualify(&x->b, x->s.where); }
    if (x->s.having) { taco__bind_qualify(&x->b, x->s.having); }
}

/* Marks the columns that a tree computes with: their values are loaded. */
static void taco__planner_mark_computed(taco__executor *x, const taco__sql_expr *e)
{
    uint32_t i;
    if (e->kind == TACO__SQL_EXPR_REF) { x->use[e->index] = TACO__COLUMN_USE_VALUES; }
    for (i = 0; i < e->n; i++) {
        taco__planner_mark_computed(x, e->kid[i]);
    }
}

/* Whether a column comes out of several datasets, stored as several types: its arrays are not
   handed on then, as their types change from batch to batch. */
static bool taco__planner_has_mixed_types(const taco__executor *x)
{
    size_t i;
    for (i = 0; i < x->scan_count[0]; i++) {
        if (taco__compose_is_mixed(x->scans[0], x->scan_from[0][i])) { return true; }
    }
    return false;
}

/* What becomes of the columns of a query over one table. Those that only go out are handed on as
   arrays, without vectors; a text that only groups go by is loaded as codes. A query that does
   nothing else to rows has its limits in the scan. */
static bool taco__planner_set_column_uses(taco__executor *x)
{
    size_t i;
    bool plain = x->b.table_count == 1 && !x->grouped && !x->order_count && !x->s.distinct &&
                 !x->where_count && !x->base && !x->extra_count && !x->dry &&
                 !taco__planner_has_mixed_types(x);
    x->use =
        (uint8_t *)taco__arena_alloc(&x->c->arena, x->b.column_count + 1, taco__operator_err(x));
    if (!x->use) { return false; }
    memset(x->use, plain ? TACO__COLUMN_USE_PASS_THROUGH : TACO__COLUMN_USE_VALUES,
           x->b.column_count);
    for (i = 0; plain && i < x->width; i++) {
        const taco__sql_expr *e = x->items[i];
        size_t column = e->kind == TACO__SQL_EXPR_REF ? x->b.columns[e->index].column : 0;
        const taco_field *f = &x->b.tables[0].fields[column];
        if (e->kind != TACO__SQL_EXPR_REF || f->child_count ||
            f->utc != x->c->columns.fields[i].utc ||
            !taco__unify_same_type(f, &x->c->columns.fields[i])) {
            taco__planner_mark_computed(x, e);
        }
    }
    /* nothing between the scan and the result changes the number of rows */
    if (plain && x->b.column_count) { /* rows come out as they come in */
        x->limits = true;
    }
    /* the one text that groups go by, unless something computes with it */
    if (x->b.table_count == 1 && x->b.group_count == 1 && !x->where_count &&
        x->b.groups[0]->kind == TACO__SQL_EXPR_REF && x->b.groups[0]->type.t.id == TACO_TEXT) {
        size_t place = x->b.groups[0]->index;
        x->use[place] = TACO__COLUMN_USE_CODES;
        for (i = 0; i < x->b.aggr_count; i++) {
            const taco__bind_aggregation *a = &x->b.aggrs[i];
            if (a->arg) { taco__planner_mark_computed(x, a->arg); }
            if (a->filter) { taco__planner_mark_computed(x, a->filter); }
        }
    }
    return true;
}

/* Plans the clauses in the order they take effect, and opens the scans. */
static bool taco__planner_plan(taco__executor *x, taco__pushdown *pushed)
{
    size_t i;
    for (i = 0; i < x->s.from_count; i++) {
        if (!taco__planner_bind_table(x, i)) { return false; }
        x->b.table_count++;
    }
    /* tables are known: points can be told apart, and stars become columns */
    taco__planner_qualify(x);
    if (!taco__planner_output_expand_stars(x)) { return false; }
    for (i = 1; i < x->s.from_count; i++) {
        if (!taco__planner_plan_join(x, i)) { return false; }
    }
    /* WHERE, GROUP BY and HAVING see the aliases of all items */
    x->b.aliases = x->b.source_count;
    if (!taco__pushdown_split_where(x, pushed) || !taco__planner_output_bind_groups(x)) {
        return false;
    }
    /* an aggregate anywhere makes one group of all rows */
    x->grouped = x->b.group_count || x->s.having || x->s.groups;
    for (i = 0; i < x->b.source_count; i++) {
        x->grouped = x->grouped || taco__planner_output_has_aggregate(x->b.sources[i]);
    }
    for (i = 0; i < x->s.order_count; i++) {
        x->grouped =
            x->grouped || (x->s.order[i].e && taco__planner_output_has_aggregate(x->s.order[i].e));
    }
    x->b.grouped = x->grouped;
    if (!taco__planner_output_bind_items(x) ||
        (x->s.having && (!taco__bind_expr(&x->b, &x->s.having) ||
                         !taco__bind_require_bool(&x->b, &x->s.having)))) {
        return false;
    }
    if (!taco__planner_output_bind_order(x) || !taco__planner_output_set_fields(x)) {
        return false;
    }
    /* only now is it known which columns are read */
    for (i = 0; i < x->b.table_count; i++) {
        if (!taco__planner_open_scan(x, i, pushed)) { return false; }
    }
    return taco__planner_set_column_uses(x);
}

/* taco_cursor.next of a SELECT. */
static bool taco__planner_cursor_next(taco_cursor *c, taco_batch *out)
{
    return taco__operator_next((taco__executor *)c->producer.state, out);
}

/* taco_cursor.end of a SELECT. */
static void taco__planner_cursor_end(taco_cursor *c)
{
    taco__operator_close((taco__executor *)c->producer.state);
}

/* Makes the plan of a cursor and parses the text into it; NULL on failure. The text is copied:
   trees borrow from it. From here on the cursor is a SELECT's, and closing it closes the plan. */
TACO__FN taco__executor *taco__planner_init(taco_cursor *c, const char *sql)
{
    taco__executor *x = (taco__executor *)taco__arena_alloc(&c->arena, sizeof *x, &c->err);
    size_t len = TACO__MIN(strlen(sql), TACO__SQL_MAX_TEXT + 1);
    char *text = taco__arena_text(&c->arena, taco__bytes_of(sql, len), &c->err);
    if (!x || !text) { return NULL; }
    x->c = c;
    x->batch.mem = x->hold[0].mem = x->hold[1].mem = c->mem;
    x->b.arena = &c->arena;
    x->b.err = &c->err;
    x->b.s = &x->s;
    c->producer.state = x;
    c->producer.next = taco__planner_cursor_next;
    c->producer.end = taco__planner_cursor_end;
    return taco__sql_parse(&c->arena, text, len, c->ds->options.limits.max_depth, &x->s, &c->err)
               ? x
               : NULL;
}

/* Plans the SELECT that taco__planner_init parsed, and opens it. OFFSET and LIMIT are the scan's
   where rows come out as they are stored. */
TACO__FN bool taco__planner_run(taco__executor *x)
{
    taco__pushdown *pushed = taco__pushdown_new(x);
    bool ok = pushed && taco__planner_plan(x, pushed);
    x->skip = x->s.offset;
    x->left = x->s.has_limit ? x->s.limit : UINT64_MAX;
    if (ok && x->limits && x->left) {
        taco__cursor_set_window(x->scans[0], x->skip, x->left);
        x->skip = 0;
        x->left = UINT64_MAX;
    }
    return ok;
}

/* Makes a cursor one of the rows of a SELECT. */
static bool taco__planner_open(taco_cursor *c, const char *sql)
{
    taco__executor *x = taco__planner_init(c, sql);
    return x && taco__planner_run(x);
}

/* Parses, plans and opens; errors are prefixed with the dataset and the text. */
TACO_API taco_cursor *taco_sql(taco_dataset *ds, const char *sql, taco_error *err)
{
    taco_cursor *c;
    taco_bytes text;
    if (!ds || !sql) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   ds ? "no query given" : "no dataset given");
        return NULL;
    }
    c = taco__cursor_alloc(ds, 0, err);
    if (c && !taco__planner_open(c, sql)) {
        text = taco__bytes_text(sql);
        taco__error_prefix(&c->err, "%s: sql: %q", ds->stores[0].name, &text);
        taco_cursor_close(c, err);
        return NULL;
    }
    return c;
}
/* ==== src/sql/pushdown.c ==== */
/* pushdown.c - pushdown: conditions of WHERE that a scan can test become its predicate

   A scan prunes row groups and pages by its predicate and reads other columns only for the rows
   that are left. A condition qualifies when all its columns are stored in one table (for a flat
   view: in one level) and when it means the same in both languages: comparisons, IN, BETWEEN, LIKE
   and IS NULL of a column with literals, and AND, OR, NOT of these. Everything else of WHERE is
   bound and tested by operators.c. ST_Intersects of a column with a constant box becomes a filter
   too.

   Example: of WHERE v > 1 AND length(id) < 5 AND (split = 'train' OR split IS NULL) the first and
   the last condition go to the scan as one predicate; length(id) < 5 is tested by operators.c. */
/* #include "sql.h" */
/* #include "../base/base.h" */
/* #include "../filter/filter.h" */
/* #include "../dataset/dataset.h" */

/* No conditions yet; in the arena of the plan. */
TACO__FN taco__pushdown *taco__pushdown_new(taco__executor *x)
{
    return (taco__pushdown *)taco__arena_alloc(&x->c->arena, sizeof(taco__pushdown),
                                               taco__operator_err(x));
}

/* Where a column is stored: returns table * TACO__MAX_LEVELS + level, or TACO__NONE when it is
   stored nowhere or may not be tested there: columns that are computed for each row (paths, row
   ids), columns of mixed types, and all of a LEFT JOIN's table, whose missing rows would be lost.
   *name is what it is called there: the "lN:" of a flat view goes. */
static size_t taco__pushdown_slot(const taco__executor *x, size_t table, size_t column,
                                  const char **name)
{
    const taco__sql_table_ref *f = &x->s.from[table];
    size_t level = f->level;
    *name = x->b.tables[table].fields[column].name;
    if (f->left || (taco__planner_is_source(x, table) && !x->base->pushes)) { return TACO__NONE; }
    if (f->flat) { /* "lN:name" */
        if ((*name)[0] != 'l' || (*name)[1] < '0' || (*name)[1] > (char)('0' + (int)level) ||
            (*name)[2] != ':') {
            return TACO__NONE;
        }
        level = (size_t)((*name)[1] - '0');
        *name += 3;
    }
    return taco__schema_union_is_mixed(x->c->ds, (uint32_t)level, *name) ||
                   strcmp(*name, TACO__GDAL_VSI) == 0 || strcmp(*name, TACO__SOURCE_PATH) == 0 ||
                   strcmp(*name, TACO__SOURCE_FILE) == 0 || strcmp(*name, TACO__CURRENT_ID) == 0 ||
                   strcmp(*name, TACO__ROW_ID) == 0
               ? TACO__NONE
               : table * TACO__MAX_LEVELS + level;
}

/* Whether e is a literal that means the same for a predicate on the column f as in SQL: a number,
   a text, a constant DATE or TIMESTAMP. BOOLEANs, NULL and further casts are SQL's alone. */
static bool taco__pushdown_is_literal(const taco__sql_expr *e, const taco_field *f)
{
    const taco__sql_expr *k = e->kind == TACO__SQL_EXPR_CAST ? e->kid[0] : e;
    if (k->kind != TACO__SQL_EXPR_CONST) { return false; }
    if (e->kind == TACO__SQL_EXPR_CAST) {
        return !e->tries && k->value.type.id == TACO_TEXT && e->to.t.id == f->type &&
               (f->type == TACO_DATE || (f->type == TACO_TIMESTAMP && e->to.t.unit == TACO_MICRO));
    }
    if (taco__scalar_is_number(k->value.type.id)) {
        return taco__scalar_is_number(f->type) && f->type != TACO_HALF;
    }
    return k->value.type.id == TACO_TEXT &&
           (f->type == TACO_TEXT || f->type == TACO_DATE || f->type == TACO_TIMESTAMP);
}

/* The slot that all columns of a condition are of, when a scan's predicate can say it, in the
   language of `where`, where both mean the same. TACO__NONE otherwise. The column must be on the
   left, as written; a literal on the left is tested by operators.c. */
TACO__FN size_t taco__pushdown_find_slot(taco__executor *x, const taco__sql_expr *e)
{
    size_t table, column, slot, all = TACO__NONE;
    uint32_t i;
    const taco_field *f;
    const char *name;
    if (e->kind == TACO__SQL_EXPR_AND || e->kind == TACO__SQL_EXPR_OR ||
        e->kind == TACO__SQL_EXPR_NOT) {
        for (i = 0; i < e->n; i++) {
            size_t one = taco__pushdown_find_slot(x, e->kid[i]);
            all = i && all != one ? TACO__NONE : one;
            if (all == TACO__NONE) { return all; }
        }
        return all;
    }
    if (!e->n || e->kid[0]->kind != TACO__SQL_EXPR_COLUMN ||
        !taco__bind_find_column(&x->b, e->kid[0], &table, &column)) {
        return TACO__NONE;
    }
    f = &x->b.tables[table].fields[column];
    slot = taco__pushdown_slot(x, table, column, &name);
    if (slot == TACO__NONE) { return TACO__NONE; }
    switch (e->kind) {
    case TACO__SQL_EXPR_ISNULL: return slot;
    case TACO__SQL_EXPR_CMP:
        if (e->nullsafe) { return TACO__NONE; } /* fall through */
    case TACO__SQL_EXPR_IN:
    case TACO__SQL_EXPR_BETWEEN:
        for (i = 1; i < e->n; i++) {
            if (!taco__pushdown_is_literal(e->kid[i], f)) { return TACO__NONE; }
        }
        return slot;
    case TACO__SQL_EXPR_CALL:
        return e->infix && e->n == 2 && memchr(e->name.data, '~', e->name.len) &&
                       f->type == TACO_TEXT && e->kid[1]->kind == TACO__SQL_EXPR_CONST &&
                       e->kid[1]->value.type.id == TACO_TEXT
                   ? slot
                   : TACO__NONE;
    default: return TACO__NONE;
    }
}

/* What a column of a condition that taco__pushdown_find_slot accepted is called in its table. */
TACO__FN const char *taco__pushdown_column_name(void *executor, const taco__sql_expr *e)
{
    taco__executor *x = (taco__executor *)executor;
    size_t table = 0, column = 0;
    const char *name = "";
    if (taco__bind_find_column(&x->b, e, &table, &column)) {
        taco__pushdown_slot(x, table, column, &name);
    }
    return name;
}

/* A condition that taco__pushdown_find_slot accepted, as a predicate in the arena. */
TACO__FN taco__expr *taco__pushdown_predicate(taco__executor *x, taco__arena *arena,
                                              const taco__sql_expr *e)
{
    taco__pred_maker m;
    m.arena = arena;
    m.err = taco__operator_err(x);
    m.column = taco__pushdown_column_name;
    m.ctx = x;
    return taco__pred_from_sql(&m, e);
}

/* Makes a condition one of those that the scan of a slot tests. All of them are children of one
   AND, so that their number costs no depth. */
static bool taco__pushdown_add(taco__executor *x, taco__pushdown *pushed, size_t slot,
                               const taco__sql_expr *e)
{
    taco__arena *arena = &x->c->arena;
    taco__expr *p = taco__pushdown_predicate(x, arena, e), **all = &pushed->where[slot];
    if (p && !*all) { *all = taco__expr_make(arena, TACO__PRED_AND, 0, taco__operator_err(x)); }
    if (!p || !*all) { return false; }
    taco__expr_append_child(*all, p);
    return true;
}

/* Whether a bound tree has the same value in every row. */
static bool taco__pushdown_is_constant(const taco__sql_expr *e)
{
    uint32_t i;
    for (i = 0; i < e->n; i++) {
        if (!taco__pushdown_is_constant(e->kid[i])) { return false; }
    }
    return e->kind == TACO__SQL_EXPR_CONST || e->kind == TACO__SQL_EXPR_CAST ||
           (e->kind == TACO__SQL_EXPR_CALL && e->n);
}

/* ST_Intersects of the geometry in a column with a constant box is a filter of its scan. Where it
   is the first one there, it is taken, and the columns that were bound for it alone, those from
   `before` on, are not read. Only binding shows what is constant, so this comes after it. */
static bool taco__pushdown_take_box(taco__executor *x, const taco__sql_expr *e, size_t before,
                                    taco__pushdown *pushed, bool *taken)
{
    const taco__sql_expr *g, *box;
    taco__sql_batch calc;
    taco__vec v;
    double edge[4];
    size_t slot, place, column, table;
    const char *name;
    *taken = false;
    if (e->kind != TACO__SQL_EXPR_CALL || e->func != TACO__FUNC_INTERSECTS) { return true; }
    box = e->kid[taco__pushdown_is_constant(e->kid[1])];
    g = box == e->kid[0] ? e->kid[1] : e->kid[0];
    if (g->kind != TACO__SQL_EXPR_CALL || g->func != TACO__FUNC_GEOM ||
        g->kid[0]->kind != TACO__SQL_EXPR_REF || !taco__pushdown_is_constant(box)) {
        return true;
    }
    /* the column, and where it is stored */
    place = g->kid[0]->index;
    table = x->b.columns[place].table;
    column = x->b.columns[place].column;
    slot = taco__pushdown_slot(x, table, column, &name);
    if (slot == TACO__NONE || pushed->geometry[slot] || x->s.from[table].left ||
        x->b.tables[table].fields[column].type != TACO_BINARY ||
        x->c->ds->mode == TACO_COLUMNS_FILL_MISSING) {
        return true;
    }
    /* the box is constant: computed once, over one row without columns */
    taco__arena_reset(&x->batch);
    taco__operator_init_batch(x, &calc, NULL, 0, 1);
    if (!taco__evaluate_expr(&calc, box, &v)) { return false; }
    if (!taco__vec_is_valid(&v, 0) || !taco__func_geo_parse_box(v.v.s[0], edge)) { return true; }
    memcpy(pushed->box[slot], edge, sizeof edge);
    pushed->geometry[slot] = name;
    /* the geometry need not be read for its own sake: the scan does it */
    while (x->b.column_count > before) {
        const taco__bind_column *c = &x->b.columns[--x->b.column_count];
        x->b.tables[c->table].place[c->column] = TACO__NONE;
    }
    *taken = true;
    return true;
}

/* Takes the conjuncts of WHERE apart: each becomes part of a scan's predicate or is bound, to be
   tested on rows (x->where). Both kinds may be mixed freely, as all of them must hold. */
TACO__FN bool taco__pushdown_split_where(taco__executor *x, taco__pushdown *pushed)
{
    taco__sql_expr *w = x->s.where, *one = w;
    taco__sql_expr **list = &one;
    size_t i, n = w ? 1 : 0;
    bool taken;
    if (w && w->kind == TACO__SQL_EXPR_AND) {
        list = w->kid;
        n = w->n;
    }
    x->where = (taco__sql_expr **)taco__arena_array(&x->c->arena, n + 1, sizeof *x->where,
                                                    taco__operator_err(x));
    if (!x->where) { return false; }
    x->b.no_aggr = true;
    for (i = 0; i < n; i++) {
        size_t before = x->b.column_count, slot = taco__pushdown_find_slot(x, list[i]);
        if (taco__operator_err(x)->code != TACO_OK) { return false; }
        if (slot != TACO__NONE) {
            if (!taco__pushdown_add(x, pushed, slot, list[i])) { return false; }
            continue;
        }
        if (!taco__bind_expr(&x->b, &list[i]) || !taco__bind_require_bool(&x->b, &list[i]) ||
            !taco__pushdown_take_box(x, list[i], before, pushed, &taken)) {
            return false;
        }
        if (!taken) { x->where[x->where_count++] = list[i]; }
    }
    x->b.no_aggr = false;
    return true;
}
/* ==== src/sql/planner_output.c ==== */
/* planner_output.c - planner of what comes out: *, GROUP BY, select items, ORDER BY, fields

   `*` becomes columns, numbers in GROUP BY and ORDER BY become the items they count, aliases the
   expressions they name. Items are copied before they are bound: a later clause may need them as
   they were written. A sort key that is no item becomes a further column, which is not
   handed out. */
/* #include "sql.h" */
/* #include "../base/base.h" */
/* #include "../dataset/dataset.h" */

/* ---- what comes out ---- */

/* A column that nobody wrote, as a select item; the table may be empty. */
static taco__sql_expr *taco__planner_output_new_column(taco__executor *x, size_t at,
                                                       taco_bytes table, const char *name)
{
    taco__sql_expr *col =
        (taco__sql_expr *)taco__arena_alloc(&x->c->arena, sizeof *col, taco__operator_err(x));
    if (col) {
        col->kind = TACO__SQL_EXPR_COLUMN;
        col->at = at;
        col->depth = 1;
        col->table = table;
        col->name = taco__bytes_text(name);
    }
    return col;
}

/* Whether EXCLUDE of a star names the column; notes that it was found. */
static bool taco__planner_output_is_excluded(const taco__sql_expr *star, const char *name)
{
    uint32_t k;
    for (k = 0; k < star->n && !taco__bind_name_is(star->kid[k]->name, name); k++) {}
    if (k < star->n) { star->kid[k]->neg = true; }
    return k < star->n;
}

/* Appends the columns that a star means to the items; *n of them so far. An error where its table,
   or a name of EXCLUDE, does not exist. */
static bool taco__planner_output_expand_star(taco__executor *x, const taco__sql_expr *star,
                                             size_t *n)
{
    size_t t, c, k;
    bool any = false;
    for (t = 0; t < x->b.table_count; t++) {
        const taco__bind_table *table = &x->b.tables[t];
        if (star->table.len && !taco__bind_names_equal(star->table, table->alias)) { continue; }
        any = true;
        for (c = 0; c < table->visible; c++) {
            const char *name = table->fields[c].name;
            taco__sql_expr *col;
            if (taco__planner_output_is_excluded(star, name)) { continue; }
            col = taco__planner_output_new_column(x, star->at, table->alias, name);
            if (!col) { return false; }
            x->b.sources[(*n)++] = col;
        }
    }
    for (k = 0; any && k < star->n && star->kid[k]->neg; k++) {}
    if (!any || k < star->n) {
        TACO__FAIL(taco__operator_err(x), TACO_ERR_SYNTAX, any ? star->kid[k]->at : star->at,
                   any ? "EXCLUDE names %q, which is not among the columns"
                       : "there is no table %q",
                   any ? &star->kid[k]->name : &star->table);
        return false;
    }
    return true;
}

/* How many items there may be once stars are columns. */
static size_t taco__planner_output_count(const taco__executor *x)
{
    size_t i, t, n = x->s.items->n + x->extra_count;
    for (t = 0; t < x->b.table_count; t++) {
        for (i = 0; i < x->s.items->n; i++) {
            n += x->s.items->kid[i]->kind == TACO__SQL_EXPR_STAR ? x->b.tables[t].count : 0;
        }
    }
    return n;
}

/* Makes the select items, with columns for stars, and after them the columns that go along with
   the rows unseen: x->b.sources. */
TACO__FN bool taco__planner_output_expand_stars(taco__executor *x)
{
    taco__sql_expr *items = x->s.items;
    taco_error *err = taco__operator_err(x);
    size_t i, n = 0;
    x->b.sources = (taco__sql_expr **)taco__arena_array(
        &x->c->arena, taco__planner_output_count(x) + 1, sizeof *x->b.sources, err);
    if (!x->b.sources) { return false; }
    for (i = 0; i < items->n; i++) {
        if (items->kid[i]->kind != TACO__SQL_EXPR_STAR) {
            x->b.sources[n++] = items->kid[i];
        } else if (!taco__planner_output_expand_star(x, items->kid[i], &n)) {
            return false;
        }
    }
    if (!n) { TACO__FAIL(err, TACO_ERR_SYNTAX, items->at, "no column is left to select"); }
    for (i = 0; i < x->extra_count; i++) {
        taco__sql_expr *col =
            taco__planner_output_new_column(x, 0, taco__bytes_of(NULL, 0), x->extras[i]);
        if (!col) { return false; }
        x->b.sources[n + i] = col;
    }
    x->b.source_count = n + x->extra_count;
    return n > 0;
}

/* Whether a tree that is not bound calls an aggregate. */
TACO__FN bool taco__planner_output_has_aggregate(const taco__sql_expr *e)
{
    uint32_t i;
    if (e->kind == TACO__SQL_EXPR_CALL && !e->infix && taco__aggregate_find(e->name)) {
        return true;
    }
    for (i = 0; i < e->n; i++) {
        if (taco__planner_output_has_aggregate(e->kid[i])) { return true; }
    }
    return false;
}

/* Whether a tree that is not bound names a column. */
static bool taco__planner_output_has_column(const taco__sql_expr *e)
{
    uint32_t i;
    for (i = 0; i < e->n; i++) {
        if (taco__planner_output_has_column(e->kid[i])) { return true; }
    }
    return e->kind == TACO__SQL_EXPR_COLUMN;
}

/* A whole number in ORDER BY or GROUP BY is a select item, counted from 1; 0 for any other
   expression, -1 with an error when there is no such item. */
static int64_t taco__planner_output_position(taco__executor *x, const taco__sql_expr *e)
{
    int64_t k;
    if (e->kind != TACO__SQL_EXPR_CONST || e->literal != 1) { return 0; }
    k = (int64_t)e->value.d.w[0];
    if (k < 1 || k > (int64_t)(x->b.source_count - x->extra_count)) {
        TACO__FAIL(taco__operator_err(x), TACO_ERR_SYNTAX, e->at,
                   "there are %u select items, not %d", TACO__U(x->b.source_count - x->extra_count),
                   TACO__D(k));
        return -1;
    }
    return k;
}

/* A copy of a tree, to be bound in its place. */
static taco__sql_expr *taco__planner_output_copy(taco__executor *x, const taco__sql_expr *e)
{
    return taco__bind_count_nodes(&x->b, e)
               ? taco__sql_expr_copy(&x->c->arena, e, taco__operator_err(x))
               : NULL;
}

/* A name that is an alias: in GROUP BY only where no column has it, in ORDER BY (first) before
   columns. DuckDB's rules. */
static const taco__sql_expr *taco__planner_output_find_alias(taco__executor *x,
                                                             const taco__sql_expr *e, bool first)
{
    size_t i, table, column;
    if (e->kind != TACO__SQL_EXPR_COLUMN || e->table.len) { return NULL; }
    if (!first && taco__bind_find_column(&x->b, e, &table, &column)) { return NULL; }
    for (i = 0; i < x->b.source_count; i++) {
        if (x->b.sources[i]->alias.len && taco__bind_names_equal(x->b.sources[i]->alias, e->name)) {
            return x->b.sources[i];
        }
    }
    return NULL;
}

/* Binds the keys of GROUP BY, which may be positions, aliases or ALL (every item without an
   aggregate). Their texts are kept: later expressions with such a text are the group's column. */
TACO__FN bool taco__planner_output_bind_groups(taco__executor *x)
{
    taco__bind *b = &x->b;
    taco_error *err = taco__operator_err(x);
    size_t i, n = x->s.group_all ? b->source_count : x->s.groups ? x->s.groups->n : 0, count = 0;
    taco__sql_expr **groups =
        (taco__sql_expr **)taco__arena_array(&x->c->arena, n + 1, sizeof *groups, err);
    taco_bytes *texts = (taco_bytes *)taco__arena_array(&x->c->arena, n + 1, sizeof *texts, err);
    if (!groups || !texts) { return false; }
    b->no_aggr = true;
    for (i = 0; i < n; i++) {
        const taco__sql_expr *e = x->s.group_all ? b->sources[i] : x->s.groups->kid[i], *alias;
        int64_t k = x->s.group_all ? 0 : taco__planner_output_position(x, e);
        taco__sql_expr *copy;
        /* GROUP BY ALL: items that compute something of columns without an aggregate */
        if (k < 0 || (x->s.group_all && (taco__planner_output_has_aggregate(e) ||
                                         !taco__planner_output_has_column(e)))) {
            if (k < 0) { return false; }
            continue;
        }
        e = k ? b->sources[k - 1] : e;
        alias = taco__planner_output_find_alias(x, e, false);
        copy = taco__planner_output_copy(x, alias ? alias : e);
        if (!copy || !taco__sql_expr_text_copy(b, copy, &texts[count]) ||
            !taco__bind_expr(b, &copy)) {
            return false;
        }
        if (copy->type.t.id == TACO_NULL) {
            taco__sql_type t = taco__sql_type_simple(TACO_INT32);
            if (!taco__bind_type_add_cast(b, &copy, &t)) { return false; }
        }
        groups[count++] = copy;
    }
    b->no_aggr = false;
    b->groups = groups;
    b->group_texts = texts;
    b->group_count = count;
    return true;
}

/* Appends a sort key on item `at`; a second one on the same item orders nothing. */
static bool taco__planner_output_add_sort_key(taco__executor *x, size_t at,
                                              const taco__sql_sort_key *o)
{
    size_t k;
    for (k = 0; k < x->order_count; k++) {
        if (x->order_at[k] == at) { return true; /* sorted by already */ }
    }
    if (x->order_count == TACO__COUNT(x->order)) {
        TACO__FAIL(taco__operator_err(x), TACO_ERR_LIMIT, TACO_NO_OFFSET, "more than %u sort keys",
                   TACO__U(TACO__COUNT(x->order)));
        return false;
    }
    x->order_at[x->order_count] = at;
    x->order[x->order_count++] = *o;
    return true;
}

/* Binds the sort keys: a position, an alias, an item with the same text, or an expression of its
   own, which becomes a column that is not handed out. */
TACO__FN bool taco__planner_output_bind_order(taco__executor *x)
{
    size_t i, k;
    taco_bytes text, other;
    for (i = 0; i < x->s.order_count; i++) {
        taco__sql_sort_key *o = &x->s.order[i];
        const taco__sql_expr *alias;
        taco__sql_expr *copy;
        int64_t at = o->e ? taco__planner_output_position(x, o->e) : 0;
        if (at < 0) { return false; }
        if (!o->e) {
            for (k = 0; k < x->item_count - x->extra_count; k++) {
                if (!taco__planner_output_add_sort_key(x, k, o)) { return false; }
            }
            continue;
        }
        if (!at && o->e->kind == TACO__SQL_EXPR_CONST) { continue; /* constants order nothing */ }
        /* a position or an alias is the item itself, other keys are compared by their text */
        alias = at ? x->b.sources[at - 1] : taco__planner_output_find_alias(x, o->e, true);
        if (!taco__sql_expr_text_copy(&x->b, alias ? alias : o->e, &text)) { return false; }
        for (k = 0; k < x->item_count; k++) {
            if (alias ? x->b.sources[k] == alias
                      : taco__sql_expr_text_copy(&x->b, x->b.sources[k], &other) &&
                            taco__bytes_equal(text, other)) {
                break;
            }
        }
        if (k == x->item_count) {
            /* rows that are dropped could differ in what they are sorted by */
            if (x->s.distinct) {
                TACO__FAIL(taco__operator_err(x), TACO_ERR_SYNTAX, o->e->at,
                           "with DISTINCT, ORDER BY takes select items only");
                return false;
            }
            copy = taco__planner_output_copy(x, o->e);
            if (!copy || !taco__bind_expr(&x->b, &copy)) { return false; }
            k = x->width;
            x->items[x->width++] = copy;
        }
        if (!taco__planner_output_add_sort_key(x, k, o)) { return false; }
    }
    /* types are known now */
    for (k = 0; k < x->order_count; k++) {
        const taco__sql_type *t = &x->items[x->order_at[k]]->type;
        if (t->geo || t->t.id == TACO_MAP || t->t.id == TACO_INTERVAL) {
            TACO__FAIL(taco__operator_err(x), TACO_ERR_SYNTAX, x->items[x->order_at[k]]->at,
                       "a sort key of that type has no order here");
            return false;
        }
    }
    return true;
}

/* Binds copies of the select items, each of which may name aliases of those before it. */
TACO__FN bool taco__planner_output_bind_items(taco__executor *x)
{
    taco__bind *b = &x->b;
    taco_error *err = taco__operator_err(x);
    size_t i;
    x->items = (taco__sql_expr **)taco__arena_array(
        &x->c->arena, b->source_count + TACO__COUNT(x->order), sizeof *x->items, err);
    for (i = 0; x->items && i < b->source_count; i++) {
        taco__sql_expr *copy = taco__planner_output_copy(x, b->sources[i]);
        b->aliases = i;
        if (!copy || !taco__bind_expr(b, &copy)) { return false; }
        if (copy->type.t.id == TACO_NULL) {
            taco__sql_type t = taco__sql_type_simple(TACO_INT32);
            if (!taco__bind_type_add_cast(b, &copy, &t)) { return false; }
        }
        if (copy->type.t.id == TACO_INTERVAL) {
            TACO__FAIL(err, TACO_ERR_SYNTAX, copy->at,
                       "results of type INTERVAL are not supported");
            return false;
        }
        x->items[i] = copy;
    }
    x->item_count = x->width = b->source_count;
    b->aliases = b->source_count;
    return x->items != NULL;
}

/* Makes the cursor's fields of the items' names and types, those of hidden columns after them. */
TACO__FN bool taco__planner_output_set_fields(taco__executor *x)
{
    taco_cursor *c = x->c;
    size_t i;
    c->columns.fields = (taco_field *)taco__arena_array(&c->arena, x->item_count,
                                                        sizeof *c->columns.fields, &c->err);
    c->batch.arrays =
        (taco_array *)taco__arena_array(&c->arena, x->item_count, sizeof *c->batch.arrays, &c->err);
    for (i = 0; c->columns.fields && c->batch.arrays && i < x->item_count; i++) {
        const char *name = taco__sql_expr_text_label(&x->b, x->b.sources[i]);
        if (!name || !taco__sql_type_to_field(&c->arena, &x->items[i]->type, name,
                                              &c->columns.fields[i], &c->err)) {
            return false;
        }
    }
    c->columns.count = x->item_count - x->extra_count;
    c->columns.hidden = x->extra_count;
    for (i = c->columns.count; c->columns.fields && c->batch.arrays && i < x->item_count; i++) {
        c->producer.row_id =
            strcmp(c->columns.fields[i].name, TACO__ROW_ID) == 0 ? i : c->producer.row_id;
    }
    return c->columns.fields && c->batch.arrays;
}
/* ==== src/sql/view.c ==== */
/* view.c - views: the public calls, each of which adds a step to a list

   A taco_view is a list of steps (taco__view_step) with copies of their texts; nothing is planned
   before rows are asked for. Texts are parsed once at each call, only to report mistakes early.
   view_query.c makes a plan of the steps. */
/* #include "sql.h" */
/* #include "../base/base.h" */
/* #include "../filter/filter.h" */
/* #include "../geo/geo.h" */
/* #include "../dataset/dataset.h" */

/* ---- steps ---- */

/* Replaces *text, which may be NULL, by a copy that the view owns. */
static bool taco__view_copy_text(taco_view *v, const char **text, taco_error *err)
{
    *text = *text ? taco__arena_text(&v->arena, taco__bytes_text(*text), err) : NULL;
    return !err || err->code == TACO_OK;
}

/* Steps and their texts are in the arena of the view. */
TACO_API void taco_view_free(taco_view *v)
{
    taco__mem *mem = v ? &v->ds->mem : NULL;
    if (v) {
        taco__arena_free(&v->arena);
        taco__mem_free(mem, v, sizeof *v);
    }
}

/* A view with the steps of `from`, which may be NULL, and those of more, all texts copied: views
   are freed in any order. */
static taco_view *taco__view_make(taco_dataset *ds, const taco_view *from,
                                  const taco__view_step *more, size_t n, taco_error *err)
{
    taco_view *v = (taco_view *)taco__mem_alloc(&ds->mem, sizeof *v, err);
    size_t i, before = from ? from->count : 0;
    bool ok = v != NULL;
    if (v) {
        v->ds = ds;
        v->arena.mem = &ds->mem;
        v->count = before + n;
        v->steps =
            (taco__view_step *)taco__arena_array(&v->arena, v->count + 1, sizeof *v->steps, err);
        ok = v->steps != NULL;
    }
    for (i = 0; ok && i < v->count; i++) {
        taco__view_step *s = &v->steps[i];
        *s = i < before ? from->steps[i] : more[i - before];
        if (s->f.bbox) {
            memmove(s->box, s->f.bbox, sizeof s->box);
            s->f.bbox = s->box;
        }
        ok = taco__view_copy_text(v, &s->f.where, err) &&
             taco__view_copy_text(v, &s->f.time, err) &&
             taco__view_copy_text(v, &s->f.geometry_column, err) &&
             taco__view_copy_text(v, &s->f.time_column, err) &&
             taco__view_copy_text(v, &s->text, err);
    }
    if (!ok) {
        taco_view_free(v);
        return NULL;
    }
    return v;
}

/* The view with one step more; v stays as it is. */
static taco_view *taco__view_add_step(const taco_view *v, const taco__view_step *s, taco_error *err)
{
    if (!v) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no view given");
        return NULL;
    }
    return taco__view_make(v->ds, v, s, 1, err);
}

/* What can be said of a filter before anything is read: the level, the text of the condition, the
   period, the box. Columns are looked up when rows are asked for. */
static bool taco__view_check_filter(taco_dataset *ds, const taco_filter *f, taco_error *err)
{
    taco__arena arena;
    taco_error own;
    int64_t day[2], at[2];
    double edge[4];
    bool ok = true;
    memset(&own, 0, sizeof own);
    memset(&arena, 0, sizeof arena);
    arena.mem = &ds->mem;
    if (f->level >= taco_levels(ds)) {
        TACO__FAIL(&own, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "there is no level %u to filter, the deepest is %u", TACO__U(f->level),
                   TACO__U(taco_levels(ds) - 1));
    } else if (f->where) {
        ok =
            taco__pred_parse(&arena, f->where, strlen(f->where), &ds->options.limits, &own) != NULL;
        if (!ok) {
            taco_bytes w = taco__bytes_text(f->where);
            taco__error_prefix(&own, "where: %q", &w);
        }
    }
    ok = own.code == TACO_OK && ok &&
         (!f->time ||
          taco__time_parse_range(f->time, &day[0], &day[1], &at[0], &at[1], &own) == TACO_OK) &&
         (!f->bbox || taco__intersect_normalize_box(f->bbox, edge, &own) == TACO_OK);
    taco__arena_free(&arena);
    if (!ok && err && err->code == TACO_OK) { *err = own; }
    return ok || taco__container_fail(&ds->stores[0], NULL, err);
}

/* The steps of a query, in the order in which it applies its parts; room for filter_count + 5. The
   filters are steps 1 ... filter_count + 1. Returns how many. */
static size_t taco__view_list_steps(const taco_query *q, taco__view_step *steps)
{
    size_t i, n = 0;
    steps[n].kind = TACO__VIEW_STEP_TABLE;
    steps[n].level = q->table;
    steps[n].flat = q->flat;
    steps[n++].padding = q->padding;
    for (i = 0; i < q->filter_count; i++) {
        steps[n++].f = q->filters[i];
    }
    steps[n].f.where = q->where;
    steps[n].f.bbox = q->bbox;
    steps[n].f.time = q->time;
    steps[n].f.geometry_column = q->geometry_column;
    steps[n].f.time_column = q->time_column;
    steps[n].f.level = q->level;
    steps[n++].f.exact_time = q->exact_time;
    if (q->order) {
        steps[n].kind = TACO__VIEW_STEP_ORDER;
        steps[n++].text = q->order;
    }
    if (q->select) {
        steps[n].kind = TACO__VIEW_STEP_SELECT;
        steps[n++].text = q->select;
    }
    steps[n].kind = TACO__VIEW_STEP_LIMIT;
    steps[n].limit = q->limit;
    steps[n++].offset = q->offset;
    return n;
}

/* Fails with an ARGUMENT error where the dataset has no such level to show. */
static bool taco__view_check_level(taco_dataset *ds, uint32_t level, taco_error *err)
{
    if (level < taco_levels(ds)) { return true; }
    TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "there is no level %u, the deepest is %u",
               TACO__U(level), TACO__U(taco_levels(ds) - 1));
    return taco__container_fail(&ds->stores[0], NULL, err);
}

/* The parts of the query become steps, in the order in which a query applies them. */
TACO_API taco_view *taco_view_open(taco_dataset *ds, const taco_query *query, taco_error *err)
{
    taco__view_step *steps;
    taco_query q;
    taco_view *v = NULL;
    size_t i, n, bytes;
    memset(&q, 0, sizeof q);
    q = query ? *query : q;
    if (!ds) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no dataset given");
        return NULL;
    }
    if (!taco__view_check_level(ds, q.table, err)) { return NULL; }
    if (!taco__checked_mul_size(q.filter_count + 5, sizeof *steps, &bytes)) {
        TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for filters");
        return NULL;
    }
    steps = (taco__view_step *)taco__mem_alloc(&ds->mem, bytes, err);
    if (!steps) { return NULL; }
    n = taco__view_list_steps(&q, steps);
    for (i = 0; i <= q.filter_count && taco__view_check_filter(ds, &steps[1 + i].f, err); i++) {}
    if (i > q.filter_count) { v = taco__view_make(ds, NULL, steps, n, err); }
    taco__mem_free(&ds->mem, steps, bytes);
    return v;
}

/* Mistakes of the text, the level or the box are reported at once. */
TACO_API taco_view *taco_view_filter(const taco_view *v, const taco_filter *f, taco_error *err)
{
    taco__view_step s;
    memset(&s, 0, sizeof s);
    if (f) { s.f = *f; }
    return v && !taco__view_check_filter(v->ds, &s.f, err) ? NULL : taco__view_add_step(v, &s, err);
}

TACO_API taco_view *taco_view_where(const taco_view *v, const char *where, uint32_t level,
                                    taco_error *err)
{
    taco_filter f;
    memset(&f, 0, sizeof f);
    f.where = where;
    f.level = level;
    return taco_view_filter(v, &f, err);
}

TACO_API taco_view *taco_view_filter_bbox(const taco_view *v, const double box[4],
                                          const char *geometry_column, uint32_t level,
                                          taco_error *err)
{
    taco_filter f;
    memset(&f, 0, sizeof f);
    f.bbox = box;
    f.geometry_column = geometry_column;
    f.level = level;
    return taco_view_filter(v, &f, err);
}

TACO_API taco_view *taco_view_filter_datetime(const taco_view *v, const char *time,
                                              const char *time_column, uint32_t level,
                                              taco_error *err)
{
    taco_filter f;
    memset(&f, 0, sizeof f);
    f.time = time;
    f.time_column = time_column;
    f.level = level;
    return taco_view_filter(v, &f, err);
}

TACO_API taco_view *taco_view_select(const taco_view *v, const char *columns, taco_error *err)
{
    taco__view_step s;
    memset(&s, 0, sizeof s);
    s.kind = TACO__VIEW_STEP_SELECT;
    s.text = columns ? columns : "";
    return taco__view_add_step(v, &s, err);
}

TACO_API taco_view *taco_view_order(const taco_view *v, const char *columns, taco_error *err)
{
    taco__view_step s;
    memset(&s, 0, sizeof s);
    s.kind = TACO__VIEW_STEP_ORDER;
    s.text = columns ? columns : "";
    return taco__view_add_step(v, &s, err);
}

TACO_API taco_view *taco_view_limit(const taco_view *v, uint64_t limit, uint64_t offset,
                                    taco_error *err)
{
    taco__view_step s;
    memset(&s, 0, sizeof s);
    s.kind = TACO__VIEW_STEP_LIMIT;
    s.limit = limit;
    s.offset = offset;
    return taco__view_add_step(v, &s, err);
}

/* ---- SELECTs ---- */

/* Columns that navigation goes by (spec 7.2.3): id, type and internal:*. No step takes them away,
   and none may put something else in their place. */
TACO__FN bool taco__view_is_protected(taco_bytes name)
{
    return taco__bind_name_is(name, "id") || taco__bind_name_is(name, "type") ||
           (name.len > 9 && taco__bind_name_is(taco__bytes_of(name.data, 9), "internal:"));
}

/* Whether rows of the SELECT are rows of `data`, one for one: samples that navigation can still
   find. */
TACO__FN bool taco__view_keeps_rows(const taco__sql_select *s)
{
    size_t i;
    bool ok = s->from_count == 1 && taco__ascii_is_word(s->from[0].name, "data") && !s->distinct &&
              !s->groups && !s->group_all && !s->having;
    for (i = 0; ok && i < s->items->n; i++) {
        ok = !taco__planner_output_has_aggregate(s->items->kid[i]);
    }
    for (i = 0; ok && i < s->order_count; i++) {
        ok = !s->order[i].e || !taco__planner_output_has_aggregate(s->order[i].e);
    }
    return ok;
}

/* A SELECT whose rows stay samples must leave the protected columns what they are: id AS id is
   fine, v AS id an error. */
static bool taco__view_check_protected(const taco__sql_select *s, taco_error *err)
{
    size_t i;
    for (i = 0; i < s->items->n && taco__view_keeps_rows(s); i++) {
        const taco__sql_expr *e = s->items->kid[i];
        if (e->alias.len && taco__view_is_protected(e->alias) &&
            !((e->kind == TACO__SQL_EXPR_COLUMN || e->kind == TACO__SQL_EXPR_FIELD) &&
              taco__bind_names_equal(e->name, e->alias))) {
            TACO__FAIL(err, TACO_ERR_ARGUMENT, e->at,
                       "%q is a protected column: a view keeps it as it is", &e->alias);
            return false;
        }
    }
    return true;
}

/* The text is parsed here for its mistakes, and again when the view is planned. */
TACO_API taco_view *taco_view_sql(const taco_view *v, const char *sql, taco_error *err)
{
    taco__view_step s;
    taco__arena arena;
    taco__sql_select *parsed;
    taco_error own;
    bool ok = false;
    if (!v || !sql) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given", v ? "query" : "view");
        return NULL;
    }
    memset(&s, 0, sizeof s);
    memset(&own, 0, sizeof own);
    memset(&arena, 0, sizeof arena);
    arena.mem = &v->ds->mem;
    s.kind = TACO__VIEW_STEP_SQL;
    s.text = sql;
    parsed = (taco__sql_select *)taco__arena_alloc(&arena, sizeof *parsed, &own);
    ok = parsed &&
         taco__sql_parse(&arena, sql, TACO__MIN(strlen(sql), TACO__SQL_MAX_TEXT + 1),
                         v->ds->options.limits.max_depth, parsed, &own) &&
         taco__view_check_protected(parsed, &own);
    taco__arena_free(&arena);
    if (!ok) {
        taco_bytes text = taco__bytes_text(sql);
        taco__error_prefix(&own, "%s: sql: %q", v->ds->stores[0].name, &text);
        if (err && err->code == TACO_OK) { *err = own; }
        return NULL;
    }
    return taco__view_add_step(v, &s, err);
}

/* ---- public ---- */

/* The level is checked here, against the deepest one. */
TACO_API taco_view *taco_view_table(const taco_view *v, uint32_t level, bool flat, taco_error *err)
{
    taco__view_step s;
    memset(&s, 0, sizeof s);
    s.kind = TACO__VIEW_STEP_TABLE;
    s.level = level;
    s.flat = flat;
    if (v && !taco__view_check_level(v->ds, level, err)) { return NULL; }
    return taco__view_add_step(v, &s, err);
}

/* The plan is made and freed here; the cursor holds what it needs of it. */
TACO_API taco_cursor *taco_view_rows(const taco_view *v, taco_error *err)
{
    taco_error own;
    taco__view_query z;
    taco_cursor *c = NULL;
    memset(&own, 0, sizeof own);
    if (!v) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no view given");
        return NULL;
    }
    if (taco__view_query_init(&z, v, false, &own)) { c = taco__view_query_open(&z, false); }
    taco__view_query_free(&z);
    if (!c && err && err->code == TACO_OK) { *err = own; }
    return c;
}

/* The stream owns the cursor. */
TACO_API taco_status taco_view_export(const taco_view *v, struct ArrowArrayStream *out,
                                      taco_error *err)
{
    taco_error own;
    taco_cursor *c;
    memset(&own, 0, sizeof own);
    c = taco_view_rows(v, &own);
    if (!c) {
        if (out) { memset(out, 0, sizeof *out); }
        if (err && err->code == TACO_OK) { *err = own; }
        return own.code;
    }
    return taco_cursor_export(c, false, out, err);
}

/* The row that the first key of a path names among those of a view, as a path from the root: an
   @position counts rows of the view, an id becomes a condition. NOT_FOUND where the view has no
   such sample. */
static bool taco__view_find_row(taco__view_query *z, taco_bytes key, taco__buf *path)
{
    taco_filter f;
    taco_batch batch;
    taco_cursor *c;
    uint64_t left = 0, row;
    size_t store = 0;
    bool found = false;
    if (!taco__nav_parse_position(key, &left)) {
        memset(&f, 0, sizeof f);
        f.level = z->q.table;
        f.where = taco__nav_id_predicate(
            &z->arena, taco__nav_id_column(&z->ds->stores[0], z->q.table), key, z->err);
        if (!f.where || !taco__view_query_apply_filter(z, &f)) { return false; }
    }
    c = taco__view_query_open(z, true);
    while (c && !found && taco_cursor_batch(c, &batch)) {
        /* a position may be batches away */
        if (left >= batch.length) {
            left -= batch.length;
            continue;
        }
        found = true;
        if (!taco__compose_sample_row(c, (size_t)left, &store, &row)) {
            TACO__FAIL(&c->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "the rows of the view are no samples any more");
        } else {
            taco__nav_path_of_row(z->ds, store, z->q.table, row, path, &c->err);
        }
    }
    if (!c || taco_cursor_close(c, z->err) != TACO_OK) { return false; }
    if (!found) {
        TACO__FAIL(z->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "%s: the view has no sample %q",
                   z->ds->stores[0].name, &key);
    }
    return found;
}

/* The first key is looked up among the rows of the view, the rest of the path is read from the
   dataset. */
TACO_API taco_cursor *taco_view_read(const taco_view *v, const char *path, bool padding,
                                     taco_error *err)
{
    taco_error own;
    taco__view_query z;
    taco__buf full;
    taco_cursor *c = NULL;
    const char *rest;
    if (!v || !path) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given", v ? "path" : "view");
        return NULL;
    }
    /* the root of a view is its rows */
    if (!path[0]) { return taco_view_rows(v, err); }
    memset(&own, 0, sizeof own);
    memset(&full, 0, sizeof full);
    full.mem = &v->ds->mem;
    rest = strchr(path, '/');
    rest = rest ? rest : path + strlen(path);
    if (taco__view_query_init(&z, v, false, &own) &&
        taco__view_find_row(&z, taco__bytes_of(path, (size_t)(rest - path)), &full) &&
        taco__buf_append_text(&full, rest, &own) && taco__buf_append_char(&full, 0, &own)) {
        c = taco_read(v->ds, (const char *)full.data, padding, &own);
    }
    taco__view_query_free(&z);
    taco__buf_free(&full);
    if (!c && err && err->code == TACO_OK) { *err = own; }
    return c;
}
/* ==== src/sql/view_layers.c ==== */
/* view_layers.c - layers of a view: SELECTs that run over the query below

   What a view's steps ask beyond columns, conditions, sort keys and limits is a layer: a SELECT
   that runs as taco_sql does, with `data` meaning the rows below it. Columns that navigation needs
   (id, type, internal:*) travel along with the rows hidden, as long as rows stay samples; columns
   that no layer above names are left out of a layer's SELECT (taco__view_layer_narrow).

   Example: of the steps "SELECT split, avg(v) AS m FROM data GROUP BY split" and "m > 1" the first
   is a layer over the query of data; the second filters the rows of that layer, since m does not
   exist below it. */
/* #include "sql.h" */
/* #include "../base/base.h" */
/* #include "../arrow/arrow.h" */
/* #include "../filter/filter.h" */
/* #include "../dataset/dataset.h" */

/* Protected columns that a tree names, appended to the layer's. */
static bool taco__view_layer_list_protected(taco__view_query *z, taco__view_layer *l,
                                            taco__buf *list, const taco__sql_expr *e)
{
    uint32_t i;
    if (!e) { return true; }
    if ((e->kind == TACO__SQL_EXPR_COLUMN || e->kind == TACO__SQL_EXPR_FIELD) &&
        taco__view_is_protected(e->name) &&
        !taco__buf_append(list, &e->name, sizeof e->name, z->err)) {
        return false;
    }
    for (i = 0; i < e->n; i++) {
        if (!taco__view_layer_list_protected(z, l, list, e->kid[i])) { return false; }
    }
    return taco__view_layer_list_protected(z, l, list, e->filter);
}

/* data.a in the items of a SELECT is column a. */
static void taco__view_layer_unqualify(taco__sql_select *s)
{
    size_t i;
    for (i = 0; s->from_count == 1 && i < s->items->n; i++) {
        taco__sql_expr *e = s->items->kid[i];
        if (e->kind == TACO__SQL_EXPR_FIELD && e->kid[0]->kind == TACO__SQL_EXPR_COLUMN &&
            !e->kid[0]->table.len && taco__bind_names_equal(e->kid[0]->name, s->from[0].alias)) {
            e->kind = TACO__SQL_EXPR_COLUMN;
            e->table = e->kid[0]->name;
            e->n = 0;
        }
    }
}

/* Parses a SELECT as the topmost layer, and notes what it does to rows and which protected columns
   it names. */
TACO__FN bool taco__view_layer_init(taco__view_query *z, const char *sql)
{
    taco__view_layer *l = &z->layers[z->layer_count++];
    taco__sql_select *s = (taco__sql_select *)taco__arena_alloc(&z->arena, sizeof *s, z->err);
    taco__buf list;
    size_t i;
    bool ok;
    if (!s ||
        !taco__sql_parse(&z->arena, sql, strlen(sql), z->ds->options.limits.max_depth, s, z->err)) {
        return false;
    }
    memset(l, 0, sizeof *l);
    l->sql = sql;
    l->s = s;
    taco__view_layer_unqualify(s);
    l->keeps = taco__view_keeps_rows(s);
    l->limits = s->has_limit || s->offset;
    memset(&list, 0, sizeof list);
    list.mem = &z->ds->mem;
    ok = taco__view_layer_list_protected(z, l, &list, s->items) &&
         taco__view_layer_list_protected(z, l, &list, s->groups) &&
         taco__view_layer_list_protected(z, l, &list, s->where) &&
         taco__view_layer_list_protected(z, l, &list, s->having);
    for (i = 0; ok && i < s->order_count; i++) {
        ok = taco__view_layer_list_protected(z, l, &list, s->order[i].e);
    }
    for (i = 1; ok && i < s->from_count; i++) {
        ok = taco__view_layer_list_protected(z, l, &list, s->from[i].on);
    }
    l->name_count = list.len / sizeof *l->names;
    l->names =
        (taco_bytes *)taco__arena_array(&z->arena, l->name_count + 1, sizeof *l->names, z->err);
    if (l->names && list.len) { memcpy(l->names, list.data, list.len); }
    taco__buf_free(&list);
    return ok && l->names;
}

/* A list of taco_query's select or order in the words of SQL. */
TACO__FN bool taco__view_layer_append_list(taco__view_query *z, const taco__query_columns *list,
                                           taco__buf *out)
{
    size_t i;
    bool ok = true;
    for (i = 0; ok && i < list->count; i++) {
        const taco__query_column *c = &list->items[i];
        ok = (!i || taco__buf_append_text(out, ", ", z->err)) &&
             taco__lex_append_quoted(out, taco__bytes_text(c->name), '"', z->err) &&
             taco__buf_append_char(out, ' ', z->err) &&
             taco__buf_append(out, c->rest.data, c->rest.len, z->err);
    }
    return ok && taco__query_parse_ends(list, z->err);
}

/* taco__sql_source.open of a view: the cursor that was opened to see its columns, or the rows
   below. */
static taco_cursor *taco__view_layer_source_open(void *ctx, const taco__query_columns *select,
                                                 const taco__query_filter *filters, size_t n,
                                                 taco_error *err)
{
    taco__view_source *b = (taco__view_source *)ctx;
    taco_cursor *c = b->ready;
    b->ready = NULL;
    if (c) { return c; }
    return b->layers ? taco__view_layer_open(b->z, b->layers, b->ids, err)
                     : taco__view_query_open_base(b->z, select, filters, n, err);
}

/* Puts the columns that the view selects first; the others that stay are the protected ones, which
   can be named though * does not show them. */
static bool taco__view_layer_source_columns(taco__view_query *z, taco__view_source *b,
                                            taco_error *err)
{
    const taco__cursor_columns *p = &b->probe->columns;
    size_t i, n = 0, all = p->count + p->hidden;
    taco_field *out = (taco_field *)taco__arena_array(&z->arena, all * 2 + 1, sizeof *out, err);
    b->base.fields = out ? out : p->fields;
    if (!out) { return false; }
    if (!z->q.select.given) {
        memcpy(out, p->fields, all * sizeof *out);
        b->base.count = all;
        b->base.visible = p->count;
        return true;
    }
    for (; n < all && n < z->q.select.count; n++) {
        const char *name = z->q.select.items[n].name;
        size_t k = taco__cursor_column_find(b->probe, name);
        if (k == TACO__NONE) {
            taco__field_names_no_column(p->fields, p->count, taco__bytes_text(name), err);
            return false;
        }
        out[n] = p->fields[k];
    }
    if (n == z->q.select.count && n < all && !taco__query_parse_ends(&z->q.select, err)) {
        return false;
    }
    b->base.visible = n;
    for (i = 0; i < all; i++) {
        if (taco__view_is_protected(taco__bytes_text(p->fields[i].name)) || i >= p->count) {
            out[n++] = p->fields[i];
        }
    }
    b->base.count = n;
    return err->code == TACO_OK;
}

/* Makes what FROM data means above so many layers: the fields of a cursor over them, which is kept
   for whoever opens the rows, or those that the query could show. */
TACO__FN bool taco__view_layer_source_init(taco__view_query *z, taco__view_source *b, size_t layers,
                                           bool ids, taco_error *err)
{
    memset(b, 0, sizeof *b);
    b->z = z;
    b->layers = layers;
    b->ids = ids;
    b->base.ctx = b;
    b->base.open = taco__view_layer_source_open;
    b->base.level = z->q.table;
    b->base.flat = z->q.flat;
    if (layers) {
        b->ready = taco__view_layer_open(z, layers, ids, err);
        if (b->ready) {
            b->base.fields = b->ready->columns.fields;
            b->base.visible = b->ready->columns.count;
            b->base.count = b->ready->columns.count + b->ready->columns.hidden;
        }
        return b->ready != NULL;
    }
    b->base.pushes = !z->limited;
    b->probe = taco__select_columns(z->ds, z->q.table, z->q.flat, true, err);
    return b->probe && taco__view_layer_source_columns(z, b, err);
}

/* Closes what taco__view_layer_source_init opened and nobody took. */
TACO__FN void taco__view_layer_source_free(taco__view_source *b)
{
    taco_cursor_close(b->ready, NULL);
    taco_cursor_close(b->probe, NULL);
}

/* Protected columns that layers above the n-th name, and the row itself (ids): they go along with
   its rows, hidden, even where its SELECT does not list them. */
static const char **taco__view_layer_hidden_columns(taco__view_query *z, size_t n,
                                                    const taco__sql_source *base, bool ids,
                                                    size_t *count, taco_error *err)
{
    size_t i, k, f, m = 1;
    const char **out;
    *count = 0;
    for (i = n; i < z->layer_count; i++) {
        m += z->layers[i].name_count;
    }
    out = (const char **)taco__arena_array(&z->arena, m, sizeof *out, err);
    for (i = n; out && i < z->layer_count; i++) {
        for (k = 0; k < z->layers[i].name_count; k++) {
            for (f = 0; f < base->count &&
                        !taco__bind_name_is(z->layers[i].names[k], base->fields[f].name);
                 f++) {}
            if (f < base->count) { out[(*count)++] = base->fields[f].name; }
        }
    }
    if (out && ids && base->count &&
        strcmp(base->fields[base->count - 1].name, TACO__ROW_ID) == 0) {
        out[(*count)++] = TACO__ROW_ID;
    }
    return out;
}

/* The conjuncts of a WHERE. */
TACO__FN size_t taco__view_layer_conjuncts(taco__sql_select *s, taco__sql_expr ***list)
{
    bool several = s->where && s->where->kind == TACO__SQL_EXPR_AND;
    *list = several ? s->where->kid : &s->where;
    return several ? s->where->n : s->where ? 1 : 0;
}

/* Takes out of a layer's SELECT what the query below has: conditions, order, limits. */
static void taco__view_layer_remove_pushed(const taco__view_layer *l, taco__sql_select *s)
{
    taco__sql_expr **list;
    size_t i, k = 0, n = taco__view_layer_conjuncts(s, &list);
    for (i = 0; l->pushed_down && i < n; i++) {
        if (!l->pushed_down[i]) { list[k++] = list[i]; }
    }
    if (l->pushed_down && k < n) {
        s->where->n = k > 1 ? (uint32_t)k : s->where->n;
        s->where = k > 1 ? s->where : k ? list[0] : NULL;
    }
    if (l->unlimited) {
        s->has_limit = false;
        s->offset = 0;
    }
    if (l->unordered) { s->order_count = 0; }
}

/* Names that a tree has, appended to a list of taco_bytes; of a plain name that is all it asks
   for. */
static bool taco__view_layer_list_names(taco__buf *list, const taco__sql_expr *e, taco_error *err)
{
    uint32_t i;
    bool ok = true;
    if (e && (e->kind == TACO__SQL_EXPR_COLUMN || e->kind == TACO__SQL_EXPR_FIELD)) {
        ok = taco__buf_append(list, &e->name, sizeof e->name, err);
    }
    for (i = 0; ok && e && i < e->n; i++) {
        ok = taco__view_layer_list_names(list, e->kid[i], err);
    }
    return ok && (!e || !e->filter || taco__view_layer_list_names(list, e->filter, err));
}

/* Whether a list of taco_bytes has the name, case ignored. */
static bool taco__view_layer_has_name(const taco__buf *list, taco_bytes name)
{
    const taco_bytes *have = (const taco_bytes *)(const void *)list->data;
    size_t i, n = list->len / sizeof *have;
    for (i = 0; i < n && !taco__bind_names_equal(have[i], name); i++) {}
    return i < n;
}

/* Names that a SELECT has, and whether all columns of what is below it may come out of it. */
static bool taco__view_layer_list_select_names(taco__buf *list, const taco__sql_select *s,
                                               bool *star, taco_error *err)
{
    size_t i;
    bool ok = taco__view_layer_list_names(list, s->items, err) &&
              taco__view_layer_list_names(list, s->groups, err) &&
              taco__view_layer_list_names(list, s->where, err) &&
              taco__view_layer_list_names(list, s->having, err);
    for (i = 0; ok && i < s->order_count; i++) {
        ok = taco__view_layer_list_names(list, s->order[i].e, err);
    }
    for (i = 1; ok && i < s->from_count; i++) {
        ok = taco__view_layer_list_names(list, s->from[i].on, err);
    }
    for (i = 0, *star = false; i < s->items->n; i++) {
        *star = *star || s->items->kid[i]->kind == TACO__SQL_EXPR_STAR;
    }
    return ok;
}

/* Leaves out what no layer above asks of a SELECT, where that changes nothing else: items that
   nobody names are not computed, and * becomes the columns that are named. Not where everything
   comes out, or where numbers in ORDER BY count items. */
static bool taco__view_layer_narrow(taco__view_query *z, size_t layers,
                                    const taco__sql_source *base, taco__sql_select *s,
                                    taco_error *err)
{
    taco__sql_expr **kids;
    taco__buf list;
    size_t i, k, n = 0;
    bool ok = true, all = true, star = false;
    memset(&list, 0, sizeof list);
    list.mem = &z->ds->mem;
    /* names that layers above have; all: one of them lets every column out */
    for (i = z->layer_count; ok && i-- > layers;) {
        ok = taco__view_layer_list_select_names(&list, z->layers[i].s, &star, err);
        all = all && star;
    }
    for (i = 0; i < s->order_count; i++) { /* ALL, or an item's number */
        all = all || !s->order[i].e || s->order[i].e->kind == TACO__SQL_EXPR_CONST;
    }
    /* rows that are grouped or made distinct are other rows without a column */
    if (!ok || all || !z->layers[layers - 1].keeps ||
        !taco__view_layer_list_names(&list, s->where, err)) {
        taco__buf_free(&list);
        return ok && err->code == TACO_OK;
    }
    for (i = 0; ok && i < s->order_count; i++) {
        ok = taco__view_layer_list_names(&list, s->order[i].e, err);
    }
    for (i = 0; ok && i < s->items->n; i++) {
        taco__sql_expr *e = s->items->kid[i];
        all = all || (e->kind == TACO__SQL_EXPR_STAR && (e->n || e->table.len));
    }
    kids = (taco__sql_expr **)taco__arena_array(&z->arena, s->items->n + base->visible,
                                                sizeof *kids, err);
    ok = ok && kids;
    for (i = 0; ok && !all && i < s->items->n; i++) {
        taco__sql_expr *e = s->items->kid[i];
        for (k = 0; ok && e->kind == TACO__SQL_EXPR_STAR && k < base->visible; k++) {
            taco_bytes name = taco__bytes_text(base->fields[k].name);
            if (taco__view_layer_has_name(&list, name)) {
                kids[n] = (taco__sql_expr *)taco__arena_alloc(&z->arena, sizeof **kids, err);
                ok = kids[n] != NULL;
                if (ok) {
                    kids[n]->kind = TACO__SQL_EXPR_COLUMN;
                    kids[n]->depth = 1;
                    kids[n++]->name = name;
                }
            }
        }
        if (e->kind != TACO__SQL_EXPR_STAR &&
            (!(e->alias.len || e->kind == TACO__SQL_EXPR_COLUMN) ||
             taco__view_layer_has_name(&list, e->alias.len ? e->alias : e->name))) {
            kids[n++] = e;
        }
    }
    if (ok && !all && n) {
        s->items->kid = kids;
        s->items->n = (uint32_t)n;
    }
    taco__buf_free(&list);
    return ok;
}

/* Rows of the first n >= 1 layers: plans the n-th over those below it and opens it. ids: they say
   whose rows they are, as long as they are rows of the dataset. The cursor outlives the plan. */
TACO__FN taco_cursor *taco__view_layer_open(taco__view_query *z, size_t n, bool ids,
                                            taco_error *err)
{
    const taco__view_layer *l = &z->layers[n - 1];
    taco__view_source b;
    taco__executor *x;
    taco_cursor *c = NULL;
    bool ok = taco__view_layer_source_init(z, &b, n - 1, ids, err);
    c = ok ? taco__cursor_alloc(z->ds, 0, err) : NULL;
    if (c) {
        taco_bytes text = taco__bytes_text(l->sql);
        x = taco__planner_init(c, l->sql);
        ok = x != NULL;
        if (ok) { taco__view_layer_remove_pushed(l, &x->s); }
        if (ok) {
            x->base = &b.base;
            x->dry = z->dry;
            ok = taco__view_layer_narrow(z, n, &b.base, &x->s, &c->err);
            if (l->keeps) {
                x->extras =
                    taco__view_layer_hidden_columns(z, n, &b.base, ids, &x->extra_count, &c->err);
            }
            ok = ok && c->err.code == TACO_OK && taco__planner_run(x);
            x->base = NULL;
        }
        c->query.level = z->q.table;
        if (!ok) {
            if (c->err.code == TACO_OK && err->code != TACO_OK) {
                c->err = *err;
                err->code = TACO_OK;
            }
            taco__error_prefix(&c->err, "%s: sql: %q", z->ds->stores[0].name, &text);
            taco_cursor_close(c, err);
            c = NULL;
        }
    }
    taco__view_layer_source_free(&b);
    return c;
}
/* ==== src/sql/view_query.c ==== */
/* view_query.c - plan of a view: its steps made one query, and layers over it

   taco__view_query_init applies the steps in order. Filters, plain columns, sort keys and limits
   change the one query (taco__query); a SELECT is absorbed by it where it asks nothing more, and
   becomes a layer otherwise. A filter after a limit must see only the rows that the limit leaves:
   the limit is run then, and its rows become a mask, a bitmap for each container and level.

   Example: the steps "v > 1", "id, v", "v desc" and limit 5 are one query: a predicate, two
   columns, a sort key and a limit. With the limit before "v > 1" they are two: the five rows
   first, as a mask, and then the condition. */
/* #include "sql.h" */
/* #include "../base/base.h" */
/* #include "../filter/filter.h" */
/* #include "../dataset/dataset.h" */

/* ---- cursors of a plan ---- */

/* Appends the entries of `more` to a list; what is wrong with the two of them is not looked at. */
static bool taco__view_query_join_columns(taco__view_query *z, taco__query_columns *list,
                                          const taco__query_columns *more, taco_error *err)
{
    taco__query_column *items = (taco__query_column *)taco__arena_array(
        &z->arena, list->count + more->count + 1, sizeof *items, err);
    if (!items) { return false; }
    if (list->count) { memcpy(items, list->items, list->count * sizeof *items); }
    if (more->count) { memcpy(items + list->count, more->items, more->count * sizeof *items); }
    list->items = items;
    list->count += more->count;
    return true;
}

/* For a cursor that is only looked at: all columns that come out or are sorted by, to be read in
   storage order. A sorted result reads its keys of all rows, whatever the limit. */
static bool taco__view_query_all_columns(taco__view_query *z, taco__query *q, taco_error *err)
{
    taco__query_columns order = q->order;
    size_t i;
    bool sorted = order.given || z->dry_order.count;
    if (sorted) { q->limit = q->offset = 0; /* any row may be the first */ }
    memset(&q->order, 0, sizeof q->order);
    if (!q->select.given || !sorted) { return true; }
    if (!taco__query_parse_ends(&order, err) ||
        !taco__view_query_join_columns(z, &q->select, &z->dry_order, err)) {
        return false;
    }
    i = q->select.count;
    if (!taco__view_query_join_columns(z, &q->select, &order, err)) { return false; }
    for (; i < q->select.count; i++) { /* "desc" is no part of a name */
        ((taco__query_column *)q->select.items)[i].rest.len = 0;
    }
    return true;
}

/* Rows of the query below the layers, with further filters. select NULL: what the view selects.
   Masks and trees are lent to the cursor while it is opened. */
TACO__FN taco_cursor *taco__view_query_open_base(taco__view_query *z,
                                                 const taco__query_columns *select,
                                                 const taco__query_filter *more, size_t n,
                                                 taco_error *err)
{
    taco__query q = z->q;
    taco__select_options opt;
    q.filters = (taco__query_filter *)taco__arena_array(&z->arena, z->filter_count + n + 1,
                                                        sizeof *q.filters, err);
    if (!q.filters) { return NULL; }
    if (z->filter_count) { memcpy(q.filters, z->filters, z->filter_count * sizeof *q.filters); }
    if (n) { memcpy(q.filters + z->filter_count, more, n * sizeof *q.filters); }
    q.filter_count = z->filter_count + n;
    if (select) { q.select = *select; }
    if (z->limited) {
        q.limit = z->limit == UINT64_MAX ? 0 : TACO__MAX(z->limit, (uint64_t)1);
        q.offset = z->limit ? z->offset : UINT64_MAX;
    }
    memset(&opt, 0, sizeof opt);
    opt.masks = z->masks;
    opt.shows_hidden = select != NULL;
    opt.plan_only = z->dry;
    if (z->dry && !taco__view_query_all_columns(z, &q, err)) { return NULL; }
    return taco__select_open(z->ds, &q, &opt, err);
}

/* Rows of the whole plan; ids: the row itself as the only column there is to read, hidden or
   not. */
TACO__FN taco_cursor *taco__view_query_open(taco__view_query *z, bool ids)
{
    taco__query_column row;
    taco__query_columns select;
    memset(&row, 0, sizeof row);
    memset(&select, 0, sizeof select);
    row.name = TACO__ROW_ID;
    select.items = &row;
    select.count = 1;
    select.given = true;
    if (z->layer_count) { return taco__view_layer_open(z, z->layer_count, true, z->err); }
    return taco__view_query_open_base(z, ids ? &select : NULL, NULL, 0, z->err);
}

/* ---- from steps to a plan ---- */

/* Frees masks and the arena; cursors that were opened live on. */
TACO__FN void taco__view_query_free(taco__view_query *z)
{
    size_t i;
    for (i = 0; z->masks && i < z->ds->container_count * TACO__MAX_LEVELS; i++) {
        if (z->masks[i]) {
            taco__mem_free(&z->ds->mem, z->masks[i],
                           taco__cascade_bitmap_bytes(&z->ds->stores[i / TACO__MAX_LEVELS],
                                                      (uint32_t)(i % TACO__MAX_LEVELS)));
        }
    }
    taco__arena_free(&z->arena);
}

/* For a plan that is only shown: the limit is forgotten, and the columns it would sort by are
   read. */
static bool taco__view_query_mask_limit_dry(taco__view_query *z)
{
    size_t i, n = z->dry_order.count;
    bool ok = taco__view_query_join_columns(z, &z->dry_order, &z->q.order, z->err) &&
              taco__query_parse_ends(&z->q.order, z->err);
    for (; ok && n < z->dry_order.count; n++) {
        ((taco__query_column *)z->dry_order.items)[n].rest.len = 0;
    }
    for (i = 0; i < z->layer_count; i++) {
        z->layers[i].unlimited = true;
    }
    z->limited = false;
    return ok;
}

/* Runs the plan so far for the numbers of its rows, which become the masks of the level. Limits
   are done then. */
static bool taco__view_query_mask_limit_run(taco__view_query *z)
{
    taco_cursor *c = taco__view_query_open(z, true);
    taco_batch batch;
    size_t i, store = 0;
    uint64_t row;
    uint8_t *fresh;
    uint32_t level = z->q.table;
    taco__cascade *made;
    bool ok = c != NULL;
    made =
        (taco__cascade *)taco__arena_array(&z->arena, z->ds->container_count, sizeof *made, z->err);
    for (i = 0; ok && made && i < z->ds->container_count; i++) {
        ok = taco__cascade_alloc_bitmap(&z->ds->stores[i], &made[i], level, z->err);
    }
    while (ok && made && taco_cursor_batch(c, &batch)) {
        for (i = 0; i < batch.length; i++) {
            if (taco__compose_sample_row(c, i, &store, &row)) {
                taco__bitmap_set(made[store].bits[level], (size_t)row);
            }
        }
    }
    ok = taco_cursor_close(c, z->err) == TACO_OK && ok && made;
    for (i = 0; made && i < z->ds->container_count; i++) {
        fresh = made[i].bits[level];
        if (fresh && z->masks[i * TACO__MAX_LEVELS + level]) {
            taco__mem_free(&z->ds->mem, z->masks[i * TACO__MAX_LEVELS + level],
                           taco__cascade_bitmap_bytes(&z->ds->stores[i], level));
        }
        z->masks[i * TACO__MAX_LEVELS + level] =
            fresh ? fresh : z->masks[i * TACO__MAX_LEVELS + level];
    }
    for (i = 0; i < z->layer_count; i++) {
        z->layers[i].unlimited = true;
    }
    z->limited = false;
    return ok;
}

/* Makes the rows that a limit leaves a mask, so that what comes after them may be part of the one
   query. */
static bool taco__view_query_mask_limit(taco__view_query *z)
{
    return z->dry ? taco__view_query_mask_limit_dry(z) : taco__view_query_mask_limit_run(z);
}

/* Makes a filter part of the query. What it points to has to live as long as the plan. */
TACO__FN bool taco__view_query_add_filter(taco__view_query *z, const taco__query_filter *f)
{
    if (z->filter_count == z->filter_cap) {
        size_t cap = z->filter_cap ? z->filter_cap * 2 : 8;
        taco__query_filter *p =
            (taco__query_filter *)taco__arena_array(&z->arena, cap, sizeof *p, z->err);
        if (!p) { return false; }
        if (z->filter_count) { memcpy(p, z->filters, z->filter_count * sizeof *p); }
        z->filters = p;
        z->filter_cap = cap;
    }
    z->filters[z->filter_count++] = *f;
    return true;
}

/* Rows [offset, offset + limit) of those that earlier limits leave; UINT64_MAX is no limit. */
TACO__FN bool taco__view_query_add_limit(taco__view_query *z, uint64_t limit, uint64_t offset)
{
    uint64_t left = z->limited ? z->limit : UINT64_MAX;
    left = left == UINT64_MAX ? left : left > offset ? left - offset : 0;
    z->offset = z->limited ? z->offset : 0;
    z->offset = offset > UINT64_MAX - 1 - z->offset ? UINT64_MAX - 1 : z->offset + offset;
    z->limit = TACO__MIN(left, limit);
    z->limited = true;
    return true;
}

/* A SELECT that the query cannot take becomes the topmost layer; what can be moved below it is. */
static bool taco__view_query_add_layer(taco__view_query *z, const char *sql)
{
    taco__view_source b;
    taco_cursor *c;
    taco__executor *x;
    taco__sql_select *s;
    bool ok;
    if (!taco__view_layer_init(z, sql)) { return false; }
    s = z->layers[z->layer_count - 1].s;
    if (s->from_count != 1 || !taco__ascii_is_word(s->from[0].name, "data")) { return true; }
    c = taco__cursor_alloc(z->ds, 0, z->err);
    x = c ? taco__planner_init(c, sql) : NULL;
    ok = taco__view_layer_source_init(z, &b, 0, false, z->err) && x;
    if (ok) {
        x->base = &b.base;
        ok = taco__planner_bind_table(x, 0);
        x->b.table_count = 1;
        taco__planner_qualify(x);
        ok = ok && taco__view_pushdown_run(z, x);
        x->base = NULL;
    }
    taco__view_layer_source_free(&b);
    return taco_cursor_close(c, z->err) == TACO_OK && ok;
}

/* A layer made of pieces of text. */
static bool taco__view_query_add_layer_text(taco__view_query *z, const char *a, taco_bytes b,
                                            const char *c)
{
    taco__buf text;
    const char *sql = NULL;
    memset(&text, 0, sizeof text);
    text.mem = &z->ds->mem;
    if (taco__buf_append_text(&text, a, z->err) && taco__buf_append(&text, b.data, b.len, z->err) &&
        taco__buf_append_text(&text, c, z->err)) {
        sql = taco__arena_text(&z->arena, taco__bytes_of(text.data, text.len), z->err);
    }
    taco__buf_free(&text);
    return sql && taco__view_query_add_layer(z, sql);
}

/* A layer of a list of columns: the text of a SELECT between `before` and `after`. */
static bool taco__view_query_add_layer_list(taco__view_query *z, const char *before,
                                            const taco__query_columns *list, const char *behind)
{
    taco__buf text;
    bool ok;
    memset(&text, 0, sizeof text);
    text.mem = &z->ds->mem;
    ok = taco__view_layer_append_list(z, list, &text) &&
         taco__view_query_add_layer_text(z, before, taco__bytes_of(text.data, text.len), behind);
    taco__buf_free(&text);
    return ok;
}

/* A filter of the caller, whose text was looked at when the view was made. */
static bool taco__view_query_add_public_filter(taco__view_query *z, const taco_filter *f)
{
    taco__query_filter own;
    memset(&own, 0, sizeof own);
    own.f = *f;
    own.f.where = NULL;
    if (f->where) {
        own.where =
            taco__pred_parse(&z->arena, f->where, strlen(f->where), &z->ds->options.limits, z->err);
        if (!own.where) { return false; }
    }
    return taco__view_query_add_filter(z, &own);
}

/* A filter of the caller. On rows of layers it is a SELECT of its own; a box, a period, or a
   filter of another level goes below them, as long as their rows are samples. */
TACO__FN bool taco__view_query_apply_filter(taco__view_query *z, const taco_filter *f)
{
    bool limited = z->limited;
    size_t i;
    if (!f->where && !f->bbox && !f->time) { return true; }
    /* a condition on columns of the topmost layer */
    if (z->layer_count && f->where && !f->bbox && !f->time && f->level == z->q.table) {
        return taco__view_query_add_layer_text(z, "SELECT * FROM data WHERE (",
                                               taco__bytes_text(f->where), ")");
    }
    /* everything else goes below the layers, past their limits */
    for (i = 0; i < z->layer_count; i++) {
        limited = limited || (z->layers[i].limits && !z->layers[i].unlimited);
        if (!z->layers[i].keeps) {
            TACO__FAIL(z->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "the rows of %s are no samples any more, only their own columns can be "
                       "filtered",
                       z->layers[i].sql);
            return false;
        }
    }
    return (!limited || taco__view_query_mask_limit(z)) && taco__view_query_add_public_filter(z, f);
}

/* Whether the list names the column. */
static bool taco__view_query_has_column(const taco__query_columns *list, const char *name)
{
    size_t i;
    for (i = 0; i < list->count && strcmp(list->items[i].name, name) != 0; i++) {}
    return i < list->count;
}

/* A list of columns: of the query, which it narrows, or of the layers. */
static bool taco__view_query_apply_select(taco__view_query *z, const char *text)
{
    taco__query_columns list;
    size_t i;
    if (!taco__query_parse_columns(&z->arena, text, &list, z->err)) { return false; }
    if (z->layer_count) {
        return taco__view_query_add_layer_list(z, "SELECT ", &list, " FROM data");
    }
    for (i = 0; z->q.select.given && i < list.count; i++) {
        const char *name = list.items[i].name;
        if (!taco__view_is_protected(taco__bytes_text(name)) &&
            !taco__view_query_has_column(&z->q.select, name)) {
            taco_bytes n = taco__bytes_text(name);
            TACO__FAIL(z->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                       "select: the view has no column %q any more", &n);
            return false;
        }
    }
    if (z->q.select.given && !taco__query_parse_ends(&list, z->err)) { return false; }
    z->q.select = list;
    return true;
}

/* Sort keys: the last order holds. */
static bool taco__view_query_apply_order(taco__view_query *z, const char *text)
{
    taco__query_columns list;
    if (!taco__query_parse_columns(&z->arena, text, &list, z->err)) { return false; }
    if (z->layer_count) {
        return taco__view_query_add_layer_list(z, "SELECT * FROM data ORDER BY ", &list, "");
    }
    if (z->limited && !taco__view_query_mask_limit(z)) { return false; }
    z->q.order = list;
    return true;
}

/* A limit of the caller, 0 for none. */
static bool taco__view_query_apply_limit(taco__view_query *z, const taco__view_step *s)
{
    char digits[2][24];
    char text[96];
    if (!s->limit && !s->offset) { return true; }
    if (!z->layer_count) {
        return taco__view_query_add_limit(z, s->limit ? s->limit : UINT64_MAX, s->offset);
    }
    digits[0][taco__num_format_u64(digits[0], s->limit ? s->limit : (uint64_t)INT64_MAX)] = 0;
    digits[1][taco__num_format_u64(digits[1], s->offset)] = 0;
    memset(text, 0, sizeof text);
    strcat(text, " LIMIT ");
    strcat(text, digits[0]);
    strcat(text, " OFFSET ");
    strcat(text, digits[1]);
    return taco__view_query_add_layer_text(z, "SELECT * FROM data", taco__bytes_text(text), "");
}

/* Whether a planned SELECT is nothing but columns under their own names, each once, conditions
   that scans test, plain sort keys with nulls last, and limits. */
static bool taco__view_query_is_simple(taco__executor *x)
{
    size_t i, k, table, column;
    for (i = 0; i < x->b.source_count; i++) {
        const taco__sql_expr *e = x->b.sources[i];
        if (e->kind != TACO__SQL_EXPR_COLUMN ||
            !taco__bind_find_column(&x->b, e, &table, &column) ||
            (e->alias.len &&
             !taco__bytes_equal(e->alias, taco__bytes_text(x->b.tables[0].fields[column].name)))) {
            return false;
        }
        for (k = 0; k < i; k++) {
            if (taco__bind_names_equal(x->b.sources[k]->name, e->name)) { return false; }
        }
    }
    for (i = 0; i < x->s.order_count; i++) {
        const taco__sql_sort_key *o = &x->s.order[i];
        if (!o->e || o->nulls_first || o->e->kind != TACO__SQL_EXPR_COLUMN ||
            !taco__bind_find_column(&x->b, o->e, &table, &column) ||
            x->b.tables[0].types[column].geo) {
            return false;
        }
    }
    return x->where_count == 0;
}

/* The select items, or the sort keys, of a simple SELECT. */
static bool taco__view_query_list_items(taco__view_query *z, taco__executor *x, bool order,
                                        taco__query_columns *out)
{
    size_t i, table, column, n = order ? x->s.order_count : x->b.source_count;
    taco__query_column *items =
        (taco__query_column *)taco__arena_array(&z->arena, n + 1, sizeof *items, z->err);
    memset(out, 0, sizeof *out);
    out->items = items;
    out->count = n;
    out->given = true;
    for (i = 0; items && i < n; i++) {
        const taco__sql_expr *e = order ? x->s.order[i].e : x->b.sources[i];
        if (!taco__bind_find_column(&x->b, e, &table, &column)) { return false; }
        items[i].name = taco__arena_text(
            &z->arena, taco__bytes_text(x->b.tables[0].fields[column].name), z->err);
        items[i].descending = order && x->s.order[i].desc;
        if (!items[i].name) { return false; }
    }
    return items != NULL;
}

/* What a SELECT asks of rows of a level, as a filter that stays as long as the plan. */
static bool taco__view_query_pushed_filter(taco__view_query *z, const taco__pushdown *pushed,
                                           uint32_t level, taco__query_filter *f)
{
    memset(f, 0, sizeof *f);
    f->f.level = level;
    if (pushed->where[level]) {
        f->where = taco__expr_copy(&z->arena, pushed->where[level], z->err);
    }
    if (pushed->geometry[level]) {
        double *box = (double *)taco__arena_alloc(&z->arena, sizeof *pushed->box, z->err);
        f->f.geometry_column =
            taco__arena_text(&z->arena, taco__bytes_text(pushed->geometry[level]), z->err);
        if (box) { memcpy(box, pushed->box[level], sizeof *pushed->box); }
        f->f.bbox = box;
    }
    return z->err->code == TACO_OK;
}

/* Adds conditions, columns, order and limit of a simple SELECT to the query. */
static bool taco__view_query_take_select(taco__view_query *z, taco__executor *x,
                                         const taco__pushdown *pushed)
{
    taco__query_filter f;
    uint32_t l;
    const taco__sql_expr *only = x->s.items->n == 1 ? x->s.items->kid[0] : NULL;
    /* what comes after a limit sees its rows only */
    if (z->limited && (x->s.where || x->s.order_count) && !taco__view_query_mask_limit(z)) {
        return false;
    }
    for (l = 0; l < TACO__MAX_LEVELS; l++) {
        if (!taco__view_query_pushed_filter(z, pushed, l, &f) ||
            ((f.where || f.f.bbox) && !taco__view_query_add_filter(z, &f))) {
            return false;
        }
    }
    if ((x->s.order_count && !taco__view_query_list_items(z, x, true, &z->q.order)) ||
        ((!only || only->kind != TACO__SQL_EXPR_STAR || only->n) &&
         !taco__view_query_list_items(z, x, false, &z->q.select))) {
        return false;
    }
    if (x->s.has_limit || x->s.offset) {
        taco__view_query_add_limit(z, x->s.has_limit ? x->s.limit : UINT64_MAX, x->s.offset);
    }
    return z->err->code == TACO_OK;
}

/* Makes a SELECT part of the query, where that can say it; *taken tells. It is planned over the
   columns of the query as far as WHERE; what is then nothing but columns, pushed conditions, plain
   sort keys and limits is taken. */
static bool taco__view_query_absorb_select(taco__view_query *z, const char *sql, bool *taken)
{
    taco__view_source b;
    taco__pushdown *pushed;
    taco_cursor *c = taco__cursor_alloc(z->ds, 0, z->err);
    taco__executor *x = c ? taco__planner_init(c, sql) : NULL;
    bool ok = x != NULL;
    *taken = false;
    if (ok && taco__view_keeps_rows(&x->s)) {
        pushed = taco__pushdown_new(x);
        ok = taco__view_layer_source_init(z, &b, 0, false, z->err);
        /* a mask takes the place of a limit before this is run */
        b.base.pushes = true;
        x->base = &b.base;
        ok = ok && pushed && taco__planner_bind_table(x, 0);
        x->b.table_count = 1;
        if (ok) {
            taco__planner_qualify(x);
            x->b.aliases = 0;
            ok = taco__planner_output_expand_stars(x) && taco__pushdown_split_where(x, pushed);
        }
        if (ok && taco__view_query_is_simple(x)) {
            *taken = true;
            ok = taco__view_query_take_select(z, x, pushed);
        }
        x->base = NULL;
        taco__view_layer_source_free(&b);
    }
    if (!ok && c) {
        taco_bytes text = taco__bytes_text(sql);
        if (c->err.code == TACO_OK) {
            c->err = *z->err;
            z->err->code = TACO_OK;
        }
        taco__error_prefix(&c->err, "%s: sql: %q", z->ds->stores[0].name, &text);
    }
    return taco_cursor_close(c, z->err) == TACO_OK && ok;
}

/* One step. */
static bool taco__view_query_apply(taco__view_query *z, const taco__view_step *s)
{
    bool taken = false;
    switch (s->kind) {
    case TACO__VIEW_STEP_FILTER: return taco__view_query_apply_filter(z, &s->f);
    case TACO__VIEW_STEP_SELECT: return taco__view_query_apply_select(z, s->text);
    case TACO__VIEW_STEP_LIMIT: return taco__view_query_apply_limit(z, s);
    case TACO__VIEW_STEP_TABLE:
        if (z->layer_count) {
            TACO__FAIL(z->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "the rows of a SELECT are of one table");
            return false;
        }
        if (z->limited && !taco__view_query_mask_limit(z)) { return false; }
        z->q.table = s->level;
        z->q.flat = s->flat;
        z->q.padding = z->q.padding || s->padding;
        return true;
    case TACO__VIEW_STEP_ORDER: return taco__view_query_apply_order(z, s->text);
    default:
        return (z->layer_count || taco__view_query_absorb_select(z, s->text, &taken)) &&
               (taken || taco__view_query_add_layer(z, s->text));
    }
}

/* Makes the plan of a view. taco__view_query_free ends it, on failure too. */
TACO__FN bool taco__view_query_init(taco__view_query *z, const taco_view *v, bool dry,
                                    taco_error *err)
{
    size_t i;
    memset(z, 0, sizeof *z);
    z->ds = v->ds;
    z->dry = dry;
    z->arena.mem = &v->ds->mem;
    z->err = err;
    z->layers =
        (taco__view_layer *)taco__arena_array(&z->arena, v->count + 2, sizeof *z->layers, err);
    z->masks = (uint8_t **)taco__arena_array(&z->arena, z->ds->container_count * TACO__MAX_LEVELS,
                                             sizeof *z->masks, err);
    for (i = 0; z->layers && z->masks && i < v->count; i++) {
        if (!taco__view_query_apply(z, &v->steps[i])) { return false; }
    }
    return z->layers && z->masks;
}

/* The plan, and a cursor over it that is only there to be looked at. */
TACO__FN bool taco__view_query_open_dry(taco__view_query *z, const taco_view *v, taco_error *err,
                                        taco_cursor **c)
{
    *c = taco__view_query_init(z, v, true, err) ? taco__view_query_open(z, false) : NULL;
    return *c != NULL;
}
/* ==== src/sql/view_pushdown.c ==== */
/* view_pushdown.c - conditions, sort keys and limits of a layer moved into the query below

   A condition of a layer on columns that layers below only pass through is tested by the scans
   instead: the rows that are left are the same. So is an order, and a limit, where the layers
   between do nothing but compute. Conditions that moved are shown in plans (taco_plan.pushed_down)
   as text, which nothing parses. */
/* #include "sql.h" */
/* #include "../base/base.h" */
/* #include "../filter/filter.h" */
/* #include "../dataset/dataset.h" */

/* ---- what sinks through layers ---- */

/* Whether a condition on plain columns of a layer may be tested below it: the rows that it leaves
   are the same ones then. Not those of LIMIT, nor the one row of an aggregate without groups; rows
   of DISTINCT and of groups are kept or dropped whole, as the condition is on their keys. */
static bool taco__view_pushdown_is_allowed(const taco__view_layer *l)
{
    return l->s->from_count == 1 && taco__ascii_is_word(l->s->from[0].name, "data") &&
           (!l->limits || l->unlimited) &&
           (l->keeps || l->s->groups || l->s->group_all || (l->s->distinct && !l->s->having));
}

/* Makes the name of a column of a layer that of the one below that it is: SELECT v AS w passes v
   on as w. False where it is computed, where several items have the name, or where there is none;
   protected columns pass every layer that keeps rows. */
static bool taco__view_pushdown_name_below(const taco__view_layer *l, taco_bytes *name)
{
    const taco__sql_expr *found = NULL;
    size_t i, k, hits = 0;
    for (i = 0; i < l->s->items->n; i++) {
        const taco__sql_expr *e = l->s->items->kid[i];
        if (e->kind == TACO__SQL_EXPR_STAR) {
            for (k = 0; k < e->n && !taco__bind_names_equal(e->kid[k]->name, *name); k++) {}
            hits += k == e->n;
        } else if (taco__bind_names_equal(e->alias.len ? e->alias : e->name, *name)) {
            found = e;
            hits++;
        }
    }
    if (hits != 1) { return !hits && l->keeps && taco__view_is_protected(*name); }
    if (found && found->kind != TACO__SQL_EXPR_COLUMN) { return false; }
    *name = found ? found->name : *name;
    return true;
}

/* The same down to the query, from what stands on the first n layers. s: the SELECT that has the
   name; where one of its own items is called like that, it is not looked into. */
static bool taco__view_pushdown_base_name(const taco__view_query *z, size_t n,
                                          const taco__sql_select *s, taco_bytes *name)
{
    size_t i;
    for (i = 0; i < s->items->n; i++) {
        if (s->items->kid[i]->alias.len && taco__bind_names_equal(s->items->kid[i]->alias, *name)) {
            return false;
        }
    }
    while (n && taco__view_pushdown_name_below(&z->layers[n - 1], name)) {
        n--;
    }
    return n == 0;
}

/* Gives all columns of a condition the names they have in the query; false where one of them is
   computed on the way. */
static bool taco__view_pushdown_rename(const taco__view_query *z, size_t n,
                                       const taco__sql_select *s, taco__sql_expr *e)
{
    uint32_t i;
    if (e->kind == TACO__SQL_EXPR_COLUMN) {
        e->table.len = 0; /* there is one table */
        return taco__view_pushdown_base_name(z, n, s, &e->name);
    }
    for (i = 0; i < e->n; i++) {
        if (!taco__view_pushdown_rename(z, n, s, e->kid[i])) { return false; }
    }
    return !e->filter;
}

/* ---- conditions as text, for plans ---- */

/* A literal as a `where` spells it. */
static bool taco__view_pushdown_text_value(taco__executor *x, taco__buf *out,
                                           const taco__sql_expr *e)
{
    taco_error *err = taco__operator_err(x);
    size_t at = out->len;
    if (e->kind == TACO__SQL_EXPR_CAST) {
        return taco__buf_append_text(out,
                                     e->to.t.id == TACO_DATE ? "DATE "
                                     : e->to.t.utc           ? "TIMESTAMPTZ "
                                                             : "TIMESTAMP ",
                                     err) &&
               taco__lex_append_quoted(out, e->kid[0]->value.b, '\'', err);
    }
    return taco__sql_expr_text_constant(&x->b, out, e) &&
           /* an exponent keeps a DOUBLE one */
           (e->value.type.id != TACO_DOUBLE || memchr(out->data + at, 'e', out->len - at) ||
            taco__buf_append_text(out, "e0", err));
}

/* Values from `from` on, and what stands between them. */
static bool taco__view_pushdown_text_values(taco__executor *x, taco__buf *out,
                                            const taco__sql_expr *e, const char *between)
{
    uint32_t i;
    for (i = 1; i < e->n; i++) {
        if ((i > 1 && !taco__buf_append_text(out, between, taco__operator_err(x))) ||
            !taco__view_pushdown_text_value(x, out, e->kid[i])) {
            return false;
        }
    }
    return true;
}

/* What stands between the column of a condition and its values. */
static const char *taco__view_pushdown_text_operator(const taco__sql_expr *e)
{
    static const char *const ops[] = {" = ", " <> ", " < ", " <= ", " > ", " >= "};
    switch (e->kind) {
    case TACO__SQL_EXPR_ISNULL: return e->neg ? " IS NOT NULL" : " IS NULL";
    case TACO__SQL_EXPR_CMP: return ops[e->op];
    case TACO__SQL_EXPR_CALL:
        if (e->name.data[0] == '!') {
            return e->name.data[e->name.len - 1] == '*' ? " NOT ILIKE " : " NOT LIKE ";
        }
        return e->name.data[e->name.len - 1] == '*' ? " ILIKE " : " LIKE ";
    case TACO__SQL_EXPR_IN: return e->neg ? " NOT IN (" : " IN (";
    default: return " BETWEEN ";
    }
}

/* A condition that is pushed down, in the words of taco_query.where. */
static bool taco__view_pushdown_text(taco__executor *x, taco__buf *out, const taco__sql_expr *e)
{
    taco_error *err = taco__operator_err(x);
    uint32_t i;
    bool ok = taco__buf_append_text(out, e->kind == TACO__SQL_EXPR_NOT ? "(NOT " : "(", err);
    if (e->kind == TACO__SQL_EXPR_NOT || e->kind == TACO__SQL_EXPR_AND ||
        e->kind == TACO__SQL_EXPR_OR) {
        for (i = 0; ok && i < e->n; i++) {
            ok = (!i || taco__buf_append_text(out, e->kind == TACO__SQL_EXPR_AND ? " AND " : " OR ",
                                              err)) &&
                 taco__view_pushdown_text(x, out, e->kid[i]);
        }
        return ok && taco__buf_append_text(out, ")", err);
    }
    return ok &&
           taco__lex_append_quoted(out, taco__bytes_text(taco__pushdown_column_name(x, e->kid[0])),
                                   '"', err) &&
           taco__buf_append_text(out, taco__view_pushdown_text_operator(e), err) &&
           taco__view_pushdown_text_values(x, out, e,
                                           e->kind == TACO__SQL_EXPR_BETWEEN ? " AND " : ", ") &&
           taco__buf_append_text(out, e->kind == TACO__SQL_EXPR_IN ? "))" : ")", err);
}

/* Notes a condition for who asks what the plan does. */
static bool taco__view_pushdown_record(taco__view_query *z, taco__executor *x,
                                       const taco__sql_expr *e)
{
    taco__buf text;
    const char *where = NULL;
    if (z->pushed_down_count == z->pushed_down_cap) {
        size_t cap = z->pushed_down_cap ? z->pushed_down_cap * 2 : 8;
        const char **p = (const char **)taco__arena_array(&z->arena, cap, sizeof *p, z->err);
        if (!p) { return false; }
        if (z->pushed_down_count) { memcpy(p, z->pushed_down, z->pushed_down_count * sizeof *p); }
        z->pushed_down = p;
        z->pushed_down_cap = cap;
    }
    memset(&text, 0, sizeof text);
    text.mem = &z->ds->mem;
    if (taco__view_pushdown_text(x, &text, e)) {
        where = taco__arena_text(&z->arena, taco__bytes_of(text.data, text.len), z->err);
    }
    taco__buf_free(&text);
    z->pushed_down[z->pushed_down_count++] = where;
    return where != NULL;
}

/* ---- conditions and sort keys ---- */

/* Makes a condition of the topmost layer, in the names of the query, one of its filters. */
static bool taco__view_pushdown_condition(taco__view_query *z, taco__executor *x,
                                          const taco__sql_expr *e, bool *pushed_down)
{
    taco__sql_expr *copy = taco__sql_expr_copy(&z->arena, e, z->err);
    taco__query_filter f;
    size_t slot;
    if (!copy || !taco__view_pushdown_rename(z, z->layer_count - 1, &x->s, copy)) {
        return copy != NULL;
    }
    slot = taco__pushdown_find_slot(x, copy);
    if (slot == TACO__NONE) { return x->c->err.code == TACO_OK; }
    memset(&f, 0, sizeof f);
    f.f.level = (uint32_t)(slot % TACO__MAX_LEVELS);
    f.where = taco__pushdown_predicate(x, &z->arena, copy);
    *pushed_down = f.where && taco__view_query_add_filter(z, &f) &&
                   (!z->dry || taco__view_pushdown_record(z, x, copy));
    return *pushed_down;
}

/* One sort key of the topmost layer as a column of the query; NULL where it is none. */
static const char *taco__view_pushdown_sort_key(taco__view_query *z, taco__executor *x,
                                                const taco__sql_sort_key *o)
{
    taco__sql_expr e;
    size_t k, table, column;
    bool ok = true;
    if (!o->e || o->nulls_first || o->e->kind != TACO__SQL_EXPR_COLUMN) { return NULL; }
    e = *o->e;
    for (k = 0; k < x->s.items->n; k++) { /* a name may be what SELECT calls a column */
        const taco__sql_expr *item = x->s.items->kid[k];
        if (!o->e->table.len && item->alias.len &&
            taco__bind_names_equal(item->alias, o->e->name)) {
            e = *item;
        }
    }
    for (k = z->layer_count - 1; ok && k > 0; k--) {
        ok = taco__view_pushdown_name_below(&z->layers[k - 1], &e.name);
    }
    e.table.len = 0;
    if (!ok || e.kind != TACO__SQL_EXPR_COLUMN ||
        !taco__bind_find_column(&x->b, &e, &table, &column) || x->b.tables[0].types[column].geo) {
        return NULL;
    }
    return taco__arena_text(&z->arena, taco__bytes_text(x->b.tables[0].fields[column].name),
                            z->err);
}

/* Makes the sort keys of the topmost layer those of the query; false where one of them is none of
   its columns. */
static bool taco__view_pushdown_sort_order(taco__view_query *z, taco__executor *x)
{
    size_t i;
    taco__query_column *items =
        (taco__query_column *)taco__arena_array(&z->arena, x->s.order_count, sizeof *items, z->err);
    for (i = 0; items && i < x->s.order_count; i++) {
        items[i].name = taco__view_pushdown_sort_key(z, x, &x->s.order[i]);
        items[i].descending = x->s.order[i].desc;
        if (!items[i].name) { return false; }
    }
    if (!items) { return false; }
    memset(&z->q.order, 0, sizeof z->q.order);
    z->q.order.items = items;
    z->q.order.count = x->s.order_count;
    z->q.order.given = true;
    return true;
}

/* Whether a layer only computes: its rows are those below it, in their order. */
static bool taco__view_pushdown_is_projection(const taco__view_layer *l)
{
    taco__sql_expr **list;
    size_t k, n = taco__view_layer_conjuncts(l->s, &list);
    for (k = 0; k < n && l->pushed_down && l->pushed_down[k]; k++) {}
    return l->keeps && k == n && (!l->s->order_count || l->unordered) &&
           (!l->limits || l->unlimited);
}

/* Moves conditions, order and limit of the topmost layer into the query, as far as the layers
   between let them: conditions through layers that pass the columns on, an order and then a limit
   only through those that do nothing but compute. A layer of which nothing is left is dropped. */
TACO__FN bool taco__view_pushdown_run(taco__view_query *z, taco__executor *x)
{
    size_t top = z->layer_count - 1, i, k, n;
    taco__view_layer *l = &z->layers[top];
    taco__sql_select *s = l->s;
    taco__sql_expr **list;
    bool ok = true;
    n = taco__view_layer_conjuncts(&x->s, &list);
    l->pushed_down = (bool *)taco__arena_array(&z->arena, n + 1, sizeof *l->pushed_down, z->err);
    /* conditions: every layer below must let them through */
    for (i = 0; i < top && taco__view_pushdown_is_allowed(&z->layers[i]); i++) {}
    n = i == top && !z->limited ? n : 0;
    for (i = 0; ok && l->pushed_down && i < n; i++) {
        ok = taco__view_pushdown_condition(z, x, list[i], &l->pushed_down[i]);
    }
    if (!ok || !l->pushed_down || !l->keeps) { return ok && l->pushed_down; }
    n = taco__view_layer_conjuncts(s, &list);
    for (k = 0; k < n && l->pushed_down[k]; k++) {}
    /* order and limit: only if this layer filters nothing any more, and those below only compute */
    for (i = 0; i < top && taco__view_pushdown_is_projection(&z->layers[i]); i++) {}
    if (i == top && k == n && s->order_count && !z->limited) {
        l->unordered = taco__view_pushdown_sort_order(z, x);
    }
    if (i == top && k == n && l->limits && (!s->order_count || l->unordered)) {
        taco__view_query_add_limit(z, s->has_limit ? s->limit : UINT64_MAX, s->offset);
        l->unlimited = true;
    }
    if (s->items->n == 1 && s->items->kid[0]->kind == TACO__SQL_EXPR_STAR && !s->items->kid[0]->n &&
        taco__view_pushdown_is_projection(l)) {
        z->layer_count--; /* nothing is left of it */
    }
    return z->err->code == TACO_OK;
}
/* ==== src/sql/explain.c ==== */
/* explain.c - plans for people: what a view will read, computed before it reads

   In: a view. Out: a taco_plan: for each table what statistics prune, and ranges of files by
   round. The view is opened "dry": cursors with everything but rows. For each scan the row groups
   and pages that may match are found as the scan itself finds them, from footers and page indexes,
   which are read; their byte ranges are joined as a vectored source would be asked. Round 0 is
   indexes, 1 what conditions test, 2 what comes out. Start at taco_view_plan, at the end. */
/* #include "sql.h" */
/* #include "../base/base.h" */
/* #include "../parquet/parquet.h" */
/* #include "../filter/scan.h" */
/* #include "../dataset/dataset.h" */

/* a range of a file, of a round; not yet put in order */
typedef struct taco__explain_range {
    taco__file *file;
    taco__range range;
    uint32_t round; /* 0 indexes, 1 what is tested, 2 what comes out */
    bool at_most;
} taco__explain_range;

typedef struct taco__explain_file {
    taco__file *file;
    const char *name;
} taco__explain_file;

/* after the public part */
typedef struct taco__explain {
    taco_plan plan;
    taco__mem *mem;
    taco__arena arena;
    taco__buf needs, tables, files, ranges; /* need, taco_plan_table, file, taco_range */
    taco__buf text, json;
    uint64_t skip, left; /* of rows that come out one by one */
    bool waits;          /* for indexes */
    taco_error *err;
} taco__explain;

/* Notes a file that may be read, under the name that ranges show; each file once. */
static bool taco__explain_add_file(taco__explain *p, taco__file *file, const char *name)
{
    const taco__explain_file *have = (const taco__explain_file *)(const void *)p->files.data;
    taco__explain_file f;
    size_t i;
    for (i = 0; i < p->files.len / sizeof f; i++) {
        if (have[i].file == file) { return true; }
    }
    f.file = file;
    f.name = taco__arena_text(&p->arena, taco__bytes_text(name), p->err);
    return f.name && taco__buf_append(&p->files, &f, sizeof f, p->err);
}

/* Takes ranges over as needs of a round, and empties them. */
static bool taco__explain_add_ranges(taco__explain *p, taco__file *file, taco__buf *ranges,
                                     uint32_t round, bool at_most)
{
    taco__explain_range n;
    size_t i;
    bool ok = true;
    memset(&n, 0, sizeof n);
    n.file = file;
    n.round = round;
    n.at_most = at_most;
    for (i = 0; ok && i < ranges->len / sizeof n.range; i++) {
        memcpy(&n.range, ranges->data + i * sizeof n.range, sizeof n.range);
        ok = taco__buf_append(&p->needs, &n, sizeof n, p->err);
    }
    ranges->len = 0;
    return ok;
}

/* ---- one table ---- */

/* Names of some columns of a table, copied into the plan. NULL without memory. */
static const char *const *taco__explain_column_names(taco__explain *p, const taco__table *t,
                                                     const size_t *which, size_t n)
{
    const char **out = (const char **)taco__arena_array(&p->arena, n + 1, sizeof *out, p->err);
    size_t i;
    for (i = 0; out && i < n; i++) {
        out[i] = taco__arena_text(&p->arena, taco__bytes_text(t->fields[which[i]].name), p->err);
        if (!out[i]) { return NULL; }
    }
    return out;
}

/* Reads the indexes of a table's row groups: what follows depends on them. Where they are not there
   yet (a feed without the bytes: an IO error), they are what is needed first, and p->waits. */
static bool taco__explain_read_indexes(taco__explain *p, taco__scan *s, const taco__scan_window *w)
{
    taco__file *file = s->query.table->pq->part.file;
    taco__buf asked, *ranges = &s->fetch.ranges;
    bool ok;
    if (!taco__scan_fetch_add_indexes(s, w, true, p->err)) { return false; }
    memset(&asked, 0, sizeof asked);
    asked.mem = p->mem;
    ok = taco__buf_append(&asked, ranges->data, ranges->len, p->err);
    p->plan.index_bytes += taco__scan_fetch_range_bytes(ranges);
    if (ok && !taco__scan_fetch_ranges(s, &s->fetch.tested, p->err)) {
        ok = false;
        if (p->err->code == TACO_ERR_IO) {
            p->waits = taco__explain_add_ranges(p, file, &asked, 0, false);
        }
    }
    taco__buf_free(&asked);
    return ok;
}

/* The needs of one row group of a scan, in order: pages of tested columns, and of those that go
   out, where that depends on what is tested. */
static bool taco__explain_group(taco__explain *p, taco__scan *s, taco_plan_table *t, uint32_t group,
                                size_t *at, bool depends)
{
    taco__file *file = s->query.table->pq->part.file;
    taco__row_selection rows;
    bool test = taco__scan_plan_group_rows(s, group, at, &rows);
    if (!rows.span_count) { return true; }
    rows.cache_scan = 0;
    rows.select = NULL;
    t->at_most = t->at_most || test || depends;
    return (!test || (taco__scan_fetch_add_tested(s, group, &rows, &s->fetch.ranges, p->err) &&
                      taco__explain_add_ranges(p, file, &s->fetch.ranges, 1, depends))) &&
           taco__scan_fetch_add_output(s, group, &rows, &s->fetch.ranges, p->err) &&
           taco__explain_add_ranges(p, file, &s->fetch.ranges, 2, test || depends);
}

/* The needs of a scan: its predicate, and its columns for rows that may be left. depends: on more
   than this. */
static bool taco__explain_scan(taco__explain *p, taco__scan *s, taco_plan_table *t, bool depends)
{
    size_t i, at = 0, count = taco__table_group_count(s->query.table);
    const taco__scan_counts *counts = &s->plan.counts;
    const taco__scan_span *x;
    taco__scan_window w;
    bool ok;
    w.groups = (uint32_t *)taco__arena_array(&p->arena, count + 1, sizeof *w.groups, p->err);
    w.outcomes = (uint8_t *)taco__arena_array(&p->arena, count + 1, sizeof *w.outcomes, p->err);
    if (!w.groups || !w.outcomes) { return false; }
    taco__scan_plan_all_groups(s, &w);
    ok = taco__explain_read_indexes(p, s, &w) && taco__scan_plan_rows(s, &w, p->err);
    for (i = 0; ok && i < w.count; i++) {
        ok = taco__explain_group(p, s, t, w.groups[i], &at, depends);
    }
    x = (const taco__scan_span *)(const void *)s->plan.spans.data;
    for (i = 0; i < s->plan.spans.len / sizeof *x; i++) {
        t->rows_left += x[i].n;
    }
    t->groups += counts->groups;
    t->groups_pruned += counts->groups_pruned + counts->bloom_pruned;
    t->pages += counts->pages;
    t->pages_pruned += counts->pages_pruned;
    return ok;
}

/* A level that is tested or joined, not shown: columns of its conditions, of joins with the levels
   beside it, and where a few rows can be looked up, the indexes for that. */
static bool taco__explain_level(taco__explain *p, taco__table_reader *f, uint32_t l, uint32_t last)
{
    taco__level *level = &f->store->levels[l];
    taco__scan s;
    taco_plan_table t;
    taco__buf ranges;
    bool ok, few = (l && taco__lookup_is_possible(f->store, l)) ||
                   (l < last && taco__lookup_is_possible(f->store, l + 1));
    memset(&t, 0, sizeof t);
    if (!level->table.pq) { return true; }
    memset(&ranges, 0, sizeof ranges);
    ranges.mem = p->mem;
    ok = taco__cascade_need_level(f->store, l, f->filter.conditions[l], last, f->filter.deepest,
                                  &ranges, p->err) &&
         taco__explain_add_ranges(p, level->table.pq->part.file, &ranges, 1, false) &&
         (!few || (taco__cascade_need_level(f->store, l, NULL, last, last, &ranges, p->err) &&
                   taco__cascade_need_indexes(f->store, l, last, &ranges, p->err) &&
                   taco__explain_add_ranges(p, level->table.pq->part.file, &ranges, 1, true)));
    taco__buf_free(&ranges);
    if (!ok || !f->filter.conditions[l] ||
        !taco__scan_open(&s, &level->table, f->filter.conditions[l], NULL, NULL, 0, 0, p->mem,
                         p->err)) {
        return ok && !f->filter.conditions[l];
    }
    t.dataset = f->store->name;
    t.level = l;
    t.rows = level->table.rows;
    t.tested = taco__explain_column_names(p, &level->table, s.query.tested, s.query.tested_count);
    t.tested_count = s.query.tested_count;
    ok = t.tested && taco__explain_scan(p, &s, &t, false) &&
         taco__buf_append(&p->tables, &t, sizeof t, p->err);
    taco__scan_close(&s);
    return ok;
}

/* ---- cursors ---- */

/* Ancestors that a flat view shows: their columns for rows that are not known yet, so all of them
   as a bound. */
static bool taco__explain_ancestors(taco__explain *p, const taco_cursor *c, taco__table_reader *f)
{
    uint32_t l;
    taco__buf ranges;
    bool ok = true;
    memset(&ranges, 0, sizeof ranges);
    ranges.mem = p->mem;
    for (l = 0; ok && c->query.flat && l < c->query.level; l++) {
        const taco__row_reader *r = &f->ancestors[l];
        taco_plan_table t;
        if (!r->table->pq || !r->count) { continue; }
        memset(&t, 0, sizeof t);
        t.dataset = f->store->name;
        t.level = l;
        t.rows = t.rows_left = r->table->rows;
        t.groups = taco__table_group_count(r->table);
        t.at_most = true;
        t.shown = taco__explain_column_names(p, r->table, r->which, r->count);
        t.shown_count = r->count;
        ok = t.shown && taco__table_reader_need_columns(r, NULL, &ranges, p->err) &&
             taco__explain_add_ranges(p, r->table->pq->part.file, &ranges, 2, true) &&
             taco__buf_append(&p->tables, &t, sizeof t, p->err);
    }
    taco__buf_free(&ranges);
    return ok;
}

/* The needs of one container: levels that are only tested, then the table that rows come from,
   then its ancestors. */
static bool taco__explain_store(taco__explain *p, const taco_cursor *c, taco__table_reader *f)
{
    taco_pq_file *pq = f->table->pq;
    taco__scan *s = &f->scan;
    taco_plan_table t;
    uint32_t l, last = TACO__MAX(f->filter.deepest, c->query.level);
    bool ok = true, plain = !s->query.where && !f->filter.conditions;
    /* names of the files that may be asked for */
    for (l = 0; ok && l < TACO__MAX_LEVELS; l++) {
        const taco__level *level = &f->store->levels[l];
        ok = !level->table.pq || taco__explain_add_file(p, level->table.pq->part.file,
                                                        level->path ? level->path : f->store->name);
    }
    for (l = 0; ok && f->filter.conditions && l <= last; l++) {
        ok = taco__explain_level(p, f, l, last);
    }
    if (!ok || !pq) { return ok; }
    memset(&t, 0, sizeof t);
    t.dataset = f->store->name;
    t.level = c->query.level;
    t.rows = f->table->rows;
    t.tested = taco__explain_column_names(p, f->table, s->query.tested, s->query.tested_count);
    t.tested_count = s->query.tested_count;
    t.shown = taco__explain_column_names(p, f->table, s->out.which, s->out.count);
    t.shown_count = s->out.count;
    /* OFFSET and LIMIT are known before anything is read */
    if (plain) { /* rows leave as they are stored */
        taco__scan_set_rows(s, p->skip, p->left);
        p->skip -= s->query.from;
        p->left -= s->query.to - s->query.from;
    }
    return t.tested && t.shown && taco__explain_scan(p, s, &t, f->filter.conditions != NULL) &&
           taco__buf_append(&p->tables, &t, sizeof t, p->err) && taco__explain_ancestors(p, c, f);
}

/* The needs of a cursor; a SELECT has one cursor below it for each of its tables. */
static bool taco__explain_cursor(taco__explain *p, taco_cursor *c, uint32_t depth)
{
    size_t i;
    /* a SELECT: its tables, which may be the SELECTs of layers again */
    if (c->producer.next) {
        taco__executor *x = (taco__executor *)c->producer.state;
        for (i = 0; i < TACO__SQL_MAX_TABLES; i++) {
            if (x->scans[i] && depth < 64 && !taco__explain_cursor(p, x->scans[i], depth + 1)) {
                return false;
            }
        }
        return true;
    }
    p->skip = c->query.skip;
    p->left = c->query.left;
    for (i = 0; i < c->reader_count; i++) {
        if (!taco__explain_store(p, c, &c->readers[i])) { return false; }
    }
    return true;
}

/* ---- ranges ---- */

/* The needs of one file and round as ranges: joined as a vectored source is asked for them,
   without what is held and what rounds before brought. `seen` is a file whose segments are those;
   the ranges are added to it. */
static bool taco__explain_add_round(taco__explain *p, const taco__explain_file *file,
                                    taco__file *seen, uint32_t round, bool at_most, uint32_t number,
                                    bool *any)
{
    const taco__explain_range *need = (const taco__explain_range *)(const void *)p->needs.data;
    size_t i, n = 0, count = p->needs.len / sizeof *need, bytes;
    taco__range *r;
    uint64_t asked = 0, left = 0;
    bool ok = true;
    if (!taco__checked_mul_size(count + seen->segment_count + 1, sizeof *r, &bytes)) {
        TACO__FAIL(p->err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for ranges");
        return false;
    }
    r = (taco__range *)taco__mem_alloc(p->mem, bytes, p->err);
    for (i = 0; r && i < count; i++) {
        if (need[i].file == file->file && need[i].round == round && need[i].at_most == at_most) {
            r[n++] = need[i].range;
            asked += need[i].range.len;
        }
    }
    n = r ? taco__file_plan_reads(seen, r, n, TACO__FILE_GAP) : 0;
    for (i = 0; ok && i < n; i++) {
        taco_range out;
        taco__file_segment s;
        memset(&out, 0, sizeof out);
        memset(&s, 0, sizeof s);
        out.file = file->name;
        s.offset = out.offset = r[i].offset;
        out.len = r[i].len;
        out.round = number;
        out.at_most = at_most;
        left += out.len;
        *any = true;
        ok = taco__checked_to_size(out.len, &s.len) &&
             taco__buf_append(&p->ranges, &out, sizeof out, p->err) &&
             taco__file_add_segment(seen, s, p->err);
    }
    p->plan.held += asked > left ? asked - left : 0;
    taco__mem_free(p->mem, r, bytes);
    return r && ok;
}

/* Puts the needs of all files in order, round by round. Rounds without a range are not counted, so
   that the first that is needed is 0. */
static bool taco__explain_order_rounds(taco__explain *p)
{
    const taco__explain_file *files = (const taco__explain_file *)(const void *)p->files.data;
    size_t i, k, n = p->files.len / sizeof *files;
    taco__file *seen = (taco__file *)taco__arena_array(&p->arena, n + 1, sizeof *seen, p->err);
    uint32_t round, number = 0;
    bool ok = seen != NULL;
    for (i = 0; ok && i < n; i++) {
        seen[i].mem = p->mem;
        seen[i].src.size = files[i].file->src.size;
        for (k = 0; ok && k < files[i].file->segment_count; k++) {
            taco__file_segment s = files[i].file->segments[k];
            s.data = NULL;
            ok = taco__file_add_segment(&seen[i], s, p->err);
        }
    }
    for (round = 0; ok && round < 3; round++) {
        bool any = false;
        for (i = 0; ok && i < n; i++) {
            ok = taco__explain_add_round(p, &files[i], &seen[i], round, false, number, &any) &&
                 taco__explain_add_round(p, &files[i], &seen[i], round, true, number, &any);
        }
        number += any;
    }
    p->plan.rounds = number;
    for (i = 0; seen && i < n; i++) {
        taco__mem_free(p->mem, seen[i].segments, seen[i].segment_cap * sizeof *seen[i].segments);
    }
    return ok;
}

/* ---- as text ---- */

/* Appends text to an output of the plan. */
static bool taco__explain_append(taco__explain *p, taco__buf *b, const char *text)
{
    return taco__buf_append_text(b, text, p->err);
}

/* Appends a number between two texts. */
static bool taco__explain_append_number(taco__explain *p, taco__buf *b, const char *before,
                                        uint64_t n, const char *behind)
{
    char digits[24];
    return taco__explain_append(p, b, before) &&
           taco__buf_append(b, digits, taco__num_format_u64(digits, n), p->err) &&
           taco__explain_append(p, b, behind);
}

/* A line "label a, b, c"; nothing for an empty list. */
static bool taco__explain_append_list(taco__explain *p, taco__buf *b, const char *label,
                                      const char *const *names, size_t n)
{
    size_t i;
    bool ok = !n || taco__explain_append(p, b, label);
    for (i = 0; ok && i < n; i++) {
        ok = taco__explain_append(p, b, i ? ", " : " ") && taco__explain_append(p, b, names[i]);
    }
    return ok && (!n || taco__explain_append(p, b, "\n"));
}

/* The lines of one table: rows, what is pruned, what is tested and read. */
static bool taco__explain_append_table(taco__explain *p, taco__buf *b, const taco_plan_table *t)
{
    return taco__explain_append(p, b, t->dataset) &&
           taco__explain_append_number(p, b, ": level", t->level, ": ") &&
           taco__explain_append_number(p, b, "", t->rows, " rows, ") &&
           taco__explain_append_number(p, b, "", t->groups_pruned, " of ") &&
           taco__explain_append_number(p, b, "", t->groups, " row groups pruned") &&
           (!t->pages ||
            (taco__explain_append_number(p, b, ", ", t->pages_pruned, " of ") &&
             taco__explain_append_number(p, b, "", t->pages, " stretches of pages pruned"))) &&
           taco__explain_append_number(p, b, t->at_most ? ", at most " : ", ", t->rows_left,
                                       " rows left\n") &&
           taco__explain_append_list(p, b, "  tests", t->tested, t->tested_count) &&
           taco__explain_append_list(p, b, "  reads", t->shown, t->shown_count);
}

/* One line for SELECTs, tables and totals each, then a line for each range. */
TACO_API taco_bytes taco_plan_text(taco_plan *plan, taco_error *err)
{
    taco__explain *p = (taco__explain *)(void *)plan;
    taco__buf *b = p ? &p->text : NULL;
    size_t i;
    bool ok = p != NULL;
    if (!p) { return taco__bytes_of(NULL, 0); }
    p->err = err;
    b->len = 0;
    ok = taco__explain_append_list(p, b, "SELECTs over the query:", plan->selects,
                                   plan->select_count) &&
         taco__explain_append_list(p, b,
                                   "conditions of SELECTs tested below them:", plan->pushed_down,
                                   plan->pushed_down_count);
    for (i = 0; ok && i < plan->table_count; i++) {
        ok = taco__explain_append_table(p, b, &plan->tables[i]);
    }
    ok = ok && taco__explain_append_number(p, b, "", plan->bytes, " bytes in ") &&
         taco__explain_append_number(p, b, "", plan->range_count, " requests, ") &&
         taco__explain_append_number(p, b, "", plan->rounds, " rounds") &&
         (!plan->held ||
          taco__explain_append_number(p, b, "; ", plan->held, " bytes more are held already")) &&
         taco__explain_append(p, b, plan->complete ? "\n" : "; then more\n");
    for (i = 0; ok && i < plan->range_count; i++) {
        const taco_range *r = &plan->ranges[i];
        ok = taco__explain_append_number(p, b, "  round ", r->round + 1,
                                         r->at_most ? " at most " : " ") &&
             taco__explain_append_number(p, b, "", r->len, " bytes at ") &&
             taco__explain_append_number(p, b, "", r->offset, " of ") &&
             taco__explain_append(p, b, r->file) && taco__explain_append(p, b, "\n");
    }
    return ok ? taco__bytes_of(b->data, b->len) : taco__bytes_of(NULL, 0);
}

/* "key": [names] */
static void taco__explain_json_list(taco__json_writer *w, const char *key, const char *const *names,
                                    size_t n)
{
    size_t i;
    taco__json_write_begin(w, key, '[');
    for (i = 0; i < n; i++) {
        taco__json_write_text(w, NULL, names[i]);
    }
    taco__json_write_end(w, ']');
}

/* One table as an object. */
static void taco__explain_json_table(taco__json_writer *w, const taco_plan_table *t)
{
    taco__json_write_begin(w, NULL, '{');
    taco__json_write_text(w, "dataset", t->dataset);
    taco__json_write_u64(w, "level", t->level);
    taco__json_write_u64(w, "rows", t->rows);
    taco__json_write_u64(w, "row_groups", t->groups);
    taco__json_write_u64(w, "row_groups_pruned", t->groups_pruned);
    taco__json_write_u64(w, "pages", t->pages);
    taco__json_write_u64(w, "pages_pruned", t->pages_pruned);
    taco__json_write_u64(w, "rows_left", t->rows_left);
    taco__json_write_bool(w, "at_most", t->at_most);
    taco__explain_json_list(w, "tests", t->tested, t->tested_count);
    taco__explain_json_list(w, "reads", t->shown, t->shown_count);
    taco__json_write_end(w, '}');
}

/* One range of a file as an object; rounds count from 1. */
static void taco__explain_json_range(taco__json_writer *w, const taco_range *r)
{
    taco__json_write_begin(w, NULL, '{');
    taco__json_write_text(w, "file", r->file);
    taco__json_write_u64(w, "round", (uint64_t)r->round + 1);
    taco__json_write_u64(w, "offset", r->offset);
    taco__json_write_u64(w, "bytes", r->len);
    taco__json_write_bool(w, "at_most", r->at_most);
    taco__json_write_end(w, '}');
}

/* The plan as one object; field by field as taco_plan has them. */
TACO_API taco_bytes taco_plan_json(taco_plan *plan, taco_error *err)
{
    taco__explain *p = (taco__explain *)(void *)plan;
    taco__json_writer w;
    size_t i;
    if (!p) { return taco__bytes_of(NULL, 0); }
    p->json.len = 0;
    w = taco__json_writer_init(&p->json, err);
    taco__json_write_begin(&w, NULL, '{');
    taco__explain_json_list(&w, "selects", plan->selects, plan->select_count);
    taco__json_write_begin(&w, "tables", '[');
    for (i = 0; i < plan->table_count; i++) {
        taco__explain_json_table(&w, &plan->tables[i]);
    }
    taco__json_write_end(&w, ']');
    taco__explain_json_list(&w, "pushed_down", plan->pushed_down, plan->pushed_down_count);
    taco__json_write_u64(&w, "rounds", plan->rounds);
    taco__json_write_u64(&w, "requests", plan->range_count);
    taco__json_write_u64(&w, "bytes", plan->bytes);
    taco__json_write_u64(&w, "held", plan->held);
    taco__json_write_u64(&w, "index_bytes", plan->index_bytes);
    taco__json_write_bool(&w, "complete", plan->complete);
    taco__json_write_begin(&w, "ranges", '[');
    for (i = 0; i < plan->range_count; i++) {
        taco__explain_json_range(&w, &plan->ranges[i]);
    }
    taco__json_write_end(&w, ']');
    taco__json_write_end(&w, '}');
    return w.ok ? taco__bytes_of(p->json.data, p->json.len) : taco__bytes_of(NULL, 0);
}

/* ---- public ---- */

TACO_API void taco_plan_free(taco_plan *plan)
{
    taco__explain *p = (taco__explain *)(void *)plan;
    if (p) {
        taco__buf_free(&p->needs);
        taco__buf_free(&p->tables);
        taco__buf_free(&p->files);
        taco__buf_free(&p->ranges);
        taco__buf_free(&p->text);
        taco__buf_free(&p->json);
        taco__arena_free(&p->arena);
        taco__mem_free(p->mem, p, sizeof *p);
    }
}

/* Lays the public part over what was gathered; its arrays are the buffers' memory, its texts the
   arena's. */
static bool taco__explain_finish(taco__explain *p, const taco__view_query *z)
{
    const char **texts =
        (const char **)taco__arena_array(&p->arena, z->layer_count + 1, sizeof *texts, p->err);
    size_t i;
    if (!texts || !taco__explain_order_rounds(p)) { return false; }
    for (i = 0; i < z->layer_count; i++) {
        texts[i] = taco__arena_text(&p->arena, taco__bytes_text(z->layers[i].sql), p->err);
        if (!texts[i]) { return false; }
    }
    p->plan.selects = texts;
    p->plan.select_count = z->layer_count;
    texts = (const char **)taco__arena_array(&p->arena, z->pushed_down_count + 1, sizeof *texts,
                                             p->err);
    for (i = 0; texts && i < z->pushed_down_count; i++) {
        texts[i] = taco__arena_text(&p->arena, taco__bytes_text(z->pushed_down[i]), p->err);
    }
    if (!texts || p->err->code != TACO_OK) { return false; }
    p->plan.pushed_down = texts;
    p->plan.pushed_down_count = z->pushed_down_count;
    p->plan.ranges = (const taco_range *)(const void *)p->ranges.data;
    p->plan.range_count = p->ranges.len / sizeof(taco_range);
    p->plan.tables = (const taco_plan_table *)(const void *)p->tables.data;
    p->plan.table_count = p->tables.len / sizeof(taco_plan_table);
    for (i = 0; i < p->plan.range_count; i++) {
        p->plan.bytes += p->plan.ranges[i].len;
    }
    p->plan.complete = !p->waits;
    return true;
}

/* The view is opened dry, looked at and closed. A plan that could not read an index yet is no
   failure: it ends with the ranges of that. */
TACO_API taco_plan *taco_view_plan(const taco_view *v, taco_error *err)
{
    taco__explain *p;
    taco__view_query z;
    taco_cursor *c = NULL;
    taco_error own;
    bool ok;
    memset(&own, 0, sizeof own);
    if (!v) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no view given");
        return NULL;
    }
    p = (taco__explain *)taco__mem_alloc(&v->ds->mem, sizeof *p, err);
    if (!p) { return NULL; }
    p->mem = p->arena.mem = &v->ds->mem;
    p->needs.mem = p->tables.mem = p->files.mem = p->ranges.mem = p->text.mem = p->json.mem =
        p->mem;
    p->err = &own;
    ok = taco__view_query_open_dry(&z, v, &own, &c) && taco__explain_cursor(p, c, 0);
    if (!ok && p->waits) { /* the plan ends with what has to be there first */
        memset(&own, 0, sizeof own);
        ok = true;
    }
    taco_cursor_close(c, NULL);
    ok = ok && taco__explain_finish(p, &z);
    taco__view_query_free(&z);
    if (!ok) {
        if (err && err->code == TACO_OK) { *err = own; }
        taco_plan_free(&p->plan);
        return NULL;
    }
    return &p->plan;
}
#endif /* TACO_IMPLEMENTATION */
